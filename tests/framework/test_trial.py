"""Where an answer and the right function part, as further calls show it."""
from __future__ import annotations

import pytest
import torch

from d2l_utils.check import CheckFailed, assert_close, where_they_part

P, T = torch.tensor([1.0, -2.0, 4.0]), torch.tensor([0.5, 1.0, 1.0])


def density_loss(p, t, sigma):
    """A mean over examples with a parameter beside them."""
    return ((p - t) ** 2 / (2 * sigma**2)).mean()


def ridge_step(w, g, lam):
    return w - 0.1 * (g + lam * w)


W, G = torch.tensor([1.0, -3.0]), torch.tensor([0.5, 4.0])
TOGETHER = "Where `w` or `lam` is all 0, yours is right: look at what these do together."


@pytest.mark.parametrize("answer, said", [
    (lambda p, t, sigma: ((p - t) ** 2 / 2).mean(), "`sigma` is twice as large, the result should be another one; yours stays"),
    (lambda p, t, sigma: ((p - t) ** 2 / (2 * sigma**2)).sum(), "With each of the 3 entries of `p` and `t` alone"),
    (lambda p, t, sigma: ((p - t) ** 2 / (3 * sigma)).mean(), "should become a quarter as large; yours becomes half as large"),
    (lambda p, t, sigma: ((p - t) ** 2 / (2 * sigma**3)).mean(), "Where `sigma` is 1, yours is right: look at what becomes of"),
    (lambda p, t, sigma: ((p - t) ** 2 / (2 * sigma)).mean(), "Yours is what comes out where `sigma` is replaced by its root."),
    (lambda p, t, sigma: density_loss(p, t, sigma), ""),
    (lambda p, t, sigma: density_loss(p, t, sigma) * 1.00001, ""),
    (lambda p, t, sigma: float("nan"), ""),
    (lambda p, t, sigma: p, ""),
])
def test_what_further_calls_show_of_a_loss(answer, said):
    found = where_they_part(answer, density_loss, p=P, t=T, sigma=3.0)
    assert said in found if said else found == ""


@pytest.mark.parametrize("answer, said", [
    (lambda w, g, lam: w - 0.1 * (g + lam * w.sign()), TOGETHER),
    (lambda w, g, lam: w - 0.1 * g, "`lam` is twice as large, the result should be another one; yours stays the same"),
    (lambda w, g, lam: w - 0.1 * (g - lam * w), "Yours is what comes out where `lam` has the other sign."),
    (lambda w, g, lam: ridge_step(g, w, lam), "Yours is what comes out where `w` and `g` are exchanged."),
    (lambda w, g, lam: ridge_step(w, g, 2 * lam), "Yours is what comes out where `lam` is twice as large."),
    (lambda w, g, lam: ridge_step(w, g.flip(0), lam), "Yours is what comes out where `g` is in reverse order."),
])
def test_what_further_calls_show_of_a_step(answer, said):
    assert said in where_they_part(answer, ridge_step, w=W, g=G, lam=0.5)


def test_half_of_the_result_is_no_confused_argument():
    found = where_they_part(lambda x, lam: lam * x.sum() / 2, lambda x, lam: lam * x.sum(), x=torch.tensor([1.0, 2.5]), lam=0.3)
    assert found == ""


def test_what_comes_out_by_chance_or_in_several_ways_is_not_said():
    said = where_they_part(lambda x, n: x.sum() * 3, lambda x, n: x.sum() * n, x=torch.tensor([2.0, 1.0]), n=2)
    assert said == "Yours is what comes out where `n` is one more."
    for chance in (lambda x, n: x.sum() * 3 + 10 * (x.sum() != 3), lambda x, n: x.sum() * 0):
        assert "comes out" not in where_they_part(chance, lambda x, n: x.sum() * n, x=torch.tensor([2.0, 1.0]), n=2)
    both = where_they_part(lambda a, b: -(a * b), lambda a, b: a * b, a=torch.tensor(2.0), b=torch.tensor(3.0))
    assert "comes out" not in both      # either may have the other sign


def test_arguments_that_go_wrong_together():
    found = where_they_part(lambda a, b: 2 * a + 3 * b + a * b, lambda a, b: 2 * a + 3 * b,
                            a=torch.tensor(2.0), b=torch.tensor(3.0))
    assert found == "Where `a` or `b` is 0, yours is right: look at what these do together."


def test_the_first_row_alone_does_not_speak_for_the_others():
    def only_small(x):
        return (x * (x < 2)).sum()
    x = torch.tensor([1.0, 3.0])
    assert "alone" not in where_they_part(only_small, lambda x: x.sum(), x=x)
    assert "alone" not in where_they_part(lambda x: x.sum(), lambda x: x.sum() / 4, x=torch.ones(9))      # too many to ask


def test_a_result_that_is_an_argument_as_it_came_is_right_by_chance():
    found = where_they_part(lambda w, g, lr: w - lr * g * g, lambda w, g, lr: w - lr * g, w=W, g=G, lr=0.1)
    assert "is 0" not in found and "all 0" not in found


def test_what_rounding_leaves_of_zero_is_zero():
    noise = torch.tensor(1e-17, dtype=torch.float64)
    found = where_they_part(lambda x, lam: x.sum() + 1, lambda x, lam: x.sum() + (lam - 1) * noise,
                            x=torch.tensor([0.1, -0.1], dtype=torch.float64), lam=2.0)
    assert "lam" not in found


def test_a_growth_that_is_no_power_is_not_told():
    found = where_they_part(lambda x: x.exp() * 1.7, lambda x: x.exp() + 1, x=torch.tensor(1.3))
    assert "times as large" not in found


def test_a_sign_that_should_not_matter():
    found = where_they_part(lambda x: x.sum(), lambda x: 3 * x.abs().sum(), x=torch.tensor([1.0, 2.0]))
    assert found == "Where `x` has the other sign, the result should stay as it is; yours does not."


def test_the_entry_that_differs_is_the_one_looked_at():
    found = where_they_part(lambda x: (x, 2 * x), lambda x: (x, x**2), x=torch.tensor([3.0, 5.0]))
    assert found == ("Where `x` is twice as large, entry 1 of the result should become 4 times as large; "
                     "yours becomes twice as large.")


def test_an_answer_that_writes_into_its_argument_gets_copies():
    def doubles(x):
        return x.mul_(2).sum()
    x = torch.tensor([1.0, 2.0])
    where_they_part(doubles, lambda x: x.square().sum(), x=x)
    assert x.tolist() == [1.0, 2.0]


def test_calls_that_fail_say_nothing_and_whole_numbers_are_left_alone():
    def only_once(x, times):
        if x[0] != 3:
            raise ValueError("another x")
        return x.sum() * times + 1
    assert where_they_part(only_once, lambda x, times: x.sum() * times, x=torch.tensor([3.0]), times=2) == ""


def test_it_ends_the_message_of_an_assertion():
    def halved(p, t, sigma):
        return density_loss(p, t, sigma) / sigma
    with pytest.raises(CheckFailed) as failed:
        assert_close(halved(P, T, 3.0), density_loss(P, T, 3.0), "three predictions",
                     hint=lambda: where_they_part(halved, density_loss, p=P, t=T, sigma=3.0))
    assert str(failed.value).endswith("Where `sigma` is 1, yours is right: look at what becomes of `sigma` elsewhere.")
