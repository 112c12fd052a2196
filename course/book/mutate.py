"""One-step mutations of an answer: what a slip of the hand, or of the mind, makes of it.

A mutation changes one place of the text, within the region of the solution: an operator, a comparison, a constant, an
axis, a call or a statement that is left out, two arguments or results exchanged, float32 for float64.
"""
from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

_OPERATORS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mod,
              ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.MatMult: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
              ast.LShift: ast.RShift, ast.RShift: ast.LShift}
_COMPARISONS = {ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
                ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
                ast.In: (ast.NotIn,), ast.NotIn: (ast.In,)}
_SWAPPED = {"sum": "mean", "mean": "sum", "min": "max", "max": "min", "argmin": "argmax", "argmax": "argmin", "any": "all",
            "all": "any", "append": "extend", "zeros": "ones", "ones": "zeros", "zeros_like": "ones_like",
            "ones_like": "zeros_like", "square": "abs", "exp": "expm1", "log": "log1p", "float64": "float32",
            "double": "float"}
_AXES = ("dim", "axis")


@dataclass(frozen=True)
class Mutant:
    """A mutated answer. `was` and `now` are the lines that differ, without their indentation."""
    number: str
    source: str
    line: int           # in the answer's cell
    was: str
    now: str

    def __str__(self) -> str:
        return "\n".join([f"{self.number}, line {self.line} of its cell", *(f"  - {line}" for line in self.was.split("\n")),
                          *(f"  + {line}" for line in self.now.split("\n"))])


def mutants(number: str, source: str, first: int, last: int) -> list[Mutant]:
    """The mutations of the lines from `first` to `last` of an answer, in their order, each once."""
    tree = ast.parse(source)
    lines = source.split("\n")
    found: dict[str, Mutant] = {}
    seen = {ast.dump(tree)}
    for node, new in _changes(tree):
        if not first <= node.lineno <= node.end_lineno <= last:
            continue
        try:
            text = _replaced(lines, node, new)
            dump = ast.dump(ast.parse(text))
            if isinstance(node, ast.expr):      # brackets, where what stands around would bind closer
                bracketed = _replaced(lines, node, f"({new})")
                if dump != ast.dump(ast.parse(bracketed)):
                    text, dump = bracketed, ast.dump(ast.parse(bracketed))
        except SyntaxError:
            continue
        if dump not in seen:
            seen.add(dump)
            at, was, now = _difference(source, text)
            found[dump] = Mutant(number, text, at, was, now)
    return list(found.values())


def _changes(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """(a node of the tree, the text to put in its place)."""
    for node in ast.walk(tree):
        for block in ("body", "orelse", "finalbody"):
            statements = getattr(node, block, None)
            if isinstance(statements, list):
                yield from _statements(statements)
        if isinstance(node, ast.expr) and hasattr(node, "lineno"):
            for new in _expressions(node):
                yield node, ast.unparse(new)


def _statements(body: list[ast.stmt]) -> Iterator[tuple[ast.AST, str]]:
    for statement in body:
        value = getattr(statement, "value", None)
        if isinstance(statement, (ast.Return, ast.Assign)) and isinstance(value, ast.Tuple):
            for new in _exchanged(value, "elts"):
                yield value, ast.unparse(new).removeprefix("(").removesuffix(")")
        if isinstance(statement, ast.AugAssign):
            yield statement, "pass"
            yield statement, f"{ast.unparse(statement.target)} = {ast.unparse(statement.value)}"
            if new := _OPERATORS.get(type(statement.op)):
                yield statement, ast.unparse(_with(statement, op=new()))
        elif isinstance(statement, (ast.Break, ast.Continue, ast.Assert, ast.Raise)) or (
                isinstance(statement, ast.Expr) and not isinstance(value, ast.Constant)):
            yield statement, "pass"
        elif isinstance(statement, ast.Assign):
            if not all(isinstance(target, ast.Name) for target in statement.targets):
                yield statement, "pass"
        elif isinstance(statement, (ast.If, ast.While)):
            yield statement.test, f"not ({ast.unparse(statement.test)})"
            if isinstance(statement, ast.If):
                yield statement.test, "False"
                yield statement.test, "True"


def _expressions(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and (new := _OPERATORS.get(type(node.op))):
        yield _with(node, op=new())
        if isinstance(node.op, (ast.Sub, ast.Div, ast.Pow, ast.MatMult)):
            yield _with(node, left=node.right, right=node.left)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        for new in _COMPARISONS.get(type(node.ops[0]), ()):
            yield _with(node, ops=[new()])
    elif isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.And() if isinstance(node.op, ast.Or) else ast.Or())
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Constant):
        yield from _constants(node)
    elif isinstance(node, ast.Attribute) and node.attr in _SWAPPED:
        yield _with(node, attr=_SWAPPED[node.attr])
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in ("sum", "min", "max", "any", "all"):
        if node.id != "sum":
            yield _with(node, id=_SWAPPED[node.id])
    elif isinstance(node, ast.Call):
        yield from _calls(node)
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        for end in ("lower", "upper", "step"):
            if getattr(node.slice, end) is not None:
                yield _with(node, slice=_with(node.slice, **{end: None}))
    elif isinstance(node, ast.IfExp):
        yield node.body
        yield node.orelse


def _constants(node: ast.Constant) -> Iterator[ast.expr]:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield ast.Constant(value + 1)
        yield ast.UnaryOp(ast.USub(), ast.Constant(1)) if value == 0 else ast.Constant(value - 1)
    elif isinstance(value, float):
        yield ast.Constant(value * 2 if value else 1.0)
        yield ast.Constant(value + 1)


def _calls(node: ast.Call) -> Iterator[ast.expr]:
    if isinstance(node.func, ast.Attribute):
        root = node.func.value
        while isinstance(root, ast.Attribute):
            root = root.value
        if not (isinstance(root, ast.Name) and root.id in ("torch", "np", "F", "nn", "math", "d2l", "pd", "plt")):
            yield node.func.value               # x.sqrt() -> x
        elif node.args and not isinstance(node.args[0], ast.Starred):
            yield node.args[0]                  # torch.exp(x) -> x
    elif len(node.args) == 1 and not isinstance(node.args[0], (ast.Starred, ast.GeneratorExp)):
        yield node.args[0]
    yield from _exchanged(node, "args")
    for i, keyword in enumerate(node.keywords):
        yield _with(node, keywords=node.keywords[:i] + node.keywords[i + 1:])
        if keyword.arg in _AXES and isinstance(keyword.value, (ast.Constant, ast.UnaryOp)):
            for axis in (0, 1, -1):
                yield _with(node, keywords=node.keywords[:i] + [ast.keyword(keyword.arg, ast.parse(str(axis), mode="eval").body)]
                            + node.keywords[i + 1:])


def _exchanged(node: ast.expr, name: str) -> Iterator[ast.expr]:
    """Two neighbours exchanged, where they differ."""
    items = getattr(node, name)
    for i in range(len(items) - 1):
        if ast.dump(items[i]) != ast.dump(items[i + 1]) and not isinstance(items[i], ast.Starred):
            yield _with(node, **{name: [*items[:i], items[i + 1], items[i], *items[i + 2:]]})


def _with(node: ast.AST, **fields) -> ast.AST:
    made = copy.copy(node)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def _replaced(lines: list[str], node: ast.AST, new: str) -> str:
    """The text with the node's own replaced. Columns of syntax trees count bytes."""
    before = lines[node.lineno - 1].encode()[:node.col_offset].decode()
    after = lines[node.end_lineno - 1].encode()[node.end_col_offset:].decode()
    return "\n".join([*lines[:node.lineno - 1], before + new + after, *lines[node.end_lineno:]])


def _difference(one: str, two: str) -> tuple[int, str, str]:
    """The first line that differs, and the lines that do, in both."""
    a, b = one.split("\n"), two.split("\n")
    start = next(i for i, pair in enumerate(zip([*a, None], [*b, None])) if pair[0] != pair[1])
    end = next(i for i, pair in enumerate(zip([*a[::-1], None], [*b[::-1], None])) if pair[0] != pair[1])
    end = min(end, len(a) - start, len(b) - start)
    cut = [("\n".join(line.strip() for line in text[start:len(text) - end])) for text in (a, b)]
    return start + 1, cut[0], cut[1]
