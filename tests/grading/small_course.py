"""A small book in a course folder of its own: one section, three exercises; and ways to hand in."""
from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import commands
import nbformat

from course.book import gates
from course.book.build import build
from course.grading.demo import make_root
from course.engine.notebook import role
from course.book.source import read

REPO = Path(__file__).resolve().parents[2]
CHAPTER, NAME = "ch09_small", "9_9_small"
BOOK = Path(__file__).parent / "small_book"
MODULES = {"course": "course.cli", "nbgrader": "nbgrader"}


class Course:
    """A course folder with the small book built, and its released notebook."""

    def __init__(self, root: Path):
        self.root = root
        shutil.copytree(_built(), root, symlinks=True, dirs_exist_ok=True, ignore=_links)
        make_root(REPO, root)       # the links lead from where the folder is
        self.section = read(root / "solutions" / CHAPTER / f"{NAME}.py")
        self.full = gates.instructor_notebook(self.section)

    def notebook(self, **answers: str) -> nbformat.NotebookNode:
        """The student edition with the reference answers, but for those given: a_9_9_1="def twice(x): ..."."""
        texts = {cell.id: cell.source for cell in self.full.cells if role(cell) in ("answer", "written")}
        made = gates.student_notebook(self.root, self.full, tests=False)
        for cell in made.cells:
            if cell.id in texts:
                given = answers.get("a_" + cell.id.split("-", 1)[1].replace("-", "_"))
                cell.source = texts[cell.id] if given is None else given
                cell.source = "\n".join(x for x in cell.source.split("\n") if "### " not in x)
        return made

    def blank(self) -> nbformat.NotebookNode:
        return gates.student_notebook(self.root, self.full, tests=False)

    def hand_in(self, student: str, made) -> Path:
        """Writes submitted/<student>/...; a string or bytes are written as they are."""
        path = self.root / "submitted" / student / CHAPTER / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(made, bytes):
            path.write_bytes(made)
        else:
            path.write_text(made if isinstance(made, str) else json.dumps(made), encoding="utf-8")
        return path

    def run(self, *command: str, check: bool = False, **kwargs) -> subprocess.CompletedProcess:
        """A command of the environment, in this course folder."""
        program, *words = command
        if kwargs or program not in MODULES:
            return subprocess.run(command_line(*command), cwd=self.root, env=environment(self.root), capture_output=True,
                                  text=True, check=check, timeout=300, **kwargs)
        done = commands.run(MODULES[program], *words, cwd=self.root, env=environment(self.root))
        if check:
            done.check_returncode()
        return done

    def scores(self) -> dict[str, dict[str, float | None]]:
        """student -> cell -> automatic score, from the gradebook."""
        from nbgrader.api import Gradebook
        found: dict[str, dict[str, float | None]] = {}
        with Gradebook(f"sqlite:///{self.root / 'gradebook.db'}", "deep-learning") as gradebook:
            for submission in gradebook.assignment_submissions(CHAPTER):
                grades = [g for notebook in submission.notebooks for g in notebook.grades]
                assert len({g.name for g in grades}) == len(grades)
                found[submission.student.id] = {g.name: g.auto_score for g in grades}
        return found


@cache
def _built() -> Path:
    """A course folder with the small book built, which each `Course` copies. It lasts as long as the process."""
    root = Path(tempfile.mkdtemp(prefix="built-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    for kind in ("solutions", "tests/variants"):
        path = root / kind / CHAPTER / f"{NAME}.py"
        path.parent.mkdir(parents=True)
        path.write_text((BOOK / kind.split("/")[-1]).with_suffix(".py").read_text())
    build(make_root(REPO, root))
    return root


def _links(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if Path(folder, name).is_symlink()]


def command_line(*command: str) -> list[str]:
    program = [sys.executable, "-m", MODULES[command[0]]] if command[0] in MODULES else [command[0]]
    return [*program, *command[1:]]


def environment(root: Path) -> dict[str, str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return os.environ | {"COURSE_ROOT": str(root), "PATH": path, "PYTHONPATH": str(REPO)}
