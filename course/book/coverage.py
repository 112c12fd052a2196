"""What the tests of an exercise cover: for each requirement the assertions that read it and the wrong answers that break
it, and which wrong answers the visible part alone catches. Seen in the runs of the gates, not guessed from the text."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from course.book.section import Section
from course.book.variants import Variant
from course.engine.judge import Verdict
from course.engine.mistakes import alike
from d2l_utils.check.failure import Held
from d2l_utils.check.requirements import FAILED

VISIBLY = 0.9           # of an exercise's wrong variants, the share that its visible part catches


@dataclass
class Tried:
    """A wrong variant that was graded."""
    variant: Variant
    rejected: bool
    visibly: bool           # by an assertion of the visible part
    failed: tuple[str, ...] = ()        # the requirements of which an assertion failed
    replies: list = field(default_factory=list, repr=False)


@dataclass
class Facts:
    """One exercise with a check, as the gates saw it."""
    number: str
    requirements: dict[str, str]
    path: Path
    line: int                       # of the check's marker
    hidden_only: str = ""
    asserted: list[Held] = field(default_factory=list)     # by the reference
    reference: bool = False         # whether the reference gets full marks
    wrong: list[Tried] = field(default_factory=list)
    right: int = 0

    def counts(self, name: str) -> tuple[int, int]:
        """How many assertions of the visible and of the hidden part read a requirement."""
        those = [held.hidden for held in self.asserted if held.of == name]
        return those.count(False), those.count(True)

    def breaking(self, name: str) -> list[Variant]:
        return [tried.variant for tried in self.wrong if tried.variant.breaks == name]

    @property
    def visibly(self) -> float:
        """The share of the wrong variants that the visible part catches; 1 where there is none."""
        return sum(tried.visibly for tried in self.wrong) / len(self.wrong) if self.wrong else 1.0

    def never_said(self) -> dict[str, str]:
        """The known mistakes that no assertion can name, each with what has the same value wherever it stands."""
        found: dict[str, list[str]] = {}
        for held in self.asserted:
            for sentence, same in held.mistakes:
                found.setdefault(sentence, []).append(same)
        return {sentence: same[0] for sentence, same in found.items() if all(same)}

    def shared(self) -> list[list[Variant]]:
        """Wrong variants that no reply tells apart, though they break different requirements (or name none)."""
        groups: list[list[Tried]] = []
        for tried in self.wrong:
            if tried.rejected and tried.replies:
                group = next((g for g in groups if alike(g[0].replies, tried.replies)), None)
                if group is None:
                    groups.append(group := [])
                group.append(tried)
        return [[t.variant for t in group] for group in groups
                if len(group) > 1 and (len({t.variant.breaks for t in group}) > 1 or not group[0].variant.breaks)]


def facts_of(section: Section, numbers: Iterable[str]) -> dict[str, Facts]:
    """The facts that stand in the source; `note` adds those of the runs."""
    found = {}
    for number in numbers:
        exercise = section.exercises[number]
        found[number] = Facts(number, exercise.requirements, section.path, exercise.check.line,
                              str(exercise.check.meta.get("hidden_only", "")))
    return found


def note(facts: dict[str, Facts], name: str, chosen: dict[str, Variant], verdicts: Iterable[Verdict]) -> None:
    """Adds what one graded submission shows: `name` and `chosen` as course.book.gates.submissions gives them."""
    for verdict in verdicts:
        fact, variant = facts.get(verdict.number), chosen.get(verdict.number)
        if fact is None:
            continue
        if name == "reference":
            fact.asserted, fact.reference = verdict.held, verdict.points == verdict.out_of
        elif variant is not None and variant.right:
            fact.right += 1
        elif variant is not None:
            rejected = verdict.points < verdict.out_of
            failed = tuple(name for name, state in verdict.requirements.items() if state == FAILED)
            fact.wrong.append(Tried(variant, rejected, rejected and verdict.visibly, failed, verdict.replies))


def gaps(section: Section, facts: dict[str, Facts], variants_path: Path) -> Iterable[tuple[str, int, str]]:
    """(exercise, gate, what) for each requirement that is not read or not broken, and what belongs to none: gate 8; for
    visible parts that show too little: gate 9. A section of the old form has none."""
    if not section.new_form:
        return
    for fact in facts.values():
        say: Callable[[str], tuple[str, int, str]] = lambda what, n=fact.number: (n, 8, what)  # noqa: E731
        if not fact.requirements:
            yield say("its task names no requirement: write `- **name**: what holds` below **You are done when**.")
            continue
        if not fact.reference:
            continue        # gate 1 says so; which assertions there are is not known
        for name in fact.requirements:
            for where, count in zip(("visible", "hidden"), fact.counts(name)):
                if not count:
                    yield say(f"no assertion of the {where} part reads the requirement {name!r}.")
            breaking = [tried for tried in fact.wrong if tried.variant.breaks == name]
            if not breaking:
                yield say(f'no wrong variant breaks the requirement {name!r}: write one with breaks="{name}".')
            elif all(tried.failed and name not in tried.failed for tried in breaking):
                told = "; ".join(f"{tried.variant.name} (line {tried.variant.line}) fails {', '.join(tried.failed)}"
                                 for tried in breaking)
                yield say(f"no wrong variant that breaks the requirement {name!r} fails an assertion of it: {told}. Write one "
                          "that breaks it and nothing else.")
        for line, what in sorted({(held.line, held.what) for held in fact.asserted if held.of not in fact.requirements}):
            yield say(f"{fact.path.name}:{fact.line + line - 1}: the assertion {what!r} reads no requirement: add of=\"...\", "
                      "or the bullet that it needs.")
        for tried in fact.wrong:
            if not tried.variant.breaks:
                yield say(f"tests/variants/.../{variants_path.name}:{tried.variant.line}: {tried.variant} breaks no "
                          "requirement: add breaks=\"...\".")
        if fact.visibly < VISIBLY and not fact.hidden_only:
            missed = [tried.variant.name for tried in fact.wrong if not tried.visibly]
            yield (fact.number, 9, f"the visible part catches {len(fact.wrong) - len(missed)} of {len(fact.wrong)} wrong "
                   f"variants, not: {'; '.join(missed)}. Show more, or say why not: hidden_only=\"reason\" on the check.")
        elif fact.hidden_only and fact.visibly >= VISIBLY:
            yield (fact.number, 9, 'the visible part catches its wrong variants: take hidden_only="..." away.')
