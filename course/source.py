"""Reads a section's text source: solutions/<chapter>/<section>.py, jupytext's percent format with compact tags.

    # %% tags=["setup"]                              locked, runs for the student and for the tests
    # %% [markdown] task="2.3.6" kind="code" minutes=5 difficulty=2 core=true
    # %% exercise="2.3.6"                            the answer, with ### BEGIN SOLUTION ... ### END SOLUTION
    # %% [markdown] written="2.3.1" points=3         an answer in words: model answer and rubric in the region
    # %% [markdown] hints="2.3.6"                    one to three, numbered
    # %% check="2.3.6" points=2                      visible part, then ### BEGIN HIDDEN TESTS
    # %% tags=["demo"]                               a demonstration that grading skips

Any other code cell is worked code, any other Markdown cell is prose.
"""
from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import jupytext

KINDS = ("code", "answer", "experiment", "break it", "explain")
TAGS = {
    "task": {"kind", "minutes", "difficulty", "core"},
    "exercise": {"uses"},
    "written": {"points"},
    "hints": set(),
    "check": {"points", "uses"},
}
NUMBER = re.compile(r"[0-9A-Z]+(\.[0-9]+)+[a-z]?$")
REGION = {
    "solution": ("### BEGIN SOLUTION", "### END SOLUTION"),
    "hidden": ("### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"),
}
_MARKER = re.compile(r"^# %%(?:\s|$)")


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
        """"2.1" for 2_1_data_manipulation, "0" for 0_how_this_book_works."""
        return ".".join(re.match(r"([0-9A-Z]+(?:_[0-9]+)*)", self.name).group(1).split("_"))

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

    def setup(self) -> list[Cell]:
        return [cell for cell in self.cells if cell.role == "setup"]


def covered(number: str, title: str) -> list[str]:
    """The numbers from `number` to the one that the title names after a hyphen; `number` alone where it names none."""
    chapter, _, first = number.rpartition(".")
    last = re.match(rf"{re.escape(number)}-{re.escape(chapter)}\.(\d+)\b", title)
    return [f"{chapter}.{n}" for n in range(int(first), int(last.group(1)) + 1)] if last else [number]


def read(path: Path, *, lint: bool = True) -> Section:
    """The section in `path`. Raises SourceError, which names every mistake with file, line and mend."""
    text = path.read_text(encoding="utf-8")
    starts = [i for i, line in enumerate(text.split("\n"), 1) if _MARKER.match(line)]
    notebook = jupytext.reads(text, fmt="py:percent")
    if len(starts) != len(notebook.cells):
        where = 1 if not starts else starts[0]
        raise SourceError([Problem(path, where, f"{len(notebook.cells)} cells, but {len(starts)} lines `# %%`.",
                                   "Put `# %%` before the first cell, and nothing above it.")])
    problems: list[Problem] = []
    cells = []
    for line, node in zip(starts, notebook.cells):
        meta = {k: v for k, v in node.metadata.items() if k != "lines_to_next_cell"}
        cells.append(_cell(path, line, node, meta, problems))
    section = Section(path, path.parent.name, path.stem, cells)
    if lint:
        from course.lint import lint_section
        problems += lint_section(section)
    if problems:
        raise SourceError(sorted(problems, key=lambda p: p.line))
    return section


def _cell(path: Path, line: int, node, meta: dict, problems: list[Problem]) -> Cell:
    def problem(what: str, mend: str) -> None:
        problems.append(Problem(path, line, what, mend))

    roles = [tag for tag in TAGS if tag in meta]
    tags = meta.pop("tags", [])
    markdown = node.cell_type == "markdown"
    if len(roles) > 1:
        problem(f"one cell is tagged {' and '.join(roles)}.", "Make a cell of each.")
    if not roles:
        for key in meta:
            problem(f"unknown tag {key!r}.", f"The tags are {', '.join(TAGS)}, and tags=[\"setup\"] or [\"demo\"].")
        unknown = [tag for tag in tags if tag not in ("setup", "demo")]
        if unknown:
            problem(f"unknown cell tag {unknown[0]!r}.", 'Use tags=["setup"] or tags=["demo"].')
        role = "prose" if markdown else next((tag for tag in tags if tag in ("setup", "demo")), "code")
        return Cell(role, node.source, line)
    role = roles[0]
    number = str(meta.pop(role))
    if not NUMBER.match(number):
        problem(f"{role}={number!r} is no exercise number.", 'Write it as in the catalogue: "2.3.6", "3.1.4a", "A.2.1".')
    for key in sorted({"minutes", "difficulty", "points"} & set(meta)):
        if isinstance(meta[key], bool) or not isinstance(meta[key], (int, float)):
            problem(f"{role} {number}: {key}={meta[key]!r} is no number.", f"Write {key}=1, without quotes.")
            meta[key] = 1       # so that the other checks can go on
    for key in sorted(set(meta) - TAGS[role]):
        problem(f"{role} {number}: unknown tag {key!r}.", f"Known here: {', '.join(sorted(TAGS[role])) or 'none'}.")
    if markdown != (role in ("task", "written", "hints")):
        problem(f"{role} {number} is a {node.cell_type} cell.",
                "Tasks, hints and written answers are `# %% [markdown]`, exercises and checks are code.")
    return Cell(role, node.source, line, number, meta)


def sources(root: Path) -> list[Path]:
    """Every section's source below root/solutions, in the book's order."""
    return sorted((root / "solutions").glob("*/*.py"), key=lambda p: (p.parent.name, _order(p.stem)))


def _order(stem: str) -> list:
    return [(0, int(part)) if part.isdigit() else (1, part) for part in stem.split("_")]
