"""The book in JupyterLab: your copy in work/, opened on the first page."""
from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path

from course.lab import start
from course.learner.progress import in_work
from course.learner.todo import todo

BOOK = Path(__file__).resolve().parent.parent
SHARED = ("notebooks", "nbgrader_config.py")


def main(arguments: list[str] | None = None) -> int:
    """The command `course`. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="course", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    single = commands.add_parser("lab", help="open the book: makes or updates your copy in work/, then starts JupyterLab")
    single.add_argument("--port", type=int, help="first port to try (8888)")
    single.add_argument("--no-browser", action="store_true", help="only print the address")
    rest = commands.add_parser("todo", help="what is not answered, or fails its visible check: look here before you submit")
    rest.add_argument("what", nargs="?", help="a chapter (ch02), a section (2.1) or an exercise (2.1.3a); else all")
    hub = commands.add_parser("server", help="what JupyterHub starts for a student, in a folder of the student's own")
    hub.add_argument("--folder", type=Path, default=Path.home() / "book", help="the student's folder (~/book)")
    given, extra = parser.parse_known_args(arguments)
    if given.command == "server":
        return server(given.folder, extra)
    if extra:
        parser.error(f"unknown: {' '.join(extra)}")
    if given.command == "todo":
        return left(given.what)
    return start.main(BOOK, port=given.port, browser=not given.no_browser)


def left(what: str | None) -> int:
    """Prints what is left. Returns 1 where something is, 2 where the book has no `what`."""
    try:
        return todo(in_work(BOOK, what), named=bool(what))
    except LookupError as error:
        print(error.args[0], file=sys.stderr)
        return 2
    except start.WorkError as error:
        print(error, file=sys.stderr)
        return 1


def server(folder: Path, extra: list[str]) -> int:
    """Makes the student's copy of a book that many share, then becomes JupyterHub's server for one person."""
    programs = Path(sys.executable).parent
    if not (programs / "jupyterhub-singleuser").exists():
        print(f"{programs} holds no jupyterhub-singleuser. Install JupyterHub there, with the hub's own version; "
              "your own computer needs `make lab` instead.", file=sys.stderr)
        return 1
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in SHARED:
            link = folder / name
            if link.is_symlink():
                link.unlink()
            link.symlink_to(BOOK / name)
        done = start.sync(folder)
        start.say(done)
        custom = folder / ".book/lab/config/custom"
        custom.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(start.PROFILE / "custom/custom.css", custom / "custom.css")
    except (OSError, start.WorkError) as error:
        print(f"The book in {folder} cannot be made: {error}", file=sys.stderr)
        return 1
    home = folder / ".book/lab"
    os.environ.update(
        PATH=str(programs) + os.pathsep + os.environ.get("PATH", os.defpath),
        JUPYTER_CONFIG_PATH=os.pathsep.join([str(start.PROFILE), str(folder)]),
        JUPYTER_CONFIG_DIR=str(home / "config"), JUPYTER_DATA_DIR=str(home / "data"), IPYTHONDIR=str(home / "ipython"))
    first = Path("work") / start.notebooks(folder)[0].relative_to(folder / "notebooks")
    page = f"/lab/tree/{first.as_posix()}" if first in done.made else "/lab"        # as `course lab` does
    os.chdir(folder)
    os.execv(f"{programs}/jupyterhub-singleuser", [
        "jupyterhub-singleuser", "--LabApp.custom_css=True", f"--ServerApp.root_dir={folder}",
        f"--ServerApp.default_url={page}",
        f"--LabApp.extra_labextensions_path={start.PROFILE / 'labextensions'}", *extra])


if __name__ == "__main__":
    sys.exit(main())
