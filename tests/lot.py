"""What `make test` draws: part of what is dear, another part with each commit. `.ci/run` sets COURSE_TEST_ALL and has all."""
import os
import random
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LONG = ("browser", "grading", "lab", "learner")     # folders whose modules take from half a minute to minutes


def this_commit(purpose: str = "") -> random.Random:
    """The same draw for a commit, another for the next, and for each purpose."""
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return random.Random(head.stdout.strip() + purpose)


def left_out() -> list[Path]:
    """A third of the long modules; none where everything is asked for."""
    if os.environ.get("COURSE_TEST_ALL"):
        return []
    modules = [path for folder in LONG for path in sorted((ROOT / "tests" / folder).glob("test_*.py"))]
    return sorted(this_commit("modules").sample(modules, len(modules) // 3))
