"""What a graded class looks like: by exercise and by student in the terminal, and the teacher's page as one HTML file."""
from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path

from rich.box import SIMPLE
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from course import whole
from course.grading.autograde import Unread
from course.grading.page import template
from course.grading.results import Results, summaries
from course.grading.states import SIGNS, UNREAD, WAITS

LONG = 600          # characters of an example answer that the page shows


def print_exercises(console: Console, results: Results) -> None:
    table = Table(title="By exercise")
    for name, justify in (("exercise", "left"), ("answers", "right"), ("right", "right"), ("points", "right"),
                          ("waiting", "right"), ("most frequent known mistake", "left")):
        table.add_column(name, justify=justify)
    for row in summaries(results):
        common = "{} ({})".format(*row.mistakes[0]) if row.mistakes else ""
        table.add_row(row.exercise.number, str(row.handed_in), f"{row.right / row.handed_in:.0%}",
                      f"{row.mean:.1f} of {row.exercise.out_of:g}", str(row.waiting or ""), escape(common))
    console.print(table)


def waiting(results: Results) -> str:
    """What waits for a person's mark, in a line; "" where nothing does."""
    those = results.waiting()
    count = sum(map(len, those.values()))
    if not count:
        return ""
    students = {student for names in those.values() for student in names}
    some = ", ".join(list(those)[:6]) + (" ..." if len(those) > 6 else "")
    return (f"{count} written answers of {len(students)} students wait for a person's mark (exercises {some}): no total "
            "is final before. Mark them with `course mark`, or in formgrader.")


def unread(those: list[Unread]) -> list[str]:
    """A line for each student and reason: what could not be read, and why."""
    notebooks = defaultdict(list)
    for student, notebook, reason in those:
        notebooks[student, reason].append(notebook)
    return [f"{student}, {', '.join(names) if len(names) < 3 else f'{len(names)} notebooks, {names[0]} the first'}: {reason}"
            for (student, reason), names in sorted(notebooks.items())]


def notes(results: Results, student: str) -> list[str]:
    """What to know of a student's total: late, unread, how many answers wait."""
    states = [result.state for result in results.students[student].values()]
    waits = states.count(WAITS)
    return (["late"] * any(name == student for name, _ in results.late) + ["unread"] * (UNREAD in states)
            + [f"not final, {waits} wait"] * bool(waits))


def print_class(console: Console, results: Results) -> None:
    """Students by chapters: points less penalties, and what the total is."""
    chapters = results.chapters
    possible = {chapter: sum(e.out_of for e in results.exercises.values() if e.chapter == chapter) for chapter in chapters}
    table = Table(title="The class", box=SIMPLE, collapse_padding=True, pad_edge=False)
    for name in ["student", *(chapter.split("_")[0].removeprefix("ch") for chapter in chapters), "total", ""]:
        table.add_column(name, justify="left" if name in ("student", "") else "right", no_wrap=True)
    table.add_row("possible", *(f"{possible[c]:g}" for c in chapters), f"{sum(possible.values()):g}", "", style="dim",
                  end_section=True)
    for student in sorted(results.students):
        there = {results.exercises[number].chapter for number in results.students[student]}
        table.add_row(student, *(f"{results.points(student, c):g}" if c in there else "" for c in chapters),
                      f"{results.points(student):g}", ", ".join(notes(results, student)))
    console.print(table)


def write_page(results: Results, to: Path, root: Path) -> None:
    """The class as one HTML file that needs nothing else; its cells lead to the students' feedback, where it is."""
    rows = summaries(results)
    chapters = results.chapters
    possible = {chapter: sum(e.out_of for e in results.exercises.values() if e.chapter == chapter) for chapter in chapters}

    def feedback(student: str, number: str) -> str:
        exercise = results.exercises[number]
        page = root / "feedback" / student / exercise.chapter / f"{exercise.notebook}.html"
        return f"{os.path.relpath(page, to.parent)}#exercise-{number}" if page.exists() else ""
    examples = {key: text[:LONG] + ("\n..." if len(text) > LONG else "") for key, text in results.examples.items()}
    text = template("report.html").render(
        results=results, rows=rows, chapters=chapters, possible=possible, feedback=feedback, examples=examples,
        waits=sum(map(len, results.waiting().values())), signs=SIGNS, notes=notes,
        shorter=lambda chapter: chapter.split("_")[0].removeprefix("ch"),
        there=lambda student, chapter: any(results.exercises[n].chapter == chapter for n in results.students[student]))
    whole.write(to, text)
