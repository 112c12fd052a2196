"""A learner's copy of the book: the first section, with its hidden tests and variants."""
import json
import os
import subprocess
from pathlib import Path

import commands

ROOT = Path(__file__).resolve().parents[2]
CHAPTER = "ch00_start"
PAGE = f"{CHAPTER}/0_how_this_book_works.ipynb"
RIGHT = "# Answer 0.1: this cell is yours.\ndef to_fahrenheit(celsius):\n    return celsius * 9 / 5 + 32"
LOOP = "# Answer 0.1: this cell is yours.\ndef to_fahrenheit(celsius):\n    return torch.stack([c * 9 / 5 + 32 for c in celsius])"


class Book:
    """The book in `root`, with a learner's hands: write an answer, run a command."""

    def __init__(self, root: Path):
        self.root, self.file = root, root / "work" / PAGE

    def write(self, cell: str, text: str) -> None:
        """Puts an answer into the notebook's file, as an editor that saves does."""
        notebook = json.loads(self.file.read_text())
        next(c for c in notebook["cells"] if c["id"] == cell)["source"] = text.splitlines(keepends=True)
        part = self.file.with_suffix(".part")
        part.write_text(json.dumps(notebook))
        part.replace(self.file)

    def source(self, cell: str) -> str:
        return next("".join(c["source"]) for c in json.loads(self.file.read_text())["cells"] if c["id"] == cell)

    @property
    def environment(self) -> dict[str, str]:
        return os.environ | {"COURSE_ROOT": str(self.root), "OMP_NUM_THREADS": "1", "COLUMNS": "120"}

    def course(self, *words: str) -> subprocess.CompletedProcess:
        return commands.run("course.cli", *words, cwd=self.root, env=self.environment, timeout=120)
