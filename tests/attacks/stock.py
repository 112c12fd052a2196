"""Runs stock nbgrader on the attacks where that is safe, and writes what it gives into the attack files.

    python tests/attacks/stock.py [NAME ...]        one course folder of its own for each attack; about 10 s each
"""
from __future__ import annotations

import datetime
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

import breaking  # noqa: E402
import psutil  # noqa: E402
import forging  # noqa: E402
import spying  # noqa: E402
from klass import course_module, hand_in, points  # noqa: E402

import notebooks  # noqa: E402

CONFIG = '''import course
c = get_config()
c.CourseDirectory.course_id = "deep-learning"
c.CourseDirectory.root = "{root}"
'''
OURS = "nothing to attack: aims at our protocol"
UNSAFE = {"kills-all-in-a-check", "signals-everyone", "leaves-files", "leaves-processes", "changes-the-machine",
          "reads-other-processes", "opens-connections", "kills-its-parent", "closes-everything", "fork-bomb", "thread-bomb",
          "100-gigabytes", "100-gigabytes-of-bytes", "growing", "full-disk", "full-of-folders", "floods-print",
          "floods-write", "floods-display", "removes-its-folders", "check-grows", "check-forks", "check-floods",
          "many-entries", "huge-reply", "endless-and-deaf", "stops-itself", "check-sleeps", "breaks-the-interpreter",
          "endless-range", "endless-items", "huge-int", "link-to-zeros", "is-a-pipe", "endless-time", "time-from-a-pipe",
          "pickling-runs-code", "thread-that-goes-on", "fork-returns-0", "fork-returns-nonsense",
          "slow-when-it-is-run-again", "shell-escapes", "descriptors-in-flight", "ends-its-other-children",
          "huge-tensor-for-a-number", "carries-inputs-to-a-later-cell", "sixty-thousand-outputs",
          "answers-from-memory", "keeps-the-test"}


def measure(base: Path, attack) -> str:
    """What stock nbgrader's autograde gives, in words."""
    source = "".join((attack.answers or {}).values())
    if "course.engine.plain" in source or "os.write(3" in source:
        return OURS
    if attack.name in UNSAFE:
        return "not run: unsafe"
    module = course_module()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "course"
        shutil.copytree(base, root, symlinks=True)
        (root / "nbgrader_config.py").unlink()
        (root / "nbgrader_config.py").write_text(CONFIG.format(root=root))
        course = module.Course.__new__(module.Course)
        course.root, course.section, course.full = root, base_course.section, base_course.full
        hand_in(course, "student", attack, PORT="9", ABSTRACT="none")
        run = subprocess.Popen([sys.executable, "-m", "nbgrader", "autograde", module.CHAPTER], cwd=root,
                               env=os.environ | {"PYTHONPATH": str(HERE.parents[1])}, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            run.wait(180)
        except subprocess.TimeoutExpired:
            end(run)
            return "does not end within 180 s"
        end(run)
        try:
            scores = points(course.scores().get("student", {}))
        except Exception as error:      # the submission wrote into the gradebook
            return f"gradebook unreadable ({type(error).__name__})"
        given = ", ".join("none" if p is None else f"{p:g}" for p in scores)
        return f"{given}" + (f"; exit status {run.returncode}" if run.returncode else "")


def end(run: subprocess.Popen) -> None:
    """Ends what the run left: the kernel of a notebook that hangs has a session of its own."""
    for process in psutil.process_iter(["cmdline"]):
        try:
            if "ipykernel_launcher" in (process.info["cmdline"] or []) and \
                    process.environ().get("JPY_PARENT_PID") == str(run.pid):
                process.kill()
        except psutil.Error:
            continue
    run.kill()
    run.wait()


def write(module, found: dict[str, str]) -> None:
    """Puts the results at the end of the file of these attacks, and keeps those that were not measured anew."""
    path = Path(module.__file__)
    known = getattr(module, "STOCK", {}) | found
    names = [attack.name for attack in module.ATTACKS]
    text = re.sub(r"\n# What stock nbgrader.*", "", path.read_text(), flags=re.DOTALL).rstrip()
    rows = "".join(f"    {name!r}: {known[name]!r},\n".replace("'", '"') for name in names if name in known)
    path.write_text(f"{text}\n\n# What stock nbgrader 0.9.6 gives for 9.9.1, 9.9.2 and 9.9.3 (full marks: 2, 3, 2), measured "
                    f"{datetime.date.today()} by stock.py\nSTOCK = {{\n{rows}}}\n")


if __name__ == "__main__":
    base_course = course_module().Course(Path(tempfile.mkdtemp()))
    try:
        for module in (forging, spying, breaking, notebooks):
            found = {}
            for attack in module.ATTACKS:
                if not sys.argv[1:] or attack.name in sys.argv[1:]:
                    found[attack.name] = measure(base_course.root, attack)
                    print(f"{attack.name:32} {found[attack.name]}", flush=True)
            write(module, found)
    finally:
        shutil.rmtree(base_course.root)
