"""The commands that open the book: here, and as what students receive."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

from course.where import REPO, ROOT, fail

app = typer.Typer()


@app.command(short_help="Open the book in JupyterLab.")
def lab(port: Annotated[Optional[int], typer.Option(help="first port to try")] = None,
        browser: Annotated[bool, typer.Option(help="open a browser window")] = True) -> None:
    """Open the book in JupyterLab: makes or updates your copy in work/, then starts the server."""
    from course.lab.start import main as run
    sys.exit(run(ROOT, port=port, browser=browser))


@app.command(short_help="Make what students receive.")
def bundle(folder: Annotated[Path, typer.Argument(help="a folder that is new, empty, or from an earlier bundle")],
           exchange: Annotated[str, typer.Option(help="nbgrader's exchange on the students' machine")] = "",
           archive: Annotated[bool, typer.Option("--zip", help="also FOLDER.zip")] = False) -> None:
    """Make what students receive: no solutions, hidden tests or course tools."""
    from course.book.section import SourceError
    from course.lab.bundle import BundleError, bundle as run
    try:
        made = run(ROOT, REPO, folder, exchange=exchange, archive=archive)
    except (BundleError, SourceError, RuntimeError, OSError) as error:
        fail(str(error))
    typer.echo(f"{len(made.files)} files in {made.folder}" + (f", and {made.archive}" if made.archive else "") + ".")
    if exchange:
        typer.echo(_use(exchange))


def _use(exchange: str) -> str:
    """Makes the teacher's own nbgrader commands use the students' exchange where it is on this machine. Says what holds."""
    noted = ROOT / "exchange.path"
    if not Path(exchange).is_dir():
        return (f"There is no {exchange} on this machine, so your own nbgrader commands and formgrader do not use it: start them "
                "with COURSE_EXCHANGE set to where it is from here.")
    before = noted.read_text(encoding="utf-8").strip() if noted.exists() else ""
    noted.write_text(exchange + "\n", encoding="utf-8")
    return ("Your own nbgrader commands and formgrader use this exchange, too: exchange.path says so"
            + (f" (it said {before})." if before not in ("", exchange) else "."))
