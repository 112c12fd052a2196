"""Known mistakes: what each wrong variant of an exercise replies to its check, to tell a student which one is theirs."""
from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import torch

from course.engine import plain

RTOL, COARSE = 1e-6, 1e-5       # up to these two answers are the same: float64; other floats, and numbers that come from them
TINY = 1e-14                    # so far apart two numbers are the same however small they are
LAST = 3                        # replies that show why a check ended


def recognise(verdict, known: list[tuple[str, list, str]]) -> tuple[str, str]:
    """The known mistake whose replies equal this failed check's, and "". Where several do, nobody knows which it was:
    then "" and the requirement that all of them break, or two empty strings. Where the message has a hint, though none that names
    the mistake, and the last replies are such that many mistakes give them, none is named.

    `known` holds (name, replies, the requirement that it breaks, "" where it names none).
    """
    found = [(why, breaks) for why, replies, breaks in known if alike(replies, verdict.replies)]
    if len(found) == 1:
        sure = verdict.named or not verdict.hinted or any(map(telling, verdict.replies[-LAST:]))
        return found[0][0] if sure else "", ""
    broken = {breaks for _, breaks in found}
    return "", broken.pop() if len(broken) == 1 else ""


def telling(reply: Any) -> bool:
    """Whether a reply (plain's data) holds a number beside whole ones, halves and the like, which mistakes share by chance."""
    try:
        return any(not float(12 * number).is_integer() for number in _numbers(plain.decode(reply, lambda payload: "handle")))
    except Exception:       # as in _same
        return False


def _numbers(value: Any) -> Iterable[float]:
    """The finite numbers in a value."""
    if isinstance(value, (torch.Tensor, np.ndarray)):
        value = value.tolist()
    elif hasattr(value, "to_numpy"):
        value = value.to_numpy().tolist()
    elif isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple, set)):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, (int, float)) and math.isfinite(value):
        yield value


def alike(one: list, two: list) -> bool:
    """Whether two answers replied the same to all of a check's questions."""
    return len(one) == len(two) and all(map(_same, one, two))


def _same(one: Any, two: Any) -> bool:
    """Whether two replies (plain's data) are the same answer, up to rounding; handles are all alike."""
    try:
        return _alike(plain.decode(one, lambda payload: "handle"), plain.decode(two, lambda payload: "handle"))
    except Exception:       # whatever the student's process made up cannot be compared: it is no known mistake
        return False


def _alike(one: Any, two: Any) -> bool:
    if type(one) is not type(two):
        return False
    if isinstance(one, torch.Tensor):
        return (one.shape == two.shape and one.dtype == two.dtype and one.device == two.device
                and (one.device.type == "meta" or _close(one.detach().double().numpy(), two.detach().double().numpy(),
                                                         RTOL if one.dtype == torch.float64 else COARSE)
                     if not one.is_complex() else torch.equal(one, two)))
    if isinstance(one, np.ndarray):
        if one.shape != two.shape or one.dtype != two.dtype:
            return False
        return (_close(one, two, RTOL if one.dtype == np.float64 else COARSE) if one.dtype.kind in "biufc"
                else bool((one == two).all()))
    if isinstance(one, float):
        return math.isclose(one, two, rel_tol=COARSE, abs_tol=TINY) or (math.isnan(one) and math.isnan(two))
    if isinstance(one, (list, tuple)):
        return len(one) == len(two) and all(map(_alike, one, two))
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(_alike(one[k], two[k]) for k in one)
    if hasattr(one, "equals"):      # pandas
        return bool(one.equals(two))
    return bool(one == two)


def _close(one: np.ndarray, two: np.ndarray, rtol: float) -> bool:
    """Up to rounding: beside large entries a small one may be off by a millionth of them."""
    finite = np.abs(two[np.isfinite(two)])
    return bool(np.allclose(one, two, rtol, max(TINY, 1e-6 * finite.max(initial=0)), equal_nan=True))
