"""A section as a notebook with answers, hidden tests and nbgrader's metadata: what grading reads, and what the student
edition is made of."""
from __future__ import annotations

from dataclasses import asdict

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course.book import figures
from course.book.concepts import Link, Vocabulary
from course.book.outline import ideas
from course.book.section import Cell, Exercise, Section
from course.engine.notebook import role

ANSWER_MARK = "# Answer {n}: this cell is yours."
CHECK_MARK = "# Check {n} ({points:g} {unit}): run this cell. More tests, hidden ones, run at grading."
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def instructor_notebook(section: Section, words: Vocabulary | None = None) -> nbformat.NotebookNode:
    """The section as a notebook with answers, hidden tests and nbgrader's metadata (schema 3).

    With the book's vocabulary, tasks say what they build on, with links.
    """
    cells = []
    for cell, name in zip(section.cells, section.ids):
        exercise = section.exercises.get(cell.number)
        links = words.builds_on(section, cell.number) if words and cell.role == "task" else []
        make = new_markdown_cell if cell.is_markdown else new_code_cell
        text, pictures = figures.attached(section.path, _text(cell, exercise, links)) if cell.is_markdown else (
            _text(cell, exercise, links), {})
        node = make(text)
        if pictures:
            node.attachments = pictures
        node.id = name
        node.metadata = _metadata(cell, name) | _course(cell, links)
        cells.append(node)
    notebook = new_notebook(cells=cells, metadata={
        "kernelspec": KERNEL, "language_info": {"name": "python"},
        "course": {"section": section.number, "title": section.title}})
    nbformat.validate(notebook)
    return notebook


def _course(cell: Cell, links: list[Link]) -> dict:
    """What the check's card, feedback and the home page know of the ideas in this cell."""
    facts = {"teaches": ideas(cell.meta.get("teaches")), "needs": [asdict(link) for link in links]}
    facts = {name: value for name, value in facts.items() if value}
    return {"course": facts} if facts else {}


def _text(cell: Cell, exercise: Exercise | None, links: list[Link]) -> str:
    if cell.role == "task":
        heading, _, rest = cell.source.partition("\n")
        facts = [exercise.kind, _count(exercise.points, "point"), _count(exercise.minutes, "minute"),
                 f"difficulty {cell.meta['difficulty']} of 5"] + ["core path"] * bool(cell.meta.get("core"))
        builds_on = f"\n*Builds on: {', '.join(link.markdown for link in links)}*\n" if links else ""
        return f"### Exercise {cell.number} · {heading.lstrip('# ')}\n\n*{' · '.join(facts)}*\n{builds_on}{rest}"
    if cell.role == "hints":
        text = ""
        for i, hint in reversed(list(enumerate(exercise.hint_list, 1))):
            text = f"<details><summary>Hint {i}</summary>\n\n{hint}\n\n{text}</details>\n"
        return text.rstrip("\n")
    if cell.role == "exercise":
        return f"{ANSWER_MARK.format(n=cell.number)}\n{cell.source}"
    if cell.role == "check":
        points = cell.meta["points"]
        mark = CHECK_MARK.format(n=cell.number, points=points, unit="point" if points == 1 else "points")
        return f"{mark}\n{cell.source}"
    return cell.source


def _count(number: float, noun: str) -> str:
    return f"{number:g} {noun}" + ("" if number == 1 else "s")


def _metadata(cell: Cell, name: str) -> dict:
    base = {"grade_id": name, "schema_version": 3, "task": False}
    if cell.role == "exercise":
        return {"nbgrader": base | {"grade": False, "locked": False, "solution": True}, "tags": ["answer"]}
    if cell.role == "written":
        return {"nbgrader": base | {"grade": True, "locked": False, "solution": True, "points": cell.meta["points"]},
                "tags": ["answer"]}
    if cell.role == "check":
        # JupyterLab's Run All goes on past a failed check
        return {"nbgrader": base | {"grade": True, "locked": True, "solution": False, "points": cell.meta["points"]},
                "tags": ["raises-exception"]}
    if cell.role in ("setup", "task", "hints"):
        locked = {"nbgrader": base | {"grade": False, "locked": True, "solution": False}}
        return locked | ({"tags": ["setup"]} if cell.role == "setup" else {})
    if cell.role == "demo":
        return {"tags": ["demo"]}
    return {"editable": False, "deletable": False} if cell.role == "prose" else {}


def with_tests(edition: nbformat.NotebookNode, full: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The student edition, changed in place, with the hidden tests of the instructor's notebook put back.

    Raises LookupError where the two have other checks.
    """
    tests = {cell.id: cell.source for cell in full.cells if role(cell) == "check"}
    checks = [cell for cell in edition.cells if role(cell) == "check"]
    if {cell.id for cell in checks} != set(tests):
        raise LookupError("the two are not of the same edition")
    for cell in checks:
        cell.source = tests[cell.id]
    return edition
