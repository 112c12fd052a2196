"""A warm parent that forks sandboxes, and the handles that a worker holds.

    worker ── guard ── zygote (has imported torch) ── reaper ── student process     (the last two for each sandbox)

The guard stays outside the zygote's PID namespace and ends it when the worker is gone, however that ended; the end of
the zygote, pid 1 of its namespace, ends all sandboxes. The zygote gets only file descriptors: a submission travels
from the worker to the student process over their own socket, so nothing of it lies in memory that a later sandbox
inherits. One thread of the worker at a time may use a `Zygote`.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from course.sandbox import cgroups, namespaces
from course.sandbox.forkserver import BOOT, ROOT, read_line
from course.sandbox.limits import Limits, SandboxUnavailable, explain

_START, _ANSWER = 180, 15  # seconds that the start of a zygote, and an answer of a reaper, may take
# Grading takes place on the CPU: a graphics card is no use to a forked process, and two cards round differently.
ON_CPU = {"CUDA_VISIBLE_DEVICES": "", "D2L_DEVICE": "cpu"}


def _environment() -> dict[str, str]:
    """All that the zygote, and with it a submission, knows of the environment."""
    threads = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS")
    return {
        "PATH": f"{sys.prefix}/bin:/usr/local/bin:/usr/bin:/bin", "HOME": namespaces.HOME, "LANG": "C.UTF-8",
        "USER": "student", "LOGNAME": "student", "SHELL": "/bin/sh", "TMPDIR": "/tmp", "MPLBACKEND": "agg",
        "MPLCONFIGDIR": "/tmp/matplotlib", "TORCHINDUCTOR_CACHE_DIR": "/tmp", "D2L_DATA": str(ROOT / "data"),
        "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", **ON_CPU, **dict.fromkeys(threads, "1"),
    }  # fmt: skip


def _readable(fd: int, seconds: float | None) -> bool:
    poll = select.poll()  # unlike select, it takes descriptors above 1023
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(None if seconds is None else 1000 * seconds))


class Sandboxed:
    """One running sandbox: `sock` leads to the student process. Use it as a context manager, or call `kill`."""

    def __init__(
        self, sock: socket.socket, control: socket.socket, store: int, group: cgroups.Group | None, isolated: bool
    ) -> None:
        self.sock, self._control, self._store, self._group, self._isolated = sock, control, store, group, isolated
        self._pidfd: int | None = None  # of the reaper
        self._buffer = b""
        self._ended: tuple[str, str] | None = None
        self._output: bytes | None = None  # set by `kill`

    def _receive(self, seconds: float) -> dict | None:
        """The next message of the reaper, None if none came in time or none will come."""
        while b"\n" not in self._buffer:
            if self._ended or not _readable(self._control.fileno(), seconds):
                return None
            try:
                data, fds, *_ = socket.recv_fds(self._control, 1 << 16, 1)
            except ConnectionResetError:
                data, fds = b"", []
            if fds:
                self._pidfd = fds[0]
            if not data:
                self._ended = ("killed", "SIGKILL")
                return None
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        message = json.loads(line)
        if "status" in message:
            self._ended = (message["status"], message["detail"])
            if self._ended == ("killed", "SIGKILL") and self._group and self._group.ran_out():
                self._ended = ("out of memory", f"more than {self._group.memory >> 20} MiB, files and the kernel's included")
        return message

    def _ask(self, order: bytes) -> str | list[float] | None:
        if self.status() is not None:
            return None
        try:
            self._control.sendall(order)
        except OSError:  # it ended meanwhile; the reason is waiting to be read
            pass
        message = self._receive(_ANSWER)
        if message is None or "done" not in message:
            self.kill()
            return None
        return message["done"]

    def spare(self, pids: Iterable[int]) -> None:
        """From now on, neither `kill_check` nor a limit ends these processes alone; ids are those in the sandbox."""
        self._ask(b" ".join([b"s", *(b"%d" % pid for pid in pids)]) + b"\n")

    def kill_check(self) -> str | None:
        """End every process but the student process and those spared.

        Returns why processes were ended before, if a limit was the reason: "out of memory", "too many processes" or
        "too much output" since the last call; else None.
        """
        reason = self._ask(b"k\n")
        return reason or ("out of memory" if self._group and self._group.ran_out() and self.status() is None else None)

    def waited(self) -> tuple[float, float]:
        """Seconds that the student process, and those of a running check, were ready to run and no processor was free."""
        found = self._ask(b"w\n") or (0.0, 0.0)
        return float(found[0]), float(found[1])

    def status(self) -> str | None:
        """None while it lives, else "exited", "killed", "out of memory", "too many processes", "too much output" or
        "out of CPU time"; `detail` says more: the exit code, the signal, the limit."""
        while not self._ended and self._receive(0) is not None:
            pass
        return self._ended[0] if self._ended else None

    @property
    def detail(self) -> str:
        self.status()
        return self._ended[1] if self._ended else ""

    @property
    def output(self) -> bytes:
        """What was written straight to the file descriptors 1 and 2: the first `Limits.output` bytes."""
        if self._output is None:
            self._ask(b"o\n")
        return self._stored() if self._output is None else self._output

    def _stored(self) -> bytes:
        return os.pread(self._store, os.fstat(self._store).st_size, 0)

    def kill(self) -> None:
        """End the sandbox and wait until every process of it is gone."""
        if self._output is not None:
            return
        if not self._isolated or self._pidfd is None:  # the reaper ends its children and itself when its socket closes
            self._control.shutdown(socket.SHUT_WR)
            if self._pidfd is None:
                self._receive(_ANSWER)
            else:
                _readable(self._pidfd, _ANSWER)
        if self._pidfd is not None:
            try:
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
            except ProcessLookupError:
                pass
            _readable(self._pidfd, None)  # pid 1 is gone, and it is the last of its namespace
            os.close(self._pidfd)
        self.status()
        self._ended = self._ended or ("killed", "SIGKILL")
        self._output = self._stored()
        os.close(self._store)
        self._control.close()
        self.sock.close()
        if self._group:
            self._group.remove()

    def __enter__(self) -> Sandboxed:  # noqa: PYI034
        return self

    def __exit__(self, *exception: object) -> None:
        self.kill()


class Zygote:
    """A process with a minimal environment that has imported `preload` and forks sandboxes from there.

    Args:
        preload: modules to import. None of them may leave a thread behind.
        limits: what each sandbox may use.
        sandbox: False forks without any isolation, with resource limits only.
        target: "module:function", called in each student process with its socket. Nothing of the package `course` can
            be imported after the preload, so its modules import at their top what they will need.
        readable: folders or files that a submission may read besides Python and the system's programs;
            by default `d2l_utils` and `data` of this repository.
        code: further folders on `sys.path` for the preload, taken away before the first submission.
        later_after: seconds of serving after which the `later` of the target's module is prepared, where it has one.

    Raises:
        SandboxUnavailable: the machine cannot build the sandbox; the message says why, and what would help.
        RuntimeError: the preload failed; the message has its traceback.
    """

    def __init__(
        self,
        preload: Sequence[str],
        *,
        target: str,
        limits: Limits | None = None,
        sandbox: bool = True,
        readable: Sequence[Path] | None = None,
        code: Sequence[Path] = (),
        later_after: float = 3.0,
    ) -> None:
        if sandbox and sys.platform != "linux":
            raise SandboxUnavailable("\n".join(explain("")))
        if readable is None:
            readable = [folder for folder in (ROOT / "d2l_utils", ROOT / "data") if folder.exists()]
        self._config = {
            "preload": [*preload, target.partition(":")[0]],
            "limits": asdict(limits or Limits()),
            "sandbox": sandbox,
            "target": target,
            "readable": [str(path) for path in (*readable, *namespaces.python_folders())],
            "code": [str(Path(path).resolve()) for path in code],
            "later_after": later_after,
        }
        self._process: subprocess.Popen | None = None
        self._sock: socket.socket | None = None
        self._start()

    def _start(self) -> None:
        self._sock, theirs = socket.socketpair()
        self._sock.settimeout(_START)
        with theirs, tempfile.TemporaryFile() as errors:
            # A session of its own: no controlling terminal, into which a submission could type.
            self._process = subprocess.Popen(
                [sys.executable, "-s", "-P", "-c", BOOT, str(ROOT), str(theirs.fileno())], pass_fds=[theirs.fileno()],
                env=_environment(), stdin=subprocess.DEVNULL, stdout=errors, stderr=errors, cwd="/",
                start_new_session=True,
            )  # fmt: skip
            theirs.close()
            try:
                self._sock.sendall(json.dumps(self._config).encode() + b"\n")
                answer = read_line(self._sock)
                if answer == "map":
                    slots = namespaces.map_from_outside(self._process.pid)
                    self._sock.sendall(b"mapped %d\n" % slots)
                    answer = read_line(self._sock)
            except OSError as error:
                answer = f"sandbox: {error}"
            if answer == "ready":
                self._sock.settimeout(None)
                return
            self.close()
            errors.seek(0)
            answer = answer or errors.read().decode(errors="replace") or "it ended without a word"
        if answer.startswith("sandbox: "):
            raise SandboxUnavailable("\n".join(explain(answer.removeprefix("sandbox: "))))
        raise RuntimeError(f"The warm parent of the student processes did not start: {answer}")

    def spawn(self) -> Sandboxed:
        """Fork one sandbox. A zygote that died is started once more."""
        if self._sock is None:
            raise RuntimeError("This Zygote is closed. Make a new one.")
        try:
            return self._spawn()
        except ConnectionError:
            self.close()
            self._start()
        try:
            return self._spawn()
        except ConnectionError as error:
            raise RuntimeError(f"The warm parent of the student processes died twice: {error}") from error

    def _spawn(self) -> Sandboxed:
        (ours, theirs), (control, other) = socket.socketpair(), socket.socketpair()
        with tempfile.TemporaryFile() as file:
            store = os.memfd_create("output") if hasattr(os, "memfd_create") else os.dup(file.fileno())
        group = cgroups.group(Limits(**self._config["limits"])) if self._config["sandbox"] else None
        child = Sandboxed(ours, control, store, group, isolated=self._config["sandbox"])
        with theirs, other:
            try:
                socket.send_fds(self._sock, [b"s"], [theirs.fileno(), other.fileno(), store, *([group.door] if group else [])])
            except ConnectionError:
                pass  # no answer will come either
        if group:
            group.close_door()
        message = child._receive(_ANSWER)
        if message and "ready" in message:
            return child
        child.kill()
        if message:
            raise SandboxUnavailable("\n".join(explain(message["error"])))
        raise ConnectionError("it did not answer")

    def close(self) -> None:
        """End the zygote and every sandbox that came from it."""
        if self._sock is not None:
            self._sock.close()
            self._sock = None
        if self._process is not None:
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None

    def __enter__(self) -> Zygote:  # noqa: PYI034
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
