# %% [markdown]
# # 2.1 Data manipulation
#
# A photograph, a sentence, a table of house prices: before a program can learn from one of them, it becomes a
# block of numbers. Such a block is called a *tensor*. All that this book computes, it computes with tensors.
#
# After this page you can make tensors and read their shape, compute with all their entries at once, pick out
# and overwrite parts, combine tensors of different shapes, and say when two names stand for the same numbers in
# memory. You need Python: lists, dictionaries, functions and loops. Nothing else.

# %% tags=["setup"]
from d2l_utils.check import *
import numpy as np
import torch

# %% [markdown] teaches="tensor, shape, dtype"
# ## Numbers in a block
#
# Someone has read a thermometer on three days, in the morning, at noon, in the evening and at night. Python
# would keep that as a list of lists. `torch.tensor` makes a tensor of it:

# %% teaches="tensor, shape, dtype"
degrees = torch.tensor([[3.5, 9.0, 7.0, 4.5],
                        [2.0, 8.5, 6.5, 1.0],
                        [5.5, 12.0, 9.0, 6.0]])
print(degrees)
print('shape', degrees.shape, '| axes', degrees.ndim, '| entries', degrees.numel(), '| kind', degrees.dtype)

# %% [markdown] teaches="tensor, shape, dtype"
# Three things are to be known of every tensor.
#
# - Its *shape* says how long it is in each direction: here 3 rows of 4 numbers, `(3, 4)`. A direction is called an
#   *axis*. Axes are counted from 0: axis 0 goes down the rows, axis 1 along a row. `torch.Size([3, 4])` is torch's
#   way to write the tuple `(3, 4)`. `ndim` is the number of axes, so the length of the shape.
# - Its *entries* are the numbers. `numel()`, the number of elements, counts them: 3 · 4 = 12.
# - Its *dtype* (data type) is the kind of number, one for all entries.
#
# The number of axes may be anything. A single number has none, its shape is `()`. A row of numbers has one axis and
# the shape `(4,)`; the comma belongs to Python's tuple of one. Several tables in a stack have three.

# %% tags=["demo"]
import matplotlib.pyplot as plt


def draw_block(ax, rows, columns, left=0., bottom=0., color="C0"):
    """A grid of rows x columns cells, its lower left corner at (left, bottom)."""
    for i in range(rows):
        for j in range(columns):
            ax.add_patch(plt.Rectangle((left + j, bottom + i), 1, 1, facecolor=color, alpha=0.35, edgecolor="white"))
            ax.add_patch(plt.Rectangle((left + j, bottom + i), 1, 1, fill=False, edgecolor="black", linewidth=0.8))


figure, axes = plt.subplots(1, 4, figsize=(8, 2.3), layout="constrained")
draw_block(axes[0], 1, 1, 1.5, 1)
draw_block(axes[1], 1, 4, 0, 1)
draw_block(axes[2], 3, 4)
for k in (1, 0):
    axes[3].add_patch(plt.Rectangle((0.8 * k, 0.8 * k), 4, 3, facecolor="white"))
    draw_block(axes[3], 3, 4, 0.8 * k, 0.8 * k, f"C{k}")
for ax, title in zip(axes, ("a number: ()", "a row: (4,)", "a table: (3, 4)", "two tables: (2, 3, 4)")):
    ax.set(xlim=(-1.3, 5), ylim=(-0.8, 4), aspect="equal")
    ax.set_title(title, fontsize=10)
    ax.axis("off")
axes[1].text(2, 0.4, "axis 0", ha="center")
axes[2].text(2, -0.6, "axis 1", ha="center")
axes[2].text(-0.6, 1.5, "axis 0", ha="center", va="center", rotation=90)
axes[3].text(2, -0.6, "axis 2", ha="center")
axes[3].text(-0.6, 1.5, "axis 1", ha="center", va="center", rotation=90)
axes[3].text(-0.1, 3.5, "axis 0", ha="center", va="center", rotation=45)
plt.show()

# %% [markdown] teaches="tensor, shape, dtype"
# The picture shows the four kinds. A stack puts its axis at the *front* of the shape: the stack of two tables has the
# shape `(2, 3, 4)`, first which table, then which row, then which column.
#
# The dtype follows from what you write. Whole numbers become `int64`. One decimal point anywhere makes all entries
# `float32`, numbers with a fraction. `True` and `False` become `bool`. The digits say how many bits an entry takes.

# %% teaches="tensor, shape, dtype"
print(torch.tensor([1, 2]).dtype, torch.tensor([1, 2.]).dtype, torch.tensor([True, False]).dtype)
print(torch.tensor([1, 2], dtype=torch.float64), torch.tensor([1.9, -1.9]).long(), torch.tensor([1, 2]).float())

# %% [markdown] teaches="tensor, shape, dtype"
# You ask for another dtype by `dtype=`, or convert: `long()` gives `int64` and cuts the fraction off, `float()` gives
# `float32`, `double()` gives `float64`. Pictures come as `uint8`, whole numbers from 0 to 255. ⚠ A dtype has no room for
# what lies outside: `uint8` begins again at 0.

# %% teaches="tensor, shape, dtype"
bright = torch.tensor([250, 1], dtype=torch.uint8)
print(bright + 10, bright - 2)

# %% tags=["setup"]
shelf = {"a": torch.tensor([5, 7, 9]),
         "b": torch.tensor([[1., 2.], [3., 4.], [5., 6.]]),
         "c": torch.tensor([[[True, False]]]),
         "d": torch.tensor(2.5)}

# %% [markdown] task="2.1.A" kind="answer" minutes=3 difficulty=1 core=true needs="tensor, shape, dtype"
# ### What is on the shelf
#
# The cell above makes four tensors. Say of each, before you print anything, which shape and which dtype it has. Set
# `facts` to a dictionary with the keys `"a"` to `"d"`. Under each key stands the shape as a tuple, then the name of the
# dtype as a string: the first one is `facts = {"a": ((3,), "int64"), "b": ...}`.
#
# **You are done when**
# - **four entries**: `facts` has the four keys, and a shape and a name under each;
# - **shapes**: the four shapes are right;
# - **dtypes**: the four names are right.

# %% exercise="2.1.A"
### BEGIN SOLUTION
facts = {"a": ((3,), "int64"), "b": ((3, 2), "float32"), "c": ((1, 1, 2), "bool"), "d": ((), "float32")}
### END SOLUTION

# %% [markdown] hints="2.1.A"
# 1. How many brackets open before the first number? How many pieces are there on each level?
# 2. Each level of brackets is an axis, the outermost is axis 0. No brackets: no axis, and the tuple `()`.
# 3. Another case: `torch.tensor([[7, 8, 9]])` has the shape `(1, 3)` and the dtype `int64`.

# %% check="2.1.A" points=1
def shelf_of(things):
    for key, thing in things.items():
        assert_type(facts[key], (tuple, list), f"what stands under {key!r}", of="four entries",
                    hint="A shape and a name, in a tuple: `((3,), \"int64\")`.")
        assert_equal(len(facts[key]), 2, f"how many things stand under {key!r}", of="four entries",
                     hint="A shape and a name stand there, in brackets of their own: `((3,), \"int64\")`.")
        assert_true(facts[key][0] is not None, f"under {key!r} stands a shape", of="four entries",
                    hint="None stands there. Every tensor has a shape: that of a single number is the empty tuple, `()`.")
        assert_type(facts[key][0], (tuple, list), f"the first thing under {key!r}, a shape", of="four entries",
                    hint="One axis is `(3,)`, with the comma; none is `()`.")
    for key, thing in things.items():
        shape = list(thing.shape)
        slips = {} if shape else {"There are no brackets round this number, so it has no axis: the shape is `()`.": [1],
                                  "`(0,)` is one axis, without entries. Without brackets there is no axis: `()`.": [0]}
        if shape != shape[::-1]:
            slips["The lengths are in reverse order: axis 0 is the outermost level of brackets."] = shape[::-1]
        levels = ("no bracket opens", "one bracket opens", "two brackets open", "three brackets open")[len(shape)]
        assert_equal(list(facts[key][0]), shape, f"the shape of {key}, as a list", of="shapes", mistakes=slips,
                     hint=f"Each level of brackets is an axis: before the first entry {levels}."
                     if len(facts[key][0]) != len(shape) else
                     "There are so many axes, but their lengths are others: on level {} of the brackets, the outermost being "
                     "level 0, there are more pieces or fewer.".format(
                         next((axis for axis, (one, other) in enumerate(zip(facts[key][0], shape)) if one != other), 0)))
    kinds = {"int64": {"No decimal point stands in it: whole numbers become `int64`.": "float32",
                       "Whole numbers take 64 bits here, unless another dtype is asked for.": "int32",
                       "How many bits an entry takes belongs to the name.": "int"},
             "float32": {"A number with a decimal point takes 32 bits here; `float64` has to be asked for.": "float64",
                         "One decimal point anywhere makes all entries `float32`.": "int64",
                         "How many bits an entry takes belongs to the name.": "float"},
             "bool": {"`True` and `False` stay what they are: they do not become numbers.": "int64"}}
    rules = {"int64": "There are whole numbers in it, and no dtype was asked for.",
             "float32": "There is a decimal point in it, and no dtype was asked for.",
             "bool": "`True` and `False` have a dtype of their own."}
    for key, thing in things.items():
        name = str(thing.dtype).removeprefix("torch.")
        assert_equal(str(facts[key][1]).removeprefix("torch."), name, f"the dtype of {key}", of="dtypes",
                     hint=rules[name], mistakes=kinds[name])

assert_type(facts, dict, "`facts`", of="four entries")
assert_equal(sorted(facts), list("abcd"), "the keys of `facts`", of="four entries")
shelf_of(shelf)
### BEGIN HIDDEN TESTS
assert_equal(len(facts), 4, "the number of keys", of="four entries")
shelf_of(shelf)
### END HIDDEN TESTS

# %% [markdown] teaches="making tensors"
# ## Tensors without typing
#
# Nobody types a million numbers. `torch.arange` counts, as Python's `range` does: it leaves out the number at which
# it stops. `zeros`, `ones` and `full` fill a shape.

# %% teaches="making tensors"
print(torch.arange(5), torch.arange(5, 20, 5))
print(torch.zeros(2, 3))
print(torch.full((2, 2), 7), torch.ones(3, dtype=torch.int64))

# %% [markdown] teaches="making tensors"
# `arange(start, stop, step)` begins at 5, goes in steps of 5 and stops before 20. `zeros` and `ones` are `float32` unless
# `dtype=` says otherwise; `arange` and `full` look at the numbers they get. `torch.linspace(0, 1, 5)` has 5 numbers at
# equal distances, both ends included, and `zeros_like(X)` makes zeros with the shape and dtype of `X`.

# %% teaches="making tensors"
print(torch.linspace(0, 1, 5), torch.zeros_like(degrees).shape)

# %% [markdown] task="2.1.3a" kind="answer" minutes=5 difficulty=1 core=true needs="making tensors, dtype"
# ### Three tensors to order
#
# Make three tensors; one call each is enough.
#
# **You are done when**
# - **evens**: `evens` holds the even numbers from 0 up to and including 20, in this order, with shape `(11,)` and dtype
#   `int64`;
# - **cube**: `cube` holds ones, with shape `(2, 3, 4)` and dtype `float64`;
# - **entries**: `entries` holds 1 and 2.5 in its first row, 0 and -3 in its second, with dtype `float32`.

# %% exercise="2.1.3a"
### BEGIN SOLUTION
evens = torch.arange(0, 21, 2)
cube = torch.ones(2, 3, 4, dtype=torch.float64)
entries = torch.tensor([[1, 2.5], [0, -3]])
### END SOLUTION

# %% [markdown] hints="2.1.3a"
# 1. Which three arguments does `torch.arange` take, and which number does it leave out?
# 2. Every function that makes a tensor takes `dtype=`, for example `dtype=torch.int64`.
# 3. `torch.arange(10, 31, 10)` is 10, 20, 30. `torch.tensor([[1, 0.5]])` has one row, and dtype `float32`.

# %% check="2.1.3a" points=1
def ordered():
    held, shape = getattr(evens, "tolist", list)(), tuple(getattr(evens, "shape", ()))
    few = len(shape) == 1 and 2 <= len(held) < 11 and [held[0], held[-1]] == [0, 20]
    assert_shape(evens, (11,), "the shape of evens", of="evens",
                 hint="20 is missing: `arange` leaves out the number at which it stops." if held == list(range(0, 20, 2)) else
                 "It has more than one axis." if len(shape) > 1 else
                 f"Here are {len(held)} numbers from 0 to 20, so they are not 2 apart: with both ends there are 11 even ones."
                 if few else
                 "Odd numbers are among them." if shape and any(isinstance(k, int) and k % 2 for k in held) else
                 f"It goes on to {held[-1]:g}, and 20 is to be the last." if shape and held[-1:] > [20] else
                 "From 0 to 20 there are 11 even numbers.")
    assert_dtype(evens, torch.int64, "the dtype of evens", of="evens",
                 hint="`linspace` makes `float32`, and so does a decimal point: `arange` of whole numbers makes `int64`.")
    assert_close(evens, torch.tensor([2 * k for k in range(11)]), "evens", of="evens",
                 hint="There are eleven whole numbers here, but not the even ones from 0 to 20 in this order.",
                 mistakes={"These are all numbers from 0 to 10, not the even ones up to 20.": torch.arange(11),
                           "It begins at 2: 0 is the first of them.": torch.arange(2, 23, 2),
                           "It goes down: 0 is the first of them.": torch.arange(20, -1, -2)})
    slips = {(4, 3, 2): "The lengths are in reverse order.", (24,): "All 24 ones stand in one row."}
    shape = tuple(getattr(cube, "shape", ()))
    assert_shape(cube, (2, 3, 4), "the shape of cube", of="cube", hint=slips.get(
        shape, "" if not shape else f"It has {len(shape)} ax{'is' if len(shape) == 1 else 'es'}: the shape `(2, 3, 4)` has three."
        if len(shape) != 3 else "The lengths are right, in another order." if sorted(shape) == [2, 3, 4] else
        "There are three axes, but their lengths are others."))
    slips = {torch.float32: "`ones` makes `float32`, unless `dtype=` says otherwise, and `float()` makes it of any dtype.",
             torch.int64: "From whole numbers come whole numbers, unless `dtype=` says otherwise."}
    assert_dtype(cube, torch.float64, "the dtype of cube", of="cube", hint=slips.get(
        getattr(cube, "dtype", None), "`dtype=torch.float64` asks for it, and `double()` converts."))
    assert_close(cube, torch.full((2, 3, 4), 1.0, dtype=torch.float64), "cube", of="cube", hint="Every entry of `cube` is 1.",
                 mistakes={"These are zeros: every entry of `cube` is 1.": torch.full((2, 3, 4), 0.0, dtype=torch.float64)})
    assert_shape(entries, (2, 2), "the shape of entries", of="entries",
                 hint="All four stand in one row: each row has brackets of its own."
                 if tuple(getattr(entries, "shape", ())) == (4,) else "Two rows of two numbers each."
                 if hasattr(entries, "shape") else "")
    assert_dtype(entries, torch.float32, "the dtype of entries", of="entries",
                 hint="`float64` is what NumPy makes of such numbers, and what `double()` and `dtype=torch.float64` ask for. "
                 "`torch.tensor` of a list with a decimal point makes `float32`." if getattr(entries, "dtype", None) == torch.float64 else
                 "A decimal point in one of the numbers makes all `float32`, unless another dtype is asked for.")
    assert_close(entries, torch.tensor([[1., 2.5], [0., -3.]]), "entries", of="entries",
                 mistakes={"Rows and columns are exchanged.": torch.tensor([[1., 0.], [2.5, -3.]])})

ordered()
### BEGIN HIDDEN TESTS
ordered()
### END HIDDEN TESTS

# %% [markdown] teaches="element-wise operation"
# ## All entries at once
#
# With lists, an operation on every number is a loop. With tensors it is a line: `+`, `-`, `*`, `/`, `**` and the functions
# `exp`, `sqrt`, `abs` work *element-wise*, entry by entry. Two tensors of the same shape meet at equal places.

# %% teaches="element-wise operation"
u = torch.tensor([1., 4., 9., 16.])
w = torch.tensor([10., 20., 30., 40.])
print(u + w, u * w, u ** 2)
print(u.sqrt(), torch.exp(-u), (u - 5).abs())

# %% [markdown] teaches="element-wise operation"
# Most functions can be written both ways, `torch.sqrt(u)` and `u.sqrt()`. Each makes a new tensor; `u` is what it was.
# The line is shorter than a loop, and faster, since the loop runs inside the library:

# %% tags=["demo"]
import time

many = torch.arange(200_000.)
start = time.perf_counter()
total_by_loop = 0.0
for number in many.tolist():
    total_by_loop += number * number
loop_seconds = time.perf_counter() - start
start = time.perf_counter()
total_at_once = (many * many).sum()
print(f"at once, the squares of 200,000 numbers took 1/{loop_seconds / (time.perf_counter() - start):.0f} of the loop's time")

# %% [markdown] teaches="reduction"
# `sum` in the last cell is the second kind of operation: it makes one number of many entries, a *reduction*. So do
# `mean`, `max` and `min`; `argmax` says at which position the largest stands. What comes back is a tensor too, with no
# axes.

# %% teaches="reduction"
print(u.sum(), u.mean(), u.max(), u.min(), u.argmax())
print(u / u.sum())

# %% [markdown] teaches="reduction"
# The last line divides each entry by the sum of all: a tensor of any shape and one number go together. The mean of
# whole numbers does not exist as a whole number, so `torch.arange(4).mean()` raises an error; write
# `torch.arange(4).float().mean()`.

# %% [markdown] task="2.1.B" kind="code" minutes=3 difficulty=1 core=true needs="element-wise operation, reduction"
# ### From 0 to 1
#
# Measurements in metres and in grams are compared more easily on one scale. Write `rescale(x)`: it moves and stretches
# the entries of `x`, so that the smallest becomes 0 and the largest becomes 1. The others keep their places in between:
# what lay half way stays half way. `x` has entries of dtype `float32` or `float64`, at least two of them different.
#
# **You are done when**
# - **values**: the smallest is 0, the largest is 1, the others lie between in proportion, whatever the shape, and
#   however close together the entries of `x` are, for both dtypes;
# - **x kept**: `x` itself is as it was.

# %% exercise="2.1.B"
def rescale(x):
    """The entries of x, moved and stretched to lie from 0 to 1."""
    ### BEGIN SOLUTION
    return (x - x.min()) / (x.max() - x.min())
    ### END SOLUTION

# %% [markdown] hints="2.1.B"
# 1. What do you subtract so that the smallest entry becomes 0? How large is the largest then?
# 2. `x.min()` and `x.max()` are tensors of one number, and can be subtracted from `x` and from each other.
# 3. Another rule of this kind: `x / x.sum()` makes the entries add up to 1.

# %% check="2.1.B" points=1
import math

@probe
def rescaled_and_given(given):
    return rescale(given), given

def line_through(given, answer):
    """What was subtracted and what was divided by, or which entry is off the straight line, told from the result."""
    x, y = given.double().flatten(), answer.double().flatten()
    low, high = x.argmin(), x.argmax()
    rise = ((y[high] - y[low]) / (x[high] - x[low])).item()
    if not rise or not math.isfinite(rise) or not y.isfinite().all():
        return ""
    apart = (y - y[low] - rise * (x - x[low])).abs()
    if apart.max() > 1e-3 * abs(rise) * (x[high] - x[low]):
        alike = {end: len(x[y == end].unique()) for end in (0, 1)}
        cut = "".join(f"{count} different entries have become {end}: they are to stay apart. "
                      for end, count in alike.items() if count > 1)
        return (f"{cut}Not in proportion: in yours {x[low].item():.4g} becomes {y[low].item():.3g}, {x[high].item():.4g} becomes "
                f"{y[high].item():.3g}, and {x[apart.argmax()].item():.4g} becomes {y[apart.argmax()].item():.3g}. "
                "Equal steps of the entries are to make equal steps of the result.")
    subtracted, divided, span = x[low].item() - y[low].item() / rise, 1 / rise, (x[high] - x[low]).item()
    off = [abs(subtracted - x[low].item()) > 1e-3 * span, abs(divided / span - 1) > 1e-3]
    right = "" if off[0] == off[1] else f" What is {'divided by' if off[0] else 'subtracted'} is right."
    return (f"Yours is (x - {subtracted:.4g}) / {divided:.4g}, in all entries. The smallest is to be subtracted, and the "
            f"divisor is the largest minus the smallest.{right}")

def rescaled(given, wanted, what, mistakes=None, hint=""):
    answer, after = rescaled_and_given(given.clone())
    assert_shape(answer, tuple(given.shape), f"the shape for {what}", of="values",
                 hint="The result has the shape of x: every entry keeps its place." if hasattr(answer, "shape") else "")
    assert_type(answer, torch.Tensor, f"what is returned for {what}", of="values")
    numbers = answer.double()
    off = [said for said, end, right in (("The smallest is not 0.", numbers.min(), 0), ("The largest is not 1.", numbers.max(), 1))
           if not abs(end.item() - right) < 1e-3] or [
        "The smallest is 0 and the largest 1, up to rounding, but not all in their places, or not in proportion."]
    top = numbers.max()
    if top > 0 and torch.allclose(numbers / top, wanted.double(), rtol=1e-4, atol=1e-4):
        hint = (f"They are in proportion, but you divide by something {'larger' if top < 1 else 'smaller'} than "
                "the largest minus the smallest: divide by this difference, with nothing added to it or rounded.")
    elif given.dtype == torch.float64 and answer.dtype == torch.float32:
        hint = "The result is `float32`, which has too few digits to tell these entries apart: keep the dtype of x."
    assert_close(answer, wanted, what, of="values", mistakes=mistakes,
                 hint=lambda: hint or line_through(given, answer) or " ".join(off))
    assert_close(after, given, f"x after the call, for {what}", of="x kept",
                 hint="`x - 1` makes a new tensor, `x -= 1` changes the one that was given.")

rescaled(torch.tensor([3., 7., 5., 11.]), torch.tensor([0., 0.5, 0.25, 1.]), "(3, 7, 5, 11)",
         {"The smallest is not 0 yet: subtract it first.": torch.tensor([3., 7., 5., 11.]) / 11,
          "After the subtraction the largest is 8, no longer 11.": torch.tensor([0., 4., 2., 8.]) / 11,
          "This is divided by 11 - 3 = 8, as it should be; before that, the smallest is to be subtracted.":
          torch.tensor([3., 7., 5., 11.]) / 8,
          "This is divided by the sum: after the subtraction the largest is 8, and that is to become 1.":
          torch.tensor([0., 4., 2., 8.]) / 14,
          "The largest is not 1 yet: divide.": torch.tensor([0., 4., 2., 8.]),
          "These are divided by the standard deviation: the smallest is to be 0, the largest 1.": torch.tensor([-1.024695, 0.1463850, -0.4391550, 1.317465]),
          "It is turned round: the smallest becomes 0, the largest 1.": torch.tensor([1., 0.5, 0.75, 0.]),
          "This goes from -1 to 1: the smallest is to be 0.": torch.tensor([-1., 0., -0.5, 1.]),
          "The mean was subtracted; the smallest is to become 0.": torch.tensor([-0.4375, 0.0625, -0.1875, 0.5625]),
          "These are the places in the order: half way between stays half way between.": torch.tensor([0., 2 / 3, 1 / 3, 1.]),
          "These are cut off at 0 and 1: move and stretch all of them.": torch.ones(4),
          "`/` comes before `-`: both differences need parentheses.": torch.tensor([3., 7., 5., 11.]) - 3 / 11 - 3,
          "`/` comes before `-`: the difference that is divided needs parentheses.": torch.tensor([3., 7., 5., 11.]) - 3 / 8,
          "`/` comes before `-`: the difference that is divided by needs parentheses.": torch.tensor([0., 4., 2., 8.]) / 11 - 3,
          "A sigmoid bends: what lay half way does not stay there, and 0 and 1 are not reached.": torch.tensor([3., 7., 5., 11.]).sigmoid()})
rescaled(torch.tensor([[0., -3.], [1., -2.]]), torch.tensor([[0.75, 0.], [1., 0.25]]), "((0, -3), (1, -2))",
         {"Each column is scaled by itself: look for the smallest and the largest of all entries.": torch.tensor([[0., 0.], [1., 1.]]),
          "Each row is scaled by itself: look for the smallest and the largest of all entries.": torch.tensor([[1., 0.], [1., 0.]]),
          "The first and the last entry are taken for the smallest and the largest: they may stand anywhere.":
          torch.tensor([[0., 1.5], [-0.5, 1.]]),
          "`sort` puts each row in order by itself, so these are the smallest and the largest of a column.":
          torch.tensor([[3., -3.], [4., -2.]])})
close_by = "Is something added to the divisor, or rounded? It shows where the entries are close together."
rescaled(torch.tensor([1., 3., 2., 5.]) * 2 ** -40, torch.tensor([0., 0.5, 0.25, 1.]), "(1, 3, 2, 5), each divided by 2 ** 40",
         hint=close_by)
digits = "Is the dtype of x kept? `float32` has too few digits to tell these entries apart."
rescaled(1 + torch.tensor([1., 3., 2., 5.]).double() * 2 ** -30, torch.tensor([0., 0.5, 0.25, 1.]).double(),
         "float64 entries, 1 + k / 2 ** 30 for k = 1, 3, 2, 5", hint=digits)
### BEGIN HIDDEN TESTS
rescaled(torch.tensor([[6., -2.], [4., 2.]]).double() * 2 ** -32 - 5, torch.tensor([[1., 0.], [0.75, 0.5]]).double(),
         "float64 entries close to -5, of shape (2, 2)", hint=digits)
rescaled(torch.tensor([[-8., -2., -6.], [-5., -4., -7.]]), torch.tensor([[0., 6., 2.], [3., 4., 1.]]) / 6,
         "entries of shape (2, 3), all negative")
rescaled(torch.tensor([0.5, 0.25]).double(), torch.tensor([1., 0.]).double(), "(0.5, 0.25)", hint=close_by)
rescaled(torch.tensor([[-7.], [1.], [-3.]]).double() * 2 ** -42, torch.tensor([[0.], [1.], [0.5]]).double(),
         "a column of tiny entries", hint=close_by)
### END HIDDEN TESTS

# %% [markdown] teaches="normal draws, uniform draws"
# ## Numbers by chance
#
# A network begins with random numbers. `torch.rand(shape)` draws from 0 to 1, each number in between as likely as
# any other: *uniform* draws. `torch.randn(shape)` draws around 0, small numbers often and large ones rarely: *normal* draws.

# %% teaches="normal draws, uniform draws"
torch.manual_seed(1)
print(torch.rand(4), torch.randn(2, 3), sep="\n")

# %% [markdown] teaches="normal draws, uniform draws"
# `torch.manual_seed(1)` sets where the draws begin. With the same seed they come out the same, on this page as well as at
# home. Without it they differ from run to run. Look at ten thousand of each kind:

# %% tags=["demo"] teaches="normal draws, uniform draws"
torch.manual_seed(2)
uniform, normal = torch.rand(10_000), torch.randn(10_000)
figure, axes = plt.subplots(1, 2, figsize=(7, 2.4), layout="constrained", sharex=True)
axes[0].hist(uniform.numpy(), bins=20, range=(0, 1), color="C0")
axes[1].hist(normal.numpy(), bins=60, range=(-4, 4), color="C1")
for ax, title in zip(axes, ("torch.rand", "torch.randn")):
    ax.set(title=title, xlabel="value of the draw", ylabel="how many", xlim=(-4, 4))
plt.show()
print(f"within -1 and 1: {(normal.abs() < 1).sum() / 10_000:.3f} of the normal draws; their spread: {normal.std():.3f}")

# %% [markdown] teaches="normal draws, uniform draws"
# Left all columns are about equally high; right the draws gather round 0, and few are beyond 3. The usual distance from
# the middle is measured by the *standard deviation*, `std()`. For `randn` it is 1, up to chance; about 68 of 100 normal
# draws lie within one standard deviation. Section 2.6 says more. Here one fact is enough: `5 * torch.randn(1000)` spreads
# five times as far, so its standard deviation is 5, and `+ 2` moves the middle to 2.

# %% [markdown] task="2.1.3b" kind="code" minutes=8 difficulty=2 core=true needs="normal draws, making tensors"
# ### Parameters to start from
#
# A layer with `n` inputs and `m` outputs has a table of weights and a row of biases. Training starts from random weights,
# because equal weights would stay equal. The usual first choice is normal draws around 0 with a small spread, and
# biases of zero.
#
# Write `initial_parameters(n, m, scale)`, where n and m are at least 1 and `scale` is positive. It returns two tensors, `W, b`.
#
# **You are done when**
# - **shapes**: `W` has shape `(n, m)` and `b` has shape `(m,)`;
# - **dtype**: both are `float32`;
# - **normal**: the weights are normal draws with mean 0 and standard deviation `scale`;
# - **each its own**: every weight is a draw of its own, and every call draws anew;
# - **bias**: `b` holds zeros.

# %% exercise="2.1.3b"
def initial_parameters(n, m, scale):
    """W of shape (n, m), normal with mean 0 and standard deviation `scale`; b of shape (m,), zeros. float32."""
    ### BEGIN SOLUTION
    return torch.randn(n, m) * scale, torch.zeros(m)
    ### END SOLUTION

# %% [markdown] hints="2.1.3b"
# 1. Which function draws from the normal distribution with mean 0 and standard deviation 1?
# 2. If z has standard deviation 1, then 5z has standard deviation 5.
# 3. `torch.randn(1000) * 5 + 2` is 1000 draws with mean 2 and standard deviation 5.

# %% check="2.1.3b" points=2
import math

def what_moves_the_spread(n, m, scale):
    """Which of the three numbers changes the deviation of the weights in another way than it should."""
    def spread(*sizes):
        return torch.as_tensor(initial_parameters(*sizes)[0]).double().std().item()

    here = spread(n, m, scale)
    for name, there, right in (("n", spread(4 * n, m, scale), 1), ("m", spread(n, 4 * m, scale), 1),
                               ("scale", spread(n, m, 4 * scale), 4)):
        if abs(there / here / right - 1) > 0.1:
            return (f"Where `{name}` is 4 times as large, your deviation becomes {there / here:.2g} times as large: "
                    f"it should {'stay the same, whatever `' + name + '` is' if right == 1 else 'become 4 times as large'}. ")
    return "It grows with `scale` as it should, and hangs neither on n nor on m, but it is not `scale`. "

@probe
def weights_of_two_calls(seed):
    before = torch.get_rng_state()
    torch.manual_seed(seed)
    one, other = initial_parameters(4, 5, 2.0)[0], initial_parameters(4, 5, 2.0)[0]
    seed_after = torch.initial_seed()
    torch.set_rng_state(before)
    return one, other, seed_after

def started(n, m, scale):
    outcome = initial_parameters(n, m, scale)
    assert_type(outcome, (tuple, list), f"what initial_parameters({n}, {m}, {scale}) returns", of="shapes",
                hint="Two tensors come back, `return W, b`." if hasattr(outcome, "shape") else "")
    assert_equal(len(outcome), 2, f"how many things initial_parameters({n}, {m}, {scale}) returns", of="shapes",
                 hint="They are two: `W` and `b`.")
    weights, bias = outcome
    slip = {(m,): "`W` comes first, then `b`.",
            (m, n): "Rows and columns are exchanged: `W` has a row for each input.",
            (n * m,): "All weights stand in one row: `W` is a table."} if m != n else {}
    assert_shape(weights, (n, m), f"the shape of W for n = {n}, m = {m}", of="shapes",
                 hint=slip.get(tuple(getattr(weights, "shape", ())), ""))
    slip = {(1, m): "`b` has a single axis.", (m, 1): "`b` has a single axis.",
            (n,): "A bias for each output, so m of them.", (1,): "A bias for each output, so m of them.",
            (n, m): "This is the shape of `W`: `b` has a bias for each output."}
    assert_shape(bias, (m,), f"the shape of b for m = {m}", of="shapes", hint=slip.get(tuple(getattr(bias, "shape", ())), ""))
    assert_dtype(weights, torch.float32, "the dtype of W", of="dtype",
                 hint="`torch.randn` and `torch.normal` make `float32`; NumPy's draws are `float64`.")
    assert_dtype(bias, torch.float32, "the dtype of b", of="dtype",
                 hint="`torch.zeros` makes `float32`, unless `dtype=` says otherwise.",
                 mistakes={"From a list of whole numbers come whole numbers: `torch.zeros` makes `float32`.": torch.int64})
    assert_close(bias, torch.zeros(m), f"b for m = {m}", of="bias", hint="The biases are not drawn: each of them is 0.",
                 mistakes={"These are ones: each bias is 0.": torch.full((m,), 1.)})
    weights = torch.as_tensor(weights)
    assert_true(weights.isfinite().all().item(), f"every weight is a number for n = {n}, m = {m}", of="each its own",
                hint="Is the mean or the deviation of the weights used? Of a single weight the deviation is nan.")
    if 1 < n * m <= 10_000:
        spread, count = weights.double().std(), f"{n * m} weights of scale {scale}"
        assert_true(weights.unique().numel() > 1, f"{count} are not all equal", of="each its own",
                    hint=f"Here they are all {weights.flatten()[0].item():.4g}: "
                         "`torch.randn(n, m)` draws for each of the n · m weights.")
        assert_true((weights.double().mean() / spread).abs().item() > 1e-6, f"the mean of {count} is 0 only up to chance",
                    of="each its own",
                    hint="It is 0 to all digits. Was the mean of the weights subtracted? Then none of them is a draw of its own.")
        assert_true((spread / scale - 1).abs().item() > 1e-6, f"the standard deviation of {count} is scale only up to chance",
                    of="each its own",
                    hint="It is `scale` to all digits. Were the weights divided by their own deviation? Then none is a draw of its own.")
    if n * m > 10_000:
        count, spread = f"{n * m} weights of scale {scale}", weights.std().clamp(min=1e-30)
        for axis, lines in enumerate(("rows", "columns")):
            assert_true(weights.unique(dim=axis).shape[axis] == weights.shape[axis], f"of {count}, no two {lines} are equal",
                        of="each its own", hint=f"The same draws stand in several {lines}: every weight is to be a draw of its own.")
        assert_true(weights.abs().unique().numel() > 0.9 * n * m, f"hardly any of {count} occurs twice, but for the sign", of="each its own",
                    hint="Many occur more than once: a part of W is repeated, or they are drawn from few values.")
        again = [f"Is every weight a draw of its own, or does a {line} occur again?" for line in ("row", "column")]
        columns, rows = weights.mean(dim=0).std() / spread * n ** 0.5, weights.mean(dim=1).std() / spread * m ** 0.5
        assert_close(columns, torch.tensor(1.),
                     "how much the means of the columns vary, compared with independent draws (1 = equal)", rtol=0.5,
                     of="each its own", hint=again[columns.item() < 1])
        assert_close(rows, torch.tensor(1.),
                     "how much the means of the rows vary, compared with independent draws (1 = equal)", rtol=0.5,
                     of="each its own", hint=again[rows.item() > 1])
        assert_close(weights.mean() / spread, torch.tensor(0.), f"the mean of {count}, divided by their standard deviation, up to 0.05",
                     atol=0.05, of="normal", hint=("None of them is negative. " if (weights >= 0).all() else "") +
                     "Normal draws with mean 0 are negative as often as positive.",
                     mistakes={"Uniform draws from 0 on, as `torch.rand` makes them, have this mean; "
                               "the weights asked for are negative as often as positive.":
                               torch.tensor(3 ** 0.5),
                               "This is the mean if `scale` is added to draws of deviation 1; "
                               "the weights asked for are negative as often as positive.":
                               torch.tensor(scale)})
        at_two = 2 / scale      # where -2 and 2 lie, in standard deviations
        cut_at_two = (1 - 2 * at_two * math.exp(-at_two ** 2 / 2) / (2 * math.pi) ** 0.5 / math.erf(at_two / 2 ** 0.5)) ** 0.5
        assert_close(weights.std() / scale, torch.tensor(1.), f"the standard deviation of {count}, divided by scale, up to 4 %",
                     rtol=0.04, of="normal", hint=lambda: what_moves_the_spread(n, m, scale) +
                     f"Yours is {weights.std().item():.3g}, and `scale` is {scale}: draws of deviation 1, times `scale`, "
                     "have it.",
                     mistakes={"Uniform draws between -scale and scale have this deviation: these are to be normal.": torch.tensor(3 ** -0.5),
                               "Uniform draws between -scale/2 and scale/2 have this deviation: these are to be normal.":
                               torch.tensor(12 ** -0.5),
                               "`scale` is the standard deviation, not its square.": torch.tensor(scale ** -0.5),
                               "`scale` is the standard deviation itself, not to be squared.": torch.tensor(scale),
                               "`scale` changes nothing yet: these have standard deviation 1.": torch.tensor(1 / scale),
                               **({"Normal draws have no bound. Are yours cut off at -2 and 2?": torch.tensor(cut_at_two)}
                                  if scale > 1 else {}),
                               **{f"This is `scale` divided by the root of {name}: it is to be `scale`, whatever {name} is.":
                                  torch.tensor(size ** -0.5) for name, size in (("n", n), ("m", m))},
                               "A larger `scale` has to spread them further, not less.": torch.tensor(scale ** -2)})
        assert_close((weights.abs() < scale).float().mean(), torch.tensor(0.6827),
                     f"the share of {count} within one standard deviation, up to 0.03", atol=0.03, of="normal",
                     hint="Of normal draws, as `torch.randn` makes them, 68 of 100 lie there; of yours, whose mean and "
                          f"deviation are right, {100 * (weights.abs() < scale).float().mean().item():.0f}: they are not normal.",
                     mistakes={"So few lie there if the draws are uniform; normal ones gather round 0.": torch.tensor(3 ** -0.5)})
        assert_close((weights.abs() < 2 * scale).float().mean(), torch.tensor(0.9545),
                     f"the share of {count} within two standard deviations, up to 0.015", atol=0.015, of="normal",
                     hint="Of normal draws, as `torch.randn` makes them, 95 of 100 lie there; of yours, whose mean and "
                          f"deviation are right, {100 * (weights.abs() < 2 * scale).float().mean().item():.1f}: "
                          "they are not normal.")
        assert_true(weights.abs().max().item() > 3.2 * scale, f"the largest of {count} is more than 3.2 standard deviations away from 0",
                    of="normal", hint="Normal draws have no bound; of so many, a few lie further out. Are yours cut off?")

def drawn_anew():
    one, other, seed = weights_of_two_calls(81_921)
    assert_true((one - other).abs().max().item() > 0, "two calls draw different weights", of="each its own",
                hint="Is a seed set within the function, or are draws kept from one call to the next?" if seed == 81_921 else
                "A seed is set within the function, so each call begins its draws at the same place.")

started(3, 2, 0.1)
started(1, 1, 2.0)
started(100, 150, 0.2)
drawn_anew()
### BEGIN HIDDEN TESTS
started(5, 1, 2.0)
started(1, 1, 0.5)
started(160, 90, 2.5)
drawn_anew()
### END HIDDEN TESTS

# %% [markdown] teaches="reshape, row-major order"
# ## Another shape
#
# A picture of 28 by 28 dots is a table for the eye, and a row of 784 numbers for a simple network. The numbers are the
# same; only the shape is another. `reshape` gives it.

# %% teaches="reshape, row-major order"
twelve = torch.arange(12)
print(twelve.reshape(3, 4))
print(twelve.reshape(2, -1))

# %% [markdown] teaches="reshape, row-major order"
# The entries keep their order. `reshape` reads them row after row and fills the new shape row after row, so the *last*
# index runs fastest. That is called *row-major order*. The new shape must have as many entries as the old one. One of its
# lengths may be written as -1: it follows from the others, here 12 / 2 = 6. `reshape(-1)` is one long row.
#
# `T` is something else. It exchanges the two axes of a table, rows become columns, and so the order of the entries
# changes. The next cell makes two tables of the same shape from one, and they differ:

# %% teaches="reshape, row-major order"
counted = torch.arange(6).reshape(2, 3)
print(counted)
print(counted.reshape(3, 2))
print(counted.T)

# %% tags=["setup"]
letters = torch.arange(1, 9).reshape(2, 4)

# %% [markdown] task="2.1.C" kind="answer" minutes=3 difficulty=1 core=true needs="reshape, row-major order"
# ### Which row comes first
#
# `letters`, made above, has the rows 1, 2, 3, 4 and 5, 6, 7, 8. Predict, with pencil and paper, the first row of four
# tables:
#
# | key | table |
# |---|---|
# | `"a"` | `letters.reshape(4, 2)` |
# | `"b"` | `letters.T` |
# | `"c"` | `letters.T.reshape(2, 4)` |
# | `"d"` | `letters.reshape(4, 2).T` |
#
# Set `first_rows` to a dictionary from the four keys to lists of numbers, such as `{"a": [1, ...], ...}`.
#
# **You are done when**
# - **four rows**: `first_rows` has the four keys, and a list under each;
# - **reshape**: the row under `"a"` is right;
# - **T**: the row under `"b"` is right;
# - **both**: the rows under `"c"` and `"d"` are right.

# %% exercise="2.1.C"
### BEGIN SOLUTION
first_rows = {"a": [1, 2], "b": [1, 5], "c": [1, 5, 2, 6], "d": [1, 3, 5, 7]}
### END SOLUTION

# %% [markdown] hints="2.1.C"
# 1. Which entry stands next to 1 after each step?
# 2. `reshape` deals the entries out row by row. `T` makes a row of each column.
# 3. Another case: `letters.reshape(8, 1).T` is a single row, 1 to 8.

# %% check="2.1.C" points=1
def predicted_rows():
    tables = {"a": letters.reshape(4, 2), "b": letters.T, "c": letters.T.reshape(2, 4), "d": letters.reshape(4, 2).T}
    slips = {("a", "[1, 5]"): "This is the first column of `letters`: reshape reads on in the row.",
             ("b", "[1, 2]"): "These stand beside each other in `letters`: T makes a row of each column.",
             ("c", "[1, 2, 3, 4]"): "The reshape does not undo T: it reads the table `letters.T` row after row.",
             ("c", "[1, 3, 5, 7]"): "This is the row under 'd': here T comes first.",
             ("d", "[1, 2, 3, 4]"): "T does not undo the reshape: it makes rows of the columns of `letters.reshape(4, 2)`.",
             ("d", "[1, 5, 2, 6]"): "This is the row under 'c': here the reshape comes first."}
    rules = {"a": "`reshape` reads row after row, and this table takes two numbers for a row.",
             "b": "The first row of `letters.T` is the first column of `letters`.",
             "c": "`letters.T` has rows of two; the reshape reads them one after the other, and takes four numbers for a row.",
             "d": "Before T it is a column: the first one of `letters.reshape(4, 2)`, with a number from each of its rows."}
    for key, of in (("a", "reshape"), ("b", "T"), ("c", "both"), ("d", "both")):
        row, table = list(first_rows[key]), tables[key].tolist()
        strange = [entry for entry in row if entry not in letters.flatten().tolist()]
        slip = slips.get((key, str(row)), f"{strange[0]} does not stand in `letters`, whose rows are 1 to 4 and 5 to 8."
                         if strange else "These are its numbers, in another order. " + rules[key]
                         if sorted(row) == sorted(table[0]) else
                         ("" if row[:1] != table[0][:1] else
                          "Its first number is right, the next is not. " if row[1:2] != table[0][1:2] else
                          "Its first two numbers are right, not all the others. ") + rules[key])
        if row == [line[0] for line in table]:
            slip = "This is the first column of the table: its first row was asked for."
        elif row in table:
            slip = "This is a row of the table, but not the first."
        assert_equal(len(row), len(table[0]), f"how long the row under {key!r} is", of=of,
                     hint=slip if slip.startswith("This is the first column of the table")
                     else f"The table has {len(table)} rows of {len(table[0])}.")
        assert_true(row == table[0], f"the row under {key!r} is right", of=of, hint=slip)

def rows_given():
    assert_type(first_rows, dict, "`first_rows`", of="four rows")
    assert_equal(sorted(first_rows), list("abcd"), "the keys of `first_rows`", of="four rows")
    for key in "abcd":
        assert_type(first_rows[key], (list, tuple), f"what stands under {key!r}", of="four rows",
                    hint="A row is a list of numbers, in square brackets and without quotes: `[1, 2]`.")
        assert_true(not any(isinstance(entry, (list, tuple, str)) or getattr(entry, "ndim", 0) for entry in first_rows[key]),
                    f"the list under {key!r} holds nothing but numbers", of="four rows",
                    hint="The first row was asked for, not the whole table; numbers stand without quotes.")

rows_given()
predicted_rows()
### BEGIN HIDDEN TESTS
rows_given()
predicted_rows()
### END HIDDEN TESTS

# %% [markdown] teaches="order of axes"
# For more than two axes there is `permute`. `images.permute(0, 2, 3, 1)` says which old axis comes where: first the old
# axis 0, then the old 2, the old 3, and last the old 1. Colour pictures need it, for some libraries keep the three
# colours (red, green, blue) as the second axis, others as the last.

# %% teaches="order of axes"
images = torch.arange(24).reshape(2, 3, 2, 2)       # two pictures, three colours, 2 by 2 dots
last = images.permute(0, 2, 3, 1)
print(last.shape, images[0, :, 1, 0], last[0, 1, 0])

# %% [markdown] teaches="order of axes"
# Picture 0, row 1, column 0 has the same three colours in both. Nothing was moved in memory for that: `permute` and `T`
# only read the same numbers in another order. `reshape` goes on from there: it copies the numbers if there is no other
# way. There is a stricter function, `view`, which promises never to copy anything, and refuses where it would have to:

# %% tags=["demo"] teaches="order of axes"
print(last.reshape(2, -1).shape)
try:
    last.view(2, -1)
except RuntimeError as error:
    print("view:", error)

# %% [markdown]
# ⚠ The length -1 must follow from the others. Where there are no entries it does not: 0 times anything is 0. `flatten`,
# which joins all axes from `start_dim` on, knows what to do then.

# %% tags=["demo"]
empty = torch.zeros(0, 4, 3)
try:
    empty.reshape(0, -1)
except RuntimeError as error:
    print("reshape:", error)
print(empty.flatten(start_dim=1).shape)

# %% [markdown] task="2.1.4a" kind="code" minutes=5 difficulty=1 core=true needs="reshape, order of axes"
# ### A row for each example
#
# A simple network takes a table with a row for each example. Pictures must be flattened first.
#
# Write `flatten_batch(X)`. `X` holds n ≥ 1 examples along axis 0, and has two or more axes, say `(n, c, h, w)`. The
# result is a table with a row for each example.
#
# **You are done when**
# - **shape**: the result has two axes, the first of length n, whatever the shape of `X`;
# - **rows**: row i holds all entries of example i, in their order and with the dtype of `X`;
# - **permuted**: that is so for an `X` whose axes were put in another order, too.

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
@probe
def of_a_permuted_batch(X, order):
    return flatten_batch(X.permute(order))

def flattened(batch, what):
    wanted = torch.stack([torch.cat([piece.flatten() for piece in example]) if example.ndim else example for example in batch])
    wanted = wanted.reshape(len(batch), -1)
    said = ""
    try:
        flatten_batch(batch.clone())
    except Exception as error:
        said = str(error)
    assert_true("to unpack" not in said and "index out of range" not in said and "Dimension out of range" not in said,
                f"X with {batch.ndim} axes is taken, for {what}", of="shape",
                hint=f"`X` has two or more axes, and here there are {batch.ndim}: your answer counts on another number of them. "
                     f"(The error: {said})")
    answer = flatten_batch(batch.clone())
    got = tuple(getattr(answer, "shape", ()))
    slip = "Axis 0 stays, and all others are joined to one." if got else ""
    if got == (len(batch),):
        slip = "Two axes were asked for, even where an example has a single entry."
    elif got == (batch.numel(),):
        slip = "All examples were joined: axis 0 is to stay." if len(batch) > 1 else "Two axes were asked for, even for one example."
    elif batch.ndim > 2 and got == (batch.numel() // batch.shape[-1], batch.shape[-1]):
        slip = "Here the last axis has stayed: axis 0 is to stay, and all others are joined."
    elif got == tuple(wanted.shape)[::-1]:
        slip = "There is a column for each example: a row was asked for."
    assert_shape(answer, tuple(wanted.shape), f"the shape for {what}", of="shape", hint=slip)
    assert_type(answer, torch.Tensor, f"what is returned for {what}", of="shape")
    assert_dtype(answer, batch.dtype, f"the dtype for {what}", of="rows",
                 hint="It is that of X, whatever that is. `torch.tensor` of a list and `torch.zeros` have a dtype of their own, "
                      "unless `dtype=X.dtype` stands there.")
    slip = "Row i holds the entries of example i, as they are."
    if batch.unique().numel() == batch.numel() and sorted(answer.flatten().tolist()) == sorted(batch.flatten().tolist()):
        own = all(sorted(row) == sorted(right) for row, right in zip(answer.tolist(), wanted.tolist()))
        slip = ("Each row holds the entries of its example, but not in their order." if own else
                "The examples have changed places." if sorted(answer.tolist()) == sorted(wanted.tolist()) else
                "Entries of several examples stand in one row.")
    dealt = batch.reshape(-1, len(batch)).T
    assert_close(answer, wanted, f"the rows for {what}", of="rows", hint=slip,
                 mistakes={} if torch.equal(dealt, wanted) else
                 {"`reshape` has dealt the entries out to rows of as many as there are examples: after it, `T` does not bring an "
                  "example together. Let axis 0 stay.": dealt})

def flattened_permuted(batch, order):
    there = batch.permute(order)
    wanted = torch.tensor([example.reshape(-1).tolist() for example in there.clone()])
    what = f"X = Y.permute{order} of shape {tuple(there.shape)}"
    said = ""
    try:
        of_a_permuted_batch(batch.clone(), order)
    except Exception as error:
        said = str(error)
    assert_true("view size" not in said, f"X is taken, though its entries lie in memory in another order, for {what}",
                of="permuted",
                hint=f"`view` never copies, and refuses where it would have to; `reshape` copies. (The error: {said})")
    answer = of_a_permuted_batch(batch.clone(), order)
    assert_shape(answer, tuple(wanted.shape), f"the shape for {what}", of="permuted",
                 hint="A row for each X[i], by the axes that X has now." if hasattr(answer, "shape") else "")
    assert_close(answer, wanted, f"the rows for {what}", of="permuted",
                 hint="Row i holds the entries of X[i], read by the axes that X has now. (In memory they do not lie in this "
                      "order.)",
                 mistakes={"These are the entries in the order in which they lie in memory: row i is to hold those of X[i].":
                           batch.reshape(wanted.shape)})

flattened(torch.arange(24).reshape(4, 3, 2), "the numbers 0 to 23 in shape (4, 3, 2)")
flattened(torch.arange(24).reshape(3, 2, 2, 2), "the numbers 0 to 23 in shape (3, 2, 2, 2)")
flattened(torch.arange(6).reshape(2, 3), "the numbers 0 to 5 in shape (2, 3)")
flattened(torch.arange(4.).reshape(4, 1, 1) / 2, "the numbers 0, 0.5, 1, 1.5 in shape (4, 1, 1)")
flattened(torch.arange(12).double().reshape(3, 2, 2) / 10, "the float64 numbers 0, 0.1, ..., 1.1 in shape (3, 2, 2)")
flattened_permuted(torch.arange(12).reshape(2, 3, 2), (1, 2, 0))
### BEGIN HIDDEN TESTS
flattened(torch.randn(2, 5, 3, generator=torch.Generator().manual_seed(13), dtype=torch.float64), "float64 X of shape (2, 5, 3)")
for k, shape in enumerate([(3, 2, 5, 4), (2, 3, 3), (1, 7, 2), (5, 3), (6, 1), (1, 1, 1)]):
    flattened(torch.randn(shape, generator=torch.Generator().manual_seed(14 + k)), f"X of shape {shape}")
flattened_permuted(torch.arange(120).reshape(2, 3, 4, 5), (0, 2, 3, 1))
### END HIDDEN TESTS

# %% [markdown] task="2.1.4b" kind="code" minutes=7 difficulty=3 needs="reshape, row-major order"
# ### Column by column
#
# Some file formats (Fortran's, MATLAB's, R's) store a table column by column.
#
# Write `by_columns(v, rows)`. `v` is a vector, a tensor with one axis, whose length is a multiple of `rows`. The result is
# the table with `rows` rows that `v` fills column by column.
#
# **You are done when**
# - **shape**: the table has `rows` rows and uses every entry once;
# - **columns**: its columns, one after the other, are `v`, in its dtype.

# %% exercise="2.1.4b"
def by_columns(v, rows):
    """The table of shape (rows, len(v) / rows) whose columns, one after the other, are v."""
    ### BEGIN SOLUTION
    return v.reshape(-1, rows).T
    ### END SOLUTION

# %% [markdown] hints="2.1.4b"
# 1. `reshape` fills row by row. Of which other table are the wanted columns the rows?
# 2. `T` makes rows from columns.
# 3. The vector 0, ..., 5 in the shape (2, 3) fills rows of three: [[0, 1, 2], [3, 4, 5]]. Its `T` has columns of three.

# %% check="2.1.4b" points=1
import math

def filled_by_columns(size, count, step=1, dtype=None):
    vector = step * torch.arange(size, dtype=dtype)
    wanted = torch.stack([vector[k::count] for k in range(count)])
    what = f"the {'float64 ' if dtype else ''}vector of length {size}, 0, {step}, {2 * step}, ..., in {count} rows"
    answer = by_columns(vector.clone(), count)
    got = tuple(getattr(answer, "shape", ()))
    exchanged, used = got == tuple(wanted.shape)[::-1] != tuple(wanted.shape), math.prod(got)
    assert_shape(answer, tuple(wanted.shape), f"the shape for {what}", of="shape",
                 hint="`rows` is how many columns this table has: it is to be the number of its rows." if exchanged else
                 f"It has {used} entries, and v has {size}: each is used once." if got and used != size else
                 "It has one axis: a table has two, be it of a single row." if got == (size,) else "")
    assert_type(answer, torch.Tensor, f"what is returned for {what}", of="shape")
    assert_dtype(by_columns(vector.clone(), count), vector.dtype, f"the dtype for {what}", of="columns",
                 hint="From a list of numbers with a fraction `torch.tensor` makes `float32`, unless `dtype=` says otherwise."
                 if dtype else "It is that of v. (Numbers with a decimal point are `float32`, and so is what is written into a "
                 "table that `torch.zeros` makes.)")
    by_rows = vector.reshape(count, -1)
    dealt_again = by_rows.T.reshape(count, -1)
    columns, right = answer.T.tolist(), wanted.T.tolist()
    off = next((k for k in range(len(right)) if columns[k] != right[k]), 0)
    slip = f"Column {off} is not what v has in places {count * off} to {count * off + count - 1}, from top to bottom."
    if sorted(columns) == sorted(right):
        slip = "The columns are the right ones, in another order: v begins with column 0."
    elif all(sorted(column) == sorted(there) for column, there in zip(columns, right)):
        slip = "Each column has its entries, but not in their order: from top to bottom they follow each other as in v."
    assert_close(by_columns(vector.clone(), count), wanted, what, of="columns", hint=slip,
                 mistakes=None if torch.equal(by_rows, wanted) else {
                     "This is filled row by row.": by_rows,
                     **({} if torch.equal(dealt_again, wanted) else {
                         "A `reshape` after the `T` deals the entries out row by row again: let `T` be the last step.":
                         dealt_again})})

filled_by_columns(6, 2)
filled_by_columns(9, 3)
filled_by_columns(4, 1)
filled_by_columns(8, 4, 0.5)
filled_by_columns(10, 2, 0.1, torch.float64)
### BEGIN HIDDEN TESTS
filled_by_columns(21, 3, -0.3, torch.float64)
for size, count in ((12, 4), (16, 4), (10, 10), (7, 1)):
    filled_by_columns(size, count, -1)
filled_by_columns(15, 3, -0.25)
filled_by_columns(12, 2, 2 ** 50 + 1)
### END HIDDEN TESTS

# %% [markdown] teaches="index and slice"
# ## Parts of a tensor
#
# What was the temperature on day 1 at noon? An index in square brackets picks entries. The first number is for axis 0, the
# next for axis 1. Counting begins at 0; -1 is the last, -2 the one before it.

# %% teaches="index and slice"
print("day 1 at noon:", degrees[1, 1])
print("the last day: ", degrees[-1])
print("every noon:   ", degrees[:, 1])
print(degrees[1:3, ::2])

# %% [markdown] teaches="index and slice"
# A *slice* `a:b` goes from a up to b - 1, as in Python's lists; `a:b:s` goes in steps of s. What is left out means
# "from the beginning" or "to the end", so `:` alone is all of an axis. An index takes its axis away: `degrees[-1]` has
# shape `(4,)`. A slice keeps the axis and only makes it shorter: `degrees[1:3, ::2]` has shape `(2, 2)`. A list picks what it
# names: `degrees[[2, 0]]` is the last row and then the first.
#
# What stands left of `=` is overwritten. A single number fills the whole part:

# %% teaches="slice assignment, copy of a tensor"
board = torch.zeros(3, 4)
board[0, 1:] = 7
board[:, 0] = torch.tensor([1., 2., 3.])
print(board)

# %% [markdown] teaches="slice assignment, copy of a tensor"
# ⚠ A second name is not a second tensor. `other = board` makes no copy, so whatever is written through `other` is seen
# in `board` too. `clone()` makes a copy.

# %% teaches="slice assignment, copy of a tensor"
other, copy = board, board.clone()
other[2, 3] = -1
copy[0, 0] = 100
print(board)

# %% [markdown] teaches="slice assignment, copy of a tensor"
# The -1 has arrived in `board`, the 100 has not. A function that is handed a tensor gets such a second name, and so a
# function that should not disturb its caller writes into a clone.

# %% [markdown] task="2.1.D" kind="code" minutes=4 difficulty=1 core=true needs="index and slice, slice assignment"
# ### Chess
#
# Write `chessboard(n)`: a table of zeros and ones with `n` rows and `n` columns, n ≥ 1. It has a 0 in the upper left
# corner, and neighbours, beside and below each other, always differ.
#
# **You are done when**
# - **shape**: the table has shape `(n, n)`;
# - **squares**: zeros and ones stand as on a chessboard, for even and odd n. Any dtype of numbers will do.

# %% exercise="2.1.D"
def chessboard(n):
    """Zeros and ones of shape (n, n), as on a chessboard; 0 at the upper left."""
    ### BEGIN SOLUTION
    squares = torch.zeros(n, n)
    squares[::2, 1::2] = 1
    squares[1::2, ::2] = 1
    return squares
    ### END SOLUTION

# %% [markdown] hints="2.1.D"
# 1. In which columns do the ones of row 0 stand? And those of row 1?
# 2. `1::2` is every second place, from place 1 on. Two assignments are enough.
# 3. Another pattern: stripes down the table are `t = torch.zeros(4, 4)` and `t[:, ::2] = 1`.

# %% check="2.1.D" points=1
def played(n):
    wanted = [[(i + j) % 2 for j in range(n)] for i in range(n)]
    answer = chessboard(n)
    assert_type(answer, (torch.Tensor, np.ndarray), f"what chessboard({n}) returns", of="shape")
    assert_shape(answer, (n, n), f"the shape of chessboard({n})", of="shape",
                 hint=("Here n is odd, and the size is even, as of tiles of 2 by 2: cut off what is too much, or do "
                       "without tiles. "
                       if n % 2 and tuple(answer.shape) in ((n - 1, n - 1), (n + 1, n + 1)) else
                       "Here n is more than 8, and the table ends after 8. " if n > 8 and tuple(answer.shape) == (8, 8) else "") +
                 "It has `n` rows and `n` columns, for every n, even or odd.")
    squares = answer.tolist()
    strange = [(i, j) for i in range(n) for j in range(n) if squares[i][j] not in (0, 1)]
    slip = ""
    if any(isinstance(square, bool) for row in squares for square in row):
        slip = "Numbers were asked for, not True and False."
    elif strange:
        slip = "Only zeros and ones stand on the board; at row {}, column {} there is another number.".format(*strange[0])
    else:
        alike = [f"row {i}, column {j} and its neighbour {where}" for i in range(n) for j in range(n)
                 for where, k, l in (("to the right", i, j + 1), ("below", i + 1, j))
                 if k < n and l < n and squares[i][j] == squares[k][l]]
        slip = f"Neighbours differ; {alike[0]} do not." if alike else ""
        same = [i for i in range(n) if n > 1 and len(set(squares[i])) == 1]
        if same:
            slip = f"Row {same[0]} holds only {'ones' if squares[same[0]][0] else 'zeros'}: in every row they take turns."
    assert_equal(squares, [[float(s) for s in r] for r in wanted], f"chessboard({n}), as a list of rows", of="squares", hint=slip,
                 mistakes={"The corner at the upper left is 0.": [[float(1 - s) for s in r] for r in wanted],
                           "Every second row has its ones at other places.": [[float(j % 2) for j in range(n)]] * n,
                           "These are stripes: neighbours in a row differ, too.": [[float(i % 2)] * n for i in range(n)],
                           "Only every second row has ones; the others have theirs at other places.": [[float(j % 2 and not i % 2) for j in range(n)] for i in range(n)],
                           "Only the diagonal is 0: two steps from a 0 stands a 0 again.": [[float(i != j) for j in range(n)] for i in range(n)],
                           "These are products: row times column is odd only where both are, row plus column where one of them is.":
                           [[float(i * j % 2) for j in range(n)] for i in range(n)]} if n > 2 else None)

played(4)
played(3)
played(1)
played(10)
### BEGIN HIDDEN TESTS
for n in (2, 5, 8, 13):
    played(n)
### END HIDDEN TESTS

# %% [markdown] teaches="index and slice"
# Counting from the end has an exception: -0 is 0. The slice `:-k` leaves out the last k entries, for k = 2 and for k = 1.
# For k = 0 it leaves out all of them:

# %% teaches="index and slice"
numbers = torch.arange(5)
print([numbers[:-k] for k in (2, 1, 0)])

# %% [markdown] task="2.1.5a" kind="code" minutes=8 difficulty=2 needs="index and slice"
# ### Cut off the edges
#
# Write `crop(X, k)`. It returns the table `X` without its first and last `k` rows and without its first and last `k`
# columns. `k` ≥ 0, and `X` has more than 2k rows and columns.
#
# **You are done when**
# - **shape**: for `X` of shape `(h, w)` it is `(h - 2k, w - 2k)`;
# - **entries**: they are those from the middle of `X`, in their places;
# - **k = 0**: the result is all of `X`.

# %% exercise="2.1.5a"
def crop(X, k):
    """Shape (h, w) -> (h - 2k, w - 2k): the table X without k rows and columns at each edge."""
    ### BEGIN SOLUTION
    h, w = X.shape
    return X[k:h - k, k:w - k]
    ### END SOLUTION

# %% [markdown] hints="2.1.5a"
# 1. At which row does the result begin, and at which does it end, for a table of h rows?
# 2. `X[a:b, c:d]` takes rows a to b - 1 and columns c to d - 1. Try your answer with `k = 0`.
# 3. All but the last j entries of a vector v, for j = 0 too: `v[:len(v) - j]`.

# %% check="2.1.5a" points=1
def cropped(h, w, k, step=1):
    grid = (step * torch.arange(h * w)).reshape(h, w)
    wanted = [[step * (w * i + j) for j in range(k, w - k)] for i in range(k, h - k)]
    what = f"the numbers 0{'' if step == 1 else f', {step}, ...'} to {step * (h * w - 1)} in shape ({h}, {w}), k = {k}"
    answer = crop(grid.clone(), k)
    one_end = "This is cut off at one end only: rows and columns go at both ends." if k == 1 else \
        f"{k} rows and {k} columns are gone; with k = {k} at each end it would be {2 * k}."
    slips = {(h - k, w - k): one_end,
             (h - 2 * k, w): "The columns have not been cut.", (h, w - 2 * k): "The rows have not been cut.",
             (h, w): "Nothing has been cut: the table is as large as X.",
             (w - 2 * k, h - 2 * k): "Rows and columns are exchanged.",
             (h - 2 * k - 1, w - 2 * k - 1): "One row and one column too few: a slice leaves out its end by itself."}
    got = tuple(getattr(answer, "shape", ()))
    begins = None        # the i for which it begins at row i, column i
    if len(got) == 2 and min(got) > 0:
        begins = next((i for i in range(min(h, w)) if answer[0][0] == grid[i, i]), None)
    if got == (h - 2 * k - 1, w - 2 * k - 1) and begins == k + 1:
        slips[got] = "It begins a row and a column too late: rows 0 to k - 1 are k rows, so row k stays."
    if k > 1 and got == (h - 2 * k + 1, w - 2 * k + 1) and begins in (k - 1, k):
        slips[got] = ("It begins at row and column k - 1: rows 0 to k - 1 are k rows, and row k is the first that stays."
                      if begins < k else "One row and one column too many stay at the end: a slice stops before its end, "
                      "so that end is h - k and w - k.")
    if k > 1 and got == (h - 3 * k, w - 3 * k) and begins in (k, 2 * k):
        slips[got] = "k rows and columns are gone at one end, 2k at the other: " + (
            "the slices end at h - k and w - k." if begins == k else "the slices begin at k.")
    if got == ((h - 2 * k) * (w - 2 * k),):
        slips[got] = "The entries stand in one row: the result is a table, and its shape is that of the middle of X."
    if h - w not in (0, k, -k):
        slips[(min(h, w - k) - k, min(w, h - k) - k)] = "The ends are exchanged: rows end at h - k, columns at w - k."
        slips[(h - 2 * k, min(w, h - k) - k)] = "The slice of the columns ends where that of the rows ends: their numbers differ."
    if k > 1 and got == (h - 2, w - 2) and begins == 1:
        slips[got] = f"One row and one column are gone at each end: it is to be `k` of them, and here k is {k}."
    twice = (len(range(h)[k:h - k][k:w - k]), w)
    if twice != (h - 2 * k, w) and twice[0] < h:
        slips[twice] = ("The rows have been cut twice, the columns not at all: `X[a:b, c:d]` cuts both, "
                        "`X[a:b][c:d]` the rows again.")
    slip = slips.get(got, "")
    if not slip and len(got) == 2 and got[0] <= h and got[1] <= w:
        slip = " ".join(f"Of {full} {name} {full - have} are gone: k = {k} at each end makes {2 * k}."
                        for name, full, have in (("rows", h, got[0]), ("columns", w, got[1])) if full - have != 2 * k)
    assert_shape(answer, (h - 2 * k, w - 2 * k), f"the shape for {what}", of="shape" if k else "k = 0",
                 hint=slip if k else "Are rows or columns missing? `:-0` is `:0`, and leaves nothing." if 0 in got else
                 "With k = 0 nothing is cut: it is all of X.")
    X = step * torch.arange(h * w).reshape(h, w)
    assert_equal(answer, wanted, what, of="entries" if k else "k = 0", hint="The middle of X was asked for, as it stands there.",
                 mistakes={"All is cut off at the end: k rows and k columns go at the beginning, too.": X[:h - 2 * k, :w - 2 * k].tolist(),
                           "All is cut off at the beginning: k rows and k columns go at the end, too.": X[2 * k:, 2 * k:].tolist(),
                           "These are the right rows, in reverse order.": wanted[::-1],
                           "The fractions of the entries are lost.": [[int(entry) for entry in row] for row in wanted]} if k
                           else None)

cropped(7, 10, 2)
cropped(4, 7, 1)
cropped(9, 6, 2)
cropped(5, 5, 2)
cropped(2, 3, 0)
cropped(3, 4, 1, 0.5)
### BEGIN HIDDEN TESTS
for h, w, k in ((4, 5, 0), (7, 12, 3), (7, 7, 3), (12, 5, 2), (6, 3, 1)):
    cropped(h, w, k)
cropped(6, 5, 1, -0.25)
### END HIDDEN TESTS

# %% [markdown] task="2.1.5b" kind="code" minutes=8 difficulty=2 core=true needs="index and slice, slice assignment, copy of a tensor"
# ### A frame
#
# Write `with_frame(X, value)`. It returns a table like `X` whose outermost rows and columns hold `value`. `X` has at
# least two rows and two columns; `value` is a number that the dtype of `X` can hold, `torch.inf` (infinity) for instance.
#
# **You are done when**
# - **frame**: the first and last row and the first and last column hold `value`, whatever stood there, in a table of the
#   shape of `X`;
# - **inside**: all other entries are those of `X`, whatever `value` is;
# - **dtype**: it is that of `X`;
# - **X kept**: `X` itself is as it was.

# %% exercise="2.1.5b"
def with_frame(X, value):
    """A copy of the table X, of the same shape and dtype, whose outermost rows and columns hold `value`."""
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
import math

@probe
def framed_and_given(X, value):
    return with_frame(X, value), X

def in_a_frame(given, value, what):
    wanted = torch.nn.functional.pad(given[1:-1, 1:-1], (1, 1, 1, 1), value=value)
    answer, after = framed_and_given(given.clone(), value)
    around = tuple(getattr(answer, "shape", ())) == (given.shape[0] + 2, given.shape[1] + 2)
    assert_shape(answer, tuple(given.shape), f"the shape for {what}, value {value}", of="frame",
                 hint="The frame was put round X: it takes the place of the outermost rows and columns." if around else
                 "As many rows and columns are left as there are inside: the frame belongs to the table."
                 if tuple(getattr(answer, "shape", ())) == (given.shape[0] - 2, given.shape[1] - 2) else "")
    assert_type(answer, torch.Tensor, f"what is returned for {what}", of="frame")
    assert_dtype(answer, given.dtype, f"the dtype for {what}, value {value}", of="dtype",
                 hint="It is that of X, not that of `value`.")
    nans = "inf times 0 is nan, and so is inf - inf: overwrite, do not calculate with the entries." if answer.isnan().any() else ""
    sides = [name for name, got, right in (("first row", answer[0], wanted[0]), ("last row", answer[-1], wanted[-1]),
             ("first column", answer[:, 0], wanted[:, 0]), ("last column", answer[:, -1], wanted[:, -1]))
             if not torch.equal(got, right)]
    ends = [answer[0, 0] == value, answer[0, -1] == value, answer[-1, 0] == value, answer[-1, -1] == value]
    slip = f"The value does not stand all along {' and '.join('the ' + side for side in sides)}."
    if (answer == value).sum() == 2 == sum(map(bool, ends)):
        slip = "The value stands in two corners alone: two lists as indices name single entries. Write rows and columns one by one."
    digits = "Large whole numbers have lost digits: did they pass through a float?" if answer.dtype == torch.int64 else ""
    edge = torch.ones(given.shape, dtype=torch.bool)
    edge[1:-1, 1:-1] = False
    corners = torch.zeros(given.shape, dtype=torch.bool)
    corners[0, 0] = corners[0, -1] = corners[-1, 0] = corners[-1, -1] = True
    still = "What stood there is still in it: the value takes its place" + (", and is not added." if value else ".")
    if nans:
        slip = nans
    elif torch.equal(answer[edge], given[edge]):
        slip = "The outermost entries are still those of X: there the value is to stand" + (
            ", not inside." if (answer[1:-1, 1:-1] == value).all() else ".")
    elif answer[edge].unique().numel() == 1 and answer[edge][0] != value:
        slip = f"All along the frame stands {answer[edge][0].item()}, not the value {value}." + (
            " Its fraction is lost." if math.isfinite(value) and answer[edge][0] == math.trunc(value) else "")
    elif (answer[corners] == value).all() and torch.equal(answer[edge & ~corners], given[edge & ~corners]):
        slip = "The value stands in the four corners, and along the sides between them X is as it was: a frame goes all round."
    elif (answer[-2] == value).all() and not (answer[-1] == value).all():
        slip = "The value stands in the last row but one, and not in the last, which is row -1."
    assert_close(answer[edge], wanted[edge], f"the outermost entries, row by row, for {what}, value {value}", of="frame",
                 hint=slip,
                 mistakes={still: given[edge] + value})
    inner = given[1:-1, 1:-1]
    wide = inner.numel() > 0 and torch.equal(answer[1:-1, 1:-1][answer[1:-1, 1:-1] != inner].double(),
                                             torch.full(((answer[1:-1, 1:-1] != inner).sum(),), float(value),
                                                        dtype=torch.float64))
    zeros_lost = wide and not inner[answer[1:-1, 1:-1] != inner].any()
    lost = inner.is_floating_point() is False and torch.equal(answer[1:-1, 1:-1], inner.double().long())
    assert_close(answer[1:-1, 1:-1], wanted[1:-1, 1:-1], f"the inner entries for {what}, value {value}", of="inside",
                 rtol=0, atol=0, hint=nans or (digits if lost else "They are to be those of X." if not wide else
                                               "Entries inside that are 0 in X have become the value: they count like any other."
                                               if zeros_lost else
                                               "Within the frame the value stands, too: it is one row and one column wide."))
    assert_close(after, given, f"X after the call, for {what}", of="X kept",
                 hint="An assignment wrote into the memory of X. Another name for X and a slice of it have the same memory; a clone has its own.")

in_a_frame(torch.arange(1., 21.).reshape(4, 5), 1.5, "1 to 20 in 4 rows")
in_a_frame(torch.arange(1., 10.).reshape(3, 3), 0, "1 to 9 in 3 rows")
in_a_frame(torch.arange(-7, 13).reshape(4, 5), -2, "whole numbers, -7 to 12 in 4 rows")
in_a_frame(torch.tensor([[1., torch.inf, 3., 4.], [5., 6., torch.inf, 8.], [9., 10., 11., 12.]]), 3.5, "3 rows of 4 with inf in two places")
in_a_frame(torch.arange(1., 13.).reshape(3, 4), torch.inf, "1 to 12 in 3 rows")
in_a_frame(torch.tensor([[1, 2, 3], [4, 2 ** 53 + 1, 6], [7, 8, 9]]), 0, "whole numbers, 2 ** 53 + 1 in the middle")
### BEGIN HIDDEN TESTS
hidden_field = torch.randn(6, 7, generator=torch.Generator().manual_seed(17))
in_a_frame(hidden_field[:4], -2.5, "X of shape (4, 7)")
in_a_frame(hidden_field[:, :3].double(), 5, "float64 of shape (6, 3)")
in_a_frame(hidden_field[:2, :5], 1, "X of shape (2, 5)")
in_a_frame(torch.randint(-9, 10, (5, 4), generator=torch.Generator().manual_seed(18)), 3, "whole numbers of shape (5, 4)")
in_a_frame(torch.full((3, 5), -torch.inf), 0, "a table of -inf")
in_a_frame(torch.arange(-10, 10).reshape(5, 4) * (2 ** 55 + 1), 5, "large whole numbers of shape (5, 4)")
in_a_frame(torch.rand(4, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(27)), 1, "float64 of shape (4, 6)")
in_a_frame(hidden_field[:5, :4], -torch.inf, "X of shape (5, 4)")
### END HIDDEN TESTS

# %% [markdown] teaches="broadcasting, new axis"
# ## Different shapes together
#
# How much warmer or colder than usual was it? Suppose the usual temperatures of the four times of day are known, one row
# of four. They should be subtracted from each of the three days. You could loop over the days. Just subtract:

# %% teaches="broadcasting, new axis"
usual = torch.tensor([4., 9., 7., 5.])
print(degrees.shape, usual.shape)
print(degrees - usual)

# %% [markdown] teaches="broadcasting, new axis"
# The row was used for each of the three days. This is called *broadcasting*: a tensor is repeated along the axes in which
# it is too short. Nothing is copied for it. The rule has two steps:
#
# 1. Write the two shapes below each other, **aligned at the right**, and fill the shorter one up with 1 at the left.
# 2. On each axis the two lengths must be equal, or one of them must be 1. An axis of length 1 is repeated as often as
#    the other needs.
#
# | | axis 0 | axis 1 |
# |---|---|---|
# | `degrees` | 3 | 4 |
# | `usual` | 1 (filled up) | 4 |
# | result | 3 | 4 |
#
# If a pair of lengths differs and neither is 1, there is an error. It names the axis:

# %% tags=["demo"] teaches="broadcasting, new axis"
try:
    degrees - torch.tensor([1., 2., 3.])
except RuntimeError as error:
    print(error)

# %% [markdown] teaches="broadcasting, new axis"
# Three numbers, one for each day, meet the axis of length 4, since shapes align at the right. They have to become a
# column, of shape `(3, 1)`. `None` in an index puts in a *new axis* of length 1 at that place:

# %% teaches="broadcasting, new axis"
daily = torch.tensor([6., 4., 8.])
print(daily[:, None].shape, daily[None, :].shape)
print(degrees - daily[:, None])

# %% [markdown] teaches="broadcasting, new axis"
# `daily.reshape(3, 1)` does the same as `daily[:, None]`. Both tensors may be repeated at once. A column of shape `(3, 1)` and a row
# of shape `(1, 4)` give all pairs:

# %% tags=["demo"] teaches="broadcasting, new axis"
column, row = torch.tensor([[0], [10], [20]]), torch.tensor([[1, 2, 3, 4]])
figure, axes = plt.subplots(1, 3, figsize=(8, 2.2), layout="constrained")
titles = ("column (3, 1)", "row (1, 4)", "column + row (3, 4)")
for ax, values, title in zip(axes, (column, row, column + row), titles):
    for i in range(3):
        for j in range(4):
            stored = i < values.shape[0] and j < values.shape[1]
            ax.add_patch(plt.Rectangle((j, 2 - i), 1, 1, facecolor="lightskyblue" if stored else "white", edgecolor="black",
                                       linestyle="-" if stored else ":"))
            number = values[min(i, values.shape[0] - 1), min(j, values.shape[1] - 1)].item()
            ax.text(j + 0.5, 2.5 - i, str(number), ha="center", va="center", color="black" if stored else "gray")
    ax.set(title=title, xlim=(-0.1, 4.1), ylim=(-0.1, 3.1), aspect="equal")
    ax.axis("off")
plt.show()

# %% [markdown] teaches="broadcasting, new axis"
# Blue cells are in memory, white ones are repeated. Row i and column j of the sum hold entry i of the column plus entry
# j of the row.
#
# ⚠ The same rule has a trap that costs many hours in practice. Five predictions in a row and five true values in a
# column are not subtracted pair by pair, and no error says so:

# %% teaches="broadcasting, new axis"
predictions, truths = torch.ones(5), torch.ones(5, 1)
print((predictions - truths).shape, (predictions - truths.reshape(-1)).shape)

# %% [markdown]
# Twenty-five differences in place of five: a mean over them is a wrong number that looks like a right one. Look at
# shapes before you subtract.

# %% [markdown] task="2.1.F" kind="code" minutes=3 difficulty=1 core=true needs="broadcasting, new axis"
# ### Every difference
#
# Write `differences(v, w)` for two `float32` vectors of any lengths ≥ 1: the table of all differences of an entry of
# `v` and an entry of `w`.
#
# **You are done when**
# - **shape**: the table has a row for each entry of `v` and a column for each entry of `w`;
# - **values**: row i, column j holds `v[i] - w[j]`.

# %% exercise="2.1.F"
def differences(v, w):
    """The table of v[i] - w[j], shapes (n,) and (m,) -> (n, m)."""
    ### BEGIN SOLUTION
    return v[:, None] - w
    ### END SOLUTION

# %% [markdown] hints="2.1.F"
# 1. Which of the two vectors has to be a column, and which a row?
# 2. `v[:, None]` is a column, `w[None, :]` a row; a row may stay as it is, since a shape is filled up at the left.
# 3. Another case: `daily[:, None] * torch.tensor([1, 10])` is a table of shape (3, 2).

# %% check="2.1.F" points=1
def one_and_one(v, w):
    found = differences(torch.tensor([5.]), torch.tensor([3.]))
    if abs(found.item() - 2) > 1e-4:
        return f"Simpler: from v = [5] and w = [3] comes the table [[2]]; in yours stands {found.item():.4g}."
    return ("From v = [5] and w = [3] comes the table [[2]] in yours, too: "
            "which entry of `v`, and which of `w`, belongs into row i, column j?")

def subtracted(v, w, wanted, hint=one_and_one):
    what = f"v = {v} and w = {w}"
    answer = differences(torch.tensor(v), torch.tensor(w))
    slips = {(len(v) * len(w),): "All differences stand in one row: they are to be a table.",
             (len(v),): "Entries at equal places were subtracted: each entry of v meets each of w."}
    if len(w) > 1:
        slips[(len(v), 1)] = "There is a single column: each entry of v is to meet each of w, and every entry of w has a column."
    if len(v) > 1:
        slips[(1, len(w))] = "There is a single row: each entry of v has a row."
    if len(v) != len(w) and min(len(v), len(w)) > 1:
        slips[(len(w), len(v))] = "There is a row for each entry of w: a row for each entry of v was asked for."
        slips.setdefault((len(v), len(v)), "There are as many columns as `v` has entries: each entry of `w` has one.")
        slips.setdefault((len(w), len(w)), "There are as many rows as `w` has entries: each entry of `v` has one.")
    assert_shape(answer, (len(v), len(w)), f"the shape for {what}", of="shape",
                 hint="The table is a tensor, not a list of rows." if isinstance(answer, (list, tuple)) else
                 slips.get(tuple(getattr(answer, "shape", ())), ""))
    assert_type(answer, torch.Tensor, f"what is returned for {what}", of="shape")
    right = torch.tensor(wanted)
    mistakes = {"The difference is the other way round.": -right, "These are sums.": right + 2 * torch.tensor(w),
                "These are products.": torch.outer(torch.tensor(v), torch.tensor(w)),
                "These are quotients.": torch.outer(torch.tensor(v), 1 / torch.tensor(w)),
                "The mean of `w` was subtracted; in each column its own entry is.":
                right + torch.tensor(w) - torch.tensor(w).mean()}
    if len(v) == len(w) > 1:
        mistakes["Rows and columns are exchanged: `v` is to be the column."] = right.T
        mistakes["The difference is the other way round, and `w` is the column: `v` is to be it."] = -right.T
    elif len(v) > 1:
        mistakes["`reshape` does not exchange rows and columns: make `v` the column."] = right.T.reshape(right.shape)
    if len(v) > 1:
        mistakes["The sign of the difference is lost."] = right.abs()
    if len(v) == len(w):
        more = torch.tensor(w) - torch.tensor(v)
        mistakes["`w` does not occur: these are the differences between entries of `v`."] = right + more
        mistakes["`v` does not occur: these are the differences between entries of `w`."] = (right.T + more).T
    assert_close(answer, right, f"the table for {what}", of="values", mistakes=mistakes, hint=lambda: hint(v, w))

subtracted([1., 5.], [0., 3.], [[1., -2.], [5., 2.]])
subtracted([1., 5., 10.], [0., 2.], [[1., -1.], [5., 3.], [10., 8.]])
subtracted([7.], [1., 2., 4.], [[6., 5., 3.]])
### BEGIN HIDDEN TESTS
for v_, w_ in (([4., -1., 2.], [3., 5., -2., 8.]), ([9., 2., 4.], [1., 0., -6.])):
    subtracted(v_, w_, [[i - j for j in w_] for i in v_], lambda v, w: where_they_part(
        differences, lambda one, other: one[:, None] - other, v=torch.tensor(v) + 0.25, w=torch.tensor(w) + 0.625)
        or one_and_one(v, w))
### END HIDDEN TESTS

# %% tags=["setup"]
pairs = {"A": ((4, 3, 2), (3, 1)),
         "B": ((2, 1, 4), (1, 3, 1)),
         "C": ((2, 3, 4), (3, 4, 1)),
         "D": ((5, 1, 1), (6,)),
         "E": ((3, 2, 4), (3, 2)),
         "F": ((7, 1, 5), (7, 8, 1)),
         "G": ((3, 4, 2), (4, 3, 2))}

# %% [markdown] task="2.1.2a" kind="answer" minutes=6 difficulty=2 core=true needs="broadcasting"
# ### Predict the shape
#
# Wrong shapes are the most frequent mistake in deep learning, and whoever predicts shapes finds them before they happen.
#
# The cell above lists seven pairs of shapes. Predict, with pencil and paper, the shape of the sum of two tensors of these
# shapes, or `None` where the sum raises an error. Only then try it with tensors of zeros. Set `predicted` to a dictionary:
# `predicted = {"A": (4, 3, 2), "B": ..., ...}`. A is solved: (4, 3, 2) and (3, 1) align as (4, 3, 2) and (1, 3, 1).
#
# **You are done when**
# - **seven entries**: `predicted` has a tuple or `None` for each of the letters A to G;
# - **None**: it stands at the pairs that cannot be added, and only there;
# - **shapes**: the shapes of the other sums are right.

# %% exercise="2.1.2a"
### BEGIN SOLUTION
predicted = {"A": (4, 3, 2), "B": (2, 3, 4), "C": None, "D": (5, 1, 6), "E": None, "F": (7, 8, 5), "G": None}
### END SOLUTION

# %% [markdown] hints="2.1.2a"
# 1. Which lengths meet when you write the two shapes below each other, aligned at the right?
# 2. A missing length counts as 1. Two lengths fit if they are equal or one of them is 1; the other one is the result.
# 3. (8, 1, 6) and (7, 6) align as (8, 1, 6) and (1, 7, 6), which gives (8, 7, 6). (8, 7) and (8,) do not fit: 7 meets
#    8.

# %% check="2.1.2a" points=2
def meeting(first, second):
    """The pairs of lengths that meet on each axis, aligned at the right."""
    axes = max(len(first), len(second))
    return list(zip((1,) * (axes - len(first)) + first, (1,) * (axes - len(second)) + second))

def sum_shape(first, second):
    try:
        return list((torch.zeros(first) + torch.zeros(second)).shape)
    except RuntimeError:
        return None

def predictions_given():
    assert_type(predicted, dict, "`predicted`", of="seven entries")
    assert_equal(sorted(predicted), list("ABCDEFG"), "the letters in `predicted`", of="seven entries")
    for letter, shape in predicted.items():
        assert_true(shape is None or isinstance(shape, (tuple, list)), f"under {letter!r} stands a tuple or None", of="seven entries",
                    hint="Write `None` without quotes." if isinstance(shape, str) else "A shape is a tuple of lengths; with one axis it has a comma, `(6,)`.")

def none_where_it_must():
    for letter, shapes in pairs.items():
        assert_true((predicted[letter] is None) == (sum_shape(*shapes) is None),
                    f"at pair {letter}, None stands if the shapes do not fit, and a shape if they do", of="None",
                    hint=lambda: "None stands at D here, and a shape at E: so it is where the shapes are aligned at the left. "
                    "They are aligned at the right." if letter == "D" and predicted["D"] is None is not predicted["E"] else
                    "This None is wrong: an axis that is missing, or of length 1, is repeated." if predicted[letter] is None
                    else "These two do not fit: aligned at the right, {} meets {}. They differ, and neither is 1.".format(
                        *next((pair for pair in meeting(*shapes) if len({1, *pair}) == 3), (0, 0))))

def shapes_of_sums():
    for letter, shapes in pairs.items():
        if sum_shape(*shapes) is not None:
            guess, wanted = predicted[letter], sum_shape(*shapes)
            slip = "No axis is lost, and none is added."
            if guess is None:
                slip = "This None is wrong: the two can be added."
            elif len(guess) != len(wanted):
                slip = "The sum has as many axes as the longer of the two shapes: axes of length 1 count, too."
            elif len(shapes[1]) < len(shapes[0]) and guess[0] == shapes[1][0] != wanted[0]:
                slip = f"{guess[0]} stands on axis 0, as if the two were aligned at the left: they are aligned at the right."
            elif any(one == 1 != other for one, other in zip(guess, wanted)) and sorted(guess) != sorted(wanted):
                slip = "An axis has kept its length 1, though the other shape is longer there: it is repeated."
            elif list(guess) != wanted:
                axis = next(axis for axis, one in enumerate(guess) if one != wanted[axis])
                m, n = meeting(*shapes)[axis]
                slip = ("These are the right lengths, at other places. " if sorted(guess) == sorted(wanted) else "") + (
                    f"Aligned at the right, {m} meets {n} on axis {axis}" + (": they are equal, and stay." if m == n else
                                                                           ": the length that is not 1 stays."))
            assert_true(guess is not None and list(guess) == wanted,
                        f"the shape of pair {letter}, {shapes[0]} and {shapes[1]}, is right", of="shapes", hint=slip)

predictions_given()
with part(0.5, "the pairs that cannot be added", of="None"):
    none_where_it_must()
with part(0.5, "the shapes of the sums", of="shapes"):
    shapes_of_sums()
### BEGIN HIDDEN TESTS
predictions_given()
with part(0.5, "the pairs that cannot be added, at grading", of="None"):
    none_where_it_must()
with part(0.5, "the shapes of the sums, at grading", of="shapes"):
    shapes_of_sums()
### END HIDDEN TESTS
total()

# %% [markdown] task="2.1.2c" kind="code" minutes=10 difficulty=3 core=true needs="broadcasting, new axis"
# ### A number for each channel
#
# Pictures come in batches of shape `(n, c, h, w)`: n pictures, c colour channels, h rows, w columns. Before training, each
# channel is *standardised*: its mean is subtracted, then it is divided by its standard deviation.
#
# Write `standardise(images, mean, std)`. `mean` and `std` have shape `(c,)`, one floating-point number for each channel.
#
# **You are done when**
# - **shape**: the result has the shape of `images`;
# - **values**: each entry is the old one, minus the mean of its channel, divided by the standard deviation of its channel,
#   however small that is, with the digits of `float64` where all three are of that dtype;
# - **whole numbers**: the same holds for `images` of dtype `uint8`, and the result then has a fraction where there is one;
# - **arguments kept**: `images`, `mean` and `std` are as they were.

# %% exercise="2.1.2c"
def standardise(images, mean, std):
    """(images - mean) / std for each channel; shapes (n, c, h, w), (c,), (c,) -> (n, c, h, w)."""
    ### BEGIN SOLUTION
    return (images - mean[:, None, None]) / std[:, None, None]
    ### END SOLUTION

# %% [markdown] hints="2.1.2c"
# 1. Which axis of `images` does `(c,)` meet when the shapes are aligned at the right, and which one should it meet?
# 2. `mean[:, None, None]` and `mean.reshape(-1, 1, 1)` put axes of length 1 behind the axis that is there.
# 3. For a table of shape (5, 2) and one factor for each of the 5 rows: `table * factors[:, None]`, shapes (5, 2) and (5, 1).

# %% check="2.1.2c" points=2
import math

def step_in_channel(given, answer, mean, std, k):
    """What was subtracted from the entries of channel k, and what the difference was divided by, from the result."""
    x, y = given[:, k].double().flatten(), answer[:, k].double().flatten()
    low, high = x.argmin(), x.argmax()
    rise = ((y[high] - y[low]) / (x[high] - x[low])).item()
    task = f"from each entry mean[{k}] is to be subtracted, and the difference divided by std[{k}]."
    if not math.isfinite(rise) or rise == 0:
        return f"Channel {k} is the first that differs: {task}"
    if not torch.allclose(y, y[low] + rise * (x - x[low]), rtol=1e-3, atol=1e-3 * y.abs().max().item()):
        return (f"Channel {k} is the first that differs, and there equal steps of the entries do not make equal steps of the "
                f"result: {task}")
    subtracted, divided = x[low].item() - y[low].item() / rise, 1 / rise
    off = [abs(subtracted - mean[k].item()) > 1e-3 * std[k].item(), abs(divided / std[k].item() - 1) > 1e-3]
    right = "" if off[0] == off[1] else f" What is {'divided by' if off[0] else 'subtracted'} is right."
    return (f"Channel {k} is the first that differs: there yours is (entry - {subtracted:.4g}) / {divided:.4g}, "
            f"and it is to be (entry - mean[{k}]) / std[{k}].{right}")

@probe
def standardised_and_given(given, mean, std):
    return standardise(given, mean, std), given, mean, std

def in_channels(given, mean, std, what, of="values", hint=""):
    wanted = torch.stack([(given[:, k].double() - mean[k].item()) / std[k].item() for k in range(len(mean))], dim=1).to(mean.dtype)
    answer, *after = standardised_and_given(given.clone(), mean.clone(), std.clone())
    rows_met = given.shape[2] == 1 and tuple(getattr(answer, "shape", ())) == (*given.shape[:2], len(mean), given.shape[3])
    assert_shape(answer, tuple(given.shape), f"the shape for {what}", of="shape",
                 hint="The means meet the rows here: they are to meet axis 1, which has two axes behind it." if rows_met else
                 "The channels stand last here: they are to be axis 1, as in `images`." if tuple(getattr(answer, "shape", ())) ==
                 (given.shape[0], *given.shape[2:], len(mean)) else
                 "An axis is lost: it has to have four, as `images` has." if len(getattr(answer, "shape", (1,) * 4)) < 4 else "")
    assert_type(answer, torch.Tensor, f"what is returned for {what}", of="shape")
    wrong = [k for k in range(len(mean))
             if not torch.allclose(answer[:, k].double(), wanted[:, k].double(), rtol=1e-4, atol=1e-5)]
    if not answer.is_floating_point():
        hint = "The result has fractions: its dtype is not that of the images."
    elif wrong:
        hint = f"{step_in_channel(given, answer, mean, std, wrong[0])} {hint}".strip()
    if given.dtype == mean.dtype == torch.float64:
        assert_dtype(answer, torch.float64, f"the dtype for {what}", of=of,
                     hint="All three are `float64`, and the result is to have its digits. (`float()` makes `float32` of them, "
                          "and so does writing into a table that `torch.zeros` makes.)")
    without = torch.stack([given[:, k] - mean[k] for k in range(len(mean))], dim=1)
    unbracketed = torch.stack([given[:, k] - mean[k] / std[k] for k in range(len(mean))], dim=1)
    by_themselves = torch.stack([(one - one.mean()) / one.std() for one in given.to(mean.dtype).unbind(dim=1)], dim=1)
    own_mean, own_std = (torch.stack([what_of(one) for one in given.to(mean.dtype).unbind(dim=1)])[:, None, None]
                         for what_of in (torch.mean, torch.std))
    first_only = torch.cat([wanted[:1], given[1:].to(mean.dtype)])
    other_axis = {}
    if given.shape[3] == len(mean):
        other_axis["The means meet the columns, the last axis: they are to meet axis 1."] = (given - mean) / std
    if given.shape[2] == len(mean):
        other_axis["The means meet the rows: they are to meet axis 1."] = (given - mean[:, None]) / std[:, None]
    if given.permute(0, 2, 3, 1).shape == given.shape:
        other_axis["The channels stand last here: they are to be axis 1, as in `images`."] = (
            given.permute(0, 2, 3, 1) - mean) / std
    if given.shape[0] == len(mean):
        other_axis["The means meet the pictures, axis 0: they are to meet axis 1."] = (
            given - mean[:, None, None, None]) / std[:, None, None, None]
    assert_close(answer, wanted, f"the values for {what}", of=of, hint=hint,
                 mistakes=None if std.min() < 1e-6 else
                          {"The division by the standard deviation is missing.": without,
                           "The mean is not subtracted.": given / std[:, None, None],
                           **other_axis,
                           "The mean is added: subtract it.": wanted + 2 * (mean / std)[:, None, None],
                           "This is divided by the root of the standard deviation.": wanted * std[:, None, None].sqrt(),
                           **({"Only picture 0 has been standardised, the others are as they were.": first_only}
                              if len(given) > 1 else {}),
                           "Only the mean was divided: put the difference in parentheses.": unbracketed,
                           "These are the means and deviations of the images themselves: take those that are given.": by_themselves,
                           "The mean of each channel of the images is subtracted: take the means that are given.":
                           (given - own_mean) / std[:, None, None],
                           "This is divided by the deviation of each channel of the images: take those that are given.":
                           (given - mean[:, None, None]) / own_std,
                           **({"Only channel 0 has been standardised, the others are as they were.":
                               torch.cat([wanted[:, :1], given[:, 1:].to(mean.dtype)], dim=1)} if len(mean) > 1 else {}),
                           "This is divided by the square of the standard deviation.": wanted / std[:, None, None],
                           "One deviation divides all channels here: each has its own.": without / std.mean(),
                           "One mean is subtracted from all channels here: each has its own.":
                           (given - mean.mean()) / std[:, None, None],
                           "The mean is subtracted after the division: the difference is what is divided.":
                           given / std[:, None, None] - mean[:, None, None],
                           "All channels have one mean and one deviation here: each has its own.":
                           ((given - mean.mean()) / std.mean()).to(mean.dtype),
                           "These are mean and deviation of all images together: take those that are given.":
                           ((given.double() - given.double().mean()) / given.double().std()).to(mean.dtype),
                           **({"The means or their difference went through the dtype of the images, where a difference below 0 starts again at 256.":
                               ((given - mean[:, None, None].to(given.dtype)) / std[:, None, None]),
                               "The images were divided by 255 first: mean and std are those of the images as they are.":
                               (given / 255 - mean[:, None, None]) / std[:, None, None]}
                              if not given.is_floating_point() else {}),
                           "This is multiplied by the standard deviation.": wanted * std[:, None, None] ** 2})
    for value, before, name in zip(after, (given, mean, std), ("images", "mean", "std")):
        assert_close(value, before, f"{name} after the call, for {what}", of="arguments kept",
                     hint="`-=`, `/=` and an assignment to a part write into what was given: calculate with new tensors, or "
                          "with a clone.")

in_channels(torch.arange(16.).reshape(2, 2, 2, 2), torch.tensor([3., -1.]), torch.tensor([2., 5.]),
            "0 to 15 in shape (2, 2, 2, 2), means 3, -1, deviations 2, 5")
in_channels(torch.arange(12.).reshape(2, 3, 1, 2), torch.tensor([0., 2., 4.]), torch.tensor([1., 2., 4.]),
            "0 to 11 in shape (2, 3, 1, 2), means 0, 2, 4, deviations 1, 2, 4")
no_guard = "Is something added to the deviation? It shows where the deviation is small."
in_channels(torch.arange(12.).reshape(2, 2, 3, 1) * 2 ** -40, torch.tensor([2., 5.]) * 2 ** -40,
            torch.tensor([1., 4.]) * 2 ** -40,
            "0 to 11 in shape (2, 2, 3, 1), means 2, 5, deviations 1, 4, each number divided by 2 ** 40", hint=no_guard)
digits = "Is `float64` kept? `float32` has too few digits to tell these entries apart."
in_channels(1 + torch.arange(12).reshape(1, 2, 2, 3).double() * 2 ** -30, 1 + torch.tensor([2., 5.]).double() * 2 ** -30,
            torch.tensor([1., 4.]).double() * 2 ** -30,
            "float64 images 1 + k / 2 ** 30, k = 0 to 11 in shape (1, 2, 2, 3), means 1 + 2 / 2 ** 30, 1 + 5 / 2 ** 30, "
            "deviations 1 / 2 ** 30, 4 / 2 ** 30", hint=digits)
in_channels(torch.arange(240, 252).reshape(1, 2, 2, 3).to(torch.uint8), torch.tensor([250., 90.5]), torch.tensor([60., 32.]),
            "uint8 images, 240 to 251 in shape (1, 2, 2, 3), means 250, 90.5, deviations 60, 32", "whole numbers")
### BEGIN HIDDEN TESTS
channel_rng = torch.Generator().manual_seed(13)
in_channels(torch.randn(2, 4, 4, 4, generator=channel_rng, dtype=torch.float64), torch.randn(4, generator=channel_rng, dtype=torch.float64),
            torch.rand(4, generator=channel_rng, dtype=torch.float64) + 0.5, "float64 images of shape (2, 4, 4, 4)")
in_channels(torch.arange(30).reshape(3, 2, 1, 5).double() * 2 ** -34 - 3, torch.tensor([7., 1.]).double() * 2 ** -34 - 3,
            torch.tensor([2., 0.5]).double() * 2 ** -34, "float64 images close to -3, of shape (3, 2, 1, 5)", hint=digits)
in_channels(torch.randn(1, 3, 2, 2, generator=channel_rng) * 1e-10, torch.zeros(3), torch.full((3,), 1e-10),
            "tiny entries of shape (1, 3, 2, 2)",
            hint=no_guard)
in_channels(torch.randn(3, 2, 5, 4, generator=channel_rng), torch.randn(2, generator=channel_rng),
            torch.rand(2, generator=channel_rng) + 0.5, "images of shape (3, 2, 5, 4)")
in_channels(torch.randint(0, 256, (3, 2, 5, 4), generator=channel_rng).to(torch.uint8), torch.tensor([120., 90.5]),
            torch.tensor([60., 33.]), "uint8 images of shape (3, 2, 5, 4)", "whole numbers")
### END HIDDEN TESTS

# %% [markdown] task="2.1.2b" kind="code" minutes=12 difficulty=3 needs="broadcasting, shape"
# ### The rule as a program
#
# Write `broadcast_shape(s, t)`: for two shapes, given as tuples of whole numbers ≥ 0 of any lengths, it returns the shape
# of the sum of two tensors of these shapes as a tuple, or `None`. An axis may have length 0, as in a batch without
# examples: 0 and 1 give 0, for 1 is what is repeated, here no times.
#
# **You are done when**
# - **lengths**: where two lengths meet, they are equal and stay, or one is 1 and the other one stays;
# - **missing axes**: shapes with different numbers of axes are aligned at the right, whichever is longer; `()` and `()`
#   give `()`;
# - **no fit**: the answer is `None` where they cannot be added, and only there;
# - **length 0**: 0 meets 0 or 1, and stays; it does not fit with any other length.

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
# 2. `(1,) * 2 + (5,)` is `(1, 1, 5)`. Of two lengths that fit, the one that is not 1 remains. It need not be the larger
#    one.
# 3. On one axis: 4 and 1 give 4, 1 and 1 give 1, 0 and 1 give 0, 4 and 2 do not fit, and neither do 4 and 0.

# %% check="2.1.2b" points=2
def shape_of_a_sum(first, second, of):
    try:
        wanted = tuple((torch.zeros(first) + torch.zeros(second)).shape)
    except RuntimeError:
        wanted = None
    if wanted is None:
        error = ""
        try:
            broadcast_shape(first, second)
        except Exception as raised:
            error = str(raised)
        assert_true(not error, f"broadcast_shape({first}, {second}) ends without an error", of=of,
                    hint=f"An error is raised. Where two shapes do not fit, None is returned. (The error: {error})")
    answer = broadcast_shape(first, second)
    if wanted is None:
        short = min(len(first), len(second))
        m, n = next((m, n) for m, n in zip(first[len(first) - short:], second[len(second) - short:])
                    if m != n and 1 not in (m, n))
        assert_true(answer is None, f"broadcast_shape({first}, {second}) is None", of=of,
                    hint="A string came: write None without quotes." if isinstance(answer, str) else
                    f"These two do not fit: {m} meets {n}. They differ, and neither is 1.")
    else:
        assert_true(answer is not None, f"broadcast_shape({first}, {second}) is a shape, not None", of=of,
                    hint="These two can be added: " + (
                        ("where 0 meets 1, the 1 is repeated no times, and 0 stays." if 0 in wanted else
                         "an axis of length 1 is repeated, in whichever shape it stands.") if len(first) == len(second) else
                        f"they are aligned at the right, and the shorter, {min(first, second, key=len)}, is filled up with 1 at the left.")
                    if first or second else "The sum of two numbers without axes is again a number without axes: `()`.")
        assert_type(answer, (tuple, list), f"the type of broadcast_shape({first}, {second})", of=of)
        slips = {}
        if list(wanted) != list(wanted)[::-1]:
            slips["The lengths are in reverse order."] = list(wanted)[::-1]
        if len(first) != len(second):
            slips["The axes that only one of the two has are missing."] = list(wanted)[-min(len(first), len(second)):] if first and second else []
        if 0 in wanted:
            slips["1 is what is repeated, 0 times here: it is not the larger length that stays."] = [max(m, n) for m, n in zip(first, second)]
        kept = len(answer) == len(wanted) and any(one == 1 != other for one, other in zip(answer, wanted))
        assert_equal(list(answer), list(wanted), f"broadcast_shape({first}, {second}), as a list", of=of,
                     hint="An axis has kept its length 1: where 1 meets another length, the other one stays." if kept else
                     "The sum has as many axes as the longer of the two shapes." if len(answer) != len(wanted) else
                     "Where equal lengths meet they stay; where 1 meets another length, that one stays.",
                     mistakes={said: shape for said, shape in slips.items() if shape != list(wanted)})

def shapes_of_sums_for(cases):
    for of, pairs_of_shapes in cases.items():
        for first, second in pairs_of_shapes:
            shape_of_a_sum(first, second, of)

assert_type(broadcast_shape((2, 3), (2, 3)), (tuple, list), "what broadcast_shape((2, 3), (2, 3)) returns", of="lengths")
shapes_of_sums_for({"lengths": [((2, 3), (2, 3)), ((1, 3), (2, 3)), ((2, 1), (1, 3)), ((1, 5), (4, 1)), ((1,), (1,))],
                    "missing axes": [((4, 3, 2), (3, 1)), ((3,), (2, 4, 3)), ((), (2, 3)), ((), ())],
                    "no fit": [((6, 3), (2, 3)), ((2, 3), (2,)), ((3, 4, 2), (4, 3, 2))],
                    "length 0": [((2, 0, 3), (1, 1, 3)), ((1,), (0,)), ((0,), (0,)), ((2, 3), (0, 3))]})
### BEGIN HIDDEN TESTS
shapes_of_sums_for({"lengths": [((7, 6, 5), (7, 6, 5)), ((5, 1, 2, 1), (5, 4, 1, 3))],
                    "missing axes": [((1, 8), (9, 1, 1)), ((5, 1, 2, 1), (4, 1, 3)), ((1, 1), (1,)), ((2, 6, 5), ()), ((), ())],
                    "no fit": [((4,), (2,)), ((2, 5, 4), (3, 1, 4)), ((3, 2, 4), (3, 2)), ((8,), (5, 4))],
                    "length 0": [((0,), (3, 1)), ((4, 1), (0,)), ((5, 0), (5, 2)), ((1, 0, 2), (6, 0, 1))]})
### END HIDDEN TESTS

# %% [markdown] teaches="comparison, boolean mask"
# ## Questions to every entry
#
# When was it warmer than 7 degrees? A comparison asks every entry, and answers each with `True` or `False`:

# %% teaches="comparison, boolean mask"
warm = degrees > 7
print(warm)
print(warm.dtype, '| how many:', warm.sum(), '| any:', warm.any(), '| all:', warm.all())

# %% [markdown] teaches="comparison, boolean mask"
# Such a tensor of dtype `bool` is a *boolean mask*. As a number `True` counts 1, so that `sum()` counts how often the answer
# is yes. A mask has two more uses. As an index it picks the entries where it is `True`, in a row; and left of `=` it says
# which ones are overwritten:

# %% teaches="comparison, boolean mask"
print(degrees[warm])
capped = degrees.clone()
capped[capped > 7] = 7
print(capped)
print(torch.where(degrees > 7, 1, -1))

# %% [markdown] teaches="comparison, boolean mask"
# The picked entries have shape `(4,)`: a table with holes would be none, so the axes are gone. `torch.where(mask, a, b)` in
# the last line keeps the shape, and takes from `a` where the mask is `True` and from `b` elsewhere.

# %% [markdown] task="2.1.E" kind="code" minutes=3 difficulty=1 core=true needs="boolean mask, copy of a tensor"
# ### Not below
#
# Write `cut_below(X, low)`. It returns a tensor like `X` in which every entry less than the number `low` has become
# `low`. The entries are floating-point numbers, infinite ones too, but no `nan`, which stands for no number.
#
# **You are done when**
# - **values**: no entry is less than `low`, and those that were not are unchanged, in the shape and the dtype of `X`;
# - **X kept**: `X` itself is as it was.

# %% exercise="2.1.E"
def cut_below(X, low):
    """A tensor like X, with low in place of what is less."""
    ### BEGIN SOLUTION
    result = X.clone()
    result[result < low] = low
    return result
    ### END SOLUTION

# %% [markdown] hints="2.1.E"
# 1. Which mask says where something has to be done?
# 2. Write into a clone. The cell above cuts off above.
# 3. Another case: to turn all negative entries of a copy round, `Y = X.clone()` and `Y[Y < 0] = -Y[Y < 0]`.

# %% check="2.1.E" points=1
@probe
def cut_and_given(X, low):
    return cut_below(X, low), X

def not_below(given, low, what):
    wanted = torch.tensor([max(number, low) for number in given.reshape(-1).tolist()], dtype=given.dtype).reshape(given.shape)
    said = ""
    try:
        cut_and_given(given.clone(), low)
    except Exception as error:
        said = str(error)
    assert_true(not said or given.ndim == 1, f"X with {given.ndim} axes is taken, for {what}, low = {low}", of="values",
                hint="With one axis your answer gave the right result, and here it raises an error: X may have any shape. "
                     f"(The error: {said})")
    answer, after = cut_and_given(given.clone(), low)
    picked, got = given[given >= low], tuple(getattr(answer, "shape", (0,)))
    assert_shape(answer, tuple(given.shape), f"the shape for {what}, low = {low}", of="values",
                 hint="A mask as an index leaves entries out: write `low` there." if got == tuple(picked.shape) else
                 "The result has the shape of X." if hasattr(answer, "shape") else "")
    assert_type(answer, torch.Tensor, f"what is returned for {what}", of="values")
    assert_dtype(answer, given.dtype, f"the dtype for {what}, low = {low}", of="values",
                 hint="In another dtype the entries are not unchanged." if given.dtype == torch.float64 else "")
    slip = ""
    if answer.isnan().any():
        slip = "inf times 0 is nan, and so is inf - inf: overwrite, do not calculate with the entries."
    elif not torch.equal(answer[given >= low], picked):
        slip = "Entries that are not less than `low` have changed: they stay as they are, with all their digits."
    elif not torch.equal(answer[given < low], wanted[given < low]):
        spot = next((one, other) for one, other in zip(given.flatten().tolist(), answer.flatten().tolist())
                    if one < low and other != low)
        slip = "Entries less than `low` have not become `low`: {:g} is less, and {}.".format(
            spot[0], "still stands there" if spot[0] == spot[1] else f"has become {spot[1]:g}")
    assert_close(answer, wanted, f"the result for {what}, low = {low}", rtol=0, atol=0, of="values", hint=slip,
                 mistakes={"All entries have become `low`: only those that are less do.": torch.full_like(given, low),
                           "This cuts off above.": given.clamp(max=low),
                           "What is less becomes `low`, not 0.": torch.where(given < low, torch.zeros_like(given), given),
                           "What is less becomes `low`; here `low` is added to it.": torch.where(given < low, given + low, given),
                           "The signs are lost: a negative number is less than a positive one.": given.abs().clamp(min=low),
                           "What is not less than `low` stays as it is; nothing is added to it.": given.relu() + low,
                           **({"The sizes were compared: a negative number is less than `low`, which is positive, however large its size.":
                               torch.where(given.abs() < low, low, given)} if low > 0 and (given <= -low).any() else {}),
                           **({"`low` has lost digits: it went through `float32`, as in `torch.tensor(low)`.":
                               torch.where(given < low, torch.tensor(low, dtype=torch.float32).double(), given)}
                              if given.dtype == torch.float64 and torch.tensor(low, dtype=torch.float32).item() != low else {})})
    assert_close(after, given, f"X after the call, for {what}, low = {low}", of="X kept", hint="Write into a clone.")

not_below(torch.tensor([3., -1., 0.5, 2.]), 1., "(3, -1, 0.5, 2)")
not_below(torch.tensor([[-4., -2.], [-3., 0.]]), -2.5, "((-4, -2), (-3, 0))")
not_below(torch.tensor([0.001, -2e6, 5.25]), -1e6, "(0.001, -2000000, 5.25)")
not_below(torch.tensor([2., -torch.inf, torch.inf]), 3., "(2, -inf, inf)")
not_below(torch.tensor([0.1, 1 / 3, 0.7, -0.2], dtype=torch.float64), 0.3, "the float64 entries (0.1, 1/3, 0.7, -0.2)")
### BEGIN HIDDEN TESTS
not_below(torch.randn(2, 7, generator=torch.Generator().manual_seed(10), dtype=torch.float64), -0.7,
          "float64 entries of shape (2, 7)")
not_below(torch.randn(3, 4, 2, generator=torch.Generator().manual_seed(9)), 0., "random entries of shape (3, 4, 2)")
not_below(torch.tensor([9., -torch.inf, 7.5, torch.inf]).double(), 8., "(9, -inf, 7.5, inf)")
not_below(torch.tensor([[0.125], [-3e7], [-7.75]]), -2e7, "(0.125, -30000000, -7.75) in a column")
### END HIDDEN TESTS

# %% [markdown] teaches="equality of floats, nan"
# Two things about "equal". First, `==` asks whether two entries are the very same number. Numbers with a fraction are
# rounded after every step, so what should be equal on paper may not be. `torch.isclose` and `torch.allclose` ask whether
# they are equal up to a small tolerance, entry by entry and as a whole; `torch.equal` asks whether all is the same, and
# the shape too.
#
# Second, `nan`, "not a number", marks a result that does not exist, such as 0/0 or ∞ - ∞. It is neither less nor greater than
# anything, and it does not even equal itself. `torch.isnan` finds it. Infinity, `torch.inf`, is an ordinary entry in
# comparisons.

# %% teaches="equality of floats, nan"
tenths = torch.tensor([0.1, 0.5], dtype=torch.float64) + 0.2
print(tenths == torch.tensor([0.3, 0.7], dtype=torch.float64), torch.isclose(tenths, torch.tensor([0.3, 0.7], dtype=torch.float64)))
odd = torch.tensor([torch.nan, torch.inf])
print(odd == odd, odd - odd, torch.isnan(odd))

# %% [markdown] task="2.1.1a" kind="code" minutes=6 difficulty=2 core=true needs="comparison, boolean mask, broadcasting, nan, equality of floats"
# ### Less, equal, greater
#
# Write `compare(X, Y)`. It returns a tuple of three masks `(less, equal, greater)`: where the entry of `X` is less than, equal
# to, greater than the entry of `Y`.
#
# **You are done when**
# - **three masks**: they come in this order, in a tuple or list, with dtype `bool`;
# - **values**: the answer is right for each pair; equal means the very same number, and ∞ equals ∞. That holds for
#   `uint8`, too;
# - **broadcasting**: the shapes of `X` and `Y` may differ, as long as they fit;
# - **nan**: where an entry is `nan`, all three masks are `False`.

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

# %% check="2.1.1a" points=2
def compared(first, second, shape, wanted, what, of="values", hint="", slips=None):
    masks = compare(first.clone(), second.clone())
    assert_type(masks, (tuple, list), f"what compare returns for {what}", of="three masks",
                hint="This is one tensor. Three masks come back, each by itself: `return less, equal, greater`."
                if hasattr(masks, "shape") else "")
    assert_equal(len(masks), 3, f"the number of masks for {what}", of="three masks",
                 hint="They are `less`, `equal` and `greater`.")
    for name, mask in zip(("less", "equal", "greater"), masks):
        assert_type(mask, (torch.Tensor, np.ndarray), f"`{name}`, for {what}", of="three masks",
                    hint="This is one answer for all: every entry is to be asked." if isinstance(mask, bool) else "")
        got, picked = tuple(getattr(mask, "shape", ())), getattr(mask, "dtype", None) not in (torch.bool, np.dtype(bool))
        assert_shape(mask, shape, f"the shape of `{name}` for {what}", of="broadcasting" if of == "broadcasting"
                     else "three masks",
                     hint="It is the shape of `X + Y`: each is repeated where it is too short." if of == "broadcasting" else
                     "This is one answer for all: every entry is to be asked." if not got else
                     "These are entries that a mask picks: the mask itself was asked for." if picked and len(got) == 1 else
                     "Entries at equal places are compared where the shapes are equal: no axis is added."
                     if len(got) > len(shape) else "")
        assert_dtype(mask, torch.bool, f"the dtype of `{name}` for {what}", of="three masks",
                     hint="`<`, `==` and `>` give `bool`: leave it as it comes." if got == tuple(shape) else "")
    smaller, same, larger = torch.tensor(wanted)
    slips = slips or ({"This is *less or equal*.": smaller | same, "The order is less, equal, greater.": larger},
             {"This is *less or equal*.": smaller | same, "This is *greater or equal*.": larger | same},
             {"This is *greater or equal*.": larger | same, "The order is less, equal, greater.": smaller})
    if tuple(shape) == (4,):        # the first call: its three masks are all different
        slips[0]["This is where they are equal. The order is less, equal, greater."] = same
        slips[2]["This is where they are equal. The order is less, equal, greater."] = same
        slips[1].update({"This is *not equal*.": ~same,
                         "This is where the first is less. The order is less, equal, greater.": smaller,
                         "This is where the first is greater. The order is less, equal, greater.": larger})
    hint = hint or ("Each is repeated where it is too short: an entry of the mask is the answer for the two entries that meet "
                    "there."
                    if of == "broadcasting" else "")
    for name, mask, right, slip in zip(("less", "equal", "greater"), masks, wanted, slips):
        assert_equal(mask, right, f"`{name}`, for {what}", of=of, hint=hint, mistakes={said: table.tolist() for said, table in slip.items()})

no = [False, False]
compared(torch.tensor([1., 2., 5., -1.]), torch.tensor([3., 2., 4., -1.]), (4,),
         ([True, False, False, False], [False, True, False, True], [False, False, True, False]), "(1, 2, 5, -1) and (3, 2, 4, -1)")
compared(torch.tensor([1., 1.]), torch.tensor([1.000001, 0.999999]), (2,), ([True, False], no, [False, True]),
         "(1, 1) and (1.000001, 0.999999)", hint="Numbers that are nearly equal are not equal here.")
compared(torch.tensor([1, 200], dtype=torch.uint8), torch.tensor([2, 100], dtype=torch.uint8), (2,),
         ([True, False], no, [False, True]), "(1, 200) and (2, 100) in uint8", hint="In uint8, 1 - 2 is 255. Compare without a difference.")
compared(torch.tensor([torch.inf, -torch.inf]), torch.tensor([torch.inf, 0.]), (2,), ([False, True], [True, False], no),
         "(∞, -∞) and (∞, 0)", hint="∞ - ∞ is nan. Compare without a difference.")
compared(torch.tensor([[1], [2]]), torch.tensor([1, 2, 3]), (2, 3), ([[False, True, True], [False, False, True]],
         [[True, False, False], [False, True, False]], [[False, False, False], [True, False, False]]),
         "shapes (2, 1) and (3,)", "broadcasting")
compared(torch.tensor([2, 0]), torch.tensor([[1], [2]]), (2, 2), ([[False, True], [False, True]],
         [[False, False], [True, False]], [[True, False], [False, False]]), "shapes (2,) and (2, 1)", "broadcasting")
compared(torch.tensor([2 ** 53 + 1, 2 ** 24 + 1]), torch.tensor([2 ** 53, 2 ** 24]), (2,), (no, no, [True, True]),
         "(2 ** 53 + 1, 2 ** 24 + 1) and (2 ** 53, 2 ** 24)", slips=({}, {}, {}),
         hint="A float has no room for all digits of a large whole number. Compare as they are.")
compared(torch.tensor([torch.nan, 1.]), torch.tensor([torch.nan, torch.nan]), (2,), (no, no, no), "(nan, 1) and (nan, nan)", "nan",
         hint="nan is neither less nor greater than anything, and equals nothing: ask each of the three questions by itself.")
### BEGIN HIDDEN TESTS
def all_compared(first, second, what, of):
    P, Q = np.broadcast_arrays(first.numpy(), second.numpy())
    compared(first, second, P.shape, ((P < Q).tolist(), (P == Q).tolist(), (P > Q).tolist()), what, of)

compare_rng = torch.Generator().manual_seed(11)
all_compared(torch.randint(0, 256, (4, 5), generator=compare_rng).to(torch.uint8), torch.randint(0, 256, (4, 5), generator=compare_rng).to(torch.uint8),
             "uint8 of shape (4, 5)", "values")
all_compared(torch.tensor([1e-9, 5., -torch.inf]).double(), torch.tensor([2e-9, 5. + 1e-6, -torch.inf]).double(),
             "float64 numbers that are nearly equal, and ∞", "values")
all_compared(torch.randint(-3, 4, (3, 1, 4), generator=compare_rng), torch.randint(-3, 4, (5, 4), generator=compare_rng),
              "whole numbers of shapes (3, 1, 4) and (5, 4)", "broadcasting")
all_compared(torch.randint(-3, 4, (4,), generator=compare_rng), torch.randint(-3, 4, (3, 1), generator=compare_rng),
              "whole numbers of shapes (4,) and (3, 1)", "broadcasting")
all_compared(torch.tensor([[-2 ** 60], [2 ** 24]]), torch.tensor([[1 - 2 ** 60], [2 ** 24 + 1]]), "large whole numbers in a column", "values")
all_compared(torch.tensor([torch.nan, 1., torch.nan]), torch.tensor([0., torch.nan, torch.nan]), "entries with nan", "nan")
### END HIDDEN TESTS

# %% [markdown] teaches="combined masks"
# Mathematics writes -0.5 ≤ x < 0.5 in one piece. For numbers Python does too. For tensors it fails, and so does `and`: both
# ask whether the first mask *as a whole* is true, and a tensor of several entries has no answer to that. Run the cell and
# read the message; you will meet it again. `eval` runs a string as Python code.
#
# ⚠ A tensor with one entry does have an answer, so such code can pass a first try.

# %% tags=["demo"] teaches="combined masks"
signal = torch.sin(torch.arange(60) / 6)
for attempt in ("-0.5 <= signal < 0.5", "signal >= -0.5 and signal < 0.5", "-0.5 <= signal[:1] < 0.5"):
    try:
        print(f"{attempt:32} gives", eval(attempt))
    except RuntimeError as error:
        print(f"{attempt:32} raises", error)

# %% [markdown] teaches="combined masks"
# What works are two masks, and a sign between them: `&` is *and*, `|` is *or*, and `~` before a mask is *not*. These signs
# bind tighter than `<`, so each comparison needs parentheses of its own.

# %% tags=["demo"] teaches="combined masks"
outside = (signal > 0.8) | (signal < -0.8)
figure, ax = plt.subplots(figsize=(7, 2.4), layout="constrained")
ax.plot(signal.numpy(), ".-", color="gray", label="signal")
ax.plot(outside.nonzero().reshape(-1).numpy(), signal[outside].numpy(), "o", color="C1", label="picked by the mask")
ax.set(title="(signal > 0.8) | (signal < -0.8)", xlabel="position", ylabel="value")
figure.legend(loc="outside right upper")
plt.show()

# %% [markdown] teaches="combined masks"
# The mask picks the entries at the crests and in the troughs, and none in between. (`nonzero` gives the positions where a mask
# is `True`.)
#
# ⚠ A whole number is brought into the dtype of the tensor before it is compared. `uint8` has no room for 256 and begins
# again at 0, so the first line asks whether 250 and 1 are less than 0. Convert first:

# %% teaches="combined masks"
print(bright < 256)
print(bright.long() < 256)

# %% [markdown] task="2.1.1b" kind="code" minutes=8 difficulty=2 core=true needs="combined masks, nan"
# ### Entries within an interval
#
# To leave out measurements outside a trusted range you need one mask from two comparisons.
#
# Write `inside(X, low, high)`: a mask that is `True` where `low` ≤ entry < `high`. `low` and `high` are numbers; where `low` is
# not below `high`, no entry is inside. `X` is a tensor of any shape, of whole numbers (`int64`) or of floating point.
#
# **You are done when**
# - **mask**: the result has the shape of `X` and dtype `bool`;
# - **lower bound**: an entry that equals `low` counts as inside, one below it does not, were it by a fraction;
# - **upper bound**: an entry that equals `high` does not count as inside, one below it does, were it by a fraction;
# - **fractions**: the bounds may have a fraction where `X` has whole numbers;
# - **all digits**: large whole numbers are compared to the last digit, where the bounds are whole, too;
# - **nan**: it is inside no interval.

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

# %% check="2.1.1b" points=2
def error_for(given, low, high):
    try:
        inside(given.clone(), low, high)
    except Exception as error:
        return str(error)
    return ""

def within(given, low, high, what, of, mistakes=None, hint="", both_out=None):
    wanted = torch.tensor([low <= number < high for number in given.reshape(-1).tolist()]).reshape(given.shape)
    what = f"{what}, low = {low}, high = {high}"
    said = error_for(given, low, high)
    assert_true("Boolean value of Tensor" not in said, f"each entry is asked by itself for {what}", of="mask",
                hint="A mask of several entries is asked here whether it is true as a whole: by `and` or `or`, "
                f"by a chain `a <= X < b`, or by `if`. (The error: {said})")
    assert_true("bitwise_" not in said and "for &" not in said, f"two comparisons are made, and then joined, for {what}",
                of="mask", hint=f"`&` binds tighter than `>=` and `<`: each comparison needs parentheses of its own. (The error: {said})")
    answer = inside(given.clone(), low, high)
    some = wanted.any() and not wanted.all() and tuple(getattr(answer, "shape", ())) == (wanted.sum().item(),)
    assert_shape(answer, tuple(given.shape), f"the shape of the mask for {what}", of="mask",
                 hint="As many entries as are inside: the mask was asked for, not what it picks." if some else
                 "All answers stand in one row: the mask has the shape of X."
                 if getattr(answer, "shape", ()) == (given.numel(),) else "")
    assert_dtype(answer, torch.bool, f"the dtype of the mask for {what}", of="mask",
                 hint="Comparisons give `bool`, and `&`, `|`, `~` keep it; numbers come of sums of masks and of conversions.")
    if both_out is not None:
        all_in = inside(both_out, low, high).tolist() == [True, True]
        mistakes["Every entry counts as inside: each is at least `low` *or* less than `high`. Both have to hold." if all_in else
                 "The lower bound is not asked for."] = [True, True]
    places = (("a nan", lambda x: x != x), ("an entry below `low`", lambda x: x < low),
              ("an entry that equals `low`", lambda x: x == low < high),
              ("an entry between `low` and `high`", lambda x: low < x < high),
              ("an entry that equals `high`", lambda x: x == high), ("an entry above `high`", lambda x: x > high))
    triples = zip(given.flatten().tolist(), answer.flatten().tolist(), wanted.flatten().tolist())
    off = next(((x, yours) for x, yours, right in triples
                if yours != right), None)
    if off is not None:
        name = next(name for name, holds in places if holds(off[0]))
        shown = f" ({off[0]:g})" if 1e-3 < abs(off[0]) < 1e3 else ""
        hint = f"{name[:1].upper()}{name[1:]}{shown} counts as {'inside' if off[1] else 'outside'}. {hint}".strip()
    assert_equal(answer, wanted.tolist(), f"the mask for {what}", of=of, mistakes=mistakes, hint=hint)

def in_float32():
    """Whether small steps are seen, and those of large numbers that float32 has no room for are not."""
    steps = inside(torch.tensor([2 - 1e-6]).double(), 0, 2), inside(torch.tensor([2. ** 30 - 1]).double(), 0, 2. ** 30)
    return [bool(seen) for seen in steps] == [True, False]

within(torch.tensor([-1., 0.5]), 0, 2, "(-1, 0.5)", "lower bound",
       {"It is turned round: `True` stands at the entry that is outside, `False` at the one inside.": [True, False]},
       both_out=torch.tensor([-1., 3.]))
within(torch.tensor([-1., -0.5, 0., 0.5]), 0, 2, "(-1, -0.5, 0, 0.5)", "lower bound",
       {"The lower bound itself is inside.": [False, False, False, True], "The entries were rounded first; they count as they are.": [False, True, True, True]})
within(torch.tensor([1e-9, -1e-9]).double(), 0, 2, "a billionth and minus a billionth, in float64", "lower bound",
       hint="A billionth below `low` is below: compare without a tolerance.")
within(torch.tensor([0.5, 1.5, 2., 2.5]), 0, 2, "(0.5, 1.5, 2, 2.5)", "upper bound",
       {"The upper bound is not asked for.": [True] * 4, "The upper bound itself is not inside.": [True, True, True, False],
        "1.5 is less than 2, and inside: the last number below `high` is not `high` - 1.": [True, False, False, False]})
within(2 + torch.tensor([1e-9, -1e-9]).double(), 0, 2, "2 plus and minus a billionth, in float64", "upper bound",
       {"2 minus a billionth was taken for 2: `float32` has no room for its digits." if in_float32() else
        "2 minus a billionth was taken for 2: it is less, by however little.": [False, False]},
       hint="A billionth below `high` is below, and a billionth above is above: compare without a tolerance.")
within(torch.tensor([-3, 0, 1, 2, 3]), 0.5, 2.5, "the whole numbers -3, 0, 1, 2, 3", "fractions",
       {"The bounds have lost their fractions, and were 0 and 2.": [False, True, True, False, False]})
within(torch.tensor([[0.5, 1.], [1.5, 3.]]), 0, 2, "((0.5, 1), (1.5, 3))", "mask")
large = "A float has no room for all digits of a large whole number. Compare as they are."
within(2 ** 53 + torch.arange(4), 2 ** 53 + 1, 2 ** 53 + 3, "the whole numbers from 2 ** 53 to 2 ** 53 + 3", "all digits",
       hint=large)
fractional = "Both the entries and this bound have fractions: compare them as they are."
within(torch.tensor([0.25, 0.5, 0.75]), 0.5, 3.5, "(0.25, 0.5, 0.75)", "lower bound", hint=fractional)
within(torch.tensor([0.75, 1.25, 1.5]), -0.5, 1.25, "(0.75, 1.25, 1.5)", "upper bound", hint=fractional)
within(torch.tensor([-torch.inf, 5., torch.inf]), -torch.inf, torch.inf, "(-∞, 5, ∞)", "lower bound",
       hint="Infinity is an ordinary entry: -∞ equals `low`, and ∞ is not less than `high`.")
within(torch.tensor([torch.nan, 1., torch.nan]), 0, 2, "(nan, 1, nan)", "nan",
       {"nan counts as inside here: that it is not outside, neither below nor above, does not say that it is inside.": [True, True, True]})
### BEGIN HIDDEN TESTS
within_rng = torch.Generator().manual_seed(12)
within(torch.randint(-9, 10, (4, 3, 5), generator=within_rng), -3, 6, "whole numbers of shape (4, 3, 5)", "mask")
within(torch.randint(-9, 10, (2, 7), generator=within_rng).float() / 2, -3, 6, "numbers of shape (2, 7)", "lower bound")
within(torch.tensor([-3., -3.25, -2.75]), -3, 3, "(-3, -3.25, -2.75)", "lower bound")
within(torch.tensor([[5.]]), 5, 6, "a tensor of one entry", "lower bound")
within(torch.tensor([3., 2.75, 3.25, 4.]), -3, 3, "(3, 2.75, 3.25, 4)", "upper bound")
within(3 + torch.tensor([[1e-10], [-1e-10]]).double(), -3, 3, "3 plus and minus a tiny number, in float64", "upper bound")
within(torch.tensor([3, 4, 0, -3]), 3, -3, "an empty interval", "upper bound")
within(torch.tensor([[0.375, 0.625], [0.5, 2.]]), 0.4375, 0.5625, "numbers of shape (2, 2)", "lower bound")
for place, of in ((-3., "lower bound"), (7., "upper bound")):
    near = torch.tensor([place, place, place]).double()
    within(near.nextafter(near + torch.tensor([-1., 0., 1.])), -3, 7, f"{place:g} and its two neighbours in float64", of)
within(torch.tensor([[-2, -1, 0], [1, 4, 5]]), -1.5, 4.5, "whole numbers of shape (2, 3)", "fractions")
within(-2 ** 60 + torch.arange(6).reshape(2, 3), -2 ** 60 + 2, -2 ** 60 + 5, "large whole numbers of shape (2, 3)", "all digits",
       hint=large)
within(torch.tensor([[torch.nan], [-7.]]), -8, 8, "nan and -7 in a column", "nan")
### END HIDDEN TESTS

# %% [markdown] teaches="concatenation"
# ## Joining
#
# A fourth day is measured. `torch.cat` joins tensors along an axis that they have; only on that axis may their lengths
# differ. Along `dim=0` rows come below rows, along `dim=1` columns beside columns.

# %% teaches="concatenation"
fourth = torch.tensor([[4., 10., 8., 5.]])
print(torch.cat([degrees, fourth], dim=0))
print(torch.cat([degrees, degrees.mean() * torch.ones(3, 1)], dim=1))

# %% [markdown] teaches="concatenation"
# The fourth day is a table with a single row, shape `(1, 4)`. A vector of shape `(4,)` has no axis of days, and `cat` would refuse
# it; `[None, :]` puts one in. (`torch.stack`, which makes a new axis, comes in section 2.3.)

# %% [markdown] task="2.1.G" kind="code" minutes=3 difficulty=1 needs="concatenation, making tensors"
# ### A column of ones
#
# Many formulas get simpler if each example has one more feature that is always 1. Write `with_ones(X)`: the table `X` with
# one more column on the right, filled with ones. The dtype of `X` is `float32`.
#
# **You are done when**
# - **shape**: for `X` of shape `(n, d)` it is `(n, d + 1)`;
# - **values**: the first d columns are those of `X`, and the last one holds ones.

# %% exercise="2.1.G"
def with_ones(X):
    """Shape (n, d) -> (n, d + 1): X with a column of ones on the right."""
    ### BEGIN SOLUTION
    return torch.cat([X, torch.ones(len(X), 1)], dim=1)
    ### END SOLUTION

# %% [markdown] hints="2.1.G"
# 1. Which shape must the column have, so that the two fit along axis 0?
# 2. `torch.ones(n, 1)` has n rows and one column.
# 3. A row of zeros above a table of shape (n, d): `torch.cat([torch.zeros(1, d), X], dim=0)`.

# %% check="2.1.G" points=1
def ones_beside(given, what):
    wanted = torch.nn.functional.pad(given, (0, 1), value=1.)
    slips = {tuple(given.shape): "A column is to be added, none overwritten.", (given.shape[0] + 1, given.shape[1]): "This is a row more: a column was asked for.",
             (given.shape[0], 2 * given.shape[1]): "One column of ones was asked for, here are more."}
    said = slip = ""
    try:
        with_ones(given.clone())
    except Exception as error:
        said = str(error)
        slips_said = {"same number of dimensions": "`torch.ones(n)` is a vector, with one axis: a column has the shape (n, 1).",
                      "except in dimension 1": f"The ones have not as many rows as X, which has {len(given)}.",
                      "except in dimension 0": "They are joined along axis 0, one below the other: a column stands beside, along axis 1."}
        slip = next((sentence for part_of_it, sentence in slips_said.items() if part_of_it in said), "")
    assert_true(not slip, f"X and the ones fit together for {what}", of="shape", hint=f"{slip} (The error: {said})")
    answer = with_ones(given.clone())
    assert_shape(answer, tuple(wanted.shape), f"the shape for {what}", of="shape",
                 hint=slips.get(tuple(getattr(answer, "shape", ())), "") if given.shape[1] > 1 else "")
    assert_type(answer, torch.Tensor, f"what is returned for {what}", of="shape")
    slip = "The columns before the last are not those of X." if answer.is_floating_point() else ""
    if slip and not torch.equal(answer[:, -1].double(), torch.ones(len(given)).double()):
        slip = "The last column does not hold ones."
    assert_close(answer, wanted, f"the table for {what}", of="values", rtol=0, atol=0,
                 hint=slip,
                 mistakes={"The ones stand on the left.": wanted.roll(1, 1),
                           **({"X stands one column too far to the right, and ones have taken the place of its last column.":
                               wanted.roll(1, 1).index_fill(1, torch.tensor([given.shape[1]]), 1.),
                               "Ones have taken the place of the last column of X, too.":
                               wanted.index_fill(1, torch.tensor([given.shape[1] - 1]), 1.)} if given.shape[1] > 1 else {}),
                           "These are zeros, not ones.": torch.nn.functional.pad(given, (0, 1)),
                           "The entries stand in one row here, then the ones: put a column beside the table.":
                           torch.cat([given.flatten(), torch.ones(len(given), dtype=given.dtype)]).reshape(wanted.shape)})

ones_beside(torch.arange(2., 8.).reshape(3, 2), "2 to 7 in 3 rows")
ones_beside(torch.arange(2., 6.).reshape(2, 2), "2 to 5 in 2 rows")
ones_beside(torch.tensor([[0., 3.], [torch.inf, 0.1]]), "(0, 3) and (inf, 0.1)")
### BEGIN HIDDEN TESTS
ones_beside(torch.arange(2., 6.).reshape(1, 4), "X of shape (1, 4)")
ones_beside(torch.arange(-3., 12.).reshape(5, 3) / 3, "X of shape (5, 3)")
ones_beside(torch.rand(3, 4, generator=torch.Generator().manual_seed(28)), "X of shape (3, 4)")
ones_beside(torch.tensor([[-torch.inf], [0.], [-0.3]]), "X of shape (3, 1) with -inf and 0")
### END HIDDEN TESTS

# %% [markdown] task="2.1.6" kind="code" minutes=7 difficulty=2 needs="concatenation, dtype"
# ### Four blocks
#
# Large tables are often put together from blocks, for example the parts of a model that was split over several machines.
#
# Write `join_blocks(A, B, C, D)`. It returns the table with `A` at the upper left, `B` at the upper right, `C` at the lower left
# and `D` at the lower right. `A` and `B` have equally many rows, `C` and `D` too; `A` and `C` have equally many columns,
# `B` and `D` too.
#
# **You are done when**
# - **shape**: the rows of `A` and `C` add up, and so do the columns of `A` and `B`;
# - **places**: each block stands in its place, with its entries in order;
# - **dtype**: the four have the same dtype, and the result has it too.

# %% exercise="2.1.6"
def join_blocks(A, B, C, D):
    """Shapes (h, w), (h, v), (k, w), (k, v) -> (h + k, w + v): the table of the blocks [[A, B], [C, D]]."""
    ### BEGIN SOLUTION
    return torch.cat([torch.cat([A, B], dim=1), torch.cat([C, D], dim=1)], dim=0)
    ### END SOLUTION

# %% [markdown] hints="2.1.6"
# 1. Which two blocks stand side by side, and along which axis does a table become wider?
# 2. `torch.cat([P, Q], dim=1)` puts Q to the right of P, `dim=0` puts it below.
# 3. Two vectors p, q of length 5 as the columns of a table: `torch.cat([p[:, None], q[:, None]], dim=1)`, shape (5, 2).

# %% check="2.1.6" points=2
import math

def joined(blocks, kind=""):
    arrays = [block.numpy() for block in blocks]
    wanted = torch.from_numpy(np.block([arrays[:2], arrays[2:]]))
    what = kind + "blocks of shapes " + ", ".join(str(tuple(block.shape)) for block in blocks)
    said = ""
    try:
        join_blocks(*[block.clone() for block in blocks])
    except Exception as error:
        said = str(error)
    assert_true(not said or len({block.shape for block in blocks}) == 1, f"{what} are joined", of="shape",
                hint="With four blocks of one shape your answer gave the right table, and with blocks of several shapes it "
                     f"raises an error: which rows are equally many, and which columns? (The error: {said})")
    answer = join_blocks(*[block.clone() for block in blocks])
    slip = {(8, 2): "All four stand below each other.",
            (2, 8): "All four stand beside each other."} if wanted.numel() == 16 else {}
    got = tuple(getattr(answer, "shape", ()))
    assert_shape(answer, tuple(wanted.shape), f"the shape for {what}", of="shape",
                 hint="There are more than two axes: blocks are joined along an axis that they have, and none is added."
                 if len(got) > 2 else
                 slip[got] if got in slip else f"It has {math.prod(got)} entries, and the four blocks have {wanted.numel()}."
                 if got and math.prod(got) != wanted.numel() else "")
    assert_type(answer, torch.Tensor, f"what is returned for {what}", of="shape")
    assert_dtype(answer, blocks[0].dtype, f"the dtype for {what}", of="dtype",
                 hint="It is that of the blocks. (`torch.zeros` makes a `float32` table, and what is written into it becomes "
                      "`float32`.)")
    square = {}
    if len({block.shape for block in blocks}) == 1:
        a, b, c, d = arrays
        square = {"B and C have changed places: B stands at the upper right.": [[a, c], [b, d]],
                  "C and D have changed places: C stands at the lower left.": [[a, b], [d, c]],
                  "B and D have changed places: B stands at the upper right.": [[a, d], [c, b]],
                  "The entries of all blocks were dealt out row by row: `reshape` does not put blocks side by side.":
                  [[np.concatenate([array.flatten() for array in arrays]).reshape(wanted.shape)]]}
    h, w = blocks[0].shape
    corners = zip("ABCD", blocks, (answer[:h, :w], answer[:h, w:], answer[h:, :w], answer[h:, w:]))
    places = [name + next((f" (there stands {other})" for other, one in zip("ABCD", blocks) if torch.equal(one, there)),
                          " (there stand zeros)" if not there.any() else " (its entries are there, in another order)"
                          if there.flatten().tolist() != block.flatten().tolist() and
                          sorted(there.flatten().tolist()) == sorted(block.flatten().tolist()) else "")
              for name, block, there in corners if not torch.equal(there, block)]
    lost = blocks[0].dtype == torch.int64 and any(torch.equal(answer, short.long())
                                                  for short in (wanted.float(), wanted.double()))
    slips = {"It is upside down: A and B stand above C and D.": [arrays[2:], arrays[:2]],
             "Left and right are exchanged: A and C stand on the left.": [arrays[1::-1], arrays[:1:-1]]}
    assert_close(answer, wanted, f"the table for {what}", of="places",
                 hint="Large whole numbers have lost digits: did they pass through a float?" if lost else
                 f"Not in its place, or not with its entries in order: {', '.join(places)}.",
                 mistakes={said: torch.from_numpy(np.block(order)) for said, order in (slips | square).items()})

def numbered_blocks(h, k, w, v, dtype):
    shapes = ((h, w), (h, v), (k, w), (k, v))
    return [(100 * number + torch.arange(shape[0] * shape[1])).reshape(shape).to(dtype) for number, shape in enumerate(shapes, 1)]

joined(numbered_blocks(2, 2, 2, 2, torch.float64))
joined([torch.full((1, 2), 1), torch.full((1, 3), 2), torch.full((2, 2), 3), torch.full((2, 3), 4)])
joined([2 ** 53 + block for block in numbered_blocks(2, 1, 1, 2, torch.int64)], "whole numbers from 2 ** 53 on, ")
### BEGIN HIDDEN TESTS
joined(numbered_blocks(3, 1, 4, 2, torch.float32))
joined(numbered_blocks(3, 3, 3, 3, torch.int64))
joined(numbered_blocks(1, 5, 2, 3, torch.float64))
joined([block / 7 for block in numbered_blocks(2, 1, 3, 1, torch.float64)], "fractions, ")
joined([-2 ** 60 - block for block in numbered_blocks(1, 2, 1, 3, torch.int64)], "large whole numbers, ")
### END HIDDEN TESTS

# %% [markdown] teaches="in-place operation, view"
# ## Names and memory
#
# The numbers of a tensor lie in a block of memory. A Python name points to a tensor, and the tensor to its block. Two
# names may point to one tensor, and two tensors to one block. That decides who sees a change.
#
# The parameters of a network are updated millions of times, while other parts of the program hold on to them. Look at
# two ways to add 1:

# %% teaches="in-place operation, view"
parameter = torch.zeros(3)
elsewhere = parameter               # another part of the program keeps this name
parameter = parameter + 1
print(parameter, elsewhere)

parameter = torch.zeros(3)
elsewhere = parameter
parameter += 1
print(parameter, elsewhere)
parameter.mul_(10).add_(2)
print(parameter, elsewhere)

# %% [markdown] teaches="in-place operation, view"
# `parameter + 1` is a new tensor in new memory, and `parameter = ` lets the name point there. The other name still points to
# the old zeros. `parameter += 1` writes into the memory that is there, so both see it: an *in-place operation*. In-place are
# `+=`, `-=`, `*=`, `/=`, an assignment to a part such as `parameter[:] = ...`, and the methods whose names end in an
# underscore, such as `add_` and `mul_` in the last lines.

# %% tags=["demo"] teaches="in-place operation, view"
def boxes(ax, title, blocks, pointers):
    """Names on the left, blocks of memory on the right, an arrow for each pointer."""
    for name, height in (("parameter", 1.5), ("elsewhere", 0.5)):
        ax.text(0, height, name, va="center", family="monospace")
    for height, content in blocks:
        ax.add_patch(plt.Rectangle((3.6, height - 0.3), 2.0, 0.6, facecolor="lightskyblue", edgecolor="black"))
        ax.text(4.6, height, content, ha="center", va="center", family="monospace")
    for start_height, end_height in pointers:
        ax.annotate("", xy=(3.5, end_height), xytext=(2.2, start_height), arrowprops=dict(arrowstyle="->"))
    ax.set(xlim=(-0.1, 5.8), ylim=(0, 2.1))
    ax.set_title(title, fontsize=10)
    ax.axis("off")


figure, axes = plt.subplots(1, 2, figsize=(7.5, 1.7), layout="constrained")
boxes(axes[0], "parameter = parameter + 1", [(1.5, "1 1 1"), (0.5, "0 0 0")], [(1.5, 1.5), (0.5, 0.5)])
boxes(axes[1], "parameter += 1", [(1.0, "1 1 1")], [(1.5, 1.1), (0.5, 0.9)])
plt.show()

# %% [markdown] teaches="in-place operation, view"
# Left there are two blocks of memory, one for each name; right there is one for both. `data_ptr()` gives the address of the
# block, so it tells the two cases apart.
#
# Now two *tensors* on one block. An index, a slice, `T`, `permute` and `[:, None]` give a *view*: another tensor that reads the
# same memory. What is written through one is seen through the other.

# %% teaches="in-place operation, view"
data = torch.arange(6)
part_of_it = data[2:4]
part_of_it += 100
print(data, '| same memory after reshape and T:', data.reshape(2, 3).T.data_ptr() == data.data_ptr())

# %% [markdown] teaches="in-place operation, view"
# ⚠ `reshape` gives a view where it can, and a copy where it must. It can if the entries lie in memory in the order in which it
# reads them, as they do in a fresh tensor. After `T` or `permute` they usually do not:

# %% teaches="in-place operation, view"
grid = torch.arange(6).reshape(2, 3)
in_order, transposed = grid.reshape(-1), grid.T.reshape(-1)
grid[0, 0] = -7
print(in_order, transposed)

# %% [markdown] teaches="in-place operation, view"
# The first sees the -7, the second is a copy from before. So never write through a reshaped tensor and hope. What is picked by a
# mask or by a list of indices is always a copy, `clone()` is always a copy, and so is the result of arithmetic.

# %% tags=["setup"]
lines = {"a": "t = t + 1",
         "b": "t += 1",
         "c": "t[:] = t + 1",
         "d": "t.add(1)",
         "e": "s = t[1:4]; s *= 2",
         "f": "s = t[t > 2]; s *= 2",
         "g": "s = t.reshape(2, 3).T; s[0, 0] = 9",
         "h": "s = t.reshape(2, 3).T.reshape(-1); s[0] = 9"}

# %% [markdown] task="2.1.H" kind="answer" minutes=4 difficulty=2 core=true needs="in-place operation, view, boolean mask"
# ### Who sees the change
#
# Before each of the eight lines above, `t = torch.arange(6)` and `other = t` are run afresh. After which of the lines does
# `other` no longer hold 0, 1, 2, 3, 4, 5? Predict, then try. Set `changed` to the set of their letters, such as
# `changed = {"a", "d"}`.
#
# **You are done when**
# - **operations**: of the letters a to d, those are in the set after which `other` has changed, and no others;
# - **views**: the same for e to h.

# %% exercise="2.1.H"
### BEGIN SOLUTION
changed = {"b", "c", "e", "g"}
### END SOLUTION

# %% [markdown] hints="2.1.H"
# 1. For each line: is something written, or only a new tensor made? If written, into whose memory?
# 2. A name that ends in an underscore writes; `add` does not. Picking by a mask copies, slicing does not.
# 3. Another case: `s = t.clone(); s += 1` writes into the memory of the clone; `other` stays.

# %% check="2.1.H" points=1
def seen_by_other(line):
    names = {"t": torch.arange(6)}
    names["other"] = names["t"]
    exec(line, names)
    return names["other"].tolist() != list(range(6))

def changes_predicted():
    assert_type(changed, (set, frozenset, list, tuple), "`changed`", of="operations")
    for letter in changed:
        assert_true(letter in lines, f"{letter!r} in `changed` is one of the letters a to h", of="operations",
                    hint="Each letter stands by itself, small, and in quotes.")
    reasons = {"a": "`t + 1` is a new tensor, and `t =` lets the name point there.",
               "b": "`+=` writes into the memory that is there.",
               "c": "An assignment to a part, `[:]` too, writes into the memory that is there.",
               "d": "`add` makes a new tensor; `add_` would write.",
               "e": "A slice is a view, and `*=` writes.", "f": "What a mask picks is a copy, and only the copy is written to.",
               "g": "`reshape` of a fresh tensor and `T` are views, and an assignment to an entry writes.",
               "h": "After `T` the second `reshape` has to copy, and only the copy is written to."}
    turned = all((letter in changed) != seen_by_other(line) for letter, line in lines.items())
    for letter, line in lines.items():
        assert_true((letter in changed) == seen_by_other(line), f"what is said of {letter}, `{line}`, is right",
                    of="operations" if letter in "abcd" else "views",
                    hint="It is turned round, for all eight: the lines are asked for after which `other` has changed." if turned else
                    ("`other` has not changed. " if letter in changed else "`other` has changed, too. ") + reasons[letter])

changes_predicted()
### BEGIN HIDDEN TESTS
changes_predicted()
for of in ("operations", "views"):
    wanted = sum(seen_by_other(line) for letter, line in lines.items() if (letter in "abcd") == (of == "operations"))
    assert_equal(len([letter for letter in set(changed) if (letter in "abcd") == (of == "operations")]), wanted,
                 "the number of letters among " + ("a to d" if of == "operations" else "e to h"), of=of)
### END HIDDEN TESTS

# %% [markdown] task="2.1.7" kind="code" minutes=8 difficulty=3 core=true needs="in-place operation, view"
# ### A running mean
#
# The mean of n numbers can be kept up to date without the numbers: with mean m of the first n, a further x moves it to
# m + (x - m) / (n + 1).
#
# Write `update_mean(mean, count, x)`. `mean` is a floating-point tensor that holds the mean of `count` tensors of its shape,
# entry by entry; `x` is one more of them. Change `mean` *in place* to the mean of all `count` + 1, and return it.
#
# **You are done when**
# - **returned**: what is returned is the tensor `mean` itself, and holds the new mean in every entry;
# - **in place**: the memory of `mean` holds the new mean, so that other names for it see it;
# - **first**: for `count` = 0 the mean becomes `x`;
# - **x kept**: `x` is as it was.

# %% exercise="2.1.7"
def update_mean(mean, count, x):
    """Writes the mean of count + 1 tensors into `mean`, which held that of the first `count`, and returns it."""
    ### BEGIN SOLUTION
    mean += (x - mean) / (count + 1)
    return mean
    ### END SOLUTION

# %% [markdown] hints="2.1.7"
# 1. Which of `m = m + 1`, `m += 1`, `m[:] = m + 1`, `m.add_(1)` write into the memory of `m`?
# 2. Within a function, `mean = ...` only makes the local name point to another tensor; the caller's tensor stays as it was.
# 3. To halve a tensor in place and then add another: `t /= 2`, then `t += s`.

# %% check="2.1.7" points=2
@probe
def seen_after_the_update(mean, count, x):
    another_name = mean[:]        # another tensor on the same memory
    result = update_mean(mean, count, x)
    if not isinstance(result, torch.Tensor):
        return result, another_name, x, result
    returned, in_memory = result.clone(), another_name.clone()
    another_name.fill_(-77)       # whoever has this memory sees it
    return returned, in_memory, x, result

def shares_in_the_mean(count):
    """How much of the old mean and of x is in the new mean."""
    none, one = torch.zeros(2), torch.ones(2)
    added, of_mean, of_x = (update_mean(old.clone(), count, new.clone())[0].item()
                            for old, new in ((none, none), (one, none), (none, one)))
    if abs(added) > 1e-4:
        return f"With 0 in `mean` and 0 in x, and `count` {count}, yours makes {added:.4g}: something is added to them. "
    if abs(of_mean * (count + 1) - count) < 1e-3 and abs(of_x * (count + 1) - 1) < 1e-3:
        return ""
    return (f"With `count` {count}, of a mean 1 and x = 0 yours makes {of_mean:.4g}, and of a mean 0 and x = 1 it makes "
            f"{of_x:.4g}: these should be {count}/{count + 1} and 1/{count + 1}. ")

def updated(before, count, sample, wanted, what):
    result, in_memory, sample_after, later = seen_after_the_update(before.clone(), count, sample.clone())
    of = "returned" if count else "first"
    assert_type(result, torch.Tensor, f"what is returned for {what}", of=of,
                hint="End the function by `return mean`." if result is None else "")
    slips = {"This is divided by `count`, not by `count` + 1.": before + (sample - before) / count,
             "This is the mean of the two, whatever `count` is.": (before + sample) / 2,
             "Here x is added to the mean as if the mean were a sum of `count` numbers.": (before + sample) / (count + 1),
             "This is the step alone: it is still to be added to the mean.": (sample - before) / (count + 1),
             "The step goes the wrong way: the mean moves towards x.": before - (sample - before) / (count + 1),
             "`/` comes before `-`: the difference x - m needs parentheses.": before + sample - before / (count + 1),
             "This moves by the mean of all entries of x: each entry has its own.": before + (sample.mean() - before) / (count + 1),
             "Only the first entry was updated.": torch.cat([wanted[:1], before[1:]]),
             "The weights are exchanged: the old mean counts `count` times, x once.": (before + count * sample) / (count + 1),
             "The numbers are added up rightly, and then divided by `count`: there are `count` + 1 of them.":
             (count * before + sample) / count,
             "`mean` was changed in one step and read again in the next: then it is no longer the old mean.":
             before * count / (count + 1) + (sample - before * count / (count + 1)) / (count + 1),
             "This moves by the means of all entries: each entry has its own.":
             before + (sample.mean() - before.mean()) / (count + 1),
             "`count` is how many the old mean is of, without x: here it counts once more than that.":
             ((count + 1) * before + sample) / (count + 2),
             "This is x.": sample,
             "This is the old mean" + (", and `mean` still holds it: nothing was written there."
                                       if torch.equal(in_memory, before) else "."): before} if count > 1 else {}
    assert_shape(result, tuple(before.shape), f"the shape of what is returned for {what}", of=of, hint="It is that of `mean`.")
    assert_close(result, wanted, f"what is returned for {what}", of=of, mistakes=slips,
                 hint=lambda: ("For `count` = 0 the mean becomes x." if not count else
                               shares_in_the_mean(count) + "It is `count` times the old mean plus x, divided by `count` + 1."))
    assert_close(in_memory, wanted, f"the memory of mean, seen through another name, for {what}", of="in place",
                 mistakes={"It still holds the old mean: your result is in other memory.": before})
    assert_close(sample_after, sample, f"x after the call, for {what}", of="x kept", hint="A step in place was made on `x`.")
    assert_close(later, torch.full_like(before, -77),
                 f"what was returned for {what}, after -77 was written to every entry of mean", of="returned",
                 mistakes={"It does not see the change: a copy was returned, not `mean`.": wanted})

updated(torch.tensor([2., 4.]), 3, torch.tensor([10., 0.]), torch.tensor([4., 3.]), "the mean (2, 4) of 3 and the new (10, 0)")
updated(torch.tensor([[1.], [2.]]), 1, torch.tensor([[2.], [-1.]]), torch.tensor([[1.5], [0.5]]), "the mean ((1), (2)) of 1 and the new ((2), (-1))")
updated(torch.tensor([5.]), 0, torch.tensor([8.]), torch.tensor([8.]), "count 0, 5 in mean, and the new (8)")
### BEGIN HIDDEN TESTS
for seed, (shape, count_) in enumerate((((3, 4), 0), ((2, 1, 5), 7), ((6,), 1))):
    samples = torch.randn(count_ + 1, *shape, generator=torch.Generator().manual_seed(19 + seed), dtype=torch.float64)
    updated(samples[:count_].mean(dim=0) if count_ else torch.zeros(shape, dtype=torch.float64), count_, samples[-1], samples.mean(dim=0),
            f"shape {shape} and count {count_}")
### END HIDDEN TESTS

# %% [markdown] teaches="numpy and torch, shared memory"
# ## NumPy arrays and Python numbers
#
# NumPy is the older library of this kind; its tensors are called *arrays*. Tables, pictures and sound often arrive as
# arrays. `torch.from_numpy(array)` makes a tensor on the array's own memory, and `tensor.numpy()` goes the other way.
# `torch.tensor(array)` copies.

# %% teaches="numpy and torch, shared memory"
array = np.array([1., 2., 3.])
linked, separate_copy = torch.from_numpy(array), torch.tensor(array)
array[0] = 7
print(linked, separate_copy)

# %% [markdown] teaches="numpy and torch, shared memory"
# Two things to notice. Shared memory saves a copy, and it means that a change on one side changes the other. And the
# dtype is `float64`, NumPy's usual one, not torch's `float32`. ⚠ A change of dtype copies, without a word:

# %% teaches="numpy and torch, shared memory"
converted = torch.from_numpy(array).float()
array[0] = 1000
print(converted, torch.as_tensor(array))

# %% [markdown] teaches="numpy and torch, shared memory"
# `torch.as_tensor`, in the last line, shares where it can, and copies where it must.

# %% [markdown] task="2.1.8" kind="code" minutes=6 difficulty=2 needs="numpy and torch, shared memory, view"
# ### To share or not to share
#
# Write `two_tensors(array)`. For a NumPy array it returns two tensors, `shared, separate`: the first on the memory of the
# array, so that later changes of the array show in it, the second with memory of its own.
#
# **You are done when**
# - **two tensors**: both are returned, in this order, with the shape and dtype of the array;
# - **shared**: the first shows what is written into the array after the call;
# - **separate**: the second keeps the values that the array had at the call, with all digits.

# %% exercise="2.1.8"
def two_tensors(array):
    """(shared, separate): a tensor on the memory of a NumPy array, and one with a copy of its values."""
    ### BEGIN SOLUTION
    return torch.from_numpy(array), torch.tensor(array)
    ### END SOLUTION

# %% [markdown] hints="2.1.8"
# 1. Which of the conversions above copies, and which shares?
# 2. `torch.from_numpy` and `torch.as_tensor` share wherever they can, `torch.tensor` and `clone` never do.
# 3. The other way round: `t.numpy()` shares the memory of the tensor t, `t.numpy().copy()` does not.

# %% check="2.1.8" points=2
@probe
def after_a_write(given, value, step):
    mine = given.copy()[..., ::step]
    outcome = two_tensors(mine)
    mine[0] = value
    return outcome

def whose_dtype(place):
    """What the dtype of the tensor at this place does when that of the array is another one."""
    made = [str(two_tensors(np.array([3, 4], dtype=kind))[place].dtype)[6:] for kind in ("float64", "float16", "int16")]
    if len(set(made)) == 1:
        return f"Yours is `{made[0]}` for every array, of whole numbers too: it is made so, and should stay what it was."
    if made == ["float32", "float32", "int64"]:
        return ("Yours is `float32` for every array with fractions, and `int64` for one of whole numbers: a list of Python's "
                "numbers does not know the dtype of the array.")
    return ""

def shared_and_separate(given, value, what, step=1):
    outcome = after_a_write(given, value, step)
    assert_type(outcome, (tuple, list), f"what is returned for {what}", of="two tensors",
                hint="Two tensors come back, `return shared, separate`." if hasattr(outcome, "shape") else "")
    assert_equal(len(outcome), 2, f"how many tensors are returned for {what}", of="two tensors",
                 hint="`return shared, separate`.")
    old = torch.tensor(given[..., ::step].copy())
    new = old.clone()
    new[0] = value
    for name, tensor in zip(("first", "second"), outcome):
        assert_type(tensor, torch.Tensor, f"the {name} one, for {what}", of="two tensors",
                    hint="Both are tensors: `torch.from_numpy` and `torch.as_tensor` make one of an array."
                    if isinstance(tensor, np.ndarray) else "")
        assert_shape(tensor, tuple(old.shape), f"the shape of the {name} one, for {what}", of="two tensors",
                     hint="It is that of the array.")
        assert_dtype(tensor, old.dtype, f"the dtype of the {name} one, for {what}", of="two tensors",
                     hint=lambda: "It is that of the array. " + whose_dtype(name == "second"))
    assert_close(outcome[0], new, f"the first one, for {what}, after {value} was written to array[0]", of="shared", rtol=0, atol=0,
                 mistakes={"It does not see the change, but the second one does: the order is shared, separate."
                           if torch.equal(outcome[1], new) else "It does not see the change: it has memory of its own.": old})
    assert_close(outcome[1], old, f"the second one, for {what}, after {value} was written to array[0]", of="separate", rtol=0, atol=0,
                 mistakes={"It sees the change: it shares memory with the array.": new}
                          | ({"Digits were lost: a copy went through `float32`.": old.float().double()}
                             if old.dtype == torch.float64 else {}))

shared_and_separate(np.array([1., 2., 0.1]), 7, "the array 1., 2., 0.1")
shared_and_separate(np.arange(12).reshape(3, 4), -9, "every other column of whole numbers of shape (3, 4)", 2)
shared_and_separate(np.array([[250, 1], [7, 0]], dtype=np.uint8), 9, "an array of dtype uint8")
### BEGIN HIDDEN TESTS
shared_and_separate(np.arange(-6, 9).reshape(5, 3), 50, "whole numbers of shape (5, 3)")
shared_and_separate(np.array([0.1, -0.2, 0.3], dtype=np.float32), 4, "an array of dtype float32")
shared_and_separate(np.array([[True], [False]]), False, "an array of dtype bool")
shared_and_separate(np.random.default_rng(20).standard_normal((4, 5)), 0.125, "every other column of an array of shape (4, 5)", 2)
### END HIDDEN TESTS

# %% [markdown] teaches="item and tolist"
# A loss, the number that says how wrong a network is, is a tensor with one entry. Log files, `if` and progress bars want a Python
# number. `item()` takes it out, whatever the number of axes; `tolist()` makes nested lists of all entries. `float(...)` works for one
# entry too, and always gives a `float`.

# %% teaches="item and tolist"
print(torch.tensor([[3.5]]).item(), torch.tensor(2).item(), float(torch.tensor([2])), torch.tensor([[1, 2], [3, 4]]).tolist())

# %% tags=["demo"] teaches="item and tolist"
try:
    torch.tensor([1., 2.]).item()
except RuntimeError as error:
    print("RuntimeError:", error)


def first_of(v):
    if v.ndim != 1:
        raise ValueError(f"a vector is needed, but the shape is {tuple(v.shape)}")
    return v[0].item()


try:
    first_of(torch.zeros(2, 3))
except ValueError as error:
    print("ValueError:", error)

# %% [markdown]
# The second message is our own: `raise` stops a function with an error of your choice. A good message says what was needed and what
# came.

# %% [markdown] task="2.1.9" kind="code" minutes=7 difficulty=2 needs="item and tolist, dtype"
# ### From a tensor to a number
#
# Write `as_number(X)`: for a tensor with exactly one entry it returns this entry as a Python number.
#
# **You are done when**
# - **value**: the number is the entry, exactly, whatever the number of axes; large whole numbers too;
# - **type**: it is an `int` for whole-number dtypes and a `float` for floating-point dtypes, 3.0 included;
# - **error**: for a tensor with no entry or with several it raises a `ValueError`;
# - **message**: the message of this error names the shape.

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
# 3. The function `first_of` above refuses what is no vector in the same way.

# %% check="2.1.9" points=2
def one_number(given, wanted, what):
    refusal = ""
    try:
        as_number(given)
    except Exception as error:
        if "ValueError" in getattr(error, "type_names", [type(error).__name__]):
            refusal = ("It has one entry, and is refused: what counts is how many entries there are, "
                       f"not how many axes. (The error: {error})")
    assert_true(not refusal, f"a number comes back for {what}", of="value", hint=refusal)
    answer = as_number(given)
    assert_type(answer, (int, float), f"the type of the number for {what}", of="type",
                hint="A number stands in no brackets: `tolist` keeps a pair for each axis." if isinstance(answer, list) else
                "This is still a tensor: a Python number was asked for." if isinstance(answer, torch.Tensor) else "")
    assert_equal(type(answer).__name__, type(wanted).__name__, f"the type of the number for {what}", of="type",
                 hint="This is a number of NumPy's: a Python number was asked for." if isinstance(answer, np.generic)
                 else f"`{str(given.dtype)[6:]}` is a dtype of whole numbers, as `int64` is."
                 if type(wanted) is int and given.dtype != torch.int64
                 else "The entry of a tensor of whole numbers is an `int`." if type(wanted) is int
                 else "The dtype of the tensor decides, not whether the number is whole.")
    assert_equal(answer, wanted, f"the number for {what}", of="value", hint="All digits of the entry count.")

def refused(shape, fill, what):
    if shape == (2,):
        assert_raises(ValueError, as_number, torch.tensor([1., 3.]), what="a tensor of shape (2,), entries 1 and 3", of="error",
                      hint="Neither of the two is the answer: raise a `ValueError` of your own.")
    entries = torch.full(shape, fill).numel()
    assert_raises(ValueError, as_number, torch.full(shape, fill), what=what, of="error",
                  hint=(f"Axis 0 has length 1 here, and yet there are {entries} entries: " if shape[0] == 1 else
                        "There is no entry here that could be returned: " if not entries else
                        f"There are {entries} entries here: ")
                  + "where there is not exactly one, raise a `ValueError` of your own.")
    for length in shape:
        assert_raises(ValueError, as_number, torch.full(shape, fill), what=f"{what}: the message", match=str(length), of="message",
                      hint=f"(Put `X.shape` into the message: it has to name {length}.)")

one_number(torch.tensor([[2.5]]), 2.5, "2.5 in float32, shape (1, 1)")
one_number(torch.tensor(7), 7, "7 in int64, shape ()")
one_number(torch.tensor([3.]), 3.0, "3. in float32, shape (1,)")
one_number(torch.tensor([[200]], dtype=torch.uint8), 200, "200 in uint8, shape (1, 1)")
one_number(torch.tensor([0.1 + 1e-12], dtype=torch.float64), 0.1 + 1e-12, "0.1 + 1e-12 in float64, shape (1,)")
assert_equal(as_number(torch.tensor([2 ** 53 + 1])) - 2 ** 53, 1, "the number for 2 ** 53 + 1, minus 2 ** 53", of="value",
             hint="Did it pass through a float?")
refused((2,), 1., "a tensor of shape (2,)")
refused((7, 11, 13), 4., "a tensor of shape (7, 11, 13), all entries equal")
refused((0,), 1., "a tensor of shape (0,), without entries")
refused((1, 4), 3., "a tensor of shape (1, 4)")
### BEGIN HIDDEN TESTS
one_number(torch.tensor([[[-12]]]), -12, "-12 in int64, shape (1, 1, 1)")
one_number(torch.tensor([-0.3], dtype=torch.float64), -0.3, "-0.3 in float64, shape (1,)")
one_number(torch.tensor([[0.]]), 0.0, "0. in float32, shape (1, 1)")
one_number(torch.tensor(-31, dtype=torch.int32), -31, "-31 in int32, shape ()")
one_number(torch.tensor([-torch.inf]), -torch.inf, "-inf in float32, shape (1,)")
assert_close(as_number(torch.tensor([torch.nan])), torch.nan, "the number for nan in float32, shape (1,)", equal_nan=True, of="value")
one_number(torch.tensor(-4., dtype=torch.float64), -4.0, "-4. in float64, shape ()")
assert_equal(as_number(torch.tensor(-2 ** 53 - 1)) + 2 ** 53, -1, "a large negative whole number", of="value", hint="Did it pass through a float?")
refused((1, 5), 3, "a tensor of shape (1, 5)")
refused((3, 0, 17), 1., "a tensor of shape (3, 0, 17), without entries")
### END HIDDEN TESTS

# %% [markdown]
# ## Break it
#
# Five people wrote a function that returns a new table like `X` with its first and last rows swapped, `X` being any
# table with at least one row and one column, of any dtype. `flip(0)` turns the order of the rows round.

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

# %% [markdown] task="2.1.10" kind="break it" minutes=12 difficulty=3 needs="view, dtype, slice assignment, concatenation"
# ### Four bugs, three tables
#
# Four of the five functions above are wrong. Each is right for some tables, which is why nobody noticed.
#
# Set `inputs` to a list of tables such that each wrong function gives a wrong result for at least one of them.
# `gives_away(swap_2, X)` tells whether the table `X` gives `swap_2` away. Each bug found earns half a point.
#
# **You are done when**
# - **tables**: `inputs` is a list of one to three tensors, each with two axes and 1 to 100 entries, none of them `nan`;
# - **swap_2**: at least one of them gives `swap_2` away;
# - **swap_3**: at least one gives `swap_3` away;
# - **swap_4**: at least one gives `swap_4` away;
# - **swap_5**: at least one gives `swap_5` away.

# %% exercise="2.1.10"
### BEGIN SOLUTION
inputs = [torch.tensor([[1, 2, 3]]), torch.arange(8).reshape(4, 2)]
### END SOLUTION

# %% [markdown] hints="2.1.10"
# 1. For how many rows is turning the whole table upside down the same as swapping the first and the last?
# 2. In `swap_2`, `top` is a view. `torch.zeros` makes `float32`. And what does `X[1:-1]` hold when there is a single row?
# 3. A function that returns `v[::-1]` for "swap the first two entries of a list" is right for two entries and wrong for three.

# %% check="2.1.10" points=2
def tables_given():
    assert_type(inputs, (list, tuple), "`inputs`", of="tables")
    assert_true(1 <= len(inputs) <= 3, "`inputs` holds one to three tables", of="tables", hint=f"It holds {len(inputs)}.")
    for place, candidate in enumerate(inputs):
        assert_type(candidate, torch.Tensor, f"inputs[{place}]", of="tables",
                    hint="Each table is a tensor: `torch.tensor` makes one of a list of rows.")
        assert_true(candidate.ndim == 2 and 1 <= candidate.numel() <= 100,
                    "each of `inputs` has two axes and 1 to 100 entries", of="tables",
                    hint=f"`inputs[{place}]` has the shape {tuple(candidate.shape)}.")
        assert_true(not gives_away(swap_1, candidate), "swap_1, which is right, is right for each of `inputs`", of="tables",
                    hint="A nan equals nothing, not even itself: leave it out.")

def about(tables):
    """What the given tables are like, seen from each of the four bugs."""
    rows = "Rows of your tables: " + ", ".join(str(len(table)) for table in tables) + ". With so many rows swap_4 is right."
    kinds = "Dtypes of your tables: " + ", ".join(str(table.dtype).removeprefix("torch.") for table in tables) + \
        ". For such entries swap_5 is right."
    alike = "In each of your tables the first row equals the last." if all(torch.equal(table[0], table[-1])
                                                                           for table in tables) else ""
    middle = "Between the first and the last row each of your tables reads the same from above and from below." if all(
        torch.equal(table[1:-1], table[1:-1].flip(0)) for table in tables) else ""
    return {swap_2: alike, swap_3: middle, swap_4: rows, swap_5: kinds}

where_to_look = {swap_2: "Which numbers does `top` show after `result[0] = result[-1]`? When does that not matter?",
                 swap_3: "Which rows does it move that should stay? How many rows must there be for that?",
                 swap_4: "Which rows do the three slices take if there are very few rows?",
                 swap_5: "Which shape, dtype and values does `result` have, compared with those of `X`?"}

tables_given()
for swap in (swap_2, swap_3, swap_4, swap_5):
    with part(0.25, f"the bug of {swap.__name__}", of=swap.__name__):
        assert_true(any(gives_away(swap, candidate) for candidate in inputs), f"one of `inputs` gives {swap.__name__} away", of=swap.__name__,
                    hint=lambda: " ".join([about(inputs)[swap], where_to_look[swap]]).strip())
### BEGIN HIDDEN TESTS
tables_given()
for swap in (swap_2, swap_3, swap_4, swap_5):
    with part(0.25, f"the bug of {swap.__name__}, at grading", of=swap.__name__):
        assert_true(any(gives_away(swap, candidate) for candidate in inputs), f"one of `inputs` gives {swap.__name__} away", of=swap.__name__)
### END HIDDEN TESTS
total()

# %% [markdown]
# ## Summary
#
# - A tensor has a shape, a dtype and entries. `arange`, `zeros`, `ones`, `full`, `rand` and `randn` make one.
# - Arithmetic and comparisons work entry by entry. Shapes that differ are aligned at the right, and axes of length 1 are
#   repeated; `None` in an index says where such an axis goes.
# - `reshape` keeps the order of the entries, `T` and `permute` change it. Slices pick parts, masks pick entries, and both
#   may stand left of `=`.
# - `Y = Y + X` makes a new tensor, `Y += X` writes into the old one. Slices and `T` are views; `clone()` is a copy;
#   `reshape` may be either.
# - `from_numpy` and `numpy()` share memory, `torch.tensor` copies, `item()` gives a Python number.
#
# Section 2.2 turns tables from files into tensors; section 2.3 calculates with their rows and columns.
