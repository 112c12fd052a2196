"""Where nbgrader meets the engine: nbgrader_config.py names these classes, nbgrader loads them.

`nbgrader autograde`, formgrader's button and `course autograde` grade through the same engine.
"""
from __future__ import annotations

import atexit
import os
import re
import shutil
from functools import lru_cache
from pathlib import Path

import nbformat
from nbconvert.exporters import HTMLExporter, NotebookExporter
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade

from course.gradebook import Writer, written
from course.graft import graft, load
from course.grading import marked, prepare
from course.prefetch import Judging, identity


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


class StripTests(NbGraderPreprocessor):
    """For feedback: no hidden test, and no traceback that quotes one."""

    def preprocess(self, nb, resources):
        from nbgrader.preprocessors import ClearHiddenTests
        nb, resources = ClearHiddenTests(parent=self.parent).preprocess(nb, resources)
        for cell in nb.cells:
            if cell.cell_type == "code" and is_grade(cell):
                for output in cell.outputs:
                    if output.output_type == "error":
                        output.traceback = [f"{output.ename}: {output.evalue}"]
        return nb, resources


class FeedbackExporter(HTMLExporter):
    """Feedback pages that need no network: what the template would load from elsewhere is left out."""

    def from_notebook_node(self, nb, resources=None, **kwargs):
        output, resources = super().from_notebook_node(nb, resources=resources, **kwargs)
        return re.sub(r'<script[^>]*\ssrc="https?://[^"]*"[^>]*>\s*</script>', "", output), resources


class Formulas(NbGraderPreprocessor):
    """For feedback: formulas as MathML, which browsers draw by themselves; MathJax would come from the network."""

    def preprocess_cell(self, cell, resources, index):
        if cell.cell_type == "markdown":
            cell.source = _FORMULA.sub(_mathml, cell.source)
        return cell, resources


# a fenced or inline piece of code (left alone), a displayed formula, an inline formula
_FORMULA = re.compile(r"(```.*?```|`[^`\n]*`)|\$\$(.+?)\$\$|(?<![\\$])\$(?!\s)([^$\n]+?)(?<!\s)\$(?!\d)", re.DOTALL)


def _mathml(match: re.Match) -> str:
    from latex2mathml.converter import convert
    code, block, inline = match.groups()
    if code is not None:
        return code
    try:
        return convert(block or inline, display="block" if block else "inline")
    except Exception:       # a formula that it cannot read stays as the author wrote it
        return match.group(0)
