"""What the notebook file around a running check says: an exercise's requirements, hints and ideas, which checks pass."""
from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

from d2l_utils.check.requirements import requirements


def cells_around(number: str) -> list[dict]:
    """The cells of the notebook file that holds this check: the open one, else one in the working folder."""
    name = _grade_id("check", number)
    for path in _files():
        try:
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if any(_name(cell) == name for cell in cells):
            return cells
    return []


def _files() -> Iterator[Path]:
    if open_one := os.environ.get("JPY_SESSION_NAME"):
        yield Path(open_one)
    try:
        yield from sorted(Path.cwd().glob("*.ipynb"))
    except OSError:     # the kernel's folder was removed, or put there anew
        return


def requirements_of(cells: list[dict], number: str) -> dict[str, str]:
    """The requirements that the task states, by name; none where the notebook's file is not found."""
    return requirements(_source(_find(cells, "task", number)))


def ideas_of(cells: list[dict], number: str) -> list[dict]:
    """What the task builds on: for each idea its name, the section that teaches it, and the link there."""
    return _find(cells, "task", number).get("metadata", {}).get("course", {}).get("needs", [])


def hints_of(cells: list[dict], number: str) -> list[str]:
    """The hints of an exercise as Markdown, in their order; none where it has none."""
    texts = re.split(r"<details><summary>Hint \d+</summary>", _source(_find(cells, "hints", number)))[1:]
    return [text.replace("</details>", "").strip() for text in texts]


def passing(cells: list[dict]) -> dict[str, bool]:
    """For each check of a saved notebook, whether its output says that the answer there passes."""
    answers = {_name(cell)[7:]: digest(_source(cell)) for cell in cells if _name(cell).startswith("answer-")}
    found = {}
    for cell in cells:
        name = _name(cell)
        if name.startswith("check-"):
            records = [output.get("metadata", {}).get("d2l_check") for output in cell.get("outputs", [])]
            record = next((record for record in records if record), {})
            found[name[6:].replace("-", ".")] = bool(record.get("passed")) and record.get("answer") == answers.get(name[6:])
    return found


def digest(source: str) -> str:
    """What a check's output remembers of the answer that it looked at."""
    return hashlib.sha256(source.strip().encode()).hexdigest()[:16]


def _find(cells: list[dict], role: str, number: str) -> dict:
    """The cell of this role ("task", "hints", "check") of the exercise; an empty one where there is none."""
    name = _grade_id(role, number)
    return next((cell for cell in cells if _name(cell) == name), {})


def _grade_id(role: str, number: str) -> str:
    return f"{role}-{number.replace('.', '-')}"


def _source(cell: dict) -> str:
    return "".join(cell.get("source", ""))


def _name(cell: dict) -> str:
    return cell.get("metadata", {}).get("nbgrader", {}).get("grade_id", "")
