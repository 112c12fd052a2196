"""What `make test` draws: part of what is dear, another part with each commit. `.ci/run` sets COURSE_TEST_ALL and has all."""
import random
import subprocess
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LONG = ("browser", "grading", "lab", "learner", "setup")     # folders whose modules take from half a minute to minutes
drawing = False         # whether the whole suite is run, and not everything asked for: conftest says it


def this_commit(purpose: str = "") -> random.Random:
    """The same draw for a commit, another for the next, and for each purpose."""
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return random.Random(head.stdout.strip() + purpose)


def some(items: Iterable, purpose: str, one_of: int) -> list:
    """One of so many of the items, in their order; all of them where nothing is drawn."""
    items = list(items)
    if not drawing:
        return items
    chosen = set(this_commit(purpose).sample(range(len(items)), -(-len(items) // one_of)))
    return [item for i, item in enumerate(items) if i in chosen]


def left_out() -> list[Path]:
    """Two thirds of the long modules; none where nothing is drawn."""
    modules = [path for folder in LONG for path in sorted((ROOT / "tests" / folder).glob("test_*.py"))]
    chosen = set(some(modules, "modules", 3))
    return [path for path in modules if path not in chosen]
