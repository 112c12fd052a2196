"""A demonstration class, graded end to end in a folder of its own: demo/. Nothing of a real class is touched."""
from __future__ import annotations

import copy
import json
import logging
import os
import shutil
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import nbformat

from course.book import gates, use
from course.book.build import build, read_all
from course.book.release import config
from course.engine.notebook import role
from course.book.variants import Variant, variants

DUE = datetime(2026, 11, 1, 12, 0)
PART = ["ch00", "2.1"]     # of the book, where nothing else is asked for: known mistakes of a whole chapter take minutes to learn


class Page:
    """What the class hands in is made from: a section, its instructor's notebook and its variants."""

    def __init__(self, root: Path, section):
        self.section = section
        self.full, self.variants = gates.instructor_notebook(section), variants(root, section)
        self._released = gates.student_notebook(root, self.full, tests=False)

    def blank(self) -> nbformat.NotebookNode:
        return copy.deepcopy(self._released)


def _answers(page: Page, choose: Callable[[list[Variant], int], Variant | None]) -> nbformat.NotebookNode:
    """A student's notebook: the reference answers, but where `choose` picks a variant."""
    chosen = {}
    for i, number in enumerate(page.section.exercises):
        variant = choose([v for v in page.variants if v.number == number], i)
        if variant:
            chosen[number] = variant.source
    answers = {cell.id: cell.source for cell in gates.answered(page.full, chosen).cells
               if role(cell) in ("answer", "written")}
    made = page.blank()
    for cell in made.cells:
        if cell.id in answers:
            cell.source = "\n".join(line for line in answers[cell.id].split("\n")
                                    if "### BEGIN" not in line and "### END" not in line)
    return made


def _nth(right: bool, n: int):
    def choose(found: list[Variant], i: int) -> Variant | None:
        those = [v for v in found if v.right == right]
        return those[(n + i) % len(those)] if those else None
    return choose


def _some(share: int, n: int):
    wrong = _nth(False, n)
    return lambda found, i: wrong(found, i) if i % share == 0 else None


def _first_answer(made, source: str):
    next(cell for cell in made.cells if role(cell) == "answer").source = source
    return made


def _duplicate(made):
    copies = [json.loads(json.dumps(cell)) for cell in made.cells if role(cell) == "answer"][:1]
    made.cells += [nbformat.from_dict(cell) for cell in copies]
    return made


def _without_checks(made):
    made.cells = [cell for cell in made.cells if role(cell) != "check"]
    return made


# student -> (days after the due date, notebook of a section)
CLASS: dict[str, tuple[int, Callable]] = {
    "ada": (-1, lambda page: _answers(page, lambda found, i: None)),
    "alan": (-1, lambda page: _answers(page, _nth(True, 0))),
    "barbara": (-2, lambda page: _answers(page, _nth(True, 1))),
    "claude": (-1, lambda page: _answers(page, _some(2, 0))),
    "donald": (-1, lambda page: _answers(page, _some(3, 1))),
    "edsger": (-1, lambda page: _answers(page, _nth(False, 0))),
    "frances": (-1, lambda page: _answers(page, _nth(False, 1))),
    "grace": (2, lambda page: _answers(page, lambda found, i: None)),
    "hedy": (-1, Page.blank),
    "john": (-1, lambda page: _duplicate(_answers(page, lambda found, i: None))),
    "katherine": (-1, lambda page: _without_checks(_answers(page, lambda found, i: None))),
    "linus": (-1, lambda page: _first_answer(_answers(page, lambda found, i: None), "import os\nos._exit(0)")),
    "margaret": (-1, lambda page: '{"cells": [ this is not a notebook'),
    "niklaus": (-1, lambda page: ""),
}


def make_root(repo: Path, folder: Path) -> Path:
    """A course root of its own in `folder`, with the book's sources by symbolic links."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("solutions", "nbgrader_config.py", "d2l_utils", "data", "course"):
        link = folder / name
        if not link.exists():
            link.symlink_to(os.path.relpath(repo / name, folder))
    (folder / "tests").mkdir(exist_ok=True)
    if not (folder / "tests/variants").exists():
        (folder / "tests/variants").symlink_to(os.path.relpath(repo / "tests/variants", folder / "tests"))
    return folder


def hand_in(root: Path) -> int:
    """Puts the class's submissions into the exchange's inbound folder, as nbgrader's submit does. Returns how many."""
    settings = config(root)
    inbound = Path(settings.Exchange.root) / settings.CourseDirectory.course_id / "inbound"
    shutil.rmtree(inbound, ignore_errors=True)
    count = 0
    for section in read_all(root):
        page = Page(root, section)
        for student, (days, make) in CLASS.items():
            when = _when(days)
            folder = inbound / f"{student}+{section.chapter}+{when}+demo"
            folder.mkdir(parents=True, exist_ok=True)
            made = make(page)
            text = made if isinstance(made, str) else json.dumps(made)     # as it is, also where it is not valid
            (folder / f"{section.name}.ipynb").write_text(text, encoding="utf-8")
            (folder / "timestamp.txt").write_text(when)
            count += 1
    return count


def _when(days: int) -> str:
    return (DUE + timedelta(days=days)).strftime("%Y-%m-%d %H:%M:%S.%f UTC")


def collect(root: Path) -> None:
    """nbgrader's collect, for every chapter, and the due dates in the gradebook.

    Our collect takes the time when a folder came, which for all of this class is now: what each says is put back.
    """
    from nbgrader.apps import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory
    from course.grading.marks import opened
    settings = config(root)
    api = NbGraderAPI(CourseDirectory(config=settings), config=settings)
    with opened(root) as gradebook:
        for chapter in sorted({section.chapter for section in read_all(root)}):
            gradebook.update_or_create_assignment(chapter, duedate=DUE)
            result = _quietly(api.collect, chapter)
            if not result["success"]:
                raise RuntimeError(f"nbgrader could not collect {chapter}: {result.get('error') or result.get('log')}")
            for student, (days, _) in CLASS.items():
                (root / "submitted" / student / chapter / "timestamp.txt").write_text(_when(days))


def _quietly(call, *arguments):
    logging.disable(logging.WARNING)
    try:
        return call(*arguments)
    finally:
        logging.disable(logging.NOTSET)


def export(root: Path, to: Path) -> None:
    """nbgrader's CSV of all grades."""
    from course.grading.marks import opened
    from course.grading.plugins import Export
    with opened(root) as gradebook:
        plugin = Export(config=config(root))
        plugin.to = str(to)
        plugin.export(gradebook)


def prepare(repo: Path, folder: Path, parts: list[str]) -> Path:
    """The demonstration's course root with these parts of the book (none: all), built, handed in and collected."""
    root = make_root(repo, folder)
    use.write_words(root, parts)
    try:
        build(root, publish=False, say=lambda line: None)
    except RuntimeError:        # the book has changed since the last demonstration: begin it anew
        for name in ("gradebook.db", ".book", "submitted", "autograded", "feedback", "exchange"):
            path = root / name
            path.unlink() if path.is_file() else shutil.rmtree(path, ignore_errors=True)
        build(root, publish=False)
    hand_in(root)
    collect(root)
    return root
