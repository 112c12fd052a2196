"""What a student writes is shown as it reads, and nothing in it runs or loads anything in the instructor's browser."""
from __future__ import annotations

from html.parser import HTMLParser

import pytest
from nbconvert.filters import markdown2html
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from course.engine.markup import harmless, one_line, pictures

PLAIN = {"p", "em", "strong", "code", "pre", "b", "i", "br", "sub", "sup", "a", "img", "ul", "ol", "li", "h1", "h2", "table",
         "tr", "td", "th", "thead", "tbody", "blockquote", "div", "span", "del", "hr", "input"}
NASTY = [
    "<script>pwned()</script>", "<img src=x onerror=pwned()>", "<svg onload=pwned()>", "<b onclick=pwned()>x</b>",
    "<SCRIPT\nsrc=//evil>", "<<script>script>", "<a href='javascript:pwned()'>x</a>", "<iframe src=//evil>", "<!--><script>",
    "<?xml><script>x</script>", "</p><style>*{}</style>", "<math><mi xlink:href='javascript:x'>", "<br onload=x>",
    "<b/onclick=x>", "![x](attachment:a.png)", "![x](attachment:a%2Epng)",
    "[x](javascript:pwned())", "[x]( JaVaScRiPt:pwned())", "[x](&#106;avascript:pwned())", "[x](<javascript:pwned()>)",
    "[x][y]\n\n[y]: javascript:pwned()", "[x][y]\n\n[y]:\njavascript:pwned()", "[y]:   <javascript:pwned()>\n\n[y]",
    "<javascript:pwned()>", "[x](data:text/html,<script>pwned()</script>)", "![x](javascript:pwned())", "[x](vbscript:x)",
    "![x](x\" onerror=\"pwned())", "[x](http://e.org/\"onclick=\"pwned())", "[x](\tjavascript:pwned())", "[x](java\nscript:x)",
    "`a` <script>`</script>", "```\n<script>\n```\n<script>pwned()</script>", "    <script>\n\n<script>", "$x <script>y$",
    "[x](a 'b'onclick='c')", "<p><script>", "<li><style>", "[x](\\javascript:y)", "[a]: \njavascript:pwned()\n\n[a]",
]


class Danger(HTMLParser):
    """Collects what may run or load something."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        if tag not in PLAIN:
            self.found.append(tag)
        for name, value in attributes:
            target = "".join((value or "").split()).lower()
            if name.startswith("on") or (name in ("href", "src") and ":" in target.split("/")[0]
                                         and not target.startswith(("http:", "https:", "mailto:", "attachment:"))):
                self.found.append(f"{name}={value}")


def danger(html: str) -> list[str]:
    parser = Danger()
    parser.feed(html)
    parser.close()
    return parser.found


def test_the_search_for_danger_finds_some():
    assert sum(bool(danger(markdown2html(text))) for text in NASTY if "attachment" not in text) > 20


@pytest.mark.parametrize("text", NASTY)
@pytest.mark.parametrize("disarm", [harmless, one_line])
def test_nothing_runs(disarm, text):
    assert danger(markdown2html(disarm(text))) == []
    assert danger(markdown2html("- a\n- " + disarm(f"x {text} y") + "\n> " + disarm(text))) == []


@pytest.mark.parametrize("text", [
    "A **bold** word, x < y, a<b for b>0, `List<int>`", "$a<b$ and $$\\sum_{i<n} x_i$$", "H<sub>2</sub>O<br>x",
    "see [page](https://pytorch.org/docs) or [file](2_1.ipynb) or [above](#twice)",
    "1. one\n2. two\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |"])
def test_it_reads_as_it_was_written(text):
    disarmed = harmless(text)
    assert disarmed.replace("\u2060", "") == text
    shown = markdown2html(disarmed).replace("\u2060", "")
    assert "<a" not in markdown2html(text) or shown.count("<a") == markdown2html(text).count("<a")
    if "<b" not in text and "<int" not in text and "<n" not in text:
        assert disarmed == text


def test_an_attached_picture_is_shown_and_nothing_else_of_it():
    png = "iVBORw0KGgo="
    attached = pictures({"a.png": {"image/png": png, "text/html": "<script>"}, "b": {"image/svg+xml": "x"}, "c": 5,
                         "d": {"image/png": '"><script>'}, "\"x": {"image/png": png}, "e": {"image/png": None}})
    assert attached == {"a.png": {"image/png": png}}
    text = harmless("![plot](attachment:a.png) ![d](attachment:d) ![more](attachment:a.png2)", attached)
    page = MarkdownWithMath(renderer=IPythonRenderer(escape=False, attachments=attached)).render(text)
    assert danger(page) == [f"src=data:image/png;base64,{png}"]
    assert pictures([]) == pictures(None) == {}
