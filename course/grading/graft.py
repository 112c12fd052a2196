"""Rebuild, then graft: grading starts from the released notebook and takes only answers from a submission.

Answer cells are found by grade_id, then by cell id; of duplicates the one at the original place counts. Code cells
that the student added run where they stand: a helper defined there may be part of a right answer.
"""
from __future__ import annotations

import copy
import json
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell

from course.engine.markup import harmless, pictures

MAX_BYTES = 20 << 20
MAX_CELLS = 20_000
MAX_ADDED = 200
# the line that earlier editions put where an answer in words goes: left as it was, it is no answer
EARLIER_STARTER = "*Double click here, press Enter, and write your answer in place of this line.*"
MAX_WRITTEN = 100_000           # characters of an answer in words


@dataclass
class Grafted:
    """The released notebook with the submission's answers. `warnings` are for the student and the instructor;
    `unreadable` is the reason why nothing could be taken, "" where the submission was read."""
    notebook: nbformat.NotebookNode
    warnings: list[str] = field(default_factory=list)
    unreadable: str = ""


def load(path: Path) -> tuple[dict | None, str]:
    """The cells of a submitted file as raw JSON, and the reason where it cannot be read."""
    if path.is_symlink():
        return None, "the submitted file is a symbolic link, not a notebook"
    if not path.exists():
        return None, "no notebook of this name was submitted"
    if not path.is_file():
        return None, "the submitted notebook is not a file"
    if path.stat().st_size > MAX_BYTES:
        return None, f"the submitted file has {path.stat().st_size >> 20} MiB; a notebook has at most {MAX_BYTES >> 20}"
    try:
        raw = path.read_bytes()
    except OSError as error:
        return None, f"the submitted file could not be read ({error.strerror})"
    if not raw.strip():
        return None, "the submitted file is empty"
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return None, f"the submitted file is not UTF-8 text (byte {error.start})"
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:       # its text may quote the file: only ASCII goes on
        return None, f"the submitted file is not JSON ({ascii(str(error)[:80])[1:-1]})"
    if isinstance(data, dict) and isinstance(data.get("worksheets"), list):      # nbformat 3
        sheets = [sheet.get("cells") for sheet in data["worksheets"] if isinstance(sheet, dict)]
        cells = [cell for sheet in sheets if isinstance(sheet, list) for cell in sheet if isinstance(cell, dict)]
        data["cells"] = [cell | {"source": cell.get("source", cell.get("input", ""))} for cell in cells]
    if not isinstance(data, dict) or not isinstance(data.get("cells"), list):
        return None, "the submitted file is JSON, but not a notebook: it has no cells"
    return data, ""


def _source(cell: dict) -> str:
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    # JSON can hold halves of surrogate pairs, which no file, message or gradebook can
    return source.encode("utf-8", "replace").decode() if isinstance(source, str) else ""


def _id(cell: dict) -> str:
    name = cell.get("id")
    return name if isinstance(name, str) else ""


def _grade_id(cell: dict) -> str:
    meta = cell.get("metadata")
    meta = meta.get("nbgrader") if isinstance(meta, dict) else None
    name = meta.get("grade_id") if isinstance(meta, dict) else None
    return name if isinstance(name, str) else ""


def graft(released: nbformat.NotebookNode, submission: dict | None, reason: str = "") -> Grafted:
    """The released notebook with the answers of `submission` (raw JSON, as `load` gives it)."""
    notebook = copy.deepcopy(released)
    result = Grafted(notebook, unreadable=reason if submission is None else "")
    if submission is None:
        result.warnings.append(f"{reason}: graded as unanswered.")
        return result
    section = released.metadata.get("course", {}).get("section")
    theirs = submission.get("metadata")
    theirs = theirs.get("course", {}) if isinstance(theirs, dict) else {}
    other = theirs.get("section") if isinstance(theirs, dict) else None
    if section and other and other != section:
        shown = ascii(other[:20])[1:-1] if isinstance(other, str) else "of another course"
        result.unreadable = f"the submitted notebook is section {shown}, not {section}"
        result.warnings.append(f"{result.unreadable}: graded as unanswered.")
        return result
    cells = [cell for cell in submission["cells"][:MAX_CELLS] if isinstance(cell, dict)]
    if len(submission["cells"]) > MAX_CELLS:
        result.warnings.append(f"The submission has {len(submission['cells'])} cells: the first {MAX_CELLS} were read.")
    places = _places(released, cells)
    known = set()
    for cell in notebook.cells:
        if not cell.metadata.get("nbgrader", {}).get("solution"):
            continue
        name = cell.metadata.nbgrader.grade_id
        found = _find(cells, cell, places.get(name), known, result.warnings)
        if found is not None:
            known.add(found)
            given = _source(cells[found])
            if cell.cell_type == "code":
                cell.source = given
            elif given.strip() not in (cell.source, EARLIER_STARTER):
                if len(given) > MAX_WRITTEN:
                    result.warnings.append(f"{name} has {len(given)} characters: the first {MAX_WRITTEN} count.")
                attached = pictures(cells[found].get("attachments"))
                cell.source = harmless(given[:MAX_WRITTEN], attached)
                if attached:
                    cell.attachments = nbformat.from_dict(attached)
    left_out = _add_own(notebook, released, cells, known)
    if left_out:
        result.warnings.append(f"{left_out} added code cells were left out: at most {MAX_ADDED} are run.")
    return result


def _places(released, cells: list[dict]) -> dict[str, int]:
    """For each answer, where the submission would have it if cells were neither moved nor copied: behind its task."""
    index = {_grade_id(cell): i for i, cell in reversed(list(enumerate(cells))) if _grade_id(cell)}
    places, before = {}, -1
    for cell in released.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        if cell.metadata.get("nbgrader", {}).get("solution"):
            places[name] = before + 1
        elif name in index:
            before = index[name]
    return places


def _find(cells, wanted, place, taken, warnings) -> int | None:
    name, kind = wanted.metadata.nbgrader.grade_id, wanted.cell_type
    same = [i for i, cell in enumerate(cells) if i not in taken and _grade_id(cell) == name]
    if not same:
        same = [i for i, cell in enumerate(cells) if i not in taken and _id(cell) == wanted.id
                and not _grade_id(cell)]
        if same:
            warnings.append(f"{name} had lost its metadata and was found by its cell id.")
    if not same:
        mark = wanted.source.split("\n", 1)[0]
        same = [i for i, cell in enumerate(cells) if i not in taken and kind == "code" and not _grade_id(cell)
                and _source(cell).startswith(mark)]
        if same:
            warnings.append(f"{name} had lost its id and was found by its first line.")
    if not same:
        warnings.append(f"{name} is missing from the submission: graded as unanswered.")
        return None
    if len(same) > 1:
        warnings.append(f"{name} stands {len(same)} times in the submission: the one at the original place counts.")
        same.sort(key=lambda i: (abs(i - place) if place is not None else 0, i))
    if cells[same[0]].get("cell_type") != kind:
        warnings.append(f"{name} was turned into another kind of cell: read as {kind}.")
    return same[0]


def _add_own(notebook, released, cells: list[dict], used: set[int]) -> int:
    """Puts the student's own code cells behind the released cell that they follow. Returns how many were too many."""
    at = {cell.id: i for i, cell in enumerate(notebook.cells)}
    by_grade_id = {cell.metadata.nbgrader.grade_id: cell.id for cell in notebook.cells if "nbgrader" in cell.metadata}
    texts = {cell.source for cell in released.cells if cell.cell_type == "code"}
    behind: dict[int, list] = {}
    last, added = -1, 0
    for i, cell in enumerate(cells):
        name = by_grade_id.get(_grade_id(cell)) or (_id(cell) if _id(cell) in at else None)
        if name is not None or i in used:
            last = at.get(name, last)
            continue
        source = _source(cell)
        if cell.get("cell_type") == "code" and source.strip() and source not in texts:
            added += 1
            if added > MAX_ADDED:
                continue
            own = new_code_cell(source, id=f"own-{added}")
            own.metadata = {"tags": ["own"]}
            behind.setdefault(last, []).append(own)
    if behind:
        merged = list(behind.get(-1, []))
        for i, cell in enumerate(notebook.cells):
            merged.append(cell)
            merged += behind.get(i, [])
        notebook.cells = merged
    return max(0, added - MAX_ADDED)
