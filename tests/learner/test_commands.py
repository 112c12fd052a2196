"""`course check`, `solution`, `todo`, `progress`, `reset` on a learner's answers, as processes of their own."""
import pytest
from learner_book import RIGHT, LOOP


def test_the_hidden_tests_see_what_the_visible_check_does_not(book):
    """A loop over the entries passes the visible check; a tensor without axes has none to loop over."""
    book.write("answer-0-1", LOOP)
    done = book.course("check", "0")
    assert done.returncode == 1
    assert "wrong" in done.stdout and "1 wrong, 2 not answered; 0 of 3 points" in done.stdout
    assert "Your answers in work/" in done.stderr
    book.write("answer-0-1", RIGHT)
    done = book.course("check", "0.1")
    assert done.returncode == 0 and "0: 1 right; 1 of 1 points" in done.stdout


def test_gates_stay_the_authors(book):
    """`--gates`, and the same without it where there is no work/."""
    done = book.course("check", "0.2", "--gates")
    assert done.returncode == 0 and done.stdout.endswith("0: 1 exercises, no findings.\n"), done.stdout + done.stderr
    assert "0.2: the visible part alone catches" in done.stdout


@pytest.mark.parametrize("words, status, says", [
    (["check", "7.1"], 2, "Nothing in the book is called '7.1'. Sections: 0; chapters: ch00_start; exercises: like 0.1."),
    (["check"], 1, "work/ holds no answer yet."),
    (["solution", "0"], 2, "0 is not one exercise."),
    (["watch", "nothing"], 2, "Nothing in the book is called 'nothing'."),
    (["reset", "0"], 2, "0 is not one exercise. Say which of 0.1, 0.2, 0.3."),
])
def test_what_cannot_be_done_is_said(book, words, status, says):
    done = book.course(*words)
    assert done.returncode == status and says in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [["check", "0", "--work"], ["todo"], ["progress"], ["watch"], ["solution", "0.1"],
                                   ["reset", "0.1"]])
def test_no_work(bare, words):
    done = bare.course(*words)
    assert done.returncode == 1 and "There is no" in done.stderr and "make lab" in done.stderr and not done.stdout


@pytest.mark.parametrize("content", [b"{", b"", b"[]", b"\xff\xfe", b'{"cells": [1, null, {"metadata": []}]}'])
def test_a_notebook_that_is_none(book, content):
    book.file.write_bytes(content)
    for words in (["todo"], ["progress"], ["reset", "0.1"]):
        done = book.course(*words)
        assert f"work/{book.file.parent.name}/{book.file.name}" in done.stdout.replace("\n", "") + done.stderr
        assert "Traceback" not in done.stderr
    assert book.file.read_bytes() == content


def test_check_says_that_a_notebook_is_none(book):
    book.file.write_bytes(b"{")
    done = book.course("check", "0")
    assert done.returncode == 1 and "is not JSON" in done.stderr and "Traceback" not in done.stderr


def test_a_copy_without_hidden_tests(book):
    (book.root / "solutions/ch00_start/0_how_this_book_works.py").unlink()
    for words in (["check", "0"], ["solution", "0.1"]):
        done = book.course(*words)
        assert done.returncode == 1 and "This copy of the book" in done.stderr


def test_a_solution_after_a_pass_or_when_asked_twice(book):
    first = book.course("solution", "0.1")
    assert first.returncode == 1 and "is not answered yet" in first.stdout and "9 / 5" not in first.stdout
    second = book.course("solution", "0.1")
    assert second.returncode == 0 and "another right answer" in second.stdout and "BEGIN SOLUTION" not in second.stdout
    book.write("answer-0-2", "# Answer 0.2: this cell is yours.\nparameters = 1")
    assert "is wrong yet" in book.course("solution", "0.2").stdout
    assert "the book's answer" in book.course("solution", "0.3", "--anyway").stdout


def test_a_solution_after_a_pass(book):
    book.write("answer-0-1", RIGHT)                 # no check was run in a notebook: the hidden tests decide
    done = book.course("solution", "0.1")
    assert done.returncode == 0 and "the book's answer" in done.stdout


def test_an_answer_started_over_is_kept(book):
    starter = book.source("answer-0-1")
    book.write("answer-0-1", RIGHT)
    done = book.course("reset", "0.1")
    assert done.returncode == 0 and book.source("answer-0-1") == starter
    kept = list((book.root / "work/backups/ch00_start").iterdir())
    assert len(kept) == 1 and kept[0].read_text() == RIGHT + "\n" and kept[0].name in done.stdout
    assert "already" in book.course("reset", "0.1").stdout and len(list(kept[0].parent.iterdir())) == 1
