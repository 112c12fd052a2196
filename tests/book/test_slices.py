"""What of a lesson's code the gates leave out when they grade other answers."""
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from course.book.slices import unneeded


def lesson(*code: str) -> nbformat.NotebookNode:
    """A notebook with a set-up, these worked cells, an answer and a check."""
    def graded(role, source):
        return new_code_cell(source, id=f"{role}-9-9-1", metadata={"nbgrader": {"grade_id": f"{role}-9-9-1"}})
    setup = graded("setup", "import torch\nfrom d2l_utils.check import *\nhouses = 3")
    cells = [new_code_cell(source, id=f"code-{i}") for i, source in enumerate(code)]
    return new_notebook(cells=[setup, *cells, graded("answer", "def twice(x):\n    return double(x)"),
                               graded("check", "X = 3\nassert_equal(twice(X), 6, 'twice')")])


@pytest.mark.parametrize("code, kept", [
    (["print(torch.ones(3))", "X = torch.ones(3)\nprint(len(X))"], []),         # a check's X is its own
    (["def double(x):\n    return 2 * x", "print(double(3))", "y = 4"], [0, 1]),   # who reads it may change it
    (["factor = 2", "def double(x):\n    return factor * x"], [0, 1]),
    (["%matplotlib inline", "!ls", "this is no Python"], []),
    (["print(houses)"], []),
])
def test_what_no_answer_reads_is_left_out(code, kept):
    left_out = unneeded(lesson(*code), [])
    assert {f"code-{i}" for i in range(len(code))} - left_out == {f"code-{i}" for i in kept}


def test_what_another_answer_reads_is_kept():
    assert unneeded(lesson("half = 0.5", "z = 1"), ["def twice(x):\n    return x / half"]) == {"code-1"}


def test_what_a_demonstration_defines_counts():
    notebook = lesson("def slopes_of(f, x):\n    return f(x)\n\nplot(slopes_of)", "import math\nfigure = math.pi")
    for cell in notebook.cells[1:3]:
        cell.metadata.tags = ["demo"]
    assert unneeded(notebook, ["def twice(x):\n    return slopes_of(abs, x)"]) == {"code-1"}
    assert unneeded(notebook, ["def twice(x):\n    return figure"]) == {"code-0", "code-1"}    # which grading does not compute
