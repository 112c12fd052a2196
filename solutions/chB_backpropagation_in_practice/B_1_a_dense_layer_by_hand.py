# %% [markdown]
# # B.1 A dense layer by hand
#
# Section 5.3 took a network of two layers and wrote its backward pass down. This chapter needs a smaller piece: one dense
# layer, its gradients, and the order in which one computes and updates. In B.2 that piece is run layer by layer, and
# each layer is updated before the next gradient exists. Here you write it, and a test that tells a right one from a wrong one.

# %% tags=["setup"]
from d2l_utils.check import *
import d2l_utils as d2l
import torch
from torch.nn import functional as F

# %% [markdown]
# ## Recap
#
# ### One layer
#
# A batch of $n$ examples reaches the layer as activations $A$ of shape $(n, d)$, an example in each row. The layer has $q$ units,
# a weight $W$ of shape $(q, d)$ and a bias $\mathbf b$ of shape $(q,)$, as `nn.Linear` has them:
#
# $$Z = A W^\top + \mathbf b, \qquad H = \mathrm{relu}(Z).$$
#
# From above arrives $\bar H = \partial L / \partial H$, of the shape of $H$. The layer owes three results: $\bar W$ and
# $\bar{\mathbf b}$ for its own update, and $\bar A$, which it passes on to the layer below. All three go through one matrix, the
# *error signal* $\Delta = \partial L / \partial Z$, of shape $(n, q)$:
#
# $$\Delta = \bar H \odot [Z > 0], \qquad \bar W = \sum_{i=1}^{n} \boldsymbol\delta_i \mathbf a_i^\top = \Delta^\top A, \qquad
# \bar{\mathbf b} = \sum_{i=1}^{n} \boldsymbol\delta_i, \qquad \bar A = \Delta W.$$
#
# $\boldsymbol\delta_i$ and $\mathbf a_i$ are row $i$ of $\Delta$ and of $A$. Where a unit was switched off, nothing of the loss depends on its $z$,
# so its error signal is 0. At $z = 0$ the slope counts as 0, as in PyTorch.
#
# This is the hidden layer of the network in 5.3.2, with three examples, two inputs and two units:

# %%
A = torch.tensor([[1., 2.], [3., -1.], [0., 1.]])
W, b = torch.tensor([[1., 0.], [-1., 2.]]), torch.tensor([-2., 1.])
Z = A @ W.T + b
dH = torch.tensor([[1., -1.], [2., 0.5], [3., 1.]])
delta = dH * (Z > 0)
Z, delta

# %% [markdown]
# ### The weight gradient is a sum of outer products
#
# For a single example, $z_j = \sum_k w_{jk} a_k + b_j$, so $\partial L / \partial w_{jk} = \delta_j a_k$: the table of all products of an
# entry of the error signal with an entry of the activation. That is the *outer product* $\boldsymbol\delta\, \mathbf a^\top$, a matrix of rank 1. Each
# example contributes one, and contributions add up. The picture shows the three and their sum.

# %%
outers = [torch.outer(delta[i], A[i]) for i in range(3)]
sum(outers), delta.T @ A

# %% tags=["demo"]
panels = d2l.show_images([*outers, sum(outers)], 1, 4, titles=["example 0", "example 1", "example 2", "their sum"], scale=1.8)
for panel, table in zip(panels, [*outers, sum(outers)]):
    panel.images[0].set(cmap="coolwarm", clim=(-8, 8))
    for (row, column), value in zip([(r, c) for r in range(2) for c in range(2)], table.flatten().tolist()):
        panel.text(column, row, f"{value + 0:g}", ha="center", va="center")

# %% [markdown]
# ### Autograd agrees
#
# `torch.autograd.grad(H, [A, W, b], dH)` runs the same backward pass: `dH` is the cotangent, what arrives from above.

# %%
leaves = [t.clone().requires_grad_() for t in (A, W, b)]
H = torch.relu(leaves[0] @ leaves[1].T + leaves[2])
for name, by_hand, by_autograd in zip("AWb", (delta @ W, delta.T @ A, delta.sum(dim=0)), torch.autograd.grad(H, leaves, dH)):
    print(name, torch.allclose(by_hand, by_autograd))

# %% [markdown]
# ## Exercises
#
# ### The parts

# %% [markdown] task="B.1.1" kind="code" minutes=5 difficulty=1 core=true
# ### The error signal
#
# Write `error_signal(dH, Z)`: for the gradient `dH` that arrives at $H = \mathrm{relu}(Z)$ and the values `Z` of before the activation, both of shape
# $(n, q)$, it returns $\Delta$ in the same shape and dtype. Where an entry of `Z` is 0, the slope counts as 0. Both arguments stay as they are.
#
# **You are done when** the check finds the error signal of two examples, one unit of which is switched off.

# %% exercise="B.1.1"
def error_signal(dH, Z):
    """The gradient by Z of what has the gradient dH by relu(Z); shapes (n, q)."""
    ### BEGIN SOLUTION
    return dH * (Z > 0)
    ### END SOLUTION

# %% [markdown] hints="B.1.1"
# 1. If $z$ is −3 and moves a little, what happens to $\mathrm{relu}(z)$?
# 2. The derivative of ReLU is 1 for positive entries and 0 for the others; it multiplies what arrives, entry by entry.
# 3. For $h = |z|$ it would be the sign: with `z = (-2, 5)` and `dh = (10, 10)` the error signal is `(-10, 10)`.

# %% check="B.1.1" points=1
arriving, before_relu = torch.tensor([[1., -1.], [2., 0.5]]), torch.tensor([[-1., 4.], [1., -3.]])
assert_close(error_signal(arriving, before_relu), torch.tensor([[0., -1.], [2., 0.]]), "the error signal of two examples", mistakes={
    "This is the value of ReLU, not its slope.": torch.tensor([[0., -4.], [2., 0.]]),
    "The mask looks at Z, not at the gradient that arrives.": torch.tensor([[1., 0.], [2., 0.5]]),
    "Where Z is negative ReLU has the slope 0; this is the slope of |z|.": torch.tensor([[-1., -1.], [2., -0.5]]),
    "The mask is missing.": arriving})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(11)
for n_, q_ in ((5, 3), (2, 7), (1, 4)):
    pre = torch.randn(n_, q_, generator=rng, dtype=torch.float64).requires_grad_()
    above = torch.randn(n_, q_, generator=rng, dtype=torch.float64)
    right, = torch.autograd.grad(F.relu(pre), pre, above)
    assert_close(error_signal(above, pre.detach()), right, f"{n_} examples, {q_} units, a random gradient from above")
    assert_dtype(error_signal(above, pre.detach()), torch.float64, "the dtype for float64")
assert_close(error_signal(torch.tensor([[5., 6., 7.]]), torch.tensor([[0., 2., -0.]])), torch.tensor([[0., 6., 0.]]),
             "the error signal where Z is 0", hint="At 0 the slope counts as 0: the mask is Z > 0.")

@probe
def both_arguments_after(above, values):
    error_signal(above, values)
    return above, values

fresh = torch.randn(4, 3, generator=rng), torch.randn(4, 3, generator=rng)
for name, after, before in zip(("dH", "Z"), both_arguments_after(*[part.clone() for part in fresh]), fresh):
    assert_close(after, before, f"{name} is left as it was", hint="An operation with a trailing underscore, or *=, changes its tensor.")
### END HIDDEN TESTS

# %% [markdown] task="B.1.2a" kind="code" minutes=6 difficulty=2 core=true
# ### The weight gradient
#
# Write `weight_gradient(delta, A)`: for the error signal of shape $(n, q)$ and the activations of shape $(n, d)$ it returns $\bar W$, the sum of the outer
# products over the examples, of shape $(q, d)$.
#
# **You are done when** the check finds the gradient of two examples, which you can add up by hand.

# %% exercise="B.1.2a"
def weight_gradient(delta, A):
    """Sum over the examples of the outer product of error signal and activation; (n, q), (n, d) -> (q, d)."""
    ### BEGIN SOLUTION
    return delta.T @ A
    ### END SOLUTION

# %% [markdown] hints="B.1.2a"
# 1. Which entry of the gradient does the product of `delta[i, j]` and `A[i, k]` belong to, and what happens with `i`?
# 2. A matrix product is a sum of outer products: $P Q = \sum_i \mathbf p_i \mathbf q_i^\top$, with the columns of $P$ and the rows of $Q$.
# 3. For a scalar layer $z = w a$, with error signals 2 and −1 and activations 3 and 4: $2 · 3 − 1 · 4 = 2$.

# %% check="B.1.2a" points=2
signal, inputs_ = torch.tensor([[1., 0.], [2., -1.]]), torch.tensor([[1., 2., 3.], [0., 1., -1.]])
assert_shape(weight_gradient(signal, inputs_), (2, 3), "2 units, 3 inputs", hint="The gradient has the shape of W: units first.")
assert_close(weight_gradient(signal, inputs_), torch.tensor([[1., 4., 1.], [0., -1., 1.]]), "the weight gradient of two examples", mistakes={
    "This is the mean over the examples; the cotangent already has the loss's 1/n in it.": torch.tensor([[0.5, 2., 0.5], [0., -0.5, 0.5]]),
    "This is the outer product of the sums: multiply first, then add up.": torch.tensor([[3., 9., 6.], [-1., -3., -2.]]),
    "Only the first example is in it.": torch.tensor([[1., 2., 3.], [0., 0., 0.]]),
    "Only the last example is in it.": torch.tensor([[0., 2., -2.], [0., -1., 1.]])})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(12)
for n_, d_, q_ in ((5, 3, 2), (4, 4, 4), (1, 6, 3), (7, 1, 5)):
    weight = torch.randn(q_, d_, generator=rng, dtype=torch.float64).requires_grad_()
    rows, above = torch.randn(n_, d_, generator=rng, dtype=torch.float64), torch.randn(n_, q_, generator=rng, dtype=torch.float64)
    right, = torch.autograd.grad(F.linear(rows, weight), weight, above)
    assert_shape(weight_gradient(above, rows), (q_, d_), f"the shape for n, d, q = {n_}, {d_}, {q_}")
    assert_close(weight_gradient(above, rows), right, f"the weight gradient for n, d, q = {n_}, {d_}, {q_}", mistakes={
        "It is transposed.": right.T, "This is the mean over the examples.": right / n_})
### END HIDDEN TESTS

# %% [markdown] task="B.1.2b" kind="code" minutes=4 difficulty=1 core=true
# ### The bias gradient
#
# Write `bias_gradient(delta)`: for the error signal of shape $(n, q)$ the gradient by $\mathbf b$, of shape $(q,)$.
#
# **You are done when** the check finds the gradient of two examples.

# %% exercise="B.1.2b"
def bias_gradient(delta):
    """The gradient by the bias, (n, q) -> (q,)."""
    ### BEGIN SOLUTION
    return delta.sum(dim=0)
    ### END SOLUTION

# %% [markdown] hints="B.1.2b"
# 1. To how many entries of $Z$ is one entry of $\mathbf b$ added?
# 2. The bias is a weight whose activation is always 1.
# 3. For a number that is added to every entry of a $(2, 3)$ matrix the gradient is the sum of all six entries of the error signal.

# %% check="B.1.2b" points=1
assert_close(bias_gradient(torch.tensor([[1., 0., 5.], [2., -1., 1.]])), torch.tensor([3., -1., 6.]), "the bias gradient of two examples",
             mistakes={"Add up over the examples, not over the units.": torch.tensor([6., 2.]),
                       "This is the mean; contributions add up.": torch.tensor([1.5, -0.5, 3.]),
                       "One axis is too many: b has the shape (q,).": torch.tensor([[3., -1., 6.]])})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(13)
for n_, q_ in ((4, 4), (6, 2), (1, 5)):
    shift = torch.zeros(q_, dtype=torch.float64, requires_grad=True)
    above = torch.randn(n_, q_, generator=rng, dtype=torch.float64)
    right, = torch.autograd.grad(torch.zeros(n_, q_, dtype=torch.float64) + shift, shift, above)
    assert_shape(bias_gradient(above), (q_,), f"the shape for n, q = {n_}, {q_}")
    assert_close(bias_gradient(above), right, f"the bias gradient for n, q = {n_}, {q_}", mistakes={
        "Add up over the examples, not over the units.": above.sum(dim=1) if n_ == q_ else right + 1})
### END HIDDEN TESTS

# %% [markdown]
# ### Update and pass on
#
# A plain training loop computes all gradients, then updates all weights. If a layer is updated inside of the backward pass, the order of two lines
# matters: the layer below needs $\bar A = \Delta W$ with the weights that the forward pass used. ⚠ After the update, `W` holds others, and nothing
# raises an error:

# %% tags=["demo"]
updated = W - 0.5 * delta.T @ A
print("through the old weights", delta @ W, sep="\n")
print("through the new weights", delta @ updated, sep="\n")

# %% [markdown] task="B.1.3" kind="code" minutes=12 difficulty=3 core=true
# ### One layer, stepped on the way back
#
# Write `backward_step(W, b, A, Z, dH, lr)`: the layer's part of a backward pass in which the layer is updated at once.
#
# - It changes `W` and `b` **in place** by a step of SGD: $W \leftarrow W - \eta\, \bar W$, $\mathbf b \leftarrow \mathbf b - \eta\, \bar{\mathbf b}$, $\eta$ = `lr`.
# - It returns $\bar A$, of the shape of `A`, computed through the weights of before the step.
# - `A`, `Z` and `dH` stay as they are. No autograd: the check calls it in `torch.inference_mode()`.
#
# **You are done when** the check finds the new weights and the gradient passed on for a layer of one unit.

# %% exercise="B.1.3"
def backward_step(W, b, A, Z, dH, lr):
    """Steps W and b in place and returns the gradient by A, through the old W."""
    ### BEGIN SOLUTION
    delta = dH * (Z > 0)
    dA = delta @ W
    W -= lr * delta.T @ A
    b -= lr * delta.sum(dim=0)
    return dA
    ### END SOLUTION

# %% [markdown] hints="B.1.3"
# 1. Which of the three results must be computed before the first weight changes?
# 2. `W -= step` changes the tensor that the caller has; `W = W - step` makes a new one, which the caller never sees.
# 3. For $z = w a$ with $w = 3$, $a = 2$, $\delta = 1$ and $\eta = 1$: pass on 3, then $w$ becomes 1. In the other order 1 would be passed on.

# %% check="B.1.3" points=3
@probe
def stepped(weight, shift, rows, above, rate):
    pre = rows @ weight.T + shift
    values = [weight, shift, rows, pre, above]
    passed = None
    with torch.inference_mode():
        passed = backward_step(*values, rate)
    return [passed, *values]

one = (torch.tensor([[3., 1.]]), torch.tensor([1.]), torch.tensor([[2., 0.], [-4., 1.]]), torch.tensor([[1.], [5.]]))
step = stepped(*[t.clone() for t in one], 0.5)
assert_close(step[0], torch.tensor([[3., 1.], [0., 0.]]), "the gradient passed on by a layer of one unit", mistakes={
    "It went through the new weights: compute it before the update.": torch.tensor([[2., 1.], [0., 0.]]),
    "The mask of ReLU is missing.": torch.tensor([[3., 1.], [15., 5.]])})
assert_close(step[1], torch.tensor([[2., 1.]]), "W after the step", mistakes={
    "W is unchanged: update the caller's tensor in place.": one[0], "The step went uphill.": torch.tensor([[4., 1.]])})
assert_close(step[2], torch.tensor([0.5]), "b after the step", mistakes={"b is unchanged: update the caller's tensor in place.": one[1]})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(14)
for n_, d_, q_, rate_ in ((5, 3, 2, 0.1), (4, 4, 4, 1.5), (6, 2, 7, 0.3)):
    given = [torch.randn(size, generator=rng, dtype=torch.float64) for size in ((q_, d_), (q_,), (n_, d_), (n_, q_))]
    leaves_ = [t.clone().requires_grad_() for t in given[:3]]
    pre = F.linear(leaves_[2], leaves_[0], leaves_[1])
    dW_, db_, dA_ = torch.autograd.grad(F.relu(pre), leaves_, given[3])
    mask_ = (pre > 0).to(torch.float64)
    found = stepped(*[t.clone() for t in given], rate_)
    about = f"n, d, q = {n_}, {d_}, {q_}"
    assert_close(found[0], dA_, f"the gradient passed on for {about}", mistakes={
        "It went through the new weights: compute it before the update.": (given[3] * mask_) @ (given[0] - rate_ * dW_),
        "The mask of ReLU is missing.": given[3] @ given[0]})
    assert_close(found[1], given[0] - rate_ * dW_, f"W after the step for {about}", mistakes={
        "The step used the mean over the examples.": given[0] - rate_ * dW_ / n_})
    assert_close(found[2], given[1] - rate_ * db_, f"b after the step for {about}")
    for name, after, before in zip(("A", "Z", "dH"), found[3:], (given[2], pre.detach(), given[3])):
        assert_close(after, before, f"{name} is left as it was, for {about}")
### END HIDDEN TESTS

# %% [markdown]
# ### Many random trials
#
# How much does agreement with autograd prove? That depends on the inputs. With $\mathbf b = 0$, a square $W$, one example, or a cotangent of ones, many wrong
# functions agree. So a test draws everything at random, often, in shapes that differ.
#
# ⚠ It must not ask for equality. `delta.T @ A` and the sum of outer products are the same formula, but a library's matrix product adds the $n$ terms in blocks, in another order and
# with other roundings. Toy sizes are treacherous: there both may add in the same order, agree in every bit, and let one believe that they always do. In float32:

# %%
torch.manual_seed(0)
for n, q, d in ((16, 5, 4), (33, 17, 9), (64, 30, 40), (200, 10, 20)):
    same, largest = 0, 0.
    for trial in range(100):
        signal, rows = torch.randn(n, q), torch.randn(n, d)
        product = signal.T @ rows
        summed = sum(torch.outer(one, other) for one, other in zip(signal, rows))
        same += torch.equal(product, summed)
        largest = max(largest, ((product - summed).norm() / product.norm()).item())
    print(f"n, q, d = {n:3}, {q:2}, {d:2}: equal in every bit {same:3} times of 100; largest relative difference {largest:.1e}")

# %% [markdown]
# Here are a right backward pass and a wrong one to try your test on. Each takes `(dH, A, W, b)`, the gradient that arrives and the layer's inputs, and returns
# `(dA, dW, db)`. The second is right as long as every unit is switched on.

# %% tags=["setup"]
def right_backward(dH, A, W, b):
    signal = torch.where(A @ W.T + b > 0, dH, torch.zeros_like(dH))
    return signal @ W, sum(torch.outer(s, a) for s, a in zip(signal, A)), signal.sum(dim=0)

def maskless_backward(dH, A, W, b):
    return dH @ W, dH.T @ A, dH.sum(dim=0)

# %% [markdown] task="B.1.4" kind="break it" minutes=15 difficulty=3 core=true
# ### A test that tells
#
# Write `accepts(backward)`: `True` if `backward(dH, A, W, b)` computes the gradients of the dense layer with ReLU, else `False`. `backward` returns
# `(dA, dW, db)` as `right_backward` does. Compare with autograd over many random trials. A function that raises an error, that does not give three
# gradients, or one of a wrong shape, is not accepted. A right one must be, whatever order it adds in; it gets float32 or float64, as you like.
#
# It is judged on right and wrong functions that you do not see: it has to tell all of them. Do not take longer than 0.2 seconds for a function.
#
# **You are done when** the check finds that it accepts `right_backward` and refuses `maskless_backward`.

# %% exercise="B.1.4"
def accepts(backward):
    """Whether backward(dH, A, W, b) -> (dA, dW, db) is right for relu(A Wᵀ + b), by random trials."""
    ### BEGIN SOLUTION
    rng = torch.Generator().manual_seed(0)
    for n, d, q in ((4, 3, 2), (1, 5, 3), (3, 3, 3), (6, 2, 5)) * 3:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(F.linear(*leaves)), leaves, dH)
        try:
            found = backward(dH, A, W, b)
            if not all(f.shape == w.shape and torch.allclose(f, w) for f, w in zip(found, wanted, strict=True)):
                return False
        except Exception:
            return False
    return True
    ### END SOLUTION

# %% [markdown] hints="B.1.4"
# 1. Which inputs would let a function pass that forgets the bias, that transposes, that takes the first example only?
# 2. `torch.allclose` broadcasts: a `db` of shape $(1, q)$ is close to one of shape $(q,)$. Compare shapes first, and put the call into `try`.
# 3. A test of `max` for lists that only tries sorted lists accepts `lambda v: v[-1]`; lists of one entry accept nearly anything.

# %% check="B.1.4" points=4
@probe
def on_the_two():
    return [int(accepts(f)) for f in (right_backward, maskless_backward)]

two = on_the_two()
assert_equal(two[0], 1, "right_backward is accepted", hint="Two right computations differ in the last bits: compare by a tolerance.")
assert_equal(two[1], 0, "maskless_backward is refused", hint="Are there units in your trials that are switched off?")
### BEGIN HIDDEN TESTS
@probe
def verdicts(names):
    def gradients(dH, A, W, b):
        signal = dH * (A @ W.T + b > 0)
        return signal @ W, signal.T @ A, signal.sum(0)

    def one_by_one(dH, A, W, b):
        total = [torch.zeros_like(A), torch.zeros_like(W), torch.zeros_like(b)]
        for i in reversed(range(len(A))):
            s = dH[i] * ((W * A[i]).sum(1) + b > 0)
            total[0][i] = (s[:, None] * W).sum(0)
            total[1] += s[:, None] * A[i]
            total[2] += s
        return total

    def by_einsum(dH, A, W, b):
        s = torch.einsum("nq,nq->nq", dH, (F.linear(A, W, b).sign() + 1).div(2).floor())
        return torch.einsum("nq,qd->nd", s, W), torch.einsum("nq,nd->qd", s, A), torch.einsum("nq->q", s)

    def changed(which, how):
        def function(dH, A, W, b):
            found = list(gradients(dH, A, W, b))
            found[which] = how(found[which], dH, A, W, b)
            return found
        return function

    functions = {
        "product": gradients, "one by one": one_by_one, "einsum": by_einsum,
        "mean over the examples": lambda dH, A, W, b: [g / len(A) if i else g for i, g in enumerate(gradients(dH, A, W, b))],
        "first example only": changed(1, lambda g, dH, A, W, b: torch.outer(*[t[0] for t in (dH * (A @ W.T + b > 0), A)])),
        "no bias in the mask": lambda dH, A, W, b: gradients(dH, A, W, 0 * b),
        "cotangent of ones": lambda dH, A, W, b: gradients(torch.ones_like(dH), A, W, b),
        "mask of what arrives": lambda dH, A, W, b: (dH.relu() @ W, dH.relu().T @ A, dH.relu().sum(0)),
        "W transposed": changed(0, lambda g, dH, A, W, b: (dH * (A @ W.T + b > 0)) @ W.T),
        "dW transposed": changed(1, lambda g, dH, A, W, b: g.T.contiguous()),
        "db with an axis too many": changed(2, lambda g, dH, A, W, b: g[None]),
        "value for slope": lambda dH, A, W, b: gradients(dH * (A @ W.T + b).relu(), A, W, b),
        "new weights": changed(0, lambda g, dH, A, W, b: (s := dH * (A @ W.T + b > 0)) @ (W - 0.1 * s.T @ A)),
        "passes nothing on": changed(0, lambda g, dH, A, W, b: 0 * g),
        "dA misses one of its units": changed(0, lambda g, dH, A, W, b: (dH * (A @ W.T + b > 0))[:, :-1] @ W[:-1]),
        "two results": lambda dH, A, W, b: gradients(dH, A, W, b)[:2],
    }
    return [int(accepts(functions[name])) for name in names]

sound = ("product", "one by one", "einsum")
bugs = {"mean over the examples": "Are there trials with more than one example?",
        "first example only": "Are there trials with more than one example?",
        "no bias in the mask": "Are the biases of your trials different from 0?",
        "cotangent of ones": "Does what arrives from above differ from ones?",
        "mask of what arrives": "Does what arrives have negative entries?", "W transposed": "Are there trials with d ≠ q?",
        "dW transposed": "Are there trials with d ≠ q?", "db with an axis too many": "Compare the shapes: broadcasting hides one more axis.",
        "value for slope": "Compare the values.", "new weights": "Look at the gradient that is passed on, too.",
        "passes nothing on": "Look at the gradient that is passed on, too.",
        "dA misses one of its units": "Look at the gradient that is passed on, too.", "two results": "Count the gradients that come back."}
said = verdicts(list(sound) + list(bugs))
for name, verdict in zip(sound, said):
    assert_equal(verdict, 1, f"a right function is accepted ({name})",
                 hint="Two right computations differ in the last bits: compare by a tolerance.")
for name, verdict in zip(bugs, said[len(sound):]):
    assert_equal(verdict, 0, f"a wrong function is refused ({name})", hint=bugs[name])
### END HIDDEN TESTS

# %% [markdown] task="B.1.5" kind="explain" minutes=12 difficulty=2
# ### Equal, or close?
#
# First set `triple` to a tuple of three finite numbers `(a, b, c)` for which, in float32, $(a + b) + c$ and $a + (b + c)$ differ. Then explain in words: why a sum of outer products
# and a matrix product, which are the same formula, need not agree in every bit; how one should compare them; and when equality in every bit *may* be asked for (B.2 asks for
# it).
#
# **You are done when** the check finds two different sums, and your text has all three points.

# %% exercise="B.1.5"
### BEGIN SOLUTION
triple = (1e8, -1e8, 1.)
### END SOLUTION

# %% [markdown] hints="B.1.5"
# 1. What does a float32 of size $10^8$ do with an addition of 1?
# 2. A float32 has 24 binary digits: from $2^{24}$ on it cannot hold every integer, and a sum is rounded to the next one that it can hold.
# 3. With three decimal digits: $(1000 - 1000) + 0.1 = 0.1$. But $-1000 + 0.1 = -999.9$ has four digits and is rounded to $-1000$, so $1000 + (-1000 + 0.1) = 0$.

# %% check="B.1.5" points=1
assert_equal(len(triple), 3, "how many numbers")
numbers_ = torch.tensor([float(v) for v in triple], dtype=torch.float32)
assert_true(bool(numbers_.isfinite().all()), "the numbers are finite in float32")
left_first, right_first = (numbers_[0] + numbers_[1]) + numbers_[2], numbers_[0] + (numbers_[1] + numbers_[2])
assert_true(left_first.item() != right_first.item(), "the two sums differ in float32",
            hint="They may differ in float64 and not in float32, or the other way round. Make one number much larger than another.")
### BEGIN HIDDEN TESTS
assert_true(bool(torch.isfinite(left_first)) and bool(torch.isfinite(right_first)), "both sums are finite",
            hint="An overflow is another matter: take smaller numbers.")
### END HIDDEN TESTS

# %% [markdown] written="B.1.5" points=3
# ### BEGIN SOLUTION
# Every addition in floating point is rounded, so addition is not associative: (1e8 − 1e8) + 1 is 1, and 1e8 + (−1e8 + 1) is 0 in float32. A matrix product adds the n terms of an
# entry in blocks, several at a time, and may multiply and add with a single rounding; the loop over outer products adds them one by one. Same terms, another order, other
# roundings. So one compares by a tolerance that is relative to the size of the values and fits the dtype, here a few times the unit roundoff of about 6e-8, times something that
# grows with n. Equality in every bit may be asked for where the same operations run in the same order on the same inputs: the same kernel, the same shapes, the same number of
# threads. The fused update of B.2 calls the same backward functions and the same optimizer step as the plain loop, only at another time.
#
# **Rubric**
# - [1] Rounding makes addition depend on the order, and the two computations add in a different order; also accepted: fused multiply-add; lost by "random numbers differ" or "the GPU is inexact".
# - [1] Compare by a relative tolerance that fits the dtype; also accepted: `torch.allclose` or `torch.testing.assert_close` with a reason; lost by an absolute tolerance without regard to the size of the values.
# - [1] Equality in every bit holds where the same kernels run on the same inputs in the same order; also accepted: the same function called twice; lost by "equal formulas give equal bits".
# ### END SOLUTION
