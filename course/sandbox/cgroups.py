"""Limits that the kernel keeps for a sandbox as a whole: a cgroup (v2) for each, where one is delegated to us.

The reaper looks twenty times a second, knows the limit that was meant, and ends only what a check started. What outruns
it, or what it cannot see (pages of files, of sockets, of pipes, of tables; memory let go of with madvise and taken
again), ends here, at a limit that lies above its own.
"""
from __future__ import annotations

import contextlib
import functools
import itertools
import os
import time
from pathlib import Path

from course.sandbox.limits import MIB, Limits

_LEAF = "course-main"  # where the processes go that were in the cgroup: one that has any cannot share out
_SPARE = 128 * MIB  # for the kernel's own books and for pid 1
_numbers = itertools.count()


@functools.cache
def place() -> tuple[Path | None, str]:
    """The folder in which sandboxes get their cgroups; or None, and why there is none."""
    found = _own()
    if found is None:
        return None, "no cgroup v2 is mounted here"
    folder = found.parent if found.name == _LEAF else found
    missing = {"memory", "pids"} - {*(folder / "cgroup.controllers").read_text().split()}
    if missing:
        return None, f"{' and '.join(sorted(missing))} cannot be limited by cgroup v2 here"
    if not _delegated(folder):
        return None, f"the cgroup {folder} is not delegated: systemd-run --user --scope -p Delegate=yes COMMAND"
    try:
        _share_out(folder)
    except OSError as error:
        return None, f"the cgroup {folder} cannot be shared out: {error.strerror}"
    _sweep(folder)
    return folder, ""


def _own() -> Path | None:
    """The cgroup of this process, where it can be seen."""
    try:
        mounts = [line.split() for line in Path("/proc/self/mountinfo").read_text().splitlines() if " - cgroup2 " in line]
        own = next(line[3:] for line in Path("/proc/self/cgroup").read_text().splitlines() if line.startswith("0::"))
    except (OSError, StopIteration):
        return None
    for fields in mounts:
        root, point = fields[3], fields[4]
        if own == root or own.startswith(root.rstrip("/") + "/"):
            folder = Path(point) / os.path.relpath(own, root)
            if (folder / "cgroup.controllers").exists():
                return Path(os.path.normpath(folder))
    return None


def _delegated(folder: Path) -> bool:
    """Whether whoever manages the machine's cgroups left this one to us: systemd marks such a one, or gives it to the user; in
    a container, or on a machine without a manager, the top one is ours."""
    if not os.access(folder / "cgroup.subtree_control", os.W_OK) or not os.access(folder, os.W_OK):
        return False
    for name in ("user.delegate", "trusted.delegate"):
        with contextlib.suppress(OSError):
            if os.getxattr(folder, name) == b"1":
                return True
    return os.geteuid() == folder.stat().st_uid != 0 or folder.is_mount()


def _share_out(folder: Path) -> None:
    if (folder / "cgroup.type").exists():  # the root of all may have processes; any other only in its leaves
        leaf = folder / _LEAF
        leaf.mkdir(exist_ok=True)
        for _ in range(5):
            for pid in (folder / "cgroup.procs").read_text().split():
                with contextlib.suppress(ProcessLookupError):
                    (leaf / "cgroup.procs").write_text(pid)
    (folder / "cgroup.subtree_control").write_text("+memory +pids")


def _sweep(folder: Path) -> None:
    """Remove what workers left that were killed."""
    for old in folder.glob("sandbox-*"):
        if not os.path.exists(f"/proc/{old.name.split('-')[1]}"):
            with contextlib.suppress(OSError):
                old.rmdir()


class Group:
    """The cgroup of one sandbox. `door` is a descriptor: who writes "0" to it comes in."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._folder = folder / f"sandbox-{os.getpid()}-{next(_numbers)}"
        self._folder.mkdir()
        self.memory = limits.memory + limits.tmp_size + _SPARE
        values = {"memory.max": self.memory, "memory.swap.max": 0,
                  "pids.max": limits.processes + limits.waiting + 20}
        for name, value in values.items():
            if (self._folder / name).exists():  # without swap, there is nothing to limit
                (self._folder / name).write_text(str(value))
        self.door = os.open(self._folder / "cgroup.procs", os.O_WRONLY)
        self._told = 0

    def ran_out(self) -> bool:
        """Has the kernel ended a process for want of memory, since this was last asked?"""
        lines = (self._folder / "memory.events").read_text().splitlines()
        ended = next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)
        more, self._told = ended > self._told, ended
        return more

    def close_door(self) -> None:
        if self.door >= 0:
            os.close(self.door)
            self.door = -1

    def remove(self) -> None:
        self.close_door()
        give_up = time.monotonic() + 2
        while True:  # the last process is gone before its cgroup knows
            try:
                return self._folder.rmdir()
            except FileNotFoundError:
                return None
            except OSError:
                if time.monotonic() > give_up:
                    return None  # `_sweep` of a later run removes it
                time.sleep(0.001)


def enter(door: int) -> None:
    """In the process that a sandbox comes from."""
    with contextlib.suppress(PermissionError):  # Linux before 5.16 asks who writes, not who opened: the watch alone stands
        os.write(door, b"0")
    os.close(door)


def group(limits: Limits) -> Group | None:
    """A new cgroup; None where none is delegated."""
    folder, _ = place()
    return Group(folder, limits) if folder else None
