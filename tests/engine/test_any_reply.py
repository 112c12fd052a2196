"""Whatever bytes a student's process sends, what comes of it is a value or a WireError, and soon."""
import socket
import struct
import threading
import time

import msgpack
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from course.engine import plain
from course.engine.deadline import Deadline

TAGS = sorted(plain._DECODERS)
names = st.sampled_from(["float32", "bfloat16", "<f8", "|b1", "<M8[ns]", "O", "|O", "<U0", "<U9999999", "object", "cuda:9", "no"])
sizes = st.integers(-2**70, 2**70) | st.sampled_from([0, 1, 2, 3, 2**31, 2**40, 2**63])
simple = (st.none() | st.booleans() | st.integers(-2**63, 2**64 - 1) | st.floats() | st.text(max_size=8) | st.binary(max_size=64)
          | names)
# a tag in front of what may be its payload, or anything else
payloads = st.recursive(
    simple | st.lists(sizes.filter(lambda n: -2**63 <= n < 2**64), max_size=4),
    lambda inner: (st.lists(inner, max_size=4) | st.tuples(st.sampled_from(TAGS), inner).map(list)
                   | st.dictionaries(st.text(max_size=4), inner, max_size=3)
                   | st.tuples(names, st.lists(st.integers(-3, 2**40), max_size=4), st.binary(max_size=64)).map(list)),
    max_leaves=12)
replies = st.tuples(st.sampled_from(TAGS), payloads).map(list) | payloads


@settings(max_examples=400, deadline=2000)
@given(replies)
def test_any_structure_is_a_value_or_refused(reply):
    try:
        plain.decode(msgpack.unpackb(msgpack.packb(reply), raw=False, strict_map_key=False), lambda payload: payload)
    except plain.WireError:
        pass


@settings(max_examples=200, deadline=5000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200), st.none() | st.integers(0, 2**64 - 1))
def test_any_bytes_are_a_frame_or_refused(data, length):
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall((struct.pack(">Q", len(data) if length is None else length)) + data)
        theirs.shutdown(socket.SHUT_WR)
        begun = time.monotonic()
        try:
            plain.decode(plain.receive(ours, Deadline(1)), lambda payload: payload)
        except (plain.WireError, TimeoutError):
            pass
        assert time.monotonic() - begun < 3


@pytest.mark.parametrize("bytes_", [0, 1, 7, 9])
def test_a_silent_sender_costs_the_deadline_and_no_more(bytes_):
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(struct.pack(">Q", 100)[:bytes_] + b"x" * max(0, bytes_ - 8))
        timer = threading.Timer(5, theirs.close)
        timer.start()
        begun = time.monotonic()
        with pytest.raises(TimeoutError):
            plain.receive(ours, Deadline(0.2))
        assert time.monotonic() - begun < 4
        timer.cancel()
