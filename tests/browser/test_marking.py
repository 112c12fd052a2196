"""`course mark`: one written exercise across the class, by keyboard alone, saved in nbgrader's gradebook."""
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

REPO = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPO / "tests/grading"))

from small_course import CHAPTER, NAME, Course, command_line, environment  # noqa: E402

CELL = "written-9-9-3"
NASTY = ('Axis 1 is used up. <img src=x onerror="window.stolen=1"> <script>window.stolen=2</script> '
         "[x](javascript:window.stolen=3) $a_1$")


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Course:
    course = Course(tmp_path_factory.mktemp("marking"))
    for student, words in {"ada": "Axis 1 is used up, axis 0 stays.", "eve": NASTY, "linus": "No idea."}.items():
        course.hand_in(student, course.notebook(a_9_9_3=words))
    course.run("course", "autograde", "--workers", "1")
    return course


@pytest.fixture
def desk(course):
    """The running page's address."""
    process = subprocess.Popen(command_line("course", "mark", "--no-browser"), cwd=course.root, text=True,
                               env=environment(course.root) | {"PYTHONUNBUFFERED": "1"}, stdout=subprocess.PIPE)
    said = ""
    while "token=" not in said:
        line = process.stdout.readline()
        assert line, f"it ended: {said}"
        said += line
    yield re.search(r"http://\S+", said).group(0)
    process.terminate()
    process.wait()


@pytest.fixture
def page(chromium):
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    yield context.new_page()
    context.close()


def recorded(course, student: str) -> tuple:
    from nbgrader.api import Gradebook
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}", "deep-learning") as gradebook:
        grade = gradebook.find_grade(CELL, NAME, CHAPTER, student)
        comment = gradebook.find_comment(CELL, NAME, CHAPTER, student)
        return grade.manual_score, grade.needs_manual_grade, comment.manual_comment


@pytest.mark.slow
def test_a_class_is_marked_by_keyboard(course, desk, page):
    page.goto(desk)
    expect(page.locator("body")).to_contain_text("3 of 3 written answers wait")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#where")).to_have_text("1 of 3, 3 wait")
    expect(page.locator("#who")).to_have_text("Answer 1")                # names are hidden
    page.locator("summary", has_text="model").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("The sum runs over axis 1")).to_be_visible()
    expect(page.locator("fieldset label")).to_have_count(3)
    order = []
    for expected in (2, 1, 0):
        page.locator("#hide").focus()
        page.keyboard.press("Space")
        order.append(page.locator("#who").inner_text())
        page.keyboard.press("Space")
        page.keyboard.press("Escape")
        expect(page.locator("body")).to_have_attribute("aria-busy", "false")
        page.locator("#words").focus()
        page.keyboard.press("1")
        page.keyboard.press("3")
        expect(page.locator("#points")).to_have_value("2")
        assert page.locator("#comment").input_value() == ("- Yes: names the axis.\n- Missing: says that it is used up.\n"
                                                          "- Yes: says what stays.")
        page.keyboard.press("c")
        page.keyboard.press("Control+End")
        page.keyboard.type("\nWell put.")
        page.keyboard.press("Control+Enter")
        expect(page.locator("#said")).to_contain_text("Saved: 2 of 3")
        expect(page.locator("#where")).to_contain_text(f"{expected} wait")
    assert sorted(order) == ["ada", "eve", "linus"]
    expect(page.locator("#said")).to_contain_text("Every answer to this exercise is marked.")
    for student in order:
        points, waits, comment = recorded(course, student)
        assert (points, waits) == (2.0, False) and comment.endswith("Well put.") and "Yes: names the axis" in comment
    page.goto(desk)
    expect(page.locator("body")).to_contain_text("0 of 3 written answers wait")


@pytest.mark.slow
def test_no_mark_replaces_another_unseen_and_none_is_lost_by_moving_on(course, desk, page):
    page.goto(desk)
    page.get_by_role("link", name="9.9.3").click()
    expect(page.locator("#where")).to_contain_text("1 of 3")
    page.locator("#hide").uncheck()
    student = page.locator("#who").inner_text()
    from nbgrader.api import Gradebook
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}", "deep-learning") as gradebook:      # formgrader, meanwhile
        gradebook.find_grade(CELL, NAME, CHAPTER, student).manual_score = 1.0
        gradebook.db.commit()
    page.locator("#points").fill("3")
    page.locator("#save").click()
    expect(page.locator("#said")).to_contain_text("Somebody else marked this answer meanwhile (1 points)")
    assert recorded(course, student)[0] == 1.0
    page.locator("#points").fill("7")
    page.locator("#save").click()
    expect(page.locator("#said")).to_contain_text("Give 0 to 3 points")
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    page.locator("#next").click()
    expect(page.locator("#who")).to_have_text(student)
    assert asked and "not saved" in asked[0]


@pytest.mark.slow
def test_nothing_of_a_student_runs_and_nobody_else_gets_in(course, desk, page, chromium):
    page.goto(desk)
    page.get_by_role("link", name="9.9.3").click()
    seen = ""
    for place in (1, 2, 3):
        expect(page.locator("#where")).to_contain_text(f"{place} of 3")
        seen += page.locator("#words").inner_text()
        page.wait_for_timeout(300)                          # in which it would have run
        page.locator("#words").focus()
        page.keyboard.press("n")
    assert "window.stolen" in seen and page.evaluate("window.stolen") is None
    base = desk.split("?")[0]
    stranger = chromium.new_context()
    assert stranger.request.get(base).status == 403 and "course mark" in stranger.request.get(base).text()
    assert stranger.request.get(base, headers={"Host": "evil.example"}).status == 403
    body = {"points": 3, "comment": "", "version": ""}
    assert page.request.put(f"{base}9.9.3/ada", data=body, headers={"Origin": "http://evil.example"}).status == 403
    assert page.request.put(f"{base}9.9.3/ada", data=body, headers={"Origin": base.rstrip("/")}).status == 409
    assert page.request.get(f"{base}9.9.3/nobody").status == 404 and page.request.get(f"{base}8.8.8").status == 404
    stranger.close()


@pytest.mark.slow
def test_it_says_what_to_do_before_anything_is_graded(tmp_path_factory):
    course = Course(tmp_path_factory.mktemp("empty"))
    result = course.run("course", "mark", "--no-browser")
    assert result.returncode == 2 and "Run `course autograde` first" in result.stderr
