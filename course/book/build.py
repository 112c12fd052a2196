"""From text sources to notebooks: solutions/ -> .book/source (with answers) -> notebooks/ (the student edition).

nbgrader's own generate_assignment strips answers and hidden tests. The same input gives the same bytes.
"""
from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import nbformat

from course.book import use
from course.book.concepts import Vocabulary, vocabulary
from course.book.index import write_index
from course.book.instructor import instructor_notebook
from course.book.release import config, generate, register
from course.book.section import Problem, Section, SourceError
from course.book.source import read, sources


class WorkInTheWay(RuntimeError):
    """A notebook that the build would replace holds somebody's answers."""


def read_all(root: Path, chapters: list[str] | None = None) -> list[Section]:
    """Every section of the course (or of these chapters of it): the book, or what `course use` took of it.
    Raises SourceError with all mistakes of all files, and use.NoPart."""
    sections, problems = [], []
    for path, numbers in use.parts(root).items():
        if chapters and path.parent.name not in chapters:
            continue
        try:
            section = read(path)
        except SourceError as error:
            problems += error.problems
            continue
        same = next((s.name for s in sections if s.number == section.number), None)
        if same:
            problems.append(Problem(path, 1, f"{section.number} is the number of {same} too.",
                                    "Give one of the two files another number."))
        sections.append(use.reduced(section, numbers))
    if problems:
        raise SourceError(problems)
    return sections


def build(root: Path, chapters: list[str] | None = None, *, gradebook: bool = True, publish: bool = True,
          say: Callable[[str], None] = print) -> list[Path]:
    """Builds notebooks/ and, for grading, nbgrader's records of it. Returns the student notebooks that changed.
    Without `publish`, notebooks/ is left as it is. `say` hears what a teacher should know of the gradebook.

    Raises SourceError for mistakes in a source, WorkInTheWay where a notebook to be replaced holds answers.
    """
    from nbgrader.coursedir import CourseDirectory

    from course.book.editions import forget
    sections = read_all(root, chapters)
    words = vocabulary(root, sections)
    if publish and (problems := words.problems(chapters)):      # a class is graded also by a part of the book
        raise SourceError(problems)
    words = words.of(use.parts(root))
    written = {path for section in sections if (path := _write_source(root, section, words))}
    by_chapter: dict[str, list[Section]] = {}
    for section in sections:
        by_chapter.setdefault(section.chapter, []).append(section)
    changed = []
    settings = (root / "nbgrader_config.py").stat().st_mtime        # they say what starters look like
    for chapter, members in by_chapter.items():
        _remove_strays(root / ".book/source" / chapter, members)
        fresh = [m for m in members if root / ".book/source" / chapter / f"{m.name}.ipynb" in written]
        release = root / ".book/release" / chapter
        made = [release / f"{m.name}.ipynb" for m in members]
        if fresh or any(not path.exists() or path.stat().st_mtime < settings for path in made):
            generate(root, chapter, release=".book/release")
        if publish:
            changed += _publish(release, root / "notebooks" / chapter, members)
    changed += write_index(root, words, publish)
    changed += _leave_out(root, publish)
    if gradebook:
        for chapter in by_chapter:
            for line in register(root, chapter):
                say(line)
        unused = {path.parent.name for path in sources(root)} - set(use.chapters(root))
        if unused and (root / "gradebook.db").exists():
            for chapter in unused:      # it is registered anew when it comes back
                (root / ".book/registered" / f"{chapter}.sha256").unlink(missing_ok=True)
            coursedir = CourseDirectory(config=config(root))
            for line in forget(unused, coursedir.db_url, coursedir.course_id):
                say(line)
    return changed


def _leave_out(root: Path, publish: bool) -> list[Path]:
    """Takes what the course does not use out of what was built, but no notebook with answers. Returns what students lose."""
    there, gone = set(use.chapters(root)), []
    for path in sources(root):
        if path.parent.name not in there:
            for folder in (".book/source", ".book/release"):
                (root / folder / path.parent.name / f"{path.stem}.ipynb").unlink(missing_ok=True)
            mine = root / "notebooks" / path.parent.name / f"{path.stem}.ipynb"
            if publish and mine.exists() and not answers_in(mine):
                mine.unlink()
                gone.append(mine)
    for folder in (".book/source", ".book/release", *(["notebooks"] if publish else [])):
        for chapter in (root / folder).glob("*/"):
            if chapter.name not in there and not any(chapter.iterdir()):
                chapter.rmdir()
    return gone


def _write_source(root: Path, section: Section, words: Vocabulary) -> Path | None:
    """Writes the instructor's notebook if it differs from the one that is there."""
    path = root / ".book/source" / section.chapter / f"{section.name}.ipynb"
    text = nbformat.writes(instructor_notebook(section, words)) + "\n"
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return None
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _remove_strays(folder: Path, members: list[Section]) -> None:
    keep = {f"{m.name}.ipynb" for m in members}
    for path in folder.glob("*.ipynb"):
        if path.name not in keep:
            path.unlink()


def _publish(release: Path, folder: Path, members: list[Section]) -> list[Path]:
    """Copies what changed; stops before the first copy if a notebook there holds answers."""
    names = {f"{m.name}.ipynb" for m in members}
    todo = []
    for name in sorted(names):
        there, made = folder / name, release / name
        if there.exists():
            if there.read_bytes() == made.read_bytes():
                continue
            answered = answers_in(there)
            if answered:
                raise WorkInTheWay(
                    f"{there} holds answers ({', '.join(answered[:3])}): the build would replace them. "
                    f"Move the file to work/{folder.name}/ and run `course build` again.")
        todo.append((made, there))
    folder.mkdir(parents=True, exist_ok=True)
    for made, there in todo:
        shutil.copyfile(made, there)
    for stray in folder.glob("*.ipynb"):
        if stray.name not in names and not answers_in(stray):
            stray.unlink()
            todo.append((stray, stray))
    return [there for _, there in todo]


def answers_in(path: Path) -> list[str]:
    """The ids of the answer cells in a student notebook that differ from their starter code."""
    from nbgrader.utils import compute_checksum
    try:
        notebook = nbformat.read(path, as_version=4)
    except Exception:               # unreadable: treat as work, so that nothing of a user's is lost
        return [path.name]
    return [cell.metadata.nbgrader.grade_id for cell in notebook.cells
            if cell.metadata.get("nbgrader", {}).get("solution")
            and cell.metadata.nbgrader.get("checksum") != compute_checksum(cell)]
