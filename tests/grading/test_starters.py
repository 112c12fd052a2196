"""The line that asks for words: it names its exercise, and left as it was, in this edition or an earlier one, it is no answer."""
import json

import nbformat
from nbgrader.validator import Validator

from course.grading.graft import EARLIER_STARTER, graft, load

STARTER = "*Answer 9.9.3: write it here, in place of this line.*"


def submitted(course, tmp_path, words):
    blank = course.blank()
    next(cell for cell in blank.cells if cell.id == "written-9-9-3").source = words
    path = tmp_path / "submitted.ipynb"
    path.write_text(json.dumps(blank), encoding="utf-8")
    made = graft(course.blank(), *load(path)).notebook
    return next(cell for cell in made.cells if cell.id == "written-9-9-3").source


def test_the_starter_names_its_exercise(course):
    assert next(cell for cell in course.blank().cells if cell.id == "written-9-9-3").source == STARTER


def test_a_starter_is_no_answer(course, tmp_path):
    assert submitted(course, tmp_path, STARTER) == STARTER
    assert submitted(course, tmp_path, EARLIER_STARTER + "\n") == STARTER
    assert submitted(course, tmp_path, "Because.") == "Because."


def test_validate_says_which_words_are_missing(course, tmp_path):
    path = tmp_path / "9_9.ipynb"
    nbformat.write(course.blank(), path)
    failed = Validator().validate(str(path))["failed"]
    assert STARTER in [cell["source"] for cell in failed]
