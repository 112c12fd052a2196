"""What tests/sandbox/test_sandbox.py runs inside a sandbox: `serve` calls the functions of this module by name."""

import ctypes
import errno
import json
import multiprocessing
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path


def serve(sock):
    """Requests are lines {"name", "args", "fork"}; answers {"value"} or {"error": [type, text]}."""
    requests, kept = sock.makefile("r"), []
    for line in requests:
        kept.append(line)  # what memory_has looks for is not to be overwritten by chance
        request = json.loads(line)
        if request["fork"]:
            child = os.fork()
            if child == 0:
                answer(sock, request)
                os._exit(0)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            if status != 0:
                sock.sendall(json.dumps({"died": status}).encode() + b"\n")
        else:
            answer(sock, request)


def answer(sock, request):
    try:
        reply = {"value": globals()[request["name"]](*request["args"])}
    except Exception as error:  # noqa: BLE001  the test decides whether it should have happened
        reply = {"error": [type(error).__name__, str(error)], "traceback": traceback.format_exc()}
    sock.sendall(json.dumps(reply).encode() + b"\n")


def echo(value):
    return value


# --- looking around


def listing(path):
    return sorted(os.listdir(path))


def read(path):
    with open(path, "rb") as file:
        return file.read(200).decode(errors="replace")


def refused(paths):
    """{path: name of the errno} for each path that could not be written."""
    found = {}
    for path in paths:
        try:
            with open(path, "w") as file:
                file.write("x")
        except OSError as error:
            found[path] = errno.errorcode[error.errno]
    return found


def surroundings():
    lines = Path("/proc/self/status").read_text().splitlines()
    status = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    return {
        "environ": dict(os.environ),
        "started_with": Path("/proc/self/environ").read_text().split("\0"),
        "pids": [int(name) for name in os.listdir("/proc") if name.isdecimal()],
        "fds": [fd for fd in range(1024) if os.path.exists(f"/proc/self/fd/{fd}")],
        "status": {name: status[name] for name in ("CapPrm", "CapEff", "CapBnd", "NoNewPrivs", "Seccomp", "Groups")},
        "cwd": os.getcwd(),
        "terminal": os.path.exists("/dev/tty"),
    }


# --- attempts to get out


def connect(family, address):
    family = getattr(socket, family)
    with socket.socket(family, socket.SOCK_STREAM) as sock:
        sock.settimeout(3)
        sock.connect(tuple(address) if isinstance(address, list) else address.encode())
    return "connected"


def signals_to(pid):
    for number in range(1, 65):
        try:
            os.kill(pid, number)
        except (ProcessLookupError, OSError):
            pass
    return os.getppid()


def kill(pid):
    os.kill(pid, signal.SIGKILL)


def write_to_home():
    """Whose a new file is."""
    Path.home().joinpath("mine").write_text("x")
    return os.stat(Path.home() / "mine").st_uid


def system_calls():
    """errno names of calls that would give rights, or memory that nobody counts."""
    libc = ctypes.CDLL(None, use_errno=True)
    calls = {
        "unshare": lambda: libc.unshare(0x10000000),
        "mount": lambda: libc.mount(b"tmpfs", b"/tmp", b"tmpfs", 0, None),
        "umount": lambda: libc.umount2(b"/usr", 2),
        "ptrace": lambda: libc.ptrace(16, 1, 0, 0),
        "memfd_create": lambda: libc.memfd_create(b"x", 0),
        "shmget": lambda: libc.shmget(0, 4096, 0o1600),
        "setuid": lambda: libc.setuid(0),
        "chroot": lambda: libc.chroot(b"/tmp"),
        "vsock": lambda: libc.socket(40, 1, 0),
        "sendmsg": lambda: libc.sendmsg(0, None, 0),
    }
    found = {}
    for name, call in calls.items():
        ctypes.set_errno(0)
        found[name] = errno.errorcode[ctypes.get_errno()] if call() == -1 else "allowed"
    return found


# --- using too much


def allocate(size):
    return len(bytearray(size))


def allocate_touched(size):
    return len(b"x" * size)


def grow():
    kept = []
    while True:
        kept.append(b"x" * (4 << 20))


def grow_in_children(number, each, seconds):
    """Several processes, each of them within the limit."""
    children = []
    for _ in range(number):
        children.append(os.fork())
        if children[-1] == 0:
            kept = b"x" * each
            time.sleep(seconds)
            os._exit(len(kept) == 0)
    return [os.waitpid(child, 0)[1] for child in children]


def fork_bomb():
    while True:
        try:
            os.fork()
        except OSError:
            pass


def write_output(text):
    os.write(1, text.encode())
    os.write(2, b"!")


def flood():
    while True:
        os.write(1, b"y" * 4096)


def fill(folder, size):
    for number in range(1000):
        with open(f"{folder}/{number}", "wb") as file:
            file.write(bytes(size))


def spin():
    while True:
        pass


def exit_with(code):
    os._exit(code)


def crash():
    ctypes.string_at(0)


# --- honest work


def run_command(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def pool():
    with multiprocessing.get_context("fork").Pool(2) as workers:
        return workers.map(abs, [-1, -2, 3])


def gradient():
    import torch

    x = torch.arange(3.0, requires_grad=True)
    (x @ torch.eye(3) * x).sum().backward()
    return x.grad.tolist()


def data_loader():
    import torch
    from torch.utils.data import DataLoader, TensorDataset

    torch.multiprocessing.set_sharing_strategy("file_system")       # as course.engine.student does
    loader = DataLoader(TensorDataset(torch.arange(10.0)), batch_size=4, num_workers=2)
    return [batch[0].tolist() for batch in loader]


def train():
    import torch

    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(20, 64), torch.nn.ReLU(), torch.nn.Linear(64, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    X = torch.randn(256, 20)
    y = X.sum(1, keepdim=True)
    losses = []
    for _ in range(50):
        loss = ((net(X) - y) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses[-1] < losses[0] / 2


def figure():
    import io

    from matplotlib import pyplot

    pyplot.plot([1, 2, 3])
    file = io.BytesIO()
    pyplot.savefig(file, format="png")
    return file.getvalue()[1:4].decode()


def shell(command):
    from IPython.core.interactiveshell import InteractiveShell

    return InteractiveShell.instance().getoutput(command)


# --- things that go on


def leave_behind():
    """A daemon in a session of its own, deaf to signals; a shell in the background; a group without its first thread."""
    if os.fork() == 0:
        os.setsid()
        for number in range(1, 32):
            if number not in (signal.SIGKILL, signal.SIGSTOP):
                signal.signal(number, signal.SIG_IGN)
        if os.fork() == 0:
            beat()
        os._exit(0)
    subprocess.Popen("(while true; do date > /tmp/shell; done) &", shell=True)
    if os.fork() == 0:
        threading.Thread(target=beat).start()
        ctypes.CDLL(None).pthread_exit(None)
    time.sleep(0.3)
    return len(living())


def leftover():
    """A grandchild in a session of its own; returns its pid, as seen here."""
    read_end, write_end = os.pipe()
    first = os.fork()
    if first == 0:
        os.setsid()
        if os.fork() == 0:
            os.write(write_end, str(os.getpid()).encode())
            time.sleep(60)
        os._exit(0)
    os.waitpid(first, 0)
    return int(os.read(read_end, 20))


def beat():
    while True:
        with open("/tmp/beat", "w") as file:
            file.write(str(time.time()))
        time.sleep(0.01)


def living():
    """Processes besides pid 1 and this one that are not dead."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdecimal() and int(name) not in (1, os.getpid()):
            try:
                status = Path(f"/proc/{name}/status").read_text()
            except OSError:
                continue
            if "State:\tZ" not in status or "Threads:\t1\n" not in status:
                found.append(int(name))
    return found


def beats():
    """Does the file that `beat` writes still change?"""
    before = read("/tmp/beat")
    time.sleep(0.2)
    return read("/tmp/beat") != before


def _names_of(calls):
    libc = ctypes.CDLL(None, use_errno=True)
    found = {}
    for name, make in calls.items():
        ctypes.set_errno(0)
        if make(libc) == -1:
            found[name] = errno.errorcode[ctypes.get_errno()]
    return found


def _scheduling(pid):
    mask, priority = (ctypes.c_ulong * 16)(1), ctypes.c_int(0)
    limits = (ctypes.c_ulong * 2)(64, 64)
    return {
        "limits": lambda libc: libc.prlimit(pid, resource.RLIMIT_NOFILE, limits, None),
        "processors": lambda libc: libc.sched_setaffinity(pid, ctypes.sizeof(mask), mask),
        "priority": lambda libc: libc.setpriority(0, pid, 19),
        "scheduling": lambda libc: libc.sched_setscheduler(pid, 3, ctypes.byref(priority)),
    }


def attacks_on_the_reaper():
    return _names_of(_scheduling(1))


def own_scheduling():
    return _names_of(_scheduling(0))


def moves_between_folders():
    os.makedirs("/tmp/one/two", exist_ok=True)
    with open("/tmp/one/file", "w") as file:
        file.write("x")
    os.rename("/tmp/one/file", "/tmp/one/two/file")
    os.replace("/tmp/one/two/file", "/tmp/file")
    return "moved"


def list_folder(path):
    return os.listdir(path)


def limits_of_reaper():
    """A process may lower the limits of another of its user; the reaper must fail closed."""
    libc = ctypes.CDLL(None, use_errno=True)
    zero = (ctypes.c_ulong * 2)(0, 0)
    libc.prlimit(1, resource.RLIMIT_NOFILE, zero, None)
    time.sleep(5)
    return "still here"


def memory_has(text, salt):
    """Is `salt + text` anywhere in this process? The two come apart, so that asking does not put it there."""
    wanted = salt.encode(), text.encode()
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps:
            start, end = (int(number, 16) for number in line.split()[0].split("-"))
            if line.split()[1][0] != "r" or "[v" in line:
                continue
            memory.seek(start)
            data = memory.read(end - start)
            position = data.find(wanted[0])
            while position >= 0:
                if data.startswith(wanted[1], position + len(wanted[0])):
                    return True
                position = data.find(wanted[0], position + 1)
    return False


if __name__ == "__main__":
    sys.exit("This module is for tests/sandbox/test_sandbox.py.")
