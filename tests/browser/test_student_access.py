"""What axe-core finds against our part of the pages, in the light theme and the dark, and what fits into 800 pixels."""
import re

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from lab_page import Notebook
from nbformat.sign import NotebookNotary
from playwright.sync_api import expect

FIRST = "work/ch00_start/0_how_this_book_works.ipynb"
OURS = [".d2l-home", ".d2l-check", ".d2l-next", ".d2l-edited", ".d2l-reset", ".jp-RenderedHTMLCommon"]


def theme(page, name):
    page.locator(".lm-MenuBar-itemLabel", has_text="Settings").click()
    page.locator(".lm-Menu-itemLabel", has_text="Theme").first.hover()
    page.locator(".lm-Menu-itemLabel", has_text=name).first.click()
    expect(page.locator(f"body[data-jp-theme-light={'false' if 'Dark' in name else 'true'}]")).to_have_count(1)
    page.wait_for_timeout(500)


def complaints(page, *selectors, rules=()):
    """"rule: element: what axe says" of each finding within the selectors that are on the page."""
    page.evaluate("document.body.style.height = '100vh'")   # JupyterLab's is 0, and axe takes all in it for hidden
    there = [s for s in selectors if page.locator(s).count()]
    options = {"resultTypes": ["violations"]} | ({"runOnly": {"type": "rule", "values": list(rules)}} if rules else {})
    found = Axe().run(page, context={"include": [[s] for s in there]}, options=options).response["violations"]
    return [f"{one['id']}: {node['html'][:90]}: {node['failureSummary'][:400]}" for one in found for node in one["nodes"]]


@pytest.fixture
def home(page, server):
    page.goto(f"http://127.0.0.1:{server.port}/lab?token={server.token}&reset")
    found = page.locator(".d2l-home:visible")
    expect(found.get_by_role("heading", name="2 Preliminaries")).to_be_visible()
    for summary in found.locator("summary").all()[:3]:
        summary.click()
    return found


@pytest.mark.parametrize("name", ["JupyterLab Light", "JupyterLab Dark"])
def test_the_home_page(page, home, name):
    theme(page, name)
    assert complaints(page, ".d2l-home") == []
    home.locator("h1").evaluate("node => node.style.color = '#777'")         # what cannot be read is found
    home.locator("h1").evaluate("node => node.style.fontSize = '13px'")
    assert [one.partition(":")[0] for one in complaints(page, ".d2l-home")] == ["color-contrast"]


@pytest.mark.parametrize("name", ["JupyterLab Light", "JupyterLab Dark"])
def test_a_notebook_with_a_failed_and_a_passed_check(page, server, book, name):
    notebook = Notebook(page, server, book, FIRST)
    theme(page, name)
    notebook.run(notebook.cell("from d2l_utils.check import"))
    for text in ("    return celsius", "    return celsius * 9 / 5 + 32"):
        answer, check = notebook.cell("# Answer 0.1"), notebook.cell("# Check 0.1")
        notebook.write(answer, f"# Answer 0.1: this cell is yours.\ndef to_fahrenheit(celsius):\n{text}")
        notebook.run(answer)
        notebook.run(check)
        assert complaints(page, *OURS) == []
        breaks = check.locator(".jp-OutputArea-output pre").evaluate_all("all => all.map(one => getComputedStyle(one).wordBreak)")
        assert set(breaks) <= {"normal"}        # JupyterLab breaks within words
        # what the editors colour: JupyterLab's themes, and ours for locked cells
        assert complaints(page, ".jp-NotebookPanel", rules=["color-contrast"]) == []


@pytest.mark.parametrize("name", ["JupyterLab Light", "JupyterLab Dark"])
def test_code_can_be_read(page, server, book, name):
    """All kinds of words of a long notebook, screen by screen."""
    (path,) = (book / "work/ch05_multilayer_perceptrons").glob("5_4*.ipynb")
    Notebook(page, server, book, path.relative_to(book).as_posix())
    theme(page, name)
    page.mouse.move(700, 500)
    for _ in range(6):
        assert complaints(page, ".jp-NotebookPanel", rules=["color-contrast"]) == []
        page.mouse.wheel(0, 2500)
        page.wait_for_timeout(400)


@pytest.mark.parametrize("width", [1280, 800])
def test_the_home_page_does_not_scroll_sideways(page, home, width):
    page.set_viewport_size({"width": width, "height": 1200})
    page.wait_for_timeout(300)
    assert home.evaluate("node => node.scrollWidth - node.clientWidth") == 0
    cut = home.evaluate("""node => [...node.querySelectorAll('.d2l-row > *')]
        .filter(x => x.getBoundingClientRect().right > node.getBoundingClientRect().right).map(x => x.textContent)""")
    assert cut == []
    expect(home.locator(".d2l-here")).to_have_count(1)
    expect(home).to_contain_text("Core path: ")


def test_a_picture_has_the_words_that_came_with_it(page, server, book):
    """In a saved notebook, so that no kernel is waited for; the words themselves: tests/framework/test_alternative.py."""
    dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
    words = "Figure: 1 point, x from 0 to 1, y from 0 to 1."
    shown = nbformat.v4.new_output("display_data", {"image/png": dot, "text/plain": words})
    saved = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("figure", outputs=[shown])],
                                     metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})
    nbformat.write(saved, book / "work/pictures.ipynb")
    page.goto(f"http://127.0.0.1:{server.port}/lab/tree/work/pictures.ipynb?token={server.token}&reset")
    expect(page.get_by_role("img", name=words)).to_have_count(1)


def test_formulas_do_not_make_a_page_scroll_sideways(page, server, book):
    """Neither one at the end of a line, whose words for a screen reader are wider than itself, nor a long one by itself."""
    inline = " ".join(f"word{'s' * (i % 9)} $2 \\cdot 10^{{-4}} \\leq |s_{{{i}}}(x) - f'(x)| \\leq 15$" for i in range(60))
    long = "$$" + " + ".join(f"\\alpha_{{{i}}} x^{{{i}}}" for i in range(40)) + "$$"
    saved = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(inline), nbformat.v4.new_markdown_cell(long)])
    nbformat.write(saved, book / "work/formulas.ipynb")
    page.set_viewport_size({"width": 800, "height": 900})
    page.goto(f"http://127.0.0.1:{server.port}/lab/tree/work/formulas.ipynb?token={server.token}&reset")
    expect(page.locator(".jp-MarkdownOutput mjx-container[display]")).to_be_visible()
    wider = page.locator(".jp-MarkdownOutput").evaluate_all("all => all.map(one => one.scrollWidth - one.clientWidth)")
    assert wider == [0, 0]
    assert page.locator("mjx-container[display]").evaluate("node => node.scrollWidth > node.clientWidth")


def test_a_check_shows_its_card_and_not_the_bare_points_and_a_long_name_breaks(page, server, book):
    """The points are there for nbgrader; the output of another cell is shown."""
    def ran(number, *outputs):
        return nbformat.v4.new_code_cell("1", execution_count=number, outputs=[*outputs, nbformat.v4.new_output(
            "execute_result", {"text/plain": f"{number}.5"}, execution_count=number)])
    card = nbformat.v4.new_output("display_data", {"text/html": '<div class="d2l-check">a card</div>'})
    words = nbformat.v4.new_markdown_cell("See `" + "torch.autograd.graph.saved_tensors_hooks" * 4 + "`.")
    saved = nbformat.v4.new_notebook(cells=[words, ran(1, card), ran(2)],
                                     metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})
    nbformat.write(saved, book / "work/points.ipynb")
    NotebookNotary(data_dir=str(book / ".book/lab/data")).sign(nbformat.read(book / "work/points.ipynb", 4))
    page.set_viewport_size({"width": 800, "height": 900})
    page.goto(f"http://127.0.0.1:{server.port}/lab/tree/work/points.ipynb?token={server.token}&reset")
    expect(page.locator(".d2l-check")).to_be_visible()
    expect(page.get_by_text("2.5", exact=True)).to_be_visible()
    expect(page.get_by_text("1.5", exact=True)).to_be_hidden()
    assert page.locator(".jp-MarkdownOutput").evaluate("node => node.scrollWidth - node.clientWidth") == 0


def test_a_drawing_that_is_wider_than_the_page_is_made_smaller(page, server, book):
    svg = ('<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="100" viewBox="0 0 1000 100"><title>drawn</title>'
           '<rect width="1000" height="100"/></svg>')
    shown = nbformat.v4.new_output("display_data", {"image/svg+xml": svg, "text/plain": "<a graph of 9 arrows; save('it')>"})
    saved = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("graph", outputs=[shown])],
                                     metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})
    nbformat.write(saved, book / "work/drawing.ipynb")
    NotebookNotary(data_dir=str(book / ".book/lab/data")).sign(saved)
    page.goto(f"http://127.0.0.1:{server.port}/lab/tree/work/drawing.ipynb?token={server.token}&reset")
    drawing = page.get_by_role("img", name="a graph of 9 arrows")
    expect(drawing).to_have_attribute("style", re.compile("min-width: 650px"))
    output = page.locator(".jp-RenderedSVG")
    assert output.evaluate("node => node.scrollWidth <= node.clientWidth")
    page.set_viewport_size({"width": 800, "height": 900})
    expect(drawing).to_have_js_property("offsetWidth", 650)         # smaller than that it cannot be read
