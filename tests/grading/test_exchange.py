"""`nbgrader collect` on an exchange whose students do what they can: links, swaps, other accounts, names, times."""
import logging
import os
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from course.grading import copying
from course.grading.exchange import Collect
from course.grading.names import is_name

CHAPTER = "ch09_words"


def stamp(moment: datetime | None = None) -> str:
    return (moment or datetime.now(timezone.utc)).strftime("%Y-%m-%d %H:%M:%S.%f UTC")


class Exchange:
    """An exchange with an inbound folder, and a teacher who collects from it."""

    def __init__(self, root: Path, gradebook: Path):
        self.root, self.gradebook = root, gradebook
        self.inbound = root / "exchange/course/inbound"
        self.inbound.mkdir(parents=True)
        self.secret = root / "source"
        self.secret.mkdir()
        (self.secret / "a.ipynb").write_text("THE SOLUTIONS")
        self.said: list[str] = []

    def hand_in(self, student: str, when: str | None = None) -> Path:
        folder = self.inbound / f"{student}+{CHAPTER}+{when or stamp()}"
        folder.mkdir()
        (folder / "a.ipynb").write_text(f"by {student}"[:40])
        (folder / "timestamp.txt").write_text("2000-01-01 00:00:00.000000 UTC")
        return folder

    def collect(self, check_owner: bool = False, do_copy=None) -> dict[str, str]:
        """Collects; what lies in submitted/ afterwards, as text by student."""
        settings = Config({"CourseDirectory": {"root": str(self.root), "course_id": "course", "assignment_id": CHAPTER,
                                               "db_url": f"sqlite:///{self.gradebook}"},
                           "Exchange": {"root": str(self.root / "exchange")}, "ExchangeCollect": {"check_owner": check_owner}})
        log = logging.Logger("collect")
        log.addHandler(handler := logging.Handler())
        handler.emit = lambda record: self.said.append(record.getMessage())
        collect = Collect(coursedir=CourseDirectory(config=settings), config=settings)
        collect.log = log
        if do_copy:
            collect.do_copy = lambda src, dest, log=None: do_copy(lambda: Collect.do_copy(collect, src, dest), Path(src))
        collect.init_src()
        collect.copy_files()
        return {path.parent.parent.name: path.read_text() for path in (self.root / "submitted").glob("*/*/a.ipynb")}


@pytest.fixture(scope="module")
def gradebook(tmp_path_factory) -> Path:
    """One for all: collect only asks it for the due date."""
    return tmp_path_factory.mktemp("gradebook") / "gradebook.db"


@pytest.fixture
def exchange(tmp_path, gradebook) -> Exchange:
    return Exchange(tmp_path, gradebook)


def test_an_honest_class(exchange):
    handed = stamp()
    exchange.hand_in("ada", handed)
    inner = exchange.hand_in("li.nus-2@x") / "pictures"
    inner.mkdir()
    (inner / "p.png").write_bytes(b"png")
    assert exchange.collect() == {"ada": "by ada", "li.nus-2@x": "by li.nus-2@x"}
    assert (exchange.root / f"submitted/li.nus-2@x/{CHAPTER}/pictures/p.png").read_bytes() == b"png"
    assert (exchange.root / f"submitted/ada/{CHAPTER}/timestamp.txt").read_text() == handed
    assert not [line for line in exchange.said if "left out" in line or "later time" in line]


@pytest.mark.parametrize("swap", ["the folder becomes a link", "a file becomes a link", "a file becomes a pipe",
                                  "a folder in it becomes a link", "a file grows"])
def test_what_changes_between_look_and_copy_fetches_nothing(exchange, swap):
    """W6 of the red team: after collect has looked, the folder is swapped for a link to the built sources."""
    folder = exchange.hand_in("mallory")
    (folder / "inner").mkdir()
    exchange.hand_in("ada")

    def then(copy, src):
        if src == folder:
            if swap == "the folder becomes a link":
                os.rename(folder, folder.with_name("gone"))
                folder.symlink_to(exchange.secret)
            elif swap == "a folder in it becomes a link":
                (folder / "inner").rmdir()
                (folder / "inner").symlink_to(exchange.secret)
            elif swap == "a file grows":
                with open(folder / "a.ipynb", "wb") as file:
                    file.truncate(200_000_000)
            else:
                (folder / "a.ipynb").unlink()
                if swap == "a file becomes a link":
                    (folder / "a.ipynb").symlink_to(exchange.secret / "a.ipynb")
                else:
                    os.mkfifo(folder / "a.ipynb")
        copy()
    assert exchange.collect(do_copy=then) == {"ada": "by ada"}
    assert not (exchange.root / f"submitted/mallory/{CHAPTER}/a.ipynb").exists()
    assert any("mallory" in line and "left out" in line for line in exchange.said)
    assert "SOLUTIONS" not in "".join(p.read_text(errors="replace") for p in (exchange.root / "submitted").rglob("*")
                                      if p.is_file())


def test_a_swap_at_any_moment_of_the_copy(exchange, monkeypatch):
    """The swap happens between listing a folder and opening what was listed."""
    folder = exchange.hand_in("mallory")
    listed = copying._here

    def here(fd):
        found = listed(fd)
        if any(name == "a.ipynb" for name, _ in found) and (folder / "a.ipynb").is_file() and armed:
            (folder / "a.ipynb").unlink()
            (folder / "a.ipynb").symlink_to(exchange.secret / "a.ipynb")
        return found
    armed = []
    monkeypatch.setattr(copying, "_here", here)

    def then(copy, src):
        armed.append(True)
        copy()
    assert exchange.collect(do_copy=then) == {}


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to hand in from other accounts")
def test_owners_count_for_the_folder_and_for_each_file(exchange):
    """Of the account that the opened folder has, not of the one that the name had when collect looked."""
    mine = exchange.hand_in("nobody")
    os.chown(mine, 65534, 65534)
    for path in mine.iterdir():
        os.chown(path, 65534, 65534)
    assert exchange.collect(check_owner=True) == {"nobody": "by nobody"}
    theirs = exchange.hand_in("daemon")         # root's, in the name of another
    linked = exchange.hand_in("nobody", stamp(datetime.now(timezone.utc) + timedelta(seconds=5)))
    os.chown(linked, 65534, 65534)
    os.link(exchange.secret / "a.ipynb", linked / "b.ipynb")
    for path in (linked / "a.ipynb", linked / "timestamp.txt"):
        os.chown(path, 65534, 65534)
    import shutil
    shutil.rmtree(exchange.root / "submitted")
    assert "daemon" not in exchange.collect(check_owner=True)
    assert any("claims to be of daemon and belongs to root" in line for line in exchange.said)
    assert any("belongs to another account" in line for line in exchange.said), theirs


def test_the_time_is_not_the_students_to_choose(exchange):
    """W7: a folder named with an early time counts from its last change, which nobody can set back."""
    early = datetime.now(timezone.utc) - timedelta(days=3)
    folder = exchange.hand_in("mallory", stamp(early))
    os.utime(folder, (early.timestamp(), early.timestamp()))
    os.utime(folder / "a.ipynb", (early.timestamp(), early.timestamp()))
    exchange.collect()
    text = (exchange.root / f"submitted/mallory/{CHAPTER}/timestamp.txt").read_text()
    counted = datetime.strptime(text, "%Y-%m-%d %H:%M:%S.%f UTC").replace(tzinfo=timezone.utc)
    assert abs(counted.timestamp() - time.time()) < 60
    assert any("the later time counts" in line for line in exchange.said)


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", "=HYPERLINK(1)", "a b", "\x1b[31mred", "-rf", "x" * 65, "ä"])
def test_names_that_are_more_than_names(exchange, name):
    """W12: script in formgrader, formulas in CSV, escape sequences in terminals."""
    assert not is_name(name)
    exchange.hand_in("ada")
    exchange.hand_in(name)
    assert exchange.collect() == {"ada": "by ada"}
    line = next(line for line in exchange.said if "left out" in line)
    assert "\x1b" not in line and "its student's name is not letters, digits" in line


def test_what_is_no_submission_at_all(exchange):
    (exchange.inbound / f"x+{CHAPTER}+yesterday").mkdir()
    (exchange.inbound / f"y+{CHAPTER}+{stamp()}").write_text("a file")
    (exchange.inbound / f"z+{CHAPTER}+{stamp()}").symlink_to(exchange.secret)
    exchange.hand_in("ada")
    assert exchange.collect() == {"ada": "by ada"}
    assert sum("left out" in line for line in exchange.said) == 3
