"""Chapter A builds one engine in many parts: a part that fails does not pull down the ones that use it."""
import copy
from pathlib import Path

import pytest

from course.book import gates
from course.book.instructor import instructor_notebook
from course.engine.notebook import Engine, role
from course.book.section import grade_id
from course.book.source import read
from course.engine.warm import warm_parent

ROOT = Path(__file__).resolve().parents[2]
SECTIONS = {number: section for path in sorted((ROOT / "solutions/chA_autograd_engine").glob("*.py"))
            for section in [read(path, lint=False)] for number, exercise in section.exercises.items() if exercise.check}


@pytest.fixture(scope="module")
def engine():
    with warm_parent(sandbox=False) as zygote:
        yield Engine(zygote)


@pytest.mark.slow
@pytest.mark.parametrize("others", ["unanswered", "missing"])
@pytest.mark.parametrize("number", SECTIONS)
def test_an_answer_stands_on_its_own(engine, number, others):
    """The reference of one part gets full marks with every other part unanswered, or its cell gone."""
    section = SECTIONS[number]
    starter = gates.student_notebook(ROOT, instructor_notebook(section), tests=True)
    notebook = gates.answered(copy.deepcopy(starter), {number: section.exercises[number].answer.source})
    mine = {grade_id("exercise", number), grade_id("check", number)}
    notebook.cells = [cell for cell in notebook.cells if cell.id in mine or role(cell) not in ("answer", "check")
                      or (role(cell) == "answer" and others == "unanswered")]
    (verdict,) = engine.grade(notebook, skip_unanswered=False).verdicts
    assert verdict.points == verdict.out_of, verdict.message
