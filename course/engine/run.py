"""The student's process of one submission, as the one who grades sees it: cells go in, outputs and verdicts come out."""
from __future__ import annotations

import socket
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from course.engine import plain
from course.engine.deadline import Deadline
from course.engine.judge import ERROR, Verdict, judge
from course.engine.outputs import clean, note
from course.engine.remote import CRASHED, MEMORY, OUTPUT, TIMED_OUT, Stopped, no_memory, text, type_names
from course.engine.times import Times
from course.sandbox.zygote import Zygote

TOO_MUCH_OUTPUT = 77
MAX_OUTPUT = 16 << 20           # characters of all outputs of a notebook that its student's process reported


@dataclass(frozen=True)
class _Cell:
    source: str
    label: str
    setup: bool


@dataclass(frozen=True)
class _Child:
    """A child of the student's process that waits for a check's questions; `pid` is what that process calls it."""
    sock: socket.socket
    pid: int


class Run:
    """The student process of one submission, started again (within a cap) when a cell ends it."""

    def __init__(self, zygote: Zygote, times: Times, deadline: float):
        self.zygote, self.times, self.deadline = zygote, times, deadline
        self.done: list[_Cell | str] = []       # what ran, and the numbers of the checks that stood between
        self.waiting: dict[str, _Child] = {}    # the children that wait for the questions of their checks, by number
        self.trouble: dict[str, tuple[str, str]] = {}       # cell id -> (state, sentence for the student)
        self.restarts = 0
        self.sandboxed = None
        self.count = 0
        self.room = MAX_OUTPUT      # characters that the notebook's outputs may still have

    def close(self) -> None:
        for child in self.waiting.values():
            child.sock.close()
        self.waiting.clear()
        if self.sandboxed is not None:
            self.sandboxed.kill()
            self.sandboxed = None

    def cell(self, cell, kind: str) -> list:
        """Runs a cell; a crash or timeout is noted as its trouble, and the earlier cells are run again."""
        if not cell.source.strip():
            return []
        what = "your answer cell" if kind == "answer" else "this cell"
        try:
            done = _Cell(cell.source, cell.id, kind == "setup")
            reply = self._run(done)
            found, size = clean(reply.get("outputs"), self.room)
            self.room -= size
        except Stopped as stop:
            said = {TIMED_OUT: f"{what} took longer than {self.times.cell:g} seconds and was stopped.",
                    MEMORY: f"{what} ran out of memory.", OUTPUT: f"{what} wrote too much output.",
                    CRASHED: f"{what} ended the process that ran it."}[stop.state]
            said = said[0].upper() + said[1:] + (f" ({stop.detail})" if stop.detail else "")
            self.trouble[cell.id] = stop.state, said
            return [note(said)]
        self.done.append(done)
        error = reply.get("error")
        if isinstance(error, dict):
            where = f" ({text(error.get('where'))[:200]})" if error.get("where") else ""
            self.trouble[cell.id] = MEMORY if no_memory(error) else ERROR, (
                f"Running {what} raised {type_names(error)[0]}: {text(error.get('message'))[:300]}{where}.")
        return found

    def stand(self, number: str) -> None:
        """A check stands here: forks the child that will answer its questions, from what the student has until now."""
        self.done.append(number)
        try:
            self._ready()
            if number not in self.waiting:
                self._fork(number)
        except (Stopped, plain.WireError, OSError):
            self.close()        # `check` tries again, and says what stands against it

    def check(self, number: str, source: str, points: float, names: dict, requirements: Iterable[str]) -> Verdict:
        """The verdict of a check for which `stand` was called."""
        for again in (True, False):
            verdict, died_waiting = self._check(number, source, points, names, requirements)
            if not (died_waiting and again):
                break
            self.close()        # what another check or a later cell did ended it: once more, in a new process
        self.done.remove(number)
        return verdict

    def _check(self, number: str, source: str, points: float, names: dict,
               requirements: Iterable[str]) -> tuple[Verdict, bool]:
        left = self.deadline - time.monotonic()
        try:
            if left <= 0:
                raise Stopped(TIMED_OUT, "the notebook as a whole")
            self._ready()
            child = self.waiting.pop(number)
            self._spare()
            with child.sock as sock:
                deadline = Deadline(self.times.check, left, lambda: self.sandboxed.waited()[1])
                verdict = judge(number, source, points, names, sock, deadline, requirements)
            limit = self.sandboxed.kill_check()
            self._send({"op": "ended", "pid": child.pid, "wait": verdict.state == CRASHED})
            ended = self._reply(5.0)
        except Stopped as stop:
            self.close()
            what = stop.detail or "The process"
            said = f"{what[0].upper()}{what[1:]} was stopped: {stop.state}."
            return Verdict(number, stop.state, 0.0, points, said), False
        except TimeoutError:        # before OSError, of which it is one
            self.close()
            return Verdict(number, TIMED_OUT, 0.0, points, "The process of your code did not answer in time."), False
        except (plain.WireError, OSError):
            state, detail = self._state()
            self.close()
            return Verdict(number, state, 0.0, points, f"Your code ended the process during the check ({detail})."), False
        if verdict.state == CRASHED:
            if limit in (MEMORY, OUTPUT):
                verdict.state = limit
                verdict.message = verdict.message.replace("ended the process that ran it", f"was stopped: {limit}")
            elif ended.get("code") == TOO_MUCH_OUTPUT:
                verdict.state = OUTPUT
            elif type(ended.get("signal")) is int and 0 < ended["signal"] < 65:
                verdict.message += f" (signal {ended['signal']})"
        elif verdict.state == TIMED_OUT and limit == MEMORY:
            verdict.state = MEMORY
        return verdict, verdict.state == CRASHED and not verdict.replies

    def _fork(self, number: str) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                self._send({"op": "fork"})
                socket.send_fds(self.sandboxed.sock, [b"f"], [theirs.fileno()])
                pid = self._reply(self.times.cell).get("pid")
                if type(pid) is not int or not 0 < pid < 1 << 22:
                    raise plain.WireError("no process")
            except BaseException:
                ours.close()
                raise
        self.waiting[number] = _Child(ours, pid)
        self._spare()

    def _spare(self) -> None:
        """What a cell or another check does may end no child that waits."""
        self.sandboxed.spare(child.pid for child in self.waiting.values())

    def _ready(self) -> None:
        """Starts the student process, or starts it again with the cells that ran well, and the checks between them."""
        if self.sandboxed is not None and self.sandboxed.status() is None:
            return
        self.close()
        if self.restarts > self.times.restarts:
            raise Stopped(CRASHED, "the process was ended too often")
        self.restarts += 1
        self.sandboxed = self.zygote.spawn()
        for done in self.done:
            if isinstance(done, str):
                self._fork(done)
            else:
                self._send({"op": "run", **asdict(done)})
                self._reply(self.times.cell)

    def _run(self, cell: "_Cell") -> dict:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise Stopped(TIMED_OUT, "the notebook's time is over")
        try:
            self._ready()
            self._send({"op": "run", **asdict(cell)})
            return self._reply(self.times.cell)
        except TimeoutError:
            # a busy machine: the limit that it went over may be noticed only now
            limit = self.sandboxed.kill_check() or self.sandboxed.status()
            self.close()
            if limit in (MEMORY, OUTPUT):
                raise Stopped(limit, "") from None
            raise Stopped(*((CRASHED, limit) if limit == "too many processes" else (TIMED_OUT, ""))) from None
        except (plain.WireError, OSError):
            state, detail = self._state()
            self.close()
            raise Stopped(state, detail) from None

    def _send(self, message: dict) -> None:
        self.count += 1
        self.sandboxed.sock.settimeout(10)
        plain.send(self.sandboxed.sock, message | {"n": self.count})

    def _reply(self, seconds: float) -> dict:
        """The student process's answer. What it waited for a processor before counts, too: it has the more patience."""
        left = max(0.001, self.deadline - time.monotonic())
        reply = plain.receive(self.sandboxed.sock, Deadline(seconds, left, lambda: sum(self.sandboxed.waited())))
        if not isinstance(reply, dict) or reply.get("n") != self.count:
            raise plain.WireError("an answer to another question")
        return reply

    def _state(self) -> tuple[str, str]:
        """Why the student process ended, in the verdicts' words."""
        end = time.monotonic() + 1.0
        while self.sandboxed.status() is None and time.monotonic() < end:
            time.sleep(0.005)
        status, detail = self.sandboxed.status(), self.sandboxed.detail
        if status == "exited" and detail == f"exit code {TOO_MUCH_OUTPUT}":
            return OUTPUT, ""
        if status in (MEMORY, OUTPUT):
            return status, detail
        return CRASHED, f"{status or 'no answer'}{', ' if detail else ''}{detail}"
