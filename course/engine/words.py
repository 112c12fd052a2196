"""What a check says about an error: the call that a student could type, the value that the test could not use.

Names of probes and of the test's own variables mean nothing to a student: none is said.
"""
from __future__ import annotations

import ast
import re
from typing import Any

import torch

from course.engine.remote import YOUR_CODE, Asked, Link, Remote, StudentError
from d2l_utils.check import failure
from d2l_utils.check.closeness import no_return
from d2l_utils.check.describe import describe
from d2l_utils.check.raised import is_own, meaning
from d2l_utils.check.reading import BEGIN_HIDDEN, Reading, Step, actual_of, assertion, reading_of, what_of

_KIND = re.compile(r"'([\w.]+)' object|non-iterable ([\w.]+) object")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SEED = re.compile(r"(?:manual_seed|default_rng|seed)\((\d+)\)")
# what an error says when a test takes a value for something else, and what was expected
_EXPECTED = (
    (r"cannot unpack non-iterable", "several values were expected"),
    (r"(?:not enough|too many) values to unpack \(expected (\d+)", r"\1 values were expected"),
    (r"not subscriptable|not iterable|iteration over a 0-d|invalid index of a 0-dim", "something with entries was expected"),
    (r"has no len\(\)|len\(\) of a 0-d", "something with a length was expected"),
    (r"index \S+ is out of (?:bounds|range)|index out of range", "it has too few entries"),
    (r"too many indices", "it has too few axes"),
    (r"unsupported operand|bad operand type|unsupported format string|must be real number|a string or a number"
     r"|not supported between|could not convert|must be a string", "a number or a tensor was expected"),
    (r"elements? tensors? (?:can|cannot) be converted|only one element|only length-1|Boolean value of"
     r"|truth value of", "a single number was expected"),
    (r"does not require grad|no grad_fn", "a value with a gradient was expected, and its graph is cut"),
    (r"size of tensor|could not be broadcast|shapes? cannot be multiplied|mat1 and mat2|size mismatch",
     "its shape does not fit"),
)


def call_of(error: BaseException, link: Link, source: str) -> str:
    """" The call was f(tensor (3, 4) float32)." for a failed assertion: the calls of the answer that gave its value."""
    steps, _ = failure.steps_of(error.__traceback__)
    calls = list(dict.fromkeys(one.label for one in _behind(reading_of(source), steps[-1], link.asked))) if steps else []
    if not calls or YOUR_CODE in calls:
        return ""
    seeds = sorted(set(_SEED.findall(source)))
    seed = f" with random inputs of seed {', '.join(seeds)}" if seeds and getattr(error, "hidden", False) else ""
    return f" The call{' was' if len(calls) == 1 else 's were'} {' and '.join(calls)}{seed}."


def _behind(reading: Reading, step: Step, asked: list[Asked]) -> list[Asked]:
    """The calls of a statement, or of those that bound the names of its value; those of its last run alone."""
    statement = reading.statement(step)
    if statement is None:
        return []
    here = _calls(statement, step, asked)
    if here:
        return here
    value = next((actual_of(node) for node in ast.walk(statement) if assertion(node)), None) or statement
    found: list[Asked] = []
    for name in {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}:
        for one in reversed(asked):
            earlier = reading.statement(Step(step.filename, one.function, one.line))
            if one.function == step.function and earlier is not None and name in _bound(earlier):
                found += [call for call in _calls(earlier, step, asked) if call not in found]
                break
    return found


def _calls(statement: ast.stmt, step: Step, asked: list[Asked]) -> list[Asked]:
    """The last calls of the answer that a statement made: as many as stand in it; of an assertion those alone that stand in the
    value that it looks at, since its hint may call the answer, too. None where a comprehension made them."""
    asserted = next((node for node in ast.walk(statement) if assertion(node) not in ("", "assert_raises")), None)
    looked = (actual_of(asserted) if asserted else None) or statement
    known = [node for node in ast.walk(looked) if isinstance(node, ast.Call) and _is_students(node.func, step)]
    if any(node in known for loop in ast.walk(looked) if isinstance(loop, _COMPREHENSIONS) for node in ast.walk(loop)):
        return []       # one call for each of its entries, and nobody knows which entry the value is
    made = [one for one in asked if one.op in ("call", "probe") and one.function == step.function
            and statement.lineno <= one.line <= statement.end_lineno]
    if not asserted:
        return made[-max(1, len(known)):]
    last = {one.place: one for one in made}
    return [last[place] for node in known if (place := (node.lineno, node.col_offset)) in last]


def _is_students(function: ast.expr, step: Step) -> bool:
    while isinstance(function, (ast.Attribute, ast.Subscript, ast.Call)):
        function = function.func if isinstance(function, ast.Call) else function.value
    value = step.names.get(function.id) if isinstance(function, ast.Name) else None
    return isinstance(value, Remote) or getattr(value, "_is_probe_", False)


def _bound(statement: ast.stmt) -> set[str]:
    targets = getattr(statement, "targets", [getattr(statement, "target", None)])
    return {node.id for target in targets if target is not None for node in ast.walk(target) if isinstance(node, ast.Name)}


def explain(error: BaseException, link: Link, source: str) -> tuple[bool, str]:
    """Whether a value of the answer's is the reason for an error in a test, and the sentence for the student."""
    steps, line = failure.steps_of(error.__traceback__)
    begin = next((i for i, text in enumerate(source.split("\n"), 1) if BEGIN_HIDDEN in text), line)
    reading = reading_of(source)
    about = _about(reading, steps)
    head = f"{about}: " if about else ""
    if isinstance(error, StudentError):
        return False, head + _raised(error)
    behind = _behind(reading, steps[-1], link.asked) if steps else []
    if not behind and steps:
        behind = _values(reading, steps[-1], link.asked)
    reason = _reason(error, hide=line > begin)
    if not behind:
        return False, f"{head}the test could not use your answer ({type(error).__name__}{': ' + reason if reason else ''})."
    one = behind[-1]
    origin = ("what your code gave" if one.label == YOUR_CODE else f"`{one.label}`" if one.op in ("name", "attribute", "item")
              else f"what {one.label} returned")
    if one.value is None and one.op == "name":
        return True, f"{head}{origin} is None, so it has no value yet: give it one in the answer cell."
    if one.value is None:
        return True, f"{head}{origin} is None. ({no_return(one.label == YOUR_CODE and 'grad' in source)})"
    found = f"{origin}, {describe(one.value, values=False)}"
    return True, f"{head}the test cannot go on with {found}{': ' + reason if reason else ''}."


def _values(reading: Reading, step: Step, asked: list[Asked]) -> list[Asked]:
    """The attributes, entries and names of the answer that a statement read."""
    statement = reading.statement(step)
    return [one for one in asked if statement is not None and not isinstance(one.value, Remote)
            and one.function == step.function and statement.lineno <= one.line <= statement.end_lineno][-1:]


def _reason(error: BaseException, hide: bool) -> str:
    text = " ".join(str(error).split())
    missing = re.search(r"has no attribute '(\w+)'", text)
    if isinstance(error, AttributeError) and missing:
        found = _KIND.search(text)
        if found and is_own(found.group(1)):
            return f"it has no attribute `{missing.group(1)}`"
        kind = "a tensor" if hasattr(torch.Tensor, missing.group(1)) else f"something with `.{missing.group(1)}`"
        return f"{kind} was expected"
    if isinstance(error, KeyError):
        return "it lacks a key" if hide else f"it has no key {text}"
    for pattern, sentence in _EXPECTED:
        if found := re.search(pattern, text):
            return found.expand(sentence)
    return "" if hide else text[:200]


def _raised(error: StudentError) -> str:
    kind = error.type_names[0]
    if kind == "NotPlain":
        return f"{_who(error)} returned something that is no plain data: {error}"
    if error.call == YOUR_CODE and not error.where:     # in the probe's own lines, with a value of the answer
        reason = _reason(_like(error), hide=True)
        if reason and (kind != "RuntimeError" or "grad" in str(error)):
            found = _KIND.search(str(error))
            given = ", None" if "NoneType" in str(error) else f", a `{found.group(1) or found.group(2)}`" if found else ""
            return f"the test cannot go on with what your code gave{given}: {reason} ({kind})."
    text, means = str(error), meaning(str(error), str(error.where).partition(": ")[2])
    return (f"{_who(error)} raised {kind}{': ' if text else ''}{text}" + (f" ({error.where})." if error.where else ".")
            + f" {means}" * bool(means))


def _who(error: StudentError) -> str:
    return error.call[0].lower() + error.call[1:] if error.call == YOUR_CODE else error.call


def _like(error: StudentError) -> BaseException:
    kind = {"AttributeError": AttributeError, "KeyError": LookupError}.get(error.type_names[0], Exception)
    return kind(str(error))


def _about(reading: Reading, steps: list[Step]) -> str:
    """What the assertion is about in which an error arose, or the one that would have come next."""
    for step in reversed(steps):
        later: set[str] = set()     # names that would have had other values by then
        for statement in reading.onwards(step):
            later |= {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
            for node in ast.walk(statement):
                if assertion(node):
                    return _said(what_of(node), {name: step.names[name] for name in step.names if name not in later})
    return ""


def _said(what: ast.expr | None, names: Any) -> str:
    """The text of an assertion's `what`, where it can be had without asking anybody."""
    if what is None or any(isinstance(node, ast.Call) or isinstance(node, ast.Name)
                           and (node.id not in names or isinstance(names[node.id], Remote)) for node in ast.walk(what)):
        return ""
    try:
        return str(eval(compile(ast.Expression(what), "<what>", "eval"), {}, dict(names)))
    except Exception:
        return ""
