"""A student's way through nbgrader's exchange in JupyterLab: fetch, what is left, submit, feedback."""
import json
import os
import shutil
from pathlib import Path

import commands
import pytest
from lab_page import Notebook
from playwright.sync_api import expect

from course.lab import start

ROOT = Path(__file__).resolve().parents[2]
CHAPTER = "ch00_start"
PAGE = f"{CHAPTER}/0_how_this_book_works.ipynb"


def command(course: Path, *words: str) -> None:
    """An instructor's command, in the course's folder."""
    names = {"course": "course.cli", "nbgrader": "nbgrader"}
    done = commands.run(names[words[0]], *words[1:], cwd=course,
                        env=os.environ | {"COURSE_ROOT": str(course), "OMP_NUM_THREADS": "1"})
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    """A course of one chapter, which its teacher has released."""
    root = tmp_path_factory.mktemp("course")
    shutil.copy(ROOT / "nbgrader_config.py", root)
    shutil.copytree(ROOT / f"solutions/{CHAPTER}", root / f"solutions/{CHAPTER}")
    command(root, "course", "build")
    command(root, "nbgrader", "release_assignment", CHAPTER)
    return root


@pytest.fixture(scope="module")
def classroom(course):
    start.sync(course)
    shutil.rmtree(course / "work" / CHAPTER)        # a student who has not got the chapter yet
    with start.running(course, home=True) as running:
        yield running


def assignments(page):
    page.locator(".lm-MenuBar-itemLabel", has_text="Nbgrader").click()
    page.locator(".lm-Menu-itemLabel", has_text="Assignment List").click()


@pytest.mark.slow
def test_fetch_submit_and_feedback(page, classroom, course):
    page.goto(classroom.url + "&reset")
    expect(page.locator(".d2l-home h1")).to_be_visible()
    assignments(page)
    page.locator("#released_assignments_list").get_by_role("button", name="Fetch").click()
    submit = page.locator("#fetched_assignments_list .item_status").get_by_role("button", name="Submit", exact=True)
    expect(submit).to_be_visible()
    assert (course / "work" / PAGE).exists()

    notebook = Notebook(page, classroom, course, f"work/{PAGE}")
    answer = notebook.cell("# Answer 0.1")
    notebook.write(answer, "# Answer 0.1: this cell is yours.\ndef to_fahrenheit(celsius):\n    return celsius * 9 / 5 + 32")
    notebook.run(notebook.cell("from d2l_utils.check import"))
    notebook.run(answer)
    notebook.run(notebook.cell("# Check 0.1"))      # not saved: the list below saves it
    assignments(page)
    submit.click()
    dialog = page.locator(".jp-Dialog")
    expect(dialog).to_contain_text(f"Submit {CHAPTER}?")
    expect(dialog.get_by_role("listitem")).to_have_text([
        "0.2 How many numbers to learn: not answered", "0.3 Why hidden tests: not answered"])
    dialog.get_by_role("button", name="Go back").click()
    submitted = page.locator("#submitted_assignments_list .list_item").filter(has_text=CHAPTER)
    expect(submit).to_be_enabled()
    expect(submitted).to_have_count(0)
    submit.click()
    dialog.get_by_role("button", name="Submit all the same").click()
    expect(submitted.first).to_be_visible()
    handed_in = next((course / "exchange/deep-learning/inbound").glob("*/*.ipynb"))
    assert "celsius * 9 / 5 + 32" in json.dumps(json.loads(handed_in.read_text()))

    command(course, "nbgrader", "collect", CHAPTER)
    command(course, "course", "autograde", CHAPTER, "--workers", "1")
    command(course, "nbgrader", "generate_feedback", CHAPTER)
    command(course, "nbgrader", "release_feedback", CHAPTER)
    page.locator("#refresh_assignments_list").click()
    submitted.first.get_by_role("button", name="Fetch Feedback").click()
    link = page.locator("#submitted_assignments_list a", has_text="feedback")
    expect(link.first).to_be_visible()
    found = next((course / f"work/{CHAPTER}/feedback").rglob("*.html"))
    assert "to_fahrenheit" in found.read_text()
