# %% [markdown]
# # 2.1 Data manipulation
#
# Every program of this book moves numbers in and out of *tensors*: arrays with any number of axes. This
# section makes tensors, gives them another shape, picks out and overwrites parts, joins and compares them,
# and says when two names stand for the same memory. First comes a recap with code to run and to play with,
# then the exercises.

# %% tags=["setup"]
from d2l_utils.check import *
import numpy as np
import torch

# %% [markdown]
# ## Recap
#
# ### Making tensors
#
# `torch.arange(n)` counts from 0 to n - 1. A tensor knows its `shape` (the length of each axis), its number
# of entries `numel()`, and its `dtype` (the kind of number that an entry is). Whole numbers become `int64`,
# numbers with a decimal point `float32`.

# %%
x = torch.arange(12)
x, x.shape, x.numel(), x.dtype

# %%
torch.zeros(2, 3), torch.full((2, 2), 7), torch.tensor([[1.5, 2.], [3., 4.]])

# %% [markdown]
# Each of these functions takes `dtype=`. `torch.arange(start, stop, step)` leaves out `stop`, as Python's
# `range` does. `torch.rand` draws from the uniform distribution on [0, 1), `torch.randn` from the standard
# normal one: mean 0, standard deviation 1.

# %%
torch.arange(5, 20, 5), torch.arange(3, dtype=torch.float64), torch.randn(2, 3)

# %% [markdown]
# ### Shape
#
# `reshape` gives the same entries, in the same order, another shape. The order is *row-major*: the last index
# runs fastest. One length may be written as -1; it follows from the others. `T` swaps the axes of a matrix,
# which changes the order.

# %%
x.reshape(3, 4), x.reshape(2, -1), x.reshape(3, 4).T

# %% [markdown]
# ### Parts of a tensor
#
# Indices count from 0, from the end as -1, -2, ... A slice `a:b` leaves out `b`. The first index or slice
# belongs to axis 0, the next to axis 1. What stands on the left of `=` is overwritten.

# %%
table = torch.arange(12).reshape(3, 4)
table[-1], table[:, 1], table[1:3, ::2]

# %%
table[1:, 0] = 100
table

# %% [markdown]
# ### Operations
#
# `+`, `*`, `exp` and comparisons work entry by entry. A comparison gives a *mask*, a tensor of dtype `bool`.
# Masks combine by `&` (and), `|` (or), `~` (not), and a mask as an index picks out the entries where it is
# `True`. `&` and `|` bind tighter than `<`, so each comparison needs its own parentheses.

# %%
u = torch.tensor([1., 4., 9., 16.])
far = (u < 2) | (u > 8)
u.sqrt(), far, u[far], far.sum()

# %% [markdown]
# `sum`, `mean`, `max` over the whole tensor, or with `dim=` over one axis. `torch.cat` joins tensors along an
# axis that exists, and only that axis may differ in length. Along `dim=0` rows come below rows, along `dim=1`
# columns beside columns.

# %%
top, bottom = torch.zeros(1, 3), torch.ones(2, 3)
torch.cat([top, bottom], dim=0).shape, torch.cat([bottom, bottom], dim=1).shape

# %% [markdown]
# ### Broadcasting
#
# Tensors of different shapes combine as well. Write the two shapes below each other, aligned at the right,
# and fill the shorter one up with 1 at the left. On each axis the lengths must be equal, or one of them 1; an
# axis of length 1 is repeated as often as the other needs. Nothing is copied for that.

# %%
column, row = torch.tensor([[0], [10], [20]]), torch.tensor([[1, 2, 3, 4]])
column.shape, row.shape, (column + row).shape

# %% tags=["demo"]
import matplotlib.pyplot as plt

figure, axes = plt.subplots(1, 3, figsize=(8, 2.4))
titles = ("column (3, 1)", "row (1, 4)", "column + row (3, 4)")
for axis, values, title in zip(axes, (column, row, column + row), titles):
    shown = values.expand(3, 4)
    opacity = np.full((3, 4), 0.35)
    opacity[:values.shape[0], :values.shape[1]] = 1      # where there is an entry in memory
    axis.imshow(shown, vmin=0, vmax=30, cmap="Blues", alpha=opacity)
    for (i, j), number in np.ndenumerate(shown.numpy()):
        axis.text(j, i, str(number), ha="center", va="center", color="black" if opacity[i, j] == 1 else "gray")
    axis.set(title=title, xticks=[], yticks=[])
plt.show()

# %% [markdown]
# Pale cells are the repeated ones. Indexing with `None` puts in an axis of length 1 where you write it, so
# that you choose which axes meet.

# %%
v, w = torch.tensor([1., 2., 3.]), torch.tensor([10., 20.])
v[:, None].shape, (v[:, None] * w).shape, v[:, None] * w

# %% [markdown]
# ### Memory
#
# A name points to a tensor, and a tensor to a block of memory; `data_ptr()` is the block's address. `Y = Y +
# X` makes a new tensor in new memory and lets the name `Y` point there. `Y += X` and `Y[:] = ...` write into
# the memory that is there. So do the methods whose names end in an underscore, such as `add_` and `mul_`.

# %%
X, Y = torch.ones(3), torch.zeros(3)
start = Y.data_ptr()
Y = Y + X
after_plus = Y.data_ptr() == start
start = Y.data_ptr()
Y += X
Y[:] = Y * 2
after_plus, Y.data_ptr() == start, Y

# %% [markdown]
# A slice and a reshape of a tensor are *views*: other tensors on the same memory. What is written through one
# is seen through the other. `clone()` makes a copy with memory of its own.

# %%
data = torch.arange(6)
view, copy = data.reshape(2, 3), data.clone()
view[0, 0] = 99
data, copy

# %% [markdown]
# ### NumPy arrays and Python numbers
#
# `torch.from_numpy(array)` and `tensor.numpy()` share memory, `torch.tensor(array)` copies. A tensor with a
# single entry becomes a Python number by `item()`.

# %%
array = np.zeros(3)
same, own = torch.from_numpy(array), torch.tensor(array)
array[0] = 5
same, own, torch.tensor([[3.5]]).item()

# %% [markdown]
# ## Exercises
#
# Write your answers into the cells that begin with `# Answer`. Run the answer, then the check below it.
#
# ### Comparisons

# %% [markdown] task="2.1.1a" kind="code" minutes=5 difficulty=1 core=true
# ### Less, equal, greater
#
# A comparison of two tensors looks at every pair of entries and answers each with `True` or `False`. Such
# masks select data, count errors and replace `if` in vectorised code.
#
# Write `compare(X, Y)`. It returns a tuple of three masks `(less, equal, greater)`: where the entry of `X` is
# less than, equal to, greater than the entry of `Y`. The shapes of `X` and `Y` broadcast. An entry that is
# `nan` (not a number) is neither less, nor equal, nor greater.
#
# **You are done when** the check shows three masks with the right entries for two vectors that you can
# compare by eye.

# %% exercise="2.1.1a"
def compare(X, Y):
    """Element-wise comparison; returns three bool tensors (less, equal, greater) of the broadcast shape."""
    ### BEGIN SOLUTION
    return X < Y, X == Y, X > Y
    ### END SOLUTION

# %% [markdown] hints="2.1.1a"
# 1. What does `torch.tensor([1, 5]) < torch.tensor([3, 3])` print?
# 2. `return a, b, c` returns a tuple of three. Each comparison operator of Python works entry by entry on
#    tensors.
# 3. For `u = torch.tensor([2., 7.])`, `u <= 2` is `tensor([True, False])`: a mask with the shape of `u` and
#    dtype `bool`.

# %% check="2.1.1a" points=1
left, right = torch.tensor([1., 2., 5., -1.]), torch.tensor([3., 2., 4., -1.])
masks = compare(left, right)
assert_type(masks, (tuple, list), "what compare returns")
assert_equal(len(masks), 3, "the number of masks")
assert_dtype(masks[0], torch.bool, "the dtype of a mask")
assert_equal(masks[0], [True, False, False, False], "less, for (1, 2, 5, -1) and (3, 2, 4, -1)")
assert_equal(masks[1], [False, True, False, True], "equal, for (1, 2, 5, -1) and (3, 2, 4, -1)")
assert_equal(masks[2], [False, False, True, False], "greater, for (1, 2, 5, -1) and (3, 2, 4, -1)")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(11)
tall = torch.randint(-3, 4, (3, 1, 4), generator=rng)
wide = torch.randint(-3, 4, (5, 4), generator=rng)
right_masks = (tall < wide, tall == wide, tall > wide)
for name, mask, wanted in zip(("less", "equal", "greater"), compare(tall, wide), right_masks):
    assert_shape(mask, (3, 5, 4), f"the shape of `{name}` for shapes (3, 1, 4) and (5, 4)")
    assert_dtype(mask, torch.bool, f"the dtype of `{name}` for integers")
    assert_close(mask, wanted, f"`{name}` for integers of shapes (3, 1, 4) and (5, 4)")
holes, others = torch.tensor([float("nan"), 1., float("nan")]), torch.tensor([0., float("nan"), float("nan")])
for name, mask in zip(("less", "equal", "greater"), compare(holes, others)):
    assert_close(mask, torch.zeros(3, dtype=torch.bool), f"`{name}` where an entry is nan")
### END HIDDEN TESTS

# %% [markdown]
# Mathematics writes -1 ≤ x < 1 in one piece. For numbers Python does too. For tensors it fails, and so does
# `and`: both ask whether the first mask *as a whole* is true, and a tensor of several entries has no answer
# to that. Run the cell and read the message; you will meet it again. A tensor with one entry does have an
# answer, so such code can pass a first try.

# %% tags=["demo"]
signal = torch.sin(torch.arange(60) / 6)
for attempt in ("-0.5 <= signal < 0.5", "signal >= -0.5 and signal < 0.5", "-0.5 <= signal[:1] < 0.5"):
    try:
        print(f"{attempt:32} gives", eval(attempt))
    except RuntimeError as error:
        print(f"{attempt:32} raises", error)

# %% [markdown]
# What works are two masks and `&` between them. The picture shows the entries that one such mask picks out of
# a signal.

# %% tags=["demo"]
outside = (signal > 0.8) | (signal < -0.8)
plt.figure(figsize=(6, 2))
plt.plot(signal, ".-", color="lightgray")
plt.plot(outside.nonzero(), signal[outside], "o", color="C1")
plt.title("(signal > 0.8) | (signal < -0.8)", fontsize=10)
plt.show()

# %% [markdown] task="2.1.1b" kind="code" minutes=8 difficulty=2 core=true
# ### Entries within an interval
#
# To leave out measurements outside a trusted range you need one mask from two comparisons.
#
# Write `inside(X, low, high)`. It returns a mask with the shape of `X`: `True` where `low` ≤ entry < `high`.
# `low` and `high` are numbers. `X` is a tensor of any shape, of whole numbers or of floating point.
#
# **You are done when** the check shows the right mask for five numbers, two of which lie exactly on the
# bounds.

# %% exercise="2.1.1b"
def inside(X, low, high):
    """The mask of the entries of X in the half-open interval [low, high): bool, the shape of X."""
    ### BEGIN SOLUTION
    return (X >= low) & (X < high)
    ### END SOLUTION

# %% [markdown] hints="2.1.1b"
# 1. Which operator combines two masks entry by entry? It is not the word `and`.
# 2. `&`, `|` and `~` are *and*, *or* and *not* for masks. They bind tighter than `<`: put each comparison in
#    parentheses.
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

# %% [markdown]
# ### Broadcasting

# %% tags=["setup"]
pairs = {"A": ((4, 3, 2), (3, 1)),
         "B": ((2, 1, 4), (1, 3, 1)),
         "C": ((2, 3, 4), (3, 4, 1)),
         "D": ((5, 1, 1), (6,)),
         "E": ((3, 2, 4), (3, 2)),
         "F": ((7, 1, 5), (7, 8, 1)),
         "G": ((3, 4, 2), (4, 3, 2))}

# %% [markdown] task="2.1.2a" kind="answer" minutes=6 difficulty=2 core=true
# ### Predict the shape
#
# Shape errors are the most frequent ones in deep learning, and whoever predicts shapes finds them before they
# happen.
#
# The cell above lists seven pairs of shapes. Predict, with pencil and paper, the shape of the sum of two
# tensors of these shapes; `None` where the sum raises an error. Only then try. Hand in a dictionary with a
# tuple or `None` for each letter: `predicted = {"A": (4, 3, 2), "B": ..., ...}`. A is solved: (4, 3, 2) and
# (3, 1) align as (4, 3, 2) and (1, 3, 1).
#
# **You are done when** the check finds an entry for each of the seven letters. Whether they are right you see
# by adding tensors of zeros.

# %% exercise="2.1.2a"
### BEGIN SOLUTION
predicted = {"A": (4, 3, 2), "B": (2, 3, 4), "C": None, "D": (5, 1, 6), "E": None, "F": (7, 8, 5), "G": None}
### END SOLUTION

# %% [markdown] hints="2.1.2a"
# 1. Which lengths meet when you write the two shapes below each other, aligned at the right?
# 2. A missing length counts as 1. Two lengths fit if they are equal or one of them is 1; the result has the
#    larger.
# 3. (8, 1, 6) and (7, 6) align as (8, 1, 6) and (1, 7, 6), which gives (8, 7, 6). (8, 7) and (8,) do not fit:
#    7 meets 8.

# %% check="2.1.2a" points=2
assert_type(predicted, dict, "predicted")
assert_equal(sorted(predicted), list("ABCDEFG"), "the letters in predicted")
assert_equal(predicted["A"], (4, 3, 2), "pair A")
### BEGIN HIDDEN TESTS
def summed(first, second):
    try:
        return tuple((torch.zeros(first) + torch.zeros(second)).shape)
    except RuntimeError:
        return None


truth = {letter: summed(*shapes) for letter, shapes in pairs.items()}
with part(1, "the pairs that cannot be added"):
    failing = {letter for letter, shape in truth.items() if shape is None}
    assert_equal({letter for letter, shape in predicted.items() if shape is None}, failing, "the letters with None")
with part(1, "the shapes of the other sums"):
    for letter, shape in truth.items():
        if shape is not None:
            assert_equal([predicted[letter]], [shape], f"the shape of pair {letter}")
total()
### END HIDDEN TESTS

# %% [markdown] task="2.1.2b" kind="code" minutes=12 difficulty=3
# ### The rule as a program
#
# Write `broadcast_shape(s, t)`: for two shapes, given as tuples of whole numbers ≥ 0 of any lengths, it
# returns the shape of the sum of two tensors of these shapes as a tuple, or `None` where they cannot be
# added. An axis may have length 0, as in a batch without examples: 0 and 1 give 0, for 1 is what is repeated.
#
# **You are done when** the check shows a shape for tensors with different numbers of axes, and `None` for two
# shapes that do not fit.

# %% exercise="2.1.2b"
def broadcast_shape(s, t):
    """The shape (a tuple) to which two shapes broadcast, None where they do not."""
    ### BEGIN SOLUTION
    axes = max(len(s), len(t))
    s, t = (1,) * (axes - len(s)) + tuple(s), (1,) * (axes - len(t)) + tuple(t)
    if any(m != n and 1 not in (m, n) for m, n in zip(s, t)):
        return None
    return tuple(n if m == 1 else m for m, n in zip(s, t))
    ### END SOLUTION

# %% [markdown] hints="2.1.2b"
# 1. How do you make two tuples equally long, so that you can walk through both with `zip`?
# 2. `(1,) * 2 + (5,)` is `(1, 1, 5)`. Of two lengths that fit, the one that is not 1 remains. It need not be
#    the larger one.
# 3. On one axis: 4 and 1 give 4, 1 and 1 give 1, 0 and 1 give 0, 4 and 2 do not fit, and neither do 4 and 0.

# %% check="2.1.2b" points=2
assert_equal(broadcast_shape((2, 1), (1, 3)), (2, 3), "shapes (2, 1) and (1, 3)")
assert_equal(broadcast_shape((4, 3, 2), (3, 1)), (4, 3, 2), "shapes (4, 3, 2) and (3, 1)")
assert_equal([broadcast_shape((6, 3), (2, 3))], [None], "shapes (6, 3) and (2, 3), which do not fit, in a list")
### BEGIN HIDDEN TESTS
def added(first, second):
    try:
        return tuple((torch.zeros(first) + torch.zeros(second)).shape)
    except RuntimeError:
        return None


fitting = [((3,), (2, 4, 3)), ((5, 1, 2, 1), (4, 1, 3)), ((), (2, 3)), ((1, 1), (1,)), ((2, 0, 3), (1, 1, 3)),
           ((1,), (0,)), ((7, 6, 5), (7, 6, 5)), ((1, 8), (9, 1, 1))]
others = [((2, 3), (2,)), ((3, 4, 2), (4, 3, 2)), ((2, 3), (0, 3)), ((4,), (2,)), ((2, 5, 4), (3, 1, 4))]
for first, second in fitting + others:
    assert_equal([broadcast_shape(first, second)], [added(first, second)], f"shapes {first} and {second}")
### END HIDDEN TESTS

# %% [markdown] task="2.1.2c" kind="code" minutes=10 difficulty=3 core=true
# ### A number for each channel
#
# Images come in batches of shape `(n, c, h, w)`: n images, c colour channels, h rows, w columns. Before
# training, each channel is *standardised*: its mean is subtracted, then it is divided by its standard
# deviation.
#
# Write `standardise(images, mean, std)`. `mean` and `std` have shape `(c,)`, one number for each channel. The
# result has the shape of `images`; `images` stays as it is, and may be of floating point or of dtype `uint8`.
# No Python loop is needed.
#
# **You are done when** the check shows the right shape and values for a batch of two images with three
# channels.

# %% exercise="2.1.2c"
def standardise(images, mean, std):
    """(images - mean) / std for each channel; shapes (n, c, h, w), (c,), (c,) -> (n, c, h, w)."""
    ### BEGIN SOLUTION
    return (images - mean[:, None, None]) / std[:, None, None]
    ### END SOLUTION

# %% [markdown] hints="2.1.2c"
# 1. Which axis of `images` does `(c,)` meet when the shapes are aligned at the right, and which one should it
#    meet?
# 2. `mean[:, None, None]` and `mean.reshape(-1, 1, 1)` put axes of length 1 behind the axis that is there.
# 3. For a table of shape (5, 2) and one factor for each of the 5 rows: `table * factors[:, None]`, shapes (5,
#    2) and (5, 1).

# %% check="2.1.2c" points=2
batch = torch.arange(12.).reshape(2, 3, 1, 2)
centre, spread = torch.tensor([0., 2., 4.]), torch.tensor([1., 2., 4.])
assert_shape(standardise(batch, centre, spread), (2, 3, 1, 2), "the shape for images of shape (2, 3, 1, 2)")
assert_close(standardise(batch, centre, spread)[0, :, 0], torch.tensor([[0., 1.], [0., 0.5], [0., 0.25]]),
             "the first image, [[0, 1], [2, 3], [4, 5]], with means 0, 2, 4 and deviations 1, 2, 4",
             mistakes={"The division by the standard deviation is missing.":
                       torch.tensor([[0., 1.], [0., 1.], [0., 1.]])})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(13)
photos = torch.randn(2, 4, 4, 4, generator=rng, dtype=torch.float64)
middle = torch.randn(4, generator=rng, dtype=torch.float64)
width = torch.rand(4, generator=rng, dtype=torch.float64) + 0.5
wanted = torch.stack([(photos[:, k] - middle[k]) / width[k] for k in range(4)], dim=1)
assert_close(standardise(photos, middle, width), wanted, "images of shape (2, 4, 4, 4), where any axis fits")
raw = torch.randint(0, 256, (3, 2, 5, 4), generator=rng).to(torch.uint8)
grey, range_ = torch.tensor([120., 90.5]), torch.tensor([60., 33.])
wanted = torch.stack([(raw[:, k] - grey[k]) / range_[k] for k in range(2)], dim=1)
assert_close(standardise(raw, grey, range_), wanted, "uint8 images of shape (3, 2, 5, 4)")

@probe
def images_after_the_call(images, mean, std):
    standardise(images, mean, std)
    return images

assert_close(images_after_the_call(photos, middle, width), photos, "the images are left as they were")
### END HIDDEN TESTS

# %% [markdown]
# ### Making tensors

# %% [markdown] task="2.1.3a" kind="answer" minutes=5 difficulty=1
# ### Three tensors to order
#
# Make, with one call each,
#
# - `evens`: the even numbers from 0 up to and including 20, of dtype `int64`, shape (11,);
# - `cube`: ones of dtype `float64`, shape (2, 3, 4);
# - `entries`: the matrix with the rows 1, 2.5 and 0, -3, of dtype `float32`.
#
# **You are done when** the check shows the three shapes.

# %% exercise="2.1.3a"
### BEGIN SOLUTION
evens = torch.arange(0, 21, 2)
cube = torch.ones(2, 3, 4, dtype=torch.float64)
entries = torch.tensor([[1, 2.5], [0, -3]])
### END SOLUTION

# %% [markdown] hints="2.1.3a"
# 1. Which three arguments does `torch.arange` take, and which number does it leave out?
# 2. Every function that makes a tensor takes `dtype=`, for example `dtype=torch.float16`.
# 3. `torch.arange(10, 31, 10)` is 10, 20, 30. `torch.tensor([[1, 0.5]])` has one row, and dtype `float32`.

# %% check="2.1.3a" points=1
assert_shape(evens, (11,), "the shape of evens")
assert_shape(cube, (2, 3, 4), "the shape of cube")
assert_shape(entries, (2, 2), "the shape of entries")
### BEGIN HIDDEN TESTS
assert_dtype(evens, torch.int64, "the dtype of evens")
assert_close(evens, torch.tensor([2 * k for k in range(11)]), "evens")
assert_dtype(cube, torch.float64, "the dtype of cube")
assert_close(cube, torch.full((2, 3, 4), 1.0, dtype=torch.float64), "cube")
assert_dtype(entries, torch.float32, "the dtype of entries")
assert_close(entries, torch.tensor([[1., 2.5], [0., -3.]]), "entries")
### END HIDDEN TESTS

# %% [markdown] task="2.1.3b" kind="code" minutes=8 difficulty=2 core=true
# ### Parameters to start from
#
# Training starts from random weights, because equal weights would stay equal. The usual first choice is a
# normal distribution around 0 with a small standard deviation, and a bias of zero.
#
# Write `initial_parameters(n, m, scale)`. It returns `W, b`: `W` of shape `(n, m)` with independent draws
# from the normal distribution of mean 0 and standard deviation `scale`, `b` of shape `(m,)` filled with
# zeros. Both are `float32`. Every call draws anew.
#
# **You are done when** the check shows the shapes for n = 3, m = 2, and a bias of zeros.

# %% exercise="2.1.3b"
def initial_parameters(n, m, scale):
    """W of shape (n, m), normal with mean 0 and standard deviation `scale`; b of shape (m,), zeros. float32."""
    ### BEGIN SOLUTION
    return torch.randn(n, m) * scale, torch.zeros(m)
    ### END SOLUTION

# %% [markdown] hints="2.1.3b"
# 1. Which function draws from the normal distribution of mean 0 and standard deviation 1?
# 2. If z has standard deviation 1, then 5z has standard deviation 5 (and variance 25).
# 3. `torch.randn(1000) * 5 + 2` is 1000 draws with mean 2 and standard deviation 5.

# %% check="2.1.3b" points=2
start = initial_parameters(3, 2, 0.1)
assert_type(start, (tuple, list), "what initial_parameters returns")
weights, bias = start
assert_shape(weights, (3, 2), "the shape of W for n = 3, m = 2")
assert_shape(bias, (2,), "the shape of b for m = 2")
assert_close(bias, torch.zeros(2), "b")
### BEGIN HIDDEN TESTS
weights, bias = initial_parameters(200, 150, 0.5)
assert_shape(weights, (200, 150), "the shape of W for n = 200, m = 150")
assert_dtype(weights, torch.float32, "the dtype of W")
assert_close(weights.mean(), torch.tensor(0.), "the mean of 30000 weights of scale 0.5, up to 0.02", atol=0.02)
assert_close(weights.std(), torch.tensor(0.5), "the standard deviation of 30000 weights of scale 0.5, up to 2 %",
             rtol=0.02, mistakes={"`scale` is the standard deviation, not the variance.": torch.tensor(0.5 ** 0.5)})
# 68.3 % of a normal distribution lie within one standard deviation, 57.7 % of a uniform one
share = (weights.abs() < 0.5).float().mean()
assert_close(share, torch.tensor(0.6827), "the share of weights within one standard deviation", atol=0.02,
             hint="Are the draws normal?")
spread_of_rows = weights.mean(dim=0).std()
assert_close(spread_of_rows, torch.tensor(0.5 / 200 ** 0.5), "how much the columns' means vary", rtol=0.5,
             hint="Is every weight a draw of its own?")
assert_shape(bias, (150,), "the shape of b for m = 150")
assert_dtype(bias, torch.float32, "the dtype of b")
assert_close(bias, torch.zeros(150), "b for m = 150")

@probe
def two_draws():
    return initial_parameters(4, 5, 2.0)[0], initial_parameters(4, 5, 2.0)[0]

first, second = two_draws()
assert_true((first - second).abs().max() > 0, "two calls draw different weights",
            hint="A fixed seed draws the same again.")
### END HIDDEN TESTS

# %% [markdown]
# ### Shape
#
# `reshape` keeps the order of the entries, so it is no transposition. The two results have one shape and
# different entries.

# %%
counted = torch.arange(6).reshape(2, 3)
counted.reshape(3, 2), counted.T

# %% [markdown]
# The length -1 must follow from the others. Where there are no entries it does not: 0 × anything is 0.

# %% tags=["demo"]
empty = torch.zeros(0, 4, 3)
try:
    empty.reshape(0, -1)
except RuntimeError as error:
    print(error)
empty.flatten(start_dim=1).shape

# %% [markdown] task="2.1.4a" kind="code" minutes=5 difficulty=1 core=true
# ### A row for each example
#
# A linear layer takes a matrix with a row for each example. Images must be flattened first.
#
# Write `flatten_batch(X)`. `X` holds n ≥ 1 examples along axis 0 and has two or more axes, say `(n, c, h,
# w)`. The result has two axes: row i holds all entries of example i in their order. It works for any shape,
# without the lengths written in, and for an `X` whose axes were permuted too.
#
# **You are done when** the check shows shape (4, 6) for four examples of shape (3, 2), and the right first
# row.

# %% exercise="2.1.4a"
def flatten_batch(X):
    """Shape (n, ...) -> (n, k), where k is the number of entries of one example."""
    ### BEGIN SOLUTION
    return X.reshape(X.shape[0], -1)
    ### END SOLUTION

# %% [markdown] hints="2.1.4a"
# 1. Which length of the result do you know, and which one follows from it?
# 2. `len(X)` and `X.shape[0]` are the length of axis 0.
# 3. To turn shape (5, 4, 6) into (20, 6), with the last axis kept: `X.reshape(-1, X.shape[-1])`.

# %% check="2.1.4a" points=1
examples = torch.arange(24).reshape(4, 3, 2)
assert_shape(flatten_batch(examples), (4, 6), "the shape for four examples of shape (3, 2)")
assert_equal(flatten_batch(examples)[0], [0, 1, 2, 3, 4, 5], "the first row")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(14)
for shape in [(3, 2, 5, 4), (2, 3, 3), (1, 7, 2), (5, 3)]:
    batch = torch.randn(shape, generator=rng)
    wanted = torch.stack([torch.cat([part_.flatten() for part_ in example]) for example in batch])
    assert_shape(flatten_batch(batch), tuple(wanted.shape), f"the shape for X of shape {shape}")
    assert_close(flatten_batch(batch), wanted, f"X of shape {shape}")

@probe
def of_a_permuted_batch(X):
    return flatten_batch(X.permute(1, 2, 0))

batch = torch.randn(2, 3, 4, generator=rng)
wanted = torch.stack([example.flatten() for example in batch.permute(1, 2, 0)])
assert_close(of_a_permuted_batch(batch), wanted, "a permuted X of shape (3, 4, 2)",
             hint="Its entries do not lie in order in memory.")
### END HIDDEN TESTS

# %% [markdown] task="2.1.4b" kind="code" minutes=7 difficulty=3
# ### Column by column
#
# Some file formats (Fortran's, MATLAB's, R's) store a matrix column by column.
#
# Write `by_columns(v, rows)`. `v` is a vector whose length is a multiple of `rows`. The result is the matrix
# with `rows` rows that `v` fills column by column.
#
# **You are done when** the check shows [[0, 2, 4], [1, 3, 5]] for the vector 0, 1, ..., 5 and two rows.

# %% exercise="2.1.4b"
def by_columns(v, rows):
    """The matrix of shape (rows, len(v) / rows) whose columns, one after the other, are v."""
    ### BEGIN SOLUTION
    return v.reshape(-1, rows).T
    ### END SOLUTION

# %% [markdown] hints="2.1.4b"
# 1. `reshape` fills row by row. Of which other matrix are the wanted columns the rows?
# 2. `T` makes rows from columns.
# 3. The vector 0, ..., 5 in the shape (2, 3) fills rows of three: [[0, 1, 2], [3, 4, 5]]. Its `T` has columns
#    of three.

# %% check="2.1.4b" points=1
assert_shape(by_columns(torch.arange(6), 2), (2, 3), "the shape for six entries in two rows")
assert_equal(by_columns(torch.arange(6), 2), [[0, 2, 4], [1, 3, 5]], "the vector 0, ..., 5 in two rows",
             mistakes={"This is filled row by row.": [[0, 1, 2], [3, 4, 5]]})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(15)
for size, rows_ in ((12, 4), (9, 3), (10, 10), (7, 1)):
    vector = torch.randn(size, generator=rng)
    wanted = torch.stack([vector[k::rows_] for k in range(rows_)])
    assert_close(by_columns(vector, rows_), wanted, f"{size} entries in {rows_} rows")
### END HIDDEN TESTS

# %% [markdown]
# ### Parts of a tensor
#
# Indices from the end are handy, with one exception: -0 is 0. A slice up to `-k` leaves out the last k
# entries for k = 2 and k = 1, and for k = 0 it leaves out all.

# %%
numbers = torch.arange(5)
[numbers[:-k] for k in (2, 1, 0)]

# %% [markdown] task="2.1.5a" kind="code" minutes=8 difficulty=2
# ### Cut off the edges
#
# Write `crop(X, k)`. It returns the matrix `X` without its first and last `k` rows and without its first and
# last `k` columns. `k` ≥ 0, and `X` has more than 2k rows and columns. For k = 0 that is all of `X`.
#
# **You are done when** the check shows the middle of a matrix with four rows and five columns.

# %% exercise="2.1.5a"
def crop(X, k):
    """Shape (h, w) -> (h - 2k, w - 2k): the matrix X without k rows and columns at each edge."""
    ### BEGIN SOLUTION
    h, w = X.shape
    return X[k:h - k, k:w - k]
    ### END SOLUTION

# %% [markdown] hints="2.1.5a"
# 1. At which row does the result begin, and at which does it end, for a matrix of h rows?
# 2. `X[a:b, c:d]` takes rows a to b - 1 and columns c to d - 1. Try your answer with `k = 0`.
# 3. All but the last j entries of a vector v, for j = 0 too: `v[:len(v) - j]`.

# %% check="2.1.5a" points=1
grid = torch.arange(20).reshape(4, 5)
assert_shape(crop(grid, 1), (2, 3), "the shape for X of shape (4, 5) and k = 1")
assert_equal(crop(grid, 1), [[6, 7, 8], [11, 12, 13]], "the numbers 0 to 19 in shape (4, 5), k = 1")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(16)
for shape, edge in (((4, 5), 0), ((9, 6), 2), ((7, 7), 3), ((5, 12), 2)):
    field = torch.randn(shape, generator=rng)
    wanted = torch.tensor([[field[i, j] for j in range(edge, shape[1] - edge)]
                           for i in range(edge, shape[0] - edge)])
    assert_shape(crop(field, edge), tuple(wanted.shape), f"the shape for X of shape {shape} and k = {edge}")
    assert_close(crop(field, edge), wanted, f"X of shape {shape} and k = {edge}")
### END HIDDEN TESTS

# %% [markdown] task="2.1.5b" kind="code" minutes=8 difficulty=2 core=true
# ### A frame
#
# Write `with_frame(X, value)`. It returns a new matrix with the shape and dtype of `X`: its first and last
# rows and its first and last columns hold `value`, all other entries are those of `X`. `X` itself is not
# changed. It has at least two rows and two columns.
#
# **You are done when** the check shows zeros around the inner entry of a 3 by 3 matrix, and `X` as it was.

# %% exercise="2.1.5b"
def with_frame(X, value):
    """A copy of the matrix X, of the same shape and dtype, whose outermost rows and columns hold `value`."""
    ### BEGIN SOLUTION
    framed = X.clone()
    framed[0] = framed[-1] = value
    framed[:, 0] = framed[:, -1] = value
    return framed
    ### END SOLUTION

# %% [markdown] hints="2.1.5b"
# 1. What does an assignment to `Y[0]` do to `X`, if `Y` was made by `Y = X`?
# 2. `X.clone()` has memory of its own. `Y[:, -1] = 7` overwrites the last column.
# 3. All odd rows of a copy set to 7: `Y = X.clone()`, then `Y[1::2] = 7`.

# %% check="2.1.5b" points=2
@probe
def framed_and_original(X, value):
    result = with_frame(X, value)
    return result, X

square = torch.arange(1., 10.).reshape(3, 3)
framed_square, kept_square = framed_and_original(square, 0)
assert_close(framed_square, torch.tensor([[0., 0., 0.], [0., 5., 0.], [0., 0., 0.]]), "1 to 9 in 3 rows, framed by 0")
assert_close(kept_square, torch.arange(1., 10.).reshape(3, 3), "X after the call",
             hint="An assignment wrote into the memory of X.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(17)
for shape, edge in (((4, 7), -2), ((6, 3), 5), ((2, 5), 1)):
    field = torch.randn(shape, generator=rng)
    wanted = torch.nn.functional.pad(field[1:-1, 1:-1], (1, 1, 1, 1), value=edge)
    framed_field, kept = framed_and_original(field, edge)
    assert_dtype(framed_field, torch.float32, f"the dtype for float32 of shape {shape} and value {edge}")
    assert_close(framed_field, wanted, f"X of shape {shape}, value {edge}")
    assert_close(kept, field, f"X of shape {shape} after the call")
whole = torch.randint(-9, 10, (5, 4), generator=rng)
wanted = torch.nn.functional.pad(whole[1:-1, 1:-1], (1, 1, 1, 1), value=3)
assert_dtype(with_frame(whole, 3), torch.int64, "the dtype for integers")
assert_close(with_frame(whole, 3), wanted, "integers of shape (5, 4)")
### END HIDDEN TESTS

# %% [markdown]
# ### Joining

# %% [markdown] task="2.1.6" kind="code" minutes=7 difficulty=2
# ### Four blocks
#
# Large matrices are often put together from blocks, for example the parts of a model that was split over
# several machines.
#
# Write `join_blocks(A, B, C, D)`. It returns the matrix with `A` at the upper left, `B` at the upper right,
# `C` at the lower left and `D` at the lower right. `A` and `B` have equally many rows, `C` and `D` too; `A`
# and `C` have equally many columns, `B` and `D` too. All four have one dtype, and the result has it too.
#
# **You are done when** the check shows each block in its place for blocks of four different shapes.

# %% exercise="2.1.6"
def join_blocks(A, B, C, D):
    """Shapes (h, w), (h, v), (k, w), (k, v) -> (h + k, w + v): the block matrix [[A, B], [C, D]]."""
    ### BEGIN SOLUTION
    return torch.cat([torch.cat([A, B], dim=1), torch.cat([C, D], dim=1)], dim=0)
    ### END SOLUTION

# %% [markdown] hints="2.1.6"
# 1. Which two blocks stand side by side, and along which axis does a matrix become wider?
# 2. `torch.cat([P, Q], dim=1)` puts Q to the right of P, `dim=0` puts it below.
# 3. Two vectors p, q of length 5 as the columns of a matrix: `torch.cat([p[:, None], q[:, None]], dim=1)`,
#    shape (5, 2).

# %% check="2.1.6" points=2
ones, twos = torch.full((1, 2), 1), torch.full((1, 3), 2)
threes, fours = torch.full((2, 2), 3), torch.full((2, 3), 4)
assert_shape(join_blocks(ones, twos, threes, fours), (3, 5), "the shape for blocks (1, 2), (1, 3), (2, 2), (2, 3)")
assert_dtype(join_blocks(ones, twos, threes, fours), torch.int64, "the dtype for blocks of integers")
assert_equal(join_blocks(ones, twos, threes, fours), [[1, 1, 2, 2, 2], [3, 3, 4, 4, 4], [3, 3, 4, 4, 4]],
             "blocks filled with 1, 2, 3 and 4")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(18)
for h, k, w, v in ((2, 2, 2, 2), (3, 1, 4, 2), (1, 5, 2, 3)):
    blocks = [torch.randn(shape, generator=rng, dtype=torch.float64) for shape in ((h, w), (h, v), (k, w), (k, v))]
    arrays = [block.numpy() for block in blocks]
    wanted = torch.from_numpy(np.block([arrays[:2], arrays[2:]]))
    shapes = ", ".join(str(tuple(block.shape)) for block in blocks)
    assert_shape(join_blocks(*blocks), (h + k, w + v), f"the shape for blocks of shapes {shapes}")
    assert_close(join_blocks(*blocks), wanted, f"blocks of shapes {shapes}")
### END HIDDEN TESTS

# %% [markdown]
# ### Memory
#
# Parameters are updated millions of times, and other parts of a program hold references to them. So an update
# writes into the memory that is there. With `Y = Y + X` the old tensor remains what it was for everybody else
# who holds it:

# %%
parameter = torch.zeros(3)
optimizer_sees = parameter
parameter = parameter + 1
parameter, optimizer_sees

# %% [markdown] task="2.1.7" kind="code" minutes=8 difficulty=3 core=true
# ### A running mean
#
# The mean of n numbers can be kept up to date without the numbers: with mean m of the first n, a further x
# moves it to m + (x - m) / (n + 1).
#
# Write `update_mean(mean, count, x)`. `mean` is a tensor that holds the mean of `count` tensors of its shape,
# `x` is one more. Change `mean` *in place* to the mean of all `count` + 1, and return it. `x` is not changed.
# `count` may be 0; then the mean becomes `x`.
#
# **You are done when** the check shows that another name for the same memory sees the new mean.

# %% exercise="2.1.7"
def update_mean(mean, count, x):
    """Writes the mean of count + 1 tensors into `mean`, which held that of the first `count`, and returns it."""
    ### BEGIN SOLUTION
    mean += (x - mean) / (count + 1)
    return mean
    ### END SOLUTION

# %% [markdown] hints="2.1.7"
# 1. Which of `m = m + 1`, `m += 1`, `m[:] = m + 1`, `m.add_(1)` write into the memory of `m`?
# 2. Within a function, `mean = ...` only makes the local name point to another tensor; the caller's tensor
#    stays as it was.
# 3. To halve a tensor in place and then add another: `t /= 2`, then `t += s`.

# %% check="2.1.7" points=2
@probe
def seen_by_others(mean, count, x):
    other_name = mean[:]        # another tensor on the same memory
    returned = update_mean(mean, count, x)
    return returned, other_name, x

returned, other_name, sample = seen_by_others(torch.tensor([2., 4.]), 3, torch.tensor([6., 0.]))
assert_close(returned, torch.tensor([3., 3.]), "what is returned for the mean (2, 4) of 3 and the new (6, 0)")
assert_close(other_name, torch.tensor([3., 3.]), "the memory of mean, seen through another name",
             mistakes={"It still holds the old mean: your result is in new memory.": torch.tensor([2., 4.])})
assert_close(sample, torch.tensor([6., 0.]), "x after the call")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(19)
for shape, count_ in (((3, 4), 0), ((2, 1, 5), 7), ((6,), 1)):
    samples = torch.randn(count_ + 1, *shape, generator=rng, dtype=torch.float64)
    before = samples[:count_].mean(dim=0) if count_ else torch.zeros(shape, dtype=torch.float64)
    returned, other_name, sample = seen_by_others(before, count_, samples[-1])
    assert_close(returned, samples.mean(dim=0), f"what is returned for shape {shape} and count {count_}")
    assert_close(other_name, samples.mean(dim=0), f"the memory of mean for shape {shape} and count {count_}")
    assert_close(sample, samples[-1], f"x after the call, for shape {shape}")
### END HIDDEN TESTS

# %% [markdown]
# ### NumPy arrays and Python numbers
#
# Shared memory saves a copy of the data; it also means that a change on one side changes the other. Beware of
# a change of dtype on the way: it copies, and says nothing.

# %%
measured = np.array([1., 2., 3.])
linked, converted = torch.from_numpy(measured), torch.from_numpy(measured).float()
measured *= 10
linked, converted

# %% [markdown] task="2.1.8" kind="code" minutes=7 difficulty=2
# ### To share or not to share
#
# Write two functions. `shared(array)` returns a tensor on the memory of the NumPy array, so that later
# changes of the array show in the tensor. `separate(array)` returns a tensor with the same values and memory
# of its own. Both keep shape and dtype. Write both into the answer cell, one below the other.
#
# **You are done when** the check writes 7 into the array, and only the first tensor shows it.

# %% exercise="2.1.8"
def shared(array):
    """A tensor on the memory of a NumPy array: same shape and dtype."""
    ### BEGIN SOLUTION
    return torch.from_numpy(array)


def separate(array):
    """A tensor with the shape, dtype and values of a NumPy array, in memory of its own."""
    return torch.tensor(array)
    ### END SOLUTION

# %% [markdown] hints="2.1.8"
# 1. Which of the conversions of the recap copies, and which shares?
# 2. `torch.from_numpy` and `torch.as_tensor` share wherever they can, `torch.tensor` and `clone` never do.
# 3. The other way round: `t.numpy()` shares the memory of the tensor t, `t.numpy().copy()` does not.

# %% check="2.1.8" points=2
@probe
def after_a_write(array, value):
    array = array.copy()
    first, second = shared(array), separate(array)
    array[0] = value
    return first, second

sharing, keeping = after_a_write(np.array([1., 2., 3.]), 7)
assert_close(sharing, torch.tensor([7., 2., 3.], dtype=torch.float64), "shared, after 7 was written to array[0]",
             mistakes={"It does not see the 7: it has memory of its own.": torch.tensor([1., 2., 3.]).double()})
assert_close(keeping, torch.tensor([1., 2., 3.], dtype=torch.float64), "separate, after 7 was written to array[0]",
             mistakes={"It sees the 7: it shares memory with the array.": torch.tensor([7., 2., 3.]).double()})
### BEGIN HIDDEN TESTS
@probe
def every_other_column_after_a_write(array, value):
    array = array.copy()[:, ::2]
    first, second = shared(array), separate(array)
    array[1, 1] = value
    return first, second

rng = np.random.default_rng(20)
counts = rng.integers(-50, 50, (3, 4))
changed = torch.tensor(counts)
changed[0] = -99
sharing, keeping = after_a_write(counts, -99)
assert_dtype(sharing, torch.int64, "the dtype of shared for int64")
assert_close(sharing, changed, "shared, for integers of shape (3, 4), after a write to row 0")
assert_dtype(keeping, torch.int64, "the dtype of separate for int64")
assert_close(keeping, torch.tensor(counts), "separate, for integers of shape (3, 4), after a write to row 0")
levels = rng.standard_normal((4, 5))
sharing, keeping = every_other_column_after_a_write(levels, 0.125)
changed = torch.tensor(levels)[:, ::2].clone()
changed[1, 1] = 0.125
assert_dtype(sharing, torch.float64, "the dtype of shared for float64")
assert_close(sharing, changed, "shared, for every other column of an array, after a write")
assert_dtype(keeping, torch.float64, "the dtype of separate for float64")
assert_close(keeping, torch.tensor(levels)[:, ::2], "separate, for every other column of an array, after a write")
### END HIDDEN TESTS

# %% [markdown] task="2.1.9" kind="code" minutes=7 difficulty=2
# ### From a tensor to a number
#
# A loss is a tensor with one entry. Log files, `if` and progress bars want a Python number.
#
# Write `as_number(X)`. For a tensor with exactly one entry, whatever its number of axes, it returns this
# entry as a Python number: an `int` for integers, a `float` for floating point. For any other tensor it
# raises a `ValueError` whose message names the shape.
#
# **You are done when** the check shows 2.5 for a tensor of shape (1, 1), the integer 7 for one without axes,
# and a `ValueError` for two entries.

# %% exercise="2.1.9"
def as_number(X):
    """The only entry of X as a Python int or float. Raises ValueError if X has none or several."""
    ### BEGIN SOLUTION
    if X.numel() != 1:
        raise ValueError(f"one entry is needed, but the shape is {tuple(X.shape)}")
    return X.item()
    ### END SOLUTION

# %% [markdown] hints="2.1.9"
# 1. Which attribute or method tells the number of entries, whatever the shape?
# 2. `raise ValueError("...")` stops with a message. `item()` keeps integers integers; `float(...)` does not.
# 3. A function for vectors only: `if v.ndim != 1: raise ValueError(f"a vector is needed, but the shape is
#    {tuple(v.shape)}")`.

# %% check="2.1.9" points=2
assert_type(as_number(torch.tensor([[2.5]])), float, "the type for a float32 of shape (1, 1)")
assert_equal(as_number(torch.tensor([[2.5]])), 2.5, "2.5 in a tensor of shape (1, 1)")
assert_type(as_number(torch.tensor(7)), int, "the type for an integer without axes")
assert_equal(as_number(torch.tensor(7)), 7, "7 in a tensor without axes")
assert_raises(ValueError, as_number, torch.tensor([1., 2.]), what="two entries")
### BEGIN HIDDEN TESTS
assert_type(as_number(torch.tensor([[[-12]]])), int, "the type for an integer of shape (1, 1, 1)")
assert_equal(as_number(torch.tensor([[[-12]]])), -12, "an integer of shape (1, 1, 1)")
assert_equal(as_number(torch.tensor([2 ** 53 + 1])), 2 ** 53 + 1, "a large integer",
             hint="Did it pass through a float?")
assert_close(as_number(torch.tensor([-0.3], dtype=torch.float64)), -0.3, "a float64 of shape (1,)")
assert_equal(as_number(torch.tensor([0.])), 0.0, "a zero")
assert_raises(ValueError, as_number, torch.zeros(0), what="no entry", match="0")
assert_raises(ValueError, as_number, torch.tensor([[3, 3, 3, 3, 3]]), what="five equal entries", match="5")
### END HIDDEN TESTS

# %% [markdown]
# ### Break it
#
# Five people wrote a function that returns a new matrix like `X` with its first and last rows swapped, `X`
# being any matrix with at least one row and one column, of any dtype.

# %% tags=["setup"]
def swap_1(X):
    order = list(range(len(X)))
    order[0], order[-1] = order[-1], order[0]
    return X[order]


def swap_2(X):
    result = X.clone()
    top = result[0]
    result[0] = result[-1]
    result[-1] = top
    return result


def swap_3(X):
    return X.flip(0)


def swap_4(X):
    return torch.cat([X[-1:], X[1:-1], X[:1]])


def swap_5(X):
    result = torch.zeros(X.shape)
    result[:] = X
    result[[0, -1]] = result[[-1, 0]]
    return result


def gives_away(swap, X):
    """Whether `swap` returns another shape, dtype or value for X than the rows swapped."""
    rows = [X[i] for i in range(len(X))]
    rows[0], rows[-1] = rows[-1], rows[0]
    result, wanted = swap(X), torch.stack(rows)
    return result.shape != wanted.shape or result.dtype != wanted.dtype or not torch.equal(result, wanted)

# %% [markdown] task="2.1.10" kind="break it" minutes=12 difficulty=3
# ### Four bugs, three matrices
#
# Four of the five functions above are wrong. Each is right for some matrices, which is why nobody noticed.
#
# Hand in `inputs`, a list of one to three matrices (each with at least one row, at least one column, and at
# most 100 entries), such that each wrong function gives a wrong result for at least one of them.
# `gives_away(swap_2, X)` tells whether the matrix `X` gives `swap_2` away.
#
# **You are done when** the check accepts the matrices and one of them gives `swap_2` away. Each bug found
# earns half a point.

# %% exercise="2.1.10"
### BEGIN SOLUTION
inputs = [torch.tensor([[1, 2, 3]]), torch.arange(8).reshape(4, 2)]
### END SOLUTION

# %% [markdown] hints="2.1.10"
# 1. For how many rows is turning the whole matrix upside down the same as swapping the first and the last?
# 2. In `swap_2`, `top` is a view. `torch.zeros` makes `float32`. And what does `X[1:-1]` hold when there is a
#    single row?
# 3. A function that returns `X[::-1]` for "swap the first two entries of a list" is right for two entries and
#    wrong for three.

# %% check="2.1.10" points=2
assert_type(inputs, (list, tuple), "inputs")
assert_true(1 <= len(inputs) <= 3, "inputs holds one to three matrices")
for X in inputs:
    assert_type(X, torch.Tensor, "an entry of inputs")
    assert_true(X.ndim == 2 and 1 <= X.numel() <= 100, "an entry of inputs has two axes and 1 to 100 entries")
assert_true(not any(gives_away(swap_1, X) for X in inputs), "swap_1, which is right, passes with all inputs",
            hint="A nan equals nothing, not even itself: leave it out.")
assert_true(any(gives_away(swap_2, X) for X in inputs), "one of the inputs gives swap_2 away")
### BEGIN HIDDEN TESTS
for swap in (swap_2, swap_3, swap_4, swap_5):
    with part(0.5, f"the bug of {swap.__name__}"):
        assert_true(any(gives_away(swap, X) for X in inputs), f"one of the inputs gives {swap.__name__} away")
total()
### END HIDDEN TESTS
