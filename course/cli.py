"""The command line: `course build`, `course check`, `course lab`, `course demo`, ..."""
from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

from course import learner_cli
from course.where import REPO, ROOT, fail

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False,
                  help="Build, check, open and grade the deep learning exercise book.")


@app.command()
def build(chapters: Annotated[Optional[list[str]], typer.Argument(help="chapter folders; default: all")] = None) -> None:
    """Build the student notebooks in notebooks/ from the text sources in solutions/."""
    from course.build import WorkInTheWay, build as run
    from course.source import SourceError
    known = sorted(path.name for path in (ROOT / "solutions").glob("*/"))
    unknown = [name for name in chapters or [] if name not in known]
    if unknown:
        fail(f"No chapter {unknown[0]!r} in solutions/. There are: {', '.join(known)}.", 2)
    try:
        changed = run(ROOT, chapters)
    except SourceError as error:
        count = len(error.problems)
        fail(f"{error}\n{count} mistake{'s' * (count > 1)}; nothing was built.")
    except (WorkInTheWay, RuntimeError, OSError) as error:
        fail(str(error))
    typer.echo(f"{len(changed)} notebooks changed." if changed else "Nothing changed: notebooks/ is up to date.")


@app.command()
def check(what: Annotated[Optional[str], typer.Argument(help="exercise 2.1.3, section 2.1, or chapter ch02_...")] = None,
          book: Annotated[Optional[bool], typer.Option(
              "--gates/--work", help="test the book itself, or grade your answers; default: yours where work/ is")] = None,
          stock: Annotated[bool, typer.Option(help="gates: also compare with stock nbgrader (slow)")] = False,
          sandbox: Annotated[bool, typer.Option(help="gates: judge in the sandbox, as grading does")] = False) -> None:
    """Grade your answers in work/ with the hidden tests. For authors, --gates: test the book itself.

    The gates run references, untouched notebooks, right and wrong variants; they are the default where no work/ is.
    """
    if book is None:
        book = stock or sandbox or not (ROOT / "work").is_dir()
        typer.echo("The gates on the book itself. (Your own answers: `make lab` first makes work/.)" if book
                   else "Your answers in work/, with the hidden tests. (For authors, the book itself: --gates.)", err=True)
    if not book:
        return learner_cli.check_own(ROOT, what)
    from course import gates
    from course.engine import Engine
    from course.source import SourceError
    from course.zygote import Zygote
    chosen = _select(what)
    bad = 0
    with Zygote(sandbox=sandbox) as zygote:
        engine = Engine(zygote)
        for section, only in chosen:
            try:
                findings = gates.check_section(ROOT, section, engine, only)
                if stock:
                    findings += gates.check_stock(ROOT, section)
            except SourceError as error:
                fail(str(error))
            for finding in findings:
                typer.echo(str(finding))
            bad += len(findings)
            count = len(only) if only else len(section.exercises)
            typer.echo(f"{section.number}: {count} exercises, {len(findings) or 'no'} findings.")
    if bad:
        raise typer.Exit(1)


def _select(what: str | None):
    """The sections that `what` names, each with the exercises in question (None: all)."""
    from course.source import SourceError, covered, read, sources
    chosen, names = [], []
    for path in sources(ROOT):
        stem = path.stem.split("_")
        number = ".".join(part for i, part in enumerate(stem) if part.isdigit() or (i == 0 and len(part) == 1))
        title = re.search(r"^# # (.*)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        numbers = covered(number, title.group(1) if title else "")
        names += numbers
        whole = what in (None, path.parent.name, path.stem, str(path)) or numbers == [what]
        inside = not whole and bool(what) and (what + ".").startswith(tuple(n + "." for n in numbers))
        if not whole and not inside:
            continue
        try:
            section = read(path)
        except SourceError as error:
            fail(str(error))
        if whole:
            chosen.append((section, None))
        else:
            numbers = {n for n in section.exercises if n == what or n.rstrip("abcdefgh") == what or n.startswith(what + ".")}
            if numbers:
                chosen.append((section, numbers))
    if not chosen:
        fail(f"Nothing here is called {what!r}. Sections: {', '.join(names)}; exercises: like 2.1.3.", 2)
    return chosen


@app.command()
def lab(port: Annotated[Optional[int], typer.Option(help="first port to try")] = None,
        browser: Annotated[bool, typer.Option(help="open a browser window")] = True) -> None:
    """Open the book in JupyterLab: makes or updates your copy in work/, then starts the server."""
    from course.lab import main as run
    sys.exit(run(ROOT, port=port, browser=browser))


@app.command()
def bundle(folder: Annotated[Path, typer.Argument(help="a folder that is new, empty, or from an earlier bundle")],
           exchange: Annotated[str, typer.Option(help="nbgrader's exchange on the students' machine")] = "",
           archive: Annotated[bool, typer.Option("--zip", help="also FOLDER.zip")] = False) -> None:
    """Make what students receive: no solutions, hidden tests or course tools."""
    from course.build import SourceError
    from course.bundle import BundleError, bundle as run
    try:
        made = run(ROOT, REPO, folder, exchange=exchange, archive=archive)
    except (BundleError, SourceError, RuntimeError, OSError) as error:
        fail(str(error))
    typer.echo(f"{len(made.files)} files in {made.folder}" + (f", and {made.archive}" if made.archive else "") + ".")


@app.command()
def autograde(chapters: Annotated[Optional[list[str]], typer.Argument(help="chapter folders; default: all")] = None,
              student: Annotated[Optional[list[str]], typer.Option(help="only this student; may be repeated")] = None,
              workers: Annotated[Optional[int], typer.Option(help="processes; default: all cores")] = None,
              scheduler: Annotated[Optional[str], typer.Option(help="a Dask cluster: tcp://host:8786")] = None,
              force: Annotated[bool, typer.Option(help="grade unchanged submissions again")] = False,
              without_sandbox: Annotated[bool, typer.Option(
                  help="run submissions with your own rights: read the README's warning first")] = False) -> None:
    """Grade what is new or changed under submitted/, against the hidden tests."""
    outcome = _grade(ROOT, chapters, student, workers, scheduler, force, without_sandbox)
    if outcome.unreadable or outcome.failed:
        raise typer.Exit(1)


def _grade(root: Path, chapters=None, students=None, workers=None, scheduler=None, force=False, unsafe=False):
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from course import grading, report
    from course.autograde import Unknown, autograde as run
    from course.cluster import NoCluster
    from course.build import SourceError
    from course.gradebook import WrongGradebook
    from course.zygote import SandboxUnavailable
    if unsafe:
        os.environ[grading.UNSAFE] = "yes"
        typer.echo("Grading WITHOUT a sandbox: submissions run with your rights, see the README.", err=True)
    console = Console()
    columns = [TextColumn("grading"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
               TextColumn("{task.fields[states]}")]
    try:
        with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
            task = bar.add_task("", total=None, states="starting")

            def progress(done, total, states):
                counts = ", ".join(f"{count} {state}" for state, count in states.most_common())
                bar.update(task, completed=done, total=total, states=counts)
            outcome = run(root, chapters or None, students or None, workers=workers, scheduler=scheduler, force=force,
                          progress=progress)
    except (Unknown, NoCluster, SourceError) as error:
        fail(str(error), 2)
    except SandboxUnavailable as error:
        fail(f"Grading needs a sandbox, and this machine gives none:\n{error}\n"
             "To grade all the same, with submissions running under your own rights: --without-sandbox. "
             "The README says what that risks.", 3)
    except (WrongGradebook, RuntimeError, OSError) as error:
        fail(str(error))
    verdicts = report.collect(root, chapters)
    if verdicts:
        report.print_exercises(console, verdicts)
        page = root / "grades" / "heat_map.html"
        page.parent.mkdir(exist_ok=True)
        page.write_text(report.heat_map(verdicts), encoding="utf-8")
        console.print(f"Heat map: {page}", soft_wrap=True)
    console.print(f"{outcome.graded} notebooks graded, {outcome.unchanged} unchanged; "
                  + ", ".join(f"{n} {s}" for s, n in outcome.states.most_common()) + ".")
    for line in report.unread(outcome.unreadable):
        console.print(f"could not be read: {line}", style="yellow", soft_wrap=True)
    for line in outcome.failed:
        console.print(f"not graded: {line}", style="red", soft_wrap=True)
    return outcome


@app.command()
def demo(folder: Annotated[Path, typer.Option(help="where the demonstration goes")] = REPO / "demo") -> None:
    """Grade a demonstration class end to end: build, collect, autograde, feedback, grades.csv."""
    from rich.console import Console
    from rich.progress import Progress
    from course import demo as show, report
    console = Console()
    console.print(f"Making a class of {len(show.CLASS)} students in {folder} ...")
    with console.status("Building the book, handing in, collecting ..."):
        root = show.prepare(REPO, folder)
    outcome = _grade(root)
    with Progress(*Progress.get_default_columns(), console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("feedback", total=None)
        pages = show.feedback(root, lambda done, total: bar.update(task, completed=done, total=total))
    show.export(root, root / "grades.csv")
    report.print_class(console, root / "grades.csv", {unread.student for unread in outcome.unreadable})
    console.print(f"{len(pages)} feedback pages in {root / 'feedback'}\nGrades: {root / 'grades.csv'}", soft_wrap=True)


@app.command()
def doctor() -> None:
    """Look at this machine: a real round trip, and what is missing."""
    from course.doctor import examine
    ill = 0
    for well, what, follows in examine(REPO):
        typer.echo(f"{'ok     ' if well else 'MISSING'}  {what}" + (f"\n         {follows}" if follows else ""))
        ill += not well
    if ill:
        raise typer.Exit(1)


app.add_typer(learner_cli.app)


def main() -> None:
    app()


if __name__ == "__main__":
    main()
