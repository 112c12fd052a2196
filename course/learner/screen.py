"""What the learner's commands show: lines folded between words, and on a terminal what takes its time."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape


def say(line: str, console: Console | None = None) -> None:
    """Prints a line: folded between words where a terminal is too narrow for it, in one piece where it goes to a file."""
    console = console or Console(highlight=False)
    console.print(escape(line), soft_wrap=not console.is_terminal)


@contextmanager
def busy(what: str) -> Iterator[None]:
    """While the block runs, a line on the terminal that says what goes on and for how long; nothing where there is none."""
    console = Console(stderr=True)
    if not console.is_terminal or console.is_dumb_terminal:
        yield
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
    with Progress(SpinnerColumn("line"), TextColumn("{task.description}"), TimeElapsedColumn(), console=console,
                  transient=True) as shown:
        shown.add_task(f"{escape(what)} …")
        yield
