"""A second wall around the files: Landlock, which the kernel keeps whatever mounts and rights there are.

The first wall is the file tree of `namespaces`: what a submission may not read is not in it. Should somebody find a way to
something else, it is refused here: writing but in the scratch folders and to the devices, and from Linux 6.12 on signals and
abstract sockets out of the sandbox.
"""
from __future__ import annotations

import ctypes
import os
import struct

from course.sandbox.rights import check, libc

_CREATE, _ADD, _RESTRICT = 444, 445, 446        # the same numbers on every architecture
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_TRUNCATE, _IOCTL = 1 << 14, 1 << 15
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}    # by version
_SCOPE_SOCKETS, _SCOPE_SIGNALS = 1, 2           # from version 6 on


def version() -> int:
    """The version of Landlock that this kernel speaks; 0 where it has none, or it is switched off."""
    return max(0, libc.syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint(1)))


def restrict(writable: tuple[str, ...], devices: str) -> bool:
    """From now on this process and its children read what they can reach, write below `writable`, and to what lies in
    `devices`. False where the kernel has no Landlock. Needs no_new_privs. Raises OSError."""
    speaks = version()
    if not speaks:
        return False
    handled = _RIGHTS[min(speaks, 5)]
    scoped = _SCOPE_SOCKETS | _SCOPE_SIGNALS if speaks >= 6 else 0
    attributes = struct.pack("3Q", handled, 0, scoped)
    size = 24 if speaks >= 6 else 16 if speaks >= 4 else 8
    rules = libc.syscall(_CREATE, attributes, ctypes.c_size_t(size), ctypes.c_uint(0))
    check(rules, "landlock")
    try:
        _allow(rules, "/", (_READ | _IOCTL) & handled)
        _allow(rules, devices, (_WRITE_FILE | _TRUNCATE) & handled)
        for path in writable:
            _allow(rules, path, handled)
        check(libc.syscall(_RESTRICT, rules, ctypes.c_uint(0)), "landlock")
    finally:
        os.close(rules)
    return True


def _allow(rules: int, path: str, rights: int) -> None:
    folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = struct.pack("=Qi", rights, folder)
        check(libc.syscall(_ADD, rules, ctypes.c_uint(1), rule, ctypes.c_uint(0)), f"landlock {path}")
    finally:
        os.close(folder)
