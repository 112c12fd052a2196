"""Assertions on plain data: type, then shape, then dtype, then values, each with its own message."""
from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch

from d2l_utils.check.describe import describe, kind_of, number, place
from d2l_utils.check.failure import CheckFailed, in_hidden_part, record

# relative and absolute tolerance by the less precise dtype of the two
TOLERANCE = {"float64": (1e-7, 1e-9), "complex128": (1e-7, 1e-9), "float32": (1e-4, 1e-5), "complex64": (1e-4, 1e-5),
             "float16": (1e-2, 1e-3), "bfloat16": (3e-2, 1e-2)}
_KINDS = {"b": "bool", "i": "integer", "u": "integer", "f": "floating point", "c": "complex"}


def _fail(what: str, problem: str, hint: str = "") -> None:
    raise CheckFailed(what, problem, hint)


def _answered(actual: Any, what: str) -> None:
    if actual is None or actual is Ellipsis:
        _fail(what, f"got {actual!r}.", "Is the answer written, and does the function return it?")


def assert_type(actual: Any, types: type | tuple[type, ...], what: str = "", hint: str = "", of: str = "") -> None:
    """Fails unless `actual` is of one of the types; a bool does not count as an int."""
    types = types if isinstance(types, tuple) else (types,)
    _answered(actual, what)
    if not isinstance(actual, types) or (isinstance(actual, bool) and bool not in types):
        _fail(what, f"wrong type: got {describe(actual)}, expected {' or '.join(kind_of(t) for t in types)}.", hint)
    record(what)


def assert_shape(actual: Any, shape: tuple[int, ...], what: str = "the shape", hint: str = "", of: str = "") -> None:
    """Fails unless `actual` is a tensor or array of exactly this shape."""
    _shape(actual, tuple(shape), what, hint, hide=in_hidden_part())
    record(what)


def _shape(actual: Any, shape: tuple[int, ...], what: str, hint: str, hide: bool) -> None:
    _answered(actual, what)
    if not hasattr(actual, "shape"):
        _fail(what, f"wrong type: got {describe(actual)}, expected a tensor.", hint)
    if tuple(actual.shape) != shape:
        wanted = "another one was expected" if hide else f"expected {shape}"
        _fail(what, f"wrong shape: got {tuple(actual.shape)}, {wanted}.", hint)


def assert_dtype(actual: Any, dtype: Any, what: str = "the dtype", hint: str = "", of: str = "") -> None:
    """Fails unless `actual` has this dtype (torch's or NumPy's)."""
    _answered(actual, what)
    if not hasattr(actual, "dtype"):
        _fail(what, f"wrong type: got {describe(actual)}, expected a tensor.", hint)
    got, wanted = _dtype_name(actual.dtype), _dtype_name(dtype)
    if got != wanted:
        _fail(what, f"wrong dtype: got {got}, expected {wanted}.", hint)
    record(what)


def _dtype_name(dtype: Any) -> str:
    return str(dtype).removeprefix("torch.") if isinstance(dtype, torch.dtype) else np.dtype(dtype).name


def assert_close(actual: Any, expected: Any, what: str = "the result", *, rtol: float | None = None,
                 atol: float | None = None, equal_nan: bool = False, hint: str = "",
                 mistakes: Mapping[str, Any] | None = None, of: str = "") -> None:
    """Fails unless `actual` equals `expected` up to a tolerance that fits the less precise dtype of the two.

    `expected` is a number, tensor, array, or a list, tuple or dict of these. Any precision of floating point
    passes (use assert_dtype where it matters); an integer tensor for a floating one does not. NaN fails.
    `mistakes` maps a sentence to the value that a known mistake gives: where the answer equals it, the sentence
    ends the message.
    """
    try:
        _close(actual, expected, what, rtol, atol, equal_nan, hint, in_hidden_part())
    except CheckFailed as failure:
        for sentence, value in (mistakes or {}).items():
            try:
                _close(actual, value, what, rtol, atol, equal_nan, "", True)
            except CheckFailed:
                continue
            raise CheckFailed(failure.what, failure.problem, sentence) from None
        raise
    record(what)


def _close(actual, expected, what, rtol, atol, equal_nan, hint, hide) -> None:
    _answered(actual, what)
    if isinstance(expected, Mapping):
        if not isinstance(actual, Mapping):
            _fail(what, f"wrong type: got {describe(actual)}, expected a dictionary.", hint)
        if set(actual) != set(expected):
            wanted = "others were expected" if hide else f"expected {sorted(map(str, expected))}"
            _fail(what, f"wrong keys: got {sorted(map(str, actual))}, {wanted}.", hint)
        for key, value in expected.items():
            _close(actual[key], value, f"{what} [{key!r}]", rtol, atol, equal_nan, hint, hide)
        return
    if isinstance(expected, (list, tuple)):
        if not isinstance(actual, (list, tuple, torch.Tensor, np.ndarray)):
            _fail(what, f"wrong type: got {describe(actual)}, expected {describe(expected, values=not hide)}.", hint)
        if getattr(actual, "shape", (0,)) == () or len(actual) != len(expected):
            size = "no entries" if getattr(actual, "shape", (0,)) == () else f"{len(actual)} entries"
            _fail(what, f"wrong length: got {size}, expected {len(expected)}.", hint)
        for i, value in enumerate(expected):
            _close(actual[i], value, f"{what}, entry {i}", rtol, atol, equal_nan, hint, hide)
        return
    got, wanted = _array(actual), _array(expected)
    if wanted is None:
        raise TypeError(f"assert_close compares numbers, not {describe(expected)}: use assert_equal")
    scalar = isinstance(expected, numbers.Number)
    family = (torch.Tensor if isinstance(expected, torch.Tensor) else
              np.ndarray if isinstance(expected, np.ndarray) else None)
    if got is None or (family and not isinstance(actual, family)):
        _fail(what, f"wrong type: got {describe(actual)}, expected {'a number' if scalar else kind_of(family)}.", hint)
    if scalar and got.size == 1:
        got = got.reshape(())
    if got.shape != wanted.shape:
        shape = "another one was expected" if hide else f"expected {wanted.shape}"
        _fail(what, f"wrong shape: got {got.shape}, {shape}.", hint)
    if not scalar and _KINDS.get(got.dtype.kind) != _KINDS.get(wanted.dtype.kind):
        _fail(what, f"wrong dtype: got {_dtype_name(actual.dtype)}, expected "
              f"{'an ' if wanted.dtype.kind in 'iu' else 'a '}{_KINDS.get(wanted.dtype.kind)} one.", hint)
    _values(actual, got, expected, wanted, what, rtol, atol, equal_nan, hint, hide)


def _values(actual, got, expected, wanted, what, rtol, atol, equal_nan, hint, hide) -> None:
    loose = [TOLERANCE[name] for name in (_precision(actual), _precision(expected)) if name in TOLERANCE]
    default_r, default_a = max(loose, default=(0.0, 0.0))
    rtol = default_r if rtol is None else rtol
    atol = default_a if atol is None else atol
    if got.dtype.kind == "b":
        near = got == wanted
    else:
        with np.errstate(all="ignore"):
            near = (np.abs(got - wanted) <= atol + rtol * np.abs(wanted)) & np.isfinite(wanted) | (got == wanted)
    if equal_nan and got.dtype.kind in "fc":
        near |= np.isnan(got) & np.isnan(wanted)
    if near.all():
        return
    index = tuple(int(i) for i in np.argwhere(~near)[0])
    yours, right = got[index], wanted[index]
    if got.dtype.kind in "fc" and np.isnan(yours):
        _fail(what, f"values differ: yours is nan{place(index)}.", hint)
    shown = f"yours {number(yours)}" + ("" if hide else f", expected {number(right)}")
    _fail(what, f"values differ{', first at' + place(index) if index else ''}: {shown}.", hint)


def _array(value: Any) -> np.ndarray | None:
    """`value` as an array for comparing, or None where it is no number, tensor or array of numbers."""
    if isinstance(value, torch.Tensor):
        value = value.detach().cpu()
        return value.to(torch.float64).numpy() if value.is_floating_point() else value.numpy()
    if isinstance(value, (numbers.Number, np.ndarray, np.generic)):
        array = np.asarray(value)
        return array if array.dtype.kind in "biufc" else None
    return None


def _precision(value: Any) -> str:
    if isinstance(value, numbers.Number) and not isinstance(value, np.generic):
        return "float64"
    return _dtype_name(value.dtype)


def assert_equal(actual: Any, expected: Any, what: str = "the result", hint: str = "",
                 mistakes: Mapping[str, Any] | None = None, of: str = "") -> None:
    """Fails unless the two are equal: numbers, strings, sets, dictionaries, shapes; nested is fine.

    A list, a tuple and torch.Size with equal entries are equal; True is not 1; a tensor of one entry equals its
    number. `mistakes` as in assert_close.
    """
    _answered(actual, what)
    hide = in_hidden_part()
    if _plain(actual) != _plain(expected):
        hint = next((sentence for sentence, value in (mistakes or {}).items() if _plain(actual) == _plain(value)), hint)
        if type(_plain(actual)[1]) is not type(_plain(expected)[1]):
            wanted = kind_of(type(expected))
            _fail(what, f"wrong type: got {describe(actual)}, expected {wanted}.", hint)
        where, actual, expected = _first_difference(actual, expected)
        wanted = "another value was expected" if hide else f"expected {describe(expected)}"
        _fail(what, f"values differ{where}: got {describe(actual)}, {wanted}.", hint)
    record(what)


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


def _plain(value: Any) -> tuple:
    """A form in which equal answers are equal and True differs from 1."""
    if isinstance(value, (torch.Tensor, np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, bool):
        return "bool", value
    if isinstance(value, numbers.Number):
        return "number", 0.0 if not isinstance(value, complex) and math.isnan(value) else value, value == value
    if isinstance(value, (list, tuple)):
        return "list", [_plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return "set", frozenset(repr(_plain(item)) for item in value)
    if isinstance(value, Mapping):
        return "dict", {repr(_plain(key)): _plain(item) for key, item in value.items()}
    return type(value).__name__, value if isinstance(value, (str, bytes, type(None), slice)) else str(value)


def assert_true(condition: Any, what: str, hint: str = "", of: str = "") -> None:
    """Fails unless `condition`, computed by the test from plain data, is True."""
    if isinstance(condition, (torch.Tensor, np.ndarray, np.generic)) and getattr(condition, "size", None) is not None:
        condition = condition.item()
    if condition is not True:
        _fail(what, "this does not hold.", hint)
    record(what)


def assert_raises(errors: type[BaseException] | tuple[type[BaseException], ...], call: Callable, *args: Any,
                  what: str = "", match: str = "", hint: str = "", of: str = "") -> None:
    """Fails unless `call(*args)` raises one of the errors, with `match` in its message."""
    errors = errors if isinstance(errors, tuple) else (errors,)
    wanted = " or ".join(error.__name__ for error in errors)
    try:
        result = call(*args)
    except Exception as error:
        # an error from the student's process carries the names of its classes
        names = getattr(error, "type_names", [c.__name__ for c in type(error).__mro__])
        if not any(error_type.__name__ in names for error_type in errors):
            _fail(what, f"raised {names[0]}: {error}; expected {wanted}.", hint)
        if match and match not in str(error):
            _fail(what, f"raised {names[0]} without {match!r} in its message: {error}", hint)
    else:
        _fail(what, f"returned {describe(result)}, expected {wanted} to be raised.", hint)
    record(what)


def assert_table(actual: Any, expected: Any, what: str = "the table", hint: str = "",
                 rtol: float = 1e-6, atol: float = 1e-8, of: str = "") -> None:
    """Fails unless two pandas objects agree: columns, number of rows, index, then values. NaN equals NaN.

    Numbers agree up to the tolerance whatever their dtype; True equals 1, as get_dummies of any dtype gives it.
    """
    import pandas as pd
    _answered(actual, what)
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
    record(what)


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
