"""The feedback pages: what a student reads first, what waits for marks, and what is written again."""
import html
import re

import pytest
from small_course import CHAPTER, NAME

WORDS = "Axis 1 is *used up*. <script>pwned()</script> [x](javascript:pwned()) $a_1$"


@pytest.fixture(scope="module")
def graded(course):
    course.hand_in("ada", course.notebook(a_9_9_3=WORDS))
    course.hand_in("linus", course.notebook(a_9_9_2="def row_sums(X):\n    return X.mean(1)"))
    course.hand_in("hedy", course.blank())
    course.hand_in("niklaus", "")
    course.run("course", "autograde", "--workers", "1")
    assert course.run("course", "feedback", check=True).stdout.startswith("4 feedback pages written, 0 unchanged")
    return course


def page(course, student: str) -> str:
    return (course.root / "feedback" / student / CHAPTER / f"{NAME}.html").read_text(encoding="utf-8")


def table(course, student: str) -> dict[str, str]:
    """exercise -> points, state and what to look at next, as the page's first table has them."""
    first = re.search(r"<tbody>(.*?)</tbody>", page(course, student), re.DOTALL).group(1)
    rows = re.findall(r"<tr>(.*?)</tr>", first, re.DOTALL)
    words = [html.unescape(" ".join(re.sub(r"<[^>]+>", " ", row).split())) for row in rows]
    return {line.split()[0]: line for line in words}


def test_a_page_begins_with_what_there_is_and_what_to_look_at(graded):
    ada, linus, hedy = (table(graded, student) for student in ("ada", "linus", "hedy"))
    assert list(ada) == list(linus) == list(hedy) == ["9.9.1", "9.9.2", "9.9.3"]
    assert ada["9.9.1"].endswith("✓ right") and "waits for a person's mark" in ada["9.9.3"]
    assert "1 of 3 ◐ partly right" in linus["9.9.2"] and "the values" in linus["9.9.2"]
    assert all("no answer" in line for line in hedy.values())
    for student in ("ada", "linus", "hedy"):
        text = page(graded, student)
        assert {f'href="#exercise-{n}"' in text and f'id="exercise-{n}"' in text for n in ada} == {True}
    assert "<b>Not final:</b> 1 written answer" in page(graded, "ada") and "Total so far, not final" in page(graded, "ada")
    assert "Not final" not in page(graded, "hedy")
    assert "Not graded: " in page(graded, "niklaus")


def test_it_shows_the_students_words_and_no_test(graded):
    text = page(graded, "ada")
    assert "<em>used up</em>" in text and "<msub>" in text and "pwned" in text
    assert "<script" not in text and "href=\"javascript" not in text and "default-src 'none'" in text
    for student in ("ada", "linus", "hedy"):
        assert not [word for word in ("HIDDEN", "assert_", "2469134", "-8302") if word in page(graded, student)]


def test_only_what_changed_is_written_again(graded):
    from nbgrader.api import Gradebook
    assert "0 feedback pages written, 4 unchanged" in graded.run("course", "feedback", check=True).stdout
    with Gradebook(f"sqlite:///{graded.root / 'gradebook.db'}", "deep-learning") as gradebook:
        grade = gradebook.find_grade("written-9-9-3", NAME, CHAPTER, "ada")
        grade.manual_score, grade.needs_manual_grade = 2.0, False
        gradebook.find_comment("written-9-9-3", NAME, CHAPTER, "ada").manual_comment = "Which <b>axis</b>? <script>1</script>"
        gradebook.db.commit()
    assert "1 feedback pages written, 3 unchanged" in graded.run("course", "feedback", check=True).stdout
    assert "2 of 3 ✎ marked by a person" in table(graded, "ada")["9.9.3"]
    assert "Which <b>axis</b>?" in page(graded, "ada") and "<script" not in page(graded, "ada")
    assert "Not final" not in page(graded, "ada")


def test_nbgraders_command_makes_the_same_page(graded):
    ours = page(graded, "linus")
    result = graded.run("nbgrader", "generate_feedback", CHAPTER, "--student", "linus", "--force")
    assert result.returncode == 0, result.stderr[-2000:]
    without = re.compile(r'(course-key" content=)"[^"]*"')
    assert without.sub(r"\1", page(graded, "linus")) == without.sub(r"\1", ours)


def test_what_did_not_come_through_the_exchange_stops_no_release(graded):
    folder = graded.root / "feedback/ada" / CHAPTER
    (folder / "submission_secret.txt").write_text("a secret")
    assert not (folder / "timestamp.txt").exists()
    (graded.root / "exchange").mkdir(exist_ok=True)
    released = graded.run("nbgrader", "release_feedback", CHAPTER)
    assert released.returncode == 0, released.stderr[-2000:]
    assert len(list((graded.root / "exchange").rglob("*.html"))) == 1
    assert "linus was not handed in through the exchange" in released.stderr
