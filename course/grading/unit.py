"""The unit of work: one submitted notebook in, its verdicts and executed notebook out. Runs anywhere."""
from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import msgpack
import nbformat

from course import whole
from course.book.instructor import with_tests
from course.engine.notebook import Engine, Graded, number_of, outputs, role
from course.grading.graft import graft
from course.engine.judge import UNANSWERED, Verdict

VERSION = 5             # of the engine's verdicts: raise it, and everything is graded again
UNSAFE = "COURSE_WITHOUT_SANDBOX"


class NotBuilt(RuntimeError):
    """A chapter or notebook that the build has not made."""


def insecure() -> bool:
    """Whether the instructor asked to grade without a sandbox."""
    return os.environ.get(UNSAFE) == "yes"


@dataclass
class Prepared:
    """All that grading one notebook of the book needs; plain data, so that it can travel to a worker."""
    chapter: str
    name: str
    notebook: str                               # the released notebook with the hidden tests, as JSON
    mistakes: dict[str, list] = field(default_factory=dict)
    key: str = ""                               # changes when the tests or the engine change


@lru_cache(maxsize=64)
def _released(root: Path, chapter: str, name: str, stamp: float) -> str:
    """The student edition with the instructor's check cells put back, and one line that must not be lost."""
    release = root / ".book/release" / chapter / f"{name}.ipynb"
    source = root / ".book/source" / chapter / f"{name}.ipynb"
    return nbformat.writes(with_tests(nbformat.read(release, 4), nbformat.read(source, 4)))


def prepare(root: Path, chapter: str, name: str, *, engine: Engine | None = None) -> Prepared:
    """What grading `name` needs. With an engine, known mistakes are learned where they are not yet known."""
    source = root / ".book/source" / chapter / f"{name}.ipynb"
    if not source.exists() or not (root / ".book/release" / chapter / f"{name}.ipynb").exists():
        raise NotBuilt(f"{chapter}/{name} is not built. Run `course build` first.")
    notebook = _released(root, chapter, name, source.stat().st_mtime)
    prepared = Prepared(chapter, name, notebook)
    prepared.mistakes = known_mistakes(root, prepared, engine)
    prepared.key = hashlib.sha256(f"{VERSION}\n{notebook}".encode()).hexdigest()
    return prepared


def known_mistakes(root: Path, prepared: Prepared, engine: Engine | None) -> dict[str, list]:
    """What the wrong variants reply to the checks: number -> [(why, replies, requirement)]; kept in .book/mistakes/."""
    text = root / "solutions" / prepared.chapter / f"{prepared.name}.py"
    wrong = root / "tests/variants" / prepared.chapter / f"{prepared.name}.py"
    if not text.exists() or not wrong.exists():
        return {}
    digest = hashlib.sha256(f"{VERSION}".encode() + text.read_bytes() + wrong.read_bytes()).hexdigest()[:32]
    path = root / ".book/mistakes" / f"{prepared.name}-{digest}.msgpack"
    if path.exists():
        return msgpack.unpackb(path.read_bytes(), strict_map_key=False)
    if engine is None:
        return {}
    from course.book.gates import submissions
    from course.book.source import read
    found: dict[str, list] = {}
    section = read(text)
    for _, chosen, notebook in submissions(root, section, strays=True):
        if not any(not v.right for v in chosen.values()):
            continue
        for verdict in engine.grade(notebook).verdicts:
            variant = chosen.get(verdict.number)
            if variant is not None and not variant.right and verdict.replies and verdict.points < verdict.out_of:
                stated = section.exercises[verdict.number].requirements.get(variant.breaks, "")
                found.setdefault(verdict.number, []).append(
                    [variant.name, verdict.replies, f"{variant.breaks}: {stated}" if variant.breaks else ""])
    for old in path.parent.glob(f"{prepared.name}-*.msgpack"):
        old.unlink()
    whole.write(path, msgpack.packb(found))
    return found


@lru_cache(maxsize=64)
def parsed(notebook: str) -> nbformat.NotebookNode:
    """A released notebook, read once for a whole class; not to be changed."""
    return nbformat.reads(notebook, 4)


def key_of(prepared: Prepared, raw: bytes) -> str:
    """The key of a submission's verdicts: the same content, tests and engine need not be graded twice."""
    return hashlib.sha256(prepared.key.encode() + raw).hexdigest()


def grade(engine: Engine, prepared: Prepared, submission: dict | None, reason: str, key: str) -> tuple[str, list[Verdict], str]:
    """Grades one submission. Returns the executed notebook as JSON, marked with its verdicts, the verdicts, and the
    reason why nothing could be read ("" where it was)."""
    grafted = graft(parsed(prepared.notebook), submission, reason)
    if grafted.unreadable:
        graded = unread(grafted)
    else:
        graded = engine.grade(grafted.notebook, prepared.mistakes)
    graded.warnings = grafted.warnings
    mark(graded, prepared, key=key, warnings=grafted.warnings, unreadable=grafted.unreadable)
    for verdict in graded.verdicts:
        verdict.replies, verdict.held = [], []
    return nbformat.writes(graded.notebook), graded.verdicts, grafted.unreadable


def unread(grafted) -> Graded:
    """A row with 0 points and the reason, for a submission of which nothing could be read."""
    verdicts = []
    for cell in grafted.notebook.cells:
        if role(cell) == "check":
            verdict = Verdict(number_of(cell), UNANSWERED, 0.0, float(cell.metadata.nbgrader.points),
                              f"Not graded: {grafted.unreadable}.")
            verdicts.append(verdict)
            cell.outputs = outputs(verdict)
    return Graded(grafted.notebook, verdicts)


def mark(graded: Graded, prepared: Prepared, *, key: str, warnings: list[str], unreadable: str = "") -> None:
    """Writes the verdicts into the graded notebook's metadata: the one record that it was graded, or why it could not be."""
    graded.notebook.metadata.setdefault("course", {})["graded"] = {
        "key": key, "seconds": round(graded.seconds, 3), "warnings": list(warnings), "unreadable": unreadable,
        "verdicts": [verdict.as_dict() for verdict in graded.verdicts]}


def marked(path: Path) -> dict | None:
    """The record in an autograded notebook; None where it was not graded to the end."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))["metadata"]["course"]["graded"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
