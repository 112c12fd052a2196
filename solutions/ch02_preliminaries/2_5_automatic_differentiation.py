# %% [markdown]
# # 2.5 Automatic differentiation
#
# Training needs the derivative of a loss with respect to every weight. Nobody writes these formulas by hand:
# while ordinary Python code computes the loss, PyTorch records the operations, and then applies the chain
# rule to the record. This section shows how to ask for a gradient, what the record (the *computational
# graph*) is, where gradients add up without being asked, how to cut the graph, and what a derivative costs.
# The recap comes first, then the exercises.

# %% tags=["setup"]
from d2l_utils.check import *
import math
import torch
import d2l_utils as d2l

# %% [markdown]
# ## Recap
#
# ### A first gradient
#
# Four steps give a gradient. Mark the input with `requires_grad=True`; compute; call `backward()` on the
# result, which must be a single number; read the gradient in the input's `.grad`. For $y = x_1^2 x_2 + x_2$
# the gradient is $(2 x_1 x_2,\; x_1^2 + 1)$, at $(3, 2)$ that is $(12, 10)$.

# %%
x = torch.tensor([3., 2.], requires_grad=True)
y = x[0] ** 2 * x[1] + x[1]
y.backward()
y, x.grad

# %% [markdown]
# ### The graph
#
# `y` has a value and a `grad_fn`: the node of the graph that made it. A node knows the nodes that it got its
# inputs from, `next_functions`, and how to turn a derivative with respect to its output into derivatives with
# respect to its inputs. The graph ends in `AccumulateGrad` nodes, one for each input with
# `requires_grad=True`; these add to `.grad`. Such an input is a *leaf*. An operation on tensors of which none
# requires a gradient records nothing: its `grad_fn` is `None`.

# %%
u = torch.tensor(2., requires_grad=True)
v = u.exp() * u
print(v.grad_fn)
for node, _ in v.grad_fn.next_functions:
    print("   made from", node)
print("recorded without requires_grad:", torch.tensor(2.).exp().grad_fn)

# %% [markdown]
# The same graph as a picture. An arrow points from the input of an operation to its output. The input `u` has
# two ways to reach the product: directly, and through `exp`. The blue box is the leaf, the green one the result;
# `()` is their shape.

# %% tags=["demo"]
d2l.show_graph(v)

# %% [markdown]
# ### Gradients add up
#
# `backward()` *adds* to `.grad`. This is what sums over the different ways from an input to the result, and
# it is why a training loop clears the gradients in each step. Here the second gradient, $3$, lands on top of
# the first, $2u = 4$.

# %%
u = torch.tensor(2., requires_grad=True)
(u ** 2).backward()
print("after the first call: ", u.grad)
(3 * u).backward()
print("after the second call:", u.grad, " = 4 + 3")
u.grad.zero_()
(3 * u).backward()
print("cleared in between:   ", u.grad)

# %% [markdown]
# `u.grad.zero_()` overwrites the tensor in `.grad`, so every other name for this tensor sees the zeros, too.
# `u.grad = None` lets go of it; the next `backward()` makes a new one. `torch.autograd.grad(y, u)` returns
# the gradient and leaves `.grad` alone.

# %%
u = torch.tensor(2., requires_grad=True)
(u ** 2).backward()
kept = u.grad                   # another name for the same tensor
u.grad.zero_()
print("kept:", kept)
print("torch.autograd.grad:", torch.autograd.grad(u ** 2, u), " and .grad is", u.grad)

# %% [markdown]
# ### Results with more than one entry
#
# For $\mathbf y = f(\mathbf x)$ with $m$ outputs and $n$ inputs the derivative is the Jacobian, the
# $m \times n$ matrix of all $\partial y_i / \partial x_j$. `backward()` never builds it. It computes
# $\mathbf v^\top J$ for one vector $\mathbf v$ of the shape of $\mathbf y$, `y.backward(gradient=v)`. With
# $\mathbf v$ all ones that is the gradient of `y.sum()`. Without a $\mathbf v$ there is nothing sensible to
# compute, and PyTorch says so.

# %% tags=["demo"]
x = torch.tensor([1., 2., 3.], requires_grad=True)
try:
    (x ** 2).backward()
except RuntimeError as error:
    print("RuntimeError:", error)

# %%
x = torch.tensor([1., 2., 3.], requires_grad=True)
(x ** 2).backward(gradient=torch.tensor([1., 0., -1.]))
print("v = (1, 0, -1):", x.grad)
x.grad = None
(x ** 2).sum().backward()
print("the sum:       ", x.grad)

# %% [markdown]
# ### Cutting the graph
#
# `t.detach()` gives a tensor with the values of `t` and no history: for the derivative it is a constant.
# Compare the derivative of $x^2 \cdot x^2$, which is $4x^3 = 32$ at $x = 2$, with the one where the first
# factor is held fixed, $x^2 \cdot 2x = 16$. Inside `with torch.no_grad():` nothing is recorded at all.

# %%
x = torch.tensor(2., requires_grad=True)
square = x ** 2
both, = torch.autograd.grad(square * x ** 2, x)
one, = torch.autograd.grad(square.detach() * x ** 2, x)
with torch.no_grad():
    silent = x ** 2
both, one, silent.requires_grad

# %% [markdown]
# ### Control flow
#
# The graph is recorded while the code runs, so loops and branches need no special treatment: what is
# differentiated is the sequence of operations that really ran. The function below bends its input in three
# pieces; autograd finds the slope of each. At the joints, where there is no derivative, it reports the slope
# of the branch that ran.

# %% tags=["demo"]
def pieces(t):
    if t < -1:
        return -t - 1
    return t ** 2 - 1 if t < 1 else 2 * t - 2

grid = torch.linspace(-3, 3, 121)
values, slopes = [], []
for t in grid:
    t = t.clone().requires_grad_()
    value = pieces(t)
    value.backward()
    values.append(value.item())
    slopes.append(t.grad.item())
d2l.plot(grid, [values, slopes], xlabel="t", legend=["pieces(t)", "its derivative"])

# %% [markdown]
# ### Derivatives of derivatives
#
# `torch.autograd.grad(y, x, create_graph=True)` records the computation of the gradient, too, so that the
# result can be differentiated again. The derivatives of $x^4$ at $x = 2$ are 32, 48, 48, 24.

# %%
x = torch.tensor(2., requires_grad=True)
y = x ** 4
for order in range(1, 5):
    y, = torch.autograd.grad(y, x, create_graph=True)
    print(order, y.item())

# %% [markdown]
# ## Exercises
#
# ### What a second derivative costs

# %% [markdown] task="2.5.1" kind="explain" minutes=20 difficulty=3
# ### Count the graph, then explain its growth
#
# Cost is easier to discuss when it is counted.
#
# First write `graph_size(y)`: the number of *different* nodes in the graph of the tensor `y`, its own
# `grad_fn` and all that is reached from it through `next_functions`, the `AccumulateGrad` nodes included. A
# node that is reached in several ways counts once. Where an input needed no gradient, `next_functions` holds
# `None`, which does not count. A tensor without `grad_fn` has size 0.
#
# Then run the table below the check: it counts the graphs of a function and of its first derivatives. Explain
# in words, in the cell after it, why a second derivative costs more than a first. Say something about
# operations, about memory, and about a function of $n$ inputs, and quote the table.
#
# **You are done when** the check counts five small graphs as you would by hand, and your text has all three
# points.

# %% exercise="2.5.1"
def graph_size(y):
    """The number of different nodes in the computational graph of the tensor y, leaves' AccumulateGrad included."""
    ### BEGIN SOLUTION
    seen, waiting = set(), [y.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            waiting += [source for source, _ in node.next_functions]
    return len(seen)
    ### END SOLUTION

# %% [markdown] hints="2.5.1"
# 1. How do you visit every page of a web site once, if pages link to each other?
# 2. Keep a set of the nodes that you have seen and a list of those still to visit. Nodes can be put into a
#    set. For the text: the gradient computation is itself a computation, with a graph of its own.
# 3. A family tree works the same way: two cousins share grandparents. Walking from one child up through
#    parents visits the grandparents twice if you count paths, once if you keep a set of the people you have
#    met.

# %% check="2.5.1" points=2
@probe
def small_graphs():
    w = torch.tensor([1., 2.], requires_grad=True)
    return [graph_size(w.sum()), graph_size(w * w), graph_size(w.sin() * w), graph_size(torch.ones(2)),
            graph_size(w.sin() + w.sin())]

assert_equal(small_graphs()[0], 2, "w.sum(): the sum and the leaf", mistakes={"AccumulateGrad nodes count, too.": 1})
assert_equal(small_graphs()[1], 2, "w * w: the product and the leaf, which it uses twice",
             mistakes={"A node that is reached twice counts once.": 3})
assert_equal(small_graphs()[2], 3, "w.sin() * w: sin, product and leaf",
             mistakes={"A node that is reached twice counts once.": 4})
assert_equal(small_graphs()[3], 0, "a tensor without a graph")
assert_equal(small_graphs()[4], 4, "w.sin() + w.sin(): two different nodes of one kind, the sum and the leaf",
             mistakes={"Both sines count, although they have the same name.": 3})
### BEGIN HIDDEN TESTS
@probe
def larger_graphs():
    w, b = torch.tensor([1., 2.], requires_grad=True), torch.tensor(3., requires_grad=True)
    c, doubled = torch.tensor([4., 5.]), w
    for _ in range(14):
        doubled = doubled + doubled
    return {"a product with a constant": graph_size(w * c), "two leaves": graph_size((w * c + b).exp()),
            "two equal nodes": graph_size(w.exp() + w.exp()), "doubled 14 times": graph_size(doubled),
            "a cut": graph_size(w.exp().detach() * w), "three inputs": graph_size(torch.stack([w[0], b, w[1]]))}

sizes = larger_graphs()
assert_equal(sizes["a product with a constant"], 2, "the graph of w * c, where c needs no gradient")
assert_equal(sizes["two leaves"], 5, "the graph of (w * c + b).exp() with two leaves")
assert_equal(sizes["two equal nodes"], 4, "w.exp() + w.exp(): two different nodes of one kind")
assert_equal(sizes["doubled 14 times"], 15, "w doubled 14 times by y = y + y",
             hint="Count nodes, not the ways to them.")
assert_equal(sizes["a cut"], 2, "the graph of w.exp().detach() * w")
assert_equal(sizes["three inputs"], 5, "a node with three inputs, two from one leaf")
### END HIDDEN TESTS

# %% tags=["demo"]
def running_example(x):
    return torch.log(x ** 2) * torch.sin(x) + 1 / x

x = torch.tensor(2., dtype=torch.float64, requires_grad=True)
y = running_example(x)
if graph_size(y) is None:
    print("Answer 2.5.1 first: this table is counted by your function.")
else:
    for order in range(5):
        print(f"derivative of order {order}: {graph_size(y)} nodes")
        y, = torch.autograd.grad(y, x, create_graph=True)

# %% [markdown] written="2.5.1" points=4
# ### BEGIN SOLUTION
# The first derivative is not read off the graph of the function: it is computed by one backward operation or
# more for each recorded operation. With `create_graph=True` these operations are recorded as well. The second
# derivative differentiates this record, which holds the forward computation and the backward computation
# together. In the table the graph of the running example has 8 nodes, that of its first derivative 17, of the
# second 46, of the third 129: each order works through a graph two to three times as large as the one before,
# since the derivative of a product is a sum of two products.
#
# Memory grows alike: the graph cannot be freed after the first backward pass, and the intermediate values
# that the recorded backward operations need are kept besides those of the forward pass.
#
# With n inputs there is more to compute, too. The gradient has n entries and costs one backward pass. The
# matrix of second derivatives has n² entries; its rows are the gradients of the n entries of the gradient, so
# it takes n further backward passes, each through the larger graph. A product of this matrix with one vector
# needs only one of them.
#
# **Rubric**
# - [1] Operations: the second derivative differentiates the computation of the first, so it goes through forward and backward operations; evidence: the node counts of the table; also accepted: an argument by the product rule, where each term becomes several; lost by "the same work is done a second time on the same graph".
# - [1] The table is quoted with at least two orders and the direction is right: the graph grows by a factor, not by a constant number of nodes; also accepted: counts for another function; lost by quoting no number.
# - [1] Memory: the first graph and its saved intermediate values have to be kept (`create_graph=True`), and those of the backward operations come on top; also accepted: the graph cannot be freed after the first pass; lost by "only the result is stored".
# - [1] n inputs: n² second derivatives against n first ones, so about n further backward passes for all of them; also accepted: a Hessian-vector product costs a small multiple of a gradient; lost by "the cost grows exponentially with n".
# ### END SOLUTION

# %% [markdown]
# ### Calling backward twice
#
# To differentiate a product, `backward()` needs the two factors: the graph *saves* them in the forward pass.
# After one `backward()` the saved tensors are freed to save memory, and a second call finds them gone.
#
# ⚠ It is often said that a second call always raises. It does not: only a graph that saved tensors raises. A
# sum saves none. There the second call works and doubles `.grad`, without a word.

# %% tags=["demo"]
x = torch.tensor([1., 2.], requires_grad=True)
loss = (x * x).sum()
loss.backward()
try:
    loss.backward()
except RuntimeError as error:
    print("(x * x).sum():  RuntimeError:", str(error).split(". ")[0])

for text, function in (("x.sum()", torch.sum), ("(x + x).mean()", lambda t: (t + t).mean())):
    x = torch.tensor([1., 2.], requires_grad=True)
    loss = function(x)
    loss.backward()
    once = x.grad.clone()
    loss.backward()
    print(f"{text + ':':16}no error; .grad was {once.tolist()} and is now {x.grad.tolist()}")

# %% [markdown] task="2.5.2a" kind="code" minutes=8 difficulty=2 core=true
# ### Does the second call raise?
#
# Write `second_call_raises(f, x)`. `f` is a function from a tensor to a single number, as a 0-d tensor; `x` a
# tensor of floating point numbers. The function computes `f` once, calls `backward()` twice on the result,
# and returns `True` if the second call raises a `RuntimeError`, `False` if it raises nothing. It works on an
# input of its own: the caller's `x` must be afterwards as it was, without a `.grad` and without
# `requires_grad`.
#
# Before you run the check, predict: which of `(x * x).sum()`, `x.sum()`, `(3 * x).sum()`, `x[0]` raise? A
# multiplication keeps its other factor even where this is a plain number.
#
# **You are done when** the check agrees on these four functions.

# %% exercise="2.5.2a"
def second_call_raises(f, x):
    """Whether backward() on f(x) raises a RuntimeError when it is called for the second time; x is left alone."""
    ### BEGIN SOLUTION
    y = f(x.detach().clone().requires_grad_())
    y.backward()
    try:
        y.backward()
    except RuntimeError:
        return True
    return False
    ### END SOLUTION

# %% [markdown] hints="2.5.2a"
# 1. Which of the two calls belongs in the `try` block, and what has to stay outside?
# 2. `x.detach().clone().requires_grad_()` is a new leaf with the values of `x`.
# 3. Whether a list lets you remove twice: `items.remove(1)`, then `try: items.remove(1)` and
#    `except ValueError: return True`, at the end `return False`.

# %% check="2.5.2a" points=2
@probe
def four_functions():
    t = torch.tensor([1., 2.])
    return [str(second_call_raises(f, t)) for f in (
        lambda x: (x * x).sum(), torch.sum, lambda x: (3 * x).sum(), lambda x: x[0])]

assert_equal(four_functions()[0], "True", "(x * x).sum()")
assert_equal(four_functions()[1], "False", "x.sum()", hint="Let the two calls of backward() decide.")
assert_equal(four_functions()[2], "True", "(3 * x).sum()")
assert_equal(four_functions()[3], "False", "x[0]")
### BEGIN HIDDEN TESTS
@probe
def further_functions():
    t = torch.tensor([[0.5, 2., 3.], [1.5, 4., 0.1]])
    return [str(second_call_raises(g, t)) for g in (
        lambda x: (x + x).mean(), lambda x: x.exp().mean(), lambda x: -x.T.reshape(-1).sum(), lambda x: x.norm(),
        lambda x: torch.cat([x, x - 1]).sum(), lambda x: (x - 2).abs().sum())]

kinds = ("(x + x).mean()", "exp", "a transpose and a reshape", "a norm", "a concatenation", "an absolute value")
for kind, found, wanted in zip(kinds, further_functions(), (False, True, False, True, False, True)):
    assert_equal(found, str(wanted), f"a function with {kind}")

@probe
def traces(values):
    t = values.clone()
    second_call_raises(torch.sum, t)
    second_call_raises(lambda x: (x * x).sum(), t)
    return t.detach(), int(t.requires_grad), 0 if t.grad is None else t.grad.numel()

after, requires, count = traces(torch.tensor([3., -1.]))
assert_close(after, torch.tensor([3., -1.]), "the caller's x has the values that it had")
assert_equal((requires, count), (0, 0), "the caller's x has neither requires_grad nor a .grad afterwards",
             hint="Work on x.detach().clone().requires_grad_().")

@probe
def calls_of_f():
    calls = []
    second_call_raises(lambda x: calls.append(1) or (x * x).sum(), torch.ones(2))
    return len(calls)

assert_equal(calls_of_f(), 1, "how often f is called", hint="Each call of f makes a new graph: compute it once.")
### END HIDDEN TESTS

# %% [markdown] task="2.5.2b" kind="code" minutes=6 difficulty=2 core=true
# ### Keep the graph
#
# Two calls on one graph are sometimes wanted, for instance with a different `gradient=` in each. The first
# call has to be told to keep what the second needs.
#
# Write `backward_times(y, n)`: it calls `backward()` on the 0-d tensor `y` exactly `n` times (`n` ≥ 1)
# without an error and returns nothing. The leaves' `.grad` then holds `n` times the gradient, on top of what
# it held before. After your function the graph must be freed again: the last call keeps nothing.
#
# **You are done when** the check finds three times the gradient of `(x ** 3).sum()`.

# %% exercise="2.5.2b"
def backward_times(y, n):
    """Calls y.backward() n times; the graph is kept between the calls and freed by the last."""
    ### BEGIN SOLUTION
    for i in range(n):
        y.backward(retain_graph=i < n - 1)
    ### END SOLUTION

# %% [markdown] hints="2.5.2b"
# 1. The error message of a second call names an argument. Which calls need it, and which one must not have it?
# 2. `y.backward(retain_graph=True)` keeps the saved tensors. `.grad` adds up by itself.
# 3. A room used by three classes in a row is locked after the third: for each class, "keep open" is true if
#    another one follows.

# %% check="2.5.2b" points=2
@probe
def after_calls(values, before, n):
    leaf = values.clone().requires_grad_()
    leaf.grad = before.clone()
    y = (leaf ** 3).sum()
    backward_times(y, n)
    try:
        y.backward()
        freed = 0
    except RuntimeError:
        freed = 1
    return leaf.grad, freed

assert_close(after_calls(torch.tensor([1., 2.]), torch.zeros(2), 3)[0], torch.tensor([9., 36.]),
             "three calls for (x ** 3).sum() at (1, 2)",
             mistakes={"This is the gradient once: each call must add to it.": torch.tensor([3., 12.]),
                       "The graph is still there after your last call.": torch.tensor([12., 48.])})
### BEGIN HIDDEN TESTS
start = torch.tensor([[0.5, -1.], [2., 3.], [0., 4.]])
found, freed = after_calls(start, torch.full((3, 2), 7.), 4)
assert_equal(freed, 1, "the graph is freed by the last of four calls",
             hint="retain_graph=True in the last call keeps memory that nobody uses.")
assert_close(found, 7 + 4 * 3 * start ** 2, "four calls, with a .grad of 7 before",
             mistakes={"What .grad held before was cleared.": 4 * 3 * start ** 2})
found, freed = after_calls(start, torch.zeros(3, 2), 1)
assert_equal(freed, 1, "the graph is freed by a single call")
assert_close(found, 3 * start ** 2, "a single call")
### END HIDDEN TESTS

# %% [markdown]
# ### Control flow with vectors and matrices
#
# The function below doubles its input until it is long, and then looks at the sign of its sum. How often it
# doubles depends on the input; but for the input at hand it is a multiplication by one number. So its output
# is `d = k * a`, the gradient of `d.sum()` is `k` in every entry, and `k` is also `d / a` wherever `a` is not
# zero.

# %% tags=["setup"]
def stretch(a):
    """Doubles `a` until its norm is at least 1000; where its sum is negative, times 100. `a` must not be all zeros."""
    out = 2 * a
    while out.norm() < 1000:
        out = 2 * out
    if out.sum() < 0:
        out = 100 * out
    return out

# %%
a = torch.tensor(-0.7, requires_grad=True)
d = stretch(a)
d.backward()
a.grad, d / a

# %% [markdown] task="2.5.3a" kind="code" minutes=8 difficulty=2 core=true
# ### The gradient through loops and branches
#
# With a number `a`, `stretch(a).backward()` works. With a vector or a matrix it raises: the output has
# several entries.
#
# Write `stretch_gradient(a)`: the gradient of the **sum** of `stretch(a)` with respect to `a`, for a floating
# point tensor `a` of any shape, in the shape and dtype of `a`. Some entries of `a` may be zero. The caller's
# `a` stays as it was.
#
# **You are done when** the check gives a constant vector for a vector of three entries, one of them zero.

# %% exercise="2.5.3a"
def stretch_gradient(a):
    """The gradient of stretch(a).sum() with respect to a: shape and dtype of a, any shape."""
    ### BEGIN SOLUTION
    leaf = a.detach().clone().requires_grad_()
    stretch(leaf).sum().backward()
    return leaf.grad
    ### END SOLUTION

# %% [markdown] hints="2.5.3a"
# 1. What single number has the gradient that the task asks for?
# 2. `d.sum().backward()` is the same as `d.backward(gradient=torch.ones_like(d))`. `d / a` is `nan` where `a`
#    is 0.
# 3. For `(5 * v).prod()` the function is already a single number and `backward()` needs no sum; for `5 * v`
#    the sum gives a gradient of 5 in every entry, the mean one of 5 / n.

# %% check="2.5.3a" points=2
three = torch.tensor([1., 0., 3.])
assert_shape(stretch_gradient(three), (3,), "the shape of the gradient for a vector of 3")
assert_close(stretch_gradient(three), torch.full((3,), 512.), "the gradient at (1, 0, 3)",
             mistakes={"This is the gradient of the mean.": torch.full((3,), 512 / 3),
                       "Gradients of two calls added up in the caller's a.": torch.full((3,), 1024.)},
             hint="The norm of (1, 0, 3) is 3.16; doubled 9 times it exceeds 1000. Where a is 0, d / a is 0/0.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(251)
for shape, dtype, scale in (((3, 4), torch.float32, 1.), ((2, 3, 5), torch.float64, -0.01), ((), torch.float64, -3.),
                            ((7,), torch.float32, -20.)):
    point = scale * (torch.rand(shape, generator=rng, dtype=dtype) + 0.1)
    ratio = (stretch(point).sum() / point.sum()).item()
    assert_shape(stretch_gradient(point), shape, f"the shape of the gradient for shape {shape}")
    assert_dtype(stretch_gradient(point), dtype, f"the dtype of the gradient for {dtype}")
    assert_close(stretch_gradient(point), torch.full(shape, ratio, dtype=dtype), f"the gradient for shape {shape}",
                 mistakes={"This is the gradient of the mean, not of the sum.": torch.full(
                     shape, ratio / max(1, point.numel()), dtype=dtype)})

@probe
def left_alone(values):
    t = values.clone()
    stretch_gradient(t)
    second = stretch_gradient(t)
    return t.detach(), int(t.requires_grad), second

after, requires, again = left_alone(torch.tensor([[1., 2.], [3., 4.]]))
assert_close(after, torch.tensor([[1., 2.], [3., 4.]]), "the caller's a has the values that it had")
assert_close(again, torch.full((2, 2), 256.), "a second call with the same a",
             mistakes={"Gradients of two calls added up in the caller's a.": torch.full((2, 2), 512.)})
assert_equal(requires, 0, "the caller's a does not require a gradient afterwards")
### END HIDDEN TESTS

# %% [markdown] task="2.5.3b" kind="break it" minutes=10 difficulty=3
# ### A test that is neither too strict nor too lax
#
# For `d = stretch(a)` the gradient should equal `d / a`. Someone tested this with `a.grad == d / a`.
#
# ⚠ This holds in mathematics, not in floating point. The demonstration above the answer cell draws 4000
# scalars of each sign: for positive ones, where only doublings happen, the two are always equal; for negative
# ones the factor 100 rounds, and the exact test calls about one right gradient in seven wrong.
#
# Write `accepts(grad, d, a)`, which returns `True` if `grad` is a right gradient of `stretch(a).sum()` and
# `False` otherwise. No entry of `a` is zero; dtypes are `float32` or `float64`. It must accept every right
# gradient, and reject gradients that are off by 1 part in 1000, gradients of another shape than `a`, and
# gradients that hold `nan`.
#
# **You are done when** the check accepts a right gradient that rounding has moved, and rejects two wrong ones.

# %% tags=["demo"]
torch.manual_seed(0)
for sign in (1, -1):
    unequal = 0
    for _ in range(4000):
        a = (sign * 3 * torch.rand(())).requires_grad_()
        d = stretch(a)
        d.backward()
        unequal += int(a.grad != d / a)
    print(f"sign {sign:+d}: a.grad == d / a fails for {unequal / 4000:.1%} of right gradients")

# %% exercise="2.5.3b"
def accepts(grad, d, a):
    """Whether grad is, up to rounding, the gradient d / a, in the shape of a. Returns a bool."""
    ### BEGIN SOLUTION
    return grad.shape == a.shape and torch.allclose(grad, d / a, rtol=1e-4, atol=0)
    ### END SOLUTION

# %% [markdown] hints="2.5.3b"
# 1. By how much may two numbers near 100000 differ through rounding in `float32`, and by how much two near 1?
# 2. `torch.allclose(u, v, rtol=..., atol=...)` tests |u - v| ≤ atol + rtol·|v| and is false for `nan`; but it
#    broadcasts.
# 3. To compare lengths measured in metres to 1 %, `abs(u - v) <= 0.01 * abs(v)`; a fixed bound of 1 m would
#    accept anything in a matchbox and reject good maps.

# %% check="2.5.3b" points=2
near = torch.tensor(-0.7)
far = stretch(near)
slope_there = torch.tensor(102400. * 2)
assert_equal(accepts(slope_there.nextafter(torch.tensor(0.)), far, near), True, "a right gradient, moved by rounding")
assert_equal(accepts(slope_there * 1.001, far, near), False, "a gradient off by 1 part in 1000")
assert_equal(accepts(torch.zeros(()), far, near), False, "a gradient of zero")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(252)
for dtype in (torch.float32, torch.float64):
    for shape in ((), (3,), (2, 4)):
        for scale in (-3e-3, 2., -40.):
            place = scale * (torch.rand(shape, generator=rng, dtype=dtype) + 0.1)
            wide = stretch(place)
            right = torch.full(shape, (wide.sum() / place.sum()).item(), dtype=dtype)
            assert_equal(accepts(right, wide, place), True, f"a right gradient of shape {shape}, {dtype}",
                         hint="Rounding moves right gradients by about 1 part in 10⁷ in float32.")
            for bug, wrong in (("off by 1 part in 1000", right * 0.999), ("of the wrong sign", -right),
                               ("that is nan", right * float("nan")), ("twice too large", 2 * right)):
                assert_equal(accepts(wrong, wide, place), False, f"a gradient {bug}, of shape {shape}")
place = torch.tensor([[1., 2., 3.]])
assert_equal(accepts(torch.tensor(512.0), 512 * place, place), False,
             "a gradient of shape () for an `a` of shape (1, 3)",
             hint="Comparisons broadcast: compare the shapes, too.")
assert_equal(accepts(torch.tensor([512., 512., 512.]), 512 * place, place), False,
             "a gradient of shape (3,) for an `a` of shape (1, 3)")
assert_equal(accepts(torch.tensor([[512., 512., 500.]]), 512 * place, place), False, "a gradient with one wrong entry")
### END HIDDEN TESTS

# %% [markdown]
# ### A function and its slope
#
# If entry $i$ of the output depends on entry $i$ of the input only, the gradient of the sum is, entry by
# entry, the derivative. This gives the derivative of a function at a thousand points in one backward pass.

# %% [markdown] task="2.5.4a" kind="code" minutes=8 difficulty=2 core=true
# ### The derivative at many points
#
# Write `slope(f, x)`. `f` is a function that works entry by entry, such as `torch.sin`; `x` is a floating
# point tensor of any shape. Return $f'$ at every entry of `x`, in the shape and dtype of `x`, without a graph
# attached (`requires_grad` is `False`). The caller's `x` stays as it was, even if it already has a `.grad`.
#
# **You are done when** the check finds the slopes of sine at 0, π/2 and π.

# %% exercise="2.5.4a"
def slope(f, x):
    """The derivative of the element-wise function f at every entry of x; shape and dtype of x, detached."""
    ### BEGIN SOLUTION
    leaf = x.detach().clone().requires_grad_()
    return torch.autograd.grad(f(leaf).sum(), leaf)[0]
    ### END SOLUTION

# %% [markdown] hints="2.5.4a"
# 1. What is the derivative of `f(x).sum()` with respect to the third entry of `x`?
# 2. Make a leaf of your own from `x`; sum, call `backward()`, return the leaf's `.grad`.
# 3. For `f(x) = x³` at (1, 2) the sum is 1 + 8, and its gradient is (3, 12): the derivative 3x² at each point.

# %% check="2.5.4a" points=2
@probe
def slope_of_sine(points):
    return slope(torch.sin, points)

@probe
def slopes_of_others(points):
    return [slope(f, points) for f in (torch.exp, lambda t: t ** 3 - 2 * t, lambda t: t.sin() * t + 5)]

assert_close(slope_of_sine(torch.tensor([0., math.pi / 2, math.pi])), torch.tensor([1., 0., -1.]), "sine at 0, π/2, π",
             mistakes={"This is the gradient of the mean.": torch.tensor([1., 0., -1.]) / 3})
spots = torch.tensor([1., 2.])
assert_close(slopes_of_others(spots)[1], torch.tensor([1., 10.]), "x³ - 2x at 1 and 2",
             mistakes={"Slopes of other functions are contained in it: .grad of the caller's x has added up.":
                       torch.tensor([1., 10.]) + spots.exp() + spots.sin() + spots * spots.cos()})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(253)
for shape, dtype in (((), torch.float64), ((6,), torch.float32), ((3, 4), torch.float64)):
    spots = 3 * torch.randn(shape, generator=rng, dtype=dtype)
    assert_close(slope_of_sine(spots), spots.cos(), f"sine at points of shape {shape}, {dtype}")
    assert_dtype(slope_of_sine(spots), dtype, f"the dtype of the slope for {dtype}")
    wanted = [spots.exp(), 3 * spots ** 2 - 2, spots.sin() + spots * spots.cos()]
    for text, found, right in zip(("exp", "x³ - 2x", "x sin x + 5"), slopes_of_others(spots), wanted):
        assert_close(found, right, f"{text} at points of shape {shape}")

@probe
def caller(points):
    t = points.clone().requires_grad_()
    t.grad = torch.ones_like(t)
    result = slope(torch.exp, t)
    plain = points.clone()
    slope(torch.exp, plain)
    return t.grad, int(result.requires_grad), int(plain.requires_grad)

kept, attached, marked = caller(torch.tensor([0.5, -1.]))
assert_equal(attached, 0, "the slope has no graph attached")
assert_close(kept, torch.ones(2), "the caller's .grad is as it was")
assert_equal(marked, 0, "the caller's x does not require a gradient afterwards")
### END HIDDEN TESTS

# %% [markdown] task="2.5.4b" kind="code" minutes=8 difficulty=2
# ### Draw sine and its derivative
#
# Write `draw(ax, x)`: it draws two curves over the points `x` (a 1-D tensor) into the matplotlib axes `ax`:
# sine, with the label `"sin"`, and its derivative, found by autograd, with the label `"derivative"`; and it
# shows a legend. It draws nothing else, and works also where `x` requires a gradient.
#
# **You are done when** the check finds both curves in your axes, and the picture below it shows a wave and a
# second one that is at its top where the first rises fastest.

# %% exercise="2.5.4b"
def draw(ax, x):
    """Draws sin and its derivative over the points x, a 1-D tensor, into the axes ax, with a legend."""
    ### BEGIN SOLUTION
    leaf = x.detach().clone().requires_grad_()
    leaf.sin().sum().backward()
    ax.plot(x.detach(), x.detach().sin(), label="sin")
    ax.plot(x.detach(), leaf.grad, label="derivative")
    ax.legend()
    ### END SOLUTION

# %% [markdown] hints="2.5.4b"
# 1. Which method of `ax` draws a line, and which of its arguments names the line in the legend?
# 2. matplotlib converts tensors to NumPy, which fails for a tensor that requires a gradient: give it
#    `t.detach()`.
# 3. For the exponential function: `ax.plot(t.detach(), t.detach().exp(), label="exp")`, then `ax.legend()`.

# %% check="2.5.4b" points=2
@probe
def curves(points, needs_gradient):
    from matplotlib import pyplot
    from matplotlib.figure import Figure
    mine, elsewhere = Figure().subplots(), pyplot.subplots()[1]
    draw(mine, points.clone().requires_grad_(bool(needs_gradient)))
    lines = {line.get_label(): torch.as_tensor(line.get_xydata()).double() for line in mine.lines}
    entries = [text.get_text() for text in mine.get_legend().get_texts()] if mine.get_legend() else []
    others = len(elsewhere.lines)
    pyplot.close("all")
    return lines, entries, others

few = torch.tensor([0., 1., 2.])
assert_equal(set(curves(few, False)[0]), {"sin", "derivative"}, "the labels of the curves in your axes")
assert_close(curves(few, False)[0]["sin"][:, 1], few.sin().double(), "the heights of the curve `sin`", rtol=1e-5)
assert_close(
    curves(few, False)[0]["derivative"][:, 1], few.cos().double(), "the heights of the curve `derivative`", rtol=1e-5
)
### BEGIN HIDDEN TESTS
many = torch.linspace(-4, 5, 50, dtype=torch.float64)
for needs in (False, True):
    found, entries, others = curves(many, needs)
    assert_equal(set(entries), {"sin", "derivative"}, "the legend's entries")
    assert_equal(others, 0, "lines drawn into other axes than yours")
    assert_close(
        found["sin"], torch.stack([many, many.sin()], 1), "the curve `sin` over 50 points", rtol=1e-5, atol=1e-6
    )
    assert_close(found["derivative"], torch.stack([many, many.cos()], 1), "the curve `derivative` over 50 points",
                 rtol=1e-5, atol=1e-6)
### END HIDDEN TESTS

# %% tags=["demo"]
d2l.set_figsize((4, 2.5))
draw(d2l.plt.gca(), torch.linspace(-2 * math.pi, 2 * math.pi, 200))

# %% [markdown]
# ### The running example
#
# The next exercises take one function apart, and it comes back in sections 5.3, A.1 and B.1:
#
# $$y = (\log x^2) \cdot \sin x + \frac{1}{x}.$$
#
# Note that it is defined for **every** $x \neq 0$: $x^2$ is positive, so its logarithm exists. Only for
# positive $x$ is $\log x^2 = 2 \log x$.
#
# A *dependency graph* has a node for the input and one for the result of every elementary operation. We write
# it as a dictionary: the name of each result, then a tuple of the operation and of the names it reads.
#
# The next cell is a tool of the book, and need not be read: `first_problem(graph, result)` says what is wrong
# with the form of such a dictionary, `evaluate(graph, name, x)` computes the value of a node. Below it they are
# used on $z = \sin(x)^2 + x$.

# %% tags=["setup"]
OPERATIONS = {  # name: (how many inputs, function)
    "square": (1, torch.square), "log": (1, torch.log), "sin": (1, torch.sin), "reciprocal": (1, torch.reciprocal),
    "add": (2, torch.add), "mul": (2, torch.mul),
}


def first_problem(graph, result):
    """What is wrong with the form of a graph that ends in `result`; "" if nothing is."""
    if "x" in graph:
        return "x: this is the input; it needs no entry"
    for name, entry in graph.items():
        if not isinstance(entry, (tuple, list)) or not entry or entry[0] not in OPERATIONS:
            return f"{name}: give (operation, input, ...), with an operation of {', '.join(OPERATIONS)}"
        if len(entry) - 1 != OPERATIONS[entry[0]][0]:
            return f"{name}: {entry[0]} takes {OPERATIONS[entry[0]][0]} input(s), got {len(entry) - 1}"
        for source in entry[1:]:
            if source != "x" and source not in graph:
                return f"{name}: reads {source!r}, which is no node"
    if result not in graph:
        return f"there is no node {result!r}"
    used = {source for entry in graph.values() for source in entry[1:]}
    if unused := set(graph) - used - {result}:
        return f"{sorted(unused)[0]}: nothing reads this node"
    return _cycle(graph)


def _cycle(graph):
    done = {"x"}
    while ready := [name for name in graph if name not in done and set(graph[name][1:]) <= done]:
        done.update(ready)
    return "" if done >= set(graph) else f"{sorted(set(graph) - done)[0]}: waits for its own result"


def evaluate(graph, name, x):
    """The value of the node `name` of a graph at x."""
    if name == "x":
        return x
    operation, *inputs = graph[name]
    return OPERATIONS[operation][1](*(evaluate(graph, source, x) for source in inputs))

# %%
wave = {"s": ("sin", "x"), "q": ("square", "s"), "z": ("add", "q", "x")}
print("form:", first_problem(wave, "z") or "fine", "| value at 2:", evaluate(wave, "z", torch.tensor(2.)))

# %% [markdown] task="2.5.5" kind="answer" minutes=8 difficulty=2 core=true
# ### Draw the dependency graph
#
# Set `graph` to the dependency graph of the running example, as a dictionary of the form shown above. The
# input is `"x"`, the result `"y"`; name the nodes between them as you like. The operations that exist are
# `square`, `log`, `sin`, `reciprocal`, `add` and `mul`. Every node must be needed for `y`.
#
# **You are done when** the check finds a graph of good form with the value of the formula at $x = 2$.

# %% exercise="2.5.5"
### BEGIN SOLUTION
graph = {
    "a": ("square", "x"),
    "b": ("log", "a"),
    "c": ("sin", "x"),
    "d": ("mul", "b", "c"),
    "e": ("reciprocal", "x"),
    "y": ("add", "d", "e"),
}
### END SOLUTION

# %% [markdown] hints="2.5.5"
# 1. Which operation is carried out last when you evaluate the formula for a number? It makes `y`.
# 2. Work from the inside out: a node for each result that you would note down when computing by hand. `x` is
#    read more than once.
# 3. For $z = 1/(x + \sin x)$: `{"s": ("sin", "x"), "t": ("add", "x", "s"), "z": ("reciprocal", "t")}`.

# %% check="2.5.5" points=2
assert_type(graph, dict, "the graph")
problem = first_problem(graph, "y")
assert_true(problem == "", "the form of the graph is right", hint=problem)
two = torch.tensor(2., dtype=torch.float64)
assert_close(evaluate(graph, "y", two), torch.log(two ** 2) * torch.sin(two) + 1 / two, "y at x = 2")
### BEGIN HIDDEN TESTS
both_signs = torch.tensor([-3., -1., -0.2, 0.5, 1., 7.], dtype=torch.float64)
negative = evaluate(graph, "y", both_signs[:3])
assert_true(not bool(negative.isnan().any()), "y is a number for negative x",
            hint="x < 0 is legal: the logarithm is that of x², so square first.")
assert_close(evaluate(graph, "y", both_signs), torch.log(both_signs ** 2) * torch.sin(both_signs) + 1 / both_signs,
             "y at six places, of both signs")
### END HIDDEN TESTS

# %% [markdown]
# From here on the nodes have these names:
#
# | node | a | b | c | d | e | y |
# |---|---|---|---|---|---|---|
# | is | $x^2$ | $\log a$ | $\sin x$ | $b \cdot c$ | $1/x$ | $d + e$ |
#
# Autograd's own drawing of this graph has the same shape. Two nodes come on top: the leaf, and a product with
# 1, since PyTorch computes `1 / x` as the reciprocal times 1.

# %% tags=["demo"]
x = torch.tensor(2., requires_grad=True)
d2l.show_graph(torch.log(x ** 2) * torch.sin(x) + 1 / x)

# %% [markdown] task="2.5.6" kind="code" minutes=12 difficulty=3 core=true
# ### The chain rule on the graph
#
# Each edge of the graph has a derivative that looks at **one** equation only, such as
# $\partial d / \partial b = c$. The derivative of the whole is the sum, over all ways from $x$ to $y$, of the
# product of the edges' derivatives.
#
# Write `chain_rule(x)` for a floating point tensor `x` of any shape without zeros. It returns a dictionary
# with nine entries, each a tensor of the shape of `x`: the eight edges `"da/dx"`, `"db/da"`, `"dc/dx"`,
# `"dd/db"`, `"dd/dc"`, `"de/dx"`, `"dy/dd"`, `"dy/de"`, and the result `"dy/dx"`. Write the derivatives
# yourself, without autograd.
#
# **You are done when** the check agrees at x = 2, edge by edge, with what autograd finds.

# %% exercise="2.5.6"
def chain_rule(x):
    """The derivative of every edge of the running example's graph, and dy/dx; each of the shape of x."""
    ### BEGIN SOLUTION
    a = x ** 2
    b, c = torch.log(a), torch.sin(x)
    one = torch.ones_like(x)
    edges = {"da/dx": 2 * x, "db/da": 1 / a, "dc/dx": torch.cos(x), "dd/db": c, "dd/dc": b, "de/dx": -1 / a,
             "dy/dd": one, "dy/de": one}
    through_b = edges["da/dx"] * edges["db/da"] * edges["dd/db"] * edges["dy/dd"]
    through_c = edges["dc/dx"] * edges["dd/dc"] * edges["dy/dd"]
    through_e = edges["de/dx"] * edges["dy/de"]
    return edges | {"dy/dx": through_b + through_c + through_e}
    ### END SOLUTION

# %% [markdown] hints="2.5.6"
# 1. How many different ways lead from `x` to `y`?
# 2. Three: over a, b, d; over c, d; and over e. Multiply along each, then add the three. A derivative that is
#    constantly 1 is `torch.ones_like(x)`.
# 3. For $z = \sin(x) \cdot x$ with $s = \sin x$: edges ds/dx = cos x, dz/ds = x, and s for the direct edge
#    from x to z. Two ways, so dz/dx = cos x · x + s.

# %% check="2.5.6" points=3
def edges_by_autograd(x):
    x = x.detach().clone().requires_grad_()
    a = x ** 2
    values = {"x": x, "a": a, "b": a.log(), "c": x.sin()}
    values |= {"d": values["b"] * values["c"], "e": 1 / x}
    made = {"a": torch.square, "b": torch.log, "c": torch.sin, "d": torch.mul, "e": torch.reciprocal, "y": torch.add}
    found = {}
    for name, sources in (("a", "x"), ("b", "a"), ("c", "x"), ("d", "bc"), ("e", "x"), ("y", "de")):
        leaves = [values[s].detach().clone().requires_grad_() for s in sources]
        slopes = torch.autograd.grad(made[name](*leaves).sum(), leaves)
        found |= {f"d{name}/d{s}": slope for s, slope in zip(sources, slopes)}
    whole, = torch.autograd.grad((values["d"] + values["e"]).sum(), x)
    return found | {"dy/dx": whole}

two = torch.tensor(2., dtype=torch.float64)
one_edge = {
    "db/da": {"This is the derivative with respect to x, not to a.": 1.0},
    "dd/db": {"This is b. The derivative of b · c with respect to b is the other factor.": 1.386294361120},
    "dd/dc": {"This is c. The derivative of b · c with respect to c is the other factor.": 0.909297426826},
    "de/dx": {"1/x falls where x grows: mind the sign.": 0.25},
    "dy/dd": {"This is a number. Each entry is a tensor of the shape of x.": 1.0},
    "dy/dx": {"The way over c and d is missing.": 0.659297426826, "The way over e is missing.": 0.332395413922},
}
assert_equal(set(chain_rule(two)), set(edges_by_autograd(two)), "the names of the entries")
for edge, value in edges_by_autograd(two).items():
    assert_close(chain_rule(two)[edge], value, f"{edge} at x = 2", mistakes=one_edge.get(edge, {}))
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(256)
for places in (torch.tensor([-3., -0.5, 0.1, 4.], dtype=torch.float64), torch.randn(2, 3, generator=rng) * 2,
               torch.tensor(-1.5, dtype=torch.float64)):
    for edge, value in edges_by_autograd(places).items():
        assert_shape(
            chain_rule(places)[edge], tuple(places.shape), f"the shape of {edge} for x of shape {tuple(places.shape)}"
        )
        assert_close(
            chain_rule(places)[edge], value, f"{edge}, for x of shape {tuple(places.shape)} with negative entries"
        )
### END HIDDEN TESTS

# %% [markdown]
# ### Two orders of work
#
# The chain rule multiplies along the ways from $x$ to $y$. It may start at either end. Take $p = 3x$,
# $q = p^2$, $r = q \cdot p$ at $x = 1$; so $p = 3$, $q = 9$, $r = 27$.
#
# *Forward mode* goes along with the evaluation. Besides its value each node gets its derivative
# **with respect to the input**, found from those of the nodes that it reads. *Reverse mode* first evaluates
# everything and then walks back. Each node gets the derivative of the **result with respect to it**, found
# from those of the nodes that read it.
#
# | node | value | forward: d(node)/dx | reverse: dr/d(node) |
# |---|---|---|---|
# | x | 1 | 1 | 3 · 27 = 81 |
# | p = 3x | 3 | 3 | from r: q = 9, from q: 2p · 3 = 18; together 27 |
# | q = p² | 9 | 2p · 3 = 18 | p = 3 |
# | r = q·p | 27 | 18 · 3 + 9 · 3 = 81 | 1 |
#
# Forward mode is read from the top down, reverse mode from the bottom up. Both find 81. In reverse mode a
# node that is read twice, here p, **adds** what comes back from each reader. The same numbers by PyTorch,
# which walks back in `backward` and forward in `torch.func.jvp`:

# %%
x = torch.tensor(1., requires_grad=True)
p = 3 * x
q = p ** 2
r = q * p
print("reverse:", torch.autograd.grad(r, (x, p, q, r)))
print("forward:", torch.func.jvp(lambda x: (3 * x) ** 3, (torch.tensor(1.),), (torch.tensor(1.),)))

# %% [markdown] task="2.5.7a" kind="code" minutes=10 difficulty=3 core=true
# ### Forward: values and derivatives together
#
# Write `forward_mode(x)` for the running example with the nodes of the table above, $a$ to $y$; `x` is a
# floating point tensor of any shape without zeros. It returns a dictionary from the names `"x"`, `"a"`,
# `"b"`, `"c"`, `"d"`, `"e"`, `"y"` to a pair: the value of the node and its derivative with respect to `x`,
# both tensors of the shape of `x`. No autograd.
#
# **You are done when** the check agrees with all seven pairs at x = 2.

# %% exercise="2.5.7a"
def forward_mode(x):
    """{node: (value, d node / dx)} for the running example, computed forward; tensors of the shape of x."""
    ### BEGIN SOLUTION
    nodes = {"x": (x, torch.ones_like(x))}
    a, a_ = nodes["a"] = (x ** 2, 2 * x)
    b, b_ = nodes["b"] = (torch.log(a), a_ / a)
    c, c_ = nodes["c"] = (torch.sin(x), torch.cos(x))
    d, d_ = nodes["d"] = (b * c, b_ * c + b * c_)
    e, e_ = nodes["e"] = (1 / x, -1 / x ** 2)
    nodes["y"] = (d + e, d_ + e_)
    return nodes
    ### END SOLUTION

# %% [markdown] hints="2.5.7a"
# 1. When you know the derivative of $a$ with respect to $x$, what is that of $\log a$?
# 2. For $d = b \cdot c$ the product rule uses the values and the derivatives of both: $d' = b'c + bc'$.
# 3. For $s = \sin x$, $z = s^2$: the pairs are $(\sin x, \cos x)$ and then $(s^2, 2 s \cdot \cos x)$, where
#    $\cos x$ is the derivative that $s$ brought along.

# %% check="2.5.7a" points=2
def pairs_by_autograd(x):
    x = x.detach().clone().requires_grad_()
    a, c, e = x ** 2, torch.sin(x), 1 / x
    nodes = {"x": x * 1, "a": a, "b": torch.log(a), "c": c, "d": torch.log(a) * c, "e": e, "y": torch.log(a) * c + e}
    return {
        name: (value.detach(), torch.autograd.grad(value.sum(), x, retain_graph=True)[0])
        for name, value in nodes.items()
    }

two = torch.tensor(2., dtype=torch.float64)
one_node = {
    "x": {"This is a number. Both entries of a pair are tensors of the shape of x.": 1.0},
    "b": {"This is the derivative with respect to a. Multiply by the one that a brings along.": 0.25},
    "d": {"This is the product of the derivatives. The product rule has two terms.": -0.416146836547},
}
assert_equal(set(forward_mode(two)), set(pairs_by_autograd(two)), "the names of the nodes")
for node, (value, derivative) in pairs_by_autograd(two).items():
    assert_close(forward_mode(two)[node][0], value, f"the value of {node} at x = 2")
    assert_close(forward_mode(two)[node][1], derivative, f"the derivative of {node} with respect to x, at x = 2",
                 mistakes=one_node.get(node, {}))
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(257)
for places in (torch.tensor([-3., -0.5, 0.1, 4.], dtype=torch.float64),
               torch.randn(2, 3, generator=rng, dtype=torch.float64) * 2):
    for node, (value, derivative) in pairs_by_autograd(places).items():
        assert_close(forward_mode(places)[node][0], value, f"the value of {node} for x of shape {tuple(places.shape)}")
        assert_close(forward_mode(places)[node][1], derivative,
                     f"the derivative of {node} for x of shape {tuple(places.shape)}")
### END HIDDEN TESTS

# %% [markdown] task="2.5.7b" kind="code" minutes=12 difficulty=3 core=true
# ### Reverse: from the result back
#
# Write `reverse_mode(x)` for the same nodes. It evaluates forward, then walks back from `"y"` to `"x"`, and
# returns a dictionary from the seven names to the derivative of $y$ with respect to the node, each a tensor
# of the shape of `x`. No autograd.
#
# **You are done when** the check agrees with all seven derivatives at x = 2.

# %% exercise="2.5.7b"
def reverse_mode(x):
    """{node: dy / d node} for the running example, computed in reverse; tensors of the shape of x."""
    ### BEGIN SOLUTION
    a = x ** 2
    b, c = torch.log(a), torch.sin(x)
    back = {"y": torch.ones_like(x)}
    back["d"] = back["y"]
    back["e"] = back["y"]
    back["b"] = back["d"] * c
    back["c"] = back["d"] * b
    back["a"] = back["b"] / a
    back["x"] = back["a"] * 2 * x + back["c"] * torch.cos(x) - back["e"] / a
    return back
    ### END SOLUTION

# %% [markdown] hints="2.5.7b"
# 1. Which nodes read `x`? Each of them sends something back.
# 2. The derivative of y with respect to a node is the sum over its readers of (dy/d reader) · (d reader/d
#    node). The derivative of y with respect to itself is 1.
# 3. For $s = \sin x$, $z = s \cdot x$: dz/dz = 1, dz/ds = x, and x is read by z and by s, so dz/dx = s + x ·
#    cos x.

# %% check="2.5.7b" points=3
def back_by_autograd(x):
    x = x.detach().clone().requires_grad_()
    a, c, e = x ** 2, torch.sin(x), 1 / x
    b = torch.log(a)
    d = b * c
    y = d + e
    return dict(zip("yedcbax", torch.autograd.grad(y.sum(), (y, e, d, c, b, a, x))))

two = torch.tensor(2., dtype=torch.float64)
assert_equal(set(reverse_mode(two)), set("xabcdey"), "the names of the nodes")
ways = {"a": 0.909297426826, "c": -0.576902012903, "e": -0.25}
three = "`x` is read by three nodes, and each adds its part."
back_to = {
    "b": {"This is b. What comes back to a factor is multiplied by the other one.": 1.386294361120},
    "c": {"This is c. What comes back to a factor is multiplied by the other one.": 0.909297426826},
    "a": {"This is the derivative of the logarithm alone; what came back to b is a factor.": 0.25},
    "x": {f"Only the way over {name} is in it: {three}": part_of for name, part_of in ways.items()}
    | {f"The way over {name} is missing: {three}": sum(ways.values()) - part_of for name, part_of in ways.items()},
}
for node, derivative in back_by_autograd(two).items():
    assert_close(reverse_mode(two)[node], derivative, f"dy/d{node} at x = 2", mistakes=back_to.get(node, {}))
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(258)
for places in (
    torch.tensor([-3.0, -0.5, 0.1, 4.0], dtype=torch.float64),
    torch.randn(2, 3, generator=rng, dtype=torch.float64) * 2,
):
    for node, derivative in back_by_autograd(places).items():
        assert_shape(reverse_mode(places)[node], tuple(places.shape),
                     f"the shape of dy/d{node} for x of shape {tuple(places.shape)}")
        assert_close(reverse_mode(places)[node], derivative, f"dy/d{node} for x of shape {tuple(places.shape)}")
### END HIDDEN TESTS

# %% [markdown]
# ### When forward, when reverse
#
# A network is a chain of functions from $n_0$ numbers to $n_1$ numbers and so on to $n_k$. Step $i$ has a
# Jacobian $J_i$ of shape $n_i \times n_{i-1}$, and the Jacobian of the whole is the product
# $J_k \cdots J_2 J_1$. Forward mode multiplies from the input's end, $J_k (\cdots (J_3 (J_2 J_1)))$; reverse
# mode from the output's end, $(((J_k J_{k-1}) J_{k-2}) \cdots) J_1$. The product is the same, the work is
# not. A $p \times q$ matrix times a $q \times r$ matrix takes $p q r$ multiplications.

# %% [markdown] task="2.5.8a" kind="code" minutes=10 difficulty=2 core=true
# ### Count the multiplications
#
# Write `multiplications(sizes)` for a list `sizes` of the numbers $n_0, n_1, \ldots, n_k$ (at least two of
# them). It returns the pair `(forward, reverse)`: how many multiplications the product of the Jacobians takes
# in the two orders above. A single Jacobian takes none.
#
# **You are done when** the check shows 90 and 64 for sizes 5, 4, 3, 2, which you can verify by hand.

# %% exercise="2.5.8a"
def multiplications(sizes):
    """(forward, reverse): multiplications for the chain's Jacobian from the input's and from the output's end."""
    ### BEGIN SOLUTION
    forward = sum(sizes[i] * sizes[i - 1] * sizes[0] for i in range(2, len(sizes)))
    reverse = sum(sizes[-1] * sizes[i] * sizes[i - 1] for i in range(1, len(sizes) - 1))
    return forward, reverse
    ### END SOLUTION

# %% [markdown] hints="2.5.8a"
# 1. In forward mode, what shape has the product after each step? Which of its two lengths never changes?
# 2. Forward: the product so far always has n₀ columns. Reverse: it always has n_k rows.
# 3. For sizes 2, 3, 4: J₁ is 3 × 2, J₂ is 4 × 3, and there is one product, of 4 · 3 · 2 = 24 multiplications,
#    in either order. The orders differ from three Jacobians on.

# %% check="2.5.8a" points=2
assert_equal(multiplications([5, 4, 3, 2]), (90, 64), "sizes 5, 4, 3, 2",
             mistakes={"The two are swapped.": (64, 90),
                       "This carries one vector; the product of matrices carries several.": (38, 38),
                       "A product has three lengths: the one that never changes is missing.": (18, 32),
                       "The product so far keeps its n₀ columns, in reverse its n_k rows; this forgets it.": (84, 84),
                       "The first Jacobian is there already: it takes no multiplication.": (190, 76)})
assert_equal(multiplications([2, 3, 4]), (24, 24), "sizes 2, 3, 4: one product")
### BEGIN HIDDEN TESTS
def counted(sizes):
    shapes = [(rows, columns) for columns, rows in zip(sizes, sizes[1:])]
    totals = []
    for order in (shapes, shapes[::-1]):
        total, (rows, columns) = 0, order[0]
        for more in order[1:]:
            left, right = (more, (rows, columns)) if order is shapes else ((rows, columns), more)
            total += left[0] * left[1] * right[1]
            rows, columns = left[0], right[1]
        totals.append(total)
    return totals

for chain in ([7, 3], [1000, 300, 20, 5, 1], [1, 6, 9, 400], [4, 4, 4, 4, 4, 4], [3, 1, 8, 2, 5, 11]):
    assert_equal(multiplications(chain), counted(chain),
                 f"a chain of {len(chain) - 1} Jacobians, sizes from {chain[0]} to {chain[-1]}",
                 mistakes={"The two are swapped.": counted(chain)[::-1]})
### END HIDDEN TESTS

# %% [markdown] task="2.5.8b" kind="explain" minutes=15 difficulty=3
# ### Choose the mode
#
# In each case the derivative is wanted of a function that takes the given number of inputs to the given
# number of outputs. Set `modes` to a dictionary from the letters to `"forward"` or `"reverse"`, whichever
# takes fewer operations.
#
# - A: the loss of a network, one number, with respect to its million weights.
# - B: an image of 100,000 pixels with respect to the three angles of the camera that took it.
# - C: the position of a robot's hand, three numbers, with respect to time.
# - D: the log-probability of one sentence, one number, with respect to 40,000 entries of an embedding.
# - E: for 1000 outputs and 1000 inputs, the product $J \mathbf u$ of the Jacobian with one vector.
# - F: for 1000 outputs and 1000 inputs, the product $\mathbf v^\top J$ of one vector with the Jacobian.
#
# Then explain in the second cell when you would use which mode. Say what decides about the number of
# operations, give numbers for one chain from `multiplications`, and compare what each mode has to keep in
# memory.
#
# **You are done when** the check finds an entry for each letter, and your text has all four points asked for.

# %% exercise="2.5.8b"
### BEGIN SOLUTION
modes = {"A": "reverse", "B": "forward", "C": "forward", "D": "reverse", "E": "forward", "F": "reverse"}
### END SOLUTION

# %% [markdown] hints="2.5.8b"
# 1. How many passes does each mode need for the whole Jacobian, one for each input or one for each output?
# 2. A forward pass carries one direction in the inputs and gives one column's combination $J \mathbf u$; a
#    reverse pass carries one weighting of the outputs and gives $\mathbf v^\top J$. A reverse pass needs the
#    values of the forward evaluation in the opposite order.
# 3. Two inputs and 500 outputs: forward mode needs 2 passes, reverse mode 500.

# %% check="2.5.8b" points=1
assert_type(modes, dict, "the modes")
assert_equal(set(modes), set("ABCDEF"), "the letters that have an entry")
assert_true(
    all(modes[letter] in ("forward", "reverse") for letter in "ABCDEF"), 'every entry is "forward" or "reverse"'
)
### BEGIN HIDDEN TESTS
passes = {"A": (10 ** 6, 1), "B": (3, 10 ** 5), "C": (1, 3), "D": (40000, 1), "E": (1, 1000), "F": (1000, 1)}
for letter, (by_forward, by_reverse) in passes.items():
    assert_equal(
        modes[letter],
        "forward" if by_forward < by_reverse else "reverse",
        f"case {letter}",
        hint="Forward mode needs a pass for each direction in the inputs, "
        "reverse mode one for each weighting of the outputs.",
    )
### END HIDDEN TESTS

# %% [markdown] written="2.5.8b" points=4
# ### BEGIN SOLUTION
# One pass of forward mode gives the derivative of all outputs along one direction in the inputs, so the whole
# Jacobian takes n passes for n inputs. One pass of reverse mode gives the derivative of one weighted sum of
# the outputs with respect to all inputs, so it takes m passes for m outputs. Each pass costs a small multiple
# of the evaluation. So forward mode suits few inputs and many outputs, reverse mode many inputs and few
# outputs. For sizes 1000, 300, 20, 5, 1 forward mode takes 6,105,000 multiplications, reverse mode 306,100,
# about 20 times fewer. Training has one output, the loss, and very many inputs: reverse mode, which for this
# reason is what `backward` does.
#
# Reverse mode pays in memory: it cannot start before the evaluation has ended, and needs the intermediate
# values in the opposite order, so all are kept, and memory grows with the depth. Forward mode carries a value
# and a derivative along and can forget both as soon as no later node reads them.
#
# **Rubric**
# - [1] What decides is the number of inputs against the number of outputs: passes of forward mode go with the inputs, of reverse mode with the outputs; also accepted: the shapes in the product of Jacobians; lost by "reverse mode is always faster".
# - [1] Two numbers from `multiplications` for one chain, and their comparison agrees with the claim; also accepted: any chain; lost by a formula without numbers.
# - [1] Training: one loss and very many weights, hence reverse mode; also accepted: another case of one output; lost by giving the depth of the network as the reason.
# - [1] Memory: reverse mode keeps the intermediate values of the whole evaluation, forward mode does not; also accepted: trading memory for recomputation by checkpointing; lost by "both store the same".
# ### END SOLUTION

# %% [markdown]
# ### Drill: leaves, accumulation, cuts, Jacobians

# %% [markdown] task="2.5.9" kind="answer" minutes=5 difficulty=2 core=true
# ### Who gets a gradient?
#
# Read the program, but do not run it yet.
#
# ```python
# p = torch.tensor([1., 2.], requires_grad=True)
# q = torch.tensor([3., 4.])
# r = torch.tensor([5., 6.], requires_grad=True)
# s = torch.tensor([7., 8.], requires_grad=True)
# t = p * q
# u = (r * t).detach()
# v = u.clone().requires_grad_()
# with torch.no_grad():
#     w = s * t
# (t * v + w).sum().backward()
# ```
#
# Set `has_gradient` to the set of names, of `p`, `q`, `r`, `s`, `t`, `u`, `v`, `w`, whose `.grad` is not
# `None` at the end.
#
# **You are done when** the check accepts your answer's form; then run the program to see. (Reading `.grad` of
# a tensor that is no leaf warns, and gives `None`.)

# %% exercise="2.5.9"
### BEGIN SOLUTION
has_gradient = {"p", "v"}
### END SOLUTION

# %% [markdown] hints="2.5.9"
# 1. Which of the eight are leaves with `requires_grad=True`? Which of these does the last line still reach?
# 2. `detach()` and `no_grad()` cut the way back. A tensor made by an operation keeps no `.grad`, though it
#    passes the derivative on.
# 3. After `z = (g.detach() * h).sum(); z.backward()` with leaves g and h, only h has a gradient.

# %% check="2.5.9" points=1
assert_type(has_gradient, (set, frozenset, list, tuple), "the names")
assert_true(set(has_gradient) <= set("pqrstuvw"), "every name is one of the program's")
### BEGIN HIDDEN TESTS
p = torch.tensor([1., 2.], requires_grad=True)
q = torch.tensor([3., 4.])
r = torch.tensor([5., 6.], requires_grad=True)
s = torch.tensor([7., 8.], requires_grad=True)
t = p * q
v = (r * t).detach().clone().requires_grad_()
with torch.no_grad():
    w = s * t
(t * v + w).sum().backward()
right = {name for name, tensor in (("p", p), ("q", q), ("r", r), ("s", s), ("v", v)) if tensor.grad is not None}
named = set(has_gradient)
assert_true("q" not in named, "q: it was made without requires_grad")
assert_true(not named & set("tuw"), "t, u and w: results of operations and detached tensors keep no .grad")
assert_true("r" not in named, "r: detach() cuts the only way to it")
assert_true("s" not in named, "s: what happens under no_grad() is not recorded")
assert_equal(named, right, "the names with a gradient", hint="A leaf that the last line reaches is missing.")
### END HIDDEN TESTS

# %% [markdown] task="2.5.10" kind="code" minutes=8 difficulty=2 core=true
# ### Several gradients of one leaf
#
# Gradients add up in `.grad`, and `zero_()` overwrites the tensor that you may have kept. Both have spoilt
# experiments.
#
# Write `gradients(functions, x)`. `functions` is a list of functions from a tensor to a 0-d tensor, `x` a
# leaf with `requires_grad=True`. Return the list of their gradients at `x`, in this order, each a tensor of
# the shape of `x`. What `.grad` of `x` holds before or afterwards does not matter.
#
# **You are done when** the check shows the gradients of three functions, none of which contains another.

# %% exercise="2.5.10"
def gradients(functions, x):
    """The gradient at x of each function, as a list of separate tensors of the shape of x."""
    ### BEGIN SOLUTION
    found = []
    for f in functions:
        x.grad = None
        f(x).backward()
        found.append(x.grad)
    return found
    ### END SOLUTION

# %% [markdown] hints="2.5.10"
# 1. What does `.grad` hold before the first call of `backward()`, if the caller has used `x` before?
# 2. Either let go of the old tensor with `x.grad = None`, or copy with `x.grad.clone()` before you overwrite
#    it with zeros.
# 3. Collecting rows with `row = [0]; for i in range(3): row[0] = i; rows.append(row)` gives three times the
#    last: all entries are one list. `rows.append(row.copy())` mends it.

# %% check="2.5.10" points=2
@probe
def collected(values, before):
    leaf = values.clone().requires_grad_()
    leaf.grad = before.clone()
    fs = [lambda t: (t * t).sum(), torch.sum, lambda t: (t ** 3).sum() + t.detach().sum(), lambda t: t.prod()]
    other = values.clone().requires_grad_()
    other.sum().backward()
    return gradients(fs[:3], leaf), gradients(fs[3:] + fs[:1], other)

wanted = [torch.tensor([2., 4.]), torch.ones(2), torch.tensor([3., 12.])]
for i, name in enumerate(("(x * x).sum()", "x.sum()", "(x ** 3).sum()")):
    assert_close(
        collected(torch.tensor([1.0, 2.0]), torch.zeros(2))[0][i],
        wanted[i],
        f"the gradient of {name} at (1, 2)",
        mistakes={
            "It holds the sum of all gradients: one tensor stands several times in your list.": sum(wanted),
            "The gradients before it are contained in it.": sum(wanted[: i + 1]),
            "It is zero: .grad was cleared after you kept it, without a copy.": torch.zeros(2),
            "It is the last function's: one tensor stands several times in your list.": wanted[2],
        },
    )
### BEGIN HIDDEN TESTS
at = torch.tensor([[0.5, -1., 2.], [3., 4., -2.]])
first, second = collected(at, torch.full((2, 3), 9.))
for i, value in enumerate([2 * at, torch.ones(2, 3), 3 * at ** 2]):
    assert_close(first[i], value, f"gradient {i} of 3, with a .grad of 9 before",
                 mistakes={"What .grad held before is contained in it.": value + 9})
assert_equal(len(second), 2, "the number of gradients for two functions")
assert_close(second[0], at.prod() / at, "the gradient of a product, at a leaf used before")
assert_close(second[1], 2 * at, "the gradient of (x * x).sum(), at a leaf used before")
### END HIDDEN TESTS

# %% [markdown] task="2.5.11" kind="code" minutes=10 difficulty=3 core=true
# ### Weights that are held fixed
#
# A robust fit gives rows with a large residual a small weight, recomputed in each step. The weights follow
# from the residuals, but the step must treat them as constants, or the fit could shrink its loss by making
# the weights small.
#
# Write `robust_loss(w, X, y)`, for `w` of shape `(d,)`, `X` of shape `(n, d)`, `y` of shape `(n,)`. With the
# residuals $r_i = \mathbf x_i^\top \mathbf w - y_i$ and the weights $u_i = 1 / (1 + r_i^2)$ it returns the
# 0-d tensor $\sum_i u_i r_i^2$, through which `backward()` gives `w` the gradient
# $\sum_i 2\, u_i r_i \mathbf x_i$: no derivative flows through the $u_i$.
#
# **You are done when** the check shows the loss, and the gradient with fixed weights.

# %% exercise="2.5.11"
def robust_loss(w, X, y):
    """Sum of the squared residuals, weighted by 1 / (1 + r²), which count as constants; a 0-d tensor."""
    ### BEGIN SOLUTION
    r = X @ w - y
    weights = 1 / (1 + r.detach() ** 2)
    return (weights * r ** 2).sum()
    ### END SOLUTION

# %% [markdown] hints="2.5.11"
# 1. Which of the two places where $r$ appears may send a derivative back?
# 2. `r.detach()` has the values of `r` and no history.
# 3. For `z = (g.detach() * g).sum()` the gradient is `g`, not `2 * g`: the first factor counts as a constant.

# %% check="2.5.11" points=2
@probe
def loss_and_gradient(w, X, y):
    leaf = w.clone().requires_grad_()
    loss = robust_loss(leaf, X, y)
    loss.backward()
    return loss, leaf.grad

w0, X0, y0 = torch.tensor([1., 0.]), torch.tensor([[1., 2.], [3., 1.]]), torch.tensor([0., 1.])
full = X0.T @ (2 * torch.tensor([1., 2.]) / (1 + torch.tensor([1., 4.])) ** 2)
assert_close(robust_loss(w0, X0, y0), torch.tensor(1.3), "the loss for residuals 1 and 2: 1/2 + 4/5",
             mistakes={"This is the mean, not the sum.": torch.tensor(0.65),
                       "(n, 1) against (n,) gives the residuals of all pairs.": torch.tensor(2.2)})
assert_close(loss_and_gradient(w0, X0, y0)[1], torch.tensor([3.4, 2.8]), "the gradient with fixed weights",
             mistakes={"A derivative has gone through the weights, too.": full,
                       "The weights have a derivative, and the squares are held fixed: it is the other way round.":
                       torch.tensor([-2.42, -1.64])})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2511)
X1 = torch.randn(7, 3, generator=rng, dtype=torch.float64)
w1, y1 = torch.randn(3, generator=rng, dtype=torch.float64), 2 * torch.randn(7, generator=rng, dtype=torch.float64)
r1 = X1 @ w1 - y1
loss, gradient = loss_and_gradient(w1, X1, y1)
assert_shape(loss, (), "the shape of the loss for 7 rows")
assert_close(loss, (r1 ** 2 / (1 + r1 ** 2)).sum(), "the loss for 7 rows of 3 features")
assert_close(gradient, 2 * X1.T @ (r1 / (1 + r1 ** 2)), "the gradient for 7 rows of 3 features",
             mistakes={"A derivative has gone through the weights, too.": 2 * X1.T @ (r1 / (1 + r1 ** 2) ** 2)})
### END HIDDEN TESTS

# %% [markdown] task="2.5.12" kind="code" minutes=12 difficulty=3 core=true
# ### A Jacobian, row by row
#
# Write `jacobian(f, x)`. `f` takes a tensor of shape `(n,)` to one of shape `(m,)`; `x` has shape `(n,)` and
# a floating point dtype. Return the `(m, n)` matrix with $\partial y_i / \partial x_j$ in row $i$ and column
# $j$, in the dtype of `x`, without a graph attached. `backward(gradient=v)` with a suitable $\mathbf v$ gives
# one row. The caller's `x` stays as it was.
#
# **You are done when** the check shows the 3 × 2 Jacobian of a function that you can differentiate by hand.

# %% exercise="2.5.12"
def jacobian(f, x):
    """The (m, n) Jacobian at x of a function f from shape (n,) to shape (m,); detached."""
    ### BEGIN SOLUTION
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    rows = torch.eye(len(y), dtype=y.dtype)
    return torch.stack([torch.autograd.grad(y, leaf, row, retain_graph=True)[0] for row in rows])
    ### END SOLUTION

# %% [markdown] hints="2.5.12"
# 1. Which vector $\mathbf v$ makes $\mathbf v^\top J$ the second row of $J$?
# 2. Row i comes from a vector that is 1 at i and 0 elsewhere. Keep the graph between the rows
#    (`retain_graph=True`), and keep one row's gradient out of the next. `torch.stack` puts rows together.
# 3. For $f(x) = (x_1 x_2, \; x_1)$ at (3, 5): v = (1, 0) gives the row (5, 3), v = (0, 1) the row (1, 0).

# %% check="2.5.12" points=3
@probe
def jacobian_of_three(x):
    return jacobian(lambda t: torch.stack([t[0] * t[1], t[0] ** 2, 3 * t[1]]), x)

by_hand = torch.tensor([[5., 2.], [4., 0.], [0., 3.]])
assert_shape(jacobian_of_three(torch.tensor([2., 5.])), (3, 2), "the shape for 3 outputs of 2 inputs")
assert_close(jacobian_of_three(torch.tensor([2., 5.])), by_hand, "the Jacobian of (x₁x₂, x₁², 3x₂) at (2, 5)",
             mistakes={"Each row contains the rows before it: .grad adds up.": by_hand.cumsum(0),
                       "Every row is the gradient of the sum of the outputs.": by_hand.sum(0).repeat(3, 1)})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2512)
M = torch.randn(5, 4, generator=rng, dtype=torch.float64)
point = torch.randn(4, generator=rng, dtype=torch.float64)

@probe
def jacobians(M, x):
    t = x.clone()
    results = [
        jacobian(lambda u: M @ u, t),
        jacobian(lambda u: (M @ u).sin() * u.sum(), t),
        jacobian(lambda u: u[1:] * u[:-1], t),
        jacobian(lambda u: u.prod().reshape(1), t),
    ]
    return results, int(t.requires_grad), int(sum(r.requires_grad for r in results))

found, marked, attached = jacobians(M, point)
u = M @ point
wanted = [
    M,
    u.cos()[:, None] * M * point.sum() + u.sin()[:, None],
    torch.autograd.functional.jacobian(lambda v: v[1:] * v[:-1], point),
    (point.prod() / point)[None],
]
for text, result, right in zip(
    ("a matrix product", "5 outputs of 4 inputs", "neighbours' products", "a single output"), found, wanted
):
    assert_shape(result, tuple(right.shape), f"the shape for {text}")
    assert_close(result, right, f"the Jacobian for {text}")
assert_dtype(found[0], torch.float64, "the dtype for float64 inputs")
assert_equal(attached, 0, "Jacobians that have a graph attached")
assert_equal(marked, 0, "the caller's x does not require a gradient afterwards")
### END HIDDEN TESTS
