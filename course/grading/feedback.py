"""The feedback pages of a class: on all cores, and only where something changed since the last time.

A page holds, as its key, a digest of all that it was made from: the graded notebook, the marks and comments in the
gradebook, the penalty for lateness, and the version of the page.
"""
from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook
from traitlets.config import Config

from course import whole
from course.book.release import config
from course.grading import page
from course.grading.late import Lateness
from course.grading.marks import Marks, opened, read

_KEY = re.compile(rb'name="course-key" content="([0-9a-f]*)"')
MANY = 1000         # pages from which on other processes, which take 3 s to start, make it quicker: a page takes 5 ms
_BESIDE = ("timestamp.txt", "submission_secret.txt")        # what nbgrader's release_feedback looks for


@dataclass
class Made:
    """What a run did: pages written, pages that were as they should be, and those that failed with the reason."""
    written: int
    unchanged: int
    failed: list[str]


def make(root: Path, chapters: list[str] | None = None, students: list[str] | None = None, *, force: bool = False,
         workers: int | None = None, progress: Callable[[int, int], None] = lambda done, total: None) -> Made:
    """Writes feedback/<student>/<chapter>/<notebook>.html for each graded notebook whose page is not there or is old."""
    with opened(root) as gradebook:
        Lateness(config(root)).renew_all(gradebook)
        recorded, penalties = read(gradebook, chapters), _penalties(gradebook)
    todo, unchanged = [], 0
    for path in sorted((root / "autograded").glob("*/*/*.ipynb")):
        student, chapter, name = path.parts[-3], path.parts[-2], path.stem
        found = recorded.get((student, chapter, name))
        if found is None or chapters and chapter not in chapters or students and student not in students:
            continue
        penalty = penalties.get((student, chapter, name), 0.0)
        target = root / "feedback" / student / chapter / f"{name}.html"
        key = key_of(path.read_bytes(), found, penalty)
        if not force and _key(target) == key:
            unchanged += 1
        else:
            todo.append((path, target, found, penalty, key))
    failed: list[str] = []
    progress(unchanged, unchanged + len(todo))
    cores = workers or os.cpu_count() or 1
    if cores == 1 or len(todo) < MANY:
        for done, job in enumerate(todo, 1):
            failed += filter(None, [_write_or_say(*job)])
            progress(unchanged + done, unchanged + len(todo))
    else:
        with ProcessPoolExecutor(cores, get_context("spawn")) as pool:
            parts = [pool.submit(_write_all, todo[i:i + 50]) for i in range(0, len(todo), 50)]
            done = unchanged
            for future in as_completed(parts):
                count, those = future.result()
                failed += those
                done += count
                progress(done, unchanged + len(todo))
    for folder in {target.parent for _, target, *_ in todo}:
        _beside(root / "autograded" / folder.parent.name / folder.name, folder)
    return Made(len(todo) - len(failed), unchanged, sorted(failed))


def key_of(notebook: bytes, marks: Marks, penalty: float) -> str:
    """The digest of what a page is made from."""
    rest = json.dumps([page.VERSION, asdict(marks), penalty], sort_keys=True)
    return hashlib.sha256(notebook + rest.encode() + _sources()).hexdigest()


def made(notebook, db_url: str, student: str, chapter: str, name: str, settings: Config) -> str:
    """The page for nbgrader's generate_feedback, which reads the notebook and writes the page itself."""
    with Gradebook(db_url) as gradebook:
        submission = gradebook.find_submission(chapter, student)
        Lateness(settings).renew(submission)
        gradebook.db.commit()
        marks = read(gradebook, [chapter], student).get((student, chapter, name), Marks())
        penalty = next((found.late_submission_penalty or 0.0 for found in submission.notebooks if found.name == name), 0.0)
    return page.page(notebook, marks, student=student, chapter=chapter, penalty=penalty)


def _sources() -> bytes:
    return (Path(__file__).parent / "templates/feedback.html").read_bytes()


def _penalties(gradebook: Gradebook) -> dict[tuple[str, str, str], float]:
    from nbgrader.api import Assignment, Notebook, SubmittedAssignment, SubmittedNotebook
    rows = (gradebook.db.query(SubmittedAssignment.student_id, Assignment.name, Notebook.name,
                               SubmittedNotebook.late_submission_penalty)
            .select_from(SubmittedNotebook).join(Notebook, SubmittedNotebook.notebook_id == Notebook.id)
            .join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
            .filter(SubmittedNotebook.late_submission_penalty.isnot(None)))
    return {(student, chapter, name): penalty for student, chapter, name, penalty in rows}


def _key(target: Path) -> str | None:
    try:
        with open(target, "rb") as file:
            found = _KEY.search(file.read(1000))
    except OSError:
        return None
    return found.group(1).decode() if found else None


def _write_all(jobs: list[tuple]) -> tuple[int, list[str]]:
    return len(jobs), [said for job in jobs if (said := _write_or_say(*job))]


def _write_or_say(path: Path, target: Path, marks: Marks, penalty: float, key: str) -> str:
    """Writes one page whole or not at all; returns what went wrong, "" for nothing. One page stops no other."""
    student, chapter = path.parts[-3], path.parts[-2]
    try:
        text = page.page(nbformat.read(path, 4), marks, student=student, chapter=chapter, penalty=penalty, key=key)
        whole.write(target, text)
    except Exception as error:          # noqa: BLE001
        return f"{student}, {chapter}/{path.stem}: {type(error).__name__}: {error}"
    return ""


def _beside(graded: Path, target: Path) -> None:
    for name in _BESIDE:
        if (graded / name).is_file() and target.is_dir():
            shutil.copyfile(graded / name, target / name)
