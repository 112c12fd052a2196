"""How wrong numbers stand to the right ones: "each of yours is 2 times the expected value". A fact that holds for all
entries, said where no known mistake was recognised; nothing is guessed from a few round numbers."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import torch

from d2l_utils.check.closeness import array_of
from d2l_utils.check.describe import number, place

MANY = 100_000      # entries that are looked at
_COUNTS = {1.4426950408889634: " (1 / log 2)", 0.6931471805599453: " (log 2)", 2.302585092994046: " (log 10)",
           0.4342944819032518: " (1 / log 10)", 1.4142135623730951: " (√2)", 0.7071067811865476: " (1 / √2)",
           3.141592653589793: " (π)", 0.3183098861837907: " (1 / π)"}


def relation(actual: Any, expected: Any, passes: Callable[[Any, Any], bool], hide: bool) -> str:
    """A sentence on two values of which `passes` says that they differ, "" where there is nothing to say. Where `hide`, it
    names no factor, no difference and no expected value."""
    got, wanted = _whole(actual), _whole(expected)
    if got is not None and wanted is not None:
        return _arrays(got, wanted, hide, _like(expected, passes)) if max(got.size, wanted.size) <= MANY else ""
    for one, other in _pairs(actual, expected):
        if not passes(one, other):
            return relation(one, other, passes, hide)
    return ""


def entries_apart(got: Any, wanted: Any, hide: bool) -> str:
    """A sentence on two lists that differ, or on two sets: the same entries in another order, entries too many or too few."""
    if isinstance(got, frozenset) and isinstance(wanted, frozenset):
        missing, more = len(wanted - got), len(got - wanted)
        return ("" if hide or not got & wanted else f"{missing} missing, none too many." if not more else
                f"{more} too many, none missing." if not missing else "")
    if not isinstance(got, list) or not isinstance(wanted, list) or len(wanted) < 3:
        return ""
    if len(set(map(repr, wanted))) > 2 and sorted(map(repr, got)) == sorted(map(repr, wanted)):     # of two kinds, by chance
        return "The entries are right, in reverse order." if got == wanted[::-1] else "The entries are right, in another order."
    few, many = sorted((got, wanted), key=len)
    count = len(many) - len(few)
    if not few or not count or few not in (many[:len(few)], many[-len(few):]):
        return ""
    which = f"{'last' if few == many[:len(few)] else 'first'} {_some(count)}"
    return f"What is there is right; the {which} missing." if few is got else f"The {which} too many."


def _some(count: int) -> str:
    return "is" if count == 1 else f"{count} are"


def _whole(value: Any) -> np.ndarray | None:
    """A number, a tensor, or a list, tuple or dictionary of numbers, as one array of floating point numbers."""
    if isinstance(value, Mapping):
        value = [value[key] for key in sorted(value, key=str)]
    if isinstance(value, (list, tuple)):
        entries = [array_of(entry) if not isinstance(entry, bool) else None for entry in value]
        if not entries or any(entry is None or entry.size != 1 for entry in entries):
            return None
        found = np.array([entry.reshape(()) for entry in entries])
    else:
        found = array_of(value)
    return found.astype(np.float64) if found is not None and found.dtype.kind in "iuf" else None


def _pairs(actual: Any, expected: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(expected, Mapping) and isinstance(actual, Mapping) and set(actual) == set(expected):
        return [(actual[key], expected[key]) for key in expected]
    if isinstance(expected, (list, tuple)) and isinstance(actual, (list, tuple)) and len(actual) == len(expected):
        return zip(actual, expected)
    return []


def _like(expected: Any, passes: Callable[[Any, Any], bool]) -> Callable[[np.ndarray, np.ndarray], bool]:
    """`passes` for arrays of floats, as what `expected` is: its dtype decides the tolerance."""
    def same_kind(values: np.ndarray) -> Any:
        if isinstance(expected, torch.Tensor):
            return torch.from_numpy(values).to(expected.dtype)
        return values.astype(expected.dtype) if isinstance(expected, np.ndarray) else values
    return lambda one, other: passes(same_kind(one), same_kind(other))


def _arrays(got: np.ndarray, wanted: np.ndarray, hide: bool, passes: Callable[[np.ndarray, np.ndarray], bool]) -> str:
    if not np.isfinite(wanted).all():
        return ""
    if got.shape != wanted.shape:
        return _other_shape(got, wanted)
    if got.size == 0:
        return ""
    if not np.isfinite(got).all():
        return _same_places(~np.isfinite(got), "that are not finite", wanted, hide) if got.size > 1 else ""
    with np.errstate(all="ignore"):
        if got.size == 1:
            return _one(got.item(), wanted.item(), hide)
        if _near(got, wanted):      # the difference lies in digits that none of the rules looks at
            return ""
        for rule in (_multiple, _by_function, _order, _alike):
            if fact := rule(got, wanted, hide):
                return fact
        near = _matches(got, wanted)        # by more than the assertion allows, perhaps: then others differ, too
        return (_few(near, wanted, hide) if passes(np.where(near, got, wanted), wanted) else "") or _rows(got, wanted)


def _matches(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """Entry by entry, whether they are equal but for rounding, float32's at worst, also where a sum of large ones is small."""
    return np.abs(one - two) <= 1e-5 * np.abs(two) + 1e-7 * np.abs(two).max(initial=0)


def _near(one: np.ndarray, two: np.ndarray) -> bool:
    """Whether all entries match."""
    return one.shape == two.shape and bool(np.isfinite(two).all() and _matches(one, two).all())


def _exchanged(got: np.ndarray, wanted: np.ndarray) -> str:
    if got.ndim == 2 and min(got.shape) > 1 and _near(got.T, wanted):
        return "It is the expected table with rows and columns exchanged."
    return ""


def _plain(value: float, most: int = 120) -> bool:
    """Whether it is a fraction with a small denominator: two of these stand in a simple relation by chance."""
    parts = np.abs(value) * np.arange(1, most + 1)
    return bool((np.abs(parts - np.round(parts)) < 1e-5 * np.maximum(1, parts)).any())


def _other_shape(got: np.ndarray, wanted: np.ndarray) -> str:
    if got.size == wanted.size > 1 and _near(got.ravel(), wanted.ravel()):
        return "The numbers are right, and in the right order."
    return _exchanged(got, wanted)


def _one(got: float, wanted: float, hide: bool) -> str:
    """Of a single number only what hardly happens by chance."""
    if got == 0:
        return ""
    mine, right, words = np.array(got), np.array(wanted), ("It is", "the expected number")
    if _plain(wanted):      # and of two round numbers only the digits
        small = _plain(wanted, 4) and abs(wanted) <= 4      # the root of 1/2 is many things
        return _cut(mine, right, *words, _digits(got)) if _plain(got) or small else _function(mine, right, *words)
    if _near(mine, -right):
        return "It is the expected number with the other sign."
    return _factor(got / wanted, *words, hide, common=True) or _function(mine, right, *words)


def _factor(factor: float, head: str, of: str, hide: bool, common: bool = False) -> str:
    """`common`: only a factor that people forget."""
    for name, words in _COUNTS.items():
        if abs(factor / name - 1) < 1e-5:
            return f"{head} a constant multiple of {of}." if hide else f"{head} {name:.4g}{words} times {of}."
    whole, part = round(factor), round(1 / factor) if factor else 0
    for count, words in ((whole, f"{whole} times"), (part, "half" if part == 2 else f"1/{part} of")):
        usual = 2 <= abs(count) <= 12 or abs(count) in (100, 1000) or not common and abs(count) > 1
        if usual and abs((factor if count == whole else 1 / factor) / count - 1) < 1e-5:
            return f"{head} a constant multiple of {of}." if hide else f"{head} {words} {of}."
    if common:
        return ""
    return f"{head} a constant multiple of {of}." if hide else f"{head} {factor:.5g} times {of}."


def _multiple(got: np.ndarray, wanted: np.ndarray, hide: bool) -> str:
    """One factor, or one difference, for all entries."""
    if _near(got, -wanted):
        return "Each of yours has the wrong sign."
    if len(np.unique(np.abs(wanted[wanted != 0]))) > 1 and (got != 0).any():
        top = np.unravel_index(np.abs(wanted).argmax(), wanted.shape)
        factor = got[top] / wanted[top]
        if factor and abs(factor - 1) > 1e-3 and _near(got, factor * wanted):
            return _factor(factor, "Each of yours is", "the expected number", hide)
    if len(np.unique(wanted)) > 1:
        off = (got - wanted).ravel()[0]
        seen = abs(off) > 1e-3 * np.abs(wanted).max()       # beside rounding
        if seen and _near(got, wanted + off) and _near(got - wanted, np.full(wanted.shape, off)):
            more = "smaller" if off < 0 else "larger"
            return f"Each of yours is {more} by the same number{'' if hide else ', ' + number(abs(off), 4)}."
    return ""


def _function(got: np.ndarray, wanted: np.ndarray, head: str, of: str) -> str:
    """One function of each entry."""
    positive, within = (wanted > 0).all(), ((wanted >= 0) & (wanted <= 1)).all()
    for holds, value, words in (
            (within, 1 - wanted, f"1 minus {of}"), ((wanted != 0).all(), 1 / wanted, f"1 divided by {of}"),
            (True, wanted**2, f"the square of {of}"), (positive, np.sqrt(wanted), f"the root of {of}"),
            (positive, np.log(wanted), f"the logarithm of {of}"),
            (positive, -np.log(wanted), f"minus the logarithm of {of}"),
            ((wanted < 50).all(), np.exp(np.minimum(wanted, 50)), f"e to the power of {of}"),
            ((wanted < 0).any(), np.abs(wanted), f"{of} without its sign")):
        if holds and _near(got, value):
            return f"{head} {words}."
    return _cut(got, wanted, head, of, _digits(got.item()) if got.size == 1 else range(1, 5))


def _digits(got: float) -> range:
    """To how many digits a single number may be said to be rounded: a share of a count has one or two by chance."""
    return range(3 if _plain(got, 60) else 2, 5)


def _cut(got: np.ndarray, wanted: np.ndarray, head: str, of: str, digits: range) -> str:
    """Rounded to so many digits after the point, or to a whole number below or above."""
    for count in digits:
        if not _exactly(got, np.round(got, max(0, count - 1))) and _exactly(got, np.round(wanted, count)):
            return f"{head} {of}, rounded to {count} digit{'s' * (count > 1)} after the point."
    if got.size > 1 and got.any():       # zeros are what many mistakes leave
        for cut, words in ((np.round, "rounded"), (np.floor, "rounded down"), (np.ceil, "rounded up")):
            if _near(got, cut(wanted)):
                return f"{head} {of}, {words} to a whole number."
    return ""


def _exactly(got: np.ndarray, wanted: np.ndarray) -> bool:
    """Up to the digits of float32: a number that is merely near a rounded one was not rounded."""
    return got.shape == wanted.shape and bool(np.allclose(got, wanted, rtol=3e-7, atol=1e-12))


def _by_function(got: np.ndarray, wanted: np.ndarray, hide: bool) -> str:
    """One function for all entries, if they are many or odd enough."""
    if sum(not _plain(one) for one in wanted.ravel()[:20]) + len(np.unique(wanted)) < 4:
        return ""
    return _function(got, wanted, "Each of yours is", "the expected number")


def _order(got: np.ndarray, wanted: np.ndarray, hide: bool) -> str:
    """The right numbers, elsewhere."""
    if len(np.unique(wanted)) < 3:
        return ""
    if _near(np.sort(got, axis=None), np.sort(wanted, axis=None)):
        if exchanged := _exchanged(got, wanted):
            return exchanged
        if got.ndim == 1 and _near(got[::-1], wanted):
            return "The numbers are right, in reverse order."
        if got.ndim == 2 and _near(got[np.lexsort(got.T)], wanted[np.lexsort(wanted.T)]):
            return "The rows are right, in another order."
        return "The numbers are right, in another order."
    if got.ndim == 1 and len(got) > 3:
        if _near(got[1:], wanted[:-1]):
            return "The numbers come one place late."
        if _near(got[:-1], wanted[1:]):
            return "The numbers come one place early."
        if _near(got, np.cumsum(wanted)):
            return "Each of yours is the sum of the expected numbers up to there."
        if _near(np.cumsum(got), wanted):
            return "Each of yours is the difference of an expected number and the one before it."
    return ""


def _rows(got: np.ndarray, wanted: np.ndarray) -> str:
    """One factor for each row, or for each column."""
    if got.ndim != 2 or min(got.shape) < 2:
        return ""
    for axis, name in ((1, "row"), (0, "column")):
        size = np.square(wanted).sum(axis, keepdims=True)
        factor = (got * wanted).sum(axis, keepdims=True) / np.where(size > 0, size, 1)
        # else they are equal but for digits; and rows of one number each are multiples of any other
        telling = (np.abs(factor - 1) > 1e-3).any() and (np.ptp(wanted, axis) > 0).any()
        # of rank 1 all are multiples of one, whoever computes them: of (1, -1), say
        if (telling and (factor != 0).all() and (size > 0).all() and _near(got, factor * wanted)
                and np.linalg.matrix_rank(wanted) > 1):
            return f"Each {name} of yours is the expected {name} times a number of its own."
    return ""


def _alike(got: np.ndarray, wanted: np.ndarray, hide: bool) -> str:
    if len(np.unique(wanted)) > 1 and (got == got.ravel()[0]).all():
        return f"All of yours are {'alike' if hide else number(got.ravel()[0], 4)}."
    return ""


def _few(near: np.ndarray, wanted: np.ndarray, hide: bool) -> str:
    """Where they differ, if most do not."""
    if not 0 < 2 * (~near).sum() <= near.size or near.size < 3:
        return ""
    return _same_places(~near, "that differ", wanted, hide)


def _same_places(there: np.ndarray, which: str, wanted: np.ndarray, hide: bool) -> str:
    count = int(there.sum())
    if there.size < 3 or count == there.size:
        return ""
    if count == 1:
        index = tuple(int(i) for i in np.argwhere(there)[0])
        where = " the last one" if there.ndim == 1 and index[0] == there.size - 1 else place(index)
        return f"All others are right: only{where} differs." if which == "that differ" else ""
    words = f"{count} of {there.size} entries"
    if there.ndim == 2:
        for axis, name in ((0, "row"), (1, "column")):
            touched = np.flatnonzero(there.any(axis=1 - axis))
            if len(touched) == 1 and there.shape[axis] > 1:
                return f"Those {which} all stand in {name} {touched[0]}."
    if not hide and there.size >= 6:        # of fewer, chance says it
        for condition, name in ((wanted == 0, "0"), (wanted < 0, "negative"), (wanted > 0, "positive")):
            if (condition == there).all():
                return f"Those {which} are all that should be {name}."
    return f"{words} differ." if which == "that differ" else f"{words} are not finite."
