"""What a graded notebook shows: the outputs that a student process reported, made harmless, and our messages."""
from __future__ import annotations

from nbformat.v4 import new_output

from course.engine.judge import PASSED, Verdict
from course.engine.markup import is_base64, one_line
from course.engine.remote import OUTPUT, Stopped

# what a student's cell may leave in a notebook that the instructor's browser opens: no scripts, no markup
_PICTURES = ("image/png", "image/jpeg")
MAX_CELL = 5 << 20              # characters of the outputs of one cell; the student process stops at less by itself
MAX_COUNT = 5000                # outputs of one cell


def clean(found, room: int) -> tuple[list, int]:
    """The outputs that a student process reported as notebook outputs, text and pictures only, and their characters.

    Raises Stopped where they have more than one cell may have, or more than `room`.
    """
    result, size = [], 0
    found = found if isinstance(found, list) else []
    for item in found if len(found) <= MAX_COUNT else []:
        output, length = _output(item) if isinstance(item, dict) else (None, 0)
        size += length
        if output is not None:
            result.append(output)
    if len(found) > MAX_COUNT or size > min(MAX_CELL, room):
        raise Stopped(OUTPUT, "")
    return result, size


def _output(item: dict):
    """One output and its characters; None where it is of no known kind. A wrong type counts as an empty text."""
    kind = item.get("output_type")
    if kind == "stream":
        words = _string(item.get("text"))
        return new_output("stream", name="stderr" if item.get("name") == "stderr" else "stdout", text=words), len(words)
    if kind in ("display_data", "execute_result") and isinstance(item.get("data"), dict):
        given = item["data"]
        data = {"text/plain": given["text/plain"]} if isinstance(given.get("text/plain"), str) else {}
        data |= {mime: given[mime] for mime in _PICTURES if is_base64(given.get(mime))}
        extra = {"execution_count": None} if kind == "execute_result" else {}
        return new_output(kind, data=data, metadata={}, **extra), sum(map(len, data.values()))
    if kind == "error":
        lines = item.get("traceback")
        lines = [_string(line)[:5000] for line in lines[:100]] if isinstance(lines, list) else []
        return new_output("error", ename=_string(item.get("ename"))[:200], evalue=_string(item.get("evalue"))[:2000],
                          traceback=lines), sum(map(len, lines))
    return None, 0


def _string(value) -> str:
    return value if isinstance(value, str) else ""


def note(text: str):
    """A text of ours as an output."""
    return new_output("display_data", data={"text/plain": text}, metadata={})


def feedback(verdict: Verdict, hint: str = "") -> str:
    """The message for the student, with the known mistake and the first hint.

    It may quote the student, and nbgrader shows it as Markdown in pages that the instructor opens.
    """
    head = f"{verdict.number}: {verdict.points:g} of {verdict.out_of:g} points, {verdict.state}."
    parts = [head, verdict.message]
    if verdict.mistake:
        parts.append(f"Your answer behaves like this known mistake: {verdict.mistake}.")
    if hint and verdict.state not in (PASSED,):
        parts.append(f"Hint: {hint}")
    return one_line(" ".join(parts))


def outputs(verdict: Verdict, hint: str = "") -> list:
    """A check cell's outputs: the message, and the points as the number that nbgrader reads as the score."""
    return [note(feedback(verdict, hint)),
            new_output("execute_result", data={"text/plain": repr(min(verdict.points, verdict.out_of))}, metadata={},
                       execution_count=None)]
