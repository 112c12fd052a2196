"""`course bundle`: nothing secret in it, nobody's folder overwritten, and its lab runs."""
import ast
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path
from urllib.request import urlopen

import commands
import pytest
from test_build import CHAPTER, NAME, SECTION, answer, make_book
from typer.testing import CliRunner

from course import cli
from course.book.build import build
from course.lab.bundle import COMMENT, DIRECT, MANIFEST, BundleError, bundle
from course.book.source import read, sources
from course.book.variants import variants

ROOT = Path(__file__).resolve().parents[2]
SECRET = ("torch.tensor([1., -5.])", "The secret reason", "return x + x")


@pytest.fixture(scope="module")
def book(tmp_path_factory) -> Path:
    """A course of one section, built."""
    root = make_book(tmp_path_factory.mktemp("course"), SECTION)
    build(root, gradebook=False)
    return root


@pytest.fixture(scope="module")
def made(book, tmp_path_factory):
    """Its bundle, with a zip."""
    return bundle(book, ROOT, tmp_path_factory.mktemp("made") / "my book", archive=True)


def texts(folder: Path) -> dict[str, str]:
    """Every text of a bundle: files as they are, notebooks cell by cell."""
    found = {}
    for path in folder.rglob("*"):
        if path.suffix == ".ipynb":
            for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
                found[f"{path.relative_to(folder)}: {cell['id']}"] = "".join(cell["source"])
        elif path.is_file() and path.suffix != ".gz":
            found[str(path.relative_to(folder))] = path.read_text(encoding="utf-8")
    return found


def secrets(root: Path):
    """(what it is, its lines) for every hidden test, reference answer and variant of a course."""
    for section in (read(path, lint=False) for path in sources(root)):
        for number, exercise in section.exercises.items():
            for cell, region in ((exercise.answer, "solution"), (exercise.written, "solution"), (exercise.check, "hidden")):
                if cell is not None:
                    before, inside, after = cell.split(region)
                    shown = {line.strip() for line in (before + "\n" + after).split("\n")}
                    yield f"{region} of {number}", [x for x in inside.split("\n") if x.strip() not in shown]
        for variant in variants(root, section):
            shown = section.exercises[variant.number].answer.split("solution")
            known = {line.strip() for line in (shown[0] + "\n" + shown[2]).split("\n")}
            yield str(variant), [x for x in variant.source.split("\n") if x.strip() not in known]


def squeezed(text: str) -> str:
    return "\n".join(line.strip() for line in text.split("\n") if line.strip())


# what the book shows on purpose, and asks to write again
SHOWN = {"solution of 3.2.3": "d2l_utils/hyperparameters.py"}


def leaks(root: Path, folder: Path) -> list[str]:
    """Where a bundle holds a secret whole, whatever its indentation. A short line can stand in worked code too."""
    searched = {where: squeezed(text) for where, text in texts(folder).items()}
    everything = "\0".join(searched.values())
    found = []
    for what, lines in secrets(root):
        wanted = squeezed("\n".join(lines))
        long = wanted.count("\n") >= 1 or len(wanted) > 40 and not what.startswith("wrong")
        if long and wanted in everything:
            found += [f"{what} in {where}" for where, text in searched.items()
                      if wanted in text and not (what in SHOWN and SHOWN[what] in where)]
    return found


def test_the_search_finds_what_is_there(book, made, tmp_path):
    """The search below can fail: with the instructor's notebook in the folder it does."""
    shutil.copytree(made.folder / "notebooks", tmp_path / "notebooks")
    shutil.copy(book / ".book/source" / CHAPTER / f"{NAME}.ipynb", tmp_path / "notebooks")
    assert {what.split(" in ")[0] for what in leaks(book, tmp_path)} == {"hidden of 9.9.1", "solution of 9.9.2"}


def test_no_secret_and_no_course_tool(made):
    files = {path.relative_to(made.folder).as_posix() for path in made.folder.rglob("*") if path.is_file()}
    assert files == {*made.files, MANIFEST}
    assert {name.split("/")[0] for name in files} == {
        "README.md", "LICENSE", "Makefile", "requirements.txt", "pyproject.toml", "nbgrader_config.py", ".gitignore", MANIFEST,
        "notebooks", "d2l_utils", "data", "course", "start.py"}
    assert {n for n in files if n.startswith("course/") and n.endswith(".py")} == {
        "course/__init__.py", "course/__main__.py", "course/whole.py", "course/lab/__init__.py", "course/lab/start.py",
        "course/lab/contents.py",
        "course/lab/server.py", "course/lab/session.py", "course/lab/kernels.py", "course/lab/warm_kernel.py",
        "course/learner/__init__.py", "course/learner/work.py", "course/learner/trust.py", "course/learner/progress.py",
        "course/learner/todo.py", "course/book/__init__.py", "course/book/merge.py"}
    everything = "\n".join(texts(made.folder).values())
    assert not [secret for secret in SECRET if secret in everything]
    assert "### BEGIN" not in "\n".join(text for name, text in texts(made.folder).items() if ".ipynb" in name)


def test_it_says_what_is_left(made, tmp_path):
    folder = shutil.copytree(made.folder, tmp_path / "book")
    def todo(*words):
        return subprocess.run([sys.executable, "-m", "course", "todo", *words], cwd=folder, capture_output=True, text=True,
                              env=os.environ | {"COLUMNS": "80"})
    before = todo()
    assert before.returncode == 1 and "There is no" in before.stderr and "make lab" in before.stderr and not before.stdout
    shutil.copytree(folder / "notebooks", folder / "work")
    done = todo()
    assert done.returncode == 1 and "9.9.1" in done.stdout and "not answered" in done.stdout and "are left" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80 and "\033" not in done.stdout
    assert todo("9.9.1").stdout.count("not answered") == 1
    unknown = todo("7.7")
    assert unknown.returncode == 2 and "7.7" in unknown.stderr


def test_the_index_of_ideas_goes_along(tmp_path):
    (tmp_path / "course").mkdir()
    root = make_book(tmp_path / "course", SECTION.replace("# %%\nscratch", '# %% teaches="scratching"\nscratch'))
    build(root, gradebook=False)
    index = "notebooks/index/ideas.ipynb"
    (root / index).unlink()
    with pytest.raises(BundleError, match=f"{index} is not what solutions/ builds now"):
        bundle(root, ROOT, tmp_path / "never")
    build(root, gradebook=False)
    assert (bundle(root, ROOT, tmp_path / "made").folder / index).read_bytes() == (root / index).read_bytes()


@pytest.mark.slow
def test_the_whole_book_has_no_secret(tmp_path):
    """Every hidden test, reference answer and variant of the book, searched for in its bundle, which is made only where
    the notebooks are what solutions/ builds."""
    root = tmp_path / "course"
    for name in ("solutions", "tests/variants", "nbgrader_config.py", "notebooks"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).symlink_to(ROOT / name)
    made = bundle(root, ROOT, tmp_path / "made")
    assert len({what for what, _ in secrets(root)}) > 1000
    assert not leaks(root, made.folder)


def test_the_zip_is_the_folder_and_the_same_again(book, made):
    with zipfile.ZipFile(made.archive) as archive:
        assert archive.comment == COMMENT
        names = {name.removeprefix("my book/") for name in archive.namelist()}
        assert names == {*made.files, MANIFEST}
        assert archive.read("my book/Makefile") == (made.folder / "Makefile").read_bytes()
    before = made.archive.read_bytes()
    bundle(book, ROOT, made.folder, archive=True)
    assert made.archive.read_bytes() == before


def test_it_is_a_git_repository_with_one_command(made, tmp_path):
    """work/, the environment and caches stay out of it."""
    folder = tmp_path / "repository"
    shutil.copytree(made.folder, folder)
    for name in ("work/ch09/a.ipynb", ".venv/x", ".book/lab/x", "course/__pycache__/x.pyc"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    subprocess.run("git init -q && git add -A", shell=True, cwd=folder, check=True)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=folder, check=True, capture_output=True, text=True).stdout
    assert set(listed.strip("\0").split("\0")) == {*made.files, MANIFEST}


def test_a_new_edition_leaves_the_students_and_gits_files(book, tmp_path):
    folder = tmp_path / "b"
    bundle(book, ROOT, folder)
    for name in ("work/mine.ipynb", ".git/HEAD"):
        (folder / name).parent.mkdir()
        (folder / name).write_text("mine")
    manifest = json.loads((folder / MANIFEST).read_text())
    (folder / "gone.txt").write_bytes((folder / "LICENSE").read_bytes())
    manifest["files"]["gone.txt"] = manifest["files"]["LICENSE"]      # an earlier edition had one more
    (folder / MANIFEST).write_text(json.dumps(manifest))
    (folder / "LICENSE").unlink()
    bundle(book, ROOT, folder)
    assert (folder / "work/mine.ipynb").read_text() == (folder / ".git/HEAD").read_text() == "mine"
    assert not (folder / "gone.txt").exists() and (folder / "LICENSE").exists()


def test_a_changed_file_stops_it(book, tmp_path):
    folder = tmp_path / "b"
    bundle(book, ROOT, folder)
    (folder / "README.md").write_text("our own words")
    with pytest.raises(BundleError, match="README.md is not as `course bundle` left it.*Nothing was changed"):
        bundle(book, ROOT, folder)
    assert (folder / "README.md").read_text() == "our own words"


def refused(root: Path, folder: Path, message: str, *options: str) -> None:
    """The command ends with one line that says so."""
    old, cli.lab.ROOT = cli.lab.ROOT, root
    try:
        done = CliRunner().invoke(cli.app, ["bundle", str(folder), *options])
    finally:
        cli.lab.ROOT = old
    assert done.exit_code == 1 and re.search(message, done.output), done.output
    assert done.output.count("\n") == 1


def test_folders_of_others_are_refused(book, tmp_path):
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs/thesis.txt").write_text("words")
    refused(book, tmp_path / "theirs", "theirs is not empty, and `course bundle` did not make it")
    assert [path.name for path in (tmp_path / "theirs").iterdir()] == ["thesis.txt"]
    refused(book, tmp_path / "theirs/thesis.txt", "is a file. Give a folder")
    (tmp_path / "theirs" / MANIFEST).write_text("{")
    refused(book, tmp_path / "theirs", "cannot be read")
    (tmp_path / "new.zip").write_text("theirs")
    refused(book, tmp_path / "new", "new.zip is there, and `course bundle` did not make it", "--zip")
    assert not (tmp_path / "new").exists()
    refused(book, tmp_path / "new", "Give its absolute path", "--exchange", "exchange")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    refused(book, tmp_path / "dangling", "is a file. Give a folder")


def test_notebooks_that_are_not_the_books_are_refused(tmp_path):
    root = make_book(tmp_path / "course" if (tmp_path / "course").mkdir() is None else None)
    build(root, gradebook=False)
    path = root / "notebooks" / CHAPTER / f"{NAME}.ipynb"
    released = path.read_bytes()
    answer(path)
    refused(root, tmp_path / "b", "holds answers .*students would receive them")
    path.write_bytes(released + b"\n")
    refused(root, tmp_path / "b", "is not what solutions/ builds now. Run `course build` first")
    path.write_bytes(released)
    (path.parent / "solution.txt").write_text("x + x")
    refused(root, tmp_path / "b", "solution.txt is not from solutions/")
    assert not (tmp_path / "b").exists()


def test_every_import_is_pinned(made):
    """What the code and the notebooks import is in the bundle, in Python, or pinned in its requirements.txt."""
    pinned = {re.sub(r"[-_.]+", "-", line.split("==")[0]).lower()
              for line in (made.folder / "requirements.txt").read_text().splitlines() if "==" in line}
    assert {re.sub(r"[-_.]+", "-", name).lower() for name in DIRECT} <= pinned
    assert not {"pytest", "ruff", "dask", "d2l", "playwright"} & pinned
    distributions = metadata.packages_distributions()
    sources = {p.name: p.read_text() for p in made.folder.rglob("*.py")}
    for path in (ROOT / "notebooks").rglob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        sources[path.name] = "\n".join("".join(c["source"]) for c in cells if "setup" in c["metadata"].get("tags", []))
    for name, source in sources.items():
        source = "\n".join("" if line.startswith(("%", "!")) else line for line in source.split("\n"))
        for node in ast.walk(ast.parse(source)):
            modules = [f"course.{alias.name}" for alias in node.names] if getattr(node, "module", "") == "course" else \
                [node.module] if isinstance(node, ast.ImportFrom) and not node.level else \
                [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for module in modules:
                top = module.split(".")[0]
                if top == "course":
                    file = made.folder / (module.replace(".", "/") + ".py")
                    assert file.exists() or (file.with_suffix("") / "__init__.py").exists(), (name, module)
                elif top != "d2l_utils" and top not in sys.stdlib_module_names:
                    owners = {re.sub(r"[-_.]+", "-", owner).lower() for owner in distributions[top]}
                    assert owners & pinned, f"{name} imports {module} of {owners}"


def test_its_lab_runs(made, tmp_path):
    """`course lab` of the bundle, with its own code and settings, from another folder."""
    folder = tmp_path / "unpacked"
    with zipfile.ZipFile(made.archive) as archive:
        archive.extractall(tmp_path)
    (tmp_path / "my book").rename(folder)
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "COURSE"))}
    process = subprocess.Popen([sys.executable, "-u", "-m", "course", "lab", "--no-browser"], cwd=folder, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                               env=environment | {"PYTHONPATH": str(folder)})
    try:
        said = ""
        while not (address := re.search(r"http://\S+", said)):
            line = process.stdout.readline()
            assert line, said
            said += line
        assert "work/: 1 notebook made." in said
        with urlopen(address[0]) as reply:
            assert reply.status == 200
            page = reply.read().decode()
        assert (folder / "work" / CHAPTER / f"{NAME}.ipynb").exists()
        assert '"@jupyter/nbgrader:assignment-list"' in page        # disabled: there is no exchange
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=30)


def test_with_an_exchange_its_readme_and_settings_say_so(book, tmp_path):
    made = bundle(book, ROOT, tmp_path / "b", exchange="/srv/exchange")
    assert "Assignment List" in (made.folder / "README.md").read_text()
    assert "'/srv/exchange'" in (made.folder / "nbgrader_config.py").read_text()
    profile = json.loads((made.folder / "course/lab/jupyter/labconfig/page_config.json").read_text())
    assert "@jupyter/nbgrader:assignment-list" not in profile["disabledExtensions"]
    for path in made.folder.rglob("*"):
        assert "@" + "COURSE_ID@" not in path.name
        if path.suffix in (".py", ".md", ".toml"):
            assert not re.search(r"@[A-Z_]+@", path.read_text())


def test_an_exchange_on_this_machine_is_the_teachers_too(book, tmp_path):
    from course.book.release import config

    def run(exchange: Path) -> str:
        done = commands.run("course.cli", "bundle", str(tmp_path / "b"), "--exchange", str(exchange), cwd=ROOT,
                            env=os.environ | {"COURSE_ROOT": str(book)})
        assert done.returncode == 0, done.stderr
        return done.stdout
    try:
        assert "no " + str(tmp_path / "theirs") + " on this machine" in run(tmp_path / "theirs")
        assert config(book).Exchange.root == str(book / "exchange")
        (tmp_path / "ours").mkdir()
        assert "use this exchange, too" in run(tmp_path / "ours")
        assert config(book).Exchange.root == str(tmp_path / "ours")
    finally:
        (book / "exchange.path").unlink(missing_ok=True)


def test_due_dates_go_along(book, tmp_path):
    from datetime import datetime

    from nbgrader.api import Gradebook

    from course.lab.server import due_dates
    with Gradebook(f"sqlite:///{book / 'gradebook.db'}", "deep-learning") as gradebook:
        gradebook.update_or_create_assignment("ch01_first", duedate=datetime(2026, 12, 1, 12))
        gradebook.update_or_create_assignment("ch02_second")
    try:
        made = bundle(book, ROOT, tmp_path / "b")
    finally:
        (book / "gradebook.db").unlink()
    assert due_dates(made.folder) == {"ch01_first": "2026-12-01T12:00:00Z"}
    assert "due.csv" not in bundle(book, ROOT, tmp_path / "b").files and due_dates(made.folder) == {}
