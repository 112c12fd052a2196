"""Concepts: a need that nothing before it teaches stops the build; tasks link to what they build on; the index."""
import json
import shutil
from pathlib import Path

import commands
import nbformat
import pytest

from course.book.build import build
from course.book.concepts import key, vocabulary
from course.book.section import SourceError

ROOT = Path(__file__).resolve().parents[2]

TASK = '''
# %% [markdown] task="{n}" kind="code" minutes=3 difficulty=1 core=true{needs}
# ### Twice
#
# Write `twice(x)`.
#
# **You are done when** 3 gives 6.

# %% exercise="{n}"
def twice(x):
    ### BEGIN SOLUTION
    return x + x
    ### END SOLUTION

# %% [markdown] hints="{n}"
# 1. What is 1 and 1?

# %% check="{n}" points=2
assert_equal(twice(3), 6, "twice 3")
### BEGIN HIDDEN TESTS
assert_equal(twice(-4), -8, "twice a negative number")
### END HIDDEN TESTS
'''
FIRST = '''\
# %% [markdown]
# # 7.1 First

# %% tags=["setup"]
from d2l_utils.check import *

# %% [markdown] teaches="doubling, retain_graph"
# ## Doubling
#
# A number and itself.

# %% teaches="doubling"
2 + 2
'''
SECOND = '''\
# %% [markdown]
# # 7.2 Second

# %% tags=["setup"]
from d2l_utils.check import *

# %% [markdown] teaches="chain rule"
# ## The chain rule
'''
OLD = '''\
# %% [markdown]
# # 7.3 Of the old form

# %% tags=["setup"]
from d2l_utils.check import *
'''


def make(root, *, needs_1="doubling", needs_2="doubling, chain rule", first=FIRST, second=SECOND, promises=""):
    """A book of three sections: 7.1 and 7.2 say what they teach and need, 7.3 does not."""
    shutil.copy(ROOT / "nbgrader_config.py", root)
    for chapter, name, text, number, needs in (("ch07_one", "7_1_first", first, "7.1.1", needs_1),
                                               ("ch08_two", "7_2_second", second, "7.2.1", needs_2),
                                               ("ch08_two", "7_3_old", OLD, "7.3.1", "")):
        path = root / "solutions" / chapter / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + TASK.format(n=number, needs=f' needs="{needs}"' if needs else ""), encoding="utf-8")
    if promises:
        (root / "solutions/ideas.toml").write_text(f"[promised]\n{promises}\n")
    return root


def told(root) -> list[str]:
    """What the build says; nothing where it builds."""
    try:
        build(root, gradebook=False)
    except SourceError as error:
        assert not (root / "notebooks").exists()
        return [str(problem).removeprefix(f"{root}/") for problem in error.problems]
    return []


def task(root, chapter, name):
    return task_in(nbformat.read(root / "notebooks" / chapter / f"{name}.ipynb", 4))


def task_in(notebook):
    return next(cell for cell in notebook.cells if cell.id.startswith("task-"))


def test_a_book_whose_needs_are_taught_is_built(tmp_path):
    assert told(make(tmp_path)) == []
    assert [o.number for o in vocabulary(tmp_path).old_form] == ["7.3"]


@pytest.mark.parametrize("changes, line", [
    (dict(needs_1="doubling, chain rule"), "only later (7.2, 7_2_second.py:7)."),
    (dict(needs_2="doubling, kernel trick"), "nothing before it teaches. Teach it in a cell above"),
    (dict(needs_2="doublin"), "Is it 'doubling' (7.1, 7_1_first.py:7)?"),
    (dict(needs_1="doubling, halving", first=FIRST.replace("# # 7.1", "# # 7.1")), "needs 'halving'"),
])
def test_a_need_that_nothing_before_teaches_stops_the_build(tmp_path, changes, line):
    root = make(tmp_path, **changes)
    said = told(root)
    assert len(said) == 1 and line in said[0], said
    where, number = ("ch07_one/7_1_first.py:15", "7.1.1") if "needs_1" in changes else ("ch08_two/7_2_second.py:10", "7.2.1")
    assert said[0].startswith(f"solutions/{where}: exercise {number} needs ")


def test_what_the_same_section_teaches_below_comes_too_late(tmp_path):
    lesson = '\n# %% [markdown] teaches="halving"\n# ## Halving\n'
    root = make(tmp_path, needs_1="doubling, halving")
    path = root / "solutions/ch07_one/7_1_first.py"
    path.write_text(path.read_text() + lesson)
    assert "only below it, in line " in told(root)[0]


@pytest.mark.parametrize("one, other", [
    ("Doubling", "doubling"), ("doublings", "doubling"), ("one-hot encodings", "one hot encoding"),
    ("the chain rule", "chain rule"), ("biases", "bias"), ("losses", "loss"), ("entropies", "entropy"),
    ("log-softmax", "log softmax"), ("retain graph", "retain_graph"), ("generalisation error", "generalization error")])
def test_spellings_of_one_idea(one, other):
    assert key(one) == key(other)


@pytest.mark.parametrize("one, other", [("axis", "axes of a box"), ("gradient", "gradient of a norm"), ("loss", "log")])
def test_ideas_that_are_not_one(one, other):
    assert key(one) != key(other)


def test_a_second_spelling_is_named_with_the_first(tmp_path):
    said = told(make(tmp_path, needs_2="Doublings, chain rule"))
    assert said == ["solutions/ch08_two/7_2_second.py:10: 'Doublings' is spelt 'doubling' elsewhere. "
                    "Write 'doubling' here too, or change it everywhere."]


def test_a_promise_holds_until_it_is_kept(tmp_path):
    assert "promise it in solutions/ideas.toml" in told(make(tmp_path, needs_2="sets"))[0]
    assert told(make(tmp_path, needs_2="sets", promises='sets = "7.1"')) == [
        "solutions/ideas.toml:2: 'sets' is promised for 7.1, which is rewritten and does not teach it. "
        'Give a cell there teaches="sets", or promise it for another section.']
    later = told(make(tmp_path, needs_2="sets", promises='sets = "7.3"'))
    assert len(later) == 1 and "promises for 7.3, later in the book" in later[0]
    assert told(make(tmp_path, needs_2="sets", promises='# two\nsets = "7.0"')) == []
    assert "*Builds on: sets (7.0)*" in task(tmp_path, "ch08_two", "7_2_second").source
    shutil.rmtree(tmp_path / "notebooks")
    kept = told(make(tmp_path, needs_2="sets", promises='sets = "7.0"', first=FIRST.replace("retain_graph", "sets")))
    assert kept == ["solutions/ideas.toml:2: 'sets' is promised, and taught by now (7.1, 7_1_first.py:7). Take this line out."]


def test_a_part_of_the_book_can_be_built_and_graded(tmp_path):
    """What other chapters teach is known, and a class may be graded by a book whose first chapter is not there."""
    root = make(tmp_path, needs_1="halving")
    build(root, ["ch08_two"], gradebook=False)
    assert "[doubling](../ch07_one/" in task(root, "ch08_two", "7_2_second").source
    shutil.rmtree(root / "solutions/ch07_one")
    build(root, ["ch08_two"], gradebook=False, publish=False)
    with pytest.raises(SourceError, match="needs 'doubling'"):
        build(root, ["ch08_two"], gradebook=False)


def test_the_task_says_what_it_builds_on(tmp_path):
    root = make(tmp_path, needs_1="retain_graph")
    build(root, gradebook=False)
    notebook = nbformat.read(root / "notebooks/ch07_one/7_1_first.ipynb", 4)
    lesson = next(cell for cell in notebook.cells if cell.source.startswith("## Doubling"))
    assert lesson.metadata.course.teaches == ["doubling", "retain_graph"]
    found = task(root, "ch08_two", "7_2_second")
    lines = found.source.split("\n")
    assert lines[4].startswith(f"*Builds on: [doubling](../ch07_one/7_1_first.ipynb#cell-id={lesson.id}) (7.1), "
                               "[chain rule](7_2_second.ipynb#cell-id=prose-") and lines[4].endswith(") (7.2)*")
    assert lines[3] == lines[5] == ""
    assert [(n.idea, n.section) for n in found.metadata.course.needs] == [("doubling", "7.1"), ("chain rule", "7.2")]
    assert r"[retain\_graph](7_1_first" in task(root, "ch07_one", "7_1_first").source
    assert "course" not in task(root, "ch08_two", "7_3_old").metadata


def test_a_new_edition_takes_its_own_word_for_what_a_task_needs(tmp_path):
    from course.book.merge import merge
    build(make(tmp_path), gradebook=False)
    path = tmp_path / "notebooks/ch07_one/7_1_first.ipynb"
    mine = nbformat.read(path, 4)
    build(make(tmp_path, needs_1=""), gradebook=False)
    merged = merge(nbformat.read(path, 4), mine).notebook
    assert "course" in task_in(mine).metadata and "course" not in task_in(merged).metadata


def test_links_lead_to_the_heading_above_and_not_to_a_task(tmp_path):
    """Code that teaches is below a heading; after a task, the cell itself is the place."""
    first = FIRST.replace('teaches="doubling, retain_graph"', 'teaches="retain_graph"')
    more = '\n# %% [markdown] teaches="halving"\n# In other words.\n'
    root = make(tmp_path, needs_2="doubling, halving", first=first)
    path = root / "solutions/ch07_one/7_1_first.py"
    path.write_text(path.read_text() + more)
    build(root, gradebook=False)
    notebook = nbformat.read(root / "notebooks/ch07_one/7_1_first.ipynb", 4)
    ids = {cell.source.split("\n")[0]: cell.id for cell in notebook.cells}
    hrefs = [need.href for need in task(root, "ch08_two", "7_2_second").metadata.course.needs]
    assert [href.partition("#cell-id=")[2] for href in hrefs] == [ids["## Doubling"], ids["In other words."]]


def test_links_lead_to_cells_that_are_there_also_on_a_web_page(tmp_path):
    from nbconvert import HTMLExporter
    root = make(tmp_path)
    build(root, gradebook=False)
    pages = {path: HTMLExporter(template_name="lab").from_filename(str(path))[0] for path in root.glob("notebooks/*/*.ipynb")}
    followed = 0
    for path in pages:
        for cell in nbformat.read(path, 4).cells:
            for part in cell.source.split("](")[1:]:
                name, _, anchor = part.partition(")")[0].partition("#")
                assert f'id="{anchor}"' in pages[(path.parent / name).resolve()], (path.name, part)
                followed += 1
    assert followed > 6


def test_the_index_of_ideas(tmp_path):
    root = make(tmp_path)
    changed = build(root, gradebook=False)
    path = root / "notebooks/index/ideas.ipynb"
    assert path in changed and build(root, gradebook=False) == []
    first = path.read_bytes()
    path.unlink()
    assert build(root, gradebook=False) == [path] and path.read_bytes() == first
    notebook = nbformat.read(path, 4)
    nbformat.validate(notebook)
    assert [cell.source.split("\n")[0] for cell in notebook.cells] == ["# Index of ideas", "## C", "## D", "## R"]
    entry = notebook.cells[2].source.split("\n")[2]
    assert entry.startswith("- **doubling**: [7.1 First](../ch07_one/7_1_first.ipynb#cell-id=prose-")
    assert entry.endswith("; needed by [7.1.1](../ch07_one/7_1_first.ipynb#cell-id=task-7-1-1), "
                          "[7.2.1](../ch08_two/7_2_second.ipynb#cell-id=task-7-2-1)")
    assert r"- **retain\_graph**: " in notebook.cells[3].source and "needed" not in notebook.cells[3].source
    assert all(cell.metadata == {"editable": False, "deletable": False} for cell in notebook.cells)
    assert not (root / ".book/source/index").exists()       # nbgrader knows no assignment of this name
    make(root, needs_1="", needs_2="", first=FIRST.replace(' teaches="doubling, retain_graph"', "").replace(
        ' teaches="doubling"', ""), second=SECOND.replace(' teaches="chain rule"', ""))
    assert path in build(root, gradebook=False) and not path.exists()


def test_what_was_read_once_is_kept_until_the_text_changes(tmp_path, monkeypatch):
    root = make(tmp_path)
    before = vocabulary(root)
    monkeypatch.setattr("course.book.outline.read", lambda *a, **k: pytest.fail("read again"))
    assert vocabulary(root).outlines == before.outlines
    monkeypatch.undo()
    path = root / "solutions/ch07_one/7_1_first.py"
    path.write_text(path.read_text().replace("retain_graph", "halving"))
    assert "halving" in vocabulary(root).taught
    kept = next((root / ".book/outlines").rglob("7_1*.json"))
    kept.write_text("{")
    assert "halving" in vocabulary(root).taught
    assert json.loads(kept.read_text())["number"] == "7.1"


def course(root, *words):
    return commands.run("course.cli", *words, cwd=ROOT, timeout=120, env={
        "COURSE_ROOT": str(root), "PATH": "/usr/bin:/bin", "OMP_NUM_THREADS": "1", "HOME": str(root)})


def test_the_author_is_shown_what_is_taught_and_needed_where(tmp_path):
    root = make(tmp_path, needs_2="doubling, chain rule, sets", promises='sets = "7.0"')
    found = course(root, "concepts")
    assert found.returncode == 0, found.stdout
    lines = found.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[:3] == ["7.1 First", f"  {'doubling':34}  needed by 7.1.1, 7.2.1", f"  {'retain_graph':34}  never needed"]
    assert "Taught and never needed (1): retain_graph." in lines
    assert "Promised (solutions/ideas.toml) (1): sets by 7.0, for 7.2.1." in lines
    assert "Sections of the old form, which say neither (1): 7.3." in lines
    one = course(root, "concepts", "7.2.1").stdout
    assert "7.2.1 Twice" in one and "from 7.1, 7_1_first.py:7" in one and "promised by 7.0" in one
    assert "  needed by 7.2.1 Twice (7_2_second.py:10)" in course(root, "concepts", "Doubling").stdout
    assert course(root, "concepts", "nonsense").returncode == 2


def test_the_author_is_told_of_a_mistake_by_concepts_and_by_the_gates(tmp_path):
    root = make(tmp_path, needs_2="kernel trick")
    found = course(root, "concepts")
    assert found.returncode == 1 and "exercise 7.2.1 needs 'kernel trick'" in " ".join(found.stdout.split())
    assert "NOT TAUGHT ABOVE" in course(root, "concepts", "7.2").stdout
    assert course(root, "concepts", "7.1").returncode == 0
    gates = course(root, "check", "7.2", "--gates")
    assert gates.returncode == 1 and "exercise 7.2.1 needs 'kernel trick'" in gates.stdout


def test_the_books_own_vocabulary_is_in_order():
    problems = vocabulary(ROOT).problems()
    assert not problems, "\n".join(map(str, problems))
