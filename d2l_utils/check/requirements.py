"""The requirements of a task: the bullets of its **You are done when**, each with a name in bold."""
from __future__ import annotations

import re
from dataclasses import dataclass

DONE = "**You are done when**"
HELD, FAILED, NOT_REACHED = "held", "failed", "not reached"
_NAMED = re.compile(r"- \*\*(.+?)\*\*:\s+(.*)", re.DOTALL)


@dataclass
class Bullet:
    """One bullet: its name, "" where it has none; its text on one line; its line in the task, from 0."""
    name: str
    text: str
    line: int


def bullets(task: str) -> list[Bullet]:
    """The bullets that follow **You are done when**, with their continuation lines."""
    found: list[tuple[int, list[str]]] = []
    lines = task.split("\n")
    start = next((i for i, line in enumerate(lines) if DONE in line), len(lines))
    for i, line in enumerate(lines[start + 1:], start + 1):
        if line.startswith("- "):
            found.append((i, [line]))
        elif not line.strip():
            following = next((after for after in lines[i + 1:] if after.strip()), "")
            if found and not following.startswith(("- ", " ")):
                break
        elif found:
            found[-1][1].append(line.strip())
    return [_bullet(" ".join(text), line) for line, text in found]


def _bullet(text: str, line: int) -> Bullet:
    named = _NAMED.match(text)
    return Bullet(named.group(1).strip(), named.group(2).strip(), line) if named else Bullet("", text[2:], line)


def requirements(task: str) -> dict[str, str]:
    """The named requirements of a task in their order: name -> what holds."""
    return {bullet.name: bullet.text for bullet in bullets(task) if bullet.name}


def owner(names, what: str, of: str, enclosing=()) -> str:
    """The requirement to which an assertion belongs, "" where there is none.

    Its `of`; else its `what` if that is a name; else the `of` or the label of a part around it; else the only name.
    """
    if of:
        return of
    if what in names:
        return what
    for part_of, label in reversed(list(enclosing)):
        if part_of or label in names:
            return part_of or label
    return next(iter(names)) if len(names) == 1 else ""
