"""How long a process stood in line for a processor."""

from __future__ import annotations

import glob
from collections.abc import Iterable


def waited(schedstat: str) -> float:
    """Seconds that a thread, whose file in /proc this is, was ready to run while no processor was free.

    Linux keeps it in nanoseconds, as the file's second number (Documentation/scheduler/sched-stats). 0.0 where it cannot
    be read: the thread has ended, or this is no Linux.
    """
    try:
        with open(schedstat, encoding="ascii") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def longest(pids: Iterable[int]) -> float:
    """Of all threads of these processes the one that stood longest in line: its seconds."""
    files = (file for pid in pids for file in glob.iglob(f"/proc/{pid}/task/*/schedstat"))
    return max(map(waited, files), default=0.0)
