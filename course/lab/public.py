"""The students' edition in a public repository: what Binder needs to open it, and what a page needs on Colab.

The repository holds a folder that `course bundle` made. Binder (repo2docker) builds the environment from its .binder/ and
opens the reader's copy in JupyterLab. Colab opens one notebook in an environment of its own, so the notebook's first code
cell fetches the rest.
"""
from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

CELL = "on-colab"
# the CPU build of torch: the one that PyPI has for Linux brings gigabytes of CUDA, too much for Binder
TORCH = "--extra-index-url https://download.pytorch.org/whl/cpu"
LACKING = ("torchinfo", "torchviz", "graphviz-pure")         # of what the pages import; Colab has the others

POST_BUILD = """\
#!/bin/bash
# Binder runs this once: the book's package, the settings and the extension of its JupyterLab, and the reader's copy, work/.
set -e
python -m pip install --quiet --no-deps --editable .
prefix=$(python -c 'import sys; print(sys.prefix)')
mkdir -p "$prefix/share/jupyter/labextensions" "$prefix/etc/jupyter"
cp -r course/lab/jupyter/labextensions/. "$prefix/share/jupyter/labextensions/"
cp -r course/lab/jupyter/jupyter_server_config.json course/lab/jupyter/labconfig "$prefix/etc/jupyter/"
python -c 'import pathlib; from course.learner.work import sync; sync(pathlib.Path.cwd())'
"""

ON_COLAB = """\
# On Colab, run this cell first: it fetches the book's code and data, and what Colab lacks. Elsewhere it does nothing.
import os, subprocess, sys

if "google.colab" in sys.modules:
    if not os.path.exists("/content/book"):
        subprocess.run(["git", "clone", "--quiet", "--depth", "1", "--branch", {branch!r},
                        {url!r}, "/content/book"], check=True)
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps",
                        {packages}], check=True)
    sys.path.insert(0, "/content/book")
"""


class NoRepository(ValueError):
    """What was given is no repository's address; the message says what one looks like."""


@dataclass(frozen=True)
class Repository:
    """Where the students' edition is public: the address of its repository, and the branch."""
    url: str
    branch: str = "main"

    @classmethod
    def of(cls, text: str) -> Repository | None:
        """https://github.com/ORG/NAME, or that with /tree/BRANCH; None for "". Raises NoRepository."""
        if not text:
            return None
        found = re.fullmatch(r"(https://[\w.-]+(?::\d+)?/[\w./~-]+?)(?:\.git)?(?:/(?:-/)?tree/([\w./-]+?))?/?", text)
        if not found:
            raise NoRepository(f"{text!r} is no repository's address. Give one like https://github.com/ORG/NAME, or with a "
                               "branch, https://github.com/ORG/NAME/tree/BRANCH.")
        return cls(found[1], found[2] or "main")

    @property
    def on_colab(self) -> bool:
        """Colab opens notebooks of GitHub only."""
        return self.url.startswith("https://github.com/")

    def files(self, requirements: str) -> dict[str, bytes]:
        """What Binder looks for, path -> content. `requirements`: the pins that the student edition needs."""
        return {".binder/requirements.txt": f"{TORCH}\n{requirements}".encode(), ".binder/runtime.txt": b"python-3.11\n",
                ".binder/postBuild": POST_BUILD.encode()}

    def notebook(self, path: Path, requirements: str) -> bytes:
        """A notebook with the cell for Colab before its first code cell."""
        made = copy.deepcopy(nbformat.read(path, 4))
        pins = [line for line in requirements.splitlines() if line.partition("==")[0] in LACKING]
        source = ON_COLAB.format(branch=self.branch, url=self.url, packages=", ".join(f'"{pin}"' for pin in pins))
        cell = new_code_cell(source.rstrip("\n"))
        cell.metadata = NotebookNode(editable=False, deletable=False, jupyter={"source_hidden": True})
        cell.id = CELL
        first = next((i for i, found in enumerate(made.cells) if found.cell_type == "code"), len(made.cells))
        made.cells.insert(first, cell)
        return (nbformat.writes(made) + "\n").encode()


def configured(root: Path) -> str:
    """The repository that nbgrader_config.py names, "" where it names none."""
    from course.book.release import config
    return config(root).get("StudentEdition", {}).get("repository", "")
