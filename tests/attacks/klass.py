"""The class of attackers and honest students between them, handed in to a course folder of its own."""
from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import breaking
import forging
import spying
from attack import FULL, HONEST, Attack

import notebooks

HERE = Path(__file__).resolve().parent
ATTACKS = [*forging.ATTACKS, *spying.ATTACKS, *breaking.ATTACKS, *notebooks.ATTACKS]
EVERY = 8                       # so many attacks between two honest submissions
assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)


def course_module():
    """The course folder of tests/grading, with the book that is attacked here."""
    if str(HERE.parent) not in sys.path:        # where its `commands` is; pytest has it
        sys.path.append(str(HERE.parent))
    spec = importlib.util.spec_from_file_location("course_folder", HERE.parent / "grading/small_course.py")
    made = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = made
    spec.loader.exec_module(made)
    made.BOOK = HERE / "book"
    return made


def students(attacks=ATTACKS) -> dict[str, Attack]:
    """student -> what they hand in, in the order in which they are graded."""
    found: dict[str, Attack] = {}
    for i, attack in enumerate(attacks):
        if i % EVERY == 0:
            found[f"a{i:03}_honest"] = Attack("honest", earns=FULL)
        found[f"a{i:03}_{attack.name}"] = attack
    return found | {"z_honest": Attack("honest", earns=FULL)}


def hand_in(course, student: str, attack: Attack, **values: str) -> None:
    made = course.notebook(**{f"a_9_9_{number}": attack.source(number, ROOT=str(course.root), **values)
                              for number in HONEST})
    path = course.hand_in(student, attack.change(made) if attack.change else made)
    if attack.place:
        attack.place(path, course)


def hand_in_all(course, chosen: dict[str, Attack], **values: str) -> None:
    for student, attack in chosen.items():
        hand_in(course, student, attack, **values)


def points(scores: dict[str, float | None]) -> tuple:
    return tuple(scores.get(f"check-9-9-{i}") for i in (1, 2, 3))


def outputs(path: Path) -> str:
    """All that a graded notebook shows below its cells, as text."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "\n".join(json.dumps(cell.get("outputs", []), ensure_ascii=False) for cell in cells)
