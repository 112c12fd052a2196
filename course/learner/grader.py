"""A learner's own grading: a notebook of work/ against the hidden tests, by the engine that grades a class.

One `Grader` keeps its warm parent and what it knows: a check is judged again only when code above it has changed.
"""
from __future__ import annotations

import contextlib
import hashlib
import io
import json
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

from course import whole
from course.book.instructor import instructor_notebook, with_tests
from course.engine.notebook import Engine, number_of, role, unanswered
from course.grading.unit import Prepared, known_mistakes
from course.grading.graft import graft, load
from course.engine.judge import UNANSWERED, Verdict
from course.engine.outputs import behaves_like
from course.learner.progress import VERDICTS, Page, digest, read_verdicts
from course.book.section import SourceError
from course.book.source import read
from course.engine.warm import started, warm_parent
from course.sandbox.limits import SandboxUnavailable

RIGHT, PARTLY, WRONG, NOT_ANSWERED, WORDS = "right", "partly right", "wrong", "not answered", "in words"
_RUN = ("setup", "code", "own", "answer")


class CannotGrade(RuntimeError):
    """The learner's notebook cannot be graded here; the message says what to do."""


@dataclass
class Row:
    """One exercise as it was graded. `again`: it was judged now, not known from before; `answer`: a digest of its code."""
    number: str
    title: str
    state: str
    points: float
    out_of: float
    message: str = ""
    again: bool = True
    answer: str = ""


@dataclass
class Report:
    """One notebook as it was graded: a row for each exercise that was asked for, and what was odd in the file."""
    page: Page
    rows: list[Row]
    warnings: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether something was answered, and nothing of it is wrong."""
        states = {row.state for row in self.rows}
        return bool(states - {NOT_ANSWERED}) and not states & {PARTLY, WRONG}

    def summary(self) -> str:
        """"2.1: 3 right, 1 wrong, 12 not answered; 5 of 26 points." """
        counts = [f"{count} {state}" for state in (RIGHT, PARTLY, WRONG, WORDS, NOT_ANSWERED)
                  if (count := sum(row.state == state for row in self.rows))]
        return (f"{self.page.number}: {', '.join(counts)}; "
                f"{sum(r.points for r in self.rows):g} of {sum(r.out_of for r in self.rows):g} points by the tests.")


class Grader:
    """Grades pages of work/. The warm parent is started when first needed; `close` ends it."""

    def __init__(self, root: Path):
        self.root = Path(root)
        self.sandboxed = True
        self._engine: Engine | None = None
        self._prepared: dict[str, tuple] = {}
        self._known: dict[str, dict[str, tuple[str, Verdict]]] = {}

    @property
    def engine(self) -> Engine:
        if self._engine is None:
            try:
                zygote = started(sandbox=True)
            except SandboxUnavailable:      # the learner's own code, which JupyterLab runs without one too
                self.sandboxed = False
                zygote = warm_parent(sandbox=False)
            self._engine = Engine(zygote)
        return self._engine

    def close(self) -> None:
        if self._engine is not None:
            self._engine.zygote.close()
            self._engine = None

    def __enter__(self) -> "Grader":
        return self

    def __exit__(self, *exception) -> None:
        self.close()

    def grade(self, page: Page) -> Report:
        """Grades the exercises of `page`. Raises CannotGrade where there are no tests, or no notebook to read."""
        released, prepared = self._prepare(page)
        mine = self.root / "work" / page.path
        if not mine.exists():
            raise CannotGrade(f"work/{page.path} is not there. `course lab` makes it; it is your copy of the section.")
        submission, reason = load(mine)
        if submission is None:
            raise CannotGrade(f"work/{page.path}: {reason.replace('submitted ', '')}. Mend it, or move it away and "
                              "start `course lab`, which makes a fresh copy.")
        grafted = graft(released, submission)
        if grafted.unreadable:
            raise CannotGrade(f"work/{page.path}: {grafted.unreadable}. Move it away and start `course lab`, "
                              "which makes a fresh copy.")
        keys = _keys(grafted.notebook)
        texts = {number_of(cell): digest(cell.source) for cell in grafted.notebook.cells if role(cell) == "answer"}
        known = self._known.setdefault(page.path, {})
        found = {n: known[n][1] for n, key in keys.items() if n in known and known[n][0] == key}
        found |= _open(grafted.notebook)
        asked = {e.number for e in page.exercises}
        fresh = asked & set(keys) - set(found)
        seconds = 0.0
        if fresh:
            with contextlib.redirect_stdout(io.StringIO()):     # test cells may print
                graded = self.engine.grade(_only(grafted.notebook, fresh), prepared.mistakes)
            seconds = graded.seconds
            found |= {v.number: v for v in graded.verdicts}
        for number in asked & set(keys):
            known[number] = keys[number], found[number]
        self._note(grafted.notebook, found)
        rows = [_row(e, found.get(e.number), e.number in fresh) for e in page.exercises]
        for row in rows:
            row.answer = texts.get(row.number, "")
        return Report(page, rows, grafted.warnings, seconds)

    def _note(self, notebook, found: dict[str, Verdict]) -> None:
        """Keeps what the hidden tests said of each answer, for the home page and what asks how far the learner is."""
        path = self.root / VERDICTS
        kept = read_verdicts(path)
        now = {number_of(cell): {"answer": digest(cell.source), "right": verdict.points == verdict.out_of}
               for cell in notebook.cells if role(cell) == "answer"
               and (verdict := found.get(number_of(cell))) and verdict.state != UNANSWERED}
        if kept | now != kept:
            whole.write(path, json.dumps(kept | now, indent=0))

    def _prepare(self, page: Page) -> tuple[nbformat.NotebookNode, Prepared]:
        """The student edition with the hidden tests in place, from the section's source."""
        source = self.root / "solutions" / Path(page.path).with_suffix(".py")
        edition = self.root / "notebooks" / page.path
        if not source.exists():
            raise CannotGrade(f"This copy of the book has no hidden tests for {page.number} (no {source.name} in solutions/): "
                              "they run at grading. What the visible checks say: `course todo`.")
        stamp = source.stat().st_mtime_ns, edition.stat().st_mtime_ns
        if self._prepared.get(page.path, (None,))[0] != stamp:
            try:
                section = read(source, lint=False)
            except SourceError as error:
                raise CannotGrade(str(error)) from error
            try:
                released = with_tests(nbformat.read(edition, 4), instructor_notebook(section))
            except LookupError:
                raise CannotGrade(
                    f"notebooks/{page.path} is not of the same edition as its source. Run `course build`.") from None
            prepared = Prepared(page.chapter, Path(page.path).stem, "")
            prepared.mistakes = known_mistakes(self.root, prepared, None)
            self._prepared[page.path] = stamp, released, prepared
            self._known.pop(page.path, None)
        return self._prepared[page.path][1:]


def _keys(notebook) -> dict[str, str]:
    """For each check, a digest of all code that its verdict can depend on: what runs above it, and itself."""
    running, keys = hashlib.sha256(), {}
    for cell in notebook.cells:
        if role(cell) in _RUN:
            running.update(cell.source.encode() + b"\0")
        elif role(cell) == "check":
            own = running.copy()
            own.update(cell.source.encode())
            keys[number_of(cell)] = own.hexdigest()
    return keys


def _open(notebook) -> dict[str, Verdict]:
    """The verdicts of the checks whose answer is as it was handed out: nothing has to run for them."""
    untouched = {number_of(cell) for cell in notebook.cells if role(cell) == "answer" and unanswered(cell)}
    return {number_of(cell): Verdict(number_of(cell), UNANSWERED, 0.0, float(cell.metadata.nbgrader.points))
            for cell in notebook.cells if role(cell) == "check" and number_of(cell) in untouched}


def _only(notebook, numbers: set[str]):
    """The notebook with the checks of these exercises, up to the last of them."""
    cells = [cell for cell in notebook.cells if role(cell) != "check" or number_of(cell) in numbers]
    last = max(i for i, cell in enumerate(cells) if role(cell) == "check")
    notebook.cells = cells[:last + 1]
    return notebook


def _row(exercise, verdict: Verdict | None, again: bool) -> Row:
    if verdict is None:             # words only: a person compares them with the rubric
        written = exercise.state == "written"
        message = f"compare it with the model answer: course solution {exercise.number}" if written else ""
        return Row(exercise.number, exercise.title, WORDS if written else NOT_ANSWERED, 0.0, 0.0, message, again)
    state = (NOT_ANSWERED if verdict.state == UNANSWERED else RIGHT if verdict.points == verdict.out_of
             else PARTLY if verdict.points else WRONG)
    message = "" if state in (RIGHT, NOT_ANSWERED) else " ".join(verdict.message.split())
    message += f" {behaves_like(verdict)}".rstrip()
    if state in (PARTLY, WRONG) and exercise.needs:
        message += f" Read again: {exercise.builds_on}."
    return Row(exercise.number, exercise.title, state, verdict.points, verdict.out_of, message, again)
