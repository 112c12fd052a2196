"""The gates on the book, for every section there is (course.book.gates says what each gate demands)."""
import copy
import itertools
import os
import shutil
import textwrap
from pathlib import Path

import pytest
from lot import this_commit

from course.book import gates
from course.book.build import build
from course.book.giveaways import giveaways
from course.book.index import INDEX
from course.book.section import Section, grade_id, rounds, used
from course.book.source import read, sources
from course.book.variants import variants
from course.engine.judge import SetupError
from course.engine.notebook import Engine, role
from course.engine.warm import warm_parent

ROOT = Path(__file__).resolve().parents[2]
SECTIONS = sources(ROOT)

every_section = pytest.mark.parametrize("path", SECTIONS, ids=[path.stem for path in SECTIONS])


@pytest.fixture(scope="module")
def engine():
    with warm_parent(sandbox=False) as zygote:
        yield Engine(zygote)


@pytest.fixture(scope="module")
def editions(tmp_path_factory):
    """The student edition, built from nothing but the sources; twice, where all is asked for."""
    roots = [tmp_path_factory.mktemp(name) for name in ("once", "again")[:1 + everything("COURSE_GATES")]]
    for root in roots:
        shutil.copy(ROOT / "nbgrader_config.py", root)
        shutil.copytree(ROOT / "solutions", root / "solutions", ignore=shutil.ignore_patterns("__pycache__"))
        build(root, gradebook=False)
    return roots[0], roots[-1]


def everything(name: str) -> bool:
    """Whether all is asked for: by `make test-gates`, `make test-stock`, or for both by .ci/run."""
    return os.environ.get(name) == "all"


def a_few(section: Section) -> set[int]:
    """The lines of the variants in one of the section's rounds, another with each commit; the round as it is among all."""
    every = rounds(section, variants(ROOT, section))
    return {variant.line for variant in this_commit(section.number).choice(every).values()} if every else set()


def show(findings):
    return "\n" + "\n".join(map(str, findings))


def test_there_are_sections():
    assert {"0", "2.1"} <= {read(path, lint=False).number for path in SECTIONS}


@every_section
def test_a_round_keeps_apart_what_builds_on_each_other(path):
    """Else an answer that is rejected for another one's fault would count as rejected."""
    section = read(path, lint=False)
    found = variants(ROOT, section)
    made = rounds(section, found)
    assert sorted(v.line for chosen in made for v in chosen.values()) == sorted(v.line for v in found)
    assert not [(number, other) for chosen in made for number in chosen for other in used(section, {number}) & set(chosen)]


@pytest.mark.timeout(1800)
@every_section
def test_gates_1_to_6(path, engine):
    """References, untouched notebooks, the stripped edition, variants: all of one section and one round of
    each other, or all; read() lints, hints included."""
    section = read(path)
    whole = everything("COURSE_GATES") or path in this_commit().sample(SECTIONS, 1)
    findings = gates.check_section(ROOT, section, engine, tried=None if whole else a_few(section))
    assert not findings, show(findings)


@pytest.mark.timeout(1800)
@every_section
def test_gate_5_the_edition_is_a_fresh_build(path, editions):
    name = f"notebooks/{path.parent.name}/{path.stem}.ipynb"
    once, again = (root.joinpath(name).read_bytes() for root in editions)
    assert once == again, f"two builds of {path.stem} differ"
    assert ROOT.joinpath(name).exists(), f"{name} is missing: run `course build` and commit it."
    assert ROOT.joinpath(name).read_bytes() == once, f"{name} is not what {path.name} gives: run `course build`."


def test_gate_5_no_edition_without_a_source():
    have = {path.relative_to(ROOT / "notebooks").with_suffix("") for path in ROOT.glob("notebooks/*/*.ipynb")}
    have -= {Path(INDEX).with_suffix("")}
    assert have <= {path.relative_to(ROOT / "solutions").with_suffix("") for path in SECTIONS}


def test_gate_5_the_index_is_a_fresh_build(editions):
    once, again, ours = (root / "notebooks" / INDEX for root in (*editions, ROOT))
    assert once.exists() == ours.exists(), f"notebooks/{INDEX}: run `course build` and commit it."
    assert not ours.exists() or once.read_bytes() == again.read_bytes() == ours.read_bytes(), "run `course build`."


def test_no_variants_without_a_source():
    have = {path.relative_to(ROOT / "tests/variants") for path in ROOT.glob("tests/variants/*/*.py")}
    assert have <= {path.relative_to(ROOT / "solutions") for path in SECTIONS}


def sample(paths: list[Path], count: int = 1) -> list[Path]:
    """A section, another with each commit; all of them where COURSE_STOCK=all."""
    return paths if everything("COURSE_STOCK") else sorted(this_commit("stock").sample(paths, min(count, len(paths))))


@pytest.mark.slow
@pytest.mark.timeout(1800)      # a section has up to 300 variants, and the machine may be busy
@pytest.mark.parametrize("path", sample(SECTIONS), ids=lambda path: path.stem)
def test_gate_7_stock_nbgrader_agrees(path):
    section = read(path)
    whole = everything("COURSE_STOCK") or everything("COURSE_GATES")
    findings = gates.check_stock(ROOT, section, tried=None if whole else a_few(section))
    assert not findings, show(findings)


# --- the gates themselves: each planted fault is found, with the exercise, the variant and the reason ---------------

SOURCE = '''\
# %% [markdown]
# # 9.9 Words

# %% tags=["setup"]
from d2l_utils.check import *

# %% [markdown] task="9.9.1" kind="code" minutes=3 difficulty=1
# ### Twice
#
# Write `twice(x)`.
#
# **You are done when** 3 gives 6.

# %% exercise="9.9.1"
def twice(x):
    ### BEGIN SOLUTION
    return x + x
    ### END SOLUTION

# %% [markdown] hints="9.9.1"
# 1. What is 1 and 1?

# %% check="9.9.1" points=2
assert_equal(twice(3), 6, "twice 3")
### BEGIN HIDDEN TESTS
assert_equal(twice(-1234567), -2469134, "a negative number")
### END HIDDEN TESTS
'''

VARIANTS = '''\
# %% right="9.9.1" how="a product"
def twice(x):
    return 2 * x

# %% right="9.9.1" how="a sum"
def twice(x):
    return sum([x, x])

# %% wrong="9.9.1" why="the square" says="twice 3: values differ"
def twice(x):
    return x * x

# %% wrong="9.9.1" why="hard-coded" says="a negative number"
def twice(x):
    return 6

# %% wrong="9.9.1" why="returns nothing" says="got None"
def twice(x):
    x + x
'''


@pytest.fixture
def find(tmp_path, engine):
    """The findings on a book of one section, with `old` replaced by `new` in its text or its variants."""
    def run(old="", new="", stock=False):
        assert not old or old in SOURCE + VARIANTS
        for folder, text in (("solutions", SOURCE), ("tests/variants", VARIANTS)):
            path = tmp_path / folder / "ch09_words/9_9_words.py"
            path.parent.mkdir(parents=True)
            path.write_text(text.replace(old, new) if old else text)
        shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
        section = read(tmp_path / "solutions/ch09_words/9_9_words.py")
        return gates.check_stock(tmp_path, section) if stock else gates.check_section(tmp_path, section, engine)
    return run


def test_a_sound_exercise_passes(find):
    assert find() == []


@pytest.mark.parametrize("old, new, gate, words", [
    ("return x + x", "return x + 3", 1, "the reference gets 0 of 2: failed: a negative number"),
    ("    ### BEGIN SOLUTION\n    return x + x\n",
     "    if True:\n        return x + x\n    ### BEGIN SOLUTION\n    pass\n", 2,
     "the untouched notebook gets 2 of 2"),
    ("    return x * x", "    return x + x", 3, "wrong answer of 9.9.1 (the square), line "),
    ('says="a negative number"', 'says="a large number"', 3,
     "of the variants, should hear 'a large number', but hears: failed"),
    ("    return 2 * x", "    return 3 * x", 4, "right answer of 9.9.1 (a product), line "),
    ('# %% wrong="9.9.1" why="returns nothing" says="got None"\n', "", 3, "2 wrong variants; write at least 3"),
    ('# %% right="9.9.1" how="a sum"\n', "", 4, "1 other right answers; write at least 2"),
    ("    ### END SOLUTION", "    ### END SOLUTION\nclass Third:\n    y = twice(2) + 1", 2, "the starter raises TypeError"),
])
def test_a_planted_fault_is_found(find, old, new, gate, words):
    findings = find(old, new)
    assert [f for f in findings if f.gate == gate and f.number == "9.9.1" and words in f.what], show(findings)


ASKED = 'assert_equal(twice(3), 6, "twice 3")'
NESTED = """import operator as op

def outer(y, z):
    def right(x, times=2):
        return op.mul(x, times)
    return right(y)

"""


@pytest.mark.parametrize("stood", [0.0, 1000.0])
def test_a_reference_that_takes_too_long_is_found_but_a_busy_machine_is_no_fault_of_it(find, monkeypatch, stood):
    """`stood`: seconds in line for a processor between two looks."""
    looks = itertools.count()
    monkeypatch.setattr(gates, "SECONDS", 1)
    monkeypatch.setattr(gates, "waited", lambda schedstat: stood * next(looks))
    found = [finding.what for finding in find(ASKED, "import time\ntime.sleep(1.5)\n" + ASKED) if finding.gate == 1]
    assert [what.partition(" takes")[0] for what in found] == ([] if stood else ["the reference"])


@pytest.mark.parametrize("shown, named", [
    ("def right(x):\n    return x * 2\n\n", "`right`"),
    ("right = lambda number: 2 * number\n", "`lambda number: 2 * number`"),
    (NESTED, "`right`"),
], ids=["a function", "a lambda", "a function in a function"])
def test_a_visible_test_that_is_an_answer_is_found(find, shown, named):
    (finding,) = find(ASKED, shown + ASKED)
    assert (finding.gate, finding.number) == (5, "9.9.1") and "gets full marks as an answer" in finding.what
    where = int(finding.what.partition("(line ")[2].partition(")")[0])
    line = SOURCE.replace(ASKED, shown + ASKED).split("\n")[where - 1]
    assert finding.what.startswith(named) and ("def right" in line or "lambda" in line)


@pytest.mark.parametrize("shown", [
    "def halved(x):\n    return x / 2",                                    # no answer
    "def right(x):\n    return twice(x)",                                  # asks the answer
    "def right(x, y):\n    return 2 * x",                                  # does not fit
    "class Twice:\n    def __call__(self, x):\n        return 2 * x",      # a method stands in a class
    "class Lost(object()):\n    pass\n\ndef right(x):\n    return Lost",  # the cell stops; the reference is not kept
], ids=["another thing", "the answer asked", "more arguments", "a method", "a cell that stops"])
def test_a_visible_test_that_is_no_answer_passes(find, shown):
    found = find(ASKED, "if False:\n" + textwrap.indent(shown, "    ") + "\n" + ASKED)
    assert not found, show(found)


def test_a_visible_test_of_another_exercise_counts_where_its_parameters_are_the_same(tmp_path):
    second = SOURCE[SOURCE.index("# %% [markdown] task"):].replace("9.9.1", "9.9.2").replace("twice", "half")
    path = tmp_path / "solutions/ch09_words/9_9_words.py"
    path.parent.mkdir(parents=True)
    shown = "def same(x):\n    return x + x\n\nother = lambda y: y + y\n"
    other = second.replace("assert_equal(half(3)", shown + "assert_equal(half(3)")
    path.write_text(SOURCE + "\n" + other)
    (found,) = giveaways(read(path, lint=False), ["9.9.1"])
    assert (found.number, found.what, found.where) == ("9.9.1", "`same`", "9.9.2")


def test_a_visible_test_may_be_an_answer_by_way_of_another_exercise(tmp_path):
    """What calls another exercise's answer can be copied, too; what calls the answer asked for cannot."""
    second = SOURCE[SOURCE.index("# %% [markdown] task"):].replace("9.9.1", "9.9.2").replace("twice", "double")
    path = tmp_path / "solutions/ch09_words/9_9_words.py"
    path.parent.mkdir(parents=True)
    shown = "def by_twice(x):\n    return twice(x)\n\ndef by_itself(x):\n    return double(x)\n\n"
    path.write_text(SOURCE + "\n" + second.replace("assert_equal(double(3)", shown + "assert_equal(double(3)"))
    assert [found.what for found in giveaways(read(path, lint=False), ["9.9.1", "9.9.2"])] == ["`by_twice`"]


def test_a_class_of_a_visible_test_takes_the_place_of_the_one_that_is_asked_for(tmp_path):
    text = SOURCE.replace("def twice(x):\n    ### BEGIN SOLUTION\n    return x + x\n    ### END",
                          "class Twice:\n    ### BEGIN SOLUTION\n    size = 2\n    ### END")
    path = tmp_path / "solutions/ch09_words/9_9_words.py"
    path.parent.mkdir(parents=True)
    path.write_text(text.replace(ASKED, 'class Own:\n    size = 2\n\nassert_equal(Twice.size, 2, "the size")'))
    (found,) = giveaways(read(path, lint=False), ["9.9.1"])
    assert found.what == "`Own`" and found.source.endswith("Twice = Own") and "del Twice" in found.source


def test_parts_that_are_worth_less_than_the_check_are_named():
    (finding,) = gates.judge_round("reference", {}, {"9.9.1": (2.0, 3.0, "partly: ")}, {"9.9.1"})
    assert "all its parts pass, and they are worth 2" in finding.what


def test_a_setup_cell_that_fails_is_named_with_its_line(find):
    with pytest.raises(SetupError, match=r"setup cell 1 fails at its line 2, `x = 1 / 0`: ZeroDivisionError"):
        find("from d2l_utils.check import *", "from d2l_utils.check import *\nx = 1 / 0")


def test_an_answer_left_in_the_edition_is_found(find, tmp_path, monkeypatch):
    """Were nbgrader to strip nothing, gate 5 would name the exercise and the line."""
    monkeypatch.setattr(gates, "student_notebook", lambda root, notebook, *, tests: copy.deepcopy(notebook))
    told = [str(finding) for finding in find() if finding.gate == 5]
    assert any(text.startswith("9.9.1") and "twice(-1234567)" in text for text in told), told
    assert any(grade_id("check", "9.9.1") in text and "not stripped" in text for text in told), told


def test_one_exercise_keeps_the_answers_that_it_uses(tmp_path, engine):
    """`course check 9.9.2`: an answer that is built on another one finds it, by its tag `uses`."""
    second = SOURCE[SOURCE.index("# %% [markdown] task"):].replace("9.9.1", "9.9.2").replace("twice", "four_times")
    second = second.replace("return x + x", "return twice(twice(x))").replace("6,", "12,").replace("-2469134", "-4938268")
    path = tmp_path / "solutions/ch09_words/9_9_words.py"
    path.parent.mkdir(parents=True)
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    for tag, points in (('exercise="9.9.2"', 0), ('exercise="9.9.2" uses="9.9.1"', 2)):
        path.write_text(SOURCE + "\n" + second.replace('exercise="9.9.2"', tag))
        name, _, notebook = next(iter(gates.submissions(tmp_path, read(path), {"9.9.2"})))
        (verdict,) = engine.grade(notebook, skip_unanswered=False).verdicts
        assert (name, verdict.number, verdict.points) == ("reference", "9.9.2", points), verdict.message


def test_an_answer_may_use_what_a_demonstration_imports_and_defines(tmp_path, engine):
    """In the notebook it does, and stock nbgrader runs demonstrations; our grading runs their imports and definitions alone."""
    demo = """# %% tags=["demo"]
import operator as op
table = [1, 2]
def of_the_table(x=table):
    return x
class Adding:
    def both(self, x, y):
        return op.add(x, y)
raise SystemExit("grading shows nothing")

# %% [markdown] task="""
    path = tmp_path / "solutions/ch09_words/9_9_words.py"
    path.parent.mkdir(parents=True)
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    path.write_text(SOURCE.replace("return x + x", "return Adding().both(x, x)").replace("# %% [markdown] task=", demo))
    _, _, notebook = next(iter(gates.submissions(tmp_path, read(path, lint=False))))
    assert "demo" in [role(cell) for cell in notebook.cells]
    (verdict,) = engine.grade(notebook, skip_unanswered=False).verdicts
    assert verdict.points == 2, verdict.message


def test_a_function_of_the_visible_part_keeps_hidden_values(tmp_path, engine):
    """The line of the test decides whether a message may hold the expected value, not the line of the function."""
    text = SOURCE.replace('assert_equal(twice(3), 6, "twice 3")', """def look(x, right):
    assert_equal(twice(x), right, f"twice {x}")

look(3, 6)""").replace('assert_equal(twice(-1234567), -2469134, "a negative number")', "look(-1234567, -2469134)")
    path = tmp_path / "solutions/ch09_words/9_9_words.py"
    path.parent.mkdir(parents=True)
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    for answer, shown in (("return 6", "another value was expected"), ("return 7", "expected an integer, 6")):
        path.write_text(text.replace("return x + x", answer))
        _, _, notebook = next(iter(gates.submissions(tmp_path, read(path))))
        (verdict,) = engine.grade(notebook, skip_unanswered=False).verdicts
        assert shown in verdict.message and "2469134" not in verdict.message, verdict.message


@pytest.mark.slow
def test_stock_that_differs_is_found(find):
    """A right answer that starts an event loop, which a kernel has already: full marks here, none from stock nbgrader,
    unless it is marked."""
    looped = "    import asyncio\n    async def later():\n        return 2 * x\n    return asyncio.run(later())"
    findings = find("    return 2 * x", looped, stock=True)
    assert [f.gate for f in findings] == [7] and "a product" in findings[0].what, show(findings)
