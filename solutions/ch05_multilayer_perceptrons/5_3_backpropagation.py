# %% [markdown]
# # 5.3 Forward propagation, backward propagation, and computational graphs
#
# `loss.backward()` is one line. This section does its work by hand, once, for a network with a hidden layer: what is
# computed on the way forward, which of it is needed on the way back, how the gradient gets from the loss to each
# parameter, and what all this costs in memory. Your equations are compared with autograd's.

# %% tags=["setup"]
from d2l_utils.check import *
import d2l_utils as d2l
import torch
from torch import nn
from torch.nn import functional as F

# %% [markdown]
# ## Recap
#
# ### Forward
#
# A batch of $n$ examples with $d$ features is a matrix $X$ of shape $(n, d)$, an example in each row. The network has $h$
# hidden units and $q$ outputs. Without biases it computes
#
# $$Z = X W_1^\top, \qquad H = \mathrm{relu}(Z), \qquad O = H W_2^\top,$$
#
# with $W_1$ of shape $(h, d)$ and $W_2$ of shape $(q, h)$, the shapes that `nn.Linear` uses. The loss $L$ compares $O$ with
# the targets. Weight decay adds the penalty $s = \frac{\lambda}{2} (\lVert W_1 \rVert^2 + \lVert W_2 \rVert^2)$, where
# $\lVert W \rVert^2$ is the sum of the squared entries. What training minimises is the *objective* $J = L + s$.

# %%
torch.manual_seed(0)
n, d, h, q, lam = 5, 4, 3, 2, 0.1
X, Y = torch.randn(n, d), torch.randn(n, q)
W1, W2 = torch.randn(h, d, requires_grad=True), torch.randn(q, h, requires_grad=True)
Z = X @ W1.T
H = torch.relu(Z)
O = H @ W2.T
L = 0.5 * ((O - Y) ** 2).sum() / n
s = lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
J = L + s
Z.shape, H.shape, O.shape, J

# %% [markdown]
# ### Backward
#
# Write $\bar V$ for $\partial J / \partial V$. It always has the shape of $V$. Start at the end and go against the arrows:
#
# | forward | backward |
# |---|---|
# | $L = \frac{1}{2n} \lVert O - Y \rVert^2$ | $\bar O = (O - Y) / n$ |
# | $O = H W_2^\top$ | $\bar W_2 = \bar O^\top H + \lambda W_2$, $\quad\bar H = \bar O W_2$ |
# | $H = \mathrm{relu}(Z)$ | $\bar Z = \bar H$ where $Z > 0$, else 0 |
# | $Z = X W_1^\top$ | $\bar W_1 = \bar Z^\top X + \lambda W_1$, $\quad\bar X = \bar Z W_1$ |
#
# The shapes leave little choice: $\bar W_2$ is $(q, h)$, $\bar O$ is $(n, q)$, $H$ is $(n, h)$, and only $\bar O^\top H$ fits. The
# sum over the examples hides in that product. $\lambda W$ comes from the penalty: $W$ reaches $J$ on two ways, and the
# contributions of all ways add up.

# %%
with torch.no_grad():
    dO = (O - Y) / n
    dW2 = dO.T @ H + lam * W2
    dZ = (dO @ W2) * (Z > 0)
    dW1 = dZ.T @ X + lam * W1
J.backward()
torch.allclose(dW1, W1.grad), torch.allclose(dW2, W2.grad)

# %% [markdown]
# The backward column reads $H$, $Z$, $X$ and the weights: values of the forward pass. They must be kept until then, which is
# why training needs more memory than prediction.
#
# ### The computational graph
#
# Autograd records the forward pass as a graph. `d2l.show_graph` draws it with torchviz, in the order of execution from top
# to bottom. Blue boxes are leaves, grey ones the backward functions of the operations, the green one is the result. The graph of
# the output $O$ ends before the loss. The graph that training differentiates is that of $J$: it has the loss and both squared
# norms in it.

# %% tags=["demo"]
O = torch.relu(X @ W1.T) @ W2.T
J = 0.5 * ((O - Y) ** 2).sum() / n + lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
from IPython.display import display
from torchviz import make_dot
print("the graph of O")
display(make_dot(O, params={"W1": W1, "W2": W2}))
print("the graph of J")
display(make_dot(J, params={"W1": W1, "W2": W2}))

# %% [markdown]
# ### Checking a gradient
#
# A function with output $O$ of several numbers is tested with a *cotangent*: numbers $\bar O$ of the shape of $O$ that stand for
# the gradient which arrives from above. `O.backward(gradient=dO)` takes it. A cotangent of ones is a poor test, for many wrong
# formulas agree there: a softmax's outputs add up to 1, so with ones the right gradient is 0, and a backward that
# always returns 0 passes. Random cotangents find it out.

# %%
logits = torch.tensor([[1., 2., 3.]], requires_grad=True)
for cotangent in (torch.ones(1, 3), torch.tensor([[0.3, -1.2, 0.5]])):
    print(torch.autograd.grad(logits.softmax(dim=1), logits, cotangent)[0])

# %% [markdown]
# ## Exercises
#
# ### Shapes

# %% [markdown] task="5.3.1a" kind="code" minutes=5 difficulty=1 core=true
# ### The shape of a derivative
#
# The input of a scalar function $f$ is a matrix $X$ of shape $(n, m)$. What is the shape of $\partial f / \partial X$? Answer the
# general question.
#
# Write `derivative_shape(input_shape, output_shape)`. Both arguments are tuples of integers, `()` for a single number. It returns,
# as a tuple, the shape of a tensor that holds the derivative of every output entry with respect to every input entry: the
# axes of the output first, as `torch.autograd.functional.jacobian` has it.
#
# **You are done when** the check finds the shape for a number, and for a vector, computed from a matrix.

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
assert_equal(derivative_shape((2, 3), ()), (2, 3), "a number from a matrix of shape (2, 3)",
             mistakes={"The gradient has the shape of the input, it is not transposed.": (3, 2),
                       "The derivative is not one number: there is one for each entry of the input.": ()})
assert_equal(derivative_shape((2, 3), (4,)), (4, 2, 3), "a vector of 4 from a matrix of shape (2, 3)",
             mistakes={"The axes of the output come first.": (2, 3, 4)})
### BEGIN HIDDEN TESTS
for given, made in (((5, 2, 4), ()), ((), (3, 2)), ((7,), (6,)), ((2, 3), (4, 5)), ((), ())):
    found = torch.autograd.functional.jacobian(
        lambda t, size=made: t.sum() * torch.ones(size), torch.ones(given))
    assert_equal(derivative_shape(given, made), tuple(found.shape), f"an output of shape {made} from an input of shape {given}",
                 mistakes={"The axes of the output come first.": given + made})
### END HIDDEN TESTS

# %% [markdown] task="5.3.1b" kind="code" minutes=6 difficulty=2
# ### The shapes in one backward pass
#
# The network of the recap with a bias in the hidden layer, $Z = X W_1^\top + \mathbf b_1$, gets a batch of `n` examples. Some gradients
# have an axis for the examples, some do not.
#
# Write `gradient_shapes(n, d, h, q)`: a dictionary from the names `"O"`, `"W2"`, `"H"`, `"Z"`, `"b1"`, `"W1"`, `"X"` to the
# shape (a tuple) of the gradient of the objective with respect to each.
#
# **You are done when** the check finds the shapes of `"O"` and `"b1"` for 5 examples.

# %% exercise="5.3.1b"
def gradient_shapes(n, d, h, q):
    """The shapes of dJ/dO, dJ/dW2, ..., a dictionary from names to tuples."""
    ### BEGIN SOLUTION
    return {"O": (n, q), "W2": (q, h), "H": (n, h), "Z": (n, h), "b1": (h,), "W1": (h, d), "X": (n, d)}
    ### END SOLUTION

# %% [markdown] hints="5.3.1b"
# 1. Which of the seven exist once for each example, and which are shared by all?
# 2. A gradient of the scalar $J$ has the shape of what it is taken by.
# 3. For a single layer $\mathbf o = W\mathbf x$ with 3 inputs and 2 outputs: the gradient with respect to $W$ is $(2, 3)$, to $\mathbf x$ $(3,)$.

# %% check="5.3.1b" points=1
found_shapes = gradient_shapes(5, 4, 3, 2)
assert_type(found_shapes, dict, "what gradient_shapes returns")
assert_equal(set(found_shapes), {"O", "W2", "H", "Z", "b1", "W1", "X"}, "the names")
assert_equal(found_shapes["O"], (5, 2), "the gradient with respect to the output of 5 examples")
assert_equal(found_shapes["b1"], (3,), "the gradient with respect to the bias of 3 hidden units",
             mistakes={"The bias is shared by the examples: its gradient is summed over them.": (5, 3),
                       "b1 has one axis, and so has its gradient.": (1, 3)})
### BEGIN HIDDEN TESTS
for n_, d_, h_, q_ in ((5, 4, 3, 2), (7, 2, 6, 3), (1, 9, 4, 8)):
    leaves = {"X": torch.ones(n_, d_), "W1": torch.ones(h_, d_), "b1": torch.ones(h_), "W2": torch.ones(q_, h_)}
    for leaf in leaves.values():
        leaf.requires_grad_()
    leaves["Z"] = leaves["X"] @ leaves["W1"].T + leaves["b1"]
    leaves["H"] = torch.relu(leaves["Z"])
    leaves["O"] = leaves["H"] @ leaves["W2"].T
    grads = torch.autograd.grad(leaves["O"].square().sum(), list(leaves.values()))
    for name, grad in zip(leaves, grads):
        assert_equal(gradient_shapes(n_, d_, h_, q_)[name], tuple(grad.shape),
                     f"the gradient with respect to {name} for n, d, h, q = {n_}, {d_}, {h_}, {q_}",
                     hint="It has the shape of what the derivative is taken by.")
### END HIDDEN TESTS

# %% [markdown]
# ### A bias in the hidden layer

# %% [markdown] task="5.3.2a" kind="answer" minutes=10 difficulty=2 core=true
# ### The graph of the objective
#
# Give the network of the recap a bias in the hidden layer. Describe the graph of the objective $J$, weight decay included; the bias is
# not penalised. The drawing above shows the graph without the bias.
#
# Set `graph` to a dictionary: for every computed value its name, and a tuple of the operation and the names of its inputs. The last entry
# is $J$. Names of computed values are yours. Leaves are called `"X"`, `"Y"`, `"W1"`, `"b1"`, `"W2"`, `"lam"`. Operations:
#
# - `("matmul", A, W)`: $A W^\top$; `("add", A, B)`; `("relu", A)`; `("loss", O, Y)`;
# - `("penalty", lam, A, B)`: $\frac{\lambda}{2} (\lVert A \rVert^2 + \lVert B \rVert^2)$.
#
# For example, $\mathrm{relu}(X W^\top) + X$ is `{"P": ("matmul", "X", "W"), "R": ("relu", "P"), "S": ("add", "R", "X")}`.
#
# **You are done when** the check finds that every name is defined before it is used, and all six leaves in the graph.

# %% exercise="5.3.2a"
### BEGIN SOLUTION
graph = {"P": ("matmul", "X", "W1"), "Z": ("add", "P", "b1"), "H": ("relu", "Z"), "O": ("matmul", "H", "W2"),
         "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W1", "W2"), "J": ("add", "L", "s")}
### END SOLUTION

# %% [markdown] hints="5.3.2a"
# 1. Which leaves have two arrows going out of them?
# 2. The penalty meets the other way only at the very end, in a sum of two numbers. The bias joins before the activation.
# 3. One layer with a penalty on W: `{"O": ("matmul", "X", "W"), "L": ("loss", "O", "Y"), "s": ("penalty", "lam", "W", "W"),
#    "J": ("add", "L", "s")}`.

# %% check="5.3.2a" points=2
assert_type(graph, dict, "the graph")
known = {"X", "Y", "W1", "b1", "b2", "W2", "lam"}
for name, entry in dict(graph).items():
    assert_type(entry, (tuple, list), f"the entry of {name!r}")
    assert_true(entry[0] in ("matmul", "add", "relu", "loss", "penalty"), f"the operation of {name!r} is one of the five")
    assert_true(set(entry[1:]) <= known, f"the inputs of {name!r} are leaves or defined before it")
    known.add(name)
used = {source for entry in dict(graph).values() for source in entry[1:]}
assert_equal({"X", "Y", "W1", "b1", "W2", "lam"} - used, set(), "the leaves that nothing uses",
             hint="Is it the graph of the objective, with loss and penalty, and not that of the output?")
### BEGIN HIDDEN TESTS
def expression(name, entries):
    """The value as nested tuples: terms of a sum in one sorted list, weights of a penalty sorted."""
    if name not in entries:
        return name
    operation, *inputs = entries[name]
    parts = [expression(source, entries) for source in inputs]
    if operation == "add":
        terms = []
        for one in parts:
            terms += one[1] if one[0] == "add" else [one]
        return "add", sorted(terms, key=str)
    if operation == "penalty":
        return operation, parts[0], sorted(parts[1:], key=str)
    return operation, *parts

entries = {name: tuple(entry) for name, entry in dict(graph).items()}
objective = expression(list(entries)[-1], entries)
hidden = ("relu", ("add", sorted([("matmul", "X", "W1"), "b1"], key=str)))
output = ("matmul", hidden, "W2")
decay = ("penalty", "lam", ["W1", "W2"])
assert_equal(objective[0], "add", "the last entry is the objective, a sum of loss and penalty",
             hint="Its last step adds the penalty to the loss.")
terms = list(objective[1])
penalties = [term for term in terms if term[0] == "penalty"]
assert_equal(len(penalties), 1, "the number of penalties among the terms of the objective",
             hint="The penalty is added to the loss, not to a layer's output.")
assert_equal(sorted(set(penalties[0][2])), ["W1", "W2"], "what the penalty penalises", hint="Both weights, and no bias.")
losses = [term for term in terms if term[0] == "loss"]
assert_equal(len(losses), 1, "the number of losses among the terms of the objective")
first_layer = str(losses[0][1])
assert_true(str(hidden) in first_layer, "the hidden layer is relu(X W1ᵀ + b1)",
            hint="The bias is added before the activation, to the product.")
with_b2 = ("add", sorted([output, "b2"], key=str))
assert_true(losses[0][1] == output or losses[0][1] == with_b2, "the loss compares the second layer's output with Y")
assert_equal(losses[0][2], "Y", "the second input of the loss")
assert_equal(penalties[0], decay, "the penalty")
assert_equal(len(terms), 2, "the number of terms of the objective")
### END HIDDEN TESTS

# %% [markdown]
# Now the drawing, with the bias. It is the graph of $J$: compare it with yours. torchviz draws a box for each operation of torch, so there
# are more boxes than entries: the penalty is two squares, two sums, an addition and a product.

# %% tags=["demo"]
b1 = torch.randn(h, requires_grad=True)
O = torch.relu(X @ W1.T + b1) @ W2.T
J = 0.5 * ((O - Y) ** 2).sum() / n + lam / 2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
make_dot(J, params={"W1": W1, "b1": b1, "W2": W2})

# %% [markdown] task="5.3.2b" kind="code" minutes=6 difficulty=1 core=true
# ### Forward, with a bias
#
# Write `forward(X, W1, b1, W2)`: the triple `(Z, H, O)` for the network with a bias in the hidden layer. Shapes: `X` $(n, d)$, `W1` $(h, d)$,
# `b1` $(h,)$, `W2` $(q, h)$; the result has shapes $(n, h)$, $(n, h)$ and $(n, q)$ and the inputs' dtype.
#
# **You are done when** the check shows $Z$, $H$ and $O$ for two examples that you can compute in your head.

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
# 3. For one unit with weight 2 and bias −3, the inputs 1 and 4 give −1 and 5, after ReLU 0 and 5.

# %% check="5.3.2b" points=1
two_rows = torch.tensor([[1., 2.], [3., -1.]])
weight1, shift1, weight2 = torch.tensor([[1., 0.], [0., 2.]]), torch.tensor([-2., 1.]), torch.tensor([[1., 10.]])
assert_equal(len(forward(two_rows, weight1, shift1, weight2)), 3, "how many tensors are returned")
assert_close(forward(two_rows, weight1, shift1, weight2)[0], torch.tensor([[-1., 5.], [1., -1.]]), "Z for two examples",
             mistakes={"The bias is missing.": torch.tensor([[1., 4.], [3., -2.]]),
                       "The bias went along the examples, not along the hidden units.": torch.tensor([[-1., 2.], [4., -1.]])})
assert_close(forward(two_rows, weight1, shift1, weight2)[1], torch.tensor([[0., 5.], [1., 0.]]), "H for two examples")
assert_close(forward(two_rows, weight1, shift1, weight2)[2], torch.tensor([[50.], [1.]]), "O for two examples")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(532)
for n_, d_, h_, q_ in ((5, 4, 3, 2), (3, 3, 3, 3), (1, 2, 6, 4)):
    args = [torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n_, d_), (h_, d_), (h_,), (q_, h_))]
    pre = F.linear(args[0], args[1], args[2])
    wanted = pre, pre.clamp(min=0), F.linear(pre.clamp(min=0), args[3])
    for name, got, right in zip(("Z", "H", "O"), forward(*args), wanted):
        assert_shape(got, right.shape, f"the shape of {name} for n, d, h, q = {n_}, {d_}, {h_}, {q_}")
        assert_dtype(got, torch.float64, f"the dtype of {name}")
        assert_close(got, right, f"{name} for n, d, h, q = {n_}, {d_}, {h_}, {q_}",
                     hint="Is Z the value before the activation, and still so after the call?" if name == "Z" else
                     "The activation belongs to the hidden layer, not to the output.")
### END HIDDEN TESTS

# %% [markdown] task="5.3.2c" kind="code" minutes=15 difficulty=3 core=true
# ### Backward, with a bias
#
# Write `backward(dO, X, Z, H, W1, W2)`. `dO` is the cotangent, the gradient that arrives at the output, shape $(n, q)$; the other arguments are those
# of the forward pass. It returns `(dX, dW1, db1, dW2)`, in the shapes of `X`, `W1`, `b1`, `W2`, for the part of the objective that comes through
# $O$ (no weight decay yet). Where an entry of $Z$ is 0, the slope of ReLU counts as 0. The arguments stay as they are.
#
# Do it by hand: the check calls it in `torch.inference_mode()`, where autograd does not work.
#
# **You are done when** the check agrees with the bias gradient of two examples, and with shapes for $n ≠ d ≠ h ≠ q$.

# %% exercise="5.3.2c"
def backward(dO, X, Z, H, W1, W2):
    """(dX, dW1, db1, dW2) for the cotangent dO of the output: shapes (n, d), (h, d), (h,), (q, h)."""
    ### BEGIN SOLUTION
    dW2 = dO.T @ H
    dZ = (dO @ W2) * (Z > 0)
    return dZ @ W1, dZ.T @ X, dZ.sum(dim=0), dW2
    ### END SOLUTION

# %% [markdown] hints="5.3.2c"
# 1. $\mathbf b_1$ is added to every row of $Z$. On how many ways does one entry of it reach the objective?
# 2. Contributions of several ways add up: the gradient of something that was broadcast is summed over the axis of broadcasting.
# 3. For $O = X W^\top + \mathbf b$ with $\bar O$ = (1, 2; 3, 4; 5, 6) the bias gradient is (9, 12): the sums over the three examples.

# %% check="5.3.2c" points=3
@probe
def by_hand(dO, X, W1, b1, W2):
    with torch.inference_mode():
        Z = X @ W1.T + b1
        return backward(dO, X, Z, Z.clamp(min=0), W1, W2)

inputs_ = (torch.tensor([[1., 2.], [3., -1.]]), torch.tensor([[1., 0.], [0., 2.], [1., 1.]]), torch.tensor([-2., 1., 1.]),
           torch.tensor([[1., 10., 2.]]))
arriving = torch.tensor([[1.], [-2.]])
assert_equal(len(by_hand(arriving, *inputs_)), 4, "how many gradients are returned")
for name, got, right in zip(("dX", "dW1", "db1", "dW2"), by_hand(arriving, *inputs_), ((2, 2), (3, 2), (3,), (1, 3))):
    assert_shape(got, right, f"the shape of {name}")
assert_close(by_hand(arriving, *inputs_)[2], torch.tensor([-2., 10., -2.]), "db1 for two examples",
             mistakes={"The bias gradient is a mean over the examples: it has to be a sum.": torch.tensor([-1., 5., -1.]),
                       "The mask of ReLU is missing.": torch.tensor([-1., -10., -2.])})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(5321)
for n_, d_, h_, q_ in ((5, 4, 3, 2), (6, 2, 7, 5), (4, 4, 4, 4), (1, 3, 2, 5)):
    args = [torch.randn(size, generator=rng, dtype=torch.float64).requires_grad_()
            for size in ((n_, d_), (h_, d_), (h_,), (q_, h_))]
    out = F.linear(F.relu(F.linear(args[0], args[1], args[2])), args[3])
    for trial in range(2):
        above = torch.randn(n_, q_, generator=rng, dtype=torch.float64)
        grads = torch.autograd.grad(out, args, above, retain_graph=True)
        for name, got, right in zip(("dX", "dW1", "db1", "dW2"), by_hand(above, *[a.detach() for a in args]), grads):
            assert_shape(got, right.shape, f"the shape of {name} for n, d, h, q = {n_}, {d_}, {h_}, {q_}")
            assert_close(got, right, f"{name} for a random cotangent, n, d, h, q = {n_}, {d_}, {h_}, {q_}",
                         mistakes={"The gradient was divided by the number of examples; the cotangent has that in it.": right / n_})

@probe
def at_the_kink():
    Z = torch.tensor([[0., 1., -1.]])
    return backward(torch.ones(1, 1), torch.ones(1, 2), Z, Z.clamp(min=0), torch.ones(3, 2), torch.ones(1, 3))[2]

assert_close(at_the_kink(), torch.tensor([0., 1., 0.]), "db1 where Z is 0, 1 and -1", hint="At 0 the slope counts as 0.")

@probe
def arguments_after(dO, X, Z, W1, W2):
    backward(dO, X, Z, Z.clamp(min=0), W1, W2)
    return dO, X, Z, W1, W2

given = [torch.randn(size, generator=rng) for size in ((5, 2), (5, 4), (5, 3), (3, 4), (2, 3))]
for name, after, before in zip(("dO", "X", "Z", "W1", "W2"), arguments_after(*given), given):
    assert_close(after, before, f"{name} is left as it was")
### END HIDDEN TESTS

# %% [markdown] task="5.3.2d" kind="code" minutes=15 difficulty=3 core=true
# ### The gradient of the whole objective
#
# Put loss and weight decay around it. The objective is
#
# $$J = \frac{1}{2n} \lVert O - Y \rVert^2 + \frac{\lambda}{2} \left( \lVert W_1 \rVert^2 + \lVert W_2 \rVert^2 \right).$$
#
# Write `objective_and_gradients(X, Y, W1, b1, W2, lam)`: it returns `(J, dW1, db1, dW2)`, $J$ as a number or 0-d tensor. Again by hand: the check
# calls it in `torch.inference_mode()`. With `lam` = 0 there is no weight decay.
#
# **You are done when** the check agrees on a network of one unit, with and without weight decay.

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
# 1. On which two ways does $W_1$ reach $J$, and on how many does $\mathbf b_1$?
# 2. The derivative of $\frac{\lambda}{2} w^2$ is $\lambda w$; that of $\frac{1}{2n} (o - y)^2$ with respect to $o$ is $(o - y)/n$.
# 3. For $J = \frac12 (wx - y)^2 + \frac{\lambda}{2} w^2$ with $w = 3, x = 2, y = 5, λ = 0.1$: the derivative is $(6 - 5) · 2 + 0.1 · 3 = 2.3$.

# %% check="5.3.2d" points=3
@probe
def whole(X, Y, W1, b1, W2, lam):
    with torch.inference_mode():
        return objective_and_gradients(X, Y, W1, b1, W2, lam)

one_unit = (torch.tensor([[2.], [1.]]), torch.tensor([[5.], [0.]]), torch.tensor([[1.]]), torch.tensor([1.]), torch.tensor([[2.]]))
assert_equal(len(whole(*one_unit, 0.)), 4, "how many values are returned")
for decay_, wanted in ((0., (4.25, 6., 5., 5.5)), (0.5, (5.5, 6.5, 5., 6.5))):
    found = whole(*one_unit, decay_)
    assert_close(float(found[0]), wanted[0], f"J for one unit, lam = {decay_}",
                 mistakes={"Is the penalty halved?": 6.75, "Divide the squared error by the number of examples.": 8.5 + 2.5 * decay_})
    for name, got, right, size in zip(("dW1", "db1", "dW2"), found[1:], wanted[1:], ((1, 1), (1,), (1, 1))):
        assert_close(got, torch.full(size, right), f"{name} for one unit, lam = {decay_}",
                     mistakes={"The bias is not penalised.": torch.full(size, right + decay_ * 1.)} if name == "db1" else {})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(5322)
for n_, d_, h_, q_, decay_ in ((5, 4, 3, 2, 0.), (5, 4, 3, 2, 0.7), (6, 2, 7, 5, 0.03), (3, 3, 3, 3, 2.)):
    rows, goals = (torch.randn(n_, k, generator=rng, dtype=torch.float64) for k in (d_, q_))
    params_ = [torch.randn(size, generator=rng, dtype=torch.float64).requires_grad_() for size in ((h_, d_), (h_,), (q_, h_))]
    fit = F.linear(F.relu(F.linear(rows, params_[0], params_[1])), params_[2])
    data_part = 0.5 * F.mse_loss(fit, goals, reduction="sum") / n_
    right_J = data_part + decay_ / 2 * (params_[0].norm() ** 2 + params_[2].norm() ** 2)
    bare = [grad.detach() for grad in torch.autograd.grad(data_part, params_, retain_graph=True)]
    wanted = torch.autograd.grad(right_J, params_)
    found = whole(rows, goals, *[p.detach() for p in params_], decay_)
    assert_close(float(found[0]), right_J.item(), f"J for n, d, h, q = {n_}, {d_}, {h_}, {q_} and lam = {decay_}")
    for name, got, right, without, leaf in zip(("dW1", "db1", "dW2"), found[1:], wanted, bare, params_):
        slips = {"Weight decay is missing: the weight reaches J through the penalty, too.": without,
                 "Weight decay is twice too large: the penalty has a factor 1/2.": without + 2 * decay_ * leaf.detach(),
                 "The bias is not penalised.": without + decay_ * leaf.detach()}
        assert_close(got, right, f"{name} for n, d, h, q = {n_}, {d_}, {h_}, {q_} and lam = {decay_}",
                     mistakes=slips if decay_ else {"The mean is over the n examples, not over all entries.": without / q_})
### END HIDDEN TESTS
