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
# sum over the examples hides in that product. $\lambda W$ comes from the penalty: $W$ reaches $J$ by two paths, and the
# contributions of all paths add up.

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
# Autograd records the forward pass as a graph. torchviz draws it, in the order of execution from top to bottom. Blue boxes are
# the leaves that need a gradient: $X$, $Y$ and $\lambda$ do not, so they are not drawn. Grey boxes are the backward functions of
# the operations (`PermuteBackward0` belongs to the transpose, `MmBackward0` to the matrix product), the green one is the result.
# The graph of the output $O$ ends before the loss. The graph that training differentiates is that of $J$: it has the loss and both squared
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
# 2. The gradient of the scalar $J$ with respect to a tensor has the shape of that tensor.
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
                     hint="A gradient has the shape of the tensor with respect to which it is taken.")
### END HIDDEN TESTS

# %% [markdown]
# ### A bias in the hidden layer

# %% [markdown] task="5.3.2a" kind="answer" minutes=10 difficulty=2 core=true
# ### The graph of the objective
#
# Give the network of the recap a bias in the hidden layer. Describe the graph of the objective $J$, weight decay included; the bias is
# not penalised. The drawing above shows the graph without the bias. (If you also add a bias `"b2"` to the output, that is accepted.)
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
# 2. The penalty meets the other path only at the very end, in a sum of two numbers. The bias joins before the activation.
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
assert_equal(sorted({"X", "Y", "W1", "b1", "W2", "lam"} - used), [], "the leaves that nothing uses",
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
# are more boxes than entries: the penalty is two squares, two sums, an addition and a product. Your leaves `"X"`, `"Y"` and `"lam"` are
# missing, since they need no gradient.

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
# 1. $\mathbf b_1$ is added to every row of $Z$. By how many paths does one entry of it reach the objective?
# 2. Contributions of several paths add up: the gradient of something that was broadcast is summed over the axis of broadcasting.
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
for name, after, before in zip(("dO", "X", "Z", "W1", "W2"), arguments_after(*[part.clone() for part in given]), given):
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
# 1. By which two paths does $W_1$ reach $J$, and by how many does $\mathbf b_1$?
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
    for name, got, right, data, size in zip(("dW1", "db1", "dW2"), found[1:], wanted[1:], (6., 5., 5.5), ((1, 1), (1,), (1, 1))):
        slips = {"The loss is a mean over n examples: its gradient by O is (O - Y) / n.": torch.full(size, right + data)}
        if name == "db1":
            slips["The bias is not penalised."] = torch.full(size, right + decay_ * 1.)
        assert_close(got, torch.full(size, right), f"{name} for one unit, lam = {decay_}", mistakes=slips)
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

# %% [markdown]
# ### Memory
#
# Autograd keeps a tensor in the graph only if the backward pass reads it. `torch.autograd.graph.saved_tensors_hooks(pack, unpack)` calls
# `pack` on every tensor as it is saved: so one can see what is kept. Two saved tensors may share one block of memory, a *storage*, as the
# output of ReLU does, which ReLU itself saves and the next layer saves as its input. The weights are saved, too, but they are there anyway.

# %%
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(100, 50), nn.ReLU(), nn.Linear(50, 10))
rows, labels = torch.randn(64, 100), torch.randint(0, 10, (64,))
with torch.autograd.graph.saved_tensors_hooks(
        lambda t: (print(tuple(t.shape), t.dtype, t.untyped_storage().nbytes(), "bytes"), t)[1], lambda t: t):
    loss = F.cross_entropy(net(rows), labels)

# %% [markdown] task="5.3.3a" kind="code" minutes=12 difficulty=3
# ### Predict the bytes
#
# The network is `nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, q))` in float32 (4 bytes a number), with both biases, called with a batch
# of `n` examples that needs no gradient; the loss is `F.cross_entropy` with `n` labels of int64 (8 bytes each).
#
# Write `predict_bytes(n, d, h, q)`: a dictionary with
#
# - `"parameters"`: bytes of all parameters;
# - `"gradients"`: bytes of their `.grad` after a backward pass;
# - `"saved"`: bytes that the graph keeps between forward and backward, parameters left out, a storage counted once: the batch, the output of
#   ReLU, the log-probabilities, the labels, and one float for the weight of the batch;
# - `"prediction"`: the most bytes of layer outputs alive at once under `torch.no_grad()`. Each layer writes into new memory while its input is
#   still there; then the input is released. The batch itself belongs to the caller and is not counted.
#
# **You are done when** the check finds the bytes for the network above, 64 examples.

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
found_bytes = predict_bytes(64, 100, 50, 10)
assert_type(found_bytes, dict, "what predict_bytes returns")
assert_equal(found_bytes["parameters"], 22240, "the bytes of the parameters", mistakes={
    "Biases are parameters, too.": 22000, "These are numbers, not bytes: float32 takes 4.": 5560})
assert_equal(found_bytes["saved"], 41476, "the bytes that the graph saves", mistakes={
    "Z is not kept: ReLU's backward needs only its output.": 41476 + 12800, "Labels of int64 take 8 bytes.": 41476 - 256,
    "The batch is saved for the gradient of the first weight.": 41476 - 25600})
### BEGIN HIDDEN TESTS
for n_, d_, h_, q_ in ((64, 100, 50, 10), (7, 20, 3, 11), (130, 5, 40, 2)):
    torch.manual_seed(533)
    model_ = nn.Sequential(nn.Linear(d_, h_), nn.ReLU(), nn.Linear(h_, q_))
    inside = {p.untyped_storage().data_ptr() for p in model_.parameters()}
    kept = {}
    with torch.autograd.graph.saved_tensors_hooks(
            lambda t: (kept.__setitem__(t.untyped_storage().data_ptr(), t.untyped_storage().nbytes()), t)[1], lambda t: t):
        F.cross_entropy(model_(torch.randn(n_, d_)), torch.zeros(n_, dtype=torch.int64))
    weights_ = sum(p.numel() * 4 for p in model_.parameters())
    layers = [4 * n_ * k for k in (h_, h_, q_)]
    wanted = {"parameters": weights_, "gradients": weights_, "saved": 4 * n_ * (d_ + h_ + q_) + 8 * n_ + 4,
              "prediction": max(one + two for one, two in zip(layers, layers[1:]))}
    for key, right in wanted.items():
        slips = {"The outputs that are released do not count: at most two are alive at once.": sum(layers),
                 "While ReLU runs, its input and its output are alive.": 4 * n_ * (h_ + q_)} if key == "prediction" else {}
        assert_equal(predict_bytes(n_, d_, h_, q_)[key], right, f"{key} for n, d, h, q = {n_}, {d_}, {h_}, {q_}", mistakes=slips)
### END HIDDEN TESTS

# %% [markdown] task="5.3.3b" kind="code" minutes=12 difficulty=3
# ### Measure what the graph keeps
#
# Write `saved_bytes(f, parameters)`: it calls `f()` once and returns the bytes that autograd saves while `f` runs. Count each storage once and
# in full (`t.untyped_storage().nbytes()`), and leave out storages that belong to a tensor in `parameters`, an iterable. `f` takes no argument.
# Memory that is freed during `f` can be given to the next tensor, so hold on to what you saw until you have counted.
#
# **You are done when** the check measures 41,476 bytes for the network of 5.3.3a.

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
        result = f()
    del result
    return sum(storage.nbytes() for address, storage in seen.items() if address not in own)
    ### END SOLUTION

# %% [markdown] hints="5.3.3b"
# 1. How do you tell that two tensors lie in the same memory?
# 2. `t.untyped_storage().data_ptr()` is the address of the whole block; `t.data_ptr()` that of the first entry of a view. `pack` must return what
#    `unpack` will get.
# 3. For `x = torch.ones(10)[2:5]`, `x.numel() * 4` is 12 and `x.untyped_storage().nbytes()` is 40.

# %% check="5.3.3b" points=2
@probe
def measured(n, d, h, q):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, q))
    batch, goals = torch.randn(n, d), torch.randint(0, q, (n,))
    return saved_bytes(lambda: F.cross_entropy(model(batch), goals), model.parameters())

assert_equal(measured(64, 100, 50, 10), 41476, "the network of 5.3.3a with 64 examples", mistakes={
    "A storage that is saved twice counts once.": 56836, "The parameters are there anyway: leave them out.": 43476,
    "A storage that is saved twice counts once, and the parameters do not count.": 58836})
### BEGIN HIDDEN TESTS
assert_equal(measured(7, 20, 3, 11), 4 * 7 * 34 + 60, "another network, 7 examples")

@probe
def special_cases():
    w = torch.ones(6, 10, requires_grad=True)
    return {"a view": saved_bytes(lambda: (w[:, :2].T * torch.ones(100)[3:9]).sum(), [w]),
            "nothing": saved_bytes(lambda: (w + 1).sum(), [w]),
            "no gradient": saved_bytes(lambda: torch.no_grad()(torch.exp)(w), [w]),
            "a chain": saved_bytes(lambda: w.exp().exp().exp().sum(), [w])}

cases = special_cases()
assert_equal(cases["a view"], 400, "a view of 6 numbers keeps its storage of 100 alive",
             hint="Count the whole storage: a view keeps all of it.")
assert_equal(cases["nothing"], 0, "an addition saves nothing")
assert_equal(cases["no gradient"], 0, "nothing is saved under torch.no_grad()")
assert_equal(cases["a chain"], 720, "three exponentials of 60 numbers")

@probe
def number_of_calls():
    calls = []
    saved_bytes(lambda: calls.append(1), [])
    return len(calls)

assert_equal(number_of_calls(), 1, "how often f is called")
### END HIDDEN TESTS

# %% [markdown] task="5.3.3c" kind="code" minutes=8 difficulty=2
# ### The peak in a profile
#
# `torch.profiler` writes down every piece of memory that is taken (positive bytes) and given back (negative). The largest number of bytes alive at one
# moment is what has to fit.
#
# Write `peak_and_rest(events)`: for a list of integers in the order of time it returns the pair of the largest total so far (0 before the first
# event) and of the total at the end. The total may be negative at the end, where memory of before is given back.
#
# **You are done when** the check finds the peak for a prediction of the network above.

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
# 3. For a bank account with +5, +3, −6, +2 the balances are 5, 8, 2, 4: the highest is 8, the last 4.

# %% check="5.3.3c" points=1
assert_equal(peak_and_rest([12800, 12800, -12800, 2560, -12800]), (25600, 2560), "the events of one prediction",
             mistakes={"This adds up what is taken and ignores what is given back.": (28160, 2560)})
### BEGIN HIDDEN TESTS
for events_, wanted in (([], (0, 0)), ([-5, 3], (0, -2)), ([4, -4, 9, -9, 2], (9, 2)), ([1, 2, 3, -6, 5], (6, 5)), ([7, -1, 4], (10, 10))):
    assert_equal(peak_and_rest(events_), wanted, f"{len(events_)} events",
                 mistakes={"This adds up what is taken and ignores what is given back.": (sum(e for e in events_ if e > 0), sum(events_)),
                           "This is the largest single event.": (max([0, *events_]), sum(events_))})
### END HIDDEN TESTS

# %% [markdown]
# Prediction and training of the same network, measured, against your prediction and against the estimate of torchinfo. Training also takes 22,240 bytes for the
# gradients, and temporary memory. ⚠ torchinfo's "forward/backward pass size" counts the outputs of layers with parameters twice: for a network like this it is
# neither the saved bytes nor the peak. It leaves out the gradients, the optimizer's state, the loss, and everything that happens in a function instead of a layer.

# %% tags=["demo"]
import torchinfo
from torch.profiler import ProfilerActivity, profile, record_function


def memory_events(f, name):
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler, record_function(name):
        f()
    events = [e for e in profiler.profiler.kineto_results.events() if e.name() == "[memory]"]
    return [e.nbytes() for e in sorted(events, key=lambda e: e.start_ns())], profiler


def peak_of(changes):
    alive = torch.tensor([0, *changes]).cumsum(0)
    return alive.max().item(), alive[-1].item()


def train():
    F.cross_entropy(net(rows), labels).backward()


for name, f in (("prediction", torch.no_grad()(lambda: net(rows))), ("training", train)):
    net.zero_grad()
    memory_events(f, name)          # the first profile also holds what torch sets up once
    net.zero_grad()
    changes, profiler = memory_events(f, name)
    print(f"{name}: peak {peak_of(changes)[0]} bytes, left at the end {peak_of(changes)[1]}")
print(profiler.key_averages().table(sort_by="self_cpu_memory_usage", row_limit=6, max_name_column_width=30))
estimate = torchinfo.summary(net, input_data=rows, verbose=0)
print(f"torchinfo: forward/backward {estimate.total_output_bytes}, parameters {estimate.total_param_bytes} bytes")

# %% [markdown]
# ### Second derivatives
#
# The gradient is a computation with a graph of its own if `create_graph=True`. Its derivative is the *Hessian*, a matrix with a row and a column for each of the
# $N$ parameters. Often only its product with one vector is needed, and that costs far less than the matrix. The check uses this function:

# %% tags=["setup"]
def bumpy(w):
    """A number that depends smoothly on the vector w; its Hessian has no simple pattern."""
    return (w[0] ** 2 * w[1:]).sum() + (w.sin() * w.flip(0)).sum()

# %% [markdown] task="5.3.4a" kind="code" minutes=12 difficulty=3
# ### A Hessian-vector product
#
# Write `hessian_vector_product(f, w, v)`. `f` takes a vector `w` of shape $(N,)$ to a number (0-d tensor) that depends on `w` smoothly; `v` has the shape of `w`.
# Return $\nabla^2 f(\mathbf w)\, \mathbf v$, shape $(N,)$, without a graph attached, and without the Hessian: `f` may be evaluated at most twice, and the number of
# backward passes through it may not grow with $N$: at most eight. `w` stays as it was.
#
# **You are done when** the check finds the product for $w_0^2 w_1$ at (1, 2), and few backward passes.

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

# %% check="5.3.4a" points=2
@probe
def product_and_passes(point, direction):
    counts = [0, 0]

    class Counted(torch.autograd.Function):
        @staticmethod
        def forward(ctx, t):
            counts[0] += 1
            return t.clone()

        @staticmethod
        def backward(ctx, grad):
            counts[1] += 1
            return Counted.apply(grad) if grad.requires_grad else grad.clone()

    evaluations = []

    def f(w):
        evaluations.append(1)
        return bumpy(Counted.apply(w))

    start = point.clone()
    found = hessian_vector_product(f, start, direction)
    return found.detach(), len(evaluations), counts[1], int(found.requires_grad), start.detach(), int(start.requires_grad)

@probe
def small_product(point, direction):
    return hessian_vector_product(lambda w: w[0] ** 2 * w[1], point, direction)

assert_close(small_product(torch.tensor([1., 2.]), torch.tensor([1., 10.])), torch.tensor([24., 2.]), "w₀²w₁ at (1, 2), v = (1, 10)", mistakes={
    "This is the gradient times v, entry by entry.": torch.tensor([4., 10.]),
    "The gradient of before is still in .grad: backward() adds to it.": torch.tensor([28., 3.]),
    "Only the diagonal of the Hessian is in it.": torch.tensor([4., 0.]),
    "v is missing: these are the row sums.": torch.tensor([6., 2.])})
passes = product_and_passes(torch.linspace(-1, 1, 50), torch.ones(50))[1:3]
assert_true(passes[0] <= 2, "at most two evaluations of f", hint="Finite differences of f need many.")
assert_true(passes[1] <= 8, "at most eight backward passes for N = 50", hint="A pass for each row builds the whole Hessian.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(534)

for size in (3, 8, 30):
    point = torch.randn(size, generator=rng, dtype=torch.float64)
    direction = torch.randn(size, generator=rng, dtype=torch.float64)
    found, evaluations, passes, has_graph, after, requires = product_and_passes(point, direction)
    right = torch.autograd.functional.hessian(bumpy, point) @ direction
    assert_shape(found, (size,), f"the shape for N = {size}")
    assert_close(found, right, f"the product for N = {size}, a random direction",
                 rtol=1e-6, hint="In float64 it is exact up to rounding; differences of gradients are not.")
    assert_true(evaluations <= 2 and passes <= 8, f"evaluations and backward passes for N = {size}")
    assert_equal(has_graph, 0, "the result has no graph")
    assert_close(after, point, "w is left as it was")
    assert_equal(requires, 0, "the caller's w does not require a gradient afterwards")
### END HIDDEN TESTS

# %% tags=["demo"]
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
    found, waiting = set(), [y.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in found:
            found.add(node)
            waiting += [source for source, _ in node.next_functions]
    return len(found)


print("width      N  operations (matrix products): gradient, Hessian times vector, Hessian    nodes: J, gradient")
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
    print(f"{width:5} {len(w):6} {work[0]:8} {work[1]:8} ({work[1] / work[0]:.2f}) {work[2]:10} ({work[2] / work[0]:.0f})"
          f"     {nodes_of(objective(w))}, {nodes_of(gradient)}")

# %% [markdown]
# The graphs of the running example of section 2.5, $\log(x^2) \sin x + 1/x$, and of its derivative:

# %% tags=["demo"]
x = torch.tensor(2., requires_grad=True)
y = torch.log(x ** 2) * torch.sin(x) + 1 / x
slope, = torch.autograd.grad(y, x, create_graph=True)
display(make_dot(y, params={"x": x}), make_dot(slope, params={"x": x}))

# %% [markdown] task="5.3.4b" kind="explain" minutes=15 difficulty=3
# ### What second derivatives cost
#
# Someone writes that the cost of the Hessian grows exponentially with the number of parameters. First say how much memory it needs: write
# `hessian_bytes(N)`, the bytes of a Hessian of $N$ parameters in float32. Then explain in words what the graph of the gradient looks like, what Hessian and
# Hessian-vector product cost, and whether the sentence above is right. Quote the table that was printed above the two graphs.
#
# **You are done when** the check finds the bytes for 1000 parameters, and your text has all three points.

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
assert_equal(hessian_bytes(1000), 4_000_000, "the bytes for 1000 parameters",
             mistakes={"These are entries: float32 takes 4 bytes.": 1_000_000, "This is the gradient's size.": 4000,
                       "float32 takes 4 bytes, float64 8.": 8_000_000})
### BEGIN HIDDEN TESTS
for count in (1, 24, 288, 203_530):
    assert_equal(hessian_bytes(count), torch.empty(count, count, device="meta").nbytes, f"the bytes for {count} parameters",
                 mistakes={"float32 takes 4 bytes, float64 8.": 8 * count ** 2})
### END HIDDEN TESTS

# %% [markdown] written="5.3.4b" points=3
# ### BEGIN SOLUTION
# With `create_graph=True` the backward pass is recorded as well, so the graph of the gradient holds the forward nodes and the backward nodes, 32 nodes against
# 14 in the table; the saved values of both have to be kept. A Hessian-vector product is one more backward pass through this graph: 2.3, 2.2 and 2.1 times the
# operations of a gradient for N = 24, 80 and 288, whatever N. The Hessian has N² entries and takes N such passes: 32, 94 and 314 gradients. So its cost
# grows with N times that of a gradient, quadratically in N where a gradient costs in proportion to N, and its memory with N². That is polynomial; exponential is
# wrong.
#
# **Rubric**
# - [1] The graph: that of the gradient holds forward and backward operations and is larger by a factor, and its values are kept; also accepted: node counts; lost by "the same graph is used again".
# - [1] A Hessian-vector product costs a small constant number of gradients, the Hessian about N of them, with numbers of the table; also accepted: N backward passes; lost by giving both the same cost.
# - [1] N² entries, polynomial growth, so "exponentially" is wrong; also accepted: quadratic in memory; lost by agreeing with the sentence.
# ### END SOLUTION

# %% [markdown]
# ### Too big for one device
#
# Either the batch is cut or the network. A batch that is cut is worked off in *micro-batches*: `backward()` adds to `.grad`, so gradients accumulate, and the optimizer
# steps once. ⚠ The mean of the means is not the mean where the micro-batches differ in size, as the last one often does.

# %% [markdown] task="5.3.5a" kind="code" minutes=10 difficulty=3 core=true
# ### Gradient accumulation
#
# Write `accumulate(net, X, y, sizes)`. `sizes` is a list of positive integers that add up to the number of examples: the first micro-batch holds the first `sizes[0]` examples, and so
# on. Afterwards the `.grad` of every parameter is the gradient of `F.cross_entropy(net(X), y)`, the mean over the *whole* batch; gradients of before are
# forgotten. `net` may see no more than one micro-batch at a time, and only one graph may be alive at once: call `backward()` for each micro-batch. Nothing is returned.
#
# **You are done when** the check finds the gradient of the whole batch for micro-batches of 3, 3 and 1.

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
# 2. mean over all = Σ (size / n) · mean over the micro-batch. `X.split([3, 3, 1])` cuts.
# 3. The mean of 4 and 6 is 5, the mean of the single 11 is 11; the mean of all three is 5 · 2/3 + 11 · 1/3 = 7, not 8.

# %% check="5.3.5a" points=2
@probe
def accumulated(X, y, weights, sizes, before):
    net = nn.Linear(X.shape[1], weights.shape[0], bias=False)
    net.weight = nn.Parameter(weights.clone())
    net.weight.grad = before.clone() if len(before) else None
    seen, alive, most = [], [0], [0]
    net.register_forward_pre_hook(lambda module, args: seen.append(len(args[0])))

    def opened(module, args, output):
        alive[0] += 1
        most[0] = max(most[0], alive[0])
        output.register_hook(lambda grad: alive.__setitem__(0, alive[0] - 1))

    net.register_forward_hook(opened)
    accumulate(net, X, y, list(sizes))
    return net.weight.grad, seen, most[0]

def whole_gradient(X, y, weights, sizes, how):
    leaf = weights.clone().requires_grad_()
    losses = [F.cross_entropy(rows @ leaf.T, goals) for rows, goals in zip(X.split(sizes), y.split(sizes))]
    total_ = {"right": sum(k * one for k, one in zip(sizes, losses)) / len(X), "sum": sum(losses), "equal": sum(losses) / len(losses)}
    return torch.autograd.grad(total_[how], leaf)[0]

rng = torch.Generator().manual_seed(535)
for trial, (n_, d_, q_, sizes_) in enumerate(((7, 2, 3, [3, 3, 1]),)):
    batch, goals, start = torch.randn(n_, d_, generator=rng), torch.randint(0, q_, (n_,), generator=rng), torch.randn(q_, d_, generator=rng)
    found = accumulated(batch, goals, start, sizes_, torch.zeros(0))
    assert_close(found[0], whole_gradient(batch, goals, start, sizes_, "right"), "the gradient for micro-batches of 3, 3 and 1", mistakes={
        "The means of all micro-batches count alike: weight each by its size.": whole_gradient(batch, goals, start, sizes_, "equal"),
        "The means are added up: weight each by its share of the batch.": whole_gradient(batch, goals, start, sizes_, "sum")})
    assert_equal(found[1], sizes_, "the sizes that the network sees")
### BEGIN HIDDEN TESTS
for n_, d_, q_, sizes_ in ((9, 4, 5, [1, 6, 2]), (5, 3, 2, [5]), (6, 2, 4, [2, 2, 2]), (11, 5, 3, [4, 4, 3])):
    batch = torch.randn(n_, d_, generator=rng, dtype=torch.float64)
    goals, start = torch.randint(0, q_, (n_,), generator=rng), torch.randn(q_, d_, generator=rng, dtype=torch.float64)
    old = torch.full_like(start, 3.)
    found, seen_, most_ = accumulated(batch, goals, start, sizes_, old)
    right = whole_gradient(batch, goals, start, sizes_, "right")
    assert_close(found, right, f"the gradient for micro-batches of {sizes_}, a .grad of 3 before", mistakes={
        "The .grad of before is still in it.": right + 3, "Only the last micro-batch is left: .grad was cleared in between.":
            whole_gradient(batch[-sizes_[-1]:], goals[-sizes_[-1]:], start, [sizes_[-1]], "right") * sizes_[-1] / n_})
    assert_equal(seen_, sizes_, f"the sizes that the network sees, for {sizes_}")
    assert_equal(most_, 1, f"the graphs alive at once, for {sizes_}", hint="Call backward() for each micro-batch, before the next.")
### END HIDDEN TESTS

# %% [markdown] task="5.3.5b" kind="code" minutes=12 difficulty=3
# ### A network in two parts
#
# If the parameters do not fit, the network is cut: a part on each device, and the values at the cut are carried over. Autograd carries the gradient back. Without a second
# GPU the device `meta` stands in for it: its tensors have shape and dtype, and no numbers.
#
# Write a class `TwoParts(nn.Module)` with `__init__(self, first, second, device_1, device_2)`, which puts the modules `first` and `second` on their devices and keeps them under these names, and
# `forward(self, X)`: `X` may lie on any device; the result lies on `device_2`. On two real devices gradients must flow through the cut.
#
# **You are done when** the check finds the output on the second device, and gradients in both parts.

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
# 3. With one part: `def forward(self, X): return self.part(X.to(self.device))`.

# %% check="5.3.5b" points=2
@probe
def places(device_1, device_2, given):
    parts = TwoParts(nn.Linear(4, 3), nn.Linear(3, 2), device_1, device_2)
    out = parts(torch.randn(5, 4, device=given))
    return [str(out.device), str(next(parts.first.parameters()).device), str(next(parts.second.parameters()).device), list(out.shape)]

@probe
def split_gradients(X, W1, b1, W2, above):
    first, second = nn.Linear(X.shape[1], len(W1)), nn.Linear(len(b1), len(W2), bias=False)
    first.weight, first.bias, second.weight = nn.Parameter(W1.clone()), nn.Parameter(b1.clone()), nn.Parameter(W2.clone())
    parts = TwoParts(nn.Sequential(first, nn.Tanh()), second, "cpu", "cpu")
    out = parts(X.clone())
    out.backward(above)
    zero = torch.zeros(0)
    return [out] + [zero if p.grad is None else p.grad for p in (first.weight, first.bias, second.weight)] + [len(list(parts.parameters()))]

assert_equal(places("cpu", "meta", "cpu"), ["meta", "cpu", "meta", [5, 2]], "the devices of output and parts, and the shape, for cpu and meta")
### BEGIN HIDDEN TESTS
assert_equal(places("meta", "meta", "cpu"), ["meta", "meta", "meta", [5, 2]], "both parts on meta, the batch on the cpu",
             hint="The batch has to be moved to the first device.")
assert_equal(places("cpu", "cpu", "cpu"), ["cpu", "cpu", "cpu", [5, 2]], "both parts on the cpu")
rng = torch.Generator().manual_seed(5352)
tensors = [torch.randn(size, generator=rng) for size in ((6, 4), (3, 4), (3,), (2, 3), (6, 2))]
leaves = [t.clone().requires_grad_() for t in tensors[1:4]]
joined = F.linear(torch.tanh(F.linear(tensors[0], leaves[0], leaves[1])), leaves[2])
found = split_gradients(*tensors)
assert_equal(found[4], 3, "the number of parameters that the module knows", hint="Keep the parts as attributes, so that the module registers them.")
assert_close(found[0], joined, "the output of the split network")
grads = torch.autograd.grad(joined, leaves, tensors[4])
for name, got, right in zip(("the first weight", "the first bias", "the second weight"), found[1:4], grads):
    assert_true(got.numel() > 0, f"{name} has a gradient", hint="The graph is cut between the parts: is there a detach or .data?")
    assert_close(got, right, f"the gradient of {name}, against the network in one piece")
### END HIDDEN TESTS

# %% [markdown] task="5.3.5c" kind="explain" minutes=12 difficulty=3
# ### Cut the batch or the network?
#
# First write `peak_saved(n, k, per_example)`: the bytes saved at once if a batch of `n` examples, each with `per_example` bytes of saved values, is worked off
# in `k` micro-batches that are as equal as possible, one after the other (1 ≤ `k` ≤ `n`). Then explain in words when you would cut the batch, when the network, and what each costs and
# leaves unchanged.
#
# **You are done when** the check finds the bytes of 10 examples in 3 micro-batches, and your text has all three points.

# %% exercise="5.3.5c"
def peak_saved(n, k, per_example):
    """Bytes saved for the largest of k micro-batches of a batch of n."""
    ### BEGIN SOLUTION
    return -(-n // k) * per_example
    ### END SOLUTION

# %% [markdown] hints="5.3.5c"
# 1. Which memory of 5.3.3a depends on the number of examples, and which does not?
# 2. The largest of k nearly equal pieces of n has ⌈n/k⌉ examples.
# 3. 7 eggs in 2 boxes as equal as possible: 4 and 3, so a box must hold 4.

# %% check="5.3.5c" points=1
assert_equal(peak_saved(10, 3, 100), 400, "10 examples of 100 bytes in 3 micro-batches", mistakes={
    "The largest micro-batch decides: round up.": 300, "Micro-batches have whole examples.": 1000 / 3})
### BEGIN HIDDEN TESTS
for n_, k_, size_ in ((64, 4, 648), (65, 4, 648), (7, 7, 3), (9, 1, 11), (100, 33, 8)):
    largest = max(len(piece) for piece in torch.arange(n_).tensor_split(k_))
    assert_equal(peak_saved(n_, k_, size_), largest * size_, f"{n_} examples in {k_} micro-batches")
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
# ### Three mistakes in a model with weight decay
#
# ⚠ Code that runs is not code that trains. `.item()` gives a Python number: a penalty made of it changes the loss that is shown, and no gradient reaches the weights. A loop
# over one name that uses another fails, or worse, finds a global. And `assert (model, 'net')` tests a tuple of two entries, which is always true.

# %% tags=["demo"]
w = torch.tensor([1., 2.], requires_grad=True)
fit = (w * 3).sum()
for name, penalty in (("with .item()", (w ** 2).sum().item()), ("with tensors", (w ** 2).sum())):
    print(name, (fit + penalty).item(), torch.autograd.grad(fit + penalty, w, retain_graph=True)[0])
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    exec("assert(object(), 'net')")
print("the assertion passed; Python says:", caught[0].message)

# %% [markdown] task="5.3.6" kind="code" minutes=10 difficulty=2 core=true
# ### A penalty that trains
#
# Write `penalised_loss(model, Y_hat, Y, lam)`: the mean cross-entropy of logits `Y_hat` and classes `Y`, plus `lam` / 2 times the sum of the squared entries of all *weights* in
# `model.Ws`, a list of tensors. The biases in `model.bs` are not penalised. The result is a 0-d tensor through which gradients reach the weights. `d2l.MulMLPScratch` has these two lists.
#
# **You are done when** the check finds the value and the gradient of a model of two layers.

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
def loss_and_gradients(sizes, lam, seed):
    torch.manual_seed(seed)
    model = d2l.MulMLPScratch(sizes[0], sizes[-1], list(sizes[1:-1]), lr=0.1, sigma=0.5)
    X, Y = torch.randn(6, sizes[0]), torch.randint(0, sizes[-1], (6,))
    with torch.no_grad():
        for b in model.bs:
            b += torch.randn(b.shape)
    Y_hat = model(X)
    params = list(model.Ws) + list(model.bs)
    bare = torch.autograd.grad(F.cross_entropy(Y_hat, Y), params, retain_graph=True)
    try:
        value = penalised_loss(model, Y_hat, Y, lam)
    except NameError as error:
        return f"NameError: {error}"
    grads = torch.autograd.grad(value, params)
    return {"loss": value.detach(), "cross-entropy": F.cross_entropy(Y_hat, Y).detach(), "Ws": [W.detach() for W in model.Ws],
            "bs": [b.detach() for b in model.bs], "change": [g - b for g, b in zip(grads, bare)]}

def check_penalty(sizes, lam, seed):
    found = loss_and_gradients(sizes, lam, seed)
    assert_equal(found if isinstance(found, str) else "", "", "every name in the function is defined",
                 hint="The loop uses a name that is not the one it binds.")
    weights = list(found["Ws"])
    change, count = list(found["change"]), len(weights)
    squares = sum(W.square().sum() for W in weights)
    value, plain = found["loss"], found["cross-entropy"]
    assert_close(value, plain + lam / 2 * squares, f"the loss, layers {sizes}, lam = {lam}", mistakes={
        "The penalty has a factor 1/2.": plain + lam * squares, "The penalty is missing.": plain,
        "Biases are not penalised.": plain + lam / 2 * (squares + sum(b.square().sum() for b in list(found["bs"])))})
    for i, W in enumerate(weights):
        assert_close(change[i], lam * W, f"the gradient of the penalty by weight {i}, layers {sizes}", rtol=1e-3, mistakes={
            "No gradient reaches the weights through the penalty: .item(), detach() and no_grad() cut the graph.": torch.zeros_like(W)})
    for i in range(count):
        assert_close(change[count + i], torch.zeros_like(change[count + i]), f"the gradient of the penalty by bias {i}")

check_penalty((4, 3, 2), 0.5, 0)
### BEGIN HIDDEN TESTS
check_penalty((5, 4, 3, 2), 1.5, 1)
check_penalty((3, 6), 0.2, 2)
### END HIDDEN TESTS

# %% [markdown] task="5.3.7" kind="code" minutes=8 difficulty=2
# ### An assertion that can fail
#
# Write `apply_net(model, X)`: it returns `model.net(X)`. Where `model` has no attribute `net`, or where it is `None`, it raises a `NotImplementedError` whose message holds the name of the
# model's class. An error inside of the network is not hidden.
#
# **You are done when** the check gets the right error for a model without a network.

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
def reaction(kind):
    class Perceptron:
        pass
    model = Perceptron()
    if kind == "empty":
        model.net = None
    if kind == "broken":
        model.net = lambda X: X.no_such_attribute
    if kind == "sound":
        model.net = nn.Flatten()
    try:
        return list(apply_net(model, torch.ones(2, 3, 4)).shape)
    except Exception as error:
        return [type(error).__name__, str(error)]

told = reaction("missing")
assert_equal(told[0], "NotImplementedError", "the error for a model without net", mistakes={
    "The assertion did not stop it: assert(model, 'net') tests a tuple, which is always true.": "AttributeError",
    "An assertion vanishes under python -O: raise the error.": "AssertionError"})
assert_true("Perceptron" in str(told[1]), "the message names the class")
### BEGIN HIDDEN TESTS
assert_equal(reaction("sound"), [2, 12], "the output of a model with a network")
assert_equal(reaction("empty")[0], "NotImplementedError", "the error where net is None")
assert_true("Perceptron" in str(reaction("empty")[1]), "the message names the class where net is None")
assert_equal(reaction("broken")[0], "AttributeError", "an error of the network itself comes through",
             hint="Do not catch every AttributeError: ask for the attribute.")
### END HIDDEN TESTS
