"""Facts about wrong numbers: said where they hold for all entries, and not where two round numbers meet by chance."""
import math

import pytest
import torch

from d2l_utils.check import assert_close, assert_equal
from d2l_utils.check.failure import CheckFailed

W = torch.tensor([[0.31, -1.27, 2.05], [1.71, 0.44, -0.86]], dtype=torch.float64)
P = torch.tensor([0.217, 0.594, 0.189], dtype=torch.float64)


def heard(actual, expected, **options):
    with pytest.raises(CheckFailed) as failure:
        assert_close(actual, expected, "the value", **options)
    return failure.value.problem


@pytest.mark.parametrize("actual, expected, fact", [
    (2 * W, W, "Each of yours is 2 times the expected number."),
    (W / 2, W, "Each of yours is half the expected number."),
    (W / 6, W, "Each of yours is 1/6 of the expected number."),
    (-W, W, "Each of yours has the wrong sign."),
    (W + 4.2, W, "Each of yours is larger by the same number, 4.2."),
    (W**2, W, "the square of the expected number."),
    (1 - P, P, "1 minus the expected number."),
    (P.log(), P, "the logarithm of the expected number."),
    (W.T, W, "rows and columns exchanged."),
    (W.reshape(3, 2), W, "The numbers are right, and in the right order."),
    (P.flip(0), P, "in reverse order."),
    (W * torch.tensor([[2.0], [0.7]]), W, "Each row of yours is the expected row times a number of its own."),
    (torch.full_like(W, 0.5), W, "All of yours are 0.5."),
    (W.where(W > 0, 0), W, "Those that differ are all that should be negative."),
    (torch.arange(6.0).cumsum(0), torch.arange(6.0), "the sum of the expected numbers up to there."),
    ([0.217, 0.594, 9.0], P.tolist(), "All others are right: only the last one differs."),
    ({"a": -0.217, "b": -0.594}, {"a": 0.217, "b": 0.594}, "Each of yours has the wrong sign."),
    ((W, 3 * P), (W, P), "Each of yours is 3 times the expected number."),
    (-0.8557305, 0.8557305, "with the other sign."),
    (0.8557305 / math.log(2), 0.8557305, "1.443 (1 / log 2) times"),
    (14.5 ** 0.5, 14.5, "It is the root of the expected number."),
    (math.log(6), 6, "It is the logarithm of the expected number."),
    (0.33, 1 / 3, "rounded to 2 digits after the point."),
])
def test_a_fact_that_holds_for_all(actual, expected, fact):
    assert fact in heard(actual, expected)


@pytest.mark.parametrize("actual, expected", [(4, 2), (1.0, 1 / 3), (0.5, 0.25), (2.0, 4 / 3), (0.0, 0.3127), (1.0, 0.8557305),
                                              (2.0, 4), (0.0, 1.0), (0.05, 21 / 400), (0.5 ** 0.5, 0.5),
                                              (torch.tensor([1.0, 4.0]), torch.tensor([1.0, 2.0])),
                                              (torch.tensor([1.5, 4e7]).double(), torch.tensor([1.0, 4e7]).double())])
def test_nothing_where_chance_may_have_made_it(actual, expected):
    assert heard(actual, expected).endswith((".", "0)", "1)")) and not any(
        word in heard(actual, expected) for word in ("times", "rounded", "square", "root", "half"))


def test_rows_that_are_equal_but_for_digits_have_no_numbers_of_their_own():
    said = heard(torch.tensor([[1.0, 2.0], [3.0, 5.0]]).double() * torch.tensor([[1 + 2e-5], [1 - 2e-5]]).double(),
                 torch.tensor([[1.0, 2.0], [3.0, 5.0]]).double())
    assert "a number of its own" not in said


def test_rows_that_are_multiples_of_one_say_nothing():
    """The gradient of a score of two classes is a multiple of (1, -1), also where it is wrong."""
    signs = torch.tensor([[1.0, -1.0]])
    said = heard(torch.tensor([[0.3], [-0.2], [0.4]]) * signs, torch.tensor([[0.1], [-0.7], [0.2]]) * signs)
    assert "a number of its own" not in said


def test_others_are_right_only_where_the_assertion_says_so():
    """Numbers that are equal to five digits may differ all the same: the first of these do."""
    assert "only the last one" not in heard([0.5, 0.492188, 0.488281], [0.5, 0.4921875, 0.4921875])
    nearly = torch.tensor([0.1, 0.2, 9.0]) * (1 + 2e-7)         # float32's rounding passes
    assert "All others are right: only the last one differs." in heard(nearly, torch.tensor([0.1, 0.2, 0.3]))


def test_a_positive_number_has_no_sign_to_lose():
    assert "sign" not in heard(0.31415927 * (1 + 2e-7), 0.31415927, rtol=1e-9, atol=0)


def test_zeros_are_no_rounding():
    assert "rounded" not in heard(torch.zeros(4), torch.tensor([0.31, 0.12, 0.44, 0.05]))


def test_a_known_mistake_is_enough():
    with pytest.raises(CheckFailed) as failure:
        assert_close(2 * W, W, "the value", mistakes={"You may have doubled it.": 2 * W})
    assert failure.value.hint == "You may have doubled it." and "times" not in failure.value.problem


def test_the_authors_hint_stays():
    with pytest.raises(CheckFailed, match="wrong sign.* Think again"):
        assert_close(-W, W, "the value", hint="Think again.")


@pytest.mark.parametrize("actual, expected, fact", [
    ([3, 2, 1], [1, 2, 3], "in reverse order."), (["b", "c", "a"], ["a", "b", "c"], "in another order."),
    ([1, 2], [1, 2, 3], "the last is missing."), ([0, 1, 2, 3], [1, 2, 3], "The first is too many."),
    ({1, 2}, {1, 2, 3}, "1 missing, none too many.")])
def test_lists_and_sets(actual, expected, fact):
    with pytest.raises(CheckFailed) as failure:
        assert_equal(actual, expected, "the value")
    assert fact in failure.value.problem


HIDDEN = '''
import torch
from d2l_utils.check import *
W = torch.tensor([0.31, -1.27, 2.05])
### BEGIN HIDDEN TESTS
assert_close({made}, W, "the value")
'''


@pytest.mark.parametrize("made", ["3 * W", "W + 4", "torch.full_like(W, 7.0)", "W / 2"])
def test_no_number_of_a_hidden_test(made, tmp_path):
    import linecache
    source = HIDDEN.format(made=made)
    linecache.cache["<hidden>"] = len(source), None, source.splitlines(keepends=True), "<hidden>"
    with pytest.raises(CheckFailed) as failure:
        exec(compile(source, "<hidden>", "exec"), {"__name__": "__main__"})
    said = failure.value.problem.partition("yours ")[2].partition(" ")[2]
    assert said and not any(character.isdigit() for character in said)


def test_true_and_false_are_in_no_other_order():
    for wrong in ([False, True, True, False, False], [True, False, False, True, False]):
        with pytest.raises(CheckFailed) as failure:
            assert_equal(wrong, [False, False, True, True, False], "the mask")
        assert "order" not in failure.value.problem


@pytest.mark.parametrize("actual, expected", [(W.float().double(), W), (P * (1 + 1e-9), P), (W.T[:, 0] + 1e-8, W.T[:, 0])])
def test_numbers_that_differ_in_late_digits_are_in_no_other_order(actual, expected):
    said = heard(actual, expected, rtol=1e-12, atol=1e-12)
    assert "order" not in said and "Each" not in said and "tolerance: 1e-12" in said
