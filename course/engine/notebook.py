"""Grades one notebook: its cells run in a sandboxed student process, its checks in the judge beside it."""
from __future__ import annotations

import ast
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import SimpleNamespace

import nbformat
import torch

from course.engine.judge import ERROR, PASSED, UNANSWERED, Verdict, compiled, setup_names
from course.engine.mistakes import recognise
from course.engine.outputs import feedback, outputs
from course.engine.run import Run
from course.engine.times import Times
from course.engine.warm import WAITING
from course.sandbox.zygote import ON_CPU, Zygote
from d2l_utils.check.requirements import requirements

__all__ = ["Engine", "Graded", "Times", "definitions", "feedback", "number_of", "outputs", "role", "unanswered"]

READ_AGAIN = " Read again: "     # before the ideas that an exercise builds on, where its check fails


@dataclass
class Graded:
    """A notebook with its outputs filled in, and a verdict for each check, in the notebook's order."""
    notebook: nbformat.NotebookNode
    verdicts: list[Verdict]
    seconds: float = 0.0
    warnings: list[str] = field(default_factory=list)


def role(cell) -> str:
    """setup, answer, written, check, own, demo, code or text: what grading does with a cell."""
    name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
    tags = cell.metadata.get("tags", [])
    for kind in ("setup", "answer", "written", "check"):
        if name.startswith(f"{kind}-"):
            return kind
    if cell.cell_type != "code":
        return "text"
    return "demo" if "demo" in tags else "own" if "own" in tags else "code"


def number_of(cell) -> str:
    """The exercise number of a graded cell: "check-2-3-6a" -> "2.3.6a"."""
    return cell.metadata.nbgrader.grade_id.split("-", 1)[1].replace("-", ".")


class Engine:
    """Grades notebooks one after another. The setup cells' names are kept between notebooks of one section.

    `last`: each check asks its questions after the last cell has run, so that no cell's output can show what a hidden
    test asked. Where the tests are the learner's own, asking at once is quicker.
    """

    def __init__(self, zygote: Zygote, times: Times | None = None, *, last: bool = False):
        self.zygote, self.times, self.last = zygote, times or Times.configured(), last
        os.environ.update(ON_CPU)       # the tests' own code runs here, and in forks of this process,
        torch.set_num_threads(1)        # on one thread, as the student's does: two wait for each other on a busy machine
        self._setups: dict[tuple[str, ...], dict] = {}

    def prepare(self, notebook: nbformat.NotebookNode) -> None:
        """Does what depends on the section alone, so that children of this process have it: setup cells, test cells."""
        self._names(notebook)
        for cell in notebook.cells:
            if role(cell) == "check":
                compiled(number_of(cell), cell.source)

    def _names(self, notebook: nbformat.NotebookNode) -> dict:
        setup = tuple(cell.source for cell in notebook.cells if role(cell) == "setup")
        if setup not in self._setups:
            self._setups[setup] = setup_names(list(setup))
        return self._setups[setup]

    def grade(self, notebook: nbformat.NotebookNode, mistakes: dict | None = None, *,
              skip_unanswered: bool = True) -> Graded:
        """Grades a grafted notebook (hidden tests in place). `mistakes`: what course.engine.mistakes
        recognises, by exercise number."""
        started = time.monotonic()
        names = self._names(notebook)
        run = Run(self.zygote, self.times, started + self.times.notebook)
        verdicts, waiting, tasks = [], [], _requirements(notebook)
        answers = {number_of(cell): cell for cell in notebook.cells if role(cell) == "answer"}

        def judged(cell) -> None:
            number = number_of(cell)
            verdict = _check(run, cell, answers.get(number), names, skip_unanswered, tasks.get(number, ()))
            if verdict.state not in (PASSED, UNANSWERED):
                verdict.mistake, verdict.breaks = recognise(verdict, (mistakes or {}).get(number, []))
            verdicts.append(verdict)
            cell.outputs = outputs(verdict)
        try:
            for cell in notebook.cells:
                kind = role(cell)
                if kind in ("setup", "code", "own", "answer"):
                    cell.outputs = run.cell(cell, kind)
                elif kind == "demo" and (defined := definitions(cell.source)):
                    run.cell(SimpleNamespace(source=defined, id=cell.id), "code")
                elif kind == "check":
                    if not _skipped(answers.get(number_of(cell)), skip_unanswered):
                        run.stand(number_of(cell))
                    waiting.append(cell)
                    if not self.last or len(waiting) > WAITING:
                        judged(waiting.pop(0))
            for cell in waiting:
                judged(cell)
        finally:
            run.close()
        _read_again(notebook, verdicts)
        return Graded(notebook, verdicts, time.monotonic() - started)


def definitions(source: str) -> str:
    """What grading runs of a demonstration, though it shows nothing then: an answer may use what it imports or defines."""
    try:
        body = ast.parse(source).body
    except SyntaxError:     # a magic
        return ""
    lines = [ast.unparse(node) for node in body if isinstance(node, (ast.Import, ast.ImportFrom))]
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            # a default or a base may be a value that the demonstration computes: then there is no such name at grading
            handler = ast.ExceptHandler(ast.Name("Exception", ast.Load()), None, [ast.Pass()])
            lines.append(ast.unparse(ast.fix_missing_locations(ast.Try([node], [handler], [], []))))
    return "\n".join(lines)


def _read_again(notebook, verdicts: list[Verdict]) -> None:
    """Adds to the message of each check that an answer failed the ideas that its task builds on."""
    needs = {number_of(cell): cell.metadata.course.needs for cell in notebook.cells
             if cell.metadata.get("nbgrader", {}).get("grade_id", "").startswith("task-") and "course" in cell.metadata}
    failed = {v.number for v in verdicts if v.number in needs and v.state not in (PASSED, UNANSWERED)}
    for cell in notebook.cells:
        if role(cell) == "check" and number_of(cell) in failed and cell.outputs:
            ideas = ", ".join(f"{need['idea']} ({need['section']})" for need in needs[number_of(cell)])
            cell.outputs[0].data["text/plain"] += f"{READ_AGAIN}{ideas}."


def _requirements(notebook) -> dict[str, dict[str, str]]:
    """The requirements of each task, by exercise number."""
    return {number_of(cell): requirements(cell.source) for cell in notebook.cells
            if cell.metadata.get("nbgrader", {}).get("grade_id", "").startswith("task-")}


def unanswered(cell) -> bool:
    """Whether an answer cell is as it was released, or empty."""
    from nbgrader.utils import compute_checksum
    return not cell.source.strip() or cell.metadata.nbgrader.get("checksum") == compute_checksum(cell)


def _skipped(answer, skip_unanswered: bool) -> bool:
    return skip_unanswered and answer is not None and unanswered(answer)


def _check(run: Run, cell, answer, names: dict, skip_unanswered: bool, requirements: Iterable[str]) -> Verdict:
    number, points = number_of(cell), float(cell.metadata.nbgrader.points)
    if _skipped(answer, skip_unanswered):
        return Verdict(number, UNANSWERED, 0.0, points, "No answer yet.")
    verdict = run.check(number, cell.source, points, names, requirements)
    trouble = run.trouble.get(answer.id) if answer is not None else None
    if verdict.state != PASSED and trouble:
        state, said = trouble
        if state != ERROR:      # the answer cell itself was stopped: that is the reason
            verdict.state = state
        verdict.message = f"{said} {verdict.message}"
    return verdict
