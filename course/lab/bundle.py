"""`course bundle`: what students receive. The notebooks, d2l_utils, the data and a launcher; no solutions, hidden
tests, variants or course tools. A folder that may be zipped, put into git, or shared with the exchange.
"""
from __future__ import annotations

import hashlib
import json
import os
import re
import zipfile
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from course import whole
from course.lab.public import Repository

HANDOUT = Path(__file__).parent / "handout"
# of course/, none of which holds a test
LAUNCHER = ("lab/__init__.py", "lab/start.py", "lab/session.py", "lab/server.py", "lab/kernels.py", "lab/warm_kernel.py",
            "lab/contents.py", "lab/jupyter", "learner/__init__.py", "learner/work.py", "learner/trust.py", "learner/progress.py",
            "learner/todo.py", "book/__init__.py", "book/merge.py", "whole.py")
SKIPPED = {"__pycache__", ".ipynb_checkpoints", ".DS_Store"}
MANIFEST = ".bundle.json"           # in a folder that this command made: path -> SHA-256
COMMENT = b"made by course bundle"  # in a zip that this command made
# what the notebooks, d2l_utils and the launcher import, and JupyterLab with Validate and the Assignment List
DIRECT = ("torch", "torchvision", "numpy", "pandas", "matplotlib", "matplotlib-inline", "torchviz", "graphviz-pure", "torchinfo",
          "tqdm", "psutil", "ipython", "ipywidgets", "ipykernel", "jupyterlab", "jupyter_server", "jupyter_client", "nbgrader",
          "nbformat", "traitlets", "notebook", "setuptools")

EXCHANGE = """In JupyterLab: Nbgrader > Assignment List. The chapters that are handed out are there; press Submit beside yours
when you are done, as often as you like. Marks and comments come back in the same place (Fetch Feedback), as pages in
`work/<chapter>/feedback/`."""
FILES = """Send the notebooks of the chapter, `work/<chapter>/*.ipynb`, with their names as they are, in the way that your
teacher told you."""


class BundleError(RuntimeError):
    """Nothing was made or changed; the message says why and what to do."""


@dataclass
class Bundle:
    """What was made: the folder, its files in order (relative), and the zip if one was asked for."""
    folder: Path
    files: list[str]
    archive: Path | None


def bundle(root: Path, repo: Path, folder: Path, *, exchange: str = "", repository: Repository | None = None,
           archive: bool = False) -> Bundle:
    """Makes or renews `folder` for the students of the course in `root`, with the code and data of `repo`.

    `exchange` is the absolute path of nbgrader's exchange on the students' machine, "" where they have none; `repository`,
    where the folder will be public, for Binder and Colab.
    Files in the folder that this command did not make (work/, .venv/, .git/) stay. Raises BundleError.
    """
    folder = Path(os.path.abspath(folder))
    zipped = folder.with_name(folder.name + ".zip")
    if exchange and not os.path.isabs(exchange):
        raise BundleError(f"The exchange is given as {exchange!r}. Give its absolute path, as on the students' machine.")
    made = _made(folder)
    if archive and zipped.exists() and not _is_ours(zipped):
        raise BundleError(f"{zipped} is there, and `course bundle` did not make it. Move it away, or give another folder.")
    _check_notebooks(root)
    planned = plan(root, repo, exchange, repository)
    hashes = {name: _sha256(content) for name, content in planned.items()}
    _check_unchanged(folder, made, hashes)
    _write(folder, made, planned, hashes)
    if archive:
        _zip(folder, sorted(planned), zipped)
    return Bundle(folder, sorted(planned), zipped if archive else None)


def plan(root: Path, repo: Path, exchange: str, repository: Repository | None = None) -> dict[str, Path | bytes]:
    """What goes into a bundle: path -> a file to copy, or the content."""
    from course.book.release import config
    planned: dict[str, Path | bytes] = {}
    for name, source in [("notebooks", root / "notebooks"), ("d2l_utils", repo / "d2l_utils"), ("data", repo / "data"),
                         ("course", HANDOUT / "course"), *((f"course/{n}", repo / "course" / n) for n in LAUNCHER)]:
        if not source.exists():
            raise BundleError(f"{source} is missing: this copy of the book is not whole. Get it again.")
        for path in [source] if source.is_file() else sorted(source.rglob("*")):
            inside = path.relative_to(source)
            unpacked = path.match("FashionMNIST/raw/*-ubyte")
            if path.is_file() and not SKIPPED & set(inside.parts) and not unpacked:
                planned[(Path(name) / inside).as_posix()] = path
    planned["LICENSE"] = repo / "LICENSE"
    planned["start.py"] = repo / "start.py"
    planned[".gitignore"] = HANDOUT / "gitignore"
    planned["Makefile"] = students_part((repo / "Makefile").read_text(encoding="utf-8")).encode()
    pins = requirements(repo)
    planned["requirements.txt"] = pins.encode()
    if repository:
        planned |= repository.files(pins)
        if repository.on_colab:
            planned |= {name: repository.notebook(path, pins) for name, path in planned.items() if name.endswith(".ipynb")}
    version = re.search(r'^version = "(.*)"', (repo / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)[1]
    course_id = config(root).CourseDirectory.course_id
    for name, texts in {"README.md": {"@HANDING_IN@": EXCHANGE if exchange else FILES},
                        "pyproject.toml": {"@VERSION@": version},
                        "nbgrader_config.py": {'"@COURSE_ID@"': repr(course_id), '"@EXCHANGE@"': repr(exchange)}}.items():
        text = (HANDOUT / name).read_text(encoding="utf-8")
        for mark, value in texts.items():
            text = text.replace(mark, value)
        planned[name] = text.encode()
    due = due_dates(root)
    if due:
        rows = ["chapter,due", *(f"{chapter},{when}" for chapter, when in due.items())]
        planned["due.csv"] = "".join(f"{row}\n" for row in rows).encode()
    if not exchange:
        name = "course/lab/jupyter/labconfig/page_config.json"
        page = json.loads(planned[name].read_text(encoding="utf-8"))
        page["disabledExtensions"]["@jupyter/nbgrader:assignment-list"] = True
        planned[name] = (json.dumps(page, indent=2) + "\n").encode()
    return planned


def due_dates(root: Path) -> dict[str, str]:
    """chapter -> when it is due, as ISO 8601 in UTC, of the chapters that have a due date in the gradebook."""
    from course.grading.marks import opened
    if not (root / "gradebook.db").exists():
        return {}
    with opened(root) as gradebook:
        return {found.name: f"{found.duedate:%Y-%m-%dT%H:%M:%S}Z" for found in gradebook.assignments if found.duedate}


def students_part(makefile: str) -> str:
    """The Makefile without the parts between `# >>> instructor` and `# <<< instructor`."""
    return re.sub(r"^# >>> instructor.*?^# <<< instructor\n", "", makefile, flags=re.MULTILINE | re.DOTALL).rstrip("\n") + "\n"


def requirements(repo: Path) -> str:
    """The pins of requirements.txt that DIRECT needs, down to the last."""
    from packaging.requirements import Requirement
    todo, needed = [Requirement(name) for name in DIRECT], set()
    while todo:
        wanted = todo.pop()
        name = re.sub(r"[-_.]+", "-", wanted.name).lower()
        if (name, *sorted(wanted.extras)) in needed:
            continue
        needed.add((name, *sorted(wanted.extras)))
        try:
            asked = metadata.requires(wanted.name) or []
        except metadata.PackageNotFoundError:
            if name in {re.sub(r"[-_.]+", "-", n).lower() for n in DIRECT}:
                raise BundleError(f"{wanted.name} is not installed here. Run `make env` first.") from None
            continue        # of another platform or of a CUDA build: not pinned
        for line in asked:
            requirement = Requirement(line)
            if not requirement.marker or any(requirement.marker.evaluate({"extra": e}) for e in ("", *wanted.extras)):
                todo.append(requirement)
    names = {name for name, *_ in needed}
    lines = (repo / "requirements.txt").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if re.sub(r"[-_.]+", "-", line.partition("==")[0]).lower() in names]
    return "\n".join(["# Every package that the book needs, as tried together on Python 3.11.", *kept]) + "\n"


def _check_notebooks(root: Path) -> None:
    """The notebooks are those that solutions/ builds, and nobody's answers are in them."""
    from course.book import use
    from course.book.build import answers_in, build
    from course.book.index import INDEX
    build(root, gradebook=False, publish=False)
    expected = {f"{path.parent.name}/{path.stem}.ipynb" for path in use.parts(root)}
    expected |= {INDEX} if (root / ".book/release" / INDEX).exists() else set()
    there = {path.relative_to(root / "notebooks").as_posix(): path for path in (root / "notebooks").rglob("*")
             if path.is_file() and not SKIPPED & set(path.parts)}
    for name in sorted(expected | set(there)):
        if name in there and name.endswith(".ipynb") and answers_in(there[name]):
            raise BundleError(f"notebooks/{name} holds answers ({', '.join(answers_in(there[name])[:3])}): students would "
                              "receive them. Move the file to work/ and run `course build`.")
        if name not in expected:
            raise BundleError(f"notebooks/{name} is not from solutions/. Move it away, then try again.")
        if name not in there or there[name].read_bytes() != (root / ".book/release" / name).read_bytes():
            raise BundleError(f"notebooks/{name} is not what solutions/ builds now. Run `course build` first.")


def _made(folder: Path) -> dict[str, str] | None:
    """The manifest of a folder that this command made, None for a new or empty one. Raises BundleError for another."""
    if not os.path.lexists(folder):
        return None
    if not folder.is_dir():
        raise BundleError(f"{folder} is a file. Give a folder that is new, empty, or from an earlier `course bundle`.")
    try:
        return json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["files"]
    except FileNotFoundError:
        if any(folder.iterdir()):
            raise BundleError(f"{folder} is not empty, and `course bundle` did not make it. Give a folder that is new, empty, "
                              "or from an earlier `course bundle`.") from None
        return None
    except (ValueError, KeyError, TypeError, OSError):
        raise BundleError(f"{folder / MANIFEST} cannot be read, so what is of whom in {folder} is not known. "
                          "Give another folder.") from None


def _check_unchanged(folder: Path, made: dict[str, str] | None, hashes: dict[str, str]) -> None:
    """No file that would be replaced or removed is another than this command wrote."""
    for name in sorted({**(made or {}), **hashes}):
        path = folder / name
        if os.path.lexists(path):
            now = _sha256(path) if path.is_file() and not path.is_symlink() else ""
            if now not in ((made or {}).get(name), hashes.get(name)):
                raise BundleError(f"{path} is not as `course bundle` left it. Move it away to have the book's again, or give "
                                  "another folder. Nothing was changed.")


def _sha256(content: Path | bytes) -> str:
    return hashlib.sha256(content if isinstance(content, bytes) else content.read_bytes()).hexdigest()


def _write(folder: Path, made: dict[str, str] | None, planned: dict[str, Path | bytes], hashes: dict[str, str]) -> None:
    def sign():
        text = json.dumps({"about": "the files that `course bundle` made here", "files": hashes}, indent=1)
        (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if made is None:
            sign()          # also a bundle that was stopped halfway is known as one
        for name, content in planned.items():
            path = folder / name
            if (made or {}).get(name) == hashes[name] and path.exists():
                continue
            whole.write(path, content if isinstance(content, bytes) else content.read_bytes())
        for name in set(made or {}) - set(planned):
            (folder / name).unlink(missing_ok=True)
        sign()
    except OSError as error:
        raise BundleError(f"{error.filename or folder} cannot be written ({error.strerror}). "
                          "Make the folder writable, or give another, and run the command again.") from error


def _is_ours(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.comment == COMMENT
    except (OSError, zipfile.BadZipFile):
        return False


def _zip(folder: Path, files: list[str], to: Path) -> None:
    """The same files give the same bytes: names in order, one date."""
    with whole.whole(to) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = COMMENT
        for name in [*files, MANIFEST]:
            entry = zipfile.ZipInfo(f"{folder.name}/{name}", date_time=(2026, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, (folder / name).read_bytes())
