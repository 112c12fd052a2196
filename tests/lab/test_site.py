"""The book as a web site: pages that need no network, links that lead somewhere, nothing of an answer or a hidden test."""
import base64
import os
import re
import sys
from pathlib import Path

import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

sys.path.insert(0, str(Path(__file__).parents[1] / "grading"))
from small_course import CHAPTER, NAME, Course  # noqa: E402

from course.lab.site import pages  # noqa: E402
from course.lab.site.build import broken_links  # noqa: E402


PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    course = Course(tmp_path_factory.mktemp("course"))
    path = course.root / "solutions" / CHAPTER / f"{NAME}.py"
    text = path.read_text().replace('# %% [markdown] task="9.9.1"', """# %% [markdown]
# ## Doubling
#
# For $x = 3$, $2x * 1$ is printed below; $x_1 * x_2$ is not. ![two "bars"](figures/bars.png)

# %%
print("worked", 2 * 3)
from matplotlib import pyplot as plt
plt.plot([1, 2], label="a line")
plt.show()
print("after the picture")

# %% [markdown] task="9.9.1\"""")
    path.write_text(text)
    (path.parent / "figures").mkdir()
    (path.parent / "figures/bars.png").write_bytes(PIXEL)
    course.run("course", "build", check=True)
    return course


@pytest.fixture(scope="module")
def site(course):
    before = set(os.listdir(course.root))
    result = course.run("course", "site", "--to", str(course.root / "site"))
    assert result.returncode == 0, result.stdout + result.stderr
    assert set(os.listdir(course.root)) - before == {"site"}       # nothing of the build's own lies about
    return course.root / "site"


def test_it_shows_what_worked_code_prints_and_formulas_without_a_script(site):
    page = (site / CHAPTER / f"{NAME}.html").read_text()
    assert "worked 6" in page and "<math" in page and "$x" not in page and "<em>" not in page.split("Doubling")[1][:1500]
    assert 'id="task-9-9-1"' in page and f'href="../notebooks/{CHAPTER}/{NAME}.ipynb"' in page
    assert (site / "notebooks" / CHAPTER / f"{NAME}.ipynb").exists() and (site / "searchindex.js").exists()
    assert "<details><summary>Hint 1" in page and "Ellipsis" not in page and "Show the check" in page
    script = re.search(r'<script src="\.\./(_static/book\.js)', page)
    assert (site / script[1]).exists()      # wide formulas can be scrolled without a mouse


def test_what_is_printed_after_a_picture_stands_after_it(site):
    page = (site / CHAPTER / f"{NAME}.html").read_text()
    assert page.index("worked 6") < page.index("a line), x from") < page.rindex("after the picture")


def test_the_page_above_its_first_section(site):
    page = (site / CHAPTER / f"{NAME}.html").read_text()
    assert page.count('<button class="btn search-button-field') == 1      # the theme has a second one, above the page
    made = pages.page(new_notebook(cells=[new_markdown_cell("# 1 One\n\nWords.\n\n## Part\n\nMore.")]), "ch01/1_1.ipynb")
    text = made.cells[0].source
    assert text.index("Words.") < text.index("Download") < text.index("\n\n## Part") and text.endswith("More.")


def test_its_pictures_have_words(site):
    page = (site / CHAPTER / f"{NAME}.html").read_text()
    assert re.findall(r'<img[^>]* alt="([^"]*)"', page) == [
        "two &quot;bars&quot;", "Figure: 1 curve (a line), x from -0.05 to 1.05, y from 0.95 to 2.05."]
    assert f"data:image/png;base64,{base64.b64encode(PIXEL).decode()}" in page      # an author's own, which came in its cell


def test_no_answer_and_no_hidden_test_is_in_it(site):
    for path in site.rglob("*"):
        if path.suffix in (".html", ".js", ".txt", ".ipynb") and "_static" not in path.parts:
            text = re.sub(r"<[^>]*>", "", path.read_text())
            words = ("return 2 * x", "8302", "2469134", "HIDDEN", "manual_seed(3)", "The sum runs over", "Rubric")
            found = [word for word in words if word in text]
            assert not found, (path, found)


def test_its_pages_fetch_nothing_from_a_network(site):
    for path in site.rglob("*.html"):
        if "_static" not in path.parts:
            sources = re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="((?:https?:)?//[^"]*)"', path.read_text())
            assert not sources, (path, sources)


def test_where_the_book_is_public_each_page_leads_to_binder_and_colab(course, site):
    assert "mybinder" not in (site / CHAPTER / f"{NAME}.html").read_text()
    told = course.run("course", "site", "--to", str(course.root / "public"), "--repository", "https://github.com/org/book/tree/v2")
    assert told.returncode == 0, told.stdout + told.stderr
    page = (course.root / "public" / CHAPTER / f"{NAME}.html").read_text()
    for link in (f"https://mybinder.org/v2/gh/org/book/v2?urlpath=lab/tree/work/{CHAPTER}/{NAME}.ipynb",
                 f"https://colab.research.google.com/github/org/book/blob/v2/notebooks/{CHAPTER}/{NAME}.ipynb"):
        assert f'href="{link}"' in page, link
    refused = course.run("course", "site", "--to", str(course.root / "public"), "--repository", "org/book")
    assert refused.returncode == 1 and "https://github.com/ORG/NAME" in refused.stderr


def test_a_link_that_leads_nowhere_is_named(tmp_path):
    links = ("b.html#there", "b.html#gone", "c.html", "#q")
    (tmp_path / "a.html").write_text("".join(f'<a href="{link}">x</a>' for link in links))
    (tmp_path / "b.html").write_text('<p id="there">')
    assert [line.split(": ", 1)[1] for line in broken_links(tmp_path)] == [
        "#q leads to no place in it", "b.html#gone leads to no place in it", "c.html leads to no file"]


def test_links_between_notebooks_become_links_between_pages():
    made = pages.text("[`f`, a *way*](../ch02/2_1_x.ipynb#cell-id=task-2-1-3) and [here](#cell-id=prose-1) for $a_1 * b_2$")
    assert '<a class="reference internal" href="../ch02/2_1_x.html#task-2-1-3"><code>f</code>, a *way*</a>' in made
    assert 'href="#prose-1">here</a>' in made and "$" not in made and "_" not in made.split("<math")[1]
