"""The reference answer to an exercise, and the other right ones, for a learner who has passed or asks twice."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from course.learner.grader import RIGHT, WORDS, CannotGrade, Grader
from course.learner.progress import OPEN, Exercise, Page
from course.learner.progress import RIGHT as CHECKED
from course.learner.progress import WRITTEN
from course.book.section import SourceError
from course.book.source import read
from course.book.variants import variants


@dataclass
class Solution:
    """What the book answers: `code` and `words` may be "", `others` are (how, code)."""
    number: str
    title: str
    code: str
    words: str
    others: list[tuple[str, str]]


def solution(root: Path, page: Page, number: str) -> Solution:
    """The book's answers. Raises CannotGrade where this copy of the book holds none."""
    source = root / "solutions" / Path(page.path).with_suffix(".py")
    if not source.exists():
        raise CannotGrade(f"This copy of the book holds no solutions (no {source.name} in solutions/).")
    try:
        section = read(source, lint=False)
        found = section.exercises[number]
        others = [(v.name, v.source) for v in variants(root, section) if v.number == number and v.right]
    except (SourceError, KeyError) as error:
        raise CannotGrade(f"solutions/ and notebooks/ are not of the same edition ({error}). Run `course build`.") from error
    return Solution(number, found.title, _answer(found.answer), _answer(found.written), others)


def _answer(cell) -> str:
    """An answer cell without the lines that mark its region."""
    if cell is None:
        return ""
    lines = [line for line in cell.source.split("\n") if "### BEGIN SOLUTION" not in line and "### END SOLUTION" not in line]
    return "\n".join(lines).strip("\n")


def passed(root: Path, page: Page, exercise: Exercise) -> tuple[bool, str]:
    """Whether the learner has done this exercise, and else what is missing, in words.

    The visible check's word in the notebook is enough; where it was not run, the hidden tests are.
    """
    if exercise.state in (CHECKED, WRITTEN):
        return True, ""
    if exercise.state == OPEN and not exercise.part:
        return False, "is not answered yet"
    with Grader(root) as grader:
        row = grader.grade(Page(page.path, page.number, page.title, [exercise])).rows[0]
    if row.state == RIGHT and not (exercise.part == "the words"):
        return True, ""
    if row.state in (RIGHT, WORDS):
        return False, "has no answer in words yet"
    return False, f"is {row.state} yet" + (f": {row.message}" if row.message else "")


def asked_before(root: Path, number: str) -> bool:
    """Whether this solution was asked for before; remembers that it now is."""
    mark = root / ".book/asked" / number
    if mark.exists():
        return True
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()
    return False
