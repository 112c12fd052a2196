"""What handing in late costs: worked out at one place for grading, feedback, exports and tables."""
from __future__ import annotations

import csv
from datetime import timedelta
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry, SubmittedAssignment, SubmittedNotebook
from nbgrader.preprocessors import AssignLatePenalties
from traitlets.config import Config

from course.book.release import config
from course.grading.marks import opened
from course.grading.names import RULE, is_name, shown
from course.whole import whole

FILE, HEAD, MOST = "extensions.csv", ["student", "chapter", "days"], 3650


class Lateness:
    """The penalties of the plugin that `AssignLatePenalties.plugin_class` names, on the scores and due dates of now.

    nbgrader works a penalty out when it autogrades: before a person has marked the written answers, and before an
    extension is granted.
    """

    def __init__(self, settings: Config):
        root = settings.CourseDirectory.root
        self._granted = extensions(Path(root)) if isinstance(root, str) else {}
        self._nbgrader = AssignLatePenalties(config=settings)
        self._nbgrader.init_plugin()

    def renew(self, submission: SubmittedAssignment, only: SubmittedNotebook | None = None) -> None:
        """Sets the penalty of each notebook of a submission, or of one of them."""
        days = self._granted.get((submission.student_id, submission.name))
        # nbgrader adds it to the due date, where there is one
        extra = timedelta(days=days) if days is not None and submission.assignment.duedate else None
        if days is not None and submission.extension != extra:
            submission.extension = extra
        seconds = submission.total_seconds_late
        for notebook in [only] if only else submission.notebooks:
            penalty = None
            if seconds > 0:
                penalty = self._nbgrader.plugin_inst.late_submission_penalty(submission.student_id, notebook.score, seconds)
            penalty = None if penalty is None else self._nbgrader._check_late_penalty(notebook, penalty)
            if notebook.late_submission_penalty != penalty:
                notebook.late_submission_penalty = penalty

    def renew_all(self, gradebook: Gradebook) -> None:
        """Sets the penalties of all submissions that are late, or were."""
        for assignment in gradebook.assignments:
            for submission in assignment.submissions:
                granted = (submission.student_id, assignment.name) in self._granted
                if granted or submission.total_seconds_late > 0 or submission.late_submission_penalty:
                    self.renew(submission)
        gradebook.db.commit()


class NoExtension(RuntimeError):
    """An extension that cannot be granted, or a line of extensions.csv that is none, with the reason."""


def extensions(root: Path) -> dict[tuple[str, str], float]:
    """(student, chapter) -> days after the due date of all, from extensions.csv: `student,chapter,days`, a line for each.
    Raises NoExtension for a line that says something else."""
    path, found = root / FILE, {}
    if not path.exists():
        return found
    with open(path, encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.reader(file), 1):
            if not row or row == HEAD:
                continue
            try:
                student, chapter, days = (word.strip() for word in row)
                found[student, chapter] = float(days)
                if not 0 < found[student, chapter] <= MOST:
                    raise ValueError
            except ValueError:
                raise NoExtension(f"{FILE}, line {number}: {','.join(row)!r} is not student,chapter,days with a number of "
                                  f"days up to {MOST}. Mend the line, or take it out.") from None
    return found


def extend(root: Path, student: str, chapter: str, days: float) -> str:
    """Grants a student `days` more for a chapter, before or after they hand in; 0 takes it back. Returns what holds now,
    in words. Raises NoExtension."""
    if not (root / "gradebook.db").exists():
        raise NoExtension("There is no gradebook.db yet. Run `course build` first.")
    if not 0 <= days <= MOST:
        raise NoExtension(f"An extension is 0 to {MOST} days, not {days:g}.")
    if not is_name(student):
        raise NoExtension(f"A student's name is {RULE}; {shown(student)} is not.")
    granted = extensions(root)
    with opened(root) as gradebook:
        try:
            assignment = gradebook.find_assignment(chapter)
        except MissingEntry:
            names = ", ".join(found.name for found in gradebook.assignments)
            raise NoExtension(f"The gradebook has no chapter {chapter!r}. There are: {names}.") from None
        granted.pop((student, chapter), None)
        if days:
            granted[student, chapter] = days
        _write(root / FILE, granted)
        try:
            submission = gradebook.find_submission(chapter, student)
            submission.extension = timedelta(days=days) if days and assignment.duedate else None
            Lateness(config(root)).renew(submission)
            gradebook.db.commit()
        except MissingEntry:
            pass                # applied when it is graded
        due = assignment.duedate
    until = f"due {due + timedelta(days=days):%Y-%m-%d %H:%M} UTC" if due else "without a due date so far"
    return f"{student}: {chapter} is {until}" + (f", {days:g} days after the others." if days else ", as for all.")


def _write(path: Path, granted: dict[tuple[str, str], float]) -> None:
    with whole(path) as part, open(part, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([HEAD, *([*key, f"{days:g}"] for key, days in sorted(granted.items()))])
