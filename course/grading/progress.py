"""How far a long command is: a bar on a terminal, a line now and then where the output goes to a file."""
from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

EVERY = 10.0        # seconds between two lines


def wide() -> Console:
    """A console whose tables are not folded where the output goes to a file."""
    console = Console()
    return console if console.is_terminal else Console(width=160)


@contextmanager
def progress(console: Console, what: str) -> Iterator[Callable[..., None]]:
    """Gives a function `told(done, total, note="")` to call as often as there is news."""
    if console.is_terminal:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
        columns = [TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
                   TextColumn("{task.fields[note]}")]
        with Progress(*columns, console=console) as bar:
            task = bar.add_task("", total=None, note="starting")
            yield lambda done, total, note="": bar.update(task, completed=done, total=total, note=note)
        return
    started = last = time.monotonic()

    def told(done: int, total: int, note: str = "") -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= EVERY and done < total:
            last = now
            left = (now - started) * (total - done) / done if done else None
            console.print(f"{what}: {done} of {total}" + (f", about {left:.0f} s left" if left is not None else "")
                          + (f"; {note}" if note else ""), soft_wrap=True, markup=False, highlight=False)
    yield told
