"""nbgrader's settings for this course. nbgrader's own commands, formgrader and `course` all read them."""
import os
import sys

import course  # noqa: F401  (puts this environment's programs on PATH: nbgrader calls alembic)

_root = os.path.dirname(os.path.abspath(__file__))

c = get_config()  # noqa: F821  (nbgrader provides it)

c.CourseDirectory.course_id = "deep-learning"
c.CourseDirectory.root = _root
# the text sources in solutions/ are built into real notebooks there
c.CourseDirectory.source_directory = ".book/source"
c.CourseDirectory.release_directory = "notebooks"

# An unanswered function returns None instead of raising, so that Run All reaches every check.
c.ClearSolutions.code_stub = {"python": "# YOUR CODE HERE\n..."}
c.ClearSolutions.text_stub = "*Double click here, press Enter, and write your answer in place of this line.*"

# Grading: our engine in place of nbgrader's Execute; a submission is grafted onto the released notebook first.
c.Autograde.exporter_class = "course.plugins.GraftingExporter"
c.Autograde.sanitize_preprocessors = []     # nothing but answers comes from a submission
c.Autograde.autograde_preprocessors = [
    "course.plugins.Judge",
    "nbgrader.preprocessors.IgnorePattern",
    "nbgrader.preprocessors.LimitOutput",
    "course.plugins.Save",
]
# Feedback shows no hidden test, loads nothing from the network, and runs no script of a student's.
c.GenerateFeedback.exporter_class = "course.plugins.FeedbackExporter"
c.HTMLExporter.sanitize_html = True
c.GenerateFeedback.preprocessors = [
    "course.plugins.StripTests",
    "course.plugins.Formulas",
    "nbgrader.preprocessors.GetGrades",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]

# The exchange lies in the course folder; one account may hand in for many (a demonstration, a shared machine).
c.Exchange.root = os.path.join(_root, "exchange")
c.ExchangeCollect.check_owner = False
# Submit hands in a chapter of the student's own copy.
c.Exchange.assignment_dir = os.path.join(_root, "work")

# Validate: JupyterLab waits for it, so a cell that does not end is stopped soon.
c.Execute.timeout = 20
if sys.platform == "linux":
    c.KernelManager.transport = "ipc"       # TCP is open to everyone on a shared machine
