"""Other right answers and the wrong ones that people give: tests/variants/<chapter>/<section>.py.

    # %% right="2.3.6" how="keepdim"
    # %% wrong="2.3.6" why="sums over the wrong axis" says="shape" stock_differs="reason"

each followed by the whole answer cell. `says` is a piece of the message that the student must see.
"""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import jupytext

from course.book.section import Problem, Section, SourceError


@dataclass
class Variant:
    """One answer to one exercise, other than the reference."""
    number: str
    right: bool
    name: str                   # how it solves the exercise, or why it is wrong
    source: str
    says: str = ""
    stock_differs: str = ""

    def __str__(self) -> str:
        return f"{'right' if self.right else 'wrong'} answer of {self.number} ({self.name})"


def path_of(root: Path, section: Section) -> Path:
    return root / "tests/variants" / section.chapter / f"{section.name}.py"


def variants(root: Path, section: Section) -> list[Variant]:
    """The section's variants in the file's order; an empty list where there is no file. Raises SourceError."""
    path = path_of(root, section)
    if not path.exists():
        return []
    found, problems = [], []
    for node in jupytext.reads(path.read_text(encoding="utf-8"), fmt="py:percent").cells:
        meta = node.metadata
        if node.cell_type != "code" or not ({"right", "wrong"} & set(meta)):
            continue
        right = "right" in meta
        number = str(meta["right"] if right else meta["wrong"])
        name = meta.get("how" if right else "why", "")
        exercise = section.exercises.get(number)
        if exercise is None or exercise.answer is None:
            problems.append(Problem(path, 1, f"a variant of {number}, which is no code exercise of {section.name}.",
                                    "Correct its number."))
        elif not name or (not right and not meta.get("says")):
            problems.append(Problem(path, 1, f"a variant of {number} without {'how' if right else 'why or says'}.",
                                    'Write right="…" how="…", or wrong="…" why="…" says="…".'))
        else:
            found.append(Variant(number, right, name, node.source, meta.get("says", ""), meta.get("stock_differs", "")))
    if problems:
        raise SourceError(problems)
    return found


def rounds(found: list[Variant]) -> list[dict[str, Variant]]:
    """The k-th variant of every exercise in one submission, so that a section costs as many runs as its longest list."""
    by_number: dict[str, list[Variant]] = {}
    for variant in found:
        by_number.setdefault(variant.number, []).append(variant)
    longest = max(map(len, by_number.values()), default=0)
    return [{number: those[k] for number, those in by_number.items() if k < len(those)} for k in range(longest)]
