"""What the learner's commands look like in a terminal of 80 columns, and where their output goes to a file."""
import os
import pty
import re
import subprocess
import sys
import time

from learner_book import LOOP, RIGHT, Book

from course.learner.progress import FAILS, Exercise, Page
from course.learner.todo import todo

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def terminal(book: Book, *words: str, **environment: str) -> str:
    """What `course WORDS` writes to a terminal of 80 columns, as it came."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([sys.executable, "-m", "course.cli", *words], cwd=book.root,
                               env=book.environment | {"COLUMNS": "80", "TERM": "xterm-256color"} | environment,
                               stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    said = b""
    try:
        while part := os.read(ours, 4096):
            said += part
    except OSError:         # the other end is closed
        pass
    finally:
        os.close(ours)
    process.wait(60)
    return said.decode()


def shown(text: str) -> list[str]:
    """The lines without colours and without what was drawn over."""
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", COLOUR.sub("", text))
    return [line.rpartition("\r")[2] for line in plain.replace("\r\n", "\n").split("\n")]


def test_a_check_says_what_it_does_and_colours_what_it_finds(book):
    book.write("answer-0-1", LOOP)
    said = terminal(book, "check", "0")
    assert "Hidden tests of 0" in said and "\x1b[31mwrong" in said
    assert max(map(len, shown(said))) <= 80
    plain = terminal(book, "check", "0", NO_COLOR="1")
    assert "wrong" in plain and not re.search(r"\x1b\[[0-9;]*3[0-9]m", plain)
    assert "\x1b" not in book.course("check", "0").stdout


def test_progress_is_a_line_for_each_section(book):
    """A title too long for the line is cut off; the numbers never are."""
    lines = shown(terminal(book, "progress"))
    assert max(map(len, lines)) <= 80
    (row,) = [line for line in lines if "How this book works" in line]
    assert row.split()[-5:] == ["·", "·", "3", "0/6", "9"]


def page(number: str, *states: str) -> Page:
    exercises = [Exercise(f"{number}.{i}", "A title", 1, 1, False, state) for i, state in enumerate(states)]
    return Page(f"ch00/{number}.ipynb", number, f"{number} A section", exercises)


def test_what_is_left_of_the_whole_book_is_that_of_the_sections_begun(capsys):
    begun, other, third = page("7.1", FAILS, "open", "right"), page("7.2", "open"), page("7.3", "open", "open")
    assert todo([begun, other, third], named=False) == 1
    said = capsys.readouterr().out
    assert "7.1.0" in said and "7.1.1" in said and "7.2" not in said
    assert "2 of 3 exercises are left." in said and "2 sections that you have not begun are not listed" in said
    assert todo([other, third], named=False) == 1
    assert capsys.readouterr().out.startswith("Nothing is answered yet.")
    assert todo([other], named=True) == 1
    assert "7.2.0" in capsys.readouterr().out
    assert todo([page("7.4", "right", "written")], named=False) == 0


def test_a_save_shows_what_it_changed(book):
    """`course watch` prints the rows whose answer or verdict is another, not all that was judged again."""
    from course.learner.watch import watch
    rounds, seen = iter([{"answer-0-1": RIGHT}, {"answer-0-1": LOOP}]), []
    book.write("answer-0-2", "# Answer 0.2: this cell is yours.\nparameters = 784 * 256 + 256")

    def show(report, news):
        seen.append(set(news))
        for cell, text in next(rounds, {}).items():
            book.write(cell, text)

    end = time.monotonic() + 120
    watch(book.root, "0", show, lambda line: None, running=lambda: len(seen) < 3 and time.monotonic() < end)
    assert seen == [{"0.2"}, {"0.1"}, {"0.1"}]        # 0.2 was judged again each time: its check runs below 0.1
