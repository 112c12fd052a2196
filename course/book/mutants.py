"""`course mutants`: are the references' one-step mutations rejected? Those that are not are right answers, which a file
says with a reason (tests/mutants/<chapter>/<section>.toml), or the tests have a gap.

    [[right]]
    number = "2.3.6b"
    was = "return A / A.sum(dim=1, keepdim=True)"
    now = "return A / A.sum(dim=-1, keepdim=True)"
    reason = "axis -1 of a matrix is axis 1"

Without `now`, every mutation of that line is right.
"""
from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from course.book.instructor import instructor_notebook
from course.book.copies import region
from course.book.gates import answered
from course.book.mutate import Mutant, mutants
from course.book.section import Section, grade_id, rounds, used
from course.engine.notebook import Engine, role

SECONDS = 3.0           # at least so long may a mutant's check run
SLOWER = 10             # and so many times as long as the reference's


class ReferenceFails(RuntimeError):
    """The references do not get full marks: there is nothing to compare mutants with."""


@dataclass
class Right:
    """An entry of a file: a mutation, or every one of a line where `now` is None, that is a right answer."""
    number: str
    was: str
    now: str | None
    reason: str

    def fits(self, mutant: Mutant) -> bool:
        return (self.number, self.was) == (mutant.number, mutant.was) and self.now in (None, mutant.now)


@dataclass
class Outcome:
    """The mutants of a section: how many were made, and those that were not rejected."""
    section: Section
    total: int = 0
    survivors: list[Mutant] = field(default_factory=list)      # that no file calls right
    right: int = 0                                              # that a file calls right
    stale: list[Right] = field(default_factory=list)            # entries of the file that fit no survivor

    @property
    def score(self) -> float:
        """The share rejected of those that are wrong; 1 where there are none."""
        wrong = self.total - self.right
        return 1 - len(self.survivors) / wrong if wrong else 1.0


def path_of(root: Path, section: Section) -> Path:
    return root / "tests/mutants" / section.chapter / f"{section.name}.toml"


def right(root: Path, section: Section) -> list[Right]:
    """What the section's file calls right."""
    path = path_of(root, section)
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("right", []) if path.exists() else []
    return [Right(entry["number"], entry["was"], entry.get("now"), entry["reason"]) for entry in entries]


def entry(mutant: Mutant) -> str:
    """A mutant as an entry of that file, which still needs its reason."""
    lines = [f"{name} = {json.dumps(getattr(mutant, name), ensure_ascii=False)}" for name in ("number", "was", "now")]
    return "\n".join(["[[right]]", *lines, 'reason = ""'])


def of_section(section: Section, only: set[str] | None = None, most: int = 0) -> dict[str, list[Mutant]]:
    """The mutants of each exercise with a check; of more than `most` (if that is not 0) some, evenly chosen."""
    found = {}
    for number, exercise in section.exercises.items():
        if exercise.check and exercise.answer and (not only or number in only):
            made = mutants(number, exercise.answer.source, *region(exercise.answer, "solution"))
            step = max(1.0, len(made) / most) if most else 1.0
            found[number] = [made[int(i * step)] for i in range(int(len(made) / step))]
    return found


def examine(root: Path, section: Section, engine: Engine, only: set[str] | None = None, most: int = 0,
            step: Callable[[int], None] = lambda count: None) -> Outcome:
    """Grades the mutants of a section (or of some exercises of it). `step` hears how many were graded.

    Raises ReferenceFails where a reference does not get full marks.
    """
    made = of_section(section, only, most)
    uses = {number: used(section, {number}) for number in made}
    notebook, seconds = _baseline(section, engine, set(made))
    survivors = []
    before = engine.times
    try:
        for chosen in rounds(section, chain.from_iterable(made.values())):
            limit = max(SECONDS, SLOWER * max(seconds[number] for number in chosen))
            engine.times = replace(before, check=limit, cell=max(SECONDS, limit), notebook=1e5, restarts=10**6)
            one = answered(_only(notebook, set(chosen), uses), {number: mutant.source for number, mutant in chosen.items()})
            for verdict in engine.grade(one, skip_unanswered=False).verdicts:
                if verdict.points == verdict.out_of:
                    survivors.append(chosen[verdict.number])
            step(len(chosen))
    finally:
        engine.times = before
    known = right(root, section)
    left = [mutant for mutant in survivors if not any(entry.fits(mutant) for entry in known)]
    left.sort(key=lambda mutant: (list(made).index(mutant.number), mutant.line))
    stale = [entry for entry in known if not any(map(entry.fits, survivors))]
    return Outcome(section, sum(map(len, made.values())), left, len(survivors) - len(left), [] if only or most else stale)


def _baseline(section: Section, engine: Engine, numbers: set[str]):
    """The references' notebook, without its worked code if no answer needs that; and the seconds of each check."""
    full = instructor_notebook(section)
    lean = copy.deepcopy(full)
    lean.cells = [cell for cell in lean.cells if role(cell) not in ("code", "demo")]
    failed: list[str] = []
    for notebook in (lean, full):
        verdicts = [v for v in engine.grade(copy.deepcopy(notebook), skip_unanswered=False).verdicts if v.number in numbers]
        failed = [v.number for v in verdicts if v.points < v.out_of]
        if not failed:
            return notebook, {v.number: v.seconds for v in verdicts}
    raise ReferenceFails(f"{section.number}: the reference of {failed[0]} does not get full marks: `course check "
                         f"{failed[0]} --gates` says why.")


def _only(notebook, numbers: set[str], uses: dict[str, set[str]]):
    """The notebook with the checks of these exercises, and the answers that they need."""
    answers = {grade_id("exercise", n) for number in numbers for n in {number} | uses[number]}
    checks = {grade_id("check", number) for number in numbers}
    made = copy.copy(notebook)
    made.cells = [cell for cell in notebook.cells if role(cell) not in ("answer", "check") or cell.id in answers | checks]
    return made
