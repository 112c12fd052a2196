"""What a graded class looks like: by student and by exercise in the terminal, and a heat map as HTML."""
from __future__ import annotations

import csv
import html
from collections import Counter, defaultdict
from pathlib import Path

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from course.grading.autograde import Unread
from course.grading.unit import marked
from course.book.source import order

# from red through yellow to green, readable beside black text
_COLOURS = ("#f4a6a0", "#f9c89b", "#f7e59a", "#d4e79c", "#a8d5a2")


def collect(root: Path, chapters: list[str] | None = None) -> dict[str, dict[str, dict]]:
    """student -> exercise -> verdict, from the records in autograded/."""
    found: dict[str, dict[str, dict]] = defaultdict(dict)
    for path in sorted((root / "autograded").glob("*/*/*.ipynb")):
        if chapters and path.parent.name not in chapters:
            continue
        record = marked(path)
        for verdict in (record or {}).get("verdicts", []):
            found[path.parent.parent.name][verdict["number"]] = verdict
    return dict(found)


def number_order(number: str) -> list:
    """Exercise numbers in the book's order: 2.1.9 before 2.1.10."""
    last = number.rstrip("abcdefghijklmnop")
    return [order(last.replace(".", "_")), number[len(last):]]


def by_exercise(verdicts: dict[str, dict[str, dict]]) -> list[tuple]:
    """(number, submissions, share right, mean points, out of, most frequent known mistake) for each exercise."""
    rows = []
    for number in sorted({n for those in verdicts.values() for n in those}, key=number_order):
        those = [v[number] for v in verdicts.values() if number in v]
        mistakes = Counter(v["mistake"] for v in those if v["mistake"])
        common = "{} ({})".format(*mistakes.most_common(1)[0]) if mistakes else ""
        right = sum(v["points"] == v["out_of"] for v in those) / len(those)
        rows.append((number, len(those), right, sum(v["points"] for v in those) / len(those), those[0]["out_of"], common))
    return rows


def print_exercises(console: Console, verdicts: dict[str, dict[str, dict]]) -> None:
    table = Table(title="By exercise")
    for name, justify in (("exercise", "left"), ("answers", "right"), ("right", "right"), ("points", "right"),
                          ("most frequent known mistake", "left")):
        table.add_column(name, justify=justify)
    for number, count, right, points, out_of, mistake in by_exercise(verdicts):
        table.add_row(number, str(count), f"{right:.0%}", f"{points:.1f} of {out_of:g}", mistake)
    console.print(table)


def unread(those: list[Unread]) -> list[str]:
    """A line for each student and reason: what could not be read, and why."""
    notebooks = defaultdict(list)
    for student, notebook, reason in those:
        notebooks[student, reason].append(notebook)
    return [f"{student}, {', '.join(names) if len(names) < 3 else f'{len(names)} notebooks, {names[0]} the first'}: {reason}"
            for (student, reason), names in sorted(notebooks.items())]


def print_class(console: Console, grades: Path, broken: set[str]) -> None:
    """Students by chapters, from the CSV of nbgrader's export: who handed in late, or (`broken`) something unreadable."""
    points: dict[str, dict[str, float]] = defaultdict(dict)
    possible, late = {}, set()
    with open(grades, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            possible[row["assignment"]] = float(row["max_score"])
            if row["timestamp"]:
                points[row["student_id"]][row["assignment"]] = float(row["score"])
                if row["timestamp"] > row["duedate"]:
                    late.add(row["student_id"])
    chapters = sorted(possible)
    table = Table(title="The class (points of exercises that a person marks are still open)", box=SIMPLE,
                  collapse_padding=True, pad_edge=False)
    for name in ["student", *(chapter.split("_")[0].removeprefix("ch") for chapter in chapters), "total", ""]:
        table.add_column(name, justify="left" if name in ("student", "") else "right", no_wrap=True)
    table.add_row("possible", *(f"{possible[c]:g}" for c in chapters), f"{sum(possible.values()):g}", "", style="dim",
                  end_section=True)
    for student, those in sorted(points.items()):
        note = ", ".join(["late"] * (student in late) + ["unread"] * (student in broken))
        table.add_row(student, *(f"{those[c]:g}" if c in those else "" for c in chapters), f"{sum(those.values()):g}", note)
    console.print(table)


def heat_map(verdicts: dict[str, dict[str, dict]]) -> str:
    """Students by exercises as one HTML page that needs nothing else; a cell's title holds the message."""
    numbers = sorted({n for those in verdicts.values() for n in those}, key=number_order)
    head = "".join(f"<th><span>{html.escape(n)}</span></th>" for n in numbers)
    rows = []
    for student, those in sorted(verdicts.items()):
        cells = []
        for number in numbers:
            verdict = those.get(number)
            if verdict is None:
                cells.append('<td class="none"></td>')
                continue
            share = verdict["points"] / verdict["out_of"] if verdict["out_of"] else 0
            title = f'{verdict["state"]}: {verdict["message"] or "right"}'
            cells.append(f'<td style="background:{_COLOURS[round(share * 4)]}" title="{html.escape(title, quote=True)}">'
                         f'{verdict["points"]:g}</td>')
        total = sum(v["points"] for v in those.values())
        rows.append(f"<tr><th>{html.escape(student)}</th><td class=sum>{total:g}</td>{''.join(cells)}</tr>")
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Students by exercises</title><style>
body {{ font: 14px system-ui, sans-serif; margin: 24px }}
table {{ border-collapse: collapse }}
td, th {{ border: 1px solid #ccc; padding: 2px 6px; text-align: center }}
tbody th {{ text-align: left; font-weight: normal; position: sticky; left: 0; background: white }}
thead th {{ position: sticky; top: 0; background: white; height: 64px; vertical-align: bottom }}
thead span {{ writing-mode: vertical-rl; transform: rotate(180deg) }}
.none {{ background: #eee }} .sum {{ font-weight: bold }}
</style></head><body><h1>Students by exercises</h1>
<p>{len(verdicts)} students, {len(numbers)} exercises. Green: full points; red: none; grey: not handed in. Point at a
cell for its message.</p>
<table><thead><tr><th>student</th><th>points</th>{head}</tr></thead><tbody>
{chr(10).join(rows)}
</tbody></table></body></html>
"""
