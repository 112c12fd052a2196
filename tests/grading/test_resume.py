"""Killed in the middle, run on a cluster, run without a sandbox: the grades are the same, or a clear word."""
from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time

import pytest
from small_course import CHAPTER, NAME, Course, command_line, environment

SLOW = "import time; time.sleep(0.8)\ndef twice(x): return x + x"


def a_class(course: Course, count: int = 10) -> None:
    for i in range(count):
        course.hand_in(f"s{i:02}", course.notebook(a_9_9_1=SLOW if i % 3 else "def twice(x): return 6"))


def expected(count: int = 10) -> dict:
    return {f"s{i:02}": {"check-9-9-1": 2.0 if i % 3 else 0.0, "check-9-9-2": 3.0, "written-9-9-3": None}
            for i in range(count)}


def start(course: Course, *command: str) -> subprocess.Popen:
    return subprocess.Popen(command_line(*command), cwd=course.root, env=environment(course.root),
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)


def wait_for(condition, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing happened in time"
        time.sleep(0.05)


def graded(course: Course) -> int:
    return len(list((course.root / "autograded").glob(f"*/{CHAPTER}/{NAME}.ipynb")))


def test_a_run_killed_in_the_middle_is_finished_by_the_next(fresh):
    a_class(fresh)
    run = start(fresh, "course", "autograde", "--workers", "2")
    wait_for(lambda: graded(fresh) >= 3)
    os.kill(run.pid, signal.SIGKILL)
    run.wait()
    before = graded(fresh)
    assert 3 <= before < 10
    wait_for(lambda: not _others(fresh))       # its workers and sandboxes end by themselves
    result = fresh.run("course", "autograde", "--workers", "2")
    assert result.returncode == 0, result.stderr
    done, unchanged = map(int, re.search(r"(\d+) notebooks graded, (\d+) unchanged", result.stdout).groups())
    assert done + unchanged == 10 and unchanged in (before, before - 1)
    assert fresh.scores() == expected()
    assert graded(fresh) == 10 and not list((fresh.root / "autograded").rglob("*.part"))


def _others(course: Course) -> list[str]:
    """Processes whose environment names this course folder, or that a killed run left."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if f"COURSE_ROOT={course.root}".encode() in open(f"/proc/{pid}/environ", "rb").read():
                found.append(pid)
        except OSError:
            continue
    return found


def test_nbgraders_own_run_killed_between_its_passes_is_finished_by_the_next(fresh):
    a_class(fresh, 4)
    run = start(fresh, "nbgrader", "autograde", CHAPTER)
    # the first pass has written the notebook with its hidden tests; the second runs its cells
    wait_for(lambda: any("BEGIN HIDDEN" in p.read_text() for p in (fresh.root / "autograded").rglob("*.ipynb")))
    os.kill(run.pid, signal.SIGKILL)
    run.wait()
    result = fresh.run("nbgrader", "autograde", CHAPTER)
    assert result.returncode == 0, result.stderr[-2000:]
    assert fresh.scores() == expected(4)


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same_grades_though_a_worker_is_killed(fresh):
    a_class(fresh)
    dask = [sys.executable, "-m", "dask"]
    env = environment(fresh.root)
    scheduler = subprocess.Popen([*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
                                  "--scheduler-file", str(fresh.root / "scheduler.json")], env=env, cwd=fresh.root,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    workers = []
    try:
        wait_for((fresh.root / "scheduler.json").exists)
        workers = [subprocess.Popen([*dask, "worker", "--scheduler-file", str(fresh.root / "scheduler.json"),
                                     "--nthreads", "1", "--no-nanny", "--no-dashboard"], env=env, cwd=fresh.root,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(2)]
        import json
        address = json.loads((fresh.root / "scheduler.json").read_text())["address"]
        run = start(fresh, "course", "autograde", "--scheduler", address)
        wait_for(lambda: graded(fresh) >= 3)
        workers[0].send_signal(signal.SIGKILL)
        assert run.wait(240) == 0
    finally:
        for process in [*workers, scheduler]:
            process.kill()
            process.wait()
    assert fresh.scores() == expected()


def test_without_namespaces_grading_refuses_until_told_otherwise(fresh):
    fresh.hand_in("s01", fresh.notebook())
    closed = ["unshare", "--user", "--map-root-user", "sh", "-c",
              'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"', "sh"]
    env = environment(fresh.root)
    refused = subprocess.run([*closed, *command_line("course", "autograde")], env=env, cwd=fresh.root,
                             capture_output=True, text=True, timeout=120)
    assert refused.returncode == 3 and "--without-sandbox" in refused.stderr and "Traceback" not in refused.stderr
    assert not (fresh.root / "autograded").exists()
    forced = subprocess.run([*closed, *command_line("course", "autograde", "--without-sandbox", "--workers", "1")], env=env,
                            cwd=fresh.root, capture_output=True, text=True, timeout=120)
    assert forced.returncode == 0, forced.stderr
    assert fresh.scores()["s01"]["check-9-9-1"] == 2.0
