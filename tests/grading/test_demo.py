"""The class that `make grade` shows: handed in before its due date, but for one."""
import os
from pathlib import Path

import commands
import pytest

from course.grading import demo

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_one_of_the_class_is_late(tmp_path):
    root = demo.make_root(ROOT, tmp_path / "demo")

    def course(*words):
        done = commands.run("course.cli", *words, cwd=root, env=os.environ | {"COURSE_ROOT": str(root), "PYTHONPATH": str(ROOT)})
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout + done.stderr

    course("use", "0")
    course("build")
    demo.hand_in(root)
    demo.collect(root)
    course("autograde", "--workers", "1")
    from course.grading.marks import opened
    with opened(root) as gradebook:
        found = {one.student.id: one for one in gradebook.assignment_submissions("ch00_start")}
        late = {student for student, one in found.items() if one.total_seconds_late > 0}
        assert late == {student for student, (days, _) in demo.CLASS.items() if days > 0} == {"grace"}
        assert found["ada"].score - found["ada"].late_submission_penalty == found["grace"].score > 0
