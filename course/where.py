"""Where the book is, for every command: its repository, or the folder that COURSE_ROOT names."""
from __future__ import annotations

import os
from pathlib import Path

import typer

REPO = Path(__file__).resolve().parent.parent
ROOT = Path(os.environ.get("COURSE_ROOT") or REPO).resolve()    # a course elsewhere: COURSE_ROOT=demo course autograde


def fail(message: str, code: int = 1) -> None:
    """Says why, and ends the command."""
    typer.echo(message, err=True)
    raise typer.Exit(code)
