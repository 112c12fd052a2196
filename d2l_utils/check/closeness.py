"""Whether numbers are close: shape, dtype, then values, with a tolerance by the expected value's dtype."""
from __future__ import annotations

import decimal
import fractions
import numbers
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from d2l_utils.check.describe import apart, describe, kind_of, place
from d2l_utils.check.failure import CheckFailed, Hint

# relative and absolute tolerance by the dtype of the expected value
TOLERANCE = {"float64": (1e-7, 1e-9), "complex128": (1e-7, 1e-9), "float32": (1e-4, 1e-5), "complex64": (1e-4, 1e-5),
             "float16": (1e-2, 1e-3), "bfloat16": (3e-2, 1e-2)}
_COARSE = {"float16", "bfloat16"}
_KINDS = {"b": "bool", "i": "integer", "u": "integer", "f": "floating point", "c": "complex"}


@dataclass(frozen=True)
class Close:
    """A comparison of numbers: what it is about, its tolerance (None: by dtype), whether the message may hold the expected
    value, and whether it is about an entry of what was given."""
    what: str
    rtol: float | None = None
    atol: float | None = None
    equal_nan: bool = False
    hint: Hint = ""
    hide: bool = True
    entry: bool = False

    def fail(self, problem: str) -> None:
        raise CheckFailed(self.what, problem, self.hint)

    def check(self, actual: Any, expected: Any) -> None:
        """Raises CheckFailed unless the two are close."""
        answered(actual, expected, self)
        if isinstance(expected, Mapping):
            self._mapping(actual, expected)
        elif isinstance(expected, (list, tuple)):
            self._sequence(actual, expected)
        else:
            self._numbers(actual, expected)

    def _mapping(self, actual: Any, expected: Mapping) -> None:
        if not isinstance(actual, Mapping):
            self.fail(f"wrong type: got {describe(actual)}, expected a dictionary.")
        if set(actual) != set(expected):
            wanted = "others were expected" if self.hide else f"expected {sorted(map(str, expected))}"
            self.fail(f"wrong keys: got {sorted(map(str, actual))}, {wanted}.")
        for key, value in expected.items():
            replace(self, what=f"{self.what} [{key!r}]", entry=True).check(actual[key], value)

    def _sequence(self, actual: Any, expected: list | tuple) -> None:
        if not isinstance(actual, (list, tuple, torch.Tensor, np.ndarray)):
            self.fail(f"wrong type: got {describe(actual)}, expected {describe(expected, values=not self.hide)}.")
        if getattr(actual, "shape", (0,)) == () or len(actual) != len(expected):
            size = "no entries" if getattr(actual, "shape", (0,)) == () else _entries(len(actual))
            self.fail(f"wrong length: got {size}, expected {len(expected)}.")
        for i, value in enumerate(expected):
            replace(self, what=f"{self.what}, entry {i}", entry=True).check(actual[i], value)

    def _numbers(self, actual: Any, expected: Any) -> None:
        got, wanted = array_of(actual), array_of(expected)
        if wanted is None:
            raise TypeError(f"assert_close compares numbers, not {describe(expected)}: use assert_equal")
        scalar = isinstance(expected, (numbers.Number, np.generic))
        family = (torch.Tensor if isinstance(expected, torch.Tensor) else
                  np.ndarray if isinstance(expected, np.ndarray) else None)
        if got is None or (family and not isinstance(actual, family)):
            self.fail(f"wrong type: got {describe(actual)}, expected {'a number' if scalar else kind_of(family)}.")
        if scalar and got.size == 1:
            got = got.reshape(())
        if got.shape != wanted.shape:
            shape = ("another one was expected" if self.hide else "expected a number" if scalar else
                     f"expected {wanted.shape}")
            self.fail(f"wrong shape: got {got.shape}, {shape}.")
        if not scalar and _KINDS.get(got.dtype.kind) != _KINDS.get(wanted.dtype.kind):
            self.fail(f"wrong dtype: got {dtype_name(actual.dtype)}, expected "
                      f"{'an ' if wanted.dtype.kind in 'iu' else 'a '}{_KINDS.get(wanted.dtype.kind)} one.")
        self._values(actual, got, expected, wanted)

    def _values(self, actual: Any, got: np.ndarray, expected: Any, wanted: np.ndarray) -> None:
        default = _tolerance(actual, got, expected, wanted)
        rtol, atol = (given if given is not None else usual for given, usual in zip((self.rtol, self.atol), default))
        with np.errstate(all="ignore"):
            if got.dtype.kind == "b" and wanted.dtype.kind == "b":
                near = got == wanted
            else:
                got_, wanted_ = (a.astype(np.int8) if a.dtype.kind == "b" else a for a in (got, wanted))
                off = np.abs(got_ - wanted_)
                near = (off <= atol + rtol * np.abs(wanted_)) & np.isfinite(wanted_) | (got_ == wanted_)
        if self.equal_nan and got.dtype.kind in "fc":
            near |= np.isnan(got) & np.isnan(wanted)
        if near.all():
            return
        index = tuple(int(i) for i in np.argwhere(~near)[0])
        yours, right = got[index], wanted[index]
        if got.dtype.kind in "fc" and np.isnan(yours):
            self.fail(f"values differ: yours is nan{' at' + place(index) if index else ''}.")
        mine, theirs = apart(yours, right)
        shown = f"yours {mine}" + ("" if self.hide else f", expected {theirs}")
        self.fail(f"values differ{', first at' + place(index) if index else ''}: {shown}"
                  f"{_margin(yours, right, rtol, atol, _coarser(actual, expected))}.")


def answered(actual: Any, expected: Any, comparison: Close) -> None:
    """Fails where there is no value, unless None is what is expected."""
    if actual is Ellipsis:
        comparison.fail("got Ellipsis, the `...` of an unwritten answer.")
    if actual is None and expected is not None:
        comparison.fail("got None." if comparison.entry else f"got None. ({no_return('grad' in comparison.what)})")


def no_return(of_gradient: bool) -> str:
    """What makes a None where a value was expected."""
    return "A call that ends without `return` gives None, too" + "; `.grad` is None before a backward pass" * of_gradient + "."


def _entries(count: int) -> str:
    return f"{count} entr{'y' if count == 1 else 'ies'}"


def _tolerance(actual: Any, got: np.ndarray, expected: Any, wanted: np.ndarray) -> tuple[float, float]:
    """The expected value's dtype decides: a coarse answer must not widen it. Only float32 is as good as float64."""
    if got.dtype.kind in "iub" and wanted.dtype.kind in "iub":
        return 0.0, 0.0
    mine, theirs = precision(actual), precision(expected)
    if theirs not in TOLERANCE:
        theirs = "float64"
    if theirs in ("float64", "complex128") and mine in ("float32", "complex64"):
        return TOLERANCE[mine]
    return TOLERANCE[theirs]


def _coarser(actual: Any, expected: Any) -> str:
    """The answer's dtype where it holds fewer digits than the comparison asks for."""
    mine = precision(actual)
    return mine if mine in _COARSE and precision(expected) not in _COARSE else ""


def _margin(yours: Any, right: Any, rtol: float, atol: float, coarse: str) -> str:
    """The tolerance in words, where it is what decides."""
    with np.errstate(all="ignore"):
        off, size = float(abs(yours - right)) if not isinstance(yours, np.bool_) else np.inf, float(abs(right))
    if not (rtol or atol) or not off <= max(1e-3 * size, 1e3 * atol):
        return f" (yours is {coarse})" if coarse else ""
    words = [f"{rtol:g} of the value"] * bool(rtol) + [f"{atol:g}"] * bool(atol)
    return f" (tolerance: {' plus '.join(words)}{f'; yours is {coarse}' if coarse else ''})"


def array_of(value: Any) -> np.ndarray | None:
    """`value` as an array for comparing, or None where it is no number, tensor or array of numbers."""
    if isinstance(value, torch.Tensor):
        if value.device.type == "meta":
            return None
        value = value.detach().cpu().resolve_conj().resolve_neg()
        return value.to(torch.float64).numpy() if value.is_floating_point() else value.numpy()
    if isinstance(value, (fractions.Fraction, decimal.Decimal)):
        value = float(value)
    if isinstance(value, (numbers.Number, np.ndarray, np.generic)):
        array = np.asarray(value)
        return array if array.dtype.kind in "biufc" else None
    return None


def precision(value: Any) -> str:
    if isinstance(value, numbers.Number) and not isinstance(value, np.generic):
        return "float64"
    return dtype_name(value.dtype)


def dtype_name(dtype: Any) -> str:
    """torch.float32, np.float32 and np.dtype("float32") alike: "float32"."""
    return str(dtype).removeprefix("torch.") if isinstance(dtype, torch.dtype) else np.dtype(dtype).name

