"""Names that an exercise uses before the book has shown them, found by machine.

Compared are attributes of modules (`torch.cumsum`), attributes and methods of values (`.cumsum`) and keyword arguments
(`keepdim=`) in references and in the code of hints. Known is what stands above in worked code, set-up, starters, tasks
and in code within prose; what the book or the reader defined; and Python's own. `torch.exp` and `.exp` are one name.
"""
from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from course.book.bindings import parse
from course.book.section import Cell, Exercise, Problem, Section

_TYPES = (str, bytes, list, tuple, dict, set, frozenset, int, float, complex, bool, range, type, object, slice, Exception,
          property, super)
# what values of Python's own types have, and files and matches
_OWN = {name for kind in _TYPES for name in dir(kind)} | {"close", "read", "write", "readline", "readlines", "group", "args"}
_BUILTINS = set(dir(builtins))
_SPAN = re.compile(r"```[^\n]*\n(.*?)```|`([^`\n]+)`", re.DOTALL)
_PATH = re.compile(r"(?<![\w.])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)")
_METHOD = re.compile(r"(?<![\w.])\.([A-Za-z_]\w*)|(?<=[\])])\.([A-Za-z_]\w*)")
_KEYWORD = re.compile(r"\b([A-Za-z_]\w*)\s*=(?!=)")


@dataclass
class Names:
    """What a piece of code uses: names as a reader would look for them, each with its line; and what it defines."""
    used: dict[str, int] = field(default_factory=dict)
    defined: set[str] = field(default_factory=set)

    def add(self, other: "Names") -> None:
        self.used |= {name: line for name, line in other.used.items() if name not in self.used}
        self.defined |= other.defined


def findings(sections: list[Section]) -> list[tuple[Section, Problem]]:
    """For each exercise the names that its reference or hints use and nothing above has shown, in reading order."""
    modules = _modules(sections)
    known, found = Names(), []
    for section in sections:
        todo = dict(section.exercises)
        for cell in section.cells:
            if cell.role == "task":
                known.add(in_prose(cell.source, modules))
            if cell.number in todo and cell.role != "task":
                exercise = todo.pop(cell.number)
                if exercise.answer:     # its starter is seen before the reference is thought of
                    before, _, after = exercise.answer.split("solution")
                    known.add(in_code(f"{before}\n{after}", modules))
                    known.defined |= in_code(exercise.answer.source, modules).defined
                found += [(section, problem) for problem in _of(section, exercise, known, modules)]
            elif not cell.number:
                known.add(in_prose(cell.source, modules) if cell.is_markdown else in_code(cell.source, modules))
    return found


def _of(section: Section, exercise: Exercise, known: Names, modules: set[str]) -> Iterable[Problem]:
    shown, told = _shown(known), set()
    reference = in_code(exercise.answer.split("solution")[1], modules) if exercise.answer else Names()
    hints = in_prose(exercise.hints.source, modules, strict=True) if exercise.hints else Names()
    for cell, names, what in ((exercise.answer, reference, "the reference"), (exercise.hints, hints, "a hint")):
        new = [name for name in names.used if name not in told
               and not _known(name, shown, known.defined | reference.defined | names.defined, modules)]
        told |= set(new)
        if new:
            yield Problem(section.path, cell.line, f"{what} of {exercise.number} uses {', '.join(new)}, which nothing above "
                          "shows.", "Show it in a lesson's code above, or do without it.")


def in_code(source: str, modules: set[str]) -> Names:
    """The names in a piece of Python; none where it is none."""
    try:
        return _Collector(modules).collect(parse(source))
    except (SyntaxError, ValueError):
        return Names()


def in_prose(text: str, modules: set[str], *, strict: bool = False) -> Names:
    """The names in the code spans and blocks of Markdown. Without `strict` also from spans that are no whole Python."""
    names = Names()
    for block, span in _SPAN.findall(text):
        code = (block or span).strip()
        found = in_code(code, modules)
        if not found.used and not found.defined or not strict:
            found.used |= {f".{a or b}": 1 for a, b in _METHOD.findall(code)}
            found.used |= {path: 1 for path in _PATH.findall(code) if path.split(".")[0] in modules}
        if not strict:
            found.used |= {f".{path.rpartition('.')[2]}": 1 for path in _PATH.findall(code)}
            found.used |= {f"{name}=": 1 for name in _KEYWORD.findall(code)}
        names.add(found)
    return names


class _Collector(ast.NodeVisitor):
    def __init__(self, modules: set[str]):
        self.modules, self.names = modules, Names()

    def collect(self, tree: ast.AST) -> Names:
        self.visit(tree)
        return self.names

    def _use(self, name: str, node: ast.AST) -> None:
        self.names.used.setdefault(name, getattr(node, "lineno", 1))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.ctx, ast.Store):
            self.names.defined.add(node.attr)
        else:
            path = _dotted(node)
            self._use(path if path and path.split(".")[0] in self.modules else f".{node.attr}", node)
            if path and path.split(".")[0] in self.modules:
                return
        self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        own = isinstance(node.func, ast.Name) and node.func.id in _BUILTINS
        for keyword in node.keywords:
            if keyword.arg and not own:
                self._use(f"{keyword.arg}=", node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            if alias.name != "*" and (alias.asname or alias.name) not in self.modules:
                self._use(f"{node.module}.{alias.name}", node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.names.defined |= {node.name} | {target.id for part in node.body if isinstance(part, (ast.Assign, ast.AnnAssign))
                                             for target in getattr(part, "targets", [getattr(part, "target", None)])
                                             if isinstance(target, ast.Name)}
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        every = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
        self.names.defined |= {node.name} | {argument.arg for argument in every}
        self.generic_visit(node)


def _dotted(node: ast.expr) -> str:
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _modules(sections: list[Section]) -> set[str]:
    """The names by which the book's code reaches modules: torch, np, F, math, ..."""
    found = {"torch", "np", "pd", "F", "nn", "d2l", "plt"}
    for section in sections:
        for cell in section.cells:
            for node in ast.walk(_tree(cell)):
                if isinstance(node, ast.Import):
                    found |= {alias.asname or alias.name.split(".")[0] for alias in node.names}
    return found


def _tree(cell: Cell) -> ast.AST:
    try:
        return ast.Module([], []) if cell.is_markdown else parse(cell.source)
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def _shown(known: Names) -> set[str]:
    """What was shown, as last names: "torch.exp" and ".exp" as "exp", "keepdim=" as it is."""
    return {name if name.endswith("=") else name.rpartition(".")[2] for name in known.used}


def _known(name: str, shown: set[str], defined: set[str], modules: set[str]) -> bool:
    last = name if name.endswith("=") else name.rpartition(".")[2]
    if last in shown or last.startswith("__") or last.rstrip("=") in defined:
        return True
    return name.startswith(".") and last in _OWN or last in modules
