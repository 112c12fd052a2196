"""What the judge says: the student's own call and value, the known mistake where it is sure, never a probe's name."""
from __future__ import annotations

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course.engine.mistakes import recognise
from course.engine.notebook import Engine, Times
from course.engine.outputs import feedback
from course.engine.warm import warm_parent

SETUP = "import torch, numpy as np\nfrom d2l_utils.check import *"


@pytest.fixture(scope="module")
def engine():
    with warm_parent(sandbox=False) as zygote:
        yield Engine(zygote)


@pytest.fixture
def verdict(engine):
    """The verdict on an answer to a check, and what the student reads."""
    def run(answer: str, check: str, task: str = "", mistakes: list | None = None, seconds: float = 20):
        cells = [(new_markdown_cell, "task-1-1", task), (new_code_cell, "setup-1", SETUP),
                 (new_code_cell, "answer-1-1", answer), (new_code_cell, "check-1-1", check)]
        made = []
        for make, name, source in cells:
            cell = make(source, id=name)
            cell.metadata["nbgrader"] = {"grade_id": name, "points": 2.0}
            made.append(cell)
        notebook = nbformat.from_dict(new_notebook(cells=made))
        engine.times = Times(check=seconds)
        found, = engine.grade(notebook, {"1.1": mistakes or []}, skip_unanswered=False).verdicts
        return found, feedback(found)
    return run


def test_the_call_is_that_of_the_assertion(verdict):
    """Not the last call that there was."""
    answer = "def f(x):\n    return x + 1\ndef g(x):\n    return x"
    _, text = verdict(answer, """one = f(torch.zeros(2))
two = g(torch.ones(3))
assert_close(one, torch.zeros(2), 'the first')""")
    assert "The call was f(tensor (2,) float32)." in text
    _, text = verdict(answer, """for n in (1, 2, 3):
    assert_close(f(torch.zeros(n)), torch.ones(n), 'x')
assert_close(f(torch.zeros(2)) - g(torch.ones(3).sum()), torch.zeros(2), 'both')""")
    assert "The calls were f(tensor (2,) float32) and g(tensor(3.))." in text
    _, text = verdict(answer, "assert_equal(2 + 2, 5, 'no call at all')")
    assert "The call" not in text
    _, text = verdict(answer, """found = {n: f(n) for n in (1, 2, 3)}
assert_equal(found[1], 5, 'one of several')""")
    assert "one of several" in text and "The call" not in text


def test_a_call_of_a_hint_is_not_that_of_the_assertion(verdict):
    """It asks the answer again, to say which step is wrong; and may find that it cannot."""
    answer = "def f(x):\n    return x + 1 if x.sum() else 1 / 0"
    check = "assert_close(f(torch.ones(2)), torch.ones(2), 'x', hint=%s)"
    _, text = verdict(answer, check % "f'{f(torch.ones(3))[0]:g} for three'")
    assert "2 for three The call was f(tensor (2,) float32)." in text
    _, text = verdict(answer, check % "lambda: f'{f(torch.ones(3))[0]:g} for three'")
    assert "2 for three The call was f(tensor (2,) float32)." in text
    _, text = verdict(answer, check % "lambda: f'{f(torch.zeros(3))[0]:g} for three'")
    assert text.count("The call was f(tensor (2,) float32).") == 1 and "three" not in text and "raised" not in text
    _, text = verdict(answer, "assert_raises(ValueError, f, torch.ones(3), what='ones')")
    assert "The call was f(tensor (3,) float32)." in text


def test_where_an_answer_parts_from_the_right_function(verdict):
    """Its further calls go to the student's process, a class of the student's included; the judge's go nowhere."""
    check = """def right(x, lam):
    return x.square().sum() + lam * x.abs().sum()
x = torch.tensor([1.0, -2.0])
assert_close(%s, right(x, 0.5), 'two entries', hint=lambda: where_they_part(%s, right, x=x, lam=0.5))"""
    _, text = verdict("def f(x, lam):\n    return x.square().sum() + lam * x.sum()", check % ("f(x, 0.5)", "f"))
    assert "Where `lam` is 0, yours is right: look at what becomes of `lam` elsewhere. The call was f(" in text
    answer = "class Loss:\n    def __call__(self, x, lam):\n        return x.square().sum()"
    _, text = verdict(answer, "loss = Loss()\n" + check % ("loss(x, 0.5)", "loss"))
    assert "Where `lam` is twice as large, the result should be another one; yours stays the same." in text


def test_a_name_without_a_value_is_no_function_without_return(verdict):
    _, text = verdict("waste = None", "assert_close(waste.sum(), 1., 'the waste')")
    assert "the waste: `waste` is None, so it has no value yet: give it one in the answer cell." in text


def test_an_error_before_a_loop_is_about_none_of_its_turns(verdict):
    check = """for i in (7, 8):
    assert_equal(i, i, f'bout {i}')
found = f(1)
for i, one in enumerate(found):
    assert_equal(one, i, f'bout {i}')"""
    _, text = verdict("def f(x):\n    return x[0]", check)
    assert "raised TypeError" in text and "bout" not in text


def test_an_error_in_an_if_is_about_what_comes_after_it(verdict):
    """Not about the assertion that calls the function around it."""
    check = """def both(x):
    if x:
        made = f(x)
    assert_equal(made, 1, 'the inner one')
    return made
for x in (1,):
    assert_equal(both(x), 1, 'the outer one')"""
    _, text = verdict("def f(x):\n    return [][0]", check)
    assert "the inner one: f(1) raised IndexError: list index out of range" in text
    check = """def both(x):
    for _ in range(2):
        made = f(x)
    assert_equal(made, 1, 'the inner one')
    return made
assert_equal(both(1), 1, 'the outer one')"""
    assert "the outer one: f(1) raised" in verdict("def f(x):\n    return [][0]", check)[1]


def test_an_exception_of_the_answers_is_explained(verdict):
    """After the line where it arose."""
    _, text = verdict("def f(X):\n    return X @ X", "assert_close(f(torch.ones(2, 3)), torch.ones(2, 3), 'the product')")
    assert ("(line 2: return X @ X). A matrix product needs as many columns on the left (here 3) as rows on the right (here 2)."
            in text)


def test_what_the_answer_itself_raises_stands_alone(verdict):
    answer = "def f(X):\n    raise ValueError('can only convert an array of size 1 to a Python scalar')"
    _, text = verdict(answer, "assert_close(f(torch.ones(2)), 1.0, 'the number')")
    assert "scalar (line 2: raise ValueError(" in text and text.rstrip().endswith(("')).", "'))"))


def test_answer_and_test_are_told_of_no_graphics_card(verdict):
    """Each check is answered by a fork, and a process that has used a card cannot fork."""
    answer = "import os\ndef seen():\n    return [os.environ[name] for name in ('CUDA_VISIBLE_DEVICES', 'D2L_DEVICE')]"
    check = "import os\nassert_equal(seen(), ['', 'cpu'], 'theirs')\n" \
            "assert_equal([os.environ[name] for name in ('CUDA_VISIBLE_DEVICES', 'D2L_DEVICE')], ['', 'cpu'], 'ours')"
    assert verdict(answer, check)[0].message == ""


def test_a_dtype_that_cannot_cross_is_named(verdict):
    _, text = verdict("def f(x):\n    return x.to(torch.uint16)", "assert_close(f(torch.ones(2)), torch.ones(2), 'x')")
    assert "returned something that is no plain data: a tensor of dtype uint16; a test can read float16" in text
    probed = "@probe\ndef values():\n    return f()\nassert_equal(values(), [1, 2], 'x')"
    _, text = verdict("def f():\n    return map(int, '12')", probed)
    assert "a map cannot be sent" in text and "It gives its entries one at a time: put list(...) around it" in text


PROBED = "@probe\ndef argument_after_the_call(x):\n    f(x)\n    return x\n"


def test_a_probe_is_not_named(verdict):
    check = PROBED + "assert_close(argument_after_the_call(torch.zeros(2)), torch.zeros(2), 'x after the call')"
    for answer, words in (
            ("def f(x):\n    x += 1", "x after the call: values differ, first at [0]: yours 1.0, expected 0.0."),
            ("def f(x):\n    return x[7]", "x after the call: your code raised IndexError: index 7 is out of bounds"),
            ("def f(x):\n    while True: pass", "Your code took longer than 1 seconds"),
            ("def f(x, y):\n    return x", "your code raised TypeError: f() missing 1 required positional argument")):
        found, text = verdict(answer, check, seconds=1)
        assert words in text and "argument_after" not in text and not found.points, text


@pytest.mark.parametrize("returned, check, words", [
    ("None", "a, b = f(1)\nassert_close(a, 1., 'the first of two')", "the first of two: what f(1) returned is None."),
    ("(1, 2, 3)", "a, b = f(1)\nassert_close(a, 1., 'the first of two')",
     "the first of two: the test cannot go on with what f(1) returned, a tuple of 3 entries: 2 values were expected."),
    ("5", "assert_close(f(1).sum(), 1., 'the sum')",
     "the sum: the test cannot go on with what f(1) returned, an integer: a tensor was expected."),
    ("{'W': 1}", "assert_equal(f(1)['w'], 1, 'the weight')",
     "the weight: the test cannot go on with what f(1) returned, a dict of 1 entries: it has no key 'w'."),
    ("[1]", "assert_equal(f(1)[3], 1, f'entry {1 + 2}')",
     "entry 3: the test cannot go on with what f(1) returned, a list of 1 entries: it has too few entries."),
    ("'7'", "assert_true(abs(f(1) - 7) < 1, 'near 7')",
     "near 7: the test cannot go on with what f(1) returned, a string: a number or a tensor was expected."),
    ("torch.ones(3, 4)", "assert_true(bool(f(1) > 0), 'positive')",
     "positive: the test cannot go on with what f(1) returned, a tensor of shape (3, 4), float32: a single number was expected."),
])
def test_a_value_that_the_test_cannot_use(verdict, returned, check, words):
    found, text = verdict(f"def f(x):\n    return {returned}", check)
    assert words in text and "could not use" not in text and found.state == "failed", text


def test_a_probe_that_cannot_use_the_answer(verdict):
    check = """@probe
def slope(x):
    y = f(x)
    y.backward()
    return x.grad
assert_close(slope(torch.ones(1)), 1., 'the slope')"""
    assert "the slope: the test cannot go on with what your code gave, a `float`: a tensor was expected" in verdict(
        "def f(x):\n    return 1.0", check)[1]
    assert "what your code gave, None: a tensor was expected" in verdict("def f(x):\n    pass", check)[1]
    own = "class Node:\n    pass\ndef f(x):\n    return Node()"
    assert "what your code gave, a `Node`: it has no attribute `" in verdict(own, check)[1]
    assert "a value with a gradient was expected, and its graph is cut" in verdict("def f(x):\n    return x.sum()", check)[1]


def test_a_hidden_part_says_less(verdict):
    check = "### BEGIN HIDDEN TESTS\nassert_equal(f(1)['secret'], 1, 'a key')\n### END HIDDEN TESTS"
    _, text = verdict("def f(x):\n    return {'W': 1}", check)
    assert "it lacks a key" in text and "secret" not in text


def test_fractions_cross_as_numbers(verdict):
    answer = """from fractions import Fraction
from decimal import Decimal
def f(x):
    return [Fraction(1, 4), Decimal('0.25'), np.float64(0.25)]"""
    assert verdict(answer, "assert_close(f(1), [0.25] * 3, 'quarters')")[0].points == 2


# --- requirements and known mistakes ------------------------------------------------------------------------------

TASK = "### Exercise\n**You are done when**\n- **shape**: it is;\n- **values**: they are;\n- **kept**: as it was.\n"
CHECK = '''assert_shape(f(torch.ones(2)), (2,), "a vector", of="shape")
assert_close(f(torch.ones(2)), torch.ones(2), "ones", of="values")
### BEGIN HIDDEN TESTS
assert_shape(f(torch.ones(3)), (3,), "a vector", of="shape")
assert_close(f(torch.arange(4.)), torch.arange(4.), "four numbers", of="values")
assert_equal(len(f(torch.ones(3))), 3, "the length", of="kept")
### END HIDDEN TESTS'''


@pytest.mark.parametrize("body, states, visibly", [
    ("return x", ("held", "held", "held"), False),
    ("return 2 * x", ("not reached", "failed", "not reached"), True),
    ("return x ** 0", ("held", "failed", "not reached"), False),
    ("return [1]", ("failed", "not reached", "not reached"), True),
    ("raise ValueError", ("failed", "not reached", "not reached"), True),
])
def test_states_of_requirements(verdict, body, states, visibly):
    found, text = verdict(f"def f(x):\n    {body}", CHECK, TASK)
    assert tuple(found.requirements.values()) == states and found.visibly == visibly
    assert found.as_dict()["requirements"] == found.requirements and not {"held", "replies"} & set(found.as_dict())
    if "failed" in states:
        name = list(found.requirements)[states.index("failed")]
        assert f"Failed: {name}." in text and "arange" not in text
    else:
        assert "Held" not in text


def test_parts_that_hear_the_same_say_it_once(verdict):
    check = """with part(1, "one", of="shape"):
    assert_equal(f(1), 1, "the number")
### BEGIN HIDDEN TESTS
with part(1, "two", of="values"):
    assert_equal(f(1), 1, "the number")
total()
### END HIDDEN TESTS"""
    found, _ = verdict("def f(x):\n    return [][x]", check, TASK)
    assert found.message.startswith("one, two: the number: f(1) raised IndexError") and found.message.count("IndexError") == 1


def test_parts_give_points_and_states(verdict):
    check = '''assert_shape(f(torch.ones(2)), (2,), "a vector", of="shape")
with part(1, "ones", of="values"):
    assert_close(f(torch.ones(2)), torch.ones(2), "two ones")
### BEGIN HIDDEN TESTS
with part(1, "the length", of="kept"):
    assert_equal(len(f(torch.ones(3))), 3, "of three numbers")
total()
### END HIDDEN TESTS'''
    found, _ = verdict("def f(x):\n    return 2 * x", check, TASK)
    assert found.points == 1 and found.requirements == {"shape": "held", "values": "failed", "kept": "held"} and found.visibly


def replies(verdict, body):
    return verdict(f"def f(x):\n    {body}", CHECK, TASK)[0].replies


def test_a_known_mistake_is_named_only_where_it_is_the_only_one(verdict):
    known = [["doubles", replies(verdict, "return 2 * x"), "values: they are"],
             ["adds itself", replies(verdict, "return x + x"), "values: they are"],
             ["triples", replies(verdict, "return 3 * x"), "values: they are"]]
    assert "known mistake: triples." in verdict("def f(x):\n    return x + 2 * x", CHECK, TASK, known)[1]
    found, text = verdict("def f(x):\n    return 2 * x", CHECK, TASK, known)
    assert found.mistake == "" and "known mistake" not in text and "Look at this requirement again: values: they are" in text
    known[1][2] = "shape: it is"
    found, text = verdict("def f(x):\n    return 2 * x", CHECK, TASK, known)
    assert (found.mistake, found.breaks) == ("", "") and "again" not in text


def test_a_mistake_that_the_message_names_is_not_named_again(verdict):
    """The check may have stopped before the answer and the known one part."""
    check = CHECK.replace('torch.ones(2), "ones"', 'torch.ones(2), "ones", mistakes={"It is doubled.": 2 * torch.ones(2)}')
    found, _ = verdict("def f(x):\n    return x * x + 1", check, TASK)
    known = [["adds one to the square", found.replies, "values: they are"]]
    found, text = verdict("def f(x):\n    return 2 * x", check, TASK, known)
    assert found.mistake == known[0][0] and "It is doubled." in text and "known mistake" not in text
    found, text = verdict("def f(x):\n    return x * x + 1", CHECK, TASK, known)
    assert "It is doubled." not in text and "the same as this known mistake: adds one to the square." in text


@pytest.mark.parametrize("hint, factor, named", [("", 1, True), ("Look at x.", 1, False), ("Look at x.", 0.37, True)])
def test_beside_a_hint_a_known_mistake_is_named_only_for_odd_replies(verdict, hint, factor, named):
    """Round ones are given by many mistakes: the hint stands alone."""
    check = f"assert_close(f({factor} * torch.ones(2)), torch.zeros(2), 'x', hint={hint!r}, of='values')"
    answer = "def f(x):\n    return 2 * x"
    known = [["doubles", verdict(answer, check, TASK)[0].replies, "values: they are"]]
    found, text = verdict(answer, check, TASK, known)
    assert (found.mistake == "doubles") == ("known mistake: doubles" in text) == named


def test_nothing_known_names_nothing(verdict):
    found, _ = verdict("def f(x):\n    return 2 * x", CHECK, TASK)
    assert recognise(found, []) == ("", "")


def test_an_error_in_a_function_belongs_to_the_requirement_that_it_was_called_for(verdict):
    check = """def both(x, of):
    assert_close(f(x), x, 'twice', of=of)
    assert_close(f(x), x, 'again', of=of)
both(torch.ones(2), 'shape')
both(torch.ones(3), of='values')"""
    found, _ = verdict("def f(x):\n    return x if len(x) == 2 else 1 / 0", check, TASK)
    assert found.requirements == {"shape": "held", "values": "failed"}
    found, _ = verdict("def f(x):\n    return 1 / 0", check, TASK)
    assert found.requirements["shape"] == "failed" and found.requirements["values"] == "not reached"
