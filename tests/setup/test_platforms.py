"""The book on other machines: the pins have wheels for them, and what learners run needs nothing that Windows lacks."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLATFORMS = {
    "Linux x86-64": ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"),
    "Linux arm64": ("manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64"),
    "macOS arm64": ("macosx_14_0_arm64", "macosx_12_0_arm64", "macosx_11_0_arm64"),
    "Windows x86-64": ("win_amd64",),
}
CASES = [(name, version) for version in ("3.11", "3.12", "3.13") for name in PLATFORMS]


def chosen() -> list[tuple[str, str]]:
    """All with COURSE_PLATFORMS=all; else one, another for each commit."""
    if os.environ.get("COURSE_PLATFORMS") == "all":
        return CASES
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    return [CASES[int(commit or "0", 16) % len(CASES)]]


@pytest.mark.parametrize("name, version", chosen())
def test_the_pins_have_wheels(name, version, tmp_path, lacking):
    tags = [word for tag in PLATFORMS[name] for word in ("--platform", tag)]
    done = subprocess.run([sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--disable-pip-version-check",
                           "--ignore-installed", "--no-deps", "--only-binary", ":all:", "--target", tmp_path, *tags,
                           "--python-version", version, "--implementation", "cp", "-r", ROOT / "requirements.txt"],
                          capture_output=True, text=True, timeout=570, check=False)
    if "Failed to establish a new connection" in done.stderr or "NewConnectionError" in done.stderr:
        lacking("pip reaches no package index from here: whether the pins have wheels was not asked.")
    assert done.returncode == 0, "\n".join(line for line in done.stderr.splitlines() if "WARNING" not in line)


def without_posix(folder: Path, *command: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, ROOT / "tests/setup/no_posix.py", *command], cwd=ROOT, capture_output=True, text=True,
                          timeout=300, check=False, env=os.environ | {
                              "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "COURSE_ROOT": str(folder), "MPLBACKEND": "agg"})


def test_notebooks_and_launcher_need_nothing_that_windows_lacks(tmp_path):
    (tmp_path / "as_a_learner.py").write_text("""
import torch
import d2l_utils as d2l
from d2l_utils.check import *
data, model = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2), d2l.LinearRegression(lr=0.03)
d2l.Trainer(max_epochs=1).fit(model, data)
from course.lab import kernels, server, start
from course.learner import progress, work
print("kernels forked:", kernels.possible())
""")
    done = without_posix(tmp_path, "as_a_learner")
    assert done.returncode == 0 and "kernels forked: False" in done.stdout, done.stderr[-3000:]


def test_what_windows_cannot_do_is_said(tmp_path):
    done = without_posix(tmp_path, "course", "autograde")
    assert done.returncode == 1 and "needs Linux: on Windows, use WSL" in done.stderr and "Traceback" not in done.stderr
    done = without_posix(tmp_path, "course", "progress")
    assert "Traceback" not in done.stderr and "holds no notebook" in done.stderr


def test_start_says_which_python_it_needs(tmp_path):
    (tmp_path / "start.py").write_text((ROOT / "start.py").read_text().replace("sys.version_info[:2]", "(3, 9)"))
    (tmp_path / "requirements.txt").write_text("")
    done = subprocess.run([sys.executable, tmp_path / "start.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "the book needs 3.11, 3.12 or 3.13" in done.stderr and not (tmp_path / ".venv").exists()


def test_start_says_what_to_do_where_pip_fails(tmp_path):
    (tmp_path / "start.py").write_text((ROOT / "start.py").read_text())
    (tmp_path / "requirements.txt").write_text("no-such-package-anywhere==1.0\n")
    done = subprocess.run([sys.executable, tmp_path / "start.py"], capture_output=True, text=True, check=False, timeout=300,
                          env=os.environ | {"PIP_NO_INDEX": "1"})
    assert done.returncode == 1 and "PIP_FIND_LINKS" in done.stderr
