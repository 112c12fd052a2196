"""Requirements in a source: what the bullets of **You are done when** are called, and that the tests use these names."""
from __future__ import annotations

import ast
from collections import Counter

from course.book.expected import borrowed
from course.book.section import Exercise, Problem, Section
from d2l_utils.check.reading import Reading
from d2l_utils.check.requirements import DONE, bullets


def lint_requirements(section: Section) -> list[Problem]:
    """Every mistake in the names of requirements and in their use, as a list of Problem. In a section of the new form
    also expected values that come from the answer."""
    problems: list[Problem] = []
    for exercise in section.exercises.values():
        if exercise.task:
            _bullets(section, exercise, problems)
        if exercise.task and exercise.check:
            _names_in_check(section, exercise, problems)
    if section.new_form:
        problems += [Problem(section.path, line, what, "Compare with a value that the test computes itself, from an oracle.")
                     for line, what in expected_from_answers(section)]
    return problems


def _bullets(section: Section, exercise: Exercise, problems: list[Problem]) -> None:
    found = bullets(exercise.task.source)
    first = exercise.task.line + 1
    named = [bullet for bullet in found if bullet.name]
    for name, count in Counter(bullet.name for bullet in named).items():
        if count > 1:
            line = [bullet.line for bullet in named if bullet.name == name][1]
            problems.append(Problem(section.path, first + line, f"exercise {exercise.number} has two requirements {name!r}.",
                                    "Give each a name of its own."))
    if named and not exercise.written:
        problems += [Problem(section.path, first + bullet.line, f"exercise {exercise.number} has a requirement without a name.",
                             "Write it as `- **name**: what holds`.") for bullet in found if not bullet.name]
    elif not named and any(bullet.text.startswith("**") for bullet in found):
        bullet = next(bullet for bullet in found if bullet.text.startswith("**"))
        problems.append(Problem(section.path, first + bullet.line, f"exercise {exercise.number}: a bullet after {DONE} whose "
                                "name has no colon behind it.", "Write it as `- **name**: what holds`."))


def _names_in_check(section: Section, exercise: Exercise, problems: list[Problem]) -> None:
    known = exercise.requirements
    try:
        reading = Reading(exercise.check.source, known)
    except SyntaxError:
        return      # course.book.lint says so
    used = [(site.call, site.of) for site in reading.sites()] + reading.parts()
    for call, of in used:
        if of and of not in known:
            problems.append(Problem(section.path, exercise.check.line + call.lineno,
                                    f"an assertion of check {exercise.number} reads {of!r}, which its task does not require.",
                                    f"Its requirements: {', '.join(known) or 'none has a name'}."))


def expected_from_answers(section: Section) -> list[tuple[int, str]]:
    """Assertions whose expected side comes from a probe or from the student's functions: (line, what)."""
    found = []
    for number, exercise in section.exercises.items():
        if exercise.check and exercise.answer:
            try:
                students = _functions(exercise.answer.source)
                for other in str(exercise.check.meta.get("uses", "")).split(","):
                    if other.strip() in section.exercises and section.exercises[other.strip()].answer:
                        students |= _functions(section.exercises[other.strip()].answer.source)
                found += [(exercise.check.line + line, f"check {number} expects {origin}.")
                          for line, origin in borrowed(exercise.check.source, students)]
            except SyntaxError:
                continue
    return found


def _functions(source: str) -> set[str]:
    """The functions and classes that an answer defines at its top level."""
    return {node.name for node in ast.parse(source).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
