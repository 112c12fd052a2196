"""Kernels that are there at once: forked from a warm parent (`course.lab.warm_kernel`) in place of a fresh start.

`course lab` starts the parent before the server, so that both import at the same time; the server's kernel manager
then takes kernels from it through `WarmProvisioner`, jupyter_client's extension point. Where there is no parent, where
it has trouble, or for another kernel than ours, the ordinary way is taken.
"""
from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from importlib.metadata import entry_points
from typing import Any

from jupyter_client.provisioning import LocalProvisioner

NAME = "course-warm"                # of the provisioner, in pyproject.toml
VARIABLE = "COURSE_KERNELS"         # the descriptor of the socket to the parent, in the server's environment
PATIENCE = 60.0                     # seconds that the parent may take to answer; its start takes about five

_parent: socket.socket | None = None
_lock = threading.Lock()


def possible() -> bool:
    """Whether kernels can be forked here: a Linux with pidfds, and the provisioner known to Jupyter."""
    return (sys.platform == "linux" and hasattr(os, "pidfd_open")
            and any(point.name == NAME for point in entry_points(group="jupyter_client.kernel_provisioners")))


def start_parent(environment: dict[str, str], log: Any) -> socket.socket:
    """Starts the warm parent; the server is to inherit the socket that comes back, and VARIABLE with its number."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        subprocess.Popen([sys.executable, "-m", "course.lab.warm_kernel", str(theirs.fileno())],
                         env=environment | {"MPLBACKEND": "module://matplotlib_inline.backend_inline"},
                         pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                         start_new_session=True)
    return ours


class Forked:
    """A forked kernel in the form of a subprocess.Popen, as far as a provisioner asks."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int, pidfd: int):
        self.pid, self._pidfd, self.returncode = pid, pidfd, None

    def poll(self) -> int | None:
        """None while it lives. How a process ended is known to its parent alone: 0 stands for every end."""
        if self.returncode is None and self._ended(0):
            os.close(self._pidfd)
            self.returncode = 0
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None and not self._ended(timeout):
            raise subprocess.TimeoutExpired("kernel", timeout or 0)
        return self.poll() or 0

    def _ended(self, seconds: float | None) -> bool:
        watch = select.poll()           # unlike select, it takes descriptors above 1023
        watch.register(self._pidfd, select.POLLIN)
        return bool(watch.poll(None if seconds is None else 1000 * seconds))

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            signal.pidfd_send_signal(self._pidfd, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class WarmProvisioner(LocalProvisioner):
    """A LocalProvisioner whose Python kernels come from the warm parent."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any):
        """As LocalProvisioner's; on any trouble with the parent, exactly that."""
        forked = None
        if cmd[1:3] == ["-m", "ipykernel_launcher"] and os.path.realpath(cmd[0]) == os.path.realpath(sys.executable):
            forked = await asyncio.to_thread(ask, cmd[3:], str(kwargs.get("cwd") or os.getcwd()),
                                             kwargs.get("env") or dict(os.environ))
        if forked is None:
            return await super().launch_kernel(cmd, **kwargs)
        self.process = forked
        self.pid = self.pgid = forked.pid       # it leads a session of its own
        self.cwd = kwargs.get("cwd")
        return self.connection_info


def ask(arguments: list[str], cwd: str, environment: dict[str, str]) -> Forked | None:
    """A kernel of the warm parent; None where there is no parent, or none that answers."""
    global _parent
    with _lock:
        if _parent is None and VARIABLE in os.environ:
            _parent = socket.socket(fileno=int(os.environ.pop(VARIABLE)))
            _parent.settimeout(PATIENCE)
        if _parent is None:
            return None
        environment = {name: value for name, value in environment.items() if name != VARIABLE}
        request = {"arguments": arguments, "cwd": cwd, "environment": environment}
        try:
            _parent.send(json.dumps(request).encode())
            answer, descriptors, *_ = socket.recv_fds(_parent, 1000, 1)
        except OSError:             # TimeoutError, too
            answer, descriptors = b"", []
        if not answer:              # it is gone, or hangs: not asked again
            _parent.close()
            _parent = None
        return Forked(int(answer), descriptors[0]) if descriptors else None
