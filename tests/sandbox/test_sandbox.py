"""The sandbox, tried from inside: real namespaces, real limits, real kills."""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from course.engine import plain
from course.engine.deadline import Deadline
from course.engine.warm import TARGET
from course.sandbox import landlock, namespaces, rights
from course.sandbox.calls import allowlist
from course.sandbox.limits import Limits, SandboxUnavailable
from course.sandbox.trial import available
from course.sandbox.zygote import ROOT, Zygote

HERE = Path(__file__).resolve().parent
MIB = 1 << 20
SMALL = Limits(memory=256 * MIB, processes=24, file_size=8 * MIB, tmp_size=32 * MIB, output=64 << 10, cpu=20)

works, reasons = available()
needs_sandbox = pytest.mark.skipif(not works, reason="no sandbox on this machine: " + "; ".join(reasons))
needs_unshare = pytest.mark.skipif(not works or not shutil.which("unshare"), reason="needs unshare(1) and namespaces")


def make(preload=(), **options) -> Zygote:
    return Zygote(preload, target="sandbox_targets:serve", code=[HERE], **{"limits": SMALL, **options})


@pytest.fixture(scope="module")
def bare():
    with make() as zygote:
        yield zygote


@pytest.fixture(scope="module")
def warm():
    with make(("torch", "matplotlib.pyplot", "IPython"), limits=Limits(memory=512 * MIB)) as zygote:
        yield zygote


@pytest.fixture
def sandbox(bare):
    with bare.spawn() as child:
        yield child


class Ended(Exception):
    """The student process ended instead of answering."""


def call(sandbox, name, *args, fork=False, seconds=60):
    """Run a function of sandbox_targets in the student process, or in a fork of it, as a check does."""
    sandbox.sock.settimeout(seconds)
    sandbox.sock.sendall(json.dumps({"name": name, "args": args, "fork": fork}).encode() + b"\n")
    text = b""
    while not text.endswith(b"\n"):
        try:
            data = sandbox.sock.recv(1 << 16)
        except ConnectionResetError:
            data = b""
        if not data:
            raise Ended(wait_for_end(sandbox))
        text += data
    return json.loads(text)


def value(*args, **options):
    reply = call(*args, **options)
    assert "value" in reply, reply
    return reply["value"]


def wait_for_end(sandbox):
    end = time.monotonic() + 30
    while sandbox.status() is None and time.monotonic() < end:
        time.sleep(0.01)
    return sandbox.status()


def ends_with(sandbox, name, *args):
    with pytest.raises(Ended) as caught:
        call(sandbox, name, *args)
    return str(caught.value)


def processes_below(pid: int) -> list[int]:
    found, wanted = [], [pid]
    parents = {}
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            fields = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z":
            parents.setdefault(int(fields[1]), []).append(int(name))
    while wanted:
        children = parents.get(wanted.pop(), [])
        found += children
        wanted += children
    return found


def living(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


# --- what it can see


@needs_sandbox
def test_it_sees_of_the_repository_only_the_framework_and_the_data(sandbox):
    seen = set(value(sandbox, "listing", str(ROOT)))
    environment = {Path(sys.prefix).relative_to(ROOT).parts[0]} if Path(sys.prefix).is_relative_to(ROOT) else set()
    tests = {HERE.relative_to(ROOT).parts[0]}  # empty: where this file's helper was while it was loaded
    assert seen <= {"d2l_utils", "data", "course"} | environment | tests
    for folder in (ROOT / "course", HERE):      # covered; under /tmp, where a sandbox has its own, not even that
        found = call(sandbox, "listing", str(folder))
        assert found.get("value") == [] or found["error"][0] == "FileNotFoundError"
    assert value(sandbox, "listing", str(ROOT / "data")) == sorted(os.listdir(ROOT / "data"))


@needs_sandbox
@pytest.mark.parametrize("name", ["README.md", "course/sandbox/limits.py", "solutions", "gradebook.db", ".git/HEAD"])
def test_it_cannot_read(sandbox, name):
    assert call(sandbox, "read", str(ROOT / name))["error"][0] == "FileNotFoundError"


@needs_sandbox
def test_it_sees_nothing_of_home_folders_and_of_the_system_settings(sandbox):
    assert call(sandbox, "read", "/etc/shadow")["error"][0] == "FileNotFoundError"
    assert value(sandbox, "read", "/etc/passwd").startswith("student:")
    assert value(sandbox, "listing", "/home/student") == []
    usual = {"bin", "dev", "etc", "home", "lib", "lib32", "lib64", "proc", "run", "sbin", "tmp", "usr"}
    ours = {Path(path).parts[1] for path in (sys.prefix, sys.base_prefix, ROOT)}
    assert set(value(sandbox, "listing", "/")) <= usual | ours


@needs_sandbox
def test_the_repository_is_covered_where_a_readable_folder_holds_it():
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:  # /tmp is a sandbox's own
        seen = Path(folder, "seen")
        seen.write_text("seen")
        Path(folder).chmod(0o755)  # graded by root, a submission is nobody
        with make(readable=[ROOT.parent, folder]) as zygote, zygote.spawn() as sandbox:
            assert value(sandbox, "read", str(seen)) == "seen"
            _covered(sandbox)


def _covered(sandbox):
    assert call(sandbox, "read", str(ROOT / "README.md"))["error"][0] in ("FileNotFoundError", "PermissionError")
    assert refused(sandbox, ROOT / "x") <= {"EROFS", "EACCES"}
    listed = call(sandbox, "listing", str(ROOT))
    if "error" in listed:
        assert listed["error"][0] == "PermissionError"  # it lies in a folder that others may not enter
    else:
        assert "course" not in listed["value"] or not value(sandbox, "listing", str(ROOT / "course"))


@needs_sandbox
def test_the_environment_and_the_descriptors_are_the_sandboxs_own(monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "hidden")
    with make() as zygote, zygote.spawn() as sandbox:
        seen = value(sandbox, "surroundings")
    assert "SECRET_TOKEN" not in seen["environ"]
    assert not any("SECRET" in item or "VIRTUAL_ENV" in item for item in seen["started_with"])
    assert seen["environ"]["D2L_DATA"] == str(ROOT / "data")
    assert seen["environ"]["CUDA_VISIBLE_DEVICES"] == "" and seen["environ"]["D2L_DEVICE"] == "cpu"
    assert seen["pids"] == [1, 2]
    assert seen["fds"] == [0, 1, 2, 3]
    assert seen["cwd"] == "/home/student"
    assert not seen["terminal"]


@needs_sandbox
def test_nothing_of_an_earlier_submission_is_in_the_memory_of_a_later_one(bare):
    salt, text = os.urandom(20).hex(), os.urandom(20).hex()
    with bare.spawn() as first:
        assert value(first, "echo", salt + text) == salt + text
        assert value(first, "memory_has", text, salt)  # the search finds it where it is
        with bare.spawn() as second:
            assert not value(second, "memory_has", text, salt)


# --- what it cannot do


@needs_sandbox
def test_it_has_no_rights(sandbox):
    status = value(sandbox, "surroundings")["status"]
    assert {int(status[name], 16) for name in ("CapPrm", "CapEff", "CapBnd")} == {0}
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
    got = value(sandbox, "system_calls")
    assert got["vsock"] == "EAFNOSUPPORT"
    assert got["unshare"] in ("EPERM", "ENOSPC")  # no namespaces inside: by the filter, or for want of users
    assert {got[name] for name in ("mount", "umount", "ptrace", "memfd_create", "shmget", "chroot", "sendmsg")} == {"EPERM"}
    assert got["setuid"] in ("EPERM", "EINVAL")


def users_outside() -> list[tuple[int, int]]:
    """(pid inside, user outside) of the processes of every sandbox of ours."""
    inner = [(namespace_pids(pid), Path(f"/proc/{pid}").stat().st_uid, pid) for pid in processes_below(os.getpid())]
    status = {pid: Path(f"/proc/{pid}/status").read_text() for *_, pid in inner}
    return sorted((pids[-1], int(status[pid].partition("\nUid:")[2].split()[0])) for pids, _, pid in inner if len(pids) == 3)


@needs_sandbox
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give users of their own")
def test_graded_by_root_each_sandbox_has_two_users_that_nobody_has():
    with make() as zygote, zygote.spawn() as one, zygote.spawn() as other:
        assert value(one, "write_to_home") == value(other, "write_to_home") == 1000
        seen = users_outside()
        assert [pid for pid, _ in seen] == [1, 1, 2, 2]
        users = [user for _, user in seen]
        assert len(set(users)) == 4 and min(users) >= 0x70000000
        assert value(one, "run_command", "id", "-un") == "student\n"
        assert call(one, "kill", 1)["error"][0] == "PermissionError"


@needs_sandbox
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give users of their own")
def test_where_ids_are_short_it_is_nobody_outside(monkeypatch):
    monkeypatch.setattr(namespaces, "_FREE_IDS", 1 << 32)
    with make() as zygote, zygote.spawn() as sandbox:
        assert value(sandbox, "write_to_home") == 1000
        assert users_outside() == [(1, 65534), (2, 65534)]


def namespace_pids(pid: int) -> list[int]:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("NSpid:"):
            return [int(number) for number in line.split()[1:]]
    return []


def refused(sandbox, *paths):
    errors = value(sandbox, "refused", [str(path) for path in paths])
    assert errors.keys() == set(map(str, paths)), f"written: {set(map(str, paths)) - set(errors)}"
    return set(errors.values())


@needs_sandbox
def test_it_writes_only_to_its_own_folders(bare):
    with bare.spawn() as first:
        targets = [ROOT / "data/x", ROOT / "d2l_utils/x", Path(sys.prefix) / "x", Path(sys.base_prefix) / "x"]
        assert refused(first, "/x", "/usr/x", "/etc/passwd", "/root/x", "/proc/sys/kernel/hostname", *targets) <= {
            "EROFS", "EACCES", "ENOENT"}  # fmt: skip
        own = ["/tmp/x", "/home/student/x", "/dev/shm/x"]
        assert value(first, "refused", own) == {}
        with bare.spawn() as second:
            assert [call(second, "read", path)["error"][0] for path in own] == ["FileNotFoundError"] * 3


@needs_sandbox
def test_it_has_no_network(sandbox):
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()  # it can be reached from here
        assert call(sandbox, "connect", "AF_INET", server.getsockname())["error"][0] == "OSError"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(b"\0test_sandbox")
        server.listen()
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(b"\0test_sandbox")
        assert call(sandbox, "connect", "AF_UNIX", "\0test_sandbox")["error"][0] == "ConnectionRefusedError"


@needs_sandbox
def test_the_outside_and_the_reaper_cannot_be_signalled_or_read(sandbox):
    assert value(sandbox, "signals_to", 1) == 1
    assert value(sandbox, "echo", "alive") == "alive"
    assert sandbox.status() is None
    for path in ("/proc/1/mem", "/proc/1/environ", "/proc/1/fd/0"):
        assert call(sandbox, "read", path)["error"][0] == "PermissionError", path
    assert call(sandbox, "kill", os.getpid())["error"][0] == "ProcessLookupError"


@needs_sandbox
def test_the_reaper_cannot_be_slowed_or_robbed(sandbox):
    """Limits, processors, priority and scheduling of pid 1: refused by the filter; without libseccomp, the first ends it."""
    if not allowlist():
        assert ends_with(sandbox, "limits_of_reaper") == "killed"
        return
    assert set(value(sandbox, "attacks_on_the_reaper").values()) == {"EPERM"}
    assert value(sandbox, "own_scheduling") == {}
    assert value(sandbox, "echo", "alive") == "alive"


@needs_sandbox
def test_of_the_kernels_files_only_those_of_processes_are_there(sandbox):
    seen = value(sandbox, "list_folder", "/proc")
    assert not {"cpuinfo", "meminfo", "sys", "kallsyms", "sysrq-trigger"} & set(seen)
    assert "1" in seen and "self" in seen


@needs_sandbox
@pytest.mark.skipif(not landlock.version(), reason="this kernel has no Landlock")
def test_landlock_holds_where_a_mount_would_not(sandbox):
    """Nothing is written outside the scratch folders, in /proc neither; files move between two scratch folders' subfolders."""
    assert refused(sandbox, "/proc/self/oom_score_adj", "/proc/self/comm", "/proc/self/uid_map") == {"EACCES"}
    assert value(sandbox, "moves_between_folders") == "moved"
    assert value(sandbox, "refused", ["/dev/null"]) == {}


def test_without_libseccomp_the_list_of_refused_calls_holds():
    child = os.fork()
    if child == 0:
        try:
            rights.drop_rights()
            rights.install(rights.denylist())
            os.memfd_create("x")
        except PermissionError:
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


# --- using too much


@needs_sandbox
def test_an_absurd_allocation_is_a_memory_error(sandbox):
    assert call(sandbox, "allocate", 100 << 30)["error"][0] == "MemoryError"
    assert sandbox.status() is None


@needs_sandbox
def test_growing_memory_is_named(sandbox):
    assert ends_with(sandbox, "grow") == "out of memory"
    assert sandbox.detail == "more than 256 MiB"


@needs_sandbox
def test_growing_memory_of_a_check_ends_only_the_check(sandbox):
    assert call(sandbox, "grow", fork=True) == {"died": -signal.SIGKILL}
    assert sandbox.kill_check() == "out of memory"
    assert sandbox.kill_check() is None
    assert value(sandbox, "echo", "alive") == "alive"


@needs_sandbox
def test_memory_of_several_processes_is_added_up(sandbox):
    assert call(sandbox, "grow_in_children", 4, 100 * MIB, 60, fork=True) == {"died": -signal.SIGKILL}
    assert sandbox.kill_check() == "out of memory"


@needs_sandbox
def test_memory_that_processes_share_counts_once(warm):
    """Ten forks of a process that has imported torch hold ten times its pages, and use little."""
    with warm.spawn() as sandbox:
        assert value(sandbox, "grow_in_children", 10, 1 * MIB, 1.5, fork=True) == [0] * 10
        assert sandbox.kill_check() is None


@needs_sandbox
def test_a_fork_bomb_is_named_and_ends(bare):
    with bare.spawn() as sandbox:
        assert ends_with(sandbox, "fork_bomb") == "too many processes"


@needs_sandbox
def test_a_fork_bomb_of_a_check_ends_only_the_check(warm):
    with warm.spawn() as sandbox:
        assert call(sandbox, "fork_bomb", fork=True) == {"died": -signal.SIGKILL}
        assert sandbox.kill_check() == "too many processes"
        assert value(sandbox, "gradient") == [0.0, 2.0, 4.0]


@needs_sandbox
def test_output_is_kept_up_to_a_limit(sandbox):
    value(sandbox, "write_output", "hello")
    assert sandbox.output == b"hello!"
    assert call(sandbox, "flood", fork=True) == {"died": -signal.SIGKILL}
    assert sandbox.kill_check() == "too much output"
    assert len(sandbox.output) == SMALL.output
    assert ends_with(sandbox, "flood") == "too much output"
    sandbox.kill()
    assert sandbox.output.startswith(b"hello!yyy")


@needs_sandbox
def test_the_disk_cannot_be_filled(sandbox):
    assert "File too large" in call(sandbox, "fill", "/tmp", 16 * MIB)["error"][1]
    for folder in ("/tmp", "/dev/shm", "/home/student"):
        assert "No space left" in call(sandbox, "fill", folder, 4 * MIB)["error"][1]


@needs_sandbox
def test_cpu_time_crash_and_exit_are_told_apart():
    with make(limits=Limits(cpu=1)) as zygote:
        for name, args, status, detail in [
            ("spin", [], "out of CPU time", "more than 1 s"),
            ("exit_with", [3], "exited", "exit code 3"),
            ("crash", [], "killed", "SIGSEGV"),
        ]:
            with zygote.spawn() as sandbox:
                assert ends_with(sandbox, name, *args) == status
                assert sandbox.detail == detail


# --- honest work


@needs_sandbox
@pytest.mark.parametrize("fork", [False, True], ids=["cell", "check"])
def test_torch_numpy_plots_and_processes_work(warm, fork):
    with warm.spawn() as sandbox:
        for name, args, expected in [
            ("gradient", [], [0.0, 2.0, 4.0]),
            ("data_loader", [], [[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0]]),
            ("train", [], True),
            ("figure", [], "PNG"),
            ("pool", [], [1, 2, 3]),
            ("run_command", ["sh", "-c", "echo $((6 * 7))"], "42\n"),
            ("run_command", [sys.executable, "-c", "import numpy; print(numpy.ones(2).sum())"], "2.0\n"),
            ("shell", ["echo hi"], ["hi"]),
        ]:
            assert value(sandbox, name, *args, fork=fork) == expected, name
        assert sandbox.kill_check() is None


@needs_sandbox
def test_nothing_goes_on_after_a_check(sandbox):
    assert value(sandbox, "leave_behind", fork=True) >= 3
    assert value(sandbox, "beats")
    assert sandbox.kill_check() is None
    assert not value(sandbox, "beats")
    assert value(sandbox, "living") == []       # a moment later: the last end of a process takes milliseconds


# --- the parent


@needs_sandbox
def test_a_successor_does_the_rest_of_the_preparation_and_takes_over():
    others = set(processes_below(os.getpid()))
    with Zygote(("torch", "IPython", "matplotlib.pyplot"), target=TARGET, later_after=0.1) as zygote:
        end = time.monotonic() + 120
        while not (prepared := _prepared(zygote)) and time.monotonic() < end:
            time.sleep(0.1)
        assert prepared
        before = set(processes_below(os.getpid()))
        assert _prepared(zygote)
        assert set(processes_below(os.getpid())) == before
    assert set(processes_below(os.getpid())) == others


def _prepared(zygote) -> bool:
    """Whether a cell of a submission finds imported what the student process's module leaves for later."""
    with zygote.spawn() as sandbox:
        source = "import sys; assert set(sys.modules['course.engine.student'].LATER) <= set(sys.modules)"
        plain.send(sandbox.sock, {"op": "run", "source": source, "label": "cell", "setup": False, "n": 1})
        return plain.receive(sandbox.sock, Deadline(60))["error"] is None


@needs_sandbox
def test_a_parent_whose_successor_fails_serves_on():
    with Zygote((), target="failing_targets:serve", code=[HERE], limits=SMALL, later_after=0.1) as zygote:
        for _ in range(3):
            with zygote.spawn() as sandbox:
                assert value(sandbox, "echo", 1) == 1
            time.sleep(0.2)


@needs_sandbox
def test_a_package_that_starts_threads_is_said():
    """A fork keeps one of them, and its child would wait for the others."""
    with pytest.raises(RuntimeError, match="2 threads run after importing threading_targets.*Grade in the environment"):
        Zygote(("threading_targets",), target=TARGET, code=[HERE])


@needs_sandbox
def test_kill_leaves_no_process(bare):
    before = set(processes_below(os.getpid()))
    sandbox = bare.spawn()
    value(sandbox, "leave_behind")
    assert set(processes_below(os.getpid())) > before
    sandbox.kill()
    assert set(processes_below(os.getpid())) == before
    assert sandbox.status() == "killed"


@needs_sandbox
def test_the_death_of_the_worker_ends_everything(tmp_path):
    script = f"""if True:
        import sys, time
        sys.path[:0] = [{str(ROOT)!r}, {str(HERE)!r}]
        from test_sandbox import make, call
        zygote = make()
        sandboxes = [zygote.spawn() for _ in range(3)]
        call(sandboxes[0], "leave_behind")
        print("ready", flush=True)
        time.sleep(60)"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout.readline() == "ready\n"
        started = processes_below(worker.pid)
        assert len(started) >= 8  # guard, zygote, three reapers, three student processes
        worker.kill()
    deadline = time.monotonic() + 10
    while any(map(living, started)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [Path(f"/proc/{pid}/status").read_text() for pid in started if living(pid)] == []


@needs_sandbox
def test_a_zygote_that_died_is_started_again_once():
    with make() as zygote:
        sandbox = zygote.spawn()
        (guard,) = [pid for pid in processes_below(os.getpid()) if pid == zygote._process.pid]
        os.kill(guard, signal.SIGKILL)
        assert wait_for_end(sandbox) == "killed"
        sandbox.kill()
        with zygote.spawn() as another:
            assert value(another, "echo", 1) == 1
    with pytest.raises(RuntimeError, match="closed"):
        zygote.spawn()


@needs_sandbox
def test_fifty_sandboxes_leave_nothing(bare):
    def held():
        gc.collect()
        zygote = next(pid for pid in processes_below(bare._process.pid) if namespace_pids(pid)[-1:] == [1])
        return {
            "descriptors": len(os.listdir("/proc/self/fd")),
            "descriptors of the zygote": len(os.listdir(f"/proc/{zygote}/fd")) if os.geteuid() == 0 else 0,
            "processes": len(processes_below(os.getpid())),
            "mounts": len(Path("/proc/self/mountinfo").read_text().splitlines()),
        }

    def memory():
        zygote = next(pid for pid in processes_below(bare._process.pid) if namespace_pids(pid)[-1:] == [1])
        status = Path(f"/proc/{zygote}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0])

    with bare.spawn():
        pass
    before, kib = held(), memory()
    for number in range(50):
        with bare.spawn() as sandbox:
            assert value(sandbox, "echo", number) == number
    assert held() == before
    assert memory() < kib + 512


def test_a_failing_preload_is_told():
    with pytest.raises(RuntimeError, match="No module named 'no_such_module'"):
        make(("no_such_module",), sandbox=works)


# --- other machines


@needs_unshare
@pytest.mark.parametrize("user", [1000, 0], ids=["ordinary user", "root of a rootless container"])
def test_it_works_for(user):
    """In a user namespace that knows one user only: no other can be given to the submission."""
    script = f"""if True:
        import os, sys
        sys.path[:0] = [{str(ROOT)!r}, {str(HERE)!r}]
        from test_sandbox import make, value
        assert os.geteuid() == {user}
        with make() as zygote, zygote.spawn() as sandbox:
            assert set(value(sandbox, "system_calls").values()) <= {{"EPERM", "ENOSPC", "EINVAL", "EAFNOSUPPORT"}}
            print(value(sandbox, "run_command", "id", "-un"), sandbox.kill_check())"""
    command = ["unshare", "--user", f"--map-user={user}", f"--map-group={user}", sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "student\n None\n", done.stderr


@needs_unshare
def test_without_namespaces_the_reason_is_told_and_nothing_runs():
    script = f"""if True:
        import sys
        sys.path[:0] = [{str(ROOT)!r}, {str(HERE)!r}]
        from course.sandbox.limits import SandboxUnavailable
        from course.sandbox.trial import available
        from test_sandbox import make
        print(*available()[1], sep="\\n")
        try:
            make()
        except SandboxUnavailable as error:
            print("refused:", str(error).splitlines()[0])"""
    forbid = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$@\""
    command = ["unshare", "--user", "--map-root-user", "sh", "-c", forbid, "sh", sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "user namespaces are off: sysctl user.max_user_namespaces=10000" in done.stdout, done.stderr
    assert "refused: [Errno 28] unshare: No space left on device" in done.stdout


def test_on_another_system_it_says_so(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert available()[0] is False
    with pytest.raises(SandboxUnavailable, match="needs Linux namespaces"):
        make()


def test_the_plain_fork_has_the_same_interface():
    with make(sandbox=False) as zygote:
        with zygote.spawn() as sandbox:
            value(sandbox, "write_output", "hello")
            assert sandbox.output == b"hello!"
            assert call(sandbox, "allocate", 100 << 30)["error"][0] == "MemoryError"
            left = value(sandbox, "leftover", fork=True)
            assert os.path.exists(f"/proc/{left}")
            assert sandbox.kill_check() is None
            assert not os.path.exists(f"/proc/{left}")
            assert value(sandbox, "echo", "alive") == "alive"
            assert ends_with(sandbox, "exit_with", 3) == "exited"
        with zygote.spawn() as sandbox:
            assert ends_with(sandbox, "flood") == "too much output"
        before = set(processes_below(os.getpid()))
        sandbox = zygote.spawn()
        value(sandbox, "leftover")
        sandbox.kill()
        assert set(processes_below(os.getpid())) == before
