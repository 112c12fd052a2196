# %% [markdown]
# # B.1 A dense layer by hand
#
# `loss.backward()` gives all gradients of a network at once. Who wants to look into it, or to do something *while* it runs, needs a smaller piece: what does a single layer
# do in a backward pass? This section takes the piece that every network has, a dense layer with ReLU, and works it out with shapes. B.2 then runs it layer by layer and
# updates each layer before the next gradient exists. That only works if one order of two lines is kept, and you will see it fail in the other.
#
# At the end you can
# - say which three gradients a layer owes, and derive each one from a single example;
# - update a layer in the middle of a backward pass without spoiling the layers below;
# - write a test that tells right gradients from wrong ones, and that does not refuse a right one for its last bits;
# - say why equal formulas need not give equal bits, and when they do.

# %% tags=["setup"]
from d2l_utils.check import *
import d2l_utils as d2l
import matplotlib.pyplot as plt
import torch
from torch.nn import functional as F

torch.set_num_threads(1)        # small products are faster without threads that wait for each other

# %% [markdown] teaches="forward pass of a dense layer, gradient that arrives"
# ## 1. What a layer gets and what it owes
#
# A batch of $n$ examples reaches the layer as activations $A$ of shape $(n, d)$, an example in each row. The layer has $q$ units, with a weight $W$ of shape $(q, d)$ and a
# bias $\mathbf b$ of shape $(q,)$, as `nn.Linear` has them. It computes
#
# $$Z = A W^\top + \mathbf b, \qquad H = \mathrm{relu}(Z),$$
#
# both of shape $(n, q)$: a row for each example, a column for each unit. $\mathrm{relu}(z)$ is $z$ where $z$ is positive, else 0. Somewhere above, a loss $L$, a single
# number, is computed from $H$.
#
# On the way back the layer above has done its part, and hands down the gradient of $L$ with respect to $H$. We write a bar for such a gradient: $\bar H = \partial L / \partial H$.
# A bar never changes a shape, for each entry has one derivative of its own: $\bar H$ is $(n, q)$ like $H$. The layer now owes three results:
#
# - $\bar W$ and $\bar{\mathbf b}$, with which its own parameters are updated;
# - $\bar A$, which it hands down to the layer below. There it is the $\bar H$.

# %% tags=["demo"]
display(d2l.show_dot("""digraph { rankdir=LR; node [shape=box, fontsize=11]; edge [fontsize=11];
    below [label="layer below"]; layer [label="this layer\nW, b"]; above [label="layers above\nand loss"];
    below -> layer [label="A"]; layer -> above [label="H"];
    above -> layer [label="gradient by H", color=red, fontcolor=red]; layer -> below [label="gradient by A", color=red, fontcolor=red];
    own [label="gradients by W and b", shape=plaintext, fontcolor=red]; layer -> own [color=red]; }"""))

# %% [markdown]
# Black: forward. Red: backward. What arrives from the right belongs to the output, what leaves to the left belongs to the input, and two results stay in the house. A small layer
# to calculate with has three examples, two inputs and two units:

# %%
A = torch.tensor([[1., 2.], [3., -1.], [0., 1.]])           # (n, d) = (3, 2)
W, b = torch.tensor([[1., 0.], [-1., 2.]]), torch.tensor([-2., 1.])
Z = A @ W.T + b                                             # (n, q) = (3, 2); b is broadcast to every row
H = torch.relu(Z)
dH = torch.tensor([[1., -1.], [2., 0.5], [3., 1.]])         # arrives from above; here simply given
print(Z)
print(H)

# %% [markdown] task="B.1.A" kind="code" minutes=2 difficulty=1 core=true needs="shape, forward pass of a dense layer, gradient that arrives"
# ### Three shapes
#
# Write `shapes_owed(n, d, q)`: for a batch of `n` examples and a layer with `d` inputs and `q` units, the shapes of the three gradients that the layer owes, as a tuple of three tuples.
#
# **You are done when**
# - **weights**: the first is the shape of $\bar W$;
# - **bias**: the second is the shape of $\bar{\mathbf b}$, which has one axis;
# - **activations**: the third is the shape of $\bar A$.

# %% exercise="B.1.A"
def shapes_owed(n, d, q):
    """The shapes of the gradients by W, b and A, each a tuple."""
    ### BEGIN SOLUTION
    return (q, d), (q,), (n, d)
    ### END SOLUTION

# %% [markdown] hints="B.1.A"
# 1. What are the shapes of W, b and A themselves?
# 2. A tuple of one entry is written with a comma: `(q,)`.
# 3. For the output: H has the shape (n, q), so what arrives has the shape (n, q).

# %% check="B.1.A" points=1
def check_shapes(n_, d_, q_):
    call = f"shapes_owed({n_}, {d_}, {q_})"
    found = shapes_owed(n_, d_, q_)
    assert_type(found, (tuple, list), f"what {call} returns", of="weights", hint="A tuple of three tuples: those for W, for b and for A.")
    assert_equal(len(found), 3, f"how many shapes {call} returns", of="weights", hint="A tuple of three tuples: those for W, for b and for A.")
    assert_true([*found] != [(2, 2), (2,), (3, 2)], f"{call} is something else than shapes_owed(3, 2, 2)", of="weights", hint="These are the sizes of the small layer above: write n, d and q for them.")
    wanted = tuple(torch.nn.Linear(d_, q_).weight.shape), (q_,), tuple(torch.empty(n_, d_).shape)
    sentences = ({"The weight has a row for each unit: (q, d).": (d_, q_), "The examples are added up: n is not in it.": (n_, q_, d_), "W comes first, then b, then A.": (n_, d_)},
                 {"The bias has one axis.": (1, q_), "The bias has one axis: it is no column.": (q_, 1), "The examples are added up: n is not in it.": (n_, q_), "The bias has one entry for each unit.": (d_,), "This is the shape of a single number: the bias has an axis, with an entry for each unit.": ()},
                 {"A has a column for each input, not for each unit.": (n_, q_), "A bar never changes a shape: A is (n, d).": (d_, n_)} | ({"The axis of the examples stays, also for a single one.": (d_,)} if n_ == 1 else {}))
    for shape, right, mistakes, name, of in zip(found, wanted, sentences, "WbA", ("weights", "bias", "activations")):
        assert_type(shape, (tuple, list, torch.Size), f"{call}: the shape for {name}", of=of, hint="A shape is a tuple of whole numbers, one for each axis. " + (
            "A tuple of one entry is written with a comma, (q,): (q) is the number q." if name == "b" else "The number of entries is no shape."))
        assert_equal(shape, right, f"{call}: the shape for {name}", of=of, mistakes=mistakes, hint=f"A gradient by {name} has the shape of {name}, for any n, d and q.")

check_shapes(5, 3, 2)
check_shapes(4, 6, 7)
check_shapes(1, 4, 9)
### BEGIN HIDDEN TESTS
check_shapes(1, 8, 9)
check_shapes(12, 4, 1)
### END HIDDEN TESTS

# %% [markdown] teaches="error signal, slope of relu"
# ## 2. Through the activation: the error signal
#
# Go back step by step, beginning with the last thing that was done: $h_{ij} = \mathrm{relu}(z_{ij})$. Each entry of $H$ depends on one entry of $Z$, so the chain rule has a single term,
#
# $$\frac{\partial L}{\partial z_{ij}} = \frac{\partial L}{\partial h_{ij}} \cdot \mathrm{relu}'(z_{ij}), \qquad \mathrm{relu}'(z) = \begin{cases} 1 & z > 0,\\ 0 & z \le 0.\end{cases}$$
#
# If $z$ is −3 and moves a little, the output stays 0: nothing of the loss depends on it. At $z = 0$ the curve has a corner and no derivative; PyTorch takes 0 there, and so do we. All these numbers together are the *error signal*
# $\Delta = \partial L / \partial Z$, of shape $(n, q)$:
#
# $$\Delta = \bar H \odot [Z > 0] .$$
#
# $\odot$ multiplies entry by entry, and $[Z > 0]$ is the table of ones and zeros that says where $Z$ is positive. In PyTorch it is `Z > 0`: True counts as 1 in a product.

# %% teaches="error signal"
delta = dH * (Z > 0)
print(Z > 0)
print(delta)

# %% [markdown]
# For the first example, unit 0 has $z = -1$: switched off. A 1 arrives for it, and 0 goes on. All three gradients that the layer owes go through this matrix; whoever forgets the mask gets all three wrong.

# %% [markdown] task="B.1.1" kind="code" minutes=5 difficulty=1 core=true needs="error signal, slope of relu, boolean mask"
# ### The error signal
#
# Write `error_signal(dH, Z)`: for the gradient `dH` that arrives at $H = \mathrm{relu}(Z)$ and the values `Z` of before the activation, both of shape $(n, q)$, it returns $\Delta$.
#
# **You are done when**
# - **mask**: where `Z` is positive the gradient passes unchanged, with its sign; where `Z` is negative it is 0;
# - **corner**: where `Z` is 0, it is 0;
# - **dtype**: it is that of the arguments, float32 or float64;
# - **arguments kept**: `dH` and `Z` are as they were, and still require no gradients.

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
def entry_by_entry(arriving, values, shown=True):
    """Whether each entry is right if it is asked for alone."""
    for above_, z_ in zip(arriving.flatten().tolist(), values.flatten().tolist()):
        alone = error_signal(torch.tensor([[above_]]), torch.tensor([[z_]])).item()
        if abs(alone - above_ * (z_ > 0)) > 1e-4:
            return not shown and "For one entry alone, too, yours is not right: it is that of dH where Z is positive, and 0 where it is not." or f"For one entry alone, dH = {above_:g} and Z = {z_:g}, yours is {alone:.4g}: {'Z is positive, so dH passes as it is.' if z_ > 0 else 'Z is not positive, so nothing passes.'}"
    return "For each entry alone yours is right: look at what an entry takes from its neighbours. It is masked by its own Z, and by no other."

def two_examples_back():
    arriving, before_relu = torch.tensor([[1., -1.], [2., 0.5]]), torch.tensor([[-1., 4.], [0.25, -3.]])
    found = error_signal(arriving.clone(), before_relu.clone())
    assert_type(found, torch.Tensor, "what error_signal returns", of="mask", hint="It returns the error signal, a tensor of the shape of Z.")
    assert_shape(found, (2, 2), "the shape for 2 examples and 2 units", of="mask", hint="There is an entry for each entry of Z: none is left out, and none are added up.")
    assert_close(found, torch.tensor([[0., -1.], [2., 0.]]), "the error signal for dH = (1, -1), (2, 0.5) and Z = (-1, 4), (0.25, -3)", of="mask", hint=lambda: entry_by_entry(arriving, before_relu), mistakes={
        "The mask is a factor: it is multiplied with dH, not added.": torch.tensor([[1., 0.], [3., 0.5]]),
        "ReLU has the slope 1 where Z is positive and 0 where it is negative; this is the slope of the sigmoid.": arriving * before_relu.sigmoid() * (1 - before_relu.sigmoid()),
        "This is the value of ReLU, not its slope.": torch.tensor([[0., -4.], [0.5, 0.]]),
        "Two things: what arrives is multiplied by ReLU's slope, not by Z itself, and where it is negative it passes, too.": torch.tensor([[0., 0.], [0.5, 0.]]),
        "The slope is 1 wherever Z is positive, whatever its size.": torch.tensor([[0., -1.], [0.5, 0.]]),
        "Z is positive however small it is.": torch.tensor([[0., -1.], [0., 0.]]),
        "Each example has a mask of its own: this is the first one's for all.": torch.tensor([[0., -1.], [0., 0.5]]),
        "Where Z is negative nothing passes, not even a hundredth.": torch.tensor([[0.01, -1.], [2., 0.005]]),
        "This is the value of ReLU alone: the gradient that arrives is missing.": before_relu.relu(),
        "The mask looks at Z, not at the gradient that arrives.": torch.tensor([[1., 0.], [2., 0.5]]),
        "Where Z is negative ReLU has the slope 0; this is the slope of |z|.": torch.tensor([[-1., -1.], [2., -0.5]]),
        "The mask is the wrong way round.": torch.tensor([[1., 0.], [0., 0.5]]),
        "A negative gradient passes, too: only the sign of Z matters.": torch.tensor([[0., 0.], [2., 0.]]),
        "This is the mask alone: the gradient that arrives is missing.": torch.tensor([[0., 1.], [1., 0.]]),
        "The sign of what arrives is lost.": torch.tensor([[0., 1.], [2., 0.]]),
        "The mask is missing, or lets everything through.": arriving})

@probe
def both_arguments_after(above, values):
    error_signal(above, values)
    return above.detach(), values.detach(), int(above.requires_grad) + int(values.requires_grad)

def same_arguments(n_, q_, seed_):
    rng = torch.Generator().manual_seed(seed_)
    given = torch.randn(n_, q_, generator=rng), torch.randn(n_, q_, generator=rng)
    *found, requiring = both_arguments_after(*[part_.clone() for part_ in given])
    assert_true(requiring == 0, f"neither dH nor Z requires gradients after the call, {n_} examples, {q_} units", of="arguments kept", hint="requires_grad_() changes the caller's tensor: use it on a copy, as in Z.clone().requires_grad_().")
    for name, after, before in zip(("dH", "Z"), found, given):
        assert_close(after, before, f"{name} after the call, {n_} examples, {q_} units", of="arguments kept", hint="An operation with a trailing underscore, *= or an assignment to dH[...] changes its tensor.")

two_examples_back()
assert_true(not bool(torch.as_tensor(error_signal(torch.tensor([[5., 6., -7.]]), torch.tensor([[0., 2., 0.]]))).isnan().any()), "the error signal for dH = (5, 6, -7) and Z = (0, 2, 0) holds numbers, no nan", of="corner",
            hint="At Z = 0 a quotient such as relu(Z) / Z is 0 / 0, which is nan. Ask whether Z is positive; do not divide by it.")
assert_close(error_signal(torch.tensor([[5., 6., -7.]]), torch.tensor([[0., 2., 0.]])), torch.tensor([[0., 6., 0.]]), "the error signal for dH = (5, 6, -7) and Z = (0, 2, 0)",
             of="corner", hint=lambda: entry_by_entry(torch.tensor([[5., 6., -7.]]), torch.tensor([[0., 2., 0.]])), mistakes={"At 0 the slope counts as 0: the mask is Z > 0.": torch.tensor([[5., 6., -7.]]), "At 0 the slope counts as 0, not as one half.": torch.tensor([[2.5, 6., -3.5]])})
assert_close(error_signal(torch.tensor([[3.], [5.]]), torch.tensor([[1e-4], [-1e-4]])), torch.tensor([[3.], [0.]]), "the error signal for dH = (3), (5) and Z = (0.0001), (-0.0001)", of="mask", hint="Z is positive however small it is, and negative, too.")
assert_dtype(error_signal(torch.ones(1, 2, dtype=torch.float64), torch.ones(1, 2, dtype=torch.float64)), torch.float64, "the dtype for float64", of="dtype", hint="The factor that masks takes the dtype of dH; float() makes float32 of anything.")
assert_dtype(error_signal(torch.ones(1, 2), torch.ones(1, 2)), torch.float32, "the dtype for float32", of="dtype", hint="The factor that masks takes the dtype of dH; double() makes float64 of anything.")
same_arguments(2, 3, 10)
### BEGIN HIDDEN TESTS
def random_signals():
    rng = torch.Generator().manual_seed(11)
    for n_, q_ in ((5, 3), (2, 7), (1, 4)):
        pre = torch.randn(n_, q_, generator=rng, dtype=torch.float64).requires_grad_()
        above = torch.randn(n_, q_, generator=rng, dtype=torch.float64)
        right, = torch.autograd.grad(F.relu(pre), pre, above)
        assert_close(error_signal(above, pre.detach()), right, f"{n_} examples, {q_} units, a random gradient from above", of="mask",
                     hint=lambda: entry_by_entry(above, pre.detach(), shown=False))
        assert_dtype(error_signal(above, pre.detach()), torch.float64, f"the dtype for float64, {n_} examples", of="dtype", hint="The factor that masks takes the dtype of dH; float() makes float32 of anything.")

random_signals()
assert_close(error_signal(torch.tensor([[5.], [6.], [-3.]]), torch.tensor([[2e-6], [0.], [-2e-6]])), torch.tensor([[5.], [0.], [0.]]), "the error signal where Z is 0, and close to 0", of="corner", hint="The slope is 1 where Z is positive, however small, and 0 at 0 and below.")
same_arguments(4, 3, 12)
same_arguments(1, 5, 13)
### END HIDDEN TESTS

# %% [markdown] teaches="weight gradient as a sum of outer products, contribution of one example"
# ## 3. The weight gradient is a sum of outer products
#
# Take a single example, with activations $a_1 \dots a_d$ and error signal $\delta_1 \dots \delta_q$. The weight $w_{jk}$ occurs in one place only,
#
# $$z_j = \sum_{k} w_{jk}\, a_k + b_j ,$$
#
# and there with the factor $a_k$. So $\partial z_j / \partial w_{jk} = a_k$, and by the chain rule
#
# $$\frac{\partial L}{\partial w_{jk}} = \delta_j\, a_k .$$
#
# In words: *how much the unit's output should change, times what came in at this weight*. A weight with a silent input ($a_k = 0$) gets no gradient, and neither does any weight of a unit that was switched off. All pairs $(j, k)$ make a table
# of shape $(q, d)$, the *outer product* $\boldsymbol\delta\, \mathbf a^\top$ of the two vectors: every row is a multiple of $\mathbf a$, so its rank is 1 (or 0).
#
# With $n$ examples, the same weight occurs once in each row of $Z$. The chain rule in several variables adds up over all ways from $w_{jk}$ to the loss:
#
# $$\bar W = \sum_{i=1}^{n} \boldsymbol\delta_i\, \mathbf a_i^\top, \qquad \bar w_{jk} = \sum_{i=1}^{n} \delta_{ij}\, a_{ik} ,$$
#
# where $\boldsymbol\delta_i$ and $\mathbf a_i$ are row $i$ of $\Delta$ and of $A$. `torch.outer(u, v)` makes the outer product of two vectors:

# %% teaches="outer product"
outers = [torch.outer(delta[i], A[i]) for i in range(3)]      # each (q, d) = (2, 2)
print(outers[0])
print(sum(outers))

# %% tags=["demo"]
figure, axes = plt.subplots(1, 4, figsize=(8, 2.5), layout="constrained")
for ax, table, title in zip(axes, [*outers, sum(outers)], ["example 0", "example 1", "example 2", "their sum"]):
    ax.imshow(table, cmap="coolwarm", vmin=-8, vmax=8)
    for row in range(2):
        for column in range(2):
            ax.text(column, row, f"{table[row, column].item() + 0:g}", ha="center", va="center")
    ax.set(title=title, xticks=[0, 1], yticks=[0, 1], xlabel="input k")
axes[0].set_ylabel("unit j")
plt.show()

# %% [markdown]
# Each of the first three tables has a row of zeros: for every example here one of the two units was switched off. What is left is a multiple of that example's activations. The sum has rows of both kinds.

# %% [markdown] task="B.1.B" kind="code" minutes=3 difficulty=1 core=true needs="outer product, contribution of one example"
# ### What one example adds
#
# Write `contribution(delta, A, i)`: what example `i` (counted from 0) adds to the weight gradient, for `delta` of shape $(n, q)$ and `A` of shape $(n, d)$.
#
# **You are done when**
# - **shape**: it is $(q, d)$, like that of the weight;
# - **this example alone**: each entry is the product of an entry of row `i` of `delta` and one of row `i` of `A`.

# %% exercise="B.1.B"
def contribution(delta, A, i):
    """The outer product of error signal and activation of example i, shape (q, d)."""
    ### BEGIN SOLUTION
    return torch.outer(delta[i], A[i])
    ### END SOLUTION

# %% [markdown] hints="B.1.B"
# 1. Which row of `delta` and which row of `A` belong to the example?
# 2. `torch.outer(u, v)` has an entry for each pair, with `u` along the rows.
# 3. For (2, 5) and (1, 0, 3) the outer product is (2, 0, 6), (5, 0, 15).

# %% check="B.1.B" points=1
def which_rows(signal, rows, i):
    """Whether other rows have a part in it, and what comes out for a single unit and input."""
    others, found = (torch.arange(len(signal)) != i).double()[:, None], contribution(signal, rows, i)
    moved = [name for name, pair in (("delta", (signal + others, rows)), ("A", (signal, rows + others))) if not torch.allclose(contribution(*pair, i).double(), found.double())]
    if moved:
        return f"Yours changes if other rows of {' and of '.join(moved)} change: only row i of delta and row i of A have a part in it."
    for signal_, row_ in ((2., 3.), (-2., 3.), (2., -3.)):
        alone = contribution(torch.tensor([[signal_]]), torch.tensor([[row_]]), 0).item()
        if abs(alone - signal_ * row_) > 1e-4:
            return f"For one example with one unit, delta = {signal_:g}, and one input, A = {row_:g}, yours is {alone:.4g}: it is to be {signal_:g} · {row_:g} = {signal_ * row_:g}."
    return "The entry in row j and column k is delta[i, j] times A[i, k], for this i alone."

def check_contribution(n_, q_, d_, seed_):
    rng = torch.Generator().manual_seed(seed_)
    signal, rows = (torch.randint(-4, 5, size, generator=rng).double() + 0.5 for size in ((n_, q_), (n_, d_)))
    for i_ in dict.fromkeys((n_ // 2, n_ - 1, 0)):
        about, right = f"example {i_} of {n_}, {q_} {'unit' if q_ == 1 else 'units'}, {d_} {'input' if d_ == 1 else 'inputs'}", torch.einsum("j,k->jk", signal[i_], rows[i_])
        found = contribution(signal, rows, i_)
        assert_type(found, torch.Tensor, f"what contribution returns for {about}", of="shape", hint="A tensor of shape (q, d), as delta and A are tensors.")
        assert_shape(found, (q_, d_), f"{about}: the shape", of="shape", hint={0: "This is a single number. An outer product has an entry for each pair of a unit and an input.", 1: "This has one axis. An outer product has an entry for each pair of a unit and an input, and keeps an axis of length 1."}.get(
            len(found.shape), "Units along the rows, inputs along the columns, and no axis for the example."))
        if q_ == d_:
            assert_true(tuple(found.shape) != (q_, d_) or not torch.equal(found.detach().double(), right.T), f"{about}: it is not transposed", of="shape", hint="Units along the rows, inputs along the columns: rows belong to delta.")
        mistakes = {"These are all examples together.": signal.T @ rows, "Examples are counted from 0: this is the one before.": torch.outer(signal[i_ - 1], rows[i_ - 1]),
                    "The error signal and the activations are those of two different examples.": torch.outer(signal[i_], rows[0]) if i_ else torch.outer(signal[0], rows[-1]),
                    "The error signal is that of another example than the activations.": torch.outer(signal[0], rows[i_]) if i_ else torch.outer(signal[-1], rows[0])} | ({"This is example 0, whichever was asked for.": torch.outer(signal[0], rows[0])} if i_ else {})
        mistakes |= ({"This is what the examples up to this one add together: this one alone is asked for.": signal[:i_ + 1].T @ rows[:i_ + 1]} if 0 < i_ < n_ - 1 else {}) | ({
            "This is what all the others add: this example alone is asked for.": signal.T @ rows - right} if n_ > 2 else {})
        mistakes |= {"An entry of delta is multiplied with one of A, not added to it.": signal[i_][:, None] + rows[i_], "A negative error signal counts, too: the mask of ReLU is in delta already.": torch.outer(signal[i_].relu(), rows[i_]),
                     "A negative activation counts, too.": torch.outer(signal[i_], rows[i_].relu()), "Entries stand in the wrong places: transpose, do not reshape.": right.T.reshape(q_, d_)}
        mistakes |= ({"This is what the examples from this one on add together: this one alone is asked for.": signal[i_:].T @ rows[i_:]} if 0 < i_ < n_ - 1 else {}) | ({
            "An example is a row of delta and of A, not a column.": torch.outer(signal[:, i_], rows[:, i_])} if n_ == q_ == d_ else {})
        mistakes |= {"This is the outer product of the sums over the examples: one example alone is asked for.": torch.outer(signal.sum(0), rows.sum(0)), "The rows of two examples are added up before the product.": torch.outer(signal[i_] + signal[i_ - 1], rows[i_] + rows[i_ - 1])} if n_ > 2 else {}
        assert_close(found, right, f"{about}: the outer product", of="this example alone", mistakes=mistakes | {"The share of an example is not divided by n.": right / n_}, hint=lambda: which_rows(signal, rows, i_))  # noqa: B023

check_contribution(4, 4, 4, 7)
check_contribution(4, 2, 5, 1)
check_contribution(2, 1, 3, 5)
check_contribution(3, 4, 1, 6)
### BEGIN HIDDEN TESTS
check_contribution(4, 3, 2, 2)
check_contribution(2, 1, 5, 3)
check_contribution(5, 6, 1, 4)
### END HIDDEN TESTS

# %% [markdown] teaches="weight gradient of a layer, matrix product as a sum of outer products"
# ### In one product
#
# The sum over $i$ of $\delta_{ij} a_{ik}$ is just what a matrix product computes: rows of one factor against columns of the other, with the examples as the axis that is summed away. $\Delta^\top$ is $(q, n)$, $A$ is $(n, d)$:
#
# $$\bar W = \Delta^\top A, \qquad (q, n) \cdot (n, d) \to (q, d).$$
#
# So a matrix product *is* a sum of outer products: the columns of the first factor with the rows of the second.

# %% teaches="weight gradient of a layer"
print(delta.T @ A)
print(torch.outer(delta.sum(dim=0), A.sum(dim=0)), "<- the outer product of the sums is something else")

# %% [markdown]
# ⚠ Sum or mean? The sum. If the loss is a mean over the examples, its factor $1/n$ is in $\bar H$ already, because $\bar H$ is the derivative of that loss. Who divides by $n$ here divides twice.

# %% [markdown] task="B.1.2a" kind="code" minutes=5 difficulty=2 core=true needs="weight gradient of a layer, weight gradient as a sum of outer products, matrix product"
# ### The weight gradient
#
# Write `weight_gradient(delta, A)`: for the error signal of shape $(n, q)$ and the activations of shape $(n, d)$ it returns $\bar W$.
#
# **You are done when**
# - **shape**: it is $(q, d)$;
# - **sum over the examples**: it is the sum, not the mean, of the outer products of all examples.

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
def other_product():
    signal, rows = torch.tensor([[1., 2.], [3., 5.]]), torch.tensor([[2., 0.], [1., 4.]])
    found = weight_gradient(signal, rows)
    assert_type(found, torch.Tensor, "what weight_gradient returns", of="shape", hint="It returns the gradient, a tensor of the shape of W.")
    for name, product in (("delta @ A", signal @ rows), ("A @ delta", rows @ signal)):
        assert_true(found.shape != product.shape or not torch.equal(found.detach().float(), product), f"weight_gradient(delta, A) is another product than {name}, for n, d, q = 2, 2, 2", of="sum over the examples",
                    hint="A matrix product sums over the columns of the left factor and the rows of the right one. The axis that is summed away here is that of the examples, in both factors. (A reshape is no transpose: the entries stay in their order.)")

def outer_products(signal, rows, shown=True):
    """Whether each example is right if it is alone."""
    for i in range(len(signal)):
        alone, right = weight_gradient(signal[i:i + 1], rows[i:i + 1]), torch.outer(signal[i], rows[i])
        for j, k in (((alone - right).abs() > 1e-4).nonzero().tolist())[:1]:
            if not shown:
                return "For a single example, too, yours is not right: it is to be the outer product of its delta and its A, and nothing else is done to it."
            return (f"For example {i} alone, delta = ({', '.join(f'{v:g}' for v in signal[i].tolist())}) and A = ({', '.join(f'{v:g}' for v in rows[i].tolist())}), yours has {alone[j, k].item():.4g} at [{j}, {k}]: "
                    f"it is to be {signal[i, j].item():g} · {rows[i, k].item():g} = {right[j, k].item():g}, and nothing else is done to it.")
    return "For each example alone yours is right, the outer product. For several, their outer products are to be added up, and nothing else is done to them."

def three_examples_weights():
    signal, rows = torch.tensor([[1., 0.], [2., -1.], [0., 3.]]), torch.tensor([[1., 2., 3., 0.], [0., 1., -1., 2.], [1., 0., 1., 1.]])
    found = weight_gradient(signal, rows)
    assert_type(found, torch.Tensor, "what weight_gradient returns", of="shape", hint="It returns the gradient, a tensor of the shape of W.")
    assert_shape(found, (2, 4), "the shape for 3 examples, 2 units, 4 inputs", of="shape", hint="The gradient has the shape of W: units first, and no axis for the examples.", mistakes={
        "It is transposed: a row for each unit, a column for each input.": (4, 2), "The outer products are not added up: the axis of the examples is still there.": (3, 2, 4),
        "The outer products are not added up, and the axis of the examples is still there; units come before inputs.": (3, 4, 2), "The inputs are added up: each weight has an entry of its own.": (2,), "The units are added up: each weight has an entry of its own.": (4,),
        "This is a single number: each weight has an entry of its own.": ()})
    right = torch.tensor([[1., 4., 1., 4.], [3., -1., 4., 1.]])
    assert_close(found, right, "the weight gradient for delta = (1, 0), (2, -1), (0, 3) and A = (1, 2, 3, 0), (0, 1, -1, 2), (1, 0, 1, 1)", of="sum over the examples", hint=lambda: outer_products(signal, rows), mistakes={
        "A negative error signal counts, too: the mask of ReLU is in delta already.": signal.relu().T @ rows, "A negative activation counts, too.": signal.T @ rows.relu(), "The first example is missing.": signal[1:].T @ rows[1:],
        "The products are added up as they are, not squared.": torch.einsum("nq,nd->nqd", signal, rows).norm(dim=0), "The products are added up with their signs.": signal.abs().T @ rows.abs(),
        "The products of all examples are added up: these are the largest.": torch.einsum("nq,nd->nqd", signal, rows).amax(0), "Nothing is subtracted from delta or A before the product.": (signal - signal.mean(0)).T @ rows,
        "The sum is neither multiplied by the number of examples nor divided by it.": 3 * right, "The gradient itself is asked for; its sign changes in the update.": -right,
        "A sum begins at 0, not at 1.": right + 1,
        "This is the mean over the examples; what arrives already has the loss's 1/n in it.": right / 3,
        "The sum is not divided by the number of units.": right / 2, "The sum is not divided by the number of inputs.": right / 4,
        "This is the outer product of the sums: multiply first, then add up.": torch.outer(signal.sum(0), rows.sum(0)),
        "Only the first example is in it.": torch.outer(signal[0], rows[0]),
        "Only the last example is in it.": torch.outer(signal[2], rows[2]),
        "The last example is missing.": signal[:2].T @ rows[:2], "The sign of the sums is lost.": right.abs(),
        "Entries stand in the wrong places: transpose, do not reshape.": right.T.reshape(2, 4)})
    assert_shape(weight_gradient(signal[:1], rows[:1]), (2, 4), "the shape for a single example", of="shape", hint="A row for each unit and a column for each input, however many examples there are.")
    assert_shape(weight_gradient(signal, rows[:, :1]), (2, 1), "the shape for 3 examples, 2 units, 1 input", of="shape", hint="An axis of length 1 stays.")
    assert_shape(weight_gradient(signal[:, :1], rows), (1, 4), "the shape for 3 examples, 1 unit, 4 inputs", of="shape", hint="An axis of length 1 stays.")
    assert_close(weight_gradient(signal, rows[:, :2]), torch.tensor([[1., 4.], [3., -1.]]), "the weight gradient with the first two inputs only, 2 units, 2 inputs", of="sum over the examples", hint=lambda: outer_products(signal, rows[:, :2]),
                 mistakes={"It is transposed.": torch.tensor([[1., 3.], [4., -1.]])})
    assert_close(weight_gradient(torch.cat([signal, signal]), torch.cat([rows, rows])), 2 * right, "the weight gradient where each of the three examples stands there twice", of="sum over the examples", hint="For the three examples alone yours is right: with each of them twice every entry is twice as large.",
                 mistakes={"Not all examples are in it.": right})

other_product()
three_examples_weights()
### BEGIN HIDDEN TESTS
def random_weights():
    rng = torch.Generator().manual_seed(12)
    for n_, d_, q_ in ((5, 3, 2), (4, 4, 4), (1, 6, 3), (7, 1, 5), (6, 2, 1)):
        weight = torch.randn(q_, d_, generator=rng, dtype=torch.float64).requires_grad_()
        rows, above = torch.randn(n_, d_, generator=rng, dtype=torch.float64), torch.randn(n_, q_, generator=rng, dtype=torch.float64)
        right, = torch.autograd.grad(F.linear(rows, weight), weight, above)
        assert_shape(weight_gradient(above, rows), (q_, d_), f"the shape for n, d, q = {n_}, {d_}, {q_}", of="shape", hint="A row for each unit and a column for each input, also where there is one of them.")
        assert_close(weight_gradient(above, rows), right, f"the weight gradient for n, d, q = {n_}, {d_}, {q_}", of="sum over the examples",
                     hint=lambda: outer_products(above, rows, shown=False),
                     mistakes=({"It is transposed.": right.T} if d_ == q_ else {}) | ({"This is the mean over the examples.": right / n_} if n_ > 1 else {}))

random_weights()
### END HIDDEN TESTS

# %% [markdown] teaches="bias gradient of a layer"
# ### The bias
#
# The bias $b_j$ is added to $z_{ij}$ for *every* example $i$, with the factor 1. So its gradient is the sum of what arrives at all these places:
#
# $$\bar b_j = \sum_{i=1}^{n} \delta_{ij} .$$
#
# One can also say: the bias is a weight whose input is always 1. For a shape of $(q,)$ the axis that is summed away is the first.

# %% teaches="bias gradient of a layer"
print(delta.sum(dim=0), delta.T @ torch.ones(3))

# %% [markdown] task="B.1.2b" kind="code" minutes=3 difficulty=1 core=true needs="bias gradient of a layer, sum along an axis"
# ### The bias gradient
#
# Write `bias_gradient(delta)`: for the error signal of shape $(n, q)$ the gradient by $\mathbf b$.
#
# **You are done when**
# - **shape**: it is $(q,)$, for a single unit and for a single example, too;
# - **sum over the examples**: each entry is the sum of a column of `delta`.

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
def column_sums(signal, shown=True):
    """Whether each example is right if it is alone."""
    if not bias_gradient(signal).is_floating_point():
        return "These are whole numbers, as counting gives them: the entries themselves are added up."
    for i, row in enumerate(signal):
        alone = bias_gradient(row[None])
        if (alone - row).abs().max() > 1e-4:
            return not shown and "For a single example, too, yours is not right: it is to be its row as it is." or f"For example {i} alone, delta = ({', '.join(f'{v:g}' for v in row.tolist())}), yours is ({', '.join(f'{v:.4g}' for v in alone.tolist())}): with a single example it is that row as it is."
    return "For each example alone yours is right, its row. For several, their rows are to be added up, and nothing else is done to them."

def small_biases():
    signal = torch.tensor([[1., 0., 5.], [2., -1., 1.]])
    found = bias_gradient(signal)
    assert_type(found, torch.Tensor, "what bias_gradient returns", of="shape", hint="A tensor of shape (q,).")
    for part_, size in ((signal, "2 examples, 3 units"), (signal[:, :1], "2 examples, 1 unit"), (signal[:1], "1 example, 3 units"), (signal[:1, :1], "1 example, 1 unit")):
        result = bias_gradient(part_)
        assert_type(result, torch.Tensor, f"what bias_gradient returns for {size}", of="shape", hint="A tensor of shape (q,).")
        assert_shape(result, (part_.shape[1],), f"the shape for {size}", of="shape", hint={
            0: "The axis of the units stays, also where it holds one entry." if part_.shape[1] == 1 else "This is one number for all units. It has one axis, with an entry for each unit.",
            2: "Two axes are left. It has one axis, with an entry for each unit: that of the examples is summed away, and not kept with the length 1."}.get(
            len(result.shape), "It has one axis, with an entry for each unit: the axis that is summed away is that of the examples, the first."))
    assert_close(found, torch.tensor([3., -1., 6.]), "the bias gradient for delta = (1, 0, 5), (2, -1, 1)", of="sum over the examples", hint=lambda: column_sums(signal),
                 mistakes={"These are the largest entries of the columns: all entries of a column are added up.": torch.tensor([2., 0., 5.]), "Negative entries count, too.": torch.tensor([3., 0., 6.]),
                           "The gradient itself is asked for; its sign changes in the update.": torch.tensor([-3., 1., -6.]), "This is the mean; contributions add up.": torch.tensor([1.5, -0.5, 3.]), "Only the first example is in it.": signal[0], "Only the last example is in it.": signal[1], "The signs are lost: a negative entry makes the sum smaller.": torch.tensor([3., 1., 6.]),
                           "These are the numbers of entries that are not 0: the entries themselves are added up.": torch.tensor([2., 1., 2.]), "The entries are added up as they are, not squared.": signal.norm(dim=0), "Each unit has a sum of its own: this is that of all entries.": signal.sum().expand(3)})
    assert_close(bias_gradient(torch.tensor([[1., 2.], [3., 5.]])), torch.tensor([4., 7.]), "the bias gradient for delta = (1, 2), (3, 5)", of="sum over the examples", hint="The columns add up to 1 + 3 and 2 + 5.",
                 mistakes={"Add up over the examples, not over the units.": torch.tensor([3., 8.])})
    assert_close(bias_gradient(torch.tensor([[1., 2.], [3., 5.], [-1., 4.], [2., 0.5]])), torch.tensor([5., 11.5]), "the bias gradient for delta = (1, 2), (3, 5), (-1, 4), (2, 0.5)", of="sum over the examples", hint="The columns add up to 1 + 3 - 1 + 2 and 2 + 5 + 4 + 0.5.",
                 mistakes={"Only the first two examples are in it.": torch.tensor([4., 7.])})

small_biases()
### BEGIN HIDDEN TESTS
def random_biases():
    rng = torch.Generator().manual_seed(13)
    for n_, q_ in ((4, 4), (6, 2), (1, 5), (7, 1)):
        shift = torch.zeros(q_, dtype=torch.float64, requires_grad=True)
        above = torch.randint(-9, 10, (n_, q_), generator=rng) / 4                          # float32, and the sums are exact
        right, = torch.autograd.grad(torch.zeros(n_, q_, dtype=torch.float64) + shift, shift, above.double())
        assert_shape(bias_gradient(above), (q_,), f"the shape for n, q = {n_}, {q_}", of="shape", hint="It has one axis, with an entry for each unit.")
        assert_close(bias_gradient(above), right, f"the bias gradient for n, q = {n_}, {q_}", of="sum over the examples",
                     hint=lambda: column_sums(above, shown=False),
                     mistakes={"Add up over the examples, not over the units.": above.sum(dim=1)} if n_ == q_ else {})

random_biases()
### END HIDDEN TESTS

# %% [markdown] teaches="gradient passed on"
# ## 4. What is passed on
#
# The third debt is $\bar A$. The activation $a_{ik}$ of example $i$ goes into *all* units $j$, each time with the weight $w_{jk}$. Again the contributions of all ways add up:
#
# $$\bar a_{ik} = \sum_{j=1}^{q} \delta_{ij}\, w_{jk}, \qquad \bar A = \Delta W, \qquad (n, q) \cdot (q, d) \to (n, d).$$
#
# Forward, the layer multiplies by $W^\top$, backward by $W$: the same weights, in the other direction. Here no sum over the examples occurs, for the activations of one example do not concern another.
# All three gradients together, against autograd. `torch.autograd.grad(H, [A, W, b], dH)` returns the gradients of the three for the gradient `dH` that arrives at `H`:

# %% teaches="gradient passed on"
leaves = [t.clone().requires_grad_() for t in (A, W, b)]
output = torch.relu(leaves[0] @ leaves[1].T + leaves[2])
by_autograd = torch.autograd.grad(output, leaves, dH)
for name, by_hand, other in zip("AWb", (delta @ W, delta.T @ A, delta.sum(dim=0)), by_autograd):
    print(name, by_hand.tolist(), torch.equal(by_hand, other))

# %% [markdown] task="B.1.C" kind="code" minutes=2 difficulty=1 core=true needs="gradient passed on, matrix product"
# ### Down to the layer below
#
# Write `passed_on(delta, W)`: for the error signal of shape $(n, q)$ and the weight of shape $(q, d)$ the gradient $\bar A$.
#
# **You are done when**
# - **shape**: it is $(n, d)$;
# - **values**: entry $(i, k)$ sums, over the units, error signal times weight.

# %% exercise="B.1.C"
def passed_on(delta, W):
    """The gradient by the activations, (n, q), (q, d) -> (n, d)."""
    ### BEGIN SOLUTION
    return delta @ W
    ### END SOLUTION

# %% [markdown] hints="B.1.C"
# 1. Which axis do the two arguments share, and is it summed away?
# 2. `P @ Q` sums over the last axis of `P` and the first of `Q`.
# 3. One example and two units with the error signal (1, 2), one input with the weights 10 and 3: 1 · 10 + 2 · 3 = 16.

# %% check="B.1.C" points=1
def other_order():
    signal, weight = torch.tensor([[1., 2.], [3., 5.]]), torch.tensor([[2., 0.], [1., 4.]])
    found = passed_on(signal, weight)
    assert_type(found, torch.Tensor, "what passed_on returns", of="shape", hint="It returns the gradient by A, a tensor of the shape of A.")
    assert_true(found.shape != weight.shape or not torch.equal(found.detach().float(), weight @ signal), "passed_on(delta, W) is another product than W @ delta, for n, d, q = 2, 2, 2", of="values",
                hint="A matrix product sums over the columns of the left factor and the rows of the right one. The axis that is summed away here is that of the units: the columns of delta, the rows of W.")

def unit_by_unit(signal, weight):
    """What comes out for one unit, with numbers of our own and with these."""
    for signal_, sign in ((3., 1), (-3., 1), (3., -1)):
        row = sign * torch.tensor([[-2., 4.]])
        alone = passed_on(torch.tensor([[signal_]]), row)
        if (alone - signal_ * row).abs().max() > 1e-4:
            return (f"For one example and one unit, delta = {signal_:g} and W = ({row[0, 0]:g}, {row[0, 1]:g}), yours is ({', '.join(f'{v:.4g}' for v in alone.flatten().tolist())}): "
                    f"each weight times {signal_:g} is asked for, ({signal_ * row[0, 0]:g}, {signal_ * row[0, 1]:g}).")
    if all(torch.allclose(passed_on(signal[:, j:j + 1], weight[j:j + 1]).double(), signal[:, j:j + 1] * weight[j]) for j in range(len(weight))):
        return "For each unit alone yours is right. The shares of the units are added up, not averaged, and nothing else is done to them."
    return "The entry in row i and column k adds up delta[i, j] times W[j, k] over all units j, and nothing else is done to it."

def check_passed(n_, d_, q_, seed_):
    rng = torch.Generator().manual_seed(seed_)
    signal, weight = (torch.randint(-5, 6, size, generator=rng).double() for size in ((n_, q_), (q_, d_)))
    rows = torch.zeros(n_, d_, dtype=torch.float64, requires_grad=True)
    right, = torch.autograd.grad(F.linear(rows, weight), rows, signal)
    about = f"n, d, q = {n_}, {d_}, {q_}"
    found = passed_on(signal, weight)
    assert_type(found, torch.Tensor, f"what passed_on returns for {about}", of="shape", hint="It returns the gradient by A, a tensor of the shape of A.")
    assert_shape(found, (n_, d_), f"the shape for {about}", of="shape", hint="The products are not added up over the units: three axes are left." if len(found.shape) == 3 else
                 "It is transposed: a row for each example, a column for each input." if tuple(found.shape) == (d_, n_) else
                 "One axis is left: each example has a row of its own." if len(found.shape) == 1 and n_ > 1 and d_ > 1 else "A row for each example and a column for each input, as A has them; an axis of length 1 stays.")
    assert_close(found, right, f"what is passed on for {about}", of="values", hint=lambda: unit_by_unit(signal, weight), mistakes={
        "A negative result is passed on, too: the ReLU of the layer below comes later, with its own Z.": right.relu(), "The weights keep their signs.": signal @ weight.abs(), "The error signal keeps its signs.": signal.abs() @ weight, "A negative error signal is passed on, too.": signal.relu() @ weight,
        "The gradient itself is passed on, not its negative.": -right} | ({"A matrix product is asked for, not the product entry by entry.": signal * weight, "It is transposed.": right.T} if n_ == d_ == q_ > 1 else {}) | ({"Examples do not mix: each row has the error signal of its own example.": right.sum(0).expand(n_, d_)} if n_ > 1 else {}) | ({
        "The shares of all units are added up: this is the last one's.": signal[:, -1:] @ weight[-1:]} if q_ > 1 else {}) | ({"Backward the weight is not transposed: that was forward.": signal @ weight.T} if d_ == q_ else {})
                 | ({"Nothing is divided by the number of examples here.": right / n_} if n_ > 1 and n_ not in (d_, q_) else {})
                 | ({"Nothing is divided by the number of inputs here.": right / d_} if d_ > 1 and d_ not in (n_, q_) else {})
                 | ({"The shares of the units are added up, not averaged.": right / q_} if q_ > 1 and q_ not in (n_, d_) else {})
                 | ({"The shares of all units are added up: this is the first one's.": signal[:, :1] @ weight[:1],
                     "The shares of all units are added up: this is the largest.": (signal[:, :, None] * weight).amax(1), "Multiply first, then add up over the units: this is the product of the two sums.": signal.sum(1, keepdim=True) * weight.sum(0)} if q_ > 1 else {})
                 | ({"The shares of all units are added up: these are the first two.": signal[:, :2] @ weight[:2]} if q_ > 2 else {}))

other_order()
check_passed(2, 3, 3, 32)
check_passed(4, 3, 2, 31)
check_passed(1, 2, 4, 36)
check_passed(3, 3, 3, 38)
check_passed(3, 1, 2, 37)
### BEGIN HIDDEN TESTS
check_passed(5, 2, 6, 33)
check_passed(3, 4, 4, 34)
check_passed(1, 7, 1, 35)
check_passed(4, 4, 4, 39)
### END HIDDEN TESTS

# %% [markdown] teaches="order of update and passing on"
# ## 5. Update, and pass on: which first?
#
# A plain training loop computes all gradients, then updates all weights. Section B.2 does it at once: a layer is updated in the middle of the backward pass, and $\bar W$ is thrown away. Then the order of two lines matters. $\bar A = \Delta W$ is the derivative of
# the loss *that was computed*, and it was computed with the weights of before.
#
# ⚠ After the update `W` holds other weights, and nothing raises an error. How wrong is the gradient that is passed on through the new ones? For some learning rates $\eta$, the size of the error relative to the size of the right gradient:

# %% teaches="order of update and passing on, relative difference"
right = delta @ W
for lr in (1., 0.1, 0.01, 0.001):
    through_new = delta @ (W - lr * delta.T @ A)
    print(f"learning rate {lr:5}: relative difference {((through_new - right).norm() / right.norm()).item():.4f}")

# %% [markdown]
# The error shrinks with the learning rate. That makes it a nasty bug: at a small rate the network still trains, a little worse, and nobody looks for the reason. So: *first* everything that reads the old weights, *then* the update.
#
# The update itself is to happen **in place**. `W -= step` changes the numbers of the tensor that the caller has. `W = W - step` makes a new tensor and gives it the local name `W`; the caller never sees it:

# %% teaches="update in place"
def in_place(W):
    W -= 1

def new_tensor(W):
    W = W - 1

for change in (in_place, new_tensor):
    weights = torch.tensor([5., 6.])
    change(weights)
    print(change.__name__, weights)

# %% [markdown] task="B.1.3" kind="code" minutes=12 difficulty=3 core=true needs="order of update and passing on, update in place, error signal, weight gradient of a layer, bias gradient of a layer, gradient passed on"
# ### One layer, stepped on the way back
#
# Write `backward_step(W, b, A, Z, dH, lr)`: the layer's part of a backward pass in which the layer is updated at once. The tensors are plain ones that do not require gradients; $Z = A W^\top + \mathbf b$ was computed on the way forward. It updates `W` and `b` by a step of gradient descent,
# $W \leftarrow W - \eta\, \bar W$ and $\mathbf b \leftarrow \mathbf b - \eta\, \bar{\mathbf b}$ with $\eta$ = `lr`, and returns $\bar A$.
#
# **You are done when**
# - **old weights**: what is returned is $\bar A$, of the shape of `A`, computed through the weights of before the step;
# - **mask**: the gradient goes through ReLU first, with slope 0 where `Z` is 0 or below;
# - **W in place**: the caller's `W` holds the new weights;
# - **b in place**: the caller's `b` holds the new biases;
# - **arguments kept**: `A`, `Z` and `dH` are as they were.

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

# %% check="B.1.3" points=5
@probe
def stepped(weight, shift, rows, pre, above, rate):
    values = [weight, shift, rows, pre, above]
    passed = backward_step(*values, rate)
    return [passed, *[t.detach() for t in values]]

def given_layer(n_, d_, q_, seed_):
    """Whole numbers, so that some entries of Z are exactly 0, then W, b, A, Z, dH and the right results without the rate."""
    rng = torch.Generator().manual_seed(seed_)
    weight, shift, rows, above = (torch.randint(-2, 3, size, generator=rng).double() for size in ((q_, d_), (q_,), (n_, d_), (n_, q_)))
    above = above + 0.5
    leaves_ = [t.clone().requires_grad_() for t in (rows, weight, shift)]
    pre = F.linear(*leaves_)
    return [weight, shift, rows, pre.detach(), above], torch.autograd.grad(F.relu(pre), leaves_, above)

def about_layer(n_, d_, q_, rate):
    return f"n, d, q = {n_}, {d_}, {q_}, lr = {rate}"

def which_signal(given, rate):
    """Whether what is passed on is right for single numbers, for each example alone, and where all units are on."""
    one = backward_step(*(torch.tensor(value, dtype=torch.float64) for value in ([[2.]], [0.], [[1.]], [[1.]], [[3.]])), 0.5).item()
    if abs(one - 6) > 1e-4:
        return f"For a single weight 2, with Z = 1 and dH = 3, yours is {one:.4g}: it is to be 3 · 2 = 6, whatever lr is."
    weight, shift, rows, pre, above = given
    if bool((pre <= 0).any()) and torch.allclose(backward_step(*[t.clone() for t in (weight, shift, rows, pre.abs() + 2, above)], rate).double(), above @ weight):
        return "Where every Z is at least 2 yours is right: it is the mask that is not. The error signal is dH where Z is positive, however small, else 0."
    if all(torch.allclose(backward_step(weight.clone(), shift.clone(), rows[i:i + 1].clone(), pre[i:i + 1].clone(), above[i:i + 1].clone(), rate).double(), (above[i:i + 1] * (pre[i:i + 1] > 0)) @ weight) for i in range(len(rows))):
        return "For each example alone yours is right: each row of the result has the error signal of its own example, and the W of before the step of all."
    return "It is the error signal (dH where Z is positive, else 0) times the W of before the step."

def passes_on(sizes, rate, seed_):
    given, (dA_, dW_, db_) = given_layer(*sizes, seed_)
    weight, shift, rows, pre, above = given
    signal = above * (pre > 0)
    found = stepped(*[t.clone() for t in given], rate)[0]
    assert_type(found, torch.Tensor, f"what backward_step returns for {about_layer(*sizes, rate)}", of="old weights", hint="It returns the gradient by A alone; W and b change in place.")
    assert_shape(found, tuple(rows.shape), f"the shape of what is returned for {about_layer(*sizes, rate)}", of="old weights", hint="It has the shape of A.",
                 mistakes={"This is the shape of Z and of the error signal: what is passed on is the gradient by A.": (sizes[0], sizes[2])})
    assert_close(found, dA_, f"what is returned for {about_layer(*sizes, rate)}", of="old weights" if bool((pre > 0).all()) else "mask", hint=lambda: which_signal(given, rate), mistakes={
        "The mask looks at Z, which is given and has the bias in it, not at A Wᵀ.": (above * (F.linear(rows, weight) > 0)) @ weight, "This is the value of ReLU, not its slope.": (above * pre.relu()) @ weight,
        "The mask goes by Z and onto dH; this one goes by A and onto what is passed on.": (above @ weight) * (rows > 0),
        "The mask looks at Z, not at what arrives.": above.relu() @ weight, "Nothing is divided by the number of examples.": dA_ / sizes[0], "The slope of ReLU is 0 where Z is negative, not -1.": (above * pre.sign()) @ weight,
        "It went through the new weights: compute it before the update.": signal @ (weight - rate * dW_),
        "This is lr times the gradient: lr belongs to the steps alone.": rate * dA_,
        "The mask of ReLU is missing.": above @ weight, "Where Z is 0 the slope counts as 0.": (above * (pre >= 0)) @ weight})

def all_on(sizes, rate, seed_):
    """All units switched on: only the weights can be wrong."""
    given, _ = given_layer(*sizes, seed_)
    given[1] = given[1] + 50
    given[3] = given[3] + 50
    found = stepped(*[t.clone() for t in given], rate)[0]
    assert_type(found, torch.Tensor, f"what backward_step returns where all units are on, {about_layer(*sizes, rate)}", of="old weights", hint="It returns the gradient by A alone; W and b change in place.")
    assert_shape(found, tuple(given[2].shape), f"the shape of what is returned where all units are on, {about_layer(*sizes, rate)}", of="old weights", hint="It has the shape of A.",
                 mistakes={"This is the shape of Z and of the error signal: what is passed on is the gradient by A.": (sizes[0], sizes[2])})
    for sentence, value in (("The mask looks at Z, which is given and has the bias in it, not at A Wᵀ.", (given[4] * (F.linear(given[2], given[0]) > 0)) @ given[0]),
                            ("This is the value of ReLU, not its slope: it is 1 here, whatever the size of Z.", (given[4] * given[3]) @ given[0]), ("The mask looks at Z, not at what arrives.", given[4].relu() @ given[0])):
        assert_true(torch.allclose(value, given[4] @ given[0]) or not torch.allclose(found.detach().double(), value), f"the error signal is dH where all units are on, {about_layer(*sizes, rate)}", of="mask", hint=sentence)
    assert_close(found, given[4] @ given[0], f"what is returned where all units are on, {about_layer(*sizes, rate)}", of="old weights", hint=lambda: which_signal(given, rate), mistakes={
        "The mask goes by Z and onto dH; this one goes by A and onto what is passed on.": (given[4] @ given[0]) * (given[2] > 0),
        "Nothing is divided by the number of examples.": given[4] @ given[0] / sizes[0],
        "It went through weights that change from example to example: compute it for all examples before the update.": torch.stack([given[4][i] @ (given[0] - rate * given[4][:i].T @ given[2][:i]) for i in range(sizes[0])]),
        "It went through the new weights: compute it before the update.": given[4] @ (given[0] - rate * given[4].T @ given[2]),
        "This is lr times the gradient: lr belongs to the steps alone.": rate * given[4] @ given[0]})

def which_rate(at, name, given, rate):
    """What the step of W or b does where the rate is another one, or the mask lets everything through."""
    def new(*layer):
        return stepped(*[t.clone() for t in layer[:5]], layer[5])[at]

    def right(W, b, A, Z, dH, lr):
        signal = dH * (Z > 0)
        return W - lr * signal.T @ A if name == "W" else b - lr * signal.sum(0)

    step, twice = (given[at - 1] - new(*given, factor * rate) for factor in (1, 2))
    if step.abs().max() > 1e-6 and torch.allclose(twice, 4 * step):
        return f"Where lr is twice as large, the step of {name} becomes 4 times as large: lr is a factor of it twice."
    if not torch.allclose(twice, 2 * step):
        return f"Where lr is twice as large, the step of {name} is to be twice as large; yours is not."
    weight, shift, rows, pre, above = given
    single = [weight, shift, rows[:1], pre[:1].abs() + 2, above[:1], rate]
    for words, layer in (("Where every Z is at least 2 {} is right after the step: it is the mask that is not. The error signal is dH where Z is positive, however small, else 0.", [weight, shift, rows, pre.abs() + 2, above, rate]),
                         ("Where A has no negative entries {} is right after the step: negative activations count, too.", [weight, shift, rows.abs(), pre, above, rate]),
                         ("Where dH has no negative entries {} is right after the step: a negative gradient passes, too.", [weight, shift, rows, pre, above.abs(), rate]),
                         ("For a single example {} is right after the step: for several, the gradients of all are added up, and nothing else is done to them.", single)):
        if torch.allclose(new(*layer), right(*layer)):
            return words.format(name)
    return f"The step of {name} is lr times its gradient, for any lr: the error signal is dH where Z is positive, else 0."

def steps_weights(sizes, rate, seed_):
    given, (dA_, dW_, db_) = given_layer(*sizes, seed_)
    weight, shift, rows, pre, above = given
    found, signal = stepped(*[t.clone() for t in given], rate), above * (pre > 0)
    for at, name, old, step, mean, unmasked, corner in ((1, "W", weight, dW_, dW_ / sizes[0], above.T @ rows, (above * (pre >= 0)).T @ rows), (2, "b", shift, db_, db_ / sizes[0], above.sum(0), (above * (pre >= 0)).sum(0))):
        anew, new_biases = above * (F.linear(rows, weight - rate * dW_, shift) > 0), above * (F.linear(rows, weight, shift - rate * db_) > 0)
        value, biasless = above * pre.relu(), above * (F.linear(rows, weight) > 0)
        assert_close(found[at], old - rate * step, f"{name} after the call, {about_layer(*sizes, rate)}", of=f"{name} in place", hint=lambda: which_rate(at, name, given, rate), mistakes=(  # noqa: B023
            {"The mask was computed anew, with the new weights: it is that of Z.": old - rate * anew.sum(0), "The gradient of a bias adds up a column of the error signal: this is the sum of all its entries.": old - rate * step.sum(),
             **({"The gradient of a bias adds up over the examples, not over the units.": old - rate * (above * (pre > 0)).sum(1)} if sizes[0] == sizes[2] else {})} if name == "b" else {
             "The mask was computed anew, with the new biases: it is that of Z.": old - rate * new_biases.T @ rows,
             "The weight gradient takes the A of the forward pass, not what is passed on.": old - rate * signal.T @ dA_}) | {
            "The mask looks at Z, not at what arrives.": old - rate * (above.relu().T @ rows if name == "W" else above.relu().sum(0)), "The slope of ReLU is 0 where Z is negative, not -1.": old - rate * ((above * pre.sign()).T @ rows if name == "W" else (above * pre.sign()).sum(0)),
            f"{name} is unchanged: update the caller's tensor in place.": old, "The step went uphill.": old + rate * step, f"This is the step alone: it is subtracted from the {name} of before.": rate * step, "The learning rate is missing." if rate < 1 else "The learning rate may be larger than 1.": old - step,
            "The mask of ReLU is missing.": old - rate * unmasked, "Where Z is 0 the slope counts as 0.": old - rate * corner,
            f"The step of {name} used the mean over the examples.": old - rate * mean, "This is the value of ReLU, not its slope.": old - rate * (value.T @ rows if name == "W" else value.sum(0)),
            "The mask looks at Z, which is given and has the bias in it, not at A Wᵀ.": old - rate * (biasless.T @ rows if name == "W" else biasless.sum(0))})

def keeps_arguments(sizes, rate, seed_):
    given, _ = given_layer(*sizes, seed_)
    found = stepped(*[t.clone() for t in given], rate)
    assert_type(found[0], torch.Tensor, f"what backward_step returns for {about_layer(*sizes, rate)}", of="old weights", hint="It returns the gradient by A alone; W and b change in place.")
    for name, after, before in zip(("A", "Z", "dH"), found[3:], given[2:]):
        assert_close(after, before, f"{name} after the call, {about_layer(*sizes, rate)}", of="arguments kept", hint="Only W and b are to change. *= and operations with a trailing underscore change their tensor.")

with part(1, "what is returned"):
    all_on((4, 3, 2), 0.5, 1)
    passes_on((4, 3, 2), 0.5, 1)
    passes_on((5, 2, 3), 0.25, 2)
with part(1, "the new parameters"):
    steps_weights((3, 2, 3), 0.5, 4)
    steps_weights((4, 3, 2), 0.25, 1)
    steps_weights((5, 2, 3), 3.0, 2)
with part(1, "the other arguments"):
    keeps_arguments((3, 2, 4), 0.5, 3)
### BEGIN HIDDEN TESTS
with part(1, "what is returned, other layers"):
    all_on((3, 5, 4), 0.125, 14)
    for sizes_ in ((7, 3, 2), (6, 4, 4), (1, 5, 8)):
        passes_on(sizes_, 0.75, 15)
with part(1, "the new parameters and the other arguments, other layers"):
    for sizes_ in ((7, 3, 2), (6, 4, 4), (9, 5, 1)):
        steps_weights(sizes_, 1.5, 16)
    keeps_arguments((4, 6, 5), 0.3, 17)
total()
### END HIDDEN TESTS

# %% [markdown] teaches="addition in floating point depends on the order"
# ## 6. Close, or equal?
#
# In our small layer everything agreed with autograd in every bit: `torch.equal` said so. Is that the right question? $\Delta^\top A$ and the loop over outer products are the same formula. But a computer rounds after each operation. A float32 has 24 binary digits, about 7 decimal ones, and what does not fit is lost. So the *order* of a sum matters:

# %% teaches="addition in floating point depends on the order"
big, one = torch.tensor(1e8), torch.tensor(1.)
print("(1e8 - 1e8) + 1 =", ((big - big) + one).item(), "   1e8 + (-1e8 + 1) =", (big + (-big + one)).item())

# %% [markdown]
# Next to $10^8$ a float32 has no room for a 1: $-10^8 + 1$ is rounded to $-10^8$. A library's matrix product adds the $n$ terms of an entry in blocks, several at once, and may multiply and add with a single rounding; the loop adds them one after another. ⚠ Toy sizes are treacherous: there both may add in the same
# order, agree in every bit, and let one believe that they always do. A hundred random layers of each size:

# %% teaches="comparison by tolerance"
torch.manual_seed(0)
for n, q, d in ((3, 2, 2), (33, 17, 9), (64, 30, 40), (200, 10, 20)):
    same, largest = 0, 0.
    for trial in range(100):
        signal, rows = torch.randn(n, q), torch.randn(n, d)
        product = signal.T @ rows
        summed = sum(torch.outer(s, a) for s, a in zip(signal, rows))
        same += torch.equal(product, summed)
        largest = max(largest, ((product - summed).norm() / product.norm()).item())
    print(f"n, q, d = {n:3}, {q:2}, {d:2}: equal in every bit {same:3} times of 100; largest relative difference {largest:.0e}")

# %% [markdown] teaches="comparison by tolerance, relative difference"
# How often the bits agree depends on the processor, so your table may differ in the middle column; the last column will not be far from this one, about $10^{-7}$. A wrong formula is mostly off by percents. Between the two lies a wide gap, and a test should put its threshold there. It should be *relative*: gradients of size $10^{-4}$ that
# differ by $10^{-5}$ are wrong, gradients of size $10^4$ that differ by $10^{-3}$ are fine. One measure for a whole array is
#
# $$\frac{\lVert\, \text{found} - \text{right}\, \rVert}{\lVert\, \text{right}\, \rVert},$$
#
# where $\lVert \cdot \rVert$ is the root of the sum of all squared entries. `torch.allclose(found, right, rtol=..., atol=...)` compares entry by entry, with a relative and an absolute tolerance.

# %% [markdown] task="B.1.D" kind="code" minutes=3 difficulty=1 core=true needs="relative difference, norm"
# ### How far apart?
#
# Write `relative_difference(found, right)` for two tensors of the same shape, `right` not all zeros: the norm of the difference, divided by the norm of `right`, as a number.
#
# **You are done when**
# - **value**: it is this quotient, for vectors and for matrices, in float32 and float64, also where it is as small as the differences above, or where the entries of `right` are of size $10^{-7}$;
# - **number**: it is a Python number or a tensor without axes.

# %% exercise="B.1.D"
def relative_difference(found, right):
    """Norm of the difference over norm of right."""
    ### BEGIN SOLUTION
    return ((found - right).norm() / right.norm()).item()
    ### END SOLUTION

# %% [markdown] hints="B.1.D"
# 1. Which of the two arguments is the yardstick?
# 2. `t.norm()` is the root of the sum of the squares of all entries, for a matrix, too.
# 3. For 9 found and 10 right it is 1 / 10.

# %% check="B.1.D" points=1
def check_relative(found_, right_, what, wanted, steps, in_float32=None):
    """`wanted` is a number, `in_float32` what comes out in single precision; `steps` are words, or a function that makes them."""
    answer = relative_difference(found_, right_)
    assert_type(answer, (int, float, torch.Tensor), f"what relative_difference returns for {what}", of="number", hint="One number, as it is: in no list, and not written out as text.")
    assert_shape(torch.as_tensor(answer), (), f"the shape of what relative_difference returns for {what}", of="number", hint="One number for the whole array.")
    difference, yardstick = (found_ - right_).flatten().double(), right_.flatten().double()
    quotients, by_found = difference / yardstick, (difference.norm() / found_.double().norm()).item()
    of_the_two = abs(float(answer) - by_found) <= 1e-4 * by_found and abs(float(relative_difference(right_, found_)) - by_found) <= 1e-4 * by_found
    slips = {"It is rounded: keep all digits, relative differences may be as small as 1e-7.": round(wanted, 4)} if wanted < 1e-4 else {}
    slips |= {f"It is rounded to {places} places: keep all digits.": round(wanted, places) for places in (6, 7)} if 1e-7 < wanted < 1e-4 else {}
    if in_float32 is not None:
        slips |= {"This is computed in float32: float64 tensors hold more digits, and small differences need them.": in_float32}
    if yardstick.norm() < 1e-5:
        slips |= {f"The norm of right is the yardstick as it is: {e:g} was added to it.": wanted / (1 + e / yardstick.norm().item()) for e in (1e-6, 1e-7, 1e-8, 1e-9)}
        slips |= {f"The norm of right is the yardstick also where it is below {e:g}.": (difference.norm() / e).item() for e in (1e-6, 1e-5, 1e-4)}
    if yardstick.norm() < 1:
        slips |= {"The norm of right is the yardstick also where it is below 1.": difference.norm().item()}
    else:
        slips |= {"The norm of the difference alone is not relative.": difference.norm().item()}
    if len(right_.shape) == 2:
        slips |= {"The norm is that of all entries: here each row has a quotient of its own.": ((found_ - right_).double().norm(dim=1) / right_.double().norm(dim=1)).mean().item()}
        slips |= {"The norm of a matrix is here the root of the sum of all squares, as t.norm() has it.": (torch.linalg.norm((found_ - right_).double(), ord=2) / torch.linalg.norm(right_.double(), ord=2)).item()}
    assert_close(answer, wanted, f"the relative difference for {what}", of="value", rtol=1e-4, atol=0.,
                 hint=steps, mistakes=slips | {
        "The quotient of the norms, not the largest quotient of two entries.": quotients.abs().max().item(), "The quotient of the norms, not the mean of the entries' quotients.": quotients.abs().mean().item(),
        "Divide by the norm of right alone, not by the sum of the two norms.": (difference.norm() / (found_.double().norm() + yardstick.norm())).item(),
        "Divide by the norm of right alone, not by the mean of the two norms.": (2 * difference.norm() / (found_.double().norm() + yardstick.norm())).item(),
        "Both are norms, roots of sums of squares: nothing is divided by the root of the number of entries.": wanted / yardstick.numel() ** 0.5, "The quotient of the norms, not the root mean square of the entries' quotients.": quotients.square().mean().sqrt().item(),
        "Norms, not sums: in a sum the signs cancel.": (difference.sum() / yardstick.sum()).item(), "The plain quotient is asked for, not percent.": 100 * wanted,
        ("Divide by the norm of right, whichever of the two norms is the larger one." if of_the_two else "Divide by the norm of right, not by that of found."): by_found,
        "This is the square.": wanted ** 2, "The quotient is not divided by the number of entries.": wanted / yardstick.numel(), "This is the mean squared difference over the norm of right.": (difference.square().mean() / yardstick.norm()).item(),
        "The root is missing below.": (difference.norm() / yardstick.dot(yardstick)).item(), "The root is missing above.": (difference.dot(difference) / yardstick.norm()).item(),
        "Norms, not sums or means of absolute values.": (difference.abs().mean() / yardstick.abs().mean()).item(),
        "The quotient of the norms, not the norm of the quotients.": quotients.norm().item(), "The largest entries are not the norm.": (difference.abs().max() / yardstick.abs().max()).item(),
        "Take the norm of the difference, not the difference of the norms.": ((found_.double().norm() - yardstick.norm()).abs() / yardstick.norm()).item()})

check_relative(torch.tensor([5., 2.]), torch.tensor([2., 4.]), "(5, 2) found and (2, 4) right", 0.65 ** 0.5, "The difference is (3, -2), with the norm √(9 + 4) = 3.606; the norm of right is √(4 + 16) = 4.472: the first over the second.")
check_relative(torch.tensor([[0.02, 0.], [0., 0.05]]), torch.tensor([[0.01, 0.], [0.02, 0.02]]), "((0.02, 0), (0, 0.05)) found and ((0.01, 0), (0.02, 0.02)) right", (14 / 9) ** 0.5,
               "The difference is ((0.01, 0), (-0.02, 0.03)), with the norm √0.0014; the norm of right is √0.0009: the first over the second.")
check_relative(torch.tensor([1.2e-7, 2.2e-7]), torch.tensor([1.2e-7, 1.6e-7]), "(1.2e-7, 2.2e-7) found and (1.2e-7, 1.6e-7) right", 0.3, "The difference is (0, 6e-8), with the norm 6e-8; the norm of right is 2e-7: the first over the second, however small they are.")
check_relative(torch.tensor([3.0000033, 4.], dtype=torch.float64), torch.tensor([3., 4.], dtype=torch.float64), "(3.0000033, 4) found and (3, 4) right, in float64", 6.6e-7,
               "The difference is (3.3e-6, 0), with the norm 3.3e-6; the norm of right is 5: the first over the second, with all digits of float64.", 6.67572e-7)
### BEGIN HIDDEN TESTS
def hidden_relative(found_, right_, what):
    difference, yardstick = (found_ - right_).flatten().double(), right_.flatten().double()
    check_relative(found_, right_, what, (difference.dot(difference) / yardstick.dot(yardstick)).sqrt().item(),
                   lambda: where_they_part(relative_difference, lambda found, right: (found - right).norm() / right.norm(), found=found_, right=right_)
                   or "The norm of the difference over the norm of right, and nothing else.",
                   ((found_.float() - right_.float()).norm() / right_.float().norm()).item() if right_.dtype == torch.float64 else None)

def random_relative():
    rng = torch.Generator().manual_seed(18)
    for size, scale in (((7,), 100.), ((3, 5), 1e-3), ((2, 3, 4), 1.), ((5,), 1e-7)):
        hidden_relative(scale * torch.randn(size, generator=rng), scale * torch.randn(size, generator=rng), f"random tensors of shape {size}")
    for size in ((9,), (4, 2)):
        near = torch.randn(size, generator=rng, dtype=torch.float64)
        hidden_relative(near + 1e-7 * torch.randn(size, generator=rng, dtype=torch.float64), near, f"two close float64 tensors of shape {size}")

random_relative()
### END HIDDEN TESTS

# %% [markdown] teaches="test by random trials"
# ## 7. A test that tells
#
# How much does agreement with autograd prove? That depends on the inputs. Here is a backward pass that is wrong, tried on five kinds of inputs. It has forgotten the bias in the mask: it looks at $A W^\top > 0$.

# %% teaches="test by random trials"
def biasless_backward(dH, A, W, b):
    signal = dH * (A @ W.T > 0)                     # wrong: should be A @ W.T + b > 0
    return signal @ W, signal.T @ A, signal.sum(dim=0)

def largest_difference(backward, dH, A, W, b):
    """The largest relative difference of the three gradients from autograd's."""
    leaves = [t.clone().requires_grad_() for t in (A, W, b)]
    wanted = torch.autograd.grad(torch.relu(leaves[0] @ leaves[1].T + leaves[2]), leaves, dH)
    return max(((f - w).norm() / w.norm().clamp(min=1e-12)).item() for f, w in zip(backward(dH, A, W, b), wanted))

torch.manual_seed(2)
for n, d, q, scale in ((4, 3, 2, 0.), (4, 3, 2, 0.1), (1, 2, 2, 1.), (4, 3, 2, 1.), (8, 5, 6, 1.)):
    found = [largest_difference(biasless_backward, torch.randn(n, q), torch.randn(n, d), torch.randn(q, d), scale * torch.randn(q)) for trial in range(10)]
    print(f"n, d, q = {n}, {d}, {q}, biases of size {scale:3}: found wrong in {sum(value > 1e-4 for value in found):2} trials of 10")

# %% [markdown]
# With biases 0 the mistake cannot show, whatever else is drawn. With small ones, or with few entries, it shows in some trials and not in others: a test of a single trial would be a matter of luck. From such findings a recipe follows:
#
# - *Everything random*: activations, weights, biases, and what arrives from above, all with both signs. A gradient of ones from above hides a function that ignores what arrives.
# - *Many shapes*: n, d and q all different shows what is transposed; all equal shows what guesses an axis by its length; 1 shows who loses an axis.
# - *Many trials*: a mistake that concerns one entry in a hundred needs some hundred entries to be met with near certainty. With a share $p$ of wrong entries, $m$ random entries are all right with probability $(1-p)^m$: for $p = 0.01$ and $m = 1000$ that is 0.00004.
# - *Form first*: number of gradients and shapes. `torch.allclose` broadcasts, so $(1, q)$ and $(q,)$ pass as equal. (So do the differences in `largest_difference` above, and its `zip` passes over a fourth gradient: it measures, it is no test as it stands.) And a function that raises an error must not stop the test: `try: ... except Exception: ...` catches it.
# - *A tolerance*, not equality.
#
# Here are a right backward pass and a wrong one to try your test on. The second is right as long as every unit is switched on.

# %% tags=["setup"]
def right_backward(dH, A, W, b):
    signal = torch.where(A @ W.T + b > 0, dH, torch.zeros_like(dH))
    return signal @ W, sum(torch.outer(s, a) for s, a in zip(signal, A)), signal.sum(dim=0)

def maskless_backward(dH, A, W, b):
    return dH @ W, dH.T @ A, dH.sum(dim=0)

# %% [markdown] task="B.1.4" kind="break it" minutes=18 difficulty=3 core=true needs="test by random trials, comparison by tolerance, addition in floating point depends on the order"
# ### A test that tells
#
# Write `accepts(backward)`: `True` if `backward(dH, A, W, b)` computes the gradients of the dense layer with ReLU, else `False`. `backward` returns `(dA, dW, db)`, or a list of the three, as `right_backward` does; it takes float32 and float64, sizes from 1, and leaves its arguments alone.
# Your test is judged on functions that you do not see, about fifty. Compare with autograd over many random trials, and return `False` at once when a mistake is found: that saves time.
#
# **You are done when**
# - **right ones**: a function that is right is accepted, whatever order it adds in;
# - **form**: refused is one that raises an error, that gives more or fewer than three gradients, or one of a wrong shape;
# - **mask**: refused is one whose error signal is wrong: no mask, a mask by something else than $Z > 0$, what arrives left out or changed;
# - **sums**: refused is one that takes the mean for the sum, or leaves an example or a unit out;
# - **each gradient**: refused is one with a single wrong gradient of the three, whichever it is, and if it is off by one percent only;
# - **every size**: refused is one that is wrong only for certain sizes up to 5: where two of n, d, q are equal, where they differ, where one of them is 1;
# - **rare mistakes**: refused is one whose mask is wrong for one entry in a hundred of standard normal inputs. So that this is no matter of luck, your trials hold at least 1,000 different entries of $Z$ in all.

# %% exercise="B.1.4"
def accepts(backward):
    """Whether backward(dH, A, W, b) -> (dA, dW, db) is right for relu(A Wᵀ + b), by random trials."""
    ### BEGIN SOLUTION
    rng = torch.Generator().manual_seed(0)
    sizes = [(n, d, q) for n in range(1, 6) for d in range(1, 6) for q in range(1, 6)]
    for n, d, q in sizes + [(20, 6, 10)] * 10:
        dH, A, W, b = (torch.randn(size, generator=rng, dtype=torch.float64) for size in ((n, q), (n, d), (q, d), (q,)))
        leaves = [t.clone().requires_grad_() for t in (A, W, b)]
        wanted = torch.autograd.grad(torch.relu(leaves[0] @ leaves[1].T + leaves[2]), leaves, dH)
        try:
            found = list(backward(dH, A, W, b))
            if [f.shape for f in found] != [w.shape for w in wanted]:
                return False
            if not all(torch.allclose(f, w) for f, w in zip(found, wanted)):
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
def verdict_on(name):
    """1 if accepts says True to the function of this name, 0 for False, anything else as it is; how many different entries Z had; the function's error, if accepts lets it through; the trials, their entries, and whether these are whole numbers."""
    def signal_of(dH, A, W, b):
        return dH * (A @ W.T + b > 0)

    def owed(s, A, W):
        return [s @ W, s.T @ A, s.sum(0)]

    def gradients(dH, A, W, b):
        return owed(signal_of(dH, A, W, b), A, W)

    def one_by_one(dH, A, W, b):
        sums = [torch.zeros_like(A), torch.zeros_like(W), torch.zeros_like(b)]
        for i in reversed(range(len(A))):
            s = dH[i] * ((W * A[i]).sum(1) + b > 0)
            sums[0][i] = (s[:, None] * W).sum(0)
            sums[1] += s[:, None] * A[i]
            sums[2] += s
        return sums

    def by_einsum(dH, A, W, b):
        s = torch.einsum("nq,nq->nq", dH, (F.linear(A, W, b).sign() + 1).div(2).floor())
        return torch.einsum("nq,qd->nd", s, W), torch.einsum("nq,nd->qd", s, A), torch.einsum("nq->q", s)

    def flipped(dH, A, W, b):
        found = gradients(dH.flip(0), A.flip(0), W, b)
        return found[0].flip(0), found[1], found[2]

    def by_signal(how):
        return lambda dH, A, W, b: owed(how(dH, A, W, b), A, W)

    def changed(which, how, when=lambda n, d, q: True):
        def function(dH, A, W, b):
            found = gradients(dH, A, W, b)
            if when(len(A), A.shape[1], len(W)):
                found[which] = how(found[which], dH, A, W, b)
            return found
        return function

    def band(low, high):
        return by_signal(lambda dH, A, W, b: dH * ((A @ W.T + b > 0) ^ ((A @ W.T + b > low) & (A @ W.T + b < high))))

    def mistaken(*args):
        raise ValueError("a mistake inside")

    def by_autograd(dH, A, W, b):
        with torch.enable_grad():
            leaves = [t.detach().clone().requires_grad_() for t in (A, W, b)]
            return torch.autograd.grad(F.relu(F.linear(*leaves)), leaves, dH)

    functions = {
        "autograd": by_autograd, "one by one": one_by_one, "einsum": by_einsum, "examples backwards": flipped, "with where": right_backward,
        "no mask": maskless_backward,
        "no bias in the mask": lambda dH, A, W, b: gradients(dH, A, W, 0 * b),
        "ones for what arrives": lambda dH, A, W, b: gradients(torch.ones_like(dH), A, W, b),
        "mask of what arrives": by_signal(lambda dH, A, W, b: dH.relu()),
        "value for slope": by_signal(lambda dH, A, W, b: dH * (A @ W.T + b).relu()),
        "leaky": by_signal(lambda dH, A, W, b: torch.where(A @ W.T + b > 0, dH, 0.01 * dH)),
        "size of what arrives": by_signal(lambda dH, A, W, b: signal_of(dH.abs(), A, W, b)),
        "mean over the examples": lambda dH, A, W, b: [g / len(A) if i else g for i, g in enumerate(gradients(dH, A, W, b))],
        "first example only": changed(1, lambda g, dH, A, W, b: signal_of(dH, A, W, b)[:1].T @ A[:1]),
        "last unit left out": changed(0, lambda g, dH, A, W, b: signal_of(dH, A, W, b)[:, :-1] @ W[:-1]),
        "first four examples only": changed(1, lambda g, dH, A, W, b: signal_of(dH, A, W, b)[:4].T @ A[:4]),
        "last example left out": changed(2, lambda g, dH, A, W, b: signal_of(dH, A, W, b)[:-1].sum(0)),
        "nothing passed on": changed(0, lambda g, dH, A, W, b: 0 * g),
        "new weights": changed(0, lambda g, dH, A, W, b: (s := signal_of(dH, A, W, b)) @ (W - 0.1 * s.T @ A)),
        "dW of zeros": changed(1, lambda g, dH, A, W, b: 0 * g),
        "dW half": changed(1, lambda g, dH, A, W, b: g / 2), "dW a thousandfold": changed(1, lambda g, dH, A, W, b: 1000 * g),
        **{f"{name} a percent off": changed(i, lambda g, dH, A, W, b: 1.01 * g) for i, name in enumerate(("dA", "dW", "db"))},
        "db uphill": changed(2, lambda g, dH, A, W, b: -g),
        "dA doubled": changed(0, lambda g, dH, A, W, b: 2 * g),
        "db of the unmasked": changed(2, lambda g, dH, A, W, b: dH.sum(0)),
        "mean for equal n and q": changed(2, lambda g, dH, A, W, b: g / 2, lambda n, d, q: n == q),
        "columns for equal n and q": changed(2, lambda g, dH, A, W, b: signal_of(dH, A, W, b).sum(1), lambda n, d, q: n == q),
        "transposed for equal d and q": changed(1, lambda g, dH, A, W, b: g.T, lambda n, d, q: d == q),
        "axis lost at q = 1": changed(2, lambda g, dH, A, W, b: g.squeeze()),
        "axis lost at d = 1": changed(1, lambda g, dH, A, W, b: g.squeeze(1)),
        "wrong for one example": changed(1, lambda g, dH, A, W, b: 0 * g, lambda n, d, q: n == 1),
        "dW reshaped": changed(1, lambda g, dH, A, W, b: g.T.reshape(g.shape), lambda n, d, q: d != q),
        "wrong for five inputs": changed(0, lambda g, dH, A, W, b: 0 * g, lambda n, d, q: d == 5),
        "wrong for five examples": changed(2, lambda g, dH, A, W, b: 0 * g, lambda n, d, q: n == 5),
        "wrong for five units": changed(1, lambda g, dH, A, W, b: 0 * g, lambda n, d, q: q == 5),
        "sizes from 1 only": lambda dH, A, W, b: gradients(dH, A, W, b) if dH.numel() and A.numel() else mistaken(),
        "band": band(0.05, 0.13), "band below": band(-0.1, -0.02), "late": by_signal(lambda dH, A, W, b: dH * (A @ W.T + b > 0.08)), "large": band(3.6, 4.1),
        "W transposed": changed(0, lambda g, dH, A, W, b: signal_of(dH, A, W, b) @ W.T),
        "dW transposed": changed(1, lambda g, dH, A, W, b: g.T.contiguous()),
        "db with an axis too many": changed(2, lambda g, dH, A, W, b: g[None]),
        "dA of one axis": changed(0, lambda g, dH, A, W, b: g.reshape(-1)),
        "two results": lambda dH, A, W, b: gradients(dH, A, W, b)[:2],
        "four results": lambda dH, A, W, b: [*gradients(dH, A, W, b), dH],
        "an error": mistaken, "None": lambda dH, A, W, b: None,
    }
    seen, raised = [torch.zeros(0, dtype=torch.float64)], []

    def noted(dH, A, W, b):
        seen.append((A @ W.T + b).detach().double().flatten())
        return functions[name](dH, A, W, b)

    def watched(dH, A, W, b):
        try:
            return functions[name](dH, A, W, b)
        except Exception as error:
            raised.append(error)
            raise

    try:
        said = accepts(noted if name in ("with where", "einsum") else watched)
    except Exception as error:
        if not any(error is one for one in raised) and name != "None":
            raise
        return [0, 0, f"{type(error).__name__}: {error}", 0, 0, 0]               # the function's own error went through accepts, or one about the None
    said = said.item() if hasattr(said, "item") and getattr(said, "shape", None) == () else said
    entries = torch.cat(seen)
    return [int(said) if isinstance(said, bool) else said, len(entries.unique()), "", len(seen) - 1, len(entries), int((entries == entries.round()).all())]

def judged(of, wanted, names):
    most = 0, 0, 0, 0
    for name, (what, hint) in names.items():
        said, seen, error, trials, entries, whole = verdict_on(name)
        most = max(most, (seen, trials, entries, whole))
        assert_true(not error, f"accepts gives an answer to {what}; {'that None raised an error in accepts' if name == 'None' else 'the error of that function went through accepts'}, {error}", of=of,
                    hint="An error of the function must not stop your test: try and except." if wanted == 0 and name != "None" else hint)
        assert_type(said, int, f"what accepts returns, for {what}", of=of, hint="Return True or False.")
        assert_equal(said == 1, wanted == 1, f"what accepts says to {what}", of=of, hint=hint)
    return most

def enough(most):
    seen, trials, entries, whole = most
    assert_true(seen >= 1000, f"the trials of a right function hold at least 1,000 different entries of Z; found {seen}", of="rare mistakes", hint=
                "accepts called this right function once: a trial that finds no mistake is no reason to return." if trials == 1 else
                f"It was called {trials} times, with {entries} entries in all, many of them equal: these are whole numbers." if whole and entries else
                f"It was called {trials} times, with {entries} entries in all, many of them equal: are new numbers drawn for each trial?" if entries > 1.2 * seen else
                f"It was called {trials} times: more trials, or larger ones, hold more.")

tolerance = "Two right computations differ in the last bits: compare by a tolerance."
many = judged("right ones", 1, {"autograd": ("a right function that returns autograd's own gradients by A, W and b", "What comes back is a tuple or list (dA, dW, db), in this order; the shapes are those of A, W and b. Do you compare each with autograd's own gradient?"),
    "with where": ("right_backward", tolerance), "one by one": ("a right function that adds the examples one by one, from the last", tolerance)})
enough(many)
judged("form", 0, {"db with an axis too many": ("one whose db has the shape (1, q)", "Compare the shapes: broadcasting hides one more axis."), "two results": ("one that returns two gradients", "Count the gradients that come back."),
                   "four results": ("one that returns four gradients", "Count the gradients that come back."), "an error": ("one that raises ValueError", "Where the function raises an error, the answer is False: it is no pass, and no reason to go on to the next trial.")})
judged("mask", 0, {"no mask": ("maskless_backward", "Are there units in your trials that are switched off?"), "leaky": ("one with slope 0.01 where Z is negative", "Is your tolerance too wide? Right gradients agree to about 1e-7 of their size."), "no bias in the mask": ("one that masks by A Wᵀ > 0", "Are the biases of your trials different from 0?"),
                   "ones for what arrives": ("one that takes ones for dH", "Does what arrives from above differ from ones?"), "size of what arrives": ("one that takes |dH| for dH", "Does what arrives have negative entries?")})
def which_is_passed_over():
    """Whether one wrong gradient alone is never refused, or only a wrong dA."""
    single = [verdict_on(name)[0] for name in ("nothing passed on", "dW of zeros", "db uphill")]
    return "Is dA compared, the first of the three?" if 0 in single else "One wrong gradient of the three is enough to refuse; yours refuses none that has a single one."

judged("each gradient", 0, {"nothing passed on": ("one whose dA is 0", which_is_passed_over), "dW of zeros": ("one whose dW is 0", "Is dW compared?"),
                            "dW half": ("one whose dW is halved", lambda:
                            "One whose dW is a thousand times too large is accepted, too: compare its size, not the direction alone." if verdict_on("dW a thousandfold")[0] == 1 else
                            "Is your tolerance too wide? Right gradients agree to about 1e-7 of their size."), "dA a percent off": ("one whose dA is one percent too large", "Is your tolerance too wide, the relative or the absolute one? Right gradients agree to about 1e-7 of their size."), "db uphill": ("one whose db has the wrong sign", "Is db compared, the last of the three, entry by entry? Its norm is right here.")})
judged("sums", 0, {"mean over the examples": ("one with dW and db divided by n", "Are there trials with more than one example?"), "last unit left out": ("one that leaves the last unit out of dA", "Are there trials with several units?"),
                   "first four examples only": ("one with dW of the first four examples only", "Are there trials with more than four examples?")})
judged("every size", 0, {"columns for equal n and q": ("one that sums the wrong axis for db where n = q", "Are there trials with n = q? And is each entry of db compared? The total is right here."), "dW reshaped": ("one that is wrong in dW only where d ≠ q", "Are there trials with d ≠ q?"),
                         "axis lost at q = 1": ("one whose db loses its axis for a single unit", "Are there trials with q = 1?"), "wrong for one example": ("one that is wrong only for n = 1", "Are there trials with n = 1?")})
judged("rare mistakes", 0, {"band": ("one whose mask is wrong only for Z between 0.05 and 0.13", "Try more trials, or larger ones: the mistake is rare."), "late": ("one that masks by Z > 0.08", "Try more trials, or larger ones: the mistake is rare.")})
### BEGIN HIDDEN TESTS
many = judged("right ones", 1, {"einsum": ("another right function", tolerance), "examples backwards": ("a right function that adds in another order", tolerance),
                                   "sizes from 1 only": ("a right function that takes no size 0", "The functions take sizes from 1: is there a 0 among yours?")})
judged("mask", 0, {"mask of what arrives": ("one that masks by dH", "Does what arrives have negative entries?"), "value for slope": ("one that takes the value of ReLU for its slope", "Compare the values.")})
judged("sums", 0, {"first example only": ("one with dW of the first example only", "Are there trials with more than one example?"), "last example left out": ("one that leaves the last example out of db", "Are all gradients compared?")})
judged("each gradient", 0, {"dW a percent off": ("one whose dW is one percent too large", "Is your tolerance too wide?"), "db a percent off": ("one whose db is one percent too large", "Is your tolerance too wide?"), "new weights": ("one that passes on through updated weights", "Is dA compared?"), "dA doubled": ("one whose dA is doubled", "Is dA compared?"), "db of the unmasked": ("one without the mask in db alone", "Is db compared?")})
judged("every size", 0, {"mean for equal n and q": ("one that is wrong in db where n = q", "Are there trials with n = q?"), "transposed for equal d and q": ("one that is wrong in dW where d = q", "Are there trials with d = q?"),
                         "axis lost at d = 1": ("one whose dW loses an axis for a single input", "Are there trials with d = 1?"), "wrong for five inputs": ("one that is wrong only for d = 5", "Are there trials of all sizes up to 5?"),
                         "wrong for five examples": ("one that is wrong only for n = 5", "Are there trials of all sizes up to 5?"), "wrong for five units": ("one that is wrong only for q = 5", "Are there trials of all sizes up to 5?")})
judged("rare mistakes", 0, {"band below": ("one whose mask is wrong for some small negative Z", "The mistake is rare: try more trials, or larger ones."), "large": ("one whose mask is wrong for some large Z", "The mistake is rare: try more trials, or larger ones.")})
judged("form", 0, {"W transposed": ("one with W transposed in dA", "It raises an error where d and q differ: such a function is refused, too."), "dW transposed": ("one with dW transposed", "Compare the shapes."), "dA of one axis": ("one whose dA has one axis", "Compare the shapes."), "None": ("one that returns None", "There are no three gradients: look at what comes back inside of the try, too.")})
enough(many)
### END HIDDEN TESTS

# %% [markdown] task="B.1.5" kind="explain" minutes=12 difficulty=2 needs="addition in floating point depends on the order, comparison by tolerance"
# ### Equal, or close?
#
# First set `triple` to a tuple or list of three plain numbers `(a, b, c)` of your own, other than those of section 6, for which, in float32, $(a + b) + c$ and $a + (b + c)$ differ. Then explain in words: why a sum of outer products and a matrix product, which are the same formula, need not agree in every
# bit; how one should compare them; and when equality in every bit *may* be asked for (B.2 asks for it).
#
# **You are done when**
# - **three numbers**: there are three, finite in float32, not those of section 6 in whatever order and sign;
# - **two sums**: the two sums are finite and differ in float32.
#
# The words are complete when they give the reason, the way to compare with its kind of tolerance, and the condition for equal bits.

# %% exercise="B.1.5"
### BEGIN SOLUTION
triple = (1., 2. ** -24, 2. ** -24)
### END SOLUTION

# %% [markdown] hints="B.1.5"
# 1. What does a float32 of size $10^8$ do with an addition of 1? Does it happen with smaller numbers?
# 2. A float32 has 24 binary digits: from $2^{24}$ on it cannot hold every integer, and a sum is rounded to the next one that it can hold.
# 3. With three decimal digits: $(1000 - 1000) + 0.1 = 0.1$. But $-1000 + 0.1 = -999.9$ has four digits and is rounded to $-1000$, so $1000 + (-1000 + 0.1) = 0$.

# %% check="B.1.5" points=1
from fractions import Fraction

def three_numbers():
    assert_type(triple, (tuple, list), "triple", of="three numbers", hint="A tuple of three plain numbers: triple = (a, b, c).")
    assert_equal(len(triple), 3, "how many numbers", of="three numbers", hint="Three: a, b and c.")
    for value in triple:
        assert_type(value, (int, float), "each entry of triple", of="three numbers", hint="Plain numbers, without quotes and not as tensors: the check makes float32 of them.")
    return torch.tensor([float(v) for v in triple], dtype=torch.float32)

def finite_and_new():
    numbers_ = three_numbers()
    assert_true(bool(numbers_.isfinite().all()), "the numbers of triple are finite in float32", of="three numbers", hint="The largest float32 is about 3.4e38.")
    assert_true(numbers_.abs().sort().values.tolist() != [1., 1e8, 1e8], "the three numbers are others than 1e8, -1e8 and 1 of section 6, in float32, too", of="three numbers", hint="Find one of your own: other sizes do it, too.")

def sums_differ():
    a_, b_, c_ = three_numbers()
    left_first, right_first = ((a_ + b_) + c_).item(), (a_ + (b_ + c_)).item()
    assert_true(abs(left_first) < float("inf") and abs(right_first) < float("inf"), "both sums are finite", of="two sums", hint="An overflow is another matter: take smaller numbers.")
    plain = [float(v) for v in triple]
    if sum(map(Fraction, (a_.item(), b_.item(), c_.item()))) == left_first:
        hint = "Nothing is rounded here, in either order: each sum fits into 24 binary digits. A number should be lost in one order and kept in the other."
    elif (plain[0] + plain[1]) + plain[2] != plain[0] + (plain[1] + plain[2]):
        hint = "They differ in float64, as Python counts, and not in float32: there both orders round to the same number. Sums may differ in float64 and not in float32, or the other way round."
    else:
        hint = (f"Both orders round to the same number; on the way a + b becomes {(a_ + b_).item():.9g} in the first, b + c becomes {(b_ + c_).item():.9g} in the second. "
                "Let a number be lost in one order and kept in the other.")
    assert_true(left_first != right_first, f"the two sums differ in float32; they are {left_first!r} and {right_first!r}", of="two sums", hint=hint)

finite_and_new()
sums_differ()
### BEGIN HIDDEN TESTS
import numpy as np
def with_numpy():
    values = np.array([float(v) for v in triple], dtype=np.float32)
    assert_true(bool(np.isfinite(values).all()), "the numbers are finite in float32", of="three numbers", hint="The largest float32 is about 3.4e38.")
    assert_true(bool((values[0] + values[1]) + values[2] != values[0] + (values[1] + values[2])), "the two sums differ in float32", of="two sums", hint="A number should be lost in one order and kept in the other.")

with_numpy()
### END HIDDEN TESTS

# %% [markdown] written="B.1.5" points=3
# ### BEGIN SOLUTION
# *Why.* Every addition in floating point is rounded, so its result depends on the order: with $u = 2^{-24}$, half of the last digit of 1, $(1 + u) + u$ rounds back to 1 twice, but $u + u = 2^{-23}$ is the last digit of 1 and stays. A matrix product adds the n terms of an entry in blocks, several at a
# time, and may multiply and add with a single rounding; the loop over outer products adds them one by one. Same terms, another order, other roundings. On the page 200 examples gave relative differences of up to 3e-7.
#
# *How to compare.* By a tolerance that is relative to the size of the values and fits the dtype: for float32 a few times the unit roundoff of about 6e-8, times something that grows with n, say 1e-5. Wrong formulas are off by far more. An absolute tolerance of 1e-6 would let gradients of size 1e-7 pass,
# whatever they are, and refuse right ones of size 1e4.
#
# *When bits may be asked for.* Where the same operations run in the same order on the same inputs: the same kernel, the same shapes, the same number of threads. The fused update of B.2 calls the same backward functions and the same optimizer step as the plain loop, only at another time.
#
# **Rubric**
# - [1] Rounding makes addition depend on the order, and the two computations add in a different order; also accepted: fused multiply-add, blocks, vector instructions; lost by "random numbers differ" or "the GPU is inexact".
# - [1] Compare by a relative tolerance that fits the dtype; also accepted: `torch.allclose` or `torch.testing.assert_close` with a reason; lost by an absolute tolerance without regard to the size of the values.
# - [1] Equality in every bit holds where the same operations run on the same inputs in the same order; also accepted: the same function called twice, sums of small whole numbers, which are exact; lost by "equal formulas give equal bits".
# ### END SOLUTION

# %% [markdown]
# ## Summary
#
# - A layer gets $\bar H$ from above. Through ReLU it becomes the error signal $\Delta = \bar H \odot [Z > 0]$, and all three results go through $\Delta$.
# - $\bar W = \Delta^\top A$ is a sum of outer products, one for each example; $\bar{\mathbf b}$ is the sum of the rows of $\Delta$; $\bar A = \Delta W$ is passed on.
# - $\bar A$ needs the weights of the forward pass: pass on first, update afterwards, in place. In the other order nothing raises an error, and the gradients below are wrong.
# - A test of gradients draws everything at random, in many shapes, often, looks at the form first, and compares by a relative tolerance.
# - Equal formulas do not give equal bits; equal operations in equal order do. B.2 makes use of both: it updates each layer on the way back, and asks for the plain loop's bits.
