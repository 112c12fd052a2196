"""nbgrader's own commands on the book as it is built, and stock grading without our engine."""
from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import time
import urllib.request

import pytest
from small_course import CHAPTER, NAME, environment

STOCK = """c = get_config()
c.CourseDirectory.course_id = "deep-learning"
c.CourseDirectory.source_directory = ".book/source"
c.CourseDirectory.release_directory = "notebooks"
"""


def test_generate_gives_the_same_bytes_as_our_build(course):
    path = course.root / "notebooks" / CHAPTER / f"{NAME}.ipynb"
    before = path.read_bytes()
    result = course.run("nbgrader", "generate_assignment", CHAPTER, "--force")
    assert result.returncode == 0, result.stderr[-2000:]
    assert path.read_bytes() == before


def test_validate_tells_a_wrong_answer_from_a_right_one(course):
    right = course.hand_in("right", course.notebook())
    wrong = course.hand_in("wrong", course.notebook(a_9_9_1="def twice(x): return x + 2"))
    assert "Success" in course.run("nbgrader", "validate", str(right)).stdout
    told = course.run("nbgrader", "validate", str(wrong)).stdout
    assert "twice 3: values differ" in told and "Traceback" not in told


@pytest.mark.slow
def test_stock_nbgrader_grades_the_book_without_our_engine(fresh):
    settings = fresh.root / "nbgrader_config.py"
    settings.unlink()
    settings.write_text(STOCK)
    fresh.hand_in("right", fresh.notebook())
    fresh.hand_in("partly", fresh.notebook(a_9_9_1="def twice(x): return 6", a_9_9_2="def row_sums(X): return X.mean(dim=1)"))
    fresh.hand_in("blank", fresh.blank())
    for words in (["autograde", CHAPTER], ["generate_feedback", CHAPTER], ["export"]):
        result = fresh.run("nbgrader", *words)
        assert result.returncode == 0, result.stderr[-2000:]
    scores = {student: (s["check-9-9-1"], s["check-9-9-2"]) for student, s in fresh.scores().items()}
    assert scores == {"right": (2.0, 3.0), "partly": (0.0, 1.0), "blank": (0.0, 0.0)}


def test_formgrader_lists_the_chapter_and_its_button_grades_with_our_engine(fresh):
    fresh.hand_in("right", fresh.notebook())
    fresh.hand_in("cheat", fresh.notebook(a_9_9_1="class Yes:\n    def __eq__(self, other): return True\n"
                                                  "def twice(x): return Yes()"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = "test"
    command = [sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root", f"--port={port}",
               f"--IdentityProvider.token={token}", "--ServerApp.ip=127.0.0.1", "--ServerApp.disable_check_xsrf=True"]
    server = subprocess.Popen(command, cwd=fresh.root, env=environment(fresh.root) | {"JUPYTER_CONFIG_PATH": str(fresh.root)},
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ask(path: str, data: bytes | None = None) -> str:
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data=data,
                                         headers={"Authorization": f"token {token}"})
        with urllib.request.urlopen(request, timeout=90) as reply:
            return reply.read().decode()
    try:
        end = time.monotonic() + 90
        while True:
            try:
                listed = json.loads(ask("/formgrader/api/assignments"))
                break
            except OSError:
                assert server.poll() is None and time.monotonic() < end, "the server did not start"
                time.sleep(0.3)
        assert [a["name"] for a in listed] == [CHAPTER]
        for student in ("right", "cheat"):
            result = json.loads(ask(f"/formgrader/api/submission/{CHAPTER}/{student}/autograde", b""))
            assert result["success"], result.get("log")
        page = ask(f"/formgrader/gradebook/{CHAPTER}/{NAME}")
        assert re.search(r"formgrader", page)
    finally:
        server.terminate()
        server.wait(30)
    scores = fresh.scores()
    assert scores["right"]["check-9-9-1"] == 2.0 and scores["cheat"]["check-9-9-1"] == 0.0
