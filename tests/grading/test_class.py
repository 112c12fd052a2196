"""A class graded for real: `course autograde` and nbgrader's own commands, on broken and sound submissions."""
from __future__ import annotations

import csv
import json
import os

import nbformat
import pytest
from small_course import command_line, environment

CHAPTER, NAME = "ch09_small", "9_9_small"

RIGHT = {"check-9-9-1": 2.0, "check-9-9-2": 3.0}
NONE = {"check-9-9-1": 0.0, "check-9-9-2": 0.0}


def checks(scores: dict[str, float | None]) -> dict[str, float | None]:
    return {name: score for name, score in scores.items() if name.startswith("check")}


def strip_ids(made):
    for cell in made.cells:
        cell.metadata.pop("nbgrader", None)
    return made


def without(made, prefix):
    made.cells = [c for c in made.cells if not c.metadata.get("nbgrader", {}).get("grade_id", "").startswith(prefix)]
    return made


def edited(made):
    """Points raised and tests emptied by the student."""
    for cell in made.cells:
        meta = cell.metadata.get("nbgrader", {})
        if meta.get("grade") and meta.get("points"):
            meta["points"] = 100
            cell.source = "pass"
    return made


def doubled(made):
    wrong = json.loads(json.dumps(next(c for c in made.cells if c.id == "answer-9-9-1")))
    wrong["source"] = "def twice(x): return 0"
    made.cells.append(nbformat.from_dict(wrong))
    return made


def old_format(made):
    return nbformat.writes(nbformat.convert(made, 3))


def helper_elsewhere(made):
    i = next(i for i, c in enumerate(made.cells) if c.id == "answer-9-9-1")
    made.cells.insert(i, nbformat.v4.new_code_cell("def helper(x): return 2 * x"))
    made.cells[i + 1].source = "def twice(x): return helper(x)"
    return made


@pytest.fixture(scope="module")
def graded(course):
    """The class after one `course autograde`, with its scores and the command's result."""
    hand_in = course.hand_in
    hand_in("right", course.notebook())
    hand_in("warns", course.notebook(a_9_9_1="import sys, warnings\ndef twice(x):\n    warnings.warn('w'); "
                                             "print('x', file=sys.stderr); return x + x"))
    hand_in("visible_only", course.notebook(a_9_9_1="def twice(x): return 6"))
    hand_in("partly", course.notebook(a_9_9_2="def row_sums(X): return X.mean(dim=1)"))
    hand_in("blank", course.blank())
    hand_in("crashes", course.notebook(a_9_9_1="import os\nos._exit(0)"))
    hand_in("kills", course.notebook(a_9_9_1="import os, signal\ntry: os.kill(os.getppid(), signal.SIGKILL)\n"
                                             "except PermissionError: pass\ndef twice(x): return x * 2"))
    hand_in("exits", course.notebook(a_9_9_1="import sys\nsys.exit()"))
    hand_in("no_ids", strip_ids(course.notebook()))
    hand_in("no_checks", without(course.notebook(), "check"))
    hand_in("no_answer", without(course.notebook(), "answer-9-9-1"))
    hand_in("edited", edited(course.notebook(a_9_9_1="def twice(x): return 0")))
    hand_in("doubled", doubled(course.notebook()))
    hand_in("old", old_format(course.notebook()))
    hand_in("helper", helper_elsewhere(course.notebook()))
    hand_in("not_json", "{ not json")
    hand_in("empty", "")
    hand_in("not_text", b"\xff\xfe\x00\x01" * 50)
    hand_in("no_cells", '{"metadata": {}}')
    path = hand_in("link", "")
    path.unlink()
    os.symlink("/etc/hostname", path)
    (course.root / "submitted/nothing" / CHAPTER).mkdir(parents=True)
    result = course.run("course", "autograde", "--workers", "2")
    return course, result, course.scores()


@pytest.mark.parametrize("student, expected", {
    "right": RIGHT, "warns": RIGHT, "visible_only": RIGHT | {"check-9-9-1": 0.0},
    "partly": {"check-9-9-1": 2.0, "check-9-9-2": 1.0}, "blank": NONE,
    "crashes": RIGHT | {"check-9-9-1": 0.0}, "kills": RIGHT, "exits": RIGHT | {"check-9-9-1": 0.0},
    "no_ids": RIGHT, "no_checks": RIGHT, "no_answer": RIGHT | {"check-9-9-1": 0.0},
    "edited": RIGHT | {"check-9-9-1": 0.0}, "doubled": RIGHT, "old": RIGHT, "helper": RIGHT,
    "not_json": NONE, "empty": NONE, "not_text": NONE, "no_cells": NONE, "link": NONE, "nothing": NONE}.items())
def test_each_submission_gets_what_it_earned(graded, student, expected):
    assert checks(graded[2][student]) == expected


def test_written_answers_wait_for_a_person_and_blank_ones_get_nothing(graded):
    scores = graded[2]
    assert scores["right"]["written-9-9-3"] is None
    assert scores["blank"]["written-9-9-3"] == 0.0


def test_unreadable_ones_are_named_with_the_reason_and_the_exit_status(graded):
    _, result, _ = graded
    assert result.returncode == 1
    for student, reason in {"not_json": "not JSON", "empty": "is empty", "not_text": "not UTF-8", "link": "symbolic link",
                            "no_cells": "has no cells", "nothing": "no notebook of this name"}.items():
        assert any(student in line and reason in line for line in result.stdout.splitlines()), student


def test_the_tables_name_the_known_mistake(graded):
    course, result, scores = graded
    waiting = sum(those["written-9-9-3"] is None for those in scores.values())
    assert "knows the visible case only" in result.stdout
    assert "takes the mean" in (course.root / "autograded/partly" / CHAPTER / f"{NAME}.ipynb").read_text()
    assert waiting > 5 and f"{waiting} written answers of {waiting} students wait for a person's mark" in result.stdout
    page = (course.root / "grades/report.html").read_text()
    assert "visible_only" in page and "9.9.2" in page and "src=" not in page and "http:" not in page
    assert "knows the visible case only" in page and "def twice(x): return 6" in page        # the mistake with an example
    assert f"<b>Not final:</b> {waiting} written answers" in page and "? could not be read" in page


def test_nothing_is_graded_twice_unless_it_changed(graded):
    course, _, before = graded
    assert "0 notebooks graded, 21 unchanged" in course.run("course", "autograde", "--workers", "1").stdout
    course.hand_in("blank", course.notebook())
    assert "1 notebooks graded, 20 unchanged" in course.run("course", "autograde", "--workers", "1").stdout
    after = course.scores()
    assert checks(after["blank"]) == RIGHT
    assert {k: v for k, v in after.items() if k != "blank"} == {k: v for k, v in before.items() if k != "blank"}
    course.hand_in("blank", course.blank())
    course.run("course", "autograde", "--student", "blank")


def test_nbgraders_own_command_gives_the_same_scores(graded):
    course, _, before = graded
    result = course.run("nbgrader", "autograde", CHAPTER, "--force", "--CourseDirectory.student_id_exclude=nothing")
    assert result.returncode == 0, result.stderr[-3000:]
    assert course.scores() == before
    assert "0 notebooks graded" in course.run("course", "autograde", "--workers", "1").stdout


def test_feedback_and_export_are_nbgraders_and_show_no_test(graded):
    course, _, _ = graded
    result = course.run("nbgrader", "generate_feedback", CHAPTER)
    assert result.returncode == 0, result.stderr[-3000:]
    pages = {p.parent.parent.name: p.read_text() for p in (course.root / "feedback").glob("*/*/*.html")}
    assert len(pages) == 21
    for page in pages.values():
        assert "HIDDEN TESTS" not in page and "2469134" not in page and "-8302" not in page and "8302" not in page
        assert "<script src=\"http" not in page
    assert "twice a negative number" in pages["visible_only"] and "knows the visible case only" in pages["visible_only"]
    assert "ended the process" in pages["crashes"]
    assert course.run("nbgrader", "export").returncode == 0
    with open(course.root / "grades.csv", encoding="utf-8") as file:
        rows = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file) }
        file.seek(0)
        assert {row["student_id"]: row["waiting"] for row in csv.DictReader(file)}.items() >= {("right", "1"), ("blank", "0")}
    assert rows["right"] == 5.0 and rows["partly"] == 3.0 and rows["not_json"] == 0.0


def test_a_manual_score_and_comment_outlive_another_run(graded):
    from nbgrader.api import Gradebook
    course, _, _ = graded
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}", "deep-learning") as gradebook:
        gradebook.find_grade("written-9-9-3", NAME, CHAPTER, "right").manual_score = 2.5
        gradebook.find_comment("written-9-9-3", NAME, CHAPTER, "right").manual_comment = "Which axis?"
        gradebook.db.commit()
    assert course.run("course", "autograde", "--force", "--student", "right").returncode == 0
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}", "deep-learning") as gradebook:
        assert gradebook.find_submission(CHAPTER, "right").score == 7.5
        assert gradebook.find_comment("written-9-9-3", NAME, CHAPTER, "right").comment == "Which axis?"


@pytest.mark.parametrize("arguments, says", [(["ch99"], "No chapter 'ch99'"), (["--student", "zoe"], "No student 'zoe'"),
                                             (["--scheduler", "tcp://127.0.0.1:1"], "No Dask cluster")])
def test_a_wrong_name_gets_one_clear_line(graded, arguments, says):
    result = graded[0].run("course", "autograde", *arguments)
    assert result.returncode == 2 and says in result.stderr and "Traceback" not in result.stderr


def test_a_foreign_gradebook_is_refused_and_left_alone(fresh):
    fresh.hand_in("right", fresh.notebook())
    book = fresh.root / "gradebook.db"
    book.write_bytes(b"this is no database" * 100)
    result = fresh.run("course", "autograde", "--workers", "1")
    assert result.returncode == 1 and "Traceback" not in result.stderr
    assert "gradebook" in result.stderr and book.read_bytes() == b"this is no database" * 100


def test_a_notebook_of_another_course_is_not_graded_as_this_one(fresh):
    made = fresh.notebook()
    made.metadata["course"]["section"] = "2.1"
    fresh.hand_in("lost", made)
    result = fresh.run("course", "autograde", "--workers", "1")
    assert "is section 2.1, not 9.9" in result.stdout and checks(fresh.scores()["lost"]) == NONE


def test_a_gradebook_of_another_version_is_refused_and_left_alone(fresh):
    import sqlite3
    fresh.hand_in("right", fresh.notebook())
    with sqlite3.connect(fresh.root / "gradebook.db") as base:
        base.execute("ALTER TABLE grade RENAME COLUMN needs_manual_grade TO needs_marking")
    before = (fresh.root / "gradebook.db").read_bytes()
    result = fresh.run("course", "autograde", "--workers", "1")
    assert result.returncode == 1 and "Traceback" not in result.stderr
    assert "lacks needs_manual_grade" in result.stderr and "nbgrader db upgrade" in result.stderr
    assert (fresh.root / "gradebook.db").read_bytes() == before


def test_a_full_disk_stops_with_one_line_and_the_next_run_goes_on(fresh):
    import subprocess
    for i in range(3):
        fresh.hand_in(f"s{i}", fresh.notebook(a_9_9_1=f"# {i}\ndef twice(x): return x + x"))
    (fresh.root / "autograded").mkdir()
    small = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
             'mount -t tmpfs -o size=32k tmpfs autograded && exec "$@"', "sh"]
    result = subprocess.run([*small, *command_line("course", "autograde", "--workers", "1")], cwd=fresh.root,
                            env=environment(fresh.root), capture_output=True, text=True, timeout=120)
    assert result.returncode == 1 and "No space left" in result.stderr and "Traceback" not in result.stderr
    assert fresh.run("course", "autograde", "--workers", "1").returncode == 0
    assert {s: checks(those) for s, those in fresh.scores().items()} == {f"s{i}": RIGHT for i in range(3)}
