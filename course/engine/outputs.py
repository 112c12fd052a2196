"""What a graded notebook shows: the outputs that a student process reported, made harmless, and our messages."""
from __future__ import annotations

import re

from nbformat.v4 import new_output

from course.engine.judge import PASSED, Verdict
from course.engine.markup import is_base64, one_line
from course.engine.remote import OUTPUT, Stopped
from d2l_utils.check.requirements import FAILED, HELD, NOT_REACHED

# what a student's cell may leave in a notebook that the instructor's browser opens: no scripts, no markup
_PICTURES = ("image/png", "image/jpeg")
MAX_CELL = 5 << 20              # characters of the outputs of one cell; the student process stops at less by itself
EACH = 8 << 10                  # characters that an output counts for by itself: a page takes as long for an empty one
MAX_COLOURS = 2000              # escape sequences of one cell: a page has an element for each
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[@-_])?")


def clean(found, room: int) -> tuple[list, int]:
    """The outputs that a student process reported as notebook outputs, text and pictures only, and their characters.

    Raises Stopped where they have more than one cell may have, or more than `room`; each output counts, empty or not.
    """
    result, size = [], 0
    for item in found if isinstance(found, list) else []:
        output, length = _output(item) if isinstance(item, dict) else (None, 0)
        size += length + EACH
        if size > min(MAX_CELL, room):
            raise Stopped(OUTPUT, "")
        if output is not None:
            result.append(output)
    _bleach(result)
    return result, size


def _bleach(outputs: list) -> None:
    """Takes the colours out of the texts of a cell that has very many."""
    if sum(text.count("\x1b") for output in outputs for text in _texts(output)) <= MAX_COLOURS:
        return
    for output in outputs:
        if output.output_type == "error":
            output.traceback = [_ESCAPE.sub("", line) for line in output.traceback]
        elif output.output_type == "stream":
            output.text = _ESCAPE.sub("", output.text)
        elif "text/plain" in output.data:
            output.data["text/plain"] = _ESCAPE.sub("", output.data["text/plain"])


def _texts(output) -> list[str]:
    if output.output_type == "error":
        return output.traceback
    return [output.text if output.output_type == "stream" else output.data.get("text/plain", "")]


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
    """The known mistake that an answer behaves like, or the requirement that such mistakes break, as a sentence; nothing where
    the message names the mistake: the check may have stopped before the two part."""
    if verdict.named:
        return ""
    if verdict.mistake:
        return f"Up to here your answer does the same as this known mistake: {verdict.mistake}."
    return f"Look at this requirement again: {verdict.breaks}" if verdict.breaks else ""


def outputs(verdict: Verdict) -> list:
    """A check cell's outputs: the message, and the points as the number that nbgrader reads as the score."""
    return [note(feedback(verdict)),
            new_output("execute_result", data={"text/plain": repr(min(verdict.points, verdict.out_of))}, metadata={},
                       execution_count=None)]
