"""What `make` says where it cannot make the environment."""
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def clone(tmp_path) -> Path:
    for name in ("Makefile", "requirements.txt", "requirements-no-deps.txt", "requirements-benchmarks.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def make(clone: Path, *python: str) -> subprocess.CompletedProcess:
    """`make env` on a machine whose only Pythons are these scripts."""
    tools = clone / "tools"
    tools.mkdir()
    for name in ("make", "sh", "rm", "cat", "echo"):
        (tools / name).symlink_to(shutil.which(name))
    for script in python:
        (tools / "python3.11").write_text(f"#!/bin/sh\n{script}\n")
        (tools / "python3.11").chmod(0o755)
    return subprocess.run(["make", "env"], cwd=clone, env={"PATH": str(tools)}, capture_output=True, text=True, check=False)


def test_without_python_3_11(clone):
    done = make(clone)
    assert done.returncode != 0
    assert "Python 3.11 (or 3.12, 3.13) was not found" in done.stdout and "make env PYTHON=" in done.stdout
    assert not (clone / ".venv").exists()


def test_without_the_venv_module(clone):
    done = make(clone, 'test "$1" = -c')
    assert done.returncode != 0
    assert "install its venv module" in done.stdout
    assert not (clone / ".venv").exists()


def test_nothing_to_do_where_the_stamp_is_newest(clone):
    (clone / ".venv").mkdir()
    (clone / ".venv/made-here").write_text(f"{clone}\n")
    newest = max(path.stat().st_mtime for path in clone.iterdir()) + 1
    os.utime(clone / ".venv/made-here", (newest, newest))
    done = make(clone)
    assert done.returncode == 0 and "Nothing to be done" in done.stdout


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-no-deps.txt", "pyproject.toml"])
def test_a_changed_pin_makes_it_again(clone, name):
    (clone / ".venv").mkdir()
    (clone / ".venv/made-here").write_text(f"{clone}\n")
    later = (clone / ".venv/made-here").stat().st_mtime + 10
    os.utime(clone / name, (later, later))
    assert "Python 3.11 (or 3.12, 3.13) was not found" in make(clone).stdout


def test_a_moved_folder_makes_it_again(clone):
    (clone / ".venv").mkdir()
    (clone / ".venv/made-here").write_text("/elsewhere\n")
    assert "This folder was moved from /elsewhere" in make(clone).stdout


def test_pip_says_what_it_is_at_on_a_terminal(tmp_path):
    shutil.copy(ROOT / "start.py", tmp_path)
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\necho 'Collecting six==1.16.0 (from -r requirements.txt (line 1))'\nsleep 1\n"
                      "echo 'Installing collected packages: six, pip'\nsleep 1\necho 'ERROR: no room' >&2\nexit 3\n")
    python.chmod(0o755)
    command = [sys.executable, tmp_path / "start.py", "--pip", "six"]
    silent = subprocess.run(command, capture_output=True, text=True, check=False)
    assert silent.returncode == 3 and "collecting" not in silent.stdout and silent.stderr == "ERROR: no room\n"
    ours, theirs = pty.openpty()
    shown = subprocess.run(command, stdout=theirs, stderr=theirs, check=False)
    os.close(theirs)
    text = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert shown.returncode == 3
    assert "collecting six==1.16.0  " in text and "installing 2 packages" in text and "(from" not in text
    assert "\rERROR: no room" in text and text.endswith("\r")        # the line has gone
