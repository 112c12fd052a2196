"""What a process gives up: capabilities, system calls, resources, and being traced by others.

`confine` runs in the student process last before the submission's code, `drop_rights` in every process of ours that
lives beside it.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import resource
import socket
import struct
from collections.abc import Callable, Sequence
from pathlib import Path

from course.sandbox.limits import Limits

libc = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_CAPBSET_DROP = 1, 4, 22, 24
_PR_SET_SECUREBITS, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 28, 36, 38


def check(result: int, step: str) -> None:
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{step}: {os.strerror(number)}")


def _prctl(option: int, *values: int) -> None:
    padded = (*values, 0, 0, 0, 0)[:4]
    check(libc.prctl(option, *map(ctypes.c_ulong, padded)), f"prctl {option}")


def die_with_parent() -> None:
    _prctl(_PR_SET_PDEATHSIG, 9)


def set_dumpable(value: bool) -> None:
    """A process that is not dumpable cannot be traced, and its memory not be read, by others of the same user."""
    _prctl(_PR_SET_DUMPABLE, value)


def adopt_orphans() -> None:
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


KILL, PTRACE = 5, 19  # capabilities


def become(user: int) -> None:
    """Another user and group, for good. The process is not dumpable then."""
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def drop_rights(keep: Sequence[int] = (), user: int | None = None) -> None:
    """No capability but those to `keep`, none after an exec: not in this namespace, not in one above it; then as `user`."""
    for capability in range(64):
        if libc.prctl(_PR_CAPBSET_DROP, ctypes.c_ulong(capability), *[ctypes.c_ulong(0)] * 3) == -1:
            break  # past the last one that this kernel has
    _prctl(_PR_SET_SECUREBITS, 0x2F)  # NOROOT, NO_SETUID_FIXUP and their locks; KEEP_CAPS locked off
    if user is not None:  # with these bits set, a change of user takes no capability away: that is the next line's
        become(user)
    drop_capabilities(keep)


def drop_capabilities(keep: Sequence[int] = ()) -> None:
    version_3 = struct.pack("Ii", 0x20080522, 0)
    mask = sum(1 << capability for capability in keep)
    check(libc.capset(version_3, struct.pack("6I", mask, mask, 0, 0, 0, 0)), "capset")
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


FAMILIES = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK)     # of sockets
# Without libseccomp (`course.sandbox.calls`) these are denied, by number, since the filter sees only numbers: (x86_64, aarch64).
_DENIED = {
    # memory that belongs to no process, so that the watch of the reaper would not count it
    "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190),
    # descriptors on their way, which the kernel counts for all sandboxes together
    "sendmsg": (46, 211), "sendmmsg": (307, 269),
    # keys of the session in which the instructor works
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "pidfd_getfd": (438, 438),
    # large parts of the kernel that an exercise does not need
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
}  # fmt: skip
_OTHER = {"socket": (41, 198), "pivot_root": (155, 41)}
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column above, AUDIT_ARCH


def syscall_number(name: str) -> int:
    if platform.machine() not in _MACHINES:
        raise OSError(errno.ENOSYS, f"processor {platform.machine()}: only {', '.join(_MACHINES)} are known")
    return {**_DENIED, **_OTHER}[name][_MACHINES[platform.machine()][0]]


def install(program: bytes) -> None:
    """Put a seccomp filter on this process and its children."""
    buffer = ctypes.create_string_buffer(program, len(program))
    header = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(buffer)))
    _prctl(_PR_SET_SECCOMP, 2, ctypes.addressof(header))


def denylist() -> bytes:
    """A filter that refuses the calls above, and every socket family but unix, IPv4, IPv6 and netlink: AF_VSOCK reaches the host
    of a virtual machine, whatever the network namespace."""
    load, equal, greater, give = 0x20, 0x15, 0x35, 0x06  # classic BPF: ld abs, jeq, jge, ret
    allow, kill = 0x7FFF0000, 0x80000000

    def refuse(number: int) -> tuple[int, int, int, int]:
        return (give, 0, 0, 0x00050000 | number)

    program = [(load, 0, 0, 4), (equal, 1, 0, _MACHINES[platform.machine()][1]), (give, 0, 0, kill)]
    program += [(load, 0, 0, 0), (greater, 0, 1, 0x40000000), refuse(errno.ENOSYS)]  # the x32 numbers of x86_64
    for name in _DENIED:
        program += [(equal, 0, 1, syscall_number(name)), refuse(errno.EPERM)]
    program += [(equal, 1, 0, syscall_number("socket")), (give, 0, 0, allow), (load, 0, 0, 16)]
    program += [(equal, len(FAMILIES) - i, 0, int(family)) for i, family in enumerate(FAMILIES)]
    program += [refuse(errno.EAFNOSUPPORT), (give, 0, 0, allow)]
    return b"".join(struct.pack("HBBI", *instruction) for instruction in program)


def set_limits(limits: Limits, isolated: bool = True) -> None:
    """Resource limits of the student process and all that it starts."""
    values = {
        resource.RLIMIT_FSIZE: limits.file_size,
        resource.RLIMIT_CPU: limits.cpu + 1,
        resource.RLIMIT_NOFILE: 1024,
        resource.RLIMIT_CORE: 0,
    }
    if Path("/proc/self/statm").exists():  # Linux
        mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        # Twice the memory: one absurd allocation fails at once, a growing one is seen and named by the reaper.
        values |= {resource.RLIMIT_AS: mapped + 2 * limits.memory, resource.RLIMIT_MSGQUEUE: 0}
        Path("/proc/self/oom_score_adj").write_text("1000")  # if the machine runs out, these processes go first
    if isolated:  # else it would count all processes that the user has
        values[resource.RLIMIT_NPROC] = limits.processes + limits.waiting + 16  # the reaper's limit comes first, and has a name
    for kind, value in values.items():
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        # SIGXCPU, which can be told from other ends, comes at the soft limit; SIGKILL at the hard one.
        resource.setrlimit(kind, (value - 1 if kind == resource.RLIMIT_CPU else value, value))


def confine(limits: Limits, calls: bytes, wall: Callable[[], object], user: int | None = None) -> None:
    """In pid 2 of a sandbox, last before the student's code; `calls` is the filter, `wall` what Landlock adds, `user` who it
    becomes where it is another."""
    set_limits(limits)
    drop_rights(user=user)
    set_dumpable(True)  # a change of user ends it, and with it most of /proc/self
    wall()
    install(calls)
