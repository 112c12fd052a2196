"""One rule for the names of students, wherever they come from: folders, the exchange, a roster.

A name goes to terminals, into CSV files and into pages that a teacher opens, so it holds nothing that any of them reads
as more than a name.
"""
from __future__ import annotations

import re

RULE = "letters, digits and . _ @ -, 1 to 64 of them, with a letter or digit first"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}")


def is_name(name: str) -> bool:
    """Whether a student may be called so."""
    return _NAME.fullmatch(name) is not None


def shown(name: str) -> str:
    """A name that breaks the rule, as a line may show it: quoted, one line, without control characters."""
    return ascii(name)[:100]
