"""A warm parent that forks sandboxes, and the handles that the worker holds.

    worker ── guard ── zygote (imported torch once) ── reaper ── student process      (one pair for each sandbox)

The worker uses `Zygote` and `Sandboxed`; `main` and below run in the other processes. The guard stays outside the
zygote's PID namespace and ends it when the worker is gone, however that ended; the end of the zygote, pid 1 of its
namespace, ends all sandboxes. The zygote gets only file descriptors: a submission travels from the worker to the
student process over their own socket, so nothing of it lies in memory that a later sandbox inherits.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from course import sandbox as box
from course.reaper import Reaper
from course.sandbox import Limits, SandboxUnavailable

ROOT = Path(__file__).resolve().parent.parent
PRELOAD = ("torch", "numpy", "pandas", "matplotlib.pyplot", "IPython", "d2l_utils")
_START, _ANSWER = 180, 15  # seconds that the start of a zygote, and an answer of a reaper, may take
_BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from course.zygote import main; main(int(sys.argv[2]))"


def _environment() -> dict[str, str]:
    """All that the zygote, and with it a submission, knows of the environment."""
    threads = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS")
    return {
        "PATH": f"{sys.prefix}/bin:/usr/local/bin:/usr/bin:/bin", "HOME": box.HOME, "LANG": "C.UTF-8", "TMPDIR": "/tmp",
        "USER": "student", "LOGNAME": "student", "SHELL": "/bin/sh", "MPLBACKEND": "agg", "MPLCONFIGDIR": "/tmp/matplotlib",
        "D2L_DATA": str(ROOT / "data"), "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1",
        **dict.fromkeys(threads, "1"),
    }  # fmt: skip


# --- in the worker -----------------------------------------------------------------------------------------------


class Sandboxed:
    """One running sandbox: `sock` leads to the student process. Use as a context manager, or call `kill`."""

    def __init__(self, sock: socket.socket, control: socket.socket, store: int) -> None:
        self.sock, self._control, self._store = sock, control, store
        self._pid: int | None = None
        self._pidfd: int | None = None
        self._buffer = b""
        self._ended: tuple[str, str] | None = None
        self._output: bytes | None = None

    def _receive(self, seconds: float) -> dict | None:
        """The next message of the reaper, None if there is none yet; its end is a message too."""
        while b"\n" not in self._buffer:
            if self._ended or not select.select([self._control], [], [], seconds)[0]:
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
        return message

    def _ask(self, order: bytes) -> str | None:
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

    def kill_check(self) -> str | None:
        """End every process but the student process. Returns why some were ended before, if a limit was the reason:
        "out of memory", "too many processes" or "too much output" since the last call."""
        return self._ask(b"k")

    def status(self) -> str | None:
        """None while it lives, else "exited", "killed", "out of memory", "too many processes", "too much output",
        "out of CPU time"; `detail` says more."""
        while not self._ended and self._receive(0) is not None:
            pass
        return self._ended[0] if self._ended else None

    @property
    def detail(self) -> str:
        return self._ended[1] if self._ended else ""

    @property
    def output(self) -> bytes:
        """What was written straight to the file descriptors 1 and 2: the first `Limits.output` bytes."""
        if self._output is not None:
            return self._output
        self._ask(b"o")
        return os.pread(self._store, 1 << 30, 0) if self._output is None else self._output

    def kill(self) -> None:
        """End the sandbox and wait until every process of it is gone."""
        if self._output is not None:
            return
        if self._pidfd is not None:
            try:
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
            except ProcessLookupError:
                pass
            select.select([self._pidfd], [], [])  # readable when pid 1 is gone, which is the last of its namespace
            os.close(self._pidfd)
        else:  # no pidfd outside Linux: the reaper ends its children, and itself, when its socket closes
            self._control.shutdown(socket.SHUT_WR)
            while not self._ended:
                self._receive(_ANSWER)
        self.status()
        self._ended = self._ended or ("killed", "SIGKILL")
        self._output = os.pread(self._store, 1 << 30, 0)
        os.close(self._store)
        self._control.close()
        self.sock.close()

    def __enter__(self) -> Sandboxed:
        return self

    def __exit__(self, *exception: object) -> None:
        self.kill()


class Zygote:
    """A process with a minimal environment that has imported `preload` and forks sandboxes from there.

    `target`, "module:function", is called in each student process with its socket. `readable` are folders or files
    that a submission may read besides Python and the system (default: `d2l_utils` and `data` of this repository).
    `code` are folders put on `sys.path` for the preload and taken away before the first submission; the target's
    modules must import at their top what they will need. `sandbox=False` forks without any isolation.
    """

    def __init__(
        self,
        preload: Sequence[str] = PRELOAD,
        *,
        limits: Limits = Limits(),
        sandbox: bool = True,
        target: str = "course.student:serve",
        readable: Sequence[Path] | None = None,
        code: Sequence[Path] = (),
    ) -> None:
        if readable is None:
            readable = [folder for folder in (ROOT / "d2l_utils", ROOT / "data") if folder.exists()]
        if sandbox and sys.platform != "linux":
            raise SandboxUnavailable("\n".join(box.explain("")))
        self._config = {
            "preload": [*preload, target.partition(":")[0]], "limits": asdict(limits), "sandbox": sandbox, "target": target,
            "readable": [str(path) for path in (*readable, *box.python_folders())],
            "code": [str(Path(path).resolve()) for path in code],
        }  # fmt: skip
        self._process: subprocess.Popen | None = None
        self._sock: socket.socket | None = None
        self._start()

    def _start(self) -> None:
        self._sock, theirs = socket.socketpair()
        self._sock.settimeout(_START)
        with theirs, tempfile.TemporaryFile() as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-s", "-P", "-c", _BOOT, str(ROOT), str(theirs.fileno())], pass_fds=[theirs.fileno()],
                env=_environment(), stdin=subprocess.DEVNULL, stdout=errors, stderr=errors, cwd="/",
                start_new_session=True,  # no controlling terminal, into which a submission could type
            )  # fmt: skip
            theirs.close()
            try:
                self._sock.sendall(json.dumps(self._config).encode() + b"\n")
                if self._config["sandbox"]:
                    answer = _line(self._sock)
                    if answer == "map":
                        box.map_from_outside(self._process.pid)
                        self._sock.sendall(b"mapped\n")
                        answer = _line(self._sock)
                else:
                    answer = _line(self._sock)
            except OSError as error:
                answer = f"sandbox: {error}"
            if answer == "ready":
                self._sock.settimeout(None)
                return
            self.close()
            errors.seek(0)
            text = answer or errors.read().decode(errors="replace") or "it ended without a word"
        kind, _, text = text.partition(": ") if text.startswith("sandbox: ") else ("", "", text)
        if kind:
            raise SandboxUnavailable("\n".join(box.explain(text)))
        raise RuntimeError(f"The warm parent of the student processes did not start: {text}")

    def spawn(self) -> Sandboxed:
        """Fork one sandbox; its target has been called when this returns. A zygote that died is started once more."""
        try:
            return self._spawn()
        except OSError:
            self.close()
            self._start()
        try:
            return self._spawn()
        except OSError as error:
            raise RuntimeError(f"The warm parent of the student processes died twice: {error}") from error

    def _spawn(self) -> Sandboxed:
        if self._sock is None:
            raise RuntimeError("This Zygote is closed. Make a new one.")
        (ours, theirs), (control, other) = socket.socketpair(), socket.socketpair()
        with tempfile.TemporaryFile() as file:
            store = os.memfd_create("output") if hasattr(os, "memfd_create") else os.dup(file.fileno())
        child = Sandboxed(ours, control, store)
        with theirs, other:
            try:
                socket.send_fds(self._sock, [b"s"], [theirs.fileno(), other.fileno(), store])
            except OSError:
                child.kill()
                raise
        message = child._receive(_ANSWER)
        if message is None or "ready" not in message:
            reason = (message or {}).get("error", "it did not answer")
            child.kill()
            raise ConnectionError(f"a sandbox did not start: {reason}")
        return child

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

    def __enter__(self) -> Zygote:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _line(sock: socket.socket) -> str:
    text = b""
    while not text.endswith(b"\n"):
        data = sock.recv(1)
        if not data:
            break
        text += data
    return text.decode().replace("\x00", "\n").rstrip("\n")


# --- in the guard and the zygote ---------------------------------------------------------------------------------


def main(fd: int) -> None:
    """Entry of the process that `Zygote` starts."""
    sock = socket.socket(fileno=fd)
    config = json.loads(_line(sock))
    try:
        if config["sandbox"]:
            _isolate(sock, config)
        _preload(config)
        sock.sendall(b"ready\n")
    except BaseException as error:  # noqa: BLE001  whatever it was, the worker must hear of it
        prefix = "sandbox: " if isinstance(error, OSError) and config["sandbox"] else ""
        text = str(error) if prefix else traceback.format_exc()
        sock.sendall((prefix + text).replace("\n", "\x00").encode() + b"\n")
        os._exit(1)
    _serve(sock, config)


def _isolate(sock: socket.socket, config: dict) -> None:
    """Go on as pid 1 of a PID namespace, in the new root; the guard stays behind."""
    worker = os.pidfd_open(os.getppid())
    if os.geteuid() == 0:
        os.setgroups([])
    box.enter_namespaces()
    sock.sendall(b"map\n")
    if _line(sock) != "mapped":
        os._exit(1)
    child = os.fork()
    if child:
        sock.close()
        gone = os.pidfd_open(child)
        if worker in select.select([worker, gone], [], [])[0]:
            os.kill(child, signal.SIGKILL)
        os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 0xFF)
    os.close(worker)
    box.die_with_parent()
    readable = [Path(path) for path in (*config["readable"], *config["code"], ROOT / "course")]
    config["writable"] = box.build_root(readable, ROOT)


def _preload(config: dict) -> None:
    sys.path[1:1] = config["code"]
    os.umask(0o022)
    for name in config["preload"]:
        importlib.import_module(name)
    _warm_up()
    if config["sandbox"]:
        tasks = os.listdir("/proc/self/task")
        if len(tasks) > 1:
            raise RuntimeError(f"{len(tasks)} threads after importing {config['preload']}: a fork would lose all but one. "
                               "Preload nothing that starts threads.")  # fmt: skip
        loaded = [Path(folder) for folder in (*config["code"], str(ROOT / "course"))]
        box.close_root(config["writable"], loaded)
        if os.getuid() != box.USER_ID:  # root's zygote: only now, since the imports may need what only root may read
            os.setresgid(box.USER_ID, box.USER_ID, box.USER_ID)
            os.setresuid(box.USER_ID, box.USER_ID, box.USER_ID)
            box.die_with_parent()  # a change of user clears it
        box.set_dumpable(True)  # a process that is not cannot write its children's uid_map
    gc.collect()
    gc.freeze()  # a collection in a child would touch, and so copy, every page


def _warm_up() -> None:
    """Do once, here, what is slow the first time."""
    if "torch" in sys.modules:
        import torch

        torch.set_num_threads(1)  # before any operation: a child of a process that ran threads hangs
        torch.ones(2, requires_grad=True).sum().backward()
    if "matplotlib.pyplot" in sys.modules:
        import io

        from matplotlib import pyplot

        figure, axes = pyplot.subplots()
        axes.set_title("x")
        figure.savefig(io.BytesIO(), format="png")
        pyplot.close("all")


def _serve(sock: socket.socket, config: dict) -> None:
    """Fork a sandbox for every request, until the worker closes the socket."""
    module, _, name = config["target"].partition(":")
    target, limits = getattr(sys.modules[module], name), Limits(**config["limits"])
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a reaper here: the worker holds its pidfd
    while True:
        request, fds, *_ = socket.recv_fds(sock, 1, 3)
        if not request:
            os._exit(0)
        if os.fork() == 0:
            try:
                sock.close()
                _become_reaper(fds, target, limits, config["sandbox"])
            except BaseException as error:  # noqa: BLE001  nothing may return into the loop of the zygote
                message = json.dumps({"error": f"{type(error).__name__}: {error}"}).encode() + b"\n"
                socket.socket(fileno=fds[1]).sendall(message)
            finally:
                os._exit(1)
        for fd in fds:
            os.close(fd)


def _become_reaper(fds: list[int], target, limits: Limits, isolated: bool) -> None:
    student_end, control_fd, store = fds
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if isolated:
        box.enter_namespaces()
        box.write_id_maps("self", box.USER_ID, box.USER_ID, box.USER_ID)
        if os.fork():
            os._exit(0)  # its child, pid 1 of the new namespace, is adopted by the zygote
        box.furnish(limits)
        os.chdir(box.HOME)
    elif sys.platform == "linux":
        box.adopt_orphans()
    read, write = os.pipe()
    student = os.fork()
    if student == 0:
        _become_student(student_end, write, target, limits, isolated)
    os.close(student_end)
    os.close(write)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a handler of pid 1 could be reached from inside, the default cannot
    if isolated:
        box.drop_rights()
        box.set_dumpable(False)
    control = socket.socket(fileno=control_fd)
    reaper = Reaper(student, control, read, store, limits, isolated)
    pidfds = [os.pidfd_open(os.getpid())] if hasattr(os, "pidfd_open") else []
    socket.send_fds(control, [b'{"ready": true}\n'], pidfds)
    reaper.run()
    if not isolated:
        reaper.clear()
        os.kill(student, signal.SIGKILL)
    os._exit(0)


def _become_student(sock_fd: int, output: int, target, limits: Limits, isolated: bool) -> None:
    """Nothing is open but 0 (empty), 1 and 2 (the output pipe) and 3 (the socket)."""
    code = 1
    try:
        null = os.open("/dev/null", os.O_RDONLY)
        moved = [os.dup(fd) for fd in (null, output, output, sock_fd)]  # clear of 0 to 3, or one would overwrite another
        for number, fd in enumerate(moved):
            os.dup2(fd, number, inheritable=number < 3)
        os.closerange(4, os.sysconf("SC_OPEN_MAX") if not isolated else 1 << 16)
        if isolated:
            box.confine(limits)
        else:
            os.setpgid(0, 0)
            box.set_limits(limits)
        target(socket.socket(fileno=3))
        code = 0
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
    except BaseException:  # noqa: BLE001  to the output, where the worker can read it
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code & 0xFF)
