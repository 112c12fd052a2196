"""A notebook of the student edition as a page: the same cells, with places to link to, and formulas that need no script."""
from __future__ import annotations

import copy
import html
import re
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from course.engine.notebook import role
from course.grading.formulas import formulas
from course.grading.page import embedded

_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]*\.ipynb)(?:#cell-id=([\w-]+)|#([^)\s]*))?\)")
_HERE = re.compile(r"\[([^\]]+)\]\(#cell-id=([\w-]+)\)")
_MATH = re.compile(r"<math.*?</math>", re.DOTALL)


def page(notebook: NotebookNode, file: str) -> NotebookNode:
    """`file`: its place below notebooks/, for the download. Checks are folded and do not run; hints are folded as they are."""
    made = copy.deepcopy(notebook)
    cells = []
    for cell in made.cells:
        kind = role(cell)
        if cell.cell_type == "markdown":
            anchor = f'<a id="{cell.id}"></a>\n\n'
            cell.source = text(embedded(cell.source, cell.pop("attachments", {})))
            head, _, rest = cell.source.partition("\n")
            # the place stands below a heading that opens a page, or Sphinx would not take it for the title
            cell.source = f"{head}\n\n{anchor}{rest}" if head.startswith("# ") else anchor + cell.source
            if not cells:
                first, heading, rest = cell.source.partition("\n## ")
                link = f'<a download href="{"../" * file.count("/")}notebooks/{file}">Download this notebook</a>'
                cell.source = f'{first.rstrip()}\n\n<p class="download">{link}</p>\n{heading}{rest}'
        else:
            anchor = new_markdown_cell(f'<a id="{cell.id}"></a>')
            anchor.id = f"at-{cell.id}"[:64]
            cells.append(anchor)
            cell.outputs, cell.execution_count = [], None
        tags = list(cell.metadata.get("tags", []))
        if kind == "check":
            tags += ["skip-execution", "hide-input"]
        elif kind == "answer":
            tags += ["remove-output"]
        if cell.metadata.get("nbgrader", {}).get("solution"):
            tags = [tag for tag in tags if tag != "raises-exception"]
        cell.metadata = NotebookNode({"tags": tags} if tags else {})
        cells.append(cell)
    made.cells = cells
    made.metadata.pop("course", None)
    return made


def text(source: str) -> str:
    """Markdown with its formulas as MathML, and its links to notebooks as links to pages."""
    source = _LINK.sub(_link, formulas(source))
    source = _HERE.sub(lambda match: _anchor(match[1], f"#{match[2]}"), source)
    return _MATH.sub(lambda match: re.sub(r"[*_`\[\]]", lambda sign: f"&#{ord(sign[0])};", match[0]), source)


def _link(match: re.Match) -> str:
    words, file, cell, heading = match.groups()
    place = f"#{cell}" if cell else f"#{heading.lower()}" if heading else ""
    return _anchor(words, file.removesuffix(".ipynb") + ".html" + place)


def _anchor(words: str, href: str) -> str:
    shown = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(words, quote=False))
    return f'<a class="reference internal" href="{html.escape(href)}">{shown}</a>'


def write(notebooks: Path, to: Path) -> list[str]:
    """Writes the pages below `to`, those that changed. Returns their names, in the book's order."""
    from course.book.source import order
    names = []
    for path in sorted(notebooks.glob("*/*.ipynb"), key=lambda p: (p.parent.name == "index", p.parent.name, order(p.stem))):
        name = path.relative_to(notebooks).as_posix()
        made = nbformat.writes(page(nbformat.read(path, 4), name)) + "\n"
        target = to / name
        if not target.exists() or target.read_text(encoding="utf-8") != made:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(made, encoding="utf-8")
        names.append(name.removesuffix(".ipynb"))
    for path in to.glob("*/*.ipynb"):
        if path.relative_to(to).as_posix().removesuffix(".ipynb") not in names:
            path.unlink()
    return names
