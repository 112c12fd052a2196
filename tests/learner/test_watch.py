"""`course watch`: a save is graded, only what changed is judged, and a file that is no notebook is named."""
import re
import signal
import subprocess
import sys
import threading
import time

from learner_book import RIGHT, LOOP

from course.learner import grader as grading
from course.learner.grader import Grader
from course.learner.progress import pages
from course.sandbox.limits import SandboxUnavailable


class Watching:
    def __init__(self, book, *words):
        self.process = subprocess.Popen([sys.executable, "-u", "-m", "course.cli", "watch", *words], cwd=book.root,
                                        env=book.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.said = ""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.said += line

    def wait(self, pattern: str, seconds: float = 60) -> str:
        """What was said up to and with the first match; it is then forgotten."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if match := re.search(pattern, self.said):
                head, self.said = self.said[:match.end()], self.said[match.end():]
                return head
            time.sleep(0.02)
        raise AssertionError(f"{pattern!r} was not said, but: {self.said}")


def test_each_save(book):
    watching = Watching(book)
    try:
        watching.wait("Watching 1 notebook in work/")
        book.write("answer-0-1", LOOP)
        assert "wrong" in watching.wait("1 wrong, 2 not answered; 0 of 3 points by the tests.")
        book.write("answer-0-1", RIGHT)
        watching.wait("1 right, 2 not answered; 1 of 3 points by the tests.")
        book.write("written-0-3", "words")                      # nothing that a test looks at
        book.write("answer-0-2", "# Answer 0.2: this cell is yours.\nparameters = 784 * 256 + 256")
        said = watching.wait("2 right, 1 not answered; 2 of 3 points by the tests.")
        assert "0.2" in said and "0.1" not in said              # known from before
        book.file.write_text("{")
        watching.wait("is not JSON")
    finally:
        watching.process.send_signal(signal.SIGINT)
        assert watching.process.wait(30) == 0
    assert "Traceback" not in watching.said and "Stopped." in watching.said


def test_only_what_changed_is_judged(book):
    with Grader(book.root) as grader:
        def judged() -> set[str]:
            return {row.number for row in grader.grade(pages(book.root)[0]).rows if row.again and row.out_of}

        assert judged() == set()                                # nothing is answered: nothing runs
        book.write("answer-0-2", "parameters = 784 * 256 + 256")
        assert judged() == {"0.2"}
        book.write("answer-0-1", RIGHT)                         # runs above the check of 0.2, which might use it
        assert judged() == {"0.1", "0.2"}
        book.write("answer-0-3", "def hard_coded(celsius):\n    return celsius")
        assert judged() == {"0.3"}
        assert judged() == set()


def test_a_machine_without_a_sandbox(book, monkeypatch):
    """A learner's own answers run all the same, with the learner's rights."""
    def refused(sandbox):
        raise SandboxUnavailable("no namespaces here")

    monkeypatch.setattr(grading, "started", refused)
    book.write("answer-0-1", RIGHT)
    with Grader(book.root) as grader:
        assert grader.grade(pages(book.root)[0]).summary() == "0: 1 right, 2 not answered; 1 of 3 points by the tests."
        assert not grader.sandboxed
