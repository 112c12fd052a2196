"""JupyterLab for a student: the book's copy in work/, the profile in course/lab/jupyter/, one page open.

JupyterLab starts in the book's root, where nbgrader finds its settings, wherever it is called from. All that it
keeps (settings, trust, history, log) goes to .book/lab/, so that neither reads nor changes a person's own Jupyter.
"""
from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from course.lab import kernels, session
from course.learner.work import Synced, WorkError, notebooks, sync

__all__ = ["Lab", "LabError", "Synced", "WorkError", "main", "running", "sync"]

FIRST_PORT = 8888
TRIES = 50
SOCKET_PATH = 100           # characters; Linux takes 107 in the path of a socket, macOS 103
KEPT = Path(".book/lab")    # below the book: settings, trust, history, log, and what `session` keeps
PROFILE = Path(__file__).parent / "jupyter"


class LabError(RuntimeError):
    """JupyterLab did not start; the message says why and what to do."""


@dataclass
class Lab:
    """A running JupyterLab. `url` opens the first page, with the token; `log` is its log file."""
    url: str
    port: int
    token: str
    process: subprocess.Popen
    log: Path


def main(root: Path, port: int | None = None, browser: bool = True, extra: tuple[str, ...] = ()) -> int:
    """Makes work/, starts JupyterLab, prints the address, and runs until stopped. Returns the exit status.

    `port` is where to look for a free port first; `extra` goes to JupyterLab as it is.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))     # so that the server is stopped with us
    try:
        done = sync(Path(root))
        say(done)
        first = notebooks(Path(root))[0]        # for someone who begins; later the home page, which says how far they are
        begins = Path("work") / first.relative_to(Path(root) / "notebooks") in done.made
        kept = Path(root).resolve() / KEPT
        if (there := session.running_port(kept)) is not None:
            url = f"http://127.0.0.1:{there}/lab?token={session.secret(kept, 'token')}"
            print(f"\nThe book is open already, at\n\n    {url}\n\nIt runs until the command that started it is stopped.")
            if browser and _has_screen():
                webbrowser.open(url)
            return 0
        with running(root, port, extra, home=not begins, notes=told(done)) as lab:
            print(f"\nThe book is open at\n\n    {lab.url}\n\nStop it with Ctrl-C. Its log: {lab.log}", flush=True)
            if browser and _has_screen():
                webbrowser.open(lab.url)
            status = lab.process.wait()
            print(f"JupyterLab has stopped; see {lab.log}." if status else "JupyterLab has stopped.")
            return status
    except (WorkError, LabError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. What you saved is in work/.")
        return 0


def say(done: Synced) -> None:
    """Prints what `sync` did, if it did anything."""
    if done.made:
        print(f"work/: {_count(done.made)} made. This is your copy of the book; write in it.")
    for line in told(done):
        print(line)


def told(done: Synced) -> list[str]:
    """What a new edition changed in the student's copy, and what could not be merged."""
    lines = [f"  {note}" for note in done.notes]
    if done.updated:
        lines.insert(0, f"work/: {_count(done.updated)} brought up to this edition of the book, with your answers in place.")
    return lines


def _count(paths: list[Path]) -> str:
    return "1 notebook" if len(paths) == 1 else f"{len(paths)} notebooks"


@contextmanager
def running(root: Path, port: int | None = None, extra: tuple[str, ...] = (), *, home: bool = False,
            notes: list[str] | None = None) -> Iterator[Lab]:
    """JupyterLab with the student profile, in `root`, for as long as the block runs. Raises LabError.

    It opens on the first page, or on the `home` page with the tabs of last time behind it. The home page shows the `notes`.
    """
    root = Path(root).resolve()
    kept = root / KEPT
    try:
        (kept / "config/custom").mkdir(parents=True, exist_ok=True)
        # JupyterLab reads custom.css from its own configuration folder only
        shutil.copyfile(PROFILE / "custom/custom.css", kept / "config/custom/custom.css")
        log = kept / "jupyterlab.log"
        if log.exists():        # the last one's, or that of one that runs: it goes on writing there
            log.replace(kept / "jupyterlab.log.1")
        log = log.open("wb")
    except OSError as error:
        raise LabError(f"{error.filename} cannot be written ({error.strerror}). "
                       "Make the folder writable, or copy the book to a folder of your own.") from error
    token = session.secret(kept, "token")
    session.secret(kept, "cookie_secret")
    page = "/lab" if home else f"/lab/tree/work/{notebooks(root)[0].relative_to(root / 'notebooks').as_posix()}"
    with log, tempfile.TemporaryDirectory(prefix="lab-") as runtime:    # a short path, for the kernels' sockets
        environment = _environment(root, kept, runtime, token) | {"COURSE_NOTES": json.dumps(notes or [])}
        for again in (True, True, False):
            said_before = Path(log.name).stat().st_size
            lab = _start(root, free_port(port or _last(kept)), page, runtime, environment, extra, log)
            try:
                _wait(lab, Path(runtime))
                break
            except LabError:
                lost = _another_was_quicker(lab, said_before)
                _stop(lab.process)
                if not (lost and again):
                    raise
            except BaseException:
                _stop(lab.process)
                raise
        try:
            session.remember(kept, lab.port, lab.process.pid)
            yield lab
        finally:
            _stop(lab.process)


def _start(root: Path, port: int, page: str, runtime: str, environment: dict[str, str], extra: tuple[str, ...], log) -> Lab:
    """JupyterLab on this port, and beside it the process that its kernels start from."""
    command, parent = _command(root, port, page, runtime, extra), None
    if kernels.possible():      # it imports torch while the server starts
        parent = kernels.start_parent(environment, log)
        environment = environment | {kernels.VARIABLE: str(parent.fileno())}
        command.append(f"--KernelProvisionerFactory.default_provisioner_name={kernels.NAME}")
    process = subprocess.Popen(command, cwd=root, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=environment,
                               pass_fds=[parent.fileno()] if parent else [])
    if parent:
        parent.close()
    token = environment["JUPYTER_TOKEN"]
    return Lab(f"http://127.0.0.1:{port}{page}?token={token}", port, token, process, Path(log.name))


def _another_was_quicker(lab: Lab, said_before: int) -> bool:
    """Whether this JupyterLab ended because its port was taken. A second server looks whether it could have a port by
    taking it for a moment: by now the port may be free again, and only the log, from `said_before` bytes on, tells."""
    if lab.process.poll() is None:
        return False
    return f"port {lab.port} is not available".encode() in lab.log.read_bytes()[said_before:] or not _is_free(lab.port)


def _stop(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _last(kept: Path) -> int | None:
    """The port of last time, where it is free: open tabs and bookmarks go on working."""
    port = session.last_port(kept)
    return port if port is not None and _is_free(port) else None


def _bind(port: int) -> None:
    """Takes the port of this machine for a moment; raises OSError where it is in use or not for this user."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", port))


def _is_free(port: int) -> bool:
    try:
        _bind(port)
    except OSError:
        return False
    return True


def free_port(wanted: int | None = None) -> int:
    """The first free port of this machine from `wanted` (8888) on; says so where it is another. Raises LabError."""
    first = FIRST_PORT if wanted is None else wanted
    if not 1 <= first <= 65535:
        raise LabError(f"{first} is no port. Give a number from 1024 to 65535.")
    for port in range(first, min(first + TRIES, 65536)):
        try:
            _bind(port)
        except PermissionError:
            raise LabError(f"Port {port} is not for you to use. Give one from 1024 on.") from None
        except OSError:
            continue
        if port != first:
            print(f"Port {first} is in use: taking {port}.")
        return port
    raise LabError(f"The ports {first} to {port} are all in use. Give another with --port.")


def _command(root: Path, port: int, page: str, runtime: str, extra: tuple[str, ...]) -> list[str]:
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--custom-css",
        f"--ServerApp.root_dir={root}", f"--ServerApp.default_url={page}",
        "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}", "--ServerApp.port_retries=0",
        f"--LabApp.extra_labextensions_path={PROFILE / 'labextensions'}",
        "--ServerApp.contents_manager_class=course.lab.contents.Contents",
        f"--ServerApp.cookie_secret_file={root / KEPT / 'cookie_secret'}",
        "--ServerApp.answer_yes=True", "--ServerApp.log_level=WARN",
    ]
    if sys.platform == "linux" and len(f"{runtime}/kernel-{'0' * 36}-ipc-1") < SOCKET_PATH:
        command.append("--KernelManager.transport=ipc")     # TCP is open to everyone on a shared machine
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")
    return command + list(extra)


def _environment(root: Path, home: Path, runtime: str, token: str) -> dict[str, str]:
    scripts = str(Path(sys.executable).parent)              # where nbgrader, alembic and dot's callers look
    own = "MPLCONFIGDIR" in os.environ or Path("~/.config/matplotlib").expanduser().exists()
    return os.environ | ({} if own else {"MPLCONFIGDIR": str(home / "matplotlib")}) | {
        "PATH": scripts + os.pathsep + os.environ.get("PATH", ""),
        "JUPYTER_TOKEN": token,
        "JUPYTER_CONFIG_PATH": os.pathsep.join([str(PROFILE), str(root)]),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": runtime,
        "IPYTHONDIR": str(home / "ipython"),
    }


def _wait(lab: Lab, runtime: Path, seconds: float = 60) -> None:
    """Returns when the server answers. Only when it notes so in `runtime` is it the one on its port."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if lab.process.poll() is not None:
            break
        if any(runtime.glob("jpserver-*.json")):
            with suppress(URLError, OSError), urlopen(f"http://127.0.0.1:{lab.port}/api", timeout=5):
                return
        time.sleep(0.1)
    tail = "\n".join(lab.log.read_text(errors="replace").splitlines()[-8:])
    raise LabError(f"JupyterLab did not start. The end of {lab.log}:\n{tail}")


def _has_screen() -> bool:
    """Whether a browser can show itself; without a screen, webbrowser may start one in the terminal."""
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME")
    return sys.platform != "linux" or any(os.environ.get(name) for name in screens)
