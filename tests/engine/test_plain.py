"""The wire: every plain value crosses and comes back the same; nothing else does; nothing malformed gets through."""
from __future__ import annotations

import pickle
import socket
import struct
import threading

import msgpack
import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given, strategies as st

from course.engine import plain
from course.engine.deadline import Deadline
from course.engine.plain import MAX_DEPTH, Closed, NotPlain, TooLarge, WireError, decode, encode

scalars = (st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary()
           | st.complex_numbers(allow_nan=False))
keys = st.text() | st.integers() | st.booleans()
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(keys, inner),
                      max_leaves=12)


def crossed(value):
    return decode(msgpack.unpackb(msgpack.packb(encode(value)), raw=False))


@given(values)
def test_plain_values_come_back_the_same(value):
    back = crossed(value)
    assert repr(back) == repr(value) and type(back) is type(value)


@given(st.sets(st.integers() | st.text()))
def test_sets_come_back_the_same(value):
    assert crossed(value) == value


@pytest.mark.parametrize("dtype", list(plain._TORCH.values()), ids=str)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 4), (2, 3, 4)], ids=str)
def test_tensors_keep_dtype_shape_and_bits(dtype, shape):
    tensor = torch.arange(24)[:max(1, torch.Size(shape).numel())].to(dtype)[:torch.Size(shape).numel()].reshape(shape)
    back = crossed(tensor)
    assert back.dtype == dtype and back.shape == tensor.shape and torch.equal(back, tensor)


def test_views_transposes_parameters_and_conjugates_cross_as_their_values():
    X = torch.arange(6.0).reshape(2, 3)
    assert torch.equal(crossed(X.T), X.T)
    assert torch.equal(crossed(torch.nn.Parameter(X)), X)
    odd = torch.empty_strided((1,), (7,)).fill_(2.0)
    assert torch.equal(crossed(odd), odd)
    Z = torch.tensor([1 + 2j])
    assert torch.equal(crossed(Z.conj()), Z.conj().resolve_conj())


@pytest.mark.parametrize("array", [np.arange(6.0).reshape(2, 3), np.array(3.5), np.zeros((0, 2)), np.array([True, False])])
def test_arrays_own_their_memory(array):
    """As an array made in a notebook does: whoever follows `base` ends at an array, and may write into it."""
    back = crossed(array)
    assert back.base is None and back.flags.writeable and back.dtype == array.dtype and np.array_equal(back, array)


def test_tables_keep_columns_index_and_gaps():
    table = pd.DataFrame({"a": [1, 2], "b": ["x", None], "c": [1.5, np.nan]}, index=["p", "q"])
    pd.testing.assert_frame_equal(crossed(table), table)


class Hostile:
    def __reduce__(self):
        return print, ("pickled",)


def test_objects_stay_where_they_are():
    for value in (Hostile(), print, Hostile, [Hostile()], {"a": print}, (x for x in ())):
        with pytest.raises(NotPlain):
            encode(value)
    assert encode(Hostile(), lambda value: {"id": 1}) == ["handle", {"id": 1}]


def test_a_value_nested_too_deep_is_refused_on_both_sides():
    deep = []
    for _ in range(MAX_DEPTH + 2):
        deep = [deep]
    with pytest.raises(TooLarge):
        encode(deep)
    data = None
    for _ in range(MAX_DEPTH + 8):
        data = ["list", [data]]
    with pytest.raises(TooLarge):
        decode(data)


@pytest.mark.parametrize("data", [
    ["nonsense", 1], ["tensor", ["float32", [10**9, 10**9], b"1234"]], ["tensor", ["float32", [-1], b"1234"]],
    ["tensor", ["qint8", [1], b"1"]], ["array", ["O", [1], b"12345678"]], ["array", ["<f8", [2], b"1"]], ["list", 3],
    ["int", "zz"], ["handle", {"id": 1}], ["set", [["list", []]]], {"a": 1}, [1, 2, 3], ["dict", [[["list", []], 1]]],
    ["frame", [1, 2, 3]], ["range", ["a"]], ["dtype", "evil"], ["device", "nowhere"]], ids=repr)
def test_malformed_values_raise_one_error(data):
    with pytest.raises(WireError):
        decode(data)


@given(st.binary(max_size=200))
def test_no_bytes_do_anything_but_raise_the_wires_error(noise):
    one, two = socket.socketpair()
    with one, two:
        one.sendall(struct.pack(">Q", len(noise)) + noise)
        try:
            decode(plain.receive(two, Deadline(1)))
        except WireError:
            pass


def test_frames_are_bounded_in_size_entries_and_time():
    one, two = socket.socketpair()
    with one, two:
        one.sendall(struct.pack(">Q", 2**62))
        with pytest.raises(TooLarge):
            plain.receive(two, Deadline(1))
    one, two = socket.socketpair()
    with one, two:
        body = msgpack.packb([[None] * 1000] * 5000)
        sender = threading.Thread(target=one.sendall, args=(struct.pack(">Q", len(body)) + body,))
        sender.start()
        with pytest.raises(TooLarge):
            plain.receive(two, Deadline(5))
        sender.join()
    one, two = socket.socketpair()
    with one, two:
        with pytest.raises(TimeoutError):
            plain.receive(two, Deadline(0.05))
        one.close()
        with pytest.raises(Closed):
            plain.receive(two, Deadline(1))


def test_pickles_are_bytes_and_nothing_more(capsys):
    assert crossed(pickle.dumps(Hostile())) == pickle.dumps(Hostile())
    assert capsys.readouterr().out == ""
