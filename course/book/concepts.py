"""The book's vocabulary: which cell teaches an idea, which task needs it, in reading order.

A need that nothing before it teaches is a mistake; so is an idea in two spellings. Sections that say neither what they
teach nor what they need (the old form) are left out; solutions/ideas.toml promises ideas that they will teach.
"""
from __future__ import annotations

import difflib
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from course.book.outline import Outline, Spot, outlines
from course.book.section import Problem, Section
from course.book.source import order

PROMISES = Path("solutions/ideas.toml")
MEND = 'Teach it in a cell above (teaches="{0}"), or correct the task.'
PROMISE = ' If a section of the old form will teach it, promise it in solutions/ideas.toml.'


@dataclass
class Place:
    """A cell that teaches, or a task that needs, by its place in the reading order."""
    outline: Outline
    spot: Spot
    at: tuple[int, int]             # the section, the cell

    @property
    def where(self) -> str:
        return f"{self.outline.number}, {self.outline.path.name}:{self.spot.line}"


@dataclass
class Link:
    """An idea that a task stands on, where it is taught: `href` from the task's notebook, "" where nowhere yet."""
    idea: str
    section: str
    href: str

    @property
    def markdown(self) -> str:
        idea = escape(self.idea)
        return f"{f'[{idea}]({self.href})' if self.href else idea} ({self.section})"


@dataclass
class Vocabulary:
    """What the whole book teaches and needs. The keys of `taught` and `needed` are ideas in one spelling (`key`)."""
    outlines: list[Outline]
    promised: dict[str, str]                                    # idea -> the section that will teach it
    promises: Path = PROMISES
    taught: dict[str, list[Place]] = field(default_factory=lambda: defaultdict(list))
    needed: dict[str, list[Place]] = field(default_factory=lambda: defaultdict(list))
    spelt: dict[str, dict[str, list[Place]]] = field(default_factory=lambda: defaultdict(dict))

    def __post_init__(self):
        for i, outline in enumerate(self.outlines):
            for j, spot in enumerate(outline.spots):
                for names, found in ((spot.teaches, self.taught), (spot.needs, self.needed)):
                    for idea in names:
                        place = Place(outline, spot, (i, j))
                        found[key(idea)].append(place)
                        self.spelt[key(idea)].setdefault(idea, []).append(place)

    def of(self, paths: Iterable[Path]) -> Vocabulary:
        """The vocabulary of these sources alone: a course that is a part of the book."""
        chosen = set(paths)
        if chosen >= {outline.path for outline in self.outlines}:
            return self
        return Vocabulary([outline for outline in self.outlines if outline.path in chosen], self.promised, self.promises)

    @property
    def old_form(self) -> list[Outline]:
        return [outline for outline in self.outlines if not outline.new_form]

    @property
    def unneeded(self) -> list[str]:
        """Ideas that are taught and that no task needs."""
        return [self.name(k) for k in self.taught if k not in self.needed]

    def name(self, k: str) -> str:
        """The idea as it is spelt where it is taught first, or else where it first stands."""
        places = self.taught.get(k) or self.needed.get(k)
        return next(idea for idea, where in self.spelt[k].items() if places[0] in where)

    def teacher(self, k: str, before: Place) -> Place | None:
        """Where the last section that teaches the idea before this task begins to."""
        earlier = [place for place in self.taught.get(k, ()) if place.at < before.at]
        return next((place for place in earlier if place.outline is earlier[-1].outline), None)

    def lessons(self, k: str) -> list[Place]:
        """Where each section that teaches the idea begins to."""
        return list({place.at[0]: place for place in reversed(self.taught.get(k, ()))}.values())[::-1]

    def promise(self, k: str) -> str:
        """The number of the section that will teach the idea, "" where none is said to."""
        return next((section for idea, section in self.promised.items() if key(idea) == k), "")

    def builds_on(self, section: Section, number: str) -> list[Link]:
        """What a task stands on, with links that lead to it from its section's notebook."""
        i, outline = next((i, o) for i, o in enumerate(self.outlines) if o.path == section.path)
        j, spot = next((j, s) for j, s in enumerate(outline.spots) if s.number == number)
        links = []
        for idea in spot.needs:
            place = self.teacher(key(idea), Place(outline, spot, (i, j)))
            if place:
                links.append(Link(idea, place.outline.number, href(outline.chapter, place)))
            elif promise := self.promise(key(idea)):
                links.append(Link(idea, promise, ""))
        return links

    def problems(self, chapters: list[str] | None = None) -> list[Problem]:
        """Every mistake, or those of some chapters and of the promises."""
        found = [*self._unmet(), *self._spellings()]
        if chapters:
            found = [problem for problem in found if problem.path.parent.name in chapters]
        at = {outline.path: i for i, outline in enumerate(self.outlines)}
        return sorted(found, key=lambda p: (at[p.path], p.line)) + list(self._broken_promises())

    def _unmet(self):
        for k, tasks in self.needed.items():
            for task in tasks:
                promise = self.promise(k)
                if self.teacher(k, task) or promise and not _later(promise, task.outline.number):
                    continue
                idea = next(idea for idea in task.spot.needs if key(idea) == k)
                after = self.taught.get(k)
                if after:
                    where = (f"only below it, in line {after[0].spot.line}" if after[0].outline is task.outline
                             else f"only later ({after[0].where})")
                    what = f"which is taught {where}."
                elif promise:
                    what = f"which {promises_name(self.promises)} promises for {promise}, later in the book."
                else:
                    what = f"which nothing before it teaches.{self._like(k)}"
                yield Problem(task.outline.path, task.spot.line, f"exercise {task.spot.number} needs {idea!r}, {what}",
                              MEND.format(idea) + PROMISE * bool(self.old_form and not after and not promise))

    def _like(self, k: str) -> str:
        near = difflib.get_close_matches(k, list(self.taught), 1, 0.75)
        return f" Is it {self.name(near[0])!r} ({self.taught[near[0]][0].where})?" if near else ""

    def _spellings(self):
        for k, names in self.spelt.items():
            good = self.name(k)
            for idea, places in names.items():
                for place in places if idea != good else ():
                    yield Problem(place.outline.path, place.spot.line, f"{idea!r} is spelt {good!r} elsewhere.",
                                  f"Write {good!r} here too, or change it everywhere.")

    def _broken_promises(self):
        lines = self.promises.read_text(encoding="utf-8").splitlines() if self.promised else []
        for idea, section in self.promised.items():
            line = next((i for i, text in enumerate(lines, 1) if text.lstrip("\"' ").startswith(idea)), 1)
            teacher = next((o for o in self.outlines if o.number == section), None)
            if places := self.taught.get(key(idea)):
                yield Problem(self.promises, line, f"{idea!r} is promised, and taught by now ({places[0].where}).",
                              "Take this line out.")
            elif teacher and teacher.new_form:
                yield Problem(self.promises, line, f"{idea!r} is promised for {section}, which is rewritten and does not "
                              "teach it.", f'Give a cell there teaches="{idea}", or promise it for another section.')


def vocabulary(root: Path, known: list[Section] | None = None) -> Vocabulary:
    """The vocabulary of the book in `root`. `known` are sections that were read already. Raises SourceError."""
    path = root / PROMISES
    promised = tomllib.loads(path.read_text(encoding="utf-8")).get("promised", {}) if path.exists() else {}
    return Vocabulary(outlines(root, known), promised, path)


def key(idea: str) -> str:
    """One spelling for the ways to write an idea: capitals, hyphens, articles, plurals, -isation and -ization."""
    words = re.sub(r"[-_‐–]", " ", idea.lower()).split()
    words = words[1:] if words[1:] and words[0] in ("a", "an", "the") else words
    return "".join(_singular(word).replace("isation", "ization") for word in words)


def _singular(word: str) -> str:
    if len(word) < 4 or word.endswith(("ss", "us", "is", "as")):
        return word
    return re.sub(r"(?<=ss|ch|sh|.x|as)es$|ies$|s$", lambda m: "y" if m[0] == "ies" else "", word)


def href(chapter: str, place: Place) -> str:
    """From a notebook of `chapter` to the place: the nearest heading above it, or the cell where a task stands between.

    JupyterLab follows `#cell-id=...` into another notebook, whatever of it is on the screen, and nbconvert's pages have
    the same anchors; the anchor of a heading is lost with a formula in it.
    """
    to = place.outline
    folder = "" if to.chapter == chapter else f"../{to.chapter}/"
    return f"{folder}{to.name}.ipynb#cell-id={anchor(place)}"


def anchor(place: Place) -> str:
    """The id of the cell to which a link to this place leads."""
    for spot in reversed(place.outline.spots[:place.at[1] + 1]):
        if spot.number:
            break
        if spot.heading:
            return spot.id
    return place.spot.id


def escape(text: str) -> str:
    """An idea as a link's text in Markdown."""
    return re.sub(r"([\\`*_\[\]<>$|])", r"\\\1", text)


def promises_name(path: Path) -> str:
    return "/".join(path.parts[-2:])


def _later(one: str, other: str) -> bool:
    """Whether section `one` stands after section `other`."""
    return order(one.replace(".", "_")) > order(other.replace(".", "_"))
