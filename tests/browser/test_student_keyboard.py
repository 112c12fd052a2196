"""The book without a mouse: from the home page to a page, an answer, its check, a hint, the next step; and what lies about."""
import re

from lab_page import Notebook
from playwright.sync_api import Page, expect

CODE = "work/ch99_words/99_2_code.ipynb"
FOCUSED = "document.activeElement.getAttribute('aria-label') || document.activeElement.innerText"
MARK = "# Answer 99.2.1: this cell is yours."


def tab_to(page: Page, words: str, most: int = 60) -> None:
    """Presses Tab until what has the focus is called so."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if re.search(words, page.evaluate(FOCUSED)):
            return
    raise AssertionError(f"Tab never came to {words!r}")


def arrow_to(page: Page, key: str, words: str) -> None:
    for _ in range(12):
        page.keyboard.press(key)
        if words in page.evaluate("document.activeElement.innerText"):
            return
    raise AssertionError(f"{key} never came to {words!r}")


def test_a_page_is_opened_from_the_home_page(page, server):
    page.goto(f"http://127.0.0.1:{server.port}/lab?token={server.token}&reset")
    page.locator(".d2l-home:visible").wait_for()
    expect(page.locator("#jp-main-dock-panel")).to_be_visible()
    tab_to(page, "exercises of 2.1 Data manipulation")
    page.keyboard.press("Enter")
    expect(page.locator(".d2l-page", has_text="2.1 Data manipulation").get_by_role("button", name="2.1.3a")).to_be_visible()
    tab_to(page, "2.1.3a")
    page.keyboard.press("Enter")
    panel = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
    expect(panel.locator(".jp-Cell").filter(has_text="Exercise 2.1.3a").first).to_be_in_viewport()


def test_an_answer_its_check_a_hint_and_what_comes_next(page, server, book):
    notebook = Notebook(page, server, book, CODE)
    expect(page.locator(".jp-Notebook .jp-Cell.jp-mod-active")).to_be_focused()
    check = notebook.cell("# Check 99.2.1")
    try:
        arrow_to(page, "ArrowDown", "Answer 99.2.1")
        page.keyboard.press("Enter")
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(f"{MARK}\ndef twice(x):\n    return 3 * x")
        page.keyboard.press("Control+Shift+Enter")
        expect(check.locator(".d2l-check")).to_contain_text("99.2.1 not yet")
        tab_to(page, "^Hint 1")
        page.keyboard.press("Enter")
        expect(check.get_by_text("What is x + x?")).to_be_visible()
        page.keyboard.press("Escape")
        arrow_to(page, "ArrowUp", "Answer 99.2.1")
        page.keyboard.press("Enter")
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(f"{MARK}\ndef twice(x):\n    return 2 * x")
        page.keyboard.press("Control+Shift+Enter")
        expect(check.locator(".d2l-check")).to_contain_text("99.2.1 passes its visible check")
        following = check.locator(".d2l-next button").first
        tab_to(page, re.escape(following.inner_text()))
        expect(following).to_be_focused()
    finally:
        notebook.hand_back("99.2.1")


def test_the_keys_go_on_from_the_next_exercise(page, server, book):
    """After Next the focus stands where the page does: the arrows and Enter are the next exercise's."""
    notebook = Notebook(page, server, book, "work/ch00_start/0_how_this_book_works.ipynb")
    check = notebook.cell("# Check 0.1")
    try:
        notebook.write(notebook.cell("# Answer 0.1"),
                       "# Answer 0.1: this cell is yours.\ndef to_fahrenheit(c):\n    return c * 9 / 5 + 32")
        page.keyboard.press("Control+Shift+Enter")
        expect(check.locator(".d2l-check")).to_contain_text("0.1 passes its visible check")
        tab_to(page, "^Next: 0.2")
        page.keyboard.press("Enter")
        expect(notebook.cell("Exercise 0.2")).to_be_focused()
        arrow_to(page, "ArrowDown", "Answer 0.2")
    finally:
        notebook.hand_back("0.1")


def test_a_formula_wider_than_the_page_is_scrolled_by_the_arrows(page, server, book):
    page.set_viewport_size({"width": 640, "height": 900})
    notebook = Notebook(page, server, book, "work/ch99_words/99_1_words.ipynb")
    wide = notebook.panel.get_by_role("group", name="A formula, wider than the page")
    expect(wide).to_have_count(1)
    notebook.cell("99.1 In words").click()
    tab_to(page, "^A formula, wider")
    expect(wide).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert wide.evaluate("box => box.scrollLeft") > 60
    page.keyboard.press("ArrowLeft")
    assert 0 < wide.evaluate("box => box.scrollLeft") < 60
    page.set_viewport_size({"width": 1900, "height": 900})
    expect(notebook.panel.locator("mjx-container[tabindex]")).to_have_count(0)


def test_the_file_browser_shows_what_is_the_readers(page, server, book):
    (book / "mine.txt").write_text("mine")
    page.goto(f"http://127.0.0.1:{server.port}/lab?token={server.token}&reset")
    page.locator(".d2l-home:visible").wait_for()
    for _ in range(5):                  # the side bar of last time comes after the page; a click on its tab would close it
        try:
            page.locator(".jp-BreadCrumbs-home:visible").click(timeout=3000)
            break
        except TimeoutError:
            page.get_by_role("tab", name=re.compile("File Browser")).click()
    names = page.locator(".jp-DirListing-item:visible .jp-DirListing-itemText")
    expect(names.get_by_text("work", exact=True)).to_be_visible()
    expect(names.get_by_text("mine.txt")).to_be_visible()
    assert not {"solutions", "notebooks", "nbgrader_config.py"} & set(names.all_inner_texts())
