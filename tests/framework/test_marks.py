"""The requirements of a task: how they are read, to which one an assertion belongs, which marks a check gives them."""
from __future__ import annotations

import linecache

import pytest

from d2l_utils.check import failure, parts
from d2l_utils.check.reading import Reading
from d2l_utils.check.requirements import bullets, owner, requirements

TASK = """### Distances

Write `f`.

**You are done when**
- **shape**: it is `(n, m)`,
  for one row, too;
- **mean, not sum**: over $n$ rows
and so on.

- **arguments kept**: `A` is as it was.

Afterwards comes
- **no requirement**: of this list.
"""


def test_names_and_texts():
    assert requirements(TASK) == {
        "shape": "it is `(n, m)`, for one row, too;", "mean, not sum": "over $n$ rows and so on.",
        "arguments kept": "`A` is as it was."}
    assert [bullet.line for bullet in bullets(TASK)] == [5, 7, 10]


@pytest.mark.parametrize("task", ["**You are done when** 3 gives 6.", "no such line\n- **shape**: x",
                                  "**You are done when**\n- it works\n- **shape** without a colon"])
def test_tasks_without_names(task):
    assert requirements(task) == {}


@pytest.mark.parametrize("what, of, enclosing, names, found", [
    ("anything", "dtype", (("shape", ""),), ("shape", "dtype"), "dtype"),
    ("shape", "", (("dtype", ""),), ("shape", "dtype"), "shape"),
    ("a tensor", "", (("dtype", "x"), ("", "shape")), ("shape", "dtype"), "shape"),
    ("a tensor", "", (("dtype", "x"), ("", "y")), ("shape", "dtype"), "dtype"),
    ("a tensor", "", (), ("shape",), "shape"),
    ("a tensor", "", (), ("shape", "dtype"), ""),
    ("a tensor", "", (), (), ""),
])
def test_the_owner_of_an_assertion(what, of, enclosing, names, found):
    assert owner(names, what, of, enclosing) == found


def run(source, names, known=None):
    """The marks after a check with this text, and the error that ended it."""
    filename = f"<text {hash(source)}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    failure.start(names)
    parts.results.clear()
    error = None
    try:
        exec(compile("from d2l_utils.check import *", "<start>", "exec"), space := dict(known or {}))
        exec(compile(source, filename, "exec"), space)
    except Exception as caught:
        failure.stopped(caught, caught.__traceback__)
        error = caught
    return failure.states(), error


def test_all_held():
    states, error = run('assert_equal(1, 1, "a", of="one")\nassert_equal(2, 2, "two")', ["one", "two", "three"])
    assert states == {"one": "held", "two": "held"} and error is None


def test_what_comes_after_a_failure_was_not_reached():
    source = '''assert_equal(1, 1, "a", of="one")
assert_equal(1, 2, "b", of="two")
assert_equal(1, 1, "c", of="three")
assert_equal(1, 1, "d", of="one")
'''
    states, error = run(source, ["one", "two", "three", "four"])
    assert states == {"one": "not reached", "two": "failed", "three": "not reached"} and error.of == "two"


def test_a_loop_that_ends_early():
    source = '''for n in (1, 2, 3):
    assert_true(n > 0, "positive", of="sign")
    assert_true(n < 3, "small", of="size")
assert_equal(1, 1, "c", of="last")
'''
    assert run(source, ["sign", "size", "last"])[0] == {"sign": "not reached", "size": "failed", "last": "not reached"}


def test_a_helper_that_is_called_once():
    """What stood above the failing line in the helper was run, and is not run again."""
    source = '''def look(n):
    assert_true(n > 0, "positive", of="sign")
    assert_true(n < 3, "small", of="size")
    assert_equal(n, n, "itself", of="same")

look(5)
'''
    assert run(source, ["sign", "size", "same"])[0] == {"sign": "held", "size": "failed", "same": "not reached"}
    assert run(source + "look(1)\n", ["sign", "size", "same"])[0]["sign"] == "not reached"


def test_a_helper_of_the_setup_may_read_anything():
    space = {}
    exec("from d2l_utils.check import *\ndef look(n):\n    assert_equal(n, 1, 'n', of='one')", space)
    states, _ = run('assert_equal(1, 1, "a", of="two")\nlook(2)', ["one", "two"], {"look": space["look"]})
    assert states == {"one": "failed", "two": "not reached"}       # its text is not looked at: the careful answer
    states, _ = run('assert_equal(1, 1, "a", of="two")\nassert_equal(1, 2, "b", of="one")\nlook(1)', ["one", "two"],
                    {"look": space["look"]})
    assert states == {"one": "failed", "two": "not reached"}


def test_parts_go_on():
    source = '''with part(1, "the shape", of="shape"):
    assert_equal(1, 2, "rows")
    assert_equal(1, 1, "columns", of="columns")
for n in (1, 2):
    with part(1, "values"):
        assert_equal(n, 1, f"entry {n}")
        assert_equal(n, n, "dtype")
'''
    states, error = run(source, ["shape", "columns", "values", "dtype"])
    assert error is None
    assert states == {"shape": "failed", "columns": "not reached", "values": "failed", "dtype": "not reached"}
    assert [earned for earned, *_ in parts.results] == [0, 1, 0]


def test_an_error_of_the_answer_in_an_assertion():
    """It counts as a failure of the requirement that the assertion reads."""
    source = 'assert_equal(1, 1, "a", of="one")\nassert_equal(answer(3), 2, "b", of="two")\nassert_equal(1, 1, "c", of="three")'
    states, error = run(source, ["one", "two", "three"], {"answer": lambda x: x[0]})
    assert isinstance(error, TypeError) and states == {"one": "held", "two": "failed", "three": "not reached"}


def test_an_error_before_any_assertion():
    states, _ = run('x = answer(3)\nassert_equal(x, 2, "b", of="two")', ["two"], {"answer": lambda x: x[0]})
    assert states == {"two": "not reached"}


def test_an_error_that_is_caught_leaves_no_failure():
    source = '''try:
    assert_equal(1, 2, "a", of="one")
except CheckFailed:
    assert_equal(1, 1, "a", of="one")
'''
    assert run(source, ["one"])[0] == {"one": "held"}


def test_hidden_and_visible_assertions_are_told_apart():
    source = '''def look(n):
    assert_equal(n, n, "n", of="one")
look(1)
### BEGIN HIDDEN TESTS
look(2)
assert_equal(1, 1, "m")
### END HIDDEN TESTS
'''
    run(source, ["one", "two"])
    assert [(held.of, held.hidden, held.line) for held in failure.held] == [("one", False, 3), ("one", True, 5), ("", True, 6)]


def test_names_in_a_text():
    text = 'with part(1, "x", of="a, b"):\n    assert_close(1, 2, "w", of="c")\n    assert_raises(E, f, what="d")\n'
    reading = Reading(text, ["c"])
    assert [(site.what, site.of) for site in reading.sites()] == [("w", "c"), ("d", "")]
    assert [of for _, of in reading.parts()] == ["a, b"]
