"""deploy/: the configuration as JupyterHub loads it, what each person's server is, and the pins.

The hub itself was run by hand, with accounts of the machine and a browser: deploy/README.md says what was seen.
"""
import grp
import json
import os
import pwd
import re
import shutil
import subprocess
import sys
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace

import pytest
from traitlets.config import Config, PyFileConfigLoader

from course.lab.bundle import LAUNCHER

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"


@pytest.fixture
def settings(monkeypatch):
    """The configuration, for a course at /srv/course."""
    monkeypatch.setenv("COURSE_ROOT", "/srv/course")
    for name in ("COURSE_BOOK", "COURSE_EXCHANGE", "COURSE_URL"):
        monkeypatch.delenv(name, raising=False)
    return PyFileConfigLoader("jupyterhub_config.py", path=str(DEPLOY)).load_config()


def server_of(settings, name: str):
    """What the hook makes of a person's server."""
    spawner = SimpleNamespace(user=SimpleNamespace(name=name), cmd=["jupyterhub-singleuser"], environment={"KEPT": "1"})
    settings.Spawner.pre_spawn_hook(spawner)
    return spawner


def test_a_student_gets_the_book_and_no_teachers_settings(settings):
    me = pwd.getpwuid(os.getuid()).pw_name
    server = server_of(settings, me)
    assert server.cmd[:2] == ["/srv/book/.venv/bin/course", "server"]
    assert server.environment["JUPYTER_RUNTIME_DIR"] == pwd.getpwuid(os.getuid()).pw_dir + "/.jupyter-run"
    assert "--KernelManager.transport=ipc" in server.cmd
    assert server.environment["COURSE_EXCHANGE"] == "/srv/nbgrader/exchange" and server.environment["KEPT"] == "1"
    assert "JUPYTER_CONFIG_PATH" not in server.environment and "/srv/course" not in str(server.environment)


def test_a_teacher_gets_the_course_with_formgrader(settings, monkeypatch):
    me = pwd.getpwuid(os.getuid())
    monkeypatch.setattr(grp, "getgrnam", lambda name: SimpleNamespace(gr_mem=[me.pw_name], gr_gid=-1))
    server = server_of(settings, me.pw_name)
    assert server.cmd[:2] == ["/srv/course/.venv/bin/jupyterhub-singleuser", "--ServerApp.root_dir=/srv/course"]
    assert server.environment["JUPYTER_CONFIG_PATH"] == "/srv/course/deploy/teacher:/srv/course"
    assert server.environment["PATH"].startswith("/srv/course/.venv/bin:")          # nbgrader calls alembic
    assert server.environment["COURSE_CHECK_OWNER"] == "yes"


def test_the_littlest_jupyterhub_takes_the_hook(monkeypatch):
    """As deploy/README.md has it: only the hook, with accounts called jupyter-NAME that may not exist yet."""
    monkeypatch.setenv("COURSE_ACCOUNTS", "jupyter-")
    monkeypatch.setenv("COURSE_CHECK_OWNER", "no")
    hook = run_path(str(DEPLOY / "jupyterhub_config.py"), {"get_config": Config})["choose"]
    server = server_of(Config(Spawner={"pre_spawn_hook": hook}), "nobody-is-called-this")
    assert server.cmd == ["/srv/book/.venv/bin/course", "server"]
    assert server.environment["COURSE_CHECK_OWNER"] == "no"


def test_only_the_two_groups_come_in(settings):
    assert settings.LocalAuthenticator.allowed_groups == {"teachers", "students"}
    assert settings.JupyterHub.authenticator_class == "pam"
    assert "allow_all" not in settings.Authenticator and settings.JupyterHub.bind_url.startswith("http://127.0.0.1:")


def test_the_teachers_profile_keeps_formgrader():
    server = json.loads((DEPLOY / "teacher/jupyter_server_config.json").read_text())["ServerApp"]
    assert "nbgrader.server_extensions.formgrader" not in server["jpserver_extensions"]
    assert "frame-ancestors 'self'" in server["tornado_settings"]["headers"]["Content-Security-Policy"]
    page = json.loads((DEPLOY / "teacher/labconfig/page_config.json").read_text())
    assert "@jupyter/nbgrader:formgrader" not in page["disabledExtensions"]


def test_the_owner_counts_where_the_hub_says_so(monkeypatch):
    from course.book.release import config
    assert config(ROOT).ExchangeCollect.check_owner is (os.environ.get("COURSE_CHECK_OWNER") == "yes")
    monkeypatch.setenv("COURSE_CHECK_OWNER", "yes")
    monkeypatch.setenv("COURSE_EXCHANGE", "/srv/x")
    assert config(ROOT).ExchangeCollect.check_owner is True and config(ROOT).Exchange.root == "/srv/x"


def test_the_pins_are_the_books_where_both_have_one():
    def pins(path):
        lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
        assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line) for line in lines)
        return {re.sub(r"[-_.]+", "-", line.split("==")[0]).lower(): line.split("==")[1] for line in lines}
    book, hub = pins(ROOT / "requirements.txt"), pins(DEPLOY / "requirements.txt")
    assert "jupyterhub" in hub
    assert {name: book[name] for name in hub if name in book} == {name: hub[name] for name in hub if name in book}


def test_a_server_without_jupyterhub_says_what_to_install(tmp_path):
    """`course server` of the bundle, in an environment that has no JupyterHub."""
    made = tmp_path / "programs"
    made.mkdir()
    (made / "python").symlink_to(sys.executable)
    code = ("import sys; sys.path[:0] = [{!r}]; import course; course.__path__.append({!r}); sys.executable = {!r}; "
            "from course.__main__ import main; sys.exit(main(['server', '--folder', {!r}]))").format(
        str(ROOT / "course/lab/handout"), str(ROOT / "course"), str(made / "python"), str(tmp_path / "book"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 1 and "holds no jupyterhub-singleuser. Install JupyterHub there" in done.stderr
    assert done.stderr.count("\n") == 1 and not (tmp_path / "book").exists()


def test_a_server_makes_the_students_copy_and_becomes_jupyterhubs(tmp_path):
    """What `course server` starts, seen by a program in its place: the settings, the folder, the page."""
    book, programs = tmp_path / "shared", tmp_path / "programs"
    programs.mkdir()
    (book / "course").mkdir(parents=True)
    shutil.copytree(ROOT / "course/lab/handout/course", book / "course", dirs_exist_ok=True)
    for name in LAUNCHER:
        there, here = ROOT / "course" / name, book / "course" / name
        here.parent.mkdir(exist_ok=True)
        (shutil.copytree if there.is_dir() else shutil.copyfile)(there, here)
    first = min((ROOT / "notebooks").glob("*/*.ipynb"))
    (book / "notebooks" / first.parent.name).mkdir(parents=True)
    (book / "notebooks" / first.parent.name / first.name).write_bytes(first.read_bytes())
    (book / "nbgrader_config.py").write_text("")
    tell = programs / "jupyterhub-singleuser"
    tell.write_text(f"#!{sys.executable}\nimport json, os, sys\n"
                    "print(json.dumps([os.getcwd(), sys.argv[1:], dict(os.environ)]))\n")
    tell.chmod(0o755)
    code = (f"import sys; sys.path[:0] = [{str(book)!r}]; sys.executable = {str(programs / 'python')!r}; "
            f"from course.__main__ import main; main(['server', '--folder', {str(tmp_path / 'mine')!r}, '--X.y=1'])")
    for page in (f"/lab/tree/work/{first.parent.name}/{first.name}", "/lab"):      # a second start finds what the first made
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        where, arguments, environment = json.loads(done.stdout.splitlines()[-1])
        assert f"--ServerApp.default_url={page}" in arguments
    assert where == str(tmp_path / "mine") and f"--ServerApp.root_dir={where}" in arguments and "--X.y=1" in arguments
    assert environment["JUPYTER_CONFIG_PATH"] == f"{book / 'course/lab/jupyter'}:{where}"
    assert (tmp_path / "mine/work" / first.parent.name / first.name).read_bytes() == first.read_bytes()
    assert (tmp_path / "mine/notebooks").is_symlink() and (tmp_path / "mine/.book/lab/config/custom/custom.css").exists()
