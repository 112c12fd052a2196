"""How the suite is shared out among processes (`make test` runs three for two cores)."""
import os
import signal
import threading

import lot
import pytest
from xdist.scheduler import LoadScopeScheduling

DEAR = {"attacks", "browser", "grading", "lab"}
APART = {"test_gates_1_to_6", "test_gate_7_stock_nbgrader_agrees"}      # one section each, minutes in all


# Several processes share the cores: threads of one would wait for those of another, and keep a core busy meanwhile.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# A shell that starts the suite in the background has it ignore Ctrl-C, and so would all that the tests start and stop.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)


class ByModule(LoadScopeScheduling):
    """A module stays in one process, as its fixtures are dear: a class that was graded, a server. The gates on the
    book's sections are shared out one by one."""

    def _split_scope(self, nodeid: str) -> str:
        path, _, name = nodeid.partition("::")
        return nodeid if name.partition("[")[0] in APART else path


def drawing(config) -> bool:
    """Whether the whole suite is run, not a part of it that somebody names, and not everything is asked for."""
    whole = config.args == [str(config.rootpath / "tests")] or config.args == ["tests"]
    return whole and not os.environ.get("COURSE_TEST_ALL")


def pytest_collection_modifyitems(config, items):
    """The dear ones first, so that at the end nobody is waited for; xdist would put those with the most tests first. Of the
    long modules two thirds are left out by lot."""
    if out := set(lot.left_out()):
        config.hook.pytest_deselected(items=[item for item in items if item.path in out])
        items[:] = [item for item in items if item.path not in out]

    def rank(item) -> int:
        if item.name.startswith("test_gate_7_stock"):
            return 0
        folder = item.path.relative_to(config.rootpath / "tests").parts[0]
        return 2 if item.name.partition("[")[0] in APART else 1 if folder in DEAR else 3
    items.sort(key=rank)


def pytest_configure(config):
    lot.drawing = drawing(config)
    config.option.loadscopereorder = False      # the order of pytest_collection_modifyitems counts


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """Half as many again as there are cores: servers, browsers and kernels are waited for. Each takes up to 3 GiB with what
    it starts. (Twice as many took as long: 20:20 min and 20:50.)"""
    import psutil
    return max(1, min((os.cpu_count() or 1) * 3 // 2, psutil.virtual_memory().total // (3 << 30)))


@pytest.fixture(scope="session")
def lacking():
    """`lacking("No dot here: ...")` leaves a test out, and the last lines of the run say so. `.ci/run`, which sets
    COURSE_TEST_ALL, leaves nothing out: there it fails."""
    def left_out(reason: str) -> None:
        (pytest.fail if os.environ.get("COURSE_TEST_ALL") else pytest.skip)(reason)
    return left_out


def pytest_terminal_summary(terminalreporter, config):
    if out := lot.left_out():
        names = ", ".join(path.relative_to(lot.ROOT / "tests").as_posix() for path in out)
        terminalreporter.write_line("Left out by lot, others with the next commit (COURSE_TEST_ALL=1 has all): two thirds of the "
                                    f"attacks; {names}")
    reasons = [report.longrepr[2] for report in terminalreporter.stats.get("skipped", []) if isinstance(report.longrepr, tuple)]
    for reason in sorted(set(reasons)):
        terminalreporter.write_line(f"Left out, {reasons.count(reason)} tests: {reason.removeprefix('Skipped: ')}")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    return ByModule(config, log)
