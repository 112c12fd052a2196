"""Copies a folder that somebody else can change at the same time: every step goes by descriptors, never by names twice.

What was looked at is what is copied: a folder or file is opened once, without following links, and its owner, kind and
size are those of the opened one.
"""
from __future__ import annotations

import fnmatch
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

MAX_FILES = 5000        # files and folders of one submission
MAX_DEPTH = 20
TOO_LARGE = "it has more bytes than CourseDirectory.max_dir_size allows"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Refused(ValueError):
    """The folder is not to be copied; the message says why."""


@contextmanager
def opened(path: Path) -> Iterator[int]:
    """A descriptor of a folder, opened without following a link in its last step. Raises Refused."""
    try:
        fd = os.open(path, _FOLDER)
    except NotADirectoryError:      # a link, too
        raise Refused("it is not a folder") from None
    except OSError as error:
        raise Refused(f"it cannot be read ({error.strerror})") from None
    try:
        yield fd
    finally:
        os.close(fd)


def look(fd: int, *, limit: int, owner: int | None = None) -> float:
    """When the folder behind `fd` or anything in it last changed (ctime, in seconds): a time that its owner cannot set.

    Raises Refused as `copy` does; a folder that is in order now may have changed when it is copied.
    """
    latest, size = os.fstat(fd).st_ctime, 0
    for name, found in _entries(fd):
        _check(name, found, owner)
        latest, size = max(latest, found.st_ctime), size + found.st_size
        if size > limit:
            raise Refused(TOO_LARGE)
    return latest


def copy(fd: int, target: Path, *, limit: int, exclude: list[str], owner: int | None = None,
         skip: Callable[[str, int], bool] = lambda name, size: False) -> None:
    """Copies the folder behind `fd` to the new folder `target`. Raises Refused where something in it is a link or no
    file, belongs to another than `owner`, or where all together has more than `limit` bytes; nothing is left then."""
    room = [limit]
    try:
        _copy(fd, target, room, exclude, owner, skip, 0)
    except (Refused, OSError) as error:
        shutil.rmtree(target, ignore_errors=True)
        if isinstance(error, Refused):
            raise
        raise Refused(f"it cannot be read ({error.strerror})") from None


def _copy(fd: int, target: Path, room: list[int], exclude: list[str], owner, skip, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise Refused(f"its folders lie more than {MAX_DEPTH} deep")
    target.mkdir(parents=True)
    for name, found in _here(fd):
        if any(fnmatch.fnmatch(name, pattern) for pattern in exclude):
            continue
        if stat.S_ISDIR(found.st_mode):
            inner = os.open(name, _FOLDER, dir_fd=fd)
            try:
                _copy(inner, target / name, room, exclude, owner, skip, depth + 1)
            finally:
                os.close(inner)
            continue
        _check(name, found, owner)
        source = os.open(name, _FILE, dir_fd=fd)
        with open(source, "rb") as file:
            facts = os.fstat(source)
            _check(name, facts, owner)
            if skip(name, facts.st_size):
                continue
            content = file.read(room[0] + 1)        # it may grow while it is read
            room[0] -= len(content)
            if room[0] < 0:
                raise Refused(TOO_LARGE)
            (target / name).write_bytes(content)


def _check(name: str, found: os.stat_result, owner: int | None) -> None:
    plain = name if name.isascii() and name.isprintable() else ascii(name)
    if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
        raise Refused(f"{plain} in it is a link or no file")
    if owner is not None and found.st_uid != owner:
        raise Refused(f"{plain} in it belongs to another account")


def _here(fd: int) -> list[tuple[str, os.stat_result]]:
    names = os.listdir(fd)
    if len(names) > MAX_FILES:
        raise Refused(f"it holds more than {MAX_FILES} files")
    return [(name, os.stat(name, dir_fd=fd, follow_symlinks=False)) for name in sorted(names)]


def _entries(fd: int, depth: int = 0) -> Iterator[tuple[str, os.stat_result]]:
    for name, found in _here(fd):
        yield name, found
        if stat.S_ISDIR(found.st_mode) and depth < MAX_DEPTH:
            try:
                inner = os.open(name, _FOLDER, dir_fd=fd)
            except OSError:
                continue
            try:
                yield from _entries(inner, depth + 1)
            finally:
                os.close(inner)
