"""What a reader sees of the concepts: on a check's card, in grading's words, as the next exercise, in the index."""
import io
import json

import nbformat
import pytest
from nbclient import NotebookClient
from test_concepts import course, make

from course.book.build import build
from course.engine.warm import warm_parent
from course.learner.grader import Grader
from course.learner.progress import OPEN, RIGHT, Exercise, Page, index_page, pages, suggestion
from course.learner.service import serve
from course.learner.work import notebooks, sync

AGAIN = "Read again: doubling (7.1), chain rule (7.2)."


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """A learner's copy with a wrong answer to 7.2.1, its notebook run from top to bottom."""
    root = make(tmp_path_factory.mktemp("book"))
    build(root, gradebook=False)
    sync(root)
    path = root / "work/ch08_two/7_2_second.ipynb"
    notebook = nbformat.read(path, 4)
    answer = next(cell for cell in notebook.cells if cell.id == "answer-7-2-1")
    answer.source = answer.source.replace("...", "return 3 * x")
    nbformat.write(notebook, path)
    NotebookClient(notebook, allow_errors=True, timeout=60, kernel_name="python3",
                   resources={"metadata": {"path": str(path.parent)}}).execute()
    nbformat.write(notebook, path)
    return root


def cell(path, name):
    return next(cell for cell in nbformat.read(path, 4).cells if cell.id == name)


def test_the_card_of_a_failed_check_links_to_what_to_read_again(book):
    card = next(o.data for o in cell(book / "work/ch08_two/7_2_second.ipynb", "check-7-2-1").outputs
                if "text/html" in o.get("data", {}))
    assert AGAIN in card["text/plain"].splitlines()
    needs = cell(book / "notebooks/ch08_two/7_2_second.ipynb", "task-7-2-1").metadata.course.needs
    for need in needs:
        assert f'<a href="{need.href}">{need.idea}</a> ({need.section})' in card["text/html"]


def test_an_open_or_right_answer_hears_nothing_of_it(book, tmp_path):
    path = book / "work/ch07_one/7_1_first.ipynb"
    for text in ("...", "return 2 * x"):
        notebook = nbformat.read(path, 4)
        answer = next(cell for cell in notebook.cells if cell.id == "answer-7-1-1")
        answer.source = answer.source.replace("...", text)
        nbformat.write(notebook, tmp_path / path.name)
        NotebookClient(notebook, allow_errors=True, timeout=60, kernel_name="python3",
                       resources={"metadata": {"path": str(tmp_path)}}).execute()
        check = next(cell for cell in notebook.cells if cell.id == "check-7-1-1")
        assert "7.1.1" in str(check.outputs) and "Read again" not in str(check.outputs)


def test_grading_says_the_same_words(book):
    with Grader(book) as grader:
        page = next(page for page in pages(book) if page.number == "7.2")
        row = grader.grade(page).rows[0]
        assert row.state == "wrong" and row.message.endswith(AGAIN)


def test_feedback_says_the_same_words(book):
    from course.book.instructor import instructor_notebook, with_tests
    from course.book.concepts import vocabulary
    from course.book.source import read
    from course.engine.notebook import Engine
    full = instructor_notebook(read(book / "solutions/ch08_two/7_2_second.py"), vocabulary(book))
    released = nbformat.read(book / "notebooks/ch08_two/7_2_second.ipynb", 4)
    with warm_parent(sandbox=False) as zygote:
        for text, says in (("return 3 * x", True), ("return x + x", False), ("...", False)):
            notebook = with_tests(nbformat.from_dict(released), full)
            answer = next(cell for cell in notebook.cells if cell.id == "answer-7-2-1")
            answer.source = answer.source.replace("...", text)
            Engine(zygote).grade(notebook)
            message = next(cell for cell in notebook.cells if cell.id == "check-7-2-1").outputs[0].data["text/plain"]
            assert message.endswith(AGAIN) == says, message


def test_a_feedback_page_has_the_words_and_no_link_that_leads_nowhere(book):
    from course.grading.marks import Marks
    from course.grading.page import page
    notebook = nbformat.read(book / "notebooks/ch08_two/7_2_second.ipynb", 4)
    check = next(cell for cell in notebook.cells if cell.id == "check-7-2-1")
    check.outputs = [nbformat.v4.new_output("display_data", {"text/plain": "7.2.1: 0 of 1 points, failed. " + AGAIN})]
    text = page(notebook, Marks(), student="ada", chapter="ch08_two")
    assert "Builds on: doubling (7.1), chain rule (7.2)" in text and ".ipynb" not in text
    assert f"<p>{AGAIN.strip()}</p>" in text


def test_the_index_is_no_section_of_exercises(book, monkeypatch, capsys):
    assert notebooks(book)[-1] == book / "notebooks/index/ideas.ipynb"
    assert [page.number for page in pages(book)] == ["7.1", "7.2", "7.3"]
    assert index_page(book) == "index/ideas.ipynb" and (book / "work/index/ideas.ipynb").exists()
    shown = course(book, "progress").stdout
    assert "Index" not in shown and "Next: 7.1.1 · Twice, builds on doubling (7.1)." in shown
    from course.lab.server import summary
    found = summary(book)
    assert found["index"] == "work/index/ideas.ipynb" and "index" not in [c["folder"] for c in found["chapters"]]
    assert found["next"]["number"] == "7.1.1" and found["next"]["builds_on"] == "doubling (7.1)"
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps({"path": "index/ideas.ipynb"}) + "\n"))
    monkeypatch.setattr("course.learner.service.select.select", lambda *_: (True, [], []))
    serve(book)
    assert json.loads(capsys.readouterr().out) == {"error": "work/index/ideas.ipynb holds no exercise."}


def exercise(number, state=OPEN, core=True, needs=()):
    return Exercise(number, "", 1, 1, core, state, needs=[{"idea": "i", "section": s, "href": ""} for s in needs])


def book_of(*sections):
    return [Page(f"ch/{number}", number, "", exercises) for number, exercises in sections]


@pytest.mark.parametrize("sections, number", [
    # nothing begun: the first of the core path, not the optional one before it
    ([("1.1", [exercise("1.1.1", core=False), exercise("1.1.2")]), ("1.2", [exercise("1.2.1")])], "1.1.2"),
    # what was begun goes on, if its ideas are the section's own or of sections that are done
    ([("1.1", [exercise("1.1.1")]), ("1.2", [exercise("1.2.1", RIGHT), exercise("1.2.2", needs=["1.2"])])], "1.2.2"),
    ([("1.1", [exercise("1.1.1", RIGHT), exercise("1.1.2", core=False)]),
      ("1.2", [exercise("1.2.1", RIGHT), exercise("1.2.2", needs=["1.1", "0.9"])])], "1.2.2"),
    # an idea of a section whose core is not done: another exercise that can be done, or that section first
    ([("1.1", [exercise("1.1.1")]),
      ("1.2", [exercise("1.2.1", RIGHT), exercise("1.2.2", needs=["1.1"]), exercise("1.2.3")])], "1.2.3"),
    ([("1.1", [exercise("1.1.1")]), ("1.2", [exercise("1.2.1", RIGHT), exercise("1.2.2", needs=["1.1"])])], "1.1.1"),
    # the core path is done: the others, those of begun sections first
    ([("1.1", [exercise("1.1.1", core=False)]), ("1.2", [exercise("1.2.1", RIGHT), exercise("1.2.2", core=False)])], "1.2.2"),
])
def test_the_next_exercise(sections, number):
    assert suggestion(book_of(*sections))[1].number == number


def test_no_next_exercise_when_all_are_done():
    assert suggestion(book_of(("1.1", [exercise("1.1.1", RIGHT)]))) is None
