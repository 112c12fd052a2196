"""Grades a class: finds the submissions, hands them to workers, and writes what comes back, one writer for all.

Killed at any moment, the next run goes on: a notebook counts as graded only when its verdicts stand in the gradebook
and then in the file under autograded/, which is put in place whole.
"""
from __future__ import annotations

import difflib
import os
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import nbformat

from course import whole
from course.grading import unit
from course.book import use
from course.book.build import build, read_all
from course.book.source import sources
from course.grading.names import RULE, is_name, shown
from course.grading.unit import key_of, marked, prepare
from course.grading.graft import load
from course.engine.judge import Verdict
from course.sandbox.limits import SandboxUnavailable
from course.sandbox.trial import available
from course.grading.worker import Pool, learn, work

TRIES = 3


class Unknown(LookupError):
    """A chapter or student that is not there."""


@dataclass
class Job:
    """One notebook of one student."""
    chapter: str
    student: str
    name: str
    path: Path
    tries: int = 0


class Unread(NamedTuple):
    """What could not be read, and why."""
    student: str
    notebook: str       # chapter/name
    reason: str


@dataclass
class Outcome:
    """What a run did: notebooks graded, skipped as unchanged, and those that failed with their reason."""
    graded: int = 0
    unchanged: int = 0
    states: Counter = field(default_factory=Counter)
    unreadable: list[Unread] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    misnamed: list[str] = field(default_factory=list)       # what lies where nothing is graded, a line for each
    said: list[str] = field(default_factory=list)           # what happened to the gradebook before


def submissions(root: Path, chapters: list[str], students: list[str] | None) -> Iterator[Job]:
    """Every notebook that each student should have handed in, whether it is there or not."""
    folder = root / "submitted"
    names = {chapter: [path.stem for path in sorted((root / ".book/source" / chapter).glob("*.ipynb"))]
             for chapter in chapters}
    for student in sorted(path for path in folder.iterdir() if is_name(path.name) and path.is_dir() and not path.is_symlink()):
        if students and student.name not in students:
            continue
        for chapter in chapters:
            handed_in = student / chapter
            if os.path.lexists(handed_in):
                for name in names[chapter]:
                    yield Job(chapter, student.name, name, handed_in / f"{name}.ipynb")


def misnamed(root: Path, names: dict[str, list[str]], used: list[str]) -> list[str]:
    """Lines on what lies under submitted/ and cannot be graded where it is: folders that are no student's or no
    chapter's, and notebooks that are none of the chapter's. `names`: chapter -> its notebooks, of the whole book;
    `used`: the chapters of the course."""
    lines = []
    for student in sorted(path for path in (root / "submitted").iterdir() if path.is_dir()):
        if not is_name(student.name):
            lines.append(f"submitted/{shown(student.name)} is left out: a student's name is {RULE}")
            continue
        for chapter in sorted(path for path in student.iterdir() if path.is_dir() and not path.is_symlink()):
            where = f"submitted/{student.name}/{shown(chapter.name)}"
            if chapter.name in names and chapter.name not in used:
                lines.append(f"{where} is left out: this course does not use the chapter. `course use` says what it uses")
                continue
            if chapter.name not in names:
                lines.append(f"{where} is left out: the book has no such chapter. There are: {', '.join(names)}")
                continue
            for path in sorted(chapter.glob("*.ipynb")):
                if path.stem not in names[chapter.name]:
                    like = difflib.get_close_matches(path.stem, names[chapter.name], 1, 0.6)
                    lines.append(f"{where}/{shown(path.name)} is left out: no notebook of the chapter is called so"
                                 + (f". If it is {like[0]}.ipynb, rename it" if like else ""))
    return lines


def read_job(job: Job) -> tuple[dict | None, str, bytes]:
    """The submission's raw cells, the reason where there are none, and the bytes that identify it."""
    if job.path.parent.is_symlink():
        return None, "the submitted folder is a symbolic link", b"link"
    submission, reason = load(job.path)
    raw = job.path.read_bytes() if submission is not None else reason.encode()
    return submission, reason, raw


def autograde(root: Path, chapters: list[str] | None = None, students: list[str] | None = None, *,
              workers: int | None = None, scheduler: str | None = None, force: bool = False,
              progress: Callable[[int, int, Counter], None] = lambda done, total, states: None) -> Outcome:
    """Grades what is new or changed under submitted/. Raises Unknown for names that are not there."""
    from course.grading.gradebook import Writer, timestamp, written
    chapters = _chapters(root, chapters)
    _students(root, students)
    if not unit.insecure() and not scheduler:
        well, missing = available()
        if not well:
            raise SandboxUnavailable("\n".join(missing))
    said: list[str] = []
    build(root, chapters, publish=False, say=said.append)
    outcome = Outcome(misnamed=misnamed(root, _notebooks(root), use.chapters(root)), said=said)
    jobs = list(submissions(root, chapters, students))
    total = len(jobs)
    if not jobs:
        return outcome
    with Writer(root) as writer, Pool(workers, scheduler) as pool:
        pairs = sorted({(job.chapter, job.name) for job in jobs})
        ready = {pair: prepare(root, *pair) for pair in pairs}
        todo: list[Job] = []
        for job in jobs:
            old = None if force else marked(_graded_path(root, job))
            if old and old["key"] == key_of(ready[job.chapter, job.name], read_job(job)[2]) \
                    and writer.has(job.chapter, job.student):
                outcome.unchanged += 1
                outcome.states.update(v["state"] for v in old["verdicts"])
            else:
                todo.append(job)
        if todo:
            pool.start(len(todo))
        changed = sorted({(job.chapter, job.name) for job in todo})
        if not scheduler:
            for learned in [pool.submit(learn, root, *pair) for pair in changed]:
                learned.result()
        ready |= {pair: prepare(root, *pair) for pair in changed}
        progress(outcome.unchanged, total, outcome.states)
        started: set[tuple[str, str]] = set()
        running: dict[Future, Job] = {}
        waiting = iter(todo)
        again: list[Job] = []
        while True:
            while len(running) < 3 * pool.size:
                job = again.pop() if again else next(waiting, None)
                if job is None:
                    break
                submission, reason, raw = read_job(job)
                prepared = ready[job.chapter, job.name]
                running[pool.submit(work, prepared, submission, reason, key_of(prepared, raw))] = job
            if not running:
                break
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            saved: list[tuple[Job, str]] = []
            for future in done:
                job = running.pop(future)
                try:
                    text, verdicts, unreadable = future.result()
                except Exception as error:      # a worker died, or met a defect of ours: others go on
                    job.tries += 1
                    if job.tries < TRIES:
                        again.append(job)
                    else:
                        outcome.failed.append(f"{job.student}, {job.chapter}/{job.name}: {type(error).__name__}: {error}")
                    continue
                if (job.student, job.chapter) not in started:
                    started.add((job.student, job.chapter))
                    handed_in = timestamp(job.path.parent)
                    writer.start(job.chapter, job.student, handed_in)
                    _keep_time(root, job, handed_in)
                found = [Verdict(**verdict) for verdict in verdicts]
                writer.save(job.chapter, job.student, job.name, found, written(nbformat.reads(text, 4)))
                saved.append((job, text))
                outcome.graded += 1
                outcome.states.update(v.state for v in found)
                if unreadable:
                    outcome.unreadable.append(Unread(job.student, f"{job.chapter}/{job.name}", unreadable))
            # first the gradebook, then the files that say that it is done
            writer.commit()
            for job, text in saved:
                whole.write(_graded_path(root, job), text)
            progress(outcome.unchanged + outcome.graded, total, outcome.states)
    return outcome


def _chapters(root: Path, chapters: list[str] | None) -> list[str]:
    known = sorted({section.chapter for section in read_all(root)})
    for chapter in chapters or []:
        if chapter not in known:
            raise Unknown(f"No chapter {chapter!r}. There are: {', '.join(known)}"
                          + (", in this course; `course use` says what it has of the book." if use.words(root) else "."))
    return chapters or known


def _notebooks(root: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in sources(root):
        found.setdefault(path.parent.name, []).append(path.stem)
    return found


def _students(root: Path, students: list[str] | None) -> None:
    folder = root / "submitted"
    if not folder.is_dir():
        raise Unknown("There is no folder submitted/. Collect the class first (`nbgrader collect`, or put "
                      "submitted/<student>/<chapter>/<notebook>.ipynb in place).")
    for student in students or []:
        if not (folder / student).is_dir():
            names = sorted(path.name for path in folder.iterdir() if path.is_dir())
            raise Unknown(f"No student {student!r} under submitted/. There are {len(names)}: {', '.join(names[:8])} ...")


def _graded_path(root: Path, job: Job) -> Path:
    return root / "autograded" / job.student / job.chapter / f"{job.name}.ipynb"



def _keep_time(root: Path, job: Job, time: str | None) -> None:
    """The time of submission beside the graded notebook, where nbgrader's feedback looks for it, and the secret by
    which `nbgrader release_feedback` addresses a submission."""
    if job.path.parent.is_symlink():
        return
    secret = job.path.parent / "submission_secret.txt"
    found = {"timestamp.txt": time} if time else {}
    if secret.is_file() and not secret.is_symlink() and secret.stat().st_size <= 256:
        found[secret.name] = secret.read_text(encoding="ascii", errors="ignore")
    target = _graded_path(root, job).parent
    for name, text in found.items():
        target.mkdir(parents=True, exist_ok=True)
        (target / name).write_text(text, encoding="utf-8")
