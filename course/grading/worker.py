"""What runs in a worker: the unit of work with an engine of its own, and the pool of such processes.

A module apart from the coordinator's, so that a worker imports neither nbgrader nor the build.
"""
from __future__ import annotations

import os
import threading
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from pathlib import Path

from course.grading import unit
from course.engine.notebook import Engine
from course.grading.apart import grade_apart
from course.grading.unit import Prepared, prepare
from course.sandbox.pages import freeze
from course.engine.warm import warm_parent

_engine: Engine | None = None
_lock = threading.Lock()        # checks print and record in this process: one at a time


def engine() -> Engine:
    """This process's engine, with a warm parent of its own."""
    global _engine
    if _engine is None:
        import atexit
        import nbgrader.utils       # noqa: F401  half a second that each judge's child would take again, as a fork forgets
        zygote = warm_parent(sandbox=not unit.insecure())
        atexit.register(zygote.close)
        _engine = Engine(zygote, last=True)
        freeze()        # a fork for each notebook; and torch's objects are many: no later collection looks at them
    return _engine


def work(prepared: Prepared, submission: dict | None, reason: str, key: str) -> tuple[str, list[dict], str]:
    """Grades one submission in this process: executed notebook as JSON, verdicts, why it could not be read."""
    with _lock:
        text, verdicts, unreadable = grade_apart(engine(), prepared, submission, reason, key)
    return text, [verdict.as_dict() for verdict in verdicts], unreadable


def learn(root: Path, chapter: str, name: str) -> None:
    """Learns the known mistakes of one notebook."""
    with _lock:
        prepare(root, chapter, name, engine=engine())


def ready() -> None:
    """Nothing: by then the worker's engine stands."""


def _start(unsafe: bool) -> None:
    # a killed coordinator closes no queue that its workers wait on: they watch it, and end with it
    threading.Thread(target=lambda: (parent_process().join(), os._exit(1)), daemon=True).start()
    _raise_files()
    if unsafe:
        os.environ[unit.UNSAFE] = "yes"
    engine()


def _raise_files() -> None:
    """As many descriptors as the system lets us have: those that a submission keeps in flight count against us, too."""
    import resource
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class Pool:
    """Local processes, each with its own warm parent, or a Dask cluster: submit(function, *arguments) -> Future."""

    def __init__(self, workers: int | None, scheduler: str | None):
        self.size, self.scheduler = workers or os.cpu_count() or 1, scheduler
        self.client = self.local = None

    def __enter__(self) -> "Pool":
        if self.scheduler:
            from course.grading.cluster import Cluster
            self.client = Cluster(self.scheduler)
            self.size = self.client.size
        return self

    def start(self, notebooks: int | None = None) -> None:
        """Starts the local processes, all of them now, side by side: no more than there are `notebooks`."""
        if self.client is not None:
            return
        if notebooks is not None:
            self.size = min(self.size, notebooks)
        if self.local is not None:
            self.local.shutdown(wait=False, cancel_futures=True)
        self.local = ProcessPoolExecutor(self.size, get_context("spawn"), _start, (unit.insecure(),))
        for _ in range(self.size):      # the executor starts a process only when there is work
            self.local.submit(ready)

    def submit(self, function, *arguments) -> Future:
        if self.client is not None:
            return self.client.submit(function, *arguments)
        try:
            return self.local.submit(function, *arguments)
        except BrokenProcessPool:
            self.start()
            return self.local.submit(function, *arguments)

    def __exit__(self, *exception) -> None:
        if self.client is not None:
            self.client.close()
        if self.local is not None:
            self.local.shutdown(wait=True, cancel_futures=True)
