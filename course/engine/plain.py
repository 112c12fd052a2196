"""The wire between the judge and the student's process: frames of plain data, nothing that could run.

Frames are course.engine.frames'. Values are numbers, strings and bytes as they are,
and [tag, payload] for all else: containers, tensors and arrays as raw buffers with dtype and shape, tables as
columns. What is none of these stays where it is, as a handle. Decoding trusts nothing: sizes, depth, dtypes and
shapes are checked, and nothing is unpickled.
"""
from __future__ import annotations

import decimal
import fractions
import math
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from course.engine.frames import MAX_FRAME, MAX_ITEMS, Closed, TooLarge, WireError, receive, receive_sized, send

__all__ = ["MAX_FRAME", "Closed", "NotPlain", "TooLarge", "WireError", "decode", "encode", "receive", "receive_sized",
           "send"]
MAX_DEPTH = 64
_AS_THEY_ARE = frozenset((type(None), bool, float, str, bytes))
# of the dictionaries, sets and categories of a reply, other than strings: a sender could make their hashes collide
MAX_KEYS = 1 << 12
MAX_EMPTY = 1 << 20           # rows, so to speak, of a tensor without entries: no byte on the wire stands for them
_TORCH = {str(d).removeprefix("torch."): d for d in (
    torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128, torch.bool,
    torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)}


_room = threading.local()     # .keys: how many more of MAX_KEYS the reply that is being decoded may have


class NotPlain(TypeError):
    """A value that cannot cross, met where no handle may stand."""


# --- values ---------------------------------------------------------------------------------------

def encode(value: Any, handle=None, depth: int = 0) -> Any:
    """`value` as msgpack data. `handle(value)` gives the payload for what is not plain; without it: NotPlain."""
    if depth > MAX_DEPTH:
        raise TooLarge(f"a value nested more than {MAX_DEPTH} deep")
    kind = type(value)
    if kind in _AS_THEY_ARE:
        return value
    if kind is int:
        return value if -2**63 <= value < 2**63 else ["int", format(value, "x")]
    if kind is complex:
        return ["complex", [value.real, value.imag]]
    if isinstance(value, (list, tuple, set, frozenset)):     # named tuples and shapes cross as tuples
        tag = "list" if isinstance(value, list) else "tuple" if isinstance(value, tuple) else "set"
        return [tag, [item if type(item) in _AS_THEY_ARE or type(item) is int and -2**63 <= item < 2**63
                      else encode(item, handle, depth + 1) for item in list(value)]]
    if isinstance(value, dict):
        return ["dict", [[encode(k, handle, depth + 1), encode(v, handle, depth + 1)] for k, v in value.items()]]
    if isinstance(value, torch.Tensor):
        return _encode_tensor(value)
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "O":
            return ["objects", [list(value.shape), [encode(v, handle, depth + 1) for v in value.ravel().tolist()]]]
        if value.dtype.kind not in "biufcmMSU":
            return _other(value, handle)
        return ["array", [value.dtype.str, list(value.shape), np.ascontiguousarray(value).tobytes()]]
    if isinstance(value, np.generic):
        return ["scalar", [value.dtype.str, value.tobytes()]]
    if isinstance(value, (bool, int, float, str, bytes)):
        return encode(next(k for k in (bool, int, float, str, bytes) if isinstance(value, k))(value))
    if isinstance(value, (fractions.Fraction, decimal.Decimal)):
        return encode(float(value))
    if value is Ellipsis:
        return ["ellipsis", None]
    if kind is slice:
        return ["slice", [encode(part, handle, depth + 1) for part in (value.start, value.stop, value.step)]]
    if kind is range:
        return ["range", [value.start, value.stop, value.step]]
    if kind is torch.dtype:
        return ["dtype", str(value).removeprefix("torch.")]
    if kind is torch.device:
        return ["device", str(value)]
    if isinstance(value, np.dtype):
        return ["npdtype", value.str]
    if kind.__module__.split(".")[0] == "pandas":
        return _encode_pandas(value, handle, depth)
    return _other(value, handle)


def _other(value: Any, handle) -> Any:
    if handle is None:
        raise NotPlain(f"a {type(value).__name__} cannot be sent; only plain data can: "
                       "numbers, strings, containers, arrays, tensors, tables"
                       + (". It gives its entries one at a time: put list(...) around it" if isinstance(value, Iterator) else ""))
    return ["handle", handle(value)]


def _encode_tensor(value: torch.Tensor) -> Any:
    value = value.detach()
    name = str(value.dtype).removeprefix("torch.")
    if name not in _TORCH:
        raise NotPlain(f"a tensor of dtype {name}; a test can read {', '.join(_TORCH)}")
    if value.layout is not torch.strided:
        value = value.to_dense()
    if value.device.type == "meta":
        return ["meta", [name, list(value.shape)]]
    # a clone: contiguous() leaves odd strides of axes of length 1, which a view as bytes refuses
    value = value.cpu().resolve_conj().resolve_neg().clone(memory_format=torch.contiguous_format)
    raw = value.reshape(-1).view(torch.uint8).numpy().tobytes() if value.numel() else b""
    return ["tensor", [name, list(value.shape), raw]]


def _encode_pandas(value: Any, handle, depth: int) -> Any:
    import pandas as pd
    if isinstance(value, pd.DataFrame):
        columns = [_encode_column(value.iloc[:, i], handle, depth + 1) for i in range(value.shape[1])]
        return ["frame", [encode(list(value.columns), handle, depth + 1),
                          _encode_index(value.index, handle, depth + 1), columns]]
    if isinstance(value, pd.Series):
        return ["series", [encode(value.name, handle, depth + 1), _encode_index(value.index, handle, depth + 1),
                           _encode_column(value, handle, depth + 1)]]
    if isinstance(value, pd.Index):
        return ["index", encode(list(value), handle, depth + 1)]
    if value is pd.NA or value is pd.NaT:
        return ["na", None]
    if isinstance(value, pd.Timestamp):
        return ["timestamp", value.isoformat()]
    return _other(value, handle)


def _encode_index(index: Any, handle, depth: int) -> Any:
    import pandas as pd
    plain = range(index.start, index.stop, index.step) if type(index) is pd.RangeIndex else list(index)
    return encode(plain, handle, depth)


def _encode_column(column: Any, handle, depth: int) -> Any:
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "biuf":
        return encode(column.to_numpy(), handle, depth)
    return ["column", [str(column.dtype), [item if type(item) is str else encode(item, handle, depth + 1)
                                           for item in column.tolist()]]]


def decode(data: Any, remote=None, depth: int = 0) -> Any:
    """The value of msgpack data from the other side. `remote(payload)` stands for what stayed there."""
    if depth == 0:
        _room.keys = MAX_KEYS
    if depth > MAX_DEPTH + 4:
        raise TooLarge(f"a value nested more than {MAX_DEPTH} deep")
    if data is None or isinstance(data, (bool, int, float, str, bytes)):
        return data
    try:
        tag, payload = data
        return _DECODERS[tag](payload, lambda item: decode(item, remote, depth + 1), remote)
    except WireError:
        raise
    except Exception as error:      # whatever is malformed is the sender's fault, not ours
        raise WireError(f"a malformed value ({type(error).__name__})") from None


def _tensor(payload, item, remote):
    name, shape, raw = payload
    if name == "bool":
        raw = _booleans(raw)
    tensor = torch.frombuffer(bytearray(raw), dtype=_TORCH[name]) if raw else torch.empty(0, dtype=_TORCH[name])
    return tensor.reshape(_shape(shape))


def _numpy(payload, item, remote):
    dtype, shape, raw = payload
    dtype = np.dtype(dtype)
    if dtype.kind not in "biufcmMSU":
        raise WireError("an array of objects")
    if dtype.kind == "b":
        raw = _booleans(raw)
    return np.frombuffer(raw, dtype=dtype).reshape(_shape(shape)).copy()        # its own memory, as in a notebook: no `base`


def _booleans(raw: bytes) -> bytes:
    """Bytes of 0 and 1: another one would be a True that counts as 255."""
    return (np.frombuffer(raw, np.uint8) != 0).tobytes()


def _keys(keys: list) -> list:
    _room.keys -= sum(not _spelled(key) for key in keys)
    if _room.keys < 0:
        raise TooLarge(f"more than {MAX_KEYS} keys or members that are no strings")
    return keys


def _spelled(key: Any) -> bool:
    """Whether a key is made of strings, whose hashes nobody can foresee."""
    return isinstance(key, (str, bytes)) or isinstance(key, tuple) and bool(key) and all(map(_spelled, key))


def _range(payload, item, remote):
    if not all(-2**63 <= n < 2**63 for n in payload) or len(made := range(*payload)) > MAX_ITEMS:
        raise TooLarge(f"a range of more than {MAX_ITEMS} numbers")
    return made


def _shape(shape) -> list[int]:
    if not all(type(n) is int and 0 <= n < 2**40 for n in shape) or len(shape) > 64:
        raise WireError("a malformed shape")
    if 0 in shape and math.prod(n for n in shape if n) > MAX_EMPTY:
        raise TooLarge(f"a shape of more than {MAX_EMPTY} places and no entry")
    return shape


def _objects(payload, item, remote):
    shape, values = payload
    array = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):      # one by one: entries that are lists of one length would become an axis
        array[i] = item(value)
    return array.reshape(_shape(shape))


def _frame(payload, item, remote):
    import pandas as pd
    names, index, columns = payload
    index, names = _index(item(index)), item(names)
    columns = [_whole(item(column), index) for column in columns]
    table = pd.DataFrame({i: pd.Series(column, index=index) for i, column in enumerate(columns)}, index=index)
    table.columns = names
    return table


def _series(payload, item, remote):
    import pandas as pd
    name, index, column = payload
    index = _index(item(index))
    return pd.Series(_whole(item(column), index), index=index, name=item(name))


def _index(labels):
    import pandas as pd
    if not isinstance(labels, list | range):
        raise WireError("an index that is no list")
    if isinstance(labels, range):
        return pd.RangeIndex(labels)
    # whole numbers in a row, as filtering and sorting leave them, hash apart; others could be made to collide
    if not all(type(label) is int and -MAX_ITEMS <= label <= MAX_ITEMS for label in labels):
        _keys(labels)
    return pd.Index(labels)


def _whole(column, index):
    """A column as long as its index; pandas would stretch one value to any length."""
    if not isinstance(column, np.ndarray | _extension()) or len(column) != len(index):
        raise WireError("a column and an index that differ in length")
    return column


def _extension():
    from pandas.api.extensions import ExtensionArray
    return ExtensionArray


def _column(payload, item, remote):
    import pandas as pd
    dtype, values = payload
    values = [value if type(value) is str else item(value) for value in values]
    if dtype == "category":
        _keys(values)
    known = {"str", "string", "object", "category", "boolean", "Int64", "Int32", "Int8", "Float64", "bool"}
    return pd.array(values, dtype=dtype) if dtype in known and dtype != "object" else pd.Series(values, dtype=object).array


def _pandas(name):
    def make(payload, item, remote):
        import pandas as pd
        return pd.NA if name == "NA" else getattr(pd, name)(item(payload))
    return make


def _handle(payload, item, remote):
    if remote is None:
        raise WireError("a handle where none may stand")
    return remote(payload)


_NUMBERS_AND_WORDS = _AS_THEY_ARE | {int}
_DECODERS = {
    "int": lambda p, item, r: int(p[:2048], 16),
    "complex": lambda p, item, r: complex(float(p[0]), float(p[1])),
    "list": lambda p, item, r: [v if type(v) in _NUMBERS_AND_WORDS else item(v) for v in p],
    "tuple": lambda p, item, r: tuple([v if type(v) in _NUMBERS_AND_WORDS else item(v) for v in p]),
    "set": lambda p, item, r: set(_keys([item(v) for v in p])),
    "dict": lambda p, item, r: dict(zip(_keys([item(k) for k, _ in p]), [item(v) for _, v in p])),
    "tensor": _tensor,
    "meta": lambda p, item, r: torch.empty(_shape(p[1]), dtype=_TORCH[p[0]], device="meta"),
    "array": _numpy,
    "objects": _objects,
    "scalar": lambda p, item, r: _numpy([p[0], [], p[1]], item, r)[()],
    "ellipsis": lambda p, item, r: Ellipsis,
    "slice": lambda p, item, r: slice(*(item(v) for v in p)),
    "range": _range,
    "dtype": lambda p, item, r: _TORCH[p],
    "device": lambda p, item, r: torch.device(p),
    "npdtype": lambda p, item, r: np.dtype(p),
    "frame": _frame,
    "series": _series,
    "column": _column,
    "index": _pandas("Index"),
    "na": _pandas("NA"),
    "timestamp": _pandas("Timestamp"),
    "handle": _handle,
}
