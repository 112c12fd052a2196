"""One notebook is judged in a process of its own, forked from the worker, within limits that the kernel keeps.

The judge reads what a student's process sends. Whatever that leads to, a number too many of bytes, entries or seconds,
ends with this child: the worker goes on, and the student has a row with 0 points and the reason.
"""
from __future__ import annotations

import importlib
import json
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable

from course.engine.judge import ERROR, TIMED_OUT, MEMORY, Verdict
from course.engine.notebook import Engine, Graded, number_of, outputs, role
from course.grading.graft import graft
from course.grading.unit import Prepared, grade, mark, parsed

GROWTH = 4 << 30        # bytes that the judge of one notebook may take beyond the worker's
MARGIN = 60             # seconds beyond the notebook's own limit, of the clock and of CPU
_WARM = ("torch", "numpy", "pandas", "matplotlib", "scipy", "d2l_utils", "tqdm")


class Ended(Exception):
    """The child was ended, or ended by itself, without an answer."""

    def __init__(self, state: str, reason: str):
        self.state, self.reason = state, reason
        super().__init__(reason)


def grade_apart(engine: Engine, prepared: Prepared, submission: dict | None, reason: str,
                key: str) -> tuple[str, list[Verdict], str]:
    """As unit.grade, in a child. What only the child imported, the worker imports for the next ones."""
    engine.prepare(parsed(prepared.notebook))

    def run() -> bytes:
        before = set(sys.modules)
        text, verdicts, unreadable = grade(engine, prepared, submission, reason, key)
        new = [name for name in set(sys.modules) - before if name.partition(".")[0] in _WARM]
        return json.dumps([text, [verdict.as_dict() for verdict in verdicts], unreadable, sorted(new)]).encode()
    try:
        text, verdicts, unreadable, new = json.loads(apart(run, engine.times.notebook + MARGIN))
    except Ended as ended:
        return (*_stopped(prepared, submission, key, ended), "")
    for name in new:
        try:
            importlib.import_module(name)
        except ImportError:
            pass
    return text, [Verdict(**verdict) for verdict in verdicts], unreadable


def apart(function: Callable[[], bytes], seconds: float, growth: int = GROWTH) -> bytes:
    """What `function` returns, run in a child that may take `seconds` of the clock and of CPU, and `growth` bytes more
    than this process has. Raises Ended, or RuntimeError with the traceback where the function raised."""
    if sys.platform != "linux":         # no sandbox either
        return function()
    end = time.monotonic() + seconds
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(ours)
        _child(function, theirs, seconds, growth)
    os.close(theirs)
    killed = False
    try:
        data, killed = _read(ours, end)
    finally:
        os.close(ours)
        if killed or sys.exc_info()[0]:
            os.kill(pid, signal.SIGKILL)
        status = os.waitpid(pid, 0)[1]
    if killed or os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
        raise Ended(TIMED_OUT, f"judging this notebook took more than {seconds:g} seconds")
    if os.WIFSIGNALED(status):
        raise Ended(ERROR, f"judging this notebook was ended by signal {os.WTERMSIG(status)}")
    kind, body = data[:1], data[1:]
    if kind == b"M":
        raise Ended(MEMORY, f"judging this notebook took more than {growth >> 20} MiB")
    if kind != b"=":
        raise RuntimeError(body.decode(errors="replace") or "the judge's process ended without a word")
    return body


def _child(function: Callable[[], bytes], fd: int, seconds: float, growth: int) -> None:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            mapped = int(file.read().split()[0]) * resource.getpagesize()
        _limit(resource.RLIMIT_AS, mapped + growth)
        _limit(resource.RLIMIT_CPU, int(seconds))
        _limit(resource.RLIMIT_CORE, 0)
        try:
            answer = b"=" + function()
        except MemoryError:
            answer = b"M"
        except BaseException:           # noqa: BLE001  the worker must hear of it
            import traceback
            answer = b"!" + traceback.format_exc().encode(errors="replace")
        view = memoryview(answer)
        while view:
            view = view[os.write(fd, view[:1 << 20]):]
    finally:
        os._exit(0)


def _limit(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))


def _read(fd: int, end: float) -> tuple[bytes, bool]:
    """All that comes, and whether the time was over before it ended."""
    watch = select.poll()
    watch.register(fd, select.POLLIN)
    data = bytearray()
    while True:
        if not watch.poll(max(0.0, 1000 * (end - time.monotonic()))):
            return bytes(data), True
        part = os.read(fd, 1 << 20)
        if not part:
            return bytes(data), False
        data += part


def _stopped(prepared: Prepared, submission: dict | None, key: str, ended: Ended) -> tuple[str, list[Verdict]]:
    """The student's row where the judge of the notebook was ended: their answers, 0 points, and the reason."""
    import nbformat
    grafted = graft(parsed(prepared.notebook), submission, "")
    said = f"Not graded: {ended.reason}, and was stopped. No answer needs that."
    verdicts = []
    for cell in grafted.notebook.cells:
        if role(cell) == "check":
            verdict = Verdict(number_of(cell), ended.state, 0.0, float(cell.metadata.nbgrader.points), said)
            verdicts.append(verdict)
            cell.outputs = outputs(verdict)
    graded = Graded(grafted.notebook, verdicts)
    mark(graded, prepared, key=key, warnings=grafted.warnings)
    return nbformat.writes(graded.notebook), verdicts
