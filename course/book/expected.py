"""Where the expected side of an assertion comes from: never from a probe, nor from the student's own functions.

A value is followed through the names of the check: assignments, loops, its own helper functions. A length, a shape or a
selection of rows by it says nothing of the values: they may be the student's.
"""
from __future__ import annotations

import ast
import contextlib

from course.book.bindings import probes
from d2l_utils.check.reading import assertion

_COMPARING = {"assert_close", "assert_equal", "assert_table", "assert_shape", "assert_dtype"}
_SIZES = {"len", "range", "numel", "size", "zeros_like", "ones_like", "shape", "dtype", "ndim"}     # what tells no values
_GROWS = {"append", "extend", "add", "insert", "update"}        # methods that put their arguments into the object


def borrowed(source: str, students: set[str]) -> list[tuple[int, str]]:
    """(line, "what probe `f` says" or "what the answer's `g` gives") for each assertion of a check that expects it."""
    flow = _Flow(ast.parse(source), students)
    return flow.findings()


class _Flow:
    """Which names of a check hold something of the student's. A name is known by the function that it stands in."""

    def __init__(self, tree: ast.Module, students: set[str]):
        self.tree, self.students = tree, students
        self.functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        self.probes = {node.name for node in probes(tree)}
        self.tainted: dict[tuple[str, str], str] = {}       # (function, name) -> the source
        self.returns: dict[str, str] = {}                   # helper -> the source of what it returns
        self.instead: dict[str, str] = {}                   # names of a comprehension that is read item by item
        self.locals = {name: _bound(node) for name, node in self.functions.items()}
        before = -1
        while before != len(self.tainted) + len(self.returns):
            before = len(self.tainted) + len(self.returns)
            for statement in self.tree.body:
                self._follow(statement, "")

    def findings(self) -> list[tuple[int, str]]:
        found: list[tuple[int, str]] = []

        def visit(node: ast.AST, inside: str) -> None:
            if isinstance(node, ast.FunctionDef):
                if node.name in self.probes:
                    return
                inside = node.name
            if assertion(node) in _COMPARING:
                expected = next((k.value for k in node.keywords if k.arg in ("expected", "shape", "dtype")),
                                node.args[1] if len(node.args) > 1 else None)
                if expected is not None and (origin := self._source(expected, inside)):
                    found.append((node.lineno, origin))
            for child in ast.iter_child_nodes(node):
                visit(child, inside)

        visit(self.tree, "")
        return found

    def _follow(self, node: ast.AST, inside: str) -> None:
        if isinstance(node, ast.FunctionDef):
            if node.name in self.probes:
                return
            inside = node.name
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                self._mark(self._bound(target, node.value, inside), inside)
        elif isinstance(node, ast.For):
            self._mark(self._items(node.target, node.iter, inside), inside)
        elif isinstance(node, ast.Return) and node.value is not None and inside:
            if origin := self._source(node.value, inside):
                self.returns.setdefault(inside, origin)
        elif isinstance(node, ast.Call):
            self._call(node, inside)
        for child in ast.iter_child_nodes(node):
            self._follow(child, inside)

    def _call(self, call: ast.Call, inside: str) -> None:
        function = call.func
        if isinstance(function, ast.Attribute) and function.attr in _GROWS and isinstance(function.value, ast.Name):
            for value in call.args:
                self._mark([(function.value.id, self._source(value, inside))], inside)
        helper = self.functions.get(function.id) if isinstance(function, ast.Name) else None
        if helper is not None and helper.name not in self.probes:
            names = [a.arg for a in helper.args.posonlyargs + helper.args.args]
            given = list(zip(names, call.args)) + [(k.arg, k.value) for k in call.keywords if k.arg]
            for name, value in given:
                if not isinstance(value, ast.Starred) and (origin := self._source(value, inside)):
                    self.tainted.setdefault((helper.name, name), origin)

    def _bound(self, target: ast.expr, value: ast.expr, inside: str) -> list[tuple[str, str]]:
        """The names that an assignment binds, each with its source."""
        if isinstance(target, (ast.Tuple, ast.List)):
            values: list = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
            loop = value.generators[0] if isinstance(value, (ast.GeneratorExp, ast.ListComp)) else None
            if loop and isinstance(loop.iter, (ast.Tuple, ast.List)):
                values = loop.iter.elts
            if len(values) != len(target.elts):
                return [pair for item in target.elts for pair in self._bound(item, value, inside)]
            found = []
            for item, one in zip(target.elts, values):
                with self._reading(self._bound(loop.target, one, inside) if loop else []):
                    found += self._bound(item, value.elt if loop else one, inside)
            return found
        while isinstance(target, (ast.Subscript, ast.Attribute, ast.Starred)):
            target = target.value
        return [(target.id, self._source(value, inside))] if isinstance(target, ast.Name) else []

    def _items(self, target: ast.expr, value: ast.expr, inside: str) -> list[tuple[str, str]]:
        """The names that a loop binds: in `for a, b in zip(x, y)` each from its own."""
        name = value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""
        pairs: list = []
        if isinstance(target, ast.Tuple) and name in ("zip", "enumerate"):
            values = value.args if name == "zip" else [ast.Constant(0), *value.args[:1]]
            pairs = list(zip(target.elts, values)) if len(values) == len(target.elts) else []
        if pairs:
            return [pair for item, one in pairs for pair in self._items(item, one, inside)]
        rows = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]
        return [pair for row in rows for pair in self._bound(target, row, inside)]

    def _mark(self, found: list[tuple[str, str]], inside: str) -> None:
        for name, origin in found:
            if origin:
                self.tainted.setdefault((inside if name in self.locals.get(inside, ()) else "", name), origin)

    @contextlib.contextmanager
    def _reading(self, names: list[tuple[str, str]]):
        """Within it these names are what a comprehension binds."""
        before = self.instead
        self.instead = before | {name: "" for name, _ in names} | {name: origin for name, origin in names if origin}
        yield
        self.instead = before

    def _source(self, value: ast.AST, inside: str) -> str:
        """Where a value comes from, if it is the student's; else an empty string."""
        name = getattr(value, "func", value)
        if getattr(name, "id", "") in _SIZES or getattr(name, "attr", "") in _SIZES:
            return ""
        if isinstance(value, ast.Subscript):
            return self._source(value.value, inside)
        if isinstance(value, ast.Name):
            if value.id in self.instead:
                return self.instead[value.id]
            if value.id in self.probes:
                return f"what probe `{value.id}` says"
            local = value.id in self.locals.get(inside, ())
            if value.id in self.students and not local:
                return f"what the answer's `{value.id}` gives"
            if not local and value.id in self.returns:
                return self.returns[value.id]
            return self.tainted.get((inside if local else "", value.id), "")
        if isinstance(value, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
            names: list[tuple[str, str]] = []
            for loop in value.generators:
                with self._reading(names):
                    names += self._items(loop.target, loop.iter, inside)
            with self._reading(names):
                made = [value.key, value.value] if isinstance(value, ast.DictComp) else [value.elt]
                return next((origin for one in made if (origin := self._source(one, inside))), "")
        if isinstance(value, ast.IfExp):
            return self._source(value.body, inside) or self._source(value.orelse, inside)
        return next((origin for child in ast.iter_child_nodes(value) if (origin := self._source(child, inside))), "")


def _bound(function: ast.FunctionDef) -> set[str]:
    """The names that a function binds: its parameters and what it assigns."""
    args = function.args
    names = {a.arg for a in args.posonlyargs + args.args + args.kwonlyargs + [args.vararg, args.kwarg] if a}
    return names | {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
