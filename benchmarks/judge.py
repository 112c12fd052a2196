"""What the judge's limits cost: the book's reference answers graded in this process, and each in a child with limits.

    .venv/bin/python benchmarks/judge.py            # after `course build`; the book
    .venv/bin/python benchmarks/judge.py 2.1 5.2    # some sections
"""
from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

REPO = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPO))
os.environ.setdefault("OMP_NUM_THREADS", "1")


def main(wanted: list[str]) -> None:
    from rich.console import Console
    from rich.table import Table
    from course.book.source import read, sources
    from course.grading import apart, unit, worker
    engine = worker.engine()
    table = Table(title="One student's notebooks, one worker, seconds")
    for name in ("section", "in a child with limits", "in the worker itself", "ratio"):
        table.add_column(name, justify="left" if name == "section" else "right")
    sums = {apart.grade_apart: 0.0, unit.grade: 0.0}
    count = 0
    for path in sources(REPO):
        number = read(path, lint=False).number
        if wanted and number not in wanted:
            continue
        prepared = unit.prepare(REPO, path.parent.name, path.stem)
        answers = json.loads((REPO / ".book/source" / path.parent.name / f"{path.stem}.ipynb").read_text(encoding="utf-8"))
        apart.grade_apart(engine, prepared, answers, "", "")        # the section's setup, once
        seconds = {}
        for grade in sums:
            started = time.perf_counter()
            grade(engine, prepared, answers, "", "")
            seconds[grade] = time.perf_counter() - started
            sums[grade] += seconds[grade]
        child, direct = seconds.values()
        table.add_row(number, f"{child:.2f}", f"{direct:.2f}", f"{child / direct:.2f}")
        count += 1
    child, direct = sums.values()
    table.add_row(f"all {count}", f"{child:.1f}", f"{direct:.1f}", f"{child / direct:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
