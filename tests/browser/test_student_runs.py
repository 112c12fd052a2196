"""Running cells as students do: at once, after an edit, after a restart, with one key."""
import re

import pytest
from lab_page import Notebook
from playwright.sync_api import expect

from course.lab import start

CODE = "work/ch99_words/99_2_code.ipynb"
MARK = "# Answer 99.2.1: this cell is yours."
RIGHT = f"{MARK}\ndef twice(x):\n    return 2 * x"


@pytest.fixture
def section(page, server, book):
    made = Notebook(page, server, book, CODE)
    yield made
    made.hand_back("99.2.1")


def test_an_edit_marks_the_check_until_both_ran(section):
    answer, check = section.cell("# Answer 99.2.1"), section.cell("# Check 99.2.1")
    section.write(answer, RIGHT)
    section.run(answer)
    section.run(check)
    expect(check.locator(".d2l-check")).to_contain_text("99.2.1 passes its visible check")
    expect(check.locator(".d2l-edited")).to_have_count(0)
    expect(check.locator(".d2l-next")).to_be_visible()
    section.write(answer, RIGHT.replace("2 * x", "3 * x"))
    expect(check.locator(".d2l-edited")).to_contain_text("was edited since it ran: run it, then this check")
    expect(check.locator(".d2l-next")).to_have_count(0)
    section.run(check)                      # the answer was not run: the mark stays
    expect(check.locator(".d2l-edited")).to_be_visible()
    section.run(answer)
    section.run(check)
    expect(check.locator(".d2l-check")).to_contain_text("99.2.1 not yet")
    expect(check.locator(".d2l-edited")).to_have_count(0)


def test_a_card_about_another_text_is_marked(section, page, server, book):
    """Where the answer alone was run again, where it ended with an error, and where the page was opened anew."""
    answer, check = section.cell("# Answer 99.2.1"), section.cell("# Check 99.2.1")
    section.write(answer, RIGHT)
    section.run(answer)
    section.run(check)
    expect(check.locator(".d2l-next")).to_be_visible()
    section.write(answer, RIGHT.replace("2 * x", "3 * x"))
    section.run(answer)
    expect(check.locator(".d2l-edited")).to_contain_text("was run again since: run this check again")
    section.write(answer, RIGHT.replace("2 * x", "2 * * x"))
    page.keyboard.press("Control+Shift+Enter")
    expect(check.locator(".d2l-edited")).to_contain_text("ended with an error")
    expect(answer).to_contain_text("SyntaxError")
    section.write(answer, RIGHT)
    page.keyboard.press("Control+Shift+Enter")
    expect(check.locator(".d2l-edited")).to_have_count(0)
    expect(check.locator(".d2l-next")).to_be_visible()          # the check has ended: its card is there to be saved
    section.write(answer, RIGHT.replace("2 * x", "3 * x"))
    section.saved()
    again = Notebook(page, server, book, CODE)
    check = again.cell("# Check 99.2.1")
    expect(check.locator(".d2l-edited")).to_contain_text("was edited since this check ran")
    again.run(check)                        # the kernel still holds the answer as it ran
    expect(check.locator(".d2l-check")).to_contain_text("99.2.1 passes its visible check")
    expect(check.locator(".d2l-edited")).to_be_visible()
    expect(check.locator(".d2l-next")).to_have_count(0)


def test_one_key_runs_an_answer_and_its_check_after_a_restart(section, page):
    """The setup cell is not run by hand: neither in a new kernel nor after Restart."""
    answer, check = section.cell("# Answer 99.2.1"), section.cell("# Check 99.2.1")
    section.write(answer, RIGHT)
    page.keyboard.press("Control+Shift+Enter")
    expect(check.locator(".d2l-check")).to_contain_text("99.2.1 passes its visible check")
    section.menu("Kernel", "Restart Kernel…")
    page.locator(".jp-Dialog button.jp-mod-accept").click()
    section.write(answer, RIGHT.replace("2 * x", "3 * x"))
    page.get_by_role("button", name="Check", exact=True).click()
    expect(check.locator(".d2l-check")).to_contain_text("99.2.1 not yet")
    expect(check).not_to_contain_text("NameError")


def test_a_run_in_the_first_second_is_not_lost(page, server, book):
    """Run All as soon as the menu is there, before there is a kernel."""
    page.goto(f"http://127.0.0.1:{server.port}/lab/tree/{CODE}?token={server.token}&reset")
    page.locator(".jp-NotebookPanel .jp-CodeCell").first.wait_for()
    page.locator(".lm-MenuBar-itemLabel", has_text=re.compile("^Run$")).click()
    page.locator(".lm-Menu-itemLabel", has_text=re.compile("^Run All Cells$")).click()
    panel = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
    expect(panel.locator(".jp-CodeCell", has_text="# Check 99.2.1").locator(".d2l-check")).to_be_visible()
    expect(page.locator(".jp-Dialog")).to_have_count(0)


def test_an_open_page_runs_on_a_server_that_was_started_anew(page, book):
    """The page remembers a kernel that the new server does not know: it gets another, and the run is not lost."""
    start.sync(book)
    with start.running(book) as first:
        section = Notebook(page, first, book, CODE)
        section.run(section.cell("from d2l_utils.check"))
    page.keyboard.press("Control+s")
    dialogs = page.locator(".jp-Dialog")
    dialogs.wait_for()
    # JupyterLab's own words on a server that is away, one behind the other; the reader closes each
    page.add_locator_handler(dialogs, lambda dialog: dialog.locator("button").last.click(), no_wait_after=True)
    with start.running(book) as second:
        assert (second.port, second.token) == (first.port, first.token)
        answer, check = section.cell("# Answer 99.2.1"), section.cell("# Check 99.2.1")
        section.write(answer, RIGHT)
        page.keyboard.press("Control+Shift+Enter")
        expect(check.locator(".d2l-check")).to_contain_text("99.2.1 passes its visible check")
        answer.hover()
        section.panel.locator(".d2l-reset").click()
        section.saved()


def test_a_cell_of_ones_own_below_a_check(section, page):
    """As 5.6.1 says it: with Esc and B, and with the button above the notebook."""
    check = section.cell("# Check 99.2.1")
    cells = section.panel.locator(".jp-Cell")
    try:
        button = section.panel.get_by_role("button", name="Insert a cell below").first
        for number, add in ((1, lambda: page.keyboard.press("b")), (2, button.click)):
            check.locator(".cm-content").click()
            page.keyboard.press("Escape")
            before = cells.count()
            add()
            expect(cells).to_have_count(before + 1)
            own = check.locator("xpath=following::div[contains(@class, 'jp-Cell ')][1]")
            section.write(own, f"print('own', {number} + 40)")
            section.run(own)
            expect(own.locator(".jp-OutputArea")).to_contain_text(f"own {number + 40}")
    finally:
        for _ in range(cells.filter(has_text="print('own'").count()):
            cells.filter(has_text="print('own'").first.locator(".cm-content").click()
            page.keyboard.press("Escape")
            page.keyboard.press("d")
            page.keyboard.press("d")


def test_a_long_check_shows_its_first_lines(page, server, book):
    """Folded it runs as it is; the button shows the rest, also by keyboard."""
    notebook = Notebook(page, server, book, "work/ch02_preliminaries/2_1_data_manipulation.ipynb")
    check = notebook.cell("# Check 2.1.A")
    check.scroll_into_view_if_needed()
    editor, button = check.locator(".jp-InputArea-editor"), check.locator(".d2l-unfold")
    expect(button).to_have_text(re.compile(r"Show all \d+ lines"))
    expect(button).to_have_attribute("aria-expanded", "false")
    folded = editor.bounding_box()["height"]
    assert folded <= 130
    try:
        check.locator(".cm-line").first.click()
        page.keyboard.press("Control+Enter")
        expect(check.locator(".d2l-check")).to_contain_text("2.1.A not yet")
        assert editor.bounding_box()["height"] == folded
        button.focus()
        page.keyboard.press("Enter")
        expect(button).to_have_text("Show less")
        assert editor.bounding_box()["height"] > 2 * folded
        button.click()
        expect(button).to_have_attribute("aria-expanded", "false")
        assert editor.bounding_box()["height"] == folded
    finally:
        notebook.menu("Edit", "Clear Outputs of All Cells")
        notebook.saved()
        notebook.menu("Kernel", "Shut Down Kernel")
        expect(page.locator("#jp-main-statusbar")).to_contain_text("No Kernel")
