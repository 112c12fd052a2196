"""The book's last notebook: its ideas from A to Z, where each is taught, and the exercises that need it."""
from __future__ import annotations

import hashlib
import shutil
import unicodedata
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook

from course.book.concepts import Place, Vocabulary, escape, href

INDEX = "index/ideas.ipynb"             # below notebooks/ and work/; after ch..., and no assignment
TITLE = "Index of ideas"
_INTRO = """# {title}

Each idea with the section that teaches it; then the exercises that build on it."""


def index_notebook(words: Vocabulary) -> NotebookNode:
    """The index as a notebook of locked text: a cell for each letter."""
    letters: dict[str, list[str]] = {}
    for folded, k in sorted((unicodedata.normalize("NFKD", words.name(k)).lower().lstrip("`_"), k) for k in words.taught):
        name = words.name(k)
        first = next((letter for letter in folded.upper() if letter.isalnum()), "")      # of ℓ it is L
        entry = _entry(name, words.lessons(k), words.needed.get(k, []))
        letters.setdefault(first if first.isalpha() else "0-9", []).append(entry)
    cells = [_cell(_INTRO.format(title=TITLE))] + [
        _cell(f"## {letter}\n\n" + "\n".join(entries)) for letter, entries in letters.items()]
    return new_notebook(cells=cells, metadata={
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"}, "course": {"index": True, "title": TITLE}})


def _entry(name: str, taught: list[Place], needed: list[Place]) -> str:
    lessons = ", ".join(f"[{escape(place.outline.title)}]({href('index', place)})" for place in taught)
    tasks = ", ".join(f"[{task.spot.number}](../{task.outline.file}#cell-id={task.spot.id})" for task in needed)
    return f"- **{escape(name)}**: {lessons}" + (f"; needed by {tasks}" if tasks else "")


def _cell(text: str) -> NotebookNode:
    cell = new_markdown_cell(text, metadata={"editable": False, "deletable": False})
    cell.id = f"prose-{hashlib.sha256(text.encode()).hexdigest()[:8]}"
    return cell


def write_index(root: Path, words: Vocabulary, publish: bool) -> list[Path]:
    """Writes it past nbgrader, and returns it if it changed. A book that names no ideas has none."""
    made, there = root / ".book/release" / INDEX, root / "notebooks" / INDEX
    if not words.taught:
        made.unlink(missing_ok=True)
        if publish and there.exists():
            there.unlink()
            return [there]
        return []
    made.parent.mkdir(parents=True, exist_ok=True)
    made.write_text(nbformat.writes(index_notebook(words)) + "\n", encoding="utf-8")
    if not publish or there.exists() and there.read_bytes() == made.read_bytes():
        return []
    there.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(made, there)
    return [there]
