"""JupyterLab's trust in a notebook, kept where the course writes the file.

JupyterLab signs a notebook that it saves. In one whose text it has not signed, it shows a figure's words in place of the
figure, and a check's card without its colours, until the cells run again.
"""
from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path

from nbformat import NotebookNode

DATA = Path(".book/lab/data")       # where the book's JupyterLab keeps its signatures (course.lab.start)


def keep(root: Path, old: NotebookNode, new: NotebookNode) -> None:
    """Signs `new` where the JupyterLab of the book in `root` has signed `old`. Without trust it is only less fine to read, so
    nothing here is an error."""
    data = root / DATA
    if not (data / "notebook_secret").exists():
        return
    from nbformat.sign import NotebookNotary
    with suppress(OSError, ValueError, sqlite3.Error):
        notary = NotebookNotary(data_dir=str(data))
        try:
            if notary.check_signature(old):
                notary.sign(new)
        finally:
            notary.store.close()
