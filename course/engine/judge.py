"""The judge: runs test cells beside the instructor's code, and asks the student's process for their answers.

Names in a test are looked up among the test's own, then the setup's, then the student's. Calls send copies of
their arguments and bring plain data back; what is not plain stays there, as a Remote.
"""
from __future__ import annotations

import ast
import builtins
import linecache
import socket
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from types import CodeType
from typing import Any

from course.engine import words
from course.engine.deadline import Deadline
from course.engine.remote import CRASHED, MEMORY, OUTPUT, TIMED_OUT, YOUR_CODE, Link, Remote, Stopped, StudentError
from d2l_utils.check import failure, parts
from d2l_utils.check.describe import describe

PASSED, FAILED, PARTLY, ERROR, UNANSWERED = "passed", "failed", "partly", "error", "unanswered"
MAX_MESSAGE = 2000              # characters for the student


@dataclass
class Verdict:
    """What a check found. `message` is for the student and holds no expected value of a hidden test."""
    number: str
    state: str
    points: float
    out_of: float
    message: str = ""
    mistake: str = ""           # the known mistake that the answer behaves like
    breaks: str = ""            # or, where several known ones do so, the requirement that all of them break
    requirements: dict[str, str] = field(default_factory=dict)     # name -> held, failed or not reached
    visibly: bool = False       # whether an assertion of the visible part failed
    named: bool = False         # whether the message names the mistake
    hinted: bool = False        # whether it says anything beside what was found
    seconds: float = 0.0
    replies: list = field(default_factory=list, repr=False)    # what the student's process said, for known mistakes
    held: list[failure.Held] = field(default_factory=list, repr=False)     # the assertions that held, for the book's gates

    def as_dict(self) -> dict:
        """The verdict as it is kept, plain data; without what the grading of one notebook alone needs."""
        return asdict(replace(self, replies=[], held=[]), dict_factory=lambda pairs: {
            name: value for name, value in pairs if name not in ("replies", "held")})


class Names(dict):
    """The names of a running test: its own and the setup's, then the student's."""

    link: Link

    def __missing__(self, name: str):
        if hasattr(builtins, name):
            raise KeyError(name)
        try:
            value = self.link.ask("name", name, name=name)
            if isinstance(value, Remote):
                self[name] = value      # one question for each; data is asked for again, a probe may have changed it
            return value
        except StudentError as error:
            if error.type_names[0] != "NameError":
                raise
            raise NameError(f"name {name!r} is not defined", name=name) from None


class SetupError(RuntimeError):
    """A setup cell of the book fails where the judge runs it: no check of the section can be judged."""


def setup_names(cells: list[str]) -> dict[str, Any]:
    """The names that the setup cells bind, run beside the judge. Raises SetupError."""
    names: dict[str, Any] = {"__name__": "__setup__"}
    for i, source in enumerate(cells):
        _show(source, f"<setup {i}>")
        try:
            exec(compile(source, f"<setup {i}>", "exec"), names)
        except Exception as error:
            lines = [step.lineno for step in traceback.extract_tb(error.__traceback__) if step.filename == f"<setup {i}>"]
            line = lines[-1] if lines else getattr(error, "lineno", None) or 1
            text = source.split("\n")[line - 1].strip()
            raise SetupError(f"setup cell {i + 1} fails at its line {line}, `{text}`: {type(error).__name__}: {error}") from None
    return names


def _show(source: str, filename: str) -> None:
    """Lets in_hidden_part() and messages read the source, through linecache."""
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)


def judge(number: str, source: str, out_of: float, setup: dict[str, Any], sock: socket.socket,
          deadline: Deadline, requirements: Iterable[str] = ()) -> Verdict:
    """The verdict of one test cell, asking the child at the other end of `sock`. `requirements`: those of its task."""
    started = time.monotonic()
    filename = f"<check {number}>"
    link = Link(sock, deadline, filename)
    names = Names(setup)
    names.link = link
    names["__name__"] = "__check__"
    _show(source, filename)
    body, last, probes = compiled(number, source)
    names["probe"] = _remote_probe(probes, link)
    result: Any = None
    failure.start(requirements)
    parts.results.clear()
    parts.explain = lambda error: words.explain(error, link, source)[1]
    verdict = Verdict(number, PASSED, out_of, out_of)
    try:
        exec(body, names)
        if last:
            result = eval(last, names)
        _score(verdict, result)
    except (Stopped, Exception) as error:       # whatever it is: no points
        failure.stopped(error, error.__traceback__)
        verdict = Verdict(number, *_ended(error, link, source, out_of))
    finally:
        parts.explain = None
    if len(verdict.message) > MAX_MESSAGE:
        verdict.message = verdict.message[:MAX_MESSAGE] + " …"
    verdict.seconds = time.monotonic() - started
    verdict.replies = link.replies
    verdict.requirements = failure.states()
    verdict.visibly = any(not stop.hidden for stop in failure.stops)
    verdict.named = any(stop.named for stop in failure.stops)
    verdict.hinted = any(stop.hinted for stop in failure.stops)
    verdict.held = list(failure.held)
    return verdict


def _ended(error: BaseException, link: Link, source: str, out_of: float) -> tuple[str, float, float, str]:
    """State, points, their maximum and message of a check that an error ended."""
    if isinstance(error, Stopped):
        return error.state, 0.0, out_of, _stopped(error, link.deadline.seconds)
    if isinstance(error, failure.CheckFailed):
        return FAILED, 0.0, out_of, str(error) + words.call_of(error, link, source)
    if isinstance(error, NameError) and not isinstance(error, UnboundLocalError):
        return FAILED, 0.0, out_of, f"`{error.name}` is not defined: the answer cell does not bind this name."
    students, message = words.explain(error, link, source)
    return FAILED if students else ERROR, 0.0, out_of, message


def _score(verdict: Verdict, result: Any) -> None:
    if parts.results and result is None:
        result = parts.total()
    if parts.results:
        lost: dict[str, list[str]] = {}     # parts that heard the same say it once
        for earned, points, label, text in parts.results:
            if earned < points:
                lost.setdefault(text, []).append(label)
        verdict.message = " · ".join(f"{', '.join(labels)}: {text}" for text, labels in lost.items())
    if result is None:
        return
    if isinstance(result, bool) or not isinstance(result, (int, float)) or not 0 <= result <= verdict.out_of:
        verdict.state, verdict.points = ERROR, 0.0
        verdict.message = f"the check ended with {describe(result)}, not with a number from 0 to {verdict.out_of:g}."
        return
    verdict.points = float(result)
    verdict.state = PASSED if result == verdict.out_of else PARTLY if result else FAILED


def _stopped(stop: Stopped, seconds: float) -> str:
    return {
        TIMED_OUT: f"{stop.detail} took longer than {seconds:g} seconds and was stopped.",
        MEMORY: f"{stop.detail} ran out of memory.",
        CRASHED: f"{stop.detail} ended the process that ran it.",
        OUTPUT: f"{stop.detail}: too much output.",
    }[stop.state]


@lru_cache(1024)
def compiled(number: str, source: str) -> tuple[CodeType, CodeType | None, dict[str, str]]:
    """A test cell, once for a whole class: its statements, its last expression, and the sources of its functions."""
    filename = f"<check {number}>"
    tree = ast.parse(source, filename)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    functions = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            bare = ast.FunctionDef(**{f: getattr(node, f) for f in node._fields} | {"decorator_list": []})
            functions[node.name] = ast.unparse(ast.copy_location(bare, node))
    return (compile(ast.Module(tree.body, []), filename, "exec"),
            compile(ast.Expression(last.value), filename, "eval") if last else None, functions)


def _remote_probe(sources: dict[str, str], link: Link) -> Callable:
    def probe(function: Callable) -> Callable:
        name = function.__name__

        def ask(*args, **kwargs):
            value = link.ask("probe", YOUR_CODE, args, kwargs, name=name, source=sources[name])
            if _holds_verdict(value):
                raise TypeError(f"probe {name} returned a verdict (True or False); it must return data")
            return value
        ask.__name__, ask._is_probe_ = name, True
        return ask
    return probe


def _holds_verdict(value: Any) -> bool:
    if isinstance(value, (list, tuple, set)):
        return any(map(_holds_verdict, value))
    if isinstance(value, dict):
        return any(map(_holds_verdict, value.values()))
    return isinstance(value, bool)
