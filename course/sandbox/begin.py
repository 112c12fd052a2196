"""The start of one sandbox: a child of the zygote becomes pid 1 of it, and forks the student's process."""
from __future__ import annotations

import fcntl
import os
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NoReturn

from course.sandbox import cgroups, landlock, namespaces, rights
from course.sandbox.limits import Limits
from course.sandbox.reaper import Reaper


def _take_users(mapper: int, slot: int) -> None:
    """Become user 0 of a user namespace in which 0 and USER_ID are nobody else's."""
    ours, theirs = socket.socketpair()
    with ours, socket.socket(fileno=mapper) as guard:
        socket.send_fds(guard, [b"%d %d" % (os.getpid(), slot)], [theirs.fileno()])
        theirs.close()
        answer = ours.recv(1000)
    if answer != b"mapped":
        raise OSError(f"users of its own: {answer.decode() or 'the guard is gone'}")
    rights.become(0)
    rights.set_dumpable(True)  # a change of user ends it, and with it most of /proc/self


def become_reaper(
    fds: list[int], target: Callable, limits: Limits, isolated: bool, readable: list[Path], calls_: bytes,
    users: tuple[int, int] | None,
) -> NoReturn:  # fmt: skip
    student_end, control_fd, store, *doors = fds
    for door in doors:
        cgroups.enter(door)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if isolated:
        namespaces.enter_namespaces()
        if users:
            _take_users(*users)
        else:
            namespaces.map_self(namespaces.USER_ID, namespaces.USER_ID)
        if os.fork():
            os._exit(0)  # its child, pid 1 of the new namespace, is adopted by the zygote
        namespaces.furnish(limits, readable)
        os.chdir(namespaces.HOME)
    elif sys.platform == "linux":
        rights.adopt_orphans()
    read, write = os.pipe()
    student = os.fork()
    if student == 0:
        _become_student(student_end, write, target, limits, isolated, calls_, namespaces.USER_ID if users else None)
    os.close(student_end)
    os.close(write)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a handler of pid 1 could be reached from inside, the default cannot
    if isolated:
        # another user than the student needs these to watch and to end its processes, in this namespace only
        rights.drop_rights(keep=(rights.KILL, rights.PTRACE) if users else ())
        rights.set_dumpable(False)
    control = socket.socket(fileno=control_fd)
    reaper = Reaper(student, control, read, store, limits, isolated)
    pidfds = [os.pidfd_open(os.getpid())] if hasattr(os, "pidfd_open") else []
    socket.send_fds(control, [b'{"ready": true}\n'], pidfds)
    reaper.run()
    os._exit(0)


def _become_student(
    sock_fd: int, output: int, target: Callable, limits: Limits, isolated: bool, calls_: bytes, user: int | None
) -> NoReturn:
    """Nothing stays open but 0 (empty), 1 and 2 (the output pipe) and 3 (the socket)."""
    code = 1
    try:
        null = os.open("/dev/null", os.O_RDONLY)
        clear = [fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (null, output, output, sock_fd)]  # of 0 to 3
        for number, fd in enumerate(clear):
            os.dup2(fd, number, inheritable=number < 3)
        os.closerange(4, os.sysconf("SC_OPEN_MAX"))
        if isolated:
            rights.confine(limits, calls_, partial(landlock.restrict, namespaces.SCRATCHES, "/dev"), user)
        else:
            os.setpgid(0, 0)
            rights.set_limits(limits, isolated=False)
        target(socket.socket(fileno=3))
        code = 0
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
    except BaseException:  # noqa: BLE001  to the output, where the worker can read it
        traceback.print_exc()
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code & 0xFF)
