"""A student's way through section 2.1: run, a wrong answer, the right one, Validate."""
import pytest
from lab_page import Notebook
from playwright.sync_api import expect

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
    expect(answers.first).to_contain_text("# Answer 2.1.1a: this cell is yours.")


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
