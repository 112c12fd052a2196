# %% [markdown]
# # 2.3 Linear algebra
#
# A neural network spends nearly all its time on one operation: a table of numbers is multiplied by another
# table of numbers. This section builds that operation up from single numbers. *Vectors* hold the data, the *dot
# product* weighs it, the *matrix product* does many dot products at once, and *norms* say how large the result
# is.
#
# At the end you read a formula such as $\mathbf{y} = W\mathbf{x} + \mathbf{b}$ as a line of code. You know the
# shape of its result before you run it, and what it costs in multiplications and in memory. One small table, of
# foods, serves as the example throughout.

# %% tags=["setup"]
from d2l_utils.check import *
import numpy as np
import torch
import d2l_utils as d2l

# %% [markdown] teaches="scalar, vector, linear combination"
# ## A food is a vector
#
# What is in 100 g of bread? The label says: 9 g of protein, 3 g of fat, 49 g of carbohydrate. Written in a
# fixed order, the three numbers are a *vector*, $\mathbf{x} = (9, 3, 49)$. A single number, such as the price,
# is a *scalar*.
#
# In torch a vector is a tensor with one axis, a scalar a tensor with none. The entry in place $i$ is written
# $x_i$ in formulas and `x[i]` in code. Beware: most formulas count from 1, Python counts from 0.

# %%
bread, milk = torch.tensor([9., 3., 49.]), torch.tensor([3.4, 3.6, 4.8])
price = torch.tensor(0.45)
print(bread.shape, price.shape, 'carbohydrate:', bread[2])

# %% [markdown]
# Why put numbers into a vector? Because one operation then acts on all of them. One and a half portions of
# bread: every entry times 1.5. A meal of bread and milk: the vectors are added, entry by entry. So 150 g of
# bread and 200 g of milk hold 20.3 g of protein, 11.7 g of fat and 83.1 g of carbohydrate:

# %%
1.5 * bread + 2 * milk

# %% [markdown]
# A sum of multiples of vectors, $a\mathbf{u} + b\mathbf{v}$, is a *linear combination* of them. Scaling and
# adding are all that linear algebra ever does with vectors; everything below is built from these two.
#
# A vector with two entries can be drawn as an arrow from the origin.

# %% tags=["demo"]
import matplotlib.pyplot as plt


def arrow(ax, start, vector, color, text, shift=(0.1, 0.1), style='-'):
    """Draws `vector` as an arrow that begins at `start`."""
    end = (start[0] + vector[0], start[1] + vector[1])
    ax.annotate('', xy=end, xytext=start, arrowprops=dict(arrowstyle='->', color=color, lw=2, linestyle=style, shrinkA=0, shrinkB=0))
    ax.text((start[0] + end[0]) / 2 + shift[0], (start[1] + end[1]) / 2 + shift[1], text, color=color)


u, v = (2.5, 0.5), (0.5, 2.)
figure, axes = plt.subplots(1, 2, figsize=(7, 3), layout='constrained')
arrow(axes[0], (0, 0), u, 'C0', 'u', (0.1, -0.45))
arrow(axes[0], (0, 0), v, 'C1', 'v', (-0.45, 0.1))
arrow(axes[0], u, v, 'C1', 'v', (0.2, -0.1), '--')
arrow(axes[0], (0, 0), (3., 2.5), 'C2', 'u + v', (-0.3, 0.5))
w = (1.8, 1.2)
arrow(axes[1], (0, 0), (3.6, 2.4), 'C3', '2w', (1.1, 0.2))
arrow(axes[1], (0, 0), w, 'C0', 'w', (0.1, -0.4))
arrow(axes[1], (0, 0), (-0.9, -0.6), 'C4', '-0.5w', (-0.7, 0.3))
for ax, title in zip(axes, ('adding', 'scaling')):
    ax.set(xlim=(-1.5, 4.5), ylim=(-1, 3.5), aspect='equal', title=title, xlabel='entry 0', ylabel='entry 1')
    ax.grid(alpha=0.3)
plt.show()

# %% [markdown]
# Left: to add, put the second arrow at the tip of the first. Right: a factor changes the length, and a negative
# one turns the arrow round. All multiples of `w` lie on one line through the origin.

# %% [markdown] task="2.3.A" kind="code" minutes=2 difficulty=1 core=true needs="vector, linear combination"
# ### Mix two vectors
#
# Write `combine(a, u, b, v)`: the linear combination $a\mathbf{u} + b\mathbf{v}$ of two floating-point vectors
# of the same length. `a` and `b` are numbers.
#
# **You are done when**
# - **values**: each entry is `a` times the entry of `u` plus `b` times the entry of `v`;
# - **arguments kept**: `u` and `v` are as they were.

# %% exercise="2.3.A"
def combine(a, u, b, v):
    """The vector a u + b v."""
    ### BEGIN SOLUTION
    return a * u + b * v
    ### END SOLUTION

# %% [markdown] hints="2.3.A"
# 1. Which line of the worked code above made a meal of two foods?
# 2. `u *= a` would write into the caller's vector; `a * u` makes a new one.
# 3. Another case: for three vectors it is `p - 2 * q + 0.5 * r`.

# %% check="2.3.A" points=1
def which_multiple():
    u, v, zero = torch.tensor([1., 2., 3.]), torch.tensor([10., 0., -1.]), torch.zeros(3)
    u_alone, v_alone = combine(2., u, -3., zero), combine(2., zero, -3., v)
    if not torch.allclose(u_alone, 2 * u):
        return ("Where v is zero, 2 u should be left, (2, 4, 6); yours is "
                f"({', '.join(f'{entry:g}' for entry in u_alone.tolist())}).")
    if not torch.allclose(v_alone, -3 * v):
        return ("Where u is zero, -3 v should be left, (-30, 0, 3); yours is "
                f"({', '.join(f'{entry:g}' for entry in v_alone.tolist())}).")
    return "Where u or v is zero, yours is right. Where both are there, the two multiples, 2 u and -3 v, are added."

assert_close(combine(2., torch.tensor([1., 2., 3.]), -3., torch.tensor([10., 0., -1.])),
             torch.tensor([-28., 4., 9.]), "2 u - 3 v for u = (1, 2, 3) and v = (10, 0, -1)", of="values", hint=which_multiple,
             mistakes={"The two factors are exchanged.": torch.tensor([17., -6., -11.]),
                       "The vectors are added without their factors.": torch.tensor([11., 2., 2.]),
                       "The factor of v is missing.": torch.tensor([12., 4., 5.]),
                       "The factor of u is missing.": torch.tensor([-29., 2., 6.]),
                       "Both vectors got the factor of u.": torch.tensor([22., 4., 4.]),
                       "Both factors multiply u, and v is missing.": torch.tensor([-1., -2., -3.]),
                       "Both factors multiply v, and u is missing.": torch.tensor([-10., 0., 1.]),
                       "Both vectors got the factor of v.": torch.tensor([-33., -6., -6.]),
                       "v got the factor 1 - a; its own factor, b = -3, is given.": torch.tensor([-8., 4., 7.]),
                       "b multiplies the whole sum; it is the factor of v alone.": torch.tensor([-36., -12., -15.]),
                       "a multiplies the whole sum; it is the factor of u alone.": torch.tensor([-58., 4., 12.]),
                       "Both vectors were multiplied by the sum of the factors, -1; a belongs to u alone, b to v alone.":
                       torch.tensor([-11., -2., -2.]),
                       "This was divided by the sum of the factors; a linear combination is the sum alone.":
                       torch.tensor([28., -4., -9.]),
                       "The vectors were multiplied entry by entry; they are added.": torch.tensor([-60., 0., 18.]),
                       "The entries were added up, too; a vector of three is asked for.": torch.tensor(-15.),
                       "The two multiples stand one behind the other; they are added.": torch.tensor([2., 4., 6., -30., 0., 3.]),
                       "The two multiples stand below each other; they are added.": torch.tensor([[2., 4., 6.], [-30., 0., 3.]]),
                       "u has the wrong sign: its factor is 2, and it is added.": torch.tensor([-32., -4., -3.]),
                       "v has the wrong sign: its factor is -3, and it is added.": torch.tensor([32., 4., 3.])})
assert_close(combine(-2.5, torch.tensor([1., 2., 0., -3.]), 4, torch.tensor([3., 1., 5., 2.])),
             torch.tensor([9.5, -1., 20., 15.5]),
             "-2.5 u + 4 v for u = (1, 2, 0, -3) and v = (3, 1, 5, 2)", of="values",
             hint="The first entry is -2.5 · 1 + 4 · 3 = 9.5: factors and vectors need not be whole, and may have any sign and length.",
             mistakes={"The factor -2.5 was made a whole number, -2.": torch.tensor([10., 0., 20., 14.]),
                       "The factor -2.5 was made a whole number, -3.": torch.tensor([9., -2., 20., 17.]),
                       "Only the first three entries are there: vectors may be of any length.":
                       torch.tensor([9.5, -1., 20., 0.])})

@probe
def vectors_after_combining(a, u, b, v):
    combine(a, u, b, v)
    return u, v

for factors in ((2., 3.), (1., 3.), (2., 1.), (0., 3.), (2., 0.)):
    first, second = torch.tensor([1., 2.]), torch.tensor([5., 7.])
    after = vectors_after_combining(factors[0], first.clone(), factors[1], second.clone())
    for letter, now, before, factor in (("u", after[0], first, factors[0]), ("v", after[1], second, factors[1])):
        assert_close(now, before, f"{letter} after the call, with the factors {factors[0]} and {factors[1]}", of="arguments kept",
                     mistakes={} if 0. in factors else {
                         f"{letter} was multiplied by its factor in place, as `*=` does; `*` makes a new vector.": factor * before,
                         f"The result was written into {letter}; it belongs into a new vector.":
                         factors[0] * first + factors[1] * second},
                     hint="Write into neither of them, not even for a while: no division brings back what a factor 0 wiped out."
                     if 0. in factors else
                     "`u *= a` and `v += ...` write into the vectors of the caller; `a * u` and `+` make new ones.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2301)
p, q = (torch.randn(5, generator=rng, dtype=torch.float64) for _ in range(2))
assert_close(combine(0.5, p.clone(), 4., q.clone()), torch.tensor([0.5 * i + 4 * j for i, j in zip(p.tolist(), q.tolist())]).double(),
             "0.5 u + 4 v for random vectors of length 5", of="values", rtol=1e-4)
for a, b in ((-7.75, 0.), (1, -1), (0, 12.5)):
    assert_close(combine(a, p.clone(), b, q.clone()), torch.tensor([a * i + b * j for i, j in zip(p.tolist(), q.tolist())]).double(),
                 f"{a} u + ({b}) v for random vectors of length 5", of="values", rtol=1e-4)
    assert_close(vectors_after_combining(a, p.clone(), b, q.clone()), (p, q), f"u and v of length 5 after the call, with {a} and {b}",
                 of="arguments kept")
assert_close(vectors_after_combining(0.5, p.clone(), 1., q.clone()), (p, q), "u and v of length 5 after the call", of="arguments kept")
### END HIDDEN TESTS

# %% [markdown] teaches="matrix, row and column"
# ### Many foods are a matrix
#
# Put several foods below each other, and you have a *matrix*: a table, a tensor with two axes. Ours has a row
# for each food and a column for each nutrient. Its shape is (4, 3), the number of rows first. $A_{ij}$ is the
# entry in row $i$ and column $j$, in code `A[i, j]`; `A[i]` is a whole row, `A[:, j]` a whole column.

# %%
names = ['bread', 'milk', 'tofu', 'almonds']
foods = torch.tensor([[9., 3., 49.],        # protein, fat, carbohydrate in 100 g of bread
                      [3.4, 3.6, 4.8],      # milk
                      [8., 5., 2.],         # tofu
                      [21., 50., 22.]])     # almonds
print(foods.shape, '| tofu:', foods[2], '| fat:', foods[:, 1], '| fat in tofu:', foods[2, 1])

# %% [markdown] teaches="length of the first axis, order of axes, new axis"
# Nearly all data sets of this book are kept like that: **one row for each example, one column for each
# feature**. `len` says how many rows there are; it always looks at the first axis, the one that a `for` loop
# walks along. A tensor may have more axes: a grey picture has two (height, width), a hundred of them have
# three. So has a plan of 2 days with 3 meals each, and 4 amounts for each meal. `ndim` counts the axes, `numel()`
# the entries.

# %%
plan = torch.arange(24.).reshape(2, 3, 4)
print(len(plan), plan.ndim, plan.numel())
for day in plan:
    print('a piece of shape', tuple(day.shape))

# %% [markdown]
# Four things happen to axes all the time.
#
# - An *index* takes an axis away, a *slice* only shortens it.
# - `permute` puts the axes in another order: `permute(1, 2, 0)` asks for the old axis 1 first, then the old
#   axis 2, then the old axis 0. For a matrix, `.T` exchanges the two.
# - `None` in an index puts in a *new axis* of length 1.
# - `reshape(-1)` lays all entries along one axis. So does a mask with the entries that it picks: `plan < 5` is one.

# %%
print('index and slice:', plan[0].shape, plan[:, 1:].shape, plan[:, 1:, 0].shape)
print('another order:  ', plan.permute(1, 2, 0).shape, foods.T.shape)
print('a new axis:     ', plan[:, :, None].shape)
print('in one row:     ', plan.reshape(-1).shape, plan[plan < 5].shape)

# %% tags=["setup"]
X = torch.arange(24.).reshape(2, 3, 4)
boxes = {
    'a': X[1],
    'b': X[:, 0, 1:],
    'c': X.permute(2, 0, 1),
    'd': X[0].T,
    'e': X[None],
    'f': X[:, None],
    'g': X.reshape(-1),
    'h': X[X > 20],
}

# %% [markdown] task="2.3.4" kind="answer" minutes=4 difficulty=1 core=true needs="length of the first axis, order of axes, new axis, boolean mask"
# ### What `len` says
#
# `len(X)` is 2 for the tensor `X` of shape (2, 3, 4) with the entries 0, 1, ..., 23. The cell above makes eight
# tensors from it. What does `len` say of each? Predict all eight, then run the check.
#
# Set `lengths` to a dictionary with the keys `'a'` to `'h'` and the eight numbers.
#
# **You are done when**
# - **eight entries**: `lengths` is a dictionary with these keys, and each value is a whole number;
# - **index and slice**: the lengths of a and b;
# - **order of axes**: the lengths of c and d;
# - **new axis**: the lengths of e and f;
# - **one row**: the lengths of g and h.

# %% exercise="2.3.4"
### BEGIN SOLUTION
lengths = {'a': 3, 'b': 2, 'c': 4, 'd': 4, 'e': 1, 'f': 2, 'g': 24, 'h': 3}
### END SOLUTION

# %% [markdown] hints="2.3.4"
# 1. What is the whole shape of each of the eight? Write it down first.
# 2. `len` counts what you meet when you write `for piece in tensor`, the pieces along the first axis.
# 3. Another case: `len(torch.zeros(5, 2)[1:].T)` is 2: `[1:]` makes (4, 2), `.T` makes (2, 4).

# %% check="2.3.4" points=2 hidden_only="half of the predictions stay for grading"
assert_type(lengths, dict, "`lengths`", of="eight entries")
assert_equal(sorted(lengths), list('abcdefgh'), "the keys of `lengths`", of="eight entries")
assert_equal([key for key in lengths if isinstance(lengths[key], (str, tuple, list))], [], "the letters whose value is no number",
             of="eight entries",
             hint="`len` gives a whole number such as 3, the length of the first axis: no whole shape, and no string.")
all_of_them = "This is the number of entries; `len` counts along the first axis alone."

def as_if(*otherwise):
    """What is said where all eight numbers are those of a known misreading, or what else is said of one."""
    if all(lengths[key] == boxes[key].ndim for key in boxes):
        return "All eight of yours are the numbers of axes, `ndim`; `len` is the length of the first of them."
    if all(lengths[key] == boxes[key].shape[-1] for key in boxes):
        return "All eight of yours are lengths of the last axis; `len` looks at the first."
    return "".join(otherwise)

with part(0.25, "box a", of="index and slice"):
    assert_equal(lengths['a'], 3, "len of X[1]", mistakes={all_of_them: 12},
                 hint=lambda: as_if("An index takes its axis away: (2, 3, 4) becomes (3, 4)."))
with part(0.25, "box c", of="order of axes"):
    assert_equal(lengths['c'], 4, "len of X.permute(2, 0, 1)", mistakes={all_of_them: 24},
                 hint=lambda: as_if("`permute(2, 0, 1)` asks for the old axis 2 first, and this has the length 4."))
with part(0.25, "box e", of="new axis"):
    assert_equal(lengths['e'], 1, "len of X[None]", hint="The new axis stands where None is written, and has the length 1.",
                 mistakes={all_of_them: 24, "This is the old first axis; the new one, of length 1, stands where None is written, before it.":
                           2})
with part(0.25, "box g", of="one row"):
    assert_equal(lengths['g'], 24, "len of X.reshape(-1)", hint="All entries lie along one axis.")
### BEGIN HIDDEN TESTS
assert_equal(len(lengths), 8, "the number of entries", of="eight entries")
with part(0.25, "box b", of="index and slice"):
    assert_equal(lengths['b'], len(boxes['b']), "len of X[:, 0, 1:]",
                 hint="The index 0 takes axis 1 away, and `1:` shortens axis 2; `:` keeps the whole of axis 0.")
with part(0.25, "box d", of="order of axes"):
    assert_equal(lengths['d'], len(boxes['d']), "len of X[0].T", hint="`X[0]` has two axes, and `.T` exchanges them.")
with part(0.25, "box f", of="new axis"):
    assert_equal(lengths['f'], len(boxes['f']), "len of X[:, None]", hint="The new axis stands behind the first one.")
with part(0.25, "box h", of="one row"):
    assert_equal(lengths['h'], len(boxes['h']), "len of X[X > 20]",
                 mistakes={"20 itself is not larger than 20.": 4,
                           "This is the old first axis; a mask of all entries keeps no axis.": 2,
                           "The mask picks some of the 24 entries, not all.": 24},
                 hint="A mask lays the entries that it picks along one axis: how many of 0, 1, ..., 23 are larger than 20?")
### END HIDDEN TESTS
total()

# %% [markdown]
# A tensor without axes has no first axis, and `len` refuses it. A length of 0 is allowed, though: an empty
# batch has a first axis, and nothing along it.

# %% tags=["demo"]
print(len(torch.zeros(0, 3)), len(torch.zeros(3, 0)))
try:
    len(torch.tensor(3.))
except TypeError as error:
    print('TypeError:', error)

# %% [markdown] task="2.3.5" kind="code" minutes=4 difficulty=1 needs="length of the first axis"
# ### The axis that `len` looks at
#
# Write `predict_len(shape)`: for a shape, given as a tuple, it returns what `len` says of a tensor of that
# shape, as an `int`; or the string `'TypeError'` where `len` raises one.
#
# **You are done when**
# - **first axis**: the length of the first axis, however many axes there are;
# - **empty axes**: the right number also where some axis has length 0;
# - **no axis**: `'TypeError'` for the shape `()`.

# %% exercise="2.3.5"
def predict_len(shape):
    """len of a tensor of this shape: an int, or 'TypeError'."""
    ### BEGIN SOLUTION
    return shape[0] if shape else 'TypeError'
    ### END SOLUTION

# %% [markdown] hints="2.3.5"
# 1. Which of the axes stays the same in (4, 7), (4, 1) and (4, 2, 9), for all of which `len` says 4?
# 2. An empty tuple counts as false: `if shape:` asks whether there is any axis.
# 3. Another case: `torch.zeros(5, 0)` has no entries at all, and yet you can loop over it five times.

# %% check="2.3.5" points=1
assert_type(predict_len((4, 7)), int, "what predict_len((4, 7)) returns", of="first axis",
            hint="An `int` is asked for, not a tensor or a float.")
assert_equal(predict_len((5, 3, 9, 2, 7, 8)), 5, "the length for shape (5, 3, 9, 2, 7, 8)", of="first axis",
             hint="The first axis has the length 5, and `len` looks at no other.",
             mistakes={"The lengths of all axes are added up here; `len` looks at the first alone.": 34,
                       "This is the last axis.": 8, "This is the last axis but one.": 7,
                       "This is axis 1; the first has the number 0.": 3,
                       "This is the number of entries.": 15120, "This is the number of axes.": 6, "This is the longest axis.": 9,
                       "This is the shortest axis.": 2})
assert_equal(predict_len((8,)), 8, "the length for shape (8,), a vector", of="first axis",
             hint="A vector has one axis, and this is its first.")
assert_equal(predict_len((0, 3)), 0, "the length for shape (0, 3)", of="empty axes",
             hint="The first axis is there, and its length is 0.")
assert_equal(predict_len((0,)), 0, "the length for shape (0,)", of="empty axes", hint="There is one axis, and its length is 0.",
             mistakes={"An axis of length 0 is an axis, too: `len` raises only where there is none.": 'TypeError'})
assert_equal(predict_len((3, 0)), 3, "the length for shape (3, 0)", of="empty axes",
             mistakes={"There are no entries, but there are three empty rows.": 0})

@probe
def what_len_raises(shape):
    try:
        predict_len(shape)
    except Exception as error:
        return f"raises {type(error).__name__}: {error}"
    return ""

found = what_len_raises(())
assert_true(not found, "predict_len(()) returns something", of="no axis",
            hint=f"It {found}. `len` itself raises there; predict_len is to return the string 'TypeError'.")
assert_equal(predict_len(()), 'TypeError', "the answer for the shape ()", of="no axis",
             hint="Without an axis `len` raises: the string 'TypeError' is to be returned.")
### BEGIN HIDDEN TESTS
for shape, name in (((5,), "first axis"), ((1, 6, 2), "first axis"), ((2, 1, 1, 8), "first axis"), ((9, 1, 3), "first axis"),
                    ((4, 2, 0), "empty axes"), ((0, 0), "empty axes"), ((1, 0, 5), "empty axes"), ((), "no axis")):
    try:
        says = len(torch.zeros(shape))
    except TypeError:
        says = 'TypeError'
    if shape:
        assert_type(predict_len(shape), int, f"what predict_len({shape}) returns", of=name)
    assert_equal(predict_len(shape), says, f"the length for shape {shape}", of=name)
### END HIDDEN TESTS

# %% [markdown] teaches="stack and cat"
# ### Stacking makes a new axis
#
# How do three pictures become one tensor? `torch.stack(list, dim=d)` puts tensors of equal shape side by side
# along a **new** axis number d. `torch.cat` joins along an axis that is there already.

# %%
first, second = torch.zeros(2, 3), torch.ones(2, 3)
print(torch.stack([first, second], dim=0).shape, torch.stack([first, second], dim=2).shape,
      torch.cat([first, second], dim=0).shape)

# %% [markdown]
# To get a tensor back, index the axis that is new. ⚠ One reads that "the second slice of the third axis" of
# three stacked (100, 200) matrices gives back the second matrix. That holds for only one way of stacking:

# %% tags=["demo"]
three = [torch.full((100, 200), float(k)) for k in (1, 2, 3)]
for d in range(3):
    stacked = torch.stack(three, dim=d)
    second = stacked[:, :, 1]
    same = second.shape == three[1].shape and torch.equal(second, three[1])
    print(f'dim={d}: stacked {tuple(stacked.shape)}, [:, :, 1] has shape {tuple(second.shape)}:',
          'the second matrix' if same else 'something else')

# %% [markdown]
# So for `dim=0`, torch's default, take `stacked[1]`; for `dim=1`, `stacked[:, 1]`. Where the number of the axis
# is in a variable, `stacked.select(d, 1)` takes slice 1 of axis d.

# %% [markdown] task="2.3.12a" kind="code" minutes=4 difficulty=2 core=true needs="stack and cat"
# ### Stack so that the third axis counts
#
# Write `stack_last(matrices)`: for a list of k matrices of shape `(m, n)` it returns a tensor in which
# `result[:, :, i]` is matrix number i.
#
# **You are done when**
# - **shape**: it is `(m, n, k)`, for one matrix, too;
# - **slices**: each `result[:, :, i]` holds the entries of matrix number i, in their places;
# - **dtype**: it is that of the matrices.

# %% exercise="2.3.12a"
def stack_last(matrices):
    """k matrices (m, n) -> (m, n, k), where [:, :, i] is the i-th matrix."""
    ### BEGIN SOLUTION
    return torch.stack(matrices, dim=2)
    ### END SOLUTION

# %% [markdown] hints="2.3.12a"
# 1. Where is the new axis, and how long is it?
# 2. `torch.stack(tensors, dim=d)` makes the new axis number d. A `reshape` to (m, n, k) has the shape, but
#    mixes the entries.
# 3. Another case: two vectors of length 5, stacked along dim=1, make a (5, 2) matrix with the vectors as
#    columns.

# %% check="2.3.12a" points=1
def where_from(place):
    """Which entry stands where another one belongs: random entries are known by their values."""
    stacked = stack_last(trio)[:, :, place]
    i, j = ((stacked - trio[place]).abs() > 1e-4).nonzero()[0].tolist()
    for number, matrix in enumerate(trio):
        if (at := (matrix == stacked[i, j]).nonzero()).shape[0] == 1:
            return (f"result[{i}, {j}, {place}] is to be entry ({i}, {j}) of matrix number {place}; here it is entry "
                    f"({int(at[0, 0])}, {int(at[0, 1])}) of matrix number {number}.")
    return ""

rng = torch.Generator().manual_seed(1)
trio = [torch.randn(100, 200, generator=rng) for _ in range(3)]
assert_shape(stack_last(trio), (100, 200, 3), "the shape for three matrices of 100 by 200", of="shape",
             hint="The rows and the columns of the matrices come first, in this order; the new axis is the last.",
             mistakes={"The new axis, of length 3, is the first one here; it is to be the last.": (3, 100, 200),
                       "The new axis, of length 3, stands in the middle; it is to be the last.": (100, 3, 200),
                       "There is no new axis: the matrices stand side by side, as `torch.cat` puts them.": (100, 600),
                       "There is no new axis: the matrices stand below each other, as `torch.cat` puts them.": (300, 200),
                       "The new axis is the last, but rows and columns of the matrices are exchanged.": (200, 100, 3)})
for place in range(3):
    assert_close(stack_last(trio)[:, :, place], trio[place], f"slice {place} of the third axis, for three matrices", of="slices",
                 mistakes={f"This is matrix number {other}." if place == 1 else
                           f"This is matrix number {other}: their order is not that of the list.": trio[other]
                           for other in range(3) if other != place} | {
                               "The shape is right, but the entries are not where they belong: a stack was cut up anew by "
                               "`reshape` or `view`, which keep the order of the entries.":
                               torch.stack(trio).reshape(100, 200, 3)[:, :, place],
                               "The shape is right, but the entries are not where they belong: matrices side by side were cut up "
                               "anew by `reshape` or `view`, which keep the order of the entries.":
                               torch.cat(trio, dim=1).reshape(100, 200, 3)[:, :, place]},
                 hint=lambda: f"The shape is right, the entries are not where they belong. {where_from(place)}".strip())
assert_shape(stack_last(trio[:1]), (100, 200, 1), "the shape for one matrix of 100 by 200", of="shape",
             hint="One matrix, too, gets the third axis, of length 1.")
assert_shape(stack_last([matrix[:1] for matrix in trio]), (1, 200, 3), "the shape for three matrices of 1 by 200", of="shape",
             hint="Matrices of one row keep this axis of length 1.")
assert_dtype(stack_last([matrix.double() for matrix in trio]), torch.float64, "the dtype for float64 matrices", of="dtype",
             hint="`torch.stack` keeps the dtype of the matrices; `torch.zeros` makes float32, unless `dtype=` says otherwise.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2312)
for m, n, k in ((3, 5, 4), (4, 4, 4), (2, 6, 1), (1, 3, 2)):
    pile = [torch.randn(m, n, generator=rng) for _ in range(k)]
    assert_shape(stack_last(pile), (m, n, k), f"the shape for {k} matrices of {m} by {n}", of="shape")
    for i in range(k):
        assert_close(stack_last(pile)[:, :, i], pile[i], f"matrix {i} of {k} matrices of {m} by {n}", of="slices")
whole = [torch.randint(-9, 9, (2, 3), generator=rng) for _ in range(2)]
assert_dtype(stack_last(whole), torch.int64, "the dtype for matrices of integers", of="dtype")
assert_equal(stack_last(whole)[:, :, 1].tolist(), whole[1].tolist(), "the second of two matrices of integers", of="slices")
### END HIDDEN TESTS

# %% [markdown] task="2.3.12b" kind="code" minutes=5 difficulty=2 needs="stack and cat"
# ### Take one out again
#
# Write `recover(stacked, i, dim)`: `stacked` was made by `torch.stack(tensors, dim=dim)`. It returns tensor
# number i.
#
# **You are done when**
# - **which one**: it is tensor number i, for each i;
# - **any axis**: `dim` may be each axis of `stacked`, also counted from the end: -1 is the last;
# - **shape**: it is that of the tensors before they were stacked, axes of length 1 included; these may be vectors
#   and scalars, too;
# - **dtype**: it is that of `stacked`.

# %% exercise="2.3.12b"
def recover(stacked, i, dim):
    """The i-th of the tensors that were stacked along axis `dim`."""
    ### BEGIN SOLUTION
    return stacked.select(dim, i)
    ### END SOLUTION

# %% [markdown] hints="2.3.12b"
# 1. For `dim=1` you would write `stacked[:, i]`. What for any `dim`?
# 2. `select` takes one slice of one axis and drops this axis. `squeeze()` without an argument would drop every
#    axis of length 1.
# 3. Another case: `t.select(0, 2)` is `t[2]`, and `t.select(-1, 2)` is `t[..., 2]`.

# %% check="2.3.12b" points=2
def which_slice(stacked, i, dim):
    found = recover(stacked, i, dim)
    if found.shape == stacked.select(dim, i).unsqueeze(dim).shape and torch.equal(found.select(dim, 0), stacked.select(dim, i)):
        return f"The entries are right, but axis {dim} is still there, with length 1: it has to go."
    for axis in range(stacked.ndim):
        for place in range(stacked.shape[axis]):
            if torch.equal(found, stacked.select(axis, place)):
                return f"This is slice {place} of axis {axis} of `stacked`; asked for is slice {i} of axis {dim}."
    return ""

trio = [torch.arange(6.).reshape(2, 3) * k for k in (1, 10, 100)]
assert_shape(recover(torch.stack(trio), 1, 0), (2, 3), "one of three matrices of shape (2, 3), stacked along dim=0", of="shape",
             hint=lambda: which_slice(torch.stack(trio), 1, 0) or "The axis that goes, and no other, is axis `dim` of `stacked`.")
for i in range(3):
    assert_close(recover(torch.stack(trio), i, 0), trio[i], f"number {i} of three matrices, stacked along dim=0", of="which one",
                 hint=lambda: which_slice(torch.stack(trio), i, 0),
                 mistakes={"This is the sum of the tensors; one of them is asked for.": trio[0] + trio[1] + trio[2]} | {
                     f"This is tensor number {other}; they are counted from 0.": trio[other] for other in range(3) if other != i})
for d in (1, 2, -1, -2):
    assert_close(recover(torch.stack(trio, dim=d), 1, d), trio[1],
                 f"number 1 of three matrices, stacked along dim={d}", of="any axis",
                 hint=lambda: which_slice(torch.stack(trio, dim=d), 1, d) or
                 "Axis `dim` of `stacked` goes, and the other axes stay in their order." if d > 0 else
                 f"{which_slice(torch.stack(trio, dim=d), 1, d)} The axes of `stacked` are 0, 1 and 2, and -1 means 2, the last: "
                 f"axis {d} is axis {d % 3}.".strip())
cubes = [torch.arange(24.).reshape(2, 3, 4) * k for k in (1, 10)]

@probe
def what_recover_raises(stacked, i, dim):
    try:
        recover(stacked, i, dim)
    except Exception as error:
        return f"raises {type(error).__name__}: {error}"
    return ""

for d in (3, 1):
    trouble = what_recover_raises(torch.stack(cubes, dim=d), 1, d)
    assert_true(not trouble, f"recover returns something for two tensors of shape (2, 3, 4), stacked along dim={d}",
                of="any axis", hint=f"`stacked` has four axes here, and may have more. It {trouble}.")
    assert_close(recover(torch.stack(cubes, dim=d), 1, d), cubes[1],
                 f"number 1 of two tensors of shape (2, 3, 4), stacked along dim={d}",
                 of="any axis", hint=lambda: f"`stacked` may have four axes and more. {which_slice(torch.stack(cubes, dim=d), 1, d)}".strip())
flat = [torch.arange(3.).reshape(1, 3) + k for k in (0, 10)]
assert_shape(recover(torch.stack(flat, dim=1), 1, 1), (1, 3), "one of two matrices of shape (1, 3), stacked along dim=1",
             of="shape", hint="The matrices had an axis of length 1; only the new axis may go.")
assert_shape(recover(torch.arange(8).reshape(4, 2), 1, 1), (4,), "one of two vectors of length 4, stacked along dim=1", of="shape",
             hint=lambda: which_slice(torch.arange(8).reshape(4, 2), 1, 1) or "A vector of length 4 is asked for.")
assert_shape(recover(torch.tensor([5., 6., 7.]), 1, 0), (), "one of three scalars", of="shape",
             hint="A tensor without axes is asked for.")
assert_dtype(recover(torch.arange(8).reshape(4, 2), 1, 1), torch.int64, "the dtype for two vectors of integers", of="dtype",
             hint="Nothing is computed, only taken out: the integers stay integers.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2313)
same = [torch.randn(4, 4, generator=rng) for _ in range(4)]
for d in (0, 1, 2, -1, -2, -3):
    for i in (0, 2, 3):
        assert_close(recover(torch.stack(same, dim=d), i, d), same[i],
                     f"matrix {i} of four 4 by 4 matrices, dim={d}", of="which one")
cubes = [torch.randn(2, 3, 5, generator=rng) for _ in range(2)]
for d in (1, 3, -2):
    assert_close(recover(torch.stack(cubes, dim=d), 0, d), cubes[0],
                 f"the first of two tensors of shape (2, 3, 5), dim={d}", of="any axis")
thin = [torch.randn(1, 4, 1, generator=rng) for _ in range(3)]
assert_shape(recover(torch.stack(thin, dim=-1), 2, -1), (1, 4, 1), "the last of three tensors of shape (1, 4, 1), dim=-1",
             of="shape")
deep = [torch.randn(2, 3, 2, 2, generator=rng, dtype=torch.float64) for _ in range(3)]
for d in (2, 4, -4):
    found = recover(torch.stack(deep, dim=d), 1, d)
    assert_dtype(found, torch.float64, f"the dtype for float64 tensors, dim={d}", of="dtype")
    assert_close(found, deep[1], f"number 1 of three tensors of shape (2, 3, 2, 2), dim={d}", of="any axis")
rows = torch.randn(3, 5, generator=rng)
assert_shape(recover(rows, 2, 0), (5,), "the last of three vectors of length 5, stacked along dim=0", of="shape")
assert_shape(recover(rows[0], 4, -1), (), "the last of five scalars, dim=-1", of="shape")
### END HIDDEN TESTS

# %% [markdown] teaches="sum along an axis, mean along an axis, cumulative sum"
# ## Sums along an axis
#
# How much protein do the four foods hold together? And how many grams of nutrients does each food hold? Both
# are sums of our table, taken along different axes. `sum()` adds everything; `sum(dim=k)`, or `axis=k`, adds
# **along** axis k:

# %%
print('everything:', foods.sum())
print('along axis 0, down the rows:      ', foods.sum(dim=0))
print('along axis 1, across the columns: ', foods.sum(dim=1))

# %% tags=["demo"]
figure, ax = plt.subplots(figsize=(6, 3.2), layout='constrained')
ax.set(xlim=(-1.6, 5.2), ylim=(6.2, -0.8))
ax.axis('off')
for i, row in enumerate(foods.tolist()):
    ax.text(-0.6, i, names[i], ha='right', va='center')
    for j, entry in enumerate(row):
        ax.text(j, i, f'{entry:g}', ha='center', va='center', bbox=dict(boxstyle='square,pad=0.4', fc='lightgray', ec='white'))
    ax.text(4.6, i, f'{sum(row):.1f}', ha='center', va='center', color='#a34a00')
ax.text(4.6, -0.6, 'sum(dim=1)', ha='center', color='#a34a00')
ax.annotate('', xy=(4.1, 1.5), xytext=(2.7, 1.5), arrowprops=dict(arrowstyle='->', color='#a34a00', lw=2))
for j, entry in enumerate(foods.sum(dim=0).tolist()):
    ax.text(j, 5.4, f'{entry:.1f}', ha='center', va='center', color='C0')
ax.text(-0.6, 5.4, 'sum(dim=0)', ha='right', va='center', color='C0')
ax.annotate('', xy=(1, 5), xytext=(1, 3.7), arrowprops=dict(arrowstyle='->', color='C0', lw=2))
plt.show()

# %% [markdown]
# The arrows run along the axis that is summed. **The axis that you name is the one that disappears**: from (4,
# 3), `dim=0` leaves (3,), one sum for each column, and `dim=1` leaves (4,), one for each row. Several axes can
# go at once, `sum(dim=(0, 1))`. The mean works in the same way: it is the sum divided by the number of entries
# that were added. `cumsum` keeps all partial sums, and so keeps the shape.

# %%
print(foods.sum(dim=(0, 1)), foods.mean(dim=0), foods.sum(dim=0) / 4)
print(foods.cumsum(dim=0)[:, 0])

# %% [markdown] task="2.3.B" kind="code" minutes=3 difficulty=1 core=true needs="mean along an axis, broadcasting"
# ### Centre the columns
#
# Before training, each feature is often shifted so that its mean over all examples is 0.
#
# Write `centre(A)`: from each column of the matrix `A`, of shape `(n, d)` and floating point, the mean of this
# column is subtracted.
#
# **You are done when**
# - **values**: each entry is the old one minus the mean of its column, with the precision of `A`;
# - **arguments kept**: `A` is as it was.

# %% exercise="2.3.B"
def centre(A):
    """A (n, d) minus the mean of each of its columns: (n, d)."""
    ### BEGIN SOLUTION
    return A - A.mean(dim=0)
    ### END SOLUTION

# %% [markdown] hints="2.3.B"
# 1. Along which axis do you walk to collect the entries of one column?
# 2. The means have shape (d,). Lined up at the right with (n, d), each meets its own column.
# 3. Another case: `A / A.max(dim=0).values` divides each column by its largest entry.

# %% check="2.3.B" points=1
def what_was_taken(A):
    taken = A - centre(A.clone())
    for j, column in enumerate(A.T):
        entries, mean, off = " + ".join(f"{entry:g}" for entry in column.tolist()), float(column.mean()), taken[:, j].tolist()
        if not torch.allclose(taken[:, j], taken[:1, j]):
            return (f"From the entries of column {j}, different numbers were taken off: {', '.join(f'{number:.4g}' for number in off)}. "
                    f"Each of them loses the same, the mean of the column, ({entries}) / {len(column)} = {mean:g}.")
        if abs(off[0] - mean) > 1e-3:
            return f"From the entries of column {j}, {off[0]:.4g} was taken off; their mean is ({entries}) / {len(column)} = {mean:g}."
    return ""

def divided_by():
    tall = torch.tensor([[5., 1.], [4., 2.], [3., 9.], [0., 0.]])     # each column adds up to 12
    taken = tall - centre(tall.clone())
    for number, what in ((2, "the number of columns"), (3, "n - 1")):
        if torch.allclose(taken, torch.full((4, 2), 12 / number)):
            return f"The sum of each column was divided by {what}; the mean divides by the number of its entries, n."
    return ""

sample = torch.tensor([[1., 10.], [3., 30.], [5., 80.]])
assert_close(centre(sample.clone()), torch.tensor([[-2., -30.], [0., -10.], [2., 40.]]), "((1, 10), (3, 30), (5, 80)) centred", of="values",
             hint=lambda: divided_by() or what_was_taken(sample),
             mistakes={"Each column was divided by its mean, which is to be subtracted.": sample / sample.mean(dim=0),
                       "The entries were subtracted from the mean; it is the mean that is subtracted from them.":
                       sample.mean(dim=0) - sample,
                       "Each column was divided by its mean after this was subtracted; it is subtracted, and that is all.":
                       sample / sample.mean(dim=0) - 1,
                       "The mean of each row was subtracted.": sample - sample.mean(dim=1, keepdim=True),
                       "The mean of all entries was subtracted.": sample - sample.mean(),
                       "The sum of each column was subtracted, not its mean.": sample - sample.sum(dim=0),
                       "Each column was divided by its spread, too; only its mean is to be subtracted.":
                       torch.tensor([[-1., -30 / 1300 ** 0.5], [0., -10 / 1300 ** 0.5], [1., 40 / 1300 ** 0.5]]),
                       "Each column was divided by the root of its mean square, too; only its mean is to be subtracted.":
                       torch.tensor([[-1.5 ** 0.5, -30 * (3 / 2600) ** 0.5], [0., -10 * (3 / 2600) ** 0.5], [1.5 ** 0.5, 40 * (3 / 2600) ** 0.5]]),
                       "The mean was added, not subtracted.": torch.tensor([[4., 50.], [6., 70.], [8., 120.]]),
                       "These are the means; asked for are the entries minus them.": torch.tensor([3., 40.]),
                       "The mean of each row was subtracted, too; only that of each column is to be.":
                       torch.tensor([[14., -14.], [5., -5.], [-19., 19.]]),
                       "From each column its first and smallest entry was subtracted, not its mean.":
                       torch.tensor([[0., 0.], [2., 20.], [4., 70.]]),
                       "From each column its last and largest entry was subtracted, not its mean.":
                       torch.tensor([[-4., -70.], [-2., -50.], [0., 0.]]),
                       "The middle between the smallest and the largest entry was subtracted, not the mean.":
                       sample - torch.tensor([3., 45.]),
                       "The median of each column was subtracted, not its mean.": sample - sample.median(dim=0).values})
square = torch.tensor([[1., 4.], [3., 10.]])
assert_close(centre(square.clone()), torch.tensor([[-1., -3.], [1., 3.]]), "((1, 4), (3, 10)) centred", of="values",
             hint=lambda: what_was_taken(square),
             mistakes={"The sum of each column was divided by 3; here a column has two entries.":
                       torch.tensor([[-1 / 3, -2 / 3], [5 / 3, 16 / 3]]),
                       "From each column the mean of a row was subtracted: along which axis was the mean taken?":
                       torch.tensor([[-1.5, -2.5], [0.5, 3.5]]),
                       "From each row its own mean was subtracted.": torch.tensor([[-1.5, 1.5], [-3.5, 3.5]])})
between = torch.tensor([[1., 4.], [2., 7.]])
assert_close(centre(between.clone()), torch.tensor([[-0.5, -1.5], [0.5, 1.5]]), "((1, 4), (2, 7)) centred", of="values",
             hint=lambda: what_was_taken(between))
far = torch.tensor([[1.], [2.], [6.]], dtype=torch.float64) + 10 ** 9
assert_close(centre(far.clone()), torch.tensor([[-2.], [-1.], [3.]], dtype=torch.float64),
             "the column of a billion and 1, 2 and 6, in float64, centred", of="values", rtol=1e-4, atol=1e-4,
             hint="In float32 these numbers lose their last digits.")
assert_dtype(centre(far.clone()), torch.float64, "the dtype for a column in float64", of="values",
             hint="A result in another dtype has not the precision of A.")

@probe
def matrix_after_centring(A):
    centre(A)
    return A

assert_close(matrix_after_centring(sample.clone()), sample, "A after the call", of="arguments kept",
             hint="`A -= ...` and `A[...] = ...` write into the matrix of the caller; `A - ...` makes a new one.",
             mistakes={"The means were taken off in A itself, as `-=` does; `-` makes a new matrix.": sample - sample.mean(dim=0)})
uneven = torch.tensor([[1e8], [1.]])
assert_close(matrix_after_centring(uneven.clone()), uneven, "A = ((1e8,), (1,)) after the call", of="arguments kept",
             hint="Write into A not even for a while: the digits that were lost do not come back.",
             mistakes={"The mean was taken off in place and added again: the digits that were lost do not come back.":
                       torch.tensor([[1e8], [0.]])})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2302)
for n, d in ((4, 4), (5, 2), (6, 1), (1, 3)):
    sample = torch.randn(n, d, generator=rng, dtype=torch.float64)
    columns = [column - sum(column.tolist()) / n for column in sample.T]
    assert_close(centre(sample.clone()), torch.stack(columns, dim=1), f"random numbers of shape ({n}, {d}) centred", of="values", rtol=1e-4, atol=1e-6)
assert_close(matrix_after_centring(sample.clone()), sample, "A of shape (1, 3) after the call, for float64", of="arguments kept",
             hint="Where A is of float64, `A.double()` is A itself and no copy: an operation in place then "
                  "writes into the caller's matrix.")
uneven = torch.tensor([[-3e9, 7.], [2., 5e9], [1., 1.]])
assert_close(matrix_after_centring(uneven.clone()), uneven, "A with large and small entries, after the call", of="arguments kept")
spread = torch.randn(5, 3, generator=rng, dtype=torch.float64)
assert_close(centre(spread + 10 ** 8), torch.stack([column - sum(column.tolist()) / 5 for column in spread.T], dim=1),
             "random numbers plus a hundred millions, in float64, of shape (5, 3) centred", of="values", rtol=1e-4, atol=1e-4)
assert_dtype(centre(spread.clone()), torch.float64, "the dtype for float64 of shape (5, 3)", of="values")
### END HIDDEN TESTS

# %% [markdown] teaches="keepdim"
# With `keepdim=True` the summed axis stays, with length 1. A rule for shapes follows: without it, the named
# axes are struck out; with it, they become 1.

# %%
print(plan.shape, plan.sum(dim=1).shape, plan.sum(dim=1, keepdim=True).shape, plan.sum(dim=(0, -1)).shape)

# %% [markdown] task="2.3.8" kind="code" minutes=8 difficulty=2 core=true needs="sum along an axis, keepdim"
# ### The shape of a sum
#
# Write `shape_of_sum(shape, axes, keepdim)`: the shape, as a tuple or list of numbers, of
# `X.sum(dim=axes, keepdim=keepdim)` for a tensor `X` of this `shape`. `axes` is a tuple of one or more different
# axes.
#
# **You are done when**
# - **axes gone**: with `keepdim=False`, exactly the axes in `axes` are gone, one or several;
# - **keepdim**: with `keepdim=True`, they have length 1;
# - **from the end**: an axis may be negative, -1 is the last;
# - **any size**: it also works for shapes whose tensor would fit into no memory.

# %% exercise="2.3.8"
def shape_of_sum(shape, axes, keepdim):
    """The shape that is left of `shape` when the axes are summed; with keepdim they stay with length 1."""
    ### BEGIN SOLUTION
    gone = {axis % len(shape) for axis in axes}
    if keepdim:
        return tuple(1 if i in gone else n for i, n in enumerate(shape))
    return tuple(n for i, n in enumerate(shape) if i not in gone)
    ### END SOLUTION

# %% [markdown] hints="2.3.8"
# 1. Which axes are left when you sum along axis 1 of (2, 3, 4)?
# 2. `axis % len(shape)` turns -1 into the number of the last axis. `enumerate(shape)` gives each axis with its
#    number.
# 3. Another case: the mean over the axes (0, 2, 3) of images of shape (32, 3, 28, 28) has one number for each
#    channel: (3,).

# %% check="2.3.8" points=2
assert_type(shape_of_sum((2, 3, 4), (1,), False), (tuple, list), "what shape_of_sum((2, 3, 4), (1,), False) returns", of="axes gone",
            hint="The numbers of the shape, in a tuple or a list, and no tensor.")
for axis, wanted in ((0, (3, 4)), (1, (2, 4)), (2, (2, 3))):
    assert_equal(shape_of_sum((2, 3, 4), (axis,), False), wanted,
                 f"the shape of the sum of (2, 3, 4) over axis {axis}", of="axes gone",
                 mistakes={"This is the axis that is summed; the others are left.": ((2, 3, 4)[axis],),
                           "This is the shape with `keepdim=True`; here it is False.":
                           tuple(1 if place == axis else length for place, length in enumerate((2, 3, 4)))},
                 hint=f"The axes have the numbers 0, 1 and 2: axis {axis}, of length {(2, 3, 4)[axis]}, goes, and the two others stay.")
assert_equal(shape_of_sum((2, 3, 4), (0, 1), False), (4,), "shape (2, 3, 4), axes (0, 1), keepdim=False", of="axes gone",
             mistakes={"Only axis 0 is gone; axis 1 is summed, too.": (3, 4),
                       "Only axis 1 is gone; axis 0 is summed, too.": (2, 4)},
             hint="The numbers of both axes are those in (2, 3, 4), before either of them is gone.")
assert_equal(shape_of_sum((3, 2, 2), (1,), False), (3, 2), "shape (3, 2, 2), axes (1,), keepdim=False", of="axes gone",
             hint="Two axes have the same length, and one of them stays.")
assert_equal(shape_of_sum((2, 3, 2), (2,), False), (2, 3), "shape (2, 3, 2), axes (2,), keepdim=False", of="axes gone",
             mistakes={"Axis 0 is gone: it has the same length, but axis 2 is the one that is summed.": (3, 2),
                       "Both axes of length 2 are gone; axis 2 alone is summed.": (3,)})
assert_equal(shape_of_sum((5, 1, 4), (0,), False), (1, 4), "shape (5, 1, 4), axes (0,), keepdim=False", of="axes gone",
             hint="Axis 1 has the length 1 and is not summed: it stays.")
assert_equal(shape_of_sum((7,), (0,), False), (), "shape (7,), axes (0,), keepdim=False", of="axes gone",
             mistakes={"No axis is left, and the shape has no number: `()`.": (1,)})
assert_equal(shape_of_sum((2, 3, 4), (1,), True), (2, 1, 4), "shape (2, 3, 4), axes (1,), keepdim=True", of="keepdim",
             mistakes={"The axis is gone; with `keepdim=True` it stays, with length 1.": (2, 4),
                       "A summed axis that is kept has the length 1, not 0.": (2, 0, 4),
                       "This is the axis that is summed; the others stay, and this one becomes 1.": (3,),
                       "The new axis of length 1 is in the wrong place: axis 1, where the 3 stood, becomes 1.": (2, 4, 1),
                       "Nothing happened to the axis.": (2, 3, 4)},
             hint="Each axis keeps its place, and the 3 becomes a 1.")
assert_equal(shape_of_sum((2, 3, 4), (2, 0), True), (1, 3, 1), "shape (2, 3, 4), axes (2, 0), keepdim=True", of="keepdim",
             mistakes={"Both axes are gone; with `keepdim=True` they stay, with length 1.": (3,),
                       "One of the two axes is gone; with `keepdim=True` both stay.": (1, 3)},
             hint="Both axes become 1, and no other.")
assert_equal(shape_of_sum((3, 2, 2), (2,), True), (3, 2, 1), "shape (3, 2, 2), axes (2,), keepdim=True", of="keepdim",
             mistakes={"Axis 1 has become 1: it has the same length, but axis 2 is the one that is summed.": (3, 1, 2),
                       "Both axes of length 2 have become 1; axis 2 alone is summed.": (3, 1, 1)})
assert_equal(shape_of_sum((2, 3, 4), (-1,), False), (2, 3), "shape (2, 3, 4), axes (-1,), keepdim=False", of="from the end",
             mistakes={"Nothing is gone; -1 is the last axis, number 2 of these three, and it is summed.": (2, 3, 4),
                       "The first axis is gone; -1 counts from the end, and is the last.": (3, 4),
                       "The last axis but one is gone; -1 is the last.": (2, 4),
                       "The last axis has become 1; here `keepdim` is False.": (2, 3, 1)},
             hint="-1 is the last axis, and it is gone.")
assert_equal(shape_of_sum((2, 3, 4), (-2, 0), True), (1, 1, 4), "shape (2, 3, 4), axes (-2, 0), keepdim=True", of="from the end",
             mistakes={"-2 is the last axis but one: it becomes 1, too.": (1, 3, 4)}, hint="-2 is the last axis but one.")
assert_equal(shape_of_sum((2, 3, 4), (2, -2), False), (2,), "shape (2, 3, 4), axes (2, -2), keepdim=False", of="from the end",
             hint="Axis -2 of three is axis 1, also when axis 2 has gone before.")
assert_equal(shape_of_sum((2, 3, 4, 5), (-4, -3), False), (4, 5), "shape (2, 3, 4, 5), axes (-4, -3), keepdim=False",
             of="from the end",
             hint="Of four axes, -4 is the first.")

@probe
def what_a_large_shape_raises(shape, axes, keepdim):
    try:
        shape_of_sum(shape, axes, keepdim)
    except Exception as error:
        return f"raises {type(error).__name__}: {str(error).splitlines()[0]}"
    return ""

found = what_a_large_shape_raises((10 ** 6, 10 ** 6, 10 ** 6), (1,), False)
assert_true(not found, "shape_of_sum returns something for three axes of a million, axes (1,)", of="any size",
            hint=f"It {found}. Such a tensor, of 10¹⁸ numbers, fits into no memory: work with the numbers in `shape` alone.")
assert_equal(shape_of_sum((10 ** 6, 10 ** 6, 10 ** 6), (1,), False), (10 ** 6, 10 ** 6),
             "three axes of a million, axes (1,)", of="any size", hint="Work with the numbers in `shape` alone.")
### BEGIN HIDDEN TESTS
for shape, axes in (((2, 3, 4), (0, 2)), ((2, 3, 4), (0, 1, 2)), ((7,), (0,)), ((3, 0, 2), (1,)), ((2, 2, 2), (2, 1)),
                    ((4, 3, 4), (2,))):
    for keep, name in ((False, "axes gone"), (True, "keepdim")):
        truth = tuple(torch.zeros(shape).sum(dim=axes, keepdim=keep).shape)
        assert_equal(shape_of_sum(shape, axes, keep), truth, f"shape {shape}, axes {axes}, keepdim={keep}", of=name)
for shape, axes in (((5, 1, 4, 3), (-1,)), ((5, 1, 4, 3), (-2, 0)), ((6, 5), (-1, 0)), ((6, 5), (-2,)), ((4, 3, 2, 2, 5), (1, -5, -3))):
    for keep in (False, True):
        truth = tuple(torch.zeros(shape).sum(dim=axes, keepdim=keep).shape)
        assert_equal(shape_of_sum(shape, axes, keep), truth, f"shape {shape}, axes {axes}, keepdim={keep}", of="from the end")
assert_equal(shape_of_sum((2 ** 20, 3, 2 ** 30), (0, 1), True), (1, 1, 2 ** 30), "a huge tensor, keepdim=True", of="any size")
### END HIDDEN TESTS

# %% [markdown]
# ### Why the kept axis matters: rows that add up to 1
#
# What *share* of the nutrients of each food is protein? Each row is to be divided by its own sum. The line that
# comes to mind is `A / A.sum(axis=1)`. Watch it for three shapes:

# %% tags=["demo"]
for shape in ((2, 3), (3, 3), (3, 1)):
    A = torch.arange(1., 1 + shape[0] * shape[1]).reshape(shape)
    try:
        shares = A / A.sum(axis=1)
        print(shape, '->', tuple(shares.shape), 'row sums', shares.sum(axis=1))
    except RuntimeError as error:
        print(shape, '-> RuntimeError:', error)

# %% [markdown]
# It raises, or gives rows that do not add up to 1, or another shape: the sums have shape (m,), and broadcasting
# lines shapes up **at the right**, so that a sum meets a column and not its row. ⚠ It is often said that this
# line raises an error. The dangerous case is the square matrix, where it does not. With the axis kept, shape
# (m, 1), each sum meets its own row:

# %%
shares = foods / foods.sum(dim=1, keepdim=True)
print(foods.sum(dim=1, keepdim=True).shape)
print(shares)
print('row sums', shares.sum(dim=1))

# %% [markdown] task="2.3.6b" kind="code" minutes=5 difficulty=2 core=true needs="keepdim, broadcasting"
# ### Shares of each row
#
# Write `normalise_rows(A)`: for a matrix with positive entries, of any shape `(m, n)`, it returns the matrix
# with each row divided by its own sum.
#
# **You are done when**
# - **row sums**: each entry is divided by the sum of its own row, in square matrices, too;
# - **shape**: it is that of `A`, with one row or one column, too;
# - **integers**: `A` may hold integers of any dtype, `uint8`, too; the result is floating point;
# - **arguments kept**: `A` is as it was.

# %% exercise="2.3.6b"
def normalise_rows(A):
    """Each row of A (m, n) divided by its sum: (m, n), floating point."""
    ### BEGIN SOLUTION
    return A / A.sum(dim=1, keepdim=True)
    ### END SOLUTION

# %% [markdown] hints="2.3.6b"
# 1. Which shape must the sums have, so that each row of (m, n) meets its own sum?
# 2. `keepdim=True` leaves an axis of length 1 where the sum was taken.
# 3. Another case: `A - A.mean(dim=1, keepdim=True)` subtracts from each row its own mean.

# %% check="2.3.6b" points=2
square, wide = torch.tensor([[1., 3.], [2., 6.]]), torch.tensor([[1., 1., 2.], [5., 3., 2.]])

def divided_by_what():
    """What the answer divides the entries of ((1, 3), (2, 6)) by."""
    divisors = (square / normalise_rows(square.clone())).tolist()
    for row, (one, other) in zip(square.tolist(), divisors):
        if not abs(one - other) < 1e-3 * abs(one):
            return (f"In yours {row[0]:g} was divided by {one:.4g} and {row[1]:g} by {other:.4g}: "
                    f"the entries of the row ({row[0]:g}, {row[1]:g}) are to be divided by the same number.")
    return f"Yours divides the rows by {divisors[0][0]:.4g} and {divisors[1][0]:.4g}."

assert_close(normalise_rows(square.clone()), torch.tensor([[0.25, 0.75], [0.25, 0.75]]),
             "the shares of ((1, 3), (2, 6))", of="row sums",
             hint=lambda: "The sums of the rows are 4 and 8: the first row becomes 1 / 4 and 3 / 4, the second 2 / 8 and 6 / 8. "
             + divided_by_what(),
             mistakes={"The sums of the rows were lined up with the columns: 3 was divided by 8, the sum of the row "
                       "below it. Look at the shape of the sums.":
                       torch.tensor([[0.25, 0.375], [0.5, 0.75]]),
                       "The columns were divided by their sums.": torch.tensor([[1 / 3, 1 / 3], [2 / 3, 2 / 3]]),
                       "These are the shares, with rows and columns exchanged.": torch.tensor([[0.25, 0.25], [0.75, 0.75]]),
                       "All were divided by the sum of all.": square / 12,
                       "Each row was divided by its largest entry, not by its sum.": torch.tensor([[1 / 3, 1.], [1 / 3, 1.]]),
                       "Each row was divided by its sum twice, or by the square of it; once is asked for.":
                       square / torch.tensor([[16.], [64.]]),
                       "1 was added to the sums; nothing need be added to them.": square / torch.tensor([[5.], [9.]]),
                       "The shares were rounded to one digit; nothing is to be rounded.": torch.tensor([[0.2, 0.8], [0.2, 0.8]]),
                       "Each row was divided by the product of its entries, not by their sum.": square / torch.tensor([[3.], [12.]]),
                       "Each row was divided by the root of its sum; the sum itself is asked for.":
                       square / torch.tensor([[4.], [8.]]).sqrt(),
                       "Each entry was divided by the sum of the others in its row; it belongs to the sum, too.":
                       torch.tensor([[1 / 3, 3.], [1 / 3, 3.]]),
                       "Each entry was divided by the sum up to itself; all of its row belong to the sum.":
                       torch.tensor([[1., 0.75], [1., 0.75]]),
                       "These are percentages; a share of the whole row is 1.": torch.tensor([[25., 75.], [25., 75.]]),
                       "`//` cuts the fractions off; `/` keeps them.": torch.zeros(2, 2),
                       "This is softmax, which takes exponentials first; the entries themselves are to be divided.": square.softmax(dim=1),
                       "Each row was divided by its length, the 2-norm; its sum is asked for.":
                       square / torch.tensor([[10.], [40.]]).sqrt(),
                       "These are the sums; asked for are the entries divided by them.": torch.tensor([[4.], [8.]]),
                       "The smallest entry of each row became 0; an entry is only divided by the sum of its row.":
                       torch.tensor([[0., 1.], [0., 1.]]),
                       "Each row was divided by its mean, not by its sum.": torch.tensor([[0.5, 1.5], [0.5, 1.5]])})
assert_close(normalise_rows(wide.clone()), torch.tensor([[0.25, 0.25, 0.5], [0.5, 0.3, 0.2]]),
             "the shares of ((1, 1, 2), (5, 3, 2))", of="row sums",
             hint=lambda: "float16 keeps about three digits; compute in float32 or float64."
             if normalise_rows(wide.clone()).dtype == torch.float16 else
             "The sums of the rows are 4 and 10: the first row becomes 1 / 4, 1 / 4 and 2 / 4.")
assert_close(normalise_rows(1e-8 * square), torch.tensor([[0.25, 0.75], [0.25, 0.75]]), "the shares of ((1e-8, 3e-8), (2e-8, 6e-8))", of="row sums",
             hint="The sums may be small; they are positive, and nothing need be added to them.")
assert_shape(normalise_rows(wide[:1].clone()), (1, 3), "the shape for a single row", of="shape",
             hint="A single row stays a matrix.")
assert_shape(normalise_rows(square[:, :1].clone()), (2, 1), "the shape for a single column", of="shape",
             hint="A single column stays a matrix.")
assert_close(normalise_rows(torch.tensor([[1, 3, 4], [2, 1, 5]])), torch.tensor([[0.125, 0.375, 0.5], [0.25, 0.125, 0.625]]),
             "the shares of the integers ((1, 3, 4), (2, 1, 5))", of="integers",
             hint="The sums of the rows are 8 and 8, and 1 / 8 is 0.125: the shares are fractions, and none is cut off or rounded.")
assert_close(normalise_rows(torch.tensor([[200, 50], [240, 160]], dtype=torch.uint8)), torch.tensor([[0.8, 0.2], [0.6, 0.4]]),
             "the shares of ((200, 50), (240, 160)) as uint8", of="integers",
             hint="The second row adds up to 400, and uint8 ends at 255: add in a larger dtype.")

@probe
def matrix_after_normalising(A):
    normalise_rows(A)
    return A

assert_close(matrix_after_normalising(wide.clone()), wide, "A after the call", of="arguments kept",
             hint="`A /= ...` and `A[...] = ...` write into the matrix of the caller; `A / ...` makes a new one.",
             mistakes={"The rows were divided in A itself, as `/=` does; `/` makes a new matrix. (Where A is of float32, "
                       "`A.float()` is A itself and no copy.)": torch.tensor([[0.25, 0.25, 0.5], [0.5, 0.3, 0.2]])})
uneven = torch.tensor([[1e10, 1e-37], [2., 1.]])
assert_close(matrix_after_normalising(uneven.clone()), uneven, "A = ((1e10, 1e-37), (2, 1)) after the call",
             of="arguments kept",
             mistakes={"The rows were divided in place and multiplied back: what is lost on the way does not come back.":
                       torch.tensor([[1e10, 0.], [2., 1.]])})
assert_equal(matrix_after_normalising(torch.tensor([[1, 3], [2, 2]])).tolist(), [[1, 3], [2, 2]], "A after the call, for integers",
             of="arguments kept")
assert_close(matrix_after_normalising(wide.double()), wide.double(), "A after the call, for float64", of="arguments kept",
             hint="Where A is of float64, `A.double()` is A itself and no copy: an operation in place then "
                  "writes into the caller's matrix.")
### BEGIN HIDDEN TESTS
def shares_of_rows(A):
    return torch.stack([row / row.sum() for row in A])

rng = torch.Generator().manual_seed(2361)
for shape, name in (((4, 4), "row sums"), ((5, 3), "row sums"), ((2, 7), "row sums"), ((6, 1), "shape"), ((1, 6), "shape")):
    sample = torch.rand(shape, generator=rng, dtype=torch.float64) + 0.05
    assert_shape(normalise_rows(sample.clone()), shape, f"the shape for random positive numbers of shape {shape}", of="shape")
    assert_close(normalise_rows(sample.clone()), shares_of_rows(sample), f"random positive numbers of shape {shape}", of=name,
                 hint=lambda: where_they_part(normalise_rows, shares_of_rows, A=sample))
whole = torch.randint(1, 9, (3, 5), generator=rng)
assert_close(normalise_rows(whole.clone()), whole.float() / whole.float().sum(1).reshape(3, 1),
             "integers of shape (3, 5)", of="integers")
for dtype, largest in ((torch.uint8, 256), (torch.int8, 128), (torch.int16, 30000)):
    bytes_ = torch.randint(largest // 2, largest, (4, 6), generator=rng)
    assert_close(normalise_rows(bytes_.to(dtype)), bytes_.double() / bytes_.double().sum(1).reshape(4, 1),
                 f"large {str(dtype).removeprefix('torch.')} integers of shape (4, 6)", of="integers", rtol=1e-4)
kept = torch.rand(3, 4, generator=rng)
kept[1] = torch.tensor([5e9, 1e-38, 2e-38, 1.])
assert_close(matrix_after_normalising(kept.clone()), kept, "A of shape (3, 4) after the call", of="arguments kept")
assert_equal(matrix_after_normalising(whole.clone()).tolist(), whole.tolist(), "integers of shape (3, 5) after the call", of="arguments kept")
assert_close(matrix_after_normalising(kept.double()), kept.double(), "A of shape (3, 4) after the call, for float64",
             of="arguments kept")
### END HIDDEN TESTS

# %% [markdown] task="2.3.6a" kind="code" minutes=8 difficulty=3 needs="broadcasting, sum along an axis"
# ### What `A / A.sum(axis=1)` does
#
# Now say exactly what the line without `keepdim` does. Write `outcome(m, n)`. For a matrix `A` of shape
# `(m, n)`, m and n at least 1, of random positive numbers, it says what `A / A.sum(axis=1)` gives:
#
# - `'right'`: the shape of `A`, and each row divided by its own sum;
# - `'wrong values'`: the shape of `A`, other values;
# - `'wrong shape'`: another shape;
# - `'error'`: an exception.
#
# **You are done when**
# - **larger shapes**: the outcome is that of the real division where m and n are at least 2;
# - **axes of length 1**: the same where m or n is 1, or both.

# %% exercise="2.3.6a"
def outcome(m, n):
    """'right', 'wrong values', 'wrong shape' or 'error', for A / A.sum(axis=1) with A of shape (m, n)."""
    ### BEGIN SOLUTION
    if m == 1:
        return 'right'
    if n == 1:
        return 'wrong shape'
    return 'wrong values' if m == n else 'error'
    ### END SOLUTION

# %% [markdown] hints="2.3.6a"
# 1. What is the shape of `A.sum(axis=1)`, and how does it broadcast against (m, n)?
# 2. Shapes are lined up at the right: (m, n) against (m,) compares n with m. It works where they are equal or
#    one is 1.
# 3. Another case: `A - A.mean(axis=1)` for shape (5, 1): (5, 1) against (5,) is a (5, 5) table of differences.

# %% check="2.3.6a" points=2
assert_type(outcome(2, 3), str, "the outcome for shape (2, 3)", of="larger shapes")
assert_true(outcome(2, 3) in ('right', 'wrong values', 'wrong shape', 'error'),
            "the outcome for shape (2, 3) is one of the four words",
            of="larger shapes", hint="They are 'right', 'wrong values', 'wrong shape' and 'error', letter by letter.")
assert_equal(outcome(2, 3), 'error', "the outcome for shape (2, 3)", of="larger shapes",
             hint="There are 2 sums, and a row has 3 entries: they are lined up at the right.")
assert_equal(outcome(2, 4), 'error', "the outcome for shape (2, 4)", of="larger shapes",
             hint="Lengths that are multiples of each other do not broadcast.")
assert_equal(outcome(2, 6), 'error', "the outcome for shape (2, 6)", of="larger shapes",
             hint="Lengths that are multiples of each other do not broadcast.")
assert_equal(outcome(4, 2), 'error', "the outcome for shape (4, 2)", of="larger shapes",
             hint="There are 4 sums, and a row has 2 entries.")
assert_equal(outcome(3, 3), 'wrong values', "the outcome for shape (3, 3)", of="larger shapes",
             mistakes={"The 3 sums fit, but each is lined up with a column, not with its own row. (Rows with equal sums do not show it.)":
                       'right',
                       "The 3 sums fit a row of 3 entries, and nothing is raised; do they meet the right ones?": 'error',
                       "The 3 sums are lined up with the 3 columns: the shape stays (3, 3).": 'wrong shape'},
             hint="The 3 sums fit, but each is lined up with a column, not with its own row.")
assert_equal(outcome(2, 2), 'wrong values', "the outcome for shape (2, 2)", of="larger shapes",
             hint="The 2 sums fit, but each is lined up with a column, not with its own row.")
assert_equal(outcome(5, 5), 'wrong values', "the outcome for shape (5, 5)", of="larger shapes",
             hint="The 5 sums fit, but each is lined up with a column, not with its own row.")
assert_equal(outcome(4, 1), 'wrong shape', "the outcome for shape (4, 1)", of="axes of length 1",
             mistakes={"Shapes (4, 1) and (4,) make a (4, 4) table, in which each entry meets each sum: that is not the shape of A.":
                       'right',
                       "Lined up at the right, the 1 meets the 4, and a length of 1 broadcasts: nothing is raised.": 'error',
                       "Shapes (4, 1) and (4,) broadcast to (4, 4): not the values alone differ, the shape does.": 'wrong values'},
             hint="Shapes (4, 1) and (4,) broadcast: what shape comes out?")
assert_equal(outcome(1, 5), 'right', "the outcome for shape (1, 5)", of="axes of length 1",
             hint="There is one sum and one row: the sum meets its own row.")
assert_equal(outcome(1, 1), 'right', "the outcome for shape (1, 1)", of="axes of length 1",
             hint="There is one entry and one sum: it is square, but nothing can be confused.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(236)
for m, n in [(m, n) for m in range(1, 10) for n in range(1, 10)] + [(12, 12), (5, 20), (20, 5), (1, 20), (20, 1)]:
    sample = torch.rand(m, n, generator=rng) + 0.1
    try:
        got = sample / sample.sum(axis=1)
        good = sample / sample.sum(axis=1, keepdim=True)
        same = got.shape == sample.shape
        found = 'wrong shape' if not same else 'right' if torch.allclose(got, good) else 'wrong values'
    except RuntimeError:
        found = 'error'
    assert_equal(outcome(m, n), found, f"the outcome for shape ({m}, {n})",
                 of="axes of length 1" if 1 in (m, n) else "larger shapes",
                 hint=f"A has the shape ({m}, {n}), the sums ({m},): line them up at the right.")
### END HIDDEN TESTS

# %% [markdown]
# A test of such a function is as good as its input. Here are eight attempts at `normalise_rows`. The first two
# are right. (`softmax` takes the exponential of each entry and divides by the sum of the exponentials.)

# %% tags=["setup"]
attempts = {
    'keepdim': lambda A: A / A.sum(dim=1, keepdim=True),
    'None': lambda A: A / A.sum(dim=1)[:, None],
    'no keepdim': lambda A: A / A.sum(dim=1),
    'columns': lambda A: A / A.sum(dim=0),
    'all': lambda A: A / A.sum(),
    'first row': lambda A: A / A[0].sum(),
    'length': lambda A: A / A.square().sum(dim=1, keepdim=True).sqrt(),
    'exponentials': lambda A: A.softmax(dim=1),
}

# %% [markdown] task="2.3.6c" kind="break it" minutes=10 difficulty=3 needs="keepdim, broadcasting"
# ### A matrix that tells them apart
#
# Set two names, each to a square `float32` matrix of positive entries, at least 2 by 2:
#
# - `witness`: on it each of the six wrong attempts gives a result that differs from the right one by at least
#   0.01 somewhere;
# - `blind_spot`: on it the attempt `'no keepdim'` is right, although its entries are not all equal. Who tests
#   with such a matrix never finds the mistake.
#
# Three exposed attempts earn a point, all six a second, the blind spot a third.
#
# **You are done when**
# - **form**: both are square, at least 2 by 2, `float32`, and have positive entries;
# - **three exposed**: on `witness` at least three of the wrong attempts differ from the right result;
# - **six exposed**: all six do;
# - **blind spot**: on `blind_spot`, `'no keepdim'` gives the right result, up to 0.00001;
# - **not constant**: the largest and the smallest entry of `blind_spot` differ by at least 0.1.

# %% exercise="2.3.6c"
### BEGIN SOLUTION
witness = torch.tensor([[1., 2., 3.], [1., 1., 2.], [5., 1., 1.]])
blind_spot = torch.tensor([[1., 2.], [2., 1.]])
### END SOLUTION

# %% [markdown] hints="2.3.6c"
# 1. When is `A / A.sum(dim=1)` the same as `A / A.sum(dim=1)[:, None]`? Which sums must be equal?
# 2. A symmetric matrix is not enough for the blind spot: there the wrong result has the right entries, but rows
#    and columns exchanged.
# 3. Another case: to expose `A - A.mean(dim=0)` as a wrong way of centring the *rows*, any matrix will do whose
#    row means and column means differ.

# %% check="2.3.6c" points=3
def form_of(matrix, name):
    assert_type(matrix, torch.Tensor, f"`{name}`", of="form")
    assert_dtype(matrix, torch.float32, f"the dtype of `{name}`", of="form")
    assert_true(matrix.ndim == 2 and matrix.shape[0] == matrix.shape[1] and matrix.shape[0] >= 2,
                f"`{name}` is square and at least 2 by 2", of="form", hint=f"Its shape is {tuple(matrix.shape)}.")
    assert_true(bool((matrix > 0).all()), f"the entries of `{name}` are positive", of="form",
                hint=lambda: f"The smallest of them is {float(matrix.min()):g}.")

def hidden_on(matrix):
    good = attempts['keepdim'](matrix)
    return [name for name in list(attempts)[2:] if (attempts[name](matrix) - good).abs().max() < 0.01]

def exposed_by(matrix):
    return 6 - len(hidden_on(matrix))

def which_sums():
    first, second, *_ = (f"{total:g}" for total in blind_spot.sum(dim=1).tolist())
    reason = ("Being symmetric is not enough. " if torch.equal(blind_spot, blind_spot.T) else
              "The sums of the columns are equal; 'no keepdim' divides by those of the rows. "
              if torch.allclose(blind_spot.sum(dim=0), blind_spot.sum(dim=0).mean()) else "")
    return (f"{reason}The first two rows have the sums {first} and {second}; 'no keepdim' divides column 0 by the first of them "
            "and column 1 by the second, and each row should be divided by its own.")

try:
    given = (blind_spot,)
except NameError:
    given = (witness,)      # neither is there: no answer yet

with part(0.5, "`witness`: three exposed"):
    form_of(witness, "witness")
    assert_true(exposed_by(witness) >= 3, f"the number of attempts that `witness` exposes, {exposed_by(witness)}, is at least 3",
                of="three exposed", hint=lambda: f"Right on `witness`, or nearly, are {', '.join(map(repr, hidden_on(witness)))}.")
with part(0.5, "`witness`: six exposed"):
    form_of(witness, "witness")
    assert_equal(exposed_by(witness), 6, "the number of wrong attempts that `witness` exposes", of="six exposed",
                 hint=lambda: f"Right on `witness`, or nearly, are {', '.join(map(repr, hidden_on(witness)))}.")
with part(0.5, "`blind_spot`"):
    form_of(blind_spot, "blind_spot")
    assert_true(bool(blind_spot.max() - blind_spot.min() >= 0.1), of="not constant",
                what="the largest and the smallest entry of `blind_spot` differ by at least 0.1",
                hint=lambda: f"They are {float(blind_spot.max()):g} and {float(blind_spot.min()):g}.")
    assert_close(attempts['no keepdim'](blind_spot), attempts['keepdim'](blind_spot), "'no keepdim' on `blind_spot`", of="blind spot",
                 rtol=0, atol=1e-5, hint=which_sums)
### BEGIN HIDDEN TESTS
with part(0.5, "`witness` again: three exposed"):
    form_of(witness, "witness")
    assert_true(exposed_by(witness.clone()) >= 3, "`witness` exposes at least three", of="three exposed")
with part(0.5, "`witness` again: six exposed"):
    form_of(witness, "witness")
    assert_equal(exposed_by(witness.clone()), 6, "the number of wrong attempts that `witness` exposes", of="six exposed")
with part(0.5, "`blind_spot` again"):
    assert_type(blind_spot, torch.Tensor, "`blind_spot`", of="form")
    assert_true(bool(blind_spot.max() - blind_spot.min() >= 0.1), of="not constant",
                what="the largest and the smallest entry of `blind_spot` differ by at least 0.1")
    sums = [sum(row) for row in blind_spot.tolist()]
    assert_close(sums, [sums[0]] * len(sums), "the sums that 'no keepdim' divides by, on `blind_spot`", of="blind spot", rtol=1e-4)
### END HIDDEN TESTS
total()

# %% [markdown]
# For a matrix that is the same when rows and columns are exchanged, the sums along the two axes are equal. The
# wrong result is then the right one with rows and columns exchanged: its *columns* add up to 1. Only where all
# rows have the same sum is there nothing wrong to be seen.

# %% tags=["demo"]
A = torch.tensor([[1., 4.], [4., 2.]])
wrong, right = A / A.sum(axis=1), A / A.sum(axis=1, keepdim=True)
print('wrong = right:', torch.equal(wrong, right), '| wrong = right, exchanged:',
      torch.allclose(wrong, right.T))

# %% [markdown] teaches="dot product, element-wise product, weighted sum"
# ## The dot product: a weighted sum
#
# How many kilocalories are in 100 g of bread? A gram of protein or carbohydrate holds 4 kcal, a gram of fat 9.
# So multiply each entry of the food by its weight, and add up:
#
# $$9 \cdot 4 + 3 \cdot 9 + 49 \cdot 4 = 259.$$
#
# This is the *dot product* of two vectors of the same length $d$,
#
# $$\mathbf{x} \cdot \mathbf{w} = \mathbf{x}^\top \mathbf{w} = \sum_{i=0}^{d-1} x_i w_i .$$
#
# Two vectors go in, **one number** comes out. In torch it is `x @ w` or `torch.dot(x, w)`, or written out as
# `(x * w).sum()`. The `*` alone is the *element-wise product*: it multiplies without adding, and the result is
# still a vector.

# %%
energy = torch.tensor([4., 9., 4.])         # kcal in a gram of protein, fat, carbohydrate
print('element-wise:', bread * energy)
print('dot product: ', bread @ energy, torch.dot(bread, energy), (bread * energy).sum())

# %% tags=["demo"]
figure, ax = plt.subplots(figsize=(6, 2.4), layout='constrained')
left = torch.zeros(4)
for j, nutrient in enumerate(('protein', 'fat', 'carbohydrate')):
    piece = foods[:, j] * energy[j]
    ax.barh(names, piece, left=left, label=f'{nutrient}: {energy[j]:g} kcal/g')
    left = left + piece
ax.invert_yaxis()
ax.set(xlabel='kcal in 100 g')
ax.legend(loc='lower right', bbox_to_anchor=(1, 0.4))
plt.show()

# %% [markdown]
# Each piece of a bar is one product $x_i w_i$; the length of the whole bar is the dot product. This is also how
# a model predicts: $\mathbf{x}$ holds what is known of an example, $\mathbf{w}$ says how much a unit of each
# entry counts, for or against, and $\mathbf{x} \cdot \mathbf{w}$ is the verdict. To *train* a model is to find
# good weights; section 3.1 does so.

# %% [markdown] teaches="weighted average"
# If the weights are not negative and add up to 1, the dot product is a *weighted average*. A course counts the
# exam for half, the project for 0.3 and the homework for 0.2:

# %%
marks, shares_of_mark = torch.tensor([12., 18., 20.]), torch.tensor([0.5, 0.3, 0.2])
print(shares_of_mark.sum(), marks @ shares_of_mark, 'plain mean', marks.mean())

# %% [markdown] task="2.3.C" kind="code" minutes=3 difficulty=1 core=true needs="dot product, weighted average"
# ### A weighted average
#
# Often the weights are counts and do not add up to 1: "the exam counts five times, the project three times".
#
# Write `weighted_average(values, weights)`: the average of the vector `values` in which the i-th entry has the
# share of `weights[i]` in the sum of the weights. Both are floating-point vectors of the same length and dtype;
# the weights are positive.
#
# **You are done when**
# - **values**: the average is right when the weights add up to 1;
# - **any sum**: and also when they add up to something else;
# - **one number**: the result is a tensor of shape `()`.

# %% exercise="2.3.C"
def weighted_average(values, weights):
    """The average of `values`, each counted with its share of the sum of `weights`: a tensor of shape ()."""
    ### BEGIN SOLUTION
    return values @ weights / weights.sum()
    ### END SOLUTION

# %% [markdown] hints="2.3.C"
# 1. By what must the weights be divided so that they add up to 1?
# 2. A dot product adds up the products. Dividing once at the end is the same as dividing each weight.
# 3. Another case: 3 and 7 with the weights 1 and 3 have the average (1 · 3 + 3 · 7) / 4 = 6.

# %% check="2.3.C" points=1
numbers = torch.tensor([2., 4., -9.])

def which_sum(*weights):
    alike = float(weighted_average(torch.ones(3), torch.tensor(weights)))
    if not abs(alike - 1) < 1e-3:
        return f"Three values of 1 have the average 1 with any weights; yours is {alike:.4g}: by what are the products divided?"
    first, second = (float(weighted_average(one, torch.tensor(weights))) for one in torch.eye(3)[:2])
    if not abs(first * weights[1] - second * weights[0]) < 1e-3:
        return (f"The values 1, 0, 0 have the average {first:.4g} in yours, and 0, 1, 0 have {second:.4g}: "
                f"these are to be as {weights[0]:g} to {weights[1]:g}, as the weights are.")
    products = " + ".join(f"{weight:g} · ({value:g})" for weight, value in zip(weights, numbers.tolist()))
    return f"Three values of 1 have the average 1, as they should. The products to add up are {products}, whatever the weights add up to."

assert_shape(weighted_average(numbers, torch.tensor([1., 1., 2.])), (), "the shape of the result", of="one number",
             hint="A tensor without axes: the products are added up, and no axis is left.")
found = weighted_average(numbers, torch.tensor([0.5, 0.2, 0.3]))
assert_close(found, torch.tensor(-0.9), "2, 4, -9 with the weights 0.5, 0.2, 0.3",
             of="values", mistakes={"This is divided by the number of entries.": torch.tensor(-0.3),
                                    "This was divided by the sum of the values; the sum of the weights is asked for.": torch.tensor(0.3),
                                    "The weights went through softmax; their share is the weight divided by the sum of the weights.":
                                    torch.tensor(-0.9397374),
                                    "This is the plain mean: the weights have no effect.": torch.tensor(-1.),
                                    "The weights were squared.": torch.tensor((2 * 0.25 + 4 * 0.04 - 9 * 0.09) / 0.38),
                                    "The values were divided by the weights, not multiplied.":
                                    torch.tensor((2 / 0.5 + 4 / 0.2 - 9 / 0.3) / (1 / 0.5 + 1 / 0.2 + 1 / 0.3)),
                                    "The weights were divided by their 2-norm; their sum is asked for.":
                                    torch.tensor(-0.9 / 0.38 ** 0.5),
                                    "The weights were divided by the largest of them; their sum is asked for.":
                                    torch.tensor(-1.8),
                                    "This was divided by the largest weight and the number of entries, not by the sum of weights.":
                                    torch.tensor(-0.6),
                                    "This is the average of the absolute values; an entry may pull it down.": torch.tensor(4.5)},
             hint=lambda: "The result is NaN, no number at all. Weights below 1 count, too." if found.isnan() else which_sum(0.5, 0.2, 0.3))
assert_close(weighted_average(numbers, torch.tensor([1., 1., 4.])), torch.tensor(-5.), "2, 4, -9 with the weights 1, 1, 4", of="any sum",
             hint=lambda: which_sum(1., 1., 4.), mistakes={"The weights add up to 6: divide by that.": torch.tensor(-30.),
                       "This is divided by the number of entries, not by the sum of the weights.": torch.tensor(-10.),
                       "This is the plain mean: the weights have no effect.": torch.tensor(-1.),
                       "The weights were squared.": torch.tensor(-138 / 18),
                       "This was divided by the sum of the values; the sum of the weights is asked for.": torch.tensor(10.),
                       "This was divided by the largest of the weights; their sum is asked for.": torch.tensor(-7.5)})
assert_close(weighted_average(numbers, torch.tensor([0.1, 0.1, 0.3])), torch.tensor(-4.2), "2, 4, -9 with the weights 0.1, 0.1, 0.3",
             of="any sum", hint=lambda: which_sum(0.1, 0.1, 0.3),
             mistakes={"The weights add up to 0.5: divide by that, too.": torch.tensor(-2.1)})
assert_close(weighted_average(torch.tensor([2., 4., -9., 6.]), torch.tensor([1.5, 1.5, 4., 2.])), torch.tensor(-15 / 9),
             "2, 4, -9, 6 with the weights 1.5, 1.5, 4, 2", of="any sum",
             mistakes={"The weights were cut to whole numbers.": torch.tensor(-18 / 8),
                       "The weights were rounded to whole numbers.": torch.tensor(-12 / 10),
                       "Only the first three values were counted.": torch.tensor(-27 / 7)})
### BEGIN HIDDEN TESTS
def plain_average(values, weights):
    return (values * weights).sum() / weights.sum()

rng = torch.Generator().manual_seed(2303)
for n, name, size in ((5, "any sum", None), (8, "values", 1.), (6, "any sum", 0.07), (7, "any sum", 900.), (1, "any sum", 0.4)):
    numbers, counts = torch.randn(n, generator=rng).double(), torch.rand(n, generator=rng).double() + 0.1
    counts = size * counts / counts.sum() if size else counts
    found = weighted_average(numbers, counts)
    assert_shape(found, (), f"the shape for {n} values", of="one number")
    assert_close(found, plain_average(numbers, counts),
                 f"{n} random value{'s' * (n > 1)}, the weights adding up to {float(counts.sum()):.3g}", of=name, rtol=1e-4, atol=1e-5,
                 hint=lambda: where_they_part(weighted_average, plain_average, values=numbers, weights=counts))
### END HIDDEN TESTS

# %% [markdown] teaches="matrix-vector product"
# ## A matrix times a vector: many dot products
#
# The energy of all four foods at once: the dot product of **each row** of the table with `energy`. That is the
# *matrix-vector product*,
#
# $$(A\mathbf{x})_i = \sum_j A_{ij} x_j, \qquad \text{shapes } (m, n) \text{ and } (n,) \to (m,).$$
#
# The rows of $A$ must be as long as $\mathbf{x}$, and there is one result for each row.

# %%
print(foods @ energy)
print(torch.stack([row @ energy for row in foods]))

# %% [markdown]
# The other side works, too. A vector times a matrix, `x @ A`, needs an entry for each *row*. It mixes the rows:
# it is the linear combination of the rows of $A$ with the entries of $\mathbf{x}$ as factors. Half a portion of
# bread and two of milk:

# %%
portions = torch.tensor([0.5, 2., 0., 0.])
print(portions @ foods)
print(0.5 * foods[0] + 2 * foods[1])

# %% [markdown]
# In the same way `A @ x` is a mix of the *columns* of $A$: `foods @ energy` is 4 times the column of protein, plus
# 9 times that of fat, plus 4 times that of carbohydrate.

# %%
print(4 * foods[:, 0] + 9 * foods[:, 1] + 4 * foods[:, 2])

# %% [markdown]
# Both readings, "a dot product for each row" and "a mix of the columns", give the same numbers, and both are
# useful. Which side a vector stands on is decided by what it has an entry for; where the lengths do not fit, torch
# says so:

# %% tags=["demo"]
try:
    foods @ portions
except RuntimeError as error:
    print('RuntimeError:', error)

# %% [markdown] task="2.3.D" kind="code" minutes=3 difficulty=1 core=true needs="matrix-vector product, linear combination"
# ### What is in a meal
#
# `foods` has a row for each of n foods and a column for each of d nutrients: grams of the nutrient in **100 g**
# of the food. `grams`, of shape `(n,)`, says how many grams of each food a meal has. Both are `float32`.
#
# Write `meal(grams, foods)`: the nutrients in the whole meal, in grams.
#
# **You are done when**
# - **shape**: it is `(d,)`, one entry for each nutrient;
# - **values**: each entry is the sum over the foods, also where n = d.

# %% exercise="2.3.D"
def meal(grams, foods):
    """The nutrients (d,) in a meal of `grams` (n,) of the `foods` (n, d), which are given for 100 g."""
    ### BEGIN SOLUTION
    return grams / 100 @ foods
    ### END SOLUTION

# %% [markdown] hints="2.3.D"
# 1. Does `grams` have an entry for each row of the table, or for each column?
# 2. 150 g are 1.5 portions of 100 g. `x @ A` mixes the rows of `A`.
# 3. Another case: with prices per kilogram in a vector, a shopping list in grams costs `grams / 1000 @ prices`.

# %% check="2.3.D" points=1
pantry = torch.tensor([[10., 0., 1.], [2., 4., 0.]])

@probe
def what_meal_raises(grams, foods):
    try:
        meal(grams, foods)
    except Exception as error:
        return f"raises {type(error).__name__}: {error}"
    return ""

def which_side(amounts, table):
    try:
        found = meal(amounts, table)
        for wrong, words in ((table @ amounts, "sets the amounts against the nutrients: on which side does `grams` stand?"),
                             (table.sum(dim=0) * amounts, "multiplies each column by an amount: shapes are lined up at the right, "
                              "and so each amount meets a nutrient; it belongs to a food, a row.")):
            if torch.allclose(found / found.sum(), wrong / wrong.sum()):
                return f"Where there are as many foods as nutrients it runs, and {words}"
    except Exception:
        pass
    return "`grams` has an entry for each food, a row of the table, and `x @ A` wants one for each row of A."

found = what_meal_raises(torch.tensor([150., 50.]), pantry)
assert_true(not found, "meal returns something for two foods and three nutrients", of="shape",
            hint=lambda: f"It {found}. {which_side(torch.tensor([100., 50.]), torch.tensor([[10., 1.], [2., 4.]]))}".strip())

def which_food():
    for amounts, name, wanted in (((150., 0.), "150 g of (10, 0, 1), and nothing else, are 1.5 portions", (15., 0., 1.5)),
                                  ((0., 30.), "30 g of (2, 4, 0), and nothing else, are 0.3 portions", (0.6, 1.2, 0.))):
        found = meal(torch.tensor(amounts), pantry).tolist()
        if not np.allclose(found, wanted, rtol=1e-3):
            return f"{name}: {wanted}. Yours is ({', '.join(f'{number:.4g}' for number in found)})."
    return "Each of the two foods alone is right: (15, 0, 1.5) and (0.6, 1.2, 0). Their sum is asked for."

assert_shape(meal(torch.tensor([150., 50.]), pantry), (3,), "the shape for two foods and three nutrients", of="shape",
             hint="One sum for each nutrient, and no other axis.",
             mistakes={"This is one number for each food; the foods are to be added, and each nutrient keeps a number of its own.":
                       (2,),
                       "This is a table of two foods and three nutrients; the foods are still to be added.": (2, 3),
                       "This is one number; each of the three nutrients has its own.": (),
                       "The three numbers stand in a matrix of one row; a vector is asked for.": (1, 3),
                       "The three numbers stand in a matrix of one column; a vector is asked for.": (3, 1)})
assert_shape(meal(torch.tensor([150., 50.]), pantry[:, :1]), (1,), "the shape for two foods and one nutrient", of="shape",
             hint="One nutrient is a vector of length 1, no number without an axis.")
assert_close(meal(torch.tensor([150., 30.]), pantry), torch.tensor([15.6, 1.2, 1.5]),
             "150 g of (10, 0, 1) and 30 g of (2, 4, 0)", of="values",
             hint=lambda: which_food(),
             mistakes={"The table is for 100 g, and this counts each gram as a portion.": torch.tensor([1560., 120., 150.]),
                       "The foods are added without their amounts.": torch.tensor([12., 4., 1.]),
                       "The amounts were multiplied by 100; grams become portions of 100 g the other way.":
                       torch.tensor([156000., 12000., 15000.]),
                       "Whole portions only were counted: 150 g are 1.5 portions.": torch.tensor([10., 0., 1.]),
                       "The portions were rounded up: 150 g are 1.5 portions, not 2.": torch.tensor([22., 4., 2.]),
                       "The amounts were divided by 10, and the table is for 100 g.": torch.tensor([156., 12., 15.]),
                       "The portions were rounded: 150 g are 1.5 portions, and 30 g are 0.3.": torch.tensor([20., 0., 2.]),
                       "The amounts were divided by 1000, and the table is for 100 g.": torch.tensor([1.56, 0.12, 0.15]),
                       "No more than 100 g of a food were counted; here are 150 g of the first.": torch.tensor([10.6, 1.2, 1.]),
                       "For each nutrient only the food that brings most was counted; all foods of the meal are added.":
                       torch.tensor([15., 1.2, 1.5]),
                       "Only the first food was counted.": torch.tensor([15., 0., 1.5]),
                       "Only the last food was counted.": torch.tensor([0.6, 1.2, 0.]),
                       "This is the mean over the foods; asked for is their sum.": torch.tensor([7.8, 0.6, 0.75]),
                       "This was divided by the weight of the meal; asked for is the whole meal.":
                       torch.tensor([15.6, 1.2, 1.5]) / 1.8})
assert_close(meal(torch.tensor([33.5, 7.]), pantry), torch.tensor([3.49, 0.28, 0.335]),
             "33.5 g of (10, 0, 1) and 7 g of (2, 4, 0)", of="values",
             mistakes={"The 33.5 g were cut to 33 g.": torch.tensor([3.44, 0.28, 0.33]), "The 33.5 g were rounded to 34 g.":
                       torch.tensor([3.54, 0.28, 0.34])},
             hint="Amounts and nutrients need not be whole numbers: nothing is to be rounded.")
assert_close(meal(torch.tensor([100., 50.]), torch.tensor([[10., 1.], [2., 4.]])), torch.tensor([11., 3.]),
             "100 g of (10, 1) and 50 g of (2, 4)", of="values",
             mistakes={"The amounts were set against the nutrients: on which side does `grams` stand?": torch.tensor([10.5, 4.]),
                       "Each amount was multiplied into a column, a nutrient; it belongs to a food, a row.":
                       torch.tensor([12., 2.5])})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2304)
for n, d, most in ((4, 3, 200), (3, 3, 200), (1, 5, 200), (5, 2, 3), (6, 1, 200), (1, 1, 50)):
    table, amounts = torch.rand(n, d, generator=rng) * 50, torch.rand(n, generator=rng) * most
    truth = [sum(g * row[j] / 100 for g, row in zip(amounts.tolist(), table.tolist())) for j in range(d)]
    assert_shape(meal(amounts, table), (d,), f"the shape for {n} foods and {d} nutrients", of="shape")
    assert_close(meal(amounts, table), torch.tensor(truth), f"{n} random foods, {d} nutrients, at most {most} g of each", of="values", rtol=1e-3)
### END HIDDEN TESTS

# %% [markdown] teaches="linear map, unit vectors"
# ### A matrix is a map
#
# Read $\mathbf{x} \mapsto A\mathbf{x}$ as a machine: a vector of length n goes in, one of length m comes out.
# Such a machine respects linear combinations: $A(a\mathbf{u} + b\mathbf{v}) = aA\mathbf{u} + bA\mathbf{v}$. It
# is called a *linear map*.
#
# The letter F below is a list of points in the plane, and each panel shows what one 2 by 2 matrix makes of
# them.

# %% tags=["demo"]
letter = torch.tensor([[0., 0.], [0., 2.], [1.2, 2.], [1.2, 1.6], [0.4, 1.6], [0.4, 1.2], [1., 1.2], [1., 0.8],
                       [0.4, 0.8], [0.4, 0.], [0., 0.]])
maps_of_the_plane = {'as it is': [[1., 0.], [0., 1.]], 'turned by 30°': [[0.866, -0.5], [0.5, 0.866]],
                     'wider and lower': [[1.5, 0.], [0., 0.6]], 'sheared': [[1., 0.7], [0., 1.]]}
figure, axes = plt.subplots(1, 4, figsize=(9, 2.6), layout='constrained', sharey=True)
for ax, (title, W) in zip(axes, maps_of_the_plane.items()):
    matrix, W = W, torch.tensor(W)
    moved = torch.stack([W @ point for point in letter])
    ax.fill(moved[:, 0], moved[:, 1], color='lightgray')
    for j, color in enumerate(('C0', 'C1')):
        ax.annotate('', xy=W[:, j].tolist(), xytext=(0, 0), arrowprops=dict(arrowstyle='->', color=color, lw=2, shrinkA=0, shrinkB=0))
    ax.set(title=f'{title}\n{matrix}', xlim=(-1.2, 2.8), ylim=(-0.5, 2.6), aspect='equal')
    ax.title.set_fontsize(9)
plt.show()

# %% [markdown]
# The blue arrow is the image of (1, 0), the orange one that of (0, 1). These two are *unit vectors*: a single
# 1, and zeros. Compare the arrows with the matrices above: **column j of the matrix is where unit vector j
# goes**. That follows from "a mix of the columns": the unit vector takes one of column j and nothing of the
# others. And it is all that one needs to know: every vector is a mix of unit vectors.

# %%
W = torch.tensor([[1., 0.7], [0., 1.]])
print(torch.eye(2))                         # the unit vectors: rows (and columns) of this matrix
print(W @ torch.eye(2)[0], W @ torch.eye(2)[1], W[:, 1])

# %% [markdown] task="2.3.13" kind="code" minutes=6 difficulty=3 needs="linear map, unit vectors, stack and cat"
# ### Find the matrix of a map
#
# A black box computes a linear map from n numbers to m numbers. You may put in vectors and look at what comes
# out.
#
# Write `matrix_of(f, n)`: for a function `f` that takes a `float32` tensor of shape `(n,)` to one of shape
# `(m,)`, linearly, it returns the matrix `A` with `A @ x` equal to `f(x)` for every `x`.
#
# **You are done when**
# - **shape**: it is `(m, n)`, for one input or one output, too;
# - **values**: `A @ x` is `f(x)`, also where m = n.

# %% exercise="2.3.13"
def matrix_of(f, n):
    """The (m, n) matrix of a linear function f from shape (n,) to shape (m,)."""
    ### BEGIN SOLUTION
    return torch.stack([f(unit) for unit in torch.eye(n)], dim=1)
    ### END SOLUTION

# %% [markdown] hints="2.3.13"
# 1. Which n inputs tell you everything about a linear map?
# 2. The image of unit vector j is column j. `torch.eye(n)` has the unit vectors as rows, so a `for` loop over
#    it meets them one by one.
# 3. Another case: for f(x) = (x₀ + x₁, 2x₁) the images of (1, 0) and (0, 1) are (1, 0) and (1, 2), and the
#    matrix is ((1, 1), (0, 2)).

# %% check="2.3.13" points=2
@probe
def found_matrix(M):
    def box(x):
        if tuple(x.shape) != (M.shape[1],):
            raise ValueError(f"f takes a tensor of shape ({M.shape[1]},), and was given one of shape {tuple(x.shape)}")
        if x.dtype != M.dtype:
            raise TypeError(f"f takes a float32 tensor, and was given one of dtype {str(x.dtype).removeprefix('torch.')}")
        return M @ x

    return matrix_of(box, M.shape[1])

@probe
def matrix_of_neighbours():
    return matrix_of(lambda x: x[1:] - x[:-1], 3)

@probe
def matrix_of_a_part(n, step):
    return matrix_of(lambda x: x[::step], n)

@probe
def what_neighbours_raise():
    try:
        matrix_of(lambda x: x[1:] - x[:-1], 3)
    except Exception as error:
        return f"raises {type(error).__name__}: {error}"
    return ""

found = what_neighbours_raise()
assert_true(not found, "matrix_of returns something for f(x) = x[1:] - x[:-1] with n = 3", of="shape",
            hint=f"It {found}. This f makes 2 numbers of 3: the matrix has a row for each of the 2, and f(x) tells their number.")

def column_of(found, wanted):
    for j, (column, image) in enumerate(zip(found.T.tolist(), wanted.T.tolist())):
        if not np.allclose(column, image, atol=1e-4):
            unit, column, image = (tuple(float(f"{number:.4g}") for number in t) for t in (np.eye(wanted.shape[1])[j], column, image))
            return f"f makes {image} of {unit}, and this is column {j} of the matrix; column {j} of yours is {column}."
    return ""

assert_shape(matrix_of_neighbours(), (2, 3), "the shape for f(x) = x[1:] - x[:-1] with n = 3", of="shape",
             hint="A column for each of the three inputs, and a row for each of the two outputs.",
             mistakes={"Yours has a row for each of the three inputs; the image of an input is a column.": (3, 2),
                       "This f makes 2 numbers of 3, and so the matrix has 2 rows; yours is square.": (3, 3),
                       "All numbers stand in a row; each image is a column of its own.": (6,)})
assert_close(matrix_of_neighbours(), torch.tensor([[-1., 1., 0.], [0., -1., 1.]]), "the matrix of f(x) = x[1:] - x[:-1] with n = 3",
             of="values", hint=lambda: column_of(matrix_of_neighbours(), torch.tensor([[-1., 1., 0.], [0., -1., 1.]])),
                          mistakes={"The entries 1 of earlier inputs stayed: column j is what f makes of unit vector j alone.":
                                    torch.tensor([[-1., 0., 0.], [0., -1., 0.]]),
                                    "The images lie one behind the other in the rows; each is a column.":
                                    torch.tensor([[-1., 0., 1.], [-1., 0., 1.]]),
                                    "The matrix holds whole numbers; f takes and gives float32 ones, unit vectors, too.":
                                    torch.tensor([[-1, 1, 0], [0, -1, 1]]),
                                    "f was asked about one vector only; each column needs a question of its own.": torch.zeros(2, 3)})
assert_close(found_matrix(torch.tensor([[1., 2.], [3., 5.]])), torch.tensor([[1., 2.], [3., 5.]]),
             "the matrix of f(x) = M @ x for M = ((1, 2), (3, 5))", of="values",
             hint=lambda: column_of(found_matrix(torch.tensor([[1., 2.], [3., 5.]])), torch.tensor([[1., 2.], [3., 5.]])),
             mistakes={"The images of the unit vectors are columns, not rows.": torch.tensor([[1., 3.], [2., 5.]])})
assert_shape(found_matrix(torch.tensor([[1., 2., 4.]])), (1, 3), "the shape for f(x) = M @ x with M of shape (1, 3)", of="shape",
             hint="One output: a matrix of one row.")
assert_shape(found_matrix(torch.tensor([[1.], [2.]])), (2, 1), "the shape for f(x) = M @ x with M of shape (2, 1)", of="shape",
             hint="One input: a matrix of one column.")
assert_close(found_matrix(torch.tensor([[0.5, -2., 4.], [1.25, 0., 3.]])), torch.tensor([[0.5, -2., 4.], [1.25, 0., 3.]]),
             "the matrix of f(x) = M @ x for M = ((0.5, -2, 4), (1.25, 0, 3))", of="values",
             hint=lambda: column_of(found_matrix(torch.tensor([[0.5, -2., 4.], [1.25, 0., 3.]])), torch.tensor([[0.5, -2., 4.], [1.25, 0., 3.]])))
assert_close(matrix_of_a_part(3, 2), torch.tensor([[1., 0., 0.], [0., 0., 1.]]), "the matrix of f(x) = x[::2] with n = 3", of="values",
             hint="What f returns may be a view of its input: do not change this input later.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(23013)
for m, n in ((4, 2), (3, 3), (2, 5), (6, 1)):
    M = torch.randn(m, n, generator=rng)
    assert_shape(found_matrix(M), (m, n), f"the shape for a map from {n} numbers to {m}", of="shape")
    assert_close(found_matrix(M), M, f"the matrix of a random map from {n} numbers to {m}", of="values")
for n, step in ((5, 1), (7, 3)):
    assert_close(matrix_of_a_part(n, step), torch.eye(n)[::step], f"the matrix of f(x) = x[::{step}] with n = {n}", of="values")
### END HIDDEN TESTS

# %% [markdown] teaches="matrix product"
# ## A matrix times a matrix: many of everything
#
# Three meals, each a row of portions of the four foods, make a matrix of shape (3, 4). Times the table of
# foods, shape (4, 3), it gives the nutrients of every meal. Entry $(i, j)$ of the *matrix product* is the dot
# product of row $i$ of the first and column $j$ of the second:
#
# $$(AB)_{ij} = \sum_k A_{ik} B_{kj}, \qquad \text{shapes } (n, k) \text{ and } (k, m) \to (n, m).$$
#
# The two inner lengths must be equal, for they are summed over, and they vanish. The outer lengths remain.

# %%
meals = torch.tensor([[1., 2., 0., 0.],     # bread and milk
                      [0., 0., 2., 0.5],    # tofu with almonds
                      [2., 1., 1., 0.]])
print((meals @ foods).shape)
print(meals @ foods)
print('row 1, column 2 by hand:', meals[1] @ foods[:, 2])

# %% tags=["demo"]
def table(ax, values, title, dark):
    """Shows a matrix as a grid of numbers; the cells for which dark(i, j) holds are coloured."""
    rows, columns = values.shape
    for i in range(rows):
        for j in range(columns):
            ax.add_patch(plt.Rectangle((j, i), 1, 1, fc='orange' if dark(i, j) else 'white', ec='gray'))
            ax.text(j + 0.5, i + 0.5, f'{values[i, j]:g}', ha='center', va='center', fontsize=9)
    ax.set(xlim=(0, columns), ylim=(rows, 0), aspect='equal', title=title, xticks=[], yticks=[])


figure, axes = plt.subplots(1, 3, figsize=(8, 2.8), layout='constrained', width_ratios=(4, 3, 3))
table(axes[0], meals, 'meals (3, 4)', lambda i, j: i == 1)
table(axes[1], foods, 'foods (4, 3)', lambda i, j: j == 2)
table(axes[2], (meals @ foods).round(decimals=1), 'meals @ foods (3, 3)', lambda i, j: (i, j) == (1, 2))
plt.show()

# %% [markdown]
# The coloured row times the coloured column gives the coloured entry:
# $0 \cdot 49 + 0 \cdot 4.8 + 2 \cdot 2 + 0.5 \cdot 22 = 15$.
#
# Three things differ from the product of numbers.
#
# - The order matters. `foods @ meals` has the shape (4, 4), and even where both orders have one shape, they are
#   two results. A picture first turned and then sheared is not the picture first sheared and then turned.
# - `A * B` is something else: the element-wise product.
# - The product of two matrices is the map that does one after the other: $(AB)\mathbf{x} = A(B\mathbf{x})$. The
#   right one acts first.

# %%
P, Q = torch.tensor([[1., 2.], [0., 1.]]), torch.tensor([[0., 1.], [1., 0.]])
print(P @ Q, Q @ P, P * Q, sep='\n')

# %% [markdown] task="2.3.E" kind="code" minutes=3 difficulty=1 core=true needs="matrix product"
# ### The shape of a product
#
# Most errors in a first network are errors of shape. Write `product_shape(s, t)`: for the shapes of two
# matrices, each a tuple of two numbers, it returns the shape of their product, a tuple or list of two numbers, or
# the string `'error'` where the product does not exist.
#
# **You are done when**
# - **outer lengths**: the shape is right where the product exists, also where a length is 0;
# - **inner lengths**: `'error'` where it does not.

# %% exercise="2.3.E"
def product_shape(s, t):
    """The shape of A @ B for A of shape s and B of shape t, or 'error'."""
    ### BEGIN SOLUTION
    return (s[0], t[1]) if s[1] == t[0] else 'error'
    ### END SOLUTION

# %% [markdown] hints="2.3.E"
# 1. Write the two shapes side by side. Which two of the four numbers stand inside?
# 2. (n, k) and (k, m) give (n, m). A length of 1 does not broadcast here.
# 3. Another case: (5, 2) and (2, 7) give (5, 7), and (2, 7) and (5, 2) do not fit.

# %% check="2.3.E" points=1
assert_equal(product_shape((3, 2), (2, 3)), (3, 3), "shapes (3, 2) and (2, 3)", of="outer lengths",
             hint="Side by side they are (3, 2)(2, 3): the inner lengths, 2 and 2, are equal and vanish; the outer ones, 3 and 3, remain.",
             mistakes={"These are the inner lengths, which vanish.": (2, 2), "This is the number of entries; asked for is the shape.": 9,
                       "The inner length, 2, is summed over, and vanishes.": (3, 2, 3),
                       "The inner lengths, 2 and 2, are summed over, and vanish.": (3, 2, 2, 3),
                       "The numbers of rows, 3 and 2, need not be equal, nor the numbers of columns.": 'error'})
assert_equal(product_shape((2, 3), (3, 4)), (2, 4), "shapes (2, 3) and (3, 4)", of="outer lengths",
             hint="Side by side they are (2, 3)(3, 4): the inner lengths, 3 and 3, are equal and vanish; the outer ones, 2 and 4, remain.",
             mistakes={"These are the inner lengths, which vanish.": (3, 3), "The two lengths are exchanged.": (4, 2),
                       "The outer lengths, 2 and 4, need not be equal; which ones are summed over?": 'error'})
assert_type(product_shape((3, 2), (2, 3)), (tuple, list), "what product_shape((3, 2), (2, 3)) returns", of="outer lengths",
            hint="The two numbers of the shape, in a tuple or a list, and no tensor.")
assert_equal(product_shape((4, 4), (4, 4)), (4, 4), "shapes (4, 4) and (4, 4)", of="outer lengths",
             hint="The inner lengths, 4 and 4, are equal and vanish, and the outer ones, 4 and 4, remain.")
assert_equal(product_shape((2, 0), (0, 3)), (2, 3), "shapes (2, 0) and (0, 3)", of="outer lengths",
             hint="The inner lengths are equal: each entry is a sum of no products, 0.")

@probe
def what_shapes_raise(s, t):
    try:
        product_shape(s, t)
    except Exception as error:
        return f"raises {type(error).__name__}: {error}"
    return ""

found = what_shapes_raise((2, 3), (2, 3))
assert_true(not found, "product_shape((2, 3), (2, 3)) returns something", of="inner lengths",
            hint=f"It {found}. Where the product does not exist, the string 'error' is to be returned; nothing is to be raised.")
assert_equal(product_shape((2, 3), (2, 3)), 'error', "shapes (2, 3) and (2, 3)", of="inner lengths",
             mistakes={"The inner lengths are 3 and 2. This is the shape of the element-wise product.": (2, 3)},
             hint="The inner lengths are 3 and 2. They have to be equal; the answer is the string 'error'.")
assert_equal(product_shape((3, 1), (2, 3)), 'error', "shapes (3, 1) and (2, 3)", of="inner lengths",
             mistakes={"The inner lengths are 1 and 2. A matrix product does not broadcast them.": (3, 3),
                       "This is the shape of the product in the other order, (2, 3) times (3, 1).": (2, 1)},
             hint="The inner lengths are 1 and 2. They have to be equal; the answer is the string 'error'.")
assert_equal(product_shape((2, 4), (8, 3)), 'error', "shapes (2, 4) and (8, 3)", of="inner lengths",
             hint="The inner lengths are 4 and 8. They have to be equal; the answer is the string 'error'.")
### BEGIN HIDDEN TESTS
for s, t in (((5, 1), (1, 6)), ((1, 4), (4, 1)), ((7, 7), (7, 2)), ((3, 4), (5, 3)), ((2, 5), (1, 2)), ((1, 3), (1, 3)), ((3, 3), (3, 3)), ((0, 4), (4, 2)),
             ((5, 0), (0, 5)), ((0, 3), (0, 3)), ((2, 9), (3, 5)), ((6, 0), (1, 6))):
    try:
        truth = tuple((torch.zeros(s) @ torch.zeros(t)).shape)
    except RuntimeError:
        truth = 'error'
    assert_equal(product_shape(s, t), truth, f"shapes {s} and {t}", of="inner lengths" if truth == 'error' else "outer lengths")
### END HIDDEN TESTS

# %% [markdown] teaches="linear layer, bias"
# ### The product as a layer
#
# A layer of a network is a matrix product and an addition. A batch of n examples with d features each is a
# matrix $X$ of shape (n, d), one example a row. The weights are a matrix $W$ of shape (d, h): **each column is
# one unit** (a "neuron"), a vector of weights for the d features. The *biases* $\mathbf{b}$, of shape (h,), are
# one more number for each unit, which is added at the end:
#
# $$H = XW + \mathbf{b}, \qquad (n, d)\,(d, h) + (h,) \to (n, h).$$
#
# Entry (i, j) is the weighted sum of the features of example i, by the weights of unit j, plus the bias of unit
# j. (The formula $W\mathbf{x} + \mathbf{b}$ at the top of this page, for one example, has a unit in each *row* of
# its W. For a batch the example stands on the left, and so W is turned.) The addition broadcasts: `b` lines up with
# the last axis, the units, and is added to every row. Here are
# two units: one adds up the energy of a food and takes 100 off, the other compares protein with fat.

# %%
weights = torch.stack([energy, torch.tensor([1., -1., 0.])], dim=1)
biases = torch.tensor([-100., 0.])
print(weights.shape, (foods @ weights + biases).shape)
print(foods @ weights + biases)

# %% [markdown]
# One product handles the whole batch, and that is why networks are fast: a processor does one large product
# much faster than many small ones. A second layer takes these outputs as its inputs. Between the layers stands
# a function that is not linear, for a reason that section 5.1 gives.

# %% [markdown] task="2.3.F" kind="code" minutes=3 difficulty=2 core=true needs="linear layer, bias, broadcasting"
# ### A layer
#
# Some libraries, torch's own layers among them, keep the weights the other way round: one **row** for each
# unit, so that `W` has the shape `(h, d)`.
#
# Write `layer(X, W, b)` for weights kept like that: `X` of shape `(n, d)`, `W` of shape `(h, d)`, `b` of shape
# `(h,)`.
#
# **You are done when**
# - **shape**: the result has shape `(n, h)`;
# - **weights**: entry (i, j) holds the dot product of example i with row j of `W`, also where h = d;
# - **bias**: plus `b[j]`, also where n = h.

# %% exercise="2.3.F"
def layer(X, W, b):
    """A linear layer for X (n, d), with W (h, d), one row a unit, and b (h,): (n, h)."""
    ### BEGIN SOLUTION
    return X @ W.T + b
    ### END SOLUTION

# %% [markdown] hints="2.3.F"
# 1. Which shape must the second factor have, so that (n, d) times it gives (n, h)?
# 2. `W.T` exchanges rows and columns. A vector of shape (h,) is added to every row.
# 3. Another case: for one example `x` of shape (d,), `W @ x + b` is its h outputs.

# %% check="2.3.F" points=2
def which_unit():
    found = layer(torch.tensor([[1., 0.]]), torch.tensor([[3., 5.], [4., 7.]]), torch.zeros(2))[0].tolist()
    if max(abs(found[0] - 3), abs(found[1] - 4)) < 1e-3:
        return ("The example (1, 0) alone gets from the units (3, 5) and (4, 7) what it should, 3 and 4: "
                "look at how several features or examples go together.")
    return ("Simpler: the example (1, 0) and the unit (3, 5) have the dot product 1 · 3 + 0 · 5 = 3, with the unit (4, 7) it is 4; "
            f"yours gives {found[0]:.4g} and {found[1]:.4g}.")

def what_was_added():
    added = (layer(inputs, kept_rows, shift) - layer(inputs, kept_rows, torch.zeros(3))).tolist()
    rows = [f"({', '.join(f'{number:.4g}' for number in row)})" for row in added]
    return (f"What the biases (10, 20, 30) change in the three rows is {rows[0]}, {rows[1]} and {rows[2]}; "
            "each row gets (10, 20, 30) added.")

def by_columns():
    """What is said where each column of W was taken for a unit."""
    of_two = layer(inputs[:2], torch.tensor([[1., 2.], [3., 5.]]), torch.zeros(2))
    if not torch.allclose(of_two, torch.tensor([[7., 12.], [3., 5.]])):
        return ""
    try:
        of_three = layer(inputs, kept_rows, torch.zeros(3))
    except Exception:
        of_three = torch.zeros(3, 3)
    reshaped = torch.allclose(of_three, torch.tensor([[3., 0., 0.], [1., 0., -1.], [3., 0., 6.]]))
    return ("The columns of W were taken for the units; here each row is one."
            + (" `reshape` does not exchange them; `.T` does." if reshaped else ""))

inputs, kept_rows, shift = torch.tensor([[1., 2.], [0., 1.], [3., 0.]]), torch.tensor([[1., 0.], [2., 1.], [0., -1.]]), torch.tensor([10., 20., 30.])
assert_close(layer(inputs[:2], torch.tensor([[1., 2.], [3., 5.]]), torch.zeros(2)), torch.tensor([[5., 13.], [2., 5.]]),
             "X = ((1, 2), (0, 1)), W = ((1, 2), (3, 5)), all biases 0", of="weights",
             hint=lambda: by_columns() or
             "Entry (0, 1) is the dot product of row 0 of X and row 1 of W, 1 · 3 + 2 · 5 = 13. " + which_unit(),
             mistakes={"Rows and columns of the result are exchanged: an example is a row, a unit is a column.":
                       torch.tensor([[5., 2.], [13., 5.]]),
                       "A softmax stands behind the layer; a layer as defined here has no function behind it.":
                       torch.tensor([[5., 13.], [2., 5.]]).softmax(dim=1),
                       "A sigmoid stands behind the layer; a layer as defined here has no function behind it.":
                       torch.tensor([[5., 13.], [2., 5.]]).sigmoid(),
                       "A tanh stands behind the layer; a layer as defined here has no function behind it.":
                       torch.tensor([[5., 13.], [2., 5.]]).tanh(),
                       "The sums were divided by 2 (there are two features, examples and units); a dot product is the sum alone.":
                       torch.tensor([[2.5, 6.5], [1., 2.5]]),
                       "The weights were squared; they enter as they are.": torch.tensor([[9., 59.], [4., 25.]]),
                       "The inputs were squared; they enter as they are.": torch.tensor([[9., 23.], [2., 5.]]),
                       "The result is twice what it should be.": torch.tensor([[10., 26.], [4., 10.]]),
                       "The dot products were squared.": torch.tensor([[25., 169.], [4., 25.]]),
                       "The units are in the reverse order.": torch.tensor([[13., 5.], [5., 2.]])})
assert_close(layer(inputs, kept_rows, torch.zeros(3)), torch.tensor([[1., 4., -2.], [0., 1., -1.], [3., 6., 0.]]),
             "three examples and three units, all biases 0", of="weights",
             hint=lambda: "Entry (0, 1) is the dot product of row 0 of X and row 1 of W, 1 · 2 + 2 · 1 = 4. " + which_unit(),
             mistakes={"`reshape` keeps the entries in their order; `.T` exchanges rows and columns.":
                       torch.tensor([[3., 0., 0.], [1., 0., -1.], [3., 0., 6.]]),
                       "Negative entries became 0: a layer as defined here has no function behind it.":
                       torch.tensor([[1., 4., 0.], [0., 1., 0.], [3., 6., 0.]])})
assert_close(layer(inputs, kept_rows, shift), torch.tensor([[11., 24., 28.], [10., 21., 29.], [13., 26., 30.]]),
             "the same three units with the biases 10, 20, 30", of="bias", hint=what_was_added,
             mistakes={"The biases were added to the weights, before the product; they belong behind it.":
                       torch.tensor([[31., 64., 88.], [10., 21., 29.], [33., 66., 90.]]),
                       "Each bias was added to an example; it belongs to a unit, a column of the result.":
                       torch.tensor([[11., 14., 8.], [20., 21., 19.], [33., 36., 30.]]),
                       "The biases are missing.": torch.tensor([[1., 4., -2.], [0., 1., -1.], [3., 6., 0.]]),
                       "The biases are there twice.": torch.tensor([[21., 44., 58.], [20., 41., 59.], [23., 46., 60.]]),
                       "The biases were added to the first example only; they belong to every row.":
                       torch.tensor([[11., 24., 28.], [0., 1., -1.], [3., 6., 0.]]),
                       "The sum of the biases was added everywhere; each unit has its own.":
                       torch.tensor([[61., 64., 58.], [60., 61., 59.], [63., 66., 60.]]),
                       "The mean of the biases was added everywhere; each unit has its own.":
                       torch.tensor([[21., 24., 18.], [20., 21., 19.], [23., 26., 20.]]),
                       "The first bias was added everywhere; each unit has its own.":
                       torch.tensor([[11., 14., 8.], [10., 11., 9.], [13., 16., 10.]]),
                       "The biases are there three times.": torch.tensor([[31., 64., 88.], [30., 61., 89.], [33., 66., 90.]]),
                       "The biases are in the reverse order.": torch.tensor([[31., 24., 8.], [30., 21., 9.], [33., 26., 10.]]),
                       "The products were multiplied by the biases; these are added.":
                       torch.tensor([[10., 80., -60.], [0., 20., -30.], [30., 120., 0.]]),
                       "The biases were added to the inputs; they belong behind the product.":
                       torch.tensor([[61., 184., -62.], [60., 181., -61.], [63., 186., -60.]]),
                       "The biases were subtracted.": torch.tensor([[-9., -16., -32.], [-10., -19., -31.], [-7., -14., -30.]])})
assert_shape(layer(inputs[:1], kept_rows, shift), (1, 3), "the shape for n = 1, d = 2, h = 3", of="shape",
             hint="One example: a matrix of one row, with an entry for each of the three units.")
assert_shape(layer(inputs, kept_rows[:1], shift[:1]), (3, 1), "the shape for n = 3, d = 2, h = 1", of="shape",
             hint="One unit: a matrix of one column, with a row for each of the three examples.")
### BEGIN HIDDEN TESTS
def plain_layer(X, W, b):
    return torch.stack([(example * W).sum(dim=1) + b for example in X])

rng = torch.Generator().manual_seed(2306)
for n, d, h in ((5, 3, 2), (4, 4, 4), (2, 6, 2), (6, 3, 1), (1, 5, 1), (3, 1, 4)):
    inputs, kept_rows, shift = (torch.randn(shape, generator=rng) for shape in ((n, d), (h, d), (h,)))
    assert_shape(layer(inputs, kept_rows, shift), (n, h), f"the shape for n, d, h = {n}, {d}, {h}", of="shape")
    for biases, name in ((torch.zeros(h), "weights"), (shift, "bias")):
        assert_close(layer(inputs, kept_rows, biases), plain_layer(inputs, kept_rows, biases),
                     f"n, d, h = {n}, {d}, {h} {'with' if name == 'bias' else 'without'} biases", of=name, rtol=1e-3, atol=1e-4,
                     hint=lambda: where_they_part(layer, plain_layer, X=inputs, W=kept_rows, b=biases))
### END HIDDEN TESTS

# %% [markdown] teaches="cost of a matrix product"
# ### What a product costs
#
# The product of (n, k) and (k, m) has n · m entries, and each takes k multiplications: **n · k · m** in all.
# The additions are about as many, and one counts the multiplications only. In `float32` a number takes 4 bytes,
# so the result takes 4 · n · m bytes. For the shapes (3, 4) and (4, 5), counted and calculated, and the bytes:

# %%
n, k, m = 3, 4, 5
count = sum(1 for i in range(n) for j in range(m) for _ in range(k))
print(count, n * k * m, (torch.zeros(n, k) @ torch.zeros(k, m)).nbytes)

# %% [markdown]
# For three matrices (AB)C and A(BC) are the same matrix. The work on the way is not the same at all, and the next
# exercise counts it.

# %% [markdown] task="2.3.10a" kind="code" minutes=5 difficulty=2 core=true needs="matrix product, cost of a matrix product"
# ### Count before you multiply
#
# Write `chain_cost(p, q, r, s)` for matrices A, B, C of shapes (p, q), (q, r) and (r, s). It returns a pair:
# the number of multiplications of (AB)C, then that of A(BC). Each is the sum over its two products.
#
# **You are done when**
# - **(AB)C**: the first number is right;
# - **A(BC)**: the second number is right.

# %% exercise="2.3.10a"
def chain_cost(p, q, r, s):
    """(multiplications of (AB)C, multiplications of A(BC)) for shapes (p, q), (q, r), (r, s)."""
    ### BEGIN SOLUTION
    return p * q * r + p * r * s, q * r * s + p * q * s
    ### END SOLUTION

# %% [markdown] hints="2.3.10a"
# 1. Which shape has AB? How many multiplications does AB take, how many does its product with C take?
# 2. (n, k) times (k, m) takes n k m multiplications.
# 3. Another case: (2, 3) times (3, 4) takes 24 multiplications and has the shape (2, 4); that times (4, 1)
#    takes 8 more.

# %% check="2.3.10a" points=2
assert_type(chain_cost(2, 3, 4, 5), (tuple, list, torch.Tensor, np.ndarray), "what chain_cost(2, 3, 4, 5) returns", of="(AB)C")
assert_equal(len(chain_cost(2, 3, 4, 5)), 2, "how many numbers chain_cost returns", of="(AB)C")

def second_product(place, first_one, taken, name, second_one):
    yours = [float(chain_cost(*lengths)[place]) for lengths in ((2, 3, 4, 5), (3, 2, 7, 5))]
    if place == 1 and yours == [180, 200]:
        return "Only the multiplications are counted, not the additions."
    if yours == ([144, 252], [180, 280])[place]:
        return (f"{first_one} That is right. But {second_one} has three lengths, those of its two matrices; "
                "in yours it takes p · q · r · s, all four.")
    left = yours[0] - taken
    rest = f" That leaves {left:g} of yours for {second_one}: what shape has {name}, and what does {second_one} take?"
    return first_one + (rest if left > 0 else f" {second_one[0].upper()}{second_one[1:]} comes on top, and yours is not even as much as the first.")

odd = "p, q, r, s = 2999, 1777, 1555, 2333"
exact = "The number is a whole one, and exact: float32 keeps about seven digits, int32 ends at 2,147,483,647."
with part(0.5, "(AB)C", of="(AB)C"):
    assert_equal(chain_cost(2, 3, 4, 5)[0], 64, "the first number for p, q, r, s = 2, 3, 4, 5",
                 hint=lambda: second_product(0, "AB is (2, 3) times (3, 4), 2 · 3 · 4 = 24 multiplications.", 24, "AB", "its product with C"),
                 mistakes={"This is AB alone; its product with C comes on top.": 24,
                           "The multiplications of the two products are added, not multiplied.": 960,
                           "This is A(BC).": 90, "Only the multiplications are counted, not the additions.": 128,
                           "AB has the shape (p, r): it is this matrix that C is multiplied with.": 84,
                           "The second product is (p, r) times (r, s): r is summed over, not q.": 54,
                           "This is what one entry of each product takes; there are many entries.": 7,
                           "These are the entries of the results; each entry takes several multiplications.": 18,
                           "The additions do not count.": 110, "These are the additions; the multiplications are to be counted.": 46,
                           "(AB)C takes two products, with three lengths each, not all four lengths at once.": 120,
                           "The multiplications of the two products are to be added up to one number.": (24, 40),
                           "This is the product of AB with C alone; AB comes on top.": 40})
    assert_equal(chain_cost(2999, 1777, 1555, 2333)[0], 19_166_758_950, f"the first number for {odd}", hint=exact,
                 mistakes={"This is A(BC); the first number is that of (AB)C, the larger one here.": 18_879_704_514})
with part(0.5, "A(BC)", of="A(BC)"):
    assert_equal(chain_cost(2, 3, 4, 5)[1], 90, "the second number for p, q, r, s = 2, 3, 4, 5",
                 hint=lambda: second_product(1, "BC is (3, 4) times (4, 5), 3 · 4 · 5 = 60 multiplications.", 60, "BC", "the product of A with it"),
                 mistakes={"This is BC alone; the product of A with it comes on top.": 60, "This is (AB)C.": 64,
                           "The multiplications of the two products are added, not multiplied.": 1800,
                           "BC has the shape (q, s): it is this matrix that A is multiplied with.": 84,
                           "The second product is (p, q) times (q, s): q is summed over, not r.": 100,
                           "This is what one entry of each product takes; there are many entries.": 7,
                           "These are the entries of the results; each entry takes several multiplications.": 25,
                           "The additions do not count.": 155, "These are the additions; the multiplications are to be counted.": 65,
                           "A(BC) takes two products, with three lengths each, not all four lengths at once.": 120,
                           "The multiplications of the two products are to be added up to one number.": (60, 30),
                           "This is the product of A with BC alone; BC comes on top.": 30})
    assert_equal(chain_cost(2999, 1777, 1555, 2333)[1], 18_879_704_514, f"the second number for {odd}", hint=exact,
                 mistakes={"This is (AB)C; the second number is that of A(BC), the smaller one here.": 19_166_758_950})
### BEGIN HIDDEN TESTS
def counted(n, k, m):
    return sum(1 for _ in range(n) for _ in range(m) for _ in range(k))

large = (2 ** 10, 2 ** 16, 2 ** 5, 2 ** 14)
with part(0.5, "(AB)C for other shapes", of="(AB)C"):
    for p, q, r, s in ((5, 2, 7, 3), (1, 6, 1, 4), (8, 1, 3, 1)):
        assert_equal(chain_cost(p, q, r, s)[0], counted(p, q, r) + counted(p, r, s), f"the first number for {(p, q, r, s)}")
    assert_equal(chain_cost(*large)[0], 2_684_354_560, f"the first number for {large}")
    assert_equal(chain_cost(70001, 311, 9001, 507)[0], 515_404_622_818, "the first number for (70001, 311, 9001, 507)")
with part(0.5, "A(BC) for other shapes", of="A(BC)"):
    for p, q, r, s in ((5, 2, 7, 3), (1, 6, 1, 4), (8, 1, 3, 1)):
        assert_equal(chain_cost(p, q, r, s)[1], counted(q, r, s) + counted(p, q, s), f"the second number for {(p, q, r, s)}")
    assert_equal(chain_cost(*large)[1], 1_133_871_366_144, f"the second number for {large}")
    assert_equal(chain_cost(70001, 311, 9001, 507)[1], 12_456_798_354, "the second number for (70001, 311, 9001, 507)")
### END HIDDEN TESTS
total()

# %% [markdown] task="2.3.10b" kind="code" minutes=3 difficulty=2 needs="matrix product, cost of a matrix product"
# ### Memory on the way
#
# (AB)C has to store AB before it can go on, A(BC) has to store BC.
#
# Write `bytes_between(p, q, r, s)` for the same shapes. It returns a pair: the bytes that AB takes in
# `float32`, then those that BC takes.
#
# **You are done when**
# - **AB**: the first number is right;
# - **BC**: the second number is right.

# %% exercise="2.3.10b"
def bytes_between(p, q, r, s):
    """(bytes of AB, bytes of BC) in float32, for shapes (p, q), (q, r), (r, s)."""
    ### BEGIN SOLUTION
    return 4 * p * r, 4 * q * s
    ### END SOLUTION

# %% [markdown] hints="2.3.10b"
# 1. What shape has AB, what shape has BC?
# 2. A `float32` number takes 4 bytes.
# 3. Another case: a product of (2, 3) and (3, 4) has 8 numbers, that is 32 bytes.

# %% check="2.3.10b" points=1
assert_type(bytes_between(3, 5, 7, 11), (tuple, list, torch.Tensor, np.ndarray), "what bytes_between(3, 5, 7, 11) returns",
            of="AB")
assert_equal(len(bytes_between(3, 5, 7, 11)), 2, "how many numbers bytes_between returns", of="AB")
with part(0.25, "AB", of="AB"):
    assert_equal(bytes_between(3, 5, 7, 11)[0], 84, "the first number for p, q, r, s = 3, 5, 7, 11",
                 hint="AB has the shape (3, 7), and this is all that counts: 3 · 7 numbers of 4 bytes each.",
                 mistakes={"This is AB and BC together; each of them has a number of its own.": 304,
                           "This is the size of A, B and C together.": 508,
                           "These are kB; asked for are bytes.": 84 / 1000, "These are MB; asked for are bytes.": 84 / 10 ** 6,
                           "These are MiB; asked for are bytes.": 84 / 2 ** 20,
                           "This is the size of A, B, C and AB together.": 592,
                           "These are numbers; each takes 4 bytes.": 21, "A `float32` number takes 4 bytes, not 8.": 168,
                           "A `float32` number takes 4 bytes, not 2.": 42, "These are bits; a byte has 8.": 672,
                           "These are KiB; asked for are bytes.": 84 / 1024,
                           "The lengths p and r are multiplied, not added.": 40,
                           "AB has the outer lengths, p and r; the inner ones, q and q, vanish.": 100,
                           "AB takes less than one KiB; asked for are bytes.": 0,
                           "This is the size of the whole product, ABC.": 132, "This is BC.": 220,
                           "This is the size of A and B together; AB alone is asked for.": 200,
                           "This is the size of A.": 60, "This is the size of B.": 140,
                           "This is the size of A, B and AB together.": 284, "This is the size of AB and ABC together.": 216,
                           "Each multiplication was counted; only the entries of AB are stored.": 420})
    assert_equal(bytes_between(3001, 2999, 1001, 777)[0], 12_016_004, "the first number for p, q, r, s = 3001, 2999, 1001, 777",
                 hint="Asked for are bytes, as an exact whole number.")
with part(0.25, "BC", of="BC"):
    assert_equal(bytes_between(3, 5, 7, 11)[1], 220, "the second number for p, q, r, s = 3, 5, 7, 11",
                 hint="BC has the shape (5, 11), and this is all that counts: 5 · 11 numbers of 4 bytes each.",
                 mistakes={"This is AB and BC together; each of them has a number of its own.": 304,
                           "This is the size of A, B and C together.": 508,
                           "These are kB; asked for are bytes.": 220 / 1000, "These are MB; asked for are bytes.": 220 / 10 ** 6,
                           "These are MiB; asked for are bytes.": 220 / 2 ** 20,
                           "This is the size of A, B, C and BC together.": 728,
                           "These are numbers; each takes 4 bytes.": 55, "A `float32` number takes 4 bytes, not 8.": 440,
                           "A `float32` number takes 4 bytes, not 2.": 110, "These are bits; a byte has 8.": 1760,
                           "These are KiB; asked for are bytes.": 220 / 1024,
                           "The lengths q and s are multiplied, not added.": 64,
                           "BC has the outer lengths, q and s; the inner ones, r and r, vanish.": 196,
                           "BC takes less than one KiB; asked for are bytes.": 0,
                           "This is the size of the whole product, ABC.": 132, "This is AB.": 84,
                           "This is the size of B and C together; BC alone is asked for.": 448,
                           "This is the size of B.": 140, "This is the size of C.": 308,
                           "This is the size of B, C and BC together.": 668, "This is the size of BC and ABC together.": 352,
                           "Each multiplication was counted; only the entries of BC are stored.": 1540})
    assert_equal(bytes_between(3001, 2999, 1001, 777)[1], 9_320_892, "the second number for p, q, r, s = 3001, 2999, 1001, 777",
                 hint="Asked for are bytes, as an exact whole number.")
### BEGIN HIDDEN TESTS
others = ((5, 2, 7, 3), (1, 6, 1, 4), (8, 1, 3, 2))
with part(0.25, "AB for other shapes", of="AB"):
    for p, q, r, s in others:
        assert_equal(bytes_between(p, q, r, s)[0], (torch.zeros(p, q) @ torch.zeros(q, r)).nbytes, f"the first number for {(p, q, r, s)}")
    assert_equal(bytes_between(70001, 3, 9001, 5001)[0], 2_520_316_004, "the first number for (70001, 3, 9001, 5001)")
with part(0.25, "BC for other shapes", of="BC"):
    for p, q, r, s in others:
        assert_equal(bytes_between(p, q, r, s)[1], (torch.zeros(q, r) @ torch.zeros(r, s)).nbytes, f"the second number for {(p, q, r, s)}")
    assert_equal(bytes_between(3, 70003, 5, 9001)[1], 2_520_388_012, "the second number for (3, 70003, 5, 9001)")
### END HIDDEN TESTS
total()

# %% [markdown]
# For the shapes (1024, 65536), (65536, 32) and (32, 16384): 2.684e9 multiplications and 128 KiB on the way for
# (AB)C, 1.134e12 and 4 GiB for A(BC), 422 times as many. ⚠ Do not run the second to see whether it is slower;
# counting is enough. Here is the ratio, and then both ways for matrices that are small enough to try:

# %% tags=["demo"]
p, q, r, s = 2 ** 10, 2 ** 16, 2 ** 5, 2 ** 14
from_left, from_right = p * q * r + p * r * s, q * r * s + p * q * s
print(f'{from_left:.4g} and {from_right:.4g} multiplications, ratio {from_right / from_left:.1f};',
      f'{4 * p * r / 2 ** 10:g} KiB and {4 * q * s / 2 ** 30:g} GiB on the way')
A, B, C = torch.randn(64, 2048), torch.randn(2048, 8), torch.randn(8, 1024)
threads = torch.get_num_threads()
torch.set_num_threads(1)    # on a busy machine, threads that wait for each other would be what is timed
for name, product in (('(AB)C', lambda: (A @ B) @ C), ('A(BC)', lambda: A @ (B @ C))):
    timer = d2l.Timer()
    for _ in range(20):
        timer.start()
        product()
        timer.stop()
    print(f'{name}: {min(timer.times) * 1000:.2f} ms, the best of 20')
torch.set_num_threads(threads)

# %% [markdown] task="2.3.10c" kind="code" minutes=6 difficulty=3 needs="matrix product, cost of a matrix product"
# ### The cheaper way
#
# Write `chain(A, B, C)`: the product ABC of three matrices, in the order that takes fewer multiplications.
#
# **You are done when**
# - **product**: the result is ABC;
# - **torch's products**: both products are matrix products of torch, such as `@`: the check counts the
#   multiplications of these;
# - **cheaper order**: there are no more of them than the better of the two orders takes.

# %% exercise="2.3.10c"
def chain(A, B, C):
    """The matrix product A B C, by the cheaper of the two orders."""
    ### BEGIN SOLUTION
    (p, q), (r, s) = A.shape, C.shape
    if p * q * r + p * r * s <= q * r * s + p * q * s:
        return (A @ B) @ C
    return A @ (B @ C)
    ### END SOLUTION

# %% [markdown] hints="2.3.10c"
# 1. What do the shapes of A and C tell you before anything is multiplied?
# 2. Compare the two counts of 2.3.10a. Neither the first product alone nor the size of the matrix in between
#    decides.
# 3. Another case: shapes (5, 1), (1, 5) and (5, 1) take 25 + 25 multiplications from the left and 5 + 5 from
#    the right.

# %% check="2.3.10c" points=2
@probe
def work(A, B, C):
    from torch.utils.flop_counter import FlopCounterMode
    with FlopCounterMode(display=False) as counter:
        product = chain(A, B, C)
    return product, counter.get_total_flops() // 2      # an addition goes with each multiplication

def way_of(multiplications, p, q, r, s):
    ways = {p * q * r + p * r * s: "This is (AB)C, and the other order takes fewer. Each order has two products to count.",
            q * r * s + p * q * s: "This is A(BC), and the other order takes fewer. Each order has two products to count.",
            p * q * r + p * r * s + q * r * s + p * q * s: "Both ways were computed: decide before you multiply."}
    return ways.get(multiplications, "")

shapes_tried = ((2, 30, 3, 40), (40, 3, 30, 2), (10, 1, 10, 200), (2, 60, 5, 70), (3, 3, 50, 4), (10, 8, 3, 4), (2, 5, 6, 70))
cancels = " (a number that is added on both sides, or multiplied, cancels)"
from_the_left = {"the two whole orders are compared the wrong way round": lambda p, q, r, s: p * r * (q + s) > q * s * (p + r),
                 f"only the two products that come first are compared{cancels}": lambda p, q, r, s: p * q * r <= q * r * s,
                 f"only the two products that come last are compared{cancels}": lambda p, q, r, s: p * r * s <= p * q * s,
                 "the sizes of AB and BC are compared": lambda p, q, r, s: p * r <= q * s}

def rule_of():
    ways = []
    for p, q, r, s in shapes_tried:
        multiplications = work(torch.ones(p, q), torch.ones(q, r), torch.ones(r, s))[1]
        if multiplications not in (p * q * r + p * r * s, q * r * s + p * q * s):
            return ""
        ways.append(multiplications == p * q * r + p * r * s)
    rules = [rule for rule, left in from_the_left.items() if ways == [left(*shape) for shape in shapes_tried]]
    return f" For all the shapes of this check, your choice is the one that comes out where {rules[0]}." if len(rules) == 1 else ""

uncounted = "No order takes fewer: a product was made by something else than torch's matrix product, which alone is counted."
for p, q, r, s in shapes_tried:
    product, multiplications = work(torch.ones(p, q), torch.ones(q, r), torch.ones(r, s))
    assert_shape(product, (p, s), f"the shape of the product for p, q, r, s = {p}, {q}, {r}, {s}", of="product",
                 hint="ABC has as many rows as A and as many columns as C.")
    assert_close(product, torch.full((p, s), float(q * r)), f"the product of matrices of ones, p, q, r, s = {p}, {q}, {r}, {s}",
                 of="product",
                 hint=f"Of matrices of ones, AB has the entries {q}, and each entry of ABC adds up {r} of these: {q * r}.")
    fewest = min(p * q * r + p * r * s, q * r * s + p * q * s)
    if q > 1:
        assert_true(multiplications >= fewest, of="torch's products",
                    hint=uncounted,
                    what=f"the multiplications for p, q, r, s = {p}, {q}, {r}, {s}, {multiplications}, are at least {fewest}")
    assert_true(multiplications <= fewest, of="cheaper order",
                what=f"the number of multiplications for p, q, r, s = {p}, {q}, {r}, {s}, {multiplications}, is at most {fewest}",
                hint=lambda: way_of(multiplications, p, q, r, s) + rule_of())
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2310)
for p, q, r, s in ((40, 3, 50, 2), (7, 9, 8, 6), (1, 30, 20, 10), (30, 4, 6, 1), (6, 80, 4, 90)):
    matrices = [torch.randn(shape, generator=rng) for shape in ((p, q), (q, r), (r, s))]
    product, multiplications = work(*matrices)
    fewest = min(p * q * r + p * r * s, q * r * s + p * q * s)
    truth = matrices[0].double() @ matrices[1].double() @ matrices[2].double()
    assert_close(product.double(), truth, f"the product for p, q, r, s = {p}, {q}, {r}, {s}", of="product", rtol=1e-3, atol=1e-3)
    assert_true(multiplications >= fewest, f"both products are counted, for p, q, r, s = {p}, {q}, {r}, {s}",
                of="torch's products", hint=uncounted)
    assert_true(multiplications <= fewest, of="cheaper order",
                what=f"no more multiplications than the better order takes, for p, q, r, s = {p}, {q}, {r}, {s}",
                hint=lambda: way_of(multiplications, p, q, r, s))
### END HIDDEN TESTS

# %% [markdown] teaches="norm, distance"
# ## Norms: how large is a vector?
#
# How far is a prediction from the truth? How different are two foods? Each question needs a size, one number
# for a whole vector. In the plane it is Pythagoras' theorem: the arrow (3, 4) has the length
# $\sqrt{3^2 + 4^2} = 5$. With any number of entries the same formula gives the *2-norm*, or Euclidean length:
#
# $$\|\mathbf{x}\|_2 = \sqrt{\sum_i x_i^2} = \sqrt{\mathbf{x} \cdot \mathbf{x}} .$$
#
# The *distance* of two vectors is the norm of their difference.

# %%
x = torch.tensor([3., 4.])
print(torch.linalg.norm(x), x.norm(), (x @ x).sqrt())
print('bread to milk:', (bread - milk).norm(), 'bread to tofu:', (bread - foods[2]).norm())

# %% [markdown] task="2.3.G" kind="code" minutes=2 difficulty=1 core=true needs="norm"
# ### Length 1
#
# A vector of norm 1 has a direction and no size of its own.
#
# Write `unit(x)`: the vector that points in the direction of the vector `x` and has the 2-norm 1. `x` is
# floating point and not zero.
#
# **You are done when**
# - **values**: the result is a positive multiple of `x`, with 2-norm 1;
# - **arguments kept**: `x` is as it was.

# %% exercise="2.3.G"
def unit(x):
    """The vector of 2-norm 1 in the direction of x."""
    ### BEGIN SOLUTION
    return x / x.norm()
    ### END SOLUTION

# %% [markdown] hints="2.3.G"
# 1. If `x` has the norm 5, what is the norm of `x / 5`?
# 2. `x /= c` would change the caller's vector; `x / c` makes a new one.
# 3. Another case: to make the entries of a vector add up to 1, divide it by its sum.

# %% check="2.3.G" points=1
def how_long(*entries):
    x = torch.tensor(entries)
    found, factor = unit(x.clone()), unit(x.clone())[0] / x[0]
    if not torch.allclose(found, factor * x):
        became = ", ".join(f"{entry:g} became {now:.4g}" for entry, now in zip(entries, found.tolist()))
        return (f"Yours is no multiple of x: {became}. Each entry is to be divided by the same number, "
                f"the norm, which is {float(x.norm()):g} here.")
    if factor <= 0:
        return ""
    return f"The direction is right, but x was divided by {1 / float(factor):.6g}; its norm is {float(x.norm()):g}."

assert_close(unit(torch.tensor([3., -4.])), torch.tensor([0.6, -0.8]), "the vector (3, -4) scaled to length 1", of="values",
             hint=lambda: how_long(3., -4.),
             mistakes={"This was divided by the root of the norm.": torch.tensor([3., -4.]) / 5 ** 0.5,
                       "This was divided by the 3-norm, with cubes; the 2-norm is the root of the sum of the squares.":
                       torch.tensor([3., -4.]) / 91 ** (1 / 3),
                       "This was divided by the norm and by the number of entries; the norm alone is asked for.":
                       torch.tensor([0.3, -0.4]),
                       "This was divided by the sum of the absolute values.": torch.tensor([3 / 7, -4 / 7]),
                       "This was divided by the square of the norm.": torch.tensor([0.12, -0.16]),
                       "This was multiplied by the norm.": torch.tensor([15., -20.]),
                       "The direction is lost: each entry keeps its sign.": torch.tensor([0.6, 0.8]),
                       "This vector points the other way.": torch.tensor([-0.6, 0.8]),
                       "This is softmax, in which each sign is lost; divide by the norm.": torch.tensor([3., -4.]).softmax(dim=0),
                       "This was divided by the root of the number of entries; the norm is the root of the sum of their squares.":
                       torch.tensor([3., -4.]) / 2 ** 0.5,
                       "This was divided by the root of the mean of the squares; the norm is the root of their sum.":
                       torch.tensor([0.6, -0.8]) * 2 ** 0.5,
                       "This was divided by the spread of the entries, `std`; the norm is asked for.":
                       torch.tensor([3., -4.]) / 24.5 ** 0.5,
                       "The norm minus 1 was subtracted, which changes the direction; divide by the norm.":
                       torch.tensor([-1., -8.]),
                       "This is the norm itself; asked for is the vector of norm 1.": torch.tensor(5.),
                       "This was divided by the largest absolute value.": torch.tensor([0.75, -1.]),
                       "This was divided by the largest entry.": torch.tensor([1., -4 / 3]),
                       "The entries were squared, and divided by the sum of their squares; x itself is divided, by the norm.":
                       torch.tensor([0.36, 0.64]),
                       "The mean was subtracted first, which changes the direction; divide by the norm.":
                       torch.tensor([0.7, -0.7]),
                       "These are the signs of the entries; this vector has the norm 1.414.": torch.tensor([1., -1.]),
                       "This vector has still the norm 5.": torch.tensor([3., -4.]),
                       "This was divided by the sum of the entries.": torch.tensor([-3., 4.])})
assert_close(unit(torch.tensor([0.03, -0.04])), torch.tensor([0.6, -0.8]), "the vector (0.03, -0.04) scaled to length 1", of="values",
             hint="The norm of this vector is less than 1, and it becomes longer: divide by the norm, however small it is.")
assert_close(unit(torch.tensor([3e-6, -4e-6])), torch.tensor([0.6, -0.8]), "the vector (3e-6, -4e-6) scaled to length 1", of="values",
             hint="x may be short; it is not zero, and nothing need be added to its norm.")
assert_close(unit(torch.tensor([20., -40., 40., 80.])), torch.tensor([0.2, -0.4, 0.4, 0.8]),
             "the vector (20, -40, 40, 80) scaled to length 1", hint=lambda: how_long(20., -40., 40., 80.),
             of="values", mistakes={"The norm is that of the first two entries; a vector may have more.":
                                    torch.tensor([1., -2., 2., 4.]) / 5 ** 0.5,
                                    "The norm is that of the first three entries; a vector may have more.":
                                    torch.tensor([1., -2., 2., 4.]) / 3})

@probe
def vector_after_scaling(x):
    unit(x)
    return x

assert_close(vector_after_scaling(torch.tensor([3., -4.])), torch.tensor([3., -4.]), "x after the call", of="arguments kept",
             hint="`x /= ...` and `x[...] = ...` write into the vector of the caller; `x / ...` makes a new one.",
             mistakes={"x itself was divided by its norm, as `/=` does; `/` makes a new vector.": torch.tensor([0.6, -0.8])})
uneven = torch.tensor([1e10, 1e-37])
assert_close(vector_after_scaling(uneven.clone()), uneven, "x = (1e10, 1e-37) after the call", of="arguments kept",
             mistakes={"x was divided in place and multiplied back: what is lost on the way does not come back.":
                       torch.tensor([1e10, 0.])})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2307)
for n, scale in ((6, 20.), (4, 0.001), (1, 20.), (1, -0.3), (3, 20.)):
    sample = torch.randn(n, generator=rng, dtype=torch.float64) * scale
    size = sum(entry ** 2 for entry in sample.tolist()) ** 0.5
    assert_close(unit(sample.clone()), sample / size, f"{n} random entry of size about {scale}" if n == 1 else f"{n} random entries of size about {scale}",
                 of="values", rtol=1e-5, hint=lambda: where_they_part(unit, lambda x: x / x.square().sum().sqrt(), x=sample))
assert_close(vector_after_scaling(sample.clone()), sample, "x with 3 entries after the call, for float64", of="arguments kept",
             hint="Where x is of float64, `x.double()` is x itself and no copy: an operation in place then "
                  "writes into the caller's vector.")
uneven = torch.tensor([-2e-38, 5e9, 3.])
assert_close(vector_after_scaling(uneven.clone()), uneven, "x with a large and a small entry, after the call",
             of="arguments kept")
### END HIDDEN TESTS

# %% [markdown] teaches="1-norm, infinity norm"
# ### Other ways to measure
#
# In a city of square blocks nobody walks through the houses: the way from corner to corner is the *sum of the
# absolute values*, the *1-norm* $\|\mathbf{x}\|_1 = \sum_i |x_i|$. And if what counts is the worst entry, the
# size is the largest absolute value, the *∞-norm* $\|\mathbf{x}\|_\infty = \max_i |x_i|$.

# %%
x = torch.tensor([3., -4.])
print(torch.linalg.norm(x, ord=1), x.abs().sum(), torch.linalg.norm(x, ord=float('inf')), x.abs().max())

# %% [markdown]
# Take care with whole numbers. A dtype such as `uint8` goes from 0 to 255 and has no negative numbers; below 0 it
# starts again at the top. Convert first:

# %%
here, there = torch.tensor([1, 9], dtype=torch.uint8), torch.tensor([4, 7], dtype=torch.uint8)
print(here - there, here.double() - there.double())

# %% tags=["demo"]
turn = torch.linspace(0, 2 * torch.pi, 400)
circle = torch.stack([turn.cos(), turn.sin()])
figure, ax = plt.subplots(figsize=(5, 3.4), layout='constrained')
for order in (1, 2, float('inf')):
    shape = circle / torch.linalg.norm(circle, ord=order, dim=0)
    ax.plot(shape[0], shape[1], label=f'{order}-norm = 1'.replace('inf', '∞'))
ax.set(aspect='equal', xlabel='entry 0', ylabel='entry 1')
ax.grid(alpha=0.3)
ax.legend(loc='center left', bbox_to_anchor=(1.02, 0.5))
plt.show()

# %% [markdown]
# All vectors of norm 1, for three norms. The 1-norm has corners on the axes, where an entry is 0; that is why
# models that are told to keep it small end up with many zeros. Losses use both: the 2-norm squared punishes a
# few large errors, the 1-norm forgives them.

# %% [markdown] task="2.3.7a" kind="code" minutes=7 difficulty=2 needs="1-norm, sum along an axis"
# ### From corner to corner
#
# In a city of avenues and streets one walks along the blocks. A corner is a pair of whole numbers (avenue,
# street).
#
# Write `walking_distance(P, Q, blocks)`: `P` and `Q` have shape `(n, 2)`, one corner in each row, in any
# integer dtype. `blocks` is a pair of numbers, whole or not: the distance in metres from one avenue to the next, and
# from one street to the next. It returns the lengths in metres of the shortest walks from each corner of `P` to the
# corner in the same row of `Q`, floating point.
#
# **You are done when**
# - **shape**: it is `(n,)`, one length for each row;
# - **metres**: each is the length along the blocks, avenues and streets each with their own, in any direction;
# - **floating point**: also where `blocks` holds whole numbers;
# - **any integers**: also for `uint8`, which has no negative numbers, `int8`, which ends at 127, and `int64` up to 10¹⁵,
#   where two corners may lie close together or far apart.

# %% exercise="2.3.7a"
def walking_distance(P, Q, blocks):
    """The shortest walks along the blocks between the corners P and Q, each (n, 2): metres, (n,)."""
    ### BEGIN SOLUTION
    return (P.double() - Q.double()).abs() @ torch.tensor(blocks, dtype=torch.float64)
    ### END SOLUTION

# %% [markdown] hints="2.3.7a"
# 1. How many avenues and how many streets lie between the two corners? Does the direction matter?
# 2. This is a 1-norm with a weight for each coordinate. Convert to floating point before you subtract: `uint8` has
#    no -3, and 1 - 4 is 253 there.
# 3. Another case: from (0, 0) to (-2, 1) with blocks of 100 m and 50 m it is 2 · 100 + 1 · 50 = 250 m.

# %% check="2.3.7a" points=2
start, goal = torch.tensor([[1, 2], [5, 5], [0, 9]]), torch.tensor([[4, 6], [4, 8], [7, 9]])

def which_direction():
    for end, words, wanted in (((3, 0), "(3, 0) it is 3 · 280 = 840", 840.), ((0, 4), "(0, 4) it is 4 · 80 = 320", 320.),
                               ((-3, 0), "(-3, 0) it is 3 · 280 = 840", 840.), ((0, -4), "(0, -4) it is 4 · 80 = 320", 320.)):
        found = float(walking_distance(torch.zeros(1, 2, dtype=torch.int64), torch.tensor([end]), (280., 80.))[0])
        if abs(found - wanted) > 0.1:
            return f"From (0, 0) to {words} metres; yours is {found:g}."
    return "A walk along one direction alone is right, there and back; the first of these walks is 3 · 280 + 4 · 80 = 1160 metres."

assert_shape(walking_distance(start, goal, (280., 80.)), (3,), "the shape for three pairs of corners", of="shape",
             hint="One length for each row: avenues and streets are added, the rows are not, and no other axis is left.")
assert_close(walking_distance(start, goal, (280., 80.)), torch.tensor([1160., 520., 1960.]),
             "from (1, 2) to (4, 6), from (5, 5) to (4, 8), from (0, 9) to (7, 9)", of="metres", rtol=1e-4,
             hint=lambda: which_direction(),
             mistakes={"The number of all blocks was multiplied by both block lengths together; avenues and streets each have their own.":
                       torch.tensor([2520., 1440., 2520.]),
                       "This is the straight line, through the houses.": torch.tensor([898.888, 368.782, 1960.]),
                       "Avenues and streets have their own block lengths, in the order given.": torch.tensor([1360., 920., 560.]),
                       "Streets have a block length of their own.": torch.tensor([1960., 1120., 1960.]),
                       "A walk back is as long as a walk ahead: take absolute values of each difference.": torch.tensor([1160., -40., 1960.]),
                       "Lengths are not negative: take absolute values of each difference.": torch.tensor([-1160., 40., -1960.]),
                       "Steps ahead and steps back are added, not set off against each other.": torch.tensor([1160., 40., 1960.]),
                       "This is the longer of the two ways; one walks both.": torch.tensor([840., 280., 1960.]),
                       "This is the shorter of the two ways; one walks both.": torch.tensor([320., 240., 0.]),
                       "The mean of the two block lengths was taken for both directions.": torch.tensor([1260., 720., 1260.]),
                       "The block lengths were multiplied with each other; each belongs to one direction.":
                       torch.tensor([156800., 89600., 156800.]),
                       "These are blocks; asked for are metres.": torch.tensor([7., 4., 7.])})
assert_shape(walking_distance(start[:1], goal[:1], (280., 80.)), (1,), "the shape for one pair of corners", of="shape",
             hint="One row: a vector of length 1, no number without an axis.")
assert_close(walking_distance(start, goal, (280, 80)), torch.tensor([1160., 520., 1960.]), "the same walks with the whole numbers (280, 80)",
             of="floating point", rtol=1e-4, hint="The same metres, in floating point, are asked for.")
assert_close(walking_distance(start, goal, (0.5, 2.25)), torch.tensor([10.5, 7.25, 3.5]), "the same walks with blocks of (0.5, 2.25) metres",
             of="metres", rtol=1e-4, hint="The two numbers in `blocks` need not be whole.")
small = torch.tensor([[1, 9], [200, 0]], dtype=torch.uint8)
assert_close(walking_distance(small, small.flip(0), (1., 10.)), torch.tensor([289., 289.]),
             "from (1, 9) to (200, 0) and back, as uint8", of="any integers", rtol=1e-4,
             hint="uint8 has no negative numbers, and int8 ends at 127: convert to floating point before you subtract.")
small = torch.tensor([[-100, 5], [100, -7]], dtype=torch.int8)
assert_close(walking_distance(small, small.flip(0), (1., 10.)), torch.tensor([320., 320.]),
             "from (-100, 5) to (100, -7) and back, as int8", of="any integers", rtol=1e-4,
             hint="int8 ends at 127, and the difference is 200: convert to floating point before you subtract.")
far = torch.tensor([[70000, 0], [-70000, 3]])
assert_close(walking_distance(far, far.flip(0), (1., 10.)), torch.tensor([140030., 140030.]), "from (70000, 0) to (-70000, 3) and back",
             of="any integers", rtol=1e-4, hint="int16 ends at 32767: convert to floating point before you subtract.")
far = torch.tensor([[3 * 10 ** 9, 0], [-3 * 10 ** 9, 3]])
assert_close(walking_distance(far, far.flip(0), (1., 10.)), torch.tensor([6e9 + 30, 6e9 + 30]),
             "from (3000000000, 0) to (-3000000000, 3) and back", of="any integers", rtol=1e-4,
             hint="int32 ends at 2147483647: convert to floating point, or to int64, before you subtract.")
far = torch.tensor([[123456789, 987654321], [123456794, 987654318]])
assert_close(walking_distance(far, far.flip(0), (1., 10.)), torch.tensor([35., 35.]),
             "from (123456789, 987654321) to (123456794, 987654318) and back", of="any integers", rtol=1e-4,
             hint="float32 keeps about seven digits; float64 keeps these numbers whole.")
far = torch.tensor([[10 ** 15, 3 - 10 ** 15], [10 ** 15 - 5, -10 ** 15]])
assert_close(walking_distance(far, far.flip(0), (1., 10.)), torch.tensor([35., 35.]),
             "two corners near (10 ** 15, -10 ** 15), 5 avenues and 3 streets apart, there and back", of="any integers",
             rtol=1e-4,
             hint="Up to 10 ** 15, float64 keeps whole numbers whole.")
assert_close(walking_distance(far, far.flip(0), (281., 83.)), torch.tensor([1654., 1654.]),
             "the same two corners with blocks of (281, 83) metres", of="any integers", rtol=1e-4,
             hint="It is 5 · 281 + 3 · 83. Subtract first, and multiply then: 281 · 10 ** 15 has more digits than float64 keeps.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(237)
start, goal = (torch.randint(-20, 20, (5, 2), generator=rng) for _ in range(2))
metres = [sum(abs(int(a) - int(b)) * w for a, b, w in zip(p, q, (90.5, 210.))) for p, q in zip(start, goal)]
assert_shape(walking_distance(start, goal, (90.5, 210.)), (5,), "the shape for five pairs of corners", of="shape")
assert_close(walking_distance(start, goal, (90.5, 210.)), torch.tensor(metres), "five pairs of corners, some negative", of="metres", rtol=1e-4)
bytes_ = torch.randint(0, 256, (2, 4, 2), generator=rng)
metres = [abs(int(a[0]) - int(b[0])) * 2. + abs(int(a[1]) - int(b[1])) * 3. for a, b in zip(*bytes_)]
assert_close(walking_distance(bytes_[0], bytes_[1], (2, 3)), torch.tensor(metres), "four pairs of corners, blocks of the whole numbers (2, 3)",
             of="floating point", rtol=1e-4)
assert_shape(walking_distance(start[3:4], goal[3:4], (90.5, 210.)), (1,), "the shape for one pair of corners", of="shape")
large = torch.tensor([[-2 ** 31, 2 ** 31 - 1], [2 ** 31 - 2, -9]])
signed = torch.tensor([[-128, 127], [127, -128], [3, -90]])
for corners, dtype in ((signed, torch.int8), (large, torch.int32), (2 * large, torch.int64), (25000 * (signed > 0) - 7000, torch.int16)):
    steps = [abs(a - c) * 0.5 + abs(b - d) * 4 for (a, b), (c, d) in zip(corners.tolist(), corners.flip(0).tolist())]
    assert_close(walking_distance(corners.to(dtype), corners.flip(0).to(dtype), (0.5, 4)), torch.tensor(steps),
                 f"large steps as {str(dtype).removeprefix('torch.')}", of="any integers", rtol=1e-4,
                 hint="The difference overflows: convert to floating point before you subtract.")
assert_close(walking_distance(bytes_[0] - 10 ** 15, bytes_[1] - 10 ** 15, (2., 3.)), torch.tensor(metres),
             "four pairs of corners about 10 ** 15 blocks away", of="any integers", rtol=1e-4,
             hint="float32 keeps about seven digits; float64 keeps these numbers whole.")
longer = [abs(int(a[0]) - int(b[0])) * 257. + abs(int(a[1]) - int(b[1])) * 390.5 for a, b in zip(*bytes_)]
assert_close(walking_distance(bytes_[0] - 10 ** 15, bytes_[1] - 10 ** 15, (257., 390.5)), torch.tensor(longer),
             "four pairs of corners about 10 ** 15 blocks away, blocks of (257, 390.5)", of="any integers", rtol=1e-4,
             hint="Subtract first, and multiply then: 257 · 10 ** 15 has more digits than float64 keeps.")
for dtype in (torch.uint8, torch.int16):
    assert_close(walking_distance(bytes_[0].to(dtype), bytes_[1].to(dtype), (2., 3.)), torch.tensor(metres),
                 f"four pairs of corners as {str(dtype).removeprefix('torch.')}", of="any integers", rtol=1e-4,
                 hint="Small integer dtypes overflow: convert before you subtract.")
### END HIDDEN TESTS

# %% [markdown] task="2.3.7b" kind="code" minutes=4 difficulty=2 needs="1-norm, norm"
# ### Can one walk diagonally?
#
# You go to a point that lies `east` to the east and `north` to the north (to the west or the south where a
# number is negative), on a staircase of `k` equal steps: each goes `east / k` along the street, then
# `north / k` along the avenue. With many steps the staircase can hardly be told from the straight line. Is it
# as short?
#
# Write `two_ways(east, north, k)`: the pair of the length of the staircase and the length of the straight line.
#
# **You are done when**
# - **staircase**: the first number is right for every `k` ≥ 1, in any direction;
# - **straight line**: so is the second.

# %% exercise="2.3.7b"
def two_ways(east, north, k):
    """(length of a staircase of k equal steps, length of the straight line) to the point (east, north)."""
    ### BEGIN SOLUTION
    return abs(east) + abs(north), (east ** 2 + north ** 2) ** 0.5
    ### END SOLUTION

# %% [markdown] hints="2.3.7b"
# 1. How far do you go to the east in all, with k steps?
# 2. The steps' 1-norms add up. The straight line is a 2-norm.
# 3. Another case: to (1, 1) each staircase has length 2, the straight line 1.414.

# %% check="2.3.7b" points=1
assert_type(two_ways(3., 4., 1), (tuple, list, torch.Tensor, np.ndarray), "what two_ways(3., 4., 1) returns", of="staircase")
assert_equal(len(two_ways(3., 4., 1)), 2, "how many numbers two_ways returns", of="straight line")

def how_many_steps():
    one, ten = float(two_ways(3., 4., 1)[0]), float(two_ways(3., 4., 10)[0])
    if abs(one - 14) < 1e-3 and abs(ten - 7.7) < 1e-3:
        return "There are k steps, not k + 1: here it is one, and with k = 10, where yours is 7.7, ten."
    if abs(one - 14) < 1e-3:
        return "This is twice as long: the one step goes 3 to the east and 4 to the north."
    return "The one step goes 3 to the east and 4 to the north, and both count."

for k in (1, 10, 1000):
    assert_close(two_ways(3., 4., k)[0], 7., f"the staircase to (3, 4) with {k} step{'s' * (k > 1)}", of="staircase", rtol=1e-4,
                 hint=lambda: how_many_steps() if k == 1 else
                 f"There are {k} steps, each of 3 / {k} to the east and 4 / {k} to the north: "
                 "all together go 3 to the east and 4 to the north.",
                 mistakes={"The way to the east is missing.": 4., "The way to the north is missing.": 3.,
                           "This is the straight line, the second number; a step goes along the street, then along the avenue.":
                           5.} | ({
                     "This is one step; there are k of them.": 7 / k,
                     "There are k steps, not k + 1.": 7 + 7 / k,
                     "Each step goes east / k and north / k, not the whole way.": 7. * k,
                     "A step need not be a whole number: 3 / k is less than 1.": 0.,
                     "The length does not come nearer to 5: all steps together go 3 to the east and 4 to the north.": 5 + 2 / k}
                     if k > 1 else {}))
for east, north, k in ((3., -4., 2), (-3., 4., 2), (-3., -4., 5)):
    assert_close(two_ways(east, north, k)[0], 7., f"the staircase to ({east:g}, {north:g}) with {k} steps", of="staircase", rtol=1e-4,
                 mistakes={"The absolute value is that of the sum; a way to the south has its length before the two are added.": 1.,
                           "A way to the south has a length, too: it is added, not subtracted.": -1.} if east > 0 else {},
                 hint="A way to the west or to the south has a length, too.")
assert_close(two_ways(1.5, 2., 3)[0], 3.5, "the staircase to (1.5, 2) with 3 steps", of="staircase", rtol=1e-4,
             hint="The ways to the east and to the north need not be whole numbers.")
assert_close(two_ways(3., 4., 10)[1], 5., "the straight line to (3, 4)", of="straight line", rtol=1e-4,
             hint="The squares of 3 and 4 add up to 25, and the root of that is 5.",
             mistakes={"This is the root of 7; under the root stands the sum of the squares, 9 + 16.": 7 ** 0.5,
                       "The root is missing.": 25., "This is the staircase.": 7., "This is the longer of the two ways.": 4.,
                       "This is the line of one step; it goes all the way.": 0.5,
                       "This is the square of the line of one step.": 0.25})
assert_close(two_ways(-1.5, 2., 3)[1], 2.5, "the straight line to (-1.5, 2)", of="straight line", rtol=1e-4,
             mistakes={"The length was made a whole number.": 2., "The length was rounded up to a whole number.": 3.,
                       "A way to the west was subtracted; its square is added.": 1.75 ** 0.5},
             hint="The squares, 2.25 and 4, add up to 6.25, and the root of that is 2.5.")
### BEGIN HIDDEN TESTS
for east, north, k in ((-2., 5., 7), (1., -8., 300), (0., 6., 4), (-6.5, -0.25, 3), (-9., 0., 1), (2.75, 12.5, 3000)):
    assert_close(two_ways(east, north, k)[0], k * (abs(east) / k + abs(north) / k), f"the staircase to ({east}, {north}) with {k} steps",
                 of="staircase", rtol=1e-4)
    assert_close(two_ways(east, north, k)[1], float(torch.dist(torch.zeros(2), torch.tensor([east, north]))),
                 f"the straight line to ({east}, {north})", of="straight line", rtol=1e-4)
### END HIDDEN TESTS

# %% tags=["demo"]
figure, ax = plt.subplots(figsize=(5, 3.4), layout='constrained')
for k in (1, 4, 40):
    east, north = (torch.arange(2 * k + 1) + 1) // 2 * 3 / k, torch.arange(2 * k + 1) // 2 * 4 / k
    length = (east.diff().abs() + north.diff().abs()).sum()
    ax.plot(east, north, label=f'{k} step{"s" * (k > 1)}: {length:.3f}')
ax.plot([0, 3], [0, 4], 'k--', label='straight: 5')
ax.set(aspect='equal', xlabel='east', ylabel='north')
ax.legend(loc='center left', bbox_to_anchor=(1.02, 0.5))
plt.show()

# %% [markdown]
# The staircase of 40 steps looks like the diagonal, and is 7 long all the same: in the 1-norm there is no
# shorter way than the blocks. Only a street that runs diagonally would help.

# %% [markdown] teaches="norm properties"
# ### What makes a norm
#
# Not every number that grows with a vector is a norm. Three laws have to hold, for all vectors and numbers:
#
# - *scaling*: $\|a\mathbf{x}\| = |a| \, \|\mathbf{x}\|$. Twice the vector is twice as large.
# - *triangle*: $\|\mathbf{x} + \mathbf{y}\| \le \|\mathbf{x}\| + \|\mathbf{y}\|$. A detour is not shorter.
# - *zero*: only the vector of zeros has the norm 0.
#
# For the 2-norm, with $\mathbf{x} = (3, 4)$ and $\mathbf{y} = (1, 0)$; and for its square, which breaks the
# first two laws, though it is used as a loss every day:

# %%
x, y = torch.tensor([3., 4.]), torch.tensor([1., 0.])
for name, size in (('2-norm', lambda t: t.norm()), ('its square', lambda t: t @ t)):
    print(f'{name}: scaling {size(2 * x):.2f} and {2 * size(x):.2f},',
          f'triangle {size(x + y):.2f} and {size(x) + size(y):.2f}')

# %% tags=["setup"]
sizes = {
    'a': lambda x: 2 * x[0].abs() + x[1:].abs().sum(),          # the absolute values, the first one twice, added
    'b': lambda x: x.abs().sum() + x.abs().max(),               # the 1-norm plus the ∞-norm
    'c': lambda x: (x != 0).sum(),                              # how many entries are not 0
    'd': lambda x: x.norm().clamp(max=1.),                      # the 2-norm, but at most 1
    'e': lambda x: x.abs().sqrt().sum() ** 2,                   # the square of the sum of the roots
    'f': lambda x: torch.minimum(x[0].abs() + 3 * x[1].abs(), 3 * x[0].abs() + x[1].abs()) + x[2:].abs().sum(),
    'g': lambda x: x.max() - x.min(),                           # the range
    'h': lambda x: x.sum().abs(),                               # the absolute value of the sum
}

# %% [markdown] task="2.3.14" kind="answer" minutes=9 difficulty=4 needs="norm properties, 1-norm, infinity norm"
# ### Is it a norm?
#
# The cell above makes eight functions of a vector with two or more entries. Two are norms, and each of the
# others breaks exactly one of the three laws.
#
# Set `broken` to a dictionary from the letters `'a'` to `'h'` to the law that is broken: `'scaling'`,
# `'triangle'`, `'zero'`, or `'none'`. You may try the functions on vectors of your own: `sizes['c'](x)`.
#
# **You are done when**
# - **eight entries**: `broken` is a dictionary with these keys, and each value is one of the four words;
# - **weights and sums**: a and b are right;
# - **counting and capping**: c and d are right;
# - **roots and minima**: e and f are right;
# - **differences**: g and h are right.

# %% exercise="2.3.14"
### BEGIN SOLUTION
broken = {'a': 'none', 'b': 'none', 'c': 'scaling', 'd': 'scaling', 'e': 'triangle', 'f': 'triangle', 'g': 'zero', 'h': 'zero'}
### END SOLUTION

# %% [markdown] hints="2.3.14"
# 1. What does each give for (1, 0), (0, 1), (1, 1), (2, 0), (1, -1)?
# 2. One pair of vectors is enough to show that a law is broken; no number of pairs shows that it holds.
# 3. Another case: $\sqrt{\|\mathbf{x}\|_2}$ breaks *scaling*: 4 times the vector is only twice as large. The
#    other two hold.

# %% check="2.3.14" points=2 hidden_only="half of the decisions stay for grading"
pairs = [(torch.tensor(p), torch.tensor(q)) for p, q in (((1., 0.), (0., 1.)), ((1., -1.), (2., 2.)), ((3., 1.), (-1., 4.)), ((5., 5.), (0., 0.5)))]

def law_broken(size):
    if any((size(2 * p) - 2 * size(p)).abs() > 0.01 or (size(-p) - size(p)).abs() > 0.01 for pair in pairs for p in pair):
        return 'scaling'
    if any(size(p + q) > size(p) + size(q) + 0.01 for p, q in pairs):
        return 'triangle'
    return 'zero' if any(size(p) < 0.01 for pair in pairs for p in pair) else 'none'

why_not = {'scaling': "This law holds here: a times the vector has |a| times the size, for positive and negative a.",
           'triangle': "This law holds here: no detour is shorter, whatever two vectors you add.",
           'zero': "This law holds here: no vector but zero has the size 0.",
           'none': "One of the laws does not hold. Try vectors such as (1, 0) and (0, 1), (1, -1) and (2, 2), their sums and their multiples."}
seen_there = {'a': "Absolute values are added, one of them with a factor, as in the 1-norm: compare the two.",
              'c': f"Of (1, 0) it is {int(sizes['c'](torch.tensor([1., 0.])))}, and of (2, 0) {int(sizes['c'](torch.tensor([2., 0.])))}.",
              'e': "Of (1, 0) and of (0, 1) it is {:g}, and of their sum, (1, 1), {:g}.".format(
                  *(float(sizes['e'](torch.tensor(v))) for v in ([1., 0.], [1., 1.]))),
              'g': f"Of (1, 1) it is {float(sizes['g'](torch.tensor([1., 1.]))):g}."}
assert_type(broken, dict, "`broken`", of="eight entries")
assert_equal(sorted(broken), list('abcdefgh'), "the keys of `broken`", of="eight entries")
assert_equal([key for key in broken if broken[key] not in ('scaling', 'triangle', 'zero', 'none')], [],
             "the letters whose value is none of the four words", of="eight entries",
             hint="Each value is one of 'scaling', 'triangle', 'zero' and 'none', letter by letter, and not in a list.")
for letter, name in (('a', "weights and sums"), ('c', "counting and capping"), ('e', "roots and minima"), ('g', "differences")):
    with part(0.25, f"function {letter}", of=name):
        assert_true(broken[letter] == law_broken(sizes[letter]),
                    f"the entry {broken[letter]!r} for function {letter} is right", of=name,
                    hint=f"{why_not[broken[letter]]} {seen_there[letter]}")
### BEGIN HIDDEN TESTS
assert_equal(len(broken), 8, "the number of entries", of="eight entries")
smaller_of_two = " The smaller one of two norms need not be a norm itself."
for letter, name in (('b', "weights and sums"), ('d', "counting and capping"), ('f', "roots and minima"), ('h', "differences")):
    with part(0.25, f"function {letter}", of=name):
        assert_equal(broken[letter], law_broken(sizes[letter]), f"the entry for function {letter}", of=name,
                     hint=why_not[broken[letter]] + smaller_of_two * (letter == 'f' and broken['f'] == 'none'))
### END HIDDEN TESTS
total()

# %% [markdown] teaches="frobenius norm, spectral norm"
# ### The norm of a matrix
#
# How large is a matrix? That depends on what it is taken for. Taken as a list of numbers, its size is the
# 2-norm of all its entries, the *Frobenius norm*. Taken as a map, its size is the largest factor by which it
# stretches a vector, the *spectral norm*. The picture shows what one matrix does with all vectors of length 1,
# and that of another one, whose columns point in the same direction.

# %% tags=["demo"]
figure, axes = plt.subplots(1, 2, figsize=(8, 3.4), layout='constrained')
for ax, W in zip(axes, (torch.tensor([[2., 1.], [-1., 3.]]), torch.tensor([[2., 1.], [2., 1.]]))):
    ellipse = W @ circle
    stretch = ellipse.norm(dim=0)
    far = stretch.argmax()
    inner, = ax.plot(circle[0], circle[1])
    outer, = ax.plot(ellipse[0], ellipse[1])
    ax.annotate('', xy=ellipse[:, far].tolist(), xytext=(0, 0), arrowprops=dict(arrowstyle='->', lw=2, shrinkA=0, shrinkB=0))
    ax.set(aspect='equal', xlim=(-3.6, 3.6), ylim=(-3.6, 3.6), title=f'W = {W.tolist()}')
    print(f'{W.tolist()}: largest stretch {stretch.max():.3f}, spectral {torch.linalg.norm(W, ord=2):.3f}, '
          f'Frobenius {torch.linalg.norm(W):.3f}')
figure.legend([inner, outer], ['all x of length 1', 'all W x'], loc='outside lower center', ncols=2)
plt.show()

# %% [markdown]
# Left: the circle becomes an ellipse, and its longest radius, the black arrow, is the spectral norm, 3.193.
# Right: the whole circle is pressed flat onto a line; more about this below. One function serves for all:
# `torch.linalg.norm(t)` without `ord` takes all entries as one long vector, whatever the number of axes. With
# `ord=2` it treats a vector as a vector and a **matrix as a map**, and raises for three or more axes.
# `torch.linalg.vector_norm(t, ord=2)` always means the entries. Torch wants floating-point numbers for all of
# these; `np.linalg.norm` converts integers.

# %%
W = torch.tensor([[2., 1.], [-1., 3.]])
print(torch.linalg.norm(W), torch.linalg.norm(W, ord=2), torch.linalg.vector_norm(W, ord=2))
print(np.linalg.norm(np.array([3, 4])), torch.arange(3).is_floating_point(), torch.arange(3).double().norm())

# %% [markdown] task="2.3.9a" kind="code" minutes=5 difficulty=2 core=true needs="norm, frobenius norm"
# ### One length for any tensor
#
# Write `norm_any(X)`: the 2-norm of all entries of a tensor `X`, floating point or integer, with any number of
# axes.
#
# **You are done when**
# - **shape**: the result is a floating-point tensor of shape `()`;
# - **values**: it is the 2-norm of all entries, for one, two, three and more axes;
# - **integers**: also for every integer dtype and its large numbers, of `int64` up to 10¹⁵: the squares do not
#   overflow.

# %% exercise="2.3.9a"
def norm_any(X):
    """The 2-norm of all entries of X, of any shape and any real dtype: a floating-point tensor without axes."""
    ### BEGIN SOLUTION
    return torch.linalg.norm(X if X.is_floating_point() else X.double())
    ### END SOLUTION

# %% [markdown] hints="2.3.9a"
# 1. What must be done with integers first?
# 2. The 2-norm is the root of the sum of the squares. `X.is_floating_point()` tells the dtype's kind.
# 3. Another case, the 1-norm of everything: `X.abs().sum()`, whatever the shape.

# %% check="2.3.9a" points=2
assert_type(norm_any(torch.ones(2, 3)), torch.Tensor, "the norm for a matrix", of="shape")
assert_shape(norm_any(torch.ones(2, 3)), (), "the shape of the norm for a matrix", of="shape",
             hint="One norm for all entries together, not one for each row or column.")
assert_close(norm_any(torch.tensor([[-1., -2.], [4., 2.]])), torch.tensor(5.),
             "the norm of the matrix ((-1, -2), (4, 2))", of="values", rtol=1e-4,
             hint="The squares, 1, 4, 16 and 4, add up to 25, and the root of that is 5.",
             mistakes={"This is the spectral norm, the largest stretch.": torch.tensor(4.844157), "The root is missing.": torch.tensor(25.),
                       "This is the sum of the absolute values.": torch.tensor(9.), "This is the root of the mean square.":
                       torch.tensor(2.5),
                       "This is the sum of the norms of the rows; square all entries, then add.":
                       torch.tensor(5 ** 0.5 + 20 ** 0.5),
                       "This is the sum of the norms of the columns; square all entries, then add.":
                       torch.tensor(17 ** 0.5 + 8 ** 0.5),
                       "This is the sum of the entries; their squares are to be added, and the root taken.": torch.tensor(3.),
                       "This is the 3-norm, with cubes; the 2-norm is the root of the sum of the squares.": torch.tensor(81 ** (1 / 3)),
                       "This was divided by the number of entries.": torch.tensor(1.25),
                       "This is the mean of the squares; their sum is asked for, and the root of it.": torch.tensor(6.25),
                       "This is the spread of the entries, `std`; the norm is the root of the sum of the squares.":
                       torch.tensor((25 - 9 / 4) ** 0.5 / 3 ** 0.5),
                       "This is the largest entry.": torch.tensor(4.)})
assert_shape(norm_any(torch.ones(2, 2, 3)), (), "the shape of the norm for three axes", of="shape",
             hint="One norm for all entries together, not one for each row or column.")
assert_close(norm_any(torch.tensor([[[2., -4.]], [[4., 8.]]])), torch.tensor(10.),
             "the norm of 2, -4, 4, 8 in shape (2, 1, 2)", of="values", rtol=1e-4,
             hint="The squares, 4, 16, 16 and 64, add up to 100, and the root of that is 10.",
             mistakes={"This is the sum of two norms, of (2, -4) and of (4, 8): square all entries first, then add.":
                       torch.tensor(180 ** 0.5),
                       "This is the larger of two norms, of (2, -4) and of (4, 8).": torch.tensor(80 ** 0.5),
                       "This is the norm of the first two entries.": torch.tensor(20 ** 0.5)})
assert_close(norm_any(torch.tensor([150, 200])), torch.tensor(250.), "the norm of the integers 150, 200", of="integers", rtol=1e-4,
             hint="The squares, 22500 and 40000, add up to 62500, and the root of that is 250.")
assert_close(norm_any(torch.tensor([150, 200], dtype=torch.uint8)), torch.tensor(250.), "the norm of 150, 200 as uint8", of="integers",
             rtol=1e-4, hint="Squares and sums of small integer dtypes overflow: convert first.")
for number, dtype in ((3 * 10 ** 4, torch.int32), (3 * 10 ** 9, torch.int64)):
    assert_close(norm_any(torch.tensor([number, number // 3 * 4], dtype=dtype)), torch.tensor(number / 3 * 5),
                 f"the norm of {number}, {number // 3 * 4} as {str(dtype).removeprefix('torch.')}", of="integers", rtol=1e-4,
                 hint="The squares overflow in integer dtypes, and float16 is too coarse and ends at 65504: convert to float32 or float64 first.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(239)
for shape in ((7,), (3, 5), (2, 3, 4), (2, 1, 3, 2), ()):
    sample = torch.randn(shape, generator=rng, dtype=torch.float64)
    truth = sum(entry ** 2 for entry in sample.reshape(-1).tolist()) ** 0.5
    assert_shape(norm_any(sample), (), f"the shape of the norm for shape {shape}", of="shape")
    assert_close(norm_any(sample), torch.tensor(truth), f"random numbers of shape {shape}", of="values", rtol=1e-5)
for dtype in (torch.int8, torch.int16, torch.int32, torch.int64):
    largest = min(torch.iinfo(dtype).max, 10 ** 15)
    sample = torch.randint(-largest, largest // 2, (3, 2, 2), generator=rng)
    truth = sum(entry ** 2 for entry in sample.reshape(-1).tolist()) ** 0.5
    assert_close(norm_any(sample.to(dtype)), torch.tensor(truth), f"large integers of dtype {str(dtype).removeprefix('torch.')}",
                 of="integers", rtol=1e-4)
for dtype in (torch.int64, torch.uint8, torch.int16):
    sample = torch.randint(0, 200, (4, 2, 5), generator=rng).to(dtype)
    truth = sum(entry ** 2 for entry in sample.reshape(-1).tolist()) ** 0.5
    assert_close(norm_any(sample), torch.tensor(truth), f"integers below 200 of dtype {str(dtype).removeprefix('torch.')}",
                 of="integers", rtol=1e-4)
### END HIDDEN TESTS

# %% tags=["setup"]
_floats = torch.randn(2, 3, 4, generator=torch.Generator().manual_seed(0))
_wholes = torch.arange(24).reshape(2, 3, 4)
calls = {
    'a': lambda: torch.linalg.norm(_floats),
    'b': lambda: torch.linalg.norm(_floats[0]),
    'c': lambda: torch.linalg.norm(_floats, ord=2),
    'd': lambda: np.linalg.norm(_wholes.numpy(), ord=1),
    'e': lambda: torch.linalg.norm(_floats[0], ord=2),
    'f': lambda: torch.linalg.vector_norm(_floats[0], ord=2),
    'g': lambda: torch.linalg.norm(_wholes),
    'h': lambda: np.linalg.norm(_wholes.numpy()),
}

# %% [markdown] task="2.3.9b" kind="answer" minutes=6 difficulty=3 needs="norm, frobenius norm, spectral norm"
# ### Eight calls
#
# The cell above makes a floating-point and an integer tensor of shape (2, 3, 4), and eight calls;
# `calls['a']()` makes the first. Predict first, then try.
#
# Set `norms` to a dictionary with the keys `'a'` to `'h'`. Each value is `'entries'`, where the call gives the
# 2-norm of all entries; `'spectral'`, where it gives the spectral norm of a matrix; `'error'`, where it raises
# an error.
#
# **You are done when**
# - **eight entries**: `norms` is a dictionary with these keys, and each value is one of the three words;
# - **without ord**: a and b are right;
# - **three axes with ord**: c and d are right;
# - **a matrix with ord**: e and f are right;
# - **integers**: g and h are right.

# %% exercise="2.3.9b"
### BEGIN SOLUTION
norms = {'a': 'entries', 'b': 'entries', 'c': 'error', 'd': 'error', 'e': 'spectral', 'f': 'entries', 'g': 'error', 'h': 'entries'}
### END SOLUTION

# %% [markdown] hints="2.3.9b"
# 1. What does `ord=2` ask for when the tensor is a matrix, and what could it mean for three axes?
# 2. Without `ord` the tensor is one long vector. `vector_norm` never takes a matrix for a map. NumPy turns
#    integers into floats.
# 3. Another case: `torch.linalg.norm(x, ord=1)` of the vector (2, -3) is 5; of a matrix it is the largest
#    column sum of the absolute values.

# %% check="2.3.9b" points=2 hidden_only="half of the predictions stay for grading"
def outcome_of(call, tensor):
    try:
        value = float(call())
    except (RuntimeError, ValueError):
        return 'error'
    return 'entries' if abs(value - float(tensor.double().square().sum().sqrt())) < 1e-3 else 'spectral'

tensors_of = dict(zip('abcdefgh', (_floats, _floats[0], _floats, _wholes, _floats[0], _floats[0], _wholes, _wholes)))
assert_type(norms, dict, "`norms`", of="eight entries")
assert_equal(sorted(norms), list('abcdefgh'), "the keys of `norms`", of="eight entries")
assert_equal([key for key in norms if norms[key] not in ('entries', 'spectral', 'error')], [],
             "the letters whose value is none of the three words", of="eight entries",
             hint="Each value is one of 'entries', 'spectral' and 'error', letter by letter.")
for key, name, hint in (('b', "without ord", "Without `ord` the entries are one long vector, those of a matrix, too."),
                        ('c', "three axes with ord", "With an `ord`, a vector or a matrix is needed: three axes are neither."),
                        ('e', "a matrix with ord", "With `ord=2`, `norm` takes a matrix for a map."),
                        ('g', "integers", "Torch wants floating-point numbers, and converts none.")):
    with part(0.25, f"call {key}", of=name):
        assert_equal(norms[key], outcome_of(calls[key], tensors_of[key]), f"what call {key} gives", of=name, hint=hint)
### BEGIN HIDDEN TESTS
assert_equal(len(norms), 8, "the number of entries", of="eight entries")
for key, name, hint in (('a', "without ord", "Without `ord` the tensor is one long vector."),
                        ('d', "three axes with ord", "An `ord` needs a vector or a matrix."),
                        ('f', "a matrix with ord", "`vector_norm` never takes a matrix for a map."),
                        ('h', "integers", "NumPy makes floats of integers first.")):
    with part(0.25, f"call {key}", of=name):
        assert_equal(norms[key], outcome_of(calls[key], tensors_of[key]), f"what call {key} gives", of=name, hint=hint)
### END HIDDEN TESTS
total()

# %% tags=["demo"]
for key in 'acefg':
    try:
        print(key, float(calls[key]()))
    except (RuntimeError, ValueError) as error:
        print(key, type(error).__name__, error)

# %% [markdown] teaches="angle between vectors, cosine similarity, orthogonal vectors"
# ### Angles: which foods are alike?
#
# Two portions of bread are twice as far from zero as one, and yet the same food. To compare *directions*, leave
# the lengths out. The dot product knows the angle. Expand the squared distance of two vectors:
#
# $$\|\mathbf{x} - \mathbf{y}\|^2 = (\mathbf{x} - \mathbf{y}) \cdot (\mathbf{x} - \mathbf{y})
# = \|\mathbf{x}\|^2 + \|\mathbf{y}\|^2 - 2\, \mathbf{x} \cdot \mathbf{y}.$$
#
# The law of cosines from school says of the same triangle
# $\|\mathbf{x} - \mathbf{y}\|^2 = \|\mathbf{x}\|^2 + \|\mathbf{y}\|^2 - 2 \|\mathbf{x}\| \|\mathbf{y}\| \cos\theta$,
# where θ is the angle between the two. Compare the two lines:
#
# $$\mathbf{x} \cdot \mathbf{y} = \|\mathbf{x}\| \, \|\mathbf{y}\| \cos\theta, \qquad
# \cos\theta = \frac{\mathbf{x} \cdot \mathbf{y}}{\|\mathbf{x}\| \, \|\mathbf{y}\|}.$$
#
# The last expression is the *cosine similarity*. It is 1 for the same direction, 0 for *orthogonal* vectors (a
# right angle), -1 for opposite ones, whatever the lengths.

# %%
for other in range(4):
    x, y = foods[0], foods[other]
    print(f'bread and {names[other]}: {x @ y / (x.norm() * y.norm()):.3f}')

# %% tags=["demo"]
figure, axes = plt.subplots(1, 3, figsize=(8, 2.6), layout='constrained', sharey=True)
for ax, y in zip(axes, ((0.5, 1.6), (-1., 2.), (-1.8, 0.3))):
    x = (2., 1.)
    dot = x[0] * y[0] + x[1] * y[1]
    cosine_of_pair = dot / (5 ** 0.5 * (y[0] ** 2 + y[1] ** 2) ** 0.5)
    arrow(ax, (0, 0), x, 'C0', 'x', (0.2, -0.4))
    arrow(ax, (0, 0), y, 'C1', 'y', (0.2, 0.25))
    ax.set(xlim=(-2.4, 2.4), ylim=(-0.5, 2.4), aspect='equal', title=f'x · y = {dot:.1f}, cosine {cosine_of_pair:.2f}')
    ax.grid(alpha=0.3)
plt.show()

# %% [markdown]
# The dot product is positive where the arrows point to the same side, 0 at a right angle, negative where they
# point apart. Bread is most like milk here (both have more carbohydrate than anything else) and least like tofu.
# Search engines compare texts in this way, each text a vector with hundreds of entries.

# %% [markdown] task="2.3.H" kind="code" minutes=3 difficulty=1 core=true needs="cosine similarity, dot product, norm"
# ### Cosine similarity
#
# Write `cosine(x, y)`: the cosine similarity of two floating-point vectors of the same length, neither of them
# zero.
#
# **You are done when**
# - **values**: 0.96 for (3, 4) and (8, 6), and right for other angles, obtuse ones, too;
# - **lengths**: vectors with a large norm and with a small one have the cosine of their angle, too;
# - **one number**: the result is a tensor of shape `()`.

# %% exercise="2.3.H"
def cosine(x, y):
    """The cosine of the angle between two vectors: a tensor of shape ()."""
    ### BEGIN SOLUTION
    return x @ y / (x.norm() * y.norm())
    ### END SOLUTION

# %% [markdown] hints="2.3.H"
# 1. By which two numbers must the dot product be divided, so that lengths play no role?
# 2. `a / b * c` is (a / b) · c: put parentheses around the product of the norms.
# 3. Another case: (1, 1) and (1, 0) have the dot product 1 and the norms 1.414 and 1: cosine 0.707, 45 degrees.

# %% check="2.3.H" points=1
p, q = torch.tensor([3., 4.]), torch.tensor([8., 6.])
assert_shape(cosine(p, q), (), "the shape of the result", of="one number",
             hint="A tensor without axes: the products are added up, and no axis is left.")

def which_angle():
    if abs(float(cosine(p, q)) - 0.48) < 1e-4:
        longer_x, longer_y = float(cosine(4 * p, q)), float(cosine(p, 2 * q))
        if abs(longer_x - 1.92) < 1e-3 and abs(longer_y - 0.24) < 1e-3:
            return "This was divided by the square of the norm of y, 100; the product of the two norms, 50, is asked for."
        if abs(longer_x - 0.48) < 1e-3 and abs(longer_y - 0.24) < 1e-3:
            return "This was divided by the square of the larger norm, 100; the product of the two norms, 50, is asked for."
        if abs(longer_x - 0.48) < 1e-3 and abs(longer_y - 0.48) < 1e-3:
            return "This is half of the cosine: the products are added up, not averaged, and each norm is there once."
    for other, name, wanted in ((p, "(3, 4) and itself", 1), (2 * p, "(3, 4) and (6, 8), the same direction,", 1),
                                (torch.tensor([4., -3.]), "(3, 4) and (4, -3), a right angle,", 0),
                                (-p, "(3, 4) and (-3, -4)", -1),
                                (torch.tensor([5., 0.]), "(3, 4) and (5, 0), which has the same norm,", 0.6),
                                (torch.tensor([0., 1.]), "(3, 4) and (0, 1)", 0.8)):
        if not abs(float(cosine(p, other)) - wanted) < 1e-3:
            return f"For {name} it should be {wanted}; yours is {float(cosine(p, other)):.4g}."
    there, back = float(cosine(p, q)), float(cosine(q, p))
    return "" if abs(there - back) < 1e-3 else (f"The order of the two does not count; yours is {there:.4g} for (3, 4) and (8, 6), "
                                                f"and {back:.4g} for (8, 6) and (3, 4).")

assert_close(cosine(p, q), torch.tensor(0.96), "(3, 4) and (8, 6)", of="values",
             hint=lambda: f"The dot product is 3 · 8 + 4 · 6 = 48, the norms are 5 and 10. {which_angle()}".strip(),
             mistakes={"This was divided by the mean of the squared norms; the product of the two norms is asked for.": torch.tensor(0.768),
                       "This was divided by the norm of x + y; the product of the two norms is asked for.": torch.tensor(48 / 221 ** 0.5),
                       "This is the dot product.": torch.tensor(48.), "This is the angle; its cosine is asked for.": torch.tensor(0.28379),
                       "`a / b * c` multiplies by c: put parentheses around the product of the norms.": torch.tensor(96.),
                       "The norm of y is there twice; each of the two norms is there once.": torch.tensor(0.096),
                       "The norm of x is there twice, that of y once; each is there once.": torch.tensor(0.192),
                       "This was divided by the sum of the squared norms; the product of the two norms is asked for.":
                       torch.tensor(0.384),
                       "This was divided by the root of the product of the norms; the product itself is asked for.":
                       torch.tensor(48 / 50 ** 0.5),
                       "This is (1 + cosine) / 2; the cosine itself, from -1 to 1, is asked for.": torch.tensor(0.98),
                       "The angle was turned into degrees before its cosine was taken; torch counts in radians.":
                       torch.tensor(0.96).arccos().rad2deg().cos(),
                       "This was divided by one norm only, that of x.": torch.tensor(9.6),
                       "This was divided by one norm only, that of y.": torch.tensor(4.8),
                       "This was divided by the square of the norm of x; the product of the two norms is asked for.":
                       torch.tensor(1.92),
                       "This is 1 minus the distance of the two unit vectors; their dot product is asked for.":
                       torch.tensor(1 - 0.08 ** 0.5),
                       "This is 1 / (1 + distance), which changes with the lengths.": torch.tensor(1 / (1 + 29 ** 0.5)),
                       "This was divided by the sum of the norms; their product is asked for.": torch.tensor(3.2),
                       "This was divided by the norm of x * y; the product of the two norms is asked for.": torch.tensor(2 ** 0.5),
                       "The norms were squared.": torch.tensor(48. / 2500),
                       "This is 1 minus the cosine.": torch.tensor(0.04), "This is the sine of the angle.": torch.tensor(0.28),
                       "This is the square of the cosine.": torch.tensor(0.9216),
                       "This is the angle in degrees; its cosine is asked for.": torch.tensor(16.26021),
                       "This was divided by 1-norms, the sums of the absolute values.": torch.tensor(48. / 98),
                       "This was divided by the largest entries.": torch.tensor(48. / 32),
                       "The mean of each vector was subtracted first.": torch.tensor(-1.)})
assert_close(cosine(p, torch.tensor([4., -3.])), torch.tensor(0.), "(3, 4) and (4, -3), a right angle", of="values",
             hint="The dot product of the two is 0.")
assert_close(cosine(p, torch.tensor([-3., -4.])), torch.tensor(-1.), "(3, 4) and (-3, -4), opposite directions", of="values",
             mistakes={"The sign is lost: an obtuse angle has a negative cosine.": torch.tensor(1.),
                       "An obtuse angle has a negative cosine, not 0.": torch.tensor(0.)})
assert_close(cosine(10 * p, 0.01 * q), torch.tensor(0.96), "(30, 40) and (0.08, 0.06)", of="lengths",
             hint="Factors of 10 and 0.01 change the lengths, not the angle.")
assert_close(cosine(1e-4 * p, 1e-4 * q), torch.tensor(0.96), "(0.0003, 0.0004) and (0.0008, 0.0006)", of="lengths",
             hint="Vectors may be short; they are not zero, and nothing need be added to the product of their norms.")
assert_close(cosine(1e12 * p, 1e12 * q), torch.tensor(0.96), "(3e12, 4e12) and (8e12, 6e12)", of="lengths",
             hint="The product of the two norms is 5e25; that of their squares, 2.5e51, is too large for float32, "
                  "which ends at 3.4e38.")
### BEGIN HIDDEN TESTS
def of_angle(x, y):
    return (x / x.square().sum().sqrt() * y / y.square().sum().sqrt()).sum()

rng = torch.Generator().manual_seed(2308)
for n, scale, name in ((5, 1., "values"), (2, 1., "values"), (7, 100., "lengths"), (3, 0.02, "lengths")):
    p, q = (torch.randn(n, generator=rng, dtype=torch.float64) for _ in range(2))
    found = cosine(scale * p, scale * q)
    assert_shape(found, (), f"the shape for vectors of length {n}", of="one number")
    assert_close(found, of_angle(p, q), f"random vectors of length {n}, times {scale:g}", of=name, rtol=1e-4, atol=1e-5,
                 hint=lambda: where_they_part(cosine, of_angle, x=scale * p, y=scale * q))
assert_close(cosine(1e11 * p.float(), 1e12 * q.float()), of_angle(p, q), "random vectors, times 1e11 and 1e12", of="lengths",
             rtol=1e-4, atol=1e-5, hint="The product of the two norms fits into float32, the product of their squares does not.")
### END HIDDEN TESTS

# %% [markdown] teaches="linear dependence, rank"
# ## Rank: how much a matrix keeps
#
# Add a column "all nutrients together" to the table of foods. The table has grown, but it says nothing new: the
# fourth column is the sum of the other three. Columns of which one is a linear combination of the others are
# *linearly dependent*. The *rank* of a matrix is the number of columns that are left when every column that is
# a combination of others is struck out, one after the other. (For rows the number is the same.)

# %%
wider = torch.cat([foods, foods.sum(dim=1, keepdim=True)], dim=1)
print(wider.shape, 'rank', torch.linalg.matrix_rank(wider).item(), '| foods: rank', torch.linalg.matrix_rank(foods).item())

# %% [markdown] teaches="null space"
# What does a map do when its columns are dependent? It maps some vectors that are not zero to zero, and so it
# loses them: nobody can tell from the result what went in. For the wider table, one of each nutrient minus one
# "all together" gives nothing for every food. The vectors that go to zero are the *null space* of the matrix.
# In the picture of the circle and the ellipse, the right matrix has dependent columns, rank 1: it pressed the circle
# onto a line, and every x on the line 2x₀ + x₁ = 0 went to zero.

# %%
lost = torch.tensor([1., 1., 1., -1.])
print(wider @ lost)

# %% [markdown] task="2.3.J" kind="answer" minutes=3 difficulty=2 core=true needs="null space, linear dependence"
# ### A vector that disappears
#
# In the matrices of this exercise, with three columns, the last column is always twice the first minus the
# second: $A_{i2} = 2A_{i0} - A_{i1}$ in every row. One of them is ((1, 0, 2), (5, 4, 6)).
#
# Set `vanishing` to a `float32` vector with three entries that every such matrix maps to zero.
#
# **You are done when**
# - **three entries**: it is a `float32` tensor of shape `(3,)`;
# - **not zero**: at least one entry is not 0;
# - **vanishes**: `A @ vanishing` is zero for every such matrix `A`.

# %% exercise="2.3.J"
### BEGIN SOLUTION
vanishing = torch.tensor([2., -1., -1.])
### END SOLUTION

# %% [markdown] hints="2.3.J"
# 1. `A @ x` mixes the columns. Which mix of the three columns is nothing?
# 2. Bring all three columns to one side of the equation: the other side is 0.
# 3. Another case: if the third column is the sum of the first two, (1, 1, -1) goes to zero, and so does each
#    multiple of it.

# %% check="2.3.J" points=1
assert_shape(vanishing, (3,), "the shape of `vanishing`", of="three entries")
assert_dtype(vanishing, torch.float32, "the dtype of `vanishing`", of="three entries")
assert_true(bool((vanishing != 0).any()), "an entry of `vanishing` is not 0", of="not zero", hint="The vector of zeros goes to zero under every matrix.")
size = float(vanishing.abs().max())
products = (torch.tensor([[1., 0., 2.], [5., 4., 6.]]) @ vanishing / size).abs() > 1e-4

def like(*numbers):
    return any(float((vanishing / size - sign * torch.tensor(numbers)).abs().max()) < 1e-3 for sign in (1, -1))

reason = ("An entry of `vanishing` is NaN or infinite." if not bool(vanishing.isfinite().all()) else
          "The last column has the wrong sign: on which side of the equation does it stand?" if like(1., -0.5, 0.5) else
          "The second column has the wrong sign: on which side of the equation does it stand?" if like(1., 0.5, -0.5) else
          "The last column is missing: all three together cancel." if like(1., -0.5, 0.) else
          "The last column is twice the first minus the second, not the other way round." if like(-0.5, 1., -0.5) else
          "The first column has the wrong sign: on which side of the equation does it stand?" if like(1., 0.5, 0.5) else
          "This is for a last column that is the sum of the first two; here it is twice the first minus the second." if like(1., 1., -1.) else
          "This is a row of the matrix; asked for are the factors of its three columns." if like(0.5, 0., 1.) or
          like(5 / 6, 4 / 6, 1.) else
          "It goes to zero for the row (1, 0, 2), and not for (5, 4, 6)." if not products[0] else
          "It goes to zero for the row (5, 4, 6), and not for (1, 0, 2)." if not products[1] else
          "The columns with the entries of `vanishing` as factors cancel in neither of the two rows: (1, 0, 2) gives "
          f"1 · ({float(vanishing[0]):g}) + 0 · ({float(vanishing[1]):g}) + 2 · ({float(vanishing[2]):g}).")
assert_close(torch.tensor([[1., 0., 2.], [5., 4., 6.]]) @ vanishing, torch.zeros(2), "((1, 0, 2), (5, 4, 6)) @ vanishing", of="vanishes",
             rtol=0, atol=1e-4 * size, hint=reason)
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(23010)
sample = torch.randn(6, 2, generator=rng)
sample = torch.cat([sample, 2 * sample[:, :1] - sample[:, 1:]], dim=1)
assert_equal(tuple(vanishing.shape), (3,), "the shape of `vanishing`", of="three entries")
assert_true(bool((vanishing != 0).any()), "an entry of `vanishing` is not 0", of="not zero")
assert_close(sample @ vanishing, torch.zeros(6), "a random matrix of this kind, times `vanishing`", of="vanishes", rtol=0,
             atol=1e-4 * float(vanishing.abs().max()))
### END HIDDEN TESTS

# %% [markdown] teaches="outer product, rank of a product"
# The smallest rank of a matrix that is not all zeros is 1: all its columns are multiples of one vector. Such a
# matrix is an *outer product* of two vectors, a table of all products,
# $(\mathbf{u}\mathbf{v}^\top)_{ij} = u_i v_j$. In torch a column times a row does it.

# %%
u, v = torch.tensor([1., 2., 3.]), torch.tensor([10., 1.])
print(u[:, None] * v, torch.linalg.matrix_rank(u[:, None] * v).item())

# %% [markdown]
# Rank matters for networks, because the rank of a product is at most the smallest rank among its factors: what one
# layer has lost, no later layer brings back. And a matrix of shape (m, n) has at most the rank min(m, n). Two layers
# from 50 features to 2 units and on to 50 pass everything through a gap that is 2 wide:

# %%
torch.manual_seed(0)
narrow = torch.randn(50, 2) @ torch.randn(2, 50)
print(narrow.shape, 'rank', torch.linalg.matrix_rank(narrow).item())

# %% [markdown] task="2.3.15" kind="code" minutes=4 difficulty=2 needs="rank, rank of a product"
# ### Through the narrowest gap
#
# `widths` is a list of two or more numbers, n₀, n₁, ..., n_k: the numbers of units of a network's layers,
# inputs first. Layer i is a matrix of shape (n_i, n_{i+1}).
#
# Write `largest_rank(widths)`: the largest rank that the product of all these matrices can have.
#
# **You are done when**
# - **one layer**: it is right for a single matrix;
# - **several layers**: it is right for products, wherever the gap is.

# %% exercise="2.3.15"
def largest_rank(widths):
    """The largest rank of a product of matrices of shapes (n0, n1), (n1, n2), ..."""
    ### BEGIN SOLUTION
    return min(widths)
    ### END SOLUTION

# %% [markdown] hints="2.3.15"
# 1. What is the largest rank that each of the matrices can have by itself?
# 2. The product has at most the smallest of these ranks, and random matrices reach it.
# 3. Another case: widths 8, 3, 9 give matrices of rank at most 3 and 3, and a product of rank at most 3.

# %% check="2.3.15" points=1
assert_equal(largest_rank([4, 7]), 4, "widths 4, 7", of="one layer",
             hint="A matrix of shape (4, 7) has at most the rank min(4, 7) = 4.",
             mistakes={"A matrix cannot have a larger rank than it has rows.": 7,
             "This is the number of layers; a rank counts columns.": 1, "This is the number of widths; a rank counts columns.": 2,
             "The four rows need not be combinations of each other: the rank can be 4.": 3})
assert_equal(largest_rank([6, 2]), 2, "widths 6, 2", of="one layer",
             hint="A matrix of shape (6, 2) has at most the rank min(6, 2) = 2.",
             mistakes={"This is the first width, the number of rows; the last one, the number of columns, counts, too: "
                       "a matrix cannot have a larger rank than it has columns.": 6})
assert_equal(largest_rank([50, 2, 40]), 2, "widths 50, 2, 40", of="several layers",
             hint="The factors have the shapes (50, 2) and (2, 40), and at most the ranks 2 and 2.",
             mistakes={"This looks at the shape of the whole product only: what is lost in between stays lost.": 40,
                       "The ranks of the factors are neither multiplied nor added: the product has at most the smallest of them.": 4})
assert_equal(largest_rank([9, 30, 6]), 6, "widths 9, 30, 6", of="several layers",
             hint="The factors have the shapes (9, 30) and (30, 6), and at most the ranks 9 and 6.",
             mistakes={"The product has 6 columns, and so at most the rank 6: the smallest of all three widths counts.": 9,
                       "This is the number of hidden units; the inputs and the outputs count, too.": 30})
assert_equal(largest_rank([6, 30, 9]), 6, "widths 6, 30, 9", of="several layers",
             hint="The factors have the shapes (6, 30) and (30, 9), and at most the ranks 6 and 9.",
             mistakes={"The product has 6 rows, and so at most the rank 6: the smallest of all three widths counts.": 9,
                       "This is the number of hidden units; the inputs and the outputs count, too.": 30})
assert_equal(largest_rank([9, 8, 7, 30, 6]), 6, "widths 9, 8, 7, 30, 6", of="several layers",
             hint="Each of the five widths counts, the first and the last, too.")
assert_equal(largest_rank([12, 11, 10, 10, 10, 3, 11, 12]), 3, "widths 12, 11, 10, 10, 10, 3, 11, 12", of="several layers",
             hint="The gap may be anywhere.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(23015)
for widths in ([5, 5], [1, 9], [8, 3]):
    truth = int(torch.linalg.matrix_rank(torch.randn(widths[0], widths[1], generator=rng).double()))
    assert_equal(largest_rank(widths), truth, f"widths {widths}", of="one layer")
for widths in ([12, 5, 6, 11], [3, 10, 10, 10], [10, 9, 8, 4], [6, 7, 1, 7], *([9] * i + [2] + [8] * (7 - i) for i in range(8))):
    product = torch.eye(widths[0]).double()
    for before, after in zip(widths, widths[1:]):
        product = product @ torch.randn(before, after, generator=rng).double()
    assert_equal(largest_rank(widths), int(torch.linalg.matrix_rank(product)), f"widths {widths}", of="several layers")
### END HIDDEN TESTS

# %% [markdown] teaches="transpose, symmetric matrix"
# ## The transpose
#
# Sometimes the data come with an example in each column, and the formulas want rows. The *transpose* $A^\top$
# has the rows of $A$ as its columns: $(A^\top)_{ij} = A_{ji}$. An (m, n) matrix becomes an (n, m) one. For a
# product the order turns round, $(AB)^\top = B^\top A^\top$; the shapes leave no other choice: (n, k)(k, m)
# becomes (m, k)(k, n). A matrix that equals its own transpose is *symmetric*. It must be square.

# %%
A = torch.arange(6.).reshape(2, 3)
print(A.T)
print(torch.equal((meals @ foods).T, foods.T @ meals.T))

# %% [markdown] teaches="gram matrix"
# A symmetric matrix that comes back in the next chapter is $X^\top X$, the *Gram matrix* of the columns of a
# data table X. Its entry (i, j) is the dot product of column i and column j, and the order of the two does not
# matter. On its diagonal stand the squared lengths of the columns.

# %% [markdown] task="2.3.I" kind="code" minutes=3 difficulty=2 core=true needs="transpose, gram matrix, matrix product"
# ### All dot products of columns
#
# Write `gram(X)`: for a floating-point matrix of shape `(n, d)`, the matrix of the dot products of all pairs of
# its columns.
#
# **You are done when**
# - **shape**: it is `(d, d)`;
# - **values**: entry (i, j) is the dot product of column i and column j.

# %% exercise="2.3.I"
def gram(X):
    """The (d, d) matrix of the dot products of the columns of X (n, d)."""
    ### BEGIN SOLUTION
    return X.T @ X
    ### END SOLUTION

# %% [markdown] hints="2.3.I"
# 1. A matrix product takes dot products of rows of the first and columns of the second. What must the rows of
#    the first be?
# 2. The rows of `X.T` are the columns of `X`.
# 3. Another case: the dot products of all *rows* of a (3, 2) matrix make a (3, 3) matrix.

# %% check="2.3.I" points=1
sample = torch.tensor([[1., 2.], [0., 4.], [-1., 6.]])

def which_dots():
    same = gram(sample).isclose(torch.tensor([[2., -4.], [-4., 56.]]), rtol=1e-4)
    if bool(same.diag().all()):
        return "The dot product of each column with itself is right; that of two different columns is not."
    if bool(same[0, 1]) and bool(same[1, 0]):
        return "The dot product of the two columns is right; that of a column with itself is not."
    of_one_row = gram(torch.tensor([[2., -3.]])).tolist()
    if np.allclose(of_one_row, [[4, -6], [-6, 9]]):
        return "For a matrix of one row, ((2, -3)), yours is right: look at how the products of several rows are added up."
    rows = ", ".join(f"({', '.join(f'{dot:.4g}' for dot in row)})" for row in of_one_row)
    return f"Simpler: for ((2, -3)), one row, it should be ((4, -6), (-6, 9)); yours is ({rows})."

assert_shape(gram(sample), (2, 2), "the shape for a 3 by 2 matrix", of="shape",
             hint="There are two columns, so four pairs, in two rows and two columns.",
             mistakes={"This has a row and a column for each of the three rows of X; its two columns are to be paired: (2, 2).": (3, 3),
                       "This is one number for each column; asked for is one for each pair of columns: (2, 2).": (2,),
                       "This has the shape of X; asked for is a number for each pair of its two columns: (2, 2).": (3, 2),
                       "This is one number; asked for is one for each pair of columns: (2, 2).": ()})
assert_close(gram(sample), torch.tensor([[2., -4.], [-4., 56.]]), "the dot products of the columns of ((1, 2), (0, 4), (-1, 6))", of="values",
             hint=lambda: "Column 0 is (1, 0, -1), and column 1 is (2, 4, 6). Their dot product is 1 · 2 + 0 · 4 + (-1) · 6 = -4, "
             "and that of column 0 with itself is 1 + 0 + 1 = 2. " + which_dots(),
             mistakes={"The entry (1, 0) is missing: the dot product of column 1 and column 0.": torch.tensor([[2., -4.], [0., 56.]]),
                       "The entry (0, 1) is missing: the dot product of column 0 and column 1.": torch.tensor([[2., 0.], [-4., 56.]]),
                       "The dot products of two different columns are missing.": torch.tensor([[2., 0.], [0., 56.]]),
                       "The diagonal is twice what it should be: the dot product of a column with itself was added twice.":
                       torch.tensor([[4., -4.], [-4., 112.]]),
                       "Beside the diagonal stands twice what should: the dot product of two different columns was added twice.":
                       torch.tensor([[2., -8.], [-8., 56.]]),
                       "All dot products were squared.": torch.tensor([[4., 16.], [16., 3136.]]),
                       "These are the squared distances of the columns; asked for are their dot products.":
                       torch.tensor([[0., 66.], [66., 0.]]),
                       "The mean of each column was subtracted first.": torch.tensor([[2., -4.], [-4., 8.]]),
                       "These are covariances: the means were subtracted, and this was divided by n - 1.":
                       torch.tensor([[1., -2.], [-2., 4.]]),
                       "These are covariances: the means were subtracted, and this was divided by n.":
                       torch.tensor([[2., -4.], [-4., 8.]]) / 3,
                       "These are correlations: the means were subtracted, and the lengths divided out.":
                       torch.tensor([[1., -1.], [-1., 1.]]),
                       "On the diagonal stand the lengths of the columns, not their squares.":
                       torch.tensor([[2 ** 0.5, -4.], [-4., 56 ** 0.5]]),
                       "These are the distances of the columns; asked for are their dot products.":
                       torch.tensor([[0., 66 ** 0.5], [66 ** 0.5, 0.]]),
                       "The columns were added up before they were multiplied; multiply entry by entry, then add.":
                       torch.tensor([[0., 0.], [0., 144.]]),
                       "`reshape(2, 3)` keeps the order of the entries; the first factor needs the columns as its rows: `X.T`.":
                       torch.tensor([[1., 10.], [-2., 40.]]),
                       "These are roots; a dot product has none.": torch.tensor([[2., 4.], [4., 56.]]).sqrt(),
                       "These are absolute values; a dot product may be negative.": torch.tensor([[2., 4.], [4., 56.]]),
                       "The diagonal is missing: the dot product of each column with itself.":
                       torch.tensor([[0., -4.], [-4., 0.]]),
                       "These are divided by the number of rows.": torch.tensor([[2., -4.], [-4., 56.]]) / 3,
                       "Each column of the result was divided by its entry on the diagonal; a dot product is the sum alone.":
                       torch.tensor([[1., -4 / 56], [-2., 1.]]),
                       "These are divided by 2, the number of columns, which is also n - 1; a dot product is the sum alone.":
                       torch.tensor([[2., -4.], [-4., 56.]]) / 2,
                       "These are cosines: the lengths of the columns were divided out.": torch.tensor([[1., -4 / 112 ** 0.5], [-4 / 112 ** 0.5, 1.]])})
assert_shape(gram(sample[:, :1]), (1, 1), "the shape for a 3 by 1 matrix", of="shape", hint="There is one column, and one pair: a 1 by 1 matrix.")
wide = torch.tensor([[1., 2., -3.]])
assert_shape(gram(wide), (3, 3), "the shape for a 1 by 3 matrix", of="shape",
             hint="There are three columns, though there is one row only.",
             mistakes={"These are the dot products of the rows; those of the columns are asked for, also where there are more "
                       "columns than rows.": (1, 1)})
assert_close(gram(wide), torch.tensor([[1., 2., -3.], [2., 4., -6.], [-3., -6., 9.]]),
             "the dot products of the columns of ((1, 2, -3))", of="values",
             hint="There is one row, and each dot product is one product: 1 · 2 for the columns 0 and 1.")
assert_close(gram(torch.tensor([[1., 2.], [3., 5.]])), torch.tensor([[10., 17.], [17., 29.]]),
             "the dot products of the columns of ((1, 2), (3, 5))", of="values",
             hint="Column 0 is (1, 3), and column 1 is (2, 5): their dot product is 1 · 2 + 3 · 5 = 17.",
             mistakes={"These are the dot products of the rows.": torch.tensor([[5., 13.], [13., 34.]]),
                       "This is the product of the matrix with itself, without a transpose.": torch.tensor([[7., 12.], [18., 31.]])})
### BEGIN HIDDEN TESTS
def dots_of_columns(X):
    return torch.stack([torch.stack([(one * other).sum() for other in X.T]) for one in X.T])

rng = torch.Generator().manual_seed(2309)
for n, d in ((5, 3), (4, 4), (2, 6), (6, 1), (1, 4)):
    sample = torch.randn(n, d, generator=rng, dtype=torch.float64)
    assert_shape(gram(sample), (d, d), f"the shape for a {n} by {d} matrix", of="shape")
    assert_close(gram(sample), dots_of_columns(sample), f"a random {n} by {d} matrix", of="values", rtol=1e-4, atol=1e-5,
                 hint=lambda: where_they_part(gram, dots_of_columns, X=sample))
### END HIDDEN TESTS

# %% [markdown] teaches="transpose as a view"
# ### The transpose copies nothing
#
# `A.T` is a *view*: another way of reading the same memory. What is written through one is seen through the
# other. So a matrix cannot be added to its own transpose in place, for some entries would be read after they
# were overwritten. Torch notices and refuses; `S + S.T`, into new memory, is right.

# %%
A = torch.arange(6.).reshape(2, 3)
A.T[0, 1] = 30.     # the entry (1, 0) of A
print(A, A.T.data_ptr() == A.data_ptr())

# %% tags=["demo"]
S = torch.arange(9.).reshape(3, 3)
try:
    S.add_(S.T)
except RuntimeError as error:
    print('RuntimeError:', error)
print(S + S.T)

# %% [markdown] task="2.3.11b" kind="code" minutes=4 difficulty=2 core=true needs="transpose as a view"
# ### A transpose without a copy
#
# Write `shared_transpose(B)`: the transpose of a matrix, in the **same memory**.
#
# **You are done when**
# - **values**: it is the transpose;
# - **same memory**: its first entry has the address of the first entry of `B`, and a later change of `B` is
#   seen in it; for `float32`, `float64` and integer dtypes;
# - **views**: the same holds where `B` is a part of another matrix, or its transpose;
# - **B kept**: `B` itself has its shape and its entries after the call.

# %% exercise="2.3.11b"
def shared_transpose(B):
    """The transpose of B (m, n) as a view (n, m) of the same memory."""
    ### BEGIN SOLUTION
    return B.T
    ### END SOLUTION

# %% [markdown] hints="2.3.11b"
# 1. Which operations of torch return a view?
# 2. `clone()`, `contiguous()` and `torch.tensor(...)` copy. `reshape` shares memory, but keeps the order of the
#    entries.
# 3. Another case: `t[:, 1]` is a view of the second column; `t[:, [1]]` is a copy.

# %% check="2.3.11b" points=1
@probe
def transpose_and_move(B, step=0):
    B = B[::step, 1:].T if step else B
    memory = B[:]
    C = shared_transpose(B)
    if not torch.is_tensor(C):
        raise TypeError(f"shared_transpose gives {C!r}, and a tensor is asked for")
    values, kept = C.clone(), B.clone()
    apart = C.data_ptr() - memory.data_ptr()
    memory[0, 1] = 99.
    return values, apart, C.clone(), kept

matrix = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
values, apart, later, kept = transpose_and_move(matrix.clone())
assert_shape(values, (3, 2), "the shape of the transpose of a 2 by 3 matrix", of="values",
             hint="Three columns become three rows, of two entries each.")
assert_close(values, matrix.T, "the transpose of ((1, 2, 3), (4, 5, 6))", of="values",
             hint="Entry (i, j) of B belongs at (j, i): row 0 of the transpose is column 0 of B, 1 and 4.",
             mistakes={"The shape is right, but the entries stand in their old order: (i, j) belongs at (j, i).":
                       matrix.reshape(3, 2),
                       "The entries are in the reverse order: (i, j) belongs at (j, i).":
                       torch.tensor([[6., 3.], [5., 2.], [4., 1.]])})
assert_close(kept, matrix, "B = ((1, 2, 3), (4, 5, 6)) after the call", of="B kept",
             mistakes={"B itself was turned; the transpose is to be another tensor, with the same memory.": matrix.T},
             hint="Nothing may be written into B: a view reads the same memory in another order.")
assert_true(apart == 0, "the first entry of the transpose lies where that of B lies", of="same memory",
            hint="The transpose lies elsewhere: it is a copy.")
assert_close(later[1, 0], torch.tensor(99.), "entry (1, 0) of the transpose after B[0, 1] was set to 99", of="same memory",
             hint="Entry (1, 0) of the transpose is entry (0, 1) of B, the same place in memory: a later change shows.")
values, apart, later, kept = transpose_and_move(matrix.long())
assert_true(apart == 0, "the first entry of the transpose lies where that of B lies, for integers", of="same memory",
            hint="Another dtype means other memory: it is a copy.")
part_of = torch.arange(12.).reshape(3, 4)
values, apart, later, kept = transpose_and_move(part_of.clone(), 2)
assert_shape(values, (2, 3), "the shape of the transpose of B = M[::2, 1:].T, for M of shape (3, 4)", of="views",
             hint="M[::2, 1:] has the shape (2, 3), B, its transpose, (3, 2), and the transpose of B again (2, 3).")
assert_close(values, part_of[::2, 1:], "the transpose of B = M[::2, 1:].T, for M of shape (3, 4)", of="views",
             mistakes={"The strides are those of a fresh matrix; this B has others.": torch.tensor([[1., 3., 5.], [2., 4., 6.]]),
                       "This begins where M begins; B begins one entry later.": part_of[::2, :3]},
             hint="This B is no fresh matrix: it has other strides, and begins at the second entry of M.")
assert_true(apart == 0, "the first entry of the transpose lies where that of B lies, for B = M[::2, 1:].T", of="views",
            hint="This B does not lie row after row, and it was copied.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2311)
for shape in ((3, 5), (4, 4), (1, 6)):
    sample = torch.randn(shape, generator=rng)
    values, apart, later, kept = transpose_and_move(sample.clone())
    assert_close(values, sample.T, f"the transpose of a {shape[0]} by {shape[1]} matrix", of="values")
    assert_close(kept, sample, f"B after the call, for a {shape[0]} by {shape[1]} matrix", of="B kept")
    assert_true(apart == 0, f"the first entry of the transpose lies where that of B lies, shape {shape}", of="same memory", hint="It is a copy.")
    sample[0, 1] = 99.
    assert_close(later, sample.T, f"the transpose after B was changed, shape {shape}", of="same memory")
for dtype in (torch.uint8, torch.float64):
    values, apart, later, kept = transpose_and_move(torch.ones(3, 3, dtype=dtype))
    assert_true(apart == 0, f"the first entry of the transpose lies where that of B lies, {str(dtype).removeprefix('torch.')}", of="same memory")
for shape, step in (((5, 6), 2), ((3, 4), 1), ((7, 3), 3)):
    sample = torch.randn(shape, generator=rng)
    values, apart, later, kept = transpose_and_move(sample.clone(), step)
    about = f"B = M[::{step}, 1:].T for M of shape {shape}"
    assert_shape(values, tuple(sample[::step, 1:].shape), f"the shape of the transpose of {about}", of="views")
    assert_close(values, sample[::step, 1:], f"the transpose of {about}", of="views")
    assert_true(apart == 0, f"the first entry of the transpose lies where that of B lies, {about}", of="views", hint="It is a copy.")
    sample[step, 1] = 99.
    assert_close(later, sample[::step, 1:], f"the transpose after B was changed, {about}", of="views")
### END HIDDEN TESTS

# %% [markdown] teaches="strides"
# ### The order in memory
#
# How can the same memory hold a matrix and its transpose? A tensor's numbers lie in one long line. The
# *strides* say how many numbers to step over to get to the next entry along each axis. A fresh (m, n) matrix
# lies row after row, with the strides (n, 1): the next column is one step away, the next row n steps. `B.T` has
# the same memory with the strides exchanged. `contiguous()` copies into rows again.

# %%
B = torch.arange(12.).reshape(3, 4)
print(B.stride(), B.T.stride(), B.T.contiguous().stride())
print('same memory:', B.T.data_ptr() == B.data_ptr(), B.T.contiguous().data_ptr() == B.data_ptr())

# %% [markdown]
# A processor reads memory in pieces of neighbours, and so a program that walks along neighbours is faster than
# one that jumps. A library's matrix product is written with care: it copies blocks of both factors into fast
# memory in the order that it needs. What is left of the difference, one has to measure:

# %% tags=["demo"]
def best_time(work, repeats=20):
    timer = d2l.Timer()
    for _ in range(repeats):
        timer.start()
        work()
        timer.stop()
    return min(timer.times) * 1000


A, B = torch.randn(256, 8192), torch.randn(8192, 32)
C = B.T.contiguous()
big = torch.randn(2000, 2000).numpy()
threads = torch.get_num_threads()
torch.set_num_threads(1)
print(f'NumPy, every row copied: {best_time(lambda: [row.copy() for row in big]):.2f} ms,',
      f'every column copied: {best_time(lambda: [column.copy() for column in big.T], 5):.2f} ms')
print(f'A @ B: {best_time(lambda: A @ B):.2f} ms, A @ C.T, C in rows: {best_time(lambda: A @ C.T):.2f} ms,',
      f'A @ C.T, C = B.T: {best_time(lambda: A @ B.T.T):.2f} ms')
torch.set_num_threads(threads)

# %% [markdown]
# Copying rows and copying columns moves the same numbers, and the columns, with their long jumps, take longer:
# more than twice as long on the machine that made this page. The three products hardly differ.

# %% [markdown] task="2.3.11a" kind="explain" minutes=12 difficulty=4 needs="strides, transpose as a view, cost of a matrix product"
# ### AB against ACᵀ
#
# `A` has shape (p, q), `B` (q, r), and `C` (r, q). One program computes `A @ B`, another `A @ C.T`. Explain, in
# three to five sentences: What do the two programs have in common, and what differs? Does the difference make
# one of them slower: in a product written as plain loops, and in torch's? What changes if `C` was made by
# `C = B.T`, without copying?
#
# For the machine: write `strides(q, r)`. For a fresh matrix `B` of shape (q, r) it returns a list of four
# pairs: the strides of `B`; of `B.T`; of `C.T`, where `C` is a *fresh* matrix of shape (r, q); and of `C.T`,
# where `C = B.T`. q and r are at least 2.
#
# **You are done when** the text answers the three questions, and
# - **B**: the first pair is right;
# - **B.T**: the second pair is right;
# - **fresh C**: the third pair is right;
# - **C = B.T**: the fourth pair is right.

# %% exercise="2.3.11a"
def strides(q, r):
    """The strides of B (q, r); of B.T; of C.T for a fresh C (r, q); of C.T for C = B.T: a list of four pairs."""
    ### BEGIN SOLUTION
    return [(r, 1), (1, r), (1, q), (r, 1)]
    ### END SOLUTION

# %% [markdown] written="2.3.11a" points=4
# ### BEGIN SOLUTION
# Both programs do p q r multiplications; what differs is the order of the second factor in memory. An entry of
# the product needs a column of the second factor. The columns of `C.T` are the rows of `C`, and their numbers
# lie side by side; the numbers of a column of `B` lie r apart. Three plain loops, which walk down a column for
# every entry, therefore run faster for ACᵀ, because memory is read in pieces of neighbours. In torch the
# difference is small: its product copies blocks of both factors in the order that it needs and is told which
# factor is transposed, so nobody copies `C.T` first. The measurement above shows three times that hardly
# differ. With `C = B.T` the memory is that of `B`, and `C.T` has the shape and the strides of `B`: the two
# programs are the same call. A change of `C` then changes `B`, too.
#
# **Rubric**
# - [1] In common and different: the same number of multiplications (or the same shapes and work), but another order of the second factor in memory; also accepted: "C.T is a view with exchanged strides, no copy is made". Lost by "transposing costs extra multiplications".
# - [1] Plain loops: says for which of the two the numbers that are multiplied one after the other lie side by side (the rows of C), or that B is read with jumps of r, and that this favours ACᵀ. Also accepted: the same argument for loops in another order, if it is consistent.
# - [1] Torch's product: hardly any difference, with a reason (blocks, or the library is told about the transpose) or with a measurement, one's own or the page's. Also accepted: a measured difference, if the shapes and times are quoted. Lost by a difference that is only claimed, or by "the transpose takes time".
# - [1] C = B.T shares the memory of B, and C.T has B's strides again, so that both programs are the same. Also accepted: "C.T is B".
# ### END SOLUTION

# %% [markdown] hints="2.3.11a"
# 1. Which entries of the second factor does one entry of the product need, and how far apart do they lie?
# 2. Transposing exchanges the strides. Twice exchanged is as before.
# 3. Another case: a fresh (5, 4) matrix has the strides (4, 1), its transpose (1, 4).

# %% check="2.3.11a" points=1 hidden_only="an answer for the shown sizes alone"
names_of_pairs = ("B", "B.T", "fresh C", "C = B.T")
assert_type(strides(2, 3), (tuple, list, torch.Tensor, np.ndarray), "what strides(2, 3) returns", of="B")
assert_equal(len(strides(2, 3)), 4, "the number of pairs", of="B",
             hint="Four pairs: each has the stride of axis 0 and that of axis 1.")
bytes_said = "These are bytes; strides count numbers."
shape_said = "This is the shape; asked for are the strides."
said = ({bytes_said: (12, 4), shape_said: (2, 3), "A row of B has r entries: so far is it to the next row.": (2, 1),
         "A fresh matrix lies row after row: to the next column it is one step, to the next row r steps.": (1, 2),
         "These are the strides of B.T.": (1, 3)},
        {bytes_said: (4, 12), shape_said: (3, 2), "B.T is not laid out anew: it reads the memory of B.": (2, 1),
         "These are the strides of B.": (3, 1),
         "A row of B has r entries, not q.": (1, 2)},
        {bytes_said: (4, 8), shape_said: (2, 3), "These are the strides of C; C.T exchanges them.": (2, 1),
         "A row of C has q entries, not r.": (1, 3),
         "A fresh C lies row after row, with q entries in each, and C.T exchanges its strides.": (3, 1)},
        {bytes_said: (12, 4), shape_said: (2, 3), "These are the strides of C = B.T; C.T exchanges them once more.": (1, 3),
         "This is for a fresh C; here C shares the memory of B.": (1, 2), "A row of B has r entries, not q.": (2, 1)})
for place, (name, wanted) in enumerate(zip(names_of_pairs, ((3, 1), (1, 3), (1, 2), (3, 1)))):
    assert_equal(strides(2, 3)[place], wanted, f"pair {place}, {name}, for q = 2, r = 3", of=name, mistakes=said[place],
                 hint=("To the next row of B it is a whole row, 3 numbers; to the next column 1.",
                       "B.T reads the memory of B, with its two strides exchanged.",
                       "A fresh C has 3 rows of 2 numbers, and the strides (2, 1); C.T exchanges them.",
                       "C = B.T has the strides of B exchanged, and C.T exchanges them again.")[place])
### BEGIN HIDDEN TESTS
for q, r in ((7, 4), (3, 9), (5, 5)):
    fresh, other = torch.zeros(q, r), torch.zeros(r, q)
    for pair, tensor, name in zip(strides(q, r), (fresh, fresh.T, other.T, fresh.T.T), names_of_pairs):
        assert_equal(pair, tensor.stride(), f"the strides for {name}, q = {q}, r = {r}", of=name)
### END HIDDEN TESTS

# %% [markdown] teaches="proof by entries"
# ## Three proofs
#
# A program can try a law on a thousand matrices; only a proof covers all of them. Proofs about matrices often
# follow one pattern: **write down the entry (i, j) of both sides**, for any i and j, and see that they are the
# same. Here is one for $(AB)^\top = B^\top A^\top$:
#
# $$((AB)^\top)_{ij} = (AB)_{ji} = \sum_k A_{jk} B_{ki} = \sum_k (B^\top)_{ik} (A^\top)_{kj} = (B^\top A^\top)_{ij}.$$
#
# First the rule for the transpose, then the one for the product, then the rule for the transpose twice, from
# right to left, then the product again. Since i and j were any, all entries agree.
#
# Some exercises ask *why*. A person reads these; the check beside them is read by the machine. Two or three
# sentences, or a line of formulas, are enough.

# %% [markdown] task="2.3.1" kind="explain" minutes=10 difficulty=3 needs="transpose, proof by entries"
# ### Transposing twice
#
# Explain why $(A^\top)^\top = A$ for every matrix.
#
# This property alone does not make a map the transpose. For the machine: write `impostor(A)` for a fresh
# matrix with at least two rows and columns: it only moves the entries, shares the property, and is not the transpose.
#
# **You are done when** the text holds for every matrix, not only for an example, and
# - **shape**: a matrix of shape `(m, n)` becomes one of shape `(n, m)`;
# - **same entries**: the result has the entries of `A`, in other places or not;
# - **undone**: a second use gives `A` back;
# - **impostor**: if the entries of `A` are all different, the result is not `A.T`.

# %% exercise="2.3.1"
def impostor(A):
    """(m, n) -> (n, m): undone by a second use, but not the transpose."""
    ### BEGIN SOLUTION
    return A.reshape(A.shape[1], A.shape[0])
    ### END SOLUTION

# %% [markdown] written="2.3.1" points=3
# ### BEGIN SOLUTION
# Entry (i, j) of $A^\top$ is $A_{ji}$. So entry (i, j) of $(A^\top)^\top$ is entry (j, i) of $A^\top$, and that
# is $A_{ij}$. This holds for all i and j, and the shape goes from (m, n) to (n, m) and back. All entries and
# the shape agree, so the matrices are equal.
#
# **Rubric**
# - [1] Says what transposing does: entry (i, j) of Aᵀ is Aⱼᵢ. Also accepted: "rows become columns, in the same order", or "mirrored at the diagonal". Lost by a text that never says what the transpose is.
# - [1] Applies it twice and arrives at Aᵢⱼ, or at the rows where they were. Lost by "it flips and flips back" with no word of entries, rows, columns or mirror.
# - [1] Holds for every matrix: i and j are any, or all rows. Lost by an example alone, or by taking A to be symmetric or square.
# ### END SOLUTION

# %% [markdown] hints="2.3.1"
# 1. Where does the entry of row i, column j lie after one transpose? Where is that place sent by the next?
# 2. For the impostor: a tensor's entries have an order in memory. Which operation gives them another shape in
#    the same order?
# 3. Another case, for square matrices only: `A.flip(0)` turns the rows upside down, and a second use undoes it.

# %% check="2.3.1" points=1
def where_it_goes(sample):
    """Where an entry is after one use and after two, by its value: the entries of `sample` are all different."""
    once = impostor(sample)
    twice = impostor(once)
    i, j = (twice != sample).nonzero()[0].tolist()
    (there,), (then,) = ((matrix == sample[i, j]).nonzero().tolist() for matrix in (once, twice))
    return (f"The entry at ({i}, {j}) goes to {tuple(there)}, and from there, with the second use, to {tuple(then)}; "
            f"it has to come back to ({i}, {j}).")

def what_became(sample):
    """Which entries of `sample`, all different, are not there once after one use, and which are new."""
    before, after = sample.reshape(-1).tolist(), impostor(sample).reshape(-1).tolist()
    kinds = {"lost": [entry for entry in before if entry not in after],
             "there more than once": [entry for entry in before if after.count(entry) > 1],
             "new": [entry for entry in after if entry not in before]}
    found = "; ".join(f"{kind}: {', '.join(f'{entry:g}' for entry in entries)}" for kind, entries in kinds.items() if entries)
    views = len(kinds["lost"]) == len(kinds["there more than once"]) == 1 and not kinds["new"]
    return (f"Entries may go to other places; none may change, be lost or come twice. Of yours, {found}."
            + views * (" (An entry `T[0, 0]` of a tensor is a view: where another one is written there, the old one is gone. "
                       "`.clone()` keeps it.)"))

for sample in (torch.tensor([[3., 6., 1.], [5., 2., 4.]]), torch.tensor([[7., 1., 9.], [4., 8., 2.], [6., 3., 5.]]),
               torch.tensor([[2., 7.], [8., 1.], [4., 6.], [3., 5.]])):
    (m, n), ordered = sample.shape, sample.reshape(-1).sort().values
    assert_shape(impostor(sample), (n, m), f"the shape for a {m} by {n} matrix", of="shape",
                 hint=f"Asked for are {n} rows and {m} columns, as the transpose has.")
    assert_close(impostor(sample).reshape(-1).sort().values, ordered, f"the entries of a {m} by {n} matrix, sorted",
                 of="same entries",
                 mistakes={"The signs are changed; the entries of A are to be there as they are.": -ordered.flip(0)},
                 hint=lambda: what_became(sample))
    assert_close(impostor(impostor(sample)), sample, f"twice, for a {m} by {n} matrix", of="undone",
                 mistakes={"The entries come out sorted: their places are lost, and no second use can find them.":
                           ordered.reshape(m, n),
                           "The entries come out sorted from the largest: their places are lost, for any second use.":
                           ordered.flip(0).reshape(m, n),
                           "Two uses turn the matrix by half a turn, upside down, as two quarter turns do.": sample.flip(0, 1)},
                 hint=lambda: where_it_goes(sample))
    assert_true(impostor(sample).tolist() != sample.T.tolist(), f"not the transpose of a {m} by {n} matrix", of="impostor",
                hint="This is the transpose itself.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(231)
for m, n in ((2, 2), (5, 7), (2, 9), (4, 4)):
    sample = torch.randn(m, n, generator=rng)
    once = impostor(sample)
    assert_shape(once, (n, m), f"the shape for a {m} by {n} matrix", of="shape")
    assert_close(once.reshape(-1).sort().values, sample.reshape(-1).sort().values,
                 f"the entries of a random {m} by {n} matrix, sorted", of="same entries")
    assert_close(impostor(once), sample, f"twice, for a random {m} by {n} matrix", of="undone", hint=lambda: where_it_goes(sample))
    assert_true(once.tolist() != sample.T.tolist(), f"not the transpose of a random {m} by {n} matrix", of="impostor")
### END HIDDEN TESTS

# %% [markdown]
# Maps for the next exercise. Each takes a 2 by 2 matrix to a matrix or a number. (The *trace* is the sum of the
# diagonal; `clamp(min=0)` puts 0 for negative entries.)

# %% tags=["setup"]
maps = {
    'transpose': lambda A: A.T,
    'square every entry': lambda A: A ** 2,
    'sum of all entries': lambda A: A.sum(),
    'largest entry': lambda A: A.max(),
    'add 1': lambda A: A + 1,
    'trace': lambda A: A.trace(),
    'product of the diagonal': lambda A: A[0, 0] * A[1, 1],
    'times a fixed matrix': lambda A: A @ torch.tensor([[0., 2.], [-1., 3.]]),
    'negative entries become 0': lambda A: A.clamp(min=0),
}

# %% [markdown] task="2.3.2" kind="explain" minutes=12 difficulty=3 needs="transpose, proof by entries, linear map"
# ### Which maps go well with sums
#
# Explain why $A^\top + B^\top = (A + B)^\top$ for any two matrices of the same shape.
#
# Not every map f has this property, f(A) + f(B) = f(A + B). For the machine: set `counterexamples` to a
# dictionary. Its keys are the names of exactly those maps of `maps` that lack it. Each value is a pair `(A, B)`
# of matrices for which f(A) + f(B) and f(A + B) differ by at least 0.1 somewhere.
#
# **You are done when** the text holds for all entries of all such matrices, and
# - **form**: each value is a pair of `float32` tensors of shape (2, 2);
# - **pairs prove**: each pair shows that the map of its name lacks the property;
# - **none missing**: there is a pair for every map that lacks it.

# %% exercise="2.3.2"
### BEGIN SOLUTION
_one, _back = torch.eye(2), -torch.eye(2)
counterexamples = {key: (_one, _one) for key in ('square every entry', 'add 1', 'product of the diagonal')}
counterexamples |= {key: (_one, _back) for key in ('largest entry', 'negative entries become 0')}
### END SOLUTION

# %% [markdown] written="2.3.2" points=3
# ### BEGIN SOLUTION
# Entry (i, j) of $A^\top + B^\top$ is $A_{ji} + B_{ji}$, for sums are taken entry by entry. Entry (i, j) of
# $(A + B)^\top$ is entry (j, i) of $A + B$, and that is $A_{ji} + B_{ji}$, too. This holds for all i and j, so
# both sides are equal. In words: adding works place by place, and transposing takes both summands' entries to
# the same new place, so it does not matter which is done first.
#
# **Rubric**
# - [1] The entry of one side, with indices or in exact words: transposing the sum takes entry (j, i) of A + B to (i, j).
# - [1] The entry of the other side, and that they are equal for all i and j. Lost by an example alone.
# - [1] Uses that the sum works entry by entry (it may be in the formula, Aⱼᵢ + Bⱼᵢ). Lost by "the transpose is linear" or "distributes" without a reason: that is the claim itself.
# ### END SOLUTION

# %% [markdown] hints="2.3.2"
# 1. What are f(A) + f(B) and f(A + B) for A = B, the identity? And for B = -A?
# 2. A map that only moves, adds or scales entries keeps sums. Squares, products of entries, maxima and added
#    constants do not.
# 3. Another case: for f(x) = |x| on numbers, 1 and -1 are a proof: |1| + |-1| = 2, and |0| = 0.

# %% check="2.3.2" points=3
def apart(name, pair):
    P, Q = pair
    return float((maps[name](P) + maps[name](Q) - maps[name](P + Q)).abs().max())

def proves(name, pair):
    return apart(name, pair) >= 0.1

identity, ones = torch.eye(2), torch.ones(2, 2)
lacking = [name for name in maps if proves(name, (identity, identity)) or proves(name, (identity, -identity)) or proves(name, (ones, ones))]
assert_type(counterexamples, dict, "`counterexamples`", of="form")
assert_equal([name for name in counterexamples if name not in maps], [], "the names that are not in `maps`", of="form",
             hint="The keys are those of `maps`, letter by letter, such as 'add 1'.")
for name, pair in counterexamples.items():
    assert_type(pair, (tuple, list), f"the value for {name!r}", of="form")
    assert_equal(len(pair), 2, f"the number of matrices for {name!r}", of="form")
    for matrix in pair:
        assert_shape(matrix, (2, 2), f"the shape of the matrices for {name!r}", of="form")
        assert_dtype(matrix, torch.float32, f"the dtype of the matrices for {name!r}", of="form")
with part(1, "the pairs prove what they should", of="pairs prove"):
    assert_true(len(counterexamples) > 0, "there is at least one pair")
    assert_equal([name for name, pair in counterexamples.items() if apart(name, pair) != apart(name, pair)], [],
                 "the names for which f(A) + f(B) or f(A + B) is NaN", hint="The entries have to be finite.")
    assert_equal([name for name, pair in counterexamples.items() if 0.001 <= apart(name, pair) < 0.1], [],
                 "the names for which f(A) + f(B) and f(A + B) differ, but by less than 0.1",
                 hint="Larger entries make the difference larger.")
    assert_equal([name for name, pair in counterexamples.items() if not proves(name, pair)], [],
                 "the names whose pair proves nothing",
                 hint=lambda: " ".join(f"For the pair of {name!r}, f(A) + f(B) and f(A + B) are the same, up to rounding"
                                       + (": it lacks the property, but another pair has to show it." if name in lacking else
                                          ", and so they are for every pair: it keeps sums.")
                                       for name, pair in counterexamples.items() if not proves(name, pair)))
with part(1, "no map is missing", of="none missing"):
    assert_equal(len(set(counterexamples) & set(lacking)), len(lacking),
                 "the number of maps without the property that have an entry",
                 hint="There are more maps that lack the property. Compare f(A) + f(B) with f(A + B) for A = ((1, 0), (0, 1)) and B = -A.")
### BEGIN HIDDEN TESTS
assert_true(all(matrix.shape == (2, 2) for pair in counterexamples.values() for matrix in pair), "all matrices are 2 by 2", of="form")
rng = torch.Generator().manual_seed(232)
tries = [(torch.randn(2, 2, generator=rng), torch.randn(2, 2, generator=rng)) for _ in range(50)]
with part(1, "exactly the maps that lack the property, each with a proof"):
    assert_equal([name for name, pair in counterexamples.items() if not proves(name, pair)], [],
                 "the names whose pair proves nothing", of="pairs prove")
    assert_equal(set(counterexamples), {name for name in maps if any(proves(name, pair) for pair in tries)}, "the names", of="none missing")
### END HIDDEN TESTS
total()

# %% [markdown] task="2.3.3" kind="explain" minutes=10 difficulty=3 needs="symmetric matrix, transpose"
# ### The symmetric part
#
# Explain why $A + A^\top$ is symmetric for every square matrix. The two exercises before may help.
#
# More is true: each square matrix is the sum of a symmetric one and one with $K^\top = -K$. For the machine:
# write `split(A)`, which returns these two as a tuple `(S, K)`.
#
# **You are done when** the text holds for every square matrix, and
# - **symmetric**: `S` equals its transpose;
# - **the rest**: `K` equals minus its transpose;
# - **sum**: S + K = A;
# - **integers**: `A` may hold integers of any dtype, `uint8`, too; the results are floating point;
# - **arguments kept**: `A` is as it was.

# %% exercise="2.3.3"
def split(A):
    """A square matrix as (S, K): S symmetric, K equal to minus its transpose, S + K = A; floating point."""
    ### BEGIN SOLUTION
    half = A / 2        # floating point, before anything can overflow
    return half + half.T, half - half.T
    ### END SOLUTION

# %% [markdown] written="2.3.3" points=3
# ### BEGIN SOLUTION
# By exercise 2, $(A + A^\top)^\top = A^\top + (A^\top)^\top$; by exercise 1, this is $A^\top + A$; and sums of
# matrices do not depend on the order, so it is $A + A^\top$. The matrix equals its own transpose, and that is
# what symmetric means. With entries: (i, j) holds $A_{ij} + A_{ji}$, and exchanging i and j changes nothing. A
# must be square, or the two shapes do not fit.
#
# **Rubric**
# - [1] Names what has to be shown: the transpose of A + Aᵀ, or its entry (j, i), equals the matrix itself, or its entry (i, j).
# - [1] Finds the transpose: (A + Aᵀ)ᵀ = Aᵀ + (Aᵀ)ᵀ = Aᵀ + A with the reasons (exercises 1 and 2), or by entries: (i, j) holds Aᵢⱼ + Aⱼᵢ and (j, i) holds Aⱼᵢ + Aᵢⱼ.
# - [1] Concludes that they are equal because the order of a sum does not matter, for every square A. Lost by an example alone, or by taking A to be symmetric already.
# ### END SOLUTION

# %% [markdown] hints="2.3.3"
# 1. What is the sum of $A + A^\top$ and $A - A^\top$?
# 2. `/` turns integers into floating-point numbers; `//` cuts the fraction off. A sum of `uint8` begins at 0 again
#    above 255: convert before you add. `A += ...` changes the argument.
# 3. Another case: every function is the sum of an even one, (f(x) + f(-x)) / 2, and an odd one, (f(x) - f(-x))
#    / 2.

# %% check="2.3.3" points=2
sample = torch.tensor([[1., 2.], [6., 4.]])
assert_type(split(sample.clone()), (tuple, list, torch.Tensor), "what split returns", of="sum")
assert_equal(len(split(sample.clone())), 2, "how many matrices split returns", of="sum")
first, second = split(sample.clone())
for matrix, letter in ((first, "S"), (second, "K")):
    assert_shape(matrix, (2, 2), f"the shape of {letter} for A = ((1, 2), (6, 4))", of="sum",
                 hint="What split returns is one matrix; a tuple of two of its shape is asked for, (S, K)."
                 if torch.is_tensor(split(sample.clone())) and split(sample.clone()).ndim == 2 else
                 "split returns two matrices of the shape of A: (S, K).")

def as_text(matrix):
    return f"({', '.join('(' + ', '.join(f'{number:g}' for number in row) + ')' for row in matrix.tolist())})"

def what_is_first():
    one = first.double()
    for known, words in ((torch.tensor([[0., -2.], [2., 0.]]), "This is K: the order of the two is (S, K)."),
                         (torch.tensor([[0., 2.], [-2., 0.]]), "This is minus K: the order of the two is (S, K)."),
                         (sample, "S is the whole of A, and A is not symmetric; half of A + Aᵀ is."),
                         (sample.triu(), "S is the part of A on and above the diagonal; half of A + Aᵀ is symmetric."),
                         (sample.tril(), "S is the part of A on and below the diagonal; half of A + Aᵀ is symmetric.")):
        if torch.allclose(one, known.double()):
            return words
    return f"Entry (0, 1) of S is {float(one[0, 1]):g}, and entry (1, 0) is {float(one[1, 0]):g}: S is not symmetric."

def which_half():
    for matrix, name, other in ((first, "S", "K"), (second, "K", "S")):
        wanted = (sample + sample.T) / 2 if name == "S" else (sample - sample.T) / 2
        if torch.allclose(matrix.double(), wanted.double()):
            return f" {name} is right; {other} is not."
    return ""

assert_close(first + second, sample, "S + K for A = ((1, 2), (6, 4))", of="sum",
             hint=lambda: "S is half of A + Aᵀ, and K half of A - Aᵀ: entry (0, 1) of S is (2 + 6) / 2 = 4, that of K (2 - 6) / 2 = -2." + which_half(),
             mistakes={"This is twice A: A + Aᵀ and A - Aᵀ are to be halved, each as a whole.": 2 * sample,
                       "This is the transpose of A, as where K has the wrong sign.": sample.T,
                       "This is A + Aᵀ, as where the two are A and Aᵀ; together S and K are A itself.":
                       torch.tensor([[2., 8.], [8., 8.]]),
                       "K is twice as large as it should be: its half is missing.": torch.tensor([[1., 0.], [8., 4.]]),
                       "S is twice as large as it should be: its half is missing.": torch.tensor([[2., 6.], [10., 8.]])})
assert_close(first - first.T, torch.zeros(2, 2), "S minus its transpose, for A = ((1, 2), (6, 4))", of="symmetric",
             hint=lambda: what_is_first())
assert_close(second + second.T, torch.zeros(2, 2), "K plus its transpose, for A = ((1, 2), (6, 4))", of="the rest",
             mistakes={"The diagonal of A belongs to S: the diagonal of K is zero.": torch.tensor([[2., 0.], [0., 8.]]),
                       "S has the entries above the diagonal twice; entry (0, 1) of K must be minus its entry (1, 0).":
                       torch.tensor([[0., 4.], [4., 0.]]),
                       "S has the entries below the diagonal twice; entry (0, 1) of K must be minus its entry (1, 0).":
                       torch.tensor([[0., -4.], [-4., 0.]])},
             hint=lambda: f"S is symmetric; but what is left of A must be minus its own transpose. Yours is S = {as_text(first)}; "
             "half of A + Aᵀ is ((1, 4), (4, 4)).")
assert_close(split(torch.tensor([[1, 2], [5, 4]])), (torch.tensor([[1., 3.5], [3.5, 4.]]), torch.tensor([[0., -1.5], [1.5, 0.]])),
             "(S, K) for the integers ((1, 2), (5, 4))", of="integers",
             hint="The halves of these integers have fractions, 3.5 and -1.5: keep them, in floating point.")

@probe
def matrix_after_split(A):
    split(A)
    return A

assert_close(matrix_after_split(sample.clone()), sample, "A after the call", of="arguments kept",
             hint="`A += ...` and `A[...] = ...` write into the matrix of the caller; `A + ...` makes a new one.")
assert_equal(matrix_after_split(torch.tensor([[1, 2], [5, 4]])).tolist(), [[1, 2], [5, 4]], "A after the call, for integers",
             of="arguments kept", hint="`A += ...` and `A[...] = ...` write into the matrix of the caller; `A + ...` makes a new one.")
assert_close(matrix_after_split(sample.double()), sample.double(), "A after the call, for float64", of="arguments kept",
             hint="Where A is of float64, `A.double()` is A itself and no copy: an operation in place then "
                  "writes into the caller's matrix.")
assert_close(split(torch.tensor([[200, 100], [250, 30]], dtype=torch.uint8)),
             (torch.tensor([[200., 175.], [175., 30.]]), torch.tensor([[0., -75.], [75., 0.]])),
             "(S, K) for ((200, 100), (250, 30)) as uint8", of="integers",
             hint="uint8 goes from 0 to 255: floating point before the sum and the difference, and to the end.")
for large, dtype in ((2 * 10 ** 9, torch.int32), (8 * 10 ** 18, torch.int64)):
    name = str(dtype).removeprefix('torch.')
    assert_close(split(torch.tensor([[large, large], [large // 2, 0]], dtype=dtype)),
                 (torch.tensor([[large, 0.75 * large], [0.75 * large, 0.]]),
                  torch.tensor([[0., 0.25 * large], [-0.25 * large, 0.]])),
                 f"(S, K) for (({large}, {large}), ({large // 2}, 0)) as {name}", of="integers", rtol=1e-4,
                 hint=f"{name} ends at {torch.iinfo(dtype).max}, and float16 at 65504: float32 or float64 first.")
uneven = torch.tensor([[1., 1e8], [3., 2.]])
assert_close(matrix_after_split(uneven.clone()), uneven, "A = ((1, 1e8), (3, 2)) after the call", of="arguments kept",
             hint="Write into A not even for a while: the digits that were lost do not come back.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(233)
for sample in (torch.randn(5, 5, generator=rng), torch.randn(1, 1, generator=rng)):
    S, K = split(sample.clone())
    about = f"a random {len(sample)} by {len(sample)} matrix"
    assert_close(S - S.T, 0 * sample, f"S minus its transpose, for {about}", of="symmetric")
    assert_close(K + K.T, 0 * sample, f"K plus its transpose, for {about}", of="the rest")
    assert_close(S + K, sample, f"S + K for {about}", of="sum")
whole = torch.randint(-9, 10, (4, 4), generator=rng)
halves = torch.tensor([[(whole[i, j] + whole[j, i]).item() / 2 for j in range(4)] for i in range(4)])
assert_close(split(whole.clone())[0], halves, "S for a 4 by 4 matrix of integers", of="integers")
for dtype, least, end in ((torch.uint8, 100, 256), (torch.int8, -128, 128), (torch.int16, -30000, 30000),
                          (torch.int32, 10 ** 9, 2 ** 31), (torch.int64, 2 ** 62, 2 ** 63 - 1)):
    bytes_ = 2 * torch.randint(least // 2, end // 2, (3, 3), generator=rng)
    name = str(dtype).removeprefix('torch.')
    S, K = split(bytes_.to(dtype))
    assert_close(S, torch.tensor([[(int(bytes_[i, j]) + int(bytes_[j, i])) / 2 for j in range(3)] for i in range(3)]),
                 f"S for even {name} integers, 3 by 3", of="integers", rtol=1e-4)
    assert_close(K, torch.tensor([[(int(bytes_[i, j]) - int(bytes_[j, i])) / 2 for j in range(3)] for i in range(3)]),
                 f"K for even {name} integers, 3 by 3", of="integers", rtol=1e-4)
assert_equal(matrix_after_split(whole.clone()).tolist(), whole.tolist(), "A after the call, 4 by 4, for integers", of="arguments kept")
kept = torch.randn(3, 3, generator=rng)
kept[0] = 1e9
assert_close(matrix_after_split(kept.clone()), kept, "A after the call, 3 by 3", of="arguments kept")
assert_close(matrix_after_split(kept.double()), kept.double(), "A after the call, 3 by 3, for float64", of="arguments kept")
### END HIDDEN TESTS

# %% [markdown]
# ## Summary
#
# - Vectors hold data, one number for each feature; a matrix holds one example a row. Scaling and adding make
#   linear combinations.
# - A sum along an axis makes this axis disappear; `keepdim=True` leaves it with length 1, so that the sums meet
#   what they came from.
# - The dot product is a weighted sum, `A @ x` one dot product for each row, `X @ W + b` a layer; (n, k) times
#   (k, m) gives (n, m) and takes n k m multiplications.
# - Norms measure size, the cosine direction, and the rank of a matrix how much passes through it.
# - The transpose is a view. What these operations *learn* from data needs derivatives: section 2.4 has the
#   gradient, 2.5 lets torch compute it, and 3.1 fits the first weights.
