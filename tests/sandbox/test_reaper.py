"""The reaper's count of memory where time does not suffice to read all processes; their memory is real."""

from __future__ import annotations

import contextlib
import mmap
import os
import signal
import socket

import pytest

from course.sandbox import reaper
from course.sandbox.limits import Limits

MIB = 1 << 20
SHARED = 64 * MIB


@pytest.fixture
def watch(monkeypatch):
    """A reaper that has no time at all, and counts growth beyond 64 MiB that all its processes share."""
    monkeypatch.setattr(reaper, "_PATIENCE", 0.0)
    ours, theirs = socket.socketpair()
    pipe, written = os.pipe()
    found = reaper.Reaper(os.getpid(), ours, pipe, written, Limits(memory=96 * MIB), isolated=False)
    kept = mmap.mmap(-1, SHARED, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    touch(kept)
    found.base = reaper._look(os.getpid()).memory
    yield found
    kept.close()
    ours.close(), theirs.close(), os.close(pipe), os.close(written)


def touch(memory: mmap.mmap) -> None:
    for page in range(0, len(memory), mmap.PAGESIZE):
        memory[page] = 1


@contextlib.contextmanager
def children(number: int, each: int):
    """So many forks, which share our memory and touch as many further bytes each."""
    pids = []
    try:
        for _ in range(number):
            ready, tell = os.pipe()
            pids.append(os.fork())
            if pids[-1] == 0:
                own = mmap.mmap(-1, max(each, 1), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
                touch(own)
                os.write(tell, b".")
                signal.pause()
            os.read(ready, 1)
            os.close(ready), os.close(tell)
        yield [reaper._look(pid) for pid in [os.getpid(), *pids]]
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def test_shared_memory_counts_once_however_slow_the_machine_is(watch):
    with children(8, 1 * MIB) as processes:
        assert sum(process.memory for process in processes) - watch.base > watch.limits.memory
        for left in (6, 3, 0, 6, 3, 0):
            assert not watch.exceeds(processes)
            assert len(processes) - len(watch.exact or processes) == left


def test_what_they_have_beyond_it_is_seen_at_the_first_look(watch):
    with children(4, 40 * MIB) as processes:
        assert watch.exceeds(processes)


def test_who_starts_ever_new_processes_is_counted_in_full(watch):
    looks = []
    for _ in range(3):
        with children(8, 0) as processes:
            looks.append(watch.exceeds(processes))
    assert looks == [False, False, True]
