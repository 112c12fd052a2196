"""What the assertions and the inputs of a check must be: found in its text, before it runs."""
from __future__ import annotations

import ast

_DRAWN = {"rand", "randn", "randint", "randperm", "normal", "multinomial", "bernoulli", "rand_like", "randn_like",
          "standard_normal", "choice", "shuffle", "permutation", "uniform", "sample", "random", "integers", "poisson"}
_SEED = {"torch": "manual_seed", "np.random": "seed", "numpy.random": "seed", "random": "seed"}


def lint_asserts(number: str, check, test: ast.AST, report) -> None:
    """Assertions that say nothing, comparisons that no right answer may meet, inputs that differ from run to run."""
    for node in ast.walk(test):
        if isinstance(node, ast.Assert):
            report(check, f"check {number} has a bare `assert`: a student reads nothing, and no requirement is tested by name.",
                   f'Write assert_true({ast.unparse(node.test)[:40]}, "what it is about"), or assert_equal, assert_close.',
                   node.lineno)
        elif _is_call(node, "assert_equal") and len(node.args) > 1 and _rounded(node.args[1]):
            report(check, f"check {number} asks for {ast.unparse(node.args[1])} to the last bit: another right way to work it "
                   "out may round otherwise.", "Compare numbers with a fraction by assert_close.", node.lineno)
    seeded = {_called(node) for node in ast.walk(test) if isinstance(node, ast.Call)}
    for node in _own_calls(test):
        source, name = _called(node)
        if name in _DRAWN and source in _SEED and (source, _SEED[source]) not in seeded \
                and not any(word.arg == "generator" for word in node.keywords):
            report(check, f"check {number} draws other inputs at each run: {ast.unparse(node)[:60]}.",
                   f"Begin with {source}.{_SEED[source]}(0), or draw with a generator of the check's own.", node.lineno)


def _is_call(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _called(node: ast.Call) -> tuple[str, str]:
    """("torch", "randn") for torch.randn(...)."""
    if isinstance(node.func, ast.Attribute):
        return ast.unparse(node.func.value), node.func.attr
    return "", getattr(node.func, "id", "")


def _own_calls(test: ast.AST):
    """The calls of the check's own lines: a function's are drawn when it is called, after whatever seeds it."""
    todo = [test]
    while todo:
        for node in ast.iter_child_nodes(todo.pop()):
            if isinstance(node, (ast.FunctionDef, ast.Lambda)):
                continue
            todo.append(node)
            if isinstance(node, ast.Call):
                yield node


def _rounded(node: ast.expr) -> bool:
    """A written number with a fraction that binary floating point has to round: 0.1, not 0.5."""
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    if not isinstance(node, ast.Constant) or not isinstance(node.value, float):
        return False
    return node.value.as_integer_ratio()[1] > 2 ** 20
