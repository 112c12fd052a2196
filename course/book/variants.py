"""Other right answers and the wrong ones that people give: tests/variants/<chapter>/<section>.py.

    # %% right="2.3.6" how="keepdim"
    # %% wrong="2.3.6" why="sums over the wrong axis" breaks="shape" says="shape" stock_differs="reason"

each followed by the whole answer cell. `breaks` is the one requirement that the answer does not meet; `says` is a piece
of the message that the student must see.
"""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import jupytext

from course.book.section import MARKER, Problem, Section, SourceError

_TAGS = {"right": {"right", "how", "stock_differs"}, "wrong": {"wrong", "why", "says", "breaks", "stock_differs"}}


@dataclass
class Variant:
    """One answer to one exercise, other than the reference."""
    number: str
    right: bool
    name: str                   # how it solves the exercise, or why it is wrong
    source: str
    says: str = ""
    stock_differs: str = ""
    breaks: str = ""
    line: int = 1               # of its `# %%` marker

    def __str__(self) -> str:
        return f"{'right' if self.right else 'wrong'} answer of {self.number} ({self.name})"


def path_of(root: Path, section: Section) -> Path:
    return root / "tests/variants" / section.chapter / f"{section.name}.py"


def variants(root: Path, section: Section, *, strays: bool = False) -> list[Variant]:
    """The section's variants in the file's order; an empty list where there is no file. Raises SourceError. With `strays`,
    those of exercises that are gone are left out without an error."""
    path = path_of(root, section)
    if not path.exists():
        return []
    found, problems = [], []
    text = path.read_text(encoding="utf-8")
    starts = [i for i, line in enumerate(text.split("\n"), 1) if MARKER.match(line)]
    cells = jupytext.reads(text, fmt="py:percent").cells
    if len(starts) < len(cells):        # something stands above the first marker
        starts = [1, *starts]
    for line, node in zip(starts, cells):
        kind = next((kind for kind in _TAGS if kind in node.metadata), "")
        if node.cell_type == "code" and kind:
            variant = _variant(kind, node, line)
            if strays and variant.number not in section.exercises:
                continue
            mistakes = list(_mistakes(variant, kind, set(node.metadata) - {"lines_to_next_cell"}, section))
            problems += [Problem(path, line, what, mend) for what, mend in mistakes]
            found.append(variant)
    if problems:
        raise SourceError(problems)
    return found


def _variant(kind: str, node, line: int) -> Variant:
    meta = node.metadata
    right = kind == "right"
    return Variant(str(meta[kind]), right, str(meta.get("how" if right else "why", "")), node.source, str(meta.get("says", "")),
                   str(meta.get("stock_differs", "")), str(meta.get("breaks", "")), line)


def _mistakes(variant: Variant, kind: str, tags: set[str], section: Section):
    """What is wrong with a variant's line: (what, mend)."""
    number = variant.number
    exercise = section.exercises.get(number)
    if exercise is None or exercise.answer is None:
        yield f"a variant of {number}, which is no code exercise of {section.name}.", "Correct its number, or take it out."
        return
    if not variant.name or not variant.right and not variant.says:
        yield (f"a variant of {number} without {'how' if variant.right else 'why or says'}.",
               'Write right="…" how="…", or wrong="…" why="…" says="…".')
    for tag in sorted(tags - _TAGS[kind]):
        yield f"a {kind} variant of {number} with an unknown tag {tag!r}.", f"Known here: {', '.join(sorted(_TAGS[kind]))}."
    if variant.breaks and variant.breaks not in exercise.requirements:
        yield (f"a variant of {number} breaks {variant.breaks!r}, which its task does not require.",
               f"Its requirements: {', '.join(exercise.requirements) or 'none has a name'}.")
