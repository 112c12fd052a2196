"""`nbgrader collect` on an exchange that every student can write to: one folder there stops nobody else's.

nbgrader's own collect takes a submission from another's account with a warning, follows links with the teacher's
rights, and stops for the whole class at a folder whose name holds no time.
"""
from __future__ import annotations

import os
import pwd
import shutil
import stat
from datetime import datetime
from pathlib import Path

from nbgrader.exchange.default import ExchangeCollect
from nbgrader.utils import ignore_patterns

_REFUSED = "/"          # before a folder's name; no account's name holds one


class Collect(ExchangeCollect):
    """For `ExchangeFactory.collect`: leaves out, with a line that says why, what is not a student's own plain folder.

    The owner of the folder counts where `check_owner` is true.
    """

    def init_src(self):
        super().init_src()
        self.src_records = [record for record in self.src_records if not record["username"].startswith(_REFUSED)]

    def _path_to_record(self, path):
        try:
            record = super()._path_to_record(path)
            refused = self._refused(Path(path), record["username"])
        except OSError as error:
            refused = f"it cannot be read ({error.strerror})"
        except Exception:           # whatever a name leads to
            refused = "its name is not STUDENT+ASSIGNMENT+TIME"
        if not refused:
            return record
        self.log.warning("%s is left out: %s.", path, refused)
        return {"username": _REFUSED + path, "filename": os.path.basename(path), "timestamp": datetime.max}

    def _refused(self, folder: Path, student: str) -> str:
        """Why this submission does not count, "" where it does."""
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode):
            return "it is not a folder"
        if self.check_owner:
            try:
                owner = pwd.getpwuid(found.st_uid).pw_name
            except KeyError:
                owner = f"account {found.st_uid}"
            if owner != student:
                return f"it claims to be of {student} and belongs to {owner}"
        size = 0
        for here, folders, files in os.walk(folder, onerror=_unreadable):
            for name in folders + files:
                kind = os.lstat(os.path.join(here, name))
                if not (stat.S_ISDIR(kind.st_mode) or stat.S_ISREG(kind.st_mode)):
                    return f"{name} in it is a link or no file"
                size += kind.st_size
        if size > 1000 * self.coursedir.max_dir_size:
            return f"it has {size:,} bytes, more than CourseDirectory.max_dir_size"
        return ""

    def do_copy(self, src, dest, log=None):
        """As nbgrader's, but a link that appeared meanwhile is copied as a link and removed, never followed."""
        shutil.copytree(src, dest, symlinks=True, ignore=ignore_patterns(
            exclude=self.coursedir.ignore, include=self.coursedir.include, max_file_size=self.coursedir.max_file_size,
            log=self.log))
        for path in Path(dest).rglob("*"):
            if path.is_symlink():
                path.unlink()


def _unreadable(error: OSError) -> None:
    raise error
