"""Formgrader as a teacher uses it, from `jupyter lab` in the course's root: everything from this machine."""
import copy
import os
import re
import secrets
import socket
import subprocess
import sys
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import nbformat
import pytest
from playwright.sync_api import expect

from course.book.build import build
from course.grading.demo import make_root

REPO = Path(__file__).resolve().parents[2]
CHAPTER, NAME = "ch99_words", "99_1_words"
SECTION = '''# %% [markdown]
# # 99.1 In words
#
# For $x_1 = 2$ the sum $$\\sum_{i=1}^{n} x_i$$ is 2.

# %% tags=["setup"]
from d2l_utils.check import *

# %% [markdown] task="99.1.1" kind="code" minutes=1 difficulty=1
# ### Twice
#
# Write `twice(x)`.
#
# **You are done when** `twice(3)` is 6.

# %% exercise="99.1.1"
def twice(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION

# %% [markdown] hints="99.1.1"
# 1. What is x + x?

# %% check="99.1.1" points=2
assert_equal(twice(3), 6, "twice 3")
### BEGIN HIDDEN TESTS
assert_equal(twice(-4), -8, "twice a negative number")
### END HIDDEN TESTS

# %% [markdown] task="99.1.2" kind="explain" minutes=5 difficulty=1
# ### Why
#
# **You are done when** you have said why.

# %% [markdown] written="99.1.2" points=2
# ### BEGIN SOLUTION
# Because.
#
# **Rubric**
# - [1] says because
# - [0.5] says why
# - [0.5] says so
# ### END SOLUTION

# %% [markdown] hints="99.1.2"
# 1. Think.
'''
ANSWERS = {"answer-99-1-1": "def twice(x):\n    return x + x",
           "written-99-1-2": "Because $\\frac{9}{5}x$ is not $x$.\n\n<script>window.stolen = true</script>"}
# what would run a script, or load something, where it got into a teacher's page as it is
NASTY = r"""$\text{< script>window.stolen = 1< /script>}$ $\text{<script>window.stolen = 1</script>}$
$\href{javascript:window.stolen=1}{\text{a prize}}$ $\style{background:url(CANARY/style)}{x}$ $$\class{x}{\href{CANARY/link}{y}}$$
$\require{html}\csname href\endcsname{javascript:window.stolen=1}{z}$ \(\href{javascript:window.stolen=1}{w}\)
![p](CANARY/picture.png) ![p][q] <img src="CANARY/tag" onerror="window.stolen=1"> <svg onload="window.stolen=1"></svg>
[a prize](javascript:window.stolen=1) <iframe src="CANARY/frame"></iframe>

[q]: CANARY/reference.png"""


@pytest.fixture(scope="module")
def canary():
    """The address of a server that notes what it is asked, and the list of that."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()


@pytest.fixture(scope="module")
def teacher(tmp_path_factory, canary):
    """A course with two submissions, and `jupyter lab` in its root, as a teacher starts it."""
    root = tmp_path_factory.mktemp("course")
    (root / "solutions" / CHAPTER).mkdir(parents=True)
    (root / "solutions" / CHAPTER / f"{NAME}.py").write_text(SECTION)
    make_root(REPO, root)
    build(root)
    notebook = nbformat.read(root / "notebooks" / CHAPTER / f"{NAME}.ipynb", 4)
    nasty = NASTY.replace("CANARY", canary[0])
    words = f"from IPython.display import HTML\ndisplay(HTML({nasty!r}), {nasty!r})\ndef twice(x): raise ValueError({nasty!r})"
    for student, answers in {"ada": ANSWERS, "eve": {"answer-99-1-1": words, "written-99-1-2": nasty}}.items():
        made = copy.deepcopy(notebook)
        for cell in made.cells:
            cell.source = answers.get(cell.id, cell.source)
        path = root / "submitted" / student / CHAPTER / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(made, path)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = secrets.token_hex(8)
    home = root / "home"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("JUPYTER")}
    with open(root / "server.log", "wb") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--ServerApp.port={port}",
             "--ServerApp.ip=127.0.0.1", f"--IdentityProvider.token={token}", "--ServerApp.port_retries=0"],
            cwd=root, stdout=log, stderr=log,
            env=environment | {"HOME": str(home), "JUPYTER_CONFIG_DIR": str(home), "PYTHONPATH": str(REPO)})
    yield SimpleNamespace(base=f"http://127.0.0.1:{port}", token=token, root=root, process=server)
    server.terminate()
    server.wait(30)


def until_up(page, teacher) -> None:
    """Opens JupyterLab once the server answers."""
    for _ in range(400):
        assert teacher.process.poll() is None, (teacher.root / "server.log").read_text()[-2000:]
        try:
            page.goto(f"{teacher.base}/lab?token={teacher.token}&reset")
            return
        except Exception:           # refused: not yet listening
            page.wait_for_timeout(300)
    pytest.fail("JupyterLab did not start")


@pytest.mark.slow
def test_list_autograde_and_manual_marks_offline(page, teacher):
    """The list, the autograde button, a formula, a score with a comment: no request leaves the machine."""
    outside, broken = [], []
    page.on("request", lambda r: r.url.startswith("http") and not r.url.startswith(teacher.base) and outside.append(r.url))
    page.on("pageerror", lambda error: broken.append(str(error)))
    until_up(page, teacher)
    page.locator(".lm-MenuBar-itemLabel", has_text="Nbgrader").click()
    page.get_by_text("Formgrader", exact=True).click()
    frame = page.frame_locator("iframe")
    expect(frame.locator("tr", has_text=CHAPTER)).to_contain_text("draft")

    page.goto(f"{teacher.base}/formgrader/manage_submissions/{CHAPTER}")
    row = page.locator("tr", has_text="ada")
    row.locator("td.autograde a").click()
    expect(page.locator(".modal.in")).to_contain_text("Successfully autograded")
    page.goto(f"{teacher.base}/formgrader/manage_submissions/{CHAPTER}")
    expect(row).to_contain_text("2 / 4")
    expect(row).to_contain_text("needs manual grading")

    page.goto(f"{teacher.base}/formgrader/gradebook/{CHAPTER}/{NAME}")
    page.locator("tbody tr a", has_text="Submission").click()
    answer = page.locator(".nbgrader_cell", has_text="Student's answer").filter(has_text="is not")
    expect(answer.locator(".MathJax .mfrac").first).to_be_visible()          # drawn, in MathJax's own font
    expect(page.locator(".MathJax_Display").first).to_be_visible()
    assert page.evaluate("window.stolen") is None           # a script in an answer does not run in the teacher's browser
    if os.environ.get("SHOTS"):
        page.screenshot(path=Path(os.environ["SHOTS"]) / "formgrader_manual.png")
    answer.locator("input.score").fill("1.5")
    answer.locator("input.score").press("Tab")
    answer.locator("textarea").fill("Say *why*.")
    answer.locator("textarea").press("Tab")
    expect(answer.locator(".comment-saved")).to_be_visible()
    page.goto(f"{teacher.base}/formgrader/manage_submissions/{CHAPTER}")
    expect(row).to_contain_text("3.5 / 4")
    assert not outside and not broken
    # a browser that leaves a page breaks connections, which is no trouble of ours
    log = (teacher.root / "server.log").read_text()
    assert not [block for block in re.split(r"\n(?=\[)", log) if re.search(r"\[E |Traceback", block)
                and re.search(r"/course/|nbgrader|exercise-book", block)], log[-4000:]


@pytest.mark.slow
def test_no_words_of_a_student_run_or_load_anything(page, teacher, canary):
    """Formgrader's page of a submission, the feedback page and the report, with what a student would write to do harm."""
    run = partial(subprocess.run, cwd=teacher.root, check=True, capture_output=True, text=True, env=os.environ | {
        "PYTHONPATH": str(REPO), "COURSE_ROOT": str(teacher.root),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])})
    run([sys.executable, "-m", "course.cli", "autograde", CHAPTER, "--student", "eve"])
    run([sys.executable, "-m", "nbgrader", "generate_feedback", CHAPTER, "--student", "eve"])
    until_up(page, teacher)
    page.goto(f"{teacher.base}/formgrader/gradebook/{CHAPTER}/{NAME}")
    links = page.locator("tbody tr a", has_text="Submission")
    expect(links.first).to_be_visible()
    addresses = [f"{teacher.base}{link.get_attribute('href')}" for link in links.all()]
    feedback = next((teacher.root / "feedback/eve").rglob("*.html"))
    seen = []
    for address in [*addresses, feedback.as_uri(), (teacher.root / "grades/report.html").as_uri()]:
        page.goto(address)
        page.wait_for_load_state("networkidle")
        seen.append(page.content())
        assert page.evaluate("window.stolen") is None, address
        links = page.eval_on_selector_all("a[href], use, [*|href]", "all => all.map(one => String(one.getAttribute('href') || "
                                          "one.getAttributeNS('http://www.w3.org/1999/xlink', 'href')))")
        assert not [link for link in links if "javascript:" in link.lower().replace("\t", "") and "stolen" in link], address
    assert sum("a prize" in text for text in seen) >= 2             # it was there to be read
    assert canary[1] == []
