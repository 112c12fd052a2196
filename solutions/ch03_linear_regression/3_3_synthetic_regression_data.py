# %% [markdown]
# # 3.3 Synthetic regression data
#
# A model was trained, and its weights came out as 1.93 and -3.52. Is that good? With measured data nobody can say: the
# right weights are unknown, or one would not train. So before a learner meets real data, we let it loose on data that
# we made ourselves. There the right answer is known to the last digit, and a learner that misses it has a bug.
#
# At the end of this section you can make such data, hand them out in minibatches, decide what happens to the last
# batch when the numbers do not fit, shuffle a file that is too large for the memory, and say for each random number
# of a program whether it will be the same tomorrow.

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

generator = torch.Generator().manual_seed(0)
features = torch.randn(n, d, generator=generator)
epsilon = noise * torch.randn(n, 1, generator=generator)
targets = features @ true_w.reshape(-1, 1) + true_b + epsilon

print("features", tuple(features.shape), " targets", tuple(targets.shape))
print("first example:", [round(v, 3) for v in features[0].tolist()], "->", round(targets[0].item(), 3))

# %% [markdown]
# `torch.Generator().manual_seed(0)` is a source of random numbers of our own. The number 0 is its **seed**: from the
# same seed come the same numbers, every time. Whoever runs this cell gets these examples. The last part of this
# section comes back to that.
#
# `noise * torch.randn(...)` has the standard deviation `noise`, not the variance `noise`: to multiply a random number
# by 0.5 is to multiply its standard deviation by 0.5, and its variance by 0.25.

# %% tags=["demo"]
import matplotlib.pyplot as plt

figure, axes = plt.subplots(1, 2, figsize=(7, 2.8), sharey=True, layout="constrained")
for k, axis in enumerate(axes):
    axis.plot(features[:, k], targets, ".", markersize=3, alpha=0.6)
    line = torch.tensor([-3.5, 3.5])
    axis.plot(line, true_w[k] * line + true_b, color="black", linewidth=1.2)
    axis.set(xlabel=f"feature {k + 1}", title=f"true weight {true_w[k].item():g}")
axes[0].set_ylabel("target y")
plt.show()

# %% [markdown]
# The targets over each feature alone. The black lines have the true slopes, 2 and -3.4, and the true intercept. Most
# of the scatter around them is no noise: it comes from the *other* feature. Only both together explain a target up to
# 0.5.
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
found = shapes(4, 3)
assert_type(found, (tuple, list), "what shapes(4, 3) returns", of="X @ w")
assert_equal(len(found), 4, "how many shapes shapes(4, 3) returns", of="X @ w")
assert_equal(found[0], (4,), "the shape of X @ w for 4 examples of 3 features", of="X @ w",
             mistakes={"The features are summed away; the examples stay.": (3,),
                       "A matrix times a vector is a vector, with one axis.": (4, 1)})
assert_equal(found[1], (4, 4), "the shape of X @ w + column for 4 examples of 3 features", of="the sum with a vector",
             mistakes={"(4,) under (4, 1): the vector becomes a row.": (4, 1), "(4, 1) has two axes, so the sum has two.": (4,)})
assert_equal(found[2:], ((4, 1), (4, 1)), "the third and fourth shape for 4 examples of 3 features", of="the column form")
### BEGIN HIDDEN TESTS
for n, d in ((7, 2), (1, 5), (6, 1)):
    X, w, column = torch.ones(n, d), torch.ones(d), torch.ones(n, 1)
    kind = f"for {n} examples of {d} features"
    assert_equal(shapes(n, d)[0], tuple((X @ w).shape), f"the shape of X @ w {kind}", of="X @ w")
    assert_equal(shapes(n, d)[1], tuple((X @ w + column).shape), f"the shape of X @ w + column {kind}",
                 of="the sum with a vector")
    assert_equal(shapes(n, d)[2:], ((n, 1), (n, 1)), f"the third and fourth shape {kind}", of="the column form")
### END HIDDEN TESTS

# %% [markdown] task="3.3.5" kind="code" minutes=10 difficulty=2 core=true needs="synthetic data, standard deviation of the noise, random number generator with a seed, vector and column broadcast to a square"
# ### A data set to order
#
# Write `synthetic_data(w, b, noise, n, seed)`. It draws `n` examples of y = x·w + b + ε and returns `(X, y)`. The
# weights `w` are a tensor of shape `(d,)`, `b` is a number, and `noise` is the standard deviation of ε.
#
# **You are done when**
# - **shape**: `X` has shape `(n, d)` and `y` shape `(n, 1)`, for one feature too;
# - **dtype**: both are float32, as `w` is;
# - **features**: the entries of `X` are standard normal and independent of each other;
# - **targets**: with `noise=0`, `y` is exactly Xw + b;
# - **noise**: ε is normal with mean 0 and standard deviation `noise`, drawn anew for each example, and independent of `X`;
# - **seed**: the same seed gives the same data, another seed other data;
# - **own generator**: torch's global random numbers are neither used nor disturbed: `torch.rand(3)` after the call
#   gives what it would have given without it.

# %% exercise="3.3.5"
def synthetic_data(w, b, noise, n, seed):
    """Features X (n, d), standard normal, and targets y (n, 1) = X w + b + noise of this standard deviation."""
    ### BEGIN SOLUTION
    generator = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=generator)
    epsilon = noise * torch.randn(n, 1, generator=generator)
    return X, X @ w.reshape(-1, 1) + b + epsilon
    ### END SOLUTION

# %% [markdown] hints="3.3.5"
# 1. Which lines of the first cell of this section do you need, and which numbers in them become arguments?
# 2. `torch.randn(..., generator=g)` draws from `g` alone; `torch.manual_seed` changes the global numbers.
# 3. Coordinates on a circle, with a seed: `g = torch.Generator().manual_seed(seed)`, `t = torch.rand(n, generator=g)`.

# %% check="3.3.5" points=3
weights = torch.tensor([1.5, -2.0, 0.5])
made = synthetic_data(weights, 3.0, 0.25, 5, 1)
assert_type(made, (tuple, list), "what synthetic_data returns", of="shape")
assert_equal(len(made), 2, "how many tensors synthetic_data returns", of="shape")
assert_shape(made[0], (5, 3), "the shape of X for 5 examples of 3 features", of="shape")
assert_shape(made[1], (5, 1), "the shape of y for 5 examples", of="shape",
             hint="A vector of 5 plus a column of 5 is a square; weights as a column give a column.")
assert_equal([str(t.dtype) for t in made], ["torch.float32"] * 2, "the dtypes of X and y", of="dtype")
exact = synthetic_data(weights, 3.0, 0.0, 6, 2)
assert_close(exact[1] - exact[0] @ weights[:, None] - 3.0, torch.zeros(6, 1), "y - Xw - b for noise=0 and b = 3", of="targets",
             atol=1e-4, mistakes={"The bias is missing.": torch.full((6, 1), -3.0)})
many = synthetic_data(weights, 3.0, 0.25, 20_000, 3)
assert_close(torch.cov(many[0].T), torch.eye(3), "the covariances of the 3 features, 20,000 examples", of="features",
             atol=0.06, hint="Each feature has variance 1, and two features have covariance 0.")
assert_close(many[0].mean(dim=0), torch.zeros(3), "the means of the 3 features, 20,000 examples", of="features", atol=0.05)
error = many[1] - many[0] @ weights[:, None] - 3.0
assert_close(error.std(), torch.tensor(0.25), "the standard deviation of y - Xw - b for noise=0.25, 20,000 examples",
             of="noise", rtol=0.04, mistakes={
                 "noise is the standard deviation, here it was taken for the variance.": torch.tensor(0.5),
                 "noise is the standard deviation, here it was squared.": torch.tensor(0.0625),
                 "ε is the same for all examples: draw one for each.": torch.tensor(0.)})
assert_close(error.mean(), torch.tensor(0.), "the mean of y - Xw - b, 20,000 examples", of="noise", atol=0.01)
single = synthetic_data(torch.tensor([2.0]), 0.0, 1.0, 20_000, 3)
assert_close(torch.corrcoef(torch.cat([single[0], single[1] - 2 * single[0]], dim=1).T)[0, 1], torch.tensor(0.),
             "the correlation of noise and feature, 20,000 examples of one feature", of="noise", atol=0.04,
             hint="The noise must not be made of the same random numbers as the features: one generator for both, one draw after the other.")
def different(*tensors):
    kinds = []
    for t in tensors:
        if not any(t.shape == kind.shape and torch.allclose(t, kind, atol=1e-4) for kind in kinds):
            kinds.append(t)
    return len(kinds)

again, other = (synthetic_data(weights, 3.0, 0.25, 5, seed) for seed in (1, 2))
assert_equal(different(made[1], again[1]), 1, "how many different y two calls with seed 1 give", of="seed")
assert_equal(different(made[0], other[0]), 2, "how many different X the seeds 1 and 2 give", of="seed")

@probe
def global_numbers(before, w, b, noise, n, seed):
    torch.manual_seed(before)
    synthetic_data(w, b, noise, n, seed)
    return torch.rand(3)

def first_numbers(seed):
    return torch.rand(3, generator=torch.Generator().manual_seed(seed))       # as torch.manual_seed(seed); torch.rand(3)

assert_close(global_numbers(11, weights, 3.0, 0.25, 5, 1), first_numbers(11), "torch.rand(3) after torch.manual_seed(11) and a call",
             of="own generator", hint="Draw from a torch.Generator of your own, and seed nothing else.")
### BEGIN HIDDEN TESTS
for w, b, noise, n, seed in ((torch.tensor([-4.0]), -1.0, 0.0, 7, 8), (torch.tensor([0.3, 2.0, -1.0, 5.0]), 0.5, 0.0, 1, 4)):
    X, y = synthetic_data(w, b, noise, n, seed)
    assert_shape(X, (n, len(w)), f"the shape of X, {n} examples of {len(w)} features", of="shape")
    assert_shape(y, (n, 1), f"the shape of y, {n} examples of {len(w)} features", of="shape")
    assert_equal([str(X.dtype), str(y.dtype)], ["torch.float32"] * 2, f"the dtypes for {len(w)} features", of="dtype")
    assert_close(y - X @ w[:, None] - b, torch.zeros(n, 1), f"y - Xw - b for noise=0, {len(w)} features, bias {b}", of="targets", atol=1e-4)
w = torch.tensor([2.0, 0.0])
X, y = synthetic_data(w, -2.0, 3.0, 30_000, 5)
assert_close(torch.cov(X.T), torch.eye(2), "the covariances of 2 features", of="features", atol=0.05)
assert_close((X.abs() < 1).float().mean(), torch.tensor(0.6827), "the share of features between -1 and 1", of="features", atol=0.015)
error = y - X @ w[:, None] + 2.0
assert_close(error.std(), torch.tensor(3.0), "the standard deviation of the noise, asked for 3", of="noise", rtol=0.04)
assert_close((error.abs() < 3.0).float().mean(), torch.tensor(0.6827), "the share of errors within one standard deviation",
             of="noise", atol=0.015)
assert_close((error * X).mean(dim=0), torch.zeros(2), "noise times feature, on average", of="noise", atol=0.1,
             hint="The noise must not be made of the same numbers as the features.")
five, six, again = (synthetic_data(w, 0.0, 1.0, 4, seed) for seed in (5, 6, 6))
assert_equal(different(five[1], six[1], again[1]), 2, "how many different y the seeds 5, 6 and 6 give", of="seed")
assert_equal(different(six[0], again[0]), 1, "how many different X two calls with seed 6 give", of="seed")
assert_close(global_numbers(3, w, 0.0, 1.0, 9, 3), first_numbers(3), "the global random numbers after a call", of="own generator")
### END HIDDEN TESTS

# %% [markdown] teaches="minibatch, epoch, iterable, iterator"
# ## One batch after another: iterators and generators
#
# A learner does not look at all examples at once. It asks for a few, takes a step, and asks for the next few. These
# few are a **minibatch** (often just *batch*), and one walk through all examples is an **epoch**, or a *pass*. Why
# not one example at a time? Its gradient is a poor guess, and 32 examples in one matrix product cost hardly more than
# one. Why not all? A step would cost a thousand times as much, and be hardly better than one from 32.
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

# %% [markdown] teaches="generator function, yield, a generator is used up"
# The simplest way to make an iterator of one's own is a **generator function**: a function with `yield` in place of
# `return`. To call it runs *nothing*; it only gives an iterator. Each `next` runs the function up to its next `yield`,
# hands out the value, and there the function stands still, with all its variables, until it is asked again.

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
# Two things to keep. The values come when they are asked for, so a generator over a million batches holds one of them
# in memory. And ⚠ a generator is **used up** after one walk: the last line gives an empty list, without an error. A
# loop over three epochs would train for one.
#
# The mend is a class. `for` calls the method `__iter__` at the beginning of each walk, and if that method is itself a
# generator function, each walk gets an iterator of its own:

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

assert_type(listed(6, 3), list, "what slices(6, 3) yields", of="pairs")
assert_equal(listed(6, 2), [(0, 2), (2, 4), (4, 6)], "the pairs for 6 rows in batches of 2", of="pairs",
             mistakes={"Yield pairs, not the numbers of the rows.": [0, 2, 4],
                       "These are start and length; the second number is where the slice stops.": [(0, 2), (2, 2), (4, 2)],
                       "A slice stops before its second number, so that must be start + batch_size.": [(0, 1), (2, 3), (4, 5)]})
assert_equal(listed(7, 3), [(0, 3), (3, 6), (6, 7)], "the pairs for 7 rows in batches of 3", of="the end",
             mistakes={"The last stop lies behind the last row.": [(0, 3), (3, 6), (6, 9)],
                       "The last, smaller batch is missing.": [(0, 3), (3, 6)]})
assert_equal(listed(0, 3), [], "the pairs for no rows", of="the end")
assert_equal(can_next(7, 3), 1, "whether next(slices(7, 3)) works (1 yes, 0 no)", of="iterator", hint="Use yield.")
### BEGIN HIDDEN TESTS
for n, size in ((12, 4), (5, 1)):
    wanted = [(i, min(i + size, n)) for i in range(0, n, size)]
    assert_equal(listed(n, size), wanted, f"the pairs for {n} rows in batches of {size}", of="pairs")
for n, size in ((10, 4), (3, 8), (9, 9), (1, 2)):
    wanted = [(i, min(i + size, n)) for i in range(0, n, size)]
    assert_equal(listed(n, size), wanted, f"the pairs for {n} rows in batches of {size}", of="the end")
assert_equal(can_next(4, 2), 1, "whether next(slices(4, 2)) works (1 yes, 0 no)", of="iterator")
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
def minibatches(X, y, batch_size, generator):
    order = torch.randperm(len(X), generator=generator)
    for rows in order.split(batch_size):            # pieces of batch_size numbers; the last may be shorter
        yield X[rows], y[rows]

by_target = targets.flatten().argsort()                # a file that somebody has sorted by the target
X_file, y_file = features[by_target], targets[by_target]

in_order = [y_batch.mean().item() for y_batch in y_file.split(50)]
shuffled = [y_batch.mean().item() for _, y_batch in minibatches(X_file, y_file, 50, torch.Generator().manual_seed(1))]
print(f"mean target of the first and the last batch, in file order: {in_order[0]:.2f} and {in_order[-1]:.2f}")
print(f"shuffled: between {min(shuffled):.2f} and {max(shuffled):.2f}; all examples: {targets.mean():.2f}")

# %% tags=["demo"]
figure, axis = plt.subplots(figsize=(5.2, 2.8), layout="constrained")
axis.plot(in_order, "o-", color="tab:red", label="file order (sorted)")
axis.plot(shuffled, "s-", color="tab:blue", label="shuffled")
axis.axhline(targets.mean(), color="black", linewidth=0.8, label="all examples")
axis.set(xlabel="batch", ylabel="mean target in the batch", xticks=range(0, 20, 4))
axis.legend()
plt.show()

# %% [markdown]
# Each point is the mean target of one batch of 50. In file order every batch is a wrong picture of the data, and the
# last one the worst. After shuffling each batch is a small fair sample.
#
# ⚠ Two permutations, one for `X` and one for `y`, look just as random, and destroy the data: each row of features then
# stands beside another row's target. Least squares finds next to nothing in them:

# %%
torn = targets[torch.randperm(len(targets), generator=generator)]
print("weights from rows that belong together:", [round(v, 2) for v in solution[:2].tolist()])
print("weights from torn pairs:               ",
      [round(v, 2) for v in torch.linalg.lstsq(columns, torn).solution.flatten()[:2].tolist()])

# %% [markdown] teaches="dataset, data loader, next(iter(loader)), drop_last"
# ### torch's DataLoader
#
# torch has the same thing ready. A **dataset** is any object with a length that can be indexed; `TensorDataset` makes
# one of tensors. A `DataLoader` cuts it into batches. It is iterable, as our `Countdown` is: each `for` starts a new
# pass, and with `shuffle=True` each pass has an order of its own. `len(loader)` is the number of batches.

# %%
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(features, targets), batch_size=32, shuffle=True, generator=torch.Generator().manual_seed(0))
X_batch, y_batch = next(iter(loader))               # the first batch of a new pass
print("batches:", len(loader), "  the first:", tuple(X_batch.shape), tuple(y_batch.shape))
print("sizes:", [len(y_batch) for _, y_batch in loader][-3:], "at the end, since 1000 = 31 · 32 + 8")
print("with drop_last=True:", len(DataLoader(TensorDataset(features, targets), batch_size=32, drop_last=True)), "batches")

# %% [markdown] teaches="data module"
# ### The data module
#
# Section 3.2 put all that concerns data into one class, a `DataModule`: it has a loader for training, shuffled, and
# one for validation, in fixed order. With what we have that is short. `d2l.SyntheticRegressionData` is this class.

# %%
class SyntheticData(d2l.DataModule):
    def __init__(self, w, b, noise=0.01, num_train=1000, num_val=1000, batch_size=32):
        super().__init__()
        self.save_hyperparameters()                 # self.noise, self.batch_size, ... (section 3.2)
        rows = num_train + num_val
        self.X = torch.randn(rows, len(w))
        self.y = self.X @ w.reshape(-1, 1) + b + noise * torch.randn(rows, 1)

    def get_dataloader(self, train):
        rows = slice(0, self.num_train) if train else slice(self.num_train, None)
        return DataLoader(TensorDataset(self.X[rows], self.y[rows]), self.batch_size, shuffle=train)

torch.manual_seed(0)                                # this class draws from torch's global random numbers
data = SyntheticData(true_w, true_b, num_train=100, num_val=40)
print("training batches:", [len(y) for _, y in data.train_dataloader()])
print("validation batches:", [len(y) for _, y in data.val_dataloader()])

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
assert_type(batch_sizes(10, 4, False), (list, tuple), "what batch_sizes returns", of="kept")
assert_equal(batch_sizes(10, 4, False), [4, 4, 2], "10 examples in batches of 4, kept", of="kept",
             mistakes={"The last batch has only what is left.": [4, 4, 4], "The last batch is to be kept.": [4, 4]})
assert_equal(batch_sizes(10, 4, True), [4, 4], "10 examples in batches of 4, dropped", of="dropped",
             mistakes={"drop_last=True drops the smaller batch.": [4, 4, 2], "One full batch too few.": [4]})
assert_equal(batch_sizes(8, 4, False), [4, 4], "8 examples in batches of 4, kept", of="exact",
             mistakes={"There is no batch of size 0.": [4, 4, 0]})
assert_equal(batch_sizes(8, 4, True), [4, 4], "8 examples in batches of 4, dropped", of="exact",
             mistakes={"A full last batch is not dropped.": [4]})
assert_equal([batch_sizes(3, 4, False), batch_sizes(3, 4, True)], [[3], []], "3 examples in batches of 4, kept and dropped",
             of="few examples")
assert_equal([batch_sizes(0, 4, False), batch_sizes(0, 4, True)], [[], []], "no examples, kept and dropped", of="few examples")
### BEGIN HIDDEN TESTS
for n, size in ((1000, 32), (7, 2), (31, 30)):
    sizes = [len(part_of) for part_of in torch.arange(n).split(size)]
    assert_equal(batch_sizes(n, size, False), sizes, f"{n} examples in batches of {size}, kept", of="kept")
    assert_equal(batch_sizes(n, size, True), sizes[:-1], f"{n} examples in batches of {size}, dropped", of="dropped")
for n, size in ((12, 3), (5, 5), (4, 1)):
    for drop in (False, True):
        assert_equal(batch_sizes(n, size, drop), [size] * (n // size), f"{n} examples in batches of {size}, drop_last={drop}",
                     of="exact")
assert_equal([batch_sizes(5, 9, False), batch_sizes(5, 9, True)], [[5], []], "5 examples in batches of 9", of="few examples")
### END HIDDEN TESTS

# %% [markdown] task="3.3.1b" kind="code" minutes=15 difficulty=3 core=true needs="class with __iter__ and __len__, permutation, one order for features and targets, drop_last, a generator is used up"
# ### A loader of your own
#
# Write the class `BatchLoader(X, y, batch_size, shuffle=False, drop_last=False)` without torch's `DataLoader`. A loop
# over an instance gives the batches of one pass as pairs `(X_batch, y_batch)`. `X` and `y` have the same length, and
# any further axes.
#
# **You are done when**
# - **sizes**: all batches have `batch_size` rows but the last, which holds what is left;
# - **drop_last**: with `drop_last=True` a last batch that is not full is left out, and only then;
# - **order**: without shuffling the rows come in the order of `X`;
# - **shuffle**: with `shuffle=True` each example comes once, in random order, and each pass has another one;
# - **pairs**: the rows of `X` and `y` stay together;
# - **length**: `len(loader)` is the number of batches of a pass;
# - **passes**: a loader can be walked through again and again, and two walks at the same time do not disturb each
#   other.

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
#    that each pass has its own?
# 3. A class whose walks give a list's neighbours: `def __iter__(self): ...` with
#    `for i in range(len(self.items) - 1): yield self.items[i], self.items[i + 1]` as its body.

# %% check="3.3.1b" points=3
@probe
def one_pass(X, y, *options):
    loader = BatchLoader(X, y, *options)
    return [tuple(batch) for batch in loader] if hasattr(loader, "__iter__") else "nothing: the class has no __iter__"

@probe
def batch_count(X, y, *options):
    loader = BatchLoader(X, y, *options)
    return len(loader) if hasattr(loader, "__len__") else "nothing: the class has no __len__"

@probe
def several_passes(X, y, *options):
    loader = BatchLoader(X, y, *options)
    return [[tuple(batch) for batch in loader] for _ in range(3)]

@probe
def two_at_once(X, y, *options):
    loader = BatchLoader(X, y, *options)
    one, other = iter(loader), iter(loader)
    return [next(which, (X[:0], y[:0]))[1] for which in (one, other, one, other)]

ids = torch.arange(10)
table = torch.stack([ids * 1.5, -ids * 1.0], dim=1)
batches = one_pass(table, ids, 4)
assert_type(batches, list, "a loop over BatchLoader(X, y, 4)", of="sizes")
assert_equal(sorted({len(batch) for batch in batches}), [2], "how many tensors each batch holds", of="sizes")
assert_equal([len(batch[1]) for batch in batches], [4, 4, 2], "the batch sizes for 10 examples in batches of 4", of="sizes",
             mistakes={"Without drop_last the last, smaller batch is kept.": [4, 4]})
assert_equal([[len(b[1]) for b in one_pass(table, ids, 4, False, True)], [len(b[1]) for b in one_pass(table, ids, 5, False, True)]],
             [[4, 4], [5, 5]], "the batch sizes with drop_last=True, batches of 4 and of 5", of="drop_last",
             mistakes={"A full last batch is not dropped.": [[4, 4], [5]]})
assert_equal(torch.cat([batch[1] for batch in batches]), ids, "the targets 0 ... 9 without shuffling", of="order")
mixed = one_pass(table, ids, 4, True)
seen = torch.cat([batch[1] for batch in mixed])
assert_equal(seen.sort().values, ids, "the targets 0 ... 9 of a shuffled pass, sorted", of="shuffle")
wide = one_pass(torch.arange(40), torch.arange(40), 10, True)
assert_true(max((batch[1].max() - batch[1].min()).item() for batch in wide) > 9, "a shuffled batch of 10 holds examples from further apart than 10",
            of="shuffle", hint="To shuffle the batches is not enough: the examples are to be mixed.")
orders = [torch.cat([batch[1] for batch in walk]).tolist() for walk in several_passes(table, ids, 4, True)]
assert_true(len({tuple(order) for order in orders}) > 1, "three shuffled passes do not all have the same order", of="shuffle",
            hint="When is your order drawn: once for the loader, or once for each pass?")
assert_close(torch.cat([batch[0] for batch in mixed]), table[seen], "the features beside these targets", of="pairs",
             hint="One order for both.")
assert_equal([batch_count(table, ids, *o) for o in ((4,), (4, False, True), (5, False, True))], [3, 2, 2],
             "len for 10 examples: batches of 4 kept, of 4 dropped, of 5 dropped", of="length")
walks = several_passes(table, ids, 4)
assert_equal([len(walk) for walk in walks], [3, 3, 3], "the number of batches in three loops over the same loader", of="passes",
             mistakes={"The loader is used up after one pass.": [3, 0, 0]})
assert_equal([part_of.tolist() for part_of in two_at_once(table, ids, 4)], [[0, 1, 2, 3], [0, 1, 2, 3], [4, 5, 6, 7], [4, 5, 6, 7]],
             "two walks taken in turns, the first two batches of each", of="passes",
             hint="The place that a walk has reached belongs to the walk, not to the loader.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(331)
big, names = torch.randn(31, 2, 3, generator=rng), torch.arange(31)[:, None]
for size, sizes in ((7, [7, 7, 7, 7, 3]), (31, [31]), (40, [31]), (1, [1] * 31)):
    assert_equal([len(b[0]) for b in one_pass(big, names, size)], sizes, f"31 examples in batches of {size}", of="sizes")
    full = [k for k in sizes if k == size]
    assert_equal([len(b[0]) for b in one_pass(big, names, size, True, True)], full, f"31 examples in batches of {size}, dropped",
                 of="drop_last")
    assert_equal([batch_count(big, names, size), batch_count(big, names, size, True, True)], [len(sizes), len(full)],
                 f"len for 31 examples in batches of {size}, kept and dropped", of="length")
plain = one_pass(big, names, 8)
assert_close(torch.cat([b[0] for b in plain]), big, "31 examples with two further axes, not shuffled", of="order")
random = one_pass(big, names, 8, True)
order = torch.cat([b[1] for b in random]).flatten()
assert_equal(order.sort().values, names.flatten(), "each of 31 examples once, shuffled", of="shuffle")
assert_true(max((b[1].max() - b[1].min()).item() for b in random) > 7, "a shuffled batch of 8 of 31 examples mixes them", of="shuffle")
assert_true(order.tolist() != names.flatten().tolist(), "the shuffled order of 31 examples is not that of the file", of="shuffle")
assert_close(torch.cat([b[0] for b in random]), big[order], "rows of X and y after shuffling", of="pairs")
assert_equal([sorted(torch.cat([b[1] for b in walk]).flatten().tolist()) for walk in several_passes(big, names, 8, True)],
             [list(range(31))] * 3, "each example once in each of three shuffled passes", of="shuffle")
assert_equal([len(walk) for walk in several_passes(big, names, 8)], [4, 4, 4], "three loops over 31 examples", of="passes")
assert_equal([len(part_of) for part_of in two_at_once(big, names, 20)], [20, 20, 11, 11], "two walks in turns over 31 examples", of="passes")
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
assert_shape(pulls(5, 2), (5,), "the shape for 5 examples in batches of 2", of="shape")
assert_shape(pulls(3, 4), (3,), "the shape for 3 examples in batches of 4", of="shape")
assert_close(pulls(6, 3), torch.full((6,), 1 / 3), "6 examples in batches of 3", of="full batches",
             mistakes={"This is the share in the whole data set.": torch.full((6,), 1 / 6)})
assert_close(pulls(7, 3)[:6], torch.full((6,), 1 / 3), "the first 6 of 7 examples in batches of 3", of="full batches",
             mistakes={"This is the share in the whole data set.": torch.full((6,), 1 / 7)})
assert_close(pulls(8, 3)[6:], torch.tensor([0.5, 0.5]), "the last 2 of 8 examples in batches of 3", of="last batch",
             mistakes={"The last batch holds only what is left, so its mean divides by less.": torch.full((2,), 1 / 3)})
### BEGIN HIDDEN TESTS
for n, size in ((1000, 32), (9, 4), (5, 9), (8, 8)):
    rest = n % size
    got = pulls(n, size)
    assert_shape(got, (n,), f"the shape for {n} examples in batches of {size}", of="shape")
    assert_close(got[:n - rest], torch.full((n - rest,), 1 / size), f"the full batches, {n} examples in batches of {size}",
                 of="full batches")
    assert_close(got[n - rest:], torch.full((rest,), 1 / max(rest, 1)), f"the last batch, {n} examples in batches of {size}",
                 of="last batch")
### END HIDDEN TESTS

# %% [markdown] task="3.3.1d" kind="explain" minutes=15 difficulty=3 needs="drop_last, shuffling, weight of an example in its batch"
# ### Keep or drop
#
# Write `share_seen(n, batch_size, epochs)`: the probability that one given example is used at least once in `epochs` passes,
# if each pass has a new random order and its last batch is dropped where it is not full. Then answer in words:
# 1. What is lost if the last batch is dropped, without reshuffling and with it? Give numbers for 1000 examples in
#    batches of 32.
# 2. What does *keeping* it do to the steps, if the loss is a mean over the batch?
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
assert_close(share_seen(10, 4, 1), 0.8, "10 examples in batches of 4, one pass", of="probability", rtol=1e-5,
             mistakes={"This is the probability that it is missed.": 0.2})
assert_close(share_seen(10, 4, 2), 0.96, "10 examples in batches of 4, two passes", of="probability", rtol=1e-5,
             mistakes={"This is the probability to be used in both passes.": 0.64, "Probabilities of two passes are not added.": 1.6,
                       "The number of passes is ignored.": 0.8})
assert_close(share_seen(12, 4, 3), 1.0, "12 examples in batches of 4, three passes", of="nothing dropped", rtol=1e-6)
assert_close(share_seen(3, 4, 2), 0.0, "3 examples in batches of 4, two passes", of="everything dropped", atol=1e-6)
### BEGIN HIDDEN TESTS
for n, size, epochs in ((1000, 32, 1), (7, 4, 3), (11, 6, 5)):
    assert_close(share_seen(n, size, epochs), 1 - ((n % size) / n) ** epochs, f"{n} examples in batches of {size}, {epochs} passes",
                 of="probability", rtol=1e-5)
assert_close(share_seen(30, 10, 1), 1.0, "30 examples in batches of 10", of="nothing dropped", rtol=1e-6)
assert_close(share_seen(5, 8, 7), 0.0, "5 examples in batches of 8", of="everything dropped", atol=1e-6)
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

# %% [markdown] task="3.3.6" kind="break it" minutes=15 difficulty=3 needs="minibatch, one order for features and targets, epoch"
# ### Find the broken loaders
#
# A loader with a bug still trains, only worse. So one tests it. Write `sound(batches, X, y, batch_size)`: `True` if
# the list `batches` of pairs `(X_batch, y_batch)` is a right pass over the rows of `X` (n, d) and `y` (n, 1), in any
# order, and `False` if not. A pass is right if it holds each example exactly once, features beside their own target, in
# batches of `batch_size` rows of which only the last may be smaller. All numbers are finite.
#
# Five loaders have a bug each, and your function is to find it. It must not complain about a right one, so each point
# asks for both.
#
# **You are done when** `sound` gives `False` for these, and `True` for right passes:
# - **missing**: the last, smaller batch is left out;
# - **torn pairs**: `X` and `y` are shuffled separately;
# - **with replacement**: rows are drawn by chance, so that some come twice and others never;
# - **filled up**: the last batch is filled with rows from the beginning;
# - **batch size**: the batches are not of the size that was asked for, though every example is there;
# - **equal rows**: data in which an example occurs twice are no bug: a right pass holds it twice.

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
# 1. What is the same for every right pass, whatever its order?
# 2. Put features and target of an example side by side into one row. `sorted(rows.tolist())` is an order that does not
#    depend on the pass.
# 3. Two hands of cards are the same if `sorted(hand_1) == sorted(hand_2)`; `set(...)` would forget a card held twice.

# %% check="3.3.6" points=3
def a_pass(X, y, sizes, order):
    return [(X[rows], y[rows]) for rows in torch.as_tensor(order).split(sizes)]

def faulty(bug, X, y, size, rng):
    n = len(X)
    order = torch.randperm(n, generator=rng)
    if bug == "missing":
        return a_pass(X, y, size, order)[:-1]
    if bug == "torn pairs":
        return a_pass(X, y[torch.randperm(n, generator=rng)], size, order)
    if bug == "with replacement":
        return a_pass(X, y, size, torch.randint(n, (n,), generator=rng))
    if bug == "filled up":
        return a_pass(X, y, size, torch.cat([order, order[:size - n % size]]))
    return a_pass(X, y, [n % size] + [size] * (n // size), order)

def decide(bug, X, y, size, rng, kind):
    right = sound(a_pass(X, y, size, torch.randperm(len(X), generator=rng)), X, y, size)
    assert_type(right, bool, f"what sound returns, {kind}", of=bug)
    assert_equal(right, True, f"a right pass, shuffled, {kind}", of=bug)
    assert_equal(sound(faulty(bug, X, y, size, rng), X, y, size), False, f"a loader with the bug '{bug}', {kind}", of=bug)

def decide_equal_rows(X, y, size, right, wrong, kind):
    assert_equal(sound(a_pass(X, y, size, right), X, y, size), True, f"a right pass, {kind}", of="equal rows")
    assert_equal(sound(a_pass(X, y, size, wrong), X, y, size), False,
                 f"a pass with one copy too few of an example, {kind}", of="equal rows",
                 hint="The same set of rows is not enough: how often does each of them come?")

bugs = ("missing", "torn pairs", "with replacement", "filled up", "batch size")
rng = torch.Generator().manual_seed(1)
X, y = torch.randn(11, 2, generator=rng), torch.randn(11, 1, generator=rng)
for bug in bugs:
    with part(0.25, bug, of=bug):
        decide(bug, X, y, 4, rng, "11 examples in batches of 4")
twice = torch.tensor([0, 1, 2, 0, 3, 4, 2])
with part(0.25, "equal rows", of="equal rows"):
    decide_equal_rows(X[twice], y[twice], 3, [6, 0, 2, 4, 5, 1, 3], [6, 0, 2, 4, 5, 1, 1], "7 examples, two of them twice")
### BEGIN HIDDEN TESTS
X, y = torch.randn(25, 3, generator=rng), torch.randn(25, 1, generator=rng)
for bug in bugs:
    with part(0.25, f"{bug}, other data", of=bug):
        decide(bug, X, y, 10, rng, "25 examples in batches of 10")
        decide(bug, X[:7], y[:7], 2, rng, "7 examples in batches of 2")
with part(0.25, "equal rows, other data", of="equal rows"):
    copies = torch.tensor([3, 3, 3, 8])
    decide_equal_rows(X[copies], y[copies], 2, [2, 3, 1, 0], [2, 3, 3, 0], "4 examples, one of them three times")
    decide_equal_rows(X[:6], y[:6], 3, [5, 4, 3, 2, 1, 0], [5, 4, 3, 2, 1, 1], "6 examples in batches of 3")
### END HIDDEN TESTS
total()

# %% [markdown] teaches="memory-mapped file, page of a file"
# ## More data than memory
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
# moment between `start` and the question. The whole file against three rows of it:

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
#   measures during the call stays below a quarter of the file, and so does the largest tensor that is made by copying.

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
# 2. Index the map first and make a tensor of the rows afterwards. A tensor made of the map reads it whole.
# 3. A slice keeps the axis that an index drops: `t[:, 1:]` of shape (5, 2) is (5, 1), and `t[:, 1]` is (5,).

# %% check="3.3.2a" points=2
@probe
def rows_of(table, d, rows):
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "table.bin")
        table.numpy().tofile(path)
        return read_rows(path, d, rows)

@probe
def peak_for_rows(n, d, rows):
    import tracemalloc
    from torch.utils._python_dispatch import TorchDispatchMode

    class Largest(TorchDispatchMode):       # bytes of the largest tensor that is no view and no file
        size = 0

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            made = func(*args, **(kwargs or {}))
            if torch.is_tensor(made) and not func._schema.returns[0].alias_info and "from_file" not in func.name():
                self.size = max(self.size, made.numel() * made.element_size())
            return made

    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "table.bin")
        np.ones((n, d + 1), dtype=np.float32).tofile(path)
        with Largest() as largest:
            read_rows(path, d, rows)
        tracemalloc.start()
        read_rows(path, d, rows)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return max(peak, largest.size)

table = torch.arange(24.).reshape(6, 4)
got = rows_of(table, 3, [4, 0])
assert_type(got, (tuple, list), "what read_rows returns", of="shape")
assert_equal(len(got), 2, "how many tensors read_rows returns", of="shape")
assert_shape(got[0], (2, 3), "the shape of X for rows [4, 0] of 3 features and a target", of="shape")
assert_shape(got[1], (2, 1), "the shape of y for rows [4, 0]", of="shape")
assert_shape(rows_of(table, 3, [5])[1], (1, 1), "the shape of y for rows [5]", of="shape")
assert_type(got[0], torch.Tensor, "X", of="values")
assert_type(got[1], torch.Tensor, "y", of="values")
assert_equal([str(t.dtype) for t in got], ["torch.float32"] * 2, "the dtypes of X and y", of="dtype")
assert_close(got[0], torch.tensor([[16., 17., 18.], [0., 1., 2.]]), "X for rows [4, 0] of a file with 0, 1, 2, ...", of="values",
             mistakes={"The rows come in the order asked for, not in that of the file.": torch.tensor([[0., 1., 2.], [16., 17., 18.]]),
                       "A row has d + 1 numbers: the target stands between the features of two rows.":
                       torch.tensor([[12., 13., 14.], [0., 1., 2.]])})
assert_close(got[1], torch.tensor([[19.], [3.]]), "y for rows [4, 0] of a file with 0, 1, 2, ...", of="values")
assert_close(rows_of(table, 3, [1, 1])[1], torch.tensor([[7.], [7.]]), "y for rows [1, 1]", of="values")
assert_true(peak_for_rows(65_536, 3, [5, 60_000, 7, 7, 30_000]) < 262_144,
            "for 5 of 65,536 rows (1 MB) the peak stays below a quarter of the file", of="memory",
            hint="Index the map, not an array or tensor that was made of all of it.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(332)
for n, d, rows in ((9, 1, [8, 2, 2, 0]), (5, 6, [3]), (40, 2, list(range(39, -1, -3)))):
    table = torch.randn(n, d + 1, generator=rng)
    X, y = rows_of(table, d, rows)
    kind = f"{len(rows)} of {n} rows, {d} features"
    assert_shape(X, (len(rows), d), f"the shape of X, {kind}", of="shape")
    assert_shape(y, (len(rows), 1), f"the shape of y, {kind}", of="shape")
    assert_equal([str(X.dtype), str(y.dtype)], ["torch.float32"] * 2, f"the dtypes, {kind}", of="dtype")
    assert_close(X, table[rows, :-1], f"X, {kind}", of="values")
    assert_close(y, table[rows, -1:], f"y, {kind}", of="values")
assert_true(peak_for_rows(131_072, 1, [5, 60_000, 70_000]) < 262_144, "for 3 of 131,072 rows (1 MB) the peak stays below a quarter",
            of="memory")
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
for n, wanted in ((12, [1, 5, 7, 11]), (7, [1, 2, 3, 4, 5, 6]), (2, [1])):
    steps = good_steps(n)
    assert_type(steps, (list, tuple), f"what good_steps({n}) returns", of="complete")
    assert_equal([a for a in wanted if a not in steps], [], f"steps that work and are missing, {n} rows", of="complete")
    assert_equal([a for a in steps if a not in wanted], [], f"steps in your list that do not work, {n} rows", of="no false step",
                 mistakes={"An odd step need not work: see 12 rows, step 3.": [3, 9]})
    assert_equal(steps, wanted, f"the list for {n} rows, in increasing order", of="complete")
### BEGIN HIDDEN TESTS
for n in (9, 30, 11, 16, 21):
    wanted = [a for a in range(1, n) if math.gcd(a, n) == 1]
    steps = good_steps(n)
    assert_equal([a for a in wanted if a not in steps], [], f"steps that work and are missing, {n} rows", of="complete")
    assert_equal([a for a in steps if a not in wanted], [], f"steps in your list that do not work, {n} rows", of="no false step")
    assert_equal(len(steps), len(wanted), f"the length of the list for {n} rows", of="no false step")
### END HIDDEN TESTS

# %% [markdown] teaches="hash, Feistel network, bitwise exclusive or"
# A fixed step is a permutation, but not random at all: from each row one can tell the next. A better one is built from
# two ideas.
#
# **A hash**: a function that mixes the bits of a number beyond recognition. `mix(value, key)` below gives a number from
# 0 to 2³²-1; another key gives another function. It is no permutation: two values may have the same hash.
#
# **A Feistel network** makes a permutation of *any* such function. Cut a number of 2h bits into two halves of h bits,
# left and right. One round is
#
# $$(\text{left},\ \text{right}) \;\to\; (\text{right},\ \text{left} \oplus f(\text{right})),$$
#
# where f is the hash, cut to h bits, and ⊕ is the *exclusive or*, bit by bit (in Python `^`): it flips those bits of
# left where f(right) has a 1. Flip them again, and they are back: `a ^ b ^ b` is `a`. So a round can be undone, whatever
# f is: the new left half *is* the old right one, from which f(right) can be computed again. What can be undone never
# sends two numbers to the same place. That makes it a permutation of the 2^(2h) numbers of 2h bits.

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
orders = {"step 397": [stepped(i, 1024, 397) for i in range(1024)],
          "Feistel, one round": [feistel(i, 5, [1]) for i in range(1024)],
          "Feistel, four rounds": [feistel(i, 5, [1, 2, 3, 4]) for i in range(1024)]}
figure, axes = plt.subplots(1, 3, figsize=(8.5, 3), sharey=True, layout="constrained")
for axis, (name, order) in zip(axes, orders.items()):
    axis.plot(order, ".", markersize=2)
    axis.set(title=name, xlabel="place i in the pass")
axes[0].set_ylabel("row")
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
# `feistel` does. (To try all i would do for small numbers, and take days for 40 bits. Think backwards.)
#
# **You are done when**
# - **one round**: it undoes a single round;
# - **several rounds**: it undoes several rounds with different keys;
# - **integer**: the result is an integer.

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
first = feistel_inverse(9, 2, [5])
assert_type(first, int, "what feistel_inverse(9, 2, [5]) returns", of="integer")
assert_equal([feistel_inverse(feistel(i, 2, [5]), 2, [5]) for i in range(16)], list(range(16)),
             "feistel_inverse(feistel(i, 2, [5]), 2, [5]) for i = 0 ... 15", of="one round",
             mistakes={"This runs the round forward once more.": [feistel(feistel(i, 2, [5]), 2, [5]) for i in range(16)],
                       "The halves may be exchanged at the end.": [i % 4 * 4 + i // 4 for i in range(16)]})
for half_bits, keys in ((2, [3, 8, 1]), (4, [0, 9, 2, 6])):
    some = list(range(0, 4 ** half_bits, 3))
    assert_equal([feistel_inverse(feistel(i, half_bits, keys), half_bits, keys) for i in some], some,
                 f"feistel_inverse undoes feistel with half_bits={half_bits}, keys={keys}", of="several rounds",
                 hint="The last round is undone first.")
### BEGIN HIDDEN TESTS
some = list(range(0, 1024, 37))
assert_equal([feistel_inverse(feistel(i, 5, [12]), 5, [12]) for i in some], some, "ten bits, one round", of="one round")
assert_equal([feistel_inverse(feistel(i, 5, [4, 4, 1, 7, 2]), 5, [4, 4, 1, 7, 2]) for i in some], some, "ten bits, five rounds",
             of="several rounds")
assert_equal([feistel(feistel_inverse(i, 3, [2, 1]), 3, [2, 1]) for i in range(64)], list(range(64)), "six bits, two rounds",
             of="several rounds")
assert_type(feistel_inverse(0, 3, [2, 1]), int, "the result for half_bits=3", of="integer")
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
# - **scattered**: neighbouring places go to rows without a pattern, as in the third picture. For n = 1000, the jumps from
#   one row to the next, modulo n, take more than 500 different values, and the correlation of place and row lies between
#   -0.2 and 0.2;
# - **seed**: the same seed gives the same order, another seed another one.

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
# 1. Which is the smallest `half_bits` with at least n numbers? What happens to the walk if it is far too large?
# 2. Four different keys from one seed: `[mix(seed, k) for k in range(4)]`.
# 3. The walk for a limit of 10: `j = step(i)`, then `while j >= 10: j = step(j)`.

# %% check="3.3.2c" points=3
def rows_in_order(n, seed):
    return [row_at(i, n, seed) for i in range(n)]

for n in (5, 16, 1, 11):
    order = rows_in_order(n, 3)
    for i, row in enumerate(order):
        assert_type(row, int, f"row_at({i}, {n}, 3)", of="permutation")
    assert_equal(sorted(order), list(range(n)), f"row_at(i, {n}, 3) for i = 0 ... {n - 1}, sorted", of="permutation",
                 hint="Cycle walking: apply the same permutation again while the result is no row.")
far = [row_at(i, 10**15, 1) for i in range(50)]
assert_true(all(isinstance(row, int) and 0 <= row < 10**15 for row in far), "row_at(i, 10**15, 1) is a row, for i = 0 ... 49", of="no table")
assert_equal(len(set(far)), 50, "how many different rows row_at(i, 10**15, 1) gives for i = 0 ... 49", of="no table")
def jumps_and_trend(n, seed):
    order = rows_in_order(n, seed)
    trend = torch.corrcoef(torch.tensor([range(n), order], dtype=torch.float64))[0, 1].item()
    return len({(b - a) % n for a, b in zip(order, order[1:])}), round(trend, 2)

jumps, trend = jumps_and_trend(1000, 2)
assert_true(jumps > 500, f"more than 500 different jumps from row to row for n = 1000, seed 2 (yours take {jumps} values)", of="scattered",
            hint="A fixed step has one, a single round about 100, a random order about 630.")
assert_true(abs(trend) < 0.2, f"the correlation of place and row for n = 1000, seed 2, is between -0.2 and 0.2 (yours is {trend})", of="scattered")
assert_equal(len({tuple(rows_in_order(16, seed)) for seed in (3, 3)}), 1, "how many orders seed 3 gives for n = 16, asked twice", of="seed")
assert_equal(len({tuple(rows_in_order(16, seed)) for seed in (3, 4)}), 2, "how many orders the seeds 3 and 4 give for n = 16", of="seed")
### BEGIN HIDDEN TESTS
for n in (2, 3, 17, 64, 65, 200):
    for seed in (0, 7):
        assert_equal(sorted(rows_in_order(n, seed)), list(range(n)), f"the rows for n = {n}, seed {seed}, sorted", of="permutation")
far = [row_at(10**14 * k + 1, 10**15 + 7, 5) for k in range(10)]
assert_equal(len({row for row in far if 0 <= row < 10**15 + 7}), 10, "ten places among 10**15 + 7", of="no table")
for n, seed in ((1024, 11), (900, 0)):
    jumps, trend = jumps_and_trend(n, seed)
    assert_true(jumps > 0.5 * n, f"the jumps from row to row take many different values, n = {n}", of="scattered")
    assert_true(abs(trend) < 0.2, f"places and rows are hardly correlated, n = {n}", of="scattered")
orders = {tuple(rows_in_order(50, seed)) for seed in range(6)}
assert_equal(len(orders), 6, "how many different orders the seeds 0 ... 5 give for n = 50", of="seed")
assert_equal(len({tuple(rows_in_order(50, 4)) for _ in range(2)}), 1, "how many orders seed 4 gives for n = 50, asked twice", of="seed")
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
# - **values**: the rows come in the order given, features beside their own targets;
# - **memory**: neither the file nor the order is held whole: in a pass over a megabyte in batches of 64, the peak that
#   `tracemalloc` measures stays below a quarter of the file, and so does the largest tensor that is made by copying.

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
# 1. `len` of the reshaped map is n. Which places belong to the batch that begins at `start`?
# 2. A list of the row numbers of *one* batch is small; a list of those of all batches is what we must not make.
# 3. A long letter in pages: `for start in range(0, len(letter), 80): yield letter[start:start + 80]`.

# %% check="3.3.2d" points=3
@probe
def pass_over(table, d, batch_size, step):
    n = len(table)
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "table.bin")
        table.numpy().tofile(path)
        made = disk_batches(path, d, batch_size, lambda i: (step * i + 2) % n)
        return [tuple(batch) for batch in made] if hasattr(made, "__iter__") else made

@probe
def peak_of_a_pass(n, d, batch_size):
    import tracemalloc
    from torch.utils._python_dispatch import TorchDispatchMode

    class Largest(TorchDispatchMode):       # bytes of the largest tensor that is no view and no file
        size = 0

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            made = func(*args, **(kwargs or {}))
            if torch.is_tensor(made) and not func._schema.returns[0].alias_info and "from_file" not in func.name():
                self.size = max(self.size, made.numel() * made.element_size())
            return made

    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "table.bin")
        np.ones((n, d + 1), dtype=np.float32).tofile(path)
        with Largest() as largest:
            for batch in disk_batches(path, d, n // 8, lambda i: i):
                break
        tracemalloc.start()
        for batch in disk_batches(path, d, batch_size, lambda i: n - 1 - i):
            pass
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return max(peak, largest.size)

table = torch.arange(28.).reshape(7, 4)
batches = pass_over(table, 3, 3, 3)
assert_type(batches, list, "a pass over a file of 7 rows in batches of 3, listed", of="sizes")
assert_equal(sorted({len(batch) for batch in batches}), [2], "how many tensors each batch holds", of="shape")
assert_equal([len(batch[1]) for batch in batches], [3, 3, 1], "the batch sizes for 7 rows in batches of 3", of="sizes",
             mistakes={"The last, smaller batch is missing.": [3, 3], "The last batch holds only what is left.": [3, 3, 3]})
assert_shape(batches[0][0], (3, 3), "the shape of the first X, three rows of 3 features", of="shape")
assert_shape(batches[0][1], (3, 1), "the shape of the first y", of="shape")
assert_equal([type(t).__name__ + " " + str(t.dtype) for t in batches[0]], ["Tensor torch.float32"] * 2, "type and dtype of X and y",
             of="shape")
rows = [(3 * i + 2) % 7 for i in range(7)]
assert_close(torch.cat([batch[1] for batch in batches]), table[rows, 3:], f"the targets for a file with 0, 1, 2, ... in the order {rows}",
             of="values", mistakes={"The order is ignored.": table[:, 3:]})
assert_close(torch.cat([batch[0] for batch in batches]), table[rows, :3], "the features beside them", of="values")
assert_true(peak_of_a_pass(65_536, 3, 64) < 262_144, "a pass over 65,536 rows (1 MB) has a peak below a quarter of the file", of="memory",
            hint="Compute the row numbers of one batch at a time, and index the map with them.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(333)
for n, d, size, step in ((10, 1, 4, 3), (9, 5, 3, 2), (5, 2, 8, 1)):
    table = torch.randn(n, d + 1, generator=rng)
    batches = pass_over(table, d, size, step)
    kind = f"{n} rows of {d} features in batches of {size}"
    assert_equal([len(batch[1]) for batch in batches], [len(r) for r in torch.arange(n).split(size)], f"the batch sizes, {kind}", of="sizes")
    assert_shape(batches[-1][0], (len(batches[-1][1]), d), f"the shape of the last X, {kind}", of="shape")
    assert_shape(batches[-1][1], (len(batches[-1][0]), 1), f"the shape of the last y, {kind}", of="shape")
    rows = [(step * i + 2) % n for i in range(n)]
    assert_close(torch.cat([torch.cat(batch, dim=1) for batch in batches]), table[rows], f"the rows, {kind}", of="values")
assert_true(peak_of_a_pass(131_072, 1, 32) < 262_144, "a pass over 131,072 rows has a peak below a quarter of the file", of="memory")
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
# each row costs every page that it touches, and rows are so placed that none crosses a page border: `row_bytes` divides
# `page_bytes`.
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
found = bytes_read(1000, 16, 4096)
assert_type(found, (tuple, list), "what bytes_read(1000, 16, 4096) returns", of="in order")
assert_equal(len(found), 2, "how many numbers bytes_read(1000, 16, 4096) returns", of="in order")
assert_close(found[0], 16384, "in order, 1000 rows of 16 bytes, pages of 4096", of="in order",
             mistakes={"Pages are read whole, the last one too.": 16000, "The last, partly filled page is missing.": 12288,
                       "This is the number of pages.": 4})
assert_close(found[1], 4_096_000, "at random, 1000 rows of 16 bytes, pages of 4096", of="at random",
             mistakes={"Each row costs a whole page.": 16000, "This is the number of pages.": 1000})
assert_close(bytes_read(512, 16, 4096)[0], 8192, "in order, 512 rows of 16 bytes", of="in order",
             mistakes={"This is a page too many: two pages are just full.": 12288})
### BEGIN HIDDEN TESTS
for n, row, page in ((7, 4096, 4096), (130, 32, 512), (3, 8, 4096), (64, 64, 4096)):
    assert_close(bytes_read(n, row, page)[0], -(-n * row // page) * page, f"in order, {n} rows of {row} bytes, pages of {page}", of="in order")
    assert_close(bytes_read(n, row, page)[1], n * page, f"at random, {n} rows of {row} bytes, pages of {page}", of="at random")
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

# %% [markdown] teaches="fresh data, training on a fixed set"
# ## Fresh data, or the same data
#
# A file is the same in every pass. Data that are drawn need not be: we could draw *new* examples in each pass. Is that
# better? Take a hard case: 20 examples, ten features, noise 1. One learner walks 200 times through the same 20
# examples. Another gets 20 new ones in each pass. Both are measured on 2000 other examples that neither trains on.

# %%
w_ten = torch.ones(10, 1)

def draw_examples(count, generator):
    X = torch.randn(count, 10, generator=generator)
    return X, X @ w_ten + torch.randn(count, 1, generator=generator)

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
figure, axes = plt.subplots(1, 2, figsize=(7.5, 2.9), sharey=True, layout="constrained")
for axis, (name, (training, other)) in zip(axes, curves.items()):
    axis.plot(training, label="training batch", linewidth=1)
    axis.plot(other, label="other data", linewidth=2)
    axis.axhline(1, color="black", linestyle=":", label="noise variance")
    axis.set(title=name, xlabel="pass", ylim=(0, 6))
axes[0].set_ylabel("mean squared error")
axes[1].legend()
plt.show()

# %% [markdown]
# The dotted line is the variance of the noise, 1: no model can predict *other* data better than that. On the left the
# training error sinks to 0.35, far below the line: the ten weights have learnt the noise of these 20 examples by heart.
# On other data the error is 2.54. On the right every batch is new to the learner. So its training error is an honest
# measure, and on other data it comes down to 1.02. Section 3.6 is about this difference. With measured data one cannot
# draw anew; there, the same examples have to do.
#
# In a program the drawing must stand in the right place. The trainer asks the data module *once* for a loader and then
# walks through it once for each epoch. So what is to be new in each epoch belongs into `__iter__`. A bare generator
# would be used up after the first epoch; our trainer asks for a length and refuses it:

# %% tags=["demo"]
class Bare(d2l.DataModule):
    def get_dataloader(self, train):
        return minibatches(features, targets, 32, generator) if train else None

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
# - **model**: `X` is standard normal, and y - Xw - b is normal with standard deviation `noise`; it is 0 for `noise=0`;
# - **length**: `len` and a loop give `num_batches` batches;
# - **fresh**: no example comes twice, neither within a pass nor in a later one;
# - **seed**: two instances with the same seed give the same first pass and the same second one; another seed gives others;
# - **own generator**: what somebody else does with torch's global random numbers changes nothing.

# %% exercise="3.3.3"
class FreshBatches:
    """New examples of y = x w + b + noise in every pass: num_batches batches of batch_size."""

    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        ### BEGIN SOLUTION
        self.w, self.b, self.noise = w.reshape(-1, 1), b, noise
        self.num_batches, self.batch_size = num_batches, batch_size
        self.generator = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        for _ in range(self.num_batches):
            X = torch.randn(self.batch_size, len(self.w), generator=self.generator)
            epsilon = self.noise * torch.randn(self.batch_size, 1, generator=self.generator)
            yield X, X @ self.w + self.b + epsilon
        ### END SOLUTION

# %% [markdown] hints="3.3.3"
# 1. Which object must live as long as the loader, so that the second pass goes on where the first one stopped?
# 2. A generator made in `__init__` goes on from pass to pass; one made in `__iter__` begins anew each time.
# 3. A die that goes on: `self.g = torch.Generator().manual_seed(1)` in `__init__`, and in a method
#    `torch.randint(1, 7, (1,), generator=self.g)`.

# %% check="3.3.3" points=3
@probe
def fresh_passes(count, noise_before, *arguments):
    loader = FreshBatches(*arguments)
    passes = []
    for _ in range(count):
        if noise_before:
            torch.manual_seed(99)
        passes.append([tuple(batch) for batch in loader] if hasattr(loader, "__iter__") else "nothing: the class has no __iter__")
    return passes

@probe
def fresh_length(*arguments):
    loader = FreshBatches(*arguments)
    return len(loader) if hasattr(loader, "__len__") else "nothing: the class has no __len__"

def together(walk):
    return torch.cat([torch.cat(batch, dim=1) for batch in walk])

def different(*tensors):
    kinds = []
    for t in tensors:
        if not any(t.shape == kind.shape and torch.allclose(t, kind, atol=1e-4) for kind in kinds):
            kinds.append(t)
    return len(kinds)

w = torch.tensor([1.0, -2.0, 3.0])
two = fresh_passes(2, 0, w, 0.5, 0.0, 4, 5, 1)
assert_type(two[0], list, "a loop over FreshBatches(w, 0.5, 0.0, 4, 5, 1)", of="length")
assert_equal([len(walk) for walk in two], [4, 4], "the number of batches in two passes, asked for 4", of="length",
             mistakes={"The loader is used up after one pass.": [4, 0]})
assert_equal(fresh_length(w, 0.5, 0.0, 4, 5, 1), 4, "len of a loader of 4 batches", of="length")
assert_equal(sorted({len(batch) for walk in two for batch in walk}), [2], "how many tensors each batch holds", of="shape")
assert_shape(two[0][0][0], (5, 3), "the shape of X, batches of 5 with 3 features", of="shape")
assert_shape(two[0][0][1], (5, 1), "the shape of y, batches of 5", of="shape")
assert_equal([str(t.dtype) for t in two[0][0]], ["torch.float32"] * 2, "the dtypes of X and y", of="shape")
assert_close(two[1][2][1] - two[1][2][0] @ w[:, None] - 0.5, torch.zeros(5, 1), "y - Xw - b for noise=0 and b = 0.5", of="model", atol=1e-4,
             mistakes={"The bias is missing.": torch.full((5, 1), -0.5)})
rows = together(fresh_passes(2, 0, w, 0.5, 2.0, 50, 100, 2)[1])
assert_close((rows[:, 3:] - rows[:, :3] @ w[:, None] - 0.5).std(), torch.tensor(2.0),
             "the standard deviation of y - Xw - b for noise 2, 5000 examples", of="model", rtol=0.06,
             mistakes={"noise is the standard deviation, not the variance.": torch.tensor(2 ** 0.5)})
assert_close(rows[:, :3].std(dim=0), torch.ones(3), "the standard deviations of the features, 5000 examples", of="model", rtol=0.06)
assert_equal(different(two[0][0][0], two[0][1][0]), 2, "how many different X the first two batches of a pass have", of="fresh")
assert_equal(different(two[0][0][0], two[1][0][0]), 2, "how many different X the first batches of two passes have", of="fresh",
             hint="Where is your generator made: once, or for each pass?")
assert_equal(len({tuple(row) for walk in two for row in together(walk).tolist()}), 40,
             "how many different examples two passes of 4 batches of 5 hold", of="fresh", hint="Another order of the same examples is not fresh.")
again, other = (fresh_passes(2, 0, w, 0.5, 0.0, 4, 5, seed) for seed in (1, 2))
assert_equal([different(together(two[k]), together(again[k])) for k in (0, 1)], [1, 1],
             "how many different first passes, and second passes, two loaders with seed 1 give", of="seed")
assert_equal(different(two[0][0][0], other[0][0][0]), 2, "how many different first batches the seeds 1 and 2 give", of="seed")
disturbed = fresh_passes(2, 1, w, 0.5, 0.0, 4, 5, 1)
assert_equal(different(together(disturbed[1]), together(two[1])), 1,
             "how many different second passes seed 1 gives, with and without torch.manual_seed(99) before it", of="own generator",
             hint="Draw everything from a torch.Generator of your own.")
### BEGIN HIDDEN TESTS
w = torch.tensor([-1.5])
three = fresh_passes(3, 0, w, 4.0, 0.3, 2, 7, 8)
assert_equal([len(walk) for walk in three], [2, 2, 2], "the number of batches in three passes, asked for 2", of="length")
assert_equal(fresh_length(w, 4.0, 0.3, 9, 7, 8), 9, "len of a loader of 9 batches", of="length")
assert_equal([tuple(b[0].shape) + tuple(b[1].shape) for walk in three for b in walk], [(7, 1, 7, 1)] * 6, "the shapes for one feature", of="shape")
assert_equal(len({tuple(row) for walk in three for row in together(walk).tolist()}), 42, "how many different examples three passes of 14 hold",
             of="fresh")
again = fresh_passes(3, 0, w, 4.0, 0.3, 2, 7, 8)
nine, disturbed = fresh_passes(1, 0, w, 4.0, 0.3, 2, 7, 9), fresh_passes(3, 1, w, 4.0, 0.3, 2, 7, 8)
assert_equal([different(together(three[k]), together(again[k])) for k in range(3)], [1, 1, 1], "three passes of two loaders with seed 8", of="seed")
assert_equal(different(three[0][0][0], nine[0][0][0]), 2, "how many different first batches the seeds 8 and 9 give", of="seed")
assert_equal([different(together(three[k]), together(disturbed[k])) for k in range(3)], [1, 1, 1],
             "three passes with and without torch.manual_seed(99) before each", of="own generator")
rows = together(fresh_passes(1, 0, w, 4.0, 0.3, 30, 200, 8)[0])
error = rows[:, 1:] + 1.5 * rows[:, :1] - 4.0
assert_close(error.std(), torch.tensor(0.3), "the standard deviation of the noise, asked for 0.3", of="model", rtol=0.06)
assert_close(error.mean(), torch.tensor(0.), "the mean of the noise", of="model", atol=0.02)
### END HIDDEN TESTS

# %% [markdown] teaches="state of a generator, reproducible program"
# ## The same data tomorrow
#
# Often we want the opposite: data that are *the same* each time, so that two models can be compared on equal terms, and
# a bug that showed up at batch 731 shows up there again. A random number generator is a machine with a **state**. Each draw
# hands out numbers and moves the state on. A seed sets the state, so whoever sets the same seed gets the same sequence
# from its beginning:

# %%
g = torch.Generator().manual_seed(3)
a, b = torch.rand(2, generator=g), torch.rand(2, generator=g)
g.manual_seed(3)                                    # back to the start
c = torch.rand(2, generator=g)
h = torch.Generator().manual_seed(3)                # another generator with the same seed
e = torch.rand(2, generator=h)
for name, values in (("a", a), ("b", b), ("c", c), ("e", e)):
    print(name, [round(v, 4) for v in values.tolist()])

# %% [markdown]
# `a`, `c` and `e` are equal: each is the first draw after seed 3. `b` is the second one.
#
# torch also has a *global* generator. It serves every call without `generator=`, and `torch.manual_seed` sets it.
# It is handy in a short notebook. ⚠ In a larger program it is shared by all: a line somewhere that draws one more number
# shifts all that follow. Data that must stay the same get a generator of their own.

# %% [markdown] task="3.3.D" kind="answer" minutes=3 difficulty=2 core=true needs="state of a generator, random number generator with a seed"
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
# stand in the same group if their tensors are equal. The order does not matter. For example, three draws of which
# the first and the last agree: `[{"a", "c"}, {"b"}]`. Decide first, then run it. (The same seed gives the same numbers
# in the global generator and in one of your own.)
#
# **You are done when**
# - **form**: each of the six names stands in exactly one group;
# - **groups**: the groups are right.

# %% exercise="3.3.D"
### BEGIN SOLUTION
equal = [{"p", "q", "u"}, {"r", "s"}, {"t"}]
### END SOLUTION

# %% [markdown] hints="3.3.D"
# 1. For each draw: from which generator, and the how-manieth since its seed was set?
# 2. `torch.manual_seed` sets the global generator only.
# 3. Two decks stacked alike: the first cards of both agree, the second ones agree, whoever draws first.

# %% check="3.3.D" points=1
assert_type(equal, (list, tuple, set), "equal", of="form")
assert_equal(sorted(name for group in equal for name in group), ["p", "q", "r", "s", "t", "u"], "the names in all groups together", of="form")
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

values = draws()
def group_of(name):
    return sorted(next(group for group in equal if name in group))

assert_equal(group_of("q"), [name for name in values if values[name] == values["q"]], "the group of q", of="groups",
             hint="q is the first draw after seed 1. Which others are?")
assert_equal(group_of("s"), [name for name in values if values[name] == values["s"]], "the group of s", of="groups",
             hint="s is the second draw of its generator.")
### BEGIN HIDDEN TESTS
assert_equal(len(equal), len(set(values.values())), "the number of groups", of="form")
for name in "rtu":
    assert_equal(group_of(name), [other for other in values if values[other] == values[name]], f"the group of {name}", of="groups",
                 hint="torch.manual_seed does not touch a generator of your own.")
### END HIDDEN TESTS

# %% [markdown] task="3.3.4a" kind="code" minutes=8 difficulty=2 core=true needs="state of a generator, class with __iter__ and __len__, synthetic data"
# ### The same data in each pass
#
# Write the class `FrozenBatches(w, b, noise, num_batches, batch_size, seed)`. It hands out batches as `FreshBatches`
# does, but each pass gives the *same* ones. They may be stored, or drawn anew from the same seed: then a pass of any
# length takes no memory.
#
# **You are done when**
# - **shape**: `X` has shape `(batch_size, d)`, `y` has shape `(batch_size, 1)`, and a pass has `num_batches` batches;
# - **model**: y - Xw - b is 0 for `noise=0`, and the batches of a pass differ from each other;
# - **same**: each pass over an instance gives the same batches, also when a pass was left after its first batch, and
#   when two walks are taken in turns;
# - **seed**: two instances with the same seed agree, another seed gives other batches;
# - **own generator**: the global random numbers are neither used nor disturbed.

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
        generator = torch.Generator().manual_seed(self.seed)
        for _ in range(self.num_batches):
            X = torch.randn(self.batch_size, len(self.w), generator=generator)
            epsilon = self.noise * torch.randn(self.batch_size, 1, generator=generator)
            yield X, X @ self.w + self.b + epsilon
        ### END SOLUTION

# %% [markdown] hints="3.3.4a"
# 1. What must be at its beginning again when a new pass begins?
# 2. A local variable of a generator function belongs to one walk alone.
# 3. The same melody each time: `def __iter__(self): g = torch.Generator().manual_seed(4)`, then
#    `for _ in range(8): yield torch.randint(7, (1,), generator=g)`.

# %% check="3.3.4a" points=2
@probe
def frozen_passes(count, *arguments):
    loader = FrozenBatches(*arguments)
    return [[tuple(batch) for batch in loader] if hasattr(loader, "__iter__") else "nothing: the class has no __iter__" for _ in range(count)]

@probe
def frozen_after_a_break(*arguments):
    loader = FrozenBatches(*arguments)
    for batch in loader:
        break
    return [tuple(batch) for batch in loader]

@probe
def frozen_in_turns(*arguments):
    loader = FrozenBatches(*arguments)
    one, other = iter(loader), iter(loader)
    return [next(which)[0] for which in (one, other, one, other)]

@probe
def frozen_and_global(seed_before, *arguments):
    torch.manual_seed(seed_before)
    batches = [tuple(batch) for batch in FrozenBatches(*arguments)]
    return [batches, torch.rand(3)]

def together(walk):
    return torch.cat([torch.cat(batch, dim=1) for batch in walk])

def different(*tensors):
    kinds = []
    for t in tensors:
        if not any(t.shape == kind.shape and torch.allclose(t, kind, atol=1e-4) for kind in kinds):
            kinds.append(t)
    return len(kinds)

w = torch.tensor([1.0, -2.0, 3.0])
order_ = (w, 0.5, 0.0, 4, 5, 1)
two = frozen_passes(2, *order_)
assert_type(two[0], list, "a loop over FrozenBatches(w, 0.5, 0.0, 4, 5, 1)", of="shape")
assert_equal([len(walk) for walk in two], [4, 4], "the number of batches in two passes, asked for 4", of="shape",
             mistakes={"The loader is used up after one pass.": [4, 0]})
assert_equal(sorted({len(batch) for walk in two for batch in walk}), [2], "how many tensors each batch holds", of="shape")
assert_shape(two[0][0][0], (5, 3), "the shape of X, batches of 5 with 3 features", of="shape")
assert_shape(two[0][0][1], (5, 1), "the shape of y, batches of 5", of="shape")
assert_close(two[0][2][1] - two[0][2][0] @ w[:, None] - 0.5, torch.zeros(5, 1), "y - Xw - b for noise=0 and b = 0.5", of="model", atol=1e-4,
             mistakes={"The bias is missing.": torch.full((5, 1), -0.5)})
assert_equal(different(*(batch[0] for batch in two[0])), 4, "how many different X the four batches of a pass have", of="model",
            hint="One generator for a pass: its state moves on from batch to batch.")
assert_equal(different(together(two[0]), together(two[1])), 1, "how many different passes two loops over a loader give", of="same",
             hint="When is your generator set to the seed?")
assert_equal(different(together(two[0]), together(frozen_after_a_break(*order_))), 1,
             "how many different passes two loaders give, one of which was left after a batch before", of="same")
turns = frozen_in_turns(*order_)
assert_equal([different(turns[0], turns[1]), different(turns[2], turns[3])], [1, 1],
             "how many different first batches, and second ones, two walks over a loader give, taken in turns", of="same",
             hint="Each walk needs a generator of its own.")
again, other = (frozen_passes(1, w, 0.5, 0.0, 4, 5, seed)[0] for seed in (1, 2))
assert_equal(different(together(two[0]), together(again)), 1, "how many different passes two loaders with seed 1 give", of="seed")
assert_equal(different(two[0][0][0], other[0][0]), 2, "how many different first batches the seeds 1 and 2 give", of="seed")
walk, after = frozen_and_global(11, *order_)
assert_close(after, torch.rand(3, generator=torch.Generator().manual_seed(11)), "torch.rand(3) after torch.manual_seed(11) and a pass", of="own generator")
assert_equal(different(together(walk), together(two[0])), 1, "how many different passes seed 1 gives, with and without torch.manual_seed(11)",
             of="own generator")
### BEGIN HIDDEN TESTS
order_ = (torch.tensor([2.5]), -1.0, 0.7, 3, 6, 12)
three = frozen_passes(3, *order_)
assert_equal([[tuple(b[0].shape) + tuple(b[1].shape) for b in walk] for walk in three], [[(6, 1, 6, 1)] * 3] * 3, "the shapes in three passes", of="shape")
assert_equal(len({tuple(b[0].flatten().tolist()) for b in three[0]}), 3, "how many of the 3 batches of a pass differ", of="model")
exact = frozen_passes(1, torch.tensor([2.5]), -1.0, 0.0, 3, 6, 12)[0]
assert_close(exact[1][1] - 2.5 * exact[1][0] + 1.0, torch.zeros(6, 1), "y - Xw - b for noise=0, one feature", of="model", atol=1e-4)
assert_equal(different(*(together(walk) for walk in three)), 1, "how many different passes three loops give, with noise", of="same")
assert_equal(different(together(three[0]), together(frozen_after_a_break(*order_))), 1, "a pass after one that was left early", of="same")
turns = frozen_in_turns(*order_)
assert_equal([different(turns[0], turns[1]), different(turns[2], turns[3])], [1, 1], "two walks taken in turns", of="same")
again, other = (frozen_passes(1, *order_[:-1], seed)[0] for seed in (12, 13))
assert_equal(different(together(three[0]), together(again)), 1, "how many different passes two loaders with seed 12 give", of="seed")
assert_equal(different(three[0][0][0], other[0][0]), 2, "how many different first batches the seeds 12 and 13 give", of="seed")
walk, after = frozen_and_global(5, *order_)
assert_close(after, torch.rand(3, generator=torch.Generator().manual_seed(5)), "the global random numbers after a pass", of="own generator")
assert_equal(different(together(walk), together(three[0])), 1, "how many different passes seed 12 gives", of="own generator")
### END HIDDEN TESTS

# %% [markdown] teaches="seed from seed and epoch, order of an epoch"
# ### An order for each epoch
#
# Shuffling wants both: a *new* order in each epoch, and the *same* orders when the program is run again. A generator
# that goes on from epoch to epoch gives that, as long as one begins with epoch 0. But a run that broke off after
# epoch 6 would have to replay the six epochs before it. Better: make the order a function of the seed *and* the epoch.
#
# ⚠ The first idea is a generator with the seed `seed + epoch`. Then epoch 1 of the run with seed 0 has the same order
# as epoch 0 of the run with seed 1:

# %%
def order_by_sum(n, seed, epoch):
    return torch.randperm(n, generator=torch.Generator().manual_seed(seed + epoch)).tolist()

for seed in (0, 1):
    print(f"run with seed {seed}:", [order_by_sum(5, seed, epoch) for epoch in range(3)])

# %% [markdown]
# Runs with several seeds are made to see how much chance is in a result. These share nearly all their orders, and agree
# more than they should. The mend: mix the pair well. `np.random.default_rng([seed, epoch])` takes a *list* of numbers
# and makes one state of all of them; its method `permutation(n)` draws an order.

# %%
def first_of(seed, epoch):
    return np.random.default_rng([seed, epoch]).permutation(5).tolist()

for seed in (0, 1):
    print(f"run with seed {seed}:", [first_of(seed, epoch) for epoch in range(3)])

# %% [markdown] task="3.3.4b" kind="code" minutes=8 difficulty=3 needs="order of an epoch, seed from seed and epoch, permutation"
# ### The order of epoch 7, at once
#
# Write `epoch_order(n, seed, epoch)`: the order of the `n` examples in this epoch of the run with this seed, a tensor of
# shape `(n,)` and dtype int64. `seed` and `epoch` are integers from 0 to 1000.
#
# **You are done when**
# - **form**: it is a tensor of shape `(n,)` and dtype int64;
# - **permutation**: each of 0 ... n-1 stands in it once;
# - **repeatable**: the same arguments give the same order, whatever was drawn before;
# - **each epoch**: other epochs of a run have other orders;
# - **no shared orders**: runs with different seeds share none, epoch 1 of seed 0 and epoch 0 of seed 1 included, and
#   epoch 3 of seed 2 and epoch 2 of seed 3;
# - **own generator**: torch's global random numbers are not disturbed.

# %% exercise="3.3.4b"
def epoch_order(n, seed, epoch):
    """The order of n examples in an epoch of a run: a permutation of 0 ... n - 1, int64."""
    ### BEGIN SOLUTION
    return torch.from_numpy(np.random.default_rng([seed, epoch]).permutation(n))
    ### END SOLUTION

# %% [markdown] hints="3.3.4b"
# 1. How many different states do 1001 seeds times 1001 epochs need? Which single number is different for each pair?
# 2. `1001 * seed + epoch` is: it counts the pairs. `torch.Generator` takes such a number; NumPy takes the pair itself.
# 3. Seat numbers of a theatre with rows of 40 seats: `40 * row + seat` is different for each seat, `row + seat` is not.

# %% check="3.3.4b" points=2
order = epoch_order(30, 0, 0)
assert_type(order, torch.Tensor, "what epoch_order(30, 0, 0) returns", of="form")
assert_shape(order, (30,), "the shape of epoch_order(30, 0, 0)", of="form")
assert_dtype(order, torch.int64, "the dtype of epoch_order(30, 0, 0)", of="form")
assert_equal(order.sort().values, torch.arange(30), "epoch_order(30, 0, 0), sorted", of="permutation")

@probe
def order_after(before, n, seed, epoch):
    torch.manual_seed(before)
    np.random.seed(before)
    found = epoch_order(n, seed, epoch)
    return [found, torch.rand(3)]

assert_equal(len({tuple(epoch_order(30, 0, 0).tolist()) for _ in range(2)}), 1, "how many orders two calls epoch_order(30, 0, 0) give",
             of="repeatable")
assert_equal(len({tuple(order_after(before, 30, 0, 0)[0].tolist()) for before in (1, 2)}), 1,
             "how many orders epoch_order(30, 0, 0) gives after torch.manual_seed(1) and after torch.manual_seed(2)", of="repeatable",
             hint="Seed a generator of your own inside the function.")
epochs = [tuple(epoch_order(30, 4, epoch).tolist()) for epoch in range(8)]
assert_equal(len(set(epochs)), 8, "how many different orders the epochs 0 ... 7 of seed 4 have", of="each epoch",
             mistakes={"The epoch is ignored.": 1})
for one, other in (((0, 1), (1, 0)), ((2, 3), (3, 2))):
    assert_true(epoch_order(30, *one).tolist() != epoch_order(30, *other).tolist(),
                f"epoch {one[1]} of seed {one[0]} and epoch {other[1]} of seed {other[0]} have different orders", of="no shared orders",
                hint="seed + epoch and seed * epoch are the same for both pairs.")
assert_equal(len({tuple(epoch_order(30, seed, epoch).tolist()) for seed in range(12) for epoch in range(12)}), 144,
             "how many different orders the seeds 0 ... 11 have in the epochs 0 ... 11", of="no shared orders")
assert_close(order_after(1, 30, 5, 6)[1], torch.rand(3, generator=torch.Generator().manual_seed(1)),
             "torch.rand(3) after torch.manual_seed(1) and a call", of="own generator")
### BEGIN HIDDEN TESTS
for n, seed, epoch in ((1, 0, 5), (17, 1000, 1000), (64, 3, 999)):
    order = epoch_order(n, seed, epoch)
    assert_shape(order, (n,), f"the shape for {n} examples", of="form")
    assert_dtype(order, torch.int64, f"the dtype for {n} examples", of="form")
    assert_equal(order.sort().values, torch.arange(n), f"the sorted order of {n} examples", of="permutation")
    assert_equal(len({tuple(order_after(before, n, seed, epoch)[0].tolist()) for before in (7, 9)}), 1,
                 f"how many orders seed {seed} and epoch {epoch} have, asked twice", of="repeatable")
pairs = [(0, 1000), (1000, 0), (1, 0), (0, 100), (1, 900), (10, 0), (0, 999), (1, 1000), (2, 0), (500, 2), (2, 500), (501, 1)]
assert_equal(len({tuple(epoch_order(40, *pair).tolist()) for pair in pairs}), len(pairs), "how many different orders 12 pairs of seed and epoch have",
             of="no shared orders", hint="Every pair needs a state of its own.")
assert_equal(len({tuple(epoch_order(40, 77, epoch).tolist()) for epoch in range(30)}), 30, "the orders of 30 epochs", of="each epoch")
assert_close(order_after(8, 12, 1, 1)[1], torch.rand(3, generator=torch.Generator().manual_seed(8)), "the global random numbers after a call", of="own generator")
### END HIDDEN TESTS

# %% [markdown]
# ## Summary
#
# - Data that we make ourselves, y = Xw + b + noise, have a known truth: a learner that does not find it has a bug. Mind
#   the shapes: a vector plus a column is a square.
# - Batches are handed out by an iterator. A generator is used up after one walk; a class with `__iter__` begins anew,
#   and `DataLoader` is one. One order for features and targets, a new one for each epoch.
# - A last batch that is not full is kept (its examples pull harder) or dropped (harmless if reshuffled); validation
#   keeps it, and weighs it by its size.
# - A file larger than memory is read through a memory map, in an order that is computed, not stored. Random order costs a
#   page for each row; block shuffles are the compromise.
# - Random numbers come from a state. A generator that goes on gives fresh data; one set to its seed gives the same data
#   again; one made of seed *and* epoch gives each epoch its order. Section 3.4 trains on these data, with nothing but
#   tensors; section 3.5 does it with torch's parts.
