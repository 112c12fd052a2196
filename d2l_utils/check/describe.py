"""Values and types in words, for messages."""
from __future__ import annotations

import numbers
from typing import Any

import numpy as np
import torch


def describe(value: Any, values: bool = True) -> str:
    """`value` in a few words: "a tensor of shape (3, 4), float32", "the list [1, 2]", "a function `f`"."""
    remote = getattr(type(value), "_describe_remote_", None)    # an object that stayed in the student's process
    if remote is not None:
        return remote(value)
    if isinstance(value, torch.Tensor):
        text = f"a tensor of shape {tuple(value.shape)}, {str(value.dtype).removeprefix('torch.')}"
        if not values or value.numel() > 8 or value.device.type == "meta":
            return text
        return f"{text}: {number(value.item()) if value.numel() == 1 else _short(value.tolist())}"
    if isinstance(value, (np.ndarray, np.generic)):
        if value.shape or value.dtype.kind not in "biufc":
            return f"a NumPy array of shape {value.shape}, {value.dtype}"
        return f"the NumPy number {value}"
    if type(value).__name__ in ("DataFrame", "Series"):
        return f"a pandas {type(value).__name__} of shape {value.shape}"
    if isinstance(value, bool) or value is None or value is Ellipsis:
        return repr(value)
    if isinstance(value, (numbers.Number, str, bytes)):
        return f"{kind_of(type(value))}" + (f", {_short(value)}" if values else "")
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        name = "shape" if isinstance(value, torch.Size) else type(value).__name__
        if not values:
            return f"a {name} of {len(value)} entries"
        if isinstance(value, (set, frozenset)) and value:
            # in one order, so that two sets can be compared by eye
            return f"the {name} {_short('{' + ', '.join(sorted(map(repr, value))) + '}', plain=True)}"
        return f"the {name} {_short(tuple(value) if isinstance(value, torch.Size) else value)}"
    if isinstance(value, type):
        return f"the class `{value.__name__}`"
    if callable(value):
        return f"the function `{getattr(value, '__name__', '?')}` itself, not its result"
    return f"a `{type(value).__name__}` object"


def _short(value: Any, limit: int = 80, plain: bool = False) -> str:
    text = value if plain else repr(value)
    return text if len(text) <= limit else text[:limit - 1] + "…"


def kind_of(kind: type) -> str:
    """The name of a type with its article: "a tensor", "an int", "a pandas DataFrame"."""
    names = {torch.Tensor: "a tensor", np.ndarray: "a NumPy array", str: "a string", int: "an integer",
             float: "a number (float)", bool: "True or False", torch.Size: "a shape", bytes: "bytes",
             type(None): "None"}
    if kind in names:
        return names[kind]
    return f"{'an' if kind.__name__[0] in 'aeiouAEIOU' else 'a'} {kind.__name__}"


def number(value: Any, digits: int = 7) -> str:
    """A number as a person writes it: 7 significant digits, integers and booleans as they are."""
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (complex, np.complexfloating)):
        return f"{complex(value):.{digits}g}"
    text = f"{float(value):.{digits}g}"
    return text if any(c in text for c in ".en") else text + ".0"


def apart(one: Any, two: Any) -> tuple[str, str]:
    """Two numbers with as many digits as it takes to see that they differ."""
    return next(((number(one, n), number(two, n)) for n in (7, 9, 12, 17) if number(one, n) != number(two, n)),
                (number(one, 17), number(two, 17)))


def place(index: tuple[int, ...]) -> str:
    """" [0, 2]" for an index, "" for a scalar."""
    return f" [{', '.join(map(str, index))}]" if index else ""
