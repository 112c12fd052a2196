"""Every attack, graded for real in one class with honest submissions before, between and after them."""
from __future__ import annotations

import ctypes
import hashlib
import os
import re
import socket
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import breaking
import forging
import lot
import psutil
import pytest
import spying
from klass import ATTACKS, course_module, hand_in_all, outputs, points, students

import notebooks

CHAPTER, NAME = "ch09_small", "9_9_small"
TOKEN = "zq7319vault"               # stands in each hidden test
GRADER_SECRET = "of-the-graders-environment"
SECONDS = {"COURSE_CELL_SECONDS": "10", "COURSE_CHECK_SECONDS": "5", "COURSE_NOTEBOOK_SECONDS": "120"}
ON_PAGES = ("scripts", "reads-the-course", "reads-the-callers-of-a-check", "no-unicode")       # their feedback is looked at
ALWAYS = (*ON_PAGES, "nested-json")         # the last cannot be read, which the run's exit status says
DRAWN = {attack.name for attack in lot.some(ATTACKS, "attacks", one_of=3)}
CLASS = students([attack for attack in ATTACKS if attack.name in DRAWN.union(ALWAYS)])

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1000),
              pytest.mark.skipif(sys.platform != "linux", reason="the sandbox needs Linux")]


class Listener:
    """A socket on the machine that no submission should reach."""

    def __init__(self, family, address):
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        self.socket.bind(address)
        self.socket.listen()
        self.socket.setblocking(False)

    def reached(self) -> bool:
        try:
            self.socket.accept()[0].close()
            return True
        except BlockingIOError:
            return False


def files(*folders: Path) -> dict[str, str]:
    """path -> digest of every file that grading may not change."""
    ours = {"autograded", "submitted", "grades", "gradebook.db", "feedback"}
    found = {}
    for folder in folders:
        for path in sorted(p for p in folder.rglob("*") if p.is_file() or p.is_symlink()):
            parts = path.relative_to(folder).parts
            if parts[0] in ours or parts[:2] == (".book", "mistakes") or "__pycache__" in parts:
                continue
            found[str(path)] = os.readlink(path) if path.is_symlink() else hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def below() -> set[int]:
    return {child.pid for child in psutil.Process().children(recursive=True) if child.status() != psutil.STATUS_ZOMBIE}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    made = SimpleNamespace()
    made.course = course = course_module().Course(tmp_path_factory.mktemp("attacked"))
    abstract = f"attacked-{os.getpid()}"
    made.listeners = [Listener(socket.AF_INET, ("127.0.0.1", 0)), Listener(socket.AF_UNIX, "\0" + abstract)]
    hand_in_all(course, CLASS, PORT=str(made.listeners[0].socket.getsockname()[1]), ABSTRACT=abstract)
    made.before = files(course.root, course_module().REPO / "d2l_utils")
    adopt_orphans = partial(ctypes.CDLL(None).prctl, 36)
    adopt_orphans(1, 0, 0, 0)       # what the run leaves behind becomes our child
    known = below()
    old = {name: os.environ.get(name) for name in (*SECONDS, "GRADER_SECRET")}
    os.environ |= SECONDS | {"GRADER_SECRET": GRADER_SECRET}
    started = time.monotonic()
    try:
        made.run = subprocess.run([sys.executable, "-m", "course.cli", "autograde", "--workers", "2"], cwd=course.root,
                                  env=course_module().environment(course.root), capture_output=True, text=True, timeout=900)
    finally:
        for name, value in old.items():
            os.environ.pop(name) if value is None else os.environ.__setitem__(name, value)
    made.seconds = time.monotonic() - started
    end = time.monotonic() + 10
    while below() - known and time.monotonic() < end:
        time.sleep(0.1)
    made.left = [psutil.Process(pid).cmdline() for pid in below() - known]
    adopt_orphans(0, 0, 0, 0)
    made.after = files(course.root, course_module().REPO / "d2l_utils")
    made.scores = course.scores()
    made.comments = comments(course)
    print(f"{len(CLASS)} submissions in {made.seconds:.0f} s")
    return made


def comments(course) -> dict[str, str]:
    """student -> the automatic comments, in the order of the exercises."""
    from nbgrader.api import Gradebook
    with Gradebook(f"sqlite:///{course.root / 'gradebook.db'}", "deep-learning") as gradebook:
        return {submission.student.id: "\n".join(
                    c.auto_comment or "" for n in submission.notebooks for c in sorted(n.comments, key=lambda c: c.name))
                for submission in gradebook.assignment_submissions(CHAPTER)}


def shown(graded, student: str) -> str:
    path = graded.course.root / "autograded" / student / CHAPTER / f"{NAME}.ipynb"
    return outputs(path) + graded.comments[student]


def test_the_run_went_to_its_end(graded):
    assert "Traceback" not in graded.run.stderr, graded.run.stderr[-3000:]
    assert set(graded.scores) == set(CLASS)
    assert graded.run.returncode == 1       # some could not be read: the exit status says so


@pytest.mark.parametrize("student", CLASS)
def test_each_gets_what_it_earned_and_hears_why(graded, student):
    attack = CLASS[student]
    got = points(graded.scores[student])
    least = (0, 0, 0) if attack.racy else attack.earns
    assert all(a <= p <= b for a, p, b in zip(least, got, attack.earns)), (got, graded.comments[student])
    assert re.search(attack.says, graded.comments[student]), graded.comments[student]


@pytest.mark.parametrize("student", [s for s, attack in CLASS.items() if attack.name != "honest"])
def test_none_shows_a_secret_or_a_script(graded, student):
    text = shown(graded, student)
    for secret in (TOKEN, "-8302", "2469134", GRADER_SECRET, "FOUND", "connected"):
        assert secret not in text, secret
    assert not re.search(r"<(script|img|svg)", graded.comments[student])
    assert '"text/html"' not in text and "image/svg" not in text and "javascript\"" not in text


def test_nothing_is_left_behind(graded):
    assert graded.left == []
    assert graded.after == graded.before
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/root", "/", "/etc", "/run", str(Path.home())):
        assert not os.path.lexists(os.path.join(folder, "pwned"))
    assert not list(graded.course.root.rglob("*.part"))


def test_nobody_was_reached(graded):
    assert not any(listener.reached() for listener in graded.listeners)
    assert socket.gethostname() != "pwned"


def test_the_gradebook_has_the_class_and_its_assignment_as_they_were(graded):
    from nbgrader.api import Gradebook
    with Gradebook(f"sqlite:///{graded.course.root / 'gradebook.db'}", "deep-learning") as gradebook:
        assert [a.name for a in gradebook.assignments] == [CHAPTER]
        assert gradebook.find_assignment(CHAPTER).max_score == 10
        assert {student.id for student in gradebook.students} == set(CLASS)
        grades = [g for s in gradebook.assignment_submissions(CHAPTER) for n in s.notebooks for g in n.grades]
        assert len(grades) == 4 * len(CLASS)
        assert all(g.manual_score is None and g.extra_credit is None for g in grades)
        assert all(c.manual_comment is None for s in gradebook.assignment_submissions(CHAPTER)
                   for n in s.notebooks for c in n.comments)


def test_no_comment_or_notebook_is_long(graded):
    for student in CLASS:
        assert len(graded.comments[student]) < 12_000
        assert (graded.course.root / "autograded" / student / CHAPTER / f"{NAME}.ipynb").stat().st_size < 30 << 20


def test_feedback_shows_no_secret_and_runs_no_script(graded):
    for name in ON_PAGES:
        student = next(s for s, attack in CLASS.items() if attack.name == name)
        result = graded.course.run("nbgrader", "generate_feedback", CHAPTER, "--student", student)
        assert result.returncode == 0, result.stderr[-3000:]
        page = (graded.course.root / "feedback" / student / CHAPTER / f"{NAME}.html").read_text()
        assert TOKEN not in page and "8302" not in page and GRADER_SECRET not in page
        assert not re.search(r"<script[^>]*>\s*pwned|<img[^>]*onerror|<svg[^>]*onload|href=.javascript", page)


def test_the_table_is_complete():
    measured = [name for module in (forging, spying, breaking, notebooks) for name in module.STOCK]
    assert len(ATTACKS) > 100 and measured == [attack.name for attack in ATTACKS]
