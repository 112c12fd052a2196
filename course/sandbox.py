"""What a student process may see and do: Linux namespaces, a small file tree, limits, a system call filter.

Nothing here knows of notebooks. `course.zygote` starts processes, `course.reaper` watches them; this module holds
the steps that take rights away. The order in which they run:

1. the zygote, once:    `enter_namespaces`, `build_root` (a tmpfs with read-only binds), later `close_root`, `drop_rights`
2. each sandbox, pid 1: `enter_namespaces`, `furnish` (own /tmp, home, /dev/shm, /dev/pts, /proc)
3. each sandbox, pid 2: `confine` (no capabilities, system call filter, resource limits)
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import resource
import socket
import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HOME, USER_ID, NOBODY = "/home/student", 1000, 65534
MIB, GIB = 1 << 20, 1 << 30


class SandboxUnavailable(RuntimeError):
    """The machine cannot build the sandbox; the message says what failed and what would help."""


@dataclass(frozen=True)
class Limits:
    """What one sandbox may use. Sizes in bytes; wall-clock time is the caller's (`kill_check`, `kill`)."""

    memory: int = 2 * GIB  # growth over the warm parent, summed over all processes
    processes: int = 64  # processes and threads together
    file_size: int = 256 * MIB  # one file
    tmp_size: int = 512 * MIB  # /tmp, the home folder and /dev/shm together
    output: int = 1 * MIB  # written to file descriptors 1 and 2 between two calls of `kill_check`
    cpu: int = 600  # seconds, for each process


# --- system calls that Python 3.11 does not wrap -----------------------------------------------------------------

_libc = ctypes.CDLL(None, use_errno=True)
_MOUNT_SETATTR = 442  # the same number on every architecture
_NEWNS, _NEWCGROUP, _NEWUTS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET = (
    0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)  # fmt: skip
_RDONLY, _NOSUID, _NODEV, _NOEXEC, _REMOUNT, _BIND, _REC, _PRIVATE = 1, 2, 4, 8, 32, 4096, 16384, 1 << 18
_PROC = _NOSUID | _NODEV | _NOEXEC
_DETACH = 2
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_CAPBSET_DROP = 1, 4, 22, 24
_PR_SET_SECUREBITS, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 28, 36, 38


def _check(result: int, step: str) -> None:
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{step}: {os.strerror(number)}")


def _mount(source: str, target: str, kind: str | None = None, flags: int = 0, options: str = "") -> None:
    encoded = [None if text is None else os.fsencode(text) for text in (source, target, kind, options)]
    result = _libc.mount(encoded[0], encoded[1], encoded[2], ctypes.c_ulong(flags), encoded[3])
    _check(result, f"mount {kind or source} on {target}")


def _bind(source: str, target: str) -> None:
    """Bind with everything mounted below it: the kernel refuses to show what a mount point covers."""
    _mount(source, target, flags=_BIND | _REC)


def _read_only(target: str) -> None:
    """Make a bind and all below it read-only; a plain remount would leave the mounts below it writable."""
    attributes = struct.pack("4Q", _RDONLY | _NOSUID | _NODEV, 0, 0, 0)
    at_cwd, recursive = -100, 0x8000
    result = _libc.syscall(_MOUNT_SETATTR, at_cwd, os.fsencode(target), recursive, attributes, len(attributes))
    _check(result, f"make {target} read-only")


def _prctl(option: int, *values: int) -> None:
    padded = (*values, 0, 0, 0, 0)[:4]
    _check(_libc.prctl(option, *map(ctypes.c_ulong, padded)), f"prctl {option}")


def die_with_parent() -> None:
    _prctl(_PR_SET_PDEATHSIG, 9)


def set_dumpable(value: bool) -> None:
    """A process that is not dumpable cannot be traced, and its memory not be read, by others of the same user."""
    _prctl(_PR_SET_DUMPABLE, value)


def adopt_orphans() -> None:
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


# --- namespaces --------------------------------------------------------------------------------------------------


def enter_namespaces() -> None:
    """Leave the caller's user, mount, PID (for children), IPC, network, host name and cgroup namespaces."""
    _check(_libc.unshare(_NEWUSER | _NEWNS | _NEWPID | _NEWIPC | _NEWNET | _NEWUTS | _NEWCGROUP), "unshare")


def write_id_maps(pid: int | str, inside: int, outside_uid: int, outside_gid: int, also_root: bool = False) -> None:
    """Say which user the namespace's `inside` is. `also_root` keeps 0 as 0 for the setup (needs a privileged caller)."""
    root = "0 0 1\n" if also_root else ""
    if not also_root:  # the kernel wants this before an unprivileged gid_map: dropping a group could widen access
        Path(f"/proc/{pid}/setgroups").write_text("deny")
    Path(f"/proc/{pid}/gid_map").write_text(f"{root}{inside} {outside_gid} 1\n")
    Path(f"/proc/{pid}/uid_map").write_text(f"{root}{inside} {outside_uid} 1\n")


def map_from_outside(pid: int) -> None:
    """Called by the worker for the zygote. Root gives the sandbox the user `nobody`, so that host files, sysctls and
    RLIMIT_NPROC treat it as what it is: a stranger. Any other user can only map itself."""
    ranges = [tuple(map(int, line.split())) for line in Path("/proc/self/uid_map").read_text().splitlines()]
    has_nobody = any(start <= NOBODY < start + count for start, _, count in ranges)
    if os.geteuid() == 0 and has_nobody:
        write_id_maps(pid, USER_ID, NOBODY, NOBODY, also_root=True)
    else:
        write_id_maps(pid, USER_ID, os.geteuid(), os.getegid())


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
    """The interpreter's own folders: a virtual environment and the installation that it stands on."""
    prefixes = {Path(prefix) for prefix in (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix)}
    return sorted(prefixes | {prefix.resolve() for prefix in prefixes})


def build_root(readable: Sequence[Path], hidden: Path) -> list[str]:
    """Make a new root in which exist, read-only, the system's programs, `readable`, and nothing else; enter it.

    Every path keeps its name. Where `hidden` (the course's repository) lies under one of them, it is covered.
    Returns the mounts that `close_root` has to make read-only.
    """
    _mount("none", "/", flags=_REC | _PRIVATE)  # nothing mounted here travels back to the host
    sources = {path: os.path.realpath(path) for path in {*map(Path, _SYSTEM), *readable} if os.path.exists(path)}
    # The new root must not cover what is still to be bound.
    root = next(name for name in ("/mnt", "/srv", "/media", "/tmp", "/opt", "/run")
                if os.path.isdir(name) and not any(Path(real).is_relative_to(name) for real in sources.values()))  # fmt: skip
    _mount("tmpfs", root, "tmpfs", _NOSUID | _NODEV, "mode=755,size=64m")
    writable = ["/"]
    bound: dict[Path, bool] = {}
    for path in sorted({*sources, hidden}, key=lambda path: len(path.parts)):
        above = max((other for other in bound if path.is_relative_to(other)), key=lambda p: len(p.parts), default=None)
        visible = above is not None and bound[above]
        target = root + str(path)
        if path == hidden and path not in sources:
            if visible:
                _mount("tmpfs", target, "tmpfs", _NOSUID | _NODEV, "mode=755,size=1m")
                writable.append(str(path))
                bound[path] = False
            continue
        if visible:
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if path.is_symlink() and str(path) in _SYSTEM and path.parent == Path("/"):
            os.symlink(os.readlink(path), target)  # /bin -> usr/bin
            continue
        os.mkdir(target) if os.path.isdir(path) else Path(target).touch()
        _bind(sources[path], target)
        _read_only(target)
        bound[path] = True
    for name in ("dev/pts", "dev/shm", "etc", "proc", "tmp", HOME[1:]):
        os.makedirs(f"{root}/{name}", exist_ok=True)
    for name, text in _ETC.items():
        Path(root, "etc", name).write_text(text)
    for name in _DEVICES:  # device files cannot be made in a user namespace, only bound
        Path(root, "dev", name).touch()
        _bind(f"/dev/{name}", f"{root}/dev/{name}")
    for name, to in {"fd": "/proc/self/fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2", "ptmx": "pts/ptmx"}.items():
        os.symlink(to, f"{root}/dev/{name}")
    _mount("proc", f"{root}/proc", "proc", _PROC)  # while the old one is still in sight: the kernel insists on it
    os.chdir(root)
    _check(_libc.syscall(_syscalls()["pivot_root"], b".", b"."), "pivot_root")  # the old root now lies over the new one
    _check(_libc.umount2(b".", _DETACH), "leave the old root")
    os.chdir("/")
    return writable


def close_root(writable: Sequence[str], loaded: Sequence[Path]) -> None:
    """After the preload: take away the code that only had to be imported, and make the tree read-only."""
    for folder in loaded:
        _check(_libc.umount2(os.fsencode(folder), 0), f"unmount {folder}")
    for target in writable:
        _mount("none", target, flags=_REMOUNT | _BIND | _RDONLY | _NOSUID | _NODEV)


def furnish(limits: Limits) -> None:
    """In pid 1 of a sandbox: what each gets for itself. The mounts of the zygote below it are locked."""
    private = _NOSUID | _NODEV
    _mount("tmpfs", "/home", "tmpfs", private, f"mode=755,size={limits.tmp_size},nr_inodes=65536")
    for name, target in (("student", None), ("tmp", "/tmp"), ("shm", "/dev/shm")):
        os.mkdir(f"/home/{name}")
        if target:  # one tmpfs, so that the three share one limit
            _bind(f"/home/{name}", target)
    _mount("devpts", "/dev/pts", "devpts", _NOSUID | _NOEXEC, "newinstance,ptmxmode=0666,mode=600")
    _mount("proc", "/proc", "proc", _PROC)
    Path("/proc/sys/user/max_user_namespaces").write_text("0")  # or it could get capabilities in one of its own
    socket.sethostname("sandbox")


# --- rights ------------------------------------------------------------------------------------------------------


def drop_rights() -> None:
    """No capability, now or after an exec: not in this namespace, not in one above it."""
    for capability in range(64):
        if _libc.prctl(_PR_CAPBSET_DROP, ctypes.c_ulong(capability), *[ctypes.c_ulong(0)] * 3) == -1:
            break  # past the last one that this kernel has
    _prctl(_PR_SET_SECUREBITS, 0x2F)  # NOROOT, NO_SETUID_FIXUP and their locks; KEEP_CAPS locked off
    version_3 = struct.pack("Ii", 0x20080522, 0)
    _check(_libc.capset(version_3, bytes(24)), "capset")
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


# Denied by number, since the filter sees only numbers: (x86_64, aarch64).
_DENIED = {
    # memory that belongs to no process, so that the watch of the reaper would not count it
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190),
    # keys of the session in which the instructor works
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "pidfd_getfd": (438, 438),
    # large parts of the kernel that an exercise does not need
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
}  # fmt: skip
_OTHER = {"socket": (41, 198), "pivot_root": (155, 41)}
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column above, AUDIT_ARCH


def _syscalls() -> dict[str, int]:
    if platform.machine() not in _MACHINES:
        raise OSError(errno.ENOSYS, f"processor {platform.machine()}: only {', '.join(_MACHINES)} are known")
    column = _MACHINES[platform.machine()][0]
    return {name: numbers[column] for name, numbers in {**_DENIED, **_OTHER}.items()}


def filter_syscalls() -> None:
    """Refuse the calls above, and every socket family but unix, IPv4, IPv6 and netlink: AF_VSOCK reaches the host
    of a virtual machine, whatever the network namespace."""
    load, equal, greater, give = 0x20, 0x15, 0x35, 0x06  # classic BPF: ld abs, jeq, jge, ret
    allow, kill = 0x7FFF0000, 0x80000000
    calls = _syscalls()

    def refuse(number: int) -> tuple[int, int, int, int]:
        return (give, 0, 0, 0x00050000 | number)

    program = [(load, 0, 0, 4), (equal, 1, 0, _MACHINES[platform.machine()][1]), (give, 0, 0, kill)]
    program += [(load, 0, 0, 0), (greater, 0, 1, 0x40000000), refuse(errno.ENOSYS)]  # the x32 numbers of x86_64
    for name in _DENIED:
        program += [(equal, 0, 1, calls[name]), refuse(errno.EPERM)]
    families = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK)
    program += [(equal, 1, 0, calls["socket"]), (give, 0, 0, allow), (load, 0, 0, 16)]
    program += [(equal, len(families) - i, 0, int(family)) for i, family in enumerate(families)]
    program += [refuse(errno.EAFNOSUPPORT), (give, 0, 0, allow)]
    code = b"".join(struct.pack("HBBI", *instruction) for instruction in program)
    buffer = ctypes.create_string_buffer(code, len(code))
    header = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(program), ctypes.addressof(buffer)))
    _prctl(_PR_SET_SECCOMP, 2, ctypes.addressof(header))


def set_limits(limits: Limits) -> None:
    """Resource limits of the student process and all that it starts."""
    with open("/proc/self/statm") as file:
        mapped = int(file.read().split()[0]) * resource.getpagesize()
    values = {
        # Twice the memory: one absurd allocation fails at once, a growing one is seen and named by the reaper.
        resource.RLIMIT_AS: mapped + 2 * limits.memory,
        resource.RLIMIT_NPROC: limits.processes + 16,  # above what the reaper allows, so that it sees the excess
        resource.RLIMIT_FSIZE: limits.file_size,
        resource.RLIMIT_CPU: limits.cpu + 1,
        resource.RLIMIT_NOFILE: 1024,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MSGQUEUE: 0,
    }
    for kind, value in values.items():
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        # SIGXCPU, which can be told from other ends, comes at the soft limit; SIGKILL at the hard one.
        soft = value - 1 if kind == resource.RLIMIT_CPU else value
        resource.setrlimit(kind, (soft, value))
    Path("/proc/self/oom_score_adj").write_text("1000")  # if the machine runs out, these processes go first


def confine(limits: Limits) -> None:
    """In pid 2 of a sandbox, last before the student's code."""
    set_limits(limits)
    drop_rights()
    filter_syscalls()


# --- can this machine do it? -------------------------------------------------------------------------------------

_SWITCHES = {
    "/proc/sys/user/max_user_namespaces": ("0", "user namespaces are switched off: sysctl user.max_user_namespaces=10000"),
    "/proc/sys/kernel/unprivileged_userns_clone": ("0", "only root may make user namespaces: "
                                                   "sysctl kernel.unprivileged_userns_clone=1"),
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": ("1", "AppArmor (Ubuntu 23.10 and later) takes the rights "
        "from user namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns=0, or grade as root"),
}  # fmt: skip


def explain(failure: str) -> list[str]:
    """Reasons, for an instructor, why the step that is named in `failure` was refused."""
    reasons = [failure]
    if sys.platform != "linux":
        return [f"the sandbox needs Linux namespaces; this is {platform.system()}. Grade on a Linux machine"]
    version = tuple(int(part) for part in platform.release().split("-")[0].split(".")[:2])
    if version < (5, 14):
        reasons.append(f"Linux {platform.release()} is too old: 5.14 or later is needed")
    for path, (value, reason) in _SWITCHES.items():
        if os.path.exists(path) and Path(path).read_text().strip() == value:
            reasons.append(reason)
    if os.path.exists("/.dockerenv") or os.path.exists("/run/.containerenv"):
        reasons.append("this is a container, and most forbid namespaces: start it with --security-opt seccomp=unconfined "
                       "--security-opt apparmor=unconfined --security-opt systempaths=unconfined, or --privileged")  # fmt: skip
    return reasons


def _hello(sock: socket.socket) -> None:
    sock.sendall(b"hello")


def available() -> tuple[bool, list[str]]:
    """Build a real sandbox, run one function in it, and say what went wrong: (works, reasons)."""
    from course.zygote import Zygote

    try:
        with Zygote((), target="course.sandbox:_hello") as zygote, zygote.spawn() as sandbox:
            sandbox.sock.settimeout(10)
            return (True, []) if sandbox.sock.recv(5) == b"hello" else (False, ["the sandbox did not answer"])
    except (SandboxUnavailable, OSError) as error:
        return False, str(error).split("\n")
