"""The author's commands: build, concepts, and the gates of `course check`."""
from __future__ import annotations

import re
from contextlib import contextmanager
from typing import Annotated, Optional

import typer

from course.where import ROOT, fail

app = typer.Typer()
PARTS = 4               # exercises that are shown in full: one, or the parts of one


@app.command(short_help="Build the student notebooks from solutions/.")
def build(chapters: Annotated[Optional[list[str]], typer.Argument(help="chapter folders; default: all")] = None) -> None:
    """Build the student notebooks in notebooks/ from the text sources in solutions/."""
    from course.book.build import WorkInTheWay, build as run
    from course.book.section import SourceError
    from course.book.use import NoPart
    known = sorted(path.name for path in (ROOT / "solutions").glob("*/"))
    unknown = [name for name in chapters or [] if name not in known]
    if unknown:
        fail(f"No chapter {unknown[0]!r} in solutions/. There are: {', '.join(known)}.", 2)
    try:
        changed = run(ROOT, chapters, say=typer.echo)
    except SourceError as error:
        count = len(error.problems)
        fail(f"{error}\n{count} mistake{'s' * (count > 1)}; nothing was built.")
    except (WorkInTheWay, NoPart, RuntimeError, OSError) as error:
        fail(str(error))
    typer.echo(f"{len(changed)} notebooks changed." if changed else "Nothing changed: notebooks/ is up to date.")


@app.command(short_help="Take a part of the book as the course.")
def use(parts: Annotated[Optional[list[str]], typer.Argument(
            help="chapters (ch02), sections (2.1), exercises (2.1.3); none: say what is in use")] = None,
        everything: Annotated[bool, typer.Option("--all", help="the whole book again")] = False) -> None:
    """Take a part of the book as the course: build, bundle, reports and the gradebook leave the rest out, until it is back.

    The choice stands in course.use. A chapter with submissions stays in the gradebook, with all its marks.
    """
    from course.book import use as uses
    from course.book.source import read
    if parts and everything:
        fail("Give parts of the book, or --all, not both.", 2)
    if parts or everything:
        try:
            uses.parts(ROOT, parts or [])
        except uses.NoPart as error:
            fail(str(error), 2)
        uses.write_words(ROOT, parts or [])
    chosen = uses.words(ROOT)
    if not chosen:
        typer.echo("The course is the whole book.")
    try:
        found = uses.parts(ROOT)
    except uses.NoPart as error:
        fail(f"course.use: {error} Mend the line, or run `course use`.", 2)
    for path, numbers in found.items() if chosen else ():
        section = read(path, lint=False)
        typer.echo(f"{path.parent.name}  {section.title}" + (
            f": {', '.join(n for n in section.exercises if n in numbers)}" if numbers is not None else ""))
    if parts or everything:
        typer.echo("Now run `course build`.")


@app.command(short_help="What the book teaches where, and needs where.")
def concepts(what: Annotated[Optional[str], typer.Argument(help="section 2.1, exercise 2.1.3, or an idea")] = None,
             names: Annotated[bool, typer.Option(help="names in references and hints that nothing above shows")] = False) -> None:
    """What the book teaches where, needs where, and promises. Status 1 where a rewritten section has a mistake.

    With --names, instead: names of functions, methods and keywords that a reference or a hint uses and that no lesson,
    set-up, starter or task above has shown.
    """
    from course.book import listing
    from course.book.concepts import key, vocabulary
    from course.book.section import SourceError
    try:
        words = vocabulary(ROOT)
    except SourceError as error:
        fail(str(error))
    if names:
        return _names(words, what)
    problems = words.problems()
    outline = next((o for o in words.outlines if what in (o.number, o.name) or any(s.number == what for s in o.spots)), None)
    if what is None:
        lines = listing.book(words)
    elif outline:
        only = "" if what in (outline.number, outline.name) else what
        lines = listing.section(words, outline, only)
        problems = [p for p in problems if p.path == outline.path and (not only or f"exercise {only} " in p.what)]
    elif key(what) in words.spelt:
        lines, problems = listing.idea(words, what), []
    else:
        fail(f"Nothing here is called {what!r}. Sections: {', '.join(o.number for o in words.outlines)}; exercises: like "
             "2.1.3; ideas: `course concepts` lists them.", 2)
    for line in (*lines, *listing.mistakes(problems, ROOT)):
        typer.echo(line)
    if problems:
        raise typer.Exit(1)


def _names(words, what: str | None) -> None:
    """`course concepts --names`: prints the findings; those in sections of the old form do not count."""
    from course.book import listing
    from course.book.names import findings
    from course.book.section import SourceError
    from course.book.source import read
    new = {outline.path for outline in words.outlines if outline.new_form}
    try:
        found = findings([read(outline.path, lint=False) for outline in words.outlines])
    except SourceError as error:
        fail(str(error))
    chosen = [problem for section, problem in found
              if what in (None, section.number, section.name) or re.search(rf" of {re.escape(what)}[a-z]? uses", problem.what)]
    for problem in chosen:
        for line in listing.mistakes([problem], ROOT):
            typer.echo(line)
    count = sum(problem.path in new for problem in chosen)
    typer.echo(f"\n{count or 'No'} finding{'s' * (count != 1)} in rewritten sections, {len(chosen) - count} in others.")
    if count:
        raise typer.Exit(1)


def check_book(what: str | None, *, stock: bool, sandbox: bool, overview: bool = False) -> None:
    """`course check --gates`: prints what the gates find, and ends with status 1 where that is something."""
    from rich.console import Console
    from course.book import gates, summary
    from course.book.section import SourceError
    from course.engine.judge import SetupError
    from course.engine.notebook import Engine
    from course.engine.warm import warm_parent
    chosen = _select(what)
    console = Console(highlight=False)
    bad, seen = _concepts({section.path for section, _ in chosen}), []
    with warm_parent(sandbox=sandbox) as zygote, _progress(chosen, overview) as step:
        engine = Engine(zygote)
        for section, only in chosen:
            try:
                findings, facts = gates.examine(ROOT, section, engine, only, step)
                if stock:
                    findings += gates.check_stock(ROOT, section)
            except SourceError as error:
                fail(str(error))
            except SetupError as error:
                fail(f"{section.number}, {section.path.name}: {error}")
            bad += len(findings)
            seen.append((section, facts, len(findings)))
            if overview:
                continue
            for fact in facts.values() if len(facts) <= PARTS else ():
                summary.exercise(console, fact)
            for finding in findings:
                typer.echo(str(finding))
            count = len(only) if only else len(section.exercises)
            typer.echo(f"{section.number}: {count} exercises, {len(findings) or 'no'} findings.")
    if overview:
        summary.table(console, seen)
        summary.open_points(console, ROOT, [section for section, _ in chosen])
    elif bad:
        raise typer.Exit(1)


def _concepts(paths: set) -> int:
    """Prints where the chosen sections need what nothing before them teaches; returns how often."""
    from course.book.concepts import vocabulary
    from course.book.section import SourceError
    try:
        problems = [problem for problem in vocabulary(ROOT).problems() if problem.path in paths]
    except SourceError as error:
        fail(str(error))
    for problem in problems:
        typer.echo(str(problem))
    return len(problems)


@contextmanager
def _progress(chosen, shown: bool):
    """A progress bar over the submissions that the gates grade, where `shown`: the call that moves it."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from course.book.section import rounds
    from course.book.variants import variants
    if not shown:
        yield lambda: None
        return
    total = sum(2 + len(rounds(section, [v for v in variants(ROOT, section) if not only or v.number in only]))
                for section, only in chosen)
    with Progress(TextColumn("gates"), BarColumn(), MofNCompleteColumn(), TextColumn("submissions"), TimeRemainingColumn(),
                  transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda: bar.advance(task)


@app.command(short_help="Are the references' one-step mutations rejected?")
def mutants(what: Annotated[Optional[str], typer.Argument(help="exercise 2.1.3 (2.1.3,2.1.4: two), section 2.1, chapter")] = None,
            most: Annotated[int, typer.Option(help="at most so many for each exercise; default: all")] = 0,
            toml: Annotated[bool, typer.Option("--toml", help="survivors as entries for tests/mutants/")] = False) -> None:
    """Change the references in one place at a time, grade what comes out, and list what gets full marks.

    A survivor is a right answer (tests/mutants/ says why), or the tests have a gap. Minutes for a section.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from course.book import mutants as machine, summary
    from course.engine.notebook import Engine
    chosen = _select(what)
    counts = [sum(map(len, machine.of_section(section, only, most).values())) for section, only in chosen]
    outcomes = []
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("mutants"), TimeRemainingColumn()
    with _warm() as zygote, Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task, engine = bar.add_task("", total=sum(counts)), Engine(zygote)
        for section, only in chosen:
            bar.update(task, description=section.number)
            try:
                outcomes.append(machine.examine(ROOT, section, engine, only, most, lambda count: bar.advance(task, count)))
            except machine.ReferenceFails as error:
                bar.console.print(str(error), highlight=False)
                continue
            for mutant in outcomes[-1].survivors:
                typer.echo(machine.entry(mutant) + "\n" if toml else str(mutant))
            for old in outcomes[-1].stale:
                typer.echo(f"{machine.path_of(ROOT, section)}: {old.number}: no survivor changes {old.was!r} so: take it out.")
    summary.mutants(Console(highlight=False, stderr=toml), outcomes)
    if any(outcome.survivors for outcome in outcomes) or len(outcomes) < len(chosen):
        raise typer.Exit(1)


def _warm():
    """A warm parent, in the sandbox where this machine has one: nobody has looked at what a mutant does."""
    from course.engine.warm import warm_parent
    from course.sandbox.limits import SandboxUnavailable
    try:
        return warm_parent(sandbox=True)
    except SandboxUnavailable:
        return warm_parent(sandbox=False)


def _select(what: str | None):
    """The sections that `what` names, by commas also several, each with the exercises in question (None: all)."""
    from course.book.section import SourceError, covered
    from course.book.source import read, sources
    wanted = [one.strip() for one in what.split(",")] if what else []
    chosen, names, missing = [], [], set(wanted)
    for path in sources(ROOT):
        stem = path.stem.split("_")
        number = ".".join(part for i, part in enumerate(stem) if part.isdigit() or (i == 0 and len(part) == 1))
        title = re.search(r"^# # (.*)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        numbers = covered(number, title.group(1) if title else "")
        names += numbers
        whole = {one for one in wanted if one in (path.parent.name, path.stem, str(path)) or numbers == [one]}
        inside = [one for one in wanted if one not in whole and (one + ".").startswith(tuple(n + "." for n in numbers))]
        if wanted and not whole and not inside:
            continue
        try:
            section = read(path)
        except SourceError as error:
            fail(str(error))
        missing -= whole
        only = set()
        for one in inside:
            found = {n for n in section.exercises if n == one or n.rstrip("abcdefgh") == one or n.startswith(one + ".")}
            only |= found
            missing -= {one} if found else set()
        if whole or not wanted:
            chosen.append((section, None))
        elif only:
            chosen.append((section, only))
    if missing or not chosen:
        called = " or ".join(map(repr, sorted(missing))) or repr(what)
        fail(f"Nothing here is called {called}. Sections: {', '.join(names)}; exercises: like 2.1.3.", 2)
    return chosen
