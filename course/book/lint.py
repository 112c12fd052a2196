"""What a source must hold, checked before it is built: every finding names the line and the mend.

The rules on test cells come from the two processes that grade them: see solutions/README.md, "Rules for test cells".
"""
from __future__ import annotations

import ast
import builtins
import re
from collections import Counter

from course.book.lint_asserts import lint_asserts
from course.book import figures
from course.book.bindings import bound_names, free_names, parse, probes
from course.book.section import KINDS, REGION, Cell, Exercise, Problem, Section

_VERDICTS = {"allclose", "equal", "isclose", "array_equal", "all", "any", "is_tensor", "isinstance", "callable",
             "assert_close", "assert_equal"}


def lint_section(section: Section) -> list[Problem]:
    """Every mistake in the section, as a list of Problem."""
    problems: list[Problem] = []

    def report(cell: Cell, what: str, mend: str, offset: int = 0) -> None:
        problems.append(Problem(section.path, cell.line + offset, what, mend))

    _regions(section, report)
    _numbers(section, report)
    _plain_python(section, report)
    setup = _bound_in_setup(section, report)
    for exercise in section.exercises.values():
        if _complete(exercise, report):
            _statement(exercise, report)
            if exercise.check:
                _test_cell(section, exercise, setup, report)
    return problems


def _regions(section: Section, report) -> None:
    for cell in section.cells:
        for name, (begin, end) in REGION.items():
            lines = cell.source.split("\n")
            depth = 0
            for i, line in enumerate(lines, 1):
                if begin in line:
                    if depth:
                        report(cell, f"`{begin}` inside an open {name} region.", f"Close the first with `{end}`.", i)
                    depth = i
                elif end in line:
                    if not depth:
                        report(cell, f"`{end}` without `{begin}`.", f"Put `{begin}` where the region starts.", i)
                    depth = 0
            if depth:
                report(cell, f"a {name} region is not closed.", f"Add `{end}` at its end.", depth)
        if cell.role != "check" and (line := _line_of(REGION["hidden"][0], cell)):
            report(cell, "hidden tests outside a check.", 'Move them into the cell tagged check="...".', line)
        if cell.role not in ("exercise", "written") and (line := _line_of(REGION["solution"][0], cell)):
            report(cell, "a solution outside an answer.", 'Tag the cell exercise="..." or written="...".', line)


def _line_of(text: str, cell: Cell) -> int:
    """The first line that holds `text`, from 1; 0 where none does."""
    return next((i for i, line in enumerate(cell.source.split("\n"), 1) if text in line), 0)


def _plain_python(section: Section, report) -> None:
    """Setup cells and answers must be Python: their names are needed to judge the tests."""
    for cell in section.cells:
        for line, what, mend in figures.problems(section.path, cell.source) if cell.is_markdown else ():
            report(cell, what, mend, line)
        if cell.role in ("setup", "exercise"):
            try:
                parse(cell.source)
            except SyntaxError as error:
                what = f"exercise {cell.number}" if cell.number else "a setup cell"
                report(cell, f"{what} is not plain Python: {error.msg}.", "Mend this line.", error.lineno or 1)
        elif cell.role in ("code", "demo"):
            import d2l_utils.check
            for name in sorted(bound_names(cell.source) & set(d2l_utils.check.__all__)):
                report(cell, f"worked code binds `{name}`, which the checks of this page use.", "Give it another name.")


def _numbers(section: Section, report) -> None:
    seen = Counter()
    for cell in section.cells:
        if cell.number:
            seen[cell.role, cell.number] += 1
            if seen[cell.role, cell.number] == 2:
                report(cell, f"{cell.role} {cell.number} stands twice.", "Give one of them another number.")
            begin = " or ".join(section.numbers)
            if cell.number.rpartition(".")[0] not in section.numbers:
                report(cell, f"{cell.role} {cell.number} is in section {begin}.", f"Its number must begin with {begin}.")
        for used in set(re.findall(r"[^\s,]+", str(cell.meta.get("uses", "")))) - set(section.exercises):
            report(cell, f"{cell.role} {cell.number} uses {used}, no exercise here.", "Correct its number.")


def _complete(exercise: Exercise, report) -> bool:
    n = exercise.number
    first = next(c for c in (exercise.task, exercise.answer, exercise.written, exercise.check, exercise.hints) if c)
    wanted = [
        (exercise.task, "has no task", f'Add `# %% [markdown] task="{n}" kind="code" minutes=5 difficulty=2`.'),
        (exercise.hints and exercise.hint_list, "has no hint",
         f'Add `# %% [markdown] hints="{n}"` with a numbered list of one to three.'),
        (exercise.answer or exercise.written, "has no answer cell",
         f'Add `# %% exercise="{n}"`, or `# %% [markdown] written="{n}" points=2`.'),
        (bool(exercise.answer) <= bool(exercise.check), "has an answer cell and no check",
         f'Add `# %% check="{n}" points=1`.'),
        (bool(exercise.check) <= bool(exercise.answer), "has a check and no exercise",
         f'Add `# %% exercise="{n}"` with the answer.'),
    ]
    missing = [(what, mend) for found, what, mend in wanted if not found]
    for what, mend in missing:
        report(first, f"exercise {n} {what}.", mend)
    return not missing


def _statement(exercise: Exercise, report) -> None:
    task, n = exercise.task, exercise.number
    if exercise.kind not in KINDS:
        report(task, f"exercise {n} is of kind {exercise.kind!r}.", f"The kinds are {', '.join(KINDS)}.")
    if not 1 <= task.meta.get("difficulty", 0) <= 5:
        report(task, f"exercise {n} has no difficulty.", "Add difficulty=1 to 5 to the task.")
    if exercise.minutes <= 0:
        report(task, f"exercise {n} has no minutes.", "Add minutes=5, the time a student needs.")
    if not task.source.startswith("### "):
        report(task, f"exercise {n} has no heading.", "Begin the task with `### ` and a title of its own.", 1)
    if "**You are done when**" not in task.source:
        report(task, f"exercise {n} does not say how the student can tell.", "Add a line `**You are done when** ...`.")
    if not 1 <= len(exercise.hint_list) <= 3 or not all(exercise.hint_list):
        report(exercise.hints, f"exercise {n} has {len(exercise.hint_list)} hints.",
               "Write one to three, numbered 1. 2. 3.: a question, a fact, another case worked out.")
    for cell in (exercise.check, exercise.written):
        if cell and not cell.meta.get("points", 0) > 0:
            report(cell, f"{cell.role} {n} has no points.", "Add points=1 or more.")
    for cell in (exercise.answer, exercise.written):
        if cell and not cell.split("solution")[1].strip():
            report(cell, f"exercise {n} has no reference answer.",
                   "Put it between `### BEGIN SOLUTION` and `### END SOLUTION`.")
    if exercise.written:
        items = re.findall(r"^\s*- \[\d+(?:\.\d+)?\] ", exercise.written.source, flags=re.MULTILINE)
        if "**Rubric**" not in exercise.written.source or not 3 <= len(items) <= 5:
            report(exercise.written, f"exercise {n} has a rubric of {len(items)} items.",
                   "After the model answer write `**Rubric**` and three to five lines `- [1] claim ...`.")
        else:
            total = sum(float(re.search(r"\[(.*?)\]", item).group(1)) for item in items)
            if total != exercise.written.meta.get("points"):
                report(exercise.written, f"the rubric of {n} gives {total:g} points, the cell "
                       f"{exercise.written.meta.get('points')}.", "Make them equal.")
    if exercise.kind == "explain" and not exercise.written:
        report(task, f"exercise {n} is an explain exercise without a written answer.",
               f'Add `# %% [markdown] written="{n}" points=2`.')


def _test_cell(section: Section, exercise: Exercise, setup: set[str], report) -> None:
    check, n = exercise.check, exercise.number
    visible, hidden, after = check.split("hidden")
    if not hidden.strip():
        report(check, f"check {n} has no hidden tests.", "Add `### BEGIN HIDDEN TESTS` ... `### END HIDDEN TESTS`.")
    if not visible.strip():
        report(check, f"check {n} shows the student nothing.", "Begin it with one true statement about the answer.")
    try:
        test = ast.parse(check.source)
    except SyntaxError as error:
        report(check, f"check {n} is not plain Python: {error.msg}.", "Magics and shell lines do not run in checks.",
               error.lineno or 1)
        return
    lint_asserts(n, check, test, report)
    answers = {number: bound_names(e.answer.source) for number, e in section.exercises.items() if e.answer}
    mine = answers[n]
    for other in str(check.meta.get("uses", "")).split(","):
        mine = mine | answers.get(other.strip(), set())
    bound = bound_names(check.source)
    for name in sorted(bound & mine):
        report(check, f"check {n} binds `{name}`, which the answer defines.", "Use another name in the test.")
    for name in sorted(free_names(test) - bound - mine - setup - set(dir(builtins))):
        others = [number for number, names in answers.items() if name in names]
        mend = (f'A check depends on its own exercise; if it must be so, say check="{n}" uses="{others[0]}".'
                if others else "Bind it in the test, or in a cell tagged setup: the tests see no worked code.")
        report(check, f"check {n} uses `{name}`, which is not there when it runs.", mend)
    stated = exercise.task.source
    used = (free_names(test) & answers[n])
    for name in sorted(used):
        if not re.search(rf"\b{re.escape(name)}\b", stated):
            report(exercise.task, f"exercise {n} is tested through `{name}`, which its task does not name.",
                   "Say in the task which names to hand in.")
    for node in probes(test):
        for name in sorted(free_names(ast.Module([node], [])) & (bound - {node.name})):
            report(check, f"probe `{node.name}` of check {n} uses `{name}` of the test.",
                   "It runs in the student's process: hand it over as an argument.", node.lineno)
        for line, what in _probe_verdicts(node):
            report(check, f"probe `{node.name}` of check {n} {what}.",
                   "A probe returns tensors and numbers; compare them outside, where the student cannot.", line)


def _probe_verdicts(probe: ast.FunctionDef):
    """Where a probe returns a verdict or an expected constant: (line, what)."""
    for node in ast.walk(probe):
        if not isinstance(node, ast.Return):
            continue
        if node.value is None:
            yield node.lineno, "returns nothing"
            continue
        for part in _returned(node.value):
            name = getattr(part.func, "attr", getattr(part.func, "id", "")) if isinstance(part, ast.Call) else ""
            if isinstance(part, (ast.Compare, ast.BoolOp)) or (
                    isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not)) or name in _VERDICTS:
                yield part.lineno, "returns a verdict"
            elif isinstance(part, ast.Constant) and (isinstance(part.value, (bool, float)) or part.value is None):
                yield part.lineno, f"returns the constant {part.value!r}"
    if not any(isinstance(node, ast.Return) for node in ast.walk(probe)):
        yield probe.lineno, "returns nothing"


def _returned(value: ast.expr):
    """The expressions that a return hands over, inside tuples, lists and dictionaries."""
    if isinstance(value, (ast.Tuple, ast.List, ast.Set)):
        for item in value.elts:
            yield from _returned(item)
    elif isinstance(value, ast.Dict):
        for item in value.values:
            yield from _returned(item)
    elif isinstance(value, (ast.ListComp, ast.GeneratorExp)):
        yield from _returned(value.elt)
    elif isinstance(value, ast.IfExp):
        yield from _returned(value.body)
        yield from _returned(value.orelse)
    else:
        yield value


def _bound_in_setup(section: Section, report) -> set[str]:
    import d2l_utils.check
    names: set[str] = set()
    for cell in section.setup():
        names |= bound_names(cell.source) - {"*"}
        for node in _star_imports(cell.source):
            if node.module == "d2l_utils.check":
                names |= set(d2l_utils.check.__all__)
            else:
                report(cell, f"a setup cell imports * from {node.module}.",
                       "Import the names that are used, or the module under a short name.", node.lineno)
    return names


def _star_imports(source: str) -> list[ast.ImportFrom]:
    try:
        tree = parse(source)
    except SyntaxError:
        return []
    return [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.names[0].name == "*"]
