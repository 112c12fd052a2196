"""`course lab`: a free port, the address, its own folder, and an end without leftovers."""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.request import Request, urlopen

import pytest

from course.lab import start

ROOT = Path(__file__).resolve().parents[2]
PAGE = "ch00_start/0_first.ipynb"


@pytest.fixture
def root(tmp_path) -> Path:
    """A book of two notebooks; the folder's name holds a space and a letter outside ASCII."""
    root = tmp_path / "my bücher"
    built = min((ROOT / "notebooks").glob("*/*.ipynb"))
    for name in ("ch02_next/2_1_next.ipynb", PAGE):
        (root / "notebooks" / name).parent.mkdir(parents=True)
        shutil.copy(built, root / "notebooks" / name)
    return root


@pytest.fixture
def taken_port():
    """A port of this machine on which another program listens."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def test_a_port_in_use_is_said_and_the_next_free_one_taken(taken_port, capsys):
    port = start.free_port(taken_port)
    assert port > taken_port
    assert capsys.readouterr().out == f"Port {taken_port} is in use: taking {port}.\n"


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_a_number_that_is_no_port(port):
    with pytest.raises(start.LabError, match=f"{port} is no port"):
        start.free_port(port)


def test_no_free_port(monkeypatch, taken_port):
    monkeypatch.setattr(start, "TRIES", 1)
    with pytest.raises(start.LabError, match=f"{taken_port} .*in use. Give another"):
        start.free_port(taken_port)


def test_runs_until_stopped_and_keeps_to_its_folder(root, taken_port, tmp_path):
    """Started from elsewhere, on a port in use; the address works; Control-C ends it; the home folder stays empty."""
    home = tmp_path / "home"
    home.mkdir()
    code = f"import sys; from course.lab.start import main; sys.exit(main({str(root)!r}, port={taken_port}, browser=False))"
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "XDG_", "IPYTHON"))}
    process = subprocess.Popen([sys.executable, "-u", "-c", code], cwd=tmp_path, text=True, start_new_session=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=environment | {"HOME": str(home), "PYTHONPATH": str(ROOT)})
    try:
        said = ""
        while not (address := re.search(r"http://\S+", said)):
            line = process.stdout.readline()
            assert line, process.stderr.read()
            said += line
        assert "work/: 2 notebooks made." in said and f"Port {taken_port} is in use: taking " in said
        assert f"/lab/tree/work/{PAGE}?token=" in address[0]
        with urlopen(address[0]) as answer:
            assert answer.status == 200
        assert (root / "work" / PAGE).exists()
    finally:
        os.killpg(process.pid, signal.SIGINT)           # Control-C reaches every process of the terminal
        out, err = process.communicate(timeout=30)
    assert process.returncode == 0 and "Stopped." in out and not err
    assert [path for path in home.rglob("*") if path.is_file()] == []
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_the_second_time_it_opens_the_home_page(root, capsys, monkeypatch):
    """And what the page shows of progress comes from the server, which JupyterLab starts with it."""
    class Enough(Exception):
        pass

    def look(process):
        address = re.search(r"http://(\S+)/lab\?token=(\S+)", capsys.readouterr().out)
        with urlopen(f"http://{address[1]}/exercise-book/progress?token={address[2]}") as answer:
            assert [c["title"] for c in json.load(answer)["chapters"]] == ["0 Start", "2 Next"]
        raise Enough

    start.sync(root)
    monkeypatch.setattr(subprocess.Popen, "wait", lambda process, *seconds: seconds or look(process))
    with pytest.raises(Enough):
        start.main(root, browser=False)


def test_a_jupyterlab_that_does_not_start(root):
    start.sync(root)
    with pytest.raises(start.LabError, match="(?s)did not start.*no_such_folder"), \
            start.running(root, extra=("--ServerApp.root_dir=/no_such_folder",)):
        pass


def test_no_student_edition(tmp_path, capsys):
    assert start.main(tmp_path, browser=False) == 1
    assert "course build" in capsys.readouterr().err


def test_a_second_start_opens_the_one_that_runs_and_a_new_one_keeps_token_and_port(root, capsys, monkeypatch):
    """A bookmark and an open tab work after a restart; one folder has one server."""
    start.sync(root)
    with start.running(root) as first:
        assert start.main(root, browser=False) == 0
        assert f"open already, at\n\n    http://127.0.0.1:{first.port}/lab?token={first.token}" in capsys.readouterr().out
        cookie = _cookie(first)
    assert oct((root / ".book/lab/token").stat().st_mode)[-3:] == "600"
    with start.running(root) as again:
        assert (again.port, again.token) == (first.port, first.token)
        with urlopen(Request(f"http://127.0.0.1:{again.port}/api/contents", headers={"Cookie": cookie})) as answer:
            assert answer.status == 200         # the open tab's cookie is still good


@pytest.fixture
def stranger():
    """Another program that answers on a port of this machine, and what it was asked: (its port, the requests' headers)."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(str(self.headers) + self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"last_activity": "now"}')

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port, asked
        server.shutdown()


def test_a_port_lost_between_the_look_and_the_start(root, stranger, monkeypatch):
    """Two labs that start in one moment see the same port free; who comes second takes another."""
    port, asked = stranger
    looks, real = [], start.free_port
    monkeypatch.setattr(start, "free_port", lambda wanted=None: looks.append(wanted) or (port if len(looks) == 1 else real(port)))
    start.sync(root)
    with start.running(root) as lab:
        assert lab.port != port and len(looks) == 2
        with urlopen(lab.url) as answer:
            assert "JupyterLab" in answer.read().decode()
    assert asked == []


def test_a_port_that_another_had_for_a_moment(root, monkeypatch):
    """Two servers that start together look at the same port; who had to give way finds it free again, and goes on."""
    tries, wait = [], start._wait
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]

        def free_port(_=None):
            tries.append(port)
            return port

        def wait_and_let_go(lab, runtime):
            try:
                wait(lab, runtime)
            finally:
                other.close()

        monkeypatch.setattr(start, "free_port", free_port)
        monkeypatch.setattr(start, "_wait", wait_and_let_go)
        start.sync(root)
        with start.running(root) as lab:
            assert lab.port == port and len(tries) == 2


def test_no_language_server_is_looked_for(root, tmp_path, monkeypatch):
    """JupyterLab would ask npm, where there is one, for its folders at each start; npm writes logs into the home folder."""
    asked = tmp_path / "asked"
    (tmp_path / "bin").mkdir()
    npm = tmp_path / "bin/npm"
    npm.write_text(f"#!/bin/sh\necho $* >> '{asked}'\n")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{npm.parent}{os.pathsep}{os.environ['PATH']}")
    start.sync(root)
    with start.running(root) as lab, urlopen(Request(f"http://127.0.0.1:{lab.port}/lsp/status",
                                                     headers={"Authorization": f"token {lab.token}"})) as answer:
        assert json.load(answer)["sessions"] == {}
    assert not asked.exists()


def test_whoever_took_the_port_of_last_time_gets_no_token(root, stranger, capsys):
    port, asked = stranger
    kept = root / start.KEPT
    kept.mkdir(parents=True)
    start.session.secret(kept, "token")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    for pid in (gone.pid, os.getppid()):            # ended, and another process of ours
        start.session.remember(kept, port, pid)
        assert start.session.running_port(kept) is None
    (kept / "server.json").write_text("[]")
    assert start.session.running_port(kept) is start.session.last_port(kept) is None
    assert asked == []


def _cookie(lab) -> str:
    with urlopen(f"http://127.0.0.1:{lab.port}/lab?token={lab.token}") as answer:
        return "; ".join(value.split(";")[0] for name, value in answer.headers.items() if name == "Set-Cookie")
