"""What further calls of an answer say about a wrong value: where it and the right function part, and where they do not."""
from __future__ import annotations

import copy
import itertools
import math
import numbers
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

from d2l_utils.check.closeness import array_of

_ROWS = 8           # that are asked for one at a time
_TINY = 1e-9        # smaller numbers may be what rounding leaves of 0
_CLOSE, _APART = 1e-4, 1e-2        # relative: nearer is equal, farther is not; between the two nothing is said


def where_they_part(answer: Callable, oracle: Callable, **arguments: Any) -> str:
    """A sentence for `hint=`: what further calls show of an `answer` whose value for these arguments is not `oracle`'s.

    Both take the arguments by position, in this order; the sentence calls them by the names that are given here. First the
    oracle is asked for other arguments, as people take them by mistake: "Yours is what comes out where `p` and `t` are
    exchanged". Then numbers with a decimal point and floating point tensors are doubled, set to 0 and 1, or turned in sign, one
    at a time, and all tensors of one length are cut to each of their rows: "Where `lam` is 0, yours is right", "Where `sigma` is
    twice as large, the result should become 4 times as large; yours becomes 8 times as large". "" where nothing is certain. It
    holds no expected value.

        assert_close(ridge(X, y, lam), right(X, y, lam), "7 rows", hint=lambda: where_they_part(ridge, right, X=X, y=y, lam=lam))
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")         # of changed arguments the oracle may complain, of a single row for one
        pair = _Pair(answer, oracle, arguments)
        if not pair.differ():
            return ""
        scaled = [name for name, value in arguments.items() if _is_real(value)]
        rules = (_as_if, _left_out, _right_where, _one_row, _growth, _turned)
        return next((sentence for rule in rules for sentence in rule(pair, scaled)), "")


class _Pair:
    """An answer and the oracle at arguments of which some are changed; the one of several results that differs is looked at."""

    def __init__(self, answer: Callable, oracle: Callable, arguments: dict[str, Any]):
        self.answer, self.oracle, self.arguments = answer, oracle, arguments
        yours, right = self._leaves(answer, arguments), self._leaves(oracle, arguments)
        self.entry = next((i for i, (one, other) in enumerate(zip(yours, right)) if not _equal(one, other)), None)
        self.several = len(right) > 1
        self.sound = len(yours) == len(right) and self.entry is not None
        if self.sound:
            self.yours, self.right = yours[self.entry], right[self.entry]
            self.sound = self.yours.shape == self.right.shape and _finite(self.yours) and _finite(self.right)

    def differ(self) -> bool:
        return self.sound and _apart(self.yours, self.right)

    def it(self) -> str:
        return f"entry {self.entry} of the result" if self.several else "the result"

    def at(self, **changed: Any) -> tuple[np.ndarray, np.ndarray] | None:
        """(yours, the right one) with these arguments in place of theirs; None where one of them cannot say."""
        arguments = {**self.arguments, **changed}
        try:
            found = [self._leaves(of, arguments)[self.entry] for of in (self.answer, self.oracle)]
        except Exception:
            return None
        return tuple(found) if all(map(_finite, found)) else None

    def right_is(self, value: np.ndarray, arguments: dict[str, Any]) -> bool:
        """Whether the oracle's result for these arguments is this value."""
        try:
            return _equal(value, self._leaves(self.oracle, arguments)[self.entry])
        except Exception:
            return False

    @staticmethod
    def _leaves(of: Callable, arguments: dict[str, Any]) -> list[np.ndarray]:
        """The results as arrays; what is no number, and no list or tuple of numbers and tensors, ends the trial."""
        found = of(*(copy.deepcopy(value) for value in arguments.values()))
        leaves = [array_of(leaf) for leaf in (found if isinstance(found, (list, tuple)) else [found])]
        if any(leaf is None or leaf.dtype.kind not in "iuf" for leaf in leaves):
            raise TypeError("no numbers")
        return [leaf.astype(np.float64) for leaf in leaves]


def _is_real(value: Any) -> bool:
    if isinstance(value, torch.Tensor):
        return value.is_floating_point() and value.numel() > 0
    return isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral)


def _finite(value: np.ndarray) -> bool:
    return bool(np.isfinite(value).all()) and value.size > 0


def _off(one: np.ndarray, two: np.ndarray) -> float:
    """How far apart, relative to the largest entry."""
    size = max(np.abs(one).max(initial=0), np.abs(two).max(initial=0), _TINY)
    return float(np.abs(one - two).max(initial=0) / size)


def _vanishes(value: np.ndarray) -> bool:
    return not (np.abs(value) > _TINY).any()


def _equal(one: np.ndarray, two: np.ndarray) -> bool:
    return one.shape == two.shape and _finite(one) and _finite(two) and _off(one, two) < _CLOSE


def _apart(one: np.ndarray, two: np.ndarray) -> bool:
    return one.shape == two.shape and _off(one, two) > _APART


def _as_if(pair: _Pair, names: list[str]) -> Iterator[str]:
    """The right result of arguments that are changed in one way, and in no other way that is tried; also where each of their
    entries is larger by a part of its own, so that it is no accident of these numbers."""
    if _vanishes(pair.yours):
        return
    found = [words for words, arguments in _confused(pair.arguments) if pair.right_is(pair.yours, arguments)]
    factor = _factor(pair.yours, pair.right)
    whole = factor is not None and any(abs(factor / simple - 1) < _CLOSE for simple in (-1, 2, 0.5, 4, 0.25))
    if len(found) != 1 or whole and found[0].endswith(("as large", "the other sign")):
        return
    larger = {name: _larger(pair.arguments[name], 1.1 + 0.13 * i) for i, name in enumerate(names)}
    there = pair.at(**larger)
    arguments = dict(_confused({**pair.arguments, **larger})).get(found[0])
    if there is not None and arguments is not None and pair.right_is(there[0], arguments):
        yield f"Yours is what comes out {found[0]}."


def _larger(value: Any, factor: float) -> Any:
    if not isinstance(value, torch.Tensor):
        return factor * value
    return value * torch.linspace(factor, factor + 0.1, value.numel(), dtype=value.dtype).reshape(value.shape)


def _confused(arguments: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What people take arguments for, in words, and the arguments then."""
    for one, other in itertools.combinations(arguments, 2):
        if _kind(arguments[one]) == _kind(arguments[other]):
            yield (f"where `{one}` and `{other}` are exchanged",
                   arguments | {one: arguments[other], other: arguments[one]})
    for name, value in arguments.items():
        if isinstance(value, int) and not isinstance(value, bool):
            changes = {"is one less": value - 1, "is one more": value + 1}
        elif isinstance(value, torch.Tensor) and value.is_floating_point() and value.numel():
            changes = {"is taken without its signs": value.abs(), "has the other sign": -value, "is squared": value.square()}
            if value.ndim and len(value) > 1:
                changes |= {"is in reverse order": value.flip(0), "lacks its first entry": value[1:],
                            "lacks its last entry": value[:-1],
                            "has the mean of its first axis taken away": value - value.mean(0)}
            if value.ndim == 2:
                changes |= {"is transposed": value.T}
            if (value >= 0).all():
                changes |= {"is replaced by its root": value.sqrt()}
        elif _is_real(value):
            changes = {"is taken without its sign": abs(value), "has the other sign": -value, "is squared": value**2,
                       "is twice as large": 2 * value, "is half as large": value / 2}
            if value > 0:
                changes |= {"is replaced by its root": value**0.5, "is replaced by its reciprocal": 1 / value}
        else:
            continue
        for words, other in changes.items():
            if not (torch.equal(other, value) if isinstance(value, torch.Tensor) else other == value):
                yield f"where `{name}` {words}", arguments | {name: other}


def _kind(value: Any) -> Any:
    """Equal for arguments that may stand in each other's place."""
    return (value.shape, value.dtype) if isinstance(value, torch.Tensor) else type(value) if _is_real(value) else object()


def _left_out(pair: _Pair, names: list[str]) -> Iterator[str]:
    """An argument that changes nothing."""
    for name in names:
        if (found := pair.at(**{name: 2 * pair.arguments[name]})) is None:
            continue
        if np.array_equal(found[0], pair.yours) and _apart(found[1], pair.right):
            yield f"Where `{name}` is twice as large, {pair.it()} should be another one; yours stays the same."


def _right_where(pair: _Pair, names: list[str]) -> Iterator[str]:
    """Arguments that, one at a time, are 0 or 1, and the answer is right."""
    for number in (0, 1):
        if found := [name for name in names if _right_at(pair, name, number)]:
            which = " or ".join(f"`{name}`" for name in found)
            wide = any(isinstance(pair.arguments[name], torch.Tensor) and pair.arguments[name].numel() > 1 for name in found)
            end = f"look at what becomes of {which} elsewhere" if len(found) == 1 else "look at what these do together"
            yield f"Where {which} is {'all ' * wide}{number}, yours is right: {end}."


def _right_at(pair: _Pair, name: str, number: float) -> bool:
    """Whether the answer is right there, and by more than chance: zeros, or an argument as it came, are so by many ways."""
    value = pair.arguments[name]
    changed = {name: torch.full_like(value, number) if isinstance(value, torch.Tensor) else float(number)}
    found = pair.at(**changed)
    if found is None or not _equal(*found) or _vanishes(found[1]):
        return False
    given = filter(lambda one: one is not None, map(array_of, {**pair.arguments, **changed}.values()))
    return not any(one.dtype.kind in "iuf" and _equal(found[1], one) for one in given)


def _one_row(pair: _Pair, names: list[str]) -> Iterator[str]:
    """Each row alone, and the answer is right."""
    tensors = {name: value for name, value in pair.arguments.items() if isinstance(value, torch.Tensor) and value.ndim > 0}
    for rows in dict.fromkeys(len(value) for value in tensors.values()):
        whole = {name: value for name, value in tensors.items() if len(value) == rows}
        if not 2 <= rows <= _ROWS:
            continue
        alone = [pair.at(**{name: value[i:i + 1] for name, value in whole.items()}) for i in range(rows)]
        if all(found is not None and _equal(*found) for found in alone) and not all(_vanishes(found[1]) for found in alone):
            which = " and ".join(f"`{name}`" for name in whole)
            yield (f"With each of the {rows} entries of {which} alone, yours is right: "
                   "look at how several of them are put together.")


def _growth(pair: _Pair, names: list[str]) -> Iterator[str]:
    """One argument doubled."""
    for name in names:
        if (found := pair.at(**{name: 2 * pair.arguments[name]})) is None:
            continue
        yours, right = _factor(found[0], pair.yours), _factor(found[1], pair.right)
        if right is None or not _simple(right) or _equal(found[0], right * pair.yours):
            continue        # a law with other growth has more to it than a power
        if yours is not None and abs(yours - right) > _APART * abs(right):
            yield f"Where `{name}` is twice as large, {pair.it()} should {_becomes(right)}; yours {_becomes(yours, 's')}."
        elif _apart(found[0], right * pair.yours):
            yield f"Where `{name}` is twice as large, {pair.it()} should {_becomes(right)}; yours does not."


def _turned(pair: _Pair, names: list[str]) -> Iterator[str]:
    """One argument with the other sign."""
    for name in names:
        if (found := pair.at(**{name: -pair.arguments[name]})) is None or _vanishes(pair.right) or _vanishes(pair.yours):
            continue
        for sign, words in ((1, "stay as it is"), (-1, "turn its sign, too")):
            if _equal(found[1], sign * pair.right) and _apart(found[0], sign * pair.yours):
                yield f"Where `{name}` has the other sign, {pair.it()} should {words}; yours does not."


def _factor(one: np.ndarray, two: np.ndarray) -> float | None:
    """The number by which `two` is multiplied in `one`, if it is the same for all entries."""
    if one.shape != two.shape or _vanishes(two):
        return None
    top = np.unravel_index(np.abs(two).argmax(), two.shape)
    factor = float(one[top] / two[top])
    return factor if _equal(one, factor * two) else None


def _simple(factor: float) -> bool:
    """Whether it is a power of 2, or 0: what a doubled argument makes of a product of powers."""
    return abs(factor) < _CLOSE or abs(math.log2(abs(factor)) - round(math.log2(abs(factor)))) < _CLOSE


def _becomes(factor: float, s: str = "") -> str:
    """The predicate of a result that is multiplied by this number: "become 4 times as large"."""
    if abs(factor - 1) < _CLOSE:
        return "stays the same" if s else "stay the same"
    if abs(factor) < _CLOSE:
        return f"become{s} 0"
    for exact, words in ((2, "twice as large"), (0.5, "half as large"), (0.25, "a quarter as large"), (-1, "its negative")):
        if abs(factor / exact - 1) < _CLOSE:
            return f"become{s} {words}"
    return f"become{s} {factor:.4g} times as large"
