"""Reads a section's text source: solutions/<chapter>/<section>.py, jupytext's percent format with compact tags.

    # %% tags=["setup"]                              locked, runs for the student and for the tests
    # %% [markdown] task="2.3.6" kind="code" minutes=5 difficulty=2 core=true
    # %% exercise="2.3.6"                            the answer, with ### BEGIN SOLUTION ... ### END SOLUTION
    # %% [markdown] written="2.3.1" points=3         an answer in words: model answer and rubric in the region
    # %% [markdown] hints="2.3.6"                    one to three, numbered
    # %% check="2.3.6" points=2                      visible part, then ### BEGIN HIDDEN TESTS
    # %% tags=["demo"]                               a demonstration: grading runs its imports and definitions

Any other code cell is worked code, any other Markdown cell is prose.
"""
from __future__ import annotations

from pathlib import Path

import jupytext

from course.book.lint import lint_section
from course.book.requirements import lint_requirements
from course.book.section import MARKER, NUMBER, PLAIN_TAGS, TAGS, Cell, Problem, Section, SourceError


def read(path: Path, *, lint: bool = True) -> Section:
    """The section in `path`. Raises SourceError, which names every mistake with file, line and mend."""
    text = path.read_text(encoding="utf-8")
    starts = [i for i, line in enumerate(text.split("\n"), 1) if MARKER.match(line)]
    notebook = jupytext.reads(text, fmt="py:percent")
    if len(starts) != len(notebook.cells):
        where = 1 if not starts else starts[0]
        raise SourceError([Problem(path, where, f"{len(notebook.cells)} cells, but {len(starts)} lines `# %%`.",
                                   "Put `# %%` before the first cell, and nothing above it.")])
    problems: list[Problem] = []
    cells = []
    unread = any("incorrectly_encoded_metadata" in node.metadata for node in notebook.cells)
    for line, node in zip(starts, notebook.cells):
        meta = {k: v for k, v in node.metadata.items() if k != "lines_to_next_cell"}
        cells.append(_cell(path, line, node, meta, problems))
    section = Section(path, path.parent.name, path.stem, cells)
    if lint and not unread:             # what follows from a line that cannot be read is no news
        problems += lint_section(section) + lint_requirements(section)
    if problems:
        raise SourceError(sorted(problems, key=lambda p: p.line))
    return section


def _cell(path: Path, line: int, node, meta: dict, problems: list[Problem]) -> Cell:
    def problem(what: str, mend: str) -> None:
        problems.append(Problem(path, line, what, mend))

    wrong = meta.pop("incorrectly_encoded_metadata", "")
    if wrong:           # jupytext could not read the rest of the line
        first = str(wrong).split()[0]
        name, _, value = first.partition("=")
        problem(f"the cell's line cannot be read at {first}.", f'Text stands in quotes: {name}="{value}".')
        return Cell("markdown" if node.cell_type == "markdown" else "code", node.source, line)
    roles = [tag for tag in TAGS if tag in meta]
    tags = meta.pop("tags", [])
    markdown = node.cell_type == "markdown"
    if len(roles) > 1:
        problem(f"one cell is tagged {' and '.join(roles)}.", "Make a cell of each.")
    if not roles:
        for key in sorted(set(meta) - PLAIN_TAGS):
            problem(f"unknown tag {key!r}.", f"The tags are {', '.join(TAGS)}, and tags=[\"setup\"] or [\"demo\"].")
        unknown = [tag for tag in tags if tag not in ("setup", "demo")]
        if unknown:
            problem(f"unknown cell tag {unknown[0]!r}.", 'Use tags=["setup"] or tags=["demo"].')
        role = "prose" if markdown else next((tag for tag in tags if tag in ("setup", "demo")), "code")
        return Cell(role, node.source, line, meta=meta)
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
    return sorted((root / "solutions").glob("*/*.py"), key=lambda p: (p.parent.name, order(p.stem)))


def order(stem: str) -> list:
    """A key that sorts the stems of files by their numbers."""
    return [(0, int(part)) if part.isdigit() else (1, part) for part in stem.split("_")]
