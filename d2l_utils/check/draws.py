"""What random numbers that an answer draws have in common, in words for `hint=`. None holds an expected value."""
from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import torch

__all__ = ["BEGUN_AGAIN", "first_twins", "how_opposite", "two_threes", "which_covariances", "why_noise", "why_shared"]

BEGUN_AGAIN = ("The global numbers have begun again from their seed. To set the old seed again does not put back how far they "
               "had come.")

Pair = tuple[int, int]


def two_threes(seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """What torch.rand(3) gives, called twice after torch.manual_seed(seed)."""
    return torch.rand(6, generator=torch.Generator().manual_seed(seed)).split(3)


def first_twins(named: Sequence[tuple]) -> tuple:
    """The names of the first two of these (name, tensor) whose tensors are equal, or ()."""
    for k, (name, t) in enumerate(named):
        for other, u in named[:k]:
            if torch.allclose(t, u, atol=1e-4):
                return other, name
    return ()


def which_covariances(found: torch.Tensor) -> str:
    """Which of the covariances (d, d) of features are not those of independent standard normal numbers."""
    variances = found.diagonal()
    values = ", ".join(f"{v:.2f}" for v in variances.tolist())
    if (variances - 1).abs().max() > 0.06:
        return f"The variances of your features are {values}: each is to be 1, as that of torch.randn is."
    return (f"The variances are right, {values}. The covariances beside them are not 0: two features of an example have to do "
            "with each other. Draw each for itself.")


def how_opposite(numbers: torch.Tensor) -> str:
    """How the numbers of the second of two examples, side by side (count, 2d), follow from those of the first, or ""."""
    one, other = numbers.chunk(2, dim=1)
    if (one - other).abs().max() < 0.01:
        return "Here both examples have the same numbers. "
    if (one + other).abs().max() > 0.01:
        return ""
    if one.abs().max() - one.abs().min() < 0.01:
        return ("Here the numbers of the two are opposite, and always of one size, as subtracting their mean and dividing by "
                "their standard deviation makes them. ")
    return "Here the numbers of the two are opposite" + (", with half the variance, as subtracting their mean makes them. "
                                                         if one.var() < 0.75 else ". ")


def why_noise(spread: Callable[[torch.Tensor, float], float], w: torch.Tensor, noise: float) -> str:
    """Whether the noise of a linear model meets w, and whether it follows `noise`.

    `spread(w, noise)`: the standard deviation of y - Xw over many examples with b = 0; asked for w = 0.
    """
    alone, twice = spread(0 * w, noise), spread(0 * w, 2 * noise)
    if alone < 1e-5 * noise:
        return ("With w = 0 and b = 0 there is no noise at all: yours is multiplied by w or by y. It is to be added to Xw + b, "
                "whatever these are.")
    if abs(alone - noise) < 0.03 * noise:
        return "With w = 0 it is right: so w has an effect on your noise. ε is added to the product Xw, and not multiplied by w."
    if abs(twice / alone - 2) > 0.05:
        return (f"For noise={2 * noise:g} yours is {twice / alone:.3g} times as large as for noise={noise:g} (with w = 0): it is "
                "to be twice as large, noise times a standard normal number.")
    return (f"Yours is {alone / noise:.3g} times noise, also where noise is twice as large: multiply numbers of standard "
            "deviation 1, as torch.randn draws them, by noise and by nothing else.")


def why_shared(alike: Callable[[Pair, Pair], bool], one: Pair, other: Pair, name: str, lowest: int, most: int = 1000) -> str:
    """Which rule gives two pairs (seed, number) one state of a random generator, as tried on other pairs.

    `alike(pair, pair)`: whether two pairs give the same draws; `name`: what the number is called; it is `lowest` to `most`.
    """
    shifts = 0, (lowest or -1)          # a rule may count from 0 or from 1
    cuts = ((2, 34), (23, 4)), ((1, 56), (15, 6))                   # 234 and 156, each cut in two ways
    if any(all(alike((a, b + shift), (c, d + shift)) for (a, b), (c, d) in cuts) or
           all(alike((b, a + shift), (d, c + shift)) for (a, b), (c, d) in cuts) for shift in shifts):
        return "Digits side by side do not tell pairs apart: 1 and 11 give 111, and so do 11 and 1."
    more, less = other[0] - one[0], one[1] - other[1]
    if more * less > 0:
        more, less = abs(more), abs(less)
        tried = [(a, b + lowest) for a, b in ((0, 0), (3, 0), (6, 0), (5, 2)) if a + more <= most and b + lowest + less <= most]
        if len(tried) > 1 and all(alike((a, b + less), (a + more, b)) for a, b in tried):
            return (f"For other pairs, too, {more} more in the seed and {less} less in the {name} give one state: a sum, maybe "
                    "of multiples. In such a sum one more of the one must count for more than all that the other can be, up to "
                    f"{most}.")
    for in_seed, shift in itertools.product((0, -1), (0, -1, 1)):
        pairs = [(a + in_seed, b + shift) for a, b in ((2, 6), (3, 4), (4, 5), (2, 10))]
        if alike(*pairs[:2]) and alike(*pairs[2:]):
            factors = " and ".join(f"{factor} {'-+'[added > 0]} 1" if added else factor
                                   for factor, added in (("seed", -in_seed), (name, -shift)))
            return (f"The pairs {pairs[0]} and {pairs[1]} of seed and {name} share a state, too, as do {pairs[2]} and "
                    f"{pairs[3]}: a product, here of {factors}, is the same for many pairs.")
    if any(all(alike((a, b + shift), (a ^ bits, (b ^ bits) + shift)) for a, b, bits in ((1, 2, 7), (9, 4, 3), (12, 5, 8)))
           for shift in shifts):
        return f"The exclusive or of seed and {name} is the same for many pairs."
    if all(alike((a, b), (b, a)) for a, b in ((2, 5), (7, 3), (4, 9))):
        return (f"Where seed and {name} are exchanged, other pairs, too, share a state: it must count which number is the seed "
                "and which is the other one.")
    return "Both come from one state: each pair needs a state of its own."
