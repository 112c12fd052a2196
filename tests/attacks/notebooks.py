"""Submissions whose file is not what it should be: cells, metadata, outputs, links, sizes."""
from __future__ import annotations

import json
import os
import shutil

from attack import FULL, HONEST, NOTHING, WRONG, Attack
from nbformat import from_dict
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

SCRIPT = "<script>pwned()</script><img src=x onerror=pwned()><svg onload=pwned()>"


def cell(made, name: str):
    return next(c for c in made.cells if c.metadata.get("nbgrader", {}).get("grade_id") == name)


def copy(source):
    return from_dict(json.loads(json.dumps(source)))


def raw(change):
    """A change on the notebook as JSON, for what nbformat would not write."""
    def make(made):
        data = json.loads(json.dumps(made))
        return json.dumps(change(data) or data)
    return make


def each(change):
    def make(made):
        for one in made.cells:
            change(one)
        return made
    return make


def duplicated(made):
    double = copy(cell(made, "answer-9-9-1"))
    double.source = WRONG
    made.cells.append(double)
    return made


def checks_first(made):
    """The check cells doubled, with outputs and sources of the student's making."""
    for one in [c for c in made.cells if c.metadata.get("nbgrader", {}).get("grade")]:
        double = copy(one)
        double.source, double.id = "2.0", f"x{len(made.cells)}"
        if double.cell_type == "code":
            double.outputs = [new_output("execute_result", data={"text/plain": "2.0"})]
            made.cells.insert(0, double)
    cell(made, "answer-9-9-1").source = WRONG
    return made


def edit(one):
    meta = one.metadata.get("nbgrader", {})
    if meta.get("grade") and one.cell_type == "code":
        meta["points"], meta["locked"], one.source = 100, False, "2.0"
    if meta.get("grade_id") == "answer-9-9-1":
        one.source = WRONG


def renamed(made):
    cell(made, "answer-9-9-1").metadata.nbgrader.grade_id = "answer-9-9-7"
    return made


def roles_changed(made):
    """The check becomes a solution, the answer a graded check."""
    cell(made, "check-9-9-1").metadata.nbgrader.update(solution=True, locked=False)
    cell(made, "check-9-9-1").source = "assert True"
    cell(made, "answer-9-9-1").metadata.nbgrader.update(grade=True, solution=False, points=50)
    cell(made, "answer-9-9-1").source = WRONG
    return made


def ids_that_collide(made):
    for name in ("check-9-9-1", "own-1", "setup-0", "check-9-9-2"):
        made.cells.insert(1, new_code_cell("def twice(x): return 0\nassert_equal = print", id=name))
    cell(made, "answer-9-9-1").source = WRONG
    return made


def forged_record(made):
    made.metadata.setdefault("course", {}).update(
        graded={"key": "x", "seconds": 0, "warnings": [], "verdicts": [
            {"number": "9.9.1", "state": "passed", "points": 2.0, "out_of": 2.0, "message": "", "mistake": "",
             "seconds": 0}]}, key="x", unreadable="", warnings=["pwned"], submitted="/etc/passwd")
    cell(made, "answer-9-9-1").source = WRONG
    return made


def scripts(made):
    made.cells.append(new_markdown_cell(SCRIPT))
    made.cells.append(new_code_cell("from IPython.display import HTML, Javascript, Markdown, SVG, display\n"
                                    f"display(HTML('''{SCRIPT}'''), Javascript('pwned()'), Markdown('''{SCRIPT}'''))\n"
                                    "display({'image/png': '\"><script>pwned()</script>', 'image/svg+xml': "
                                    f"'''{SCRIPT}''', 'text/html': '''{SCRIPT}''', 'text/plain': '''{SCRIPT}'''}}, raw=True)\n"
                                    f"print('''{SCRIPT}''')"))
    cell(made, "answer-9-9-1").source = f"def twice(x): raise RuntimeError('''{SCRIPT} [x](javascript:pwned())''')"
    cell(made, "written-9-9-4").source = f"{SCRIPT} [x](javascript:pwned()) ![x](attachment:lost.png)"
    return made


def many_cells(made):
    made.cells += [new_code_cell(f"x = {i}") for i in range(10_000)]
    return made


def many_slow_cells(made):
    source = "import random, time\ntime.sleep(0.5 if random.SystemRandom().random() < 0.5 else 0)"
    made.cells[1:1] = [new_code_cell(f"{source}\n{i}") for i in range(30)]
    return made


def surrogates(data):
    for one in data["cells"]:
        if one["metadata"].get("nbgrader", {}).get("grade_id") in ("answer-9-9-1", "written-9-9-4"):
            one["source"] = "def twice(x): return x + x  # \ud800"


def strange_types(data):
    data["metadata"]["language_info"] = 5
    for i, one in enumerate(data["cells"]):
        if one["metadata"].get("nbgrader", {}).get("grade_id") != "answer-9-9-1":
            one["id"] = [[i], {"a": 1}, i, None][i % 4]
    data["cells"] += [5, None, [], {"metadata": 5}, {"metadata": {"nbgrader": 5}}, {"cell_type": "code", "source": 5, "id": {}},
                      {"metadata": {"nbgrader": {"grade_id": []}}, "cell_type": [], "source": [1, "x = 1", None], "id": []}]


def section(value):
    def change(data):
        data["metadata"]["course"] = {"section": value}
    return raw(change)


def linked(target: str):
    """The notebook is a symbolic link."""
    def place(path, course):
        path.unlink()
        os.symlink(target.replace("ROOT", str(course.root)), path)
    return place


def folder_linked(path, course):
    shutil.rmtree(path.parent)
    os.symlink(course.root / ".book/source" / path.parent.name, path.parent)


def chapter_is_a_file(path, course):
    shutil.rmtree(path.parent)
    path.parent.write_text("x")


def is_a_pipe(path, course):
    path.unlink()
    os.mkfifo(path)


def further_files(path, course):
    """A notebook too many, links to what is the instructor's, and a time of submission that is none."""
    (path.parent / "other.ipynb").write_text("{}")
    os.symlink(course.root / "gradebook.db", path.parent / "copy.db")
    os.symlink("/etc/passwd", path.parent / "passwd.txt")
    (path.parent / "timestamp.txt").write_text("yesterday" * 1000)


def endless_time(path, course):
    os.symlink("/dev/zero", path.parent / "timestamp.txt")


def time_from_a_pipe(path, course):
    os.mkfifo(path.parent / "timestamp.txt")


LOST_ONE = (0, 3, 2)
ATTACKS = [
    Attack("duplicated", change=duplicated, earns=FULL),
    Attack("checks-of-its-own", change=checks_first, earns=LOST_ONE),
    Attack("tests-and-points-edited", change=each(edit), earns=LOST_ONE),
    Attack("renamed", change=renamed, earns=LOST_ONE, says=""),
    Attack("roles-changed", change=roles_changed, earns=LOST_ONE),
    Attack("stripped", change=each(lambda c: c.metadata.clear()), earns=FULL),
    Attack("checks-deleted", change=lambda m: m.update(cells=[c for c in m.cells if "check-" not in c.id]) or m, earns=FULL),
    Attack("ids-that-collide", change=ids_that_collide, earns=LOST_ONE),
    Attack("forged-record", change=forged_record, earns=LOST_ONE),
    Attack("scripts", change=scripts, earns=LOST_ONE),
    Attack("ten-thousand-cells", change=many_cells, earns=FULL),
    Attack("slow-when-it-is-run-again", {1: "import os\nos._exit(0)"}, change=many_slow_cells, earns=LOST_ONE),
    Attack("fifty-megabytes", change=lambda m: m.cells.append(new_markdown_cell("a" * (50 << 20))) or m, earns=NOTHING),
    Attack("nested-json", change=lambda m: '{"cells":' + "[" * 10**6, earns=NOTHING),
    Attack("no-unicode-in-it", change=raw(surrogates), earns=FULL),
    Attack("strange-types", change=raw(strange_types), earns=FULL),
    Attack("null-bytes", {1: HONEST[1] + "\n# \0"}, earns=LOST_ONE),
    Attack("section-is-a-list", change=section([[]]), earns=NOTHING),
    Attack("section-with-escapes", change=section("\x1b]0;pwned\x07[bold]\ud800"), earns=NOTHING),
    Attack("link-to-the-solutions", place=linked("ROOT/.book/source/ch09_small/9_9_small.ipynb"), earns=NOTHING),
    Attack("link-to-the-gradebook", place=linked("ROOT/gradebook.db"), earns=NOTHING),
    Attack("link-to-zeros", place=linked("/dev/zero"), earns=NOTHING),
    Attack("folder-is-a-link", place=folder_linked, earns=NOTHING),
    Attack("chapter-is-a-file", place=chapter_is_a_file, earns=NOTHING),
    Attack("is-a-pipe", place=is_a_pipe, earns=NOTHING),
    Attack("further-files", place=further_files, earns=FULL),
    Attack("endless-time", place=endless_time, earns=FULL),
    Attack("time-from-a-pipe", place=time_from_a_pipe, earns=FULL),
]

# What stock nbgrader 0.9.6 gives for 9.9.1, 9.9.2 and 9.9.3 (full marks: 2, 3, 2), measured 2026-11-22 by stock.py
STOCK = {
    "duplicated": "none, none, none; exit status 1",
    "checks-of-its-own": "none, none, none; exit status 1",
    "tests-and-points-edited": "0, 3, 2",
    "renamed": "none, none, none; exit status 1",
    "roles-changed": "none, none, none; exit status 1",
    "stripped": "none, none, none",
    "checks-deleted": "none, none, none",
    "ids-that-collide": "0, 3, 2",
    "forged-record": "0, 3, 2",
    "scripts": "0, 3, 2",
    "ten-thousand-cells": "2, 3, 2",
    "slow-when-it-is-run-again": "not run: unsafe",
    "fifty-megabytes": "2, 3, 2",
    "nested-json": "none, none, none; exit status 1",
    "no-unicode-in-it": "none, none, none; exit status 1",
    "strange-types": "none, none, none; exit status 1",
    "null-bytes": "0, 3, 2",
    "section-is-a-list": "2, 3, 2",
    "section-with-escapes": "none, none, none; exit status 1",
    "link-to-the-solutions": "2, 3, 2",
    "link-to-the-gradebook": "none, none, none; exit status 1",
    "link-to-zeros": "not run: unsafe",
    "folder-is-a-link": "2, 3, 2",
    "chapter-is-a-file": "none, none, none; exit status 1",
    "is-a-pipe": "not run: unsafe",
    "further-files": "none, none, none; exit status 1",
    "endless-time": "not run: unsafe",
    "time-from-a-pipe": "not run: unsafe",
}
