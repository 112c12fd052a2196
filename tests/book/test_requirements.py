"""Gates 8 and 9, the names of requirements, rule 4, and copies of references: each planted fault is found."""
import shutil
from pathlib import Path

import pytest
from rich.console import Console

from course.book import gates, summary
from course.book.copies import copies, known
from course.book.expected import borrowed
from course.book.requirements import expected_from_answers
from course.book.section import SourceError
from course.book.source import read
from course.book.variants import variants
from course.engine.notebook import Engine
from course.engine.warm import warm_parent

ROOT = Path(__file__).resolve().parents[2]

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
# **You are done when**
# - **value**: 3 gives 6, and so on;
# - **kind, kept**: an integer gives an integer.

# %% exercise="9.9.1"
def twice(x):
    ### BEGIN SOLUTION
    return x + x
    ### END SOLUTION

# %% [markdown] hints="9.9.1"
# 1. What is 1 and 1?

# %% check="9.9.1" points=2
assert_equal(twice(3), 6, "twice 3", of="value")
assert_type(twice(3), int, "kind, kept")
### BEGIN HIDDEN TESTS
assert_equal(twice(-1234567), -2469134, "a negative number", of="value")
with part(2, "kind, kept"):
    assert_type(twice(8), int, "twice 8")
### END HIDDEN TESTS
'''

VARIANTS = '''\
# a comment above

# %% right="9.9.1" how="a product"
def twice(x):
    return 2 * x

# %% right="9.9.1" how="a sum"
def twice(x):
    return sum([x, x])

# %% wrong="9.9.1" why="the square" breaks="value" says="twice 3: values differ"
def twice(x):
    return x * x

# %% wrong="9.9.1" why="the square, by a power" breaks="value" says="twice 3: values differ"
def twice(x):
    return x ** 2

# %% wrong="9.9.1" why="a float" breaks="kind, kept" says="kind, kept: wrong type"
def twice(x):
    return 2.0 * x
'''

SECOND = SOURCE[SOURCE.index("# %% [markdown] task"):].replace("9.9.1", "9.9.2").replace("twice", "two_times")


@pytest.fixture(scope="module")
def engine():
    with warm_parent(sandbox=False) as zygote:
        yield Engine(zygote)


@pytest.fixture
def book(tmp_path):
    """Writes a book of one section, with `old` replaced by `new` in its text or its variants; the path of its text."""
    def write(old="", new="", source=SOURCE):
        assert not old or old in source + VARIANTS
        for folder, text in (("solutions", source), ("tests/variants", VARIANTS)):
            path = tmp_path / folder / "ch09_words/9_9_words.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace(old, new) if old else text)
        shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
        return tmp_path / "solutions/ch09_words/9_9_words.py"
    return write


@pytest.fixture
def find(book, engine, tmp_path):
    return lambda *args, **kwargs: gates.examine(tmp_path, read(book(*args, **kwargs)), engine)


def test_a_sound_exercise(find):
    findings, facts = find()
    assert not findings
    fact = facts["9.9.1"]
    assert fact.counts("value") == (1, 1) and fact.counts("kind, kept") == (1, 1) and fact.visibly == 1
    assert [variant.name for variant in fact.breaking("kind, kept")] == ["a float"] and not fact.shared()
    console = Console(record=True, width=80)
    summary.exercise(console, fact)
    text = console.export_text()
    assert "9.9.1: 2 requirements" in text and "the square; the square, by a power" in text
    assert "catches 3 of 3 wrong variants" in text and "visibly    a float · breaks kind, kept" in text


def test_a_known_mistake_that_no_assertion_can_name(find):
    """Its value is the expected one, or another's, on every input; where one input parts them, it can be named."""
    old = 'assert_equal(twice(3), 6, "twice 3", of="value")\n'
    two = ('assert_equal(twice(2), 4, "twice 2", of="value", mistakes={"A square.": 4, "A cube.": 8, '
           '"x to itself, times 2.": 8})\n'
           'assert_close(twice(2), 4, "two", of="value", mistakes={"Half.": 1, "The same.": 1})\n')
    _, facts = find(old, old + two)
    assert facts["9.9.1"].never_said() == {"A square.": "the expected value", "A cube.": "x to itself, times 2.",
                                           "x to itself, times 2.": "A cube.", "Half.": "The same.", "The same.": "Half."}
    console = Console(record=True, width=80)
    summary.exercise(console, facts["9.9.1"])
    assert "never said, since its value is that of 'the expected value' wherever it stands: 'A square.'" in console.export_text()
    three = two + 'assert_equal(twice(3), 6, "three", of="value", mistakes={"A square.": 9, "A cube.": 27})\n'
    _, facts = find(old, old + three)
    assert set(facts["9.9.1"].never_said()) == {"x to itself, times 2.", "Half.", "The same."}


@pytest.mark.parametrize("old, new, gate, words", [
    ('assert_type(twice(3), int, "kind, kept")\n', "", 8, "no assertion of the visible part reads the requirement 'kind, kept'"),
    ('with part(2, "kind, kept")', 'with part(2, "x", of="value")', 8,
     "no assertion of the hidden part reads the requirement 'kind, kept'"),
    ('breaks="kind, kept" ', 'breaks="value" ', 8, "no wrong variant breaks the requirement 'kind, kept'"),
    ('breaks="kind, kept" ', "", 8, "9_9_words.py:19: wrong answer of 9.9.1 (a float) breaks no requirement"),
    ("    return 2.0 * x", "    return 2.0 * x + 1", 8, "no wrong variant that breaks the requirement 'kind, kept' fails an "
     "assertion of it: a float (line 19) fails value."),
    ('"twice 3", of="value")\n', '"twice 3", of="value")\nassert_true(True, "something else")\n', 8,
     "9_9_words.py:27: the assertion 'something else' reads no requirement"),
    ('assert_equal(twice(3), 6, "twice 3", of="value")', 'assert_equal(twice(2), 4, "twice 2", of="value")', 9,
     "catches 1 of 3 wrong variants, not: the square; the square, by a power."),
    ('check="9.9.1" points=2', 'check="9.9.1" points=2 hidden_only="no reason"', 9, 'take hidden_only="..." away'),
])
def test_a_gap_is_found(find, old, new, gate, words):
    findings, _ = find(old, new)
    assert [f for f in findings if f.gate == gate and words in f.what], "\n".join(map(str, findings))


def test_a_reason_stands_for_what_the_visible_part_leaves(find):
    text = SOURCE.replace('check="9.9.1" points=2', 'check="9.9.1" points=2 hidden_only="2 and 2"').replace(
        'assert_equal(twice(3), 6, "twice 3"', 'assert_equal(twice(2), 4, "twice 2"')
    findings, facts = find(source=text)
    assert not [f for f in findings if f.gate == 9] and facts["9.9.1"].hidden_only == "2 and 2"


def old_form(text):
    return text.replace("# - **value**:", "# - value:").replace("# - **kind, kept**:", "# - kind:").replace(', of="value"', "")


def test_old_form(book, engine, tmp_path):
    path = book()
    path.write_text(old_form(SOURCE))
    wrong = tmp_path / "tests/variants/ch09_words/9_9_words.py"
    wrong.write_text(VARIANTS.replace(' breaks="value"', "").replace(' breaks="kind, kept"', ""))
    section = read(path)
    findings, facts = gates.examine(tmp_path, section, engine)
    assert not findings and not section.new_form
    console = Console(record=True, width=80)
    summary.table(console, [(section, facts, 0)])
    text = console.export_text()
    assert "old form" in text and "100 %" in text and max(map(len, text.split("\n"))) <= 80


def test_in_a_section_of_the_new_form_every_check_has_them(book, engine, tmp_path):
    findings, _ = gates.examine(tmp_path, read(book(source=SOURCE + "\n" + old_form(SECOND))), engine, {"9.9.2"})
    assert [f for f in findings if f.gate == 8 and f.number == "9.9.2" and "names no requirement" in f.what], findings


# each: what is replaced, by what, words of the finding's line, of the finding, of the mend
MISTAKES = {
    "of a name that is not there": ('"a negative number", of="value"', '"a negative number", of="values"',
        '"a negative number"', "an assertion of check 9.9.1 reads 'values'", "value, kind, kept"),
    "a part of such a name": ('with part(2, "kind, kept")', 'with part(2, "kind, kept", of="kind")', "with part(2",
        "reads 'kind', which its task does not require", "value, kind, kept"),
    "a requirement without a name": ("# - **value**:", "# - value:", "# - value:", "has a requirement without a name",
        "`- **name**:"),
    "a name without a colon": ("# - **value**: 3", "# - **value** 3", "# - **value** 3", "has a requirement without a name",
        "`- **name**:"),
    "two of one name": ("# - **kind, kept**:", "# - **value**:", "# - **value**: an", "has two requirements 'value'",
        "of its own"),
    "an expected value of the answer's": ("-2469134", "2 * twice(-1234567)", "twice(-1234567)",
        "check 9.9.1 expects what the answer's `twice` gives.", "from an oracle"),
}


@pytest.mark.parametrize("old, new, line, words, mend", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_has_its_line(book, old, new, line, words, mend):
    path = book(old, new)
    with pytest.raises(SourceError) as error:
        read(path)
    lines = path.read_text().split("\n")
    found = [p for p in error.value.problems if words in p.what and mend in p.mend]
    assert found and line in lines[found[0].line - 1], error.value


@pytest.mark.parametrize("old, new, line, words", [
    ('by a power" breaks="value"', 'by a power" breaks="values"', 15, "breaks 'values', which its task does not require"),
    ('breaks="kind, kept"', 'break="kind, kept"', 19, "unknown tag 'break'"),
    ('right="9.9.1" how="a sum"', 'right="9.9.7" how="a sum"', 7, "a variant of 9.9.7, which is no code exercise"),
])
def test_a_mistake_in_the_variants_has_its_line(book, tmp_path, old, new, line, words):
    section = read(book(old, new), lint=False)
    with pytest.raises(SourceError) as error:
        variants(tmp_path, section)
    assert [p.line for p in error.value.problems if words in p.what] == [line], error.value


# --- rule 4 -------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("check, lines", [
    ("assert_close(f(x), oracle(x), 'x')", []),
    ("assert_close(f(x), f(-x), 'x')", [1]),
    ("y = f(x)\nz = y + 1\nassert_close(g(x), expected=z)", [3]),
    ("@probe\ndef seen(x):\n    return f(x)\na, b = seen(x), oracle(x)\nassert_close(a, b)\nassert_close(b, a)", [6]),
    ("def look(x, right):\n    assert_close(f(x), right)\nlook(x, oracle(x))", []),
    ("def look(x, right):\n    assert_close(f(x), right)\nlook(x, right=f(x))", [2]),
    ("for name, mine, right in zip(names, f(x), oracle(x)):\n    assert_close(mine, right)", []),
    ("for mine, right in zip(oracle(x), f(x)):\n    assert_close(mine, right)", [2]),
    ("mine, wanted = (sorted(run) for run in (f(x), oracle(x)))\nassert_equal(mine, wanted)\nassert_equal(wanted, mine)", [3]),
    ("wanted = []\nfor i in range(3):\n    wanted.append(f(i))\nassert_equal(rows, wanted)", [4]),
    ("assert_equal(sizes, [3] * len(f(x)))\nassert_shape(y, f(x).shape)\nassert_close(rows, table[f(x)])", []),
    ("wanted = {k: v for k, v in f(x).items()}\nassert_equal(table, wanted)", [2]),
    ("def oracle_of(x):\n    return f(x)\nassert_equal(x, oracle_of(x))", [3]),
    ("assert_true(f(x) == f(x), 'x')\nassert_raises(ValueError, f, x)", []),
])
def test_where_expected_values_come_from(check, lines):
    assert [line for line, _ in borrowed(check, {"f", "g"})] == lines


def test_a_section_of_the_old_form_may_expect_them_still(book):
    path = book()
    path.write_text(old_form(SOURCE).replace("-2469134", "2 * twice(-1234567)"))
    section = read(path)
    (line, what), = expected_from_answers(section)
    assert "twice(-1234567)" in path.read_text().split("\n")[line - 1] and "`twice` gives" in what


# --- copies of references -----------------------------------------------------------------------------------------

LONG = '''\
def walk(loss):
    """Counts nodes."""
    ### BEGIN SOLUTION
    seen, todo = set(), [loss]
    while todo:
        node = todo.pop()
        if node is not None and node not in seen:
            seen.add(node)
            todo += [parent for parent, _ in node.parents]
    return len(seen)
    ### END SOLUTION
'''
SHOWN = {
    "a demonstration": '# %% tags=["demo"]\nfound, left = set(), [tree]\nwhile left:\n    one = left.pop()\n'
        "    if one is not None and one not in found:   # a node\n        found.add(one)\n"
        "        left += [up for up, _ in one.parents]\nlen(found)\n",
    "a setup cell": '# %% tags=["setup"]\n' + LONG.replace("walk(loss)", "other(x: int) -> int").replace(
        "loss", "x").replace("seen", "known").replace("    ### BEGIN SOLUTION\n", "").replace(
        "    ### END SOLUTION\n", "").replace("Counts nodes", "Else"),
    "a hint": '# %% [markdown]\n# Like this:\n# ```python\n' + "".join(
        f"# {line[4:]}\n" for line in LONG.split("\n")[3:9]) + "# size = len(seen)\n# ```\n",
}


@pytest.mark.parametrize("where", SHOWN)
def test_a_copy_under_other_names_is_found(book, tmp_path, where):
    source = SOURCE.replace(SOURCE[SOURCE.index("def twice"):SOURCE.index("# %% [markdown] hints")], LONG + "\n")
    section = read(book(source=source), lint=False)
    assert not copies(tmp_path, section, ["9.9.1"])
    other = tmp_path / "solutions/ch09_words/9_8_other.py"
    other.write_text("# %% [markdown]\n# # 9.8 Other\n\n" + SHOWN[where])
    (copy,) = copies(tmp_path, section, ["9.9.1"])
    assert copy.number == "9.9.1" and copy.where == "9.8"
    assert other.read_text().split("\n")[copy.line - 1].strip("# ").startswith(("found", "known", "seen"))
    assert copy.cell == where.replace("a hint", "prose")
    other.write_text(other.read_text().replace(".pop()", ".pop(0)"))
    assert not copies(tmp_path, section, ["9.9.1"])


def test_short_answers_are_no_copies(book, tmp_path):
    """`return x + x` stands everywhere."""
    section = read(book())
    (tmp_path / "solutions/ch09_words/9_8_other.py").write_text(
        "# %% [markdown]\n# # 9.8 Other\n\n# %%\ndef plus(x):\n    return x + x\n")
    assert not copies(tmp_path, section, ["9.9.1"])


def test_known_copies_are_listed(find, book, tmp_path):
    source = SOURCE.replace("def twice(x):", LONG + "def twice(x):").replace("    ### BEGIN SOLUTION\n", "").replace(
        "    ### END SOLUTION\n", "").replace("def walk", "### BEGIN SOLUTION\ndef walk").replace(
        "return x + x\n", "return x + x\n### END SOLUTION\n")
    source += "\n" + SHOWN["a demonstration"]
    assert [f for f in find(source=source)[0] if f.gate == 5 and "`walk` of 9.9.1 stands in 9.9" in f.what]
    (tmp_path / "tests/known_copies.toml").write_text('[[copy]]\nnumber = "9.9.1"\nwhere = "9.9"\nreason = "to be mended"\n')
    assert known(tmp_path) == {("9.9.1", "9.9"): "to be mended"}
    assert not [f for f in find(source=source)[0] if f.gate == 5]
    console = Console(record=True, width=120)
    summary.open_points(console, tmp_path, [read(book(source=source), lint=False)])
    assert "known copy: `walk` of 9.9.1 stands in 9.9, line 44: a demonstration. (to be mended)" in console.export_text()


def test_the_books_own_list_holds_no_copy_that_is_gone():
    sections = [read(path, lint=False) for path in sorted(ROOT.glob("solutions/*/*.py"))]
    found = {(copy.number, copy.where) for section in sections for copy in copies(ROOT, section, section.exercises)}
    assert set(known(ROOT)) <= found
