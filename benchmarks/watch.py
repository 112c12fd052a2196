"""From a save to the verdict in `course watch`, beside `course check`, which starts anew each time. Section 2.1 with
the book's answers, median of five saves.

    .venv/bin/python benchmarks/watch.py
"""
from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from course.book.instructor import instructor_notebook  # noqa: E402
from course.engine.notebook import role  # noqa: E402
from course.book.source import read  # noqa: E402
from course.learner.watch import watch  # noqa: E402
from course.learner.work import sync  # noqa: E402

CHAPTER, NAME = "ch02_preliminaries", "2_1_data_manipulation"
SAVES = 5


def main() -> None:
    reference = instructor_notebook(read(ROOT / f"solutions/{CHAPTER}/{NAME}.py"))
    answers = {cell.id: cell.source for cell in reference.cells if role(cell) in ("answer", "written")}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for part in ("solutions", "notebooks"):
            shutil.copytree(ROOT / part / CHAPTER, root / part / CHAPTER)
        sync(root)
        path = root / "work" / CHAPTER / f"{NAME}.ipynb"
        notebook = json.loads(path.read_text())
        changed = [cell for cell in notebook["cells"] if cell["id"] in answers]
        for cell in changed:
            cell["source"] = answers[cell["id"]]
        path.write_text(json.dumps(notebook))
        shown, ready, on = threading.Event(), threading.Event(), True
        reports = []

        def show(report, news):
            reports.append(report)
            shown.set()

        thread = threading.Thread(target=watch, args=(root, "2.1", show, lambda line: ready.set(), lambda: on))
        thread.start()
        shown.wait()            # the first, before any save
        last, first = [], []
        for cells, times in ((changed[-1:], last), (changed[:1], first)):
            for k in range(SAVES):
                for cell in cells:
                    cell["source"] = f"{answers[cell['id']]}\n# save {k}"
                shown.clear()
                started = time.perf_counter()
                path.write_text(json.dumps(notebook))
                shown.wait()
                times.append(time.perf_counter() - started)
        on = False
        thread.join()
        assert all(row.state == "right" for row in reports[-1].rows), reports[-1].summary()
        started = time.perf_counter()
        subprocess.run([sys.executable, "-m", "course.cli", "check", "2.1", "--work"], cwd=ROOT, check=True, capture_output=True,
                       env=os.environ | {"COURSE_ROOT": str(root)})
        anew = time.perf_counter() - started
    print(f"section 2.1, {len(reports[-1].rows)} exercises, all answered; seconds from the save to the verdict")
    print(f"  course watch, the last answer changed   {statistics.median(last):6.2f}")
    print(f"  course watch, the first answer changed  {statistics.median(first):6.2f}")
    print(f"  course check, started anew              {anew:6.2f}")


if __name__ == "__main__":
    main()
