"""What handing in late costs: worked out at one place for grading, feedback, exports and tables."""
from __future__ import annotations

from nbgrader.api import Gradebook, SubmittedAssignment, SubmittedNotebook
from nbgrader.preprocessors import AssignLatePenalties
from traitlets.config import Config


class Lateness:
    """The penalties of the plugin that `AssignLatePenalties.plugin_class` names, on the scores and due dates of now.

    nbgrader works a penalty out when it autogrades: before a person has marked the written answers, and before an
    extension is granted.
    """

    def __init__(self, settings: Config):
        self._nbgrader = AssignLatePenalties(config=settings)
        self._nbgrader.init_plugin()

    def renew(self, submission: SubmittedAssignment, only: SubmittedNotebook | None = None) -> None:
        """Sets the penalty of each notebook of a submission, or of one of them."""
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
                if submission.total_seconds_late > 0 or submission.late_submission_penalty:
                    self.renew(submission)
        gradebook.db.commit()
