"""Which system calls the student processes make while the book's references are graded: what `course.sandbox.calls` allows.

    python tests/sandbox/trace_calls.py [SECTION ...]       needs strace; all sections take about a quarter of an hour
"""
from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))


def grade(sections: list[str]) -> None:
    from course.book import gates
    from course.book.build import read_all
    from course.engine.notebook import Engine
    from course.engine.warm import warm_parent
    with warm_parent() as zygote:
        engine = Engine(zygote, last=True)
        for section in read_all(ROOT):
            if not sections or section.number in sections:
                found = engine.grade(gates.instructor_notebook(section))
                print(section.number, *(v.number for v in found.verdicts if v.state != "passed"), file=sys.stderr, flush=True)


def calls(trace: Path) -> Counter[str]:
    """The calls of the processes that were confined, and of their children."""
    students: set[int] = set()
    waiting: dict[int, str] = {}        # the first halves of lines that strace cut in two
    found: Counter[str] = Counter()
    for line in trace.read_text(errors="replace").splitlines():
        if not (parts := re.match(r"(\d+) +(.*)", line)):
            continue
        pid, text = int(parts[1]), parts[2]
        if resumed := re.match(r"<\.\.\. \w+ resumed>(.*)", text):
            text = waiting.pop(pid, "") + resumed[1]
        elif "<unfinished ...>" in text:
            waiting[pid] = text
            continue
        if not (name := re.match(r"(\w+)\(", text)):
            continue
        if "PR_SET_SECCOMP" in text:
            students.add(pid)
        elif pid in students:
            found[name[1]] += 1
            if name[1] in ("clone", "clone3", "fork", "vfork") and (child := re.search(r"= (\d+)$", text)):
                students.add(int(child[1]))
    return found


if __name__ == "__main__":
    if sys.argv[1:2] == ["--grade"]:
        grade(sys.argv[2:])
    elif not shutil.which("strace"):
        sys.exit("No strace here. Install it (Debian: apt-get install strace).")
    else:
        from course.sandbox import calls as filters
        with tempfile.TemporaryDirectory() as folder:
            trace = Path(folder) / "trace"
            subprocess.run(["strace", "-f", "-qq", "-s", "20", "-o", trace, sys.executable, __file__, "--grade", *sys.argv[1:]],
                           cwd=ROOT, check=True)
            seen = calls(trace)
        print(*(f"{count:8} {name}" for name, count in seen.most_common()), sep="\n")
        allowed = filters.names()
        print("not on the list:", *sorted(set(seen) - allowed) or ["none"])
