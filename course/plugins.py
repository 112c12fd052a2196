"""Where nbgrader meets the engine: nbgrader_config.py names these classes, nbgrader loads them.

`nbgrader autograde`, formgrader's button and `course autograde` grade through the same engine.
"""
from __future__ import annotations

import atexit
import json
import os
import shutil
from functools import lru_cache
from pathlib import Path

import nbformat
from nbconvert.exporters import NotebookExporter
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade

from course.engine import Engine, role
from course.graft import graft, load
from course.grading import VERSION, insecure, mark, marked, prepare
from course.zygote import Zygote


class GraftingExporter(NotebookExporter):
    """Reads a submission for `Autograde`'s first pass: the released notebook with the submission's answers.

    A submission that cannot be read becomes the released notebook without answers, and a warning, so that nothing
    stops the run.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if self.parent is not None and hasattr(self.parent, "_sanitizing"):
            _forget_unfinished(self.parent)

    def from_filename(self, filename, resources=None, **kwargs):
        if not getattr(self.parent, "_sanitizing", False):
            return super().from_filename(filename, resources=resources, **kwargs)
        coursedir = self.parent.coursedir
        names = resources["nbgrader"]
        released = nbformat.read(Path(coursedir.root, ".book/release", names["assignment"], f"{names['notebook']}.ipynb"), 4)
        grafted = graft(released, *load(Path(filename)))
        for warning in grafted.warnings:
            self.log.warning("%s: %s", filename, warning)
        grafted.notebook.metadata.setdefault("course", {})["warnings"] = grafted.warnings
        resources.setdefault("metadata", {})["name"] = names["notebook"]
        return self.from_notebook_node(grafted.notebook, resources=resources, **kwargs)


def _forget_unfinished(converter) -> None:
    """Removes what a killed run left under autograded/: a notebook without its verdicts was not graded."""
    coursedir = converter.coursedir
    for source in converter.assignments:
        relative = os.path.relpath(source, os.path.join(coursedir.root, coursedir.submitted_directory))
        folder = Path(coursedir.root, coursedir.autograded_directory, relative)
        if any(not marked(path) for path in folder.glob("*.ipynb")):
            converter.log.warning("%s was left unfinished by an earlier run: graded again.", folder)
            shutil.rmtree(folder)


@lru_cache
def _engine(unsafe: bool) -> Engine:
    """One warm parent for all submissions that this process grades."""
    zygote = Zygote(sandbox=not unsafe)
    atexit.register(zygote.close)
    return Engine(zygote)


class Judge(NbGraderPreprocessor):
    """In place of `Execute` in `Autograde.autograde_preprocessors`: runs the answers in the sandbox, judges the
    checks beside it, and leaves each check its message and its points."""

    def preprocess(self, nb, resources):
        root = Path(self.parent.parent.coursedir.root)
        names = resources["nbgrader"]
        section = prepare(root, names["assignment"], names["notebook"], engine=_engine(insecure()))
        graded = _engine(insecure()).grade(nb, section.mistakes)
        warnings = nb.metadata.get("course", {}).get("warnings", [])
        mark(graded, section, key="", warnings=warnings)
        resources["course"] = {"verdicts": graded.verdicts}
        return graded.notebook, resources


class SaveMessages(NbGraderPreprocessor):
    """After SaveAutoGrades: the judge's message as the comment on the answer."""

    def preprocess(self, nb, resources):
        from course.gradebook import save_messages
        from nbgrader.api import Gradebook
        names = resources["nbgrader"]
        with Gradebook(names["db_url"]) as gradebook:
            save_messages(gradebook, names["assignment"], names["student"], names["notebook"],
                          resources["course"]["verdicts"])
            gradebook.db.commit()
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


__all__ = ["GraftingExporter", "Judge", "SaveMessages", "StripTests", "VERSION", "json", "role"]
