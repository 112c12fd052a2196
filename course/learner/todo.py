"""What is left before you submit, in the terminal: the same in the whole book and in what students receive."""
from __future__ import annotations

import os
import shutil
import sys
import textwrap

from course.learner.progress import FAILS, OPEN, UNCHECKED, WRONG, Page, left_over

_NUMBER = 9         # columns for an exercise's number and the space after it
_COLOURS = {FAILS: "31", WRONG: "31", UNCHECKED: "33"}


def todo(found: list[Page], named: bool = True) -> int:
    """Prints what is not answered or fails its visible check, section by section. Returns 1 if there is something, else 0.

    Where the pages are the whole book, not `named` by the reader, sections that are not begun are counted, not listed.
    """
    width = max(shutil.get_terminal_size().columns, 40)
    colours = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def coloured(text: str, code: str) -> str:
        return f"\033[{code}m{text}\033[0m" if colours and code else text

    for page in found:
        if page.trouble:
            print(page.trouble, file=sys.stderr)
    begun = [page for page in found if named or page.trouble or any(e.state != OPEN or e.part for e in page.exercises)]
    begun = begun or found * (len(found) == 1)
    count = 0
    for page in begun:
        left = left_over([page])
        count += len(left)
        if left:
            print(coloured(page.title, "1"))
        for _, exercise, reason in left:
            text = textwrap.fill(f"{exercise.title}: {reason}", width, initial_indent=f"  {exercise.number:{_NUMBER}}",
                                 subsequent_indent=" " * (_NUMBER + 2))
            print(coloured(text, _COLOURS.get(exercise.state, "")))
    of = sum(len(page.exercises) for page in begun)
    last = (f"{count} of {of} exercises are left. Hidden tests run at grading." if count else
            "Nothing is answered yet." if not begun else
            f"All {of} exercises are answered, and pass what can be checked here. Hidden tests run at grading.")
    if others := len(found) - len(begun):
        last += (f" {others} sections that you have not begun are not listed: name a section or a chapter for those."
                 if others > 1 else " A section that you have not begun is not listed: name it for that.")
    print(textwrap.fill(last, width) if sys.stdout.isatty() else last)
    return 1 if left_over(found) else 0
