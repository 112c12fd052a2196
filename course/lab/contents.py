"""What the file browser of a student's JupyterLab lists: their copy of the book, the data, the framework, files of their own.

At the top of the folder it leaves out the answers, the tests and the course's machinery. Nothing is locked: an address still
opens them.
"""
from __future__ import annotations

from fnmatch import fnmatch

from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager

LEFT_OUT = ("solutions", "tests", "notebooks", "course", "benchmarks", "deploy", "site", "*.egg-info", "Makefile", "start.py",
            "*.toml", "*.yml", "requirements*.txt", "nbgrader_config.py", "gradebook.db*", "exchange.path")


class Contents(AsyncLargeFileManager):
    """jupyter_server's own, with fewer names at the top."""

    async def get(self, path, *args, **options):
        model = await super().get(path, *args, **options)
        if not path.strip("/") and isinstance(model.get("content"), list):
            model["content"] = [entry for entry in model["content"] if not any(fnmatch(entry["name"], name) for name in LEFT_OUT)]
        return model
