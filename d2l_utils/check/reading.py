"""Which requirements the lines of a check read: from its text alone, without running it."""
from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType, MappingProxyType
from typing import Any

from d2l_utils.check.requirements import owner

BEGIN_HIDDEN = "### BEGIN HIDDEN TESTS"
ASSERTIONS = ("assert_close", "assert_dtype", "assert_equal", "assert_raises", "assert_shape", "assert_table",
              "assert_true", "assert_type")
_WHAT = {"assert_raises": None, "assert_true": 1}       # where `what` stands; None: by keyword only; else 2
_DEFAULT = {"assert_shape": "the shape", "assert_dtype": "the dtype", "assert_close": "the result",
            "assert_equal": "the result", "assert_table": "the table"}
_LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_Parts = tuple[tuple[str, str], ...]


@dataclass
class Step:
    """One line that was running when an error arose: the function, the line in it, the names that it can see."""
    filename: str
    function: str               # "<module>" for the check's own lines
    line: int
    names: Mapping[str, Any] = field(default_factory=dict, repr=False)      # with its own


@dataclass(frozen=True)
class Site:
    """An assertion as it is written. `what` and `of` are None where they are no plain strings."""
    call: ast.Call
    what: str | None
    of: str | None
    hidden: bool


@lru_cache(256)
def reading_of(source: str, names: tuple[str, ...] = ()) -> Reading:
    """A check's text, read once for a whole class."""
    return Reading(source, names)


class Reading:
    """A check's text. `names` are the requirements of its task."""

    def __init__(self, source: str, names: Iterable[str]):
        self.tree = ast.parse(source)
        self.names = tuple(names)
        self.known: Mapping[str, Any] = {}      # names bound outside of the text: functions of a setup cell may assert, too
        self.values: Mapping[str, Any] = {}     # names whose value is known where an error arose: `of=of` in a function
        self.functions = {node.name: node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef)}
        lines = source.split("\n")
        self.begin = next((i for i, line in enumerate(lines, 1) if BEGIN_HIDDEN in line), len(lines) + 1)
        self._open: set = set()

    def sites(self) -> list[Site]:
        """Every assertion of the text, in its order."""
        return [Site(node, _text(_argument(node, "what", name), _DEFAULT.get(name, "")),
                     _text(_argument(node, "of", name), ""), node.lineno > self.begin)
                for node in ast.walk(self.tree) if (name := assertion(node))]

    def parts(self) -> list[tuple[ast.Call, str | None]]:
        """Every `part(...)` of the text and its `of`, None where that is no plain string."""
        return [(node, _text(_argument(node, "of", "part"), "")) for node in ast.walk(self.tree)
                if isinstance(node, ast.Call) and _called(node) == "part"]

    def reads(self, node: ast.AST, parts: _Parts = ()) -> set[str]:
        """The requirements that running `node` may read. Where the text does not tell, all of them."""
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            return set()
        found: set[str] = set()
        if isinstance(node, ast.With):
            parts = parts + tuple(_parts(node, self.values))
        if name := assertion(node):
            found |= self._of(node, name, parts)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found |= self._of_function(node.id, parts)
        for child in ast.iter_child_nodes(node):
            found |= self.reads(child, parts)
        return found

    def _of(self, call: ast.Call, name: str, parts: _Parts) -> set[str]:
        what = _text(_argument(call, "what", name), _DEFAULT.get(name, ""), self.values)
        of = _text(_argument(call, "of", name), "", self.values)
        if of is None:
            return set(self.names)
        found = owner(self.names, what or "", of, parts)
        return {found} if found else set(self.names) if what is None else set()

    def _of_function(self, name: str, parts: _Parts) -> set[str]:
        function = self.functions.get(name)
        if function is None:
            code = getattr(self.known.get(name), "__code__", None)      # of a setup cell
            return set(self.names) if isinstance(code, CodeType) and _asserts(code) else set()
        if name in self._open:
            return set()
        self._open.add(name)
        values, self.values = self.values, {}       # those of another run of it, or of another function
        try:
            return set().union(*(self.reads(statement, parts) for statement in function.body))
        finally:
            self._open.discard(name)
            self.values = values

    def after(self, steps: list[Step], inside_part: bool = False) -> tuple[set[str], set[str]]:
        """For an error at these steps: the requirements of the statement in which it arose, and those of which an
        assertion was not run, in the rest of the part (where `inside_part`) or of the check. (A line that only calls the answer
        has none: why the call raises may belong to another requirement than that of the assertion after it.)"""
        unread: set[str] = set()
        read: set[str] = set()
        parts: _Parts = ()
        self.known = steps[0].names if steps else {}
        for depth, step in enumerate(steps):
            if step.function != "<module>" and step.function.startswith("<"):
                continue        # a lambda, a comprehension: its line is that of the function around it
            body = self._body(step)
            way = _way(body, step.line)
            first = 0
            if inside_part and depth == 0:
                first = next((i + 1 for i in reversed(range(len(way))) if _parts(way[i][0])), 0)
            self.values = {name: step.names[name] for name in self._arguments(step) if name in step.names}
            for statement, _ in way[:first]:
                parts += tuple(_parts(statement, step.names))
            for statement, rest in way[first:]:
                parts += tuple(_parts(statement, step.names))
                for later in rest:
                    unread |= self.reads(later, parts)
                if isinstance(statement, _LOOPS):
                    unread |= self.reads(statement, parts)
            if way:
                self.values = step.names
                read = self.reads(way[-1][0], parts)
        self.known, self.values = {}, {}
        return read, unread | read

    def statement(self, step: Step) -> ast.stmt | None:
        """The innermost statement of a step."""
        way = _way(self._body(step), step.line)
        return way[-1][0] if way else None

    def onwards(self, step: Step) -> list[ast.stmt]:
        """The innermost statement of a step and those that run after it: of its block, and of the blocks around that one as far
        as they are run once (an `if`, a `try`, a `with` that opens no part)."""
        way = _way(self._body(step), step.line)
        found = [way[-1][0], *way[-1][1]] if way else []
        for outer, rest in reversed(way[:-1]):
            if not isinstance(outer, (ast.If, ast.Try, ast.With)) or _parts(outer):
                break
            found += rest
        return found

    def _body(self, step: Step) -> list[ast.stmt]:
        function = self._function(step)
        return function.body if function else self.tree.body

    def _function(self, step: Step) -> ast.FunctionDef | None:
        inside = [f for f in self.functions.values() if f.name == step.function and f.lineno <= step.line <= f.end_lineno]
        return max(inside, key=lambda f: f.lineno, default=None)

    def _arguments(self, step: Step) -> set[str]:
        """The parameters of a step's function that keep their value in it."""
        function = self._function(step)
        if function is None:
            return set()
        bound = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        return {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)} - bound


def _way(body: list[ast.stmt], line: int) -> list[tuple[ast.stmt, list[ast.stmt]]]:
    """The statements around a line from the outside in, each with those that follow it in its block."""
    for i, statement in enumerate(body):
        if statement.lineno <= line <= statement.end_lineno:
            here = [(statement, body[i + 1:])]
            if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                return here
            for block in ("body", "orelse", "finalbody"):
                inner = _way(getattr(statement, block, []), line)
                if inner:
                    return here + inner
            for handler in getattr(statement, "handlers", []):
                inner = _way(handler.body, line)
                if inner:
                    return here + inner
            return here
    return []


def _called(node: ast.AST) -> str:
    return getattr(node.func, "id", getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""


def assertion(node: ast.AST) -> str:
    """The name of the assertion that a node calls, else an empty string."""
    name = _called(node)
    return name if name in ASSERTIONS else ""


def _argument(call: ast.Call, name: str, function: str) -> ast.expr | None:
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    at = _WHAT.get(function, 2) if name == "what" else None
    return call.args[at] if at is not None and at < len(call.args) else None


def what_of(call: ast.Call) -> ast.expr | None:
    """The expression that an assertion's `what` is, None where it has none."""
    return _argument(call, "what", _called(call))


def actual_of(call: ast.Call) -> ast.expr | None:
    """The expression whose value an assertion looks at."""
    return next((k.value for k in call.keywords if k.arg in ("actual", "condition")), call.args[0] if call.args else None)


def _text(node: ast.expr | None, missing: str | None = None, values: Mapping[str, Any] = MappingProxyType({})) -> str | None:
    """The string that an expression is, also by a name with a known value; None where that cannot be told."""
    if node is None:
        return missing
    value = values.get(node.id) if isinstance(node, ast.Name) else node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) else None


def _parts(statement: ast.stmt, values: Mapping[str, Any] = MappingProxyType({})) -> list[tuple[str, str]]:
    """The `of` and the label of the parts that a with statement opens."""
    if not isinstance(statement, ast.With):
        return []
    return [(_text(_argument(item.context_expr, "of", "part"), "", values) or "",
             (_text(item.context_expr.args[1], "", values) or "") if len(item.context_expr.args) > 1 else "")
            for item in statement.items if _called(item.context_expr) == "part"]


def _asserts(code: CodeType) -> bool:
    """Whether a function's code calls an assertion, in itself or in a function that it defines."""
    return bool(set(code.co_names) & set(ASSERTIONS)) or any(_asserts(c) for c in code.co_consts if isinstance(c, CodeType))
