"""The student's copy of the book, work/: made from notebooks/, and brought up to a new edition around the answers."""
from __future__ import annotations

import os
import warnings
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course import whole
from course.book.merge import merge
from course.learner import trust


class WorkError(RuntimeError):
    """work/ cannot be made or brought up to date; the message says what to do."""


@dataclass
class Synced:
    """What `sync` did: paths from the book's root, and lines for the student."""
    made: list[Path] = field(default_factory=list)
    updated: list[Path] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def notebooks(root: Path) -> list[Path]:
    """The student edition, in the book's order. Raises WorkError where there is none."""
    found = sorted((root / "notebooks").glob("*/*.ipynb"), key=_book_order)
    if not found:
        raise WorkError(f"{root / 'notebooks'} holds no notebook. Get the book again, or make them with `course build`.")
    return found


def _book_order(path: Path) -> tuple:
    return path.parent.name, [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in path.stem.split("_")]


def sync(root: Path) -> Synced:
    """Makes work/ from notebooks/, or brings it up to this edition.

    A notebook that cannot be read is left alone, and a note says so. A notebook that holds work is copied to
    work/backups/ before it changes. Raises WorkError where work/ cannot be written.
    """
    root, done = Path(root).resolve(), Synced()
    for path in notebooks(root):
        mine = root / "work" / path.relative_to(root / "notebooks")
        try:
            if os.path.lexists(mine):
                _update(root, path, mine, done)
            else:
                whole.write(mine, path.read_bytes())
                done.made.append(mine.relative_to(root))
        except OSError as error:
            raise WorkError(f"{mine} cannot be written ({error.strerror}). What is there was left as it is. "
                            "Make the folder writable, or copy the book to a folder of your own.") from error
    return done


def _update(root: Path, path: Path, mine: Path, done: Synced) -> None:
    name = mine.relative_to(root)
    try:
        old = mine.read_bytes()
        if old == path.read_bytes():
            return
        notebook = _parse(old)
    except (ValueError, IsADirectoryError, FileNotFoundError) as error:
        done.notes.append(f"{name} cannot be read as a notebook ({error}). It was left as it is. "
                          "Mend it, or move it away and start again: a fresh copy is made then.")
        return
    merged = merge(_parse(path.read_bytes()), notebook)
    if merged.notebook == notebook:
        return
    if merged.holds_work:
        kept = root / "work/backups" / name.parent.name / f"{mine.stem} {datetime.now():%Y-%m-%d %H.%M.%S.%f}.ipynb"
        whole.write(kept, old)
        merged.notes.append(f"the notebook as it was is kept in {kept.relative_to(root)}.")
    whole.write(mine, (nbformat.writes(merged.notebook) + "\n").encode())
    trust.keep(root, notebook, merged.notebook)
    done.updated.append(name)
    done.notes += [f"{name}: {note}" for note in merged.notes]


def _parse(content: bytes) -> NotebookNode:
    """A valid notebook in format 4. Raises ValueError with the reason in one line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            notebook = nbformat.reads(content.decode("utf-8"), as_version=4)
            if notebook.nbformat_minor < 5:         # before cells had ids
                notebook = nbformat.v4.upgrade(notebook, from_minor=notebook.nbformat_minor)
            nbformat.validate(notebook)
        return notebook
    except UnicodeDecodeError as error:
        raise ValueError("not UTF-8 text") from error
    except nbformat.reader.NotJSONError as error:
        raise ValueError("not JSON") from error
    except Exception as error:              # nbformat raises whatever a wrong shape leads to
        raise ValueError(str(error).strip().split("\n", 1)[0][:120] or type(error).__name__) from error


def reset(root: Path, name: str, number: str) -> Path | None:
    """Puts the starter of one exercise back into work/`name`, code and words. Returns where the old text is kept
    (from the book's root), None where nothing had been written. Raises WorkError.
    """
    root = Path(root).resolve()
    starters = starter(root, name, number)
    mine = root / "work" / name
    try:
        old = mine.read_bytes()
        notebook = _parse(old)
    except (OSError, ValueError) as error:
        raise WorkError(f"work/{name} cannot be read as a notebook ({error}). It was left as it is.") from error
    lost = []
    for cell in notebook.cells:
        given = starters.get(cell.metadata.get("nbgrader", {}).get("grade_id"))
        if given is not None and cell.source != given:
            lost.append(cell.source)
            cell.source = given
    if not lost:
        return None
    kept = keep(root, name, number, lost)
    whole.write(mine, (nbformat.writes(notebook) + "\n").encode())
    trust.keep(root, _parse(old), notebook)
    return kept


def starter(root: Path, name: str, number: str) -> dict[str, str]:
    """The answer cells of an exercise as they were handed out: grade_id -> text. Raises WorkError."""
    try:
        cells = _parse((Path(root) / "notebooks" / name).read_bytes()).cells
    except (OSError, ValueError) as error:
        raise WorkError(f"notebooks/{name} cannot be read ({error}). Get the book again.") from error
    names = {f"{kind}-{number.replace('.', '-')}" for kind in ("answer", "written")}
    found = {cell.metadata.nbgrader.grade_id: cell.source for cell in cells
             if cell.metadata.get("nbgrader", {}).get("grade_id") in names}
    if not found:
        raise WorkError(f"notebooks/{name} has no exercise {number}.")
    return found


def keep(root: Path, name: str, number: str, texts: list[str]) -> Path:
    """Keeps answers that are about to be replaced; returns the file, from the book's root. Raises WorkError."""
    folder, now = Path(root) / "work/backups" / Path(name).parent.name, datetime.now()
    kept = folder / f"{number} {now:%Y-%m-%d %H.%M.%S}.txt"
    if kept.exists():
        kept = folder / f"{number} {now:%Y-%m-%d %H.%M.%S.%f}.txt"
    try:
        whole.write(kept, ("\n\n".join(texts) + "\n").encode())
    except OSError as error:
        raise WorkError(f"{kept} cannot be written ({error.strerror}), so the answer was left as it is. "
                        "Make the folder writable.") from error
    return kept.relative_to(root)
