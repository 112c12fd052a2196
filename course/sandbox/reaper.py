"""Pid 1 of a sandbox: collects orphans, watches memory, processes and output, ends what is left after a check.

It is trusted, and protected by being pid 1 (no signal from inside reaches it), not dumpable (no tracing, no reading of
its memory) and, where root started it, another user than the student. Whatever goes wrong in it ends the sandbox: when
pid 1 exits, the kernel kills every process of the namespace.

The worker talks to it over `control`, in lines: `s 12 13` (spare these processes from now on), `k` (kill all but the
student process and those spared), `o` (collect the output) or `w` (how long they stood in line for a processor). Each is
answered by one JSON line, `{"done": reason or null}`, `w` by `{"done": [seconds of the student process, of those that are not
spared]}`; the last line is `{"status": ..., "detail": ...}`.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import select
import signal
import socket
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from course.sandbox.limits import Limits
from course.sandbox.line import longest

_POLL, _MAX_PAUSE = 0.05, 0.5  # seconds; one look costs about 0.2 ms
_EXACT = 3.0  # seconds between exact looks at processes that only wait
_PATIENCE, _LOOKS = 1.0, 3  # seconds that an exact look may take, and looks that may end so before all are read


@dataclass
class _Process:
    pid: int
    memory: int  # bytes of anonymous, shared and swapped pages, those shared with other processes included
    threads: int
    dead: bool


def _look(pid: int) -> _Process | None:
    """One process from /proc/<pid>/status, which, unlike most of /proc, a process cannot make unreadable."""
    try:
        lines = Path(f"/proc/{pid}/status").read_bytes().splitlines()
    except OSError:
        return None
    values = {name: value.split() for name, _, value in (line.partition(b":") for line in lines)}
    memory = sum(int(values.get(name, [b"0"])[0]) for name in (b"RssAnon", b"RssShmem", b"VmSwap")) << 10
    threads = int(values[b"Threads"][0])
    ended = values[b"State"][0] in (b"Z", b"X")
    if ended and threads > 1:  # its first thread ended, which hides the memory that the others hold
        os.kill(pid, signal.SIGKILL)
    return _Process(pid, memory, threads, ended and threads <= 1)


def _exact(process: _Process) -> int:
    """Its `memory`, but a page that n processes share counts 1/n. Takes milliseconds, and much longer for one that is
    forking (the kernel locks its memory) or on a machine with more to do than it can."""
    try:
        lines = Path(f"/proc/{process.pid}/smaps_rollup").read_bytes().splitlines()
    except OSError:  # it ended, or hid itself by becoming non-dumpable
        return process.memory
    values = {name: value.split() for name, _, value in (line.partition(b":") for line in lines)}
    return sum(int(values.get(name, [b"0"])[0]) for name in (b"Pss_Anon", b"Pss_Shmem", b"SwapPss")) << 10


@dataclass
class Reaper:
    """`student` is the process to guard, `pipe` the read end of its output, `store` a file that the worker reads.

    `isolated` says that we are pid 1 of a PID namespace; else only what descends from us can be found, and only
    output is limited here.
    """

    student: int
    control: socket.socket
    pipe: int
    store: int
    limits: Limits
    isolated: bool
    reason: str | None = field(default=None, init=False)  # why something was killed since the last `k`
    written: int = field(default=0, init=False)  # output since the last `k`
    kept: int = field(default=0, init=False)  # output in the store
    count: int = field(default=0, init=False)  # processes at the last look
    delayed: int = field(default=0, init=False)  # looks without an exact one
    ending: bool = field(default=False, init=False)
    next_exact: float = field(default=0.0, init=False)  # when to look exactly although nothing seems to have grown
    exact: dict[int, int] = field(default_factory=dict, init=False)  # memory of processes read by a look that goes on
    unfinished: int = field(default=0, init=False)  # exact looks in a row that did not read all
    spared: frozenset[int] = field(default=frozenset(), init=False)  # processes
    orders: bytes = field(default=b"", init=False)  # read, and not yet a whole line

    def __post_init__(self) -> None:
        os.set_blocking(self.pipe, False)
        self.base = self._memory_at_start()

    def _memory_at_start(self) -> int:
        process = _look(self.student) if self.isolated else None
        return process.memory if process else 0

    def run(self) -> NoReturn:
        """Until the student process or the worker is gone, which ends this process."""
        next_look = time.monotonic() + _POLL
        watched = [self.control, self.pipe]
        if hasattr(os, "pidfd_open"):
            watched.append(os.pidfd_open(self.student))
        while True:
            ready = select.select(watched, [], [], max(0.0, next_look - time.monotonic()))[0]
            if self.pipe in ready and not self.collect():
                watched.remove(self.pipe)  # closed at the other end: nothing more will come
            if self.control in ready:
                data = self.control.recv(1 << 12)
                if not data:  # the worker is gone
                    self.abandon()
                *lines, self.orders = (self.orders + data).split(b"\n")
                for line in lines:
                    self.obey(line)
            if time.monotonic() >= next_look:
                spent = time.process_time()
                if self.isolated:
                    self.watch()
                # An exact look at much memory is dear: spend about a tenth of the time on looking, but do look.
                pause = min(_MAX_PAUSE, max(_POLL, 10 * (time.process_time() - spent)))
                next_look = time.monotonic() + pause
            self.bury()

    def obey(self, order: bytes) -> None:
        reason = self.reason
        if order[:1] == b"s":
            self.spared = frozenset(map(int, order.split()[1:]))
            reason = None
        elif order == b"k":
            if not self.clear():
                self.end("too many processes", "processes kept starting new ones while they were killed")
            self.collect()
            reason, self.reason, self.written = self.reason, None, 0
        elif order == b"w":
            self.send({"done": [longest([self.student]), longest(self.others())]})
            return
        else:
            self.collect()
        self.send({"done": reason})

    def send(self, message: dict[str, str | list[float] | None]) -> None:
        self.control.sendall(json.dumps(message).encode() + b"\n")

    def end(self, status: str, detail: str) -> NoReturn:
        """Report, and take the whole namespace along."""
        self.ending = True
        self.collect(last=True)
        self.signal(self.student, signal.SIGKILL)  # before the pipe closes, which it could notice and tell
        self.send({"status": status, "detail": detail})
        self.abandon()

    def abandon(self) -> NoReturn:
        """In a PID namespace the kernel kills the rest."""
        self.signal(self.student, signal.SIGKILL)
        if not self.isolated:
            self.clear()
        os._exit(0)

    def signal(self, pid: int, number: int) -> None:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass

    def everyone(self) -> list[_Process]:
        """All processes besides this one, the dead that nobody has waited for included."""
        if self.isolated:
            pids = [int(name) for name in os.listdir("/proc") if name.isdecimal()]
        else:
            import psutil  # the portable way; comes with ipykernel

            pids = [child.pid for child in psutil.Process().children(recursive=True)]
        if not self.isolated and not os.path.exists("/proc/self/status"):
            return [_Process(pid, 0, 1, False) for pid in pids]
        return [process for pid in pids if pid != os.getpid() and (process := _look(pid))]

    def others(self) -> list[int]:
        """The living besides this one, the student process, and those to be spared."""
        spared = {self.student, *self.spared}
        return [process.pid for process in self.everyone() if process.pid not in spared and not process.dead]

    def clear(self) -> bool:
        """Kill all but the student process and those to be spared; False if they fork faster than they die."""
        give_up = time.monotonic() + 5
        self.signal(self.student, signal.SIGSTOP)  # it may be the one that starts them
        try:
            return self._kill_until(give_up)
        finally:
            self.signal(self.student, signal.SIGCONT)

    def _kill_until(self, give_up: float) -> bool:
        signalled: set[int] = set()
        while time.monotonic() < give_up:
            found = self.others()
            # A process that was sent SIGKILL runs and starts nothing any more. Its end takes milliseconds, for which
            # a few need not be waited for; many would stand in the way of new ones.
            if not found or self.isolated and len(found) <= 4 and signalled.issuperset(found):
                self.bury()
                return True
            for pid in found:
                self.signal(pid, signal.SIGKILL)
            signalled.update(found)
            self.bury()
        return False

    def bury(self) -> None:
        """Collect the dead: orphans are adopted by us, and the student process is our child."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self.student and not self.ending:
                code = os.waitstatus_to_exitcode(status)
                if code == -signal.SIGXCPU:
                    self.end("out of CPU time", f"more than {self.limits.cpu} s")
                elif code < 0:
                    self.end("killed", signal.Signals(-code).name if -code < 32 else f"signal {-code}")
                self.end("exited", f"exit code {code}")

    def collect(self, last: bool = False) -> bool:
        """Move what was written to the output pipe into the store; False once the pipe is closed."""
        while True:
            try:
                data = os.read(self.pipe, 1 << 16)
            except BlockingIOError:
                return True
            if not data:
                return False
            self.written += len(data)
            keep = data[: self.limits.output - self.kept]
            self.kept += len(keep)
            os.write(self.store, keep)
            if self.written > self.limits.output:
                if last:
                    return True
                self.written = 0
                self.excess("too much output", f"more than {self.limits.output} bytes")
                with contextlib.suppress(BlockingIOError):  # what those that were killed left in the pipe: a second
                    os.read(self.pipe, 1 << 16)  # excess would end the student process
                return True

    def watch(self) -> None:
        """Count processes and memory."""
        processes = self.everyone()
        # The dead count until somebody waits for them: they hold a place under RLIMIT_NPROC, too.
        threads = sum(process.threads for process in processes)
        if threads > self.limits.processes + self.limits.waiting:
            allowed = self.limits.processes + self.limits.waiting
            self.excess("too many processes", f"{threads} processes and threads, of {allowed}")
            return
        more, self.count = len(processes) > self.count, len(processes)
        if sum(process.memory for process in processes) - self.base <= self.limits.memory:
            return  # although pages that several share were counted for each
        grown = sum(max(0, p.memory - self.base) if p.pid in self.spared else p.memory for p in processes) - self.base
        if grown <= self.limits.memory and time.monotonic() < self.next_exact:
            return  # those that wait have most of their pages from the warm parent; whether still so, is seen later
        self.next_exact = time.monotonic() + _EXACT
        if more and self.delayed < 20:  # a bomb is growing: for a second, leave it to the count of processes
            self.delayed += 1
            return
        self.delayed = 0
        if self.exceeds(processes):
            self.excess("out of memory", f"more than {self.limits.memory >> 20} MiB")

    def exceeds(self, processes: list[_Process]) -> bool:
        """Whether they hold more than the limit, pages that several share counted once.

        Where a second does not suffice for all, at least a third of them is read; the others count as if they shared
        the warm parent's pages with all, and the next look goes on with them. Who keeps us from reading all in three
        looks, by starting ever new ones, is counted in full.
        """
        unread = [process for process in processes if process.pid not in self.exact]
        give_up = time.monotonic() + _PATIENCE
        at_least = math.ceil(len(processes) / _LOOKS)
        while unread and (at_least > 0 or time.monotonic() < give_up):
            process, at_least = unread.pop(0), at_least - 1
            self.exact[process.pid] = _exact(process)
        self.unfinished = self.unfinished + 1 if unread else 0
        shared = self.base if self.unfinished < _LOOKS else 0
        counted_often = shared * (1 - 1 / len(processes))
        total = sum(self.exact.get(p.pid, max(0, p.memory - counted_often)) for p in processes)
        if self.unfinished % _LOOKS == 0:
            self.exact, self.unfinished = {}, 0
        else:
            self.next_exact = 0.0
        return total - self.base > self.limits.memory

    def excess(self, status: str, detail: str) -> None:
        """End what exceeds a limit: first the processes that a check or a cell started. If there were none, or it
        happens again before the next `k`, it was the student process itself, and the sandbox ends."""
        if not self.others() or self.reason is not None or not self.clear():
            self.end(status, detail)
        self.reason, self.count = status, 0
