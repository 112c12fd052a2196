# %% [markdown]
# # A.5 A network that learns
#
# An engine (A.2), backward functions (A.3), layers and losses (A.4): all parts are there. What is missing is the use of them: an optimizer, a training
# loop, data. At the end of this page your own parts, and nothing else, learn to tell clothes apart.
#
# At the end you can
# - say what momentum does, and write it as torch has it;
# - write a training loop whose loss is a mean over examples, with nothing left over from the batch before;
# - choose a learning rate and a number of passes for real data;
# - split the time of an operation into a fixed part and a part for each number;
# - show a complete library for training, written by yourself, in about 150 lines.

# %% tags=["setup"]
from d2l_utils.check import *
import time
from types import SimpleNamespace
import d2l_utils as d2l
from d2l_utils import engine_parts
import numpy as np
import torch

torch.set_num_threads(1)        # small products: several threads would wait for each other
engine_parts.lend("network", "train_epoch")      # what the page borrows from the book


def page():
    """The names of this page; the checks put a part of the book into it where one of yours is not ready."""
    return globals()

# %% [markdown]
# You need not have finished the pages before. `engine_parts` is a module of the book with an engine, layers and a loss that have the interface of
# yours (torch is inside). Worked code and checks use it, until the last exercise, which uses yours alone.
#
# ## 1. A valley, and momentum
#
# Gradient descent goes downhill by the local slope: $w \leftarrow w - \eta\,\bar w$. (We write $\bar w$ for the gradient $\partial L / \partial w$, and $\eta$ for the learning rate.) What could go wrong with that? Look
# at a narrow valley, $L = \frac12 (w_1^2 + 25 w_2^2)$. Across it is steep, along it is flat. One rate must do for both: what is nearly too large across is still slow along.

# %% teaches="stochastic gradient descent with momentum"
def descend(lr, momentum, steps=25):
    """The places on the way down, (steps + 1, 2)."""
    w, v, places = np.array([9., 1.]), np.zeros(2), []
    for _ in range(steps):
        places.append(w)
        gradient = np.array([1., 25.]) * w
        v = momentum * v + gradient             # a running sum that forgets
        w = w - lr * v
    return np.array(places + [w])

for momentum in (0., 0.5):
    end = descend(0.075, momentum)[-1]
    print(f"momentum {momentum}: after 25 steps at ({end[0]:.3f}, {end[1]:.3f}), L = {0.5 * (end[0] ** 2 + 25 * end[1] ** 2):.4f}")

# %% tags=["demo"]
figure, axes = d2l.plt.subplots(1, 2, figsize=(8, 2.4), layout="constrained", sharey=True)
w1, w2 = np.meshgrid(np.linspace(-5, 10, 100), np.linspace(-1.5, 1.5, 60))
for ax, momentum in zip(axes, (0., 0.5)):
    path = descend(0.075, momentum)
    ax.contour(w1, w2, 0.5 * (w1 ** 2 + 25 * w2 ** 2), levels=[1, 4, 10, 20, 35, 60], colors="silver", linewidths=0.8)
    ax.plot(path[:, 0], path[:, 1], "o-", markersize=3, linewidth=1)
    ax.set(title=f"momentum {momentum}", xlabel="$w_1$")
axes[0].set_ylabel("$w_2$")
d2l.plt.show()

# %% [markdown] teaches="stochastic gradient descent with momentum"
# On the left each step goes too far across the valley, and the next one comes back: $w_2$ changes its sign 25 times. Along the valley the way is not done, $w_1$ is still 1.282. On the right, with the same learning rate, the zigzag has died out after a few steps, and the descent ends near the lowest point.
#
# The trick is the *running sum* $v$. Where gradients keep their sign, they add up, and the steps grow: with $\mu = 0.5$ up to $1/(1-0.5) = 2$ times, with $\mu = 0.9$ up to 10 times. Where they change their sign, they cancel.
# This is *SGD with momentum* ($\mu$ is the momentum, S is for stochastic: each gradient comes from a batch that is a sample of the data):
#
# $$v \leftarrow \mu\, v + \bar W, \qquad W \leftarrow W - \eta\, v .$$
#
# ⚠ There are other forms. In some books the gradient enters with the factor $1 - \mu$, or $\eta$ stands in the first equation. The form above is that of `torch.optim.SGD`. And the new $v$ is used in the same step, not in the next one.

# %% [markdown] task="A.5.A" kind="code" minutes=3 difficulty=1 needs="stochastic gradient descent with momentum"
# ### A running sum that forgets
#
# Write `velocities(gradients, momentum)`: the list of the values of $v$ after each gradient, for a list of numbers. $v$ begins at 0.
#
# **You are done when**
# - **values**: each entry is $\mu$ times the one before, plus the gradient, also where $\mu$ is 0; the first is the first gradient;
# - **length**: there is an entry for each gradient, none for an empty list;
# - **argument kept**: the list that is handed over is as it was.

# %% exercise="A.5.A"
def velocities(gradients, momentum):
    """v after each gradient."""
    ### BEGIN SOLUTION
    v, found = 0., []
    for gradient in gradients:
        v = momentum * v + gradient
        found.append(v)
    return found
    ### END SOLUTION

# %% [markdown] hints="A.5.A"
# 1. What is $v$ after the first gradient, and what is left of it in the second step?
# 2. Keep `v` in a variable outside the loop.
# 3. With $\mu = 0.5$ and the gradients 4, 4: $v$ is 4, then 6.

# %% check="A.5.A" points=1
@probe
def list_after(gradients, momentum):
    velocities(gradients, momentum)
    return gradients

@probe
def entries_of_nothing(momentum):
    """How many entries velocities([], momentum) has, or the error that it raises, as text."""
    try:
        return len(list(velocities([], momentum)))
    except (IndexError, ValueError, StopIteration) as error:
        return f"{type(error).__name__}: {error}"

def check_nothing(momentum):
    found = entries_of_nothing(momentum)
    assert_true(not isinstance(found, str), f"velocities([], {momentum}) raises no error; yours raised {found}", of="length",
                hint="Without a gradient there is no first one to begin with: v begins at 0, and the list empty.")
    assert_equal(found, 0, f"how many entries velocities([], {momentum}) has", of="length", mistakes={"The v from before the first gradient has no entry.": 1})

def first_wrong(found, gradients, momentum):
    v = 0.
    for i, (mine, gradient) in enumerate(zip(found, gradients)):
        before, v = v, momentum * v + gradient
        if abs(float(mine) - v) > 1e-9:
            return (f"Entry {i} is the first that is wrong: momentum times the {'entry before' if i else 'v at the beginning'}, "
                    f"plus the gradient, is {momentum:g} · {before:g} {'-' if gradient < 0 else '+'} {abs(gradient):g} = {v:g}.")
    return ""

found = velocities([4., 4., -2.], 0.25)
assert_type(found, (list, tuple, np.ndarray), "what velocities returns", of="length")
assert_equal(len(found), 3, "how many entries there are for three gradients", of="length", mistakes={"This is one entry too many: v is noted after each gradient, and not before the first.": 4,
    "There is one entry for three gradients: does the return stand behind the loop?": 1})
assert_close(list(found), [4., 5., -0.75], "v for the gradients 4, 4, -2 with momentum 0.25", of="values",
             hint=lambda: first_wrong(found, [4., 4., -2.], 0.25), mistakes={
    "The old v is subtracted here; it is added, times the momentum.": [4., 3., -2.75],
    "v begins at 0: here it begins with the first gradient, which is then counted twice.": [5., 5.25, -0.6875],
    "The gradient enters with its full weight.": [3., 3.75, -0.5625], "The momentum multiplies what was there, not the gradient.": [1., 2., 1.5],
    "The sum forgets: momentum multiplies the old v.": [4., 8., 6.], "Only the old v is multiplied; the gradient enters with its full weight.": [1., 1.25, -0.1875],
    "The entry is v after its gradient.": [0., 4., 5.], "v holds all the gradients so far, not only the last two.": [4., 5., -1.],
    "v adds up the gradients as they are: the minus comes in when the weights move.": [-4., -5., 0.75], "v is 0 at the beginning alone: it is kept from one gradient to the next.": [4., 4., -2.],
    "A learning rate has no place in v.": [0.3, 0.375, -0.05625], "The momentum is the one that is handed over.": [4., 6., 1.], "This is the momentum 0.9; take the one that is handed over.": [4., 7.6, 4.84],
    "The first entry belongs to the first gradient.": [-0.75, 5., 4.], "The list holds v itself after each gradient: nothing is added to it for looking ahead (Nesterov's form does that).": [5., 5.25, -2.1875],
    "The gradient enters with its full weight, the second one, too, and not with 1 minus the momentum.": [4., 4., -0.5],
    "v is not divided by 1 minus a power of the momentum: Adam does that, and it is another form.": [4., 4., -0.5625 / 0.984375],
    "v is a sum; it is not divided by the number of gradients.": [4., 2.5, -0.25], "The walk begins with the first gradient, not with the last one.": [-2., 3.5, 4.875], "momentum multiplies v once in each step; it is not raised to the number of the step.": [4., 5., -1.6875],
    "All the entries are the last v: an array that changes in place is in the list three times; keep a number or a copy.": [-0.75, -0.75, -0.75],
    "v is 0 before the first gradient; at index -1 stands the last entry of the list.": [3.5, 4.875, -0.78125],
    "Where a gradient changes its sign, v is not begun anew: momentum times the old v is there, too.": [4., 5., -2.],
    "The old v is multiplied by the momentum, not by 1 minus the momentum.": [4., 7., 3.25],
    "The oldest gradient has been multiplied most often, and the newest not at all: here it is the other way round.": [4., 5., 4.875]})
whole = list(velocities([4, 0, 4], 0.25))
assert_equal(len(whole), 3, "how many entries there are for the gradients 4, 0, 4", of="length", mistakes={"A gradient of 0 has its entry, too.": 2,
    "Entries of the call before are still in the list: each call begins a list of its own (a default argument is made once, for all calls).": 6})
assert_close(whole, [4., 1., 4.25], "v for the gradients 4, 0, 4, integers, with momentum 0.25", of="values",
             hint=lambda: first_wrong(whole, [4, 0, 4], 0.25), mistakes={
    "v begins at 0 in each call: nothing is left of the call before.": [3.8125, 0.953125, 4.23828125],
    "Gradients may be integers, v is not: its fractions are cut off here.": [4., 1., 4.], "A gradient of 0 is a gradient, too: v is multiplied by the momentum.": [4., 4., 5.]})
assert_close(list(velocities([1e-3, 2e-3], 0.9)), [1e-3, 2.9e-3], "v for the gradients 0.001, 0.002 with momentum 0.9", of="values", rtol=1e-9, atol=1e-12,
             mistakes={"Is anything rounded? Keep all digits.": [0., 0.], "Is anything rounded? Keep all the digits.": [0.001, 0.003]}, hint="Are all the digits kept? float32 holds about seven.")
assert_close(list(velocities([4., -2., 3.], 0.)), [4., -2., 3.], "v for the gradients 4, -2, 3 with momentum 0", of="values", mistakes={
    "Here v is made with the momentum 0.9: 0 is a momentum, too, and `momentum or 0.9` takes it for none.": [4., 1.6, 4.44], "With the momentum 0 nothing is left of the old v; here all of it is.": [4., 2., 5.]}, hint="A momentum of 0 forgets everything, and is a momentum, too: is anything divided by it?")
assert_close(list(velocities([-4., 2., 4.], 0.25)), [-4., 1., 4.25], "v for the gradients -4, 2, 4 with momentum 0.25", of="values", mistakes={
    "The old v keeps its sign, also where it is negative.": [-4., 3., 4.75]}, hint=lambda: first_wrong(velocities([-4., 2., 4.], 0.25), [-4., 2., 4.], 0.25))
assert_close(list(velocities([16., 0., 0., 0., 1.], 0.5)), [16., 8., 4., 2., 2.], "v for the gradients 16, 0, 0, 0, 1 with momentum 0.5", of="values", mistakes={
    "v holds all the gradients so far, not only the last three.": [16., 8., 4., 0., 1.]}, hint="All the gradients so far are in v, and the oldest has been multiplied most often.")
assert_close(list_after([4., 4., -2.], 0.25), [4., 4., -2.], "the list of gradients after the call", of="argument kept", hint="Build a list of your own.")
check_nothing(0.9)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(950)
def sums_of(gradients, momentum):
    return [float((momentum ** np.arange(k, -1, -1) * np.array(gradients[:k + 1])).sum()) for k in range(len(gradients))]

for count, mu in ((6, 0.9), (1, 0.3), (4, 0.), (5, 0.7)):
    g = rng.normal(size=count) if mu < 0.7 or mu > 0.8 else np.array([0, 3, 0, 0, -5])
    found = velocities(g.tolist(), mu)
    assert_type(found, (list, tuple, np.ndarray), "what velocities returns", of="length")
    assert_equal(len(found), count, f"how many entries there are for {count} gradients", of="length")
    assert_close(list(found), sums_of(g.tolist(), mu), f"{count} other gradients, momentum {mu}", of="values", hint=lambda: where_they_part(velocities, sums_of, gradients=g.tolist(), momentum=mu))
    assert_close(list_after(g.tolist(), mu), g.tolist(), f"the list of {count} gradients after the call", of="argument kept", hint="Build a list of your own.")
check_nothing(0.4)
### END HIDDEN TESTS

# %% [markdown] task="A.5.1" kind="code" minutes=12 difficulty=2 core=true needs="stochastic gradient descent with momentum"
# ### A network and its optimizer
#
# Write the class `MLP` (a *multilayer perceptron*: layers one after another), made with a list of layers, `MLP(layers)`, which it keeps as `layers`.
#
# - `model(x)` applies the layers in order and returns the last one's output;
# - `model.zero_grad()` sets `dW` and `db` of every layer that has parameters to zero;
# - `model.step(lr, momentum)` makes one step of SGD with momentum for `W` and `b` of every such layer, and keeps $v$ in the layer's `momentum_W` and `momentum_b`.
#
# A layer with parameters has six arrays: `W` and `b`, their gradients `dW` and `db`, and `momentum_W` and `momentum_b`, which are zeros at first. Activations have none of them: `hasattr(layer, "W")` tells.
# They may stand anywhere in the list.
#
# **You are done when**
# - **forward**: the layers are applied in order, with and without parameters, and `x` is as it was;
# - **zero_grad**: `dW` and `db` of every layer are zeros of their shapes;
# - **first step**: weights and biases of every layer go by `lr` times the gradient, downhill;
# - **momentum**: over several steps, `momentum_W`, `momentum_b` and the parameters are those of the formulas, also where `lr` and `momentum` change from step to step;
# - **nothing else**: a step leaves `dW` and `db` as they are, and `zero_grad` leaves `momentum_W` and `momentum_b`.

# %% exercise="A.5.1"
class MLP:
    """Layers one after another, and SGD with momentum for their parameters."""
    ### BEGIN SOLUTION
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def linears(self):
        return [layer for layer in self.layers if hasattr(layer, "W")]

    def zero_grad(self):
        for layer in self.linears():
            layer.dW[...], layer.db[...] = 0, 0

    def step(self, lr, momentum):
        for layer in self.linears():
            layer.momentum_W = momentum * layer.momentum_W + layer.dW
            layer.momentum_b = momentum * layer.momentum_b + layer.db
            layer.W -= lr * layer.momentum_W
            layer.b -= lr * layer.momentum_b
    ### END SOLUTION

# %% [markdown] hints="A.5.1"
# 1. Which two things does a step change, and in which order?
# 2. `array[...] = 0` sets all entries in place. A method `__call__(self, x)` runs when the object is called, `model(x)`.
# 3. With $\mu = 0.5$, $\eta = 1$, and the gradient 4 in two steps: $v$ is 4, then 6; the weight goes down by 4, then by 6.

# %% check="A.5.1" points=4
@probe
def stepped(Ws, bs, dWs, dbs, lrs, momenta, x):
    class Affine(SimpleNamespace):
        def __call__(self, x):
            return x @ self.W.T + self.b.T
    class Double:
        def __call__(self, x):
            return 2 * x

        def __getattr__(self, name):
            raise AttributeError(f"an activation has no {name}; hasattr(layer, 'W') tells which layers of the list have parameters, not their places")

    linears = [Affine(W=W, b=b, dW=np.ones(W.shape), db=np.ones(b.shape), momentum_W=np.zeros(W.shape), momentum_b=np.zeros(b.shape)) for W, b in zip(Ws, bs)]
    layers = [linears[0], Double()] if len(Ws) == 1 else ([Double(), linears[0]] + [layer for linear in linears[1:] for layer in (linear, Double())])[:-1]
    with engine_parts.switched_off("Network"):
        model = MLP(layers)
    before = np.array(x)
    out, zeros, changes = model(x), [], []
    if dWs is None:
        for layer in linears:
            layer.momentum_W[...], layer.momentum_b[...] = 3, 5
        model.zero_grad()
        zeros = [[] if g is None else g for layer in linears for g in (layer.dW, layer.db)]
    for dW, db, lr, momentum in zip(dWs or [], dbs or [], lrs, momenta):
        for layer, grad_W, grad_b in zip(linears, dW, db):
            layer.dW[...], layer.db[...] = grad_W, grad_b       # as a walk does: in place
        try:
            model.step(lr, momentum)
        except ValueError as error:
            if "broadcast" not in str(error):
                raise
            return {"trouble": f"ValueError: {error}"}
        changes += [np.array(now) - was for layer, *both in zip(linears, dW, db) for now, was in zip((layer.dW, layer.db), both)]
    return {"out": out, "zeros": zeros, "W": [layer.W for layer in linears], "b": [layer.b for layer in linears], "x": x - before, "changes": changes,
            "v": [v for layer in linears for v in (layer.momentum_W, layer.momentum_b)], "layers": len(model.layers)}

def in_order(k):
    """The layers of `stepped` in their order: the number of a linear layer, -1 for a doubling."""
    return [0, -1] if k == 1 else ([-1, 0] + [kind for i in range(1, k) for kind in (i, -1)])[:-1]

def sgd(leaves, grads, lrs, momenta):
    """The parameters and the running sums after these steps, by torch."""
    leaves = [torch.tensor(t, requires_grad=True) for t in leaves]
    optimizer = torch.optim.SGD(leaves, lr=lrs[0], momentum=momenta[0])
    for step, lr, momentum in zip(grads, lrs, momenta):
        optimizer.param_groups[0].update(lr=lr, momentum=momentum)
        for leaf, grad in zip(leaves, step):
            leaf.grad = torch.tensor(grad)
        optimizer.step()
    return [leaf.detach().numpy() for leaf in leaves], [optimizer.state[leaf]["momentum_buffer"].numpy() if momenta[0] else leaf.grad.numpy() for leaf in leaves]

def astray(leaves, grads, lrs, momenta, how):
    """The same with a known mistake."""
    leaves, vs = [np.array(t) for t in leaves], [0 * t for t in leaves]
    for seen, (step, lr, momentum) in enumerate(zip(grads, lrs, momenta)):
        step = [np.clip(g, -1, 1) for g in step] if how == "clipped" else step
        lr, momentum = lrs[0] if how == "first lr" else lr, {"first momentum": momenta[0], "always 0.9": 0.9, "late momentum": momenta[max(seen - 1, 0)]}.get(how, momentum)
        for i, g in enumerate(step):
            if how == "one array" and seen == 1:
                vs[i] = g
            vs[i] = {"no momentum": g, "damped": momentum * vs[i] + (1 - momentum if seen else 1) * g, "plain sum": vs[i] + g, "weighed": momentum * vs[i] + (1 - momentum) * g, "lr inside": momentum * vs[i] + lr * g, "minus lr inside": momentum * vs[i] - lr * g}.get(how, momentum * vs[i] + g)
            leaves[i] = leaves[i] - {"no lr": vs[i], "plain sum": lr * momentum * vs[i], "shrunk": lr * (1 - momentum) * vs[i], "lr inside": vs[i], "minus lr inside": -vs[i], "nesterov": lr * (g + momentum * vs[i]), "by the gradient": lr * g}.get(how, lr * vs[i])
    return leaves, vs

MISTAKES = {"no momentum": "These steps have no momentum: v adds up, and momentum_W and momentum_b keep it from step to step.", "weighed": "The gradient enters with its full weight: v becomes momentum * v + gradient.",
            "damped": "After the first step, too, the gradient enters with its full weight: (1 - momentum) times it is another form.",
            "plain sum": "The momentum multiplies the old v where v is made; it is no factor of the step.", "clipped": "The gradients are cut off at -1 and 1: a step takes them as they are.",
            "lr inside": "v adds up gradients, and the learning rate comes in when the weights move.", "minus lr inside": "v adds up gradients: the learning rate comes in when the weights move, not before.",
            "no lr": "The learning rate does not enter: a step goes by lr times v.", "shrunk": "A step goes by lr times v, and not by (1 - momentum) of it.",
            "always 0.9": "This is the momentum 0.9; take the one that is handed over.", "one array": "After the first step v was the array dW itself, so the next gradient has overwritten it.",
            "first lr": "The learning rate is that of this step, not that of the first.", "first momentum": "The momentum is that of this step, not that of the first.",
            "late momentum": "The momentum is that of this step, not that of the step before.", "nesterov": "This is another form, Nesterov's: the parameters move by lr times v.",
            "by the gradient": "These go down by lr times the gradient; it is lr times v, the running sum."}

def multiple(mine, right):
    """How many times the right array this one is, or None."""
    if np.shape(mine) != np.shape(right):
        return None
    times = float((np.asarray(mine) * right).sum() / (right * right).sum())
    return times if np.allclose(mine, times * right, rtol=1e-6, atol=1e-9) else None

def at_rest(Ws, bs, lr, momentum, x, at):
    """Whether a parameter moves without gradient and running sum."""
    zeros = [[0 * W for W in Ws]], [[0 * b for b in bs]]
    found = stepped([W.copy() for W in Ws], [b.copy() for b in bs], *zeros, [lr], [momentum], x.copy())
    mine, was = [*found["W"], *found["b"]][at], (Ws + bs)[at]
    still = np.shape(mine) != was.shape or np.allclose(mine, was, rtol=1e-9, atol=1e-9)
    return "" if still else " Where dW, db and v are all 0, they move all the same: what else is in the step?"

def network_agrees(sizes, lrs, momenta, seed):
    draw, shapes, steps = np.random.default_rng(seed), list(zip(sizes[1:], sizes)), len(lrs)
    Ws, bs = [draw.normal(size=s) for s in shapes], [draw.normal(size=(s[0], 1)) for s in shapes]
    dWs, dbs = [[draw.normal(size=s) for s in shapes] for _ in range(steps)], [[draw.normal(size=(s[0], 1)) for s in shapes] for _ in range(steps)]
    x, k = draw.normal(size=(5, sizes[0])), len(shapes)
    what, out = f"{k} linear layer{'s' * (k > 1)}, sizes {' to '.join(map(str, sizes))}", x
    order = ", ".join("doubling" if kind < 0 else "linear" for kind in in_order(k))
    for kind in in_order(k):
        out = 2 * out if kind < 0 else out @ Ws[kind].T + bs[kind].T
    first = stepped([W.copy() for W in Ws], [b.copy() for b in bs], None, None, lrs, momenta, x.copy())
    skipped = x
    for W, b in zip(Ws, bs):
        skipped = skipped @ W.T + b.T
    turned = 2 * x @ Ws[0].T + bs[0].T if k == 1 else out
    assert_shape(first["out"], (5, sizes[-1]), f"{what}, in the order {order}: the output for 5 examples", of="forward", hint="Each layer gets the output of the one before.")
    assert_close(first["x"], 0 * x, f"{what}: by how much a call of the model changes x", of="forward", hint="Work on new arrays, do not write into x.")
    assert_close(first["out"], out, f"{what}, in the order {order}: the output", of="forward", mistakes={
        "A layer is left out: all of them are applied, those without parameters, too.": skipped, "The first layer of the list is applied first.": turned,
        "Another function is applied at the end: the model applies its layers and nothing else.": np.maximum(out, 0)})
    assert_equal(first["layers"], len(in_order(k)), f"{what}: the length of model.layers", of="forward")
    for i, (found, name, like) in enumerate(zip(first["zeros"], k * ("dW", "db"), [t for pair in zip(Ws, bs) for t in pair])):
        where = f"{what}: {name} of linear layer {i // 2 + 1} after zero_grad()"
        assert_true(not isinstance(found, list), f"{where} is an array, not None", of="zero_grad", hint="The next walk adds to it, and nothing can be added to None.")
        assert_type(found, np.ndarray, where, of="zero_grad", hint="It is an array of zeros, to which the next walk adds in place.")
        assert_shape(found, like.shape, where, of="zero_grad", hint="It keeps its shape: only its numbers become zero.")
        assert_close(found, np.zeros(like.shape), where, of="zero_grad", hint=f"{name} of every layer with a W is set, whatever its class and its place in the list, and in the layer itself: a name inside the method alone changes nothing there. The list was {order}.")
    for i, (found, name, value, like) in enumerate(zip(first["v"], k * ("momentum_W", "momentum_b"), k * (3., 5.), [t for pair in zip(Ws, bs) for t in pair])):
        assert_close(found, np.full(like.shape, value), f"{what}: {name} of linear layer {i // 2 + 1}, all {value:g}, after zero_grad()", of="nothing else", hint="zero_grad() is for the gradients; v lives on.")
    for count, of in ((1, "first step"), (steps, "momentum")):
        grads, lr, mu, start = [dW + db for dW, db in zip(dWs[:count], dbs[:count])], lrs[:count], momenta[:count], Ws + bs
        after, states = sgd(start, grads, lr, mu)
        found = stepped([W.copy() for W in Ws], [b.copy() for b in bs], dWs[:count], dbs[:count], lr, mu, x.copy())
        trouble_here = found.get("trouble", "")
        assert_true(not trouble_here, f"{what}: model.step raises no error; yours raised {trouble_here}", of="first step",
                    hint="A line puts two arrays of different shapes together: W, dW and momentum_W have one shape, b, db and momentum_b another, and each W and b goes by its own v.")
        rates = [", ".join(f"{value:g}" for value in dict.fromkeys(values)) for values in (lr, mu)]
        where = f"{what}, {count} step{'s' * (count > 1)}, learning rate {rates[0]}, momentum {rates[1]}"
        vs = [v for pair in zip(states[:k], states[k:]) for v in pair]
        wrong = {how: astray(start, grads, lr, mu, how) for how in MISTAKES} if mu[0] else {}
        sound = all(np.shape(mine) == np.shape(v) and np.allclose(mine, v) for mine, v in zip(found["v"], vs))
        def first_state(i):
            one = stepped([W.copy() for W in Ws], [b.copy() for b in bs], dWs[:1], dbs[:1], lr[:1], mu[:1], x.copy())["v"][i]
            times = multiple(one, grads[0][i // 2 + i % 2 * k])
            if times is None or abs(times - 1) > 1e-9:
                return "After the first step it should be the gradient; it is not" + (f", but {times:.4g} times that." if times is not None else ".")
            two = stepped([W.copy() for W in Ws], [b.copy() for b in bs], dWs[:2], dbs[:2], lr[:2], mu[:2], x.copy())["v"][i]
            times = multiple(two - grads[1][i // 2 + i % 2 * k], one)
            return ("After the first step it is right, the gradient." + (
                    f" In the second step the old one is multiplied by {times:.4g}, and momentum is {mu[1]:g}." if times is not None else ""))
        def how_far(i, at):
            mine = found["W" if at < k else "b"][i]
            times = multiple(mine - start[at], after[at] - start[at]) if np.shape(mine) == start[at].shape else None
            name, grad = ("W", "b")[at >= k], grads[0][at]
            v, own = found["v"][2 * i + (at >= k)], mine - start[at] if np.shape(mine) == start[at].shape else None
            if count == 1 and np.shape(v) == grad.shape and np.any(v) and not np.allclose(v, grad) and own is not None:
                much = multiple(v, grad)
                return (f"momentum_{name} of this layer is not right after the step, either: v was 0, so it is momentum · 0 + d{name} = d{name}"
                        + (f"; yours is {much:.4g} times that." if much is not None else "; yours is not that, nor a multiple of it.")
                        + (f" By it {name} has moved as it should, down by lr times v." if np.allclose(own, -lr[0] * np.asarray(v)) else ""))
            return ("" if times is None else f"They have moved {times:.4g} times as far as they should. ") + (
                    "They go down by lr times v of their own layer, and by nothing else." + at_rest(Ws, bs, lr[0], mu[0], x, at))
        if of == "momentum":
            known = ["no momentum", "weighed", "damped", "plain sum", "clipped", "lr inside", "minus lr inside", "first momentum", "late momentum", "always 0.9"] + ["one array"] * (count == 2)
            for i, (mine, v) in enumerate(zip(found["v"], vs)):
                at = i // 2 + i % 2 * k
                assert_close(mine, v, f"{where}: {('momentum_W', 'momentum_b')[i % 2]} of linear layer {i // 2 + 1}", of=of, rtol=1e-9, atol=1e-9,
                             hint=lambda: f"It becomes momentum times itself plus {('dW', 'db')[i % 2]} in each step. " + first_state(i), mistakes={
                    MISTAKES[how]: wrong[how][1][at] for how in known if how in wrong} | {"This has not changed: v is kept here, in the layer.": 0 * v})
        known = {MISTAKES[how]: wrong[how][0] for how in ["no lr", "shrunk" if sound else "weighed", "nesterov", "clipped"] + ["by the gradient"] * (count > 1 and sound) + ["plain sum"] * (not sound or count == 1) + ["first lr"] * (count > 1) if how in wrong}
        known |= {"A step goes against the gradient.": [p + lr[0] * g for p, g in zip(start, grads[0])]} if count == 1 else {}
        for i, at in ((i, i + j * k) for j in (0, 1) for i in range(k)):
            still = ("The weights are right, and the biases have not moved." if at >= k else
                     "It has not moved, and its v is right: W goes down by lr times the new v, in the same step." if sound else
                     f"It has not moved, and its v is not right either: each layer with parameters makes the step. The list was {order}.")
            assert_close(found["W" if at < k else "b"][i], after[at], f"{where}: the {'weights' if at < k else 'biases'} of linear layer {i + 1}", of=of, rtol=1e-9, atol=1e-9,
                         mistakes={s: v[at] for s, v in (known | {still: start}).items()}, hint=lambda: how_far(i, at))
        assert_close(found["changes"], [0 * g for dW, db in zip(dWs[:count], dbs[:count]) for pair in zip(dW, db) for g in pair], f"{where}: by how much each step changes dW and db", of="nothing else",
                         mistakes={"dW and db are 0 after the step: the training loop calls zero_grad(), a step does not.": [-g for dW, db in zip(dWs[:count], dbs[:count]) for pair in zip(dW, db) for g in pair]},
                         hint="A step reads dW and db; it writes into W, b, momentum_W and momentum_b alone.")

def coasts(sizes, lr, momentum, seed):
    """Two steps, the second with gradients of zero."""
    draw, (n, m) = np.random.default_rng(seed), sizes
    W, b, dW, db = (draw.normal(size=shape) for shape in 2 * ((m, n), (m, 1)))
    found = stepped([W.copy()], [b.copy()], [[dW], [0 * dW]], [[db], [0 * db]], [lr] * 2, [momentum] * 2, draw.normal(size=(5, n)))
    for i, (value, grad, name) in enumerate(((W, dW, "W"), (b, db, "b"))):
        where = f"1 linear layer, sizes {n} to {m}, 2 steps, learning rate {lr:g}, momentum {momentum:g}, in the second step dW and db are 0"
        said = "Where the gradient is 0, v is multiplied by the momentum all the same, and the parameters go on moving by it."
        assert_close(found["v"][i], momentum * grad, f"{where}: momentum_{name}", of="momentum", rtol=1e-9, atol=1e-9, mistakes={said: grad})
        assert_close(found[name][0], value - lr * (1 + momentum) * grad, f"{where}: {name}", of="momentum", rtol=1e-9, atol=1e-9, mistakes={said: value - lr * grad})

def x_is_kept(size, seed):
    x = np.random.default_rng(seed).normal(size=(5, size))
    moved = stepped([np.full((size, size), 2.)], [np.ones((size, 1))], None, None, [0.1], [0.5], x)["x"]
    assert_close(moved, np.zeros((5, size)), f"1 linear layer, sizes {size} to {size}: by how much a call of the model changes x", of="forward", hint="The output has the shape of x here: make a new array, do not write into x.")

@probe
def methods_of_mlp():
    return sorted(method for kind in MLP.__mro__[:-1] for method in vars(kind))

assert_true("__call__" in methods_of_mlp(), "MLP has the method __call__", of="forward", hint="Is the class written? Python runs the method __call__ where a program says model(x).")
with part(1, "one layer"):
    network_agrees((2, 3), [0.2, 0.2], [0.9, 0.9], 1)
    coasts((2, 3), 0.2, 0.9, 4)
with part(1, "two layers, three steps"):
    network_agrees((3, 4, 2), [0.05, 0.2, 0.1], [0.6, 0.8, 0.7], 2)
    x_is_kept(3, 3)
### BEGIN HIDDEN TESTS
with part(1, "other networks"):
    network_agrees((4, 2, 3, 1), [0.02, 0.1, 0.05, 0.2], [0.8, 0.6, 0.9, 0.3], 951)
    x_is_kept(4, 952)
    network_agrees((1, 5), [0.3] * 3, [0.95] * 3, 952)
    coasts((3, 2), 0.1, 0.6, 954)
with part(1, "without momentum"):
    network_agrees((3, 2), [0.2] * 3, [0.] * 3, 953)
total()
### END HIDDEN TESTS

# %% [markdown] teaches="training step, mean over examples"
# ## 2. One pass over the data
#
# The engine has no idea where one batch ends and the next begins. So a *training step* clears first: the engine, which would otherwise still hold the operations of the batch before, and the
# parameters' gradients, to which every walk adds. Then forward, loss, backward, step. Here for one batch, with the book's parts:

# %% teaches="training step"
torch.manual_seed(0)
engine, model, loss = engine_parts.network((2, 3))      # a linear layer from 2 features to 3 classes, and the cross-entropy
x, y = np.array([[1., 2.], [0., -1.], [2., 2.], [1., 0.]]), np.eye(3)[[2, 0, 2, 1]]     # 4 examples, one-hot targets
for attempt in range(3):
    engine.zero_grad()                  # forget the operations of the batch before
    model.zero_grad()                   # and its gradients
    value = loss(y, model(x))           # forward: the engine records
    engine.backward(np.array(1.))       # back from the loss, whose derivative by itself is 1
    model.step(lr=0.5, momentum=0.)
    print(f"loss before step {attempt + 1}: {value:.4f}, operations recorded: {len(engine.operation_list)}")

# %% [markdown]
# The loss falls, and the record stays at two operations.
#
# ⚠ *The mean over a pass.* The loss of a batch is a mean over its examples. With 5 examples in batches of 2, the last batch has one example only. Say the three batch losses are 1, 1 and 4. Their plain mean is 2, but the mean over the five
# examples is $(2 \cdot 1 + 2 \cdot 1 + 1 \cdot 4)/5 = 1.6$: a batch counts by its number of examples.

# %% [markdown] task="A.5.2" kind="code" minutes=12 difficulty=3 core=true needs="training step, mean over examples, minibatch, one-hot encoding"
# ### One pass
#
# Write `train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum)`. `X` is (n, features), `Y` (n, classes) one-hot. It goes through the examples in their order, in batches of `batch_size`; the last batch may be smaller. For each
# batch it makes one training step.
#
# **You are done when**
# - **mean loss**: it returns the mean of the loss over all *examples* as a number, each as it was before its batch's step;
# - **step**: after each batch, the model makes a step with the given `lr`, with the gradient of the loss (divergence 1);
# - **cleared**: no gradient of what went before is left, in `dW`, `db` or the engine's buffer, and the engine never holds the operations of more than one batch: neither those of the batch before, nor those that an evaluation of the model left there before the pass;
# - **momentum**: it is handed on, and the running sums stay from batch to batch.

# %% exercise="A.5.2"
def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    """One pass over the examples in batches; returns the mean loss over the examples, each before its step."""
    ### BEGIN SOLUTION
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total_loss / len(X)
    ### END SOLUTION

# %% [markdown] hints="A.5.2"
# 1. Which of the five actions have to come before the model runs, so that nothing of the batch before is left?
# 2. `X[start:start + size]` is shorter at the end, without an error. A batch's loss is a mean over its examples: multiply by their number before you add up.
# 3. The mean of batches of 4, 4 and 2 examples with mean losses 1, 2 and 5 is (4 + 8 + 10) / 10 = 2.2.

# %% check="A.5.2" points=4
@probe
def an_epoch(sizes, weights, X, Y, batch_size, lr, momentum, passes, used):
    engine, model, loss = engine_parts.network(sizes)
    linears = [layer for layer in model.layers if hasattr(layer, "W")]
    for layer, (W, b) in zip(linears, weights):
        layer.W[...], layer.b[...] = W, b
        layer.momentum_W[...], layer.momentum_b[...] = 7, 7     # this network keeps its running sums elsewhere
    if used:                # an evaluation, with its gradients, and nobody has cleared
        loss(Y[:1], model(X[:1]))
        engine.backward(np.array(1.))
    batches, noted = [], {"calls": [], "rows": [], "shapes": [], "divergences": [], "held": [], "buffered": [], "lrs": [], "momenta": [], "unpaired": 0, "heard": 0}
    class Hearing(type(loss)):
        def __call__(self, y, y_hat):
            rows = [[k for k, row in enumerate(X) if np.array_equal(row, one)] for one in batches[-1]] if batches else []
            if np.shape(y) == np.shape(y_hat) and len(rows) == len(y) and all(len(k) == 1 for k in rows) and np.isin(y, (0, 1)).all():
                noted["unpaired"] += 1 - np.array_equal(y, Y[[k for k, in rows]])
            noted["heard"] += 1
            return super().__call__(y, y_hat)
    class Listening(type(model)):
        def __call__(self, x):
            batches.append(np.array(x))
            return super().__call__(x)
        def zero_grad(self):
            noted["calls"].append("clear")
            super().zero_grad()
        def step(self, lr, momentum):
            noted["calls"].append("step"), noted["lrs"].append(float(lr)), noted["momenta"].append(float(momentum))
            super().step(lr, momentum)
    model.__class__, loss.__class__, walk = Listening, Hearing, engine.backward
    def backward(divergence):
        if noted["heard"] and not engine.operation_list:
            raise RuntimeError("the engine holds no operation: autograd_engine.zero_grad() came after the loss; it belongs before the model")
        noted["calls"].append("walk"), noted["divergences"].append(np.array(divergence, dtype=float).sum()), noted["held"].append(len(engine.operation_list))
        noted["buffered"].append(len(engine.gradient_buffer.memory))
        noted["shapes"].append(list(batches[-1].shape) if batches else [])
        noted["rows"].append([[k for k, row in enumerate(X) if np.array_equal(row, one)] for one in batches[-1]] if batches else [])
        walk(divergence)
    engine.backward = backward
    with engine_parts.switched_off("train_epoch"):
        values = [train_epoch(model, loss, engine, X, Y, batch_size, lr, momentum) for _ in range(passes)]
    return noted | {"values": values, "marks": [v - 7 for layer in linears for v in (layer.momentum_W, layer.momentum_b)], "W": [layer.W for layer in linears], "b": [layer.b for layer in linears], "left": len(engine.operation_list)}

def by_torch(sizes, weights, X, Y, batch_size, lr, momentum, passes, how=""):
    """The weights after training, and the (loss, size) of each batch of each pass. `how` is a known mistake."""
    net = torch.nn.Sequential(*[m for k, j in zip(sizes, sizes[1:]) for m in (torch.nn.ReLU(), torch.nn.Linear(k, j, dtype=torch.float64))][1:])
    with torch.no_grad():
        for layer, (W, b) in zip(net[::2], weights):
            layer.weight.copy_(torch.tensor(W)), layer.bias.copy_(torch.tensor(b[:, 0]))
    optimizer, seen = torch.optim.SGD(net.parameters(), lr=0. if how == "no step" else lr, momentum=0. if how == "no momentum" else momentum), [[] for _ in range(passes)]
    for losses in seen:
        for x, y in zip(torch.tensor(X).split(batch_size), torch.tensor(Y).split(batch_size)):
            value = torch.nn.functional.cross_entropy(net(x), y)
            if how not in ("stale", "stale first", "cleared once") or len(losses) == 0 and how == "cleared once" or losses and how == "stale first":
                kept = [None if layer.bias.grad is None else layer.bias.grad.clone() for layer in net[::2]]
                optimizer.zero_grad()
                for layer, grad in zip(net[::2], kept if how == "stale db" else ()):
                    layer.bias.grad = grad
            value.backward(value.detach() if how == "loss" else None), optimizer.step()
            if how == "after":
                value = torch.nn.functional.cross_entropy(net(x), y)
            if how == "swapped":
                value = torch.nn.functional.cross_entropy(y, net(x))
            losses.append((value.item(), len(x)))
    return [layer.weight.detach().numpy() for layer in net[::2]], [layer.bias.detach().numpy()[:, None] for layer in net[::2]], seen

def whole(sizes, weights, X, Y, batch_size, lr, momentum, passes):
    """The loss of all examples before the first pass, and after each."""
    found = []
    for count in range(passes + 1):
        Ws, bs, _ = by_torch(sizes, weights, X, Y, batch_size, lr, momentum, count)
        found.append(by_torch(sizes, list(zip(Ws, bs)), X, Y, len(X), 0., 0., 1)[2][0][0][0])
    return found

def other_than(value, values):
    """The first of the values that is another one, and the number of its step."""
    return next(f"{other:.4g}, in step {i}" for i, other in enumerate(values, 1) if not np.isclose(other, value, rtol=1e-9, atol=0))

def trouble(found, X, batch_size, lr, momentum, passes, operations):
    """What the calls of a pass show: a sentence, or nothing."""
    wanted = passes * [list(range(k, min(k + batch_size, len(X)))) for k in range(0, len(X), batch_size)]
    calls, rows = found["calls"], [[k for places in batch for k in places] for batch in found["rows"]]
    acts = [call for call in calls if call != "clear"]
    if any(len(shape) == 1 for shape in found["shapes"]):
        return "Here an example goes through the model by itself, as an array of one axis: a batch has two, (examples, features), also where it holds a single example."
    if any(shape[:1] == [0] for shape in found["shapes"]):
        return f"One of the batches is empty, and the mean loss of no example is nan: their sizes are {', '.join(str(shape[0]) for shape in found['shapes'])}. The examples come in their order, {batch_size} to a batch{', fewer in the last' * (len(X) % batch_size > 0)}."
    if rows and rows != wanted and len(acts) % 2 == 0:
        return f"The walks are for batches of these examples, counted from 0: {rows}. The examples come in their order, {batch_size} to a batch{', fewer in the last' * (len(X) % batch_size > 0)}."
    if acts != ["walk", "step"] * len(wanted):
        return f"Each batch has one walk and then one step; here the order is {', '.join(acts) or 'neither of them'}."
    if found["unpaired"]:
        return "The loss gets other targets than those of the batch's examples: X and Y are cut at the same places."
    if found["held"] and min(found["held"]) < operations:
        return (f"At a walk the engine holds {min(found['held'])} operation{'s' * (min(found['held']) != 1)}, and a batch has {operations}: the walk comes after the loss, "
                "and the engine is not cleared between the model's run and the walk.")
    if any(one == "walk" and then == "clear" for one, then in zip(calls, calls[1:])):
        return "model.zero_grad() comes between the walk and the step, which then finds zeros."
    if not np.allclose(found["divergences"], 1):
        return f"A walk begins with the divergence 1; here with {other_than(1., found['divergences'])}."
    if lr != momentum and np.allclose(found["lrs"], momentum) and np.allclose(found["momenta"], lr):
        return "The learning rate and the momentum are exchanged: model.step(lr, momentum)."
    if not np.allclose(found["lrs"], lr, rtol=1e-9, atol=0):
        return f"model.step gets another learning rate than the one handed over: {other_than(lr, found['lrs'])}."
    return "" if np.allclose(found["momenta"], momentum, rtol=1e-9, atol=0) else f"model.step gets another momentum than the one handed over: {other_than(momentum, found['momenta'])}."

def pass_agrees(sizes, n, batch_size, lr, momentum, passes, of, seed, used=False):
    draw = np.random.default_rng(seed)
    weights = [(draw.normal(size=(m, k)) / k ** 0.5, draw.normal(size=(m, 1))) for k, m in zip(sizes, sizes[1:])]
    X, Y = draw.normal(size=(n, sizes[0])), np.eye(sizes[-1])[draw.integers(0, sizes[-1], n)]
    setting = (sizes, weights, X, Y, batch_size, lr, momentum, passes)
    what = f"{n} examples in batches of {batch_size}, learning rate {lr:g}, momentum {momentum:g}" + (f", {passes} passes" if passes > 1 else "") + used * ", after an evaluation that nobody has cleared"
    Ws, bs, seen = by_torch(*setting)
    right, plain = [sum(v * k for v, k in losses) / n for losses in seen], [float(np.mean([v for v, _ in losses])) for losses in seen]
    full = [[v for v, k in losses if k == batch_size] or [0.] for losses in seen]
    found = an_epoch(*setting, used)
    for value in found["values"]:
        assert_type(value, (int, float, np.ndarray, torch.Tensor), f"{what}: what train_epoch returns", of="mean loss", hint="One number comes back, the mean of the loss over all the examples: neither a list of the batches' losses nor None.")
    well = all(np.allclose(mine, wanted, rtol=1e-8, atol=1e-8) for mine, wanted in zip([*found["values"], *found["W"], *found["b"]], [*right, *Ws, *bs]))
    steady = all(np.allclose(mine, wanted, rtol=1e-8, atol=1e-8) for mine, wanted in zip([*found["W"], *found["b"]], [*Ws, *bs]))
    said = trouble(found, X, batch_size, lr, momentum, passes, 2 * len(sizes) - 2) or used * "What an evaluation left in the engine, in dW and in db is cleared before the first batch, too."
    known = {"stale": "The gradients of the batches before are still in dW and db."} if said else {
        "stale": "The gradients of the batches before are still in dW and db.", "no step": "Nothing has moved: a step for each batch."}
    known |= {"loss": "The divergence is 1, not the loss.", "no momentum": "The momentum is not handed on.", "stale db": "The gradients of the batches before are still in db; those in dW are cleared."}
    known |= {"cleared once": "The gradients are cleared at the beginning of a pass alone: each batch finds those of the batches before it in dW and db.",
              "stale first": "The first batch of a pass still finds the gradients of the pass before in dW and db."} if passes > 1 else {}
    wrong = {sentence: by_torch(*setting, how) for how, sentence in known.items() if (how not in ("stale", "stale db") or n > batch_size) and (how != "no momentum" or momentum)} if lr and not well else {}
    aside = {"after": "The loss of a batch is the one before its step.", "swapped": "The loss is called with the targets first: loss(y, model(x))."}
    if of == "mean loss":
        other_momentum = said.startswith("model.step gets another momentum")
        assert_true(well or not (said and lr) or other_momentum, f"{what}: a walk and a step for each batch, as asked", of="step", hint=said)
        assert_true(well or not (said and lr and other_momentum), f"{what}: the momentum is handed on", of="momentum", hint=said)
        assert_close([float(value) for value in found["values"]], right, f"{what}: the mean loss", of=of, rtol=1e-8, atol=1e-8, mistakes={
            "A smaller last batch counts less: the mean over examples.": plain, "The last batch, which is smaller, is left out.": [float(np.mean(vs)) for vs in full],
            "The losses of the last batch, which is smaller, are missing in the sum.": [sum(vs) * batch_size / n for vs in full], "The mean over the examples, not the sum.": [v * n for v in right],
            "Each batch counts by its own number of examples, the last one, too.": [sum(v for v, _ in losses) * batch_size / n for losses in seen],
            "This is the sum of the batches' losses: a mean over the examples is asked.": [sum(v for v, _ in losses) for losses in seen],
            "This divides by batch_size times the number of batches; the last batch has fewer examples.": [sum(v * k for v, k in losses) / (len(losses) * batch_size) for losses in seen],
            "This divides by the number of full batches: each batch counts by its examples.": [sum(v for v, _ in losses) / max(n // batch_size, 1) for losses in seen],
            "This is the loss of the last batch alone.": [losses[-1][0] for losses in seen], "This is the loss of the first batch alone.": [losses[0][0] for losses in seen]}
            | ({"The last batch is full and counts for nothing here: its examples are len(x); n % batch_size is 0 where the batches come out even.":
                [sum(v * k for v, k in losses[:-1]) / n for losses in seen]} if steady and n % batch_size == 0 and n > batch_size else {})
            | ({"This is the loss of all examples before the first step of a pass: each batch is asked before its own step.": whole(*setting)[:-1],
                "This is the loss of all examples after the last step of a pass: each batch is asked before its own step.": whole(*setting)[1:]} if lr and not well else {})
            | {sentence: [sum(v * k for v, k in losses) / n for losses in other] for sentence, (_, _, other) in [*wrong.items(), *((aside[how], by_torch(*setting, how)) for how in (() if well else aside if lr else ["swapped"]))]},
            hint=said or ("Nearly right: is something computed in float32, or rounded?" if np.allclose([float(value) for value in found["values"]], right, rtol=1e-4) else "") or steady * "The batches and the steps are right. Each example counts once and alike: a batch's loss times the number of its examples, all added up, divided by the number of all.")
        return
    acts = [call for call in found["calls"] if call != "clear"]
    assert_equal(acts, ["walk", "step"] * (passes * len(seen[0])), f"{what}: the calls of engine.backward (walk) and model.step (step), in their order", of="step", hint=said)
    assert_equal([len(batch) for batch in found["rows"]], passes * [k for _, k in seen[0]], f"{what}: the number of examples that went through the model before each walk", of="step", hint=said)
    assert_close(found["lrs"], [lr] * (passes * len(seen[0])), f"{what}: the learning rate that model.step gets", of="step", rtol=1e-9, atol=0, hint=said)
    assert_close(found["momenta"], [momentum] * (passes * len(seen[0])), f"{what}: the momentum that model.step gets", of="momentum", rtol=1e-9, atol=0, hint="The momentum is not handed on." if momentum else said)
    assert_true(max(found["held"]) <= 2 * len(sizes) - 2, f"{what}: at each walk the engine holds at most the operations of one batch, which are {2 * len(sizes) - 2}, here {max(found['held'])}", of="cleared",
                hint="autograd_engine.zero_grad() for each batch, before the model runs" + used * ", the first one, too" + ".")
    assert_true(max(found["buffered"]) == 0, f"{what}: at the beginning of each walk the engine's buffer holds no gradients, here of {max(found['buffered'])} arrays", of="cleared",
                hint="autograd_engine.zero_grad() empties the list and the buffer; a new list alone leaves the gradients of what went before.")
    assert_close(found["marks"], [np.zeros(t.shape) for pair in weights for t in pair], f"{what}: by how much train_epoch itself changes momentum_W and momentum_b", of="momentum", hint="They are handed on from batch to batch: only a step changes them.")
    assert_close(found["W"], Ws, f"{what}: the weights afterwards", of=of, rtol=1e-8, atol=1e-8, mistakes={sentence: other[0] for sentence, other in wrong.items()}, hint=said)
    assert_close(found["b"], bs, f"{what}: the biases afterwards", of=of, rtol=1e-8, atol=1e-8, mistakes={sentence: other[1] for sentence, other in wrong.items()}, hint=said)
    assert_true(found["left"] <= 2 * len(sizes) - 2, f"{what}: the engine holds at most the operations of one batch afterwards", of="cleared", hint="autograd_engine.zero_grad() for each batch.")

with part(1, "the loss"):
    pass_agrees((3, 2), 5, 2, 0., 0., 1, "mean loss", 1)
    pass_agrees((3, 2), 5, 2, 0.3, 0., 2, "mean loss", 1)
    pass_agrees((3, 2), 6, 2, 0.3, 0., 1, "mean loss", 5)
with part(2, "the steps"):
    pass_agrees((3, 2), 4, 4, 0.1, 0., 1, "step", 2)
    pass_agrees((3, 2), 7, 3, 0.1, 0., 1, "cleared", 3)
    pass_agrees((3, 2), 7, 3, 0.1, 0., 1, "cleared", 3, used=True)
    pass_agrees((2, 3), 8, 2, 0.1, 0.9, 2, "momentum", 4)
### BEGIN HIDDEN TESTS
with part(1, "other networks"):
    pass_agrees((3, 4, 2), 11, 4, 0.1, 0.5, 2, "mean loss", 954)
    pass_agrees((3, 4, 2), 12, 4, 0.1, 0.5, 2, "mean loss", 957)
    pass_agrees((2, 3), 3, 5, 0.2, 0., 1, "mean loss", 956)
    pass_agrees((5, 4, 3, 2), 9, 9, 0.05, 0., 1, "step", 957)
    pass_agrees((2, 3), 3, 5, 0.2, 0., 1, "step", 956)
    pass_agrees((2, 4, 3), 7, 3, 0.2, 0., 1, "cleared", 957)
    pass_agrees((2, 4, 3), 7, 3, 0.2, 0., 1, "cleared", 957, used=True)
    pass_agrees((4, 3, 2), 10, 4, 0.05, 0.8, 3, "momentum", 958)
total()
### END HIDDEN TESTS

# %% [markdown] teaches="accuracy, Fashion-MNIST as rows"
# ## 3. Clothes
#
# Fashion-MNIST has grey images of 28 by 28 pixels in ten classes, from T-shirt to ankle boot. The cell below takes 12,000 of them for training and 2,000 others for testing, each image a row of 784 numbers from 0 to 1. `accuracy` gives the
# share of images that a network puts into the right class: the class with the largest output. Guessing gets 0.1.

# %% tags=["setup"]
clothes = d2l.FashionMNIST()


def images_and_labels(part, start, count):
    """`count` images, (count, 784) from 0 to 1, and their labels, (count,); `part` is clothes.train or clothes.val."""
    return part.data[start:start + count].reshape(-1, 784).numpy() / 255, part.targets[start:start + count].numpy()


train_images, train_labels = images_and_labels(clothes.train, 0, 12_000)
test_images, test_labels = images_and_labels(clothes.val, 0, 2_000)


def accuracy(linears, images, labels):
    """The share of images that linear layers [(W, b), ...] with ReLU between them put into the right class."""
    out = images
    for i, (W, b) in enumerate(linears):
        out = (np.maximum(out, 0) if i else out) @ W.T + b.T
    return float((out.argmax(axis=1) == labels).mean())

# %% tags=["demo"]
d2l.plt.rcParams["image.cmap"] = "gray"
d2l.show_images(train_images[:8].reshape(-1, 28, 28), 1, 8, titles=clothes.text_labels(train_labels[:8]))
d2l.plt.show()

# %% [markdown]
# How large may the learning rate be? Try a few on a small part of the data: 1,000 images, one pass in batches of 50, momentum 0.9. `engine_parts.train_epoch` is the book's.

# %% tags=["demo"]
for lr in (0.0001, 0.001, 0.01, 0.1, 1.0):
    torch.manual_seed(0)
    engine, model, loss = engine_parts.network((784, 64, 10))
    first, second = (engine_parts.train_epoch(model, loss, engine, train_images[:1000], np.eye(10)[train_labels[:1000]], 50, lr, 0.9) for _ in range(2))
    print(f"learning rate {lr:6}: mean loss in the first pass {first:6.3f}, in the second {second:6.3f}")

# %% [markdown]
# For comparison: a network that gives each class the probability 0.1 has the loss $\log 10 = 2.303$. With 0.0001 hardly anything has happened after two passes. With 1.0 it goes astray: the loss is above that of guessing. Between them
# lies a range of rates that work, a factor of ten wide or more. Towards the end of a training smaller steps help: the gradient of a batch is noisy, and the noise shakes the weights as long as the steps are large.

# %% [markdown] task="A.5.3" kind="code" minutes=15 difficulty=3 core=true needs="training step, accuracy, learning rate, one-hot encoding"
# ### To 80 percent
#
# Write `fit(model, loss, autograd_engine, images, labels)`. It trains the model on the images, (n, 784), and labels, n integers from 0 to 9, with your `train_epoch`, in several passes over *all* the images (in any order). You choose batch size, learning rate, momentum and the number
# of passes. The check uses a network with 64 hidden units and 8,000 images, and lets the book's `train_epoch` run in place of yours, since it is quicker; the hidden test takes other images and another start, so leave yourself a margin of two or three per cent.
#
# **You are done when**
# - **accuracy**: the network puts at least 80 % of 2,000 images that it has not seen into the right class;
# - **losses**: `fit` returns a list with the mean loss of each pass, as `train_epoch` gave it (if you cut a pass into several calls: the mean over all its images), and the last is below the first;
# - **work**: it makes at most ten passes, and all steps are made by `train_epoch` (a look at the outputs on the way is no pass).

# %% exercise="A.5.3" uses="A.5.2"
def fit(model, loss, autograd_engine, images, labels):
    """Trains the model; the mean loss of each pass."""
    ### BEGIN SOLUTION
    one_hot = np.eye(10)[labels]
    return [train_epoch(model, loss, autograd_engine, images, one_hot, batch_size=100, lr=0.06 / (1 + k), momentum=0.9)
            for k in range(6)]
    ### END SOLUTION

# %% [markdown] hints="A.5.3"
# 1. Does the loss go down in the first pass? If it grows or is `nan`, which of your choices is too large?
# 2. `np.eye(10)[labels]` are the one-hot targets. A momentum of 0.9 makes steps up to ten times longer than the learning rate says.
# 3. For 100 examples in batches of 20, four passes make 20 steps. Here a few hundred steps are enough. Does the accuracy jump about from one pass to the next? Then let the learning rate fall.

# %% check="A.5.3" points=3
@probe
def fitted(start, seed, count):
    torch.manual_seed(seed)
    images, labels = images_and_labels(clothes.train, start, count)
    engine, model, loss = engine_parts.network((784, 64, 10))
    marks = np.random.default_rng(seed).normal(size=784)
    labelled = {mark: label for mark, label in zip((images * marks).sum(axis=1), labels)}       # an image is known by its mark
    names, calls, step, within = page(), [], model.step, []
    said = {"trained": 0, "steps": 0, "others": 0, "outside": 0, "known": 1., "paired": 1., "alike": 0., "columns": ""}
    def counted_step(*args, **kwargs):
        said["outside"] += not within
        return step(*args, **kwargs)
    model.step = counted_step
    with engine_parts.sound(names, "train_epoch"):
        own, order = names["train_epoch"], ("model", "loss", "autograd_engine", "X", "Y", "batch_size", "lr", "momentum")
        def noted(*args, **kwargs):
            given = dict(zip(order, args)) | kwargs
            X, Y, network = given["X"], np.asarray(given["Y"]), given["model"]
            said["trained"] += len(X)
            said["steps"] += int(np.ceil(len(X) / max(given.get("batch_size") or 1, 1)))
            said["others"] += network is not model
            found = [labelled.get(mark, -1) for mark in (np.asarray(X) * marks).sum(axis=1)]
            said["known"] = min(said["known"], float(np.mean([label >= 0 for label in found])))
            if Y.shape != (len(X), 10):
                raise ValueError(f"train_epoch got targets of shape {Y.shape}; one-hot, {len(X)} of them for 10 classes have the shape {(len(X), 10)}")
            columns = Y.argmax(axis=1)
            said["paired"] = min(said["paired"], float(np.mean(columns == found)))
            said["alike"] = max(said["alike"], float(np.mean(columns[1:] == columns[:-1])) if len(X) > 100 else 0.)
            for label in {*found} - {-1}:
                places = {*columns[np.array(found) == label].tolist()}
                if len(places) == 1 and places != {label} and len(X) > 100:
                    said["columns"] = f"For the label {label} the 1 of a target stands in column {places.pop()}."
            if calls and said["trained"] > 10 * len(images):      # beyond ten passes: counted, and no time spent
                value = calls[-1][1]
            else:               # the loop of the book does the same in less time
                for parameter, value in zip(network.optimizer_by_torch.param_groups[0]["params"] if hasattr(network, "optimizer_by_torch") else (),
                                            [value for layer in network.layers if hasattr(layer, "W") for value in (layer.W, layer.b)]):
                    parameter.data.copy_(torch.from_numpy(value))
                within.append(1)
                ours = set(given) == set(order) and len(args) <= len(order) and given["loss"] is loss and given["autograd_engine"] is engine
                value = (engine_parts.train_epoch if ours else own)(*args, **kwargs)
                within.pop()
            calls.append((len(X), float(value)))
            return value
        names["train_epoch"] = noted
        try:
            losses = fit(model, loss, engine, images, labels)
        finally:
            names["train_epoch"] = own
    return said | {"losses": losses, "calls": calls, "linears": [(layer.W, layer.b) for layer in model.layers if hasattr(layer, "W")]}

def fits(start, seed, test_start, what):
    found = fitted(start, seed, 8_000)
    assert_type(found["losses"], (list, tuple, np.ndarray), f"{what}: what fit returns", of="losses", hint="A list comes back, with the mean loss of each pass.")
    assert_true(found["trained"] <= 80_000, f"{what}: at most ten passes over 8,000 images, here {found['trained'] / 8_000:.3g}", of="work")
    assert_true(found["outside"] == 0, f"{what}: each step of the model is made by train_epoch; {found['outside']} were made outside it", of="work")
    sizes = {count for count, _ in found["calls"]}
    assert_true(8_000 * len(found["losses"]) == found["trained"], f"{what}: a loss for each pass over all the images; there are {len(found['losses'])} losses, and train_epoch was given {found['trained']:,} images", of="losses",
                hint=f"There are as many losses as calls of train_epoch, and each call got {sizes.pop():,} images; a pass goes over all 8,000, in one call or in several."
                if len(sizes) == 1 and 8_000 not in sizes and len(found["losses"]) == len(found["calls"]) else
                "There is one loss more than passes: the list has the loss of each pass, as train_epoch gave it, and none from before or after." if 8_000 * (len(found["losses"]) - 1) == found["trained"] > 0 else
                f"These are {found['trained'] / 8_000:.3g} passes over 8,000 images: the list is to have a loss for each." if found["calls"] else "fit does not call train_epoch, the function of this page; engine_parts.train_epoch is the book's.")
    ends, sums = np.cumsum([count for count, _ in found["calls"]]), np.cumsum([count * value for count, value in found["calls"]])
    at = np.searchsorted(ends, 8_000 * np.arange(1, found["trained"] // 8_000 + 1))
    if found["calls"] and np.all(ends[at] % 8_000 == 0):        # each pass ends where a call ends
        noted, listed = ([float(f"{float(value):.5g}") for value in values] for values in (np.diff(sums[at], prepend=0.) / 8_000, found["losses"]))
        assert_true(len(noted) == len(listed) and bool(np.allclose(noted, listed, rtol=1e-4, atol=0)), f"{what}: the list of losses is what train_epoch returned in each pass{' (the mean over all its images)' * (len(ends) > len(at))}, here {noted}; the list is {listed}", of="losses")
    assert_true(len(found["losses"]) > 1, f"{what}: at least two passes, here {len(found['losses'])}", of="losses", hint="The last loss is compared with the first.")
    assert_true(found["others"] == 0, f"{what}: the model that fit gets is the one that train_epoch trains; {found['others']} of {len(found['calls'])} calls were for another one", of="accuracy", hint="A copy learns for itself alone.")
    first, last = float(found["losses"][0]), float(found["losses"][-1])
    strange = (f"{found['columns']} np.eye(10)[labels] has it in the label's own column, counted from 0." if found["known"] == 1 and found["columns"] and found["paired"] < 0.999 else
               f"Of the targets only {100 * found['paired']:.0f} % belong to the images beside them: is one of the two in another order?" if found["known"] == 1 and found["paired"] < 0.999 else
               "The network learns from other numbers than those it is tested on, which go from 0 to 1." if found["known"] < 0.5 else
               f"Of an image and the next, {100 * found['alike']:.0f} % are of one class: the steps go after one class at a time. Mix the images." if found["alike"] > 0.5 else "")
    assert_true(last < first, f"{what}: the loss of the last pass is below that of the first, here {first:.4g} and {last:.4g}", of="losses", hint=strange or ("The losses rise: is the learning rate too large, or the momentum too near to 1?" if first < 2.3 else "It is that of guessing or worse: is the learning rate too large?"))
    reached = accuracy(found["linears"], *images_and_labels(clothes.val, test_start, 2_000))
    assert_true(reached >= 0.80, f"{what}: an accuracy of at least 80 % on other images, here {100 * reached:.1f} %", of="accuracy", hint=strange or (
                f"The losses are those of guessing, about 2.3, or worse: {first:.4g} in the first pass, {last:.4g} in the last. Is the learning rate too large?" if first > 2.35 and not last < 2.2 else
                f"In the first pass the loss was {first:.4g}, more than by guessing: is the learning rate too large?" if first > 2.35 else
                f"These are {found['steps']} steps in all, one for each batch: smaller batches make more of them in a pass." if found["steps"] <= 50 else
                f"The loss hardly falls, from {first:.4g} to {last:.4g}, in {found['steps']} steps"
                + (": they are too small." if found["steps"] >= 500 else ". Smaller batches make more of them in a pass.") if last > 1.5 else
                "The loss falls: a few more passes, or a learning rate that falls at the end." if found["trained"] < 80_000 else
                "The loss falls, and ten passes are the limit: smaller batches, which make more steps in a pass, another learning rate, or one that falls at the end."))

fits(0, 1, 0, "8,000 images")
### BEGIN HIDDEN TESTS
fits(24_000, 2, 5_000, "8,000 images of another part of the data")
### END HIDDEN TESTS

# %% [markdown]
# ### The graph that the engine saw
#
# The list of operations of one batch, drawn. Boxes are arrays with their shapes, ellipses operations; parameters, whose gradients go into arrays of their own, are blue. These are the book's layers, which record one operation each; a linear layer
# of A.4 records two.

# %% tags=["demo"]
def draw(operation_list):
    """The recorded operations as a picture."""
    lines, names = ["digraph { rankdir=LR; node [fontsize=11];"], {}
    for i, operation in enumerate(operation_list):
        lines.append(f'o{i} [label="{operation.backward_function.__name__.strip("_").removesuffix("_backward")}"];')
        for value, target in zip([*operation.inputs, operation.outputs], [*operation.gradients_to_update, None]):
            name = names.setdefault(id(value), f"v{len(names)}")
            size = " by ".join(map(str, np.shape(value))) or "a number"
            lines.append(f'{name} [shape=box, label="{size}"' + ("" if target is None else ", style=filled, fillcolor=lightblue") + "];")
        lines += [f"{names[id(value)]} -> o{i};" for value in operation.inputs] + [f"o{i} -> {names[id(operation.outputs)]};"]
    return d2l.show_dot("\n".join(lines + ["}"]))

engine, model, loss = engine_parts.network((784, 64, 10))
loss(np.eye(10)[train_labels[:50]], model(train_images[:50]))
display(draw(engine.operation_list))

# %% [markdown] teaches="fixed cost of an operation"
# ## 4. What an operation costs
#
# Is an engine in Python slower than torch, and by how much? It depends on the size of the arrays. The cell below takes a chain of 50 products, $x \leftarrow x \cdot c$ entry by entry, forward and back: once with NumPy and a Python list as the record, once with torch and its autograd.
# The table shows microseconds for each operation.

# %% tags=["demo"]
def chain_by_list(x, c, length=50):
    record = []
    for _ in range(length):
        x = x * c
        record.append(c)
    grad = np.ones_like(x)
    for factor in reversed(record):
        grad = grad * factor
    return grad

def chain_by_torch(x, c, length=50):
    leaf = x.clone().requires_grad_()
    y = leaf
    for _ in range(length):
        y = y * c
    return torch.autograd.grad(y, leaf, torch.ones_like(y))[0]

def best_of(run, *args, times=7):
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        run(*args)
        seconds.append(time.perf_counter() - start)
    return min(seconds)

print("    entries      list     torch   list / torch   (microseconds for each operation)")
for n in (10, 1_000, 100_000, 400_000):
    a = 1e6 / 50 * best_of(chain_by_list, np.ones(n), np.full(n, 0.99))
    b = 1e6 / 50 * best_of(chain_by_torch, torch.ones(n, dtype=torch.float64), torch.full((n,), 0.99, dtype=torch.float64))
    print(f"{n:11,} {a:9.2f} {b:9.2f} {a / b:10.2f}")

# %% [markdown]
# From 10 entries to 1,000 the numbers grow a hundredfold, and the time does not. There is a *fixed part*, which is paid for each operation whatever its size: calls, a new array, an entry in a record. With many entries the arithmetic decides, and it is
# done by compiled loops in both. A model of it is a straight line: *time = fixed part + entries · time for each entry*.

# %% [markdown] task="A.5.4" kind="explain" minutes=12 difficulty=3 needs="fixed cost of an operation"
# ### The fixed part
#
# Write `overhead(t_small, t_large, n_small, n_large)`: an operation takes `t_small` seconds for `n_small` entries and `t_large` for `n_large`. By the straight line through both it returns the fixed part in seconds.
#
# Then explain, with numbers that the table above printed on your machine: what makes up the fixed part; how the ratio of the list to torch changes with the size, and why; and two things that a library does that such an engine does not.
#
# **You are done when**
# - **fixed part**: `overhead` is right for any two points; your text answers the three questions with your own numbers.

# %% exercise="A.5.4"
def overhead(t_small, t_large, n_small, n_large):
    """The time at zero entries of the line through (n_small, t_small) and (n_large, t_large)."""
    ### BEGIN SOLUTION
    return t_small - n_small * (t_large - t_small) / (n_large - n_small)
    ### END SOLUTION

# %% [markdown] hints="A.5.4"
# 1. Which work is the same for 10 entries and for 10,000?
# 2. A line through $(n_1, t_1)$ and $(n_2, t_2)$ has the slope $(t_2 - t_1) / (n_2 - n_1)$.
# 3. A parcel of 1 kg costs 5, of 3 kg costs 9: 2 for each kg, and 3 whatever it weighs.

# %% check="A.5.4" points=1
@probe
def overhead_or_error(t_small, t_large, n_small, n_large):
    """overhead, or the error that it raises where it divides by 0, as text."""
    try:
        return overhead(t_small, t_large, n_small, n_large)
    except ZeroDivisionError as error:
        return f"ZeroDivisionError: {error}"

def from_zero(t_small, t_large, n_large):
    """The fixed part where one of the points lies at zero entries."""
    found = overhead_or_error(t_small, t_large, 0., n_large)
    assert_true(not isinstance(found, str), f"overhead({t_small}, {t_large}, 0.0, {n_large}) raises no error; yours raised {found}", of="fixed part",
                hint="One of the points may lie at zero entries itself: n_small alone, or n_large / n_small, cannot be what is divided by. The slope divides by n_large - n_small.")
    return found

def line_of(t_small, t_large, n_small, n_large):
    slope = (t_large - t_small) / (n_large - n_small)
    found = float(overhead(t_small, t_large, n_small, n_large))
    yours, risen = (t_small - found) / n_small, float(overhead(t_small + 1, t_large + 1, n_small, n_large)) - found
    return (f"The line rises by ({t_large:g} - {t_small:g}) / ({n_large:g} - {n_small:g}) = {slope:g} seconds for each entry: "
            f"for n_small that is {n_small * slope:g} of the {t_small:g} seconds. Yours is as if each entry took {yours:.4g}."
            + (f" And where both times are 1 second longer, the line lies 1 second higher, its slope is the same; your result changes by {risen:.4g}." if abs(risen - 1) > 1e-6 else ""))

assert_close(overhead(12., 26., 3., 8.), 3.6, "12 seconds for 3 entries, 26 for 8", of="fixed part",
             hint=lambda: line_of(12., 26., 3., 8.), mistakes={
    "The time of an entry is the slope of the line; this goes from t_large by n_large times t_small / n_small.": 26 - 8 * 12 / 3,
    "The slope is a quotient of two differences, and both need brackets.": 12 - 3 * 26 - 12 / 8 - 3, "The slope is a quotient of two differences: the one below needs brackets, too.": 12 - 3 * (14 / 8 - 3),
    "The slope is a quotient of two differences: the one above needs brackets, too.": 12 - 3 * (26 - 12 / 5),
    "This is the time of an entry; what remains at none of them?": 2.8, "This is the smaller time: of it the time of n_small entries goes.": 12., "This is the larger time: of it the time of n_large entries goes.": 26.,
    "Divide by n_large - n_small, and above it stands a difference, too.": 18.,
    "The time of the entries goes off; it is not added.": 20.4, "t_large goes with n_large, t_small with n_small.": 17.6, "This is the time of the n_small entries: what is left of t_small without it?": 8.4,
    "The time of an entry is the slope, (t_large - t_small) / (n_large - n_small); this divides by n_large alone.": 12 - 42 / 8, "The time of an entry is a difference by a difference, not t_large / n_large.": 2.25,
    "The time of an entry is the slope of the line, not t_small / n_large.": 7.5, "The time of an entry is a fraction, 2.8; here it is cut down to the whole number 2.": 6., "The time of an entry is a fraction, 2.8; here it is rounded to 3.": 3.,
    "This is by how much the two times differ, taken off t_small: of it the time of n_small entries goes, n_small times the slope.": -2.,
    "The slope is upside down: seconds by entries.": 12 - 3 * 5 / 14, "The fixed part is in seconds, not in microseconds.": 3.6e6, "The times or the numbers are added somewhere: the slope is a difference by a difference.": 18 / 11,
    "The slope divides by n_large - n_small, not by their sum.": 12 - 42 / 11,
    "Nothing is left: the time of an entry is the slope of the line, not a time by its own number of entries.": 0., "This is by how much the two times differ.": 14., "This is the line at one entry; the fixed part stands at none.": 6.4,
    "The fixed part is in seconds; this is its share of the smaller time.": 0.3, "This is the mean of the two times: the line half way between them, not at zero entries.": 19.,
    "This is the fixed part with the other sign.": -3.6, "This goes from t_small by n_large entries; t_small goes with n_small.": 12 - 8 * 2.8, "This is a number of entries: where the line meets zero seconds.": 3 - 12 / 2.8,
    "Here the time of one entry goes off; it is the time of n_small entries.": 9.2, "n_small times the slope goes off; here the difference of the times is divided by n_small.": 12 - 14 / 3, "This is divided once more by n_small: the fixed part is for the whole operation.": 1.2, "The time of an entry is the slope of the line, not a mean of t / n.": 1.125,
    "The line is straight in the number of entries, not in its logarithm.": 12 - 14 * np.log(3.) / np.log(8 / 3)})
assert_close(overhead(3., 5., 10., 20.), 1., "3 seconds for 10 entries, 5 for 20", of="fixed part", hint=lambda: line_of(3., 5., 10., 20.), mistakes={"This is the time of an entry; what remains at none of them?": 0.2, "Divide by n_large - n_small.": 10.})
assert_close(overhead(2., 10., 1., 5.), 0., "2 seconds for 1 entry, 10 for 5", of="fixed part", hint=lambda: line_of(2., 10., 1., 5.))
assert_close(overhead(7., 12., 2., 4.), 2., "7 seconds for 2 entries, 12 for 4", of="fixed part", hint=lambda: line_of(7., 12., 2., 4.))
assert_close(overhead(2., 8., 1., 3.), -1., "2 seconds for 1 entry, 8 for 3: a line that passes below zero", of="fixed part", hint=lambda: line_of(2., 8., 1., 3.), mistakes={"It is the line's value at zero entries, also where that is negative.": 0., "The sign is lost.": 1.})
assert_close(overhead(5., 3., 10., 20.), 7., "5 seconds for 10 entries, 3 for 20: a line that falls", of="fixed part", hint=lambda: line_of(5., 3., 10., 20.), mistakes={"The slope is negative here, and keeps its sign.": 3., "This is the smaller array's time: a line that falls goes on to the left, too.": 5.,
    "Each time belongs to its own number of entries, also where the larger array takes less.": 1.})
assert_close(from_zero(4., 9., 5.), 4., "overhead(4.0, 9.0, 0.0, 5.0): 4 seconds for 0 entries, 9 for 5", of="fixed part", hint="Where t_small is the time for 0 entries, it is the fixed part itself.")
assert_close(overhead(3.1234567e-7, 4.5678912e-7, 10., 20.), 1.67902222e-7, "3.1234567e-7 seconds for 10 entries, 4.5678912e-7 for 20", of="fixed part", rtol=1e-6, atol=0, hint="Is anything rounded?")
### BEGIN HIDDEN TESTS
def at_zero(t_small, t_large, n_small, n_large):
    return float(np.polyfit([n_small, n_large], [t_small, t_large], 1)[1])

for t_1, t_2, n_1, n_2 in ((0.04, 0.31, 1.2e6, 2e7), (2., 2., 5., 9.), (1., 4.5, 1., 4.), (0.5, 7.5, 100., 800.), (6e-6, 2e-6, 10., 1e3)):
    assert_close(overhead(t_1, t_2, n_1, n_2), at_zero(t_1, t_2, n_1, n_2), f"times {t_1} and {t_2} for {n_1:g} and {n_2:g} entries", of="fixed part", rtol=1e-6, atol=1e-9,
                 hint=lambda: where_they_part(overhead, at_zero, t_small=t_1, t_large=t_2, n_small=n_1, n_large=n_2))
assert_close(from_zero(0.2, 1.4, 30.), 0.2, "times 0.2 and 1.4 for 0 and 30 entries", of="fixed part", rtol=1e-6, atol=1e-9, hint="Where t_small is the time for 0 entries, it is the fixed part itself.")
### END HIDDEN TESTS

# %% [markdown] written="A.5.4" points=3
# ### BEGIN SOLUTION
# The fixed part is work around the numbers: Python's calls, making a new array, an entry in a list or dictionary. It is paid for each operation, whatever its size. torch has one, too, and when this was written a larger one: each operation passes its dispatcher and makes a node of its
# graph, several microseconds against less than two for the list. So with 10 entries the list took a small part of torch's time. With 400,000 entries nearly all the time goes into the arithmetic and the memory, in compiled loops on both sides, and the ratio moved towards 1.
# A library does more than such an engine: its walk is compiled; it fuses operations (a layer with its bias, a whole optimizer step), so that values pass through memory once; it reuses memory in place of making zeros and adding; it computes no gradients that nobody
# wants; it uses several threads or a GPU.
#
# **Rubric**
# - [1] The fixed part is work for each operation, not for each number; evidence: times that hardly grow from 10 to 1,000 entries; also accepted: memory allocation, torch's dispatcher; lost by "NumPy multiplies more slowly".
# - [1] The ratio changes with the size, since the arithmetic takes over; evidence: two ratios of the student's own, whichever side of 1 they lie; lost by "torch is always faster by the same factor".
# - [1] Two things that a library does: compiled walk, fused operations, reuse of memory, no gradients for inputs that need none, threads, devices; lost by "torch does not need a graph".
# ### END SOLUTION

# %% [markdown]
# ## 5. All of it yours
#
# So far the checks of this chapter lent you what was missing. Now collect your parts: put into one cell what you wrote in A.2, A.3, A.4 and on this page (of A.3 and A.4 what a network with ReLU and cross-entropy uses). It is a library for training, made by you, with NumPy alone. The parts meet where they call one another:
#
# | part | written in | how it is called |
# |---|---|---|
# | `GradientBuffer()` | A.2.1 | `memory`, `get_memory_loc(array)`, `is_in_memory(array)`, `add_spot(array)`, `update_param(array, gradient)`, `get_param(array)`, `clear()` |
# | `Operation(inputs, output, gradients_to_update, backward_operation)` | A.2.3 | its attributes `inputs`, `outputs`, `gradients_to_update`, `backward_function` |
# | `Autograd()` | A.2.4 | `add_operation` with the same four, `backward(divergence)`, `zero_grad()`; `operation_list`, `gradient_buffer` |
# | `matmul_backward`, `add_backward`, ... | A.3 | `(grad_output, a, b)` gives the gradients of both inputs, `(grad_output, a)` that of one |
# | `Linear(in_features, out_features, autograd_engine)` | A.4.1 | `layer(x)`; `W` of shape (out, in), `b` of shape (out, 1), and `dW`, `db`, `momentum_W`, `momentum_b` |
# | `ReLU(autograd_engine)` | A.4.2 | `layer(x)` |
# | `SoftmaxCrossEntropy(autograd_engine)` | A.4.4 | `loss(y, y_hat)`, with one-hot `y`; `loss_val` |
# | `MLP(layers)`, `train_epoch(...)` | A.5.1, A.5.2 | as on this page |
#
# A backward function gets the gradient of its operation's output and the recorded inputs, in their order. It returns a gradient for each input, in the shape of that input, and changes none of what it got. What it returns is only read: it may be one array twice.
#
# Whatever still does not fit shows here: a gradient that goes into an array that nobody reads, two attributes that share one array (`np.shares_memory(a, b)` tells whether two arrays do), an address that is used again.

# %% [markdown] task="A.5.5" kind="code" minutes=20 difficulty=3 core=true needs="training step, stochastic gradient descent with momentum"
# ### Your own parts, and nothing else
#
# Hand in `GradientBuffer`, `Operation`, `Autograd`, `Linear`, `ReLU`, `SoftmaxCrossEntropy`, `MLP` and `train_epoch` in one cell, with all the functions that they use, such as `matmul_backward`. (`MLP` and `train_epoch` may also stay where they are on this page.) While the check runs, `d2l_utils.engine_parts` is switched off, and so are torch's derivatives: `backward()`, `grad()` and the others.
#
# **You are done when**
# - **own parts**: it works with nothing but them;
# - **engine**: where an array is used twice, its gradients add up, also if a backward function returns one array for both its inputs; a new engine holds no operation, nor does one after `zero_grad()`, which can be used again;
# - **gradients**: `dW` and `db` of a network with two layers or more are those of torch, up to 1e-10;
# - **training**: after several passes with momentum, weights and biases are those of torch, up to 1e-8;
# - **clothes**: three passes over 3,000 images bring the network to 60 % on others.

# %% exercise="A.5.5" uses="A.5.1, A.5.2"
### BEGIN SOLUTION
class GradientBuffer:
    def __init__(self):
        self.memory = {}

    def get_memory_loc(self, np_array):
        return np_array.__array_interface__["data"][0]

    def is_in_memory(self, np_array):
        return self.get_memory_loc(np_array) in self.memory

    def add_spot(self, np_array):
        if not self.is_in_memory(np_array):
            self.memory[self.get_memory_loc(np_array)] = np.zeros(np_array.shape)

    def update_param(self, np_array, gradient):
        location = self.get_memory_loc(np_array)
        self.memory[location] = self.memory[location] + gradient

    def get_param(self, np_array):
        return self.memory[self.get_memory_loc(np_array)]

    def clear(self):
        self.memory.clear()


class Operation:
    def __init__(self, inputs, output, gradients_to_update, backward_operation):
        self.inputs, self.outputs = inputs, output
        self.gradients_to_update, self.backward_function = gradients_to_update, backward_operation


class Autograd:
    def __init__(self):
        self.operation_list, self.gradient_buffer = [], GradientBuffer()

    def add_operation(self, inputs, output, gradients_to_update, backward_operation):
        for array in inputs:
            self.gradient_buffer.add_spot(array)
        self.operation_list.append(Operation(inputs, output, gradients_to_update, backward_operation))

    def backward(self, divergence):
        grad_output = divergence
        for i, operation in enumerate(reversed(self.operation_list)):
            if i > 0:
                grad_output = self.gradient_buffer.get_param(operation.outputs)
            grads = operation.backward_function(grad_output, *operation.inputs)
            if not isinstance(grads, (tuple, list)):
                grads = (grads,)
            for array, target, grad in zip(operation.inputs, operation.gradients_to_update, grads):
                if grad is None:
                    continue
                if target is None:
                    self.gradient_buffer.update_param(array, grad)
                else:
                    target += grad

    def zero_grad(self):
        self.operation_list = []
        self.gradient_buffer.clear()


def matmul_backward(grad_output, a, b):
    return grad_output @ b.T, a.T @ grad_output


def add_backward(grad_output, a, b):
    return grad_output, grad_output.sum(axis=0, keepdims=True)      # b is one row here


def relu_backward(grad_output, a):
    return grad_output * (a > 0)


class Linear:
    def __init__(self, in_features, out_features, autograd_engine):
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


class ReLU:
    def __init__(self, autograd_engine):
        self.autograd_engine = autograd_engine

    def __call__(self, x):
        y = np.maximum(x, 0)
        self.autograd_engine.add_operation([x], y, [None], relu_backward)
        return y


class SoftmaxCrossEntropy:
    def __init__(self, autograd_engine):
        self.autograd_engine, self.loss_val = autograd_engine, None

    def __call__(self, y, y_hat):
        shifted = y_hat - y_hat.max(axis=1, keepdims=True)
        log_softmax = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        self.loss_val = np.array(-(y * log_softmax).sum() / len(y))
        self.autograd_engine.add_operation([y, y_hat], self.loss_val, [None, None], softmax_cross_entropy_backward)
        return self.loss_val


def softmax_cross_entropy_backward(grad_output, y, y_hat):
    e = np.exp(y_hat - y_hat.max(axis=1, keepdims=True))
    return None, grad_output * (e / e.sum(axis=1, keepdims=True) - y) / len(y)


class MLP:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def linears(self):
        return [layer for layer in self.layers if hasattr(layer, "W")]

    def zero_grad(self):
        for layer in self.linears():
            layer.dW[...], layer.db[...] = 0, 0

    def step(self, lr, momentum):
        for layer in self.linears():
            layer.momentum_W = momentum * layer.momentum_W + layer.dW
            layer.momentum_b = momentum * layer.momentum_b + layer.db
            layer.W -= lr * layer.momentum_W
            layer.b -= lr * layer.momentum_b


def train_epoch(model, loss, autograd_engine, X, Y, batch_size, lr, momentum):
    total_loss = 0.
    for start in range(0, len(X), batch_size):
        x, y = X[start:start + batch_size], Y[start:start + batch_size]
        autograd_engine.zero_grad()
        model.zero_grad()
        total_loss += float(loss(y, model(x))) * len(x)
        autograd_engine.backward(np.array(1.))
        model.step(lr, momentum)
    return total_loss / len(X)
### END SOLUTION

# %% [markdown] hints="A.5.5"
# 1. Which names does the first error mention that stand in another notebook of yours?
# 2. Copy the cells of A.2.1, A.2.3, A.2.4, A.3.1 to A.3.4, A.4.1, A.4.2, A.4.4, A.5.1 and A.5.2 into this one. If a part there does not pass its own check, mend it there first.
# 3. If everything passes alone and not together, print `dW` after one step, and ask for each array: with which others does it share memory? `np.shares_memory(a, b)` tells, `True` for an array and its transpose.

# %% check="A.5.5" points=4
@probe
def own_fan_out(a, rounds):
    def both(g, first, second):
        return g, g
    with engine_parts.switched_off():
        other, twice = Autograd(), a + a
        other.add_operation([a, a], twice, [None, None], both)
        engine = Autograd()
        seen, held, new = [], [], len(engine.operation_list)
        for k in range(0 if new else rounds):
            if k:
                engine.zero_grad()
            held.append(len(engine.operation_list))
            if held[-1]:
                break
            b = a + a
            engine.add_operation([a, a], b, [None, None], both)
            c = b + b
            engine.add_operation([b, b], c, [None, None], both)
            engine.backward(np.ones(a.shape))
            seen.append(np.array(engine.gradient_buffer.get_param(a)) if engine.gradient_buffer.is_in_memory(a) else np.zeros(a.shape))
        return {"grads": seen, "held": held, "new": new}

@probe
def own_sums(a, b):
    def both(g, first, second):
        return g, g
    with engine_parts.switched_off():
        engine, c, d = Autograd(), a + a, a + b
        engine.add_operation([a, a], c, [None, None], both)
        engine.add_operation([a, b], d, [None, None], both)
        e = c + d
        engine.add_operation([c, d], e, [None, None], both)
        engine.backward(np.ones(a.shape))
        return [np.array(engine.gradient_buffer.get_param(t)) if engine.gradient_buffer.is_in_memory(t) else np.zeros(t.shape) for t in (a, b)]

@probe
def own_network(sizes, weights, X, Y, batch_size, lr, momentum, passes):
    from unittest.mock import patch
    def off(*args, **kwargs):
        raise RuntimeError("torch's derivatives are switched off here: this check wants yours. Write your own")
    with engine_parts.switched_off(), patch("torch.autograd.backward", off), patch("torch.autograd.grad", off), patch("torch.autograd.forward_ad.make_dual", off):
        engine = Autograd()
        if len(engine.operation_list):
            return {"left": len(engine.operation_list)}
        linears = [Linear(n, m, engine) for n, m in zip(sizes, sizes[1:])]
        shapes = [list(np.shape(getattr(layer, name, None))) for layer in linears for name in "Wb"]
        if weights and shapes != [list(value.shape) for pair in weights for value in pair]:
            return {"shapes": shapes}
        for layer, (W, b) in zip(linears, weights or []):
            layer.W[...], layer.b[...] = W, b
        model, loss = MLP([part for layer in linears for part in (ReLU(engine), layer)][1:]), SoftmaxCrossEntropy(engine)
        def sharing():
            arrays = [(i, name, getattr(layer, name, None)) for i, layer in enumerate(linears, 1) for name in ("W", "b", "dW", "db", "momentum_W", "momentum_b")]
            return [(f"{one} of layer {i}", f"{other} of layer {j}") for k, (j, other, second) in enumerate(arrays) for i, one, first in arrays[:k]
                    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray) and np.shares_memory(first, second)]
        shared = sharing()
        try:
            if passes:
                losses = [float(train_epoch(model, loss, engine, X, Y, batch_size, lr, momentum)) for _ in range(passes)]
            else:
                losses = [float(loss(Y, model(X)))]
                engine.backward(np.array(1.))
        except ValueError as error:
            if "non-broadcastable output" not in str(error):
                raise
            return {"trouble": f"ValueError: {error}"}
        buffer, shared = engine.gradient_buffer, sharing() or shared
        views = sum(isinstance(value, np.ndarray) and np.shares_memory(value, operation.outputs) for operation in engine.operation_list
                    for value in getattr(operation, "inputs", ()) if isinstance(getattr(operation, "outputs", None), np.ndarray))
        return {"shared": shared, "views": views} | {"losses": losses, "held": len(engine.operation_list), "dX": [np.array(buffer.get_param(x)) for x in (X,) if not passes and buffer.is_in_memory(x)], "dY": [np.array(buffer.get_param(y)) for y in (Y,) if not passes and buffer.is_in_memory(y)],
                "W": [layer.W for layer in linears], "b": [layer.b for layer in linears], "dW": [layer.dW for layer in linears], "db": [layer.db for layer in linears]}

def by_autograd(sizes, weights, X, Y, batch_size, lr, momentum, passes, how=""):
    """What torch gives. `how` is a known mistake."""
    net = torch.nn.Sequential(*[m for k, j in zip(sizes, sizes[1:]) for m in (torch.nn.ReLU(), torch.nn.Linear(k, j, dtype=torch.float64))][1:])
    with torch.no_grad():
        for layer, (W, b) in zip(net[::2], weights):
            layer.weight.copy_(torch.tensor(W)), layer.bias.copy_(torch.tensor(b[:, 0]))
    moving = {"no biases": list(net.parameters())[::2], "last layer": list(net[-1].parameters())}.get(how, list(net.parameters()))
    if how in ("W alone", "b alone"):           # the others move by lr times the gradient
        moving = [{"params": list(net.parameters())[k::2], "momentum": momentum if name == how[0] else 0.} for k, name in enumerate("Wb")]
    optimizer = torch.optim.SGD(moving, lr=lr * (1 - momentum) if how == "weighed" else lr, momentum=0. if how == "no momentum" else momentum, nesterov=how == "nesterov" and momentum > 0)
    old_v = [0.] * len(list(net.parameters()))
    for _ in range(max(passes, 1)):
        for x, y in zip(torch.tensor(X).split(batch_size), torch.tensor(Y).split(batch_size)):
            if how == "last left out" and len(x) < batch_size:
                continue
            if how == "sum":
                y = y * len(y)
            if how == "entries":
                y = y / y.shape[1]
            for k, parameter in enumerate(net.parameters()):
                if how not in ("stale", f"stale {'Wb'[k % 2]}"):
                    parameter.grad = None
            if how == "frozen W":
                now = [layer.weight.data for layer in net[::2]]
                for layer, (W, _) in zip(net[::2], weights):
                    layer.weight.data = torch.tensor(W)
            if how == "no bias":
                with torch.no_grad():
                    for layer in net[::2]:
                        layer.bias.zero_()
            for module in net:
                before, x = x, module(x)
                if how in ("through", "by sign") and isinstance(module, torch.nn.ReLU):
                    x = before + (x - before).detach()
                    if how == "by sign":
                        x.register_hook(lambda g: g * (g > 0))
            if how == "over examples":
                x.backward((x.detach().softmax(dim=0) - y) / len(y))
            elif how == "over all":
                x.backward((x.detach().flatten().softmax(dim=0).reshape(x.shape) - y) / len(y))
            else:
                torch.nn.functional.cross_entropy(x, y).backward()
            if how == "frozen W":
                for layer, weight in zip(net[::2], now):
                    layer.weight.data = weight
            if passes and how != "late":
                optimizer.step()
            elif passes:
                with torch.no_grad():
                    for k, parameter in enumerate(net.parameters()):
                        parameter -= lr * old_v[k]
                        old_v[k] = momentum * old_v[k] + parameter.grad
    return {"W": [m.weight.detach().numpy() for m in net[::2]], "b": [m.bias.detach().numpy()[:, None] for m in net[::2]],
            "dW": [m.weight.grad.numpy() for m in net[::2]], "db": [m.bias.grad.numpy()[:, None] for m in net[::2]]}

def unbalanced(db):
    """Softmax minus target adds up to 0 over the classes, so the bias's gradient does."""
    total_of = float(np.sum(db))
    return (f"The entries of db of the last layer add up to {total_of:.4g}, and for softmax minus target they add up to 0: look at the loss's backward function."
            if abs(total_of) > 1e-6 and np.isfinite(total_of) else "")

def where_relu_passes(setting):
    """Below the last layer something is wrong: ask again where ReLU changes nothing, and say what is left."""
    sizes, weights, X, *rest = setting
    once = (sizes, [(abs(W), abs(b) + 0.1) for W, b in weights], abs(X), *rest)
    mine, right = own_network(*once), by_autograd(*once)
    if all(agrees_with(g, wanted) for name in ("dW", "db") for g, wanted in zip(mine[name], right[name])):
        return "The last layer is right, and all of them where every input of ReLU is above 0: look at ReLU. Does its derivative go by its input, and is the input left as it was?"
    return ("The last layer is right, those below it are not, not even where every input of ReLU is above 0 and its derivative 1: "
            "look at what the product hands back to its input, the gradient times W, and whether ReLU hands it on as it is.")

def where_training_parts(setting):
    """The gradients are right, the training is not: ask again with all examples in one batch, for one pass and for two."""
    *start, _, lr, momentum, _ = setting
    for passes, said in ((1, "Already a single step, with all examples in one batch, is not: look at the step."),
                         (2, "So is one step with all examples in one batch; two such steps are not: "
                             "look at what the first one leaves behind, and at v.")):
        once = (*start, len(start[2]), lr, momentum, passes)
        mine, right = own_network(*once), by_autograd(*once)
        if not all(agrees_with(t, wanted, 1e-8) for name in "Wb" for t, wanted in zip(mine[name], right[name])):
            return said
    return "So are two steps with all examples in one batch: look at how train_epoch cuts the examples into smaller ones."

def agrees_with(mine, wanted, close=1e-10):
    return np.shape(mine) == wanted.shape and np.allclose(mine, wanted, rtol=close, atol=close)

def together(sizes, n, batch_size, lr, momentum, passes, seed):
    draw = np.random.default_rng(seed)
    weights = [(draw.normal(size=(m, k)) / k ** 0.5, draw.normal(size=(m, 1))) for k, m in zip(sizes, sizes[1:])]
    setting = (sizes, weights, draw.normal(size=(n, sizes[0])), np.eye(sizes[-1])[draw.integers(0, sizes[-1], n)], batch_size, lr, momentum, passes)
    found, right = own_network(*setting), by_autograd(*setting)
    assert_equal(found.get("left", 0), 0, NEW_ENGINE, of="engine", hint=OWN_LIST)
    for i, shape in enumerate(found.get("shapes", [])):
        assert_equal(shape, list(weights[i // 2][i % 2].shape), of="training" if passes else "gradients",
                     what=f"the shape of {'Wb'[i % 2]} of layer {i // 2 + 1}, a network of sizes {' to '.join(map(str, sizes))}",
                     hint="As in the table above: W is (out, in), and b is a column, (out, 1).")
    trouble_here = found.get("trouble", "")
    assert_true(not trouble_here, f"a network of sizes {' to '.join(map(str, sizes))}, {n} examples: {'training' if passes else 'the walk back'} raises no error; yours raised {trouble_here}", of="training" if passes else "gradients",
                hint="An array was to be added, in place, to a smaller one. A gradient has the shape of its array; a bias is used by all examples, and its gradient is the sum over them.")
    known = {"sum": "The loss is a mean over the examples, and its gradient, too: this one is as many times too large as there are examples.",
             "entries": "The loss is a mean over the examples alone: this gradient is divided by the number of classes, too."} | ({
        "stale W": "Those of the batches before are still in dW; the db are cleared.", "stale b": "Those of the batches before are still in db; the dW are cleared.",
        "weighed": "These steps are smaller by the factor 1 - momentum: v becomes momentum * v + gradient.", "no biases": "The biases do not move.", "last layer": "This layer has not moved: does its gradient arrive, and does every layer make the step?",
        "no momentum": "These steps have no momentum.", "late": "These steps go by the v of the step before: v is renewed first, and used in the same step.", "b alone": "The steps of b have a momentum, those of W have none: W goes down by lr times momentum_W.", "W alone": "The steps of W have a momentum, those of b have none: b goes down by lr times momentum_b.", "nesterov": "This is another form, Nesterov's: the parameters move by lr times v.",
        "frozen W": "The layers go on computing with the weights of the start: is a view of W kept aside, and does the step make a new W? The view belongs to the old one.", "stale": "The gradients of the batches before are still in dW and db.", "last left out": "The last batch, which is smaller, is left out."} if passes else {"no bias": "The bias does not enter the output of a layer.",
        "over all": "The softmax in the loss's backward function divides by the sum over all examples and classes; for each example it is the sum over its own classes.",
        "over examples": "The softmax in the loss's backward function runs over the examples; for each example it runs over the classes.",
        "through": "ReLU passes a gradient on only where its input is above 0; here all of it is passed on.", "by sign": "ReLU's derivative goes by the sign of its input, not by that of the gradient."})
    names = ("W", "b") if passes else ("dW", "db")
    well = all(agrees_with(mine, wanted, 1e-8 if passes else 1e-10) for name in names for mine, wanted in zip(found[name], right[name]))
    once = setting[:4] + (n, 0., 0., 0)
    walk, exact = (found, right) if well or not passes else (own_network(*once), by_autograd(*once))
    piled, unsound = found["held"] > walk["held"], bool(passes) and not all(agrees_with(mine, wanted) for name in ("dW", "db") for mine, wanted in zip(walk[name], exact[name]))
    wrong = {} if well else {sentence: by_autograd(*setting, how) for how, sentence in known.items() if not (how == "stale" and piled)}
    nowhere = not passes and not any(np.any(g) for name in ("dW", "db") for g in found[name])
    last_right = not passes and agrees_with(found["dW"][-1], right["dW"][-1]) and agrees_with(found["db"][-1], right["db"][-1])
    below = last_right and not any(np.any(g) for name in ("dW", "db") for g in found[name][:-1])
    misplaced = any(np.shape(g) == Y.shape and np.any(g) and np.allclose(np.sum(g, axis=1), 0) for Y in (setting[3],) for g in found["dY"])
    silent = ("Nothing arrives in any dW or db: what belongs to y_hat has gone to y. Does the loss's backward function return its gradients in the order of the recorded inputs?" if nowhere and misplaced else
              "Nothing arrives in dW or db below the last layer, whose gradients are right: does ReLU record the very arrays that it got and returned, and does each layer return the array that it recorded?" if below else
              "Nothing arrives in it: is dW.T (db.T) itself recorded, no copy of it, and does the engine add to it in place?" if not nowhere else
              "Nothing arrives in any dW or db, though the input has its gradient: does the engine add in place, and to the arrays of the layers themselves?" if np.any(found["dX"]) else
              "Nothing arrives in any dW or db, nor in the input: does the walk begin with the last operation, does the loss record the very array that it got, and each layer the very array that it returns?")
    still = bool(passes) and all(np.array_equal(t, start) for name, part in (("W", 0), ("b", 1)) for t, start in zip(found[name], [pair[part] for pair in weights]))
    lazy = bool(passes) and all(np.array_equal(t, W) for t, (W, _) in zip(found["W"], weights))
    common = (f"{found['shared'][0][0]} and {found['shared'][0][1]} share their numbers: each of the six is an array of its own." if found["shared"] else
              "An operation's output shares its memory with one of its inputs, so both have one entry in the buffer: the output is a new array." if found["views"] else
              "Neither W nor b of any layer has moved: is the dW that the step reads the array that the operations were handed? A view of dW kept aside belongs to the old one as soon as zero_grad() makes a new dW." if still and not unsound else
              "W of no layer has moved, and b has: is the dW that the step reads the array that the operations were handed? A view of it kept aside belongs to the old one as soon as zero_grad() makes a new dW. And does the step change W, too?" if lazy and not unsound else "")
    wrong = {} if common else wrong
    what = f"a network of sizes {' to '.join(map(str, sizes))}, {n} examples"
    for name, of, close in (("W", "training", 1e-8), ("b", "training", 1e-8)) if passes else (("dW", "gradients", 1e-10), ("db", "gradients", 1e-10)):
        after = f", {passes} passes in batches of {batch_size}, momentum {momentum}" if passes else ", one walk back"
        for i, (mine, wanted) in enumerate(zip(found[name], right[name]), 1):
            assert_shape(mine, wanted.shape, f"{what}{after}: the shape of {name} of layer {i}", of=of)
            straight = {"Its gradient has the other sign.": -wanted, silent: 0 * wanted} | (
                {"The bias is used by every example: its gradient is the sum over them, not the mean.": wanted / n} if name == "db" else {})
            assert_close(mine, wanted, f"{what}{after}: {name} of layer {i}", of=of, rtol=close, atol=close,
                         mistakes={sentence: other[name][i - 1] for sentence, other in wrong.items()} | ({} if passes else straight),
                         hint=lambda: common if common else f"The engine holds {found['held']} operations at the end, and one batch has {walk['held']}: autograd_engine.zero_grad() for each batch, before the model runs." if piled else
                              "The gradients of a single walk are not right yet: mend them first." if unsound else
                              f"The gradients of a single walk are right. {where_training_parts(setting)}" if passes else
                              "Nearly right: something is computed in float32, or a small number is added where none belongs (1e-7, say, against a logarithm of 0)." if np.allclose(mine, wanted, rtol=1e-4, atol=1e-6) else
                              where_relu_passes(setting) if last_right else
                              unbalanced(found["db"][-1]) or
                              "Not even db of the last layer is right, which is the sum of the loss's gradient over the examples: look first at the loss's backward function, then at what sums." if not agrees_with(found["db"][-1], right["db"][-1]) else
                              "db of the last layer is right, its dW is not: look at what the product's backward function gives for the weights, and at what is recorded for them (dW.T, where the product is x @ W.T)." if not agrees_with(found["dW"][-1], right["dW"][-1]) else "")

def learns(start, count, test_start, seed_lr):
    images, labels = images_and_labels(clothes.train, start, count)
    found = own_network((784, 32, 10), None, images, np.eye(10)[labels], 50, seed_lr, 0.9, 3)
    reached = accuracy(list(zip(found["W"], found["b"])), *images_and_labels(clothes.val, test_start, 2_000))
    assert_true(reached >= 0.6, f"three passes over {count:,} images, learning rate {seed_lr}: at least 60 % of others right, here {100 * reached:.1f} %", of="clothes",
                hint="Steps from given weights are right: so look at the start, W and b drawn anew, uniform from -sqrt(1 / in) to sqrt(1 / in).")

NEW_ENGINE, OWN_LIST = "the number of operations in a new engine, after another one has recorded some", "Each engine has a list of its own, made in __init__: here two engines share one."

def adds_up(a, rounds):
    found, what = own_fan_out(a, rounds), f"a of shape {a.shape}, b = a + a, c = b + b"
    assert_equal(found["new"], 0, NEW_ENGINE, of="engine", hint=OWN_LIST)
    for k, grad in enumerate(found["grads"], 1):
        assert_close(grad, np.full(a.shape, 4.), f"{what}: the gradient of a, round {k} of {rounds}, zero_grad() between them", of="engine", mistakes={
            "2 is what a single operation gives: the walk begins with the last one, and each operation hands on what its output has got.": np.full(a.shape, 2.), "b is used twice by one operation, and a, too: what comes back to an array adds up.": np.ones(a.shape),
            "Nothing has come back to a: does the walk begin with the last operation, whose output gets the divergence?": np.zeros(a.shape)} | ({"The gradients of the round before are still in the buffer: zero_grad() clears it.": np.full(a.shape, 4. * k)} if k > 1 else {}),
            hint="The first round was right: what is left of it after zero_grad()?" if k > 1 else "")
    assert_equal(found["held"][-1], 0, f"{what}: the number of operations that the engine still holds after zero_grad()", of="engine", hint="zero_grad() forgets all operations, and clears the buffer.")
    for name, grad, times in zip("ab", own_sums(a, 2 * a + 1), (3., 1.)):
        assert_close(grad, np.full(a.shape, times), f"a and b of shape {a.shape}, c = a + a, d = a + b, e = c + d: the gradient of {name}", of="engine",
                     hint="A backward function may return one array as the gradient of both its inputs: the buffer adds it to an entry of its own, and does not keep that array itself.")

@probe
def there():
    return [name for name in ("GradientBuffer", "Operation", "Autograd", "Linear", "ReLU", "SoftmaxCrossEntropy", "MLP", "train_epoch") if name in page()]

missing = [name for name in ("GradientBuffer", "Operation", "Autograd", "Linear", "ReLU", "SoftmaxCrossEntropy", "MLP", "train_epoch") if name not in there()]
assert_true(not missing, "all eight parts are there", of="engine", hint=f"Not here yet: {', '.join(missing)}.")
with part(1, "the engine"):
    adds_up(np.array([5., -1.]), 3)
with part(1, "the gradients"):
    assert_type(own_network((2, 3, 2), [], np.array([[1., -1.]]), np.array([[0., 1.]]), 1, 0., 0., 0), dict, "a network of sizes 2 to 3 to 2 made of your parts alone", of="own parts")
    together((3, 4, 2), 5, 5, 0., 0., 0, 3)
with part(1, "training and clothes"):
    together((3, 4, 3, 2), 7, 3, 0.1, 0.9, 3, 9)
    learns(0, 3000, 0, 0.02)
### BEGIN HIDDEN TESTS
with part(1, "other inputs"):
    adds_up(np.array([[0.5, 2., -3.]]), 2)
    assert_type(own_network((3, 2), [], np.array([[1., -1., 2.]]), np.array([[0., 1.]]), 1, 0.1, 0.5, 1), dict, "a network of sizes 3 to 2 made of your parts alone", of="own parts")
    together((4, 5, 3, 2), 6, 6, 0., 0., 0, 973)
    together((3, 5, 4, 2), 9, 4, 0.05, 0.7, 2, 984)
    together((2, 6, 3), 11, 4, 0.05, 0.8, 4, 962)
    learns(30_000, 3000, 6_000, 0.03)
total()
### END HIDDEN TESTS

# %% [markdown]
# ### Against torch
#
# Seconds for one pass over 12,000 images in batches of 50, for three widths: your library, and the same network in torch. (The ratio depends on the machine; NumPy may use several threads for its products.)

# %% tags=["demo"]
def torch_pass(width):
    net = torch.nn.Sequential(torch.nn.Linear(784, width), torch.nn.ReLU(), torch.nn.Linear(width, 10)).double()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
    for x, y in zip(torch.tensor(train_images).split(50), torch.tensor(train_labels).split(50)):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()

def own_pass(width):
    engine = Autograd()
    model = MLP([Linear(784, width, engine), ReLU(engine), Linear(width, 10, engine)])
    train_epoch(model, SoftmaxCrossEntropy(engine), engine, train_images, np.eye(10)[train_labels], 50, 0.02, 0.9)

try:
    for width in (16, 64, 256):
        mine, theirs = best_of(own_pass, width, times=1), best_of(torch_pass, width, times=1)
        print(f"{width:4} hidden units: yours {mine:.3f} s, torch {theirs:.3f} s, ratio {mine / theirs:.2f}")
except Exception:
    print("This cell measures your own library: run it when A.5.5 is done.")

# %% [markdown]
# ## Summary
#
# - Momentum is a running sum of gradients that forgets: what keeps its sign adds up, what alternates cancels.
# - A training step clears the engine and the gradients, runs forward, walks back, and moves the parameters.
# - The mean loss of a pass is a mean over examples; a smaller last batch counts less.
# - An operation costs a fixed part and a part for each number. Small arrays pay mostly the fixed part.
# - You have written what `loss.backward()` and `optimizer.step()` do. Chapter B does the same for a single layer, and asks what the gradients cost in memory.
