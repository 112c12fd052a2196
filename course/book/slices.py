"""Which worked code of a lesson answers and tests build on: the gates grade thousands of answers, and leave the rest out."""
from __future__ import annotations

import builtins
from collections.abc import Iterable

import nbformat

from course.book.bindings import bound_names, free_names, parse
from course.engine.notebook import definitions, role


def unneeded(notebook: nbformat.NotebookNode, answers: Iterable[str]) -> set[str]:
    """The ids of the worked cells that share no name, at one remove or more, with what these answers, the notebook's own answers
    and its checks read from elsewhere. Of demonstrations their definitions count, which is what grading runs of them. Names that
    set-up cells bind do not count: all cells read these."""
    common = {name for cell in notebook.cells if role(cell) == "setup" for name in bound_names(cell.source)} | set(dir(builtins))
    sources = [*answers, *(cell.source for cell in notebook.cells if role(cell) in ("answer", "check"))]
    wanted = {name for source in sources for name in _read(source) - bound_names(source)} - common
    worked = {cell.id: cell.source if role(cell) == "code" else definitions(cell.source) for cell in notebook.cells
              if role(cell) in ("code", "demo")}
    left = {cell: (_read(source) | bound_names(source)) - common for cell, source in worked.items()}
    while found := {cell for cell, names in left.items() if names & wanted}:
        wanted |= set().union(*(left.pop(cell) for cell in found))
    return set(left)


def _read(source: str) -> set[str]:
    """The global names that a cell reads; none where it is no Python."""
    try:
        return free_names(parse(source))
    except SyntaxError:
        return set()
