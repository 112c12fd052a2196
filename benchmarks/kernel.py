"""From "start a kernel" and from "restart" to the result of `torch.arange(3)`: ours, ipykernel as it comes, and the
limit, a cell of a kernel that runs. Medians of five.

    .venv/bin/python benchmarks/kernel.py
"""
from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from jupyter_client import KernelManager
from jupyter_client.provisioning import KernelProvisionerFactory
from traitlets.config import Config

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from course.lab import kernels  # noqa: E402

TIMES = 5


def cell(kernel: KernelManager, code: str = "import torch\ntorch.arange(3)") -> None:
    client = kernel.client()
    client.start_channels()
    client.wait_for_ready(120)
    client.execute_interactive(code, output_hook=lambda message: None, timeout=120)
    client.stop_channels()


def measure(provisioner: str) -> dict[str, list[float]]:
    settings = Config({"KernelProvisionerFactory": {"default_provisioner_name": provisioner}})
    KernelProvisionerFactory.clear_instance()
    KernelProvisionerFactory.instance(config=settings)
    found: dict[str, list[float]] = {"start": [], "restart": [], "again": []}
    for _ in range(TIMES):
        kernel = KernelManager(config=settings, transport="ipc", connection_file=tempfile.mkdtemp() + "/k.json")
        for name, do in (("start", kernel.start_kernel), ("restart", partial(kernel.restart_kernel, now=True)),
                         ("again", lambda: None)):
            begun = time.perf_counter()
            do()
            cell(kernel)
            found[name].append(time.perf_counter() - begun)
        kernel.shutdown_kernel(now=True)
    return found


def main() -> None:
    if not kernels.possible():
        sys.exit("Kernels cannot be forked on this machine: `course lab` starts ordinary ones.")
    begun = time.perf_counter()
    os.environ[kernels.VARIABLE] = str(kernels.start_parent(dict(os.environ), None).detach())
    settled = kernels.ask(["--version"], os.getcwd(), dict(os.environ))     # answers when everything is imported
    settled.wait()
    print(f"The warm parent is ready after {time.perf_counter() - begun:.1f} s, while JupyterLab starts.")
    time.sleep(15)          # the rest of its imports
    ours, plain = measure(kernels.NAME), measure("local-provisioner")
    limit = statistics.median(ours["again"])
    print(f"{'seconds':10} {'ours':>6} {'ipykernel':>10} {'ratio':>6}   limit, a cell of a running kernel: {limit:.2f}")
    for name in ("start", "restart"):
        one, two = statistics.median(ours[name]), statistics.median(plain[name])
        print(f"{name:10} {one:6.2f} {two:10.2f} {two / one:6.1f}")


if __name__ == "__main__":
    main()
