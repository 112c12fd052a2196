"""Pid 1 of a sandbox: collects orphans, watches memory, processes and output, ends what is left after a check.

It is trusted, shares the student's user and is protected by being pid 1 (no signal from inside reaches it) and not
dumpable (no tracing, no reading of its memory). Whatever goes wrong in it ends the sandbox: when pid 1 exits, the
kernel kills every process of the namespace.

The worker talks to it over `control`: one byte `k` (kill all but the student process) or `o` (collect the output),
each answered by one JSON line `{"done": reason or null}`; the last line is `{"status": ..., "detail": ...}`.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import time
from dataclasses import dataclass, field
from pathlib import Path

from course.sandbox import Limits

_POLL = 0.05  # seconds; one look costs about 0.2 ms


@dataclass
class _Process:
    pid: int
    memory: int  # bytes of anonymous, shared and swapped pages, those shared with other processes included
    threads: int
    zombie: bool


def _look(pid: int) -> _Process | None:
    """One process from /proc/<pid>/status, which, unlike most of /proc, a process cannot make unreadable."""
    try:
        lines = Path(f"/proc/{pid}/status").read_bytes().splitlines()
    except OSError:
        return None
    values = {name: value.split() for name, _, value in (line.partition(b":") for line in lines)}
    memory = sum(int(values.get(name, [b"0"])[0]) for name in (b"RssAnon", b"RssShmem", b"VmSwap")) << 10
    return _Process(pid, memory, int(values[b"Threads"][0]), values[b"State"][0] in b"ZX")


def _exact(process: _Process) -> int:
    """Like `memory`, but a page that n processes share counts 1/n. Costs milliseconds."""
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
    pause: float = field(default=_POLL, init=False)

    def __post_init__(self) -> None:
        os.set_blocking(self.pipe, False)
        self.base = self._memory_at_start()

    def _memory_at_start(self) -> int:
        process = _look(self.student) if self.isolated else None
        return process.memory if process else 0

    def run(self) -> None:
        """Until the student process or the worker is gone."""
        next_look = time.monotonic() + self.pause
        watched = [self.control, self.pipe]
        if hasattr(os, "pidfd_open"):
            watched.append(os.pidfd_open(self.student))
        while True:
            ready = select.select(watched, [], [], max(0.0, next_look - time.monotonic()))[0]
            if self.pipe in ready and not self.collect():
                watched.remove(self.pipe)  # closed at the other end: nothing more will come
            if self.control in ready:
                order = self.control.recv(1)
                if not order:
                    return  # the worker is gone
                self.obey(order)
            if self.isolated and time.monotonic() >= next_look:
                started = time.monotonic()
                self.watch()
                # An exact look at much memory is dear: never spend more than a tenth of the time on looking.
                self.pause = max(_POLL, 10 * (time.monotonic() - started))
                next_look = time.monotonic() + self.pause
            elif time.monotonic() >= next_look:
                next_look = time.monotonic() + self.pause
            self.bury()

    def obey(self, order: bytes) -> None:
        reason = self.reason
        if order == b"k":
            if not self.clear():
                self.end("too many processes", "processes kept starting new ones while they were killed")
            self.collect()
            reason, self.reason, self.written = self.reason, None, 0
        else:
            self.collect()
        self.send({"done": reason})

    def send(self, message: dict[str, str | None]) -> None:
        self.control.sendall(json.dumps(message).encode() + b"\n")

    def end(self, status: str, detail: str) -> None:
        """Report, and take the whole namespace along."""
        self.collect(last=True)
        if not self.isolated:
            self.clear()
            os.kill(self.student, signal.SIGKILL)
        self.send({"status": status, "detail": detail})
        os._exit(0)

    def others(self) -> list[_Process]:
        """The living processes besides this one; the student process is among them."""
        if self.isolated:
            pids = [int(name) for name in os.listdir("/proc") if name.isdecimal()]
        else:
            import psutil  # the portable way; comes with ipykernel

            pids = [child.pid for child in psutil.Process().children(recursive=True)]
        if not self.isolated and not os.path.exists("/proc/self/status"):
            return [_Process(pid, 0, 1, False) for pid in pids]
        found = [process for pid in pids if pid != os.getpid() and (process := _look(pid))]
        for process in found:
            if process.zombie and process.threads > 1:  # its first thread ended, which hides the memory of the rest
                os.kill(process.pid, signal.SIGKILL)
        return [process for process in found if not process.zombie or process.threads > 1]

    def clear(self) -> bool:
        """Kill all but the student process; False if they fork faster than they die."""
        give_up = time.monotonic() + 5
        while time.monotonic() < give_up:
            found = [process.pid for process in self.others() if process.pid != self.student]
            if not found:
                return True
            for pid in found:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
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
            if pid == self.student:
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
                return True

    def watch(self) -> None:
        """Count processes and memory."""
        processes = self.others()
        threads = sum(process.threads for process in processes)
        if threads > self.limits.processes:
            self.excess("too many processes", f"{threads} processes and threads, of {self.limits.processes}")
        elif self.growth(processes) > self.limits.memory:
            self.excess("out of memory", f"more than {self.limits.memory >> 20} MiB")

    def growth(self, processes: list[_Process]) -> int:
        """Bytes over the start: an upper bound while it is within the limit, else the exact number."""
        bound = sum(process.memory for process in processes) - self.base
        return bound if bound <= self.limits.memory else sum(map(_exact, processes)) - self.base

    def excess(self, status: str, detail: str) -> None:
        """End what exceeds a limit: first the processes that a check or a cell started. If there were none, or it
        happens again before the next `k`, it was the student process itself, and the sandbox ends."""
        alone = all(process.pid == self.student for process in self.others())
        if alone or self.reason is not None or not self.clear():
            self.end(status, detail)
        self.reason = status
