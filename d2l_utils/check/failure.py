"""The failed assertion, and where it stands: visible or hidden part of a check."""
from __future__ import annotations

import linecache
import sys

BEGIN_HIDDEN = "### BEGIN HIDDEN TESTS"


class CheckFailed(AssertionError):
    """A check's assertion does not hold. `what` is the property, `problem` what was found, `hint` the next step."""

    def __init__(self, what: str, problem: str, hint: str = ""):
        self.what, self.problem, self.hint = what, problem, hint
        self.hidden = in_hidden_part()
        super().__init__(" ".join(part for part in (f"{what}: {problem}" if what else problem, hint) if part))

    def _render_traceback_(self) -> list[str]:
        """IPython prints this in place of a traceback, which would quote the test."""
        return [f"{running} not yet · {self}" if running else str(self)]


# The number of the exercise whose check cell runs now in a notebook, None elsewhere.
running: str | None = None
# The properties that held, in the order in which they were checked, since the last `start()`.
passed: list[str] = []


def start() -> None:
    """Forgets what was checked before."""
    passed.clear()


def record(what: str) -> None:
    """Notes a property that holds, so that the student sees it; hidden ones stay unnamed."""
    if what and not in_hidden_part():
        passed.append(what)


def in_hidden_part() -> bool:
    """Whether the running test line stands in the hidden part of its check; True where that cannot be told."""
    frame = sys._getframe(1)
    while frame and frame.f_globals.get("__name__", "").startswith("d2l_utils.check"):
        frame = frame.f_back
    # a function of the visible part may be called from the hidden one: the cell's own line decides
    outer = frame
    while outer and outer.f_code.co_name != "<module>":
        outer = outer.f_back
    frame = outer or frame
    if frame is None:
        return True
    lines = linecache.getlines(frame.f_code.co_filename, frame.f_globals)
    if not lines:
        return True
    begin = next((i for i, line in enumerate(lines, 1) if BEGIN_HIDDEN in line), None)
    return begin is not None and frame.f_lineno > begin
