"""The judge: runs test cells beside the instructor's code, and asks the student's process for their answers.

Names in a test are looked up among the test's own, then the setup's, then the student's. Calls send copies of
their arguments and bring plain data back; what is not plain stays there, as a Remote.
"""
from __future__ import annotations

import ast
import builtins
import linecache
import re
import socket
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from course import plain
from d2l_utils.check import failure, parts
from d2l_utils.check.describe import describe

PASSED, FAILED, PARTLY = "passed", "failed", "partly"
ERROR, TIMED_OUT, MEMORY, CRASHED, OUTPUT = "error", "timed out", "out of memory", "crashed", "too much output"
UNANSWERED = "unanswered"


@dataclass
class Verdict:
    """What a check found. `message` is for the student and holds no expected value of a hidden test."""
    number: str
    state: str
    points: float
    out_of: float
    message: str = ""
    mistake: str = ""           # the known mistake that the answer behaves like
    seconds: float = 0.0
    replies: list = field(default_factory=list, repr=False)    # what the student's process said, for known mistakes

    def as_dict(self) -> dict:
        data = asdict(self)
        del data["replies"]
        return data


class Stopped(BaseException):
    """The student's process can say no more: timed out, out of memory, crashed. No test may catch it."""

    def __init__(self, state: str, detail: str):
        self.state, self.detail = state, detail
        super().__init__(detail)


class StudentError(Exception):
    """The student's code raised. `type_names` are its classes, `where` the line of the student's code."""

    def __init__(self, error: dict, call: str):
        types = error.get("types")
        self.type_names = [str(t)[:100] for t in types[:50]] if isinstance(types, list) and types else ["Exception"]
        self.where = str(error.get("where", ""))[:200]
        self.call = call
        self.name = error.get("name")
        super().__init__(str(error.get("message", ""))[:500])


class Remote:
    """Something of the student's that stays in their process: a function, a class, an instance."""

    __slots__ = ("_link", "_id", "_type", "_name", "_callable")

    def __init__(self, link: "Link", payload: dict):
        set_ = object.__setattr__
        set_(self, "_link", link)
        set_(self, "_id", int(payload["id"]))
        set_(self, "_type", str(payload["type"])[:100])
        set_(self, "_name", str(payload.get("name", ""))[:100])
        set_(self, "_callable", bool(payload.get("callable")))

    def __call__(self, *args, **kwargs):
        label = f"{self._name or self._type}({', '.join(_arguments(args, kwargs))})"
        return self._link.ask("call", label, args, kwargs, handle=self._id)

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return self._link.ask("attribute", f"{self._name or self._type}.{name}", name=name, handle=self._id)

    def __setattr__(self, name, value):
        raise TypeError("a test cannot set attributes of the student's objects: use a probe")

    def __getitem__(self, key):
        return self._link.ask("item", f"{self._name or self._type}[{key!r}]", (key,), handle=self._id)

    def __len__(self):
        return self._link.ask("length", f"len({self._name or self._type})", handle=self._id)

    def __bool__(self):
        return True

    def _describe_remote_(self) -> str:
        if self._callable and self._name:
            return f"the function or class `{self._name}` itself, not its result"
        return f"a `{self._type}` object"

    def __repr__(self):
        return f"<{self._describe_remote_()}, in the student's process>"


def _arguments(args: tuple, kwargs: dict) -> list[str]:
    texts = [_argument(a) for a in args] + [f"{k}={_argument(v)}" for k, v in kwargs.items()]
    return texts if len(texts) <= 6 else texts[:6] + ["…"]


def _argument(value: Any) -> str:
    shape = getattr(value, "shape", None) if not isinstance(value, Remote) else None
    if shape is not None and tuple(shape):
        return f"{type(value).__name__.lower()} {tuple(shape)} {str(getattr(value, 'dtype', '')).removeprefix('torch.')}".strip()
    text = describe(value) if isinstance(value, Remote) else repr(value)
    return text if len(text) <= 40 else text[:39] + "…"


class Link:
    """The judge's end of the line to the child that answers one check."""

    def __init__(self, sock: socket.socket, deadline: float):
        self.sock, self.deadline = sock, deadline
        self.count = 0
        self.replies: list = []
        self.last_call = ""

    def ask(self, op: str, label: str, args: tuple = (), kwargs: dict | None = None, **fields) -> Any:
        """One question, one answer. Raises StudentError where the student's code raised, Stopped where it ended."""
        self.count += 1
        stays = lambda value: {"id": value._id} if isinstance(value, Remote) else _refuse(value)  # noqa: E731
        message = {"op": op, "n": self.count, "args": plain.encode(list(args), stays),
                   "kwargs": plain.encode(dict(kwargs or {}), stays)} | fields
        if op in ("call", "probe"):
            self.last_call = label
        try:
            plain.send(self.sock, message)
            reply = plain.receive(self.sock, self.deadline)
            if not isinstance(reply, dict) or reply.get("n") != self.count:
                raise plain.WireError("an answer to another question")
            error = reply.get("error")
            value = None if error else plain.decode(reply.get("value"), lambda payload: Remote(self, payload))
        except TimeoutError:
            raise Stopped(TIMED_OUT, label) from None
        except plain.Closed:
            raise Stopped(CRASHED, label) from None
        except plain.TooLarge as problem:
            raise Stopped(OUTPUT, f"{label} returned {problem}") from None
        except plain.WireError as problem:
            raise Stopped(CRASHED, f"{label} came back as {problem}") from None
        if error:
            if not isinstance(error, dict):
                raise Stopped(CRASHED, label)
            self.replies.append(["error", str(error.get("types", [""])[0])])
            if "MemoryError" in error.get("types", []) or "can't allocate memory" in str(error.get("message")):
                raise Stopped(MEMORY, label)
            if "TooLarge" in error.get("types", []):
                raise Stopped(OUTPUT, f"{label}: {error.get('message')}")
            raise StudentError(error, label)
        self.replies.append(reply.get("value"))
        return value


def _refuse(value: Any):
    raise TypeError(f"a test sent {describe(value)} to the student's process; only plain data can go there: use a probe")


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


def setup_names(cells: list[str]) -> dict[str, Any]:
    """The names that the setup cells bind, run beside the judge."""
    names: dict[str, Any] = {"__name__": "__setup__"}
    for i, source in enumerate(cells):
        exec(_compile(source, f"<setup {i}>"), names)
    return names


def _compile(source: str, filename: str):
    # in_hidden_part() and messages read the source through linecache
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    return compile(source, filename, "exec")


def judge(number: str, source: str, out_of: float, setup: dict[str, Any], sock: socket.socket,
          seconds: float) -> Verdict:
    """The verdict of one test cell, asking the child at the other end of `sock`."""
    started = time.monotonic()
    link = Link(sock, started + seconds)
    names = Names(setup)
    names.link = link
    names["__name__"] = "__check__"
    filename = f"<check {number}>"
    tree = ast.parse(source)
    names["probe"] = _remote_probe(tree, link)
    result: Any = None
    failure.start()
    parts.results.clear()
    verdict = Verdict(number, PASSED, out_of, out_of)
    try:
        _compile(source, filename)
        last = tree.body[-1] if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        body = tree.body[:-1] if last else tree.body
        exec(compile(ast.Module(body, []), filename, "exec"), names)
        if last:
            result = eval(compile(ast.Expression(last.value), filename, "eval"), names)
        _score(verdict, result)
    except Stopped as stop:
        verdict = Verdict(number, stop.state, 0.0, out_of, _stopped(stop, seconds))
    except failure.CheckFailed as failed:
        verdict = Verdict(number, FAILED, 0.0, out_of, str(failed) + _context(link, source, failed))
    except StudentError as error:
        verdict = Verdict(number, ERROR, 0.0, out_of, _raised(error))
    except NameError as error:
        verdict = Verdict(number, FAILED, 0.0, out_of,
                          f"`{error.name}` is not defined: the answer cell does not bind this name.")
    except Exception as error:      # the test met something that it did not expect: no points, never full ones
        verdict = Verdict(number, ERROR, 0.0, out_of,
                          f"the test could not use your answer ({type(error).__name__}: {str(error)[:200]}).")
    verdict.seconds = time.monotonic() - started
    verdict.replies = link.replies
    return verdict


def _score(verdict: Verdict, result: Any) -> None:
    if parts.results and result is None:
        result = parts.total()
    if parts.results:
        verdict.message = " ".join(f"{label}: {text}" for earned, points, label, text in parts.results
                                   if earned < points)
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


def _context(link: Link, source: str, failed: failure.CheckFailed) -> str:
    """The call and the seed of the inputs, so that the student can try them."""
    if not link.last_call:
        return ""
    seeds = sorted(set(re.findall(r"(?:manual_seed|default_rng|seed)\((\d+)\)", source)))
    seed = f" with random inputs of seed {', '.join(seeds)}" if seeds and failed.hidden else ""
    return f" The call was {link.last_call}{seed}."


def _raised(error: StudentError) -> str:
    kind = error.type_names[0]
    if kind == "NotPlain":
        return f"{error.call} returned something that is no plain data: {error}"
    # in a hidden part the student's own words could carry the inputs out: a line of them is enough to mend the code
    text = " ".join(str(error).split())[:160]
    return f"{error.call} raised {kind}{': ' if text else ''}{text}" + (f" ({error.where})." if error.where else ".")


def _remote_probe(tree: ast.Module, link: Link) -> Callable:
    sources = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            bare = ast.FunctionDef(**{f: getattr(node, f) for f in node._fields} | {"decorator_list": []})
            sources[node.name] = ast.unparse(ast.copy_location(bare, node))

    def probe(function: Callable) -> Callable:
        name = function.__name__

        def ask(*args, **kwargs):
            value = link.ask("probe", name, args, kwargs, name=name, source=sources[name])
            if _holds_verdict(value):
                raise TypeError(f"probe {name} returned a verdict (True or False); it must return data")
            return value
        ask.__name__ = name
        return ask
    return probe


def _holds_verdict(value: Any) -> bool:
    if isinstance(value, (list, tuple, set)):
        return any(map(_holds_verdict, value))
    if isinstance(value, dict):
        return any(map(_holds_verdict, value.values()))
    return isinstance(value, bool)
