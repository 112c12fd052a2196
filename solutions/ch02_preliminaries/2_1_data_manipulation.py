# %% [markdown]
# # 2.1 Data manipulation
#
# Every program of this book moves numbers in and out of *tensors*: arrays with any number of axes. This section makes
# tensors, gives them another shape, picks out and overwrites parts, joins them, compares them, and says when two names
# stand for the same memory. First comes a recap with code to run, then the exercises.

# %% tags=["setup"]
from d2l_utils.check import *
import numpy as np
import torch

# %% [markdown]
# ## Recap
#
# ### Making tensors
#
# `torch.arange(n)` counts from 0 to n - 1. A tensor knows its `shape` (the length of each axis), its number of entries
# `numel()`, and its `dtype` (what kind of number an entry is). Whole numbers become `int64`, numbers with a decimal
# point `float32`.

# %%
x = torch.arange(12)
x, x.shape, x.numel(), x.dtype

# %%
torch.zeros(2, 3), torch.ones(3), torch.full((2, 2), 7), torch.tensor([[1.5, 2.], [3., 4.]])

# %% [markdown]
# ## Exercises
#
# ### Comparisons

# %% [markdown] task="2.1.1a" kind="code" minutes=5 difficulty=1 core=true
# ### Less, equal, greater
#
# A comparison of two tensors looks at every pair of entries and answers each with `True` or `False`. Such a tensor of
# answers is called a *mask*; masks select data, count errors and replace `if` in vectorised code.
#
# Write `compare(X, Y)`. It returns a tuple of three masks `(less, equal, greater)`: where the entry of `X` is less than,
# equal to, greater than the entry of `Y`. An entry that is `nan` (not a number) is neither less, nor equal, nor greater.
#
# **You are done when** the check shows three masks with the right entries for two vectors that you can compare by eye.

# %% exercise="2.1.1a"
def compare(X, Y):
    """Element-wise comparison; returns three bool tensors (less, equal, greater) of the broadcast shape."""
    ### BEGIN SOLUTION
    return X < Y, X == Y, X > Y
    ### END SOLUTION

# %% [markdown] hints="2.1.1a"
# 1. What does `torch.tensor([1, 5]) < torch.tensor([3, 3])` print?
# 2. `return a, b, c` returns a tuple of three. Each comparison operator of Python works entry by entry on tensors.
# 3. For `u = torch.tensor([2., 7.])`, `u <= 2` is `tensor([True, False])`: a mask with the shape of `u` and dtype `bool`.

# %% check="2.1.1a" points=1
left, right = torch.tensor([1., 2., 5., -1.]), torch.tensor([3., 2., 4., -1.])
assert_equal(len(compare(left, right)), 3, "the number of masks returned")
assert_dtype(compare(left, right)[0], torch.bool, "the dtype of a mask")
assert_equal(compare(left, right)[0], [True, False, False, False], "less, for (1, 2, 5, -1) and (3, 2, 4, -1)")
assert_equal(compare(left, right)[1], [False, True, False, True], "equal, for (1, 2, 5, -1) and (3, 2, 4, -1)")
assert_equal(compare(left, right)[2], [False, False, True, False], "greater, for (1, 2, 5, -1) and (3, 2, 4, -1)")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(11)
tall = torch.randint(-3, 4, (3, 1, 4), generator=rng)
wide = torch.randint(-3, 4, (5, 4), generator=rng)
for name, mask, wanted in zip(("less", "equal", "greater"), compare(tall, wide), (tall < wide, tall == wide, tall > wide)):
    assert_shape(mask, (3, 5, 4), f"the shape of `{name}` for shapes (3, 1, 4) and (5, 4)")
    assert_dtype(mask, torch.bool, f"the dtype of `{name}` for integers")
    assert_close(mask, wanted, f"`{name}` for integers of shapes (3, 1, 4) and (5, 4)")
holes, others = torch.tensor([float("nan"), 1., float("nan")]), torch.tensor([0., float("nan"), float("nan")])
for name, mask in zip(("less", "equal", "greater"), compare(holes, others)):
    assert_close(mask, torch.zeros(3, dtype=torch.bool), f"`{name}` where an entry is nan")
### END HIDDEN TESTS

# %% [markdown] task="2.1.1b" kind="code" minutes=8 difficulty=2 core=true
# ### Entries within an interval
#
# To leave out measurements outside a trusted range you need one mask from two comparisons.
#
# Write `inside(X, low, high)`. It returns a mask with the shape of `X`: `True` where `low` ≤ entry < `high`.
# `low` and `high` are numbers. `X` has any shape, and any dtype with an order.
#
# **You are done when** the check shows the right mask for five numbers, two of which lie exactly on the bounds.

# %% exercise="2.1.1b"
def inside(X, low, high):
    """The mask of the entries of X in the half-open interval [low, high): bool, the shape of X."""
    ### BEGIN SOLUTION
    return (X >= low) & (X < high)
    ### END SOLUTION

# %% [markdown] hints="2.1.1b"
# 1. Which operator combines two masks entry by entry? It is not the word `and`.
# 2. `&`, `|` and `~` are *and*, *or* and *not* for masks. They bind tighter than `<`: put each comparison in parentheses.
# 3. For `u = torch.tensor([1, 4, 9])`, `(u < 2) | (u > 8)` is `tensor([True, False, True])`.

# %% check="2.1.1b" points=1
readings = torch.tensor([-1., 0., 0.5, 2., 3.])
assert_shape(inside(readings, 0, 2), (5,), "the shape of the mask for five numbers")
assert_dtype(inside(readings, 0, 2), torch.bool, "the dtype of the mask")
assert_equal(inside(readings, 0, 2), [False, True, True, False, False], "0 ≤ x < 2 for x = -1, 0, 0.5, 2, 3",
             mistakes={"The lower bound belongs to the interval.": [False, False, True, False, False],
                       "The upper bound does not belong to the interval.": [False, True, True, True, False],
                       "This is *or*: every number meets one of the two bounds.": [True] * 5})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(12)
whole = torch.randint(-9, 10, (4, 3, 5), generator=rng)
assert_shape(inside(whole, -3, 6), (4, 3, 5), "the shape of the mask for integers of shape (4, 3, 5)")
assert_close(inside(whole, -3, 6), torch.logical_and(whole >= -3, whole < 6), "integers of shape (4, 3, 5)")
assert_close(inside(whole, 3, -3), torch.zeros(4, 3, 5, dtype=torch.bool), "an empty interval, with low > high")
assert_close(inside(torch.tensor([[5.]]), 5, 6), torch.tensor([[True]]), "a tensor of one entry")
### END HIDDEN TESTS
