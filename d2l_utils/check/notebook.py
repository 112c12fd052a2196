"""In a notebook: after each check cell, what held, what did not, the hints one by one, and the progress."""
from __future__ import annotations

import html
import json
import os
import re
from pathlib import Path

from d2l_utils.check import failure, parts

_MARK = re.compile(r"# Check (\S+) ")
_number: str | None = None              # of the check cell that runs now
_outcomes: dict[str, bool] = {}         # the checks of this session


def current_number() -> str | None:
    """The number of the exercise whose check cell runs now, None elsewhere."""
    return _number


def enable() -> None:
    """Follows the cells of the running notebook; does nothing outside IPython, or when called again."""
    try:
        from IPython import get_ipython
    except ImportError:
        return
    shell = get_ipython()
    if shell is None or getattr(shell, "_d2l_check", False):
        return
    shell._d2l_check = True
    shell.events.register("pre_run_cell", _before)
    shell.events.register("post_run_cell", _after)


def _before(info) -> None:
    global _number
    match = _MARK.match(info.raw_cell or "")
    _number = match.group(1) if match else None
    failure.start()
    parts.results.clear()


def _after(result) -> None:
    global _number
    number, _number = _number, None
    if number is None:
        return
    error = result.error_in_exec or result.error_before_exec
    failed_parts = [label for earned, points, label, _ in parts.results if earned < points]
    _outcomes[number] = error is None and not failed_parts
    from IPython.display import display
    display(_card(number, error), raw=True)


def _card(number: str, error: BaseException | None) -> dict:
    lines = [("pass", what) for what in failure.passed]
    lines += [("pass" if earned == points else "fail", f"{label} ({earned:g} of {points:g})" + (f": {message}" * bool(message)))
              for earned, points, label, message in parts.results]
    ok = _outcomes[number]
    if error is not None:
        lines.append(("fail", _reason(error)))
    head = f"{number} passes its visible check" if ok else f"{number} not yet"
    note = "Hidden tests, with other inputs, run at grading." if ok else ""
    known = [] if ok else _hints(number)
    done, count = sum(_outcomes.values()), _count(number)
    tail = f"{done} of {max(count, len(_outcomes))} checks of this notebook pass."
    plain = "\n".join([head] + [f"  {'ok  ' if kind == 'pass' else 'not '} {text}" for kind, text in lines] + [note, tail])
    return {"text/plain": plain, "text/html": _html(ok, head, lines, note, known, tail)}


def _reason(error: BaseException) -> str:
    if isinstance(error, failure.CheckFailed):
        return error.what or "see the message above"
    if isinstance(error, NameError) and getattr(error, "name", None):
        return f"`{error.name}` is not there yet: run the answer cell above, then this one again"
    return f"{type(error).__name__} was raised: the last lines above say where"


def _html(ok, head, lines, note, known, tail) -> str:
    colour = {"pass": "var(--jp-success-color1, #2e7d32)", "fail": "var(--jp-error-color1, #c62828)"}
    items = "".join(
        f'<div style="color:{colour[kind]}">{"✓" if kind == "pass" else "✗"} {html.escape(text)}</div>'
        for kind, text in lines)
    folded = ""
    for i, hint in reversed(list(enumerate(known, 1))):
        folded = f"<details><summary>Hint {i}</summary><div style='margin:0 0 4px 16px'>{hint}{folded}</div></details>"
    return (f'<div class="d2l-check" style="border-left:4px solid {colour["pass" if ok else "fail"]};padding:4px 12px">'
            f"<b>{head}</b>{items}{f'<div>{note}</div>' if note else ''}{folded}"
            f'<div style="opacity:.7">{tail}</div></div>')


def _cells(number: str) -> list[dict]:
    """The cells of the notebook file that holds this check: the open one, else one in the working folder."""
    name = f"check-{number.replace('.', '-')}"
    open_one = os.environ.get("JPY_SESSION_NAME", "")
    for path in [Path(open_one)] * bool(open_one) + sorted(Path.cwd().glob("*.ipynb")):
        try:
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if any(cell.get("metadata", {}).get("nbgrader", {}).get("grade_id") == name for cell in cells):
            return cells
    return []


def _source(cell: dict) -> str:
    return "".join(cell["source"])


def _hints(number: str) -> list[str]:
    name = f"hints-{number.replace('.', '-')}"
    for cell in _cells(number):
        if cell.get("metadata", {}).get("nbgrader", {}).get("grade_id") == name:
            texts = re.split(r"<details><summary>Hint \d+</summary>", _source(cell))[1:]
            return [_inline(text.replace("</details>", "").strip()) for text in texts]
    return []


def _inline(text: str) -> str:
    """Markdown's code and emphasis as HTML; the rest as it stands."""
    text = html.escape(text)
    text = re.sub(r"```\w*\n(.*?)```", r"<pre>\1</pre>", text, flags=re.DOTALL)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    return re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text)


def _count(number: str) -> int:
    return sum(cell.get("metadata", {}).get("nbgrader", {}).get("grade_id", "").startswith("check-")
               for cell in _cells(number))


def hints(number: str) -> None:
    """Shows the hints of an exercise, folded: open the first, try again, then the next."""
    from IPython.display import HTML, display
    known = _hints(number)
    if not known:
        raise LookupError(f"No hints for exercise {number!r} in this folder's notebooks. "
                          "Write the number as its heading has it, and save the notebook.")
    display(HTML(_html(True, f"Hints for {number}", [], "", known, "")))


def progress() -> None:
    """Shows which checks of this notebook were run since the kernel started, and which pass."""
    from IPython.display import HTML, display
    lines = [("pass" if ok else "fail", number) for number, ok in _outcomes.items()]
    count = _count(next(iter(_outcomes))) if _outcomes else 0
    tail = f"{sum(_outcomes.values())} of {max(count, len(_outcomes))} checks of this notebook pass."
    display(HTML(_html(all(_outcomes.values()), "Progress", lines, "", [], tail)))
