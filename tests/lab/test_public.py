"""What a public repository of the students' edition has more: Binder's files, and the cell for Colab, which is run here."""
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from test_build import CHAPTER, NAME, SECTION, make_book

from course.book.build import build
from course.lab.bundle import bundle
from course.lab.public import CELL, NoRepository, Repository, configured

ROOT = Path(__file__).resolve().parents[2]
PAGE = f"notebooks/{CHAPTER}/{NAME}.ipynb"


@pytest.fixture(scope="module")
def book(tmp_path_factory) -> Path:
    root = make_book(tmp_path_factory.mktemp("course"), SECTION)
    build(root, gradebook=False)
    return root


@pytest.fixture(scope="module")
def public(book, tmp_path_factory) -> Path:
    """The folder that a teacher pushes, committed."""
    made = bundle(book, ROOT, tmp_path_factory.mktemp("made") / "book", repository=Repository.of("https://github.com/org/book"))
    subprocess.run("git init -q -b main && git add -A && git -c user.name=a -c user.email=a@b.c commit -qm book", shell=True,
                   cwd=made.folder, check=True)
    return made.folder


@pytest.mark.parametrize("text, url, branch", [
    ("https://github.com/org/book", "https://github.com/org/book", "main"),
    ("https://github.com/org/book.git", "https://github.com/org/book", "main"),
    ("https://github.com/org/book/tree/autumn-26/", "https://github.com/org/book", "autumn-26"),
    ("https://gitlab.com/a/b/book/-/tree/v2", "https://gitlab.com/a/b/book", "v2")])
def test_an_address(text, url, branch):
    found = Repository.of(text)
    assert (found.url, found.branch, found.on_colab) == (url, branch, "github" in url)


@pytest.mark.parametrize("text", ["org/book", "git@github.com:org/book.git", "https://github.com/org/book'; rm", "http://x/y"])
def test_what_is_no_address_is_refused(text):
    with pytest.raises(NoRepository, match="https://github.com/ORG/NAME"):
        Repository.of(text)


def test_the_configuration_may_name_it(tmp_path):
    assert configured(ROOT) == "" and Repository.of("") is None
    (tmp_path / "nbgrader_config.py").write_text('c = get_config()\nc.StudentEdition.repository = "https://github.com/a/b"\n')
    assert configured(tmp_path) == "https://github.com/a/b"
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    assert configured(tmp_path) == ""


def test_it_has_what_binder_looks_for_and_one_cell_more(book, public, tmp_path):
    pins = (public / "requirements.txt").read_text()
    index, rest = (public / ".binder/requirements.txt").read_text().split("\n", 1)
    assert rest == pins and index.startswith("--extra-index-url https://download.pytorch.org/")
    assert (public / ".binder/runtime.txt").read_text() == "python-3.11\n"
    assert subprocess.run(["bash", "-n", public / ".binder/postBuild"]).returncode == 0
    here, there = nbformat.read(book / PAGE, 4), nbformat.read(public / PAGE, 4)
    code = [cell.id for cell in there.cells if cell.cell_type == "code"]
    assert code[0] == CELL and code.count(CELL) == 1
    there.cells = [cell for cell in there.cells if cell.id != CELL]
    assert there == here
    private = bundle(book, ROOT, tmp_path / "private").folder
    assert not (private / ".binder").exists() and (private / PAGE).read_bytes() == (book / PAGE).read_bytes()
    elsewhere = bundle(book, ROOT, tmp_path / "lab", repository=Repository.of("https://gitlab.com/org/book")).folder
    assert (elsewhere / ".binder/postBuild").exists() and (elsewhere / PAGE).read_bytes() == (book / PAGE).read_bytes()


def test_the_cell_does_nothing_elsewhere_and_fetches_the_book_on_colab(public, tmp_path):
    cell = next(cell.source for cell in nbformat.read(public / PAGE, 4).cells if cell.id == CELL)
    assert "torchinfo==" in cell and "torchviz==" in cell
    fetched = tmp_path / "content/book"
    script = cell.replace("https://github.com/org/book", public.as_uri()).replace("/content/book", str(fetched))
    script += "\nimport d2l_utils; print(d2l_utils.__file__)"
    run = dict(cwd=tmp_path, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": ""})
    done = subprocess.run([sys.executable, "-c", script], **run)
    assert not fetched.exists() and done.stdout.strip() == str(ROOT / "d2l_utils/__init__.py")
    for _ in range(2):      # again after a restart
        done = subprocess.run([sys.executable, "-c", 'import sys; sys.modules["google.colab"] = sys\n' + script], **run)
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip().endswith(str(fetched / "d2l_utils/__init__.py"))
    assert (fetched / "data").is_dir()
