"""Frames on a socket: a length (8 bytes, big-endian) and a msgpack object, bounded in size, entries and time."""
from __future__ import annotations

import socket
import struct
from typing import Any

import msgpack

from course.engine.deadline import Deadline

MAX_FRAME = 256 << 20
MAX_ITEMS = 4 << 20           # entries of all containers of a frame together; a byte on the wire can make 60 here


class WireError(Exception):
    """The other side sent what the protocol does not allow."""


class TooLarge(WireError):
    """A value or frame over the limit."""


class Closed(WireError):
    """The other side has gone."""


def send(sock: socket.socket, message: Any) -> None:
    """Writes one frame. Raises TooLarge, or Closed where the other side has gone. What is no Unicode becomes "?"."""
    body = msgpack.packb(message, use_bin_type=True, unicode_errors="replace")
    if len(body) > MAX_FRAME:
        raise TooLarge(f"{len(body) >> 20} MiB to send, the limit is {MAX_FRAME >> 20} MiB")
    try:
        sock.sendall(struct.pack(">Q", len(body)) + body)
    except (BrokenPipeError, ConnectionResetError):
        raise Closed("the other side has gone") from None


def receive(sock: socket.socket, deadline: Deadline | None = None) -> Any:
    """Reads one frame. Raises TimeoutError at the deadline, Closed, TooLarge or WireError."""
    return receive_sized(sock, deadline)[0]


def receive_sized(sock: socket.socket, deadline: Deadline | None = None, limit: int = MAX_FRAME) -> tuple[Any, int]:
    """Reads one frame of at most `limit` bytes, and says how many it had."""
    size, = struct.unpack(">Q", _read(sock, 8, deadline))
    if size > limit:
        raise TooLarge(f"a reply of {size >> 20} MiB, the limit is {limit >> 20} MiB")
    items = 0

    def count(container: list | dict) -> list | dict:
        nonlocal items
        items += 1 + len(container)
        if items > MAX_ITEMS:
            raise TooLarge(f"a reply of more than {MAX_ITEMS} entries")
        return container

    try:
        body = _read(sock, size, deadline)
        return msgpack.unpackb(body, raw=False, list_hook=count, object_hook=count, max_array_len=MAX_ITEMS, max_map_len=64,
                               max_ext_len=0), size
    except (ValueError, msgpack.UnpackException, UnicodeDecodeError, RecursionError) as error:
        raise WireError(f"a malformed frame ({type(error).__name__})") from None


def _read(sock: socket.socket, size: int, deadline: Deadline | None) -> bytes:
    data = bytearray()
    while len(data) < size:
        if deadline is not None:
            if not (left := deadline.left()):
                raise TimeoutError
            sock.settimeout(left)
        try:
            part = sock.recv(min(size - len(data), 1 << 20))
        except TimeoutError:        # it may have got more meanwhile
            continue
        except ConnectionResetError:
            part = b""
        if not part:
            raise Closed("the other side has gone")
        data += part
    return bytes(data)
