"""A notebook in JupyterLab, as a person uses it."""
import json
import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect


class Notebook:
    """The notebook `path` (from the book's root), open and with its kernel idle."""

    def __init__(self, page: Page, server, root: Path, path: str):
        self.page, self.file = page, root / path
        base = f"http://127.0.0.1:{server.port}"
        page.goto(f"{base}/lab/tree/{path}?token={server.token}&reset")
        self.panel = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
        # the indicator above the notebook says idle before there is a kernel, too; a cell run then asks which kernel to take
        expect(page.locator("#jp-main-statusbar")).to_contain_text("Python 3 (ipykernel) | Idle")

    def cell(self, first_words: str) -> Locator:
        """The cell whose text holds these words."""
        return self.panel.locator(".jp-Cell").filter(has_text=first_words).first

    def write(self, cell: Locator, text: str) -> None:
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)

    def run(self, cell: Locator) -> None:
        """Control+Enter in this cell, and waits until the kernel is idle again."""
        prompt = cell.locator(".jp-InputPrompt")
        before = prompt.inner_text()
        for _ in range(5):              # JupyterLab loads its shortcuts after the page: the first may come too early
            cell.locator(".cm-line").first.click()      # the middle of a folded check is hidden
            self.page.keyboard.press("Control+Enter")
            try:
                expect(prompt).not_to_have_text(before, timeout=3000)
                break
            except AssertionError:
                continue
        self.wait_idle(cell)

    def wait_idle(self, cell: Locator) -> None:
        expect(cell.locator(".jp-InputPrompt")).to_have_text(re.compile(r"\[\d+\]:"))
        expect(self.panel.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")).to_be_visible()

    def menu(self, menu: str, entry: str) -> None:
        self.page.locator(".lm-MenuBar-itemLabel", has_text=re.compile(f"^{menu}$")).click()
        self.page.locator(".lm-Menu-itemLabel", has_text=re.compile(f"^{entry}$")).click()

    def saved(self) -> list[dict]:
        """The cells in the file, after Control+S."""
        self.page.keyboard.press("Control+s")
        expect(self.page.locator(".lm-TabBar-tab.jp-mod-current.jp-mod-dirty")).to_have_count(0)
        return json.loads(self.file.read_text())["cells"]

    def hand_back(self, number: str) -> None:
        """The page with this answer as it was handed out, saved, and without a kernel: other tests use it, too."""
        answer = self.cell(f"# Answer {number}")
        answer.hover()
        answer.locator(".d2l-reset").click()
        self.saved()
        self.menu("Kernel", "Shut Down Kernel")
        expect(self.page.locator("#jp-main-statusbar")).to_contain_text("No Kernel")
