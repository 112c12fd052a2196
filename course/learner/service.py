"""What the notebook's window asks of the learner's grader: a process of its own, `python -m course.learner.service ROOT`."""
from __future__ import annotations

import json
import select
import sys
from dataclasses import asdict
from pathlib import Path

from course.learner.grader import RIGHT, WORDS, CannotGrade, Grader, Report
from course.learner.progress import pages
from course.learner.solution import solution

IDLE = 1200             # seconds without a question after which `serve` ends, and gives its memory back


def serve(root: Path) -> None:
    """Answers questions of the notebook's window, one a line, until there are no more or none came for a while:
    {"path": notebook below work/} for a report, with "solution": number for the book's answers to what is right."""
    with Grader(root) as grader:
        while select.select([sys.stdin], [], [], IDLE)[0] and (line := sys.stdin.readline()):
            question = json.loads(line)
            try:
                page = next((page for page in pages(root) if page.path == question["path"]), None)
                if page is None:
                    raise CannotGrade(f"work/{question['path']} holds no exercise.")
                report = grader.grade(page)
                answer = _solution(root, report, question["solution"]) if "solution" in question else {
                    "path": f"work/{page.path}", "title": page.title, "rows": [asdict(row) for row in report.rows],
                    "summary": report.summary(), "warnings": report.warnings}
            except CannotGrade as error:
                answer = {"error": str(error)}
            print(json.dumps(answer), flush=True)


def _solution(root: Path, report: Report, number: str) -> dict:
    if not any(row.number == number and row.state in (RIGHT, WORDS) for row in report.rows):
        raise CannotGrade(f"{number} is not right yet. To see its answer all the same: `course solution {number}`, twice.")
    return asdict(solution(root, report.page, number))


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
