"""Marking written answers: one exercise across the class, its rubric, and what a person decides, saved in the gradebook.

Formgrader shows one notebook of one student at a time and knows neither rubric nor model answer, which stand in the
instructor's edition only; its page is a template over the graded notebook and offers no place for either, nor for a way
through one exercise. So the page is ours (course.grading.markpage), and the record stays nbgrader's: a mark given
here is a manual score and a comment there, and the other way round.
"""
from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook, MissingEntry

from course.book.section import grade_id
from course.engine.notebook import number_of, role
from course.grading.marks import opened, read

_LINE = re.compile(r"^- \[(\d+(?:\.\d+)?)\] (.*)$")


@dataclass
class Line:
    """One line of a rubric."""
    points: float
    text: str

    @property
    def claim(self) -> str:
        """What a comment says of it: the claim, without what else is accepted and what loses it."""
        return self.text.split(";", 1)[0].strip().rstrip(".")


@dataclass
class Question:
    """A written exercise."""
    number: str
    title: str
    chapter: str
    notebook: str
    task: str               # Markdown
    model: str
    rubric: list[Line]
    out_of: float


@dataclass
class Answer:
    """What one student wrote, and the mark so far."""
    student: str
    words: str
    attachments: dict
    checked: str            # what the check of the same exercise said, "" where there is none
    points: float | None    # a person's
    comment: str
    waits: bool
    version: str            # of the mark: saving says which one it replaces


class Conflict(RuntimeError):
    """Somebody else marked the same answer in the meantime."""


class NoAnswer(LookupError):
    """An exercise or a student that is not there."""


def questions(root: Path) -> dict[str, Question]:
    """The written exercises of the built book, in its order."""
    from course.grading.results import number_order
    found = {}
    for path in sorted((root / ".book/source").glob("*/*.ipynb")):
        tasks = {}
        for cell in _cells(path, path.stat().st_mtime):
            if cell.id.startswith("task-"):
                tasks[cell.id.removeprefix("task-").replace("-", ".")] = cell.source
            elif role(cell) == "written":
                number = number_of(cell)
                head, _, task = tasks.get(number, "").partition("\n")
                model, rubric = parse(cell.source)
                found[number] = Question(number, head.lstrip("# ").removeprefix("Exercise ").strip() or number,
                                         path.parent.name, path.stem, task, model, rubric, float(cell.metadata.nbgrader.points))
    return {number: found[number] for number in sorted(found, key=number_order)}


@lru_cache(maxsize=256)
def _cells(path: Path, stamp: float) -> list:
    return nbformat.read(path, 4).cells


def parse(source: str) -> tuple[str, list[Line]]:
    """A written cell of the instructor's edition: the model answer, and the lines of the rubric."""
    text = "\n".join(line for line in source.split("\n") if "### BEGIN" not in line and "### END" not in line)
    model, _, rubric = text.partition("**Rubric**")
    lines = [Line(float(found.group(1)), found.group(2)) for line in rubric.split("\n") if (found := _LINE.match(line))]
    return model.strip(), lines


class Desk:
    """The answers of a class to its written exercises. One for a process; opens the gradebook anew for each question, so
    that what others save is seen."""

    def __init__(self, root: Path):
        self.root, self.questions = root, questions(root)

    def counts(self) -> dict[str, tuple[int, int]]:
        """number -> (answers that wait, answers handed in)."""
        found = {number: [0, 0] for number in self.questions}
        with opened(self.root) as gradebook:
            for (student, chapter, name), marks in read(gradebook).items():
                if not self._graded(student, chapter, name).exists():
                    continue
                for cell, mark in marks.cells.items():
                    kind, _, number = cell.partition("-")
                    number = number.replace("-", ".")
                    if kind == "written" and number in found:
                        found[number][0] += mark.waits
                        found[number][1] += 1
        return {number: tuple(those) for number, those in found.items()}

    def students(self, number: str) -> list[tuple[str, bool]]:
        """Who handed in this exercise, and whether their answer waits; in an order that says nothing of the names."""
        import hashlib

        question = self.question(number)
        cell = grade_id("written", number)
        with opened(self.root) as gradebook:
            found = [(student, marks.cells[cell].waits) for (student, chapter, name), marks
                     in read(gradebook, [question.chapter]).items() if name == question.notebook and cell in marks.cells
                     and self._graded(student, chapter, name).exists()]
        return sorted(found, key=lambda pair: hashlib.sha256(f"{number} {pair[0]}".encode()).digest())

    def question(self, number: str) -> Question:
        if number not in self.questions:
            raise NoAnswer(f"There is no written exercise {number!r}.")
        return self.questions[number]

    def answer(self, number: str, student: str) -> Answer:
        question = self.question(number)
        path = self._graded(student, question.chapter, question.notebook)
        with opened(self.root) as gradebook:
            grade, comment = self._record(gradebook, question, student)
            try:
                notebook = nbformat.read(path, 4)
            except (OSError, ValueError) as error:
                raise NoAnswer(f"{path} cannot be read ({type(error).__name__}). Grade it again.") from error
            cell = next((c for c in notebook.cells if c.id == grade_id("written", number)), None)
            record = notebook.metadata.get("course", {}).get("graded", {})
            said = next((f"{v['points']:g} of {v['out_of']:g} points by the check: {v['state']}. {v['message']}".strip()
                         for v in record.get("verdicts", []) if v["number"] == number), "")
            return Answer(student, cell.source if cell else "", cell.get("attachments", {}) if cell else {}, said,
                          grade.manual_score, comment.manual_comment or "", bool(grade.needs_manual_grade),
                          _version(grade, comment))

    def save(self, number: str, student: str, points: float, comment: str, version: str) -> Answer:
        """Gives a mark. Raises ValueError for points that the exercise does not have, Conflict where the mark is not
        the one of `version` any more."""
        question = self.question(number)
        if not 0 <= points <= question.out_of:
            raise ValueError(f"{number} has 0 to {question.out_of:g} points, not {points:g}.")
        with opened(self.root) as gradebook:
            grade, note = self._record(gradebook, question, student)
            if _version(grade, note) != version:
                raise Conflict(f"Somebody else marked this answer meanwhile ({grade.manual_score:g} points). Look at it "
                               "before you save yours." if grade.manual_score is not None else
                               "The mark was taken back meanwhile. Look at it again before you save yours.")
            grade.manual_score, grade.needs_manual_grade = points, False
            note.manual_comment = comment.strip() or None
            gradebook.db.commit()
        return self.answer(number, student)

    def _record(self, gradebook: Gradebook, question: Question, student: str):
        cell = grade_id("written", question.number)
        try:
            return (gradebook.find_grade(cell, question.notebook, question.chapter, student),
                    gradebook.find_comment(cell, question.notebook, question.chapter, student))
        except MissingEntry:
            raise NoAnswer(f"{student!r} has handed in no {question.number}.") from None

    def _graded(self, student: str, chapter: str, name: str) -> Path:
        return self.root / "autograded" / student / chapter / f"{name}.ipynb"


def _version(grade, comment) -> str:
    return json.dumps([grade.manual_score, bool(grade.needs_manual_grade), comment.manual_comment])
