# %% [markdown]
# # 3.5 Concise implementation of linear regression
#
# In section 3.4 you wrote a model, a loss, an optimizer and a loop. Every training program needs these four, so torch
# has them ready: tested, fast, and with the same names wherever you meet them. A layer is one line, a loss is one line,
# an optimizer is one line.
#
# The price is that each part has *conventions*. The weights lie the other way round; the loss is a mean and has no
# factor 1/2; two losses go by nearly the same name and differ by a factor; gradients add up. Nothing of that raises an
# error. It shows as a learning rate that "does not work any more". At the end of this section you can build linear
# regression from torch's parts, say what each part computes, look inside while it trains, and measure how good a fit
# can be with a given number of examples.

# %% tags=["setup"]
from d2l_utils.check import *
import math
import warnings
import numpy as np
import pandas as pd
import torch
from torch import nn
import d2l_utils as d2l

# %% [markdown] teaches="linear layer, weight of shape (outputs, inputs)"
# ## The layer
#
# `nn.Linear(2, 1)` is a layer with two inputs and one output. It makes its own parameters, `weight` and `bias`, and
# calling it with a matrix of examples (n, 2) gives the predictions (n, 1).

# %%
torch.manual_seed(0)
layer = nn.Linear(2, 1)
X_few = torch.tensor([[1.0, 2.0], [0.0, -1.0], [3.0, 0.5]])
print("weight", tuple(layer.weight.shape), " bias", tuple(layer.bias.shape), " predictions", tuple(layer(X_few).shape))
by_matrix = X_few @ layer.weight.T + layer.bias
print("X @ weight.T + bias gives the same:", torch.allclose(layer(X_few), by_matrix))

# %% [markdown]
# ⚠ The weight has shape (outputs, inputs), here (1, 2): one *row* for each output. In section 3.4 it was a column, (2, 1).
# The layer computes $X W^\top + b$. Who copies a weight from one program into the other must transpose it. With as many
# outputs as inputs nothing complains if you forget.

# %% [markdown] teaches="parameters of a module, initialisation in place, no_grad"
# Where do the first numbers in `weight` come from? The layer draws them evenly between $-1/\sqrt d$ and $1/\sqrt d$ for
# d inputs, and the bias, too. For a start of one's own there is `nn.init`. Its functions end in an underscore, since
# they write *in place*, into the parameter that is there, and they do it without recording the step for autograd.
# Writing into a parameter by hand does need `torch.no_grad()`.

# %%
wide = nn.Linear(4, 1000)
print("4 inputs, weights between", round(wide.weight.min().item(), 3), "and", round(wide.weight.max().item(), 3))

nn.init.normal_(layer.weight, mean=0, std=0.01)         # as in section 3.4
nn.init.zeros_(layer.bias)
with torch.no_grad():
    layer.weight.copy_(torch.tensor([[0.5, -0.25]]))    # numbers of our own
    layer.bias.fill_(0.1)
for name, parameter in layer.named_parameters():
    print(f"{name:7} {[round(v, 3) for v in parameter.flatten().tolist()]}  requires a gradient: {parameter.requires_grad}")

# %% [markdown]
# `layer.parameters()` hands out all that is to be trained. An optimizer asks for just that.

# %% [markdown] task="3.5.A" kind="code" minutes=5 difficulty=2 core=true needs="linear layer, weight of shape (outputs, inputs), initialisation in place, no_grad"
# ### From a column to a layer
#
# Write `as_linear(w, b)`: an `nn.Linear` layer that computes `X @ w + b`. The weights `w` have shape `(d, k)`, the bias
# `b` shape `(k,)`; both are float32.
#
# **You are done when**
# - **layer**: the result is an `nn.Linear`, or of a class derived from it, with d inputs and k outputs;
# - **values**: for any X of shape `(n, d)` it gives `X @ w + b`;
# - **trainable**: weight and bias require gradients;
# - **own memory**: if `w` or `b` is changed afterwards, the layer stays as it is.

# %% exercise="3.5.A"
def as_linear(w, b):
    """An nn.Linear layer that computes X @ w + b, for w (d, k) and b (k,)."""
    ### BEGIN SOLUTION
    layer = nn.Linear(w.shape[0], w.shape[1])
    with torch.no_grad():
        layer.weight.copy_(w.T)
        layer.bias.copy_(b)
    return layer
    ### END SOLUTION

# %% [markdown] hints="3.5.A"
# 1. Which shape does `layer.weight` have for d inputs and k outputs, and which has `w`?
# 2. `parameter.copy_(values)` writes into the parameter; it needs `torch.no_grad()` around it.
# 3. To set a bias alone to 3: `with torch.no_grad(): layer.bias.fill_(3.0)`.

# %% check="3.5.A" points=2
@probe
def what_layer(w, b):
    try:
        made = as_linear(w, b)
    except TypeError as error:
        return f"TypeError: {error}"
    if made is None:
        return made
    lineage = [f"{c.__module__}.{c.__qualname__}" for c in type(made).__mro__]
    return [type(made).__name__, lineage, getattr(made, "in_features", 0), getattr(made, "out_features", 0)]

@probe
def flags(w, b):
    made = as_linear(w, b)
    return [int(made.weight.requires_grad), int(made.bias.requires_grad), len([*made.parameters()])]

@probe
def outputs(w, b, X):
    return as_linear(w, b)(X)

@probe
def outputs_after_change(w, b, X):
    made = as_linear(w, b)
    w.zero_()
    b.zero_()
    return made(X)

w, b = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([10.0, 20.0])
X = torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]])
kind = what_layer(torch.ones(3, 2), torch.ones(2))
assert_type(kind, list, "what as_linear returns for w of shape (3, 2): a layer with 3 inputs and 2 outputs", of="layer",
            hint=lambda: f"The call as_linear(w, b) raises {kind}. " + "What is put in a parameter's place must be an nn.Parameter, no plain tensor; "
            "or keep the parameter that is there, and write the numbers into it by copy_." * ("as parameter" in kind))
torch_linear = f"{nn.Linear.__module__}.{nn.Linear.__qualname__}"
assert_true(torch_linear in kind[1], f"the result is an nn.Linear, or of a class derived from it (yours: {kind[0]})", of="layer",
            hint="Return the layer itself, not a container or a function that holds it.")
assert_equal(kind[2:], [3, 2], "inputs and outputs of the layer for w of shape (3, 2)", of="layer",
             hint="d inputs and k outputs for w of shape (d, k): nn.Linear takes the inputs first.")
assert_close(outputs(w, b, torch.zeros(1, 2)), torch.tensor([[10.0, 20.0]]), "the outputs for X = [[0, 0]] and b = [10, 20]: the bias alone",
             of="values",
             hint="nn.Linear draws a bias of its own: write b into it, in place of those numbers (copy_); b is not added to them.",
             mistakes={"The bias is missing.": torch.zeros(1, 2), "Each output has its own entry of b.": torch.tensor([[10.0, 10.0]]),
                       "Each output has its own entry of b: this is their mean for both.": torch.tensor([[15.0, 15.0]]),
                       "Each output has its own entry of b: this is their sum for both.": torch.tensor([[30.0, 30.0]]),
                       "Each output has its own entry of b: here they are exchanged.": torch.tensor([[20.0, 10.0]])})
assert_close(outputs(w, b, X), torch.tensor([[11.0, 22.0], [13.0, 24.0], [18.0, 32.0]]),
             "the outputs for w = [[1, 2], [3, 4]], b = [10, 20] and X = [[1, 0], [0, 1], [2, 2]]", of="values",
             hint="nn.Linear draws weights of its own: write all of w into layer.weight, entry (i, j) of w to (j, i).",
             mistakes={"The weights lie the other way round in a layer: transpose them. "
                       "(A reshape is no transpose: it keeps the order of the numbers.)": X @ w.T + b,
                       "All weights are zero: write w into the layer.": torch.zeros(3, 2) + b})
assert_equal(flags(w, b), [1, 1, 2], "whether weight and bias require a gradient (1 yes, 0 no), and the number of parameters", of="trainable",
             hint="A parameter that was frozen stays so until `requires_grad_()` sets it free." if flags(w, b)[2] == 2 else
             "What is put in a parameter's place is an nn.Parameter, no plain tensor.")
assert_close(outputs_after_change(w.clone(), b.clone(), X), X @ w + b, "the outputs after w and b were set to zero", of="own memory",
             hint="Copy the numbers into the layer's own parameters.",
             mistakes={"The layer's bias is still b itself, and became zero with it: copy its numbers.": X @ w,
                       "The layer's weight is still w itself, seen in another shape, and became zero with it: copy its numbers.": torch.zeros(3, 2) + b,
                       "The layer's parameters are still w and b themselves, and became zero with them: copy the numbers.": torch.zeros(3, 2)})
one_column = X @ w[:, :1] + b[:1]
assert_close(outputs_after_change(w[:, :1].clone(), b[:1].clone(), X), one_column, "the outputs for w of shape (2, 1), after w and b were set to zero", of="own memory",
             hint=".T, .reshape and .contiguous() copy nothing where the numbers can stay in their places: use copy_ or clone().",
             mistakes={"The weight of this layer is still w itself: .T, .reshape and .contiguous() copy nothing where the numbers can stay in their places. "
                       "Use copy_ or clone().": torch.zeros(3, 1) + b[:1]})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(351)
for d, k in ((4, 1), (1, 3), (3, 5)):
    w, b, X = (torch.randn(*shape, generator=rng) for shape in ((d, k), (k,), (6, d)))
    kind = what_layer(w, b)
    assert_true(torch_linear in kind[1], f"the result for w of shape ({d}, {k}) is an nn.Linear", of="layer")
    assert_equal(kind[2:], [d, k], f"inputs and outputs of the layer for w of shape ({d}, {k})", of="layer")
    assert_close(outputs(w, b, X), X @ w + b, f"the outputs for w of shape ({d}, {k})", of="values")
    assert_equal(flags(w, b), [1, 1, 2], f"the parameters for w of shape ({d}, {k})", of="trainable")
    assert_close(outputs_after_change(w.clone(), b.clone(), X), X @ w + b, f"outputs after w and b changed, w of shape ({d}, {k})", of="own memory")
### END HIDDEN TESTS

# %% [markdown] teaches="mean squared error, reduction of a loss"
# ## The loss, and three ways to make one number of it
#
# `nn.MSELoss()` is the *mean squared error*. It squares the differences and then makes one number of many. That last
# step is called the **reduction**, and there are three: `"none"` leaves the squares as they are, `"sum"` adds them up,
# `"mean"` divides the sum by the number of entries. The mean is what you get if you say nothing.

# %%
y_hat_few, y_few = torch.tensor([[3.0], [0.0], [5.0]]), torch.tensor([[1.0], [1.0], [2.0]])        # residuals 2, -1, 3
for reduction in ("none", "sum", "mean"):
    print(f"{reduction:5}", [round(v, 4) for v in nn.MSELoss(reduction=reduction)(y_hat_few, y_few).flatten().tolist()])
print("no argument:", round(nn.MSELoss()(y_hat_few, y_few).item(), 4), "  with the 1/2 of section 3.4:", round(((y_hat_few - y_few) ** 2 / 2).mean().item(), 4))

# %% [markdown]
# ⚠ Two facts for later. `nn.MSELoss` *is* already a mean. And it has no factor 1/2, so it is twice the loss of section
# 3.4, and its gradients are twice as long.
#
# With several outputs for each example, "mean" divides by the number of *entries*, examples times outputs:

# %% teaches="mean over examples and outputs"
two_outputs = torch.tensor([[1.0, 1.0], [2.0, 2.0], [2.0, 0.0]])
print("sum of the squares:", nn.MSELoss(reduction="sum")(two_outputs, torch.zeros(3, 2)).item())
print("mean, divided by 6:", round(nn.MSELoss()(two_outputs, torch.zeros(3, 2)).item(), 4))

# %% [markdown]
# ⚠ And if the shapes differ, (3, 1) and (3,), the difference broadcasts to (3, 3). The numbers below are *equal* as
# lists, so the loss should be 0. torch computes something else, and only warns:

# %% teaches="shapes in the loss"
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print("loss of equal numbers:", round(nn.MSELoss()(y_few, y_few.flatten()).item(), 4))
print("the warning begins:", str(caught[0].message)[:75])

# %% [markdown] task="3.5.B" kind="code" minutes=5 difficulty=1 core=true needs="reduction of a loss, mean over examples and outputs, shapes in the loss"
# ### A squared loss that knows its reduction
#
# Write `squared_loss(y_hat, y, reduction)` for predictions and targets of equal shape, with any number of axes, and with
# `reduction` one of `"none"`, `"sum"`, `"mean"`, as `nn.MSELoss` has them. Unlike `nn.MSELoss` it refuses unequal shapes.
#
# **You are done when**
# - **none**: it gives the squares, in the shape of the predictions;
# - **sum**: it gives their sum;
# - **mean**: it gives the sum divided by the number of entries, for several outputs too;
# - **shapes**: for unequal shapes it raises `ValueError`, whatever the reduction.

# %% exercise="3.5.B"
def squared_loss(y_hat, y, reduction):
    """Squared error with reduction "none", "sum" or "mean". Errors: ValueError for unequal shapes."""
    ### BEGIN SOLUTION
    if y_hat.shape != y.shape:
        raise ValueError(f"predictions of shape {tuple(y_hat.shape)}, targets of shape {tuple(y.shape)}")
    squares = (y_hat - y) ** 2
    if reduction == "none":
        return squares
    return squares.sum() if reduction == "sum" else squares.mean()
    ### END SOLUTION

# %% [markdown] hints="3.5.B"
# 1. Which of the three comes first in the computation of the other two?
# 2. `t.mean()` is the mean over all entries of a tensor. `raise ValueError("a message")` ends a function with an error.
# 3. Absolute errors 1, 2, 0 of three examples: none 1, 2, 0; sum 3; mean 1.

# %% check="3.5.B" points=1
p, t = torch.tensor([[3.0], [0.0], [5.0]]), torch.tensor([[1.0], [1.0], [2.0]])
halves = {"The factor 1/2 is not part of this loss.": torch.tensor([[2.0], [0.5], [4.5]]), "These are the absolute values: square the differences.": (p - t).abs()}
assert_type(squared_loss(p, t, "none"), torch.Tensor, "what squared_loss returns with reduction none", of="none")
assert_close(squared_loss(p, t, "none"), torch.tensor([[4.0], [1.0], [9.0]]), "residuals 2, -1, 3 with reduction none", of="none", mistakes=halves,
             hint="With none nothing is added up: the squares, in the shape of the predictions.")
def alone(reduction):
    """What the answer gives for each of the three residuals, in words."""
    found = [float(squared_loss(p[i:i + 1], t[i:i + 1], reduction)) for i in range(3)]
    if max(abs(one - other) for one, other in zip(found, (4, 1, 9))) < 1e-4:
        return "Each of the three alone gives the right number, 4, 1 and 9: look at how they are put together."
    return f"Alone they give {', '.join(f'{number:.4g}' for number in found)}, and not 4, 1, 9."

assert_close(squared_loss(p, t, "sum"), torch.tensor(14.0), "residuals 2, -1, 3 with reduction sum", of="sum",
             hint=lambda: "One number: the squares of all entries, added up. Here 2² + 1² + 3² = 14. " + alone("sum"),
             mistakes={"This is the mean.": torch.tensor(14 / 3), "Square each difference first, then add up.": torch.tensor(16.0),
                       "The factor 1/2 is not part of this loss.": torch.tensor(7.0), "These are absolute values: square the differences.": torch.tensor(6.0),
                       "No root: this loss is the sum of the squares itself.": torch.tensor(14.0).sqrt()})
assert_close(squared_loss(p, t, "mean"), torch.tensor(14 / 3), "residuals 2, -1, 3 with reduction mean", of="mean",
             hint=lambda: "One number: the sum over all entries, divided by how many they are. Here 14 / 3. " + alone("mean"),
             mistakes={"This is the sum.": torch.tensor(14.0), "No root: this loss is the mean of the squares itself.": torch.tensor(14 / 3).sqrt(),
                       "Square each difference first, then take the mean.": torch.tensor(16 / 9),
                       "The factor 1/2 is not part of this loss.": torch.tensor(7 / 3)})
pairs, zeros = torch.tensor([[1.0, 1.0], [2.0, 2.0], [2.0, 0.0]]), torch.zeros(3, 2)
assert_close(squared_loss(pairs, zeros, "none"), pairs ** 2, "3 examples of 2 outputs with reduction none", of="none",
             hint="With none nothing is added up: a square for each of the 6 entries, in the shape of the predictions.",
             mistakes={"These are sums over the outputs: with none nothing is added up.": torch.tensor([2.0, 8.0, 4.0]),
                       "This is a column of sums over the outputs: with none nothing is added up.": torch.tensor([[2.0], [8.0], [4.0]]),
                       "These are means over the outputs: with none nothing is added up.": torch.tensor([1.0, 4.0, 2.0]),
                       "This is a column of means over the outputs: with none nothing is added up.": torch.tensor([[1.0], [4.0], [2.0]])})
assert_close(squared_loss(pairs, zeros, "mean"), torch.tensor(14 / 6), "3 examples of 2 outputs with reduction mean", of="mean",
             hint="One number for examples and outputs together.",
             mistakes={"Divide by the number of entries, 6, not by the number of examples.": torch.tensor(14 / 3)})
triples = torch.tensor([[1.0, 2.0, 3.0], [1.0, 0.0, -3.0]])
assert_close(squared_loss(triples, torch.zeros(2, 3), "sum"), torch.tensor(24.0), "2 examples of 3 outputs with reduction sum", of="sum",
             hint="One number: the squares of all 6 entries, added up, of examples and outputs together.",
             mistakes={"This is the mean times the number of examples, 2: the sum is the mean times the number of entries, 6.": torch.tensor(8.0)})
assert_raises(ValueError, squared_loss, p, t.flatten(), "mean", what="predictions (3, 1) against targets (3,)", of="shapes",
              hint="Compare y_hat.shape with y.shape, and `raise ValueError(...)`. Equal lengths or equal numbers of entries are not enough.")
for reduction in ("none", "sum"):
    assert_raises(ValueError, squared_loss, p, t.flatten(), reduction,
                  what=f"predictions (3, 1) against targets (3,), reduction {reduction}", of="shapes",
                  hint="With reduction mean yours raises it. Compare the shapes for every reduction, before anything is returned.")
assert_raises(ValueError, squared_loss, pairs, zeros[:1], "none", what="predictions (3, 2) against targets (1, 2), reduction none", of="shapes",
              hint="Compare the shapes themselves, y_hat.shape with y.shape. "
                   "The shape of the difference does not show it: here it is that of y_hat.")
for reduction, wanted in (("none", [4.0, 1.0, 9.0, 0.0]), ("sum", 14.0), ("mean", 3.5)):
    assert_close(squared_loss(torch.tensor([3.0, 0.0, 5.0, 1.0]), torch.tensor([1.0, 1.0, 2.0, 1.0]), reduction), torch.tensor(wanted),
                 f"predictions and targets with one axis, of shape (4,), residuals 2, -1, 3, 0, with reduction {reduction}", of=reduction,
                 hint="With none nothing is added up, however many axes there are." if reduction == "none" else
                 "A tensor has any number of axes: .sum() and .mean() go over all entries, and .numel() counts them.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(352)
for shape in ((5, 1), (4,), (2, 3), (1, 7)):
    p, t = torch.randn(*shape, generator=rng), torch.randn(*shape, generator=rng)
    for reduction in ("none", "sum", "mean"):
        assert_close(squared_loss(p, t, reduction), nn.MSELoss(reduction=reduction)(p, t), f"shape {shape} with reduction {reduction}", of=reduction,
                     hint=lambda reduction=reduction: where_they_part(lambda p, t: squared_loss(p, t, reduction), nn.MSELoss(reduction=reduction), y_hat=p, y=t))
for left, right in (((4, 1), (4,)), ((6,), (1,)), ((2, 3), (3,)), ((4, 1), (1, 4))):
    for reduction in ("none", "sum"):
        assert_raises(ValueError, squared_loss, torch.ones(left), torch.ones(right), reduction,
                      what=f"predictions {left} against targets {right}, reduction {reduction}", of="shapes")
### END HIDDEN TESTS

# %% [markdown] teaches="optimizer, training loop with torch's parts, zero_grad"
# ## The optimizer and the loop
#
# `torch.optim.SGD(layer.parameters(), lr=0.03)` holds the parameters and the learning rate. Its method `step()` moves
# each parameter against its gradient, $p \leftarrow p - \eta \cdot \partial L / \partial p$, and `zero_grad()` removes
# the old gradients, to which `backward()` would add. The data are those of section 3.3: known weights 2 and -3.4, known
# bias 4.2, and a little noise.

# %%
torch.manual_seed(0)
true_w, true_b = torch.tensor([2.0, -3.4]), 4.2
data = d2l.SyntheticRegressionData(w=true_w, b=true_b, noise=0.1, num_train=512, num_val=256)

net = nn.Linear(2, 1)
loss_function = nn.MSELoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.03)
for epoch in range(5):
    for X_batch, y_batch in data.train_dataloader():        # 16 batches of 32
        loss = loss_function(net(X_batch), y_batch)          # forward, and one number
        optimizer.zero_grad()                                # forget the gradients of the last step
        loss.backward()                                      # new gradients, into weight.grad and bias.grad
        optimizer.step()                                     # move
    with torch.no_grad():
        print(f"epoch {epoch + 1}: validation loss {loss_function(net(data.X[512:]), data.y[512:]):.4f}")
print("learnt weight", [round(v, 3) for v in net.weight.flatten().tolist()], " bias", round(net.bias.item(), 3))

# %% [markdown]
# These are the four lines of every training in this book; what changes is what stands in them. The noise has standard
# deviation 0.1, so the mean of the squares cannot be expected below 0.01, its variance. We are there, although the bias is
# still off by 0.04: near the bottom the loss is flat, and such an error adds only about its square, less than 0.002.
#
# Is it really the same as section 3.4? Let us run both side by side: the hand-written step with the loss *half* square,
# and torch's parts, from the same start, on the same batches.

# %% teaches="factor two between losses"
def by_hand(lr, batches):
    w, b = torch.zeros(2, 1), torch.zeros(1)
    for X, y in batches:
        error = X @ w + b - y
        w, b = w - lr * X.T @ error / len(X), b - lr * error.mean()     # the gradient of the mean of error² / 2
    return w.flatten()

def with_torch(lr, batches):
    net = nn.Linear(2, 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for X, y in batches:
        loss = nn.MSELoss()(net(X), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.weight.detach().flatten()

batches = list(data.train_dataloader())[:10]
print("by hand, half square, lr 0.06:", [round(v, 4) for v in by_hand(0.06, batches).tolist()])
print("MSELoss,              lr 0.06:", [round(v, 4) for v in with_torch(0.06, batches).tolist()])
print("MSELoss,              lr 0.03:", [round(v, 4) for v in with_torch(0.03, batches).tolist()])

# %% [markdown]
# At the same learning rate they part. With half the rate, torch's parts do exactly what the hand-written program does.
# A learning rate has no meaning of its own: it always belongs to a loss *and its reduction*.

# %% [markdown] task="3.5.6" kind="code" minutes=12 difficulty=2 core=true needs="linear layer, mean squared error, training loop with torch's parts, zero_grad, initialisation in place"
# ### Put the parts together
#
# Write `fit(X, y, lr, steps)` with `nn.Linear`, `nn.MSELoss` and `torch.optim.SGD`, or anything that computes the same.
# All examples form one batch: `X` has shape `(n, d)`, `y` shape `(n, 1)`, both float32. It starts with all parameters
# zero, makes `steps` steps of gradient descent on the mean squared error with learning rate `lr`, and returns the weights and
# the bias as section 3.4 has them: `(w, b)` of shapes `(d, 1)` and `(1,)`. (Detached or still with a graph: both will do.)
#
# **You are done when**
# - **shape**: `w` has shape `(d, 1)` and `b` shape `(1,)`;
# - **start**: with `steps=0` both are zero;
# - **one step**: after one step they are right;
# - **several steps**: after several steps they are right: all of them are made, however small the loss is, and also where it
#   rises; what is returned are the parameters after the last one.

# %% exercise="3.5.6"
def fit(X, y, lr, steps):
    """Weights (d, 1) and bias (1,) after `steps` steps of gradient descent on the mean squared error, from zero."""
    ### BEGIN SOLUTION
    net = nn.Linear(X.shape[1], 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(steps):
        loss = nn.MSELoss()(net(X), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.weight.detach().T, net.bias.detach()
    ### END SOLUTION

# %% [markdown] hints="3.5.6"
# 1. Which four lines does the loop have, and which line makes the layer's weight what section 3.4 has?
# 2. `parameter.detach()` is the tensor without its graph; `.T` turns (1, d) into (d, 1).
# 3. One step by hand, for x = 1, y = 3 and everything zero: the residual is -3, both slopes are -6, and with lr 0.1
#    weight and bias become 0.6.

# %% check="3.5.6" points=2
def pair(*numbers):
    """The entries of w, a column, and then that of b."""
    return torch.tensor(numbers[:-1])[:, None], torch.tensor(numbers[-1:])

X = torch.tensor([[1.0, 0.0, 2.0], [0.0, 1.0, -1.0], [2.0, 1.0, 0.0], [1.0, -1.0, 1.0], [-1.0, 0.5, 0.0]])
y = torch.tensor([[3.0], [0.0], [6.0], [5.0], [-4.0]])
found = fit(X, y, 0.1, 2)
assert_type(found, (tuple, list), "what fit returns", of="shape", hint="The pair (w, b): neither the layer nor one tensor.")
assert_equal(len(found), 2, "how many tensors fit returns", of="shape", hint="Two, w and b.")
assert_shape(found[0], (3, 1), "the shape of w, the first of the two, for 3 features", of="shape",
             hint="w is a column and comes before b. A layer's weight is a row for each output.")
assert_shape(found[1], (1,), "the shape of b", of="shape", mistakes={
    "b has one axis, with one entry, and this is a number without axes: keep the shape of the layer's bias.": (),
    "b has one axis, with one entry; these are two axes.": (1, 1), "This is a bias for each feature: there is one for each output, here one.": (3,)})
for k, name in enumerate("wb"):
    assert_close(fit(X, y, 0.1, 0)[k], torch.zeros(1) if k else torch.zeros(3, 1), f"{name} after no step", of="start",
                 hint="With no step nothing is learnt. nn.Linear draws a random start: overwrite weight and bias.",
                 mistakes={"With steps=0 no step is made; this is one.": pair(0.96, -0.04, 0.44, 0.4)[k]})
step = pair(0.96, -0.04, 0.44, 0.4)      # the first one with lr 0.1
length = torch.cat([step[0].flatten(), step[1]]).norm()
solved = torch.linalg.lstsq(torch.cat([X, torch.ones(5, 1)], dim=1), y).solution
solved = solved[:-1], solved[-1]
in_batches = {1: pair(3.14528, 0.31776, 1.3072, 1.00512), 2: pair(2.411, -0.2255, 0.98, 0.479), 3: pair(1.72, -0.13, 0.74, 0.56),
              4: pair(1.745, -0.3225, 0.55, -0.045)}
of_the_first = {1: pair(0.6, 0.0, 1.2, 0.6), 2: pair(0.3, 0.0, 0.6, 0.3), 3: pair(1.0, 0.4, 0.4, 0.6), 4: pair(1.0, 0.05, 0.55, 0.7)}
def agree(given, wanted):
    return all(torch.allclose(torch.as_tensor(one).float(), other, rtol=1e-3, atol=1e-7) for one, other in zip(given, wanted))

unmoved = ("Nothing has moved, and with steps=2 one step is made: the loop ends one step too early." if agree(found, step) else
           "Nothing has moved. Are zero_grad, backward and step called in this order? "
           "(A zero_grad between the two others leaves step no gradient.)",
           "The bias has not moved: is it in the model and in the optimizer?")

def about_one_step(k):
    """What further calls show of one step, in words."""
    if agree(fit(X, 0.001 * y, 0.1, 1), [0.001 * part for part in step]):
        return "With targets a thousandth of these the step is right, so with these something is cut off: the gradient, as by clip_grad_norm_, or the residuals. Take them as they are."
    if agree(fit(X[:1], y[:1], 0.1, 1), of_the_first[1]) and agree(fit(X[2:3], y[2:3], 0.1, 1), pair(2.4, 1.2, 0.0, 1.2)):
        return "With the first example alone the step is right, and so it is with the third: look at how several are put together. It is by their mean."
    if agree(fit(X, y, 0.2, 1), fit(X, y, 0.1, 1)):
        return "With lr 0.2 the step should be twice as long; yours stays the same."
    return ("The residuals, prediction minus target, are -3, 0, -6, -5 and 4, with the mean -2: the slope of b is twice that, -4, and b becomes 0 + 0.1 · 4 = 0.4." if k else
            "The residuals, prediction minus target, are -3, 0, -6, -5 and 4. Times the first feature, 1, 0, 2, 1 and -1, they are -3, 0, -12, -5 and -4, with the mean -4.8: "
            "the slope of the first weight is twice that, -9.6, and the weight becomes 0 + 0.1 · 9.6 = 0.96.")

after = {1: pair(0.48, -0.02, 0.22, 0.2), 2: pair(0.8678, -0.0407, 0.376, 0.343), 3: pair(1.183575, -0.0619825, 0.483464, 0.4428131),
         4: pair(1.4429177, -0.0837352, 0.5542420, 0.5100381), 5: pair(1.6578898, -0.1058531, 0.5974070, 0.5528016)}
half_a_step = ("This is half of the step, and in two steps the second is, too: nn.MSELoss has no factor 1/2."
               if agree(fit(X, y, 0.1, 2), after[2]) else
               "This is half of the step: nn.MSELoss has no factor 1/2, and what is returned is no mean of start and end.")
for k, name in enumerate("wb"):
    assert_close(fit(X, y, 0.1, 1)[k], step[k], f"{name} after one step with lr 0.1", of="one step", rtol=1e-3, atol=1e-4,
                 mistakes={half_a_step: step[k] / 2,
                           "This is the step for the root of the mean squared error: nn.MSELoss has no root.": step[k] / 2 / y.square().mean().sqrt(),
                           "In this step each residual counts with its sign alone, as for nn.L1Loss: in the gradient of the squares it counts with its size.":
                           pair(0.1, -0.01, 0.06, 0.04)[k],
                           **{f"These are steps from batches of {size}: all examples form one batch.": in_batches[size][k] for size in (2, 3, 4)},
                           "Only a part of the examples is used, the first of two batches: all of them make the step.": of_the_first[3][k],
                           "Only the first example is used: all of them make the step.": of_the_first[1][k],
                           **{f"Only the first {n} of the 5 examples make this step: all of them form one batch.": of_the_first[n][k] for n in (2, 4)},
                           "Each entry has moved by 10 times lr, as with RMSprop: SGD moves by lr times the gradient.": step[k].sign(),
                           "This is the step for the sum of the squares.": 5 * step[k],
                           "The step goes with the gradient, not against it.": -step[k],
                           "Every prediction is compared with every target: keep y a column, (n, 1).": pair(0.24, 0.12, 0.16, 0.4)[k],
                           "Each entry has moved by lr itself, as with Adam: SGD moves by lr times the gradient.": 0.1 * step[k].sign(),
                           "These are steps from one example after the other: all examples form one batch.": in_batches[1][k],
                           "The gradient of b comes from the old w: find both gradients, then move both.": torch.tensor([0.252]) if k else torch.full((3, 1), math.inf),
                           "Divide by the number of examples, not by that of all entries of X.": step[k] / 3,
                           **({} if k else {"The features were standardised first: take X as it is.": pair(0.631482, -0.191237, 0.245576, 0.4)[k]}),
                           "The gradient was cut to length 1 before the step: take it as it is.": 0.1 * step[k] / length,
                           "The step is 1.9 times as long as it should be, as with Nesterov's momentum of 0.9: plain SGD has none.": 1.9 * step[k],
                           "This is the least-squares solution, to which many steps lead: make the step asked for.": solved[k],
                           "Is lr used? This is the gradient with the other sign, a step of length 1.": 10 * step[k],
                           "The step is lr times the gradient; this is the square of lr times it.": 0.1 * step[k],
                           unmoved[k]: torch.zeros_like(step[k])},
                 hint=lambda: "Plain gradient descent, with X and y as they are: p - lr times the gradient of the mean of the squares, all examples at once. " + about_one_step(k))
for k, name in enumerate("wb"):
    assert_close(fit(X.repeat(300, 1), y.repeat(300, 1), 0.1, 1)[k], step[k],
                 f"{name} after one step with lr 0.1, each of the 5 examples 300 times", of="one step", rtol=1e-3, atol=1e-4,
                 hint="The mean over these 1500 is that over the 5, so the step is the same: all examples form one batch, "
                      "however many there are.")
def each(number):
    return pair(number, number)

hit = torch.ones(1, 1)      # one example: the first step with lr 0.25 ends at residual 0
for k, name in enumerate("wb"):
    assert_close(fit(hit, hit, 0.25, 3)[k], each(0.5)[k], f"{name} after three steps with lr 0.25 from x = 1, y = 1: the first step ends at residual 0",
                 of="several steps", rtol=1e-3, atol=1e-4,
                 mistakes={"The gradients of all steps so far were added up: call zero_grad.": each(1.0)[k],
                           "Part of each step goes on in the next, as with momentum: plain SGD has none.": each(0.905)[k],
                           "The first gradient was used in all steps: find loss and gradient anew in each.": each(1.5)[k],
                           **({} if k else {"The gradient of w is found without the bias: the residual is x w + b - y.": torch.full((1, 1), 0.875)}),
                           "Is lr used? This is the result for lr 0.1.": each(0.392)[k]},
                 hint="After the first step the gradient is 0, and plain SGD moves nothing more: w and b stay at 0.5. "
                      "Is something else added to the gradient or to the step, as by weight decay?")
def about_four_steps(k):
    """Which of the steps is the first to be wrong, in words."""
    if agree(fit(X, y, 0.1, 4), fit(X, y, 0.05, 4)):
        return "With lr 0.1 the result should be another one; yours stays the same."
    if agree(fit(X, y, 0.05, 2), after[2]):
        return f"After two steps yours is right, {'and after three: it is the fourth' if agree(fit(X, y, 0.05, 3), after[3]) else 'after three it is not: it is the third'} that is not like those before it."
    return ("After the first step w is (0.48, -0.02, 0.22) and b 0.2, and the residuals are -1.88, -0.04, -4.86, -4.08 and 3.71: "
            + ("twice their mean is -2.86, so the second step makes b 0.2 + 0.05 · 2.86 = 0.343. Yours is another after two steps." if k else
               "times the first feature they have the mean -3.878, so the second step makes the first weight 0.48 + 0.05 · 7.756 = 0.8678. Yours is another after two steps."))

for k, name in enumerate("wb"):
    assert_close(fit(X, y, 0.05, 4)[k], after[4][k], f"{name} after four steps with lr 0.05", of="several steps", rtol=1e-3, atol=1e-4,
                 mistakes={"The gradients of all steps so far were added up: call zero_grad.": pair(3.553643, -0.2096827, 1.344634, 1.238477)[k],
                           "Part of each step goes on in the next, as with momentum: plain SGD has none.": pair(3.198984, -0.1898790, 1.205655, 1.110823)[k],
                           "This is the result of one step: is the return, or the making of the parameters, inside the loop?": after[1][k],
                           "The first gradient was used in all steps: find loss and gradient anew in each.": 4 * after[1][k],
                           "This is the result of one step too few.": after[3][k],
                           "This is the result of one step too many.": after[5][k],
                           "The step was divided by its number, 1, 2, 3, 4: lr is the same in all steps.": pair(0.8737570, -0.0426388, 0.3712927, 0.3391632)[k],
                           "The rate was halved after each step: lr is the same in all steps.": pair(0.8038132, -0.0382382, 0.3460679, 0.3158434)[k],
                           "Is lr used? This is the result for lr 0.1.": pair(2.199483, -0.1731235, 0.661024, 0.6225938)[k]},
                 hint=lambda: "One step is right. Each is plain gradient descent: the same lr in all of them, and a new gradient, from all examples and the parameters as they are then. "
                 + about_four_steps(k))
for k, name in enumerate("wb"):
    assert_close(fit(hit, hit, 0.6, 3)[k], each(1.872)[k], f"{name} after three steps with lr 0.6 from x = 1, y = 1: each step goes too far, and the loss rises",
                 of="several steps", rtol=1e-3, atol=1e-4, hint="The loss rises from step to step here, and yet each step is plain gradient descent: w and b go from 0 to 1.2, then to -0.48, then to 1.872.",
                 mistakes={f"This is the result of {words}. The loss rises from step to step here, and yet all three are made, and the last result is returned.": each(there)[k]
                           for there, words in ((0.0, "none of the three steps"), (1.2, "one of the three steps"), (-0.48, "two of the three steps"))})
for size, words, k in ((0.001, "a thousandth", 0), (0.001, "a thousandth", 1), (0.00001, "a hundred-thousandth", 0),
                       (0.00001, "a hundred-thousandth", 1)):
    assert_close(fit(X, size * y, 0.05, 4)[k], size * after[4][k],
                 f"{'wb'[k]} after four steps with lr 0.05, targets {words} of these",
                 of="several steps", rtol=1e-3, atol=1e-5 * size,
                 mistakes={"Nothing has moved. With such targets the loss is small from the start, and yet all `steps` steps are made.": torch.zeros(1) if k else torch.zeros(3, 1)},
                 hint="With such targets the loss is small from the start, and yet all `steps` steps are made: no break, no rounding.")
### BEGIN HIDDEN TESTS
def descend(X, y, lr, steps, scale=2.0, keep=0.0):
    w, b = torch.zeros(X.shape[1], 1, dtype=torch.float64), torch.zeros(1, dtype=torch.float64)
    X, y = X.double(), y.double()
    dw, db = torch.zeros_like(w), torch.zeros_like(b)
    for _ in range(steps):
        error = X @ w + b - y
        dw, db = keep * dw + scale * X.T @ error / len(X), keep * db + scale * error.mean()
        w, b = w - lr * dw, b - lr * db
    return w, b

rng = torch.Generator().manual_seed(353)
for n, d, lr, steps, size in ((7, 3, 0.05, 6, 1.0), (5, 1, 0.2, 3, 1.0), (9, 4, 0.1, 15, 1.0), (6, 2, 0.15, 25, 0.001), (4, 2, 1.4, 4, 1.0), (1100, 2, 0.1, 3, 1.0)):
    X, y = torch.randn(n, d, generator=rng), size * (torch.randn(n, 1, generator=rng) + 2)
    w, b = fit(X, y, lr, steps)
    which = f"{n} examples of {d} features, targets of about {2 * size:g}, lr {lr}"
    kind = f"{which}, {steps} steps"
    assert_shape(w, (d, 1), f"the shape of w, {kind}", of="shape")
    assert_shape(b, (1,), f"the shape of b, {kind}", of="shape")
    assert_close(fit(X, y, lr, 0)[0], torch.zeros(d, 1), f"w after no step, {d} features", of="start")
    for k, name in enumerate("wb"):
        assert_close(fit(X, y, lr, 1)[k], descend(X, y, lr, 1)[k], f"{name} after one step, {which}", of="one step", rtol=1e-3, atol=1e-4 * size,
                     hint=lambda: where_they_part(fit, descend, X=X, y=y, lr=lr, steps=1))
        assert_close((w, b)[k], descend(X, y, lr, steps)[k], f"{name}, {kind}", of="several steps", rtol=1e-3, atol=1e-4 * size,
                     hint=lambda: "With such targets the loss is small from the start, and yet all `steps` steps are made."
                     if size < 1 else
                     where_they_part(fit, descend, X=X, y=y, lr=lr, steps=steps))
### END HIDDEN TESTS

# %% [markdown] teaches="linear regression as a module, lazy layer"
# ## The same as a module
#
# In the classes of section 3.2 the model knows its layer, its loss and its optimizer; the `Trainer` knows the loop. So
# linear regression shrinks to what is particular to it:

# %%
class ConciseRegression(d2l.Module):
    def __init__(self, num_inputs, lr):
        super().__init__()
        self.save_hyperparameters()                     # self.num_inputs, self.lr
        self.net = nn.Linear(num_inputs, 1)
        nn.init.normal_(self.net.weight, mean=0, std=0.01)
        nn.init.zeros_(self.net.bias)

    def loss(self, y_hat, y):
        return nn.functional.mse_loss(y_hat, y)         # nn.MSELoss as a function

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.lr)

torch.manual_seed(0)
model, trainer = ConciseRegression(2, lr=0.03), d2l.Trainer(max_epochs=5, verbose=False)
trainer.fit(model, data)
print(trainer.history.to_frame().round(4).to_string(index=False))
learnt_w, learnt_b = model.net.weight.detach().flatten(), model.net.bias.detach()
print("error of the weights:", [round(v, 4) for v in (learnt_w - true_w).tolist()], " of the bias:", round((learnt_b - true_b).item(), 4))

# %% [markdown]
# `forward` is not written: `d2l.Module` calls `self.net`. The validation loss ends at the noise, 0.01, and since the data
# are made by us we can compare the learnt parameters with the true ones: they are right to a few hundredths.
#
# `d2l.LinearRegression(lr)` is this class with two conveniences more. Its layer is **lazy**: `nn.LazyLinear(1)` is told the
# number of outputs only, and reads the number of inputs from the first batch that it meets. And `get_w_b()` hands out the
# weight, a row, and the bias. Its `loss` is careful, too: predictions and targets of unequal shapes raise `ValueError`.

# %%
lazy = d2l.LinearRegression(lr=0.03)
print("before a batch:", lazy.net.weight.__class__.__name__)
lazy(X_few)
weight, bias = lazy.get_w_b()
print("after one:     ", tuple(weight.shape), tuple(bias.shape))

# %% [markdown]
# Before its first batch a lazy layer has parameters without numbers. An optimizer may be made all the same: the first batch gives the same parameter objects their shape, and the optimizer holds these objects. What needs the numbers themselves, a sum over all weights for instance, has to wait for the batch.

# %% [markdown] teaches="sum or mean and the learning rate"
# ## From a sum to a mean
#
# Suppose that a program trains well with the *sum* of the squares over a batch. Somebody replaces the sum by the mean. How
# must the learning rate change?
#
# A batch has m examples of one output. Let $S$ be the sum of the squares; the mean is $S / m$. A constant factor comes
# through a derivative unchanged, so the gradient of the mean is the gradient of the sum divided by m. A step is the
# learning rate times the gradient:
#
# $$\eta_\text{mean} \cdot \frac{1}{m} \frac{\partial S}{\partial w} = \eta_\text{sum} \cdot \frac{\partial S}{\partial w}
# \quad\text{if}\quad \eta_\text{mean} = m \cdot \eta_\text{sum} .$$
#
# So the rate of the mean is m times that of the sum. ⚠ The question is often put for `nn.MSELoss`, as if that were a sum.
# It is a mean already; to get the sum one writes `reduction="sum"`. Here is what happens if one does that and keeps
# the rate:

# %%
def losses_of(reduction, lr, steps=8):
    net = nn.Linear(2, 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    seen = []
    for X, y in batches[:steps]:
        loss = nn.MSELoss(reduction=reduction)(net(X), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seen.append(nn.MSELoss()(net(X), y).item())             # always measured as a mean
    return seen

for reduction, lr in (("mean", 0.1), ("sum", 0.1), ("sum", 0.1 / 32)):
    print(f"{reduction:4} lr {lr:<8g}", " ".join(f"{loss:.3g}" for loss in losses_of(reduction, lr)))

# %% [markdown]
# The sum at the old rate explodes: its steps are 32 times as long. With the rate divided by 32 it walks as the mean does.
#
# That the factor is the *batch size* is the trouble with sums. Change the batch size, and the rate is wrong again. And the
# last batch, if it is smaller, makes a smaller step. With a mean the size of the batch decides how *noisy* a step is, not
# how long.

# %% [markdown] task="3.5.1a" kind="code" minutes=8 difficulty=2 core=true needs="sum or mean and the learning rate, mean over examples and outputs, factor two between losses"
# ### The same steps with another loss
#
# Four losses for a batch of m examples with k outputs each; $r$ runs over all $m \cdot k$ residuals:
#
# | name | loss |
# |---|---|
# | `"sum"` | $\sum r^2$ |
# | `"half sum"` | $\frac12 \sum r^2$ |
# | `"mean"` | $\frac{1}{mk} \sum r^2$, as `nn.MSELoss` |
# | `"half mean"` | $\frac{1}{2mk} \sum r^2$, as in section 3.4 |
#
# A program trains with loss `old` and learning rate `lr`. Write `equal_rate(lr, old, new, batch_size, outputs=1)`: the
# learning rate with which loss `new` makes exactly the same steps.
#
# **You are done when**
# - **sum to mean**: it is right from a sum to a mean;
# - **mean to sum**: and back;
# - **halves**: it is right where one of the losses has the factor 1/2, or both;
# - **outputs**: it is right for several outputs.

# %% exercise="3.5.1a"
def equal_rate(lr, old, new, batch_size, outputs=1):
    """The learning rate that gives the steps of loss `old` at rate `lr` when the loss is `new`."""
    ### BEGIN SOLUTION
    def factor(name):               # the loss is this factor times the sum of the squares
        return (0.5 if "half" in name else 1) / (batch_size * outputs if "mean" in name else 1)

    return lr * factor(old) / factor(new)
    ### END SOLUTION

# %% [markdown] hints="3.5.1a"
# 1. Each loss is a factor times $\sum r^2$. Which factor?
# 2. Steps are equal if rate times factor is equal: $\eta_\text{old} f_\text{old} = \eta_\text{new} f_\text{new}$.
# 3. A map with 5 cm for a kilometre and one with 2 cm: 3 cm on the first is the way of 3 · 2/5 cm on the second.

# %% check="3.5.1a" points=2
@probe
def complaint(lr, old, new, batch_size):
    """What Python says if it cannot go on, or nothing."""
    try:
        equal_rate(lr, old, new, batch_size)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""

assert_type(equal_rate(0.64, "sum", "mean", 32), (float, int, torch.Tensor, np.ndarray), "what equal_rate returns", of="sum to mean")
assert_close(equal_rate(0.64, "sum", "mean", 32), 20.48, "rate 0.64, from sum to mean, batches of 32", of="sum to mean", rtol=1e-5,
             mistakes={"The other way round: a smaller loss needs a larger rate.": 0.64 / 32, "The rate cannot stay: the mean's gradient is that of the sum divided by 32.": 0.64,
                       "This is the factor alone: multiply lr by it.": 32.0,
                       "No root: the mean is the sum divided by 32.": 0.64 * 32 ** 0.5,
                       "32 examples of one output have 32 entries: examples times outputs, not plus.": 0.64 * 33},
             hint="Rate times gradient stays: the gradient of the mean is that of the sum, divided by the number of residuals.")
assert_close(equal_rate(0.64, "mean", "sum", 32), 0.02, "rate 0.64, from mean to sum, batches of 32", of="mean to sum", rtol=1e-5,
             hint="Rate times gradient stays: the gradient of the sum is 32 times that of the mean.",
             mistakes={"The other way round: a larger loss needs a smaller rate.": 0.64 * 32, "The rate cannot stay: the sum's gradient is 32 times as long.": 0.64})
def which_part(old, new, m, k=1):
    """Whether the halves, the batch size or the outputs are at fault, in words."""
    def holds(m, k):
        factor = {name: (0.5 if "half" in name else 1.0) / (m * k if "mean" in name else 1) for name in (old, new)}
        return abs(float(equal_rate(0.3, old, new, m, k)) / (0.3 * factor[old] / factor[new]) - 1) < 1e-4
    if not holds(1, 1):
        return f"From {old} to {new} it is wrong already for one example of one output, where a sum and its mean are the same: there only a half can change the rate."
    if not holds(m, 1):
        return f"From {old} to {new} it is right for one example of one output, and wrong for {m} examples: look at what becomes of the batch size."
    return f"From {old} to {new} it is right for {m} examples of one output" + (f", and wrong for {k} outputs: look at what becomes of these." if k > 1 else " with another rate: the rate is multiplied or divided, by a factor that does not hang on it.")

names = ("sum", "half sum", "mean", "half mean")
for old, new in ((old, new) for old in names for new in names):
    said = complaint(0.06, old, new, 20)
    assert_true(said == "", f"equal_rate(0.06, {old!r}, {new!r}, 20) raises no error", of="halves" if "half" in old + new else f"{old} to {new}" if old != new else "halves",
                hint=f"Python says {said}. Each of the four losses may be the old one and the new one, also the same one twice.")
for old, new, m, right in (("half mean", "mean", 32, 0.03), ("mean", "half mean", 5, 0.12), ("half sum", "mean", 10, 0.3), ("half sum", "half mean", 20, 1.2),
                           ("half sum", "half sum", 20, 0.06), ("sum", "half mean", 7, 0.84), ("half mean", "sum", 5, 0.006), ("half sum", "sum", 6, 0.03),
                           ("half mean", "half sum", 11, 0.06 / 11), ("mean", "half sum", 7, 0.12 / 7)):
    alike = old.startswith("half") == new.startswith("half")
    assert_close(equal_rate(0.06, old, new, m), right, f"rate 0.06, from {old} to {new}, batches of {m}", of="halves", rtol=1e-5,
                 hint=lambda: "The loss stays what it was, so the rate stays, too." if old == new else which_part(old, new, m) +
                 " Each loss is a factor times the sum of the squares: 1 or 1/m, and half of that for a half. Rate times factor stays.",
                 mistakes={"Both losses have the factor 1/2, or neither: it cancels." if alike else "The factor 1/2 is left out.":
                           right * (2 if alike else 0.5 if new.startswith("half") else 2),
                           "Both have the factor 1/2: it cancels." if alike else "The factor 1/2 is the wrong way round: half the loss needs twice the rate.":
                           right * (0.5 if alike else 0.25 if new.startswith("half") else 4),
                           **({"The half mean divides by m; here it is multiplied by it. (`1 / 2 * m` is m/2: write `1 / (2 * m)`.)": right * m ** (2 if old == "half mean" else -2)}
                              if (old == "half mean") != (new == "half mean") else {}),
                           **({"From a sum to a mean, half or not, the rate is multiplied by the batch size.": right / m} if old.endswith("sum") and new.endswith("mean") else {}),
                           **({"From a mean to a sum, half or not, the rate is divided by the batch size.": right * m} if old.endswith("mean") and new.endswith("sum") else {})})
assert_close(equal_rate(0.64, "sum", "mean", 10, 4), 25.6, "rate 0.64, from sum to mean, 10 examples of 4 outputs", of="outputs", rtol=1e-5,
             hint=lambda: "The sum has 10 · 4 = 40 entries, and the mean divides it by 40. " + which_part("sum", "mean", 10, 4),
             mistakes={"The mean divides by examples times outputs.": 6.4, "The outputs count once: the mean divides by 10 · 4.": 102.4,
                       "More outputs are more entries: the mean divides by 10 · 4, not by 10 / 4.": 1.6,
                       "The examples count, too: the mean divides by 10 · 4.": 2.56,
                       "Each of 10 examples has 4 outputs, that makes 10 · 4 entries: examples times outputs, not plus.": 0.64 * 13})
assert_close(equal_rate(0.64, "half mean", "sum", 5, 2), 0.032, "rate 0.64, from half mean to sum, 5 examples of 2 outputs", of="outputs", rtol=1e-5,
             hint="The sum has 5 · 2 = 10 entries: the half mean divides it by 10, and by 2.",
             mistakes={"The half mean, too, divides by examples times outputs.": 0.064})
for old, new in (("mean", "half mean"), ("sum", "half sum")):
    assert_close(equal_rate(0.64, old, new, 5, 3), 1.28, f"rate 0.64, from {old} to {new}, 5 examples of 3 outputs", of="outputs", rtol=1e-5,
                 hint="Both are means, or both are sums: examples and outputs count alike in both and cancel. Only the half is left.",
                 mistakes={f"Both are {old}s: the number of outputs cancels; this is multiplied by it.": 3.84, f"Both are {old}s: the number of outputs cancels; this is divided by it.": 1.28 / 3})
### BEGIN HIDDEN TESTS
def step_of(name, m, k):            # the slope of the loss of equal residuals 1, by autograd
    r = torch.ones(m, k, dtype=torch.float64, requires_grad=True)
    value = (r ** 2).mean() if "mean" in name else (r ** 2).sum()
    return torch.autograd.grad(value / 2 if "half" in name else value, r)[0][0, 0].item()

for old, new, m, k, of in (("sum", "mean", 7, 1, "sum to mean"), ("sum", "mean", 128, 1, "sum to mean"), ("mean", "sum", 20, 1, "mean to sum"),
                           ("half sum", "mean", 12, 1, "halves"), ("half mean", "half sum", 9, 1, "halves"), ("sum", "half mean", 6, 1, "halves"),
                           ("sum", "sum", 6, 1, "halves"), ("mean", "sum", 8, 3, "outputs"), ("half sum", "mean", 5, 2, "outputs"),
                           ("mean", "half mean", 6, 7, "outputs"), ("sum", "half mean", 4, 3, "outputs"), ("half mean", "half sum", 3, 5, "outputs"),
                           ("half sum", "sum", 6, 2, "outputs"), ("half mean", "mean", 3, 4, "outputs"), ("mean", "half sum", 2, 5, "outputs"),
                           ("half sum", "half mean", 5, 3, "outputs"), ("half mean", "half mean", 4, 2, "outputs")):
    assert_close(equal_rate(0.3, old, new, m, k), 0.3 * step_of(old, m, k) / step_of(new, m, k),
                 f"from {old} to {new}, {m} examples of {k} output{'s' * (k > 1)}", of=of, rtol=1e-5, hint=lambda: which_part(old, new, m, k))
### END HIDDEN TESTS

# %% [markdown] task="3.5.1b" kind="explain" minutes=12 difficulty=3 needs="sum or mean and the learning rate, reduction of a loss"
# ### Batches of other sizes
#
# Write `step_ratio(reduction, full, last)` for `reduction` `"sum"` or `"mean"`: all examples of a data set are alike. How
# long is the step from a batch of `last` examples, compared with the step from a batch of `full` examples, at the same
# parameters and learning rate? Then answer in words:
# 1. A program with `reduction="sum"` runs well with batches of 32 at rate 0.002. What happens with batches of 64, and what
#    would you change?
# 2. What happens with `reduction="mean"` in the same place? Give one thing that does change.
# 3. What does the last, smaller batch do in each case? Compare with one *example's* share in the step.
# 4. A colleague says: "`nn.MSELoss` sums over the batch, so divide the rate when the batches grow." What do you reply, and
#    how would you show it?
#
# **You are done when** your words answer all four, and
# - **sum**: the ratio is right for a sum;
# - **mean**: it is right for a mean.

# %% exercise="3.5.1b"
def step_ratio(reduction, full, last):
    """Length of the step from `last` equal examples, divided by that from `full` of them."""
    ### BEGIN SOLUTION
    return last / full if reduction == "sum" else 1.0
    ### END SOLUTION

# %% [markdown] hints="3.5.1b"
# 1. If each example has the gradient g, what is the gradient of the sum over m of them, and that of the mean?
# 2. The step is the rate times that gradient; the rate is the same for both batches.
# 3. Ten equal bills and five: the sum halves, the mean bill stays.

# %% check="3.5.1b" points=1
assert_type(step_ratio("sum", 32, 12), (float, int, torch.Tensor, np.ndarray), "what step_ratio returns", of="sum")
assert_close(step_ratio("sum", 32, 12), 0.375, "a sum over 12 in place of 32", of="sum", rtol=1e-6,
             mistakes={"The other way round: fewer examples, smaller sum.": 32 / 12,
                       "No root: it belongs to the noise of a mean, and all examples are alike here.": 0.375 ** 0.5,
                       "Divide by `/`: `//` cuts the fraction off.": 0.0,
                       "The step from `last` examples divided by the other, not what is missing of it.": 0.625,
                       "The ratio itself, not its square.": 0.375 ** 2,
                       "A ratio: divide by `full`.": 12.0, "A ratio: no percentage.": 37.5,
                       "A ratio: divide the lengths, do not subtract them.": -20.0, "Do not round the ratio.": 0.38,
                       "Do not round the ratio: it has three decimals.": 0.4,
                       "This is divided by 32 - 12: the two batches are no parts of each other. Divide by `full`.": 0.6,
                       "This is divided by 12 + 32: divide by `full` alone, the number of the other batch.": 12 / 44},
             hint=lambda: "If each example has the gradient g: what is the sum of 12 of them, divided by the sum of 32?"
             if float(step_ratio("sum", 32, 12)) != 1 else "That holds for a mean." if step_ratio("mean", 32, 12) != 32 / 12 else
             "You give 1 for a sum and 32/12 for a mean: these are the shares of one example. "
             "The whole step has the shares of all its examples, added up.")
assert_type(step_ratio("mean", 32, 12), (float, int, torch.Tensor, np.ndarray), "what step_ratio returns for a mean", of="mean",
            hint="Is there a return for reduction \"mean\", too?")
assert_close(step_ratio("mean", 32, 12), 1.0, "a mean over 12 in place of 32", of="mean", rtol=1e-6,
             mistakes={"That holds for a sum.": 0.375,
                       "Each example counts 32/12 times as much, but there are as many times fewer.": 32 / 12,
                       "No root: it belongs to the noise of a mean, and all examples are alike here.": 0.375 ** 0.5,
                       "No root: all examples are alike.": (32 / 12) ** 0.5,
                       "The ratio of equal lengths is 1, not 0.": 0.0,
                       "Twelve equal gradients g add up to 12 g: their mean is g, not g/12.": 1 / 12,
                       "Both are means: the sum over 12 is divided by 12, and the sum over 32 by 32, before the ratio is taken.": 1 / 32},
             hint="If each example has the gradient g: what is the mean of 12 of them, divided by the mean of 32?")
assert_close(step_ratio("sum", 6, 16), 16 / 6, "a sum over 16 in place of 6", of="sum", rtol=1e-6,
             hint="With 12 in place of 32 yours is right. The same quotient of the two numbers holds where `last` is the larger one: 16 equal gradients against 6 of them.",
             mistakes={"A batch may be larger, too.": 1.0, "Divide by `/`: `//` cuts the fraction off.": 2.0,
                       "Divide by `full` here, too: where `last` is larger, the ratio is above 1.": 6 / 16, "Do not round the ratio.": 2.67,
                       "This is the remainder, 16 % 6, divided by 6: divide 16 itself.": 4 / 6})
### BEGIN HIDDEN TESTS
for full, last in ((100, 1), (7, 14), (48, 17)):
    assert_close(step_ratio("sum", full, last), last / full, f"a sum over {last} in place of {full}", of="sum", rtol=1e-6)
    assert_close(step_ratio("mean", full, last), 1.0, f"a mean over {last} in place of {full}", of="mean", rtol=1e-6)
### END HIDDEN TESTS

# %% [markdown] written="3.5.1b" points=4
# ### BEGIN SOLUTION
# 1. The sum runs over twice as many examples, so every step is about twice as long: training may become unsteady or
#    diverge. Halve the rate, to 0.001; then the steps are as long as before.
# 2. With the mean the steps keep their length, and the rate can stay. What changes is the noise: a mean over 64 examples
#    scatters less (by √2) around the gradient of all data, and there are half as many steps in an epoch.
# 3. With a sum, the last batch of 8 makes a step a quarter as long as one of 32; each *example* has the same share, in all
#    batches. With a mean its step is as long as the others, so each of its 8 examples counts four times as much.
# 4. `nn.MSELoss()` has `reduction="mean"`: it divides by the number of entries. To show it: the loss of a batch and of the
#    same batch doubled (`torch.cat([X, X])`) is the same number, and so are the gradients; with `reduction="sum"` both
#    double.
#
# **Rubric**
# - [1] Sum, doubled batch: steps about twice as long, halve the rate (0.001)
# - [1] Mean: the length stays; less noise, or fewer steps in an epoch; lost by: "nothing changes at all"
# - [1] Last batch: shorter step with a sum, larger share of its examples with a mean; also accepted: with numbers 1/4 and 4
# - [1] `nn.MSELoss` is a mean, with a way to show it that would work (documentation, doubled batch, or a small example)
# ### END SOLUTION

# %% [markdown] teaches="Huber's loss, smooth L1 loss"
# ## Losses that forgive
#
# A square punishes a residual of 10 a hundred times as hard as one of 1. One mistyped target can pull the whole line
# towards it. The absolute value, `nn.L1Loss()`, is more patient, but its slope is 1 even where the residual is tiny, so
# gradient descent never comes to rest. A mixture is square near zero and straight beyond. torch has **two** of them, scaled differently:
#
# | loss | small residuals | large residuals |
# |---|---|---|
# | `nn.HuberLoss(delta=σ)` | $\frac12 r^2$ if $\lvert r\rvert \le \sigma$ | $\sigma\left(\lvert r\rvert - \frac{\sigma}{2}\right)$ |
# | `nn.SmoothL1Loss(beta=σ)` | $\frac{1}{2\sigma} r^2$ if $\lvert r\rvert < \sigma$ | $\lvert r\rvert - \frac{\sigma}{2}$ |
#
# In each row the two pieces meet at $\lvert r\rvert = \sigma$, with equal slopes. Divide the first row by σ: that is the
# second. So they are the same curve, up to the factor σ.
#
# ⚠ In exercises and lecture notes another formula goes by Huber's name:
#
# $$l(y, y') = \begin{cases} \lvert y - y'\rvert - \frac{\sigma}{2} & \text{if } \lvert y - y'\rvert > \sigma \\
# \frac{1}{2\sigma} (y - y')^2 & \text{otherwise.} \end{cases}$$
#
# Compare this one with the table: it is the *second* row, `SmoothL1Loss(beta=σ)`. Who reaches for `HuberLoss(delta=σ)`, because
# of the name, is off by the factor σ. Numbers:

# %%
def formula(r, sigma):
    return abs(r) - sigma / 2 if abs(r) > sigma else r * r / (2 * sigma)

zero = torch.tensor(0.0)
print("   σ      r   formula   SmoothL1Loss(beta=σ)   HuberLoss(delta=σ)   ratio")
for sigma in (0.5, 1.0, 4.0):
    for r in (0.3, -6.0):
        smooth = nn.SmoothL1Loss(beta=sigma)(torch.tensor(r), zero).item()
        huber = nn.HuberLoss(delta=sigma)(torch.tensor(r), zero).item()
        print(f"{sigma:4} {r:6} {formula(r, sigma):9.4f} {smooth:14.4f} {huber:20.4f} {huber / smooth:14.1f}")

# %% [markdown]
# Only for σ = 1 all three agree, and 1 is the default of both, which is why the mix-up goes unnoticed.
#
# Two things that help in writing such losses. As functions they are called `nn.functional.smooth_l1_loss` and
# `nn.functional.huber_loss`. And a case distinction over a whole tensor is `torch.where(mask, a, b)`: entry by entry it
# takes from a where the mask is True, and from b elsewhere. Here is a loss that only punishes predictions which are too
# low, for residuals -2, 1 and 3:

# %% teaches="case distinction with torch.where"
r_three = torch.tensor([-2.0, 1.0, 3.0])
print("only below:", torch.where(r_three < 0, r_three.abs(), torch.zeros(3)).tolist())
print("smooth L1 as a function:", nn.functional.smooth_l1_loss(r_three, torch.zeros(3), beta=2.0, reduction="none").tolist())

# %% tags=["demo"] teaches="slope of Huber's loss"
import matplotlib.pyplot as plt

residual = torch.linspace(-6, 6, 241, requires_grad=True)
figure, axes = plt.subplots(1, 2, figsize=(9, 2.9), layout="constrained")
for name, curve, style in (("r² / 2", residual ** 2 / 2, "k:"), ("HuberLoss, σ = 2", nn.HuberLoss(reduction="none", delta=2.0)(residual, torch.zeros(241)), "C0-"),
                           ("SmoothL1Loss, σ = 2", nn.SmoothL1Loss(reduction="none", beta=2.0)(residual, torch.zeros(241)), "C1--"),
                           ("|r|", residual.abs(), "C2-.")):
    slope, = torch.autograd.grad(curve.sum(), residual, retain_graph=True)
    axes[0].plot(residual.detach(), curve.detach(), style, label=name)
    axes[1].plot(residual.detach(), slope, style)
axes[0].set(xlabel="residual r", ylabel="loss", ylim=(-0.3, 10))
axes[1].set(xlabel="residual r", ylabel="slope", ylim=(-3.5, 3.5))
figure.legend(loc="outside right center")
plt.show()

# %% [markdown]
# Left the losses, right their slopes, which are what training feels. The slope of the square grows without end. Huber's
# slope is the residual itself, cut off at ±σ, here ±2. That of the smooth L1 loss is the same divided by σ, so it ends at
# ±1, whatever σ is. That is the practical difference: with the same learning rate, steps with `HuberLoss(delta=σ)` are σ
# times as long.

# %% [markdown] task="3.5.C" kind="code" minutes=4 difficulty=2 core=true needs="slope of Huber's loss, Huber's loss, smooth L1 loss"
# ### What training feels
#
# Write `slopes(r, sigma)`: the pair of the slopes of `HuberLoss(delta=sigma)` and of `SmoothL1Loss(beta=sigma)` at the
# residuals `r`, a tensor of any shape. Both results have the shape of `r`.
#
# **You are done when**
# - **Huber**: the first is right for small and large, positive and negative residuals, and for 0;
# - **smooth L1**: so is the second.

# %% exercise="3.5.C"
def slopes(r, sigma):
    """Slopes of Huber's and of the smooth L1 loss at the residuals r: two tensors of r's shape."""
    ### BEGIN SOLUTION
    return r.clamp(-sigma, sigma), r.clamp(-sigma, sigma) / sigma
    ### END SOLUTION

# %% [markdown] hints="3.5.C"
# 1. Differentiate each of the four formulas of the table. What do the two columns have in common at $\lvert r\rvert = \sigma$?
# 2. `torch.where(mask, a, b)` takes from `a` where the mask is True, else from `b`; `r.clamp(low, high)` cuts off.
# 3. For r²/2 the slope at r = -3 is -3; for |r| it is -1.

# %% check="3.5.C" points=1
r = torch.tensor([[-5.0, -2.0], [0.5, 8.0]])
right = torch.tensor([[-3.0, -2.0], [0.5, 3.0]])
def which_slopes(k, r, sigma):
    """Which case of Huber's loss (k = 0) or of the smooth L1 loss (k = 1) has a wrong slope at the residuals r, in words."""
    yours, exact, large = slopes(r, sigma)[k].double(), (r.clamp(-sigma, sigma) / (sigma if k else 1)).double(), r.abs() > sigma
    wrong = (yours - exact).abs() > 1e-4
    small_words = "r²/(2σ), and its slope" if k else "r²/2, and its slope"
    large_words = "|r| - σ/2" if k else "σ(|r| - σ/2)"
    if not wrong[large].any():
        return f"Beyond σ the slopes are right. Of the residuals up to σ the loss is {small_words} is not this."
    straight = f"There the loss {large_words} is a straight line in r: its slope is the same for all r of one sign"
    if not wrong[~large].any():
        return f"The slopes of the residuals up to σ are right, those beyond σ are not. {straight}, however large they are."
    return f"Neither case is right. Up to σ the loss is {small_words} grows with r; beyond σ it is {large_words}, a straight line in r, whose slope is the same for all r of one sign."

found = slopes(r, 3.0)
assert_type(found, (tuple, list), "what slopes returns", of="Huber", hint="A pair of tensors, Huber's slopes and those of the smooth L1 loss: `return one, other`.")
assert_equal(len(found), 2, "how many tensors slopes returns", of="Huber", hint="Two: Huber's slopes and those of the smooth L1 loss.")
for k, words in enumerate(("first", "second")):
    assert_shape(found[k], (2, 2), f"the shape of the {words} of the two, for residuals of shape (2, 2)", of=("Huber", "smooth L1")[k])
assert_close(found[0], right, "Huber's slopes at -5, -2, 0.5, 8 with σ = 3", of="Huber",
             mistakes={"These are the slopes of the smooth L1 loss.": right / 3,
                       "The slope has the sign of the residual.": torch.tensor([[3.0, -2.0], [0.5, 3.0]]),
                       "The slope has the sign of the residual, for small ones, too.": right.abs(),
                       "The large ones are right. The slope of a small residual has its sign, too.": torch.tensor([[-3.0, 2.0], [0.5, 3.0]]),
                       "These are the slopes of the square.": r, "Cut off on both sides, at σ and at -σ.": r.clamp(max=3.0),
                       "Beyond σ Huber's slope is σ or -σ.": torch.tensor([[-1.0, -2.0], [0.5, 1.0]]),
                       "These are the slopes for σ = 1: is sigma used?": torch.tensor([[-1.0, -1.0], [0.5, 1.0]]),
                       "These are the losses, not their slopes.": torch.tensor([[10.5, 2.0], [0.125, 19.5]]),
                       "σ, not 1, parts the small residuals from the large.": torch.tensor([[-3.0, -3.0], [0.5, 3.0]]),
                       "Beyond σ the slope is σ or -σ: σ²/2 in the loss is a constant, and its slope is 0.": torch.tensor([[-1.5, -2.0], [0.5, 1.5]]),
                       "The small ones are right. Beyond σ, σ/2 is a constant without a slope: σ(|r| - σ/2) has slope σ or -σ.": torch.tensor([[-2.5, -2.0], [0.5, -0.5]]),
                       "This is divided by the number of entries: that is the slope of a mean.": right / 4,
                       "The sign: the loss of a positive residual grows with it.": -right,
                       "The large ones are right. Of the small ones this is the loss r²/2: its slope is r.": torch.tensor([[-3.0, 2.0], [0.125, 3.0]]),
                       "The small ones are right. Beyond σ the slope is σ or -σ, however large r is: it is not multiplied by r.": torch.tensor([[-15.0, -2.0], [0.5, 24.0]]),
                       "Beyond σ the slope is σ or -σ, not 0.": torch.tensor([[0.0, -2.0], [0.5, 0.0]]),
                       "The 2 cancels: the slope of r²/2 is r.": torch.tensor([[-3.0, -4.0], [1.0, 3.0]]),
                       "Multiplied by σ for the small ones, too: there the slope of r²/2 is r.": torch.tensor([[-3.0, -6.0], [1.5, 3.0]]),
                       "The 2 cancels, so that the slope of r²/2 is r: of the small ones this is half of it.":
                           torch.tensor([[-3.0, -1.0], [0.25, 3.0]]),
                       "The two cases are exchanged: r²/2 holds up to σ.": torch.tensor([[-5.0, -3.0], [3.0, 8.0]])},
             hint=lambda: which_slopes(0, r, 3.0) + " (σ/2 is a constant.)")
assert_close(found[1], right / 3, "smooth L1 slopes at -5, -2, 0.5, 8 with σ = 3", of="smooth L1",
             mistakes={"These are Huber's slopes.": right, "These are the slopes of the absolute value.": r.sign(),
                       "The slope of r²/(2σ) is r/σ.": torch.tensor([[-1.0, -2.0], [0.5, 1.0]]),
                       "These are the slopes for σ = 1: with σ the small residuals are those up to σ, and their slope is r/σ.": r.clamp(-1, 1),
                       "The 2 cancels: the slope of r²/(2σ) is r/σ.": torch.tensor([[-1.0, -1 / 3], [1 / 12, 1.0]]),
                       "Beyond σ the slope of |r| - σ/2 is 1 or -1: nothing is divided by σ there.": torch.tensor([[-1 / 3, -2 / 3], [1 / 6, 1 / 3]]),
                       "Beyond σ the slope is 1 or -1, whatever σ is.": r / 3,
                       "σ, not 1, parts the small residuals from the large.": torch.tensor([[-1.0, -1.0], [1 / 6, 1.0]]),
                       "The slope of a small residual has its sign.": torch.tensor([[-1.0, 2 / 3], [1 / 6, 1.0]]),
                       "The slope of a large residual has its sign.": torch.tensor([[1.0, -2 / 3], [1 / 6, 1.0]]),
                       "Divide Huber's slopes by σ; these are multiplied by it.": right * 3, "Divide Huber's slopes by σ once, not twice.": right / 9,
                       "This is divided by the number of entries: that is the slope of a mean.": right / 12,
                       "σ, not 1, parts the small residuals from the large, and beyond it the slope is 1 or -1.": r.clamp(-1, 1) / 3,
                       "Beyond σ the slope is 1 or -1, not 0.": torch.tensor([[0.0, -2 / 3], [1 / 6, 0.0]]),
                       "The large ones are right. Of the small ones the slope of r²/(2σ) is r/σ: here r is multiplied by σ.":
                           torch.tensor([[-1.0, -6.0], [1.5, 1.0]]),
                       "The two cases are exchanged: r²/(2σ) holds up to σ.": torch.tensor([[-5 / 3, -1.0], [1.0, 8 / 3]])},
             hint=lambda: which_slopes(1, r, 3.0) + " (σ/2 is a constant.)")
r_two = torch.tensor([-0.2, 8.0])
for k, name in enumerate(("Huber", "smooth L1")):
    assert_close(slopes(r_two, 0.5)[k], torch.tensor([[-0.2, 0.5], [-0.4, 1.0]])[k], f"{name}: the slopes for r of shape (2,), -0.2 and 8, with σ = 0.5", of=name,
                 hint=lambda k=k: "With σ = 3 the slopes were right. Is sigma used, and does it decide alone what a large residual is? " + which_slopes(k, r_two, 0.5))
    at_zero = slopes(torch.zeros(1), 0.5)[k]
    assert_close(at_zero, torch.zeros(1), f"{name}: the slope at residual 0 with σ = 0.5", of=name,
                 hint="At 0 both losses have their lowest point, with slope 0. (0 / 0 is NaN, so r / |r| is no sign at 0: r.sign() is 0 there.)")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(354)
for sigma, shape in ((0.3, (9,)), (1.7, (4, 3)), (6.0, (5,)), (0.8, ()), (1.2, (2, 3, 2))):
    r = 3 * torch.randn(shape, generator=rng)
    if len(shape) == 2:
        r[1, 2] = 0.0
    r.requires_grad_()
    for k, (name, loss) in enumerate((("Huber", nn.HuberLoss(reduction="sum", delta=sigma)), ("smooth L1", nn.SmoothL1Loss(reduction="sum", beta=sigma)))):
        wanted, = torch.autograd.grad(loss(r, torch.zeros(shape)), r)
        assert_close(slopes(r.detach(), sigma)[k], wanted, f"the slopes of {name} for σ = {sigma}, shape {shape}", of=name, hint=lambda k=k: which_slopes(k, r.detach(), sigma))
### END HIDDEN TESTS

# %% [markdown] task="3.5.2a" kind="code" minutes=8 difficulty=2 core=true needs="smooth L1 loss, Huber's loss, mean squared error"
# ### The formula as a loss
#
# Write `robust_loss(y_hat, y, sigma)`: the mean over all entries of the formula above,
# $\lvert r\rvert - \frac{\sigma}{2}$ where $\lvert r\rvert > \sigma$ and $\frac{1}{2\sigma} r^2$ elsewhere, for $r = \hat y - y$. Predictions and
# targets have the same shape. Use torch's loss or your own lines.
#
# **You are done when**
# - **small residuals**: they give $r^2 / (2\sigma)$;
# - **large residuals**: they give $\lvert r\rvert - \sigma / 2$, on both sides;
# - **mean**: the result is the mean over all entries, a tensor of one element;
# - **gradient**: the loss can be differentiated with respect to the predictions, where a residual is 0, too.

# %% exercise="3.5.2a"
def robust_loss(y_hat, y, sigma):
    """Mean of |r| - sigma/2 where |r| > sigma, else r^2 / (2 sigma), for r = y_hat - y."""
    ### BEGIN SOLUTION
    return nn.functional.smooth_l1_loss(y_hat, y, beta=sigma)
    ### END SOLUTION

# %% [markdown] hints="3.5.2a"
# 1. Which row of the table is this formula, and what is the argument called there?
# 2. `nn.SmoothL1Loss(beta=...)(y_hat, y)` makes the loss and calls it. By hand: `torch.where` with two whole tensors.
# 3. A hinge, 0 below 1 and r - 1 above, as a mean: `torch.where(r < 1, torch.zeros_like(r), r - 1).mean()`.

# %% check="3.5.2a" points=2
def one_residual(r, sigma):
    return robust_loss(torch.tensor([[float(r)]]), torch.tensor([[0.0]]), sigma)

def gives(r, sigma, loss):
    return abs(float(one_residual(r, sigma)) - loss) < 1e-4

assert_type(one_residual(2.0, 4.0), torch.Tensor, "what robust_loss returns", of="mean", hint="A tensor, from which `backward` can go on.")
assert_close(one_residual(3.0, 5.0), 0.9, "residual 3 with σ = 5: 3²/(2·5)", of="small residuals", rtol=1e-5,
             mistakes={"This is r²/2, as in HuberLoss(delta=5): the formula divides it by σ.": 4.5, "This is the branch for large residuals: 3 is below σ.": 0.5,
                       "This is the formula for σ = 1: is sigma used?": 2.5, "Divide by σ; this is multiplied by it.": 22.5,
                       "Huber's loss divided by σ once is the formula; this is divided twice.": 0.18, "The 2 in 2σ is left out.": 1.8, "The residual is squared.": 0.3,
                       "The residual alone is squared, not 2σ: this is (r/(2σ))².": 0.09,
                       "This is r²/(4σ): the formula has 2σ, and in torch's loss beta is σ itself.": 0.45,
                       "This is σ(√(1 + (r/σ)²) - 1), another curve of the same kind: below σ the formula is r²/(2σ).": 5 * (1.36 ** 0.5 - 1)},
             hint=lambda: "A mean of no entries is NaN, and here no residual is large. "
             "Decide for each entry by itself, as torch.where does; then one mean over all."
             if math.isnan(one_residual(3.0, 5.0)) else "A residual below σ gives r²/(2σ): the square, divided by twice σ. " + (
                 "With σ = 1 yours is right, 0.125 for residual 0.5: look at what becomes of σ." if gives(0.5, 1.0, 0.125) else
                 "Residual 1 gives the right loss with σ = 5, 0.1: look at what becomes of r." if gives(1.0, 5.0, 0.1) else
                 "Residual 1 with σ = 1 gives 1/2, and residual 1 with σ = 5 a fifth of that, 0.1. Yours gives another loss for both."))
assert_close(one_residual(11.0, 4.0), 9.0, "residual 11 with σ = 4: 11 - 4/2", of="large residuals", rtol=1e-5,
             mistakes={"This is HuberLoss(delta=4), 4 times the formula.": 36.0, "This is r²/(2σ): the residual is larger than σ.": 15.125,
                       "Subtract σ/2, not σ.": 7.0, "Subtract σ/2, not 1/2.": 10.5, "This is |r|: subtract σ/2.": 11.0, "Subtract σ/2, do not divide by σ.": 2.25,
                       "Subtract σ/2, not σ²/2.": 3.0, "Subtract half of σ: |r| itself is not halved.": 3.5},
             hint=lambda: "A residual beyond σ gives |r| - σ/2. " + (
                 "With σ = 1 yours is right, 2.5 for residual 3: look at what becomes of σ." if gives(3.0, 1.0, 2.5) else
                 f"Residual 12 should give 1 more than residual 11; yours {float(one_residual(12.0, 4.0) - one_residual(11.0, 4.0)):.4g} more."
                 if not gives(12.0, 4.0, 1 + float(one_residual(11.0, 4.0))) else ""))
assert_close(one_residual(-10.0, 4.0), 8.0, "residual -10 with σ = 4", of="large residuals", rtol=1e-5,
             hint="A residual beyond -σ gives |r| - σ/2.",
             mistakes={"This is r²/(2σ): |r|, not r, decides.": 12.5, "For large residuals take |r|, not r.": -12.0})
mixed = robust_loss(torch.tensor([[2.0, 10.0, -6.0], [-10.0, 1.0, -20.0]]), torch.zeros(2, 3), 4.0)
losses = {2: 0.5, 10: 8, -6: 4, -10: 8, 1: 0.125, -20: 18}
assert_equal(mixed.numel(), 1, "the number of entries of the result for residuals of shape (2, 3)", of="mean", hint="One number for all entries: their mean.")
assert_close(mixed.reshape(()), torch.tensor(38.625 / 6), "residuals 2, 10, -6, -10, 1, -20 in two rows, with σ = 4", of="mean",
             mistakes={"This is the sum.": torch.tensor(38.625),
                       "Divide by the number of entries, 6: this is divided by that of the rows, 2.": torch.tensor(38.625 / 2),
                       "The means of the small and of the large residuals do not add up to the mean of all.": torch.tensor(38.0 / 4 + 0.625 / 2),
                       "Each residual has its own case, and the mean comes last: here one case was taken for all.": torch.tensor(49 / 6 - 2),
                       "Each residual has its own case; here r²/(2σ) was taken for all.": torch.tensor(641 / 48),
                       "The mean, not the median.": torch.tensor((4.0 + 0.5) / 2)},
             hint=lambda: "Each of these residuals alone gives the right loss, 0.5, 8, 4, 8, 0.125 and 18: it is how they are put together. Decide for each by itself; then one mean over all six."
             if all(gives(r, 4.0, loss) for r, loss in losses.items()) else
             "Alone, too, these residuals give a wrong loss: " + ", ".join(str(r) for r, loss in losses.items() if not gives(r, 4.0, loss)) + ".")
assert_close(robust_loss(torch.tensor([0.0, 10.0]), torch.zeros(2), 4.0).reshape(()), torch.tensor(4.0), "residuals 0 and 10 with σ = 4", of="mean",
             mistakes={"A residual of 0 is an entry, too: divide by 2.": torch.tensor(8.0)}, hint="The loss of residual 0 is 0, and it counts in the mean.")

@probe
def slope_of_loss(p, t, sigma):
    p = p.clone().requires_grad_()
    value = robust_loss(p, t, sigma)
    return torch.autograd.grad(value, p)[0] if value.requires_grad else value

assert_close(slope_of_loss(torch.tensor([1.0, 10.0]), torch.zeros(2), 4.0), torch.tensor([0.125, 0.5]),
             "the gradient with respect to predictions 1 and 10, targets 0, σ = 4", of="gradient",
             hint="The loss must be computed by torch from the predictions, without .item(), .detach() or NumPy.")
at_zero = slope_of_loss(torch.tensor([0.0, 10.0]), torch.zeros(2), 4.0)
assert_true(not at_zero.isnan().any().item(), f"the gradient with respect to predictions 0 and 10, targets 0, σ = 4, is not NaN (yours: {at_zero.tolist()})",
            of="gradient", hint="A root has an infinite slope at 0, and 0 times infinity is NaN: write |r| as r.abs(). "
                                "Nor may anything be divided by |r|.")
assert_close(at_zero, torch.tensor([0.0, 0.5]), "the gradient with respect to predictions 0 and 10, targets 0, σ = 4", of="gradient",
             hint="At residual 0 the slope of r²/(2σ) is 0; beyond σ that of |r| is 1; both divided by 2, the number of entries.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(355)
for sigma, shape in ((0.4, (7, 1)), (1.0, (6,)), (2.5, (3, 4))):
    p, t = 3 * torch.randn(*shape, generator=rng), torch.randn(*shape, generator=rng)
    r = p - t
    for of, mask in (("small residuals", r.abs() <= sigma), ("large residuals", r.abs() > sigma)):
        wanted = torch.where(r.abs() > sigma, r.abs() - sigma / 2, r ** 2 / (2 * sigma))[mask].mean()
        found = robust_loss(p[mask], t[mask], sigma)
        assert_equal(found.numel(), 1, f"the number of entries of the result, {of}, σ = {sigma}", of="mean")
        assert_close(found.reshape(()), wanted, f"{of}, σ = {sigma}", of=of)
    wanted = torch.where(r.abs() > sigma, r.abs() - sigma / 2, r ** 2 / (2 * sigma)).mean()
    assert_close(robust_loss(p, t, sigma).reshape(()), wanted, f"shape {shape}, σ = {sigma}", of="mean")
    assert_close(slope_of_loss(p, t, sigma), r.clamp(-sigma, sigma) / sigma / r.numel(), f"the gradient, shape {shape}, σ = {sigma}", of="gradient")
assert_close(robust_loss(torch.tensor([[2.0], [-3.0], [1.0]]), torch.tensor([[2.0], [0.0], [1.0]]), 1.5).reshape(()), torch.tensor(0.75), "residuals 0, -3, 0 with σ = 1.5", of="mean")
assert_close(slope_of_loss(torch.tensor([[2.0], [-3.0]]), torch.tensor([[2.0], [0.0]]), 1.5), torch.tensor([[0.0], [-0.5]]), "the gradient for residuals 0 and -3, σ = 1.5", of="gradient")
### END HIDDEN TESTS

# %% [markdown] task="3.5.2b" kind="code" minutes=4 difficulty=2 needs="Huber's loss, smooth L1 loss, sum or mean and the learning rate"
# ### One name for the other
#
# A program was tuned with `nn.SmoothL1Loss(beta=σ)` at learning rate `lr`. Somebody writes `nn.HuberLoss(delta=σ)` in its
# place. Write `huber_rate(lr, sigma)`: the learning rate with which plain SGD then makes the same steps as before. And
# write `smooth_rate(lr, sigma)` for the other direction: from `HuberLoss(delta=sigma)` at `lr` to `SmoothL1Loss(beta=sigma)`.
# (The cell begins the first one only; the second needs a `def` of its own below it.)
#
# **You are done when**
# - **to Huber**: `huber_rate` is right, for σ below and above 1;
# - **to smooth L1**: `smooth_rate` is right.

# %% exercise="3.5.2b"
def huber_rate(lr, sigma):
    """The rate for HuberLoss(delta=sigma) that makes the steps of SmoothL1Loss(beta=sigma) at lr."""
    ### BEGIN SOLUTION
    return lr / sigma

def smooth_rate(lr, sigma):
    return lr * sigma
    ### END SOLUTION

# %% [markdown] hints="3.5.2b"
# 1. Which of the two losses has the longer gradient, for σ = 4?
# 2. Rate times gradient must stay.
# 3. From r² to 10 r²: the rate is divided by 10.

# %% check="3.5.2b" points=1
assert_type(huber_rate(0.1, 4.0), (float, int, torch.Tensor, np.ndarray), "what huber_rate returns", of="to Huber")
alike = {"A rate of 0 makes no step. (`//` cuts the fraction off: divide by `/`.)": [0.0, 0.0], "lr is missing: for another lr the new rate is another one.": [1.0, 1.0], "lr must multiply, not divide: this is 1/lr.": [10.0, 2.5]}
assert_close([huber_rate(0.1, 1.0), huber_rate(0.4, 1.0)], [0.1, 0.4], "huber_rate for σ = 1, where the two losses are equal, and rates 0.1, 0.4", of="to Huber", rtol=1e-6,
             mistakes={**alike, "The factor is σ, not 2σ.": [0.05, 0.2], "The factor is σ, not σ/2.": [0.2, 0.8]}, hint="For σ = 1 both losses have the same gradients: the rate stays as it is.")
def doubled(rate, words, factor):
    """What becomes of a rate with lr or σ doubled, if it is not what should."""
    start = float(rate(0.1, 4.0))
    of_lr, of_sigma = float(rate(0.2, 4.0)) / start, float(rate(0.1, 8.0)) / start
    return (f"With lr 0.2 in place of 0.1 the rate should be twice as large; yours is {of_lr:.3g} times as large. " if abs(of_lr - 2) > 1e-4 else "") + (
        f"With σ = 8 in place of 4 it should be {words}; yours is {of_sigma:.3g} times as large." if abs(of_sigma - factor) > 1e-4 else "")

assert_close([huber_rate(0.1, 4.0), huber_rate(0.1, 0.5)], [0.025, 0.2], "huber_rate for rate 0.1 and σ = 4, σ = 0.5", of="to Huber", rtol=1e-6,
             mistakes={"The other way round: for σ = 4 Huber's gradients are 4 times as long.": [0.4, 0.05],
                       "The rate cannot stay: the gradients differ by the factor σ.": [0.1, 0.1], "The factor is σ, not its square.": [0.1 / 16, 0.4],
                       "For σ below 1, too, the gradients differ by the factor σ.": [0.025, 0.1],
                       "σ below 1 is no other case: divide by σ there, too.": [0.025, 0.05], "The factor is σ, not 2σ.": [0.0125, 0.1],
                       "The factor is σ, not σ/2.": [0.05, 0.4], "The factor is σ, not its root.": [0.05, 0.1 / 0.5 ** 0.5],
                       "The factor is σ itself, not the mean of 1 and σ.": [0.04, 0.2 / 1.5],
                       "The rate is multiplied or divided, it is no power of lr.": [0.1 ** 4, 0.1 ** 0.5],
                       "Do not round the rate.": [0.03, 0.2], "Do not round the rate: 0.025 has three decimals.": [0.02, 0.2]},
             hint=lambda: "Rate times gradient stays; the gradients of HuberLoss are σ times those of SmoothL1Loss, for every σ: "
             "where smooth L1's is 1, Huber's is 4 for σ = 4, and 0.1 · 1 = 0.025 · 4. " + doubled(huber_rate, "half as large", 0.5))
assert_close([smooth_rate(0.1, 1.0), smooth_rate(0.4, 1.0)], [0.1, 0.4], "smooth_rate for σ = 1, where the two losses are equal, and rates 0.1, 0.4", of="to smooth L1", rtol=1e-6,
             mistakes={**alike, "The factor is σ, not 2σ.": [0.2, 0.8], "The factor is σ, not σ/2.": [0.05, 0.2]}, hint="For σ = 1 both losses have the same gradients: the rate stays as it is.")
assert_close([smooth_rate(0.1, 4.0), smooth_rate(0.1, 0.5)], [0.4, 0.05], "smooth_rate for rate 0.1 and σ = 4, σ = 0.5", of="to smooth L1", rtol=1e-6,
             mistakes={"The other way round: for σ = 4 the gradients of the smooth L1 loss are a quarter.": [0.025, 0.2],
                       "The rate cannot stay: the gradients differ by the factor σ.": [0.1, 0.1], "The factor is σ, not its square.": [1.6, 0.025],
                       "For σ below 1, too, the gradients differ by the factor σ.": [0.4, 0.1],
                       "σ below 1 is no other case: multiply by σ there, too.": [0.4, 0.2], "The factor is σ, not 2σ.": [0.8, 0.1],
                       "The factor is σ, not σ/2.": [0.2, 0.025], "The factor is σ, not its root.": [0.2, 0.1 * 0.5 ** 0.5]},
             hint=lambda: "Rate times gradient stays; the gradients of HuberLoss are σ times those of SmoothL1Loss, for every σ: "
             "where Huber's is 4, smooth L1's is 1 for σ = 4, and 0.1 · 4 = 0.4 · 1. " + doubled(smooth_rate, "twice as large", 2.0))
### BEGIN HIDDEN TESTS
r = torch.tensor([3.0, -0.2], requires_grad=True)
for sigma in (0.25, 1.0, 7.0):
    huber, smooth = (torch.autograd.grad(loss(r, torch.zeros(2)), r)[0][0].item()
                     for loss in (nn.HuberLoss(delta=sigma), nn.SmoothL1Loss(beta=sigma)))
    assert_close(huber_rate(0.3, sigma), 0.3 * smooth / huber, f"huber_rate for σ = {sigma}", of="to Huber", rtol=1e-5,
                 hint=lambda: where_they_part(huber_rate, lambda lr, sigma: lr / sigma, lr=0.3, sigma=sigma))
    assert_close(smooth_rate(0.3, sigma), 0.3 * huber / smooth, f"smooth_rate for σ = {sigma}", of="to smooth L1", rtol=1e-5,
                 hint=lambda: where_they_part(smooth_rate, lambda lr, sigma: lr * sigma, lr=0.3, sigma=sigma))
### END HIDDEN TESTS

# %% [markdown] teaches="outliers and robust regression"
# Does it help? One target in twenty is replaced by 100 here. We train the same layer with three losses, on all examples
# at once, and compare with the true weights 2, -3.4 and bias 4.2.

# %%
draw = torch.Generator().manual_seed(4)
X_dirty = torch.randn(400, 2, generator=draw)
y_dirty = X_dirty @ true_w.reshape(-1, 1) + true_b + 0.1 * torch.randn(400, 1, generator=draw)
y_dirty[torch.randperm(400, generator=draw)[:20]] = 100.0

for name, criterion in (("MSELoss", nn.MSELoss()), ("L1Loss", nn.L1Loss()), ("SmoothL1Loss(beta=1)", nn.SmoothL1Loss(beta=1.0))):
    torch.manual_seed(0)
    net = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
    for _ in range(400):
        loss = criterion(net(X_dirty), y_dirty)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"{name:21}", [round(v, 3) for v in net.weight.flatten().tolist() + net.bias.tolist()])

# %% [markdown]
# The squares drag the bias up by almost five, to be less wrong on twenty far-off targets. `L1Loss` and the smooth L1 loss
# come out close to the truth: in their gradient a target that is off by 100 counts no more than one that is off by 2.

# %% [markdown] task="3.5.2c" kind="code" minutes=12 difficulty=3 needs="smooth L1 loss, outliers and robust regression, linear regression as a module, shapes in the loss"
# ### A robust module
#
# Write the class `RobustRegression(lr, sigma)`, a subclass of `d2l.LinearRegression` that trains with the formula of
# 3.5.2a in place of the squared loss. `d2l.Trainer` must be able to fit it, to data with any number of features.
#
# **You are done when**
# - **loss**: `model.loss(y_hat, y)` is the mean of the formula, with the `sigma` of the model;
# - **hyperparameters**: `model.lr` and `model.sigma` are the numbers given;
# - **inherited**: it is a subclass of `d2l.LinearRegression`, and `model.get_w_b()` gives a weight (1, d) and a bias (1,) after a batch of
#   d features;
# - **shapes**: `model.loss` raises `ValueError` for unequal shapes;
# - **training**: each step, in `d2l.Trainer` too, is one of plain SGD on `model.loss` at the rate `lr`, and fitted to data of which one
#   target in twenty is far off, the model comes within 0.15 of the true weights and bias.

# %% exercise="3.5.2c"
class RobustRegression(d2l.LinearRegression):
    """Linear regression with the smooth L1 loss of width sigma."""
    ### BEGIN SOLUTION
    def __init__(self, lr, sigma):
        super().__init__(lr)
        self.save_hyperparameters()

    def loss(self, y_hat, y):
        if y_hat.shape != y.shape:
            raise ValueError(f"predictions of shape {tuple(y_hat.shape)}, targets of shape {tuple(y.shape)}")
        return nn.functional.smooth_l1_loss(y_hat, y, beta=self.sigma)
    ### END SOLUTION

# %% [markdown] hints="3.5.2c"
# 1. Which methods of `ConciseRegression` above must be new, and which can be inherited?
# 2. `super().__init__(lr)` builds the layer; `self.save_hyperparameters()` keeps the arguments. The optimizer uses `self.lr`.
# 3. A subclass with the absolute loss has `def loss(self, y_hat, y): return (y_hat - y).abs().mean()`.

# %% check="3.5.2c" points=3
@probe
def loss_of_module(lr, sigma, p, t):
    return RobustRegression(lr, sigma).loss(p, t)

@probe
def kept(lr, sigma):
    model = RobustRegression(lr, sigma)
    return [getattr(model, "lr", "no attribute lr"), getattr(model, "sigma", "no attribute sigma")]

@probe
def trained(lr, sigma, w, b, seed, epochs):
    torch.manual_seed(seed)
    data = d2l.SyntheticRegressionData(w=w, b=b, noise=0.1, num_train=400, num_val=100, batch_size=25)
    data.y[:400:20] = 60.0
    model = RobustRegression(lr, sigma)
    d2l.Trainer(epochs, device="cpu", verbose=False).fit(model, data)
    return [p.detach().flatten() for p in model.net.parameters()]

@probe
def moved(lr, sigma, w, b):
    data = d2l.SyntheticRegressionData(w=w, b=b, noise=0.1, num_train=64, num_val=32, batch_size=32)
    model = RobustRegression(lr, sigma)
    model(data.X[:2])
    before = torch.cat([p.detach().flatten().clone() for p in model.net.parameters()])
    d2l.Trainer(1, device="cpu", verbose=False).fit(model, data)
    return torch.cat([p.detach().flatten() for p in model.net.parameters()]) - before

@probe
def lineage(lr, sigma):
    return [c.__name__ for c in type(RobustRegression(lr, sigma)).__mro__]

@probe
def parameters_after_a_batch(lr, sigma, X):
    model = RobustRegression(lr, sigma)
    if "_parameters" not in vars(model):
        return "the model has no layer, since super().__init__(lr) was not called"
    try:
        model(X)
    except (RuntimeError, AttributeError) as error:
        return f"model(X) raises {type(error).__name__}: {error}"
    if getattr(getattr(model, "net", None), "bias", None) is None:
        return "model.net has no bias"
    return [tuple(p.shape) for p in model.get_w_b()]

@probe
def after_steps(lr, sigma, X, y, count):
    model = RobustRegression(lr, sigma)
    model(X)
    weight, bias = model.net.parameters()
    with torch.no_grad():
        weight.zero_()
        bias.zero_()
    optimizer = model.configure_optimizers()
    for _ in range(count):
        optimizer.zero_grad()
        model.loss(model(X), y).backward()
        optimizer.step()
    return torch.cat([weight.detach().flatten(), bias.detach().flatten()])

@probe
def after_fitting(lr, sigma, X, y):
    data = d2l.SyntheticRegressionData(w=torch.ones(X.shape[1]), b=0.0, noise=0.1, num_train=len(X), num_val=1, batch_size=len(X))
    data.X[:len(X)], data.y[:len(X)] = X, y
    model = RobustRegression(lr, sigma)
    model(X)
    with torch.no_grad():
        for p in model.net.parameters():
            p.zero_()
    d2l.Trainer(1, device="cpu", verbose=False).fit(model, data)
    return torch.cat([p.detach().flatten() for p in model.net.parameters()])

def plain_steps(lr, sigma, X, y, steps, keep=0.0):
    A, v = torch.cat([X, torch.ones(len(X), 1)], dim=1), torch.zeros(X.shape[1] + 1)
    step = torch.zeros_like(v)
    for _ in range(steps):
        step = keep * step + A.T @ ((A @ v - y.flatten()) / sigma).clamp(-1, 1) / len(X)
        v = v - lr * step
    return v

def second_step(lr, sigma, X, y):
    """What is wrong with the second of two steps, in words."""
    first, second = plain_steps(lr, sigma, X, y, 1), plain_steps(lr, sigma, X, y, 2)
    extra = after_steps(lr, sigma, X, y, 2) - second
    share, old_step = (extra @ first / (first @ first)).item(), second - first
    if torch.allclose(extra, share * first, rtol=0, atol=1e-4) and extra.abs().max() > 1e-3 and share < 0:
        return f"Beside the step each parameter has been made smaller by {-share:.2g} of itself, as weight decay does: plain SGD has none."
    share = ((extra + old_step) @ old_step / (old_step @ old_step)).item()
    if torch.allclose(extra + old_step, share * old_step, rtol=0, atol=1e-4):
        return f"The second step has the right direction and {share:.2g} times the right length: the rate is self.lr in both."
    return "The second step, too, is self.lr times the new gradient of the loss, and nothing more: no momentum, no weight decay."

@probe
def slope_of_model_loss(lr, sigma, p, t):
    p = p.clone().requires_grad_()
    value = RobustRegression(lr, sigma).loss(p, t)
    return torch.autograd.grad(value, p)[0] if value.requires_grad else "no gradient"

p, t = torch.tensor([[1.0], [10.0], [-10.0]]), torch.zeros(3, 1)
assert_equal(kept(0.25, 3.0), [0.25, 3.0], "model.lr and model.sigma of RobustRegression(0.25, 3.0)", of="hyperparameters",
             mistakes={"The two are exchanged.": [3.0, 0.25],
                       "sigma has become lr, too: hand lr to super().__init__.": [3.0, 3.0],
                       "lr has become sigma, too.": [0.25, 0.25]},
             hint="Both numbers are kept under these names: self.save_hyperparameters() does that, or self.lr = lr and self.sigma = sigma.")
assert_type(loss_of_module(0.1, 4.0, p, t), torch.Tensor, "what model.loss returns", of="loss")
assert_close(loss_of_module(0.1, 4.0, p, t), torch.tensor(16.125 / 3), "the loss of residuals 1, 10, -10 for sigma = 4", of="loss",
             mistakes={"This is HuberLoss(delta=4), 4 times the formula.": torch.tensor(64.5 / 3),
                       "This is the mean squared error: `loss` is not replaced.": torch.tensor(67.0),
                       "The model's sigma is not used: this is the loss for 1.": torch.tensor(19.5 / 3), "This is the sum.": torch.tensor(16.125),
                       "The squared loss was added: replace it.": torch.tensor(67.0 + 16.125 / 3), "This is r²/(2σ) for all residuals.": torch.tensor(201 / 24),
                       "This is the absolute value: subtract σ/2 from it, and take r²/(2σ) for small residuals.": torch.tensor(7.0),
                       "Beyond sigma the loss goes on growing, as |r| - σ/2: this stays at σ/2, its value for |r| = σ.": torch.tensor(4.125 / 3)},
             hint="The mean of the formula of 3.5.2a, with self.sigma: r²/(2σ) for 1, and |r| - σ/2 for 10 and -10: 0.125, 8 and 8.")
assert_raises(ValueError, loss_of_module, 0.1, 1.0, p, t.flatten(), what="the loss of predictions (3, 1) against targets (3,)", of="shapes",
              hint="Raise ValueError where y_hat.shape and y.shape differ at all: a `loss` of your own replaces the one of d2l.LinearRegression, with its test.")
assert_raises(ValueError, loss_of_module, 0.1, 1.0, p, t[:1], what="the loss of predictions (3, 1) against targets (1, 1)", of="shapes",
              hint="Compare the shapes themselves, not the numbers of their axes.")
assert_true("LinearRegression" in lineage(0.1, 1.0), "RobustRegression is a subclass of d2l.LinearRegression", of="inherited")
parameters = parameters_after_a_batch(0.1, 1.0, torch.ones(3, 4))
assert_true(isinstance(parameters, list), f"a batch of 4 features goes through the model (yours: {parameters})", of="inherited",
            hint="The layer of d2l.LinearRegression reads the number of features from the first batch: keep it.")
assert_equal(parameters, [(1, 4), (1,)], "the shapes of model.get_w_b() after a batch of 4 features", of="inherited",
             hint="The get_w_b of d2l.LinearRegression gives weight and bias as the layer holds them: keep it.")
assert_close(slope_of_model_loss(0.1, 4.0, p, t), torch.tensor([[0.25], [1.0], [-1.0]]) / 3, "the gradient of the loss with respect to predictions 1, 10, -10, targets 0, sigma = 4",
             of="training", hint="The loss must hang on the predictions, without .item(), .detach() or NumPy.")
assert_close(moved(0.0, 1.0, torch.tensor([2.0, -3.4]), 4.2), torch.zeros(3), "how far one epoch with lr 0 moves the weights and the bias", of="training",
             hint="The optimizer must use self.lr. The inherited configure_optimizers does.")
X_pair, y_pair = torch.tensor([[2.0, 0.0], [0.0, 4.0]]), torch.tensor([[1.0], [-30.0]])       # slopes of the loss -1/4 and 1, over 2
assert_close(after_steps(0.5, 4.0, X_pair, y_pair, 1), torch.tensor([0.125, -1.0, -0.1875]),
             "weights and bias after one step from zero with lr 0.5 and sigma = 4, for the examples (2, 0) with target 1 and (0, 4) with target -30", of="training",
             mistakes={"The rate was divided by sigma: the loss is right as it is, and the step takes self.lr.": torch.tensor([0.125, -1.0, -0.1875]) / 4,
                       "The rate was multiplied by sigma: the loss is right as it is, and the step takes self.lr.": torch.tensor([0.125, -1.0, -0.1875]) * 4,
                       "Each entry has moved by lr itself, as with Adam: plain SGD moves by lr times the gradient.": torch.tensor([0.5, -0.5, -0.5]),
                       "The bias has not moved: the optimizer needs all parameters, self.parameters().": torch.tensor([0.125, -1.0, 0.0]),
                       "The weights have not moved: the optimizer needs all parameters, self.parameters().": torch.tensor([0.0, 0.0, -0.1875]),
                       "Nothing has moved: are the parameters of the model in the optimizer?": torch.zeros(3),
                       "The step goes with the gradient, not against it.": -torch.tensor([0.125, -1.0, -0.1875])},
             hint="Plain SGD: each parameter moves by self.lr times its gradient. The inherited configure_optimizers does that.")
assert_close(after_steps(0.5, 4.0, X_pair, y_pair, 2), plain_steps(0.5, 4.0, X_pair, y_pair, 2),
             "weights and bias after two such steps, of which the first is right", of="training",
             mistakes={"Part of the first step goes on in the second, as with momentum: plain SGD has none.": plain_steps(0.5, 4.0, X_pair, y_pair, 2, keep=0.9)},
             hint=lambda: second_step(0.5, 4.0, X_pair, y_pair))
assert_close(after_fitting(0.5, 4.0, X_pair, y_pair), plain_steps(0.5, 4.0, X_pair, y_pair, 1),
             "weights and bias after d2l.Trainer has made one step from zero, lr 0.5, sigma = 4, with these two examples",
             of="training", mistakes={"This is the step for the mean squared error: a training_step of your own replaces the one that calls your loss.": 0.5 * torch.tensor([2.0, -120.0, -29.0])},
             hint="The loss and the optimizer are right, yet the Trainer's step is another one: it calls model(X) and the model's training_step, which the class inherits.")
found = trained(0.1, 1.0, torch.tensor([2.0, -3.4]), 4.2, 1, 12)
assert_equal([len(v) for v in found], [2, 1], "the numbers of weights and of biases after training on 2 features", of="training")
off = (torch.cat(found) - torch.tensor([2.0, -3.4, 4.2])).abs().max().item()
assert_true(off < 0.15, f"after 12 epochs at lr 0.1 with sigma = 1 all are within 0.15 of 2, -3.4 and 4.2 (yours are off by up to {off:.2f})", of="training",
            hint="Single steps are right, a whole training is not: does anything change in the model, its loss or its optimizer as it goes on?")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(356)
for sigma in (0.5, 2.0):
    p, t = 3 * torch.randn(8, 1, generator=rng), torch.randn(8, 1, generator=rng)
    assert_close(loss_of_module(0.1, sigma, p, t), nn.SmoothL1Loss(beta=sigma)(p, t), f"the loss of 8 examples, sigma = {sigma}", of="loss")
assert_equal(kept(0.5, 0.125), [0.5, 0.125], "model.lr and model.sigma of RobustRegression(0.5, 0.125)", of="hyperparameters")
assert_raises(ValueError, loss_of_module, 0.1, 2.0, torch.ones(5), torch.ones(5, 1), what="the loss of predictions (5,) against targets (5, 1)", of="shapes")
assert_raises(ValueError, loss_of_module, 0.1, 2.0, torch.ones(5, 1), torch.ones(1, 5), what="the loss of predictions (5, 1) against targets (1, 5)", of="shapes")
assert_true("LinearRegression" in lineage(0.3, 2.0), "it is a subclass of d2l.LinearRegression", of="inherited")
assert_equal(parameters_after_a_batch(0.3, 2.0, torch.ones(2, 1)), [(1, 1), (1,)], "the shapes of model.get_w_b() after a batch of 1 feature", of="inherited")
wanted = torch.tensor([-1.0, 0.5, 3.0, -2.0])
off = (torch.cat(trained(0.2, 0.5, wanted[:3], -2.0, 3, 10)) - wanted).abs().max().item()
assert_true(off < 0.15, "after 10 epochs at lr 0.2 with sigma = 0.5, three features", of="training")
X, y, sigma = torch.randn(7, 3, generator=rng), 4 * torch.randn(7, 1, generator=rng), 2.5
slope = (-y).clamp(-sigma, sigma) / sigma / 7
assert_close(after_steps(0.3, sigma, X, y, 1), -0.3 * torch.cat([(X.T @ slope).flatten(), slope.sum().reshape(1)]),
             "weights and bias after one step from zero with lr 0.3 and sigma = 2.5, 7 examples of 3 features", of="training")
assert_close(after_steps(0.3, sigma, X, y, 2), plain_steps(0.3, sigma, X, y, 2), "weights and bias after two such steps",
             of="training")
assert_close(after_fitting(0.3, sigma, X, y), plain_steps(0.3, sigma, X, y, 1),
             "weights and bias after d2l.Trainer has made one such step", of="training")
start = trained(0.0, 0.5, wanted[:3], -2.0, 3, 1)
assert_true((torch.cat(start) - wanted).abs().max().item() > 1.5, "with lr 0 nothing is learnt", of="training", hint="Does the optimizer use self.lr?")
### END HIDDEN TESTS

# %% [markdown] teaches="reading gradients, gradients add up"
# ## Reading the gradients
#
# A model that does not learn has a reason, and often the gradients tell it: all zero, or enormous, or missing. Every
# parameter carries its own in `.grad`. Watch one through the life of a step:

# %%
torch.manual_seed(0)
net = nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
X_one, y_one = data.X[:4], data.y[:4]

print("before any backward:   ", net.weight.grad)
nn.MSELoss()(net(X_one), y_one).backward()
print("after one backward:    ", [round(v, 3) for v in net.weight.grad.flatten().tolist()], "shape", tuple(net.weight.grad.shape))
nn.MSELoss()(net(X_one), y_one).backward()
print("after a second one:    ", [round(v, 3) for v in net.weight.grad.flatten().tolist()])
optimizer.step()
print("after optimizer.step():", [round(v, 3) for v in net.weight.grad.flatten().tolist()])
optimizer.zero_grad()
print("after zero_grad():     ", net.weight.grad)

# %% [markdown]
# Four facts. Before the first `backward` there is no gradient: `None`. The gradient has the shape of its parameter. A second
# `backward` *adds*: twice the same loss gives twice the numbers. `step` uses the gradient and leaves it alone.
#
# ⚠ And `zero_grad()` does not fill it with zeros, in spite of its name: it sets `.grad` to `None` again, which saves the
# memory. Code that reads `.grad` right after it meets `None`. (`zero_grad(set_to_none=False)` fills with zeros.)

# %% [markdown] task="3.5.D" kind="answer" minutes=3 difficulty=2 core=true needs="reading gradients, gradients add up"
# ### What does `.grad` hold?
#
# ```python
# w = torch.tensor([1.0], requires_grad=True)
# optimizer = torch.optim.SGD([w], lr=0.1)
#                              # A
# (3 * w).sum().backward()     # B
# (2 * w).sum().backward()     # C
# optimizer.step()             # D
# optimizer.zero_grad()        # E
# (w * w).sum().backward()     # F
# ```
#
# Bind `held`, a dictionary with the keys `"A"` to `"F"`: what `w.grad` holds *after* that line, a number or `None`. Work it
# out before you run it.
#
# **You are done when**
# - **keys**: the dictionary has the six keys;
# - **first gradients**: A, B and C are right;
# - **step and zero_grad**: D and E are right;
# - **after the step**: F is right.

# %% exercise="3.5.D"
### BEGIN SOLUTION
held = {"A": None, "B": 3, "C": 5, "D": 5, "E": None, "F": 1.0}
### END SOLUTION

# %% [markdown] hints="3.5.D"
# 1. What is the derivative of 3w, and what does the second `backward` do with it?
# 2. `step` moves w by the learning rate times the gradient. F needs the new w: the derivative of w² is 2w.
# 3. With lr 1 and the loss 4u from u = 10: the gradient is 4, u becomes 6, and u² then has the slope 12.

# %% check="3.5.D" points=1
assert_type(held, dict, "held", of="keys")
assert_equal(sorted(map(str, held)), ["A", "B", "C", "D", "E", "F"], "the keys of held", of="keys", hint="The six capital letters, as strings.")
def state():
    w = torch.tensor([1.0], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    now, read = {}, lambda: None if w.grad is None else w.grad.item()
    now["A"] = read()
    (3 * w).sum().backward()
    now["B"] = read()
    (2 * w).sum().backward()
    now["C"] = read()
    optimizer.step()
    now["D"] = read()
    optimizer.zero_grad()
    now["E"] = read()
    (w * w).sum().backward()
    now["F"] = read()
    return now

wanted = state()

def plain(value):           # a tensor of one entry is as good as its number
    return value.item() if isinstance(value, torch.Tensor) and value.numel() == 1 else value

assert_true(held["A"] is wanted["A"], f"w.grad after line A is None, without quotation marks (yours: {held['A']!r})", of="first gradients",
            hint="Before the first backward there is no gradient at all.")
assert_close(plain(held["B"]), wanted["B"], "w.grad after line B", of="first gradients", rtol=1e-3, hint="It is the derivative of 3w.",
             mistakes={"This is what w.grad holds after C. (If you stored w.grad itself, line C has added to it: store its number, w.grad.item().)": 5.0})
assert_close(plain(held["C"]), wanted["C"], "w.grad after line C", of="first gradients", rtol=1e-3, hint="The second backward adds to the first.",
             mistakes={"This is the second gradient alone: backward adds it to what is there, it does not replace it.": 2.0,
                       "backward adds the gradients, it does not multiply them.": 6.0, "backward adds the gradients, it does not take their mean.": 2.5})
assert_true(held["D"] is not None, "w.grad after line D is a number, not None", of="step and zero_grad", hint="step leaves the gradient alone: it moves w. Only zero_grad, in the line after it, removes the gradient.")
assert_close(plain(held["D"]), wanted["D"], "w.grad after line D", of="step and zero_grad", rtol=1e-3, hint="step leaves the gradient alone: it moves w.",
             mistakes={"0.5 is lr times the gradient, the way that w goes, and it is the new w as well: .grad still holds the gradient itself.": 0.5,
                       "step subtracts lr times the gradient from w; nothing is subtracted from .grad.": 4.5})
assert_true(held["E"] is wanted["E"], f"w.grad after line E is None, without quotation marks (yours: {held['E']!r})", of="step and zero_grad",
            hint="zero_grad removes the gradient: there is none any more.")
assert_close(plain(held["F"]), wanted["F"], "w.grad after line F", of="after the step", rtol=1e-3,
             hint="It is 2w, for the w that the step has left behind.",
             mistakes={"The step has moved w: it is not 1 any more.": 2.0, "zero_grad has removed the old gradient, so nothing is added.": 6.0,
                       "step moves w against the gradient, to 1 - 0.1 · 5, not to 1 + 0.1 · 5.": 3.0,
                       "This is w itself; .grad holds the derivative of w², 2w.": 0.5, "This is w² itself; .grad holds its derivative, 2w.": 0.25,
                       "step moves w by lr times the gradient, 0.1 · 5, not by the whole gradient.": -8.0,
                       "step moves w by lr times the gradient, 0.1 · 5, not by lr alone: this is 2w for w = 1 - 0.1.": 1.8,
                       "step uses what .grad holds after C, the sum of both gradients: this is 2w after a step with the second alone.": 1.6,
                       "step uses what .grad holds after C, the sum of both gradients: this is 2w after a step with the first alone.": 1.4})
### BEGIN HIDDEN TESTS
assert_equal(len(held), 6, "the number of entries of held", of="keys")
assert_true(held["A"] is None, "w.grad after line A", of="first gradients")
assert_close([plain(held["B"]), plain(held["C"])], [3.0, 5.0], "w.grad after lines B and C", of="first gradients", rtol=1e-3)
assert_true(held["E"] is None, "w.grad after line E", of="step and zero_grad")
assert_close(plain(held["F"]), 1.0, "w.grad after line F", of="after the step", rtol=1e-3)
### END HIDDEN TESTS

# %% [markdown] task="3.5.3a" kind="code" minutes=10 difficulty=3 core=true needs="reading gradients, gradients add up, linear layer, mean squared error"
# ### A look without a trace
#
# To look at gradients in the midst of a training must not change the training. Write `gradients(layer, X, y)`: for an
# `nn.Linear` layer, of any number of outputs, it returns the pair of the gradients of `nn.MSELoss()(layer(X), y)` with respect to the layer's weight and its bias.
#
# **You are done when**
# - **values**: they are the gradients of this loss alone, whatever the layer's `.grad` held before;
# - **shape**: each has the shape of its parameter;
# - **nothing changed**: afterwards the layer's `.grad` holds what it held before, `None` or numbers, and its parameters are as
#   they were;
# - **own copies**: a later `backward` does not change what was returned.

# %% exercise="3.5.3a"
def gradients(layer, X, y):
    """Gradients of the mean squared error with respect to layer.weight and layer.bias; the layer stays as it is."""
    ### BEGIN SOLUTION
    loss = nn.MSELoss()(layer(X), y)
    return torch.autograd.grad(loss, (layer.weight, layer.bias))
    ### END SOLUTION

# %% [markdown] hints="3.5.3a"
# 1. What would `backward()` do to a layer whose `.grad` holds numbers already?
# 2. `torch.autograd.grad(loss, (p, q))` returns the gradients and writes nothing. With `backward` you must keep the old
#    `.grad`s, set them to `None`, copy the new ones with `.clone()`, and put the old ones back.
# 3. For a loss of one tensor: `slope, = torch.autograd.grad((u ** 2).sum(), u)` is 2u.

# %% check="3.5.3a" points=2
@probe
def looked(w, b, X, y, before):
    layer = nn.Linear(w.shape[1], w.shape[0])
    with torch.no_grad():
        layer.weight.copy_(w)
        layer.bias.copy_(b)
    held = [g.clone() for g in before]
    if held:
        layer.weight.grad, layer.bias.grad = held
    first = gradients(layer, X, y)
    held = [g.clone() for g in held]
    after = ["None" if p.grad is None else p.grad.clone() for p in layer.parameters()]
    kept = [p.detach().clone() for p in layer.parameters()]
    shown = [g.detach().clone() for g in first]
    trainable = [int(p.requires_grad) for p in layer.parameters()]
    if all(trainable):
        (5 * layer(X) ** 2).sum().backward()
    return [shown, after, kept, [g.detach() for g in first], trainable, held]

@probe
def returned(X, y):
    return gradients(nn.Linear(X.shape[1], 1), X, y)

X, y = torch.tensor([[1.0, 2.0], [0.0, 1.0]]), torch.tensor([[1.0], [-2.0]])
w, b = torch.tensor([[1.0, 1.0]]), torch.tensor([1.5])
right = torch.tensor([[3.5, 11.5]]), torch.tensor([8.0])
pair = returned(X, y)
assert_type(pair, (tuple, list), "what gradients returns", of="values")
assert_equal(len(pair), 2, "how many gradients are returned", of="values")
for entry, name in zip(pair, ("weight", "bias")):
    assert_type(entry, torch.Tensor, f"what gradients returns for the {name}", of="values", hint="A tensor; and read .grad before it is cleared.")
got, after, kept_, later, trainable, _ = looked(w, b, X, y, [])
def agrees(found, *wanted):
    return all(torch.allclose(one, torch.tensor(other), atol=1e-4) for one, other in zip(found, wanted))

def about_one_output(k):
    """What further calls show, in words."""
    if agrees(looked(w, 0 * b, X, y, [])[0], [[2.0, 7.0]], [5.0]):
        return "For bias 0 yours is right: look at what becomes of the bias."
    if agrees(looked(w, b, X[:1], y[:1], [])[0], [[7.0, 14.0]], [7.0]) and agrees(looked(w, b, X[1:], y[1:], [])[0], [[0.0, 9.0]], [9.0]):
        return "With each of the two examples alone yours is right: look at how they are put together."
    return ("The residuals are 3.5 and 4.5, with the mean 4, and the gradient of the bias is twice that, 8." if k else
            "The residuals are 3.5 and 4.5. Times the second input, 2 and 1, they are 7 and 4.5, with the mean 5.75, and the second gradient is twice that, 11.5.")

for k, name in enumerate(("weight", "bias")):
    assert_shape(got[k], tuple((w, b)[k].shape), f"the shape of the gradient of the {name}, 2 inputs and 1 output", of="shape",
                 hint="The first has the shape of layer.weight, (outputs, inputs), the second that of layer.bias.")
    assert_close(got[k], right[k], f"the gradient of the {name} for 2 examples and 1 output, weight (1, 1) and bias 1.5", of="values",
                 hint=lambda: "The loss is that of the layer as it is handed in, with its own weight and its own bias. "
                 + about_one_output(k),
                 mistakes={"The bias of the layer is left out: this is the gradient for bias 0.": (torch.tensor([[2.0, 7.0]]), torch.tensor([5.0]))[k],
                           "This is the gradient of half the squares.": right[k] / 2,
                           "This is the gradient of the sum.": right[k] * 2,
                           "The residual is prediction minus target; here it is target minus prediction.": -right[k],
                           "The targets are left out: the loss compares layer(X) with y.": (torch.tensor([[4.5, 11.5]]), torch.tensor([7.0]))[k],
                           **({} if k else {"Every prediction is compared with every target: keep the shapes of layer(X) and y.": torch.tensor([[5.0, 13.0]])})})
more = [torch.tensor([[1.0, -1.0], [2.0, 0.5]]), torch.tensor([0.5, -1.0]), torch.tensor([[1.0, 2.0], [0.0, 1.0], [-1.0, 3.0]]), torch.zeros(3, 2)]
of_more = torch.tensor([[1.0, -4.0], [7 / 6, -1 / 3]]), torch.tensor([-1.5, 0.0])
for k, name in enumerate(("weight", "bias")):
    assert_close(looked(*more, [])[0][k], of_more[k], f"the gradient of the {name} for 3 examples, 2 inputs and 2 outputs", of="values",
                 hint="With one output it was right. nn.MSELoss takes the mean over all entries, examples and outputs; each output has its own bias. "
                 "The residuals of the first output are -0.5, -0.5 and -3.5" + (
                     ": the gradient of its bias is twice their sum, divided by the 6 entries, -9 / 6 = -1.5." if k else
                     "; times the first input, 1, 0 and -1, they add up to 3, and the first gradient is twice that, divided by the 6 entries, 1."),
                 mistakes={"nn.MSELoss divides by examples times outputs.": of_more[k] * 2,
                           "This is the gradient of the sum.": of_more[k] * 6})
assert_true(all(isinstance(g, str) or g.any().item() for g in after), ".grad of weight and bias after the call, where both were None, are not filled with zeros", of="nothing changed",
            hint="Zeros are not the same as None: where .grad was None, set it to None again.")
assert_equal(after, ["None", "None"], ".grad of weight and bias after the call, where both were None", of="nothing changed",
             hint="Use torch.autograd.grad, or set .grad back to None.",
             mistakes={"The gradients of this call are still there: set .grad back to None, or use torch.autograd.grad.": [*right]})
assert_equal(trainable, [1, 1], "whether weight and bias still require a gradient after the call (1 yes, 0 no)", of="nothing changed",
             hint="The layer goes on training afterwards: leave its parameters as they were.")
old = [torch.full((1, 2), 7.0), torch.full((1,), 9.0)]
got, after, kept_, later, trainable, held = looked(w, b, X, y, old)
for k, name in enumerate(("weight", "bias")):
    assert_close(got[k], right[k], f"the gradient of the {name}, where .grad held numbers before", of="values",
                 mistakes={"What .grad held before was added.": right[k] + old[k], "This is what .grad held before.": old[k],
                           "All zero. (If this is .grad after minus .grad before: backward adds into that very tensor, so keep a clone of it.)": torch.zeros_like(old[k])})
    assert_true(not isinstance(after[k], str), f".grad of the {name} after the call, where it held {old[k].flatten()[0]:g}, "
                "is a tensor again (yours: None)", of="nothing changed", hint="What .grad held before must be there again: put it back, or use torch.autograd.grad.")
    assert_close(after[k], old[k], f".grad of the {name} after the call, where it held {old[k].flatten()[0]:g}", of="nothing changed",
                 hint="Put back the tensor that was there, or a copy of it." if torch.equal(held[k], old[k]) else
                 "The tensor that was .grad before the call holds other numbers now: a name for it is no copy. "
                 "Keep a clone, or set .grad to None, not to zeros, before backward; then put the old one back.")
    assert_close(kept_[k], (w, b)[k], f"the {name} itself after the call", of="nothing changed", hint="Only look: no step.")
    assert_close(later[k], right[k], f"the returned gradient of the {name} after another backward", of="own copies",
                 hint="A gradient that still is the layer's .grad changes with it: clone it.")
### BEGIN HIDDEN TESTS
def by_formula(w, b, X, y):
    r = X @ w.T + b - y
    return [2 * r.T @ X / r.numel(), 2 * r.sum(0) / r.numel()]

rng = torch.Generator().manual_seed(357)
for n, d, k, before in ((6, 3, 1, True), (5, 2, 4, False), (1, 1, 1, True)):
    w, b, X, y = (torch.randn(*shape, generator=rng) for shape in ((k, d), (k,), (n, d), (n, k)))
    old = [torch.randn(k, d, generator=rng), torch.randn(k, generator=rng)] if before else []
    got, after, kept_, later, trainable, _ = looked(w, b, X, y, old)
    for i, name in enumerate(("weight", "bias")):
        kind = f"the {name}, {n} examples, {d} inputs, {k} outputs"
        assert_shape(got[i], tuple((w, b)[i].shape), f"the shape of the gradient of {kind}", of="shape")
        assert_close(got[i], by_formula(w, b, X, y)[i], f"the gradient of {kind}", of="values", rtol=1e-3, atol=1e-4,
                     hint=lambda: where_they_part(lambda *given: looked(*given, [])[0], by_formula, weight=w, bias=b, X=X, y=y))
        assert_close(later[i], by_formula(w, b, X, y)[i], f"the gradient of {kind} after another backward", of="own copies", rtol=1e-3, atol=1e-4)
        assert_close(kept_[i], (w, b)[i], f"{kind}, after the call", of="nothing changed")
        if before:
            assert_close(after[i], old[i], f".grad of {kind}, after the call", of="nothing changed")
    if not before:
        assert_equal(after, ["None", "None"], ".grad after the call, where it was None", of="nothing changed")
    assert_equal(trainable, [1, 1], "whether weight and bias still require a gradient after the call", of="nothing changed")
### END HIDDEN TESTS

# %% [markdown] teaches="gradient of the mean squared error"
# What *should* the gradients be? Write it down for n examples of one output. The loss is
# $L = \frac1n \sum_i r_i^2$ with the residual $r_i = \sum_j x_{ij} w_j + b - y_i$. By the chain rule the derivative of
# $r_i^2$ is $2 r_i$ times the derivative of $r_i$, which is $x_{ij}$ for the weight $w_j$ and 1 for the bias:
#
# $$\frac{\partial L}{\partial w_j} = \frac2n \sum_i r_i\, x_{ij}, \qquad \frac{\partial L}{\partial b} = \frac2n \sum_i r_i .$$
#
# In words: the gradient of a weight is twice the mean of residual times feature. It is zero if the residuals have no
# trace of that feature left. The sum over i is column j of X times the residuals. So all weights at once are one matrix
# product: X transposed, (d, n), times the column of the residuals, (n, 1).

# %% [markdown] task="3.5.3b" kind="code" minutes=8 difficulty=2 needs="gradient of the mean squared error, reading gradients"
# ### The gradients by formula
#
# Write `mse_gradients(X, y, w, b)`: the gradients of the mean squared error by the formulas above, as the pair `(dw, db)`.
# `X` has shape `(n, d)`, `y` shape `(n, 1)`, `w` shape `(d, 1)`, `b` shape `(1,)`.
#
# **You are done when**
# - **weights**: `dw` is right, and has shape `(d, 1)`;
# - **bias**: `db` is right, and has shape `(1,)`;
# - **second call**: a second call with the same tensors gives the same.

# %% exercise="3.5.3b"
def mse_gradients(X, y, w, b):
    """Gradients (d, 1) and (1,) of the mean of (X w + b - y)^2."""
    ### BEGIN SOLUTION
    r = X @ w + b - y
    return 2 * X.T @ r / len(X), 2 * r.mean(dim=0)
    ### END SOLUTION

# %% [markdown] hints="3.5.3b"
# 1. Which shapes have the residuals and `X.T`? Which product has shape (d, 1)?
# 2. `r.mean(dim=0)` of a column (n, 1) has shape (1,); `r.mean()` has shape ().
# 3. For the loss mean of $r_i$, without the square, the gradient of a weight would be the mean of $x_{ij}$.

# %% check="3.5.3b" points=1
@probe
def second_call(X, y, w, b):
    mse_gradients(X, y, w, b)
    return [*mse_gradients(X, y, w, b)]

@probe
def changed_by_a_call(X, y, w, b):
    given = dict(X=X, y=y, w=w, b=b)
    before = {name: t.detach().clone() for name, t in given.items()}
    mse_gradients(*given.values())
    return [name for name, t in given.items() if not torch.equal(t, before[name])]

X = torch.tensor([[1.0, 2.0, 0.0], [0.0, 1.0, 1.0], [3.0, 0.0, -1.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0]])
y, w, b = torch.tensor([[0.5], [0.5], [7.5], [5.5], [8.0]]), torch.tensor([[2.0], [-1.0], [3.0]]), torch.tensor([3.0])
found = mse_gradients(X, y, w, b)
r = torch.tensor([[2.5], [4.5], [-1.5], [0.5], [-1.0]])         # the residuals
def how_put_together():
    """A sentence, if two of the examples alone give the right gradients."""
    alone = [*mse_gradients(X[:1], y[:1], w, b), *mse_gradients(X[2:3], y[2:3], w, b)]
    wanted = [[5.0], [10.0], [0.0]], [5.0], [[-9.0], [0.0], [3.0]], [-3.0]
    if all(torch.allclose(one, torch.tensor(other), atol=1e-4) for one, other in zip(alone, wanted)):
        return " With the first example alone yours is right, and so it is with the third: look at how several are put together."
    return ""

assert_type(found, (tuple, list), "what mse_gradients returns", of="weights")
assert_equal(len(found), 2, "how many tensors mse_gradients returns", of="weights")
assert_shape(found[0], (3, 1), "the shape of dw, the first of the two, for 3 features", of="weights",
             mistakes={"dw has two axes, a row for each weight and one column; this has one axis. (.reshape(-1, 1) makes a column of it.)": (3,),
                       "This is a row: dw is a column, as w is.": (1, 3), "One number for each example and feature: the mean over the examples is not taken.": (5, 3)},
             hint="dw stands first, db second." if isinstance(found[1], torch.Tensor) and tuple(found[1].shape) == (3, 1) else "X transposed times a column is a column.")
right = torch.tensor([[-1.2], [3.4], [2.2]])
assert_close(found[0], right, "dw for 5 examples of 3 features with residuals 2.5, 4.5, -1.5, 0.5, -1", of="weights",
             mistakes={"The factor 2 is missing.": right / 2, "Divide by the number of examples.": right * 5,
                       "Divide by the number of examples, not by that of all entries of X.": right / 3,
                       "Divide by the number of examples, not by that of the features.": right * 5 / 3,
                       "Divide by the number of examples, 5: this is divided by 4.": right * 5 / 4,
                       "Residual times feature, and nothing more: this is multiplied by the weight.": right * w,
                       "Residual times feature: the residual is not squared.": X.T @ r ** 2 * 2 / 5,
                       "The sign: the residual is prediction minus target.": -right,
                       "The bias is missing in the residuals.": X.T @ (r - b) * 2 / 5,
                       "The targets are missing in the residuals.": X.T @ (r + y) * 2 / 5,
                       "Every prediction is compared with every target: keep both columns, (n, 1).": X.T @ (r + y - y.mean()) * 2 / 5,
                       "Every target is compared with every prediction: keep both columns, (n, 1).": X.T @ ((r + y).mean() - y) * 2 / 5,
                       "The residuals keep their signs.": X.T @ r.abs() * 2 / 5,
                       "Multiply each residual by its own example's feature, then take the mean; this is the product of the two means.": 2 * X.mean(dim=0)[:, None] * r.mean(),
                       "This is one mean over all features: each weight has the mean of residual times its own feature.": torch.full((3, 1), 2 * (X * r).mean().item()),
                       "This is w after a step of length 1: asked is the gradient.": w - right,
                       "This is w plus the gradient: asked is the gradient alone.": w + right,
                       "The means of the features were taken away: residual times feature, as the feature is.": 2 * (X - X.mean(dim=0)).T @ r / 5,
                       "The first example alone is used: twice the mean over all of them.": 2 * X[:1].T @ r[:1],
                       "The last example alone is used: twice the mean over all of them.": 2 * X[-1:].T @ r[-1:],
                       "The residual is prediction minus target; here the target is added.": 2 * X.T @ (r + 2 * y) / 5,
                       "Each weight's feature belongs to it: this is the gradient of the bias for all.": torch.full((3, 1), 2.0)},
             hint=lambda: "For weight j: twice the mean over the examples of residual times feature j. For the first feature, 1, 0, 3, 0 and 1, "
             "the products are 2.5, 0, -4.5, 0 and -1, with the mean -0.6: twice that is -1.2." + how_put_together())
assert_shape(found[1], (1,), "the shape of db", of="bias", hint="The mean of a column over its rows, dim=0, has one entry and one axis.")
assert_close(found[1], torch.tensor([2.0]), "db for residuals 2.5, 4.5, -1.5, 0.5, -1", of="bias",
             mistakes={"The factor 2 is missing.": torch.tensor([1.0]), "Divide by the number of examples.": torch.tensor([10.0]),
                       "Divide by the number of examples, 5: this is divided by 4.": torch.tensor([2.5]),
                       "The sign: the residual is prediction minus target.": torch.tensor([-2.0]), "The residuals keep their signs.": torch.tensor([4.0]),
                       "Twice the mean of the residuals, and nothing more: this is multiplied by b.": torch.tensor([6.0]),
                       "The mean of the residuals, not of their squares.": torch.tensor([12.0])},
             hint=lambda: "dw is right: twice the mean of the same residuals is db. They add up to 5, so their mean is 1, and db is 2." + how_put_together())
for k, (name, once) in enumerate((("dw", right), ("db", torch.tensor([2.0])))):
    assert_close(second_call(X, y, w, b)[k], once, f"{name} of a second call with the same tensors", of="second call",
                 mistakes={"This is the sum over both calls: what backward writes into w.grad and b.grad adds up.": 2 * once},
                 hint=lambda: " ".join([f"A call changes {name}: a step such as `{name} -= ...` writes into the caller's tensor."
                                        for name in changed_by_a_call(X, y, w, b)])
                 or "Something of the first call is left, in w.grad or b.grad or elsewhere.")
### BEGIN HIDDEN TESTS
def by_parts(X, y, w, b):
    apart = X @ w + b - y
    return 2 * X.T @ apart / len(X), 2 * apart.mean(dim=0)

rng = torch.Generator().manual_seed(358)
for n, d in ((8, 3), (1, 2), (5, 1)):
    X, y, w, b = (torch.randn(*shape, generator=rng, dtype=torch.float64) for shape in ((n, d), (n, 1), (d, 1), (1,)))
    params = [w.clone().requires_grad_(), b.clone().requires_grad_()]
    wanted = torch.autograd.grad(((X @ params[0] + params[1] - y) ** 2).mean(), params)
    got = mse_gradients(X, y, w, b)
    for k, (name, of) in enumerate((("dw", "weights"), ("db", "bias"))):
        assert_shape(got[k], tuple(wanted[k].shape), f"the shape of {name}, {n} examples of {d} features", of=of)
        assert_close(got[k], wanted[k], f"{name}, {n} examples of {d} features", of=of, rtol=1e-5, hint=lambda: where_they_part(mse_gradients, by_parts, X=X, y=y, w=w, b=b))
        assert_close(second_call(X, y, w, b)[k], wanted[k], f"{name} of a second call, {n} examples of {d} features", of="second call", rtol=1e-5)
### END HIDDEN TESTS

# %% [markdown] teaches="learning rate, number of epochs, divergence"
# ## How fast, and how long
#
# The learning rate is the number that one tries first and most often. What does it do? Take gradient descent on *all*
# examples, with standard normal features. Then the loss is nearly the same bowl in all directions: $L \approx \lvert w - w^*\rvert^2$
# plus a constant, where w stands for the weights and the bias together. Its gradient is $2 (w - w^*)$, so a step is
#
# $$w - w^* \;\to\; (1 - 2\eta)\,(w - w^*) .$$
#
# The distance from the best weights is multiplied by $\lvert 1 - 2\eta\rvert$ in each step. With η = 0.01 that is 0.98: safe and slow. With
# η = 0.5 it is 0: one step. With η = 0.8 it is 0.6, but the sign changes, so w jumps from one side to the other.
# Above η = 1 the factor exceeds 1, and each step leads further away. That is **divergence**.

# %% tags=["demo"]
all_X, all_y = data.X[:512], data.y[:512]
best = torch.linalg.lstsq(torch.cat([all_X, torch.ones(512, 1)], dim=1), all_y).solution.flatten()

def distances(lr, steps=25):
    net = nn.Linear(2, 1)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    found = []
    for _ in range(steps):
        found.append((torch.cat([net.weight.detach().flatten(), net.bias.detach()]) - best).norm().item())
        optimizer.zero_grad()
        nn.MSELoss()(net(all_X), all_y).backward()
        optimizer.step()
    return found

figure, axis = plt.subplots(figsize=(5.5, 3.2), layout="constrained")
for lr, style in ((0.01, "C0-"), (0.1, "C1-"), (0.5, "C2-"), (0.8, "C3--"), (1.1, "C4--")):
    axis.plot(distances(lr), style, label=f"lr {lr}")
axis.set(xlabel="step", ylabel="distance from the best weights", yscale="log", ylim=(1e-8, 1e4))
axis.legend(loc="upper left", bbox_to_anchor=(1, 1))
plt.show()

# %% [markdown]
# Nearly straight lines on a logarithmic axis: the same factor in each step. The larger the rate the steeper the fall, up to
# about 0.5; beyond that it flattens again, and 1.1 climbs. (The bowl of these 512 examples is not quite round, so 0.5 does
# not arrive in one step. Somewhere between $10^{-7}$ and $10^{-5}$ it can come no closer: these are the rounding errors of float32.) Minibatches add noise to this picture: near the bottom their gradients do not vanish, and a large
# rate keeps the weights trembling. The next exercise measures that.
#
# A run that diverges ends in infinity, or in NaN ("not a number", for example infinity minus infinity). The `Trainer` stops
# with an error as soon as a loss is NaN. A study of many rates must go on: catch the error, and note `math.inf`.

# %%
try:
    d2l.Trainer(max_epochs=20, device="cpu", verbose=False).fit(d2l.LinearRegression(lr=5.0), data)
except FloatingPointError as error:
    print("FloatingPointError:", str(error)[:60], "...")
print("math.inf is larger than any number:", math.inf > 1e300, " finite:", math.isfinite(math.inf))

# %% [markdown] task="3.5.4" kind="experiment" minutes=25 difficulty=3 needs="learning rate, number of epochs, divergence, linear regression as a module"
# ### A study of learning rate and epochs
#
# Write `run(config)`. `config` is a dictionary with the keys `"lrs"` and `"epochs"` (lists), `"noise"`, `"batch_size"` and
# `"seed"`. For each learning rate and, within it, for each number of epochs it makes a training of its own, in this order:
# `torch.manual_seed(seed)`; the data `d2l.SyntheticRegressionData(w=torch.tensor([2.0, -3.4]), b=4.2, noise=noise,
# num_train=256, num_val=256, batch_size=batch_size)`; the model `d2l.LinearRegression(lr)`;
# `d2l.Trainer(number of epochs, device="cpu", verbose=False)`, and its `fit`. The result is a pandas DataFrame with one row for each training, in
# this order, and the columns
#
# - `lr` and `epochs`;
# - `val_loss`: the validation loss after the last epoch, from `trainer.history`;
# - `w_error`: the Euclidean distance of the learnt weights (without the bias) from (2, -3.4).
#
# Where training diverges, `fit` raises `FloatingPointError`, or the validation loss after the last epoch is not finite or larger than a
# million: then both columns hold `inf`.
#
# Run it for the learning rates 0.003, 0.01, 0.03, 0.1, 0.3, 1.2 and 1, 3, 10 epochs, with noise 0.1, batches of 32 and
# seed 0. Run it again for the rates 0.01 and 0.2 and 10 epochs, with noise 0.5, batches of 4 and seed 0. Answer in words,
# with numbers from your tables:
# 1. Which rates are too small for 10 epochs, which are good, which diverges? (No loss can be expected below the variance of the
#    noise, 0.01.)
# 2. Can more epochs make up for a smaller rate? Compare trainings with the same product of rate and epochs.
# 3. With batches of 4, which rate ends closer to the truth after 10 epochs, and why does the other not?
#
# **You are done when** your words answer all three with numbers, and
# - **form**: `run` gives the columns `lr`, `epochs`, `val_loss`, `w_error`, and the rows in the order described;
# - **val_loss**: it is the validation loss after the last epoch;
# - **w_error**: it is the distance of the weights;
# - **config**: noise, batch size and seed are used;
# - **divergence**: diverged trainings hold `inf` in both columns.

# %% exercise="3.5.4"
def run(config):
    """A table with the columns lr, epochs, val_loss, w_error: one training for each rate and number of epochs."""
    ### BEGIN SOLUTION
    rows = []
    for lr in config["lrs"]:
        for epochs in config["epochs"]:
            torch.manual_seed(config["seed"])
            w = torch.tensor([2.0, -3.4])
            data = d2l.SyntheticRegressionData(w=w, b=4.2, noise=config["noise"], num_train=256, num_val=256,
                                               batch_size=config["batch_size"])
            model, trainer = d2l.LinearRegression(lr), d2l.Trainer(epochs, device="cpu", verbose=False)
            val_loss = math.inf
            try:
                trainer.fit(model, data)
                val_loss = trainer.history["val_loss"][-1]
            except FloatingPointError:
                pass
            if val_loss <= 1e6:
                learnt, _ = model.get_w_b()
                w_error = (learnt.flatten() - w).norm().item()
            else:
                val_loss = w_error = math.inf
            rows.append({"lr": lr, "epochs": epochs, "val_loss": val_loss, "w_error": w_error})
    return pd.DataFrame(rows)
    ### END SOLUTION

# %% [markdown] hints="3.5.4"
# 1. What must be inside both loops, so that one training does not go on from another?
# 2. `trainer.history["val_loss"]` is a list, one entry for each epoch; `model.get_w_b()` gives weight (1, 2) and bias;
#    `math.inf` is infinity. `try: ... except FloatingPointError: ...` goes on after that error.
# 3. A table from a double loop: `pd.DataFrame([{"n": n, "k": k, "value": n * k} for n in (1, 2) for k in (3, 4)])`.

# %% check="3.5.4" points=4
def judged(lr, epochs, noise, batch_size, seed):
    if seed is not None:
        torch.manual_seed(seed)
    w = torch.tensor([2.0, -3.4])
    data = d2l.SyntheticRegressionData(w=w, b=4.2, noise=noise, num_train=256, num_val=256, batch_size=batch_size)
    model, trainer = d2l.LinearRegression(lr), d2l.Trainer(epochs, device="cpu", verbose=False)
    trainer.fit(model, data)
    return trainer.history, model.net.weight.detach().flatten() - w, model.net.bias.item() - 4.2

def column(table, name):
    return [float(v) for v in table[name]]

little = {"lrs": [0.1, 0.01], "epochs": [1, 3], "noise": 0.5, "batch_size": 32, "seed": 2}
table = run(little)
assert_type(table, pd.DataFrame, "what run returns", of="form")
assert_equal(list(table.columns), ["lr", "epochs", "val_loss", "w_error"], "the columns", of="form")
assert_equal([column(table, "lr"), column(table, "epochs")], [[0.1, 0.1, 0.01, 0.01], [1, 3, 1, 3]],
             "the columns lr and epochs for the rates 0.1, 0.01 and the epochs 1, 3", of="form",
             mistakes={"For each rate all numbers of epochs, not the other way round.": [[0.1, 0.01, 0.1, 0.01], [1, 1, 3, 3]],
                       "The rates stay in the order of the list: do not sort.": [[0.01, 0.01, 0.1, 0.1], [1, 3, 1, 3]]},
             hint="One row for each rate with each of the numbers in epochs, and for no other number.")
again = run(little)
for name in ("val_loss", "w_error"):
    assert_true(max(abs(u - v) for u, v in zip(column(table, name), column(again, name))) < 1e-3, f"two runs with the same config give the same {name}", of="config",
                hint="torch.manual_seed(seed) comes first in each training, before the data are drawn.")
cases = [(lr, epochs) for lr in (0.1, 0.01) for epochs in (1, 3)]
trainings = [judged(*which, 0.5, 32, 2) for which in cases]
seeded_once = [judged(lr, epochs, 0.5, 32, seed)[0]["val_loss"][-1] for lr, epochs, seed in ((0.1, 1, 2), (0.1, 3, None), (0.01, 1, None), (0.01, 3, None))]
histories, goal = [history["val_loss"] for history, _, _ in trainings], torch.tensor([2.0, -3.4])
on_same_data, after_one_seed = [], []
for losses, seeded_anew in ((on_same_data, True), (after_one_seed, False)):
    torch.manual_seed(2)
    same_data = d2l.SyntheticRegressionData(w=goal, b=4.2, noise=0.5, num_train=256, num_val=256, batch_size=32)
    for lr, epochs in cases:
        if seeded_anew:
            torch.manual_seed(2)
        trainer = d2l.Trainer(epochs, device="cpu", verbose=False)
        trainer.fit(d2l.LinearRegression(lr), same_data)
        losses.append(trainer.history["val_loss"][-1])
going_on, same_model = [], []
for losses, seeded_anew in ((going_on, False), (same_model, True)):
    for lr in (0.1, 0.01):
        model = d2l.LinearRegression(lr)
        for epochs in (1, 3):
            if seeded_anew or epochs == 1:
                torch.manual_seed(2)
                made = d2l.SyntheticRegressionData(w=goal, b=4.2, noise=0.5, num_train=256, num_val=256, batch_size=32)
            trainer = d2l.Trainer(epochs, device="cpu", verbose=False)
            trainer.fit(model, made)
            losses.append(trainer.history["val_loss"][-1])
assert_close(column(table, "val_loss"), [losses[-1] for losses in histories], "val_loss for noise 0.5, batches of 32, seed 2", of="val_loss", rtol=1e-3,
             mistakes={"This is the loss after the first epoch.": [losses[0] for losses in histories],
                       "This is the mean over the epochs.": [sum(losses) / len(losses) for losses in histories],
                       "This is the training loss.": [history["train_loss"][-1] for history, _, _ in trainings],
                       "The seed is set once only: set it anew for each row.": seeded_once,
                       "The data were made once, before the loops: make them anew for each row, after its torch.manual_seed.": on_same_data,
                       "Seed and data were made once, before the loops: both are made anew for each row.": after_one_seed,
                       "The second training of a rate goes on from the first: seed, data and model are made anew for each row.": going_on,
                       "The model of a rate was made once, and its second training goes on from the first: make it anew for each row.":
                           same_model,
                       "The seed is the same for each row, 2: these are 2, 3, 4, 5.":
                           [judged(*which, 0.5, 32, 2 + k)[0]["val_loss"][-1] for k, which in enumerate(cases)],
                       **{f"The noise is that of config, 0.5: this is {noise}.":
                           [judged(*which, noise, 32, 2)[0]["val_loss"][-1] for which in cases] for noise in (0.01, 0.1)},
                       "The seed is that of config, 2: this is 0.": [judged(*which, 0.5, 32, 0)[0]["val_loss"][-1] for which in cases]},
             hint="Seed, data, model and trainer are made anew for each row, in this order, with noise, batch size and seed from config.")
assert_close(column(table, "w_error"), [apart.norm().item() for _, apart, _ in trainings], "w_error for noise 0.5, batches of 32, seed 2",
             of="w_error", rtol=1e-2, atol=1e-4, hint="The root of the sum of the squared differences of the two weights.",
             mistakes={"This is the squared distance.": [apart.square().sum().item() for _, apart, _ in trainings],
                       "This is the sum of the absolute differences.": [apart.abs().sum().item() for _, apart, _ in trainings],
                       "The length of the difference, not the difference of the lengths.": [abs((apart + goal).norm() - goal.norm()).item() for _, apart, _ in trainings],
                       "This has a mean under the root: take the sum.": [apart.square().mean().sqrt().item() for _, apart, _ in trainings],
                       "The bias does not belong to it.": [math.hypot(apart.norm().item(), bias) for _, apart, bias in trainings],
                       "This is the mean of the two absolute differences: take the root of the sum of their squares.": [apart.abs().mean().item() for _, apart, _ in trainings],
                       **{f"This is the difference of the {words} alone: take the root of the sum of the squares of both.":
                           [apart[k].abs().item() for _, apart, _ in trainings]
                          for k, words in enumerate(("first weight", "second weight, the larger one,"))},
                       "The second weight is compared with 3.4: the true one is -3.4.":
                           [(apart - torch.tensor([0.0, 6.8])).norm().item() for _, apart, _ in trainings],
                       "This is the length of the learnt weights: subtract (2, -3.4) first.": [(apart + goal).norm().item() for _, apart, _ in trainings],
                       "All rows of a rate hold the weights of its longest training.": [trainings[i][1].norm().item() for i in (1, 1, 3, 3)],
                       "A row minus a column is a matrix: bring both to one shape.":
                           [(apart + goal - goal.reshape(2, 1)).norm().item() for _, apart, _ in trainings]})
other = run({**little, "lrs": [0.1], "epochs": [4], "batch_size": 8, "seed": 5, "noise": 3.0})
restless = judged(0.1, 4, 3.0, 8, 5)[0]["val_loss"]
assert_close(column(other, "val_loss"), [restless[-1]], "val_loss for lr 0.1, 4 epochs, noise 3, batches of 8, seed 5", of="config", rtol=1e-3,
             mistakes={"The batch size is not used: this is 32.": [judged(0.1, 4, 3.0, 32, 5)[0]["val_loss"][-1]],
                       "The noise is not used: this is 0.5.": [judged(0.1, 4, 0.5, 8, 5)[0]["val_loss"][-1]],
                       "The seed is not used: this is 2.": [judged(0.1, 4, 3.0, 8, 2)[0]["val_loss"][-1]],
                       "This is the smallest loss, not the last one.": [min(restless)]})
for epochs in (1, 2):
    steep = judged(1.2, epochs, 0.5, 32, 2)
    assert_close([column(run({**little, "lrs": [1.2], "epochs": [epochs]}), name)[0] for name in ("val_loss", "w_error")],
                 [steep[0]["val_loss"][-1], steep[1].norm().item()], f"val_loss and w_error for lr 1.2, {epochs} epoch{'s' * (epochs - 1)}: large, and below a million", of="divergence", rtol=1e-2,
                 mistakes={"A loss that grows and is not above a million counts as no divergence here: it stands in the table.": [math.inf, math.inf]})
twice = run({**little, "lrs": [100.0, 0.1], "epochs": [6, 5]})
assert_equal([column(twice, "lr"), column(twice, "epochs")], [[100.0, 100.0, 0.1, 0.1], [6, 5] * 2], "the columns lr and epochs for the rates 100 and 0.1 and 6 and 5 epochs: at 100 fit raises FloatingPointError",
             of="divergence", mistakes={"The first divergence has ended the trainings of this rate: each has a row, the next number of epochs, too.": [[100.0, 0.1, 0.1], [6, 6, 5]],
                                        "The first divergence has ended all: each training has a row, the next rates, too.": [[100.0], [6]],
                                        "Trainings that diverge are left out: each has a row, with inf.": [[0.1, 0.1], [6, 5]]},
             hint="Each rate with each number of epochs has a row, whether its training diverges or not.")
wild = run({**little, "lrs": [0.1, 100.0, 1.5], "epochs": [6]})
assert_equal(len(wild), 3, "the number of rows for lr 0.1, 100 and 1.5, 6 epochs, of which the last two diverge: catch the error that fit may raise", of="divergence",
             hint="A training that diverges has a row, too, with inf.")
assert_equal([column(wild, name)[1] for name in ("val_loss", "w_error")], [math.inf] * 2, "val_loss and w_error for lr 100, where fit raises FloatingPointError, after a row of lr 0.1", of="divergence",
             hint="inf in both columns where fit raises the error, whatever the row before holds.")
assert_equal([column(wild, name)[2] for name in ("val_loss", "w_error")], [math.inf] * 2, "val_loss and w_error for lr 1.5, where fit raises nothing and the loss is far above a million",
             of="divergence", hint="inf in both columns where the loss is larger than a million.")
### BEGIN HIDDEN TESTS
config = {"lrs": [0.3, 100.0, 0.02], "epochs": [2, 4], "noise": 0.2, "batch_size": 50, "seed": 11}
table = run(config)
assert_equal([column(table, "lr"), column(table, "epochs")], [[0.3, 0.3, 100.0, 100.0, 0.02, 0.02], [2, 4] * 3],
             "the columns lr and epochs for three rates and two numbers of epochs", of="form")
trainings = [judged(lr, epochs, 0.2, 50, 11) for lr in (0.3, 0.02) for epochs in (2, 4)]
calm = [0, 1, 4, 5]
assert_close([column(table, "val_loss")[i] for i in calm], [history["val_loss"][-1] for history, _, _ in trainings], "val_loss for noise 0.2, batches of 50", of="val_loss", rtol=1e-3)
assert_close([column(table, "w_error")[i] for i in calm], [apart.norm().item() for _, apart, _ in trainings], "w_error for noise 0.2, batches of 50", of="w_error", rtol=1e-2, atol=1e-4)
assert_equal([column(table, "val_loss")[2:4], column(table, "w_error")[2:4]], [[math.inf] * 2] * 2, "val_loss and w_error for lr 100", of="divergence")
after = run({"lrs": [1000.0, 0.3], "epochs": [5, 4], "noise": 0.2, "batch_size": 50, "seed": 11})
assert_equal(len(after), 4, "the number of rows for the rates 1000 and 0.3, 5 and 4 epochs", of="divergence")
after = run({"lrs": [0.3, 1000.0], "epochs": [5], "noise": 0.2, "batch_size": 50, "seed": 11})
assert_equal([column(after, name)[1] for name in ("val_loss", "w_error")], [math.inf] * 2, "val_loss and w_error for lr 1000, after a row of lr 0.3", of="divergence")
assert_equal(len(table), 6, "the number of rows for three rates and two numbers of epochs", of="form")
climbing = run({"lrs": [1.2], "epochs": [2, 3], "noise": 0.2, "batch_size": 50, "seed": 11})
assert_equal(len(climbing), 2, "the number of rows for lr 1.2, 2 and 3 epochs", of="divergence")
history, apart, _ = judged(1.2, 2, 0.2, 50, 11)
assert_close([column(climbing, "val_loss")[0], column(climbing, "w_error")[0]], [history["val_loss"][-1], apart.norm().item()],
             "val_loss and w_error for lr 1.2, 2 epochs: a large loss, below a million", of="divergence", rtol=1e-2)
assert_equal([column(climbing, "val_loss")[1], column(climbing, "w_error")[1]], [math.inf] * 2, "val_loss and w_error for lr 1.2, 3 epochs: a loss above a million", of="divergence")
for changed in ({"noise": 1.5}, {"batch_size": 16}, {"seed": 12}):
    config = {"lrs": [0.05], "epochs": [2], "noise": 0.2, "batch_size": 64, "seed": 11, **changed}
    assert_close(column(run(config), "val_loss"), [judged(0.05, 2, config["noise"], config["batch_size"], config["seed"])[0]["val_loss"][-1]],
                 f"val_loss with another {list(changed)[0]}", of="config", rtol=1e-3)
### END HIDDEN TESTS

# %% [markdown] written="3.5.4" points=3
# ### BEGIN SOLUTION
# 1. After 10 epochs 0.003 stands at a validation loss of 10.6 and 0.01 at 0.92: too small. 0.03, 0.1 and 0.3 end at 0.0120,
#    0.0107 and 0.0106, near the variance of the noise, 0.01: good. 1.2 is at 15,455 after one epoch and at inf after three:
#    it diverges, as the bound of 1 in the text says.
# 2. Yes, among the small rates. For the product 0.03 the losses are 10.6 (0.003, 10 epochs), 10.5 (0.01, 3) and 10.3 (0.03,
#    1); for 0.3 they are 0.0120 (0.03, 10), 0.0115 (0.1, 3) and 0.0115 (0.3, 1). A small step of half the length needs
#    twice as many. That ends where a rate is so large that it trembles or diverges: 1.2 is not mended by epochs.
# 3. The small one. With batches of 4 and noise 0.5, 0.01 ends with w_error 0.06, and 0.2 with 0.48 (validation loss 0.27
#    against 0.50). The gradient of four examples is a noisy guess that does not vanish at the best weights. Each step moves
#    them by the rate times this noise, so a large rate keeps them trembling far from the bottom. More epochs do not help;
#    a smaller rate, or larger batches, do.
#
# **Rubric**
# - [1] Too small, good and diverging rates named, with losses; also accepted: other bounds that the student's table supports
# - [1] The product of rate and epochs decides among small rates, with a pair of numbers; lost by: "more epochs always help"
# - [1] The small rate ends closer, since gradients of small batches are noisy and the rate scales the noise; lost by: "0.2
#   had too few epochs"
# ### END SOLUTION

# %% [markdown] teaches="estimation error, error and amount of data"
# ## How much data?
#
# With the best learning rate and all the patience in the world the learnt weights are not the true ones. The noise in the
# examples does not average out completely. How fast does the rest shrink with the number n of examples?
#
# The simplest case: the mean of n noisy numbers with standard deviation σ. Its expected squared error is $\sigma^2 / n$
# (section 2.6). Measure it with σ = 1 for n = 10 ... 10,000, as the mean over 300 repetitions:

# %%
draw = torch.Generator().manual_seed(0)

def squared_error_of_mean(n, trials=300):
    return torch.randn(trials, n, generator=draw).mean(dim=1).square().mean().item()

even_sizes = [1000 * k for k in range(1, 11)]
log_spaced = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]
even_errors = [squared_error_of_mean(n) for n in even_sizes]
log_errors = [squared_error_of_mean(n) for n in log_spaced]
print("even sizes: ", " ".join(f"{n}: {e:.5f}" for n, e in zip(even_sizes[:4], even_errors)), "...")
print("log-spaced: ", " ".join(f"{n}: {e:.5f}" for n, e in zip(log_spaced[:4], log_errors)), "...")

# %% tags=["demo"] teaches="logarithmic spacing, slope in a log-log plot"
figure, axes = plt.subplots(1, 2, figsize=(7.5, 2.9), layout="constrained")
axes[0].plot(even_sizes, even_errors, "o-")
axes[0].set(title="even steps, plain axes", xlabel="examples n", ylabel="mean squared error", ylim=(0, None))
axes[1].plot(log_spaced, log_errors, "o", label="measured")
axes[1].plot(log_spaced, [1 / n for n in log_spaced], "k-", linewidth=0.8, label="1 / n")
axes[1].set(title="equal ratios, logarithmic axes", xlabel="examples n", xscale="log", yscale="log")
axes[1].legend()
plt.show()

# %% [markdown]
# On the left ten sizes in even steps. The steepest part, from 10 to 1000, is not there at all, and of what is there more than
# half of the fall lies between the first two points; the other eight share the rest. On the right ten sizes of about equal
# *ratio*, 10, 20, 50, 100, ..., on logarithmic axes. Each point tells something new, and they lie on a line.
#
# Why a line? If the error is $c \cdot n^{-\alpha}$, its logarithm is $\log c - \alpha \log n$: a straight line in $\log n$
# with the *slope* $-\alpha$. So one reads the law off the plot. Here the slope is -1: ten times the data, a tenth of the
# squared error. (The error itself, the square root, has slope -1/2: for half of it one needs *four* times the data.)

# %% [markdown] task="3.5.5a" kind="code" minutes=8 difficulty=2 needs="logarithmic spacing"
# ### Sizes with equal ratios
#
# Write `log_sizes(low, high, count)` for whole numbers 1 ≤ `low` < `high` and `count` ≥ 2: a list of whole numbers that
# begins with `low`, ends with `high`, and has `count` entries of equal ratio, each *rounded* to the nearest whole number. Where rounding makes two entries
# equal, the number stands in the list once (so the list may be shorter than `count`).
#
# **You are done when**
# - **whole numbers**: the entries are of type `int`, in a list;
# - **ends**: the first is `low` and the last is `high`;
# - **equal ratios**: each is the exact value, rounded to the nearest whole number, and none is missing;
# - **no repeats**: the list is strictly increasing.

# %% exercise="3.5.5a"
def log_sizes(low, high, count):
    """Whole numbers from low to high with equal ratios, each once: a list in increasing order."""
    ### BEGIN SOLUTION
    ratio = (high / low) ** (1 / (count - 1))
    return sorted({round(low * ratio ** k) for k in range(count)})
    ### END SOLUTION

# %% [markdown] hints="3.5.5a"
# 1. Four entries from 1 to 1000 have ratio 10. How many steps are between `count` entries?
# 2. The ratio is `(high / low) ** (1 / (count - 1))`. `round(x)` of a float is an `int`; a set holds each number once.
# 3. From 2 to 32 in five entries: ratio (32/2)^(1/4) = 2, so 2, 4, 8, 16, 32.

# %% check="3.5.5a" points=1
sizes = log_sizes(1, 1000, 4)
assert_type(sizes, list, "log_sizes(1, 1000, 4)", of="whole numbers")
assert_equal([type(n).__name__ for n in sizes], ["int"] * len(sizes), "the types of the entries of log_sizes(1, 1000, 4)", of="whole numbers",
             hint="NumPy's and torch's numbers become ints by int(...) or .tolist().")
found = log_sizes(7, 5000, 6)
assert_true(all(a < b for a, b in zip(found, found[1:])), f"log_sizes(7, 5000, 6) increases from entry to entry (yours: {found})", of="no repeats",
            hint="From low up to high; a set has no order: sort its numbers.")
assert_equal([*found[:1], *found[-1:]], [7, 5000], "the first and last entry of log_sizes(7, 5000, 6)", of="ends",
             mistakes={"A power may be a little too small: round, do not cut off.": [7, 4999], "Mind the number of steps: between `count` entries lie count - 1.": [7, 1672],
                       "The last one is missing.": [7, 1343], "The first one is low, not 1.": [1, 5000],
                       "Keep the ratio exact: round the sizes only.": [7, 7168],
                       "7 has become 6: a power may be a little too small, so round, do not cut off.": [6, 5000]},
             hint="From low, count - 1 steps with the same ratio lead to high.")
assert_equal(len(sizes), 4, "the number of entries of log_sizes(1, 1000, 4)", of="equal ratios", mistakes={"Four entries have three steps between them: these are four steps.": 5},
             hint="`count` entries, where rounding makes none of them equal: low, high, and count - 2 between.")
assert_close(sizes, [1, 10, 100, 1000], "log_sizes(1, 1000, 4)", of="equal ratios", rtol=0, atol=0.5,
             hint="Each is the one before times the same ratio, rounded to the nearest whole number at the end.",
             mistakes={"These have equal steps, not equal ratios.": [1, 334, 667, 1000],
                       "These double: the ratio is the one with which count - 1 steps lead from low to high.": [1, 2, 4, 1000],
                       "Round to the nearest whole number: int(...) cuts 9.9999 down to 9.": [1, 9, 99, 999],
                       "Round to the nearest whole number: int(...) cuts 9.9999 off to 9.": [1, 9, 99, 1000]})
assert_equal(log_sizes(1, 100, 6), [1, 3, 6, 16, 40, 100], "log_sizes(1, 100, 6), exactly 1, 2.51, 6.31, 15.85, 39.81, 100", of="equal ratios",
             mistakes={"Round to the nearest whole number, not up.": [1, 3, 7, 16, 40, 100], "Round to the nearest whole number, not down.": [1, 2, 6, 15, 39, 100],
                       "Round at the end only: the next entry is made from the exact one.": [1, 3, 8, 20, 50, 100]},
             hint="Six entries make five steps of equal ratio; each exact value is rounded by itself.")
assert_equal(log_sizes(2, 3000, 12), [2, 4, 8, 15, 29, 56, 108, 210, 408, 794, 1543, 3000], "log_sizes(2, 3000, 12)", of="equal ratios",
             mistakes={"Round to the nearest whole number, not to two digits.": [2, 4, 8, 15, 29, 56, 110, 210, 410, 790, 1500, 3000],
                       "The ratio was rounded to two decimals: keep it exact, and round the sizes only.": [2, 4, 8, 15, 28, 55, 107, 207, 401, 778, 1510, 3000],
                       "The ratio was rounded to three decimals: keep it exact, and round the sizes only.": [2, 4, 8, 15, 29, 56, 108, 210, 408, 793, 1542, 3000]},
             hint="Twelve entries make eleven steps of equal ratio: keep the ratio exact, and round each size by itself.")
assert_equal(log_sizes(1, 4, 9), [1, 2, 3, 4], "log_sizes(1, 4, 9), exactly 1, 1.19, 1.41, 1.68, 2, 2.38, 2.83, 3.36, 4", of="no repeats",
             mistakes={"Each number once.": [1, 1, 1, 2, 2, 2, 3, 3, 4], "A number that is there already is left out, not raised.": [1, 2, 3, 4, 5, 6, 7, 8, 9]},
             hint=lambda: ("A number is left out only where it is there already, and of equal ones the first stays: " + ", ".join(map(str, sorted({1, 2, 3, 4} - set(log_sizes(1, 4, 9))))) + " is missing."
                           if {1, 2, 3, 4} - set(log_sizes(1, 4, 9)) else "Rounded these are 1, 1, 1, 2, 2, 2, 3, 3, 4: each of them once."))
filled = next(made for steps in range(10, 99) if len(made := sorted({round(12 ** (k / (steps - 1))) for k in range(steps)})) >= 10)
assert_equal(log_sizes(1, 12, 10), [1, 2, 3, 4, 5, 7, 9, 12], "log_sizes(1, 12, 10), exactly 1, 1.32, 1.74, 2.29, 3.02, 3.98, 5.24, 6.91, 9.11, 12", of="equal ratios",
             mistakes={"The list may be shorter than count: do not fill it up with entries of more and smaller steps.": filled,
                       "A number that is there already is left out, not raised.": [1, 2, 3, 4, 5, 6, 7, 8, 9, 12]},
             hint="Each of the ten exact values is rounded; of equal numbers one stands in the list, and nothing comes in the place of the others.")
far = log_sizes(3, 90_000_000, 5)
assert_equal([*far[:1], *far[-1:]], [3, 90_000_000], "the first and last entry of log_sizes(3, 90000000, 5)", of="ends",
             hint="float32 holds about seven digits: use Python's floats, NumPy, or dtype=torch.float64.")
### BEGIN HIDDEN TESTS
for low, high, count in ((5, 10_000, 8), (3, 4000, 12), (100, 101, 2), (2, 2048, 11), (3, 123_456_789, 7)):
    found = log_sizes(low, high, count)
    exact = [low * (high / low) ** (k / (count - 1)) for k in range(count)]
    rounded = sorted({round(v) for v in exact})
    assert_equal([type(n).__name__ for n in found], ["int"] * len(found), f"the types for {count} sizes from {low} to {high}", of="whole numbers")
    assert_equal([found[0], found[-1]], [low, high], f"the ends for {count} sizes from {low} to {high}", of="ends")
    assert_equal(found, rounded, f"{count} sizes from {low} to {high}", of="equal ratios")
for low, high, count in ((2, 40, 21), (1, 64, 25)):
    exact = [low * (high / low) ** (k / (count - 1)) for k in range(count)]
    assert_equal(log_sizes(low, high, count), sorted({round(v) for v in exact}), f"{count} sizes from {low} to {high}, some of them equal", of="equal ratios")
found = log_sizes(1, 20, 30)
assert_true(all(a < b for a, b in zip(found, found[1:])), "30 sizes from 1 to 20, in increasing order and each once", of="no repeats")
### END HIDDEN TESTS

# %% [markdown] task="3.5.5b" kind="experiment" minutes=18 difficulty=4 needs="estimation error, error and amount of data, synthetic data, comparing learnt with true parameters"
# ### Weights from n examples
#
# Write `error_table(config)`. `config` is a dictionary with the keys `"w"` (a tensor of shape (d,)), `"b"` and `"noise"` (numbers), `"sizes"`
# (a list of numbers of examples, all larger than d + 2), `"trials"` and `"seed"`. For each size n it repeats `trials` times: draw n *new* examples of
# y = x·w + b + ε, with standard normal features and normal noise ε of standard deviation `noise`, and fit weights and bias by least squares, `torch.linalg.lstsq`, as in section 3.3. (So the errors
# are those of the data, and not of an optimizer that has not arrived.) The result is a pandas DataFrame with one row for each size, in order, and the columns
#
# - `n`;
# - `w_error`: the mean over the trials of $\lvert \hat w - w \rvert^2$, the squared Euclidean distance;
# - `b_error`: the mean over the trials of $(\hat b - b)^2$.
#
# **You are done when**
# - **form**: the columns and rows are as described;
# - **w_error**: it is the mean squared distance of the weights, right within the chance of the trials;
# - **b_error**: it is the mean squared error of the bias;
# - **noise**: four times the noise gives about 16 times the errors, and no noise almost none;
# - **trials**: all trials are independent draws, those of one size and those of another, as many as asked: the mean of many is steady, a single one is not;
# - **seed**: the same seed gives the same table, another seed another one.

# %% exercise="3.5.5b"
def error_table(config):
    """A table with the columns n, w_error, b_error: mean squared errors of least squares over the trials."""
    ### BEGIN SOLUTION
    generator = torch.Generator().manual_seed(config["seed"])
    w, b = config["w"], config["b"]
    rows = []
    for n in config["sizes"]:
        w_errors, b_errors = [], []
        for _ in range(config["trials"]):
            X = torch.randn(n, len(w), generator=generator)
            y = X @ w.reshape(-1, 1) + b + config["noise"] * torch.randn(n, 1, generator=generator)
            solution = torch.linalg.lstsq(torch.cat([X, torch.ones(n, 1)], dim=1), y).solution.flatten()
            w_errors.append((solution[:-1] - w).square().sum())
            b_errors.append((solution[-1] - b).square())
        rows.append({"n": n, "w_error": torch.stack(w_errors).mean().item(), "b_error": torch.stack(b_errors).mean().item()})
    return pd.DataFrame(rows)
    ### END SOLUTION

# %% [markdown] hints="3.5.5b"
# 1. What must be drawn inside the loop over the trials, and what made before all loops?
# 2. Least squares with a bias: a column of ones beside X, and the last entry of the solution is the bias.
# 3. The mean squared error of a median over 100 trials: a list of squared errors, `torch.stack(errors).mean().item()`.

# %% check="3.5.5b" points=3
base = {"w": torch.tensor([2.0, -3.4]), "b": 4.2, "noise": 0.5, "sizes": [10, 40], "trials": 300, "seed": 0}

def expected_errors(n, d, noise):           # exact, for standard normal features and normal noise
    return noise ** 2 * d / (n - d - 2), noise ** 2 / n * (1 + d / (n - d - 2))

table = error_table(base)
assert_type(table, pd.DataFrame, "what error_table returns", of="form")
assert_equal(list(table.columns), ["n", "w_error", "b_error"], "the columns", of="form")
assert_equal(table["n"].tolist(), [10, 40], "the column n for the sizes 10 and 40", of="form", hint="One row for each size: its trials end in one mean.")
assert_equal(error_table({**base, "sizes": [40, 10], "trials": 2})["n"].tolist(), [40, 10], "the column n for the sizes 40 and 10, in this order", of="form",
             hint="The rows stand in the order of config[\"sizes\"]: do not sort.")
def first_error(config, name="w_error"):
    return float(error_table(config)[name].iloc[0])

def why_not_zero():
    """Why w_error is not 0 without noise and bias, from other w, in words."""
    nothing, once, twice = (first_error({**base, "w": factor * base["w"], "b": 0.0, "noise": 0.0, "sizes": [40], "trials": 3}) for factor in (0, 1, 2))
    if nothing > 1e-6:
        return f"Are w, b and noise those of config? For w = (0, 0), where all targets are 0, it is {nothing:.3g} and not 0 either."
    if abs(twice / once - 4) < 0.01:
        return ("For w = (0, 0) it is 0, and for twice this w four times as large: the estimates are off by a share of w itself, though nothing disturbs the targets. "
                "Least squares has no penalty; every column of X and the ones are in the fit, or X and y each less its mean; and the weights are compared in equal shapes, in their own order.")
    return "Without noise and bias least squares finds w. Are w, b and noise those of config, and are the weights compared in equal shapes?"

assert_close(first_error({**base, "b": 0.0, "noise": 0.0, "sizes": [40], "trials": 3}), 0.0, "w_error for w = (2, -3.4), b = 0, n = 40 and no noise", of="noise", rtol=1e-3, atol=1e-5,
             mistakes={"A column (d, 1) minus a row of shape (d,) is a matrix: bring both to one shape.": 2 * 5.4 ** 2,
                       "Other entries of the solution were compared: the bias is the entry of the column of ones.":
                           2.0 ** 2 + 5.4 ** 2,
                       "Both true weights were compared with one that was found. "
                       "With a column of ones beside X the solution has d + 1 entries, d of them weights.": 5.4 ** 2},
             hint=lambda: why_not_zero())
for name, mistakes in (("w_error", {"A column (d, 1) minus a row of shape (d,) is a matrix: bring both to one shape.": 2 * 5.4 ** 2,
                                    "Other entries of the solution were compared: the bias is the entry of the column of ones.": 2.2 ** 2 + 5.4 ** 2}),
                       ("b_error", {"Other entries of the solution were compared: the bias is the entry of the column of ones.": 7.6 ** 2,
                                    "This is 4.2²: the bias found is 0. Is b in the targets?": 4.2 ** 2})):
    assert_close(first_error({**base, "noise": 0.0, "sizes": [40], "trials": 3}, name), 0.0, f"{name} for w = (2, -3.4), b = 4.2, n = 40 and no noise", of="noise", rtol=1e-3, atol=1e-5,
                 mistakes=mistakes, hint="With b = 0 the weights are found: has the fit a column of ones for b? Are w, b and noise those of config?")
lone = first_error({**base, "sizes": [12], "trials": 1})
assert_true(lone > 0, f"w_error of one trial with n = 12 and noise 0.5 is above 0 (yours: {lone:.3g})", of="trials",
            hint="With \"trials\": 1 one trial must be made, and its error is the squared distance from the true w. "
                 "(The spread of the estimates about their own mean is 0 for a single one: that is another number.)")
longer = [first_error({**base, "sizes": [12], "trials": trials}) for trials in (300, 310, 320, 330)]
single = [first_error({**base, "sizes": [12], "trials": 1, "seed": seed}) for seed in range(8)]
twins = [first_error({**base, "sizes": [12], "seed": seed}) for seed in (1, 2, 3)]
assert_true(abs(longer[0] / longer[1] - 1) > 1e-5, "w_error of 300 and of 310 trials differ", of="trials",
            hint="However many trials are asked for, w_error is that of one alone: set the seed once, before all trials, let each draw examples of its own, and let none end the loop."
            if abs(longer[0] / lone - 1) < 1e-3 and max(single) > 2 * min(single) else
            "Is config[\"trials\"] the number of the trials? Is the seed set once, before them, and does each draw examples of its own?")
steady = max(longer) < 1.15 * min(longer)       # more trials change little, and yet another seed changes much
assert_true(max(twins) < 1.7 * min(twins), f"w_error of 300 trials with n = 12 for seeds 1, 2, 3 differs by less than a factor 1.7 (yours: {', '.join(f'{v:.3g}' for v in twins)})",
            of="trials", hint=lambda: "These are far too small for noise 0.5: do differences of opposite signs cancel? Square in each trial, then take the mean."
            if max(twins) < 0.1 * expected_errors(12, 2, 0.5)[0] else
            "More trials change little, and another seed much: the trials share draws. Make features and noise anew in each." if steady else
            "Are new examples drawn in each trial, features and noise? Is it the mean of all trials, not the last one, and is each error squared before the mean?")
many = error_table({**base, "trials": 1000})
exact = [expected_errors(n, 2, 0.5) for n in (10, 40)]
got = [[float(v) for v in many[name]] for name in ("w_error", "b_error")]
assert_close(got[0], [e[0] for e in exact], "w_error for n = 10 and 40, noise 0.5, 1000 trials (theory: σ²d/(n - d - 2))", of="w_error", rtol=0.22,
             hint="Standard normal features, normal ε of standard deviation noise, a new one for each example; in each trial the sum of the squared differences, then the mean over the trials.",
             mistakes={"This is the distance, not its square.": [e[0] ** 0.5 for e in exact], "Sum the squares over all weights, here two: this is half of the sum.": [e[0] / 2 for e in exact],
                       "This is a sum over the trials.": [e[0] * 1000 for e in exact], "The bias does not belong to it.": [sum(e) for e in exact],
                       "noise is the standard deviation of ε, not its variance.": [2 * e[0] for e in exact], "Is ε normal?": [e[0] / 3 for e in exact],
                       "ε is to be normal with mean 0: this looks uniform, between 0 and noise.": [e[0] / 12 for e in exact],
                       "This looks divided by n: the mean is that over the trials, not over the examples.":
                           [e[0] / n for e, n in zip(exact, (10, 40))],
                       "The errors of the first size are in the mean of the second, too: begin new lists for each size.":
                           [exact[0][0], (exact[0][0] + exact[1][0]) / 2],
                       "The features are to be normal: these look uniform, between 0 and 1.": [11 * e[0] for e in exact],
                       "The mean over the trials of each trial's squared distance: no median of them, and no square of a mean distance.": [0.65 * exact[0][0], 0.72 * exact[1][0]],
                       "The features are to be normal: these look uniform, between -1 and 1.": [2.6 * exact[0][0], 2.95 * exact[1][0]],
                       "These errors are a quarter of what noise 0.5 gives: the standard deviation of ε is noise, neither its square nor its half.": [e[0] / 4 for e in exact],
                       "The noise leaves w as it is: each example needs an ε of its own, in a column (n, 1).": [0.0, 0.0],
                       "Has the fit a bias, a column of ones?": [(0.25 + 4.2 ** 2) * 2 / (n - 3) for n in (10, 40)]})
assert_close(got[1], [e[1] for e in exact], "b_error for n = 10 and 40, noise 0.5, 1000 trials", of="b_error", rtol=0.22,
             hint=lambda: "These are far too small for noise 0.5: do differences of opposite signs cancel? Square in each trial, then take the mean." if max(map(abs, got[1])) < 0.2 * exact[1][1] else
             "It is below 0: in each trial the difference of the bias is squared." if min(got[1]) < 0 else "In each trial the difference of the bias, squared; then the mean over the trials, in this order.",
             mistakes={"This is the absolute error, not its square.": [0.8 * e[1] ** 0.5 for e in exact], "This is the root: leave the mean squared.": [e[1] ** 0.5 for e in exact]})
other = {**base, "w": torch.tensor([1.0, 0.5, -3.0]), "b": -2.0, "noise": 2.0, "sizes": [40], "trials": 1000}
for name, wanted in zip(("w_error", "b_error"), expected_errors(40, 3, 2.0)):
    assert_close(first_error(other, name), wanted, f"{name} for n = 40, noise 2, w = (1, 0.5, -3) and b = -2", of="noise", rtol=0.2,
                 mistakes={"This is two thirds of it: take w from config, and add up the squares of all d weights, here three.": wanted * 2 / 3} if name == "w_error" else {},
                 hint="Are w, b and noise those of config, and are there as many weights as w has entries?")
again = [first_error({**base, "trials": 20}, name) for name in ("w_error", "b_error") for _ in range(2)]
assert_true(max(abs(again[0] / again[1] - 1), abs(again[2] / again[3] - 1)) < 1e-3, "two runs with seed 0 give the same errors", of="seed", hint="Use a generator with this seed.")
assert_true(min(abs(u / v - 1) for u, v in ((twins[0], twins[1]), (twins[0], twins[2]), (twins[1], twins[2]))) > 1e-5, "the seeds 1, 2, 3 give different w_error", of="seed",
            hint="Is config[\"seed\"] used?")
assert_true(max(single) > 1.5 * min(single), f"w_error of a single trial with n = 12 changes by more than a factor 1.5 between eight seeds (yours: {min(single):.3g} to {max(single):.3g})", of="trials",
            hint="With \"trials\": 1 the table holds the error of one fit, not a mean of many.")
beside = [error_table({**base, "sizes": [1000, 1001], "trials": 1, "seed": seed})["w_error"].tolist() for seed in range(15)]
apart = sorted(abs(u / v - 1) for u, v in beside)[7]
assert_true(apart > 0.12, f"for most of 15 seeds w_error of one trial with n = 1000 and that with n = 1001 differ by more than 12 % (yours: {apart:.1%} for the one in the middle)", of="trials",
            hint="With one example more the error hardly changes: the trials of the two sizes share their examples. Draw new "
                 "ones for each size.")
one_feature = {**base, "w": torch.tensor([2.0]), "trials": 1}
beside = [error_table({**one_feature, "sizes": [8000, 8016], "seed": seed})["b_error"].tolist() for seed in range(15)]
apart = sorted(abs(u / v - 1) for u, v in beside)[7]
assert_true(apart > 0.25, "for most of 15 seeds b_error of one trial with n = 8000 and that with n = 8016, one feature, "
            f"differ by more than 25 % (yours: {apart:.1%} for the one in the middle)", of="trials",
            hint="The two sizes begin with the same random numbers, so that their errors are nearly the same: "
                 "set the seed once, before the loop over the sizes.")
### BEGIN HIDDEN TESTS
config = {"w": torch.tensor([1.0, 0.0, -2.0, 5.0, 0.5]), "b": -3.0, "noise": 1.5, "sizes": [30, 15, 200], "trials": 250, "seed": 4}
table = error_table(config)
assert_equal(table["n"].tolist(), [30, 15, 200], "the column n for the sizes 30, 15, 200", of="form")
for k, n in enumerate((30, 15, 200)):
    exact = expected_errors(n, 5, 1.5)
    assert_close(float(table["w_error"].iloc[k]), exact[0], f"w_error for n = {n}, five features", of="w_error", rtol=0.35)
    assert_close(float(table["b_error"].iloc[k]), exact[1], f"b_error for n = {n}, five features", of="b_error", rtol=0.4)
assert_close(first_error({**config, "noise": 6.0, "sizes": [30]}, "b_error"), expected_errors(30, 5, 6.0)[1], "b_error for n = 30 and noise 6", of="noise", rtol=0.4)
twins = [first_error({**config, "sizes": [15], "seed": seed}) for seed in (5, 6, 7)]
assert_true(max(twins) < 1.7 * min(twins), "w_error of 250 trials hardly depends on the seed", of="trials")
few = [first_error({**config, "sizes": [15], "trials": trials}, "b_error") for trials in (1, 2, 400, 401)]
assert_true(min(abs(few[0] / few[1] - 1), abs(few[2] / few[3] - 1)) > 1e-6, "b_error of 1 and 2, of 400 and 401 trials differ", of="trials")
beside = [error_table({**base, "sizes": [1201, 1200], "trials": 1, "seed": seed})["w_error"].tolist() for seed in range(40, 55)]
assert_true(sorted(abs(u / v - 1) for u, v in beside)[7] > 0.12,
            "for most of 15 seeds w_error of one trial with n = 1201 and that with n = 1200 differ by more than 12 %", of="trials")
one_feature["w"] = torch.tensor([-1.5])
beside = [error_table({**one_feature, "sizes": [8016, 8000], "seed": seed})["b_error"].tolist() for seed in range(60, 75)]
assert_true(sorted(abs(u / v - 1) for u, v in beside)[7] > 0.25,
            "for most of 15 seeds b_error of one trial with n = 8016 and that with n = 8000 differ by more than 25 %",
            of="trials")
single = [first_error({**config, "sizes": [15], "trials": 1, "seed": seed}, "b_error") for seed in range(20, 28)]
assert_true(max(single) > 1.5 * min(single), "b_error of a single trial changes by more than a factor 1.5 between eight seeds", of="trials")
again = [first_error({**config, "sizes": [15], "trials": 2, "seed": seed}, "b_error") for seed in (4, 4, 5, 6, 8, 14, 104)]
assert_true(abs(again[0] / again[1] - 1) < 1e-3, "two runs with seed 4 give the same b_error", of="seed")
assert_true(min(abs(again[0] / v - 1) for v in again[2:]) > 1e-5, "the seeds 5, 6, 8, 14, 104 give other b_errors than 4", of="seed")
### END HIDDEN TESTS

# %% [markdown] task="3.5.5c" kind="explain" minutes=15 difficulty=3 needs="slope in a log-log plot, logarithmic spacing, error and amount of data"
# ### The law behind the table
#
# Write `loglog_slope(sizes, errors)`: the slope of the line that fits $\log(\text{error})$ against $\log n$ by least
# squares; both arguments are lists of positive numbers. Then run your `error_table` for w = (2, -3.4), b = 4.2, noise 1, sizes 10, 20, 50, 100, ..., 10,000, 100 trials and
# seed 0 (or use any table of your own), and answer in words:
# 1. What are the slopes for `w_error` and `b_error`? How many times as many examples does a tenth of the squared error take, and how many half the *distance*?
# 2. Why are sizes with equal ratios, 10, 20, 50, ..., better here than 1000, 2000, 3000, ...? Name two reasons.
# 3. What becomes of the slope if the model is trained by SGD with a fixed learning rate instead, for large n, and why?
#
# **You are done when** your words answer all three, the first with numbers, and
# - **slope**: it is right for points on a line;
# - **least squares**: it is right for points that are not on a line, with sizes in any order.

# %% exercise="3.5.5c"
def loglog_slope(sizes, errors):
    """The least-squares slope of log(error) against log(size)."""
    ### BEGIN SOLUTION
    x = torch.tensor(sizes, dtype=torch.float64).log()
    y = torch.tensor(errors, dtype=torch.float64).log()
    x = x - x.mean()
    return ((x * y).sum() / (x * x).sum()).item()
    ### END SOLUTION

# %% [markdown] hints="3.5.5c"
# 1. Which two columns does the least-squares problem have, if x is log n?
# 2. `torch.linalg.lstsq` with the columns x and 1 gives slope and intercept. `.log()` works entry by entry.
# 3. For the points (1, 8), (2, 4), (4, 2): each doubling halves, so the slope is -1.

# %% check="3.5.5c" points=1
def broken_law(sizes, errors):
    """What every slope of this kind obeys, and the answer does not, in words."""
    def asked(sizes, errors):
        return float(loglog_slope(sizes, errors))
    slope = asked(sizes, errors)
    near = lambda one, other: abs(one - other) < 1e-3 * max(1.0, abs(other))
    if not near(asked(sizes, [10 * e for e in errors]), slope):
        return "With ten times the errors all points lie higher by the same, so the slope stays; yours changes: has the line an intercept, and are the logarithms of the errors taken?"
    if not near(asked([10 * n for n in sizes], errors), slope):
        return "With ten times the sizes all points lie farther right by the same, so the slope stays; yours changes: has the line an intercept, and are the logarithms of the sizes taken?"
    if not near(asked(sizes, [e ** 2 for e in errors]), 2 * slope):
        return "With the squares of the errors the slope is twice as large; yours is not: the errors enter by their logarithm."
    if not near(asked([n ** 2 for n in sizes], errors), slope / 2):
        return "With the squares of the sizes the slope is half as large; yours is not: the sizes enter by their logarithm."
    if not near(asked(sizes[::-1], errors[::-1]), slope):
        return "With both lists in reverse order the points are the same, and so is the slope; yours is another one."
    return ""

assert_type(loglog_slope([10, 100, 1000], [3.0, 0.3, 0.03]), (float, int, torch.Tensor, np.ndarray), "what loglog_slope returns", of="slope")
assert_close(loglog_slope([10, 100, 1000], [3.0, 0.3, 0.03]), -1.0, "sizes 10, 100, 1000 with errors 3, 0.3, 0.03", of="slope", rtol=1e-4,
             mistakes={"The sign: the errors fall.": 1.0, "This line goes through the origin.": float(np.log([10, 100, 1000]) @ np.log([3.0, 0.3, 0.03]) / (np.log([10, 100, 1000]) ** 2).sum()),
                       "Take the logarithm of the sizes, too.": float(np.polyfit([10, 100, 1000], np.log([3.0, 0.3, 0.03]), 1)[0]),
                       "Take the logarithm of the errors, too.": float(np.polyfit(np.log([10, 100, 1000]), [3.0, 0.3, 0.03], 1)[0]),
                       "Take both logarithms to the same base.": float(-np.log(10)), "Take both logarithms to one and the same base.": float(-1 / np.log(10)),
                       "This is the slope for the root of the errors: take the errors as they are.": -0.5, "This is the slope for the squares of the errors: take the errors as they are.": -2.0, "This is the intercept.": float(np.log(30)),
                       "Take the logarithm of size and error themselves, not of 1 more.": float(np.polyfit(np.log1p([10, 100, 1000]), np.log1p([3.0, 0.3, 0.03]), 1)[0]),
                       "Take the logarithms of both.": float(np.polyfit([10, 100, 1000], [3.0, 0.3, 0.03], 1)[0]),
                       "Slope and intercept are here: return the slope alone.": [-1.0, float(np.log(30))],
                       "The mean is taken from the logarithms of the errors only: take it from log n, too, also in the denominator.":
                           float(np.log([10, 100, 1000]) @ np.log([10.0, 1.0, 0.1]) / (np.log([10, 100, 1000]) ** 2).sum()),
                       "Covariance and variance must divide by the same number.": -1.5},
             hint=lambda: "The logarithm of each size and of each error first; then the slope of the line, with an intercept, through these points. " + broken_law([10, 100, 1000], [3.0, 0.3, 0.03]))
assert_close(loglog_slope([1, 4, 16], [8.0, 4.0, 2.0]), -0.5, "sizes 1, 4, 16 with errors 8, 4, 2", of="slope", rtol=1e-4,
             mistakes={"This is the slope of log n against log error.": -2.0, "This is a correlation, not a slope.": -1.0}, hint="The slope of the line, with an intercept, through the points (log n, log error).")
x, z = np.log([300, 20, 5, 60]), np.log([0.4, 0.9, 1.5, 0.2])
from_first = x - x[0], z - z[0]
leading = np.linalg.svd(np.stack([x - x.mean(), z - z.mean()], axis=1))[2][0]
pairs_of = [(z[j] - z[i]) / (x[j] - x[i]) for i in range(4) for j in range(i)]
least = float(min(((z[j] - z[i]) / (x[j] - x[i]) for i in range(4) for j in range(i)), key=lambda slope: np.abs(z - slope * x - np.median(z - slope * x)).sum()))
assert_close(loglog_slope([300, 20, 5, 60], [0.4, 0.9, 1.5, 0.2]), float(np.polyfit(x, z, 1)[0]),
             "sizes 300, 20, 5, 60 with errors 0.4, 0.9, 1.5, 0.2", of="least squares", rtol=1e-3,
             mistakes={"This uses the first and the last point only.": float((z[3] - z[0]) / (x[3] - x[0])),
                       "This uses the smallest and the largest size only.": float((z[0] - z[2]) / (x[0] - x[2])),
                       "This is the median of the slopes between neighbours.": float(np.median(np.diff(z) / np.diff(x))),
                       "Do not round the slope to one decimal.": round(float(np.polyfit(x, z, 1)[0]), 1), "Do not round the slope to two decimals.": round(float(np.polyfit(x, z, 1)[0]), 2),
                       "This line goes through the first point.": float(from_first[0] @ from_first[1] / (from_first[0] @ from_first[0])),
                       "Each error belongs to its size: do not sort the two lists apart.": float(np.polyfit(np.sort(x), -np.sort(-z), 1)[0]),
                       "Each error belongs to its size: sort neither list.": float(np.polyfit(np.sort(x), np.sort(z), 1)[0]),
                       "This is one over the slope of log n against log error: fit log error against log n.": float(1 / np.polyfit(z, x, 1)[0]),
                       "This is the mean of the slopes between neighbours.": float((np.diff(z) / np.diff(x)).mean()),
                       "This is the mean of the slopes between each size and the next larger one.": float((np.diff(z[x.argsort()]) / np.diff(np.sort(x))).mean()),
                       "Each error belongs to its size: do not sort one without the other.": float(np.polyfit(np.sort(x), z, 1)[0]),
                       "This line goes through the origin.": float((x * z).sum() / (x * x).sum()),
                       "Distances at right angles to the line are smallest here: take those in log error, the residuals.": float(leading[1] / leading[0]),
                       "The sum of the absolute distances is smallest here: least squares adds their squares.": least,
                       "Every point counts alike: this weights each square by its size.": float(np.polyfit(x, z, 1, w=np.exp(x / 2))[0]),
                       "Every point counts alike: this weights each residual by its size.": float(np.polyfit(x, z, 1, w=np.exp(x))[0]),
                       "This is the median of the slopes between pairs.": float(np.median(pairs_of)), "This is the mean of the slopes between pairs.": float(np.mean(pairs_of)),
                       "This is the linear coefficient of a parabola: fit a straight line.": float(np.polyfit(x, z, 2)[1]),
                       "The spread of one over the other leaves out how they go together: covariance over variance.": -float(z.std() / x.std())},
             hint="One straight line, with an intercept, for which the sum of the squared distances of all points in log error "
                  "is smallest.")
### BEGIN HIDDEN TESTS
assert_close(loglog_slope([2, 6, 18, 54], [1.0, 9.0, 81.0, 729.0]), 2.0, "errors that grow with the square", of="slope", rtol=1e-4, hint=lambda: broken_law([2, 6, 18, 54], [1.0, 9.0, 81.0, 729.0]))
rng = np.random.default_rng(359)
for count in (5, 9):
    sizes, errors = rng.integers(2, 5000, count).tolist(), rng.lognormal(0, 2, count).tolist()
    assert_close(loglog_slope(sizes, errors), float(np.polyfit(np.log(sizes), np.log(errors), 1)[0]), f"{count} points off a line", of="least squares", rtol=1e-3,
                 hint=lambda: broken_law(sizes, errors) or "On a line it is right: off it the sum of the squares of all distances in log error is smallest, each point counted alike.")
### END HIDDEN TESTS

# %% [markdown] written="3.5.5c" points=3
# ### BEGIN SOLUTION
# 1. Over all ten sizes the slopes are -1.05 for w_error and -1.08 for b_error, and -1.01 and -1.04 from n = 50 on: the law
#    is 1/n. (For small n the errors lie a little above it.) A tenth of the squared error takes ten times the examples; half
#    the distance, a quarter of its square, takes four times.
# 2. From 1000 to 10,000 in even steps the size grows tenfold in all, and half of that in logarithm within the first two
#    steps: the other points say nearly the same, and the region where the error is large is not seen at all. Equal ratios
#    spread the points evenly over the axis on which the law is a line, so each counts alike for the slope. They are cheaper,
#    too: 18,880 examples in a repetition in place of 55,000.
# 3. It flattens. SGD with a fixed rate never comes to rest: it trembles around the least-squares solution at a distance that the
#    rate and the batch size set, not n. For small n this is hidden behind the error of the data; for large n it is all
#    that is left, and the slope goes to 0. A falling rate mends it.
#
# **Rubric**
# - [1] Slopes near -1 with numbers, ten times and four times; also accepted: only one of the two columns, slope -1/2 for the
#   distance itself
# - [1] Two reasons among: each point a new factor (or: equal weight on the log axis), small sizes are seen, less work; lost
#   by: "it looks nicer"
# - [1] A floor from the trembling of SGD, so the slope goes to 0 for large n; also accepted: from too few epochs, if said so
# ### END SOLUTION

# %% [markdown]
# ## Summary
#
# - `nn.Linear` holds weight (outputs, inputs) and bias; `nn.MSELoss` is the mean of the squares over all entries, without 1/2;
#   `torch.optim.SGD` moves what it is given. Forward, `zero_grad`, `backward`, `step`: that is a training step.
# - A learning rate belongs to a loss and its reduction. From sum to mean it is multiplied by the number of entries, from half squares to squares
#   it is halved. With a mean the batch size decides the noise of a step, not its length.
# - Huber's and the smooth L1 loss are one curve up to the factor σ. Both cut the slope, and so the pull of outliers.
# - `.grad` is `None`, then the gradient, then the sum of all that came since; `zero_grad()` makes it `None` again.
# - Too small a rate needs many epochs, too large a one diverges. The error of the weights falls as 1/n in the square: a line of slope -1 on
#   logarithmic axes. Section 3.6 asks what happens on data that the model has not seen; section 3.7 changes one argument of the optimizer.
