# %% [markdown]
# # A.4 Layers and losses
#
# A library for networks offers layers: `Linear`, `ReLU`, a loss. Each of them needs a gradient. Does each need a backward pass of its own? With an engine, no. A layer runs simple operations and records them; the walk back comes free. In this section you write the
# layers of a network in that way, and the one loss that is better written as a single operation.
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
                                    lend, matmul_backward, mul_backward, relu_backward, sigmoid_backward, sub_backward, sum_backward, tanh_backward)

# what the page borrows from the book; the layers and the losses are yours to write
lend("Autograd", "add_backward", "div_backward", "exp_backward", "identity_backward", "matmul_backward", "mul_backward", "relu_backward",
     "sigmoid_backward", "sub_backward", "sum_backward", "tanh_backward")

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
# - **start**: `t` and `dt` are two arrays of zeros of shape (1, features);
# - **output**: it is $x + t$, a new array at each call, and `x` is as it was;
# - **one operation**: a call adds one to the engine's list, whose other entries stay, and its output is the very array that the call returns;
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
def new_shift(features):
    layer = Shift(features, Autograd())
    return {"t": np.array(layer.t), "dt": np.array(layer.dt), "shared": int(np.shares_memory(layer.t, layer.dt))}

@probe
def shifted(x, t, grad_output, times):
    engine = Autograd()
    layer, other = Shift(t.shape[1], engine), np.ones(grad_output.shape)
    layer.t[...] = t
    for _ in range(times):
        engine.zero_grad()
        engine.add_operation([other], other + 1, [None], lambda g, a: g)        # of an earlier layer
        earlier = engine.operation_list[0]
        out = layer(x)
        if out is None:
            return out
        recorded = [operation for operation in engine.operation_list if operation is not earlier]
        gone = 1 - (len(engine.operation_list) - len(recorded))
        try:
            engine.backward(grad_output)
        except (ValueError, TypeError) as error:
            if not any(words in str(error) for words in ("returned", "missing", "positional argument")):
                raise
            return {"stopped": f"{type(error).__name__}: {error}"}
    address = [np.asarray(array).__array_interface__["data"][0] for array in (out, *(operation.outputs for operation in recorded))]
    taken = [np.asarray(array).__array_interface__["data"][0] - x.__array_interface__["data"][0] for operation in recorded for array in operation.inputs]
    kept = [int(np.shares_memory(target, layer.dt)) for operation in recorded for target in operation.gradients_to_update if target is not None]
    found = {"taken": taken, "kept": kept, "out": np.array(out), "dt": np.array(layer.dt), "x": gradient_of(engine, x), "after": np.array(x), "address": address, "gone": gone}
    return found | {"shared": int(np.shares_memory(out, layer(x + 1)))}

@probe
def targets_of_shift(x, t):
    engine = Autograd()
    out = Shift(t.shape[1], engine)(x)
    if out is None:
        return out
    return [[list(np.shape(array)), list(np.shape(target))] for operation in engine.operation_list
            for array, target in zip(operation.inputs, operation.gradients_to_update) if target is not None]

def shift_agrees(n, k, times, seed):
    draw = np.random.default_rng(seed)
    x, t, g = draw.normal(size=(n, k)), draw.normal(size=(1, k)), draw.normal(size=(n, k))
    what = f"{n} examples, {k} features" + (f", {times} walks" if times > 1 else "")
    new = new_shift(k)
    for name in ("t", "dt"):
        assert_shape(new[name], (1, k), f"a new layer with {k} features: the shape of {name}", of="start", hint="It has a single row: an axis of length 1, then the features.")
        assert_close(new[name], np.zeros((1, k)), f"a new layer with {k} features: {name}", of="start", hint="It begins with zeros.")
    assert_equal(new["shared"], 0, f"a new layer with {k} features: how many arrays t and dt share", of="start", hint="Each of the two needs an np.zeros of its own.")
    targets = targets_of_shift(x.copy(), t)
    assert_type(targets, list, f"{what}: a call of the layer", of="output")
    for given, place in targets:
        assert_true(place == given, f"{what}: an array in gradients_to_update has the shape of its input, here {tuple(place)} for {tuple(given)}", of="gradient of t",
                    hint="The inputs are x and t as they are. The entry for x is None, that for t is dt.")
    found = shifted(x.copy(), t, g, times)
    assert_type(found, dict, f"{what}: a call of the layer, and the walk", of="output")
    assert_true("stopped" not in found, f"{what}: the walk ends without an error; yours with {found.get('stopped')}", of="gradient of t", hint=
                 f"t was added to each row: its gradient has the shape of t, (1, {k}), and is that of the output, added up over the rows. add_backward does it." if f"for an input of shape (1, {k})" in found.get("stopped", "")
                 else "A backward function is called with the gradient of the output and each recorded input. It returns a gradient for each input, here for x and for t, with the shape of the input.")
    assert_close(found["out"], x + t, f"{what}: the output", of="output", hint="To each row of x the numbers of t are added, once.", mistakes={"This is x - t.": x - t, "This is x t.": x * t, "This is x alone.": x})
    assert_close(found["after"], x, f"{what}: x after the call", of="output", hint="x += t would change x: make a new array.")
    assert_equal(found["shared"], 0, f"{what}: how many of the outputs of two calls share memory", of="output", hint="A new array for each call: one that the layer keeps is overwritten by the next call.")
    assert_equal(found["gone"], 0, f"{what}: how many of the operations that were in the engine's list before the call are gone after it", of="one operation",
                 hint="A call adds to the list. To forget what is in it, the other layers' operations too, is for the one who trains.")
    assert_equal(len(found["address"]) - 1, 1, f"{what}: the number of operations that a call records", of="one operation", hint="A call of the layer has one call of add_operation.")
    assert_true(found["address"][0] == found["address"][-1], f"{what}: what the call returns is the recorded output itself", of="one operation", hint="Return the very array that was recorded, not a copy.")
    assert_close(found["dt"], times * g.sum(axis=0, keepdims=True), f"{what}: dt", of="gradient of t", hint="It is the gradient of the output, added up over the examples, and nothing else.", mistakes={
        "No gradient came: the array that the operation got for t is not dt itself." if targets and not any(found["kept"]) else "No gradient came, though the operation has dt: does the backward function return that of t?" if targets else "No gradient came: all entries of gradients_to_update are None; the one for t is dt.": np.zeros((1, k)), "The sign is wrong: what is added has the slope 1.": -times * g.sum(axis=0, keepdims=True),
        "This is twice the gradient. The engine adds to dt what the backward function returns: nothing else is to add it once more.": 2 * times * g.sum(axis=0, keepdims=True),
        "This is the gradient times x, that of a product.": times * (g * x).sum(axis=0, keepdims=True)}
        | ({"This is the gradient of the last walk alone: they add up.": g.sum(axis=0, keepdims=True)} if times > 1 else {})
        | ({"A mean over the examples; it is their sum.": times * g.mean(axis=0, keepdims=True), "This is the gradient of the first example alone.": times * g[:1]} if n > 1 else {}))
    lost = "No gradient reaches x: x itself is no input of the recorded operation." if 0 not in found["taken"] else "No gradient reaches x, though x itself is recorded: its entry in gradients_to_update is None, and the backward function returns its gradient."
    assert_close(found["x"], g, f"{what}: the gradient of x", of="gradient of x", hint="The slope of x + t by x is 1: x gets what the output has.", mistakes={lost: np.zeros((n, k))}
                 | ({"Every example got the sum over the examples, which is the gradient of t.": np.broadcast_to(g.sum(axis=0), (n, k))} if n > 1 else {}))

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
# - **used again**: several walks add up in `dW` and `db`, and a layer that is applied twice in a row gets both contributions;
# - **own memory**: no operation's output shares memory with one of its inputs, and `x` is as it was.

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
    layers = [Linear(size_in, size_out, Autograd()) for _ in range(4)]
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
def one_call(x, W, b):
    engine = Autograd()
    layer = Linear(W.shape[1], W.shape[0], engine)
    first = [np.array(layer.W), np.array(layer.b)]
    layer.W[...], layer.b[...] = W, b
    before = np.array(x)
    out = layer(x)
    if out is None:
        return out
    recorded, places = engine.operation_list, [np.asarray(array).__array_interface__["data"][0] for array in (out, *(operation.outputs for operation in engine.operation_list))]
    return {"out": np.array(out), "first": first, "change": x - before, "places": places, "last": np.array(recorded[-1].outputs) if recorded else np.array(out),
            "inputs": [np.asarray(array).__array_interface__["data"][0] for array in (x, *(array for operation in recorded for array in operation.inputs))],
            "shared": sum(int(np.shares_memory(operation.outputs, array)) for operation in recorded for array in operation.inputs),
            "shapes": [[list(np.shape(array)), list(np.shape(target))] for operation in recorded
                       for array, target in zip(operation.inputs, operation.gradients_to_update) if target is not None],
            "reached": {name: sum(int(np.shares_memory(target, getattr(layer, name))) for operation in recorded for target in operation.gradients_to_update if target is not None)
                        for name in ("dW", "db")}}

@probe
def passed(x, W, b, grad_output, times):
    engine = Autograd()
    layer = Linear(W.shape[1], W.shape[0], engine)
    layer.W[...], layer.b[...] = W, b
    for i in range(times):
        engine.zero_grad()
        layer(x)
        try:
            engine.backward(grad_output * (i + 1))
        except (ValueError, TypeError) as error:
            if not any(words in str(error) for words in ("do not fit", "returned", "missing", "positional argument")):
                raise
            return {"stopped": f"{type(error).__name__}: {error}"}
    return {"x": gradient_of(engine, x), "dW": layer.dW, "db": layer.db}

@probe
def in_a_row(x, W, b, grad_output):
    engine = Autograd()
    layer = Linear(W.shape[1], W.shape[0], engine)
    layer.W[...], layer.b[...] = W, b
    middle = layer(x)
    recorded = list(engine.operation_list)
    layer(middle)
    stay = sum(any(operation is kept_one for kept_one in engine.operation_list) for operation in recorded)
    engine.backward(grad_output)
    return {"x": gradient_of(engine, x), "dW": layer.dW, "db": layer.db, "gone": len(recorded) - stay,
            "outputs": [np.asarray(operation.outputs).__array_interface__["data"][0] for operation in engine.operation_list]}

def new_layer(size_in, size_out, fill):
    what, bound = f"a new layer with {size_in} inputs and {size_out} outputs", size_in ** -0.5
    both = drawn(size_in, size_out)
    for name, array in both[0].items():
        assert_true(array is not None, f"{what}: {name} is an array, not None", of="attributes", hint="It is made in __init__.")
        assert_shape(array, (size_out, size_in if "W" in name else 1), f"{what}: the shape of {name}", of="attributes",
                     mistakes={f"{name} has a row for each output, and a column for each input.": (size_in, size_out)} if "W" in name else
                     {f"{name} is a column, (out, 1): it has an axis more.": (size_out,), f"{name} is a column, (out, 1), and no row.": (1, size_out)})
        assert_dtype(array, np.float64, f"{what}: the dtype of {name}", of="attributes", hint="np.zeros and np.random.uniform give float64.")
        assert_true(name[0] in "Wb" or not np.any(array), f"{what}: {name} is zero", of="attributes", hint="Gradients and running sums begin with zeros: np.zeros.")
    for name in "Wb":
        all_four = [np.asarray(layer[name]) for layer in both]
        together = np.stack(all_four)
        assert_true(float(np.abs(together).max()) <= bound, f"{what}: the entries of {name} lie within the bound", of="draw", hint=f"The bound is the root of 1 / in, here {bound:.4g}; yours go from {together.min():.4g} to {together.max():.4g}.")
        assert_true(not np.array_equal(all_four[0], all_four[1]), f"{what}: {name} of two layers differ", of="draw", hint=f"{name} is drawn, and each layer draws anew.")
        if fill:
            assert_true(len(np.unique(all_four[0])) > 1, f"{what}: the entries of {name} differ from each other", of="draw", hint="Each entry is drawn by itself.")
            assert_true(float(together.min()) < 0 < float(together.max()), f"{what}: the entries of {name} have both signs", of="draw", hint="The range goes from -bound to bound.")
            assert_true(float(together.max()) > 0.8 * bound and float(together.min()) < -0.8 * bound, f"{what}: the entries of {name} fill the range from -bound to bound", of="draw", hint=f"The bound is the root of 1 / in, here {bound:.4g}; yours go from {together.min():.4g} to {together.max():.4g}.")
            inner = float((np.abs(together) < bound / 2).mean())
            margin = 0.1 if name == "W" else 0.25
            assert_true(abs(inner - 0.5) < margin, f"{what}: about half of the entries of {name} lie in the inner half of the range, here {100 * inner:.0f} %", of="draw", hint="Uniform: every part of the range is equally likely.")
    if fill:
        W, b = (np.asarray(both[0][name]).ravel() for name in "Wb")
        assert_true(len(np.unique(W)) > 0.95 * len(W), f"{what}: each entry of W is drawn by itself; of {len(W)} there are {len(np.unique(W))} different ones", of="draw", hint="np.random.uniform with the shape (out, in) draws each entry.")
        assert_true(len(np.intersect1d(W, b)) < 0.25 * len(b), f"{what}: b is drawn by itself; {len(np.intersect1d(W, b))} of its {len(b)} entries are in W, too", of="draw", hint="W and b are two draws; the same numbers come twice where a seed is set anew between them, or b is cut out of W.")

def own_arrays(size_in, size_out):
    changes = changed_one_by_one(size_in, size_out)
    for k, (name, array) in enumerate(changes.items()):
        digits = f"{round(float(np.asarray(array).flat[0])):06d}"[::-1] if np.size(array) else "000000"
        shares = [other for other, digit in zip(changes, digits) if digit != "0" and other != name]
        assert_close(array, np.full((size_out, size_in if "W" in name else 1), 10. ** k), f"by how much {name} changes when 1, 10, 100, ... are added to the six arrays", of="six arrays",
                     hint=f"{name} and {' and '.join(shares)} share their numbers, as one array with two names does: make an array for each." if shares else f"Another attribute shares the numbers of {name}.")

def one_output(which, x, W, b):
    """A sentence on what a gradient of 1 for a single output of the first example does."""
    for k in range(len(W)):
        single, right = np.zeros((len(x), len(W))), {"x": np.zeros(x.shape), "dW": np.zeros(W.shape), "db": np.zeros(b.shape)}
        single[0, k], right["x"][0], right["dW"][k], right["db"][k] = 1., W[k], x[0], 1.
        yours = passed(x, W, b, single, 1)[which]
        if np.shape(yours) != right[which].shape or not np.allclose(yours, right[which]):
            belongs = {"x": f"the first row is to be row {k} of W, and the others", "dW": f"row {k} is to be the first example, and the other rows", "db": f"entry {k} is to be 1, and the others"}[which]
            return f" Where output {k} of the first example has the gradient 1 and all others 0, {belongs} 0; yours is {np.round(yours, 3).tolist()}."
    return " In a single walk it is right for each output of the first example alone: look at how the examples, or the walks, are put together."

def linear_agrees(n, size_in, size_out, times, seed):
    draw = np.random.default_rng(seed)
    x, W, b, g = (draw.normal(size=s) for s in ((n, size_in), (size_out, size_in), (size_out, 1), (n, size_out)))
    right = gradients(lambda x, W, b: x @ W.T + b.T, g, x, W, b)
    scale, of = times * (times + 1) / 2, "used again" if times > 1 else "gradients"
    what = f"{n} example{'s' * (n > 1)}, {size_in} features, {size_out} outputs" + (f", {times} walks" if times > 1 else "")
    made = one_call(x, W, b)
    assert_type(made, dict, f"{what}: what a call of the layer returns", of="output")
    assert_shape(made["out"], (n, size_out), f"{what}: the shape of the output", of="output", hint="x @ W.T is (n, out), and b.T, (1, out), is added to each of its rows.")
    first_W, first_b = made["first"]
    assert_close(made["out"], x @ W.T + b.T, f"{what}: the output", of="output", rtol=1e-10, atol=1e-10, hint="It is x @ W.T, and to each row of it b.T is added, once.", mistakes={
        "This is the output for the W and b that the layer began with: each call uses those of now.": x @ first_W.T + first_b.T,
        "The bias is not added.": x @ W.T, "Each output has a bias of its own.": x @ W.T + b[0], "The bias is subtracted.": x @ W.T - b.T})
    assert_close(made["change"], 0 * x, f"{what}: by how much a call changes x", of="own memory", hint="Work on new arrays, not in place.")
    assert_equal(made["shared"], 0, f"{what}: how many recorded inputs share memory with their operation's output", of="own memory", hint="An engine with addresses would count this gradient twice: let each operation make a new array.")
    returned, outputs = made["places"][0], made["places"][1:]
    assert_true(len(outputs) > 0, f"{what}: a call records at least one operation", of="gradients", hint="The product and the sum are recorded with add_operation, in the engine that the layer was made with.")
    assert_equal(len(outputs) - len(set(outputs)), 0, f"{what}: how many of the recorded operations have the output of another one", of="gradients", hint="Each operation is recorded once.")
    assert_true(returned in outputs, f"{what}: what the call returns is the output of a recorded operation", of="gradients", hint=
                "Return the very array that was recorded, not a copy: the next call records it as its input." if np.array_equal(made["last"], made["out"]) else
                "The operation that was recorded last has the output x @ W.T. The sum with b.T comes after it, and is to be recorded, too." if np.shape(made["last"]) == (n, size_out) and np.allclose(made["last"], x @ W.T) else
                "The output of the operation that was recorded last has other numbers than what the call returns: the last step is recorded, too.")
    assert_true(returned == outputs[-1], f"{what}: what the call returns is the output of the operation that was recorded last", of="gradients", hint="Operations are recorded in the order in which they run, and the last one gives the result.")
    for given, place in made["shapes"]:
        assert_true(place == given, f"{what}: an array in gradients_to_update has the shape of its input, here {tuple(place)} for {tuple(given)}", of="gradients", hint="An input W.T has its gradient in the shape of W.T: dW.T. An input b.T has it in db.T.")
    found = passed(x, W, b, g, times)
    assert_type(found, dict, f"{what}: a call of the layer, and the walk", of=of)
    assert_true("stopped" not in found, f"{what}: the walk ends without an error; yours with {found.get('stopped')}", of=of, hint=
                 "A backward function gets the recorded inputs, as they are: those of the product x @ W.T are x and W.T, those of the sum are the product and b.T." if "do not fit" in found.get("stopped", "") else
                 "A backward function is called with the gradient of the output and each recorded input. It returns a gradient for each input, with the shape of the input.")
    loose = [k for k, place in enumerate(outputs[:-1], 1) if place not in made["inputs"][1:]]
    lost = "No gradient reaches x: x itself is the input of no recorded operation." if made["inputs"][0] not in made["inputs"][1:] else (
        f"No gradient reaches x: the output of recorded operation {loose[0]} is the input of no later one. Record the very array, not a copy." if loose else
        "No gradient reaches x: are the entries of x and of the product in gradients_to_update None?")
    assert_close(found["x"], times * right[0], f"{what}: the gradient of x", of=of, rtol=1e-10, atol=1e-10, mistakes={lost: 0 * right[0]}
                 | ({"Each example has a gradient of its own here: it is not divided by their number.": times * right[0] / n} if n > 1 else {}),
                 hint=lambda: "For each example it is the gradient of its outputs, times W." + one_output("x", x, W, b))
    def unreached(name, of_what):
        return f"{name} is still zero: its gradient does not come." if made["reached"][name] else (
            f"{name} is still zero: no recorded operation has its array in gradients_to_update. The entry for {of_what}.T is {name}.T, not None and no copy.")
    turned = scale * right[1].T.reshape(right[1].shape)
    assert_close(found["dW"], scale * right[1], f"{what}: dW", of=of, rtol=1e-10, atol=1e-10, hint=lambda: "It has the gradient of each output times each feature, added up over the examples, and nothing else." + one_output("dW", x, W, b), mistakes={
        unreached("dW", "W"): 0 * right[1], "The sign is wrong.": -scale * right[1],
        "This is twice the gradient. The engine adds to dW what the backward function returns: nothing else is to add it once more.": 2 * scale * right[1], "These are the numbers of W.T's gradient, row by row: reshape moves them otherwise than .T.": turned}
        | ({"This is the gradient of the last walk alone: they add up.": times * right[1]} if times > 1 else {})
        | ({"A mean over the examples; it is their sum.": scale * right[1] / n} if n > 1 else {}))
    assert_close(found["db"], scale * right[2], f"{what}: db", of=of, rtol=1e-10, atol=1e-10, hint=lambda: "It has the gradient of each output, added up over the examples, and nothing else." + one_output("db", x, W, b), mistakes={
        unreached("db", "b"): 0 * right[2], "The sign is wrong.": -scale * right[2],
        "This is twice the gradient. The engine adds to db what the backward function returns: nothing else is to add it once more.": 2 * scale * right[2]}
        | ({"This is the gradient of the last walk alone: they add up.": times * right[2]} if times > 1 else {})
        | ({"A mean over the examples; it is their sum.": scale * right[2] / n} if n > 1 else {}))

def twice(n, size, seed):
    draw = np.random.default_rng(seed)
    x, W, b, g = (draw.normal(size=s) for s in ((n, size), (size, size), (size, 1), (n, size)))
    right = gradients(lambda x, W, b: (x @ W.T + b.T) @ W.T + b.T, g, x, W, b)
    found = in_a_row(x, W, b, g)
    assert_type(found, dict, f"a layer with {size} features that is applied twice in a row: both calls, and the walk", of="used again")
    assert_equal(found["gone"], 0, f"a layer with {size} features that is applied twice in a row: how many operations of the first call are gone from the engine's list after the second one", of="used again",
                 hint="A call adds to the list. To forget what is in it, the other layers' operations too, is for the one who trains.")
    assert_equal(len(found["outputs"]) - len(set(found["outputs"])), 0, f"a layer with {size} features that is applied twice in a row: how many of the recorded operations have the output of another one",
                 of="used again", hint="Each call makes new arrays. One that the layer keeps and overwrites is one array, with one gradient, for both calls.")
    for name, grad in zip(("x", "dW", "db"), right):
        assert_close(found[name], grad, f"a layer with {size} features that is applied twice in a row: {'the gradient of x' if name == 'x' else name}", of="used again", rtol=1e-10, atol=1e-10,
                     hint="What one call recorded must hold after the next one: a backward function uses the inputs that it is handed, nothing in self that each call overwrites.")

@probe
def methods_of_linear():
    return sorted(method for kind in Linear.__mro__[:-1] for method in vars(kind))

assert_true("__call__" in methods_of_linear(), "Linear has the method __call__", of="output", hint="Is the class written?")
with part(1, "a new layer"):
    new_layer(3, 2, False)
    new_layer(50, 30, True)
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
# %%
x = np.array([3.])
y = x                                                   # an identity that returns its input
address_of_x, address_of_y = (array.__array_interface__["data"][0] for array in (x, y))
buffer = {address_of_y: 1.}                             # an engine's buffer: the gradient of y is 1
buffer[address_of_x] += 1.                              # the walk hands it on to x
print("the gradient of x by such an engine:", buffer[address_of_x], " the right one: 1.0")

# %% [markdown]
# ⚠ *Large inputs.* $\sigma(x) = 1/(1 + e^{-x})$ overflows inside for $x = -800$, though the result is a plain 0. NumPy warns. There is a form without large numbers: $\sigma(x) = \frac12 (1 + \tanh\frac x2)$. (It has a price: below about -38 it gives exactly 0, and no longer the tiny true value. Here that does no harm.)

# %%
with np.errstate(over="ignore"):        # the warning is expected here
    print("exp(800) =", np.exp(800.), "  1 / (1 + exp(800)) =", 1 / (1 + np.exp(800.)), "  by tanh:", 0.5 * (1 + np.tanh(-800 / 2)))

# %% [markdown] task="A.4.2" kind="code" minutes=12 difficulty=2 core=true needs="activation as a recorded operation, add_operation"
# ### Activations
#
# Write the classes `Identity`, `Sigmoid`, `Tanh` and `ReLU`. Each is made with the engine, `Sigmoid(autograd_engine)`, and called with an array of one axis or more. It returns the function's values and records what it did: as one operation with the
# backward function of A.3, or from primitives. (An `Identity` may also return `x` itself and record nothing.)
#
# **You are done when**
# - **values**: they are right, also for ±800;
# - **recorded**: every activation but `Identity` records at least one operation, each of them once;
# - **gradients**: that of `x` is right for any gradient of the output (tested between -10 and 10);
# - **own memory**: where something is recorded, the output shares no memory with `x`, and `x` is as it was;
# - **in a row**: several activations one after another have the right gradient;
# - **used twice**: one activation that is called with two arrays before the walk has the right gradients of both.

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
    with np.errstate(all="ignore"):     # a sigmoid may overflow inside, and be right
        out = globals()[name](engine)(x)
    if out is None:
        return out
    recorded = len(engine.operation_list)
    places = [[np.asarray(array).__array_interface__["data"][0] for array in arrays] for arrays in (
        (x, out), [array for operation in engine.operation_list for array in operation.inputs], [operation.outputs for operation in engine.operation_list])]
    distance = abs(out.__array_interface__["data"][0] - x.__array_interface__["data"][0])
    if recorded == 0:
        engine.add_operation([out], np.array(out), [None], lambda g, a: g)
    with np.errstate(all="ignore"):
        engine.backward(grad_output)
    arrays = sum(target is not None for operation in engine.operation_list for target in operation.gradients_to_update)
    return {"out": out, "grad": gradient_of(engine, x), "recorded": recorded, "distance": distance, "x": x, "places": places, "arrays": arrays}

@probe
def stacked(x, names, grad_output):
    engine = Autograd()
    first = np.array(x * 1.)
    engine.add_operation([x], first, [None], lambda g, a: g)
    out, gone, counts = first, 0, []
    for name in names:
        recorded = list(engine.operation_list)
        out = globals()[name](engine)(out)
        if out is None:
            return out
        gone += len(recorded) - sum(any(operation is kept_one for kept_one in engine.operation_list) for operation in recorded)
        counts.append(len(engine.operation_list) - len(recorded))
    engine.backward(grad_output)
    return {"out": out, "grad": gradient_of(engine, x), "gone": gone, "counts": counts}

@probe
def used_twice(name, x, z, grad_output, objects):
    engine = Autograd()
    made = [globals()[name](engine) for _ in range(objects)]
    first = made[0](x)
    if first is None:
        return first
    counts = [len(engine.operation_list)]
    second = made[-1](z)
    counts.append(len(engine.operation_list) - counts[0])
    total = first + 2 * second
    engine.add_operation([first, second], total, [None, None], lambda g, a, b: (g, 2 * g))
    engine.backward(grad_output)
    return {"total": total, "x": gradient_of(engine, x), "z": gradient_of(engine, z), "counts": counts}

def where_cut_off(name, out):
    """Where a sigmoid or tanh has these values, if it has them at all."""
    if name not in ("Sigmoid", "Tanh") or not bool(((out > (0 if name == "Sigmoid" else -1)) & (out < 1)).all()):
        return ""
    places = np.log(out / (1 - out)) if name == "Sigmoid" else np.arctanh(out)
    return f" Yours are those at {' and '.join(f'{place:.4g}' for place in places.ravel())}: is x cut off, by np.clip for one?"

def slope_of(name, x, g, grad, right):
    """A sentence on the slope that the first wrong gradient has."""
    if np.allclose(grad, right, rtol=1e-3, atol=1e-3):
        return "This is near the gradient, and not it: use the slope's formula, in float64."
    slopes, wrong = (grad / g).ravel(), ~np.isclose(grad, right, rtol=1e-10, atol=1e-10).ravel()
    at, slope = x.ravel()[wrong][0], slopes[wrong][0]
    said = f"Entry by entry it is the gradient of the output times the slope of {name} at x. At x = {at:.4g} you have a slope of {slope:.4g}"
    if slope < 0:
        return said + f": {name} never falls where x grows, so no slope is negative. Is there a minus whose operation is not recorded?"
    return said + (f": that of {name} is never above {'1/4' if name == 'Sigmoid' else '1'}." if slope > (0.25 if name == "Sigmoid" else 1) + 1e-9 else ".")

def wrong_alone(names, x, g, what):
    """Which of several activations in a row is wrong by itself, too."""
    for name in dict.fromkeys(names):
        right = FUNCTIONS[name](torch.tensor(x)).numpy() if what == "out" else gradients(FUNCTIONS[name], g, x)[0]
        if not np.allclose(activated(name, x.copy(), g)[what], right, rtol=1e-8, atol=1e-8):
            return f"{name} by itself has {'other values' if what == 'out' else 'another gradient'} than it should, too."
    return "Each of them by itself is right here: does each call record the very array that it got, and return the very array that it recorded?"

FUNCTIONS = {"Identity": lambda t: t * 1, "Sigmoid": torch.sigmoid, "Tanh": torch.tanh, "ReLU": torch.relu}

def activation_agrees(name, x, g, what):
    forward = FUNCTIONS[name]
    (right,) = gradients(forward, g, x)
    found = activated(name, x.copy(), g)
    assert_type(found, dict, f"{name}, {what}: what a call returns", of="values")
    assert_shape(found["out"], x.shape, f"{name}, {what}: the shape of the output", of="values", hint="It acts entry by entry: the output has the shape of x.")
    assert_close(found["x"], x, f"{name}, {what}: x after the call", of="own memory", hint="Work on a new array, not in place.")
    assert_close(found["out"], forward(torch.tensor(x)).numpy(), f"{name}, {what}: the output", of="values", rtol=1e-10, atol=1e-10, mistakes={
        "Sigmoid": {"This is the sigmoid of -x.": forward(-torch.tensor(x)).numpy(), "This is the sigmoid of 2x: in the form with tanh, x is halved.": forward(2 * torch.tensor(x)).numpy()},
        "ReLU": {"This is softplus, a smooth curve; ReLU is exactly 0 below 0, and x above.": np.logaddexp(0, x), "This is the size of x; of a negative number ReLU makes 0.": np.abs(x), "Where x is negative, ReLU is exactly 0; this lets a little through.": np.where(x > 0, x, 0.01 * x),
                 "ReLU keeps the positive numbers, not the negative ones.": np.minimum(x, 0)}}.get(name, {}),
        hint={"ReLU": "It is 0 where x is below 0, and x itself where x is above 0.", "Tanh": "np.tanh gives it.", "Sigmoid": "It is half of 1 + tanh(x / 2).", "Identity": "It has the very numbers of x."}[name] if float(np.abs(x).max()) <= 100 or name in ("ReLU", "Identity") else "Exponentials of large numbers are infinite, and inf / inf is nan; np.tanh never overflows." if not np.isfinite(found["out"]).all()
        else "So far from 0 the sigmoid is 0 or 1, and tanh -1 or 1, in all digits of a float64." + where_cut_off(name, found["out"]))
    if name != "Identity":
        assert_true(found["recorded"] > 0, f"{name}, {what}: at least one operation is recorded", of="recorded", hint="It is recorded in the engine that the activation was made with.")
    (x_place, out_place), inputs, outputs = found["places"]
    if found["recorded"] == 0:
        assert_true(x_place == out_place, f"{name}, {what}: where nothing is recorded in the engine that it was made with, x itself is returned", of="gradients", hint="Nobody finds the way back from a copy that is not recorded.")
    else:
        assert_true(bool(found["distance"] >= x.nbytes), f"{name}, {what}: it records an operation, and its output has memory of its own", of="own memory",
                    hint="Input and output share one entry of an engine's buffer: return a copy.")
        assert_equal(len(outputs) - len(set(outputs)), 0, f"{name}, {what}: how many of the recorded operations have the output of another one", of="recorded",
                     hint="An operation that is recorded twice hands its gradient back twice.")
        assert_true(x_place in inputs, f"{name}, {what}: x itself is an input of a recorded operation", of="gradients", hint="Not a copy of it, and not the output: a backward function gets what went in.")
        assert_true(out_place in outputs, f"{name}, {what}: what is returned is the output of a recorded operation", of="in a row", hint="Return the very array that was recorded, not a copy: the next activation records it as its input.")
    if float(np.abs(x).max()) > 100:
        return          # made of exponentials, a sigmoid may have a right value and no gradient there
    out, known = forward(torch.tensor(x)).numpy(), {
        "No gradient reaches x: its entry in gradients_to_update is an array, to which the gradient was added; x is no parameter, so it is None." if found["arrays"] else
        "No gradient reaches x: does the backward function return its gradient?": 0 * right,
        "The gradient of the output does not enter.": gradients(forward, np.ones_like(g), x)[0]}
    if name in ("Sigmoid", "Tanh"):
        known |= {"This is the slope at the output: the backward functions of A.3 want what went in.": gradients(forward, g, out)[0], "A factor of the slope is missing.": g * out,
                  "The slope of tanh is 1 - tanh², that of the sigmoid s (1 - s).": g * (1 - out), "The slope has a minus: that of tanh is 1 - tanh², that of the sigmoid s (1 - s).": g * (out * (1 + out) if name == "Sigmoid" else 1 + out ** 2),
                  "Here x itself stands in the formula of the slope, where the function's value at x belongs: the slope of tanh is 1 - tanh², that of the sigmoid s (1 - s).":
                  g * (x * (1 - x) if name == "Sigmoid" else 1 - x ** 2),
                  f"This is the slope of {'tanh' if name == 'Sigmoid' else 'the sigmoid'}.": gradients(torch.tanh if name == "Sigmoid" else torch.sigmoid, g, x)[0]}
    if name == "Sigmoid":
        known |= {"Where exp(-x) is recorded with exp_backward, its input is -x, an array of its own, and the operation that makes -x of x is recorded before it.": -g * out ** 2 * np.exp(x),
                  "The minus of -x has no operation of its own: its gradient has a minus, too.": -right}
    if name == "ReLU":
        known["The slope is 1 where x is above 0, whatever the sign of the gradient."] = g * (g > 0)
    if name != "Identity":
        known["This is the gradient of the output, handed on as it is: the slope is missing."] = g
    assert_close(found["grad"], right, f"{name}, {what}: the gradient of x", of="gradients", rtol=1e-10, atol=1e-10, mistakes=known,
                 hint=lambda: slope_of(name, x, g, found["grad"], right))

def row_agrees(names, shape, seed):
    draw = np.random.default_rng(seed)
    x, g = draw.normal(size=shape), draw.normal(size=shape)
    def network(t):
        for name in names:
            t = FUNCTIONS[name](t)
        return t
    what = f"{', '.join(names)} in a row"
    found = stacked(x, names, g)
    assert_type(found, dict, f"{what}: what the calls return", of="values")
    assert_equal(found["gone"], 0, f"{what}: how many operations are gone from the engine's list after a later activation's call", of="in a row",
                 hint="A call adds to the list. To forget what is in it, the other layers' operations too, is for the one who trains.")
    for name, count in zip(names, found["counts"]):
        assert_true(count > 0 or name == "Identity", f"{what}: {name} records at least one operation", of="recorded", hint="It is recorded in the engine that the activation was made with.")
    assert_close(found["out"], network(torch.tensor(x)).numpy(), f"{what}: the output", of="in a row", rtol=1e-10, atol=1e-10, hint=lambda: wrong_alone(names, x, g, "out"))
    right = gradients(network, g, x)[0]
    assert_close(found["grad"], right, f"{what}: the gradient of x", of="in a row", rtol=1e-10, atol=1e-10, hint=lambda: wrong_alone(names, x, g, "grad"), mistakes={
        "No gradient reaches x: does each call record the very array that it got as an input, and the very array that it returns as the output?": 0 * right})

def twice_agrees(name, shape, seed):
    draw = np.random.default_rng(seed)
    x, z, g = (draw.normal(size=shape) for _ in range(3))
    what = f"{name}, called with x and then with z"
    found = used_twice(name, x, z, g, 1)
    assert_type(found, dict, f"{what}: what the calls return", of="values")
    if name != "Identity":
        assert_true(found["counts"][1] > 0, f"{what}: the second call records an operation, too", of="used twice", hint="Each call records what it did: nothing is left from the first.")
    def total(t, u):
        return FUNCTIONS[name](t) + 2 * FUNCTIONS[name](u)
    value, rights, apart = total(torch.tensor(x), torch.tensor(z)).numpy(), gradients(total, g, x, z), used_twice(name, x, z, g, 2)
    one_for_both = "" if not all(np.allclose(mine, right) for mine, right in zip((apart["total"], apart["x"], apart["z"]), (value, *rights))) else (
        "With an activation for each of the two arrays this is right: what the first call recorded must hold after the second, so keep nothing in self that each call overwrites.")
    assert_close(found["total"], value, f"{what}: the first output plus twice the second", of="used twice", rtol=1e-10, atol=1e-10, hint=one_for_both)
    for place, right in zip("xz", rights):
        assert_close(found[place], right, f"{what}: the gradient of {place} for the first output plus twice the second", of="used twice", rtol=1e-10, atol=1e-10, hint=one_for_both)

@probe
def methods_of_identity():
    return sorted(method for kind in Identity.__mro__[:-1] for method in vars(kind))

assert_true("__call__" in methods_of_identity(), "Identity has the method __call__", of="values", hint="Is the class written?")
with part(2, "one activation"):
    for name in FUNCTIONS:
        activation_agrees(name, np.array([[0.5, -2., 1.25]]), np.array([[1., 3., -0.5]]), "inputs 0.5, -2 and 1.25")
        activation_agrees(name, np.array([800., -800.]), np.array([2., -1.]), "inputs 800 and -800")
        activation_agrees(name, np.array([[0.5], [3.]]), np.array([[2.], [-1.]]), "inputs 0.5 and 3")
        activation_agrees(name, np.array([[[0.5, -1.5]], [[2., -0.75]]]), np.array([[[1., -2.]], [[0.5, 3.]]]), "inputs of shape (2, 1, 2)")
with part(1, "in a row, and used twice"):
    row_agrees(["Tanh", "Sigmoid", "ReLU", "Tanh"], (2, 3), 1)
    row_agrees(["Sigmoid", "Identity", "Tanh"], (2, 2), 2)
    for name in FUNCTIONS:
        twice_agrees(name, (2, 2), 3)
### BEGIN HIDDEN TESTS
with part(1, "other inputs"):
    draw = np.random.default_rng(942)
    for name in FUNCTIONS:
        for shape in ((4, 3), (5,), (2, 1, 3)):
            activation_agrees(name, draw.normal(size=shape) * 2, draw.normal(size=shape), f"random inputs of shape {shape}")
        activation_agrees(name, np.array([[-750.], [900.]]), np.array([[1.5], [0.5]]), "inputs -750 and 900")
        activation_agrees(name, np.array([0.25, 1., 2.]), np.array([1.5, 0.5, -1.]), "inputs 0.25, 1 and 2")
    row_agrees(["ReLU", "Tanh", "Sigmoid", "ReLU"], (3, 2), 9421)
    row_agrees(["Tanh", "Identity", "Identity", "Sigmoid"], (4,), 9422)
    for name in FUNCTIONS:
        twice_agrees(name, (3,), 9423)
total()
### END HIDDEN TESTS

# %% [markdown] teaches="loss from primitives, number as an array"
# ## 3. A loss from primitives
#
# A loss is a layer whose output is one number. The mean squared error of $\hat Y$ for targets $Y$, both of shape (n, q), is $\frac{1}{nq}\sum (Y - \hat Y)^2$: a difference, a product with itself, a sum, a quotient. Each of these has a backward function, so the loss needs none. A product of an array with itself is recorded with this array twice, as both of its inputs: each gets a gradient, and the engine adds the two up.
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
assert_equal(len(shapes), 4, "how many shapes there are", of="entries", hint="Difference, product, sum, quotient: one shape for each, in this order.")
assert_true(not any(isinstance(shape, str) for shape in shapes), "no shape is a string", of="entries", hint="A tuple stands without quotation marks: (2, 5), not \"(2, 5)\".")
assert_true(all(isinstance(shape, (tuple, list)) for shape in shapes), "each shape is a tuple", of="numbers",
            hint="(5) is a plain 5, and (5,) a tuple of one entry. The shape of a number as an array is (), an empty tuple.")
assert_equal(len(shapes[0]), 2, "how many axes the difference has", of="entries", hint="y and y_hat are subtracted entry by entry: the difference has their shape.")
assert_equal(shapes[0][0] * shapes[0][1], 12, "how many entries the difference has", of="entries", hint="y and y_hat, each of shape (4, 3), are subtracted entry by entry.")
assert_true(tuple(shapes[0]) != (3, 4), "the axes of the difference stand in the order of those of y and y_hat", of="entries", hint="They have 4 rows and 3 columns, and so has the difference.")
assert_equal(len(shapes[1]), 2, "how many axes the product has", of="entries", hint="It is a product entry by entry.")
assert_true(tuple(shapes[1]) == tuple(shapes[0]), "the product of the difference with itself has the difference's shape", of="entries", hint="It is a product entry by entry, no matrix product.")
for name, shape, rule in (("sum, the third", shapes[2], "The sum goes over all entries."), ("quotient, the fourth", shapes[3], "The sum, a single number, is divided by the number of entries.")):
    assert_true(len(shape) == 0, f"the {name} shape, is that of one number without an axis; here {tuple(shape)}", of="numbers",
                hint="It holds one number, but has an axis; the shape of an array without one is ()." if all(n == 1 for n in shape) else rule)
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
# Write the class `MSELoss`. It is made with the engine and called with `(y, y_hat)`, the targets and the network's outputs, both of shape (n, q). It returns the mean of the squared differences over all entries, keeps it as
# `loss_val`, and records only primitive operations: a difference, a product, a sum, a quotient (or others that do the same). (What a call returns may be a plain number, too: nothing is computed from it here.)
#
# **You are done when**
# - **value**: the mean over *all* entries, without a half;
# - **loss_val**: it holds the value of the last call;
# - **gradient**: that of `y_hat` is right, for a divergence of 1 and for others;
# - **primitives**: at least three operations are recorded, not counting copies;
# - **last operation**: its output is the loss;
# - **used again**: a second call leaves the gradient of the first as it is;
# - **arguments kept**: `y` and `y_hat` are as they were.

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
def squared(y, y_hat, divergence, again):
    engine = Autograd()
    loss = MSELoss(engine)
    loss(y_hat + 1, 3 * y)          # an earlier batch
    engine.zero_grad()
    before, value = (np.array(y), np.array(y_hat)), loss(y, y_hat)
    if value is None:
        return value
    value, kept = np.array(value), getattr(loss, "loss_val", "missing")
    if value.size - 1:
        return {"value": value}
    kept = kept if isinstance(kept, (str, type(None))) else np.array(kept)
    count = sum(1 for operation in engine.operation_list if not any(np.array_equal(operation.outputs, array) for array in operation.inputs))
    recorded = list(engine.operation_list)
    inputs = [np.asarray(array).__array_interface__["data"][0] for array in (y_hat, *(array for operation in recorded for array in operation.inputs))]
    last = np.array(recorded[-1].outputs if recorded else [])
    loose = [k for k, operation in enumerate(recorded[:-1], 1) if not any(array is operation.outputs for later in recorded[k:] for array in later.inputs)]
    late = sum(int(any(array is later.outputs for later in recorded[k + 1:])) for k, operation in enumerate(recorded) for array in operation.inputs)
    if again:
        loss(y_hat - 2, y + 1)
    stays = sum(any(operation is kept_one for kept_one in engine.operation_list) for operation in recorded)
    outputs = [operation.outputs.__array_interface__["data"][0] for operation in engine.operation_list if isinstance(operation.outputs, np.ndarray)]
    engine.operation_list = recorded            # the walk begins at the first of the two losses
    try:
        engine.backward(divergence)
    except (ValueError, TypeError) as error:
        if not any(words in str(error) for words in ("returned", "missing", "positional argument")):
            raise
        return {"value": value, "kept": kept, "inputs": inputs, "late": late, "change": [y - before[0], y_hat - before[1]], "stopped": f"{type(error).__name__}: {error}"}
    steps = []
    for operation in recorded:
        handed = operation.backward_operation(np.ones(np.shape(operation.outputs)), *operation.inputs)
        handed = handed if isinstance(handed, (tuple, list)) else [handed]
        steps.append([[np.array(array) for array in operation.inputs], np.array(operation.outputs), [np.array([] if gradient is None else gradient) for gradient in handed]])
    first = recorded[0].inputs if recorded else []
    apart = np.array(recorded[0].outputs) - (first[0] - first[1]) if len(first) == 2 and np.shape(first[0]) == np.shape(first[1]) == np.shape(recorded[0].outputs) else np.zeros(1)
    return {"steps": steps, "apart": apart, "value": value, "kept": kept, "grad": gradient_of(engine, y_hat), "count": count, "change": [y - before[0], y_hat - before[1]], "inputs": inputs, "outputs": outputs, "gone": len(recorded) - stays, "last": last, "loose": loose, "late": late}

def mean_squared(y, y_hat):
    return ((y - y_hat) ** 2).mean()

KINDS = {2: {"its first input minus the second": lambda a, b: a - b, "its second input minus the first": lambda a, b: b - a, "the sum of its inputs": lambda a, b: a + b,
             "the product of its inputs": lambda a, b: a * b, "its first input divided by the second": lambda a, b: a / b, "its second input divided by the first": lambda a, b: b / a},
         1: {"the sum of its input's entries": lambda a: a.sum(), "the mean of its input's entries": lambda a: a.mean(), "the square of its input": lambda a: a * a}}

def which_operation(steps):
    """The first recorded operation whose backward function is that of another one."""
    for k, (inputs, output, handed) in enumerate(steps, 1):
        with np.errstate(all="ignore"):                     # some of the quotients are by 0
            fits = [(kind, f) for kind, f in KINDS.get(len(inputs), {}).items() if np.shape(value := f(*inputs)) == output.shape and np.allclose(value, output)]
        right = [gradients(f, np.ones(output.shape), *inputs) for _, f in fits]
        if fits and not any(all(mine.size == 0 or np.allclose(mine, theirs) for mine, theirs in zip(handed, found)) for found in right):       # no entries: None
            return f" The output of recorded operation {k} is {fits[0][0]}; its backward function hands on other gradients than those of that."
    return ""

def loss_agrees(y, y_hat, divergence):
    what, n = f"targets and outputs of shape {y.shape}", len(y)
    value = float(mean_squared(torch.tensor(y), torch.tensor(y_hat)))
    right = gradients(lambda t: mean_squared(torch.tensor(y), t), np.array(divergence), y_hat)[0]
    earlier = float(mean_squared(torch.tensor(y_hat + 1), torch.tensor(3 * y)))
    found = squared(y.copy(), y_hat.copy(), divergence, 0)
    assert_type(found, dict, f"{what}: what the loss returns", of="value")
    assert_equal(np.size(found["value"]), 1, f"{what}: how many numbers the loss returns", of="value", hint="The mean goes over all entries.")
    near = "Near, but not to all digits of a float64: is something float32 on the way, or is a small number added?"
    assert_close(found["value"], value, f"{what}: the value that the loss returns", of="value", rtol=1e-10, atol=1e-10, hint=near if np.allclose(found["value"], value, rtol=1e-5) else "It is the mean of the squared differences over all entries.", mistakes={
        "This is the sum; divide by the number of entries.": value * y.size, "This is the mean over the examples only; take it over all entries.": value * y.size / n,
        "No half here.": value / 2, "Divide by the number of entries, not by one less.": value * y.size / (y.size - 1), "These are the sizes of the errors, not their squares.": float(np.abs(y - y_hat).mean()), "The mean is over all entries; here the sum is divided by the number of columns.": value * n, "No root is taken.": value ** 0.5, "The errors are squared before they are averaged.": float((y - y_hat).mean()) ** 2}
        | ({"The sum is divided by 6 here; divide by the number of this batch's entries.": value * y.size / 6} if y.size != 6 else {}))
    assert_true(not isinstance(found["kept"], (str, type(None))), f"{what}: loss_val is there after the call", of="loss_val", hint="Keep the value in self.loss_val.")
    assert_close(found["kept"], value, f"{what}: loss_val after this call, the second one", of="loss_val", rtol=1e-10, atol=1e-10, hint="It is the number that this call returned.",
                 mistakes={"This is the value of the first call: each call sets loss_val.": earlier, "This is the sum of the values of both calls.": earlier + value, "This is the sum, not the mean.": value * y.size})
    for name, change in zip(("y", "y_hat"), found["change"]):
        assert_close(change, 0 * y, f"{what}: by how much a call and a walk change {name}", of="arguments kept", hint="Work on new arrays, not in place.")
    assert_true(found["inputs"][0] in found["inputs"][1:], f"{what}: y_hat itself is an input of a recorded operation", of="gradient", hint="A copy would get the gradient in its place.")
    assert_equal(found["late"], 0, f"{what}: how many recorded inputs are the output of an operation that is recorded later", of="gradient", hint="Operations are recorded in the order in which they run.")
    assert_true("stopped" not in found, f"{what}: the walk ends without an error; yours with {found.get('stopped')}", of="gradient",
                 hint="A backward function is called with the gradient of the output and each recorded input, and returns a gradient for each: sub_backward, mul_backward and div_backward"
                 " want two inputs, sum_backward one. A product of an array with itself has this array as both inputs.")
    assert_close(found["grad"], right, f"{what}: the gradient of y_hat for a divergence of {divergence:g}", of="gradient", rtol=1e-10, atol=1e-10,
                 hint=lambda: "It is 2 (y_hat - y), divided by the number of entries, times the divergence: which of the recorded operations hands on something else?" + which_operation(found["steps"]),
                 mistakes={"The sign is wrong: the inputs of the recorded difference stand in another order than in the difference." if np.any(found["apart"]) else "The sign is wrong.": -right, "It is half of the right one: in a square the difference stands twice.": right / 2,
                           f"No gradient reaches y_hat: the output of recorded operation {found['loose'][0]} is the input of no later one. A number is wrapped once, and that very array is recorded both times."
                           if found["loose"] else "No gradient reaches y_hat: are the entries of y_hat and of what comes from it in gradients_to_update None?": 0 * right,
                           "The derivative of the error is the error's square here: the square is taken in place, so that the recorded difference holds squares.": -divergence * 2 * (y - y_hat) ** 2 / y.size,
                           "It is as many times too large as there are entries: is the quotient recorded, and does each backward function use the gradient that it gets?": right * y.size}
                 | ({"The recorded quotient divides by another number than the computed one, the number of rows.": right * y.size / n} if n > 1 and y.shape[1] != 2 else {})
                 | ({"The divergence does not enter.": right / divergence} if divergence != 1 else {}))
    assert_true(found["count"] >= 3, f"{what}: at least three operations are recorded that are no copies, here {found['count']}", of="primitives", hint="A difference, a product, a sum and a quotient: each is computed by itself, and recorded by an add_operation of its own.")
    assert_equal(np.size(found["last"]), 1, f"{what}: how many numbers the output of the operation that was recorded last holds", of="last operation", hint="It is the loss, one number.")
    assert_close(np.reshape(found["last"], -1)[0], value, f"{what}: the output of the operation that was recorded last", of="last operation", rtol=1e-10, atol=1e-10, hint="It is the number that the call returned.",
                 mistakes={"This is the sum; the mean is recorded as the last output.": value * y.size})
    found = squared(y.copy(), y_hat.copy(), divergence, 1)
    assert_equal(found["gone"], 0, f"{what}: how many operations of the first call are gone from the engine's list after a second one", of="used again",
                 hint="A call adds to the list. To forget what is in it, the network's operations too, is for the one who trains.")
    assert_equal(len(found["outputs"]) - len(set(found["outputs"])), 0, f"{what}: how many of the operations that two calls record have the output of another one", of="used again",
                 hint="Each operation is recorded once, and each call makes new arrays.")
    assert_close(found["grad"], right, f"{what}: the gradient of y_hat where the loss is called once more before the walk from this call's value", of="used again", rtol=1e-10, atol=1e-10,
                 hint="What one call recorded must hold after the next one: nothing that is kept in self and overwritten.")

loss_agrees(np.array([[1., 2., 0.], [-1., 4., 4.]]), np.array([[3., 5., 0.3], [1., -2., 7.]]), 1.)
loss_agrees(np.array([[1., 2., 0., -1.]]), np.array([[3., 5., 0.3, 3.]]), -2.5)
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
# Write the class `SoftmaxCrossEntropy`, made with the engine and called with `(y, y_hat)`: one-hot targets and outputs, both (n, q). It returns the loss, keeps it as `loss_val`, and records **one** operation, with a backward function of its own, which you write as well. (Here, too, a call may return a plain number.) That function takes
# `(grad_output, y, y_hat)`. For `y`, which needs no gradient, it returns `None` (the engine leaves it out) or zeros.
#
# **You are done when**
# - **value**: the loss is the mean over the examples;
# - **loss_val**: it holds the value of the last call;
# - **one operation**: exactly one is recorded; `y` and `y_hat` are its inputs, the loss is its output;
# - **gradient**: that of `y_hat` is right for a divergence of 1;
# - **divergence**: and for others;
# - **large outputs**: value and gradient are right for outputs of ±1,000, also where the loss is large;
# - **targets**: no gradient but zeros goes to `y`;
# - **used again**: a second call leaves the gradient of the first as it is;
# - **arguments kept**: `y` and `y_hat` are as they were.

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
def entropy_alone(y, y_hat):
    loss = SoftmaxCrossEntropy(Autograd())
    loss(y[::-1].copy(), y_hat + y)         # an earlier batch
    value, kept = loss(y, y_hat), getattr(loss, "loss_val", "missing")
    if value is None:
        return value
    return {"value": np.array(value), "kept": kept if isinstance(kept, (str, type(None))) else np.array(kept)}

@probe
def entropy(y, y_hat, divergence, again):
    engine = Autograd()
    loss = SoftmaxCrossEntropy(engine)
    loss(y[::-1].copy(), y_hat + y)         # an earlier batch
    engine.zero_grad()
    before = (np.array(y), np.array(y_hat))
    loss(y, y_hat)
    recorded = list(engine.operation_list)
    address = [[array.__array_interface__["data"][0] for array in arrays] for arrays in ([y, y_hat], *(operation.inputs for operation in recorded))]
    stays, last = len(recorded), np.array(recorded[-1].outputs if recorded else [])
    if again:
        loss(y[::-1].copy(), -y_hat)
        stays = sum(any(operation is kept_one for kept_one in engine.operation_list) for operation in recorded)
        engine.operation_list = recorded    # the walk begins at the first of the two losses
    engine.backward(divergence)
    return {"gone": len(recorded) - stays, "last": last, "grad": gradient_of(engine, y_hat), "y": gradient_of(engine, y), "address": address, "change": [y - before[0], y_hat - before[1]]}

def cross_entropy(y, y_hat):
    return -(y * y_hat.log_softmax(dim=1)).sum() / len(y)

def rows_of(grad):
    """A sentence on the sums of the rows of a gradient."""
    sums = grad.sum(axis=1)
    if not np.isfinite(sums).all() or np.allclose(sums, 0, atol=1e-9):
        return ""
    return f" In each row p adds up to 1, and so does y: the rows of p - y add up to 0. Of yours one adds up to {sums[np.abs(sums).argmax()]:.4g}."

def of_large_outputs(y, y_hat):
    """What single examples say about a wrong value for large outputs."""
    alone = [entropy_alone(y[[i]], y_hat[[i]])["value"] for i in range(len(y))]
    if np.allclose(alone, [float(cross_entropy(torch.tensor(y[[i]]), torch.tensor(y_hat[[i]]))) for i in range(len(y))], rtol=1e-8, atol=1e-8):
        return "Each of these examples alone is right: from each its own largest output is subtracted, not one number from all."
    far = float(entropy_alone(np.array([[0., 1., 0.]]), np.array([[1000., -1000., -1000.]]))["value"])
    if abs(entropy_alone(np.array([[1., 0., 0.]]), np.array([[1000., -1000., -1000.]]))["value"]) < 1e-8:
        return "Where the true class is far ahead it is right, too. Where it is far behind, " + (
            f"yours is {far:.4g}, as if p were {np.exp(-far):.1g}, where p is 0 to all digits. " if far < 700 else "p is rounded to 0. ") + "Compute log p as a difference, not as the logarithm of p."
    equal = float(entropy_alone(np.array([[1., 0., 0.]]), np.array([[1000., 1000., 1000.]]))["value"])
    one_of_many = np.eye(100)[[0]]
    if abs(equal - np.log(3)) < 1e-8 and abs(float(entropy_alone(one_of_many, 740 * one_of_many)["value"])) < 1e-8:
        return "For three equal outputs of 1,000 it is right, too. For others p is rounded to 0: compute log p as a difference, not as the logarithm of p."
    if abs(equal - np.log(3)) < 1e-8:
        return "For three equal outputs of 1,000 it is right, but not for 740 and 99 zeros: what is subtracted from each example is its own largest output."
    return f"For three equal outputs of 1,000 it is log 3, and yours is {equal:.4g}: subtract from each example its own largest output before an exponential is taken."

def entropy_agrees(y, y_hat, divergence, what, large=False):
    n, q = y.shape
    value = float(cross_entropy(torch.tensor(y), torch.tensor(y_hat)))
    right = gradients(lambda t: cross_entropy(torch.tensor(y), t), np.array(divergence), y_hat)[0]
    of = "large outputs" if large else "value"
    alone = entropy_alone(y.copy(), y_hat.copy())
    assert_type(alone, dict, f"{what}: what the loss returns", of=of)
    earlier = float(cross_entropy(torch.tensor(y[::-1].copy()), torch.tensor(y_hat + y)))
    log_p, other = torch.tensor(y_hat).log_softmax(dim=1).numpy(), torch.tensor(y_hat).log_softmax(dim=0).numpy()
    tame = y_hat / 1000 if large else y_hat
    tame_value, tame_right = float(cross_entropy(torch.tensor(y), torch.tensor(tame))), gradients(lambda t: cross_entropy(torch.tensor(y), t), np.array(divergence), tame)[0]
    tame_alone = entropy_alone(y.copy(), tame) if large else alone
    shifted = y_hat - y_hat.max(axis=1, keepdims=True)
    mixed = -float((y * (shifted - np.log2(np.exp(shifted).sum(axis=1, keepdims=True)))).sum()) / n
    near = "Near, but not to all digits of a float64: is something float32 on the way, or is a small number added?"
    assert_close(alone["value"], value, f"{what}: the value that the loss returns", of=of, rtol=1e-10, atol=1e-10, hint=near if np.allclose(alone["value"], value, rtol=1e-5, atol=0)
                 else "" if large and not np.allclose(tame_alone["value"], tame_value, rtol=1e-8, atol=1e-8) else "It is the mean over the examples of minus log p of the true class." if not large else
                 lambda: f"With outputs a thousand times smaller the value is right. {of_large_outputs(y, y_hat)}", mistakes={} if large else {
        "The mean over the examples, not the sum.": n * value, "The sign is wrong.": -value, "The mean over the examples, not over all entries.": value / q,
        "The logarithm is the natural one.": value / np.log(2), "The logarithm of the sum of exponentials is the natural one.": mixed, "This is the sum of the values of both calls.": earlier + value,
        "The largest output m is subtracted under the logarithm's sum or before it, not in both places: log p is o - m, minus the logarithm of the sum of exp(o - m).":
        value + float(y_hat.max(axis=1).mean()) * (1 if alone["value"] > value else -1),
        "The logarithm of p is asked, not p.": -float((y * np.exp(log_p)).sum()) / n, "Softmax goes over the classes of an example: axis 1.": -float((y * other).sum()) / n,
        "The true class counts, which y names, whichever has the largest output.": -float(log_p.max(axis=1).sum()) / n,
        "Only the true class has a term: where y is 0 nothing is added, so log(1 - p) has no place here.": -float((y * log_p + (1 - y) * np.log1p(-np.exp(log_p))).sum()) / n,
        "The first argument is the targets, the second one the outputs.": float(cross_entropy(torch.tensor(y_hat), torch.tensor(y)))} | ({"The sum is divided by the number of classes, not of examples.": n * value / q} if n != q else {}))
    if large:
        found = entropy(y.copy(), y_hat.copy(), divergence, 0)
        assert_type(found, dict, f"{what}: a call of the loss, and the walk", of="large outputs")
        assert_close(found["grad"], right, f"{what}: the gradient of y_hat", of="large outputs", rtol=1e-10, atol=1e-10,
                     hint=lambda: "" if not np.allclose(entropy(y.copy(), tame, divergence, 0)["grad"], tame_right, rtol=1e-8, atol=1e-8) else
                     "With outputs a thousand times smaller the gradient is right. The backward function, too, subtracts from each example its own largest output before an exponential is taken.")
        return
    assert_true(not isinstance(alone["kept"], (str, type(None))), f"{what}: loss_val is there after the call", of="loss_val", hint="Keep the value in self.loss_val.")
    assert_close(alone["kept"], value, f"{what}: loss_val after this call, the second one", of="loss_val", rtol=1e-10, atol=1e-10, hint="It is the number that this call returned.",
                 mistakes={"This is the value of the first call: each call sets loss_val.": earlier, "This is the sum of the values of both calls.": earlier + value} | ({"This is the sum over the examples.": n * value} if n > 1 else {}))
    found = entropy(y.copy(), y_hat.copy(), divergence, 0)
    assert_type(found, dict, f"{what}: a call of the loss, and the walk", of="gradient" if divergence == 1 else "divergence")
    p, e = np.exp(log_p), np.exp(y_hat)
    own = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    assert_equal(len(found["address"]) - 1, 1, f"{what}: the number of recorded operations", of="one operation", hint=
                 "A call of the loss calls add_operation once: its steps in between are not recorded." if len(found["address"]) > 1 else "A call of the loss calls add_operation, once.")
    assert_true(sorted(found["address"][1]) == sorted(found["address"][0]), f"{what}: the inputs of the recorded operation are y and y_hat themselves", of="one operation", hint="Both of them, and no copies.")
    assert_equal(np.size(found["last"]), 1, f"{what}: how many numbers the recorded output holds", of="one operation", hint="It is the loss, one number.")
    assert_close(np.reshape(found["last"], -1)[0], value, f"{what}: the recorded output", of="one operation", rtol=1e-10, atol=1e-10, hint="It is the number that the call returns.",
                 mistakes={"This is the sum over the examples; the recorded output is the mean.": n * value} if n > 1 else {})
    assert_close(found["grad"], right, f"{what}: the gradient of y_hat for a divergence of {divergence:g}", of="gradient" if divergence == 1 else "divergence", rtol=1e-10, atol=1e-10, hint=lambda:
                 "It is softmax minus target, times the divergence, divided by the number of examples." + rows_of(found["grad"]), mistakes={
        "Softmax minus target is the whole gradient by the outputs: here it is multiplied by softmax once more.": right * p,
        "Softmax minus target is the whole gradient by the outputs: here it is multiplied by p (1 - p), the slope of a sigmoid, once more.": right * p * (1 - p),
        "Only the true class has a gradient here: the other classes have one, too, p.": right * y, "The true class has no gradient here: it is p - 1.": right * (1 - y),
        "The sign is wrong: it is softmax minus target.": -right, "No gradient reaches y_hat: of the pair, the second gradient is that of y_hat.": 0 * right, "It is divided by the number of all entries, not of examples.": right / q,
        "This is softmax alone: the one-hot target is subtracted.": divergence * p / n, "This is the target's part alone: softmax is missing.": -divergence * y / n,
        "Here 1 is subtracted from every class. Subtract the one-hot target: only the true class has a 1.": divergence * (p - 1) / n,
        "This is the slope of a sigmoid; softmax and cross-entropy together have softmax minus one-hot.": divergence * p * (1 - p) / n,
        "This is the derivative by p, not by the outputs.": -divergence * y / p / n, "Softmax goes over the classes of an example: axis 1.": divergence * (np.exp(other) - y) / n}
        | ({"Is the mean in the gradient, too? It is n times too large.": n * right, "The exponentials are added up over the classes of each example, not over all of them.": divergence * (e / e.sum() - y) / n,
            "The largest output is subtracted for each example, but the exponentials are added up over all of them.": divergence * (own / own.sum() - y) / n} if n > 1 else {})
        | ({"The divergence does not enter.": right / divergence, "Only the sign of the divergence enters.": right / abs(divergence), "The divergence multiplies the whole difference, softmax minus target.": (divergence * p - y) / n,
            "The divergence multiplies, it is not added.": right / divergence + (divergence - 1) / n} if divergence < 0 else {}))
    assert_close(found["y"], 0 * y, f"{what}: the gradient of y", of="targets", hint="Return None in its place.")
    for name, change in zip(("y", "y_hat"), found["change"]):
        assert_close(change, 0 * y, f"{what}: by how much a call and a walk change {name}", of="arguments kept", hint="Work on new arrays, not in place.")
    found = entropy(y.copy(), y_hat.copy(), divergence, 1)
    assert_equal(found["gone"], 0, f"{what}: how many operations of the first call are gone from the engine's list after a second one", of="used again",
                 hint="A call adds to the list. To forget what is in it, the network's operations too, is for the one who trains.")
    assert_close(found["grad"], right, f"{what}: the gradient of y_hat where the loss is called once more before the walk from this call's value", of="used again", rtol=1e-10, atol=1e-10,
                 hint="What one call recorded must hold after the next one: nothing that is kept in self and overwritten.")

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
    entropy_agrees(np.eye(3)[[0, 1, 2, 0]], np.array([[1000., 0., 999.], [1000., 0., 999.], [-1000., -1001., -1003.], [1000., -1000., -1000.]]), 1.,
                   "outputs of 1,000 and -1,000, in one case with the wrong class far ahead", large=True)
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
