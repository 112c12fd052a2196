"""The command line: `course build`, `course check`, `course lab`, `course demo`, ..."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

ROOT = Path(__file__).resolve().parent.parent
app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False,
                  help="Build, check, open and grade the deep learning exercise book.")


def fail(message: str, code: int = 1) -> None:
    typer.echo(message, err=True)
    raise typer.Exit(code)


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
        fail(f"{error}\n{len(error.problems)} mistakes; nothing was built.")
    except (WorkInTheWay, RuntimeError, OSError) as error:
        fail(str(error))
    typer.echo(f"{len(changed)} notebooks changed." if changed else "Nothing changed: notebooks/ is up to date.")


@app.command()
def check(what: Annotated[Optional[str], typer.Argument(help="exercise 2.1.3, section 2.1, or chapter ch02_...")] = None,
          stock: Annotated[bool, typer.Option(help="also compare with stock nbgrader (slow)")] = False,
          sandbox: Annotated[bool, typer.Option(help="judge in the sandbox, as grading does")] = False) -> None:
    """Run the gates on the book: references, untouched notebooks, right and wrong variants."""
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
    from course.source import SourceError, read, sources
    chosen, names = [], []
    for path in sources(ROOT):
        stem = path.stem.split("_")
        number = ".".join(part for i, part in enumerate(stem) if part.isdigit() or (i == 0 and len(part) == 1))
        names.append(number)
        whole = what in (None, number, path.parent.name, path.stem, str(path))
        inside = not whole and bool(what) and what.startswith(number + ".")
        if not whole and not inside:
            continue
        try:
            section = read(path)
        except SourceError as error:
            fail(str(error))
        if whole:
            chosen.append((section, None))
        else:
            numbers = {n for n in section.exercises if n == what or n.rstrip("abcdefgh") == what}
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


def main() -> None:
    app()


if __name__ == "__main__":
    main()
