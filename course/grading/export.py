"""Marks out of the course: by exercise, and in the columns that Canvas and Moodle take.

A total is the points less what lateness costs, rounded to hundredths. A cell is empty where a student handed nothing
in, and where a total is not final: an import changes nothing there. `waiting` says how many were left so.
"""
from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook

from course.grading.results import Results
from course.grading.states import WAITS
from course.whole import whole

FORMATS = ("exercises", "canvas", "moodle")


@dataclass
class Person:
    """A student as the roster has them; "" for what it lacks."""
    id: str
    first: str = ""
    last: str = ""
    email: str = ""
    lms: str = ""           # the id in the learning platform

    @property
    def name(self) -> str:
        return ", ".join(filter(None, [self.last, self.first])) or self.id


def people(gradebook: Gradebook, names: Iterable[str]) -> list[Person]:
    """The students of the roster (`nbgrader db student add`, formgrader), and those who only handed in."""
    found = {student.id: Person(student.id, student.first_name or "", student.last_name or "", student.email or "",
                                student.lms_user_id or "") for student in gradebook.students}
    return [found.get(name) or Person(name) for name in sorted({*found, *names})]


def write(results: Results, persons: list[Person], to: Path, form: str) -> int:
    """Writes the CSV whole or not at all. Returns how many totals were left empty as they are not final."""
    make = {"exercises": _exercises, "canvas": _canvas, "moodle": _moodle}[form]
    with whole(to) as part, open(part, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([[_plain(value) for value in row] for row in make(results, persons)])
    return sum(waits(results, person.id, chapter) > 0 for person in persons for chapter in results.chapters)


def waits(results: Results, student: str, chapter: str) -> int:
    """How many answers of a student in a chapter wait for a person's mark."""
    return sum(result.state is WAITS and results.exercises[number].chapter == chapter
               for number, result in results.students.get(student, {}).items())


def _plain(value: object) -> str:
    """A value that no spreadsheet takes for a formula."""
    text = value if isinstance(value, str) else f"{round(value, 2):g}"
    return "'" + text if text[:1] in tuple("=+-@\t\r") and isinstance(value, str) else text


def _possible(results: Results, chapter: str) -> float:
    return sum(exercise.out_of for exercise in results.exercises.values() if exercise.chapter == chapter)


def _total(results: Results, student: str, chapter: str) -> float | str:
    there = any(results.exercises[number].chapter == chapter for number in results.students.get(student, {}))
    return results.points(student, chapter) if there and not waits(results, student, chapter) else ""


def _exercises(results: Results, persons: list[Person]):
    """A row for each student and exercise that they handed in, and one for each chapter: its total and its maximum."""
    yield ["student", "chapter", "exercise", "title", "points", "out_of", "state", "final"]
    for person in persons:
        for chapter in results.chapters:
            those = {n: r for n, r in results.students.get(person.id, {}).items() if results.exercises[n].chapter == chapter}
            for number in (n for n in results.numbers if n in those):
                result = those[number]
                yield [person.id, chapter, number, results.exercises[number].title, result.score, result.out_of,
                       result.state.words, "no" if result.state is WAITS else "yes"]
            if those:
                left = waits(results, person.id, chapter)
                late = results.penalties.get((person.id, chapter), 0.0)
                yield [person.id, chapter, "total", f"less {late:g} for lateness" if late else "",
                       results.points(person.id, chapter), _possible(results, chapter),
                       f"{left} wait for a person's mark" if left else "final", "no" if left else "yes"]


def _canvas(results: Results, persons: list[Person]):
    """Canvas's gradebook import: its five columns for the student, then one for each assignment; below the header the
    points possible. A student is found by ID, or by SIS Login ID."""
    yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *results.chapters]
    yield ["Points Possible", "", "", "", "", *(_possible(results, chapter) for chapter in results.chapters)]
    for person in persons:
        yield [person.name, person.lms, "", person.id, "", *(_total(results, person.id, c) for c in results.chapters)]


def _moodle(results: Results, persons: list[Person]):
    """Moodle's grade import (CSV): columns to map the student by, and one for each assignment."""
    yield ["Username", "ID number", "Email address", *results.chapters]
    for person in persons:
        yield [person.id, person.lms, person.email, *(_total(results, person.id, c) for c in results.chapters)]
