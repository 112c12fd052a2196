"""What is said of an exercise of a student: one word, a sign that tells it without a colour, and a class for pages."""
from __future__ import annotations

from typing import NamedTuple

from course.engine.judge import ERROR, FAILED, PASSED, UNANSWERED
from course.grading.marks import Mark


class State(NamedTuple):
    words: str
    sign: str
    css: str


RIGHT = State("right", "✓", "right")
PARTLY = State("partly right", "◐", "partly")
WRONG = State("not yet right", "✗", "wrong")
NONE = State("no answer", "–", "none")
WAITS = State("waits for a person's mark", "…", "waits")
MARKED = State("marked by a person", "✎", "marked")
UNREAD = State("could not be read", "?", "unread")
STOPPED = State("stopped", "■", "wrong")

SIGNS = [RIGHT, PARTLY, WRONG, NONE, WAITS, MARKED, UNREAD, STOPPED]


def state(verdict: dict | None, check: Mark | None, written: Mark | None, unreadable: bool = False) -> State:
    """The state of an exercise from its verdict, the marks of its check and of its written answer, and whether the
    notebook could not be read."""
    score = sum(mark.score for mark in (check, written) if mark)
    out_of = sum(mark.out_of for mark in (check, written) if mark)
    if unreadable:
        return UNREAD
    if written and written.waits:
        return WAITS
    if verdict and verdict["state"] == UNANSWERED and not score:
        return NONE
    if score >= out_of:
        return MARKED if written and written.by_hand else RIGHT
    if written and written.by_hand:
        return MARKED
    if not verdict:
        return NONE
    if score > 0:
        return PARTLY
    if verdict["state"] not in (PASSED, FAILED, ERROR, UNANSWERED):
        return State(f"{STOPPED.words}: {verdict['state']}", *STOPPED[1:])
    return WRONG
