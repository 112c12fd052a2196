"""The command line: `course lab`, `course check`, `course build`, `course autograde`, ...

Each room has its commands; here they are put together, by who uses them.
"""
from __future__ import annotations

import atexit
import gc
from typing import Annotated, Optional

import typer

from course.book import commands as author
from course.grading import commands as teacher
from course.lab import commands as lab
from course.learner import commands as learner
from course.where import REPO, ROOT

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False,
                  help="Build, check, open and grade the deep learning exercise book.")
LEARNER, AUTHOR, TEACHER = "For learners", "For authors", "For teachers"


@app.command(short_help="Grade your answers; --gates: test the book itself.")
def check(what: Annotated[Optional[str], typer.Argument(
              help="exercise 2.1.3 (gates: 2.1.3,2.1.4, too), section 2.1, or chapter ch02_...")] = None,
          book: Annotated[Optional[bool], typer.Option(
              "--gates/--work", help="test the book itself, or grade your answers; default: yours where work/ is")] = None,
          stock: Annotated[bool, typer.Option(help="gates: also compare with stock nbgrader (slow)")] = False,
          sandbox: Annotated[bool, typer.Option(help="gates: judge in the sandbox, as grading does")] = False,
          summary: Annotated[bool, typer.Option("--summary", help="gates: a table of the sections; nothing fails")] = False
          ) -> None:
    """Grade your answers in work/ with the hidden tests. For authors, --gates: test the book itself.

    The gates run references, untouched notebooks, right and wrong variants; they are the default where no work/ is.
    """
    if book is None:
        book = stock or sandbox or summary or not (ROOT / "work").is_dir()
        typer.echo("The gates on the book itself. (Your own answers: `make lab` first makes work/.)" if book
                   else "Your answers in work/, with the hidden tests. (The book itself: --gates.)", err=True)
    if not book:
        return learner.check_own(ROOT, what)
    author.check_book(what, stock=stock, sandbox=sandbox, overview=summary)


@app.command(short_help="Look at this machine: what is missing?")
def doctor() -> None:
    """Look at this machine: a real round trip, and what is missing."""
    from course.doctor import examine
    ill = 0
    for well, what, follows in examine(REPO):
        typer.echo(f"{'ok     ' if well else 'MISSING'}  {what}" + (f"\n         {follows}" if follows else ""))
        ill += not well
    if ill:
        raise typer.Exit(1)


def _gather() -> None:
    """All rooms' commands in one list, which `course --help` shows in three groups."""
    own, app.registered_commands = app.registered_commands, []
    for panel, commands in ((LEARNER, lab.app.registered_commands[:1]), (LEARNER, own[:1]),
                            (LEARNER, learner.app.registered_commands), (AUTHOR, author.app.registered_commands),
                            (TEACHER, teacher.app.registered_commands), (TEACHER, lab.app.registered_commands[1:]),
                            (TEACHER, own[1:])):
        for command in commands:
            command.rich_help_panel = panel
            app.registered_commands.append(command)


_gather()


def main() -> None:
    atexit.register(gc.freeze)      # or Python, as it ends, looks at all that torch has made: half a second without a word
    try:
        app()
    except ModuleNotFoundError as error:
        if error.name not in ("fcntl", "grp", "pwd", "resource"):       # parts of Python that Windows has not
            raise
        raise SystemExit("This command runs answers in a sandbox, or builds and grades a course, and needs Linux: on Windows, "
                         "use WSL. Here, `course lab`, `progress`, `todo` and `reset` work, and every visible check in the "
                         "notebooks.") from None


if __name__ == "__main__":
    main()
