"""What a check says: values that can be compared by eye, and where the difference lies."""
from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import torch

from d2l_utils.check import assert_close, assert_dtype, assert_equal, assert_shape, assert_type
from d2l_utils.check.failure import CheckFailed


def message(check, *args) -> str:
    with pytest.raises(CheckFailed) as failure:
        check(*args)
    return str(failure.value)


def test_a_dictionary_names_the_key_that_differs():
    calls = {f"a_long_name_of_a_method_{i}": i for i in range(8)}
    text = message(assert_equal, calls | {"a_long_name_of_a_method_6": 0}, calls, "the counts")
    assert "first at ['a_long_name_of_a_method_6']: got an integer, 0, expected an integer, 6" in text


def test_a_long_list_names_the_entry_that_differs():
    names = [f"call number {i}" for i in range(30)]
    text = message(assert_equal, names[:20] + ["another"] + names[21:], names, "the calls")
    assert "first at [20]: got a string, 'another', expected a string, 'call number 20'" in text
    assert "got the list [1, 2], expected the list [1, 3]" in message(assert_equal, [1, 2], [1, 3], "two numbers")


def test_keys_that_python_takes_for_equal():
    assert "values differ: got the dict" in message(assert_equal, {True: 2}, {1: 2}, "the keys")


def test_sets_are_shown_in_one_order():
    assert "got the set {'A', 'B', 'D'}, expected the set {'A', 'B', 'C'}" in message(
        assert_equal, {"D", "B", "A"}, {"C", "A", "B"}, "the letters")


def test_small_tensors_show_their_values():
    text = message(assert_equal, torch.tensor([0, 7], dtype=torch.uint8), [0, 255], "two pixels")
    assert "got a tensor of shape (2,), uint8: [0, 7], expected the list [0, 255]" in text
    assert "[0" not in message(assert_equal, torch.zeros(9), [1.0], "too long to read")


def test_bytes_have_no_article():
    assert "got a string, 'x', expected bytes." in message(assert_type, "x", bytes, "the file")


def test_a_known_mistake_keeps_the_place():
    with pytest.raises(CheckFailed) as failure:
        assert_close([1.0, 4.0], [1.0, 2.0], "two numbers", mistakes={"The root is missing.": [1.0, 4.0]})
    assert str(failure.value) == "two numbers, entry 1: values differ: yours 4.0, expected 2.0. The root is missing."


# --- mistakes, digits, tolerances, kinds of numbers -----------------------------------------------------------------

def said(check, *args, **kwargs) -> str:
    with pytest.raises(CheckFailed) as failure:
        check(*args, **kwargs)
    return str(failure.value)


def test_a_mistake_that_two_sentences_fit_is_not_named():
    """For n = 2 a sum and twice the mean are alike: nobody knows which it was."""
    both = {"A sum.": 6.0, "Twice the mean.": 6.0, "A product.": 8.0}
    assert said(assert_close, 6.0, 3.0, "the mean", mistakes=both).endswith("yours 6.0, expected 3.0.")
    assert said(assert_close, 8.0, 3.0, "the mean", mistakes=both).endswith("A product.")
    gap = {"The gap was kept.": torch.tensor([1.0, torch.nan])}
    assert said(assert_close, torch.tensor([1.0, torch.nan]), torch.ones(2), "filled", mistakes=gap).endswith("The gap was kept.")
    assert not said(assert_close, torch.tensor([torch.nan, 1.0]), torch.ones(2), "filled", mistakes=gap).endswith("kept.")
    assert said(assert_equal, 6, 3, "a count", mistakes=both, hint="Look again.").endswith("expected an integer, 3. Look again.")
    assert said(assert_equal, 8, 3, "a count", mistakes=both, hint="Look again.").endswith("A product.")


def test_a_known_mistake_in_a_shape_a_dtype_or_a_type():
    shapes = {"The axes are exchanged.": (3, 2), "An axis is lost.": (6,)}
    assert said(assert_shape, torch.ones(3, 2), (2, 3), "x", mistakes=shapes).endswith("(2, 3). The axes are exchanged.")
    assert said(assert_shape, torch.ones(2), (2, 3), "x", hint="Look again.", mistakes=shapes).endswith("(2, 3). Look again.")
    halves = {"Half precision.": torch.float16, "Counts are whole.": "int64"}
    assert said(assert_dtype, np.ones(2, int), torch.float32, "x", mistakes=halves).endswith("float32. Counts are whole.")
    kinds = {"A word.": str, "One or more numbers in a row.": (list, tuple)}
    assert said(assert_type, (1,), int, "x", mistakes=kinds).endswith("One or more numbers in a row.")
    assert said(assert_type, True, int, "x", hint="A number.", mistakes={"A number, too.": int}).endswith("A number.")


def test_an_argument_that_was_changed_is_no_result_of_a_formula():
    """It has no relation to what is asked for: the answer has changed it."""
    x = torch.tensor([1.0, 2.0, 4.0])
    assert "wrong sign" in said(assert_close, -x, x, "the result", of="value")
    assert "sign" not in said(assert_close, -x, x, "x after the call", of="argument kept")


def test_numbers_that_differ_below_the_printed_digits():
    text = said(assert_close, 0.12345678912, 0.12345678, "x", rtol=1e-10, atol=0)
    assert "yours 0.123456789, expected 0.12345678 (tolerance: 1e-10 of the value)." in text
    assert "tolerance" not in said(assert_close, 2.0, 1.0, "x")
    assert said(assert_close, 1 + 1e-5, 1.0, "x").endswith("(tolerance: 1e-07 of the value plus 1e-09).")


@pytest.mark.parametrize("actual, expected, passes", [
    (torch.tensor([0.1], dtype=torch.bfloat16), torch.tensor([0.1]), False),
    (torch.tensor([0.1], dtype=torch.float16), torch.tensor([0.1], dtype=torch.float64), False),
    (torch.tensor(0.1, dtype=torch.float16), 0.1, False),
    (torch.tensor([0.1]), torch.tensor([0.1], dtype=torch.float64), True),
    (torch.tensor([0.1], dtype=torch.float64), torch.tensor([0.1]), True),
    (torch.tensor(0.1), 0.1, True),
    (torch.tensor([0.1]), torch.tensor([0.1], dtype=torch.bfloat16), True),
    (1_000_000_000, 1_000_000_001, False),
    (torch.tensor([2**40]), torch.tensor([2**40 + 1]), False),
])
def test_the_expected_dtype_decides_the_tolerance(actual, expected, passes):
    if passes:
        assert_close(actual, expected)
    else:
        said(assert_close, actual, expected)


def test_a_coarse_answer_hears_of_its_dtype():
    assert "(tolerance: 0.0001 of the value plus 1e-05; yours is bfloat16)" in said(
        assert_close, torch.tensor([0.1], dtype=torch.bfloat16), torch.tensor([0.1]))


@pytest.mark.parametrize("value, kind", [(np.int64(3), int), (np.float32(3), float), (np.bool_(True), bool),
                                         (Fraction(1, 3), float), (Decimal("0.1"), float), (np.int64(3), (int, float))])
def test_numbers_of_other_libraries_are_numbers(value, kind):
    assert_type(value, kind)
    expected = True if kind is bool else float(value)
    assert_equal(value, expected)
    if kind is not bool:
        assert_close(value, expected)


def test_a_bool_is_no_integer():
    assert "expected an integer" in said(assert_type, np.bool_(True), int, "n")
    assert "expected an integer" in said(assert_type, True, int, "n")
    assert "wrong type: got True, expected an integer." in said(assert_equal, True, 1, "n")
    assert "values differ: got a number (float), 6.5, expected an integer, 6." in said(assert_equal, 6.5, 6, "n")


def test_huge_whole_numbers_are_compared():
    assert said(assert_equal, 10 ** 400, 10 ** 401, "n").startswith("n: values differ")


def test_nan_says_where():
    assert said(assert_close, torch.tensor([[1., float("nan")]]), torch.ones(1, 2), "x").endswith("yours is nan at [0, 1].")
    assert said(assert_close, float("nan"), 1.0, "x").endswith("values differ: yours is nan.")


def test_none_is_a_value_where_it_is_expected():
    assert_equal(None, None, "no position")
    assert said(assert_equal, None, 3, "a position") == (
        "a position: got None. (A call that ends without `return` gives None, too.)")
    assert said(assert_equal, None, 3, "the .grad of w", hint="backward() fills it.") == (
        "the .grad of w: got None. (A call that ends without `return` gives None, too; `.grad` is None before a backward pass.) "
        "backward() fills it.")
    assert said(assert_close, [1., None], [1., 2.], "the losses") == "the losses, entry 1: got None."


def test_a_hint_that_is_worked_out():
    """Only where the assertion fails, and without an effect where it cannot be."""
    calls = []

    def hint():
        calls.append(1)
        return "Look at the second one."
    assert_close(1.0, 1.0, "x", hint=hint)
    assert not calls
    assert said(assert_close, 2.0, 1.0, "x", hint=hint).endswith("expected 1.0. Look at the second one.") and len(calls) == 1
    assert said(assert_close, 2.0, 1.0, "x", hint=hint, mistakes={"Twice.": 2.0}).endswith("Twice.") and len(calls) == 1
    assert said(assert_equal, [1, 2], [1], "x", hint=hint).endswith("Look at the second one.") and len(calls) == 2
    assert said(assert_shape, torch.ones(2), (3,), "x", hint=lambda: 1 / 0).endswith("expected (3,).")
    assert said(assert_type, None, int, "x", hint=lambda: "").endswith("without `return` gives None, too.)")
    assert "an unwritten answer" in said(assert_close, ..., 1.0, "x")


def test_a_hint_in_pieces_says_what_can_be_said():
    pieces = ("The mean of the squares.", lambda: 1 / 0, lambda: None, lambda: "With one row it is right.")
    assert said(assert_close, 2.0, 1.0, "x", hint=pieces).endswith("The mean of the squares. With one row it is right.")
    assert said(assert_close, 2.0, 1.0, "x", hint=pieces, mistakes={"Twice.": 2.0}).endswith("expected 1.0. Twice.")
    assert said(assert_equal, [1], [2], "x", hint=(lambda: 1 / 0,)).endswith("expected the list [2].")


def test_tensors_without_values():
    assert "wrong type: got a tensor of shape (2,), float32" in said(assert_close, torch.empty(2, device="meta"), torch.ones(2))


def test_what_was_to_be_kept_is_the_same_to_the_last_digit():
    x = torch.tensor([1.3, 0.3])
    moved = x + 10 - 10
    assert not torch.equal(moved, x)
    assert_close(moved, x, "x after the call")
    assert "values differ" in said(assert_close, moved, x, "x after the call", of="arguments kept")
    assert_close(moved, x, "x after the call", of="arguments kept", atol=1e-6)
    assert_close(x.double(), x, "x after the call", of="arguments kept")
