"""JupyterLab as `make lab` starts it, on a copy of the book, and Chromium to use it with."""
import os
import shutil
from pathlib import Path

import pytest

from course import lab

ROOT = Path(__file__).resolve().parents[2]
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium():
    """A running Chromium: Debian's, or the one that the variable CHROMIUM names."""
    from playwright.sync_api import expect, sync_playwright
    expect.set_options(timeout=60_000)
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.fail("No Chromium here. Install it (Debian: apt-get install chromium), or name it in CHROMIUM.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def book(tmp_path_factory) -> Path:
    """A copy of what a student has: notebooks/ and the settings, no work/ yet."""
    root = tmp_path_factory.mktemp("book")
    shutil.copytree(ROOT / "notebooks", root / "notebooks")
    shutil.copy(ROOT / "nbgrader_config.py", root)
    return root


@pytest.fixture(scope="module")
def server(book):
    lab.sync(book)
    with lab.running(book) as running:
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
