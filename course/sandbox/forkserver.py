"""What runs in the processes that `course.sandbox.zygote.Zygote` starts: the guard and the zygote.

The steps stand here in the order in which they happen; how each sandbox starts is in `course.sandbox.begin`, what the
steps take away in `course.sandbox.namespaces` and `course.sandbox.rights`. No environment, no argument and no file
descriptor of the worker comes along but one socket.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import select
import signal
import socket
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from course.sandbox import calls, namespaces, rights
from course.sandbox.begin import become_reaper
from course.sandbox.limits import Limits
from course.sandbox.pages import freeze

ROOT = Path(__file__).resolve().parents[2]
BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from course.sandbox.forkserver import main; main(int(sys.argv[2]))"


def read_line(sock: socket.socket) -> str:
    """One message between worker and zygote; lines in it are separated by NUL. Empty at the end."""
    text = b""
    while not text.endswith(b"\n") and (data := sock.recv(1)):
        text += data
    return text.decode().rstrip("\n").replace("\0", "\n")


def main(fd: int) -> None:
    """Entry of the guard, from which the zygote is forked."""
    sock = socket.socket(fileno=fd)
    config = json.loads(read_line(sock))
    try:
        if config["sandbox"]:
            try:
                _isolate(sock, config)
            except OSError as error:
                _fail(sock, f"sandbox: {error}")
        _preload(config)
    except BaseException:  # noqa: BLE001  whatever it was, the worker must hear of it
        _fail(sock, traceback.format_exc())
    _serve(sock, config)


def _fail(sock: socket.socket, text: str) -> None:
    sock.sendall(text.replace("\n", "\0").encode() + b"\n")
    os._exit(1)


def _isolate(sock: socket.socket, config: dict) -> None:
    """Go on as pid 1 of a PID namespace, in the new root; the guard stays behind."""
    worker = os.pidfd_open(os.getppid())
    with contextlib.suppress(PermissionError):  # an ordinary user cannot, and keeps them
        os.setgroups([])
    namespaces.enter_namespaces()
    sock.sendall(b"map\n")
    answer, _, slots = read_line(sock).partition(" ")
    if answer != "mapped":
        os._exit(1)
    wishes, mapper = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    child = os.fork()
    if child:
        sock.close()
        mapper.close()
        _guard(child, worker, wishes)
    os.close(worker)
    wishes.close()
    config["slots"], config["mapper"] = int(slots), mapper.detach()
    rights.die_with_parent()
    config["code"].append(str(ROOT / "course"))
    config["writable"] = namespaces.build_root([Path(path) for path in config["readable"] + config["code"]], ROOT)


def _guard(child: int, worker: int, wishes: socket.socket) -> NoReturn:
    """End the zygote when the worker is gone; until then, give sandboxes users of their own, which the zygote may not."""
    gone = os.pidfd_open(child)
    while not {worker, gone} & {*(ready := select.select([worker, gone, wishes], [], [])[0])}:
        wish, fds, *_ = socket.recv_fds(wishes, 100, 1)
        if not wish:  # the zygote is ending
            select.select([gone], [], [])
            continue
        try:
            namespaces.map_sandbox(*map(int, wish.split()))
            os.write(fds[0], b"mapped")
        except OSError as error:
            os.write(fds[0], str(error).encode())
        os.close(fds[0])
    if worker in ready:
        os.kill(child, signal.SIGKILL)
    os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 0xFF)


def _preload(config: dict) -> None:
    sys.path[1:1] = config["code"]
    os.umask(0o022)
    for name in config["preload"]:
        importlib.import_module(name)
    _warm_up()
    config["calls"] = b""
    config.setdefault("slots", 0)
    if config["sandbox"]:
        config["calls"] = calls.allowlist() or rights.denylist()
        threads = len(os.listdir("/proc/self/task"))
        if threads > 1:
            modules = ", ".join(config["preload"])
            raise RuntimeError(
                f"{threads} threads run after importing {modules}, and a fork keeps one. The packages of requirements.txt start "
                "none; others do (pandas loads pyarrow where it is installed). Grade in the environment of `make env`."
            )
        namespaces.close_root(config["writable"], config["code"])
        if os.getuid() != namespaces.USER_ID:  # root's: only now, as the imports may need what only root may read
            rights.become(namespaces.USER_ID)
            rights.die_with_parent()  # a change of user clears it
        rights.drop_capabilities()
        rights.set_dumpable(True)  # a process that is not cannot write its children's uid_map
    freeze()


def _warm_up() -> None:
    """Do once, here, what is slow the first time, or needs a tree that can be written to."""
    tempfile.gettempdir()
    if "torch" in sys.modules:
        import torch

        torch.set_num_threads(1)  # before any operation: a child of a process that ran threads hangs
        torch.ones(2, requires_grad=True).sum().backward()
    if "matplotlib.pyplot" in sys.modules:
        from matplotlib import pyplot

        figure, axes = pyplot.subplots()
        axes.set_title("x")
        figure.savefig(io.BytesIO(), format="png")
        pyplot.close("all")


def _serve(sock: socket.socket, config: dict) -> None:
    """Fork a sandbox for every request, until the worker closes the socket.

    Where the target's module has a function `later`, a child of this process calls it while this one serves, and then
    takes over. So the first submissions need not wait for what takes long and only some of them use; and a run that
    is over before `later_after` seconds, about what this costs, does without it.
    """
    module, _, name = config["target"].partition(":")
    target, limits = getattr(sys.modules[module], name), Limits(**config["limits"])
    readable = [Path(path) for path in config["readable"]]
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a reaper here: the worker holds its pidfd
    later = getattr(sys.modules[module], "later", None)
    successor = told = begin = None
    if later and hasattr(os, "pidfd_open"):
        begin = time.monotonic() + config["later_after"]
    elif later:
        later()
    number = 0
    sock.sendall(b"ready\n")
    while True:
        wait = None if begin is None else max(0.0, begin - time.monotonic())
        ready = select.select([sock, told] if successor else [sock], [], [], wait)[0]
        if begin is not None and time.monotonic() >= begin:
            begin = None
            successor, told = _fork_successor(later)
            if not successor:  # here this is the child, prepared
                os.write(told, b"r")
            continue
        if successor and told in ready:
            if os.read(told, 1):
                _stand_by(sock, successor)
            successor = None  # it failed: go on without
            continue
        request, fds, *_ = socket.recv_fds(sock, 1, 4)
        if not request:
            os._exit(0)
        zygote, number = os.getpid(), number + 1
        users = (config["mapper"], number % config["slots"]) if config["slots"] else None
        try:
            if os.fork() == 0:
                sock.close()
                become_reaper(fds, target, limits, config["sandbox"], readable, config["calls"], users)
        except BaseException as error:  # noqa: BLE001  no child may return into this loop
            message = json.dumps({"error": f"{type(error).__name__}: {error}"}).encode() + b"\n"
            os.write(fds[1], message)
            if os.getpid() != zygote:
                os._exit(1)
        for fd in fds:
            os.close(fd)


def _fork_successor(later: Callable) -> tuple[int | None, int]:
    """In the parent: the child's pidfd, and a pipe that says when it serves. In the child: None, and the pipe to say it."""
    read, write = os.pipe()
    child = os.fork()
    if child:
        os.close(write)
        return os.pidfd_open(child), read
    os.close(read)
    rights.die_with_parent()
    try:
        later()
        freeze()
    except BaseException:  # noqa: BLE001  the parent serves on
        traceback.print_exc()
        os._exit(1)
    return None, write


def _stand_by(sock: socket.socket, successor: int) -> NoReturn:
    """Serve no more, but be there: this is pid 1, and what it forked are its children."""
    sock.close()
    select.select([successor], [], [])
    os._exit(0)
