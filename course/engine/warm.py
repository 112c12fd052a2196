"""The warm parent of student processes: what it has imported, and a start ahead of time."""
from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from course.sandbox.limits import Limits
from course.sandbox.zygote import Zygote

PRELOAD = ("torch", "numpy", "pandas", "matplotlib.pyplot", "IPython", "d2l_utils", "d2l_utils.check")
TARGET = "course.engine.student:serve"

WAITING = 64            # checks that may wait at once for their questions
_early: list[Future] = []       # of `start_early`, and whether it was taken
_taken = False


def warm_parent(**options: Any) -> Zygote:
    """A zygote whose sandboxes are student processes. Takes the options of Zygote, and raises what it raises."""
    return Zygote(PRELOAD, target=TARGET, **{"limits": Limits(waiting=WAITING)} | options)


def start_early(sandbox: bool = True) -> None:
    """Starts a warm parent in a thread, once, for `started`: it imports torch while this process does so, too."""
    if not _early:
        thread = ThreadPoolExecutor(1, thread_name_prefix="zygote")
        _early.append(thread.submit(warm_parent, sandbox=sandbox))
        thread.shutdown(wait=False)


def started(sandbox: bool = True) -> Zygote:
    """The warm parent of `start_early`, once, or a new one. Raises what Zygote raises."""
    global _taken
    if _early and not _taken:
        _taken = True
        return _early[0].result()
    return warm_parent(sandbox=sandbox)
