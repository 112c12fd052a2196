"""The card under a check cell: the requirements one by one, in words, and the parts with their points."""
from __future__ import annotations

import json
import linecache
from types import SimpleNamespace

import pytest

from d2l_utils.check import notebook

TASK = """### Exercise 9.9.1 · Twice

**You are done when**
- **shape**: it is;
- **value**: `3` gives 6;
- **kept**: as it was;
- **edge**: asked at grading alone.
"""
CHECK = '''# Check 9.9.1 (2 points): run this cell.
assert_equal(1, 1, "one row", of="shape")
assert_equal(answer, 6, "twice 3", of="value")
assert_equal(1, 1, "x after the call", of="kept")
'''
PARTS = '''# Check 9.9.1 (2 points): run this cell.
with part(1, "the value", of="value"):
    assert_equal(answer, 6, "twice 3")
with part(1, "the rest"):
    assert_equal(1, 1, "one row", of="shape")
    assert_equal(1, 1, "x after the call", of="kept")
'''


@pytest.fixture
def card(tmp_path, monkeypatch):
    """The card after a check with this answer, as text and as HTML."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, **kwargs: shown.append((data, kwargs["metadata"])))

    def run(source: str, answer, task: str = TASK):
        cells = [{"cell_type": "markdown", "source": task, "metadata": {"nbgrader": {"grade_id": "task-9-9-1"}}},
                 {"cell_type": "code", "source": "", "metadata": {"nbgrader": {"grade_id": "check-9-9-1"}}, "outputs": []}]
        (tmp_path / "9_9.ipynb").write_text(json.dumps({"cells": cells}))
        filename = f"<cell {hash(source)}>"
        linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
        space = {"answer": answer}
        exec("from d2l_utils.check import *", space)
        notebook._before(SimpleNamespace(raw_cell=source, cell_id="check-9-9-1"))
        error = None
        try:
            exec(compile(source, filename, "exec"), space)
        except Exception as caught:
            error = caught
        notebook._after(SimpleNamespace(error_in_exec=error, error_before_exec=None))
        data, metadata = shown[-1]
        return data["text/plain"], data["text/html"], metadata["d2l_check"]["passed"]
    return run


def test_all_held(card):
    text, page, passed = card(CHECK, 6)
    assert text.split("\n")[:4] == ["9.9.1 passes its visible check", "  held  shape", "  held  value", "  held  kept"]
    assert "✓ held: shape" in page and "edge" not in text and passed


def test_one_failed(card):
    text, page, passed = card(CHECK, 5)
    assert text.split("\n")[:4] == [
        "9.9.1 not yet", "  held         shape", "  failed       value: twice 3 · asked for: `3` gives 6", "  not reached  kept"]
    assert "✗ failed: value: twice 3 · asked for: <code>3</code> gives 6" in page and "○ not reached: kept" in page and not passed


def test_parts_have_their_points(card):
    text, _, passed = card(PARTS, 5)
    assert text.split("\n")[:6] == [
        "9.9.1 not yet", "  held    shape", "  failed  value · asked for: `3` gives 6", "  held    kept",
        "  not  the value (0 of 1): twice 3: values differ: got an integer, 5, expected an integer, 6.",
        "  ok   the rest (1 of 1)"] and not passed


def test_a_task_without_names_shows_what_held(card):
    text, _, _ = card(CHECK, 5, "### Twice\n\n**You are done when** 3 gives 6.")
    assert text.split("\n")[:3] == ["9.9.1 not yet", "  ok   one row", "  not  twice 3"]


def test_an_error_of_the_answer(card):
    text, _, _ = card(CHECK.replace("answer, 6", "answer[0], 6"), 5)
    assert "  failed       value: TypeError was raised: the last lines above say where" in text


def test_a_kernel_whose_folder_was_put_there_anew(card, tmp_path, monkeypatch):
    """As after a chapter was removed and fetched again: the check still runs, and its own notebook still has its words."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert "twice 3" in card(CHECK, 5)[0]
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "9_9.ipynb"))
    assert "value" in card(CHECK, 5)[0]


def test_a_warning_in_a_check_costs_no_points_with_stock_nbgrader():
    """Stock nbgrader gives 0 points to a cell that wrote to stderr."""
    import nbformat
    from nbgrader.preprocessors import Execute
    from nbgrader.utils import determine_grade
    warns = '# Check 9.9.1 (2 points): run this cell.\nimport warnings\nwarnings.warn("this may be slow")'
    new = nbformat.v4.new_code_cell
    meta = {"nbgrader": {"grade": True, "points": 2, "grade_id": "check-9-9-1", "cell_type": "code"}}
    book = nbformat.v4.new_notebook(cells=[
        new("from d2l_utils.check import *"), new(warns, metadata=meta), new("import sys\nsys.stderr.write('later')")])
    made, _ = Execute(kernel_name="python3").preprocess(book, {})
    assert "this may be slow" in made.cells[1].outputs[0].text
    assert determine_grade(made.cells[1]) == (2, 2)
    assert made.cells[2].outputs[0].name == "stderr"


def test_an_answer_that_is_still_open_shows_nothing():
    import nbformat
    from nbclient import NotebookClient
    new = nbformat.v4.new_code_cell
    book = nbformat.v4.new_notebook(cells=[
        new("from d2l_utils.check import *"), new("# Answer 9.9.1: yours.\n# YOUR CODE HERE\n..."), new("x = ...\nx"), new("")])
    made = NotebookClient(book).execute()
    assert made.cells[1].outputs == [] and made.cells[2].outputs[0].data["text/plain"] == "Ellipsis"


def test_an_exception_of_the_answers_is_explained(card):
    text, *_ = card("# Check 9.9.1 (1 point)\nassert_equal(answer(3), 6, 'twice 3')", lambda x: [][x])
    assert "IndexError was raised: the last lines above say where. The list is shorter than this index needs" in text


def test_what_the_answer_itself_raises_stands_alone(card):
    source, filename = "def answer(x):\n    raise IndexError('list index out of range')\n", "<ipython-input-7>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    space = {}
    exec(compile(source, filename, "exec"), space)
    text, *_ = card("# Check 9.9.1 (1 point)\nassert_equal(answer(3), 6, 'twice 3')", space["answer"])
    assert "IndexError was raised: the last lines above say where" in text and "shorter than this index" not in text
