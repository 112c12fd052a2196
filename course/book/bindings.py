"""Which names a cell binds at its top level, and which it reads from elsewhere."""
from __future__ import annotations

import ast


def parse(source: str) -> ast.Module:
    """A cell's syntax tree; magics and shell lines count as the calls that IPython makes of them."""
    try:
        return ast.parse(source)
    except SyntaxError:
        from IPython.core.inputtransformer2 import TransformerManager
        return ast.parse(TransformerManager().transform_cell(source))


def bound_names(source: str) -> set[str]:
    """The names that a cell binds at its top level; none where it is no Python."""
    try:
        return _bound(parse(source).body)
    except SyntaxError:
        return set()


def _bound(body: list[ast.stmt]) -> set[str]:
    names: set[str] = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            names.add(node.name)
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
            continue
        for part in ast.walk(node):
            if isinstance(part, (ast.FunctionDef, ast.ClassDef)):
                names.add(part.name)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                names.add(part.id)
            if isinstance(part, ast.ExceptHandler) and part.name:
                names.add(part.name)
            if isinstance(part, (ast.Import, ast.ImportFrom)):
                names |= {(alias.asname or alias.name).split(".")[0] for alias in part.names}
    return names


def free_names(tree: ast.Module) -> set[str]:
    """The global names that a test reads."""
    import symtable
    found: set[str] = set()

    def visit(table) -> None:
        for symbol in table.get_symbols():
            if symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module"):
                found.add(symbol.get_name())
        for child in table.get_children():
            visit(child)

    visit(symtable.symtable(ast.unparse(tree), "<check>", "exec"))
    return found


def probes(tree: ast.AST) -> list[ast.FunctionDef]:
    """The probes of a check: its functions that are decorated with `probe` and run in the student's process."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
            and any(isinstance(mark, ast.Name) and mark.id == "probe" for mark in node.decorator_list)]
