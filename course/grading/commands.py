"""The teacher's commands: autograde a class, and the demonstration."""
from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Optional

import typer

from course.where import REPO, ROOT, fail

app = typer.Typer()


@app.command(short_help="Grade what is new or changed under submitted/.")
def autograde(chapters: Annotated[Optional[list[str]], typer.Argument(help="chapter folders; default: all")] = None,
              student: Annotated[Optional[list[str]], typer.Option(help="only this student; may be repeated")] = None,
              workers: Annotated[Optional[int], typer.Option(help="processes; default: all cores")] = None,
              scheduler: Annotated[Optional[str], typer.Option(help="a Dask cluster: tls://host:8786")] = None,
              insecure: Annotated[bool, typer.Option(
                  help="take a cluster that is not encrypted: whoever reaches it can run code as you")] = False,
              force: Annotated[bool, typer.Option(help="grade unchanged submissions again")] = False,
              without_sandbox: Annotated[bool, typer.Option(
                  help="run submissions with your own rights: read the README's warning first")] = False) -> None:
    """Grade what is new or changed under submitted/, against the hidden tests."""
    if scheduler and not insecure:
        from course.grading.cluster import Exposed, check_address
        try:
            check_address(scheduler)
        except Exposed as error:
            fail(str(error), 2)
    outcome = _grade(ROOT, chapters, student, workers, scheduler, force, without_sandbox)
    if outcome.unreadable or outcome.failed or outcome.misnamed:
        raise typer.Exit(1)


def _grade(root: Path, chapters=None, students=None, workers=None, scheduler=None, force=False, unsafe=False):
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from course.grading import unit, report
    from course.grading.autograde import Unknown, autograde as run
    from course.grading.cluster import NoCluster
    from course.book.section import SourceError
    from course.grading.gradebook import WrongGradebook
    from course.sandbox.zygote import SandboxUnavailable
    if unsafe:
        os.environ[unit.UNSAFE] = "yes"
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
    for line in outcome.misnamed:
        console.print(line, style="yellow", soft_wrap=True, markup=False)
    for line in outcome.failed:
        console.print(f"not graded: {line}", style="red", soft_wrap=True)
    return outcome


@app.command(short_help="Write the students' feedback pages.")
def feedback(chapters: Annotated[Optional[list[str]], typer.Argument(help="chapter folders; default: all")] = None,
             student: Annotated[Optional[list[str]], typer.Option(help="only this student; may be repeated")] = None,
             workers: Annotated[Optional[int], typer.Option(help="processes; default: all cores")] = None,
             force: Annotated[bool, typer.Option(help="write the pages again that have not changed")] = False) -> None:
    """Write feedback/STUDENT/CHAPTER/NOTEBOOK.html for what is graded, where a page is missing or old."""
    from rich.console import Console
    made = _feedback(ROOT, Console(), chapters, student, force=force, workers=workers)
    if made.failed:
        raise typer.Exit(1)


def _feedback(root: Path, console, chapters=None, students=None, **options):
    from rich.progress import Progress
    from course.grading import feedback as pages
    if not (root / "gradebook.db").exists() or not (root / "autograded").is_dir():
        fail("Nothing is graded yet: there is no gradebook.db, or no autograded/. Run `course autograde` first.", 2)
    with Progress(*Progress.get_default_columns(), console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("feedback", total=None)
        made = pages.make(root, chapters or None, students or None, **options,
                          progress=lambda done, total: bar.update(task, completed=done, total=total))
    console.print(f"{made.written} feedback pages written, {made.unchanged} unchanged, in {root / 'feedback'}", soft_wrap=True)
    for line in made.failed:
        console.print(f"no page: {line}", style="red", soft_wrap=True, markup=False)
    return made


@app.command(short_help="Grade a demonstration class end to end.")
def demo(folder: Annotated[Path, typer.Option(help="where the demonstration goes")] = REPO / "demo") -> None:
    """Grade a demonstration class end to end: build, collect, autograde, feedback, grades.csv."""
    from rich.console import Console
    from course.grading import demo as show, report
    console = Console()
    console.print(f"Making a class of {len(show.CLASS)} students in {folder} ...")
    with console.status("Building the book, handing in, collecting ..."):
        root = show.prepare(REPO, folder)
    outcome = _grade(root)
    _feedback(root, console)
    show.export(root, root / "grades.csv")
    report.print_class(console, root / "grades.csv", {unread.student for unread in outcome.unreadable})
    console.print(f"Grades: {root / 'grades.csv'}", soft_wrap=True)
