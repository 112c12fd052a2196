"""`course concepts` in lines of 80 columns: what is taught where, needed where, never needed, promised."""
from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from course.book.concepts import Place, Vocabulary, key
from course.book.outline import Outline
from course.book.section import Problem

WIDTH = 80


def book(words: Vocabulary) -> Iterable[str]:
    """The whole book: each section with its ideas and who needs them, then what is not in order."""
    for outline in words.outlines:
        if outline.new_form:
            yield outline.title
            for idea in _own(outline):
                needed = ", ".join(place.spot.number for place in words.needed.get(key(idea), ()))
                yield from _entry(idea, f"needed by {needed}" if needed else "never needed")
    yield from _list("Taught and never needed", words.unneeded)
    yield from _list("Promised (solutions/ideas.toml)", [
        f"{idea} by {section}, for {', '.join(p.spot.number for p in words.needed.get(key(idea), ())) or 'nobody yet'}"
        for idea, section in words.promised.items()])
    yield from _list("Tasks that say no needs, in rewritten sections", [
        spot.number for o in words.outlines if o.new_form for spot in o.spots if spot.number and not spot.needs])
    yield from _list("Sections of the old form, which say neither", [o.number for o in words.old_form])


def section(words: Vocabulary, outline: Outline, only: str = "") -> Iterable[str]:
    """One section cell by cell, or one exercise of it: what it teaches with the line, what its tasks need and from where."""
    i = words.outlines.index(outline)
    yield outline.title + ("" if outline.new_form else " (old form: it says neither what it teaches nor what it needs)")
    for j, spot in enumerate(outline.spots):
        if only and spot.number != only:
            continue
        for idea in spot.teaches:
            yield from _entry(idea, f"taught, line {spot.line}")
        if spot.number:
            yield f"  {spot.number} {spot.title}"
        for idea in spot.needs:
            place = words.teacher(key(idea), Place(outline, spot, (i, j)))
            promise = words.promise(key(idea))
            yield from _entry(f"  {idea}", f"from {place.where}" if place else
                              f"promised by {promise}" if promise else "NOT TAUGHT ABOVE")


def idea(words: Vocabulary, name: str) -> Iterable[str]:
    """One idea: where it is taught and needed."""
    k = key(name)
    yield words.name(k)
    for place in words.taught.get(k, ()):
        yield f"  taught in {place.where}"
    if promise := words.promise(k):
        yield f"  promised by {promise}"
    for place in words.needed.get(k, ()):
        yield f"  needed by {place.spot.number} {place.spot.title} ({place.outline.path.name}:{place.spot.line})"


def mistakes(problems: list[Problem], root: Path) -> Iterable[str]:
    """What is wrong, with paths from the book's root."""
    for problem in problems:
        path = problem.path.relative_to(root) if problem.path.is_relative_to(root) else problem.path
        yield ""
        yield from textwrap.wrap(str(replace(problem, path=path)), WIDTH, subsequent_indent="  ", break_long_words=False,
                                 break_on_hyphens=False)


def _own(outline: Outline) -> list[str]:
    return list(dict.fromkeys(idea for spot in outline.spots for idea in spot.teaches))


def _entry(left: str, right: str) -> Iterable[str]:
    """Two columns; the right one is wrapped below itself."""
    lines = textwrap.wrap(right, WIDTH - 38) or [""]
    first = f"  {left:34}  {lines[0]}" if len(left) <= 34 else f"  {left}\n{'':38}{lines[0]}"
    yield from first.split("\n")
    yield from (f"{'':38}{line}" for line in lines[1:])


def _list(head: str, items: list[str]) -> Iterable[str]:
    if items:
        yield ""
        yield from textwrap.wrap(f"{head} ({len(items)}): {'; '.join(items)}.", WIDTH, subsequent_indent="  ",
                                 break_long_words=False, break_on_hyphens=False)
