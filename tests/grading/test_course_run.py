"""A course from release to CSV, with nbgrader's own commands: two students with the bundle, one late, and a teacher."""
from __future__ import annotations

import csv
import os
import pwd
import shutil
from datetime import datetime, timedelta, timezone
from pathlib import Path

import commands
import nbformat
import pytest
from small_course import CHAPTER, NAME, REPO, Course, environment

from course.book.release import generate
from course.lab.bundle import bundle

HIDDEN = ("-4151", "2469134", "torch.randn", "HIDDEN")         # of the small book's hidden tests


class Student:
    """A person with the bundle in a folder of their own, whose JupyterLab knows them by `name`."""

    def __init__(self, name: str, course: Course, folder: Path):
        self.name, self.folder = name, folder
        bundle(course.root, REPO, folder, exchange=str(course.root / "exchange"))
        self.environment = environment(folder) | {
            "JUPYTERHUB_USER": name, "JUPYTER_DATA_DIR": str(folder / ".book/lab/data"), "PYTHONPATH": str(folder)}

    def run(self, *command: str) -> str:
        done = commands.run("nbgrader", *command, cwd=self.folder, env=self.environment, timeout=120)
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout + done.stderr

    def write(self, **answers: str) -> None:
        """Fills in answer cells of the fetched notebook, as in JupyterLab: written_9_9_3="..."."""
        path = self.folder / "work" / CHAPTER / f"{NAME}.ipynb"
        notebook = nbformat.read(path, 4)
        for cell in notebook.cells:
            if cell.id.replace("-", "_") in answers:
                cell.source = answers[cell.id.replace("-", "_")]
        nbformat.write(notebook, path)


def teacher(course: Course, *command: str) -> str:
    done = course.run("nbgrader", *command)
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    return done.stdout + done.stderr


def mark_by_hand(course: Course, student: str, points: float, comment: str) -> None:
    """A score and a comment for the written answer, as formgrader saves them."""
    from nbgrader.api import Gradebook
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}", "deep-learning") as gradebook:
        grade = gradebook.find_grade("written-9-9-3", NAME, CHAPTER, student)
        assert grade.needs_manual_grade
        grade.manual_score, grade.needs_manual_grade = points, False
        gradebook.find_comment("written-9-9-3", NAME, CHAPTER, student).manual_comment = comment
        gradebook.db.commit()


@pytest.mark.slow
def test_release_to_csv(fresh, tmp_path_factory):
    """Two students fetch, work and submit, one late; collected, graded, marked by hand; feedback read; CSV."""
    folder = tmp_path_factory.mktemp("students")
    teacher(fresh, "release_assignment", CHAPTER)
    ada, linus = (Student(name, fresh, folder / name) for name in ("ada", "linus"))
    assert CHAPTER in ada.run("list")
    for student in (ada, linus):
        student.run("fetch_assignment", CHAPTER)
        student.write(answer_9_9_1="def twice(x):\n    return x + x", written_9_9_3="Axis 1 is used up, so axis 0 stays.",
                      answer_9_9_2=("def row_sums(X):\n    return X.sum(1)" if student is ada else
                                    "def row_sums(X):\n    return X.mean(1)"))
    ada.run("submit", CHAPTER)
    due = datetime.now(timezone.utc) + timedelta(milliseconds=200)
    teacher(fresh, "db", "assignment", "add", CHAPTER, "--duedate", due.strftime("%Y-%m-%d %H:%M:%S.%f UTC"))
    assert datetime.now(timezone.utc) > due
    linus.run("submit", CHAPTER)

    teacher(fresh, "collect", CHAPTER)
    assert sorted(path.name for path in (fresh.root / "submitted").iterdir()) == ["ada", "linus"]
    teacher(fresh, "autograde", CHAPTER)
    mark_by_hand(fresh, "ada", 2.5, "Say also what is *used up*: $a_1$.")
    mark_by_hand(fresh, "linus", 3.0, "Good.")
    teacher(fresh, "generate_feedback", CHAPTER)
    teacher(fresh, "release_feedback", CHAPTER)
    teacher(fresh, "export")

    pages = {}
    for student in (ada, linus):
        student.run("fetch_feedback", CHAPTER)
        (page,) = (student.folder / "work" / CHAPTER / "feedback").rglob("*.html")
        pages[student.name] = page.read_text(encoding="utf-8")
        assert not [text for text in HIDDEN if text in pages[student.name]]
        assert "src=\"http" not in pages[student.name] and "url(http" not in pages[student.name]
    assert "Say also what is" in pages["ada"] and "<msub>" in pages["ada"] and "Good." in pages["linus"]
    assert "the values" in pages["linus"]               # which part of 9.9.2 failed
    with open(fresh.root / "grades.csv", encoding="utf-8") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert {name: float(row["raw_score"]) for name, row in rows.items()} == {"ada": 7.5, "linus": 6.0}
    assert float(rows["ada"]["late_submission_penalty"]) == 0 and float(rows["ada"]["score"]) == 7.5
    # a day begun costs a tenth, of the score that the person gave too
    assert float(rows["linus"]["late_submission_penalty"]) == pytest.approx(0.6)
    assert float(rows["linus"]["score"]) == pytest.approx(5.4)


def test_generate_stops_at_somebodys_work(course):
    """`nbgrader generate_assignment --force` and formgrader's button replace a chapter; not where work is in it."""
    path = course.root / "notebooks" / CHAPTER / f"{NAME}.ipynb"
    released = path.read_bytes()
    notebook = nbformat.read(path, 4)
    next(cell for cell in notebook.cells if cell.id == "answer-9-9-1").source = "def twice(x): return x + x"
    nbformat.write(notebook, path)
    mine = path.read_bytes()
    try:
        done = course.run("nbgrader", "generate_assignment", CHAPTER, "--force")
        assert done.returncode == 1 and path.read_bytes() == mine
        said = [line for line in done.stderr.splitlines() if "holds answers (answer-9-9-1)" in line]
        assert len(said) == 1 and f"Move it to work/{CHAPTER}/{NAME}.ipynb" in said[0] and "Traceback" not in done.stderr
    finally:
        path.write_bytes(released)
    notes = path.with_name("notes.txt")
    notes.write_text("mine")
    with pytest.raises(RuntimeError, match="notes.txt holds a file that is not the book's"):
        generate(course.root, CHAPTER, release="notebooks")
    notes.unlink()
    own = nbformat.reads(released.decode(), 4)
    own.cells.append(nbformat.v4.new_code_cell("mine = 1"))
    nbformat.write(own, path)
    with pytest.raises(RuntimeError, match="holds cells that are not the book's"):
        generate(course.root, CHAPTER, release="notebooks")
    path.write_bytes(released)
    generate(course.root, CHAPTER, release="notebooks")
    assert path.read_bytes() == released


@pytest.mark.parametrize("per_day, seconds, penalty", [
    (0.1, 1, 1.0), (0.1, 86_400, 1.0), (0.1, 86_401, 2.0), (0.1, 30 * 86_400, 10.0), (0.0, 86_401, 0.0)])
def test_the_late_penalty_counts_days_begun_and_stops_at_the_score(per_day, seconds, penalty):
    from course.grading.plugins import LatePenalty
    assert LatePenalty(per_day=per_day).late_submission_penalty("ada", 10.0, seconds) == pytest.approx(penalty)


def test_a_folder_in_the_exchange_stops_nobody_elses(fresh, tmp_path):
    """Another's name, a link to the gradebook, a name without a time, a pipe: left out, each with one line."""
    me = pwd.getpwuid(os.getuid()).pw_name
    inbound = fresh.root / "exchange/deep-learning/inbound"
    released = fresh.root / "notebooks" / CHAPTER / f"{NAME}.ipynb"

    def submit(name: str) -> Path:
        folder = inbound / name
        folder.mkdir(parents=True)
        shutil.copy(released, folder)
        return folder

    time = "2026-11-01 10:00:00.000000 UTC"
    submit(f"{me}+{CHAPTER}+{time}+a")
    submit(f"someone+{CHAPTER}+{time}+a")
    submit(f"{me}+{CHAPTER}+never+a")
    (submit(f"{me}+{CHAPTER}+2026-11-02 10:00:00.000000 UTC+b") / "x.html").symlink_to(fresh.root / "gradebook.db")
    os.mkfifo(submit(f"{me}+{CHAPTER}+2026-11-03 10:00:00.000000 UTC+c") / "x.txt")
    (inbound / f"link+{CHAPTER}+{time}+a").symlink_to(fresh.root / "solutions")
    done = commands.run("nbgrader", "collect", CHAPTER, cwd=fresh.root, timeout=120,
                        env=environment(fresh.root) | {"COURSE_CHECK_OWNER": "yes"})
    assert done.returncode == 0, done.stderr[-2000:]
    assert [path.name for path in (fresh.root / "submitted").iterdir()] == [me]
    collected = fresh.root / "submitted" / me / CHAPTER
    assert sorted(path.name for path in collected.iterdir()) == [released.name, "timestamp.txt"]
    said = sorted(line.split(" is left out: ")[1] for line in done.stderr.splitlines() if " is left out: " in line)
    assert said == ["it claims to be of someone and belongs to " + me + ".", "it is not a folder.",
                    "its name is not STUDENT+ASSIGNMENT+TIME.", "x.html in it is a link or no file.",
                    "x.txt in it is a link or no file."]
