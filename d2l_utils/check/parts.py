"""Parts of a check with points of their own, and probes, which run beside the student's code."""
from __future__ import annotations

from collections.abc import Callable

from d2l_utils.check import failure

# (points earned, points possible, label, message) of the parts of the running check
results: list[tuple[float, float, str, str]] = []
# the message for an error that ended a part, other than a failed assertion; the judge has a better one
explain: Callable[[BaseException], str] | None = None


class part:
    """`with part(1, "the shape", of="shape"): ...` earns its points if nothing in it fails; the check goes on either way.

    `of` is the requirement of the assertions in it that name none. End the check with `total()` as the last line: that
    number is the score.
    """

    def __init__(self, points: float, label: str, of: str = ""):
        self.points, self.label, self.of = points, label, of

    def __enter__(self) -> None:
        failure.open_parts.append((self.of, self.label))

    def __exit__(self, kind, error, traceback) -> bool:
        if failure.open_parts:
            failure.open_parts.pop()
        if error is not None and not isinstance(error, Exception):
            return False            # an interrupt, or the end of the check's time
        message = ""
        if error is not None:
            failure.stopped(error, traceback, inside_part=True)
            message = (str(error) if isinstance(error, failure.CheckFailed) else explain(error) if explain else
                       f"{type(error).__name__}: {error}")
        results.append((self.points if error is None else 0.0, self.points, self.label, message))
        return True


def total() -> float:
    """The points of the parts that passed; the last line of a check that has parts."""
    points = float(sum(earned for earned, *_ in results))
    return points


def probe(function: Callable) -> Callable:
    """Marks a function that runs beside the student's code and returns plain data, never a verdict.

    In a notebook it is called as it is. At grading its source is sent to the student's process; it sees its
    arguments and the student's names, nothing else of the test.
    """
    return function
