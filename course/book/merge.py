"""A new edition of a notebook and a student's copy of an older one, made into one.

An answer, a cell of the student's own and worked code that the student changed are never overwritten. All else is
the book's: prose, tasks, hints, checks, set-up, and starter code that nobody touched.
"""
from __future__ import annotations

import hashlib
import re
from copy import deepcopy
from dataclasses import dataclass

from nbformat import NotebookNode
from nbformat.corpus.words import generate_corpus_id

# the build names a cell outside exercises by its text
_BY_TEXT = re.compile(r"(prose|code|setup|demo)-([0-9a-f]{8})(-\d+)?$")
_BOOK_METADATA = ("nbgrader", "tags", "editable", "deletable", "course")


@dataclass
class Merged:
    """A notebook of the new edition with the student's work in it; `holds_work` if there was any."""
    notebook: NotebookNode
    notes: list[str]
    holds_work: bool


def merge(book: NotebookNode, mine: NotebookNode) -> Merged:
    """The cells of `book` in its order, with the answers and own cells of `mine`. Changes neither."""
    return _Merge(book, mine).run()


def checksum(cell: NotebookNode, cell_type: str | None = None) -> str:
    """nbgrader's checksum of a cell with its metadata (nbgrader.utils.compute_checksum, whose import takes 2 s)."""
    facts = cell.metadata.nbgrader
    grade, solution = facts.get("grade", False), facts.get("solution", False)
    locked = not solution and (grade or facts.get("locked", False))
    parts = [cell.source, cell_type or cell.cell_type, str(grade), str(solution), str(locked), facts["grade_id"]]
    if grade:
        parts.append(str(float(facts["points"])))
    return hashlib.md5("".join(parts).encode()).hexdigest()


def is_answer(cell: NotebookNode) -> bool:
    """Whether this is a cell for the student's answer, code or words."""
    return bool(cell.metadata.get("nbgrader", {}).get("solution"))


def _digest(source: str) -> str:
    return hashlib.sha256(source.encode()).hexdigest()[:8]


def _key(cell: NotebookNode) -> str | None:
    """The book's id of a cell, None for a cell of the student's own."""
    name = cell.metadata.get("nbgrader", {}).get("grade_id")
    return name or (cell.id if _BY_TEXT.match(cell.get("id", "")) else None)


def _changed(cell: NotebookNode, key: str) -> bool:
    """Whether the student changed the text of this cell of the book, whatever edition it came from."""
    facts = cell.metadata.get("nbgrader", {})
    if "checksum" in facts:
        return facts["checksum"] != checksum(cell, facts.get("cell_type"))
    match = _BY_TEXT.match(key)
    return match is None or match[2] != _digest(cell.source)


class _Merge:
    def __init__(self, book: NotebookNode, mine: NotebookNode):
        self.book = {_key(cell): cell for cell in book.cells}
        self.book_metadata = book.metadata
        self.mine = mine
        self.keys = [_key(cell) for cell in mine.cells]     # None: a cell of the student's own
        self.notes: list[str] = []
        self.holds_work = False

    def run(self) -> Merged:
        self._recognise()
        self._single_out()
        self._retire()
        before, after = {}, {}                              # the student's cells, by the book's cell beside them
        for i, (key, cell) in enumerate(zip(self.keys, self.mine.cells)):
            if key is None:
                side, beside = self._place(i)
                (before if side == "before" else after).setdefault(beside, []).append(self._as_own(cell))
        theirs = dict(zip(self.keys, self.mine.cells))
        cells = after.get(None, [])
        for key, cell in self.book.items():
            cells += before.get(key, [])
            cells.append(self._take(key, cell, theirs[key]) if key in theirs else deepcopy(cell))
            cells += after.get(key, [])
        notebook = deepcopy(self.mine)
        notebook.cells = cells
        if "course" in self.book_metadata:
            notebook.metadata.course = deepcopy(self.book_metadata.course)
        _make_ids_unique(cells)
        return Merged(notebook, self.notes, self.holds_work)

    def _recognise(self) -> None:
        """Some editors drop the ids of cells: then a cell of the book is known by its text."""
        missing = {match[2]: key for key in self.book if (match := _BY_TEXT.match(key)) and key not in self.keys}
        for i, cell in enumerate(self.mine.cells):
            if self.keys[i] is None:
                self.keys[i] = missing.pop(_digest(cell.source), None)
            if self.keys[i] is None and cell.cell_type == "markdown" and cell.metadata.get("editable") is False:
                self.keys[i] = f"prose-{_digest(cell.source)}"

    def _single_out(self) -> None:
        """Of a cell that was copied with its metadata, the first changed one is the book's cell."""
        for key in sorted({key for key in self.keys if key and self.keys.count(key) > 1}):
            copies = [i for i, other in enumerate(self.keys) if other == key]
            kept = next((i for i in copies if _changed(self.mine.cells[i], key)), copies[0])
            for i in copies:
                if i != kept:
                    self.keys[i] = None if _changed(self.mine.cells[i], key) else f"copy of {key}"
            self.notes.append(f"{_name(key)} was there {len(copies)} times; the first changed one counts. "
                              "Other changed ones stay as cells of your own.")

    def _retire(self) -> None:
        """Cells that the book no longer has: what the student wrote in them stays as a cell of the student's own."""
        for i, (key, cell) in enumerate(zip(self.keys, self.mine.cells)):
            if key is None or key in self.book or key.startswith("copy of ") or not _changed(cell, key):
                continue
            if is_answer(cell):
                self.keys[i] = None
                self.notes.append(f"{_name(key)} is no longer in the book; it stays as a cell of your own.")
            elif key.startswith(("code-", "demo-")):
                self.keys[i] = None
                self.notes.append("worked code that you had changed is another in this edition; both are there.")
            else:
                self._say_locked(key)

    def _place(self, i: int) -> tuple[str, str | None]:
        """Where the student's own cell goes: after the book's cell above it, or else before the one below."""
        above = [key for key in reversed(self.keys[:i]) if key]
        below = [key for key in self.keys[i + 1:] if key]
        if above and above[0] in self.book:
            return "after", above[0]
        if below and below[0] in self.book:
            return "before", below[0]
        return "after", next((key for key in above if key in self.book), None)

    def _as_own(self, cell: NotebookNode) -> NotebookNode:
        self.holds_work = True
        cell = deepcopy(cell)
        if _key(cell):
            cell.id = generate_corpus_id()
            for name in _BOOK_METADATA:
                cell.metadata.pop(name, None)
        return cell

    def _take(self, key: str, book: NotebookNode, mine: NotebookNode) -> NotebookNode:
        """The book's cell, with what the student wrote and ran in it."""
        cell = deepcopy(book)
        if mine.source != book.source and _changed(mine, key):
            if is_answer(book) or key.startswith(("code-", "demo-")):
                self.holds_work = True
                cell.source = mine.source
                if "attachments" in mine and book.cell_type == "markdown":
                    cell.attachments = mine.attachments
            else:
                self._say_locked(key)
        if is_answer(book):
            self._compare_starters(key, book, mine, kept=cell.source != book.source)
            if mine.cell_type != book.cell_type:
                self.notes.append(f"{_name(key)} had become a {mine.cell_type} cell; it is a {book.cell_type} cell again.")
        if cell.cell_type == "code" == mine.cell_type and cell.source == mine.source:
            cell.outputs, cell.execution_count = mine.outputs, mine.execution_count
        theirs = {name: value for name, value in mine.metadata.items() if name not in _BOOK_METADATA}
        cell.metadata = NotebookNode(theirs | deepcopy(book.metadata))
        return cell

    def _compare_starters(self, key: str, book: NotebookNode, mine: NotebookNode, kept: bool) -> None:
        if book.cell_type != "code":        # its starter is the line that asks for words
            return
        facts = mine.metadata.get("nbgrader", {})
        starter = deepcopy(book)
        starter.metadata.nbgrader = facts
        if kept and "checksum" in facts and checksum(starter) != facts["checksum"]:
            self.notes.append(f"{_name(key)}: the book's starter is another now. What you wrote was kept as it is; "
                              "compare it with the cell in notebooks/.")

    def _say_locked(self, key: str) -> None:
        self.holds_work = True
        self.notes.append(f"{_name(key)} is the book's and was changed; it is as in the book again.")


def _make_ids_unique(cells: list[NotebookNode]) -> None:
    seen = {cell.id for cell in cells if _key(cell)}
    for cell in cells:
        if not _key(cell):
            while cell.id in seen:
                cell.id = generate_corpus_id()
            seen.add(cell.id)


def _name(key: str) -> str:
    """A student's name for a cell: "answer-2-1-1a" -> "the answer to 2.1.1a"."""
    role, _, number = key.partition("-")
    words = {"answer": "the answer to", "written": "the written answer to", "check": "the check of",
             "task": "the task", "hints": "the hints of"}
    return f"{words[role]} {number.replace('-', '.')}" if role in words else f"a cell of the book ({key})"
