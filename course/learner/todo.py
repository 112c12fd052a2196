"""What is left before you submit, in the terminal: the same in the whole book and in what students receive."""
from __future__ import annotations

import os
import shutil
import sys
import textwrap

from course.learner.progress import Page, left_over

_NUMBER = 9         # columns for an exercise's number and the space after it


def todo(found: list[Page]) -> int:
    """Prints what is not answered or fails its visible check, section by section. Returns 1 if there is something, else 0."""
    width = shutil.get_terminal_size().columns
    bold = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    for page in found:
        if page.trouble:
            print(page.trouble, file=sys.stderr)
    count = 0
    for page in found:
        left = left_over([page])
        count += len(left)
        if left:
            print(f"\033[1m{page.title}\033[0m" if bold else page.title)
        for _, exercise, reason in left:
            print(textwrap.fill(f"{exercise.title}: {reason}", max(width, 40), initial_indent=f"  {exercise.number:{_NUMBER}}",
                                subsequent_indent=" " * (_NUMBER + 2)))
    of = sum(len(page.exercises) for page in found)
    if not count:
        print(f"All {of} exercises are answered, and pass what can be checked here. Hidden tests run at grading.")
        return 0
    print(f"{count} of {of} exercises are left. Hidden tests run at grading.")
    return 1
