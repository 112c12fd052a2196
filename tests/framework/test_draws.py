"""What hints say of random numbers: of two draws that are the same, of noise, of features that have to do with each other."""
from __future__ import annotations

import itertools

import pytest
import torch

from d2l_utils.check.draws import first_twins, how_opposite, two_threes, which_covariances, why_noise, why_shared

RULES = [
    (lambda seed, k: seed + k, "1 more in the seed and 1 less in the epoch"),
    (lambda seed, k: 997 * seed + k, "1 more in the seed and 997 less in the epoch"),
    (lambda seed, k: seed + 16 * k, "16 more in the seed and 1 less in the epoch"),
    (lambda seed, k: seed * k, "a product, here of seed and epoch, is"),
    (lambda seed, k: (seed + 1) * (k + 1), "a product, here of seed + 1 and epoch + 1"),
    (lambda seed, k: (seed + 1) * k, "a product, here of seed + 1 and epoch, is"),
    (lambda seed, k: f"{seed}{k}", "Digits side by side"),
    (lambda seed, k: f"{k}{seed}", "Digits side by side"),
    (lambda seed, k: seed ^ k, "The exclusive or of seed and epoch"),
    (lambda seed, k: (min(seed, k), max(seed, k)), "Where seed and epoch are exchanged"),
    (lambda seed, k: (seed * 31 + k * k) % 1009, "Both come from one state"),
]


def twins_of(rule, lowest):
    """The first two pairs that the rule sends to one state."""
    seen = {}
    for pair in itertools.product(range(1001), range(lowest, 1001)):
        if seen.setdefault(rule(*pair), pair) != pair:
            return seen[rule(*pair)], pair
    raise AssertionError("no two pairs share a state")


@pytest.mark.parametrize("lowest", [0, 1])
@pytest.mark.parametrize("rule, said", RULES)
def test_the_rule_that_two_pairs_share_is_named(rule, said, lowest):
    one, other = twins_of(rule, lowest)
    for pairs in ((one, other), (other, one)):
        assert said in why_shared(lambda p, q: rule(*p) == rule(*q), *pairs, "epoch", lowest)


@pytest.mark.parametrize("rule, said", [
    (lambda seed, k: seed * (k - 1), "of seed and number - 1"), (lambda seed, k: f"{seed}{k - 1}", "Digits side by side"),
    (lambda seed, k: seed ^ (k - 1), "The exclusive or of seed and number")])
def test_a_rule_may_count_from_0_what_is_numbered_from_1(rule, said):
    assert said in why_shared(lambda p, q: rule(*p) == rule(*q), *twins_of(rule, 1), "number", 1)


def test_a_sum_is_tried_within_the_bounds_alone():
    def alike(p, q):
        assert max(*p, *q) <= 1000, (p, q)
        return p[0] + 995 * p[1] == q[0] + 995 * q[1]
    assert "995 more in the seed and 1 less" in why_shared(alike, (0, 2), (995, 1), "number", 1)


W = torch.tensor([1.0, -2.0])


@pytest.mark.parametrize("spread, said", [
    (lambda w, noise: noise * w.norm().item(), "there is no noise at all"),
    (lambda w, noise: noise * (1 + w.norm().item()), "w has an effect on your noise"),
    (lambda w, noise: noise ** 2, "4 times as large as for noise=0.5"),
    (lambda w, noise: 2 * noise, "Yours is 2 times noise"),
])
def test_noise_that_is_not_right_is_told_apart(spread, said):
    assert said in why_noise(spread, W, 0.5)


def test_what_features_have_to_do_with_each_other():
    assert "The variances of your features are 1.00, 0.33" in which_covariances(torch.diag(torch.tensor([1.0, 1 / 3])))
    assert "two features of an example have to do with each other" in which_covariances(torch.tensor([[1.0, 0.9], [0.9, 1.0]]))
    drawn = torch.randn(100, 2, generator=torch.Generator().manual_seed(1))
    assert how_opposite(torch.cat([drawn, drawn], dim=1)) == "Here both examples have the same numbers. "
    assert how_opposite(torch.cat([drawn, -drawn], dim=1)) == "Here the numbers of the two are opposite. "
    assert "with half the variance" in how_opposite(torch.cat([drawn / 2, -drawn / 2], dim=1))
    assert "always of one size" in how_opposite(torch.cat([drawn.sign(), -drawn.sign()], dim=1))
    assert how_opposite(drawn) == ""


def test_twins_and_the_global_numbers():
    a, b = two_threes(5)
    torch.manual_seed(5)
    assert torch.equal(torch.rand(3), a) and torch.equal(torch.rand(3), b)
    assert first_twins([("a", a), ("b", b), ("c", b.clone()), ("d", a)]) == ("b", "c")
    assert first_twins([("a", a), ("b", b)]) == ()
