"""A chapter that changed after somebody handed in: the gradebook follows, and no mark is lost.

nbgrader refuses to add or remove cells of a chapter that has submissions. Here new cells get an empty row for each
submission, to be graded; cells that are gone are taken out, and what a person had marked there is kept in a file, from
which it comes back if the cell does. It is one transaction, after a copy of the gradebook.
"""
from __future__ import annotations

import csv
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import datetime
from pathlib import Path

import nbformat
from nbgrader import utils
from nbgrader.api import (Assignment, Comment, Grade, Gradebook, GradeCell, MissingEntry, Notebook, SolutionCell,
                          SourceCell, SubmittedNotebook)

from course.whole import whole

KEPT = "marks_taken_out.csv"
HEAD = ["chapter", "notebook", "cell", "student", "points", "extra", "comment"]


def follow(root: Path, chapter: str, url: str, course_id: str) -> list[str]:
    """Makes the gradebook's cells of a chapter those of .book/source/. Returns what was done, in sentences; nothing where
    nobody has handed in, or no cell is new or gone."""
    fresh = {path.stem: _cells(path) for path in sorted((root / ".book/source" / chapter).glob("*.ipynb"))}
    with Gradebook(url, course_id) as gradebook:
        try:
            assignment = gradebook.find_assignment(chapter)
        except MissingEntry:
            return []
        known = {notebook.name: _known_of(notebook) for notebook in assignment.notebooks}
        if not assignment.submissions or known == {name: set(cells) for name, cells in fresh.items()}:
            return []
        copy = _copy(root / "gradebook.db")
        with gradebook.db.no_autoflush:
            change = _Change(gradebook, assignment, read(root / KEPT))
            change.run(fresh)
        _write(root / KEPT, change.kept)        # before the commit: a mark may stand in two places, never in none
        gradebook.db.commit()
        count = len(assignment.submissions)
    if not change.new and not change.gone:
        return []                               # only the text between the exercises
    said = [f"{chapter} has {count} submission{'s' * (count != 1)} of the edition before."]
    for words, cells in (("New", change.new), ("Taken out", change.gone)):
        if cells:
            said.append(f"{words}: {', '.join(cells)}.")
    if change.saved:
        said.append(f"{change.saved} marks and comments of people on what was taken out are kept in {KEPT}.")
    if change.restored:
        said.append(f"{change.restored} marks and comments of people came back from {KEPT}.")
    return [*said, f"The gradebook as it was: {copy.name}. Grade again: `course autograde {chapter}`."]


def forget(unused: set[str], url: str, course_id: str) -> list[str]:
    """Takes chapters that the course does not use out of the gradebook. One with submissions or a due date stays there;
    reports and exports leave it out. Returns what stayed, in sentences."""
    said = []
    with Gradebook(url, course_id) as gradebook:
        for assignment in [a for a in gradebook.assignments if a.name in unused]:
            count = len(assignment.submissions)
            if count or assignment.duedate:
                why = f"{count} submission{'s' * (count != 1)}" if count else "a due date"
                said.append(f"{assignment.name} is not in use; the gradebook keeps it, as it has {why}.")
            else:
                gradebook.remove_assignment(assignment.name)
    return said


def _cells(path: Path) -> dict[tuple[str, str], dict]:
    """(kind, name) -> what the gradebook wants to know of each cell of a notebook."""
    found = {}
    for cell in nbformat.read(path, 4).cells:
        if "nbgrader" not in cell.metadata:
            continue
        facts = cell.metadata.nbgrader
        if utils.is_grade(cell):
            found["grade", facts.grade_id] = {"max_score": float(facts.points), "cell_type": cell.cell_type}
        if utils.is_solution(cell):
            found["solution", facts.grade_id] = {}
        found["source", facts.grade_id] = {"cell_type": cell.cell_type, "locked": utils.is_locked(cell), "source": cell.source}
    return found


_KINDS = {"grade": GradeCell, "solution": SolutionCell, "source": SourceCell}


def _known_of(notebook: Notebook) -> set[tuple[str, str]]:
    return {(kind, cell.name) for kind in _KINDS for cell in _those(notebook, kind)}


def _those(notebook: Notebook, kind: str) -> list:
    return list(getattr(notebook, f"{kind}_cells"))


class _Change:
    """The rows that come and go. `new` and `gone` are exercises' cells as people call them: "check 2.1.3"."""

    def __init__(self, gradebook: Gradebook, assignment: Assignment, kept: dict[tuple, list[str]]):
        self.db, self.assignment, self.kept = gradebook.db, assignment, kept
        self.new: list[str] = []
        self.gone: list[str] = []
        self.saved = self.restored = 0

    def run(self, fresh: dict[str, dict[tuple[str, str], dict]]) -> None:
        old = {notebook.name: notebook for notebook in self.assignment.notebooks}
        for name, notebook in old.items():
            there = fresh.get(name, {})
            for kind in _KINDS:
                self._remove([cell for cell in _those(notebook, kind) if (kind, cell.name) not in there], kind, notebook)
            if name not in fresh:
                for submitted in list(notebook.submissions):
                    self.db.delete(submitted)
                self.db.flush()
                self.db.delete(notebook)
        self.db.flush()
        self.db.expire_all()
        for name, cells in fresh.items():
            if name in old:
                self._add({key: facts for key, facts in cells.items() if key not in _known_of(old[name])}, old[name])
            else:
                notebook = Notebook(name=name, assignment=self.assignment)
                self.db.add(notebook)
                for submission in self.assignment.submissions:
                    self.db.add(SubmittedNotebook(notebook=notebook, assignment=submission))
                self.db.flush()
                self.db.refresh(notebook)
                self._add(cells, notebook)
        self.db.flush()

    def _remove(self, cells: list, kind: str, notebook: Notebook) -> None:
        rows = {"grade": Grade, "solution": Comment}.get(kind)
        for cell in cells:
            if kind == "grade":
                self.gone.append(_called(cell.name))
            if rows is not None:
                for row in self.db.query(rows).filter(rows.cell_id == cell.id):
                    self._keep(row, cell.name, notebook.name)
                    self.db.delete(row)
                self.db.flush()
            self.db.delete(cell)

    def _keep(self, row: Grade | Comment, cell: str, notebook: str) -> None:
        points = extra = comment = ""
        if isinstance(row, Grade):
            points = "" if row.manual_score is None else f"{row.manual_score:g}"
            extra = f"{row.extra_credit:g}" if row.extra_credit else ""
        else:
            comment = row.manual_comment or ""
        if points or extra or comment:
            self.saved += 1
            key = (self.assignment.name, notebook, cell, row.notebook.assignment.student_id)
            before = self.kept.get(key, ["", "", ""])
            self.kept[key] = [new or old for new, old in zip((points, extra, comment), before)]

    def _add(self, cells: dict[tuple[str, str], dict], notebook: Notebook) -> None:
        for (kind, name), facts in cells.items():
            cell = _KINDS[kind](name=name, notebook=notebook, **facts)
            self.db.add(cell)
            self.db.flush()
            if kind == "grade":
                self.new.append(_called(name))
            for submitted in notebook.submissions if kind != "source" else ():
                key = (self.assignment.name, notebook.name, name, submitted.assignment.student_id)
                points, extra, comment = self.kept.get(key, ["", "", ""])
                if kind == "grade":
                    row = Grade(cell_id=cell.id, notebook=submitted, needs_manual_grade=True,
                                manual_score=float(points) if points else None, extra_credit=float(extra) if extra else None)
                    self._restored(key, (0, 1), points or extra)
                else:
                    row = Comment(cell_id=cell.id, notebook=submitted, manual_comment=comment or None)
                    self._restored(key, (2,), comment)
                self.db.add(row)

    def _restored(self, key: tuple, places: Iterable[int], anything: str) -> None:
        if anything:
            self.restored += 1
            for i in places:
                self.kept[key][i] = ""
            if not any(self.kept[key]):
                del self.kept[key]


def _called(name: str) -> str:
    """ "check-2-1-3" -> "check 2.1.3"."""
    role, _, number = name.partition("-")
    return f"{role} {number.replace('-', '.')}"


def _copy(database: Path) -> Path:
    """A copy beside it, made by SQLite, so that it is whole also while others write."""
    when = datetime.now()
    to = database.with_name(f"{database.name}.before-{when:%Y-%m-%dT%H%M%S}")
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(to)) as target:
        source.backup(target)
    return to


def read(path: Path) -> dict[tuple, list[str]]:
    """(chapter, notebook, cell, student) -> points, extra, comment, as text."""
    if not path.exists():
        return {}
    with open(path, encoding="utf-8", newline="") as file:
        return {tuple(row[:4]): row[4:7] for row in csv.reader(file) if len(row) == len(HEAD) and row != HEAD}


def _write(path: Path, kept: dict[tuple, list[str]]) -> None:
    if not kept:
        path.unlink(missing_ok=True)
        return
    with whole(path) as part, open(part, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([HEAD, *([*key, *values] for key, values in sorted(kept.items()))])
