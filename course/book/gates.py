"""The gates on the book: what must hold for every exercise, whoever grades it.

1 the reference gets full marks; 2 the untouched notebook gets none; 3 wrong variants lose points and hear why;
4 right variants get full marks; 5 the student edition holds no answer and no hidden test, nor anywhere in the book a
reference under other names (course.book.copies), nor a visible test that is an answer (course.book.giveaways); 6 every
exercise has a hint (course.book.lint); 7 stock nbgrader gives the same verdicts; 8 every requirement is read by assertions
of both parts and broken by a wrong variant, and every assertion and wrong variant belongs to one; 9 the visible part alone
catches the wrong variants (course.book.coverage).
"""
from __future__ import annotations

import copy
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import nbformat
from traitlets.config import Config

from course.book.instructor import ANSWER_MARK, instructor_notebook
from course.book.release import config
from course.book.copies import copies, known
from course.book.coverage import Facts, facts_of, gaps, note
from course.book.giveaways import Giveaway, giveaways
from course.engine.notebook import Engine, number_of, role
from course.engine.judge import PARTLY, PASSED
from course.engine.remote import TIMED_OUT
from course.book.section import Section, grade_id, rounds, used
from course.book.slices import unneeded
from course.book.variants import Variant, path_of, variants
from course.sandbox.line import waited
from d2l_utils.check import failure

SECONDS = 60            # a reference notebook may take this long, on a machine that does nothing else


@dataclass
class Finding:
    """One gate that does not hold."""
    number: str
    gate: int
    what: str

    def __str__(self) -> str:
        return f"{self.number}: gate {self.gate}: {self.what}"


def student_notebook(root: Path, notebook: nbformat.NotebookNode, *, tests: bool) -> nbformat.NotebookNode:
    """The student edition by nbgrader's own preprocessors, with the hidden tests where `tests`."""
    from nbgrader.preprocessors import ClearHiddenTests, ComputeChecksums, LockCells

    from course.book.starters import ClearAnswers
    settings = config(root)
    made = copy.deepcopy(notebook)
    for step in [LockCells, ClearAnswers, ComputeChecksums] + ([] if tests else [ClearHiddenTests, ComputeChecksums]):
        made, _ = step(config=settings).preprocess(made, {})
    return made


def answered(notebook: nbformat.NotebookNode, answers: dict[str, str]) -> nbformat.NotebookNode:
    """A copy of the notebook with these answer cells, by exercise number."""
    made = copy.deepcopy(notebook)
    by_id = {grade_id("exercise", number): (number, source) for number, source in answers.items()}
    for cell in made.cells:
        if role(cell) == "answer" and cell.metadata.nbgrader.grade_id in by_id:
            number, source = by_id[cell.metadata.nbgrader.grade_id]
            cell.source = f"{ANSWER_MARK.format(n=number)}\n{source}"
    return made


def submissions(root: Path, section: Section, only: set[str] | None = None, *, tried: set[int] | None = None,
                strays: bool = False) -> Iterable[tuple[str, dict[str, Variant], object]]:
    """(name, variants in it, notebook) for the reference, the untouched edition, and each round of variants.

    With `only`, other exercises' answers and checks are left out, but for the answers that an answer `uses`; with `tried`,
    all variants but those at these lines. A round has the checks of its variants alone, and of the lesson's code what an answer
    or a check builds on: the reference has had it all. With `strays`, variants of exercises that are gone are no error.
    """
    notebook = instructor_notebook(section)
    starter = student_notebook(root, notebook, tests=True)
    if only:
        keep = {grade_id(kind, n) for n in only for kind in ("exercise", "written", "check")}
        keep |= {grade_id("exercise", n) for n in used(section, only)}
        for made in (notebook, starter):
            made.cells = [c for c in made.cells if role(c) not in ("answer", "check") or c.id in keep]
    found = [v for v in variants(root, section, strays=strays)
             if (not only or v.number in only) and (tried is None or v.line in tried)]
    yield "reference", {}, notebook
    yield "untouched", {}, starter
    shown = unneeded(notebook, [v.source for v in found])
    for k, chosen in enumerate(rounds(section, found), 1):
        yield f"variants {k}", chosen, _with_checks_of(notebook, chosen, shown)


def _with_checks_of(notebook: nbformat.NotebookNode, chosen: dict[str, Variant | Giveaway],
                    left_out: set[str]) -> nbformat.NotebookNode:
    """A copy with these answers and their checks alone, without the cells with the ids `left_out`."""
    made = answered(notebook, {number: one.source for number, one in chosen.items()})
    made.cells = [cell for cell in made.cells if cell.id not in left_out and (role(cell) != "check" or number_of(cell) in chosen)]
    return made


def check_section(root: Path, section: Section, engine: Engine, only: set[str] | None = None, *,
                  tried: set[int] | None = None) -> list[Finding]:
    """Gates 1 to 5, 8 and 9 of one section (or of some exercises of it), by our engine. With `tried`, of its variants only
    those at these lines, and without gates 8 and 9, which look at all of them together."""
    return examine(root, section, engine, only, tried=tried)[0]


def examine(root: Path, section: Section, engine: Engine, only: set[str] | None = None,
            step: Callable[[], None] = lambda: None, *,
            tried: set[int] | None = None) -> tuple[list[Finding], dict[str, Facts]]:
    """The findings of `check_section`, and what was seen of each exercise. Calls `step` after each graded submission."""
    numbers = {n for n, e in section.exercises.items() if e.check and (not only or n in only)}
    findings = enough(section, variants(root, section), numbers)
    facts = facts_of(section, [n for n in section.exercises if n in numbers])
    for name, chosen, notebook in submissions(root, section, only, tried=tried):
        failure.examined, before = name == "reference", _ran_and_stood()
        made, graded = _graded(engine, notebook, chosen)
        failure.examined = False
        ran, stood = (now - then for now, then in zip(_ran_and_stood(), before))
        if name == "untouched":
            findings += [Finding(number_of(cell), 2, f"the starter raises {output.ename}: {output.evalue}. Run All must reach "
                                 "the checks: what follows the answer's region must work with `...` in its place.")
                         for cell in made.cells if role(cell) == "answer" for output in cell.outputs
                         if output.output_type == "error"]
        scores = {v.number: v for v in graded.verdicts}
        findings += judge_round(name, chosen, {n: (v.points, v.out_of, f"{v.state}: {v.message}")
                                               for n, v in scores.items()}, numbers)
        note(facts, name, chosen, graded.verdicts)
        if name == "reference" and (alone := graded.seconds * ran / (ran + stood)) > SECONDS:
            findings.append(Finding(section.number, 1, f"the reference takes {alone:.0f} s, at most {SECONDS}."))
        step()
    if tried is None:
        findings += [Finding(*gap) for gap in gaps(section, facts, path_of(root, section))]
        findings += given_away(section, engine, numbers)
    listed = known(root)
    findings += [Finding(copy.number, 5, str(copy)) for copy in copies(root, section, only or section.exercises)
                 if (copy.number, copy.where) not in listed]
    return findings + edition(root, section), facts


def _ran_and_stood() -> tuple[float, float]:
    """Seconds that this thread, in which the tests run, has run, and has stood in line for a processor."""
    return time.thread_time(), waited("/proc/thread-self/schedstat")


def given_away(section: Section, engine: Engine, numbers: set[str]) -> list[Finding]:
    """Gate 5: no function in the visible part of a check is an answer to it."""
    findings, tried = [], giveaways(section, sorted(numbers))
    notebook = instructor_notebook(section)
    shown = unneeded(notebook, [one.source for one in tried])
    for chosen in rounds(section, tried):
        verdicts = engine.grade(_with_checks_of(notebook, chosen, shown), skip_unanswered=False).verdicts
        findings += [Finding(v.number, 5, f"{chosen[v.number]} gets full marks as an answer. Compare with values there, and "
                             "keep what works them out in the hidden part.") for v in verdicts if v.points == v.out_of]
    return findings


def _graded(engine: Engine, notebook: nbformat.NotebookNode, chosen: dict[str, Variant]):
    """The notebook executed, and its verdicts. Once more where time ran out and nobody expects that: the gates ask what an
    answer is, and on a machine that does much beside them a right one may take three times as long."""
    def late(verdict) -> bool:
        expected = chosen[verdict.number].says if verdict.number in chosen else ""
        return verdict.state == TIMED_OUT and not (expected and expected in verdict.message)
    for _ in range(2):
        made = copy.deepcopy(notebook)
        graded = engine.grade(made, skip_unanswered=False)
        if not any(map(late, graded.verdicts)):
            break
    return made, graded


def enough(section: Section, found: list[Variant], numbers: set[str]) -> list[Finding]:
    """Whether each exercise has the variants that gates 3 and 4 need."""
    findings = []
    for number in sorted(numbers):
        right = sum(v.right for v in found if v.number == number)
        wrong = sum(not v.right for v in found if v.number == number)
        need = 1 if section.exercises[number].kind == "answer" else 2
        if wrong < 3:
            findings.append(Finding(number, 3, f"{wrong} wrong variants; write at least 3."))
        if right < need:
            findings.append(Finding(number, 4, f"{right} other right answers; write at least {need}."))
    return findings


def judge_round(name: str, chosen: dict[str, Variant], scores: dict[str, tuple[float, float, str]],
                numbers: set[str]) -> list[Finding]:
    """What one graded submission shows. `scores`: number -> (points, out of, message)."""
    findings = []
    for number in sorted(numbers):
        points, out_of, message = scores.get(number, (0.0, 1.0, "no verdict"))
        variant = chosen.get(number)
        who = f"{variant}, line {variant.line} of the variants," if variant else ""
        if name == "reference":
            if points != out_of:
                why = message if message.rstrip(": ") != PARTLY else (
                    f"all its parts pass, and they are worth {points:g}. Make the parts' points and the check's `points` equal")
                findings.append(Finding(number, 1, f"the reference gets {points:g} of {out_of:g}: {why}"))
        elif name == "untouched":
            if points:
                findings.append(Finding(number, 2, f"the untouched notebook gets {points:g} of {out_of:g}."))
        elif variant is not None and variant.right:
            if points != out_of:
                findings.append(Finding(number, 4, f"{who} gets {points:g} of {out_of:g}: {message}"))
        elif variant is not None:
            if points >= out_of:
                findings.append(Finding(number, 3, f"{who} gets full marks."))
            elif variant.says not in message:
                findings.append(Finding(number, 3, f"{who} should hear {variant.says!r}, but hears: {message}"))
    return findings


def edition(root: Path, section: Section) -> list[Finding]:
    """Gate 5: no line of an answer or of a hidden test in the student edition."""
    made = student_notebook(root, instructor_notebook(section), tests=False)
    findings = []
    for cell in made.cells:
        if "BEGIN HIDDEN" in cell.source or "BEGIN SOLUTION" in cell.source:
            findings.append(Finding(cell.id, 5, "a region was not stripped."))
    texts = {cell.id: cell.source for cell in made.cells}
    for number, exercise in section.exercises.items():
        for cell, region in ((exercise.answer, "solution"), (exercise.written, "solution"), (exercise.check, "hidden")):
            if cell is None:
                continue
            before, inside, after = cell.split(region)
            left = texts.get(grade_id(cell.role, number), "")
            kept = set((before + "\n" + after).split("\n"))
            for line in inside.split("\n"):
                if len(line.strip()) > 12 and line not in kept and line in left:
                    findings.append(Finding(number, 5, f"the student edition shows {line.strip()[:60]!r}."))
    return findings


def stock_scores(root: Path, notebook: nbformat.NotebookNode) -> dict[str, tuple[float, float, str]]:
    """Stock nbgrader's verdicts: its Execute in a fresh kernel, its determine_grade."""
    from nbgrader.preprocessors import Execute
    from nbgrader.utils import determine_grade
    made = copy.deepcopy(notebook)
    made.cells = [cell for cell in made.cells if role(cell) != "demo"]      # no check needs them, and they take long
    with tempfile.TemporaryDirectory() as folder:
        # ipc's sockets lie beside the connection file; without one they are looked for in two working folders
        kernel = {"transport": "ipc", "connection_file": f"{folder}/kernel.json"}
        # kernels that share a history may find it locked, and say so on stderr, which costs a check its points
        runner = Execute(kernel_name="python3", startup_timeout=180, iopub_timeout=60, config=Config({"KernelManager": kernel}),
                         extra_arguments=["--HistoryManager.enabled=False"])
        made, _ = runner.preprocess(made, {"metadata": {"path": folder}})
    scores = {}
    for cell in made.cells:
        if role(cell) == "check":
            text = " ".join(o.get("evalue", "") or o.text for o in cell.outputs if o.get("name") == "stderr" or "evalue" in o)
            points, out_of = determine_grade(cell)
            scores[cell.id.split("-", 1)[1].replace("-", ".")] = (points, out_of, text)
    return scores


def check_stock(root: Path, section: Section, *, tried: set[int] | None = None) -> list[Finding]:
    """Gate 7: stock nbgrader passes and fails the same answers, but for variants marked stock_differs. With `tried`, of the
    variants only those at these lines."""
    numbers = {n for n, e in section.exercises.items() if e.check}
    findings = []
    for name, chosen, notebook in submissions(root, section, tried=tried):
        kept = {n: v for n, v in chosen.items() if not v.stock_differs}
        compared = numbers if not chosen else set(kept)
        for finding in judge_round(name, {n: _silent(v) for n, v in kept.items()}, stock_scores(root, notebook), compared):
            findings.append(Finding(finding.number, 7, f"stock nbgrader: {finding.what}"))
    return findings


def _silent(variant: Variant) -> Variant:
    """Stock's message comes from a kernel, with another wording: only the verdict is compared."""
    return Variant(variant.number, variant.right, variant.name, variant.source, "")


def passed(verdicts) -> bool:
    return all(v.state == PASSED for v in verdicts)
