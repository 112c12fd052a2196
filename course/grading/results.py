"""The results of a class: each exercise of each student, from the records in autograded/ and the gradebook."""
from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import correlation, StatisticsError

from course.book.section import grade_id
from course.book.source import order
from course.book.use import chapters
from course.book.release import config
from course.grading.marks import Marks, opened, read
from course.grading.states import MARKED, NONE, RIGHT, UNREAD, WAITS, State, state

FEW = 10            # answers under which a figure on how an exercise parts students says nothing


@dataclass
class Exercise:
    """One exercise of the book, as handed in."""
    number: str
    title: str
    chapter: str
    notebook: str
    out_of: float = 0.0


@dataclass
class Result:
    """One exercise of one student."""
    state: State
    score: float
    out_of: float
    message: str = ""
    mistake: str = ""
    seconds: float = 0.0


@dataclass
class Results:
    """The class. `late` and `penalties` are of (student, chapter); `examples` holds one answer for each known mistake."""
    exercises: dict[str, Exercise] = field(default_factory=dict)
    students: dict[str, dict[str, Result]] = field(default_factory=dict)
    examples: dict[tuple[str, str], str] = field(default_factory=dict)
    late: set[tuple[str, str]] = field(default_factory=set)
    penalties: dict[tuple[str, str], float] = field(default_factory=dict)

    @property
    def numbers(self) -> list[str]:
        return sorted(self.exercises, key=number_order)

    @property
    def chapters(self) -> list[str]:
        return sorted({exercise.chapter for exercise in self.exercises.values()})

    def of(self, number: str) -> dict[str, Result]:
        """student -> result of one exercise, of those who handed it in."""
        return {student: those[number] for student, those in self.students.items() if number in those}

    def waiting(self) -> dict[str, list[str]]:
        """number -> the students whose answer waits for a person's mark."""
        found = {number: [student for student, result in self.of(number).items() if result.state is WAITS]
                 for number in self.numbers}
        return {number: those for number, those in found.items() if those}

    def points(self, student: str, chapter: str | None = None) -> float:
        """A student's points of a chapter, or of all; less what lateness costs."""
        cost = sum(penalty for (name, where), penalty in self.penalties.items()
                   if name == student and chapter in (None, where))
        return sum(result.score for number, result in self.students[student].items()
                   if chapter in (None, self.exercises[number].chapter)) - cost


def number_order(number: str) -> list:
    """Exercise numbers in the book's order: 2.1.9 before 2.1.10."""
    last = number.rstrip("abcdefghijklmnop")
    return [order(last.replace(".", "_")), number[len(last):]]


def collect(root: Path, progress: Callable[[int, int], None] = lambda done, total: None) -> Results:
    """Reads the whole class, in the chapters of the course: a partial view is never taken for it."""
    from course.grading.late import Lateness
    found = Results()
    with opened(root) as gradebook:
        Lateness(config(root)).renew_all(gradebook)
        marks = read(gradebook)
        for assignment in gradebook.assignments:
            for submission in assignment.submissions:
                if submission.total_seconds_late > 0:
                    found.late.add((submission.student_id, assignment.name))
                    found.penalties[submission.student_id, assignment.name] = submission.late_submission_penalty or 0.0
    there = chapters(root)
    paths = [path for path in sorted((root / "autograded").glob("*/*/*.ipynb")) if path.parts[-2] in there]
    for done, path in enumerate(paths, 1):
        try:
            _add(found, path, marks.get((path.parts[-3], path.parts[-2], path.stem), Marks()))
        except (OSError, ValueError, KeyError, TypeError):
            continue            # left unfinished by a killed run, which the next one does again
        progress(done, len(paths))
    return found


def _add(found: Results, path: Path, marks: Marks) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    record = notebook["metadata"]["course"]["graded"]
    student, chapter = path.parts[-3], path.parts[-2]
    verdicts = {verdict["number"]: verdict for verdict in record["verdicts"]}
    tasks, sources = {}, {}
    for cell in notebook["cells"]:
        kind, _, number = cell.get("id", "").partition("-")
        if kind == "task":
            tasks[number.replace("-", ".")] = "".join(cell["source"]).split("\n", 1)[0]
        elif kind == "answer":
            sources[number.replace("-", ".")] = "".join(cell["source"])
    results = found.students.setdefault(student, {})
    for name in marks.cells:
        kind, _, number = name.partition("-")
        number = number.replace("-", ".")
        if kind not in ("check", "written") or number in results:
            continue
        check, written = marks.cells.get(grade_id("check", number)), marks.cells.get(grade_id("written", number))
        verdict = verdicts.get(number)
        those = [mark for mark in (check, written) if mark]
        result = Result(state(verdict, check, written, bool(record.get("unreadable"))), sum(mark.score for mark in those),
                        sum(mark.out_of for mark in those))
        if verdict:
            result.message, result.mistake, result.seconds = verdict["message"], verdict["mistake"], verdict["seconds"]
            if result.mistake and number in sources:
                found.examples.setdefault((number, result.mistake), sources[number])
        results[number] = result
        if number not in found.exercises:
            title = tasks.get(number, number).lstrip("# ").removeprefix("Exercise ").partition("·")[2].strip()
            found.exercises[number] = Exercise(number, title, chapter, path.stem, result.out_of)


@dataclass
class Summary:
    """One exercise over the class."""
    exercise: Exercise
    handed_in: int
    right: int
    nothing: int            # not answered
    waiting: int
    mean: float             # points of those who handed it in
    seconds: float          # of the check, the mean
    parts: float | None     # correlation with the points of the student's other exercises; None where that says nothing
    mistakes: list[tuple[str, int]]         # the most frequent known ones


def summaries(results: Results) -> list[Summary]:
    """Each exercise, in the book's order."""
    totals = {student: sum(result.score for result in those.values()) for student, those in results.students.items()}
    rows = []
    for number in results.numbers:
        those = results.of(number)
        states = Counter(result.state for result in those.values())
        right = sum(result.score >= result.out_of and result.state in (RIGHT, MARKED) for result in those.values())
        mistakes = Counter(result.mistake for result in those.values() if result.mistake)
        count = len(those)
        rows.append(Summary(results.exercises[number], count, right, states[NONE], states[WAITS],
                            sum(result.score for result in those.values()) / count,
                            sum(result.seconds for result in those.values()) / count,
                            _parts(those, totals), mistakes.most_common(5)))
    return rows


def _parts(those: dict[str, Result], totals: dict[str, float]) -> float | None:
    """How well an exercise parts strong from weak students: its points against those of all others (point-biserial, as
    in item analysis). Who left it out, or could not be read, does not count."""
    pairs = [(result.score, totals[student] - result.score) for student, result in those.items()
             if result.state not in (NONE, UNREAD, WAITS)]
    if len(pairs) < FEW:
        return None
    try:
        return correlation(*map(list, zip(*pairs)))
    except StatisticsError:         # all the same
        return None
