"""Where nbgrader meets the engine: nbgrader_config.py names these classes, nbgrader loads them.

`nbgrader autograde`, formgrader's button and `course autograde` grade through the same engine.
"""
from __future__ import annotations

import atexit
import csv
import math
import os
import re
import shutil
from collections import Counter
from functools import lru_cache
from pathlib import Path

import nbformat
from nbconvert.exporters import Exporter, NotebookExporter
from nbgrader.plugins import BasePlugin, CsvExportPlugin
from nbgrader.preprocessors import ClearSolutions, NbGraderPreprocessor
from traitlets import Float, default

from course.book.starters import ClearAnswers
from course.book.use import chapters
from course.engine.notebook import role
from course.grading.gradebook import Writer, written
from course.grading.graft import graft, load
from course.grading.unit import marked, prepare
from course.grading.prefetch import Judging, identity


class KeepingExporter(NotebookExporter):
    """For `GenerateAssignment`: its placeholders get their numbers. Where somebody's work is in notebooks/, --force (and
    formgrader's button) would replace it with the whole chapter: stops before the first change. Raises NbGraderException
    with the file and what to do.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        converter = self.parent
        if getattr(converter, "force", False) and not converter.coursedir.release_directory.startswith(".book"):
            for source in converter.assignments:
                self._stop_at_work(Path(source).resolve(), Path(converter._format_dest(Path(source).name, ".")).resolve())

    def register_preprocessor(self, preprocessor, enabled=False):
        """nbgrader's own, but the placeholders in cells for words get their exercise's number."""
        return super().register_preprocessor(ClearAnswers if preprocessor is ClearSolutions else preprocessor, enabled)

    def _stop_at_work(self, source: Path, released: Path) -> None:
        from nbgrader.converters import NbGraderException
        for path in sorted(released.rglob("*")):
            inside = path.relative_to(released)
            if path.is_dir() or (source / inside).exists() and path.suffix != ".ipynb" \
                    or {".ipynb_checkpoints", "__pycache__"} & set(inside.parts):
                continue
            held = _work_in(path)
            if held:
                work = Path("work", released.name, inside)
                said = f"{path} holds {held}: generating {released.name} would replace it. Move it to {work} and try again."
                self.log.error(said)
                raise NbGraderException(said)


def _work_in(path: Path) -> str:
    """What a file in a released chapter holds that the book did not put there; "" for nothing."""
    from course.book.build import answers_in
    from course.book.merge import merge
    if path.suffix != ".ipynb":
        return "a file that is not the book's"
    answered = answers_in(path)
    if answered:
        return f"answers ({', '.join(answered[:3])})"
    notebook = nbformat.read(path, as_version=4)
    book = nbformat.from_dict({**notebook, "cells": [cell for cell in notebook.cells if "nbgrader" in cell.metadata]})
    if not book.cells:
        return "a notebook that is not the book's"
    return "cells that are not the book's" if merge(book, notebook).holds_work else ""


class GraftingExporter(NotebookExporter):
    """Reads a submission for `Autograde`'s first pass: the released notebook with the submission's answers.

    A submission that cannot be read becomes the released notebook without answers, and a warning, so that nothing
    stops the run.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if self.parent is not None and hasattr(self.parent, "_sanitizing"):
            _forget_unfinished(self.parent)
            judging().expect(Path(self.parent.coursedir.root), _to_grade(self.parent))

    def from_filename(self, filename, resources=None, **kwargs):
        if not getattr(self.parent, "_sanitizing", False):
            return super().from_filename(filename, resources=resources, **kwargs)
        names, path = resources["nbgrader"], Path(filename)
        prepared = prepare(Path(self.parent.coursedir.root), names["assignment"], names["notebook"])
        submission, reason = load(path)
        grafted = graft(nbformat.reads(prepared.notebook, 4), submission, reason)
        for warning in grafted.warnings:
            self.log.warning("%s: %s", filename, warning)
        grafted.notebook.metadata.setdefault("course", {}).update(
            submitted=str(path), key=identity(prepared, path, submission, reason))
        resources.setdefault("metadata", {})["name"] = names["notebook"]
        return self.from_notebook_node(grafted.notebook, resources=resources, **kwargs)


def _graded_folder(converter, source: str) -> Path:
    coursedir = converter.coursedir
    relative = os.path.relpath(source, os.path.join(coursedir.root, coursedir.submitted_directory))
    return Path(coursedir.root, coursedir.autograded_directory, relative)


def _forget_unfinished(converter) -> None:
    """Removes what a killed run left under autograded/: a notebook without its verdicts was not graded."""
    for source in converter.assignments:
        folder = _graded_folder(converter, source)
        if any(not marked(path) for path in folder.glob("*.ipynb")):
            converter.log.warning("%s was left unfinished by an earlier run: graded again.", folder)
            shutil.rmtree(folder)


def _to_grade(converter):
    """(chapter, notebook, file) of what this run will probably grade, in its order."""
    for source in sorted(converter.assignments):
        if converter.force or not _graded_folder(converter, source).exists():
            for filename in sorted(converter.assignments[source]):
                yield Path(source).name, Path(filename).stem, Path(filename)


@lru_cache
def judging() -> Judging:
    """This process's judge, started when first asked for."""
    started = Judging()
    atexit.register(started.close)
    return started


class Judge(NbGraderPreprocessor):
    """In place of `Execute` in `Autograde.autograde_preprocessors`: runs the answers in the sandbox, judges the
    checks beside it, and leaves each check its message and its points."""

    def preprocess(self, nb, resources):
        names, found = resources["nbgrader"], nb.metadata["course"]
        text, verdicts, _ = judging().get(Path(self.parent.parent.coursedir.root), names["assignment"], names["notebook"],
                                          Path(found["submitted"]), found["key"])
        resources["course"] = {"verdicts": verdicts}
        return nbformat.reads(text, 4), resources


@lru_cache
def _writer(root: Path) -> Writer:
    """One session for all that this process saves; a new one for each save is most of what nbgrader's own costs."""
    writer = Writer(root)
    atexit.register(writer.close)
    return writer


class Save(NbGraderPreprocessor):
    """In place of SaveAutoGrades and AssignLatePenalties, by the writer of `course autograde`: scores, messages as
    comments on the answers, late penalties."""

    def preprocess(self, nb, resources):
        names = resources["nbgrader"]
        writer = _writer(Path(self.parent.parent.coursedir.root))
        writer.save(names["assignment"], names["student"], names["notebook"], resources["course"]["verdicts"], written(nb))
        writer.commit()
        return nb, resources


class LatePenalty(BasePlugin):
    """For `AssignLatePenalties`: a share of a notebook's points for each day begun after the due date."""

    per_day = Float(0.0, help="the share of the points, 0 to 1, that each day begun after the due date costs").tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float:
        return round(min(score, score * self.per_day * math.ceil(total_seconds_late / 86_400)), 6)


class Export(CsvExportPlugin):
    """nbgrader's CSV with the late penalties of today's scores and due dates, and a column `waiting`: how many answers
    wait for a person's mark. While that is not 0, the score is not final."""

    def export(self, gradebook) -> None:
        from course.grading.late import Lateness
        from course.grading.marks import read
        Lateness(self.config).renew_all(gradebook)
        super().export(gradebook)
        waiting = Counter()
        for (student, chapter, _), marks in read(gradebook).items():
            waiting[student, chapter] += len(marks.waiting)
        path = Path(self.to or "grades.csv")
        with open(path, encoding="utf-8", newline="") as file:
            head, *rows = csv.reader(file)
        student, chapter = head.index("student_id"), head.index("assignment")
        root = self.config.CourseDirectory.root
        used = chapters(Path(root)) if isinstance(root, str) else {row[chapter] for row in rows}
        with open(path, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([[*head, "waiting"], *([*row, waiting[row[student], row[chapter]]]
                                                              for row in rows if row[chapter] in used)])


class ReleasedSolution(NbGraderPreprocessor):
    """For `GenerateSolution`: the answers and model answers without the marks around them, no rubric, and no hidden test:
    those may be next year's, too."""

    def preprocess(self, nb, resources):
        from nbgrader.preprocessors import ClearHiddenTests
        nb, resources = ClearHiddenTests(parent=self.parent).preprocess(nb, resources)
        for cell in nb.cells:
            kept = [line for line in cell.source.split("\n") if not re.search("### (BEGIN|END) SOLUTION", line)]
            cell.source = "\n".join(kept)
            if role(cell) == "written":
                cell.source = cell.source.partition("**Rubric**")[0].strip()
            cell.metadata.pop("nbgrader", None)         # it is to be read: nothing in it is handed in
        return nb, resources


class FeedbackExporter(Exporter):
    """Feedback by `course.grading.page` for `GenerateFeedback`: `nbgrader generate_feedback` and formgrader's button
    make the same pages as `course feedback`."""

    export_from_notebook = "Feedback"
    output_mimetype = "text/html"

    @default("file_extension")
    def _file_extension_default(self):
        return ".html"

    def from_notebook_node(self, nb, resources=None, **kwargs):
        from course.grading.feedback import made
        nb, resources = super().from_notebook_node(nb, resources=resources, **kwargs)
        names = resources["nbgrader"]
        return made(nb, names["db_url"], names["student"], names["assignment"], names["notebook"], self.config), resources
