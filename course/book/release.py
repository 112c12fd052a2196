"""nbgrader's own generate_assignment on what was built: the student edition of a chapter, and the gradebook's record of it."""
from __future__ import annotations

import hashlib
import logging
import shutil
from pathlib import Path


def config(root: Path):
    """nbgrader's configuration of the course, as its own commands load it."""
    from traitlets.config import PyFileConfigLoader
    loaded = PyFileConfigLoader("nbgrader_config.py", path=str(root)).load_config()
    loaded.CourseDirectory.root = str(root)
    return loaded


def generate(root: Path, chapter: str, *, release: str, database: bool = False) -> None:
    """nbgrader's generate_assignment for one chapter, into the folder `release`, with or without the gradebook."""
    from nbgrader.converters import GenerateAssignment
    from nbgrader.coursedir import CourseDirectory
    settings = config(root)
    settings.CourseDirectory.assignment_id = chapter
    settings.CourseDirectory.release_directory = release
    settings.GenerateAssignment.force = True
    if not database:
        settings.GenerateAssignment.no_database = True
    said: list[str] = []
    log = logging.Logger("nbgrader")
    log.addHandler(_Collect(said))
    converter = GenerateAssignment(coursedir=CourseDirectory(config=settings), config=settings)
    converter.log = log
    if not database:
        converter.preprocessors = [step for step in converter.preprocessors if step.__name__ != "SaveCells"]
    try:
        converter.start()
    except Exception as error:
        reason = next((line for text in said for line in text.splitlines() if line.startswith("Cannot ")), "")
        if not reason:      # nbgrader logs the traceback; its last line is the reason
            lines = [text.strip().splitlines()[-1] for text in said if "Traceback" in text]
            reason = lines[0] if lines else str(error)
        raise RuntimeError(
            f"nbgrader could not {'record' if database else 'generate'} {chapter}: {reason}. "
            + ("The gradebook holds submissions of the chapter as it was: keep a copy of gradebook.db, finish or remove "
               "them, and build again." if "submissions" in reason or "grade cells" in reason else "Nothing was changed.")
        ) from error


class _Collect(logging.Handler):
    """Keeps nbgrader's error messages for one sentence instead of printing tracebacks."""

    def __init__(self, said: list[str]):
        super().__init__(logging.ERROR)
        self.said = said

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


def register(root: Path, chapter: str) -> list[str]:
    """Tells the gradebook the cells, points and hidden tests of a chapter, unless it knows these very ones. Returns what
    that meant for submissions that are there."""
    from nbgrader.coursedir import CourseDirectory

    from course.book.editions import follow
    folder = root / ".book/source" / chapter
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.ipynb")):
        digest.update(path.name.encode() + path.read_bytes())
    stamp = root / ".book/registered" / f"{chapter}.sha256"
    if stamp.exists() and stamp.read_text() == digest.hexdigest() and (root / "gradebook.db").exists():
        return []
    said = []
    if (root / "gradebook.db").exists():
        coursedir = CourseDirectory(config=config(root))
        said = follow(root, chapter, coursedir.db_url, coursedir.course_id)
    generate(root, chapter, release=".book/registered/notebooks", database=True)
    shutil.rmtree(root / ".book/registered/notebooks", ignore_errors=True)
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(digest.hexdigest())
    return said
