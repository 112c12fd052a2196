"""Answers that are alike across students: what a teacher may want to look at, and no proof of anything.

Code is compared without comments, layout and the names that an answer chose. What equals the starter, the book's answer
or another known right one is taken out, and so is what is too short to tell anything. An answer that few share weighs
more: log2(students / those whose answers are alike), in bits, summed over the exercises of a pair of students.
"""
from __future__ import annotations

import ast
import json
import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations, product
from pathlib import Path

from rapidfuzz import fuzz, process

from course import whole
from course.book.use import parts
from course.book.source import read
from course.book.variants import variants
from course.engine.notebook import role, number_of
from course.grading.page import template

ALIKE = 90.0            # of 100, rapidfuzz's ratio: 1 - distance / length, for code without names, and for words
KNOWN = 95.0            # an answer this near to a known right one tells nothing
SHORTEST = 60           # characters that are compared
FEW, COMMON = 5, 0.1    # an answer that more students than this, and a larger share, have alike tells nothing
MOST = 60               # pairs on the page


@dataclass
class Answer:
    """One student's answer to one exercise; `compared` is what is left to compare."""
    student: str
    text: str
    compared: str = field(repr=False)


@dataclass
class Same:
    """An exercise that a pair answered alike."""
    number: str
    ratio: float            # 0 to 100
    sharing: int            # students whose answers are alike, these two among them
    bits: float
    texts: tuple[str, str]

    @property
    def letter(self) -> bool:
        """Whether they are the same in every character."""
        return self.texts[0] == self.texts[1]


@dataclass
class Pair:
    students: tuple[str, str]
    same: list[Same]

    @property
    def bits(self) -> float:
        return sum(one.bits for one in self.same)


def find(root: Path, chapters: list[str] | None = None,
         progress: Callable[[int, int], None] = lambda done, total: None) -> list[Pair]:
    """The pairs of students with answers that are alike, the rarest first."""
    found: dict[tuple[str, str], list[Same]] = defaultdict(list)
    sections = [(path, numbers) for path, numbers in parts(root).items() if not chapters or path.parent.name in chapters]
    for done, (path, _) in enumerate(sections, 1):
        for number, answers in _answers(root, path).items():
            _compare(number, answers, found)
        progress(done, len(sections))
    pairs = [Pair(students, same) for students, same in found.items()]
    return sorted(pairs, key=lambda pair: -pair.bits)


def _answers(root: Path, path: Path) -> dict[str, list[Answer]]:
    """The section's answers by exercise, but for those that nobody wrote or that everybody may write."""
    graded = sorted((root / "autograded").glob(f"*/{path.parent.name}/{path.stem}.ipynb"))
    if not graded:
        return {}
    known = _known(root, path)
    found: dict[str, list[Answer]] = defaultdict(list)
    for one in graded:
        try:
            cells = json.loads(one.read_text(encoding="utf-8"))["cells"]
        except (OSError, ValueError, KeyError):
            continue            # left unfinished by a killed run
        for cell in cells:
            kind, _, number = cell.get("id", "").partition("-")
            number = number.replace("-", ".")
            if kind in ("answer", "written"):
                text = "".join(cell["source"]).strip()
                compared = code(text) if kind == "answer" else words(text)
                if len(compared) >= SHORTEST and not process.extractOne(
                        compared, known.get(number, []), scorer=fuzz.ratio, score_cutoff=KNOWN):
                    found[number].append(Answer(one.parts[-3], text, compared))
    return found


def _known(root: Path, path: Path) -> dict[str, list[str]]:
    """number -> the starter, and the right answers that the book knows, as they are compared."""
    import nbformat
    section = read(path, lint=False)
    found = defaultdict(list)
    for variant in variants(root, section, strays=True):
        if variant.right:
            found[variant.number].append(code(variant.source))
    for folder in (".book/release", ".book/source"):
        for cell in nbformat.read(root / folder / path.parent.name / f"{path.stem}.ipynb", 4).cells:
            if role(cell) == "answer":
                found[number_of(cell)].append(code(cell.source))
            elif role(cell) == "written" and folder == ".book/release":
                found[number_of(cell)].append(words(cell.source))
    return found


def _compare(number: str, answers: list[Answer], found: dict[tuple[str, str], list[Same]]) -> None:
    by_text: dict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        by_text[answer.compared].append(answer)
    texts = list(by_text)
    if len(answers) < 2:
        return
    ratios = process.cdist(texts, texts, scorer=fuzz.ratio, score_cutoff=ALIKE)
    alike = [[j for j in range(len(texts)) if ratios[i, j] >= ALIKE] for i in range(len(texts))]
    sharing = [sum(len(by_text[texts[j]]) for j in those) for those in alike]
    class_size = len(answers)
    for i, those in enumerate(alike):
        for j in those:
            if j < i:
                continue
            count = max(sharing[i], sharing[j])
            if count > max(FEW, class_size * COMMON):
                continue
            mine, theirs = by_text[texts[i]], by_text[texts[j]]
            pairs = combinations(mine, 2) if i == j else product(mine, theirs)
            bits = math.log2(class_size / count)
            for one, other in pairs:
                first, second = sorted((one, other), key=lambda answer: answer.student)
                found[first.student, second.student].append(
                    Same(number, float(ratios[i, j]), count, bits, (first.text, second.text)))


def code(source: str) -> str:
    """Code as it is compared: without comments, docstrings and layout, the names that it binds numbered."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return words("\n".join(line.partition("#")[0] for line in source.split("\n")))
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.setdefault(node.name, f"n{len(names)}")
            if isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant) and len(node.body) > 1:
                node.body = node.body[1:]
        elif isinstance(node, ast.arg):
            names.setdefault(node.arg, f"n{len(names)}")
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.setdefault(node.id, f"n{len(names)}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg, node.annotation = names[node.arg], None
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            node.name = names[node.name]
    try:
        return ast.unparse(tree)
    except (RecursionError, ValueError):
        return words(source)


def words(text: str) -> str:
    """Words as they are compared: small letters, one space between them."""
    return " ".join(text.casefold().split())


def write_page(pairs: list[Pair], to: Path, students: int) -> None:
    """The page, one file: the pairs, and each exercise with both texts side by side. Raises OSError."""
    whole.write(to, template("alike.html").render(pairs=pairs[:MOST], more=max(0, len(pairs) - MOST), students=students,
                                                  rows=side_by_side, shortest=SHORTEST, alike=ALIKE, common=COMMON))


def side_by_side(one: str, other: str) -> list[tuple[str, str, bool]]:
    """Both texts by lines: (left, right, whether they differ)."""
    from difflib import SequenceMatcher
    left, right = one.split("\n"), other.split("\n")
    rows = []
    for what, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        for k in range(max(b - a, d - c)):
            rows.append((left[a + k] if a + k < b else "", right[c + k] if c + k < d else "", what != "equal"))
    return rows
