"""Builds the site from notebooks/: pages, a cover with the chapters, Sphinx's run, and a look at what came out."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

from course.lab.public import Repository
from course.lab.site import pages, words
from course.learner.progress import chapter_title

HERE = Path(__file__).parent


class NoSite(RuntimeError):
    """The site cannot be built, with the reason and what to do."""


def build(root: Path, to: Path, repository: Repository | None = None,
          say: Callable[[str], None] = lambda line: None) -> list[str]:
    """Builds the site into the folder `to`, with links to Binder and Colab where the book is public. Returns what is wrong
    with it: links that lead nowhere, cells that failed. Raises NoSite."""
    try:
        import myst_nb  # noqa: F401
        import sphinx_book_theme  # noqa: F401
    except ImportError as error:
        raise NoSite(f"{error.name} is missing: `make env` installs it.") from None
    work = root / ".book/site"
    source = work / "source"
    source.mkdir(parents=True, exist_ok=True)
    names = pages.write(root / "notebooks", source)
    if not names:
        raise NoSite(f"{root / 'notebooks'} holds no notebook. Run `course build` first.")
    if not (source / "conf.py").exists() or (source / "conf.py").read_bytes() != (HERE / "conf.py").read_bytes():
        shutil.rmtree(work / "doctrees", ignore_errors=True)        # or Sphinx keeps what other settings made of a page
    shutil.copyfile(HERE / "conf.py", source / "conf.py")
    (source / "_static").mkdir(exist_ok=True)
    for name in ("book.css", "book.js"):
        shutil.copyfile(HERE / name, source / "_static" / name)
    extra = source / "_extra/notebooks"
    shutil.rmtree(extra, ignore_errors=True)
    for name in names:
        (extra / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / "notebooks" / f"{name}.ipynb", extra / f"{name}.ipynb")
    (source / "index.md").write_text(_cover(names), encoding="utf-8")
    # a backend that somebody has set for scripts would leave the pages without figures
    environment = os.environ | {"D2L_DEVICE": "cpu", "SITE_CACHE": str(work / "cache"), "OMP_NUM_THREADS": "1",
                                "MPLBACKEND": "module://matplotlib_inline.backend_inline",
                                "PYTHONPATH": os.pathsep.join(filter(None, [str(root), os.environ.get("PYTHONPATH")]))}
    if repository:
        environment |= {"SITE_REPOSITORY": repository.url, "SITE_BRANCH": repository.branch}
    made = work / "html"        # not `to`: myst-nb puts a folder of its own, jupyter_execute, beside what it builds
    run = subprocess.Popen([sys.executable, "-m", "sphinx", "-b", "html", "-d", str(work / "doctrees"), str(source), str(made)],
                           env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines = []
    for line in run.stdout:
        lines.append(line.rstrip())
        if "Executing notebook" in line:
            say(f"running {Path(line.split(':')[0]).name}")
    if run.wait():
        raise NoSite("Sphinx could not build it:\n" + "\n".join(lines[-12:]))
    shutil.copytree(made, to, dirs_exist_ok=True)
    words.give(work / "jupyter_execute", to)
    failed = [re.sub(r"\x1b\[\d+m", "", line) for line in lines if "Execution" in line and "WARNING" in line]
    return failed + broken_links(to)


def _cover(names: list[str]) -> str:
    """The cover, with the chapters in the sidebar's order."""
    chapters: dict[str, list[str]] = {}
    for name in names:
        chapters.setdefault(name.split("/")[0], []).append(name)
    parts = ["# Deep learning, exercise by exercise\n\nAn exercise book that checks its own answers. Here it is to read, with "
             "the output of its worked code; to answer and check, download a page and run it in the book's environment.\n"]
    for chapter, members in chapters.items():
        title = "Index" if chapter == "index" else chapter_title(chapter)
        parts.append("```{toctree}\n:caption: " + title + "\n:maxdepth: 1\n\n" + "\n".join(members) + "\n```\n")
    return "\n".join(parts)


class _Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if found.get("id"):
            self.places.add(found["id"])
        for name in ("href", "src"):
            if found.get(name):
                self.links.append(found[name])


def broken_links(site: Path) -> list[str]:
    """Links and sources of the site's own pages that lead to no file, or to no place in it; and what comes from a network."""
    read: dict[Path, _Links] = {}
    for path in site.rglob("*.html"):
        if "_static" in path.parts:         # the theme's templates
            continue
        read[path.resolve()] = parser = _Links()
        parser.feed(path.read_text(encoding="utf-8"))
    wrong = []
    for path, parser in read.items():
        for link in parser.links:
            if re.match(r"(https?:)?//|mailto:|data:|javascript:", link):
                continue
            file, _, place = link.partition("#")
            target = (path.parent / unquote(file.partition("?")[0])).resolve() if file else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                wrong.append(f"{path.relative_to(site.resolve())}: {link} leads to no file")
            elif place and target in read and unquote(place) not in read[target].places:
                wrong.append(f"{path.relative_to(site.resolve())}: {link} leads to no place in it")
    return sorted(set(wrong))
