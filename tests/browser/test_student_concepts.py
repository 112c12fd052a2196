"""What a task builds on, in JupyterLab: the links under the task, on a failed check's card, and in the index."""
import pytest
from lab_page import Notebook
from playwright.sync_api import expect

LESSON = "A heading with a formula"


@pytest.fixture
def notebook(server, book, page):
    return Notebook(page, server, book, "work/ch99_words/99_2_code.ipynb")


def test_a_link_under_the_task_opens_the_lesson_in_another_notebook(notebook):
    task = notebook.cell("Exercise 99.2.1")
    expect(task).to_contain_text("Builds on: the reason (99.1)")
    task.get_by_role("link", name="the reason").click()
    expect(notebook.cell(LESSON)).to_be_in_viewport()


def test_a_failed_check_says_what_to_read_again(notebook):
    check = notebook.cell("# Check 99.2.1")
    notebook.run(notebook.cell("from d2l_utils.check"))
    notebook.run(check)
    expect(check.locator(".d2l-check")).to_contain_text("99.2.1 not yet")
    expect(check.locator(".d2l-check")).not_to_contain_text("Read again")
    answer = notebook.cell("# Answer 99.2.1")
    notebook.write(answer, "# Answer 99.2.1: this cell is yours.\ndef twice(x):\n    return x")
    notebook.run(answer)
    notebook.run(check)
    expect(check.locator(".d2l-check")).to_contain_text("Read again: the reason (99.1).")
    check.locator(".d2l-check").get_by_role("link", name="the reason").click()
    expect(notebook.cell(LESSON)).to_be_in_viewport()


def test_the_index_is_on_the_home_page_and_leads_to_lessons_and_exercises(notebook, page):
    page.locator(".lm-TabBar-tab", has_text="Home").first.click()
    page.locator(".d2l-home:visible").get_by_role("link", name="Index of ideas").click()
    entry = notebook.panel.locator("li").filter(has_text="the reason")
    expect(entry).to_have_text("the reason: 99.1 In words; needed by 99.2.1")
    entry.get_by_role("link", name="99.2.1").click()
    expect(notebook.cell("Exercise 99.2.1")).to_be_in_viewport()
