"""JupyterHub for the course on one machine, with an account of the machine for each person (deploy/README.md).

Members of the group `teachers` get this repository, with formgrader; everybody else gets a copy of the book.
"""
import grp
import os
import pwd
from pathlib import Path

COURSE = Path(os.environ.get("COURSE_ROOT") or Path(__file__).resolve().parent.parent)
BOOK = Path(os.environ.get("COURSE_BOOK") or "/srv/book")                       # made by `course bundle`, then `make env`
EXCHANGE = os.environ.get("COURSE_EXCHANGE") or "/srv/nbgrader/exchange"
PREFIX = os.environ.get("COURSE_ACCOUNTS", "")      # of account names: "jupyter-" in The Littlest JupyterHub
TEACHERS, STUDENTS = "teachers", "students"

c = get_config()  # noqa: F821  (JupyterHub provides it)

c.JupyterHub.bind_url = os.environ.get("COURSE_URL") or "http://127.0.0.1:8000"     # put a web server with TLS before it
c.JupyterHub.spawner_class = "jupyterhub.spawner.LocalProcessSpawner"
c.JupyterHub.authenticator_class = "pam"
c.LocalAuthenticator.allowed_groups = {TEACHERS, STUDENTS}
c.PAMAuthenticator.open_sessions = False        # JupyterHub's own advice where no session module is needed
c.Spawner.start_timeout = 120                   # the first start makes the student's copy
c.Spawner.http_timeout = 60


def is_teacher(account: str) -> bool:
    """Whether this account is in the group of teachers, as its main group too. An unknown one is not."""
    try:
        group = grp.getgrnam(TEACHERS)
        return account in group.gr_mem or pwd.getpwnam(account).pw_gid == group.gr_gid
    except KeyError:
        return False


def choose(spawner) -> None:
    """What a person's server is, before it starts."""
    account = PREFIX + spawner.user.name
    environment = {"COURSE_EXCHANGE": EXCHANGE, "COURSE_CHECK_OWNER": os.environ.get("COURSE_CHECK_OWNER") or "yes"}
    if is_teacher(account):
        programs = COURSE / ".venv/bin"
        spawner.cmd = [str(programs / "jupyterhub-singleuser"), f"--ServerApp.root_dir={COURSE}"]
        environment |= {
            # nbgrader and formgrader find their settings here, and alembic on PATH
            "JUPYTER_CONFIG_PATH": f"{COURSE / 'deploy/teacher'}:{COURSE}",
            "PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin"}
    else:
        spawner.cmd = [str(BOOK / ".venv/bin/course"), "server"]
        environment |= {"PATH": f"{BOOK / '.venv/bin'}:/usr/local/bin:/usr/bin:/bin"}
    # kernels over sockets in a private folder: TCP is open to everyone on the machine. A socket's path is at most 107 long.
    runtime = os.path.expanduser(f"~{account}/.jupyter-run")
    if runtime.startswith("/") and len(runtime) + len(f"/kernel-{'0' * 36}-ipc-1") < 100:
        environment["JUPYTER_RUNTIME_DIR"] = runtime
        spawner.cmd = [*spawner.cmd, "--KernelManager.transport=ipc"]
    spawner.environment = {**spawner.environment, **environment}


c.Spawner.pre_spawn_hook = choose
