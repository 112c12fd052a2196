"""work/ is made from notebooks/, and a new edition reaches it around the answers."""
import json
import os
from contextlib import contextmanager
from pathlib import Path

import nbformat
import pytest
from nbformat.sign import NotebookNotary
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.utils import compute_checksum

from course.book.instructor import instructor_notebook
from course.book.merge import checksum
from course.book.source import read
from course.learner.work import WorkError, reset, sync

SOURCE = '''# %% [markdown]
# # 9.1 Sums
#
# {prose}

# %% tags=["setup"]
import math

# %%
{worked}

# %% [markdown] task="9.1.1" kind="code" minutes=5 difficulty=1
# ### Twice
#
# Write `twice(x)`. **You are done when** the check passes.

# %% exercise="9.1.1"
def twice(x):
    """{doc}"""
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION

# %% [markdown] hints="9.1.1"
# 1. Add it to itself.

# %% check="9.1.1" points={points}
assert twice(2) == 4
{check}
### BEGIN HIDDEN TESTS
assert twice(-1) == -2
### END HIDDEN TESTS
'''
WRITTEN = '''
# %% [markdown] task="9.1.2" kind="explain" minutes=5 difficulty=1
# ### Why
#
# Say why. **You are done when** you have.

# %% [markdown] written="9.1.2" points=2
# ### BEGIN SOLUTION
# Because.
# ### END SOLUTION

# %% [markdown] hints="9.1.2"
# 1. Think.
'''
FIRST = {"prose": "Numbers are added.", "worked": "math.pi", "doc": "Twice x.", "points": 1, "check": ""}


def edition(root: Path, more: str = WRITTEN, **changes) -> Path:
    """Writes an edition of section 9.1 into root/notebooks, as the build makes it; returns the notebook's path."""
    source = root / "solutions/ch09_sums/9_1_sums.py"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(SOURCE.format(**FIRST | changes) + more)
    notebook = instructor_notebook(read(source, lint=False))
    for cell in notebook.cells:
        facts = cell.metadata.get("nbgrader")
        cell.source = cell.source.replace("    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION", "    ...")
        cell.source = cell.source.replace("### BEGIN SOLUTION\nBecause.\n### END SOLUTION", "*Write here.*")
        cell.source = cell.source.split("### BEGIN HIDDEN")[0]
        if facts:
            facts.cell_type, facts.checksum = cell.cell_type, compute_checksum(cell)
    path = root / "notebooks/ch09_sums/9_1_sums.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(nbformat.writes(notebook) + "\n")
    return path


@pytest.fixture
def root(tmp_path) -> Path:
    edition(tmp_path)
    sync(tmp_path)
    return tmp_path


def work(root: Path) -> Path:
    return root / "work/ch09_sums/9_1_sums.ipynb"


@contextmanager
def open_notebook(root: Path):
    """The student's notebook, saved afterwards as JupyterLab saves it."""
    notebook = nbformat.read(work(root), as_version=4)
    yield notebook
    notebook.metadata.language_info = {"name": "python", "version": "3.11.7"}
    nbformat.write(notebook, work(root))


def cells(root: Path) -> dict:
    return {cell.id: cell for cell in nbformat.read(work(root), as_version=4).cells}


def cell(notebook, name: str):
    return next(c for c in notebook.cells if c.id.startswith(name))


def answer(root: Path, text: str = "def twice(x):\n    return x + x") -> str:
    with open_notebook(root) as notebook:
        cell(notebook, "answer-9-1-1").source = text
    return text


def backups(root: Path) -> list[Path]:
    return sorted((root / "work/backups").rglob("*.ipynb"))


def test_our_checksum_is_nbgraders(root):
    for one in cells(root).values():
        if "nbgrader" in one.metadata:
            assert checksum(one) == compute_checksum(one) == one.metadata.nbgrader.checksum


def test_fresh(tmp_path):
    book = edition(tmp_path)
    done = sync(tmp_path)
    assert done.made == [work(tmp_path).relative_to(tmp_path)] and not done.updated and not done.notes
    assert work(tmp_path).read_bytes() == book.read_bytes()


def test_a_second_sync_changes_nothing(root):
    answer(root)
    before = work(root).read_bytes(), work(root).stat().st_mtime_ns
    done = sync(root)
    assert not done.made and not done.updated and not done.notes
    assert (work(root).read_bytes(), work(root).stat().st_mtime_ns) == before and not backups(root)


def test_a_new_edition_changes_all_but_the_answer(root):
    text = answer(root)
    before = work(root).read_bytes()
    edition(root, prose="Numbers are summed.", worked="math.e", points=3, check="assert twice(3) == 6")
    done = sync(root)
    now = cells(root)
    assert now["answer-9-1-1"].source == text
    assert "assert twice(3) == 6" in now["check-9-1-1"].source and now["check-9-1-1"].metadata.nbgrader.points == 3
    sources = [c.source for c in now.values()]
    assert "math.e" in sources and "math.pi" not in sources
    assert any("summed" in s for s in sources) and not any("are added" in s for s in sources)
    assert done.updated == [work(root).relative_to(root)]
    assert [path.read_bytes() for path in backups(root)] == [before]
    assert sync(root).updated == []


def test_an_added_exercise_appears_in_its_place(root):
    text = answer(root)
    added = WRITTEN.replace("9.1.2", "9.1.1b")
    edition(root, more=added + WRITTEN)
    sync(root)
    order = [name for name in cells(root) if name.startswith(("answer", "written"))]
    assert order == ["answer-9-1-1", "written-9-1-1b", "written-9-1-2"]
    assert cells(root)["answer-9-1-1"].source == text


def test_an_untouched_starter_follows_the_book(root):
    edition(root, doc="Two times x.")
    done = sync(root)
    assert "Two times x." in cells(root)["answer-9-1-1"].source
    assert not done.notes and not backups(root)


def test_a_changed_starter_leaves_the_answer_and_says_so_once(root):
    text = answer(root)
    edition(root, doc="Two times x.")
    assert any("the answer to 9.1.1: the book's starter is another now" in note for note in sync(root).notes)
    assert cells(root)["answer-9-1-1"].source == text
    assert sync(root).notes == []


def test_changed_points_are_no_changed_starter(root):
    with open_notebook(root) as notebook:
        cell(notebook, "written-9-1-2").source = "Since 2x = x + x."
    edition(root, more=WRITTEN.replace("points=2", "points=5"))
    done = sync(root)
    assert cells(root)["written-9-1-2"].metadata.nbgrader.points == 5
    assert cells(root)["written-9-1-2"].source == "Since 2x = x + x."
    assert not any("starter" in note for note in done.notes)


def test_own_cells_stay_where_they_are(root):
    with open_notebook(root) as notebook:
        at = {c.id: i for i, c in enumerate(notebook.cells)}
        notebook.cells.append(new_code_cell("last = 3"))
        notebook.cells.insert(at["answer-9-1-1"] + 1, new_code_cell("below_the_answer = 2"))
        notebook.cells.insert(1, new_markdown_cell("below the prose"))
        notebook.cells.insert(0, new_code_cell("first = 1"))
    edition(root, prose="Another text, so that this cell has another id.")
    sync(root)
    sources = [c.source for c in cells(root).values()]
    assert sources[0] == "first = 1" and sources[-1] == "last = 3"
    assert sources[2] == "below the prose" and sources[1].startswith("# 9.1 Sums\n\nAnother")
    names = list(cells(root))
    assert sources[names.index("answer-9-1-1") + 1] == "below_the_answer = 2"


def test_outputs_stay_with_unchanged_code(root):
    with open_notebook(root) as notebook:
        for one in notebook.cells:
            if one.cell_type == "code":
                one.execution_count = 7
    edition(root, check="assert twice(3) == 6")
    sync(root)
    assert cells(root)["answer-9-1-1"].execution_count == 7
    assert cells(root)["check-9-1-1"].execution_count is None


def test_what_jupyterlab_trusts_stays_trusted(root):
    """The figures and cards of a notebook are shown as they were after a new edition, and after a starter is put back."""
    def notary():
        return NotebookNotary(data_dir=str(root / ".book/lab/data"))
    answer(root)
    edition(root, prose="Of another edition.")
    sync(root)
    assert not (root / ".book").exists()
    (root / ".book/lab/data").mkdir(parents=True)
    for trusted, prose in (False, "Strange."), (True, "Numbers are summed."):
        if trusted:
            notary().sign(nbformat.read(work(root), as_version=4))
        else:
            assert notary().secret     # made when first asked for
        edition(root, prose=prose)
        assert sync(root).updated
        assert notary().check_signature(nbformat.read(work(root), as_version=4)) == trusted
    assert reset(root, "ch09_sums/9_1_sums.ipynb", "9.1.1")
    assert notary().check_signature(nbformat.read(work(root), as_version=4))


def test_worked_code_that_was_changed_stays(root):
    with open_notebook(root) as notebook:
        cell(notebook, "code-").source = "math.pi * 2"
    assert not sync(root).updated
    edition(root, worked="math.e")
    assert any("worked code" in note for note in sync(root).notes)
    assert [c.source for c in cells(root).values() if c.source.startswith("math.")] == ["math.pi * 2", "math.e"]
    assert not sync(root).updated


def test_an_exercise_that_left_the_book_leaves_the_answer(root):
    with open_notebook(root) as notebook:
        cell(notebook, "written-9-1-2").source = "Since 2x = x + x."
    edition(root, more="")
    notes = sync(root).notes
    assert any("the written answer to 9.1.2 is no longer in the book" in note for note in notes)
    kept = [c for c in cells(root).values() if c.source == "Since 2x = x + x."]
    assert len(kept) == 1 and "nbgrader" not in kept[0].metadata
    assert not any(name.startswith(("task-9-1-2", "hints-9-1-2")) for name in cells(root))


def test_deleted_and_changed_cells_of_the_book_come_back(root):
    text = answer(root)
    with open_notebook(root) as notebook:
        notebook.cells = [c for c in notebook.cells if not c.id.startswith("task-9-1-1")]
        cell(notebook, "check-9-1-1").source = "pass"
    notes = sync(root).notes
    assert any("the check of 9.1.1 is the book's and was changed" in note for note in notes)
    assert "assert twice(2) == 4" in cells(root)["check-9-1-1"].source
    assert "task-9-1-1" in cells(root) and cells(root)["answer-9-1-1"].source == text
    assert "pass" in backups(root)[0].read_text()


def test_a_copied_answer_cell_loses_nothing(root):
    with open_notebook(root) as notebook:
        i = next(i for i, c in enumerate(notebook.cells) if c.id == "answer-9-1-1")
        for k, text in enumerate(("twice = None", "twice = 2")):
            copy = nbformat.from_dict(dict(notebook.cells[i], id=f"copy{k}", source=text))
            notebook.cells.insert(i + 1 + k, copy)
    notes = sync(root).notes
    assert any("the answer to 9.1.1 was there 3 times" in note for note in notes)
    now = cells(root)
    assert now["answer-9-1-1"].source == "twice = None"
    assert [c.source for c in now.values() if "nbgrader" not in c.metadata].count("twice = 2") == 1
    assert sum(c.metadata.get("nbgrader", {}).get("grade_id") == "answer-9-1-1" for c in now.values()) == 1


def test_an_answer_turned_into_text_is_code_again(root):
    text = answer(root)
    with open_notebook(root) as notebook:
        i = next(i for i, c in enumerate(notebook.cells) if c.id == "answer-9-1-1")
        old = notebook.cells[i]
        notebook.cells[i] = new_markdown_cell(old.source, metadata=old.metadata, id=old.id)
    assert any("is a code cell again" in note for note in sync(root).notes)
    assert cells(root)["answer-9-1-1"].cell_type == "code" and cells(root)["answer-9-1-1"].source == text


def test_a_notebook_whose_cells_lost_their_ids(root):
    """As an older editor saves it: format 4.4 has no cell ids."""
    text = answer(root)
    data = json.loads(work(root).read_text())
    data["nbformat_minor"] = 4
    for one in data["cells"]:
        del one["id"]
    data["cells"].insert(3, {"cell_type": "code", "source": "own = 1", "metadata": {}, "outputs": [], "execution_count": None})
    work(root).write_text(json.dumps(data))
    sync(root)
    now = cells(root)
    assert now["answer-9-1-1"].source == text
    book = nbformat.read(root / "notebooks/ch09_sums/9_1_sums.ipynb", as_version=4)
    assert [c.source for c in now.values() if c.source not in ("own = 1", text)] == [
        c.source for c in book.cells if c.id != "answer-9-1-1"]


@pytest.mark.parametrize("content, reason", [
    (b"", "not JSON"), (b"{\"cells\": [", "not JSON"), (b"\xff\xfe", "not UTF-8"), (b"[]", ""), (b"{}", ""),
    (b'{"cells": [{"cell_type": "code"}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}', ""),
])
def test_an_unreadable_notebook_is_left_alone(root, content, reason):
    work(root).write_bytes(content)
    done = sync(root)
    assert work(root).read_bytes() == content and not done.updated
    assert len(done.notes) == 1 and reason in done.notes[0] and "\n" not in done.notes[0]
    assert "It was left as it is" in done.notes[0]


def test_a_folder_of_that_name_is_left_alone(root):
    work(root).unlink()
    work(root).mkdir()
    assert "cannot be read as a notebook" in sync(root).notes[0]
    assert work(root).is_dir()


def test_no_student_edition(tmp_path):
    with pytest.raises(WorkError, match="course build"):
        sync(tmp_path)


@contextmanager
def without_rights(root: Path):
    """The folder is read-only, for root too: root acts as nobody meanwhile, who owns nothing here."""
    for path in (root, *root.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    parents = [path for path in root.parents if path.stat().st_uid == os.getuid() and path != Path("/")]
    modes = {path: path.stat().st_mode for path in parents}
    for path in parents:
        path.chmod(modes[path] | 0o055)
    if os.getuid() == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(os.getuid())
        for path, mode in modes.items():
            path.chmod(mode)
        for path in (root, *root.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)


@pytest.mark.parametrize("answered", [False, True])
def test_a_read_only_folder(tmp_path, answered):
    edition(tmp_path)
    if answered:
        sync(tmp_path)
        answer(tmp_path)
        edition(tmp_path, prose="Numbers are summed.")
    before = work(tmp_path).read_bytes() if answered else None
    with without_rights(tmp_path), pytest.raises(WorkError) as caught:
        sync(tmp_path)
    assert "cannot be written (Permission denied)" in str(caught.value) and "Make the folder writable" in str(caught.value)
    assert (work(tmp_path).read_bytes() if answered else None) == before
