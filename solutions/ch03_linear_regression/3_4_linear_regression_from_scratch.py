# %% [markdown]
# # 3.4 Linear regression from scratch
#
# A program that learns sounds like magic until one has written one. It has four parts: a *model* that predicts, a *loss*
# that says how wrong the predictions are, a *step* that makes them a little less wrong, and a *loop* that repeats the
# step. Each part is a line or three. Every network in this book is trained by the same four parts; only the model grows.
#
# Here you write them from tensors and autograd alone. Then each part is broken on purpose: shapes that do not fit, a bad
# start, a rate that is too large, units that are too small, one wrong number in the data, a bad order of the examples.
# At the end you can write a training program from memory, say what each of its lines is for, and name the cause when it
# learns the wrong thing, or nothing.
#
# The exercises stand in the order in which they are best done, from top to bottom. Their numbers are names only: they
# come from D2L's list, which has another order.

# %% tags=["setup"]
from d2l_utils.check import *
import math
import numpy as np
import pandas as pd
import torch
import d2l_utils as d2l

# %% [markdown] teaches="linear model, parameters of a linear model"
# ## The model
#
# We make the data ourselves, as in section 3.3, so that the truth is known: 500 examples with two features, weights 2 and
# -3.4, bias 4.2, and noise of standard deviation 0.1.
#
# The **linear model** predicts for an example $\mathbf x$ with d features the number
# $\hat y = x_1 w_1 + \dots + x_d w_d + b$. The weights $w_j$ and the bias $b$ are its **parameters**: the numbers that are to be learnt.
# For n examples at once, the features are the rows of a matrix $X$ of shape $(n, d)$, the weights a column $\mathbf w$ of
# shape $(d, 1)$, and the bias has shape $(1,)$:
#
# $$\hat{\mathbf y} = X \mathbf w + b, \qquad (n, d) \cdot (d, 1) + (1,) \;\to\; (n, 1).$$
#
# The product has one row for each example; the bias is broadcast to all of them.

# %%
generator = torch.Generator().manual_seed(0)
true_w, true_b = torch.tensor([[2.0], [-3.4]]), 4.2
features = torch.randn(500, 2, generator=generator)
targets = features @ true_w + true_b + 0.1 * torch.randn(500, 1, generator=generator)

def predict(X, w, b):
    return X @ w + b

start_w, start_b = torch.zeros(2, 1), torch.zeros(1)
print("shapes:", tuple(features.shape), tuple(targets.shape), tuple(predict(features, start_w, start_b).shape))
print("the first three targets:    ", [round(v, 2) for v in targets[:3, 0].tolist()])
print("predicted with zeros:       ", [round(v, 2) for v in predict(features, start_w, start_b)[:3, 0].tolist()])
print("predicted with the true ones:", [round(v, 2) for v in predict(features, true_w, true_b)[:3, 0].tolist()])

# %% [markdown] teaches="residual, squared loss, half mean of squares"
# With all parameters zero the model says 0 for everything. With the true ones it is wrong by no more than the noise. A
# learner has to find its way from the first to the second, and for that it needs to know how wrong it is.
#
# ## The loss
#
# The **residual** of example i is $r_i = \hat y_i - y_i$: positive where the prediction is too high. One number is to sum
# up all of them, and it should be smaller for a better model. The **squared loss** is half the mean of their squares:
#
# $$L(\mathbf w, b) = \frac{1}{n} \sum_{i=1}^{n} \frac{r_i^2}{2} .$$
#
# - *Squares*, so that too high and too low both count, and do not cancel. A residual twice as large costs four times as much.
# - *The mean*, so that the number does not depend on how many examples there are.
# - *The half*, so that the derivative of $r^2/2$ is $r$ and not $2r$. It changes nothing else.

# %%
def half_square(y_hat, y):
    return ((y_hat - y) ** 2 / 2).mean()

y_hat_four, y_four = torch.tensor([[1.0], [2.0], [5.0], [4.0]]), torch.tensor([[3.0], [2.0], [4.0], [1.0]])
residual_four = y_hat_four - y_four
print("residuals   ", residual_four.flatten().tolist())
print("half squares", (residual_four ** 2 / 2).flatten().tolist())
print("their mean  ", half_square(y_hat_four, y_four).item())
print("the loss of zeros:", round(half_square(predict(features, start_w, start_b), targets).item(), 3),
      "  of the true parameters:", round(half_square(predict(features, true_w, true_b), targets).item(), 5))

# %% [markdown]
# The loss of the true parameters is not zero. Their residuals are the noise, so it is about half the variance of the
# noise, 0.1² / 2 = 0.005. No learner can be expected to get far below that.

# %% tags=["demo"]
import matplotlib.pyplot as plt

few_x = torch.tensor([0.5, 1.0, 2.0, 3.0, 3.8, 4.5])
few_y = torch.tensor([1.6, 3.1, 2.2, 4.6, 3.7, 5.6])
figure, axes = plt.subplots(1, 2, figsize=(7, 2.9), sharey=True, layout="constrained")
for axis, slope, height in zip(axes, (0.2, 0.82), (2.0, 1.4)):
    line = slope * few_x + height
    axis.plot([0, 5], [height, 5 * slope + height], color="C0")
    axis.vlines(few_x, few_y, line, color="C3")
    axis.plot(few_x, few_y, "o", color="black", markersize=4)
    axis.set(xlabel="feature x", title=f"loss {((line - few_y) ** 2 / 2).mean():.2f}")
axes[0].set_ylabel("target y")
plt.show()

# %% [markdown]
# Six examples with one feature, and two lines. The red sticks are the residuals. The squared loss is half the mean of the
# squares on these sticks; the right line makes them short.

# %% [markdown] task="3.4.A" kind="answer" minutes=4 difficulty=1 core=true needs="linear model, residual, half mean of squares"
# ### Three predictions by hand
#
# A model has the weights 0.5 and -1 and the bias 2. Three examples have the features (2, 3), (4, 0), (0, 2) and the
# targets 2, 3, 0. Set `three_predictions` to the list of the three predictions, and `three_loss` to the squared
# loss, as defined above.
#
# **You are done when**
# - **predictions**: the three numbers are right and in order;
# - **loss**: the loss is right.

# %% exercise="3.4.A"
### BEGIN SOLUTION
three_predictions = [0.0, 4.0, 0.0]
three_loss = 5 / 6
### END SOLUTION

# %% [markdown] hints="3.4.A"
# 1. What is 0.5 · 2 + (-1) · 3 + 2?
# 2. Residual: prediction minus target. Square each, halve each, then the mean of the three.
# 3. For residuals 1 and 3 the half squares are 0.5 and 4.5, the loss is 2.5.

# %% check="3.4.A" points=1
assert_type(three_predictions, (list, tuple, torch.Tensor, np.ndarray), "three_predictions", of="predictions")
assert_equal(len(three_predictions), 3, "the number of entries of three_predictions", of="predictions")

def slips_of_34A(x1, x2):
    """What known slips give for features x1 and x2."""
    return {"without the bias": 0.5 * x1 - x2, "with the bias subtracted": 0.5 * x1 - x2 - 2,
            "with + 1 for the weight -1": 0.5 * x1 + x2 + 2,
            "with the weights exchanged": -x1 + 0.5 * x2 + 2, "without the first feature": 2 - x2,
            "without the second feature": 0.5 * x1 + 2,
            "with the weight 1 for 0.5": x1 - x2 + 2, "with a minus at the first weight": -0.5 * x1 - x2 + 2,
            "with the bias added twice": 0.5 * x1 - x2 + 4}

def about_predictions(found):
    """A hint: the first prediction that is wrong, its sum, and the slip, if a single one explains all that is wrong."""
    examples = ((2., 3., 0.), (4., 0., 4.), (0., 2., 0.))
    wrong = [place for place in range(3) if len(found) == 3 and abs(found[place] - examples[place][2]) > 1e-4]
    if not wrong:
        return "First weight times first feature, second weight times second feature, and the bias; the examples in the order given."
    fitting = [slip for slip in slips_of_34A(0., 0.)
               if all(abs(found[place] - slips_of_34A(*examples[place][:2])[slip]) < 1e-4 for place in wrong)]
    x1, x2, _ = examples[wrong[0]]
    return (f"Example {wrong[0] + 1} has the features {x1:g} and {x2:g}: 0.5 · {x1:g} + (-1) · {x2:g} + 2."
            + (f" Yours, {found[wrong[0]]:g}, is this sum {fitting[0]}." if len(fitting) == 1 else ""))

assert_close(torch.as_tensor(three_predictions).flatten().double(), torch.tensor([0., 4., 0.], dtype=torch.float64), "three_predictions", of="predictions",
             mistakes={"These are target minus prediction: the predictions are asked for.": torch.tensor([2., -1., 0.]),
                       "The bias is left out.": torch.tensor([-2., 2., -2.]), "The weight -1 has a minus sign.": torch.tensor([6., 4., 4.]),
                       "In the third example the weights are exchanged: its 2 is the second feature, with the weight -1.": torch.tensor([0., 4., 3.]),
                       "The two weights are exchanged.": torch.tensor([1.5, -2., 3.]), "These are the residuals: the predictions are asked for.": torch.tensor([-2., 1., 0.]),
                       "The bias is added, not subtracted.": torch.tensor([-4., 0., -4.]),
                       "Add the bias once for each example.": torch.tensor([2., 6., 2.]),
                       "In the third example a sign is lost: -1 times 2 is below 0.": torch.tensor([0., 4., 4.]),
                       "These are the targets.": torch.tensor([2., 3., 0.]),
                       "In the third example the bias is left out.": torch.tensor([0., 4., -2.]),
                       "The weight of the second feature is -1, not 0.5.": torch.tensor([4.5, 4., 3.]),
                       "The 4 is the prediction for the second example: keep the order given.": torch.tensor([4., 0., 0.]),
                       "The 4 is that of the second example: keep the order given.": torch.tensor([0., 0., 4.]),
                       "The second feature is left out.": torch.tensor([3., 4., 2.]),
                       "The first feature is left out.": torch.tensor([-1., 2., 0.])},
             hint=lambda: about_predictions(torch.as_tensor(three_predictions).flatten().tolist()))
assert_type(three_loss, (float, int, torch.Tensor, np.ndarray), "three_loss", of="loss",
            hint=lambda: "These are the three half squares: the loss is one number, their mean." if sorted(float(v) for v in three_loss) == [0., 0.5, 2.] else
            "One number for all examples: the mean of the three half squares.")
assert_equal(torch.as_tensor(three_loss).numel(), 1, "how many numbers three_loss holds", of="loss",
             hint="One number for all examples: the mean of the three half squares.")
assert_close(three_loss, 5 / 6, "three_loss, the loss of residuals -2, 1 and 0", of="loss", rtol=1e-2,
             mistakes={"The square of the residual -2 is 4: a square is never below 0.": -0.5, "0.8 is rounded too far.": 0.8,
                       "The half is left out.": 5 / 3, "This is the sum: divide by the number of examples.": 2.5,
                       "These are the residuals without squares.": 0.5, "The residuals are squared one by one, not their sum.": 1 / 6,
                       "Neither halved nor divided by the number of examples.": 5.0, "The residual 0 counts, too: divide by 3.": 1.25,
                       "No root: the loss is half the mean of the squares.": math.sqrt(5 / 3), "No root here.": math.sqrt(5 / 6),
                       "1 is the mean of the residuals without their signs, and also what comes where the residual 1 is squared and not halved: each one is squared, and each square is halved.": 1.0, "The half counts once.": 5 / 12,
                       "Square each residual first: here the mean of the residuals was squared.": 1 / 18,
                       "This is half the variance of the residuals, with the divisor n - 1 = 2: square the residuals themselves, and divide by 3.": 7 / 6,
                       "This is half the variance of the residuals: their mean is not subtracted.": 7 / 9,
                       "1.5 is what comes where the square of -2 is not halved and that of 1 is: each square is halved.": 1.5,
                       "0.75 is what comes where the residual 1 is halved before it is squared: square first, then halve.": 0.75,
                       "2/3 is what comes where the residual 1 is left out: its half square is 0.5.": 2 / 3,
                       "The sum of the half squares is divided by 3 once, not by 9.": 5 / 18,
                       "No root: this is half the root of the mean square.": math.sqrt(5 / 3) / 2},
             hint=lambda: ("This is near, and rounded too far: 2.5 / 3 is 0.8333. " if abs(float(three_loss) - 5 / 6) < 0.02 else "") +
             "The half squares are (-2)²/2 = 2, 1²/2 = 0.5 and 0²/2 = 0: the loss is their mean, the sum over 3.")
### BEGIN HIDDEN TESTS
assert_close(torch.as_tensor(three_predictions).flatten().double(), torch.tensor([[2., 3.], [4., 0.], [0., 2.]], dtype=torch.float64) @ torch.tensor([0.5, -1.], dtype=torch.float64) + 2,
             "three_predictions", of="predictions")
assert_close(three_loss, torch.nn.functional.mse_loss(torch.tensor([0., 4., 0.]), torch.tensor([2., 3., 0.])).item() / 2, "three_loss", of="loss", rtol=1e-2)
### END HIDDEN TESTS

# %% [markdown] teaches="shapes in the loss"
# ### A loss of nonsense, without an error
#
# Targets often come as a plain list of numbers, shape $(n,)$. Predictions are a column, $(n, 1)$. What is column minus
# list? ⚠ Broadcasting lines the shapes up at their right ends. So (3, 1) minus (3,) is a (3, 3) table of *every* prediction minus
# *every* target, and its mean is a number like any other.

# %%
column, flat = torch.tensor([[1.0], [2.0], [3.0]]), torch.tensor([1.0, 2.0, 3.0])
print(column - flat)
print("right predictions, equal shapes:    ", half_square(column, column).item())
print("right predictions, (3, 1) and (3,): ", round(half_square(column, flat).item(), 4))
try:
    d2l.LinearRegressionScratch(1, lr=0.1).loss(column, flat)
except ValueError as error:
    print("the loss in d2l_utils refuses:", error)

# %% [markdown]
# Perfect predictions, and a loss of 0.67. Nothing warns. So a good loss
# looks at the shapes before it subtracts. Later on this page we ask what a model learns that is trained on this number. To write
# a loss that cannot go wrong one needs two tools: `t.numel()` is the number of entries of a tensor, and
# `y.reshape(y_hat.shape)` gives the targets the shape of the predictions.

# %% [markdown] task="3.4.5a" kind="code" minutes=8 difficulty=2 core=true needs="shapes in the loss, half mean of squares, reshape"
# ### A loss that does not broadcast
#
# Write `squared_loss(y_hat, y)`: half the mean of the squared residuals. Each argument has shape `(n,)` or `(n, 1)`, in
# any combination; entry i of one belongs to entry i of the other.
#
# **You are done when**
# - **values**: it is right for equal shapes;
# - **mixed shapes**: it is right for `(n, 1)` against `(n,)` and the other way round, too;
# - **one element**: the result is a tensor of one element;
# - **gradient**: it can be differentiated with respect to the predictions;
# - **refusal**: if the numbers of entries differ, it raises `ValueError`, also where one of them is 1;
# - **message**: the message of this error holds the lengths of both arguments, best as their shapes.

# %% exercise="3.4.5a"
def squared_loss(y_hat, y):
    """Mean of (y_hat - y)^2 / 2 for shapes (n,) or (n, 1). Errors: ValueError for unequal numbers of entries."""
    ### BEGIN SOLUTION
    if y_hat.numel() != y.numel():
        raise ValueError(f"predictions of shape {tuple(y_hat.shape)} do not fit targets of shape {tuple(y.shape)}")
    return ((y_hat - y.reshape(y_hat.shape)) ** 2 / 2).mean()
    ### END SOLUTION

# %% [markdown] hints="3.4.5a"
# 1. What is `torch.zeros(3, 1) - torch.zeros(1)`? Does it raise?
# 2. Compare the two `numel()` first, and `raise ValueError(f"... {tuple(y.shape)} ...")`. Then reshape the targets.
# 3. For a dot product of such vectors: `(u.reshape(-1) * v.reshape(-1)).sum()`.

# %% check="3.4.5a" points=2
def visible_squared_loss():
    p, t = torch.tensor([4., 1., 1., -1.]), torch.ones(4)
    assert_type(squared_loss(p, t), torch.Tensor, "what squared_loss returns", of="one element", hint="A tensor, from which `backward` can go on.")
    assert_equal(squared_loss(p, t).numel(), 1, "the number of entries of the result for 4 examples", of="one element", hint="One number for all examples: the mean.")
    assert_close(squared_loss(p, t).reshape(()), torch.tensor(1.625), "predictions 4, 1, 1, -1 against targets 1, 1, 1, 1", of="values",
                 mistakes={"The factor 1/2 is missing.": torch.tensor(3.25), "This is the sum, not the mean.": torch.tensor(6.5),
                           "This is the sum, without the factor 1/2.": torch.tensor(13.), "These are absolute values, not squares.": torch.tensor(1.25),
                           "Square each residual first; here their mean was squared.": torch.tensor(0.03125), "No root: this loss is the half mean of squares itself.": torch.tensor(1.625).sqrt(),
                           "The factor is 1/2, once.": torch.tensor(0.8125), "Divide by n, not by n - 1.": torch.tensor(13 / 6), "A square has no sign: each residual adds to the loss.": torch.tensor(0.625)},
                 hint="The residuals are 3, 0, 0 and -2, their half squares 4.5, 0, 0 and 2: the mean is 6.5 / 4.")
    q = torch.tensor([1., 2., 3.])
    for left, right in (((3, 1), (3,)), ((3,), (3, 1)), ((3, 1), (3, 1))):
        refused = ""
        try:
            squared_loss(q.reshape(left), q.reshape(right))
        except Exception as error:
            refused = str(error) or "without a message" if "ValueError" in getattr(error, "type_names", [type(error).__name__]) else ""
        assert_true(not refused, f"predictions {left} and targets {right} are accepted", of="mixed shapes",
                    hint=f"ValueError was raised. Both hold three numbers: only different *numbers* of entries are refused, not different shapes. (The error: {refused})")
        assert_close(squared_loss(q.reshape(left), q.reshape(right)).reshape(()), torch.tensor(0.),
                     f"right predictions {left} against targets {right}, three numbers each", of="mixed shapes",
                     mistakes={"The difference was broadcast to (3, 3).": torch.tensor(2 / 3)})

visible_squared_loss()

@probe
def slope_of_squared_loss(p, t):
    p = p.clone().requires_grad_()
    value = squared_loss(p, t)
    slope = torch.autograd.grad(value.sum(), p, allow_unused=True)[0] if value.requires_grad else "a result that is cut from its graph"
    return "a result whose graph does not lead to the predictions" if slope is None else slope

cut_ = "Compute with torch from the predictions, without .item(), .tolist(), .detach() or NumPy: torch.tensor(...) of such numbers makes a new tensor, whose graph does not lead to them."
assert_type(slope_of_squared_loss(torch.tensor([[3.], [5.]]), torch.tensor([1., 1.])), torch.Tensor, "the gradient by the predictions", of="gradient", hint=cut_)
assert_close(slope_of_squared_loss(torch.tensor([[3.], [5.]]), torch.tensor([1., 1.])), torch.tensor([[1.], [2.]]),
             "the gradient by predictions 3 and 5 of shape (2, 1), targets 1 and 1 of shape (2,)", of="gradient", hint=cut_)
for left_, right_ in (((13, 1), (29,)), ((13, 1), (1,)), ((1,), (29, 1))):
    assert_raises(ValueError, squared_loss, torch.ones(left_), torch.ones(right_), what=f"predictions {left_} against targets {right_}", of="refusal",
                  hint="Compare the numbers of entries, and `raise ValueError(...)`; one target must not be broadcast to all predictions.")
for number_ in ("13", "29"):
    assert_raises(ValueError, squared_loss, torch.ones(13, 1), torch.ones(29), match=number_, what="the message for predictions (13, 1) against targets (29,)",
                  of="message", hint="Put both shapes into the message with an f-string.")
### BEGIN HIDDEN TESTS
rng_ = torch.Generator().manual_seed(55)
p_, t_ = torch.randn(7, generator=rng_), torch.randn(7, generator=rng_)
for left_ in ((7,), (7, 1)):
    for right_ in ((7,), (7, 1)):
        found_ = squared_loss(p_.reshape(left_), t_.reshape(right_))
        assert_equal(found_.numel(), 1, f"the number of entries, predictions {left_} against targets {right_}", of="one element")
        assert_close(found_.reshape(()), (p_ - t_).square().mean() / 2, f"predictions {left_} against targets {right_}",
                     of="values" if left_ == right_ else "mixed shapes", hint="Entry i of one belongs to entry i of the other; half the mean of the squared residuals.")
assert_close(squared_loss(p_[:1], t_[:1, None]).reshape(()), (p_[0] - t_[0]).square() / 2, "a single example", of="mixed shapes")
assert_close(slope_of_squared_loss(p_[:, None], t_), (p_ - t_)[:, None] / 7, "the gradient by predictions (7, 1)", of="gradient")
assert_close(slope_of_squared_loss(p_, t_[:, None]), (p_ - t_) / 7, "the gradient by predictions (7,)", of="gradient")
for left_, right_ in (((41, 1), (1,)), ((1,), (57, 1)), ((60,), (30,)), ((1, 1), (17,)), ((12,), (24, 1))):
    assert_raises(ValueError, squared_loss, torch.ones(left_), torch.ones(right_), what=f"predictions {left_} against targets {right_}", of="refusal",
                  hint="Whatever the shapes, and also where one holds a single number or a multiple of the other.")
for number_ in ("46", "38"):
    assert_raises(ValueError, squared_loss, torch.ones(38), torch.ones(46, 1), match=number_, what="the message for predictions (38,) against targets (46, 1)", of="message",
                  hint="The message holds both lengths, those of the arguments that came.")
### END HIDDEN TESTS

# %% [markdown] teaches="gradient of the squared loss"
# ## Which way is down?
#
# The loss is a function of the parameters. Its gradient says how fast it grows if one of them grows a little. Let us derive it, for one
# weight first. The residual of example i is $r_i = \sum_j x_{ij} w_j + b - y_i$, so
#
# $$\frac{\partial r_i}{\partial w_j} = x_{ij}, \qquad \frac{\partial r_i}{\partial b} = 1 .$$
#
# By the chain rule $r_i^2/2$ has the derivative $r_i \cdot x_{ij}$ by $w_j$, and the mean of derivatives is the derivative of the mean:
#
# $$\frac{\partial L}{\partial w_j} = \frac1n \sum_i r_i x_{ij}, \qquad \frac{\partial L}{\partial b} = \frac1n \sum_i r_i .$$
#
# In words: *the slope of a weight is the mean of residual times feature; that of the bias is the mean residual*. If the
# predictions are too high where a feature is large, its weight is too large.
#
# All weights at once: $\sum_i x_{ij} r_i$ is row j of $X^\top$ times the column $\mathbf r$. So the gradient by the weights is
# $\frac1n X^\top \mathbf r$, with shapes $(d, n) \cdot (n, 1) \to (d, 1)$: the shape of $\mathbf w$ itself.
#
# Does autograd agree? Here is each weight by itself:

# %%
w, b = torch.zeros(2, 1, requires_grad=True), torch.zeros(1, requires_grad=True)
half_square(predict(features, w, b), targets).backward()
residual = predict(features, w, b).detach() - targets
print("autograd, by w1, w2, b:   ", [round(v, 4) for v in w.grad.flatten().tolist() + b.grad.tolist()])
print("mean of residual · feature:", [round((residual[:, 0] * features[:, j]).mean().item(), 4) for j in range(2)],
      "  mean residual:", round(residual.mean().item(), 4))

# %% [markdown]
# They agree. The signs are worth a look: the loss falls if $w_1$ grows, if $w_2$ gets smaller, and if b grows. The true
# parameters, 2, -3.4 and 4.2, lie just that way.

# %% [markdown] task="3.4.B" kind="code" minutes=6 difficulty=2 core=true needs="gradient of the squared loss, linear model, transpose, matrix product"
# ### The gradient as a formula
#
# Write `loss_gradient(X, y, w, b)`: the gradient of the squared loss of the linear model, for `X` (n, d), `y` (n, 1), `w`
# (d, 1) and `b` (1,). It returns the pair `(dw, db)`, the gradients by the weights and by the bias. Use the formulas or autograd.
#
# **You are done when**
# - **shape**: `dw` has shape `(d, 1)` and `db` shape `(1,)`;
# - **weights**: `dw` is right;
# - **bias**: `db` is right.

# %% exercise="3.4.B"
def loss_gradient(X, y, w, b):
    """Gradients (d, 1) and (1,) of the half mean of squares of X w + b - y."""
    ### BEGIN SOLUTION
    r = X @ w + b - y
    return X.T @ r / len(X), r.mean().reshape(1)
    ### END SOLUTION

# %% [markdown] hints="3.4.B"
# 1. Which column of n numbers do both gradients need?
# 2. `X.T` has shape (d, n). `.mean()` of a column has shape (); `.reshape(1)` makes (1,) of it.
# 3. One example, x = (1, 2), residual 3: dw is (3, 6), db is 3.

# %% check="3.4.B" points=2
def visible_gradient():
    X, y = torch.tensor([[1., 2.], [0., -1.], [3., 1.], [1., 1.], [1., 0.]]), torch.tensor([[3.], [4.], [2.], [5.], [5.]])
    w, b = torch.tensor([[2.], [-1.]]), torch.tensor([3.])           # predictions 3, 4, 8, 4, 5; residuals 0, 0, 6, -1, 0: mean 1, not b
    found = loss_gradient(X, y, w, b)
    assert_type(found, (tuple, list), "what loss_gradient returns", of="shape")
    assert_equal(len(found), 2, "the number of tensors that loss_gradient returns", of="shape")
    exchanged = tuple(np.shape(found[0])) == (1,) and tuple(np.shape(found[1])) == (2, 1)
    assert_shape(found[0], (2, 1), "the shape of dw for 2 features", of="shape",
                 hint="The two are exchanged: dw comes first, db second." if exchanged else "dw has the shape of w.",
                 mistakes={"These are 5 numbers, one for each example: the mean is over the examples, and each of the 2 features keeps a number of its own.": (5, 1),
                           "One number for each example, not for each feature: the mean is over the examples.": (5,),
                           "The two numbers are there, along one axis: dw is a column, as w is.": (2,), "The two numbers stand in a row: dw is a column, as w is.": (1, 2),
                           "A product of each feature with each example is left: take the mean over the examples.": (5, 2),
                           "Residuals of shape (5, 5) come of targets of shape (5,): leave y a column.": (2, 5)})
    assert_shape(found[1], (1,), "the shape of db", of="shape", hint="db has the shape of b.",
                 mistakes={"A mean or a sum over everything has the shape (): `.reshape(1)` makes (1,) of it.": (), "`keepdim=True` or a column leaves two axes: `.reshape(1)` makes (1,) of it.": (1, 1),
                           "These are the residuals themselves, one for each example: take their mean.": (5, 1)})
    right = torch.tensor([[17.], [5.]]) / 5
    without_b = X.T @ (X @ w - y) / 5
    products = X * (X @ w + b - y)

    def about_dw(dw):
        """A hint: the first entry that is wrong, with its sum."""
        place = next((j for j in range(2) if not abs(float(dw[j, 0]) - right[j, 0].item()) < 1e-3), 0)
        return (f"Entry {place}: residual times feature {place + 1} is {', '.join(f'{v:g}' for v in (products[:, place] + 0.).tolist())} for the five examples; "
                f"their mean is {products[:, place].sum():g} / 5. Yours is {float(dw[place, 0]):.4g}.")

    squares, all_pairs = X.T @ (X @ w + b - y) ** 2 / 5, X.T @ (X @ w + b - y.mean()) / 5
    assert_close(found[0], right, "dw for residuals 0, 0, 6, -1, 0 and features (1, 2), (0, -1), (3, 1), (1, 1), (1, 0)", of="weights",
                 mistakes={"This is the sum over the examples: divide by n.": 5 * right, "The half cancels the 2: this is the gradient of a loss without the half.": 2 * right,
                           "The gradient has the opposite sign: residual is prediction minus target.": -right, "This is half of it: the derivative of r²/2 is r, and the mean is over the 5 examples, not the 10 entries of X.": right / 2,
                           "The bias is added in the prediction, not subtracted.": X.T @ (X @ w - b - y) / 5,
                           "The bias is left out of the predictions.": without_b, "Divide by the number of examples, not of features.": 2.5 * right,
                           "This is the product of the means; the mean of the products is asked for.": X.mean(dim=0)[:, None], "The features are taken as they are, not minus their means.": right - X.mean(dim=0)[:, None],
                           "Divide by n, not by n - 1.": right * 5 / 4, "These are parameters after a step: the gradient itself is asked for.": w - right,
                           "Each example counts with its residual, not with its sign alone.": torch.tensor([[0.4], [0.]]),
                           "Here the residuals are squared: the derivative of r²/2 is r.": squares,
                           "Were the targets flattened? Here each prediction met each target: (n, 1) minus (n,).": all_pairs,
                           "This is one mean for all weights: take it over the examples, for each feature by itself.": torch.full((2, 1), right.mean().item())},
                 hint=lambda: about_dw(found[0]))
    assert_close(found[1], torch.tensor([1.]), "db for residuals 0, 0, 6, -1, 0", of="bias",
                 mistakes={"This is the sum over the examples: divide by n.": torch.tensor([5.]), "The half cancels the 2.": torch.tensor([2.]),
                           "The opposite sign: residual is prediction minus target.": torch.tensor([-1.]), "This is half of it: the derivative of r²/2 is r, and the mean is over the 5 examples, not the 10 entries of X.": torch.tensor([0.5]),
                           "The derivative of a residual by b is 1; 3 is b itself, or b times the mean residual.": torch.tensor([3.]),
                           "The bias is left out of the predictions.": torch.tensor([-2.]),
                           "Residuals keep their signs: their sizes were averaged.": torch.tensor([1.4]),
                           "This is the mean of residual times feature over all entries of X, or of the entries of dw: the derivative of a residual by b is 1, no feature belongs in db.": products.mean().reshape(1),
                           "Here the residuals are squared: the derivative of r²/2 is r.": torch.tensor([7.4])},
                 hint="The mean of the residuals, (0 + 0 + 6 - 1 + 0) / 5.")

visible_gradient()
### BEGIN HIDDEN TESTS
def hidden_gradient():
    rng = torch.Generator().manual_seed(341)
    for n, d in ((5, 3), (8, 1), (1, 4)):
        X, y, w, b = (torch.randn(*shape, generator=rng) for shape in ((n, d), (n, 1), (d, 1), (1,)))
        W, B = w.clone().requires_grad_(), b.clone().requires_grad_()
        dw, db = torch.autograd.grad(((X @ W + B - y) ** 2 / 2).mean(), (W, B))
        found = loss_gradient(X, y, w, b)
        which = f"{n} examples of {d} features"
        assert_shape(found[0], (d, 1), f"the shape of dw, {which}", of="shape")
        assert_shape(found[1], (1,), f"the shape of db, {which}", of="shape")
        assert_close(found[0], dw, f"dw, {which}", of="weights", rtol=1e-4, atol=1e-5, hint="Entry j is the mean over all n examples of residual times feature j.")
        assert_close(found[1], db, f"db, {which}", of="bias", rtol=1e-4, atol=1e-5, hint="The mean of the residuals.")

hidden_gradient()
### END HIDDEN TESTS

# %% [markdown] teaches="learning rate, in-place update of a parameter, gradient descent step"
# ## The step
#
# The gradient points uphill, so a step goes the other way: each parameter p moves by the **learning rate** $\eta$ (a small number that we
# choose) times its slope,
#
# $$p \;\leftarrow\; p - \eta \, \frac{\partial L}{\partial p} .$$
#
# In code that is four lines, and each of them is there for a reason.

# %%
def sgd_step(params, lr):
    with torch.no_grad():               # the update is no part of the computation of the loss
        for p in params:
            p -= lr * p.grad            # in place: p stays the tensor that it was
            p.grad.zero_()              # backward() adds to .grad, so clear it

# %% [markdown]
# What happens without them? Take $L(p) = p^2 / 2$ with p = 6, whose slope is p itself, and leave out one thing at a time.

# %%
def slope_at_six():
    p = torch.tensor([6.0], requires_grad=True)
    (p ** 2 / 2).sum().backward()
    return p

p = slope_at_six()
try:
    p -= 0.5 * p.grad
except RuntimeError as error:
    print("without no_grad:  ", error)

p = slope_at_six()
p = p - 0.5 * p.grad
print("not in place:      value", p.item(), " is a leaf:", p.is_leaf, " its .grad:", p.grad if p.is_leaf else "none, and backward() will leave none")

p = slope_at_six()
with torch.no_grad():
    p -= 0.5 * p.grad
(p ** 2 / 2).sum().backward()
print("without zero_():   value", p.item(), " slope there 3, but .grad is", p.grad.item())

# %% [markdown]
# The first is an error, and tells you. The second makes a *new* tensor, which is no leaf: the next `backward()` leaves no
# gradient in it. ⚠ The third says nothing at all: the slope at 3 is 3, but `.grad` still holds the 6 of the step before,
# and the next step will be three times as long as it should be.

# %% [markdown] task="3.4.C" kind="answer" minutes=4 difficulty=2 core=true needs="gradient descent step, learning rate, accumulation of gradients"
# ### The gradient that stayed
#
# $L(p) = p^2/2$, start at p = 8, learning rate 0.25. Set `cleared` to the list of the three values of p after steps 1, 2
# and 3 of a program that clears the gradient after each step, and `added_up` to those of a program that never does.
#
# **You are done when**
# - **cleared**: the three numbers of the first program are right;
# - **added up**: those of the second are, too.

# %% exercise="3.4.C"
### BEGIN SOLUTION
cleared = [6.0, 4.5, 3.375]
added_up = [6.0, 2.5, -1.625]
### END SOLUTION

# %% [markdown] hints="3.4.C"
# 1. The slope at p is p. What is 8 - 0.25 · 8?
# 2. In the second program the second step uses 8 + 6, the slopes of both places.
# 3. With learning rate 0.5 from 4: cleared 2, 1, 0.5; added up 4 - 0.5 · 4 = 2, then 2 - 0.5 · (4 + 2) = -1.

# %% check="3.4.C" points=1
assert_type(cleared, (list, tuple, torch.Tensor, np.ndarray), "cleared", of="cleared")
assert_equal(len(cleared), 3, "the number of entries of cleared", of="cleared", mistakes={"Without the start: the values after steps 1, 2 and 3.": 4})

def about_steps(found, right, grads, clears):
    """A hint: the first of the three steps that is wrong, and which .grad it would need."""
    for step, (place, value, grad) in enumerate(zip([8.] + right, right, grads)):
        if len(found) == 3 and abs(found[step] - value) > 1e-3 * abs(value):
            held = f"{grad:g}, the slope at {place:g}" if clears or not step else " + ".join(f"{slope:g}" for slope in ([8.] + right)[:step + 1]) + f" = {grad:g}"
            return f"Step {step + 1} leads from {place:g} to yours, {found[step]:g}, if .grad is {(place - found[step]) / 0.25:.4g}: it holds {held} there. Nothing is rounded."
    return "Each step takes a quarter of .grad from p."

assert_close(torch.as_tensor(cleared).double(), torch.tensor([6., 4.5, 3.375], dtype=torch.float64), "cleared", of="cleared", rtol=1e-3,
             mistakes={"These are the values before each step (and the slopes there): give those after it.": torch.tensor([8., 6., 4.5]),
                       "Here each step takes half of p: the slope of p²/2 is p, not 2p, and the rate is 0.25.": torch.tensor([4., 2., 1.]),
                       "These are the values of the program that never clears.": torch.tensor([6., 2.5, -1.625]),
                       "Each step subtracts a quarter of the present value, not of the first.": torch.tensor([6., 4., 2.]),
                       "The step goes against the slope.": torch.tensor([10., 12.5, 15.625]), "A quarter is subtracted, not kept.": torch.tensor([2., 0.5, 0.125])},
             hint=lambda: about_steps(torch.as_tensor(cleared).flatten().tolist(), [6., 4.5, 3.375], [8., 6., 4.5], True))
assert_type(added_up, (list, tuple, torch.Tensor, np.ndarray), "added_up", of="added up")
assert_equal(len(added_up), 3, "the number of entries of added_up", of="added up", mistakes={"Without the start: the values after steps 1, 2 and 3.": 4})
assert_close(torch.as_tensor(added_up).double(), torch.tensor([6., 2.5, -1.625], dtype=torch.float64), "added_up", of="added up", rtol=1e-3,
             mistakes={"These are the values of the program that clears.": torch.tensor([6., 4.5, 3.375]),
                       "In the third step .grad holds the slopes of all three places.": torch.tensor([6., 2.5, 0.375]),
                       "These are the values before each step: give those after it.": torch.tensor([8., 6., 2.5]),
                       "The first slope is 8; it is added again only where the program has computed a new one.": torch.tensor([6., 2., -4.]),
                       "In the third step the slope of the second place, 6, is still in .grad, too.": torch.tensor([6., 2.5, -0.125]),
                       "Each step adds one new slope to .grad; here the third takes 8, 8 + 6 and 2.5 together.": torch.tensor([6., 2.5, -3.625]),
                       "These are the numbers in .grad at each step: the values of p are asked for.": torch.tensor([8., 14., 16.5]),
                       "2.5 minus a quarter of 16.5 is below 0.": torch.tensor([6., 2.5, 1.625]),
                       "The third slope is that of the place where this program has come to, 2.5, not 4.5.": torch.tensor([6., 2.5, -2.125]),
                       "In the third step the new slope, 2.5, is added to the 14 of before.": torch.tensor([6., 2.5, -1.])},
             hint=lambda: about_steps(torch.as_tensor(added_up).flatten().tolist(), [6., 2.5, -1.625], [8., 14., 16.5], False))
### BEGIN HIDDEN TESTS
def three_steps(clear):
    p, kept, seen = 8.0, 0.0, []
    for _ in range(3):
        kept = p if clear else kept + p
        p -= 0.25 * kept
        seen.append(p)
    return torch.tensor(seen, dtype=torch.float64)

assert_close(torch.as_tensor(cleared).double(), three_steps(True), "cleared", of="cleared", rtol=1e-3)
assert_close(torch.as_tensor(added_up).double(), three_steps(False), "added_up", of="added up", rtol=1e-3)
### END HIDDEN TESTS

# %% [markdown] teaches="training loop, minibatch stochastic gradient descent"
# ## The loop
#
# To use all examples for each step is *gradient descent*. With 500 examples that is quick, with 50 million it is not, and
# it is not needed: the mean over 32 examples picked at random is a fair estimate of the mean over all. So the loop takes
# the examples in random order, a **minibatch** of 32 at a time, and makes a step after each: *minibatch stochastic
# gradient descent*, SGD for short. One pass over all examples is an **epoch**. Then a new order, and again.
#
# `torch.randperm(n)` draws the numbers 0 ... n - 1 in random order. 500 is no multiple of 32: `order.split(32)` cuts the order into
# 15 pieces of 32 and one of 20. The loss is a mean, so a
# smaller batch makes a step of about the same length, only a noisier one.

# %%
w, b = torch.zeros(2, 1, requires_grad=True), torch.zeros(1, requires_grad=True)
path, batch_losses = [w.detach().flatten().tolist()], []
for epoch in range(3):
    order = torch.randperm(len(features), generator=generator)      # a new order for each epoch
    for rows in order.split(32):
        loss = half_square(predict(features[rows], w, b), targets[rows])        # model and loss
        loss.backward()                                                         # gradients
        sgd_step([w, b], lr=0.1)                                                # step
        path.append(w.detach().flatten().tolist())
        batch_losses.append(loss.item())
    with torch.no_grad():                                           # measuring is not to be recorded
        print(f"after epoch {epoch + 1}: loss on all examples {half_square(predict(features, w, b), targets):.5f}")
print("learnt:", [round(v, 3) for v in w.flatten().tolist() + b.tolist()], "  true:", [2.0, -3.4, 4.2])
print("errors:", [round(v, 3) for v in (w - true_w).flatten().tolist() + (b - true_b).tolist()])

# %% [markdown]
# That is all. After three epochs, 48 steps, each parameter is right to 0.03, and the loss has come down to the 0.005 that
# the noise leaves. (`loss.backward()` fills `w.grad` and `b.grad`; `w.detach()` reads the numbers without the graph.)

# %% tags=["demo"]
figure, axes = plt.subplots(1, 2, figsize=(7.4, 3), layout="constrained")
axes[0].plot(batch_losses)
axes[0].axhline(0.005, color="gray", linestyle="--", label="0.005, the noise")
axes[0].set(xlabel="step", ylabel="loss of the minibatch", yscale="log")
axes[0].legend()
grid_1, grid_2 = torch.meshgrid(torch.linspace(-0.5, 2.6, 60), torch.linspace(-4.2, 0.6, 60), indexing="ij")
deviations = torch.stack([grid_1 - 2.0, grid_2 + 3.4], dim=-1)
heights = ((deviations @ features.T) ** 2 / 2).mean(dim=-1)
axes[1].contour(grid_1, grid_2, heights, levels=12, colors="silver", linewidths=0.8)
axes[1].plot(*zip(*path), ".-", markersize=4)
axes[1].plot(2.0, -3.4, "*", color="C3", markersize=11)
axes[1].set(xlabel="weight 1", ylabel="weight 2")
plt.show()

# %% [markdown]
# Left: the loss of each minibatch, on a logarithmic scale. It falls fast and then jitters around the floor of the noise.
# Right: the way of the two weights, from (0, 0) to the true ones (red star), drawn on the level lines of the loss. The
# steps grow shorter by themselves, since the slope gets smaller near the bottom.
#
# The next three exercises are about the same loop: the batches, the loss of an epoch, and the whole.

# %% [markdown] task="3.4.7a" kind="code" minutes=8 difficulty=2 core=true needs="minibatch stochastic gradient descent, permutation, one order for features and targets, yield"
# ### The last, smaller batch
#
# Write `data_iter(batch_size, X, y)`, by which a loop `for X_batch, y_batch in data_iter(32, X, y)` gets its minibatches. `X` and `y` have
# the same length and any further axes. What happens to the last examples if n is no multiple of `batch_size`?
# (A generator function with `yield` is one way; a list of pairs will do as well.)
#
# **You are done when**
# - **sizes**: all batches have `batch_size` rows, but for the last, which holds what is left, also if that is all;
# - **each once**: each example is handed out exactly once;
# - **pairs**: each item is a pair, and rows of `X` and `y` stay together;
# - **random order**: the examples come in random order, one by one, not block by block;
# - **new order**: each call has an order of its own;
# - **arguments kept**: `X` and `y` stay as they were.

# %% exercise="3.4.7a"
def data_iter(batch_size, X, y):
    """Pairs (X_batch, y_batch) in random order; the last batch may be smaller."""
    ### BEGIN SOLUTION
    order = torch.randperm(len(X))
    for start in range(0, len(X), batch_size):
        rows = order[start:start + batch_size]
        yield X[rows], y[rows]
    ### END SOLUTION

# %% [markdown] hints="3.4.7a"
# 1. What does `torch.arange(5)[3:7]` give? Does a slice past the end raise?
# 2. `torch.randperm(n)` is a random order; the same numbers select rows of `X` and of `y`.
# 3. A list in pieces of three: `for i in range(0, len(row), 3): yield row[i:i + 3]`.

# %% check="3.4.7a" points=2
@probe
def all_batches(batch_size, X, y):
    made = data_iter(batch_size, X, y)
    if not hasattr(made, "__iter__") and not hasattr(made, "__getitem__"):
        return made
    return [list(pair) if isinstance(pair, (tuple, list)) else pair for pair in made]

@probe
def orders_of_calls(calls, n, batch_size):
    """How many different orders of n examples so many calls hand out."""
    made = [[pair[1] for pair in data_iter(batch_size, torch.arange(float(n)), torch.arange(n))] for _ in range(calls)]
    return len({tuple(torch.cat([rows.reshape(-1) for rows in batches]).tolist()) for batches in made})

@probe
def last_batches(calls, n, batch_size):
    """Which of n examples stand in the last batch of one of so many calls."""
    made = [list(data_iter(batch_size, torch.arange(float(n)), torch.arange(n)))[-1][1] for _ in range(calls)]
    return sorted(set(torch.cat([rows.reshape(-1) for rows in made]).tolist()))

@probe
def rows_after_batches(batch_size, X, y):
    for pair in data_iter(batch_size, X, y):
        pass
    return X, y

def about_sizes(n, made, sizes, pairs):
    """A hint: how the sizes of the batches differ from those asked for."""
    if sorted(made) == sorted(sizes):
        held = [torch.as_tensor(pair[1]).flatten().tolist() for pair in pairs]
        return "The sizes are right, but the smaller batch comes last." + (
            " Each of your batches holds neighbours in X, in the order given: shuffle the examples, not the batches, and then cut."
            if all(rows == list(range(rows[0], rows[0] + len(rows))) for rows in held) else "")
    if len(made) == len(sizes) and sum(made) == n:
        return ("As many batches as it takes, but the examples are shared out among them" + (" in about equal numbers" if max(made) - min(made) < 2 else "") +
                ": each batch but the last takes batch_size rows, the last what is left.")
    return "batch_size rows in each but the last batch, and as many batches as that takes."

def check_batches(n, size, sizes, X, column=False):
    ids = torch.arange(n)[:, None] if column else torch.arange(n)
    which = f"{n} examples in batches of {size}" + (", targets of shape (n, 1)" if column else "")
    pairs = all_batches(size, X, ids)
    assert_type(pairs, list, f"what data_iter gives for {which}", of="pairs")
    for pair in pairs:
        assert_type(pair, list, f"an item of data_iter, {which}", of="pairs", hint="This is one batch alone: `return` in the loop ends the function; `yield`, or collect a list." if torch.is_tensor(pair) and len(pairs) == 2 and len(pair) == size
                    else "Each item is a pair, the rows of X and the rows of y.")
        assert_equal(len(pair), 2, f"the length of an item of data_iter, {which}", of="pairs", hint="A pair: the rows of X and the rows of y.")
        for rows, given, name in zip(pair, (X, ids), ("an X_batch", "a y_batch")):
            assert_equal(list(np.shape(rows))[1:], list(given.shape[1:]), f"the axes of {name} after the first, {which}",
                         of="pairs",
                         hint="The rows of X come first, those of y second, each with its further axes, also where a batch has one row.")
    made = [len(pair[0]) for pair in pairs]
    assert_equal(made, sizes, f"the batch sizes, {which}", of="sizes",
                 mistakes={"The last batch holds what is left; here it is dropped.": [s for s in sizes if s == size],
                           "The last batch holds what is left; here it is filled up.": [size] * len(sizes),
                           "There is an empty batch at the end.": sizes + [0]},
                 hint=lambda: about_sizes(n, made, sizes, pairs))
    for pair, length in zip(pairs, sizes):
        for rows, given, name in zip(pair, (X, ids), ("an X_batch", "a y_batch")):
            assert_equal(list(np.shape(rows)), [length, *given.shape[1:]], f"the shape of {name}, {which}", of="pairs",
                         hint="The rows of X come first, those of y second, each with its further axes, also where a batch has one row.")
    order = torch.cat([torch.as_tensor(pair[1]) for pair in pairs]).reshape(-1)
    assert_equal(order.sort().values.tolist(), list(range(n)), f"the examples, sorted, {which}", of="each once", hint="Each example once: a permutation, not a draw with repeats.")
    assert_close(torch.cat([pair[0] for pair in pairs]), X[order], f"the rows of X beside those of y, {which}", of="pairs",
                 hint="Select the rows of X and of y with the same numbers.")
    return order.tolist()

def check_inside(order, size):
    blocks = [order[k:k + size] for k in range(0, len(order), size)]
    for text, falling in (("rising", False), ("falling", True)):
        assert_true(any(block != sorted(block, reverse=falling) for block in blocks), f"{len(order)} examples in batches of {size}: the batches do not all hold their examples in {text} order",
                    of="random order", hint="Here each batch is sorted: leave the examples in the order of the permutation.")

all_over_ = "Draw the order over all examples, then cut: any example may come into the smaller batch at the end."

def visible_batches():
    X = torch.arange(20.).reshape(10, 2)
    for size, sizes in ((4, [4, 4, 2]), (5, [5, 5]), (12, [10])):
        check_batches(10, size, sizes, X)
    check_batches(7, 3, [3, 3, 1], X[:7], column=True)
    check_batches(9, 4, [4, 4, 1], X[:9])
    X = torch.arange(40.)[:, None]
    order = check_batches(40, 8, [8] * 5, X)
    follow = sum(after == before + 1 for before, after in zip(order, order[1:]))
    assert_true(order != list(range(40)), "40 examples come in random order, not in the order given", of="random order", hint="torch.randperm(n) is a random order.")
    blocks = [order[k:k + 8] for k in range(0, 40, 8)]
    assert_true(follow < 12, f"of 40 examples few come right after their neighbour in X (yours: {follow} of 39)", of="random order",
                hint="This is the order given, begun at another place." if follow > 37 else
                "Shuffle the examples, not the batches." if all(b == list(range(b[0], b[0] + 8)) for b in blocks)
                else "torch.randperm(n) is a random order, in which hardly any neighbours stay together.")
    kept = sum(max(block) - min(block) == 7 for block in blocks)
    assert_true(kept < 5, f"of 5 batches of 8 examples not all hold eight neighbours in X (yours: {kept} of 5)",
                of="random order",
                hint="Here the examples are shuffled inside of each batch: shuffle all of them, then cut the batches.")
    check_inside(order, 8)
    assert_true(order != check_batches(40, 8, [8] * 5, X), "two calls for 40 examples have different orders", of="new order",
                hint="Draw the order anew in each call: set no seed, keep no order.")
    count = orders_of_calls(120, 4, 1)
    assert_true(count > 16, f"4 examples have 24 orders, and 120 calls show more than 16 of them; yours show {count}", of="random order",
                hint="Any order may come, each as likely as the others: torch.randperm draws one.")
    assert_equal(last_batches(100, 5, 4), [0, 1, 2, 3, 4], "the examples that are the last batch in one of 100 calls, 5 examples in batches of 4", of="random order",
                 hint=all_over_)
    kept = rows_after_batches(8, X.clone(), torch.arange(40.))
    own_ = "`X[order]` makes a new tensor; `X[:] = X[order]` writes into the one that was given."
    assert_close(kept[0], X, "X after the loop over all batches", of="arguments kept", hint=own_)
    assert_close(kept[1], torch.arange(40.), "y after the loop over all batches", of="arguments kept", hint=own_)

visible_batches()
### BEGIN HIDDEN TESTS
def hidden_batches():
    rng = torch.Generator().manual_seed(57)
    X = torch.randn(31, 2, 3, generator=rng)
    for size, sizes in ((7, [7] * 4 + [3]), (5, [5] * 6 + [1]), (31, [31]), (40, [31]), (1, [1] * 31)):
        order = check_batches(31, size, sizes, X)
        if size > 1:
            check_inside(order, size)
        follow = sum(after == before + 1 for before, after in zip(order, order[1:]))
        assert_true(follow < 12, f"of 31 examples in batches of {size} few come right after their neighbour in X (yours: {follow} of 30)", of="random order",
                    hint="torch.randperm(n) is a random order, in which hardly any neighbours stay together.")
    assert_equal(last_batches(100, 5, 3), [0, 1, 2, 3, 4], "the examples that stand in the last batch in one of 100 calls, 5 examples in batches of 3", of="random order",
                 hint=all_over_)
    assert_true(check_batches(31, 7, [7] * 4 + [3], X) != check_batches(31, 7, [7] * 4 + [3], X), "two calls for 31 examples have different orders", of="new order")
    check_batches(31, 8, [8, 8, 8, 7], X, column=True)
    check_batches(13, 6, [6, 6, 1], X[:13], column=True)
    count = orders_of_calls(120, 5, 2)
    assert_true(count > 40, f"5 examples have 120 orders, and 120 calls with batches of 2 show more than 40 of them; yours show {count}", of="random order",
                hint="Any order may come, each as likely as the others.")
    kept = rows_after_batches(4, X.clone(), X[:, 0].clone())
    assert_close(kept[0], X, "X of shape (31, 2, 3) after the loop", of="arguments kept")
    assert_close(kept[1], X[:, 0], "y of shape (31, 3) after the loop", of="arguments kept")

hidden_batches()
### END HIDDEN TESTS

# %% [markdown] task="3.4.7b" kind="code" minutes=6 difficulty=2 needs="weighted average, minibatch"
# ### The mean loss of an epoch
#
# A program notes the *mean* loss of each batch. Write `epoch_loss(batch_losses, n, batch_size)`: from these means, a
# tensor with one entry for each batch, it returns the mean over the `n` examples, a number. The batches have
# `batch_size` examples, and the last one what is left.
#
# **You are done when**
# - **smaller last batch**: it is right if the last batch is smaller;
# - **full last batch**: it is right if all batches are full;
# - **one batch**: it is right for a single batch with fewer than `batch_size` examples.

# %% exercise="3.4.7b"
def epoch_loss(batch_losses, n, batch_size):
    """The mean loss over n examples from the mean losses of their batches."""
    ### BEGIN SOLUTION
    full = len(batch_losses) - 1
    last = n - batch_size * full
    return ((batch_losses[:full].sum() * batch_size + batch_losses[full] * last) / n).item()
    ### END SOLUTION

# %% [markdown] hints="3.4.7b"
# 1. How many examples stand behind the last mean?
# 2. A mean over all examples weights each batch by its size. `n % batch_size` is 0 where the last batch is full.
# 3. Two classes of 20 and 5 pupils with mean ages 10 and 15: (20·10 + 5·15)/25 = 11.

# %% check="3.4.7b" points=1
assert_type(epoch_loss(torch.tensor([1., 4., 9.]), 10, 4), (float, int, torch.Tensor, np.ndarray), "what epoch_loss returns", of="smaller last batch")

def weights_given():
    """A hint: with which weights the three means enter, read off from a 1 among zeros."""
    try:
        weights = [float(epoch_loss(torch.tensor([float(i == j) for i in range(3)]), 10, 4)) for j in range(3)]
        together = float(epoch_loss(torch.tensor([1., 4., 9.]), 10, 4))
    except Exception:
        return ""
    if abs(weights[0] + 4 * weights[1] + 9 * weights[2] - together) > 1e-3:
        return ""
    return f" Yours gives them the weights {', '.join(f'{weight:.3g}' for weight in weights)}."

assert_close(epoch_loss(torch.tensor([1., 4., 9.]), 10, 4), 3.8, "10 examples in batches of 4, 4, 2, losses 1, 4, 9", of="smaller last batch", rtol=1e-5,
             mistakes={"Each batch counted alike; the last one is smaller.": 14 / 3, "The last batch counted as a full one.": 5.6,
                       "The last batch counts for nothing. Is its size 0? `10 - 4 * 10 // 4` is 0, since `*` and `//` work from left to right.": 2.0,
                       "The last batch is left out.": 2.5, "This is the sum: divide by n.": 38.0, "Divide by n, not by the number of batches.": 38 / 3,
                       "The sum of the losses divided by n: weight each batch by its size.": 1.4, "The mean, not the median.": 4.0,
                       "Divide by n, not by the room in all batches.": 38 / 12, "The last batch is the smaller one, not the first.": 5.4, "Divide with /: // cuts the fraction off.": 3.0},
             hint=lambda: "The batches hold 4, 4 and 2 of the 10 examples, so their means have the weights 0.4, 0.4 and 0.2: (4·1 + 4·4 + 2·9) / 10." + weights_given())
assert_close(epoch_loss(torch.tensor([1., 2.]), 8, 4), 1.5,
             "8 examples in batches of 4 and 4, losses 1, 2: both are full, none is left over", of="full last batch", rtol=1e-5,
             mistakes={"The last batch counts for nothing: 8 % 4 is 0, but it holds 4 examples.": 0.5,
                       "The last batch counts for nothing, nor do its examples in the divisor: 8 % 4 is 0, but it holds 4 examples.": 1.0, "The last batch counts for one example: it holds 4.": 6 / 5}, hint="Both batches hold 4 examples, so both means weigh the same.")
assert_close(epoch_loss(torch.tensor([3.]), 5, 8), 3.0, "5 examples in one batch of at most 8, loss 3", of="one batch", rtol=1e-5,
             mistakes={"The batch counted as a full one of 8.": 4.8, "The only batch is left out.": 0.0, "Divide by n, the 5 examples, not by 8.": 1.875},
             hint=lambda: ("nan is what a mean over no entries gives, and 0 / 0: no batch stands before the only one. " if math.isnan(epoch_loss(torch.tensor([3.]), 5, 8)) else "") +
             "The only batch holds all 5 examples: its mean is theirs.")
### BEGIN HIDDEN TESTS
def hidden_epoch_loss():
    rng = torch.Generator().manual_seed(58)
    for n, size, of in ((31, 7, "smaller last batch"), (9, 4, "smaller last batch"), (30, 6, "full last batch"), (5, 5, "full last batch"), (3, 8, "one batch"), (17, 40, "one batch")):
        each = torch.rand(n, generator=rng) * 3
        means = torch.stack([piece.mean() for piece in each.split(size)])
        assert_close(epoch_loss(means, n, size), each.double().mean().item(), f"{n} examples in batches of {size}", of=of, rtol=1e-4, hint="Weight each mean by the number of its examples, not rounded.")

hidden_epoch_loss()
### END HIDDEN TESTS

# %% [markdown] task="3.4.10" kind="code" minutes=15 difficulty=3 core=true needs="training loop, minibatch stochastic gradient descent, gradient descent step, half mean of squares, linear model"
# ### The whole, from memory
#
# Close the page above, if you can, and write `fit(X, y, lr, epochs, batch_size)`: minibatch SGD on the half mean of squares,
# from zero, for `X` (n, d) and `y` (n, 1), float32. It returns `(w, b, losses)`: the learnt parameters, and a list with the
# loss on all n examples after each epoch. (Parameters detached or with a graph: both will do.)
#
# **You are done when**
# - **shape**: `w` has shape `(d, 1)`, `b` shape `(1,)`, and `losses` has `epochs` entries;
# - **steps**: with all examples in one batch, w and b are right;
# - **batches**: an epoch makes one step for each batch of `batch_size` examples, and one for what is left;
# - **losses**: they are those on all examples, after each epoch;
# - **new order**: each epoch of each call takes the examples in a random order of its own, one by one, not block by block.

# %% exercise="3.4.10"
def fit(X, y, lr, epochs, batch_size):
    """(w, b, losses) of minibatch SGD from zero on the half mean of squares."""
    ### BEGIN SOLUTION
    w, b, losses = torch.zeros(X.shape[1], 1, requires_grad=True), torch.zeros(1, requires_grad=True), []
    for _ in range(epochs):
        for rows in torch.randperm(len(X)).split(batch_size):
            half_square(predict(X[rows], w, b), y[rows]).backward()
            sgd_step([w, b], lr)
        losses.append(half_square(predict(X, w, b), y).item())
    return w.detach(), b.detach(), losses
    ### END SOLUTION

# %% [markdown] hints="3.4.10"
# 1. Two loops, one within the other: which lines stand in the inner one, which in the outer one?
# 2. Model and loss, `backward()`, step with cleared gradients: this for each batch. A new order and a loss on all: for each epoch.
# 3. A loop of this shape that only counts: `for epoch in range(2): for rows in torch.randperm(7).split(3): steps += 1` gives 6.

# %% check="3.4.10" points=3
import itertools

def descent(X, y, lr, steps, scale=1.0, add="", bias=1.0, cleared=0):
    """Steps on all examples; `add`: whose gradients are added up, and begin anew after `cleared` steps."""
    w, b = torch.zeros(X.shape[1], 1, dtype=torch.float64), torch.zeros(1, dtype=torch.float64)
    X, y, losses, dw, db = X.double(), y.double(), [], 0.0, 0.0
    for step in range(steps):
        r, each = X @ w + b - y, scale[step % len(scale)] if isinstance(scale, list) else scale
        kept = add if not cleared or step % cleared else ""
        dw, db = (dw if "w" in kept else 0.0) + each * X.T @ r / len(X), (db if "b" in kept else 0.0) + each * r.mean()
        w, b = w - lr * dw, b - bias * lr * db
        losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
    return w, b, losses

def step_hint(X, y, lr, w):
    """Of which rows a first step from zero was made, if they are not the n of X and y, each once."""
    n, texts = len(X), set()
    for rows in map(list, itertools.product(range(n), repeat=n) if n <= 3 else ()):
        if len(set(rows)) < n and torch.allclose(lr * X[rows].T @ y[rows] / n, w, rtol=1e-3, atol=1e-4):
            texts.add(f"This is a step with the examples {sorted(i + 1 for i in rows)}: each of the {n} belongs in it once. Cut the batches from a permutation.")
        elif len(set(rows)) == n and torch.allclose(lr * X.T @ y[rows] / n, w, rtol=1e-3, atol=1e-4):
            texts.add(f"This is a step with the rows 1 to {n} of X beside the targets {[i + 1 for i in rows]}: take X and y of the same rows.")
    return texts.pop() if len(texts) == 1 else "From zero; the step by lr times the gradient of the mean over the rows of the batch, with X and y of the same rows, each once."

def check_fit(X, y, lr, epochs, batch_size, which):
    """All examples in one batch, or all examples alike: then the result does not depend on the order."""
    n, d = X.shape
    each = math.ceil(n / batch_size)
    w, b, losses = descent(X, y, lr, each * epochs)
    of = "steps" if each == 1 else "batches"
    if each == 1 and epochs > 1:
        said, first_goes = "", True
        try:
            fit(X, y, lr, epochs, batch_size)
        except Exception as error:
            said = str(error)
        if "NoneType" in said:
            try:
                fit(X, y, lr, 1, batch_size)
            except Exception:
                first_goes = False
        assert_true("NoneType" not in said or not first_goes, f"each step has its gradients, {which}", of=of,
                    hint=f"The first step goes through; in a later one something is None. `w = w - lr * w.grad` makes a new tensor, which is no leaf: backward() leaves no .grad in it. "
                    f"Change w in place, under torch.no_grad(). (The error: {said})")
        assert_true("a leaf Variable that requires grad" not in said, f"a step changes the parameters, {which}", of=of,
                    hint=f"A parameter is changed in place outside of torch.no_grad(). (The error: {said})")
    found = fit(X, y, lr, epochs, batch_size)
    assert_type(found, (tuple, list), "what fit returns", of="shape")
    assert_equal(len(found), 3, "the number of things that fit returns: w, b, losses", of="shape")
    assert_shape(found[0], (d, 1), f"the shape of w, {which}", of="shape",
                 mistakes={"w is a column, with one row for each feature.": (d,), "w is a column, not a row.": (1, d)} if d > 1 else {"w is a column: it has two axes.": (d,)})
    assert_shape(found[1], (1,), f"the shape of b, {which}", of="shape", mistakes={"A number of shape () has no axis: torch.zeros(1) has the shape (1,).": (), "b has one axis: torch.zeros(1).": (1, 1)})
    assert_type(found[2], (tuple, list, torch.Tensor, np.ndarray), f"the losses, {which}", of="shape")
    assert_equal(len(found[2]), epochs, f"the number of losses, {which}", of="shape", mistakes={"One loss for each epoch, not for each step.": each * epochs} if each > 1 else None)
    other = {"Nothing was learnt: does each epoch make its steps?": torch.zeros(d, 1)}
    if each == 1:
        first = which.replace(f"{epochs} epochs", "one epoch")
        begin, (first_w, first_b, _), once = fit(X, y, 0.0, 1, batch_size), descent(X, y, lr, 1), fit(X, y, lr, 1, batch_size)
        for name, start, like in (("w", begin[0], w), ("b", begin[1], b)):
            assert_close(start, torch.zeros_like(like),
                         f"{name} after an epoch with lr 0, {n} examples of {d} features: no step moves it, so it is the start",
                         of="steps", hint=f"{name} starts at zero, without a draw.")
        late_w, late_b = -lr * X.double().T @ (first_b - y) / n, -lr * (X.double() @ first_w - y).mean().reshape(1)
        assert_close(once[0], first_w, f"w, {first}", of="steps", rtol=1e-3, atol=1e-4,
                     mistakes=other
                     | {"This is the step of a loss without the half.": 2 * first_w, "This is the step of the sum, not the mean.": n * first_w, "The step goes uphill.": -first_w,
                                       "The gradient of w was taken after b had moved: compute both, then move both.": late_w,
                                       "Were the targets flattened? (n, 1) minus (n,) lets each prediction meet each target.": lr * X.double().mean(dim=0)[:, None] * y.double().mean()},
                                       hint=lambda: step_hint(X, y, lr, once[0].detach().float()))
        assert_close(once[1], first_b, f"b, {first}", of="steps", rtol=1e-3, atol=1e-4,
                     mistakes={"The bias stays at zero: it is a parameter, too.": torch.zeros(1), "The gradient of b was taken after w had moved: compute both, then move both.": late_b},
                     hint="The bias starts at zero and takes the same step: lr times the mean residual, against the slope.")
        other |= {"The gradients of all steps were added up: clear them after each step.": descent(X, y, lr, epochs, add="wb")[0],
                  "The gradients of b were added up, those of w were not: clear both after each step.": descent(X, y, lr, epochs, add="b")[0],
                  "The gradients of w were added up, those of b were not: clear both after each step.": descent(X, y, lr, epochs, add="w")[0],
                  "These are the steps of a loss without the half.": descent(X, y, lr, epochs, 2.0)[0], "These are the steps of the sum, not the mean.": descent(X, y, lr, epochs, float(n))[0],
                  "This is the result of one step too few.": descent(X, y, lr, epochs - 1)[0], "The step goes uphill.": descent(X, y, -lr, epochs)[0],
                  "The bias stays at zero: it is a parameter, too.": descent(X, y, lr, epochs, bias=0.0)[0]}
    else:
        other |= {"Each epoch has one step more, for what is left of the examples.": descent(X, y, lr, (n // batch_size) * epochs)[0],
                  "Each epoch makes one step only: is batch_size used?": descent(X, y, lr, epochs)[0], "Only one epoch was made.": descent(X, y, lr, each)[0],
                  "A step for each example: is batch_size used?": descent(X, y, lr, n * epochs)[0],
                  "The gradients are cleared once in an epoch: clear them after each step.":
                      descent(X, y, lr, each * epochs, add="wb", cleared=each)[0],
                  "This is one step for each epoch, with the gradients of all its batches added up: each batch makes a step of its own.": descent(X, y, lr, epochs, float(each))[0]}
        if n % batch_size:
            other |= {"The smaller batch takes the mean over its own rows; here its sum is divided by batch_size.":
                      descent(X, y, lr, each * epochs, [1.0] * (n // batch_size) + [n % batch_size / batch_size])[0]}
    assert_close(found[0], w, f"w, {which}", of=of, rtol=1e-3, atol=1e-4, mistakes=other,
                 hint="After one epoch w was right: let each step be like the first, with rate lr, gradients cleared, no momentum, and X and y of the same rows, each once." if each == 1 else
                 "From zero; each step by lr times the gradient of the mean over the rows of the batch, with X and y of the same rows.")
    assert_close(found[1], b, f"b, {which}", of=of, rtol=1e-3, atol=1e-4, hint="The bias is a parameter, too: it starts at zero and takes part in each step.")
    wanted = losses[each - 1::each]
    before = [(y.double() ** 2 / 2).mean().item()] + wanted[:-1]
    assert_close(torch.as_tensor([float(v) for v in found[2]]).double(), torch.tensor(wanted, dtype=torch.float64), f"the losses, {which}", of="losses", rtol=1e-3, atol=1e-5,
                 mistakes={"These are the losses before the steps of each epoch; measure after them, on all examples.": torch.tensor(before, dtype=torch.float64), "This loss has no half.": 2 * torch.tensor(wanted, dtype=torch.float64),
                           "This is the sum, not the mean.": n * torch.tensor(wanted, dtype=torch.float64)},
                 hint="The half mean of squares over all n examples, predictions (n, 1) minus targets (n, 1), with the parameters at the end of the epoch.")

@probe
def ends_of_many(count, X, y, lr, epochs, batch_size):
    """The weights and the last losses of many calls."""
    made = [fit(X, y, lr, epochs, batch_size) for _ in range(count)]
    return [float(one[0].detach().flatten()[0]) for one in made], [float(one[2][-1]) for one in made], [float(one[1].detach()[0]) for one in made]

def check_orders(X, y, lr, epochs, which):
    weights, last, biases = ends_of_many(30, X, y, lr, epochs, 1)
    ends = len({round(v, 3) for v in weights})
    assert_true(ends > 1, f"{which}, batches of 1: 30 calls of fit do not all end alike", of="new order", hint="The examples are to come in random order; do not set a seed.")
    assert_true(ends > 2, f"{which}, batches of 1: 30 calls of fit end in more than two places", of="new order",
                hint="Two examples have two orders. Is a new one drawn for each epoch?")
    apart = abs(last[0] - ((X * weights[0] + biases[0] - y) ** 2 / 2).mean().item())
    assert_true(apart < 1e-4 + 1e-3 * abs(last[0]), f"the last loss is that of the returned parameters on all examples, {which}, batches of 1", of="losses",
                hint="After the epoch: model and loss once more, for all rows of X and y.")

def check_shuffle(X, y, lr, size, least):
    ends = len({round(v, 4) for v in ends_of_many(40, X, y, lr, 1, size)[0]})
    assert_true(ends > least, f"{len(X)} examples in batches of {size}, one epoch: 40 calls of fit end in more than {least} places; yours end in {ends}", of="new order",
                hint="Shuffle the examples, not the batches; any order may come.")

def check_pieces(n, size, lr):
    """The feature is 0 and one target is 1, the others 0: b ends in one of two places, by the batch that the 1 is in."""
    X, y, rest = torch.zeros(n, 1), torch.zeros(n, 1), n % size
    y[n // 2] = 1
    full, small = (1 - lr) / size, 1 / rest
    right = [lr * full, lr * small, lr / size, lr * (1 - lr) / rest]             # the smaller batch last, or first
    ends = ends_of_many(70, X.clone(), y.clone(), lr, 1, size)[2]
    far = [end for end in ends if min(abs(end - value) for value in right) > 1e-4]
    assert_true(not far, f"{n} examples of feature 0, one with target 1, in batches of {size}, lr {lr}, one epoch: b ends at {right[0]:.4g} or {right[1]:.4g}" + (f"; yours ends at {far[0]:.4g}" if far else ""),
                of="batches", hint="In some calls this example is in no batch at all: cut the batches of an epoch from one "
                                   "order, so that each example comes once." if any(abs(end) < 1e-6 for end in far) else
                f"One batch of {size} and one of {rest}; each step takes the mean over the rows of its own batch.")
    seen = {min(range(4), key=lambda k: abs(end - right[k])) % 2 for end in ends}
    assert_equal(sorted(seen), [0, 1], f"{n} examples in batches of {size}, 70 calls: in which batch example {n // 2 + 1} stands (0 the full one, 1 the smaller one), each that occurs",
                 of="new order", hint="Draw the order over all examples, then cut: any example may come into the smaller batch.")

check_fit(torch.tensor([[1., 0.], [0., 1.], [2., -1.]]), torch.tensor([[3.], [1.], [4.]]), 0.2, 3, 3, "3 different examples in one batch, 3 epochs, lr 0.2")
check_fit(torch.tensor([[1., 2.]]).repeat(7, 1), torch.full((7, 1), 3.), 0.05, 2, 3, "7 equal examples in batches of 3, 2 epochs, lr 0.05")
check_orders(torch.tensor([[1.], [2.]]), torch.tensor([[1.], [-1.]]), 0.2, 3, "2 examples, 3 epochs")
check_shuffle(torch.tensor([[1.], [2.], [-1.], [0.5]]), torch.tensor([[1.], [-1.], [2.], [4.]]), 0.3, 2, 3)
check_shuffle(torch.tensor([[1.], [2.], [-1.], [0.5], [1.5]]), torch.tensor([[1.], [-1.], [2.], [4.], [-3.]]), 0.3, 1, 12)
check_pieces(5, 4, 0.4)
check_fit(torch.tensor([[3.], [1.]]), torch.tensor([[1.], [2.]]), 0.6, 3, 2, "2 examples in one batch, 3 epochs, lr 0.6, at which the loss grows")
### BEGIN HIDDEN TESTS
rng_ = torch.Generator().manual_seed(3410)
for n_, d_, epochs_, size_ in ((6, 3, 5, 6), (5, 1, 4, 9), (4, 2, 1, 4)):
    check_fit(torch.randn(n_, d_, generator=rng_), torch.randn(n_, 1, generator=rng_) + 2, 0.1, epochs_, size_, f"{n_} examples of {d_} features in one batch, {epochs_} epochs")
for n_, size_, epochs_ in ((8, 4, 3), (10, 4, 2), (5, 1, 2)):
    check_fit(torch.randn(1, 3, generator=rng_).repeat(n_, 1), torch.full((n_, 1), -2.), 0.03, epochs_, size_, f"{n_} equal examples in batches of {size_}, {epochs_} epochs")
check_orders(torch.tensor([[-1.], [1.5]]), torch.tensor([[2.], [0.5]]), 0.3, 4, "2 other examples, 4 epochs")
check_shuffle(torch.tensor([[1.], [-2.], [0.3], [0.8], [1.4], [-1.]]), torch.tensor([[2.], [1.], [-3.], [4.], [0.], [6.]]), 0.2, 1, 15)
check_shuffle(torch.tensor([[1.], [-2.], [0.3], [0.8]]), torch.tensor([[2.], [1.], [-3.], [5.]]), 0.2, 2, 3)
check_pieces(7, 5, 0.3)
check_fit(torch.tensor([[2., 0.], [-1., 3.]]), torch.tensor([[1.], [2.]]), 0.5, 4, 5, "2 examples of 2 features in one batch, 4 epochs, lr 0.5, at which the loss grows")
### END HIDDEN TESTS

# %% [markdown] teaches="linear regression from scratch as a module"
# ### The same in classes
#
# With the classes of section 3.2 the four parts get fixed places: the model knows its parameters, its prediction, its loss
# and its optimizer; the `Trainer` has the loop. `torch.nn.Parameter(t)` marks a tensor as a parameter of a module.

# %%
class StepByGradient:
    def __init__(self, params, lr):
        self.params, self.lr = list(params), lr

    def step(self):
        with torch.no_grad():
            for p in self.params:
                p -= self.lr * p.grad

    def zero_grad(self):
        for p in self.params:
            if p.grad is not None:
                p.grad.zero_()

class LinearModel(d2l.Module):
    def __init__(self, num_inputs, lr):
        super().__init__()
        self.save_hyperparameters()
        self.w = torch.nn.Parameter(0.01 * torch.randn(num_inputs, 1))
        self.b = torch.nn.Parameter(torch.zeros(1))

    def forward(self, X):
        return predict(X, self.w, self.b)

    def loss(self, y_hat, y):
        return half_square(y_hat, y)

    def configure_optimizers(self):
        return StepByGradient([self.w, self.b], self.lr)

torch.manual_seed(0)
data = d2l.SyntheticRegressionData(w=true_w.flatten(), b=true_b, noise=0.1, num_train=500, num_val=500)
model, trainer = LinearModel(2, lr=0.1), d2l.Trainer(max_epochs=3, verbose=False)
trainer.fit(model, data)
print(trainer.history.to_frame().round(4).to_string(index=False))
print("learnt:", [round(v, 3) for v in model.w.flatten().tolist() + model.b.tolist()])

# %% [markdown]
# Nearly the same results (data, start and order are drawn anew), from the same lines in other places. `train_loss` is the mean
# over the batches *while* the parameters move, `val_loss` the loss on 500 other examples after the epoch: in the first epoch
# they are far apart.
# `d2l.LinearRegressionScratch` and `d2l.SGD` are these two classes, and the loss there looks at the shapes.

# %% [markdown] teaches="training on the broadcast loss"
# ## What does a broadcast loss teach?
#
# Back to the loss that subtracts shape (n,) from shape (n, 1). It is a number, it has a gradient, and training lowers it.
# So let us train on it, on all examples at once, and look where it ends.

# %%
w, b = torch.tensor([[1.0], [1.0]], requires_grad=True), torch.zeros(1, requires_grad=True)
for step in range(201):
    loss = half_square(predict(features, w, b), targets.flatten())      # (500, 1) against (500,)
    if step % 50 == 0:
        print(f"step {step:3}: loss {loss.item():7.3f}, weights {w[0].item():7.4f} {w[1].item():7.4f}, bias {b.item():.3f}")
    loss.backward()
    sgd_step([w, b], lr=0.1)
print(f"mean of the targets {targets.mean().item():.3f}, half their variance {targets.var(correction=0).item() / 2:.3f}")

# %% [markdown]
# The loss falls and settles. The weights have gone to *zero*, and the bias is the mean of the targets. Whoever looks at the falling curve alone
# is content. The next exercise asks why it ends just there.

# %% [markdown] task="3.4.5b" kind="explain" minutes=15 difficulty=4 needs="training on the broadcast loss, shapes in the loss, broadcasting"
# ### What the broadcast loss learns
#
# The broadcast loss is the mean of (ŷᵢ - yⱼ)²/2 over *all pairs* i, j. Write `broadcast_optimum(X, y)`: for `X` (n, d), whose
# columns and the constant 1 are linearly independent, and `y` (n,), it returns the pair `(w, b)` that minimises *this*
# loss with ŷ = Xw + b.
#
# Then answer in words:
# 1. Which shapes lead to the mistake, and why does no error appear?
# 2. What does the trained model predict, and why? (Look at the best ŷᵢ for one i.)
# 3. How would you notice the mistake in a training run, and how do you prevent it?
#
# **You are done when** your words answer all three, and
# - **shape**: `w` has shape `(d, 1)` and `b` shape `(1,)`;
# - **weights**: w is that of the minimum;
# - **bias**: b is that of the minimum.

# %% exercise="3.4.5b"
def broadcast_optimum(X, y):
    """The minimum (w, b), shapes (d, 1) and (1,), of the mean of (y_hat_i - y_j)^2 / 2 over all pairs."""
    ### BEGIN SOLUTION
    return torch.zeros(X.shape[1], 1, dtype=X.dtype), y.mean().reshape(1)
    ### END SOLUTION

# %% [markdown] hints="3.4.5b"
# 1. For one fixed i, which number ŷᵢ is closest, in the mean square, to *all* of y₁ ... yₙ?
# 2. That number is the same for every i. Which w and b give the same prediction for every row?
# 3. With three targets 2, 3, 10 and one prediction p, the mean of (p - yⱼ)² is smallest at p = 5.

# %% check="3.4.5b" points=2
X_small_, y_small_ = torch.tensor([[0.], [1.], [3.5]]), torch.tensor([1., 2., 6.])
assert_type(broadcast_optimum(X_small_, y_small_), (tuple, list), "what broadcast_optimum returns", of="shape")
assert_equal(len(broadcast_optimum(X_small_, y_small_)), 2, "the number of tensors that broadcast_optimum returns", of="shape")
assert_shape(broadcast_optimum(X_small_, y_small_)[0], (1, 1), "the shape of w for three examples of one feature", of="shape",
             mistakes={"w is a column: it has two axes, (d, 1).": (1,), "w has a row for each feature, not for each example.": (3, 1), "w is a tensor of shape (d, 1), not a single number.": ()},
             hint="w has one row for each feature.")
assert_shape(broadcast_optimum(X_small_, y_small_)[1], (1,), "the shape of b", of="shape",
             hint="`.reshape(1)` makes shape (1,) of a single number.")

def pair_loss(X, y, w, b):
    return (X @ w + b - y).square().mean() / 2

def visible_optimum(X, y, which):
    w, b = broadcast_optimum(X, y)
    assert_shape(w, (1, 1), f"the shape of w, {which}", of="shape")
    assert_shape(b, (1,), f"the shape of b, {which}", of="shape")
    w, b = w.float(), b.float()
    lower = ("With this w each prediction is b: which single number is nearest to all the targets, in the mean square?"
             if not w.any() else
             f"With this w the predictions differ from row to row, from {(X @ w + b).min():.3g} to {(X @ w + b).max():.3g}. Each of them faces the same targets, all of them, "
             "so that one and the same number is best for every row. (A descent that ends here has not arrived.)")
    own = torch.linalg.lstsq(torch.cat([X, torch.ones(len(X), 1)], 1), y[:, None]).solution[:, 0]
    if torch.allclose(torch.cat([w.flatten(), b]), own, atol=1e-3):
        lower = "This is least squares with equal shapes, where each prediction faces its own target; here it faces all of them."
    elif own[0].abs() > 1e-3 and torch.allclose(w.flatten(), own[:-1], atol=1e-3):
        lower = "This w is that of least squares with equal shapes, where each prediction faces its own target; here it faces all of them."
    elif not w.any() and math.isclose(b.item(), y.sum().item(), rel_tol=1e-3):
        lower = "b is the sum of the targets."
    elif not w.any() and math.isclose(b.item(), (y.min() + y.max()).item() / 2, rel_tol=1e-3):
        lower = "b is the middle between the smallest and the largest target, which makes the largest difference small, not the mean square."
    elif not w.any() and math.isclose(b.item(), (y.mean() - X.mean()).item(), rel_tol=1e-3):
        lower = "b is the mean target minus the mean feature, the best bias beside w = 1; beside w = 0 the features have no part in it."
    elif not w.any() and math.isclose(b.item(), y.median().item(), rel_tol=1e-3):
        lower = "b is the median, which is best for absolute differences, not for squares."
    elif not w.any() and not b.any():
        lower = "With this w and b every prediction is 0: is there no number nearer to the targets?"
    for step in (-0.1, 0.1):
        centre = y.mean() - (X @ w).mean()        # the best bias beside this w
        assert_true(bool(pair_loss(X, y, w + step, centre - step * X.mean()) > pair_loss(X, y, w, centre)),
                    f"{which}: with your w and the best bias for it, the loss grows if w changes by {step:+}", of="weights", hint=lower)
        assert_true(bool(pair_loss(X, y, w, b + step) > pair_loss(X, y, w, b)),
                    f"{which}: with your w and b the loss grows if b changes by {step:+}", of="bias", hint=lower)

visible_optimum(X_small_, y_small_, "features 0, 1, 3.5, targets 1, 2, 6")
visible_optimum(torch.tensor([[1.], [-1.], [3.], [2.]]), torch.tensor([4., 0., 9., 7.]), "features 1, -1, 3, 2, targets 4, 0, 9, 7")
### BEGIN HIDDEN TESTS
rng_ = torch.Generator().manual_seed(56)
for n_, d_ in ((12, 3), (9, 1)):
    X_ = torch.randn(n_, d_, generator=rng_, dtype=torch.float64) + 1
    y_ = (2 * X_.sum(dim=1) + 5).exp().log1p() + torch.rand(n_, generator=rng_, dtype=torch.float64)
    pairs_ = torch.cat([X_.repeat_interleave(n_, 0), torch.ones(n_ * n_, 1, dtype=torch.float64)], 1)
    best_ = torch.linalg.lstsq(pairs_, y_.repeat(n_)[:, None], driver="gelsd").solution
    w_found_, b_found_ = broadcast_optimum(X_, y_)
    assert_shape(w_found_, (d_, 1), f"the shape of w, {n_} examples with {d_} features", of="shape")
    assert_close(w_found_, best_[:d_], f"w, {n_} examples with {d_} features", of="weights", atol=1e-5, hint="Each prediction faces all the targets, whatever its row: the same number is best for every row.")
    assert_close(b_found_, best_[d_], f"b, {n_} examples with {d_} features", of="bias", rtol=1e-4, hint="The one number that is nearest to all the targets in the mean square.")
### END HIDDEN TESTS

# %% [markdown] written="3.4.5b" points=3
# ### BEGIN SOLUTION
# 1. ŷ of shape (n, 1) and y of shape (n,): broadcasting makes (n, n), a legal shape, and the mean of it is one number
#    with a graph, just as expected. Every line is valid; only the meaning is wrong.
# 2. Each ŷᵢ is compared with all targets; the best single number for all of them is their mean. The mean is the same for every
#    row, so the best is w = 0 and b = mean of y: the model ignores its input. In the run above the weights went to 0 and the bias to
#    the mean of the targets.
# 3. The loss stops at half the variance of y (not at half the variance of the noise), and all predictions are alike. One prevents it by comparing
#    the shapes in the loss (d2l_utils raises ValueError), or by reshaping the targets.
#
# **Rubric**
# - [1] (n, 1) against (n,) gives (n, n) by broadcasting, which is no error; evidence: the shapes, or the cell above
# - [1] The model predicts the mean of y for all inputs (w = 0), since each prediction faces all targets; lost by: "it
#   learns the same, only slower"
# - [1] A symptom (loss near half the variance of y, or equal predictions, or weights near 0) and a guard (comparison of shapes, or reshape);
#   lost by: a guard alone without a symptom
# ### END SOLUTION

# %% [markdown] teaches="curvature of a loss, convergence factor of gradient descent"
# ## How large a step?
#
# Take one weight and no bias: $L(w) = \frac1{2n} \sum_i (w x_i - y_i)^2$. That is a parabola. Its derivative is
# $\frac1n \sum_i (w x_i - y_i)\, x_i = c\,w - \frac1n\sum_i x_i y_i$, with
#
# $$c = \frac1n \sum_i x_i^2 .$$
#
# The number c is the **curvature**, the second derivative of the loss. At the bottom $w^*$ the derivative is 0, so it is
# $c\,(w - w^*)$ everywhere. Now a step:
#
# $$w - \eta\, c\,(w - w^*) - w^* = (1 - \eta c)\,(w - w^*) .$$
#
# Each step multiplies the distance from the minimum by the same number, $1 - \eta c$. All follows from it:
#
# - $\eta c$ small: the factor is just below 1, and learning is slow.
# - $\eta = 1/c$: the factor is 0, and one step does it.
# - $\eta$ between $1/c$ and $2/c$: the factor is negative. The steps jump to the other side, but come closer.
# - $\eta > 2/c$: the factor is below -1. Each step leads *further away*: training **diverges**.

# %% tags=["demo"] teaches="divergence"
place = torch.linspace(-3.2, 5.2, 100)
figure, axes = plt.subplots(1, 4, figsize=(8.4, 2.4), sharey=True, layout="constrained")
for axis, rate in zip(axes, (0.1, 1.0, 1.8, 2.1)):
    position, way = 3.0, [3.0]
    for _ in range(6):
        position = position - rate * (position - 1)          # curvature 1, minimum at 1
        way.append(position)
    axis.plot(place, (place - 1) ** 2 / 2, color="silver")
    axis.plot(way, [(v - 1) ** 2 / 2 for v in way], ".-")
    axis.set(xlabel="w", title=f"ηc = {rate}", ylim=(-0.5, 9))
axes[0].set_ylabel("loss")
plt.show()

# %% [markdown]
# Six steps from w = 3 on a parabola with curvature 1 and minimum 1. From left to right: too slow, just right, from side
# to side but closing in, and away.

# %% [markdown] task="3.4.D" kind="answer" minutes=4 difficulty=2 core=true needs="curvature of a loss, convergence factor of gradient descent, learning rate"
# ### The limit of the rate
#
# A model with one weight and no bias, $\hat y = w x$, and the half mean of squares. The feature has the values 2, 0, 4, 2 in
# four examples. Set `curvature`; `one_step_rate`, the learning rate that reaches the minimum in one step; `limit_rate`,
# the rate above which training diverges; and `factor`, by which each step multiplies w - w* at rate 0.1.
#
# **You are done when**
# - **curvature**: `curvature` is right;
# - **rates**: so are `one_step_rate` and `limit_rate`;
# - **factor**: so is `factor`.

# %% exercise="3.4.D"
### BEGIN SOLUTION
curvature = 6.0
one_step_rate = 1 / 6
limit_rate = 1 / 3
factor = 0.4
### END SOLUTION

# %% [markdown] hints="3.4.D"
# 1. Is the target needed for any of these?
# 2. c is the mean of the squared features; the factor is 1 - ηc.
# 3. For features 1 and 3: c = 5, the rates are 0.2 and 0.4, and at rate 0.1 the factor is 0.5.

# %% check="3.4.D" points=1
numbers_ = (float, int, torch.Tensor, np.ndarray)
assert_type(curvature, numbers_, "curvature", of="curvature")
assert_close(curvature, 6.0, "curvature, for features 2, 0, 4, 2", of="curvature", rtol=1e-3,
             mistakes={"This is the sum of the squares: take the mean.": 24.0, "The half cancels the 2 of the derivative.": 12.0, "The half cancels the 2 of the derivative: nothing is halved.": 3.0,
                       "Square each feature first, then take the mean.": 4.0,
                       "2 is the mean of the features, and also their variance: square each of them as it is, then take the mean.": 2.0, "This is the variance of the features: no mean is subtracted, and it is divided by 4.": 8 / 3, "The example with feature 0 counts, too.": 8.0, "No root: it is the mean of the squares itself.": math.sqrt(6)}, hint="The squares are 4, 0, 16 and 4: their mean.")
assert_type(one_step_rate, numbers_, "one_step_rate", of="rates")
assert_close(one_step_rate, 1 / 6, "one_step_rate", of="rates", rtol=1e-2,
             mistakes={"That is 1/c²: the rate is 1/c.": 1 / 36, "0.2 is rounded too far.": 0.2, "0.16 is cut off too early: 1/6 is 0.1667.": 0.16, "0.17 is rounded too far: 1/6 is 0.1667.": 0.17, "That is the limit: at 2/c the factor is -1.": 1 / 3, "That is c: the rate is 1/c.": 6.0, "c is the mean of the squares, not their sum.": 1 / 24, "The rate is 1/c, without a half.": 1 / 12}, hint=f"At this rate 1 - ηc is 0; with c = 6 and yours it is {1 - 6 * float(one_step_rate):.3g}." if torch.as_tensor(one_step_rate).numel() == 1 else "")
assert_type(limit_rate, numbers_, "limit_rate", of="rates")
assert_close(limit_rate, 1 / 3, "limit_rate", of="rates", rtol=1e-2,
             mistakes={"That is c/2: the limit is 2/c.": 3.0, "That is 2/c²: the limit is 2/c.": 2 / 36, "That is 1/c²: the limit is 2/c.": 1 / 36, "0.3 is rounded too far.": 0.3, "At 1/c the factor is 0: this is the best rate, not the limit.": 1 / 6, "That is 2c: the limit is 2/c.": 12.0, "c is the mean of the squares, not their sum.": 1 / 12}, hint=f"At this rate 1 - ηc is -1; with c = 6 and yours it is {1 - 6 * float(limit_rate):.3g}." if torch.as_tensor(limit_rate).numel() == 1 else "")
assert_type(factor, numbers_, "factor", of="factor")
assert_close(factor, 0.4, "factor, at rate 0.1", of="factor", rtol=1e-2,
             mistakes={"That is the square of ηc: the factor is 1 - ηc.": 0.36, "That is ηc: the factor is 1 - ηc.": 0.6, "The factor is 1 - ηc, not ηc - 1.": -0.4, "The factor is 1 - ηc, not 1 - η.": 0.9, "That is two steps: the factor of one is asked for.": 0.16, "c is the mean of the squares, without another 2.": -0.2,
             "A step goes against the slope: 1 - ηc, not 1 + ηc.": 1.6, "The factor is asked for, not percent.": 40.0,
             "In percent this is what a step takes away: the factor itself is asked for.": 60.0},
             hint=f"The factor is 1 - ηc. Yours would need ηc = {1 - float(factor):.3g}; with η = 0.1 and c = 6 it is 0.6." if torch.as_tensor(factor).numel() == 1 else "")
### BEGIN HIDDEN TESTS
bend_ = torch.tensor([2., 0., 4., 2.]).square().mean().item()
assert_close(curvature, bend_, "curvature", of="curvature", rtol=1e-3)
assert_close([float(one_step_rate), float(limit_rate)], [1 / bend_, 2 / bend_], "one_step_rate and limit_rate", of="rates", rtol=1e-2)
assert_close(factor, 1 - 0.1 * bend_, "factor, at rate 0.1", of="factor", rtol=1e-2)
### END HIDDEN TESTS

# %% [markdown] teaches="gradient descent on several weights, initialisation"
# ## Where to start?
#
# With several weights the same argument runs in matrices. The gradient is $\frac1n X^\top (X\mathbf w - \mathbf y)$. At the minimum
# $\mathbf w^*$ it is zero: $X^\top X \mathbf w^* = X^\top \mathbf y$. Put this in for $X^\top \mathbf y$, and the gradient is
# $\frac1n X^\top X (\mathbf w - \mathbf w^*)$. One step therefore turns the difference from the minimum into
#
# $$\mathbf w_{t+1} - \mathbf w^* = \Bigl(I - \tfrac{\eta}{n} X^\top X\Bigr) (\mathbf w_t - \mathbf w^*), \qquad (d, 1) = (d, d) \cdot (d, 1).$$
#
# It is the *difference vector* that is multiplied by the same matrix in each step; its length shrinks by a factor that may differ
# from step to step. The matrix does not depend on where we start. So there are no good and bad starts for linear regression,
# only near and far ones. A thousand times further away means some dozens of steps more: each step divides the distance by about the same
# number, wherever we are.

# %%
gram = features.T @ features / len(features)
shrink = torch.eye(2) - 0.1 * gram                          # learning rate 0.1, no bias
w_best = torch.linalg.lstsq(features, targets - true_b).solution
starts = {"zero": torch.zeros(2, 1), "std 0.01": 0.01 * torch.tensor([[0.6], [-0.8]]), "std 31.6": math.sqrt(1000) * torch.tensor([[0.6], [0.8]])}
far = {name: [(torch.linalg.matrix_power(shrink, t) @ (w0 - w_best)).norm().item() for t in range(120)] for name, w0 in starts.items()}
for name, distance in far.items():
    needed = next(t for t, v in enumerate(distance) if v < 0.01)
    print(f"start {name:9} distance at first {distance[0]:7.3f}, below 0.01 after {needed} steps")

# %% tags=["demo"]
figure, axis = plt.subplots(figsize=(5, 3), layout="constrained")
for (name, distance), style in zip(far.items(), ("-", "--", "-")):
    axis.plot(distance, style, label=name)
axis.set(xlabel="step", ylabel="distance from the minimum", yscale="log")
axis.legend(title="start")
plt.show()

# %% [markdown]
# On a logarithmic scale the three ways are nearly parallel lines. Zero and a tiny random start lie on each other; the huge
# start needs 72 steps where zero needs 54. (Section 5.4 shows networks in which zero does *not* work, and huge numbers are fatal.)
#
# ⚠ "Normal with variance 1000" is easily written wrong. `torch.normal(0.0, sigma, shape)` draws normal numbers with mean 0, and
# its second argument is the *standard deviation*, the square root of the variance. D2L's exercise gives a variance; 1000 in that
# place gives a variance of a million.

# %%
torch.manual_seed(0)
for sigma in (1000.0, math.sqrt(1000)):
    print(f"torch.normal(0.0, {sigma:.1f}, ...): a variance of about {torch.normal(0.0, sigma, (100_000,)).var().item():.4g}")

# %% [markdown] task="3.4.1a" kind="code" minutes=7 difficulty=2 core=true needs="initialisation, variance, standard deviation, leaf, requires_grad, normal draws"
# ### Parameters of a given variance
#
# Write `init_params(num_inputs, variance)`. It returns the pair `(w, b)` with which a training can begin: the entries of `w` are normal numbers
# with mean 0 and this *variance*, `b` is zero.
#
# **You are done when**
# - **shape**: `w` has shape `(num_inputs, 1)` and `b` shape `(1,)`; both are float32;
# - **variance**: it is right for any number from 0 on;
# - **normal**: the entries are draws from a normal distribution with mean 0, independent of each other;
# - **bias**: `b` is zero;
# - **leaves**: both require gradients and are leaves;
# - **fresh**: each call draws new numbers.

# %% exercise="3.4.1a"
def init_params(num_inputs, variance):
    """Weight (num_inputs, 1) of mean 0 and the given variance, bias (1,) zero; both require gradients."""
    ### BEGIN SOLUTION
    w = torch.normal(0.0, math.sqrt(variance), (num_inputs, 1), requires_grad=True)
    b = torch.zeros(1, requires_grad=True)
    return w, b
    ### END SOLUTION

# %% [markdown] hints="3.4.1a"
# 1. How are variance and standard deviation related?
# 2. `requires_grad=True` makes a leaf only of a tensor that was not computed from another one with gradients;
#    `t.requires_grad_()` turns a finished tensor into one.
# 3. A uniform start of the same kind: `(torch.rand(4, 1) - 0.5).requires_grad_()`.

# %% check="3.4.1a" points=2
@probe
def initialised(num_inputs, variance):
    made = init_params(num_inputs, variance)
    if not isinstance(made, (tuple, list)) or len(made) != 2 or not all(torch.is_tensor(p) for p in made):
        return made
    w, b = made
    return {"w": w.detach(), "b": b.detach(), "flags": [int(p.requires_grad) for p in (w, b)] + [int(p.is_leaf) for p in (w, b)]}

@probe
def weights_of_calls(calls, num_inputs, variance):
    """The weights of so many calls, a row for each."""
    return torch.stack([init_params(num_inputs, variance)[0].detach().reshape(-1) for _ in range(calls)])

def check_start(count, variance):
    found = initialised(count, variance)
    which = f"of {count} weights, variance {variance}"
    assert_type(found, dict, f"the pair (w, b) of tensors from init_params({count}, {variance})", of="shape")
    assert_shape(found["w"], (count, 1), f"the shape of w, {which}", of="shape",
                 mistakes={"w is a column, with one row for each input: it has two axes.": (count,), "w is a column, not a row.": (1, count)})
    assert_shape(found["b"], (1,), "the shape of b", of="shape", mistakes={"A number of shape () has no axis: torch.zeros(1) has the shape (1,).": (), "b has one axis: torch.zeros(1).": (1, 1),
                                                                           "There is one bias, not one for each input.": (count,)})
    assert_dtype(found["w"], torch.float32, "the dtype of w", of="shape", mistakes={"w is float64, as NumPy's numbers are: turn it into float32 before it becomes a leaf.": torch.float64})
    assert_dtype(found["b"], torch.float32, "the dtype of b", of="shape", mistakes={"b is float64, as NumPy's numbers are: torch.zeros(1) is float32.": torch.float64})
    assert_close(found["b"], torch.zeros(1), "b", of="bias", hint="The bias starts at zero, without a draw.")
    if variance == 0:
        assert_close(found["w"], torch.zeros(count, 1), f"w, {which}", of="variance", hint="Variance 0: all weights are equal to the mean.")
        return found
    width, values = math.sqrt(variance), found["w"].double()
    farthest = (values.abs().max() / values.std()).item()
    assert_close(values.var().float(), torch.tensor(float(variance)), f"the variance {which}", of="variance", rtol=0.1,
                 mistakes={"The variance was taken for the standard deviation.": torch.tensor(float(variance) ** 2),
                           "Half the variance was taken for the standard deviation, which is the root of the variance.": torch.tensor(float(variance) ** 2 / 4),
                           "The root was taken twice.": torch.tensor(width), "All weights are the same number: draw each for itself.": torch.tensor(0.),
                           "These are positive numbers only, and the mean is to be 0.": torch.tensor(variance * (1 - 2 / math.pi)), "The variance is not divided by the number of inputs.": torch.tensor(variance / count), "This is the variance of standard normal numbers: is variance used?": torch.tensor(1.)},
                 hint=f"The farthest of your weights is {farthest:.2f} of their own standard deviations from 0, of so many normal numbers it is about 4: are they cut off at a limit?" if farthest < 3 else
                 "Is variance used, as a variance? The standard deviation is its root.")
    assert_close((values.mean() / width).float(), torch.tensor(0.), f"the mean {which}, in standard deviations", of="normal", atol=0.05, hint="The weights have mean 0.")
    for limit, share in ((0.5, 0.3829), (1.0, 0.6827), (2.0, 0.9545)):
        assert_close((values.abs() < limit * width).float().mean(), torch.tensor(share), f"the share of weights nearer to 0 than {limit} standard deviations, {which}", of="normal",
                     atol=0.02,
                     hint="Is the distribution normal, with mean 0? The variance is right, but too many or too few weights lie near 0.")
    assert_close((values[1:] * values[:-1]).mean().float() / variance, torch.tensor(0.), f"the mean product of neighbours, in variances, {which}", of="normal", atol=0.05, hint="Are the weights independent of each other?")
    sizes = (found["w"].abs() / width).unique().numel()
    assert_true(sizes > 0.95 * count, f"hardly any two weights have the same size |w|, {which}; yours have {sizes} different sizes", of="normal", hint="Draw each weight for itself.")
    assert_equal(found["flags"], [1, 1, 1, 1], "requires_grad of w and b, then is_leaf of w and b (1 yes, 0 no)", of="leaves",
                 mistakes={"w is computed from a tensor that requires gradients, so it is no leaf.": [1, 1, 0, 1],
                           "The bias requires no gradient.": [1, 0, 1, 1], "Nothing requires a gradient.": [0, 0, 1, 1], "The weights require no gradient.": [0, 1, 1, 1]})
    return found

def check_few(calls, variance):
    """Three weights at a time: independent normal numbers, nothing brought to an exact mean or variance."""
    few = weights_of_calls(calls, 3, variance).double() / math.sqrt(variance)
    alone = weights_of_calls(calls, 1, variance).double() / math.sqrt(variance)
    exact = "Draw each weight for itself, and leave the draws as they come: do not subtract their mean, or divide by their standard deviation."
    assert_true(bool(alone.isfinite().all()), f"the weight of a model with one input is a number, variance {variance}",
                of="variance", hint=exact)
    assert_close(alone.square().mean().float(), torch.tensor(1.),
                 f"the mean square of a single weight in {calls} calls, in variances, variance {variance}", of="variance",
                 atol=0.2,
                 hint="The variance is right for many weights, not for one." if not alone.square().mean() < 0.01 else exact)
    assert_close(few.sum(dim=1).square().mean().float() / 3, torch.tensor(1.),
                 f"the mean square of the sum of 3 weights in {calls} calls, in units of 3 variances, variance {variance}",
                 of="normal", atol=0.2, hint=exact)
    assert_close((few ** 4).mean().float() / 3, torch.tensor(1.),
                 f"the mean fourth power of 3 weights in {calls} calls, in units of 3 squared variances, variance {variance}",
                 of="normal", atol=0.3, hint=exact)

for variance_ in (9, 0.25):
    assert_true(not torch.equal(check_start(20000, variance_)["w"], check_start(20000, variance_)["w"]), f"two calls with variance {variance_} give different weights", of="fresh",
                hint="Draw anew in each call: set no seed, keep no draw.")
refused_ = ""
try:
    initialised(5, 0)
except Exception as error_:
    refused_ = str(error_) or "without a message"
assert_true(not refused_, "init_params(5, 0) returns a pair, as for any variance from 0 on", of="variance",
            hint="The variance 0 is allowed: all weights are 0 then. Something in your function does not take it. "
            f"(The error: {refused_})")
start_ = check_start(5, 0)
check_few(2000, 4)
### BEGIN HIDDEN TESTS
assert_true(not torch.equal(check_start(30000, 1000)["w"], check_start(30000, 1000)["w"]), "two more calls give different weights", of="fresh")
start_ = check_start(30000, 0.01), check_start(1, 0)
check_few(3000, 0.5)
### END HIDDEN TESTS

# %% [markdown] task="3.4.1b" kind="code" minutes=12 difficulty=3 core=true needs="gradient descent on several weights, gradient of the squared loss, least squares, norm"
# ### Distances from the minimum
#
# The page has computed the distances with a matrix power. Now by walking. There is no bias: the loss is the mean of (Xw - y)²/2
# over the n examples, and w* is its minimum.
#
# Write `distances(w0, X, y, lr, steps)`. It makes `steps` steps of gradient descent on *all* examples at once, from
# `w0` (d, 1), with `X` (n, d) and `y` (n, 1), and returns the Euclidean distances of w from w* as one tensor: before the first step,
# and after each one. The columns of `X` are linearly independent.
#
# **You are done when**
# - **shape**: the result has shape `(steps + 1,)`, for no step, too;
# - **first**: the first entry is the distance of `w0` from w*, for noisy data, too;
# - **steps**: the others are right;
# - **start kept**: `w0` stays as it is.

# %% exercise="3.4.1b"
def distances(w0, X, y, lr, steps):
    """Distances |w_t - w*| for t = 0 ... steps of gradient descent: shape (steps + 1,)."""
    ### BEGIN SOLUTION
    best = torch.linalg.lstsq(X, y).solution
    w = w0.clone()
    found = [(w - best).norm()]
    for _ in range(steps):
        w = w - lr * X.T @ (X @ w - y) / len(X)
        found.append((w - best).norm())
    return torch.stack(found)
    ### END SOLUTION

# %% [markdown] hints="3.4.1b"
# 1. Which function on this page found `w_best`? How many distances do `steps` steps leave?
# 2. The gradient is Xᵀ(Xw - y)/n. `torch.stack(list)` makes one tensor of a list of numbers that are tensors.
# 3. For f(v) = v²/2 and lr 0.1, v goes 1, 0.9, 0.81, ...: each step multiplies by 1 - lr, wherever it starts.

# %% check="3.4.1b" points=2
square_ = math.sqrt(2) * torch.tensor([[1., 0.], [0., 1.], [-1., 0.], [0., -1.]])         # XᵀX/4 is the identity: a step multiplies the distance by 1 - lr
onto_ = square_ @ torch.ones(2, 1)
assert_type(distances(torch.zeros(2, 1), square_, onto_, 0.5, 3), torch.Tensor, "what distances returns", of="shape",
            hint="One tensor: torch.stack of tensors, torch.tensor of numbers.")
for steps_ in (3, 0):
    assert_shape(distances(torch.zeros(2, 1), square_, onto_, 0.5, steps_), (steps_ + 1,), f"the shape for steps={steps_}", of="shape",
                 hint="One distance before the first step, and one after each.")

def takes_one_row():
    """Whether the first step is that of a single row, from two starts, on rows that are all different."""
    X, best = torch.tensor([[1., 2.], [3., -1.], [2., 2.5]]), torch.ones(2, 1)
    for begin in (torch.tensor([[4.], [5.]]), torch.tensor([[-2.], [3.]])):
        found = float(distances(begin.clone(), X, X @ best, 0.01, 1)[1])
        single = [(begin - 0.01 * row[:, None] * (row @ (begin - best)) - best).norm().item() for row in X]
        if min(abs(found - value) for value in single) > 1e-4:
            return False
    return True

def why_there_at_once():
    """Why the first step ends at w*: from three rows, where the causes part."""
    X, best, begin = torch.tensor([[1., 2.], [3., -1.], [2., 2.5]]), torch.ones(2, 1), torch.tensor([[4.], [5.]])
    slope, found = X.T @ (X @ (begin - best)), float(distances(begin.clone(), X, X @ best, 0.01, 1)[1])
    for part, why in ((1 / 2, "the sum is divided by 2, not by the number of examples"), (2 / 3, "the factor 1/2 is missing")):
        if abs(found - (begin - 0.01 * part * slope - best).norm().item()) < 1e-4:
            return f"The steps are twice as long: {why}."
    return "With lr 0.5 the first step goes half of the way to w*, not all of it."

def length_of_step():
    """A hint: how long the first step is, from a small rate, at which no step jumps across w*."""
    try:
        walked = distances(torch.tensor([[4.], [5.]]), square_, onto_, 0.001, 1)
        times, one_row = (1 - float(walked[1] / walked[0])) / 0.001, takes_one_row()
    except Exception:
        return "Each step uses the gradient of the mean over all examples, Xᵀ(Xw - y)/n."
    if one_row:
        return "Your first step is that of one row alone, Xᵀ(Xw - y) with a single row of X and y: each step takes all rows, and the mean over them."
    return ("The first step is right: each further one, too, moves w by lr·Xᵀ(Xw - y)/n, from the place that has been reached." if abs(times - 1) < 0.02 else
            f"With lr 0.001 your first step goes {times:.3g} times as far towards w* as lr·Xᵀ(Xw - y)/n does, where n is 4, the number of rows.")

noise_ = torch.tensor([[1.], [1.], [1.], [1.]])                                          # at right angles to both columns of X: w* stays (1, 1)
for name_, y_used_ in (("without noise", onto_), ("with noise", onto_ + noise_)):
    assert_close(distances(torch.tensor([[4.], [5.]]), square_, y_used_, 0.5, 3)[0], torch.tensor(5.), f"the first distance, from (4, 5) to w* = (1, 1), {name_}", of="first",
                 mistakes={"This is the square of the distance.": torch.tensor(25.), "This is the length of w0: subtract w*.": torch.tensor(math.sqrt(41.)),
                           "The distances are those from w*, not from w0.": torch.tensor(0.), "Is w0 the start? This is the distance of zero.": torch.tensor(math.sqrt(2.)),
                           "This is the sum of the absolute differences, not the Euclidean distance.": torch.tensor(7.),
                           "This is the largest difference, not the Euclidean distance.": torch.tensor(4.),
                           "This is the root of the mean square: the Euclidean distance has the sum under the root.": torch.tensor(math.sqrt(12.5)),
                           "This is the length of the residuals Xw0 - y: the distance is that of w0 from w*.": (square_ @ torch.tensor([[4.], [5.]]) - y_used_).norm(),
                           "This is the distance from the place where three steps end, not from the minimum w*.": torch.tensor(4.375),
                           "The w* of the first two rows alone: all rows count.": (torch.tensor([[4.], [5.]]) - torch.linalg.solve(square_[:2], y_used_[:2])).norm() if name_ == "with noise" else torch.tensor(-1.),
                           "Are these in units of the first distance? They are asked for as they are.": torch.tensor(1.),
                           "This is the mean difference, not the Euclidean distance.": torch.tensor(3.5)},
                 hint="The root of the sum of the squares of w0 - w*, where w* is the minimum of the loss over all rows of X, without a bias.")
    assert_close(distances(torch.tensor([[4.], [5.]]), square_, y_used_, 0.5, 3), torch.tensor([5., 2.5, 1.25, 0.625]), f"the distances from (4, 5) to w* = (1, 1) with lr 0.5, {name_}", of="steps",
                 mistakes={"The squares may be summed, not averaged.": torch.tensor([5., 5., 5., 5.]), why_there_at_once(): torch.tensor([5., 0., 0., 0.]),
                           "The gradients of all steps were added up.": torch.tensor([5., 2.5, 1.25, 4.375]),
                           "The step goes uphill.": torch.tensor([5., 7.5, 11.25, 16.875]),
                           "The steps are half as long as they should be: divide Xᵀ(Xw - y) by the 4 rows, neither by the 8 entries of X nor by 2 once more.": torch.tensor([5., 3.75, 2.8125, 2.109375])},
                 hint=lambda: length_of_step())
slow_ = distances(torch.tensor([[4.], [5.]]), square_, onto_ + noise_, 0.001, 2)
assert_close(slow_[0], torch.tensor(5.), "the first distance, from (4, 5) to w* = (1, 1), with lr 0.001", of="first", hint="w* is the minimum itself, not the place that a descent has reached.")
assert_close(slow_, torch.tensor([5., 4.995, 4.990005]), "the distances from (4, 5) to w* = (1, 1) with lr 0.001", of="steps",
             hint="As with lr 0.5, only slower: is lr used in each step?")
slant_ = torch.tensor([[2., 1.], [2., -1.], [0., 1.], [0., 1.]])                            # XᵀX/4 has 2 and 1 on its diagonal: two factors
y_slant_ = slant_ @ torch.tensor([[2.], [-1.]]) + torch.tensor([[1.], [-1.], [0.], [-2.]])   # noise at right angles to both columns, not to 1
along_ = distances(torch.tensor([[5.], [3.]]), slant_, y_slant_, 0.1, 3)
which_ = "from (5, 3) to w* = (2, -1), X with the rows (2, 1), (2, -1), (0, 1), (0, 1), lr 0.1"
with_bias_ = torch.linalg.lstsq(torch.cat([slant_, torch.ones(4, 1)], 1), y_slant_).solution[:2]
assert_close(along_[0], torch.tensor(5.), f"the first distance, {which_}", of="first",
             mistakes={"This is the distance from the minimum of a model with a bias: there is none here.": (torch.tensor([[5.], [3.]]) - with_bias_).norm()},
             hint="w* comes from X and y: it is the minimum of the loss over all rows, without a bias.")
assert_close(along_, torch.tensor([[3 * 0.8 ** t, 4 * 0.9 ** t] for t in range(4)]).norm(dim=1), f"the distances, {which_}", of="steps",
             mistakes={"The distance does not shrink by 1 - lr in each step: walk, step by step.": 5 * 0.9 ** torch.arange(4.),
                       "The distance does not shrink by one factor, the same in each step: walk, step by step.": 5 * 0.85 ** torch.arange(4.),
                       "The largest curvature does not shrink every direction: walk, step by step.": 5 * 0.8 ** torch.arange(4.),
                       "There is no one factor for all directions: walk, step by step.": 5 * 0.7 ** torch.arange(4.)},
             hint="Each step moves w by lr·Xᵀ(Xw - y)/n; its two entries come closer at different speeds.")

@probe
def start_after(w0, X, y):
    distances(w0, X, y, 0.1, 2)
    return w0.detach(), int(w0.requires_grad)

assert_close(start_after(torch.tensor([[4.], [5.]]), square_, onto_)[0], torch.tensor([[4.], [5.]]), "w0 after the call", of="start kept", hint="Work on a copy, `w0.clone()`.")
assert_equal(start_after(torch.tensor([[4.], [5.]]), square_, onto_)[1], 0, "requires_grad of w0 after the call (1 yes, 0 no)", of="start kept", hint="Mark a copy, not the argument.")
same_ = "For float64 `w0.double()` and `w0.to(torch.float64)` are w0 itself, no copy: take `w0.clone()`."
far_ = torch.tensor([[4.], [5.]], dtype=torch.float64)
assert_close(start_after(far_.clone(), square_.double(), onto_.double())[0], far_, "w0 after the call, all in float64", of="start kept", hint=same_)
assert_equal(start_after(far_.clone(), square_.double(), onto_.double())[1], 0, "requires_grad of w0 after the call, all in float64 (1 yes, 0 no)",
             of="start kept", hint=same_)
### BEGIN HIDDEN TESTS
rng_ = torch.Generator().manual_seed(51)
for n_, d_, lr_ in ((40, 3, 0.2), (25, 1, 0.3), (30, 2, 0.002)):
    X_ = torch.randn(n_, d_, generator=rng_)
    y_ = X_.sum(dim=1, keepdim=True) + torch.randn(n_, 1, generator=rng_)
    best_ = torch.linalg.pinv(X_.double()) @ y_.double()
    for scale_ in (0., 0.1, 1000.):
        begin_ = scale_ * torch.randn(d_, 1, generator=rng_)
        powers_ = [torch.linalg.matrix_power(torch.eye(d_, dtype=torch.float64) - lr_ * X_.double().T @ X_.double() / n_, t) for t in range(8)]
        wanted_ = torch.stack([(power @ (begin_.double() - best_)).norm() for power in powers_])
        got_ = distances(begin_.clone(), X_, y_, lr_, 7)
        which_ = f"{n_} noisy examples, {d_} features, a start of scale {scale_}, lr {lr_}"
        assert_shape(got_, (8,), f"the shape for 7 steps, {which_}", of="shape")
        assert_close(got_[0], wanted_[0], f"the first distance, {which_}", of="first", rtol=1e-3, hint="w* is the minimum of the loss over all rows of X, without a bias.")
        assert_close(got_, wanted_, f"the distances, {which_}", of="steps", rtol=1e-3, hint="Walk: each step by lr·Xᵀ(Xw - y)/n, without a bias, with n the number of rows of X.")
    assert_close(start_after(begin_.clone(), X_, y_)[0], begin_, f"w0 after the call, {d_} features", of="start kept")
    assert_equal(start_after(begin_.clone(), X_, y_)[1], 0, f"requires_grad of w0 after the call, {d_} features", of="start kept")
### END HIDDEN TESTS

# %% [markdown] task="3.4.1c" kind="explain" minutes=12 difficulty=3 needs="convergence factor of gradient descent, gradient descent on several weights, initialisation, divergence"
# ### From zero, and from far away
#
# Write `steps_needed(distance, goal, factor)`: each step multiplies the distance from the minimum, 0 or more, by `factor`, above 0
# and below 1. After how many steps is it `goal` (a positive number) or less for the first time? Then answer in words:
# 1. Does linear regression learn if all weights start at zero? Why? Do the weights stay equal to each other?
# 2. What does a start with variance 1000 cost, compared with zero? Give numbers, from the page or from `steps_needed`.
# 3. Can a better start rescue a learning rate that is too large? Why, or why not?
#
# **You are done when** your words answer all three with a reason, and
# - **count**: the number of steps is right, an integer;
# - **already there**: it is 0 where the distance is `goal` or less from the start.

# %% exercise="3.4.1c"
def steps_needed(distance, goal, factor):
    """The smallest t >= 0 for which distance * factor^t <= goal."""
    ### BEGIN SOLUTION
    t = 0
    while distance > goal:
        distance *= factor
        t += 1
    return t
    ### END SOLUTION

# %% [markdown] hints="3.4.1c"
# 1. A `while` loop that multiplies does it.
# 2. For the words: which derivation on this page speaks of the start, and which of the learning rate?
# 3. Halving: from 8 to 1 takes 3 steps, from 8000 to 1 takes 13.

# %% check="3.4.1c" points=1
whole_ = "An integer: math.ceil gives one; np.ceil and torch.ceil give floats, of which int(...) makes one."
assert_type(steps_needed(8.0, 1.0, 0.5), (int, torch.Tensor, np.ndarray), "what steps_needed returns", of="count", hint=whole_)
assert_true(not torch.as_tensor(steps_needed(8.0, 1.0, 0.5)).is_floating_point(), "what steps_needed returns is an integer", of="count", hint=whole_)

def about_count():
    """A hint: whether each step takes away the same, which shows from other distances, too."""
    again = "Multiply by the factor again and again, and count, until the distance is the goal or less."
    asked = (8.0, 1.0, 0.5), (100.0, 1.0, 0.8), (50.0, 2.0, 0.9)
    counts = [int(steps_needed(*given)) for given in asked]
    if counts[:2] == [4, 21]:
        return "At the goal itself no further step is needed."
    if counts[:2] == [4, 22]:
        return "This is one too many, and so it is from 100 to 1 with factor 0.8, where 22 come out: before the first step the count is 0, not 1, and the first step makes it 1."
    if counts == [math.ceil((distance - goal) / (distance * (1 - factor))) for distance, goal, factor in asked]:
        return (f"Here each step takes away the same, 1 - factor times the first distance (so from 100 to 1 with factor 0.8 you count {counts[1]} steps). "
                "The factor multiplies what is left: each step takes less than the one before it.")
    return "This is one step too few. " + again if counts[:2] == [2, 20] else again

assert_equal(steps_needed(8.0, 1.0, 0.5), 3, "from 8 to 1 with factor 0.5", of="count", hint=about_count)
assert_equal(steps_needed(100.0, 1.0, 0.8), 21, "from 100 to 1 with factor 0.8", of="count", mistakes={"Round up: after 20 steps it is still above.": 20,
             "Each step leaves 0.8 of the distance: here 1 - 0.8 = 0.2 of it is left.": 3}, hint="Multiply by the factor again and again, and count, until the distance is the goal or less.")
assert_equal(steps_needed(5.0, 1.0, 0.99), 161, "from 5 to 1 with factor 0.99", of="count", mistakes={"Round up: after 160 steps it is still above.": 160}, hint="Go on until the goal is reached, however many steps that takes.")
assert_equal(steps_needed(0.5, 1.0, 0.9), 0, "from 0.5 to 1 with factor 0.9", of="already there", mistakes={"Never less than 0 steps.": -6, "Look before the first step, too: it may be there already.": 1})
assert_equal(steps_needed(1.0, 1.0, 0.9), 0, "from 1 to 1 with factor 0.9", of="already there", mistakes={"At the goal itself no step is needed.": 1})
no_log_ = ""
try:
    steps_needed(0.0, 1.0, 0.9)
except Exception as error_:
    no_log_ = str(error_) or "without a message"
assert_true(not no_log_, "a distance of 0 has its number of steps, 0", of="already there", hint=f"0 has no logarithm, and nothing is divided by it: ask first whether the distance is the goal or less. (The error: {no_log_})")
assert_equal(steps_needed(0.0, 1.0, 0.9), 0, "from 0 to 1 with factor 0.9", of="already there", hint="A distance of 0 is less than any goal.")
### BEGIN HIDDEN TESTS
for distance_, goal_, rate_ in ((31.0, 0.011, 0.9), (1000.0, 0.3, 0.25), (2.0, 1.5, 0.99), (900.0, 0.002, 0.995)):
    assert_equal(steps_needed(distance_, goal_, rate_), math.ceil(math.log(goal_ / distance_) / math.log(rate_)), f"from {distance_} to {goal_} with factor {rate_}", of="count", hint="Is goal used? And is the goal reached, however many steps that takes?")
assert_type(steps_needed(2.0, 1.5, 0.99), (int, torch.Tensor, np.ndarray), "what steps_needed returns, from 2.0 to 1.5", of="count", hint=whole_)
assert_equal(steps_needed(16.0, 0.25, 0.5), 6, "from 16 to 0.25 with factor 0.5", of="count")
for distance_ in (0.0, 0.01, 3.0):
    assert_equal(steps_needed(distance_, 3.0, 0.7), 0, f"from {distance_} to 3 with factor 0.7", of="already there")
### END HIDDEN TESTS

# %% [markdown] written="3.4.1c" points=3
# ### BEGIN SOLUTION
# 1. Yes. The loss of linear regression is a bowl with one minimum, and the gradient at zero, -Xᵀy/n, is not zero unless the features tell nothing about
#    the target. Entry j is the mean of residual times feature j, so different features give different slopes, and the weights part in the first step:
#    on the page they went from (0, 0) to 2 and -3.4. A start at zero is a start like any other.
# 2. A few dozen steps. Each step multiplies the difference from the minimum by the same matrix, so the number of steps grows with the *logarithm* of the distance. On the page the
#    start of standard deviation 31.6 needed 72 steps to come within 0.01, and zero needed 54, although zero was more than eight times nearer at first. With factor 0.9, `steps_needed(31.6, 0.01, 0.9)` is 77
#    and `steps_needed(4, 0.01, 0.9)` is 57.
# 3. No. Above 2/c the factor is below -1 at every place: any distance but exactly 0 grows. A nearer start only delays the explosion by some steps.
#
# **Rubric**
# - [1] Zero works, with a reason: one minimum (convex), or a gradient that is not zero there, or the same matrix for every start; and the weights do not stay equal, since their features differ; lost by: "all weights stay equal"
# - [1] A far start costs some more steps, logarithmically (or: parallel lines on the log plot), with numbers; also accepted: numbers of one's own run; lost by: "it never arrives"
# - [1] No: the factor depends on rate and data, not on the start; also accepted: only a start exactly at the minimum stays
# ### END SOLUTION

# %% [markdown] task="3.4.6" kind="experiment" minutes=25 difficulty=3 needs="learning rate, divergence, epoch, linear regression from scratch as a module, noise"
# ### A study of the learning rate
#
# Write `run(config)`. `config` is a dictionary with the keys `"lrs"` (a list of learning rates), `"max_epochs"`,
# `"seed"` and `"noise"`. For *each* learning rate it sets `torch.manual_seed(seed)`, makes
# `d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=noise, num_train=512, num_val=256)`, then a new
# `d2l.LinearRegressionScratch(2, lr)`, and trains with `d2l.Trainer(max_epochs, verbose=False)`. It returns a pandas
# DataFrame. After training, also after one that failed, `trainer.history["val_loss"]` is the list of the validation losses of all
# epochs that were finished; `math.isfinite(x)` is False for inf and nan. If training diverges until a loss is no number any more, `fit` raises `FloatingPointError`.
#
# Run it for the learning rates 0.001, 0.01, 0.03, 0.1, 0.3, 1, 3 with noise 0.5 and seed 0 for 10 epochs, plot
# `val_loss` over the epochs on a logarithmic axis, and answer in words, with numbers from your table:
# 1. Which of them are too small, which good, which too large?
# 2. What do more epochs change for 0.01, and what for 0.1?
# 3. Which value can no learning rate and no number of epochs be expected to get below, and why?
#
# **You are done when** your words hold the numbers, and
# - **columns**: the table has the columns `lr`, `epoch`, `val_loss`;
# - **rows**: one for each learning rate and epoch (from 1), in the order of `lrs`, then of the epochs;
# - **losses**: `val_loss` is the validation loss after that epoch;
# - **each alone**: a learning rate gives the same losses, whatever stands before it in the list;
# - **settings**: seed, noise and number of epochs are those of `config`, which stays as it is;
# - **divergence**: epochs that are missing after a failure, and losses that are not finite, hold `inf`.

# %% exercise="3.4.6"
def run(config):
    """A table with the columns lr, epoch, val_loss: the validation loss after each epoch, for each learning rate."""
    ### BEGIN SOLUTION
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512,
                                           num_val=256)
        model = d2l.LinearRegressionScratch(2, lr)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(model, data)
        except FloatingPointError:
            pass
        losses = trainer.history["val_loss"]
        for epoch in range(config["max_epochs"]):
            loss = losses[epoch] if epoch < len(losses) and math.isfinite(losses[epoch]) else math.inf
            rows.append({"lr": lr, "epoch": epoch + 1, "val_loss": loss})
    return pd.DataFrame(rows)
    ### END SOLUTION

# %% [markdown] hints="3.4.6"
# 1. What carries over from one learning rate to the next if the model is made before the loop?
# 2. `try: ... except FloatingPointError: pass` goes on after the error. `math.isfinite(x)` is False for inf and nan.
# 3. A table from a double loop: `pd.DataFrame([{"n": n, "k": k, "value": n * k} for n in (1, 2) for k in (3, 4)])`.

# %% check="3.4.6" points=3
def about_rows(count, lrs, epochs, seed, noise):
    """A hint: whether the number of rows depends on max_epochs."""
    said = "A row for each epoch of each rate, also where training failed."
    try:
        more = len(run({"lrs": lrs, "max_epochs": epochs + 1, "seed": seed, "noise": noise}))
    except Exception:
        return said
    if count == more and count % len(lrs) == 0 and count > len(lrs):
        said += f" Yours has {count // len(lrs)} for each rate, whether max_epochs is {epochs} or {epochs + 1}: is config[\"max_epochs\"] used?"
    return said

def losses_of_run(lrs, epochs, seed, noise):
    """The table of run, its columns checked, and val_loss as one list for each rate."""
    which = f"for learning rates {lrs}, {epochs} epochs, seed {seed}, noise {noise}"
    table, diverged = None, False
    try:
        table = run({"lrs": lrs, "max_epochs": epochs, "seed": seed, "noise": noise})
    except Exception as error:
        diverged = "FloatingPointError" in getattr(error, "type_names", [type(error).__name__])
        if not diverged:
            raise
    assert_true(not diverged, f"run returns a table {which}", of="divergence",
                hint="A training that diverges has ended your function with its FloatingPointError: catch it around the call of `fit` alone, keep the losses that "
                "trainer.history has by then, and let inf stand for the epochs that are missing.")
    assert_type(table, pd.DataFrame, f"what run returns {which}", of="columns")
    assert_equal(len(table), len(lrs) * epochs, f"the number of rows {which}", of="rows", hint=lambda: about_rows(len(table), lrs, epochs, seed, noise))
    assert_equal([str(name) for name in table.columns], ["lr", "epoch", "val_loss"], f"the columns {which}", of="columns")
    assert_equal(table["lr"].tolist(), [lr for lr in lrs for _ in range(epochs)], f"the column lr {which}", of="rows",
                 mistakes={"The rates stay in the order of lrs: they are not sorted.": [lr for lr in sorted(lrs) for _ in range(epochs)]} if sorted(lrs) != lrs else None,
                 hint="A row for each epoch of each rate, also where training failed, in the order of lrs.")
    assert_equal(table["epoch"].tolist(), list(range(1, epochs + 1)) * len(lrs), f"the column epoch {which}", of="rows",
                 mistakes={"Count the epochs from 1.": list(range(epochs)) * len(lrs)})
    values = [float(v) for v in table["val_loss"].tolist()]
    return [values[i * epochs:(i + 1) * epochs] for i in range(len(lrs))]

@probe
def config_after_run(config):
    run(config)
    return config

two_ = losses_of_run([0.01, 0.1], 2, 1, 0.5)
assert_true(losses_of_run([0.01, 0.1], 2, 1, 0.0)[1] != two_[1], "noise 0.5 and noise 0 give different losses", of="settings",
            hint="Is the noise of the config used?")
assert_true(losses_of_run([0.01, 0.1], 2, 2, 0.5)[1] != two_[1], "seeds 1 and 2 give different losses", of="settings",
            hint="Is the seed of the config used?")
assert_equal(config_after_run({"lrs": [0.1], "max_epochs": 1, "seed": 1, "noise": 0.5}), {"lrs": [0.1], "max_epochs": 1, "seed": 1, "noise": 0.5}, "config after the call, one rate and one epoch", of="settings",
             hint="Read config[...], take nothing out of it and put nothing in.")
assert_close(two_[0], [13.0592, 9.5474], "val_loss for learning rate 0.01, the first of two, seed 1, noise 0.5", of="losses", rtol=0.05,
             mistakes={"These are the training losses.": [14.3519, 10.4245]}, hint="The list history['val_loss'] of a d2l.LinearRegressionScratch(2, lr), in its order.")
assert_true(np.allclose(two_[1], losses_of_run([0.1], 2, 1, 0.5)[0], rtol=1e-3), "val_loss for learning rate 0.1 is the same after 0.01 in the list as for 0.1 alone", of="each alone",
            hint="For each learning rate all is made anew: the seed is set, then the data are made, then the model.")
assert_close(two_[1], [0.8263, 0.1809], "val_loss for learning rate 0.1, the second of two, seed 1, noise 0.5", of="losses", rtol=0.05,
             mistakes={"These are the training losses.": [5.3687, 0.3112], "The seed, then the data, then the model: here the model was made before the data.": [0.9099, 0.1879]}, hint="The seed, then the data, then the model: in this order, and not rounded.")
assert_close(two_[1][:1], [0.82630], "val_loss after the first epoch for learning rate 0.1, seed 1, noise 0.5", of="losses", rtol=2e-3,
             mistakes={"For each rate the seed is set once, before the data; here it was set again between the data and the model.": [0.81644]},
             hint="The seed, then the data, then the model: in this order, and not rounded.")
assert_close(losses_of_run([0.1, 0.01], 1, 1, 0.5)[1], [13.0592], "val_loss for learning rate 0.01, the second of two, seed 1, noise 0.5", of="losses", rtol=0.05,
             hint="The same as for 0.01 as the first of two: seed, data and model anew for each rate, the model with this rate.")
assert_true(losses_of_run([0.1], 5, 1, 0.0)[0][4] < 1e-4, "without noise the loss is close to 0 after 5 epochs at 0.1", of="settings", hint="Is the noise of the config used?")
burst_ = losses_of_run([1000.0], 3, 1, 0.5)[0]
assert_true(math.isinf(burst_[2]), "learning rate 1000: the third epoch holds inf", of="divergence", hint="Catch FloatingPointError, and fill the epochs that are missing with inf.")
assert_true(not any(math.isnan(v) for v in burst_), "learning rate 1000: no entry is nan", of="divergence", hint="nan is not finite, as inf is not: such a loss becomes inf, too.")
wide_ = losses_of_run([8.0], 4, 1, 0.5)[0]
assert_true(math.isfinite(wide_[0]) and wide_[0] > 1e6, "learning rate 8: the first of four epochs is finished before training fails, and holds its huge loss", of="divergence",
            hint="Keep the losses of the epochs that were finished, however large they are; only the others become inf.")
assert_true(math.isinf(wide_[1]) and math.isinf(wide_[3]), "learning rate 8: the second and the fourth of four epochs hold inf", of="divergence", hint="An epoch that was not finished holds inf, not a loss of another epoch.")
### BEGIN HIDDEN TESTS
def validation_losses(lr, epochs, seed, noise):
    torch.manual_seed(seed)
    data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=noise, num_train=512, num_val=256)
    model, seen = d2l.LinearRegressionScratch(2, lr), []
    for epoch in range(epochs):
        d2l_trainer = d2l.Trainer(1, verbose=False, device="cpu")
        d2l_trainer.fit(model, data)
        with torch.no_grad():
            seen.append(model.loss(model(data.X[512:]), data.y[512:]).item())
    return seen

lists_ = losses_of_run([0.003, 1000.0, 0.1, 3.0], 3, 7, 0.3)
for lr_, list_ in ((0.003, lists_[0]), (0.1, lists_[2])):
    assert_close(list_, validation_losses(lr_, 3, 7, 0.3), f"val_loss for learning rate {lr_}, seed 7, noise 0.3", of="losses", rtol=0.08,
                 hint="A rate that fails must not touch those after it." if math.inf in list_ else "")
    assert_close(list_[:1], validation_losses(lr_, 1, 7, 0.3), f"val_loss after the first epoch for learning rate {lr_}, seed 7, noise 0.3", of="losses", rtol=2e-3 if lr_ == 0.1 else 0.08,
                 hint="For each rate the seed is set once; then the data, then the model.")
    assert_true(np.allclose(losses_of_run([lr_], 3, 7, 0.3)[0], list_, rtol=1e-3), f"val_loss for learning rate {lr_} is the same alone and in a list", of="each alone")
assert_equal(config_after_run({"lrs": [0.3, 0.02], "max_epochs": 2, "seed": 8, "noise": 0.1}), {"lrs": [0.3, 0.02], "max_epochs": 2, "seed": 8, "noise": 0.1}, "config after the call, two rates and two epochs", of="settings")
again_ = losses_of_run([0.1, 0.02, 0.1], 2, 5, 0.4)
assert_true(np.allclose(again_[0], again_[2], rtol=1e-3), "learning rate 0.1, the first and the third of three, gives the same losses both times", of="each alone")
wide_ = losses_of_run([0.1, 8.0, 0.2], 5, 7, 0.3)
assert_true(1e6 < wide_[1][0] < math.inf and wide_[1][4] == math.inf, "learning rate 8, second of three: the first epoch holds a huge loss, the fifth inf", of="divergence",
            hint="Keep the losses of the epochs that were finished, however large they are; only the others become inf.")
assert_true(wide_[2][4] < 1, "learning rate 0.2 learns as usual after one that failed", of="each alone")
assert_true(math.isinf(lists_[1][2]), "learning rate 1000: the last epoch holds inf", of="divergence")
assert_true(math.isinf(lists_[3][2]) or lists_[3][2] > 100 * lists_[3][0], "learning rate 3: the losses grow", of="divergence")
assert_equal(len(losses_of_run([0.1, 0.2], 8, 3, 0.0)[1]), 8, "the number of rows for each rate, eight epochs", of="rows")
for noise_ in (0.0, 2.0):
    last_ = losses_of_run([0.1], 6, 3, noise_)[0][5]
    assert_true(0.6 * noise_ ** 2 / 2 <= last_ < 1.5 * noise_ ** 2 / 2 + 1e-4, f"noise {noise_}: after six epochs at 0.1 the loss is near half the variance of the noise", of="settings")
assert_true(losses_of_run([0.03], 1, 11, 0.5)[0] != losses_of_run([0.03], 1, 12, 0.5)[0], "seeds 11 and 12 give different losses", of="settings")
assert_equal(sorted(run({"lrs": [0.2], "max_epochs": 1, "seed": 0, "noise": 1.0}).columns), ["epoch", "lr", "val_loss"], "the columns for a single epoch", of="columns")
### END HIDDEN TESTS

# %% [markdown] written="3.4.6" points=3
# ### BEGIN SOLUTION
# After ten epochs 0.001 stands at 10.5 and 0.01 at 0.70: too small. 0.03, 0.1 and 0.3 end between 0.106 and 0.109:
# good. With 1 the loss is unsteady, 0.109 to 0.141, and 3 diverges to inf. (The curvature of standard normal features is about 1, so the limit
# is about 2.) More epochs help 0.01 (2.21 after six, 0.70 after ten); 0.1 has arrived after three (0.107) and then only fluctuates. The noise sets the floor: half its
# variance is 0.5²/2 = 0.125, the loss of the true parameters. These 256 validation examples happen to have less of it, about 0.106.
#
# **Rubric**
# - [1] Too small, good and too large named with losses from the table; also accepted: other bounds that the student's
#   table supports
# - [1] More epochs help a small rate, and hardly change 0.1, which has arrived; lost by: "more epochs always lower
#   the error"
# - [1] The floor is half the noise variance, 0.125 (here 0.106 by chance); also accepted: the loss of the true parameters; lost by: "the loss goes to 0"
# ### END SOLUTION

# %% [markdown] teaches="units and the learning rate, rate from the curvature"
# ## Small units, slow learning
#
# The curvature is the mean of the squared feature. So it depends on the *unit*. Lengths in metres between 1 and 3 have a curvature of
# about 4; the same lengths in kilometres have 0.000004. A rate that suits one of them is hopeless for the other.

# %%
metres = torch.tensor([1.0, 2.0, 3.0, 1.5], dtype=torch.float64)
price = 5.0 * metres                                        # 5 for a metre
for unit, size in (("m", 1.0), ("km", 0.001), ("cm", 100.0)):
    x = size * metres
    curvature_x, weight = (x ** 2).mean().item(), 0.0
    for _ in range(20):
        weight = weight - 0.2 * ((weight * x - price) * x).mean().item()
    print(f"in {unit:2}: curvature {curvature_x:9.3g}, best rate {1 / curvature_x:9.3g}; 20 steps at rate 0.2 from 0 to {weight:.3g}, right is {5 / size:g}")

# %% [markdown]
# In metres all is well. In kilometres nothing has happened after 20 steps, and in centimetres the weight has left for
# the stars. There are two cures, and they come to the same. *Either* take the rate from the data, $\eta = 1/c$ or a good part of it.
# *Or* measure in a typical unit: divide the feature by the root of its mean square, so that c = 1, learn, and convert the result back.
# That is why data are brought to a common scale before training.

# %% [markdown] task="3.4.2" kind="code" minutes=10 difficulty=3 needs="units and the learning rate, rate from the curvature, gradient descent step"
# ### Ohm's law
#
# A resistor of R ohm carries the current I when the voltage V = R·I lies across it. There is no bias: no voltage, no
# current. Voltages are measured with errors.
#
# Write `fit_resistance(current, voltage)`: `current` in ampere and `voltage` in volt, both of shape `(n,)`; it
# returns R in ohm, one number: the one that minimises the squared loss of the voltages. Try gradient descent with autograd, with a
# learning rate and a number of steps of your choice. (The check accepts every way.)
#
# **You are done when**
# - **least squares**: the result is within 0.1 % of the minimum, for measurements with errors and with currents of 0 among them, too;
# - **no bias**: the line goes through the origin;
# - **small currents**: it is as good for milliamperes;
# - **large currents**: and for tens of amperes.

# %% exercise="3.4.2"
def fit_resistance(current, voltage):
    """The least-squares resistance in ohm for currents (n,) in ampere and voltages (n,) in volt."""
    ### BEGIN SOLUTION
    lr = 0.5 / current.square().mean()              # each step halves the distance
    R = torch.zeros((), dtype=current.dtype, requires_grad=True)
    for _ in range(60):
        half_square(R * current, voltage).backward()
        sgd_step([R], lr)
    return R.item()
    ### END SOLUTION

# %% [markdown] hints="3.4.2"
# 1. The curvature of the loss is the mean of I². What does that mean for a learning rate that suits 1 A, at 1 mA?
# 2. With `lr = 0.5 / c` each step halves the distance from the minimum, whatever the unit.
# 3. A walker's speed from metres and hours: learn in (1000 m)/(1 h), then multiply by 1000.

# %% check="3.4.2" points=2
def check_resistance(current, voltage, which, of, shown=True):
    x, v = current.double(), voltage.double()
    found = fit_resistance(current, voltage)
    assert_type(found, (float, int, torch.Tensor, np.ndarray), "what fit_resistance returns", of="least squares", hint="R, one number.")
    assert_equal(torch.as_tensor(found).numel(), 1, "how many numbers fit_resistance returns", of="least squares")
    right = ((x * v).sum() / x.square().sum()).item()
    centred = ((x - x.mean()) * (v - v.mean())).sum() / (x - x.mean()).square().sum()
    found, ratios, above = torch.as_tensor(found).reshape(()).item(), (v / x)[x != 0], x > 0
    axis = torch.linalg.svd(torch.stack([x, v], 1), full_matrices=False).Vh[0]
    total = (axis[1] / axis[0]).item()
    order = ratios.argsort()
    pulls = x[x != 0].abs()[order].cumsum(0)
    by_size = ratios[order][(pulls >= pulls[-1] / 2).nonzero()[0, 0]].item()          # the minimum of the absolute loss
    about = ""
    if not math.isfinite(found):
        some = x != 0
        rest = float(torch.as_tensor(fit_resistance(current[some], voltage[some])).reshape(())) if not some.all() else math.nan
        about = ("It is not finite: for currents of this size the rate is too large, and the steps lead away." if not math.isfinite(rest) else
                 f"It is not finite; without the measurement at 0 A it is {rest:.5g}. So something is divided by a current that is 0. (The mean of the ratios V/I is not the minimum of the squared loss, either.)")
    elif not abs(found - right) <= 1e-3 * abs(right):
        turned = v.flip(0)
        wide = float(torch.as_tensor(fit_resistance(2 * current, voltage)).reshape(())) / (right / 2)
        share, other = found / right, float(torch.as_tensor(fit_resistance(current, voltage.flip(0))).reshape(())) / ((x * turned).sum() / x.square().sum()).item()
        at = ((found * x - v) * x).mean().item()
        about = ((f"This is {share:.3g} times the R of least squares" if shown else "This is too " + ("small" if abs(share) < 1 else "large")) +
                 ", and for the same voltages in reverse order yours is wrong by the same factor; " +
                 ("for currents twice as large by another one: a descent from 0 that has not arrived, since its rate does not "
                  "suit currents of this size."
                  if abs(share - wide) > 1e-3 * abs(share) else "for currents twice as large as well: always by this factor." +
                  (" If you descend from 0, it has not arrived: let it make more steps." if 0 < share < 1 else ""))
                 if abs(share - other) <= 1e-3 * abs(share) else
                 "At your R the mean of (R·I - V)·I, the slope of the squared loss, is " + (f"{at:.3g}" if shown else "not 0") +
                 f": it is 0 at the minimum, which lies {'higher' if at < 0 else 'lower'}.")
    assert_close(found, right, which, of=of, rtol=1e-3,
                 hint=about,
                 mistakes={"The line must pass through the origin: no bias.": centred.item(), "This is I / V, the conductance.": ((x * v).sum() / v.square().sum()).item(),
                           "This is the ratio of the sums, not the least-squares R.": (v.sum() / x.sum()).item(), "This fits the current to the voltage: the errors are in the voltage.": (v.square().sum() / (x * v).sum()).item(),
                           "This is the mean of the ratios V/I, not the minimum of the squared loss.": ratios.mean().item(), "This is the median of the ratios V/I, not least squares.": ratios.median().item(),
                           "This is the ratio of the root mean squares, not least squares.": (v.norm() / x.norm()).item(),
                           "Only measurements with a current above 0 were used.": ((x * v)[above].sum() / x[above].square().sum()).item(),
                           "Still at zero: the rate is far too small for currents of this size.": 0.0,
                           "Signs count: a measured voltage may have the other sign than its current.": ((x * v).abs().sum() / x.square().sum()).item(),
                           "R is asked for in ohm: this is 1000 times as much.": 1000 * right, "R is asked for in ohm: this is a thousandth of it.": right / 1000,
                           "This fits the current in units of the largest one: divide the result by it, to have ohm.": right * x.abs().max().item(), "This fits the current in units of its root mean square: divide the result by it, to have ohm.": right * x.square().mean().sqrt().item(),
                           "This fits both in units of their means: convert the result back.": (right * x.mean() / v.mean()).item(), "This weighs each measurement by the size of its current; least squares weighs V·I.": ((v * x.sign()).sum() / x.abs().sum()).item(),
                           "This makes the distances at right angles to the line small; the errors are in the voltage alone.": total, "This is half of the minimum.": right / 2, "This is the quotient of the largest current alone.": (v / x)[x.abs().argmax()].item(),
                           "This makes the mean of |R·I - V| smallest, not that of the squares.": by_size} |
                          ({"R is not a whole number here: do not round.": float(round(right))} if abs(right) < 20 else {}))

check_resistance(torch.tensor([0., 1., 2., -1., 4.]), torch.tensor([1., 3.2, 4.8, 0.5, 14.]),
                 "the resistance for currents 0, 1, 2, -1, 4 A and voltages 1, 3.2, 4.8, 0.5, 14 V", "least squares")
check_resistance(torch.tensor([1., 2., 3., 4.]), torch.tensor([4., 5., 6., 8.]), "the resistance for currents 1, 2, 3, 4 A and voltages 4, 5, 6, 8 V", "no bias")
check_resistance(torch.tensor([0., 0.001, 0.002, 0.003]), torch.tensor([0., 2., 5., 7.]), "the resistance for currents 0, 1, 2, 3 mA and voltages 0, 2, 5, 7 V", "small currents")
check_resistance(torch.tensor([0., 20., 40., 30.]), torch.tensor([1., 10., 19., 15.]), "the resistance for currents 0, 20, 40, 30 A and voltages 1, 10, 19, 15 V", "large currents")
### BEGIN HIDDEN TESTS
rng_ = torch.Generator().manual_seed(52)
for ohms_, amperes_, volts_, of_ in ((4700., 1e-3, 0.2, "small currents"), (0.5, 20., 1., "large currents"), (47., 0.1, 0.5, "least squares"), (10., 1., 4., "no bias"), (2e5, 2e-4, 3., "small currents")):
    current_ = amperes_ * torch.cat([torch.zeros(1), torch.rand(30, generator=rng_) + 0.2])
    if of_ == "least squares":
        current_[1::3] *= -1
        current_[5:9] *= 0.05                                                      # small currents, and voltages of either sign
    check_resistance(current_, ohms_ * current_ + volts_ * (torch.randn(31, generator=rng_) + (1 if of_ == "no bias" else 0)), f"31 currents of about {amperes_} A, {ohms_} ohm", of_,
                     shown=False)
### END HIDDEN TESTS

# %% [markdown] teaches="nonlinear model, comparing logarithms, rate from the slopes"
# ### A model that is not linear
#
# Nothing in the four parts asks for a linear model. Take a cup of tea that cools: t minutes after pouring it is $80\, e^{-kt}$ degrees
# above the room, and k is to be learnt. The predictions run over powers of ten, so a squared error would listen to the
# hottest readings alone. Compare *logarithms*: $\log 80 - kt$ against the log of the reading. An error of 1 % then counts the same everywhere.
#
# And the rate? Call $s_i$ the slope of prediction i by the parameter. Near the minimum the curvature of the half mean of squares is the mean of
# $s_i^2$ (for the linear model $s_i = x_i$). So $\eta = 1 / \text{mean}(s_i^2)$ is a good rate at *every* place: choose it anew in each
# step. For a model whose logarithm bends, such as $1 / (1 + kt)$, it does very well:

# %%
minutes = torch.tensor([1.0, 5.0, 20.0, 60.0, 300.0], dtype=torch.float64)
readings = 1 / (1 + 0.037 * minutes)                        # measured with k = 0.037
k = torch.tensor(0.001, dtype=torch.float64)
for step in range(7):
    error = -torch.log(1 + k * minutes) - torch.log(readings)
    slopes = -minutes / (1 + k * minutes)                   # of the logarithm, by k
    k = k - (error * slopes).mean() / (slopes ** 2).mean()
    print(f"step {step + 1}: k = {k.item():.6f}")

# %% [markdown]
# Seven steps from 0.001 to 0.037. One thing helps: to start on the side where the steps do not jump across 0. If a parameter must stay positive,
# one can also learn its logarithm.

# %% tags=["setup"]
H, C, K = 6.62607015e-34, 2.99792458e8, 1.380649e-23       # Planck, J s; speed of light, m/s; Boltzmann, J/K (SI)

# %% [markdown] task="3.4.3a" kind="code" minutes=8 difficulty=2 needs="broadcasting, log1p and expm1, requires_grad"
# ### Planck's law
#
# A hot body radiates at wavelength λ, in watt per steradian, square metre and metre,
#
# $$B(\lambda, T) = \frac{2hc^2}{\lambda^5}\,\frac{1}{e^{hc/(\lambda k T)} - 1}.$$
#
# Write `planck(wavelength, T)`: `wavelength` in metre, `T` in kelvin, float64 tensors that broadcast with each other.
# The constants `H`, `C` and `K` are defined above. (At 1 µm, a lamp filament of 2800 K has 7.03e11.)
#
# **You are done when**
# - **values**: they are right, to a millionth, from the far ultraviolet to microwaves;
# - **broadcast**: temperatures (m, 1) and wavelengths (n,) give (m, n);
# - **differentiable**: the result can be differentiated with respect to `T`.

# %% exercise="3.4.3a"
def planck(wavelength, T):
    """Spectral radiance in W sr^-1 m^-3 at wavelengths in metre and temperatures in kelvin (broadcast)."""
    ### BEGIN SOLUTION
    return 2 * H * C ** 2 / wavelength ** 5 / torch.expm1(H * C / (wavelength * K * T))
    ### END SOLUTION

# %% [markdown] hints="3.4.3a"
# 1. What are the units of h·c/(λ·k·T)? An exponent has none.
# 2. `torch.exp` and `torch.expm1` (which is exp(x) - 1) record their graph; `float(...)` and `.item()` cut it.
# 3. Another law: the power of a body, σT⁴, is `5.67e-8 * T ** 4`: for 300 K about 459 W/m².

# %% check="3.4.3a" points=2
def radiance(lam, heat):
    lam, heat = np.asarray(lam, dtype=np.float64), np.asarray(heat, dtype=np.float64)
    with np.errstate(over="ignore"):
        return torch.tensor(2 * H * C ** 2 / lam ** 5 / np.expm1(H * C / (lam * K * heat)))

@probe
def slope_in_T(lam, T):
    T = T.clone().requires_grad_()
    value = planck(lam, T)
    slope = torch.autograd.grad(value.sum(), T, allow_unused=True)[0] if value.requires_grad else "a result that is cut from its graph"
    return "a result whose graph does not lead to T" if slope is None else slope

def check_slope(lam, heat):
    for_ = f"the derivative by T at {heat.tolist()} K, {lam.item():g} m"
    z = H * C / (lam * K * heat)
    assert_type(slope_in_T(lam, heat), torch.Tensor, for_, of="differentiable",
                hint="Compute with torch from T to the result: what has once left the graph, through .detach(), NumPy or a "
                "Python number, knows nothing of T any more, and torch.tensor(...) of it begins a graph of its own.")
    assert_close(slope_in_T(lam, heat), radiance(lam, heat) * z / heat / -torch.expm1(-z), for_, of="differentiable", rtol=1e-6,
                 hint="Compute with torch from T itself, without .item(), .detach() or NumPy.")

lamp_ = torch.tensor([1e-6], dtype=torch.float64), torch.tensor([[2800.], [5772.]], dtype=torch.float64)
as_they_come_ = "Take both as they come: give neither another axis, and let them broadcast."
assert_shape(planck(*lamp_), (2, 1), "the shape for 2 temperatures (2, 1) and 1 wavelength (1,)", of="broadcast", hint=as_they_come_)
usual_ = {"The 1 is subtracted from the exponential, not from the exponent.": 2 * H * C ** 2 * 1e30 / math.exp(H * C / (1e-6 * K * 2800.) - 1) / 7.0285e11,
          "Below the line stands exp(...) - 1: here the - 1 is not part of it.": 6.987311 / 7.0285, "Beside the exponential 1 is subtracted, not added.": math.expm1(H * C / (1e-6 * K * 2800.)) / (math.exp(H * C / (1e-6 * K * 2800.)) + 1),
          "λkT needs brackets: h * c / λ * k * T multiplies by k and T.": math.expm1(H * C / (1e-6 * K * 2800.)) / math.expm1(H * C / 1e-6 * K * 2800.), "The power of the wavelength is 5; here it was 4.": 1e-6, "The power of the wavelength is 5; here it was 3.": 1e-12,
          "This is the radiance per frequency, not per wavelength.": 1e-12 / C, "This is the power into the half space: no factor π here.": math.pi, "The 2 in front is missing.": 0.5,
          "In front stands the square of the speed of light.": 1 / C, "In front only c is squared, not h.": H,
          "The exponent is h·c/(λ·k·T): c is missing.": math.expm1(H * C / (1e-6 * K * 2800.)) / math.expm1(H / (1e-6 * K * 2800.)),
          "A wavelength of 1 µm comes as 1e-6, in metre: the formula takes it as it is.": 2 * H * C ** 2 / math.expm1(H * C / (K * 2800.)) / 7.0285e11,
          "The exponent h·c/(λ·k·T) is positive: here it has a minus sign.": math.expm1(H * C / (1e-6 * K * 2800.)) / math.expm1(-H * C / (1e-6 * K * 2800.)),
          "The exponent is h·c divided by λ·k·T, not λ·k·T divided by h·c.": math.expm1(H * C / (1e-6 * K * 2800.)) / math.expm1(1e-6 * K * 2800. / (H * C)),
          "This is the density of energy, with 8πhc in front: the radiance has 2hc² there.": 4 * math.pi / C,
          "λ⁵ stands below the line: here its inverse does.": 1e-60,
          "The front, 2hc²/λ⁵, is to be divided by exp(x) - 1; here it is multiplied by it.": math.expm1(H * C / (1e-6 * K * 2800.)) ** 2,
          "This is the long-wave approximation.": 2 * C * K * 2800. * 1e24 / 7.0285e11}

def about_radiance():
    """A hint: the known mistake with this ratio; missing brackets also where exp(x) - 1 is rounded to 0, asked where x is near 1 without them."""
    text = next((text for text, factor in usual_.items() if math.isclose(times_, factor, rel_tol=1e-3)), "")
    if not text and math.isinf(times_):
        tiny, hot = 1e-24, 3.6e23
        found = float(torch.as_tensor(planck(torch.tensor([tiny], dtype=torch.float64), torch.tensor([[hot]], dtype=torch.float64))).detach().reshape(-1)[0])
        if math.isclose(found, 2 * H * C ** 2 / tiny ** 5 / math.expm1(H * C / tiny * K * hot), rel_tol=1e-6):
            text = next(text for text in usual_ if "needs brackets" in text)
    for lam, heat, said in ((1e3, 2800., "The wavelength comes in metre: here it is taken for nanometre."), (1., 2800., "The wavelength comes in metre: here it is taken for micrometre."),
                            (1e-6, 2800. - 273.15, "T comes in kelvin: here it is taken for degrees Celsius."), (1e-6, 2800. + 273.15, "T comes in kelvin: here 273.15 is subtracted from it.")):
        if not text and math.isclose(float(torch.as_tensor(planck(torch.tensor([lam], dtype=torch.float64), torch.tensor([[heat]], dtype=torch.float64))).detach().reshape(-1)[0]), 7.0285e11, rel_tol=1e-3):
            text = said
    return text or "In front 2hc²/λ⁵; the exponent is h·c/(λ·k·T)."

times_ = float(torch.as_tensor(planck(*lamp_))[0].detach().reshape(-1)[0]) / 7.0285e11
assert_close(planck(*lamp_)[0], torch.tensor([7.0285e11], dtype=torch.float64), "the radiance at 1 µm and 2800 K", of="values", rtol=1e-3,
             hint=about_radiance)
micro_ = torch.tensor([1e-3, 1e-7], dtype=torch.float64)
assert_shape(planck(micro_, torch.tensor(300., dtype=torch.float64)), (2,), "the shape for one temperature of shape () and 2 wavelengths (2,)", of="broadcast", hint=as_they_come_)
long_ = float(torch.as_tensor(planck(micro_[:1], torch.tensor(300., dtype=torch.float64))).detach().reshape(-1)[0]) / radiance(micro_[:1], 300.).item()
assert_close(planck(micro_[:1], torch.tensor(300., dtype=torch.float64)), radiance(micro_[:1], 300.), "the radiance at 1 mm and 300 K", of="values", rtol=1e-6,
             hint="This is near: take H, C and K as they are defined above, not rounded, and compute in float64." if abs(long_ - 1) < 0.005 else
             "Here the exponent x is 0.048: exp(x) - 1 is neither exp(x) nor x.")
def exponent_of_34():
    """A hint for 0.1 µm and 300 K: 0, where exp(480) was infinite, else the exponent that gives this radiance."""
    found = torch.as_tensor(planck(micro_[1:], torch.tensor(300., dtype=torch.float64))).detach().double().reshape(-1)[0].item()
    front = 2 * H * C ** 2 / micro_[1].item() ** 5
    return ("exp(480) is too large for float32, not for float64: compute in float64. " if found == 0 else
            f"Your radiance belongs to an exponent of {math.log(front / found):.4g}: set no limit on it. " if 0 < found < front else "")

assert_close(planck(micro_[1:], torch.tensor(300., dtype=torch.float64)), radiance(micro_[1:], 300.),
             "the radiance at 0.1 µm and 300 K, which is next to 0", of="values", rtol=1e-6, atol=0.0,
             hint=lambda: exponent_of_34() + "The exponent is 480 here.")
assert_close(planck(micro_, lamp_[1]), radiance(micro_, lamp_[1]), "2800 K and 5772 K (2, 1) by 1 mm and 0.1 µm (2,)", of="broadcast", rtol=1e-6)
check_slope(torch.tensor([1e-6], dtype=torch.float64), torch.tensor([2800.], dtype=torch.float64))
### BEGIN HIDDEN TESTS
lam_ = torch.logspace(-7, -2, 9, dtype=torch.float64)
heat_ = torch.tensor([[120.], [300.], [2900.], [9000.]], dtype=torch.float64)
assert_shape(planck(lam_, heat_[0, 0]), (9,), "the shape for one temperature of shape () and 9 wavelengths (9,)", of="broadcast")
assert_shape(planck(lam_, heat_), (4, 9), "the shape for 4 temperatures (4, 1) and 9 wavelengths (9,)", of="broadcast")
for row_ in range(4):
    assert_close(planck(lam_, heat_)[row_], radiance(lam_, heat_)[row_], f"{heat_[row_].item():g} K, 0.1 µm to 1 cm", of="values", rtol=1e-6, hint="exp of a large exponent is inf: 1/inf is 0, but inf/inf is nan.")
    above_ = radiance(lam_, heat_)[row_] > 1e-280
    assert_close(planck(lam_, heat_)[row_][above_], radiance(lam_, heat_)[row_][above_],
                 f"{heat_[row_].item():g} K, where the radiance is above 1e-280", of="values", rtol=1e-6, atol=0.0,
                 hint="Small ones, too, to a millionth: compute in float64.")
check_slope(lam_[3:4], heat_[2:, 0])
check_slope(lam_[5:6], heat_[:2, 0])
### END HIDDEN TESTS

# %% [markdown] task="3.4.3b" kind="code" minutes=20 difficulty=4 needs="nonlinear model, comparing logarithms, rate from the slopes"
# ### The temperature of a star
#
# Write `fit_temperature(wavelength, radiance)`. From `wavelength` (n,) in metre and `radiance` (n,) in W sr⁻¹ m⁻³,
# both float64 and positive, it returns the temperature in kelvin, a number, of the Planck spectrum that fits them. Temperatures lie between
# 200 and 10,000 K. The peak of the spectrum need not lie among the wavelengths.
#
# The formula is that of 3.4.3a; its logarithm is nearly a straight line in $v = 1/T$, which makes v a good parameter. (Other ways are accepted.)
#
# **You are done when**
# - **kelvin**: the result is a number, in kelvin;
# - **exact spectrum**: without errors in the radiances it is within 0.1 %;
# - **outside the peak**: also where all wavelengths lie on one side of the peak;
# - **all measurements**: if 60 radiances are 5 % wrong, up and down in turn, one by one, two by two or six by six, it is within 0.3 %: no few measurements decide.

# %% exercise="3.4.3b"
def fit_temperature(wavelength, radiance):
    """Temperature in kelvin of the black body with these radiances (n,) at these wavelengths (n,)."""
    ### BEGIN SOLUTION
    a = H * C / (wavelength * K)                            # the exponent is a v, for v = 1 / T
    known = radiance.log() - torch.log(2 * H * C ** 2 / wavelength ** 5)
    v = torch.tensor(1 / 20000, dtype=torch.float64)        # hotter than any answer, so that v grows and stays positive
    for _ in range(60):
        error = -torch.log(torch.expm1(a * v)) - known
        slopes = a / torch.expm1(-a * v)
        v = v - (error * slopes).mean() / (slopes ** 2).mean()
    return 1 / v.item()
    ### END SOLUTION

# %% [markdown] hints="3.4.3b"
# 1. Radiances are about 10¹³ and span many powers of ten, T is a few thousand. What do these do to a learning rate?
# 2. With a = hc/(λk) and v = 1/T, the log of the model is log(2hc²/λ⁵) - log(exp(av) - 1). Its slope by v is
#    a / expm1(-av). Start at a small v, such as 1/20000, and take the steps of the cooling example.
# 3. For counts 10⁶·2^(-s/t) with half-life t: with v = 1/t the log is a straight line in v, and one such step finds it.

# %% check="3.4.3b" points=3
def about_many(found, lam, measured):
    """A hint: whether the first and the last radiance alone decide."""
    inner = measured.clone()
    inner[1:-1] *= 1.1
    if abs(torch.as_tensor(fit_temperature(lam, inner)).reshape(()).item() - found) <= 1e-9 * found:
        return ("With all radiances but the first and the last a tenth larger yours is the same number: "
                "these two alone decide. All of them together are to be fitted.")
    return "All radiances together are to be fitted, with logarithms and a rate that suits them: no one or two of them decide."

def check_star(T, low, high, count, error, of, shift=0, width=1, shown=True):
    lam = torch.linspace(low, high, count, dtype=torch.float64)
    exact = 2 * H * C ** 2 / lam ** 5 / torch.expm1(H * C / (lam * K * T))
    measured = exact * (1 + error * (-1.0) ** ((torch.arange(count) + shift) // width))
    which = f"the temperature from {count} radiances between {low * 1e6:g} and {high * 1e6:g} µm" + (f", wrong by {error:.0%} up and down in turn, { {1: 'one by one', 2: 'two by two', 6: 'six by six'}[width]}" if error else "")
    found = fit_temperature(lam, measured)
    assert_type(found, (float, int, torch.Tensor, np.ndarray), f"what fit_temperature returns: {which}", of="kelvin", hint="One number.")
    assert_equal(torch.as_tensor(found).numel(), 1, f"how many numbers fit_temperature returns: {which}", of="kelvin",
                 hint="One temperature for all wavelengths together.")
    found = torch.as_tensor(found).reshape(()).item()
    assert_true(not math.isclose(1000 * found, T, rel_tol=0.02) and not math.isclose(found * T, 1, rel_tol=0.02), f"{which} is in kelvin", of="kelvin",
                hint="This is T in thousands of kelvin, or 1/T: convert it back.")
    about = "It is not finite: did a step jump across 0, or was it too long?"
    if math.isfinite(found) and found > 0 and abs(found - T) > 1e-3 * T:
        other = torch.as_tensor(fit_temperature(lam, 2 * H * C ** 2 / lam ** 5 / torch.expm1(H * C / (lam * K * 1.1 * T)))).reshape(()).item()
        z = H * C / (lam * K * found)
        times = (torch.log(2 * H * C ** 2 / lam ** 5) - z - torch.log(-torch.expm1(-z)) - torch.log(measured)).mean().exp().item()
        about = ("For a star that is a tenth hotter yours is the same number: a descent that does not move, since its rate is far too small here, a table or search that ends before this temperature, or radiances that are not used."
                 if abs(other - found) <= 1e-9 * found else
                 about_many(found, lam, measured) if error else
                 "At your temperature the formula of 3.4.3a gives " + (f"{times:.4g} times" if shown else "more than" if times > 1 else "less than") +
                 " these radiances, in the geometric mean, where it should give them exactly. " +
                 ("For a star that is 0.02 % hotter yours is the same number: a search or a table that is not fine enough."
                  if abs(torch.as_tensor(fit_temperature(lam, 2 * H * C ** 2 / lam ** 5 / torch.expm1(H * C / (lam * K * 1.0002 * T)))).reshape(()).item() - found) <= 1e-9 * found else
                  "A descent by the whole formula, with the rate of the cooling example, arrives there."))
    peak = 2.897771955e-3 / lam[measured.argmax()].item()
    x = H * C / (lam * K)
    each = x / torch.log1p(2 * H * C ** 2 / (lam ** 5 * measured))
    assert_close(found, T, which, of=of, rtol=3e-3 if error else 1e-3,
                 hint=about,
                 mistakes={"This is Wien's displacement law at the largest radiance, which need not be the peak.": peak, "This is the temperature of the first measurement alone, or of the first few.": each[0].item() if error else -1.0,
                           "The - 1 beside the exponential is missing.": (1 / (torch.log(2 * H * C ** 2 / (lam ** 5 * measured)) / x).mean()).item() if not error else -7.0,
                           "Here the - 1 beside the exponential is missing.": (x @ x / (x @ torch.log(2 * H * C ** 2 / (lam ** 5 * measured)))).item() if not error else -8.0,
                           "Do not round, and make no table so coarse: 0.1 % are asked for.": float(round(T, -2)) if abs(T - round(T, -2)) > 2e-3 * T and round(T, -2) != round(T, -1) else -6.0,
                           "This is the temperature of the largest radiance alone.": each[measured.argmax()].item() if error else -2.0, "This is the temperature of the last measurement alone.": each[-1].item() if error else -3.0,
                           "Kelvin are asked for, not degrees Celsius.": T - 273.15 if not error else -4.0,
                           "Do not round, and make no table in steps of 10 K: 0.1 % are asked for.": float(round(T, -1))
                           if abs(T - round(T, -1)) > 2e-3 * T else -5.0})

check_star(5772., 3e-7, 3e-6, 6, 0.0, "exact spectrum")
check_star(3000., 4e-7, 7e-7, 20, 0.0, "outside the peak")
check_star(306., 2e-5, 5e-5, 20, 0.0, "outside the peak")
check_star(9300., 3e-6, 1e-5, 20, 0.0, "outside the peak")
check_star(4000., 4e-7, 2.5e-6, 60, 0.05, "all measurements")
check_star(4000., 4e-7, 2.5e-6, 60, 0.05, "all measurements", width=6)
### BEGIN HIDDEN TESTS
for T_, low_, high_, count_, error_, of_ in ((2456., 4e-7, 7e-7, 45, 0., "outside the peak"), (310., 3e-6, 3e-5, 45, 0., "exact spectrum"), (9500., 3e-6, 1e-5, 30, 0., "outside the peak"),
                                             (213., 8e-6, 1.4e-5, 12, 0., "outside the peak"), (240., 1.5e-6, 4e-6, 25, 0., "outside the peak"), (290., 5e-4, 2e-3, 25, 0., "outside the peak"), (1200., 1e-6, 4e-6, 60, 0.05, "all measurements"), (6500., 2.5e-7, 1.5e-6, 60, -0.05, "all measurements")):
    check_star(T_, low_, high_, count_, error_, of_, shown=False)
check_star(1200., 1e-6, 4e-6, 60, 0.05, "all measurements", width=6, shown=False)
check_star(6500., 2.5e-7, 1.5e-6, 60, 0.05, "all measurements", shift=1, width=2, shown=False)
assert_close(torch.as_tensor(fit_temperature(torch.tensor([1e-6, 2e-6], dtype=torch.float64), torch.tensor([radiance_ for radiance_ in (
    2 * H * C ** 2 / 1e-30 / math.expm1(H * C / (1e-6 * K * 900.)), 2 * H * C ** 2 / 32e-30 / math.expm1(H * C / (2e-6 * K * 900.)))], dtype=torch.float64))).reshape(()).item(), 900.0,
    "the temperature from two exact radiances, at 1 and 2 µm", of="kelvin", rtol=1e-3)
### END HIDDEN TESTS

# %% [markdown] teaches="outlier, absolute loss, median as a minimum"
# ## One wrong number
#
# Somebody types 29.2 where 9.2 was meant. What does it do to a line? A target that is far off is an **outlier**.

# %% tags=["demo"]
stick = torch.linspace(0, 4, 9, dtype=torch.float64)
ones = torch.stack([stick, torch.ones_like(stick)], dim=1)
figure, axes = plt.subplots(1, 2, figsize=(7.2, 2.9), layout="constrained")
for axis, last in zip(axes, (9.2, 29.2)):
    heights = torch.tensor([1.2, 1.8, 3.1, 3.9, 5.2, 5.8, 7.1, 7.9, last], dtype=torch.float64)
    slope, level = torch.linalg.lstsq(ones, heights[:, None]).solution.flatten().tolist()
    axis.plot(stick, heights, "o", color="black", markersize=4)
    axis.plot(stick, slope * stick + level, color="C0")
    axis.set(xlabel="x", title=f"slope {slope:.2f}, intercept {level:.2f}", ylim=(-4, 31))
axes[0].set_ylabel("y")
plt.show()

# %% [markdown]
# Nine points near the line y = 2x + 1, and the least-squares line. Right: the same points, but the last one has moved up by 20. The line
# follows it, and fits none of the others. The squared loss does that: a residual of 20 costs 400 times as much as one of 1, so it pays to make eight small residuals larger to make the big one smaller.
#
# Let the cost grow like the residual itself, and the pull of an outlier stops growing. The **absolute loss** is the mean of $|r_i|$. Its slope is
# +1 or -1: *every* point pulls with the same force. The simplest model shows the difference, a single constant m:
#
# - The mean of $(m - y_i)^2/2$ has the derivative m - mean(y). It is smallest at the **mean**.
# - The mean of $|m - y_i|$ has the derivative (number of $y_i$ below m minus number above) / n. It is smallest where as many lie below as above: at the **median**.

# %%
salaries = torch.tensor([2.0, 2.2, 2.5, 2.9, 3.1])
with_boss = torch.tensor([2.0, 2.2, 2.5, 2.9, 31.0])
for name, values in (("five salaries", salaries), ("a boss among them", with_boss)):
    tried = torch.linspace(0, 32, 3201)[:, None]
    by_square, by_size = ((tried - values) ** 2 / 2).mean(dim=1), (tried - values).abs().mean(dim=1)
    print(f"{name:18} squared loss smallest at {tried[by_square.argmin()].item():.2f}, absolute loss at {tried[by_size.argmin()].item():.2f};",
          f"mean {values.mean().item():.2f}, median {values.median().item():.2f}")

# %% [markdown] task="3.4.E" kind="answer" minutes=3 difficulty=1 core=true needs="outlier, median as a minimum"
# ### The pull of a hundred
#
# The targets are 1, 2, 3, 4 and 100, the model is a constant m. Set `best_squared` and `best_absolute` to the m with the
# smallest squared and the smallest absolute loss. Then the 100 becomes 1000: set `moved_squared` and `moved_absolute` to the
# new ones.
#
# **You are done when**
# - **squared**: `best_squared` and `moved_squared` are right;
# - **absolute**: `best_absolute` and `moved_absolute` are.

# %% exercise="3.4.E"
### BEGIN SOLUTION
best_squared, moved_squared = 22, 202
best_absolute, moved_absolute = 3, 3
### END SOLUTION

# %% [markdown] hints="3.4.E"
# 1. Mean or median: which belongs to which loss?
# 2. The median of five numbers is the third, in order of size.
# 3. For 1, 5, 9: both are 5. For 1, 5, 90: 32 and 5.

# %% check="3.4.E" points=1
one_number_ = (float, int, torch.Tensor, np.ndarray)
assert_type(best_squared, one_number_, "best_squared", of="squared")
assert_close(float(best_squared), 22.0, "best_squared, for 1, 2, 3, 4, 100", of="squared",
             mistakes={"That is the median.": 3.0, "That is the sum.": 110.0, "Divide by five: there are five targets.": 27.5, "This is the middle between the smallest and the largest.": 50.5, "The outlier stays in the list.": 2.5,
             "This is the loss at its minimum: the m that reaches it is asked for.": 761.0},
             hint=f"It is their mean. The five targets add up to 110; 5 times yours is {5 * float(best_squared):g}.")
assert_type(moved_squared, one_number_, "moved_squared", of="squared")
assert_close(float(moved_squared), 202.0, "moved_squared, for 1, 2, 3, 4, 1000", of="squared",
             mistakes={"That is the median.": 3.0, "That is the sum.": 1010.0, "Divide by five: there are five targets.": 252.5, "This is the middle between the smallest and the largest.": 500.5, "The outlier stays in the list.": 2.5, "The 100 has become 1000.": 22.0,
             "Only one of the five targets is ten times as large, so the mean is not.": 220.0,
             "The sum grows by 900, the mean by a fifth of that.": 922.0,
             "The new m is asked for, not how far it has moved.": 180.0},
             hint=f"It is their mean. The five targets add up to 1010; 5 times yours is {5 * float(moved_squared):g}.")

def sides_of(m, targets):
    """A hint: how many of the targets lie below and above."""
    return (f"It is their median, with as many below as above. Of {', '.join(map(str, targets))} there lie {sum(target < m for target in targets)} below yours, "
            f"{m:g}, and {sum(target > m for target in targets)} above.")

assert_type(best_absolute, one_number_, "best_absolute", of="absolute")
assert_close(float(best_absolute), 3.0, "best_absolute, for 1, 2, 3, 4, 100", of="absolute",
             mistakes={"That is the mean.": 22.0, "The outlier stays in the list: the middle of all five.": 2.5, "This is the loss at its minimum: the m that reaches it is asked for.": 20.2,
                       "This is the middle between the smallest and the largest.": 50.5},
             hint=lambda: sides_of(float(best_absolute), (1, 2, 3, 4, 100)))
assert_type(moved_absolute, one_number_, "moved_absolute", of="absolute")
assert_close(float(moved_absolute), 3.0, "moved_absolute, for 1, 2, 3, 4, 1000", of="absolute",
             mistakes={"That is the mean.": 202.0, "The outlier stays in the list: the middle of all five.": 2.5, "This is the loss at its minimum: the m that reaches it is asked for.": 200.2,
             "The third in order of size has not changed.": 30.0,
             "This is the middle between the smallest and the largest.": 500.5,
             "The new m is asked for, not how far it has moved.": 0.0},
             hint=lambda: sides_of(float(moved_absolute), (1, 2, 3, 4, 1000)))
### BEGIN HIDDEN TESTS
assert_close([float(best_squared), float(moved_squared)], [np.mean([1, 2, 3, 4, 100]).item(), np.mean([1, 2, 3, 4, 1000]).item()], "best_squared and moved_squared", of="squared")
assert_close([float(best_absolute), float(moved_absolute)], [np.median([1, 2, 3, 4, 100]).item(), np.median([1, 2, 3, 4, 1000]).item()], "best_absolute and moved_absolute", of="absolute")
### END HIDDEN TESTS

# %% [markdown] task="3.4.8a" kind="code" minutes=5 difficulty=2 needs="absolute loss, shapes in the loss"
# ### The absolute loss
#
# Write `absolute_loss(y_hat, y)`: the mean of |ŷ - y|. Each argument has shape `(n,)` or `(n, 1)`, in any combination; both have n entries.
#
# **You are done when**
# - **values**: it is right for equal shapes;
# - **mixed shapes**: it is right for `(n, 1)` against `(n,)` and the other way round, too;
# - **one element**: the result is a tensor of one element;
# - **gradient**: it can be differentiated with respect to the predictions, also where a prediction is exact: no entry is nan.

# %% exercise="3.4.8a"
def absolute_loss(y_hat, y):
    """Mean of |y_hat - y| for shapes (n,) or (n, 1)."""
    ### BEGIN SOLUTION
    return (y_hat - y.reshape(y_hat.shape)).abs().mean()
    ### END SOLUTION

# %% [markdown] hints="3.4.8a"
# 1. Which shapes do the two arguments have? See exercise 3.4.5a.
# 2. `.abs()` is differentiable but at 0; its gradient is the sign.
# 3. The largest error in place of the mean: `(u.reshape(-1) - v.reshape(-1)).abs().max()`.

# %% check="3.4.8a" points=1
cut_ = "Compute with torch from the predictions, without .item(), .tolist(), .detach() or NumPy: torch.tensor(...) of such numbers makes a new tensor, whose graph does not lead to them."

def check_sizes(p, t, which):
    wanted = torch.nn.functional.l1_loss(p, t)
    for left in ((len(p),), (len(p), 1)):
        for right in ((len(p),), (len(p), 1)):
            found = absolute_loss(p.reshape(left), t.reshape(right))
            assert_type(found, torch.Tensor, f"what absolute_loss returns, {which}", of="one element", hint="A tensor, from which `backward` can go on.")
            assert_equal(found.numel(), 1, f"the number of entries of the result, {which}", of="one element", hint="One number for all examples.")
            r, wide = p - t, (p[:, None] - t)
            assert_close(found.reshape(()), wanted, f"{which}, shapes {left} and {right}", of="values" if left == right else "mixed shapes", rtol=1e-4,
                         mistakes={"The difference was broadcast: each prediction met each target.": wide.abs().mean(), "This is the sum, not the mean.": r.abs().sum(), "The absolute values are missing.": r.mean(),
                                   "Take the absolute values first, then the mean.": r.mean().abs(), "This is the root of the mean square.": r.square().mean().sqrt(), "This is the root of the sum of the squares, divided by n: no squares and no root here.": r.square().sum().sqrt() / len(p),
                                   "This is the mean of the squares.": r.square().mean(), "No half here.": wanted / 2, "This is the largest of them, not the mean.": r.abs().max(),
                                   "This is the median of them, not the mean.": r.abs().median(),
                                   "Predictions that are too low count, too.": r.clamp(min=0).mean(),
                                   "Subtract first, then take the absolute value.": (p.abs() - t.abs()).abs().mean(),
                                   "This is torch's smooth_l1_loss, which is rounded off near 0.": torch.nn.functional.smooth_l1_loss(p, t), "No division by the target.": (r.abs() / t.abs()).mean()} |
                         ({"Divide by n, not by n - 1.": r.abs().sum() / (len(p) - 1)} if len(p) > 1 else {}), hint="The mean of |ŷ - y| itself over the n examples.")

@probe
def slope_of_absolute(p, t):
    p = p.clone().requires_grad_()
    value = absolute_loss(p, t)
    slope = torch.autograd.grad(value.sum(), p, allow_unused=True)[0] if value.requires_grad else "a result that is cut from its graph"
    return "a result whose graph does not lead to the predictions" if slope is None else slope

check_sizes(torch.tensor([1., 2., 7., 0.]), torch.tensor([3., 1., 2., 5.]), "predictions 1, 2, 7, 0 against targets 3, 1, 2, 5")
check_sizes(torch.tensor([-1., 2., -4.]), torch.tensor([3., -1., -2.]), "predictions -1, 2, -4 against targets 3, -1, -2")
assert_close(absolute_loss(torch.tensor([1., 2., 5.]), torch.tensor([1., 2., 5.])).reshape(()), torch.tensor(0.),
             "the loss of three exact predictions", of="values",
             hint=lambda: "All residuals are 0 here, and nothing may be divided by them: `.abs()` needs no sign."
             if absolute_loss(torch.tensor([1., 2., 5.]), torch.tensor([1., 2., 5.])).isnan().any() else
             "Exact predictions cost nothing: `.abs()` needs no small number added under a root.")
assert_type(slope_of_absolute(torch.tensor([[1.], [2.]]), torch.tensor([3., 1.])), torch.Tensor, "the gradient by the predictions", of="gradient", hint=cut_)
assert_close(slope_of_absolute(torch.tensor([[1.], [2.]]), torch.tensor([3., 1.])), torch.tensor([[-0.5], [0.5]]), "the gradient by predictions 1, 2 of shape (2, 1), targets 3, 1 of shape (2,)", of="gradient", hint=cut_)
exact_ = slope_of_absolute(torch.tensor([1., 2., 5.]), torch.tensor([3., 2., 4.]))
assert_close(exact_[[0, 2]], torch.tensor([-1., 1.]) / 3, "the gradient by the first and the last of predictions 1, 2, 5, targets 3, 2, 4", of="gradient", hint=cut_)
assert_true(exact_[1].abs().item() <= 0.34, f"the gradient by the exact one of predictions 1, 2, 5, targets 3, 2, 4 lies between -1/3 and 1/3; yours is {exact_[1].item():.4g}", of="gradient",
            hint="The root of a square has no slope at 0; `.abs()` has 0 there.")
### BEGIN HIDDEN TESTS
rng_ = torch.Generator().manual_seed(59)
for n_ in (9, 1, 4):
    p_, t_ = torch.randn(n_, generator=rng_), 2 * torch.randn(n_, generator=rng_)
    check_sizes(p_, t_, f"{n_} random predictions against {n_} targets")
    assert_close(slope_of_absolute(p_[:, None], t_), (p_ - t_).sign()[:, None] / n_, f"the gradient by predictions ({n_}, 1)",
                 of="gradient", hint="The sign of each residual, divided by n.")
    assert_close(absolute_loss(t_, t_[:, None]).reshape(()), torch.tensor(0.), f"the loss of {n_} exact predictions", of="values")
exact_ = slope_of_absolute(torch.tensor([[2.], [2.], [-1.], [0.]]), torch.tensor([2., 1., 0., 0.]))
assert_true(bool((exact_.abs() <= 0.2501).all()), "each entry of the gradient by predictions 2, 2, -1, 0, targets 2, 1, 0, 0 lies between -1/4 and 1/4", of="gradient", hint="Two predictions are exact there.")
### END HIDDEN TESTS

# %% [markdown] teaches="Huber's loss, case distinction with torch.where, falling learning rate"
# ### The best of both
#
# The absolute loss has a kink at 0, and its slope does not get smaller near the minimum: descent with a fixed rate never settles, but
# hops from side to side. *Huber's loss* is the square for small residuals and a straight line for large ones. A number δ parts them:
#
# $$h(r) = \begin{cases} r^2/2 & \text{if } |r| \le \delta \\ \delta\,(|r| - \delta/2) & \text{otherwise.} \end{cases}$$
#
# At |r| = δ both rows give δ²/2, and both have slope δ: the pieces fit together. So an outlier pulls with the force δ, however far it is.
#
# In code the cases come from `torch.where(mask, a, b)`, which takes entries of a where the mask is True, of b elsewhere. And the
# hopping has a cure: let the learning rate **fall**, say by two percent in each step. Here is a median by descent, with a fixed rate and with one that falls.

# %%
r_few = torch.tensor([-3.0, -0.5, 0.25, 2.0])
print("sign by cases:", torch.where(r_few < 0, torch.tensor(-1.0), torch.tensor(1.0)).tolist())
for falling in (1.0, 0.98):
    m, rate = 0.0, 1.0
    for _ in range(400):
        m, rate = m - rate * (m - with_boss).sign().mean().item(), rate * falling
    print(f"rate times {falling} in each step: m ends at {m:.4f}; the median is 2.5")

# %% tags=["demo"]
residual_line = torch.linspace(-4, 4, 161)
curves = {"squared": residual_line ** 2 / 2, "absolute": residual_line.abs(), "Huber, δ = 1": torch.nn.functional.huber_loss(residual_line, torch.zeros(161), reduction="none")}
pulls = {"squared": residual_line, "absolute": residual_line.sign(), "Huber, δ = 1": residual_line.clamp(-1, 1)}
figure, axes = plt.subplots(1, 2, figsize=(7.4, 3), layout="constrained")
for (name, curve), style in zip(curves.items(), ("-", "--", "-")):
    axes[0].plot(residual_line, curve, style, label=name)
    axes[1].plot(residual_line, pulls[name], style)
axes[0].set(xlabel="residual", ylabel="loss", ylim=(0, 4.2))
axes[1].set(xlabel="residual", ylabel="slope", ylim=(-3, 3))
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
plt.show()

# %% [markdown]
# Left the three losses, right their slopes, the force with which an example pulls. Squares pull without limit. The absolute
# loss always pulls with 1. Huber's loss pulls like the square near 0 and like the absolute loss far away.

# %% [markdown] task="3.4.8b" kind="code" minutes=10 difficulty=3 needs="Huber's loss, case distinction with torch.where, shapes in the loss"
# ### Huber's loss
#
# Write `huber_loss(y_hat, y, delta)`: the mean of Huber's loss over the examples. Each of the first two arguments has shape `(n,)` or
# `(n, 1)`, in any combination, both with n entries; `delta` is a positive number.
#
# **You are done when**
# - **small residuals**: they cost r²/2;
# - **large residuals**: they cost δ(|r| - δ/2), on both sides;
# - **mean**: the result is the mean over all examples, each with its own case, a tensor of one element;
# - **mixed shapes**: it is right for `(n, 1)` against `(n,)` and the other way round;
# - **gradient**: it can be differentiated with respect to the predictions, also where a prediction is exact: no entry is nan.

# %% exercise="3.4.8b"
def huber_loss(y_hat, y, delta):
    """Mean of r^2 / 2 where |r| <= delta, else delta (|r| - delta / 2), for shapes (n,) or (n, 1)."""
    ### BEGIN SOLUTION
    size = (y_hat - y.reshape(y_hat.shape)).abs()
    return torch.where(size <= delta, size ** 2 / 2, delta * (size - delta / 2)).mean()
    ### END SOLUTION

# %% [markdown] hints="3.4.8b"
# 1. Which residuals are large: those with r > δ, or those with |r| > δ?
# 2. `torch.where(mask, a, b)` takes from `a` where the mask is True, else from `b`; both are computed for all entries.
# 3. The hinge "0 below 1, r - 1 above" is `torch.where(r < 1, torch.zeros_like(r), r - 1)`.

# %% check="3.4.8b" points=2
cut_ = "Compute with torch from the predictions, without .item(), .tolist(), .detach() or NumPy: torch.tensor(...) of such numbers makes a new tensor, whose graph does not lead to them."

def huber_of(r, delta):
    return huber_loss(torch.tensor([r]), torch.tensor([0.0]), delta)

assert_type(huber_of(1.0, 2.0), torch.Tensor, "what huber_loss returns", of="mean", hint="A tensor, from which `backward` can go on.")
assert_equal(huber_of(1.0, 2.0).numel(), 1, "the number of entries of the result for one residual", of="mean")
assert_close(huber_of(1.0, 2.0).reshape(()), torch.tensor(0.5), "residual 1, δ = 2: 1²/2", of="small residuals",
             mistakes={"This is r²/(2δ), as torch's smooth_l1_loss has it.": torch.tensor(0.25), "The half is missing.": torch.tensor(1.0), "This is the row for large residuals.": torch.tensor(0.0),
                       "This is a smooth curve near Huber's loss, not Huber's loss.": torch.tensor(4 * (math.sqrt(1.25) - 1))},
             hint=lambda: "With one residual one of the two rows is empty, and a mean over no entries is nan."
             if math.isnan(huber_of(1.0, 2.0)) else "1 is at most δ, so the first row holds: half of the square.")

def about_mask():
    """A hint: with what |r| is compared, if the second row was taken, seen from residual 1.3."""
    if abs(float(huber_of(1.8, 2.0)) - 1.6) > 1e-3:
        return "1.8 is at most δ, so the first row holds: half of the square."
    first_row = [abs(float(huber_of(1.3, delta)) - 0.845) < 1e-3 for delta in (2.0, 3.0)]
    return ("Here the second row was taken" + (", and for residual 1.3 the first: |r|, not r², is compared with δ." if first_row[0] else
            ", and for residual 1.3 with δ = 2, too, but with δ = 3 the first: |r| is compared with δ itself, not with a part of it." if first_row[1] else
            ", and for residual 1.3 with δ = 2 and with δ = 3, too: |r| is compared with δ, not with a number that stays the same."))

assert_close(huber_of(1.8, 2.0).reshape(()), torch.tensor(1.62), "residual 1.8, δ = 2: 1.8²/2", of="small residuals",
             mistakes={"Is delta used? This is the loss for δ = 1.": torch.tensor(1.3)}, hint=about_mask)
for r_ in (5.0, -5.0):
    assert_close(huber_of(r_, 2.0).reshape(()), torch.tensor(8.), f"residual {r_:g}, δ = 2: 2·(5 - 1)", of="large residuals",
                 mistakes={"Subtract δ/2, so that the two rows meet at δ.": torch.tensor(10.), "This is r²/2: |r|, not r, decides between the rows." if r_ < 0 else "This is r²/2: 5 is larger than δ.": torch.tensor(12.5),
                           "The slope beyond δ is δ, not 1.": torch.tensor(4.), "Take |r|, not r.": torch.tensor(-12.), "Beyond δ the loss goes on growing: it does not stay at δ²/2.": torch.tensor(2.),
                           "Subtract δ/2, not δ.": torch.tensor(6.),
                           "This is δ|r| - δ/2, the same as δ(|r| - 1/2): take δ/2 from |r| first, then multiply by δ.": torch.tensor(9.), "Is delta used? This is the loss for δ = 1.": torch.tensor(4.5)},
                 hint="δ times what is left of |r| without δ/2.")
mixed_ = torch.tensor([1.0, 5.0, -5.0, -1.0, 0.5])
zeros_ = torch.zeros(5)
assert_equal(huber_loss(mixed_, zeros_, 2.0).numel(), 1, "the number of entries of the result for five residuals", of="mean", hint="One number for all examples: the mean.")
assert_close(huber_loss(mixed_, zeros_, 2.0).reshape(()), torch.tensor(17.125 / 5), "residuals 1, 5, -5, -1, 0.5, δ = 2", of="mean",
             mistakes={"This is the sum, not the mean.": torch.tensor(17.125), "Each residual has its own row; here all took the one for large residuals.": torch.tensor(15. / 5),
                       "Each residual has its own row; here all took the square.": torch.tensor(26.125 / 5), "The means of the small and of the large residuals were added: divide all by n.": torch.tensor(8 + 1.125 / 3)},
             hint="Decide for each residual by itself; then one mean over all five.")
for left_, right_ in (((5, 1), (5,)), ((5,), (5, 1))):
    others_ = torch.tensor([0., 1., -1., 3., 2.])
    met_ = (mixed_[:, None] - others_).abs()
    assert_close(huber_loss(mixed_.reshape(left_), others_.reshape(right_), 2.0).reshape(()), torch.tensor((0.5 + 6 + 6 + 6 + 1.125) / 5),
                 f"predictions {left_} against targets {right_}, δ = 2", of="mixed shapes",
                 mistakes={"The difference was broadcast to (5, 5): reshape the targets first.": (met_.clamp(max=2) * (met_ - met_.clamp(max=2) / 2)).mean()},
                 hint="Entry i of the predictions belongs to entry i of the targets; the residuals are 1, 4, -4, -4, -1.5.")

@probe
def slope_of_huber(p, t, delta):
    p = p.clone().requires_grad_()
    value = huber_loss(p, t, delta)
    slope = torch.autograd.grad(value.sum(), p, allow_unused=True)[0] if value.requires_grad else "a result that is cut from its graph"
    return "a result whose graph does not lead to the predictions" if slope is None else slope

assert_type(slope_of_huber(mixed_, zeros_, 2.0), torch.Tensor, "the gradient by the predictions", of="gradient", hint=cut_)
assert_close(slope_of_huber(mixed_, zeros_, 2.0), torch.tensor([1., 2., -2., -1., 0.5]) / 5, "the gradient by predictions 1, 5, -5, -1, 0.5, targets 0, δ = 2", of="gradient",
             hint="The residual, cut off at δ and -δ, divided by n. Compute with torch, without .item() or .detach().")
assert_close(slope_of_huber(torch.tensor([2., 3., 9.]), torch.tensor([1., 3., 4.]), 2.0), torch.tensor([1., 0., 2.]) / 3, "the gradient by predictions 2, 3, 9, targets 1, 3, 4 (the second is exact), δ = 2", of="gradient",
             hint="The residual, cut off at δ and -δ, divided by n. The root of a square has no slope at 0.")
### BEGIN HIDDEN TESTS
rng_ = torch.Generator().manual_seed(60)
for delta_, n_ in ((0.3, 11), (1.0, 6), (2.5, 13)):
    p_, t_ = 3 * torch.randn(n_, generator=rng_), torch.randn(n_, generator=rng_)
    for left_, right_ in (((n_,), (n_,)), ((n_, 1), (n_,)), ((n_,), (n_, 1)), ((n_, 1), (n_, 1))):
        found_ = huber_loss(p_.reshape(left_), t_.reshape(right_), delta_)
        assert_equal(found_.numel(), 1, f"the number of entries, predictions {left_} against targets {right_}", of="mean")
        assert_close(found_.reshape(()), torch.nn.functional.huber_loss(p_, t_, delta=delta_), f"predictions {left_} against targets {right_}, δ = {delta_}", of="mean" if left_ == right_ else "mixed shapes",
                     hint="Is delta used?")
    for of_, r_ in (("small residuals", (p_ - t_)[(p_ - t_).abs() <= delta_]), ("large residuals", (p_ - t_)[(p_ - t_).abs() > delta_])):
        if len(r_):
            assert_close(huber_loss(r_, torch.zeros(len(r_)), delta_).reshape(()), torch.nn.functional.huber_loss(r_, torch.zeros(len(r_)), delta=delta_), f"{of_} alone, δ = {delta_}", of=of_)
    assert_close(slope_of_huber(p_, t_, delta_), (p_ - t_).clamp(-delta_, delta_) / n_, f"the gradient for δ = {delta_}", of="gradient")
    assert_close(slope_of_huber(t_[:, None].clone(), t_, delta_), torch.zeros(n_, 1), f"the gradient for {n_} exact predictions, δ = {delta_}", of="gradient")
assert_close(huber_of(0.2, 0.3).reshape(()), torch.tensor(0.02), "residual 0.2, δ = 0.3", of="small residuals")
### END HIDDEN TESTS

# %% [markdown] teaches="falling learning rate"
# ## Has it arrived?
#
# A rate that falls has a price: it may die before the descent is at its end. After t steps with rates $1, q, q^2, \dots$ and a pull of at most 1, a parameter has moved by at most
# $1 + q + q^2 + \dots = 1/(1 - q)$, however many steps follow. The same median again, with three such rates, from two starts:

# %%
def descend_to_median(start, falling, steps):
    m, rate = start, 1.0
    for _ in range(steps):
        m, rate = m - rate * (m - with_boss).sign().mean().item(), rate * falling
    return m

for falling in (0.9, 0.98, 0.995):
    for steps in (200, 400, 800):
        low, high = descend_to_median(-9.0, falling, steps), descend_to_median(20.0, falling, steps)
        print(f"rate times {falling:<5}, {steps} steps: from -9 to {low:.4f}, from 20 to {high:.4f}")

# %% [markdown]
# With 0.9 the first descent ends at 1 and the second at 14. Neither moves any more when the steps are doubled: *that a number has stopped moving does not show that it has arrived.* Two questions tell:
#
# - **Twice the steps.** If the result still moves, it has not arrived: 0.995 after 200 steps.
# - **Another start.** If the results differ, one of them, or both, stopped on the way: 0.9. Where the loss has a single minimum, all starts must lead there.
#
# With 0.98 and 400 steps both say yes, to four digits: 800 steps give the same, and so does the other start.

# %% [markdown] task="3.4.8c" kind="code" minutes=20 difficulty=4 needs="Huber's loss, absolute loss, falling learning rate, outlier, least squares"
# ### A line for each loss
#
# Write `fit_line(x, y, loss)`: for `x` and `y` of shape `(n,)`, float64, and `loss` one of `"squared"`, `"absolute"`,
# `"huber"` (δ = 1), it returns the pair `(slope, intercept)` of two numbers that minimises the mean loss of *all* examples, within
# 0.05. There are 60 examples at most. x lies between -3 and 3, for a third of the examples or more at 0 or below. But for one
# target out of reach, y lies between -20 and 20, and so do slope and intercept of the absolute and of Huber's line. Any method will do; a few thousand steps are enough, and a fit should take a
# second, not more.
#
# **You are done when**
# - **pair**: two numbers come back, the slope first;
# - **squared**: they are right for the squared loss, wherever an outlier pulls them;
# - **absolute**: they are right for the absolute loss, and not only near the minimum of Huber's;
# - **huber**: they are right for Huber's loss.

# %% exercise="3.4.8c"
def fit_line(x, y, loss):
    """(slope, intercept) that minimise the mean loss: "squared", "absolute" or "huber" with delta 1."""
    ### BEGIN SOLUTION
    A = torch.stack([x, torch.ones_like(x)], dim=1)
    if loss == "squared":
        params = torch.linalg.lstsq(A, y[:, None]).solution.flatten()
    else:
        params, lr = torch.zeros(2, dtype=x.dtype), 1.0
        for _ in range(4000):
            r = A @ params - y
            pull = r.sign() if loss == "absolute" else r.clamp(-1, 1)
            params, lr = params - lr * A.T @ pull / len(x), lr * 0.998
    return params[0].item(), params[1].item()
    ### END SOLUTION

# %% [markdown] hints="3.4.8c"
# 1. Which loss has its minimum in closed form, on this page?
# 2. The slope of a residual's loss is the right picture above: `r`, `r.sign()` or `r.clamp(-1, 1)`. The gradient by slope and intercept is the mean of
#    that times x, and times 1. For the absolute loss let the rate fall, slowly enough to arrive.
# 3. The median by descent above: 1 · 0.98ᵗ adds up to 50 only; with 0.998 it is 500, and the way can be ten times as long.

# %% check="3.4.8c" points=3
def line_of(x, y, loss):
    found = fit_line(x, y, loss)
    assert_type(found, (tuple, list, torch.Tensor, np.ndarray), f"what fit_line returns, {loss} loss", of="pair")
    assert_equal(len(found), 2, f"the length of what fit_line returns, {loss} loss", of="pair")
    return [float(v) for v in found]

def mean_loss(slope, level, x, y, loss):
    r = (slope * x + level - y).abs()
    return (r.square() / 2 if loss == "squared" else r if loss == "absolute" else r.clamp(max=1) * (r - r.clamp(max=1) / 2)).mean().item()

def better_line(found, x, y, loss):
    """A hint: a small change of the line that lowers its mean loss."""
    if len(found) != 2 or not all(map(math.isfinite, found)):
        return "These are no numbers any more: the steps were too long."
    step = 0.02
    moved = {"a slope larger": (step, 0.), "a slope smaller": (-step, 0.), "an intercept larger": (0., step), "an intercept smaller": (0., -step),
             "slope and intercept larger": (step, step), "slope and intercept smaller": (-step, -step),
             "a slope larger and an intercept smaller": (step, -step), "a slope smaller and an intercept larger": (-step, step)}
    losses = {text: mean_loss(found[0] + right, found[1] + up, x, y, loss) for text, (right, up) in moved.items()}
    lower = min(losses, key=losses.get)
    here, there = mean_loss(*found, x, y, loss), losses[lower]
    digits = 8 if f"{here:.8g}" != f"{there:.8g}" else 12
    fact = (f"At your line the mean loss of all examples is {here:.{digits}g}; with {lower} by {step} it is {there:.{digits}g}, so it is not the smallest. "
            if here - there > 1e-10 * abs(here) else "The mean loss of all examples is smaller at another line. ")
    return fact + {"squared": "This loss has its minimum in closed form; a descent that ends here has not arrived.",
                   "huber": "If you descend: has it arrived? Beyond |r| = 1 each example pulls with 1, so the way may take many steps.",
                   "absolute": "A descent that ends here has not arrived."}[loss]

def about_line(found, x, y, loss, rest):
    """A hint: an outlier that has no say, where the line is best for the others and stays while the outlier goes to the other side; or a better line nearby."""
    far = (y - y.median()).abs() > 100
    best = {name for name in ("squared", loss)
            if rest and mean_loss(*found, x[~far], y[~far], name) <= 1.01 * mean_loss(*rest[name], x[~far], y[~far], name) + 1e-3}
    if best or rest and loss == "squared":
        try:
            moved = [float(v) for v in fit_line(x, torch.where(far, 2 * y.median() - y, y), loss)]
        except Exception:
            moved = [math.inf]
        if max(abs(a - b) for a, b in zip(found, moved)) < 1e-4:
            if not best:
                return ("With the outlier on the other side your line is the same: the outlier has no say here, "
                        "and the squared loss follows it.")
            return "This is least squares without the outlier, which counts." if best == {"squared"} and loss != "squared" else "The outlier counts: it was left out here."
    r = found[0] * x + found[1] - y
    for delta in (0.1, 0.5, 1.345, 1.35, 1.5, 2., 3., 4., 5., 10.) if loss == "huber" else ():
        pull = r.clamp(-delta, delta)
        if max(abs((pull * x).mean().item()), abs(pull.mean().item())) < 1e-4 * delta:
            return f"At your line the slopes of Huber's loss with δ = {delta:g} are 0: it is the minimum for that δ. Here δ is 1."
    return better_line(found, x, y, loss) + (where_it_begins(found, x, y, loss) if loss != "squared" and all(map(math.isfinite, found)) else "")

def where_it_begins(found, x, y, loss):
    """A hint: the line does not move with the targets, so it hangs on the start."""
    up = -6. if y.median() > 0 else 6.
    try:
        moved = [float(v) for v in fit_line(x, y + up, loss)]
    except Exception:
        return ""
    if not all(map(math.isfinite, moved)) or max(abs(moved[0] - found[0]), abs(moved[1] - found[1] - up)) < 0.1:
        return ""
    if max(abs(moved[0] - found[0] - up), abs(moved[1] - found[1])) < 0.1:
        return f" With all targets moved by {up:g}, your slope moves by {up:g} and your intercept stays: slope and intercept are exchanged."
    return (f" With all targets moved by {up:g}, your slope goes from {found[0]:.4g} to {moved[0]:.4g} and your intercept from {found[1]:.4g} to {moved[1]:.4g}; at the minimum the slope stays, "
            f"and the intercept moves by {up:g}. So, if you descend, the end hangs on where you begin: the steps do not reach far enough.")

def check_line(x, y, loss, which, lines, rest=None):
    """`lines`: slope and intercept of each loss; `rest`: those without the outlier."""
    right = lines[loss]
    known = {"This is the minimum of the squared loss.": lines["squared"], "This is the minimum of Huber's loss.": lines["huber"],
             "This is the minimum of the absolute loss.": lines["absolute"], "Slope and intercept are exchanged.": right[::-1]}
    known |= {"The intercept is the height at x = 0; this is the height at the mean of x.": [right[0], right[1] + right[0] * x.mean().item()]}
    if loss == "absolute":
        i, j = torch.triu_indices(len(x), len(x), 1)
        pairs = ((y[j] - y[i]) / (x[j] - x[i]))[x[i] != x[j]].median().item()
        known |= {"This is the median of the slopes between pairs of points, which does not minimise the mean of |r|.": [pairs, (y - pairs * x).median().item()],
                  "The slope is that of the squared loss, and the intercept the median of what is left: the absolute loss "
                  "decides both.":
                  [lines["squared"][0], (y - lines["squared"][0] * x).median().item()]}
    mistakes = {text: value for text, value in known.items() if max(abs(a - b) for a, b in zip(value, right)) > 0.1}
    found = line_of(x, y, loss)
    assert_close(found, right, f"slope and intercept for {which}, {loss} loss", of=loss, rtol=1e-4, atol=0.05, mistakes=mistakes,
                 hint=lambda: about_line(found, x, y, loss, rest))

ruler_ = torch.linspace(-2, 2, 21, dtype=torch.float64)
two_places_ = torch.tensor([0., 0., 0., 1., 1., 1.], dtype=torch.float64)       # absolute loss: through the medians 0.2 and 2.2
values_ = torch.tensor([0., 0.2, 10000., 2., 2.2, 3.], dtype=torch.float64)
for loss_ in ("squared", "absolute", "huber"):
    with part(0.5, f"{loss_} loss"):
        if loss_ == "squared":
            assert_close(line_of(ruler_, 2 * ruler_ + 1, loss_), [2., 1.], f"slope and intercept of the exact line y = 2x + 1, {loss_} loss", of=loss_, atol=0.05,
                         mistakes={"Slope and intercept are exchanged.": [1., 2.], "The intercept is left out.": [2., 0.]},
                         hint="A descent that has not arrived needs more steps or a larger rate; the squared loss has its minimum in closed form.")
        if loss_ == "absolute":
            check_line(torch.tensor([0., 0., 0., 1.], dtype=torch.float64), torch.tensor([1.03, 1.03, 1.03, 4.17], dtype=torch.float64), loss_,
                       "x = 0, 0, 0, 1 and y = 1.03, 1.03, 1.03, 4.17", {"squared": [3.14, 1.03], "absolute": [3.14, 1.03], "huber": [3.14, 1.03]})
            check_line(torch.tensor([-2., -1., 0., 1., 2.], dtype=torch.float64),
                       torch.tensor([-1., 1., 5., 5., -4.], dtype=torch.float64), loss_,
                       "x = -2, -1, 0, 1, 2 and y = -1, 1, 5, 5, -4", {"squared": [-0.2, 1.2], "absolute": [2., 3.], "huber": [11 / 7, 19 / 7]})
        check_line(two_places_, values_, loss_, "x = 0, 0, 0, 1, 1, 1 and y = 0, 0.2, 10000, 2, 2.2, 3",
                   {"squared": [-3331., 3333.4], "absolute": [2., 0.2], "huber": [1.8, 0.6]},
                   rest={"squared": [2.3, 0.1], "absolute": [2.2, 0.], "huber": [2.3, 0.1]})
        if loss_ != "squared":
            check_line(torch.tensor([0., 0., 0., 0., 0., 2.], dtype=torch.float64), torch.tensor([18., 18., 18., 18., 18., -18.], dtype=torch.float64), loss_,
                       "x = 0, 0, 0, 0, 0, 2 and y = 18, 18, 18, 18, 18, -18, a long way from 0",
                       {"squared": [-18., 18.], "absolute": [-18., 18.], "huber": [-18., 18.]})
### BEGIN HIDDEN TESTS
def best_line(x, y, loss):
    """The minimum of the absolute loss: some line through two of the points; of the others: long descent in float64 from least squares."""
    A = torch.stack([x, torch.ones_like(x)], 1)
    if loss == "absolute":
        i, j = torch.triu_indices(len(x), len(x), 1)
        i, j = i[x[i] != x[j]], j[x[i] != x[j]]
        slopes = (y[j] - y[i]) / (x[j] - x[i])
        levels = y[i] - slopes * x[i]
        best = (slopes[:, None] * x + levels[:, None] - y).abs().mean(1).argmin()
        return [slopes[best].item(), levels[best].item()]
    weights = torch.ones_like(x)
    for _ in range(1 if loss == "squared" else 500):
        params = torch.linalg.solve(A.T @ (weights[:, None] * A), A.T @ (weights * y))
        weights = (1 / (A @ params - y).abs().clamp(min=1e-12)).clamp(max=1)
    return params.tolist()

def check_by_best_line(x, y, loss, which):
    near = (y - y.median()).abs() <= 100
    lines, rest = ({name: best_line(x[rows], y[rows], name) for name in ("squared", "absolute", "huber")} for rows in (near | True, near))
    check_line(x, y, loss, which, lines, None if near.all() else rest)

rng_ = torch.Generator().manual_seed(66)
x_line_ = 6 * torch.rand(51, generator=rng_, dtype=torch.float64) - 3      # noise upwards alone, more of it on the right: other robust lines differ
y_line_ = -1.5 * x_line_ + 0.7 + (1 + x_line_.clamp(min=0)) * 4 * torch.rand(51, generator=rng_, dtype=torch.float64) ** 3
y_line_[4] = 10000.
x_two_ = torch.tensor([-1.] * 9 + [2.] * 9, dtype=torch.float64)
y_two_ = torch.cat([torch.rand(9, generator=rng_, dtype=torch.float64) ** 3 * 5 - 3, torch.rand(9, generator=rng_, dtype=torch.float64) ** 3 * 4 + 5])
y_two_[7] = -10000.
for loss_ in ("squared", "absolute", "huber"):
    with part(0.5, f"{loss_} loss, other data"):
        if loss_ == "absolute":
            check_by_best_line(torch.tensor([-1., -1., -1., -1., 2.], dtype=torch.float64), torch.tensor([2.57, 2.57, 2.57, 2.57, -4.42], dtype=torch.float64), loss_,
                               "5 points at two places")
        if loss_ != "huber":
            check_by_best_line(x_line_, y_line_, loss_, "51 points, one target 10,000")
        check_by_best_line(x_two_, y_two_, loss_, "18 points at two places, one target -10,000")
        if loss_ != "squared":
            check_by_best_line(torch.tensor([0., -2., 0., 0., 0., 0.], dtype=torch.float64), torch.tensor([-19., 17., -19., -19., -19., -19.], dtype=torch.float64), loss_,
                               "6 points at two places, far from 0")
total()
### END HIDDEN TESTS

# %% [markdown] teaches="weights of the examples after a pass, order of the examples"
# ## The order of the examples
#
# Why a random order, and why a new one in each epoch? The simplest learner shows it. The model is one number m, the
# loss of an example is $(m - y_i)^2/2$, and SGD takes one example at a time. The slope is $m - y_i$, so a step is
#
# $$m \;\leftarrow\; m - \eta\,(m - y_i) \;=\; (1 - \eta)\, m + \eta\, y_i .$$
#
# The new example enters with the weight η. All that was learnt before is multiplied by $1 - \eta$. So each example's weight shrinks in
# every later step: m *forgets*. If the targets come sorted, m follows them, and ends near the last ones.

# %% tags=["demo"]
sorted_y = torch.linspace(0, 10, 60)
shuffled_y = sorted_y[torch.randperm(60, generator=torch.Generator().manual_seed(3))]
figure, axis = plt.subplots(figsize=(5.4, 3), layout="constrained")
for name, values in (("sorted", sorted_y), ("shuffled", shuffled_y)):
    m, trace = 5.0, []
    for value in values.tolist():
        m = 0.8 * m + 0.2 * value
        trace.append(m)
    axis.plot(trace, label=name)
axis.axhline(5, color="gray", linestyle="--", label="the mean")
axis.set(xlabel="step", ylabel="m")
axis.legend(loc="upper left", fontsize="small")
plt.show()

# %% [markdown]
# Sixty targets from 0 to 10, learning rate 0.2, start at the mean, 5. Sorted: m first sinks to the small ones and then runs up with the large
# ones, and ends far from the mean. Shuffled: it jitters around the mean.

# %% [markdown] task="3.4.F" kind="answer" minutes=3 difficulty=1 needs="order of the examples, learning rate"
# ### Three examples, two orders
#
# Targets 4, 8, 0, learning rate 0.5, start m = 0. Set `end_given` to m after one pass in this order, and `end_sorted` to m after one pass in
# the order 0, 4, 8, from m = 0 again.
#
# **You are done when**
# - **given order**: `end_given` is right;
# - **sorted**: `end_sorted` is right.

# %% exercise="3.4.F"
### BEGIN SOLUTION
end_given = 2.5
end_sorted = 5.0
### END SOLUTION

# %% [markdown] hints="3.4.F"
# 1. Each step goes half of the way from m to the target.
# 2. After the 4, m is 2.
# 3. For targets 6, 2: from 0 to 3, then to 2.5.

# %% check="3.4.F" points=1
for_both_ = (float, int, torch.Tensor, np.ndarray)
assert_type(end_given, for_both_, "end_given", of="given order", hint="The end of the pass, one number.")
assert_close(float(end_given), 2.5, "end_given", of="given order", rtol=1e-3,
             mistakes={"2 is m after the 4: from there the 8 leads halfway to 8, and then the 0 halfway to 0.": 2.0, "m starts at 0: so the 4 leads to 2, the 8 from there to 5, and the 0 halfway to 0.": 3.0,
             "In each step m itself is halved, before half of the target is added.": 6.0,
             "That is the last target: a step goes only half of the way to it.": 0.0,
             "The steps go away from the target.": -10.5}, hint=lambda: {(4., 4.): "That is the mean of the three: but the order counts. ", (5., 2.5): "The two ends are exchanged. ",
                           (5., 10.): "Half of the target is added to half of m, not all of it. "}.get((float(end_given), float(end_sorted)), "") +
             "From 0 the target 4 leads to 2, and from there 8 leads to 5, halfway. The third step goes from 5 halfway to 0.")
assert_type(end_sorted, for_both_, "end_sorted", of="sorted", hint="The end of the pass, one number.")
assert_close(float(end_sorted), 5.0, "end_sorted", of="sorted", rtol=1e-3,
             mistakes={"2 is m after the 0 and the 4, and also at the end of the order 8, 4, 0: "
                       "the 8 comes last, and leads halfway to 8.": 2.0, "That is the end of the given order.": 2.5,
             "The start m = 0 and the target 0 come first, so the 4 leads to 2, and from 2 halfway to 8 is 5.": 6.0,
             "This went on from the end of the first pass.": 5.3125, "m starts at 0.": 5.5,
             "That is the last target: a step goes only half of the way to it.": 8.0,
             "Half of the target is added to half of m, not all of it.": 10.0, "The steps go away from the target.": -7.0},
             hint="From 0 the target 0 leads to 0, and from there 4 leads to 2, halfway. The third step goes from 2 halfway to 8.")
### BEGIN HIDDEN TESTS
def end_of_pass(values):
    m = 0.0
    for value in values:
        m += 0.5 * (value - m)
    return m

assert_close(float(end_given), end_of_pass([4, 8, 0]), "end_given", of="given order", rtol=1e-3)
assert_close(float(end_sorted), end_of_pass([0, 4, 8]), "end_sorted", of="sorted", rtol=1e-3)
### END HIDDEN TESTS

# %% [markdown]
# The next exercise asks for harm on purpose. `sgd_in_order` goes three times through the data, always in the one order that it is given, with
# batches of ten, and returns the loss on all examples at the end.

# %% tags=["setup"]
def sgd_in_order(X, y, order, lr=0.3, epochs=3):
    """Minibatch SGD from zero in the given order; X (n, d), y (n, 1). Returns the final mean of (Xw + b - y)²/2."""
    w, b = torch.zeros(X.shape[1], 1), torch.zeros(1)
    for _ in range(epochs):
        for rows in torch.as_tensor(order).long().split(10):
            error = X[rows] @ w + b - y[rows]
            w, b = w - lr * X[rows].T @ error / len(rows), b - lr * error.mean()
    return ((X @ w + b - y) ** 2 / 2).mean().item()

# %%
X_order, noise_order = torch.randn(300, 1, generator=generator), torch.randn(300, 1, generator=generator)
y_order = 2 * X_order + 2 + noise_order
print("five random orders:", [round(sgd_in_order(X_order, y_order, torch.randperm(300, generator=generator)), 3) for _ in range(5)])
print("ordered by x:      ", round(sgd_in_order(X_order, y_order, X_order.flatten().argsort()), 3), "   (argsort: the places of the numbers, from the smallest to the largest)")

# %% [markdown] task="3.4.9a" kind="break it" minutes=15 difficulty=3 needs="order of the examples, permutation"
# ### An order that does harm
#
# Write `bad_order(X, y)`: for `X` (n, d) and `y` (n, 1) it returns a permutation of 0 ... n - 1, as a tensor or list,
# for which `sgd_in_order(X, y, order)` ends with *more than twice* the loss that a random order gives. The examples come from
# a linear model with weights of about 1, bias 2 and noise of standard deviation 1, and n is 240 or more.
#
# **You are done when**
# - **permutation**: the result holds each of the numbers 0 ... n - 1 once;
# - **harm**: the loss is more than twice that of the median of seven random orders, for one and for several features.

# %% exercise="3.4.9a"
def bad_order(X, y):
    """A permutation of the n examples that makes SGD without reshuffling end badly."""
    ### BEGIN SOLUTION
    return y.flatten().argsort()
    ### END SOLUTION

# %% [markdown] hints="3.4.9a"
# 1. Which examples have most influence on the parameters at the end of a pass?
# 2. If the examples come in the order of their height, the highest last, where does the bias end? `argsort` gives an order by
#    any number.
# 3. A running mean with weight 0.1 for the newest value, over 1, 1, 1, 9, 9, 9, ends far above the mean of the first three.

# %% check="3.4.9a" points=2
def noisy_line(seed, n, d):
    rng = torch.Generator().manual_seed(seed)
    X = torch.randn(n, d, generator=rng)
    return X, X @ torch.randn(d, 1, generator=rng) + 2 + torch.randn(n, 1, generator=rng), rng

def check_order(seed, n, d):
    X, y, rng = noisy_line(seed, n, d)
    which = f"{n} examples of {d} features" if d > 1 else f"{n} examples of one feature"
    typical = sorted(sgd_in_order(X, y, torch.randperm(n, generator=rng)) for _ in range(7))[3]
    found = bad_order(X, y)
    assert_type(found, (torch.Tensor, np.ndarray, list, tuple), f"what bad_order returns for {n} examples", of="permutation")
    entries = torch.as_tensor(found).tolist()
    assert_equal(len(entries), n, f"the length of your order, {which}", of="permutation", hint="One place for each example.")
    assert_true(all(isinstance(v, (int, float)) for v in entries), f"your order is one row of numbers, {n} examples", of="permutation", hint="Flatten it: y has shape (n, 1).")
    assert_equal(sorted(entries), list(range(n)), f"the sorted entries of your order, {which}", of="permutation",
                 hint="These are no places: `sort` gives the sorted values, `argsort` their places. The places of the examples, each once." if any(v != int(v) for v in entries) else
                 "All are 0: argsort works along the last axis, in which y (n, 1) has one entry. Flatten y first; the places of the examples, each once." if not any(entries) else
                 f"The places are counted from 0: yours go from 1 to {n}." if sorted(entries) == list(range(1, n + 1)) else
                 f"Yours go from {min(entries)} to {max(entries)}, and {max(entries, key=entries.count)} stands in it {entries.count(max(entries, key=entries.count))} times: the places of the examples, each once."
                 if len(set(entries)) < n else "The places of the examples, each once.")
    ratio = sgd_in_order(X, y, entries) / typical
    A = torch.cat([X, torch.ones(n, 1)], 1)
    above = int((y - A @ torch.linalg.lstsq(A, y).solution)[entries[-30:]].gt(0).sum())
    heights = (y - A @ torch.linalg.lstsq(A, y).solution).flatten()
    mean = heights[entries[-30:]].mean().item()
    extreme = abs(heights.sort(descending=mean >= 0).values[:30].mean().item())
    last = f"Of the last 30 examples {above} lie above the least-squares fit and {30 - above} below: they are to be wrong all to the same side, and as far as any. On average yours lie {abs(mean):.2f} {'above' if mean >= 0 else 'below'} it; the 30 that lie {'highest' if mean >= 0 else 'lowest'}, {extreme:.2f}."
    places = torch.as_tensor(found).long().flatten().argsort()          # the examples by their entry: sorted, if the entries are ranks
    ranked = next((name for name, values in (("its distance above the fit", heights), ("its target", y.flatten())) for falling in (False, True)
                   if (places == values.argsort(descending=falling)).float().mean() > 0.95), "")
    if entries in (X[:, 0].argsort().tolist(), X[:, 0].argsort(descending=True).tolist()):
        last = "This is the order of the first feature: the errors of the last examples go both ways. " + last
    elif entries in (y.flatten().abs().argsort().tolist(), y.flatten().abs().argsort(descending=True).tolist()):
        last = "This is the order of |y|: the sizes of the targets, not their distances from the fit. " + last
    elif entries in (y.flatten().argsort().tolist(), y.flatten().argsort(descending=True).tolist()):
        last = "This is the order of y: the heights above 0, not above the fit. " + last
    elif ranked:
        last = f"Entry i of yours is the rank of example i by {ranked}: the result lists the examples in the order in which they come, as a single `argsort` gives it. " + last
    elif entries in (heights.abs().argsort().tolist(), heights.abs().argsort(descending=True).tolist()):
        last = "This is the order of the distance from the fit, above or below: the errors of the last examples go both ways. " + last
    elif ratio < 1.25:
        last = "No more harm than a random order. " + last
    assert_true(ratio > 2, f"your order doubles the loss of a random one, {which}; it makes it {ratio:.2f} times as large",
                of="harm",
                hint=last)

check_order(1, 300, 1)
check_order(5, 260, 2)
check_order(24, 280, 3)
### BEGIN HIDDEN TESTS
for seed_, n_, d_ in ((71, 240, 2), (72, 333, 1), (73, 400, 3)):
    check_order(seed_, n_, d_)
assert_equal(sorted(torch.as_tensor(bad_order(*noisy_line(74, 251, 1)[:2])).tolist()), list(range(251)), "the sorted entries of your order, 251 examples", of="permutation")
### END HIDDEN TESTS

# %% [markdown] task="3.4.9b" kind="explain" minutes=15 difficulty=4 needs="weights of the examples after a pass, order of the examples, shuffling"
# ### Why the order matters
#
# One number m, one example at a time, as derived above. SGD goes once through y₁ ... yₙ from m = 0. Then m ends as a weighted sum of the yᵢ. Write
# `order_weights(n, lr)`: these n weights.
#
# Then answer in words:
# 1. Which examples decide the end of a pass, and how many are that about, for learning rate lr?
# 2. Why does one shuffle before training not suffice; what does a new order in each epoch give?
# 3. Describe data in a file on which training without shuffling fails, and say what happens. Give a number: a loss, or a weight of your formula.
#
# **You are done when** your words answer all three and use the formula, and
# - **shape**: the result is a tensor of shape `(n,)`;
# - **weights**: entry i - 1 is the weight of yᵢ.

# %% exercise="3.4.9b"
def order_weights(n, lr):
    """The weights (n,) of y_1 ... y_n in m after one pass of SGD with learning rate lr from m = 0."""
    ### BEGIN SOLUTION
    return lr * (1 - lr) ** torch.arange(n - 1, -1, -1, dtype=torch.float64)
    ### END SOLUTION

# %% [markdown] hints="3.4.9b"
# 1. Write one step as m ← (1 - lr)·m + lr·y. What happens to an old example's weight in each later step?
# 2. The last example has the weight lr, the one before it lr·(1 - lr).
# 3. For the rule m ← m/2 + y, three examples end with the weights 1/4, 1/2, 1.

# %% check="3.4.9b" points=1
assert_type(order_weights(2, 0.25), torch.Tensor, "what order_weights returns", of="shape")

def about_length():
    """A hint: the one weight that is missing, seen from three examples."""
    three = order_weights(3, 0.25).flatten().double()
    for wanted, text in (((9 / 64, 3 / 16), "The last example has a weight, too: no later step multiplies it, so its exponent is 0."),
                         ((3 / 16, 1 / 4), "The first example has a weight, too: all n - 1 later steps multiply it, so its exponent is n - 1.")):
        if len(three) == 2 and torch.allclose(three, torch.tensor(wanted, dtype=torch.float64), atol=1e-5):
            return text
    if len(three) == 4 and torch.allclose(three, torch.tensor([27 / 64, 9 / 64, 3 / 16, 1 / 4], dtype=torch.float64), atol=1e-5):
        return "The first of yours is the weight (1 - lr)ⁿ of the start m = 0: the weights of the n examples alone are asked for."
    return "One weight for each example, along one axis."

assert_shape(order_weights(2, 0.25), (2,), "the shape for two examples", of="shape", hint=about_length)
assert_shape(order_weights(1, 0.25), (1,), "the shape for one example", of="shape")
assert_close(order_weights(3, 0.25), torch.tensor([9 / 64, 3 / 16, 1 / 4]), "three examples, lr 0.25", of="weights",
             mistakes={"The later example weighs more: each step shrinks the weights of those before it.": torch.tensor([1 / 4, 3 / 16, 9 / 64]),
                       "The factor lr is missing.": torch.tensor([9 / 16, 3 / 4, 1.]), "One power too many: the last example has the weight lr.": torch.tensor([27 / 256, 9 / 64, 3 / 16]),
                       "These are powers of lr: an old example is multiplied by 1 - lr in each step.": torch.tensor([1 / 64, 1 / 16, 1 / 4]), "They need not add up to 1: m begins at 0.": torch.tensor([9., 12., 16.]) / 37,
                       "Each later step multiplies by 1 - lr once: here the exponents are doubled.": torch.tensor([81 / 1024, 9 / 64, 1 / 4]),
                       "All weigh the same here: an old example is multiplied by 1 - lr in each later step.": torch.tensor([0.25, 0.25, 0.25]), "lr and 1 - lr are exchanged.": torch.tensor([3 / 64, 3 / 16, 3 / 4]),
                       "y₁ enters with the factor lr, too: m begins at 0, and the weights do not add up to 1.": torch.tensor([9 / 16, 3 / 16, 1 / 4]), "Powers of 1 - lr, not multiples: each step multiplies what is there.": torch.tensor([1 / 8, 3 / 16, 1 / 4]),
                       "These are the weights of the mean.": torch.tensor([1 / 3, 1 / 3, 1 / 3]),
                       "Each later step multiplies by 1 - lr: lr is not divided by n.":
                           0.25 * torch.tensor([121 / 144, 11 / 12, 1.]),
                       "exp(-lr) is near 1 - lr, but it is not the same: multiply by 1 - lr.": 0.25 * torch.tensor([-0.5, -0.25, 0.]).exp(),
                       "One power too few for the first: two later steps multiply its weight.": torch.tensor([3 / 16, 3 / 16, 1 / 4]),
                       "The factor lr is missing, and there is one power too many: no later step follows the last example.": torch.tensor([27 / 64, 9 / 16, 3 / 4])},
             hint="Each example enters with the weight 0.25, and each later step multiplies it by 0.75: two later ones for y₁, one for y₂, none for y₃.")
### BEGIN HIDDEN TESTS
rng_ = torch.Generator().manual_seed(62)
for n_, lr_ in ((1, 0.3), (6, 0.1), (40, 0.25), (5, 1.5)):
    y_pass_ = torch.randn(3, n_, generator=rng_, dtype=torch.float64)
    m_ = torch.zeros(3, dtype=torch.float64)
    for i_ in range(n_):
        m_ = m_ - lr_ * (m_ - y_pass_[:, i_])
    weights_ = order_weights(n_, lr_)
    assert_shape(weights_, (n_,), f"the shape for {n_} examples", of="shape")
    assert_close(y_pass_ @ weights_.double(), m_, f"the end of a pass over {n_} random examples, lr {lr_}", of="weights", rtol=1e-4, atol=1e-5,
                 hint="Each example enters with the weight lr, and each later step multiplies it by 1 - lr: there are n - i later ones for yᵢ.")
### END HIDDEN TESTS

# %% [markdown] written="3.4.9b" points=3
# ### BEGIN SOLUTION
# 1. Example i has the weight lr(1 - lr)ⁿ⁻ⁱ: the last 1/lr or so decide (they hold 63 % of the weight for small lr),
#    the first are forgotten.
# 2. With one fixed order the same examples stand last in every epoch, so each pass ends with the same bias. New
#    orders give every example each place equally often, and the errors of the passes differ and average out.
# 3. A file sorted by target, date or class: the last batches are all of one kind, and the parameters follow them. In
#    3.4.9a sorting by y more than doubles the loss. With lr 0.3 the last ten examples alone hold 97 % of the weight.
#
# **Rubric**
# - [1] The last examples, about 1/lr of them; evidence: the formula; also accepted: "the last few batches" with a
#   number
# - [1] A fixed order repeats the same bias in each epoch, new orders average it out; lost by: "shuffling prevents
#   overfitting" alone
# - [1] A concrete sorted file and the effect (parameters follow the last group), with a number: a loss of 3.4.9a or of any run of one's own, or a weight of the formula
# ### END SOLUTION

# %% [markdown] teaches="second derivative of a loss, hessian of the squared loss"
# ## Second derivatives
#
# The curvature told us the right learning rate. For a model with many parameters it is the *Hessian*, the matrix of all second derivatives
# (section 2.5): row i is the gradient of entry i of the gradient. From the formula of the gradient it can be read off: $\frac1n X^\top(X \mathbf w - \mathbf y)$ has
# the derivative $\frac1n X^\top X$.
#
# ⚠ For a second derivative the *first* one must be a recorded computation: `create_graph=True`. The often named
# `retain_graph=True` only keeps the first graph for another use; the gradient that it gives has no graph of its own.

# %%
for keyword in ("retain_graph", "create_graph"):
    point = torch.tensor([1.0, 2.0], requires_grad=True)
    slopes_there, = torch.autograd.grad(half_square(features @ point.reshape(2, 1), targets), point, **{keyword: True})
    try:
        print(f"{keyword}: a row of the Hessian", [round(v, 3) for v in torch.autograd.grad(slopes_there[0], point)[0].tolist()],
              "; of XᵀX/n", [round(v, 3) for v in gram[0].tolist()])
    except RuntimeError as error:
        print(f"{keyword}: a gradient {[round(v, 3) for v in slopes_there.tolist()]}, then RuntimeError: {str(error)[:58]}")

# %% [markdown] task="3.4.4" kind="explain" minutes=20 difficulty=4 needs="second derivative of a loss, hessian of the squared loss, hessian, create_graph, retain_graph"
# ### The Hessian, and what it costs
#
# Write `hessian(f, w)`: for a function `f` that maps a tensor of shape `(d,)` to a tensor of shape `()`, one number (it uses
# every entry, and is not linear in all of them), it returns the matrix of second derivatives at `w`.
#
# Then answer in words:
# 1. Which problem do you meet with the second derivative of a loss, and how is it mended?
# 2. How many backward passes and how many numbers does the Hessian of d parameters take? How many bytes for d = 1,000,000 in
#    float32?
# 3. What is the Hessian of linear regression's loss, and what does it say about the minimum?
#
# **You are done when** your words hold the numbers asked for, and
# - **shape**: the result has shape `(d, d)`;
# - **values**: it is the matrix of second derivatives, within 0.1 %;
# - **dtype**: it has the dtype of `w`;
# - **argument kept**: `w` has the same values as before, no `requires_grad` and no `.grad`.

# %% exercise="3.4.4"
def hessian(f, w):
    """The second derivatives of f at w (d,), shape (d, d)."""
    ### BEGIN SOLUTION
    v = w.detach().clone().requires_grad_()
    gradient, = torch.autograd.grad(f(v), v, create_graph=True)
    rows = [torch.autograd.grad(entry, v, retain_graph=True)[0] for entry in gradient]
    return torch.stack(rows)
    ### END SOLUTION

# %% [markdown] hints="3.4.4"
# 1. The gradient has d entries. What is the gradient of its first entry?
# 2. `torch.autograd.grad(g[i], v, retain_graph=True)` gives row i; the graph of `g` is used d times. Mark a copy, not `w` itself.
# 3. For f(x, y) = x³ + xy the gradient is (3x² + y, x) and the Hessian has the rows (6x, 1) and (1, 0).

# %% check="3.4.4" points=2
@probe
def hessian_of(name, w, X, y):
    functions = {"x²y": lambda v: v[0] ** 2 * v[1],
                 "loss": lambda v: ((X @ v - y) ** 2).mean() / 2,
                 "waves": lambda v: torch.sin(v[0] * v[1]) + torch.exp(v[2]) * v[0] + 3 * v[3] + v[1] ** 4}
    made = hessian(functions[name], w)
    return made.detach() if torch.is_tensor(made) else made

@probe
def after_hessian(w):
    hessian(lambda v: (v ** 3).sum() * v[0], w)
    return {"values": w.detach(), "flags": [int(w.requires_grad), int(w.grad is not None)]}

none_ = torch.zeros(1)
place_ = torch.tensor([3., 5.])

@probe
def what_f_was_given(w):
    """requires_grad of the argument at each call of f."""
    seen = []

    def noted(v):
        seen.append(int(v.requires_grad))
        return v[0] ** 2 * v[1]

    try:
        hessian(noted, w)
    except RuntimeError:
        pass
    return seen

no_graph_ = freed_ = ""
try:
    hessian_of("x²y", place_, none_, none_)
except Exception as error_:
    no_graph_ = str(error_) if "does not require grad" in str(error_) else ""
    freed_ = str(error_).split(" (")[0] if "graph a second time" in str(error_) else ""
assert_true(not freed_, "hessian can go back through one graph again and again", of="values",
            hint=f"A backward pass frees its graph, and here one was gone back through once more: retain_graph=True keeps a graph that is still needed, as that of the gradient is, once for each row. (The error: {freed_})")
assert_true(not no_graph_, "hessian can differentiate twice", of="values",
            hint=lambda: ("f was called with a tensor that requires gradients, so a first gradient can be taken; it has no graph of its own. `create_graph=True` where it is taken records it "
                  "(`retain_graph=True` does not), and nothing may be detached after it." if no_graph_ and set(what_f_was_given(place_)) == {1} else
                  "f was called with a tensor that requires no gradients: give it a leaf of your own, w.detach().clone().requires_grad_().") + f" (The error: {no_graph_})")
assert_type(hessian_of("x²y", place_, none_, none_), torch.Tensor, "what hessian returns", of="shape")
assert_shape(hessian_of("x²y", place_, none_, none_), (2, 2), "the shape of the Hessian of x²y", of="shape",
             hint=lambda: "All d·d numbers stand in one row: torch.stack makes a matrix of d rows, torch.cat makes one long row." if tuple(hessian_of("x²y", place_, none_, none_).shape) == (4,) else
             "A row for each entry of the gradient: the gradient of their sum adds the rows up." if tuple(hessian_of("x²y", place_, none_, none_).shape) == (2,) else
             "A row for each entry of the gradient, a column for each entry of w.")
assert_close(hessian_of("x²y", place_, none_, none_), torch.tensor([[10., 6.], [6., 0.]]), "the Hessian of x²y at (3, 5)", of="values", rtol=1e-3, atol=1e-3,
             mistakes={"Each row is the sum of all rows: differentiate the entries of the gradient one by one.": torch.tensor([[16., 6.], [16., 6.]]),
                       "Each column is the sum of all rows.": torch.tensor([[16., 16.], [6., 6.]]), "The mixed derivatives are missing: this is the diagonal alone.": torch.tensor([[10., 0.], [0., 0.]]),
                       "This is the product of the gradient with itself, not its derivative.": torch.tensor([[900., 270.], [270., 81.]]),
                       "The sum of the rows on the diagonal: differentiate the entries of the gradient one by one.": torch.tensor([[16., 0.], [0., 6.]]),
                       "A row was added to the next: call torch.autograd.grad for each entry, or clear .grad between.": torch.tensor([[10., 6.], [16., 6.]]),
                       "The gradient itself has got into it: clear .grad before the rows.": torch.tensor([[40., 15.], [36., 9.]]), "No factor 1/2 here.": torch.tensor([[5., 3.], [3., 0.]]),
                       "The part below the diagonal is missing: the matrix is symmetric.": torch.tensor([[10., 6.], [0., 0.]]), "The part above the diagonal is missing: the matrix is symmetric.": torch.tensor([[10., 0.], [6., 0.]])},
             hint=lambda: "For the same w in float64 yours is right, in float32 it is not: differences, of f or of its gradient, lose their digits. Let autograd differentiate the gradient."
             if torch.allclose(hessian_of("x²y", place_.double(), none_, none_).double(), torch.tensor([[10., 6.], [6., 0.]], dtype=torch.float64), rtol=0.01, atol=0.01) else
             "Differentiate each entry of the gradient by torch.autograd.grad; differences in float32 lose too many digits."
             if torch.allclose(hessian_of("x²y", place_, none_, none_).float(), torch.tensor([[10., 6.], [6., 0.]]), rtol=0.1, atol=0.5) else
             "The gradient is (2xy, x²). Row i holds the derivatives of its entry i by x and by y.")
assert_close(hessian_of("x²y", torch.tensor([300., 500.]), none_, none_), torch.tensor([[1000., 600.], [600., 0.]]), "the Hessian of x²y at (300, 500)", of="values", rtol=1e-3, atol=0.1,
             hint="Differences, of f or of its gradient, lose their digits where the values are large: let autograd differentiate the gradient.")
assert_dtype(hessian_of("x²y", place_.double(), none_, none_), torch.float64, "the dtype for float64", of="dtype",
             hint="The rows have the dtype of w; a table made for them beforehand needs it, too: torch.zeros(d, d, "
                  "dtype=w.dtype).")
assert_dtype(hessian_of("x²y", place_, none_, none_), torch.float32, "the dtype for float32", of="dtype")
assert_close(after_hessian(torch.tensor([2., -1.]))["values"], torch.tensor([2., -1.]), "w after the call", of="argument kept", hint="A step in place, such as w += e, changes the caller's tensor: work on w.detach().clone().")
assert_equal(after_hessian(torch.tensor([2., -1.]))["flags"], [0, 0], "whether w requires a gradient after the call, and whether it has a .grad (1 yes, 0 no)", of="argument kept",
             hint="Work on a leaf of your own: w.detach().clone().requires_grad_().")
assert_equal(after_hessian(torch.tensor([2., -1.], dtype=torch.float64))["flags"], [0, 0],
             "the same for w in float64", of="argument kept",
             hint="For float64 `w.double()` and `w.to(torch.float64)` are w itself, no copy: take w.detach().clone().")
### BEGIN HIDDEN TESTS
rng_ = torch.Generator().manual_seed(54)
X_, y_, w_ = (torch.randn(*shape, generator=rng_, dtype=torch.float64) for shape in ((9, 5), (9,), (5,)))
assert_shape(hessian_of("loss", w_, X_, y_), (5, 5), "the shape for 5 features", of="shape")
assert_close(hessian_of("loss", w_, X_, y_), X_.T @ X_ / 9, "the squared loss, 9 examples with 5 features", of="values", rtol=1e-3, atol=1e-3)
w_ = torch.randn(4, generator=rng_, dtype=torch.float64)
wanted_ = torch.autograd.functional.hessian(
    lambda v: torch.sin(v[0] * v[1]) + torch.exp(v[2]) * v[0] + 3 * v[3] + v[1] ** 4, w_)
assert_dtype(hessian_of("waves", w_, none_, none_), torch.float64, "the dtype for float64, four variables", of="dtype")
assert_close(hessian_of("waves", w_, none_, none_), wanted_, "a function of four variables, linear in one of them", of="values", rtol=1e-3, atol=1e-3)
assert_close(hessian_of("x²y", torch.tensor([-700., 400.]), none_, none_), torch.tensor([[800., -1400.], [-1400., 0.]]), "the Hessian of x²y at (-700, 400)", of="values", rtol=1e-3, atol=0.1,
             hint="Differences, of f or of its gradient, lose their digits where the values are large: let autograd differentiate the gradient.")
assert_close(after_hessian(w_.clone())["values"], w_, "w of length 4 after the call", of="argument kept")
assert_equal(after_hessian(w_.clone())["flags"], [0, 0], "requires_grad and .grad of w of length 4 after the call", of="argument kept")
### END HIDDEN TESTS

# %% [markdown] written="3.4.4" points=3
# ### BEGIN SOLUTION
# 1. After `backward()` or `grad` the gradient is a plain tensor without a graph ("element 0 of tensors does not
#    require grad"). `create_graph=True` records the backward computation, so that it can be differentiated;
#    `retain_graph=True` alone does not.
# 2. One backward pass for the gradient and one for each of its d entries, and d² numbers: for a million parameters
#    10¹² numbers of 4 bytes, 4 TB. That grows with the square of d, not exponentially. Products of the Hessian with a
#    vector take only one more backward pass.
# 3. XᵀX/n, the same at every w. It has no negative eigenvalue (vᵀXᵀXv/n = |Xv|²/n), so the loss is convex; where X has full column rank
#    there is exactly one minimum.
#
# **Rubric**
# - [1] The gradient has no graph unless create_graph=True; evidence: the error, or the cell above; also accepted:
#   torch.func; lost by: "retain_graph=True suffices"
# - [1] d (or d + 1) backward passes, d² numbers, 4 TB for a million; lost by: "exponential"
# - [1] XᵀX/n, constant, positive semidefinite (or: curved upwards in every direction), hence convex, no other minima; also accepted: with the factor 2 of a loss without 1/2
# ### END SOLUTION

# %% [markdown]
# ## Summary
#
# - Four parts make a learner: a model, a loss, a step against the gradient, a loop over random minibatches. You can write each of them by hand.
# - A loss must look at shapes: (n, 1) against (n,) trains the model to ignore its input, and no error appears.
# - A step multiplies the distance from the minimum by 1 - ηc. So the curvature c, and with it the unit of the features, decides which learning rates work; the start hardly matters.
# - Squares follow outliers, absolute values and Huber's loss do not. The last examples of a pass weigh most, so each epoch needs a new random order.
# - Section 3.5 builds the same learner from torch's own parts, 3.6 asks how good it is on data that it has not seen, and 4.4 writes a classifier with the same four parts.
