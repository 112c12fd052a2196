"""How far a learner is: read from the notebooks in work/ each time, so that no second record can disagree.

A check leaves in its output whether it passed, and for which text of the answer (d2l_utils.check.notebook). Where the
hidden tests were run on that text, which course.learner.grader notes in VERDICTS, they have the last word. What can be
done, its title, points and minutes come from the student edition in notebooks/.
"""
from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from nbformat import from_dict

from course.book.merge import checksum
from course.learner.work import WorkError, notebooks

RIGHT, WRITTEN, FAILS, WRONG, UNCHECKED, OPEN = "right", "written", "fails", "wrong", "unchecked", "open"
WORDS = {RIGHT: "passes its check", WRITTEN: "written; a person marks it", FAILS: "fails its visible check",
         WRONG: "wrong by the hidden tests",
         UNCHECKED: "answered, but its check was not run since", OPEN: "not answered"}
VERDICTS = Path(".book/verdicts.json")      # below the book: number -> {"answer": digest of its text, "right": ...}
_TASK = re.compile(r"### Exercise (\S+) · (.*)\n\n\*(.*)\*")
_FACTS = re.compile(r"(?P<points>[\d.]+) points? · (?P<minutes>[\d.]+) minutes?")


@dataclass
class Exercise:
    """One exercise of the book and its state in work/. `points` counts the check and the answer in words."""
    number: str
    title: str
    points: float
    minutes: float
    core: bool
    state: str = OPEN
    earned: float = 0.0             # points of the visible check, where it passes
    part: str = ""                  # "the code" or "the words" where the state is that of one part only
    needs: list[dict] = field(default_factory=list)     # ideas: {"idea", "section", "href" from its notebook}

    @property
    def done(self) -> bool:
        return self.state in (RIGHT, WRITTEN)

    @property
    def builds_on(self) -> str:
        """"broadcasting (2.1), keepdim (2.3)"."""
        return ", ".join(f"{need['idea']} ({need['section']})" for need in self.needs)


@dataclass
class Page:
    """One section: its notebook's path below work/, and its exercises."""
    path: str
    number: str
    title: str
    exercises: list[Exercise] = field(default_factory=list)
    trouble: str = ""               # why the notebook in work/ could not be read
    index: bool = False             # the index of ideas: nothing to do there

    @property
    def chapter(self) -> str:
        return self.path.split("/")[0]


def pages(root: Path) -> list[Page]:
    """Every section of the book with the learner's progress, in order. Raises WorkError where there is no book."""
    found = []
    for path in notebooks(root):
        mine = root / "work" / path.relative_to(root / "notebooks")
        found.append(_read(path, _stamp(path), mine, _stamp(mine), root / VERDICTS, _stamp(root / VERDICTS)))
    return [page for page in found if not page.index]


def index_page(root: Path) -> str:
    """The index of ideas, as a path below work/; "" where the book has none."""
    found = (_read(path, _stamp(path), Path(), (0, 0), Path(), (0, 0)) for path in reversed(notebooks(root)))
    return next((page.path for page in found if page.index), "")


def _stamp(path: Path) -> tuple[int, int]:
    try:
        facts = path.stat()
        return facts.st_mtime_ns, facts.st_size
    except OSError:
        return 0, 0


@lru_cache(maxsize=512)
def _read(path: Path, stamp: tuple, mine: Path, my_stamp: tuple, verdicts: Path, last_stamp: tuple) -> Page:
    del stamp, my_stamp, last_stamp     # they make the cache forget a file that changed
    book = json.loads(path.read_text(encoding="utf-8"))
    facts = book["metadata"].get("course", {})
    page = Page(f"{path.parent.name}/{path.name}", facts.get("section", ""), facts.get("title", path.stem),
                index=bool(facts.get("index")))
    graded = {_name(cell): cell for cell in book["cells"] if _name(cell)}
    page.exercises = [_exercise(match, cell) for cell in book["cells"]
                      if _name(cell).startswith("task-") and (match := _TASK.match(_source(cell)))]
    if not page.index and mine.exists():
        try:
            theirs = json.loads(mine.read_text(encoding="utf-8"))["cells"]
            cells = {name: cell for cell in reversed(theirs) if (name := _name(cell))}
            hidden = read_verdicts(verdicts)
            for exercise in page.exercises:
                _judge(exercise, graded, cells, hidden.get(exercise.number, {}))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            page.trouble = (f"work/{page.path} cannot be read as a notebook. Mend it, or move it away and start "
                            "`course lab`, which makes a fresh copy.")
    return page


def read_verdicts(path: Path) -> dict[str, dict]:
    """What the hidden tests said last of each exercise; nothing where they never ran."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {number: one for number, one in found.items() if isinstance(one, dict)} if isinstance(found, dict) else {}


def _name(cell: dict) -> str:
    return cell.get("metadata", {}).get("nbgrader", {}).get("grade_id", "")


def _source(cell: dict) -> str:
    return "".join(cell.get("source", ""))


def _exercise(match: re.Match, cell: dict) -> Exercise:
    numbers = _FACTS.search(match[3])
    return Exercise(match[1], match[2].strip(), float(numbers["points"]) if numbers else 0.0,
                    float(numbers["minutes"]) if numbers else 0.0, "core path" in match[3],
                    needs=cell["metadata"].get("course", {}).get("needs", []))


def _judge(exercise: Exercise, book: dict[str, dict], mine: dict[str, dict], hidden: dict) -> None:
    """Sets the state: the worse one of the code's and the words'. `hidden`: what the hidden tests said last."""
    key = exercise.number.replace(".", "-")
    states = {}
    if f"check-{key}" in book:
        answer, check = mine.get(f"answer-{key}"), mine.get(f"check-{key}")
        states["the code"] = state = _code(answer, check, hidden)
        if state == RIGHT:
            exercise.earned = float(book[f"check-{key}"]["metadata"]["nbgrader"].get("points", 0))
    if f"written-{key}" in book:
        written = mine.get(f"written-{key}")
        states["the words"] = WRITTEN if written and changed(written) else OPEN
    order = list(WORDS)
    worst = max(states, key=lambda part: order.index(states[part]), default="")
    exercise.state = states.get(worst, OPEN)
    if len(set(states.values()) - {RIGHT, WRITTEN}) and len(set(states.values())) > 1:
        exercise.part = worst


def _code(answer: dict | None, check: dict | None, hidden: dict) -> str:
    if answer is None or not changed(answer):
        return OPEN
    text = digest(_source(answer))
    records = [output.get("metadata", {}).get("d2l_check") for output in (check or {}).get("outputs", [])]
    record = next((record for record in records if record and record.get("answer") == text), None)
    if hidden.get("answer") == text and hidden.get("right"):
        return RIGHT
    if record is not None and not record.get("passed"):
        return FAILS
    if hidden.get("answer") == text:
        return WRONG
    return UNCHECKED if record is None else RIGHT


def digest(source: str) -> str:
    """As d2l_utils.check.saved.digest, whose import takes torch's seconds."""
    return hashlib.sha256(source.strip().encode()).hexdigest()[:16]


def changed(cell: dict) -> bool:
    """Whether this answer differs from its starter, and is not empty: what the grader takes for an answer."""
    if not _source(cell).strip():
        return False
    node = from_dict(cell | {"source": _source(cell)})
    facts = node.metadata.nbgrader
    return "checksum" not in facts or facts.checksum != checksum(node, facts.get("cell_type"))


def tally(exercises: list[Exercise]) -> dict[str, float]:
    """Exercises right (or written), tried and open; points earned by checks, and of all; minutes of what is left."""
    done = [e for e in exercises if e.done]
    left = [e for e in exercises if not e.done]
    return {"exercises": len(exercises), "right": len(done),
            "tried": sum(e.state in (FAILS, WRONG, UNCHECKED) or bool(e.part) for e in left),
            "open": sum(e.state == OPEN and not e.part for e in left),
            "earned": sum(e.earned for e in exercises), "points": sum(e.points for e in exercises),
            "minutes": sum(e.minutes for e in left)}


def left_over(found: list[Page]) -> list[tuple[Page, Exercise, str]]:
    """What is not done yet, each with a reason in words."""
    return [(page, e, (f"{e.part} " if e.part else "") + WORDS[e.state]) for page in found for e in page.exercises
            if not e.done]


def suggestion(found: list[Page]) -> tuple[Page, Exercise] | None:
    """The exercise to do next; None when all are done.

    It is the first core exercise that is left, in the sections that were begun and then in the others, and whose ideas
    are taught in its own section or in sections whose core exercises are all done. Where none is so, it is the first
    core exercise that is left, and where none is left, the first of the others.
    """
    met = {page.number for page in found if all(e.done for e in page.exercises if e.core)}
    unmet = {page.number for page in found} - met
    begun = [page for page in found if any(e.state != OPEN or e.part for e in page.exercises)]
    left = [(page, e) for page in begun + [page for page in found if page not in begun] for e in page.exercises if not e.done]
    core = [(page, e) for page, e in left if e.core]
    ready = [(page, e) for page, e in core if not {need["section"] for need in e.needs} & (unmet - {page.number})]
    in_order = sorted(core, key=lambda pair: found.index(pair[0]))
    return next(iter(ready or in_order or left), None)


def in_work(root: Path, what: str | None) -> list[Page]:
    """The pages that `what` names, all where it is None. Raises WorkError without a book or a copy, LookupError as `select`."""
    found = pages(root)
    if not (root / "work").is_dir():
        raise WorkError(f"There is no {root / 'work'} yet, your copy of the book. `make lab` (or `course lab`) makes it and "
                        "opens it.")
    return select(found, what)


def select(found: list[Page], what: str | None) -> list[Page]:
    """The pages, with only the exercises that `what` names: a chapter's folder (or its number), a section, an
    exercise. Raises LookupError, which says what there is."""
    if not what:
        return found
    what = what.strip().removeprefix("work/").removesuffix(".ipynb").rstrip("/")
    chosen = [page for page in found if what in (page.chapter, page.chapter.split("_")[0], page.number,
                                                 page.path.removesuffix(".ipynb"), Path(page.path).stem)]
    chosen = chosen or [page for page in found if what == chapter_number(page.chapter)]
    if chosen:
        return chosen
    for page in found:
        exercises = [e for e in page.exercises if what in (e.number, re.sub("[a-z]$", "", e.number))]
        if exercises:
            return [Page(page.path, page.number, page.title, exercises, page.trouble)]
    chapters = sorted({page.chapter for page in found})
    raise LookupError(f"Nothing in the book is called {what!r}. Sections: {', '.join(p.number for p in found)}; "
                      f"chapters: {', '.join(chapters)}; exercises: like {_example(found)}.")


def chapter_number(folder: str) -> str:
    """"2" for ch02_preliminaries."""
    return folder.split("_")[0].removeprefix("ch").lstrip("0") or "0"


def chapter_title(folder: str) -> str:
    """"2 Preliminaries" for ch02_preliminaries."""
    return f"{chapter_number(folder)} {' '.join(folder.split('_')[1:]).capitalize()}"


def _example(found: list[Page]) -> str:
    return next((e.number for page in found for e in page.exercises), "2.1.3")
