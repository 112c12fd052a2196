"""`nbgrader collect` on an exchange that every student can write to: one folder there stops nobody else's.

nbgrader's own collect takes a submission from another's account with a warning, follows links with the teacher's
rights, believes the time in a folder's name, and stops for the whole class at a name that holds none.
"""
from __future__ import annotations

import glob
import os
import pwd
from datetime import datetime, timedelta, timezone
from pathlib import Path

from nbgrader.exchange.default import ExchangeCollect, ExchangeReleaseFeedback

from course.grading.copying import Refused, copy, look, opened
from course.grading.names import RULE, is_name, shown

_REFUSED = "/"          # before a folder's name; no account's name holds one
# Submit names the folder by the time at its start, and copies for a moment; what changed later came later.
GRACE = timedelta(minutes=2)


class Collect(ExchangeCollect):
    """For `ExchangeFactory.collect`: leaves out, with a line that says why, what is not a student's own plain folder.

    The owner of the folder, and of each file in it, counts where `check_owner` is true. The time of a submission is the
    later one of its name's and of the last change in it, which the student cannot set.
    """

    def init_src(self):
        super().init_src()
        self.src_records = [record for record in self.src_records if not record["username"].startswith(_REFUSED)]

    def _path_to_record(self, path):
        try:
            record = super()._path_to_record(path)
            refused = "" if is_name(record["username"]) else f"its student's name is not {RULE}"
        except Exception:           # whatever a name leads to
            refused = "its name is not STUDENT+ASSIGNMENT+TIME"
        try:
            if not refused:
                with opened(Path(path)) as fd:
                    changed = look(fd, limit=self._limit, owner=self._owner(fd, record["username"]))
                    arrived = datetime.fromtimestamp(changed, timezone.utc).replace(tzinfo=None)
        except (Refused, OSError) as error:
            refused = str(error)
        if refused:
            self.log.warning("%s is left out: %s.", shown(os.path.basename(path)), refused)
            return {"username": _REFUSED + path, "filename": os.path.basename(path), "timestamp": datetime.max}
        claimed = record["timestamp"]       # nbgrader's times are UTC, without saying so
        record["written"] = record["filename"].rsplit("+", 3)[2]
        if arrived > claimed + GRACE:
            record |= {"timestamp": arrived, "written": arrived.strftime("%Y-%m-%d %H:%M:%S.%f UTC")}
            self.log.warning("%s says %s and changed at %s UTC: the later time counts.", shown(os.path.basename(path)),
                             claimed, arrived)
        return record

    @property
    def _limit(self) -> int:
        return 1000 * self.coursedir.max_dir_size       # bytes

    def _owner(self, fd: int, student: str) -> int | None:
        """The account that owns the opened folder, None where owners do not count. Raises Refused."""
        if not self.check_owner:
            return None
        account = os.fstat(fd).st_uid
        try:
            owner = pwd.getpwuid(account).pw_name
        except KeyError:
            owner = f"account {account}"
        if owner != student:
            raise Refused(f"it claims to be of {student} and belongs to {owner}")
        return account

    def do_copy(self, src, dest, log=None):
        """As nbgrader's, from the folder that is there now: opened once, its owner asked again, no link followed."""
        record = next(r for r in self.src_records if r["filename"] == os.path.basename(src))
        largest = self.coursedir.max_file_size

        def skip(name: str, size: int) -> bool:
            if largest and size > 1000 * largest:
                self.log.warning("%s of %s is left out: more than CourseDirectory.max_file_size.", ascii(name),
                                 shown(os.path.basename(src)))
                return True
            return False
        try:
            with opened(Path(src)) as fd:
                copy(fd, Path(dest), limit=self._limit, exclude=list(self.coursedir.ignore),
                     owner=self._owner(fd, record["username"]), skip=skip)
        except Refused as refused:
            self.log.warning("%s is left out: %s.", shown(os.path.basename(src)), refused)
            return
        # nbgrader reads the time of a submission here; what stood there was the student's
        (Path(dest) / "timestamp.txt").write_text(record["written"], encoding="utf-8")


class ReleaseFeedback(ExchangeReleaseFeedback):
    """For `ExchangeFactory.release_feedback`: a submission that was not collected, and so has no time or no secret by
    which nbgrader addresses its feedback, stops nobody else's."""

    def copy_files(self):
        without = []
        for folder in sorted({Path(page).parent for page in glob.glob(os.path.join(self.src_path, "*.html"))}):
            if not (folder / "submission_secret.txt").is_file():
                without.append(folder)
            elif not (folder / "timestamp.txt").exists():
                (folder / "timestamp.txt").touch()      # nbgrader only shows it
        excluded = self.coursedir.student_id_exclude
        names = [folder.parent.name for folder in without]
        self.coursedir.student_id_exclude = ",".join(filter(None, [excluded, *names]))
        try:
            super().copy_files()
        finally:
            self.coursedir.student_id_exclude = excluded
        for folder in without:
            self.log.warning("%s was not handed in through the exchange (no submission_secret.txt): give its pages to the "
                             "student yourself, from %s.", folder.parent.name, folder)
