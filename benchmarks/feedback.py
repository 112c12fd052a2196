"""Feedback pages: `course feedback` beside nbgrader's own generate_feedback, in one run, on the same graded notebooks.

    .venv/bin/python benchmarks/feedback.py                     # 12 students, a section of the book
    .venv/bin/python benchmarks/feedback.py --students 40 --section 2.1
"""
from __future__ import annotations

import argparse
import copy
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPO = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPO))
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

# nbgrader as it comes: its own exporter, template and steps
STOCK = '''c = get_config()
c.CourseDirectory.course_id = "deep-learning"
c.CourseDirectory.source_directory = ".book/source"
c.CourseDirectory.release_directory = "notebooks"
'''


def graded_class(root: Path, number: str, students: int) -> tuple[str, str]:
    """A course in `root` in which `students` have right and wrong answers to one section, graded. Chapter and name."""
    from course.book.build import build
    from course.book.source import read, sources
    from course.grading import demo
    demo.make_root(REPO, root)
    path = next(p for p in sources(root) if read(p, lint=False).number == number)
    chapter, name = path.parent.name, path.stem
    (root / "solutions").unlink()
    (root / "solutions" / chapter).mkdir(parents=True)
    (root / "solutions" / chapter / path.name).write_text((REPO / "solutions" / chapter / path.name).read_text())
    (root / "tests/variants").unlink()      # known mistakes need not be learned for this
    build(root, publish=False)
    (root / "tests/variants").symlink_to(REPO / "tests/variants")
    page = demo.Page(root, read(root / "solutions" / chapter / path.name, lint=False))
    (root / "tests/variants").unlink()
    kinds = ["ada", "alan", "claude", "donald", "edsger", "hedy"]
    made = {kind: demo.CLASS[kind][1](page) for kind in kinds}
    for i in range(students):
        notebook = copy.deepcopy(made[kinds[i % len(kinds)]])
        notebook.cells[-1].source += f"\n<!-- {i} -->" if notebook.cells[-1].cell_type == "markdown" else f"\n# {i}"
        target = root / "submitted" / f"s{i:03}" / chapter / f"{name}.ipynb"
        target.parent.mkdir(parents=True)
        target.write_text(json.dumps(notebook), encoding="utf-8")
    command(root, "course.cli", "autograde")
    return chapter, name


def command(root: Path, *words: str) -> float:
    """Seconds of a command in the course folder."""
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-m", *words], cwd=root, capture_output=True, text=True,
                          env=os.environ | {"COURSE_ROOT": str(root), "PYTHONPATH": str(REPO)})
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} failed:\n{done.stderr[-3000:]}")
    return time.perf_counter() - started


def main() -> None:
    from rich.console import Console
    from rich.table import Table
    parser = argparse.ArgumentParser()
    parser.add_argument("--students", type=int, default=12)
    parser.add_argument("--section", default="2.7")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        chapter, _ = graded_class(root, given.section, given.students)
        ours = command(root, "course.cli", "feedback", "--force")
        nothing = command(root, "course.cli", "feedback")
        exporter = command(root, "nbgrader", "generate_feedback", chapter, "--force")
        settings = root / "nbgrader_config.py"
        settings.unlink()
        settings.write_text(STOCK)
        stock = command(root, "nbgrader", "generate_feedback", chapter, "--force")
        # what a command costs before its first page, and no more with a larger class
        begin = command(root, "nbgrader", "generate_feedback", chapter, "--student", "s000", "--force")
    pages = given.students
    table = Table(title=f"feedback on section {given.section} x {pages}, {os.cpu_count()} cores")
    for name in ("", "seconds", "pages a second", "beside stock", "start-up apart, ms a page"):
        table.add_column(name, justify="right" if name else "left")
    for name, seconds, start in (("stock generate_feedback", stock, begin), ("generate_feedback, our pages", exporter, None),
                                 ("course feedback", ours, nothing), ("  nothing changed", nothing, None)):
        each = "" if start is None else f"{1000 * (seconds - start) / (pages - (start is begin)):.1f}"
        table.add_row(name, f"{seconds:.1f}", f"{pages / seconds:.1f}", f"{stock / seconds:.1f}", each)
    Console().print(table)


if __name__ == "__main__":
    main()
