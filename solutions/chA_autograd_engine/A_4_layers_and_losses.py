# %% [markdown]
# # A.4 Layers and losses
#
# A library for networks offers layers: `Linear`, `ReLU`, a loss. Each of them needs a gradient. Does each need a backward pass of its own? With an engine, no. A layer runs simple operations and records them; the walk back comes for nothing. In this section you write the
# layers of a network like that, and the one loss that is better written as a single operation.
#
# At the end you can
# - write a layer that records itself truthfully, and say which three lies it may tell by accident;
# - keep parameters, their gradients and their momenta as arrays of their own;
# - build a loss out of primitive operations;
# - write softmax and cross-entropy as one operation that does not overflow, with its backward function.
#
# The engine and the backward functions of A.2 and A.3 come from `d2l_utils.engine_parts` here (torch is inside), so that this page runs whatever yours do.
# They have the interface of yours, which may take their place at any time.

# %% tags=["setup"]
from d2l_utils.check import *
import d2l_utils as d2l
import numpy as np
import torch
from d2l_utils.engine_parts import (Autograd, add_backward, div_backward, exp_backward, gradient_of, gradients, identity_backward,
                                    matmul_backward, mul_backward, relu_backward, sigmoid_backward, sub_backward, sum_backward, tanh_backward)

# %% [markdown] teaches="add_operation, engine with a common list"
# ## 1. A layer tells the engine what it did
#
# The engine has one list. `engine.add_operation(inputs, output, gradients_to_update, backward_operation)` puts an entry into it:
#
# - `inputs`, a list of arrays, and `output`, an array: what went in and what came out;
# - `gradients_to_update`, a list with an entry for each input: `None` if the input is an intermediate value, whose gradient the engine keeps in its buffer; or an array, to which the gradient of this input is *added*. That is for parameters;
# - `backward_operation`, a function `f(grad_output, *inputs)` that returns a gradient for each input.
#
# `engine.backward(divergence)` walks the list from its end, where the gradient is `divergence`. Here is a complete layer with a parameter: it multiplies each feature by a number.

# %% teaches="layer that records"
class Scale:
    """y = x * s for x of shape (n, features), s of shape (1, features)."""
    def __init__(self, features, autograd_engine):
        self.s, self.ds = np.full((1, features), 2.), np.zeros((1, features))
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = x * self.s
        self.autograd_engine.add_operation([x, self.s], y, [None, self.ds], mul_backward)
        return y

engine = Autograd()
layer = Scale(3, engine)
x = np.array([[1., 2., 3.], [10., 20., 30.]])       # 2 examples with 3 features
y = layer(x)                                        # calls layer.__call__(x)
engine.backward(np.ones((2, 3)))
print("gradient of s:", layer.ds, "  gradient of x:", gradient_of(engine, x).tolist())

# %% [markdown]
# `s` was used by both examples, so its gradient is the sum over them: 1 + 10, 2 + 20, 3 + 30. The backward function `mul_backward` did this, since `s` was broadcast.
#
# Three lies that a layer may tell, all without an error message:
#
# - It records *another array* than it returns, say a copy. Then nobody ever finds the gradient of what was returned.
# - It records an input in *another form* than it used.
# - It hands over *a copy* of the array for the gradient. Then the gradient goes into the copy, and is lost.

# %%
class Liar(Scale):
    def __call__(self, x):
        y = x * self.s
        self.autograd_engine.add_operation([x, self.s], y, [None, self.ds.copy()], mul_backward)
        return y

engine.zero_grad()
liar = Liar(3, engine)
liar(x)
engine.backward(np.ones((2, 3)))
print("gradient of s:", liar.ds)

# %% [markdown] task="A.4.A" kind="code" minutes=5 difficulty=2 needs="layer that records, add_operation"
# ### A layer that shifts
#
# Write the class `Shift` like `Scale`: `Shift(features, autograd_engine)` has the parameter `t`, zeros of shape (1, features), and its gradient `dt`, zeros, too. Called with `x`, (n, features), it returns $x + t$ and records one operation.
#
# **You are done when**
# - **output**: it is $x + t$;
# - **gradient of t**: it goes into `dt`, and is added to what is there;
# - **gradient of x**: it reaches `x`.

# %% exercise="A.4.A"
class Shift:
    """y = x + t for x of shape (n, features), t of shape (1, features)."""
    ### BEGIN SOLUTION
    def __init__(self, features, autograd_engine):
        self.t, self.dt, self.autograd_engine = np.zeros((1, features)), np.zeros((1, features)), autograd_engine

    def __call__(self, x):
        y = x + self.t
        self.autograd_engine.add_operation([x, self.t], y, [None, self.dt], add_backward)
        return y
    ### END SOLUTION

# %% [markdown] hints="A.4.A"
# 1. Which lines of `Scale` change?
# 2. The backward function of a sum is `add_backward`.
# 3. A layer that subtracts: `add_operation([x, self.t], y, [None, self.dt], sub_backward)` with `y = x - self.t`.

# %% check="A.4.A" points=1
@probe
def shifted(x, t, grad_output, times):
    engine = Autograd()
    layer = Shift(t.shape[1], engine)
    layer.t[...] = t
    for _ in range(times):
        engine.zero_grad()
        out = layer(x)
        if out is None:
            return out
        engine.backward(grad_output)
    return {"out": np.array(out), "dt": layer.dt, "x": gradient_of(engine, x)}

def shift_agrees(n, k, times, seed):
    draw = np.random.default_rng(seed)
    x, t, g = draw.normal(size=(n, k)), draw.normal(size=(1, k)), draw.normal(size=(n, k))
    found, what = shifted(x, t, g, times), f"{n} examples, {k} features" + (f", {times} walks" if times > 1 else "")
    assert_type(found, dict, f"{what}: what a call of the layer returns", of="output")
    assert_close(found["out"], x + t, f"{what}: the output", of="output")
    assert_close(found["dt"], times * g.sum(axis=0, keepdims=True), f"{what}: dt", of="gradient of t", mistakes={"No gradient came: did the operation get dt itself, not a copy?": np.zeros((1, k))})
    assert_close(found["x"], g, f"{what}: the gradient of x", of="gradient of x", mistakes={"No gradient reaches x: is x itself the recorded input?": np.zeros((n, k))})

shift_agrees(2, 3, 1, 1)
shift_agrees(4, 2, 3, 2)
### BEGIN HIDDEN TESTS
shift_agrees(5, 4, 1, 940)
shift_agrees(1, 2, 2, 9401)
### END HIDDEN TESTS

# %% [markdown] teaches="linear layer from operations, gradient through a view"
# ### The linear layer
#
# A linear layer computes $Y = X W^\top + \mathbf b^\top$ for a batch $X$ of shape (n, in), with $W$ of shape (out, in) and $\mathbf b$ of shape (out, 1). These are two operations: a matrix
# product with the inputs $X$ and $W^\top$, of shapes (n, in) and (in, out); and a sum with the inputs $X W^\top$, (n, out), and $\mathbf b^\top$, (1, out). The output of the first is an input of the second: the very same array, or the walk loses its way.
#
# In a picture, for 4 examples, 3 features and 2 outputs (boxes are arrays, ellipses operations, parameters are blue):

# %% tags=["demo"]
display(d2l.show_dot("""digraph { rankdir=LR; node [shape=box, fontsize=11]; matmul, add [shape=ellipse];
    x [label="x\n4 by 3"]; Wt [label="W.T\n3 by 2", style=filled, fillcolor=lightblue]; p [label="x @ W.T\n4 by 2"];
    bt [label="b.T\n1 by 2", style=filled, fillcolor=lightblue]; y [label="y\n4 by 2"];
    x -> matmul; Wt -> matmul; matmul -> p; p -> add; bt -> add; add -> y; }"""))

# %% [markdown]
# ⚠ The input is `W.T`, so its gradient has the shape of `W.T`. Where shall it go? `dW` has the shape of `W`. But `dW.T` is a *view*: another look at the same numbers. What is added to it in place arrives in `dW`:

# %%
dW = np.zeros((2, 3))
target = dW.T
target += np.array([[1., 2.], [3., 4.], [5., 6.]])
print(dW)

# %% [markdown]
# *The start.* The entries of `W` are drawn uniformly from $-\sqrt{1/\text{in}}$ to $\sqrt{1/\text{in}}$, as torch does for its linear layers: the more inputs are added up, the smaller each weight, so that outputs do not grow with the width. `np.random.uniform(-a, a, shape)` draws.
#
# ⚠ A layer has six arrays: `W`, `b`, their gradients `dW`, `db`, and two running sums for the optimizer of A.5, `momentum_W`, `momentum_b`. `self.dW = self.momentum_W = np.zeros(...)` is one array with two names. Whatever is added to the gradient would be in the momentum, too.

# %% [markdown] task="A.4.1" kind="code" minutes=15 difficulty=3 core=true needs="linear layer from operations, gradient through a view, add_operation, matrix product"
# ### A linear layer
#
# Write the class `Linear` with `__init__(self, in_features, out_features, autograd_engine)`. Called with an array of shape (n, in), a layer returns $X W^\top + \mathbf b^\top$ and records its operations, with `matmul_backward` and `add_backward` or in another way that gives the same gradients.
#
# **You are done when**
# - **attributes**: `W` and `b` have the shapes (out, in) and (out, 1), `dW`, `momentum_W`, `db`, `momentum_b` the same, and are zeros at first; all six are float64;
# - **draw**: `W` and `b` are uniform from $-\sqrt{1/\text{in}}$ to $\sqrt{1/\text{in}}$, and anew for each layer;
# - **six arrays**: none of the six shares its numbers with another;
# - **output**: it is $X W^\top + \mathbf b^\top$, of shape (n, out);
# - **gradients**: after a walk, those of `x`, in `dW` and in `db` are right, for any gradient of the output;
# - **used again**: several walks add up in `dW` and `db`, and a layer that is applied twice in a row gets both contributions.

# %% exercise="A.4.1"
class Linear:
    """y = x @ W.T + b.T, (n, in) -> (n, out)."""
    def __init__(self, in_features, out_features, autograd_engine):
        ### BEGIN SOLUTION
        bound = np.sqrt(1 / in_features)
        self.W = np.random.uniform(-bound, bound, (out_features, in_features))
        self.b = np.random.uniform(-bound, bound, (out_features, 1))
        self.dW, self.db = np.zeros_like(self.W), np.zeros_like(self.b)
        self.momentum_W, self.momentum_b = np.zeros_like(self.W), np.zeros_like(self.b)
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        product = x @ self.W.T
        self.autograd_engine.add_operation([x, self.W.T], product, [None, self.dW.T], matmul_backward)
        y = product + self.b.T
        self.autograd_engine.add_operation([product, self.b.T], y, [None, self.db.T], add_backward)
        return y
        ### END SOLUTION

# %% [markdown] hints="A.4.1"
# 1. What are the inputs and the output of each of the two operations, and which of the inputs are parameters?
# 2. The output of the first operation must be the same array that is an input of the second. For `x` the entry in `gradients_to_update` is `None`.
# 3. Another case: for $y = x \cdot s$ with a parameter `s`: `y = x * self.s`, then `add_operation([x, self.s], y, [None, self.ds], mul_backward)`.

# %% check="A.4.1" points=5
@probe
def drawn(size_in, size_out):
    layers = [Linear(size_in, size_out, Autograd()) for _ in range(2)]
    return [{name: getattr(layer, name) for name in ("W", "b", "dW", "db", "momentum_W", "momentum_b")} for layer in layers]

@probe
def changed_one_by_one(size_in, size_out):
    layer, names = Linear(size_in, size_out, Autograd()), ("W", "b", "dW", "db", "momentum_W", "momentum_b")
    before = {name: np.array(getattr(layer, name)) for name in names}
    for k, name in enumerate(names):
        array = getattr(layer, name)
        array += 10. ** k
    return {name: getattr(layer, name) - before[name] for name in names}

@probe
def passed(x, W, b, grad_output, times):
    engine = Autograd()
    layer = Linear(W.shape[1], W.shape[0], engine)
    layer.W[...], layer.b[...] = W, b
    for i in range(times):
        engine.zero_grad()
        out = layer(x)
        if out is None:
            return out
        engine.backward(grad_output * (i + 1))
    return {"out": np.array(out), "x": gradient_of(engine, x), "dW": layer.dW, "db": layer.db}

@probe
def in_a_row(x, W, b, grad_output):
    engine = Autograd()
    layer = Linear(W.shape[1], W.shape[0], engine)
    layer.W[...], layer.b[...] = W, b
    layer(layer(x))
    engine.backward(grad_output)
    return {"x": gradient_of(engine, x), "dW": layer.dW, "db": layer.db}

def new_layer(size_in, size_out, fill):
    both, bound = drawn(size_in, size_out), size_in ** -0.5
    what = f"a new layer with {size_in} inputs and {size_out} outputs"
    for name, array in both[0].items():
        assert_shape(array, (size_out, size_in if "W" in name else 1), f"{what}: the shape of {name}", of="attributes")
        assert_dtype(array, np.float64, f"{what}: the dtype of {name}", of="attributes")
        assert_true(name[0] in "Wb" or not np.any(array), f"{what}: {name} is zero", of="attributes")
    for name in "Wb":
        first, second = np.asarray(both[0][name]), np.asarray(both[1][name])
        assert_true(float(np.abs(first).max()) <= bound, f"{what}: the entries of {name} lie within the bound", of="draw", hint="The bound is the root of 1 / in.")
        assert_true(not np.array_equal(first, second), f"{what}: {name} of two layers differ", of="draw")
        if fill:
            assert_true(float(first.max()) > 0.8 * bound and float(first.min()) < -0.8 * bound, f"{what}: the entries of {name} fill the range from -bound to bound", of="draw")
    if fill:
        inner = float((np.abs(both[0]["W"]) < bound / 2).mean())
        assert_true(0.4 < inner < 0.6, f"{what}: about half of the weights lie in the inner half of the range, here {100 * inner:.0f} %", of="draw", hint="Uniform: every part of the range is equally likely.")

def own_arrays(size_in, size_out):
    for k, (name, array) in enumerate(changed_one_by_one(size_in, size_out).items()):
        assert_close(array, np.full((size_out, size_in if "W" in name else 1), 10. ** k), f"by how much {name} changes when 1, 10, 100, ... are added to the six arrays", of="six arrays", hint=f"Another attribute shares the numbers of {name}.")

def linear_agrees(n, size_in, size_out, times, seed):
    draw = np.random.default_rng(seed)
    x, W, b, g = (draw.normal(size=s) for s in ((n, size_in), (size_out, size_in), (size_out, 1), (n, size_out)))
    right = gradients(lambda x, W, b: x @ W.T + b.T, g, x, W, b)
    scale, of = times * (times + 1) / 2, "used again" if times > 1 else "gradients"
    what = f"{n} example{'s' * (n > 1)}, {size_in} features, {size_out} outputs" + (f", {times} walks" if times > 1 else "")
    found = passed(x, W, b, g, times)
    assert_type(found, dict, f"{what}: what a call of the layer returns", of="output")
    assert_shape(found["out"], (n, size_out), f"{what}: the shape of the output", of="output")
    assert_close(found["out"], x @ W.T + b.T, f"{what}: the output", of="output", rtol=1e-10, atol=1e-10, mistakes={"The bias is not added.": x @ W.T})
    assert_close(found["x"], times * right[0], f"{what}: the gradient of x", of=of, rtol=1e-10, atol=1e-10, mistakes={
        "No gradient reaches x: is the output of the product the very array that the sum got, and that was used?": 0 * right[0]})
    assert_close(found["dW"], scale * right[1], f"{what}: dW", of=of, rtol=1e-10, atol=1e-10, mistakes={
        "dW is still zero: did the operation get dW.T, and not a copy of it?": 0 * right[1], "This is the gradient of the last walk alone: they add up.": times * right[1]} if times > 1 else {
        "dW is still zero: did the operation get dW.T, and not a copy of it?": 0 * right[1]})
    assert_close(found["db"], scale * right[2], f"{what}: db", of=of, rtol=1e-10, atol=1e-10, mistakes={
        "db is still zero: did the operation get db.T, and not a copy of it?": 0 * right[2]} | ({"A mean over the examples; it is their sum.": scale * right[2] / n} if n > 1 else {}))

def twice(n, size, seed):
    draw = np.random.default_rng(seed)
    x, W, b, g = (draw.normal(size=s) for s in ((n, size), (size, size), (size, 1), (n, size)))
    right = gradients(lambda x, W, b: (x @ W.T + b.T) @ W.T + b.T, g, x, W, b)
    found = in_a_row(x, W, b, g)
    for name, grad in zip(("x", "dW", "db"), right):
        assert_close(found[name], grad, f"a layer with {size} features that is applied twice in a row: {'the gradient of x' if name == 'x' else name}", of="used again", rtol=1e-10, atol=1e-10)

@probe
def methods_of_linear():
    return sorted(method for kind in Linear.__mro__[:-1] for method in vars(kind))

assert_true("__call__" in methods_of_linear(), "Linear has the method __call__", of="output", hint="Is the class written?")
with part(1, "a new layer"):
    new_layer(3, 2, False)
    new_layer(50, 60, True)
    own_arrays(3, 2)
with part(1, "one example"):
    linear_agrees(1, 2, 3, 1, 1)
with part(1, "several examples and walks"):
    linear_agrees(4, 3, 2, 1, 2)
    linear_agrees(4, 3, 2, 3, 3)
    twice(3, 2, 4)
### BEGIN HIDDEN TESTS
with part(1, "other new layers"):
    new_layer(64, 40, True)
    new_layer(1, 4, False)
    own_arrays(2, 5)
with part(1, "other sizes"):
    linear_agrees(5, 3, 2, 1, 941)
    linear_agrees(4, 3, 3, 1, 942)
    linear_agrees(6, 1, 4, 1, 943)
    linear_agrees(5, 3, 2, 2, 944)
    twice(4, 3, 945)
total()
### END HIDDEN TESTS

# %% [markdown] teaches="activation as a recorded operation"
# ## 2. Activations
#
# An activation has no parameter: one input, one output, one operation. Its backward function gets the *input* of the activation, as any backward function does:

# %% teaches="activation as a recorded operation"
class Exponential:
    """exp(x), entry by entry."""
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.exp(x)
        self.autograd_engine.add_operation([x], y, [None], exp_backward)
        return y

engine.zero_grad()
x = np.array([[0., 1.]])
Exponential(engine)(x)
engine.backward(np.array([[1., 10.]]))
print(gradient_of(engine, x))

# %% [markdown]
# At 0 and 1 the slopes are 1 and e, times the gradients 1 and 10 that came from above.
#
# ⚠ *An identity is not harmless.* If it returns `x` itself and records an operation from `x` to `x`, then input and output are one array. An engine that keeps gradients by the array's address adds the gradient of the output to itself: it comes out doubled. So either
# it records nothing, or it returns a copy. For the same reason an activation must not work in place: `x[x < 0] = 0` changes the values that other operations have recorded.
#
# ⚠ *Large inputs.* $\sigma(x) = 1/(1 + e^{-x})$ overflows inside for $x = -800$, though the result is a plain 0. NumPy warns. There is a form without large numbers: $\sigma(x) = \frac12 (1 + \tanh\frac x2)$.

# %%
with np.errstate(over="ignore"):        # the warning is expected here
    print("exp(800) =", np.exp(800.), "  1 / (1 + exp(800)) =", 1 / (1 + np.exp(800.)), "  by tanh:", 0.5 * (1 + np.tanh(-800 / 2)))

# %% [markdown] task="A.4.2" kind="code" minutes=12 difficulty=2 core=true needs="activation as a recorded operation, add_operation"
# ### Activations
#
# Write the classes `Identity`, `Sigmoid`, `Tanh` and `ReLU`. Each is made with the engine, `Sigmoid(autograd_engine)`, and called with an array of any shape. It returns the function's values and records what it did: as one operation with the
# backward function of A.3, or from primitives. (An `Identity` may also return `x` itself and record nothing.)
#
# **You are done when**
# - **values**: they are right, also for ±800;
# - **recorded**: every activation but `Identity` records at least one operation;
# - **gradients**: that of `x` is right for any gradient of the output (tested between -10 and 10);
# - **own memory**: where something is recorded, the output shares no memory with `x`, and `x` is as it was;
# - **in a row**: several activations one after another have the right gradient.

# %% exercise="A.4.2"
class Identity:
    """x, (…) -> (…)."""
    ### BEGIN SOLUTION
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        return self.record(x, x.copy(), identity_backward)

    def record(self, x, y, backward_operation):
        self.autograd_engine.add_operation([x], y, [None], backward_operation)
        return y


class Sigmoid(Identity):
    """1 / (1 + exp(-x)), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, 0.5 * (1 + np.tanh(x / 2)), sigmoid_backward)


class Tanh(Identity):
    """tanh(x), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, np.tanh(x), tanh_backward)


class ReLU(Identity):
    """max(x, 0), (…) -> (…)."""
    def __call__(self, x):
        return self.record(x, np.maximum(x, 0), relu_backward)
    ### END SOLUTION

# %% [markdown] hints="A.4.2"
# 1. What do the four have in common, and what differs?
# 2. `sigmoid_backward(grad_output, a)` wants the input of the function, so the operation's input is `x`. An `Identity` that records needs an output with memory of its own.
# 3. `class Square`: `y = x * x`, then `add_operation([x, x], y, [None, None], mul_backward)`.

# %% check="A.4.2" points=4
@probe
def activated(name, x, grad_output):
    engine = Autograd()
    out = globals()[name](engine)(x)
    if out is None:
        return out
    recorded = len(engine.operation_list)
    distance = abs(out.__array_interface__["data"][0] - x.__array_interface__["data"][0])
    if recorded == 0:
        engine.add_operation([out], np.array(out), [None], lambda g, a: g)
    engine.backward(grad_output)
    return {"out": out, "grad": gradient_of(engine, x), "recorded": recorded, "distance": distance, "x": x}

@probe
def stacked(x, names, grad_output):
    engine = Autograd()
    first = np.array(x * 1.)
    engine.add_operation([x], first, [None], lambda g, a: g)
    out = first
    for name in names:
        out = globals()[name](engine)(out)
    engine.backward(grad_output)
    return {"out": out, "grad": gradient_of(engine, x)}

FUNCTIONS = {"Identity": lambda t: t * 1, "Sigmoid": torch.sigmoid, "Tanh": torch.tanh, "ReLU": torch.relu}

def activation_agrees(name, x, g, what):
    forward = FUNCTIONS[name]
    (right,) = gradients(forward, g, x)
    found = activated(name, x.copy(), g)
    assert_type(found, dict, f"{name}, {what}: what a call returns", of="values")
    assert_shape(found["out"], x.shape, f"{name}, {what}: the shape of the output", of="values")
    assert_close(found["out"], forward(torch.tensor(x)).numpy(), f"{name}, {what}: the output", of="values", rtol=1e-10, atol=1e-10)
    assert_close(found["x"], x, f"{name}, {what}: x after the call", of="own memory", hint="Work on a new array, not in place.")
    if name != "Identity":
        assert_true(found["recorded"] > 0, f"{name}, {what}: at least one operation is recorded", of="recorded")
    if found["recorded"]:
        assert_true(bool(found["distance"] >= x.nbytes), f"{name}, {what}: it records an operation, and its output has memory of its own", of="own memory",
                    hint="Input and output share one entry of an engine's buffer: return a copy.")
    if float(np.abs(x).max()) > 100:
        return          # made of exponentials, a sigmoid may have a right value and no gradient there
    assert_close(found["grad"], right, f"{name}, {what}: the gradient of x", of="gradients", rtol=1e-10, atol=1e-10, mistakes={
        "No gradient reaches x: is x itself the input of the operation, and what is returned its output?": 0 * right,
        "The gradient of the output does not enter.": gradients(forward, np.ones_like(g), x)[0]})

def row_agrees(names, shape, seed):
    draw = np.random.default_rng(seed)
    x, g = draw.normal(size=shape), draw.normal(size=shape)
    def network(t):
        for name in names:
            t = FUNCTIONS[name](t)
        return t
    found, what = stacked(x, names, g), f"{', '.join(names)} in a row"
    assert_close(found["out"], network(torch.tensor(x)).numpy(), f"{what}: the output", of="in a row", rtol=1e-10, atol=1e-10)
    assert_close(found["grad"], gradients(network, g, x)[0], f"{what}: the gradient of x", of="in a row", rtol=1e-10, atol=1e-10)

@probe
def methods_of_identity():
    return sorted(method for kind in Identity.__mro__[:-1] for method in vars(kind))

assert_true("__call__" in methods_of_identity(), "Identity has the method __call__", of="values", hint="Is the class written?")
with part(2, "one activation"):
    for name in FUNCTIONS:
        activation_agrees(name, np.array([[0.5, -2., 1.25]]), np.array([[1., 3., -0.5]]), "inputs 0.5, -2 and 1.25")
        activation_agrees(name, np.array([800., -800.]), np.array([2., -1.]), "inputs 800 and -800")
with part(1, "in a row"):
    row_agrees(["Tanh", "Sigmoid", "ReLU", "Tanh"], (2, 3), 1)
    row_agrees(["Sigmoid", "Identity", "Tanh"], (2, 2), 2)
### BEGIN HIDDEN TESTS
with part(1, "other inputs"):
    draw = np.random.default_rng(942)
    for name in FUNCTIONS:
        for shape in ((4, 3), (5,), (2, 1, 3)):
            activation_agrees(name, draw.normal(size=shape) * 2, draw.normal(size=shape), f"random inputs of shape {shape}")
        activation_agrees(name, np.array([[-750.], [900.]]), np.array([[1.5], [0.5]]), "inputs -750 and 900")
    row_agrees(["ReLU", "Tanh", "Sigmoid", "ReLU"], (3, 2), 9421)
    row_agrees(["Tanh", "Identity", "Identity", "Sigmoid"], (4,), 9422)
total()
### END HIDDEN TESTS

# %% [markdown] teaches="loss from primitives, number as an array"
# ## 3. A loss from primitives
#
# A loss is a layer whose output is one number. The mean squared error of $\hat Y$ for targets $Y$, both of shape (n, q), is $\frac{1}{nq}\sum (Y - \hat Y)^2$: a difference, a product with itself, a sum, a quotient. Each of these has a backward function, so the loss needs none.
#
# ⚠ The sum of an array is not an array:

# %% teaches="number as an array"
squares = np.array([[4., 9.]])
number = squares.sum()
print(type(number).__name__, "- is it an array?", isinstance(number, np.ndarray))
engine = Autograd()
try:
    engine.add_operation([number], np.sqrt(number), [None], exp_backward)
except TypeError as error:
    print("TypeError:", error)
print("wrapped:", repr(np.array(number)), "of shape", np.array(number).shape)

# %% [markdown]
# A NumPy number has no lasting address, so no engine that works with addresses can find its gradient again. Wrap it: `np.array(number)` is an array of shape (), with one entry. And wrap it *once*: the wrapped array is the output of the one operation and the input of the next.

# %% [markdown] task="A.4.B" kind="answer" minutes=3 difficulty=1 needs="loss from primitives, number as an array"
# ### Shapes on the way
#
# For `y` and `y_hat` of shape (4, 3): hand in `shapes`, a list of the shapes of the four outputs, difference, product, sum, quotient, each a tuple.
#
# **You are done when**
# - **entries**: the shapes of difference and product are right;
# - **numbers**: those of sum and quotient are right, as arrays.

# %% exercise="A.4.B"
### BEGIN SOLUTION
shapes = [(4, 3), (4, 3), (), ()]
### END SOLUTION

# %% [markdown] hints="A.4.B"
# 1. Which of the four work entry by entry?
# 2. The shape of an array with one number and no axis is the empty tuple, `()`.
# 3. For vectors of length 5: (5,), (5,), (), ().

# %% check="A.4.B" points=1
assert_type(shapes, (list, tuple), "shapes", of="entries")
assert_equal(len(shapes), 4, "how many shapes there are", of="entries")
assert_true(all(isinstance(shape, (tuple, list)) for shape in shapes), "each shape is a tuple", of="numbers", hint="The shape of a number as an array is (), an empty tuple.")
assert_equal(len(shapes[0]), 2, "how many axes the difference has", of="entries")
assert_equal(len(shapes[1]), 2, "how many axes the product has", of="entries", hint="It is a product entry by entry.")
assert_true(len(shapes[2]) == 0 and len(shapes[3]) == 0, "sum and quotient hold one number each, without an axis", of="numbers")
### BEGIN HIDDEN TESTS
difference = np.zeros((4, 3)) - np.ones((4, 3))
product = difference * difference
the_sum = np.array(product.sum())
assert_equal([tuple(shape) for shape in shapes[:2]], [difference.shape, product.shape], "the shapes of difference and product", of="entries")
assert_equal([tuple(shape) for shape in shapes[2:]], [the_sum.shape, np.array(the_sum / 12).shape], "the shapes of sum and quotient", of="numbers")
### END HIDDEN TESTS

# %% [markdown] task="A.4.3" kind="code" minutes=12 difficulty=3 needs="loss from primitives, number as an array, add_operation, mean squared error"
# ### The squared error, from primitives
#
# Write the class `MSELoss`. It is made with the engine and called with `(y, y_hat)`, the targets and the network's outputs, two arrays of equal shape. It returns the mean of the squared differences over all entries, keeps it as
# `loss_val`, and records only primitive operations: a difference, a product, a sum, a quotient (or others that do the same). The last operation's output is the loss.
#
# **You are done when**
# - **value**: the mean over *all* entries, without a half;
# - **loss_val**: it holds the value of the last call;
# - **gradient**: that of `y_hat` is right, for a divergence of 1 and for others;
# - **primitives**: at least three operations are recorded.

# %% exercise="A.4.3"
class MSELoss:
    """The mean of (y - y_hat) ** 2 over all entries."""
    ### BEGIN SOLUTION
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        engine = self.autograd_engine
        difference = y - y_hat
        engine.add_operation([y, y_hat], difference, [None, None], sub_backward)
        squares = difference * difference
        engine.add_operation([difference, difference], squares, [None, None], mul_backward)
        sum_of_squares, count = np.array(squares.sum()), np.array(float(squares.size))
        engine.add_operation([squares], sum_of_squares, [None], sum_backward)
        self.loss_val = np.array(sum_of_squares / count)
        engine.add_operation([sum_of_squares, count], self.loss_val, [None, None], div_backward)
        return self.loss_val
    ### END SOLUTION

# %% [markdown] hints="A.4.3"
# 1. Which four operations lead from `y` and `y_hat` to the mean, and what are the inputs of the second?
# 2. `squares.sum()` is a NumPy number: wrap it, `np.array(...)`, before it becomes an input. The number of entries is an array, too.
# 3. The mean of `x`: `s = np.array(x.sum())`, recorded with `[x]` and `sum_backward`, then `m = np.array(s / n)`, recorded with `[s, n]` and `div_backward`.

# %% check="A.4.3" points=3
@probe
def squared(y, y_hat, divergence):
    engine = Autograd()
    loss = MSELoss(engine)
    value = loss(y, y_hat)
    if value is None:
        return value
    engine.backward(divergence)
    return {"value": value, "kept": getattr(loss, "loss_val", "missing"), "grad": gradient_of(engine, y_hat), "count": len(engine.operation_list)}

def mean_squared(y, y_hat):
    return ((y - y_hat) ** 2).mean()

def loss_agrees(y, y_hat, divergence):
    what, n = f"targets and outputs of shape {y.shape}", len(y)
    value = float(mean_squared(torch.tensor(y), torch.tensor(y_hat)))
    right = gradients(lambda t: mean_squared(torch.tensor(y), t), np.array(divergence), y_hat)[0]
    found = squared(y, y_hat, divergence)
    assert_type(found, dict, f"{what}: what the loss returns", of="value")
    assert_close(found["value"], value, f"{what}: the value that the loss returns", of="value", rtol=1e-10, atol=1e-10, mistakes={
        "This is the sum; divide by the number of entries.": value * y.size, "This is the mean over the examples only; take it over all entries.": value * y.size / n,
        "No half here.": value / 2, "The errors are squared before they are averaged.": float((y - y_hat).mean()) ** 2})
    assert_true(not isinstance(found["kept"], (str, type(None))), f"{what}: loss_val is there after the call", of="loss_val")
    assert_close(found["kept"], value, f"{what}: loss_val", of="loss_val", rtol=1e-10, atol=1e-10)
    assert_close(found["grad"], right, f"{what}: the gradient of y_hat for a divergence of {divergence:g}", of="gradient", rtol=1e-10, atol=1e-10,
                 mistakes={"The sign is wrong.": -right, "No gradient reaches y_hat.": 0 * right, "It is half of the right one: the difference is both inputs of the product.": right / 2}
                 | ({"The divergence does not enter.": right / divergence} if divergence != 1 else {}))
    assert_true(found["count"] >= 3, f"{what}: at least three operations are recorded, here {found['count']}", of="primitives")

loss_agrees(np.array([[1., 2.], [0., -1.], [4., 4.]]), np.array([[3., 5.], [0.5, 1.], [-2., 4.]]), 1.)
loss_agrees(np.array([[1., 2., 0.]]), np.array([[3., 5., 0.5]]), -2.5)
### BEGIN HIDDEN TESTS
draw = np.random.default_rng(943)
for shape, divergence in (((4, 3), 1.), ((4, 3), 2.), ((5, 2), 0.3), ((2, 6), 1.), ((3, 3), -1.5)):
    loss_agrees(draw.normal(size=shape), draw.normal(size=shape), divergence)
### END HIDDEN TESTS

# %% [markdown] teaches="cross-entropy as one operation, softmax minus one-hot"
# ## 4. A loss as one operation
#
# For classes the loss is the cross-entropy. With one-hot targets $Y$ and outputs $O$, both of shape (n, q), it is the mean over the $n$ examples of $-\sum_j y_j \log p_j$, where $p = \mathrm{softmax}(o)$. From primitives it would be exp, sum, quotient, log. Look what that does:

# %%
o = np.array([[800., 0., 799.]])
with np.errstate(all="ignore"):         # the warnings are expected here
    p = np.exp(o) / np.exp(o).sum(axis=1, keepdims=True)
    print("by primitives: p =", p, " loss for class 0:", -np.log(p[0, 0]))
shifted = o - o.max(axis=1, keepdims=True)
log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
print("with the largest output subtracted first: loss for class 0:", -log_p[0, 0], " for class 1:", -log_p[0, 1])
print("with 1e-12 added inside the logarithm: loss for class 1:", -np.log(np.exp(log_p[0, 1]) + 1e-12))

# %% [markdown]
# `exp(800)` is infinite, and infinity by infinity is no number. Since $\log p_j = o_j - \log\sum_k e^{o_k}$ (the exponential and the logarithm cancel), one may subtract the largest output from all of them first: nothing changes but the size of the numbers.
#
# ⚠ A small number inside the logarithm, $\log(p + 10^{-12})$, is no remedy. It hides the infinity and makes the loss wrong: for class 1 above the loss is 800.3, and with the small number it would be 27.6, with a gradient of almost 0, just where the network is most wrong.
#
# *The gradient* is short, shorter than that of any part. For one example, $L = -\sum_j y_j o_j + \log\sum_k e^{o_k}$ (since $\sum_j y_j = 1$), so
#
# $$\frac{\partial L}{\partial o_j} = -y_j + \frac{e^{o_j}}{\sum_k e^{o_k}} = p_j - y_j .$$
#
# *Softmax minus one-hot*: what the network says, minus what is true. The mean over the examples divides by $n$, and the gradient that comes from above multiplies. A walk usually begins with 1 there; but a loss may be one of several that are added up with weights, and then it is the weight.
#
# So here one operation with a backward function of its own is better than five: stable, short and fast. Two-class example by hand: outputs (1, 1), class 0. Then $p = (\frac12, \frac12)$, the loss is $\log 2 = 0.6931$, the gradient $(-\frac12, \frac12)$.

# %% [markdown] task="A.4.4" kind="code" minutes=15 difficulty=4 core=true needs="cross-entropy as one operation, softmax minus one-hot, add_operation, max-shift"
# ### Softmax and cross-entropy
#
# Write the class `SoftmaxCrossEntropy`, made with the engine and called with `(y, y_hat)`: one-hot targets and outputs, both (n, q). It returns the loss, keeps it as `loss_val`, and records **one** operation, with a backward function of its own, which you write as well. That function takes
# `(grad_output, y, y_hat)`, and returns `None` for `y`, which needs no gradient (the engine leaves it out).
#
# **You are done when**
# - **value**: the loss is the mean over the examples;
# - **loss_val**: it holds the value of the last call;
# - **one operation**: exactly one is recorded;
# - **gradient**: that of `y_hat` is right for a divergence of 1;
# - **divergence**: and for others;
# - **large outputs**: value and gradient are exact for outputs of ±1,000, also where the loss is large.

# %% exercise="A.4.4"
class SoftmaxCrossEntropy:
    """The mean over the examples of the cross-entropy of one-hot y, (n, q), and logits y_hat, (n, q)."""
    ### BEGIN SOLUTION
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine
        self.loss_val = None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_softmax).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    """None for y, and the gradient of y_hat."""
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)
    ### END SOLUTION

# %% [markdown] hints="A.4.4"
# 1. Which array do the value and the gradient both need, and how is it computed without large exponentials?
# 2. $\log p_j = o_j - m - \log \sum_k e^{o_k - m}$ with $m$ the largest of the $o_k$ *of this example*. The gradient of one example's loss is $p - y$; the mean over the examples and `grad_output` come on top.
# 3. With three equal outputs and class 0: $p$ is (1/3, 1/3, 1/3), the loss $\log 3$, the gradient (-2/3, 1/3, 1/3).

# %% check="A.4.4" points=4
@probe
def entropy(y, y_hat, divergence):
    engine = Autograd()
    loss = SoftmaxCrossEntropy(engine)
    value = loss(y, y_hat)
    if value is None:
        return value
    engine.backward(divergence)
    return {"value": value, "kept": getattr(loss, "loss_val", "missing"), "grad": gradient_of(engine, y_hat), "count": len(engine.operation_list)}

def cross_entropy(y, y_hat):
    return -(y * y_hat.log_softmax(dim=1)).sum() / len(y)

def entropy_agrees(y, y_hat, divergence, what, large=False):
    n, q = y.shape
    value = float(cross_entropy(torch.tensor(y), torch.tensor(y_hat)))
    right = gradients(lambda t: cross_entropy(torch.tensor(y), t), np.array(divergence), y_hat)[0]
    found = entropy(y, y_hat, divergence)
    assert_type(found, dict, f"{what}: what the loss returns", of="value")
    if large:
        assert_close(found["value"], value, f"{what}: the value that the loss returns", of="large outputs", rtol=1e-10, atol=1e-10)
        assert_close(found["grad"], right, f"{what}: the gradient of y_hat", of="large outputs", rtol=1e-10, atol=1e-10)
        return
    assert_close(found["value"], value, f"{what}: the value that the loss returns", of="value", rtol=1e-10, atol=1e-10, mistakes={
        "The mean over the examples, not the sum.": n * value, "The sign is wrong.": -value, "The mean over the examples, not over all entries.": value / q})
    assert_true(not isinstance(found["kept"], (str, type(None))), f"{what}: loss_val is there after the call", of="loss_val")
    assert_close(found["kept"], value, f"{what}: loss_val", of="loss_val", rtol=1e-10, atol=1e-10)
    assert_equal(found["count"], 1, f"{what}: the number of recorded operations", of="one operation")
    assert_close(found["grad"], right, f"{what}: the gradient of y_hat for a divergence of {divergence:g}", of="gradient" if divergence == 1 else "divergence", rtol=1e-10, atol=1e-10, mistakes={
        "Is the mean in the gradient, too? It is n times too large.": n * right, "The sign is wrong.": -right, "No gradient reaches y_hat.": 0 * right}
        | ({"The divergence does not enter.": right / divergence} if divergence != 1 else {}))

@probe
def methods_of_softmaxcrossentropy():
    return sorted(method for kind in SoftmaxCrossEntropy.__mro__[:-1] for method in vars(kind))

assert_true("__call__" in methods_of_softmaxcrossentropy(), "SoftmaxCrossEntropy has the method __call__", of="value", hint="Is the class written?")
with part(2, "a divergence of 1"):
    entropy_agrees(np.eye(3)[[2, 0]], np.array([[3., 3., 1.], [0.5, -1., 2.]]), 1., "2 examples, 3 classes")
    entropy_agrees(np.array([[0., 1.]]), np.array([[-0.5, 2.]]), 1., "1 example, 2 classes")
with part(0.5, "other divergences"):
    entropy_agrees(np.eye(3)[[2, 0]], np.array([[3., 3., 1.], [0.5, -1., 2.]]), -2.5, "2 examples, 3 classes")
with part(0.5, "large outputs"):
    entropy_agrees(np.eye(3)[[0, 1, 2]], np.array([[1000., 0., 999.], [1000., 0., 999.], [-1000., -1001., -1003.]]), 1., "outputs of 1,000 and -1,000, in one case with the wrong class far ahead", large=True)
### BEGIN HIDDEN TESTS
draw = np.random.default_rng(944)
with part(0.5, "other examples"):
    for n, q in ((4, 3), (5, 2), (3, 4)):
        entropy_agrees(np.eye(q)[draw.integers(0, q, n)], 2 * draw.normal(size=(n, q)), 1., f"{n} random examples, {q} classes")
with part(0.5, "other divergences and large outputs"):
    for n, q, divergence in ((4, 3, 0.7), (2, 5, 3.)):
        entropy_agrees(np.eye(q)[draw.integers(0, q, n)], 2 * draw.normal(size=(n, q)), divergence, f"{n} random examples, {q} classes")
    entropy_agrees(np.eye(4)[[3, 1]], np.array([[0., 700., -900., 5.], [-2000., -1500., -1500.5, -1501.]]), 1., "outputs from -2,000 to 700", large=True)
total()
### END HIDDEN TESTS

# %% [markdown]
# ## Summary
#
# - A layer needs no backward pass: it records the arrays that went in, the very array that came out, and where the gradients of its parameters go.
# - Gradients of parameters go into arrays that the operation is handed; a view such as `dW.T` brings them into `dW`.
# - A number that is recorded is an array of shape (), made once.
# - Softmax and cross-entropy are one operation: the largest output is subtracted first, and the gradient is softmax minus one-hot, by the number of examples.
# - What is missing is an optimizer, a loop and data. They come in A.5, and then all of it is yours.
