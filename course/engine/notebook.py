"""Grades one notebook: its cells run in a sandboxed student process, its checks in the judge beside it."""
from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterable
from dataclasses import dataclass, field

import nbformat

from course.engine import plain
from course.engine.judge import ERROR, PASSED, UNANSWERED, Verdict, compiled, judge, setup_names
from course.engine.mistakes import recognise
from course.engine.outputs import clean, feedback, note, outputs
from course.engine.remote import CRASHED, MEMORY, OUTPUT, TIMED_OUT, Stopped, no_memory, text, type_names
from course.sandbox.zygote import Zygote
from d2l_utils.check.requirements import requirements

__all__ = ["Engine", "Graded", "Times", "feedback", "number_of", "outputs", "role", "unanswered"]

TOO_MUCH_OUTPUT = 77
MAX_OUTPUT = 16 << 20           # characters of all outputs of a notebook that its student's process reported


@dataclass(frozen=True)
class Times:
    """Wall-clock limits in seconds. The environment may set them: COURSE_CELL_SECONDS, COURSE_CHECK_SECONDS,
    COURSE_NOTEBOOK_SECONDS."""
    cell: float = 30.0
    check: float = 20.0
    notebook: float = 300.0
    restarts: int = 4

    @classmethod
    def configured(cls) -> "Times":
        """The defaults, and what the environment sets. Raises ValueError for what is no positive number."""
        found = {}
        for name in ("cell", "check", "notebook"):
            given = os.environ.get(variable := f"COURSE_{name.upper()}_SECONDS")
            try:
                if given is not None and not 0 < float(given) < float("inf"):
                    raise ValueError
                found |= {name: float(given)} if given is not None else {}
            except ValueError:
                raise ValueError(f"{variable} is {given!r}; it must be a positive number of seconds, for example 60. "
                                 "Set it so, or unset it.") from None
        return cls(**found)


@dataclass
class Graded:
    """A notebook with its outputs filled in, and a verdict for each check, in the notebook's order."""
    notebook: nbformat.NotebookNode
    verdicts: list[Verdict]
    seconds: float = 0.0
    warnings: list[str] = field(default_factory=list)


def role(cell) -> str:
    """setup, answer, written, check, own, demo, code or text: what grading does with a cell."""
    name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
    tags = cell.metadata.get("tags", [])
    for kind in ("setup", "answer", "written", "check"):
        if name.startswith(f"{kind}-"):
            return kind
    if cell.cell_type != "code":
        return "text"
    return "demo" if "demo" in tags else "own" if "own" in tags else "code"


def number_of(cell) -> str:
    """The exercise number of a graded cell: "check-2-3-6a" -> "2.3.6a"."""
    return cell.metadata.nbgrader.grade_id.split("-", 1)[1].replace("-", ".")


class Engine:
    """Grades notebooks one after another. The setup cells' names are kept between notebooks of one section."""

    def __init__(self, zygote: Zygote, times: Times | None = None):
        self.zygote, self.times = zygote, times or Times.configured()
        self._setups: dict[tuple[str, ...], dict] = {}

    def prepare(self, notebook: nbformat.NotebookNode) -> None:
        """Does what depends on the section alone, so that children of this process have it: setup cells, test cells."""
        self._names(notebook)
        for cell in notebook.cells:
            if role(cell) == "check":
                compiled(number_of(cell), cell.source)

    def _names(self, notebook: nbformat.NotebookNode) -> dict:
        setup = tuple(cell.source for cell in notebook.cells if role(cell) == "setup")
        if setup not in self._setups:
            self._setups[setup] = setup_names(list(setup))
        return self._setups[setup]

    def grade(self, notebook: nbformat.NotebookNode, mistakes: dict | None = None, *,
              skip_unanswered: bool = True) -> Graded:
        """Grades a grafted notebook (hidden tests in place). `mistakes`: what course.engine.mistakes
        recognises, by exercise number."""
        started = time.monotonic()
        names = self._names(notebook)
        run = _Run(self.zygote, self.times, started + self.times.notebook)
        verdicts, tasks = [], _requirements(notebook)
        try:
            answers = {number_of(cell): cell for cell in notebook.cells if role(cell) == "answer"}
            for cell in notebook.cells:
                kind = role(cell)
                if kind in ("setup", "code", "own", "answer"):
                    cell.outputs = run.cell(cell, kind)
                elif kind == "check":
                    number = number_of(cell)
                    verdict = _check(run, cell, answers.get(number), names, skip_unanswered, tasks.get(number, ()))
                    if verdict.state not in (PASSED, UNANSWERED):
                        verdict.mistake, verdict.breaks = recognise(verdict, (mistakes or {}).get(number, []))
                    verdicts.append(verdict)
                    cell.outputs = outputs(verdict)
        finally:
            run.close()
        _read_again(notebook, verdicts)
        return Graded(notebook, verdicts, time.monotonic() - started)


def _read_again(notebook, verdicts: list[Verdict]) -> None:
    """Adds to the message of each check that an answer failed the ideas that its task builds on."""
    needs = {number_of(cell): cell.metadata.course.needs for cell in notebook.cells
             if cell.metadata.get("nbgrader", {}).get("grade_id", "").startswith("task-") and "course" in cell.metadata}
    failed = {v.number for v in verdicts if v.number in needs and v.state not in (PASSED, UNANSWERED)}
    for cell in notebook.cells:
        if role(cell) == "check" and number_of(cell) in failed and cell.outputs:
            ideas = ", ".join(f"{need['idea']} ({need['section']})" for need in needs[number_of(cell)])
            cell.outputs[0].data["text/plain"] += f" Read again: {ideas}."


def _requirements(notebook) -> dict[str, dict[str, str]]:
    """The requirements of each task, by exercise number."""
    return {number_of(cell): requirements(cell.source) for cell in notebook.cells
            if cell.metadata.get("nbgrader", {}).get("grade_id", "").startswith("task-")}


def unanswered(cell) -> bool:
    """Whether an answer cell is as it was released."""
    from nbgrader.utils import compute_checksum
    return cell.metadata.nbgrader.get("checksum") == compute_checksum(cell)


def _check(run: "_Run", cell, answer, names: dict, skip_unanswered: bool, requirements: Iterable[str]) -> Verdict:
    number, points = number_of(cell), float(cell.metadata.nbgrader.points)
    if skip_unanswered and answer is not None and unanswered(answer):
        return Verdict(number, UNANSWERED, 0.0, points, "No answer yet.")
    verdict = run.check(number, cell.source, points, names, requirements)
    trouble = run.trouble.get(answer.id) if answer is not None else None
    if verdict.state != PASSED and trouble:
        state, said = trouble
        if state != ERROR:      # the answer cell itself was stopped: that is the reason
            verdict.state = state
        verdict.message = f"{said} {verdict.message}"
    return verdict


class _Run:
    """The student process of one submission, started again (within a cap) when a cell ends it."""

    def __init__(self, zygote: Zygote, times: Times, deadline: float):
        self.zygote, self.times, self.deadline = zygote, times, deadline
        self.done: list[tuple[str, str, bool]] = []         # source, id, whether it is a setup cell
        self.trouble: dict[str, tuple[str, str]] = {}       # cell id -> (state, sentence for the student)
        self.restarts = 0
        self.sandboxed = None
        self.count = 0
        self.room = MAX_OUTPUT      # characters that the notebook's outputs may still have

    def close(self) -> None:
        if self.sandboxed is not None:
            self.sandboxed.kill()
            self.sandboxed = None

    def cell(self, cell, kind: str) -> list:
        """Runs a cell; a crash or timeout is noted as its trouble, and the earlier cells are run again."""
        if not cell.source.strip():
            return []
        what = "your answer cell" if kind == "answer" else "this cell"
        try:
            reply = self._run(cell.source, cell.id, kind == "setup")
            found, size = clean(reply.get("outputs"), self.room)
            self.room -= size
        except Stopped as stop:
            said = {TIMED_OUT: f"{what} took longer than {self.times.cell:g} seconds and was stopped.",
                    MEMORY: f"{what} ran out of memory.", OUTPUT: f"{what} wrote too much output.",
                    CRASHED: f"{what} ended the process that ran it."}[stop.state]
            said = said[0].upper() + said[1:] + (f" ({stop.detail})" if stop.detail else "")
            self.trouble[cell.id] = stop.state, said
            return [note(said)]
        self.done.append((cell.source, cell.id, kind == "setup"))
        error = reply.get("error")
        if isinstance(error, dict):
            where = f" ({text(error.get('where'))[:200]})" if error.get("where") else ""
            self.trouble[cell.id] = MEMORY if no_memory(error) else ERROR, (
                f"Running {what} raised {type_names(error)[0]}: {text(error.get('message'))[:300]}{where}.")
        return found

    def check(self, number: str, source: str, points: float, names: dict, requirements: Iterable[str]) -> Verdict:
        left = self.deadline - time.monotonic()
        try:
            if left <= 0:
                raise Stopped(TIMED_OUT, "the notebook as a whole")
            self._ready()
            ours, theirs = socket.socketpair()
            with ours:
                with theirs:
                    self._send({"op": "fork"})
                    socket.send_fds(self.sandboxed.sock, [b"f"], [theirs.fileno()])
                verdict = judge(number, source, points, names, ours, min(self.times.check, left), requirements)
            limit = self.sandboxed.kill_check()
            self._send({"op": "ended", "wait": verdict.state == CRASHED})
            ended = self._reply(5.0)
        except Stopped as stop:
            self.close()
            what = stop.detail or "The process"
            return Verdict(number, stop.state, 0.0, points, f"{what[0].upper()}{what[1:]} was stopped: {stop.state}.")
        except TimeoutError:        # before OSError, of which it is one
            self.close()
            return Verdict(number, TIMED_OUT, 0.0, points, "The process of your code did not answer in time.")
        except (plain.WireError, OSError):
            state, detail = self._state()
            self.close()
            return Verdict(number, state, 0.0, points, f"Your code ended the process during the check ({detail}).")
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
        return verdict

    def _ready(self) -> None:
        """Starts the student process, or starts it again with the cells that ran well."""
        if self.sandboxed is not None and self.sandboxed.status() is None:
            return
        self.close()
        if self.restarts > self.times.restarts:
            raise Stopped(CRASHED, "the process was ended too often")
        self.restarts += 1
        self.sandboxed = self.zygote.spawn()
        for source, label, setup in self.done:
            self._send({"op": "run", "source": source, "label": label, "setup": setup})
            self._reply(min(self.times.cell, self.deadline - time.monotonic()))

    def _run(self, source: str, label: str, setup: bool) -> dict:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise Stopped(TIMED_OUT, "the notebook's time is over")
        try:
            self._ready()
            self._send({"op": "run", "source": source, "label": label, "setup": setup})
            return self._reply(min(self.times.cell, left))
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
        reply = plain.receive(self.sandboxed.sock, time.monotonic() + seconds)
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
