"""A limit is one of the work: a machine that is busy with other things gives it longer, an answer that sleeps gets none."""
from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from types import SimpleNamespace

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from course.engine.deadline import BUSY, Deadline
from course.engine.judge import PASSED, TIMED_OUT
from course.engine.notebook import Engine, Times
from course.engine.warm import warm_parent
from course.sandbox import line
from course.sandbox.trial import available

WORK = """import time
def f():
    end = time.process_time() + 1.2
    while time.process_time() < end:
        pass
    return 1"""
SLEEP = "import time\ndef f():\n    time.sleep(60)\n    return 1"


def graded(engine: Engine, answer: str):
    """The verdict on a notebook of one answer whose `f()`, or `one`, is 1."""
    check = f"assert_equal({'one' if 'one' in answer else 'f()'}, 1, 'one')"
    cells = []
    for name, source in (("setup-1", "from d2l_utils.check import *"), ("answer-1-1", answer), ("check-1-1", check)):
        cells.append(new_code_cell(source, id=name))
        cells[-1].metadata["nbgrader"] = {"grade_id": name, "points": 1.0}
    found, = engine.grade(nbformat.from_dict(new_notebook(cells=cells)), skip_unanswered=False).verdicts
    return found


@pytest.fixture
def clock(monkeypatch):
    """The seconds that a Deadline sees; this thread never stands in line."""
    now = [100.0]
    monkeypatch.setattr("course.engine.deadline.time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(line, "waited", lambda schedstat: 0.0)
    return now


def test_what_stood_in_line_is_added_up_to_a_cap(clock):
    found = [0.0]
    deadline = Deadline(2, waited=lambda: found[0])
    assert deadline.left() == deadline.seconds == 2
    clock[0] += 2
    assert deadline.left() == 0
    found[0] = 3.0
    assert deadline.left() == 3
    clock[0] += 3
    assert deadline.left() == 0         # the same waiting counts once
    found[0] = 1000.0
    assert deadline.left() == 2 * BUSY - 5
    clock[0] += 2 * BUSY
    assert deadline.left() == 0


def test_most_is_the_end_in_any_case(clock):
    deadline = Deadline(4, most=3, waited=lambda: 1000.0)
    assert deadline.left() == deadline.seconds == 3
    clock[0] += 3
    assert deadline.left() == 0


def test_a_thread_that_cannot_be_read_has_not_waited():
    assert line.waited("/proc/none/schedstat") == line.waited(os.devnull) == line.longest([]) == 0.0


@contextlib.contextmanager
def busy():
    """Two processes for each processor, each of a session of its own, which some kernels give a share each."""
    code = "print(flush=True)\nwhile True: pass"
    count = 2 * len(os.sched_getaffinity(0))
    others = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True)
              for _ in range(count)]
    try:
        for other in others:
            other.stdout.readline()
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()
            other.stdout.close()


@pytest.mark.parametrize("sandbox", [False, True])
def test_on_a_busy_machine_work_has_its_time_and_sleep_no_more(sandbox, lacking):
    if not os.path.exists("/proc/thread-self/schedstat"):
        lacking("Only Linux tells who waits for a processor.")
    if sandbox and not (works := available())[0]:
        lacking("No sandbox on this machine: " + "; ".join(works[1]))
    with warm_parent(sandbox=sandbox) as zygote, busy():
        checked = Engine(zygote, Times(cell=30, check=2))
        right, idle = graded(checked, WORK), graded(checked, SLEEP)
        cell = graded(Engine(zygote, Times(cell=2, check=30)), WORK + "\none = f()")
    assert right.state == PASSED, right.message
    assert cell.state == PASSED, cell.message
    assert idle.state == TIMED_OUT
