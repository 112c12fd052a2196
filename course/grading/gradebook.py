"""The one writer to nbgrader's gradebook: one session, one transaction for a batch of graded notebooks."""
from __future__ import annotations

from pathlib import Path

from nbgrader.api import Base, Gradebook, GradeCell, MissingEntry, SolutionCell
from nbgrader.utils import parse_utc
from sqlalchemy import create_engine, inspect
from sqlalchemy.exc import SQLAlchemyError

from course.book.release import config
from course.book.section import grade_id
from course.engine.notebook import feedback, role, unanswered
from course.engine.judge import PASSED, Verdict


class WrongGradebook(RuntimeError):
    """The gradebook cannot be used: of another version, another course, or without this chapter."""


def written(notebook) -> dict[str, bool]:
    """The written answers of a graded notebook: grade_id -> whether the student wrote something."""
    return {cell.metadata.nbgrader.grade_id: not unanswered(cell) for cell in notebook.cells if role(cell) == "written"}


def _missing_columns(url: str) -> str:
    """What an existing database lacks of nbgrader's tables, "" where it has all of them, or none yet."""
    engine = create_engine(url)
    try:
        there = inspect(engine)
        names = set(there.get_table_names())
        for table in Base.metadata.sorted_tables if names else []:
            columns = {column["name"] for column in there.get_columns(table.name)} if table.name in names else set()
            lacking = sorted({column.name for column in table.columns} - columns)
            if lacking:
                return f"table {table.name} lacks {', '.join(lacking[:3])}"
        return ""
    finally:
        engine.dispose()


class Writer:
    """Saves verdicts as nbgrader's own autograde does: automatic scores, need for a person, comments, late penalty."""

    def __init__(self, root: Path):
        from nbgrader.coursedir import CourseDirectory
        from course.grading.late import Lateness
        self.settings = config(root)
        coursedir = CourseDirectory(config=self.settings)
        path = root / "gradebook.db"
        try:
            missing = _missing_columns(coursedir.db_url)
            self.gradebook = None if missing else Gradebook(coursedir.db_url, coursedir.course_id)
        except SQLAlchemyError as error:
            missing = str(error).splitlines()[0][:160]
        if missing:
            raise WrongGradebook(
                f"The gradebook {path.name} is not one that this version of nbgrader can use ({missing}). If it is from "
                "another version: make a copy of it, then run `nbgrader db upgrade`. Nothing was changed.")
        # nbgrader's API commits at every step; here a batch of notebooks is one transaction, ended by `commit`
        self._commit, self.gradebook.db.commit = self.gradebook.db.commit, self.gradebook.db.flush
        self.late = Lateness(self.settings)

    def close(self) -> None:
        self.gradebook.close()

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, *exception) -> None:
        self.close()

    def start(self, chapter: str, student: str, timestamp: str | None) -> None:
        """The student's row and submission. Raises WrongGradebook where the chapter is unknown."""
        try:
            self.gradebook.find_assignment(chapter)
        except MissingEntry:
            raise WrongGradebook(f"The gradebook does not know {chapter}. Run `course build {chapter}`.") from None
        when = {"timestamp": timestamp} if timestamp else {}
        with self.gradebook.db.no_autoflush:
            self.gradebook.update_or_create_student(student)
            self.gradebook.update_or_create_submission(chapter, student, **when)

    def save(self, chapter: str, student: str, name: str, verdicts: list[Verdict], answered: dict[str, bool]) -> None:
        """One notebook's scores, comments and late penalty, kept by the next `commit`.

        `answered`, from `written`: grade_id of each written answer -> whether the student wrote something.
        """
        gradebook = self.gradebook
        submitted = gradebook.find_submission_notebook(name, chapter, student)
        scores = {grade_id("check", v.number): min(v.points, v.out_of) for v in verdicts}
        by_check = {grade_id("exercise", v.number): v for v in verdicts}
        names = {cell.id: cell.name for cell in gradebook.db.query(GradeCell).filter(
            GradeCell.id.in_([g.cell_id for g in submitted.grades]))}
        for grade in submitted.grades:
            cell = names.get(grade.cell_id, "")
            if cell in scores:
                grade.auto_score = scores[cell]
            elif cell in answered:
                grade.auto_score = None if answered[cell] else 0.0
            else:
                grade.auto_score = 0.0
            grade.needs_manual_grade = grade.manual_score is not None or grade.auto_score is None
        cells = {cell.id: cell.name for cell in gradebook.db.query(SolutionCell).filter(
            SolutionCell.id.in_([c.cell_id for c in submitted.comments]))}
        for comment in submitted.comments:
            verdict = by_check.get(cells.get(comment.cell_id, ""))
            if verdict is not None:
                comment.auto_comment = feedback(verdict) if verdict.state != PASSED else None
            elif cells.get(comment.cell_id) in answered:
                comment.auto_comment = None if answered[cells[comment.cell_id]] else "No response."
        gradebook.db.flush()
        gradebook.db.refresh(submitted)
        self.late.renew(gradebook.find_submission(chapter, student), submitted)

    def commit(self) -> None:
        """Ends the transaction: all that was saved since the last one is in the gradebook, or none of it."""
        self._commit()

    def has(self, chapter: str, student: str) -> bool:
        """Whether the gradebook holds a submission of this student."""
        try:
            self.gradebook.find_submission(chapter, student)
        except MissingEntry:
            return False
        return True


def timestamp(folder: Path) -> str | None:
    """The time of submission that nbgrader's collect wrote, None where there is none or it is no time."""
    path = folder / "timestamp.txt"
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > 100:       # a pipe would not end
            return None
        text = path.read_text(encoding="utf-8").strip()
        return text if parse_utc(text) else None
    except Exception:               # whatever a student wrote there is no time
        return None
