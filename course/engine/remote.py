"""The judge's end of the line to the student's process: questions, and stand-ins for what stays there.

Every word that comes back is the student's: types, sizes and times are checked here, and nothing is believed.
"""
from __future__ import annotations

import socket
import sys
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from types import CodeType
from typing import Any

from course.engine import plain
from course.engine.deadline import Deadline
from d2l_utils.check.describe import describe
from d2l_utils.check.failure import clipped

TIMED_OUT, MEMORY, CRASHED, OUTPUT = "timed out", "out of memory", "crashed", "too much output"
MAX_RECEIVED = 512 << 20        # bytes that one check may bring over
MAX_KEPT = 16 << 20             # bytes of them that are compared with known mistakes
MAX_NAME, MAX_LINE = 40, 100    # characters of a name, and of a line, of the student's code
MAX_ASKED = 50                  # questions that a message can look back on
YOUR_CODE = "Your code"         # what a probe is called: its own name means nothing to a student
_WITHIN = ("<lambda>", "<listcomp>", "<genexpr>", "<setcomp>", "<dictcomp>")    # they stand in a line of a function


class Stopped(BaseException):
    """The student's process can say no more: timed out, out of memory, crashed. No test may catch it."""

    def __init__(self, state: str, detail: str):
        self.state, self.detail = state, detail
        super().__init__(detail)


class StudentError(Exception):
    """The student's code raised. `type_names` are its classes, `where` the line of the student's code."""

    def __init__(self, error: dict, call: str):
        self.type_names = type_names(error)
        self.where = text(error.get("where"))[:MAX_LINE]
        self.call = call
        self.name = error.get("name")
        super().__init__(clipped(" ".join(text(error.get("message")).split())))


def text(value: Any) -> str:
    """A string of the student process; what should be one and is not is left out, unread."""
    return value if isinstance(value, str) else ""


def type_names(error: dict) -> list[str]:
    """The names of a reported exception's classes, the innermost first; at least one."""
    types = error.get("types")
    return [text(t)[:MAX_NAME] for t in types[:50]] if isinstance(types, list) and types else ["Exception"]


def no_memory(error: dict) -> bool:
    """Whether a reported exception says that an allocation failed."""
    return "MemoryError" in type_names(error) or "can't allocate memory" in text(error.get("message"))


@dataclass(frozen=True, eq=False)
class Asked:
    """One question of a check, and its answer: what kind, in words, at which instruction of the check."""
    op: str
    label: str
    code: CodeType
    instruction: int
    value: Any = None

    @property
    def function(self) -> str:
        """The check's function that asked, "<module>" for its own lines."""
        return self.code.co_name

    @cached_property
    def place(self) -> tuple[int, int]:
        """Line and column at which the expression begins that asked, as ast has them. Worked out where a message needs it."""
        line, _, column, _ = next(islice(self.code.co_positions(), self.instruction // 2, None))
        return line or 0, column or 0

    @property
    def line(self) -> int:
        return self.place[0]


class Remote:
    """Something of the student's that stays in their process: a function, a class, an instance."""

    __slots__ = ("_link", "_id", "_type", "_name", "_callable")

    def __init__(self, link: "Link", payload: dict):
        set_ = object.__setattr__
        set_(self, "_link", link)
        set_(self, "_id", int(payload["id"]))
        set_(self, "_type", text(payload["type"])[:MAX_NAME])
        set_(self, "_name", text(payload.get("name"))[:MAX_NAME])
        set_(self, "_callable", bool(payload.get("callable")))

    def __call__(self, *args, **kwargs):
        label = f"{self._name or self._type}({', '.join(_arguments(args, kwargs))})"
        return self._link.ask("call", label, args, kwargs, handle=self._id)

    def __getattr__(self, name: str):
        # what stays there is no tensor, array or table, whatever shape it claims to have
        if name.startswith("__") or name in ("shape", "dtype"):
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
        dtype = str(getattr(value, "dtype", "")).removeprefix("torch.")
        return f"{type(value).__name__.lower()} {tuple(shape)} {dtype}".strip()
    text = describe(value) if isinstance(value, Remote) else repr(value)
    return text if len(text) <= 40 else text[:39] + "…"


class Link:
    """The judge's end of the line to the child that answers one check."""

    def __init__(self, sock: socket.socket, deadline: Deadline, filename: str = ""):
        self.sock, self.deadline, self.filename = sock, deadline, filename
        self.count = 0
        self.received = 0           # bytes
        self.replies: list = []
        self.asked: list[Asked] = []

    def ask(self, op: str, label: str, args: tuple = (), kwargs: dict | None = None, **fields) -> Any:
        """One question, one answer. Raises StudentError where the student's code raised, Stopped where it ended."""
        self.count += 1
        stays = lambda value: {"id": value._id} if isinstance(value, Remote) else _refuse(value)  # noqa: E731
        message = {"op": op, "n": self.count, "args": plain.encode(list(args), stays),
                   "kwargs": plain.encode(dict(kwargs or {}), stays)} | fields
        try:
            self.sock.settimeout(max(0.001, self.deadline.left()))
            plain.send(self.sock, message)
            reply, size = plain.receive_sized(self.sock, self.deadline, MAX_RECEIVED - self.received)
            self.received += size
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
        self._note(op, label, value)
        if error:
            if not isinstance(error, dict):
                raise Stopped(CRASHED, label)
            self.replies.append(["error", type_names(error)[0]])
            if no_memory(error):
                raise Stopped(MEMORY, label)
            if "TooLarge" in type_names(error):
                raise Stopped(OUTPUT, f"{label}: {text(error.get('message'))[:200]}")
            raise StudentError(error, label)
        self.replies.append(reply.get("value") if self.received <= MAX_KEPT else ["not kept", None])
        return value

    def _note(self, op: str, label: str, value: Any) -> None:
        frame = sys._getframe(2)
        while frame and (frame.f_code.co_filename != self.filename or frame.f_code.co_name in _WITHIN):
            frame = frame.f_back
        if frame:
            self.asked.append(Asked(op, label, frame.f_code, frame.f_lasti, value))
            del self.asked[:-MAX_ASKED]


def _refuse(value: Any):
    raise TypeError(f"a test sent {describe(value)} to the student's process; only plain data can go there: "
                    "use a probe")
