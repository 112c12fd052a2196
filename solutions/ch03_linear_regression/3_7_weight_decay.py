# %% [markdown]
# # 3.7 Weight decay
#
# Section 3.6 turned one dial against overfitting, the degree of a polynomial: fewer features, a stiffer model. The dial is
# coarse. From degree 3 to degree 4 the error on new animals jumped from 663 to 2,331. With more than one variable a step is larger still:
# 20 variables have 231 products of at most two factors, and 1,771 of at most three. And if there are no powers at all, just a table of 200 columns,
# which of them should one leave out?
#
# This section keeps all features and makes *large weights cost something*. That is a dial without steps. At the end you can add a
# penalty to a loss, solve the penalised problem in closed form, put the same thing into an optimizer, choose its strength on validation
# data, make weights exactly zero where that is wanted, and say what all this assumes about the weights.

# %% tags=["setup"]
from d2l_utils.check import *
import math
import numpy as np
import pandas as pd
import torch
import d2l_utils as d2l

def squared_error(y_hat, y):
    """The mean of (y_hat - y)²; both of shape (n,)."""
    return (y_hat - y).square().mean()

# %% [markdown]
# ## What an overfitted model looks like inside
#
# Here are the 12 abalones of section 3.6 again, and polynomials of three degrees for their weight, fitted by least squares. This time
# we look at the coefficients.

# %% tags=["demo"]
import matplotlib.pyplot as plt

abalone = pd.read_csv(d2l.data_file("abalone.csv"))
length = torch.tensor(abalone["length"].to_numpy()) * 200                  # mm
grams = torch.tensor(abalone["whole_weight"].to_numpy()) * 200
z = (length - 80) / 75
shuffled = torch.randperm(len(z), generator=torch.Generator().manual_seed(0))
few, many = shuffled[:12], shuffled[2100:]

for degree in (1, 3, 11):
    F = torch.stack([z ** p for p in range(degree + 1)], dim=1)
    c = torch.linalg.lstsq(F[few], grams[few, None]).solution[:, 0]
    print(f"degree {degree:2}: largest coefficient {c.abs().max():14,.0f}; error on new animals {squared_error(F[many] @ c, grams[many]):.4g}")
# math.comb(n, k) counts the ways to choose k of n things; here the constant 1 is counted, too
print(f"products of 20 variables: {math.comb(22, 2)} with at most two factors, {math.comb(23, 3)} with at most three")

# %% [markdown] teaches="regularisation, hyperparameter, ℓ2 penalty"
# To pass through 12 points, the polynomial of degree 11 needs coefficients of billions of grams, which cancel each other at the twelve
# points and nowhere else. Large weights mean that a small change of the features changes the prediction a lot. So let us not forbid
# features; let us make large weights expensive. Training minimises
#
# $$J(\mathbf w, b) = L(\mathbf w, b) + \frac \lambda 2 \|\mathbf w\|^2, \qquad L(\mathbf w, b) = \frac{1}{2n} \sum_{i=1}^n (\mathbf w^\top \mathbf x_i + b - y_i)^2,$$
#
# where $\|\mathbf w\|^2 = w_1^2 + \dots + w_d^2$. The first term is the loss of 3.1, the second the **ℓ2 penalty**. To add something to a
# loss that holds the model back is called **regularisation**. The number $\lambda \ge 0$ says how much it counts: 0 is
# least squares, and for $\lambda \to \infty$ all weights go to 0. Training does not learn $\lambda$ (it would learn 0, the smallest
# $J$). It is a **hyperparameter**: one chooses it, on validation data.
#
# Note what is *not* in the penalty: the bias $b$. It moves all predictions by the same amount and makes no curve wilder. If it
# were penalised, all predictions would be drawn towards 0 g, and temperatures would come out differently in degrees Celsius and in kelvin.

# %% [markdown] teaches="weight decay"
# ### A step of gradient descent
#
# The gradient of $\frac \lambda 2 \|\mathbf w\|^2$ is $\lambda \mathbf w$: its entry $j$ is the derivative of $\frac \lambda 2 w_j^2$. So a
# step with learning rate $\eta$ is
#
# $$\mathbf w \leftarrow \mathbf w - \eta \left(\frac{\partial L}{\partial \mathbf w} + \lambda \mathbf w\right)
# = (1 - \eta \lambda)\, \mathbf w - \eta \frac{\partial L}{\partial \mathbf w}, \qquad b \leftarrow b - \eta \frac{\partial L}{\partial b}.$$
#
# Before the data have their say, every weight loses the share $\eta \lambda$ of itself. Hence the name **weight decay**. A weight that
# the data do not defend dies away, here with $\eta = 0.1$ and $\lambda = 2$:

# %%
w = torch.tensor([1.0, -3.0])
for step in range(4):
    print(step, [round(weight, 3) for weight in w.tolist()])
    gradient = torch.tensor([0.0, 0.0])                 # the loss does not care about these weights
    w = (1 - 0.1 * 2) * w - 0.1 * gradient

# %% [markdown] task="3.7.A" kind="code" minutes=2 difficulty=1 core=true needs="weight decay, gradient, learning rate"
# ### One step
#
# Write `decay_step(w, b, grad_w, grad_b, lr, lambd)`: one step of gradient descent on $J$. `grad_w` and `grad_b` are the gradients of
# the *loss* $L$ alone, at `w` of shape `(d,)` and the bias `b`, a tensor of shape `()`. Return the new pair `(w, b)`.
#
# **You are done when**
# - **weights**: they have made a step down $J$, loss and penalty;
# - **bias**: it has made a step down the loss alone, and is a tensor of shape `()` again;
# - **arguments kept**: `w` and `b` themselves are as they were.

# %% exercise="3.7.A"
def decay_step(w, b, grad_w, grad_b, lr, lambd):
    """(w, b) after one step; w (d,), b ()."""
    ### BEGIN SOLUTION
    return (1 - lr * lambd) * w - lr * grad_w, b - lr * grad_b
    ### END SOLUTION

# %% [markdown] hints="3.7.A"
# 1. What is the gradient of the penalty with respect to $\mathbf w$, and what with respect to $b$?
# 2. Both gradients are taken at the old weights. `w - ...` makes a new tensor, `w -= ...` changes the one it was given.
# 3. For $w = 4$, gradient 1, $\eta = 0.5$, $\lambda = 0.2$: $0.9 \cdot 4 - 0.5 = 3.1$.

# %% check="3.7.A" points=1
@probe
def step_and_arguments(w, b, grad_w, grad_b, lr, lambd):
    return {"new": decay_step(w, b, grad_w, grad_b, lr, lambd), "old": [w, b]}

start = (torch.tensor([4., -2., 1.]), torch.tensor(5.), torch.tensor([1., -2., 0.]), torch.tensor(2.), 0.25, 0.6)
after = step_and_arguments(*start)
assert_type(after["new"], (tuple, list), "what decay_step returns", hint="A pair: the new w and the new b.", of="weights")
assert_equal(len(after["new"]), 2, "how many things come back", hint="Two: the new w, a tensor, and the new b.", of="weights")
assert_shape(after["new"][0], (3,), "the shape of the new w for three weights", hint="w stands first, with the shape it had.", of="weights")
w_before, g_before = start[0], start[2]
down_the_loss = w_before - 0.25 * g_before

def agrees(found, wanted):
    return isinstance(found, (int, float, torch.Tensor)) and torch.as_tensor(found).shape == wanted.shape and bool((found - wanted).abs().max() < 1e-4)

alone = [step_and_arguments(*start[:2], slope, start[3], 0.25, lambd_)["new"] for slope, lambd_ in ((g_before, 0.), (0 * g_before, 0.6))]
decay_alone = ""
if agrees(alone[1][0], alone[1][0]) and agrees(0 * alone[1][0], 0 * w_before):
    decay_alone = f" Where the gradient is 0, w becomes {[round(number, 4) for number in alone[1][0].tolist()]}, not [3.4, -1.7, 0.85]."
which_part = {(True, False): "With λ = 0 the new w is right: it is the decay that is not. Each weight loses lr · λ = 0.15 of itself." + decay_alone,
              (False, True): "Where the gradient is 0 the new w is right: it is the step down the loss that is not lr times the gradient.",
              (True, True): "With λ = 0 the new w is right, and so it is with a gradient of 0: where both count, the two changes are to be added.",
              (False, False): "With λ = 0 the new w is not w - 0.25 times the gradient, and with a gradient of 0 it is not 0.85 w: both parts are wrong."
              + ("" if not agrees(alone[0][0], alone[0][0]) else
                 f" With λ = 0 yours is {[round(number, 3) for number in alone[0][0].tolist()]}, not [3.75, -1.5, 1.0].")
              }[agrees(alone[0][0], down_the_loss), agrees(alone[1][0], 0.85 * w_before)]
pulls, same_pull = [], {}                                     # of weights that are as they are, and twice as large, where the gradient is 0
for size in (1, 2):
    still = step_and_arguments(size * w_before, start[1], 0 * g_before, start[3], 0.25, 0.6)["new"][0]
    pulls += (size * w_before - still).tolist() if agrees(still, still) and still.shape == (3,) else [0.]
if len(pulls) == 6 and max(abs(pull - 0.15) for pull in pulls[:3]) < 1e-4:
    same_pull = {"λ is added to the gradient as a number: the pull on a weight is λ times this weight." if max(abs(pull - 0.15) for pull in pulls[3:]) < 1e-4 else
                 "The pull on a weight is λ times this weight, not λ times the mean of all.": down_the_loss - 0.15}
assert_close(after["new"][0], torch.tensor([3.15, -1.2, 0.85]), "w = (4, -2, 1), gradient (1, -2, 0), lr 0.25, λ 0.6: the new w", of="weights",
             hint=which_part,
             mistakes={"The penalty is missing.": down_the_loss,
                       "The weights lose twice lr · λ of themselves: the gradient of λ/2 · w² is λw, not 2λw, and it is multiplied by lr.": down_the_loss - 0.3 * w_before,
                       "The decay has the wrong sign: the weights must shrink.": down_the_loss + 0.15 * w_before,
                       "The decay in a step is lr times λ, not λ.": down_the_loss - 0.6 * w_before,
                       "The decay in a step is lr times λ, not lr.": down_the_loss - 0.25 * w_before,
                       "One factor lr is enough: the decay in a step is lr · λ.": down_the_loss - 0.0375 * w_before,
                       "The gradient of the loss is not shrunk: only the old weights are.": 0.85 * down_the_loss,
                       "It is the old weight that is multiplied by 1 - lr · λ, not the gradient.": w_before - 0.25 * 0.85 * g_before,
                       "The gradient of λ/2 · w² is λw, not λw/2.": down_the_loss - 0.075 * w_before, "A step goes against the gradient.": 0.85 * w_before + 0.25 * g_before,
                       "The step down the loss is lr times its gradient.": 0.85 * w_before - g_before,
                       "The penalty is a sum over the weights, not their mean.": down_the_loss - 0.05 * w_before,
                       "A weight decays also where its gradient is 0.": torch.tensor([3.15, -1.2, 1.]),
                       "λw is added to the gradient, not multiplied by it: here a weight whose gradient is 0 does not decay.": down_the_loss - 0.15 * w_before * g_before,
                       "The gradient of λ/2 · |w|² is λw. Here w is divided by its norm, as for the penalty λ|w|, which is not squared.": down_the_loss - 0.15 * w_before / w_before.norm(),
                       "A negative weight decays, too, upwards.": down_the_loss - 0.15 * w_before.clamp(min=0),
                       "lr and λ have changed places: lr is the factor of the whole step.": w_before - 0.6 * (g_before + 0.25 * w_before),
                       "These are the changes: add them to w.": torch.tensor([-0.85, 0.8, -0.15]),
                       "This pull is the same for every weight: that of weight decay is proportional to the weight.": down_the_loss - 0.15 * w_before.sign(),
                       **same_pull,
                       "The weights decay once in a step: this is twice.": 0.85 ** 2 * w_before - 0.25 * g_before,
                       "The old weight is multiplied by 1 - lr · λ; nothing is divided by 1 + lr · λ.": down_the_loss / 1.15,
                       "The pull on a weight is λ times this weight, not λ times the norm of w.": down_the_loss - 0.15 * 21 ** 0.5,
                       "The pull on a weight is λ times this weight, not λ times the sum of all.": down_the_loss - 0.45,
                       "This subtracts lr times the penalty itself, λ/2 · |w|²: its gradient is what counts.": down_the_loss - 1.575,
                       "Each weight is pulled by lr times the whole penalty, λ/2 · |w|², with its own sign: the gradient of the penalty is λw.": down_the_loss - 1.575 * w_before.sign(),
                       "The pull on a weight is λ times this weight, not λ times its size: a negative one is pulled up.": down_the_loss - 0.15 * w_before.abs(),
                       "The pull on a weight is λ times this weight, not λ times its square.": down_the_loss - 0.15 * w_before.square(),
                       "The gradient of λ/2 · w² is λw: this pulls with λ/2 · w² itself, weight by weight.": down_the_loss - 0.075 * w_before.square(),
                       "The step down the loss is missing: this is the decay alone.": 0.85 * w_before,
                       "The gradient keeps its length: here the whole of it, decay included, was divided by its norm.":
                       w_before - 0.25 * (g_before + 0.6 * w_before) / (g_before + 0.6 * w_before).norm(),
                       "The gradient keeps its length: here that of the loss was divided by its norm.": 0.85 * w_before - 0.25 * g_before / g_before.norm()})
assert_close(step_and_arguments(torch.tensor([2.]), torch.tensor(0.), torch.tensor([0.]), torch.tensor(0.), 1., 1.5)["new"][0], torch.tensor([-1.]),
             "w = (2), gradient 0, lr 1, λ 1.5: the new w", of="weights", hint="The gradient of J is 1.5 · 2 here, and the step is as long as it.",
             mistakes={"Nothing holds the weight at 0: with lr · λ > 1 the step leads past it.": torch.tensor([0.])})
assert_shape(after["new"][1], (), "the shape of the new b", hint="A tensor of shape (), as b is.", of="bias")
assert_close(after["new"][1], torch.tensor(4.5), "b = 5, gradient 2, lr 0.25, λ 0.6: the new b", of="bias",
             hint=lambda: "With λ = 0 the new b is right: with λ = 0.6 it must be the same, since b is not in the penalty." if agrees(alone[0][1], torch.tensor(4.5))
             else "With λ = 0, too, the new b is not 5 - 0.25 · 2: its step down the loss is wrong.",
             mistakes={"The bias does not decay.": torch.tensor(3.75), "λ has no place in the step of b, which is lr times its gradient.": torch.tensor(4.7), "The bias does not decay, not after its step either.": torch.tensor(3.825),
                       "b is not in the penalty: neither b nor its gradient is multiplied by 1 - lr · λ.": torch.tensor(4.575),
                       "The bias makes a step, too: only the decay is not for it.": torch.tensor(5.), "The step down the loss is lr times its gradient.": torch.tensor(3.),
                       "A step goes against the gradient.": torch.tensor(5.5), "The penalty does not depend on b: the weights do not pull at it.": torch.tensor(4.05),
                       "This is the change: add it to b.": torch.tensor(-0.5),
                       "The step of b is lr times its gradient: it is not divided by the number of weights.": torch.tensor(5 - 0.5 / 3)})
assert_close(after["old"], [start[0], start[1]], "the old w and b after the call", hint="`w -= ...` and `b -= ...` change the caller's tensors.", of="arguments kept")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(371)
for d, lr_, lambd_ in ((3, 0.3, 1.5), (5, 0.05, 0.), (1, 0.2, 4.), (4, 0.7, 2.)):
    given = [torch.randn(shape, generator=rng, dtype=torch.float64) for shape in ((d,), (), (d,), ())]
    after = step_and_arguments(*[g.clone() for g in given], lr_, lambd_)
    for at, (name, new) in enumerate((("w", given[0] - lr_ * (given[2] + lambd_ * given[0])), ("b", given[1] - lr_ * given[3]))):
        assert_close(after["new"][at], new, f"the new {name} for {d} weights, lr {lr_}, λ {lambd_}", of=("weights", "bias")[at],
                     hint=lambda: where_they_part(lambda *given_: step_and_arguments(*given_)["new"][at],
                                                  lambda w, b, g, h, lr, lambd: (w - lr * g - lr * lambd * w, b - lr * h)[at],
                                                  w=given[0], b=given[1], grad_w=given[2], grad_b=given[3], lr=lr_, lambd=lambd_))
    assert_close(after["old"], given[:2], f"the old w and b after the call, {d} weights", of="arguments kept", hint="`w -= ...` and `b -= ...` change the caller's tensors.")
### END HIDDEN TESTS

# %% [markdown] teaches="ridge regression"
# ## The solution in one step
#
# For linear regression there is no need to descend. Leave the bias out for a moment. With the examples in the rows of $X$, of shape
# $(n, d)$, and $\mathbf y$ of shape $(n,)$,
#
# $$J(\mathbf w) = \frac{1}{2n} \|X \mathbf w - \mathbf y\|^2 + \frac \lambda 2 \|\mathbf w\|^2, \qquad
# \frac{\partial J}{\partial \mathbf w} = \frac 1n X^\top (X \mathbf w - \mathbf y) + \lambda \mathbf w.$$
#
# Set the gradient to zero and multiply by $n$:
#
# $$(X^\top X + n \lambda I)\, \mathbf w = X^\top \mathbf y.$$
#
# These are the normal equations of 3.1 with $n\lambda$ added along the diagonal, like a *ridge*; **ridge regression** is the name.
# The shapes: $X^\top X$ and the identity $I$ are $(d, d)$, the right side is $(d,)$.
#
# The ridge has a second use. $X^\top X$ cannot be inverted if columns are dependent, for instance when there are more features than
# examples. With the ridge it always can: for any $\mathbf v \ne \mathbf 0$,
# $\mathbf v^\top (X^\top X + n\lambda I) \mathbf v = \|X \mathbf v\|^2 + n \lambda \|\mathbf v\|^2 > 0$, so no $\mathbf v$ is sent to
# $\mathbf 0$.

# %% tags=["setup"]
def ridge(X, y, lambd):
    """The minimiser (d,) of |X w - y|² / (2n) + lambd |w|² / 2, without a bias; X (n, d), y (n,)."""
    n, d = X.shape
    return torch.linalg.solve(X.T @ X + n * lambd * torch.eye(d, dtype=X.dtype), X.T @ y)

# %%
X = torch.tensor([[1., 1.], [2., 2.], [3., 3.]], dtype=torch.float64)         # two equal columns
y = torch.tensor([2., 4., 6.], dtype=torch.float64)
for lambd in (0.001, 1.0, 100.0):
    print(lambd, [round(weight, 4) for weight in ridge(X, y, lambd).tolist()])

# %% [markdown]
# The target is twice the column; without the ridge, any two weights with sum 2 would do. The penalty makes the two
# equal columns share the weight, 1 and 1, since $1^2 + 1^2$ is less than $2^2 + 0^2$. That is worth having: an error in either
# column then moves the prediction by as much; with the weights 2 and 0 one in the first column moves it twice as far. A larger
# $\lambda$ draws both weights towards 0.
#
# ⚠ **Which λ?** Other books and libraries minimise $\|X \mathbf w - \mathbf y\|^2 + \alpha \|\mathbf w\|^2$, a sum and not a mean, without
# the halves. Comparing the two gradients, $\alpha = n \lambda$. The same number means something else there, and means something else
# again when $n$ changes. Before you copy a λ, look at the formula beside it. In this section it is always $J$ as above.
#
# With a single feature the formula is a fraction, $w = \frac{\sum_i x_i y_i}{\sum_i x_i^2 + n \lambda}$. Divide by $n$ above and below, and
# call $s$ the mean of the $x_i^2$. Then the ridge weight is the least-squares weight times $\frac{s}{s + \lambda}$: a feature with small
# numbers (a small $s$) is shrunk most. So units count: the same length is shrunk a lot in kilometres and hardly in millimetres. One brings
# features to a common scale before one penalises their weights.

# %% [markdown] task="3.7.B" kind="code" minutes=2 difficulty=1 core=true needs="ridge regression"
# ### How much is left?
#
# Write `share_left(x, lambd)`: which share of its least-squares weight a single feature keeps under ridge regression, a number from 0
# to 1. `x` has shape `(n,)`, is not all zero, and there is no bias.
#
# **You are done when**
# - **share**: the result is the ridge weight divided by the least-squares weight; it holds for any targets, so `x` and λ alone decide it;
# - **no penalty**: it is 1 for λ = 0.

# %% exercise="3.7.B"
def share_left(x, lambd):
    """Ridge weight / least-squares weight for one feature x (n,), as a number."""
    ### BEGIN SOLUTION
    s = x.square().mean()
    return s / (s + lambd)
    ### END SOLUTION

# %% [markdown] hints="3.7.B"
# 1. Which two fractions are to be divided, and what do they have in common?
# 2. The sum of the products cancels. Do not forget n.
# 3. For x = (3, 1): the mean of the squares is 5. With λ = 15 a quarter is left.

# %% check="3.7.B" points=1
assert_close(share_left(torch.tensor([0.5, 2.]), 0.), 1., "share_left for x = (0.5, 2) and λ = 0", rtol=1e-4, of="no penalty",
             hint="One number, exactly 1: without a penalty the ridge weight is the least-squares weight itself.",
             mistakes={"This is the share that is lost: without a penalty it is 0, and all is left.": 0., "A share from 0 to 1 is asked for, not per cent.": 100.,
                       "Without a penalty the two weights are equal: here something is added below all the same, 1 to the mean of the squares or n to their sum.":
                       4.25 / 6.25, "Without a penalty the two weights are equal: here 1 is added to the sum of the squares all the same.": 4.25 / 5.25,
                       "This is the ridge weight for targets of 1: divide it by the least-squares weight.": 2.5 / 4.25})
five_x = torch.tensor([0., -2., 6., -2., 1.])

def share_of(s_, lambd_=2.5):
    return s_ / (s_ + lambd_)

def is_number(found):
    return isinstance(found, (int, float, torch.Tensor, np.ndarray, np.generic)) and np.prod(np.shape(found)) == 1

def is_half(found):
    return is_number(found) and abs(float(found) - 0.5) < 1e-4

found = share_left(five_x, 2.5)
third = share_left(torch.tensor([1., -1.]), 2.)
found, third = (float(share) if is_number(share) else math.nan for share in (found, third))
if not is_half(share_left(torch.tensor([2.]), 4.)):
    already = "Already for a single example, x = (2) and λ = 4, your result is not 4 / (4 + 4)"
    single, longer = share_left(torch.tensor([2.]), 4.), share_left(torch.tensor([4.]), 4.)
    already += f", but {float(single):.4g}." if is_number(single) else "."
    if is_number(single) and is_number(longer) and float(longer) < float(single):
        already += f" A feature with larger numbers keeps more; of yours less is left where x is (4), {float(longer):.4g}."
elif any(abs(found - round(18 / 23, digits)) < 1e-9 and abs(third - round(1 / 3, digits)) < 1e-9 for digits in (1, 2, 3, 4)):
    already = "This is the right number, 18/23, rounded: return it with all its digits."
elif not is_half(share_left(torch.tensor([2., 2., 2.]), 4.)):
    already = "For x = (2) and λ = 4 your result is 1/2, as it should be, for x = (2, 2, 2) it is not: the mean of the squares is 4 in both. Where does n come in?"
else:
    already = "For x = (2) and x = (2, 2, 2) your result is right: here the squares are 0, 4, 36, 4 and 1, and what counts is their mean, 9."
assert_close(share_left(five_x, 2.5), 18 / 23, "share_left for x = (0, -2, 6, -2, 1) and λ = 2.5", rtol=1e-4, of="share",
             hint=already,
             mistakes={"n is missing: it is the mean of the squares that is compared with λ.": share_of(45.),
                       "This is the share that is lost.": 5 / 23, "λ is divided by n here, it is multiplied by n in the formula.": share_of(45., 0.5),
                       "The squares of the entries count, not the entries.": share_of(0.6), "The squares of the entries count, not their absolute values.": share_of(2.2),
                       "Square first, then take the mean: this is the square of the mean.": share_of(0.36),
                       "Square first, then take the mean: this is the square of the mean size.": share_of(4.84), "One factor n is enough.": share_of(9., 12.5),
                       "The mean of the squares counts; no mean is subtracted.": share_of(10.8), "No mean is subtracted: there is no bias here.": share_of(8.64),
                       "This is the standard deviation: no mean is subtracted, and no root is taken.": share_of(10.8 ** 0.5),
                       "This is the standard deviation, with n: no mean is subtracted, and no root is taken.": share_of(8.64 ** 0.5),
                       "The mean of the squares counts, not its root.": share_of(3.), "The mean of the squares counts, not the largest.": share_of(36.), "Beside n · λ stands the sum of the squares, not the largest.": share_of(36., 12.5),
                       "The numbers of x count as they are: nothing is divided by the largest.": share_of(0.25),
                       "The mean of the squares counts, not the root of their sum.": share_of(45 ** 0.5), "No root is taken: s is the sum of the squares, divided by n.": share_of(45 ** 0.5, 12.5),
                       "Divide the sum of the squares by n, not by n + 1.": share_of(7.5), "The mean of the squares counts, not their median.": share_of(4.),
                       "Divide the sum of the squares by n, the number of all entries: neither by n - 1 nor by the number of those that are not 0.": share_of(11.25),
                       "Every entry counts, also where two are equal.": share_of(10.25),
                       "The gradient of λ/2 · w² is λw: the half is gone.": share_of(9., 1.25), "It is s + λ, without a 2: the halves of J are gone in its gradient.": share_of(9., 5.),
                       "It depends on x: a feature with large numbers is shrunk less.": 1 / 3.5,
                       "This is the share times itself.": (18 / 23) ** 2, "This is the root of the share.": (18 / 23) ** 0.5,
                       "It is n that λ is multiplied by, not its root.": share_of(9., 2.5 * 5 ** 0.5), "This is upside down: the ridge weight is the smaller of the two.": 23 / 18,
                       "λ counts, not its square.": share_of(9., 6.25), "λ counts, not its root.": share_of(9., 2.5 ** 0.5), "s / (s + λ) is 1 / (1 + λ/s): λ is divided by s, not multiplied by it.": 1 / 23.5,
                       "This is 1 - λ/s: divide one weight by the other.": 6.5 / 9,
                       "This is λ/s: divide one weight by the other.": 2.5 / 9, "Divide s by s + λ, not by λ.": 3.6, "The share shrinks as a fraction, not as an exponential.": math.exp(-2.5 / 9),
                       "There is one s for the whole feature: this is the mean of a share for each entry.": (36 / 38.5 + 8 / 6.5 + 1 / 3.5) / 5,
                       "Nothing is centred or divided by the standard deviation: the numbers of x count as they are.": share_of(0.8),
                       "Negative entries count as well.": share_of(7.4), "Every entry counts, not the first alone.": 0.,
                       "The variance that `var` and `std` give is divided by n - 1: the mean of the squares is divided by n.": share_of(11.16)})
assert_close(share_left(torch.tensor([3., -3.]), 3.), 0.75, "share_left for x = (3, -3) and λ = 3", rtol=1e-4, of="share",
             hint="The mean of the squares is 9 again. No targets are needed: made-up ones may cancel, as (1, 1) does here, and 0 / 0 is nan.",
             mistakes={"n is the number of entries of x: 2 here, no longer 5.": 18 / 33, "Nothing is subtracted from x, no median either.": 18 / 21})
assert_close(share_left(torch.tensor([2.]), 4.), 0.5, "share_left for x = (2) and λ = 4: a single example", rtol=1e-4, of="share",
             hint="The mean of one square is this square, 4. Made-up targets may be 0, and 0 / 0 is nan.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(372)
for n, lambd_ in ((5, 0.3), (40, 2.), (1, 0.01)):
    feature = 2 * torch.randn(n, generator=rng, dtype=torch.float64) + 1
    feature[1:3], feature[3:5] = 0., 1.5                          # zeros and equal entries
    wanted = feature @ feature / (feature @ feature + n * lambd_)
    assert_close(share_left(feature, lambd_), wanted.item(), f"{n} examples, λ = {lambd_}", rtol=1e-4, of="share",
                 hint=lambda: where_they_part(share_left, lambda x, lambd: x @ x / (x @ x + len(x) * lambd), x=feature, lambd=lambd_))
    assert_close(share_left(feature, 0), 1., f"{n} examples, λ = 0", rtol=1e-4, of="no penalty",
                 hint="Without a penalty the ridge weight is the least-squares weight: the share is 1, whatever x is.")
balanced = torch.tensor([1.5, -4., 4., -1.5], dtype=torch.float64)
assert_close(share_left(balanced, 0.7), (balanced @ balanced / 4 / (balanced @ balanced / 4 + 0.7)).item(), "four examples that add up to 0, λ = 0.7", rtol=1e-4, of="share",
             hint="Nothing here needs targets, or divides by the sum of x: it may be 0.")
### END HIDDEN TESTS

# %% [markdown]
# ### With a bias
#
# The bias is free, so for any fixed $\mathbf w$ take the best one: the derivative of $L$ with respect to $b$ is the mean of
# $\mathbf w^\top \mathbf x_i + b - y_i$, and it is zero for
#
# $$b = \bar y - \bar{\mathbf x}^\top \mathbf w,$$
#
# with the means $\bar y$ of the targets and $\bar{\mathbf x}$, of shape $(d,)$, of the columns. Put this $b$ back, and the error of an example
# becomes $(\mathbf x_i - \bar{\mathbf x})^\top \mathbf w - (y_i - \bar y)$. That is the problem without a bias, for *centred* features and
# targets, from which the means have been subtracted. Solve it; then compute $b$.
#
# The abalones, with all powers up to 11, and three strengths:

# %% tags=["demo"]
F = torch.stack([z ** p for p in range(1, 12)], dim=1)                       # no column of ones: the bias does its work
centre, level = F[few].mean(dim=0), grams[few].mean()
curve = torch.linspace(15, 163, 300, dtype=torch.float64)
F_curve = torch.stack([((curve - 80) / 75) ** p for p in range(1, 12)], dim=1)

figure, axes = plt.subplots(1, 3, figsize=(9, 3), sharey=True, layout="constrained")
for ax, lambd in zip(axes, (1e-7, 1e-3, 1.0)):
    w = ridge(F[few] - centre, grams[few] - level, lambd)
    ax.plot(length[many][:600], grams[many][:600], ".", color="lightgrey", markersize=3)
    ax.plot(curve, (F_curve - centre) @ w + level)
    ax.plot(length[few], grams[few], "o", color="black", markersize=4)
    ax.set(title=f"degree 11, λ = {lambd:g}", xlabel="length in mm", ylim=(-30, 480), xlim=(10, 165))
    print(f"λ = {lambd:g}: training error {squared_error((F[few] - centre) @ w + level, grams[few]):7.1f},"
          f" new animals {squared_error((F[many] - centre) @ w + level, grams[many]):8.1f}, |w| = {w.norm():.0f}")
axes[0].set_ylabel("weight in g")
plt.show()

# %% [markdown]
# What to see: all three have the same 11 features. With next to no penalty the curve swings. With $\lambda = 0.001$ it follows the grey cloud, with
# an error of 887, near the 663 of the cubic in 3.6, although it has all powers up to 11. With $\lambda = 1$ it is too flat: underfitting. These three
# strengths were picked for the picture; how to choose one without a look at the new animals comes below.

# %% [markdown] task="3.7.7" kind="code" minutes=6 difficulty=3 core=true needs="ridge regression"
# ### Ridge regression with a bias
#
# Write `ridge_with_bias(X, y, lambd)` for `X` of shape `(n, d)` and `y` of shape `(n,)`, both of the same floating point dtype: the pair
# `(w, b)` of shapes `(d,)` and `()` that minimises $J$. `lambd` is positive; d may be larger than n.
#
# **You are done when**
# - **shapes**: `w` has shape `(d,)`, `b` shape `()`; a plain number will do for `b`;
# - **weights**: they minimise the mean of half the squared errors plus λ/2 times their squared norm;
# - **bias free**: the bias is not penalised: if 1000 is added to all targets, it grows by 1000 and the weights stay;
# - **more features than examples**: d > n works, too;
# - **arguments kept**: `X` and `y` are as they were.

# %% exercise="3.7.7"
def ridge_with_bias(X, y, lambd):
    """(w, b) of shapes (d,), () with the smallest |X w + b - y|² / (2n) + lambd |w|² / 2."""
    ### BEGIN SOLUTION
    centre, level = X.mean(dim=0), y.mean()
    w = ridge(X - centre, y - level, lambd)
    return w, level - centre @ w
    ### END SOLUTION

# %% [markdown] hints="3.7.7"
# 1. Which problem without a bias has the same weights?
# 2. `X.mean(dim=0)` are the means of the columns. Solve for the centred data with `ridge`, then $b = \bar y - \bar{\mathbf x}^\top \mathbf w$.
# 3. One feature, x = (1, 3), y = (10, 14), λ = 1: centred (-1, 1) and (-2, 2); w = 4 / (2 + 2) = 1, b = 12 - 2 = 10.

# %% check="3.7.7" points=3
four_X, four_y = torch.tensor([[7.], [1.], [1.], [7.]], dtype=torch.float64), torch.tensor([16., 10., 10., 16.], dtype=torch.float64)
answer = ridge_with_bias(four_X, four_y, 1.)
assert_type(answer, (tuple, list), "what ridge_with_bias returns", hint="A pair: w, then b.", of="shapes")
assert_equal(len(answer), 2, "how many things come back", hint="Two: w, then b.", of="shapes")
assert_shape(answer[0], (1,), "the shape of w for one feature", hint="A weight for each feature, along one axis; also where there is only one.", of="shapes",
             mistakes={"w stands first, then b.": ()} if tuple(np.shape(answer[1])) == (1,) else {})
assert_equal(tuple(np.shape(answer[1])), (), "the shape of b", hint="One number, not a tensor with an axis.", of="shapes")


def pulled_by_lambda():
    """What the b of other λ says: the mean of x is 0, so no w has a say in it."""
    one, four = (float(ridge_with_bias(four_X - 4, four_y, lambd_)[1]) for lambd_ in (1., 4.))
    return ("The mean of x is 0, so the best b is the mean of the targets; any penalty on b would make it smaller." if not abs(one - four) < 1e-9 * abs(one) else
            "The mean of x is 0, so the best b is the mean of the targets. With λ = 4 yours is the same, so it is not λ that holds it back: if you descend, it has not arrived yet; the equations need no steps.")

assert_close(ridge_with_bias(four_X - 4, four_y, 1.)[1], 13., "b for x = (3, -3, -3, 3), y = (16, 10, 10, 16), λ = 1", rtol=1e-4, of="bias free",
             hint=lambda: pulled_by_lambda(),
             mistakes={"Means are asked for, not medians.": 12.7, "All errors together have mean 0, not the first alone.": 13.3,
                       "The bias is penalised, too: it is to be free.": 6.5, "The bias is missing: for these x it is the mean of the targets.": 0.,
                       "This is -13: b is the mean of the targets minus that of the predictions, not the other way round.": -13.})

def one_number(number):
    return torch.tensor([number], dtype=torch.float64)

uneven = ridge_with_bias(torch.tensor([[0.], [2.], [7.]], dtype=torch.float64), torch.tensor([1., 2., 9.], dtype=torch.float64), 1.)[0]
uneven = float(uneven[0]) if tuple(np.shape(uneven)) == (1,) else 0.         # here λ/2, medians and the first example have results of their own
why_less = {"The half of J is gone in its gradient: λ, not λ/2.": 31 / 27.5, "Means are to be subtracted, not medians.": 37 / 32, "Means are to be subtracted, not the first example.": 58 / 56}
two_X, two_y = torch.tensor([[1., 2.], [3., 6.], [1., 6.], [3., 2.]], dtype=torch.float64), torch.tensor([0., 12., 4., 8.], dtype=torch.float64)
for_two = ridge_with_bias(two_X, two_y, 1.)[0]
for_two = float(for_two[0]) if tuple(np.shape(for_two)) == (2,) else 0.          # n = 4, d = 2
why_one = {"n is missing: the sum of squares stands beside nλ, not beside λ.": 16 / 5,
           "It is n, the number of examples, that λ is multiplied by; here it is d, that of the features.": 16 / 6}
for_four = ridge_with_bias(four_X, four_y, 4.)[0]
for_four = float(for_four[0]) if tuple(np.shape(for_four)) == (1,) else 0.
why_more = {"There is no 2 before nλ: the halves of J are gone in its gradient.": 36 / 68, "Nothing is added to λ: `ridge` gets it as it is.": 36 / 56}
without_means = ridge_with_bias(four_X - 4, four_y - 13, 1.)[0]
without_means = tuple(np.shape(without_means)) == (1,) and abs(float(without_means[0]) - 0.9) < 1e-4
by_rows = ridge_with_bias(torch.tensor([[1., 3.], [5., 3.]], dtype=torch.float64), torch.tensor([0., 2.], dtype=torch.float64), 0.5)[0]
by_rows = tuple(np.shape(by_rows)) == (2,) and abs(float(by_rows[0]) - 0.4) < 1e-4 and abs(float(by_rows[1]) + 0.4) < 1e-4
centred_w = ridge_with_bias(four_X - 4, four_y - 13, 1.)[0]
centred_w = float(centred_w[0]) if tuple(np.shape(centred_w)) == (1,) else 0.
centred_w = f", but {centred_w:.4g}, which is 36 / (36 + {36 / centred_w - 36:.4g})." if 0 < centred_w < 1 - 1e-9 else f", but {centred_w:.4g}."
assert_close(answer[0], one_number(0.9), "w for x = (7, 1, 1, 7), y = (16, 10, 10, 16), λ = 1", rtol=1e-4, of="weights",
             hint="For x = y = (3, -3, -3, 3), whose means are 0, your w is right. Here x and y are 4 and 13 higher, and w must be the same: subtract the means."
             " If you descend, or take turns between w and b, you stop too early." if without_means else
             "Centred, x and y are both (3, -3, -3, 3): XᵀX = 36, Xᵀy = 36, nλ = 4. For x and y that are so from the start your w is not 36 / 40 either" + centred_w,
             mistakes={**({"From each row its own mean was subtracted (dim=1), which leaves 0 of a single feature: each column has a mean, `X.mean(dim=0)`.": one_number(0.)} if by_rows else {}),
                       "This is least squares: the penalty is missing.": one_number(1.),
                       **{sentence: one_number(36 / 37) for sentence, there in why_one.items() if abs(for_two - there) < 1e-4},
                       "n counts once: `ridge` multiplies λ by n itself.": one_number(36 / 52),
                       "It is n that λ is multiplied by, not n - 1; `torch.cov` and `torch.var` divide by n - 1.": one_number(36 / 39),
                       "λ is divided by n here: beside the sum of squares stands nλ.": one_number(36 / 36.25),
                       **{sentence: one_number(36 / 38) for sentence, there in why_less.items() if abs(uneven - there) < 1e-4},
                       **{sentence: one_number(36 / 44) for sentence, there in why_more.items() if abs(for_four - there) < 1e-4},
                       "Here the line goes through the origin: centre features and targets.": one_number(244 / 104),
                       "Only the targets were centred: centre the features, too.": one_number(36 / 104),
                       "J penalises the weights of the features as they are. Here least squares is divided by 1 + λ, as if a feature had been divided by its standard deviation.":
                       one_number(0.5),
                       "J penalises the weights of the features as they are: nothing is divided by a standard deviation.": one_number(3 / 7)})
assert_close(answer[1], 9.4, "b for x = (7, 1, 1, 7), y = (16, 10, 10, 16), λ = 1", rtol=1e-4, of="bias free",
             hint="w is right, 0.9: the best b for it is 13, the mean of the targets, minus 0.9 times 4, the mean of x.",
             mistakes={"This is the mean of the targets: the weighted mean of the features is still to be subtracted.": 13.,
                       "The weighted mean of the features is to be subtracted, not added.": 16.6,
                       "The bias goes with the ridge weights, not with those of least squares.": 9.})
assert_close(ridge_with_bias(four_X, four_y, 4.)[0], one_number(9 / 13), "w for x = (7, 1, 1, 7), y = (16, 10, 10, 16), λ = 4", rtol=1e-4, of="weights", hint="For λ = 1 it was right: 36 / (36 + nλ), and nλ is 16 now.")
less_one_mean = two_X - two_X.mean()
assert_close(ridge_with_bias(two_X, two_y, 1.)[0], torch.tensor([2., 0.8], dtype=torch.float64), "w for two features, (1, 3, 1, 3) and (2, 6, 6, 2), y = (0, 12, 4, 8), λ = 1", rtol=1e-3, of="weights",
             hint="The means of the columns are 2 and 4, that of the targets is 6. Centred, the features are (-1, 1, -1, 1) and (-2, 2, 2, -2), whose product is 0, so that w = (16 / (4 + 4), 16 / (16 + 4)).",
             mistakes={"Each column has a mean of its own, `X.mean(dim=0)`: here one mean was subtracted from the whole of X.":
                       torch.linalg.inv(less_one_mean.T @ less_one_mean + 4 * torch.diag(torch.ones(2, dtype=torch.float64))) @ less_one_mean.T @ (two_y - 6)})
held_w, held_b = ridge_with_bias(four_X - 4, four_y, 10000.)
w_is_right = tuple(np.shape(held_w)) == (1,) and abs(float(held_w[0]) - 36 / 40036) < 1e-6
assert_close(float(held_b) if w_is_right else 13., 13., "b for x = (3, -3, -3, 3), y = (16, 10, 10, 16), λ = 10,000", rtol=1e-4, of="bias free",
             hint="With λ = 1 it was right, and λ has no say in b here: the best one is the mean of the targets. A column of 1000s in place of ones makes the penalty on b small, and not 0.")
assert_close(ridge_with_bias(100 * four_X, four_y, 10000.)[0], one_number(0.009), "w for the same lengths in a smaller unit, x = (700, 100, 100, 700), λ = 10,000", rtol=1e-4, atol=1e-7, of="weights",
             hint="The sums are 360,000, 3,600 and 40,000. A descent with a fixed learning rate runs away with such numbers; the equations need no learning rate.")
assert_close(ridge_with_bias(four_X.float(), four_y.float(), 1.)[0].double(), one_number(0.9), "w for the same data in float32, λ = 1", rtol=1e-3, of="weights", hint="The same numbers as in float64: does a part of the answer take another dtype for granted?")
higher = ridge_with_bias(four_X, four_y + 1000, 1.)
assert_close([float(higher[0][0]), float(higher[1])], [0.9, 1009.4], "w and b for the same x and targets 1000 higher", rtol=1e-4, of="bias free", hint="Only b changes, by 1000.")
wide_X, wide_y = torch.tensor([[1., 1., 0.], [3., 3., 0.]], dtype=torch.float64), torch.tensor([10., 14.], dtype=torch.float64)
answer = ridge_with_bias(wide_X, wide_y, 0.5)
one_mean = wide_X - wide_X.mean()
assert_close(answer[0], torch.tensor([0.8, 0.8, 0.], dtype=torch.float64), "w for two examples of three features, (1, 1, 0) and (3, 3, 0), y = (10, 14), λ = 0.5", rtol=1e-4,
             hint="Centred, the rows are (-1, -1, 0) and (1, 1, 0), the targets -2 and 2; n is 2, the number of examples.",
             of="more features than examples", mistakes={"This is least squares: the penalty is missing for d > n.": torch.tensor([1., 1., 0.], dtype=torch.float64),
             "Each weight is fitted alone here: the equations are for all weights together.": torch.tensor([4 / 3, 4 / 3, 0.], dtype=torch.float64),
             "n is the number of examples, 2, not that of the features, 3.": torch.tensor([4 / 5.5, 4 / 5.5, 0.], dtype=torch.float64),
             "n is the number of examples, 2, not that of the entries of X, 6.": torch.tensor([4 / 7, 4 / 7, 0.], dtype=torch.float64),
             "Each column has a mean of its own, `X.mean(dim=0)`.": torch.linalg.inv(one_mean.T @ one_mean + torch.diag(torch.ones(3, dtype=torch.float64))) @ one_mean.T @ (wide_y - 12)})
assert_close(answer[1], 8.8, "b for the same two examples of three features", rtol=1e-4, of="bias free",
             hint="The means of the columns are 2, 2 and 0, the weights 0.8, 0.8 and 0, and the mean of the targets is 12.",
             mistakes={"Each column has a mean of its own: do not take one mean over the whole of X.": 12 - 4 / 3 * 1.6})

@probe
def arguments_after_ridge(X, y):
    ridge_with_bias(X, y, 0.5)
    return [X, y]

assert_close(arguments_after_ridge(four_X.clone(), four_y.clone()), [four_X, four_y], "X and y after the call", hint="`X -= ...` changes the caller's tensor, `X - ...` makes a new one.", of="arguments kept")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(373)
for n, d, lambd_, name in ((9, 4, 0.3, "weights"), (30, 2, 5., "weights"), (25, 3, 0.002, "weights"), (4, 7, 0.1, "more features than examples")):
    table = torch.randn(n, d, generator=rng, dtype=torch.float64) + 2 * torch.arange(d)
    aims = torch.randn(n, generator=rng, dtype=torch.float64) + 20
    centred = table - table.mean(dim=0)
    best = torch.linalg.solve(centred.T @ centred / n + lambd_ * torch.diag(torch.ones(d, dtype=torch.float64)), centred.T @ aims / n)
    w_, b_ = ridge_with_bias(table, aims, lambd_)
    residual = table @ w_.double() + float(b_) - aims
    assert_shape(w_, (d,), f"the shape of w, {n} examples of {d} features", of="shapes", hint="A weight for each feature, along one axis.")
    assert_equal(tuple(np.shape(b_)), (), f"the shape of b, {n} examples of {d} features", of="shapes", hint="One number, not a tensor with an axis.")
    assert_close(table.T @ residual / n + lambd_ * w_.double(), torch.zeros(d, dtype=torch.float64),
                 f"the derivative of J with respect to w at your solution, {n} examples of {d} features, λ = {lambd_}", atol=1e-4, of=name,
                 hint="At the minimum every derivative is 0.")
    assert_close(residual.mean().item(), 0., f"the derivative of J with respect to b at your solution, {n} examples of {d} features", atol=1e-4, of="bias free",
                 hint="It is the mean of X w + b - y: with the best b the errors add up to 0.")
    assert_close(ridge_with_bias(table.float(), aims.float(), lambd_)[0].double(), best, f"w in float32, {n} examples of {d} features", rtol=1e-2, atol=1e-2, of="weights",
                 hint="For the same data in float64 they are right: does a part of the answer take another dtype for granted?")
    assert_close(arguments_after_ridge(table.clone(), aims.clone()), [table, aims], "X and y after the call", of="arguments kept", hint="`X -= ...` changes the caller's tensor, `X - ...` makes a new one.")
### END HIDDEN TESTS

# %% [markdown] task="3.7.1" kind="code" minutes=5 difficulty=2 core=true needs="ridge regression, training error, validation set"
# ### Every λ at once
#
# What happens to the errors when λ grows? Write `metrics(X, y, X_val, y_val, lambdas)`. For each number in the list `lambdas` it fits
# `ridge` (from above: no bias, nothing centred) to `X` of shape `(n, d)` and `y` of shape `(n,)`; the validation data have their own number of rows.
#
# **You are done when**
# - **shape**: a tensor of shape `(len(lambdas), 3)` comes back, in the order of `lambdas`;
# - **training error**: column 0 is the mean squared error on the training data, without any penalty;
# - **validation error**: column 1 is the mean squared error on the validation data, without any penalty;
# - **norm**: column 2 is $\|\mathbf w\|$, not squared.

# %% exercise="3.7.1"
def metrics(X, y, X_val, y_val, lambdas):
    """A row (training error, validation error, |w|) for each λ: a tensor (len(lambdas), 3)."""
    ### BEGIN SOLUTION
    rows = []
    for lambd in lambdas:
        w = ridge(X, y, lambd)
        rows.append([squared_error(X @ w, y).item(), squared_error(X_val @ w, y_val).item(), w.norm().item()])
    return torch.tensor(rows)
    ### END SOLUTION

# %% [markdown] hints="3.7.1"
# 1. The penalty steers the fit. Does it say anything about how far the predictions are from the targets?
# 2. `ridge` and `squared_error` do the work, `w.norm()` is the norm; collect rows in a list and make a tensor of it.
# 3. For X = [[1], [2]], y = (2, 4), λ = 2.5: w = 10 / (5 + 5) = 1, predictions 1 and 2, training error (1 + 4) / 2 = 2.5.

# %% check="3.7.1" points=2
one_X, one_y = torch.tensor([[1.], [2.], [0.]], dtype=torch.float64), torch.tensor([2., 4., 0.], dtype=torch.float64)
val_X, val_y = torch.tensor([[3.], [1.], [0.], [2.]], dtype=torch.float64), torch.tensor([5., 2., 2., 1.], dtype=torch.float64)
four_lambdas = [5., 0., 2.5, 1.]
lambda_column, four_w = torch.tensor(four_lambdas, dtype=torch.float64), torch.tensor([0.5, 2., 0.8, 1.25], dtype=torch.float64)
on_train, four_penalties = 5 / 3 * (four_w - 2) ** 2, lambda_column / 2 * four_w ** 2
on_val = ((val_X * four_w - val_y[:, None]) ** 2).mean(dim=0)
w_of_both, w_of_val = 29 / (19 + 7 * lambda_column), 19 / (14 + 4 * lambda_column)         # fits to other data than the training data
found = metrics(one_X, one_y, val_X, val_y, four_lambdas[:])
assert_type(found, torch.Tensor, "what metrics returns", of="shape", hint="One tensor with all rows in it: `torch.tensor` makes it of a list of lists of numbers, `torch.stack` of a list of tensors.")
assert_shape(found, (4, 3), "the shape for four λ", hint="A row for each λ, three columns.", of="shape")
assert_shape(metrics(one_X, one_y, val_X, val_y, [1.]), (1, 3), "the shape for a single λ", hint="A table with one row has two axes, too.", of="shape")
assert_shape(metrics(one_X, one_y, val_X, val_y, [1., 0.5, 1.]), (3, 3), "the shape for λ = 1, 0.5, 1", hint="Two equal λ have a row each.", of="shape")
sizes = found[:, 2].double()
assert_close(sizes if torch.allclose(sizes.sort().values, four_w.sort().values, rtol=1e-4) else four_w, four_w, "X = [[1], [2], [0]], y = (2, 4, 0), λ = 5, 0, 2.5, 1: the sizes of w in the order of the rows", rtol=1e-4, of="shape",
             hint="A row stands where its λ stands in the list.",
             mistakes={"The rows are to stand in the order of the given λ.": four_w[[1, 3, 2, 0]], "The rows are to stand in the order of the given λ, not from the largest on.": four_w[[0, 2, 3, 1]]})
assert_close(found[:, 0].double(), on_train, "X = [[1], [2], [0]], y = (2, 4, 0), λ = 5, 0, 2.5, 1: the training errors", rtol=1e-4, atol=1e-6, of="training error",
             hint="For λ = 5: w = 10 / (5 + 3 · 5) = 0.5, predictions 0.5, 1 and 0, squared errors 2.25, 9 and 0. "
             + ("The norms in column 2 are right: it is the errors that are not." if bool(((found[:, 2] - four_w).abs() < 1e-4).all())
                else "Column 2, the sizes of w, is not (0.5, 2, 0.8, 1.25) either."),
             mistakes={"This is J, with its half and its penalty: the error is the mean of the squares, and nothing else.": on_train / 2 + four_penalties,
                       "Nothing is fitted to the validation data: these weights come from both tables together.": 5 / 3 * (w_of_both - 2) ** 2,
                       "Nothing is fitted to the validation data: these weights come from it.": 5 / 3 * (w_of_val - 2) ** 2,
                       "The penalty is in it: an error measures the predictions alone.": on_train + four_penalties,
                       "This is half of the mean squared error.": on_train / 2,
                       "The training errors are to stand in the order of the given λ.": on_train[[1, 3, 2, 0]], "The training errors are to stand in the order of the given λ, not from the largest on.": on_train[[0, 2, 3, 1]],
                       "This is the sum of the squares, not the mean.": 3 * on_train, "Divide by the number of examples, not by n - 1.": 1.5 * on_train,
                       "This is the root of the mean squared error.": on_train.sqrt(),
                       "This is a share of the variance of the targets: the error itself is asked for.": on_train / 4,
                       "This is a share of the variance of the targets, with n: the error itself is asked for.": on_train / (8 / 3),
                       "This is a share of the mean square of the targets: the error itself is asked for.": on_train / (20 / 3),
                       "This is the variance of the errors: no mean is subtracted from them.": 2 / 3 * (four_w - 2) ** 2,
                       "Every prediction meets every target: one of the two has shape (n, 1), the other (n,).": (5 * four_w ** 2 - 12 * four_w + 20) / 3,
                       "Each λ has a fit of its own: this is the first one again and again.": on_train[[0, 0, 0, 0]],
                       "There is no bias here: fit `ridge` to X and y as they are, not centred.": 2 / 3 * (4 / (2 + 3 * lambda_column) - 2) ** 2,
                       "This is the validation error: it belongs in column 1.": on_val, "This is the norm: it belongs in column 2.": four_w,
                       "These are means of absolute errors: squares are asked for.": 2 - four_w,
                       "The λ add up here: each fit is to begin with XᵀX as it was.": 5 / 3 * (10 / (5 + 3 * lambda_column.cumsum(0)) - 2) ** 2,
                       "`ridge` multiplies λ by n itself: hand it λ as it is, not divided by n.": 5 / 3 * (10 / (5 + lambda_column) - 2) ** 2,
                       "`ridge` multiplies λ by n itself: hand it λ as it is.": 5 / 3 * (10 / (5 + 9 * lambda_column) - 2) ** 2,
                       "`ridge` gets λ itself, not λ/2: the half of J is gone in its gradient.": 5 / 3 * (10 / (5 + 1.5 * lambda_column) - 2) ** 2,
                       "`ridge` gets λ itself, not 2λ.": 5 / 3 * (10 / (5 + 6 * lambda_column) - 2) ** 2})
val_errors = val_X * four_w - val_y[:, None]

def one_validation_example():
    single = float(metrics(one_X, one_y, val_X[:1], val_y[:1], [5.])[0, 1])
    if abs(single - 12.25) > 1e-3:
        return f" With the first of them alone it is 12.25, yours is {single:.4g}."
    return " With the first of them alone yours is right, 12.25: look at how the four are put together."

assert_close(found[:, 1].double(), on_val, "the errors at x = 3, 1, 0, 2 with y = 5, 2, 2, 1", rtol=1e-4, of="validation error",
             hint=lambda: "The training errors are right. For λ = 5 the weight is 0.5: predictions 1.5, 0.5, 0 and 1, squared errors 12.25, 2.25, 4 and 0, whose mean is asked for."
             + one_validation_example(),
             mistakes={"All four validation examples count, not the first three alone: their number is not that of the training examples.":
                       ((val_X[:3] * four_w - val_y[:3, None]) ** 2).mean(dim=0),
                       "These are means of absolute errors: squares are asked for.": (val_X * four_w - val_y[:, None]).abs().mean(dim=0),
                       "These are medians: means are asked for.": ((val_X * four_w - val_y[:, None]) ** 2).median(dim=0).values,
                       "Here the mean of the errors is subtracted before they are squared, as a bias fitted to the validation data would do.":
                       ((val_errors - val_errors.mean(dim=0)) ** 2).mean(dim=0),
                       "The penalty is in it: an error measures the predictions alone.": on_val + four_penalties,
                       "This is half of the mean, with the penalty: the error is the mean of the squares, and nothing else.": on_val / 2 + four_penalties,
                       "This is half of the mean squared error.": on_val / 2, "This is the root of the mean squared error.": on_val.sqrt(),
                       "This is the sum of the squares, not the mean.": 4 * on_val, "The mean is over the four validation examples: divide by their number.": 4 * on_val / 3,
                       "The weights come from the training data: nothing is fitted to the validation data.":
                       torch.stack([((val_X[:, 0] * weight_ - val_y) ** 2).mean() for weight_ in w_of_val]),
                       "This is the gap, the validation error minus the training error: the validation error itself is asked for.": on_val - on_train,
                       "This is the training error minus the validation error: the validation error itself is asked for.": on_train - on_val,
                       "This is the norm: it belongs in column 2.": four_w, "This is the training error again.": on_train})
assert_close(found[:, 2].double(), four_w, "the norms of w, which is 0.5, 2, 0.8 and 1.25", rtol=1e-4, of="norm", hint="The norm of a single weight is its size.",
             mistakes={"This is the penalty: the norm alone is asked for.": four_penalties, "This is half of the squared norm.": four_w ** 2 / 2,
                       "Each λ has a fit of its own: this is the norm of the first again and again.": four_w[[0, 0, 0, 0]],
                       "This is the validation error: it belongs in column 1.": on_val, "This is the training error: it belongs in column 0.": on_train, "This is the square of the norm.": four_w ** 2})
crossed = metrics(torch.diag(torch.tensor([3., 4.], dtype=torch.float64)), torch.tensor([9., -16.], dtype=torch.float64), torch.ones(1, 2, dtype=torch.float64), val_y[:1], [0.])
assert_close(crossed[0, 2].double(), torch.tensor(5., dtype=torch.float64), "X = [[3, 0], [0, 4]], y = (9, -16), λ = 0: the norm of w = (3, -4)", rtol=1e-4, of="norm", hint="The root of 3² + (-4)².",
             mistakes={"This is the sum of the absolute values.": torch.tensor(7., dtype=torch.float64), "This is the square of the norm.": torch.tensor(25., dtype=torch.float64),
                       "This is the sum of the weights: the norm is the root of the sum of their squares.": torch.tensor(-1., dtype=torch.float64),
                       "This is the size of the largest entry, not the norm.": torch.tensor(4., dtype=torch.float64),
                       "This is the largest entry, not the norm.": torch.tensor(3., dtype=torch.float64),
                       "The norm is not divided by the number of weights.": torch.tensor(2.5, dtype=torch.float64),
                       "This is the mean of the sizes: the norm is the root of the sum of squares.": torch.tensor(3.5, dtype=torch.float64),
                       "The norm is the root of the sum of squares, not of their mean.": torch.tensor(12.5, dtype=torch.float64).sqrt()})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(374)
table, aims = torch.randn(12, 4, generator=rng, dtype=torch.float64), torch.randn(12, generator=rng, dtype=torch.float64)
other, others = torch.randn(5, 4, generator=rng, dtype=torch.float64), torch.randn(5, generator=rng, dtype=torch.float64)
found, wanted = metrics(table, aims, other, others, [0.01, 1., 0.3, 10., 1.]), []
for lambd_ in (0.01, 1., 0.3, 10., 1.):
    gram = table.T @ table / 12
    gram.diagonal().add_(lambd_)
    best = torch.linalg.pinv(gram) @ table.T @ aims / 12
    wanted.append([((table @ best - aims) ** 2).mean().item(), ((other @ best - others) ** 2).mean().item(), (best @ best).item() ** 0.5])
wanted = torch.tensor(wanted, dtype=torch.float64)
assert_type(found, torch.Tensor, "what metrics returns", of="shape")
assert_shape(found, (5, 3), "the shape for five λ, two of them equal", of="shape", hint="A row for each λ of the list, three columns.")
assert_shape(metrics(table, aims, other, others, [0.2]), (1, 3), "the shape for a single λ", of="shape", hint="A table with one row has two axes, too.")
for column, name in enumerate(("training error", "validation error", "norm")):
    assert_close(found[:, column].double(), wanted[:, column], f"column {column}, 12 and 5 examples of 4 features", rtol=1e-3, of=name,
                 hint=("The mean of the squares over all of the training examples, with the weights of `ridge` for each λ as it is.",
                       "The mean of the squares over all of the validation examples, with the same weights as in column 0.",
                       "The root of the sum of the squares of all four weights.")[column])
### END HIDDEN TESTS

# %% [markdown]
# ## Choosing λ
#
# Real features now. The table of houses in Ames has 73 columns besides the price. With one column for each value of a text column (2.2) they
# are 312. We take 150 houses to fit, so there are more features than examples; 150 others to choose, and 1,000 for the report. Means and
# standard deviations come from the 150; columns that do not vary among them are dropped.

# %% tags=["demo"]
houses = pd.read_csv(d2l.data_file("ames.csv"))
table = pd.get_dummies(houses.drop(columns="Sale_Price"), dtype=float)
all_features = torch.tensor(table.to_numpy())
log_price = torch.tensor(houses["Sale_Price"].to_numpy(dtype="float64")).log()

def houses_for(seed):
    """Three pairs (X, y), centred and scaled by the training set: 150, 150 and 1,000 houses."""
    order = torch.randperm(len(houses), generator=torch.Generator().manual_seed(seed))
    sets = order[:150], order[150:300], order[-1000:]
    mean, std = all_features[sets[0]].mean(dim=0), all_features[sets[0]].std(dim=0)
    varies = std > 0
    return [((all_features[rows][:, varies] - mean[varies]) / std[varies], log_price[rows] - log_price[sets[0]].mean()) for rows in sets]

train, val, test = houses_for(0)
grid = [10. ** (k / 2) for k in range(-8, 5)]
fits = [ridge(*train, lambd) for lambd in grid]
lines = {name: [squared_error(X @ w, y).item() for w in fits] for name, (X, y) in (("training", train), ("validation", val))}
best = min(range(len(grid)), key=lambda i: lines["validation"][i])
print(f"{train[0].shape[1]} features; the smallest validation error, {lines['validation'][best]:.4f}, is at λ = {grid[best]:.3g};"
      f" at λ = 0.0001 it is {lines['validation'][0]:.4f}")
print(f"test error at this λ: {squared_error(test[0] @ fits[best], test[1]):.4f}")
print(f"errors if all weights are 0: {train[1].square().mean():.3f} on the training set, {val[1].square().mean():.3f} on the validation set")

figure, axes = plt.subplots(1, 2, figsize=(8.5, 3.1), layout="constrained")
axes[0].plot(grid, lines["training"], "o-", label="training error")
axes[0].plot(grid, lines["validation"], "s--", label="validation error")
axes[0].set(xscale="log", yscale="log", xlabel="λ", ylabel="mean squared error")
axes[0].legend(loc="lower right")
axes[1].plot(grid, [w.norm() for w in fits], "^-", color="C2")
axes[1].set(xscale="log", xlabel="λ", ylabel="norm of the weights", ylim=(0, None))
for ax in axes:
    ax.grid(alpha=0.3)
plt.show()

# %% [markdown]
# What to see: the training error can only rise with λ, since the data have less and less to say in the fit. The norm of the weights falls. The
# validation error falls first, less overfitting, and then rises, underfitting. With almost no penalty the 150 houses are met exactly and
# new ones are missed by a lot; the right λ divides the validation error by more than ten. (At the right end the training error is even the larger of the
# two. There hardly anything is fitted, all predictions are near the mean, and the log prices of these 150 training houses happen to vary more than
# those of the 150 others, 0.192 against 0.141.)

# %% [markdown] task="3.7.2" kind="explain" minutes=9 difficulty=3 needs="ridge regression, validation set, test set, hyperparameter, overfitting"
# ### Is it really the best λ?
#
# Write `price_of_choice(train, val, test, lambdas)`. Each of the first three is a pair `(X, y)`, of shapes `(n, d)` and `(n,)`. Fit `ridge` (no bias,
# nothing centred) to the training set for each λ. Return a pair: the λ that validation chooses, and the *price*: its test error minus the smallest test error of
# all `lambdas`. (To look at the test error of every λ is allowed here, since nothing is chosen by it: we want to know what the choice cost.)
#
# Then answer in words, with the help of the picture and the table after the check: is the λ chosen on validation data really the optimal one? Does it matter? And
# why is it not chosen on the training data, or on the test data?
#
# **You are done when**
# - **choice**: the first number is the one of `lambdas`, in whatever order they stand, with the smallest mean squared error on the validation set;
# - **price**: the second is the difference of two mean squared errors on the test set, 0 if the choice is the best there, too;
# - **fit**: all weights come from the training set alone.
#
# The words are complete when each of the three questions has an answer with a reason.

# %% exercise="3.7.2"
def price_of_choice(train, val, test, lambdas):
    """(λ with the smallest validation error, its test error minus the smallest test error)."""
    ### BEGIN SOLUTION
    fitted = [ridge(*train, lambd) for lambd in lambdas]
    val_errors = [squared_error(val[0] @ w, val[1]).item() for w in fitted]
    test_errors = [squared_error(test[0] @ w, test[1]).item() for w in fitted]
    chosen = val_errors.index(min(val_errors))
    return lambdas[chosen], test_errors[chosen] - min(test_errors)
    ### END SOLUTION

# %% [markdown] hints="3.7.2"
# 1. Can the price be negative? When is it 0?
# 2. Two lists of errors over the same weights; the position of the smallest in the one is looked up in the other.
# 3. With validation errors 5, 3, 4 and test errors 6, 4.5, 4 for three λ, the second is chosen and the price is 0.5. In the words: what happens
#    to the validation error if another 150 houses are drawn?

# %% check="3.7.2" points=2
def three_tables(seed, sizes, d, noise):
    rng = torch.Generator().manual_seed(seed)
    truth = torch.randn(d, generator=rng, dtype=torch.float64)
    tables = []
    for n in sizes:
        X = torch.randn(n, d, generator=rng, dtype=torch.float64)
        tables.append((X, X @ truth + noise * torch.randn(n, generator=rng, dtype=torch.float64)))
    return tables

def errors_on(tables, lambdas, rows_of):
    X, y = torch.cat([tables[i][0] for i in rows_of]), torch.cat([tables[i][1] for i in rows_of])
    errors, penalties, sizes = [], [], []
    for lambd_ in lambdas:
        gram = X.T @ X / len(X)
        gram.diagonal().add_(lambd_)
        w_ = torch.linalg.solve(gram, X.T @ y / len(X))
        errors.append([((a @ w_ - b) ** 2).mean().item() for a, b in tables])
        penalties.append(lambd_ / 2 * (w_ @ w_).item())
        sizes.append((tables[1][0] @ w_ - tables[1][1]).abs().mean().item())
    return errors, penalties, sizes

def rules_of(errors, penalties, sizes):                # wrong ways to choose, with the positions that they choose
    every = range(len(errors))
    return {"This is the smallest λ, always the best on the data of the fit: fit to the training set, choose on the validation set.": min(every, key=lambda i: errors[i][0]),
            "This is the λ with the largest validation error: the smallest is asked for.": max(every, key=lambda i: errors[i][1]),
            "This λ is the best on the test set: choose on the validation set.": min(every, key=lambda i: errors[i][2]),
            "This λ has the smallest mean absolute error on the validation set: squares are asked for.": sizes.index(min(sizes)),
            "This λ has the smallest sum of training and validation error: the validation error alone counts.": min(every, key=lambda i: errors[i][0] + errors[i][1]),
            "This λ has the smallest sum of validation and test error: the validation error alone counts.": min(every, key=lambda i: errors[i][1] + errors[i][2]),
            "This λ has the smallest validation error plus penalty: no penalty belongs in an error.": min(every, key=lambda i: errors[i][1] + penalties[i]),
            "This λ has the smallest J on the validation set, half of the error plus penalty: the error alone counts.": min(every, key=lambda i: errors[i][1] / 2 + penalties[i]),
            "This λ has the smallest gap between training and validation error: the validation error itself is to be small.":
            min(every, key=lambda i: abs(errors[i][1] - errors[i][0])),
            "At this λ the validation error, followed along the list, stops falling for the first time: look at the whole list.":
            next(i for i in every if i + 1 == len(errors) or errors[i + 1][1] >= errors[i][1])}

def check_the_price(tables, lambdas, name):
    lambdas = tuple(lambdas)                          # the answer gets lists of its own
    def errors_of(rows_of):
        return errors_on(tables, lambdas, rows_of)
    errors, penalties, sizes = errors_of([0])
    position = [min(range(len(lambdas)), key=lambda i: errors[i][j]) for j in range(3)]
    on_test = [row[2] for row in errors]
    best_test = on_test[position[2]]
    answer = price_of_choice(*tables, list(lambdas))
    assert_type(answer, (tuple, list), f"what price_of_choice returns, {name}", hint="A pair: λ, then the price.", of="choice")
    assert_equal(len(answer), 2, f"how many numbers come back, {name}", hint="Two: λ and the price.", of="choice")
    assert_type(answer[1], (int, float, torch.Tensor, np.ndarray), f"the price, {name}", of="price", hint="One number: a difference of two errors on the test set.")
    unsorted = sorted(lambdas).index(lambdas[position[1]])
    sentences = rules_of(errors, penalties, sizes)
    # a λ alone may have many reasons; a sentence is said only where the price, too, is that of this λ with weights from the training set,
    # and where the answer chooses by the same rule from other tables
    others = three_tables(1482, (11, 9, 10), 6, 2.)
    again = price_of_choice(*others, list(lambdas))
    same_rule = {sentence for sentence, i in rules_of(*errors_on(others, lambdas, [0])).items()
                 if isinstance(again, (tuple, list)) and len(again) == 2
                 and isinstance(again[0], (int, float, torch.Tensor, np.ndarray, np.generic)) and np.prod(np.shape(again[0])) == 1 and abs(float(again[0]) - lambdas[i]) < 1e-6}
    said = {sentence: lambdas[i] for sentence, i in sentences.items() if sentence in same_rule and np.prod(np.shape(answer[1])) == 1
            and abs(float(answer[1]) - (on_test[i] - best_test)) < 1e-3 * (on_test[i] - best_test) + 1e-6}
    if any(abs(float(answer[1]) - (on_test[i] - best_test)) < 1e-3 * (on_test[i] - best_test) + 1e-6 for i in (unsorted, position[1]) if np.prod(np.shape(answer[1])) == 1):
        said |= {"The position was found in another order than that of `lambdas`, which need not be sorted.": lambdas[unsorted]}
    mean, std, level_ = tables[0][0].mean(dim=0), tables[0][0].std(dim=0), tables[0][1].mean()
    otherwise = {}                                     # the same choice with weights from elsewhere: λ and price, where the price says enough
    n_train = len(tables[0][1])
    for sentence, others_, rows_, times in (
            ("Nothing is fitted to the validation set: fit to the training set, choose on the validation set.", tables, [1], 1),
            ("These weights come from training and validation data together: fit to the training set alone.", tables, [0, 1], 1),
            ("`ridge` multiplies λ by n itself: hand it λ as it is, not n times λ.", tables, [0], n_train),
            ("`ridge` multiplies λ by n itself: hand it λ as it is, not λ divided by n.", tables, [0], 1 / n_train),
            ("`ridge` is to get X and y as they are: here the training set is centred.", [(a - mean, b - level_) for a, b in tables], [0], 1),
            ("`ridge` is to get X and y as they are: here the features are scaled.", [((a - mean) / std, b - level_) for a, b in tables], [0], 1)):
        rows_ = errors_on(others_, [times * lambd_ for lambd_ in lambdas], rows_)
        i = min(range(len(lambdas)), key=lambda i: rows_[0][i][1])
        price_ = rows_[0][i][2] - min(row[2] for row in rows_[0])
        if price_ > 1e-4:
            otherwise[sentence] = lambdas[i], price_
    said |= {sentence: lambd_ for sentence, (lambd_, price_) in otherwise.items()
             if np.prod(np.shape(answer[1])) == 1 and abs(float(answer[1]) - price_) < 1e-3 * price_ and lambd_ != lambdas[position[1]]}
    taken = [i for i, lambd_ in enumerate(lambdas) if isinstance(answer[0], (int, float, torch.Tensor, np.ndarray, np.generic)) and np.prod(np.shape(answer[0])) == 1
             and abs(float(answer[0]) - lambd_) < 1e-6]
    assert_close(answer[0], lambdas[position[1]], f"the λ chosen from {list(lambdas)}, {name}", rtol=1e-6, of="choice",
                 hint=f"With `ridge` fitted to the training set as it is, neither centred nor scaled, the validation error of λ = {lambdas[taken[0]]:g} is {errors[taken[0]][1]:.4g}:"
                      " another λ of the list has a smaller one." if taken else "This is none of the λ in the list.",
                 mistakes=said | {"This is the position in the list: return λ itself.": float(position[1]),
                                  "λ stands first.": errors[position[1]][2] - best_test})
    assert_equal(int(np.prod(np.shape(answer[1]))), 1, f"how many numbers the price is, {name}", of="price", hint="One number, that of the chosen λ.")
    both = errors_of([0, 1])[0]
    refitted = both[position[1]][2] - min(row[2] for row in both)
    mixed = both[position[1]][2] - min(row[2] for row in errors)
    assert_true(min(abs(float(answer[1]) - refitted), abs(float(answer[1]) - mixed)) > 1e-7, f"the price is that of weights from the training set alone, {name}",
                hint="Here the weights were fitted again, to training and validation data together.", of="fit")
    on_itself = errors_of([2])[0]
    best_fit = min(row[2] for row in on_itself)
    fitted_to_test = [on_test[position[1]] - best_fit, on_itself[position[1]][2] - best_fit, on_itself[position[1]][2] - best_test]
    assert_true(min(abs(float(answer[1]) - price_) for price_ in fitted_to_test) > 1e-7, f"nothing is fitted to the test set, {name}",
                hint="This price has an error of weights that were fitted to the test set: both errors are those of weights from the training set.", of="fit")
    assert_close(answer[1], errors[position[1]][2] - best_test, f"the price, {name}", rtol=1e-3, atol=1e-6, of="price",
                 hint="λ is right. The price is its error on the test set minus the smallest error there of all λ in the list, with the weights from the training set.",
                 mistakes={sentence: price_ for sentence, (lambd_, price_) in otherwise.items() if lambd_ == lambdas[position[1]]} | {
                           "This is the difference of two errors on the validation set: both are to be those on the test set.": errors[position[2]][1] - errors[position[1]][1],
                           "These are norms of the residuals: take the means of their squares.": (errors[position[1]][2] ** 0.5 - best_test ** 0.5) * len(tables[2][1]) ** 0.5,
                           "This is the test error itself: subtract the smallest one.": errors[position[1]][2],
                           "The sign is wrong: the chosen one comes first.": best_test - errors[position[1]][2],
                           "Both errors are to be those on the test set.": errors[position[1]][1] - best_test,
                           "It is 0 only where the choice is the best on the test set, too; here it is not. On the validation set it would always be 0.": 0.,
                           "Compare with the smallest test error, not with the validation error.": abs(errors[position[1]][2] - errors[position[1]][1]),
                           "These are roots of mean squared errors.": errors[position[1]][2] ** 0.5 - best_test ** 0.5,
                           "These are sums of squares: take the mean.": (errors[position[1]][2] - best_test) * len(tables[2][1]),
                           "The mean squared error has no factor 1/2.": (errors[position[1]][2] - best_test) / 2,
                           "This is the ratio of the two, not the difference.": errors[position[1]][2] / best_test,
                           "Compare with the smallest test error of all λ, not with that of the smallest λ.": errors[position[1]][2] - errors[position[0]][2],
                           "The chosen λ is compared with the best one, not with the worst.": max(on_test) - errors[position[1]][2],
                           "This is the largest test error minus the smallest: the price is that of the chosen λ.": max(on_test) - best_test,
                           "Compare with the smallest test error, not with the mean of all.": errors[position[1]][2] - sum(on_test) / len(on_test),
                           "The difference is asked for, not divided by the smallest test error.": errors[position[1]][2] / best_test - 1,
                           "The difference is asked for, not divided by the test error.": 1 - best_test / errors[position[1]][2],
                           "These are training errors: the price is one of errors on the test set.": errors[position[1]][0] - errors[position[0]][0],
                           "This is the difference of two λ, not of two errors.": lambdas[position[1]] - lambdas[position[2]],
                           "This is the size of the difference of two λ, not of two errors.": abs(lambdas[position[1]] - lambdas[position[2]])})

check_the_price(three_tables(303, (12, 8, 9), 6, 2.), [0.8, 0.05, 20., 0.02, 2., 0.3, 0.5, 0.2, 0.1, 0.01], "12, 8 and 9 examples of 6 features")

def one_column(values, targets):
    return torch.tensor(values, dtype=torch.float64)[:, None], torch.tensor(targets, dtype=torch.float64)

best_on_both = price_of_choice(one_column([1.], [2.]), one_column([1.], [1.]), one_column([2.], [2.2]), [3., 1., 0.])
assert_close(best_on_both[0], 1., "the λ chosen from 3, 1 and 0, which give the weights 0.5, 1 and 2, for a validation set with x = (1), y = (1)", rtol=1e-6, of="choice",
             hint="The validation errors are 0.25, 0 and 1.")
assert_close(best_on_both[1], 0., "the price with the test set x = (2), y = (2.2)", atol=1e-6, of="price",
             hint="The test errors are 1.44, 0.04 and 3.24: the chosen λ has the smallest of all three.",
             mistakes={"The price is never negative: the smallest test error is looked for among all λ, the chosen one included.": -1.4,
                       "This is the test error itself: subtract the smallest one.": 0.04})

with_zero = price_of_choice(one_column([1.], [2.]), one_column([1.], [2.]), one_column([2.], [2.2]), [3., 1., 0.])
assert_close(with_zero[0], 0., "the λ chosen from the same list for a validation set with x = (1), y = (2)", atol=1e-9, of="choice",
             hint="The validation errors are 2.25, 1 and 0.", mistakes={"λ = 0 stands in the list: to have no penalty may be the best choice.": 1.})
assert_close(with_zero[1], 3.2, "the price with the test set x = (2), y = (2.2), where λ = 0 is chosen", rtol=1e-4, of="price", hint="The test errors are 1.44, 0.04 and 3.24.")

def two_valleys(size):                                # weights 25 / (1 + λ/50) and 20 / (1 + 2λ), times size
    X, Id = torch.diag(torch.tensor([10., 1.], dtype=torch.float64)), torch.diag(torch.ones(2, dtype=torch.float64))
    return (X, size * torch.tensor([250., 20.], dtype=torch.float64)), (Id, size * torch.tensor([12.5, 10.], dtype=torch.float64))

train_pair, val_pair = two_valleys(1.)
assert_close(price_of_choice(train_pair, val_pair, train_pair, [5., 0.5, 50., 0.])[0], 50., "the λ chosen from 5, 0.5, 50 and 0, X = [[10, 0], [0, 1]], y = (250, 20), validation set X = [[1, 0], [0, 1]], y = (12.5, 10)",
             rtol=1e-6, of="choice", hint="From λ = 0 to λ = 50 the validation errors are 128.1, 75.1, 85.8 and 48.0: the curve has two valleys.",
             mistakes={"This is the bottom of the first valley of the validation error: there is a second, deeper one.": 0.5})
### BEGIN HIDDEN TESTS
check_the_price(three_tables(268, (20, 10, 15), 9, 3.), [0.01, 0.1, 20., 0.3, 8., 1.2, 3., 0.5, 5., 0.8], "20, 10 and 15 examples of 9 features")
check_the_price(three_tables(116, (9, 14, 6), 5, 1.), [0.3, 0.02, 20., 0.5, 0.2, 3., 0.8, 0.1, 0.01, 0.05], "9, 14 and 6 examples of 5 features")
best_on_both = price_of_choice(one_column([2.], [3.]), one_column([1., 2.], [0.8, 1.4]), one_column([3.], [2.3]), [0.5, 4., 8., 2.])
assert_close(best_on_both[0], 4., "the λ chosen where it is the best on the test set, too", rtol=1e-6, of="choice", hint="It is the λ with the smallest mean squared error on the validation set.")
assert_close(best_on_both[1], 0., "the price where the choice is the best on the test set, too", atol=1e-6, of="price",
             hint="The smallest test error is looked for among all λ, the chosen one included.")
with_zero = price_of_choice(one_column([2.], [3.]), one_column([1.], [1.6]), one_column([3.], [4.]), [0.5, 0., 2.])
assert_close(with_zero[0], 0., "the λ chosen where no penalty is the best", atol=1e-9, of="choice", hint="λ = 0 stands in the list: it takes part like any other.")
assert_close(with_zero[1], 0.25, "the price where no penalty is chosen", rtol=1e-4, of="price", hint="The test error at λ = 0, minus the smallest test error of the list.")
train_pair, val_pair = two_valleys(0.3)
assert_close(price_of_choice(train_pair, val_pair, train_pair, [0.1, 60., 0.6, 9.])[0], 60., "the λ chosen where the validation error has two valleys", rtol=1e-6, of="choice",
             hint="The smallest error of the whole list counts, not the first valley's.")
### END HIDDEN TESTS

# %% tags=["demo"]
figure, ax = plt.subplots(figsize=(5.2, 3), layout="constrained")
prices = []
for seed in range(8):
    parts_of_houses = houses_for(seed)
    weights = [ridge(*parts_of_houses[0], lambd) for lambd in grid[4:]]
    on_val, on_test = ([squared_error(X @ w, y).item() for w in weights] for X, y in parts_of_houses[1:])
    i = on_val.index(min(on_val))
    prices.append((grid[4:][i], on_test[i], on_test[i] - min(on_test)))
    ax.plot(grid[4:], on_val, color="C0", alpha=0.5)
    ax.plot(grid[4:][i], on_val[i], "o", color="C1")
ax.set(xscale="log", xlabel="λ", ylabel="validation error", ylim=(0.015, 0.1))
ax.grid(alpha=0.3)
plt.show()
for lambd, error, price in prices:
    print(f"λ = {lambd:5.3g}: test error {error:.4f}, price of the choice {price:.4f}")

# %% [markdown]
# What to see: eight draws of 150 + 150 houses, one validation curve each, the chosen λ as a dot. Look at two things: are the dots at one
# place, and how much higher is a curve one grid point beside its dot? The lines below the picture tell what each choice cost.

# %% [markdown] written="3.7.2" points=4
# ### BEGIN SOLUTION
# It is the best of the tried values for *these* validation examples and *these* training examples. Other draws choose another λ: in the eight draws
# it is 0.316 four times and 1 four times. The λ that is best for the true generalisation error is known to nobody, and between the values of the grid there
# may be a better one.
#
# It matters little. Near its lowest point the validation curve is flat, so neighbouring values do nearly as well: the price was at most 0.0010,
# while the test errors themselves differ from draw to draw by far more, between 0.0281 and 0.0374. The order of magnitude counts: λ = 0.0001 or 100 would
# be bad. One should also not expect more than validation can tell: the smallest validation error is a little too kind, since it
# was selected, and the report needs the test set.
#
# On the training data the choice would always be the smallest λ, since every penalty makes the training error larger. On the test data it would
# spoil the test set: its error at the chosen λ would be the smallest of several numbers, too kind, and there would be nothing left
# for an honest report.
#
# **Rubric**
# - [1] Not the optimum in general: it depends on the validation (and training) examples drawn, or on the grid; evidence from the figure or the price; lost by "validation gives the optimal λ".
# - [1] It matters little, because the error is flat around the minimum (or because the price is small compared with the noise of the estimates); also accepted: only the order of magnitude matters; lost by a claim about accuracy of λ without a look at the error.
# - [1] The training error would choose the smallest λ (0), since it rises with λ; lost by "it would overfit the λ" without the direction.
# - [1] The test error must not choose, because it would then no longer be an honest estimate (too small); lost by "the test set is too small".
# ### END SOLUTION

# %% [markdown] teaches="trace"
# ## Weights in a matrix
#
# A layer with several outputs has a weight *matrix* $W$ of shape $(m, n)$. Its penalty is the sum of all squared entries, the square of
# the *Frobenius norm* of 2.3, $\|W\|_F^2 = \sum_{ij} w_{ij}^2$. For a vector one may write $\|\mathbf w\|^2 = \mathbf w^\top \mathbf w$. For a matrix,
# $W^\top W$ is not a number but a matrix of shape $(n, n)$. What is in it? Entry $(j, k)$ is the dot product of columns $j$ and $k$. So on
# the diagonal stand the squared lengths of the columns, and their sum is the sum of all squares. The sum of the diagonal entries of
# a square matrix is its **trace**, `torch.trace`.

# %%
torch.trace(torch.tensor([[1., 9.], [7., 4.]]))

# %% [markdown] task="3.7.4" kind="code" minutes=4 difficulty=2 needs="frobenius norm, ℓ2 penalty, trace"
# ### The penalty of a matrix
#
# Write `norm_by_trace(W)` for `W` of shape `(m, n)`: a pair of the matrix $W^\top W$ and the squared Frobenius norm as its trace.
#
# **You are done when**
# - **matrix**: the first is $W^\top W$, of shape `(n, n)`;
# - **number**: the second is the sum of the squares of all entries of `W`, a number or a tensor of one entry.

# %% exercise="3.7.4"
def norm_by_trace(W):
    """(WᵀW, |W|² by its trace) for W (m, n)."""
    ### BEGIN SOLUTION
    gram = W.T @ W
    return gram, torch.trace(gram)
    ### END SOLUTION

# %% [markdown] hints="3.7.4"
# 1. Which of `W.T @ W` and `W @ W.T` holds the dot products of the columns?
# 2. The matrix product, not the product of entries; then the sum of the diagonal.
# 3. For W = [[1, 2]]: WᵀW = [[1, 2], [2, 4]], trace 5 = 1² + 2².

# %% check="3.7.4" points=1
wide = torch.tensor([[1., 2., 0.], [0., -1., 3.]])
answer = norm_by_trace(wide)
assert_type(answer, (tuple, list), "what norm_by_trace returns", hint="A pair: the matrix, then the number.", of="matrix")
assert_equal(len(answer), 2, "how many things come back", hint="Two: the matrix, then the number.", of="matrix")
assert_shape(answer[0], (3, 3), "the shape of WᵀW for W of shape (2, 3)", of="matrix",
             hint="The matrix WᵀW stands first; entry (j, k) is the dot product of columns j and k.",
             mistakes={"These are dot products of the rows, WWᵀ: asked for are those of the columns.": (2, 2),
                       "This has the shape of W, as products entry by entry have: asked for are dot products of columns.": (2, 3)})
assert_close(answer[0], torch.tensor([[1., 2., 0.], [2., 5., -3.], [0., -3., 9.]]), "WᵀW for W = [[1, 2, 0], [0, -1, 3]]", of="matrix", hint="The diagonal is right. Beside it, entry (0, 1) is the dot product of the columns (1, 0) and (2, -1), and so on."
             if bool(((answer[0].diagonal() - torch.tensor([1., 5., 9.])).abs() < 1e-4).all()) else "On the diagonal stand the squared lengths of the columns: 1, 5 and 9.",
             mistakes={"This is the cosine of the angle between two columns: they are not divided by their lengths.": (wide / wide.norm(dim=0)).T @ (wide / wide.norm(dim=0)),
                       "The products of different columns stand beside the diagonal.": torch.diag(torch.tensor([1., 5., 9.])),
                       "The columns are to be multiplied as they are: no mean is subtracted.": (wide - wide.mean(0)).T @ (wide - wide.mean(0)),
                       "This is a covariance: no mean is subtracted, and nothing is divided.": (wide - wide.mean(0)).T @ (wide - wide.mean(0)) / 2,
                       "The sums are not divided: each entry is a dot product, not a mean.": wide.T @ wide / 2,
                       "One side of the diagonal is empty: entry (j, k) and entry (k, j) are the same dot product.": torch.triu(wide.T @ wide)})
other_number = norm_by_trace(torch.tensor([[2., 1.], [0., 1.]]))[1]
other_number = float(other_number) if isinstance(other_number, (int, float, torch.Tensor, np.ndarray, np.generic)) and np.prod(np.shape(other_number)) == 1 else 0.
why_zero = {"This is the trace of W itself, squared: it is the trace of WᵀW that holds all squares.": 9., "This is the determinant of WᵀW: its trace is asked for.": 4.}
in_four_rows = norm_by_trace(torch.tensor([[1.], [2.], [2.], [0.]]))[1]
in_four_rows = float(in_four_rows) if isinstance(in_four_rows, (int, float, torch.Tensor, np.ndarray, np.generic)) and np.prod(np.shape(in_four_rows)) == 1 else 0.
why_half = {"This is half of it: the 1/2 belongs to the penalty, not to the norm.": 4.5, "This is divided by the number of rows: the squares are to be added.": 2.25}
assert_close(answer[1], 15., "the squared norm of [[1, 2, 0], [0, -1, 3]]", rtol=1e-4, of="number", hint="The matrix is right: the number is the sum of its diagonal, 1 + 5 + 9.",
             mistakes={"These are the squares of 1, 5 and 9, added: the diagonal of WᵀW holds squared lengths already.": 107., "This is the trace of WᵀW times itself: WᵀW holds the squares already.": 133., "This is 9, the largest entry of the diagonal, or a norm of another kind: add all three.": 9.,
                       "This is the sum of the sizes of all entries of W: their squares count.": 7.,
                       "This is the square of the largest singular value: all squares count.": 10.701562,
                       "This is a mean of squares: they are to be added.": 2.5, "This is the mean of the diagonal: its entries are to be added.": 5.,
                       "This is the sum of the singular values of W: the trace of WᵀW is asked for.": torch.linalg.svdvals(wide).sum().item(),
                       "The diagonal of WᵀW has as many entries as W has columns, 3: the last is missing.": 6.,
                       "This is the Frobenius norm of WᵀW: the trace of it is asked for.": math.sqrt(133),
                       "This is the product of the diagonal entries: they are to be added.": 45.,
                       "This is the norm: its square was asked for.": math.sqrt(15), "This is the sum of all entries of WᵀW.": 13.,
                       "The trace adds the entries of the diagonal and no others.": 25., "These are the squares on the diagonal of W alone: all its entries count.": 2.,
                       **{sentence: 7.5 for sentence, there in why_half.items() if abs(in_four_rows - there) < 1e-4},
                       "The trace is the squared norm already.": 225.,
                       **{sentence: 0. for sentence, there in why_zero.items() if abs(other_number - there) < 1e-4}})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(375)
for shape in ((4, 4), (5, 2), (1, 3)):
    W = torch.randn(shape, generator=rng, dtype=torch.float64)
    answer = norm_by_trace(W)
    assert_shape(answer[0], (shape[1], shape[1]), f"the shape of WᵀW for W of shape {shape}", of="matrix", hint="It has a row and a column for each column of W.")
    assert_close(answer[0], (W[:, :, None] * W[:, None, :]).sum(dim=0), f"WᵀW for W of shape {shape}", rtol=1e-4, atol=1e-6, of="matrix",
                 hint=lambda: where_they_part(lambda W: norm_by_trace(W)[0], lambda W: (W[:, :, None] * W[:, None, :]).sum(dim=0), W=W))
    assert_close(answer[1], W.square().sum().item(), f"the squared norm of a matrix of shape {shape}", rtol=1e-4, of="number",
                 hint=lambda: where_they_part(lambda W: norm_by_trace(W)[1], lambda W: W.square().sum(), W=W))
### END HIDDEN TESTS

# %% [markdown]
# ## Weight decay in training
#
# Models other than linear regression have no closed form; there the penalty goes into training. There are two places for it, and they come
# to the same. Take a hard case: 200 features and 20 examples, $y = 0.05 + \sum_j 0.01\, x_j$ plus a little noise.
#
# **In the loss.** The from-scratch class of 3.4 needs one more line. Add the penalty only while training: the validation loss is to measure the
# predictions, else it could not be compared between different λ.

# %%
class DecayInLoss(d2l.LinearRegressionScratch):
    """Linear regression with λ/2 |w|² in the training loss."""

    def __init__(self, num_inputs, lambd, lr):
        super().__init__(num_inputs, lr)
        self.save_hyperparameters()

    def loss(self, y_hat, y):
        fit_loss = super().loss(y_hat, y)                       # mean of (y_hat - y)² / 2
        return fit_loss + self.lambd * (self.w ** 2).sum() / 2 if self.training else fit_loss

# %% tags=["demo"]
torch.manual_seed(0)
data = d2l.SyntheticRegressionData(w=torch.full((200,), 0.01), b=0.05, noise=0.01, num_train=20, num_val=100, batch_size=5)
for lambd in (0, 3):
    torch.manual_seed(1)
    model = DecayInLoss(200, lambd, lr=0.01)
    trainer = d2l.Trainer(max_epochs=10, verbose=False)
    trainer.fit(model, data)
    model.eval()                                                # as in validation: the loss without the penalty
    train_loss = model.loss(model(data.X[:20]), data.y[:20]).item()
    print(f"λ = {lambd}: loss on the 20 examples {train_loss:.6f}, on 100 others {trainer.history[-1]['val_loss']:.4f}, |w| = {model.w.norm():.3f}")

# %% [markdown] teaches="parameter group"
# Without decay the 20 examples are learnt by heart and the others are not; with it, the training loss is larger and the validation loss less than half.
#
# **In the optimizer.** The step $(1 - \eta\lambda)\mathbf w - \eta\, \partial L/\partial \mathbf w$ needs no penalty in the loss at all. `torch.optim.SGD` takes
# `weight_decay=λ` and adds $\lambda \mathbf w$ to each gradient before its step. It would do so for *every* parameter that it is given, the
# bias too. So the parameters are handed over in two **parameter groups**, dictionaries with settings of their own:

# %%
w, b = torch.ones(2, requires_grad=True), torch.ones(1, requires_grad=True)
optimizer = torch.optim.SGD([{"params": [w], "weight_decay": 0.5}, {"params": [b]}], lr=0.1)
(0 * w.sum() + 0 * b.sum()).backward()                         # a loss that asks for nothing: all gradients are 0
optimizer.step()
w.tolist(), b.tolist()

# %% [markdown]
# The weights lost a twentieth, $0.1 \cdot 0.5$, the bias kept its 1.

# %% [markdown] task="3.7.8a" kind="code" minutes=4 difficulty=2 needs="ℓ2 penalty"
# ### The penalty in the loss
#
# Write `penalised_loss(w, b, X, y, lambd)`: the value of $J$, a tensor of shape `()` through which gradients reach `w` and `b`. `w` has
# shape `(d,)`, `b` shape `(1,)` or `()`, `X` shape `(n, d)`, `y` shape `(n,)`.
#
# **You are done when**
# - **fit**: for λ = 0 it is the mean of *half* the squared errors;
# - **penalty**: λ/2 times the squared norm of `w` is added, once and not once an example; the bias is not in it;
# - **gradient**: it reaches `w` and `b`, and is right also where all weights are 0;
# - **shape**: the result has shape `()`.

# %% exercise="3.7.8a"
def penalised_loss(w, b, X, y, lambd):
    """|X w + b - y|² / (2n) + lambd |w|² / 2, shape ()."""
    ### BEGIN SOLUTION
    return ((X @ w + b - y) ** 2 / 2).mean() + lambd * (w ** 2).sum() / 2
    ### END SOLUTION

# %% [markdown] hints="3.7.8a"
# 1. Over what is the first term a mean, and over what is the second a sum?
# 2. Write it with tensors all the way; `float()` and `.item()` would cut the graph.
# 3. With w = (3), b = 1, X = [[1]], y = (2), λ = 4: error 2, half its square 2, penalty 18, together 20.

# %% check="3.7.8a" points=2
@probe
def loss_and_gradients(w, b, X, y, lambd):
    w, b = w.clone().requires_grad_(), b.clone().requires_grad_()
    value = penalised_loss(w, b, X, y, lambd)
    if not torch.is_tensor(value):
        return {"value": value, "graph": 0}
    if not value.requires_grad:
        return {"value": value, "graph": 0}
    grads = torch.autograd.grad(value.sum(), [w, b], allow_unused=True)
    return {"value": value.detach(), "graph": 1, "gradients": [torch.zeros_like(p) if g is None else g for p, g in zip((w, b), grads)]}

inputs = torch.tensor([2., -1.]), torch.tensor([3.]), torch.tensor([[1., 0.], [0., 1.], [1., 1.]]), torch.tensor([4., 2., 1.])
assert_shape(penalised_loss(*inputs, 0.), (), "the shape for b of shape (1,)", of="shape",
             hint="A tensor without axes is asked for." + (
                 " This one is with an axis, as b is: nothing of b's shape may be left outside of the mean."
                 if tuple(np.shape(penalised_loss(*inputs, 0.))) == (1,) else " (A Python number is no tensor.)"))
assert_shape(penalised_loss(inputs[0], inputs[1][0], *inputs[2:], 0.), (), "the shape for b of shape ()", of="shape", hint="For b of shape (1,) it is right: what is done to b is to work without an axis, too.")
every_pair = ((torch.tensor([5., 2., 4.])[:, None] - inputs[3]) ** 2).mean().item() / 2
single_errors = [penalised_loss(torch.zeros(2), torch.tensor([error_]), torch.zeros(1, 2), torch.zeros(1), 0.) for error_ in (1., 3.)]
if abs(float(single_errors[0]) - 0.5) > 1e-4:
    which_error = f"Already for one example with error 1 your result is not 1/2 but {float(single_errors[0]):.4g}."
elif abs(float(single_errors[1]) - 4.5) > 1e-4:
    which_error = f"One example with error 1 gives 1/2, as it should. One with error 3 gives {float(single_errors[1]):.4g}: it is to be half the square, 9/2, for large errors, too."
else:
    which_error = "One example with error 3 gives 9/2, as it should. Of the three here, with 1/2, 0 and 9/2, the mean is to be taken."
assert_close(penalised_loss(*inputs, 0.), 5 / 3, "the value for λ = 0, where the errors are 1, 0 and 3", rtol=1e-4, of="fit", hint=which_error,
             mistakes={"The factor 1/2 is missing.": 10 / 3, "This is the sum over the examples, not the mean.": 5., "This is the sum of the squares: the mean of half of them is asked for.": 10.,
                       "Every prediction meets every target: one of the two has shape (n, 1), the other (n,).": every_pair, "The bias belongs in the predictions.": 13 / 6,
                       "These are absolute errors: squares are asked for.": 2 / 3, "These are absolute errors: half of their squares is asked for.": 4 / 3,
                       "Square each error first, then take the mean.": 8 / 9, "This is the square of the mean error: square each error first, and halve.": 16 / 9,
                       "This is the root of the mean square.": math.sqrt(10 / 3), "This is half the root of the mean square: no root is taken.": math.sqrt(10 / 3) / 2,
                       "One half is enough.": 5 / 6, "The mean is over the examples, 3: divide by their number, not by that of the weights.": 2.5})
def which_cost():
    """Weights one at a time, where b, X and y are 0."""
    for w_, lambd_, cost, name in (([2., 0.], 4., 8., "the weights 2 and 0"), ([0., -1.], 4., 2., "the weights 0 and -1"), ([4., 0.], 4., 32., "the weights 4 and 0"),
                                   ([2., 0.], 8., 16., "the weights 2 and 0"), ([2., -1.], 4., 10., "the weights 2 and -1")):
        yours = float(penalised_loss(torch.tensor(w_), torch.tensor([0.]), torch.zeros(1, 2), torch.zeros(1), lambd_))
        if abs(yours - cost) > 1e-3:
            return (f" Where b, X and y are 0 and λ = {lambd_:g}, {name} are to cost {cost:g}; with you it is {yours:.4g}."
                    + (" One at a time their costs are right, 8 and 2: they are to be added." if cost == 10 else ""))
    biased = float(penalised_loss(torch.zeros(2), torch.tensor([3.]), torch.zeros(1, 2), torch.tensor([3.]), 4.))
    return f" Where w is 0 and b = 3 meets y = 3, J is to be 0; with you it is {biased:.4g}: the bias is in the penalty." if abs(biased) > 1e-3 else ""

four_weights = float(penalised_loss(torch.tensor([1., 2., 0., -1.]), torch.tensor([5.]), torch.zeros(1, 4), torch.tensor([5.]), 3.))
why_less = {"The squares of the weights are added: no mean is taken.": 2.25, "The penalty is λ/2 times the sum of the squares: this is half of that.": 4.5}
assert_close(penalised_loss(*inputs, 4.), 5 / 3 + 10., "the value for w = (2, -1), b = 3, λ = 4", rtol=1e-4, of="penalty",
             hint=lambda: f"Without the fit, 5/3, it is a penalty of {float(penalised_loss(*inputs, 4.)) - 5 / 3:.4g}: it is to be λ/2 times the squared norm of w, 2 · (4 + 1)." + which_cost(),
             mistakes={"The penalty is missing.": 5 / 3, "The penalty has a factor 1/2.": 5 / 3 + 20., "The bias is in the penalty.": 5 / 3 + 28.,
                       "The penalty is divided by the number of examples: it does not belong into the mean.": 5 / 3 + 10 / 3,
                       "The penalty is added once, not once for each example.": 5 / 3 + 30., "The penalty is to be added, not subtracted.": 5 / 3 - 10.,
                       **{sentence: 5 / 3 + 5. for sentence, there in why_less.items() if abs(four_weights - there) < 1e-4},
                       "The penalty is missing its factor λ.": 5 / 3 + 2.5,
                       "The factor of the penalty is λ/2, not λ²/2.": 5 / 3 + 40., "The square of the second weight, -1, is missing: negative and small weights count, too.": 5 / 3 + 8.,
                       "This is the norm, not its square.": 5 / 3 + 2 * math.sqrt(5.), "These are absolute values, not squares.": 5 / 3 + 6.,
                       "Square each weight first, then add: this is the square of the sum of their sizes.": 5 / 3 + 18.,
                       "The squared norm is squared once more here: it is the sum of the squares already.": 5 / 3 + 50.,
                       "Square each weight first, then add: this is the square of their sum.": 5 / 3 + 2.})
assert_close(penalised_loss(torch.tensor([1., 2., 0., -1.]), torch.tensor([5.]), torch.zeros(1, 4), torch.tensor([5.]), 3.), 9.,
             "the value for w = (1, 2, 0, -1), b = 5, X = [[0, 0, 0, 0]], y = (5), λ = 3", rtol=1e-4, of="penalty",
             hint="The error is 0; the squared norm of w is 6, and λ/2 is 1.5.",
             mistakes={"The squares of the weights are added: no mean is taken.": 4.5, "The squares of the weights are added, not averaged.": 2.25,
                       "λ is an argument: this is the value for λ = 4.": 12.})
both = loss_and_gradients(*inputs, 2.)
assert_equal(both["graph"], 1, "gradients can be computed through the result (1: yes, 0: no)", hint=".item(), float() and .detach() cut the graph.", of="gradient")
assert_close(both["gradients"], [torch.tensor([4 / 3 + 4., 1. - 2.]), torch.tensor([4 / 3])], "the gradients with respect to w = (2, -1) and b = 3, λ = 2", of="gradient",
             hint="With respect to w it is that of the fit, (4/3, 1), plus λw = (4, -2): no part may be cut off by .detach() or .item().",
             mistakes={"The gradient of the fit does not reach w: something like .item() or .detach() cuts it off.": [torch.tensor([4., -2.]), torch.tensor([4 / 3])],
                       "The gradient of the penalty is missing: something like .item() or .detach() cuts it off.": [torch.tensor([4 / 3, 1.]), torch.tensor([4 / 3])],
                       "No gradient reaches b: something like .item() or .detach() cuts it off.": [torch.tensor([4 / 3 + 4., 1. - 2.]), torch.tensor([0.])],
                       "Half of the penalty's gradient is missing: one of the two factors w is cut off.": [torch.tensor([4 / 3 + 2., 1. - 1.]), torch.tensor([4 / 3])],
                       "No gradient reaches w or b: the result is a new tensor that does not know where it came from.": [torch.zeros(2), torch.zeros(1)]})
assert_close(loss_and_gradients(torch.zeros(2), *inputs[1:], 2.)["gradients"], [torch.tensor([1 / 3, 1.]), torch.tensor([2 / 3])],
             "the gradients with respect to w = (0, 0) and b = 3, λ = 2", of="gradient",
             hint="The penalty has the gradient λw, 0 here. A root has no slope at 0, also where it is squared again: the squared norm needs no root.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(376)
for n, d, shape in ((7, 3, ()), (4, 6, (1,))):
    given = [torch.randn(s, generator=rng, dtype=torch.float64) for s in ((d,), shape, (n, d), (n,))]
    residual = given[2] @ given[0] + given[1] - given[3]
    for lambd_, name in ((0., "fit"), (0.7, "penalty")):
        assert_shape(penalised_loss(*given, lambd_), (), f"the shape for b of shape {shape}", of="shape", hint="A tensor without axes, whether b has one or not.")
        both = loss_and_gradients(*given, lambd_)
        assert_equal(both["graph"], 1, "gradients can be computed through the result (1: yes, 0: no)", of="gradient", hint=".item(), float() and .detach() cut the graph.")
        assert_close(both["value"], (residual.square().mean() / 2 + lambd_ / 2 * given[0] @ given[0]).item(), f"the value, {n} examples of {d} features, λ = {lambd_}", rtol=1e-4, of=name,
                     hint=lambda: where_they_part(lambda w, b, X, y: penalised_loss(w, b, X, y, lambd_).detach(),
                                                  lambda w, b, X, y: (X @ w + b - y).square().mean() / 2 + lambd_ / 2 * w @ w,
                                                  w=given[0], b=given[1], X=given[2], y=given[3]))
        assert_close(both["gradients"], [given[2].T @ residual / n + lambd_ * given[0], residual.mean().reshape(shape)],
                     f"the gradients, {n} examples of {d} features, λ = {lambd_}", rtol=1e-4, atol=1e-6, of="gradient",
                     hint="The value is right, so a part of it reaches w or b not as it should: no part may be cut off by .detach() or .item().")
        at_zero = given[1] - given[3]
        assert_close(loss_and_gradients(0 * given[0], *given[1:], lambd_)["gradients"], [given[2].T @ at_zero / n, at_zero.mean().reshape(shape)],
                     f"the gradients at weights of 0, {n} examples of {d} features, λ = {lambd_}", rtol=1e-4, atol=1e-6, of="gradient",
                     hint="At 0 the penalty has the gradient 0, and that of the fit is left: the squared norm needs no root.")
### END HIDDEN TESTS

# %% [markdown] task="3.7.8b" kind="code" minutes=5 difficulty=3 core=true needs="weight decay, parameter group, ℓ2 penalty"
# ### The penalty in the optimizer
#
# Write `make_optimizer(w, b, lr, lambd)`: an optimizer of torch for the two leaf tensors `w`, of shape `(d,)`, and `b`, of shape `(1,)`. The check
# trains with it on the mean of half the squared errors, with *no* penalty in the loss, and compares with gradient descent on $J$.
#
# **You are done when**
# - **same weights**: after several steps `w` is what gradient descent on $J$ gives, also for d = 1;
# - **bias free**: `b` does not decay: it stays where its gradient is 0, and is what gradient descent on $J$ gives;
# - **learning rate**: for λ = 0 a step is lr times the gradient.

# %% exercise="3.7.8b"
def make_optimizer(w, b, lr, lambd):
    """SGD that decays w and leaves b alone."""
    ### BEGIN SOLUTION
    return torch.optim.SGD([{"params": [w], "weight_decay": lambd}, {"params": [b]}], lr=lr)
    ### END SOLUTION

# %% [markdown] hints="3.7.8b"
# 1. Which setting of `torch.optim.SGD` makes weights decay, and for which parameters does it hold?
# 2. Two groups: a dictionary for `w` with its `weight_decay`, one for `b` without.
# 3. Two learning rates are given in the same way: `torch.optim.SGD([{"params": [u], "lr": 0.1}, {"params": [v]}], lr=0.01)`.

# %% check="3.7.8b" points=3
@probe
def trained_with_it(w, b, X, y, lr, lambd, steps):
    w, b = w.clone().requires_grad_(), b.clone().requires_grad_()
    optimizer_ = make_optimizer(w, b, lr, lambd)
    if optimizer_ is None:
        return optimizer_
    if not isinstance(optimizer_, torch.optim.Optimizer):
        return []
    for _ in range(steps):
        optimizer_.zero_grad()
        ((X @ w + b - y) ** 2 / 2).mean().backward()
        optimizer_.step()
    return [w.detach(), b.detach()]

def by_hand(w, b, X, y, lr, lambd, steps, decay_bias=False, factor=1.0, lr_bias=None, lr_weights=None):
    for _ in range(steps):
        residual = X @ w + b - y
        w, b = w - (lr if lr_weights is None else lr_weights) * (X.T @ residual / len(X) + factor * lambd * w), b - (lr if lr_bias is None else lr_bias) * (residual.mean() + decay_bias * lambd * b)
    return [w, b]

def pulled(w, b, X, y, lr, steps, pull):
    for _ in range(steps):
        residual = X @ w + b - y
        w, b = w - lr * (X.T @ residual / len(X) + pull(w)), b - lr * residual.mean()
    return [w, b]

def shrunk_after(w, b, X, y, lr, lambd, steps):
    for _ in range(steps):
        residual = X @ w + b - y
        w, b = (1 - lr * lambd) * (w - lr * X.T @ residual / len(X)), b - lr * residual.mean()
    return [w, b]

def plain_steps(kind, w, b, X, y, steps=2, **settings):
    w, b = w.clone().requires_grad_(), b.clone().requires_grad_()
    stepper = kind([w, b], **settings)
    for _ in range(steps):
        stepper.zero_grad()
        ((X @ w + b - y) ** 2 / 2).mean().backward()
        stepper.step()
    return [w.detach(), b.detach()]

begin = torch.tensor([2., -1.]), torch.tensor([3.]), torch.tensor([[1., 0.], [0., 1.], [1., 1.]]), torch.tensor([4., 2., 1.])
first_steps = trained_with_it(*begin, 0.1, 0., 2)
assert_type(first_steps, (list, tuple), "what make_optimizer returns, after two steps with it", of="learning rate", hint="It is to return the optimizer.")
assert_true(len(first_steps) == 2, "make_optimizer returns an optimizer of torch", hint="One object of torch.optim, made with both tensors: not a class, not one of d2l, and two groups, not two optimizers.", of="learning rate")
with_lambda = trained_with_it(*begin, 0.1, 0.5, 1)[0]
not_moved = ("The weights have not moved: the optimizer is to have `w` itself." if torch.equal(with_lambda, begin[0]) else
             "The weights have not moved, though with λ = 0.5 they do: lr is to be their learning rate.")
assert_close(first_steps, by_hand(*begin, 0.1, 0., 2), "w and b after two steps with λ = 0, lr = 0.1", of="learning rate",
             hint="A step is to be lr times the gradient and nothing else, as with torch.optim.SGD and no setting but lr: no momentum, no dampening.",
             mistakes={"RMSprop rescales the gradient: a plain step is lr times it.": plain_steps(torch.optim.RMSprop, *begin, lr=0.1),
                       "Adagrad rescales the gradient: a plain step is lr times it.": plain_steps(torch.optim.Adagrad, *begin, lr=0.1),
                       "A plain step is lr times the gradient, without momentum; this is 0.5.": plain_steps(torch.optim.SGD, *begin, lr=0.1, momentum=0.5),
                       "A plain step is lr times the gradient, without Nesterov's momentum.": plain_steps(torch.optim.SGD, *begin, lr=0.1, momentum=0.9, nesterov=True),
                       "NAdam rescales the gradient: a plain step is lr times it.": plain_steps(torch.optim.NAdam, *begin, lr=0.1),
                       "Adamax rescales the gradient: a plain step is lr times it.": plain_steps(torch.optim.Adamax, *begin, lr=0.1),
                       "Adadelta rescales the gradient: a plain step is lr times it.": plain_steps(torch.optim.Adadelta, *begin, lr=0.1),
                       "Rprop looks at the sign of the gradient alone: a plain step is lr times the gradient.": plain_steps(torch.optim.Rprop, *begin, lr=0.1),
                       "These steps are half as long: lr is the learning rate as it is.": by_hand(*begin, 0.05, 0., 2), "These steps are twice as long: lr is the learning rate as it is.": by_hand(*begin, 0.2, 0., 2),
                       "The bias makes steps half as long: the learning rate is for both groups.": by_hand(*begin, 0.1, 0., 2, lr_bias=0.05),
                       "With λ = 0 nothing is to decay: weight_decay is λ, not lr.": by_hand(*begin, 0.1, 0.1, 2),
                       "With λ = 0 nothing is to decay: weight_decay is λ itself; here it is 1.": by_hand(*begin, 0.1, 1., 2),
                       "The bias has not moved: the optimizer is to have both tensors.": by_hand(*begin, 0.1, 0., 2, lr_bias=0.),
                       not_moved: by_hand(*begin, 0.1, 0., 2, lr_weights=0.),
                       "Nothing has moved: the optimizer is to have `w` and `b` themselves, not copies, and lr for its learning rate.": [begin[0], begin[1]],
                       "The bias makes steps of another length: the learning rate is for both groups.": by_hand(*begin, 0.1, 0., 2, lr_bias=1e-3),
                       "These are steps of torch's default length: lr is not used.": by_hand(*begin, 1e-3, 0., 2),
                       "These steps go up: the loss is to be minimised.": by_hand(*begin, -0.1, 0., 2),
                       "Adam and AdamW rescale the gradient: a plain step is lr times it.": plain_steps(torch.optim.Adam, *begin, lr=0.1),
                       "AdamW rescales the gradient: a plain step is lr times it.": plain_steps(lambda both, **s: torch.optim.AdamW([{"params": both[:1], "weight_decay": 0.}, {"params": both[1:]}], **s), *begin, lr=0.1),
                       "A plain step is lr times the gradient, without momentum.": plain_steps(torch.optim.SGD, *begin, lr=0.1, momentum=0.9)})
level_X, level_y = torch.zeros(2, 2), torch.full((2,), 3.)
assert_close(trained_with_it(begin[0], begin[1], level_X, level_y, 0.1, 0.5, 3)[1], torch.tensor([3.]), "b = 3 after three steps where its gradient is 0, λ = 0.5", of="bias free",
             hint="Nothing may pull at b here: neither a gradient nor a decay. With λ = 0 the steps were right: b must not see λ, in whatever setting.",
             mistakes={"The bias decays: the weight_decay of its group is to be 0.": torch.tensor([3. * 0.95 ** 3]),
                       "The bias decays, and its gradient pulls it back: the weight_decay of its group is to be 0.": by_hand(begin[0], begin[1], level_X, level_y, 0.1, 0.5, 3, True)[1]})
def first_that_differs():
    """The first of the six steps that leads elsewhere."""
    for k in range(1, 7):
        if any((mine - right).abs().max() > 1e-5 for mine, right in zip(trained_with_it(*begin, 0.1, 0.4, k), by_hand(*begin, 0.1, 0.4, k))):
            still = trained_with_it(begin[0], begin[1], level_X, level_y, 0.1, 0.4, 1)[0]
            if k > 1:
                return f" Up to step {k - 1} all is right: the later steps are to have the same lr and the same decay."
            if abs(still[0] - 1.92) < 1e-5 and abs(still[1] + 0.96) < 1e-5:
                return " Where the gradient is 0, w = (2, -1) becomes (1.92, -0.96), as it should: the decay is to be the same whatever the gradient is."
            return f" Where the gradient is 0, w = (2, -1) becomes ({still[0]:.5g}, {still[1]:.5g}) in the first step: it is to be (1.92, -0.96)."
    return ""

assert_close(trained_with_it(*begin, 0.1, 0.4, 6), by_hand(*begin, 0.1, 0.4, 6), "w and b after six steps, lr = 0.1, λ = 0.4", of="same weights",
             hint=lambda: "With λ = 0 the steps are right: in each step w is to lose lr · λ of itself besides, no more and no less." + first_that_differs(),
             mistakes={"The weights do not decay. The group of w is to have the key \"weight_decay\", in this spelling: torch does not complain of a key that it does not know.":
                       by_hand(*begin, 0.1, 0., 6),
                       "A step takes the share lr · λ = 0.04 of w, and leaves 0.96; this leaves e to the power of -0.04, which is a little more.": by_hand(*begin, 0.1, 0.4, 6, factor=(1 - math.exp(-0.04)) / 0.04), "They decay twice as fast: the gradient of λ/2 · w² is λw.": by_hand(*begin, 0.1, 0.4, 6, factor=2.),
                       "They decay half as fast: weight_decay is λ itself, not λ/2.": by_hand(*begin, 0.1, 0.4, 6, factor=0.5),
                       "weight_decay is λ, not λ times lr: the optimizer multiplies by lr itself.": by_hand(*begin, 0.1, 0.4, 6, factor=0.1),
                       "weight_decay is λ, not λ divided by lr: the optimizer multiplies by lr itself.": by_hand(*begin, 0.1, 0.4, 6, factor=10.),
                       "λ is the decay, not the momentum.": plain_steps(torch.optim.SGD, *begin, steps=6, lr=0.1, momentum=0.4),
                       "weight_decay is λ, not its square.": by_hand(*begin, 0.1, 0.4, 6, factor=0.4), "The weights must shrink: weight_decay is λ, not -λ.": by_hand(*begin, 0.1, 0.4, 6, factor=-1.),
                       "The decay is that of the weights before the step: here the new ones are shrunk.": shrunk_after(*begin, 0.1, 0.4, 6),
                       "The pull has the same strength for every weight: it is to be λ times the weight.": pulled(*begin, 0.1, 6, lambda w: 0.4 * w.sign()),
                       "λ itself is added to the gradient: the pull is to be λ times the weight.": pulled(*begin, 0.1, 6, lambda w: 0.4),
                       "The pull is λ times the weights of the start: it is to follow the weights.": pulled(*begin, 0.1, 6, lambda w: 0.4 * begin[0]),
                       "The weights have decayed once, at the start: they are to decay in every step.": by_hand(0.96 * begin[0], *begin[1:], 0.1, 0., 6)})
assert_close(trained_with_it(begin[0][:1], begin[1], level_X[:, :1], level_y, 0.1, 0.5, 3)[0], torch.tensor([2. * 0.95 ** 3]),
             "w = (2), a single weight, after three steps where its gradient is 0, λ = 0.5", of="same weights",
             hint="It decays as others do, by a twentieth in each step: which tensor is the bias does not show in its size.",
             mistakes={"A single weight decays, too: w is the first argument, whatever its size.": torch.tensor([2.])})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(377)
for n, d, lr_, lambd_, steps_ in ((8, 3, 0.05, 2., 15), (5, 6, 0.1, 0.3, 9), (7, 1, 0.2, 0.6, 8)):
    given = [torch.randn(s, generator=rng, dtype=torch.float64) for s in ((d,), (1,), (n, d), (n,))]
    assert_close(trained_with_it(*given, lr_, 0., 2), by_hand(*given, lr_, 0., 2), f"two steps with λ = 0, {d} weights, lr = {lr_}", of="learning rate", hint="Both w and b go down by lr times their gradient, for every lr.")
    flat = torch.zeros(n, d, dtype=torch.float64), given[1].expand(n)
    assert_close(trained_with_it(given[0], given[1], *flat, lr_, lambd_, 5)[1], given[1], f"b after five steps where its gradient is 0, λ = {lambd_}", of="bias free", hint="Nothing may pull at b here: it has no gradient, and does not decay.")
    assert_close(trained_with_it(*given, lr_, lambd_, steps_), by_hand(*given, lr_, lambd_, steps_), f"w and b after {steps_} steps, {d} weights, λ = {lambd_}", of="same weights",
                 hint="In each step w loses lr · λ of itself, and goes down by lr times the gradient at the weights before the step, for every λ and every number of weights.")
### END HIDDEN TESTS

# %% [markdown]
# ### Two traps
#
# ⚠ **The half again.** `d2l.WeightDecayScratch(num_inputs, lambd, lr)` is the class above: its loss is the mean of $(\hat y - y)^2 / 2$.
# `d2l.WeightDecay(wd, lr)` uses torch's layers, and its loss is the mean of $(\hat y - y)^2$, *without* the half (3.5). The weights decay by
# $\eta\lambda$ in both. With the same two numbers they do not learn the same, as a run from the same start shows:

# %% tags=["demo"]
def train_both(lambd, lr, wd, lr_concise):
    """The norms of w after ten epochs from the same start, on the same batches."""
    norms = []
    for kind in ("scratch", "concise"):
        torch.manual_seed(1)
        model = d2l.WeightDecayScratch(200, lambd, lr) if kind == "scratch" else d2l.WeightDecay(wd, lr_concise)
        if kind == "concise":
            model(data.X[:1])                                  # a lazy layer gets its shape from the first batch
        with torch.no_grad():
            weight = model.w if kind == "scratch" else model.net.weight
            weight.copy_(torch.linspace(-0.02, 0.02, 200).reshape(weight.shape))
        torch.manual_seed(2)
        d2l.Trainer(max_epochs=10, verbose=False, device="cpu").fit(model, data)
        norms.append(round(weight.norm().item(), 6))
    return norms

print("λ = 3, lr = 0.01 in both:", train_both(3, 0.01, 3, 0.01))

# %% [markdown]
# The norms differ, 0.05694 and 0.05961: in the second run the data count twice as much, and the penalty as before.

# %% [markdown] task="3.7.C" kind="code" minutes=3 difficulty=2 needs="weight decay, learning rate, factor two between losses"
# ### Settings that match
#
# Write `matching_settings(lambd, lr)`: the pair `(wd, lr_concise)` with which `d2l.WeightDecay(wd, lr_concise)` makes exactly the steps that
# `d2l.WeightDecayScratch(num_inputs, lambd, lr)` makes, for weights *and* bias.
#
# **You are done when**
# - **learning rate**: the step down the loss is the same;
# - **decay**: the weights shrink by the same factor.

# %% exercise="3.7.C"
def matching_settings(lambd, lr):
    """(wd, lr) of d2l.WeightDecay for those of d2l.WeightDecayScratch."""
    ### BEGIN SOLUTION
    return 2 * lambd, lr / 2
    ### END SOLUTION

# %% [markdown] hints="3.7.C"
# 1. How do the gradients of the two losses differ? Which learning rate undoes that?
# 2. The weights shrink by the factor $1 - \eta\lambda$. If the learning rate changes, what must the decay do to leave this product alone?
# 3. For a loss that is ten times as large, as with targets summed over ten examples: a tenth of the learning rate, ten times the decay.

# %% check="3.7.C" points=1
pair = matching_settings(3., 0.01)
assert_type(pair, (tuple, list, torch.Tensor, np.ndarray), "what matching_settings returns", hint="Two numbers: the decay, then the learning rate.", of="learning rate")
assert_equal(len(pair), 2, "how many numbers come back", hint="Two: the decay, then the learning rate.", of="learning rate")
assert_close(pair[1], 0.005, "lr_concise for λ = 3, lr = 0.01", rtol=1e-6, of="learning rate",
             hint="Without the half the gradient of the loss is twice as large. Which rate makes the step as long as before?",
             mistakes={"This is lr itself: the loss of WeightDecay is twice as large, so its steps would be twice as long.": 0.01,
                       "It is the other way round: the loss without the half is the larger one.": 0.02,
                       "This is the decay: it stands first.": 6., "Halve the rate with /: `//` leaves whole numbers.": 0.,
                       "One factor 2 is enough: this is a quarter of lr.": 0.0025,
                       "The gradient of the loss without the half is twice as large, not √2 times.": 0.01 / math.sqrt(2)})
assert_close(pair[0], 6., "wd for λ = 3, lr = 0.01", rtol=1e-6, of="decay",
             hint=lambda: f"With the new rate, 0.005, the product lr · wd is to be 0.01 · 3 = 0.03 again: yours is {0.005 * float(pair[0]):.4g}.",
             mistakes={"This is the product of λ and the new rate: it is the product of lr and λ that is divided by the new rate.": 0.015,
                       "This is the product of λ and lr: it is still to be divided by the new rate.": 0.03, "One factor 2 is enough: lr is halved only once.": 12.,
                       "The weights shrink by lr · wd: if lr is halved, so is the decay.": 3., "The product lr · wd must stay what it was.": 1.5})
pair = matching_settings(0.5, 0.2)
assert_close(pair[1], 0.1, "lr_concise for λ = 0.5, lr = 0.2", rtol=1e-6, of="learning rate", hint="For λ = 3, lr = 0.01 it was right: half of lr, whatever lr is.",
             mistakes={"These are the settings for λ = 3, lr = 0.01: use the arguments.": 0.005})
assert_close(pair[0], 1., "wd for λ = 0.5, lr = 0.2", rtol=1e-6, of="decay", hint="For λ = 3, lr = 0.01 it was right: with the new rate, 0.1, the product lr · wd is to be 0.2 · 0.5.",
             mistakes={"This is the setting for λ = 3, lr = 0.01: use the arguments.": 6.,
                       "This takes the product of λ = 3 and lr = 0.01, 0.03: now it is 0.1.": 0.3})
### BEGIN HIDDEN TESTS
for lambd_, lr_ in ((0.4, 0.2), (10., 0.03)):
    w, v = torch.tensor([1.5, -2.], dtype=torch.float64), torch.tensor([0.3, 0.7], dtype=torch.float64)      # weights, gradient of the half loss
    wd, lr_concise = (float(number) for number in matching_settings(lambd_, lr_))
    assert_close(lr_concise * 2 * v, lr_ * v, f"the step down the loss for λ = {lambd_}, lr = {lr_}", rtol=1e-6, of="learning rate",
                 hint="The new rate depends on lr alone, and is the same share of it for every lr.")
    assert_close(w - lr_concise * wd * w, w - lr_ * lambd_ * w, f"the shrunken weights for λ = {lambd_}, lr = {lr_}", rtol=1e-6, of="decay",
                 hint="The product of wd and the new rate is to be λ · lr, for every λ and lr.")
### END HIDDEN TESTS

# %% [markdown]
# ⚠ **Other optimizers.** "Penalty in the loss" and "decay in the step" are the same for SGD. They are not the same for optimizers that rescale
# the gradient. The best known is *Adam*: roughly, it divides each weight's gradient by the size that this gradient has lately had, so that all weights make
# steps of about the same length. In `torch.optim.Adam`, $\lambda \mathbf w$ is added to the gradient first and is divided with it. Where the gradients of the loss are large,
# next to nothing of the decay is left. `torch.optim.AdamW` divides the gradient of the loss alone, and multiplies the weight itself by
# $1 - \eta\lambda$. Here the two weights have gradients of very different size, and ought to decay by the same factor:

# %% tags=["demo"]
for kind in (torch.optim.Adam, torch.optim.AdamW):
    w = torch.tensor([1., 1.], requires_grad=True)
    optimizer = kind([w], lr=0.01, weight_decay=0.5)
    for step in range(100):
        optimizer.zero_grad()
        (w @ torch.tensor([100., 0.1]) * (-1) ** step).backward()      # a gradient that changes its sign: on average it asks for nothing
        optimizer.step()
    print(f"{kind.__name__:5}: weights {w[0].item():.3f}, {w[1].item():.3f}")
print(f"the factor alone, a hundred times: {(1 - 0.01 * 0.5) ** 100:.3f}")

# %% [markdown]
# Under Adam the first weight, with the large gradients, has lost 2 % and the second 76 %. Under AdamW both have lost 41 %. The factor
# $1 - 0.01 \cdot 0.5$, a hundred times, takes 39 %; the rest is the gradient of the loss, which does not quite cancel. With an optimizer of this kind,
# take the W.

# %% [markdown] teaches="ℓ1 penalty, subgradient"
# ## Weights that are exactly zero
#
# Ridge regression makes all weights small and none zero: the closer a weight is to 0, the weaker the pull $\lambda w_j$. What if we penalise
# the absolute values, $\lambda \|\mathbf w\|_1 = \lambda \sum_j |w_j|$, the **ℓ1 penalty**? Its slope is $\lambda$ on the right of 0
# and $-\lambda$ on the left: a pull of constant strength, however small the weight. That can bring weights down to 0 and hold them
# there, which selects features; such weights are called **sparse**.
#
# The two penalties as pictures. At the minimum of loss plus penalty, let the penalty be $c$. No weights with a penalty of at most $c$ have a
# smaller loss, otherwise they would have the smaller sum. So one may also look for the smallest loss among all weights with a penalty of at most $c$.
# Below, this set is shaded, and the contours are those of a squared loss of two weights. The smallest loss in the set is where a contour first touches it.

# %% tags=["demo"]
ticks = torch.linspace(-1.6, 3, 231)                        # steps of 0.02: the corners are among the points
W1, W2 = torch.meshgrid(ticks, ticks, indexing="xy")
loss_of = (W1 - 2.2) ** 2 + 1.2 * (W2 - 0.7) ** 2 + 0.5 * (W1 - 2.2) * (W2 - 0.7)
figure, axes = plt.subplots(1, 2, figsize=(7.2, 3.4), layout="constrained")
for ax, (name, size) in zip(axes, {"ℓ2": W1 ** 2 + W2 ** 2, "ℓ1": W1.abs() + W2.abs()}.items()):
    inside = size <= 1 + 1e-6
    ax.contourf(ticks, ticks, size, levels=[0, 1], colors=["C0"], alpha=0.3)
    lowest = loss_of[inside].min()
    ax.contour(ticks, ticks, loss_of, levels=[0.3, 0.9, lowest, 4.5], colors="C1")
    touch = torch.where(inside, loss_of, torch.inf).flatten().argmin()
    ax.plot(W1.flatten()[touch], W2.flatten()[touch], "ko")
    ax.plot(2.2, 0.7, "x", color="C1")
    ax.set(title=f"{name}: w₁ = {W1.flatten()[touch]:.2f}, w₂ = {W2.flatten()[touch].abs():.2f}", xlabel="w₁", ylabel="w₂", aspect="equal")
plt.show()

# %% [markdown]
# What to see: the disc is touched at a point where both weights are not 0. The square on its corner is touched *at a corner*, on the
# axis, where $w_2$ is exactly 0. That is not so for every loss, but for a wide range of them: a corner sticks out.
#
# Now the update. $|w|$ has no derivative at 0. A **subgradient** takes its place: the slope of any line that meets the curve there and is nowhere above it. At
# $w > 0$ that is 1, at $w < 0$ it is -1, at 0 anything from -1 to 1; one takes $\operatorname{sign}(w)$, with 0 at 0, as `torch.sign` does. So
# the step is
#
# $$\mathbf w \leftarrow \mathbf w - \eta \left(\frac{\partial L}{\partial \mathbf w} + \lambda \operatorname{sign}(\mathbf w)\right).$$

# %% [markdown] task="3.7.3a" kind="code" minutes=3 difficulty=2 needs="ℓ1 penalty, subgradient"
# ### A step with the ℓ1 penalty
#
# Write `l1_step(w, gradient, lr, lambd)`: `w` after one subgradient step on $L + \lambda \|\mathbf w\|_1$. `gradient` is that of the loss $L$;
# both tensors have the same shape, with one or more axes.
#
# **You are done when**
# - **shape**: the result has the shape of `w`, a vector or a matrix;
# - **constant pull**: every weight that is not 0 is pulled towards 0 by the same amount, besides the step down the loss;
# - **no pull at zero**: a weight of 0 makes the step down the loss alone; if its gradient is 0, it stays 0;
# - **arguments kept**: `w` is as it was.

# %% exercise="3.7.3a"
def l1_step(w, gradient, lr, lambd):
    """w after one subgradient step on loss + lambd |w|₁."""
    ### BEGIN SOLUTION
    return w - lr * (gradient + lambd * torch.sign(w))
    ### END SOLUTION

# %% [markdown] hints="3.7.3a"
# 1. What takes the place of the $\lambda \mathbf w$ of weight decay?
# 2. `torch.sign` gives -1, 0 or 1 for each entry.
# 3. For a weight of -4, gradient 1, lr 0.5, λ 2: -4 - 0.5 · (1 - 2) = -3.5.

# %% check="3.7.3a" points=1
@probe
def l1_step_and_argument(w, gradient, lr, lambd):
    return [l1_step(w, gradient, lr, lambd), w]

given_w, given_g = torch.tensor([4., -4., 0.5]), torch.tensor([1., 1., 0.])
after, old = l1_step_and_argument(given_w, given_g, 0.25, 0.4)
assert_shape(after, (3,), "the shape for three weights", hint="A new value for each weight.", of="shape")

@probe
def l1_step_or_error(w, gradient, lr, lambd):
    try:
        return l1_step(w, gradient, lr, lambd)
    except (RuntimeError, TypeError, ValueError, IndexError) as error:
        return f"{type(error).__name__}: {error}"

of_matrix = l1_step_or_error(torch.tensor([[4., -4., 0.5], [1., 2., 3.]]), torch.zeros(2, 3), 0.25, 0.4)
assert_true(not isinstance(of_matrix, str), f"a matrix of weights, of shape (2, 3), has a step, too; yours stops with {of_matrix}", of="shape",
            hint="For a vector it came to an end. Of a matrix w[i] is a row and no number, and len(w) counts the rows: operations on whole tensors do not ask how many axes there are.")
assert_shape(of_matrix, (2, 3), "the shape for a matrix of weights, (2, 3)",
             hint="Weights may stand in a matrix, too; operations on whole tensors do not ask how many axes there are.", of="shape")
loss_step, w_sign = given_w - 0.25 * given_g, torch.tensor([1., -1., 1.])
down, moved = l1_step(given_w, given_g, 0.25, 0.), given_w - l1_step(given_w, 0 * given_g, 0.25, 0.4)
if tuple(np.shape(down)) != (3,) or (down - loss_step).abs().max() > 1e-4:
    which_part = "With λ = 0 the result is not w - lr · gradient either: the step down the loss is wrong."
elif (moved - 0.1 * w_sign).abs().max() > 1e-4:
    which_part = (f"With λ = 0 your step is right. With a gradient of 0 the three weights move by {', '.join(f'{0 - move:.3g}' for move in moved.tolist())}:"
                  " each is to move by lr · λ = 0.1, towards 0.")
else:
    which_part = "With λ = 0 your step is right, and so it is with a gradient of 0: where both count, the two changes are to be added."
assert_close(after, torch.tensor([3.65, -4.15, 0.4]), "w = (4, -4, 0.5), gradient (1, 1, 0), lr 0.25, λ 0.4", of="constant pull",
             hint=which_part,
             mistakes={"The pull on a weight is λ with its sign, not λ times the sum of all sizes.": loss_step - 0.85,
                       "The penalty is a sum over the weights, not their mean: λ is not divided by their number.": loss_step - 0.1 / 3 * w_sign,
                       "|w| is the penalty itself: the pull is its slope, the sign.": loss_step - 0.1 * given_w.abs(),
                       "The step down the loss is missing: this is the pull alone.": given_w - 0.1 * w_sign,
                       "A step goes down, against the gradient.": given_w + 0.25 * given_g + 0.1 * w_sign, "The penalty is missing.": loss_step,
                       "The step down the loss goes against its gradient.": given_w + 0.25 * given_g - 0.1 * w_sign,
                       "This is weight decay, the ℓ2 penalty: here the pull does not depend on the size of the weight.": loss_step - 0.1 * given_w,
                       "The pull goes towards 0 on both sides: on each weight it has the sign of this weight. Here the sign is missing, or it is one for all.": loss_step - 0.1,
                       "The pull must go towards 0, not away from it.": loss_step + 0.1 * w_sign,
                       "The pull is lr · λ.": loss_step - 0.4 * w_sign, "There is no factor 1/2 in this penalty.": loss_step - 0.05 * w_sign, "One factor lr is enough: the pull is lr · λ.": loss_step - 0.025 * w_sign,
                       "The sign is that of the weight, not of the gradient.": loss_step - 0.1 * given_g.sign(),
                       "The sign belongs to λ alone: the step down the loss does not take it.": given_w - 0.25 * (given_g + 0.4) * w_sign,
                       "These are the changes: add them to w.": torch.tensor([-0.35, -0.15, -0.1]),
                       "The step down the loss is lr times its gradient.": given_w - given_g - 0.1 * w_sign,
                       "The pull does not depend on the size of the weight: no root of it is taken.": loss_step - 0.1 * w_sign * given_w.abs().sqrt(),
                       "The pull is the same for every weight: do not divide by the largest.": loss_step - 0.1 * given_w / 4,
                       "The pull is the same for every weight: do not divide by the norm of w.": loss_step - 0.1 * given_w / given_w.norm()})
small_after = l1_step(torch.tensor([0.05, 0.5, -0.0001]), torch.tensor([0., 2., 0.]), 0.5, 0.2)
pull_is_right = tuple(np.shape(small_after)) == (3,) and abs(float(small_after[0]) + 0.05) < 1e-4 and abs(float(small_after[2]) - 0.0999) < 1e-4
assert_close(small_after, torch.tensor([-0.05, -0.6, 0.0999]), "w = (0.05, 0.5, -0.0001), gradient (0, 2, 0), lr 0.5, λ 0.2", of="constant pull",
             hint="The pull is right. Beside it the weight 0.5 goes down by lr · gradient = 0.5 · 2." if pull_is_right else
             "The pull is 0.1 on all three, however small the weight: down on the first two, up on the third.",
             mistakes={"The step down the loss is lr times the gradient, 0.5 · 2, not lr times its sign.": torch.tensor([-0.05, -0.1, 0.0999]),
                       "The pull does not stop at 0, and its sign is that of the weight before the step.": torch.tensor([0., -0.4, 0.]),
                       "The sign is that of the weight before the step.": torch.tensor([-0.05, -0.4, 0.0999]),
                       "A weight of -0.0001 is small, but not 0: it is pulled as the others are.": torch.tensor([-0.05, -0.6, -0.0001]),
                       "The pull does not stop at 0: it is lr · λ for every weight, however small.": torch.tensor([0., -0.6, 0.]),
                       "A weight may pass 0: this step does not stop there.": torch.tensor([0., 0., 0.])})
assert_close(l1_step(torch.tensor([0., 2., 0.]), torch.tensor([0., 0., 3.]), 0.5, 0.2), torch.tensor([0., 1.9, -1.5]), "w = (0, 2, 0), gradient (0, 0, 3), lr 0.5, λ 0.2", of="no pull at zero", hint="For the weights of 0 the step is that of the loss alone; w / |w|, which is 0 / 0 there, does not give a sign of 0.",
             mistakes={"A weight of 0 is not pulled, but the gradient of the loss moves it.": torch.tensor([0., 1.9, 0.]),
                       "For a weight of 0 this is the subgradient that works most against the gradient of the loss: the text takes 0.": torch.tensor([0., 1.9, -1.4]), "The sign of 0 is 0, not 1.": torch.tensor([-0.1, 1.9, -1.6]), "The sign of 0 is 0, not -1.": torch.tensor([0.1, 1.9, -1.4])})
assert_close(old, given_w, "w after the call", hint="`w -= ...` changes the caller's tensor, `w - ...` makes a new one.", of="arguments kept")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(378)
for shape, lr_, lambd_ in (((6,), 0.1, 3.), ((2, 4), 0.3, 0.5)):
    w_, g_ = torch.randn(shape, generator=rng, dtype=torch.float64), torch.randn(shape, generator=rng, dtype=torch.float64)
    w_[..., 3] = -0.002                                          # small, but not 0
    after, old = l1_step_and_argument(w_.clone(), g_, lr_, lambd_)
    assert_close(after, w_ - lr_ * g_ - lr_ * lambd_ * (w_ / w_.abs()), f"random weights of shape {shape}, lr {lr_}, λ {lambd_}", rtol=1e-5, atol=1e-6, of="constant pull",
                 hint=lambda: where_they_part(l1_step, lambda w, gradient, lr, lambd: w - lr * (gradient + lambd * w.sgn()),
                                              w=w_, gradient=g_, lr=lr_, lambd=lambd_))
    assert_shape(after, shape, f"the shape for weights of shape {shape}", of="shape", hint="The result has the shape of w, whatever axes there are.")
    assert_close(old, w_, "w after the call", of="arguments kept", hint="`w -= ...` changes the caller's tensor, `w - ...` makes a new one.")
    w_[..., 1:3], g_[..., 1] = 0., 0.
    assert_close(l1_step(w_, g_, lr_, lambd_)[..., 1:3], -lr_ * g_[..., 1:3], f"weights of 0 among others, shape {shape}", rtol=1e-5, atol=1e-6, of="no pull at zero",
                 hint="A weight of 0 makes the step down the loss, and nothing pulls at it besides.")
### END HIDDEN TESTS

# %% [markdown] teaches="soft thresholding"
# This step has a weakness: a weight near 0 is pulled past it, then back, and never comes to rest. Here is a weight of 0.25 that the data do not
# defend, pulled by 0.1 in each step:

# %%
w = torch.tensor([0.25])
for step in range(7):
    print(round(w.item(), 2), end="  ")
    w = w - 0.1 * torch.sign(w)

# %% [markdown]
# The remedy is to let the pull end at 0. Take the step down the loss first; it leads to some $u$. Then look for the $v$ near $u$
# that has the smallest
#
# $$\frac 12 (v - u)^2 + t |v|, \qquad t = \eta \lambda.$$
#
# For $v > 0$ the derivative is $v - u + t$, zero at $v = u - t$; that is positive only if $u > t$. For $v < 0$ in the same way $v = u + t$, if
# $u < -t$. In between, for $|u| \le t$, neither side has a zero of the derivative and the minimum is at $v = 0$. This is
# **soft thresholding**: move by $t$ towards 0, and stop there.
#
# $$S_t(u) = \operatorname{sign}(u) \max(|u| - t, 0)$$

# %% [markdown] task="3.7.D" kind="code" minutes=3 difficulty=2 core=true needs="soft thresholding"
# ### Soft thresholding
#
# Write `soft_threshold(u, t)`: $S_t$ of every entry of the floating point tensor `u`, which has one or more axes, in its shape and dtype. `t` is a number, 0 or more.
#
# **You are done when**
# - **shrunk**: entries with $|u| > t$ come closer to 0 by exactly t;
# - **exact zero**: all others become exactly 0, also those with $|u| = t$;
# - **shape and dtype**: they are those of `u`.

# %% exercise="3.7.D"
def soft_threshold(u, t):
    """sign(u) max(|u| - t, 0), entry by entry."""
    ### BEGIN SOLUTION
    return torch.sign(u) * (u.abs() - t).clamp(min=0)
    ### END SOLUTION

# %% [markdown] hints="3.7.D"
# 1. What is left of the *size* of an entry, and which sign does it get?
# 2. `x.clamp(min=0)` replaces negative numbers by 0.
# 3. For t = 2: 5 becomes 3, -2.5 becomes -0.5, 1.9 becomes 0.

# %% check="3.7.D" points=1
entries = torch.tensor([5., -2.5, 1.9, -0.3, 2., 0.])

def one_entry():
    """The entry 5 by itself, with other t."""
    single = [float(soft_threshold(torch.tensor([5.]), t_)[0]) for t_ in (2., 0., 1.)]
    if abs(single[0] - 3) < 1e-4:
        return " By itself 5 becomes 3, as it should: the entries beside it are not to count."
    if max(single) - min(single) < 1e-6:
        return (f" By itself 5 becomes {single[0]:.4g} whether t is 0, 1 or 2: t is not used."
                + (" torch's softshrink has a t of 0.5 where none is given." if abs(single[0] - 4.5) < 1e-6 else ""))
    return f" By itself 5 becomes {single[0]:.4g} with t = 2, {single[1]:.4g} with t = 0, {single[2]:.4g} with t = 1: it should be 3, 5 and 4."

assert_shape(soft_threshold(entries.clone(), 2.), (6,), "the shape for six numbers", hint="A result for each of the six: entries that become 0 stay in their places.", of="shape and dtype")

@probe
def threshold_or_error(u, t):
    try:
        return soft_threshold(u, t)
    except (RuntimeError, TypeError, ValueError, IndexError) as error:
        return f"{type(error).__name__}: {error}"

of_matrix = threshold_or_error(entries.clone().reshape(2, 3), 2.)
assert_true(not isinstance(of_matrix, str), f"a matrix of shape (2, 3) has a result, too; yours stops with {of_matrix}", of="shape and dtype",
            hint="For a vector it came to an end. Of a matrix each u[i] is a row and no number, as are the entries of u.tolist(): operations on whole tensors do not ask how many axes there are.")
assert_shape(of_matrix, (2, 3), "the shape for a matrix of shape (2, 3)", hint="The entries stay in their places, along both axes.", of="shape and dtype")
assert_dtype(soft_threshold(entries.clone(), 2.), torch.float32, "the dtype for float32", hint="It is to be the dtype of u.", of="shape and dtype")
assert_dtype(soft_threshold(entries.double(), 2.), torch.float64, "the dtype for float64", hint="A tensor made on the way is float32 unless it is told otherwise.", of="shape and dtype")
nine = float(soft_threshold(torch.tensor([9.]), 3.)[0])
why_far = {"Entries move by t: this is twice as far.": 3., "Entries move by t, not by t².": 0.}
assert_close(soft_threshold(entries.clone(), 2.)[:2], torch.tensor([3., -0.5]), "t = 2: what becomes of 5 and -2.5", of="shrunk",
             hint=lambda: "Each comes closer to 0 by 2: 5 - 2, and -2.5 + 2." + one_entry(),
             mistakes={"What is left of the size, 3 and 0.5, is multiplied by u here: it is to take the sign of u alone.": torch.tensor([15., -1.25]),
                       "This is what is taken away: return what is left of u.": torch.tensor([2., -2.]), "Entries move by t, not by t/2.": torch.tensor([4., -1.5]),
                       "Each entry comes closer by itself: the norm of all does not count.": (entries * (1 - 2 / entries.norm()))[:2],
                       "Each comes closer by t, not all by one factor.": torch.tensor([3., -1.5]), "Subtract t from the size: nothing is divided.": torch.tensor([5 / 3, -2.5 / 3]),
                       "Entries move towards 0, not away from it.": torch.tensor([7., -4.5]), **{sentence: torch.tensor([1., 0.]) for sentence, there in why_far.items() if abs(nine - there) < 1e-4},
                       "This keeps the large entries as they are: they must come closer to 0 by t.": torch.tensor([5., -2.5]),
                       "The sign is lost.": torch.tensor([3., 0.5]), "Negative entries are moved away from 0.": torch.tensor([3., -4.5]),
                       "Negative entries are cut off at 0.": torch.tensor([3., 0.])})
assert_close(soft_threshold(entries.clone(), 2.)[2:], torch.zeros(4), "t = 2: what becomes of 1.9, -0.3, 2 and 0", atol=0, of="exact zero", hint="None of the four is larger than 2 in size: each becomes exactly 0, also the last, for which u / |u| is 0 / 0.",
             mistakes={"Do not move past 0: stop there.": torch.tensor([-0.1, 1.7, 0., 0.]),
                       "Only entries larger than t in size are left.": torch.tensor([1.9, -0.3, 2., 0.]),
                       "An entry of size t becomes 0, too.": torch.tensor([0., 0., 2., 0.])})
in_rows = soft_threshold(entries.clone().reshape(2, 3), 2.)
assert_close(in_rows[0, :2], torch.tensor([3., -0.5]), "t = 2: what becomes of 5 and -2.5 in the matrix [[5, -2.5, 1.9], [-0.3, 2, 0]]", of="shrunk", hint="In a vector both were right: each entry counts by itself, whatever axes there are.",
             mistakes={"They are as they were: in a matrix, too, each is to come closer to 0 by t.": torch.tensor([5., -2.5])})
assert_close(torch.cat([in_rows[0, 2:], in_rows[1]]), torch.zeros(4), "t = 2: what becomes of the others, 1.9, -0.3, 2 and 0, in this matrix", atol=0, of="exact zero", hint="In a vector all four were right: each entry counts by itself, whatever axes there are.")
assert_close(soft_threshold(entries.clone().reshape(2, 3), 1.), torch.tensor([[4., -1.5, 0.9], [0., 1., 0.]]), "t = 1: what becomes of [[5, -2.5, 1.9], [-0.3, 2, 0]]", of="shrunk", hint="For t = 2 all was right, in a matrix as well: where is the argument t not used?",
             mistakes={"This is the answer for t = 2: use the argument.": torch.tensor([[3., -0.5, 0.], [0., 0., 0.]])})
assert_close(soft_threshold(entries.clone(), 0.), torch.tensor([5., -2.5, 1.9, -0.3, 2., 0.]), "t = 0: what becomes of 5, -2.5, 1.9, -0.3, 2 and 0", of="shrunk",
             hint="With t = 0 nothing is taken away, and 0 stays 0; t / |u|, which is 0 / 0 there, is nan.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(379)
for shape, t_, dtype in (((4, 3), 0.6, torch.float64), ((9,), 0., torch.float32), ((2, 1, 5), 1.5, torch.float32)):
    u_ = 2 * torch.randn(shape, generator=rng, dtype=torch.float64).to(dtype)
    u_.view(-1)[:2] = 0.
    found, far = soft_threshold(u_.clone(), t_), u_.abs() > t_
    assert_shape(found, shape, f"the shape for shape {shape}", of="shape and dtype", hint="The entries stay in their places, along all axes.")
    assert_dtype(found, dtype, f"the dtype for {dtype}", of="shape and dtype", hint="It is the dtype of u: a tensor made on the way has one of its own unless it is told otherwise.")
    assert_close(found[far], torch.where(u_ > 0, u_ - t_, u_ + t_)[far], f"the entries beyond t = {t_}, shape {shape}", of="shrunk",
                 hint=lambda: where_they_part(soft_threshold, lambda u, t: u - u.clamp(min=-t, max=t), u=u_, t=t_))
    assert_close(found[~far], torch.zeros_like(u_[~far]), f"the entries within t = {t_}, shape {shape}", atol=0, of="exact zero", hint="Where |u| is t or less, the result is exactly 0.")
### END HIDDEN TESTS

# %% [markdown] task="3.7.3b" kind="code" minutes=7 difficulty=3 needs="soft thresholding, ℓ1 penalty"
# ### Training with exact zeros
#
# Write `train_l1(X, y, lambd, lr, steps)`: weights `w` of shape `(d,)`, no bias, started at zero. In each of `steps` steps, take all examples, go
# down the loss $L = \frac{1}{2n} \|X \mathbf w - \mathbf y\|^2$ by lr times its gradient, then soft-threshold with $t$ = lr · λ.
#
# **You are done when**
# - **each step**: after one step and after a few, `w`, of shape `(d,)`, is what exactly these steps make of it;
# - **minimum**: after many steps $\mathbf w$ minimises $L + \lambda \|\mathbf w\|_1$;
# - **exact zeros**: weights that are 0 at the minimum are exactly 0;
# - **steps**: with `steps = 0` all weights are 0.

# %% exercise="3.7.3b"
def train_l1(X, y, lambd, lr, steps):
    """Weights (d,) after gradient steps on the loss, each followed by soft thresholding."""
    ### BEGIN SOLUTION
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(steps):
        u = w - lr * X.T @ (X @ w - y) / len(X)
        w = torch.sign(u) * (u.abs() - lr * lambd).clamp(min=0)
    return w
    ### END SOLUTION

# %% [markdown] hints="3.7.3b"
# 1. Which gradient does the first half of a step use, and which does it not?
# 2. The gradient of the loss is $X^\top (X \mathbf w - \mathbf y) / n$. The formula of 3.7.D follows at once, in the same step.
# 3. One weight, x = (2), y = (3), λ = 1, lr 0.1: the gradient at 0 is -6, so u = 0.6, and w = 0.5 after one step.

# %% check="3.7.3b" points=3
single_X, single_y = torch.tensor([[2., 1.], [0., 1.]], dtype=torch.float64).repeat(3, 1), torch.tensor([3., 1.] * 3, dtype=torch.float64)

def two_weights(first, second):
    return torch.tensor([first, second], dtype=torch.float64)

assert_shape(train_l1(single_X, single_y, 1., 0.1, 1), (2,), "the shape for two features", hint="One axis, a weight for each feature.", of="each step")

def second_step(u):                                           # down the loss, from u
    return u - 0.1 * single_X.T @ (single_X @ u - single_y) / 6

no_zero_yet, twice = two_weights(0.3, 0.2), train_l1(single_X, single_y, 0.1, 0.1, 2)
after_first = [sentence for sentence, w_ in {
    "The threshold stands before the step down the loss: it is to come after it, in the same step.": second_step(no_zero_yet - 0.01),
    "The second step has a pull and the first has none, as where the old weights are pulled, 0 at first: each step is to end with the threshold, which pulls the new ones.":
    second_step(no_zero_yet) - 0.01,
    "In the second step the old weights decay by a share, as in ridge regression: each is to come closer to 0 by lr · λ, after the step down the loss.":
    second_step(no_zero_yet) - 0.01 * no_zero_yet,
    }.items() if twice.shape == w_.shape and (twice - w_).abs().max() < 1e-5]
assert_close(train_l1(single_X, single_y, 0.1, 0.1, 1), two_weights(0.29, 0.19), "the rows (2, 1), (0, 1) three times, y = (3, 1) three times, λ = 0.1, lr = 0.1: after one step", rtol=1e-4, of="each step",
             hint="At 0 the gradient is -Xᵀy/n = (-3, -2), so u = (0.3, 0.2). Then each comes closer to 0 by lr · λ = 0.01.",
             mistakes={"The threshold is lr · λ, not λ.": two_weights(0.2, 0.1),
                       (after_first + ["These are the weights after the step down the loss: each is still to come closer to 0 by lr · λ."])[0]: no_zero_yet,
                       "The loss is a mean over the examples: divide its gradient by n.": two_weights(1.79, 1.19),
                       "Divide by the number of examples, not by that of the features.": two_weights(0.89, 0.59),
                       "L has the factor 1/2: its gradient has no 2.": two_weights(0.59, 0.39),
                       "These are two steps.": two_weights(0.503, 0.332), "All weights move at once, by the gradient at the old ones.": two_weights(0.29, 0.161),
                       "There is no bias here: nothing is centred.": two_weights(0.09, 0.),
                       "Take all examples in each step.": two_weights(0.59, 0.29), "These are the weights at the start: the step is missing.": two_weights(0., 0.),
                       "The weights start at 0, not at 1.": two_weights(0.99, 0.99), "The threshold is lr · λ: this is twice as much.": two_weights(0.28, 0.18),
                       "The threshold is lr · λ, without a 1/2.": two_weights(0.295, 0.195), "The threshold is lr · λ: the penalty is no mean over the examples.": no_zero_yet - 0.01 / 6,
                       "The step goes down the loss, against the gradient.": two_weights(-0.29, -0.19), "Thresholding brings a weight closer to 0, not away from it.": two_weights(0.31, 0.21)})
assert_close(train_l1(single_X, single_y, 1., 0.1, 0), two_weights(0., 0.), "after no step", of="steps", hint="The weights start at 0, and with `steps = 0` nothing happens to them.")
pair_X = torch.tensor([[1., 0.], [0., 1.]], dtype=torch.float64) * math.sqrt(2)
pair_y = torch.tensor([3., 0.5], dtype=torch.float64) * math.sqrt(2)
long_run = train_l1(pair_X, pair_y, 1., 0.5, 60)
right_steps = 12
on_the_way = "At the minimum the weight has come to rest: are all 60 steps made?"
for k in range(1, 9):                                         # the first weight is 2 - 2 / 2ᵏ after k steps
    reached = float(train_l1(pair_X, pair_y, 1., 0.5, k)[0])
    if abs(reached - 2 + 2 * 0.5 ** k) > 1e-5:
        right_steps = k - 1
        on_the_way = f"Step {k} is the first that goes wrong: it leads to {reached:.4g}, not to {2 - 2 * 0.5 ** k:.4g}. Each starts where the last one led, and has both halves."
        start_of_it = 2 - 4 * 0.5 ** k
        if 0.01 < (rate := (reached - start_of_it) / (2 - start_of_it)) < 0.49:
            on_the_way += f" A step with lr = {rate:.3g} would lead there: lr is 0.5 in all of them."
        break
assert_close(long_run[0], torch.tensor(2., dtype=torch.float64), "weights that least squares sets to 3 and 0.5, λ = 1: the first after 60 steps", rtol=1e-4, of="minimum",
             hint="".join(f"This is the weight after {k} step{'s' * (k > 1)}, not after 60. " for k in range(1, right_steps + 1) if abs(float(long_run[0]) - 2 + 2 * 0.5 ** k) < 1e-6) + on_the_way,
             mistakes={"This is ridge regression: the pull is constant here.": torch.tensor(1.5, dtype=torch.float64),
                       **({"From the second step on each weight comes closer to 0 twice in a step: the penalty's part is the threshold alone, and has no place beside the gradient.": torch.tensor(1., dtype=torch.float64)}
                          if twice.shape == (2,) and (twice - second_step(two_weights(0.29, 0.19)) + 0.02).abs().max() < 1e-5 else {}),
                       **({"This is thresholded once: it is to be done in every step.": torch.tensor(2.5, dtype=torch.float64)}
                          if abs(float(train_l1(pair_X, pair_y, 1., 0.5, 2)[0]) - 1.75) < 1e-5 else {})})
assert_close(long_run[1], torch.tensor(0., dtype=torch.float64), "weights that least squares sets to 3 and 0.5, λ = 1: the second after 60 steps", atol=0, of="exact zeros",
             hint="Soft thresholding gives an exact 0; a subgradient step does not.")
alike_X = math.sqrt(2) * torch.tensor([[1., 0.8], [0., 0.6]], dtype=torch.float64)
alike_y = math.sqrt(2) * two_weights(1.7, -2.1)
assert_close(train_l1(alike_X, alike_y, 0.5, 0.5, 200), two_weights(2., -1.), "X = √2 · [[1, 0.8], [0, 0.6]], y = √2 · (1.7, -2.1), λ = 0.5, lr = 0.5: the weights after 200 steps", rtol=1e-3, of="minimum",
             hint="Here the features are not independent, so the gradient must be taken anew in every step, at the weights of the moment.",
             mistakes={"The second weight is to be negative: negative ones are shrunk, not cut off at 0, and a weight that is 0 may become anything again.": two_weights(1.2, 0.)})
def thresholded(u):
    return u - u.clamp(min=-0.25, max=0.25)

w_, first_wrong = torch.zeros(2, dtype=torch.float64), 4
for k in (1, 2, 3):
    w_ = thresholded(w_ - 0.5 * alike_X.T @ (alike_X @ w_ - alike_y) / 2)
    if (train_l1(alike_X, alike_y, 0.5, 0.5, k) - w_).abs().max() > 1e-5:
        first_wrong = k
        break
fast, before, k_ = torch.zeros(2, dtype=torch.float64), torch.zeros(2, dtype=torch.float64), 1.          # the accelerated steps that are known as FISTA
ahead = fast
for _ in range(4):
    fast, k_next = thresholded(ahead - 0.5 * alike_X.T @ (alike_X @ ahead - alike_y) / 2), (1 + (1 + 4 * k_ ** 2) ** 0.5) / 2
    ahead, before, k_ = fast + (k_ - 1) / k_next * (fast - before), fast, k_next
assert_close(train_l1(alike_X, alike_y, 0.5, 0.5, 4), two_weights(1.149, -0.15), "the same data: the weights after 4 steps", rtol=1e-3, of="each step",
             hint=f"The minimum is right, but the way to it is not: step {first_wrong} is the first that leads elsewhere. Each is to start at the last weights alone, and to have the same lr and t.",
             mistakes={"These are accelerated steps, which look back at the weights before the last ones: each is to start at the last weights alone.": fast})
returning = train_l1(alike_X, math.sqrt(2) * two_weights(1., 1.), 0.2, 0.5, 100)
assert_close(returning, two_weights(0., 1.2), "the same X, y = √2 · (1, 1), λ = 0.2, lr = 0.5: the weights after 100 steps", rtol=1e-3, atol=1e-5, of="minimum",
             hint="The first weight grows at the start and is 0 again in the end: what is thresholded is w - lr · gradient, not the gradient.")
assert_close(returning[0], torch.tensor(0., dtype=torch.float64), "the same data: the first weight after 100 steps", atol=0, of="exact zeros", hint="Soft thresholding gives an exact 0.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(380)
for n, d, lambd_ in ((20, 6, 0.4), (7, 10, 0.3)):
    table = torch.randn(n, d, generator=rng, dtype=torch.float64)
    aims = table[:, :2] @ torch.tensor([2., -1.5], dtype=torch.float64) + 0.2 * torch.randn(n, generator=rng, dtype=torch.float64)
    u_ = 0.05 * table.T @ aims / n
    assert_close(train_l1(table, aims, lambd_, 0.05, 1), torch.where(u_.abs() > 0.05 * lambd_, u_ - 0.05 * lambd_ * u_.sign(), 0 * u_), f"one step, {n} examples of {d} features", rtol=1e-4, atol=1e-7, of="each step",
                 hint="From w = 0: u is lr times Xᵀy/n, and then each entry comes closer to 0 by lr · λ, or becomes 0.")
    assert_close(train_l1(table, aims, lambd_, 0.05, 0), torch.zeros(d, dtype=torch.float64), f"no step, {d} features", of="steps", hint="The weights start at 0, and with `steps = 0` nothing happens to them.")
    best = torch.zeros(d, dtype=torch.float64)                      # the oracle: one weight at a time, each to its own minimum
    for j in list(range(d)) * 300:
        pull = table[:, j] @ (aims - table @ best + table[:, j] * best[j]) / n
        best[j] = (pull - lambd_ * pull.sign() if pull.abs() > lambd_ else 0 * pull) / table[:, j].square().mean()
    found = train_l1(table, aims, lambd_, 0.2, 1000).double()
    assert_close(found, best, f"the weights after 1,000 steps, {n} examples of {d} features, λ = {lambd_}", rtol=1e-2, atol=1e-3, of="minimum",
                 hint="At the minimum of L + λ |w|₁ the gradient of L is -λ for a weight above 0, λ for one below 0, and between them for a weight of 0.")
    assert_close(found[best == 0], torch.zeros(int((best == 0).sum()), dtype=torch.float64), f"the weights that are 0 at the minimum, {n} examples of {d} features",
                 atol=0, of="exact zeros", hint="Near 0 is not 0: the threshold, the last thing in a step, makes exact zeros.")
    for lr_, count_ in ((0.05, 7), (0.004, 260)):
        short = np.zeros(d)
        for _ in range(count_):
            short = short - lr_ * (table.T @ (table @ torch.from_numpy(short) - aims) / n).numpy()
            short = short - np.clip(short, -lr_ * lambd_, lr_ * lambd_)
        assert_close(train_l1(table, aims, lambd_, lr_, count_), torch.tensor(short), f"the weights after {count_} steps with lr = {lr_}, {n} examples of {d} features", rtol=1e-3, atol=1e-6, of="each step",
                     hint="All of these steps are to be made, each from the weights of the last one, with the same lr and the same t = lr · λ.")
opposed = torch.zeros(5, 2, dtype=torch.float64)                    # columns with products of -0.7: the second weight is 0 at first and 0.8 at the end
opposed[0], opposed[1, 1] = math.sqrt(5) * two_weights(1., -0.7), math.sqrt(5 * 0.51)
aims = torch.tensor([math.sqrt(5) * 1.24, math.sqrt(5 / 0.51) * (0.05 + 0.7 * 1.24), 1., -2., 0.5], dtype=torch.float64)
assert_close(train_l1(opposed, aims, 0.3, 0.4, 400), two_weights(1.5, 0.8), "two features with a negative correlation, after 400 steps", rtol=1e-3, of="minimum",
             hint="A weight that is 0 at first may leave 0 later, where the other one has grown.")
### END HIDDEN TESTS

# %% [markdown]
# On the houses, with the same loss and as many steps for both, by torch's parts (`torch.nn.functional.softshrink` is its soft thresholding): how many
# of the weights are exactly zero? (λ = 0.02 is near the lowest point of the validation error, found as above.)

# %% tags=["demo"]
X, y = train
for name in ("subgradient", "soft thresholding"):
    w = torch.zeros(X.shape[1], dtype=X.dtype, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.01)
    for step in range(2000):
        loss = squared_error(X @ w, y) / 2
        if name == "subgradient":
            loss = loss + 0.02 * w.abs().sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if name == "soft thresholding":
            with torch.no_grad():
                w.copy_(torch.nn.functional.softshrink(w, 0.01 * 0.02))
    print(f"{name:17}: {int((w == 0).sum())} of {len(w)} weights are 0; validation error {squared_error(val[0] @ w, val[1]):.4f}")

# %% [markdown]
# 195 of 239: without four fifths of the columns the validation error, 0.0190, is no worse than ridge regression's 0.0214 with all of them. The subgradient
# steps come to nearly the same predictions, with weights that tremble about zero.

# %% [markdown] teaches="prior, maximum a posteriori"
# ## What a penalty believes
#
# In 3.1 squared loss came from a likelihood: given the weights, the targets are normal around $\mathbf w^\top \mathbf x_i$ with standard deviation
# $\sigma$. Where does the penalty come from? From what is held plausible about the weights *before* the data are seen, the **prior**
# $p(\mathbf w)$. Bayes' theorem (2.6) combines the two:
#
# $$p(\mathbf w \mid \mathbf y) = \frac{p(\mathbf y \mid \mathbf w)\, p(\mathbf w)}{p(\mathbf y)}, \qquad
# -\log p(\mathbf w \mid \mathbf y) = -\log p(\mathbf y \mid \mathbf w) - \log p(\mathbf w) + \text{const}.$$
#
# On the left stands the **posterior**, what is plausible after the data. A product turns into a sum: loss plus penalty. The constant is
# $\log p(\mathbf y)$; the weights are not in it, so it does not move the minimum. The weights with the largest posterior density are the *maximum a posteriori*,
# or MAP, estimate. Take a normal prior, each weight independent with mean 0 and standard deviation $\tau$. Both terms are known:
#
# $$-\log p(\mathbf w \mid \mathbf y) = \frac{1}{2\sigma^2} \sum_{i=1}^n (\mathbf w^\top \mathbf x_i - y_i)^2 + \frac{1}{2\tau^2} \|\mathbf w\|^2 + \text{const}.$$
#
# This is $J$ up to a factor. To get the first term of $J$, which has $\frac{1}{2n}$ before the sum, multiply everything by a suitable
# number, and read off λ before the $\frac 12 \|\mathbf w\|^2$. That is the next exercise.
#
# Other priors give other penalties. The Laplace prior of scale $s$ has the density $\frac{1}{2s} e^{-|w|/s}$, and $-\log$ of it is $|w|/s$ plus a
# constant: an ℓ1 penalty.

# %% tags=["demo"]
spots = torch.linspace(-4, 4, 401)
figure, ax = plt.subplots(figsize=(5, 2.8), layout="constrained")
ax.plot(spots, torch.exp(-spots ** 2 / 2) / math.sqrt(2 * math.pi), label="normal, τ = 1")
ax.plot(spots, math.sqrt(2) / 2 * torch.exp(-spots.abs() * math.sqrt(2)), "--", label="Laplace, same variance")
ax.set(xlabel="w", ylabel="prior density", ylim=(0, 0.75))
ax.legend(loc="upper right", fontsize=8)
plt.show()

# %% [markdown]
# What to see: the two have the same variance, but the Laplace prior has a peak at 0 and more mass far out. It believes that most weights are next to nothing and
# a few are large. The normal prior believes that all are of middling size.

# %% [markdown] task="3.7.6a" kind="code" minutes=4 difficulty=2 needs="prior, maximum a posteriori, ridge regression, likelihood"
# ### λ from a normal prior
#
# Write `lambda_of_normal_prior(sigma, tau, n)`: the λ for which minimising $J$ (without a bias) gives the MAP estimate, for noise of standard deviation
# `sigma`, weights of standard deviation `tau` and `n` examples.
#
# **You are done when**
# - **noise and prior**: more noise makes λ larger, a wider prior makes it smaller, each in the right power;
# - **examples**: the dependence on n is right: data outweigh the prior in the end.

# %% exercise="3.7.6a"
def lambda_of_normal_prior(sigma, tau, n):
    """The λ of J = |X w - y|² / (2n) + λ |w|² / 2 that belongs to noise N(0, sigma²) and weights N(0, tau²)."""
    ### BEGIN SOLUTION
    return sigma ** 2 / (n * tau ** 2)
    ### END SOLUTION

# %% [markdown] hints="3.7.6a"
# 1. By which number must $\frac{1}{2\sigma^2}$ be multiplied to become $\frac{1}{2n}$?
# 2. Multiply the second term by the same number and compare it with $\frac \lambda 2 \|\mathbf w\|^2$.
# 3. If the loss were the plain sum of $(\mathbf w^\top \mathbf x_i - y_i)^2$, the factor would be $2\sigma^2$, and the penalty $\frac{\sigma^2}{\tau^2} \|\mathbf w\|^2$.

# %% check="3.7.6a" points=2
assert_type(lambda_of_normal_prior(6., 4., 1), (int, float, torch.Tensor, np.ndarray), "lambda_of_normal_prior(6, 4, 1): a single example", of="noise and prior", hint="One number, λ.")
assert_equal(int(np.prod(np.shape(lambda_of_normal_prior(6., 4., 1)))), 1, "how many numbers come back", hint="One number, λ.", of="noise and prior")
in_each = [float(lambda_of_normal_prior(*given_)) for given_ in ((6., 4., 1), (12., 4., 1), (6., 8., 1))]
powers = [other_ / in_each[0] if in_each[0] else math.nan for other_ in in_each]
if in_each[0] == 0:
    which_power = "With noise and a prior of finite width there is a penalty: λ is larger than 0."
elif abs(powers[1] - 4) > 1e-4 or abs(powers[2] - 0.25) > 1e-4:
    which_power = " ".join(f"Where {name_} is twice as large, λ must be {right_} times as large: yours is {power_:.4g} times as large."
                           for name_, right_, power_ in (("σ", 4, powers[1]), ("τ", 0.25, powers[2])) if abs(power_ - right_) > 1e-4)
else:
    which_power = f"With σ and with τ yours grows and falls as it should: a constant factor is wrong, yours is {in_each[0] / 2.25:.4g} times as large as it should be. What does σ²/n, with which the first term has 1/(2n) before its sum, make of 1/(2τ²)?"
twelve, doubled = (float(lambda_of_normal_prior(6., 4., n)) for n in (12, 24))
why_half = {"The factor 1/2 stands in J already.": 2.25 / 24, "It is n that λ is divided by, not n + 1.": 2.25 / 13}
assert_close(lambda_of_normal_prior(6., 4., 1), 2.25, "lambda_of_normal_prior(6, 4, 1): a single example", rtol=1e-6, of="noise and prior",
             hint=which_power,
             mistakes={"The constant 1/√(2π) of a normal density has no place in λ: its logarithm is added, and does not move the minimum.": 2.25 / math.sqrt(2 * math.pi),
                       "This is a quarter of λ: the halves before the two terms of both sums cancel.": 2.25 / 4, "A wider prior, a larger τ, makes λ smaller: divide by τ².": 576., "This is the factor 1/(2τ²) as it stands: multiply it by what makes 1/(2n) of 1/(2σ²).": 1 / 32,
                       "Nothing is subtracted here: compare the factors of the two terms.": 20.,
                       "Nothing is added here: compare the factors of the two terms.": 36 / 52, "λ is a ratio of variances: nothing is added below.": 36 / 17,
                       "Variances count, not standard deviations.": 1.5, "It is the other way round: noise makes the data less credible.": 4 / 9,
                       **{sentence: 1.125 for sentence, there in why_half.items() if abs(twelve - there) < 1e-6}, "There is no factor 2: compare with λ/2 times the squared norm.": 4.5,
                       "Divide with /: `//` cuts off what stands behind the point.": 2., "This is the variance 1/(1/σ² + 1/τ²): the two factors are compared, not added.": 576 / 52,
                       "The noise has no influence here: what became of the factor σ²?": 1 / 16,
                       "The variance of the prior counts, τ², not τ.": 9., "The variance of the noise counts, σ², not σ.": 6 / 16})
assert_close(lambda_of_normal_prior(6., 4., 12), 0.1875, "lambda_of_normal_prior(6, 4, 12): twelve examples", rtol=1e-6, of="examples",
             hint="For one example it was right: the factor that makes 1/(2n) of 1/(2σ²) is σ²/n. From n = 12 to n = 24 λ must be halved"
             + (f": yours becomes {doubled / twelve:.4g} times as large." if twelve and abs(doubled / twelve - 0.5) > 1e-4 else ", as yours is: a factor is wrong from n = 2 on."),
             mistakes={"It is n, not n - 1.": 2.25 / 11, "There is no further factor 1/2 beside n.": 2.25 / 24,
                       "This does not depend on n, but J has a mean in it.": 2.25, "With more examples the prior counts less, not more.": 27.,
                       "One factor n is enough.": 2.25 / 144, "It is n that λ is divided by, not its root.": 2.25 / 12 ** 0.5})
### BEGIN HIDDEN TESTS
for sigma_, tau_, n in ((0.5, 3., 1), (2., 0.1, 1)):
    assert_close(lambda_of_normal_prior(sigma_, tau_, n), (sigma_ / tau_) ** 2, f"σ = {sigma_}, τ = {tau_}, a single example", rtol=1e-6, of="noise and prior",
                 hint=lambda: where_they_part(lambda_of_normal_prior, lambda sigma, tau, n: (sigma / tau) ** 2 / n, sigma=sigma_, tau=tau_, n=n))
for sigma_, tau_, n in ((1., 2., 40), (0.3, 0.7, 5)):
    assert_close(lambda_of_normal_prior(sigma_, tau_, n), (sigma_ / tau_) ** 2 / n, f"σ = {sigma_}, τ = {tau_}, {n} examples", rtol=1e-6, of="examples",
                 hint=lambda: where_they_part(lambda_of_normal_prior, lambda sigma, tau, n: (sigma / tau) ** 2 / n, sigma=sigma_, tau=tau_, n=n))
### END HIDDEN TESTS

# %% [markdown] task="3.7.6b" kind="code" minutes=5 difficulty=3 needs="prior, maximum a posteriori, ℓ1 penalty"
# ### The prior of a penalty
#
# Now the other way, for ℓ1. Somebody minimises $\frac{1}{2n} \|X \mathbf w - \mathbf y\|^2 + \lambda \|\mathbf w\|_1$ with noise of standard deviation
# `sigma`. Which Laplace prior do they believe in, knowingly or not?
#
# Write `prior_of_l1(lambd, sigma, n)`: a pair of numbers, the scale $s$ of this prior and the standard deviation of a weight under it. A Laplace
# density of scale s has variance $2s^2$.
#
# **You are done when**
# - **scale**: with this s, the MAP estimate is the minimiser;
# - **spread**: the second number is the standard deviation that belongs to the right s.

# %% exercise="3.7.6b"
def prior_of_l1(lambd, sigma, n):
    """(scale, standard deviation) of the Laplace prior behind |X w - y|² / (2n) + lambd |w|₁."""
    ### BEGIN SOLUTION
    s = sigma ** 2 / (n * lambd)
    return s, math.sqrt(2) * s
    ### END SOLUTION

# %% [markdown] hints="3.7.6b"
# 1. What is the negative logarithm of likelihood times prior now?
# 2. It is $\frac{1}{2\sigma^2} \sum_i (\dots)^2 + \frac 1s \|\mathbf w\|_1$ and a constant. Bring the first term to the form with $\frac{1}{2n}$ and compare.
# 3. With σ = 1, n = 10 and s = 0.5, the penalty is $\frac{1}{10 \cdot 0.5} \|\mathbf w\|_1$, so λ = 0.2.

# %% check="3.7.6b" points=2
with part(0.5, "scale", of="scale"):
    pair = prior_of_l1(0.2, 3., 12)
    assert_type(pair, (tuple, list, torch.Tensor, np.ndarray), "what prior_of_l1 returns", hint="Two numbers: the scale, then the standard deviation.", of="scale")
    assert_equal(len(pair), 2, "how many numbers come back", of="scale", hint="Two: the scale, then the standard deviation.")
    assert_equal(int(np.prod(np.shape(pair[0]))), 1, "how many numbers the scale is", hint="The pair holds one number, the scale, and then another, the standard deviation.", of="scale")
    which_power = "With λ, σ and n your scale grows and falls as it should, but a constant factor is wrong: the penalty σ²/(n s) stands before the norm, and that is λ."
    if float(pair[0]) == 0:
        which_power = "A prior of scale 0 holds every weight at 0: the scale is larger."
    wrong_powers = []
    for name, given, times in (("σ", (0.2, 6., 12), 4), ("λ", (0.4, 3., 12), 0.5), ("n", (0.2, 3., 24), 0.5)):
        grown = float(prior_of_l1(*given)[0]) / float(pair[0]) if float(pair[0]) else times
        if abs(grown - times) > 1e-4:
            wrong_powers.append(f"Where {name} is twice as large, the scale must be {times} times as large: yours is {grown:.4g} times as large.")
    which_power = " ".join(wrong_powers) or which_power
    assert_close(pair[0], 3.75, "the scale for λ = 0.2, σ = 3, n = 12", rtol=1e-6, of="scale", hint=which_power,
                 mistakes={"Noise and n are missing: the whole sum is to be multiplied by σ²/n.": 5., "σ² is on the wrong side: more noise with the same λ belongs to a wider prior.": 1 / (9 * 12 * 0.2),
                           "One factor n is enough.": 9 / (144 * 0.2), "It is n, not n - 1.": 9 / (11 * 0.2), "This is the reciprocal: a strong penalty belongs to a narrow prior.": 1 / 3.75,
                           "This is upside down, and has σ where its variance, σ², counts: the scale is σ²/n, divided by λ.": 0.8, "The loss is a mean: where is n?": 45.,
                           "The variance of the noise counts, not its standard deviation.": 1.25, "This is twice as much: the penalty has no factor 1/2, and the first term of the loss is 1/(2n).": 7.5,
                           "A larger λ belongs to a narrower prior: s is divided by λ.": 0.15, "More examples with the same λ belong to a narrower prior: s is divided by n.": 540.,
                           "The noise is missing: what became of the factor σ²?": 1 / 2.4, "One factor λ is enough.": 18.75,
                           "Compare with λ itself, not with 2λ.": 1.875, "The scale stands first.": 3.75 * math.sqrt(2),
                           "This is the standard deviation of a normal prior; the Laplace density has |w|/s in it.": math.sqrt(3.75)})
with part(0.5, "spread", of="spread"):
    pair = prior_of_l1(0.2, 3., 12)
    assert_type(pair, (tuple, list, torch.Tensor, np.ndarray), "what prior_of_l1 returns", hint="Two numbers: the scale, then the standard deviation.", of="spread")
    assert_equal(len(pair), 2, "how many numbers come back", of="spread", hint="Two: the scale, then the standard deviation.")
    with_right_scale = {"This is the variance.": 2 * 3.75 ** 2, "This is the scale: the variance is 2s².": 3.75, "This is twice the scale: take the root of 2s².": 7.5,
                        "This is the scale divided by √2: the root of 2s² is larger than s.": 3.75 / math.sqrt(2), "This is the scale squared: the variance is 2s², and its root is asked for.": 3.75 ** 2,
                        "This is √(2s): the variance is 2s², not 2s.": math.sqrt(7.5), "This is the root of the scale: the variance is 2s².": math.sqrt(3.75), "This is √2 / λ: take √2 times the scale that stands beside it.": math.sqrt(50),
                        "This is the standard deviation of the noise: that of a weight is asked for.": 3.,
                        "This is √2 times the scale, divided by √n: it is that of a weight, no mean over the examples.": 3.75 * math.sqrt(2 / 12)}
    scale_is_right = isinstance(pair[0], (int, float, torch.Tensor, np.ndarray, np.generic)) and np.prod(np.shape(pair[0])) == 1 and abs(float(pair[0]) - 3.75) < 1e-4
    numbers = [float(number) for number in pair if isinstance(number, (int, float, torch.Tensor, np.ndarray, np.generic)) and np.prod(np.shape(number)) == 1]
    goes_with_it = ""
    if not scale_is_right and len(numbers) == 2 and abs(numbers[1] - math.sqrt(2) * numbers[0]) < 1e-5 * abs(numbers[1]):
        goes_with_it = "It is √2 times your scale, as it should be: with the right scale it comes out right."
    assert_close(pair[1], 3.75 * math.sqrt(2), "the standard deviation for λ = 0.2, σ = 3, n = 12", rtol=1e-6, of="spread",
                 hint=goes_with_it or "With the right s, 3.75, the variance is 2 · 3.75²: the standard deviation is its root.",
                 mistakes=with_right_scale if scale_is_right else {})
### BEGIN HIDDEN TESTS
with part(0.5, "scale", of="scale"):
    assert_type(prior_of_l1(1., 1., 4), (tuple, list, torch.Tensor, np.ndarray), "what prior_of_l1 returns", of="scale", hint="Two numbers: the scale, then the standard deviation.")
    for lambd_, sigma_, n in ((3., 0.5, 8), (0.01, 1., 50)):
        assert_close(prior_of_l1(lambd_, sigma_, n)[0], sigma_ ** 2 / n / lambd_, f"the scale for λ = {lambd_}, σ = {sigma_}, n = {n}", rtol=1e-6, of="scale",
                     hint=lambda: where_they_part(lambda *given_: prior_of_l1(*given_)[0], lambda lambd, sigma, n: sigma ** 2 / n / lambd,
                                                  lambd=lambd_, sigma=sigma_, n=n))
with part(0.5, "spread", of="spread"):
    assert_type(prior_of_l1(1., 1., 4), (tuple, list, torch.Tensor, np.ndarray), "what prior_of_l1 returns", of="spread", hint="Two numbers: the scale, then the standard deviation.")
    for lambd_, sigma_, n in ((3., 0.5, 8), (0.01, 1., 50)):
        assert_close(prior_of_l1(lambd_, sigma_, n)[1], math.sqrt(2) * sigma_ ** 2 / n / lambd_, f"the standard deviation for λ = {lambd_}, σ = {sigma_}, n = {n}", rtol=1e-6, of="spread",
                     hint="It is the root of the variance 2s², for the right scale s.")
### END HIDDEN TESTS
total()

# %% [markdown]
# ## Other ways to hold a model back
#
# A penalty is one means of many. A surprising one is to stop early. Take one weight whose loss is $L(w) = \frac s2 (w - w^*)^2$, with
# curvature $s$ and minimum $w^*$, and start at 0. The gradient is $s (w - w^*)$, so a step of gradient descent multiplies the distance
# from the minimum by $1 - \eta s$:
#
# $$w - w^* \leftarrow (1 - \eta s)(w - w^*).$$
#
# After a few steps the weight has covered only a share of its way; with a small $s$, a small share. Ridge regression leaves the share
# $\frac{s}{s + \lambda}$, small for a small $s$, too.

# %% [markdown] task="3.7.5" kind="explain" minutes=10 difficulty=3 needs="regularisation, weight decay, overfitting, generalisation error, training error, learning curve"
# ### What else helps
#
# Write `share_after(s, lr, steps)`: which share of $w^*$ the weight has reached after this many steps from 0, a number. `s` and `lr` are
# positive, lr · s is at most 1.
#
# Then write down how training error and generalisation error are related, and at least four ways other than weight decay to deal with
# overfitting. For each say *why* it narrows the gap between the two errors. Early stopping is one; use your function to say why.
#
# **You are done when**
# - **share**: the result is $w / w^*$ after the steps;
# - **no step**: it is 0 for 0 steps.
#
# The words are complete with the relation, four ways, and a reason for each.

# %% exercise="3.7.5"
def share_after(s, lr, steps):
    """w / w* after gradient descent from 0 on s (w - w*)² / 2."""
    ### BEGIN SOLUTION
    return 1 - (1 - lr * s) ** steps
    ### END SOLUTION

# %% [markdown] hints="3.7.5"
# 1. At the start the distance from $w^*$ is $w^*$ itself. What is it after one step, and after two?
# 2. What is left of the distance is the factor, as often as there are steps. For the words: more data, less model, less training, noise, averages.
# 3. With lr · s = 0.5: after one step half of the way is covered, after two three quarters, after three 0.875.

# %% check="3.7.5" points=1
assert_type(share_after(0.75, 0.4, 4), (int, float, torch.Tensor, np.ndarray), "share_after(0.75, 0.4, 4)", of="share", hint="One number, the share after the last step.")
assert_equal(int(np.prod(np.shape(share_after(0.75, 0.4, 4)))), 1, "how many numbers share_after(0.75, 0.4, 4) is", hint="One number, the share after the last step.", of="share")
after = [float(share_after(0.75, 0.4, steps_)) for steps_ in (1, 2)]
if abs(after[0] - 0.3) > 1e-5:
    which_step = f"Already after one step yours is {after[0]:.4g}: from 0 the first step leads to lr · s · w*, so that the share is 0.3."
elif abs(after[1] - 0.51) > 1e-5:
    which_step = f"After one step your share is right, 0.3. After two it is {after[1]:.4g}: the second step covers 0.3 of what is left, 0.7, so that it must be 0.51."
else:
    which_step = "After one step and after two your share is right: every further step, too, multiplies the distance from w* by 1 - 0.3."
assert_close(share_after(0.75, 0.4, 4), 0.7599, "share_after(0.75, 0.4, 4)", rtol=1e-5, of="share",
             hint=which_step,
             mistakes={"These are the powers of lr · s, added: step k covers lr · s of what is left, not (lr · s) to the power of k.": 0.4251,
                       "This is what the last step alone has covered: all four count.": 0.3 * 0.7 ** 3, "This is twice the share, as w is where w* = 2: the share is w / w*.": 2 * 0.7599,
                       "This is the share of the way that is still to go.": 0.2401, "The steps get shorter as the minimum comes nearer.": 1.2,
                       "The steps get shorter as the minimum comes nearer: it is never quite reached here.": 1.,
                       "The gradient of s/2 · (w - w*)² is s (w - w*), without a 2.": 1 - 0.4 ** 4, "The gradient of s/2 · (w - w*)² is s (w - w*): the half is gone.": 1 - 0.85 ** 4,
                       "The curvature s belongs in the step.": 1 - 0.6 ** 4, "The learning rate belongs in the step.": 1 - 0.25 ** 4,
                       "This is one step more.": 1 - 0.7 ** 5, "This is one step less.": 1 - 0.7 ** 3,
                       "The factor of a step is 1 - lr · s, not lr · s.": 1 - 0.3 ** 4, "This is (lr · s) to a power: the distance is multiplied by 1 - lr · s.": 0.3 ** 4,
                       "The factor 1 - lr · s is applied once for each step: a power, not a product with their number.": 1 - 0.7 * 4,
                       "The powers of 1 - lr · s are distances: each step covers lr · s of one.": 1 + 0.7 + 0.49 + 0.343,
                       "A step multiplies the distance by 1 - lr · s; it does not divide it by 1 + lr · s.": 1 - 1.3 ** -4,
                       "Nothing moves here: the gradient is s (w - w*), at w = 0 it is -s w*.": 0.,
                       "These steps lead away from w*: a step goes against the gradient.": 1 - 1.3 ** 4, "A step multiplies the distance by 1 - lr · s, not by 1 + lr · s.": 1.3 ** 4 - 1,
                       "The distance itself counts, not its square, the loss: or these are twice as many steps.": 1 - 0.7 ** 8, "One factor s is enough.": 1 - (1 - 0.4 * 0.75 ** 2) ** 4,
                       "lr is the same in every step: here it becomes lr / k in step k.": 1 - 0.7 * 0.85 * 0.9 * 0.925,
                       "The exponential is the limit of very small steps: these have a size.": 1 - math.exp(-1.2),
                       "This is the share of ridge regression: start at 0 and take the steps.": 0.75 / (0.75 + 1 / 1.6)})
assert_close(share_after(0.2, 0.5, 2), 0.19, "share_after(0.2, 0.5, 2)", rtol=1e-5, of="share", hint="The distance is multiplied by 1 - 0.1, twice.",
             mistakes={"The curvature s belongs in the step.": 0.75, "The learning rate belongs in the step.": 0.36, "The steps get shorter as the minimum comes nearer.": 0.2})
assert_close(share_after(4., 0.25, 3), 1., "share_after(4.0, 0.25, 3), where lr · s is 1", rtol=1e-5, of="share", hint="The first step leads to the minimum, and there the gradient is 0.")
assert_close(share_after(0.3, 0.1, 0), 0., "share_after(0.3, 0.1, 0)", atol=1e-9, of="no step", hint="Without a step the weight is where it started, at 0.",
             mistakes={"Without a step the weight is still at 0.": 1., "This is the share after one step: there is none here.": 0.03})
assert_close(share_after(4., 0.25, 0), 0., "share_after(4.0, 0.25, 0), where lr · s is 1", atol=1e-9, of="no step",
             hint="Without a step it does not matter how long one would be. The logarithm of 1 - lr · s, of 0 here, is not a finite number.",
             mistakes={"Without a step the weight is still at 0.": 1.})
### BEGIN HIDDEN TESTS
for s_, lr_, steps_ in ((2., 0.1, 7), (0.05, 0.4, 30), (4., 0.25, 5)):
    place = 0.
    for _ in range(steps_):
        place = place - lr_ * s_ * (place - 1)
    assert_close(share_after(s_, lr_, steps_), place, f"curvature {s_}, learning rate {lr_}, {steps_} steps", rtol=1e-5, of="share",
                 hint=lambda: where_they_part(lambda s, lr: share_after(s, lr, steps_), lambda s, lr: 1 - (1 - lr * s) ** steps_, s=s_, lr=lr_))
    assert_close(share_after(s_, lr_, 0), 0., f"curvature {s_}, no step", atol=1e-9, of="no step", hint="Without a step the weight is where it started, at 0.")
### END HIDDEN TESTS

# %% [markdown] written="3.7.5" points=4
# ### BEGIN SOLUTION
# The training error is the mean loss on the examples that the fit has used, the generalisation error the expected loss on a new one. The first
# is nearly always the smaller, for the weights were chosen to make it small, and it says less about the second the more flexible the model is
# compared with the number of examples. Overfitting is a large gap.
#
# 1. *More examples*: the accidents of one example weigh less, and a model must fit what they have in common. Where new ones cannot be had,
#    altered copies that keep their label (mirrored pictures, say) do part of the work.
# 2. *A smaller model or fewer features*: there is less with which to follow accidents.
# 3. *Stopping early*: `share_after` shows that directions with large curvature, in which the data speak clearly, are learnt first; those with
#    small curvature, where it is mostly noise that can be fitted, have got a small share when one stops. With lr · s = 0.5 three steps reach
#    0.875, with lr · s = 0.1 the first two reach 0.19. It is much like ridge regression's $s/(s+\lambda)$.
# 4. *Noise in training*, in the inputs or in the network (dropout, section 5.6): what rests on the exact value of single numbers does not
#    survive it.
# 5. *Averaging several models* fitted on different draws: their accidents differ and cancel in the mean.
#
# **Rubric**
# - [1] The relation: training error is (on average) the smaller, the gap grows with flexibility and shrinks with data; also accepted: overfitting defined as this gap; lost by "a small training error means a small generalisation error".
# - [1] At least four ways other than weight decay (more or augmented data, smaller model or fewer features, early stopping, dropout or noise, averaging models, shared weights, an ℓ1 penalty as feature selection); lost by fewer than four, or by "train longer" or "a smaller learning rate" among them without a reason.
# - [1] For at least three of them a reason why the gap narrows; lost by a list without reasons.
# - [1] Early stopping with the share that is reached: directions of small curvature are learnt last, or the weights stay small; also accepted: a comparison with s/(s + λ); lost by "it saves time" alone.
# ### END SOLUTION

# %% [markdown]
# ## Summary
#
# - A penalty λ/2 |w|² makes large weights cost something. As λ grows, the training error rises; the error on new examples falls and then rises. The dial
#   has no steps, and the bias stays out of it.
# - Linear regression has a closed form, (XᵀX + nλI) w = Xᵀy, solvable for every λ > 0. The convention (mean or sum, half or not) decides what
#   a λ means.
# - Under SGD the penalty is the same as `weight_decay` in the optimizer, a factor 1 - ηλ before every step; under Adam it is not. λ is
#   chosen on validation data, roughly; the curve is flat at its lowest point.
# - An ℓ1 penalty pulls with constant strength; soft thresholding makes its zeros exact. A penalty is the negative logarithm of a prior: normal for
#   ℓ2, Laplace for ℓ1.
# - Weight decay comes back in chapter 5: 5.3 and 5.5 use it in networks, 5.6 adds dropout, and 5.7 chooses λ for house prices
#   by k folds.
