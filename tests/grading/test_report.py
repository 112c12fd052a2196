"""What a teacher sees of a class, what goes out of it, and who may hand in later."""
import csv
import re
from datetime import datetime, timedelta, timezone

import nbformat
import pytest
from small_course import CHAPTER

from course.grading.autograde import misnamed
from course.grading.results import collect, summaries


@pytest.fixture(scope="module")
def graded(course):
    for number in range(6):
        course.hand_in(f"strong{number}", course.notebook(a_9_9_3=""))
        course.hand_in(f"weak{number}", course.notebook(a_9_9_1="def twice(x): return 6", a_9_9_3="",
                                                        a_9_9_2="def row_sums(X):\n    return X.mean(1)"))
    course.hand_in("ada", course.notebook())
    course.hand_in("late", course.notebook(a_9_9_3=""))
    due = datetime.now(timezone.utc) - timedelta(days=30)
    (course.root / f"submitted/late/{CHAPTER}/timestamp.txt").write_text(
        (due + timedelta(days=1, hours=1)).strftime("%Y-%m-%d %H:%M:%S.%f UTC"))
    course.run("nbgrader", "db", "assignment", "add", CHAPTER, "--duedate", due.strftime("%Y-%m-%d %H:%M:%S.%f UTC"),
               check=True)
    course.run("course", "autograde", "--workers", "2")
    return course


def rows(course, form: str) -> list[list[str]]:
    result = course.run("course", "export", "--format", form, check=True)
    assert "1 totals wait for a person's marks" in result.stderr
    with open(course.root / f"grades/{form}.csv", encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_it_counts_what_is_right_and_tells_strong_from_weak(graded):
    twice, sums, why = summaries(collect(graded.root))
    assert (twice.handed_in, twice.right, sums.right, why.waiting) == (14, 8, 8, 1)
    assert twice.mean == pytest.approx(16 / 14) and twice.parts == pytest.approx(1.0) and why.parts is None
    assert twice.mistakes == [("knows the visible case only", 6)] and why.nothing == 13


def test_a_partial_run_does_not_replace_the_class(graded):
    before = (graded.root / "grades/report.html").read_text()
    graded.run("course", "autograde", "--force", "--student", "ada")
    after = (graded.root / "grades/report.html").read_text()
    assert all(f"<th>{name}</th>" in page for name in ("strong0", "weak5", "late") for page in (before, after))


def test_the_page_leads_to_the_feedback(graded):
    graded.run("course", "feedback", check=True)
    graded.run("course", "report", check=True)
    page = (graded.root / "grades/report.html").read_text()
    link = re.search(r'<a href="([^"#]*weak3[^"#]*)#exercise-9.9.2"', page).group(1)
    target = (graded.root / "grades" / link).resolve()
    assert 'id="exercise-9.9.2"' in target.read_text()


def test_a_total_is_what_it_says_in_each_form(graded):
    by_exercise = rows(graded, "exercises")
    assert by_exercise[0] == ["student", "chapter", "exercise", "title", "points", "out_of", "state", "final"]
    assert ["weak0", CHAPTER, "9.9.2", "Row sums", "1", "3", "partly right", "yes"] in by_exercise
    assert ["ada", CHAPTER, "total", "", "5", "8", "1 wait for a person's mark", "no"] in by_exercise
    assert ["late", CHAPTER, "total", "less 1 for lateness", "4", "8", "final", "yes"] in by_exercise
    canvas = rows(graded, "canvas")
    # as Canvas's gradebook exports it; ID or SIS Login ID finds the student
    assert canvas[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", CHAPTER]
    assert canvas[1] == ["Points Possible", "", "", "", "", "8"]
    assert ["late", "", "", "late", "", "4"] in canvas and ["ada", "", "", "ada", "", ""] in canvas
    moodle = rows(graded, "moodle")
    assert moodle[0] == ["Username", "ID number", "Email address", CHAPTER] and ["weak1", "", "", "1"] in moodle
    assert len({len(row) for row in moodle}) == 1


def test_an_extension_is_obeyed_at_once_and_can_be_taken_back(graded):
    def total() -> str:
        return next(row[4] for row in rows(graded, "exercises") if row[0] == "late" and row[2] == "total")
    said = graded.run("course", "extend", "late", CHAPTER, "--days", "2", check=True).stdout
    assert "2 days after the others" in said and total() == "5"
    graded.run("course", "autograde", "--force", "--student", "late")
    assert total() == "5"
    (graded.root / "extensions.csv").write_text(f"student,chapter,days\nlate,{CHAPTER},0.5\n")     # the line by hand
    assert total() == "4.5"     # a day begun
    graded.run("course", "extend", "late", CHAPTER, "--days", "0", check=True)
    assert total() == "4"       # two days begun
    assert (graded.root / "extensions.csv").read_text().split() == ["student,chapter,days"]
    # before anything is handed in
    assert "is due" in graded.run("course", "extend", "nobody-yet", CHAPTER, check=True).stdout
    (graded.root / "extensions.csv").write_text("late;a week\n")
    for command in (["autograde", "--force", "--student", "late"], ["report"], ["export"], ["feedback"]):
        result = graded.run("course", *command)
        assert result.returncode and "extensions.csv, line 1" in result.stderr and "Traceback" not in result.stderr
    (graded.root / "extensions.csv").unlink()
    assert "no chapter 'ch00'" in graded.run("course", "extend", "late", "ch00").stderr


def test_solutions_are_released_with_the_answers_and_nothing_hidden(graded):
    result = graded.run("nbgrader", "generate_solution", CHAPTER)
    assert result.returncode == 0, result.stderr[-2000:]
    (path,) = (graded.root / "solution" / CHAPTER).glob("*.ipynb")
    text = "\n".join(cell.source for cell in nbformat.read(path, 4).cells)
    assert "return 2 * x" in text and "The sum runs over axis 1" in text and 'assert_equal(twice(3), 6, "twice 3")' in text
    assert not [word for word in ("### BEGIN", "### END", "Rubric", "says that it is used up", "8302", "HIDDEN") if word in text]


def test_what_lies_where_nothing_is_graded_is_named(tmp_path):
    names = {"ch02_first": ["2_1_tensors", "2_2_tables"], "ch03_next": ["3_1_lines"], "ch04_later": ["4_1_x"]}
    for path in ("ada/ch02_first/2_1_tensors (1).ipynb", "ada/ch02_first/2_2_tables.ipynb", "ada/ch2/2_1_tensors.ipynb",
                 "x y/ch02_first/2_1_tensors.ipynb", "linus/ch03_next/notes.ipynb", "linus/ch03_next/data.csv",
                 "linus/ch04_later/4_1_x.ipynb"):
        (tmp_path / "submitted" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "submitted" / path).write_text("")
    chapter, tensors, notes, later, name = misnamed(tmp_path, names, ["ch02_first", "ch03_next"])
    assert "this course does not use the chapter" in later
    assert "ada/'ch2' is left out: the book has no such chapter. There are: ch02_first, ch03_next" in tensors + chapter
    assert "'2_1_tensors (1).ipynb' is left out" in chapter + tensors
    assert "If it is 2_1_tensors.ipynb, rename it" in chapter + tensors
    assert "linus/'ch03_next'/'notes.ipynb'" in notes and "rename" not in notes and "'x y'" in name


def test_where_output_is_no_terminal_lines_say_how_far_it_is(monkeypatch):
    from io import StringIO

    from rich.console import Console

    from course.grading import progress
    clock = iter(range(0, 1000, 6))
    monkeypatch.setattr(progress.time, "monotonic", lambda: float(next(clock)))
    with progress.progress(Console(file=StringIO()), "grading") as told:
        for done in range(5):
            told(done, 5, "2 failed")
    console = Console(file=(said := StringIO()))
    with progress.progress(console, "grading") as told:
        for done in range(6):
            told(done, 5, "2 failed")
    assert said.getvalue().splitlines() == ["grading: 1 of 5, about 48 s left; 2 failed",
                                            "grading: 3 of 5, about 16 s left; 2 failed"]


def test_nothing_graded_says_what_to_do(fresh):
    for command in ("report", "export", "feedback"):
        result = fresh.run("course", command)
        assert result.returncode == 2 and "Run `course autograde` first" in result.stderr
    (fresh.root / "submitted").mkdir()
    result = fresh.run("course", "autograde", "--workers", "1")
    assert result.returncode == 0 and "Nobody has handed in anything" in result.stdout


def test_an_extension_before_there_is_a_due_date_counts_when_there_is_one(fresh):
    handed_in = datetime.now(timezone.utc) - timedelta(days=1)
    path = fresh.hand_in("ada", fresh.notebook(a_9_9_3=""))
    (path.parent / "timestamp.txt").write_text(handed_in.strftime("%Y-%m-%d %H:%M:%S.%f UTC"))
    fresh.run("course", "autograde", "--workers", "1")
    assert "without a due date so far" in fresh.run("course", "extend", "ada", CHAPTER, "--days", "3", check=True).stdout
    fresh.run("course", "report", check=True)
    due = (handed_in - timedelta(days=2)).strftime("%Y-%m-%d %H:%M:%S.%f UTC")
    fresh.run("nbgrader", "db", "assignment", "add", CHAPTER, "--duedate", due, check=True)
    assert not collect(fresh.root).late
    fresh.run("course", "extend", "ada", CHAPTER, "--days", "0", check=True)
    assert collect(fresh.root).late
