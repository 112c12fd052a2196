"""What `course check --gates` prints of the coverage: one exercise in full, or a table of the sections."""
from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from course.book.bindings import probes
from course.book.copies import Copy, copies, known
from course.book.coverage import VISIBLY, Facts
from course.book.mutants import Outcome
from course.book.requirements import expected_from_answers
from course.book.section import Section


def exercise(console: Console, fact: Facts) -> None:
    """One exercise: its requirements, what reads and what breaks each, and what the visible part catches."""
    if fact.requirements:
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1))
        for name, justify in (("requirement", "left"), ("visible", "right"), ("hidden", "right"), ("broken by", "left")):
            table.add_column(name, justify=justify, overflow="fold")
        for name in fact.requirements:
            visible, hidden = fact.counts(name)
            broken = "; ".join(variant.name for variant in fact.breaking(name))
            table.add_row(escape(name), _count(visible), _count(hidden), escape(broken) or "[red]nothing[/]")
        console.print(f"{fact.number}: {len(fact.requirements)} requirements. Assertions that read each, as the reference ran:")
        console.print(table)
    else:
        console.print(f"{fact.number}: the task names no requirement (old form). {len(fact.asserted)} assertions ran.")
    console.print(f"{fact.number}: the visible part alone catches {sum(t.visibly for t in fact.wrong)} of {len(fact.wrong)} "
                  "wrong variants:")
    for tried in fact.wrong:
        mark = "visibly   " if tried.visibly else "hidden    " if tried.rejected else "NOT CAUGHT"
        breaks = f" · breaks {tried.variant.breaks}" if tried.variant.breaks else ""
        console.print(f"  {mark} {escape(tried.variant.name + breaks)}", soft_wrap=True)
    for group in fact.shared():
        console.print(escape(f"{fact.number}: the same replies, so that none of them is named: "
                             + "; ".join(variant.name for variant in group)), soft_wrap=True)
    for sentence, same in fact.never_said().items():
        console.print(escape(f"{fact.number}: never said, since its value is that of {same!r} wherever it stands: {sentence!r}"),
                      soft_wrap=True)
    if fact.hidden_only:
        console.print(escape(f"{fact.number}: hidden_only: {fact.hidden_only}"), soft_wrap=True)


def _count(number: int) -> str:
    return str(number) if number else "[red]none[/]"


def table(console: Console, seen: Iterable[tuple[Section, dict[str, Facts], int]]) -> None:
    """A row for each section: `seen` has the section, its facts, and the number of findings."""
    made = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    columns = ("section", "checks", "require\nments", "right", "wrong", "caught\nvisibly", "same\nreplies", "find\nings", "form")
    for name in columns:
        made.add_column(name, justify="left" if name in ("section", "form") else "right", no_wrap=True)
    total = [0] * 7
    for section, facts, findings in seen:
        row = _row(facts.values(), findings)
        total = [a + b for a, b in zip(total, row)]
        made.add_row(section.number, *_cells(row), "new" if section.new_form else "[yellow]old form[/]")
    made.add_section()
    made.add_row("all", *_cells(total), "")
    console.print(made)


def _row(facts: Iterable[Facts], findings: int) -> list[int]:
    facts = list(facts)
    return [len(facts), sum(len(f.requirements) for f in facts), sum(f.right for f in facts), sum(len(f.wrong) for f in facts),
            sum(t.visibly for f in facts for t in f.wrong), sum(len(g) for f in facts for g in f.shared()), findings]


def _cells(row: list[int]) -> list[str]:
    checks, requirements, right, wrong, visibly, shared, findings = row
    share = visibly / wrong if wrong else 1.0
    return [str(checks), str(requirements), str(right), str(wrong),
            f"[{'green' if share >= VISIBLY else 'yellow'}]{100 * share:.0f} %[/]", str(shared), str(findings)]


def mutants(console: Console, outcomes: Iterable[Outcome]) -> None:
    """A row for each section: mutants, those that are right answers, those that got full marks, the share rejected."""
    made = Table(box=box.SIMPLE_HEAD, padding=(0, 1))
    for name in ("section", "mutants", "right answers", "survivors", "rejected of the wrong"):
        made.add_column(name, justify="left" if name == "section" else "right")
    outcomes = list(outcomes)
    for outcome in outcomes:
        made.add_row(outcome.section.number, str(outcome.total), str(outcome.right), str(len(outcome.survivors)),
                     f"{100 * outcome.score:.1f} %")
    total, right = sum(outcome.total for outcome in outcomes), sum(outcome.right for outcome in outcomes)
    left = sum(len(outcome.survivors) for outcome in outcomes)
    made.add_section()
    made.add_row("all", str(total), str(right), str(left), f"{100 * (1 - left / max(1, total - right)):.1f} %")
    console.print(made)


def open_points(console: Console, root: Path, sections: list[Section]) -> None:
    """What no gate fails for, and nobody should overlook: in sections of the old form expected values that come from the
    answer; copies that are listed as known; checks that say why they show little."""
    for section in sections:
        if not section.new_form:
            for line, what in expected_from_answers(section):
                console.print(escape(f"rule 4, old form: {section.path.name}:{line}: {what}"), soft_wrap=True)
    listed, found = known(root), _copies(root, sections)
    for copy in found:
        if reason := listed.get((copy.number, copy.where)):
            console.print(escape(f"known copy: {copy} ({reason})"), soft_wrap=True)
    numbers = {number for section in sections for number in section.exercises}
    for number, where in sorted(set(listed) - {(copy.number, copy.where) for copy in found}):
        if number in numbers:
            console.print(escape(f"tests/known_copies.toml lists {number} in {where}, which is there no longer: take it out."),
                          soft_wrap=True)
    checks = [exercise_ for section in sections for exercise_ in section.exercises.values() if exercise_.check]
    asking = [exercise_.check.number for exercise_ in checks if probes(ast.parse(exercise_.check.source))]
    if asking:
        console.print(f"probes, that is what the student's process says of itself: {len(asking)} of {len(checks)} checks: "
                      + ", ".join(asking), soft_wrap=True)
    for section in sections:
        for number, exercise_ in section.exercises.items():
            if exercise_.check and (reason := exercise_.check.meta.get("hidden_only")):
                console.print(escape(f"hidden_only: {number}: {reason}"), soft_wrap=True)


def _copies(root: Path, sections: list[Section]) -> list[Copy]:
    return [copy for section in sections for copy in copies(root, section, section.exercises)]
