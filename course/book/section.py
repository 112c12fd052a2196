"""A section of the book as its text source has it: cells, exercises, and the mistakes that may be found in them."""
from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from d2l_utils.check.requirements import requirements

KINDS = ("code", "answer", "experiment", "break it", "explain")
TAGS = {
    "task": {"kind", "minutes", "difficulty", "core", "needs"},
    "exercise": {"uses"},
    "written": {"points"},
    "hints": set(),
    "check": {"points", "uses", "hidden_only"},
}
PLAIN_TAGS = {"teaches"}         # of cells outside exercises
MARKER = re.compile(r"^# %%(?:\s|$)")        # the first line of a cell
NUMBER = re.compile(r"[0-9A-Z]+(\.[0-9]+)*\.([0-9]+[a-z]?|[A-Z])$")     # 2.3.6, 2.3.6a; warm-ups 2.3.A
REGION = {
    "solution": ("### BEGIN SOLUTION", "### END SOLUTION"),
    "hidden": ("### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"),
}


@dataclass
class Problem:
    """One mistake in a source, with the place and the mend."""
    path: Path
    line: int
    what: str
    mend: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what} {self.mend}"


class SourceError(ValueError):
    """The source cannot be built. `problems` lists every mistake that was found."""

    def __init__(self, problems: list[Problem]):
        self.problems = problems
        super().__init__("\n".join(map(str, problems)))

    def __reduce__(self):           # a worker's comes back as it was
        return type(self), (self.problems,)


@dataclass
class Cell:
    """One cell of a source. `role` is prose, code, setup, demo, task, exercise, written, hints or check."""
    role: str
    source: str
    line: int                       # of its `# %%` marker, from 1
    number: str = ""                # the exercise, "" outside exercises
    meta: dict = field(default_factory=dict)

    @property
    def is_markdown(self) -> bool:
        return self.role in ("prose", "task", "written", "hints")

    def split(self, region: str) -> tuple[str, str, str]:
        """The source before, inside and after the first region of this kind ("solution", "hidden")."""
        begin, end = REGION[region]
        lines = self.source.split("\n")
        at = [i for i, line in enumerate(lines) if begin in line]
        to = [i for i, line in enumerate(lines) if end in line]
        if not at or not to:
            return self.source, "", ""
        return tuple("\n".join(part) for part in (lines[:at[0]], lines[at[0] + 1:to[0]], lines[to[0] + 1:]))


@dataclass
class Exercise:
    """The cells of one exercise; `answer`/`check` or `written` may be missing, not both."""
    number: str
    task: Cell | None = None
    answer: Cell | None = None
    written: Cell | None = None
    hints: Cell | None = None
    check: Cell | None = None

    @property
    def requirements(self) -> dict[str, str]:
        """The named bullets of its **You are done when**: name -> what holds."""
        return requirements(self.task.source) if self.task else {}

    @property
    def kind(self) -> str:
        return self.task.meta.get("kind", "code")

    @property
    def title(self) -> str:
        return self.task.source.lstrip("# ").split("\n", 1)[0].strip()

    @property
    def minutes(self) -> int:
        return self.task.meta.get("minutes", 0)

    @property
    def points(self) -> float:
        return sum(cell.meta.get("points", 0) for cell in (self.check, self.written) if cell)

    @property
    def hint_list(self) -> list[str]:
        """The hints in order, without their numbers."""
        if self.hints is None:
            return []
        parts = re.split(r"^\s*\d+\.\s+", self.hints.source, flags=re.MULTILINE)
        return [part.strip() for part in parts[1:]]


@dataclass
class Section:
    """One notebook of the book."""
    path: Path
    chapter: str                    # the folder, nbgrader's assignment: ch02_preliminaries
    name: str                       # the file's stem, nbgrader's notebook: 2_1_data_manipulation
    cells: list[Cell]

    @property
    def number(self) -> str:
        return section_number(self.name)

    @property
    def numbers(self) -> list[str]:
        """The section numbers of its exercises: ["2.1"], or ["A.2", "A.3"] where the title begins "A.2-A.3"."""
        return covered(self.number, self.title)

    @property
    def title(self) -> str:
        first = next((c.source for c in self.cells if c.role == "prose"), self.name)
        return first.split("\n", 1)[0].lstrip("# ").strip()

    @cached_property
    def exercises(self) -> dict[str, Exercise]:
        found: dict[str, Exercise] = {}
        for cell in self.cells:
            if cell.number:
                exercise = found.setdefault(cell.number, Exercise(cell.number))
                setattr(exercise, "answer" if cell.role == "exercise" else cell.role, cell)
        return found

    @cached_property
    def ids(self) -> list[str]:
        """The ids of its cells in the notebooks: those of exercises from the number, of others from the text."""
        ids, counts = [], {}
        for cell in self.cells:
            if cell.number:
                ids.append(grade_id(cell.role, cell.number))
                continue
            stem = f"{cell.role}-{hashlib.sha256(cell.source.encode()).hexdigest()[:8]}"
            counts[stem] = counts.get(stem, 0) + 1
            ids.append(stem if counts[stem] == 1 else f"{stem}-{counts[stem]}")
        return ids

    @property
    def new_form(self) -> bool:
        """Whether the tasks that a check tests state their requirements by name: at least one of them does."""
        return any(e.check and e.requirements for e in self.exercises.values())

    def setup(self) -> list[Cell]:
        return [cell for cell in self.cells if cell.role == "setup"]


def section_number(name: str) -> str:
    """"2.1" for 2_1_data_manipulation, "0" for 0_how_this_book_works."""
    return re.match(r"[0-9A-Z]+(?:_[0-9]+)*", name).group().replace("_", ".")


def used(section: Section, numbers: set[str]) -> set[str]:
    """The exercises that the answers and checks of `numbers` say they use, and those that these use."""
    found: set[str] = set()
    todo = list(numbers)
    while todo:
        exercise = section.exercises[todo.pop()]
        texts = [str(cell.meta.get("uses", "")) for cell in (exercise.answer, exercise.check) if cell]
        named = {n.strip() for text in texts for n in text.split(",")} - {""} - found
        found |= named
        todo += named
    return found


Answer = TypeVar("Answer")       # a variant or a mutant: what has the `number` of its exercise


def rounds(section: Section, made: Iterable[Answer]) -> list[dict[str, Answer]]:
    """One of the answers in `made` for every exercise at a time, by number, until all had their turn; but in no round one
    whose exercise is built on that of another one in it, which would answer for the other's faults."""
    left: dict[str, list[Answer]] = {}
    for one in made:
        left.setdefault(one.number, []).append(one)
    uses = {number: used(section, {number}) for number in left}
    found = []
    while left:
        chosen: dict[str, Answer] = {}
        for number in sorted(left, key=lambda number: len(left[number]), reverse=True):
            if not any(other in uses[number] or number in uses[other] for other in chosen):
                chosen[number] = left[number].pop(0)
                if not left[number]:
                    del left[number]
        found.append(chosen)
    return found


def grade_id(role: str, number: str) -> str:
    """nbgrader's id of a cell: ("check", "2.3.6a") -> "check-2-3-6a"."""
    return f"{'answer' if role == 'exercise' else role}-{number.replace('.', '-')}"


def covered(number: str, title: str) -> list[str]:
    """The numbers from `number` to the one that the title names after a hyphen; `number` alone where it names none."""
    chapter, _, first = number.rpartition(".")
    last = re.match(rf"{re.escape(number)}-{re.escape(chapter)}\.(\d+)\b", title)
    return [f"{chapter}.{n}" for n in range(int(first), int(last.group(1)) + 1)] if last else [number]
