"""What the gradebook holds of submissions, read with few queries: the engine's points, a person's, what waits for one.

nbgrader's own properties ask the database for each cell of each student; a class of two hundred has half a million.
"""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import (Assignment, BaseCell, Comment, Grade, GradeCell, Gradebook, Notebook, SubmittedAssignment,
                          SubmittedNotebook)

from course.book.release import config


def opened(root: Path) -> Gradebook:
    """The course's gradebook, to use with `with`."""
    from nbgrader.coursedir import CourseDirectory
    coursedir = CourseDirectory(config=config(root))
    return Gradebook(coursedir.db_url, coursedir.course_id)


@dataclass
class Mark:
    """One graded cell: a check or a written answer."""
    score: float            # 0.0 while it waits
    out_of: float
    waits: bool             # for a person: nobody has marked it yet
    by_hand: bool           # a person's points count
    comment: str = ""       # a person's, "" for none


@dataclass
class Marks:
    """One notebook of one student."""
    cells: dict[str, Mark] = field(default_factory=dict)        # by grade_id: check-2-1-1, written-2-1-3
    comments: dict[str, str] = field(default_factory=dict)      # a person's, by grade_id of the answer

    @property
    def score(self) -> float:
        return sum(mark.score for mark in self.cells.values())

    @property
    def out_of(self) -> float:
        return sum(mark.out_of for mark in self.cells.values())

    @property
    def waiting(self) -> list[str]:
        """The cells that wait for a person."""
        return [name for name, mark in self.cells.items() if mark.waits]


def read(gradebook: Gradebook, chapters: Iterable[str] | None = None,
         student: str | None = None) -> dict[tuple[str, str, str], Marks]:
    """(student, chapter, notebook) -> what is recorded; of the chapters and the student named, or of all."""
    found: dict[tuple[str, str, str], Marks] = defaultdict(Marks)
    columns = (SubmittedAssignment.student_id, Assignment.name, Notebook.name)

    def rows(record, *wanted):
        query = (gradebook.db.query(*columns, BaseCell.name, *wanted).select_from(record)
                 .join(BaseCell, record.cell_id == BaseCell.id)
                 .join(SubmittedNotebook, record.notebook_id == SubmittedNotebook.id)
                 .join(Notebook, SubmittedNotebook.notebook_id == Notebook.id)
                 .join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
                 .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id))
        if chapters is not None:
            query = query.filter(Assignment.name.in_(list(chapters)))
        return query.filter(SubmittedAssignment.student_id == student) if student else query
    possible = dict(gradebook.db.query(GradeCell.id, GradeCell.max_score))
    for *key, name, cell, auto, manual, extra, needs in rows(
            Grade, Grade.cell_id, Grade.auto_score, Grade.manual_score, Grade.extra_credit, Grade.needs_manual_grade):
        given = auto if manual is None else manual
        found[tuple(key)].cells[name] = Mark((given or 0.0) + (extra or 0.0), possible.get(cell, 0.0),
                                             bool(needs) and manual is None, manual is not None)
    for *key, name, comment in rows(Comment, Comment.manual_comment):
        if comment and tuple(key) in found:
            found[tuple(key)].comments[name] = comment
    return dict(found)
