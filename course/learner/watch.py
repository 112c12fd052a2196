"""`course watch`: grades a notebook of work/ each time it is saved, with an engine that stays warm."""
from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from course.learner.grader import CannotGrade, Grader, Report
from course.learner.progress import pages, select

POLL = 0.1              # seconds between two looks at the files
SETTLE = 0.3            # a file that cannot be read may still be being written


def watch(root: Path, what: str | None, show: Callable[[Report, set[str]], None], say: Callable[[str], None],
          busy: Callable[[str], AbstractContextManager] = nullcontext, running: Callable[[], bool] = lambda: True) -> None:
    """Calls `show` with a report, and the exercises that it has news of, for each save that changed an answer.

    `what` is a chapter, section or exercise; it is graded at once. `say` gets a line where a notebook cannot be
    graded; `busy(what goes on)` is around what takes its time. Returns when `running()` is false.
    """
    root = Path(root).resolve()
    with Grader(root) as grader:
        with busy("Starting"):
            grader.engine.zygote.spawn().kill()         # all is imported and warm before the first save
        if not grader.sandboxed:
            say("No sandbox on this machine: your answers run with your own rights, as they do in JupyterLab.")
        seen, last, failed = {}, {}, {}
        names = [page.path for page in select(pages(root), what)]
        seen = {name: _stamp(root / "work" / name) for name in names if not what}
        say(f"Watching {len(names)} notebook{'s' * (len(names) > 1)} in work/. Save one (Ctrl+S) to have it graded; "
            "Ctrl-C ends.")
        while running():
            for name in names:
                stamp = _stamp(root / "work" / name)
                if stamp == seen.get(name, None) or stamp == (0, 0):
                    continue
                try:
                    page = next(page for page in select(pages(root), what) if page.path == name)
                    with busy(f"Hidden tests of {page.number}"):
                        report = grader.grade(page)
                except CannotGrade as error:
                    first = failed.setdefault(name, time.monotonic())
                    if time.monotonic() - first > SETTLE:
                        seen[name] = stamp
                        failed.pop(name)
                        say(str(error))
                    continue
                failed.pop(name, None)
                seen[name] = stamp
                before = last.get(name)
                now = {row.number: (row.state, row.message, row.answer) for row in report.rows}
                news = {row.number for row in report.rows if before is None and row.again and row.state != "not answered"
                        or before is not None and before.get(row.number) != now[row.number]}
                last[name] = now
                if news or before is None and what:
                    show(report, news)
            time.sleep(POLL)


def _stamp(path: Path) -> tuple[int, int]:
    try:
        facts = path.stat()
        return facts.st_mtime_ns, facts.st_size
    except OSError:
        return 0, 0
