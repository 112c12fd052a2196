"""A check judges the answer that stands there: what an earlier text of the cell bound is gone when it runs again."""
import json

import nbformat
import pytest
from nbclient import NotebookClient

TASK = "### Exercise 9.9.1 · Twice\n\n**You are done when** `twice(3)` is 6."
CHECK = '# Check 9.9.1 (2 points): run this cell.\nassert_equal(twice(3), 6, "twice 3")'
MARK = "# Answer 9.9.1: this cell is yours.\n"
RIGHT = MARK + "def twice(x):\n    return 2 * x"


@pytest.fixture(scope="module")
def after(tmp_path_factory):
    """Runs cells one after another in a real kernel, answers and checks by turns; the card's text of each check."""
    folder = tmp_path_factory.mktemp("answers")

    def run(*sources: str) -> list[str]:
        made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in
                                               ("from d2l_utils.check import *\ntwice_before = 1", *sources)])
        (folder / "9_9.ipynb").write_text(json.dumps({"cells": [
            {"cell_type": "markdown", "source": TASK, "metadata": {"nbgrader": {"grade_id": "task-9-9-1"}}},
            {"cell_type": "code", "source": "", "metadata": {"nbgrader": {"grade_id": "check-9-9-1"}}, "outputs": []}]}))
        NotebookClient(made, timeout=60, allow_errors=True, resources={"metadata": {"path": str(folder)}}).execute()
        return ["\n".join(o.data["text/plain"] for o in cell.outputs if o.output_type == "display_data")
                for cell in made.cells if cell.source.startswith("# Check")]
    return run


def test_an_answer_that_no_longer_works_does_not_pass(after):
    cards = after(RIGHT, CHECK,
                  MARK + "def twice(x)\n    return 2 * x", CHECK,           # a SyntaxError: nothing of it ran
                  MARK + "def doubled(x):\n    return 2 * x", CHECK,        # renamed
                  RIGHT + "\n1 / 0", CHECK,                                 # bound, and then an error
                  RIGHT, CHECK)
    assert ["passes" in card for card in cards] == [True, False, False, False, True]
    assert "your answer cell ended with SyntaxError: mend it" in cards[1]
    assert "does not make the name `twice`" in cards[2]
    assert "your answer cell ended with ZeroDivisionError" in cards[3]


def test_a_name_that_was_there_before_is_there_again(after):
    """Names of the page that an answer replaced come back; one that a later cell bound anew stays."""
    page = "def twice(x):\n    return 2 * x"
    cards = after(page, MARK + "def twice(x):\n    return 0", CHECK, MARK + "pass", CHECK)
    assert ["passes" in card for card in cards] == [False, True]
    cards = after(MARK + "def twice(x):\n    return 0", page, MARK + "pass", CHECK)
    assert "passes" in cards[0]
