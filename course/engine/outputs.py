"""What a graded notebook shows: the outputs that a student process reported, made harmless, and our messages."""
from __future__ import annotations

from nbformat.v4 import new_output

from course.engine.judge import PASSED, Verdict
from course.engine.markup import is_base64, one_line
from course.engine.remote import OUTPUT, Stopped
from d2l_utils.check.requirements import FAILED, HELD, NOT_REACHED

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


def feedback(verdict: Verdict) -> str:
    """The message for the student, with the known mistake, and what held.

    It may quote the student, and nbgrader shows it as Markdown in pages that the instructor opens.
    """
    parts = [f"{verdict.number}: {verdict.points:g} of {verdict.out_of:g} points, {verdict.state}.", verdict.message,
             behaves_like(verdict)]
    if verdict.state != PASSED:
        parts += [f"{state.capitalize()}: {', '.join(names)}." for state in (FAILED, NOT_REACHED, HELD)
                  if (names := [name for name, found in verdict.requirements.items() if found == state])]
    return one_line(" ".join(parts))


def behaves_like(verdict: Verdict) -> str:
    """The known mistake that an answer behaves like, or the requirement that such mistakes break, as a sentence."""
    if verdict.mistake:
        return f"Your answer behaves like this known mistake: {verdict.mistake}."
    return f"Look at this requirement again: {verdict.breaks}" if verdict.breaks else ""


def outputs(verdict: Verdict) -> list:
    """A check cell's outputs: the message, and the points as the number that nbgrader reads as the score."""
    return [note(feedback(verdict)),
            new_output("execute_result", data={"text/plain": repr(min(verdict.points, verdict.out_of))}, metadata={},
                       execution_count=None)]
