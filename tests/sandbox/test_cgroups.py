"""The kernel's own limits. They need cgroup v2 with memory and pids, delegated: tests/sandbox/in_a_vm boots a machine that
has it."""
import contextlib
import gc
import os
import signal
from pathlib import Path

import pytest
from test_sandbox import MIB, Limits, make, namespace_pids, processes_below, value, wait_for_end

from course.sandbox import cgroups

folder, reason = cgroups.place()
pytestmark = pytest.mark.skipif(not folder, reason=f"needs a delegated cgroup v2: {reason}")
SMALL = Limits(memory=32 * MIB, tmp_size=32 * MIB, processes=20)


def groups() -> list[Path]:
    return sorted(folder.glob(f"sandbox-{os.getpid()}-*"))


@contextlib.contextmanager
def nobody_looks():
    """The reaper sleeps, as if all happened between two looks."""
    (reaper,) = [pid for pid in processes_below(os.getpid()) if len(pids := namespace_pids(pid)) == 3 and pids[-1] == 1]
    os.kill(reaper, signal.SIGSTOP)
    yield
    os.kill(reaper, signal.SIGCONT)


def test_each_sandbox_has_its_own_which_goes_with_it():
    gc.collect()
    before = groups()
    with make(limits=SMALL) as zygote, zygote.spawn() as one, zygote.spawn() as other:
        assert (value(one, "echo", 1), value(other, "echo", 2)) == (1, 2)
        new = [group for group in groups() if group not in before]
        assert [len((group / "cgroup.procs").read_text().split()) for group in new] == [2, 2]
        assert [(group / "pids.max").read_text() for group in new] == ["40\n"] * 2
    assert groups() == before


@pytest.mark.parametrize("fork", [False, True], ids=["cell", "check"])
def test_memory_that_outruns_the_watcher_ends_at_the_kernels_limit(fork):
    with make(limits=SMALL) as zygote, zygote.spawn() as sandbox:
        value(sandbox, "echo", 1)
        with nobody_looks():
            ends = value(sandbox, "grow_in_children", 8, 60 * MIB, 2, fork=fork, seconds=200)
        assert 1 <= ends.count(signal.SIGKILL) < 8       # those that it took, until the others had enough
        assert sandbox.kill_check() == "out of memory"
        assert value(sandbox, "echo", 2) == 2 and sandbox.kill_check() is None


def test_the_student_process_itself_may_be_the_one():
    with make(limits=Limits(memory=400 * MIB, tmp_size=0x1000)) as zygote, zygote.spawn() as sandbox:
        value(sandbox, "echo", 1)
        (group,) = groups()
        (group / "memory.max").write_text(str(64 * MIB))
        with nobody_looks():
            assert call_until_it_ends(sandbox, "allocate_touched", 300 * MIB)
        assert (wait_for_end(sandbox), sandbox.detail[-36:]) == ("out of memory", "MiB, files and the kernel's included")


def call_until_it_ends(sandbox, name, *args) -> bool:
    sandbox.sock.settimeout(200)
    try:
        sandbox.sock.sendall(f'{{"name": "{name}", "args": {list(args)}, "fork": false}}\n'.encode())
        return sandbox.sock.recv(1) == b""
    except ConnectionResetError:
        return True


def test_what_a_killed_worker_left_is_swept():
    old = folder / "sandbox-999999999-0"
    old.mkdir()
    cgroups.place.cache_clear()
    assert cgroups.place() == (folder, "")
    assert not old.exists()
