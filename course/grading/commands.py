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
    from course.grading.progress import wide
    console = wide()
    outcome = _grade(ROOT, console, chapters, student, workers, scheduler, force, without_sandbox)
    if outcome.graded + outcome.unchanged + len(outcome.failed):
        _report(ROOT, console, by_student=False)
    _say(outcome, console)
    if outcome.unreadable or outcome.failed or outcome.misnamed:
        raise typer.Exit(1)


def _grade(root: Path, console, chapters=None, students=None, workers=None, scheduler=None, force=False, unsafe=False):
    from course.grading.progress import progress
    from course.grading import unit
    from course.grading.autograde import Unknown, autograde as run
    from course.grading.cluster import NoCluster
    from course.book.section import SourceError
    from course.grading.gradebook import WrongGradebook
    from course.sandbox.zygote import SandboxUnavailable
    if unsafe:
        os.environ[unit.UNSAFE] = "yes"
        typer.echo("Grading WITHOUT a sandbox: submissions run with your rights, see the README.", err=True)
    try:
        with progress(console, "grading") as told:
            def tell(done, total, states):
                told(done, total, ", ".join(f"{count} {state}" for state, count in states.most_common()))
            outcome = run(root, chapters or None, students or None, workers=workers, scheduler=scheduler, force=force,
                          progress=tell)
    except (Unknown, NoCluster, SourceError) as error:
        fail(str(error), 2)
    except SandboxUnavailable as error:
        fail(f"Grading needs a sandbox, and this machine gives none:\n{error}\n"
             "To grade all the same, with submissions running under your own rights: --without-sandbox. "
             "The README says what that risks.", 3)
    except (WrongGradebook, RuntimeError, OSError) as error:
        fail(str(error))
    if not outcome.graded + outcome.unchanged + len(outcome.failed):
        console.print("Nobody has handed in " + (", ".join(chapters) if chapters else "anything") + ": there is nothing under "
                      "submitted/ to grade. Collect the class first (`nbgrader collect CHAPTER`, or put "
                      "submitted/STUDENT/CHAPTER/NOTEBOOK.ipynb in place).", soft_wrap=True)
    return outcome


def _say(outcome, console) -> None:
    from course.grading import report
    console.print(f"{outcome.graded} notebooks graded, {outcome.unchanged} unchanged; "
                  + ", ".join(f"{n} {s}" for s, n in outcome.states.most_common()) + ".")
    for line in outcome.said:
        console.print(line, soft_wrap=True, markup=False)
    for line in report.unread(outcome.unreadable):
        console.print(f"could not be read: {line}", style="yellow", soft_wrap=True)
    for line in outcome.misnamed:
        console.print(line, style="yellow", soft_wrap=True, markup=False)
    for line in outcome.failed:
        console.print(f"not graded: {line}", style="red", soft_wrap=True)


def _need_grades(root: Path) -> None:
    """Ends the command where nothing is graded, or extensions.csv cannot be read."""
    from course.grading.late import NoExtension, extensions
    if not (root / "gradebook.db").exists() or not (root / "autograded").is_dir():
        fail("Nothing is graded yet: there is no gradebook.db, or no autograded/. Run `course autograde` first.", 2)
    try:
        extensions(root)
    except NoExtension as error:
        fail(str(error), 2)


@app.command(short_help="Write the students' feedback pages.")
def feedback(chapters: Annotated[Optional[list[str]], typer.Argument(help="chapter folders; default: all")] = None,
             student: Annotated[Optional[list[str]], typer.Option(help="only this student; may be repeated")] = None,
             workers: Annotated[Optional[int], typer.Option(help="processes; default: all cores")] = None,
             force: Annotated[bool, typer.Option(help="write the pages again that have not changed")] = False) -> None:
    """Write feedback/STUDENT/CHAPTER/NOTEBOOK.html for what is graded, where a page is missing or old."""
    from course.grading.progress import wide
    made = _feedback(ROOT, wide(), chapters, student, force=force, workers=workers)
    if made.failed:
        raise typer.Exit(1)


def _feedback(root: Path, console, chapters=None, students=None, **options):
    from course.grading.progress import progress
    from course.grading import feedback as pages
    _need_grades(root)
    with progress(console, "feedback") as told:
        made = pages.make(root, chapters or None, students or None, **options, progress=told)
    console.print(f"{made.written} feedback pages written, {made.unchanged} unchanged, in {root / 'feedback'}", soft_wrap=True)
    for line in made.failed:
        console.print(f"no page: {line}", style="red", soft_wrap=True, markup=False)
    return made


@app.command(short_help="Mark written answers, one exercise across the class.")
def mark(port: Annotated[int, typer.Option(help="where to listen; default: a free one")] = 0,
         browser: Annotated[bool, typer.Option(help="open the page")] = True) -> None:
    """Mark written answers in the browser: rubric, model answer, and one exercise across all students."""
    import asyncio
    import webbrowser
    from course.grading.markpage import serve
    _need_grades(ROOT)

    async def run() -> None:
        try:
            server, address = serve(ROOT, port)
        except OSError as error:
            fail(f"Nothing can listen on port {port}: {error.strerror}. Take another, or none for a free one.")
        typer.echo(f"Marking, on this machine alone, at\n\n    {address}\n\nStop it with Ctrl-C; what is saved stays saved.")
        if browser and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.name == "nt"):
            webbrowser.open(address)
        await asyncio.Event().wait()
    try:
        asyncio.run(run())
    except KeyboardInterrupt:
        typer.echo("\nStopped.")


@app.command(name="report", short_help="How the class did: a table, and a page.")
def report_(to: Annotated[Optional[Path], typer.Option(help="the page; default: grades/report.html")] = None) -> None:
    """The class by student in the terminal; and as a page: exercises, students, mistakes, what waits for marks."""
    from course.grading.progress import wide
    _report(ROOT, wide(), to)


def _report(root: Path, console, to: Path | None = None, *, by_student: bool = True) -> None:
    """The whole class, whichever part of it was graded last."""
    from course.grading.progress import progress
    from course.grading import report
    from course.grading.results import collect
    _need_grades(root)
    with progress(console, "reading the results") as told:
        results = collect(root, told)
    if not results.students:
        console.print("No submission is graded yet: there is nothing to report.")
        return
    if by_student:
        report.print_class(console, results)
    else:
        report.print_exercises(console, results)
    page = to or root / "grades/report.html"
    report.write_page(results, page, root)
    console.print(f"The class as a page: {page}", soft_wrap=True)
    if report.waiting(results):
        console.print(report.waiting(results), style="magenta", soft_wrap=True)


@app.command(name="export", short_help="Marks as CSV: by exercise, for Canvas, for Moodle.")
def export_(to: Annotated[Optional[Path], typer.Option(help="the file; default: grades/FORMAT.csv")] = None,
            form: Annotated[str, typer.Option("--format", help="exercises, canvas or moodle")] = "exercises") -> None:
    """Write the marks of the class as CSV. `nbgrader export` writes nbgrader's own form."""
    from course.grading import export
    from course.grading.marks import opened
    from course.grading.results import collect
    if form not in export.FORMATS:
        fail(f"There is no format {form!r}. There are: {', '.join(export.FORMATS)}.", 2)
    _need_grades(ROOT)
    results = collect(ROOT)
    with opened(ROOT) as gradebook:
        persons = export.people(gradebook, results.students)
    target = to or ROOT / f"grades/{form}.csv"
    left = export.write(results, persons, target, form)
    typer.echo(f"{len(persons)} students, {len(results.exercises)} exercises: {target}")
    if left:
        how = "are called not final" if form == "exercises" else "are left empty, and an import changes nothing there"
        typer.echo(f"{left} totals wait for a person's marks: they {how}.", err=True)


@app.command(short_help="Answers that are alike across students, side by side.")
def alike(chapters: Annotated[Optional[list[str]], typer.Argument(help="chapter folders; default: all")] = None,
          to: Annotated[Optional[Path], typer.Option(help="the page; default: grades/alike.html")] = None) -> None:
    """Find pairs of students with answers that are alike, and write a page with both texts side by side."""
    from course.book.use import chapters as used
    from course.grading import alike as pairs
    from course.grading.progress import progress, wide
    _need_grades(ROOT)
    known = used(ROOT)
    for chapter in chapters or []:
        if chapter not in known:
            fail(f"No chapter {chapter!r}. There are: {', '.join(known)}.", 2)
    console = wide()
    with progress(console, "comparing") as told:
        found = pairs.find(ROOT, chapters or None, told)
    page = to or ROOT / "grades/alike.html"
    students = len(list((ROOT / "autograded").glob("*/")))
    pairs.write_page(found, page, students)
    for pair in found[:10]:
        console.print(f"{pair.students[0]} and {pair.students[1]}: {len(pair.same)} exercises, {pair.bits:.1f} bits",
                      markup=False, highlight=False)
    console.print(f"{len(found)} pairs with answers that are alike: {page}" if found else
                  f"No answers are alike, but for those that everybody may write: {page}", soft_wrap=True)


@app.command(short_help="Give one student more time.")
def extend(student: Annotated[str, typer.Argument(help="who")], chapter: Annotated[str, typer.Argument(help="of which chapter")],
           days: Annotated[float, typer.Option(help="days after the due date of all; 0 takes an extension back")] = 7) -> None:
    """Give one student more time for one chapter: late penalties, reports and exports obey it at once."""
    from course.grading.late import NoExtension, extend as grant
    try:
        typer.echo(grant(ROOT, student, chapter, days))
    except NoExtension as error:
        fail(str(error), 2)


@app.command(short_help="Start the course anew with another class.")
def anew(yes: Annotated[bool, typer.Option("--yes", help="without asking")] = False) -> None:
    """Start the course anew: last year's gradebook, submissions, feedback and grades are moved to archive/, none is lost.

    The book, course.use and the exchange's place stay.
    """
    from course.book.build import build
    from course.book.release import config
    from course.grading import anew as again
    there = again.left(ROOT)
    if not there:
        typer.echo("There is nothing of a class here: the course is new.")
        return
    typer.echo("Of the last class there are: " + ", ".join(path.name for path in there) + ".")
    if not yes and not typer.confirm(f"Move them to {again.ARCHIVE}/?"):
        typer.echo("Nothing was moved.")
        return
    try:
        to, names = again.start(ROOT)
    except OSError as error:
        fail(f"{error.filename} could not be moved ({error.strerror}); everything is where it was. Close what uses it "
             "(formgrader, `course mark`), and run the command again.")
    typer.echo(f"Moved to {to.relative_to(ROOT)}: {', '.join(names)}. To have them back, move them here again.")
    build(ROOT, publish=False, say=typer.echo)
    typer.echo("The gradebook is new: chapters without students, submissions or due dates.")
    exchange = config(ROOT).Exchange.root
    exchange = exchange if isinstance(exchange, str) else ""
    if exchange and not Path(exchange).is_relative_to(ROOT) and Path(exchange).exists():
        typer.echo(f"The exchange {exchange} is another folder: what the last class handed in is still there, and `nbgrader "
                   "collect` would fetch it. Give the course another course_id in nbgrader_config.py, or empty its inbound/.")


@app.command(short_help="Grade a demonstration class end to end.")
def demo(parts: Annotated[Optional[list[str]], typer.Argument(help="of the book, as for `course use`")] = None,
         folder: Annotated[Path, typer.Option(help="where the demonstration goes")] = REPO / "demo",
         everything: Annotated[bool, typer.Option("--all", help="the whole book")] = False) -> None:
    """Grade a demonstration class end to end: build, collect, autograde, feedback, grades.csv. One chapter, if none is named."""
    from course.book import use
    from course.grading.progress import wide
    from course.grading import demo as show
    chosen = [] if everything else parts or show.PART
    try:
        use.parts(REPO, chosen)
    except use.NoPart as error:
        fail(str(error), 2)
    console = wide()
    console.print(f"Making a class of {len(show.CLASS)} students in {folder}, with "
                  + (" ".join(chosen) if chosen else "the whole book") + " ...")
    with console.status("Building the book, handing in, collecting ..."):
        root = show.prepare(REPO, folder, chosen)
    _say(_grade(root, console), console)
    _feedback(root, console)
    show.export(root, root / "grades.csv")
    _report(root, console)
    console.print(f"Grades: {root / 'grades.csv'}", soft_wrap=True)
    console.print(f"A student's feedback: {next((root / 'feedback/claude').rglob('*.html'), root / 'feedback')}", soft_wrap=True)
    here = os.path.relpath(root)
    console.print(f"Marking and the class, in the browser: COURSE_ROOT={here} .venv/bin/course mark; in formgrader: "
                  f"cd {here} && ../.venv/bin/jupyter lab, Nbgrader > Formgrader", soft_wrap=True)
