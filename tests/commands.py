"""Commands as a test runs them: `python -m course.cli ...`, started from a process that has imported the libraries.

Half of a short command's time is the import of torch and nbgrader. `run` forks a server that has them; the program's
own modules are imported anew each time, and so is all else a new process has: environment, folder, arguments, streams.
`.ci/run`, which sets COURSE_TEST_ALL, starts every command as a user does.
"""
from __future__ import annotations

import atexit
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

LIBRARIES = ["torch", "numpy", "pandas", "matplotlib", "sqlalchemy", "alembic", "nbformat", "nbconvert", "nbclient",
             "jupyter_client", "jupytext", "nbgrader.api", "nbgrader.apps", "nbgrader.apps.exportapp", "distributed", "psutil"]


class _Server:
    """The process that has the libraries, and a line to it: one command at a time."""

    def __init__(self):
        self.turn = threading.Lock()
        self.line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.process = subprocess.Popen([sys.executable, __file__, str(theirs.fileno())], pass_fds=[theirs.fileno()],
                                        stdin=subprocess.DEVNULL, cwd="/")
        theirs.close()
        atexit.register(self.end)

    def end(self) -> None:
        self.line.close()           # it ends when nobody is at the line
        self.process.wait()

    def run(self, module: str, words: list[str], cwd: Path, env: dict[str, str], out, err, timeout: float) -> int:
        """The exit status. Kills the command and raises TimeoutExpired after `timeout` seconds."""
        with tempfile.TemporaryFile("w+") as request:       # an environment may be longer than a packet
            json.dump({"module": module, "words": words, "cwd": str(cwd), "env": env}, request)
            request.flush()
            socket.send_fds(self.line, [b"run"], [request.fileno(), out.fileno(), err.fileno()])
        pid = int(self.line.recv(32))
        self.line.settimeout(timeout)
        try:
            return os.waitstatus_to_exitcode(int(self.line.recv(32)))
        except TimeoutError:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            self.line.settimeout(None)
            self.line.recv(32)
            raise subprocess.TimeoutExpired([module, *words], timeout) from None
        finally:
            self.line.settimeout(None)


_server: _Server | None = None


def run(module: str, *words: str, cwd: Path, env: dict[str, str], timeout: float = 300) -> subprocess.CompletedProcess:
    """`python -m module words...` in the folder `cwd`, with this environment and no more; both outputs as text."""
    global _server
    if not os.environ.get("COURSE_TEST_ALL") and hasattr(os, "fork"):
        _server = _server or _Server()
        if _server.turn.acquire(blocking=False):
            try:
                with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
                    status = _server.run(module, list(words), cwd, env, out, err, timeout)
                    out.seek(0), err.seek(0)
                    return subprocess.CompletedProcess([module, *words], status, out.read(), err.read())
            finally:
                _server.turn.release()
    return subprocess.run([sys.executable, "-m", module, *words], cwd=cwd, env=env, text=True, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=timeout)


def _serve(line: socket.socket) -> dict:
    """Forks for each request. Returns in the child alone, with the request."""
    while True:
        word, streams, _, _ = socket.recv_fds(line, 16, 3)
        if not word:
            os._exit(0)
        if (pid := os.fork()) == 0:
            line.close()
            with os.fdopen(streams[0]) as request:
                request.seek(0)
                asked = json.load(request)
            os.dup2(streams[1], 1)
            os.dup2(streams[2], 2)
            for stream in streams[1:]:
                os.close(stream)
            return asked
        for stream in streams:
            os.close(stream)
        line.send(b"%d" % pid)
        line.send(b"%d" % os.waitpid(pid, 0)[1])


def _become(asked: dict) -> None:
    """What a new interpreter does before the module runs."""
    os.environ.clear()
    os.environ.update(asked["env"])
    os.chdir(asked["cwd"])
    own = Path(__file__).resolve().parent
    paths = [path for path in asked["env"].get("PYTHONPATH", "").split(os.pathsep) if path]
    sys.path[:] = [asked["cwd"], *paths, *(p for p in sys.path[1:] if Path(p).resolve() != own and p not in paths)]
    sys.path_importer_cache.clear()
    sys.argv = [asked["module"], *asked["words"]]
    runpy.run_module(asked["module"], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    at = socket.socket(fileno=int(sys.argv[1]))
    at.set_inheritable(False)
    for name in LIBRARIES:
        importlib.import_module(name)
    assert not {"course", "d2l_utils"} & set(sys.modules), "the program itself is imported anew by each command"
    _become(_serve(at))
