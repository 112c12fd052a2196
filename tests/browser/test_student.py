"""A student's way through section 2.1: run, a wrong answer, the right one, Validate."""
import json
import re

import pytest
from lab_page import Notebook
from playwright.sync_api import expect

WORDS = "work/ch99_words/99_1_words.ipynb"
SECTION = "work/ch02_preliminaries/2_1_data_manipulation.ipynb"
MARK = "# Answer 2.1.1a: this cell is yours."
WRONG = f"{MARK}\ndef compare(X, Y):\n    return X < Y, X == Y, X >= Y"
RIGHT = f"{MARK}\ndef compare(X, Y):\n    return X < Y, X == Y, X > Y"


@pytest.fixture
def section(page, server, book):
    return Notebook(page, server, book, SECTION)


def test_the_profile_is_a_students(section, page):
    """No instructor's entries, no news, and answer cells marked."""
    page.locator(".lm-MenuBar-itemLabel", has_text="Nbgrader").click()
    entries = page.locator(".lm-Menu-itemLabel").all_inner_texts()
    page.keyboard.press("Escape")
    assert "Assignment List" in entries
    assert not {"Formgrader", "Course List", "Create Assignment"} & set(entries)
    expect(page.locator(".jp-toast-button, .Toastify__toast")).to_have_count(0)
    answers = section.panel.locator(".jp-CodeCell.d2l-answer")
    expect(answers.first).to_contain_text("# Answer 2.1.A: this cell is yours.")


def test_wrong_then_right(section):
    answer, check = section.cell("# Answer 2.1.1a"), section.cell("# Check 2.1.1a")
    section.write(answer, WRONG)
    section.menu("Run", "Run All Cells")
    section.wait_idle(section.panel.locator(".jp-CodeCell").last)     # a failed check does not stop the run
    expect(check.locator(".d2l-check")).to_contain_text("2.1.1a not yet")
    expect(check.locator("details summary").first).to_contain_text("Hint 1")
    section.write(answer, RIGHT)
    section.run(answer)
    section.run(check)
    expect(check.locator(".d2l-check")).to_contain_text("2.1.1a passes its visible check")


def test_validate(section, page):
    section.write(section.cell("# Answer 2.1.1a"), WRONG)
    page.get_by_role("button", name="Validate").click()
    dialog = page.locator(".jp-Dialog")
    expect(dialog).to_contain_text("failed", ignore_case=True)


@pytest.mark.slow
def test_validate_ends_where_an_answer_does_not(section, page):
    section.write(section.cell("# Answer 2.1.1a"), f"{MARK}\ndef compare(X, Y):\n    while True:\n        pass")
    page.get_by_role("button", name="Validate").click()
    expect(page.locator(".jp-Dialog")).to_contain_text("CellTimeoutError", timeout=120_000)
    page.keyboard.press("Enter")
    section.write(section.cell("# Answer 2.1.1a"), RIGHT)
    section.saved()


def test_an_answer_in_words(page, server, book):
    """A double click and typing: JupyterLab alone would take the letters for shortcuts (B adds a cell, M, X ...)."""
    notebook = Notebook(page, server, book, WORDS)
    before = [cell["id"] for cell in json.loads(notebook.file.read_text())["cells"]]
    written = notebook.panel.locator(".jp-MarkdownCell.d2l-answer")
    expect(written).to_contain_text("write it here")
    written.locator(".jp-MarkdownOutput").dblclick()
    page.keyboard.type("bad maxims: x, dd, because")
    page.keyboard.press("Shift+Enter")
    expect(written.locator(".jp-MarkdownOutput")).to_have_text("bad maxims: x, dd, because")
    written.locator(".jp-MarkdownOutput").dblclick()        # a second time it adds to the text
    page.keyboard.press("Control+End")
    page.keyboard.type(" 2 > 1")
    page.keyboard.press("Shift+Enter")
    saved = {cell["id"]: "".join(cell["source"]) for cell in notebook.saved()}
    assert saved["written-99-1-1"] == "bad maxims: x, dd, because 2 > 1"
    assert list(saved) == before


def test_a_save_beside_another_is_no_conflict(section, page):
    """JupyterLab alone takes what the save at the interval has just written for somebody else's, and offers to load it again."""
    held = []

    def hold(route):
        if held:
            route.continue_()
        else:
            held.append((route, route.fetch()))             # it is on the disk, and the page does not know

    page.route(re.compile(rf"/api/contents/{SECTION}\?\d+$"), hold)
    section.write(section.cell("# Answer 2.1.1a"), WRONG)
    page.keyboard.press("Control+s")
    while not held:
        page.wait_for_timeout(50)
    section.write(section.cell("# Answer 2.1.1a"), RIGHT)
    page.get_by_role("button", name="Validate").click()
    page.wait_for_timeout(1000)                             # in which a second save would find what the first has written
    first, reply = held[0]
    first.fulfill(response=reply)
    expect(page.locator(".jp-Dialog")).to_contain_text("Validation Results")
    page.keyboard.press("Enter")
    assert RIGHT in ["".join(cell["source"]) for cell in section.saved()]


def test_locked_text_stays_rendered(page, server, book):
    cell = Notebook(page, server, book, WORDS).cell("A section for tests.")
    cell.locator(".jp-MarkdownOutput").dblclick()
    page.keyboard.press("Enter")
    expect(cell.locator(".jp-MarkdownOutput")).to_be_visible()
    expect(cell.locator(".jp-InputArea-editor")).to_be_hidden()


def test_the_address_opens_the_first_page(page, server, book):
    page.goto(server.url)
    first = min((book / "notebooks").glob("*/*.ipynb"))
    expect(page.locator(".lm-TabBar-tab.jp-mod-current .lm-TabBar-tabLabel", has_text=first.name)).to_be_visible()
    panel = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")      # behind it may be the tabs of last time
    expect(panel).to_be_visible()
    expect(page.locator("#jp-main-statusbar")).to_contain_text("Python 3 (ipykernel) | Idle")
