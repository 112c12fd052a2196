"""What the book's part of JupyterLab asks of its server: progress, starters, and grades where there are hidden tests.

A Jupyter server extension, switched on by course/lab/jupyter/jupyter_server_config.json. It imports nothing heavy: grading
runs in a process of its own (`python -m course.learner.service`), started when first asked for.
"""
from __future__ import annotations

import asyncio
import csv
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path

from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import url_path_join
from tornado import web

from course.learner.progress import WORDS, chapter_title, index_page, pages, suggestion, tally
from course.learner.work import WorkError, keep, starter


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "course.lab.server"}]


def _load_jupyter_server_extension(app) -> None:
    root = Path(app.root_dir)
    grader = Grading(root)
    base = url_path_join(app.web_app.settings["base_url"], "exercise-book")
    app.web_app.add_handlers(".*$", [(url_path_join(base, name), handler, {"root": root, "grader": grader})
                                     for name, handler in (("progress", Progress), ("reset", Reset), ("grade", Grade))])


def summary(root: Path) -> dict:
    """The whole book with the learner's progress, for the home page."""
    found = pages(root)
    chapters: dict[str, dict] = {}
    for page in found:
        chapter = chapters.setdefault(page.chapter, {"folder": page.chapter, "title": chapter_title(page.chapter), "pages": []})
        exercises = [asdict(e) | {"reason": (f"{e.part} " if e.part else "") + WORDS[e.state]} for e in page.exercises]
        chapter["pages"].append({"path": f"work/{page.path}", "number": page.number, "title": page.title,
                                 "trouble": page.trouble, "exercises": exercises, "tally": tally(page.exercises),
                                 "core": tally([e for e in page.exercises if e.core])})
    due = due_dates(root)
    for chapter in chapters.values():
        chapter["due"] = due.get(chapter["folder"], "")
        chapter["tally"] = tally([e for page in found if page.chapter == chapter["folder"] for e in page.exercises])
    following, index = suggestion(found), index_page(root)
    return {"next": following and {"path": f"work/{following[0].path}", "number": following[1].number,
                                   "title": following[1].title, "builds_on": following[1].builds_on},
            "index": index and f"work/{index}", "chapters": list(chapters.values()),
            "tally": tally([e for page in found for e in page.exercises]),
            "core": tally([e for page in found for e in page.exercises if e.core]),
            "notes": json.loads(os.environ.get("COURSE_NOTES", "[]")),      # from course.lab.start, about a new edition
            "can_grade": any((root / "solutions").glob("*/*.py"))}


def due_dates(root: Path) -> dict[str, str]:
    """chapter -> when it is due, as ISO 8601 in UTC, from due.csv, which `course bundle` writes; none where there is none."""
    try:
        with open(root / "due.csv", encoding="utf-8", newline="") as file:
            return {row["chapter"]: row["due"] for row in csv.DictReader(file)}
    except (OSError, ValueError, KeyError):
        return {}


class Grading:
    """The process that grades; one question at a time. It ends when the server does, or after a while without work."""

    def __init__(self, root: Path):
        self.root, self.lock = root, asyncio.Lock()
        self.process: asyncio.subprocess.Process | None = None

    async def ask(self, question: dict) -> dict:
        """The answer, or {"error": one line}."""
        async with self.lock:
            for _ in range(2):          # it may have ended by itself meanwhile
                if self.process is None or self.process.returncode is not None:
                    self.process = await asyncio.create_subprocess_exec(
                        sys.executable, "-m", "course.learner.service", str(self.root), stdin=asyncio.subprocess.PIPE,
                        stdout=asyncio.subprocess.PIPE, limit=16 << 20)
                try:
                    self.process.stdin.write(json.dumps(question).encode() + b"\n")
                    await self.process.stdin.drain()
                    line = await self.process.stdout.readline()
                except (ConnectionError, ValueError):
                    line = b""
                if line:
                    return json.loads(line)
                await self.process.wait()
            return {"error": "The process that grades has ended. Try `course check` in a terminal: it says why."}


class _Handler(APIHandler):
    def initialize(self, root: Path, grader: Grading) -> None:
        self.root, self.grader = root, grader

    def question(self) -> dict:
        """The request's JSON; its `path` is a notebook's, from work/ on."""
        data = self.get_json_body() or {}
        path = str(data.get("path", "")).removeprefix("work/")
        if not (self.root / "notebooks" / path).is_file() or ".." in path or not path.endswith(".ipynb"):
            raise web.HTTPError(400, reason="This is not a notebook of the book in work/")
        return data | {"path": path}


class Progress(_Handler):
    @web.authenticated
    async def get(self) -> None:
        try:
            found = await asyncio.get_running_loop().run_in_executor(None, summary, self.root)
        except WorkError as error:
            found = {"error": str(error)}
        self.finish(found)


class Reset(_Handler):
    """Gives the starter of an answer cell, and keeps what the learner had written there."""

    @web.authenticated
    def post(self) -> None:
        data = self.question()
        name, source = str(data.get("cell", "")), str(data.get("source", ""))
        number = name.partition("-")[2].replace("-", ".")
        try:
            given = starter(self.root, data["path"], number)
            if name not in given:
                raise WorkError(f"notebooks/{data['path']} has no cell {name}.")
            kept = None if source == given[name] else keep(self.root, data["path"], number, [source])
            self.finish({"starter": given[name], "number": number, "kept": kept.as_posix() if kept else ""})
        except WorkError as error:
            self.finish({"error": str(error)})


class Grade(_Handler):
    @web.authenticated
    async def post(self) -> None:
        self.finish(await self.grader.ask(self.question()))
