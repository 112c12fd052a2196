"""Which expression of a line was None, where the text of an exception says that something was."""
from __future__ import annotations

import ast
import re

LONG = 60       # characters; what is longer is not repeated
_SIGNS = {"+": ast.Add, "-": ast.Sub, "*": ast.Mult, "@": ast.MatMult, "/": ast.Div, "//": ast.FloorDiv, "%": ast.Mod,
          "**": ast.Pow, "&": ast.BitAnd, "|": ast.BitOr}
_COMPARED = {"<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE}


def said_of_none(text: str, line: str) -> str:
    """A sentence on what was None in the `line` that raised an exception with this text; "" where that cannot be told, as
    where the line is a piece of a statement, or where several expressions of it may have been None."""
    found = {ast.unparse(node): node for node in _candidates(text, _nodes(line))}
    if len(found) != 1:
        return ""
    (written, node), = found.items()
    if len(written) > LONG or isinstance(node, ast.Constant):
        return ""
    if isinstance(node, ast.Attribute) and node.attr == "grad":
        return f"`{written}` is None: `.grad` is so before a backward pass, and of what is computed from other tensors."
    if isinstance(node, ast.Call):
        return f"`{written}` gives None, as a function without `return` does."
    return f"`{written}` is None here (`{written} is None` asks for that)."


def _nodes(line: str) -> list[ast.AST]:
    line = re.sub(r"^elif\b", "if", line.strip())
    for source in (line, f"{line} pass", f"try: pass\n{line} pass"):
        try:
            return list(ast.walk(ast.parse(source)))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return []


def _candidates(text: str, nodes: list[ast.AST]) -> list[ast.AST]:
    """The expressions of which the exception may speak."""
    if found := re.search(r"'NoneType' object has no attribute '(\w+)'", text):
        return [node.value for node in nodes if isinstance(node, ast.Attribute) and node.attr == found[1]]
    if "'NoneType' object is not subscriptable" in text:
        return [node.value for node in nodes if isinstance(node, ast.Subscript)]
    if "'NoneType' has no len()" in text:
        return [node.args[0] for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) == "len" and node.args]
    if found := re.search(r"operand type\(s\) for (\S+?)=?(?: or pow\(\))?: '(\w+)' and ", text):
        pairs = [(node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value) for node in nodes
                 if isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) is _SIGNS.get(found[1])]
    elif found := re.search(r"'([<>]=?)' not supported between instances of '(\w+)' and ", text):
        pairs = [(node.left, node.comparators[0]) for node in nodes
                 if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) is _COMPARED[found[1]]]
    else:
        return []
    return [pair[found[2] != "NoneType"] for pair in pairs]
