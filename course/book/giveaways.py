"""Visible tests that answer an exercise: gate 5, by trying.

A check compares with values from a route of its own. Where that route is a function in the visible part of a check, a reader
can copy it. Each function or class there takes in turn the place of one that the exercise asks for, if it takes as many
arguments; of the other visible tests of the section those do that have the same parameters by name. What gets full marks then
is an answer that the student edition shows. A route that the task forbids, autograd say, gets none.
"""
from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from course.book.section import Exercise, Section

_Route = ast.FunctionDef | ast.Lambda | ast.ClassDef


@dataclass(frozen=True)
class Giveaway:
    """An answer made of a function or class in the visible part of a check."""
    number: str
    what: str               # the function, as a reader would find it
    where: str              # the exercise whose check it is
    line: int               # in the section's source
    source: str             # of the answer cell

    def __str__(self) -> str:
        return f"{self.what} in the visible part of the check of {self.where} (line {self.line})"


@dataclass
class _Shown:
    """The functions and classes of a check's visible part, and what has to stand before one of them in an answer."""
    number: str
    line: int
    routes: list[_Route]
    before: list[str]


def giveaways(section: Section, numbers: Iterable[str]) -> list[Giveaway]:
    """The answers to these exercises that the section's visible tests might hold: to be graded."""
    checked = {number: exercise for number, exercise in section.exercises.items() if exercise.answer and exercise.check}
    asked = {number: [node for node in _statements(exercise.answer.source) if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
             for number, exercise in checked.items()}
    own = {number: {node.name for node in nodes} for number, nodes in asked.items()}
    shown = [_shown(exercise, own[number]) for number, exercise in checked.items()]
    return [found for number in numbers for wanted in asked.get(number, ()) for one in shown
            for found in _of(section.exercises[number], wanted, one, own[number])]


def _of(exercise: Exercise, wanted: ast.FunctionDef | ast.ClassDef, shown: _Shown, own: set[str]) -> Iterator[Giveaway]:
    for route in shown.routes:
        instead = _instead(wanted, route)
        if instead and (shown.number == exercise.number or _alike(wanted, route) and not _names(route) & own):
            name = ast.unparse(route) if isinstance(route, ast.Lambda) else route.name
            yield Giveaway(exercise.number, f"`{name}`", shown.number, shown.line + route.lineno,
                           "\n\n".join([exercise.answer.source, f"del {wanted.name}", *shown.before, instead]))


def _shown(exercise: Exercise, own: set[str]) -> _Shown:
    """What the visible part of its check shows; not what asks its answer, whose names are `own`."""
    visible = _statements(_visible(exercise))
    nodes = [node for statement in visible for node in ast.walk(statement)]
    methods = {id(node) for made in nodes if isinstance(made, ast.ClassDef) for node in made.body}
    routes = [node for node in nodes if isinstance(node, _Route) and id(node) not in methods and not _names(node) & own]
    imports = [ast.unparse(node) for node in visible if isinstance(node, (ast.Import, ast.ImportFrom))]
    named = [_bare(node) for node in routes if not isinstance(node, ast.Lambda)]
    return _Shown(exercise.number, exercise.check.line, routes, imports + named)


def _statements(source: str) -> list[ast.stmt]:
    """No statement where it is no plain Python: with magics, no function of it answers anything."""
    try:
        return ast.parse(source).body
    except SyntaxError:
        return []


def _instead(wanted: ast.FunctionDef | ast.ClassDef, route: _Route) -> str:
    """The code that puts the route in the place of what is wanted; "" where the two do not fit."""
    if isinstance(wanted, ast.ClassDef) or isinstance(route, ast.ClassDef):
        return f"{wanted.name} = {route.name}" if isinstance(wanted, ast.ClassDef) and isinstance(route, ast.ClassDef) else ""
    given = [arg.arg for arg in (*wanted.args.posonlyargs, *wanted.args.args)]
    takes = len(route.args.posonlyargs) + len(route.args.args)
    if not given or not takes - len(route.args.defaults) <= len(given) <= takes:
        return ""
    called = f"({ast.unparse(route)})" if isinstance(route, ast.Lambda) else route.name
    return f"def {wanted.name}({ast.unparse(wanted.args)}):\n    return {called}({', '.join(given)})"


def _alike(wanted: ast.FunctionDef | ast.ClassDef, route: _Route) -> bool:
    """Whether both are functions with the same parameters."""
    return not isinstance(wanted, ast.ClassDef) and [arg.arg for arg in wanted.args.args] == [arg.arg for arg in route.args.args]


def _visible(exercise: Exercise) -> str:
    """The check with empty lines in place of its hidden tests."""
    before, hidden, after = exercise.check.split("hidden")
    return "\n".join([before, *[""] * (hidden.count("\n") + 3 if hidden else 0), after])


def _bare(node: ast.FunctionDef | ast.ClassDef) -> str:
    """The code without its decorators: an answer is no probe."""
    bare = copy.copy(node)
    bare.decorator_list = []
    return ast.unparse(bare)


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
