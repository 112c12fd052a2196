"""nbgrader's settings for this course. nbgrader's own commands, formgrader and `course` all read them."""
import os
import sys

import course  # (puts this environment's programs on PATH: nbgrader calls alembic)

_root = os.path.dirname(os.path.abspath(__file__))

if "nbgrader" in sys.argv[0].split(os.sep)[-2:] and sys.argv[1:2] == ["autograde"]:
    import course.engine.warm
    course.engine.warm.start_early(os.environ.get("COURSE_WITHOUT_SANDBOX") != "yes")     # it takes seconds

c = get_config()  # noqa: F821  (nbgrader provides it)

c.CourseDirectory.course_id = "deep-learning"
c.CourseDirectory.root = _root
# the text sources in solutions/ are built into real notebooks there
c.CourseDirectory.source_directory = ".book/source"
c.CourseDirectory.release_directory = "notebooks"

# An unanswered function returns None instead of raising, so that Run All reaches every check.
c.ClearSolutions.code_stub = {"python": "# YOUR CODE HERE\n..."}
c.ClearSolutions.text_stub = "*Answer {number}: write it here, in place of this line.*"

# Generate, also formgrader's, numbers the placeholders, and stops where notebooks/ holds somebody's work.
c.GenerateAssignment.exporter_class = "course.grading.plugins.KeepingExporter"

# Solutions for students, after the deadline: nbgrader generate_solution writes solution/<chapter>/; they are not executed.
c.GenerateSolution.preprocessors = ["nbgrader.preprocessors.ClearOutput", "course.grading.plugins.ReleasedSolution"]

# Grading: our engine in place of nbgrader's Execute; a submission is grafted onto the released notebook first.
c.Autograde.exporter_class = "course.grading.plugins.GraftingExporter"
c.Autograde.sanitize_preprocessors = []     # nothing but answers comes from a submission
c.Autograde.autograde_preprocessors = [
    "course.grading.plugins.Judge",
    "nbgrader.preprocessors.IgnorePattern",
    "nbgrader.preprocessors.LimitOutput",
    "course.grading.plugins.Save",
]
# A day begun after the due date costs a tenth of a notebook's points; 0.0 for no penalty.
c.AssignLatePenalties.plugin_class = "course.grading.plugins.LatePenalty"
c.LatePenalty.per_day = 0.1
c.ExportApp.plugin_class = "course.grading.plugins.Export"

# Formgrader's pages take MathJax from their own server: nbconvert finds its template on this path, first.
_share = os.path.join(os.path.dirname(os.path.abspath(course.__file__)), "lab/formgrader")
if _share not in os.environ.get("JUPYTER_PATH", "").split(os.pathsep):
    os.environ["JUPYTER_PATH"] = os.pathsep.join(filter(None, [_share, os.environ.get("JUPYTER_PATH")]))

# Feedback: a table of the exercises, then the student's answers; no test, no script, nothing from the network.
c.GenerateFeedback.exporter_class = "course.grading.plugins.FeedbackExporter"
c.GenerateFeedback.preprocessors = []

# Formgrader's pages of submissions run no script of a student's.
c.HTMLExporter.sanitize_html = True

# Where the folder that `course bundle` makes is public, for its links to Binder and Colab: https://github.com/ORG/NAME, with
# /tree/BRANCH where the branch is not main.
c.StudentEdition.repository = ""

# The exchange is the folder that COURSE_EXCHANGE names, else the one that `course bundle --exchange` noted, else one in
# the course folder. With COURSE_CHECK_OWNER=yes a submission counts only from the account of its student; else one
# account may hand in for many (a demonstration).
_noted = os.path.join(_root, "exchange.path")
c.Exchange.root = (os.environ.get("COURSE_EXCHANGE") or os.path.exists(_noted) and open(_noted, encoding="utf-8").read().strip()
                   or os.path.join(_root, "exchange"))
c.ExchangeFactory.collect = "course.grading.exchange.Collect"
c.ExchangeFactory.release_feedback = "course.grading.exchange.ReleaseFeedback"
c.ExchangeCollect.check_owner = os.environ.get("COURSE_CHECK_OWNER") == "yes"
# Submit hands in a chapter of the student's own copy.
c.Exchange.assignment_dir = os.path.join(_root, "work")

# Validate: JupyterLab waits for it, so a cell that does not end is stopped soon.
c.Execute.timeout = 20
if sys.platform == "linux":
    c.KernelManager.transport = "ipc"       # TCP is open to everyone on a shared machine
