"""Assertions on plain data: type, then shape, then dtype, then values, each with its own message.

Each takes `what`, the property in words, which heads the message, `of`, the requirement of the task that it reads, and `hint`,
which ends the message: a text, or a function without arguments that works it out when the assertion has failed (it may ask the
answer again; where it raises, there is no hint), or several of these in a tuple, of which those are said that can be.
"""
from __future__ import annotations

import decimal
import fractions
import numbers
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from d2l_utils.check import failure
from d2l_utils.check.closeness import Close, answered, dtype_name
from d2l_utils.check.describe import describe, kind_of
from d2l_utils.check.failure import CheckFailed, Hint, KnownMistake, claim, in_hidden_part
from d2l_utils.check.relation import entries_apart, relation

# what else counts as one of these: a count from NumPy is an integer, an exact number is a number
_ALSO = {int: (np.integer,), float: (np.floating, fractions.Fraction, decimal.Decimal), bool: (np.bool_,),
         complex: (np.complexfloating,), str: (np.str_,)}

MANY = 100_000      # entries of a tensor that is turned into a list only where its size is the right one


def _fail(what: str, problem: str, hint: Hint = "") -> None:
    raise CheckFailed(what, problem, hint)


def _is_a(actual: Any, types: type | tuple[type, ...]) -> bool:
    """Whether a value is of one of the types; a bool is no int, a NumPy number is a number."""
    types = types if isinstance(types, tuple) else (types,)
    wider = types + tuple(also for kind in types for also in _ALSO.get(kind, ()))
    return isinstance(actual, wider) and (not isinstance(actual, bool) or bool in types)


def assert_type(actual: Any, types: type | tuple[type, ...], what: str = "", hint: Hint = "", of: str = "",
                mistakes: Mapping[str, type | tuple[type, ...]] | None = None) -> None:
    """Fails unless `actual` is of one of the types; a bool does not count as an int, a NumPy number does.

    `mistakes` maps a sentence to the type, or types, that a known mistake gives; it ends the message in place of the hint.
    """
    types = types if isinstance(types, tuple) else (types,)
    with claim(what, of):
        answered(actual, None if type(None) in types else "something", Close(what, hint=hint))
        if not _is_a(actual, types):
            _fail(what, f"wrong type: got {describe(actual)}, expected {' or '.join(kind_of(t) for t in types)}.",
                  _only(mistakes, lambda kind: _is_a(actual, kind)) or hint)


def assert_shape(actual: Any, shape: tuple[int, ...], what: str = "the shape", hint: Hint = "", of: str = "",
                 mistakes: Mapping[str, tuple[int, ...]] | None = None) -> None:
    """Fails unless `actual` is a tensor or array of exactly this shape. `mistakes` maps a sentence to the shape that a known
    mistake gives; it ends the message in place of the hint."""
    with claim(what, of):
        answered(actual, shape, Close(what, hint=hint))
        if not hasattr(actual, "shape"):
            _fail(what, f"wrong type: got {describe(actual)}, expected a tensor.", hint)
        if tuple(actual.shape) != tuple(shape):
            wanted = "another one was expected" if in_hidden_part() else f"expected {tuple(shape)}"
            _fail(what, f"wrong shape: got {tuple(actual.shape)}, {wanted}.",
                  _only(mistakes, lambda other: tuple(actual.shape) == tuple(other)) or hint)


def assert_dtype(actual: Any, dtype: Any, what: str = "the dtype", hint: Hint = "", of: str = "",
                 mistakes: Mapping[str, Any] | None = None) -> None:
    """Fails unless `actual` has this dtype (torch's or NumPy's). `mistakes` maps a sentence to the dtype that a known mistake
    gives; it ends the message in place of the hint."""
    with claim(what, of):
        answered(actual, dtype, Close(what, hint=hint))
        if not hasattr(actual, "dtype"):
            _fail(what, f"wrong type: got {describe(actual)}, expected a tensor.", hint)
        got, wanted = dtype_name(actual.dtype), dtype_name(dtype)
        if got != wanted:
            _fail(what, f"wrong dtype: got {got}, expected {wanted}.",
                  _only(mistakes, lambda other: got == dtype_name(other)) or hint)


def assert_close(actual: Any, expected: Any, what: str = "the result", *, rtol: float | None = None,
                 atol: float | None = None, equal_nan: bool = False, hint: Hint = "",
                 mistakes: Mapping[str, Any] | None = None, of: str = "") -> None:
    """Fails unless `actual` equals `expected` up to a tolerance that fits the dtype of `expected`.

    `expected` is a number, tensor, array, or a list, tuple or dict of these. Any precision of floating point
    passes (use assert_dtype where it matters), as far as it is precise enough; an integer tensor for a floating one
    does not. NaN fails. `mistakes` maps a sentence to the value that a known mistake gives (NaN equals NaN there):
    where the answer equals it, and none of the others, the sentence ends the message. What was to be kept (a requirement whose
    name ends so) is the same to the last digit where both are tensors of one dtype; give a tolerance where it is worked out.
    """
    with claim(what, of) as claimed:
        kept = claimed.of.endswith("kept")
        if kept and rtol is atol is None and isinstance(actual, torch.Tensor) and actual.dtype == getattr(expected, "dtype", 0):
            rtol = atol = 0.0
        try:
            Close(what, rtol, atol, equal_nan, hint, in_hidden_part()).check(actual, expected)
        except CheckFailed as failed:
            known = Close(what, rtol, atol, equal_nan, hide=in_hidden_part())
            sentence = _only(mistakes, lambda value: _passes(replace(known, equal_nan=True), actual, value))
            # what the answer was given and has changed is no result of a formula
            fact = "" if sentence or kept else relation(actual, expected, lambda a, b: _passes(known, a, b), known.hide)
            if not sentence and not fact:
                raise
            raise CheckFailed(failed.what, " ".join(filter(None, [failed.problem, fact])), sentence or hint) from None
        if failure.examined:
            same = Close(what, rtol, atol, equal_nan=True)
            claimed.mistakes = _told_apart(mistakes, expected, lambda one, other: _passes(same, one, other))


def _passes(comparison: Close, actual: Any, expected: Any) -> bool:
    try:
        comparison.check(actual, expected)
    except CheckFailed:
        return False
    return True


def _only(mistakes: Mapping[str, Any] | None, fits: Callable[[Any], bool]) -> str:
    """The sentence of the one mistake that fits; where several do, nobody knows which it was."""
    found = [sentence for sentence, value in (mistakes or {}).items() if fits(value)]
    return KnownMistake(found[0] if len(found) == 1 else "")


def _told_apart(mistakes: Mapping[str, Any] | None, expected: Any,
                same: Callable[[Any, Any], bool]) -> tuple[tuple[str, str], ...]:
    """Each sentence with what has its value, so that it cannot be said: the expected value, another sentence; "" for none."""
    found = []
    for sentence, value in (mistakes or {}).items():
        others = (other for other, its in mistakes.items() if other != sentence and same(value, its))
        found.append((sentence, "the expected value" if same(value, expected) else next(others, "")))
    return tuple(found)


def assert_equal(actual: Any, expected: Any, what: str = "the result", hint: Hint = "",
                 mistakes: Mapping[str, Any] | None = None, of: str = "") -> None:
    """Fails unless the two are equal: numbers, strings, sets, dictionaries, shapes; nested is fine.

    A list, a tuple and torch.Size with equal entries are equal; True is not 1; a tensor of one entry equals its
    number. `mistakes` as in assert_close.
    """
    with claim(what, of) as claimed:
        answered(actual, expected, Close(what, hint=hint))
        if _entries(actual) > MANY and _entries(actual) != _entries(expected):
            wanted = "another one was expected" if in_hidden_part() else f"expected {describe(expected, values=False)}"
            _fail(what, f"wrong size: got {describe(actual, values=False)}, {wanted}.", hint)
        if _plain(actual) == _plain(expected):
            if failure.examined:
                claimed.mistakes = _told_apart(mistakes, expected, lambda one, other: _plain(one) == _plain(other))
            return
        sentence = _only(mistakes, lambda value: _plain(actual) == _plain(value))
        hint = sentence or hint
        if _plain(actual)[0] != _plain(expected)[0]:
            _fail(what, f"wrong type: got {describe(actual)}, expected {kind_of(type(expected))}.", hint)
        where, actual, expected = _first_difference(actual, expected)
        wanted = "another value was expected" if in_hidden_part() else f"expected {describe(expected)}"
        fact = "" if where or sentence else entries_apart(_plain(actual)[1], _plain(expected)[1], in_hidden_part())
        _fail(what, " ".join(filter(None, [f"values differ{where}: got {describe(actual)}, {wanted}.", fact])), hint)


def _first_difference(actual: Any, expected: Any) -> tuple[str, Any, Any]:
    """(" at 'key'", its two values) for dictionaries of equal keys and for lists too long for a message."""
    if isinstance(actual, Mapping) and isinstance(expected, Mapping) and set(actual) == set(expected):
        pairs = [(key, actual[key], expected[key]) for key in expected]
    elif (isinstance(actual, (list, tuple)) and isinstance(expected, (list, tuple)) and len(actual) == len(expected)
          and max(len(repr(actual)), len(repr(expected))) > 80):
        pairs = [(i, yours, right) for i, (yours, right) in enumerate(zip(actual, expected))]
    else:
        return "", actual, expected
    for key, yours, right in pairs:
        if _plain(yours) != _plain(right):
            return f", first at [{key!r}]", yours, right
    return "", actual, expected     # keys such as 1 and True


def _entries(value: Any) -> int:
    """How many numbers a tensor or array holds, or a nest of lists."""
    if isinstance(value, (torch.Tensor, np.ndarray)):
        return value.numel() if isinstance(value, torch.Tensor) else value.size
    return sum(map(_entries, value)) if isinstance(value, (list, tuple)) else 1


def _plain(value: Any) -> tuple:
    """A form in which equal answers are equal and True differs from 1."""
    if isinstance(value, (torch.Tensor, np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, (fractions.Fraction, decimal.Decimal)):
        value = float(value)
    if isinstance(value, bool):
        return "bool", value
    if isinstance(value, numbers.Number):
        return "number", 0.0 if value != value else value, value == value      # NaN, the only one that is not itself
    if isinstance(value, (list, tuple)):
        return "list", [_plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return "set", frozenset(repr(_plain(item)) for item in value)
    if isinstance(value, Mapping):
        return "dict", {repr(_plain(key)): _plain(item) for key, item in value.items()}
    return type(value).__name__, value if isinstance(value, (str, bytes, type(None), slice)) else str(value)


def assert_true(condition: Any, what: str, hint: Hint = "", of: str = "") -> None:
    """Fails unless `condition`, computed by the test from plain data, is True."""
    if isinstance(condition, (torch.Tensor, np.ndarray, np.generic)) and getattr(condition, "size", None) is not None:
        condition = condition.item()
    with claim(what, of):
        if condition is not True:
            _fail(what, "this does not hold.", hint)


def assert_raises(errors: type[BaseException] | tuple[type[BaseException], ...], call: Callable, *args: Any,
                  what: str = "", match: str = "", hint: Hint = "", of: str = "") -> None:
    """Fails unless `call(*args)` raises one of the errors, with `match` in its message."""
    errors = errors if isinstance(errors, tuple) else (errors,)
    wanted = " or ".join(error.__name__ for error in errors)
    with claim(what, of):
        try:
            result = call(*args)
        except Exception as error:
            # an error from the student's process carries the names of its classes
            names = getattr(error, "type_names", [c.__name__ for c in type(error).__mro__])
            if not any(error_type.__name__ in names for error_type in errors):
                _fail(what, f"raised {names[0]}: {error}; expected {wanted}.", hint)
            if match and match not in str(error):
                said = str(error)
                _fail(what, f"raised {names[0]} without {match!r} in its message: {said}{'.' * (said[-1:] not in '.!?')}", hint)
        else:
            _fail(what, f"returned {describe(result)}, expected {wanted} to be raised.", hint)


def assert_table(actual: Any, expected: Any, what: str = "the table", hint: Hint = "",
                 rtol: float = 1e-6, atol: float = 1e-8, of: str = "") -> None:
    """Fails unless two pandas objects agree: columns, number of rows, index, then values. NaN equals NaN.

    Numbers agree up to the tolerance whatever their dtype; True equals 1, as get_dummies of any dtype gives it.
    """
    import pandas as pd
    with claim(what, of):
        answered(actual, expected, Close(what, hint=hint))
        hide = in_hidden_part()
        if not isinstance(actual, type(expected)):
            _fail(what, f"wrong type: got {describe(actual)}, expected a pandas {type(expected).__name__}.", hint)
        if isinstance(expected, pd.Series):
            actual, expected = actual.to_frame("values"), expected.to_frame("values")
        if list(actual.columns) != list(expected.columns):
            wanted = "others were expected" if hide else f"expected {list(expected.columns)}"
            _fail(what, f"wrong columns: got {list(actual.columns)}, {wanted}.", hint)
        if len(actual) != len(expected):
            wanted = "another number was expected" if hide else f"expected {len(expected)}"
            _fail(what, f"wrong number of rows: got {len(actual)}, {wanted}.", hint)
        if list(actual.index) != list(expected.index):
            _fail(what, f"wrong index: it begins with {list(actual.index)[:5]}"
                  + ("." if hide else f", expected {list(expected.index)[:5]}."), hint)
        for column in expected.columns:
            _column(actual[column], expected[column], f"{what}, column {column!r}", rtol, atol, hint, hide)


def _column(actual, expected, what, rtol, atol, hint, hide) -> None:
    import pandas as pd
    for row, yours, right in zip(expected.index, actual, expected):
        if pd.isna(yours) and pd.isna(right):
            continue
        if isinstance(right, numbers.Number) and isinstance(yours, numbers.Number):
            same = abs(yours - right) <= atol + rtol * abs(right)
        else:
            same = not pd.isna(yours) and not pd.isna(right) and yours == right
        if not same:
            wanted = "" if hide else f", expected {right!r}"
            _fail(what, f"values differ, first in row {row!r}: yours {yours!r}{wanted}.", hint)
