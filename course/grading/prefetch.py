"""Grades ahead of nbgrader: while its converter reads, writes and saves one submission, a thread judges the next ones."""
from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from course.engine.notebook import Engine
from course.grading.graft import load
from course.grading.apart import grade_apart
from course.grading.unit import Prepared, insecure, key_of, prepare
from course.engine.warm import started

AHEAD = 6           # graded notebooks that wait at most


class Judging:
    """One engine in one thread. `expect` names what will be asked for; `get` gives a graded notebook by its key."""

    def __init__(self):
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="judge")
        self.waiting: dict[str, Future] = {}
        self.coming: deque[tuple[Path, str, str, Path]] = deque()
        self.engine: Future = self.thread.submit(self._start)       # the warm parent starts while nbgrader does

    @staticmethod
    def _start() -> Engine:
        return Engine(started(sandbox=not insecure()), last=True)

    def expect(self, root: Path, submissions: Iterator[tuple[str, str, Path]]) -> None:
        """(chapter, notebook, submitted file) in the order in which they will be asked for."""
        self.coming.extend((root, *item) for item in submissions)
        self._ahead()

    def _ahead(self) -> None:
        while self.coming and len(self.waiting) < AHEAD:
            root, chapter, name, path = self.coming.popleft()
            future = self.thread.submit(self._grade, root, chapter, name, path)
            self.waiting[str(path)] = future

    def _grade(self, root: Path, chapter: str, name: str, path: Path):
        engine = self.engine.result()
        prepared = prepare(root, chapter, name, engine=engine)
        submission, reason = load(path)
        key = identity(prepared, path, submission, reason)
        return key, grade_apart(engine, prepared, submission, reason, key)

    def get(self, root: Path, chapter: str, name: str, path: Path, key: str):
        """The result of course.grading.unit.grade for the submission in `path`, whose content has this key."""
        future = self.waiting.pop(str(path), None)
        found = future.result() if future is not None else ("", None)
        if found[0] != key:         # not foreseen, or changed since
            found = self.thread.submit(self._grade, root, chapter, name, path).result()
        self._ahead()
        return found[1]

    def close(self) -> None:
        self.thread.shutdown(wait=True, cancel_futures=True)
        if self.engine.done() and self.engine.exception() is None:
            self.engine.result().zygote.close()


def identity(prepared: Prepared, path: Path, submission: dict | None, reason: str) -> str:
    """The key of what was handed in: its bytes, or the reason why there are none."""
    return key_of(prepared, path.read_bytes() if submission is not None else reason.encode())
