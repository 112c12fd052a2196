"""The walls: namespaces of its own, and a file tree in which only what a submission may read exists.

The zygote calls `enter_namespaces` and `build_root` once, later `close_root`; pid 1 of each sandbox calls
`enter_namespaces` and `furnish`. Python 3.11 wraps none of these system calls, so they go through ctypes.
"""

from __future__ import annotations

import ctypes
import os
import socket
import struct
import sys
from collections.abc import Sequence
from pathlib import Path

from course.sandbox.rights import check, libc, syscall_number
from course.sandbox.limits import Limits

HOME, USER_ID, NOBODY = "/home/student", 1000, 65534
_FIRST_ID, _SLOTS = 2000, 1024  # in the zygote's namespace: the users of sandbox 0, and for how many there are some
_FREE_IDS = 0x70000000  # on the host: from here up to 2^31 systemd's list of ids (UIDS-GIDS) leaves all to no one
SCRATCHES = (HOME, "/tmp", "/dev/shm")  # the folders of a sandbox that can be written to
_SCRATCH = "/run/scratch"  # where a sandbox keeps its writable folders

_MOUNT_SETATTR = 442  # the same number on every architecture
_NEWNS, _NEWCGROUP, _NEWUTS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET = (
    0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)  # fmt: skip
_RDONLY, _NOSUID, _NODEV, _NOEXEC, _REMOUNT, _BIND, _REC, _PRIVATE = 1, 2, 4, 8, 32, 4096, 16384, 1 << 18
_PROC = _NOSUID | _NODEV | _NOEXEC
_DETACH = 2


def _mount(source: str, target: str, kind: str | None = None, flags: int = 0, options: str = "") -> None:
    encoded = [None if text is None else os.fsencode(text) for text in (source, target, kind, options)]
    result = libc.mount(encoded[0], encoded[1], encoded[2], ctypes.c_ulong(flags), encoded[3])
    check(result, f"mount {kind or source} on {target}")


def _bind(source: str, target: str) -> None:
    """Bind with everything mounted below it: the kernel refuses to show what a mount point covers."""
    _mount(source, target, flags=_BIND | _REC)


def _read_only(target: str) -> None:
    """Make a bind and all below it read-only; a plain remount would leave the mounts below it writable."""
    attributes = struct.pack("4Q", _RDONLY | _NOSUID | _NODEV, 0, 0, 0)
    at_cwd, recursive = -100, 0x8000
    result = libc.syscall(_MOUNT_SETATTR, at_cwd, os.fsencode(target), recursive, attributes, len(attributes))
    check(result, f"make {target} read-only")


def enter_namespaces() -> None:
    """Leave the caller's user, mount, PID (for children), IPC, network, host name and cgroup namespaces."""
    check(libc.unshare(_NEWUSER | _NEWNS | _NEWPID | _NEWIPC | _NEWNET | _NEWUTS | _NEWCGROUP), "unshare")


def _write_maps(pid: int | str, *lines: tuple[int, int, int]) -> None:
    """Each line: the first id inside, the first outside, how many; the same for users and groups."""
    text = "".join("{} {} {}\n".format(*line) for line in lines)
    Path(f"/proc/{pid}/gid_map").write_text(text)
    Path(f"/proc/{pid}/uid_map").write_text(text)


def map_self(outside_uid: int, outside_gid: int, pid: int | str = "self") -> None:
    """What anybody may do: the namespace's only user is who made it."""
    Path(f"/proc/{pid}/setgroups").write_text("deny")  # the kernel wants this: dropping a group could widen access
    Path(f"/proc/{pid}/gid_map").write_text(f"{USER_ID} {outside_gid} 1\n")
    Path(f"/proc/{pid}/uid_map").write_text(f"{USER_ID} {outside_uid} 1\n")


def map_from_outside(pid: int) -> int:
    """Called by the worker for the zygote; returns how many sandboxes at a time can have users of their own.

    Root gives the zygote the user `nobody`, so that host files, sysctls and RLIMIT_NPROC treat it as what it is: a
    stranger; and ids that nobody has, two for each sandbox. Any other user can only map itself.
    """
    ranges = [tuple(map(int, line.split())) for line in Path("/proc/self/uid_map").read_text().splitlines()]

    def ours(first: int, number: int) -> bool:
        return any(start <= first and first + number <= start + count for start, _, count in ranges)

    if os.geteuid() != 0 or not ours(NOBODY, 1):
        map_self(os.geteuid(), os.getegid(), pid)
        return 0
    lines = [(0, 0, 1), (USER_ID, NOBODY, 1)]
    first = _FREE_IDS + os.getpid() % 65536 * 2 * _SLOTS
    slots = _SLOTS if ours(first, 2 * _SLOTS) else 0
    if slots:
        lines.append((_FIRST_ID, first, 2 * slots))
    _write_maps(pid, *lines)
    return slots


def map_sandbox(pid: int, slot: int) -> None:
    """Called by the guard, which has the right to: inside, 0 is pid 1 and USER_ID the student, both nobody else's."""
    first = _FIRST_ID + 2 * slot
    _write_maps(pid, (0, first, 1), (USER_ID, first + 1, 1))


# --- the file tree -----------------------------------------------------------------------------------------------

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/fonts", "/etc/localtime",
           "/etc/alternatives")  # fmt: skip
_DEVICES = ("null", "zero", "full", "random", "urandom")
_ETC = {
    "passwd": f"student:x:{USER_ID}:{USER_ID}:student:{HOME}:/bin/sh\n",
    "group": f"student:x:{USER_ID}:\n",
    "hosts": "127.0.0.1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}


def python_folders() -> list[Path]:
    """The interpreter's own folders: a virtual environment, the installation that it stands on, its packages."""
    folders = {Path(prefix) for prefix in (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix)}
    folders |= {Path(path) for path in sys.path if Path(path).name in ("site-packages", "dist-packages")}
    return sorted(folders | {folder.resolve() for folder in folders})


def _make(target: str, folder: bool) -> None:
    """A place to mount on."""
    os.makedirs(target if folder else os.path.dirname(target), exist_ok=True)
    if not folder:
        Path(target).touch()


def build_root(readable: Sequence[Path], hidden: Path) -> list[str]:
    """Make a new root in which exist, read-only, the system's programs, `readable`, and nothing else; enter it.

    Every path keeps its name. Where `hidden` (the course's repository) lies under one of them, it is covered.
    Returns the mounts that `close_root` has to make read-only.
    """
    _mount("none", "/", flags=_REC | _PRIVATE)  # nothing mounted here travels back to the host
    sources = {path: os.path.realpath(path) for path in {*map(Path, _SYSTEM), *readable} if os.path.exists(path)}
    # The new root must not cover what is still to be bound.
    free = [name for name in ("/mnt", "/srv", "/media", "/tmp", "/opt", "/run") if os.path.isdir(name)]
    free = [name for name in free if not any(Path(real).is_relative_to(name) for real in sources.values())]
    if not free:
        raise OSError("no folder to build the sandbox's file tree on: /mnt, /srv, /media, ... all hold what it needs")
    root = free[0]
    _mount("tmpfs", root, "tmpfs", _NOSUID | _NODEV, "mode=755,size=64m")
    writable = ["/"]
    bound: dict[Path, bool] = {}  # False: covered
    for path in sorted({*sources, hidden}, key=lambda path: len(path.parts)):
        above = max((other for other in bound if path.is_relative_to(other)), key=lambda p: len(p.parts), default=None)
        visible = above is not None and bound[above]
        target = root + str(path)
        if path not in sources:
            if visible:
                _mount("tmpfs", target, "tmpfs", _NOSUID | _NODEV, "mode=755,size=1m")
                writable.append(str(path))
                bound[path] = False
        elif not visible:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if path.is_symlink() and path.parent == Path("/"):  # /bin -> usr/bin
                os.symlink(os.readlink(path), target)
                continue
            _make(target, folder=path.is_dir())
            _bind(sources[path], target)
            _read_only(target)
            bound[path] = True
    for name in ("dev/pts", "dev/shm", "etc", "proc", "tmp", HOME[1:], _SCRATCH[1:]):
        os.makedirs(f"{root}/{name}", exist_ok=True)
    for name, text in _ETC.items():
        Path(root, "etc", name).write_text(text)
    for name in _DEVICES:  # device files cannot be made in a user namespace, only bound
        _make(f"{root}/dev/{name}", folder=False)
        _bind(f"/dev/{name}", f"{root}/dev/{name}")
    links = {"fd": "/proc/self/fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2", "ptmx": "pts/ptmx"}
    for name, to in links.items():
        os.symlink(to, f"{root}/dev/{name}")
    _mount("proc", f"{root}/proc", "proc", _PROC)  # while the old one is still in sight: the kernel insists on it
    os.chdir(root)
    # With "." twice, the old root ends on top of the new one, to be detached.
    check(libc.syscall(syscall_number("pivot_root"), b".", b"."), "pivot_root")
    check(libc.umount2(b".", _DETACH), "leave the old root")
    os.chdir("/")
    return writable


def close_root(writable: Sequence[str], code: Sequence[str]) -> None:
    """After the preload: take away the code that only had to be imported, and make the tree read-only."""
    for folder in filter(os.path.ismount, code):  # not what lies in a folder that may be read
        check(libc.umount2(os.fsencode(folder), 0), f"unmount {folder}")
    for target in writable:
        _mount("none", target, flags=_REMOUNT | _BIND | _RDONLY | _NOSUID | _NODEV)


def furnish(limits: Limits, readable: Sequence[Path]) -> None:
    """In pid 1 of a sandbox: what each gets for itself. The mounts of the zygote below it are locked."""
    # One tmpfs for all three, so that they share one limit.
    options = f"mode=755,size={limits.tmp_size},nr_inodes=65536"
    _mount("tmpfs", _SCRATCH, "tmpfs", _NOSUID | _NODEV, options)
    for target in SCRATCHES:
        folder = _SCRATCH + target
        os.makedirs(folder)
        if os.getuid() != USER_ID:
            os.chown(folder, USER_ID, USER_ID)
        for path in readable:  # Python may live in a home folder that has our name, or under /tmp
            if path.is_relative_to(target) and path.exists():
                _make(_SCRATCH + str(path), folder=path.is_dir())
                _bind(str(path), _SCRATCH + str(path))
        _bind(folder, target)
    _mount("devpts", "/dev/pts", "devpts", _NOSUID | _NOEXEC, "newinstance,ptmxmode=0666,mode=600")
    _mount("proc", "/proc", "proc", _PROC)
    Path("/proc/sys/user/max_user_namespaces").write_text("0")  # or it could get capabilities in one of its own
    try:  # of the kernel's files none is left but those of processes
        _mount("proc", "/proc", "proc", _PROC, "subset=pid")
    except OSError:  # Linux before 5.8
        pass
    socket.sethostname("sandbox")
