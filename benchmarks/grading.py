"""Grading: stock nbgrader, ours, and the bare time of the cells, side by side in one run.

    .venv/bin/python benchmarks/grading.py                  # (a) a small torch notebook x 24, (b) the whole book
    .venv/bin/python benchmarks/grading.py --students 8 --skip-book
    .venv/bin/python benchmarks/grading.py --thousand       # memory over 1,000 submissions
"""
from __future__ import annotations

import argparse
import copy
import importlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

REPO = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPO))
os.environ.setdefault("OMP_NUM_THREADS", "1")

CHAPTER, NAME = "ch09_small", "9_9_small"
STOCK = '''c = get_config()
c.CourseDirectory.course_id = "deep-learning"
c.CourseDirectory.source_directory = ".book/source"
c.CourseDirectory.release_directory = "notebooks"
'''


def small_course(root: Path, students: int):
    """A course of the tests' small torch section, with `students` right submissions, each a little different."""
    sys.path.insert(0, str(REPO / "tests/grading"))
    from small_course import Course
    course = Course(root)
    for i in range(students):
        course.hand_in(f"s{i:04}", course.notebook(a_9_9_1=f"# student {i}\ndef twice(x): return x + x"))
    return course


def peak(pid: int, stop: threading.Event, found: list[float]) -> None:
    """The largest memory of a process tree in MiB, shared pages counted once (PSS), looked at every half second."""
    import psutil
    while not stop.wait(0.5):
        try:
            parent = psutil.Process(pid)
            tree = [parent, *parent.children(recursive=True)]
        except psutil.Error:
            continue
        total = 0
        for process in tree:
            try:
                total += process.memory_full_info().pss
            except psutil.Error:
                continue
        found[0] = max(found[0], total / 2**20)


def command(course, *words: str) -> tuple[float, float]:
    """Seconds and peak MiB of a command in the course folder."""
    from small_course import command_line, environment
    started = time.perf_counter()
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(command_line(*words), cwd=course.root, env=environment(course.root), stdout=log,
                                   stderr=subprocess.STDOUT)
        stop, found = threading.Event(), [0.0]
        watch = threading.Thread(target=peak, args=(process.pid, stop, found))
        watch.start()
        code = process.wait()
        seconds = time.perf_counter() - started
        stop.set()
        watch.join()
        if code:
            log.seek(0)
            raise SystemExit(f"{' '.join(words)} failed:\n{log.read()[-3000:]}")
    return seconds, found[0]


def in_process(course, workers: int) -> float:
    """Seconds of `course autograde` between the first and the last graded notebook, so without its start-up."""
    from course.grading.autograde import autograde
    times: list[float] = []
    autograde(course.root, workers=workers, force=True, progress=lambda done, total, states: times.append(time.perf_counter()))
    return (times[-1] - times[1]) / max(1, len(times) - 2)      # times[0]: ready to begin; times[1]: the first one done


def bare(notebooks) -> float:
    """Seconds of the notebooks' code cells (checks too, demonstrations not), each in a fork of this warm interpreter."""
    from course.engine.notebook import role
    total = 0.0
    for notebook in notebooks:
        sources = [c.source for c in notebook.cells if role(c) in ("setup", "code", "answer", "check", "own")]
        receive, send = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                import io
                import torch
                from IPython.core.inputtransformer2 import TransformerManager
                torch.set_num_threads(1)
                transform = TransformerManager().transform_cell
                sys.stdout = sys.stderr = io.StringIO()
                names = {"__name__": "__main__", "get_ipython": lambda: None}
                started = time.perf_counter()
                for source in sources:
                    exec(compile(transform(source), "<cell>", "exec"), names)
                os.write(send, repr(time.perf_counter() - started).encode())
            except BaseException as error:
                os.write(send, f"failed: {type(error).__name__}: {error}".encode())
            finally:
                os._exit(0)
        os.waitpid(pid, 0)
        os.close(send)
        text = os.read(receive, 1000).decode()
        os.close(receive)
        if not text or text.startswith("failed"):
            raise SystemExit(f"A notebook does not run bare: {text}")
        total += float(text)
    return total


def part_a(console, students: int) -> None:
    from rich.table import Table
    with tempfile.TemporaryDirectory() as folder:
        course = small_course(Path(folder), students)
        settings = course.root / "nbgrader_config.py"
        started, _ = command(course, "course", "autograde", "--student", "s0000")       # known mistakes, learned once
        warm_up, _ = command(course, "course", "autograde", "--student", "s0000")
        two, two_memory = command(course, "course", "autograde", "--workers", "2", "--force")
        one, one_memory = command(course, "course", "autograde", "--workers", "1", "--force")
        rate_two, rate_one = in_process(course, 2), in_process(course, 1)
        plain, plain_memory = command(course, "nbgrader", "autograde", CHAPTER, "--force")
        link = os.readlink(settings)
        settings.unlink()
        settings.write_text(STOCK)
        stock, stock_memory = command(course, "nbgrader", "autograde", CHAPTER, "--force")
        settings.unlink()
        settings.symlink_to(link)
        cells = bare([_tests(course)] * students)
    each = stock / students
    table = Table(title=f"(a) a small torch notebook x {students}, {os.cpu_count()} cores")
    for name in ("", "seconds", "each", "stock / this", "peak MiB"):
        table.add_column(name, justify="right" if name else "left")
    for name, seconds, memory in (("stock nbgrader autograde", stock, stock_memory),
                                  ("nbgrader autograde, our engine", plain, plain_memory),
                                  ("course autograde, 1 worker", one, one_memory),
                                  ("course autograde, 2 workers", two, two_memory)):
        table.add_row(name, f"{seconds:.1f}", f"{seconds / students:.3f}", f"{stock / seconds:.1f}", f"{memory:.0f}")
    for name, per in (("  1 worker, start-up apart", rate_one), ("  2 workers, start-up apart", rate_two),
                      ("the cells alone, warm interpreter", cells / students)):
        table.add_row(name, f"{per * students:.1f}", f"{per:.3f}", f"{each / per:.1f}", "")
    console.print(table)
    console.print(f"To reach: 30 for two workers, start-up apart: {each / rate_two:.1f}; 8 for nbgrader autograde, start-up in: "
                  f"{stock / plain:.1f}. A command that finds nothing new takes {warm_up:.1f} s.")


def _tests(course):
    import nbformat
    from course.grading.unit import prepare
    made = nbformat.reads(prepare(course.root, CHAPTER, NAME).notebook, 4)
    answers = {cell.id: cell.source for cell in course.full.cells}
    for cell in made.cells:
        cell.source = answers.get(cell.id, cell.source)
    return made


def part_b(console) -> None:
    from rich.table import Table
    from course.book.build import read_all
    from course.book.instructor import instructor_notebook
    from course.engine.notebook import Engine
    from course.engine.warm import warm_parent
    import matplotlib
    matplotlib.use("agg")
    import gc
    import torch
    from course.engine import student
    from course.engine.warm import PRELOAD
    for module in PRELOAD:                         # as warm as the engine's own parent is
        importlib.import_module(module)
    student.later()
    torch.set_num_threads(1)
    gc.collect()
    gc.freeze()
    table = Table(title="(b) the book's reference answers, one thread")
    for name in ("section", "ours, s", "bare, s", "ours / bare"):
        table.add_column(name, justify="right" if name != "section" else "left")
    sums = [0.0, 0.0]
    with warm_parent() as zygote:
        engine = Engine(zygote)
        for section in read_all(REPO):
            notebook = instructor_notebook(section)
            engine.grade(copy.deepcopy(notebook))                   # the judge's setup, once
            ours = min(_timed(engine.grade, copy.deepcopy(notebook)) for _ in range(2))
            cells = min(bare([notebook]) for _ in range(2))
            sums = [sums[0] + ours, sums[1] + cells]
            table.add_row(section.number, f"{ours:.2f}", f"{cells:.2f}", f"{ours / cells:.2f}")
    table.add_row("all", f"{sums[0]:.2f}", f"{sums[1]:.2f}", f"{sums[0] / sums[1]:.2f}")
    console.print(table)
    part_b_class(console, sums[1])


def part_b_class(console, bare_seconds: float, students: int = 4) -> None:
    """The same answers as a class hands them in, graded by the commands."""
    from types import SimpleNamespace
    from rich.table import Table
    from course.grading import demo
    demo.CLASS = {f"s{i}": (-1, lambda page: demo._answers(page, lambda found, i: None)) for i in range(students)}
    with tempfile.TemporaryDirectory() as folder:
        course = SimpleNamespace(root=demo.prepare(REPO, Path(folder), []))
        chapters = sorted(path.name for path in (course.root / "submitted/s0").iterdir())
        count = len(list((course.root / "submitted/s0").glob("*/*.ipynb")))
        two, one = (in_process(course, workers) * count for workers in (2, 1))      # the first also learns the mistakes
        settings = course.root / "nbgrader_config.py"
        settings.unlink()
        settings.write_text(STOCK)
        stock = sum(command(course, "nbgrader", "autograde", chapter, "--student", "s0", "--force")[0]
                    for chapter in chapters)
    table = Table(title=f"(b) the book's {count} notebooks of one student")
    for name in ("", "seconds", "of the cells alone", "stock / this"):
        table.add_column(name, justify="right" if name else "left")
    for name, seconds in (("stock nbgrader autograde, a command for each chapter", stock),
                          ("course autograde, 1 worker, start-up apart", one),
                          ("course autograde, 2 workers, start-up apart", two),
                          ("the cells alone, warm interpreter", bare_seconds)):
        table.add_row(name, f"{seconds:.1f}", f"{seconds / bare_seconds:.2f}", f"{stock / seconds:.1f}")
    console.print(table)
    console.print(f"To reach: at most 1.5 times the cells alone: {one / bare_seconds:.2f} with one worker, "
                  f"{two / bare_seconds:.2f} with two.")


def _timed(call, *arguments, **keywords) -> float:
    started = time.perf_counter()
    call(*arguments, **keywords)
    return time.perf_counter() - started


def thousand(console, count: int = 1000) -> None:
    """Memory of the coordinator while it grades 1,000 submissions."""
    import psutil
    from course.grading.autograde import autograde
    with tempfile.TemporaryDirectory() as folder:
        course = small_course(Path(folder), count)
        seen: dict[int, float] = {}

        def progress(done, total, states):
            if done in (count // 10, count // 2, count):
                seen[done] = psutil.Process().memory_info().rss / 2**20
        seconds = _timed(autograde, course.root, workers=2, progress=progress)
    console.print(f"{count} submissions in {seconds:.0f} s; coordinator: "
                  + ", ".join(f"{mib:.0f} MiB after {done}" for done, mib in seen.items()))


def main() -> None:
    from rich.console import Console
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--students", type=int, default=24)
    options.add_argument("--skip-book", action="store_true")
    options.add_argument("--thousand", action="store_true")
    chosen = options.parse_args()
    console = Console()
    if chosen.thousand:
        thousand(console)
        return
    part_a(console, chosen.students)
    if not chosen.skip_book:
        part_b(console)


if __name__ == "__main__":
    main()
