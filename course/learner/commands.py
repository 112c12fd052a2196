"""The learner's commands: progress, todo, watch, solution, reset, and `course check` on one's own answers."""
from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Optional

import typer

from course.where import ROOT, fail

app = typer.Typer()
_What = Annotated[Optional[str], typer.Argument(help="exercise 2.1.3, section 2.1, or chapter ch02; default: all")]
_STYLES = {"right": "green", "wrong": "red", "partly right": "yellow"}


def _select(root: Path, what: str | None):
    """The pages that `what` names; ends the command with one line where there are none, or no work/."""
    from course.learner.progress import in_work
    from course.learner.work import WorkError
    try:
        return in_work(root, what)
    except WorkError as error:
        fail(str(error))
    except LookupError as error:
        fail(str(error.args[0]), 2)


def check_own(root: Path, what: str | None) -> None:
    """`course check` on work/: grades the answers with the hidden tests, and ends with status 1 if one is wrong."""
    from course.learner.progress import OPEN
    chosen = _select(root, what)
    answered = [page for page in chosen if page.trouble or any(e.state != OPEN or e.part for e in page.exercises)]
    if not what:        # sections without an answer have nothing to grade
        chosen = answered
    if not chosen:
        fail("work/ holds no answer yet. Open the book with `make lab`, write one, save, and come back.")
    # not where no answer will run: the command would end only when the warm parent has started
    if any(not page.trouble and (root / "solutions" / page.path).with_suffix(".py").exists() for page in answered):
        _start_early()
    from course.learner.screen import busy
    with busy("Starting"):
        from course.learner.grader import CannotGrade, Grader
    bad = False
    with Grader(root) as grader:
        for i, page in enumerate(chosen, 1):
            count = f" ({i} of {len(chosen)})" if len(chosen) > 1 else ""
            try:
                with busy(f"Hidden tests of {page.number}{count}"):
                    report = grader.grade(page)
            except CannotGrade as error:
                typer.echo(str(error), err=True)
                bad = True
                continue
            show(report)
            bad |= not report.passed
        if not grader.sandboxed:
            typer.echo("(No sandbox on this machine: your answers ran with your own rights, as in JupyterLab.)")
    if bad:
        raise typer.Exit(1)


def _start_early() -> None:
    """The warm parent imports torch while this process imports the judge."""
    from course.engine.warm import start_early
    start_early()


def show(report, news: set[str] | None = None) -> None:
    """Prints one notebook's answered exercises (or those in `news`) and the summary."""
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table
    from course.learner.screen import say
    console = Console(highlight=False)
    rows = [row for row in report.rows if (row.number in news if news is not None else row.state != "not answered")]
    if len(report.rows) <= 3 and news is None:      # asked for by number: also what is not answered
        rows = report.rows
    table = Table(box=box.SIMPLE_HEAD, title=escape(report.page.title), title_justify="left", padding=(0, 1))
    for name, justify in (("exercise", "left"), ("", "left"), ("points", "right"), ("what the tests say", "left")):
        table.add_column(name, justify=justify, overflow="fold", no_wrap=name in ("exercise", "", "points"))
    for row in rows:
        style = _STYLES.get(row.state, "")
        points = f"{row.points:g} of {row.out_of:g}" if row.out_of else ""
        table.add_row(row.number, f"[{style}]{row.state}[/]" if style else row.state, points,
                      escape(row.message or row.title))
    if rows:
        console.print(table)
    for warning in report.warnings:
        say(f"note: {warning}", console)
    say(report.summary(), console)


@app.command(short_help="Grade your answers at each save.")
def watch(what: _What = None) -> None:
    """Grade your answers with the hidden tests each time you save a notebook in work/."""
    _select(ROOT, what)
    _start_early()
    from course.learner.screen import busy, say
    with busy("Starting"):
        from course.learner.grader import CannotGrade
        from course.learner.watch import watch as run
    try:
        run(ROOT, what, show, say, busy)
    except CannotGrade as error:
        fail(str(error))
    except KeyboardInterrupt:
        typer.echo("\nStopped.")


@app.command(short_help="How far you are, section by section.")
def progress(what: _What = None) -> None:
    """How far you are: for each section the exercises right, tried and open, points, and minutes left."""
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table
    from course.learner.progress import chapter_title, suggestion, tally
    from course.learner.screen import say
    chosen = _select(ROOT, what)
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, collapse_padding=True)
    console = Console(highlight=False)
    table.add_column("section", no_wrap=True, max_width=max(console.width - 41, 20))     # a longer title is cut off
    for name, style in (("right", "green"), ("tried", "yellow"), ("open", ""), ("points", ""), ("minutes", "")):
        table.add_column(name, justify="right", no_wrap=True, style=style, header_style="bold")

    def add(name: str, exercises: list, style: str = "") -> None:
        t = tally(exercises)
        counts = [f"{t[kind]}" if t[kind] else "·" for kind in ("right", "tried", "open")]
        table.add_row(name, *counts, f"{t['earned']:g}/{t['points']:g}", f"{t['minutes']:g}", style=style)
    chapter = ""
    for page in chosen:
        if page.chapter != chapter:
            chapter = page.chapter
            table.add_row(f"[bold]{escape(chapter_title(chapter))}[/]")
        add(f"  {escape(page.title)}", page.exercises)
    table.add_section()
    add("all", [e for page in chosen for e in page.exercises], style="bold")
    console.print(table)
    for page in chosen:
        if page.trouble:
            say(page.trouble, console)
    if following := suggestion(chosen):
        _, exercise = following
        needs = f", builds on {exercise.builds_on}" if exercise.needs else ""
        say(f"Next: {exercise.number} · {exercise.title}{needs}.", console)
    say("Minutes are those of what is left. Read from the checks in your notebooks; `course check` runs the hidden tests, and "
        "points for answers in words come from a person.", console)


@app.command(short_help="What is left before you submit.")
def todo(what: _What = None) -> None:
    """What is not answered, or fails its visible check: look here before you submit. Status 1 if there is something."""
    from course.learner.todo import todo as run
    if status := run(_select(ROOT, what), named=bool(what)):
        raise typer.Exit(status)


@app.command(short_help="Show the book's answer, after a pass or asked twice.")
def solution(exercise: Annotated[str, typer.Argument(help="exercise, like 2.1.3")],
             anyway: Annotated[bool, typer.Option(help="before you have passed, and without asking twice")] = False) -> None:
    """Show the book's answer and other right ones: when you have passed, or when you ask twice."""
    page = _select(ROOT, exercise)[0]
    chosen = [e for e in page.exercises if re.match(re.escape(exercise) + "[a-z]?$", e.number)]
    if not chosen:
        fail(f"{exercise} is not one exercise. Say which: like {page.exercises[0].number if page.exercises else '2.1.3'}.", 2)
    from course.learner.screen import busy, say
    with busy("Starting"):
        from course.learner.grader import CannotGrade
        from course.learner.solution import asked_before, passed, solution as find
    held_back = False
    for one in chosen:
        try:
            with busy(f"Has {one.number} passed?"):
                found = find(ROOT, page, one.number)
                done, why = (True, "") if anyway else passed(ROOT, page, one)
        except CannotGrade as error:
            fail(str(error))
        if not done and not asked_before(ROOT, one.number):
            say(f"{one.number} {why.rstrip('.')}. A hint may be enough: they are below its task. To see the answer all the same, "
                f"ask again: course solution {exercise}")
            held_back = True
            continue
        _print_solution(found)
    if held_back:
        raise typer.Exit(1)


def _print_solution(found) -> None:
    from rich.console import Console
    from rich.markdown import Markdown
    from rich.rule import Rule
    from rich.syntax import Syntax
    console = Console(highlight=False)
    console.print(Rule(f"{found.number} {found.title}: the book's answer", align="left"))
    if found.code:
        console.print(Syntax(found.code, "python", background_color="default", word_wrap=True))
    if found.words:
        console.print(Markdown(found.words))
    for how, code in found.others:
        console.print(Rule(f"another right answer: {how}", align="left"))
        console.print(Syntax(code, "python", background_color="default", word_wrap=True))


@app.command(short_help="Put an answer's starter code back.")
def reset(exercise: Annotated[str, typer.Argument(help="exercise, like 2.1.3a")]) -> None:
    """Put an answer's starter code back. What you had written is kept in work/backups/."""
    from course.learner.work import WorkError, reset as put_back
    page = _select(ROOT, exercise)[0]
    numbers = [e.number for e in page.exercises]
    if exercise not in numbers:
        fail(f"{exercise} is not one exercise. Say which of {', '.join(numbers)}.", 2)
    try:
        kept = put_back(ROOT, page.path, exercise)
    except WorkError as error:
        fail(str(error))
    typer.echo(f"{exercise} is as it was handed out. What was there is kept in {kept}." if kept
               else f"{exercise} is as it was handed out already.")
