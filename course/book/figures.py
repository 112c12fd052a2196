"""Pictures of an author's own: `![what it shows](figures/name.png)` in a text cell, the file beside the source.

They become attachments of the cell, so a notebook brings its pictures along wherever it goes.
"""
from __future__ import annotations

import base64
import re
from pathlib import Path

MOST = 500_000          # bytes
_MIME = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".svg": "image/svg+xml"}
_LINK = re.compile(r"!\[([^\]]*)\]\(figures/([^)\s]+)\)")


def problems(source: Path, text: str):
    """What is wrong with the pictures of a text cell: (line from 1, what, mend)."""
    for line, words in enumerate(text.split("\n"), 1):
        for alt, name in _LINK.findall(words):
            path = source.parent / "figures" / name
            if not path.is_file():
                yield line, f"there is no picture figures/{name}.", f"Put it into solutions/{source.parent.name}/figures/."
            elif path.suffix.lower() not in _MIME:
                yield line, f"figures/{name} is no picture that notebooks show.", f"They show {', '.join(_MIME)}."
            elif path.stat().st_size > MOST:
                yield (line, f"figures/{name} has {path.stat().st_size:,} bytes.",
                       f"Make it smaller than {MOST:,}: it is part of the notebook.")
            if not alt.strip():
                yield line, f"figures/{name} has no words.", "Say in the brackets what it shows, for those who do not see it."


def attached(source: Path, text: str) -> tuple[str, dict[str, dict[str, str]]]:
    """The text with its pictures as attachments, and these: name -> {MIME type: base64}."""
    found: dict[str, dict[str, str]] = {}

    def attach(match: re.Match) -> str:
        alt, name = match.groups()
        path = source.parent / "figures" / name
        found[name] = {_MIME[path.suffix.lower()]: base64.b64encode(path.read_bytes()).decode()}
        return f"![{alt}](attachment:{name})"
    return _LINK.sub(attach, text), found
