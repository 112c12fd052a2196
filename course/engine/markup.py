"""A student's words in pages that the instructor opens: nbgrader shows Markdown there with whatever HTML is in it.

Its feedback and its formgrader render written answers and comments without nbconvert's `sanitize_html`, so what could
run or load something is disarmed in the text. An invisible character (U+2060) after the bracket does it: the text
reads as it was written.
"""
from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from typing import Any

_JOINER = "\u2060"
_PLAIN_TAGS = "b|i|em|strong|sub|sup|br|code|pre|u|s|p|ul|ol|li"     # without attributes
_TAG = re.compile(rf"<(?!/?(?:{_PLAIN_TAGS})\s*/?>)(?=[A-Za-z/!?])")
_TARGET = r"(?:https?://|mailto:|#|[\w./-]+[)\s])"
# what makes links and loads styles in a formula
_MACRO = re.compile(r"\\(?=(?:href|url|style|class|cssId|require|unicode|mmlToken|texttip|tooltip|data|csname|html[a-zA-Z]*)"
                    r"(?![A-Za-z]))")
_PICTURES = ("image/png", "image/jpeg", "image/gif")


def harmless(text: str, attached: Iterable[str] = ()) -> str:
    """Markdown in which no tag but plain ones, and no link but those to pages, files, addresses and the pictures
    `attached`, is one. A picture that is missing would end nbgrader's feedback with an error."""
    names = "|".join(re.escape(name) + r"[)\s]" for name in attached)
    target = rf"(?:{_TARGET}|attachment:(?:{names}))" if names else _TARGET
    link = rf"\](?=\((?!\s*{target})|:(?!\s*https?://))"
    # a picture loads when the page opens, with the teacher's cookies: none but those attached
    picture = rf"!(?=\[)(?!\[[^\[\]]*\]\(attachment:(?:{names}))" if names else r"!(?=\[)"
    text = re.sub(picture, "!" + _JOINER, _TAG.sub("<" + _JOINER, text))
    return _MACRO.sub("\\\\" + _JOINER, re.sub(link, "]" + _JOINER, text))


def pictures(attachments: Any) -> dict[str, dict[str, str]]:
    """The pictures attached to a submitted Markdown cell: name -> {MIME type: base64}; nothing else of them."""
    found: dict[str, dict[str, str]] = {}
    for name, bundle in attachments.items() if isinstance(attachments, dict) else ():
        kept = {mime: bundle[mime] for mime in _PICTURES if is_base64(bundle.get(mime))} if isinstance(bundle, dict) else {}
        if kept and re.fullmatch(r"[\w.-]{1,200}", name, re.ASCII):
            found[name] = kept
    return found


def is_base64(value: Any) -> bool:
    """Whether a value is a text that holds bytes in base64, and nothing that could end an attribute in a page."""
    try:
        return isinstance(value, str) and bool(base64.b64decode("".join(value.split()), validate=True))
    except ValueError:
        return False


def one_line(text: str) -> str:
    """Words of a program on one line, of which Markdown makes neither tags nor links, and nobody a formula."""
    text = re.sub(r"<([A-Za-z/!?][^<>]*)>", r"‹\1›", " ".join(text.split()))
    text = re.sub(r"<(?=[A-Za-z/!?])", "‹", text).replace("](", "] (").replace("$", "$" + _JOINER)
    return re.sub(r"\\(?=[(\[])", "\\\\" + _JOINER, _MACRO.sub("\\\\" + _JOINER, text))
