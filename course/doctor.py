"""`course doctor`: a real round trip in a temporary folder, and what the machine lacks."""
from __future__ import annotations

import os
import platform
import tempfile
from collections.abc import Iterator
from pathlib import Path

_SOURCE = '''# %% [markdown]
# # 9.9 A round trip

# %% tags=["setup"]
from d2l_utils.check import *

# %% [markdown] task="9.9.1" kind="code" minutes=1 difficulty=1
# ### Twice
#
# Write `twice(x)`.
#
# **You are done when** `twice(3)` is 6.

# %% exercise="9.9.1"
def twice(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION

# %% [markdown] hints="9.9.1"
# 1. What is x + x?

# %% check="9.9.1" points=2
assert_equal(twice(3), 6, "twice 3")
### BEGIN HIDDEN TESTS
assert_equal(twice(-4), -8, "twice a negative number")
### END HIDDEN TESTS
'''
_WRONG = '# %% wrong="9.9.1" why="knows one case" says="negative"\ndef twice(x):\n    return 6\n'


def examine(repo: Path) -> Iterator[tuple[bool, str, str]]:
    """(well, what was looked at, what follows) for each point; the round trip comes last."""
    yield True, f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.system()}", ""
    yield _graphs()
    yield _fonts()
    yield _data()
    yield _sandbox()
    yield _readable(repo)
    yield _round_trip(repo)


def _graphs() -> tuple[bool, str, str]:
    from d2l_utils.graphs import show_dot
    try:
        show_dot("digraph { a -> b }").svg()
    except (RuntimeError, ValueError) as error:
        return False, "pictures of graphs", str(error)
    return True, "pictures of graphs", ""


def _fonts() -> tuple[bool, str, str]:
    from matplotlib import font_manager
    found = {font.name for font in font_manager.fontManager.ttflist}
    well = "DejaVu Sans" in found
    return well, f"{len(found)} fonts for plots", "" if well else "DejaVu Sans is missing: labels of plots may show boxes."


def _data() -> tuple[bool, str, str]:
    try:
        from d2l_utils import FashionMNIST
        data = FashionMNIST(batch_size=8)
        shape = tuple(next(iter(data.val_dataloader()))[0].shape)
    except Exception as error:
        return False, "data sets", f"{type(error).__name__}: {error}"
    return True, f"data sets (a batch of Fashion-MNIST has shape {shape})", ""


def _sandbox() -> tuple[bool, str, str]:
    from course.sandbox.trial import available
    well, missing = available()
    return well, f"sandbox ({', '.join(_layers())})" if well else "sandbox", "" if well else (
        "; ".join(missing) + ". Grading refuses to run here, unless told --without-sandbox. Students need no sandbox.")


def _layers() -> list[str]:
    """What a sandbox stands on here."""
    from course.sandbox import calls, cgroups, landlock
    folder, reason = cgroups.place()
    return ["namespaces", "system calls by a list of those allowed" if calls.allowlist() else
            "system calls by a list of those refused, for want of libseccomp",
            f"Landlock {landlock.version()}" if landlock.version() else "no Landlock",
            "limits kept by the kernel and by a watcher" if folder else f"limits kept by a watcher alone, as {reason}"]


def _readable(repo: Path) -> tuple[bool, str, str]:
    """Graded by root, a submission runs as `nobody`, who reads what everybody may read."""
    from course.sandbox.namespaces import python_folders
    what = "files that a submission reads"
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return True, what, ""
    packages = [folder for folder in python_folders() if folder.name in ("site-packages", "dist-packages")]
    for top in (repo / "data", repo / "d2l_utils", *packages):
        for folder, _, files in os.walk(top):
            for path, needed in [(folder, 0o005), *((os.path.join(folder, name), 0o004) for name in files)]:
                if not os.path.islink(path) and os.stat(path).st_mode & needed != needed:
                    return False, what, (f"{path} may not be read by everybody, and submissions run as `nobody`: an import or "
                                         f"a data set may be missing there. chmod -R o+rX {top}")
    return True, what, ""


def _round_trip(repo: Path) -> tuple[bool, str, str]:
    """Builds a course of one exercise, grades a right and a wrong submission, and looks at the marks."""
    import nbformat
    from course.book import gates
    from course.grading.autograde import autograde
    from course.grading.demo import make_root
    from course.engine.notebook import role
    from course.grading.report import collect
    from course.book.source import read
    what = "round trip: build, hand in, grade, gradebook"
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in (("solutions", _SOURCE), ("tests/variants", _WRONG)):
            path = root / name / "ch09_round_trip" / "9_9_round_trip.py"
            path.parent.mkdir(parents=True)
            path.write_text(text, encoding="utf-8")
        make_root(repo, root)
        try:
            section = read(root / "solutions/ch09_round_trip/9_9_round_trip.py")
            full = gates.instructor_notebook(section)
            blank = gates.student_notebook(root, full, tests=False)
            for student, answer in (("right", "def twice(x):\n    return x + x"), ("wrong", "def twice(x):\n    return 6")):
                made = nbformat.from_dict(blank)
                for cell in made.cells:
                    if role(cell) == "answer":
                        cell.source = answer
                path = root / "submitted" / student / "ch09_round_trip" / "9_9_round_trip.ipynb"
                path.parent.mkdir(parents=True)
                path.write_text(nbformat.writes(made), encoding="utf-8")
            autograde(root, workers=1)
            points = {student: those["9.9.1"]["points"] for student, those in collect(root).items()}
        except Exception as error:
            return False, what, f"{type(error).__name__}: {error}"
    well = points == {"right": 2.0, "wrong": 0.0}
    return well, what, "" if well else f"The right answer got {points.get('right')} of 2, the wrong one {points.get('wrong')}."
