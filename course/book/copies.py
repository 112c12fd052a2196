"""References that the student edition shows somewhere: gate 5, by normalised syntax tree.

Two pieces of code are the same here if they differ in names, comments, docstrings and annotations alone. What a hint, a
demonstration, a setup cell or a test shows of an answer is found like that, wherever in the book it stands.
"""
from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from course.book.bindings import parse
from course.book.section import REGION, Cell, Exercise, Section
from course.book.source import read, sources

STATEMENTS = 3          # a body of so many statements is looked for,
NODES = 30              # if its tree has so many nodes;
LARGE = 60              # or a body of fewer statements, of so many nodes
_FENCED = re.compile(r"```(?:python|py)?\n(.*?)```", re.DOTALL)


@dataclass(frozen=True)
class Copy:
    """A piece of an exercise's reference that stands in the student edition."""
    number: str
    what: str               # the function or class, or "the answer"
    where: str              # the section
    cell: str               # "a demonstration", "the setup", ...
    line: int               # in the section's source

    def __str__(self) -> str:
        return f"{self.what} of {self.number} stands in {self.where}, line {self.line}: {self.cell}."


def copies(root: Path, section: Section, numbers: Iterable[str]) -> list[Copy]:
    """Where the book shows the references of these exercises."""
    found = []
    shown = _shown(root, tuple((path, path.stat().st_mtime_ns) for path in sources(root)))
    for number in numbers:
        for what, body in _pieces(section.exercises[number]):
            for place, there in shown.get(_rough(body)[0], ()):
                run = there[:len(body)]
                if len(run) == len(body) and _rough(run) == _rough(body) and _exact(run) == _exact(body):
                    found.append(Copy(number, what, *place))
    return found


def known(root: Path) -> dict[tuple[str, str], str]:
    """(exercise, section that shows it) -> reason, of tests/known_copies.toml: copies that are to be taken out."""
    path = root / "tests/known_copies.toml"
    return {(entry["number"], entry["where"]): entry["reason"]
            for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("copy", [])} if path.exists() else {}


def _pieces(exercise: Exercise) -> Iterator[tuple[str, list[ast.stmt]]]:
    """The bodies of an exercise's reference that are long enough: what stands in its region, and each function in it."""
    if exercise.answer is None:
        return
    try:
        tree = ast.parse(exercise.answer.source)
    except SyntaxError:
        return
    first, last = region(exercise.answer, "solution")
    for node in ast.walk(tree):
        body = _plain(getattr(node, "body", None)) if isinstance(getattr(node, "body", None), list) else []
        inside = isinstance(node, ast.stmt) and node.lineno >= first
        if inside and not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            continue        # a loop or branch of a body that is looked for as a whole
        own = [statement for statement in body if first <= statement.lineno and statement.end_lineno <= last]
        if own and _size(own):
            yield f"`{node.name}`" if hasattr(node, "name") else "the answer", own


def region(cell: Cell, name: str) -> tuple[int, int]:
    """The first and last line of a region in its cell, with its marks; (0, 0) where there is none."""
    at = [[i for i, line in enumerate(cell.source.split("\n"), 1) if mark in line] for mark in REGION[name]]
    return (at[0][0], at[1][0]) if all(at) else (0, 0)


def _size(body: list[ast.stmt]) -> bool:
    nodes = sum(1 for statement in body for _ in ast.walk(statement))
    return nodes >= (NODES if len(body) >= STATEMENTS else LARGE)


@lru_cache(maxsize=2)
def _shown(root: Path, stamps: tuple) -> dict[str, list]:
    """The code of the student edition, by the rough form of a statement: [((section, cell, line), it and what follows)]."""
    found: dict[str, list] = {}
    for path, _ in stamps:
        section = read(path, lint=False)
        for cell in section.cells:
            for offset, text in _texts(cell):
                try:
                    tree = parse(text)
                except SyntaxError:
                    continue        # a sketch in a hint
                for body in _blocks(tree):
                    for i, statement in enumerate(body):
                        place = (section.number, _KINDS.get(cell.role, cell.role), cell.line + offset + statement.lineno)
                        for form in {_form(statement, None), _form(_ended(statement), None)}:
                            found.setdefault(form, []).append((place, body[i:]))
    return found


_KINDS = {"code": "worked code", "demo": "a demonstration", "setup": "a setup cell", "prose": "prose", "hints": "a hint",
          "task": "a task", "check": "a visible test", "exercise": "starter code"}


def _texts(cell: Cell) -> Iterator[tuple[int, str]]:
    """The code that students see of a cell, each with the lines above it."""
    if cell.role == "written":
        return
    if cell.is_markdown:
        for match in _FENCED.finditer(cell.source):
            yield cell.source[:match.start(1)].count("\n"), match.group(1)
    elif cell.role in ("exercise", "check"):
        first, last = region(cell, "solution" if cell.role == "exercise" else "hidden")
        lines = cell.source.split("\n")
        for i in range(first - 1, last) if first else ():
            lines[i] = lines[i][:len(lines[i]) - len(lines[i].lstrip())] + "..." if i == first - 1 else ""
        yield 0, "\n".join(lines)
    else:
        yield 0, cell.source


def _blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                yield _plain(block)


def _plain(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements without docstrings."""
    return [s for s in body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]


def _rough(body: list[ast.stmt]) -> tuple[str, ...]:
    """A run of statements without any of its names."""
    return tuple(_form(_ended(node) if node is body[-1] else node, None) for node in body)


def _exact(body: list[ast.stmt]) -> str:
    """A run of statements with its names in the order of their appearance."""
    names: dict[str, str] = {}
    return " ".join(_form(_ended(node) if node is body[-1] else node, names) for node in body)


def _ended(node: ast.stmt) -> ast.AST:
    """A body may end by returning a value, or by showing or keeping it: only the value counts."""
    if isinstance(node, (ast.Return, ast.Expr)) or isinstance(node, ast.Assign) and len(node.targets) == 1:
        return node.value or node
    return node


_KEPT = {"torch", "np", "F", "nn", "math", "pd", "plt", "d2l", "range", "len", "sum", "zip", "enumerate", "max", "min",
         "sorted", "abs", "list", "tuple", "dict", "set", "float", "int", "super", "isinstance", "print", "type"}
_NAMES = {ast.Name: "id", ast.arg: "arg", ast.FunctionDef: "name", ast.ClassDef: "name"}
_LEFT_OUT = {"annotation", "returns", "ctx", "type_comment", "kind"}


def _form(node: ast.AST, names: dict[str, str] | None) -> str:
    """A syntax tree as text: names as their order in `names`, or all alike where it is None; modules keep theirs."""
    parts = [type(node).__name__]
    named = _NAMES.get(type(node))
    for field in node._fields:
        value = getattr(node, field, None)
        if field in _LEFT_OUT:
            continue
        if field == named and value not in _KEPT:
            value = "_" if names is None else names.setdefault(value, f"v{len(names)}")
        elif field == "body" and isinstance(value, list):
            value = _plain(value)
        if isinstance(value, list):
            parts.append("[" + " ".join(_form(v, names) if isinstance(v, ast.AST) else repr(v) for v in value) + "]")
        else:
            parts.append(_form(value, names) if isinstance(value, ast.AST) else repr(value))
    return f"({' '.join(parts)})"
