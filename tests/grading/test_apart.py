"""The judge of a notebook has limits, which end it and nothing else."""
import faulthandler
import os
import time

import psutil
import pytest

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
    assert state(lambda: bytes(300 << 20), growth=200 << 20) == MEMORY
    assert state(lambda: [[] for _ in iter(int, 1)], seconds=30, growth=200 << 20) == MEMORY
    assert time.monotonic() - begun < 30
    assert state(lambda: (faulthandler.disable(), os.abort())) == ERROR


def test_no_child_is_left():
    before = {child.pid for child in psutil.Process().children()}      # other tests may have left theirs
    apart(lambda: b"", 5)
    state(lambda: time.sleep(60), seconds=1)
    assert {child.pid for child in psutil.Process().children()} <= before
