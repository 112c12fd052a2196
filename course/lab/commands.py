"""The commands that open the book: here, and as what students receive."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

from course.where import REPO, ROOT, fail

app = typer.Typer()
_PUBLIC = "where the students' edition is public, for Binder and Colab; else nbgrader_config.py says"


@app.command(short_help="Open the book in JupyterLab.")
def lab(port: Annotated[Optional[int], typer.Option(help="first port to try")] = None,
        browser: Annotated[bool, typer.Option(help="open a browser window")] = True) -> None:
    """Open the book in JupyterLab: makes or updates your copy in work/, then starts the server."""
    from course.lab.start import main as run
    sys.exit(run(ROOT, port=port, browser=browser))


@app.command(short_help="Make what students receive.")
def bundle(folder: Annotated[Path, typer.Argument(help="a folder that is new, empty, or from an earlier bundle")],
           exchange: Annotated[str, typer.Option(help="nbgrader's exchange on the students' machine")] = "",
           repository: Annotated[str, typer.Option(help=_PUBLIC)] = "",
           archive: Annotated[bool, typer.Option("--zip", help="also FOLDER.zip")] = False) -> None:
    """Make what students receive: no solutions, hidden tests or course tools."""
    from course.book.section import SourceError
    from course.lab.bundle import BundleError, bundle as run
    from course.lab.public import NoRepository, Repository, configured
    try:
        public = Repository.of(repository or configured(ROOT))
        made = run(ROOT, REPO, folder, exchange=exchange, repository=public, archive=archive)
    except (BundleError, NoRepository, SourceError, RuntimeError, OSError) as error:
        fail(str(error))
    typer.echo(f"{len(made.files)} files in {made.folder}" + (f", and {made.archive}" if made.archive else "") + ".")
    if exchange:
        typer.echo(_use(exchange))


@app.command(short_help="The book as a web site, to read.")
def site(to: Annotated[Path, typer.Option(help="the folder of the site")] = ROOT / "site",
         repository: Annotated[str, typer.Option(help=_PUBLIC)] = "") -> None:
    """Build the book as a static web site: executed, searchable, without a network. What was run is kept for the next time."""
    from course.lab.public import NoRepository, Repository, configured
    from course.lab.site.build import NoSite, build
    try:
        wrong = build(ROOT, to, Repository.of(repository or configured(ROOT)), say=typer.echo)
    except (NoSite, NoRepository, OSError) as error:
        fail(str(error))
    for line in wrong:
        typer.echo(line, err=True)
    size = sum(path.stat().st_size for path in to.rglob("*") if path.is_file())
    typer.echo(f"{len(list(to.glob('*/*.html')))} pages, {size / 1e6:.0f} MB: open {to / 'index.html'}")
    if wrong:
        raise typer.Exit(1)


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
