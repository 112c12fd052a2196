"""What a real kernel leaves in a notebook, and what `course.learner.progress` reads there."""
import nbformat
import pytest
from learner_book import RIGHT, LOOP
from nbclient import NotebookClient

from course.learner.progress import VERDICTS, left_over, pages, select, tally

VALUE = "# Answer 0.2: this cell is yours.\nparameters = 12"


def run(book) -> nbformat.NotebookNode:
    """Runs the whole notebook in a kernel and saves it, as Run All and Ctrl+S do."""
    notebook = nbformat.read(book.file, 4)
    NotebookClient(notebook, allow_errors=True, timeout=60, kernel_name="python3",
                   resources={"metadata": {"path": str(book.file.parent)}}).execute()
    nbformat.write(notebook, book.file)
    return notebook


def check(notebook, number):
    """The texts of the outputs of a check cell: the error, the card."""
    outputs = next(cell for cell in notebook.cells if cell.id == f"check-{number}").outputs
    errors = ["\n".join(o.traceback) for o in outputs if o.output_type == "error"]
    cards = [o.data["text/plain"] for o in outputs if "text/html" in o.get("data", {})]
    return "".join(errors), "".join(cards)


def states(book) -> dict[str, str]:
    return {e.number: e.state for page in pages(book.root) for e in page.exercises}


@pytest.fixture
def one(book):
    book.write("answer-0-1", RIGHT)
    return book, run(book)


def test_states(one):
    book, notebook = one
    assert states(book) == {"0.1": "right", "0.2": "open", "0.3": "open"}
    found = tally(pages(book.root)[0].exercises)
    assert found == {"exercises": 3, "right": 1, "tried": 0, "open": 2, "earned": 1, "points": 6, "minutes": 6}
    assert "1 of 3 checks of this notebook pass." in check(notebook, "0-3")[1]

    # an answer without a name that the check asks for: one line, and no line of the test
    error, card = check(notebook, "0-2")
    assert error == ("0.2 not yet · no answer yet: write it in the cell that begins `# Answer 0.2`, run that cell, "
                     "then this one.")
    assert "no answer yet" in card

    book.write("answer-0-1", LOOP)                 # changed, and its check not run since
    assert states(book)["0.1"] == "unchecked"
    book.write("answer-0-1", RIGHT)                 # the text that the check has seen
    assert states(book)["0.1"] == "right"

    book.write("answer-0-2", VALUE.replace("parameters", "count"))
    book.write("written-0-3", "Because a table of values passes the visible one.")
    error, _ = check(run(book), "0-2")
    assert "your answer cell does not make the name `parameters`" in error and "Traceback" not in error
    assert states(book)["0.2"] == "fails"
    assert [(e.number, reason) for _, e, reason in left_over(pages(book.root))] == [
        ("0.2", "fails its visible check"), ("0.3", "the code not answered")]
    assert tally(pages(book.root)[0].exercises)["tried"] == 2


def test_the_hidden_tests_have_the_last_word(book):
    """An answer that passes its visible check, and not the hidden tests, is not right anywhere; till its text changes."""
    book.write("answer-0-1", LOOP)
    assert "passes" in check(run(book), "0-1")[1]
    assert states(book)["0.1"] == "right"               # nothing else is known
    assert book.course("check", "0.1").returncode == 1
    assert states(book)["0.1"] == "wrong"
    assert [reason for _, e, reason in left_over(pages(book.root)) if e.number == "0.1"] == [
        "wrong by the hidden tests"]
    done = book.course("solution", "0.1")
    assert done.returncode == 1 and "is wrong yet" in done.stdout and "return celsius" not in done.stdout
    book.write("answer-0-1", RIGHT)
    assert states(book)["0.1"] == "unchecked"
    assert book.course("check", "0.1").returncode == 0
    assert states(book)["0.1"] == "right"               # without a run of the visible check
    (book.root / VERDICTS).write_text("[")
    assert states(book)["0.1"] == "unchecked"


def test_what_fails_its_visible_check_is_said_so_after_the_hidden_tests(book):
    """Both know that the answer is wrong: what the reader can see for themselves is named."""
    book.write("answer-0-1", "# Answer 0.1: this cell is yours.\ndef to_fahrenheit(celsius):\n    return celsius")
    assert "not yet" in check(run(book), "0-1")[1]
    assert book.course("check", "0.1").returncode == 1
    assert [reason for _, e, reason in left_over(pages(book.root)) if e.number == "0.1"] == ["fails its visible check"]


def test_names(book):
    found = pages(book.root)
    for what in ("0", "ch00", "ch00_start", "0_how_this_book_works", "work/ch00_start/0_how_this_book_works.ipynb"):
        assert len(select(found, what)[0].exercises) == 3
    assert [e.number for e in select(found, "0.2")[0].exercises] == ["0.2"]
    with pytest.raises(LookupError, match="called 'x'"):
        select(found, "x")
