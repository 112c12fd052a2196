"""The alternative text of a page's pictures: the words that a figure's output has beside it (d2l_utils/alternative.py).

myst-nb names a picture by the hash of its bytes, and writes that name as its alternative text.
"""
from __future__ import annotations

import base64
import hashlib
import html
import os
import re
from pathlib import Path

import nbformat

_ALT = re.compile(r'alt="[^"]*_images/([0-9a-f]{64})\.\w+"')


def give(executed: Path, site: Path) -> None:
    """Puts the words into the site's pages. `executed`: the folder of the notebooks that they were made of."""
    known = {}
    for path in executed.rglob("*.ipynb"):
        for cell in nbformat.read(path, 4).cells:
            for output in cell.get("outputs", []):
                known |= _of(output.get("data", {}))
    for path in site.rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        made = _ALT.sub(lambda found: f'alt="{html.escape(known.get(found[1], "A picture."))}"', page)
        if made != page:
            path.write_text(made, encoding="utf-8")


def _of(data: dict) -> dict[str, str]:
    """hash of the picture -> words, for an output that has both."""
    words = data.get("text/plain", "")
    found = {}
    for kind, content in data.items():
        if kind.startswith("image/") and words and not words.startswith("<Figure"):
            raw = os.linesep.join(content.splitlines()).encode() if "svg" in kind else base64.b64decode(content)
            found[hashlib.sha256(raw).hexdigest()] = words
    return found
