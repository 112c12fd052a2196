"""What a running check has found: what held, what failed, where; and which requirements of its task that settles."""
from __future__ import annotations

import linecache
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import FrameType, TracebackType

from d2l_utils.check.reading import BEGIN_HIDDEN, Step, reading_of
from d2l_utils.check.requirements import FAILED, HELD, NOT_REACHED, owner


# what an assertion says when it fails; a function is called only then; of several pieces, those that can be said
Hint = str | Callable[[], str] | tuple[str | Callable[[], str], ...]
WORDS = 160         # characters of a student's in a message about a hidden part: more could carry its inputs out


def clipped(text: str) -> str:
    """Words of a student, or about their values, as long as they may be in a message about a hidden part."""
    return text if len(text) <= WORDS else text[:WORDS - 2] + " …"


class KnownMistake(str):
    """A hint that names the mistake."""


class CheckFailed(AssertionError):
    """A check's assertion does not hold. `what` is the property, `problem` what was found, `hint` the next step (or a function
    that works it out, see `settle`), `of` the requirement."""

    def __init__(self, what: str, problem: str, hint: Hint = ""):
        self.hidden = in_hidden_part()
        problem = clipped(problem) if self.hidden else problem
        self.what, self.problem, self.hint, self.of = what, problem, hint, ""
        super().__init__(what, problem)

    def __str__(self) -> str:
        hint = self.hint if isinstance(self.hint, str) else ""
        return " ".join(part for part in (f"{self.what}: {self.problem}" if self.what else self.problem, hint) if part)

    def settle(self) -> None:
        """Works the hint out. A piece that fails is left out: it may ask the answer for what it cannot do."""
        if not isinstance(self.hint, str):
            pieces = self.hint if isinstance(self.hint, tuple) else (self.hint,)
            self.hint = " ".join(filter(None, map(_said, pieces)))

    def _render_traceback_(self) -> list[str]:
        """IPython prints this in place of a traceback, which would quote the test."""
        return [f"{running} not yet · {self}" if running else str(self)]


def _said(piece: str | Callable[[], str]) -> str:
    try:
        return str((piece() if callable(piece) else piece) or "").strip()
    except Exception:
        return ""


@dataclass(frozen=True)
class Held:
    """An assertion that held. `line` is the check's line that led to it."""
    what: str
    of: str
    hidden: bool
    line: int
    mistakes: tuple[tuple[str, str], ...] = ()      # where `examined`: its sentences, each with what has its value, "" for none


@dataclass
class Stop:
    """Where a part of the check, or the whole of it, came to an end before its last line."""
    of: str                     # the requirement that failed, "" where that cannot be told
    hidden: bool
    line: int                   # of the check
    unread: set[str] = field(default_factory=set)       # requirements of which an assertion was not run
    named: bool = False         # whether the message names the mistake
    hinted: bool = False        # whether it says anything beside what was found


# The number of the exercise whose check cell runs now in a notebook, None elsewhere.
running: str | None = None
# Whether the book is tested, not an answer: assertions that hold tell which of their known mistakes they could not name.
examined: bool = False
# Since the last `start()`: the assertions that held, the ends of parts and of the check, the parts that are open.
held: list[Held] = []
stops: list[Stop] = []
open_parts: list[tuple[str, str]] = []
names: tuple[str, ...] = ()         # the requirements of the running check's task


def start(requirements: Iterable[str] = ()) -> None:
    """Forgets what was checked before; a check of a task with these requirements begins."""
    global names
    names = tuple(requirements)
    held.clear()
    stops.clear()
    open_parts.clear()


class claim:
    """`with claim(what, of): ...` around an assertion: records that it held, or gives its failure the requirement."""

    def __init__(self, what: str, of: str):
        self.what, self.of = what, owner(names, what, of, open_parts)
        self.mistakes: tuple[tuple[str, str], ...] = ()

    def __enter__(self) -> claim:
        return self

    def __exit__(self, kind, error, traceback) -> bool:
        if error is None:
            frame = _cell_frame(sys._getframe(1))
            held.append(Held(self.what, self.of, _hidden(frame), frame.f_lineno if frame else 0, self.mistakes))
        elif isinstance(error, CheckFailed):
            error.of = error.of or self.of
            error.settle()
        return False


def stopped(error: BaseException, traceback: TracebackType | None, inside_part: bool = False) -> Stop:
    """Notes that this error ended the running part (where `inside_part`) or the check, and what that left unread."""
    steps, line = steps_of(traceback)
    text = _source(steps[0].filename) if steps else []
    failed = error.of if isinstance(error, CheckFailed) else ""
    unread = set(names)
    if steps and names:
        read, unread = reading_of("".join(text), names).after(steps, inside_part)
        if not isinstance(error, CheckFailed) and len(read) == 1:
            failed = next(iter(read))
    begin = _begin(text)
    hint = getattr(error, "hint", "")
    stops.append(Stop(failed, begin is not None and line > begin, line, unread, isinstance(hint, KnownMistake), bool(hint)))
    return stops[-1]


def states() -> dict[str, str]:
    """held, failed or not reached, for each requirement that the check reads as far as it is here.

    Held is one only where every assertion of it was run.
    """
    found = {}
    for name in names:
        if any(stop.of == name for stop in stops):
            found[name] = FAILED
        elif any(name in stop.unread for stop in stops):
            found[name] = NOT_REACHED
        elif any(one.of == name for one in held):
            found[name] = HELD
    return found


def steps_of(traceback: TracebackType | None) -> tuple[list[Step], int]:
    """The steps of a traceback that lie in the check's own text, from the outside in, and the check's own line. The
    traceback may begin below that line, where an error is caught in a function."""
    frames = []
    while traceback is not None:
        frames.append((traceback.tb_frame, traceback.tb_lineno))
        traceback = traceback.tb_next
    own = next(((frame, line) for frame, line in frames if frame.f_code.co_name == "<module>"), None)
    if own is None and frames and (outer := _cell_frame(frames[0][0])) is not None:
        own = outer, outer.f_lineno
    if own is None:
        return [], 0
    file = own[0].f_code.co_filename
    return [Step(file, frame.f_code.co_name, line, {**frame.f_globals, **frame.f_locals}) for frame, line in frames
            if frame.f_code.co_filename == file], own[1]


def in_hidden_part() -> bool:
    """Whether the running test line stands in the hidden part of its check; True where that cannot be told."""
    return _hidden(_cell_frame(sys._getframe(1)))


def _cell_frame(frame: FrameType | None) -> FrameType | None:
    """The frame of the running cell's own line: a function of the visible part may be called from the hidden one."""
    while frame and frame.f_globals.get("__name__", "").startswith("d2l_utils.check"):
        frame = frame.f_back
    outer = frame
    while outer and outer.f_code.co_name != "<module>":
        outer = outer.f_back
    return outer or frame


def _hidden(frame: FrameType | None) -> bool:
    lines = _source(frame.f_code.co_filename, frame.f_globals) if frame else []
    begin = _begin(lines)
    return not lines or begin is not None and frame.f_lineno > begin


def _begin(lines: list[str]) -> int | None:
    return next((i for i, line in enumerate(lines, 1) if BEGIN_HIDDEN in line), None)


def _source(filename: str, names: dict | None = None) -> list[str]:
    return linecache.getlines(filename, names)
