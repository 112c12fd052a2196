"""What a section teaches and what its tasks need, by cell: all that the book's vocabulary is made of.

Reading a source takes 60 ms; what was read is kept in .book/outlines/ for as long as the text is the same.
"""
from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path

from course.book.section import Section
from course.book.source import read, sources


@dataclass
class Spot:
    """One cell: prose, code, setup or demo that teaches, a task, or a heading in prose."""
    role: str
    id: str
    line: int
    number: str = ""            # of a task, with its title and kind
    title: str = ""
    heading: bool = False
    teaches: list[str] = field(default_factory=list)
    needs: list[str] = field(default_factory=list)


@dataclass
class Outline:
    """One section, with those of its cells that matter here."""
    path: Path
    chapter: str
    name: str
    number: str
    title: str
    spots: list[Spot]

    @property
    def new_form(self) -> bool:
        """Whether it says what it teaches or needs; a section of the old form says neither."""
        return any(spot.teaches or spot.needs for spot in self.spots)

    @property
    def file(self) -> str:
        """Its notebook, below notebooks/ or work/."""
        return f"{self.chapter}/{self.name}.ipynb"


def outline(section: Section) -> Outline:
    """The section as the vocabulary sees it."""
    spots = []
    for cell, name in zip(section.cells, section.ids):
        spot = Spot(cell.role, name, cell.line, cell.number if cell.role == "task" else "",
                    teaches=ideas(cell.meta.get("teaches")), needs=ideas(cell.meta.get("needs")))
        if cell.role == "task":
            spot.title = section.exercises[cell.number].title
        elif cell.role == "prose":
            spot.heading = bool(re.search(r"^#{1,6} ", cell.source, flags=re.MULTILINE))
        if spot.teaches or spot.heading or cell.role == "task":
            spots.append(spot)
    return Outline(section.path, section.chapter, section.name, section.number, section.title, spots)


def ideas(tag: object) -> list[str]:
    """"broadcasting, keepdim" -> ["broadcasting", "keepdim"]."""
    return list(dict.fromkeys(" ".join(idea.split()) for idea in str(tag or "").split(",") if idea.strip()))


def outlines(root: Path, known: list[Section] | None = None) -> list[Outline]:
    """Every section of the book in its order. `known` are sections that were read already.

    Raises SourceError where another one cannot be read.
    """
    there = {section.path: section for section in known or []}
    return [outline(there[path]) if path in there else _kept(root, path) for path in sources(root)]


def _kept(root: Path, path: Path) -> Outline:
    text = path.read_bytes()
    digest = hashlib.sha256(_ours() + text).hexdigest()
    kept = root / ".book/outlines" / path.parent.name / f"{path.stem}.json"
    try:
        found = json.loads(kept.read_text(encoding="utf-8"))
        if found.pop("digest") == digest:
            return Outline(path, **found | {"spots": [Spot(**spot) for spot in found["spots"]]})
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        pass
    made = outline(read(path, lint=False))
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        facts = asdict(made) | {"digest": digest}
        del facts["path"]
        kept.write_text(json.dumps(facts), encoding="utf-8")
    except OSError:             # then it is read again next time
        pass
    return made


@lru_cache(maxsize=1)
def _ours() -> bytes:
    """The code that makes outlines: where it changes, they are made again."""
    return b"".join(path.read_bytes() for path in (Path(__file__), *(Path(__file__).with_name(name) for name in
                                                                     ("section.py", "source.py"))))
