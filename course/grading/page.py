"""A student's feedback on one notebook as one HTML page that needs nothing else: first a table, then their answers.

The page holds what a student wrote, and their teacher opens it: all of it is text to the template, or goes through
`_clean`. Tests, visible or hidden, are not shown.
"""
from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from course.book.section import grade_id
from course.engine.judge import PASSED, Verdict
from course.engine.notebook import READ_AGAIN, number_of, role
from course.engine.outputs import behaves_like
from course.grading.formulas import ATTRIBUTES, TAGS, formulas
from course.grading.marks import Marks
from course.grading.states import MARKED, NONE, RIGHT, UNREAD, WAITS, State, state
from d2l_utils.check.requirements import FAILED, HELD, NOT_REACHED, requirements

VERSION = 1                 # of the page: raise it, and all are made again
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[@-_])?")
_PLAIN = ("a b blockquote br code del div em h1 h2 h3 h4 h5 h6 hr i img li ol p pre s span strong sub sup table tbody td "
          "th thead tr u ul details summary").split()
_MOST = 20_000              # characters of one output that a page shows


@dataclass
class Row:
    """One exercise of the page: one line of the table, and one answer."""
    number: str
    title: str
    anchor: str
    task: str = ""                                              # HTML
    answers: list[dict] = field(default_factory=list)           # kind: code or words; html; outputs
    score: float = 0.0
    out_of: float = 0.0
    state: State = NONE
    message: str = ""
    known: str = ""
    again: str = ""                                             # the ideas to read again, with their sections
    stated: dict[str, str] = field(default_factory=dict)        # the task's requirements: name -> what holds
    requirements: list[tuple[str, str, str, str]] = field(default_factory=list)     # name, state, sign, what holds
    comments: list[str] = field(default_factory=list)           # HTML

    @property
    def next(self) -> str:
        """What to look at next, in a few words; "" where there is nothing."""
        if self.state in (RIGHT, MARKED):
            return ""
        if self.state is WAITS:
            return "Nothing: a person reads this answer."
        if self.state is UNREAD:
            return "Hand it in again: the file could not be read."
        if self.state is NONE:
            return "Not answered: begin with the task."
        missed = [name for name, state, *_ in self.requirements if state == FAILED]
        return f"Look at: {', '.join(missed)}." if missed else _beginning(self.message)


def page(notebook, marks: Marks, *, student: str, chapter: str, penalty: float = 0.0, key: str = "") -> str:
    """The page of a graded notebook (autograded/<student>/<chapter>/<name>.ipynb) with what the gradebook says of it."""
    course = notebook.metadata.get("course", {})
    record = course.get("graded", {})
    verdicts = {verdict["number"]: verdict for verdict in record.get("verdicts", [])}
    rows: dict[str, Row] = {}
    title = ""
    for cell in notebook.cells:
        if not title and cell.cell_type == "markdown":
            title = cell.source.split("\n", 1)[0].lstrip("# ").strip()
        kind = _kind(cell)
        if kind:
            number = number_of(cell) if kind != "task" else cell.id.removeprefix("task-").replace("-", ".")
            row = rows.setdefault(number, Row(number, number, f"exercise-{number}"))
            _add(row, cell, kind, marks)
    for number, row in rows.items():
        _judge(row, verdicts.get(number), marks, bool(record.get("unreadable")))
    shown = [row for row in rows.values() if row.out_of or row.answers]
    return template("feedback.html").render(
        title=title, student=student, chapter=chapter, rows=shown, score=marks.score, penalty=penalty, out_of=marks.out_of,
        waiting=[row for row in shown if row.state is WAITS], warnings=record.get("warnings", []), key=key,
        styles=_highlighter().get_style_defs(".code"))


def _kind(cell) -> str:
    if str(cell.get("id", "")).startswith("task-"):
        return "task"
    return role(cell) if role(cell) in ("answer", "written", "check") else ""


def _add(row: Row, cell, kind: str, marks: Marks) -> None:
    if kind == "task":
        head, _, text = cell.source.partition("\n")
        row.title = head.lstrip("# ").removeprefix("Exercise ").strip()
        row.task, row.stated = of_the_book(text), requirements(cell.source)
        return
    mark = marks.cells.get(grade_id(kind, row.number))
    if mark:
        row.score, row.out_of = row.score + mark.score, row.out_of + mark.out_of
    if kind == "check":
        said = "".join(output.get("data", {}).get("text/plain", "") for output in cell.get("outputs", [])[:1])
        row.again = said.rpartition(READ_AGAIN)[2] if READ_AGAIN in said else ""
        return
    if cell.cell_type == "code":
        row.answers.append({"kind": "code", "html": _highlighted(cell.source), "outputs": _outputs(cell.get("outputs", []))})
    else:
        row.answers.append({"kind": "words", "html": words(cell.source, cell.get("attachments", {})), "outputs": []})
    comment = marks.comments.get(cell.metadata.get("nbgrader", {}).get("grade_id", ""))
    if comment:
        row.comments.append(words(comment, {}))


def _judge(row: Row, verdict: dict | None, marks: Marks, unreadable: bool) -> None:
    if verdict and verdict["state"] != PASSED:
        row.message, row.known = verdict["message"], behaves_like(Verdict(**verdict))
        signs = {HELD: "✓", FAILED: "✗", NOT_REACHED: "–"}
        row.requirements = [(name, found, signs.get(found, ""), row.stated.get(name, "") if found == FAILED else "")
                            for name, found in verdict["requirements"].items()]
    check, written = (marks.cells.get(grade_id(kind, row.number)) for kind in ("check", "written"))
    row.state = state(verdict, check, written, unreadable)


def _beginning(text: str, most: int = 140) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[:most].rsplit(" ", 1)[0] + " …"


@lru_cache(maxsize=4096)
def of_the_book(markdown: str) -> str:
    """A task of the book; the same for each student."""
    from nbconvert.filters import markdown2html
    html = markdown2html(formulas(re.sub(r"<a id=[^>]*></a>", "", markdown)))
    return re.sub(r'<a [^>]*href="[^":]*"[^>]*>(.*?)</a>', r"\1", html, flags=re.DOTALL)    # notebooks lie elsewhere


def words(markdown: str, attachments: dict) -> str:
    """Words of a student or of a person who marked, with formulas and the pictures attached to them."""
    from nbconvert.filters import markdown2html
    return _clean(markdown2html(formulas(embedded(markdown, attachments))))


def embedded(markdown: str, attachments: dict) -> str:
    """Markdown with the pictures that a cell brings along in it, for what knows no attachments."""
    for name, bundle in attachments.items():
        for mime, data in bundle.items():
            markdown = markdown.replace(f"attachment:{name}", f"data:{mime};base64,{''.join(data.split())}")
    return markdown


def _clean(html: str) -> str:
    """The HTML with nothing in it that runs, or loads something from elsewhere. A picture is one that it holds itself."""
    import bleach

    def allowed(tag: str, name: str, value: str) -> bool:
        if tag == "img":
            return name == "alt" or name == "src" and value.startswith("data:image/")
        if tag == "a":
            return name == "href"
        return tag in TAGS and name in ATTRIBUTES or tag == "math" and name == "xmlns"
    return bleach.clean(html, tags={*_PLAIN, *TAGS}, attributes=allowed, protocols={"http", "https", "mailto", "data"},
                        strip=True)


@lru_cache
def _highlighter():
    from pygments.formatters import HtmlFormatter
    return HtmlFormatter(cssclass="code", style="default", wrapcode=True)


def _highlighted(source: str) -> str:
    from pygments import highlight
    from pygments.lexers import PythonLexer
    return highlight(source, PythonLexer(), _highlighter())     # escapes the source


def _outputs(outputs: list) -> list[tuple[str, str]]:
    """("text", words) or ("picture", data URL) for what an answer printed and showed."""
    found = []
    for output in outputs:
        data = output.get("data", {})
        mime = next((mime for mime in ("image/png", "image/jpeg") if mime in data), None)
        if mime:
            found.append(("picture", f"data:{mime};base64,{''.join(data[mime].split())}"))
            continue
        text = data.get("text/plain") or output.get("text") or "\n".join(output.get("traceback", []))
        text = _ESCAPE.sub("", text)
        if text.strip():
            found.append(("text", text[:_MOST] + ("\n[...]" if len(text) > _MOST else "")))
    return found


@lru_cache
def template(name: str):
    """A template of this package's: what it is given is text, but where the template says otherwise."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    environment = Environment(loader=FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True,
                              undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["points"] = lambda value: f"{value:g}"
    return environment.get_template(name)
