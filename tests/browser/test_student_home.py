"""The home page, starting an answer over, what is left, and a learner's own grading, in the first section."""
import json
import re
import shutil

import nbformat
import pytest
from lab_page import Notebook
from playwright.sync_api import expect

from course.lab import start
from course.book.merge import checksum

FIRST = "work/ch00_start/0_how_this_book_works.ipynb"
MARK = "# Answer 0.1: this cell is yours."
STARTER = f'{MARK}\ndef to_fahrenheit(celsius):\n'
RIGHT = f"{MARK}\ndef to_fahrenheit(celsius):\n    return celsius * 9 / 5 + 32"
LOOP = f"{MARK}\ndef to_fahrenheit(celsius):\n    return torch.stack([c * 9 / 5 + 32 for c in celsius])"


@pytest.fixture
def notebook(page, server, book):
    """The first section, of somebody who has begun no other: modules of one process share a book."""
    for chapter in (book / "work").glob("ch*"):
        if chapter.name not in FIRST:
            shutil.rmtree(chapter)
    start.sync(book)
    found = Notebook(page, server, book, FIRST)
    found.run(found.cell("from d2l_utils.check import"))
    return found


def answer_and_check(notebook, text, number="0.1"):
    cell = notebook.cell(f"# Answer {number}")
    notebook.write(cell, text)
    notebook.run(cell)
    check = notebook.cell(f"# Check {number}")
    notebook.run(check)
    return check


def home(page):
    page.locator(".lm-TabBar-tab", has_text=re.compile("^Home$")).click()
    return page.locator(".d2l-home:visible")


def row(home, title):
    return home.locator(".d2l-page").filter(has_text=title)


def test_the_home_page_opens_for_someone_who_comes_back(page, server, book):
    page.goto(f"http://127.0.0.1:{server.port}/lab?token={server.token}&reset")
    found = page.locator(".d2l-home:visible")
    expect(found.get_by_role("heading", name="2 Preliminaries")).to_be_visible()
    expect(found.locator(".d2l-section")).to_have_count(len(list((book / "notebooks").glob("*/*.ipynb"))))
    row(found, "2.1 Data manipulation").locator("summary").click()
    row(found, "2.1 Data manipulation").get_by_role("button", name="2.1.3a").click()
    panel = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
    expect(panel.locator(".jp-Cell").filter(has_text="Exercise 2.1.3a").first).to_be_in_viewport()


def test_the_home_page_says_when_a_chapter_is_due(page, server, book):
    (book / "due.csv").write_text("chapter,due\nch02_preliminaries,2099-03-01T12:00:00Z\n"
                                  "ch03_linear_regression,2020-03-01T12:00:00Z\n")
    try:
        page.goto(f"http://127.0.0.1:{server.port}/lab?token={server.token}&reset")
        found = page.locator(".d2l-home:visible")
        expect(found.locator(".d2l-due")).to_have_text([re.compile("^Due .*2099"), re.compile("^Was due .*2020")])
    finally:
        (book / "due.csv").unlink()


def test_progress_comes_from_the_notebook(notebook, page):
    check = answer_and_check(notebook, RIGHT)
    expect(check.locator(".d2l-check")).to_contain_text("1 of 3 checks of this notebook pass.")
    notebook.saved()
    first = row(home(page), "0 How this book works")
    expect(first).to_contain_text("1 of 3 right")
    expect(first).to_contain_text("1 of 6 points")
    expect(first).to_contain_text("6 min left")
    first.locator("summary").click()
    expect(first.locator(".d2l-chip.d2l-right")).to_have_text(re.compile("^0.1"))
    page.locator(".d2l-home .d2l-go").click()
    expect(notebook.cell("Exercise 0.2")).to_be_in_viewport()
    notebook.write(notebook.cell("# Answer 0.1"), LOOP)         # an answer changed since its check is not right any more
    notebook.saved()
    expect(row(home(page), "0 How this book works")).to_contain_text("0 of 3 right")
    expect(first.locator(".d2l-chip.d2l-unchecked")).to_have_text(re.compile("^0.1"))


def test_a_check_without_an_answer_says_so_in_one_line(notebook):
    notebook.run(notebook.cell("# Answer 0.2"))
    check = notebook.cell("# Check 0.2")
    notebook.run(check)
    error = check.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.error'], "
                          ".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']")
    expect(error).to_have_text(re.compile(r"^\s*0.2 not yet · no answer yet: write it in the cell that begins "
                                          r"# Answer 0.2, run that cell, then this one.\s*$".replace("# ", "`?# ").replace(
                                              "0.2, run", "0.2`?, run")))
    expect(check.locator(".d2l-check")).to_contain_text("Hint 1")


def test_an_answer_started_over_is_kept(notebook, page, book):
    answer = notebook.cell("# Answer 0.1")
    notebook.write(answer, LOOP)
    answer.hover()
    answer.get_by_role("button", name="Start over").click()
    expect(page.locator(".Toastify__toast")).to_contain_text("is kept in work/backups/ch00_start/")
    expect(answer.locator(".cm-content")).to_contain_text("YOUR CODE HERE")
    kept = [path.read_text() for path in (book / "work/backups/ch00_start").glob("*0.1*.txt")]
    assert LOOP + "\n" in kept
    saved = {cell["id"]: "".join(cell["source"]) for cell in notebook.saved()}
    assert saved["answer-0-1"].startswith(STARTER) and "YOUR CODE HERE" in saved["answer-0-1"]
    notebook.menu("Book", "Start This Answer Over")             # nothing to keep: nothing new in the folder
    expect(page.locator(".Toastify__toast", has_text="0.1 is as it was handed out.").last).to_be_visible()
    assert len(list((book / "work/backups/ch00_start").glob("*0.1*.txt"))) == len(kept)


def test_what_is_left_is_listed(notebook, page):
    answer_and_check(notebook, RIGHT)
    notebook.menu("Book", re.escape("What Is Left Before I Submit?"))      # it saves first
    dialog = page.locator(".jp-Dialog")
    expect(dialog).to_contain_text("2 of 3 exercises are not done.")
    expect(dialog.get_by_role("listitem")).to_have_text([
        "0.2 How many numbers to learn: not answered", "0.3 Why hidden tests: not answered"])
    dialog.get_by_role("link", name="0.2").click()
    expect(dialog).to_have_count(0)
    expect(notebook.cell("Exercise 0.2")).to_be_in_viewport()


def test_the_hidden_tests_in_the_notebook(notebook, page):
    """What passes the visible check alone is wrong by the hidden tests, and on the home page."""
    answer_and_check(notebook, LOOP)
    page.get_by_role("button", name="Grade").click()
    found = page.locator(".d2l-home .d2l-verdict")
    expect(found).to_contain_text("wrong · 0 of 1 points")
    notebook.write(notebook.cell("# Answer 0.1"), RIGHT)
    page.get_by_role("button", name="Grade").click()
    expect(found).to_contain_text("right · 1 of 1 points")
    found.get_by_role("button", name="The book's answer").click()
    expect(found.locator("pre").first).to_contain_text("def to_fahrenheit(celsius):")
    expect(page.locator(".d2l-summary")).to_have_text("0: 1 right, 2 not answered; 1 of 3 points by the tests.")


def test_a_click_opens_an_answer_in_words(notebook, page):
    """One click, and letters are text; an answer that is written counts on the home page as written."""
    before = len(json.loads(notebook.file.read_text())["cells"])
    written = notebook.panel.locator(".jp-MarkdownCell.d2l-answer")
    written.locator(".jp-MarkdownOutput").click()
    page.keyboard.type("dd because a, b, m, y, x")
    page.keyboard.press("Shift+Enter")
    expect(written.locator(".jp-MarkdownOutput")).to_have_text("dd because a, b, m, y, x")
    assert len(notebook.saved()) == before
    written.hover()
    written.get_by_role("button", name="Start over").click()
    expect(written.locator(".jp-MarkdownOutput")).to_contain_text("Answer 0.3: write it here")


def test_a_new_edition_says_what_it_could_not_merge(page, book):
    """The student's answer to a starter that the new edition has changed is kept, and the home page tells."""
    path, mine = book / FIRST.replace("work/", "notebooks/"), book / FIRST
    edition = path.read_text()
    answered = json.loads(mine.read_text())
    next(c for c in answered["cells"] if c["id"] == "answer-0-1")["source"] = RIGHT
    mine.write_text(json.dumps(answered))
    new = json.loads(edition)
    cell = next(c for c in new["cells"] if c["id"] == "answer-0-1")
    cell["source"] = [line.replace("Degrees Celsius", "Celsius") for line in cell["source"]]
    cell["metadata"]["nbgrader"]["checksum"] = checksum(nbformat.from_dict(cell | {"source": "".join(cell["source"])}))
    path.write_text(json.dumps(new))
    try:
        done = start.sync(book)
        with start.running(book, home=True, notes=start.told(done)) as again:
            page.goto(again.url + "&reset")
            told = page.locator(".d2l-home .d2l-news")
            expect(told).to_contain_text("1 notebook brought up to this edition of the book, with your answers in place.")
            expect(told).to_contain_text("the answer to 0.1: the book's starter is another now.")
            expect(told).to_contain_text("is kept in work/backups/ch00_start/")
        kept = {c["id"]: "".join(c["source"]) for c in json.loads(mine.read_text())["cells"]}
        assert kept["answer-0-1"] == RIGHT
    finally:
        path.write_text(edition)
        start.sync(book)
