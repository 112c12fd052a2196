"""The answer cells of a running notebook: which text ran without error, and which names it bound.

A check looks at the names that the kernel holds. Without this, a right answer that was run would go on passing after its
cell was changed to something that does not run, or that binds another name.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

_NOTHING = object()


@dataclass
class Answer:
    """An answer cell. `source` is the text that ran last, "" where it ended with an error; `tried` is the text that ran last;
    `error` says how that ended, "" where it ended well."""
    source: str = ""
    tried: str = ""
    error: str = ""
    before: dict[str, Any] = field(default_factory=dict, repr=False)
    bound: dict[str, tuple[Any, Any]] = field(default_factory=dict, repr=False)     # name -> the value before, the one it got


answers: dict[str, Answer] = {}         # of this session, by exercise number


def begin(number: str, names: dict[str, Any]) -> None:
    """An answer cell is about to run: what its last run bound, and nobody bound anew, is taken back."""
    answer = answers.setdefault(number, Answer())
    for name, (old, new) in answer.bound.items():
        if names.get(name, _NOTHING) is new:
            if old is _NOTHING:
                del names[name]
            else:
                names[name] = old
    answer.bound = {}
    answer.before = dict(names)


def end(number: str, source: str, names: dict[str, Any], error: BaseException | None) -> None:
    """It has run."""
    answer = answers[number]
    before, answer.before = answer.before, {}
    answer.bound = {name: (before.get(name, _NOTHING), value) for name, value in list(names.items())
                    if not name.startswith("_") and before.get(name, _NOTHING) is not value}
    answer.error = "" if error is None else type(error).__name__
    answer.source, answer.tried = source if error is None else "", source


def source(number: str) -> str:
    """The text of an answer that ran last, where it ran without error; else ""."""
    return answers[number].source if number in answers else ""


def tried(number: str) -> str:
    """The text of an answer that ran last, however it ended; "" where it never ran."""
    return answers[number].tried if number in answers else ""


def trouble(number: str) -> str:
    """The class of the error that ended the last run of an answer cell; "" where it ended well, or never ran."""
    return answers[number].error if number in answers else ""
