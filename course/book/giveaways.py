"""Visible tests that answer their own exercise: gate 5, by trying.

A check compares with values from a route of its own. Where that route is a function in the check's visible part, a reader
can copy it. Each function or class there takes in turn the place of one that the exercise asks for, if it takes as many
arguments; what gets full marks then is an answer that the student edition shows. A route that the task forbids, autograd
say, gets none.
"""
from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from course.book.section import Exercise, Section

_Route = ast.FunctionDef | ast.Lambda | ast.ClassDef


@dataclass(frozen=True)
class Giveaway:
    """An answer made of a function or class in the visible part of the exercise's check."""
    number: str
    what: str               # the function, as a reader would find it
    line: int               # in the section's source
    source: str             # of the answer cell

    def __str__(self) -> str:
        return f"{self.what} in the visible part of its check (line {self.line})"


def giveaways(section: Section, numbers: Iterable[str]) -> list[Giveaway]:
    """The answers that these exercises' visible tests might hold: to be graded."""
    return [found for number in numbers for found in _of(section.exercises[number])]


def _of(exercise: Exercise) -> Iterator[Giveaway]:
    if exercise.answer is None or exercise.check is None:
        return
    try:
        answer, visible = ast.parse(exercise.answer.source), ast.parse(_visible(exercise))
    except SyntaxError:         # magics: no function of theirs answers anything
        return
    asked = [node for node in answer.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    own = {node.name for node in asked}
    methods = {id(node) for made in ast.walk(visible) if isinstance(made, ast.ClassDef) for node in made.body}
    routes = [node for node in ast.walk(visible)
              if isinstance(node, _Route) and id(node) not in methods and not _names(node) & own]
    imports = [ast.unparse(node) for node in visible.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    named = [ast.unparse(_bare(node)) for node in routes if not isinstance(node, ast.Lambda)]
    for wanted in asked:
        for route in routes:
            if instead := _instead(wanted, route):
                shown = ast.unparse(route) if isinstance(route, ast.Lambda) else route.name
                yield Giveaway(exercise.number, f"`{shown}`", exercise.check.line + route.lineno,
                               "\n\n".join([exercise.answer.source, f"del {wanted.name}", *imports, *named, instead]))


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


def _visible(exercise: Exercise) -> str:
    """The check with empty lines in place of its hidden tests."""
    before, hidden, after = exercise.check.split("hidden")
    return "\n".join([before, *[""] * (hidden.count("\n") + 3 if hidden else 0), after])


def _bare(node: ast.FunctionDef | ast.ClassDef) -> ast.FunctionDef | ast.ClassDef:
    """The function without decorators: an answer is no probe."""
    return type(node)(**{name: getattr(node, name) for name in node._fields if name != "decorator_list"},
                      decorator_list=[], lineno=node.lineno)


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
