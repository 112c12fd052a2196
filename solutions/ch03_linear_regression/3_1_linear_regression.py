# %% [markdown]
# # 3.1 Linear regression
#
# What does a penguin weigh? To know it one has to catch the bird and get it onto a scale. A flipper is easier: a ruler
# is enough. And long flippers belong to heavy penguins. How far does that go: can the length of the flipper *replace* the
# scale?
#
# Linear regression answers such questions. It predicts a number as a weighted sum of other numbers. It is the
# smallest complete example of machine learning: data, a model, a loss, a way to make the loss small, and an assumption about
# chance that says why this loss and no other. Every later chapter changes one of these parts and keeps the rest.
#
# At the end of this section you can write a linear model with its shapes, find its best weights by a formula and by small
# steps, say which noise belongs to which loss, see when the formula fails, and build a model for prices and one for counts.
#
# The exercises stand in the order in which they are best done. Their numbers are names only: they come from D2L's list, which
# has another order. The core path leaves out what is not marked as core; the last three lessons can wait for a second reading.

# %% tags=["setup"]
from d2l_utils.check import *
import math
import numpy as np
import pandas as pd
import torch
import d2l_utils as d2l

# %% [markdown] teaches="features and targets, training set"
# ## 1. A weighted sum
#
# Here are 342 penguins of three species. Four of them:

# %%
penguins = pd.read_csv(d2l.data_file("penguins.csv")).dropna(subset=["flipper_length_mm", "bill_depth_mm", "body_mass_g"])
print(len(penguins), "penguins")
print(penguins.iloc[[0, 100, 200, 300]][["flipper_length_mm", "bill_depth_mm", "body_mass_g"]])

# %% [markdown]
# Some words that every book uses. A row is an **example**. What we measure easily, here the lengths, are its **features**. What we want
# to predict, here the mass, is its **target** (or *label*). The examples from which a model learns are the **training set**. We write $n$ for
# the number of examples and $d$ for the number of features; $x_{ij}$ is feature $j$ of example $i$, and $y_i$ the target of example $i$.

# %% [markdown] teaches="linear model, prediction, design matrix"
# The **linear model** multiplies each feature by a number of its own, its *weight*, adds the products, and adds one more number, the
# *bias* $b$:
#
# $$\hat y = w_1 x_1 + w_2 x_2 + \dots + w_d x_d + b = \mathbf w^\top \mathbf x + b .$$
#
# The hat says: this is a prediction, not a measurement. A weight has a meaning: if feature $j$ grows by 1 and the others stay, the prediction
# grows by $w_j$. The bias is the prediction where all features are 0. Strictly speaking a function with a bias is *affine*; everybody says
# linear all the same. Weights and bias are the **parameters**: to learn is to find good ones.
#
# For all examples at once the features stand in the rows of the **design matrix** $X$, of shape $(n, d)$. Then
#
# $$\hat{\mathbf y} = X \mathbf w + b, \qquad (n, d)\cdot(d,) + () \to (n,).$$
#
# The product takes the dot product of every row with the weights, and broadcasting adds the one bias to all $n$ entries.

# %%
lengths = torch.tensor(penguins[["flipper_length_mm", "bill_depth_mm"]].to_numpy())     # the design matrix, (342, 2), float64
mass = torch.tensor(penguins["body_mass_g"].to_numpy())                                 # the targets, (342,)
guess_w, guess_b = torch.tensor([50., 20.], dtype=torch.float64), -6000.                # out of thin air
guessed = lengths @ guess_w + guess_b
print("shapes:", tuple(lengths.shape), tuple(guess_w.shape), "->", tuple(guessed.shape))
print("predicted:", guessed[:3].tolist())
print("measured: ", mass[:3].tolist())

# %% [markdown]
# For weights out of thin air that is not bad. As a picture, the model is the smallest neural network: inputs, one output, and an arrow
# for each weight.

# %% tags=["demo"]
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(5.4, 2.6), layout="constrained")
places = {"$x_1$": 0.9, "$x_2$": 0.5, "$x_d$": -0.3}
for (name, height), weight in zip(places.items(), ("$w_1$", "$w_2$", "$w_d$")):
    ax.annotate("", xy=(1.87, 0.33), xytext=(0.13, height), arrowprops=dict(arrowstyle="->", color="C0"))
    ax.text(0.75, height + (0.3 - height) * 0.36 + 0.06, weight, color="C0", ha="center")
    ax.text(0, height, name, ha="center", va="center", bbox=dict(boxstyle="circle", fc="white", ec="black"))
ax.text(0, 0.1, "⋮", ha="center", va="center")
ax.text(2, 0.33, r"$\hat y$", ha="center", va="center", bbox=dict(boxstyle="circle", fc="#ffe9c0", ec="black"))
ax.annotate("", xy=(2.0, 0.5), xytext=(2.0, 0.92), arrowprops=dict(arrowstyle="->", color="C3"))
ax.text(2.0, 0.98, "$b$", color="C3", ha="center")
ax.text(0, -0.6, "d features", ha="center")
ax.text(2, -0.6, "one output", ha="center")
ax.set(xlim=(-0.5, 2.5), ylim=(-0.75, 1.2))
ax.axis("off")
plt.show()

# %% [markdown]
# *What to see:* every input reaches the output over one arrow, and nothing stands between. Such a layer, in which every input is joined to every
# output, is called *fully connected*. Later networks put more circles into the middle.

# %% [markdown] task="3.1.A" kind="code" minutes=2 difficulty=1 core=true needs="linear model, design matrix, matrix-vector product"
# ### All predictions at once
#
# Write `predict(X, w, b)`: the predictions of the linear model for the examples in the rows of `X`. `X` has shape `(n, d)`, `w` has shape `(d,)`, and `b` is a number.
#
# **You are done when**
# - **shape**: the result is a tensor of shape `(n,)`, for a single example too;
# - **values**: entry i is the prediction for row i.

# %% exercise="3.1.A"
def predict(X, w, b):
    """Predictions X w + b, shapes (n, d), (d,), number -> (n,)."""
    ### BEGIN SOLUTION
    return X @ w + b
    ### END SOLUTION

# %% [markdown] hints="3.1.A"
# 1. Which product takes the dot product of each row of a matrix with a vector?
# 2. `A @ v` for shapes `(n, d)` and `(d,)` has shape `(n,)`. A number added to a tensor is added to each entry.
# 3. One example with the features (2, 3), weights (10, 1), bias 100: 20 + 3 + 100 = 123.

# %% check="3.1.A" points=1
rows_a, weights_a = torch.tensor([[1., 2.], [3., 0.], [0., -1.]]), torch.tensor([2., 5.])
found_ = predict(rows_a, weights_a, 10.)
assert_type(found_, torch.Tensor, "what predict returns for three examples of two features", of="shape")
assert_shape(found_, (3,), "the shape for three examples of two features", of="shape", hint="One prediction for each row.",
             mistakes={"This is a column: a tensor with one axis is asked for.": (3, 1), "The products of a row are still to "
                 "be added up.": (3, 2),
                       "This is one number for each feature; the rows are the examples.": (2,), "This is one number for all: "
                           "each row has its own.": ()})
without_b_ = predict(rows_a, weights_a, 0.)
assert_shape(predict(rows_a[:1], weights_a, 10.), (1,), "the shape for a single example", of="shape", hint="A single example is a matrix with one row: its prediction is a tensor with one entry.")
assert_close(found_, torch.tensor([22., 16., 5.]), "rows (1, 2), (3, 0), (0, -1) with weights (2, 5) and bias 10", of="values",
             mistakes={"The bias is missing.": torch.tensor([12., 6., -5.]), "The bias is added once, not for every feature.": torch.tensor([32., 26., 15.]),
                       "The bias is added, not subtracted.": torch.tensor([2., -4., -15.]),
                       "The bias is added to the sum of the products, not to the features.": torch.tensor([82., 76., 65.]),
                       "Add the products up: this is their mean, plus b.": torch.tensor([16., 13., 7.5]),
                       "The bias is added, not multiplied.": torch.tensor([120., 60., -50.]),
                       "The last feature is missing: all d of them belong into the sum.": torch.tensor([12., 16., 10.]),
                       "The first feature is missing: all d of them belong into the sum.": torch.tensor([20., 10., 5.]),
                       "Each row has a sum of its own: here those of the rows above it are added to it.":
                           torch.tensor([22., 38., 43.])},
             hint="A prediction need not be a whole number: nothing is rounded or cut off." if not found_.is_floating_point() else
             "With b = 0 yours are right: it is the bias that is not. It is added to each prediction."
             if torch.allclose(without_b_.double(), torch.tensor([12., 6., -5.]).double()) else
             "Row (1, 2): the products are 1 · 2 and 2 · 5, and they and the bias 10 are added up, 2 + 10 + 10. With b = 0, "
             "too, yours are not right.")
assert_close(predict(torch.tensor([[1., 2.], [3., 4.]]), torch.tensor([1., 10.]), 1.), torch.tensor([22., 44.]), "rows (1, 2), (3, 4) with weights (1, 10) and bias 1", of="values",
             mistakes={"This takes the columns of X for the examples: they are the rows.": torch.tensor([32., 43.])},
             hint="Where X is square, too, the rows are the examples: 1 · 1 + 2 · 10 + 1 for the first.")
assert_close(predict(torch.tensor([[1., -1., 2.], [0.5, 2., 0.], [2., 1., -1.]]), torch.tensor([-2., 1., 4.]), -0.5), torch.tensor([4.5, 0.5, -7.5]),
             "rows (1, -1, 2), (0.5, 2, 0), (2, 1, -1) with weights (-2, 1, 4) and bias -0.5", of="values",
             mistakes={"A negative bias is added, too: here it is left out.": torch.tensor([5., 1., -7.]),
                       "The bias is negative here: its sign counts.": torch.tensor([5.5, 1.5, -6.5]),
                       "Only the first two features enter: all d of them belong into the sum.": torch.tensor([-3.5, 0.5, -3.5]),
                       "A prediction may be negative: nothing is cut off at 0.": torch.tensor([4.5, 0.5, 0.]),
                       "A prediction may be negative: its sign counts.": torch.tensor([4.5, 0.5, 7.5])},
             hint="With negative features, weights and bias it is the same sum: -2 - 1 + 8 - 0.5 for the first row.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(3100)
for n_, d_, b_ in ((5, 3, -2.5), (1, 4, 7.), (4, 4, 0.5), (6, 1, 3.)):
    X_, w_ = torch.randn(n_, d_, generator=rng, dtype=torch.float64), torch.randn(d_, generator=rng, dtype=torch.float64)
    assert_shape(predict(X_, w_, b_), (n_,), f"the shape for {n_} examples of {d_} features", of="shape")
    assert_close(predict(X_, w_, b_), torch.from_numpy(np.einsum("nd,d->n", X_.numpy(), w_.numpy()) + b_), f"{n_} examples of {d_} features, bias {b_}", of="values",
                 hint="Each row times the weights, added up over all its features, plus the bias, whatever its sign.")
### END HIDDEN TESTS

# %% [markdown] teaches="bias as a weight"
# ### The bias is a weight, too
#
# Formulas get shorter without a bias. There is a trick: give every example one more feature, which is always 1. Its weight is added to every
# prediction, so it *is* the bias:
#
# $$\mathbf w^\top \mathbf x + b = w_1 x_1 + \dots + w_d x_d + b \cdot 1 .$$
#
# In code, a column of ones goes to the right of $X$. `torch.cat([...], dim=1)` joins matrices side by side; all parts need the same number of rows.

# %%
short = torch.tensor([[5., 6.], [7., 8.], [9., 0.]])
marks = torch.full((3, 1), -1.)                         # a column of another number, to show the joining
print(torch.cat([marks, short], dim=1))

# %% [markdown] task="3.1.2a" kind="code" minutes=4 difficulty=1 core=true needs="bias as a weight, concatenation, dtype"
# ### A column of ones
#
# Write `with_ones(X)`, which puts a column of ones after the last column of `X`. The result is a tensor, and `X` has shape `(n, d)`.
#
# **You are done when**
# - **shape**: it is `(n, d + 1)`, whatever n is;
# - **old columns**: the first d columns are those of `X`;
# - **ones**: the last column holds ones;
# - **dtype**: it is that of `X`, for whole numbers and float64, too.

# %% exercise="3.1.2a"
def with_ones(X):
    """X with a column of ones at its right, shapes (n, d) -> (n, d + 1), in X's dtype."""
    ### BEGIN SOLUTION
    return torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    ### END SOLUTION

# %% [markdown] hints="3.1.2a"
# 1. Which shape must a tensor have to stand beside `X` as one more column?
# 2. `torch.ones(rows, columns, dtype=...)` makes ones of any dtype; `len(X)` is the number of rows.
# 3. To put the squares of a column beside it: `torch.cat([v, v ** 2], dim=1)` for `v` of shape `(n, 1)`.

# %% check="3.1.2a" points=1
grid_ = torch.tensor([[1., 2.], [3., 4.], [5., 6.]])
found_ = with_ones(grid_)
assert_type(found_, torch.Tensor, "what with_ones returns for a 3 × 2 matrix", of="shape")
assert_shape(found_, (3, 3), "the shape for a 3 × 2 matrix", of="shape",
             hint="One more column, not as many again." if tuple(found_.shape) == (3, 4) else "One more column: no row is added.")
assert_shape(with_ones(grid_[:2]), (2, 3), "the shape for a 2 × 2 matrix", of="shape", hint="One more column, as long as X has rows.")
assert_close(found_[:, :2], grid_, "the first two columns for ((1, 2), (3, 4), (5, 6))", of="old columns",
             mistakes={"The ones belong after the last column.": torch.tensor([[1., 1.], [1., 3.], [1., 5.]])},
             hint="The columns of X stand first, as they are.")
assert_close(found_[:, 2], torch.ones(3), "the last column for ((1, 2), (3, 4), (5, 6))", of="ones",
             mistakes={"This column holds zeros.": torch.zeros(3)}, hint="The last column holds ones, in every row.")
assert_close(with_ones(torch.tensor([[0., 4.], [-3., 0.]]))[:, -1], torch.ones(2), "the last column for ((0, 4), (-3, 0))", of="ones", hint="The ones do not depend on what X holds.")
for kind_ in (torch.float64, torch.int64):
    found_ = with_ones(torch.tensor([[7, -8]], dtype=kind_))
    assert_type(found_, torch.Tensor, f"what with_ones returns for {kind_}", of="dtype")
    hint_ = "torch.ones makes float32 unless it is told otherwise." if found_.dtype == torch.float32 and kind_ == torch.int64 else (
        "The numbers of X have become float32: they are to stay as they are.") if found_.dtype == torch.float32 else "The dtype of X is kept, whatever it is."
    assert_dtype(found_, kind_, f"the dtype for {kind_}", of="dtype", hint=hint_)
assert_shape(with_ones(torch.zeros(0, 1)), (0, 2), "the shape for a matrix with no rows and 1 column", of="shape")
large_ = torch.tensor([[16_777_217, 3], [-33_554_431, 20_000_001]])
assert_close(with_ones(large_)[:, :2], large_, "the first two columns for the whole numbers ((16777217, 3), (-33554431, 20000001))", of="old columns", hint="float32 has 7 digits only: stay in the dtype of X.")
### BEGIN HIDDEN TESTS
for shape_, kind_ in (((2, 5), torch.float64), ((4, 1), torch.int32), ((3, 3), torch.float32), ((1, 2), torch.float16)):
    table_ = torch.arange(shape_[0] * shape_[1]).reshape(shape_).to(kind_) - 3
    assert_shape(with_ones(table_), (shape_[0], shape_[1] + 1), f"the shape for shape {shape_}", of="shape")
    assert_dtype(with_ones(table_), kind_, f"the dtype for {kind_}", of="dtype")
    assert_close(with_ones(table_)[:, :-1], table_, f"the old columns for shape {shape_}", of="old columns",
                 hint="The columns of X stand first, as they are, negative numbers, too.")
    assert_close(with_ones(table_)[:, -1], torch.ones(shape_[0], dtype=kind_), f"the last column for shape {shape_}", of="ones",
                 hint="The last column holds ones in every row, whatever X holds and however many rows there are.")
assert_shape(with_ones(torch.zeros(0, 2)), (0, 3), "the shape for no rows and 2 columns", of="shape",
             hint="Where X has no rows, the column of ones has none either.")
large_ = torch.tensor([[16_777_219], [-20_000_001], [5]])
assert_close(with_ones(large_)[:, :1], large_, "the old column for large whole numbers", of="old columns", hint="float32 has 7 digits only: stay in the dtype of X.")
### END HIDDEN TESTS

# %% [markdown] teaches="squared loss, residual"
# ## 2. How wrong is a model?
#
# To improve a model one must say how wrong it is, with one number. For one example the error is the **residual** $r_i = \hat y_i - y_i$. Just
# adding up the residuals will not do: one that is 500 g too high and one that is 500 g too low cancel. So we square them. The **squared loss** of an example is
# $\frac12 r_i^2$, and that of the model is the mean over the examples,
#
# $$L(\mathbf w, b) = \frac1n \sum_{i=1}^n \tfrac12 \left(\mathbf w^\top \mathbf x_i + b - y_i\right)^2 .$$
#
# The half changes nothing about which model is best; it cancels the 2 that appears when one takes the derivative. The mean (and not the sum) makes losses comparable
# between small and large data sets. Squaring has a price: a residual that is twice as large costs four times as much. A few large errors count more than many small ones.

# %%
flipper = lengths[:, 0]                                     # (342,), millimetres
for slope_, start_ in ((30., -1500.), (50., -5800.)):
    residuals = slope_ * flipper + start_ - mass
    print(f"mass = {slope_:.0f} · flipper - {-start_:.0f}: mean residual {residuals.mean():7.1f} g, mean of half the squares {(residuals ** 2 / 2).mean():9.0f} g²")

# %% tags=["demo"]
few_rows = list(range(0, 342, 18))
fig, both_axes = plt.subplots(1, 2, figsize=(7.4, 2.9), sharey=True, layout="constrained")
for ax, slope_, start_ in zip(both_axes, (30., 50.), (-1500., -5800.)):
    ax.vlines(flipper[few_rows], mass[few_rows], slope_ * flipper[few_rows] + start_, color="C3", linewidth=1)
    ax.plot(flipper[few_rows], mass[few_rows], "o", markersize=4)
    ax.plot([172, 231], [slope_ * 172 + start_, slope_ * 231 + start_], color="black")
    ax.set(xlabel="flipper length (mm)", title=f"slope {slope_:.0f} g/mm")
both_axes[0].set_ylabel("mass (g)")
plt.show()

# %% [markdown]
# *What to see:* the red lines are the residuals of 19 of the penguins. On the right they are shorter, and the loss says so: less than a half of that on the left.

# %% [markdown] teaches="vectorisation"
# ### One call instead of a loop
#
# The loss is a sum over examples, so one might write a loop. Python works on one number after the other, and what it does *around* each addition costs
# far more than the addition. A call on whole tensors does the same work in compiled code. To write a formula for whole tensors is to **vectorise** it. The factor depends on the machine; here is yours:

# %% tags=["demo"]
import time

u_long, v_long = torch.ones(20_000), torch.ones(20_000)
clock = time.perf_counter()
sums = torch.zeros(20_000)
for i in range(20_000):
    sums[i] = u_long[i] + v_long[i]
loop_time = time.perf_counter() - clock
clock = time.perf_counter()
for _ in range(100):
    sums = u_long + v_long
call_time = (time.perf_counter() - clock) / 100
print(f"20,000 additions: loop {loop_time * 1000:.1f} ms, one call {call_time * 1000:.4f} ms, {loop_time / call_time:.0f} times as fast")

# %% [markdown] teaches="shapes of predictions and targets"
# ⚠ One trap waits in the subtraction $\hat{\mathbf y} - \mathbf y$. Predictions have shape $(n,)$. If the targets come as a column, $(n, 1)$, nothing complains: broadcasting makes a table of *all
# pairs*, and the mean of its squares is a wrong loss.

# %%
perfect = torch.tensor([1., 2., 4.])                    # predictions that are exactly right
column_targets = torch.tensor([[1.], [2.], [4.]])
print("shape of the difference:", tuple((perfect - column_targets).shape))
print("loss:", ((perfect - column_targets) ** 2 / 2).mean().item(), " with equal shapes:", ((perfect - column_targets.reshape(-1)) ** 2 / 2).mean().item())

# %% [markdown] task="3.1.9" kind="code" minutes=8 difficulty=2 core=true needs="squared loss, vectorisation, shapes of predictions and targets, reshape"
# ### Away with the loops
#
# ```python
# def slow_loss(X, w, b, y):
#     total = 0.0
#     for i in range(len(X)):
#         prediction = b
#         for j in range(len(w)):
#             prediction = prediction + X[i, j] * w[j]
#         total = total + (prediction - y[i]) ** 2 / 2
#     return total / len(X)
# ```
#
# Write `fast_loss(X, w, b, y)`, which gives the same number without a loop. `X` has shape `(n, d)`, `w` shape `(d,)`, `b` is a number. All tensors are floating point, of one dtype.
#
# **You are done when**
# - **value**: it is the mean over the examples of half the squared residual, as a 0-d tensor;
# - **column of targets**: `y` may have shape `(n,)` or `(n, 1)`: the loop does not care, and yours must not either;
# - **dtype**: it is that of the tensors;
# - **gradient**: the gradient of the loss reaches `w` (a later lesson needs it);
# - **no loop**: more examples or more features take no more torch operations.

# %% exercise="3.1.9"
def fast_loss(X, w, b, y):
    """Mean of half the squared errors of X w + b against y of shape (n,) or (n, 1); 0-d."""
    ### BEGIN SOLUTION
    return ((X @ w + b - y.reshape(-1)) ** 2).mean() / 2
    ### END SOLUTION

# %% [markdown] hints="3.1.9"
# 1. Which operation does the inner loop compute for all rows at once?
# 2. `X @ w` has shape `(n,)`. `y.reshape(-1)` has shape `(n,)`, whatever `y` had before.
# 3. A loop that sums `abs(u[i] - v[i]) * m[i]` is `((u - v).abs() * m).sum()`.

# %% check="3.1.9" points=2
@probe
def gradient_for_w(X, w, b, y):
    leaf = w.clone().requires_grad_()
    loss = fast_loss(X, leaf, b, y)
    if torch.is_tensor(loss) and loss.requires_grad:
        loss.sum().backward()
    return "no gradient" if leaf.grad is None else leaf.grad

@probe
def operations(n, d):
    from torch.utils._python_dispatch import TorchDispatchMode

    class Counter(TorchDispatchMode):
        calls = 0

        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            Counter.calls += 1
            return function(*args, **(kwargs or {}))

    with Counter():
        fast_loss(torch.ones(n, d), torch.ones(d), 0.5, torch.zeros(n))
    return Counter.calls

def least_operations():
    """How many operations a few sizes take: sizes to counts."""
    return {size: operations(*size) for size in ((5, 3), (10, 3), (5, 6))}

rows_, weights_, aims_ = torch.tensor([[1., 2., 0.], [3., 0., 1.], [0., 1., 2.], [1., 1., 1.]]), torch.tensor([2., 1., 1.]), torch.tensor([4., 9., 4., 2.])
found_ = fast_loss(rows_, weights_, 1., aims_)
assert_type(found_, torch.Tensor, "what fast_loss returns for four examples", of="value")
assert_shape(found_, (), "the shape of the loss of four examples", of="value")
wider_ = fast_loss(torch.cat([rows_, torch.zeros(4, 2)], 1), torch.cat([weights_, torch.zeros(2)]), 1., aims_)     # two more features that are 0
by_features_ = bool((wider_ - found_).abs().mean() > 1e-3)
alone_ = fast_loss(torch.ones(1, 1), torch.zeros(1), 0., torch.tensor([3.])).item()
which_step_ = f"For a single example with the residual -3 yours is {alone_:.4g}; half the square is 9/2 = 4.5."
if abs(alone_ - 4.5) < 1e-3:
    which_step_ = "A single example with the residual -3 is right in yours. Of several it is the mean: here (1/2 + 1/2 + 0 + 9/2) / 4."
    shifted_ = fast_loss(torch.ones(1, 1), torch.zeros(1), 1., torch.tensor([4.])).item()
    if abs(shifted_ - 4.5) > 1e-3:
        which_step_ = ("With b = 0 a single example is right in yours. With X w = 0, b = 1 and y = 4 the residual is 0 + 1 - 4 = -3, "
                       f"and the loss 4.5; yours is {shifted_:.4g}: the prediction is X w + b.")
assert_close(found_, torch.tensor(11 / 8), "the loss for residuals 1, -1, 0 and 3", of="value",
             mistakes={"This is the mean of the squares: the factor 1/2 is missing.": torch.tensor(11 / 4),
                       "This is the sum over the examples, not the mean.": torch.tensor(11 / 2),
                       "Divide by the number of examples, not by the number of entries of X.": torch.tensor(11 / 24),
                       "This is a quarter of the mean square, not a half: a half inside the square is squared, too.": torch.tensor(11 / 16),
                       "Divide by the number of examples, not by that of the features." if by_features_ else "Divide by n, not by n - 1.": torch.tensor(11 / 6),
                       "This is half the length of the vector of residuals: no root is taken, and the squares are averaged.": torch.tensor(math.sqrt(11) / 2),
                       "These are absolute values: square the residuals.": torch.tensor(5 / 4), "These are halves of absolute values: square the residuals.": torch.tensor(5 / 8),
                       "Where is the bias?": torch.tensor(9 / 8),
                       "This is a mean over all pairs of a prediction and a target, as shapes (n,) and (n, 1) give them in "
                       "broadcasting: each prediction has one target.": torch.tensor(19 / 4),
                       "This squares the mean error: square each one first.": torch.tensor(9 / 32),
                       "No root: the loss is half the mean of the squares itself.": torch.tensor(math.sqrt(11 / 4) / 2),
                       "No root: the loss is the mean of half the squares itself.": torch.tensor(math.sqrt(11 / 8)),
                       "This is half the variance of the residuals: their mean is not subtracted.": torch.tensor((11 / 4 - 9 / 16) / 2)},
             hint=which_step_)
assert_close(fast_loss(rows_, weights_, 1., aims_[:, None]), torch.tensor(11 / 8), "the same with y of shape (4, 1)", of="column of targets",
             mistakes={"(n,) against (n, 1) gives (n, n): it averages over all pairs.": torch.tensor(19 / 4)},
             hint="With y of shape (4,) it was right: bring y to the shape of the predictions before you subtract.")
assert_dtype(found_, torch.float32, "the dtype for float32", of="dtype", hint="The dtype of the tensors is kept.")
assert_dtype(fast_loss(rows_.double(), weights_.double(), 1., aims_.double()), torch.float64, "the dtype for float64", of="dtype",
             hint="The dtype of the tensors is kept.")
slopes_ = gradient_for_w(rows_, weights_, 1., aims_)
assert_type(slopes_, torch.Tensor, "the gradient of the loss with respect to w", of="gradient", hint="tolist, item, numpy and detach cut the way from the loss back to w: compute with tensors.")
assert_close(slopes_, torch.tensor([0.25, 1.25, 0.5]), "the gradient with respect to w for residuals 1, -1, 0 and 3",
             of="gradient",
             hint="The slope for a weight is the mean of the residuals, each times its feature: every residual hangs on w.")
counts_ = least_operations()
assert_true(counts_[10, 3] <= counts_[5, 3], f"10 examples take no more torch operations than 5; yours take {counts_[10, 3]} and {counts_[5, 3]}", of="no loop", hint="Something is done for each example by itself.")
assert_true(counts_[5, 6] <= counts_[5, 3], f"6 features take no more torch operations than 3; yours take {counts_[5, 6]} and {counts_[5, 3]}", of="no loop", hint="Something is done for each feature by itself.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(319)
table_, gains_, goal_ = (torch.randn(shape_, generator=rng, dtype=torch.float64) for shape_ in ((13, 4), (4,), (13,)))
right_ = torch.nn.functional.mse_loss(table_ @ gains_ - 2.5, goal_) / 2
assert_close(fast_loss(table_, gains_, -2.5, goal_), right_, "13 examples of 4 features, bias -2.5", of="value",
             mistakes={"The factor 1/2 is missing.": 2 * right_, "This is the sum, not the mean.": 13 * right_})
assert_shape(fast_loss(table_, gains_, -2.5, goal_[:, None]), (), "the shape of the loss for y of shape (13, 1)", of="column of targets")
assert_close(fast_loss(table_, gains_, -2.5, goal_[:, None]), right_, "13 examples, y of shape (13, 1)", of="column of targets",
             hint="With y of shape (13,) it was right: bring y to the shape of the predictions before you subtract.")
assert_close(fast_loss(table_[:1], gains_, 4., goal_[:1, None]), (table_[0] @ gains_ + 4 - goal_[0]) ** 2 / 2, "a single example, y of shape (1, 1)", of="column of targets",
             hint="A single example is a mean over one: half its squared residual.")
assert_dtype(fast_loss(table_, gains_, -2.5, goal_[:, None]), torch.float64, "the dtype for float64 and a column of targets", of="dtype")
assert_dtype(fast_loss(table_.float(), gains_.float(), -2.5, goal_[:, None].float()), torch.float32,
             "the dtype for float32 and a column of targets", of="dtype")
slopes_ = gradient_for_w(table_, gains_, -2.5, goal_)
assert_type(slopes_, torch.Tensor, "the gradient for 13 examples", of="gradient")
assert_close(slopes_, table_.T @ (table_ @ gains_ - 2.5 - goal_) / 13, "the gradient for 13 examples of 4 features",
             of="gradient",
             hint="The loss is right. The slope for a weight is the mean of the residuals, each times its feature: does every "
                  "residual hang on w?")
assert_true(operations(300, 3) <= operations(4, 3) and operations(4, 200) <= operations(4, 3), "300 examples, or 200 features, take no more torch operations than 4 examples of 3 features", of="no loop",
            hint="Something is done for each example, or for each feature, by itself.")
### END HIDDEN TESTS

# %% [markdown] teaches="best constant, median"
# ## 3. The best constant
#
# Before the best line, the best *constant*: no features at all, the same prediction $b$ for everyone. Which $b$ has the smallest loss? For the squared loss we can calculate. The loss
# $\frac12\sum_i (b - x_i)^2$ is a parabola in $b$, and at its lowest point the derivative is zero:
#
# $$\sum_{i=1}^n (b - x_i) = n b - \sum_{i=1}^n x_i = 0 \quad\Longleftrightarrow\quad b = \frac1n \sum_{i=1}^n x_i .$$
#
# So the squared loss asks for the **mean**. What if an error of 2 should cost just twice as much as an error of 1? That is the *absolute loss* $\sum_i |b - x_i|$. Each term has the slope $+1$ where $b$ is above $x_i$ and
# $-1$ where it is below. The slopes add up to (numbers below $b$) − (numbers above $b$). The loss falls as long as more numbers lie above, and grows when more lie below. At the bottom there are equally many on both sides. Such a number is called a **median**.
# With an odd count it is the one in the middle of the sorted list; with an even count every number between the two middle ones will do.

# %% tags=["demo"]
waits = torch.tensor([2., 3., 3.5, 5., 30.])            # minutes at a bus stop; one bus broke down
candidates = torch.linspace(0, 15, 301)
offsets = candidates[:, None] - waits                   # (301, 1) - (5,) -> (301, 5)
print(f"mean {waits.mean():.1f}, median {waits.median():.1f}")
fig, both_axes = plt.subplots(1, 2, figsize=(7.4, 2.8), layout="constrained")
for ax, losses_, name in zip(both_axes, ((offsets ** 2 / 2).sum(1), offsets.abs().sum(1)), ("squared loss", "absolute loss")):
    lowest = candidates[losses_.argmin()].item()
    ax.plot(candidates, losses_)
    ax.axvline(lowest, color="C3", linestyle="--")
    ax.plot(waits[:4], torch.full((4,), losses_.min().item() - 0.06 * (losses_.max() - losses_.min()).item()), "k^", markersize=4)
    ax.set(xlabel="constant b", ylabel=name, title=f"lowest at {lowest:g}")
plt.show()

# %% [markdown]
# *What to see:* the four small triangles are the waits below 6 minutes; the fifth, 30, lies outside of the picture. The parabola has its lowest point at the mean, 8.7, where no bus ever came: one large number has pulled it away. The absolute loss is made of straight pieces, with a
# kink at each number, and is lowest at the median, 3.5. If the broken bus had taken 300 minutes, the median would be the same. This is the first sign that to choose a loss is to choose what one believes about large errors.

# %% [markdown] task="3.1.1a" kind="code" minutes=6 difficulty=1 core=true needs="best constant, median, squared loss"
# ### One number for all
#
# Write `best_constants(x)` for a 1-D tensor `x` with at least one entry. It returns a pair `(b2, b1)`: a number with the smallest squared loss $\sum_i (x_i - b)^2$, and a
# number with the smallest absolute loss $\sum_i |x_i - b|$. Where several numbers are best, any of them will do. Both may be floats or 0-d tensors.
#
# **You are done when**
# - **squared**: the first number has the smallest squared loss;
# - **absolute**: the second number has the smallest absolute loss, for an even count, too;
# - **whole numbers**: both are right for an integer tensor, too (a best number need not be whole).

# %% exercise="3.1.1a"
def best_constants(x):
    """(b2, b1): minimisers of the squared and of the absolute loss for the numbers in the 1-D tensor x."""
    ### BEGIN SOLUTION
    return x.double().mean(), x.double().median()
    ### END SOLUTION

# %% [markdown] hints="3.1.1a"
# 1. Which of the two is pulled away by one large number?
# 2. `t.mean()` and `t.median()` exist. `mean` refuses integers: `t.double()` makes float64 of them.
# 3. For 0, 0, 6 the squared loss of 2 is 4 + 4 + 16 = 24 and that of 0 is 36; the absolute losses are 8 and 6.

# %% check="3.1.1a" points=2
def absolute_excess(numbers, b):
    """How far the absolute loss of b lies above the smallest possible, which one of the numbers has."""
    return (numbers.double() - float(b)).abs().sum().item() - min((numbers.double() - c).abs().sum().item() for c in numbers.double())

few_, mixed_, again_ = torch.tensor([9., 0., 1., 3., 7.]), torch.tensor([5, -2, 2, 40, 7, 7]), torch.tensor([2.5, 9., 2.5, 30., 2.5])
found_ = best_constants(few_)
assert_type(found_, (tuple, list, torch.Tensor), "what best_constants returns for 9, 0, 1, 3, 7", of="squared")
assert_equal(len(found_), 2, "how many numbers best_constants returns", of="squared")
for k_, of_ in enumerate(("squared", "absolute")):
    if isinstance(found_[k_], torch.Tensor):
        assert_shape(found_[k_], (), f"the shape of the {'first' if k_ == 0 else 'second'} number", of=of_, hint="One number, in no list and no axis: a float or a 0-d tensor.")
with part(0.5, "the squared loss"):
    assert_close(found_[0], 4., "the best constant for the squared loss of 9, 0, 1, 3, 7", of="squared", rtol=1e-5,
                 mistakes={"This is the one for the absolute loss.": 3., "This is the middle of the range.": 4.5, "This is the sum: divide by how many they are.": 20., "Divide by how many they are, not by one less.": 5.}
                 | {f"This is just one of the numbers, {c:g}.": c for c in (9., 0., 1., 7.)} | {"Every number counts: here the smallest and the largest are left out.": 11 / 3},
                 hint=f"At the best b the differences b - xᵢ add up to 0: this b is the mean. With yours they add up to "
                      f"{5 * float(found_[0]) - 20:.4g}.")
    mean_ = best_constants(mixed_)[0]
    assert_close(mean_, 59 / 6, "the best constant for the squared loss of the integers 5, -2, 2, 40, 7, 7",
                 of="whole numbers", rtol=1e-5,
                 mistakes={"The best constant need not be a whole number.": 9., "It need not be whole: this is rounded.": 10.,
                           "Signs count.": 63 / 6, "A number that comes twice counts twice, here 7.": 52 / 5,
                           "This is the middle between the two quartiles: every number counts, 40 too.": 4.875},
                 hint=f"At the best b the differences b - xᵢ add up to 0, for whole numbers, too: with yours they add up to "
                      f"{6 * float(mean_) - 59:.4g}.")
    assert_close(best_constants(again_)[0], 9.3, "the best constant for the squared loss of 2.5, 9, 2.5, 30, 2.5",
                 of="squared", rtol=1e-5, mistakes={"A number that comes three times counts three times.": 41.5 / 3},
                 hint="Each of the five numbers counts, as often as it comes.")
in_order_ = best_constants(few_.sort().values)
signed_ = float(best_constants(torch.tensor([-4., 1., 0.]))[1])
four_ = "Below the best b lie as many of the numbers as above it, and 4 has three below it."
if abs(signed_ + 1) < 1e-3:
    four_ = "This is the one for the squared loss."
elif abs(signed_ - 5 / 3) < 1e-3:
    four_ = ("This is the mean of the sizes |xᵢ|. The sizes in the loss are those of the differences xᵢ - b, "
             "and a number in the middle makes them small.")
with part(0.5, "the absolute loss"):
    assert_close(found_[1], 3., "the best constant for the absolute loss of 9, 0, 1, 3, 7", of="absolute", rtol=1e-5,
                 mistakes={four_: 4., "This is the middle of the range.": 4.5,
                 ("The list has to be sorted first: this is the entry in the middle as it stands." if abs(float(in_order_[1]) - 3) < 1e-3 else
                  "This is just one of the numbers, 1, and not the middle one."): 1.}
                 | {f"This is just one of the numbers, {c:g}, and not the middle one.": c for c in (9., 0., 7.)},
                 hint="Below the best b and above it lie equally many of the five numbers, two and two. "
                 f"Below yours lie {int((few_ < float(found_[1])).sum())}, above it {int((few_ > float(found_[1])).sum())}.")
    assert_type(best_constants(torch.tensor([8., 1., 2., 4.]))[1], (float, int, torch.Tensor), "the second number for 8, 1, 2, 4", of="absolute")
    assert_close(absolute_excess(torch.tensor([8., 1., 2., 4.]), best_constants(torch.tensor([8., 1., 2., 4.]))[1]), 0., "how far the absolute loss of your constant for 8, 1, 2, 4 lies above the smallest", of="absolute",
                 atol=1e-5, hint="Any number from 2 to 4 will do: two of the four numbers lie on each side.")
    assert_close(absolute_excess(mixed_, best_constants(mixed_)[1]), 0., "how far the absolute loss of your constant for the integers 5, -2, 2, 40, 7, 7 lies above the smallest", of="whole numbers", atol=1e-5,
                 hint="Any number from 5 to 7 will do.")
    assert_close(absolute_excess(again_, best_constants(again_)[1]), 0., "how far the absolute loss of your constant for 2.5, 9, 2.5, 30, 2.5 lies above the smallest", of="absolute", atol=1e-5,
                 mistakes={"A number that comes three times counts three times.": 6.5},
                 hint="Sorted, the number in the middle of the five is 2.5.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(311)
cases_ = ((torch.randn(7, generator=rng) * 5 - 3, ""), (torch.randn(10, generator=rng, dtype=torch.float64) ** 3, ""), (torch.tensor([-3.5]), ""),
          (torch.tensor([11, -6, 4, 90, 3, 4, 5], dtype=torch.int32), "whole numbers"), (torch.tensor([1, 2, 1, 1, 30, 44, 9, 2]), "whole numbers"))
with part(0.5, "the squared loss, other numbers"):
    for numbers_, of_ in cases_:
        assert_close(best_constants(numbers_)[0], numbers_.double().mean().item(), f"the best constant for the squared loss, {len(numbers_)} numbers, {numbers_.dtype}", of=of_ or "squared", rtol=1e-5, atol=1e-5,
                     hint="The mean: all the numbers count, as often as they come, with their signs, and it need not be whole.")
with part(0.5, "the absolute loss, other numbers"):
    for numbers_, of_ in cases_:
        assert_close(absolute_excess(numbers_, best_constants(numbers_)[1]), 0., f"how far the absolute loss of your second constant lies above the smallest, {len(numbers_)} numbers, {numbers_.dtype}", of=of_ or "absolute", atol=1e-4,
                     hint="Sorted, as many of the numbers lie below the best constant as above it.")
total()
### END HIDDEN TESTS

# %% [markdown] teaches="least squares"
# ## 4. Least squares
#
# Now the best *weights*. To choose weights and bias so that the sum of the squared residuals is as small as possible is called **least squares**. (The mean of the squares is smallest at the same place; the factor $1/n$ moves nothing.) The method is two hundred years old, and
# it has something that almost no other model of this book has: a formula for the answer.
#
# ### One weight
#
# Begin with one feature and no bias: a line through the origin, $\hat y = w x$. The loss is a parabola in $w$, and the chain rule gives its derivative:
#
# $$L(w) = \frac12 \sum_{i=1}^n (w x_i - y_i)^2, \qquad L'(w) = \sum_{i=1}^n (w x_i - y_i)\, x_i = w \sum_i x_i^2 - \sum_i x_i y_i .$$
#
# It is zero for $w = \sum_i x_i y_i \,/ \sum_i x_i^2$. With vectors of shape $(n,)$: a dot product over a dot product,
#
# $$w = \frac{\mathbf x \cdot \mathbf y}{\mathbf x \cdot \mathbf x} .$$

# %%
hours, pay = torch.tensor([1., 2., 3.]), torch.tensor([12., 18., 33.])
for rate_ in (10.0, 147 / 14, 11.0):                    # 1·12 + 2·18 + 3·33 = 147, and 1 + 4 + 9 = 14
    misses = rate_ * hours - pay
    print(f"w = {rate_:5.2f}: sum of squares {(misses ** 2).sum():6.3f}, residuals times hours add up to {misses @ hours:6.2f}")

# %% [markdown]
# The middle row has the smallest sum, and there the last column is 0. It is the derivative.

# %% [markdown] task="3.1.B" kind="code" minutes=3 difficulty=1 core=true needs="least squares, dot product"
# ### A line through the origin
#
# Write `slope(x, y)` for floating point tensors `x` and `y` of shape `(n,)`; not all entries of `x` are 0. It returns the `w` for which the line $\hat y = w x$ has the smallest sum of squares, as a float or a 0-d tensor.
#
# **You are done when**
# - **one number**: the result is a single number;
# - **least squares**: no other `w` has a smaller sum of squares, also where some `x` are 0 or negative.

# %% exercise="3.1.B"
def slope(x, y):
    """The w that minimises the sum of (w x - y)²."""
    ### BEGIN SOLUTION
    return (x @ y) / (x @ x)
    ### END SOLUTION

# %% [markdown] hints="3.1.B"
# 1. Which two dot products does the formula need?
# 2. `x @ y` of two vectors of shape `(n,)` is their dot product, a 0-d tensor.
# 3. For x = (1, 2) and y = (4, 3): (4 + 6) / (1 + 4) = 2.

# %% check="3.1.B" points=1
x_, y_ = torch.tensor([1., 2., 4.]), torch.tensor([2., 2., 5.])
found_ = slope(x_, y_)
assert_type(found_, (float, int, torch.Tensor), "what slope returns for x = (1, 2, 4), y = (2, 2, 5)", of="one number")
if isinstance(found_, torch.Tensor):
    assert_shape(found_, (), "the shape of the slope", of="one number", hint="A dot product is one number: its products are added up." if found_.numel() > 1 else "A single number has the shape ().")
assert_close(found_, 26 / 21, "the slope for x = (1, 2, 4), y = (2, 2, 5)", of="least squares", rtol=1e-5,
             mistakes={"This is the mean of the ratios y / x.": 4.25 / 3, "This is the middle one of the ratios y / x.": 1.25, "This is the sum of y over the sum of x.": 9 / 7, "It has to be divided by x · x, not by y · y.": 26 / 33, "This is x · y: the division is missing.": 26., "This is the fraction turned over.": 21 / 26,
                       "This is the slope of a line with a bias of its own: asked is the line through the origin.": 15 / 14,
                       "This divides by the length of x: take its square.": 26 / math.sqrt(21),
                       "Divide by x · x, not by n.": 26 / 3, "Divide by x · x alone, not by n, too.": 26 / 63,
                       "This divides by the lengths of x and of y: below stands x · x alone.": 26 / math.sqrt(21 * 33),
                       "This is the length of y over that of x: above stands x · y.": math.sqrt(33 / 21),
                       "The sum of the squares, not the square of the sum: x · x is 21.": 78 / 49},
             hint=f"At the best w the residuals w x - y, each times its x, add up to 0; with yours they add up to "
                  f"{21 * float(found_) - 26:.4g}." + (
                      " Nearly: the formula gives this w at once, no steps are needed." if abs(float(found_) * 21 / 26 - 1) < 0.05 else ""))
assert_close(slope(torch.tensor([0., -2., 1.]), torch.tensor([5., 3., -1.])), -7 / 5, "the slope for x = (0, -2, 1), y = (5, 3, -1)", of="least squares", rtol=1e-5,
             mistakes={"The slope is negative here: its sign is lost.": 7 / 5,
                       "An example with a negative x counts like any other.": -1.,
                       "The sign of x belongs into the product x · y.": 1.},
             hint="A zero or a negative x is an example like any other: x · y is -7, x · x is 5.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(31002)
for n_, shift_ in ((6, -2.), (1, 3.), (9, 0.)):
    x_, y_ = torch.randn(n_, generator=rng, dtype=torch.float64) + shift_, torch.randn(n_, generator=rng, dtype=torch.float64) * 4
    found_ = slope(x_, y_)
    assert_true(not isinstance(found_, torch.Tensor) or tuple(found_.shape) == (), f"the slope for {n_} points is a single number", of="one number")
    assert_close(found_, np.linalg.lstsq(x_.numpy()[:, None], y_.numpy(), rcond=None)[0].item(), f"the slope for {n_} points",
                 of="least squares", rtol=1e-4, atol=1e-6,
                 hint="x · y over x · x, whatever the signs, also for a single point and for targets far from the line.")
### END HIDDEN TESTS

# %% [markdown] teaches="gradient of the squared loss, normal equations, least squares"
# ### Many weights: the normal equations
#
# Now $d$ weights, still without a bias (if there is one, it is the weight of a column of ones). The loss is $\frac12\|X \mathbf w - \mathbf y\|^2$, half the squared length of the vector of residuals. Its partial derivative for the weight $w_j$ is, as before, a sum of residuals, each
# times the feature that the weight multiplies:
#
# $$\frac{\partial}{\partial w_j}\, \frac12 \sum_{i=1}^n \Big(\sum_{k=1}^d x_{ik} w_k - y_i\Big)^2 = \sum_{i=1}^n x_{ij}\, r_i = (\text{column } j \text{ of } X) \cdot \mathbf r, \qquad \mathbf r = X \mathbf w - \mathbf y .$$
#
# All $d$ of them at once are a product with the transpose, whose rows are the columns of $X$:
#
# $$\nabla L(\mathbf w) = X^\top (X \mathbf w - \mathbf y), \qquad (d, n) \cdot (n,) \to (d,) .$$
#
# At the best weights the gradient is zero:
#
# $$X^\top X\, \mathbf w = X^\top \mathbf y, \qquad (d, d)\cdot(d,) = (d,) .$$
#
# These are the **normal equations**: $d$ linear equations for $d$ unknown weights. The matrix on the left is the Gram matrix of section 2.3. *Normal* is an old word for perpendicular: the residuals are perpendicular to every column of $X$. That is the sign by which one recognises the
# best weights: what is left over has nothing to do with the features any more.
#
# Is it really the lowest point? Let $\mathbf w$ solve the equations and take a step $\mathbf v$ away from it. Then
#
# $$\tfrac12\|X(\mathbf w + \mathbf v) - \mathbf y\|^2 = \tfrac12\|\mathbf r\|^2 + \underbrace{\mathbf v^\top X^\top \mathbf r}_{0} + \tfrac12\|X\mathbf v\|^2 .$$
#
# The last term is never negative, so no step makes it better. And if the columns of $X$ are linearly independent, $X \mathbf v$ is zero only for $\mathbf v = \mathbf 0$: there is exactly one best $\mathbf w$. (What happens otherwise is the subject of lesson 9.)
#
# `torch.linalg.solve(A, c)` finds the $\mathbf z$ with $A \mathbf z = \mathbf c$, for a square matrix that can be inverted. Three boxes are weighed, alone and in pairs:

# %% teaches="torch.linalg.solve"
on_scale = torch.tensor([[1., 0., 0.], [0., 1., 0.], [0., 0., 1.], [1., 1., 0.], [0., 1., 1.]])    # which box lies on the scale
reading = torch.tensor([3.1, 1.9, 4.0, 5.3, 5.8])
pairs_gram = on_scale.T @ on_scale                      # (3, 3)
right_side = on_scale.T @ reading                       # (3,)
boxes = torch.linalg.solve(pairs_gram, right_side)
print("Gram matrix:\n", pairs_gram)
print("weights of the boxes:", boxes)
print("residuals:", on_scale @ boxes - reading)
print("columns times residuals:", on_scale.T @ (on_scale @ boxes - reading))

# %% [markdown] teaches="torch.linalg.lstsq"
# Five readings, three unknowns: no weights agree with all readings, and least squares shares the contradictions out. The last row is zero up to rounding. One line of torch does all this: `torch.linalg.lstsq(A, B).solution`. It wants the targets as a *matrix*, one column
# for each problem, and gives the weights as columns, too.
#
# ⚠ The columns must be linearly independent, as they are here. Where they are not, or where there are more columns than rows, add `driver="gelsd"`. The default driver of torch 2.13 reads memory that nobody has filled, and in such cases it now and then takes fewer
# columns than there are: weights that fit nothing, without a warning.

# %%
as_column = torch.linalg.lstsq(on_scale, reading[:, None]).solution
print(tuple(as_column.shape), as_column[:, 0])

# %% [markdown]
# And the penguins? With flippers, bill depth and a column of ones:

# %%
with_bias = torch.cat([lengths, torch.ones(342, 1, dtype=torch.float64)], dim=1)
best_weights = torch.linalg.lstsq(with_bias, mass[:, None]).solution[:, 0]
print("g per mm of flipper, g per mm of bill depth, bias:", [round(v, 1) for v in best_weights.tolist()])
left_over = with_bias @ best_weights - mass
print(f"mean of half the squares: {(left_over ** 2 / 2).mean():.0f} g², typical residual {left_over.square().mean().sqrt():.0f} g, spread of the masses {mass.std():.0f} g")

# %% [markdown]
# A millimetre of flipper is worth 52 g, if the bill stays the same. The first guess, at the top of the page, was 50. Knowing the lengths makes the typical error
# less than a half of the spread of the masses. The bias, about −6,500 g, is the "mass" of a penguin without flippers and bill; far outside of the data a line says nothing.

# %% [markdown] task="3.1.11" kind="code" minutes=8 difficulty=2 core=true needs="least squares, normal equations, torch.linalg.solve"
# ### Least squares in closed form
#
# Write `least_squares(X, y)` for `X` of shape `(n, d)` with linearly independent columns and `y` of shape `(n,)`, both float64. It returns the weights with the smallest $\|X \mathbf w - \mathbf y\|^2$. There is no bias.
#
# **You are done when**
# - **shape**: the weights are a tensor of shape `(d,)`;
# - **dtype**: they are float64;
# - **least squares**: they have the smallest sum of squares, where no weights fit exactly, too;
# - **different scales**: they are right to four digits also if one column is 1,000 times as large as another, or two columns are nearly equal.

# %% exercise="3.1.11"
def least_squares(X, y):
    """The minimiser w of ‖X w - y‖²; shapes (n, d), (n,) -> (d,)."""
    ### BEGIN SOLUTION
    return torch.linalg.lstsq(X, y[:, None]).solution[:, 0]
    ### END SOLUTION

# %% [markdown] hints="3.1.11"
# 1. Where is the gradient $X^\top (X \mathbf w - \mathbf y)$ zero?
# 2. Solve the normal equations with `torch.linalg.solve(A, c)`, or use `torch.linalg.lstsq`, which wants `y` as a column and returns a column. No steps are needed.
# 3. For one feature it is $\mathbf x \cdot \mathbf y / \mathbf x \cdot \mathbf x$: for x = (1, 2), y = (3, 3) that is 9/5.

# %% check="3.1.11" points=2
def if_added(X, y, w, otherwise=""):
    """The sentence for weights with (XᵀX + λI) w = Xᵀy, λ > 0: what is missing in the normal equations is λ w."""
    missing = X.T @ (y - X @ w)
    parallel = missing @ w > 0 and (missing - (missing @ w) / (w @ w) * w).norm() < 1e-3 * missing.norm()
    return "This solves (XᵀX + λI) w = Xᵀy: a number was added to the diagonal, and it changes the answer." if parallel else otherwise

square_, aims_ = torch.tensor([[1., 0.], [1., 1.], [1., 2.], [1., 3.]], dtype=torch.float64), torch.tensor([1., 2., 2., 5.], dtype=torch.float64)
found_ = least_squares(square_, aims_)
assert_type(found_, torch.Tensor, "what least_squares returns for a 4 × 2 matrix", of="shape")
assert_shape(found_, (2,), "the shape of the weights for a 4 × 2 matrix", of="shape",
             hint="One weight for each column of X, in shape (d,).",
             mistakes={"This has an entry for each example; a weight belongs to a column of X.": (4,), "This is a column: a tensor with one axis is asked for.": (2, 1),
                       "There is no bias: two columns have two weights.": (3,)})
assert_dtype(found_, torch.float64, "the dtype of the weights", of="dtype")
slope_w_ = [round(v, 3) + 0. for v in (square_.T @ (square_ @ found_ - aims_)).tolist()]
assert_close(found_, torch.tensor([0.7, 1.2], dtype=torch.float64), "the weights for the rows (1, 0), (1, 1), (1, 2), (1, 3) and the targets 1, 2, 2, 5", of="least squares", rtol=1e-4,
             hint=lambda: if_added(square_, aims_, found_, f"The residuals are not perpendicular to the columns: with your weights Xᵀ(X w - y) is {slope_w_}, not 0."),
             mistakes={"This is Xᵀy: the Gram matrix is still to be taken account of.": torch.tensor([10., 21.], dtype=torch.float64),
                       "This divides by the diagonal of the Gram matrix only: the columns are not orthogonal.": torch.tensor([2.5, 1.5], dtype=torch.float64),
                       "This fits the first examples only.": torch.tensor([1., 1.], dtype=torch.float64),
                       "There is no bias: this is the fit with one more column of ones beside X.": torch.tensor([0.35, 1.2], dtype=torch.float64), "These are the weights for columns of length 1: divide each by the length of its column.": torch.tensor([1.4, 1.2 * math.sqrt(14)], dtype=torch.float64), "This is the Gram matrix times Xᵀy: solve, do not multiply.": torch.tensor([166., 354.], dtype=torch.float64),
                       "The columns are taken as they are: here their means were subtracted.": torch.tensor([0., 1.2], dtype=torch.float64),
                       "These are the weights for the second column divided by its standard deviation: divide its weight by that, too.":
                           torch.tensor([0.7, 1.2 * math.sqrt(5 / 3)], dtype=torch.float64)})
assert_close(least_squares(torch.tensor([[1.], [2.]], dtype=torch.float64), torch.tensor([3., 3.], dtype=torch.float64)), torch.tensor([1.8], dtype=torch.float64), "the weight for one feature 1, 2 and the targets 3, 3", of="least squares", rtol=1e-4,
             hint="There is no bias.")
years_ = torch.tensor([[1., 2001.], [1., 2002.], [1., 2004.], [1., 2005.], [1., 2009.]], dtype=torch.float64)
aims_ = torch.tensor([3., 5., 8., 12., 19.], dtype=torch.float64)
found_ = least_squares(years_, aims_)
assert_shape(found_, (2,), "the shape of the weights for a 5 × 2 matrix", of="shape")
right_ = torch.from_numpy(np.linalg.lstsq(years_.numpy(), aims_.numpy(), rcond=None)[0])
hint_ = "Stay in float64, and solve the equations themselves."
if not torch.isfinite(found_).all():
    hint_ = ("Steps that suit small features run away for features of this size. "
             "Solve the equations themselves: no steps are needed.")
elif least_squares(torch.ones(1, 1, dtype=torch.float64), torch.tensor([1 + 2. ** -30], dtype=torch.float64)).item() == 1:
    hint_ = "In yours a target of 1 + 1e-9 counts as 1: float32 rounds so, and here it rounds too much. Stay in float64."
elif abs(found_[0]) < 100:
    small_ = least_squares(torch.tensor([[1., 0.], [0., 1e-4]], dtype=torch.float64), torch.ones(2, dtype=torch.float64))[1].item()
    hint_ = "The weight of the column of ones is not found." + (
        " A coarse cut in pinv or lstsq (rtol, rcond) leaves it out: `pinv` as it stands will do." if abs(small_) < 1e-9 else
        " Small steps would need millions of rounds here: solve the equations themselves." if 0 < small_ < 9000 else "")
elif 1e-6 < abs(found_[0] / right_[0] - 1) < 0.3:
    hint_ = "Nearly: solve the equations themselves, in float64."
assert_close(found_, right_, "the weights for columns of very different size, a column of ones and the years 2001 to 2009",
             of="different scales", rtol=1e-4,
             hint=lambda: if_added(years_, aims_, found_.double(), hint_))
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(3111)
for n_, d_ in ((9, 4), (3, 3), (6, 1), (40, 7)):
    table_, aim_ = torch.randn(n_, d_, generator=rng, dtype=torch.float64), torch.randn(n_, generator=rng, dtype=torch.float64) * 3
    found_ = least_squares(table_, aim_)
    assert_shape(found_, (d_,), f"the shape for a {n_} × {d_} matrix", of="shape")
    assert_dtype(found_, torch.float64, f"the dtype for a {n_} × {d_} matrix", of="dtype")
    assert_close(found_, torch.from_numpy(np.linalg.lstsq(table_.numpy(), aim_.numpy(), rcond=None)[0]), f"the weights for a {n_} × {d_} matrix", of="least squares", rtol=1e-4, atol=1e-6,
                 hint=lambda: if_added(table_, aim_, found_.double(), "Xᵀ(X w - y) is not 0 for your weights: all columns count, and "
                     "all rows."))
table_ = torch.randn(12, 3, generator=rng, dtype=torch.float64) * torch.tensor([1., 3000., 0.5], dtype=torch.float64)
table_[:, 2] = table_[:, 0] + 0.003 * table_[:, 2]
aim_ = torch.randn(12, generator=rng, dtype=torch.float64)
assert_close(least_squares(table_, aim_), torch.from_numpy(np.linalg.lstsq(table_.numpy(), aim_.numpy(), rcond=None)[0]), "the weights for two columns that are nearly equal and one that is 3,000 times as large", of="different scales", rtol=1e-4,
             hint=lambda: if_added(table_, aim_, least_squares(table_, aim_).double(), "Solve the equations themselves, in float64: "
                 "nothing is rounded, cut off or added on the way."))
### END HIDDEN TESTS

# %% [markdown] task="3.1.2b" kind="code" minutes=8 difficulty=2 core=true needs="least squares, bias as a weight"
# ### A bias is a weight
#
# Write `fit_affine(X, y)`: the pair `(w, b)` that minimises the squared loss of $X \mathbf w + b$ against `y`. `X` has shape `(n, d)`, `y` has shape `(n,)`, both are float64. The columns of `X` and a column of ones are linearly independent.
#
# **You are done when**
# - **shape**: it is a pair of tensors, `w` of shape `(d,)` and `b` of shape `()`;
# - **weights**: `w` is the best one, for noisy points, too;
# - **bias**: `b` is the best one, too;
# - **far from zero**: both are right to four digits for features such as the years 2001, 2002, ..., too.

# %% exercise="3.1.2b"
def fit_affine(X, y):
    """Least squares with a bias: (w, b) of shapes (d,) and () for X of shape (n, d) and y of shape (n,)."""
    ### BEGIN SOLUTION
    ones = torch.ones(len(X), 1, dtype=X.dtype)
    solution = torch.linalg.lstsq(torch.cat([X, ones], dim=1), y[:, None]).solution[:, 0]
    return solution[:-1], solution[-1]
    ### END SOLUTION

# %% [markdown] hints="3.1.2b"
# 1. If the linear problem has `d + 1` weights, which of them is the bias?
# 2. Put a column of ones beside `X`, solve, and take the solution apart: `v[:-1]` and `v[-1]`.
# 3. For a linear fit through the origin: `torch.linalg.lstsq(X, y[:, None]).solution[:, 0]` has shape `(d,)`.

# %% check="3.1.2b" points=2
def if_added(X, y, w, b, otherwise=""):
    """The sentence for weights with (AᵀA + λI) v = Aᵀy, λ > 0, A with the ones, v with the bias: what is missing is λ v."""
    v, residuals = torch.cat([w.double(), b.double().reshape(1)]), y - X @ w.double() - b.double()
    missing = torch.cat([X.T @ residuals, residuals.sum().reshape(1)])
    parallel = missing @ v > 0 and (missing - (missing @ v) / (v @ v) * v).norm() < 1e-3 * missing.norm()
    return "Here a number was added to the diagonal of the Gram matrix, and it changes the answer." if parallel else otherwise

on_a_line_, targets_ = torch.tensor([[0.], [1.], [3.]], dtype=torch.float64), torch.tensor([5., 7., 11.], dtype=torch.float64)
found_ = fit_affine(on_a_line_, targets_)
assert_type(found_, (tuple, list), "what fit_affine returns", of="shape", hint="w and b stand by themselves, as a pair: take the solution apart." if isinstance(found_, torch.Tensor) else "")
assert_equal(len(found_), 2, "how many tensors fit_affine returns", of="shape")
turned_ = all(isinstance(part_, torch.Tensor) for part_ in found_) and found_[0].dim() == 0 and found_[1].dim() == 1
assert_shape(found_[0], (1,), "the shape of w for one feature", of="shape", hint="w stands first, b second." if turned_ else "One weight for each feature, in shape (d,).")
assert_shape(found_[1], (), "the shape of b", of="shape", hint="b is one number: v[-1] has the shape (), v[-1:] has the shape (1,).")
left_ = [round(v, 3) + 0. for v in (on_a_line_ @ found_[0].double() + found_[1].double() - targets_).tolist()]
assert_close(found_[0], torch.tensor([2.], dtype=torch.float64), "w for three points on the line 2x + 5", of="weights", rtol=1e-4,
             hint=lambda: if_added(on_a_line_, targets_, *found_, f"The three points lie on one line, so that the best w and b leave "
                                                          f"no residuals; yours leave {left_}."),
             mistakes={"This is the weight of the standardised feature: divide it by the standard deviation that you divided "
                       "the feature by.":
                           torch.tensor([2 * math.sqrt(7 / 3)], dtype=torch.float64),
                       "This line goes through the origin: the bias is missing in the fit.": torch.tensor([4.], dtype=torch.float64), "This is the bias: which weight belongs to the ones?": torch.tensor([5.], dtype=torch.float64)})
assert_close(found_[1], torch.tensor(5., dtype=torch.float64), "b for three points on the line 2x + 5", of="bias", rtol=1e-4,
             mistakes={"This is the mean of y: it is the bias only where the features have mean 0.": targets_.mean(),
                       "The sign of b: it is the mean of y minus w times the mean of x.": torch.tensor(-5., dtype=torch.float64)},
             hint="w is right. b is the prediction where the feature is 0.")
spread_, noisy_ = torch.tensor([[1., 0.], [2., 1.], [0., 3.], [4., 4.], [1., 5.]], dtype=torch.float64), torch.tensor([3., -1., 4., 1., 7.], dtype=torch.float64)
assert_shape(fit_affine(spread_, noisy_)[0], (2,), "the shape of w for two features", of="shape")
best_ = torch.tensor([-1.361147327, 0.964797914], dtype=torch.float64)
assert_close(fit_affine(spread_, noisy_)[0], best_, "w for five points that lie on no plane", of="weights", rtol=1e-4, mistakes={
                 "These are the weights without a bias in the fit.": torch.tensor([-0.90725126, 1.38954469], dtype=torch.float64),
                 "Each feature was fitted by itself: solve for all weights together.":
                 torch.tensor([-1.130434783, 0.790697674], dtype=torch.float64),
                 "This plane goes through the first three points: all five count.":
                 torch.tensor([-3.25, -0.75], dtype=torch.float64)},
             hint="At the best plane the residuals are perpendicular to every column of X and to the ones: here they are not.")
assert_close(fit_affine(spread_, noisy_)[1], torch.tensor(2.469361147, dtype=torch.float64),
             "b for five points that lie on no plane", of="bias", rtol=1e-4,
             mistakes={"This is the mean of y: it is the bias only where the features have mean 0.": noisy_.mean(),
                       "This plane goes through the first point: noisy points share the bias.":
                       torch.tensor(4.361147327, dtype=torch.float64)},
             hint="w is right. With the b that belongs to it the residuals add up to 0.")
years_, sold_ = torch.tensor([[2001.], [2002.], [2004.], [2007.]], dtype=torch.float64), torch.tensor([10., 13., 18., 21.], dtype=torch.float64)
found_ = fit_affine(years_, sold_)
for k_, name_ in enumerate("wb"):
    assert_shape(found_[k_], ((1,), ())[k_], f"the shape of {name_} for the years", of="shape")
hint_ = "Stay in float64, and solve the equations themselves."
if not torch.isfinite(found_[0]).all():
    hint_ = ("Yours is not finite. With features of the size 2000, steps that are short enough for small features run away: "
             "solve the equations themselves.")
elif fit_affine(torch.tensor([[-1.], [1.]], dtype=torch.float64),
                torch.tensor([-1., 1.], dtype=torch.float64) * (1 + 2. ** -30))[0].item() == 1:
    hint_ = "In yours a target of 1 + 1e-9 counts as 1: float32 rounds so, and here it rounds too much. Stay in float64."
elif abs(found_[0][0]) < 0.1:
    small_ = fit_affine(torch.tensor([[-1e-4], [1e-4]], dtype=torch.float64), torch.tensor([-1., 1.], dtype=torch.float64))[0].item()
    hint_ = "The slope is not found." + (
        " A coarse cut in pinv or lstsq (rtol, rcond) leaves it out: `pinv` as it stands will do." if abs(small_) < 1e-9 else
        " Small steps would need millions of rounds here: solve the equations themselves." if 0 < small_ < 9000 else "")
elif abs(found_[0][0] / 1.8095238 - 1) < 0.3:
    hint_ = "Nearly: solve the equations themselves, in float64."
hint_ = if_added(years_, sold_, *found_, hint_)
for k_, name_ in enumerate("wb"):
    assert_close(found_[k_], torch.tensor(([1.8095238095], -3609.8809523810)[k_], dtype=torch.float64),
                 f"{name_} for the years 2001, 2002, 2004, 2007", of="far from zero", rtol=1e-4, hint=hint_)
### BEGIN HIDDEN TESTS
def affine_oracle(X, y):
    """Weights and bias by NumPy."""
    v = np.linalg.lstsq(np.concatenate([X.numpy(), np.ones((len(X), 1))], axis=1), y.numpy(), rcond=None)[0]
    return torch.from_numpy(v[:-1]), torch.tensor(v[-1])

rng = torch.Generator().manual_seed(313)
for n_, d_, far_, of_ in ((9, 3, 2., ""), (6, 1, -4., ""), (5, 4, 0., ""), (12, 2, 3000., "far from zero")):
    points_ = torch.randn(n_, d_, generator=rng, dtype=torch.float64) + far_
    goal_ = points_ @ torch.randn(d_, generator=rng, dtype=torch.float64) - 7 + torch.randn(n_, generator=rng, dtype=torch.float64)
    weights_, bias_ = fit_affine(points_, goal_)
    assert_shape(weights_, (d_,), f"the shape of w for {d_} features", of="shape")
    assert_shape(bias_, (), f"the shape of b for {d_} features", of="shape")
    assert_close(weights_, affine_oracle(points_, goal_)[0], f"w for {n_} noisy points of {d_} features around {far_:g}",
                 of=of_ or "weights", rtol=1e-4, atol=1e-6,
                 hint=lambda: if_added(points_, goal_, weights_, bias_, "At the best w the residuals are perpendicular to every column "
                     "of X and to the ones: here they are not."))
    assert_close(bias_, affine_oracle(points_, goal_)[1], f"b for {n_} noisy points of {d_} features around {far_:g}",
                 of=of_ or "bias", rtol=1e-4, atol=1e-6,
                 hint="w is right. With the b that belongs to it the residuals add up to 0.")
### END HIDDEN TESTS

# %% [markdown] teaches="quadratic features"
# ### Linear in the weights is enough
#
# Is linear regression good for straight lines only? Look at the derivation again: it never asked what the features *are*. If $x$ is a feature, $x^2$ can be another, computed beforehand. The model $w_1 x + w_2 x^2 + b$ is a curve in $x$, and still a weighted sum. The name
# "linear" is about the weights.

# %% tags=["demo"]
generator = torch.Generator().manual_seed(3)
bend_x = torch.linspace(-3, 3, 40)
bent = 1 - bend_x + 0.7 * bend_x ** 2 + 0.5 * torch.randn(40, generator=generator)
fig, ax = plt.subplots(figsize=(5.6, 2.9), layout="constrained")
ax.plot(bend_x, bent, ".", color="grey", label="data")
for columns_, style, name in (([bend_x, torch.ones(40)], "C3--", "x and 1"), ([bend_x, bend_x ** 2, torch.ones(40)], "C0-", "x, x² and 1")):
    table = torch.stack(columns_, dim=1)
    curve_w = torch.linalg.lstsq(table, bent[:, None]).solution
    print(f"features {name}: weights", [round(v, 2) for v in curve_w[:, 0].tolist()])
    ax.plot(bend_x, (table @ curve_w)[:, 0], style, label=name)
ax.set(xlabel="x", ylabel="y")
fig.legend(loc="outside right upper")
plt.show()

# %% [markdown]
# *What to see:* the points were made from $1 - x + 0.7x^2$ with noise. The straight line misses the bend. With $x^2$ as a second feature the same method finds 0.7, −1 and 1, nearly.
#
# With several features there are products to make, too. For $d = 2$ the *quadratic features* are $x_1, x_2, x_1^2, x_1 x_2, x_2^2$. The product $x_2 x_1$ is the same as $x_1 x_2$ and must not come twice: two equal columns would be linearly dependent.

# %% [markdown] task="3.1.3" kind="code" minutes=10 difficulty=2 core=true needs="quadratic features, index and slice, stack and cat"
# ### Quadratic features
#
# Write `quadratic_features(X)` for a tensor `X` of shape `(n, d)`. Each row of the result holds first $x_1, \ldots, x_d$, then every product $x_i x_j$ with $i \le j$ once, ordered by $i$ and then by $j$. For $d = 3$ that is
# $x_1, x_2, x_3, x_1^2, x_1 x_2, x_1 x_3, x_2^2, x_2 x_3, x_3^2$. There is no column of ones.
#
# **You are done when**
# - **shape**: it is `(n, d + d * (d + 1) // 2)`, for a single feature, too;
# - **features**: the first d columns are those of `X`;
# - **products**: the others are the products, each once, in this order;
# - **dtype**: it is that of `X`, for whole numbers, too.

# %% exercise="3.1.3"
def quadratic_features(X):
    """x₁, ..., x_d, then x_i x_j for i ≤ j; shapes (n, d) -> (n, d + d (d + 1) / 2)."""
    ### BEGIN SOLUTION
    d = X.shape[1]
    products = [X[:, i] * X[:, j] for i in range(d) for j in range(i, d)]
    return torch.cat([X, torch.stack(products, dim=1)], dim=1)
    ### END SOLUTION

# %% [markdown] hints="3.1.3"
# 1. How many products with $i \le j$ are there for $d = 2$, and which?
# 2. `X[:, i] * X[:, j]` is one new column for all rows. Two loops collect such columns in a list; `torch.stack(columns, dim=1)` makes a matrix of them.
# 3. All products of three different columns:
#    `for i in range(d): for j in range(i + 1, d): for k in range(j + 1, d): ...`

# %% check="3.1.3" points=2
rows_ = torch.tensor([[2., 3.], [1., -1.], [0., 5.]])
found_ = quadratic_features(rows_)
assert_type(found_, torch.Tensor, "what quadratic_features returns for 3 rows of 2 features", of="shape")
of_shape_ = "First x₁ and x₂, then three products. Each product stands once: x₁x₂ and x₂x₁ are the same."
if tuple(found_.shape) == (3, 6) and (found_ == 1).all(0).any():
    of_shape_ = "There is no column of ones."
elif tuple(found_.shape) == (5, 3):
    of_shape_ = "The new columns came out as rows: stack them with dim=1."
elif tuple(found_.shape) == (3, 3) and torch.equal(found_[:, :2].float(), rows_):
    of_shape_ = "The squares are products, too: i = j is among them."
elif tuple(found_.shape) == (3, 3) and torch.equal(found_[:, 0].float(), rows_[:, 0] ** 2):
    of_shape_ = "These are products alone: x₁ and x₂ stand before them."
elif tuple(found_.shape) == (3, 4) and torch.equal(found_.float(), torch.cat([rows_, rows_ ** 2], 1)):
    of_shape_ = "Squares are not all: the product x₁x₂ is missing."
elif tuple(found_.shape) == (3, 4) and torch.equal(found_[:, 3].float(), torch.tensor([6., -1., 0.])):
    of_shape_ = "One product is missing, x₂²: the last feature has a square, too."
assert_shape(found_, (3, 5), "the shape for 3 rows of 2 features", of="shape", hint=of_shape_)
assert_close(found_[:, :2], rows_, "the first two columns for the rows (2, 3), (1, -1), (0, 5)", of="features",
             mistakes={"All features come first, then the products: x₂ stands before x₁².": torch.tensor([[2., 4.], [1., 1.], [0., 0.]]), "The features come first, the products after them.": torch.tensor([[4., 6.], [1., -1.], [0., 0.]])},
             hint="x₁ and x₂ themselves stand first, as they are.")
assert_close(found_[:, 2:], torch.tensor([[4., 6., 9.], [1., -1., 1.], [0., 0., 25.]]), "the products for the rows (2, 3), (1, -1), (0, 5)", of="products",
             mistakes={"The order goes by i, then by j: x₁x₂ stands between the squares.": torch.tensor([[4., 9., 6.], [1., 1., -1.], [0., 25., 0.]]),
                       "The mixed product stands between the squares, not before them.": torch.tensor([[6., 4., 9.], [-1., 1., 1.], [0., 0., 25.]]),
                       "Products, not sums.": torch.tensor([[4., 5., 6.], [2., 0., -2.], [0., 5., 10.]]),
                       "x₁x₂ stands once, without the factor 2 of the square of a sum.": torch.tensor([[4., 12., 9.], [1., -2., 1.], [0., 0., 25.]])},
             hint="After the features stand x₁², x₁x₂ and x₂², in this order.")
wide_ = torch.tensor([[2, 3, -5], [1, 0, 7]])
assert_shape(quadratic_features(rows_[:2, :1]), (2, 2), "the shape for 2 rows of 1 feature", of="shape", hint="x₁ and x₁².")
assert_shape(quadratic_features(wide_), (2, 9), "the shape for 2 rows of 3 features", of="shape", hint="Three features and six products.")
assert_close(quadratic_features(wide_.float())[:, 3:], torch.tensor([[4., 6., -10., 9., -15., 25.], [1., 0., 7., 0., 0., 49.]]), "the products for the rows (2, 3, -5), (1, 0, 7)", of="products",
             mistakes={"The order goes by i, then by j, as in the list for d = 3.": torch.tensor([[4., 9., 25., 6., -10., -15.], [1., 0., 49., 0., 7., 0.]]), "This goes by j, then by i.": torch.tensor([[4., 6., 9., -10., -15., 25.], [1., 0., 0., 7., 0., 49.]])},
             hint="For d = 3: x₁², x₁x₂, x₁x₃, x₂², x₂x₃, x₃².")
for kind_ in (torch.int64, torch.float64):
    assert_dtype(quadratic_features(wide_.to(kind_)), kind_, f"the dtype for {kind_}", of="dtype")
large_ = torch.tensor([[9_001, 20_003]])
assert_close(quadratic_features(large_)[:, 2:], torch.tensor([[81_018_001, 180_047_003, 400_120_009]]), "the products for the whole numbers 9001 and 20003", of="products", hint="float32 has 7 digits only: stay in the dtype of X.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(3130)
for n_, d_ in ((5, 3), (2, 4), (4, 1), (1, 2), (3, 6)):
    table_ = torch.randn(n_, d_, generator=rng, dtype=torch.float64)
    right_ = torch.tensor([[row[i] * row[j] for i in range(d_) for j in range(i, d_)] for row in table_.tolist()], dtype=torch.float64)
    assert_shape(quadratic_features(table_), (n_, d_ + d_ * (d_ + 1) // 2), f"the shape for {n_} rows of {d_} features", of="shape")
    assert_close(quadratic_features(table_)[:, :d_], table_, f"the first {d_} columns for {n_} rows of {d_} features",
                 of="features",
                 hint="The columns of X stand first, as they are.")
    assert_close(quadratic_features(table_)[:, d_:], right_, f"the products for {n_} rows of {d_} features",
                 of="products", rtol=1e-5, atol=1e-6,
                 hint="Every product with i ≤ j once, ordered by i and then by j, as in the list for d = 3.")
    assert_dtype(quadratic_features(table_.to(torch.int32)), torch.int32, "the dtype for int32", of="dtype")
large_ = torch.tensor([[30_001, -7], [4_099, 50_001]])
assert_close(quadratic_features(large_)[:, 2:], torch.tensor([[a * a, a * b, b * b] for a, b in large_.tolist()]), "the products for two rows of large whole numbers", of="products", hint="float32 has 7 digits only: stay in the dtype of X.")
### END HIDDEN TESTS

# %% [markdown] teaches="learning rate, gradient descent, minibatch stochastic gradient descent"
# ## 5. Small steps instead of a formula
#
# Least squares has a formula; almost nothing else in this book has one. What remains always possible is gradient descent (section 2.5): start somewhere, compute the gradient, go a little way against it, again and again,
#
# $$\mathbf w \leftarrow \mathbf w - \eta\, \frac{\partial L}{\partial \mathbf w}, \qquad b \leftarrow b - \eta\, \frac{\partial L}{\partial b} .$$
#
# The **learning rate** $\eta$ (eta) says how far. For the mean of half the squares over $m$ examples, with the residuals $\mathbf r = X\mathbf w + b - \mathbf y$ of shape $(m,)$, the gradients are
#
# $$\frac{\partial L}{\partial \mathbf w} = \frac1m X^\top \mathbf r, \quad (d, m)\cdot(m,) \to (d,), \qquad\qquad \frac{\partial L}{\partial b} = \frac1m \sum_{i=1}^m r_i .$$
#
# The second is the first for a column of ones. Which examples? There are three habits.
#
# - *All of them* in each step: the exact gradient, and an expensive step. With a million examples one looks at a million residuals to move once.
# - *A single one*, drawn at random: a cheap step in a direction that is right only on average.
# - *A minibatch*: a handful, say 16 or 256, drawn at random. Its mean gradient is nearer to the exact one, and a computer handles 16 rows of a matrix hardly more slowly than one. This is **minibatch stochastic gradient descent**, or SGD: *stochastic* means that chance is at work.
#
# SGD is how nearly every network is trained. Let us watch the two extremes on the penguins. The flippers are *standardised* first: minus their mean, divided by their standard deviation. Otherwise a sensible learning rate for the weight is a hopeless one for the bias.

# %% tags=["demo"]
wing = (flipper - flipper.mean()) / flipper.std()       # mean 0, standard deviation 1
kilos = mass / 1000
paths = {}
for batch in (342, 4):
    generator = torch.Generator().manual_seed(1)
    w_now, b_now = torch.tensor(-1.0, dtype=torch.float64), torch.tensor(1.0, dtype=torch.float64)
    paths[batch] = [(w_now.item(), b_now.item())]
    for _ in range(60):
        chosen = torch.randperm(342, generator=generator)[:batch]       # `batch` different rows, drawn at random
        r_now = w_now * wing[chosen] + b_now - kilos[chosen]
        w_now, b_now = w_now - 0.1 * (wing[chosen] * r_now).mean(), b_now - 0.1 * r_now.mean()
        paths[batch].append((w_now.item(), b_now.item()))
    print(f"{batch:3} examples a step: after 60 steps weight {w_now:.3f}, bias {b_now:.3f}, {60 * batch} residuals computed")
best_line = torch.linalg.lstsq(torch.stack([wing, torch.ones_like(wing)], 1), kilos[:, None]).solution[:, 0]
print("least squares: weight and bias", [round(v, 3) for v in best_line.tolist()])
w_grid, b_grid = torch.meshgrid(torch.linspace(-1.3, 1.6, 60), torch.linspace(0.5, 5, 60), indexing="ij")
heights = ((w_grid[..., None] * wing + b_grid[..., None] - kilos) ** 2 / 2).mean(-1)
fig, ax = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
ax.contour(w_grid, b_grid, heights, levels=[0.1, 0.25, 0.5, 1, 2, 3, 5, 7], colors="lightgrey")
for batch, style in ((342, "C0.-"), (4, "C3.-")):
    ax.plot(*zip(*paths[batch]), style, markersize=3, linewidth=0.8, label=f"{batch} examples a step")
ax.plot(*best_line, "k*", markersize=11, label="least squares")
ax.set(xlabel="weight (kg per standard deviation)", ylabel="bias (kg)")
fig.legend(loc="outside right upper")
plt.show()

# %% [markdown]
# *What to see:* grey lines join points of equal loss. With all 342 examples the way is straight and smooth. With 4 it staggers, and near the goal it never quite comes to rest. But it came to within 0.1 of both numbers with 240 residuals instead of 20,520, about a hundredth of the work. That is the bargain of SGD.

# %% [markdown] task="3.1.C" kind="code" minutes=6 difficulty=2 core=true needs="gradient of the squared loss, learning rate, minibatch stochastic gradient descent"
# ### One step
#
# Write `sgd_step(X, y, w, b, lr)`: one step on a minibatch. `X` has shape `(m, d)`, `y` shape `(m,)`, `w` shape `(d,)`; `b` is a tensor of shape `()`. The loss is the mean over the minibatch of half the squared residuals. It returns the pair of the new `w` and the new `b`.
#
# **You are done when**
# - **shape**: the new `w` has shape `(d,)`, the new `b` shape `()`;
# - **weights**: `w` has moved against its gradient by `lr` times the gradient;
# - **bias**: so has `b`, and its gradient is taken at the *old* `w`;
# - **arguments kept**: the `w` and `b` that were given are as they were.

# %% exercise="3.1.C"
def sgd_step(X, y, w, b, lr):
    """New (w, b) after one step on the minibatch X (m, d), y (m,)."""
    ### BEGIN SOLUTION
    residual = X @ w + b - y
    return w - lr * X.T @ residual / len(X), b - lr * residual.mean()
    ### END SOLUTION

# %% [markdown] hints="3.1.C"
# 1. Which vector do both gradients need? Compute it once, before anything moves.
# 2. `X.T @ r / len(X)` has shape `(d,)`. `w - ...` makes a new tensor, `w -= ...` changes the one that was given.
# 3. One example x = 2, y = 10, w = 3, b = 1, lr = 0.1: the residual is −3, the gradients −6 and −3, the new pair (3.6, 1.3).

# %% check="3.1.C" points=2
X_, y_, w_, b_ = torch.tensor([[1., 2.], [0., 1.], [3., -1.]]), torch.tensor([2., 5., 7.]), torch.tensor([1., 2.]), torch.tensor(0.5)
found_ = sgd_step(X_, y_, w_.clone(), b_.clone(), 0.4)
assert_type(found_, (tuple, list), "what sgd_step returns", of="shape")
assert_equal(len(found_), 2, "how many tensors sgd_step returns", of="shape")
assert_shape(found_[0], (2,), "the shape of the new w for two features", of="shape")
assert_shape(found_[1], (), "the shape of the new b", of="shape", hint="The new b is a tensor of shape (), as b is.")
g_ = torch.tensor([-13., 10.]) / 3                          # residuals 3.5, -2.5, -5.5: 3.5 - 16.5, and 7 - 2.5 + 5.5
moved_ = [round(v, 3) + 0. for v in ((w_ - found_[0]) / 0.4).tolist()]
assert_close(found_[0], w_ - 0.4 * g_, "the new w for w = (1, 2), b = 0.5, lr = 0.4 and three examples with residuals 3.5, -2.5, -5.5", of="weights",
             mistakes={"This step goes up the loss: down goes w - lr · gradient, with the residuals X w + b - y.": w_ + 0.4 * g_,
                       "The mean over the minibatch is asked for, not the sum.": w_ - 1.2 * g_, "The 2 of the derivative cancels against the half.": w_ - 0.8 * g_,
                       "The learning rate is missing.": w_ - g_, "b is missing in the residuals.": w_ - 0.4 / 3 * X_.T @ (X_ @ w_ - y_), "Divide by the number of examples, not by that of the weights.": w_ - 0.6 * g_,
                       "This step has the rate 0.1: lr is an argument.": w_ - 0.1 * g_, "This divides by the number of examples twice.": w_ - 0.4 / 3 * g_,
                       "Every weight has a gradient of its own: the mean is taken over the examples only.": w_ - 0.4 * g_.mean(), "Only the signs of the gradient enter: its size counts, too.": w_ - 0.4 * g_.sign(), "The length of the gradient is divided out: it counts.": w_ - 0.4 * g_ / g_.norm(),
                       "This is the gradient: take a step from w.": g_, "This is the change of w: add it to w.": -0.4 * g_,
                       "w has not moved.": w_,
                       "Its gradient is taken at the new b: compute both gradients first.": w_ - 0.4 / 3 * X_.T @ (X_ @ w_ + 1.1 - y_),
                       "This is the step for the first example alone: all examples of the minibatch count.": w_ - 0.4 * 3.5 * X_[0],
                       "This is the step for the last example alone: all examples of the minibatch count.": w_ + 0.4 * 5.5 * X_[2]},
             hint="Each weight moves by -lr times the mean over the examples of residual times its feature. For the first "
                  "feature the products are 3.5 · 1, -2.5 · 0 and -5.5 · 3, "
             f"-13 together, for the second 10, so that the gradient is (-13/3, 10/3); yours has moved by -lr times {moved_}.")
assert_close(found_[1], torch.tensor(1.1), "the new b for the same three examples", of="bias",
             mistakes={"b has not moved.": torch.tensor(0.5),
                       "This step goes up the loss: down goes b - lr · gradient, with the residuals X w + b - y.": torch.tensor(-0.1),
                       "The mean over the minibatch is asked for, not the sum.": torch.tensor(2.3),
                       "The learning rate is missing.": torch.tensor(2.),
                       "Its gradient is taken at the new w: compute both gradients first.": 0.5 - 0.4 * (X_ @ (w_ - 0.4 * g_) + 0.5 - y_).mean(),
                       "X w is missing in the residuals that move b.": 0.5 - 0.4 * (0.5 - y_).mean(),
                       "b is missing in the residuals that move it.": 0.5 - 0.4 * (X_ @ w_ - y_).mean()},
             hint=f"b moves by -lr times the mean of the residuals 3.5, -2.5 and -5.5, which is -1.5; yours has moved by -lr "
                  f"times {(0.5 - found_[1].item()) / 0.4:.4g}.")
steady_ = sgd_step(X_[:1], torch.tensor([6.]), w_.clone(), b_.clone(), 0.1)
assert_close(steady_[0], torch.tensor([1.05, 2.1]), "the new w for a single example with residual -0.5, lr = 0.1", of="weights", hint="The gradient is -0.5 · (1, 2).")
assert_close(steady_[1], torch.tensor(0.55), "the new b for a single example with residual -0.5, lr = 0.1", of="bias",
             hint="Its gradient is the mean of one residual, -0.5.")
steep_ = sgd_step(torch.tensor([[30., 0.], [10., 20.]]), torch.tensor([0., 0.]), torch.tensor([2., 1.]), torch.tensor(20.), 0.01)     # residuals 80 and 60
assert_close(steep_[0], torch.tensor([-13., -5.]), "the new w for w = (2, 1), lr = 0.01 and the gradient (1500, 600)", of="weights", hint="A large gradient makes a large step: nothing is cut off.")
assert_close(steep_[1], torch.tensor(19.3), "the new b for b = 20, lr = 0.01 and residuals 80 and 60", of="bias", hint="A large gradient makes a large step: nothing is cut off.")

@probe
def after_the_step(X, y, w, b, lr):
    sgd_step(X, y, w, b, lr)
    return [w, b]

assert_close(after_the_step(X_, y_, w_.clone(), b_.clone(), 0.4), [w_, b_], "w and b after the call", of="arguments kept", hint="`w -= ...` and methods such as `sub_` write into the tensor that was given; `w - ...` makes a new one.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(31003)
for m_, d_, lr_ in ((7, 3, 0.2), (1, 4, 1.), (5, 1, 0.03), (6, 2, 0.001)):
    X_, y_, w_, b_ = ((40 if m_ == 6 else 1) * torch.randn(shape_, generator=rng, dtype=torch.float64) for shape_ in ((m_, d_), (m_,), (d_,), ()))
    leaf_w, leaf_b = w_.clone().requires_grad_(), b_.clone().requires_grad_()
    (torch.nn.functional.mse_loss(X_ @ leaf_w + leaf_b, y_) / 2).backward()
    new_w, new_b = sgd_step(X_, y_, w_.clone(), b_.clone(), lr_)
    assert_shape(new_w, (d_,), f"the shape of the new w, {m_} examples of {d_} features", of="shape")
    assert_shape(new_b, (), f"the shape of the new b, {m_} examples of {d_} features", of="shape")
    assert_close(new_w, w_ - lr_ * leaf_w.grad, f"the new w, {m_} examples of {d_} features, lr = {lr_}",
                 of="weights", rtol=1e-5, atol=1e-6,
                 hint="Each weight moves by -lr times the mean over the examples of residual times its feature, whatever the "
                      "size of the step.")
    assert_close(new_b, b_ - lr_ * leaf_b.grad, f"the new b, {m_} examples of {d_} features, lr = {lr_}",
                 of="bias", rtol=1e-5, atol=1e-6,
                 hint="b moves by -lr times the mean of the residuals at the old w and b.")
    assert_close(after_the_step(X_, y_, w_.clone(), b_.clone(), lr_), [w_, b_], f"w and b after the call, {d_} features",
                 of="arguments kept",
                 hint="`w -= ...` and methods such as `sub_` write into the tensor that was given.")
### END HIDDEN TESTS

# %% [markdown] teaches="prediction of new examples"
# ### What it is all for
#
# A small loss on the training set is not the goal. We knew those masses already. The goal is the next penguin, one that the model has not seen: this is called **generalisation**, and section 3.6 is about nothing else. The honest test is to hide some examples while fitting:

# %%
order = torch.randperm(342, generator=torch.Generator().manual_seed(0))
seen_rows, hidden_rows = order[:242], order[242:]
trained = torch.linalg.lstsq(with_bias[seen_rows], mass[seen_rows][:, None]).solution[:, 0]
for name, part_rows in (("the 242 it was fitted to", seen_rows), ("100 others", hidden_rows)):
    misfit = with_bias[part_rows] @ trained - mass[part_rows]
    print(f"typical error on {name}: {misfit.square().mean().sqrt():.0f} g")

# %% [markdown]
# The error on penguins that the model never saw is about the same. With two features and 242 examples there is little room to learn by heart. That will change.

# %% [markdown] teaches="normal noise, least squares as maximum likelihood"
# ## 6. Why squares?
#
# The squared loss was convenient: it has a derivative everywhere and leads to linear equations. Is there a better reason? There is, and it begins with an assumption about what the model cannot know. Suppose that the targets came about like this:
#
# $$y_i = \mathbf w^\top \mathbf x_i + b + \varepsilon_i ,$$
#
# a linear function plus *noise*, where the $\varepsilon_i$ are independent draws from a normal distribution with mean 0 and standard deviation $\sigma$ (section 2.6). Then the target of example $i$ is itself a normal draw, with the mean $\hat y_i = \mathbf w^\top \mathbf x_i + b$, and its density is
#
# $$f(y_i) = \frac{1}{\sigma\sqrt{2\pi}} \exp\Big(-\frac{(y_i - \hat y_i)^2}{2\sigma^2}\Big) .$$

# %% tags=["demo"]
fig, ax = plt.subplots(figsize=(6, 3.1), layout="constrained")
ax.plot(flipper, mass, ".", color="lightgrey")
line_w = torch.linalg.lstsq(torch.stack([flipper, torch.ones_like(flipper)], 1), mass[:, None]).solution[:, 0]
sigma_g = (line_w[0] * flipper + line_w[1] - mass).square().mean().sqrt().item()
ax.plot([170, 233], [(line_w[0] * 170 + line_w[1]).item(), (line_w[0] * 233 + line_w[1]).item()], color="black")
around = torch.linspace(-3 * sigma_g, 3 * sigma_g, 100)
for place in (180, 200, 220):
    bell = torch.distributions.Normal(0., sigma_g).log_prob(around).exp()
    ax.plot(place + 9000 * bell, (line_w[0] * place + line_w[1]).item() + around, color="C3")
    ax.axvline(place, color="C3", linewidth=0.5)
ax.set(xlabel="flipper length (mm)", ylabel="mass (g)")
plt.show()
print(f"slope {line_w[0]:.1f} g/mm, bias {line_w[1]:.0f} g, σ about {sigma_g:.0f} g")

# %% [markdown]
# *What to see:* over each flipper length stands the same bell, lying on its side, with its middle on the line. That is the assumption: one straight line of means, one width for all. Most penguins lie where the bell is high.
#
# Now ask which line makes the data that we saw most likely. The draws are independent, so the likelihood is a product of $n$ densities. The *negative log-likelihood* is a sum:
#
# $$-\log \prod_{i=1}^n f(y_i) = n \log\!\big(\sigma\sqrt{2\pi}\big) + \frac{1}{2\sigma^2} \sum_{i=1}^n (y_i - \hat y_i)^2 .$$
#
# Only the last sum contains weights and bias, and it stands there with a positive factor. So whatever $\sigma$ is, the most likely line is the one with the smallest sum of squares. **Least squares is maximum likelihood under normal noise.** Another belief about the noise gives another loss; the next lesson is an example.

# %%
bumps = torch.tensor([0.5, -1.0, 2.0])                  # residuals of three examples
for sigma_try in (0.5, 1.0, 3.0):
    by_torch = -torch.distributions.Normal(0., sigma_try).log_prob(bumps).sum()
    print(f"sigma {sigma_try}: negative log-likelihood {by_torch:.3f}")

# %% [markdown]
# The formula also says something about $\sigma$: too small a σ makes the residuals incredible, too large a one spreads the density thin. Exercise 3.1.1b finds the best.

# %% [markdown] task="3.1.10" kind="code" minutes=5 difficulty=2 needs="normal noise, log-likelihood, normal distribution"
# ### How likely is a line?
#
# Write `normal_nll(y_hat, y, sigma)`: the negative log-likelihood of the predictions `y_hat` for the targets `y`, both of shape `(n,)`, under normal noise of standard deviation `sigma` > 0, a number. It is the total over the examples.
#
# **You are done when**
# - **one number**: the result is a 0-d tensor;
# - **perfect predictions**: where all residuals are 0, it is the constant term alone;
# - **residuals**: each residual adds its share;
# - **far away**: it is finite, also where every density is too small for a floating point number.

# %% exercise="3.1.10"
def normal_nll(y_hat, y, sigma):
    """Negative log-likelihood under normal noise, summed over the examples; 0-d."""
    ### BEGIN SOLUTION
    return len(y) * math.log(sigma * math.sqrt(2 * math.pi)) + ((y_hat - y) ** 2).sum() / (2 * sigma ** 2)
    ### END SOLUTION

# %% [markdown] hints="3.1.10"
# 1. The formula has two terms. Which is a plain number, which needs the tensors?
# 2. `math.log`, `math.sqrt` and `math.pi` are for numbers. Mind the parentheses: `a / 2 * c` is not `a / (2 * c)`.
# 3. For the density $3 e^{-3t}$ at t = 0.2 and 0.5 the negative log-likelihood is $-2 \log 3 + 3 \cdot 0.7$: a constant for each example, and a sum.

# %% check="3.1.10" points=2
exact_, near_ = torch.tensor([1., -2., 4.]), torch.tensor([2., -2.5, 1.])
one_ = 2.3052328943                 # the constant of one example for sigma 4
found_ = normal_nll(exact_, exact_, 4.)
assert_type(found_, torch.Tensor, "what normal_nll returns for three examples", of="one number")
assert_shape(found_, (), "the shape of the result", of="one number")
alone_ = [normal_nll(exact_[:1], exact_[:1], sigma_).item() for sigma_ in (1., 4.)]
which_ = "Where all residuals are 0, n log(σ√(2π)) is left, with n = 3 and σ = 4."
if abs(alone_[0] - one_ + math.log(4)) > 1e-3:
    which_ += f" For a single example and σ = 1 that is log √(2π) = 0.919; yours is {alone_[0]:.4g}."
elif abs(alone_[1] - one_) > 1e-3:
    which_ += f" For a single example and σ = 1 yours is right. With σ = 4 it grows by {alone_[1] - alone_[0]:.4g}, and it has to be log 4 = 1.386."
else:
    which_ += " For a single example yours is right, log(4 √(2π)): three have three such constants."
assert_close(found_, torch.tensor(3 * one_), "three perfect predictions, sigma 4", of="perfect predictions",
             mistakes={"The constant belongs to every example: a total, no mean.": torch.tensor(one_), "The constant term is missing.": torch.tensor(0.), "The constant term has the wrong sign.": torch.tensor(-3 * one_),
                       "sigma stands outside of the root: it is a standard deviation, not a variance.": torch.tensor(3 * one_ - 1.5 * math.log(4)), "The constant has sigma in it, too.": torch.tensor(3 * one_ - 3 * math.log(4)),
                       "The root of 2π is missing in the constant.": torch.tensor(3 * math.log(4)),
                       "σ² stands in place of σ: sigma is the standard deviation already.": torch.tensor(3 * one_ + 3 * math.log(4)),
                       "Natural logarithms, not those to base 10.": torch.tensor(3 * one_ / math.log(10)),
                       "This is twice the constant: the logarithm of the root is half of that of 2πσ².": torch.tensor(6 * one_),
                       "The densities are multiplied, not added up.": torch.tensor(one_ - math.log(3)),
                       "2π stands under a root.": torch.tensor(3 * one_ + 1.5 * math.log(2 * math.pi))},
             hint=which_)
added_ = [(normal_nll(exact_[:1], exact_[:1] + 3, sigma_) - normal_nll(exact_[:1], exact_[:1], sigma_)).item() for sigma_ in (1., 4.)]
which_ = "The constant is right. To it each residual adds its square, divided by 2σ²: the squares are 1, 0.25 and 9."
if abs(added_[0] - 4.5) > 1e-3:
    which_ += f" With σ = 1 a single residual of 3 adds 9/2 = 4.5; in yours it adds {added_[0]:.4g}."
elif abs(added_[1] - 9 / 32) > 1e-3:
    which_ += (f" With σ = 1 a single residual of 3 adds 4.5 in yours, as it should, and with σ = 4 it adds {added_[1]:.4g}, "
               "where 9 / (2 · 16) = 0.2813 is right.")
else:
    which_ += " A single residual of 3 adds the right share: of several the shares add up."
assert_close(normal_nll(exact_, near_, 4.), torch.tensor(3 * one_ + 10.25 / 32), "residuals -1, 0.5 and 3, sigma 4", of="residuals",
             mistakes={"Divide by 2σ², not by 2σ.": torch.tensor(3 * one_ + 10.25 / 8), "The parentheses: a / 2 * c is not a / (2 * c).": torch.tensor(3 * one_ + 10.25 / 2 * 16), "The 2 in 2σ² is missing.": torch.tensor(3 * one_ + 10.25 / 16),
                       "The sum of squares is added: a negative log-likelihood grows with the residuals.": torch.tensor(3 * one_ - 10.25 / 32), "Square each residual, then add up.": torch.tensor(3 * one_ + 6.25 / 32),
                       "Squares, not absolute values.": torch.tensor(3 * one_ + 4.5 / 32),
                       "The squares enter as a total, not as a mean.": torch.tensor(3 * one_ + 10.25 / 96),
                       "The division by 2σ² is missing.": torch.tensor(3 * one_ + 10.25),
                       "No root: the sum of the squares itself is divided by 2σ².": torch.tensor(3 * one_ + math.sqrt(10.25) / 32)},
             hint=which_)
assert_close(normal_nll(torch.tensor([0., 100.]), torch.tensor([90., -20.]), 1.), torch.tensor(11251.8379),
             "residuals of 90 and 120 standard deviations", of="far away", rtol=1e-5, hint="The density itself is 0 in floating point: do not compute it.")
### BEGIN HIDDEN TESTS
def normal_oracle(y_hat, y, sigma):
    """The same by torch's distribution, in float64."""
    return -torch.distributions.Normal(y_hat.double(), torch.tensor(float(sigma), dtype=torch.float64)).log_prob(y.double()).sum()

rng = torch.Generator().manual_seed(3110)
for n_, sigma_ in ((8, 0.3), (1, 5.), (5, 1.)):
    p_, t_ = torch.randn(n_, generator=rng, dtype=torch.float64) * 3, torch.randn(n_, generator=rng, dtype=torch.float64)
    assert_shape(normal_nll(p_, t_, sigma_), (), f"the shape for {n_} examples", of="one number")
    assert_close(normal_nll(p_, p_.clone(), sigma_), normal_oracle(p_, p_, sigma_), f"{n_} perfect predictions, sigma {sigma_}", of="perfect predictions", rtol=1e-4, atol=1e-5,
                 hint="Where all residuals are 0, n log(σ√(2π)) is left, which is negative where σ is small.")
    assert_close(normal_nll(p_, t_, sigma_), normal_oracle(p_, t_, sigma_), f"{n_} examples, sigma {sigma_}",
                 of="residuals", rtol=1e-4, atol=1e-5,
                 hint="The constant is right. To it each residual adds its square, divided by 2σ², for every σ.")
    assert_close(normal_nll(p_, t_ + 500, sigma_), normal_oracle(p_, t_ + 500, sigma_), f"{n_} examples with residuals of about 500, sigma {sigma_}", of="far away", rtol=1e-4,
                 hint="The density itself is 0 in floating point: do not compute it, and cut nothing off.")
### END HIDDEN TESTS

# %% [markdown] task="3.1.1b" kind="code" minutes=8 difficulty=2 needs="least squares as maximum likelihood, best constant, standard deviation"
# ### The same constant from the likelihood
#
# Now say that the numbers $x_i$ are drawn from a normal distribution with mean $b$ and standard deviation $\sigma$, both unknown: a linear model without features. Write $S = \sum_i (x_i - b)^2$. The negative log-likelihood is $n \log(\sigma\sqrt{2\pi}) + S / (2\sigma^2)$. Which $b$ makes it smallest is
# known by now. For $\sigma$, set the derivative to zero.
#
# Write `fit_normal(x)`: the pair $(b, \sigma)$ with the largest likelihood for the 1-D floating point tensor `x` with at least two different entries, as floats or 0-d tensors.
#
# **You are done when**
# - **mean**: the first number is the most likely $b$;
# - **sigma**: the second number is the most likely $\sigma$.

# %% exercise="3.1.1b"
def fit_normal(x):
    """(b, sigma): mean and standard deviation of the normal distribution under which x is most likely."""
    ### BEGIN SOLUTION
    b = x.mean()
    return b, ((x - b) ** 2).mean().sqrt()
    ### END SOLUTION

# %% [markdown] hints="3.1.1b"
# 1. Which $b$ minimises the negative log-likelihood, and does the answer depend on $\sigma$?
# 2. $n \log \sigma$ has the derivative $n / \sigma$, and $S / (2\sigma^2)$ has $-S / \sigma^3$. `torch.std` divides by $n - 1$ unless it is told otherwise.
# 3. For an exponential density $\lambda e^{-\lambda x}$ the same steps give: negative log-likelihood
#    $-n \log \lambda + \lambda \sum x_i$, derivative zero at $\lambda = n / \sum x_i$.

# %% check="3.1.1b" points=2
few_ = torch.tensor([1., 2., 12.])
found_ = fit_normal(few_)
assert_type(found_, (tuple, list, torch.Tensor), "what fit_normal returns for 1, 2, 12", of="mean")
assert_equal(len(found_), 2, "how many numbers fit_normal returns", of="mean")
for k_, of_ in enumerate(("mean", "sigma")):
    if isinstance(found_[k_], torch.Tensor):
        assert_shape(found_[k_], (), f"the shape of the {'first' if k_ == 0 else 'second'} number", of=of_, hint="One number, in no list and no axis: a float or a 0-d tensor.")
with part(0.5, "the mean"):
    assert_close(found_[0], 5., "the most likely mean for 1, 2, 12", of="mean", rtol=1e-5, mistakes={"This is the median.": 2.,
                 "This is the second number: the mean stands first.": math.sqrt(74 / 3), "This is the middle of the range.": 6.5},
                 hint="The most likely b is the one with the smallest sum of squares S, as in lesson 3.")
    assert_close(fit_normal(torch.tensor([2., 5., 2.]))[0], 3., "the most likely mean for 2, 5, 2", of="mean", rtol=1e-5,
                 mistakes={"A number that comes twice counts twice.": 3.5}, hint="Each of the three numbers counts.")
two_ = float(fit_normal(torch.tensor([-5., -6.]))[1])
with part(0.5, "sigma"):
    assert_close(found_[1], math.sqrt(74 / 3), "the most likely standard deviation for 1, 2, 12", of="sigma", rtol=1e-5,
                 mistakes={"This divides by n - 1. The likelihood asks for n.": math.sqrt(37), "This is the variance: take its root.": 74 / 3, "This is the mean of the absolute deviations.": 14 / 3, "This is the root of the sum of the squares: divide by n first.": math.sqrt(74),
                           "This divides S by 2n: the 2 cancels in the derivative." if abs(two_ - math.sqrt(0.5 / 4)) < 1e-4 else
                           "This divides S by n (n - 1), as for the error of a mean: asked is the spread of the numbers, S by n.":
                           math.sqrt(74 / 6),
                           "This is the root of S, divided by n. σ is the root of S / n: n stands under it, once.": math.sqrt(74) / 3,
                           "This divides by n + 1. The likelihood asks for n.": math.sqrt(74 / 4),
                           "This is made from the quartiles, the likelihood's from the squares of all deviations.": 5.5 / 1.349,
                           "This is made from a median: the likelihood's from the squares of all deviations.": 1.4826,
                           "This is the mean: sigma stands second.": 5., "This is half the range.": 5.5,
                           "This is the median of the absolute deviations.": 4.,
                           "Subtract the mean before you square.": math.sqrt(149 / 3),
                           "This is the variance, divided by n - 1.": 37.,
                           "The deviations are taken from the median: take them from the mean.": math.sqrt(101 / 3)},
                 hint="At the most likely σ the derivative n/σ - S/σ³ is 0: here n = 3 and S = 74."
                 + (f" At yours it is {3 / float(found_[1]) - 74 / float(found_[1]) ** 3:.4g}." if float(found_[1]) > 0 else " Yours is not positive."))
    assert_close(fit_normal(torch.tensor([-5., -6.]))[1], 0.5, "the most likely standard deviation for -5 and -6",
                 of="sigma", rtol=1e-4, hint="The mean is -5.5, and S = 0.25 + 0.25.")
    assert_close(fit_normal(torch.tensor([2., 5., 2.]))[1], math.sqrt(2), "the most likely standard deviation for 2, 5, 2",
                 of="sigma", rtol=1e-4, mistakes={"A number that comes twice counts twice.": 1.5},
                            hint="The mean is 3, and S = 1 + 4 + 1.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(312)
cases_ = (torch.randn(11, generator=rng, dtype=torch.float64) * 0.3 + 8, torch.rand(4, generator=rng, dtype=torch.float64) * 50 - 60, torch.randn(40, generator=rng), torch.tensor([3., 3., -1., 3., 5., -1.]))
with part(0.5, "the mean of other numbers"):
    for numbers_ in cases_:
        assert_close(fit_normal(numbers_)[0], float(np.mean(numbers_.double().numpy())), f"the mean for {len(numbers_)} numbers", of="mean", rtol=1e-4, atol=1e-5,
                     hint="The most likely b is the one with the smallest sum of squares: the mean of all the numbers.")
with part(0.5, "sigma of other numbers"):
    for numbers_ in cases_:
        assert_close(fit_normal(numbers_)[1], float(np.std(numbers_.double().numpy())), f"the standard deviation for {len(numbers_)} numbers", of="sigma", rtol=1e-4,
                     hint="At the most likely σ the derivative n/σ - S/σ³ is 0, with S from the mean and n the count of all "
                          "the numbers.")
total()
### END HIDDEN TESTS

# %% [markdown]
# **Half of the way**, and a good place to stop for today: model, loss, formula, steps, and the noise that makes squares the right loss. When you come back, try to say the following without looking, and look where you cannot:
# - what the residuals of least squares are perpendicular to, and which equations for the weights follow from it;
# - what one step of minibatch SGD does to `w`, and what a larger minibatch changes in it;
# - why normal noise leads to squares.
#
# What follows asks what happens where one of these parts is another one: other noise (7), several layers (8), columns that depend on each other (9), prices (10), counts (11), and losses without a formula (12).

# %% [markdown] teaches="laplace distribution, absolute loss"
# ## 7. Another noise, another loss
#
# Normal noise hardly ever goes astray: an error of more than five standard deviations comes once in 1.7 million draws. Real data are wilder. Scales break, people write a comma in the wrong place. A density with more room for such accidents is
#
# $$f(\varepsilon) = \tfrac12\, e^{-|\varepsilon|} .$$
#
# ⚠ D2L calls this the exponential distribution. It is the **Laplace distribution**. The exponential distribution has the density $e^{-\varepsilon}$ and lives on $\varepsilon \ge 0$ only; an error below zero could not occur. Check both:

# %%
fine_grid = torch.linspace(-60, 60, 120_001, dtype=torch.float64)
print(f"area under exp(-|e|) / 2: {torch.trapezoid((-fine_grid.abs()).exp() / 2, fine_grid):.4f}   (torch.trapezoid adds up thin areas)")
print(f"normal noise: one error in {1 / (2 * torch.distributions.Normal(0., 1.).cdf(torch.tensor(-5., dtype=torch.float64))):,.0f} is larger than five standard deviations")
print(f"density at -1: by the formula {math.exp(-1) / 2:.4f}, torch's Laplace {torch.distributions.Laplace(0., 1.).log_prob(torch.tensor(-1.)).exp():.4f}")
try:
    torch.distributions.Exponential(1.).log_prob(torch.tensor(-1.))
except ValueError:
    print("torch's Exponential refuses -1: ValueError")

# %% tags=["demo"]
near_zero = torch.linspace(-6, 6, 241)                  # an odd number of points: 0 is one of them
fig, both_axes = plt.subplots(1, 2, figsize=(7.6, 2.8), layout="constrained")
for name, style in (("Laplace", "C0-"), ("Normal", "C3--")):
    log_density = getattr(torch.distributions, name)(0., 1.).log_prob(near_zero)
    both_axes[0].plot(near_zero, log_density.exp(), style, label=name)
    both_axes[1].plot(near_zero, -log_density, style)
both_axes[0].set(xlabel="error", ylabel="density")
both_axes[1].set(xlabel="error", ylabel="negative log density")
fig.legend(loc="outside right upper")
plt.show()

# %% [markdown]
# *What to see:* left, the Laplace density has a peak at 0, of height 1/2, and long tails. Right, what each error costs as a loss: under normal noise a parabola, under Laplace noise a pointed V, straight on both sides. An error of 6 costs 19 on the one and 7 on the other. So an example that has gone astray pulls less.
#
# The negative logarithm of the Laplace density is $\log 2 + |\varepsilon|$. Its sum over the examples is the **absolute loss**, plus a constant. For a model without features the answer is known: the median (lesson 3).

# %% [markdown] task="3.1.5a" kind="code" minutes=8 difficulty=2 core=true needs="laplace distribution, absolute loss, log-likelihood"
# ### The negative log-likelihood of Laplace noise
#
# Write `laplace_nll(w, b, X, y)`: the negative log-likelihood, the total over the $n$ examples, for noise of density $\frac12 e^{-|\varepsilon|}$ around $X \mathbf w + b$. `X` has shape `(n, d)`, `w` shape `(d,)`, `y` shape `(n,)`, and `b` is a 0-d tensor.
#
# **You are done when**
# - **one number**: the result is a 0-d tensor;
# - **perfect fit**: where all residuals are 0, the constant of every example is left;
# - **residuals**: each residual adds its share, whatever its sign and its size.

# %% exercise="3.1.5a"
def laplace_nll(w, b, X, y):
    """Negative log-likelihood of y under Laplace noise around X w + b, summed over the examples; 0-d."""
    ### BEGIN SOLUTION
    return len(y) * math.log(2) + (y - X @ w - b).abs().sum()
    ### END SOLUTION

# %% [markdown] hints="3.1.5a"
# 1. What is the logarithm of $\frac12 e^{-|\varepsilon|}$?
# 2. The likelihood of independent examples is a product, its logarithm a sum: each example contributes a
#    constant and an absolute value.
# 3. For the density $3 e^{-3 t}$ at $t = 0.2$ and $0.5$ the negative log-likelihood is
#    $-2 \log 3 + 3 \cdot 0.7$.

# %% check="3.1.5a" points=2
w_, b_, X_ = torch.tensor([1., 2.]), torch.tensor(1.), torch.tensor([[1., 0.], [0., 1.], [2., 1.]])
fits_, y_ = torch.tensor([2., 3., 5.]), torch.tensor([3., 1., 5.5])           # residuals 1, -2, 0.5
found_ = laplace_nll(w_, b_, X_, fits_)
assert_type(found_, torch.Tensor, "what laplace_nll returns for three examples", of="one number")
assert_shape(found_, (), "the shape of the result", of="one number")
log2_ = math.log(2)
assert_close(found_, torch.tensor(3 * log2_), "three examples that are fitted perfectly", of="perfect fit",
             mistakes={"The constant log 2 of each example is missing.": torch.tensor(0.), "log 2 belongs to each example: a total, no mean.": torch.tensor(log2_), "The constant has the wrong sign.": torch.tensor(-3 * log2_),
                       "(n, 1) against (n,) gives the residuals of all pairs.": torch.tensor(3 * log2_ + 12), "b is missing in the prediction.": torch.tensor(3 * log2_ + 3),
                       "This is the constant of the normal distribution.": torch.tensor(1.5 * math.log(2 * math.pi)),
                       "log 2 once for each pair is too often.": torch.tensor(9 * log2_),
                       "Each of the three examples has the constant log 2 once: these are six.": torch.tensor(6 * log2_),
                       "The constant is -log(1/2) = log 2, not 1/2 itself.": torch.tensor(1.5),
                       "b is added to X w, not subtracted.": torch.tensor(3 * log2_ + 6)},
             hint="Where all residuals are 0, each density is 1/2: each of the three examples leaves log 2.")
line_ = torch.tensor([[0.], [1.], [-2.], [4.], [3.]])
assert_close(laplace_nll(torch.tensor([2.]), torch.tensor(-1.), line_, 2 * line_[:, 0] - 1), torch.tensor(5 * log2_),
             "five examples of one feature that are fitted perfectly", of="perfect fit",
             mistakes={"The examples count, not the parameters.": torch.tensor(2 * log2_)},
             hint="Five examples, five constants: here n is 5 and d is 1, and X w + b fits y exactly.")
shares_ = [laplace_nll(torch.zeros(1), torch.tensor(0.), torch.zeros(1, 1), torch.tensor([r_])).item() - log2_ for r_ in (1., -2., 0.5)]
which_ = "The constants are right. To them each residual adds its absolute value: 1, 2 and 0.5."
if max(abs(share_ - right_) for share_, right_ in zip(shares_, (1., 2., 0.5))) > 1e-3:
    which_ += " Alone, each of them adds " + ", ".join(f"{share_:.4g}" for share_ in shares_) + " in yours."
else:
    which_ += " Alone, each adds the right share in yours: of several the shares add up."
assert_close(laplace_nll(w_, b_, X_, y_), torch.tensor(3 * log2_ + 3.5), "three examples with y - ŷ = 1, -2, 0.5", of="residuals",
             mistakes={"The exponent has lost its minus sign.": torch.tensor(3 * log2_ - 3.5), "Signed residuals cancel: take the absolute value of each before the sum.": torch.tensor(3 * log2_ - 0.5), "The residuals cancel here: take the absolute value of each before the sum.": torch.tensor(3 * log2_ + 0.5),
                       "Absolute values, not squares.": torch.tensor(3 * log2_ + 5.25), "The residuals enter as a mean, the constants as a total: both are totals.": torch.tensor(3 * log2_ + 3.5 / 3),
                       "Absolute values, not half their squares.": torch.tensor(3 * log2_ + 5.25 / 2),
                       "A residual below 1 counts with its absolute value, too: here it is half its square.": torch.tensor(3 * log2_ + 2.125),
                       "Absolute values, not halves of them: the 1/2 of the density has become log 2.": torch.tensor(3 * log2_ + 1.75),
                       "A residual counts whatever its sign: here -2 adds nothing.": torch.tensor(3 * log2_ + 1.5),
                       "A residual counts whatever its sign: here only -2 adds something.": torch.tensor(3 * log2_ + 2)},
             hint=which_)
assert_close(laplace_nll(torch.tensor([1.]), torch.tensor(0.), torch.zeros(2, 1), torch.tensor([700., -500.])), torch.tensor(2 * log2_ + 1200), "residuals of 700 and 500", of="residuals", rtol=1e-4, hint="The density itself is 0 in floating point: do not compute it.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(315)
for n_, d_, b_ in ((9, 4, -1.5), (1, 3, 2.), (6, 1, 0.)):
    X_, w_ = torch.randn(n_, d_, generator=rng, dtype=torch.float64), torch.randn(d_, generator=rng, dtype=torch.float64)
    y_, b_ = 5 * torch.randn(n_, generator=rng, dtype=torch.float64), torch.tensor(b_, dtype=torch.float64)
    right_ = -torch.distributions.Laplace(X_ @ w_ + b_, torch.ones(n_, dtype=torch.float64)).log_prob(y_).sum()
    assert_shape(laplace_nll(w_, b_, X_, y_), (), f"the shape for {n_} examples", of="one number")
    assert_close(laplace_nll(w_, b_, X_, X_ @ w_ + b_), torch.tensor(n_ * math.log(2.), dtype=torch.float64), f"{n_} examples that are fitted perfectly", of="perfect fit", rtol=1e-4,
                 hint="Where all residuals are 0, each density is 1/2: each example leaves log 2.")
    assert_close(laplace_nll(w_, b_, X_, y_), right_, f"{n_} examples of {d_} features", of="residuals", rtol=1e-4,
                 hint="The constants are right. To them each residual adds its absolute value, whatever its sign and size.")
assert_close(laplace_nll(torch.tensor([1.]), torch.tensor(0.), torch.zeros(300, 1), torch.full((300,), -900.)), torch.tensor(300 * (math.log(2.) + 900)), "300 residuals of 900", of="residuals", rtol=1e-4, hint="The density itself is 0 in floating point: do not compute it.")
### END HIDDEN TESTS

# %% [markdown] teaches="gradient of the absolute loss, falling learning rate"
# ### A gradient that does not fade
#
# With features there is no formula for the smallest absolute loss. So gradient descent it is, and here it meets something new. The slope of $|r|$ is $+1$ or $-1$, the *sign* of $r$. With the sign applied to each entry, the gradients of the mean absolute loss are
#
# $$\frac{\partial L}{\partial \mathbf w} = \frac1n X^\top \operatorname{sign}(\mathbf r), \qquad \frac{\partial L}{\partial b} = \frac1n \sum_i \operatorname{sign}(r_i), \qquad \mathbf r = X\mathbf w + b - \mathbf y .$$
#
# How large a residual is does not enter: `r.sign()` keeps the signs alone.

# %%
print(torch.tensor([-120., -0.001, 3.]).sign())

# %% [markdown]
# The squared loss gets flatter towards its lowest point, and steps get shorter by themselves. The absolute loss is a V: a step next to the optimum is as long as one far away. With a fixed learning rate one jumps over the optimum, and back, for ever. SGD with single examples, for the constant
# that fits 0, 1 and 5 best, which is the median 1:

# %% tags=["demo"]
walks = {}
for name, fall in (("fixed rate 0.5", 0.), ("falling rate 0.5 / (1 + 0.05 t)", 0.05)):
    generator = torch.Generator().manual_seed(0)
    spot, walk = 4., []
    for t in range(400):
        drawn = (0., 1., 5.)[torch.randint(3, (), generator=generator).item()]
        spot -= 0.5 / (1 + fall * t) * (1 if spot > drawn else -1)
        walk.append(spot)
    walks[name] = walk
    print(f"{name}: the last hundred steps lie between {min(walk[300:]):.2f} and {max(walk[300:]):.2f}")
fig, ax = plt.subplots(figsize=(6.4, 2.9), layout="constrained")
for (name, walk), style in zip(walks.items(), ("C3-", "C0-")):
    ax.plot(walk, style, linewidth=1, label=name)
ax.axhline(1, color="black", linestyle=":", label="the median")
ax.set(xlabel="step", ylabel="constant")
fig.legend(loc="outside upper center", ncols=3, fontsize=8)
plt.show()

# %% [markdown]
# *What to see:* the red curve never settles. The blue one does, since its steps get shorter. A falling rate needs care: it has to fall far enough to settle, and not so fast that the walk stops halfway. All steps together must be able to reach the goal, and a rate in grams is no rate in tons: the first steps should be of the size of the targets' spread.

# %% [markdown] task="3.1.5c" kind="code" minutes=20 difficulty=4 needs="gradient of the absolute loss, falling learning rate, laplace distribution"
# ### An algorithm that settles
#
# Write `fit_laplace(X, y)`: weights and bias `(w, b)` with the smallest total absolute error $\sum_i |\mathbf w^\top \mathbf x_i + b - y_i|$, or nearly. `X` has shape `(n, d)`, with $n \le 200$, $d \le 4$ and entries of about the size 1; `y` has shape `(n,)` and holds some wild values. Both are float64. Use gradient descent on all examples at once and mend
# what goes wrong near the optimum, or another iteration. Some thousand steps are enough: a call may take half a second.
#
# **You are done when**
# - **shape**: `w` is a tensor of shape `(d,)` and `b` one of shape `()`;
# - **outliers**: on data with outliers your total absolute error is at most 0.1 % above the smallest possible;
# - **several features**: so it is with more than one feature;
# - **any unit**: so it is for targets of the size 0.001 or 10,000.

# %% exercise="3.1.5c"
def fit_laplace(X, y):
    """(w, b), shapes (d,) and (), whose total absolute error is within 0.1 % of the smallest possible."""
    ### BEGIN SOLUTION
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), y.median()
    size = (y - b).abs().median()           # how far apart the targets are, in their own unit
    for t in range(2500):
        sign = (X @ w + b - y).sign()
        rate = size * 0.997 ** t            # the rates add up to 333 sizes: far enough, and the last ones are tiny
        w, b = w - rate * X.T @ sign / len(y), b - rate * sign.mean()
    return w, b
    ### END SOLUTION

# %% [markdown] hints="3.1.5c"
# 1. By how much does $b$ change in a step with a fixed learning rate, even if it is almost right?
# 2. Let the rate fall, for instance a little in each of some thousand steps; begin with a rate of the size of the targets' spread, such as `(y - y.median()).abs().median()`; `r.sign()` gives the signs.
# 3. To find the median of 10, 11 and 90 by steps of ±η: with η = 8 the value jumps between 5 and 13 for ever;
#    with η halved whenever the direction changes it settles at 11.

# %% check="3.1.5c" points=3
def least_error(X, y):
    """The smallest total absolute error: weighted least squares again and again, each square divided by the size of its residual."""
    A, unit = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], 1), y.abs().max()
    v, least = torch.zeros(A.shape[1], dtype=X.dtype), math.inf
    for step in range(300):
        weight = 1 / (y / unit - A @ v).abs().clamp(min=10. ** -min(2 + step / 20, 10))
        v = torch.linalg.solve(A.T @ (weight[:, None] * A), A.T @ (weight * y / unit))
        least = min(least, (y / unit - A @ v).abs().sum().item())
    return least * unit.item()

def excess_of(found, X, y):
    """By how many percent the total absolute error lies above the smallest."""
    return 100 * ((y - X @ torch.as_tensor(found[0]).double() - torch.as_tensor(found[1]).double()).abs().sum().item() / least_error(X, y) - 1)

def squares_of_some(X, r):
    """Whether these are the least-squares residuals of the examples with the smallest ones: perpendicular to their columns."""
    order = r.abs().argsort()
    terms = (torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], 1) * r[:, None])[order]
    flat = (terms.cumsum(0).abs() <= 1e-6 * terms.abs().cumsum(0)).all(1)
    return bool(flat[X.shape[1] + 3:].any())

def small_squared(X, r):
    """Whether residuals cut off at one of these sizes are perpendicular to all columns: the lowest point of a loss that is square below it."""
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], 1)
    return any((A.T @ r.clamp(-k, k)).norm() < 1e-4 * (A * r.clamp(-k, k)[:, None]).norm() and (r.abs() < k).any() for k in (0.05, 0.1, 0.2, 0.5, 1., 1.345, 1.35, 2.))

def judge_fit(X, y, which, of):
    """Type, shapes and excess of the fit of these data."""
    found = fit_laplace(X.clone(), y.clone())
    assert_type(found, (tuple, list), f"what fit_laplace returns for {which}", of="shape")
    assert_equal(len(found), 2, f"how many tensors fit_laplace returns for {which}", of="shape")
    assert_shape(found[0], (X.shape[1],), f"the shape of w for {which}", of="shape")
    assert_shape(found[1], (), f"the shape of b for {which}", of="shape", hint="b is one number, of shape ().")
    weights, bias = torch.as_tensor(found[0]).double(), torch.as_tensor(found[1]).double()
    squares = np.linalg.lstsq(np.concatenate([X.numpy(), np.ones((len(X), 1))], axis=1), y.numpy(), rcond=None)[0]
    excess = excess_of(found, X, y)
    ones_too = torch.cat([weights, bias.reshape(1)])
    hint = "This is not the lowest point. Steps settle there if they get shorter and shorter, and together can still reach any place."
    size, aim = (X @ weights + bias).abs().median(), y.abs().median()
    if excess <= 0.1:
        hint = ""
    elif np.allclose(ones_too.numpy(), squares, rtol=1e-2):
        hint = "This is the least-squares fit: it is drawn to the outliers."
    elif np.allclose(weights.numpy(), squares[:-1], rtol=1e-2):
        hint = "These are the weights of least squares, drawn to the outliers: another b alone does not mend them."
    elif small_squared(X, y - X @ weights - bias):
        hint = "Here the small residuals count with their squares, only the others with their absolute values: all are to count with their absolute values."
    elif squares_of_some(X, y - X @ weights - bias):
        hint = "This is a least-squares fit still, to the examples near it alone: the ones left out count, too, and absolute values are no squares."
    elif bias == 0:
        hint = "The bias is exactly 0: it has to be fitted, too."
    elif (weights == 0).any():
        hint = "A weight is exactly 0: every feature has to be fitted."
    elif of == "any unit" and excess_of(fit_laplace(X.clone(), y / y.abs().median()), X, y / y.abs().median()) <= 0.1:
        hint = "In a unit in which the targets are of the size 1 your fit is right: begin with a rate of the size of the targets' spread."
    elif not excess < 1000:
        hint = ("Your predictions are far larger than the targets: w or b has run away." if size > 5 * aim else
                "Your predictions are far smaller than the targets: w and b have hardly moved." if size < aim / 5 else "")
    elif abs(bias - y.median()) < 1e-9 * aim:
        hint = ("b is the median of the targets themselves. It is to be the median of what w leaves of them, y - X w: "
                "w and b move together.")
    elif excess_of((weights, (y - X @ weights).median()), X, y) <= 0.1:
        hint = "w is near enough, b is not: with your w the best b is the median of what is left, y - X w, and yours is another number."
    elif abs(excess_of((weights, (y - X @ weights).median()), X, y) - excess) < 0.1 * excess:
        hint = ("b nearly fits your w, but w is not at the lowest point. Steps settle there if they get shorter and shorter, "
                "and together can still reach any place.")
    assert_true(excess <= 0.1, f"your total absolute error for {which} is at most 0.1 % above the smallest possible; yours is {excess:.3g} % above", of=of, hint=hint)

def wild_data(n, true_w, true_b, unit, seed):
    """Points around a plane with Laplace noise, every ninth thrown up by 25."""
    rng = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(true_w), generator=rng, dtype=torch.float64)
    noise = torch.rand(n, generator=rng, dtype=torch.float64) - 0.5
    y = X @ torch.tensor(true_w, dtype=torch.float64) + true_b - noise.sign() * (1 - 1.998 * noise.abs()).log()
    y[::9] += 25
    return X, y * unit

times_ = torch.linspace(-1, 1, 21, dtype=torch.float64)[:, None]
outliers_ = 3 * times_[:, 0] + 1 + 0.5 * torch.sin(40 * times_[:, 0])
outliers_[3], outliers_[15] = 40., -25.
judge_fit(times_, outliers_, "21 points around 3x + 1, two of them wild", "outliers")
judge_fit(*wild_data(9, [-1.], 2., 1., 10), "9 examples of 1 feature, the first 25 too high", "outliers")
judge_fit(*wild_data(70, [1., -2., 0.5], 4., 1., 1), "70 examples of 3 features, every ninth 25 too high", "several features")
judge_fit(*wild_data(21, [1., -6., 3.], 7., 1., 61), "21 examples of 3 features, every ninth 25 too high", "several features")
judge_fit(*wild_data(60, [2.], -1., 0.001, 2), "60 examples with targets of the size 0.001", "any unit")
judge_fit(*wild_data(50, [-1.], 3., 10_000., 3), "50 examples with targets of the size 10,000", "any unit")
### BEGIN HIDDEN TESTS
judge_fit(*wild_data(80, [4.], -30., 1., 4), "80 examples of 1 feature, every ninth 25 too high", "outliers")
judge_fit(*wild_data(150, [0.5, 3., -1., 2.], -10., 1., 5), "150 examples of 4 features, every ninth 25 too high", "several features")
judge_fit(*wild_data(90, [1., 1.], 2., 0.003, 6), "90 examples with targets of the size 0.003", "any unit")
judge_fit(*wild_data(200, [3., -1.], 0., 7000., 7), "200 examples with targets of the size 7,000", "any unit")
judge_fit(*wild_data(8, [2.], 1., 1., 8), "8 examples of 1 feature, the first 25 too high", "outliers")
judge_fit(*wild_data(22, [2., 2., -3., 1.], 7., 1., 62), "22 examples of 4 features, every ninth 25 too high", "several features")
### END HIDDEN TESTS

# %% [markdown] teaches="composition of linear layers"
# ## 8. One layer after another
#
# A linear model has one weight for each feature. Would *two* linear models, one behind the other, be stronger? The first turns $d$ numbers into $h$ hidden ones, each a weighted sum of its own; the second turns these into outputs. Try it with one number: first $3x + 2$, then five times that plus 1, is $5(3x + 2) + 1 = 15x + 11$. That is again a number times $x$
# plus a number. Here are three inputs and two hidden numbers:

# %%
generator = torch.Generator().manual_seed(0)
inner_w, inner_b = torch.randn(2, 3, generator=generator), torch.randn(2, generator=generator)      # 3 -> 2
outer_w, outer_b = torch.randn(3, 2, generator=generator), torch.randn(3, generator=generator)      # 2 -> 3
probe_points = torch.randn(1000, 3, generator=generator)
outputs = (probe_points @ inner_w.T + inner_b) @ outer_w.T + outer_b                                # (1000, 3)
print("rank of 1000 outputs, their mean subtracted:", torch.linalg.matrix_rank(outputs - outputs.mean(0), atol=1e-3).item())

# %% [markdown]
# The outputs have three coordinates and fill only a plane: 2 hidden numbers cannot carry more. (`atol` says below which size a number counts as zero: rounding leaves some.) Section 2.3 had the reason: the rank of a product is at most the smallest rank of its factors.

# %% [markdown] task="3.1.6" kind="explain" minutes=15 difficulty=2 core=true needs="composition of linear layers, rank of a product, linear map"
# ### Why stacking does not help
#
# Someone wants a more powerful model and puts one linear layer after another: $\mathbf h = W_1 \mathbf x + \mathbf b_1$ with $W_1$ of shape $(h, d)$, then $\hat{\mathbf y} = W_2 \mathbf h + \mathbf b_2$ with $W_2$ of shape $(q, h)$.
#
# First write `collapse(W1, b1, W2, b2)`: the pair `(W, b)` of the one linear layer that computes the same function. The biases are vectors of shapes `(h,)` and `(q,)`.
#
# Then explain in words (1) what the two layers can represent compared with one, (2) what a narrow hidden layer ($h$ smaller than $d$ and $q$) changes, and (3) what would have to stand between the layers.
#
# **You are done when**
# - **shape**: `W` has shape `(q, d)` and `b` shape `(q,)`;
# - **weight**: `W` is the weight of the one layer;
# - **bias**: `b` is its bias;
# - **arguments kept**: the four tensors are as they were;
#
# and your text has all three points.

# %% exercise="3.1.6"
def collapse(W1, b1, W2, b2):
    """(W, b), shapes (q, d) and (q,), of the layer that equals W2 (W1 x + b1) + b2."""
    ### BEGIN SOLUTION
    return W2 @ W1, W2 @ b1 + b2
    ### END SOLUTION

# %% [markdown] hints="3.1.6"
# 1. Put the first formula into the second and multiply out. What is multiplied by $\mathbf x$, and what is not?
# 2. The rank of a product is at most the smallest rank of its factors, and a matrix with h rows has rank h at most.
# 3. With numbers: $5 (3x + 2) + 1 = 15 x + 11$, again a number times $x$ plus a number.

# %% check="3.1.6" points=2
first_, second_ = torch.tensor([[1., 2.], [0., 1.]]), torch.tensor([[1., 0.], [3., 1.]])
shift1_, shift2_ = torch.tensor([2., -1.]), torch.tensor([0.5, 2.])
found_ = collapse(first_.clone(), shift1_.clone(), second_.clone(), shift2_.clone())
assert_type(found_, (tuple, list), "what collapse returns", of="shape")
assert_equal(len(found_), 2, "how many tensors collapse returns", of="shape")
turned_ = all(isinstance(part_, torch.Tensor) for part_ in found_) and found_[0].dim() == 1 and found_[1].dim() == 2
assert_shape(found_[0], (2, 2), "the shape of the weight for two 2 × 2 layers", of="shape", hint="The weight stands first, the bias second." if turned_ else "")
assert_shape(found_[1], (2,), "the shape of the bias for two 2 × 2 layers", of="shape", hint="The biases are vectors: W2 @ b1 has the shape (q,) as it stands.")
assert_close(found_[0], torch.tensor([[1., 2.], [3., 7.]]), "the weight for W1 = ((1, 2), (0, 1)) and W2 = ((1, 0), (3, 1))", of="weight",
             mistakes={"The order of the product is the wrong way round.": first_ @ second_,
                       "This is the transpose of the weight.": torch.tensor([[1., 3.], [2., 7.]]),
                       "The matrix product is asked for, not the product of the entries.": first_ * second_,
                       "Weights are multiplied, not added.": first_ + second_},
             hint="Without biases the two layers give W2 (W1 x): the matrix in front of x is W. For x = (1, 0) the first gives "
                  "(1, 0), the second (1, 3): "
             f"that is the first column of W. Yours is {tuple(round(v, 4) for v in found_[0][:, 0].tolist())}.")
assert_close(found_[1], torch.tensor([2.5, 7.]), "the bias for the same layers with b1 = (2, -1) and b2 = (0.5, 2)", of="bias",
             mistakes={"The first bias goes through the second layer, too.": shift1_ + shift2_, "Where is the first bias?": shift2_, "Where is the second bias?": torch.tensor([2., 5.]), "The entries of b1 are not added up: the second layer takes b1 as its input.": shift1_.sum() + shift2_,
                       "The second layer is a matrix product from the left: W2 @ b1.": shift1_ @ second_ + shift2_,
                       "It is the second layer that b1 goes through, not the first.": first_ @ shift1_ + shift2_,
                       "b2 is added to W2 b1, not multiplied.": (second_ @ shift1_) * shift2_,
                       "W2 b1 is added to b2, not subtracted.": shift2_ - second_ @ shift1_,
                       "b1 is missing: these are the sums of the rows of W2, plus b2.": second_.sum(1) + shift2_,
                       "Each entry of b1 counts by itself: here its mean stands in place of each.":
                           second_.sum(1) * 0.5 + shift2_,
                       "Each entry of b2 is added to its own output: here the mean of b2 is.": second_ @ shift1_ + 1.25,
                       "b2 goes through no layer: it is added at the end.": second_ @ (shift1_ + shift2_)},
             hint="b is what the two layers make of x = 0: the first gives b1, the second W2 b1 + b2.")
narrow_ = collapse(torch.tensor([[1., 2., 3.]]), torch.tensor([10.]), torch.tensor([[1.], [-2.]]), torch.tensor([0., 1.]))
assert_shape(narrow_[0], (2, 3), "the shape of the weight for 3 inputs, 1 hidden number, 2 outputs", of="shape")
assert_close(narrow_[0], torch.tensor([[1., 2., 3.], [-2., -4., -6.]]), "the weight for 3 inputs, 1 hidden number, 2 outputs",
             of="weight", hint="The one hidden number is x₁ + 2x₂ + 3x₃ + 10, and the outputs are once and -2 times that, plus b2.")
assert_close(narrow_[1], torch.tensor([10., -19.]), "the bias for 3 inputs, 1 hidden number, 2 outputs", of="bias",
             hint="The one hidden number is 10 at x = 0, and the outputs are once and -2 times that, plus b2.")

@probe
def layers_after(W1, b1, W2, b2):
    collapse(W1, b1, W2, b2)
    return [W1, b1, W2, b2]

assert_close(layers_after(first_.clone(), shift1_.clone(), second_.clone(), shift2_.clone()), [first_, shift1_, second_, shift2_], "W1, b1, W2 and b2 after the call", of="arguments kept", hint="Operations such as += and add_ write into the tensor that was given.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(316)
for d_, h_, q_ in ((5, 3, 4), (2, 7, 3), (4, 1, 6), (3, 3, 3)):
    layers_ = [torch.randn(shape_, generator=rng, dtype=torch.float64) for shape_ in ((h_, d_), (h_,), (q_, h_), (q_,), (5, d_))]
    weight_, bias_ = collapse(*[layer_.clone() for layer_ in layers_[:4]])
    assert_shape(weight_, (q_, d_), f"the shape of the weight for sizes {d_}, {h_}, {q_}", of="shape")
    assert_shape(bias_, (q_,), f"the shape of the bias for sizes {d_}, {h_}, {q_}", of="shape")
    at_zero_ = torch.nn.functional.linear(layers_[1], layers_[2], layers_[3])
    assert_close(bias_, at_zero_, f"the bias for sizes {d_}, {h_}, {q_}", of="bias", rtol=1e-4, atol=1e-6,
                 hint="b is what the two layers make of x = 0: the first gives b1, the second W2 b1 + b2.")
    hidden_ = torch.nn.functional.linear(layers_[4], layers_[0], layers_[1])
    assert_close(layers_[4] @ weight_.T, torch.nn.functional.linear(hidden_, layers_[2], layers_[3]) - at_zero_, f"what the weight makes of five inputs, sizes {d_}, {h_}, {q_}", of="weight", rtol=1e-4, atol=1e-6,
                 hint="Without biases the two layers give W2 (W1 x): the matrix in front of x is W, for all sizes.")
    assert_close(layers_after(*[layer_.clone() for layer_ in layers_[:4]]), layers_[:4], f"the four tensors after the call, sizes {d_}, {h_}, {q_}", of="arguments kept",
                 hint="Operations such as += and add_ write into the tensor that was given.")
### END HIDDEN TESTS

# %% [markdown] written="3.1.6" points=3
# ### BEGIN SOLUTION
# Multiplied out, the two layers compute (W₂W₁)x + (W₂b₁ + b₂): one affine function, with the weight W₂W₁ and
# the bias W₂b₁ + b₂. So two linear layers represent nothing that a single one could not, however wide the
# hidden layer is. If it is narrow, they represent less: the rank of W₂W₁ is at most h, so a weight of rank
# above h, which a single layer with d inputs and q outputs may have, is out of reach. The example on the page shows it: 1000
# outputs with three coordinates lie in a plane, since there were 2 hidden numbers. More power needs a
# nonlinear function between the layers, such as max(0, z) for each entry; then the weights can no longer be
# multiplied together.
#
# **Rubric**
# - [1] Two linear layers can do no more than one: the composed function is affine with weight W₂W₁ and bias W₂b₁ + b₂; also accepted: a composition of affine functions is affine, or the numbers of an example with this conclusion; lost by "more weights, so more functions".
# - [1] A narrow hidden layer limits the rank of the weight to at most h, so fewer functions than with a single layer; also accepted: the outputs lie in a shifted subspace of at most h dimensions, or information about the input is lost that a single layer could keep; lost by "it has no influence because the layers collapse".
# - [1] A nonlinear function (activation) has to stand between the layers; also accepted: any named nonlinear function; lost by "more layers" or "a larger learning rate".
# ### END SOLUTION

# %% [markdown] teaches="dependent features, condition number"
# ## 9. When the formula fails
#
# Give a model the flipper length in millimetres *and* in inches. The second column is a multiple of the first: it brings nothing new. What does least squares do? Any millimetre weight can be exchanged for an inch weight without changing one prediction. There is no longer *one* best $\mathbf w$, but
# infinitely many, and the normal equations have a matrix without an inverse.
#
# Section 2.3 has the words for it. The columns are linearly dependent, the *rank* of $X$ is below $d$, and there are vectors $\mathbf v \ne \mathbf 0$ with $X \mathbf v = \mathbf 0$, the *null space* of $X$. Add such a $\mathbf v$ to any weights: the predictions are the same.
#
# ⚠ One word of D2L's exercise has to be put right. It calls $X^\top X$ the design matrix. The design matrix is $X$, of shape $(n, d)$; $X^\top X$ is the Gram matrix, $(d, d)$. The two have the same rank. They have not the same shape, and not the same *condition number*: that is the factor by which a matrix can magnify relative errors, such as those of rounding.
# It is infinite for dependent columns, and for the Gram matrix it is the *square* of that of the design matrix.

# %%
summed = torch.tensor([[1., 2., 3.], [2., 1., 3.], [0., 1., 1.], [4., 0., 4.]], dtype=torch.float64)    # column 3 = column 1 + column 2
print("ranks: design matrix", tuple(summed.shape), torch.linalg.matrix_rank(summed).item(), " Gram matrix", torch.linalg.matrix_rank(summed.T @ summed).item())
nothing = torch.tensor([1., 1., -1.], dtype=torch.float64)
print("X times (1, 1, -1):", (summed @ nothing).tolist())
first_two = summed[:, :2]
print(f"two columns: condition of X {torch.linalg.cond(first_two):.4f}, squared {torch.linalg.cond(first_two) ** 2:.4f}, of the Gram matrix {torch.linalg.cond(first_two.T @ first_two):.4f}")
flat_gram = torch.tensor([[1., 2.], [2., 4.]])          # the Gram matrix of the columns (1) and (2)
try:
    torch.linalg.solve(flat_gram, torch.tensor([1., 2.]))
except torch.linalg.LinAlgError as error:
    print("solve:", str(error).split(":")[-1].split("(")[0].strip())

# %% [markdown] teaches="null space by svd"
# How does one *find* such directions? The **singular value decomposition** writes any matrix as a product of three, $X = U\, \mathrm{diag}(\mathbf s)\, V^\top$. The rows of $V^\top$ (torch says `Vh`) are unit vectors of length $d$, perpendicular to each other. $X$ maps row $k$ to a vector of length $s_k$; the singular
# values $s_k$ come in falling order. So the rows from the rank on are mapped to zero: they span the null space. With `full_matrices=True` (the default) `Vh` has all $d$ rows, also if $n < d$.

# %%
svd = torch.linalg.svd(summed)
print("singular values:", [round(v, 6) for v in svd.S.tolist()])
print("last row of Vh:", [round(v, 4) for v in svd.Vh[-1].tolist()], " X times it:", [round(v, 6) + 0.0 for v in (summed @ svd.Vh[-1]).tolist()])

# %% [markdown]
# The last row is $(1, 1, -1)$, up to sign and length.

# %% [markdown] task="3.1.D" kind="code" minutes=2 difficulty=1 needs="rank, null space, dependent features"
# ### How much is left open?
#
# Write `free_directions(X)`: along how many linearly independent directions can the weights move without changing a prediction of the design matrix `X`? `X` is a floating point tensor of shape `(n, d)`.
#
# **You are done when**
# - **a whole number**: the result is an int or a 0-d tensor;
# - **count**: it is right for independent columns (0), for dependent ones, and for fewer examples than features.

# %% exercise="3.1.D"
def free_directions(X):
    """The dimension of the null space of X."""
    ### BEGIN SOLUTION
    return X.shape[1] - torch.linalg.matrix_rank(X).item()
    ### END SOLUTION

# %% [markdown] hints="3.1.D"
# 1. There are d directions in all. How many of them change the predictions?
# 2. `torch.linalg.matrix_rank(X)` is the number of independent columns.
# 3. For the single example (1, 2) two weights have one condition to meet: one direction is free.

# %% check="3.1.D" points=1
sums_ = torch.tensor([[1., 2., 3.], [2., 1., 3.], [0., 1., 1.], [4., 0., 4.]], dtype=torch.float64)
two_rows_ = torch.tensor([[1., 0., 2., 5., 0.], [0., 1., -1., 3., 4.]], dtype=torch.float64)
found_ = free_directions(two_rows_)
assert_type(found_, (int, torch.Tensor), "what free_directions returns for a 2 × 5 matrix", of="a whole number")
if isinstance(found_, torch.Tensor):
    assert_shape(found_, (), "the shape of the result", of="a whole number")
    assert_true(not found_.dtype.is_floating_point,
                f"the result is a whole number: its dtype is one of integers (yours: {found_.dtype})", of="a whole number")
by_rounding_ = int(free_directions(torch.zeros(5, 3))) == 3 and int(free_directions(torch.ones(5, 3))) == 0
equal_alone_ = int(free_directions(torch.ones(5, 3))) == 2 and int(free_directions(sums_)) == 0
wide_alone_ = int(free_directions(torch.ones(5, 3))) == 2 and int(free_directions(sums_)) == 1
for table_, open_, which_ in ((two_rows_, 3, "2 examples of 5 features, neither row a multiple of the other"), (torch.ones(5, 3), 2, "5 examples of three equal features"), (sums_, 1, "4 examples of 3 features, the third the sum of the others"),
                              (sums_[:, :2], 0, "4 examples of 2 independent features")):
    rank_ = table_.shape[1] - open_
    if len(table_) < table_.shape[1]:
        known_ = {"Columns need not be equal to depend on each other: no five columns with two entries each are independent."
                  if equal_alone_ else
                  "For two matrices with more examples than features yours is right. This one has only two singular values, yet "
                  "five directions: count from d, not from the smaller one of n and d."
                  if wide_alone_ else
                  "There are d directions in all, also where d is larger than n: two examples cannot settle five weights.": 0,
                  "More than one direction is free here: count them all.": 1}
    else:
        known_ = {"Directions belong to the columns: subtract the rank from d, not from n.": len(table_) - rank_}
        if open_ == 2:
            known_["For a matrix of zeros yours is right. Here rounding leaves singular values of about 1e-8 in place of 0, so a "
                   "comparison with 0 does not find them: torch.linalg.matrix_rank counts those above a small bound."
                   if by_rounding_ else
                   "Many examples do not settle the weights where features are equal: it is the rank that counts, not n."] = 0
    assert_equal(int(free_directions(table_)), open_, f"the free directions for {which_}", of="count",
                 mistakes={"This is the rank: count the other directions.": rank_, **known_},
                 hint=f"Of the {table_.shape[1]} directions of the weights, as many as the rank change the predictions: here {rank_}.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(3140)
for n_, d_, rank_ in ((8, 6, 2), (3, 7, 3), (6, 4, 4), (5, 5, 1), (2, 5, 1)):
    thin_ = torch.randint(-3, 4, (n_, rank_), generator=rng).double() @ torch.randint(-3, 4, (rank_, d_), generator=rng).double()
    found_ = free_directions(thin_)
    assert_type(found_, (int, torch.Tensor), f"the free directions for shape ({n_}, {d_})", of="a whole number")
    assert_equal(int(found_), d_ - int(np.linalg.matrix_rank(thin_.numpy())), f"the free directions for a matrix of shape ({n_}, {d_}) and rank {int(np.linalg.matrix_rank(thin_.numpy()))}", of="count",
                 hint="Of the d directions of the weights, as many as the rank change the predictions; singular values that "
                      "are only rounding do not count for it.")
### END HIDDEN TESTS

# %% [markdown] task="3.1.4a" kind="code" minutes=8 difficulty=3 needs="null space by svd, dependent features"
# ### Different weights, the same predictions
#
# Write `another_solution(X, w)`. `X` of shape `(n, d)` has a rank below `d`, `w` has shape `(d,)`; both are float64. It returns other weights that make the same predictions.
#
# **You are done when**
# - **shape**: the weights are a float64 tensor of shape `(d,)`;
# - **same predictions**: `X` times your weights is `X @ w` (to 7 digits);
# - **far away**: your weights are at a distance of at least 1 from `w`;
# - **arguments kept**: `w` is as it was.

# %% exercise="3.1.4a"
def another_solution(X, w):
    """Weights at a distance of at least 1 from w with the same X @ w, for X of rank below d."""
    ### BEGIN SOLUTION
    direction = torch.linalg.svd(X).Vh[-1]              # a unit vector with X @ direction = 0
    return w + 2 * direction
    ### END SOLUTION

# %% [markdown] hints="3.1.4a"
# 1. If `X @ w` and `X @ v` are equal, what is `X @ (w - v)`?
# 2. Add to `w` a vector that `X` sends to zero. The last *row* of `Vh` is one, of length 1.
# 3. For the matrix with the single row (1, 2) the vector (2, −1) is sent to zero, so (3, 0) and (5, −1)
#    predict the same.

# %% check="3.1.4a" points=2
def judge_other(X, w, which):
    """Shape, predictions and distance of the other solution."""
    other = another_solution(X.clone(), w.clone())
    assert_type(other, torch.Tensor, f"what another_solution returns for {which}", of="shape")
    assert_shape(other, (X.shape[1],), f"the shape of your weights for {which}", of="shape")
    assert_dtype(other, torch.float64, f"the dtype of your weights for {which}", of="shape", hint="X is float64, and only a float64 tensor can be multiplied by it.")
    step, rows = other - w, torch.linalg.svd(X).Vh
    known = {"This moves along the last column of Vh: the directions are its rows.": rows[:, -1], "This moves along the first row of Vh, the one that changes the predictions most: take the last.": rows[0]}
    if len(X) < len(w):
        known["With full_matrices=False Vh has only as many rows as X here, and X sends none of those to zero."] = rows[len(X) - 1]
    hint = "X does not send to zero what you added to w."
    for sentence, row in known.items():
        if (step @ row).abs() > (1 - 1e-9) * step.norm():
            hint = sentence
    if (X @ other).norm() < 1e-9 * (X @ w).norm():
        hint = "X sends these weights themselves to zero: add them to w."
    assert_close(X @ other, X @ w, f"the predictions of your weights for {which}", of="same predictions", rtol=1e-7, atol=1e-7, hint=hint)
    distance = step.norm().item()
    assert_true(distance > 1 - 1e-6, f"your weights for {which} are at least 1 away from w; yours are {distance:.3g} away", of="far away",
                hint="This is w itself." if distance < 1e-9 else "How far apart two solutions are depends on both: move from w by a step whose length you choose.")

@probe
def given_weights_after(X, w):
    another_solution(X, w)
    return w

dependent_ = torch.tensor([[1., 2., 3.], [2., 1., 3.], [0., 1., 1.], [4., 0., 4.]], dtype=torch.float64)
start_ = torch.tensor([1., 0., -1.], dtype=torch.float64)
judge_other(dependent_, start_, "a 4 × 3 matrix whose third column is the sum of the others")
judge_other(torch.tensor([[1., 2., 0., 1.], [0., 1., -1., 3.]], dtype=torch.float64), torch.tensor([1., 2., 3., 4.], dtype=torch.float64), "2 examples of 4 features")
judge_other(torch.tensor([[1., -2.], [2., -4.], [3., -6.]], dtype=torch.float64), torch.tensor([0., 0.5], dtype=torch.float64), "a 3 × 2 matrix of rank 1")
for part_ in (2., -2.):
    judge_other(torch.tensor([[3., 4.]], dtype=torch.float64), torch.tensor([3 + 0.8 * part_, 4 - 0.6 * part_], dtype=torch.float64), f"the matrix ((3, 4)) and w = ({3 + 0.8 * part_:g}, {4 - 0.6 * part_:g})")
assert_close(given_weights_after(dependent_.clone(), start_.clone()), start_, "w after the call", of="arguments kept", hint="w += ... writes into the tensor that was given; w + ... makes a new one.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(314)
for n_, d_, rank_ in ((3, 5, 3), (7, 4, 2), (6, 3, 1), (1, 6, 1)):
    thin_ = torch.randn(n_, rank_, generator=rng, dtype=torch.float64) @ torch.randn(rank_, d_, generator=rng, dtype=torch.float64)
    given_ = torch.randn(d_, generator=rng, dtype=torch.float64)
    judge_other(thin_, given_, f"a {n_} × {d_} matrix of rank {rank_}")
    assert_close(given_weights_after(thin_.clone(), given_.clone()), given_, f"w after the call with a {n_} × {d_} matrix",
                 of="arguments kept",
                 hint="w += ... writes into the tensor that was given; w + ... makes a new one.")
for part_ in (1., -1., 1.5, -1.5, 5., -5., 10., -10.):
    judge_other(dependent_, torch.tensor([1., 1., 2.], dtype=torch.float64) + part_ * torch.tensor([1., 1., -1.], dtype=torch.float64) / math.sqrt(3), "a 4 × 3 matrix and a w with a part that X sends to zero")
### END HIDDEN TESTS

# %% [markdown] teaches="noise on the features"
# ### Noise mends it
#
# A strange remedy: spoil the features a little. Add independent normal noise with mean 0 and standard deviation $\sigma$ to every entry of the design matrix, $X + E$. With probability 1 the columns are then independent (for $n \ge d$), and there is one best $\mathbf w$. What does the noise do to the Gram matrix? Multiply out:
#
# $$(X + E)^\top (X + E) = X^\top X + X^\top E + E^\top X + E^\top E .$$
#
# On average? $X$ is fixed and every entry of $E$ has expectation 0, so the two terms in the middle have expectation 0. The last one is for you. An experiment, with one example of one feature in 200,000 noisy copies:

# %%
generator = torch.Generator().manual_seed(4)
spoilt = 3.0 + 0.5 * torch.randn(200_000, generator=generator, dtype=torch.float64)     # X is the 1 × 1 matrix (3), sigma is 0.5
print(f"X squared: 9, mean of the noisy squares: {(spoilt ** 2).mean():.3f}")

# %% [markdown] task="3.1.4b" kind="code" minutes=10 difficulty=3 needs="noise on the features, gram matrix, expectation, variance"
# ### The Gram matrix on average
#
# Write `expected_gram(X, sigma)` for a floating point tensor `X` of shape `(n, d)`: the expectation of $(X + E)^\top (X + E)$, by a formula. No noise is drawn.
#
# **You are done when**
# - **shape**: it is `(d, d)`;
# - **off the diagonal**: each entry is the expectation, exactly (to 5 digits);
# - **diagonal**: so is each entry there.

# %% exercise="3.1.4b"
def expected_gram(X, sigma):
    """E[(X + E)ᵀ (X + E)] for noise of standard deviation sigma in every entry; shape (d, d)."""
    ### BEGIN SOLUTION
    n, d = X.shape
    return X.T @ X + n * sigma ** 2 * torch.eye(d, dtype=X.dtype)
    ### END SOLUTION

# %% [markdown] hints="3.1.4b"
# 1. Entry $(i, j)$ of $E^\top E$ is a sum over the rows: how many terms has it?
# 2. Each term is a product of two entries of $E$. Those are independent, with expectation 0, unless they are the same entry; then the expectation is the variance. `torch.eye(d)` is the identity matrix, ones on the diagonal.
# 3. For a vector $\mathbf e$ of five such entries the expectation of $\mathbf e^\top \mathbf e$ is
#    $5 \sigma^2$.

# %% check="3.1.4b" points=2
design_ = torch.tensor([[1., 2., 3.], [2., 1., 3.], [0., 1., 1.], [4., 0., 4.], [1., 1., 0.], [0., 0., 0.], [0., 0., 0.]], dtype=torch.float64)     # two rows of zeros
gram_ = torch.from_numpy(design_.numpy().T @ design_.numpy())
found_ = expected_gram(design_, 0.7)
assert_type(found_, torch.Tensor, "what expected_gram returns for a 7 × 3 matrix", of="shape")
assert_shape(found_, (3, 3), "the shape for a 7 × 3 design matrix", of="shape", hint="The Gram matrix has a row and a column for each feature.")
across_ = ~torch.eye(3, dtype=torch.bool)
off_ = found_[across_] - gram_[across_]
drawn_ = off_.std() > 1e-4 and off_.abs().max() < 1                 # near, and each entry in another way
assert_close(found_[across_], gram_[across_], "the entries off the diagonal for a 7 × 3 design matrix and sigma 0.7", of="off the diagonal", rtol=1e-5,
             mistakes={"Two different entries of E are independent: their product has expectation 0, so only the diagonal gets something.": gram_[across_] + 7 * 0.49, "Only the diagonal gets something.": gram_[across_] + 0.49,
                       "The entries of E are not all σ: they have expectation 0, and σ is their standard deviation.": torch.from_numpy((design_.numpy() + 0.7).T @ (design_.numpy() + 0.7))[across_], "This divides by n: the Gram matrix is a sum over the rows, not a mean.": gram_[across_] / 7, "XᵀX is missing: here are only zeros.": torch.zeros(6, dtype=torch.float64),
                       "XᵀX is not multiplied: E adds to it, and on the diagonal only.": gram_[across_] * 1.49},
             hint="A formula, without drawn noise." if drawn_ else "Off the diagonal the noise adds nothing on average: there the expectation is that of XᵀX.")
more_ = found_.diagonal() - gram_.diagonal()
assert_close(more_, torch.full((3,), 3.43, dtype=torch.float64), "by how much your diagonal exceeds that of XᵀX, for a 7 × 3 design matrix and sigma 0.7", of="diagonal", rtol=1e-5,
             mistakes={"This is plain XᵀX: what does E add to the diagonal?": torch.zeros(3, dtype=torch.float64), "This adds σ² once; each of the n rows adds it.": torch.full((3,), 0.49, dtype=torch.float64), "This adds d σ²; the sum runs over the rows.": torch.full((3,), 1.47, dtype=torch.float64),
                       "This adds n σ: mind the square.": torch.full((3,), 4.9, dtype=torch.float64),
                       "It is added, not subtracted.": torch.full((3,), -3.43, dtype=torch.float64),
                       "All n rows count, those of zeros, too: noise is added to them as well.": torch.full((3,), 2.45, dtype=torch.float64), "n rows add it, not n - 1.": torch.full((3,), 2.94, dtype=torch.float64), "This adds 2 n σ²: each row adds σ² once.": torch.full((3,), 6.86, dtype=torch.float64), "n counts once, only σ is squared.": torch.full((3,), 24.01, dtype=torch.float64), "This adds n d σ²: d does not enter, each column has n entries of its own.": torch.full((3,), 10.29, dtype=torch.float64),
                       "This adds n σ⁴: σ² is the expectation of a squared entry of E.": torch.full((3,), 7 * 0.7 ** 4, dtype=torch.float64),
                       "This adds √n σ²: it is a sum over n rows, without a root.": torch.full((3,), math.sqrt(7) * 0.49, dtype=torch.float64)},
             hint="To each entry of the diagonal each of the n = 7 rows adds the expectation of a squared entry of E, which is σ² = 0.49.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(3140)
for n_, d_, sigma_ in ((7, 2, 3.), (2, 5, 0.1), (4, 4, 2.), (3, 1, 0.)):
    fixed_ = torch.randn(n_, d_, generator=rng, dtype=torch.float64)
    fixed_[-1] = 0
    found_, bare_ = expected_gram(fixed_, sigma_), torch.from_numpy(fixed_.numpy().T @ fixed_.numpy())
    assert_shape(found_, (d_, d_), f"the shape for a {n_} × {d_} design matrix", of="shape")
    across_ = ~torch.eye(d_, dtype=torch.bool)
    assert_close(found_[across_], bare_[across_], f"the entries off the diagonal for a {n_} × {d_} design matrix and sigma {sigma_}", of="off the diagonal", rtol=1e-5, atol=1e-7,
                 hint="Off the diagonal the noise adds nothing on average: there the expectation is that of XᵀX.")
    assert_close(found_.diagonal(), bare_.diagonal() + n_ * sigma_ ** 2, f"the diagonal for a {n_} × {d_} design matrix and sigma {sigma_}", of="diagonal", rtol=1e-5, atol=1e-7,
                 hint="To each entry of the diagonal each of the n rows adds σ², whatever X holds.")
### END HIDDEN TESTS

# %% [markdown]
# So on average noise on the features adds a multiple of the identity to the Gram matrix. To add such a thing on purpose, without any noise, is a method of its own, and among the many solutions it prefers one with small weights. A later section of this chapter, on weight decay, builds on that.

# %% [markdown] teaches="limit of gradient descent, pseudo-inverse"
# ### Gradient descent does not fail
#
# Gradient descent needs no inverse. If many weights are best, where does it stop? Look at the gradient once more: $X^\top \mathbf r$ is a weighted sum of the *rows* of $X$. A direction $\mathbf v$ of the null space is perpendicular to every row, for $X \mathbf v = \mathbf 0$ says just that. So no step moves along $\mathbf v$, whatever the residuals are, and the
# same holds for the gradient of every minibatch. What the start has in these directions, it keeps.

# %% tags=["demo"]
equal_columns = torch.tensor([[1., 1.], [2., 2.], [-1., -1.]])      # rank 1: the predictions depend on w₁ + w₂ only
sums_wanted = torch.tensor([2., 4., -2.])                           # every w with w₁ + w₂ = 2 fits exactly
fig, ax = plt.subplots(figsize=(5.6, 3.2), layout="constrained")
ax.plot([-1, 3], [3, -1], "k:", label="best weights")
for begin, style in (((0., 0.), "C0.-"), ((3., 1.), "C1.-"), ((-1., 2.), "C2.-")):
    w_walk = torch.tensor(begin)
    track = [w_walk]
    for _ in range(30):
        w_walk = w_walk - 0.05 * equal_columns.T @ (equal_columns @ w_walk - sums_wanted)
        track.append(w_walk)
    ax.plot(*torch.stack(track).T, style, label=f"from {begin}")
    print(f"from {begin} to {tuple(round(v, 3) for v in w_walk.tolist())}")
ax.set(xlabel="$w_1$", ylabel="$w_2$", aspect="equal")
fig.legend(loc="outside right upper")
plt.show()

# %% [markdown]
# *What to see:* each path meets the dotted line of best weights at a right angle. It ends at the best point *nearest to its start*.
#
# There is a tool for "nearest". The **pseudo-inverse** of $X$, `torch.linalg.pinv(X)`, has shape $(d, n)$. Times a vector $\mathbf r$ it gives the *shortest* $\mathbf v$ among all that make $\|X \mathbf v - \mathbf r\|$ as small as possible. Of all weights with $w_1 + w_2 = 2$ the shortest are (1, 1):

# %%
print(torch.linalg.pinv(equal_columns) @ sums_wanted)
print(torch.linalg.lstsq(equal_columns, sums_wanted[:, None], driver="gelsd").solution[:, 0])

# %% [markdown]
# ⚠ The second line does the same with `lstsq`, by a method that is named in `driver`. Without that argument the method depends on the device: on a processor torch takes one that is made for dependent columns, too, but has the fault of lesson 4; on a graphics card one that counts on independent columns. For dependent columns, or for fewer examples than features, trust neither.

# %% [markdown] task="3.1.4c" kind="code" minutes=12 difficulty=4 needs="limit of gradient descent, pseudo-inverse"
# ### Where gradient descent stops
#
# Write `descent_limit(X, y, w0)`: the weights to which gradient descent on $\frac12 \|X \mathbf w - \mathbf y\|^2$ converges from `w0`, if its learning rate is small enough. `X` of shape `(n, d)` has any rank; `y` has shape `(n,)`, `w0` shape `(d,)`; all are float64.
#
# **You are done when**
# - **shape**: it is a tensor of shape `(d,)`;
# - **from zero**: the limit from a start at zero is right;
# - **from elsewhere**: so is the limit from any other start;
# - **no exact fit**: so it is where no weights fit the targets exactly;
# - **slow directions**: it is the limit itself, where a million steps would not be enough, too.

# %% exercise="3.1.4c"
def descent_limit(X, y, w0):
    """The limit of gradient descent on the squared loss of X w against y from w0; shape (d,)."""
    ### BEGIN SOLUTION
    return w0 + torch.linalg.pinv(X) @ (y - X @ w0)
    ### END SOLUTION

# %% [markdown] hints="3.1.4c"
# 1. In the picture above, how does the way from the start to the limit lie to the line of best weights?
# 2. The limit is the best point nearest to the start. How much is still missing, in the predictions, at the start? Which is the shortest step that brings it?
# 3. For the single equation $w_1 + w_2 = 2$ from (3, 1): the step still to make is the shortest $\mathbf v$
#    with $v_1 + v_2 = -2$, that is (−1, −1), and the limit (2, 0).

# %% check="3.1.4c" points=2
def as_vectors(**slips):
    """The vectors of these names, with the sentences that they deserve."""
    said = {"from_zero": "This is the limit from zero: the start matters.",
            "whole_start": "The whole start was added; only the part of it that X sends to zero stays.",
            "step": "This is the step from the start: add it to the start.", "start": "This is the start.",
            "back": "The step goes the wrong way."}
    return {said[name]: torch.tensor(numbers, dtype=torch.float64) for name, numbers in slips.items()}

def if_best(X, y, w):
    """What is wrong with weights that are no limit: descent would go on, or they are not the nearest."""
    slope, finite = X.T @ (X @ w.double() - y), bool(torch.isfinite(w).all())
    if not finite or slope.norm() > 1e-3 * (X.norm() * y.norm()):
        return "The gradient is not zero there: gradient descent would go on." if finite else ""
    return "These weights are best, but others that are as good lie nearer to the start." if slope.norm() < 1e-9 * (X.norm() * y.norm()) else ""

flat_, wanted_ = torch.tensor([[1., 1.], [2., 2.], [-1., -1.]], dtype=torch.float64), torch.tensor([2., 4., -2.], dtype=torch.float64)
origin_, there_ = torch.zeros(2, dtype=torch.float64), torch.tensor([-1., 2.], dtype=torch.float64)
found_ = descent_limit(flat_, wanted_, origin_)
assert_type(found_, torch.Tensor, "what descent_limit returns for the picture above", of="shape")
assert_shape(found_, (2,), "the shape for two weights", of="shape", hint="The limit has the shape of w0.")
assert_close(found_, torch.tensor([1., 1.], dtype=torch.float64), "the limit from (0, 0) in the picture above",
             of="from zero", rtol=1e-4, atol=1e-6, hint=lambda: if_best(flat_, wanted_, found_),
             mistakes={"This is still the start: the gradient is not zero there, and descent goes on.": origin_,
                       "The step goes the wrong way.": torch.tensor([-1., -1.], dtype=torch.float64)})
found_ = descent_limit(flat_, wanted_, there_)
assert_shape(found_, (2,), "the shape for two weights and another start", of="shape")
assert_close(found_, torch.tensor([-0.5, 2.5], dtype=torch.float64), "the limit from (-1, 2) in the picture above",
             of="from elsewhere", rtol=1e-4, atol=1e-6,
             mistakes=as_vectors(from_zero=[1., 1.], whole_start=[0., 3.], step=[0.5, 0.5], start=[-1., 2.], back=[-1.5, 1.5]),
             hint=lambda: if_best(flat_, wanted_, found_))
split_ = torch.tensor([5., 1., 0.], dtype=torch.float64)
found_ = descent_limit(flat_, split_, origin_)
assert_shape(found_, (2,), "the shape for two weights and targets that no weights fit", of="shape")
assert_close(found_, torch.tensor([7 / 12, 7 / 12], dtype=torch.float64),
             "the limit from (0, 0) for the targets (5, 1, 0), which no weights fit", of="no exact fit", rtol=1e-4, atol=1e-6, hint=lambda: if_best(flat_, split_, found_))
assert_close(descent_limit(flat_, split_, there_), torch.tensor([-11 / 12, 25 / 12], dtype=torch.float64),
             "the limit from (-1, 2) for the targets (5, 1, 0), which no weights fit", of="no exact fit", rtol=1e-4, atol=1e-6,
             mistakes=as_vectors(from_zero=[7 / 12, 7 / 12], whole_start=[-5 / 12, 31 / 12], step=[1 / 12, 1 / 12], start=[-1., 2.],
                                 back=[-13 / 12, 23 / 12]))
slow_ = torch.tensor([[1., 1., 0.], [1., 1., 0.001]], dtype=torch.float64)
found_ = descent_limit(slow_, torch.tensor([2., 3.], dtype=torch.float64), torch.tensor([1., 0., 5.], dtype=torch.float64))
assert_shape(found_, (3,), "the shape for three weights", of="shape")
hint_ = "Steps would take too long here, since the third feature is 0.001; rounding to float32, a coarse cut or a number on the diagonal spoils it. `torch.linalg.pinv(X)` as it stands will do."
far_ = found_.double() - torch.tensor([1., 0., 5.], dtype=torch.float64)
missing_ = slow_.T @ (torch.tensor([2., 3.], dtype=torch.float64) - slow_ @ found_.double())
if missing_ @ far_ > 0 and (missing_ - (missing_ @ far_) / (far_ @ far_) * far_).norm() < 1e-3 * missing_.norm():
    hint_ = ("Here a number was added to the diagonal of XᵀX. Where a feature is as small as 0.001 it changes the answer: add none, "
             "`torch.linalg.pinv` needs none.")
elif found_[2] < 900:
    small_ = descent_limit(torch.tensor([[1., 0.], [0., 1e-4]], dtype=torch.float64), torch.ones(2, dtype=torch.float64),
                           torch.zeros(2, dtype=torch.float64))[1].item()
    hint_ = "The third weight has started at 5 and is still far from 1000. Its feature is 0.001" + (
        ": a coarse cut leaves it out. `torch.linalg.pinv(X)` as it stands will do." if abs(small_) < 1e-9 else
        ": steps would need millions of rounds. `torch.linalg.pinv(X)` needs none." if 0 < small_ < 9000 else ".")
assert_close(found_, torch.tensor([1.5, 0.5, 1000.], dtype=torch.float64), "the limit from (1, 0, 5) for X = ((1, 1, 0), (1, 1, 0.001)) and y = (2, 3)", of="slow directions", rtol=1e-4, hint=hint_)
### BEGIN HIDDEN TESTS
def limit_oracle(X, y, w0):
    """The start, plus the shortest solution (NumPy's, by singular values) of what is missing."""
    return w0 + torch.from_numpy(np.linalg.lstsq(X.numpy(), (y - X @ w0).numpy(), rcond=1e-10)[0])

rng = torch.Generator().manual_seed(3141)
def of_rank(n, d, sizes):
    """An n × d matrix with these singular values."""
    left, right = (torch.linalg.qr(torch.randn(k, len(sizes), generator=rng, dtype=torch.float64)).Q for k in (n, d))
    return left @ torch.diag(torch.tensor(sizes, dtype=torch.float64)) @ right.T

for n_, d_, sizes_, of_ in ((6, 4, (2., 1.), "no exact fit"), (3, 5, (2., 1.5, 1.), "from elsewhere"), (8, 3, (2., 1., 1.), "no exact fit"), (7, 4, (1., 0.0005), "slow directions"), (2, 3, (1., 0.001), "slow directions")):
    table_ = of_rank(n_, d_, sizes_)
    goal_, begin_ = torch.randn(n_, generator=rng, dtype=torch.float64), 3 * torch.randn(d_, generator=rng, dtype=torch.float64)
    which_ = f"a {n_} × {d_} matrix of rank {len(sizes_)}"
    assert_shape(descent_limit(table_, goal_, begin_), (d_,), f"the shape for {which_}", of="shape")
    assert_close(descent_limit(table_, goal_, torch.zeros(d_, dtype=torch.float64)), limit_oracle(table_, goal_, torch.zeros(d_, dtype=torch.float64)), f"the limit from zero for {which_}", of="from zero" if of_ != "slow directions" else of_, rtol=1e-4, atol=1e-5,
                 hint=lambda: if_best(table_, goal_, descent_limit(table_, goal_, torch.zeros(d_, dtype=torch.float64))))
    assert_close(descent_limit(table_, goal_, begin_), limit_oracle(table_, goal_, begin_), f"the limit from a random start for {which_}", of=of_, rtol=1e-4, atol=1e-5,
                 mistakes={"The start does not matter in your answer.": limit_oracle(table_, goal_, torch.zeros(d_, dtype=torch.float64))})
### END HIDDEN TESTS

# %% [markdown] teaches="distribution function, model of prices"
# ## 10. Prices
#
# Which noise a model should have is a question about the data. Here are the sale prices of 2,930 houses in Ames, Iowa.

# %% tags=["demo"]
prices = torch.tensor(pd.read_csv(d2l.data_file("ames.csv"))["Sale_Price"].to_numpy(), dtype=torch.float64)


def skewness(t):
    """The mean cube of the standardised values: 0 where both tails are alike, positive where the right one is longer."""
    return (((t - t.mean()) / t.std()) ** 3).mean().item()


print(f"{len(prices)} prices from {prices.min():.0f} to {prices.max():.0f} dollars, mean {prices.mean():.0f}, standard deviation {prices.std():.0f}")
print(f"skewness of the prices {skewness(prices):.2f}, of their logarithms {skewness(prices.log()):.2f}")
fig, both_axes = plt.subplots(1, 2, figsize=(7.4, 2.7), layout="constrained")
both_axes[0].hist(prices.numpy() / 1000, bins=50)
both_axes[0].set(xlabel="price (1,000 dollars)", ylabel="houses")
both_axes[1].hist(prices.log().numpy(), bins=50)
both_axes[1].set(xlabel="logarithm of the price", ylabel="houses")
plt.show()

# %% [markdown]
# *What to see:* the prices have a long tail to the right, their logarithms are nearly symmetric. A model with additive normal noise says: the price is $\hat y + \varepsilon$ with one $\sigma$ for all, the cheap and the dear. And it does not know that a price cannot be negative. How much probability does it waste on that?
#
# The probability that a normal draw lies below a number $z$ is its *distribution function*, the area of the bell to the left of $z$. `torch.distributions.Normal(mean, std).cdf(z)` computes it (section 2.6). The height of a wave has mean 2 m and standard deviation 0.5 m; a boat can stand 3 m:

# %%
waves = torch.distributions.Normal(torch.tensor([2., 3., 4.]), 0.5)         # three days with means 2, 3 and 4
print("below 3 m:", [round(v, 4) for v in waves.cdf(torch.tensor(3.)).tolist()])

# %% [markdown] task="3.1.7a" kind="code" minutes=6 difficulty=2 needs="distribution function, normal noise"
# ### A price below zero
#
# Write `chance_of_negative(y_hat, sigma)`: the probability that a model with additive normal noise of standard deviation `sigma` gives to a price below zero. `y_hat` is a floating point tensor of predicted prices of any shape, `sigma` a positive number.
#
# **You are done when**
# - **shape**: the result has the shape of `y_hat`;
# - **probability**: each entry is the probability of a price below zero;
# - **negative predictions**: it is right where the prediction itself is below zero, too.

# %% exercise="3.1.7a"
def chance_of_negative(y_hat, sigma):
    """P(y_hat + noise < 0) for normal noise with standard deviation sigma; the shape of y_hat."""
    ### BEGIN SOLUTION
    return torch.distributions.Normal(y_hat, sigma).cdf(torch.zeros_like(y_hat))
    ### END SOLUTION

# %% [markdown] hints="3.1.7a"
# 1. What is the mean of the price that the model believes in, and what its standard deviation?
# 2. `torch.distributions.Normal` takes tensors as means; `cdf(z)` is the probability of a value below z.
# 3. The probability that a temperature with mean 20 and standard deviation 5 exceeds 30 is
#    `1 - torch.distributions.Normal(20., 5.).cdf(torch.tensor(30.))`, 2.3 %.

# %% check="3.1.7a" points=1
forecast_, spread_ = torch.tensor([0., 30_000., 60_000.]), 30_000.
found_ = chance_of_negative(forecast_, spread_)
assert_type(found_, torch.Tensor, "what chance_of_negative returns for three prices", of="shape")
assert_shape(found_, (3,), "the shape for three prices", of="shape", hint="Every price has a probability of its own.")
again_ = chance_of_negative(forecast_, spread_)
right_ = torch.tensor([0.5, 0.158655, 0.022750])
hint_ = "Asked is the area of the bell with mean y_hat and standard deviation sigma to the left of 0."
if (found_ - right_).abs().max() < 0.03:
    hint_ = "Near, but not the probability itself: cdf gives it, and draws or another curve only come near."
if not torch.equal(found_, again_):
    hint_ = "Two calls give different numbers: this draws noise. cdf gives the probability itself."
small_ = chance_of_negative(torch.tensor([1.5, 6.]), 3.)
if hint_.startswith("Asked"):
    far_ = [round(v, 3) + 0. for v in (-torch.special.ndtri(small_.double())).tolist()]
    hint_ += " Zero lies 1.5 / 3 = 0.5 and 6 / 3 = 2 standard deviations below the predictions"
    hint_ += f"; yours are the probabilities for {far_[0]:g} and {far_[1]:g}." if all(map(math.isfinite, far_)) else "."
assert_close(small_, torch.tensor([0.308538, 0.022750]), "predictions of 1.5 and 6, sigma 3",
             of="probability", rtol=1e-4, atol=1e-5, hint=hint_,
             mistakes={sentence_: torch.tensor([math.erfc(z_ / math.sqrt(2)) / 2 for z_ in standard_]) for sentence_, standard_ in (
                 ("This is the probability of a price above zero.", (-0.5, -2.)), ("sigma is a standard deviation, not a variance.", (1.5 / math.sqrt(3), 6 / math.sqrt(3))),
                 ("sigma does not enter here: this is the probability for a standard deviation of 1.", (1.5, 6.)), ("The standard deviation is sigma, not its square.", (1.5 / 9, 6 / 9)),
                 ("erf wants its argument divided by √2.", (0.5 * math.sqrt(2), 2 * math.sqrt(2))))}
             | {"This is twice the probability: only one of the two tails lies below zero.": torch.tensor([0.617075, 0.045500]), "These are densities, not probabilities.": torch.distributions.Normal(torch.tensor([1.5, 6.]), 3.).log_prob(torch.zeros(2)).exp(),
                "A probability lies between 0 and 1: this is a percentage.": torch.tensor([30.85375, 2.2750]),
                "Whether the prediction itself is below zero is another question: its noise may carry the price there.": torch.zeros(2)})
assert_close(found_, torch.tensor([0.5, 0.158655, 0.022750]), "prices 0, 30,000 and 60,000, sigma 30,000", of="probability", rtol=1e-4, atol=1e-5, hint=hint_)
assert_shape(chance_of_negative(torch.ones(2, 4), 1.), (2, 4), "the shape for 2 × 4 prices", of="shape", hint="The shape of y_hat stays as it is.")
assert_close(chance_of_negative(torch.tensor([-30_000.]), spread_), torch.tensor([0.841345]), "a prediction of -30,000, sigma 30,000",
             of="negative predictions", rtol=1e-4,
             mistakes={"A price below zero is not certain: the noise may carry it above.": torch.ones(1),
                       "This is the probability for a prediction of 0: one below zero enters as it is.": torch.tensor([0.5])},
             hint="Where the prediction is below zero, a price below zero is the likelier one.")
### BEGIN HIDDEN TESTS
six_ = torch.tensor([[12., 50., 400.], [2., 90., 1.]], dtype=torch.float64)
for sigma_ in (50., 3.):
    for sign_, of_ in ((1, "probability"), (-1, "negative predictions")):
        right_ = torch.tensor([[0.5 * math.erfc(sign_ * v / sigma_ / math.sqrt(2)) for v in row] for row in six_.tolist()], dtype=torch.float64)
        assert_shape(chance_of_negative(sign_ * six_, sigma_), (2, 3), "the shape for six prices", of="shape")
        assert_close(chance_of_negative(sign_ * six_, sigma_), right_, f"the probabilities for six {'positive' if sign_ > 0 else 'negative'} predictions and sigma {sigma_}", of=of_, rtol=1e-4, atol=1e-6,
                     hint="Asked is the area of the bell with mean y_hat and standard deviation sigma to the left of 0.")
### END HIDDEN TESTS

# %% [markdown] teaches="regression on the logarithm"
# ### Predict the logarithm
#
# Now let the model predict $m$, and let the *logarithm* of the price have the normal noise: $\log y = m + \varepsilon$ with standard deviation $s$. Back to prices: $y = e^m \cdot e^\varepsilon$. The noise has become a *factor*. Half of all draws of $\varepsilon$ are below 0, so half of the prices are below $e^m$: that is the median. Is it the mean, too?

# %%
factors = torch.exp(0.8 * torch.randn(200_000, generator=torch.Generator().manual_seed(0)))
print(f"s = 0.8: median of the factors {factors.median():.3f}, mean {factors.mean():.3f}, exp(s² / 2) = {math.exp(0.8 ** 2 / 2):.3f}")

# %% [markdown]
# No. A factor of 3 upwards adds more than a factor of 1/3 takes away. The mean of $e^\varepsilon$ is $e^{s^2/2}$.

# %% [markdown] task="3.1.7b" kind="explain" minutes=15 difficulty=3 needs="regression on the logarithm, median"
# ### Regression on the logarithm
#
# First write `price_statistics(m, s)`: for a floating point tensor `m` of any shape and a number `s` ≥ 0 it returns a triple: the median price; the mean price; and the upper end divided by the lower end of the interval of $m \pm s$, both ends turned into prices.
#
# Then explain why the logarithm suits prices better than a normal error on the price itself. Say something about (1) the sign of prices, (2) the size of errors for cheap and dear houses, and (3) what a prediction of $e^m$ means.
#
# **You are done when**
# - **shape**: each of the three is a tensor of the shape of `m`;
# - **median**: the first is right;
# - **mean**: the second is right;
# - **ratio**: the third is right;
#
# and your text has all three points.

# %% exercise="3.1.7b"
def price_statistics(m, s):
    """(median, mean, upper / lower end of m ± s) of the price exp(m + noise), each of the shape of m."""
    ### BEGIN SOLUTION
    return m.exp(), (m + s ** 2 / 2).exp(), math.exp(2 * s) * torch.ones_like(m)
    ### END SOLUTION

# %% [markdown] hints="3.1.7b"
# 1. What does adding a constant to a logarithm do to the number?
# 2. The exponential keeps the order, so the median goes through it unchanged; the mean does not. The ends of
#    the interval are $e^{m - s}$ and $e^{m + s}$. `torch.exp` works entry by entry.
# 3. Two prices, 100 and 400, have the mean logarithm log 200, but the mean 250: the geometric mean is below
#    the arithmetic one.

# %% check="3.1.7b" points=3
house_ = torch.tensor([math.log(200_000.), math.log(50_000.)], dtype=torch.float64)
found_ = price_statistics(house_, 0.4)
assert_type(found_, (tuple, list), "what price_statistics returns", of="shape")
assert_equal(len(found_), 3, "how many tensors price_statistics returns", of="shape")
for k_, name_ in enumerate(("median", "mean", "ratio")):
    assert_type(found_[k_], torch.Tensor, f"the {name_} for two houses", of="shape")
    assert_shape(found_[k_], (2,), f"the shape of the {name_} for two houses", of="shape",
                 mistakes={f"The {name_} has an entry for each house" + (", though it is the same for both." if k_ == 2 else "."): ()})
both_ = torch.tensor([200_000., 50_000.], dtype=torch.float64)
with part(0.5, "the median"):
    assert_close(found_[0], both_, "the median prices for two houses with exp(m) = 200,000 and 50,000, s = 0.4", of="median", rtol=1e-5,
                 mistakes={"This is the mean: the median lies below it.": both_ * math.exp(0.08),
                           "This is still the logarithm.": house_,
                           "m is a natural logarithm: exp leads back from it, not a power of 10.": 10 ** house_},
                 hint="Half of the prices lie below exp(m).")
with part(0.5, "the mean"):
    assert_close(found_[1], both_ * math.exp(0.08), "the mean prices for the two houses, s = 0.4", of="mean", rtol=1e-5,
                 mistakes={"This is the median: the mean lies above it.": both_, "The exponent is s²/2, not s².": both_ * math.exp(0.16), "The exponent is s²/2, not s/2.": both_ * math.exp(0.2), "The mean lies above the median, not below.": both_ * math.exp(-0.08),
                           "The mean of the price is not the middle of the interval's ends.": both_ * math.cosh(0.4),
                           "exp(s²/2) is a factor: multiply by it.": both_ + math.exp(0.08),
                           "1 + s²/2 comes only near exp(s²/2): take the exponential.": both_ * 1.08},
                 hint="The mean is the median times the mean of the factor, exp(s²/2), exactly: draws only come near."
                 + (f" With s = 0.4 that is exp(0.08); yours is exp({math.log(found_[1][0].item() / 200_000):.4g}) times the "
                    f"median." if found_[1][0].item() > 0 else ""))
    assert_close(price_statistics(house_, 0.1)[1], both_ * math.exp(0.005), "the mean prices for the two houses, s = 0.1",
                 of="mean", rtol=1e-5, mistakes={"This is the median: the mean lies above it, for a small s, too.": both_},
                            hint="s is an argument: the factor is exp(s²/2) for every s.")
with part(0.5, "the ratio"):
    assert_close(found_[2], torch.full((2,), math.exp(0.8), dtype=torch.float64), "the ratio of the interval's ends for the two houses, s = 0.4", of="ratio", rtol=1e-5,
                 mistakes={"This is the ratio of the logarithms: turn the ends into prices first.": (house_ + 0.4) / (house_ - 0.4), "This is the ratio of the upper end to the middle.": torch.full((2,), math.exp(0.4), dtype=torch.float64),
                           "This is the lower end divided by the upper one.": torch.full((2,), math.exp(-0.8), dtype=torch.float64), "This is the difference of the ends: divide them.": both_ * (math.exp(0.4) - math.exp(-0.4)),
                           "(1 + s) / (1 - s) comes only near it: the ends are exp(m + s) and exp(m - s).": torch.full((2,), 1.4 / 0.6, dtype=torch.float64),
                           "s is not squared here: the ends are exp(m + s) and exp(m - s).": torch.full((2,), math.exp(0.16), dtype=torch.float64),
                           "This is the logarithm of the ratio: turn the ends into prices first.": torch.full((2,), 0.8, dtype=torch.float64)},
                 hint="Turn m + s and m - s into prices, then divide the upper end by the lower."
                 + (f" With s = 0.4 the ends are exp(m + 0.4) and exp(m - 0.4); yours is "
                    f"exp({math.log(found_[2][0].item()):.4g})." if found_[2][0].item() > 0 else ""))
### BEGIN HIDDEN TESTS
logs_ = torch.tensor([[0., 5., -2.], [11., 12.5, 3.]], dtype=torch.float64)
with part(0.5, "median and shapes of six houses"):
    for s_ in (0.2, 1.5):
        found_ = price_statistics(logs_, s_)
        for k_, name_ in enumerate(("median", "mean", "ratio")):
            assert_shape(found_[k_], (2, 3), f"the shape of the {name_} for 2 × 3 houses", of="shape")
        assert_close(found_[0], torch.from_numpy(np.exp(logs_.numpy())), f"the medians for 2 × 3 houses, s = {s_}",
                     of="median", rtol=1e-5,
                     hint="Half of the prices lie below exp(m).")
with part(0.5, "means of six houses"):
    for s_ in (0.2, 1.5, 0.):
        assert_close(price_statistics(logs_, s_)[1], torch.from_numpy(np.exp(logs_.numpy()) * np.exp(s_ ** 2 / 2)), f"the means for 2 × 3 houses, s = {s_}", of="mean", rtol=1e-5,
                     hint="The mean is the median times exp(s²/2), for every s; for s = 0 the two are equal.")
with part(0.5, "ratios of six houses"):
    for s_ in (0.2, 1.5, 0.):
        assert_close(price_statistics(logs_, s_)[2], torch.from_numpy(np.exp(logs_.numpy() + s_) / np.exp(logs_.numpy() - s_)), f"the ratios for 2 × 3 houses, s = {s_}", of="ratio", rtol=1e-5,
                     hint="Turn m + s and m - s into prices, then divide the upper end by the lower; for s = 0 the two are "
                          "equal.")
total()
### END HIDDEN TESTS

# %% [markdown] written="3.1.7b" points=3
# ### BEGIN SOLUTION
# An exponential is positive, so a model of log y never predicts, nor gives any probability to, a negative
# price. A normal error in the logarithm is a factor on the price: the interval of one standard deviation
# reaches from e^(-s) to e^s times the prediction, for a cheap house as for a dear one. That is how prices
# differ, by percentages. One additive σ would be far too wide for cheap houses and too narrow for dear ones,
# and least squares would be ruled by the dear ones. The Ames prices point the same way: their skewness is 1.74, that
# of their logarithms -0.01. Turned back, e^m is the median of the price. The mean is larger by the factor
# e^(s²/2), so a sum of predictions e^m would be too low on average.
#
# **Rubric**
# - [1] Positive prices: the exponential cannot be negative, the additive model gives probability to negative prices; also accepted: a number from 3.1.7a; lost by "the logarithm of a negative price is negative".
# - [1] Relative errors: a constant error in the logarithm is a constant percentage (a factor), for cheap and dear houses alike; also accepted: one additive σ is too wide for cheap houses or too narrow for dear ones; lost by "the logarithm makes errors smaller".
# - [1] e^m is the median, or: it is not the mean, which is e^(m + s²/2); also accepted: the prediction is too low on average, or the geometric mean; lost by "e^m is the expected price".
# ### END SOLUTION

# %% [markdown] task="3.1.7c" kind="explain" minutes=12 difficulty=3 needs="regression on the logarithm, log1p and expm1"
# ### Penny stocks
#
# A share can be traded only at multiples of a *tick*, often one cent. For a share of 100 dollars that is fine enough. A penny stock costs a few cents.
#
# First write `log_step(price, tick)`: by how much the logarithm of the price changes when the price goes up by one tick, for a float64 tensor `price` of positive numbers, of any shape, and a number `tick`.
#
# Then explain (1) what goes wrong when the log price of a penny stock is modelled with normal noise of a small standard deviation, (2) with numbers for a price of 2 cents and one of 100 dollars, and (3) name a model or a remedy that fits better.
#
# **You are done when**
# - **shape**: the result is a tensor of the shape of `price`;
# - **dtype**: it is float64;
# - **values**: each entry is the change of the natural logarithm, to 6 digits;
#
# and your text has all three points.

# %% exercise="3.1.7c"
def log_step(price, tick):
    """log(price + tick) - log(price), the shape and dtype of price."""
    ### BEGIN SOLUTION
    return torch.log1p(tick / price)
    ### END SOLUTION

# %% [markdown] hints="3.1.7c"
# 1. Which prices can follow on 2 cents, and how far apart are their logarithms?
# 2. log(p + t) − log(p) = log(1 + t/p). If the possible values lie further apart than the noise is wide, a
#    density says little.
# 3. A scale that shows whole kilograms serves for sacks of 50 kg, where a step is 2 %, and not for letters.

# %% check="3.1.7c" points=1
quotes_ = torch.tensor([0.01, 0.02, 100.], dtype=torch.float64)
steps_ = torch.tensor([math.log(2), math.log(1.5), math.log1p(0.0001)], dtype=torch.float64)
found_ = log_step(quotes_, 0.01)
assert_type(found_, torch.Tensor, "what log_step returns for three prices", of="shape")
assert_shape(found_, (3,), "the shape for three prices", of="shape", hint="Each price has a step of its own, by one tick.")
assert_dtype(found_, torch.float64, "the dtype for float64 prices", of="dtype")
assert_close(found_[:2], steps_[:2], "one tick of 0.01 up from 0.01 and from 0.02", of="values", rtol=1e-6,
             mistakes={"This is the relative change, tick / price, not that of the logarithm.": torch.tensor([1., 0.5], dtype=torch.float64), "This is one tick down, not up.": torch.tensor([math.inf, math.log(2)], dtype=torch.float64),
                       "Natural logarithms, please.": steps_[:2] / math.log(10), "Natural logarithms, please, not those to base 2.": steps_[:2] / math.log(2), "The sign: the price goes up.": -steps_[:2], "This is the logarithm of the new price: subtract that of the old one.": torch.tensor([math.log(0.02), math.log(0.03)], dtype=torch.float64),
                       "This is the logarithm of the difference: asked is the difference of the logarithms.": torch.full((2,), math.log(0.01), dtype=torch.float64),
                       "This is tick / new price, a relative change, not that of the logarithm.": torch.tensor([0.5, 1 / 3], dtype=torch.float64),
                       "This is the quotient of the logarithms: asked is their difference.":
                           torch.tensor([math.log(0.02) / math.log(0.01), math.log(0.03) / math.log(0.02)], dtype=torch.float64),
                       "1 is added to both prices here: log1p takes tick / price, once.":
                           torch.tensor([math.log(1.02 / 1.01), math.log(1.03 / 1.02)], dtype=torch.float64),
                       "This is the step from the new price to the one after it: the tick is compared with the old price.":
                           torch.tensor([math.log(1.5), math.log(4 / 3)], dtype=torch.float64),
                       "These are the first terms of a series: they come near for small steps only.": torch.tensor([0.5, 0.375], dtype=torch.float64)},
             hint="It is log(price + tick) - log(price): 0.01 becomes 0.02, 2 times as much, and 0.02 becomes 0.03, 1.5 times "
                  f"as much. Yours are the logarithms of {math.exp(min(found_[0].item(), 50)):.4g} and "
             f"{math.exp(min(found_[1].item(), 50)):.4g}.")
short_ = torch.tensor(100.)                                     # in float32
assert_close(found_[2], steps_[2], "one tick of 0.01 up from 100", of="values", rtol=1e-6,
             mistakes={"float32 has 7 digits only, and the two logarithms are nearly equal: stay in float64.": ((short_ + 0.01).log() - short_.log()).double(), "float32 has 7 digits only, and the ratio of the prices is nearly 1: stay in float64.": ((short_ + 0.01) / short_).log().double()},
             hint="For the cheap prices it was right: six digits are asked for, however small the change is.")
assert_shape(log_step(torch.full((2, 3), 5., dtype=torch.float64), 0.5), (2, 3), "the shape for 2 × 3 prices", of="shape")
assert_close(log_step(torch.tensor([[2.]], dtype=torch.float64), 0.5), torch.tensor([[math.log(1.25)]], dtype=torch.float64),
             "one tick of 0.5 up from 2", of="values", rtol=1e-6,
             mistakes={"The tick is an argument, not always one cent.": torch.tensor([[math.log(2.01 / 2)]], dtype=torch.float64)},
             hint="The price becomes 2.5: log 2.5 - log 2.")
### BEGIN HIDDEN TESTS
quotes_ = torch.tensor([[0.03, 0.5, 7.], [40., 1000., 0.25]], dtype=torch.float64)
for tick_ in (0.01, 0.05):
    assert_shape(log_step(quotes_, tick_), (2, 3), "the shape for six prices", of="shape")
    assert_dtype(log_step(quotes_, tick_), torch.float64, "the dtype for six prices", of="dtype")
    assert_close(log_step(quotes_, tick_), torch.from_numpy(np.log1p(tick_ / quotes_.numpy())), f"the steps for six prices, tick {tick_}", of="values", rtol=1e-6,
                 hint="It is log(price + tick) - log(price), to six digits however small the tick is beside the price.")
### END HIDDEN TESTS

# %% [markdown] written="3.1.7c" points=3
# ### BEGIN SOLUTION
# From 2 cents the next prices are 3 cents and 1 cent. The logarithm moves by log 1.5 = 0.405 upwards and by
# log 2 = 0.693 downwards, and nothing lies between. At 100 dollars a tick moves it by 0.0001. Normal noise
# with a standard deviation of, say, 0.05 gives nearly all its probability to prices that cannot occur, and
# treats an ordinary move by one tick as an event of eight standard deviations. Most days the price does not
# change at all, which a continuous density gives probability zero. So the noise is discrete and depends on
# the price. A better model counts ticks, as a distribution over whole numbers of ticks moved with the chance
# of none, or integrates the density over each tick; or such shares are left out of the fit.
#
# **Rubric**
# - [1] Discreteness: only multiples of the tick occur, so the log price takes few, widely separated values, no continuous ones; also accepted: unchanged prices have probability zero under a density; lost by "penny stocks are merely more volatile".
# - [1] Numbers: one tick is about 0.41 up (or 0.69 down) in the logarithm at 2 cents, about 0.0001 at 100 dollars; also accepted: 50 % and 0.01 %; lost by giving no number.
# - [1] A fitting remedy: a discrete model of ticks, probabilities of intervals, noise that depends on the price, or leaving them out; also accepted: any discrete or rounded model, or predicting something else than the log price with a reason; lost by "take the logarithm twice" or "more data".
# ### END SOLUTION

# %% [markdown] teaches="poisson distribution"
# ## 11. Counts
#
# How many calls arrive in an hour? Counts are whole numbers and never negative, and a busy hour varies more than a quiet one. The **Poisson distribution** with *rate* $\lambda > 0$ is made for that:
#
# $$p(k) = \frac{\lambda^k e^{-\lambda}}{k!}, \qquad k = 0, 1, 2, \ldots$$
#
# It arises where many independent callers each call with a small probability. Its mean and its variance are *both* $\lambda$. So no second parameter is needed for the spread: it grows with the mean.

# %%
generator = torch.Generator().manual_seed(0)
for rate_level in (1.5, 20.0):
    calls = torch.poisson(torch.full((100_000,), rate_level), generator=generator)
    print(f"rate {rate_level:4}: first draws {calls[:6].int().tolist()}, mean {calls.mean():.2f}, variance {calls.var():.2f}")

# %% tags=["demo"]
bars = torch.arange(9)
normal_like = torch.distributions.Normal(1.5, math.sqrt(1.5))
print(f"normal density with mean and variance 1.5: probability of a negative count {normal_like.cdf(torch.tensor(0.)):.3f}")
fig, ax = plt.subplots(figsize=(6, 2.8), layout="constrained")
ax.bar(bars.numpy(), torch.distributions.Poisson(1.5).log_prob(bars.float()).exp().numpy(), width=0.3, label="Poisson, p(k)")
bell_grid = torch.linspace(-3, 8, 200)
ax.plot(bell_grid, normal_like.log_prob(bell_grid).exp(), "C3", label="normal, density")
ax.set(xlabel="k", ylabel="probability or density")
fig.legend(loc="outside right upper")
plt.show()

# %% [markdown]
# *What to see:* the bars are $p(k)$ for $\lambda = 1.5$, the curve is the normal density of the same mean and variance. It gives 11 % to negative counts and spreads the rest over numbers that are no counts.

# %% [markdown] task="3.1.8a" kind="answer" minutes=6 difficulty=2 needs="poisson distribution, normal noise"
# ### Why normal noise fails for counts
#
# Someone models the number of calls in an hour as $y = \mathbf w^\top \mathbf x + b + \varepsilon$ with normal noise of one $\sigma$. Which of these are sound objections?
#
# - A: The model gives probability to negative counts.
# - B: The spread of counts grows with their mean; one $\sigma$ for all does not.
# - C: Every single count has probability zero under a density, and numbers between counts are as likely as counts.
# - D: The squared loss cannot be computed for integers.
# - E: The predicted mean $\mathbf w^\top \mathbf x + b$ can be negative.
# - F: A mean that is not a whole number, such as 2.3 calls, is meaningless.
#
# Set `objections` to the set of the letters of the sound ones. The check shows whether A and D are decided rightly; the other four stay for grading.
#
# **You are done when**
# - **letters**: it is a set (or list) of letters from A to F;
# - **sound**: every sound objection is in it;
# - **not sound**: no other is.

# %% exercise="3.1.8a"
### BEGIN SOLUTION
objections = {"A", "B", "C", "E"}
### END SOLUTION

# %% [markdown] hints="3.1.8a"
# 1. For each letter: does the Poisson model have the same property?
# 2. The mean of a distribution need not be one of its values. A square of a difference is defined for integers.
# 3. The mean of a die is 3.5, which no throw shows, and nobody minds.

# %% check="3.1.8a" points=1 hidden_only="two thirds of the decisions stay for grading"
assert_type(objections, (set, frozenset, list, tuple), "the letters", of="letters")
assert_true(all(isinstance(letter_, str) and letter_ in tuple("ABCDEF") for letter_ in objections),
            "every entry of objections is one of the letters A to F, in quotation marks", of="letters",
            hint="Capital letters, each an entry by itself.")
assert_equal("A" in objections, True, "whether A, negative counts, is among your letters", of="sound", hint="How many calls can a normal draw with mean 1 give?")
assert_equal("D" in objections, False, "whether D, the squared loss of integers, is among your letters", of="not sound", hint="(3 - 2.5)² is a number like any other.")
### BEGIN HIDDEN TESTS
chosen_ = set(objections)
assert_true(len(chosen_) <= 6, "at most six letters", of="letters")
assert_equal("F" in chosen_, False, "whether F, a mean that is no count, is among your letters", of="not sound", hint="The rate of a Poisson distribution is such a mean.")
assert_equal("B" in chosen_, True, "whether B, the spread of counts, is among your letters", of="sound", hint="The variance of a Poisson distribution is its mean.")
assert_equal("C" in chosen_, True, "whether C, densities and counts, is among your letters", of="sound", hint="What does a normal density say of the count 3, and of 2.5?")
assert_equal("E" in chosen_, True, "whether E, negative means, is among your letters", of="sound", hint="A rate is positive.")
### END HIDDEN TESTS

# %% [markdown] teaches="logarithm of a factorial"
# ### Large counts
#
# The formula for $p(k)$ is a trap for a computer: $\lambda^k$ and $k!$ are huge and $e^{-\lambda}$ is tiny, although the three together are harmless. The way out is the usual one: compute the *logarithm*, $\log p(k) = k \log \lambda - \lambda - \log k!$, and take one exponential at the end. For $\log k!$ there is the function `torch.lgamma`: $\log k! = \texttt{lgamma}(k + 1)$.

# %%
print("log 5!:", torch.lgamma(torch.tensor(6.)).item(), "=", math.log(120))
print("170 to the power 170 in float64:", torch.tensor(170., dtype=torch.float64) ** 170, " its logarithm:", 170 * math.log(170))
print("log 400! from an integer tensor:", torch.lgamma(torch.tensor(401)).dtype, " from float64:", torch.lgamma(torch.tensor(401., dtype=torch.float64)).item())

# %% [markdown]
# ⚠ From integers `lgamma` computes in float32, with 7 digits. $\log 400!$ is about 2,000, so three digits are left behind the point; after the exponential the result is right to three or four digits only. Make float64 of the counts first.

# %% [markdown] task="3.1.8b" kind="code" minutes=10 difficulty=3 needs="poisson distribution, logarithm of a factorial, broadcasting"
# ### The Poisson distribution
#
# Write `poisson(k, rate)`: the probabilities $p(k)$. `k` is a tensor of whole numbers from 0 to 1,000, of an integer or a floating point dtype; `rate` is a float64 tensor of positive numbers. The two are broadcast against each other.
#
# **You are done when**
# - **shape**: it is that of `k` and `rate` broadcast;
# - **dtype**: it is float64;
# - **small counts**: for counts like 0, 1, 2 the probabilities are right;
# - **large counts**: for counts and rates up to 1,000, too, where none of $\lambda^k$, $k!$ and $e^{-\lambda}$ fits into a number, in float32 as in float64;
# - **integer counts**: for integer `k`, too, to 6 digits.

# %% exercise="3.1.8b"
def poisson(k, rate):
    """Poisson probabilities of the counts k at the given rate, float64, for large counts, too."""
    ### BEGIN SOLUTION
    k = k.to(torch.float64)
    return torch.exp(k * torch.log(rate) - rate - torch.lgamma(k + 1))
    ### END SOLUTION

# %% [markdown] hints="3.1.8b"
# 1. Which quantity of moderate size can you compute first, so that a single exponential gives the result?
# 2. Work with $\log p(k)$. `k.double()` makes float64 of the counts, whatever they are.
# 3. $\binom{1000}{500} / 2^{1000}$ likewise: `exp(lgamma(1001) - 2 * lgamma(501) - 1000 * log(2))` is 0.0252.

# %% check="3.1.8b" points=2
whole_, level_ = torch.arange(6, dtype=torch.float64), torch.tensor(2.5, dtype=torch.float64)
found_ = poisson(whole_, level_)
assert_type(found_, torch.Tensor, "what poisson returns for six counts and one rate", of="shape")
assert_shape(found_, (6,), "the shape for six counts and one rate", of="shape")
assert_dtype(found_, torch.float64, "the dtype for float64 counts", of="dtype")
assert_dtype(poisson(torch.tensor([0., 3.]), level_), torch.float64, "the dtype for float32 counts", of="dtype")
first_four_ = torch.tensor([1., 2.5, 3.125, 15.625 / 6], dtype=torch.float64) * math.exp(-2.5)
assert_close(found_[:4], first_four_, "p(0), p(1), p(2) and p(3) at rate 2.5", of="small counts", rtol=1e-6,
             mistakes={"The factor exp(-rate) is missing.": first_four_ * math.exp(2.5),
                       "k! stands above the line: log k! is subtracted.": first_four_ * torch.tensor([1., 1., 4., 36.], dtype=torch.float64),
                       "Here the probabilities of the counts that were asked for add up to 1. Those of all counts do: nothing is divided by a sum.":
                           first_four_ / 0.95797896,
                       "The division by k! is missing.": first_four_ * torch.tensor([1., 1., 2., 6.], dtype=torch.float64),
                       "lgamma(k) is log (k - 1)!, not log k!.": first_four_ * torch.tensor([0., 1., 2., 3.], dtype=torch.float64),
                       "This is the logarithm of the probability.": first_four_.log(),
                       "The division is by (k - 1)! for k = 2 and 3: lgamma(k + 1) is log k!.":
                           first_four_ * torch.tensor([1., 1., 2., 3.], dtype=torch.float64),
                       "k and rate are exchanged.":
                           torch.tensor([0., 0.1106953326, 0.2303614571, 0.233530432], dtype=torch.float64),
                       "The exponent is -rate: the probabilities have to add up to 1.": first_four_ * math.exp(5),
                       "lgamma(k + 1) is log k! already; lgamma(k + 2) is log (k + 1)!.":
                           first_four_ / torch.tensor([1., 2., 3., 4.], dtype=torch.float64),
                       "This is the probability of at most k: p(k) is that of k itself.": first_four_.cumsum(0)},
             hint="Nearly: for counts as small as these an approximation of k! is not good enough."
             if ((found_[:4] / first_four_)[1:] - 1).abs().max() < 0.1 else
             "p(0) is exp(-2.5) = 0.0821; from p(0) to p(1) comes the factor 2.5, from p(1) to p(2) the factor 2.5 / 2 = 1.25. "
             f"In yours p(0) is {found_[0].item():.4g}, and the factors are {(found_[1] / found_[0]).item():.4g} and "
             f"{(found_[2] / found_[1]).item():.4g}.")
tall_, wide_ = torch.tensor([[0.], [250.], [700.]], dtype=torch.float64), torch.tensor([0.3, 240., 690., 5.], dtype=torch.float64)
assert_shape(poisson(tall_ / 50, wide_), (3, 4), "the shape for counts of shape (3, 1) and rates of shape (4,)", of="shape")
right_ = torch.tensor([[0.7408182206817, 0., 0., 0.006737946999085], [0., 0.02053753779445, 0., 0.], [0., 0., 0.01402780335543, 0.]],
                      dtype=torch.float64)          # where 0 stands, the probability is below 1e-82
found_ = poisson(tall_, wide_)
lost_ = not torch.isfinite(found_).all() or ((found_ == 0) & (right_ > 1e-6)).any()
assert_close(found_, right_, "counts 0, 250, 700 and rates 0.3, 240, 690, 5", of="large counts", rtol=1e-6, atol=1e-12, mistakes={
                 "Each entry has a rate of its own: this takes the first for all.": torch.tensor([0.7408182206817, 0., 0.], dtype=torch.float64)[:, None].expand(3, 4)},
             hint="The probability of 250 at rate 240 is 0.0204; its power and its factorial do not fit into a number, their logarithms do." if lost_ else
             "Right to three or four digits, as where log k! is found in float32: make float64 of the counts first, and stay in it."
             if torch.allclose(found_, right_, rtol=2e-3, atol=1e-12) and abs(found_[1, 1] / right_[1, 1] - 1) < 1e-4 else
             "Nearly: a normal density, or an approximation of k!, is not good enough." if (found_ - right_).abs().max() < 0.002 else "")
assert_close(poisson(tall_.float(), wide_), right_, "the same with float32 counts", of="large counts", rtol=1e-5, atol=1e-12, hint="From float32 counts log k! is found in float32 only: convert k to float64 first.")
three_, levels_ = torch.tensor([0, 2, 400]), torch.tensor([1., 2.5, 390.], dtype=torch.float64)
found_ = poisson(three_, levels_)
assert_shape(found_, (3,), "the shape for three counts and three rates", of="shape", hint="Each count has its own rate here: broadcasting pairs them.")
assert_close(found_, torch.tensor([0.3678794411714, 0.2565156206997, 0.01756227165603], dtype=torch.float64),
             "the integer counts 0, 2, 400 at rates 1, 2.5, 390", of="integer counts", rtol=1e-6,
             hint="From integer counts log k! is found in float32 only: convert k to float64 first.")
full_, most_ = torch.tensor([880., 1000.], dtype=torch.float64), torch.tensor([900., 1000.], dtype=torch.float64)
assert_close(poisson(full_, most_), torch.tensor([0.01074966127621, 0.01261461134872], dtype=torch.float64),
             "the counts 880 and 1000 at rates 900 and 1000", of="large counts", rtol=1e-6,
             mistakes={"exp(-900) is 0 in floating point: add up all three logarithms before you take the exponential.": torch.zeros(2, dtype=torch.float64)},
             hint="Add up all three logarithms in float64, and take one exponential at the end: no power, no factorial and no exp(-rate) by itself.")
### BEGIN HIDDEN TESTS
def poisson_oracle(k, rate):
    """By Python's own logarithms, in float64, broadcast by NumPy."""
    one = np.vectorize(lambda count, level: math.exp(count * math.log(level) - level - math.lgamma(count + 1)))
    return torch.from_numpy(one(k.numpy().astype(float), rate.numpy()))

tall_, wide_ = torch.tensor([[0.], [3.], [170.], [400.], [950.]], dtype=torch.float64), torch.tensor([0.3, 5., 390.], dtype=torch.float64)
assert_shape(poisson(tall_, wide_), (5, 3), "the shape for shapes (5, 1) and (3,)", of="shape")
assert_dtype(poisson(tall_.int(), wide_), torch.float64, "the dtype for int32 counts", of="dtype")
assert_close(poisson(tall_[:2], wide_), poisson_oracle(tall_[:2], wide_), "counts 0 and 3, rates 0.3, 5, 390",
             of="small counts", rtol=1e-5, atol=1e-300,
             hint="One exponential of k log(rate) - rate - log k!, for small and for large rates.")
assert_close(poisson(tall_, wide_), poisson_oracle(tall_, wide_), "counts up to 950, rates up to 390",
             of="large counts", rtol=1e-5, atol=1e-12,
             hint="Add up all three logarithms in float64, and take one exponential at the end.")
many_, rate_ = torch.arange(900, dtype=torch.int64), torch.tensor(300., dtype=torch.float64)
assert_close(poisson(many_, rate_), poisson_oracle(many_, rate_), "the integer counts 0 to 899 at rate 300", of="integer counts", rtol=1e-6, atol=1e-12, hint="From integer counts log k! is found in float32 only: convert k to float64 first.")
assert_close((many_.double() * poisson(many_, rate_)).sum(), rate_, "the mean of the counts at rate 300", of="integer counts", rtol=1e-6)
assert_close(poisson(tall_, 2.5 * wide_), poisson_oracle(tall_, 2.5 * wide_), "counts up to 950, rates up to 975",
             of="large counts", rtol=1e-5, atol=1e-12,
             hint="Add up all three logarithms in float64, and take one exponential at the end: no power, no factorial and no "
                  "exp(-rate) by itself.")
assert_close(poisson(tall_.float(), wide_), poisson_oracle(tall_, wide_), "float32 counts up to 950", of="large counts", rtol=1e-5, atol=1e-12, hint="From float32 counts log k! is found in float32 only: convert k to float64 first.")
### END HIDDEN TESTS

# %% [markdown] teaches="poisson loss"
# ### A loss for rates
#
# A model that predicts a rate $\lambda_i$ for each hour has the negative log-likelihood $\sum_i (\lambda_i - k_i \log \lambda_i + \log k_i!)$. The last term contains no prediction: it is dropped. What is left, as a mean over the examples, is the **Poisson loss**. A single hour with $k = 3$ calls, and some predictions:

# %%
for predicted in (1.0, 2.0, 3.0, 4.0):
    print(f"rate {predicted}: loss {predicted - 3 * math.log(predicted):.4f}, slope {1 - 3 / predicted:+.3f}")

# %% [markdown]
# The loss of one example is smallest where the rate is the count, and the slope $1 - k/\lambda$ is 0 there. With one rate for many examples the slopes add up to $n - \sum_i k_i / \lambda$: the best common rate is the mean of the counts.

# %% [markdown] task="3.1.8c" kind="code" minutes=8 difficulty=2 needs="poisson loss, log-likelihood, gradient"
# ### The loss for a predicted rate
#
# Write `rate_loss(rate, k)`: the Poisson loss of the predicted rates for the counts `k`. Both have shape `(n,)`; `rate` is a floating point tensor of positive numbers; `k` holds whole numbers, in a floating point or an integer dtype.
#
# **You are done when**
# - **one number**: the result is a 0-d tensor;
# - **value**: it is the mean over the examples, without the term $\log k!$;
# - **integer counts**: it is right for integer `k`, too;
# - **gradient**: the gradient of the loss reaches `rate`.

# %% exercise="3.1.8c"
def rate_loss(rate, k):
    """Mean over the examples of the Poisson negative log-likelihood without log k!; 0-d."""
    ### BEGIN SOLUTION
    return (rate - k * torch.log(rate)).mean()
    ### END SOLUTION

# %% [markdown] hints="3.1.8c"
# 1. What is $-\log p(k)$, and which of its three terms does not contain $\lambda$?
# 2. `torch.log` works entry by entry, and autograd knows its derivative. Stay with tensors until the end.
# 3. For the geometric distribution $p(k) = (1 - q)^k q$ the loss is $-k \log(1 - q) - \log q$.

# %% check="3.1.8c" points=2
@probe
def rate_gradient(rate, k):
    leaf = rate.clone().requires_grad_()
    loss = rate_loss(leaf, k)
    if torch.is_tensor(loss) and loss.requires_grad:
        loss.sum().backward()
    return "no gradient" if leaf.grad is None else leaf.grad

rates_, seen_ = torch.tensor([1., 2., 4.]), torch.tensor([0., 6., 3.])
found_ = rate_loss(rates_, seen_)
assert_type(found_, torch.Tensor, "what rate_loss returns for three examples", of="one number")
assert_shape(found_, (), "the shape of the loss of three examples", of="one number", hint="The mean over the examples is still to be taken." if tuple(found_.shape) == (3,) else "")
loss_ = (7 - 12 * math.log(2)) / 3
alone_ = [rate_loss(torch.tensor([2.]), torch.tensor([k_])).item() for k_ in (0., 3.)]
which_ = "Each example adds rate - k log(rate); of these the mean."
if math.isinf(alone_[0]):
    which_ += " The logarithm is that of the rate, which is positive; a count may be 0, and log 0 is -inf."
elif abs(alone_[0] - 2) > 1e-3:
    which_ += f" A single example with rate 2 and count 0 has the loss 2, its rate; in yours {alone_[0]:.4g}."
elif abs(alone_[1] - 2 + 3 * math.log(2)) > 1e-3:
    which_ += f" With rate 2 and count 0 yours is right, 2. With count 3 it is to be 2 - 3 log 2 = -0.0794; yours is {alone_[1]:.4g}."
else:
    which_ += " A single example with rate 2 and count 3 is right in yours: of several it is the mean, each with its own count."
assert_close(found_, torch.tensor(loss_), "the loss for the rates 1, 2, 4 and the counts 0, 6, 3", of="value",
             mistakes={"This is the sum, not the mean.": torch.tensor(3 * loss_), "log k! is still in it.": torch.tensor(loss_ + (math.log(720) + math.log(6)) / 3), "This is the log-likelihood; its sign is still to be changed.": torch.tensor(-loss_),
                       "This takes the rate for its logarithm.": torch.tensor((math.e + math.e ** 2 + math.e ** 4 - 24) / 3), "This is the squared loss.": torch.tensor(18 / 6), "Divide by the number of examples, not by the number of calls.": torch.tensor(loss_ / 3), "This is the mean squared error.": torch.tensor(18 / 3),
                       "The rate itself is missing.": torch.tensor(-4 * math.log(2)), "The logarithm is missing: rate - k log(rate).": torch.tensor((7 - 24) / 3), "k belongs outside of the logarithm, the rate inside.": torch.tensor((7 - 2 * math.log(6) - 4 * math.log(3)) / 3),
                       "Natural logarithms, not those to base 10.": torch.tensor((7 - 12 * math.log10(2)) / 3),
                       "The means of k and of log(rate) are multiplied here: multiply each count by its own logarithm first.": torch.tensor(7 / 3 - math.log(8)),
                       "The logarithm is that of the rate, not that of 1 + rate.": torch.tensor((7 - 6 * math.log(3) - 3 * math.log(5)) / 3),
                       "The sign: k log(rate) is subtracted.": torch.tensor((7 + 12 * math.log(2)) / 3),
                       "The logarithm is that of the mean rate here: each example has the logarithm of its own rate.":
                           torch.tensor((7 - 9 * math.log(7 / 3)) / 3),
                       "This is half the squared residual over the rate, as a normal density with the variance rate has it: "
                       "the loss is rate - k log(rate).": torch.tensor(4.625 / 3),
                       "k log(k) - k is still in it: like log k!, it holds no prediction.":
                           torch.tensor(loss_ + (6 * math.log(6) + 3 * math.log(3) - 9) / 3),
                       "This is the mean of the slopes, 1 - k/rate: asked is the loss.": torch.tensor(-0.25),
                       "An example with the count 0 has a loss, too, its rate, and counts in the mean.": torch.tensor((6 - 12 * math.log(2)) / 2)},
             hint=which_)
assert_close(rate_loss(rates_, seen_.long()), torch.tensor(loss_), "the same with the integer counts 0, 6, 3",
             of="integer counts", hint="Counts of an integer dtype give the same loss.")
assert_close(rate_loss(torch.tensor([0.5, 2.5]), torch.tensor([3., 1.])), torch.tensor((3 - 3 * math.log(0.5) - math.log(2.5)) / 2), "the loss for the rates 0.5 and 2.5 and the counts 3 and 1", of="value", hint="A rate below 1, or between two whole numbers, enters as it is: log 0.5 is negative.")
assert_close(rate_loss(torch.tensor([0.5, 2.5]), torch.tensor([3, 1])), torch.tensor((3 - 3 * math.log(0.5) - math.log(2.5)) / 2), "the same with the integer counts 3 and 1", of="integer counts", hint="A rate stays a floating point number, whatever the counts are.")
slopes_ = rate_gradient(rates_, seen_)
assert_type(slopes_, torch.Tensor, "the gradient of the loss with respect to rate", of="gradient", hint="tolist, item, numpy and detach cut the way from the loss back to rate.")
assert_close(slopes_, torch.tensor([1 / 3, -2 / 3, 1 / 12]), "the gradient for the rates 1, 2, 4 and the counts 0, 6, 3",
             of="gradient",
             hint="The loss is right. Its slope for each rate is (1 - k/rate) / n: does the rate reach it in both terms, without detach or item?")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(318)
for n_, kind_ in ((7, torch.float64), (1, torch.float32), (11, torch.float32)):
    rates_ = (4 * torch.rand(n_, generator=rng, dtype=torch.float64) + 0.2).to(kind_)
    seen_ = torch.randint(0, 9, (n_,), generator=rng)
    right_ = torch.tensor(sum(r - k * math.log(r) for r, k in zip(rates_.tolist(), seen_.tolist())) / n_, dtype=kind_)
    assert_shape(rate_loss(rates_, seen_.to(kind_)), (), f"the shape for {n_} examples", of="one number")
    assert_close(rate_loss(rates_, seen_.to(kind_)), right_, f"the loss for {n_} examples", of="value", rtol=1e-4, atol=1e-5, mistakes={"This is the sum, not the mean.": n_ * right_} if n_ > 1 else {})
    assert_close(rate_loss(rates_, seen_), right_, f"the loss for {n_} integer counts", of="integer counts", rtol=1e-4, atol=1e-5,
                 hint="Counts of an integer dtype give the same loss.")
    slopes_ = rate_gradient(rates_, seen_.to(kind_))
    assert_type(slopes_, torch.Tensor, f"the gradient for {n_} examples", of="gradient")
    assert_close(slopes_, (1 - seen_ / rates_) / n_, f"the gradient with respect to {n_} rates",
                 of="gradient", rtol=1e-4, atol=1e-5,
                 hint="The loss is right. Its slope for each rate is (1 - k/rate) / n: does the rate reach it in both terms?")
### END HIDDEN TESTS

# %% [markdown] teaches="log rate"
# ### A rate must not be negative
#
# A linear layer gives numbers of any sign, and a rate has to be positive. So let the layer predict the *logarithm* of the rate, $s = \log \lambda$, and put $\lambda = e^s$ into the loss: $e^s - k\,s$. No logarithm is left to be computed, and that matters: $e^{-1000}$ is 0 in floating point, and the logarithm of that is −∞, although $s = -1000$ is a fine number.
# With a linear layer behind it, this is *Poisson regression*. The gradient is as simple as for least squares: the derivative of $e^s - k s$ is $e^s - k$, prediction minus target, and the chain rule multiplies it by the feature. Data with the log rate $0.8x + 0.5$, and gradient descent:

# %%
generator = torch.Generator().manual_seed(8)
hour_x = torch.rand(400, generator=generator) * 4 - 2
hour_calls = torch.poisson((0.8 * hour_x + 0.5).exp(), generator=generator)
w_rate, b_rate = torch.tensor(0.), torch.tensor(0.)
for t in range(301):
    off = (w_rate * hour_x + b_rate).exp() - hour_calls             # predicted rate minus count, (400,)
    if t % 100 == 0:
        print(f"step {t:3}: weight {w_rate:.3f}, bias {b_rate:.3f}")
    w_rate, b_rate = w_rate - 0.1 * (off * hour_x).mean(), b_rate - 0.1 * off.mean()

# %% tags=["demo"]
fig, ax = plt.subplots(figsize=(5.8, 2.9), layout="constrained")
ax.plot(hour_x, hour_calls, ".", color="grey", alpha=0.5, label="counts")
curve_x = torch.linspace(-2, 2, 100)
ax.plot(curve_x, (w_rate * curve_x + b_rate).exp(), "C0", label="predicted rate")
straight = torch.linalg.lstsq(torch.stack([hour_x, torch.ones(400)], 1), hour_calls[:, None]).solution[:, 0]
ax.plot(curve_x, straight[0] * curve_x + straight[1], "C3--", label="least squares")
ax.axhline(0, color="black", linewidth=0.5)
ax.set(xlabel="x", ylabel="count")
fig.legend(loc="outside right upper")
plt.show()

# %% [markdown]
# *What to see:* the rate stays positive and bends upwards with the counts, and the counts spread wider where it is high. The straight line of least squares predicts negative counts on the left.

# %% [markdown] task="3.1.8d" kind="code" minutes=8 difficulty=3 needs="log rate, poisson loss, shapes of predictions and targets"
# ### The loss for a predicted log rate
#
# Write `log_rate_loss(s, k)`: the Poisson loss as a function of the predicted *log* rates. `s` is a floating point tensor of shape `(n, 1)`, as a layer with one output returns it. `k` has shape `(n,)`, as counts are stored, and holds whole numbers in a floating point or an integer dtype.
#
# **You are done when**
# - **one number**: the result is a 0-d tensor;
# - **pairs**: it is the mean over the n examples, each log rate with its own count, without $\log k!$;
# - **integer counts**: it is right for integer `k`, too;
# - **very low rates**: it is right for log rates as low as −1000, too;
# - **gradient**: the gradient of the loss reaches `s`.

# %% exercise="3.1.8d"
def log_rate_loss(s, k):
    """Mean Poisson loss for log rates s of shape (n, 1) and counts k of shape (n,), without log k!; 0-d."""
    ### BEGIN SOLUTION
    s = s.reshape(k.shape)
    return (torch.exp(s) - k * s).mean()
    ### END SOLUTION

# %% [markdown] hints="3.1.8d"
# 1. What is the shape of `s - k` for shapes `(n, 1)` and `(n,)`?
# 2. Put $\lambda = e^s$ and $\log \lambda = s$ into the loss of the exercise before; do not take the
#    logarithm of an exponential.
# 3. For the squared loss: `((y_hat.reshape(y.shape) - y) ** 2).mean()` is right for `(n, 1)` and `(n,)`;
#    without `reshape` it averages n² differences.

# %% check="3.1.8d" points=2
@probe
def log_rate_gradient(s, k):
    leaf = s.clone().requires_grad_()
    loss = log_rate_loss(leaf, k)
    if torch.is_tensor(loss) and loss.requires_grad:
        loss.sum().backward()
    return "no gradient" if leaf.grad is None else leaf.grad

logs_, seen_ = torch.tensor([[0.], [1.], [-2.]]), torch.tensor([3., 6., 1.])
found_ = log_rate_loss(logs_, seen_)
assert_type(found_, torch.Tensor, "what log_rate_loss returns for three examples", of="one number")
assert_shape(found_, (), "the shape of the loss of three examples", of="one number")
powers_ = 1 + math.e + math.exp(-2)
alone_ = [log_rate_loss(torch.tensor([[2.]]), torch.tensor([k_])).item() for k_ in (0., 3.)]
which_ = "Each example adds exp(s) - k s; of these the mean."
if not math.isfinite(found_):
    which_ = "s is the log rate: it may be negative, and no logarithm is to be taken of it."
elif abs(alone_[0] - math.exp(2)) > 1e-3:
    which_ += f" A single example with s = 2 and count 0 has the loss exp(2) = 7.389, its rate; in yours {alone_[0]:.4g}."
elif abs(alone_[1] - math.exp(2) + 6) > 1e-3:
    which_ += f" With s = 2 and count 0 yours is right, exp(2). With count 3 it is to be exp(2) - 3 · 2 = 1.389; yours is {alone_[1]:.4g}."
else:
    which_ += " A single example with s = 2 and count 3 is right in yours: of several it is the mean, each with its own count."
assert_close(found_, torch.tensor((powers_ - 4) / 3), "the loss for the log rates 0, 1, -2 and the counts 3, 6, 1", of="pairs",
             mistakes={"This averages over all pairs of a log rate and a count, as shapes (n, 1) and (n,) do in broadcasting, and as a product of two means does: each log rate has its own count.": torch.tensor((3 * powers_ + 10) / 9), "This is the sum, not the mean.": torch.tensor(powers_ - 4), "The sign is still to be changed.": torch.tensor((4 - powers_) / 3),
                       "log k! is still in it.": torch.tensor((powers_ - 4 + math.log(6) + math.log(720)) / 3),
                       "The rate, exp(s), is missing.": torch.tensor(-4 / 3),
                       "s is the log rate: its exponential is missing.": torch.tensor((-1 - 4) / 3),
                       "This is the squared loss of the rates.": torch.tensor((4 + (math.e - 6) ** 2 + (math.exp(-2) - 1) ** 2) / 6),
                       "The sign: k s is subtracted.": torch.tensor((powers_ + 4) / 3),
                       "k is multiplied by s, the log rate, not by the rate.": torch.tensor((powers_ - 3 - 6 * math.e - math.exp(-2)) / 3)},
             hint=which_)
assert_close(log_rate_loss(logs_, seen_.int()), torch.tensor((powers_ - 4) / 3), "the same with the integer counts 3, 6, 1",
             of="integer counts", hint="Counts of an integer dtype give the same loss.")
high_ = torch.tensor([[6.], [8.]], dtype=torch.float64)
assert_close(log_rate_loss(high_, torch.tensor([400., 3000.], dtype=torch.float64)), torch.tensor((math.exp(6) + math.exp(8) - 26_400) / 2, dtype=torch.float64), "the log rates 6 and 8, the counts 400 and 3000", of="pairs", rtol=1e-5,
             hint="The rates here are exp(6) = 403.4 and exp(8) = 2981: they enter as they are, however large.")
found_ = log_rate_loss(torch.tensor([[-1000.], [2.]]), torch.tensor([1., 0.]))
hint_ = "exp(-1000) is 0 in floating point, and its logarithm is -inf." if not math.isfinite(found_) else "The loss holds k · s itself: 1 · (-1000) for the first example." if found_ < 400 else ""
if math.isfinite(found_) and log_rate_loss(torch.tensor([[-2000.], [2.]]), torch.tensor([1., 0.])) == found_:
    added_ = abs(log_rate_loss(torch.zeros(1, 1, dtype=torch.float64), torch.tensor([1e8], dtype=torch.float64)).item() - 1) > 1e-6
    hint_ += " In yours s = -2000 costs as much as s = -1000: " + (
        "a number was added to the rate, and s is lost in it." if added_ else "below some number s is cut off.")
assert_close(found_, torch.tensor((1000 + math.exp(2)) / 2), "the log rates -1000 and 2, the counts 1 and 0", of="very low rates", hint=hint_,
             mistakes={"An example with a count of 0 has a loss, too: its rate.": torch.tensor(500.)})
slopes_ = log_rate_gradient(logs_, seen_)
assert_type(slopes_, torch.Tensor, "the gradient of the loss with respect to s", of="gradient", hint="tolist, item, numpy and detach cut the way from the loss back to s.")
assert_close(slopes_, (logs_.exp() - seen_[:, None]) / 3, "the gradient for the log rates 0, 1, -2 and the counts 3, 6, 1",
             of="gradient",
             mistakes={"This is -k / n: the gradient of exp(s) does not reach s.": -seen_[:, None] / 3,
                       "This is exp(s) / n: the gradient of k s does not reach s.": logs_.exp() / 3},
             hint="The loss is right. Its slope for each log rate is (exp(s) - k) / n.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(3181)
for n_, kind_ in ((6, torch.float64), (1, torch.float32), (9, torch.float32)):
    logs_, seen_ = torch.randn(n_, 1, generator=rng, dtype=torch.float64).to(kind_), torch.randint(0, 9, (n_,), generator=rng)
    right_ = torch.tensor(sum(math.exp(s) - k * s for s, k in zip(logs_[:, 0].tolist(), seen_.tolist())) / n_, dtype=kind_)
    assert_shape(log_rate_loss(logs_, seen_.to(kind_)), (), f"the shape for {n_} examples", of="one number")
    assert_close(log_rate_loss(logs_, seen_.to(kind_)), right_, f"the loss for {n_} examples", of="pairs", rtol=1e-4, atol=1e-5,
                 hint="Each example adds exp(s) - k s, with its own count; of these the mean.")
    assert_close(log_rate_loss(logs_, seen_), right_, f"the loss for {n_} integer counts",
                 of="integer counts", rtol=1e-4, atol=1e-5,
                 hint="Counts of an integer dtype give the same loss.")
    slopes_ = log_rate_gradient(logs_, seen_.to(kind_))
    assert_type(slopes_, torch.Tensor, f"the gradient for {n_} examples", of="gradient")
    assert_close(slopes_, (logs_.exp() - seen_[:, None]) / n_, f"the gradient with respect to {n_} log rates",
                 of="gradient", rtol=1e-4, atol=1e-5,
                 hint="The loss is right. Its slope for each log rate is (exp(s) - k) / n.")
high_, low_ = torch.tensor([[6.5], [9.], [7.]], dtype=torch.float64), torch.tensor([[-900.], [0.5], [-1000.]], dtype=torch.float64)
assert_close(log_rate_loss(high_, torch.tensor([700., 8000., 0.], dtype=torch.float64)), torch.tensor((math.exp(6.5) + math.exp(9) + math.exp(7) - 76_550) / 3, dtype=torch.float64), "log rates of 6.5, 9 and 7", of="pairs", rtol=1e-5,
             hint="A rate enters as it is, however large.")
assert_close(log_rate_loss(low_, torch.tensor([2., 1., 0.], dtype=torch.float64)), torch.tensor((1800 + math.exp(0.5) - 0.5) / 3, dtype=torch.float64), "log rates of -900, 0.5 and -1000", of="very low rates", rtol=1e-5,
             hint="The loss holds k · s itself, however low s is, and exp(s) beside it.")
### END HIDDEN TESTS

# %% [markdown] teaches="closed form"
# ## 12. When is there a formula?
#
# This section met three ways to the best parameters. Where the gradient is a linear function of the parameters, setting it to zero gives *linear equations*. For absolute values and a constant, *sorting* was enough. Everything else needs an *iteration*: steps that come nearer and nearer. The first two are called a **closed form**.
#
# One more case: examples that are not equally reliable. Let example $i$ have noise with a known standard deviation $\sigma_i$ of its own. Then the squares in the negative log-likelihood get the factors $1/(2\sigma_i^2)$, which are just numbers:

# %%
two_scales = torch.tensor([10.3, 9.0])                  # the same box on two scales
precision = 1 / torch.tensor([0.1, 1.0]) ** 2           # known standard deviations 0.1 and 1
pooled = (precision @ two_scales) / precision.sum()     # where the derivative of the weighted squares is zero
print(f"plain mean {two_scales.mean():.3f}, most likely mass {pooled:.3f}")

# %% [markdown] task="3.1.5b" kind="answer" minutes=8 difficulty=3 needs="closed form, normal equations, absolute loss, poisson loss"
# ### Closed form or not
#
# How does one get the most likely parameters of these models?
#
# - A: normal noise, an affine function of 10 features
# - B: normal noise, an affine function of the quadratic features of 3.1.3
# - C: normal noise with a known $\sigma_i$ of its own for each example, an affine function of 10 features
# - D: Laplace noise, a constant without features
# - E: Laplace noise, an affine function of 10 features
# - F: Laplace noise with a known scale for each example (density $\frac{1}{2 c_i} e^{-|\varepsilon| / c_i}$), a constant without features
# - G: Poisson counts whose log rate is an affine function of 10 features
# - H: Poisson counts with one rate for all, without features
#
# In A, B and C the columns, the one of ones included, are linearly independent. Set `ways` to a dictionary that gives each of the eight letters one of three words: `"equations"` for solving linear equations (a mean is one of those), `"sorting"`, or `"iteration"` where neither is enough. The check shows whether B, E and G are right; the others stay for grading.
#
# **You are done when**
# - **words**: there are the eight letters, each with one of the three words;
# - **squares**: A, B and C are right;
# - **absolute values**: D, E and F are right;
# - **counts**: G and H are right.

# %% exercise="3.1.5b"
### BEGIN SOLUTION
ways = {"A": "equations", "B": "equations", "C": "equations", "D": "sorting",
        "E": "iteration", "F": "sorting", "G": "iteration", "H": "equations"}
### END SOLUTION

# %% [markdown] hints="3.1.5b"
# 1. In which cases is the gradient of the negative log-likelihood a linear function of the parameters?
# 2. A sum of squares has a linear gradient, with constant factors, too. A sum of absolute values has one that jumps, at the observations; with one parameter one can walk through the sorted list until the slope changes its sign. An exponential of the weights is not linear.
# 3. Noise with density proportional to $e^{-\varepsilon^4}$ gives a gradient that is cubic in the weights: an iteration.

# %% check="3.1.5b" points=2 hidden_only="five of the eight decisions stay for grading"
assert_type(ways, dict, "ways", of="words")
assert_equal(sorted(map(str, ways)), list("ABCDEFGH"), "the keys of ways", of="words")
for letter_ in "ABCDEFGH":
    assert_true(ways[letter_] in ("equations", "sorting", "iteration"),
                f"the word of {letter_} is one of equations, sorting, iteration (yours: {ways[letter_]!r})", of="words")
assert_equal(ways["B"], "equations", "B: quadratic features", of="squares", hint="Linear in the weights is what counts.")
assert_equal(ways["E"], "iteration", "E: absolute values with many features", of="absolute values", hint="The median solves only the case of a constant.")
assert_equal(ways["G"], "iteration", "G: log rates with many features", of="counts", hint="The gradient holds an exponential of the weights.")
### BEGIN HIDDEN TESTS
assert_type(ways, dict, "ways, again", of="words")
assert_equal(len(ways), 8, "the number of letters", of="words")
with part(0.7, "squares"):
    assert_equal([ways["A"], ways["C"]], ["equations", "equations"], "A and C: normal noise", of="squares", hint="Known sigmas are constant factors of the squares.")
with part(0.7, "absolute values"):
    assert_equal([ways["D"], ways["F"]], ["sorting", "sorting"], "D and F: one constant under Laplace noise", of="absolute values", hint="Walk through the sorted numbers and add up the slopes.")
with part(0.6, "counts"):
    assert_equal(ways["H"], "equations", "H: one rate for all counts", of="counts", hint="Lesson 11 found the best common rate.")
total()
### END HIDDEN TESTS

# %% [markdown]
# ## Summary
#
# - A linear model predicts $X\mathbf w + b$: examples are rows of the design matrix, and a bias is the weight of a column of ones. It is linear in the weights; the features may be any functions of the data.
# - Least squares chooses the weights whose residuals are perpendicular to all columns, $X^\top X \mathbf w = X^\top \mathbf y$. With dependent columns many weights are best, and gradient descent ends at the one nearest to its start.
# - Minibatch SGD needs nothing but gradients of a few examples, and so serves where there is no formula. How far it steps is up to the learning rate.
# - A loss is a belief about noise: normal noise gives squares and the mean, Laplace noise absolute values and the median, Poisson counts $e^s - ks$; prices want their logarithm.
# - Linear layers one after another are one linear layer. Sections 3.2 to 3.5 build this model as a program, 3.6 asks how well it does on new examples, and chapter 5 puts a nonlinear function between the layers.
