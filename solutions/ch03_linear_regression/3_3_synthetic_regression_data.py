# %% [markdown]
# # 3.3 Synthetic regression data
#
# A model was trained, and its weights came out as 1.93 and -3.52. Is that good? With measured data nobody can say: the
# right weights are unknown, or one would not train. So before a learner meets real data, we let it loose on data that
# we made ourselves. There the right answer is known to the last digit, and a learner that misses it has a bug.
#
# At the end of this section you can make such data, hand them out in minibatches, decide what happens to the last
# batch when the numbers do not fit, test a loader, and say for each random number of a program whether it will be the
# same tomorrow. An optional part at the end, about an hour, shuffles a file that is too large for the memory.
#
# The exercises stand in the order in which they are best done, from top to bottom. Their numbers are names only: they
# come from D2L's list, which has another order.

# %% tags=["setup"]
from d2l_utils.check import *
import math
import os
import tempfile
import numpy as np
import torch
import d2l_utils as d2l

# %% [markdown] teaches="synthetic data, noise, standard deviation of the noise"
# ## Data whose truth is known
#
# Choose the truth first: two weights, 2 and -3.4, and a bias, 4.2. Then draw the examples. Each example has two
# features, both from the standard normal distribution (mean 0, standard deviation 1), and its target is
#
# $$y = \mathbf x^\top \mathbf w + b + \varepsilon .$$
#
# The last term is **noise**: another random number, with mean 0 and standard deviation 0.5, drawn anew for each
# example. It stands for all that a linear model cannot know, such as errors of measurement.
#
# All examples at once: the features fill a matrix $X$ of shape $(n, d)$ with one row for each of the $n$ examples.
# The weights stand in a column of shape $(d, 1)$, so $X\mathbf w$ has shape $(n, 1)$, and so have the noise and the
# targets. In the code of this page $X$ is `features` and $\mathbf y$ is `targets`.

# %% teaches="random number generator with a seed"
true_w, true_b, noise = torch.tensor([2.0, -3.4]), 4.2, 0.5
n, d = 1000, 2

rng = torch.Generator().manual_seed(0)
features = torch.randn(n, d, generator=rng)
epsilon = noise * torch.randn(n, 1, generator=rng)
targets = features @ true_w.reshape(-1, 1) + true_b + epsilon

print("features", tuple(features.shape), " targets", tuple(targets.shape))
print("first example:", [round(v, 3) for v in features[0].tolist()], "->", round(targets[0].item(), 3))

# %% [markdown]
# `torch.Generator().manual_seed(0)` is a source of random numbers of our own, a **random generator**. The name `rng`
# stands for *random number generator*. The number 0 is its **seed**: from the same seed come the same numbers, every
# time. Whoever runs this cell gets these examples. A later part of this section comes back to that.
#
# `torch.randn` draws from the standard normal distribution. (`torch.rand`, one letter less, draws numbers between 0 and
# 1, each as likely as any other: the uniform distribution.) `noise * torch.randn(...)` has the standard deviation
# `noise`, not the variance `noise`: to multiply a random number by 0.5 is to multiply its standard deviation by 0.5,
# and its variance by 0.25. Mean 0 is a property of the distribution: the numbers that are drawn have a mean *near* 0. One
# does not subtract it, for then each number would depend on all the others.

# %% tags=["demo"]
import matplotlib.pyplot as plt

figure, axes = plt.subplots(1, 2, figsize=(7, 2.9), sharey=True, layout="constrained")
for k, axis in enumerate(axes):
    axis.plot(features[:, k], targets, ".", markersize=3, alpha=0.6, label="an example")
    line = torch.tensor([-3.5, 3.5])
    axis.plot(line, true_w[k] * line + true_b, color="black", linewidth=1.2, label="true slope and intercept")
    axis.set(xlabel=f"feature {k + 1}", title=f"true weight {true_w[k].item():g}")
axes[0].set_ylabel("target y")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
plt.show()

# %% [markdown]
# The targets over each feature alone. The black lines have the true slopes, 2 and -3.4, and the true intercept. Most
# of the scatter around them is no noise: it comes from the *other* feature. Only both together give the target, all but
# the noise.
#
# Now the use of it. Least squares (section 3.1) does not know the truth. Does it find it?

# %% teaches="comparing learnt with true parameters"
columns = torch.cat([features, torch.ones(n, 1)], dim=1)      # the last column is for the bias
solution = torch.linalg.lstsq(columns, targets).solution.flatten()
residual = targets - columns @ solution.reshape(-1, 1)
print("learnt:", [round(v, 3) for v in solution.tolist()], " true:", [2.0, -3.4, 4.2])
print("standard deviation of what is left:", round(residual.std().item(), 3))

# %% [markdown]
# Yes: each parameter is right to 0.02, and what the model leaves unexplained has the size of the noise. A learner
# that ended at 1.5, or left residuals of 2, would be wrong, and we would know it. This is what synthetic data are for.
#
# ⚠ **A shape that no error tells you of.** `true_w` has shape (2,). Without the `reshape` the product
# `features @ true_w` has shape (n,), and a row of n numbers plus a column of n numbers *broadcasts* to a square table:

# %% teaches="vector and column broadcast to a square"
print("features @ true_w:          ", tuple((features @ true_w).shape))
print("features @ true_w + epsilon:", tuple((features @ true_w + epsilon).shape), "  a million targets for a thousand examples")
print("with true_w as a column:    ", tuple((features @ true_w.reshape(-1, 1) + epsilon).shape))

# %% [markdown] task="3.3.A" kind="code" minutes=3 difficulty=1 core=true needs="vector and column broadcast to a square"
# ### Four shapes
#
# `X` has shape `(n, d)`, `w` has shape `(d,)`, and `column` has shape `(n, 1)`. Write `shapes(n, d)`. It returns the
# shapes of these four, in this order, as four tuples:
#
# 1. `X @ w`
# 2. `X @ w + column`
# 3. `X @ w.reshape(-1, 1)`
# 4. `X @ w.reshape(-1, 1) + column`
#
# **You are done when**
# - **X @ w**: the first shape is right;
# - **the sum with a vector**: the second one is right;
# - **the column form**: the third and the fourth are right.

# %% exercise="3.3.A"
def shapes(n, d):
    """The shapes of X @ w, X @ w + column, and of both with w as a column: four tuples."""
    ### BEGIN SOLUTION
    return (n,), (n, n), (n, 1), (n, 1)
    ### END SOLUTION

# %% [markdown] hints="3.3.A"
# 1. Which axis of `X` is summed away in the product?
# 2. Broadcasting lines shapes up at the right end: (n,) stands under the *last* axis of (n, 1).
# 3. For other sizes: (5,) plus (3, 1) has shape (3, 5).

# %% check="3.3.A" points=1
def visible():
    found = shapes(4, 3)
    assert_type(found, (tuple, list), "what shapes(4, 3) returns", of="X @ w")
    assert_equal(len(found), 4, "how many shapes shapes(4, 3) returns", of="X @ w",
                 hint="One for each line of the task's list, in its order.")
    for name, k, of in (("first", 0, "X @ w"), ("second", 1, "the sum with a vector"), ("third", 2, "the column form"),
                        ("fourth", 3, "the column form")):
        assert_type(found[k], (tuple, list), f"the {name} of the four shapes of shapes(4, 3)", of=of,
                    mistakes={"The shape is asked, not the tensor: `t.shape`.": torch.Tensor,
                              "A shape is a tuple, also where it has one number: `(4,)`, with the comma.": int})
    assert_equal(found[0], (4,), "the shape of X @ w for 4 examples of 3 features", of="X @ w",
                 mistakes={"The features are summed away; the examples stay.": (3,),
                           "A matrix times a vector is a vector, with one axis.": (4, 1),
                           "A matrix times a vector is a vector, with one axis; it is no row.": (1, 4)})
    assert_equal(found[1], (4, 4), "the shape of X @ w + column for 4 examples of 3 features", of="the sum with a vector",
                 mistakes={"(4,) under (4, 1): the vector becomes a row.": (4, 1), "(4, 1) has two axes, so the sum has two.": (4,),
                           "The features are gone after X @ w.": (4, 3),
                           "The vector is a row of 4, the column has 4 rows: each row meets each column.": (1, 4),
                           "The features are summed away in X @ w: both axes of the sum count examples.": (3, 4)},
                 hint="X @ w has shape (4,), and stands under the last axis of (4, 1) as (1, 4) would: an axis of length 1 is "
                 "stretched.")
    assert_equal(found[2], (4, 1), "the third shape, of X @ w.reshape(-1, 1), for 4 examples of 3 features", of="the column form",
                 hint="(4, 3) times (3, 1): the 3 is summed away, and the outer lengths stay.",
                 mistakes={"With w as a matrix of one column, the product is a matrix of one column.": (4,),
                           "The features are summed away in the product, here too: the second axis counts the columns of w, "
                           "one.": (4, 3),
                           "A column has the rows first: 4 of them, with one number each.": (1, 4),
                           "There is no square here: w as a matrix has one column, and so has the product.": (4, 4),
                           "The first axis of the product is that of X: a row for each example.": (3, 1)})
    assert_equal(found[3], (4, 1), "the fourth shape, of X @ w.reshape(-1, 1) + column, for 4 examples of 3 features", of="the column form",
                 hint="The third shape and that of `column` are the same, (4, 1): the sum has it, too.",
                 mistakes={"A column plus a column of the same length is a column: no square here.": (4, 4),
                           "The features are summed away in the product: a sum of two columns has one column.": (4, 3),
                           "A column has the rows first: 4 of them, with one number each.": (1, 4),
                           "A matrix of one column keeps its second axis, of length 1.": (4,)})

visible()
### BEGIN HIDDEN TESTS
def hidden():
    for n, d in ((7, 2), (1, 5), (6, 1)):
        X, w, column = torch.ones(n, d), torch.ones(d), torch.ones(n, 1)
        kind = f"for n = {n} and d = {d}"
        hint = "For 4 examples of 3 features it is right: here n and d are other numbers, and the shapes follow them."
        assert_equal(shapes(n, d)[0], tuple((X @ w).shape), f"the shape of X @ w {kind}", of="X @ w", hint=hint)
        assert_equal(shapes(n, d)[1], tuple((X @ w + column).shape), f"the shape of X @ w + column {kind}",
                     of="the sum with a vector", hint=hint)
        assert_equal(shapes(n, d)[2:], ((n, 1), (n, 1)), f"the third and fourth shape {kind}", of="the column form", hint=hint)

hidden()
### END HIDDEN TESTS

# %% [markdown] task="3.3.5" kind="code" minutes=10 difficulty=2 core=true needs="synthetic data, standard deviation of the noise, random number generator with a seed, vector and column broadcast to a square"
# ### A data set to order
#
# Write `synthetic_data(w, b, noise, n, seed)`. It draws `n` examples of y = x·w + b + ε and returns `(X, y)`. The
# weights `w` are a tensor of shape `(d,)`, `b` is a number, and `noise` is the standard deviation of ε.
#
# torch also has a *global* random generator: `torch.randn(3)` without `generator=` draws from it, and
# `torch.manual_seed` sets it. The whole program shares it, so keep away from it here.
#
# **You are done when**
# - **shape**: `X` has shape `(n, d)` and `y` shape `(n, 1)`, for one feature too;
# - **dtype**: both are float32, as `w` is;
# - **features**: the entries of `X` are standard normal and independent of each other, from example to example, too;
# - **targets**: with `noise=0`, `y` is exactly Xw + b;
# - **noise**: ε is normal with mean 0 and standard deviation `noise`, drawn anew for each example, and independent of `X`;
# - **seed**: the same seed gives the same data, another seed other features and another noise (seeds are integers from 0
#   to 100,000);
# - **own random generator**: torch's global random numbers are neither used nor disturbed: the data do not depend on
#   them, and `torch.rand(3)` after the call gives what it would have given without it;
# - **arguments kept**: `w` has the same shape and numbers after the call.

# %% exercise="3.3.5"
def synthetic_data(w, b, noise, n, seed):
    """Features X (n, d), standard normal, and targets y (n, 1) = X w + b + noise of this standard deviation."""
    ### BEGIN SOLUTION
    rng = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=rng)
    epsilon = noise * torch.randn(n, 1, generator=rng)
    return X, X @ w.reshape(-1, 1) + b + epsilon
    ### END SOLUTION

# %% [markdown] hints="3.3.5"
# 1. Which lines of the cell that makes `features` and `targets` do you need, and which numbers in them become arguments?
# 2. `torch.randn(..., generator=g)` draws from `g` alone; `torch.manual_seed` changes the global numbers.
# 3. Coordinates on a circle, with a seed: `g = torch.Generator().manual_seed(seed)`, `t = torch.rand(n, generator=g)`.

# %% check="3.3.5" points=3
from d2l_utils.check.draws import BEGUN_AGAIN, how_opposite, two_threes, which_covariances, why_noise

@probe
def global_numbers(before, w, b, noise, n, seed):
    torch.manual_seed(before)
    torch.rand(3)
    synthetic_data(w, b, noise, n, seed)
    return torch.rand(3)

@probe
def data_after(before, w, b, noise, n, seed):
    torch.manual_seed(before)
    return list(synthetic_data(w, b, noise, n, seed))

@probe
def weights_after(w, b, noise, n, seed):
    synthetic_data(w, b, noise, n, seed)
    return w

@probe
def data_of_seeds(w, b, noise, n, seeds):
    return [list(synthetic_data(w.clone(), b, noise, n, seed)) for seed in seeds]

@probe
def twos(d, count):
    """Of the seeds 0, 1, ...: the features of two examples side by side, and their targets for w = 0, b = 0, noise=1."""
    made = [synthetic_data(torch.zeros(d), 0.0, 1.0, 2, seed) for seed in range(count)]
    return [torch.stack([X for X, y in made]).flatten(1), torch.stack([y for X, y in made]).flatten(1)]

def same(t, u):
    return t.shape == u.shape and torch.allclose(t, u, atol=1e-5)

def spread(w, noise):
    X, y = synthetic_data(w.clone(), 0.0, noise, 20_000, 3)
    return (y - X @ w.reshape(-1, 1)).std().item()

def check_features(X, kind):
    d = X.shape[1]
    assert_close(X.mean(dim=0), torch.zeros(d), f"the means of the features, {kind}", of="features", atol=0.05,
                 hint="Numbers of the standard normal distribution have a mean near 0, without anything being added or "
                 "subtracted.",
                 mistakes={"torch.rand draws numbers between 0 and 1; torch.randn draws standard normal ones.": torch.full((d,), 0.5)})
    assert_close(torch.cov(X.T).reshape(d, d), torch.eye(d), f"the covariances of the features, {kind}", of="features", atol=0.06,
                 hint=lambda: which_covariances(torch.cov(X.T).reshape(d, d)),
                 mistakes={"Uniform numbers between -1 and 1 have variance 1/3: the features are to be standard normal, "
                           "torch.randn.": torch.eye(d) / 3,
                           **({"All features of an example are the same number: draw one for each.": torch.ones(d, d)} if d > 1
                              else {})})
    assert_close((X.abs() < 1).float().mean(dim=0), torch.full((d,), 0.6827), f"the share of each feature between -1 and 1, {kind}",
                 of="features", atol=0.02,
                 hint="This share tells the normal distribution from others of the same mean and variance.",
                 mistakes={"Uniform numbers of variance 1 have this share; torch.randn draws normal ones.":
                           torch.full((d,), 3 ** -0.5)})
    assert_true(int((X.abs() > 3.2).sum()) >= 5, f"more than a few examples have a feature beyond 3.2 standard deviations, {kind}",
                of="features", hint="Of 20,000 normal draws about 27 lie out there: none is cut off, drawn again or left out.")
    assert_equal(len(X.unique(dim=0)), len(X), f"how many different rows X has, {kind}", of="features",
                 hint="Each example is drawn for itself: here several have the same features.")

def check_noise(error, X, w, noise, kind):
    assert_close(error.std(), torch.tensor(noise), f"the standard deviation of y - Xw - b for noise={noise}, {kind}",
                 of="noise", rtol=0.025, hint=lambda: why_noise(spread, w, noise) if abs(error.std().item() - noise) > 0.025 * noise else "",
                 mistakes={
                     "These are absolute values: the noise has both signs.": torch.tensor(noise * (1 - 2 / math.pi) ** 0.5),
                     "This is noise times the length of w: the noise belongs to y, not to the features.": noise * w.norm(),
                     "noise is the standard deviation, here it was taken for the variance.": torch.tensor(noise ** 0.5),
                     "noise is the standard deviation, here it was squared.": torch.tensor(noise ** 2),
                     "Uniform noise between -noise and noise has this one.": torch.tensor(noise / 3 ** 0.5),
                     "Uniform noise between 0 and noise has this one: torch.rand, where torch.randn is meant.": torch.tensor(noise / 12 ** 0.5),
                     **({"This is the sum of one ε for each feature: draw one for each "
                         "example.": torch.tensor(noise * len(w) ** 0.5),
                         "One ε is added to all features of an example, and the product with w multiplies it by the sum of w: "
                         "the noise belongs to y.":
                         torch.tensor(noise * abs(w.sum().item()))} if len(w) > 1 and abs(w.norm() - w.sum().abs()) > 0.1
                         else {}),
                     "ε is the same for all examples, or there is none: draw one for each.": torch.tensor(0.)})
    assert_close(error.mean(), torch.tensor(0.), f"the mean of y - Xw - b for noise={noise}, {kind}", of="noise",
                 atol=0.04 * noise,
                 hint="ε has mean 0: what torch.randn draws, times noise, and nothing added.")
    assert_close((error.abs() < noise).float().mean(), torch.tensor(0.6827),
                 f"the share of ε between -noise and noise, {kind}", of="noise", atol=0.02,
                 hint="This share tells normal noise from other noise of the same standard deviation.",
                 mistakes={"Uniform noise of this standard deviation has this share; torch.randn draws normal numbers.":
                           torch.tensor(3 ** -0.5)})
    assert_true(int((error.abs() > 3.2 * noise).sum()) >= 5, f"more than a few examples have an ε beyond 3.2 standard deviations, {kind}",
                of="noise", hint="Of 20,000 normal draws about 27 lie out there: none is cut off, drawn again or left out.")
    assert_close((error * X).mean(dim=0) / noise, torch.zeros(X.shape[1]), f"the correlation of the noise with each feature, {kind}",
                 of="noise", atol=0.04, hint="The noise must not be made of the same random numbers as the features: one random "
                                             "generator for both, one draw after the other.")

def check_each_noise(n, seed):
    found = len(synthetic_data(torch.zeros(3), 0.0, 1.0, n, seed)[1].abs().unique())
    assert_true(found > 0.99 * n, f"{n} examples with w = 0, b = 0 and noise=1 have more than {round(0.99 * n)} targets of different size (yours: {found})",
                of="noise", hint="Their target is ε alone: each example has one of its own.")

def check_twos(d, count):
    """Over many seeds, what one of two examples holds says nothing about the other one."""
    X, noise = twos(d, count)
    kind = f"of two examples of {d} features each, over the seeds 0 ... {count - 1}"
    hint = "Each number is drawn for itself: subtract no mean of the numbers drawn, divide by no standard deviation of them, use none twice."
    assert_close(torch.cov(X.T), torch.eye(2 * d), f"the covariances {kind}", of="features", atol=0.25,
                 hint=lambda: how_opposite(X) + hint)
    assert_close(torch.cov(torch.cat([X, noise], dim=1).T), torch.eye(2 * d + 2), f"the covariances of features and noise, {kind}", of="noise", atol=0.25,
                 hint=lambda: how_opposite(noise) + hint)

def check_seeds_again(seeds):
    first, second = (data_of_seeds(torch.ones(2), 0.5, 1.0, 5, seeds) for _ in range(2))
    for seed, (X, y), (X_again, y_again) in zip(seeds, first, second):
        assert_true(same(X, X_again) and same(y, y_again), f"two calls with seed {seed} give the same data", of="seed",
                    hint="0 is a seed as any other: `if seed:` takes it for none." if seed == 0 else "")

def check_seeds_apart(seeds):
    made = data_of_seeds(torch.zeros(2), 0.0, 1.0, 5, seeds)           # with w = 0 and b = 0 the targets are the noise
    for things, k in (("features", 0), ("noise", 1)):
        one, other = next(((seeds[i], seeds[j]) for j in range(len(seeds)) for i in range(j) if same(made[i][k], made[j][k])), (None, None))
        assert_true(one is None, f"the seeds {one} and {other} give different {things}" if one is not None else f"the seeds give different {things}",
                    of="seed", hint="Each seed has numbers of its own, 0 and large ones, too.")

def visible():
    weights = torch.tensor([1.5, -2.0, 1.2])
    column = weights.reshape(-1, 1)
    made = synthetic_data(weights.clone(), 3.0, 0.25, 5, 1)
    assert_type(made, (tuple, list), "what synthetic_data returns", of="shape", hint="The pair (X, y) is asked: `return X, y`.")
    assert_equal(len(made), 2, "how many tensors synthetic_data returns", of="shape",
                 hint="The pair (X, y) is asked, and nothing besides.")
    found, other = (tuple(t.shape) if isinstance(t, torch.Tensor) else () for t in made)
    assert_shape(made[0], (5, 3), "the shape of X for 5 examples of 3 features", of="shape",
                 hint="A row for each example, a column for each feature." if found == (3, 5) else
                 "X comes first, then y." if (found, other) == ((5, 1), (5, 3)) else "")
    assert_shape(made[1], (5, 1), "the shape of y for 5 examples", of="shape",
                 hint="A row for each example, with one number: its target.",
                 mistakes={"A vector of 5 plus a column of 5 is a square; weights as a column give a column.": (5, 5),
                           "This is a vector, and a column is asked. With the weights as a column, and the noise of shape (n, "
                           "1), it is one.": (5,),
                           "A row for each example: these are the targets in a row.": (1, 5),
                           "A target is one number for each example: here each has 3.": (5, 3)})
    for w, n, words in ((weights[:1], 5, "5 examples of one feature"), (weights, 1, "one example of 3 features")):
        X, y = synthetic_data(w.clone(), 3.0, 0.25, n, 1)
        assert_shape(X, (n, len(w)), f"the shape of X for {words}", of="shape", hint="`squeeze` takes away every axis of length 1.")
        assert_shape(y, (n, 1), f"the shape of y for {words}", of="shape",
                     hint="For 5 examples of 3 features it is right. Here an axis has length 1, and must stay.")
    assert_equal([str(t.dtype) for t in made], ["torch.float32"] * 2, "the dtypes of X and y", of="dtype",
                 hint="`t.float()` makes float32 of a tensor.",
                 mistakes={"X is float32; y became float64, as a sum of float32 and float64 does.": ["torch.float32",
                                                                                                     "torch.float64"]})
    steep = torch.tensor([1.5, -2.0, 2.5])
    exact, plain = synthetic_data(steep.clone(), 3.0, 0.0, 6, 2), synthetic_data(steep.clone(), 0.0, 0.0, 6, 2)
    without_b = torch.allclose(plain[1], plain[0] @ steep.reshape(-1, 1), atol=1e-4)
    assert_close(exact[1] - exact[0] @ steep.reshape(-1, 1) - 3.0, torch.zeros(6, 1), "y - Xw - b for noise=0 and b = 3", of="targets",
                 atol=1e-4, hint="With b = 0 it is right, y is Xw: it is the bias that is not added once." if without_b else
                 "With b = 0, too, y is not Xw: each target is to be the product of its row of X with the weights.",
                 mistakes={"The bias is missing.": torch.full((6, 1), -3.0),
                           "The bias is to be added, not subtracted.": torch.full((6, 1), -6.0),
                                      "The bias is added once, not once for each feature.": torch.full((6, 1), 6.0),
                                      "The bias is multiplied by the weights here: add it to the product, not to the features.":
                                      torch.full((6, 1), 3.0)})
    X, y = synthetic_data(weights.clone(), 3.0, 0.3, 20_000, 3)
    check_features(X, "20,000 examples of 3 features")
    check_noise(y - X @ column - 3.0, X, weights, 0.3, "20,000 examples of 3 features")
    X, y = synthetic_data(torch.tensor([2.0]), 0.0, 4.0, 20_000, 3)
    check_noise(y - 2.0 * X, X, torch.tensor([2.0]), 4.0, "20,000 examples of one feature")
    check_each_noise(1000, 4)
    X, y = synthetic_data(weights.clone(), 3.0, 0.25, 5, 1)
    X_again, y_again = synthetic_data(weights.clone(), 3.0, 0.25, 5, 1)
    assert_true(same(X, X_again), "two calls with seed 1 give the same X", of="seed", hint="Draw X from a random generator with this seed.")
    assert_true(same(y, y_again), "two calls with seed 1 give the same y", of="seed", hint="Draw the noise, too, from a random generator with this seed.")
    X_other, y_other = synthetic_data(weights.clone(), 3.0, 0.25, 5, 2)
    assert_true(not same(X, X_other), "the seeds 1 and 2 give different X", of="seed", hint="Does the seed reach the random generator of X?")
    assert_true(not same(y - X @ column, y_other - X_other @ column), "the seeds 1 and 2 give different noise y - Xw - b", of="seed",
                hint="The noise must come from the seed, too.")
    check_seeds_apart([0, 1, 2, 5, 10, 12, 100, 102, 1000, 12345])
    check_seeds_again([2, 0, 100_000])
    check_twos(2, 1000)
    assert_close(global_numbers(11, weights.clone(), 3.0, 0.25, 5, 1), two_threes(11)[1],
                 "torch.rand(3) after torch.manual_seed(11), torch.rand(3) and a call", of="own random generator",
                 mistakes={BEGUN_AGAIN: two_threes(11)[0]},
                 hint="Draw from a torch.Generator of your own, and seed nothing else.")
    X_one, y_one = data_after(21, weights.clone(), 3.0, 0.25, 5, 1)
    X_two, y_two = data_after(22, weights.clone(), 3.0, 0.25, 5, 1)
    assert_true(same(X_one, X_two) and same(y_one, y_two), "seed=1 gives the same data after torch.manual_seed(21) and after "
                "torch.manual_seed(22)", of="own random generator", hint="Something is drawn from the global numbers.")
    assert_shape(weights_after(weights.clone(), 3.0, 0.25, 5, 1), (3,), "the shape of w after a call", of="arguments kept",
                 hint="A method whose name ends with _ changes the tensor itself.")
    assert_close(weights_after(weights.clone(), 3.0, 0.25, 5, 1), weights, "w after a call", of="arguments kept",
                 hint="`w *= ...`, `w /= ...` and `w[...] = ...` change the caller's tensor.")

visible()
### BEGIN HIDDEN TESTS
def hidden():
    for w, b, n, seed in ((torch.tensor([-4.0]), -1.0, 7, 8), (torch.tensor([0.3, 2.0, -1.0, 5.0]), 0.5, 1, 4)):
        X, y = synthetic_data(w.clone(), b, 0.0, n, seed)
        assert_shape(X, (n, len(w)), f"the shape of X, {n} examples of {len(w)} features", of="shape")
        assert_shape(y, (n, 1), f"the shape of y, {n} examples of {len(w)} features", of="shape")
        assert_equal([str(X.dtype), str(y.dtype)], ["torch.float32"] * 2, f"the dtypes for {len(w)} features", of="dtype")
        assert_close(y - X @ w[:, None] - b, torch.zeros(n, 1), f"y - Xw - b for noise=0, {len(w)} features, bias {b}", of="targets", atol=1e-4)
        assert_shape(weights_after(w.clone(), b, 1.0, n, seed), (len(w),), f"the shape of w after a call, {len(w)} features", of="arguments kept")
        assert_close(weights_after(w.clone(), b, 1.0, n, seed), w, f"w after a call, {len(w)} features", of="arguments kept")
    w = torch.tensor([2.0, 0.0])
    X, y = synthetic_data(w.clone(), -2.0, 3.0, 30_000, 5)
    error = y - X @ w[:, None] + 2.0
    check_features(X, "30,000 examples of 2 features")
    check_noise(error, X, w, 3.0, "30,000 examples of 2 features")
    check_each_noise(801, 9)
    check_seeds_apart([0, 1, 3, 4, 17, 20, 110, 256, 1003, 2007, 65539, 99999])
    check_seeds_again([7, 0, 65_536])
    check_twos(3, 900)
    (X5, y5), (X6, y6), (X_again, y_again) = (synthetic_data(w.clone(), 0.0, 1.0, 4, seed) for seed in (5, 6, 6))
    assert_true(same(X6, X_again) and same(y6, y_again), "two calls with seed 6 give the same data", of="seed")
    assert_true(not same(X5, X6) and not same(y5 - X5 @ w[:, None], y6 - X6 @ w[:, None]),
                "the seeds 5 and 6 give different features and different noise", of="seed")
    assert_close(global_numbers(3, w.clone(), 0.0, 1.0, 9, 3), two_threes(3)[1], "the global random numbers after a call", of="own random generator")
    assert_true(same(data_after(4, w.clone(), 0.0, 1.0, 9, 3)[1], data_after(5, w.clone(), 0.0, 1.0, 9, 3)[1]),
                "the data do not depend on the global random numbers", of="own random generator")

hidden()
### END HIDDEN TESTS

# %% [markdown] teaches="minibatch, epoch, iterable, iterator"
# ## One batch after another: iterators
#
# A learner does not look at all examples at once. It asks for a few, takes a step, and asks for the next few. These
# few are a **minibatch** (often just *batch*). When each example was handed out once, that was one **pass** through the
# data. The passes of a training are also called its **epochs**, and counted from 0: epoch 7 is the eighth pass.
#
# Why not one example at a time? Its gradient is a poor guess, and 32 examples in one matrix product take hardly longer
# than one. Why not all examples at once? With a million of them a step costs 31,250 times the arithmetic of a step with
# 32. Its direction is better, but not so much better that one step would do the work of 31,250.
#
# We want to write `for X_batch, y_batch in data:`. What must `data` be for that? A `for` loop does two things.
#
# - It calls `iter(data)` once. That gives an **iterator**, an object that remembers how far it has come.
# - It calls `next(iterator)` for each item, until that raises `StopIteration`.
#
# An object that `iter` accepts is **iterable**. Here is a loop done by hand:

# %%
letters = iter(["a", "b"])
print(next(letters), next(letters))
try:
    next(letters)
except StopIteration:
    print("StopIteration: the loop ends here")

# %% [markdown] teaches="generator function, yield, an iterator is used up"
# The simplest way to make an iterator of one's own is a **generator function**: a function with `yield` in place of
# `return`. To call it runs *nothing*; it only gives an iterator. Each `next` runs the function up to its next `yield`,
# hands out the value, and there the function stands still, with all its variables, until it is asked again.
#
# (The word has two meanings, and they have nothing to do with each other. A *random generator*, as `rng` above, draws
# random numbers. A *generator function* is one with `yield`; Python's messages call the iterator that it gives a
# `generator`. This page always says which one is meant.)

# %%
def countdown(start):
    print("  (begins)")
    for number in range(start, 0, -1):
        yield number
    print("  (ends)")

counting = countdown(2)
print("called, nothing printed yet")
print("first: ", next(counting))
print("the rest:", list(counting))
print("once more:", list(counting))

# %% [markdown]
# Two things to keep. The values come when they are asked for, so a generator function that hands out a million batches
# holds one of them in memory. And ⚠ the iterator that it gives is **used up** after one pass: the last line gives an
# empty list, without an error. A loop over three epochs would train for one.
#
# The mend is a class. `for` calls the method `__iter__` each time a loop begins, and if that method is itself a
# generator function, each loop gets an iterator of its own:

# %% teaches="class with __iter__ and __len__"
class Countdown:
    def __init__(self, start):
        self.start = start

    def __iter__(self):
        for number in range(self.start, 0, -1):
            yield number

    def __len__(self):              # what len(...) answers
        return self.start

three = Countdown(3)
print(len(three), list(three), list(three), [(a, b) for a in three for b in three][:4])

# %% [markdown]
# The last list comes from a loop within a loop over the same object. They do not disturb each other, since the place
# that a loop has reached is kept in *its* iterator, and not in `three`.

# %% [markdown] task="3.3.B" kind="code" minutes=4 difficulty=1 core=true needs="generator function, yield, minibatch"
# ### Where the batches begin and end
#
# Write the generator function `slices(n, batch_size)`. For `n` rows it yields the pairs `(start, stop)` such that
# `X[start:stop]` are the batches, in order. The last batch holds what is left, so it may be smaller. For `n = 0`
# there is no pair.
#
# **You are done when**
# - **pairs**: the pairs are right and in order;
# - **the end**: the last `stop` is `n`, never more, and no batch is empty;
# - **iterator**: the result is an iterator: `next(slices(7, 3))` works.

# %% exercise="3.3.B"
def slices(n, batch_size):
    """Yields (start, stop) of each batch of n rows, in order."""
    ### BEGIN SOLUTION
    for start in range(0, n, batch_size):
        yield start, min(start + batch_size, n)
    ### END SOLUTION

# %% [markdown] hints="3.3.B"
# 1. At which rows do the batches begin? `range(0, n, batch_size)` counts in steps.
# 2. `min(a, b)` is the smaller of two numbers. `yield a, b` hands out a pair.
# 3. Hours of a day in shifts of 10: `(0, 10), (10, 20), (20, 24)`.

# %% check="3.3.B" points=1
@probe
def listed(n, batch_size):
    made = slices(n, batch_size)
    return [item for item in made] if hasattr(made, "__iter__") else made

@probe
def can_next(n, batch_size):
    return int(hasattr(slices(n, batch_size), "__next__"))

def visible():
    assert_type(listed(6, 3), list, "what slices(6, 3) yields", of="pairs",
                hint="A function with `yield` gives an iterator, and needs no `return`.")
    assert_equal(listed(6, 2)[:3], [(0, 2), (2, 4), (4, 6)], "the first three pairs for 6 rows in batches of 2", of="pairs",
                 hint="The first batch begins at row 0 and stops before row 2: (0, 2). Each further one begins where the one "
                 "before stopped.",
                 mistakes={"Yield pairs, not the numbers of the rows.": [0, 2, 4],
                           "These are start and length; the second number is where the slice stops.": [(0, 2), (2, 2), (4, 2)],
                           "A slice stops before its second number, so that must be start + batch_size.": [(0, 1), (2, 3), (4, 5)],
                           "A slice stops before its second number: with a last stop of n - 1 the last row is missing.":
                           [(0, 2), (2, 4), (4, 5)],
                           "Rows are counted from 0.": [(1, 3), (3, 5), (5, 7)],
                           "Yield the two numbers, not the range between them.": [range(0, 2), range(2, 4), range(4, 6)],
                           "The last stop is n: a slice that stops at -1 leaves out the last row.": [(0, 2), (2, 4), (4, -1)],
                           "The last stop is n; None would do in a slice, but the number is asked.": [(0, 2), (2, 4), (4, None)],
                           "A pair has two numbers, start and stop; the size of the batch is not asked.": [(0, 2, 2), (2, 4, 2),
                                                                                                           (4, 6, 2)],
                           "start and stop are yielded together, as a pair.": [0, 2, 2],
                           "Yield the two numbers, not a slice made of them.": [slice(0, 2), slice(2, 4), slice(4, 6)],
                           "Yield one pair after the other, not a list of all of them.": [[(0, 2), (2, 4), (4, 6)]]})
    assert_true(not any(isinstance(number, float) for pair in listed(6, 2) for number in pair), "start and stop are whole numbers, not floats",
                of="pairs", hint="A slice takes whole numbers: `X[0.0:2.0]` is an error.")
    assert_equal(listed(6, 2), [(0, 2), (2, 4), (4, 6)], "all pairs for 6 rows in batches of 2", of="the end",
                 hint="The batch (4, 6) ends with the last row: nothing comes after it.",
                 mistakes={"The last batch is empty: row 6 is none.": [(0, 2), (2, 4), (4, 6), (6, 6)],
                           "The last batch lies behind the last row.": [(0, 2), (2, 4), (4, 6), (6, 8)]})
    assert_equal(listed(7, 3), [(0, 3), (3, 6), (6, 7)], "the pairs for 7 rows in batches of 3", of="the end",
                 hint="Two full batches, rows 0 ... 2 and 3 ... 5; then row 6 alone, from 6 to n = 7.",
                 mistakes={"The last stop lies behind the last row.": [(0, 3), (3, 6), (6, 9)],
                           "The last, smaller batch is missing.": [(0, 3), (3, 6)],
                           "The row that is left makes a batch of its own.": [(0, 3), (3, 7)],
                           "All batches but the last have batch_size rows: nothing is spread evenly.": [(0, 3), (3, 5), (5, 7)],
                           "The smaller batch is the last one, not the first.": [(0, 1), (1, 4), (4, 7)]})
    assert_equal(listed(2, 5), [(0, 2)], "the pairs for 2 rows in batches of 5", of="the end",
                 hint="Both rows in one batch, from 0 to n = 2.",
                 mistakes={"Fewer rows than batch_size are one smaller batch.": [], "The last stop lies behind the last row.": [(0, 5)]})
    assert_equal(listed(0, 3), [], "the pairs for no rows", of="the end", hint="There is no row, and so no pair.",
                 mistakes={"No rows are no batch, not an empty one.": [(0, 0)],
                           "The last stop is n, here 0: there is no batch at all.": [(0, 3)]})
    assert_equal(can_next(7, 3), 1, "whether next(slices(7, 3)) works (1 yes, 0 no)", of="iterator",
                 hint="The pairs are right, but they come as a whole: a list, say. With `yield` in place of a list and `return`, "
                 "the function gives an iterator.")

visible()
### BEGIN HIDDEN TESTS
def hidden():
    for n, size in ((12, 4), (5, 1)):
        wanted = [(i, min(i + size, n)) for i in range(0, n, size)]
        assert_equal(listed(n, size), wanted, f"the pairs for {n} rows in batches of {size}", of="pairs",
                     hint="For 6 rows in batches of 2 it is right: here the rule is the same, with other numbers.")
        assert_true(not any(isinstance(number, float) for pair in listed(n, size) for number in pair), f"no floats in the pairs for {n} rows", of="pairs")
    for n, size in ((10, 4), (3, 8), (9, 9), (1, 2)):
        wanted = [(i, min(i + size, n)) for i in range(0, n, size)]
        assert_equal(listed(n, size), wanted, f"the pairs for {n} rows in batches of {size}", of="the end",
                     hint="For 6, 7 and 2 rows, above, it is right: here the rule is the same, with other numbers.")
    assert_equal(can_next(4, 2), 1, "whether next(slices(4, 2)) works (1 yes, 0 no)", of="iterator")

hidden()
### END HIDDEN TESTS

# %% [markdown] teaches="shuffling, permutation, one order for features and targets"
# ## Shuffling
#
# Files are seldom in random order. They are sorted by date, by place, by class. Then the first batches hold one kind
# of example and the last ones another, and a learner that ends its pass with the last kind has half forgotten the
# first. Section 3.4 measures the harm.
#
# The mend is to draw a new order before each pass. `torch.randperm(n)` is a random **permutation**: each of the
# numbers 0 ... n-1 once. Index *both* tensors with the same numbers, and rows of `X` and `y` stay together.

# %%
def minibatches(X, y, batch_size, rng=None):
    order = torch.randperm(len(X), generator=rng)   # without a random generator: from torch's global numbers
    for rows in order.split(batch_size):            # pieces of batch_size numbers; the last may be shorter
        yield X[rows], y[rows]

by_target = targets.flatten().argsort()                # a file that somebody has sorted by the target
X_file, y_file = features[by_target], targets[by_target]

in_order = [y_batch.mean().item() for y_batch in y_file.split(50)]
shuffled = [y_batch.mean().item() for _, y_batch in minibatches(X_file, y_file, 50, torch.Generator().manual_seed(1))]
print(f"mean target of the first and the last batch, in file order: {in_order[0]:.2f} and {in_order[-1]:.2f}")
print(f"shuffled: between {min(shuffled):.2f} and {max(shuffled):.2f}; all examples: {targets.mean():.2f}")

# %% tags=["demo"]
figure, axis = plt.subplots(figsize=(6.2, 2.8), layout="constrained")
axis.plot(in_order, "o-", color="tab:red", label="file order\n(sorted by target)")
axis.plot(shuffled, "s-", color="tab:blue", label="shuffled")
axis.axhline(targets.mean(), color="black", linewidth=0.8, label="mean of all\nexamples")
axis.set(xlabel="number of the batch", ylabel="mean target in the batch", xticks=range(0, 20, 4))
figure.legend(loc="outside right center")
plt.show()

# %% [markdown]
# Each point is the mean target of one batch of 50. In file order the batches are a wrong picture of the data, the first
# and the last one most of all; those in the middle have the right mean, but none of the small and none of the large
# targets. After shuffling each batch is a small fair sample.
#
# ⚠ Two permutations, one for `X` and one for `y`, look just as random, and destroy the data: each row of features then
# stands beside another row's target. Least squares finds next to nothing in them:

# %%
torn = targets[torch.randperm(len(targets), generator=rng)]
print("weights from rows that belong together:", [round(v, 2) for v in solution[:2].tolist()])
print("weights from torn pairs:               ",
      [round(v, 2) for v in torch.linalg.lstsq(columns, torn).solution.flatten()[:2].tolist()])

# %% [markdown] teaches="data module"
# ## The data module, by hand
#
# Section 3.2 put all that concerns data into one class, a `DataModule`. Let us build one for our data. First the
# examples themselves; the first `num_train` rows are for training, the others for validation. `save_hyperparameters`
# (section 3.2) keeps the arguments as `self.noise`, `self.batch_size` and so on.

# %%
class SyntheticData(d2l.DataModule):
    def __init__(self, w, b, noise=0.01, num_train=1000, num_val=1000, batch_size=32):
        super().__init__()
        self.save_hyperparameters()
        rows = num_train + num_val
        self.X = torch.randn(rows, len(w))
        self.y = self.X @ w.reshape(-1, 1) + b + noise * torch.randn(rows, 1)

torch.manual_seed(0)                                # this class draws from torch's global random numbers
data = SyntheticData(true_w, true_b, num_train=100, num_val=40)
print("X", tuple(data.X.shape), " y", tuple(data.y.shape))

# %% [markdown] teaches="loader of a data module"
# Then the method that a trainer asks for batches, `get_dataloader(train)`: shuffled training examples for `train=True`,
# the validation examples for `train=False`. Validation needs no random order, and one that stays the same makes results
# easier to compare. `@d2l.add_to_class(SyntheticData)` makes the function below a method of the class (section 3.2),
# and `data`, which is already there, has it from now on. `train_dataloader()` of the base class calls
# `get_dataloader(True)`, and `val_dataloader()` calls `get_dataloader(False)`.

# %%
@d2l.add_to_class(SyntheticData)
def get_dataloader(self, train):
    rows = slice(0, self.num_train) if train else slice(self.num_train, None)
    X, y = self.X[rows], self.y[rows]
    if train:
        return minibatches(X, y, self.batch_size)
    return zip(X.split(self.batch_size), y.split(self.batch_size))     # zip pairs the pieces: (X, y), (X, y), ...

print("training batches:  ", [len(y_batch) for _, y_batch in data.train_dataloader()])
print("validation batches:", [len(y_batch) for _, y_batch in data.val_dataloader()])
try:
    len(data.train_dataloader())
except TypeError as error:
    print("TypeError:", error)

# %% [markdown] teaches="dataset, data loader, next(iter(loader)), drop_last"
# The batches are right. But this loader is an iterator: it is used up after one pass, and it has no length, so a trainer
# cannot say how many steps an epoch has. A class with `__iter__` and `__len__` mends both. You will write it in 3.3.1b.
#
# ### torch's DataLoader
#
# torch has such a class ready. A **dataset** is any object with a length that can be indexed; `TensorDataset` makes
# one of tensors. A `DataLoader` cuts it into batches. It is iterable, as our `Countdown` is: each `for` starts a new
# pass, and with `shuffle=True` each pass has an order of its own. `len(loader)` is the number of batches. With
# `drop_last=True` it leaves out a last batch that is not full.

# %%
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(features, targets), batch_size=32, shuffle=True, generator=torch.Generator().manual_seed(0))
X_batch, y_batch = next(iter(loader))               # the first batch of a new pass
print("batches:", len(loader), "  the first:", tuple(X_batch.shape), tuple(y_batch.shape))
print("sizes:", [len(y_batch) for _, y_batch in loader][-3:], "at the end, since 1000 = 31 · 32 + 8")
print("with drop_last=True:", len(DataLoader(TensorDataset(features, targets), batch_size=32, drop_last=True)), "batches")

# %% [markdown] teaches="get_tensorloader"
# Every data module whose examples are tensors needs the same lines around a `DataLoader`. So they stand in the base class
# as a method, `get_tensorloader(tensors, train, indices)`: a loader for the rows `indices` of the `tensors`, in batches
# of `self.batch_size`, shuffled if `train` is true. With it the method shrinks to two lines. Added to the class, it
# takes the place of the one above:

# %%
@d2l.add_to_class(SyntheticData)
def get_dataloader(self, train):
    rows = slice(0, self.num_train) if train else slice(self.num_train, None)
    return self.get_tensorloader((self.X, self.y), train, rows)

for epoch in range(2):
    print("training batches:  ", [len(y_batch) for _, y_batch in data.train_dataloader()])
print("validation batches:", [len(y_batch) for _, y_batch in data.val_dataloader()], "  lengths:",
      len(data.train_dataloader()), "and", len(data.val_dataloader()))

# %% [markdown]
# This class is in the library as `d2l.SyntheticRegressionData`; sections 3.4 and 3.5 train on it.
#
# ### Which loader is fast?
#
# Three loaders now do the same work: our generator function, torch's `DataLoader` as it stands above, and the one of
# `get_tensorloader`. Let each of them make a pass over 20,000 examples in batches of 32.

# %% tags=["demo"] teaches="cost of one example at a time"
import time

big = SyntheticData(true_w, true_b, num_train=20_000, num_val=0)
loaders = {"by hand": lambda: minibatches(big.X, big.y, 32),
           "DataLoader(TensorDataset(...))": lambda: DataLoader(TensorDataset(big.X, big.y), 32, shuffle=True),
           "get_tensorloader": lambda: big.get_tensorloader((big.X, big.y), True)}
seconds = {}
for name, make in loaders.items():
    runs = []
    for repeat in range(3):
        start = time.perf_counter()                 # a clock, in seconds
        for X_batch, y_batch in make():
            pass
        runs.append(time.perf_counter() - start)
    seconds[name] = min(runs)
    print(f"{name:30} {1000 * seconds[name]:6.1f} ms, {seconds[name] / seconds['by hand']:4.1f} times the time by hand")

# %% [markdown]
# The times are those of your machine, but the plain `DataLoader` should be the slowest by far. It asks the dataset for
# 32 *single* examples and stacks them again. Ours indexes the tensor once for the whole batch, and the loader of
# `get_tensorloader` is a `DataLoader` that was told to do the same. The slow way is the general one: for examples that
# are files on a disk there is no such index, and `DataLoader` can have several processes fetch them at the same time.

# %% [markdown] task="3.3.1a" kind="code" minutes=4 difficulty=1 core=true needs="minibatch, drop_last"
# ### How large each batch is
#
# Where `batch_size` does not divide the number of examples, something is left over. A loader can *keep* the last,
# smaller batch or *drop* it.
#
# Write `batch_sizes(n, batch_size, drop_last)`: the list of the sizes of all batches of one pass over `n` examples, in
# order.
#
# **You are done when**
# - **kept**: with `drop_last=False` the last batch holds what is left;
# - **dropped**: with `drop_last=True` only full batches remain;
# - **exact**: where the numbers fit, both give full batches, and none of size 0;
# - **few examples**: with fewer examples than `batch_size` it is one small batch, or none where it is dropped; `n` may
#   be 0.

# %% exercise="3.3.1a"
def batch_sizes(n, batch_size, drop_last):
    """The sizes of the batches of one pass over n examples: a list."""
    ### BEGIN SOLUTION
    full, rest = divmod(n, batch_size)
    return [batch_size] * full + ([rest] if rest and not drop_last else [])
    ### END SOLUTION

# %% [markdown] hints="3.3.1a"
# 1. How many full batches are there, and how many examples are left?
# 2. `n // k` is the whole part of a division and `n % k` the rest; a list can be repeated, `[5] * 3`.
# 3. 17 eggs in boxes of 6: `17 // 6` is 2 full boxes, and `17 % 6` is 5.

# %% check="3.3.1a" points=1
def visible():
    assert_type(batch_sizes(10, 4, False), (list, tuple), "what batch_sizes returns", of="kept",
                hint="A list is asked, with the size of each batch.", mistakes={"This is a number: the size of each batch is asked, in a list.": int})
    assert_equal(batch_sizes(10, 4, False), [4, 4, 2], "10 examples in batches of 4, kept", of="kept",
                 hint="10 = 2 · 4 + 2: two full batches, then the 2 that are left.",
                 mistakes={"The last batch has only what is left.": [4, 4, 4], "drop_last=False: the last batch is to be kept.": [4, 4],
                           "Only the last batch is smaller: nothing is spread evenly.": [4, 3, 3],
                           "The smaller batch is the last one, not the first.": [2, 4, 4],
                           "One size for each batch is asked, not the number of full ones and the rest.": [2, 2],
                           "What is left makes a batch of its own.": [4, 6],
                           "These are the rows at which the batches begin; their sizes are asked.": [0, 4, 8]})
    assert_equal(batch_sizes(9, 4, False), [4, 4, 1], "9 examples in batches of 4, kept", of="kept",
                 hint="9 = 2 · 4 + 1: two full batches, then the one example that is left.",
                 mistakes={"A single example that is left makes a batch, too.": [4, 4],
                           "The last batch holds what is left, n % batch_size, and not what it lacks to be full.": [4, 4, 3]})
    assert_equal(batch_sizes(10, 4, True), [4, 4], "10 examples in batches of 4, dropped", of="dropped",
                 hint="10 = 2 · 4 + 2: the two full batches stay, and the 2 examples that are left are dropped.",
                 mistakes={"drop_last=True drops the smaller batch.": [4, 4, 2], "One full batch too few.": [4],
                           "The smaller batch is dropped, not filled up.": [4, 4, 4]})
    assert_equal(batch_sizes(8, 4, False), [4, 4], "8 examples in batches of 4, kept", of="exact",
                 hint="8 = 2 · 4: two full batches, and nothing is left.",
                 mistakes={"There is no batch of size 0.": [4, 4, 0], "The second batch is full, and stays.": [4],
                           "There is one batch too many.": [4, 4, 4],
                           "Where nothing is left, n % batch_size is 0: then the last batch is a full one.": [4, 0]})
    assert_equal(batch_sizes(8, 4, True), [4, 4], "8 examples in batches of 4, dropped", of="exact",
                 hint="8 = 2 · 4: both batches are full, and a full one is not dropped.",
                 mistakes={"A full last batch is not dropped.": [4], "There is no batch of size 0.": [4, 4, 0]})
    assert_equal([batch_sizes(3, 4, False), batch_sizes(3, 4, True)], [[3], []], "3 examples in batches of 4, kept and dropped",
                 of="few examples", hint="All 3 stand in one batch that is not full: kept, that is [3]; dropped, nothing is "
                 "left.", mistakes={"A batch holds no more than what is left, here 3.": [[4], []],
                                              "The only batch is not full: with drop_last=True it is dropped.": [[3], [3]],
                                              "The only batch is the last one: with drop_last=False it is kept.": [[], []]})
    assert_equal([batch_sizes(0, 4, False), batch_sizes(0, 4, True)], [[], []], "no examples, kept and dropped",
                 of="few examples", hint="Without examples there is no batch, kept or dropped.",
                 mistakes={"No examples make no batch, not one of size 0.": [[0], []]})

visible()
### BEGIN HIDDEN TESTS
def hidden():
    for n, size in ((1000, 32), (7, 2), (31, 30)):
        sizes = [len(rows) for rows in torch.arange(n).split(size)]
        hint = "For 10 examples in batches of 4 it is right: here n and batch_size are others, and the sizes follow them."
        assert_equal(batch_sizes(n, size, False), sizes, f"{n} examples in batches of {size}, kept", of="kept", hint=hint)
        assert_equal(batch_sizes(n, size, True), sizes[:-1], f"{n} examples in batches of {size}, dropped", of="dropped",
                     hint=hint)
    for n, size in ((12, 3), (5, 5), (4, 1)):
        for drop in (False, True):
            assert_equal(batch_sizes(n, size, drop), [size] * (n // size), f"{n} examples in batches of {size}, drop_last={drop}",
                         of="exact")
    assert_equal([batch_sizes(5, 9, False), batch_sizes(5, 9, True)], [[5], []], "5 examples in batches of 9", of="few examples")

hidden()
### END HIDDEN TESTS

# %% [markdown] task="3.3.1b" kind="code" minutes=15 difficulty=3 core=true needs="class with __iter__ and __len__, permutation, one order for features and targets, drop_last, an iterator is used up"
# ### A loader of your own
#
# Write the class `BatchLoader(X, y, batch_size, shuffle=False, drop_last=False)`. A loop over an instance gives the
# batches of one pass as pairs `(X_batch, y_batch)`. `X` and `y` are tensors of the same length, with any further axes.
#
# **You are done when**
# - **sizes**: all batches have `batch_size` rows but the last, which holds what is left;
# - **drop_last**: with `drop_last=True` a last batch that is not full is left out, and only then;
# - **order**: without shuffling the rows come in the order of `X`;
# - **shuffle**: with `shuffle=True` all examples are put in random order, as by `torch.randperm`: every row can come to every place.
#   Each pass draws an order of its own, also one that begins while another is under way. Each example comes once in a pass; with
#   `drop_last=True` those are left out that happen to stand at the end, so other ones in each pass;
# - **pairs**: the rows of `X` and `y` stay together, and keep their shape and dtype;
# - **length**: `len(loader)` is the number of batches of a pass;
# - **passes**: one can loop over a loader again and again, and two loops at the same time do not disturb each other,
#   shuffled or not;
# - **data kept**: `X` and `y` are as they were;
# - **your own**: torch's `DataLoader` is not used.

# %% exercise="3.3.1b"
class BatchLoader:
    """Batches (X_batch, y_batch) of one pass over the rows of X and y, anew for each loop."""

    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        ### BEGIN SOLUTION
        self.X, self.y, self.batch_size = X, y, batch_size
        self.shuffle, self.drop_last = shuffle, drop_last

    def __len__(self):
        full, rest = divmod(len(self.X), self.batch_size)
        return full + (1 if rest and not self.drop_last else 0)

    def __iter__(self):
        order = torch.randperm(len(self.X)) if self.shuffle else torch.arange(len(self.X))
        for k in range(len(self)):
            rows = order[k * self.batch_size:(k + 1) * self.batch_size]
            yield self.X[rows], self.y[rows]
        ### END SOLUTION

# %% [markdown] hints="3.3.1b"
# 1. Which two methods, beside `__init__`, does the class `Countdown` above have?
# 2. `torch.arange(n)` is the order of the file, `torch.randperm(n)` a random one. Where must the second be drawn so
#    that each loop has its own?
# 3. A class whose loops give a list's neighbours: `def __iter__(self): ...` with
#    `for i in range(len(self.items) - 1): yield self.items[i], self.items[i + 1]` as its body.

# %% check="3.3.1b" points=3
@probe
def what_works(X, y, *options):
    loader = BatchLoader(X, y, *options)
    found = []
    for name, use in (("a for loop", iter), ("len", len)):
        try:
            use(loader)
            found.append(name)
        except TypeError:
            pass
    return found

@probe
def one_pass(X, y, *options):
    return [tuple(batch) for batch in BatchLoader(X, y, *options)]

@probe
def batch_count(X, y, *options):
    return len(BatchLoader(X, y, *options))

@probe
def several_passes(count, X, y, *options):
    loader = BatchLoader(X, y, *options)
    return [[tuple(batch) for batch in loader] for _ in range(count)]

@probe
def orders_of(count, X, y, *options):
    """A row for each pass: the targets in the order in which they are handed out."""
    loader = BatchLoader(X, y, *options)
    return torch.stack([torch.cat([y_batch for X_batch, y_batch in loader]).flatten() for _ in range(count)])

@probe
def two_at_once(X, y, *options):
    loader = BatchLoader(X, y, *options)
    one, other = iter(loader), iter(loader)
    found = [], []
    for _ in range(len(y)):
        for place, loop in zip(found, (one, other)):
            batch = next(loop, None)
            if batch is not None:
                place.append(tuple(batch))
    return list(found)

@probe
def data_after(X, y, *options):
    loader = BatchLoader(X, y, *options)
    for _ in range(2):
        for batch in loader:
            pass
    return [X, y]

@probe
def loops_of_torch(X, y, *options):
    """How many loops over a DataLoader of torch began during one over a BatchLoader."""
    from torch.utils.data import DataLoader
    kept, count = DataLoader.__iter__, [0]

    def counted(loader):
        count[0] += 1
        return kept(loader)

    DataLoader.__iter__ = counted
    try:
        for batch in BatchLoader(X, y, *options):
            pass
    finally:
        DataLoader.__iter__ = kept
    return count[0]

def sizes_of(batches):
    return [len(y) for X, y in batches]

def targets_of(batches):
    return torch.cat([y for X, y in batches]).flatten().tolist()

def neighbours(order):
    return {frozenset(pair) for pair in zip(order, order[1:])}

def check_left_out(X, y, size, kind):
    """y holds the numbers of the rows, and `size` does not divide how many they are."""
    n, rest = len(y), len(y) % size
    last = {tuple(sorted(targets_of(batches[-1:]))) for batches in several_passes(8, X, y, size, True)}
    assert_true(len(last) > 1, f"the last batches of eight shuffled passes do not all hold the same {rest} examples, {kind}", of="shuffle",
                hint="All examples are to be mixed, those of the last, smaller batch, too.")
    seen = [set(targets_of(batches)) for batches in several_passes(8, X, y, size, True, True)]
    missing = {tuple(row for row in range(n) if row not in rows) for rows in seen}
    assert_true(len(missing) > 1, f"eight shuffled passes with drop_last=True do not all leave out the same {rest} examples, {kind}", of="shuffle",
                hint=("Yours leave out the last rows of the file, each time: these are cut off before the rows are mixed. "
                      if missing == {tuple(range(n - rest, n))} else "") +
                "Put all examples in random order first; then cut batches.")

def check_random(X, y, size, kind):
    """Over 200 passes: each row comes at each place, and each batch is a fair sample."""
    n, count = len(y), 200
    orders, places = orders_of(count, X, y, size, True).double(), torch.arange(n)
    middle, spread = (n - 1) / 2, ((n * n - 1) / 12) ** 0.5              # mean and standard deviation of the numbers of the rows
    means = orders.mean(dim=0)
    worst = (means - middle).abs().argmax().item()
    hint = "Every row must be able to come to every place, as easily as any other, as with torch.randperm."
    of_batches = orders[:, :n - n % size].reshape(count, -1, size).mean(dim=2)            # a row for each pass
    batches, parts = of_batches.std(dim=0).mean().item(), of_batches.mean(dim=0).std().item()
    fair = spread * ((n - size) / (n - 1) / size) ** 0.5
    assert_true(0.8 * fair < batches < 1.25 * fair, f"over 200 shuffled passes the means of a batch have a standard deviation near {fair:.1f} "
                f"(yours: {batches:.1f}), {kind}", of="shuffle",
                hint=("Rows that are near in the file keep together in a batch, more than by chance. " if batches > fair else
                      "In all passes the rows of a batch come from much the same part of the file. " if parts > 0.3 * fair else
                      "The batches are more alike than by chance: each has its share of every part of the file. ") + hint)
    assert_true(abs(means[worst].item() - middle) < 6 * spread / count ** 0.5, f"over 200 shuffled passes the mean number of the row at place {worst} is "
                f"near {middle:g} (yours: {means[worst]:.1f}), {kind}", of="shuffle",
                hint=f"Rows from the {'front' if means[worst] < middle else 'end'} of the file come there more often than others. "
                + hint)
    trend = ((orders - middle) * (places - middle)).mean().item() / spread**2
    assert_true(abs(trend) < 6 / (n * count) ** 0.5, f"over 200 shuffled passes place and number of the row have a correlation near 0 "
                f"(yours: {trend:.2f}), {kind}", of="shuffle",
                hint=("Rows stay near the places that they have in the file. " if trend > 0 else
                      "The front of the file comes late, more often than early. ") + hint)
    stay = int((orders == places).sum())
    assert_true(100 < stay < 320, f"over {count} shuffled passes about {count} rows come at their own place, one in a pass (yours: {stay}), {kind}", of="shuffle",
                hint="Any row may stand at any place, its own too: draw each place from all rows that are left, the one that stands there among them."
                if stay <= 100 else "Rows stay where they are: each place is to be drawn from all rows.")

def check_shuffle(X, y, size, kind):
    """y holds the numbers of the rows; at least 50 of them."""
    n, passes = len(y), several_passes(6, X, y, size, True)
    another = targets_of(one_pass(X, y, size, True))                        # of a second loader
    for k, batches in enumerate(passes):
        assert_equal(sorted(targets_of(batches)), list(range(n)), f"the targets of shuffled pass {k} (the first is 0), sorted, {kind}", of="shuffle",
                     hint="Each example comes once in a pass: no row is drawn twice, and none is left out.")
    orders = [targets_of(batches) for batches in passes]
    in_row = [order for order in orders if all((b - a) % n == 1 for a, b in zip(order, order[1:]))]
    assert_true(not in_row, f"with shuffle=True the order is not that of the file, {kind}", of="shuffle",
                hint="The rows come in order: shuffle=True has no effect." if all(order[0] == 0 for order in orders) else
                "The rows follow each other as in the file; only the row with which a pass begins is another one. Mix all of "
                "them."
                if len(in_row) == 6 else f"Of six passes {len(in_row)} come in the order of the file: every pass is to be mixed.")
    one, other = next(((j, k) for k in range(6) for j in range(k) if orders[j] == orders[k]), ("any two", "of them"))
    hint = (f"Other passes differ. But a random order of {n} rows, drawn anew for each pass, hardly comes twice."
            if any(order != orders[0] for order in orders) else
            "A second loader has this order, too: it is drawn from a seed that is set again, or it is no random one."
            if another == orders[0] else
            "A second loader has another order. The order is drawn once for all passes over a loader: draw it where a loop "
            "begins.")
    assert_true(one == "any two", f"shuffled passes {one} and {other} over a loader have different orders (the first is 0), {kind}", of="shuffle",
                hint=hint)
    spread = max(y.max().item() - y.min().item() for X, y in passes[0])
    held = [[sorted(targets_of([batch])) for batch in batches] for batches in passes]
    assert_true(spread > size + 2, f"a shuffled batch of {size} holds examples from further apart than {size + 2} rows, {kind}",
                of="shuffle",
                hint=("Each batch holds the same rows in every pass: the rows are mixed within a batch only. "
                      if all(rows == held[0] for rows in held) else
                      "Each pass has the same batches in another order: the batches are shuffled, not the examples, and "
                      "neighbours stay together. " if all(sorted(rows) == sorted(held[0]) for rows in held) else
                      "The rows of a batch stand close together in the file. ") +
                "Before batches are cut, all examples are to be mixed.")
    leaps = min(([(b - a) % n for a, b in zip(order, order[1:])] for order in orders), key=lambda leaps: len(set(leaps)))
    jumps, most = len(set(leaps)), max(leaps, key=leaps.count)
    assert_true(jumps > n / 3, f"the jumps from each row to the next take many different values, {kind} (yours {jumps}, a random order "
                f"about {round(0.63 * n)})", of="shuffle",
                hint=f"{leaps.count(most)} of {n - 1} times the row that follows stands " + {
                    1: "next in the file, as in a rotated order or in blocks that stay as they are.",
                    n - 1: "just before it in the file, as in an order that is turned round."}.get(
                        most, f"{most} rows further on (from the front again where the file ends).") +
                " A random order hardly repeats a jump.")
    common = max(len(neighbours(one) & neighbours(other)) for k, one in enumerate(orders) for other in orders[:k])
    assert_true(common < n / 3, f"two shuffled passes have few neighbours in common, {kind} (yours up to {common}, random orders about 2)",
                of="shuffle", hint="Each pass draws an order of its own, of all rows; to shift or turn round the one before is not enough.")
    steps = [[[b[a.index(row)] for row in range(n)], [a.index(row) for row in b]] for a, b in zip(orders, orders[1:])]
    assert_true(steps[0][0] != steps[1][0] and steps[0][1] != steps[1][1], f"shuffled pass 2 does not rearrange pass 1 as pass 1 did pass 0 (the first is 0), {kind}",
                of="shuffle", hint="Each pass draws an order of its own; the same rearrangement once more is none.")
    check_random(X, y, size, kind)
    one, other = (targets_of(batches) for batches in two_at_once(X, y, size, True))
    assert_true(one != other, f"two shuffled loops over one loader, taken in turns, have different orders, {kind}", of="shuffle",
                hint="The order is to be drawn when a loop begins, not at the end of the one before.")

def visible():
    ids = torch.arange(10)
    table = torch.stack([ids * 1.5, -ids * 1.0], dim=1)
    assert_equal(what_works(table, ids, 4)[:1], ["a for loop"], "what works with BatchLoader(X, y, 4)", of="sizes",
                 hint="A loop cannot begin: it needs the method `__iter__`, and from it an iterator, as a method with `yield` "
                 "gives one.")
    assert_equal(what_works(table, ids, 4), ["a for loop", "len"], "what works with BatchLoader(X, y, 4)", of="length",
                 hint="`len(loader)` raises an error: it needs the method `__len__`, and takes nothing but a whole number from "
                 "it.")
    batches = one_pass(table, ids, 4)
    assert_equal(sorted({len(batch) for batch in batches}), [2], "how many tensors each batch holds", of="sizes",
                 mistakes={"A batch is a pair (X_batch, y_batch), not a single tensor.": [2, 4]})
    assert_equal(sizes_of(batches), [4, 4, 2], "the batch sizes for 10 examples in batches of 4", of="sizes",
                 hint="10 = 2 · 4 + 2: two full batches, then the 2 that are left.",
                 mistakes={"Without drop_last the last, smaller batch is kept.": [4, 4],
                           "The last batch holds only what is left.": [4, 4, 4],
                           "These are single rows: a batch holds batch_size of them.": [1] * 10,
                           "All batches but the last have batch_size rows: nothing is spread evenly.": [4, 3, 3],
                           "The smaller batch is the last one, not the first.": [2, 4, 4],
                           "What is left makes a batch of its own.": [4, 6],
                           "All rows stand in one batch: it is to hold batch_size of them.": [10]})
    assert_equal([sizes_of(one_pass(table, ids, size, False, True)) for size in (4, 5, 6, 12)], [[4, 4], [5, 5], [6], []],
                 "the batch sizes with drop_last=True, 10 examples in batches of 4, of 5, of 6 and of 12", of="drop_last",
                 hint="10 = 2 · 4 + 2 = 2 · 5 = 1 · 6 + 4 = 0 · 12 + 10: the full batches stay, and a rest is dropped.",
                 mistakes={"A full last batch is not dropped.": [[4, 4], [5], [6], []], "A last batch that is not full is to be dropped.":
                           [[4, 4, 2], [5, 5], [6, 4], [10]],
                           "Where nothing is left over, nothing is dropped: `t[:-0]` is empty.": [[4, 4], [], [6], []]})
    for name, t, given in (("X", batches[0][0], table), ("y", batches[0][1], ids)):
        assert_type(t, torch.Tensor, f"{name} of the first batch", of="pairs",
                    hint="X and y are tensors, and so are their batches: index them with a tensor or a list of row numbers.")
        assert_shape(t, (4, *given.shape[1:]), f"the shape of {name} of the first batch, 4 rows of a tensor of shape "
                     f"{tuple(given.shape)}", of="pairs",
                     hint="A batch holds whole rows: only the first axis gets shorter, the others stay.")
        assert_dtype(t, given.dtype, f"the dtype of {name} of the first batch", of="pairs",
                     hint=f"It is to be that of {name}, as indexing leaves it.")
    X_last, y_last = one_pass(table[:9], ids[:9], 4)[-1]
    hint = "One row is still a row of a matrix: `squeeze` takes away every axis of length 1."
    assert_shape(X_last, (1, 2), "the shape of X of the last batch of 9 examples in batches of 4, a single row", of="pairs",
                 hint=hint)
    assert_shape(y_last, (1,), "the shape of y of the last batch of 9 examples in batches of 4, a single number", of="pairs",
                 hint=hint)
    assert_equal([str(t.dtype) for t in one_pass(table.double(), ids.int(), 4)[0]], ["torch.float64", "torch.int32"],
                 "the dtypes of a batch, X float64 and y int32", of="pairs",
                 hint="A batch is to have the dtypes of X and y, whatever these are: index "
                 "the tensors themselves. A tensor made of a list of numbers gets a dtype of its own.")
    assert_equal(targets_of(batches), list(range(10)), "the targets 0 ... 9 without shuffling", of="order",
                 hint=lambda: "With shuffle=False, which is the default, row 0 comes first and row 9 last."
                 if sorted(targets_of(batches)) == list(range(10)) else
                 "These are not the ten targets, each once: every batch begins where the one before ended.")
    assert_equal(targets_of(one_pass(table, 7 * ids % 10, 4)), [0, 7, 4, 1, 8, 5, 2, 9, 6, 3], "the targets 0, 7, 4, 1, 8, 5, 2, 9, 6, 3 without shuffling",
                 of="order", hint="The order of X is that of its rows: nothing is sorted.")
    for shuffle in (False, True):
        X_rows, y_rows = (torch.cat(parts) for parts in zip(*one_pass(table, ids, 4, shuffle)))
        assert_close(X_rows, table[y_rows], f"the features beside their targets, shuffle={shuffle}", of="pairs",
                     hint="X and y are put in two different orders: draw one, and index both with it." if shuffle
                     and sorted(X_rows.tolist()) == sorted(table.tolist()) else
                     "Index X and y with the same row numbers.")
    X_after, y_after = data_after(table.clone(), ids.clone(), 4, True)
    assert_true(torch.equal(X_after, table) and torch.equal(y_after, ids), "X and y after two shuffled passes are as before", of="data kept",
                hint="Index with the order; do not write into X or y.")
    check_shuffle(torch.arange(60.), torch.arange(60), 10, "60 examples in batches of 10")
    check_left_out(table, ids, 4, "10 examples in batches of 4")
    assert_type(batch_count(table, ids, 4), int, "len of a loader of 10 examples in batches of 4", of="length")
    assert_equal([batch_count(table, ids, *o) for o in ((4,), (4, False, True), (5,), (5, False, True))], [3, 2, 2, 2],
                 "len for 10 examples: batches of 4 kept, of 4 dropped, of 5 kept, of 5 dropped", of="length",
                 hint="It is to be the number of batches that a loop hands out: 4, 4 and 2 rows kept; 4 and 4 dropped; 5 and 5 "
                 "in both cases.",
                 mistakes={"Where the numbers fit there is no further batch.": [3, 2, 3, 2],
                           "With drop_last=True a last batch that is not full is not handed out, so it does not count.":
                           [3, 3, 2, 2],
                           "Without drop_last the last, smaller batch is handed out, so it counts.": [2, 2, 2, 2],
                           "The length of a loader is the number of its batches, not of its examples.": [10, 10, 10, 10],
                           "The length is asked before any loop: it is worked out from n and batch_size, and nothing is counted "
                           "on the way.":
                           [0, 0, 0, 0],
                           "This is the number of the examples that are handed out; the batches are asked.": [10, 8, 10, 10]})
    assert_equal([len(batches) for batches in several_passes(3, table, ids, 4)], [3, 3, 3],
                 "the number of batches in three loops over the same loader", of="passes",
                 hint="Each loop is to begin anew, at the first row, and go to the end.",
                 mistakes={"The loader is used up after one pass.": [3, 0, 0]})
    assert_equal([targets_of(batches) for batches in two_at_once(table, ids, 4)], [list(range(10))] * 2,
                 "the targets of two loops over one loader, taken in turns", of="passes",
                 hint="The place that a loop has reached belongs to the loop, not to the loader.")
    assert_equal([sorted(targets_of(batches)) for batches in two_at_once(table, ids, 4, True)], [list(range(10))] * 2,
                 "the targets, sorted, of two shuffled loops over one loader, taken in turns", of="passes",
                 hint="The order of a loop belongs to the loop, not to the loader. What `__iter__` changes in `self`, be it an order or X "
                      "and y in a new order, changes for a loop under way, too: keep it in a local variable.")
    assert_equal(loops_of_torch(table, ids, 4, True), 0, "how many loops over torch's DataLoader a pass begins", of="your own",
                 hint="Cut the batches yourself, out of an order of the row numbers.")

visible()
### BEGIN HIDDEN TESTS
def hidden():
    many = torch.randn(31, 2, 3, generator=torch.Generator().manual_seed(331))
    names = torch.arange(31)[:, None]
    for size, sizes in ((7, [7, 7, 7, 7, 3]), (31, [31]), (40, [31]), (1, [1] * 31)):
        assert_equal(sizes_of(one_pass(many, names, size)), sizes, f"31 examples in batches of {size}", of="sizes")
        full = [k for k in sizes if k == size]
        assert_equal(sizes_of(one_pass(many, names, size, True, True)), full, f"31 examples in batches of {size}, dropped", of="drop_last")
        assert_equal([batch_count(many, names, size), batch_count(many, names, size, True, True)], [len(sizes), len(full)],
                     f"len for 31 examples in batches of {size}, kept and dropped", of="length")
    for shuffle in (False, True):
        X_rows, y_rows = (torch.cat(parts) for parts in zip(*one_pass(many, names, 8, shuffle)))
        assert_close(X_rows, many[y_rows.flatten()], f"rows of X and y with two further axes, shuffle={shuffle}", of="pairs")
    assert_close(torch.cat([X for X, y in one_pass(many, names, 8)]), many, "31 examples with two further axes, not shuffled", of="order")
    assert_equal(targets_of(one_pass(many, 12 * names % 31, 8)), [12 * k % 31 for k in range(31)], "31 targets that are not sorted, not shuffled", of="order")
    X_batch, y_batch = one_pass(many.double(), names.int(), 8, True)[0]
    assert_equal([tuple(X_batch.shape), tuple(y_batch.shape)], [(8, 2, 3), (8, 1)], "the shapes of a batch of 8 with further axes", of="pairs")
    assert_equal([str(X_batch.dtype), str(y_batch.dtype)], ["torch.float64", "torch.int32"], "the dtypes of a batch", of="pairs")
    check_left_out(many, names, 9, "31 examples in batches of 9")
    check_shuffle(torch.randn(83, 2, generator=torch.Generator().manual_seed(332)), torch.arange(83)[:, None], 7, "83 examples in batches of 7")
    assert_equal([len(batches) for batches in several_passes(3, many, names, 8)], [4, 4, 4], "three loops over 31 examples", of="passes")
    for shuffle in (False, True):
        assert_equal([sorted(targets_of(batches)) for batches in two_at_once(many, names, 20, shuffle)], [list(range(31))] * 2,
                     f"two loops in turns over 31 examples, shuffle={shuffle}", of="passes")
    X_after, y_after = data_after(many.clone(), names.clone(), 5, True, True)
    assert_true(torch.equal(X_after, many) and torch.equal(y_after, names), "X and y after two passes, 31 examples", of="data kept")
    assert_equal(loops_of_torch(many, names, 5), 0, "how many loops over torch's DataLoader a pass begins, not shuffled", of="your own")

hidden()
### END HIDDEN TESTS

# %% [markdown] teaches="weight of an example in its batch"
# ### What the last batch does
#
# Suppose that 1000 examples are cut into batches of 32. The last batch holds 8. The loss of a batch is a *mean*, so an
# example in a full batch has a share of 1/32 in the step, and an example of the last batch has 1/8. It pulls four
# times as hard as the others. With a new order in each pass this hits everybody in turn; with a fixed order it is
# always the same eight. And a mean over few examples is a noisier guess of the gradient: the noise of a mean of k
# values falls with $1/\sqrt k$. Dropping the last batch avoids both and costs 8 examples in each pass.

# %% [markdown] task="3.3.1c" kind="code" minutes=6 difficulty=2 needs="weight of an example in its batch, drop_last"
# ### How hard each example pulls
#
# Write `pulls(n, batch_size)`: a tensor of shape `(n,)` with the share that each example, in the order of the pass,
# has in the mean loss of its batch. The last batch is kept.
#
# **You are done when**
# - **shape**: the shape is `(n,)`, also for fewer examples than `batch_size`;
# - **full batches**: an example there has 1 / `batch_size`;
# - **last batch**: an example there has 1 divided by the size of that batch.

# %% exercise="3.3.1c"
def pulls(n, batch_size):
    """The share of each of n examples in the mean loss of its batch: shape (n,)."""
    ### BEGIN SOLUTION
    return torch.cat([torch.full((len(rows),), 1 / len(rows)) for rows in torch.arange(n).split(batch_size)])
    ### END SOLUTION

# %% [markdown] hints="3.3.1c"
# 1. What do the shares of one batch add up to?
# 2. Begin with `torch.full((n,), 1 / batch_size)`. Which entries are wrong, and when are there none?
# 3. Cake for 5 guests at tables of 2: shares 1/2, 1/2, 1/2, 1/2, 1.

# %% check="3.3.1c" points=1
@probe
def divisions_by_zero(n, batch_size):
    try:
        pulls(n, batch_size)
    except ZeroDivisionError as error:
        return [str(error)]
    return []

def visible():
    assert_shape(pulls(5, 2), (5,), "the shape for 5 examples in batches of 2", of="shape",
                 hint="One number for each of the n examples, along a single axis.",
                 mistakes={"This is a column: a single axis is asked, `torch.full((n,), ...)`.": (5, 1),
                           "These are as many numbers as there are batches: one for each example is asked.": (3,),
                           "This is filled up to full batches: there are 5 examples.": (6,),
                           "The examples of the last batch are missing: it is kept.": (4,)})
    assert_shape(pulls(3, 4), (3,), "the shape for 3 examples in batches of 4", of="shape",
                 hint="There are n = 3 examples, in one batch.",
                 mistakes={"There are n = 3 examples: batch_size, here 4, does not make them more.": (4,),
                           "The only batch is not full, but it is kept.": (0,)})
    assert_close(pulls(7, 3)[:6], torch.full((6,), 1 / 3), "the first 6 of 7 examples in batches of 3", of="full batches",
                 hint="They stand in two full batches of 3: in a mean over 3 each has the share 1/3.",
                 mistakes={"These are rounded: return all digits.": torch.full((6,), 0.33),
                           "This is the share in the whole data set.": torch.full((6,), 1 / 7),
                           "This is the number of batches divided by n; the share is 1 divided by the size of the example's "
                           "own batch.":
                           torch.full((6,), 3 / 7),
                           "The share in the mean is asked, not how hard an example pulls beside the others.": torch.ones(6),
                           "The shares of each batch add up to 1, not those of all batches together.": torch.full((6,), 1 / 9),
                           "The smaller batch is the last one, not the first.": torch.tensor([1.] + [1 / 3] * 5),
                           "1 is divided by the size of the batch, not by its number.": torch.tensor([1.] * 3 + [1 / 2] * 3)})
    assert_equal(divisions_by_zero(6, 3), [], "errors that pulls(6, 3) raises", of="full batches",
                 hint="6 = 2 · 3: both batches are full, n % batch_size is 0, and by 0 nothing can be divided. There is no "
                 "smaller batch here.")
    assert_close(pulls(6, 3), torch.full((6,), 1 / 3), "6 examples in batches of 3", of="full batches",
                 hint="Both batches are full, and in a mean over 3 each example has the share 1/3.",
                 mistakes={"Where nothing is left over, nothing is to be changed: `t[-0:]` is all of `t`.": torch.ones(6),
                           "1 is divided by the size of the batch, not by how many batches there are.": torch.full((6,), 1 / 2)})
    assert_close(pulls(17, 6)[12:], torch.full((5,), 1 / 5), "the last 5 of 17 examples in batches of 6", of="last batch",
                 hint="The batches have 6, 6 and 5 examples. In a mean over 5 each has the share 1/5.",
                 mistakes={"The last batch holds only what is left, so its mean divides by less.": torch.full((5,), 1 / 6),
                           "This is how full the last batch is.": torch.full((5,), 5 / 6),
                           "The last batch holds what is left, n % batch_size examples, not what is missing in it.":
                           torch.ones(5),
                           "All examples of the last batch have this share, not its last one alone.":
                           torch.tensor([1 / 6] * 4 + [1 / 5]),
                           "All examples of the last batch have this share, not its first one alone.":
                           torch.tensor([1 / 5] + [1 / 6] * 4),
                           "The last batch is kept.": torch.zeros(5),
                           "This is 1 divided by the number of batches; the last batch has a size of its own, n % batch_size.":
                           torch.full((5,), 1 / 3),
                           "This is 1 divided by the number of full batches; the last batch has a size of its own, n % "
                           "batch_size.": torch.full((5,), 1 / 2),
                           "This is the part of all examples that stands in the last batch.": torch.full((5,), 5 / 17),
                           "An example of the smaller batch has a larger share, not a smaller one.": torch.full((5,), 5 / 36)})
    assert_close(pulls(3, 4), torch.full((3,), 1 / 3), "3 examples in batches of 4", of="last batch",
                 hint="The only batch holds 3 examples: in a mean over 3 each has the share 1/3.",
                 mistakes={"There is one batch, the last one; it has 3 examples.": torch.full((3,), 1 / 4)})

visible()
### BEGIN HIDDEN TESTS
def hidden():
    for n, size in ((1000, 32), (9, 4), (5, 9), (8, 8)):
        rest = n % size
        got = pulls(n, size)
        assert_shape(got, (n,), f"the shape for {n} examples in batches of {size}", of="shape")
        assert_close(got[:n - rest], torch.full((n - rest,), 1 / size), f"the full batches, {n} examples in batches of {size}",
                     of="full batches")
        assert_close(got[n - rest:], torch.full((rest,), 1 / max(rest, 1)), f"the last batch, {n} examples in batches of {size}",
                     of="last batch")

hidden()
### END HIDDEN TESTS

# %% [markdown] task="3.3.1d" kind="explain" minutes=15 difficulty=3 needs="drop_last, shuffling, weight of an example in its batch"
# ### Keep or drop
#
# Write `share_seen(n, batch_size, epochs)`: the probability that one given example is used at least once in `epochs` passes,
# if each pass has a new random order and its last batch is dropped where it is not full. Then answer in words:
# 1. What is lost if the last batch is dropped, without reshuffling and with it? Give numbers for 1000 examples in
#    batches of 32.
# 2. What does *keeping* it do to the steps, if the loss is a mean over the batch? Give numbers here, too.
# 3. What do you choose for validation data, and how do you average the losses of its batches?
#
# **You are done when** your words answer all three questions, the first two with numbers, and
# - **probability**: it is right for several passes;
# - **nothing dropped**: it is 1 where the numbers fit;
# - **everything dropped**: it is 0 with fewer examples than `batch_size`.

# %% exercise="3.3.1d"
def share_seen(n, batch_size, epochs):
    """The probability that an example is used in `epochs` shuffled passes that drop a last batch that is not full."""
    ### BEGIN SOLUTION
    missed = n % batch_size / n             # the probability of standing in the dropped batch, in one pass
    return 1 - missed ** epochs
    ### END SOLUTION

# %% [markdown] hints="3.3.1d"
# 1. How many examples stand in the dropped batch? With what probability is a given one among them?
# 2. An example that is never used is missed in *every* pass. Orders of different passes are independent, so the
#    probabilities multiply.
# 3. A die that must show a six within three throws: 1 - (5/6)³, about 0.42.

# %% check="3.3.1d" points=1
def close_by(found, value):
    """A hint for a number that is nearly right."""
    near = isinstance(found, (int, float)) and 0 < abs(found - value) < 0.04
    return ("This comes near: the exact probability is asked. Work it out with all digits; trials that are counted only come near."
            if near else "")

def behind():
    """A hint for a count of passes that is one too small."""
    two, three = share_seen(10, 4, 2), share_seen(10, 4, 3)
    return ("For two passes yours gives what belongs to one, for three what belongs to two: the last of the passes counts, too."
            if abs(two - 0.8) < 1e-6 and abs(three - 0.96) < 1e-6 else "")

def visible():
    assert_close(share_seen(10, 4, 1), 0.8, "10 examples in batches of 4, one pass", of="probability", rtol=1e-5,
                 hint=lambda: behind() or close_by(share_seen(10, 4, 1), 0.8) or
                 "Two full batches hold 8 of the 10 examples, the dropped one holds "
                 "2: a given example is used with probability 8/10.",
                 mistakes={"This is the probability that it is missed.": 0.2,
                           "n % batch_size examples are left out, not batch_size.": 0.6,
                           "An example may be missed: 2 of the 10 are left out in a pass.": 1.0,
                           "Two of the 10 examples are left out: divide by the 10, not by batch_size.": 0.5, "A probability lies between 0 and 1.": 80.0,
                           "This is the expected number of examples that are used, not a probability.": 8.0,
                           "In a pass no example comes twice: it uses 8 different ones. This is for draws that put each one "
                           "back.": 1 - 0.9 ** 8,
                           "Any of the 10 examples is left out with the same chance: 10 is what to divide by, not the 8 in full batches.": 0.75,
                           "One batch of three is dropped, but not one example of three: it is smaller.": 2 / 3})
    assert_close(share_seen(10, 4, 2), 0.96, "10 examples in batches of 4, two passes", of="probability", rtol=1e-5,
                 hint="For one pass it is right. A given example is missed in one with probability 0.2, so in both with 0.2 · "
                 "0.2 = 0.04: all else is 0.96.",
                 mistakes={"This is the probability to be used in both passes.": 0.64, "Probabilities of two passes are not added.": 1.6,
                           "Probabilities of two passes are not added, nor cut at 1.": 1.0,
                           "This is 1 - 2 · 0.2. To be missed in both passes has the probability 0.2 · 0.2: multiply, "
                           "do not add.": 0.6,
                           "To be missed twice: multiply the probabilities; do not divide by the number of passes.": 0.9,
                           "This is 1 - 0.2 / 10: only the number of examples is taken to the power, not the whole fraction.": 0.98,
                           "This is the probability to be used in one pass exactly.": 0.32,
                           "Each pass has a new order: who was missed once may be missed again, with the same probability.": 1 - 0.2 / 9,
                           "The number of passes is ignored.": 0.8})
    assert_close(share_seen(10, 4, 3), 0.992, "10 examples in batches of 4, three passes", of="probability", rtol=1e-5,
                 hint="For one pass and for two it is right. To be missed in all three has probability 0.2 · 0.2 · 0.2 = 0.008.",
                 mistakes={"The third pass does not count.": 0.96, "This is rounded: return all digits.": 0.99})
    assert_close(share_seen(12, 4, 3), 1.0, "12 examples in batches of 4, three passes", of="nothing dropped", rtol=1e-6,
                 hint="Three full batches hold all 12: no example is missed in any pass.",
                 mistakes={"A last batch that is full is not dropped.": 1 - (4 / 12) ** 3, "Nothing is dropped, so each example is used.": 0.0})
    assert_close(share_seen(3, 4, 2), 0.0, "3 examples in batches of 4, two passes", of="everything dropped", atol=1e-6,
                 hint="The only batch is not full: it is dropped in each pass, and all 3 examples with it.",
                 mistakes={"The only batch is not full, so it is dropped, in each pass.": 1.0})

visible()
### BEGIN HIDDEN TESTS
def hidden():
    for n, size, epochs in ((1000, 32, 1), (7, 4, 3), (11, 6, 5)):
        assert_close(share_seen(n, size, epochs), 1 - ((n % size) / n) ** epochs, f"{n} examples in batches of {size}, {epochs} passes",
                     of="probability", rtol=1e-5,
                     hint="For 10 examples in batches of 4 it is right: here all three numbers are others.")
    assert_close(share_seen(30, 10, 1), 1.0, "30 examples in batches of 10", of="nothing dropped", rtol=1e-6)
    assert_close(share_seen(5, 8, 7), 0.0, "5 examples in batches of 8", of="everything dropped", atol=1e-6)

hidden()
### END HIDDEN TESTS

# %% [markdown] written="3.3.1d" points=3
# ### BEGIN SOLUTION
# 1. 1000 = 31 · 32 + 8, so 8 examples of a pass are left out. In a fixed order they are the same eight in every pass,
#    and the model never sees them. With a new order each pass leaves out eight others; a given example is missed with
#    probability 8/1000 = 0.008 in one pass and 0.008² = 0.000064 in two. Over many passes nothing is lost but 0.8 %
#    of the work.
# 2. The last batch has 8 examples, so each of them has a share of 1/8 in its mean, four times the usual 1/32. The
#    step is as long as the others but noisier: the noise of a mean of 8 is √(32/8) = 2 times that of a mean of 32.
# 3. Keep it. A validation loss is to be the mean over *all* examples, and nothing is gained by leaving some out. The
#    mean over batches must weigh each batch with its number of examples; the plain mean of the batch means would
#    count the last eight four times.
#
# **Rubric**
# - [1] Dropping leaves out the same 8 examples forever in a fixed order, and changing ones with reshuffling (0.8 % of
#   a pass); evidence: a number; lost by: "dropping loses 8 examples" with no difference between the two
# - [1] Keeping makes the last step noisier, or its examples count more (4 times); also accepted: either effect with a
#   reason; lost by: "the last step is smaller", which holds for a sum, not for a mean
# - [1] Validation keeps every example, and batches are weighted by their size; also accepted: sum over examples divided
#   by n
# ### END SOLUTION

# %% [markdown] teaches="fresh data, training on a fixed set"
# ## Fresh data, or the same data
#
# A file is the same in every pass. Data that are drawn need not be: we could draw *new* examples in each pass. Is that
# better? Take a hard case: 20 examples, ten features, noise 1. One learner makes 200 passes over the same 20
# examples. Another gets 20 new ones in each pass. Both are measured on 2000 other examples that neither trains on.

# %%
w_ten = torch.ones(10, 1)

def draw_examples(count, rng):
    X = torch.randn(count, 10, generator=rng)
    return X, X @ w_ten + torch.randn(count, 1, generator=rng)

def learn(fresh, passes=200, lr=0.02):
    source = torch.Generator().manual_seed(5)
    X_test, y_test = draw_examples(2000, source)
    X_train, y_train = draw_examples(20, source)
    w, seen, test = torch.zeros(10, 1), [], []
    for _ in range(passes):
        if fresh:
            X_train, y_train = draw_examples(20, source)
        error = X_train @ w - y_train
        seen.append(error.square().mean().item())
        test.append((X_test @ w - y_test).square().mean().item())
        w = w - lr * 2 * X_train.T @ error / 20              # the gradient of the mean of the squares
    return seen, test

curves = {"the same 20": learn(False), "fresh 20": learn(True)}
for name, (training, other) in curves.items():
    print(f"{name:12} squared error at the end: on the training batches {sum(training[-20:]) / 20:.2f}, on other data {other[-1]:.2f}")

# %% tags=["demo"]
figure, axes = plt.subplots(1, 2, figsize=(7.5, 3.2), sharey=True, layout="constrained")
for axis, (name, (training, other)) in zip(axes, curves.items()):
    axis.plot(training, label="on the 20 training examples", linewidth=1)
    axis.plot(other, label="on 2000 other examples", linewidth=2)
    axis.axhline(1, color="black", linestyle=":", label="variance of the noise")
    axis.set(title=f"{name} examples in each pass", xlabel="pass", ylim=(0, 6))
axes[0].set_ylabel("mean squared error")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
plt.show()

# %% [markdown]
# The dotted line is the variance of the noise, 1: no model can predict *other* data better than that. On the left the
# training error sinks to 0.35, far below the line: the ten weights have learnt the noise of these 20 examples by heart.
# On other data the error is 2.54. On the right every batch is new to the learner. So its training error is an honest
# measure, and on other data it comes down to 1.02. Section 3.6 is about this difference. With measured data one cannot
# draw anew; there, the same examples have to do.
#
# In a program the drawing must stand in the right place. The trainer asks the data module *once* for a loader and then
# loops over it once for each epoch. So what is to be new in each epoch belongs in `__iter__`. The iterator of a
# generator function would be used up after the first epoch; our trainer asks for a length and refuses it:

# %% tags=["demo"]
class Bare(d2l.DataModule):
    def get_dataloader(self, train):
        return minibatches(features, targets, 32, rng) if train else None

try:
    d2l.Trainer(max_epochs=3, verbose=False).fit(d2l.LinearRegressionScratch(2, lr=0.1), Bare())
except TypeError as error:
    print("TypeError:", error)

# %% [markdown] task="3.3.3" kind="code" minutes=12 difficulty=3 core=true needs="fresh data, class with __iter__ and __len__, synthetic data, random number generator with a seed"
# ### Fresh data in each pass
#
# Write the class `FreshBatches(w, b, noise, num_batches, batch_size, seed)`. A loop over an instance gives
# `num_batches` batches `(X, y)` of `batch_size` examples of y = x·w + b + ε, as in 3.3.5; `w` has shape `(d,)`. Every
# batch of every pass is new.
#
# **You are done when**
# - **shape**: `X` has shape `(batch_size, d)`, `y` has shape `(batch_size, 1)`, both float32;
# - **model**: the entries of `X` are standard normal and independent of each other. y - Xw - b is normal with mean 0 and
#   standard deviation `noise`, drawn anew for each example, and independent of `X`; it is 0 for `noise=0`;
# - **length**: `len` and a loop give `num_batches` batches;
# - **fresh**: no example and no noise comes twice, neither within a pass nor in a later one, not even after a loop that was left
#   early, or in two loops taken in turns;
# - **seed**: two instances with the same seed give the same first pass and the same second one, whatever other instances do;
#   instances with other seeds have no batch in common (seeds are integers from 0 to 1000, and nobody draws more than 1000
#   batches);
# - **own random generator**: torch's global random numbers are neither used nor disturbed, not even if somebody else
#   draws from them between two batches;
# - **arguments kept**: `w` has the same shape and numbers afterwards.

# %% exercise="3.3.3"
class FreshBatches:
    """New examples of y = x w + b + noise in every pass: num_batches batches of batch_size."""

    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        ### BEGIN SOLUTION
        self.w, self.b, self.noise = w.reshape(-1, 1), b, noise
        self.num_batches, self.batch_size = num_batches, batch_size
        self.rng = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        for _ in range(self.num_batches):
            X = torch.randn(self.batch_size, len(self.w), generator=self.rng)
            epsilon = self.noise * torch.randn(self.batch_size, 1, generator=self.rng)
            yield X, X @ self.w + self.b + epsilon
        ### END SOLUTION

# %% [markdown] hints="3.3.3"
# 1. Which object must live as long as the loader, so that the second pass goes on where the first one stopped?
# 2. A random generator made in `__init__` goes on from pass to pass; one made in `__iter__` begins anew each time.
# 3. A die that goes on: `self.g = torch.Generator().manual_seed(1)` in `__init__`, and in a method
#    `torch.randint(1, 7, (1,), generator=self.g)`.

# %% check="3.3.3" points=3
from d2l_utils.check.draws import BEGUN_AGAIN, first_twins, how_opposite, two_threes, which_covariances, why_noise, why_shared

@probe
def what_works(*arguments):
    loader = FreshBatches(*arguments)
    found = []
    for name, use in (("a for loop", iter), ("len", len)):
        try:
            use(loader)
            found.append(name)
        except TypeError:
            pass
    return found

@probe
def counted(limit, *arguments):
    """How many batches a loop gives, or the limit where it goes on."""
    from itertools import islice
    return sum(1 for batch in islice(FreshBatches(*arguments), limit))

@probe
def fresh_passes(count, *arguments):
    loader = FreshBatches(*arguments)
    return [[tuple(batch) for batch in loader] for _ in range(count)]

@probe
def among_others(count, *arguments):
    loader = FreshBatches(*arguments)
    passes = []
    for k in range(count):
        torch.manual_seed(99)
        passes.append([])
        for batch in loader:
            passes[-1].append(tuple(batch))
            torch.rand(2)
    return passes

@probe
def global_after(before, *arguments):
    torch.manual_seed(before)
    torch.rand(3)
    for batch in FreshBatches(*arguments):
        pass
    return torch.rand(3)

@probe
def weights_after(w, *arguments):
    for batch in FreshBatches(w, *arguments):
        pass
    return w

@probe
def fresh_length(*arguments):
    return len(FreshBatches(*arguments))

@probe
def fresh_loops(*arguments):
    """A loop that is left at its first batch, two loops taken in turns, and a whole pass over the same loader."""
    loader = FreshBatches(*arguments)
    for left in loader:
        break
    one, other = iter(loader), iter(loader)
    taken = [left] + [next(loop) for loop in (one, other, one, other)] + list(loader)
    return [tuple(batch) for batch in taken]

@probe
def in_turns(*arguments):
    """How many batches each of two loops over one loader gives that are taken in turns to their ends."""
    from itertools import zip_longest
    loader = FreshBatches(*arguments)
    turns = list(zip_longest(iter(loader), iter(loader)))
    return [sum(turn[k] is not None for turn in turns) for k in (0, 1)]

@probe
def beside_another(other_seed, *arguments):
    """Two passes over a loader; another one is made before them and used between them."""
    loader, other = FreshBatches(*arguments), FreshBatches(arguments[0].clone(), *arguments[1:-1], other_seed)
    first = [tuple(batch) for batch in loader]
    for batch in other:
        pass
    return [first, [tuple(batch) for batch in loader]]

@probe
def first_batches(seed, passes, others):
    """The features of the only batch of each pass with this seed, then of the first pass with each of the other seeds."""
    loader = FreshBatches(torch.ones(2), 0.0, 1.0, 1, 2, seed)
    made = [X for _ in range(passes) for X, y in loader]
    for other in others:
        made.extend(X for X, y in FreshBatches(torch.ones(2), 0.0, 1.0, 1, 2, other))
    return torch.stack(made)

def same(batches, others):
    return len(batches) == len(others) and all(t.shape == u.shape and torch.allclose(t, u, atol=1e-4)
                                               for batch, other in zip(batches, others) for t, u in zip(batch, other))

@probe
def nth_batch(seed, number, num_batches):
    """The features of a batch, counted from 1 through all passes, of a loader of `num_batches` batches with this seed."""
    from itertools import chain, islice, repeat
    loader = FreshBatches(torch.ones(2), 0.0, 1.0, num_batches, 2, seed)
    return next(islice(chain.from_iterable(repeat(loader)), number - 1, None))[0]

def why_same(one, other, num_batches):
    def alike(first, second):
        return torch.allclose(nth_batch(*first, num_batches), nth_batch(*second, num_batches), atol=1e-4)
    return (why_shared(alike, one, other, "number of the batch", lowest=1) +
            " (Batches are counted through all passes.) A random generator that goes on needs no such rule.")

def check_pairs(seed, passes):
    others = range(seed + 1, seed + passes + 1)
    rows = first_batches(seed, passes, others).flatten(1).mul(1000).round().int().tolist()
    names = [(seed, k) for k in range(1, passes + 1)] + [(s, 1) for s in others]
    seen = {}
    for name, row in zip(names, rows):
        twin = seen.setdefault(tuple(row), name)
        if twin != name:
            break
    else:
        twin = name = None
    words = f"pass {twin[1]} with seed {twin[0]} and pass {name[1]} with seed {name[0]}" if twin else "the passes of loaders with other seeds"
    assert_true(twin is None, f"{words} differ", of="seed", hint=lambda: why_same(twin, name, 1))

def check_loops(w, asked, kind):
    batches = fresh_loops(w.clone(), *asked)
    names = ["batch 1 of a loop that is then left", "batch 1 of the next loop", "batch 1 of a loop taken in turns with it", "batch 2 of the next loop",
             "batch 2 of the loop taken in turns with it"] + [f"batch {k} of the pass after them" for k in range(1, asked[2] + 1)]
    hint = ("What one loop has drawn no other loop may draw again: the state must move on, for all loops over the loader, with each batch or where a "
            "loop begins; at the end of a pass it is too late.")
    features = [(name, X) for name, (X, y) in zip(names, batches)]
    if first_twins(features) == (names[3], names[4]):
        hint = ("The two loops begin with features of their own. But once the second has begun, the first goes on with those of "
                "the second: what tells loops apart, such as a count of the passes, is to be taken once, where a loop begins, "
                "and kept in the loop, not in `self`.")
    check_fresh(features, f"features, {kind}", hint)
    check_fresh([(name, y - X @ w[:, None]) for name, (X, y) in zip(names, batches)], f"noise, {kind}", hint)

def why_stale(two):
    """What two passes with equal features have in common."""
    first, second = two
    features, targets = ([torch.allclose(batch[k], other[k], atol=1e-4) for batch, other in zip(first, second)] for k in (0, 1))
    if all(features) and all(targets):
        return ("The second pass is the first once more: its random generator is set to the seed again where a loop begins, or "
                "the batches are stored. It is to go on from pass to pass.")
    if all(features):
        return ("The second pass has the features of the first, and other targets: the noise is fresh, X is not. Draw both anew "
                "for each batch.")
    return "Draw both, X and noise, anew for each batch, from a random generator that goes on from pass to pass."

def check_fresh(named, things, hint="Draw both, X and noise, anew for each batch, from a random generator that goes on from pass to pass."):
    """`named`: (words, tensor) of each batch."""
    twins = first_twins(named)
    assert_true(not twins, f"{' and '.join(twins) or 'each batch and any other'} hold different {things}", of="fresh", hint=hint)

def spread(w, noise):
    rows = rows_of(fresh_passes(1, w.clone(), 0.0, noise, 50, 200, 4)[0])
    return (rows[:, -1:] - rows[:, :-1] @ w[:, None]).std().item()

def check_model(rows, w, b, noise, kind):
    """`rows`: features and target of 20,000 examples."""
    d = len(w)
    X, error = rows[:, :d], rows[:, d:] - rows[:, :d] @ w[:, None] - b
    found = len(X.unique(dim=0))
    assert_true(found > 0.99 * len(X), f"nearly all examples have a row of features of their own (yours: {found:,} different rows), {kind}",
                of="model", hint="The features of one example stand in another one, too.")
    assert_close(X.mean(dim=0), torch.zeros(d), f"the means of the features, {kind}", of="model", atol=0.05,
                 hint="Numbers of the standard normal distribution have a mean near 0, without anything being added or "
                 "subtracted.",
                 mistakes={"torch.rand draws numbers between 0 and 1; torch.randn draws standard normal ones.": torch.full((d,), 0.5)})
    assert_close(torch.cov(X.T).reshape(d, d), torch.eye(d), f"the covariances of the features, {kind}", of="model", atol=0.06,
                 hint=lambda: which_covariances(torch.cov(X.T).reshape(d, d)),
                 mistakes={"Uniform numbers between -1 and 1 have variance 1/3: the features are to be standard normal, "
                           "torch.randn.": torch.eye(d) / 3,
                           **({"All features of an example are the same number: draw one for each.": torch.ones(d, d)} if d > 1
                              else {})})
    assert_close((X.abs() < 1).float().mean(dim=0), torch.full((d,), 0.6827), f"the share of each feature between -1 and 1, {kind}",
                 of="model", atol=0.02,
                 hint="This share tells the normal distribution from others of the same mean and variance.",
                 mistakes={"Uniform numbers of variance 1 have this share; torch.randn draws normal ones.":
                           torch.full((d,), 3 ** -0.5)})
    assert_true(int((X.abs() > 3.2).sum()) >= 5, f"more than a few examples have a feature beyond 3.2 standard deviations, {kind}",
                of="model", hint="Of 20,000 normal draws about 27 lie out there: none is cut off, drawn again or left out.")
    assert_close(error.std(), torch.tensor(noise), f"the standard deviation of y - Xw - b for noise={noise}, {kind}",
                 of="model", rtol=0.025, hint=lambda: why_noise(spread, w, noise) if abs(error.std().item() - noise) > 0.025 * noise else "",
                 mistakes={
                     "noise is the standard deviation, not the variance.": torch.tensor(noise ** 0.5),
                     "noise is the standard deviation, here it was squared.": torch.tensor(noise ** 2),
                     **({"This is the sum of one ε for each feature: draw one for each example.": torch.tensor(noise * d ** 0.5),
                         "One ε is added to all features of an example, and the product with w multiplies it by the sum of w: "
                         "the noise belongs to y.":
                         torch.tensor(noise * abs(w.sum().item()))} if d > 1 and abs(w.norm() - w.sum().abs()) > 0.1 else {}),
                     "Uniform noise between -noise and noise has this one.": torch.tensor(noise / 3 ** 0.5),
                     "Uniform noise between 0 and noise has this one: torch.rand, where torch.randn is meant.": torch.tensor(noise / 12 ** 0.5),
                     "These are absolute values: the noise has both signs.": torch.tensor(noise * (1 - 2 / math.pi) ** 0.5),
                     "There is no noise in y.": torch.tensor(0.)})
    assert_close(error.mean(), torch.tensor(0.), f"the mean of y - Xw - b for noise={noise}, {kind}", of="model",
                 atol=0.05 * noise,
                 hint="ε has mean 0: what torch.randn draws, times noise, and nothing added.")
    assert_close((error.abs() < noise).float().mean(), torch.tensor(0.6827), f"the share of ε between -noise and noise, {kind}",
                 of="model", atol=0.02, hint="This share tells normal noise from other noise of the same standard deviation.",
                 mistakes={"Uniform noise of this standard deviation has this share; torch.randn draws normal numbers.":
                           torch.tensor(3 ** -0.5)})
    assert_true(int((error.abs() > 3.2 * noise).sum()) >= 5, f"more than a few examples have an ε beyond 3.2 standard deviations, {kind}",
                of="model", hint="Of 20,000 normal draws about 27 lie out there: none is cut off, drawn again or left out.")
    assert_close((error * X).mean(dim=0) / noise, torch.zeros(d), f"the correlation of the noise with each feature, {kind}",
                 of="model", atol=0.05, hint="The noise must not be made of the same random numbers as the features: one random "
                 "generator for both, one draw after the other.")

@probe
def twos(d, count, seed):
    """Of each batch of two examples, for w = 0, b = 0 and noise=1: their features side by side, and their targets."""
    made = list(FreshBatches(torch.zeros(d), 0.0, 1.0, count, 2, seed))
    return [torch.stack([X for X, y in made]).flatten(1), torch.stack([y for X, y in made]).flatten(1)]

def check_twos(d, count, seed):
    """Over many batches, what one of two examples holds says nothing about the other one."""
    X, error = twos(d, count, seed)
    kind = f"of the two examples of a batch, {d} features each, over {count} batches"
    hint = "Each number is drawn for itself: subtract no mean of the batch, divide by no standard deviation of it, mirror nothing, use nothing twice."
    assert_close(torch.cov(X.T), torch.eye(2 * d), f"the covariances {kind}", of="model", atol=0.25,
                 hint=lambda: how_opposite(X) + hint)
    assert_close(torch.cov(torch.cat([X, error], dim=1).T), torch.eye(2 * d + 2), f"the covariances of features and noise, {kind}", of="model", atol=0.25,
                 hint=lambda: how_opposite(error) + hint)

def check_each_noise(batches, kind):
    """`batches` with w = 0, b = 0 and noise=1: the targets are the noise."""
    targets = torch.cat([y for X, y in batches])
    n, found = len(targets), len(targets.abs().unique())
    assert_true(found > 0.98 * n, f"with w = 0, b = 0 and noise=1 nearly all targets are of different size, {kind} (yours: {found} of {n})", of="model",
                hint="They are all 0: with w = 0 there is no noise at all, so yours is multiplied by w or by y. It is to be "
                "added to Xw + b, whatever these are." if not targets.any() else
                "Such a target is ε alone: draw one for each example.")

def rows_of(batches):
    return torch.cat([torch.cat(batch, dim=1) for batch in batches])

def visible():
    w = torch.tensor([1.0, -2.0, 2.5])
    column = w.reshape(-1, 1)
    asked = (0.5, 2.0, 4, 5, 1)                         # b, noise, num_batches, batch_size, seed
    assert_equal(what_works(w.clone(), *asked), ["a for loop", "len"], "what works with FreshBatches(w, 0.5, 2.0, 4, 5, 1)", of="length",
                 hint="A loop cannot begin: it needs the method `__iter__`, and from it an iterator, as a method with `yield` "
                 "gives one.",
                 mistakes={"`len(loader)` raises an error: it needs the method `__len__`, and takes nothing but a whole number "
                           "from it.": ["a for loop"]})
    assert_equal(counted(99, w.clone(), *asked), 4, "the number of batches in a loop, asked for 4", of="length",
                 hint="num_batches says how many there are.",
                 mistakes={"The loop does not end: it was stopped after 99 batches.": 99,
                           "num_batches says how many batches there are, here 4: 5 is batch_size, or one batch too many.": 5})
    two = fresh_passes(2, w.clone(), *asked)
    assert_equal([len(batches) for batches in two], [4, 4], "the number of batches in two passes, asked for 4", of="length",
                 hint="Each loop is to give num_batches batches, the second one as the first.",
                 mistakes={"The loader is used up after one pass.": [4, 0]})
    assert_equal(fresh_length(w.clone(), *asked), 4, "len of a loader of 4 batches of 5", of="length",
                 hint="It is to be the number of batches of a pass, num_batches.",
                 mistakes={"These are the examples: the length of a loader is the number of its batches.": 20,
                           "This is batch_size: the length of a loader is the number of its batches.": 5})
    assert_equal(sorted({len(batch) for batches in two for batch in batches}), [2], "how many tensors each batch holds", of="shape",
                 mistakes={"A batch is a pair (X, y), not a single tensor.": [5]})
    assert_shape(two[0][0][0], (5, 3), "the shape of X, batches of 5 with 3 features", of="shape",
                 hint="A row for each example of the batch, a column for each feature.",
                 mistakes={"Rows and columns are exchanged: a row for each example, a column for each feature.": (3, 5),
                           "This is a single example: a batch holds batch_size of them.": (3,),
                           "A batch has batch_size rows, here 5, not num_batches.": (4, 3)})
    assert_shape(two[0][0][1], (5, 1), "the shape of y, batches of 5", of="shape",
                 hint="A row for each example, with one number: its target.",
                 mistakes={"A vector of 5 plus a column of 5 is a square; weights as a column give a column.": (5, 5),
                           "This is a vector, and a column is asked. With the weights as a column, and the noise of shape "
                           "(batch_size, 1), it is one.": (5,),
                           "A target is one number for each example: here each has 3.": (5, 3)})
    assert_equal([str(t.dtype) for t in two[0][0]], ["torch.float32"] * 2, "the dtypes of X and y", of="shape",
                 hint="`t.float()` makes float32 of a tensor.",
                 mistakes={"X is float32; y became float64, as a sum of float32 and float64 does.": ["torch.float32",
                                                                                                     "torch.float64"]})
    exact = fresh_passes(2, w.clone(), 0.5, 0.0, 4, 5, 1)[1][2]
    plain = fresh_passes(2, w.clone(), 0.0, 0.0, 4, 5, 1)[1][2]
    without_b = torch.allclose(plain[1], plain[0] @ column, atol=1e-4)
    assert_close(exact[1] - exact[0] @ column - 0.5, torch.zeros(5, 1), "y - Xw - b for noise=0 and b = 0.5", of="model", atol=1e-4,
                 hint="With b = 0 it is right, y is Xw: it is the bias that is not added once." if without_b else
                 "With b = 0, too, y is not Xw: each target is to be the product of its row of X with the weights.",
                 mistakes={"The bias is missing.": torch.full((5, 1), -0.5), "The bias is added once, not once for each feature.":
                           torch.full((5, 1), 1.0), "The bias is multiplied by the weights here: add it to the product, not to the features.":
                           torch.full((5, 1), 0.25), "The bias is to be added, not subtracted.": torch.full((5, 1), -1.0)})
    places = [(f"batch {k} of pass {p}", batch) for p, batches in enumerate(two, 1) for k, batch in enumerate(batches, 1)]
    check_fresh([(place, X) for place, (X, y) in places], "features", why_stale(two))
    check_fresh([(place, y - X @ column) for place, (X, y) in places], "noise",
                "The features are fresh, the noise is not: ε is to be drawn anew, too, for each example of each batch.")
    assert_equal(len(rows_of(two[0] + two[1])[:, :3].unique(dim=0)), 40, "how many different rows of features two passes of 4 batches of 5 hold",
                 of="fresh", hint="Another order of the same examples is not fresh, nor are features that come twice.")
    check_loops(w, asked, "for examples of 3 features")
    assert_equal(in_turns(w.clone(), *asked), [4, 4],
                 "how many batches two loops over one loader give, taken in turns, asked for 4", of="length",
                 hint="Each loop has num_batches batches of its own: its count, and the place that it has reached, belong to "
                      "the loop, not to `self`.")
    check_each_noise(fresh_passes(1, torch.zeros(3), 0.0, 1.0, 5, 20, 3)[0], "5 batches of 20")
    check_model(rows_of(fresh_passes(2, w.clone(), 0.5, 1.6, 100, 200, 2)[1]), w, 0.5, 1.6, "20,000 examples of the second pass")
    check_model(rows_of(fresh_passes(1, w[2:], 1.5, 0.5, 100, 200, 6)[0]), w[2:], 1.5, 0.5, "20,000 examples of one feature")
    check_twos(2, 1000, 3)
    again, other = (fresh_passes(2, w.clone(), 0.5, 2.0, 4, 5, seed) for seed in (1, 2))
    for k, which in enumerate(("first", "second")):
        assert_true(same(two[k], again[k]), f"the {which} passes of two loaders with seed 1 are equal", of="seed",
                    hint="What one loader with this seed hands out, another one must hand out, too: draw everything from a "
                    "random generator of your own, set to the seed once.")
    assert_true(not same(two[0], other[0]), "the first passes of loaders with seed 1 and with seed 2 differ", of="seed",
                hint="Does the seed reach your random generator?")
    numbered = [((seed, number), X) for seed, passes in ((1, two), (2, other))
                for number, (X, y) in enumerate(passes[0] + passes[1], 1)]
    shared = first_twins(numbered)
    words = [f"batch {(number - 1) % 4 + 1} of pass {(number + 3) // 4} with seed {seed}" for seed, number in shared]
    assert_true(not shared, f"{' and '.join(words) or 'the batches with seed 1 and those with seed 2'} differ", of="seed",
                hint=lambda: why_same(*shared, 4))
    disturbed = among_others(2, w.clone(), *asked)
    assert_true(same(two[0] + two[1], disturbed[0] + disturbed[1]), "the batches are the same if somebody else sets and draws "
                "torch's global random numbers in between", of="own random generator", hint="Draw everything from a torch.Generator of your own.")
    assert_close(global_after(11, w.clone(), *asked), two_threes(11)[1],
                 "torch.rand(3) after torch.manual_seed(11), torch.rand(3) and a pass", of="own random generator",
                 mistakes={BEGUN_AGAIN: two_threes(11)[0]},
                 hint="`torch.manual_seed` sets the global numbers: it has no place in a loader.")
    assert_shape(weights_after(w.clone(), *asked), (3,), "the shape of w after a pass", of="arguments kept",
                 hint="A method whose name ends with _ changes the tensor itself.")
    assert_close(weights_after(w.clone(), *asked), w, "w after a pass", of="arguments kept",
                 hint="`w *= ...`, `w /= ...` and `w[...] = ...` change the caller's tensor.")
    first, second = beside_another(2, w.clone(), *asked)
    assert_true(same(first + second, two[0] + two[1]), "two passes of a loader with seed 1 are the same if one with seed 2 is made before them and "
                "used between them", of="seed", hint="Each instance needs a random generator of its own, made in `__init__`. One that is made in the "
                "body of the class, or outside of it, is shared by all instances.")
    check_pairs(0, 1000)

visible()
### BEGIN HIDDEN TESTS
def hidden():
    w = torch.tensor([-1.5])
    asked = (4.0, 0.3, 2, 7, 8)
    three = fresh_passes(3, w.clone(), *asked)
    assert_equal([len(batches) for batches in three], [2, 2, 2], "the number of batches in three passes, asked for 2", of="length")
    assert_equal(fresh_length(w.clone(), 4.0, 0.3, 9, 7, 8), 9, "len of a loader of 9 batches", of="length")
    for X, y in three[0] + three[2]:
        assert_shape(X, (7, 1), "the shape of X for one feature, batches of 7", of="shape")
        assert_shape(y, (7, 1), "the shape of y for one feature, batches of 7", of="shape")
    places = [(f"batch {k} of pass {p}", batch) for p, batches in enumerate(three, 1) for k, batch in enumerate(batches, 1)]
    check_fresh([(place, X) for place, (X, y) in places], "features, for examples of one feature")
    check_fresh([(place, y + 1.5 * X) for place, (X, y) in places], "noise, for examples of one feature")
    again, nine, disturbed = (make(3, w.clone(), 4.0, 0.3, 2, 7, seed) for make, seed in
                              ((fresh_passes, 8), (fresh_passes, 9), (among_others, 8)))
    for k in range(3):
        assert_true(same(three[k], again[k]), f"pass {k + 1} of two loaders with seed 8 is the same", of="seed")
        assert_true(same(three[k], disturbed[k]), f"pass {k + 1} is the same if somebody else draws global random numbers", of="own random generator")
    shared = first_twins([(f"batch {k} of pass {p} with seed {seed}", X) for seed, passes in ((8, three), (9, nine))
                          for p, batches in enumerate(passes, 1) for k, (X, y) in enumerate(batches, 1)])
    assert_true(not shared, f"{' and '.join(shared) or 'the batches with seed 8 and those with seed 9'} differ", of="seed")
    check_each_noise(fresh_passes(2, torch.zeros(1), 0.0, 1.0, 30, 7, 5)[1], "30 batches of 7")
    check_model(rows_of(fresh_passes(1, w.clone(), 4.0, 0.3, 100, 200, 8)[0]), w, 4.0, 0.3, "20,000 examples of one feature")
    check_twos(3, 900, 6)
    check_loops(w, (4.0, 0.3, 3, 7, 8), "for examples of one feature")
    assert_equal(in_turns(w.clone(), 4.0, 0.3, 3, 7, 8), [3, 3],
                 "how many batches two loops over one loader give, taken in turns, asked for 3", of="length",
                 hint="Each loop counts its own batches.")
    check_pairs(600, 250)
    found = beside_another(21, w.clone(), 4.0, 0.3, 2, 7, 8)
    assert_true(same(found[0] + found[1], three[0] + three[1]), "the passes of a loader with seed 8 do not depend on another loader", of="seed")
    assert_close(global_after(5, w.clone(), *asked), two_threes(5)[1],
                 "the global random numbers after a pass", of="own random generator")
    assert_shape(weights_after(w.clone(), *asked), (1,), "the shape of w after a pass, one feature", of="arguments kept")
    assert_close(weights_after(w.clone(), *asked), w, "w after a pass, one feature", of="arguments kept")

hidden()
### END HIDDEN TESTS

# %% [markdown] teaches="state of a random generator, reproducible program"
# ## The same data tomorrow
#
# Often we want the opposite: data that are *the same* each time, so that two models can be compared on equal terms, and
# a bug that showed up at batch 731 shows up there again. A random generator is a machine with a **state**. Each draw
# hands out numbers and moves the state on. A seed sets the state, so whoever sets the same seed gets the same sequence
# from its beginning:

# %%
g = torch.Generator().manual_seed(3)
a, b = torch.rand(2, generator=g), torch.rand(2, generator=g)
g.manual_seed(3)                                    # back to the start
c = torch.rand(2, generator=g)
h = torch.Generator().manual_seed(3)                # another random generator with the same seed
e = torch.rand(2, generator=h)
for name, values in (("a", a), ("b", b), ("c", c), ("e", e)):
    print(name, [round(v, 4) for v in values.tolist()])

# %% [markdown]
# `a`, `c` and `e` are equal: each is the first draw after seed 3. `b` is the second one.
#
# torch's *global* random generator serves every call without `generator=`, and `torch.manual_seed` sets it.
# It is handy in a short notebook. ⚠ In a larger program it is shared by all: a line somewhere that draws one more number
# shifts all that follow. Data that must stay the same get a random generator of their own.

# %% [markdown] task="3.3.D" kind="answer" minutes=3 difficulty=2 core=true needs="state of a random generator, random number generator with a seed"
# ### Which draws are equal?
#
# ```python
# torch.manual_seed(1)
# p = torch.rand(3)
# own = torch.Generator().manual_seed(1)
# q = torch.rand(3, generator=own)
# r = torch.rand(3)
# s = torch.rand(3, generator=own)
# torch.manual_seed(1)
# t = torch.rand(3, generator=own)
# u = torch.rand(3)
# ```
#
# Bind `equal`, a list of groups: each of the names "p", "q", "r", "s", "t", "u" stands in one group, and two names
# stand in the same group if their tensors are equal. The order does not matter, and a group may be a set, a list or a
# tuple. For example, three draws of which the first and the last agree: `[{"a", "c"}, {"b"}]`. Decide first, then run
# it. (The same seed gives the same numbers in the global random generator and in one of your own.)
#
# **You are done when**
# - **form**: each of the six names stands in exactly one group;
# - **groups**: the groups are right.

# %% exercise="3.3.D"
### BEGIN SOLUTION
equal = [{"p", "q", "u"}, {"r", "s"}, {"t"}]
### END SOLUTION

# %% [markdown] hints="3.3.D"
# 1. For each draw: from which random generator does it come, and is it the first or the second or the third since the
#    seed of this one was set?
# 2. `torch.manual_seed` sets the global random generator only.
# 3. Two decks stacked alike: the first cards of both agree, the second ones agree, whoever draws first.

# %% check="3.3.D" points=1
@probe
def groups():
    """The type of `equal`, and its groups, with the type's name in place of what is no name."""
    try:
        mine = equal
    except NameError:
        return ["nothing", []]
    kind, named = type(mine).__name__, lambda name: name if isinstance(name, str) else type(name).__name__
    if kind not in ("list", "tuple", "set", "frozenset"):
        return [kind, []]
    return [kind, [sorted(map(named, group)) if isinstance(group, (list, tuple, set, frozenset, str)) else [named(group)] for group in mine]]

def draws():
    kept = torch.get_rng_state()
    torch.manual_seed(1)
    p = torch.rand(3)
    own = torch.Generator().manual_seed(1)
    q, r, s = torch.rand(3, generator=own), torch.rand(3), torch.rand(3, generator=own)
    torch.manual_seed(1)
    t, u = torch.rand(3, generator=own), torch.rand(3)
    torch.set_rng_state(kept)
    return {name: tuple(value.tolist()) for name, value in zip("pqrstu", (p, q, r, s, t, u))}

def fellows(name):
    """Who should stand in the group of this name."""
    drawn = draws()
    return [other for other in drawn if drawn[other] == drawn[name]]

def group_of(name):
    return next(group for group in groups()[1] if name in group)

def visible():
    kind, found = groups()
    assert_true(kind in ("list", "tuple", "set", "frozenset"), f"equal is a list of groups (yours: {kind})", of="form")
    names = sorted(name for group in found for name in group)
    assert_equal(names, ["p", "q", "r", "s", "t", "u"], "the names in all groups together", of="form",
                 hint="Each name, in quotes, stands in one group; a draw that no other equals has a group of its own."
                 if len(set(names)) == len(names) or not set(names) <= set("pqrstu") else "A name stands in two groups: draws "
                 "that are equal stand in one group together, and each name in no other.")
    assert_true(any(len(group) > 1 for group in found), "equal holds a group of more than one name", of="groups",
                hint='Here each name stands alone, as if no two draws were equal. Names that belong together stand in a set, '
                'list or tuple of their own: [{"a", "c"}, {"b"}].')
    assert_equal(group_of("q"), fellows("q"), "the group of q", of="groups", hint="q is the first draw after seed 1. Which others are?",
                 mistakes={"These are all draws of one random generator: two draws of it differ, since its state moves on. Equal "
                           "are draws of the same number since the same seed.": ["q", "s", "t"],
                           "t comes from `own`, whose seed was set once, and is its third draw; p is a first draw after seed 1, "
                           "and so is u.": ["q", "t"],
                           "p is a first draw after seed 1, too; t is the third one of its random generator.": ["q", "t", "u"],
                           "t comes from `own`, whose seed was set once: torch.manual_seed does not touch it.": ["p", "q", "t"],
                           "t comes from `own`, whose seed was set once, and is its third draw.": ["p", "q", "t", "u"],
                           "u is a first draw after seed 1, too: torch.manual_seed has set the global random generator again.": ["p", "q"],
                           "The same seed gives the same numbers in the global random generator and in one of your own.": ["q"],
                           "p is a first draw after seed 1, too.": ["q", "u"]})
    assert_equal(group_of("s"), fellows("s"), "the group of s", of="groups", hint="s is the second draw of its random generator.",
                 mistakes={"s is the second draw of its random generator, t is the third one; and the other one, too, has a "
                           "second draw.": ["s", "t"],
                           "s is the second draw of `own`. r is the second one of the global random generator: q came from "
                           "`own`, and moved only that one on.": ["s"],
                           "s is the second draw of its random generator, t is the third one.": ["r", "s", "t"]})

visible()
### BEGIN HIDDEN TESTS
def hidden():
    found = groups()[1]
    assert_equal(len([group for group in found if group]), len(set(draws().values())), "the number of groups", of="form")
    for name in "rtu":
        assert_equal(group_of(name), fellows(name), f"the group of {name}", of="groups",
                     hint="torch.manual_seed does not touch a random generator of your own.")

hidden()
### END HIDDEN TESTS

# %% [markdown] task="3.3.4a" kind="code" minutes=8 difficulty=2 core=true needs="state of a random generator, class with __iter__ and __len__, synthetic data"
# ### The same data in each pass
#
# Write the class `FrozenBatches(w, b, noise, num_batches, batch_size, seed)`. It hands out batches as `FreshBatches`
# does, but each pass gives the *same* ones. They may be stored, or drawn anew from the same seed: then a pass of any
# length takes no memory.
#
# **You are done when**
# - **shape**: `X` has shape `(batch_size, d)`, `y` has shape `(batch_size, 1)`, both float32, and both a loop and `len` give
#   `num_batches` batches;
# - **model**: the entries of `X` are standard normal and independent of each other. y - Xw - b is normal with mean 0 and
#   standard deviation `noise`, drawn anew for each example, and independent of `X`; it is 0 for `noise=0`;
# - **within a pass**: the batches of a pass differ from each other, in their features and in their noise;
# - **same**: each pass over an instance gives the same batches, also when a loop was left after its first batch, and
#   when two loops are taken in turns;
# - **seed**: two instances with the same seed agree, and instances with other seeds have no batch in common (seeds are
#   integers from 0 to 1000, and nobody asks for more than 1000 batches);
# - **own random generator**: torch's global random numbers are neither used nor disturbed;
# - **arguments kept**: `w` has the same shape and numbers afterwards.

# %% exercise="3.3.4a"
class FrozenBatches:
    """The same examples of y = x w + b + noise in every pass: num_batches batches of batch_size."""

    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        ### BEGIN SOLUTION
        self.w, self.b, self.noise = w.reshape(-1, 1), b, noise
        self.num_batches, self.batch_size, self.seed = num_batches, batch_size, seed

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        rng = torch.Generator().manual_seed(self.seed)
        for _ in range(self.num_batches):
            X = torch.randn(self.batch_size, len(self.w), generator=rng)
            epsilon = self.noise * torch.randn(self.batch_size, 1, generator=rng)
            yield X, X @ self.w + self.b + epsilon
        ### END SOLUTION

# %% [markdown] hints="3.3.4a"
# 1. What must be at its beginning again when a new pass begins?
# 2. What stands in `self` is shared by all loops over the object. A local variable of `__iter__` belongs to one loop alone.
# 3. A song with several verses is sung from its first note each time: the singer who begins later needs a page of notes
#    of her own, not a finger on the page of the first.

# %% check="3.3.4a" points=2
from d2l_utils.check.draws import BEGUN_AGAIN, first_twins, how_opposite, two_threes, which_covariances, why_noise, why_shared

@probe
def what_works(*arguments):
    loader = FrozenBatches(*arguments)
    found = []
    for name, use in (("a for loop", iter), ("len", len)):
        try:
            use(loader)
            found.append(name)
        except TypeError:
            pass
    return found

@probe
def counted(limit, *arguments):
    """How many batches a loop gives, or the limit where it goes on."""
    from itertools import islice
    return sum(1 for batch in islice(FrozenBatches(*arguments), limit))

@probe
def frozen_passes(count, *arguments):
    loader = FrozenBatches(*arguments)
    return [[tuple(batch) for batch in loader] for _ in range(count)]

@probe
def frozen_length(*arguments):
    return len(FrozenBatches(*arguments))

@probe
def first_batches(seed, count, others):
    """The features of each of `count` batches with this seed, then of the first batch with each of the other seeds."""
    made = [X for X, y in FrozenBatches(torch.ones(2), 0.0, 1.0, count, 2, seed)]
    for other in others:
        made.extend(X for X, y in FrozenBatches(torch.ones(2), 0.0, 1.0, 1, 2, other))
    return torch.stack(made)

@probe
def frozen_after_a_break(*arguments):
    loader = FrozenBatches(*arguments)
    for batch in loader:
        break
    return [tuple(batch) for batch in loader]

@probe
def frozen_in_turns(*arguments):
    """The batches of two loops over one loader, taken in turns to their ends."""
    from itertools import zip_longest
    loader = FrozenBatches(*arguments)
    turns = list(zip_longest(iter(loader), iter(loader)))
    return [[tuple(turn[k]) for turn in turns if turn[k] is not None] for k in (0, 1)]

@probe
def among_others(*arguments):
    torch.manual_seed(99)
    loader, batches = FrozenBatches(*arguments), []
    for batch in loader:
        batches.append(tuple(batch))
        torch.rand(2)
    return batches

@probe
def global_after(before, *arguments):
    torch.manual_seed(before)
    torch.rand(3)
    for batch in FrozenBatches(*arguments):
        pass
    return torch.rand(3)

@probe
def weights_after(w, *arguments):
    for batch in FrozenBatches(w, *arguments):
        pass
    return w

def same(batches, others):
    return len(batches) == len(others) and all(t.shape == u.shape and torch.allclose(t, u, atol=1e-4)
                                               for batch, other in zip(batches, others) for t, u in zip(batch, other))

@probe
def nth_batch(seed, number):
    """The features of a batch, counted from 1, of a loader of 1000 batches with this seed."""
    from itertools import islice
    return next(islice(FrozenBatches(torch.ones(2), 0.0, 1.0, 1000, 2, seed), number - 1, None))[0]

def why_same(one, other):
    def alike(first, second):
        return torch.allclose(nth_batch(*first), nth_batch(*second), atol=1e-4)
    if not alike(one, other):
        return ("They stand in loaders with different num_batches. In two loaders of 1000 batches they differ: so your states "
                "depend on num_batches. They are to depend on the seed and the number of the batch alone.")
    return why_shared(alike, one, other, "number of the batch", lowest=1)

def check_pairs(seed, count):
    others = range(seed + 1, seed + count + 1)
    rows = first_batches(seed, count, others).flatten(1).mul(1000).round().int().tolist()
    names = [(seed, k) for k in range(1, count + 1)] + [(s, 1) for s in others]
    seen = {}
    for name, row in zip(names, rows):
        twin = seen.setdefault(tuple(row), name)
        if twin != name:
            break
    else:
        twin = name = None
    words = f"batch {twin[1]} with seed {twin[0]} and batch {name[1]} with seed {name[0]}" if twin else "the batches of loaders with other seeds"
    assert_true(twin is None, f"{words} differ", of="seed", hint=lambda: why_same(twin, name))

def check_within(named, things):
    twins = first_twins(named)
    assert_true(not twins, f"{' and '.join(twins) or 'each batch and any other'} of a pass hold different {things}", of="within a pass",
                hint="The features are drawn anew for each batch, the noise is not: draw one ε for each example of each batch."
                if things.startswith("noise") else
                "Each batch has draws of its own: the state of the random generator moves on from batch to batch.")

def check_same(batches, others, what, hint="", of_noise="the noise is drawn anew each time, and it is to stay, too."):
    noise_alone = len(batches) == len(others) and all(X.shape == Z.shape and torch.allclose(X, Z, atol=1e-4) for (X, y),
                                                      (Z, u) in zip(batches, others))
    assert_true(same(batches, others), what, of="same",
                hint=f"The features are the same, the targets are not: {of_noise}" if noise_alone else hint)

def why_mixed(loops, alone):
    """What two loops of a loader that are taken in turns do to each other; `alone`: the batches of a pass alone."""
    short = min(len(loop) for loop in loops)
    if short < len(alone):
        return (f"The two loops share one place or count: one of them ends after {short} of its {len(alone)} batches. They are "
                "to be counted in the loop, not in `self`.")
    if same([loops[0][2], loops[1][1]], [alone[3], alone[2]]):
        return ("The draws of one random generator are dealt out to both loops: what is batch 3 of a pass goes to the second "
                "loop as its batch 2. Each loop needs a random generator of its own, in a local variable of `__iter__`.")
    return ("Both loops draw from one random generator, or share one place: each needs its own (or batches that are stored "
            "beforehand).")

def spread(w, noise):
    rows = rows_of(frozen_passes(1, w.clone(), 0.0, noise, 50, 200, 4)[0])
    return (rows[:, -1:] - rows[:, :-1] @ w[:, None]).std().item()

def check_model(rows, w, b, noise, kind):
    """`rows`: features and target of 20,000 examples."""
    d = len(w)
    X, error = rows[:, :d], rows[:, d:] - rows[:, :d] @ w[:, None] - b
    found = len(X.unique(dim=0))
    assert_true(found > 0.99 * len(X), f"nearly all examples have a row of features of their own (yours: {found:,} different rows), {kind}",
                of="model", hint="The features of one example stand in another one, too.")
    assert_close(X.mean(dim=0), torch.zeros(d), f"the means of the features, {kind}", of="model", atol=0.05,
                 hint="Numbers of the standard normal distribution have a mean near 0, without anything being added or "
                 "subtracted.",
                 mistakes={"torch.rand draws numbers between 0 and 1; torch.randn draws standard normal ones.": torch.full((d,), 0.5)})
    assert_close(torch.cov(X.T).reshape(d, d), torch.eye(d), f"the covariances of the features, {kind}", of="model", atol=0.06,
                 hint=lambda: which_covariances(torch.cov(X.T).reshape(d, d)),
                 mistakes={"Uniform numbers between -1 and 1 have variance 1/3: the features are to be standard normal, "
                           "torch.randn.": torch.eye(d) / 3,
                           **({"All features of an example are the same number: draw one for each.": torch.ones(d, d)} if d > 1
                              else {})})
    assert_close((X.abs() < 1).float().mean(dim=0), torch.full((d,), 0.6827), f"the share of each feature between -1 and 1, {kind}",
                 of="model", atol=0.02,
                 hint="This share tells the normal distribution from others of the same mean and variance.",
                 mistakes={"Uniform numbers of variance 1 have this share; torch.randn draws normal ones.":
                           torch.full((d,), 3 ** -0.5)})
    assert_true(int((X.abs() > 3.2).sum()) >= 5, f"more than a few examples have a feature beyond 3.2 standard deviations, {kind}",
                of="model", hint="Of 20,000 normal draws about 27 lie out there: none is cut off, drawn again or left out.")
    assert_close(error.std(), torch.tensor(noise), f"the standard deviation of y - Xw - b for noise={noise}, {kind}",
                 of="model", rtol=0.025, hint=lambda: why_noise(spread, w, noise) if abs(error.std().item() - noise) > 0.025 * noise else "",
                 mistakes={
                     "noise is the standard deviation, not the variance.": torch.tensor(noise ** 0.5),
                     "noise is the standard deviation, here it was squared.": torch.tensor(noise ** 2),
                     **({"This is the sum of one ε for each feature: draw one for each example.": torch.tensor(noise * d ** 0.5),
                         "One ε is added to all features of an example, and the product with w multiplies it by the sum of w: "
                         "the noise belongs to y.":
                         torch.tensor(noise * abs(w.sum().item()))} if d > 1 and abs(w.norm() - w.sum().abs()) > 0.1 else {}),
                     "Uniform noise between -noise and noise has this one.": torch.tensor(noise / 3 ** 0.5),
                     "Uniform noise between 0 and noise has this one: torch.rand, where torch.randn is meant.": torch.tensor(noise / 12 ** 0.5),
                     "These are absolute values: the noise has both signs.": torch.tensor(noise * (1 - 2 / math.pi) ** 0.5),
                     "There is no noise in y.": torch.tensor(0.)})
    assert_close(error.mean(), torch.tensor(0.), f"the mean of y - Xw - b for noise={noise}, {kind}", of="model",
                 atol=0.05 * noise,
                 hint="ε has mean 0: what torch.randn draws, times noise, and nothing added.")
    assert_close((error.abs() < noise).float().mean(), torch.tensor(0.6827), f"the share of ε between -noise and noise, {kind}",
                 of="model", atol=0.02, hint="This share tells normal noise from other noise of the same standard deviation.",
                 mistakes={"Uniform noise of this standard deviation has this share; torch.randn draws normal numbers.":
                           torch.tensor(3 ** -0.5)})
    assert_true(int((error.abs() > 3.2 * noise).sum()) >= 5, f"more than a few examples have an ε beyond 3.2 standard deviations, {kind}",
                of="model", hint="Of 20,000 normal draws about 27 lie out there: none is cut off, drawn again or left out.")
    assert_close((error * X).mean(dim=0) / noise, torch.zeros(d), f"the correlation of the noise with each feature, {kind}",
                 of="model", atol=0.05, hint="The noise must not be made of the same random numbers as the features: one random "
                 "generator for both, one draw after the other.")

@probe
def twos(d, count, seed):
    """Of each batch of two examples, for w = 0, b = 0 and noise=1: their features side by side, and their targets."""
    made = list(FrozenBatches(torch.zeros(d), 0.0, 1.0, count, 2, seed))
    return [torch.stack([X for X, y in made]).flatten(1), torch.stack([y for X, y in made]).flatten(1)]

def check_twos(d, count, seed):
    """Over many batches, what one of two examples holds says nothing about the other one."""
    X, error = twos(d, count, seed)
    kind = f"of the two examples of a batch, {d} features each, over {count} batches"
    hint = "Each number is drawn for itself: subtract no mean of the batch, divide by no standard deviation of it, mirror nothing, use nothing twice."
    assert_close(torch.cov(X.T), torch.eye(2 * d), f"the covariances {kind}", of="model", atol=0.25,
                 hint=lambda: how_opposite(X) + hint)
    assert_close(torch.cov(torch.cat([X, error], dim=1).T), torch.eye(2 * d + 2), f"the covariances of features and noise, {kind}", of="model", atol=0.25,
                 hint=lambda: how_opposite(error) + hint)

def check_each_noise(batches, kind):
    """`batches` with w = 0, b = 0 and noise=1: the targets are the noise."""
    targets = torch.cat([y for X, y in batches])
    n, found = len(targets), len(targets.abs().unique())
    assert_true(found > 0.98 * n, f"with w = 0, b = 0 and noise=1 nearly all targets are of different size, {kind} (yours: {found} of {n})", of="model",
                hint="They are all 0: with w = 0 there is no noise at all, so yours is multiplied by w or by y. It is to be "
                "added to Xw + b, whatever these are." if not targets.any() else
                "Such a target is ε alone: draw one for each example.")

def rows_of(batches):
    return torch.cat([torch.cat(batch, dim=1) for batch in batches])

def visible():
    w = torch.tensor([1.0, -2.0, 2.5])
    column = w.reshape(-1, 1)
    asked = (0.5, 2.0, 4, 5, 1)                         # b, noise, num_batches, batch_size, seed
    assert_equal(what_works(w.clone(), *asked), ["a for loop", "len"], "what works with FrozenBatches(w, 0.5, 2.0, 4, 5, 1)", of="shape",
                 hint="A loop cannot begin: it needs the method `__iter__`, and from it an iterator, as a method with `yield` "
                 "gives one.",
                 mistakes={"`len(loader)` raises an error: it needs the method `__len__`, and takes nothing but a whole number "
                           "from it.": ["a for loop"]})
    assert_equal(counted(99, w.clone(), *asked), 4, "the number of batches in a loop, asked for 4", of="shape",
                 hint="num_batches says how many there are.",
                 mistakes={"The loop does not end: it was stopped after 99 batches.": 99,
                           "num_batches says how many batches there are, here 4: 5 is batch_size, or one batch too many.": 5})
    two = frozen_passes(2, w.clone(), *asked)
    assert_equal([len(batches) for batches in two], [4, 4], "the number of batches in two passes, asked for 4", of="shape",
                 hint="Each loop is to give num_batches batches, the second one as the first.",
                 mistakes={"The loader is used up after one pass.": [4, 0]})
    assert_equal(frozen_length(w.clone(), *asked), 4, "len of a loader of 4 batches of 5", of="shape",
                 hint="It is to be the number of batches of a pass, num_batches.",
                 mistakes={"These are the examples: the length of a loader is the number of its batches.": 20,
                           "This is batch_size: the length of a loader is the number of its batches.": 5})
    assert_equal(sorted({len(batch) for batches in two for batch in batches}), [2], "how many tensors each batch holds", of="shape",
                 mistakes={"A batch is a pair (X, y), not a single tensor.": [5]})
    assert_shape(two[0][0][0], (5, 3), "the shape of X, batches of 5 with 3 features", of="shape",
                 hint="A row for each example of the batch, a column for each feature.",
                 mistakes={"Rows and columns are exchanged: a row for each example, a column for each feature.": (3, 5),
                           "This is a single example: a batch holds batch_size of them.": (3,),
                           "A batch has batch_size rows, here 5, not num_batches.": (4, 3)})
    assert_shape(two[0][0][1], (5, 1), "the shape of y, batches of 5", of="shape",
                 hint="A row for each example, with one number: its target.",
                 mistakes={"A vector of 5 plus a column of 5 is a square; weights as a column give a column.": (5, 5),
                           "This is a vector, and a column is asked. With the weights as a column, and the noise of shape "
                           "(batch_size, 1), it is one.": (5,),
                           "A target is one number for each example: here each has 3.": (5, 3)})
    assert_equal([str(u.dtype) for u in two[0][0]], ["torch.float32"] * 2, "the dtypes of X and y", of="shape",
                 hint="`t.float()` makes float32 of a tensor.",
                 mistakes={"X is float32; y became float64, as a sum of float32 and float64 does.": ["torch.float32",
                                                                                                     "torch.float64"]})
    exact, noisy = frozen_passes(1, w.clone(), 0.5, 0.0, 4, 5, 1)[0][2], two[0][2]
    plain = frozen_passes(1, w.clone(), 0.0, 0.0, 4, 5, 1)[0][2]
    without_b = torch.allclose(plain[1], plain[0] @ column, atol=1e-4)
    assert_close(exact[1] - exact[0] @ column - 0.5, torch.zeros(5, 1), "y - Xw - b for noise=0 and b = 0.5", of="model", atol=1e-4,
                 hint="With b = 0 it is right, y is Xw: it is the bias that is not added once." if without_b else
                 "With b = 0, too, y is not Xw: each target is to be the product of its row of X with the weights.",
                 mistakes={"This is the noise of a loader with the same seed and noise=2.0: each loader goes by its own "
                           "arguments.":
                           noisy[1] - noisy[0] @ column - 0.5,
                           "The bias is missing.": torch.full((5, 1), -0.5), "The bias is added once, not once for each feature.":
                           torch.full((5, 1), 1.0), "The bias is multiplied by the weights here: add it to the product, not to the features.":
                           torch.full((5, 1), 0.25), "The bias is to be added, not subtracted.": torch.full((5, 1), -1.0)})
    check_within([(f"batch {k}", X) for k, (X, y) in enumerate(two[0], 1)], "features")
    check_within([(f"batch {k}", y - X @ column) for k, (X, y) in enumerate(two[0], 1)], "noise")
    check_each_noise(frozen_passes(1, torch.zeros(3), 0.0, 1.0, 5, 20, 3)[0], "5 batches of 20")
    check_model(rows_of(frozen_passes(1, w.clone(), 0.5, 1.6, 100, 200, 2)[0]), w, 0.5, 1.6, "20,000 examples")
    check_model(rows_of(frozen_passes(1, w[2:], 1.5, 0.5, 100, 200, 6)[0]), w[2:], 1.5, 0.5, "20,000 examples of one feature, by another loader")
    check_twos(2, 1000, 3)
    check_same(two[0], two[1], "two passes over a loader are equal", hint="A random generator that goes on gives other numbers in the second pass: "
               "where a pass begins, it must be at its seed.")
    next_pass = frozen_after_a_break(w.clone(), *asked)
    short = 0 < len(next_pass) < len(two[0]) and same(next_pass, two[0][:len(next_pass)])
    check_same(two[0], next_pass, "a pass after a loop that was left at its first batch is equal to any other",
               hint=f"This pass ends after {len(next_pass)} of {len(two[0])} batches: what an unfinished loop has stored is not the whole "
               "pass. Store all batches in `__init__`, or draw them anew in each loop." if short else
               "What a pass gives must not depend on what an earlier loop left behind, such as a random generator on its way.")
    loops = frozen_in_turns(w.clone(), *asked)
    for loop, which in zip(loops, ("first", "second")):
        check_same(loop, two[0], f"the {which} of two loops taken in turns gives the batches of any other",
                   hint=why_mixed(loops, two[0]),
                   of_noise="what the noise is drawn from belongs to each loop, as a local variable of `__iter__`, not to "
                            "`self`.")
    again, other_seed = (frozen_passes(1, w.clone(), 0.5, 2.0, 4, 5, seed)[0] for seed in (1, 2))
    assert_true(same(two[0], again), "the passes of two loaders with seed 1 are equal", of="seed",
                hint="What one loader with this seed hands out, another one must hand out, too: everything it draws comes from "
                "the seed.")
    assert_true(not same(two[0], other_seed), "the passes of loaders with seed 1 and with seed 2 differ", of="seed",
                hint="Does the seed reach your random generator?")
    numbered = [((seed, number), X) for seed, batches in ((1, two[0]), (2, other_seed))
                for number, (X, y) in enumerate(batches, 1)]
    shared = first_twins(numbered)
    words = [f"batch {number} with seed {seed}" for seed, number in shared]
    assert_true(not shared, f"{' and '.join(words) or 'the batches with seed 1 and those with seed 2'} differ", of="seed",
                hint=lambda: why_same(*shared))
    check_pairs(0, 1000)
    assert_true(same(two[0], among_others(w.clone(), *asked)), "the batches are the same if somebody else sets and draws torch's global "
                "random numbers in between", of="own random generator", hint="Draw everything from a torch.Generator of your own.")
    assert_close(global_after(11, w.clone(), *asked), two_threes(11)[1],
                 "torch.rand(3) after torch.manual_seed(11), torch.rand(3) and a pass", of="own random generator",
                 mistakes={BEGUN_AGAIN: two_threes(11)[0]},
                 hint="`torch.manual_seed` sets the global numbers: it has no place in a loader.")
    assert_shape(weights_after(w.clone(), *asked), (3,), "the shape of w after a pass", of="arguments kept",
                 hint="A method whose name ends with _ changes the tensor itself.")
    assert_close(weights_after(w.clone(), *asked), w, "w after a pass", of="arguments kept",
                 hint="`w *= ...`, `w /= ...` and `w[...] = ...` change the caller's tensor.")

visible()
### BEGIN HIDDEN TESTS
def hidden():
    w = torch.tensor([2.5])
    asked = (-1.0, 0.7, 3, 6, 12)
    three = frozen_passes(3, w.clone(), *asked)
    for batches in three:
        assert_equal([tuple(X.shape) + tuple(y.shape) for X, y in batches], [(6, 1, 6, 1)] * 3, "the shapes in three passes, one feature", of="shape")
    check_within([(f"batch {k}", X) for k, (X, y) in enumerate(three[0], 1)], "features, for examples of one feature")
    check_within([(f"batch {k}", y - 2.5 * X) for k, (X, y) in enumerate(three[0], 1)], "noise, for examples of one feature")
    exact = frozen_passes(1, w.clone(), -1.0, 0.0, 3, 6, 12)[0][1]
    assert_close(exact[1] - 2.5 * exact[0] + 1.0, torch.zeros(6, 1), "y - Xw - b for noise=0, one feature", of="model", atol=1e-4)
    check_each_noise(frozen_passes(2, torch.zeros(1), 0.0, 1.0, 30, 7, 5)[1], "30 batches of 7")
    check_model(rows_of(frozen_passes(1, w.clone(), -1.0, 0.7, 80, 250, 3)[0]), w, -1.0, 0.7, "20,000 examples of one feature")
    check_twos(3, 900, 6)
    assert_equal([str(u.dtype) for u in three[1][2]], ["torch.float32"] * 2, "the dtypes of X and y, one feature", of="shape")
    check_pairs(600, 250)
    for batches in three[1:] + [frozen_after_a_break(w.clone(), *asked)]:
        check_same(three[0], batches, "each of several passes is equal to the first, one feature")
    for loop in frozen_in_turns(w.clone(), *asked):
        check_same(loop, three[0], "each of two loops taken in turns, one feature")
    again, other_seed = (frozen_passes(1, w.clone(), -1.0, 0.7, 3, 6, seed)[0] for seed in (12, 13))
    assert_true(same(three[0], again), "the passes of two loaders with seed 12 are equal", of="seed")
    shared = first_twins([(f"batch {k} with seed {seed}", X) for seed, batches in ((12, three[0]), (13, other_seed))
                          for k, (X, y) in enumerate(batches, 1)])
    assert_true(not shared, f"{' and '.join(shared) or 'the batches with seed 12 and those with seed 13'} differ", of="seed")
    assert_true(same(three[0], among_others(w.clone(), *asked)), "the batches do not depend on the global random numbers", of="own random generator")
    assert_close(global_after(5, w.clone(), *asked), two_threes(5)[1],
                 "the global random numbers after a pass", of="own random generator")
    assert_shape(weights_after(w.clone(), *asked), (1,), "the shape of w after a pass, one feature", of="arguments kept")
    assert_close(weights_after(w.clone(), *asked), w, "w after a pass, one feature", of="arguments kept")

hidden()
### END HIDDEN TESTS

# %% [markdown] teaches="seed from seed and epoch, order of an epoch"
# ### An order for each epoch
#
# Shuffling wants both: a *new* order in each epoch, and the *same* orders when the program is run again. A random
# generator that goes on from epoch to epoch gives that, as long as one begins with epoch 0. But a run that broke off after
# epoch 6 would have to replay seven epochs, 0 to 6, first. Better: make the order a function of the seed *and* the epoch.
#
# ⚠ The first idea is a random generator with the seed `seed + epoch`. Then epoch 1 of the run with seed 0 has the same
# order as epoch 0 of the run with seed 1:

# %%
def order_by_sum(n, seed, epoch):
    return torch.randperm(n, generator=torch.Generator().manual_seed(seed + epoch)).tolist()

for seed in (0, 1):
    print(f"run with seed {seed}:", [order_by_sum(5, seed, epoch) for epoch in range(3)])

# %% [markdown] teaches="seed made of several numbers"
# Runs with several seeds are made to see how much chance is in a result. These share nearly all their orders, and agree
# more than they should. What is needed is a state for each *pair*, so that no two pairs share one.
#
# NumPy's random generator takes a *list* of numbers as its seed and makes one state of all of them, in which their order
# counts. An example is the noise of station 2 on day 3, of station 3 on day 2, and of station 4 on day 1. The sums of
# these pairs are equal, and yet each gets numbers of its own; and the first pair gets the same ones again:

# %%
for pair in ([2, 3], [3, 2], [4, 1], [2, 3]):
    print(pair, np.random.default_rng(pair).standard_normal(3).round(2))

# %% [markdown]
# (NumPy's arrays become tensors by `torch.from_numpy`, and its random generators have a method `permutation`, too. Or one
# thinks of a whole number that is another one for each pair, and gives it to torch. ⚠ On a CPU torch uses only the last 32
# bits of a seed: 5 and 5 + 2³² give the same numbers.)

# %% [markdown] task="3.3.4b" kind="code" minutes=8 difficulty=3 needs="order of an epoch, seed from seed and epoch, seed made of several numbers, permutation"
# ### The order of epoch 7, at once
#
# Write `epoch_order(n, seed, epoch)`: the order of the `n` examples in this epoch of the run with this seed, a tensor of
# shape `(n,)` and dtype int64. `seed` and `epoch` are integers from 0 to 1000.
#
# **You are done when**
# - **form**: it is a tensor of shape `(n,)` and dtype int64;
# - **permutation**: each of 0 ... n-1 stands in it once;
# - **repeatable**: the same arguments give the same order, whatever was drawn before, and when Python is started anew;
# - **each epoch**: the epochs of a run have different orders, for n of 20 and more (of 10 examples there are only 3,628,800
#   orders, fewer than four for each pair: some pairs would have the same one by chance);
# - **no shared orders**: two runs with different seeds have no order in common, whatever the epochs are, for such n;
# - **own random generator**: torch's global random numbers are not disturbed.

# %% exercise="3.3.4b"
def epoch_order(n, seed, epoch):
    """The order of n examples in an epoch of a run: a permutation of 0 ... n - 1, int64."""
    ### BEGIN SOLUTION
    return torch.from_numpy(np.random.default_rng([seed, epoch]).permutation(n))
    ### END SOLUTION

# %% [markdown] hints="3.3.4b"
# 1. Write down the pairs (seed, epoch) that your rule sends to one state. Is (0, 5) in company? Is (1, 0)?
# 2. A number that is different for each pair must be able to take 1001 · 1001 values. A list as a seed does this for you.
# 3. Minutes of a day: 60 times the hour plus the minute is another number for each time of day, since there are only 60
#    minutes, 0 to 59. Ten times the hour plus the minute is not: 1:00 and 0:10 both give 10.

# %% check="3.3.4b" points=2
from d2l_utils.check.draws import BEGUN_AGAIN, two_threes, why_shared

@probe
def orders_after(before, n, pairs):
    torch.manual_seed(before)
    np.random.seed(before)
    torch.rand(3)
    orders = [epoch_order(n, seed, epoch).tolist() for seed, epoch in pairs]
    return [orders, torch.rand(3)]

@probe
def hashes_of_text(n, seed, epoch):
    """How often `epoch_order` asks for the hash of a text."""
    names, calls = epoch_order.__globals__, [0]

    def counted(value):
        parts = value if isinstance(value, (tuple, frozenset)) else (value,)
        calls[0] += any(isinstance(part, (str, bytes)) for part in parts)
        return value.__hash__()

    kept = names.get("hash")
    names["hash"] = counted
    try:
        epoch_order(n, seed, epoch)
    finally:
        names.pop("hash")
        if kept is not None:
            names["hash"] = kept
    return calls[0]

def clash(pairs, orders):
    """The first two pairs (seed, epoch) that have the same order, or None."""
    seen = {}
    for pair, order in zip(pairs, orders):
        if tuple(order) in seen:
            return seen[tuple(order)], pair
        seen[tuple(order)] = pair
    return None

def check_epochs(n, pairs):
    found = clash(pairs, orders_after(1, n, pairs)[0])
    (seed, one), (_, other) = found or (pairs[0], pairs[1])
    assert_true(found is None, f"epochs {one} and {other} of seed {seed} have different orders", of="each epoch",
                hint="Each epoch needs a state of its own: one order that is rotated, turned round or applied again comes back to itself.")

def alike(one, two):
    first, second = orders_after(1, 30, [one, two])[0]
    return first == second

def check_seeds(n, pairs):
    found = clash(pairs, orders_after(1, n, pairs)[0])
    (seed, epoch), (other_seed, other_epoch) = found or (pairs[0], pairs[-1])
    assert_true(found is None, f"epoch {epoch} of seed {seed} and epoch {other_epoch} of seed {other_seed} have different orders",
                of="no shared orders",
                hint=lambda: why_shared(alike, (seed, epoch), (other_seed, other_epoch), "epoch", lowest=0) if epoch != other_epoch else
                f"The order does not depend on the seed here: {seed} and {other_seed} give the same. Does the seed reach the "
                f"random generator? (Of a seed torch uses the last 32 bits.)")

def likely_factors():
    """Numbers that one multiplies a seed with: small ones, primes, round ones, powers of 2, each up to 1000."""
    primes = [k for k in range(2, 1000) if all(k % j for j in range(2, int(k ** 0.5) + 1))]
    powers = [2 ** k + j for k in range(4, 10) for j in (-1, 0, 1)]
    return sorted({*range(1, 70), *primes, *powers, *range(100, 1001, 50), *range(99, 1000, 100), *range(101, 1000, 100)})

def visible():
    order = epoch_order(30, 0, 0)
    assert_type(order, torch.Tensor, "what epoch_order(30, 0, 0) returns", of="form",
                hint="`torch.from_numpy` makes a tensor of an array, `torch.tensor` of a list.",
                mistakes={"NumPy's arrays become tensors by `torch.from_numpy`.": np.ndarray,
                          "A list of row numbers becomes a tensor by `torch.tensor`.": list})
    assert_shape(order, (30,), "the shape of epoch_order(30, 0, 0)", of="form", hint="n row numbers along a single axis.")
    assert_dtype(order, torch.int64, "the dtype of epoch_order(30, 0, 0)", of="form",
                 hint="Row numbers are whole numbers: `.long()` makes int64 of a tensor.")
    assert_equal(order.sort().values.tolist(), list(range(30)), "epoch_order(30, 0, 0), sorted", of="permutation",
                 hint="Each of 0 ... 29 is to stand in it once: here some come twice and others never. A random permutation is "
                 "asked, not random numbers."
                 if len(set(order.tolist())) < 30 else "Each of 0 ... 29 is to stand in it once: these are other numbers.")
    (first, second), (third,) = orders_after(1, 30, [(0, 0), (0, 0)])[0], orders_after(2, 30, [(0, 0)])[0]
    assert_true(first == second, "two calls epoch_order(30, 0, 0) give the same order", of="repeatable",
                hint="Make the random generator anew in each call, from seed and epoch.")
    assert_true(first == third, "epoch_order(30, 0, 0) gives the same order after torch.manual_seed(1) and after torch.manual_seed(2)",
                of="repeatable", hint="Set the seed of a random generator of your own inside the function.")
    assert_equal(hashes_of_text(30, 0, 0), 0, "how often epoch_order(30, 0, 0) calls `hash` for a text", of="repeatable",
                 hint="`hash` of a text is another number each time Python is started: a run that broke off would not find its "
                 "orders again.")
    check_epochs(30, [(4, epoch) for epoch in [*range(40), 64, 100, 128, 256, 500, 512, 1000]])
    check_seeds(30, [(0, 1), (1, 0)])
    check_seeds(30, [(seed, epoch) for seed in range(12) for epoch in range(12)])
    check_seeds(30, [(0, epoch) for epoch in range(1001)] + [(seed, 0) for seed in range(1, 1001)])
    check_seeds(30, [(0, 867), (15, 10), (51, 996), (193, 494), (2, 0),
                     (12, 688)])    # Python's hash of the pair, cut to 10**6, 10**7, 2**20
    assert_close(orders_after(1, 30, [(5, 6)])[1], two_threes(1)[1],
                 "torch.rand(3) after torch.manual_seed(1), torch.rand(3) and a call", of="own random generator",
                 mistakes={BEGUN_AGAIN: two_threes(1)[0]},
                 hint="`torch.manual_seed`, and every draw without `generator=`, changes the global numbers.")

visible()
### BEGIN HIDDEN TESTS
def hidden():
    for n, seed, epoch in ((1, 0, 5), (17, 1000, 1000), (64, 3, 999)):
        order = epoch_order(n, seed, epoch)
        assert_shape(order, (n,), f"the shape for {n} examples", of="form")
        assert_dtype(order, torch.int64, f"the dtype for {n} examples", of="form")
        assert_equal(order.sort().values.tolist(), list(range(n)), f"the sorted order of {n} examples", of="permutation")
        assert_true(orders_after(7, n, [(seed, epoch)])[0] == orders_after(9, n, [(seed, epoch)])[0],
                    f"seed {seed} and epoch {epoch} have the same order when asked again, {n} examples", of="repeatable")
    assert_equal(hashes_of_text(21, 5, 40), 0, "how often epoch_order(21, 5, 40) calls `hash` for a text", of="repeatable")
    check_epochs(40, [(77, epoch) for epoch in [*range(30), 255, 257, 365, 999, 1000]])
    check_seeds(25, [(2, epoch + 1) for epoch in likely_factors() if epoch < 1000] + [(seed + 2, 1) for seed in likely_factors() if seed < 999])
    check_seeds(25, [(seed, epoch) for seed in range(0, 1001, 77) for epoch in range(0, 1001, 91)])
    check_seeds(25, [(8, 784), (35, 781), (42, 931), (181, 130)])       # an exclusive or of multiples of primes
    check_seeds(25, [(1, 7), (2, 218), (9, 998), (12, 659), (3, 7), (18, 752), (13, 1000), (34, 570), (2, 1), (3, 130), (5, 983),
                     (26, 280),
                     (2, 2), (12, 690), (63, 2), (598, 538), (472, 149),
                     (480, 7)])      # Python's hash of the pair, cut to fewer numbers
    check_seeds(25, [(seed, epoch) for seed in range(1001) for epoch in (1, 2, 3)])
    assert_close(orders_after(8, 12, [(1, 1)])[1], two_threes(8)[1],
                 "the global random numbers after a call", of="own random generator")

hidden()
### END HIDDEN TESTS

# %% [markdown] teaches="test of a loader"
# ## Is the loader right?
#
# A loader with a bug still trains, only worse, and no error tells of it. So one tests it, with small data and one
# question: what is true of *every* right pass, whatever its order? Here are four examples, and a pass in batches of 2
# that somebody's loader gave. Is it right?

# %%
X_small = torch.tensor([[1., 5.], [2., 6.], [3., 7.], [4., 8.]])
y_small = torch.tensor([[0.], [1.], [0.], [1.]])
X_seen = torch.tensor([[3., 7.], [1., 5.], [4., 8.], [2., 6.]])
y_seen = torch.tensor([[0.], [0.], [1.], [0.]])
for name, t, u in (("features", X_small, X_seen), ("targets ", y_small, y_seen),
                   ("both    ", torch.cat([X_small, y_small], dim=1), torch.cat([X_seen, y_seen], dim=1))):
    print(name, "given, sorted:     ", sorted(t.tolist()))
    print(" " * 8, "handed out, sorted:", sorted(u.tolist()))

# %% [markdown]
# Sorting takes the order away. The features are all there. The targets are not: a 0 has taken the place of a 1. The last
# pair of lines, with the target of each example beside its features, says which one: the example with features 2 and 6. Only such
# a comparison of *whole* examples sees a target that stands in the wrong row. Comparing the features alone does not, and
# comparing sums does not either.

# %% [markdown] task="3.3.6" kind="break it" minutes=15 difficulty=3 needs="minibatch, one order for features and targets, test of a loader"
# ### Find the broken loaders
#
# Write `sound(batches, X, y, batch_size)`: `True` if the list `batches` of pairs `(X_batch, y_batch)` is a right pass
# over the rows of `X` (n, d) and `y` (n, 1), in any order, and `False` if not. A pass is right if it holds each example
# exactly once, features beside their own target, in batches of `batch_size` rows of which only the last may be smaller,
# and none is empty. There is at least one example, and all numbers are finite.
#
# Below are the bugs that loaders have, and your function is to find each of them. It must not complain about a right
# loader, so each point asks for both.
#
# **You are done when** `sound` gives `False` for the bugs of the first five points, and `True` for right passes, also for
# those of the last point:
# - **missing**: examples are left out: the last, smaller batch, another one, or all (a loader that was used up);
# - **torn pairs**: a target, or one of the features, stands beside another example's numbers, however little these differ
#   from its own;
# - **with replacement**: rows are drawn by chance, so that some come twice and others never;
# - **filled up**: the last batch is filled with rows from the beginning;
# - **batch size**: one of the batches is not of the size that was asked for, be it the first, one in the middle or the
#   last, or there is an empty one, though every example is there;
# - **equal rows**: data in which an example occurs twice are no bug: a right pass holds it twice. Nor are examples that agree
#   in some of their numbers.

# %% exercise="3.3.6"
def sound(batches, X, y, batch_size):
    """Whether the batches are one right pass over the rows of X and y: True or False."""
    ### BEGIN SOLUTION
    wanted = [len(rows) for rows in torch.arange(len(X)).split(batch_size)]
    if [(len(X_batch), len(y_batch)) for X_batch, y_batch in batches] != [(k, k) for k in wanted]:
        return False
    handed_out = torch.cat([torch.cat(pair, dim=1) for pair in batches])
    return sorted(handed_out.tolist()) == sorted(torch.cat([X, y], dim=1).tolist())
    ### END SOLUTION

# %% [markdown] hints="3.3.6"
# 1. Two questions can be asked apart: are the sizes of the batches right, one by one, and are the examples right?
# 2. Put features and target of an example side by side into one row, as in the lesson above. What is the list of sizes
#    that you expect? Exercise 3.3.1a gave it. Ask for the sizes first: nothing can be put together from no batch at all.
# 3. Two hands of cards are the same if `sorted(hand_1) == sorted(hand_2)`; `set(...)` would forget a card held twice.

# %% check="3.3.6" points=3
def cut(X, y, rows, sizes):
    """The pass that hands out these rows in batches of these sizes."""
    pieces = torch.as_tensor(rows).split(sizes)
    return [(X[piece], y[piece]) for piece in pieces]

def full_sizes(n, size):
    return [size] * (n // size) + [n % size] * (n % size > 0)

def judged(batches, X, y, size):
    return sound([(X_batch.clone(), y_batch.clone()) for X_batch, y_batch in batches], X.clone(), y.clone(), size)

@probe
def errors_without_batches(X, y, size):
    try:
        sound([], X, y, size)
    except (ValueError, RuntimeError, IndexError, TypeError, ZeroDivisionError) as error:
        return [f"{type(error).__name__}: {error}"]
    return []

def what_is_wrong(batches, X, y, size):
    """What a sound function must see in this pass."""
    if not batches:
        return ("Nothing is handed out here, and every example is to come. (torch.cat makes nothing of no tensors: ask for the "
                "sizes first.)")
    n, sizes = len(X), [len(y_batch) for X_batch, y_batch in batches]
    given, seen = torch.cat([X, y], dim=1), torch.cat([torch.cat(batch, dim=1) for batch in batches])
    if sorted(given.tolist()) == sorted(seen.tolist()):
        return (f"All examples are there, each once. But the batches have {', '.join(map(str, sizes))} rows, and those of a "
                f"right pass {', '.join(map(str, full_sizes(n, size)))}.")
    if len(seen) != n:
        return f"It hands out {len(seen)} examples, and there are {n}."
    if all(row in given.tolist() for row in seen.tolist()):
        return (f"It hands out {n} examples, as many as there are. But some come twice and others never: how often each comes is "
                f"to be compared.")
    if all(sorted(given[:, k].tolist()) == sorted(seen[:, k].tolist()) for k in range(given.shape[1])):
        return ("Each column, taken alone, holds the right numbers. But some stand beside another example's: compare whole "
                "examples, features and target in one row. (A sort along an axis moves each column for itself.)")
    return "Some of its rows are no examples of the data: compare whole rows, each number at its place."

def faults(bug, X, y, size, rng):
    """(words, pass) of the loaders with this bug; n is no multiple of size, at least two batches are full."""
    n, sizes = len(X), full_sizes(len(X), size)
    order = torch.randperm(n, generator=rng)
    right = cut(X, y, order, sizes)
    if bug == "missing":
        return [("a pass without its last batch", right[:-1]), ("no batch at all", []),
                ("a pass without its first batch", right[1:]),
                ("a pass without its last example", cut(X, y, order[:-1], sizes[:-1] + [sizes[-1] - 1]))]
    if bug == "torn pairs":
        first, last = X.clone(), X.clone()
        first[:, 0], last[:, -1] = X[:, 0].roll(1), X[:, -1].roll(1)
        swapped = y.clone()
        swapped[order[:2]] = y[order[:2].flip(0)]
        return [("targets that are shuffled apart from the features", cut(X, y.roll(1, 0), order, sizes)),
                ("two examples of a batch that have exchanged their targets", cut(X, swapped, order, sizes)),
                ("a first feature that is shuffled apart from the rest", cut(first, y, order, sizes)),
                ("a last feature that is shuffled apart from the rest", cut(last, y, order, sizes)),
                ("features whose columns are exchanged", cut(X.flip(1), y, order, sizes))]
    if bug == "with replacement":
        drawn = order.clone()
        drawn[-1] = order[0]
        return [("rows drawn with replacement", cut(X, y, torch.randint(n - 1, (n,), generator=rng), sizes)),
                ("a pass in which one example has taken the place of another", cut(X, y, drawn, sizes))]
    if bug == "filled up":
        return [("a last batch filled with rows from the beginning", cut(X, y, torch.cat([order, order[:size - n % size]]), size)),
                ("a last batch with one row too many, from the beginning", cut(X, y, torch.cat([order, order[:1]]), sizes[:-1] + [sizes[-1] + 1]))]
    rest = n % size
    return [("the smaller batch at the beginning", cut(X, y, order, [rest] + [size] * (n // size))),
            ("the smaller batch in the middle", cut(X, y, order, [size, rest] + [size] * (n // size - 1))),
            ("the rest put into the last full batch", cut(X, y, order, [size] * (n // size - 1) + [size + rest])),
            ("a single batch of all examples", cut(X, y, order, [n])),
            ("an empty batch at the end", cut(X, y, order, sizes + [0])),
            ("batches of one row less", cut(X, y, order, full_sizes(n, size - 1)))]

def decide(bug, X, y, size, rng, kind):
    sizes = full_sizes(len(X), size)
    found = judged(cut(X, y, torch.randperm(len(X), generator=rng), sizes), X, y, size)
    assert_type(found, bool, f"what sound returns for a right pass, {kind}", of=bug,
                hint="True or False is asked: `bool(...)` makes one of them.")
    assert_equal(found, True, f"what sound returns for a right pass, {kind}: {', '.join(map(str, sizes))}", of=bug,
                 hint="Every example is there once, in some order, in batches of the right sizes.")
    if bug == "missing":
        assert_equal(errors_without_batches(X, y, size), [], f"errors that sound raises for a list without batches, {kind}",
                     of=bug,
                     hint="The list may be empty, and then the answer is False: every example is missing. torch.cat makes "
                     "nothing of no tensors, so ask for the sizes first.")
    for words, batches in faults(bug, X, y, size, rng):
        assert_equal(judged(batches, X, y, size), False, f"what sound returns for {words}, {kind}", of=bug,
                     hint=lambda: what_is_wrong(batches, X, y, size))

def decide_equal_rows(X, y, size, right, wrong, kind):
    found = judged(cut(X, y, right, size), X, y, size)
    assert_type(found, bool, f"what sound returns for a right pass, {kind}", of="equal rows")
    assert_equal(found, True, f"what sound returns for a right pass, {kind}", of="equal rows",
                 hint="Each example comes as often as the data hold it: one that they hold twice comes twice.")
    assert_equal(judged(cut(X, y, wrong, size), X, y, size), False, f"what sound returns for a pass with one copy too few of an example, {kind}",
                 of="equal rows", hint="The same set of rows is not enough: how often does each of them come?")

def decide_ties(words, found, wanted, bug, hint=""):
    assert_equal(found, wanted, f"what sound returns for {words}", of=bug, hint=hint)

def agreeing():
    """Four examples, each number in each place twice: the target tells whether the two features differ."""
    return torch.tensor([[0., 0.], [0., 1.], [1., 0.], [1., 1.]]), torch.tensor([[0.], [1.], [1.], [0.]])

def decide_near(start, step, kind):
    numbers = start + step * torch.arange(5.)[:, None]
    decide_ties(f"a right pass, {kind}", judged(cut(numbers, numbers, [2, 4, 0, 3, 1], 2), numbers, numbers, 2), True, "torn pairs")
    decide_ties(f"two examples that have exchanged their targets, {kind}",
                judged(cut(numbers, numbers[[1, 0, 2, 3, 4]], [2, 4, 0, 3, 1], 2), numbers, numbers, 2), False, "torn pairs",
                "However little two numbers differ, they are not equal: compare without tolerance, with all digits.")

def decide_sums(kind):
    """Rows 0, 3, 5, 6 twice have the sums, the sums of squares and those of products that rows 0 ... 7 have."""
    numbers = torch.arange(8.)[:, None]
    assert_equal(judged(cut(numbers, -numbers, [0, 3, 5, 6, 6, 5, 3, 0], 3), numbers, -numbers, 3), False,
                 f"what sound returns for a pass with other examples that have the same sums, {kind}", of="with replacement",
                 hint="Rows 0, 3, 5 and 6 come twice here and the others never, though sums, sums of squares and sums of "
                 "products agree: compare the rows themselves.")

def visible():
    rng = torch.Generator().manual_seed(1)
    X, y = torch.randn(11, 2, generator=rng), torch.randn(11, 1, generator=rng)
    order = torch.randperm(11, generator=rng)
    found, in_order = (judged(cut(X, y, rows, 4), X, y, 4) for rows in (order, range(11)))
    assert_type(found, bool, "what sound returns for a right pass, 11 examples in batches of 4", of="missing")
    assert_equal(found, True, "what sound returns for a right pass, 11 examples in batches of 4, in random order", of="missing",
                 hint="For a right pass in the order of the data it returns True: but any order of the rows is right."
                 if in_order is True else "")
    found = judged(cut(X, y.roll(1, 0), order, 4), X, y, 4)
    assert_type(found, bool, "what sound returns for targets that are shuffled apart from the features, 11 examples in batches of 4",
                of="torn pairs",
                hint="False is asked; a function that ends without `return` gives None." if found is None else "")
    for bug in ("missing", "torn pairs", "with replacement", "filled up", "batch size"):
        with part(0.25, bug, of=bug):
            decide(bug, X, y, 4, rng, "11 examples in batches of 4")
            if bug == "with replacement":
                decide_sums("8 examples in batches of 3")
            if bug == "batch size":
                for count, size in ((8, 4), (3, 8)):
                    decide_ties(f"a right pass, {count} examples in batches of {size}",
                                judged(cut(X[:count], y[:count], list(range(count)), size), X[:count], y[:count], size), True,
                                bug,
                                f"A right pass here has batches of {', '.join(map(str, full_sizes(count, size)))} rows, and so "
                                f"has this one.")
                decide_ties("8 examples in two batches of 4 and an empty one at the end",
                            judged(cut(X[:8], y[:8], list(range(8)), [4, 4, 0]), X[:8], y[:8], 4), False, bug,
                            "An empty batch is one too many: the sizes are to be 4 and 4.")
            if bug == "torn pairs":
                pairs, differ = agreeing()
                decide_ties("targets 1 - y in place of y, where y tells whether two features of 0 and 1 differ",
                            judged(cut(pairs, 1 - differ, [2, 0, 3, 1], 3), pairs, differ, 3), False, bug,
                            "Every target is wrong here, though each pair of numbers in two places occurs as often as in the "
                            "data: compare whole rows.")
                decide_near(200_000.0, 1.0, "5 examples with the numbers 200,000 ... 200,004")
                decide_near(0.0, 2.0 ** -20, "5 examples with the numbers 0, 1/2**20, ... 4/2**20")
                decide_near(0.0, 2.0 ** -40, "5 examples with the numbers 0, 1/2**40, ... 4/2**40")
                decide_near(0.5, 2.0 ** -20, "5 examples with numbers that are printed as 0.5000")
    twice = torch.tensor([0, 1, 2, 0, 3, 4, 2])
    with part(0.25, "equal rows", of="equal rows"):
        decide_equal_rows(X[twice], y[twice], 3, [6, 0, 2, 4, 5, 1, 3], [6, 0, 2, 4, 5, 1, 1], "7 examples, two of them twice")
        pairs, differ = agreeing()
        for rows in ([3, 1, 0, 2], [2, 3, 1, 0]):
            decide_ties(f"a right pass in the order {rows}, four examples that agree in some of their numbers",
                        judged(cut(pairs, differ, rows, 3), pairs, differ, 3), True, "equal rows",
                        "Examples that agree in one number are told apart, or put in order, by the others: take the whole row.")
        alike, targets = torch.tensor([[1., 2.], [1., 2.], [3., 4.]]), torch.tensor([[5.], [6.], [6.]])
        decide_ties("a right pass over three examples, two of them with the same features and different targets",
                    judged(cut(alike, targets, [2, 1, 0], 2), alike, targets, 2), True, "equal rows",
                    "Where two examples have the same features, the target tells them apart: do not look it up by the features, "
                    "nor order the rows by these alone.")

visible()
### BEGIN HIDDEN TESTS
def hidden():
    rng = torch.Generator().manual_seed(2)
    X, y = torch.randn(25, 3, generator=rng), torch.randn(25, 1, generator=rng)
    for bug in ("missing", "torn pairs", "with replacement", "filled up", "batch size"):
        with part(0.25, f"{bug}, other data", of=bug):
            decide(bug, X, y, 10, rng, "25 examples in batches of 10")
            decide(bug, X[:7], y[:7], 2, rng, "7 examples in batches of 2")
            if bug == "torn pairs":
                decide_near(3_000_000.0, 1.0, "5 examples with large numbers")
                decide_near(-1.0, 2.0 ** -18, "5 examples with numbers near -1")
                decide_near(-2.5, 2.0 ** -19, "5 examples with numbers near -2.5")
                bits = torch.cartesian_prod(*[torch.arange(2.)] * 3)
                odd = bits.sum(dim=1, keepdim=True) % 2
                decide_ties("targets 1 - y in place of y, 8 examples that agree in some of their numbers",
                            judged(cut(bits, 1 - odd, torch.randperm(8, generator=rng), 3), bits, odd, 3), False, bug)
    with part(0.25, "equal rows, other data", of="equal rows"):
        copies = torch.tensor([3, 3, 3, 8])
        decide_equal_rows(X[copies], y[copies], 2, [2, 3, 1, 0], [2, 3, 3, 0], "4 examples, one of them three times")
        decide_equal_rows(X[:6], y[:6], 3, [5, 4, 3, 2, 1, 0], [5, 4, 3, 2, 1, 1], "6 examples in batches of 3")
        decide_equal_rows(X[:3], y[:3], 8, [2, 0, 1], [2, 0, 0], "3 examples in batches of 8")
        grid = torch.cartesian_prod(torch.arange(3.), torch.arange(2.), torch.arange(2.))
        mixed = torch.randperm(12, generator=rng)
        decide_ties("a right pass over 12 examples that agree in some of their numbers",
                    judged(cut(grid[:, :2], grid[:, 2:], mixed, 5), grid[:, :2], grid[:, 2:], 5), True, "equal rows",
                    "Where rows agree in one number, the others tell them apart: compare whole rows.")

hidden()
### END HIDDEN TESTS
total()

# %% [markdown] teaches="memory-mapped file, page of a file"
# ## Optional: more data than memory
#
# This part takes about an hour, and nothing later builds on it. Who wants to go on to section 3.4 reads the summary at the
# end of the page.
#
# So far all examples stood in memory. Now think of a file of 400 GB. Batches in *file order* are easy: read some rows,
# hand them out, read on. But a shuffled pass jumps about in the file. Three questions follow. How does one read a few
# rows out of the middle? Where does the random order come from, if even the list of row numbers is too large? And what
# do the jumps cost?
#
# ### Reading rows from the middle
#
# The file here is the plainest there is: the bytes of float32 numbers, row after row, three numbers to a row (two
# features, one target). `np.memmap` makes it look like an array without reading it. The operating system reads a
# **page** of the file, mostly 4096 bytes, when an entry in it is first asked for. Index the map with row numbers, and
# NumPy copies these rows and no others.

# %%
folder = tempfile.mkdtemp()
path = os.path.join(folder, "rows.bin")
torch.cat([features, targets], dim=1).numpy().tofile(path)         # 1000 rows of 3 numbers of 4 bytes
print("bytes in the file:", os.path.getsize(path))

on_disk = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, 3)     # mode "r": read only
some = torch.from_numpy(on_disk[[999, 0, 5]])                       # a copy of three rows, as a tensor
print("rows in the file:", len(on_disk), "  read:", tuple(some.shape))
print("the same numbers:", torch.equal(some[:, :2], features[[999, 0, 5]]))

# %% [markdown] teaches="tracemalloc"
# How much memory does that take? Python's `tracemalloc` measures the largest amount that Python and NumPy held at any
# moment between `start` and the question. (It does not see the memory that torch takes for its own tensors. The checks
# below count the bytes of those, too.) The whole file against three rows of it:

# %%
import tracemalloc

def peak_bytes(function):
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

long_path = os.path.join(folder, "long.bin")
np.zeros(3_000_000, dtype=np.float32).tofile(long_path)             # 12 MB
whole = peak_bytes(lambda: np.fromfile(long_path, dtype=np.float32).reshape(-1, 3)[[999, 0, 5]])
mapped = peak_bytes(lambda: np.memmap(long_path, dtype=np.float32, mode="r").reshape(-1, 3)[[999, 0, 5]])
print(f"read whole: {whole / 1e6:.0f} MB;  through the map: less than {math.ceil(mapped / 1e5) / 10} MB")
os.remove(long_path)

# %% [markdown] task="3.3.2a" kind="code" minutes=8 difficulty=2 needs="memory-mapped file, tracemalloc"
# ### A few rows of a large file
#
# Write `read_rows(path, d, rows)`. The file at `path` holds float32 numbers, row after row: `d` features, then the
# target. `rows` is a list of row numbers, from 0, in any order. The result is the pair `(X, y)` for these rows.
#
# **You are done when**
# - **shape**: `X` has shape `(k, d)` and `y` shape `(k, 1)` for `k` row numbers, for a single one too;
# - **values**: they are tensors with the numbers of these rows, in the order of `rows`; a row may be asked for twice;
# - **dtype**: both are float32;
# - **memory**: only what is asked for is copied: for five rows of a file of a megabyte, the peak that `tracemalloc`
#   measures during the call stays below a quarter of the file, and so do all tensors together that torch makes by copying.

# %% exercise="3.3.2a"
def read_rows(path, d, rows):
    """Features (k, d) and targets (k, 1) of k rows of the file of float32 numbers at `path`."""
    ### BEGIN SOLUTION
    on_disk = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    table = torch.from_numpy(on_disk[rows])
    return table[:, :d], table[:, d:]
    ### END SOLUTION

# %% [markdown] hints="3.3.2a"
# 1. How many numbers does a row have? What do you reshape the map to?
# 2. Pick the rows first, then make the tensor: the rows that you pick are a small array. `torch.tensor(map)`,
#    `np.array(map)` and `np.fromfile` copy the whole file. (`torch.from_numpy` copies nothing.)
# 3. A slice keeps the axis that an index drops: `t[:, 1:]` of shape (5, 2) is (5, 1), and `t[:, 1]` is (5,).

# %% check="3.3.2a" points=2
@probe
def rows_of(table, d, rows):
    with tempfile.TemporaryDirectory() as place:
        file = os.path.join(place, "table.bin")
        table.numpy().tofile(file)
        return read_rows(file, d, rows)

@probe
def index_errors(table, d, rows):
    with tempfile.TemporaryDirectory() as place:
        file = os.path.join(place, "table.bin")
        table.numpy().tofile(file)
        try:
            read_rows(file, d, rows)
        except IndexError as error:
            return [f"IndexError: {error}"]
        return []

@probe
def kilobytes_for_rows(n, d, rows):
    """Of a call, in 1000 bytes: tracemalloc's peak, and what torch's tensors take that are no views."""
    import tracemalloc
    from torch.overrides import TorchFunctionMode

    class Copies(TorchFunctionMode):
        size, shared = 0, ("from_numpy", "as_tensor", "asarray", "frombuffer", "from_file", "from_dlpack")

        def __torch_function__(self, func, types, args=(), kwargs=None):
            made = func(*args, **(kwargs or {}))
            if torch.is_tensor(made) and func.__name__ not in self.shared:
                given = {t.untyped_storage().data_ptr() for t in args if torch.is_tensor(t)}        # a view has one of these
                if made.untyped_storage().data_ptr() not in given:
                    self.size += made.numel() * made.element_size()
            return made

    with tempfile.TemporaryDirectory() as place:
        file = os.path.join(place, "table.bin")
        np.ones((n, d + 1), dtype=np.float32).tofile(file)
        with Copies() as copies:
            read_rows(file, d, rows)
        tracemalloc.start()
        try:
            read_rows(file, d, rows)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    return [peak // 1000, copies.size // 1000]

def why_much_of(n, d, rows, peak):
    if 1000 * peak >= n * (d + 1) * 4:
        return "As much is held at once as the whole file has: is it read whole, or an array made of the whole map?"
    last = max(rows)
    near = kilobytes_for_rows(n, d, [last - 5, last, last - 3, last - 3, last - 4])[0]
    if near < n * (d + 1) // 1000 and 1000 * peak >= (last - min(rows)) * (d + 1) * 4:
        return (f"For five rows close to row {last:,} it is {near} kB: all from the first to the last of the rows is read, and these are "
                "picked from it. Read them alone.")
    return "More is held than the rows asked for: a long piece of the file, or many rows."

def check_memory(n, d, rows):
    peak, copied = kilobytes_for_rows(n, d, rows)
    kind = f"for {len(rows)} of {n:,} rows, a file of {n * (d + 1) * 4 // 1000} kB,"
    assert_true(peak < n * (d + 1) // 1000, f"{kind} the peak of tracemalloc stays below a quarter of the file (yours: {peak} kB)",
                of="memory", hint=lambda: why_much_of(n, d, rows, peak))
    assert_true(copied < n * (d + 1) // 1000, f"{kind} the tensors that torch copies stay below a quarter of the file (yours: {copied} kB)",
                of="memory", hint="A tensor is made of the whole map, and the rows are picked from it."
                if 1000 * copied > 0.99 * n * (d + 1) * 4 else "A large part of the file is copied, such as all from the first to the "
                "last of the rows, and these are picked from it: copy them alone.")

def visible():
    table = torch.arange(24.).reshape(6, 4)
    trouble = index_errors(table, 3, [4, 0])
    assert_equal(trouble, [], "errors that read_rows raises for rows [4, 0] of a file of 6 rows", of="values",
                 hint="The file holds 24 numbers of 4 bytes, and a row has 4 of them: 6 rows, 0 ... 5." + (
                     " Yours finds 3, as if a number took 8 bytes: the map needs dtype=np.float32."
                     if "size 3" in str(trouble) else ""))
    got = rows_of(table, 3, [4, 0])
    assert_type(got, (tuple, list), "what read_rows returns", of="shape", hint="The pair (X, y) is asked: `return X, y`.")
    assert_equal(len(got), 2, "how many tensors read_rows returns", of="shape",
                 hint="The pair (X, y) is asked, and nothing besides.")
    X_shape, y_shape = (tuple(t.shape) if isinstance(t, torch.Tensor) else () for t in got)
    assert_shape(got[0], (2, 3), "the shape of X for rows [4, 0] of 3 features and a target", of="shape",
                 hint="A row of the file has d + 1 numbers, d features and then the target." if X_shape == (2, 2) else
                 "The last number of a row is the target, which is no feature." if X_shape == (2, 4) else "A row for each row "
                 "number, a column for each feature.")
    assert_shape(got[1], (2, 1), "the shape of y for rows [4, 0]", of="shape",
                 hint="A slice keeps the axis that an index drops." if y_shape == (2,) else "A row for each row number, with one "
                 "number: the target.")
    assert_shape(rows_of(table, 3, [5])[1], (1, 1), "the shape of y for rows [5]", of="shape",
                 hint="For two rows it is right. A single one, too, is a row of a table: its axis stays.")
    assert_type(got[0], torch.Tensor, "X for rows [4, 0]", of="values", hint="`torch.from_numpy` makes a tensor of an array.")
    assert_type(got[1], torch.Tensor, "y for rows [4, 0]", of="values", hint="`torch.from_numpy` makes a tensor of an array.")
    assert_equal([str(t.dtype) for t in got], ["torch.float32"] * 2, "the dtypes of X and y", of="dtype",
                 hint="The file holds float32, and so does a map with dtype=np.float32: what turns it into something else?")
    assert_close(got[0], torch.tensor([[16., 17., 18.], [0., 1., 2.]]), "X for rows [4, 0] of a file with 0, 1, 2, ...", of="values",
                 hint="A row has 4 numbers here, 3 features and the target. So row 0 is 0, 1, 2 and 3, row 4 is 16, 17, 18 and "
                 "19; the last of each is the target.",
                 mistakes={"The rows come in the order asked for, not in that of the file.": torch.tensor([[0., 1., 2.], [16., 17., 18.]]),
                           "A number takes 4 bytes: an offset into the file is counted in bytes.":
                           torch.tensor([[4., 5., 6.], [0., 1., 2.]]),
                           "These are the first rows of the file, not the rows asked for.":
                           torch.tensor([[0., 1., 2.], [4., 5., 6.]]),
                           "A row has d + 1 numbers: the target stands between the features of two rows.":
                           torch.tensor([[12., 13., 14.], [0., 1., 2.]]),
                           "Rows are counted from 0.": torch.tensor([[12., 13., 14.], [20., 21., 22.]]),
                           "The target is the last number of a row, not the first.": torch.tensor([[17., 18., 19.], [1., 2., 3.]]),
                           "The file holds one row after the other, not one column after the other.": torch.tensor([[4., 10., 16.], [0., 6., 12.]])})
    assert_close(got[1], torch.tensor([[19.], [3.]]), "y for rows [4, 0] of a file with 0, 1, 2, ...", of="values",
                 hint="X is right. The target is the number after the 3 features of the same row: row 4 is 16, 17, 18 and 19, "
                 "row 0 is 0, 1, 2 and 3.",
                 mistakes={"The rows of X are in the order asked for; those of y are not.": torch.tensor([[3.], [19.]]),
                           "This is the first feature: the target is the last number of a row.": torch.tensor([[16.], [0.]]),
                           "This is the last feature: the target comes after it.": torch.tensor([[18.], [2.]])})
    assert_close(rows_of(table, 3, [1, 1])[1], torch.tensor([[7.], [7.]]), "y for rows [1, 1]", of="values",
                 hint="A row that is asked for twice comes twice.")
    check_memory(65_536, 3, [5, 60_000, 7, 7, 30_000])

visible()
### BEGIN HIDDEN TESTS
def hidden():
    rng = torch.Generator().manual_seed(332)
    for n, d, rows in ((9, 1, [8, 2, 2, 0]), (5, 6, [3]), (40, 2, list(range(39, -1, -3)))):
        table = torch.randn(n, d + 1, generator=rng)
        X, y = rows_of(table, d, rows)
        kind = f"{len(rows)} of {n} rows, {d} features"
        assert_shape(X, (len(rows), d), f"the shape of X, {kind}", of="shape")
        assert_shape(y, (len(rows), 1), f"the shape of y, {kind}", of="shape")
        assert_equal([str(X.dtype), str(y.dtype)], ["torch.float32"] * 2, f"the dtypes, {kind}", of="dtype")
        hint = "For rows [4, 0] of 3 features it is right: here d and the rows are others, and a row has d + 1 numbers."
        assert_close(X, table[rows, :-1], f"X, {kind}", of="values", hint=hint)
        assert_close(y, table[rows, -1:], f"y, {kind}", of="values", hint=hint)
    check_memory(131_072, 1, [5, 60_000, 70_000])

hidden()
### END HIDDEN TESTS

# %% [markdown] teaches="pseudo-random permutation, remainder"
# ### A random order that is not stored
#
# `torch.randperm(n)` is a list of n numbers of 8 bytes. For 10 billion rows that is 80 GB. But we do not need the list:
# we need a *function* that says which row comes at place i, and it must be a permutation: each row once. A function
# that does this and looks random is a **pseudo-random permutation**.
#
# The simplest candidate steps through the rows with a fixed step a, and begins again at the front when it falls off the
# end. `%` is the remainder of a division:

# %%
def stepped(i, n, a):
    return a * i % n

for a in (5, 4):
    order = [stepped(i, 12, a) for i in range(12)]
    print(f"12 rows, step {a}: {order}", "  each row once" if sorted(order) == list(range(12)) else "  some rows never")

# %% [markdown]
# A step of 5 visits all 12 rows. A step of 4 comes back to row 0 after three places, since 3 · 4 = 12, and never sees
# the rest. Which steps work?

# %% [markdown] task="3.3.C" kind="code" minutes=4 difficulty=2 needs="remainder, permutation"
# ### Steps that miss nothing
#
# Write `good_steps(n)` for `n` ≥ 2: the list of all steps `a` from 1 to `n - 1`, in increasing order, for which
# i → a·i % n, for i = 0 ... n-1, gives each of 0 ... n-1 once.
#
# **You are done when**
# - **complete**: no step that works is missing;
# - **no false step**: each step in the list works.

# %% exercise="3.3.C"
def good_steps(n):
    """The steps a from 1 to n - 1 for which a * i % n is a permutation of 0 ... n - 1: a list in order."""
    ### BEGIN SOLUTION
    return [a for a in range(1, n) if len({a * i % n for i in range(n)}) == n]
    ### END SOLUTION

# %% [markdown] hints="3.3.C"
# 1. For a given step, how do you see from the n results that none is missing?
# 2. `len(set(values))` counts the different values.
# 3. For n = 6 the step 3 gives 0, 3, 0, 3, 0, 3: two different values.

# %% check="3.3.C" points=1
def shown(steps, n):
    """What the first of these steps gives."""
    if not steps or not isinstance(steps[0], int) or not 1 <= steps[0] < n:
        return "A step is a whole number from 1 to n - 1."
    rows = [steps[0] * i % n for i in range(n)]
    back = next((i for i in range(1, n) if rows[i] == 0), n)
    return f"Step {steps[0]} gives {', '.join(map(str, rows[:8]))}{', ...' if n > 8 else ''}" + (
        f": after {back} rows it is at 0 again." if back < n else ", and is at 0 again only after all rows.")

def visible():
    for n, wanted in ((12, [1, 5, 7, 11]), (7, [1, 2, 3, 4, 5, 6]), (2, [1]), (121, [a for a in range(121) if a % 11])):
        steps = good_steps(n)
        assert_type(steps, (list, tuple), f"what good_steps({n}) returns", of="complete", hint="A list of the steps is asked.")
        missing, false = [a for a in wanted if a not in steps], [a for a in steps if a not in wanted]
        assert_equal(missing, [], f"steps that work and are missing, {n} rows", of="complete", hint=lambda: shown(missing, n),
                     mistakes={"A step need not be a prime number: see 7 rows, steps 4 and 6.": [4, 6],
                               f"The last step, {n} - 1, is missing: does a range end too early?": [n - 1]})
        assert_equal(false, [], f"steps in your list that do not work, {n} rows", of="no false step", hint=lambda: shown(false, n),
                     mistakes={"An odd step need not work: see 12 rows, step 3.": [3, 9],
                               "A step that does not divide n need not work: see 12 rows, step 8.": [8, 9, 10]})
        assert_equal(steps, wanted, f"the list for {n} rows, in increasing order", of="complete",
                     hint="These are the right steps, but not in increasing order, or one of them stands there twice.")

visible()
### BEGIN HIDDEN TESTS
def hidden():
    for n in (9, 30, 11, 16, 21, 143):
        wanted = [a for a in range(1, n) if math.gcd(a, n) == 1]
        steps = good_steps(n)
        assert_equal([a for a in wanted if a not in steps], [], f"steps that work and are missing, {n} rows", of="complete")
        assert_equal([a for a in steps if a not in wanted], [], f"steps in your list that do not work, {n} rows", of="no false step")
        assert_equal(len(steps), len(wanted), f"the length of the list for {n} rows", of="no false step")

hidden()
### END HIDDEN TESTS

# %% [markdown] teaches="bitwise exclusive or, binary notation"
# ### Flipping bits back
#
# A fixed step is a permutation, but not random at all: from each row one can tell the next. A better permutation works
# on the *bits* of the row number, and needs a few operators.
#
# - `0b1011` is a number written in binary, 8 + 2 + 1 = 11. `f"{11:04b}"` writes it so, with four digits. (`0x` begins a
#   number in base 16; that is only another way to write it.)
# - `i // 4` drops the last two bits of `i`, and `i % 4` keeps only these. `i >> 2` is a shorter way to write `i // 2**2`.
# - `a ^ b` is the **exclusive or**, bit by bit: a bit of the result is 1 where those of `a` and `b` differ. In other
#   words, it flips the bits of `a` where `b` has a 1. Flip them again, and they are back: `a ^ b ^ b` is `a`.

# %%
print(f"11 in two halves of two bits: {11 // 4:02b} and {11 % 4:02b}")
a, b = 0b1100, 0b1010
print(f"{a:04b} ^ {b:04b} = {a ^ b:04b}, and once more ^ {b:04b} = {a ^ b ^ b:04b}")

# %% [markdown] teaches="hash, Feistel network"
# Two ideas make a permutation of that.
#
# **A hash**: a function that mixes the bits of a number beyond recognition. `mix(value, key)` below gives a number from
# 0 to 2³²-1; another key gives another function. Its large constants have no meaning; they are odd numbers whose bits have
# no pattern. It is no permutation: cut to few bits, two values may have the same hash.
#
# **A Feistel network** makes a permutation of *any* such function. Cut a number of 2h bits into two halves of h bits,
# left and right. One round is
#
# $$(\text{left},\ \text{right}) \;\to\; (\text{right},\ \text{left} \oplus f(\text{right})),$$
#
# where f is the hash, cut to h bits, and ⊕ is the exclusive or. A round can be undone, whatever f is: the new left half
# *is* the old right one, from which f(right) can be computed again. What can be undone never sends two numbers to the same
# place. That makes it a permutation of the 2^(2h) numbers of 2h bits.

# %% tags=["setup"]
def mix(value, key):
    """A hash of the integer `value`, from 0 to 2**32 - 1, that depends on the integer `key`."""
    x = (value * 0x9E3779B1 + key * 0x85EBCA6B + 0x165667B1) % 2**32
    x = (x ^ (x >> 16)) * 0x7FEB352D % 2**32
    x = (x ^ (x >> 15)) * 0x846CA68B % 2**32
    return x ^ (x >> 16)

def feistel(i, half_bits, keys):
    """A pseudo-random permutation of 0 ... 2**(2 * half_bits) - 1, with one round for each key."""
    size = 2 ** half_bits
    left, right = i // size, i % size
    for key in keys:
        left, right = right, left ^ (mix(right, key) % size)
    return left * size + right

# %%
left, right = 0b10, 0b11                                # the number 11 = 0b1011, in two halves of 2 bits
f = mix(right, 7) % 4
print(f"one round of 11 with key 7: f(right) = {f:02b}, new halves {right:02b} and {left ^ f:02b}, so {right * 4 + (left ^ f)}")
print("the 16 numbers of 4 bits:", [feistel(i, 2, [7, 1, 9, 4]) for i in range(16)])

# %% tags=["demo"]
orders = {"fixed step 397": [stepped(i, 1024, 397) for i in range(1024)],
          "Feistel network, 1 round": [feistel(i, 5, [1]) for i in range(1024)],
          "Feistel network, 4 rounds": [feistel(i, 5, [1, 2, 3, 4]) for i in range(1024)]}
figure, axes = plt.subplots(1, 3, figsize=(8.5, 3.1), sharey=True, layout="constrained")
for axis, (name, order) in zip(axes, orders.items()):
    axis.plot(order, ".", markersize=2)
    axis.set(title=name, xlabel="place i in the pass", xticks=(0, 500, 1000))
axes[0].set_ylabel("number of the row")
plt.show()

# %% [markdown]
# The order of 1024 rows by three permutations: each picture has one dot in every column and one in every row. With a
# fixed step the dots lie on lines. After one round there are stripes: the new left half is the old right half as it was,
# so places that follow each other still go to rows at equal distances. After four rounds the eye finds no pattern. And
# all that must be kept is four keys.

# %% [markdown] task="3.3.2b" kind="code" minutes=10 difficulty=3 needs="Feistel network, bitwise exclusive or, hash"
# ### Undo it
#
# When does row 123,456 come in this pass? That asks for the *inverse* permutation, and to write it is also the proof
# that `feistel` is one.
#
# Write `feistel_inverse(j, half_bits, keys)`: the `i` for which `feistel(i, half_bits, keys)` is `j`. Use `mix`, as
# `feistel` does. To try all i until one fits would take centuries for numbers of 60 bits: think backwards.
#
# **You are done when**
# - **one round**: it undoes a single round;
# - **several rounds**: it undoes several rounds with different keys;
# - **large numbers**: it is exact for numbers of 60 bits (`half_bits=30`), and computes: it calls `mix` at most ten times
#   for each key;
# - **integer**: the result is an integer;
# - **keys kept**: the list `keys` is as it was.

# %% exercise="3.3.2b"
def feistel_inverse(j, half_bits, keys):
    """The i with feistel(i, half_bits, keys) == j."""
    ### BEGIN SOLUTION
    size = 2 ** half_bits
    left, right = j // size, j % size
    for key in reversed(keys):
        left, right = right ^ (mix(left, key) % size), left
    return left * size + right
    ### END SOLUTION

# %% [markdown] hints="3.3.2b"
# 1. After a round you hold `new_left` and `new_right`. Which of them is the old right half?
# 2. `old_left ^ f == new_right`, so `old_left == new_right ^ f`. The key that was used last is undone first.
# 3. Undoing "shoes over socks": shoes off, then socks. For (a, b) → (b, a + g(b)): from (p, q) back to (q - g(p), p).

# %% check="3.3.2b" points=2
@probe
def undone(j, half_bits, keys, limit):
    """The inverse, or -1 where `mix` was called more often than the limit allows; then the keys afterwards."""
    class Enough(Exception):
        pass

    names, calls = feistel_inverse.__globals__, [0]
    kept = names["mix"]

    def counted(value, key):
        calls[0] += 1
        if calls[0] > limit:
            raise Enough
        return kept(value, key)

    names["mix"] = counted
    try:
        return [feistel_inverse(j, half_bits, keys), keys]
    except Enough:
        return [-1, keys]
    finally:
        names["mix"] = kept

def back(there, half_bits, keys):
    return [feistel_inverse(j, half_bits, list(keys)) for j in there]

def there(places, half_bits, keys):
    return [feistel(i, half_bits, list(keys)) for i in places]

def which_half(found, places, half_bits, key):
    """Which half of the number before one round is found, and which is not."""
    size = 2 ** half_bits
    lefts, rights = (all(isinstance(k, int) and part_of(k) == part_of(i) for k,
                         i in zip(found, places)) for part_of in (lambda k: k // size, lambda k: k % size))
    if rights:
        return ("The old right half is found. The old left half is not: the round made new_right of it by an exclusive or with f "
                "of the old right half, and the same again undoes that.")
    if lefts:
        return "The old left half is found. The old right half is not: it stands unchanged in the new number, on the left."
    i = places[-5]
    left, right, j = i // size, i % size, feistel(i, half_bits, [key])
    return (f"Neither half is found throughout. For example {i}, with the halves {left} and {right}: f({right}) = "
            f"{mix(right, key) % size}, so the round gives {right} and "
            f"{left} ^ {mix(right, key) % size} = {left ^ mix(right, key) % size}, that is {j}. From {j} yours makes "
            f"{found[-5]}.")

def check_large(j, half_bits, keys):
    found = undone(j, half_bits, list(keys), 10 * len(keys))[0]
    call = f"feistel_inverse({j}, {half_bits}, {keys})"
    assert_true(found != -1, f"{call} calls mix at most ten times for each of its {len(keys)} keys", of="large numbers",
                hint="This is a search. Which half of the old number stands in the new one, as it was?")
    assert_type(found, int, f"what {call} returns", of="integer")
    assert_equal(feistel(int(found), half_bits, list(keys)), j, f"feistel of what {call} returns", of="large numbers",
                 hint="For small numbers it is right. A division with / rounds numbers of more than 53 bits; // does not. (And "
                 f"the halves have half_bits bits each, here {half_bits}.)")

def visible():
    assert_type(feistel_inverse(9, 2, [5]), int, "what feistel_inverse(9, 2, [5]) returns", of="integer",
                mistakes={"These are two halves; one number is asked, as `feistel` puts it together.": tuple,
                          "This is a float: of the two divisions, // stays whole, and / does not.": float})
    found = back(there(range(16), 2, [5]), 2, [5])
    assert_equal(found, list(range(16)), "feistel_inverse(feistel(i, 2, [5]), 2, [5]) for i = 0 ... 15", of="one round",
                 hint=lambda: which_half(found, range(16), 2, 5),
                 mistakes={"This runs the round forward once more.": [feistel(feistel(i, 2, [5]), 2, [5]) for i in range(16)],
                           "Perhaps your halves are exchanged at the end: left comes first.": [i % 4 * 4 + i // 4 for i in range(16)],
                           "The hash is to be cut to half_bits bits, as in feistel.":
                           [((j % 4) ^ mix(j // 4, 5)) * 4 + j // 4 for j in there(range(16), 2, [5])],
                           "The hash is to be cut to half_bits bits, by % 2**half_bits: yours keeps fewer.":
                           [((j % 4) ^ mix(j // 4, 5) % 2) * 4 + j // 4 for j in there(range(16), 2, [5])],
                           "f is the hash of the old right half; which half is that now?":
                           [((j % 4) ^ mix(j % 4, 5) % 4) * 4 + j // 4 for j in there(range(16), 2, [5])],
                           "f is taken of the whole of j: it is the hash of the old right half alone.":
                           [(j % 4 ^ mix(j, 5) % 4) * 4 + j // 4 for j in there(range(16), 2, [5])],
                           "A half has half_bits bits, so j is cut in two with 2**half_bits, not with 4**half_bits.":
                           [(j ^ mix(0, 5) % 16) * 16 for j in there(range(16), 2, [5])],
                           "f is taken of the right half of j. But that is the new one: the old right half stands on the left "
                           "now.":
                           [((j // 4) ^ mix(j % 4, 5) % 4) * 4 + j % 4 for j in there(range(16), 2, [5])],
                           "An exclusive or is undone by an exclusive or, not by a subtraction.":
                           [(j % 4 - mix(j // 4, 5)) % 4 * 4 + j // 4 for j in there(range(16), 2, [5])],
                           "No round is undone here: one key, one round.": there(range(16), 2, [5])})
    found = back(there(range(0, 64, 3), 3, [6]), 3, [6])
    assert_equal(found, list(range(0, 64, 3)), "feistel_inverse(feistel(i, 3, [6]), 3, [6]) for i = 0, 3, ... 63", of="one round",
                 hint=lambda: "With half_bits=2 it is right: here a half has 3 bits. " + which_half(found, range(0, 64, 3), 3, 6))
    for half_bits, keys in ((2, [3, 8, 1]), (4, [0, 9, 2, 6])):
        some = list(range(0, 4 ** half_bits, 3))
        assert_equal(back(there(some, half_bits, keys), half_bits, keys), some,
                     f"feistel_inverse undoes feistel with half_bits={half_bits}, keys={keys}", of="several rounds",
                     hint="A single round is undone. With several keys each round is undone with its own key, and the last round "
                     "first.", mistakes={
                         "This runs the rounds forward, the last key first: a round is undone by another step than the one that "
                         "did it.":
                         [feistel(j, half_bits, keys[::-1]) for j in there(some, half_bits, keys)],
                         "Only the round of the last key is undone: there is a round for each key.": there(some, half_bits, keys[:-1]),
                         "The round of the first key is not undone.": there(some, half_bits, keys[:1])})
    for j in (123, 5 * 2**30 - 1, 2**60 - 1):
        check_large(j, 30, [3, 8, 1, 7])
    assert_equal(undone(9, 2, [3, 8, 1], 1000)[1], [3, 8, 1], "keys after feistel_inverse(9, 2, keys) with keys = [3, 8, 1]", of="keys kept",
                 hint="`reversed(keys)` and `keys[::-1]` leave the caller's list as it is; `keys.reverse()` and `keys.pop()` do not.",
                 mistakes={"`keys.reverse()` turns the caller's list round; `reversed(keys)` and `keys[::-1]` leave it.": [1, 8, 3],
                           "`keys.pop()` takes the keys out of the caller's list; `reversed(keys)` and `keys[::-1]` leave it.": []})

visible()
### BEGIN HIDDEN TESTS
def hidden():
    some = list(range(0, 1024, 37))
    assert_equal(back(there(some, 5, [12]), 5, [12]), some, "ten bits, one round", of="one round",
                 hint=lambda: "With half_bits=2 and 3 it is right: here a half has 5 bits. " + which_half(
                     back(there(some, 5, [12]), 5, [12]), some, 5, 12))
    assert_equal(back(there(some, 5, [4, 4, 1, 7, 2]), 5, [4, 4, 1, 7, 2]), some, "ten bits, five rounds", of="several rounds")
    assert_equal(there(back(range(64), 3, [2, 1]), 3, [2, 1]), list(range(64)), "six bits, two rounds", of="several rounds")
    for j in (77 * 2**29 - 1, 2**58 - 2**20):
        check_large(j, 29, [2, 9, 4])
    check_large(10**15, 26, [6, 5, 4, 3, 2, 1])
    assert_equal(undone(50, 3, [2, 1], 1000)[1], [2, 1], "the keys after a call with two of them", of="keys kept")
    assert_type(feistel_inverse(0, 3, [2, 1]), int, "the result for half_bits=3", of="integer")

hidden()
### END HIDDEN TESTS

# %% [markdown] teaches="cycle walking"
# A Feistel network permutes 4, 16, 64, 256, ... numbers. A file has n rows, say 11. **Cycle walking** mends this. Take
# the next larger network, here for 16 numbers. If it sends a place to a number of 11 or more, which is no row, apply it
# again, to that number, until the result is below 11.
#
# Why does this always end, and give each row once? Follow the arrows i → feistel(i). In a permutation each number has
# one arrow out and one arrow in, so the arrows form closed rings. We walk along the ring from a place below 11 to the
# next number below 11 on it. At the latest that is the place where we began. And walking back from a row leads to
# exactly one place.

# %%
def walk_to(limit, i):
    trail = [i]
    while len(trail) == 1 or trail[-1] >= limit:
        trail.append(feistel(trail[-1], 2, [7, 1, 9, 4]))
    return trail

for i in range(4):
    print(f"place {i}:", " -> ".join(map(str, walk_to(11, i))))

# %% [markdown] task="3.3.2c" kind="code" minutes=12 difficulty=4 needs="Feistel network, cycle walking, pseudo-random permutation"
# ### The row at a place, for any number of rows
#
# Write `row_at(i, n, seed)`: the row that comes at place `i` in the pass with this `seed` over a file of `n` rows, for
# 0 ≤ i < n. Use `feistel` (four rounds or more will do) or a permutation of your own. Make the keys from the seed, for
# example with `mix`.
#
# **You are done when**
# - **permutation**: for i = 0 ... n-1 the results are integers, each of 0 ... n-1 once, for any `n` from 1 on;
# - **no table**: it works at once for n = 10¹⁵, where no list of rows fits into any memory;
# - **scattered**: neighbouring places go to rows without a pattern, as in the third picture. For n of about 1000, the jumps
#   from one row to the next, modulo n, take more than n / 2 different values, and the correlation of place and row lies
#   between -0.2 and 0.2. For n = 10¹⁵ the first 200 places lead to each tenth of the file, by more than 190 different jumps;
# - **seed**: the same seed gives the same order. Seeds are integers from 0 to 10⁹, and all of their digits count: for `n` of 10
#   and more, small and large, hardly two of a hundred seeds give the same order.

# %% exercise="3.3.2c"
def row_at(i, n, seed):
    """The row at place i of a pseudo-random pass over n rows."""
    ### BEGIN SOLUTION
    half_bits = 1
    while 4 ** half_bits < n:
        half_bits += 1
    keys = [mix(seed, k) for k in range(4)]
    row = feistel(i, half_bits, keys)
    while row >= n:
        row = feistel(row, half_bits, keys)
    return row
    ### END SOLUTION

# %% [markdown] hints="3.3.2c"
# 1. How many numbers does a network with `half_bits=3` permute? Which is the smallest one that has a number for each of
#    100 rows? (If it is far too large, most numbers are no rows, and the walk takes long.)
# 2. `mix(seed, 0)`, `mix(seed, 1)`, ... are as many different keys as you want, from one seed. All places of a pass must
#    use the same keys.
# 3. Spin a wheel with 16 numbers until it shows one of yours, 0 to 10: spin once at least, and go on *from the number that
#    it shows*, as in the trails above.

# %% check="3.3.2c" points=3
@probe
def rows_at(places, n, seed):
    return [row_at(i, n, seed) for i in places]

@probe
def rows_without_table(places, n, seed):
    """The rows, or none where the memory is not enough."""
    try:
        return [row_at(i, n, seed) for i in places]
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, MemoryError) or "alloc" in str(error):
            return []
        raise

@probe
def calls_of_feistel(i, n, seed, limit):
    """How often row_at calls `feistel`, or the limit where it would do so more often."""
    class Enough(Exception):
        pass

    names, calls = row_at.__globals__, [0]
    kept = names["feistel"]

    def counted(*arguments, **named):
        calls[0] += 1
        if calls[0] >= limit:
            raise Enough
        return kept(*arguments, **named)

    names["feistel"] = counted
    try:
        row_at(i, n, seed)
    except Enough:
        pass
    finally:
        names["feistel"] = kept
    return calls[0]

@probe
def first_calls(i, n, seed):
    """The first calls of `feistel`, two at most: of each the number, `half_bits`, the keys and the result."""
    class Enough(Exception):
        pass

    names, calls = row_at.__globals__, []
    kept = names["feistel"]

    def noted(i, half_bits, keys):
        if len(calls) == 2:
            raise Enough
        keys = list(keys)
        result = kept(i, half_bits, keys)
        calls.append([int(i), int(half_bits), [int(key) for key in keys], int(result)])
        return result

    names["feistel"] = noted
    try:
        row_at(i, n, seed)
    except Enough:
        pass
    finally:
        names["feistel"] = kept
    return calls

def why_long(i, n, seed):
    half_bits = first_calls(i, n, seed)[0][1]
    if half_bits > 8:
        return f"The network permutes 4**{half_bits} numbers: it is far too large for the file, so most numbers are no rows."
    return (f"The network permutes no more than {4 ** half_bits:,} numbers, and the walk does not end: each step must go on "
            "from the number that the network showed last.")

def check_ends(n, seed):
    for i in range(n):
        ends = calls_of_feistel(i, n, seed, 70_000) < 70_000
        assert_true(ends, f"row_at({i}, {n}, {seed}) calls feistel fewer than 70,000 times", of="permutation", hint=lambda: "" if ends
                    else why_long(i, n, seed))

def why_twice(n, seed):
    """What the calls of `feistel` tell of two places that lead to one row."""
    firsts = [first_calls(i, n, seed) for i in range(min(n, 200))]
    if not any(firsts):
        return ("Two places lead to one row, and `feistel` is not called: what stands in its place, a hash for one, is no permutation of "
                "the rows.")
    if not all(firsts):
        return f"Two places lead to one row, and for place {firsts.index([])} `feistel` is not called, for others it is: ask it for each."
    (_, half_bits, keys, _), (_, _, other_keys, _) = firsts[0][0], firsts[1][0]
    if keys != other_keys:
        return ("Two places lead to one row: `feistel` gets other keys at place 1 than at place 0. All places of a pass must use "
                "the same permutation, with the same keys.")
    if 4 ** half_bits < n:
        return (f"Two places lead to one row: the network permutes {4 ** half_bits:,} numbers, fewer than the file has rows.")
    walks = [(place, calls) for place, calls in enumerate(firsts) if len(calls) == 2]
    if not walks:
        return ("Two places lead to one row, and `feistel` is called only once for each place, so nothing walks on from a number that "
                "is no row: that is what a remainder or a limit does.")
    place, ((_, _, keys, shown), (asked, _, later_keys, _)) = walks[0]
    if keys != later_keys:
        return (f"Two places lead to one row: in the walk from place {place} `feistel` gets other keys at the second step "
                "than at the first. Each step must apply the same permutation, with the same keys, to the number that came last.")
    if asked != shown:
        return (f"Two places lead to one row: in the walk from place {place} `feistel` gave {shown}, and the next step asks "
                f"it for {asked}. Go on from the number that it showed, {shown}.")
    return ("Two places lead to one row, though `feistel` is called again where the result is no row: each step must apply the same "
            "permutation, with the same keys, to the number that came last.")

def check_permutation(rows, n, kind, seed):
    assert_equal([row for row in rows if not 0 <= row < n][:3], [], f"results that are no row, {kind}", of="permutation",
                 hint="Cycle walking: apply the same permutation again while the result is no row.")
    twice = sorted({row for row in rows if rows.count(row) > 1})[:3] if len(set(rows)) < len(rows) else []
    assert_equal(twice, [], f"rows that come twice, {kind}", of="permutation", hint=lambda: why_twice(n, seed) if twice else "")

def check_rows(n, seed):
    assert_type(row_at(0, n, seed), int, f"what row_at(0, {n}, {seed}) returns", of="permutation")
    rows, kind = rows_at(range(n), n, seed), f"row_at(i, {n}, {seed}) for i = 0 ... {n - 1}" if n > 1 else f"row_at(0, 1, {seed})"
    for row in rows:
        assert_type(row, int, f"each result of {kind}", of="permutation")
    check_permutation(rows, n, kind, seed)

def small_network(n, seed):
    """What is to be said of a network that is too small for the file, else nothing."""
    calls = first_calls(0, n, seed)
    return (f"Your network permutes {4 ** calls[0][1]:,} numbers, fewer than the file has rows: the upper bits of a place "
            f"stay as they are."
            if calls and 4 ** calls[0][1] < n else "")

def why_few(jumps, n, seed):
    """Why the rows follow each other by few different jumps."""
    calls = first_calls(0, n, seed)
    said = ("The same step leads from each row to the next." if jumps == 1 else
            "Your network has a single round, which leaves one half of the number as it was."
            if calls and len(calls[0][2]) == 1 else "")
    return f"{said} A fixed step has one jump, a single round about {n // 10}, a random order about {round(0.63 * n)}.".strip()

def jumps_and_trend(rows, n):
    trend = torch.corrcoef(torch.tensor([range(len(rows)), rows], dtype=torch.float64))[0, 1].item()
    return len({(b - a) % n for a, b in zip(rows, rows[1:])}), round(trend, 2)

def check_scattered(n, seed):
    rows = rows_at(range(n), n, seed)
    check_permutation(rows, n, f"row_at(i, {n}, {seed}) for i = 0 ... {n - 1}", seed)
    stay = sum(i == row for i, row in enumerate(rows))
    assert_true(stay < n // 10, f"place i and row i come together for few i, n = {n}, seed {seed} (yours: {stay} times)", of="scattered",
                hint="Apply the permutation once at least, and walk on from there while the result is no row.")
    jumps, trend = jumps_and_trend(rows, n)
    assert_true(abs(trend) < 0.2, f"the correlation of place and row for n = {n}, seed {seed}, is between -0.2 and 0.2 (yours is {trend})",
                of="scattered", hint=lambda: (small_network(n, seed) if abs(trend) >= 0.2 else "") or "The place tells about where the "
                "row lies.")
    assert_true(jumps > n // 2, f"more than {n // 2} different jumps from row to row for n = {n}, seed {seed} (yours take {jumps} values)",
                of="scattered", hint=lambda: why_few(jumps, n, seed) if jumps <= n // 2 else "")

def check_large(n, seed, other):
    rows = rows_without_table(range(200), n, seed)
    assert_true(len(rows) > 0, f"the memory is enough for row_at(0, {n}, {seed})", of="no table",
                hint="No list of all rows fits into any memory: work out the row of this one place.")
    assert_true(all(0 <= row < n for row in rows), f"row_at(i, {n}, {seed}) is a row, for i = 0 ... 199", of="no table",
                hint="Some results are not from 0 to n - 1: walk on while the result is no row. (Is a size worked out in "
                "floating point?)")
    assert_equal(len(set(rows)), 200, f"how many different rows row_at(i, {n}, {seed}) gives for i = 0 ... 199", of="no table",
                 hint="Two of these places lead to one row: for large n, too, it is to be a permutation. Floating point rounds "
                 "numbers of more than 53 bits.")
    jumps = jumps_and_trend(rows, n)[0]
    assert_true(jumps > 190, f"more than 190 different jumps from row to row for the first 200 places of n = {n} (yours take {jumps} values)",
                of="scattered", hint="For large n, too, the rows must not follow from each other by a rule that one can see.")
    assert_equal(len({10 * row // n for row in rows}), 10, f"to how many tenths of the file the first 200 places of n = {n} lead", of="scattered",
                 hint="Neighbouring places stay close together: too few rounds leave one half of the number as it was.")
    shared = sum(a == b for a, b in zip(rows, rows_at(range(200), n, other)))
    assert_true(shared < 100, f"the seeds {seed} and {other} give different rows for n = {n}", of="seed",
                hint="For large n, too, the keys are to be made from the seed.")

def why_alike(seed, alike):
    """Why two seeds that are far from each other give the same order of 16 rows: a remainder, or few orders altogether."""
    orders = [tuple(rows_at(range(8), 16, k)) for k in range(200)]
    count = len(set(orders))
    if count < 190 and any(order != orders[k % count] for k, order in enumerate(orders)):
        return (f"Of 16 rows yours has few orders altogether: the 200 seeds 0 ... 199 give {count}. "
                "Each round, or step, has to mix the bits anew, with a key of its own.")
    return (f"They differ by {alike - seed:,}. A remainder of the seed, or a part of its digits, takes them "
            f"for one: make the keys from the whole seed.")

def check_digits(seed):
    """All of a seed's digits count: seeds that many a remainder, or a part of the seed, takes for this one."""
    others = [seed + far for far in (2**8, 2**12, 2**16, 2**20, 720_720, 479_001_600, 997 * 1009, 65_521 * 7919)]
    others += [seed + 10**k for k in range(2, 9)]
    wanted = rows_at(range(8), 16, seed)
    alike = next((other for other in others if rows_at(range(8), 16, other) == wanted), None)
    assert_true(alike is None, f"the seeds {seed} and {alike} give different orders for n = 16" if alike else f"seeds far from "
                f"{seed} give other orders for n = 16", of="seed",
                hint=lambda: why_alike(seed, alike) if alike else "")

def visible():
    check_ends(5, 3)
    for n in (5, 16, 1, 11):
        check_rows(n, 3)
    for n in (1000, 1500):
        check_scattered(n, 2)
    assert_equal(len({tuple(rows_at(range(16), 16, 3)) for _ in range(2)}), 1,
                 "how many orders seed 3 gives for n = 16, asked twice", of="seed",
                 hint="The order is to come from the seed alone: from no random number, and from nothing that an earlier call "
                 "left behind.")
    assert_equal(len({tuple(rows_at(range(16), 16, seed)) for seed in (3, 4)}), 2, "how many orders the seeds 3 and 4 give for n = 16", of="seed",
                 hint="Make the keys from the seed: to shift one order gives few others.")
    assert_equal(len({tuple(rows_at(range(16), 16, seed)) for seed in (3, 19, 35)}), 3, "how many orders the seeds 3, 19 and 35 give for n = 16",
                 of="seed", hint="The seeds differ by multiples of 16. A remainder of the seed, or places shifted by it, do not tell them apart: make the "
                              "keys from the whole seed.")
    assert_equal(len({tuple(rows_at(range(16), 16, seed)) for seed in (3, 1003, 1_000_003)}), 3, "how many orders the seeds 3, 1003 and 1,000,003 give for n = 16",
                 of="seed", hint="Make the keys from the whole seed, not from its last digits.")
    check_digits(3)
    check_large(10**15, 1, 2)
    check_permutation(rows_at(range(3000), 1_000_003, 2), 1_000_003, "the first 3000 places of 1,000,003", 2)

visible()
### BEGIN HIDDEN TESTS
def hidden():
    for n in (2, 3, 17, 64, 65, 200):
        for seed in (0, 7):
            check_permutation(rows_at(range(n), n, seed), n, f"n = {n}, seed {seed}", seed)
    for n, i in ((2**50 + 1, 2**50), (2**40 + 1, 5)):       # log2 in floating point takes the first of these for 2**50
        assert_true(calls_of_feistel(i, n, 3, 70_000) < 70_000, f"row_at({i}, {n}, 3) calls feistel fewer than 70,000 times", of="permutation",
                    hint="The network must have at least n numbers, and not many more. Work out its size in whole numbers: log2 rounds.")
    check_permutation(rows_at(range(4097), 4097, 1), 4097, "n = 4097, seed 1", 1)
    check_digits(77)
    check_large(10**15 + 7, 5, 6)
    check_permutation(rows_at(range(7, 2_000_003, 500), 2_000_003, 4), 2_000_003, "4000 places of 2,000,003", 4)
    check_large(3 * 10**9, 0, 1)
    far = rows_at([10**14 * k + 1 for k in range(10)], 10**15 + 7, 5)
    assert_equal(len({row for row in far if 0 <= row < 10**15 + 7}), 10, "ten places among 10**15 + 7", of="no table")
    for n, seed in ((1024, 11), (900, 0)):
        check_scattered(n, seed)
    assert_equal(len({tuple(rows_at(range(50), 50, seed)) for seed in range(6)}), 6, "how many different orders the seeds 0 ... 5 give for n = 50", of="seed")
    assert_equal(len({tuple(rows_at(range(50), 50, seed)) for seed in (2, 52, 102)}), 3, "how many orders the seeds 2, 52 and 102 give for n = 50", of="seed")
    assert_equal(len({tuple(rows_at(range(50), 50, 4)) for _ in range(2)}), 1, "how many orders seed 4 gives for n = 50, asked twice", of="seed")

hidden()
### END HIDDEN TESTS

# %% [markdown] task="3.3.2d" kind="code" minutes=15 difficulty=3 needs="memory-mapped file, generator function, tracemalloc, pseudo-random permutation"
# ### A shuffled pass over a file
#
# Put it together. Write the generator function `disk_batches(path, d, batch_size, order)`. The file at `path` holds
# rows of `d` features and a target in float32, as before; how many rows it has, its size tells. `order` is a function
# from a place 0 ... n-1 to a row number, such as `lambda i: row_at(i, n, seed)`. It yields the batches `(X, y)` of one
# pass in this order; the last batch holds what is left.
#
# **You are done when**
# - **shape**: `X` has shape `(k, d)` and `y` shape `(k, 1)` for a batch of `k` rows, and both are float32 tensors;
# - **sizes**: all batches but the last have `batch_size` rows, and the last what is left;
# - **values**: the rows come in the order given, features beside their own targets, and a batch keeps them when the next one
#   is made;
# - **memory**: neither the file nor the order is held whole: in a pass over 8192 rows of 24 bytes in batches of 16, the peak
#   that `tracemalloc` measures stays below a quarter of the file, 49 kB. So do, in batches of 256, the tensors that torch makes
#   by copying: all of them together until the first batch is handed out, and later those that still exist when a batch is
#   handed out.

# %% exercise="3.3.2d"
def disk_batches(path, d, batch_size, order):
    """Yields the batches (X, y) of one pass over the file at `path`; order(i) is the row at place i."""
    ### BEGIN SOLUTION
    on_disk = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    n = len(on_disk)
    for start in range(0, n, batch_size):
        rows = [order(i) for i in range(start, min(start + batch_size, n))]
        table = torch.from_numpy(on_disk[rows])
        yield table[:, :d], table[:, d:]
    ### END SOLUTION

# %% [markdown] hints="3.3.2d"
# 1. What may be as long as the file, and what only as long as a batch: the map, the row numbers, the rows, the tensors?
# 2. The file's size in bytes, or `len` of the reshaped map, tells n. In which places does the batch end that begins at
#    place `start`, if it is the last one?
# 3. A long letter in pages: `for start in range(0, len(letter), 80): yield letter[start:start + 80]`. No list of all
#    pages is ever made.

# %% check="3.3.2d" points=3
@probe
def pass_over(table, d, batch_size, step):
    n = len(table)
    with tempfile.TemporaryDirectory() as place:
        file = os.path.join(place, "table.bin")
        table.numpy().tofile(file)
        made = disk_batches(file, d, batch_size, lambda i: (step * i + 2) % n)
        return [tuple(batch) for batch in made] if hasattr(made, "__iter__") else made

@probe
def places_in_a_call(table, d, batch_size):
    """For how many places each call of `order` asks."""
    asked = []

    def order(i):
        try:
            asked.append(len(i))
        except TypeError:
            asked.append(1)
        return i

    with tempfile.TemporaryDirectory() as place:
        file = os.path.join(place, "table.bin")
        table.numpy().tofile(file)
        for batch in disk_batches(file, d, batch_size, order):
            pass
    return asked

@probe
def kilobytes_of_a_pass(n, d, batch_size):
    """In 1000 bytes: tracemalloc's peak in a pass; what torch copies before the first of 32 batches, and what of it exists half-way."""
    import tracemalloc
    import weakref
    from torch.overrides import TorchFunctionMode

    class Copies(TorchFunctionMode):
        size, shared = 0, ("from_numpy", "as_tensor", "asarray", "frombuffer", "from_file", "from_dlpack")

        def __init__(self):
            super().__init__()
            self.made = []

        def __torch_function__(self, func, types, args=(), kwargs=None):
            made = func(*args, **(kwargs or {}))
            if torch.is_tensor(made) and func.__name__ not in self.shared:
                owners = [t for t in args if torch.is_tensor(t) and t.untyped_storage().data_ptr() == made.untyped_storage().data_ptr()]
                if not owners:                                          # a view has its numbers from one of the arguments
                    self.size += made.numel() * made.element_size()
                if not owners or any(hasattr(t, "copied") for t in owners):
                    made.copied = True
                    self.made.append(weakref.ref(made))
            return made

        def kept(self):
            here = [t.untyped_storage() for t in (one() for one in self.made) if t is not None]
            return sum({storage.data_ptr(): storage.nbytes() for storage in here}.values())

    with tempfile.TemporaryDirectory() as place:
        file = os.path.join(place, "table.bin")
        np.ones((n, d + 1), dtype=np.float32).tofile(file)
        copied, kept = 0, 0
        with Copies() as copies:
            for number, batch in enumerate(disk_batches(file, d, n // 32, lambda i: i)):
                if number == 0:
                    copied = copies.size
                elif number == 15:
                    kept = copies.kept()
                    break
        tracemalloc.start()
        try:
            for batch in disk_batches(file, d, batch_size, lambda i: n - 1 - i):
                pass
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    return [peak // 1000, copied // 1000, kept // 1000]

@probe
def places_at_first(n, d, batch_size):
    """For how many places `order` was asked when the first batch is handed out."""
    asked = [0]

    def order(i):
        asked[0] += 1
        return i

    with tempfile.TemporaryDirectory() as place:
        file = os.path.join(place, "table.bin")
        np.ones((n, d + 1), dtype=np.float32).tofile(file)
        for batch in disk_batches(file, d, batch_size, order):
            break
    return asked[0]

@probe
def kilobytes_at_first(n, d, batch_size):
    """In 1000 bytes: tracemalloc's peak until the first batch is handed out."""
    import tracemalloc
    with tempfile.TemporaryDirectory() as place:
        file = os.path.join(place, "table.bin")
        np.ones((n, d + 1), dtype=np.float32).tofile(file)
        tracemalloc.start()
        try:
            for batch in disk_batches(file, d, batch_size, lambda i: n - 1 - i):
                break
            return tracemalloc.get_traced_memory()[1] // 1000
        finally:
            tracemalloc.stop()

def why_much(n, d, batch_size):
    if places_at_first(n, d, batch_size) >= n:
        return ("`order` is asked for all places before the first batch is handed out: a list of all row numbers or of all "
                "batches is too much to hold. Ask for the places of a batch when its turn comes.")
    first = kilobytes_at_first(n, d, batch_size)
    in_turn = "The places are asked for batch by batch, as they should be. "
    if first < n * (d + 1) // 1000:
        return in_turn + (f"And no more than {first} kB are held until the first batch. It grows from there: what was made for "
                          "batches that were handed out is kept.")
    half = kilobytes_at_first(n // 2, 2 * d + 1, batch_size)
    if half < 0.7 * first:
        return (f"By the time of the first batch {first} kB are held, and {half} kB where a file of the same size has half as many "
                "rows: something is held for each row, such as a list of all places. `range` needs no list.")
    return in_turn + (f"But {first} kB are held by the time of the first batch: the file is read or copied, whole or in a long "
                      "piece, and a batch needs its own rows alone.")

def check_memory(n, d, batch_size):
    peak, copied, kept = kilobytes_of_a_pass(n, d, batch_size)
    kind = f"{n:,} rows, a file of {n * (d + 1) * 4 // 1000} kB:"
    assert_true(copied < n * (d + 1) // 1000, f"{kind} in batches of {n // 32}, until the first is handed out, the tensors that torch copies stay below a "
                f"quarter of the file (yours: {copied} kB)", of="memory", hint="Only the rows of the first batch, and their numbers, are needed by then.")
    assert_true(kept < n * (d + 1) // 1000, f"{kind} in batches of {n // 32}, the tensors made by torch that still exist half-way through stay below a quarter "
                f"of the file (yours: {kept} kB)", of="memory", hint="A batch that was handed out is not needed any more.")
    assert_true(peak < n * (d + 1) // 1000, f"{kind} in a pass in batches of {batch_size} the peak of tracemalloc stays below a quarter of the file (yours: {peak} kB)",
                of="memory", hint=lambda: why_much(n, d, batch_size) if peak >= n * (d + 1) // 1000 else "")

def visible():
    table = torch.arange(28.).reshape(7, 4)
    batches = pass_over(table, 3, 3, 3)
    assert_type(batches, list, "a pass over a file of 7 rows in batches of 3, listed", of="sizes",
                hint="A generator function is asked: it hands out batches with `yield`.")
    assert_equal(sorted({len(batch) for batch in batches}), [2], "how many tensors each batch holds", of="shape",
                 mistakes={"A batch is a pair (X, y), not a single tensor.": [1, 3]})
    rows = sum(len(batch[1]) for batch in batches)
    assert_equal([len(batch[1]) for batch in batches], [3, 3, 1], "the batch sizes for 7 rows in batches of 3", of="sizes",
                 hint="7 = 2 · 3 + 1: two full batches, then the one row that is left." if rows == 7 else
                 f"These are {rows} rows altogether. The file has 7: its size in bytes, divided by the 4 · (d + 1) of a row.",
                 mistakes={"The last, smaller batch is missing.": [3, 3],
                           "The last batch holds only what is left; the file has 7 rows, of d + 1 numbers each.": [3, 3, 3],
                           "These are single rows: a batch holds batch_size of them.": [1] * 7})
    assert_equal([len(batch[1]) for batch in pass_over(table[:6], 3, 3, 5)], [3, 3], "the batch sizes for 6 rows in batches of 3",
                 of="sizes", hint="6 = 2 · 3: two full batches, and nothing is left.",
                 mistakes={"Where the numbers fit there is no further batch.": [3, 3, 0],
                           "A full last batch is handed out, too.": [3]})
    assert_shape(batches[0][0], (3, 3), "the shape of the first X, three rows of 3 features", of="shape",
                 hint="A row for each row of the batch, a column for each feature.",
                 mistakes={"The last number of a row is the target, which is no feature.": (3, 4),
                           "A row of the file has d + 1 numbers, d features and then the target.": (3, 2)})
    assert_shape(batches[0][1], (3, 1), "the shape of the first y", of="shape",
                 hint="A row for each row of the batch, with one number: the target.",
                 mistakes={"A slice keeps the axis that an index drops: `t[:, d:]`, not `t[:, d]`.": (3,)})
    assert_equal([type(t).__name__ + " " + str(t.dtype) for t in batches[0]], ["Tensor torch.float32"] * 2, "type and dtype of X and y",
                 of="shape", hint="The file holds float32, and so does a map with dtype=np.float32; `torch.from_numpy` makes a "
                 "tensor of what is picked.")
    rows = [(3 * i + 2) % 7 for i in range(7)]
    assert_close(torch.cat([batch[1] for batch in batches]), table[rows, 3:], f"the targets for a file with 0, 1, 2, ... in the order {rows}",
                 of="values", hint="Row r has the target 4 r + 3. The first place leads to row order(0) = 2, with target 11, the "
                 "second to row 5, with 23, and so on.", mistakes={
                     "The targets stand in the order of the file.": table[:, 3:],
                     "A batch that was handed out has changed when the next ones were made: each needs memory of its own.":
                     table[[6, 0, 3, 6, 0, 3, 6], 3:],
                     "The rows of a batch come in the order given; do not sort them.": table[[1, 2, 5, 0, 3, 4, 6], 3:],
                     "The places go on from batch to batch: here each batch asks for order(0), order(1), ...": table[[2, 5, 1, 2, 5, 1, 2], 3:],
                     "`order` was applied twice.": table[[1, 3, 5, 0, 2, 4, 6], 3:],
                     "Each place of a batch has a row of its own: ask `order` for each, not for the first one alone.":
                     table[[2, 3, 4, 4, 5, 6, 6], 3:],
                     "order(i) is the row at place i, not the place of row i.": table[[4, 2, 0, 5, 3, 1, 6], 3:],
                     "Here each batch holds rows of one stretch of the file. Place i counts from the beginning of the "
                     "file, and order(i) is a row of the whole file.": table[[2, 2, 1, 5, 5, 4, 6], 3:]})
    assert_close(torch.cat([batch[0] for batch in batches]), table[rows, :3], "the features beside them", of="values",
                 hint="The targets are right. The features are the d numbers before the target, of the same row.")
    assert_equal(max(places_in_a_call(table, 3, 3)), 1, "for how many places at once `order` is asked", of="values",
                 hint="`order` is a function from one place to its row; row_at, for one, takes no array or list of places.")
    check_memory(8192, 5, 16)

visible()
### BEGIN HIDDEN TESTS
def hidden():
    rng = torch.Generator().manual_seed(333)
    for n, d, size, step in ((10, 1, 4, 3), (9, 5, 3, 2), (5, 2, 8, 1)):
        table = torch.randn(n, d + 1, generator=rng)
        batches = pass_over(table, d, size, step)
        kind = f"{n} rows of {d} features in batches of {size}"
        assert_equal([len(batch[1]) for batch in batches], [len(r) for r in torch.arange(n).split(size)], f"the batch sizes, {kind}", of="sizes")
        assert_shape(batches[-1][0], (len(batches[-1][1]), d), f"the shape of the last X, {kind}", of="shape")
        assert_shape(batches[-1][1], (len(batches[-1][0]), 1), f"the shape of the last y, {kind}", of="shape")
        rows = [(step * i + 2) % n for i in range(n)]
        assert_close(torch.cat([torch.cat(batch, dim=1) for batch in batches]), table[rows], f"the rows, {kind}", of="values",
                     hint="For 7 rows of 3 features in batches of 3 it is right: here n, d, batch_size and the order are others.")
        assert_equal(max(places_in_a_call(table, d, size)), 1, f"for how many places at once `order` is asked, {kind}", of="values")
    check_memory(9000, 5, 12)

hidden()
### END HIDDEN TESTS

# %% [markdown] teaches="cost of random access, block shuffle"
# ### What the jumps cost
#
# A disk hands out whole pages. Who wants 12 bytes gets 4096. In file order nothing is lost: the next 340 rows lie in
# the same page. In random order each row comes with a page of its own.
#
# A compromise is the **block shuffle**: cut the file into blocks of, say, 4096 rows, visit the *blocks* in random order,
# hold a few of them in memory, and shuffle the rows of these together. It reads long stretches and still mixes. Here is
# how many pages a batch of 256 rows touches, in a file of 2²⁰ rows of 12 bytes, by three orders:

# %%
def pages_of(rows, row_bytes=12, page=4096):
    first, last = rows * row_bytes // page, (rows * row_bytes + row_bytes - 1) // page
    return len(torch.cat([first, last]).unique())

rows_in_file, block = 2**20, 4096
draw = torch.Generator().manual_seed(3)
blocks = torch.randperm(rows_in_file // block, generator=draw)[:4]         # four blocks in memory
pool = (blocks.reshape(-1, 1) * block + torch.arange(block)).flatten()     # their rows ...
pool = pool[torch.randperm(len(pool), generator=draw)]                     # ... shuffled
print("file order, pages for a batch of 256:  ", pages_of(torch.arange(256)))
print("random order, pages for a batch of 256:", pages_of(torch.randperm(rows_in_file, generator=draw)[:256]))
print(f"block shuffle, pages for {len(pool)} rows: {pages_of(pool)}, or {pages_of(pool) * 256 / len(pool):.2f} for a batch")

# %% [markdown] task="3.3.2e" kind="explain" minutes=15 difficulty=4 needs="cost of random access, block shuffle, pseudo-random permutation, page of a file"
# ### The price of a shuffled pass
#
# Write `bytes_read(n, row_bytes, page_bytes)`: the bytes that a pass over `n` rows takes from the disk, as a pair
# `(in_order, at_random)`. Reckon so: rows lie one after the other from byte 0 on; a page is read whole; in file order
# each page of the file is read once, and the last one may be partly filled; in random order nothing is remembered, so
# each row costs the whole page in which it lies. No row crosses a page border: `row_bytes` divides `page_bytes`.
#
# Then answer in words:
# 1. How many times as much does a random pass read, for rows of 16 bytes and of 4096 bytes, and pages of 4096? What
#    follows for a data set of small rows, and for one of pictures?
# 2. What does a *pseudo-random* permutation save against a stored one, and what does it not save? Give the number for
#    10¹⁰ rows.
# 3. What does the block shuffle gain, and which property of a shuffled pass does it give up? When would that hurt?
#
# **You are done when** your words answer all three, the first two with numbers, and
# - **in order**: the first number is right, with a last page that is partly filled too;
# - **at random**: the second number is right.

# %% exercise="3.3.2e"
def bytes_read(n, row_bytes, page_bytes):
    """Bytes read from disk in a pass over n rows: (in file order, in random order)."""
    ### BEGIN SOLUTION
    pages = math.ceil(n * row_bytes / page_bytes)
    return pages * page_bytes, n * page_bytes
    ### END SOLUTION

# %% [markdown] hints="3.3.2e"
# 1. How many pages does the file have? How many does one row touch?
# 2. `math.ceil(a / b)` is the number of boxes of b for a things.
# 3. Letters of 2 sheets in folders of 8 sheets: 9 letters fill 3 folders. In order one opens 3 folders, at random 9.

# %% check="3.3.2e" points=1
def visible():
    found = bytes_read(1000, 16, 4096)
    assert_type(found, (tuple, list), "what bytes_read(1000, 16, 4096) returns", of="in order",
                hint="A pair is asked: in file order, then in random order.")
    assert_equal(len(found), 2, "how many numbers bytes_read(1000, 16, 4096) returns", of="in order",
                 hint="A pair is asked: in file order, then in random order.")
    assert_close(found[0], 16384, "in order, 1000 rows of 16 bytes, pages of 4096", of="in order",
                 hint="The rows take 16,000 bytes: 3 pages are full and a fourth in part. Four pages are read whole.",
                 mistakes={"Pages are read whole, the last one too.": 16000, "The last, partly filled page is missing.": 12288,
                           "This is the number of pages.": 4, "Bytes are asked, not kilobytes.": 16.384,
                           "This is the price of a random pass: in order, the rows of a page share it.": 4_096_000})
    assert_close(found[1], 4_096_000, "at random, 1000 rows of 16 bytes, pages of 4096", of="at random",
                 hint="Each of the 1000 rows costs the whole page in which it lies, 4096 bytes.",
                 mistakes={"Each row costs a whole page.": 16000, "This is the number of pages.": 1000,
                           "Nothing is remembered: a page is read again for each row in it.": 16384,
                           "This is how many times as much a random pass reads, not how many bytes.": 256,
                           "This is the price of 1024 rows: the last page of the file is not full.": 4_194_304,
                           "A row lies in one page.": 8_192_000,
                           "A row costs the one page in which it lies, not all four pages of the file.": 16_384_000,
                           "The page holds the row: its bytes are not read twice.": 4_112_000,
                           "A page is read whole, the bytes of the row among its others.": 4_080_000})
    assert_close(bytes_read(512, 16, 4096)[0], 8192, "in order, 512 rows of 16 bytes, pages of 4096", of="in order",
                 hint="The rows take 8192 bytes: two pages, both full.",
                 mistakes={"This is a page too many: two pages are just full.": 12288})
    assert_close(bytes_read(600, 16, 4096)[0], 12288, "in order, 600 rows of 16 bytes, pages of 4096", of="in order",
                 hint="The rows take 9600 bytes: two pages are full and a third in part. Three pages are read whole.",
                 mistakes={"A last page that is less than half filled is read whole, too.": 8192})

visible()
### BEGIN HIDDEN TESTS
def hidden():
    for n, row, page in ((7, 4096, 4096), (130, 32, 512), (3, 8, 4096), (64, 64, 4096)):
        hint = ("For rows of 16 bytes and pages of 4096 it is right: here row_bytes and page_bytes are others, and so is the "
                "number of rows that share a page.")
        assert_close(bytes_read(n, row, page)[0], -(-n * row // page) * page,
                     f"in order, {n} rows of {row} bytes, pages of {page}", of="in order", hint=hint)
        assert_close(bytes_read(n, row, page)[1], n * page, f"at random, {n} rows of {row} bytes, pages of {page}",
                     of="at random", hint=hint)

hidden()
### END HIDDEN TESTS

# %% [markdown] written="3.3.2e" points=3
# ### BEGIN SOLUTION
# 1. For rows of 16 bytes a random pass reads 4096/16 = 256 times as much: each row brings a page of which 4080 bytes are
#    thrown away. For rows of 4096 bytes the factor is 1. So a table of small rows is shuffled in blocks, or once when it
#    is written; pictures of many kilobytes can be read at random, though each jump still takes time on a spinning disk.
# 2. A stored order of 10¹⁰ rows takes 8 bytes each, 80 GB. The pseudo-random one needs a handful of keys and computes
#    the row of each place when it is asked. It saves memory. It does not save reading: the jumps are the same.
# 3. It reads long stretches, so hardly a byte in vain: 0.75 pages for a batch of 256 in the run above, where random
#    order took 246. But rows of one block stay close together in the pass: not every order is possible any more. In a
#    file sorted by class or by date, the blocks in memory hold few classes or days, and batches are lopsided again,
#    which is what shuffling was to prevent. More and smaller blocks in memory, or one shuffle of the file, help.
#
# **Rubric**
# - [1] Factors 256 and 1 (or: page / row), and the conclusion that small rows suffer and large ones do not
# - [1] Memory is saved (80 GB for 10¹⁰ rows), reading is not; also accepted: 40 GB with 4-byte numbers and a remark that
#   they are too small for 10¹⁰; lost by: "a pseudo-random permutation reads less"
# - [1] The block shuffle reads long stretches but keeps neighbours near each other; hurts for sorted files; lost by: "no
#   disadvantage"
# ### END SOLUTION

# %% [markdown]
# ## Summary
#
# - Data that we make ourselves, y = Xw + b + noise, have a known truth: a learner that does not find it has a bug. Mind
#   the shapes: a vector plus a column is a square.
# - Batches are handed out by an iterator. That of a generator function is used up after one pass; a class with `__iter__`
#   begins anew, and `DataLoader` is one. One order for features and targets, a new one for each pass.
# - A last batch that is not full is kept (its examples pull harder) or dropped (harmless if reshuffled); validation
#   keeps it, and weighs it by its size. A loader is tested by sorting what it hands out.
# - Random numbers come from a state. A random generator that goes on gives fresh data; one set to its seed gives the same
#   data again; one made of seed *and* epoch gives each epoch its order.
# - Optional: a file larger than memory is read through a memory map, in an order that is computed, not stored. Section 3.4
#   trains on these data, with nothing but tensors; section 3.5 does it with torch's parts.
