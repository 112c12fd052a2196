"""A course starts anew: what last year's class left is moved aside, and nothing is deleted."""
from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

ARCHIVE = "archive"
LEFT = ("gradebook.db", "submitted", "autograded", "feedback", "grades", "grades.csv", "solution", "extensions.csv",
        "marks_taken_out.csv", "exchange")


def left(root: Path) -> list[Path]:
    """What a class left in the course's folder: its record, its work, and what was made of them."""
    copies = sorted(root.glob("gradebook.db.*"))
    return [path for path in (*(root / name for name in LEFT), *copies) if os.path.lexists(path)]


def start(root: Path) -> tuple[Path, list[str]]:
    """Moves all of it to archive/<time>/. Returns the folder and the names. Raises OSError; then what was moved is
    back in its place."""
    to = root / ARCHIVE / f"{datetime.now():%Y-%m-%dT%H%M%S}"
    moved: list[tuple[Path, Path]] = []
    try:
        for path in left(root):
            to.mkdir(parents=True, exist_ok=True)
            path.rename(to / path.name)
            moved.append((path, to / path.name))
        for stamp in (root / ".book/registered").glob("*.sha256"):
            stamp.unlink()
    except OSError:
        for path, there in reversed(moved):
            there.rename(path)
        raise
    return to, [path.name for path, _ in moved]
