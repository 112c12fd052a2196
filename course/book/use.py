"""A course may be a part of the book: `course.use` names its chapters, sections and exercises, a word in each line."""
from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from course.book.section import Section, section_number, used
from course.book.source import read, sources
from course.whole import write

FILE = "course.use"
_HEAD = "# What this course has of the book: chapters, sections, exercises. `course use` writes this file.\n"


class NoPart(ValueError):
    """A word that names no part of the book, with the parts that there are."""


def words(root: Path) -> list[str]:
    """What `course.use` says; nothing where the course is the whole book."""
    path = root / FILE
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [word for line in lines for word in line.partition("#")[0].split()]


def write_words(root: Path, chosen: list[str]) -> None:
    """The course is what these words name; without words the whole book."""
    if chosen:
        write(root / FILE, _HEAD + "".join(f"{word}\n" for word in chosen))
    else:
        (root / FILE).unlink(missing_ok=True)


def parts(root: Path, chosen: list[str] | None = None) -> dict[Path, set[str] | None]:
    """The sources of the course in the book's order, each with the exercises that it has, None for all of them.
    Exercises on whose answers these build are among them. Raises NoPart."""
    there = sources(root)
    chosen = words(root) if chosen is None else chosen
    if not chosen:
        return dict.fromkeys(there)
    found: dict[Path, set[str] | None] = {}
    for word in chosen:
        for path, numbers in _named(there, word):
            before = found.get(path, set())
            found[path] = None if numbers is None or before is None else before | numbers
    return {path: found[path] and found[path] | used(read(path, lint=False), found[path]) for path in there if path in found}


def _named(there: list[Path], word: str) -> list[tuple[Path, set[str] | None]]:
    chapter = [path for path in there if path.parent.name == word or path.parent.name.partition("_")[0] == word]
    if chapter:
        return [(path, None) for path in chapter]
    for path in there:
        number = section_number(path.stem)
        if word == number:
            return [(path, None)]
        if word.startswith(f"{number}."):
            known = read(path, lint=False).exercises
            numbers = {n for n in known if re.fullmatch(re.escape(word) + "[a-z]?", n)}
            if numbers:
                return [(path, numbers)]
            raise NoPart(f"Section {number} has no exercise {word}. It has: {', '.join(known)}.")
    chapters = dict.fromkeys(path.parent.name for path in there)
    raise NoPart(f"The book has no part {word!r}. Name chapters ({', '.join(chapters)}), sections (like 2.1) or exercises "
                 "(like 2.1.3).")


def reduced(section: Section, numbers: set[str] | None) -> Section:
    """The section with its lesson, and of its exercises these alone."""
    if numbers is None:
        return section
    return replace(section, cells=[cell for cell in section.cells if not cell.number or cell.number in numbers])


def chapters(root: Path) -> list[str]:
    """The chapters of the course."""
    return list(_chapters(root, tuple(words(root)), tuple(sources(root))))


@lru_cache(maxsize=8)
def _chapters(root: Path, chosen: tuple[str, ...], there: tuple[Path, ...]) -> dict[str, None]:
    if not chosen:
        return dict.fromkeys(path.parent.name for path in there)
    return dict.fromkeys(path.parent.name for path in parts(root, list(chosen)))
