"""JupyterLab as `make lab` starts it, on a copy of the book, and Chromium to use it with."""
import os
import shutil
from pathlib import Path

import pytest

from course.lab import start
from course.book.build import build

ROOT = Path(__file__).resolve().parents[2]
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium(lacking):
    """A running Chromium: Debian's, or the one that the variable CHROMIUM names."""
    from playwright.sync_api import expect, sync_playwright
    expect.set_options(timeout=60_000)
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        lacking("No Chromium here. Install it (Debian: apt-get install chromium), or name it in the variable CHROMIUM.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


WORDS = '''# %% [markdown]
# # 99.1 In words
#
# A section for tests.

# %% [markdown] teaches="the reason"
# ## A heading with a formula: $a_1$
#
# Because.
#
# $$a_1 + a_2 = b$$
#
# $$a_{10} b_{10} + a_{11} b_{11} + a_{12} b_{12} + a_{13} b_{13} + a_{14} b_{14} + a_{15} b_{15}
# + a_{16} b_{16} + a_{17} b_{17} + a_{18} b_{18} + a_{19} b_{19} + a_{20} b_{20} + a_{21} b_{21} = c$$

# %% [markdown] task="99.1.1" kind="explain" minutes=5 difficulty=1
# ### Why
#
# **You are done when** you have said why.

# %% [markdown] written="99.1.1" points=2
# ### BEGIN SOLUTION
# Because.
#
# **Rubric**
# - [1] says because
# - [0.5] says why
# - [0.5] says so
# ### END SOLUTION

# %% [markdown] hints="99.1.1"
# 1. Think.
'''


CODE = '''# %% [markdown]
# # 99.2 In code

# %% tags=["setup"]
from d2l_utils.check import *

# %% [markdown] task="99.2.1" kind="code" minutes=1 difficulty=1 needs="the reason"
# ### Twice
#
# Write `twice(x)`.
#
# **You are done when** `twice(3)` is 6.

# %% exercise="99.2.1"
def twice(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION

# %% [markdown] hints="99.2.1"
# 1. What is x + x?

# %% check="99.2.1" points=2
assert_equal(twice(3), 6, "twice 3")
### BEGIN HIDDEN TESTS
assert_equal(twice(-4), -8, "twice a negative number")
### END HIDDEN TESTS
'''


@pytest.fixture(scope="session")
def book(tmp_path_factory) -> Path:
    """What a student has, notebooks/ and the settings, in a folder of its own; with a section for tests."""
    root = tmp_path_factory.mktemp("book")
    shutil.copy(ROOT / "nbgrader_config.py", root)
    (root / "solutions/ch99_words").mkdir(parents=True)
    (root / "solutions/ch99_words/99_1_words.py").write_text(WORDS)
    (root / "solutions/ch99_words/99_2_code.py").write_text(CODE)
    build(root, gradebook=False)
    shutil.copytree(ROOT / "notebooks", root / "notebooks", dirs_exist_ok=True, ignore=shutil.ignore_patterns("index"))
    shutil.copytree(ROOT / "solutions/ch00_start", root / "solutions/ch00_start")       # someone who learns alone has it
    return root


@pytest.fixture(scope="session")
def server(book):
    start.sync(book)
    with start.running(book) as running:
        yield running


@pytest.fixture
def page(chromium, request):
    """A browser window. Where the variable SHOTS names a folder, a picture of its last state goes there."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    if os.environ.get("SHOTS"):
        page.screenshot(path=Path(os.environ["SHOTS"]) / f"{request.node.name}.png")
    context.close()
