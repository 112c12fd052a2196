"""The warm parent of a learner's kernels: has imported what notebooks import, and forks a kernel for each request.

    python -m course.lab.warm_kernel FD        `course.lab.kernels` starts it, and asks on the socket FD

A request is one message: a notebook's folder, its environment, the connection file. The answer is the child's process
id with a pidfd of it, "stale" where the framework's files changed since they were imported (this process then starts
itself anew), or "error". It ends, and all kernels with it, when the other side of the socket is closed.
"""
from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import random
import select
import signal
import socket
import sys
from pathlib import Path

import d2l_utils

PRELOAD = ("numpy", "torch", "pandas", "matplotlib.pyplot", "IPython.core.interactiveshell", "IPython.core.debugger",
           "ipykernel.kernelapp", "ipykernel.ipkernel", "tqdm.auto")        # not d2l_utils.check: it follows the kernel's shell
# a second or so each, when the first optimizer steps, a module's hook or a profile first runs: imported when idle
LATER = ("torch._dynamo", "torch.fx.experimental.symbolic_shapes", "torch.profiler._cupti_monitor", "torch.utils.data",
         "torchviz", "IPython.core.completer", "jedi")
IDLE = 2.0              # seconds without a request before one of LATER is imported
MESSAGE = 1 << 20       # bytes of a request at most


def main(fd: int) -> None:
    """Imports, then serves until the socket closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)        # Ctrl-C in the terminal is the server's
    del sys.path[0]                                     # this folder; a kernel puts its notebook's there
    sock = socket.socket(fileno=fd)
    stamp = edition()
    for name in PRELOAD:
        importlib.import_module(name)
    _warm_up()
    later = list(LATER)
    _settle()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)       # ended kernels leave nothing behind
    while True:
        if later and not select.select([sock], [], [], IDLE)[0]:
            with contextlib.suppress(ImportError):
                importlib.import_module(later.pop(0))
            _settle()
            continue
        request = sock.recv(MESSAGE)
        if not request:
            return
        if edition() != stamp:      # the reader changed d2l_utils, which an ordinary restart would import anew
            sock.send(b"stale")
            os.set_inheritable(fd, True)
            os.execv(sys.executable, [sys.executable, "-m", "course.lab.warm_kernel", str(fd)])
        child = _fork(sock, json.loads(request))
        if child is not None:       # this is the child
            return child()


def edition() -> float:
    """When the framework's files last changed."""
    return max(path.stat().st_mtime for path in Path(d2l_utils.__file__).parent.rglob("*.py"))


def _warm_up() -> None:
    """What is slow the first time, once."""
    import torch
    repr(torch.arange(3.0)[None] @ torch.ones(3, 1))


def _settle() -> None:
    """Lets children share the parent's memory: no collection touches its objects."""
    gc.collect()
    gc.freeze()


def _fork(sock: socket.socket, request: dict):
    """Answers a request. In the child, returns what to run; in the parent None."""
    try:
        pid = os.fork()
    except OSError as error:
        sock.send(f"error {error}".encode())
        return None
    if pid == 0:
        sock.close()
        return lambda: _become(request)
    try:
        pidfd = os.pidfd_open(pid)
    except OSError as error:
        sock.send(f"error {error}".encode())
        return None
    socket.send_fds(sock, [str(pid).encode()], [pidfd])
    os.close(pidfd)
    return None


def _become(request: dict) -> None:
    """This process is a kernel now, as `python -m ipykernel_launcher` would have made it."""
    os.setsid()
    for number in (signal.SIGINT, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL if number == signal.SIGCHLD else signal.default_int_handler)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = ["ipykernel_launcher", *request["arguments"]]
    random.seed()
    sys.modules["numpy"].random.seed()
    from ipykernel.kernelapp import IPKernelApp
    IPKernelApp.launch_instance([*request["arguments"], f"--IPKernelApp.parent_handle={os.getppid()}"])


if __name__ == "__main__":
    main(int(sys.argv[1]))
