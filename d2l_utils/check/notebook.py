"""In a notebook: after each check cell, what held, what did not, the hints one by one, and the progress."""
from __future__ import annotations

import ast
import html
import re
import sys
from traceback import extract_tb

from d2l_utils import alternative
from d2l_utils.check import answers, failure, parts, saved
from d2l_utils.check.raised import meaning
from d2l_utils.check.requirements import FAILED, HELD, NOT_REACHED
from d2l_utils.check.saved import digest

_MARK = re.compile(r"# (Check|Answer) (\S+?):? ")
_ID = re.compile(r"(check|answer)-([0-9A-Z]+(?:-[0-9]+)*-(?:[0-9]+[a-z]?|[A-Z]))$")
_STUB = re.compile(r"# YOUR CODE HERE\s*\n\s*\.\.\.")
# how a line of the card begins: the mark, the word beside it, the colour
_MARKS = {"pass": ("✓", "", "pass"), "fail": ("✗", "", "fail"), HELD: ("✓", HELD, "pass"), FAILED: ("✗", FAILED, "fail"),
          NOT_REACHED: ("○", NOT_REACHED, "open")}
_COLOUR = {"pass": "var(--d2l-pass, var(--jp-success-color1, #2e7d32))", "fail": "var(--jp-error-color1, #c62828)",
           "open": "var(--jp-ui-font-color2, #616161)"}
_running: tuple[str, str] | None = None         # the answer cell that runs now: its number and its text
_stderr = None          # what sys.stderr was before the check that runs now
_outcomes: dict[str, tuple[bool, str]] = {}     # the checks of this session: passed, digest of the answer


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
    shell.ast_transformers.append(_SilentStub())
    shell.set_custom_exc((NameError, AttributeError, TypeError), _show)
    alternative.enable(shell)


class _SilentStub(ast.NodeTransformer):
    """An answer that is still `...` shows nothing, where IPython would show the word Ellipsis."""

    def visit_Module(self, tree: ast.Module) -> ast.Module:
        last = tree.body[-1] if tree.body else None
        if isinstance(last, ast.Expr) and isinstance(last.value, ast.Constant) and last.value.value is ...:
            tree.body[-1] = ast.copy_location(ast.Pass(), last)
        return tree


def _which(info) -> tuple[str, str]:
    """("check" or "answer", number) of a cell that is run, by its first line or by its id; else two empty strings."""
    match = _MARK.match(info.raw_cell or "")
    if match:
        return match.group(1).lower(), match.group(2)
    match = _ID.match(getattr(info, "cell_id", None) or "")
    return (match.group(1), match.group(2).replace("-", ".")) if match else ("", "")


def _before(info) -> None:
    global _running, _stderr
    kind, number = _which(info)
    if kind == "check":     # stock nbgrader gives no points to a cell that wrote to stderr, and warnings go there
        _stderr, sys.stderr = sys.stderr, sys.stdout
    _running = (number, info.raw_cell) if kind == "answer" else None
    if _running:
        answers.begin(number, _names())
    failure.running = number if kind == "check" else None
    failure.start(saved.requirements_of(saved.cells_around(number), number) if kind == "check" else ())
    parts.results.clear()


def _names() -> dict:
    from IPython import get_ipython
    shell = get_ipython()
    return shell.user_ns if shell else {}


def _after(result) -> None:
    global _running, _stderr
    if _stderr is not None:
        sys.stderr, _stderr = _stderr, None
    number, failure.running = failure.running, None
    error = result.error_in_exec or result.error_before_exec
    if _running:
        answers.end(*_running, _names(), error)
        _running = None
    if number is None:
        return
    if error is not None:
        failure.stopped(error, error.__traceback__)
    failed_parts = [label for earned, points, label, _ in parts.results if earned < points]
    seen = digest(answers.tried(number))
    _outcomes[number] = error is None and not failed_parts and not answers.trouble(number), seen
    from IPython.display import display
    # the book's home page reads this record in the saved notebook
    display(_card(number, error), raw=True, metadata={"d2l_check": {
        "number": number, "passed": _outcomes[number][0], "answer": seen}})


def _show(shell, kind, error, traceback, tb_offset=None) -> None:
    """IPython's traceback; but one line where a check found no answer, since the test's own lines help nobody."""
    number = failure.running
    if number is not None and (_missing(error, traceback) or _unanswered(number)):
        line = f"{number} not yet · {_reason(number, error, traceback)}."
        error._render_traceback_ = lambda: [line]
    shell.showtraceback((kind, error, traceback), tb_offset=tb_offset)


def _missing(error: BaseException, traceback) -> bool:
    """Whether a line of the check itself, not of the student's code, asked for a name that is not there."""
    files = []
    while traceback:
        files.append(traceback.tb_frame.f_code.co_filename)
        traceback = traceback.tb_next
    cell = [file for file in files if not file.endswith("interactiveshell.py")]
    return isinstance(error, NameError) and len(set(cell)) == 1


def _own_line(traceback) -> str:
    """The line of a cell at which an exception arose, "" where it arose in a library."""
    last = extract_tb(traceback)[-1:]
    return "".join(frame.line or "" for frame in last if "ipykernel" in frame.filename or frame.filename.startswith("<ipython"))


def _unanswered(number: str) -> bool:
    return bool(_STUB.search(answers.source(number)))


def _card(number: str, error: BaseException | None) -> dict:
    cells = saved.cells_around(number)
    lines = _lines(cells, number, error)
    ok = _outcomes[number][0]
    head = f"{number} passes its visible check" if ok else f"{number} not yet"
    note = "Hidden tests, with other inputs, run at grading." if ok else ""
    known = [] if ok else [_inline(hint) for hint in saved.hints_of(cells, number)]
    tail = _tail(cells)
    again, links = ("", "") if ok else _read_again(cells, number)
    width = max((len(_MARKS[kind][1]) for kind, _ in lines), default=0)
    plain = "\n".join([head] + [f"  {_MARKS[kind][1]:{width}}  {text}" if _MARKS[kind][1] else
                                f"  {'ok  ' if kind == 'pass' else 'not '} {text}" for kind, text in lines]
                      + [note] * bool(note) + [again] * bool(again) + [tail])
    return {"text/plain": plain, "text/html": _html(ok, head, lines, note or links, known, tail)}


def _read_again(cells: list[dict], number: str) -> tuple[str, str]:
    """What the task builds on, as text and as links, where an answer was given: two empty strings otherwise."""
    if not answers.source(number) or _unanswered(number):
        return "", ""
    needs = saved.ideas_of(cells, number)
    if not needs:
        return "", ""
    texts = [f"{need['idea']} ({need['section']})" for need in needs]
    links = [f'<a href="{html.escape(need["href"])}">{html.escape(need["idea"])}</a> ({html.escape(need["section"])})'
             if need["href"] else html.escape(text) for need, text in zip(needs, texts)]
    return f"Read again: {', '.join(texts)}.", f"Read again: {', '.join(links)}."


def _lines(cells: list[dict], number: str, error: BaseException | None) -> list[tuple[str, str]]:
    """The lines of a card: the requirements of the task, where they have names, else what held; then the parts."""
    reason = "" if error is None else _reason(number, error, error.__traceback__).partition(": write it")[0]
    states, asked = failure.states(), saved.requirements_of(cells, number)
    ended_at = failure.stops[-1].of if error is not None else ""
    lines = [(state, _failed(name, reason if name == ended_at else "", asked.get(name, "")) if state == FAILED else name)
             for name, state in states.items()]
    if ended := answers.trouble(number):
        return [*lines, ("fail", f"your answer cell ended with {ended}: mend it, run it, then this one")]
    if not failure.names:
        lines = [("pass", what) for what in dict.fromkeys(one.what for one in failure.held if one.what and not one.hidden)]
    lines += [(("pass" if earned == points else "fail"), f"{label} ({earned:g} of {points:g})" + (f": {message}" * bool(message)))
              for earned, points, label, message in parts.results]
    return lines if error is None or states.get(ended_at) == FAILED else [*lines, ("fail", reason)]


def _failed(name: str, reason: str, asked: str) -> str:
    """The line of a requirement that failed: its name, the property that did not hold, what the task says of it."""
    return name + f": {reason}" * (reason not in ("", name)) + f" · asked for: {asked.rstrip(' .;,')}" * bool(asked)


def _reason(number: str, error: BaseException, traceback) -> str:
    if isinstance(error, failure.CheckFailed):
        return error.what or "see the message above"
    if _unanswered(number):
        return f"no answer yet: write it in the cell that begins `# Answer {number}`, run that cell, then this one"
    if isinstance(error, NameError) and getattr(error, "name", None) and _missing(error, traceback):
        if answers.trouble(number):
            return f"your answer cell ended with {answers.trouble(number)}: mend it, run it, then this one"
        if number in answers.answers:
            return f"your answer cell does not make the name `{error.name}`; the task says which names it asks for"
        return f"`{error.name}` is not there yet: run the answer cell above, then this one again"
    means = meaning(str(error), _own_line(traceback))
    return f"{type(error).__name__} was raised: the last lines above say where" + f". {means.rstrip('.')}" * bool(means)


def _tail(cells: list[dict]) -> str:
    """How many checks pass: those of this session, and those that the saved notebook shows."""
    passing = saved.passing(cells)
    for number, (passed, seen) in _outcomes.items():
        passing[number] = passed and seen == digest(answers.tried(number))
    return f"{sum(passing.values())} of {len(passing)} checks of this notebook pass."


def _html(ok, head, lines, note, known, tail) -> str:
    items = ""
    for kind, text in lines:
        mark, word, colour = _MARKS[kind]
        said = f"{word}: " if word else ""
        items += f'<div style="color:{_COLOUR[colour]}">{mark} {said}{_code(html.escape(text))}</div>'
    folded = ""
    for i, hint in reversed(list(enumerate(known, 1))):
        folded = f"<details><summary>Hint {i}</summary><div style='margin:0 0 4px 16px'>{hint}{folded}</div></details>"
    edge = _COLOUR["pass" if ok else "fail"]
    return (f'<div class="d2l-check" role="status" style="border-left:4px solid {edge};padding:4px 12px">'
            f"<b>{head}</b>{items}{f'<div>{note}</div>' if note else ''}{folded}"
            f'<div style="opacity:.7">{tail}</div></div>')


def _inline(text: str) -> str:
    """Markdown's code and emphasis as HTML; the rest as it stands."""
    text = html.escape(text)
    text = re.sub(r"```\w*\n(.*?)```", r"<pre>\1</pre>", text, flags=re.DOTALL)
    return re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", _code(text))


def _code(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text)


def hints(number: str) -> None:
    """Shows the hints of an exercise, folded: open the first, try again, then the next."""
    from IPython.display import HTML, display
    known = [_inline(hint) for hint in saved.hints_of(saved.cells_around(number), number)]
    if not known:
        raise LookupError(f"No hints for exercise {number!r} in this folder's notebooks. "
                          "Write the number as its heading has it, and save the notebook.")
    display(HTML(_html(True, f"Hints for {number}", [], "", known, "")))


def progress() -> None:
    """Shows which checks of this notebook were run since the kernel started, and which pass."""
    from IPython.display import HTML, display
    lines = [("pass" if passed else "fail", number) for number, (passed, _) in _outcomes.items()]
    cells = saved.cells_around(next(iter(_outcomes))) if _outcomes else []
    display(HTML(_html(all(passed for passed, _ in _outcomes.values()), "Progress", lines, "", [], _tail(cells))))
