"""From text sources to notebooks: solutions/ -> .book/source (with answers) -> notebooks/ (the student edition).

nbgrader's own generate_assignment strips answers and hidden tests. The same input gives the same bytes.
"""
from __future__ import annotations

import hashlib
import logging
import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course.book import figures, use
from course.book.concepts import Link, Vocabulary, vocabulary
from course.book.index import write_index
from course.book.outline import ideas
from course.book.section import Cell, Exercise, Problem, Section, SourceError
from course.book.source import read, sources
from course.engine.notebook import role

ANSWER_MARK = "# Answer {n}: this cell is yours."
CHECK_MARK = "# Check {n} ({points:g} {unit}): run this cell. More tests, hidden ones, run at grading."
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


class WorkInTheWay(RuntimeError):
    """A notebook that the build would replace holds somebody's answers."""


def instructor_notebook(section: Section, words: Vocabulary | None = None) -> nbformat.NotebookNode:
    """The section as a notebook with answers, hidden tests and nbgrader's metadata (schema 3).

    With the book's vocabulary, tasks say what they build on, with links.
    """
    cells = []
    for cell, name in zip(section.cells, section.ids):
        exercise = section.exercises.get(cell.number)
        links = words.builds_on(section, cell.number) if words and cell.role == "task" else []
        make = new_markdown_cell if cell.is_markdown else new_code_cell
        text, pictures = figures.attached(section.path, _text(cell, exercise, links)) if cell.is_markdown else (
            _text(cell, exercise, links), {})
        node = make(text)
        if pictures:
            node.attachments = pictures
        node.id = name
        node.metadata = _metadata(cell, name) | _course(cell, links)
        cells.append(node)
    notebook = new_notebook(cells=cells, metadata={
        "kernelspec": KERNEL, "language_info": {"name": "python"},
        "course": {"section": section.number, "title": section.title}})
    nbformat.validate(notebook)
    return notebook


def _course(cell: Cell, links: list[Link]) -> dict:
    """What the check's card, feedback and the home page know of the ideas in this cell."""
    facts = {"teaches": ideas(cell.meta.get("teaches")), "needs": [asdict(link) for link in links]}
    facts = {name: value for name, value in facts.items() if value}
    return {"course": facts} if facts else {}


def _text(cell: Cell, exercise: Exercise | None, links: list[Link]) -> str:
    if cell.role == "task":
        heading, _, rest = cell.source.partition("\n")
        facts = [exercise.kind, _count(exercise.points, "point"), _count(exercise.minutes, "minute"),
                 f"difficulty {cell.meta['difficulty']} of 5"] + ["core path"] * bool(cell.meta.get("core"))
        builds_on = f"\n*Builds on: {', '.join(link.markdown for link in links)}*\n" if links else ""
        return f"### Exercise {cell.number} · {heading.lstrip('# ')}\n\n*{' · '.join(facts)}*\n{builds_on}{rest}"
    if cell.role == "hints":
        text = ""
        for i, hint in reversed(list(enumerate(exercise.hint_list, 1))):
            text = f"<details><summary>Hint {i}</summary>\n\n{hint}\n\n{text}</details>\n"
        return text.rstrip("\n")
    if cell.role == "exercise":
        return f"{ANSWER_MARK.format(n=cell.number)}\n{cell.source}"
    if cell.role == "check":
        points = cell.meta["points"]
        mark = CHECK_MARK.format(n=cell.number, points=points, unit="point" if points == 1 else "points")
        return f"{mark}\n{cell.source}"
    return cell.source


def _count(number: float, noun: str) -> str:
    return f"{number:g} {noun}" + ("" if number == 1 else "s")


def _metadata(cell: Cell, name: str) -> dict:
    base = {"grade_id": name, "schema_version": 3, "task": False}
    if cell.role == "exercise":
        return {"nbgrader": base | {"grade": False, "locked": False, "solution": True}, "tags": ["answer"]}
    if cell.role == "written":
        return {"nbgrader": base | {"grade": True, "locked": False, "solution": True, "points": cell.meta["points"]},
                "tags": ["answer"]}
    if cell.role == "check":
        # JupyterLab's Run All goes on past a failed check
        return {"nbgrader": base | {"grade": True, "locked": True, "solution": False, "points": cell.meta["points"]},
                "tags": ["raises-exception"]}
    if cell.role in ("setup", "task", "hints"):
        locked = {"nbgrader": base | {"grade": False, "locked": True, "solution": False}}
        return locked | ({"tags": ["setup"]} if cell.role == "setup" else {})
    if cell.role == "demo":
        return {"tags": ["demo"]}
    return {"editable": False, "deletable": False} if cell.role == "prose" else {}


def with_tests(edition: nbformat.NotebookNode, full: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The student edition, changed in place, with the hidden tests of the instructor's notebook put back.

    Raises LookupError where the two have other checks.
    """
    tests = {cell.id: cell.source for cell in full.cells if role(cell) == "check"}
    checks = [cell for cell in edition.cells if role(cell) == "check"]
    if {cell.id for cell in checks} != set(tests):
        raise LookupError("the two are not of the same edition")
    for cell in checks:
        cell.source = tests[cell.id]
    return edition


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
    for chapter, members in by_chapter.items():
        _remove_strays(root / ".book/source" / chapter, members)
        fresh = [m for m in members if root / ".book/source" / chapter / f"{m.name}.ipynb" in written]
        release = root / ".book/release" / chapter
        if fresh or any(not (release / f"{m.name}.ipynb").exists() for m in members):
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
