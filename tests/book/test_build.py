"""course build: the same bytes from the same text, mistakes named with line and mend, nothing of anybody's lost."""
import shutil
from pathlib import Path

import nbformat
import pytest
from typer.testing import CliRunner

from course import cli
from course.book.build import WorkInTheWay, build
from course.book.section import SourceError
from course.book.source import read

ROOT = Path(__file__).resolve().parents[2]
CHAPTER, NAME = "ch09_words", "9_9_words"

SECTION = '''\
# %% [markdown]
# # 9.9 Words

# %% tags=["setup"]
from d2l_utils.check import *
import torch

# %%
scratch = torch.arange(3)

# %% [markdown] task="9.9.1" kind="code" minutes=3 difficulty=1
# ### Twice
#
# Write `twice(x)`.
#
# **You are done when** 3 gives 6.

# %% exercise="9.9.1"
def twice(x):
    """x and x."""
    ### BEGIN SOLUTION
    return x + x
    ### END SOLUTION

# %% [markdown] hints="9.9.1"
# 1. What is 1 and 1?
# 2. Three times 2 is 2 + 2 + 2.

# %% check="9.9.1" points=2
assert_equal(twice(3), 6, "twice 3")
### BEGIN HIDDEN TESTS
@probe
def twice_of(x):
    return twice(x)

secret_input = torch.tensor([1., -5.])
assert_close(twice_of(secret_input), torch.tensor([2., -10.]), "a tensor")
### END HIDDEN TESTS

# %% [markdown] task="9.9.2" kind="explain" minutes=3 difficulty=1
# ### Why
#
# Say why.
#
# **You are done when** your words stand there.

# %% [markdown] hints="9.9.2"
# 1. Who asks?

# %% [markdown] written="9.9.2" points=3
# ### BEGIN SOLUTION
# The secret reason.
#
# **Rubric**
# - [1] one
# - [1] two
# - [1] three
# ### END SOLUTION
'''


@pytest.fixture
def book(tmp_path):
    """A book of one section, in a folder of its own."""
    return make_book(tmp_path)


def make_book(root, text=SECTION):
    shutil.copy(ROOT / "nbgrader_config.py", root)
    write(root, text)
    return root


def write(root, text, name=NAME):
    path = root / "solutions" / CHAPTER / f"{name}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def student(root, name=NAME):
    return root / "notebooks" / CHAPTER / f"{name}.ipynb"


def answer(path):
    """Writes an answer into the first answer cell of a student notebook."""
    notebook = nbformat.read(path, 4)
    cell = next(c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("solution"))
    cell.source = cell.source.replace("...", "return 2 * x")
    nbformat.write(notebook, path)


def test_same_text_same_bytes(book, tmp_path_factory):
    assert build(book, gradebook=False) == [student(book)]
    first = student(book).read_bytes()
    assert build(book, gradebook=False) == []
    other = make_book(tmp_path_factory.mktemp("elsewhere"))
    build(other, gradebook=False)
    assert student(other).read_bytes() == first


def test_other_settings_make_another_edition(book):
    build(book, gradebook=False)
    settings = book / "nbgrader_config.py"
    settings.write_text(settings.read_text().replace("write it here", "put it here"))
    assert build(book, gradebook=False) == [student(book)]
    assert "*Answer 9.9.2: put it here, in place of this line.*" in student(book).read_text()
    assert build(book, gradebook=False) == []


def test_student_edition(book):
    """Answers and hidden tests are gone; ids come from the numbers, and survive a new order."""
    build(book, gradebook=False)
    text = student(book).read_text()
    assert "x + x" not in text and "secret" not in text and "HIDDEN" not in text and "SOLUTION" not in text
    notebook = nbformat.read(student(book), 4)
    cells = {cell.id: cell for cell in notebook.cells}
    assert "# YOUR CODE HERE\n    ..." in cells["answer-9-9-1"].source
    assert cells["task-9-9-1"].source.startswith(
        "### Exercise 9.9.1 · Twice\n\n*code · 2 points · 3 minutes · difficulty 1 of 5*")
    assert cells["hints-9-9-1"].source.count("<details>") == 2
    assert cells["check-9-9-1"].metadata.nbgrader.points == 2
    assert not cells["answer-9-9-1"].metadata.get("nbgrader").locked and cells["check-9-9-1"].metadata.nbgrader.locked
    first, second = SECTION.index('# %% [markdown] task="9.9.1"'), SECTION.index('# %% [markdown] task="9.9.2"')
    write(book, SECTION[:first] + SECTION[second:] + "\n" + SECTION[first:second])
    build(book, gradebook=False)
    moved = nbformat.read(student(book), 4)
    assert {cell.id for cell in moved.cells} == set(cells)
    assert [cell.id for cell in moved.cells] != list(cells)


# each: what is replaced, by what, words of the line on which the finding stands (the second such line: 1), of the
# finding, and of the mend
MISTAKES = {
    "no hint": ('# %% [markdown] hints="9.9.1"\n# 1. What is 1 and 1?\n# 2. Three times 2 is 2 + 2 + 2.\n', "",
                'task="9.9.1"', "exercise 9.9.1 has no hint", 'hints="9.9.1"'),
    "hints that are no list": ("# 1. Who asks?", "# Who asks?", 'task="9.9.2"', "exercise 9.9.2 has no hint",
        "one to three"),
    "four hints": ("# 1. Who asks?", "# 1. a\n# 2. b\n# 3. c\n# 4. d", 'hints="9.9.2"', "has 4 hints",
        "one to three"),
    "check without its exercise": ('check="9.9.1"', 'check="9.9.3"', 'check="9.9.3"',
        "exercise 9.9.3 has no task", "task="),
    "check without an answer": ('# %% exercise="9.9.1"\ndef twice', "# %%\ndef other", 'task="9.9.1"',
                                "has a check and no exercise", '# %% exercise="9.9.1"'),
    "answer without a check": ('check="9.9.1" points=2', "", 'task="9.9.1"', "an answer cell and no check",
        'check="9.9.1"'),
    "a number used twice": ('task="9.9.2" kind="explain"', 'task="9.9.1" kind="code"',
        ('task="9.9.1" kind="code"', 1),
                            "task 9.9.1 stands twice", "another number"),
    "a number of another section": ('task="9.9.2"', 'task="9.8.2"', 'task="9.8.2"', "in section 9.9",
        "begin with 9.9"),
    "no number": ('check="9.9.1"', 'check="first"', 'check="first"', "no exercise number", '"2.3.6"'),
    "solution not closed": ("    ### END SOLUTION\n\n# %% [markdown] hints", "\n# %% [markdown] hints",
                            "    ### BEGIN SOLUTION", "a solution region is not closed", "### END SOLUTION"),
    "solution never opened": ("    ### BEGIN SOLUTION\n", "", "    ### END SOLUTION",
        "without `### BEGIN SOLUTION`", "Put"),
    "solution opened twice": ("    return x + x\n", "    ### BEGIN SOLUTION\n    return x + x\n",
        ("    ### BEGIN SOLUTION", 1),
                              "inside an open solution region", "Close the first"),
    "hidden tests not closed": ("### END HIDDEN TESTS\n", "", "### BEGIN HIDDEN TESTS",
        "hidden region is not closed",
                                "### END HIDDEN TESTS"),
    "hidden test outside a check": ("scratch = torch.arange(3)", "### BEGIN HIDDEN TESTS\n### END HIDDEN TESTS",
                                    "### BEGIN HIDDEN TESTS", "hidden tests outside a check", "check="),
    "solution outside an answer": ("scratch = torch.arange(3)", "### BEGIN SOLUTION\n### END SOLUTION",
                                   "### BEGIN SOLUTION", "a solution outside an answer", "exercise="),
    "no reference answer": ("    return x + x\n", "", 'exercise="9.9.1"', "no reference answer", "BEGIN SOLUTION"),
    "an answer that is no Python": ("return x + x", "return x +", "    return x +",
        "exercise 9.9.1 is not plain Python",
                                    "Mend"),
    "a setup that is no Python": ("import torch\n", "import torch as\n", "import torch as",
        "setup cell is not plain Python",
                                  "Mend"),
    "no hidden tests": (SECTION[SECTION.index("### BEGIN HIDDEN"):SECTION.index('\n# %% [markdown] task="9.9.2"')], "",
                        'check="9.9.1"', "has no hidden tests", "BEGIN HIDDEN"),
    "nothing visible": ('assert_equal(twice(3), 6, "twice 3")\n', "", 'check="9.9.1"',
        "shows the student nothing", "true"),
    "a check that is no Python": ('assert_equal(twice(3), 6, "twice 3")', "assert twice(3) = 6",
        "assert twice(3) = 6",
                                  "not plain Python", "Magics"),
    "no points": ("points=2", "", 'check="9.9.1"', "check 9.9.1 has no points", "points=1"),
    "points in words": ("points=2", 'points="two"', 'check="9.9.1"', "points='two' is no number", "points=1"),
    "minutes in words": ("minutes=3 difficulty=1\n# ### Twice", 'minutes="3" difficulty=1\n# ### Twice',
        'task="9.9.1"',
                         "minutes='3' is no number", "minutes=1"),
    "no minutes": ("minutes=3 difficulty=1\n# ### Twice", "difficulty=1\n# ### Twice", 'task="9.9.1"',
        "no minutes", "minutes=5"),
    "no difficulty": ("difficulty=1\n# ### Twice", "\n# ### Twice", 'task="9.9.1"', "no difficulty", "1 to 5"),
    "an unknown kind": ('kind="code"', 'kind="fun"', 'task="9.9.1"', "of kind 'fun'", "answer"),
    "an unknown tag": ("points=2", "point=2", 'check="9.9.1"', "unknown tag 'point'", "points"),
    "a misspelt role": ('check="9.9.1" points=2', 'chek="9.9.1" points=2', 'chek="9.9.1"', "unknown tag 'chek'",
        "check"),
    "an unknown cell tag": ('tags=["setup"]', 'tags=["set-up"]', 'tags=["set-up"]', "unknown cell tag 'set-up'",
        "demo"),
    "a task in code": ('# %% [markdown] task="9.9.1"', '# %% task="9.9.1"', 'task="9.9.1"',
        "task 9.9.1 is a code cell",
                       "[markdown]"),
    "two roles": ('check="9.9.1"', 'check="9.9.1" exercise="9.9.1"', 'check="9.9.1"', "tagged", "a cell of each"),
    "text before the first cell": ("# %% [markdown]\n# # 9.9", "import os\n\n# %% [markdown]\n# # 9.9",
        "# %% [markdown]",
                                   "lines `# %%`", "nothing above"),
    "no heading": ("# ### Twice", "# Twice", "# Twice", "no heading", "`### `"),
    "no success": ("# **You are done when** 3 gives 6.", "#", 'task="9.9.1"', "how the student can tell",
        "You are done when"),
    "no rubric": ("**Rubric**", "Rubric", 'written="9.9.2"', "a rubric of 3 items", "**Rubric**"),
    "a rubric that does not add up": ("- [1] three", "- [2] three", 'written="9.9.2"',
        "gives 4 points, the cell 3", "equal"),
    "a test that binds the answer": ("secret_input = torch", "twice = torch", 'check="9.9.1"', "binds `twice`",
        "another name"),
    "a test that uses worked code": ("torch.tensor([1., -5.])", "scratch", 'check="9.9.1"', "uses `scratch`",
        "setup"),
    "a name that the task hides": ("# Write `twice(x)`.", "# Double it.", 'task="9.9.1"',
        "tested through `twice`", "Say in the task"),
    "a probe that judges": ("    return twice(x)\n", "    return twice(x) == 2 * x\n",
        "    return twice(x) == 2 * x",
                            "returns a verdict", "compare them outside"),
    "a probe with a constant": ("    return twice(x)\n", "    return 2.0\n", "    return 2.0",
        "returns the constant 2.0",
                                "compare them outside"),
    "a probe that reads the test": ("    return twice(x)\n", "    return twice(secret_input)\n", "def twice_of(x):",
                                    "uses `secret_input` of the test", "as an argument"),
    "a star import": ("import torch\n", "import torch\nfrom math import *\n", "from math import *",
        "imports * from math", "names that are used"),
}


@pytest.mark.parametrize("old, new, place, what, mend", MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_stops_the_build(book, old, new, place, what, mend):
    """With file, line and mend; and nothing is built."""
    assert old in SECTION
    text = SECTION.replace(old, new, 1)
    path = write(book, text)
    with pytest.raises(SourceError) as raised:
        build(book, gradebook=False)
    found = [p for p in raised.value.problems if what in p.what]
    assert found, str(raised.value)
    words, nth = place if isinstance(place, tuple) else (place, 0)
    wanted = [i for i, line in enumerate(text.split("\n"), 1) if words in line][nth]
    assert (found[0].path, found[0].line) == (path, wanted)
    assert mend in found[0].mend
    assert str(found[0]).startswith(f"{path}:{wanted}: ")
    assert not student(book).exists()


def test_two_sections_of_one_number(book):
    other = write(book, SECTION, "9_9_more_words")
    with pytest.raises(SourceError, match="9.9 is the number of 9_9_more_words"):
        build(book, gradebook=False)
    assert other.exists() and not student(book).exists()


def test_a_title_may_cover_several_sections(book):
    """`# # 9.9-9.10 ...` is one notebook with the exercises of both; 9.11 is another section."""
    write(book, SECTION.replace("# # 9.9 ", "# # 9.9-9.10 ").replace('"9.9.2"', '"9.10.1"'))
    section = read(book / "solutions" / CHAPTER / f"{NAME}.py")
    assert section.numbers == ["9.9", "9.10"] and list(section.exercises) == ["9.9.1", "9.10.1"]
    write(book, SECTION.replace("# # 9.9 ", "# # 9.9-9.10 ").replace('"9.9.2"', '"9.11.1"'))
    with pytest.raises(SourceError, match="begin with 9.9 or 9.10"):
        read(book / "solutions" / CHAPTER / f"{NAME}.py")


def test_every_mistake_is_named_at_once(book):
    write(book, SECTION.replace("points=2", "").replace('kind="code"', 'kind="fun"'))
    with pytest.raises(SourceError) as raised:
        build(book, gradebook=False)
    assert len(raised.value.problems) == 2


def test_answers_are_not_replaced(book):
    build(book, gradebook=False)
    answer(student(book))
    kept = student(book).read_bytes()
    write(book, SECTION.replace("3 gives 6", "4 gives 8"))
    with pytest.raises(WorkInTheWay, match="answer-9-9-1") as raised:
        build(book, gradebook=False)
    assert f"work/{CHAPTER}/" in str(raised.value)
    assert student(book).read_bytes() == kept


def test_an_unreadable_notebook_is_not_replaced(book):
    build(book, gradebook=False)
    student(book).write_text("my notes")
    with pytest.raises(WorkInTheWay):
        build(book, gradebook=False)
    assert student(book).read_text() == "my notes"


def test_a_removed_section_goes_unless_it_holds_answers(book):
    for name in ("9_8_gone", "9_7_kept"):
        write(book, SECTION.replace("9.9", name[:3].replace("_", ".")), name)
    build(book, gradebook=False)
    answer(student(book, "9_7_kept"))
    for name in ("9_8_gone", "9_7_kept"):
        (book / "solutions" / CHAPTER / f"{name}.py").unlink()
    build(book, gradebook=False)
    assert [p.stem for p in sorted(student(book).parent.glob("*.ipynb"))] == ["9_7_kept", NAME]


@pytest.fixture
def command(book, monkeypatch):
    monkeypatch.setattr(cli, "ROOT", book)
    monkeypatch.setattr(cli.author, "ROOT", book)
    return lambda *words: CliRunner().invoke(cli.app, words)


def test_the_command_names_unknown_chapters(command):
    done = command("build", "ch99_nothing")
    assert done.exit_code == 2
    assert "No chapter 'ch99_nothing'" in done.output and CHAPTER in done.output


def test_the_command_counts_mistakes(command, book):
    path = write(book, SECTION.replace("points=2", ""))
    done = command("build")
    assert done.exit_code == 1
    assert f"{path}:29: check 9.9.1 has no points." in done.output and "1 mistake; nothing was built." in done.output


def test_the_command_names_unknown_exercises(command):
    done = command("check", "7.7.7")
    assert done.exit_code == 2 and "9.9" in done.output


def test_worked_code_leaves_the_checks_names_alone(tmp_path):
    """A loop variable called `part` would break every later check of the page."""
    source = SECTION.replace("scratch = torch.arange(3)\n", "for part in range(3):\n    pass\n")
    assert source != SECTION
    path = tmp_path / "solutions/ch09_words/9_9_words.py"
    path.parent.mkdir(parents=True)
    path.write_text(source)
    with pytest.raises(SourceError, match="worked code binds `part`, which the checks of this page use"):
        read(path)
