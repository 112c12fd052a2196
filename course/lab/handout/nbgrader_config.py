"""nbgrader's settings for a student of this course: Validate, and where JupyterLab has it the Assignment List."""
import os
import sys

_root = os.path.dirname(os.path.abspath(__file__))

c = get_config()  # noqa: F821  (nbgrader provides it)

c.CourseDirectory.course_id = "@COURSE_ID@"
if os.environ.get("JUPYTERHUB_USER"):
    c.CourseDirectory.student_id = os.environ["JUPYTERHUB_USER"]
# the folder through which assignments are handed out and in; the variable goes first
c.Exchange.root = os.environ.get("COURSE_EXCHANGE") or "@EXCHANGE@" or os.path.join(_root, "no-exchange")
c.Exchange.assignment_dir = os.path.join(_root, "work")

# Validate: JupyterLab waits for it, so a cell that does not end is stopped soon.
c.Execute.timeout = 20
if sys.platform == "linux":
    c.KernelManager.transport = "ipc"       # TCP is open to everyone on a shared machine
