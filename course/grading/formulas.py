"""Formulas of a feedback page as MathML, which browsers draw by themselves; MathJax would come from the network."""
from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

# a fenced or inline piece of code (left alone), a displayed formula, an inline formula; U+2060 disarms a student's words
_FORMULA = re.compile(r"(```.*?```|`[^`\n]*`)|\$\$(.+?)\$\$|(?<![\\$])\$(?!\s|\u2060)([^$\n]+?)(?<!\s)\$(?!\d)", re.DOTALL)
_SPACE = "http://www.w3.org/1998/Math/MathML"
TAGS = set("math mrow mi mn mo mtext mspace mstyle mpadded mphantom menclose merror msup msub msubsup mfrac msqrt mroot "
            "mover munder munderover mmultiscripts mprescripts none mtable mtr mtd mfenced ms".split())
ATTRIBUTES = set("display displaystyle scriptlevel mathvariant mathsize linethickness stretchy fence form separator symmetric "
                  "largeop movablelimits accent accentunder lspace rspace width height depth voffset minsize maxsize notation "
                  "columnalign rowalign columnspacing rowspacing columnlines rowlines frame framespacing align open close "
                  "separators bevelled numalign denomalign side mathcolor mathbackground".split())
_VALUE = re.compile(r"[\w\s.%#()|,;{}\[\]+/*-]*")       # no quote, no angle bracket, no colon


def formulas(markdown: str) -> str:
    """The text with its formulas as MathML."""
    return _FORMULA.sub(_mathml, markdown)


def _mathml(match: re.Match) -> str:
    from latex2mathml.converter import convert
    code, block, inline = match.groups()
    if code is not None:
        return code
    try:
        made = ElementTree.fromstring(convert(block or inline, display="block" if block else "inline"))
        if not all(map(_known, made.iter())):
            return match.group(0)
        for element in made.iter():
            element.tag = element.tag.removeprefix(f"{{{_SPACE}}}")
        made.set("xmlns", _SPACE)
        return ElementTree.tostring(made, encoding="unicode").replace("\n", " ")
    except Exception:       # a formula that it cannot read, or what is no XML, stays as its author wrote it
        return match.group(0)


def _known(element: ElementTree.Element) -> bool:
    """Whether an element is one that only shows something: the converter lets markup and links of its input through."""
    return (isinstance(element.tag, str) and element.tag.removeprefix(f"{{{_SPACE}}}") in TAGS
            and all(name in ATTRIBUTES and _VALUE.fullmatch(value) for name, value in element.attrib.items()))
