"""The judge of a notebook has limits, which end it and nothing else."""
import faulthandler
import os
import subprocess
import sys
import time

import psutil
import pytest
from small_course import CHAPTER, NAME, environment

from course.grading.apart import Ended, apart
from course.engine.judge import ERROR, MEMORY, TIMED_OUT


def state(function, **limits) -> str:
    with pytest.raises(Ended) as ended:
        apart(function, **{"seconds": 5, **limits})
    return ended.value.state


def test_an_answer_comes_back_whole():
    assert apart(lambda: b"x" * 5_000_000, 20) == b"x" * 5_000_000


def test_a_mistake_of_ours_is_told():
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        apart(lambda: 1 / 0, 20)


def test_time_and_memory_are_bounded():
    begun = time.monotonic()
    assert state(lambda: time.sleep(60), seconds=1) == TIMED_OUT
    assert state(lambda: [i for i in iter(int, 1)], seconds=2, growth=1 << 40) == TIMED_OUT
    assert state(lambda: bytes(300 << 20), seconds=30, growth=200 << 20) == MEMORY
    assert state(lambda: [[] for _ in iter(int, 1)], seconds=30, growth=200 << 20) == MEMORY
    assert time.monotonic() - begun < 60      # of the two that could sleep or fill for minutes, none did
    assert state(lambda: (faulthandler.disable(), os.abort())) == ERROR


def test_no_child_is_left():
    before = {child.pid for child in psutil.Process().children()}      # other tests may have left theirs
    apart(lambda: b"", 5)
    state(lambda: time.sleep(60), seconds=1)
    assert {child.pid for child in psutil.Process().children()} <= before


def test_what_each_notebook_needs_the_worker_has_imported(fresh):
    """A child's imports are forgotten with it: what one imports beyond the worker's, every next one imports again."""
    fresh.hand_in("s0", fresh.notebook())
    fresh.run("course", "autograde", "--workers", "1", check=True)        # a worker that learns the known mistakes imports more
    script = fresh.root / "imports.py"
    script.write_text(f'''
import json, sys
from pathlib import Path
from course.grading import unit, worker
from course.grading.apart import apart
engine, prepared = worker.engine(), unit.prepare(Path("."), "{CHAPTER}", "{NAME}")
engine.prepare(unit.parsed(prepared.notebook))
submission = json.loads(next(Path("submitted/s0").glob("**/*.ipynb")).read_text())

def names():
    before = set(sys.modules)
    unit.grade(engine, prepared, submission, "", "key")
    return json.dumps(sorted(set(sys.modules) - before)).encode()

print(apart(names, 60).decode())
''')
    said = subprocess.run([sys.executable, script], cwd=fresh.root, env=environment(fresh.root), capture_output=True,
                          text=True)
    assert said.stdout == "[]\n", said.stdout + said.stderr
