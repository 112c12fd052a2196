# %% [markdown]
# # 5.3 Forward propagation, backward propagation, and computational graphs
#
# A network with 200,000 weights has made a mistake. Which weight is to blame, and how much? `loss.backward()` answers that for
# all of them at once, in about twice the time that the prediction took. This section opens the one line: you follow a small network forward
# and backward with a pencil, then for matrices of any size, and your formulas agree with autograd's.
#
# It is worth the work. Whoever knows what the way back needs also knows why training takes so much more memory than prediction, why a
# penalty can be in the loss and still change nothing, what a second derivative costs, and what to do when a batch does not fit. At the end you can
# - write the forward and the backward pass of a network by hand, and say the shape of every gradient before you compute it;
# - read the graph that autograd draws of it;
# - test a gradient so that a wrong one is found;
# - predict how many bytes training keeps, and measure them;
# - multiply by a matrix of second derivatives without ever building it;
# - cut a batch into pieces and still get the gradient of the whole.

# %% tags=["setup"]
from d2l_utils.check import *
import d2l_utils as d2l
import torch
from torch import nn
from torch.nn import functional as F

# %% [markdown] teaches="forward pass, objective"
# ## 1. Forward: from the input to one number
#
# Take a network that is small enough for a pencil: two inputs, two hidden units, one output, and for now no biases. A batch of $n$ examples
# is a matrix $X$, one example in each row:
#
# | step | shapes | what it is |
# |---|---|---|
# | $Z = X W_1^\top$ | $(n, d)(d, h) \to (n, h)$ | sums that enter the hidden units |
# | $H = \mathrm{relu}(Z)$ | $(n, h)$ | what the hidden units put out |
# | $O = H W_2^\top$ | $(n, h)(h, q) \to (n, q)$ | the network's outputs |
# | $L = \frac{1}{2n} \lVert O - Y \rVert^2$ | a number | half the squared error of an example, on average |
# | $s = \frac{\lambda}{2} \left(\lVert W_1 \rVert^2 + \lVert W_2 \rVert^2\right)$ | a number | the penalty of weight decay (3.7) |
# | $J = L + s$ | a number | what training makes small: the *objective* |
#
# $\lVert A \rVert^2$ is the sum of the squares of all entries of the matrix $A$. The weights have the shape (outputs, inputs), as in
# `nn.Linear`: $W_1$ is $(h, d)$ and $W_2$ is $(q, h)$, hence the transposes. (5.2 kept them the other way round; nothing but the notation
# changes.) The steps from the inputs to $J$ are the **forward pass**. The pencil's numbers:

# %% teaches="forward pass, objective"
X, Y = torch.tensor([[1., 2.], [3., -1.]]), torch.tensor([[1.], [2.]])          # two examples, two targets
W1 = torch.tensor([[1., 0.], [-1., 2.]], requires_grad=True)
W2 = torch.tensor([[2., -1.]], requires_grad=True)
lam, n = 0.1, len(X)
Z = X @ W1.T
H = torch.relu(Z)
O = H @ W2.T
L = ((O - Y) ** 2).sum() / (2 * n)
s = lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
J = L + s
print("Z", Z.tolist(), " H", H.tolist(), " O", O.tolist())
print(f"L = {L.item():.2f}, s = {s.item():.2f}, J = {J.item():.2f}")

# %% [markdown]
# Check a few with the pencil: the first example is $(1, 2)$, so its sums are $1 \cdot 1 + 0 \cdot 2 = 1$ and $-1 \cdot 1 + 2 \cdot 2 = 3$.
# The second example's second sum is -5, and ReLU makes 0 of it: this unit is switched off *for this example*. The outputs -1 and 6 miss the targets 1 and
# 2 by -2 and 4, so $L = (4 + 16) / 4 = 5$.
#
# Note where the $n$ stands: the average is over the *examples*. Within an example the squared errors of the outputs are added up. `F.mse_loss` takes
# the mean over all $n \cdot q$ entries instead, which is another number as soon as $q > 1$.

# %% [markdown] task="5.3.A" kind="code" minutes=3 difficulty=1 core=true needs="objective, half mean of squares"
# ### The last step forward
#
# Write `half_squared_error(O, Y)`, the $L$ of the table: `O` and `Y` have the shape $(n, q)$.
#
# **You are done when**
# - **value**: it is half the sum of all squared errors, divided by the number of examples, for q = 1 and for q > 1;
# - **a number**: the result has no axis left (a tensor of shape `()`, or a Python number).

# %% exercise="5.3.A"
def half_squared_error(O, Y):
    """Half the squared error of an example, averaged over the n examples; O and Y have shape (n, q)."""
    ### BEGIN SOLUTION
    return (O - Y).square().sum() / (2 * len(O))
    ### END SOLUTION

# %% [markdown] hints="5.3.A"
# 1. How many squares are added up, and by what is the sum divided?
# 2. `len(O)` is the number of rows, that is of examples.
# 3. Errors (1, 2) and (0, 3) of two examples with two outputs: the squares add up to 14, and L is 14 / 4 = 3.5.

# %% check="5.3.A" points=1
def which_square():
    """What a few small batches say about a wrong loss; the targets are 0."""
    for errors, before, now in (
            ([[1.]], "", "For a single error of 1 yours is {:.4g}: half of its square is 0.5."),
            ([[3.]], "A single error of 1 gives 0.5, as it should.", "One of 3 gives {:.4g}: half of its square is 4.5."),
            ([[-3.]], "A single error of 3 gives 4.5, as it should.", "One of -3 gives {:.4g}: its square is the same."),
            ([[3., 4.]], "A single error is right.",
             "One example with the errors 3 and 4 gives {:.4g}: the squares are added up, (9 + 16) / 2 = 12.5."),
            ([[3.], [4.]], "One example is right, also with several outputs.",
             "Two examples with one error each, 3 and 4, give {:.4g}: (9 + 16) / (2 · 2) = 6.25.")):
        squares = sum(e * e for row in errors for e in row)
        found = float(half_squared_error(torch.tensor(errors), torch.zeros(len(errors), len(errors[0]))))
        if abs(found - squares / 2 / len(errors)) > 1e-4:
            return f"{before} {now.format(found)}".strip()
    return ""

def test_of_53A(errors, targets, what):
    errors, targets = torch.tensor(errors, dtype=torch.float64), torch.tensor(targets, dtype=torch.float64)
    answer = half_squared_error(targets + errors, targets.clone())
    assert_type(answer, (torch.Tensor, float, int), f"the loss for {what}", of="a number")
    if isinstance(answer, torch.Tensor):
        assert_shape(answer, (), f"the loss for {what}", of="a number", hint="Add up over examples and outputs: sum() without an axis.")
    squares, rows, columns = errors.pow(2).sum().item(), *errors.shape
    assert_close(float(answer), squares / 2 / rows, f"the loss for {what}", of="value", mistakes={
        "This lacks the half.": squares / rows, "Divide by the number of examples.": squares / 2, "This is the plain sum of the squares.": squares,
        "Divide by 2n, a product, not by 2 + n.": squares / (2 + rows),
        "Divide by the number of examples, not by that of all entries.": squares / 2 / rows / columns, "Divide by the number of examples, not by that of the outputs.": squares / 2 / columns,
        "This is the mean over all entries, without the half.": squares / rows / columns, "The errors enter squared.": errors.abs().sum().item() / 2 / rows,
        "Here n is 2, the number of examples further up on this page: take that of O.": squares / 2 / 2,
        "`a / 2 * n` is `(a / 2) * n`: put brackets around `2 * n`.": squares / 2 * rows,
        "Each error is squared by itself; here the errors of an example were added up first.": errors.sum(1).pow(2).sum().item() / 2 / rows, "These are norms of the examples: the loss has their squares.": errors.norm(dim=1).sum().item() / 2 / rows,
        "The differences are squared, not the outputs and the targets.": ((targets + errors) ** 2 - targets ** 2).sum().item() / 2 / rows,
        "A root has been taken: the loss has the squared norm of the errors.": squares ** 0.5 / 2 / rows,
        "The loss is no whole number here: nothing is rounded.": squares // (2 * rows), "Divide by n, not by n - 1.": squares / 2 / (rows - 1) if rows > 1 else -1.,
        "Each error is squared by itself; here the errors of each output were averaged first.": errors.mean(0).pow(2).sum().item() / 2,
        **({"Each error is squared by itself; here all errors were added up first.": errors.sum().item() ** 2 / 2 / rows} if rows > 1 < columns else {})},
        hint=lambda: which_square() or "Square each error, add up the squares of all examples and all outputs, and divide by 2n.")

test_of_53A([[1., 2., 0.], [-1., 0., 3.], [1., 0., 4.], [-6., 2., 1.], [1., -3., 1.]], [[0., 0., 3.], [1., 7., 1.], [-1., 0., 2.], [0., 1., 5.], [2., 0., 0.]],
            "errors (1, 2, 0), (-1, 0, 3), (1, 0, 4), (-6, 2, 1) and (1, -3, 1)")
test_of_53A([[-2.], [4.], [60.], [2.], [0.]], [[1.], [2.], [0.], [4.], [1.]], "five examples with errors -2, 4, 60, 2, 0")
### BEGIN HIDDEN TESTS
luck_A = torch.Generator().manual_seed(5301)
for shape_A in ((7, 4), (1, 5), (6, 1)):
    test_of_53A((200 * torch.randn(shape_A, generator=luck_A)).tolist(), torch.randn(shape_A, generator=luck_A).tolist(), f"random errors of shape {shape_A}")
### END HIDDEN TESTS

# %% [markdown] teaches="backward pass, gradient has the shape of its tensor"
# ## 2. Backward: who is to blame?
#
# Now the way back. Write $\bar V$ for $\partial J / \partial V$: how much $J$ changes for a small change of each entry of $V$. There is one such
# number for each entry, so **$\bar V$ has the shape of $V$**, always. That alone will catch half of all mistakes.
#
# The chain rule lets us go one step at a time: whoever knows $\bar O$ can find $\bar H$, whoever knows $\bar H$ can find $\bar Z$, and so on down to the
# weights. We start at the end, where $\bar J = 1$.
#
# **Step 1, the loss.** $L = \frac{1}{2n} \sum_{ik} (O_{ik} - Y_{ik})^2$. Only one term holds $O_{ik}$, and its derivative is $\frac{1}{2n} \cdot 2 (O_{ik} - Y_{ik})$:
#
# $$\bar O = \frac{1}{n} (O - Y), \qquad \text{shape } (n, q).$$
#
# The half was there to cancel the 2. In numbers: $\bar O = (-2, 4) / 2 = (-1, 2)$. The first output is too small, the second too large, and twice as much.

# %%
with torch.no_grad():
    dO = (O - Y) / n                # in code, dV stands for the gradient with respect to V
print(dO.tolist())

# %% [markdown] teaches="gradient of a matrix product, contributions of several paths"
# **Step 2, a matrix product.** $O = H W_2^\top$ says $O_{ik} = \sum_j H_{ij} W_{kj}$, with $W = W_2$. Through which outputs does *one* weight
# $W_{kj}$ reach $J$? Through $O_{ik}$ for every example $i$. And the rule for several paths (2.4) is: multiply along each path, add up over the paths.
#
# $$\bar W_{kj} = \sum_i \bar O_{ik} H_{ij} = (\bar O^\top H)_{kj}, \qquad \text{shapes } (q, n)(n, h) \to (q, h).$$
#
# The sum over the examples hides inside of the product. And one hidden value $H_{ij}$ reaches $J$ through all outputs $k$ of its own example:
#
# $$\bar H_{ij} = \sum_k \bar O_{ik} W_{kj} = (\bar O\, W)_{ij}, \qquad \text{shapes } (n, q)(q, h) \to (n, h).$$
#
# Nobody has to remember which one is transposed. $\bar W_2$ must be $(q, h)$; from $\bar O$ of shape $(n, q)$ and $H$ of shape $(n, h)$ only $\bar O^\top H$ fits.

# %%
with torch.no_grad():
    dW2_of_loss = dO.T @ H
    dH = dO @ W2
print("W2:", dW2_of_loss.tolist(), " H:", dH.tolist())

# %% [markdown]
# The first weight of $W_2$ gets $-1 \cdot 1 + 2 \cdot 3 = 5$, one term from each example. The examples disagree: the first alone would have the weight
# grow, the second alone would have it shrink, and the second is louder.

# %% [markdown] task="5.3.B" kind="code" minutes=4 difficulty=1 core=true needs="gradient of a matrix product, gradient has the shape of its tensor"
# ### Back through a product
#
# For $O = H W^\top$, with `H` of shape $(n, h)$ and `W` of shape $(q, h)$, write `back_through_product(dO, H, W)`: from the gradient `dO` that arrives at $O$, of shape $(n, q)$, it
# makes the pair `(dH, dW)`.
#
# **You are done when**
# - **dH**: it is the gradient with respect to `H`, in the shape of `H`;
# - **dW**: it is the gradient with respect to `W`, in the shape of `W`, summed over the examples;
# - **arguments kept**: `dO`, `H` and `W` are as they were.

# %% exercise="5.3.B"
def back_through_product(dO, H, W):
    """(dH, dW) of O = H Wᵀ for the gradient dO that arrives at O."""
    ### BEGIN SOLUTION
    return dO @ W, dO.T @ H
    ### END SOLUTION

# %% [markdown] hints="5.3.B"
# 1. Which product of `dO` and `W` has the shape of `H`? Which one of `dO` and `H` has the shape of `W`?
# 2. The two formulas stand above: one has a transpose, the other none.
# 3. A case with single rows: `dO` = (2), `H` = (3, 4), `W` = (5, 6) give `dH` = (10, 12) and `dW` = (6, 8).

# %% check="5.3.B" points=1
@probe
def product_after_call(dO, H, W):
    kept = dO.clone(), H.clone(), W.clone()
    back_through_product(*kept)
    return kept

def which_path(name, above, left, weight):
    """Whether twice as much arriving gives twice as much; then a single 1 arrives, and a row of W or of H is to come out."""
    at = name == "dW"
    once, twice = (back_through_product(factor * above, left.clone(), weight.clone())[at] for factor in (1, 2))
    if (twice - 2 * once).abs().max() > 1e-4:
        return f"Where dO is twice as large, {name} should become twice as large; yours {'stays the same' if (twice - once).abs().max() < 1e-4 else 'does not'}."
    for i, k in torch.ones_like(above).nonzero().tolist():
        single, right = torch.zeros_like(above), torch.zeros_like(weight if at else left)
        single[i, k], right[k if at else i] = 1, left[i] if at else weight[k]
        got = back_through_product(single, left, weight)[at]
        if (got - right).abs().max() > 1e-4:
            rest = "" if (got - right).abs()[k if at else i].max() > 1e-4 else " That row is right, another one is not 0."
            return (f"Let dO be 1 at [{i}, {k}] and 0 elsewhere: then row {k} of dW is row {i} of H, and all others are 0; yours is not."
                    if at else
                    f"Let dO be 1 at [{i}, {k}] and 0 elsewhere: then row {i} of dH is row {k} of W, and all others are 0; yours is not."
                    ) + rest
    return f"Where a single 1 arrives, {name} is right: look at how several of them, and other numbers, are put together."

def test_of_53B(above, left, weight, what, rights, of_ones, hint=which_path):
    """`rights` are dH and dW, and `of_ones` what they are where dO holds ones."""
    answer = back_through_product(above.clone(), left.clone(), weight.clone())
    assert_type(answer, (tuple, list), f"what back_through_product returns for {what}", of="dH", hint="Return the pair (dH, dW).")
    assert_equal(len(answer), 2, f"how many gradients back_through_product returns for {what}", of="dH",
                 hint="They are two: (dH, dW).")
    for name, got, right, other in zip(("dH", "dW"), answer, rights, rights[::-1]):
        assert_type(got, torch.Tensor, f"{name} for {what}", of=name)
        assert_shape(got, right.shape, f"{name} for {what}", of=name,
                     hint="The pair stands in the other order." if tuple(got.shape) == tuple(other.shape)
                     else "It stands transposed: a gradient has the shape of its tensor." if tuple(got.shape) == tuple(right.shape)[::-1]
                     else "The examples have kept an axis: W is shared by them, so its gradient is summed over them."
                     if name == "dW" and tuple(got.shape) == (len(left), *right.shape)
                     else "Each example has hidden values of its own: dH is not summed over the examples." if name == "dH" and tuple(got.shape) == (left.shape[1],)
                     else "A gradient has the shape of its tensor.")
        slips = {"There is no ReLU in O = H Wᵀ: no mask.": right * (left > 0)} if name == "dH" else {
            "Multiply within each example, then add the products up: here both factors were added up first.": torch.outer(above.sum(0), left.sum(0)),
            "Multiply within each example, then add the products up: here both factors were averaged first.": torch.outer(above.mean(0), left.mean(0)),
            "Only the first example is in it.": torch.outer(above[0], left[0]),
            "Only the last example is in it: add up over the examples.": torch.outer(above[-1], left[-1]),
            "This adds 0.1 W, a weight decay: no penalty is asked for here.": right + 0.1 * weight}
        assert_close(got, right, f"{name} for {what}", of=name,
                     mistakes=slips | {"The gradient that arrives enters: this is the result for ones in its place.": of_ones[name == "dW"],
                               "It was divided by the number of examples; the gradient that arrives has that in it already.": right / len(left)},
                     hint=lambda: ("H[i, j] reaches J through all outputs k of its example: add up dO[i, k] · W[k, j] over k. "
                                   if name == "dH" else
                                   "W[k, j] reaches J through output k of every example i: add up dO[i, k] · H[i, j] over i. ")
                     + hint(name, above, left, weight))
    for name, after, before in zip(("dO", "H", "W"), product_after_call(above, left, weight), (above, left, weight)):
        assert_close(after, before, f"{name} after the call, for {what}", of="arguments kept",
                     hint=f"`{name} *= ...`, `{name}[...] = ...` and names that end in _ change the caller's tensor: make a new one.")

test_of_53B(torch.tensor([[1., -2.], [0., 3.], [2., 1.]]), torch.tensor([[1., 2., 0., 1.], [3., -1., 1., 0.], [0., 1., 2., 5.]]),
            torch.tensor([[1., 0., 2., -1.], [-1., 2., 1., 3.]]), "3 examples, 4 hidden units, 2 outputs",
            (torch.tensor([[3., -4., 0., -7.], [-3., 6., 3., 9.], [1., 2., 5., 1.]]), torch.tensor([[1., 4., 4., 11.], [7., -6., 5., 3.]])),
            (torch.tensor([[0., 2., 3., 2.], [0., 2., 3., 2.], [0., 2., 3., 2.]]), torch.tensor([[4., 2., 3., 6.], [4., 2., 3., 6.]])))
test_of_53B(torch.tensor([[2., -3.]]), torch.tensor([[1., 4., -1.]]), torch.tensor([[2., 0., 1.], [3., -2., 5.]]), "1 example, 3 hidden units, 2 outputs",
            (torch.tensor([[-5., 6., -13.]]), torch.tensor([[2., 8., -2.], [-3., -12., 3.]])),
            (torch.tensor([[5., -2., 6.]]), torch.tensor([[1., 4., -1.], [1., 4., -1.]])))
### BEGIN HIDDEN TESTS
def product_grads(above, left, weight):
    leaves = [left.clone().requires_grad_(), weight.clone().requires_grad_()]
    return torch.autograd.grad(F.linear(*leaves), leaves, above)

def hidden_of_53B(above, left, weight, what):
    test_of_53B(above, left, weight, what, product_grads(above, left, weight), product_grads(torch.ones_like(above), left, weight),
                lambda name, *given: where_they_part(back_through_product, product_grads, dO=above, H=left, W=weight) or which_path(name, *given))

luck_B = torch.Generator().manual_seed(5302)
for n_, h_, q_ in ((5, 2, 3), (1, 3, 4), (4, 4, 4)):
    hidden_of_53B(*[torch.randn(shape, generator=luck_B, dtype=torch.float64) for shape in ((n_, q_), (n_, h_), (q_, h_))], f"random numbers, n, h, q = {n_}, {h_}, {q_}")
### END HIDDEN TESTS

# %% [markdown] teaches="gradient through relu"
# **Step 3, the ReLU.** Each $H_{ij}$ depends on its own $Z_{ij}$ alone. Where $Z_{ij} > 0$ the slope is 1, and the gradient passes unchanged; where $Z_{ij} < 0$
# the slope is 0, and nothing passes. At $Z_{ij} = 0$ there is a kink; torch counts the slope as 0 there (a subgradient, 2.4), and so do we:
#
# $$\bar Z_{ij} = \bar H_{ij} \text{ where } Z_{ij} > 0, \text{ else } 0.$$
#
# This is the whole role of the forward pass's switches: a unit that was off for an example learns nothing from it. `(Z > 0)` is a mask of True and False,
# which count as 1 and 0 in a product.

# %%
with torch.no_grad():
    dZ = dH * (Z > 0)
print("H:", dH.tolist(), " Z:", (dZ + 0).tolist())       # + 0 makes 0 of -0

# %% [markdown] task="5.3.C" kind="code" minutes=3 difficulty=1 core=true needs="gradient through relu, boolean mask"
# ### Back through a ReLU with a leak
#
# A *leaky* ReLU lets a little through: it is $z$ for $z > 0$ and $a z$ otherwise, with a small number $a \ge 0$. Write `back_through_leaky(dH, Z, a)`: the
# gradient with respect to `Z`, of shape $(n, h)$, where `dH`, of the same shape, arrives. At $z = 0$ the slope counts as $a$.
#
# **You are done when**
# - **switched on**: where `Z` > 0, the gradient passes unchanged;
# - **switched off**: where `Z` < 0, it is multiplied by `a`, also for a = 0;
# - **at zero**: where `Z` is exactly 0, it is multiplied by `a`, too;
# - **arguments kept**: `dH` and `Z` are as they were.

# %% exercise="5.3.C"
def back_through_leaky(dH, Z, a):
    """The gradient that arrives, times 1 where Z > 0, and times a elsewhere."""
    ### BEGIN SOLUTION
    return torch.where(Z > 0, dH, a * dH)
    ### END SOLUTION

# %% [markdown] hints="5.3.C"
# 1. What is the slope of the leaky ReLU to the left of 0, and what to the right?
# 2. `torch.where(mask, A, B)` takes the entries of `A` where the mask is True, and those of `B` elsewhere.
# 3. For the absolute value the slopes are -1 and 1: `torch.where(Z > 0, dH, -dH)`.

# %% check="5.3.C" points=1
@probe
def leaky_after_call(dH, Z, a):
    kept = dH.clone(), Z.clone()
    back_through_leaky(*kept, a)
    return kept

def times_of(got, above):
    """By which number the entries of dH were multiplied, where it is one number."""
    slopes = (got / above).tolist()
    if not slopes or max(slopes) - min(slopes) > 1e-4:
        return " Yours are not the entries of `dH` times one number."
    return f" Yours is the entry of `dH` times {slopes[0]:.4g}."

def test_of_53C(above, sums, a, what):
    answer = back_through_leaky(above.clone(), sums.clone(), a)
    assert_type(answer, torch.Tensor, f"what back_through_leaky returns for {what}", of="switched on")
    assert_shape(answer, above.shape, f"the result for {what}", of="switched on", hint="Each entry of Z has its slope: the result has the shape of dH.")
    leaf = sums.clone().requires_grad_()
    right, = torch.autograd.grad(F.leaky_relu(leaf, a), leaf, above)
    for name, where in (("switched on", sums > 0), ("switched off", sums < 0), ("at zero", sums == 0)):
        slips = {"This is the function, not its gradient: `dH` enters.": F.leaky_relu(sums, a), "This is the slope alone: multiply the gradient that arrives by it.": torch.where(sums > 0, 1., a),
                 "`Z` decides which slope it is, not `dH`.": torch.where(above > 0, above, a * above),
                 "`a` is a factor: it is not subtracted.": torch.where(sums > 0, above, above - a),
                 "The slope is `a`, not 1 - `a`.": torch.where(sums > 0, above, (1 - a) * above),
                 "`Z` only decides which slope it is: `dH` is not multiplied by it.": torch.where(sums > 0, sums * above,
                                                                                                  a * sums * above)}
        slips |= {"The slope is `a`, not its square.": torch.where(sums > 0, above, a * a * above)}
        if name == "switched on":
            slips |= {"The slope is 1 here; it is `a` where Z ≤ 0.": a * above, "The slope is 1 here, not 1 + `a`.": (1 + a) * above} if a else {}
        else:
            slips = slips if name == "switched off" else {}
            slips |= {"Nothing passes here; with a leak, `a` times the gradient does.": 0 * above,
                      "The whole gradient passes here: the slope is `a`.": above,
                      "The slope is `a`, whatever it is: this takes 0.01, torch's default.": 0.01 * above} if a else {
                          "The whole gradient passes here: the slope is `a`.": above, "The slope is `a`, also where `a` is 0: this takes 0.01.": 0.01 * above}
            if name == "at zero":
                slips |= {"At 0 the slope counts as `a`, not as the mean of 1 and `a`.": (1 + a) / 2 * above}
        assert_close(answer[where], right[where], f"the entries with Z {'>' if name == 'switched on' else '<' if name == 'switched off' else '='} 0, for {what}", of=name,
                     mistakes={sentence: value[where].to(right.dtype) for sentence, value in slips.items()},
                     hint=lambda: ("Each of these is the entry of `dH` itself." if name == "switched on" else
                                   "Each of these is the entry of `dH`, times `a`.") + times_of(answer[where], above[where]))
    for name, after, before in zip(("dH", "Z"), leaky_after_call(above, sums, a), (above, sums)):
        assert_close(after, before, f"{name} after the call, for {what}", of="arguments kept",
                     hint=f"`{name} *= ...`, `{name}[...] = ...` and names that end in _ change the caller's tensor,"
                     f" also by a second name: `result = {name}` makes no copy, `{name}.clone()` does.")

test_of_53C(torch.tensor([[5., -3., 2.], [7., -4., -6.]]), torch.tensor([[2., -1., 0.], [-4., 0.5, -2.]]), 0.3, "Z = ((2, -1, 0), (-4, 0.5, -2)), a = 0.3")
test_of_53C(torch.tensor([[5., -3., 2., 4., -8.]]), torch.tensor([[2., -1., 0., 1e-6, -1e-6]]), 0., "Z = (2, -1, 0, 0.000001, -0.000001), a = 0")
test_of_53C(torch.tensor([[5., -3., 2.]]), torch.tensor([[2., -1., 0.]]), 0.5, "Z = (2, -1, 0), a = 0.5")
### BEGIN HIDDEN TESTS
luck_C = torch.Generator().manual_seed(5303)
for shape_C, a_C in (((4, 5), 0.3), ((1, 7), 0.05), ((6, 4), 0.)):
    sums_C = torch.randint(-2, 3, shape_C, generator=luck_C).double()
    sums_C.view(-1)[:5] = torch.tensor([0., -1.5, 2., -1e-7, 1e-7])
    test_of_53C(torch.randn(shape_C, generator=luck_C, dtype=torch.float64), sums_C, a_C, f"random numbers of shape {shape_C}, a = {a_C}")
### END HIDDEN TESTS

# %% [markdown] teaches="gradient of a penalty, contributions of several paths"
# **Step 4, the first product.** $Z = X W_1^\top$ is step 2 once more: $\bar W_1 = \bar Z^\top X$, shapes $(h, n)(n, d) \to (h, d)$, and $\bar X = \bar Z\, W_1$ if anybody asks.
#
# **Step 5, the penalty.** A weight reaches $J$ by *two* ways, through the outputs and through $s$. Paths add up. The derivative of $\frac{\lambda}{2} w^2$ is $\lambda w$, so each
# weight matrix gets $\lambda W$ on top. The whole way back, beside the way forward:
#
# | forward, downwards | backward, upwards |
# |---|---|
# | $Z = X W_1^\top$ | $\bar W_1 = \bar Z^\top X + \lambda W_1, \quad \bar X = \bar Z\, W_1$ |
# | $H = \mathrm{relu}(Z)$ | $\bar Z = \bar H$ where $Z > 0$, else 0 |
# | $O = H W_2^\top$ | $\bar W_2 = \bar O^\top H + \lambda W_2, \quad \bar H = \bar O\, W_2$ |
# | $L = \frac{1}{2n} \lVert O - Y \rVert^2$ | $\bar O = (O - Y) / n$ |

# %% teaches="backward pass, gradient of a penalty"
with torch.no_grad():
    dW2 = dW2_of_loss + lam * W2
    dW1 = dZ.T @ X + lam * W1
from_autograd = torch.autograd.grad(J, (W1, W2), retain_graph=True)     # what J.backward() puts into W1.grad and W2.grad
for name, by_hand, found in zip(("W1", "W2"), (dW1, dW2), from_autograd):
    print(f"{name} by hand:", by_hand, f"{name} by autograd:", found, sep="\n")

# %% [markdown]
# They agree. Each step back costs about two products of the size of the one forward, one for the weights and one for what lies below: this
# is the whole reason why the backward pass takes about twice the time of the forward pass.

# %% [markdown] task="5.3.1a" kind="code" minutes=5 difficulty=1 core=true needs="gradient has the shape of its tensor, jacobian"
# ### The shape of a derivative
#
# $f$ takes a matrix $X$ of shape $(n, m)$ to a number. What is the shape of $\partial f / \partial X$? Answer it in general, for any input and any output.
#
# Write `derivative_shape(input_shape, output_shape)`. Both are tuples of integers, `()` for a single number. It returns the shape, a tuple, of a tensor that
# holds the derivative of every output entry with respect to every input entry: the axes of the output first, as `torch.autograd.functional.jacobian` has them.
#
# **You are done when**
# - **a number from a tensor**: the shape is right where the output is a single number;
# - **a tensor from a tensor**: it is right where the output has axes, too, also for an input that is a single number.

# %% exercise="5.3.1a"
def derivative_shape(input_shape, output_shape):
    """The shape, a tuple, of the derivatives of all output entries by all input entries, output axes first."""
    ### BEGIN SOLUTION
    return tuple(output_shape) + tuple(input_shape)
    ### END SOLUTION

# %% [markdown] hints="5.3.1a"
# 1. How many derivatives are there if one number depends on six?
# 2. For a scalar there is one derivative for each entry of the input. For each further output entry there is another such
#    collection.
# 3. A vector of 5 entries computed from one number has 5 derivatives: shape `(5,)`.

# %% check="5.3.1a" points=1
def axes_of_1a(answer, given, made):
    axes = [f"{'no' if not shape else len(shape)} {'axis' if len(shape) == 1 else 'axes'}" for shape in (made, given)]
    if len(answer) != len(made) + len(given):
        return (f"The output has {axes[0]} here and the input {axes[1]}, and the derivatives have them all:"
                f" yours have {len(answer) or 'none'}.")
    wrong = next(i for i, (one, other) in enumerate(zip(answer, made + given)) if one != other)
    return (f"The number of axes is right. Axis {wrong} is axis {wrong} of the output, with its length." if wrong < len(made) else
            f"The number of axes is right. Axis {wrong} is axis {wrong - len(made)} of the input, with its length.")

def test_of_531a(given, made, what):
    answer = derivative_shape(given, made)
    assert_type(answer, (tuple, list), f"derivative_shape({given}, {made})", of=what,
                hint="A shape is a tuple with a number for each axis.")
    found = tuple(torch.autograd.functional.jacobian(lambda t: t.sum() * torch.ones(made), torch.ones(given)).shape)
    entries_of = [torch.Size(shape).numel() for shape in (made, given)]
    assert_equal(tuple(answer), found, f"derivative_shape({given}, {made})", of=what,
                 mistakes={"The gradient has the shape of the input: it is not transposed.": made + given[::-1],
                           "The axes of the output come first.": given + made,
                           **({"Every entry of the output may depend on every entry of the input, also where the shapes agree.": made} if made == given else
                              {"There is a derivative for each entry of the input.": made,
                               "There is a derivative for each entry of the output.": given}),
                           **({"An axis of length 1 is an axis, too: it stays.": tuple(k for k in made + given if k != 1)}
                              if 1 in made + given else
                              {"Nothing is flattened: each axis of the output and of the input stays an axis.": tuple(entries_of),
                               "Nothing is flattened: each axis of the input stays an axis.": (entries_of[1],)}),
                           "A tuple stands inside of the tuple: put the numbers of both shapes into one.": (*made, given),
                           "Two tuples stand inside of the tuple: put the numbers of both shapes into one.": (made, given),
                           "A number has no axes: its shape is ().": (made or (1,)) + (given or (1,))} | ({"The axes keep their order.": (made + given)[::-1]} if made and given else {}),
                 hint=lambda: "The axes of the output stand first, then those of the input, each with its own length, and no others. "
                 + axes_of_1a(tuple(answer), given, made))

for given_1a in ((2, 3), (5, 2, 4), (7,), (1, 4)):
    test_of_531a(given_1a, (), "a number from a tensor")
for given_1a, made_1a in (((2, 3), (4,)), ((), (3, 2)), ((7,), (6,)), ((2, 3), (4, 5)), ((2, 3), (2, 3))):
    test_of_531a(given_1a, made_1a, "a tensor from a tensor")
### BEGIN HIDDEN TESTS
for given_1a in ((3, 1), (), (4, 1, 2, 3)):
    test_of_531a(given_1a, (), "a number from a tensor")
for given_1a, made_1a in (((5, 1), (2, 3)), ((), (6,)), ((3,), (2, 4, 5)), ((1, 2), (1,)), ((4,), (4,))):
    test_of_531a(given_1a, made_1a, "a tensor from a tensor")
### END HIDDEN TESTS

# %% [markdown] task="5.3.1b" kind="code" minutes=6 difficulty=2 needs="gradient has the shape of its tensor, contributions of several paths"
# ### The shapes in one backward pass
#
# The network of the table gets a bias in the hidden layer, $Z = X W_1^\top + \mathbf b_1$ with $\mathbf b_1$ of shape $(h,)$, and a batch of `n` examples. Some
# gradients have an axis for the examples, some do not.
#
# Write `gradient_shapes(n, d, h, q)`: a dictionary from the names `"O"`, `"W2"`, `"H"`, `"Z"`, `"b1"`, `"W1"`, `"X"` to the
# shape (a tuple) of the gradient of the objective with respect to each.
#
# **You are done when**
# - **names**: the dictionary has these seven names, and no other;
# - **one for each example**: the shapes for `"O"`, `"H"`, `"Z"` and `"X"` are right;
# - **shared by all examples**: the shapes for `"W2"`, `"b1"` and `"W1"` are right.

# %% exercise="5.3.1b"
def gradient_shapes(n, d, h, q):
    """The shapes of dJ/dO, dJ/dW2, ..., a dictionary from names to tuples."""
    ### BEGIN SOLUTION
    return {"O": (n, q), "W2": (q, h), "H": (n, h), "Z": (n, h), "b1": (h,), "W1": (h, d), "X": (n, d)}
    ### END SOLUTION

# %% [markdown] hints="5.3.1b"
# 1. Which of the seven exist once for each example, and which are shared by all?
# 2. The gradient of the number $J$ with respect to a tensor has the shape of that tensor.
# 3. For a single layer $\mathbf o = W\mathbf x$ with 3 inputs and 2 outputs: the gradient with respect to $W$ is $(2, 3)$, to $\mathbf x$ $(3,)$.

# %% check="5.3.1b" points=1
def test_of_531b(n_, d_, h_, q_):
    call = f"gradient_shapes({n_}, {d_}, {h_}, {q_})"
    answer = gradient_shapes(n_, d_, h_, q_)
    assert_type(answer, dict, call, of="names")
    seven = {"H", "O", "W1", "W2", "X", "Z", "b1"}
    assert_equal(sorted(str(name) for name in answer), sorted(seven), f"the names in {call}", of="names", hint=" ".join(
        f"{said}: {', '.join(sorted(names))}." for said,
        names in (("Not asked for", {str(name) for name in answer} - seven), ("Missing", seven - {str(name) for name in answer}))
        if names))
    leaves = {"X": torch.ones(n_, d_), "W1": torch.ones(h_, d_), "b1": torch.ones(h_), "W2": torch.ones(q_, h_)}
    for leaf in leaves.values():
        leaf.requires_grad_()
    leaves["Z"] = leaves["X"] @ leaves["W1"].T + leaves["b1"]
    leaves["H"] = torch.relu(leaves["Z"])
    leaves["O"] = leaves["H"] @ leaves["W2"].T
    for name, grad in zip(leaves, torch.autograd.grad(leaves["O"].square().sum(), list(leaves.values()))):
        of = "shared by all examples" if name in ("W1", "b1", "W2") else "one for each example"
        right = tuple(grad.shape)
        assert_type(answer[name], (tuple, list), f"the entry {name!r} of {call}", of=of,
                    hint="Brackets alone make no tuple: one with a single entry is written (h,)." if name == "b1"
                    else "A shape is a tuple.")
        slips = {"Weights and biases are shared by the examples: their gradients are summed over them.": (n_, *right)} if name != "b1" else {
            "The bias is shared by the examples: its gradient is summed over them.": (n_, h_), "b1 has one axis, and so has its gradient.": (1, h_),
            "b1 is no column: it has one axis, and so has its gradient.": (h_, 1)}
        if of == "one for each example":
            slips = {"Each example has its own: the first axis is n.": right[1:],
                     "J is a number, and its gradient has the shape of the tensor all the same.": (),
                     "The examples are the rows: n stands first.": right[::-1]}
        elif name != "b1":
            slips["The weights are (outputs, inputs) here, as in nn.Linear; 5.2 kept them the other way round."] = right[::-1]
            slips["W1 leads from the inputs to the hidden units, W2 on to the outputs: this is the other one's shape."] = (
                (q_, h_) if name == "W1" else (h_, d_))
        letters = {n_: "n", d_: "d", h_: "h", q_: "q"}
        yours = [letters.get(entry, str(entry)) for entry in answer[name]]
        assert_equal(tuple(answer[name]), right, f"the entry {name!r} of {call}", of=of, mistakes=slips,
                     hint=f"Yours is ({', '.join(yours)}{',' * (len(yours) == 1)}), in letters. A gradient has the shape of its tensor: " + {
                         "X": "X has a row for each example and a column for each input.",
                         "Z": "Z has a row for each example and a column for each hidden unit.",
                         "H": "H has a row for each example and a column for each hidden unit.",
                         "O": "O has a row for each example and a column for each output.",
                         "W1": "W1 has a row for each hidden unit and a column for each input.",
                         "W2": "W2 has a row for each output and a column for each hidden unit.",
                         "b1": "b1 has an entry for each hidden unit."}[name])

test_of_531b(5, 4, 3, 2)
test_of_531b(7, 2, 6, 3)
### BEGIN HIDDEN TESTS
test_of_531b(1, 9, 4, 8)
test_of_531b(6, 5, 8, 3)
### END HIDDEN TESTS

# %% [markdown] teaches="graph of the objective"
# ## 3. The graph of the objective
#
# Autograd does what you just did, and its notes are a graph (2.5). Which graph? Not that of the output $O$: it ends before anything is judged. What training differentiates is $J$. Both are drawn below.
# Arrows point forward. The blue boxes at the top are the leaves that want a gradient: $X$, $Y$ and $\lambda$ do not, so they are not drawn.
# A grey box is the backward function of an operation: `PermuteBackward0` belongs to the transpose, `MmBackward0` to the product of two matrices. The green box is the result.

# %% tags=["demo"] teaches="graph of the objective"
from IPython.display import display

O = torch.relu(X @ W1.T) @ W2.T
J = ((O - Y) ** 2).sum() / (2 * n) + lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
print("the graph of O")
display(d2l.show_graph(O, params={"W1": W1, "W2": W2}))
print("the graph of J")
display(d2l.show_graph(J, params={"W1": W1, "W2": W2}))

# %% [markdown]
# In the second graph each weight stands above a box `AccumulateGrad`, which adds to its `.grad`, and two arrows leave that box: one towards the product, one towards the weight's own square (`PowBackward0`). These are the two ways of step 5, and where they come
# together on the way back, the gradients are added. torch draws a box for each operation of its own, so the penalty is several: two squares, two sums, an addition and a product.

# %% [markdown] task="5.3.2a" kind="answer" minutes=10 difficulty=2 core=true needs="graph of the objective, objective, bias"
# ### The graph, with a bias
#
# Give the network a bias in the hidden layer, $Z = X W_1^\top + \mathbf b_1$, and describe the graph of the objective $J$, weight decay included. The bias is
# not penalised. (If you also add a bias `"b2"` to the output, that is accepted.)
#
# Set `graph` to a dictionary: for every computed value its name, and a tuple of the operation and the names of its inputs. The names are yours. The leaves are called `"X"`, `"Y"`,
# `"W1"`, `"b1"`, `"W2"`, `"lam"`. The operations:
#
# - `("matmul", A, W)`: $A W^\top$; `("add", A, B)`; `("relu", A)`; `("loss", O, Y)`: $\frac{1}{2n} \lVert O - Y \rVert^2$;
# - `("penalty", lam, A, B)`: $\frac{\lambda}{2} (\lVert A \rVert^2 + \lVert B \rVert^2)$.
#
# For example, $\mathrm{relu}(X W^\top) + X$ is `{"P": ("matmul", "X", "W"), "R": ("relu", "P"), "S": ("add", "R", "X")}`.
#
# **You are done when**
# - **well formed**: each entry is one of the five operations with the right number of inputs, which are leaves or stand above it, and whose shapes fit;
# - **all in use**: all six leaves are used, and every entry but the last is used by a later one;
# - **loss**: the last entry is a number, and for $\lambda = 0$ it is the loss of the network with its bias;
# - **penalty**: $\lambda$ adds the penalty of both weights to it, and of nothing else.

# %% exercise="5.3.2a"
### BEGIN SOLUTION
graph = {"P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "W2"), "J": ("add", "L", "s")}
### END SOLUTION

# %% [markdown] hints="5.3.2a"
# 1. Which leaves have two arrows going out of them?
# 2. The penalty meets the other path only at the very end, in a sum of two numbers. The bias joins before the activation.
# 3. One layer with a penalty on W: `{"O": ("matmul", "X", "W"), "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W", "W"),
#    "J": ("add", "L", "s")}`, which penalises W twice.

# %% check="5.3.2a" points=2
INPUTS_2A = {"matmul": 2, "add": 2, "relu": 1, "loss": 2, "penalty": 3}

def well_formed_2a(entries):
    known = {"X", "Y", "W1", "b1", "b2", "W2", "lam"}

    def must(holds, what, hint=""):
        if not holds:                   # so that a right graph is not answered with a hundred lines
            assert_true(False, what, of="well formed", hint=hint)

    for name, entry in entries.items():
        must(isinstance(entry, (tuple, list)), f"the entry of {name!r} is a tuple")
        must(len(entry) > 0 and all(isinstance(word, str) for word in entry), f"the entry of {name!r} holds names")
        must(entry[0] in INPUTS_2A, f"the operation of {name!r} is one of the five", hint=f"It is {entry[0]!r}: the five are matmul, add, relu, loss and penalty.")
        must(len(entry) - 1 == INPUTS_2A[entry[0]], f"the number of inputs of {name!r} is {INPUTS_2A[entry[0]]}, as {entry[0]} takes them")
        for word in entry[1:]:
            must(word in known, f"the input {word!r} of {name!r} is a leaf or stands above it",
                 hint="An entry cannot be its own input. A dictionary keeps one entry for each name, so a second one replaces the first: give each value a name of its own." if word == name
                 else "The leaves are called X, Y, W1, b1, W2 and lam; any other input is the name of an entry further up.")
        must(name not in known, f"{name!r} is a new name")
        known.add(name)

def values_2a(entries, leaves):
    """The values of all entries; or the name of the first one whose shapes do not fit."""
    found = dict(leaves)
    for name, (operation, *words) in entries.items():
        a = [found[word] for word in words]
        try:
            if operation == "matmul":
                found[name] = a[0] @ a[1].T if a[0].ndim == a[1].ndim == 2 else None
            elif operation == "add":
                found[name] = a[0] + a[1]
            elif operation == "relu":
                found[name] = a[0].clamp(min=0)
            elif operation == "loss":
                found[name] = (a[0] - a[1]).pow(2).sum() / (2 * len(a[0])) if a[0].shape == a[1].shape and a[0].ndim else None
            else:
                found[name] = a[0] / 2 * (a[1].pow(2).sum() + a[2].pow(2).sum())
        except RuntimeError:
            found[name] = None
        if found[name] is None:
            return name
    return found

def leaves_2a(sizes, decay, seed):
    luck = torch.Generator().manual_seed(seed)
    n_, d_, h_, q_ = sizes
    made = {name: torch.randn(shape, generator=luck, dtype=torch.float64) for name, shape in
            (("X", (n_, d_)), ("Y", (n_, q_)), ("W1", (h_, d_)), ("b1", (h_,)), ("W2", (q_, h_)), ("b2", (q_,)))}
    return made | {"lam": torch.tensor(decay, dtype=torch.float64)}

def last_of_2a(entries, leaves, sizes):
    found = values_2a(entries, leaves)
    what, hint = f"the shapes of all inputs fit, n, d, h, q = {sizes}", ""
    if isinstance(found, str):
        operation, *words = entries[found]
        above = values_2a(dict(list(entries.items())[:list(entries).index(found)]), leaves)
        first = next((name for name, entry in entries.items() if entry[0] == "matmul" and entry[1] in ("W1", "W2")), None)
        meet = " and ".join(str(tuple(above[word].shape)) for word in words)
        what = f"the shapes of the inputs of {found!r} fit, n, d, h, q = {sizes}: here {operation} meets {meet}"
        hint = "matmul takes two matrices that fit; the loss takes outputs and targets of one shape."
        if first:
            hint = f"In {first!r} the weight is the first input: matmul makes A Wᵀ, so the values stand first and the weight second."
        elif operation == "add" and "b1" in words:
            hint = "b1 has an entry for each hidden unit: it joins the sums that enter the hidden layer."
    assert_true(not isinstance(found, str), what, of="well formed", hint=hint)
    return found[list(entries)[-1]]

def missing_step(entries, leaves, steps):
    """The first step of the forward pass that no entry makes."""
    made = [v for v in values_2a(entries, leaves).values() if isinstance(v, torch.Tensor)]
    for said, right in steps.items():
        if not any(v.shape == right.shape and (v - right).abs().max() < 1e-6 for v in made):
            return f"No entry has the value of {said}."
    return "All steps up to the output H W2ᵀ are there: the loss takes it and Y, and enters the last entry once."

def test_of_532a(sizes, decay, seed):
    entries = {str(name): tuple(entry) for name, entry in dict(graph).items()}
    leaves = leaves_2a(sizes, decay, seed)
    X_, Y_, A, b, C, b2 = (leaves[name] for name in ("X", "Y", "W1", "b1", "W2", "b2"))
    extra = b2 if any("b2" in entry for entry in entries.values()) else 0.

    def loss_of(out):
        return ((out - Y_) ** 2).sum() / (2 * len(Y_))

    other = next((f"The penalty {name!r} takes {', '.join(words)}: it should take lam, W1 and W2." for name,
                  (operation, *words) in entries.items()
                  if operation == "penalty" and (words[0] != "lam" or set(words[1:]) != {"W1", "W2"})), None)
    sums = X_ @ A.T
    right = loss_of((sums + b).relu() @ C.T + extra)
    bare = last_of_2a(entries, leaves | {"lam": torch.tensor(0., dtype=torch.float64)}, sizes)
    assert_shape(bare, (), f"the last entry, n, d, h, q = {sizes}", of="loss",
                 hint=other or "Is it the graph of the objective, and not that of the output? The objective is one number.")
    assert_close(bare, right, f"the last entry for lam = 0, n, d, h, q = {sizes}", of="loss", mistakes={
        "Here the bias joins after the activation: it belongs before it.": loss_of((sums.relu() + b) @ C.T + extra), "The activation of the hidden layer is missing.": loss_of((sums + b) @ C.T + extra),
        "An activation acts on the output: only the hidden layer has one.": loss_of(((sums + b).relu() @ C.T + extra).relu()), "The bias does not reach the loss.": loss_of(sums.relu() @ C.T + extra),
        "Here the loss enters twice.": 2 * right, "The loss does not reach the last entry.": torch.zeros((), dtype=torch.float64),
        "There is one activation, after the bias: here one acts before it, too.": loss_of((sums.relu() + b).relu() @ C.T + extra),
        "The activation belongs to the hidden layer: here the output has it.": loss_of(((sums + b) @ C.T + extra).relu())},
        hint=lambda: other or missing_step(entries, leaves, {
            "X W1ᵀ": sums, "X W1ᵀ + b1, the sums that enter the hidden layer": sums + b,
            "H, the ReLU of X W1ᵀ + b1": (sums + b).relu(), "H W2ᵀ, the output": (sums + b).relu() @ C.T}))
    first, second, third = (decay / 2 * M.pow(2).sum() for M in (A, C, b))
    grown = last_of_2a(entries, leaves, sizes)
    assert_close(grown - bare, first + second, f"what lam = {decay} adds to the last entry, n, d, h, q = {sizes}", of="penalty", mistakes={
        "Here the weights are penalised twice.": 2 * (first + second), "Only the first weight is penalised, twice.": 2 * first, "Only the second weight is penalised, twice.": 2 * second,
        "Here the bias is penalised twice: take it out.": first + second + third + third, "W2 is missing, and b1 stands in its place: the bias is not penalised.": first + third, "W1 is missing, and b1 stands in its place: the bias is not penalised.": second + third,
        "Here the bias is penalised, too: take it out.": first + second + third, "The penalty does not reach the last entry.": torch.zeros((), dtype=torch.float64)},
        hint=other or "The penalty is added to the loss, not to a layer's values.")

assert_type(graph, dict, "the graph", of="well formed")
assert_true(len(graph) > 0, "the graph has entries", of="well formed")
well_formed_2a(dict(graph))
test_of_532a((5, 4, 3, 2), 0.7, 0)
used_2a = {word for entry in dict(graph).values() for word in list(entry)[1:]}
assert_equal(sorted({"X", "Y", "W1", "b1", "W2", "lam"} - used_2a), [], "the leaves that nothing uses", of="all in use",
             hint="Is it the graph of the objective, with loss and penalty?")
assert_equal(sorted(set(list(dict(graph))[:-1]) - used_2a), [], "the entries that nothing uses, the last one aside", of="all in use",
             hint="What is computed has to enter a later entry, and the last one is the objective.")
### BEGIN HIDDEN TESTS
well_formed_2a(dict(graph))
test_of_532a((7, 2, 6, 3), 1.9, 1)
test_of_532a((4, 6, 5, 1), 0.05, 2)
reached_2a = {name: leaf.requires_grad_() for name, leaf in leaves_2a((6, 3, 4, 2), 0.3, 3).items()}
slopes_2a = torch.autograd.grad(last_of_2a({str(name): tuple(entry) for name, entry in dict(graph).items()}, reached_2a, (6, 3, 4, 2)), list(reached_2a.values()), allow_unused=True)
assert_equal([name for name, slope in zip(reached_2a, slopes_2a) if slope is None and name != "b2"], [], "the leaves that do not reach the last entry", of="all in use",
             hint="From each leaf a way leads through entries to the last one.")
assert_equal(sorted(set(list(dict(graph))[:-1]) - {word for entry in dict(graph).values() for word in list(entry)[1:]}), [], "the entries of the graph that nothing uses", of="all in use")
### END HIDDEN TESTS

# %% [markdown]
# Now the drawing, with the bias: compare it with yours. Your leaves `"X"`, `"Y"` and `"lam"` are missing, since they need no gradient.

# %% tags=["demo"]
b1 = torch.tensor([-2., 1.], requires_grad=True)
O = torch.relu(X @ W1.T + b1) @ W2.T
J = ((O - Y) ** 2).sum() / (2 * n) + lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
d2l.show_graph(J, params={"W1": W1, "b1": b1, "W2": W2})

# %% [markdown] teaches="cotangent, test of a gradient"
# ## 4. How to test a gradient
#
# A formula for a gradient is easily wrong, and a network with a wrong gradient often still learns a little. So compare with autograd. A piece of a network has many outputs, not
# one number, so somebody must say what arrives from above: numbers $\bar O$ of the shape of $O$, called a **cotangent**. (2.5 called them weights: `O.backward(gradient=dO)` and
# `torch.autograd.grad(O, X, dO)` take them.)
#
# Which numbers? ⚠ *Ones are a poor test.* Someone writes a backward pass for the softmax and returns zeros. With ones as the cotangent, nobody notices:

# %% teaches="cotangent, test of a gradient"
logits = torch.tensor([[1., 2., 3.]], requires_grad=True)
for cotangent in (torch.ones(1, 3), torch.tensor([[0.3, -1.2, 0.5]])):
    print("arriving", cotangent.tolist(), " right gradient", torch.autograd.grad(logits.softmax(dim=1), logits, cotangent)[0])

# %% [markdown]
# A softmax's outputs add up to 1 whatever the scores are. The sum of the outputs does not change, its gradient is 0 (up to rounding), and zeros are right by accident. Random cotangents have no such
# symmetry: they find it out. The same goes for sizes: with $n = d = h = q$ a forgotten transpose runs without an error. **Test with random cotangents and with axes of different lengths.**

# %% [markdown] task="5.3.D" kind="code" minutes=5 difficulty=2 needs="cotangent, test of a gradient, leaf"
# ### A judge of gradients
#
# Write `largest_difference(f, by_hand, X, dO)`. `f` takes a tensor like `X` to a tensor of the shape of `dO`; `by_hand(dO, X)` is somebody's formula for the gradient with respect to `X` where `dO` arrives.
# Return the largest absolute difference between an entry of `by_hand`'s gradient and the same entry of autograd's.
#
# **You are done when**
# - **largest**: it is the largest of the absolute differences, whatever their signs, as a number (a float or a tensor of shape `()`);
# - **cotangent used**: both sides get `dO`, so that a formula which is right for ones alone is found out;
# - **X kept**: `X` has afterwards no `requires_grad` and no `.grad`.

# %% exercise="5.3.D"
def largest_difference(f, by_hand, X, dO):
    """The largest |by_hand(dO, X) - autograd's gradient| over all entries."""
    ### BEGIN SOLUTION
    leaf = X.detach().clone().requires_grad_()
    found, = torch.autograd.grad(f(leaf), leaf, dO)
    return (found - by_hand(dO, X)).abs().max().item()
    ### END SOLUTION

# %% [markdown] hints="5.3.D"
# 1. Which tensor has to be marked, if the caller's `X` must not be?
# 2. `torch.autograd.grad(f(leaf), leaf, dO)` returns a tuple with the gradient.
# 3. The largest difference of (1, 5) and (4, 3): the differences are -3 and 2, so it is 3.

# %% check="5.3.D" points=1
@probe
def judged(values, above, which):
    functions = {"square": (lambda t: t ** 2, lambda dO, X: 2 * X * dO), "square, factor 3": (lambda t: t ** 2, lambda dO, X: 3 * X * dO),
                 "square, factor 2.001": (lambda t: t ** 2, lambda dO, X: 2.001 * X * dO),
                 "square, ones": (lambda t: t ** 2, lambda dO, X: 2 * X), "softmax, zeros": (lambda t: t.softmax(dim=-1), lambda dO, X: torch.zeros_like(X)),
                 "sums of rows": (lambda t: t.sum(dim=1), lambda dO, X: dO[:, None] * torch.ones_like(X)),
                 "sums of rows, doubled": (lambda t: t.sum(dim=1), lambda dO, X: 2 * dO[:, None] * torch.ones_like(X))}
    t = values.clone()
    answer = largest_difference(*functions[which], t, above.clone())
    answer = str(answer) if isinstance(answer, bool) else answer
    return (answer.detach() if torch.is_tensor(answer) else answer,
            [name for name, there in (("requires_grad", t.requires_grad), (".grad", t.grad is not None)) if there])

def of_norms_53D():
    """Which norms were taken: asked where the two gradients do not point the same way."""
    found = float(judged(at_D, above_D, "square, ones")[0])
    one, other = 2 * at_D, 2 * at_D * above_D
    if abs(found - (one - other).norm().item()) < 1e-3:
        return "This is the norm of the differences: the largest of them is asked for."
    if abs(found - abs(one.norm() - other.norm()).item()) < 1e-3:
        return "This is the difference of the norms of the two gradients: subtract entry by entry, and take the largest."
    return ""

def which_side_53D(found, right):
    if abs(found - right) < 0.01 * abs(right):
        return "This is nearly it. Autograd's gradient is exact: differences of values of f are not, and nothing is rounded."
    for which, formula in (("square", "2 X dO"), ("sums of rows", "dO along the rows")):
        shape = (2, 3) if which == "square" else (2,)
        none = float(judged(at_D, torch.ones(shape), which)[0])
        if abs(none) > 1e-3:
            return (f"With a right formula, too, {formula}, yours is {none:.4g} and not 0: compare by_hand(dO, X)"
                    " with autograd's gradient of f at X where dO arrives.")
    return "With a right formula yours is 0, as it should be: of the absolute differences of the entries the largest is asked for."

def test_of_53D(values, above, which, right, what, of, **more):
    answer, marks = judged(values, above, which)
    assert_type(answer, (float, int, torch.Tensor), f"the difference for {what}", of=of,
                hint="How large the difference is, is asked for, not whether there is one." if answer in ("True", "False")
                else "One number is asked for: max() gives it, while max(dim=0) gives a pair, the values and their positions."
                if isinstance(answer, (tuple, list)) else "")
    if isinstance(answer, torch.Tensor):
        assert_shape(answer, (), f"the difference for {what}", of=of,
                     hint="The largest of all entries is one number: no axis is left.")
    signed, mistakes = "Take the absolute value of each difference before you look for the largest.", more.get("mistakes", {})
    if signed in mistakes and abs(float(answer) - mistakes[signed]) < 1e-3:         # asked again where two mistakes part
        apart = float(judged(at_D, above_D, "square, ones")[0])
        if abs(apart - 2) < 1e-3:
            signed = "Subtract entry by entry: this is the difference of the largest entries of the two gradients."
        mistakes = {signed: float(answer)}
    assert_close(float(answer), float(right), f"the difference for {what}", of=of, rtol=1e-4, atol=1e-5, mistakes=mistakes,
                 hint=lambda: of_norms_53D() or which_side_53D(float(answer), float(right)))
    assert_equal(marks, [], f"the marks (requires_grad, .grad) on X after the call, for {what}", of="X kept",
                 hint="X still requires a gradient. " * ("requires_grad" in marks)
                 + "X has a .grad now: backward() wrote it there. " * (".grad" in marks) + "Make a leaf of your own: X.detach().clone().requires_grad_().")

at_D, above_D = torch.tensor([[1., -2., 3.], [4., 5., -7.]]), torch.tensor([[1., -3., -3.], [0.5, 1., -0.5]])
test_of_53D(torch.tensor([[1., -2., 5.], [-9., 4., -7.]]), torch.ones(2, 3), "square, factor 3", 9,
            "X² with the formula 3 X dO, X = ((1, -2, 5), (-9, 4, -7)), dO all ones", "largest", mistakes={
    "Take the absolute value of each difference before you look for the largest.": 5.,
    "This is the second largest of the absolute differences.": 7.,
    "This is the root of the mean square of the differences: the largest is asked for.": (176 / 6) ** 0.5,
    "This is the mean of the differences.": 28 / 6,
    "This is the sum of the differences.": 28., "This is the sum of the differences with their signs, which cancel.": -8.,
    "This is the smallest difference.": 1.,
    "This is the square of the difference.": 81.,
    "This is the largest difference minus the smallest, each with its sign: take absolute values first.": 14.,
    "This is the position of the largest difference: its size is asked for.": 3., "This is the median of the differences.": 4.,
    "The two gradients are subtracted, not added.": 45.,
    "by_hand takes dO and X: here it got f(X) in place of X.": 261.,
    "This is the difference divided by autograd's gradient: the difference itself is asked for.": 1 / 2,
    "This is the difference divided by by_hand's gradient: the difference itself is asked for.": 1 / 3})
test_of_53D(torch.tensor([[2.]]), torch.tensor([[5.]]), "square, ones", 16,
            "X² with a formula that ignores dO, X = ((2)), dO = ((5))", "cotangent used", mistakes={
    "Both sides get dO, not ones.": 0., "Take the absolute value of each difference.": -16.,
    "by_hand takes dO first and X second.": 10.})
test_of_53D(at_D, above_D, "square", 0, "X², a right formula", "largest", mistakes={"Both sides get dO: by_hand got ones.": 24.})
test_of_53D(at_D, above_D, "square, factor 3", 9, "X² with the formula 3 X dO, X = ((1, -2, 3), (4, 5, -7)), dO = ((1, -3, -3), (0.5, 1, -0.5))", "largest", mistakes={
    "Take the absolute value of each difference before you look for the largest.": 6., "This is the mean of the differences.": 26.5 / 6, "This is the sum of the differences.": 26.5, "Both sides get dO, not ones.": 7., "This is the smallest difference.": 1.})
test_of_53D(-at_D, above_D, "square, factor 3", 9, "X² with the formula 3 X dO, X = ((-1, 2, -3), (-4, -5, 7)), dO = ((1, -3, -3), (0.5, 1, -0.5))", "largest", mistakes={
    "Take the absolute value of each difference before you look for the largest.": 6.})
test_of_53D(at_D, above_D, "square, factor 2.001", 0.009, "X² with the formula 2.001 X dO, X = ((1, -2, 3), (4, 5, -7)), dO = ((1, -3, -3), (0.5, 1, -0.5))", "largest", mistakes={"A small difference counts, too.": 0.})
test_of_53D(at_D, torch.ones(2, 3), "square, factor 3", 7, "X² with the formula 3 X dO, X = ((1, -2, 3), (4, 5, -7)), dO all ones", "largest")
test_of_53D(at_D, above_D, "square, ones", 24,
            "X² with a formula that ignores dO, X = ((1, -2, 3), (4, 5, -7)), dO = ((1, -3, -3), (0.5, 1, -0.5))",
            "cotangent used", mistakes={
    "Both sides get dO, not ones.": 0.,
    "Subtract entry by entry: this is the difference of the largest entries of the two gradients.": 4.,
    "Subtract first, then take the absolute value: here the signs were dropped before.": 12.})
test_of_53D(torch.tensor([[1., 2., 3.]]), torch.tensor([[0., 0., 1.]]), "softmax, zeros",
            torch.tensor([1., 2., 3.]).softmax(0).square().mul(-1).add(torch.tensor([1., 2., 3.]).softmax(0))[2],
            "the softmax of (1, 2, 3) with a formula that gives zeros, dO = (0, 0, 1)", "cotangent used",
            mistakes={"dO goes into autograd's way back: with ones there it is 0, also if the result is multiplied by dO afterwards.": 0.})
test_of_53D(at_D, torch.tensor([2., -5.]), "sums of rows, doubled", 5, "the row sums of X with a formula that is twice too large, dO = (2, -5)", "cotangent used")
### BEGIN HIDDEN TESTS
luck_D = torch.Generator().manual_seed(5304)
for shape_D in ((4, 3), (2, 7)):
    values_D, arriving_D = torch.randn(shape_D, generator=luck_D), torch.randn(shape_D, generator=luck_D)
    test_of_53D(values_D, arriving_D, "square", 0, f"X², a right formula, shape {shape_D}", "largest")
    test_of_53D(values_D, arriving_D, "square, factor 3", (values_D * arriving_D).abs().max(), f"X² with the formula 3 X dO, shape {shape_D}", "largest")
    test_of_53D(values_D, -arriving_D.abs(), "square, ones", (2 * values_D * (1 + arriving_D.abs())).abs().max(), f"X² with a formula that ignores dO, shape {shape_D}", "cotangent used")
    test_of_53D(values_D, arriving_D[:, 0], "sums of rows, doubled", arriving_D[:, 0].abs().max(), f"the row sums of X with a formula that is twice too large, shape {shape_D}", "cotangent used")
    test_of_53D(values_D, arriving_D, "square, factor 2.001", 0.001 * (values_D * arriving_D).abs().max(), f"X² with the formula 2.001 X dO, shape {shape_D}", "largest")
    test_of_53D(values_D, torch.ones(shape_D), "square, factor 3", values_D.abs().max(), f"X² with the formula 3 X dO, dO all ones, shape {shape_D}", "largest")
    assert_equal(judged(values_D, arriving_D, "square")[1], [], f"the marks on X after the call, shape {shape_D}", of="X kept")
### END HIDDEN TESTS

# %% [markdown] teaches="gradient of a bias"
# ## 5. The whole network, with a bias
#
# One thing is new with a bias: $Z = X W_1^\top + \mathbf b_1$ adds *one* vector to *all* rows. Entry $j$ of it reaches $J$ through $Z_{1j}$, $Z_{2j}$, ..., once for each example. Paths add up:
# $\bar{b}_j = \sum_i \bar Z_{ij}$. That is the rule for everything that was broadcast: forward it is copied along an axis, backward it is summed over that axis.

# %% teaches="gradient of a bias"
row = torch.tensor([10., 20., 30.], requires_grad=True)
(torch.zeros(2, 3) + row).backward(gradient=torch.tensor([[1., 2., 3.], [4., 5., 6.]]))
print(row.grad)

# %% [markdown] task="5.3.2b" kind="code" minutes=6 difficulty=1 core=true needs="forward pass, broadcasting, relu"
# ### Forward, with a bias
#
# Write `forward(X, W1, b1, W2)`: the triple `(Z, H, O)` for the network with a bias in the hidden layer. Shapes: `X` $(n, d)$, `W1` $(h, d)$,
# `b1` $(h,)$, `W2` $(q, h)$.
#
# **You are done when**
# - **Z**: the sums before the activation, shape $(n, h)$, with the bias in every row;
# - **H**: the values after the ReLU, shape $(n, h)$;
# - **O**: the outputs, shape $(n, q)$, on which no activation acts;
# - **dtype**: that of the inputs, float32 or float64;
# - **arguments kept**: the four arguments are as they were.

# %% exercise="5.3.2b"
def forward(X, W1, b1, W2):
    """Z = X W1ᵀ + b1, H = relu(Z), O = H W2ᵀ; shapes (n, h), (n, h), (n, q)."""
    ### BEGIN SOLUTION
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    return Z, H, H @ W2.T
    ### END SOLUTION

# %% [markdown] hints="5.3.2b"
# 1. Which shape must be added to a matrix of shape $(n, h)$ so that every row gets the same bias?
# 2. Broadcasting aligns at the right: $(n, h) + (h,)$ adds to each row.
# 3. For one unit with weight 2 and bias -3, the inputs 1 and 4 give -1 and 5, after ReLU 0 and 5.

# %% check="5.3.2b" points=1
@probe
def forward_arguments_after(args):
    kept = [t.clone() for t in args]
    forward(*kept)
    return kept

@probe
def forward_watched(args):
    """The functions with which `forward` writes an activation into its argument, and the text of an error of mixed dtypes."""
    from torch.overrides import TorchFunctionMode
    writers, stopped = set(), ""

    class Watch(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            writers.update({getattr(func, "__name__", "")} & {"relu_", "clamp_", "clamp_min_", "threshold_", "masked_fill_"})
            return func(*args, **(kwargs or {}))

    try:
        with Watch():
            forward(*[t.clone() for t in args])
    except Exception as error:                  # any other is raised again where forward is called
        stopped = f"{type(error).__name__}: {error}" if "dtype" in str(error) else ""
    return sorted(writers), stopped

def single_532b():
    """The first Z that the answer has wrong where everything is a single number or a short row, in words."""
    for x, w, b, right, why in (([3.], [2.], 0., 6., "3 · 2 = 6"), ([3.], [2.], 10., 16., "3 · 2 + 10 = 16"), ([3.], [-2.], 1., -5., "3 · (-2) + 1 = -5, and Z stands before the ReLU"),
                                ([3., 1.], [2., 5.], 0., 11., "3 · 2 + 1 · 5 = 11")):
        found = forward(torch.tensor([x]), torch.tensor([w]), torch.tensor([b]), torch.tensor([[1.]]))[0].item()
        if abs(found - right) > 1e-4:
            return f"With the single example {tuple(int(number) for number in x) if len(x) > 1 else int(x[0])} and one hidden unit, Z is {why}; yours is {found:g}."
    return "With a single example and one hidden unit yours is right: look at how several rows are put together."

def transposed_532b(name, values):
    """What is said where a square weight stands as it is in a product: asked again with weights that are not square."""
    reshaped = {"W1": [[22., 28.]], "W2": [[46., 32., 32.]]}[name]
    try:
        found = forward(*(torch.tensor(numbers) for numbers in (
            [[1., 2., 3.]], [[1., 2., 3.], [4., 5., 6.]], [0., 0.], [[1., 0.], [0., 1.], [1., 1.]])))
    except RuntimeError:
        found = [torch.zeros(0)] * 3
    if found[0 if name == "W1" else 2].tolist() == reshaped:
        return f"The transpose of {name} is {name}.T: reshape and view leave its numbers in their order."
    return f"{name} is (outputs, inputs) here, other than in 5.2: {values} meets its transpose."

def test_of_532b(args, what, rights, hint=single_532b):
    """`rights` are the tensors Z, H and O."""
    rights, sums = dict(zip("ZHO", rights)), rights[0]
    writers, stopped = forward_watched(list(args))
    assert_equal(stopped, "", f"what stops forward for {what}", of="dtype",
                 hint="float32 meets float64 here: a tensor that is made new, as by torch.zeros, is float32"
                 " unless it takes dtype=X.dtype.")
    answer = forward(*[t.clone() for t in args])
    assert_type(answer, (tuple, list), f"what forward returns for {what}", of="Z", hint="Return the three tensors Z, H, O.")
    assert_equal(len(answer), 3, f"how many tensors forward returns for {what}", of="Z", hint="Return the three tensors Z, H, O.")
    bare = sums - args[2]               # without the bias
    n_, h_ = sums.shape
    late = isinstance(answer[1], torch.Tensor) and answer[1].shape == bare.shape and (answer[1] - bare.clamp(min=0) - args[2]).abs().max() < 1e-4
    for name, got in zip("ZHO", answer):
        right = rights[name]
        assert_type(got, torch.Tensor, f"{name} for {what}", of=name)
        assert_shape(got, right.shape, f"{name} for {what}", of=name, hint="The order of the three is Z, H, O."
                     if name == "Z" and tuple(got.shape) == tuple(rights["O"].shape) else f"{name} has a row for each example.")
        assert_dtype(got, right.dtype, f"{name} for {what}", of="dtype",
                     hint="The results have the dtype of the arguments: no .float() or .double(), and a tensor that is made new takes dtype=X.dtype.")
        slips = {"Z": {"The bias is missing" + (" in Z: it joins before the activation, not after it." if late else "."): bare,
                       "This is after the activation: Z stands before it, and stays so."
                       + (f" Here {writers[0]} has written into Z itself: H needs a tensor of its own." if len(writers) == 1 else ""):
                           sums.clamp(min=0), "The bias is added, not subtracted.": bare - args[2]},
                 "H": {"This is before the activation.": sums, "A ReLU has no leak: where Z < 0 it gives 0.": F.leaky_relu(sums),
                       "A ReLU has no upper limit.": sums.clamp(0, 6),
                       "The bias is added twice.": (sums + args[2]).clamp(min=0),
                       "The bias joins before the activation: here it is added after it.": bare.clamp(min=0) + args[2],
                       "This is the activation of the sums without the bias.": bare.clamp(min=0),
                       "This is the mask of the ReLU: H keeps the values.": (sums > 0).to(sums.dtype),
                       "This is tanh: the activation is a ReLU.": sums.tanh(),
                       "This is the sigmoid: the activation is a ReLU.": sums.sigmoid(),
                       "A ReLU gives 0 where Z < 0, not the absolute value.": sums.abs()},
                       "O": {"The activation belongs to the hidden layer, not to the output.": right.clamp(min=0),
                             "H goes into the second product, not Z.": F.linear(sums, args[3])}}[name]
        if name == "H":
            slips["This is softplus, a smooth relative: the activation is a ReLU."] = F.softplus(sums)
            slips["This is the GELU: the activation is a ReLU."] = F.gelu(sums)
            slips["This is the ELU: the activation is a ReLU."] = F.elu(sums)
        if name == "Z" and n_ == h_:
            slips["The bias went along the examples, not along the hidden units."] = bare + args[2][:, None]
        if name == "Z" and args[1].shape[0] == args[1].shape[1]:
            slips[transposed_532b("W1", "X")] = args[0] @ args[1] + args[2]
        if name == "Z" and right.shape == rights["O"].shape:
            slips["The order of the three is Z, H, O: here O stands first."] = rights["O"]
        if name == "O" and args[3].shape[0] == args[3].shape[1]:
            slips[transposed_532b("W2", "H")] = rights["H"] @ args[3]
        on = sums > 0
        sides = [bool((got - right).abs()[where].amax() < 1e-3) if where.any() else True for where in (on, ~on)] if name == "H" else []
        assert_close(got, right, f"{name} for {what}", of=name, mistakes=slips, hint=lambda: {
            "Z": "Z is X W1ᵀ, with b1 added to each of its rows. " + (hint() if name == "Z" else ""),
            "H": "H is Z where Z > 0, and 0 elsewhere. " + (
                "Where Z > 0 yours is right; where it is not, yours is not 0." if sides == [True, False] else
                "Where Z ≤ 0 yours is 0, as it should be; where Z > 0 it is not Z." if sides == [False, True] else
                "Yours is neither Z where Z > 0, nor 0 elsewhere."),
            "O": "Z and H are right. O is H W2ᵀ and nothing more: no activation, no bias."}[name])
    for name, after, before in zip(("X", "W1", "b1", "W2"), forward_arguments_after(list(args)), args):
        assert_close(after, before, f"{name} after the call, for {what}", of="arguments kept",
                     hint=f"`{name} *= ...`, `{name}[...] = ...` and names that end in _ change the caller's tensor: make a new one.")

test_of_532b([torch.tensor(numbers) for numbers in ([[1., 2.], [3., -1.]], [[1., 1.], [0., 2.]], [-3., 1.], [[1., -10.], [2., 1.]])],
             "X = ((1, 2), (3, -1)), W1 = ((1, 1), (0, 2)), b1 = (-3, 1), W2 = ((1, -10), (2, 1))",
             [torch.tensor(numbers) for numbers in ([[0., 5.], [-1., -1.]], [[0., 5.], [0., 0.]], [[-50., 5.], [0., 0.]])])
test_of_532b((torch.tensor([[1., 2.], [3., -1.]]), torch.tensor([[1., 0.], [0., 2.]]), torch.tensor([-2., 1.]), torch.tensor([[1., -10.]])), "X = ((1, 2), (3, -1)), W1 = ((1, 0), (0, 2)), b1 = (-2, 1), W2 = (1, -10)",
             [torch.tensor(numbers) for numbers in ([[-1., 5.], [1., -1.]], [[0., 5.], [1., 0.]], [[-50.], [1.]])])
test_of_532b([torch.tensor(numbers, dtype=torch.float64) for numbers in ([[2., -1., 3.], [0., 4., 1.], [-2., 5., 1.], [1., 1., -6.]], [[1., 2., -1.], [-3., 0., 2.]], [-4., 2.], [[1., -1.], [2., 3.], [-2., 0.5]])],
             "float64 numbers, n, d, h, q = 4, 3, 2, 3",
             [torch.tensor(numbers, dtype=torch.float64) for numbers in ([[-7., 2.], [3., 4.], [3., 10.], [5., -13.]], [[0., 2.], [3., 4.], [3., 10.], [5., 0.]],
                                                                        [[-2., 6., 1.], [-1., 18., -4.], [-7., 36., -1.], [5., 10., -10.]])])
### BEGIN HIDDEN TESTS
def hidden_of_532b(args, what):
    sums = F.linear(*args[:3])
    test_of_532b(args, what, (sums, sums.clamp(min=0), F.linear(sums.clamp(min=0), args[3])), lambda: where_they_part(
        lambda *given: forward(*given)[0], lambda X, W1, b1, W2: F.linear(X, W1, b1), X=args[0], W1=args[1], b1=args[2], W2=args[3]))

luck_2b = torch.Generator().manual_seed(5320)
for (n_, d_, h_, q_), kind in (((7, 2, 4, 5), torch.float32), ((3, 3, 3, 3), torch.float64), ((1, 2, 6, 4), torch.float64)):
    hidden_of_532b([5 * torch.randn(shape, generator=luck_2b, dtype=kind) for shape in ((n_, d_), (h_, d_), (h_,), (q_, h_))], f"random numbers, n, d, h, q = {n_}, {d_}, {h_}, {q_}, {kind}")
### END HIDDEN TESTS

# %% [markdown] task="5.3.2c" kind="code" minutes=15 difficulty=3 core=true needs="backward pass, gradient of a matrix product, gradient through relu, gradient of a bias, cotangent"
# ### Backward, with a bias
#
# Write `backward(dO, X, Z, H, W1, W2)`. `dO` is the cotangent, the gradient that arrives at the output, shape $(n, q)$; the other arguments are those
# of the forward pass. It returns `(dX, dW1, db1, dW2)`, for the part of the objective that comes through $O$ (no weight decay yet).
#
# Do it by hand: the check calls it in `torch.inference_mode()`, where autograd does not work, and sees it if you turn autograd on again.
#
# **You are done when**
# - **dX**: it is the gradient with respect to `X` for any cotangent, shape $(n, d)$;
# - **dW1**: the same for `W1`, shape $(h, d)$;
# - **db1**: the same for the bias, shape $(h,)$;
# - **dW2**: the same for `W2`, shape $(q, h)$, and all four without autograd;
# - **at zero**: where an entry of `Z` is 0, the slope of ReLU counts as 0;
# - **arguments kept**: all six arguments are as they were.

# %% exercise="5.3.2c"
def backward(dO, X, Z, H, W1, W2):
    """(dX, dW1, db1, dW2) for the cotangent dO of the output: shapes (n, d), (h, d), (h,), (q, h)."""
    ### BEGIN SOLUTION
    dW2 = dO.T @ H
    dZ = (dO @ W2) * (Z > 0)
    return dZ @ W1, dZ.T @ X, dZ.sum(dim=0), dW2
    ### END SOLUTION

# %% [markdown] hints="5.3.2c"
# 1. Go upwards through the table of part 2. By how many paths does one entry of $\mathbf b_1$ reach the objective?
# 2. Contributions of several paths add up: the gradient of something that was broadcast is summed over the axis of broadcasting.
# 3. For $O = X W^\top + \mathbf b$ with $\bar O$ = (1, 2; 3, 4; 5, 6) the bias gradient is (9, 12): the sums over the three examples.

# %% check="5.3.2c" points=4
@probe
def backward_by_hand(dO, X, W1, b1, W2):
    with torch.inference_mode():
        Z = X @ W1.T + b1
        args = [dO.clone(), X.clone(), Z, Z.clamp(min=0), W1.clone(), W2.clone()]
        before, saved = [t.clone() for t in args], []
        try:
            with torch.autograd.graph.saved_tensors_hooks(lambda t: saved.append(1) or t,
                                                          lambda t: t):     # autograd would save tensors
                result = backward(*args)
        except RuntimeError as error:
            if any(words in str(error) for words in ("does not require grad", "nference", "saved tensor hooks")):
                return [], f"RuntimeError: {str(error).split(' Please')[0]}", []          # what autograd says here
            raise
        return result, f"{len(saved)} tensors saved", [(after - old).abs().max().item() for after, old in zip(args, before)]

@probe
def backward_at(dO, X, Z, W1, W2):
    return backward(dO, X, Z, Z.clamp(min=0), W1, W2)

NAMES_2C = ("dX", "dW1", "db1", "dW2")

def case_2c(n_, d_, h_, q_, seed):
    luck = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=luck, dtype=torch.float64) for shape in ((n_, q_), (n_, d_), (h_, d_), (h_,), (q_, h_))]

def grads_at_2c(above, X_, Z_, A, C):
    leaves = [t.clone().requires_grad_() for t in (X_, A, torch.zeros(len(A), dtype=A.dtype), C)]
    rest = (Z_ - F.linear(X_, A)).detach()
    return torch.autograd.grad(F.linear(F.relu(F.linear(*leaves[:3]) + rest), leaves[3]), leaves, above)

def single_unit(at):
    """What one example, one input, one hidden unit and one output say, X = 3 and W1 = 5."""
    wrong = []
    for z in (2., 0.5, -2.):
        for arrives in (1., -1.):
            tensors = [torch.tensor([[number]]) for number in (arrives, 3., z, 5., 7.)]
            got = float(backward_at(*tensors)[at].sum())
            right = [7 * arrives * (z > 0) * factor for factor in (5, 3, 1)][at] if at < 3 else arrives * max(z, 0.)
            if abs(got - right) > 1e-4:
                wrong.append(f"for Z = {z:g} and dO = {arrives:g} it is {right + 0:g}, yours is {got:.4g}")
    return f"With one number of each, X = 3, W1 = 5, W2 = 7: {'; '.join(wrong)}." if wrong else ""

def one_gradient(name, sizes, seed):
    above, X_, A, b, C = case_2c(*sizes, seed)
    leaves = [t.clone().requires_grad_() for t in (X_, A, b, C)]
    rights = torch.autograd.grad(F.linear(F.relu(F.linear(*leaves[:3])), leaves[3]), leaves, above)
    answer, told, moved = backward_by_hand(above, X_, A, b, C)
    what = f"random numbers, n, d, h, q = {', '.join(map(str, sizes))}"
    assert_equal(told, "0 tensors saved", f"what autograd does during backward, for {what}", of=name,
                 hint="Autograd was called, which does not work here: the gradients are to be made by hand."
                 if told.startswith("RuntimeError") else
                 "Autograd was turned on again: the gradients are to be made by hand.")
    assert_type(answer, (tuple, list), f"what backward returns for {what}", of=name)
    assert_equal(len(answer), 4, f"how many gradients backward returns for {what}", of=name, hint="They are four: dX, dW1, db1, dW2.")
    at = NAMES_2C.index(name)
    right = rights[at]
    assert_type(answer[at], torch.Tensor, f"{name} for {what}", of=name)
    shape = tuple(answer[at].shape)
    shapes = [tuple(g.shape) if isinstance(g, torch.Tensor) else () for g in answer], [tuple(g.shape) for g in rights]
    assert_shape(answer[at], right.shape, f"{name} for {what}", of=name,
                 hint="The four shapes are there, in another order: it is dX, dW1, db1, dW2."
                 if shapes[0] != shapes[1] and sorted(shapes[0]) == sorted(shapes[1]) else
                 "The sum has kept an axis of length 1." if name == "db1" and shape == (1, sizes[2])
                 else "The bias is shared by the examples: sum over them." if name == "db1" and shape == (sizes[0], sizes[2])
                 else "This is summed over the hidden units: sum over the examples." if name == "db1" and shape == (sizes[0],)
                 else "One number is left: b1 has an entry for each hidden unit, so sum over the examples alone." if name == "db1" and shape == ()
                 else "It stands transposed: a gradient has the shape of its tensor." if shape == tuple(right.shape)[::-1]
                 else "A gradient has the shape of its tensor.")
    Z_ = F.linear(X_, A, b)
    open_, on = above @ C, (Z_ > 0).double()
    unmasked = {"dX": open_ @ A, "dW1": open_.T @ X_, "db1": open_.sum(0), "dW2": above.T @ Z_}[name]
    slips = {"Divided by the number of examples: the cotangent has that in it.": right / sizes[0],
             ("Here H enters, the values after the activation, not Z." if name == "dW2" else "The mask of ReLU is missing."): unmasked}
    if name != "dW2":
        for sentence, dZ_ in (("The slope of ReLU is 1 or 0: multiply by the mask Z > 0, not by H.", open_ * Z_.clamp(min=0)),
                              ("The slope of ReLU is 1 or 0: multiply by the mask Z > 0, not by Z.", open_ * Z_),
                              ("The slope of ReLU is 0 where Z < 0: the sign of Z is -1 there.", open_ * Z_.sign()),
                              ("The mask asks for Z > 0, and Z has the bias in it: X W1ᵀ has not.", open_ * (F.linear(X_, A) > 0)),
                              ("The mask lets pass what it should stop: the slope of ReLU is 1 where Z > 0.", open_ * (1 - on)),
                              ("The mask asks whether Z > 0, not whether what arrives is: a unit that is on lets negative numbers pass, too.",
                               open_ * (open_ > 0)),
                              ("Where Z < 0 nothing passes: here a leak of 0.01 does.", open_ * (on + 0.01 * (1 - on))),
                              ("What arrives at H is dO W2, with the weight itself: here its gradient, dOᵀ H, stands in its place.",
                               above @ (above.T @ Z_.clamp(min=0)) * on),
                              ("The cotangent is replaced by ones.", (torch.ones_like(above) @ C) * on)):
            slips[sentence] = {"dX": dZ_ @ A, "dW1": dZ_.T @ X_, "db1": dZ_.sum(0)}[name]
    else:
        slips["The cotangent is replaced by ones."] = torch.ones_like(above).T @ Z_.clamp(min=0)
        slips["H enters with its values: here its mask is taken."] = above.T @ on
    if name in ("dW1", "dW2"):
        slips["This adds 0.1 W, a weight decay: only what comes through O is asked for."] = right + 0.1 * (A if name == "dW1" else C)
    if name == "dX":
        slips["No ReLU acts on X: this is masked by X > 0."] = right * (X_ > 0)
    assert_close(answer[at], right, f"{name} for {what}", of=name, mistakes=slips, hint=lambda: {
        "dX": "What arrives at Z goes on through the product with W1. ", "db1": "It is what arrives at Z, summed over the examples. ",
        "dW1": "What arrives at Z meets the rows of X, summed over the examples. ",
        "dW2": "What arrives at O meets the rows of H, summed over the examples. "}[name] + (single_unit(at) or where_they_part(
            lambda dO, X, Z, W1, W2: backward_at(dO, X, Z, W1, W2)[at],
            lambda dO, X, Z, W1, W2: grads_at_2c(dO, X, Z, W1, W2)[at], dO=above, X=X_, Z=Z_, W1=A, W2=C)
            or "With one number of each yours is right: look at how several examples, units and outputs are put together."))

def kink_2c(Z_, C):
    """No entry of Z is above 0: all gradients but dW2 are 0."""
    h_ = Z_.shape[1]
    above, X_, A = torch.ones(len(Z_), len(C), dtype=C.dtype), torch.ones(len(Z_), 2, dtype=C.dtype), torch.ones(h_, 2, dtype=C.dtype)
    found = backward_at(above, X_, Z_, A, C)
    assert_type(found, (tuple, list), f"what backward returns for Z = {Z_.tolist()}", of="at zero")
    assert_equal(len(found), 4, f"how many gradients backward returns for Z = {Z_.tolist()}", of="at zero")
    open_ = above @ C
    for got, name in zip(found, NAMES_2C[:3]):
        assert_type(got, torch.Tensor, f"{name} for Z = {Z_.tolist()}", of="at zero")
        size = {said: {"dX": g @ A, "dW1": g.T @ X_, "db1": g.sum(0)}[name].abs().max().item() for said,
                g in (("1", open_ * (Z_ == 0)), ("open", open_), ("positive", open_ * (open_ > 0)))}
        assert_true(got.isfinite().all(), f"all entries of {name} for Z = {Z_.tolist()} are finite numbers", of="at zero",
                    hint="Something is divided by 0 here: the slope is 1 where Z > 0, and 0 elsewhere, without a division.")
        assert_close(got.abs().max().item() if got.numel() else 0., 0.,
                     f"the largest absolute entry of {name} for Z = {Z_.tolist()}, where nothing is above 0, and ones as the cotangent", of="at zero",
                     mistakes={"At 0 the slope counts as 0, not as 1.": size["1"],
                               "At 0 the slope counts as 0, not as 1/2.": size["1"] / 2,
                               "A leak of 0.01 is let through: here nothing passes.": size["open"] / 100,
                               **({"The mask asks whether Z > 0, not whether what arrives is.": size["positive"]} if name == "dX" else {}),
                               "The mask of ReLU is missing.": size["open"]},
                     hint="No entry of Z is above 0 here, so nothing at all passes the ReLU.")

def kept_2c(sizes, seed):
    answer, told, moved = backward_by_hand(*case_2c(*sizes, seed))
    assert_true(not told.startswith("RuntimeError"), "backward comes to its end", of="arguments kept",
                hint="Autograd was called, which does not work here: the gradients are to be made by hand.")
    assert_type(answer, (tuple, list), "what backward returns", of="arguments kept")
    for name, change in zip(("dO", "X", "Z", "H", "W1", "W2"), moved):
        assert_equal(change, 0, f"how much {name} has changed after the call", of="arguments kept",
                     hint=f"`{name} *= ...`, `{name}[...] = ...` and names that end in _ change the caller's tensor: make a new one.")

for name_2c in NAMES_2C:
    with part(0.5, name_2c, of=name_2c):
        one_gradient(name_2c, (5, 4, 3, 2), 1)
        one_gradient(name_2c, (3, 2, 6, 5), 2)
with part(0.25, "at zero", of="at zero"):
    kink_2c(torch.tensor([[0., -1., 0.], [-2., 0., -3.]]), torch.tensor([[-1., 2., 4.]]))
with part(0.25, "arguments kept", of="arguments kept"):
    kept_2c((5, 4, 3, 2), 1)
### BEGIN HIDDEN TESTS
for name_2c in NAMES_2C:
    with part(0.25, f"{name_2c} for other sizes", of=name_2c):
        for seed_2c, sizes_2c in enumerate(((6, 2, 7, 5), (4, 4, 4, 4), (1, 3, 2, 5), (8, 1, 2, 1))):
            one_gradient(name_2c, sizes_2c, 10 + seed_2c)
with part(0.25, "at zero, other numbers", of="at zero"):
    kink_2c(torch.tensor([[0., -3., 0., -2.]], dtype=torch.float64),
            torch.tensor([[1., -2., 4., 1.], [0.5, 1., 1., 3.]], dtype=torch.float64))
with part(0.25, "arguments kept, other sizes", of="arguments kept"):
    kept_2c((6, 2, 7, 5), 5)
### END HIDDEN TESTS
total()

# %% [markdown] task="5.3.2d" kind="code" minutes=15 difficulty=3 core=true needs="objective, gradient of a penalty, gradient of a bias, backward pass"
# ### The gradient of the whole objective
#
# Put loss and weight decay around it. The objective is
#
# $$J = \frac{1}{2n} \lVert O - Y \rVert^2 + \frac{\lambda}{2} \left( \lVert W_1 \rVert^2 + \lVert W_2 \rVert^2 \right).$$
#
# Write `objective_and_gradients(X, Y, W1, b1, W2, lam)`: it returns `(J, dW1, db1, dW2)`, $J$ as a number or a tensor of shape `()`. Again by hand: the check
# calls it in `torch.inference_mode()`, and sees it if autograd is turned on again.
#
# **You are done when**
# - **J**: it is the objective, with `lam` = 0, too;
# - **dW1**: it is the gradient without autograd, weight decay included, shape $(h, d)$;
# - **db1**: the same for the bias, shape $(h,)$, which is not penalised;
# - **dW2**: the same for `W2`, weight decay included, shape $(q, h)$.

# %% exercise="5.3.2d"
def objective_and_gradients(X, Y, W1, b1, W2, lam):
    """(J, dJ/dW1, dJ/db1, dJ/dW2) for half the mean squared error with weight decay lam on W1 and W2."""
    ### BEGIN SOLUTION
    Z = X @ W1.T + b1
    H = torch.relu(Z)
    error = H @ W2.T - Y
    J = error.square().sum() / (2 * len(X)) + lam / 2 * (W1.square().sum() + W2.square().sum())
    dO = error / len(X)
    dZ = (dO @ W2) * (Z > 0)
    return J, dZ.T @ X + lam * W1, dZ.sum(dim=0), dO.T @ H + lam * W2
    ### END SOLUTION

# %% [markdown] hints="5.3.2d"
# 1. By which two paths does $W_1$ reach $J$, and by how many does $\mathbf b_1$?
# 2. The derivative of $\frac{\lambda}{2} w^2$ is $\lambda w$; that of $\frac{1}{2n} (o - y)^2$ with respect to $o$ is $(o - y)/n$.
# 3. For $J = \frac12 (wx - y)^2 + \frac{\lambda}{2} w^2$ with $w = 3, x = 2, y = 5, λ = 0.1$: the derivative is $(6 - 5) · 2 + 0.1 · 3 = 2.3$.

# %% check="5.3.2d" points=4
@probe
def whole_by_hand(X, Y, W1, b1, W2, lam):
    args, saved = [t.clone() for t in (X, Y, W1, b1, W2)], []
    try:
        with torch.inference_mode(), torch.autograd.graph.saved_tensors_hooks(lambda t: saved.append(1) or t,
                                                                              lambda t: t):     # autograd would save tensors
            result = objective_and_gradients(*args, lam)
    except RuntimeError as error:
        if any(words in str(error) for words in ("does not require grad", "nference", "saved tensor hooks")):
            return [], f"RuntimeError: {str(error).split(' Please')[0]}"          # what autograd says here
        raise
    return result, f"{len(saved)} tensors saved"

NAMES_2D = ("J", "dW1", "db1", "dW2")

def value_of_2d(at, numbers, lam):
    found = whole_by_hand(*(torch.tensor(number) for number in numbers), lam)[0][at]
    return [round(number, 4) + 0. for number in torch.as_tensor(found).flatten().tolist()]

def which_part_of_J():
    zero = ([[0.]], [[0.]], [[1.], [3.]], [0., 0.], [[4., 0.]])
    found = value_of_2d(0, ([[1.], [3.]], [[0., 0.]] * 2, [[1.]], [0.], [[1.], [2.]]), 0.)[0]
    if abs(found - 12.5) > 1e-3:
        return ("With lam = 0, X = ((1), (3)), W1 = ((1)), b1 = (0), W2 = ((1), (2)) and Y all 0, O is ((1, 2), (3, 6)):"
                f" J is (1 + 4 + 9 + 36) / 4 = 12.5, yours is {found:.4g}.")
    found = value_of_2d(0, zero, 2.)[0]
    if abs(found - 26) > 1e-3:
        return ("With lam = 0 yours is right: it is the penalty that is not. For W1 = ((1), (3)) and W2 = ((4, 0)) the squares add up"
                f" to 1 + 9 + 16 = 26, and lam / 2 is 1 for lam = 2: yours is {found:.4g}.")
    return ""

def which_part_of_2d(at):
    """Numbers for one example, one input, one hidden unit and one output, in which one can follow the way."""
    one, ways = ([[2.]], [[5.]], [[1.]], [1.], [[2.]]), (("dW1", "1 · 2 · 2 = 4", 4.), ("db1", "1 · 2 = 2", 2.), ("dW2", "1 · 3 = 3", 3.))
    name, way, right = ways[at - 1]
    found = value_of_2d(at, one, 0.)[0]
    if abs(found - right) > 1e-3:
        return ("With one number of each, X = 2, W1 = 1, b1 = 1, W2 = 2, Y = 5 and lam = 0: Z = 3, H = 3, O = 6, so 1 arrives at O,"
                f" and {name} is {way}; yours is {found:.4g}.")
    off = value_of_2d(at, ([[-2.]], *one[1:]), 0.)[0]
    if abs(off) > 1e-3:
        return ("With one number of each, X = -2, W1 = 1, b1 = 1, W2 = 2, Y = 5 and lam = 0: Z = -1, so the unit is off and H = 0:"
                f" {name} is 0, yours is {off:.4g}.")
    found, weight = value_of_2d(at, one, 10.)[0], {"dW1": 1., "db1": 0., "dW2": 2.}[name]
    if abs(found - right - 10 * weight) > 1e-3:
        return (f"With one number of each and lam = 0 yours is right: it is what lam adds that is not. For {name[1:]} = {weight:g} and lam = 10"
                f" it is {10 * weight:g}, yours {found - right:.4g}." if weight else
                "With one number of each and lam = 0 yours is right: lam changes nothing here, since the bias is not penalised.")
    return "With one number of each yours is right: look at how several examples, units and outputs are put together."

def one_of_2d(name, sizes, decay, seed, seen=False):
    n_, d_, h_, q_ = sizes
    luck = torch.Generator().manual_seed(seed)
    X_, Y_, A, b, C = (torch.randn(shape, generator=luck, dtype=torch.float64) for shape in ((n_, d_), (n_, q_), (h_, d_), (h_,), (q_, h_)))
    leaves = [t.clone().requires_grad_() for t in (A, b, C)]
    sums = F.linear(X_, leaves[0], leaves[1])
    out = F.linear(F.relu(sums), leaves[2])
    data = 0.5 * F.mse_loss(out, Y_, reduction="sum") / n_
    half = decay / 2 * (A.pow(2).sum() + C.pow(2).sum())
    plain = 0.5 * F.mse_loss(F.linear(F.relu(F.linear(X_, leaves[0])), leaves[2]), Y_, reduction="sum") / n_     # no bias
    bare = [g.detach() for g in torch.autograd.grad(data, leaves, retain_graph=True)]
    what = f"random numbers, n, d, h, q = {n_}, {d_}, {h_}, {q_}, lam = {decay}"
    answer, told = whole_by_hand(X_, Y_, A, b, C, decay)
    assert_equal(told, "0 tensors saved", f"what autograd does during objective_and_gradients, for {what}", of=name,
                 hint="Autograd was called, which does not work here: the gradients are to be made by hand."
                 if told.startswith("RuntimeError") else
                 "Autograd was turned on again: the gradients are to be made by hand.")
    assert_type(answer, (tuple, list), f"what objective_and_gradients returns for {what}", of=name)
    assert_equal(len(answer), 4, f"how many values objective_and_gradients returns for {what}", of=name, hint="They are four: J, dW1, db1, dW2.")
    got, data = answer[NAMES_2D.index(name)], data.item()
    if name == "J":
        assert_type(got, (torch.Tensor, float, int), f"J for {what}", of="J")
        if isinstance(got, torch.Tensor):
            assert_shape(got, (), f"J for {what}", of="J", hint="The objective is one number, without an axis.")
        assert_close(float(got), data + half.item(), f"J for {what}", of="J", mistakes={
            "The penalty is missing.": data, "The penalty has a factor 1/2.": data + 2 * half.item(), "Divide the squared error by the number of examples.": data * n_ + half.item(), "The squared error has a factor 1/2.": 2 * data + half.item(),
            "The mean is over the n examples, not over all entries.": data / q_ + half.item(), "The bias is not penalised.": data + half.item() + decay / 2 * b.pow(2).sum().item(),
            "The penalty is the square of the norm, not the norm.": data + decay / 2 * (A.norm() + C.norm()).item(),
            "The penalty takes squares, not absolute values.": data + decay * (A.abs().sum() + C.abs().sum()).item(),
            "The bias is missing on the way forward.": plain.item() + half.item(),
            "W1 is missing in the penalty.": data + decay / 2 * C.pow(2).sum().item(),
            "W2 is missing in the penalty.": data + decay / 2 * A.pow(2).sum().item(),
            "Here n is 2, the number of examples further up on this page: take that of X.": data * n_ / 2 + half.item(),
            "This takes lam = 0.1 of the page, not the argument.": data + 0.05 * (A.pow(2).sum() + C.pow(2).sum()).item(),
            "The penalty is not divided by the number of examples.": data + half.item() / n_,
            "Each weight is squared by itself: here their norms were added up first.": data + decay / 2 * (A.norm() + C.norm()).item() ** 2,
            "Add up the squares of the weights, do not average them.": data + decay / 2 * (A.pow(2).mean() + C.pow(2).mean()).item(),
            "The penalty is added, not subtracted.": data - half.item(),
            "No activation acts on the output.": 0.5 * F.mse_loss(out.relu(), Y_, reduction="sum").item() / n_ + half.item()},
            hint=lambda: which_part_of_J() or
            "J is half the squared error of an example, on average, plus lam / 2 times the squares of all entries of W1 and W2.")
        return
    at = NAMES_2D.index(name) - 1
    leaf, without = (A, b, C)[at], bare[at]
    right = without if name == "db1" else without + decay * leaf
    assert_type(got, torch.Tensor, f"{name} for {what}", of=name)
    assert_shape(got, leaf.shape, f"{name} for {what}", of=name, hint="The sum has kept an axis of length 1."
                 if name == "db1" and tuple(got.shape) == (1, h_)
                 else "A gradient has the shape of its tensor; the four stand in the order J, dW1, db1, dW2.")
    error = (out - Y_).detach() / n_
    slips = {"The loss is a mean over n examples: its gradient by O is (O - Y) / n.": right + (n_ - 1) * without, "The mean is over the n examples, not over all entries.": right + (1 / q_ - 1) * without,
             "The sign is wrong: the error is O - Y.": right - 2 * without,
             "The factor 1/2 of the loss cancels the 2: this gradient of the data part is twice too large.": right + without,
             "The 2 of the square cancels the factor 1/2 of the loss: this gradient of the data part is half as large as it should be.": right - without / 2,
             "Here n is 2, the number of examples further up on this page: take that of X.": right + (n_ / 2 - 1) * without}
    slips["The error is divided by n once: this gradient of the data part is divided twice."] = right + (1 / n_ - 1) * without
    if name != "db1":
        slips["The bias is missing on the way forward."] = torch.autograd.grad(plain, leaves[at])[0] + decay * leaf
    if name != "dW2":
        open_ = error @ C
        Z_ = sums.detach()
        for sentence, dZ_ in (("The mask of ReLU is missing.", open_),
                              ("The slope of ReLU is 1 or 0: multiply by the mask Z > 0, not by H.", open_ * Z_.clamp(min=0)),
                              ("The slope of ReLU is 1 or 0: multiply by the mask Z > 0, not by Z.", open_ * Z_),
                              ("The slope of ReLU is 0 where Z < 0: the sign of Z is -1 there.", open_ * Z_.sign()),
                              ("The mask asks for Z > 0, and Z has the bias in it: X W1ᵀ has not.", open_ * (F.linear(X_, A) > 0)),
                              ("What arrives at H goes through the weight W2 itself: here its gradient stands in its place.",
                               error @ (error.T @ Z_.clamp(min=0) + decay * C) * (Z_ > 0)),
                              ("What arrives at H goes through the weight W2 itself: here its gradient, without weight decay, stands in its place.",
                               error @ (error.T @ Z_.clamp(min=0)) * (Z_ > 0))):
            slips[sentence] = right - without + (dZ_.T @ X_ if name == "dW1" else dZ_.sum(0))
    if name == "dW2":
        slips["Here Z enters: W2 meets H, the values after the activation."] = error.T @ sums.detach() + decay * leaf
    if name == "db1":
        slips["The bias is not penalised."] = without + decay * leaf
    else:
        slips |= {"Weight decay is missing: the weight reaches J through the penalty, too.": without, "Weight decay is twice too large: the penalty has a factor 1/2.": without + 2 * decay * leaf,
                  "Weight decay is half as large as it should be: the 2 of the square cancels the 1/2.": without + decay / 2 * leaf,
                  "The penalty is the square of the norm: its gradient is lam W.": without + decay / 2 * leaf / leaf.norm(),
                  "The gradient of the penalty is not divided by n.": without + decay * leaf / n_,
                  "The gradient of the penalty is added, not subtracted.": without - decay * leaf,
                  "This adds the penalty itself, a number: its gradient is lam W, a matrix.": without + half,
                  "This takes lam = 0.1 of the page, not the argument.": without + 0.1 * leaf,
                  "The derivative of lam / 2 w² is lam w: this is that of lam |w|.": without + decay * leaf.sign()}
    assert_close(got, right, f"{name} for {what}", of=name, mistakes=slips,
                 hint=lambda: "It is the gradient of 5.3.2c where (O - Y) / n arrives at O"
                 + (", and the bias has no penalty. " if name == "db1" else f", and on top of it lam {name[1:]}. ") + which_part_of_2d(at + 1))

for name_2d in NAMES_2D:
    with part(0.5, name_2d, of=name_2d):
        for sizes_2d, decay_2d, seed_2d in (((5, 4, 2, 3), 0.7, 1), ((3, 2, 6, 4), 0., 2)):
            one_of_2d(name_2d, sizes_2d, decay_2d, seed_2d)
### BEGIN HIDDEN TESTS
for name_2d in NAMES_2D:
    with part(0.5, f"{name_2d} for other sizes", of=name_2d):
        for sizes_2d, decay_2d, seed_2d in (((6, 2, 7, 5), 0.03, 3), ((3, 3, 3, 3), 2., 4), ((4, 1, 5, 1), 0.4, 5), ((1, 3, 4, 2), 0., 6)):
            one_of_2d(name_2d, sizes_2d, decay_2d, seed_2d)
### END HIDDEN TESTS
total()

# %% [markdown] teaches="penalty that trains, assertion on a tuple"
# ### Three mistakes in a model with weight decay
#
# ⚠ Code that runs is not code that trains. `.item()` makes a Python number of a tensor: a penalty made of such numbers is added to the loss, is shown in the curve, and no gradient reaches the weights. The graph of it is
# cut. Below, the derivative of $3 w_1 + 3 w_2 + w_1^2 + w_2^2$ at $(1, 2)$ should be $(5, 7)$:

# %% teaches="penalty that trains"
w = torch.tensor([1., 2.], requires_grad=True)
fit = (w * 3).sum()
for name, penalty in (("with .item()", (w ** 2).sum().item()), ("with tensors", (w ** 2).sum())):
    print(name, (fit + penalty).item(), torch.autograd.grad(fit + penalty, w, retain_graph=True)[0])

# %% [markdown]
# Both losses are 14; only one trains the penalty. The second mistake: a loop over one name that uses another, `for W in Ws: penalty += (w ** 2).sum()`. With luck it stops with a NameError. Without luck there is
# a `w` left over from an earlier cell, as on this page now, and the wrong tensor is penalised in silence.
#
# The third one is an assertion that cannot fail. `assert` takes no brackets: `assert (model, "net")` tests a tuple of two entries, and such a tuple counts as true, whatever the model is.
# (Even a right assertion is skipped when Python runs with `-O`, so a check that must always happen is an `if` with a `raise`.)

# %% tags=["demo"] teaches="assertion on a tuple"
import warnings

class Empty:
    pass

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    exec('assert (Empty(), "net")')                 # exec runs a piece of text as code
print("the assertion passed; Python says:", caught[0].message)
print("bool of the tuple:", bool((Empty(), "net")), "  hasattr:", hasattr(Empty(), "net"), "  getattr with a default:", getattr(Empty(), "net", None))
print("the class's name:", type(Empty()).__name__)

# %% [markdown] task="5.3.6" kind="code" minutes=10 difficulty=2 core=true needs="penalty that trains, objective, cross-entropy from logits"
# ### A penalty that trains
#
# Write `penalised_loss(model, Y_hat, Y, lam)`: the mean cross-entropy of logits `Y_hat` and classes `Y`, plus `lam` / 2 times the sum of the squared entries of all *weights* in
# `model.Ws`, a list of tensors. The biases are in `model.bs`. (`d2l.MulMLPScratch`, the network of 5.2 with any number of layers, has these two lists.)
#
# **You are done when**
# - **value**: the result is that loss, a tensor of shape `()`, for any number of layers;
# - **gradient**: the penalty's gradient reaches all weights, `lam` times each of them;
# - **biases free**: biases that are not 0 change neither the penalty nor its gradient.

# %% exercise="5.3.6"
def penalised_loss(model, Y_hat, Y, lam):
    """Cross-entropy plus lam / 2 times the squared norm of all weights of the model."""
    ### BEGIN SOLUTION
    return F.cross_entropy(Y_hat, Y) + lam / 2 * sum(W.square().sum() for W in model.Ws)
    ### END SOLUTION

# %% [markdown] hints="5.3.6"
# 1. Through which operations does a gradient get from the penalty to a weight, and which one would stop it?
# 2. Tensors can be added up by `sum(... for W in model.Ws)`. The loop's name must be the one used inside.
# 3. For the mean instead: `sum(b.mean() for b in model.bs)` is a tensor with a graph; with `b.mean().item()` it is a number.

# %% check="5.3.6" points=2
@probe
def loss_and_gradients(Ws, bs, X, Y, lam):
    from torch.overrides import TorchFunctionMode
    model = d2l.MulMLPScratch(len(Ws[0]), Ws[-1].shape[1], [W.shape[1] for W in Ws[:-1]], lr=0.1)
    params = list(model.Ws) + list(model.bs)
    with torch.no_grad():
        for p, value in zip(params, list(Ws) + list(bs)):
            p.copy_(value)
    Y_hat = model(X)
    bare = torch.autograd.grad(F.cross_entropy(Y_hat, Y), params, retain_graph=True)
    seen = set()

    class Watch(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            seen.add(getattr(func, "__name__", ""))
            return func(*args, **(kwargs or {}))

    try:
        with Watch():
            value = penalised_loss(model, Y_hat, Y, lam)
    except (NameError, IndexError, ValueError) as error:
        if isinstance(error, NameError) or " is out of range" in str(error) or "unpack" in str(error):
            return f"{type(error).__name__}: {error}"
        raise
    if not torch.is_tensor(value) or value.ndim:
        return value
    grads = torch.autograd.grad(value, params, materialize_grads=True) if value.requires_grad else [torch.zeros_like(p) for p in params]
    cuts = {"item": ".item()", "detach": ".detach()", "tensor": "torch.tensor(...)", "__float__": "float(...)", "tolist": ".tolist()"}
    return {"loss": value.detach(), "change": [g - b for g, b in zip(grads, bare)],
            "cuts": [cuts[name] for name in sorted(seen & set(cuts))]}

def which_part_of_36():
    """Asked again without a penalty, and for weights whose squares one can add up in the head."""
    Ws, bs = [torch.tensor([[1., 2.]]), torch.tensor([[3., 0.], [0., 0.]])], [torch.zeros(2), torch.zeros(2)]
    X_, Y_ = torch.tensor([[1.], [2.]]), torch.tensor([0, 1])
    bare = float(loss_and_gradients(Ws, bs, X_, Y_, 0.)["loss"])
    fit = F.cross_entropy(torch.relu(X_ @ Ws[0]) @ Ws[1], Y_).item()
    if abs(bare - fit) > 1e-4:
        return "With lam = 0, too, the loss is wrong: then it is F.cross_entropy(Y_hat, Y) and nothing else."
    penalty = float(loss_and_gradients(Ws, bs, X_, Y_, 2.)["loss"]) - bare
    if abs(penalty - 14) > 1e-3:
        return ("With lam = 0 the loss is right: it is the penalty that is not. For the two weights ((1, 2)) and ((3, 0), (0, 0)) the squares"
                f" add up to 1 + 4 + 9 = 14, and lam / 2 is 1 for lam = 2: yours adds {penalty:.4g}.")
    return "For two weights with small numbers the penalty is right: does it have all weights, whatever their number?"

def check_penalty(sizes, lam, seed, biases):
    luck = torch.Generator().manual_seed(seed)
    weights = [0.5 * torch.randn(a, b, generator=luck) for a, b in zip(sizes, sizes[1:])]
    shifts = [biases * (1 + torch.rand(b, generator=luck)) for b in sizes[1:]]
    X_, Y_ = torch.randn(6, sizes[0], generator=luck), torch.randint(0, sizes[-1], (6,), generator=luck)
    reply = loss_and_gradients(weights, shifts, X_, Y_, lam)
    what = f"layers {sizes}, lam = {lam}, biases {'0' if not biases else 'not 0'}"
    assert_equal(reply if isinstance(reply, str) else "", "", f"what stops penalised_loss, {what}", of="value",
                 hint="The loop uses a name that is not the one it binds." if str(reply).startswith("NameError")
                 else "model.Ws may hold any number of weights, also a single one.")
    if not isinstance(reply, dict):
        assert_type(reply, torch.Tensor, f"the loss, {what}", of="value",
                    hint="A Python number has no graph: nothing can be trained with it." if isinstance(reply, float) else "")
        assert_shape(reply, (), f"the loss, {what}", of="value", hint="The loss is one number, without an axis, also without one of length 1.")
    value, change, cuts = reply["loss"], list(reply["change"]), list(reply["cuts"])
    squares, lost = sum(W.square().sum() for W in weights), sum(b.square().sum() for b in shifts)
    layer, leaves = X_, [W.clone().requires_grad_() for W in weights]
    for W, b in zip(leaves[:-1], shifts[:-1]):
        layer = torch.relu(layer @ W + b)
    logits = layer @ leaves[-1] + shifts[-1]
    fits = torch.autograd.grad(F.cross_entropy(logits, Y_), leaves)
    logits = logits.detach()
    plain = F.cross_entropy(logits, Y_)
    assert_close(value, plain + lam / 2 * squares, f"the loss, {what}", of="biases free" if biases else "value", mistakes={
        "The penalty has a factor 1/2.": plain + lam * squares, "The penalty is missing.": plain, "The penalty takes the squares of the entries, not the norms.": plain + lam / 2 * sum(W.norm() for W in weights),
        "The cross-entropy is a mean over the examples, not a sum.": len(Y_) * plain + lam / 2 * squares,
        "The penalty is not divided by the number of examples.": plain + lam / 2 / len(Y_) * squares, "Y_hat holds logits: F.cross_entropy does the softmax.": F.cross_entropy(logits.softmax(1), Y_) + lam / 2 * squares,
        "The loop uses the w of an example above, not the name it binds.": plain + lam / 2 * 5 * len(weights), "Add up the squares, do not average them.": plain + lam / 2 * sum(W.square().mean() for W in weights), "The last weight is missing.": plain + lam / 2 * (squares - weights[-1].square().sum()), "The first weight is missing.": plain + lam / 2 * (squares - weights[0].square().sum()),
        "The penalty takes squares, not absolute values.": plain + lam / 2 * sum(W.abs().sum() for W in weights),
        "Square each entry, then add up: here the entries of a weight were added up first.": plain + lam / 2 * sum(W.sum() ** 2 for W in weights),
        "lam / 2 multiplies the penalty alone, not the cross-entropy.": lam / 2 * (plain + squares),
        "The factor lam / 2 is missing.": plain + squares,
        "The factor lam / 2 is not squared: it stands outside of the squares.": plain + (lam / 2) ** 2 * squares,
        "The factor lam is not squared: it stands outside of the squares.": plain + lam ** 2 / 2 * squares,
        "The penalty is added, not subtracted.": plain - lam / 2 * squares,
        "One factor 1/2 is enough.": plain + lam / 4 * squares,
        "F.nll_loss takes the logarithms of probabilities: for logits it is F.cross_entropy.": F.nll_loss(logits, Y_) + lam / 2 * squares,
        "The probabilities of the right classes were averaged: their logarithms are missing.":
            F.nll_loss(logits.softmax(1), Y_) + lam / 2 * squares,
        **({"The squares of all weights are added up: nothing is divided by the number of layers.": plain + lam / 2 * squares / len(weights)}
           if len(weights) > 1 else {}),
        **({"Square each norm, then add up: here the norms were added up first.":
            plain + lam / 2 * sum(W.norm() for W in weights) ** 2} if len(weights) > 1 else {}),
        "This is the norm of all weights: its square is the penalty.": plain + lam / 2 * squares ** 0.5,
        **({"Only the first and the last weight are penalised.": plain + lam / 2 * (weights[0].square().sum() + weights[-1].square().sum())} if len(weights) > 2 else {}),
        "This is the squared error: the loss is the cross-entropy.": F.mse_loss(logits, F.one_hot(Y_, sizes[-1]).float()) + lam / 2 * squares, "The first weight alone is penalised.": plain + lam / 2 * weights[0].square().sum(), "The last weight alone is penalised.": plain + lam / 2 * weights[-1].square().sum(),
        **({"Biases are not penalised.": plain + lam / 2 * (squares + lost)} if biases else {})},
        hint=lambda: which_part_of_36() or
        "Square each entry of each tensor in model.Ws, add up all squares, and add lam / 2 times that to the cross-entropy.")
    for i, W in enumerate(weights):
        assert_close(change[i], lam * W, f"the gradient of the penalty by weight {i}, {what}", of="gradient", rtol=1e-3, atol=1e-5, mistakes={
            "No gradient reaches the weights through the penalty: " + (
                f"{cuts[0]} cuts the graph. Leave it out." if len(cuts) == 1 else
                ".item(), .data, detach(), no_grad() and a new torch.tensor cut the graph."): torch.zeros_like(W),
            "The cross-entropy has lost its own gradient: Y_hat keeps its graph.": lam * W - fits[i]},
            hint="The gradient of the penalty by a weight W is lam W.")
    for i, b in enumerate(shifts):
        assert_close(change[len(weights) + i], torch.zeros_like(b), f"the gradient of the penalty by bias {i}, {what}", of="biases free", atol=1e-5,
                     hint="The loss changes with a bias by the cross-entropy alone.")

check_penalty((4, 3, 5, 2), 0.6, 0, 0)
check_penalty((3, 5, 4, 2), 0.8, 3, 1)
check_penalty((5, 3), 0.6, 5, 0)
check_penalty((3, 2, 4, 3, 4), 0.9, 6, 2)
### BEGIN HIDDEN TESTS
check_penalty((5, 4, 3, 2), 1.5, 1, 0)
check_penalty((3, 6), 0.2, 2, -1)
check_penalty((2, 3, 3, 4, 3), 0.4, 4, 2)
### END HIDDEN TESTS

# %% [markdown] task="5.3.7" kind="code" minutes=8 difficulty=2 needs="assertion on a tuple"
# ### An assertion that can fail
#
# Write `apply_net(model, X)`: it returns `model.net(X)`, or complains where there is no network.
#
# **You are done when**
# - **a network**: where `model.net` is there, its output comes back: for a model that is an `nn.Module` and for one that is not, whether `net` was set in the object or in its class, and whatever can be called as `net`,
#   an empty `nn.Sequential()` or a plain function, too;
# - **no network**: where `model` has no attribute `net`, or where it is `None`, a `NotImplementedError` is raised;
# - **class named**: its message holds the name of the model's class, whichever it is, and whatever the model says of itself when it is printed;
# - **own errors**: an error inside of the network, of any type, comes through as it is.

# %% exercise="5.3.7"
def apply_net(model, X):
    """model.net(X). Raises NotImplementedError, which names the class, where there is no net."""
    ### BEGIN SOLUTION
    if getattr(model, "net", None) is None:
        raise NotImplementedError(f"{type(model).__name__} has no network: set self.net in __init__")
    return model.net(X)
    ### END SOLUTION

# %% [markdown] hints="5.3.7"
# 1. What is `bool((3, "net"))`? And of `(None, "net")`?
# 2. `getattr(model, "net", None)` asks without raising. `assert` gives an AssertionError, and none at all under `python -O`.
# 3. For a file name: `if getattr(job, "path", None) is None: raise ValueError(f"{type(job).__name__} has no path")`.

# %% check="5.3.7" points=1
@probe
def reaction(kind, name, module):
    inside = {"__repr__": lambda self: "(as it prints)"}
    if kind == "in the class":
        inside["net"] = staticmethod(lambda X: X[0])
    model = type(name, (nn.Module,) if module else (), inside)()
    if kind == "None":
        model.net = None
    if kind in ("AttributeError", "TypeError", "ValueError"):
        def net(X):
            raise {"AttributeError": AttributeError, "TypeError": TypeError, "ValueError": ValueError}[kind]("raised by the network")
        model.net = net
    if kind == "a function":
        model.net = lambda X: X.sum()
    if kind == "sound":
        model.net = nn.Flatten()
    if kind == "empty":
        model.net = nn.Sequential()
    try:
        result = apply_net(model, torch.ones(2, 3, 4))
        return list(result.shape) if torch.is_tensor(result) else [str(result)]
    except Exception as error:
        return [type(error).__name__, str(error)]

def test_of_537(name, module):
    what = f"a model of class {name}, {'an nn.Module' if module else 'no nn.Module'},"
    for kind, text in (("missing", "without net"), ("None", "whose net is None")):
        told = reaction(kind, name, module)
        assert_equal(told[0], "NotImplementedError", f"the error for {what} {text}", of="no network", mistakes={
            "An assertion vanishes under python -O: raise the error.": "AssertionError"},
            hint="Nothing was raised: an error that is only returned or printed stops nobody." if len(told) == 1 else
            "The attribute is there, and is None: that is no network either." if kind == "None" and "NoneType" in told[1] else
            "model.net was asked for, and nothing had stopped before it. (assert (model, 'net') tests a tuple, which is always true.)" if told[0] == "AttributeError" and "attribute 'net'" in told[1] else
            f"What was raised is a {told[0]}, with the words: {told[1]}")
        assert_true(name in str(told[-1]), f"the message for {what} {text} names the class", of="class named",
                    hint="What a model prints as need not hold its class: type(model).__name__ is the name."
                    if "(as it prints)" in str(told[-1]) else "The error has no message." if not told[-1] else
                    "In a piece of text, type(model).__name__ are letters like any other: put it into {} in an f-string, with the f in front."
                    if "__name__" in str(told[-1]) else f"The word {name} is not in it: type(model).__name__ gives the name of the model's class.")
    reply = reaction("sound", name, module)
    assert_equal(reply, [2, 12], f"the shape of the output for {what} with nn.Flatten() as net, X of shape (2, 3, 4)", of="a network",
                 mistakes={"The output of the network has to be returned.": ["None"]},
                 hint="The network is model.net: here the model itself was called."
                 if "forward" in str(reply[-1]) or "not callable" in str(reply[-1])
                 else "This is the network itself: call it with X." if str(reply[0]).startswith("Flatten(")
                 else "The class of the model was asked: a net that is set in the object is found where the model itself is asked."
                 if reply[0] == "NotImplementedError" and reaction("in the class", name, module) == [3, 4]
                 else "An nn.Module keeps its layers apart from its own dictionary: ask with hasattr or getattr."
                 if module and reply[0] == "NotImplementedError" else None)
    assert_equal(reaction("empty", name, module), [2, 3, 4], f"the shape of the output for {what} with an empty nn.Sequential() as net", of="a network", hint="An empty nn.Sequential() counts as false: compare with None.")
    assert_equal(reaction("a function", name, module), [], f"the shape of the output for {what} with the function lambda X: X.sum() as net", of="a network", hint="A network need not be an nn.Module.")
    assert_equal(reaction("in the class", name, module), [3, 4], f"the shape of the output for {what} whose class has the function lambda X: X[0] as net", of="a network", hint="getattr also finds what stands in the class.")
    for kind in ("AttributeError", "TypeError", "ValueError"):
        assert_equal(reaction(kind, name, module), [kind, "raised by the network"], f"the error for {what} whose net raises {kind}('raised by the network')", of="own errors",
                     hint="Errors of the network itself are not to be caught: ask for the attribute first, and call the network outside of any try.")

test_of_537("Tower", True)
test_of_537("Perceptron", False)
### BEGIN HIDDEN TESTS
test_of_537("Classifier", True)
test_of_537("Regression", False)
### END HIDDEN TESTS

# %% [markdown]
# **Half of the way**, and a good place to stop for today. So far it was about *what* happens: forward, backward, the graph, the test of a gradient, and the whole network with its biases. When you come back, write the backward table of the network down from memory, with the shape of each
# gradient, before you read on. The rest is about what that *costs*: memory (6), second derivatives (7), and what to do where something does not fit (8).

# %% [markdown] teaches="saved tensors, storage of a tensor"
# ## 6. What training keeps in memory
#
# Read the backward column of the table once more. It needs $H$, the mask of $Z$, $X$ and the weights: values of the forward pass. Prediction may throw each of them away as soon as the next step is
# done. Training must keep them until the way back has used them. How much is that?
#
# Autograd saves only what a backward function will read. `torch.autograd.graph.saved_tensors_hooks(pack, unpack)` lets one watch: inside of the `with` block, `pack` is called on each
# tensor as it is saved, and `unpack` on what `pack` returned when it is used. Ours prints the shape and hands the tensor on.
#
# Two tensors may share one block of memory, a *storage*: views of one tensor do (2.1). `t.untyped_storage()` is the block behind `t`, with a size in bytes, `nbytes()`, and an
# address, `data_ptr()`. (`t.data_ptr()` is another thing: the address of `t`'s own first entry, which may lie in the middle of the block.)

# %% teaches="saved tensors, storage of a tensor"
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(100, 50), nn.ReLU(), nn.Linear(50, 10))
rows, labels = torch.randn(64, 100), torch.randint(0, 10, (64,))
blocks = []                             # the addresses, in order of appearance


def look(t):
    if t.untyped_storage().data_ptr() not in blocks:
        blocks.append(t.untyped_storage().data_ptr())
    print(f"block {blocks.index(t.untyped_storage().data_ptr())}: {tuple(t.shape)} {t.dtype}, {t.untyped_storage().nbytes()} bytes")
    return t


with torch.autograd.graph.saved_tensors_hooks(look, lambda t: t):
    loss = F.cross_entropy(net(rows), labels)

# %% [markdown]
# Line by line: the batch (for $\bar W_1$); the output of the ReLU, by the ReLU, which reads its mask off it ($H > 0$ exactly where $Z > 0$); the same block once more, by the second layer (for $\bar W_2$);
# that layer's weight (for $\bar H$), which is there anyway, since it is a parameter; then what the cross-entropy needs: the logarithms of the probabilities, twice the same block, the labels, and
# one number of 4 bytes, the total weight of the examples. $Z$ is not in the list: nobody reads it again, so its memory is given back at once.
#
# A float32 number takes 4 bytes, a label of int64 takes 8. In general, `t.element_size()` says how many bytes an entry takes.

# %%
part_of_ten = torch.ones(10)[2:5]
print("entries", part_of_ten.numel(), " bytes of an entry", part_of_ten.element_size(), " bytes of its block", part_of_ten.untyped_storage().nbytes())

# %% [markdown] task="5.3.E" kind="code" minutes=3 difficulty=1 needs="storage of a tensor, view"
# ### Its own bytes, and the block behind
#
# Write `own_and_block(t)`: the pair of the bytes that the entries of `t` take by themselves, and of the bytes of the block in which they lie.
#
# **You are done when**
# - **own**: the first number is right for any dtype, and for any number of axes;
# - **block**: the second number is right for a view, which keeps its whole block alive, and for a tensor that is none.

# %% exercise="5.3.E"
def own_and_block(t):
    """(bytes of the entries of t, bytes of the storage behind t)."""
    ### BEGIN SOLUTION
    return t.numel() * t.element_size(), t.untyped_storage().nbytes()
    ### END SOLUTION

# %% [markdown] hints="5.3.E"
# 1. How many entries are there, and how many bytes does each take?
# 2. The block is `t.untyped_storage()`, and it knows its `nbytes()`.
# 3. For three entries of a vector of ten float32: 12 and 40.

# %% check="5.3.E" points=1
import sys

@probe
def bytes_of_53E(count, kind, start, stop, step):
    answer = own_and_block(torch.zeros(count, dtype=kind)[start:stop:step])
    if not isinstance(answer, (tuple, list)):
        return answer
    return ["the storage itself" if isinstance(entry, torch.UntypedStorage) else entry for entry in answer]

def test_of_53E(count, kind, start, stop, step=1):
    what = f"torch.zeros({count}, dtype={kind})[{start}:{stop}:{step}]"
    answer = bytes_of_53E(count, kind, start, stop, step)
    assert_type(answer, (tuple, list), f"own_and_block for {what}", of="own", hint="Return a pair: its own bytes, those of the block.")
    assert_equal(len(answer), 2, f"how many numbers own_and_block returns for {what}", of="own")
    size, entries = torch.zeros((), dtype=kind).nbytes, len(range(count)[start:stop:step])
    assert_equal(answer[0], entries * size, f"the first number for {what}", of="own", mistakes={
        "These are bits: a byte has 8.": 8 * entries * size,
        "These are entries, not bytes.": entries, "How many bytes an entry takes depends on the dtype.": 4 * entries,
        "The own bytes stand first, the block second.": count * size if answer[1] == entries * size != count * size else -1,
        "sys.getsizeof counts the Python object, and not the entries, which lie elsewhere.": sys.getsizeof(torch.zeros(3)) if answer[1] != entries * size else -1,
        "This is the whole block: the first number is that of the entries of t alone.": count * size if answer[1] == count * size != entries * size else -1,
        "A step of the view is no entry: count the entries.": entries * step * size if step > 1 else -1,
        "The entries that a view with a step leaves out are not its own.": ((entries - 1) * step + 1) * size if step > 1 else -1},
        hint=lambda: "It is the number of entries of t, times the bytes that one entry takes."
        + (f" Here an entry takes {size}: yours would be the bytes of {answer[0] / size:g} entries." if answer[0] != entries * size else ""))
    assert_equal(answer[1], count * size, f"the second number for {what}", of="block", mistakes={
        "These are entries, not bytes.": count, "A view keeps its whole block.": entries * size,
        "What lies in the block before the view belongs to it, too.": (count - start) * size if start else -1,
        "How many bytes an entry takes depends on the dtype.": 4 * count,
        "sys.getsizeof counts the Python object as well: ask the storage for its nbytes().": sys.getsizeof(torch.zeros(count, dtype=kind).untyped_storage()),
        "The storage's nbytes() are bytes already: they are not multiplied by those of an entry.": count * size * size if size > 1 else -1,
        "The block counts in full: the bytes of t itself lie in it.": (count - entries) * size if entries < count else -1},
        hint="Ask the storage for its nbytes()." if answer[1] == "the storage itself" else "It is all of the storage behind t, whatever part of it t shows.")

@probe
def other_bytes_of_53E(shape, kind, cut):
    t = torch.zeros(shape, dtype=kind)
    return own_and_block(t[:, 1:] if cut else t)

def test_of_53E_matrix(shape, kind):
    size, rows, columns = torch.zeros((), dtype=kind).nbytes, *shape
    for cut, call in enumerate((f"torch.zeros({shape}, dtype={kind})", f"torch.zeros({shape}, dtype={kind})[:, 1:]")):
        answer, wide = other_bytes_of_53E(shape, kind, cut), columns - cut
        assert_type(answer, (tuple, list), f"own_and_block for {call}", of="own")
        assert_equal(len(answer), 2, f"how many numbers own_and_block returns for {call}", of="own")
        assert_equal(answer[0], rows * wide * size, f"the first number for {call}", of="own", mistakes={"A matrix has more entries than rows.": rows * size,
            "A matrix has more entries than columns.": wide * size,
            "The numbers of rows and columns are multiplied, not added.": (rows + wide) * size},
            hint=lambda: f"It is the number of entries of t, times the bytes that one entry takes. Here an entry takes {size}: yours would be the bytes"
            f" of {answer[0] / size:g} entries.")
        assert_equal(answer[1], rows * columns * size, f"the second number for {call}", of="block", mistakes={"A matrix has more entries than rows.": rows * size,
            "A view keeps its whole block.": rows * wide * size if cut else -1}, hint="It is all of the storage behind t, whatever part of it t shows.")

test_of_53E(11, torch.float64, 2, 5)
test_of_53E(100, torch.float32, 0, 100)
test_of_53E(30, torch.int16, 3, 30, 4)
test_of_53E_matrix((3, 5), torch.float32)
### BEGIN HIDDEN TESTS
test_of_53E(77, torch.float16, 5, 70, 3)
test_of_53E(12, torch.int64, 11, 12)
test_of_53E(1, torch.float32, 0, 1)
test_of_53E_matrix((7, 2), torch.complex128)
### END HIDDEN TESTS

# %% [markdown] task="5.3.3a" kind="code" minutes=12 difficulty=3 needs="saved tensors, parameters of a multilayer perceptron"
# ### Predict the bytes
#
# The network is `nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, q))` in float32, with both biases, called with a batch
# of `n` examples that needs no gradient; the loss is `F.cross_entropy` with `n` labels of int64.
#
# Write `predict_bytes(n, d, h, q)`: a dictionary with the four entries below.
#
# **You are done when**
# - **parameters**: `"parameters"` is the bytes of all parameters;
# - **gradients**: `"gradients"` is the bytes of their `.grad` after a backward pass;
# - **saved**: `"saved"` is the bytes that the graph keeps between forward and backward, parameters left out, each block once (see the list above);
# - **prediction**: `"prediction"` is the most bytes of layer outputs alive at once under `torch.no_grad()`. Each layer writes into new memory while its input is
#   still there; then the input is released. The batch itself belongs to the caller and is not counted.

# %% exercise="5.3.3a"
def predict_bytes(n, d, h, q):
    """Bytes of parameters, gradients, saved tensors, and the peak of layer outputs in prediction."""
    ### BEGIN SOLUTION
    parameters = 4 * (d * h + h + h * q + q)
    return {"parameters": parameters, "gradients": parameters, "saved": 4 * n * (d + h + q) + 8 * n + 4,
            "prediction": 4 * n * max(2 * h, h + q)}
    ### END SOLUTION

# %% [markdown] hints="5.3.3a"
# 1. Which layer outputs are alive while ReLU runs, and which while the last layer runs?
# 2. $Z$ is not saved: ReLU's backward reads its own output. Parameters and gradients do not depend on $n$, saved tensors grow with $n$.
# 3. For one layer `nn.Linear(3, 2)` there are 8 parameters of 4 bytes, 32 bytes, and in prediction 10 examples give one output of 80 bytes.

# %% check="5.3.3a" points=2
GROWTH_33A = {          # how the bytes of the network above, 64 examples and d, h, q = 100, 50, 10, grow with one more of each
    "parameters": {"n": (0, "a further example changes no parameter"), "d": (200, "a further input gives W1 a column of 50 weights"),
                   "h": (444, "a further hidden unit has 100 weights below it, a bias, and 10 weights above it"),
                   "q": (204, "a further output has 50 weights and a bias")},
    "saved": {"n": (648, "a further example has 100 inputs, 50 values of H and 10 logarithms of 4 bytes each, and a label of 8"),
              "d": (256, "a further input is a further column of the batch"), "h": (256, "a further hidden unit is a further column of H"),
              "q": (256, "a further output is a further column of the logarithms")},
    "prediction": {"n": (400, "a further example has 50 numbers in Z and 50 in H"), "d": (0, "the batch is not counted"),
                   "h": (512, "Z and H get a further column each"), "q": (0, "while the ReLU runs, Z and H are more than H and O")}}
GROWTH_33A["gradients"] = GROWTH_33A["parameters"]

def growth_33a(key):
    base = predict_bytes(64, 100, 50, 10)[key]
    for name in "dhqn":
        more = predict_bytes(*(size + (other == name) for other, size in zip("ndhq", (64, 100, 50, 10))))[key]
        right, reason = GROWTH_33A[key][name]
        if more - base != right:
            grows = f"yours grows by {more - base:g}" if more != base else "yours stays the same"
            return (f" From predict_bytes(64, 100, 50, 10) on, with one more {name} alone, {key} "
                    + (f"grows by {right} bytes" if right else "stays the same") + f", since {reason}; {grows}.")
    return ""

def one_of_33a(key, n_, d_, h_, q_, right, smaller_sum):
    """`smaller_sum` is the one of the two sums of a layer's input and output that is not the largest."""
    call = f"predict_bytes({n_}, {d_}, {h_}, {q_})"
    answer = predict_bytes(n_, d_, h_, q_)
    assert_type(answer, dict, call, of=key)
    assert_true(key in answer, f"the entry {key!r} is in {call}", of=key,
                hint="The four names are parameters, gradients, saved and prediction.")
    pairs = 4 * (d_ * h_ + h_ * q_)
    slips = {"Biases are parameters, too.": pairs, "These are numbers, not bytes: float32 takes 4.": right // 4, ("A gradient has as many entries as its parameter, of 4 bytes each: this is twice too much." if key == "gradients" else "float32 takes 4 bytes, not 8."): 2 * right}
    slips["A bias is shared by the examples: it does not grow with n."] = right + 4 * (n_ - 1) * (h_ + q_)
    if key == "gradients":
        slips["The batch wants no gradient, and gets none."] = right + 4 * n_ * d_
        slips["The gradients are summed over the examples: there is one number for each parameter."] = n_ * right
        slips["A .grad is left for the parameters alone, not for layer outputs."] = right + 4 * n_ * (2 * h_ + q_)
        slips["A .grad is left for the parameters alone, not for H and O."] = right + 4 * n_ * (h_ + q_)
    if key == "saved":
        slips = {"Of Z and H only H is kept, and its block counts once: these are 4 n h bytes too many.": right + 4 * n_ * h_,
                 "H is saved, for ReLU's mask and for the gradient of the second weight.": right - 4 * n_ * h_,
                 "Labels of int64 take 8 bytes.": right - 4 * n_,
                 "The batch is saved for the gradient of the first weight.": right - 4 * n_ * d_,
                 "The labels are saved, too.": right - 8 * n_, "One more number is saved, the total weight of the examples.": right - 4, "The labels and the total weight are saved, too.": right - 8 * n_ - 4,
                 "The logarithms of the probabilities are saved.": right - 4 * n_ * q_, "Each block counts once.": right + 4 * n_ * (h_ + q_),
                 "Of the n q numbers after the last layer one block is saved, the logarithms of the probabilities, once: neither the scores nor a table of the labels is kept beside it.": right + 4 * n_ * q_,
                 "Each block counts once, and the parameters are left out.": right + 4 * n_ * (h_ + q_) + 4 * h_ * q_,
                 "Labels of int64 take 8 bytes, and the total weight is saved, too.": right - 4 * n_ - 4, "Parameters are there anyway: leave them out.": right + 4 * h_ * q_,
                 "All parameters are counted: leave them out.": right + 4 * (pairs // 4 + h_ + q_),
                 "Both weights are counted: leave them out.": right + pairs,
                 "These are numbers, not bytes.": (right - 4 * n_) // 4,
                 "ReLU reads its mask off H: no mask of n h bytes is kept beside it.": right + n_ * h_,
                 "The labels are n integers: no table of n times q is made of them.": right + 8 * n_ * (q_ - 1),
                 "The total weight is one float32 number, of 4 bytes.": right + 4}
    if key == "prediction":
        slips = {"This is the output of the last layer alone: its input is alive with it, and earlier there may be more.": 4 * n_ * q_,
                 "The outputs that are released do not count: at most two are alive at once.": 4 * n_ * (2 * h_ + q_),
                 "The batch belongs to the caller.": 4 * n_ * (d_ + h_), "These are numbers, not bytes.": right // 4,
                 "A layer's input and its output are alive together.": 4 * n_ * max(h_, q_),
                 ("While ReLU runs, its input and its output are alive." if h_ > q_ else "While the last layer runs, its input and its output are alive."): smaller_sum}
    if (n_, d_, h_, q_) != (64, 100, 50, 10):
        if key == "prediction" and q_ > h_:
            slips["This is twice the widest output: add up a layer's input and its output."] = 8 * n_ * q_
        slips["This is the number for the network above, with 64 examples: it depends on n, d, h and q."] = {"parameters": 22240, "gradients": 22240, "saved": 41476, "prediction": 25600}[key]
    assert_equal(answer[key], right, f"the entry {key!r} of {call}", of=key, mistakes=slips, hint=lambda: {
        "parameters": "There are two weights and two biases, and each of their entries takes 4 bytes.",
        "gradients": "Each parameter has a .grad of its own shape, and nothing else has one.",
        "saved": "Go through the list above: each block once, without that of the second layer's weight.",
        "prediction": "Of the outputs of the three layers, at most a layer's input and its output are alive together: take the largest such sum."
        }[key] + growth_33a(key))

for key_33a, large_33a, small_33a in (("parameters", 22240, 428), ("gradients", 22240, 428), ("saved", 41476, 1012), ("prediction", 25600, 392)):
    with part(0.25, key_33a, of=key_33a):
        one_of_33a(key_33a, 64, 100, 50, 10, large_33a, 15360)
        one_of_33a(key_33a, 7, 20, 3, 11, small_33a, 168)
### BEGIN HIDDEN TESTS
def measure_33a(n_, d_, h_, q_):
    model_ = nn.Sequential(nn.Linear(d_, h_), nn.ReLU(), nn.Linear(h_, q_))
    inside = {p.untyped_storage().data_ptr() for p in model_.parameters()}
    kept = {}
    with torch.autograd.graph.saved_tensors_hooks(lambda t: kept.setdefault(t.untyped_storage().data_ptr(), t), lambda t: t):
        loss_ = F.cross_entropy(model_(torch.randn(n_, d_)), torch.zeros(n_, dtype=torch.int64))
    del loss_
    layers = [4 * n_ * k for k in (h_, h_, q_)]
    return {"parameters": sum(p.nbytes for p in model_.parameters()), "gradients": sum(p.nbytes for p in model_.parameters()),
            "saved": sum(t.untyped_storage().nbytes() for address, t in kept.items() if address not in inside),
            "prediction": max(one + two for one, two in zip(layers, layers[1:]))}

for key_33a in ("parameters", "gradients", "saved", "prediction"):
    with part(0.25, f"{key_33a} for other sizes", of=key_33a):
        for sizes_33a in ((130, 5, 40, 3), (1, 30, 6, 17)):
            n_33a, _, h_33a, q_33a = sizes_33a
            one_of_33a(key_33a, *sizes_33a, measure_33a(*sizes_33a)[key_33a], 4 * n_33a * (h_33a + min(h_33a, q_33a)))
### END HIDDEN TESTS
total()

# %% [markdown] task="5.3.3b" kind="code" minutes=12 difficulty=3 needs="saved tensors, storage of a tensor"
# ### Measure what the graph keeps
#
# Write `saved_bytes(f, parameters)`: it calls `f()`, a function without arguments, and returns the bytes that autograd saves while `f` runs. `parameters` is an iterable of tensors, and may be a generator such as `net.parameters()`.
#
# **You are done when**
# - **blocks**: each block that a saved tensor lies in counts once and in full, however many saved tensors lie in it, and wherever in it they begin;
# - **parameters left out**: blocks of tensors in `parameters` do not count, nor do views of them; those of other tensors do, also of leaves that want a gradient;
# - **freed on the way**: what was saved and released again before `f` returned counts, too. (Its memory can be given to the next tensor, at the same address: hold on to what you
#   saw until you have counted.)
# - **one call**: `f` is called once, and nothing changes for it: if it calls `backward()` itself, its gradients are right.

# %% exercise="5.3.3b"
def saved_bytes(f, parameters):
    """Bytes of the different storages that autograd saves during f(), those of `parameters` left out; an int."""
    ### BEGIN SOLUTION
    own = {p.untyped_storage().data_ptr() for p in parameters}
    seen = {}

    def pack(t):
        seen[t.untyped_storage().data_ptr()] = t.untyped_storage()
        return t

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        f()
    return sum(storage.nbytes() for address, storage in seen.items() if address not in own)
    ### END SOLUTION

# %% [markdown] hints="5.3.3b"
# 1. How do you tell that two tensors lie in the same memory?
# 2. `t.untyped_storage().data_ptr()` is the address of the whole block; `t.data_ptr()` that of the first entry of a view. `pack` must return what
#    `unpack` will get. A dictionary from addresses to storages keeps each block once, and alive.
# 3. For `x = torch.ones(10)[2:5]`, `x.numel() * 4` is 12 and `x.untyped_storage().nbytes()` is 40.

# %% check="5.3.3b" points=2
@probe
def measured(n, d, h, q, as_list):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, q))
    batch, goals = torch.randn(n, d), torch.randint(0, q, (n,))
    return saved_bytes(lambda: F.cross_entropy(model(batch), goals), list(model.parameters()) if as_list else model.parameters())

@probe
def special_cases(a, b):
    w, u, calls = torch.ones(a, b, requires_grad=True), torch.ones(a, requires_grad=True), []

    def one_view():
        return (u * torch.ones(100)[3:3 + a]).sum()

    def two_views():
        block = torch.ones(300)
        return (u * block[3:3 + a]).sum() + (u * block[50:50 + a]).sum()

    def dropped():
        for i in range(40):                 # so often that a block which nobody holds is given out again
            (u[:, None] * torch.full((a, 5000), 2.)).sum().item()

    def view_of_a_parameter():
        return (w[:, 2] * u).sum()

    def counted():
        calls.append(1)
        return w.exp().sum()

    found = {f.__name__: saved_bytes(f, [w, u]) for f in (one_view, two_views, dropped, view_of_a_parameter)}
    found["nothing"] = saved_bytes(lambda: (w + 1).sum(), [w])
    found["no gradient"] = saved_bytes(lambda: torch.no_grad()(torch.exp)(w), [w])
    found["a chain"] = saved_bytes(lambda: w.exp().exp().exp().sum(), [w])
    found["a chain in float64"] = saved_bytes(lambda: w.double().exp().exp().sum(), [w])
    found["another leaf"] = saved_bytes(lambda: (w * u[:, None]).sum(), [u])
    inside = torch.ones(50)[10:10 + a].requires_grad_()
    found["a parameter within a block"] = saved_bytes(lambda: inside.square().sum(), [inside])
    found["no parameters"] = saved_bytes(lambda: (w * u[:, None]).sum(), [])
    saved_bytes(counted, [w])
    try:
        saved_bytes(lambda: w.square().exp().sum().backward(), [w])      # saves a parameter, and a value
    except (RuntimeError, TypeError) as error:
        if "unpack_hook" not in str(error):
            raise
        w.grad = None                       # backward() could not go on with what unpack gave it
    return found, len(calls), torch.zeros(0) if w.grad is None else w.grad

@probe
def grads_after(n, d, h, q):
    """How many parameters have a .grad after saved_bytes(f, ...), where f only goes forward."""
    model = nn.Sequential(nn.Linear(d, h), nn.Tanh(), nn.Linear(h, q))
    saved_bytes(lambda: model(torch.ones(n, d)).sum(), model.parameters())
    return sum(p.grad is not None for p in model.parameters())

def network_33b(n_, d_, h_, q_, as_list):
    answer = measured(n_, d_, h_, q_, as_list)
    sizes = f"{n_} examples, d, h, q = {d_}, {h_}, {q_}"
    right = 4 * n_ * (d_ + h_ + q_) + 8 * n_ + 4
    twice, weight, every = 4 * n_ * (h_ + q_), 4 * h_ * q_, 4 * (d_ * h_ + h_ + h_ * q_ + q_)
    assert_type(answer, (int, float, torch.Tensor), f"the bytes of the network of 5.3.3a with {sizes}", of="blocks",
                hint="Return the bytes alone." if isinstance(answer, (tuple, list)) else "")
    answer = answer.item() if isinstance(answer, torch.Tensor) else answer
    assert_equal(answer, right, f"the bytes of the network of 5.3.3a with {sizes}", of="parameters left out"
                 if answer in (right + weight, right + weight - every) else "blocks", mistakes={
        "A block that is saved twice counts once.": right + twice,
        "These are units of 1024 bytes: bytes are asked for.": right / 1024,
        ("The second layer's weight is counted. It is a parameter, saved as a view (its transpose): compare the blocks behind the tensors." if as_list else
         "With `parameters` as a generator, the second layer's weight is counted: a generator can be gone through only once, so keep what it gives."): right + weight,
        "The bytes of all parameters were taken off, and only one of them is saved: leave out the blocks that are a parameter's.": right + weight - every,
        "A block that is saved twice counts once, and the parameters do not count.": right + twice + weight},
        hint="Counted, in bytes, are the batch, H, the logarithms of the probabilities, the labels and the total weight, each block once.")

def cases_33b(a, b):
    assert_equal(grads_after(a, b, 3, 2), 0, f"how many parameters have a .grad after saved_bytes, where f is lambda: net(torch.ones({a}, {b})).sum()", of="one call",
                 hint="saved_bytes calls f, and nothing else: whether to go backward is for f to decide.")
    found, calls, slope = special_cases(a, b)
    assert_equal(found["one_view"], 400, f"the bytes where one saved tensor is a view of {a} entries of 100", of="blocks", mistakes={"Count the whole block: a view keeps all of it.": 4 * a})
    assert_equal(found["two_views"], 1200, f"the bytes where two saved tensors are views of one block of 300 entries, {a} entries each", of="blocks", mistakes={
        "Both views lie in one block, which counts once: take the block's address, not that of the view's first entry.": 2400, "Count the block, not the entries of the views.": 8 * a})
    assert_equal(found["nothing"], 0, f"the bytes of (w + 1).sum(), w of shape ({a}, {b}), where nothing is saved", of="blocks",
                 hint="The way back through a sum reads no value: nothing comes to `pack`, and nothing else is counted.")
    assert_equal(found["no gradient"], 0, f"the bytes of w.exp() under torch.no_grad(), w of shape ({a}, {b})", of="blocks",
                 hint="Without a graph nothing is saved: count what comes to `pack`, not what operations make.")
    assert_equal(found["a chain"], 12 * a * b, f"the bytes of w.exp().exp().exp().sum(), w of shape ({a}, {b})", of="blocks",
                 mistakes={"Three blocks of one shape are saved here: they are told apart by their addresses, and all count.": 4 * a * b})
    assert_equal(found["a chain in float64"], 16 * a * b, f"the bytes of w.double().exp().exp().sum(), w of shape ({a}, {b})", of="blocks", mistakes={"How many bytes an entry takes depends on the dtype.": 8 * a * b})
    assert_equal(found["another leaf"], 4 * a * b, f"the bytes of (w * u[:, None]).sum(), where u is in `parameters`, and w, of shape ({a}, {b}), is not", of="parameters left out", mistakes={
        "w is a leaf that wants a gradient, but it is not in `parameters`: it counts.": 0})
    assert_equal(found["no parameters"], 4 * a * b + 4 * a, f"the bytes of (w * u[:, None]).sum(), w of shape ({a}, {b}), where `parameters` is empty", of="parameters left out", mistakes={
        "w and u are leaves that want a gradient, but not in `parameters`: both count.": 0,
        "Both w and u are saved here, and both count.": 4 * a * b},
        hint="Only what is in `parameters` is left out, and here nothing is: w and u are saved for each other's gradient.")
    assert_equal(found["view_of_a_parameter"], 0, f"the bytes of (w[:, 2] * u).sum(), where both w, of shape ({a}, {b}), and u are in `parameters`", of="parameters left out",
                 mistakes={"A view of a parameter lies in the parameter's block: compare blocks.": 4 * a * b, "A view of a parameter lies in the parameter's block: compare the addresses of blocks.": 4 * a})
    assert_equal(found["a parameter within a block"], 0, f"the bytes of p.square().sum(), where the only parameter p, of shape ({a},), is a part of a block of 50 entries and begins at entry 10", of="parameters left out",
                 mistakes={"The parameter's whole block does not count: take the address of the block, not that of the parameter's first entry.": 200})
    assert_equal(found["dropped"], 800_000 * a, f"the bytes where f multiplies forty times by a new tensor of shape ({a}, 5000) and keeps no result", of="freed on the way", mistakes={"What was released before f returned counts, too.": 0},
                 hint="A block that was released and given out again may be taken for the old one: hold on to what you saw." if 0 < found["dropped"] < 800_000 * a else None)
    assert_equal(calls, 1, "how often f is called", of="one call", hint="Call f once, inside of the `with` block.")
    assert_shape(slope, (a, b), f"w.grad where f is lambda: w.square().exp().sum().backward(), w of shape ({a}, {b})",
                 of="one call", hint="The way back of f gets what unpack returns: from what pack returned, it must make the tensor again.")
    assert_close(slope, torch.full((a, b), 1.).exp() * 2, f"w.grad where f is lambda: w.square().exp().sum().backward(), w of shape ({a}, {b})", of="one call", hint="unpack must give back the tensor that was packed.")

network_33b(64, 100, 50, 10, True)
network_33b(64, 100, 50, 10, False)
cases_33b(6, 10)
### BEGIN HIDDEN TESTS
network_33b(7, 20, 3, 11, False)
cases_33b(9, 4)
assert_equal(measured(9, 8, 5, 3, True), 4 * 9 * 16 + 76, "the bytes of a network with 9 examples", of="parameters left out")
### END HIDDEN TESTS

# %% [markdown] teaches="peak memory"
# ### The peak
#
# What has to fit into memory is not what is kept, but the most that is alive at one moment. `torch.profiler` can write down every piece of memory that is taken (positive bytes) and given back
# (negative bytes). Added up in order, that is a curve: the bytes alive.

# %% [markdown] task="5.3.3c" kind="code" minutes=6 difficulty=2 needs="peak memory"
# ### The peak in a profile
#
# Write `peak_and_rest(events)`, for a list of integers in the order of time: bytes taken and given back.
#
# **You are done when**
# - **peak**: first in the pair stands the largest number of bytes alive at any moment;
# - **from zero**: before the first event 0 bytes are alive, so the peak is never negative, and 0 for an empty list;
# - **rest**: second stands the number of bytes alive at the end. It may be negative, where memory of before is given back.

# %% exercise="5.3.3c"
def peak_and_rest(events):
    """(largest running total, at least 0; total at the end) of a list of bytes taken and given back."""
    ### BEGIN SOLUTION
    now = peak = 0
    for change in events:
        now += change
        peak = max(peak, now)
    return peak, now
    ### END SOLUTION

# %% [markdown] hints="5.3.3c"
# 1. What do you know after each event?
# 2. Carry two numbers along: the bytes alive now, and the largest value that they have had.
# 3. For a bank account with +5, +3, -6, +2 the balances are 5, 8, 2, 4: the highest is 8, the last 4.

# %% check="5.3.3c" points=1
def totals_533c(at):
    found = peak_and_rest([5, 3, -6, 2, -9])[at]
    right = (8, -5)[at]
    return ("" if found == right else f" For 5, 3, -6, 2, -9 the totals are 0, 5, 8, 2, 4, -5: {('the peak is 8', 'the rest is -5')[at]},"
            f" yours is {found}.")

def test_of_533c(events_, of):
    call = f"peak_and_rest({events_})" if len(events_) < 8 else f"{len(events_)} events"
    answer = peak_and_rest(list(events_))
    assert_type(answer, (tuple, list), call, of="peak", hint="Return the pair (peak, rest).")
    assert_equal(len(answer), 2, f"how many numbers {call} returns", of="peak", hint="Return the pair (peak, rest).")
    alive = torch.tensor([0, *events_]).cumsum(0)
    peak, rest = alive.max().item(), alive[-1].item()
    lowest = alive.cummin(0).values
    falls = [i for i, e in enumerate(events_) if e < 0]
    given_back = sum(e for e in events_ if e < 0)
    assert_equal(answer[0], peak, f"the peak, {call}", of=of, mistakes={
        "This adds up what is taken and ignores what is given back.": sum(e for e in events_ if e > 0), "This is the largest single event.": max([0, *events_]), "The peak stands first, the rest second.": rest,
        "Before the first event 0 bytes are alive.": max(alive[1:].tolist(), default=0),
        "What is alive after the last event counts, too.": max(alive[:-1].tolist(), default=0),
        "This is the position of the peak: its bytes are asked for.": alive.tolist().index(peak) if peak else -1,
        "float32 does not hold every integer of this size: add up integers.": int(torch.tensor([0., *map(float, events_)]).cumsum(0).max()),
        "The total goes below 0 on the way, and the peak is counted from 0, not from there.": (alive - lowest).max().item(),
        "The peak is counted from 0, not from the lowest total.": (alive.max() - alive.min()).item(),
        **({"The first release is not the end: a later total may be larger.": alive[:falls[0] + 1].max().item()} if falls else {}),
        "A total below 0 is no peak: leave it its sign.": alive.abs().max().item()},
        hint=lambda: "Begin at 0 and add the events one after the other: the peak is the largest number on the way, the 0 and the last one included."
        + totals_533c(0))
    assert_equal(answer[1], rest, f"the rest, {call}", of="rest",
                 mistakes={"This ignores what is given back.": sum(e for e in events_ if e > 0),
                           "The rest is what is alive at the end, not what was given back since the peak.": peak - rest,
                           "This is the peak minus all that is given back: the rest is the sum of all events.": peak + given_back,
                           **({"Nothing holds the total at 0: it may be negative.": 0} if rest < 0 else {}),
                           "The rest is the sum of all events, not the last one.": events_[-1] if events_ else 0},
                 hint=lambda: "What is alive at the end is the sum of all events, with their signs." + totals_533c(1))

test_of_533c([12800, 12800, -12800, 2560, -12800], "peak")
test_of_533c([5, 3, -6, 2, -9], "peak")
test_of_533c([4, 2, -1, 5, -8], "peak")
test_of_533c([3, -10, 2], "peak")
test_of_533c([2, 3, 4], "peak")
test_of_533c([3_000_000_001, 2_000_000_002, -1_500_000_001], "peak")
test_of_533c([-6, 3, 1, -2, 1], "from zero")
test_of_533c([], "from zero")
### BEGIN HIDDEN TESTS
for events_33c in ([4, -4, 9, -9, 2], [1, 2, 3, -6, 5], [7, -1, 4], [7_000_000_000, 3, -7_000_000_000, 1], torch.randint(-90, 100, (60,), generator=torch.Generator().manual_seed(533)).tolist()):
    test_of_533c(events_33c, "peak")
for events_33c in ([-7, 2, 4, -3], [-1], [-3, -4]):
    test_of_533c(events_33c, "from zero")
### END HIDDEN TESTS

# %% [markdown]
# Here are the curves of the same network in prediction and in training, measured.

# %% tags=["demo"] teaches="peak memory"
import contextlib
import os

import matplotlib.pyplot as plt
from torch.profiler import ProfilerActivity, profile


@contextlib.contextmanager
def quiet():
    """Drops what the profiler itself writes to stderr, a line at its start and one at its end."""
    kept, null = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(null)


def memory_events(f):
    with quiet(), profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        f()
    events = [e for e in profiler.profiler.kineto_results.events() if e.name() == "[memory]"]
    return [e.nbytes() for e in sorted(events, key=lambda e: e.start_ns())]


@torch.no_grad()                        # all of the function runs without a graph
def predict():
    net(rows)


def train():
    F.cross_entropy(net(rows), labels).backward()


figure, ax = plt.subplots(figsize=(6, 3), layout="constrained")
for name, f, style in (("prediction", predict, "--"), ("training", train, "-")):
    net.zero_grad()
    memory_events(f)                    # the first profile also holds what torch sets up once
    net.zero_grad()
    alive = torch.tensor([0, *memory_events(f)]).cumsum(0)
    print(f"{name}: peak {alive.max()} bytes, left at the end {alive[-1]}")
    ax.step(range(len(alive)), alive / 1000, style, where="post", label=name)
ax.set(xlabel="event", ylabel="thousands of bytes alive")
ax.grid(alpha=0.3)
figure.legend(loc="outside upper center", ncols=2)
plt.show()

# %% [markdown]
# At the start the solid line covers the dashed one of prediction: both make the same outputs. Its peak of 25,600 bytes is $Z$ and $H$ together; then it lets go of everything, and of its own output, too, since nobody keeps it here. Training holds on to the activations and has
# the values of the way back on top of them: its peak is 40,448 bytes, and it comes late. What remains at the end are 22,240 bytes of gradients. The weights and the batch were there before and are in neither curve. (That is how the peak can be lower
# than what the graph saves, the sum of the blocks above without the weight: of these 41,476 bytes 25,600 are the batch.)
#
# ⚠ Programs that *estimate* the memory of a network deserve mistrust. torchinfo reports a "forward/backward pass size": it adds up the outputs of the layers that have parameters, and takes them twice.

# %% tags=["demo"]
import torchinfo

estimate = torchinfo.summary(net, input_data=rows, verbose=0)
print(f"torchinfo: forward/backward {estimate.total_output_bytes}, parameters {estimate.total_param_bytes} bytes; 2 · 4 · 64 · (50 + 10) = {2 * 4 * 64 * 60}")

# %% [markdown]
# That is neither the 41,476 bytes that the graph saves nor the peak of training; it knows nothing of the loss, the gradients, the optimizer's memory, or anything that happens in a function instead of a layer. Measure.

# %% [markdown] teaches="hessian-vector product"
# ## 7. Second derivatives without the matrix
#
# How does the gradient itself change when we walk in the direction $\mathbf v$? By the Hessian times $\mathbf v$, where the Hessian (2.5) is the matrix of all second derivatives, $N$ by $N$ for $N$ parameters. For a network
# with 200,000 weights the matrix has 40 billion entries. Its product with *one* vector has 200,000, and there is a way to it that never sees the matrix.
#
# Let $g(\mathbf w) = \nabla f(\mathbf w)$ be the gradient, and $\mathbf v$ a constant vector. Then $g(\mathbf w) \cdot \mathbf v$ is a single number, and a number has a gradient. Its entry $j$ is
#
# $$\frac{\partial}{\partial w_j} \sum_i \frac{\partial f}{\partial w_i} v_i = \sum_i \frac{\partial^2 f}{\partial w_j\, \partial w_i} v_i = (\nabla^2 f\; \mathbf v)_j .$$
#
# So: take the gradient in such a way that it has a graph (`create_graph=True`), multiply by $\mathbf v$, add up, and take the gradient once more. For one variable, $f = w^3$ at $w = 2$ with $v = 5$:

# %% teaches="hessian-vector product"
w = torch.tensor(2., requires_grad=True)
slope, = torch.autograd.grad(w ** 3, w, create_graph=True)       # 3 w² = 12
change, = torch.autograd.grad(slope * 5., w)                     # 6 w · 5 = 60
print(slope.item(), change.item())

# %% [markdown] task="5.3.F" kind="code" minutes=4 difficulty=2 needs="hessian-vector product, hessian, partial derivative"
# ### A product by hand
#
# For $f(w_0, w_1) = w_0^3\, w_1$, write `product_by_hand(w, v)`: the Hessian of $f$ at `w` times `v`. Both are lists or tensors of two numbers. Use a pencil for the derivatives.
#
# **You are done when**
# - **first entry**: it is $\frac{\partial^2 f}{\partial w_0^2} v_0 + \frac{\partial^2 f}{\partial w_0 \partial w_1} v_1$, worked out, for any `w` and `v`;
# - **second entry**: the same for the second row of the Hessian.

# %% exercise="5.3.F"
def product_by_hand(w, v):
    """The Hessian of w0³ w1 at w, times v: two numbers."""
    ### BEGIN SOLUTION
    return [6 * w[0] * w[1] * v[0] + 3 * w[0] ** 2 * v[1], 3 * w[0] ** 2 * v[0]]
    ### END SOLUTION

# %% [markdown] hints="5.3.F"
# 1. What is the gradient? Differentiate each of its two entries by each of the two variables.
# 2. The Hessian is symmetric: the second row begins with the second entry of the first.
# 3. For $f = w_0 w_1$ the gradient is $(w_1, w_0)$, the Hessian (0, 1; 1, 0), and its product with v is $(v_1, v_0)$.

# %% check="5.3.F" points=1
import numpy as np

def too_much(row, col):
    """By which factor an entry of the answer's Hessian differs from the right one, if it does so at two places."""
    if row == col == 1:
        return ""
    unit = [float(at == col) for at in range(2)]
    ratios = [float(product_by_hand([a, b], unit)[row]) / (6 * a * b if row == col else 3 * a * a) for a, b in ((3., 7.), (5., 11.))]
    for words, factors in (("has the factor w0 once too often", (3., 5.)), ("lacks a factor w0", (1 / 3, 1 / 5)), ("has the factor w1 too much", (7., 11.)),
                           ("lacks the factor w1", (1 / 7, 1 / 11)), ("is twice too large", (2., 2.)), ("is half of the right one", (0.5, 0.5)), ("has the wrong sign", (-1., -1.)),
                           ("is a third of the right one", (1 / 3, 1 / 3)), ("is two thirds of the right one", (2 / 3, 2 / 3)), ("is three times too large", (3., 3.))):
        if all(abs(ratio / factor - 1) < 1e-6 for ratio, factor in zip(ratios, factors)):
            return f": it {words}"
    return ""

def test_of_53F(w_, v_):
    place, direction = torch.tensor(w_, dtype=torch.float64), torch.tensor(v_, dtype=torch.float64)
    right = torch.autograd.functional.hessian(lambda t: t[0] ** 3 * t[1], place) @ direction
    call = f"product_by_hand({w_}, {v_})"
    for args in ((list(w_), list(v_)), (place.clone(), direction.clone())):
        answer = product_by_hand(*args)
        if isinstance(answer, np.ndarray):
            answer = answer.tolist()
        assert_type(answer, (list, tuple, torch.Tensor), call, of="first entry",
                    hint="Two numbers are asked for, one for each row of the Hessian.")
        assert_equal(len(answer), 2, f"how many numbers {call} returns", of="first entry")
        a, b = w_
        for at, (of, entry) in enumerate(zip(("first entry", "second entry"), answer)):
            assert_type(entry, (int, float, torch.Tensor), f"the {of} of {call}", of=of,
                        hint="This is a row of the Hessian: multiply it by v, entry by entry, and add up."
                        if isinstance(entry, (list, tuple)) else "")
            if isinstance(entry, torch.Tensor):
                assert_equal(entry.numel(), 1, f"how many numbers the {of} of {call} holds", of=of,
                             hint="A row of the Hessian times v is one number: multiply entry by entry, and add up.")
        columns = [product_by_hand(list(w_), unit) for unit in ([1., 0.], [0., 1.])]       # those of the answer's Hessian
        second = torch.autograd.functional.hessian(lambda t: t[0] ** 3 * t[1], place)
        row_hints = [" ".join(f"For v = {unit} this entry is the derivative of f by {by}: yours, {float(column[row]):g}, is wrong{too_much(row, col)}."
                              for col, (unit, column, by, expected) in enumerate(zip(("(1, 0)", "(0, 1)"), columns, both, second[row]))
                              if abs(float(column[row]) - expected) > 1e-6)
                     for row, both in enumerate((("w0 and by w0 again", "w0 and by w1"), ("w1 and by w0", "w1 and by w1 again")))]
        twice = product_by_hand(list(w_), [2 * number for number in v_])
        for row in range(2):
            if abs(float(twice[row]) - 2 * float(answer[row])) > 1e-6 * abs(float(answer[row])):
                row_hints[row] = "v enters each product once: where v is twice as large, so is this entry; yours is " + (
                    f"{float(twice[row]) / float(answer[row]):g} times as large." if float(answer[row]) else "not.")
        assert_close(float(answer[0]), right[0].item(), f"the first entry of {call}", of="first entry", hint=row_hints[0], mistakes={
            "The mixed derivative belongs to it, too.": 6 * a * b * v_[0], "This is the gradient times v, entry by entry.": 3 * a * a * b * v_[0], "v is missing: this is a row sum.": 6 * a * b + 3 * a * a,
            "The second derivative with respect to w0 lacks a factor 2.": 3 * a * b * v_[0] + 3 * a * a * v_[1],
            "The mixed derivative is once by w0 and once by w1: in 6 w0 it is twice by w0.":
                6 * a * b * v_[0] + 6 * a * v_[1] if a != 2 else -1e9,
            "The mixed derivative has another power of w0.": 6 * a * b * v_[0] + 3 * a * v_[1] if a != 1 else -1e9,
            "The second derivative with respect to w0 has another power of w0.": 6 * a * a * b * v_[0] + 3 * a * a * v_[1],
            "The second derivative with respect to w0 lacks the factor w1.": 6 * a * v_[0] + 3 * a * a * v_[1],
            "The two entries of v are exchanged.": 6 * a * b * v_[1] + 3 * a * a * v_[0],
            "This is the gradient: differentiate once more.": 3 * a * a * b,
            "The mixed derivative enters once in each row.": 6 * a * b * v_[0] + 6 * a * a * v_[1],
            "The two products are added, not subtracted.": 6 * a * b * v_[0] - 3 * a * a * v_[1],
            "These are the second derivatives at w = (4, 5): they depend on w.": 120 * v_[0] + 48 * v_[1] if w_ != (4., 5.)
            else -1e9})
        assert_close(float(answer[1]), right[1].item(), f"the second entry of {call}", of="second entry", hint=row_hints[1], mistakes={
            "This is the gradient times v, entry by entry.": a ** 3 * v_[1],
            "The second row of the Hessian begins with the mixed derivative, which multiplies the first entry of v.": 3 * a * a * v_[1],
            "v is missing: this is a row sum.": 3 * a * a,
            "The second derivative with respect to w1 is 0: f has w1 to the first power only.": 3 * a * a * v_[0] + a ** 3 * v_[1], "The second derivative with respect to w1 is 0, not the mixed one: f has w1 to the first power only.": 3 * a * a * (v_[0] + v_[1]),
            "The second row of the Hessian is not 0: it begins with the mixed derivative.": 0.,
            "This is the gradient: differentiate once more.": a ** 3,
            "The mixed derivative enters once in each row.": 6 * a * a * v_[0],
            "These are the second derivatives at w = (4, 5): they depend on w.": 48 * v_[0] if w_ != (4., 5.) else -1e9})

test_of_53F((4., 5.), (3., 7.))
test_of_53F((-2., 3.), (2., -5.))
### BEGIN HIDDEN TESTS
test_of_53F((0.5, -7.), (3., 2.))
test_of_53F((3., 1.), (0., 1.))
### END HIDDEN TESTS

# %% [markdown] task="5.3.4a" kind="code" minutes=12 difficulty=3 needs="hessian-vector product, create_graph, leaf"
# ### A Hessian-vector product
#
# Write `hessian_vector_product(f, w, v)`. `f` takes a vector `w` of shape $(N,)$ to a number (a tensor of shape `()`) that depends on `w` smoothly, with second derivatives that are not all 0; `v` has the shape of `w`.
#
# **You are done when**
# - **product**: the result is $\nabla^2 f(\mathbf w)\, \mathbf v$, shape $(N,)$, exact up to rounding (in float64 to ten digits: differences of gradients are not enough);
# - **cost**: for a function made of a matrix product, all matrix products of the call together take at most 20 times the operations of one `f(w)`, however large $N$ is, so the Hessian is never built;
# - **no graph**: the result does not require a gradient;
# - **argument kept**: `w` has afterwards its old values, no `requires_grad` and no `.grad`.

# %% exercise="5.3.4a"
def hessian_vector_product(f, w, v):
    """The Hessian of f at w times v, all of shape (N,), with one differentiation of gradient · v."""
    ### BEGIN SOLUTION
    leaf = w.detach().clone().requires_grad_()
    gradient, = torch.autograd.grad(f(leaf), leaf, create_graph=True)
    return torch.autograd.grad(gradient @ v, leaf)[0]
    ### END SOLUTION

# %% [markdown] hints="5.3.4a"
# 1. Whose gradient is $\nabla^2 f\, \mathbf v$, if $\mathbf v$ is constant?
# 2. $\nabla (\nabla f(\mathbf w)^\top \mathbf v) = \nabla^2 f(\mathbf w)\, \mathbf v$. The inner gradient has to be made with `create_graph=True`.
# 3. For $f = w^3$ and $v = 5$: the gradient times $v$ is $15 w^2$, its derivative $30 w$, and $f'' v = 6w · 5$.

# %% check="5.3.4a" points=3
@probe
def product_of(which, point, direction):
    import warnings
    from torch.utils.flop_counter import FlopCounterMode
    matrix = torch.sin(torch.arange(60. * len(point), dtype=point.dtype)).reshape(60, len(point))
    functions = {"w₀²w₁": lambda w: w[0] ** 2 * w[1], "bumpy": lambda w: (w[0] ** 2 * w[1:]).sum() + (w.sin() * w.flip(0)).sum(),
                 "matrix": lambda w: torch.tanh(matrix @ w[:, None] / 5).pow(3).sum()}
    f, start = functions[which], point.clone()
    with FlopCounterMode(display=False) as once:
        f(start)
    with warnings.catch_warnings(), FlopCounterMode(display=False) as counter:
        warnings.simplefilter("ignore")             # backward(create_graph=True) warns, and is right
        try:
            found = hessian_vector_product(f, start, direction.clone())
        except RuntimeError as error:
            if "does not require grad" not in str(error):
                raise
            found = f"RuntimeError: {error}"
    return (found.detach() if torch.is_tensor(found) else found, int(getattr(found, "requires_grad", 0)), start.detach(),
            [name for name, there in (("requires_grad", start.requires_grad), (".grad", start.grad is not None)) if there],
            counter.get_total_flops() / max(1, once.get_total_flops()))

@probe
def dtypes_of_w(point, direction):
    """The dtypes of what f is called with."""
    seen = []
    def f(w):
        seen.append(str(w.dtype))
        return w.pow(3).sum()
    hessian_vector_product(f, point.clone(), direction.clone())
    return seen

def in_float32(point, direction):
    """Whether f gets single numbers, or the product is exact for small whole numbers, which a difference is not."""
    if point.dtype != torch.float64:
        return False
    found = product_of("w₀²w₁", torch.tensor([1., 2.], dtype=point.dtype), torch.tensor([1., 10.], dtype=point.dtype))[0]
    return "torch.float32" in dtypes_of_w(point, direction) or found.tolist() == [24., 2.]

def test_of_534a(which, point, direction, what, exact):
    matrix = torch.sin(torch.arange(60. * len(point), dtype=point.dtype)).reshape(60, len(point))
    f = {"w₀²w₁": lambda w: w[0] ** 2 * w[1], "bumpy": lambda w: (w[0] ** 2 * w[1:]).sum() + (w.sin() * w.flip(0)).sum(),
         "matrix": lambda w: torch.tanh(matrix @ w[:, None] / 5).pow(3).sum()}[which]
    full = torch.autograd.functional.hessian(f, point)
    slope = torch.autograd.functional.jacobian(f, point)
    right = full @ direction
    found, has_graph, after, marks, work = product_of(which, point, direction)
    assert_type(found, torch.Tensor, f"the product for {what}", of="product",
                hint="Return the product alone: torch's functions give a tuple of results." if isinstance(found, (tuple, list))
                else "What was to be differentiated has no graph: the leaf needs requires_grad_(), and the first gradient create_graph=True."
                if str(found).startswith("RuntimeError") else "")
    assert_shape(found, tuple(point.shape), f"the product for {what}", of="product",
                 hint="The product of a matrix with a vector is a vector: it has the shape of w.")
    assert_close(found, right, f"the product for {what}", of="product", **({"rtol": 1e-10, "atol": 1e-11} if exact else {"rtol": 1e-4, "atol": 1e-5}), mistakes={
        "This is the gradient times v, entry by entry.": slope * direction, "The gradient of before is still in .grad: backward() adds to it.": right + slope, "Only the diagonal of the Hessian is in it.": full.diagonal() * direction,
        "v is missing: these are the row sums.": full.sum(1),
        "These are the row sums of the Hessian, times v: v belongs inside of the sum.": full.sum(1) * direction,
        "This is the gradient.": slope, "v enters as it is: here it was divided by its norm.": right / direction.norm(),
        "The entries of gradient · v are added up, not averaged.": right / len(direction),
        "It is gradient · v that is differentiated: here the gradient enters squared.": 2 * full @ (slope * direction),
        "This is the gradient of gradient · gradient: v belongs in the place of one of the two.": 2 * full @ slope,
        "Here gradient · gradient was differentiated and halved, and v came in afterwards: differentiate gradient · v.": full @ slope * direction,
        "This is only the part of the product that points along v: the product points where it does.": (right @ direction) / (direction @ direction) * direction,
        "v enters once: the product is not multiplied by it again.": right * direction},
        hint=lambda: ("This was computed in single precision: work in the dtype of w."
                      if point.dtype == torch.float64 != found.dtype or in_float32(point, direction)
                      else "This is nearly it, as differences of gradients give it: differentiate gradient · v once more.")
        if (found - right).abs().max() < 0.02 * right.abs().max()
        else "Differentiate gradient · v once more, with v as a constant. " + where_they_part(
            lambda w, v: product_of(which, w, v)[0], lambda w, v: torch.autograd.functional.hessian(f, w) @ v, w=point, v=direction))
    assert_equal(has_graph, 0, f"requires_grad of the product for {what} (0 is False, 1 is True)", of="no graph", hint="The first differentiation needs a graph of its own, the second does not.")
    assert_close(after, point, f"w after the call, for {what}", of="argument kept",
                 hint="A step `w += ...` changes the caller's tensor: make a leaf of your own.")
    assert_equal(marks, [], f"the marks (requires_grad, .grad) on w after the call, for {what}", of="argument kept",
                 hint="w still requires a gradient. " * ("requires_grad" in marks)
                 + "w has a .grad now: backward() wrote it there. " * (".grad" in marks) + "Make a leaf of your own: w.detach().clone().requires_grad_().")
    if which == "matrix":
        assert_true(work <= 20, f"the operations of all matrix products are at most 20 times those of one f(w) for {what}; yours {work:.0f} times", of="cost",
                    hint="A pass for each row builds the whole Hessian." if work > len(point) else "Two or three passes are enough.")

test_of_534a("w₀²w₁", torch.tensor([1., 2.]), torch.tensor([1., 10.]), "w₀²w₁ at (1, 2), v = (1, 10)", False)
test_of_534a("bumpy", torch.tensor([0.3, 1.1, -0.7], dtype=torch.float64), torch.tensor([1., -2., 0.7], dtype=torch.float64),
             "w₀² (w₁ + w₂) + sin(w₀) w₂ + sin(w₁) w₁ + sin(w₂) w₀ at (0.3, 1.1, -0.7) in float64, v = (1, -2, 0.7)", True)
test_of_534a("matrix", torch.linspace(-1, 1, 50, dtype=torch.float64), 100 * torch.linspace(0, 3, 50, dtype=torch.float64).cos(), "a sum of tanh(M w / 5)³, N = 50", True)
### BEGIN HIDDEN TESTS
luck_4a = torch.Generator().manual_seed(534)
for size_4a in (3, 8, 30):
    test_of_534a("bumpy", *(torch.randn(size_4a, generator=luck_4a, dtype=torch.float64) for _ in range(2)), f"another function, N = {size_4a}", True)
test_of_534a("matrix", *(torch.randn(30, generator=luck_4a, dtype=torch.float64) for _ in range(2)), "a sum of tanh(M w / 5)³, N = 30", True)
test_of_534a("matrix", *(torch.randn(80, generator=luck_4a, dtype=torch.float64) for _ in range(2)), "a sum of tanh(M w / 5)³, N = 80", True)
### END HIDDEN TESTS

# %% [markdown] teaches="cost of a hessian"
# ### What it costs
#
# The table takes a small network with all its weights in one vector, at three widths, and counts the operations of the matrix products: for a gradient, for a product of the Hessian with a vector, and for the whole
# Hessian. (`FlopCounterMode` counts what runs inside of its `with` block.) In brackets stands how many gradients that is worth. The last two columns are the nodes in the graph of $J$ and in the graph of its gradient.

# %% tags=["demo"] teaches="cost of a hessian"
import re
from torch.utils.flop_counter import FlopCounterMode


def network_of(width):
    """An objective on one vector of all weights, and the vector."""
    torch.manual_seed(0)
    inputs, goals = torch.randn(32, width), torch.randn(32, 1)
    shapes = (width, width), (width,), (1, width)
    sizes = [torch.Size(shape).numel() for shape in shapes]

    def objective(w):
        A, b, C = (part.reshape(shape) for part, shape in zip(w.split(sizes), shapes))
        return ((torch.tanh(inputs @ A.T + b) @ C.T - goals) ** 2).mean()
    return objective, (0.3 * torch.randn(sum(sizes))).requires_grad_()


def nodes_of(y):
    """The boxes in the drawing, leaves and result aside: names such as MulBackward0, and AccumulateGrad."""
    return len(re.findall(r"Backward\d|AccumulateGrad", d2l.show_graph(y).source))


print("width     N   gradient   Hessian times vector      Hessian           nodes: J, gradient")
for width in (4, 8, 16):
    objective, w = network_of(width)

    def times_vector():
        g, = torch.autograd.grad(objective(w), w, create_graph=True)
        return torch.autograd.grad(g @ torch.ones_like(g), w)
    work = []
    for task in (lambda: torch.autograd.grad(objective(w), w), times_vector, lambda: torch.autograd.functional.hessian(objective, w)):
        with FlopCounterMode(display=False) as counter:
            task()
        work.append(counter.get_total_flops())
    gradient, = torch.autograd.grad(objective(w), w, create_graph=True)
    print(f"{width:5} {len(w):5} {work[0]:10} {work[1]:12} ({work[1] / work[0]:.2f}) {work[2]:16} ({work[2] / work[0]:.0f})"
          f" {nodes_of(objective(w)):12}, {nodes_of(gradient)}")

# %% [markdown]
# And the graphs of the running example of section 2.5, $\log(x^2) \sin x + 1/x$, and of its derivative:

# %% tags=["demo"]
x = torch.tensor(2., requires_grad=True)
y = torch.log(x ** 2) * torch.sin(x) + 1 / x
slope, = torch.autograd.grad(y, x, create_graph=True)
display(d2l.show_graph(y, params={"x": x}), d2l.show_graph(slope, params={"x": x}))

# %% [markdown]
# The second graph holds what the way forward computed (the power, the logarithm, the sine, the reciprocal) and what the way back computed with it: the cosine, which is the slope of the sine, further products, and sums, since the
# derivative of a product is a sum of two products.

# %% [markdown] task="5.3.4b" kind="explain" minutes=15 difficulty=3 needs="cost of a hessian, hessian-vector product, create_graph"
# ### What second derivatives cost
#
# Someone writes that the cost of the Hessian grows exponentially with the number of parameters. First say how much memory it needs: write
# `hessian_bytes(N)`, the bytes of a Hessian of $N$ parameters in float32. Then explain in words what the graph of the gradient looks like, what Hessian and
# Hessian-vector product cost, and whether the sentence above is right. Quote the table.
#
# **You are done when** the text has all three points, and
# - **bytes**: `hessian_bytes(N)` is right for one parameter and for hundreds of thousands.

# %% exercise="5.3.4b"
def hessian_bytes(N):
    """Bytes of an N by N matrix of float32."""
    ### BEGIN SOLUTION
    return 4 * N ** 2
    ### END SOLUTION

# %% [markdown] hints="5.3.4b"
# 1. How many backward passes give the rows of the Hessian, and how many give one product?
# 2. Exponential growth would multiply the cost with each further parameter. Compare N = 24, 80 and 288 in the table.
# 3. A Jacobian of 3 outputs and 5 inputs has 15 entries and takes 3 backward passes.

# %% check="5.3.4b" points=1
def growth_4b():
    few, more = hessian_bytes(10), hessian_bytes(20)
    if few and more / few != 4:
        return (f"From N = 10 to N = 20 the bytes of the Hessian become 4 times as many, yours {more / few:.4g} times: it has N rows of N"
                " entries, and each entry takes 4 bytes.")
    return f"For N = 10 the Hessian has 10 rows of 10 entries of 4 bytes each, 400 bytes: yours is {few}."

def test_of_534b(count):
    answer = hessian_bytes(count)
    single = int(torch.tensor(float(count)) ** 2 * 4)
    small = isinstance(answer, int) and -2 ** 31 <= answer < 2 ** 31 <= 4 * count ** 2
    assert_equal(answer, torch.empty(count, count, device="meta").nbytes, f"hessian_bytes({count})", of="bytes",
                 mistakes={"These are entries: float32 takes 4 bytes.": count ** 2, "This is the gradient's size.": 4 * count, "float32 takes 4 bytes, float64 8.": 8 * count ** 2,
                           "All entries are stored, also those that are equal by symmetry.": 2 * count * (count + 1),
                           "The 4 bytes of an entry are not squared.": 16 * count ** 2,
                           "The gradient is in it, too: the Hessian alone is asked for.": 4 * count ** 2 + 4 * count,
                           "These are bits: a byte has 8.": 32 * count ** 2,
                           "These are units of 1024 bytes: bytes are asked for.": count ** 2 / 256,
                           "These are millions of bytes: bytes are asked for.": count ** 2 / 250_000,
                           "These are thousands of millions of bytes: bytes are asked for.": count ** 2 / 250_000_000,
                           **({"float32 does not hold every integer of this size: compute with integers.": single}
                              if single != 4 * count ** 2 else {}),
                           **({"A matrix N by N has N² entries, not 2 to the power N.": 4 * 2 ** count,
                               "A matrix N by N has N² entries, not N to the power N.": 4 * count ** count} if 4 < count < 100 else {})},
                 hint=lambda: "Integers of 32 bits hold less than this: they go round beyond 2,147,483,647." if small
                 else "A number of bytes is asked for, an integer." if isinstance(answer, str) else growth_4b())

for count_4b in (24, 1000, 300_000):
    test_of_534b(count_4b)
### BEGIN HIDDEN TESTS
for count_4b in (1, 288, 203_530):
    test_of_534b(count_4b)
### END HIDDEN TESTS

# %% [markdown] written="5.3.4b" points=3
# ### BEGIN SOLUTION
# With `create_graph=True` the backward pass is recorded as well, so the graph of the gradient holds the forward nodes and the backward nodes, 32 nodes against
# 14 in the table; the saved values of both have to be kept. A Hessian-vector product is one more backward pass through this graph: 2.27, 2.16 and 2.09 times the
# operations of a gradient for N = 24, 80 and 288, whatever N. The Hessian has N² entries and takes N such passes: 32, 94 and 314 gradients. So its cost
# grows with N times that of a gradient, quadratically in N where a gradient costs in proportion to N, and its memory with N². That is polynomial; exponential is
# wrong.
#
# **Rubric**
# - [1] The graph: that of the gradient holds forward and backward operations and is larger by a factor, and its values are kept; also accepted: node counts; lost by "the same graph is used again".
# - [1] A Hessian-vector product costs a small constant number of gradients, the Hessian about N of them, with numbers of the table; also accepted: N backward passes; lost by giving both the same cost.
# - [1] N² entries, polynomial growth, so "exponentially" is wrong; also accepted: quadratic in memory; lost by agreeing with the sentence.
# ### END SOLUTION

# %% [markdown] teaches="micro-batch, gradient accumulation"
# ## 8. Too big for one device
#
# A batch does not fit: its saved values grow with $n$. Then cut the *batch* into **micro-batches** and work them off one after the other. `backward()` adds to `.grad` (2.5), so their
# gradients accumulate by themselves, and the optimizer steps once at the end. Only one micro-batch's graph is in memory at a time.
#
# ⚠ *The mean of the means is not the mean*, where the micro-batches differ in size, as the last one often does. Seven examples in micro-batches of 3, 3 and 1: the last example would count three times as much as each of the others. If $\bar\ell_k$
# is the mean loss over micro-batch $k$ with $n_k$ examples, then
#
# $$\frac{1}{n} \sum_{i=1}^{n} \ell_i = \sum_k \frac{n_k}{n}\, \bar\ell_k ,$$
#
# and since a gradient of a sum is the sum of the gradients, the gradients take the same weights $n_k / n$.

# %% teaches="micro-batch, gradient accumulation"
values = torch.tensor([4., 6., 11.])
pieces = values.split([2, 1])                                  # the first two, the last one
print("mean of all", values.mean().item(), " mean of the means", torch.stack([p.mean() for p in pieces]).mean().item(),
      " weighted", sum(len(p) / len(values) * p.mean() for p in pieces).item())

# %% [markdown] task="5.3.G" kind="code" minutes=3 difficulty=1 core=true needs="micro-batch"
# ### The mean of all, from the means of the pieces
#
# Write `mean_of_all(means, sizes)`: two lists of the same length, the mean of each piece and the number of examples in it.
#
# **You are done when**
# - **weighted**: the result is the mean over all examples, for pieces of different sizes;
# - **any number of pieces**: it is right for one piece, and for many.

# %% exercise="5.3.G"
def mean_of_all(means, sizes):
    """The mean over all examples from the means and the sizes of the pieces."""
    ### BEGIN SOLUTION
    return sum(size * mean for size, mean in zip(sizes, means)) / sum(sizes)
    ### END SOLUTION

# %% [markdown] hints="5.3.G"
# 1. From the mean and the size of a piece, how do you get its sum?
# 2. Add up the sums, divide by the number of all examples.
# 3. Pieces of 2 and 1 with means 5 and 11: (10 + 11) / 3 = 7.

# %% check="5.3.G" points=1
import functools

def weights_53G():
    """With which weight each piece enters: its mean is 1, those of the others are 0."""
    for sizes in ([3, 3, 1], [2, 4, 1]):
        for k, size in enumerate(sizes):
            weight = float(mean_of_all([float(j == k) for j in range(3)], list(sizes)))
            if abs(weight - size / 7) > 1e-5:
                return (f"Of pieces of {sizes[0]}, {sizes[1]} and 1 examples, the {('first', 'second', 'third')[k]} has {size} of 7,"
                        f" so its mean counts {size}/7, {size / 7:.4f}: yours gives it {weight:.4f}.")
    return "Of pieces of 2, 4 and 1 examples yours gives each mean the right weight: does it do so for any number of pieces?"

def test_of_53G(pieces_, of):
    means_, sizes_ = [sum(p) / len(p) for p in pieces_], [len(p) for p in pieces_]
    call = f"mean_of_all({means_}, {sizes_})" if len(pieces_) < 5 else f"{len(pieces_)} pieces"
    answer = mean_of_all(list(means_), list(sizes_))
    assert_type(answer, (float, int, torch.Tensor), call, of=of, hint="One number is asked for: the mean over all examples.")
    if isinstance(answer, torch.Tensor):
        assert_equal(answer.numel(), 1, f"how many numbers {call} holds", of=of, hint="One number is asked for: the mean over all examples.")
    alike = float(mean_of_all([5.] * len(sizes_), list(sizes_)))
    every = torch.tensor([value for p in pieces_ for value in p], dtype=torch.float64)
    assert_close(float(answer), every.mean().item(), call, of=of, mistakes={
        "The means of all pieces count alike: weight each by its size.": sum(means_) / len(means_), "This is the sum of all: divide by the number of examples.": every.sum().item(), "This is the sum of the means.": sum(means_),
        "Divide by the number of examples, not by that of the pieces.": every.sum().item() / len(pieces_),
        "The mean is no whole number here: nothing is rounded.": every.sum().item() // len(every),
        "This is the mean of the page's own example: use the arguments.": 7.,
        "A larger piece counts more, not less.": sum(m / k for m, k in zip(means_, sizes_)) / sum(1 / k for k in sizes_),
        "Only the first three pieces are in it.": sum(map(sum, pieces_[:3])) / sum(sizes_[:3]),
        "The sum of three pieces only, divided by the number of all examples.": sum(map(sum, pieces_[:3])) / len(every),
        **({"All pieces count, not only the first and the last.": (sum(pieces_[0]) + sum(pieces_[-1])) / (sizes_[0] + sizes_[-1]),
            "Only the first two pieces are in it.": (sum(pieces_[0]) + sum(pieces_[1])) / (sizes_[0] + sizes_[1]),
            "Each piece has a size of its own: here all but the last are taken to be as large as the first.":
                (sum(means_[:-1]) * sizes_[0] + sum(pieces_[-1])) / (sizes_[0] * (len(pieces_) - 1) + sizes_[-1]),
            "The means are averaged one after the other, as if all were of one size.": functools.reduce(lambda a, b: (a + b) / 2, means_)} if len(pieces_) > 2 else {}),
        **({"The first piece alone is in it: does a return stand inside of the loop?": sum(pieces_[0]) / len(every)} if len(pieces_) > 1 else {})},
        hint=lambda: weights_53G() + (
            f" The weights of all pieces add up to 1: where all means are 5, so is the mean of all, and yours is {alike:g}."
            if abs(alike - 5) > 1e-5 else ""))

test_of_53G([[1., 2., 3.], [4., 0., 8.], [20.]], "weighted")
test_of_53G([[-3., 1., 0.5, 7., 2.], [6.]], "weighted")
test_of_53G([[1., 5.]], "any number of pieces")
test_of_53G([[1.], [2., 4.], [3., 3., 9.], [0., 8., 4., 4.], [5.], [7., 7.]], "any number of pieces")
### BEGIN HIDDEN TESTS
test_of_53G([[2., 4.], [10., 0., 2., 4., 4.], [-30.]], "weighted")
test_of_53G([[float(i)] * (i + 1) for i in range(9)], "any number of pieces")
test_of_53G([[4., 4., 1.]], "any number of pieces")
### END HIDDEN TESTS

# %% [markdown] task="5.3.5a" kind="code" minutes=10 difficulty=3 core=true needs="gradient accumulation, micro-batch, accumulation of gradients, cross-entropy from logits"
# ### Gradient accumulation
#
# Write `accumulate(net, X, y, sizes)`. `sizes` is a list of positive integers that add up to the number of examples: the first micro-batch holds the first `sizes[0]` examples, and so
# on. Nothing is returned.
#
# **You are done when**
# - **gradient**: afterwards the `.grad` of every parameter is the gradient of `F.cross_entropy(net(X), y)`, the mean over the *whole* batch, for equal and unequal sizes; the parameters themselves are as they were;
# - **fresh start**: gradients of before are forgotten;
# - **micro-batches**: `net` is called once for each micro-batch, in order, with the examples that `sizes` says;
# - **one graph at a time**: each micro-batch goes backward before the next one goes forward, and what its graph has saved is given back by then.

# %% exercise="5.3.5a"
def accumulate(net, X, y, sizes):
    """Sets .grad to that of the mean cross-entropy over the batch, micro-batch by micro-batch."""
    ### BEGIN SOLUTION
    net.zero_grad()
    for rows, labels in zip(X.split(sizes), y.split(sizes)):
        (F.cross_entropy(net(rows), labels) * len(rows) / len(X)).backward()
    ### END SOLUTION

# %% [markdown] hints="5.3.5a"
# 1. What share of the whole mean does a micro-batch of 1 example out of 7 have?
# 2. mean over all = Σ (size / n) · mean over the micro-batch. `X.split([3, 3, 1])` cuts. `net.zero_grad()` forgets the gradients of before.
# 3. The mean of 4 and 6 is 5, the mean of the single 11 is 11; the mean of all three is 5 · 2/3 + 11 · 1/3 = 7, not 8.

# %% check="5.3.5a" points=2
import math

@probe
def accumulated(X, y, weights, shift, sizes, before):
    net = nn.Linear(X.shape[1], weights.shape[0])
    net.weight, net.bias = nn.Parameter(weights.clone()), nn.Parameter(shift.clone())
    if before:
        net.weight.grad, net.bias.grad = torch.full_like(weights, before), torch.full_like(shift, before)
    seen, alive, most, saved, kept = [], [0], [0], [0], [0]

    class Box:
        """Holds a saved tensor, and counts as long as the graph keeps it."""
        def __init__(self, t):
            self.t = t
            saved[0] += 1

        def __del__(self):
            saved[0] -= 1

    def next_piece(module, args):
        seen.append(args[0].detach().clone())
        kept[0] = max(kept[0], saved[0])

    net.register_forward_pre_hook(next_piece)

    def opened(module, args, output):
        alive[0] += 1
        most[0] = max(most[0], alive[0])
        if output.requires_grad:
            output.register_hook(lambda grad: alive.__setitem__(0, alive[0] - 1))

    net.register_forward_hook(opened)
    with torch.autograd.graph.saved_tensors_hooks(Box, lambda box: box.t):
        accumulate(net, X.clone(), y.clone(), list(sizes))
    zero = torch.zeros(0)
    return [zero if p.grad is None else p.grad for p in (net.weight, net.bias)], seen, most[0], kept[0], [net.weight.detach(), net.bias.detach()]

def losses_35a(X_, y_, weights, shift, sizes, factors, first_labels=False, before=lambda outputs: outputs, loss=F.cross_entropy):
    leaves = [weights.clone().requires_grad_(), shift.clone().requires_grad_()]
    parts_y = [y_[:size] for size in sizes] if first_labels else y_.split(sizes)
    losses = [loss(before(F.linear(part_X, *leaves)), part_y) for part_X, part_y in zip(X_.split(sizes), parts_y)]
    return torch.autograd.grad(sum(factor * one for factor, one in zip(factors, losses)), leaves)

def factors_35a(grads, X_, y_, weights, shift, sizes, before):
    """The factors with which the micro-batches enter the gradient that was found, if it is made of theirs."""
    def flat(pair):
        return torch.cat([g.flatten() for g in pair])
    pieces = [flat(losses_35a(X_, y_, weights, shift, sizes, [float(j == k) for j in range(len(sizes))])) for k in range(len(sizes))]
    pieces = torch.stack(pieces + [torch.ones_like(pieces[0])] * bool(before), dim=1)
    found = torch.linalg.lstsq(pieces, flat(grads)[:, None], driver="gelsd").solution[:, 0]
    if (pieces @ found - flat(grads)).abs().max() > 1e-6 or torch.linalg.matrix_rank(pieces) < pieces.shape[1]:
        return "The gradient is not a sum of those of the micro-batches, each with a factor: look at the inputs and labels of each loss."
    factors = ", ".join(f"{factor:.4g}" for factor in found[:len(sizes)].tolist())
    return (f"Here the micro-batches enter with the factors {factors}: they should be their shares of the batch, "
            + ", ".join(f"{size}/{len(X_)}" for size in sizes) + "."
            + (" What .grad held before is in it as well." if before and abs(found[-1]) > 1e-6 else ""))

def test_of_535a(n_, d_, q_, sizes, before, seed):
    luck = torch.Generator().manual_seed(seed)
    X_, y_ = torch.randn(n_, d_, generator=luck, dtype=torch.float64), torch.randint(0, q_, (n_,), generator=luck)
    weights, shift = torch.randn(q_, d_, generator=luck, dtype=torch.float64), torch.randn(q_, generator=luck, dtype=torch.float64)
    what = f"{n_} examples in micro-batches of {sizes}" + (f", a .grad of {before} before" if before else "")
    grads, seen, most, kept, after = accumulated(X_, y_, weights, shift, sizes, before)
    assert_equal([len(rows) for rows in seen], sizes, f"the sizes that the network sees, {what}", of="micro-batches",
                 hint="`sizes` says how many examples each call of the network gets.")
    for k, (rows, right) in enumerate(zip(seen, X_.split(sizes))):
        assert_close(rows, right, f"the examples of micro-batch {k}, {what}", of="micro-batches",
                     hint="A micro-batch begins with the example after the last one of the micro-batch before." if k else "It begins with the first example.")
    assert_equal(most, 1, f"the graphs alive at once, {what}", of="one graph at a time", hint="Call backward() for each micro-batch, before the next.")
    assert_equal(kept, 0, f"how many saved tensors the earlier graphs still keep when the next micro-batch goes forward, {what}", of="one graph at a time", hint="backward() gives them back by itself, without retain_graph.")
    for name, now, old in zip(("weight", "bias"), after, (weights, shift)):
        assert_close(now, old, f"the {name} after the call, {what}", of="gradient", hint="This function sets .grad; the optimizer's step comes later.")
    shares = [size / n_ for size in sizes]
    rights = losses_35a(X_, y_, weights, shift, sizes, shares)
    others = {"The means of all micro-batches count alike: weight each by its size.": [1 / len(sizes)] * len(sizes), "The means are added up: weight each by its share of the batch.": [1.] * len(sizes),
              "The sums are added up: divide by the number of examples.": sizes,
              "Only the last micro-batch is left: .grad was cleared in between.": [0.] * (len(sizes) - 1) + shares[-1:],
              "Divide by the number of all examples, not by that of the largest micro-batch.": [size / max(sizes) for size in sizes],
              "The share of the batch enters twice.": [share ** 2 for share in shares],
              "Each micro-batch has its own share of the batch: here all have that of the first.": [shares[0]] * len(sizes),
              "Each micro-batch has its own share of the batch: here all have that of the last.": [shares[-1]] * len(sizes),
              "All of .grad is divided after each micro-batch, so the earlier ones are divided several times.":
                  [size / n_ ** (len(sizes) - k) for k, size in enumerate(sizes)],
              "All of .grad is multiplied by a share after each micro-batch, so the earlier ones are multiplied several times: each has its own share alone.":
                  [math.prod(shares[k:]) for k in range(len(sizes))],
              "The sums are divided by the number of micro-batches: divide by that of examples.": [size / len(sizes) for size in sizes]}
    slips = {sentence: losses_35a(X_, y_, weights, shift, sizes, factors) for sentence, factors in others.items()}
    slips["Each micro-batch has labels of its own: here all have the first ones."] = losses_35a(
        X_, y_, weights, shift, sizes, shares, first_labels=True)
    slips["F.cross_entropy takes the outputs as they are: it does the softmax."] = losses_35a(
        X_, y_, weights, shift, sizes, shares, before=lambda outputs: outputs.softmax(1))
    slips["F.nll_loss takes logarithms of probabilities: F.cross_entropy is the one for the outputs as they are."] = losses_35a(
        X_, y_, weights, shift, sizes, shares, loss=F.nll_loss)
    for at, name in enumerate(("weight", "bias")):
        assert_true(grads[at].numel() > 0, f"the {name} has a .grad after the call, {what}", of="gradient",
                    hint="backward() on a loss that is made with net puts it there; torch.autograd.grad only returns it.")
        assert_shape(grads[at], rights[at].shape, f".grad of the {name}, {what}", of="gradient")
        assert_close(grads[at], rights[at], f".grad of the {name}, {what}", of="fresh start" if before else "gradient",
                     mistakes={sentence: value[at] for sentence, value in slips.items()}
                     | ({"The .grad of before is still in it.": rights[at] + before} if before else {}),
                     hint=lambda: "It is F.cross_entropy(net(X), y) of the whole batch that is differentiated: a micro-batch enters with size / n. "
                     + factors_35a(grads, X_, y_, weights, shift, sizes, before))

test_of_535a(9, 2, 3, [4, 4, 1], 0, 1)
test_of_535a(8, 3, 2, [2, 2, 2, 2], 0, 2)
test_of_535a(6, 4, 3, [1, 5], 3., 3)
### BEGIN HIDDEN TESTS
test_of_535a(9, 4, 5, [1, 6, 2], 0, 4)
test_of_535a(5, 3, 2, [5], -2., 5)
test_of_535a(11, 5, 3, [4, 4, 3], 7., 6)
### END HIDDEN TESTS

# %% [markdown] teaches="network in two parts"
# ### The parameters do not fit
#
# Micro-batches do not help where the parameters themselves are too many. Then the *network* is cut: one part on each device. The values at the cut are carried over, and autograd carries the gradient back: `t.to(device)` is an operation
# like any other, and its backward moves the gradient the other way. `module.to(device)` moves the parameters of a module.
#
# Without a second GPU the device `meta` stands in for it. Its tensors have a shape, a dtype and a device, and no numbers, so one can see *where* everything is, and mistakes in that stop with an error as they would on real devices.

# %% tags=["demo"] teaches="network in two parts"
layer = nn.Linear(4, 3).to("meta")
batch = torch.ones(5, 4)
moved = layer(batch.to("meta"))
print("weight on", layer.weight.device, " batch on", batch.device, " output on", moved.device, tuple(moved.shape))
try:
    layer(batch)
except (RuntimeError, NotImplementedError) as error:
    print("without moving the batch:", str(error).split(",")[0])

# %% [markdown] task="5.3.5b" kind="code" minutes=12 difficulty=3 needs="network in two parts, forward method, registered layers"
# ### A network in two parts
#
# Write a class `TwoParts(nn.Module)` with `__init__(self, first, second, device_1, device_2)`, which takes two modules and two devices, and `forward(self, X)`.
#
# **You are done when**
# - **places**: `first` is on `device_1`, `second` on `device_2`, and so is the result; `X` may come from any device, and a part may be without parameters;
# - **names**: the two parts are attributes `first` and `second`, registered so that `parameters()` lists theirs;
# - **output**: it is `second` applied to what `first` makes of `X`;
# - **gradients**: they flow through the cut, so that both parts get theirs.

# %% exercise="5.3.5b"
class TwoParts(nn.Module):
    """`first` on device_1, then `second` on device_2."""
    ### BEGIN SOLUTION
    def __init__(self, first, second, device_1, device_2):
        super().__init__()
        self.first, self.second = first.to(device_1), second.to(device_2)
        self.device_1, self.device_2 = device_1, device_2

    def forward(self, X):
        return self.second(self.first(X.to(self.device_1)).to(self.device_2))
    ### END SOLUTION

# %% [markdown] hints="5.3.5b"
# 1. What has to be moved, at which two places of `forward`?
# 2. `tensor.to(device)` is an operation of the graph: its backward moves the gradient the other way. `detach()` or `.data` would cut it.
# 3. With a single layer: `return layer(X.to(device))`.

# %% check="5.3.5b" points=2
@probe
def places(device_1, device_2, given, sizes):
    class Batch(torch.Tensor):
        """A batch that can leave the device meta: zeros stand in for its numbers."""
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            if func in (torch.Tensor.to, torch.Tensor.cpu) and args[0].is_meta:
                goals = ["cpu"] if func is torch.Tensor.cpu else [t.device if isinstance(t, torch.Tensor) else t for t in (*args[1:], *(kwargs or {}).values()) if isinstance(t, (str, torch.device, torch.Tensor))]
                if goals and torch.device(goals[0]).type == "cpu":
                    return torch.zeros(tuple(args[0].shape)).as_subclass(cls)
            return super().__torch_function__(func, types, args, kwargs or {})

    a, b, c = sizes
    given_1, given_2 = (nn.Linear(a, b) if b else nn.Tanh()), (nn.Linear(b or a, c) if c else nn.Tanh())
    parts = TwoParts(given_1, given_2, device_1, device_2)
    if not (hasattr(parts, "first") and hasattr(parts, "second")):
        return ["not both there"]
    order = "exchanged" if parts.first is given_2 or parts.second is given_1 else "as given"
    here = [order] + [str(t.device) for part, device in ((parts.first, device_1), (parts.second, device_2))
                      for t in [next(part.parameters(), torch.empty(0, device=device))]]
    try:
        out = parts(torch.randn(5, a, device=given).as_subclass(Batch))
    except (RuntimeError, NotImplementedError) as error:
        shapes = ("shapes cannot be multiplied", "size mismatch", "same reduction dim")      # as torch says it on cpu and on meta
        return [*here, "a tensor meets a layer of another width" if any(words in str(error) for words in shapes)
                else "numbers are asked of a tensor on meta" if "out of meta tensor" in str(error) else "tensors on two devices meet"]
    except StopIteration:
        return [*here, "a part has no parameter to ask"]
    if not isinstance(out, torch.Tensor):
        return [*here, f"forward returned {type(out).__name__}", []]
    return [*here, str(out.device), list(out.shape)]

@probe
def split_gradients(X, W1, b1, W2, above):
    first, second = nn.Linear(X.shape[1], len(W1)), nn.Linear(len(b1), len(W2), bias=False)
    first.weight, first.bias, second.weight = nn.Parameter(W1.clone()), nn.Parameter(b1.clone()), nn.Parameter(W2.clone())
    parts = TwoParts(nn.Sequential(first, nn.Tanh()), second, "cpu", "cpu")
    out = parts(X.clone())
    if out.requires_grad:
        out.backward(above)
    zero = torch.zeros(0)
    return [out.detach()] + [zero if p.grad is None else p.grad for p in (first.weight, first.bias, second.weight)] + [len(list(parts.parameters())), int(out.requires_grad)]

def test_of_places(device_1, device_2, given, sizes):
    call = f'TwoParts({f"nn.Linear{sizes[:2]}" if sizes[1] else "nn.Tanh()"}, {f"nn.Linear{(sizes[1] or sizes[0], sizes[2])}" if sizes[2] else "nn.Tanh()"}, "{device_1}", "{device_2}")'
    order, *reply = places(device_1, device_2, given, sizes)
    assert_equal(order, "as given", f"the order of first and second in {call}", of="names",
                 hint="The two parts are to be attributes of the module with the names first and second." if order == "not both there"
                 else "The attribute first is the module that is given first, and second the other one.")
    assert_equal(reply[:2], [device_1, device_2], f"the devices of first and second of {call}", of="places", mistakes={
        "Both parts are on device_1: the second belongs on device_2.": [device_1, device_1],
        "Both parts are on device_2: the first belongs on device_1.": [device_2, device_2],
        "The two parts are on each other's device.": [device_2, device_1]})
    assert_true(reply[2] != "a tensor meets a layer of another width", f"the sizes fit where {call} is called with 5 examples", of="output",
                hint="The first part takes X, and the second what the first makes of it.")
    meet = ("The batch has to be moved to the first device." if device_1 == device_2 else
            "The batch is where the first part is: what that makes of it has to be moved to the second device." if given == device_1 else
            "The batch has to be moved to the first device, and the values at the cut to the second; the result stays there.") + " (`t.to(device)` returns the moved tensor, and leaves t where it is.)"
    assert_equal(reply[2], device_2, f"the device of the output of {call} for a batch on {given}", of="places", mistakes={
        meet: "tensors on two devices meet", "The result stays on the second device.": device_1,
        "A tensor on meta has no numbers to copy into a new tensor: .to(device) is what moves it.": "numbers are asked of a tensor on meta",
        "forward has to return the output.": "forward returned NoneType",
        "A part may be without parameters: keep the devices that __init__ is given.": "a part has no parameter to ask"})
    assert_equal(reply[3], [5, sizes[2] or sizes[1]], f"the shape of the output of {call} for 5 examples", of="output",
                 hint="The result is second, applied to what first makes of X.")

def test_of_split(n_, d_, h_, q_, seed):
    luck = torch.Generator().manual_seed(seed)
    tensors = [torch.randn(size, generator=luck) for size in ((n_, d_), (h_, d_), (h_,), (q_, h_), (n_, q_))]
    leaves = [t.clone().requires_grad_() for t in tensors[1:4]]
    joined = F.linear(torch.tanh(F.linear(tensors[0], leaves[0], leaves[1])), leaves[2])
    found = split_gradients(*tensors)
    what = f"a network in two parts, sizes {d_}, {h_}, {q_}, both on the cpu"
    assert_equal(found[4], 3, f"the number of parameters that the module lists, {what}", of="names", hint="Keep the parts as attributes, so that the module registers them.")
    assert_shape(found[0], joined.shape, f"the output, {what}", of="output")
    inner = torch.tanh(F.linear(tensors[0], *tensors[1:3]))
    assert_close(found[0], joined.detach(), f"the output, {what}", of="output", rtol=1e-4, atol=1e-5, mistakes={
        "An activation stands between the parts: the second gets what the first makes, as it is.": F.linear(torch.relu(inner), tensors[3]), "An activation stands after the second part: its output is the result.": F.linear(inner, tensors[3]).relu(),
        "A sigmoid stands between the parts: the second gets what the first makes, as it is.": F.linear(torch.sigmoid(inner), tensors[3]),
        "A tanh stands between the parts: the second gets what the first makes, as it is.": F.linear(torch.tanh(inner), tensors[3])},
        hint="All devices are the cpu here, so nothing has to be moved: the output is second(first(X)), and nothing else happens on the way.")
    grads = torch.autograd.grad(joined, leaves, tensors[4])
    for name, got, right in zip(("the first weight", "the first bias", "the second weight"), found[1:4], grads):
        assert_true(got.numel() > 0, f"{name} has a gradient, {what}", of="gradients",
                    hint="The graph is cut between the parts: is there a detach, .data, no_grad or requires_grad_(False)?"
                    if found[3].numel()
                    else "The output has no graph at all: is there a detach, .data, no_grad or requires_grad_(False)?" if not found[5]
                    else "No parameter of the modules that were given has one: use these modules themselves, not copies.")
        assert_close(got, right, f"the gradient of {name}, {what}", of="gradients", rtol=1e-3, atol=1e-5,
                     hint="The output is right: something on the way changes the gradient, and moving a tensor does not.")

test_of_places("cpu", "meta", "cpu", (4, 3, 2))
test_of_places("meta", "meta", "cpu", (6, 2, 5))
test_of_places("meta", "cpu", "cpu", (3, 5, 4))
test_of_places("cpu", "meta", "meta", (4, 2, 3))
test_of_places("cpu", "meta", "cpu", (4, 3, 0))
test_of_places("cpu", "meta", "cpu", (4, 0, 3))
test_of_split(6, 4, 3, 2, 1)
### BEGIN HIDDEN TESTS
test_of_places("cpu", "cpu", "cpu", (3, 7, 4))
test_of_places("cpu", "meta", "cpu", (2, 5, 3))
test_of_places("meta", "meta", "meta", (5, 4, 1))
test_of_places("meta", "cpu", "meta", (2, 3, 6))
test_of_places("cpu", "cpu", "meta", (6, 3, 2))
test_of_places("meta", "cpu", "meta", (2, 7, 0))
test_of_places("meta", "meta", "cpu", (5, 0, 2))
test_of_split(8, 2, 5, 4, 2)
### END HIDDEN TESTS

# %% [markdown] task="5.3.5c" kind="explain" minutes=12 difficulty=3 needs="micro-batch, gradient accumulation, network in two parts, saved tensors"
# ### Cut the batch or the network?
#
# First write `peak_saved(n, k, per_example)`: the most bytes of saved values that are kept at once, where a batch of `n` examples, each with `per_example`
# bytes of them, is worked off in `k` micro-batches, one after the other (1 ≤ `k` ≤ `n`). The sizes of the micro-batches are as equal as possible: no two differ by more than 1. Then explain in words when you would cut the batch, when the network, and what each costs and
# leaves unchanged.
#
# **You are done when** the text has all three points, and
# - **equal pieces**: the bytes are right where `k` divides `n`, also for k = 1 and k = n;
# - **a remainder**: they are right where `k` does not divide `n`.

# %% exercise="5.3.5c"
def peak_saved(n, k, per_example):
    """Bytes kept for the largest of k micro-batches of a batch of n."""
    ### BEGIN SOLUTION
    return -(-n // k) * per_example
    ### END SOLUTION

# %% [markdown] hints="5.3.5c"
# 1. Which memory of 5.3.3a depends on the number of examples, and which does not?
# 2. The largest of k nearly equal pieces of n has as many examples as n / k rounded up.
# 3. 7 eggs in 2 boxes as equal as possible: 4 and 3, so a box must hold 4.

# %% check="5.3.5c" points=1
def which_pieces():
    """What the smallest batches say: all of it with one byte for an example, then with more."""
    for n_, k_, size_, why in ((6, 1, 1, "one piece holds all 6 examples"), (6, 6, 1, "each of 6 pieces holds one example"), (6, 2, 1, "each of 2 pieces holds 3 examples"),
                               (6, 3, 1, "each of 3 pieces holds 2 examples"), (7, 2, 1, "of 2 pieces one holds 4 examples and one 3"), (8, 3, 1, "of 3 pieces two hold 3 examples and one 2"),
                               (6, 2, 10, "each of 2 pieces holds 3 examples of 10 bytes")):
        found, right = peak_saved(n_, k_, size_), -(-n_ // k_) * size_
        if abs(found - right) > 1e-9:
            return f"In peak_saved({n_}, {k_}, {size_}) {why}, which makes {right}; yours is {found:g}."
    return ""

def test_of_535c(n_, k_, size_, of):
    largest = max(len(piece) for piece in torch.arange(n_).tensor_split(k_))
    call = f"peak_saved({n_}, {k_}, {size_})"
    assert_equal(peak_saved(n_, k_, size_), largest * size_, call, of=of, mistakes={
        "The largest micro-batch decides: round up.": n_ // k_ * size_,
        **({"A micro-batch has whole examples: n / k is rounded up.": n_ / k_ * size_} if n_ / k_ * size_ != n_ * size_ / k_ else {}), "Micro-batches have whole examples.": n_ * size_ / k_, "The remainder is spread over the micro-batches, one example each.": (n_ // k_ + n_ % k_) * size_,
        "Where k divides n, no micro-batch has one more.": (n_ // k_ + 1) * size_,
        "Only one micro-batch is saved at once.": n_ * size_,
        "Asked for is what is kept at once, not what is spared by cutting.": (n_ - largest) * size_,
        **({"Round up the examples, not their bytes.": -(-n_ * size_ // k_)} if n_ * size_ % k_ else {}),
        **({"k is the number of micro-batches, not their size.": k_ * size_} if n_ % k_ == 0 else {}),
        "These are examples: each has `per_example` bytes.": largest,
        "More micro-batches mean fewer bytes: each has a k-th of the examples.": n_ * k_ * size_ if k_ > 1 else -1},
        hint=lambda: f"One micro-batch is saved at a time. The largest has n / k examples, rounded up, and each of them takes `per_example` bytes. {which_pieces()}".strip())

for n_5c, k_5c, size_5c in ((15, 3, 100), (9, 1, 11), (7, 7, 3)):
    test_of_535c(n_5c, k_5c, size_5c, "equal pieces")
for n_5c, k_5c, size_5c in ((11, 3, 100), (14, 4, 10), (13, 4, 10), (65, 6, 648)):
    test_of_535c(n_5c, k_5c, size_5c, "a remainder")
### BEGIN HIDDEN TESTS
for n_5c, k_5c, size_5c in ((64, 4, 648), (5, 5, 7), (33, 1, 2)):
    test_of_535c(n_5c, k_5c, size_5c, "equal pieces")
for n_5c, k_5c, size_5c in ((65, 4, 648), (100, 33, 8), (23, 6, 5)):
    test_of_535c(n_5c, k_5c, size_5c, "a remainder")
### END HIDDEN TESTS

# %% [markdown] written="5.3.5c" points=3
# ### BEGIN SOLUTION
# Micro-batches reduce what grows with the number of examples, the saved values: with k of them about 1/k. Parameters, gradients and optimizer state stay as large as
# they are. So they help where the activations are too many; the gradient is the same if each is weighted by its size (layers that look at the whole batch, such as
# batch normalisation, excepted), and the price is time, since small batches use the hardware less well and run one after the other.
# If a single example or the parameters do not fit, the network has to be cut: each device keeps its own part with gradients and optimizer state. Values at the cut
# travel forward, gradients back, and without a pipeline of micro-batches one device waits for the other. The gradient is again the same.
#
# **Rubric**
# - [1] Micro-batches reduce saved values only, not parameters, gradients or optimizer state; also accepted: numbers of 5.3.3; lost by "all memory shrinks by k".
# - [1] The network is cut where the parameters do not fit; price: transfers and waiting; also accepted: pipelining; lost by "two devices make it twice as fast".
# - [1] Both leave the gradient unchanged, micro-batches if weighted by size; also accepted: the exception of batch normalisation; lost by "the results are only approximate".
# ### END SOLUTION

# %% [markdown]
# ## Summary
#
# - Forward, a network is a row of steps that ends in one number, the objective: loss plus penalty. Backward, the chain rule goes through the same steps from the end; a gradient has the shape of its tensor.
# - Through a product the gradient goes by two further products, through a ReLU by its mask; what was shared or broadcast collects its contributions in a sum, and a weight that is also penalised gets $\lambda W$ on top.
# - A gradient is tested against autograd with random cotangents and axes of different lengths. A penalty made with `.item()` is shown and does nothing.
# - Training keeps the values that the way back reads, each block of memory once; they grow with the batch, parameters and gradients do not. One more differentiation gives a Hessian-vector product for two or three gradients, whatever $N$.
# - What does not fit is cut: the batch, with weights $n_k / n$, or the network, at the price of transfers. Section 5.4 asks how large the numbers on these two ways become in a deep network; B.1 to B.4 put the way back to use, layer by layer.
