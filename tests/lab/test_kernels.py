"""Kernels from the warm parent: what a reader does with one, and what becomes of them when something ends."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest
from jupyter_client import KernelManager
from jupyter_client.provisioning import KernelProvisionerFactory
from traitlets.config import Config

from course.lab import kernels

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not kernels.possible(), reason="kernels cannot be forked on this machine")


@pytest.fixture
def parent(tmp_path, monkeypatch):
    """A warm parent, known to this process as the server knows its own."""
    monkeypatch.setattr(kernels, "_parent", None)
    with open(tmp_path / "log", "w") as log:
        sock = kernels.start_parent(dict(os.environ), log)
    monkeypatch.setenv(kernels.VARIABLE, str(sock.detach()))
    yield tmp_path
    if kernels._parent is not None:
        kernels._parent.close()


def manager() -> KernelManager:
    settings = Config({"KernelProvisionerFactory": {"default_provisioner_name": kernels.NAME}})
    KernelProvisionerFactory.clear_instance()
    KernelProvisionerFactory.instance(config=settings)
    folder = tempfile.mkdtemp(prefix="kernel-")         # a short path: the sockets lie beside the connection file
    return KernelManager(config=settings, transport="ipc", connection_file=f"{folder}/k.json")


@pytest.fixture
def kernel(parent):
    made = manager()
    made.start_kernel(cwd=str(parent))
    yield made
    made.shutdown_kernel(now=True)


def run(kernel: KernelManager, code: str) -> list[dict]:
    """What a cell puts out: texts of streams and results, types of pictures, names of errors."""
    found = []
    client = kernel.client()
    client.start_channels()

    def keep(message):
        content = message["content"]
        if message["msg_type"] == "stream":
            found.append(content["text"])
        elif message["msg_type"] == "error":
            found.append(content["ename"])
        elif "data" in content:
            found.append("image/png" if "image/png" in content["data"] else content["data"]["text/plain"])
    try:
        client.wait_for_ready(60)
        client.execute_interactive(code, output_hook=keep, timeout=60)
    finally:
        client.stop_channels()
    return found


def test_it_is_a_kernel_like_another(kernel, parent):
    assert isinstance(kernel.provisioner.process, kernels.Forked)
    assert run(kernel, "import torch\ntorch.arange(3)") == ["tensor([0, 1, 2])"]
    assert run(kernel, "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()") == ["image/png"]
    assert run(kernel, "1 / 0") == ["ZeroDivisionError"]
    assert run(kernel, "import os, sys\nprint(os.getcwd(), __name__, '' in sys.path)") == [f"{parent} __main__ True\n"]
    (parent / "mine.py").write_text("x = 7")
    assert run(kernel, "import mine\nmine.x") == ["7"]
    assert run(kernel, "import subprocess\nsubprocess.run(['false']).returncode") == ["1"]
    check = "from d2l_utils.check import *\nget_ipython()._d2l_check"       # follows the cells of this kernel
    assert run(kernel, check) == ["True"]
    threads = "import torch\ntorch.set_num_threads(2)\na = torch.rand(1500, 1500)\n(a @ a).shape"
    assert run(kernel, threads) == ["torch.Size([1500, 1500])"]


def test_restart_forgets_and_interrupt_stops(kernel):
    run(kernel, "x = 1")
    kernel.restart_kernel(now=True)
    assert run(kernel, "x") == ["NameError"]
    client = kernel.client()
    client.start_channels()
    client.wait_for_ready(60)
    client.execute("import time\nprint('begun')\ntime.sleep(60)")
    while client.get_iopub_msg(timeout=30)["msg_type"] != "stream":
        pass
    kernel.interrupt_kernel()
    replies = iter(lambda: client.get_shell_msg(timeout=30)["content"], None)
    assert next(reply["ename"] for reply in replies if "ename" in reply) == "KeyboardInterrupt"
    client.stop_channels()
    pid = kernel.provisioner.pid
    kernel.shutdown_kernel()
    assert not os.path.exists(f"/proc/{pid}")


def test_notebooks_share_nothing(parent):
    one, two = manager(), manager()
    for kernel in (one, two):
        kernel.start_kernel()
    try:
        draw = "import numpy, random\nprint(numpy.random.rand(), random.random())"
        assert run(one, draw) != run(two, draw)
        run(one, "import torch\ntorch.secret = 1")
        assert run(two, "import torch\nhasattr(torch, 'secret')") == ["False"]
    finally:
        for kernel in (one, two):
            kernel.shutdown_kernel(now=True)


def test_a_changed_framework_is_imported_anew(tmp_path, monkeypatch):
    """Who edits d2l_utils and restarts the kernel gets what stands there now."""
    shutil.copytree(ROOT / "d2l_utils", tmp_path / "d2l_utils", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(kernels, "_parent", None)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{ROOT}")
    monkeypatch.chdir(tmp_path)
    with open(tmp_path / "log", "w") as log:
        monkeypatch.setenv(kernels.VARIABLE, str(kernels.start_parent(dict(os.environ), log).detach()))
    kernel = manager()
    kernel.start_kernel()
    try:
        assert isinstance(kernel.provisioner.process, kernels.Forked)
        with open(tmp_path / "d2l_utils/system.py", "a") as file:
            file.write("\nADDED = 5\n")
        kernel.restart_kernel(now=True)
        assert run(kernel, "import d2l_utils.system\nd2l_utils.system.ADDED") == ["5"]
        kernel.restart_kernel(now=True)     # and the parent, started anew, serves again
        assert isinstance(kernel.provisioner.process, kernels.Forked)
        assert run(kernel, "import d2l_utils.system\nd2l_utils.system.ADDED") == ["5"]
    finally:
        kernel.shutdown_kernel(now=True)
        kernels._parent.close()


def test_without_the_parent_the_ordinary_kernel_starts(kernel, capfd):
    for process in _below(os.getpid()):
        if "warm_kernel" in Path(f"/proc/{process}/cmdline").read_text() and process != kernel.provisioner.pid:
            os.kill(process, signal.SIGKILL)
    kernel.restart_kernel(now=True)
    assert isinstance(kernel.provisioner.process, subprocess.Popen)
    assert run(kernel, "1 + 1") == ["2"]
    assert "Traceback" not in capfd.readouterr().err


def _below(pid: int) -> list[int]:
    children = [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return children


def test_a_killed_server_leaves_no_kernel(tmp_path):
    """The server ends by SIGKILL: its warm parent and its kernels end, too."""
    script = f"""
import json, os, sys, time
sys.path.insert(0, {str(ROOT / "tests/lab")!r})
from test_kernels import kernels, manager
os.environ[kernels.VARIABLE] = str(kernels.start_parent(dict(os.environ), open({str(tmp_path / "log")!r}, "w")).detach())
kernel = manager()
kernel.start_kernel()
parents = [int(pid) for pid in open(f"/proc/{{os.getpid()}}/task/{{os.getpid()}}/children").read().split()]
print(json.dumps([kernel.provisioner.pid, *parents]), flush=True)
time.sleep(600)
"""
    server = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    pids = json.loads(server.stdout.readline())
    assert len(pids) == 2 and all(map(_runs, pids))
    server.kill()
    server.wait()
    end = time.monotonic() + 30
    while any(map(_runs, pids)) and time.monotonic() < end:
        time.sleep(0.1)
    assert not list(filter(_runs, pids))


def _runs(pid: int) -> bool:
    """A process that has ended may stay as a zombie: in a container, pid 1 need not reap it."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
