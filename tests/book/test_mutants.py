"""course mutants: one place of a reference changed at a time, survivors listed, right answers recorded."""
import shutil
from pathlib import Path

import pytest

from course.book.mutants import ReferenceFails, entry, examine, of_section, right
from course.book.mutate import mutants
from course.book.source import read
from course.engine.notebook import Engine
from course.engine.warm import warm_parent

ROOT = Path(__file__).resolve().parents[2]


def changes(line: str) -> set[str]:
    """What the mutations make of one line of a function."""
    return {mutant.now for mutant in mutants("9.9.1", f"def f(x, y, n):\n    {line}\n    return x", 2, 2)}


@pytest.mark.parametrize("line, some", [
    ("x = x + y", {"x = x - y"}),
    ("x = (x + y) * n", {"x = (x - y) * n", "x = (x + y) / n"}),
    ("x = x ** 2 / n", {"x = x * 2 / n", "x = x ** 2 * n", "x = 2 ** x / n", "x = x ** 3 / n", "x = n / x ** 2"}),
    ("if x < n: y = 1", {"if x <= n: y = 1", "if x >= n: y = 1", "if not (x < n): y = 1", "if x < n: y = 2", "if True: y = 1"}),
    ("x = x.sum(dim=1, keepdim=True)", {"x = x", "x = x.sum(keepdim=True)", "x = x.sum(dim=0, keepdim=True)", "x = x.sum(dim=1)",
        "x = x.sum(dim=-1, keepdim=True)", "x = x.mean(dim=1, keepdim=True)", "x = x.sum(dim=1, keepdim=False)"}),
    ("x = torch.exp(x)", {"x = x", "x = torch.expm1(x)"}),
    ("x = f(x, y)", {"x = f(y, x)"}),
    ("return x, y", {"return y, x"}),
    ("x.clamp_(0)", {"pass", "x", "x.clamp_(1)", "x.clamp_(-1)"}),
    ("x += y", {"pass", "x = y", "x -= y"}),
    ("x = x.to(torch.float64)", {"x = x.to(torch.float32)", "x = x"}),
    ("x = x[1:-1]", {"x = x[:-1]", "x = x[1:]", "x = x[2:-1]", "x = x[0:-1]", "x = x[1:1]"}),
    ("x = x and not y", {"x = x or not y", "x = x and y"}),
    ("x.flag = True", {"pass", "x.flag = False"}),
    ("x = a if y else n", {"x = a", "x = n"}),
    ("x = 'ä' * (n - 1)", {"x = 'ä' / (n - 1)", "x = 'ä' * (n + 1)", "x = 'ä' * (1 - n)", "x = 'ä' * (n - 2)"}),
    ("x = -(y + 1)", {"x = y + 1", "x = -(y - 1)"}),
])
def test_one_step_mutations(line, some):
    found = changes(line)
    assert some <= found, sorted(found)
    assert line not in found


def test_the_lines_outside_the_region_stay():
    source = "x = 1 + 2\ny = 3 + 4\nz = 5 + 6"
    found = mutants("9.9.1", source, 2, 2)
    assert found and all(m.was == "y = 3 + 4" and m.line == 2 for m in found)
    assert all(m.source.split("\n")[::2] == ["x = 1 + 2", "z = 5 + 6"] for m in found)
    assert len({m.source for m in found}) == len(found)


def test_strings_and_docstrings_stay():
    assert not changes("'a docstring'") and not changes("x = 'a word'")


SOURCE = '''\
# %% [markdown]
# # 9.9 Words

# %% tags=["setup"]
from d2l_utils.check import *

# %%
raise RuntimeError("worked code that no answer needs")

# %% [markdown] task="9.9.1" kind="code" minutes=3 difficulty=1
# ### First
#
# Write `first(n)`.
#
# **You are done when** it is right.

# %% exercise="9.9.1"
def first(n):
    ### BEGIN SOLUTION
    i = 0
    while i < n:
        i += 1
    return i + 0
    ### END SOLUTION

# %% [markdown] hints="9.9.1"
# 1. Count.

# %% check="9.9.1" points=2
assert_equal(first(3), 3, "three")
### BEGIN HIDDEN TESTS
assert_equal(first(0), 0, "none")
### END HIDDEN TESTS
'''


@pytest.fixture(scope="module")
def engine():
    with warm_parent(sandbox=False) as zygote:
        yield Engine(zygote)


@pytest.fixture
def section(tmp_path):
    path = tmp_path / "solutions/ch09_words/9_9_words.py"
    path.parent.mkdir(parents=True)
    path.write_text(SOURCE)
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    return read(path)


def test_survivors_are_listed_and_endless_loops_end(section, tmp_path, engine, monkeypatch):
    """`i += 1` left out never ends: it is stopped. What is left are right answers, which a file may call so."""
    monkeypatch.setattr("course.book.mutants.SECONDS", 0.5)
    graded = []
    outcome = examine(tmp_path, section, engine, step=graded.append)
    assert sum(graded) == outcome.total == len(of_section(section)["9.9.1"])
    assert [m.now for m in outcome.survivors] == ["i = -1", "return i - 0"]
    assert 0 < outcome.score < 1 and outcome.right == 0
    path = tmp_path / "tests/mutants/ch09_words/9_9_words.toml"
    path.parent.mkdir(parents=True)
    path.write_text("\n".join(map(entry, outcome.survivors)).replace('reason = ""', 'reason = "0 is 0"')
                    + '\n[[right]]\nnumber = "9.9.1"\nwas = "gone"\nreason = "it was here"\n')
    assert [one.reason for one in right(tmp_path, section)] == ["0 is 0", "0 is 0", "it was here"]
    again = examine(tmp_path, section, engine)
    assert not again.survivors and again.right == 2 and again.score == 1
    assert [one.was for one in again.stale] == ["gone"]
    path.write_text('[[right]]\nnumber = "9.9.1"\nwas = "return i + 0"\nreason = "any"\n')
    assert [m.now for m in examine(tmp_path, section, engine, {"9.9.1"}).survivors] == ["i = -1"]


def test_no_mutants_of_a_reference_that_fails(section, tmp_path, engine):
    section.exercises["9.9.1"].check.source = section.exercises["9.9.1"].check.source.replace("first(0), 0", "first(0), 1")
    with pytest.raises(ReferenceFails, match="the reference of 9.9.1 does not get full marks"):
        examine(tmp_path, section, engine)


def test_a_sample(section):
    every, some = (of_section(section, most=most)["9.9.1"] for most in (0, 3))
    assert len(every) > 6 and len(some) == 3 and set(some) < set(every)
