"""The page on which a teacher marks: a small server on this machine alone, with a secret in its address.

Students' words are shown there, so the page runs no script but its own (a nonce), and what changes a mark needs the
secret and comes from the page itself.
"""
from __future__ import annotations

import hmac
import json
import secrets
from pathlib import Path

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, HTTPError, RequestHandler

from course.grading.marking import Conflict, Desk, NoAnswer
from course.grading.page import of_the_book, template, words

_COOKIE = "course-mark"


class Page(RequestHandler):
    """What all pages need: the secret, and headers that let nothing of a student's run."""

    def initialize(self, desk: Desk, token: str):
        self.desk, self.token, self.nonce = desk, token, secrets.token_urlsafe(16)

    def prepare(self):
        self.set_header("Content-Security-Policy", f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
                        f"script-src 'nonce-{self.nonce}'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
                        "frame-ancestors 'none'")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Cache-Control", "no-store")
        if self.request.host.rsplit(":", 1)[0] not in ("127.0.0.1", "localhost"):      # another name leads here: rebinding
            raise HTTPError(403, reason="This page answers on 127.0.0.1 only.")
        given = self.get_query_argument("token", None)
        if given is not None and hmac.compare_digest(given.encode(), self.token.encode()):
            self.set_cookie(_COOKIE, self.token, httponly=True, samesite="strict")
            return
        if not hmac.compare_digest((self.get_cookie(_COOKIE) or "").encode(), self.token.encode()):
            raise HTTPError(403, reason="Open the address that `course mark` printed: it holds the secret.")

    def write_error(self, status_code: int, **kwargs):
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"{status_code}: {self._reason}\n")

    def show(self, name: str, **values):
        self.write(template(name).render(nonce=self.nonce, **values))


class All(Page):
    """The written exercises, and how many answers wait."""

    def get(self):
        counts = self.desk.counts()
        rows = [(question, *counts[number]) for number, question in self.desk.questions.items() if counts[number][1]]
        self.show("mark_all.html", rows=rows, waiting=sum(row[1] for row in rows), total=sum(row[2] for row in rows))


class One(Page):
    """One exercise: the answer of one student after another."""

    def get(self, number: str):
        try:
            question, students = self.desk.question(number), self.desk.students(number)
        except NoAnswer as error:
            raise HTTPError(404, reason=str(error)) from error
        self.show("mark.html", question=question, task=of_the_book(question.task), model=of_the_book(question.model),
                  students=students, lines=[{"points": line.points, "claim": line.claim} for line in question.rubric],
                  rubric=[(line.points, of_the_book(line.text)) for line in question.rubric])


class Mark(Page):
    """An answer as JSON, and its mark."""

    def get(self, number: str, student: str):
        self._answer(lambda: self.desk.answer(number, student))

    def put(self, number: str, student: str):
        if self.request.headers.get("Origin", "").split("://")[-1] != self.request.host:
            raise HTTPError(403, reason="A mark is saved from the page itself.")
        try:
            given = json.loads(self.request.body)
            points, comment, version = float(given["points"]), str(given["comment"]), str(given["version"])
        except (ValueError, KeyError, TypeError) as error:
            raise HTTPError(400, reason="That is no mark: points, comment and version are needed.") from error
        self._answer(lambda: self.desk.save(number, student, points, comment, version))

    def _answer(self, ask):
        try:
            found = ask()
        except NoAnswer as error:
            raise HTTPError(404, reason=str(error)) from error
        except Conflict as error:
            raise HTTPError(409, reason=str(error)) from error
        except ValueError as error:
            raise HTTPError(400, reason=str(error)) from error
        self.write({"student": found.student, "html": words(found.words, found.attachments), "checked": found.checked,
                    "points": found.points, "comment": found.comment, "waits": found.waits, "version": found.version})


def serve(root: Path, port: int = 0) -> tuple[HTTPServer, str]:
    """Starts to listen on this machine. Returns the server and the address with the secret."""
    token, desk = secrets.token_urlsafe(24), Desk(root)
    shared = {"desk": desk, "token": token}
    number, student = r"([0-9A-Za-z.]+)", r"([A-Za-z0-9][A-Za-z0-9_.@-]{0,63})"
    application = Application([("/", All, shared), (f"/{number}", One, shared), (f"/{number}/{student}", Mark, shared)])
    sockets = bind_sockets(port, "127.0.0.1")
    server = HTTPServer(application, max_body_size=1 << 20)
    server.add_sockets(sockets)
    return server, f"http://127.0.0.1:{sockets[0].getsockname()[1]}/?token={token}"
