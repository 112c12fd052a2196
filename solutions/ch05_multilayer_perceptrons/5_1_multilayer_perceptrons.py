# %% [markdown]
# # 5.1 Multilayer perceptrons
#
# A linear model changes its score by the same amount for each step in a feature, wherever the step is taken.
# Many things are not like that. This section puts *hidden layers* between inputs and outputs, shows why they
# need an *activation function* between them, and looks at the functions that are in use: their shape, their
# derivative, and where the derivative disappears. First comes a recap with code to run, then the exercises.

# %% tags=["setup"]
from d2l_utils.check import *
import torch
import d2l_utils as d2l

# %% [markdown]
# ## Recap
#
# ### What a linear model cannot do
#
# Four points in the corners of a square, the class +1 where the two coordinates differ and -1 where they agree
# (*exclusive or*). No line has the two classes on its two sides. The best linear fit, by least squares, gives
# the same score to all four points:

# %%
corners = torch.tensor([[0., 0.], [0., 1.], [1., 0.], [1., 1.]])
classes = torch.tensor([-1., 1., 1., -1.])
with_ones = torch.cat([corners, torch.ones(4, 1)], dim=1)
best = torch.linalg.lstsq(with_ones, classes[:, None]).solution
(with_ones @ best).flatten().round(decimals=4)

# %% [markdown]
# ### A hidden layer
#
# A *multilayer perceptron* (MLP) with one hidden layer computes, for a batch `X` of shape (n, d),
#
# $$\mathbf H = \sigma(\mathbf X \mathbf W_1 + \mathbf b_1), \qquad \mathbf O = \mathbf H \mathbf W_2 + \mathbf b_2,$$
#
# with `W1` of shape (d, h), `b1` of shape (h,), `W2` of shape (h, q) and `b2` of shape (q,). The activation
# function σ acts on each entry by itself. The rows stay apart: each example has its own row of h *hidden units*.
# Two hidden units are enough for the square. The first counts the ones, the second notices that there are two:

# %%
def relu(X):
    return torch.max(X, torch.zeros_like(X))


W1, b1 = torch.tensor([[1., 1.], [1., 1.]]), torch.tensor([0., -1.])
W2, b2 = torch.tensor([[2.], [-4.]]), torch.tensor([-1.])
H = relu(corners @ W1 + b1)
H, (H @ W2 + b2).flatten()

# %% tags=["demo"]
grid = torch.linspace(-0.5, 1.5, 101)
points = torch.cartesian_prod(grid, grid)
score = (relu(points @ W1 + b1) @ W2 + b2).reshape(101, 101)
d2l.set_figsize((3.5, 3))
d2l.plt.contourf(grid, grid, score.T, levels=[-9, 0, 9], colors=['C0', 'C1'], alpha=0.3)
d2l.plt.scatter(*corners.T, c=['C0' if c < 0 else 'C1' for c in classes], edgecolor='black')
d2l.plt.gca().set(xlabel='x1', ylabel='x2', title='two hidden units')
d2l.plt.show()

# %% [markdown]
# ### Activation functions
#
# - *ReLU*, max(x, 0): cheap, slope 0 or 1, no derivative at 0 (autograd takes 0 there).
# - *sigmoid*, 1 / (1 + exp(-x)): between 0 and 1, slope σ(x) (1 - σ(x)), at most 1/4.
# - *tanh*, (1 - exp(-2x)) / (1 + exp(-2x)): between -1 and 1, slope 1 - tanh²(x), at most 1.
#
# The upper row shows the functions, the lower one their slopes, which autograd computes.

# %% tags=["demo"]
def slope(function, x):
    x = x.clone().requires_grad_()
    return torch.autograd.grad(function(x).sum(), x)[0]


x = torch.arange(-8, 8, 0.1)
d2l.set_figsize((9, 4))
figure, axes = d2l.plt.subplots(2, 3)
for column, function in zip(axes.T, (torch.relu, torch.sigmoid, torch.tanh)):
    d2l.plot(x, function(x), axes=column[0], figsize=(9, 4))
    d2l.plot(x, slope(function, x), xlabel='x', axes=column[1], figsize=(9, 4))
    column[0].set_title(function.__name__)
    column[1].set_ylim(-0.1, 1.1)
d2l.plt.tight_layout()
d2l.plt.show()

# %% [markdown]
# Two more are in the exercises. *pReLU*, max(0, x) + α min(0, x), lets a little through on the negative side, with
# a slope α that is learnt. *Swish*, x σ(βx), is smooth, and not monotone: it has a minimum below zero. For β = 1 it is
# torch's `silu`.

# %% tags=["demo"]
curves = [torch.nn.functional.prelu(x, torch.tensor([0.25])), torch.nn.functional.silu(x), x * torch.sigmoid(4 * x)]
d2l.plot(x, curves, xlabel='x', legend=['pReLU, 0.25', 'Swish, β = 1', 'Swish, β = 4'], xlim=[-4, 4], ylim=[-1.2, 4])
d2l.plt.show()

# %% [markdown]
# ### The universal approximator
#
# With enough hidden units, one hidden layer comes as close as you like to any continuous function on a bounded
# interval. For one input and ReLU this can be built by hand: each unit bends the curve at one place. Here are
# bends at 4, 8 and 16 equally spaced places under a sine.

# %% tags=["demo"]
def interpolating(knots, values, x):
    """The piecewise linear function through the points, as a sum of ReLUs."""
    slopes = values.diff() / knots.diff()
    bends = torch.cat([slopes[:1], slopes.diff()])
    return values[0] + (relu(x[:, None] - knots[None, :-1]) * bends).sum(1)


x = torch.linspace(0, 6.28, 400)
fits = []
for units in (4, 8, 16):
    knots = torch.linspace(0, 6.28, units + 1)
    fits.append(interpolating(knots, knots.sin(), x))
    print(units, 'units: largest error', round((fits[-1] - x.sin()).abs().max().item(), 4))
d2l.plot(x, [x.sin(), *fits[:2]], xlabel='x', legend=['sin', '4 units', '8 units'])
d2l.plt.show()

# %% [markdown]
# From 8 to 16 units the error falls to about a quarter. That such weights exist does not say that training finds them.
#
# ## Exercises
#
# ### Depth without activation functions

# %% [markdown] task="5.1.1a" kind="code" minutes=8 difficulty=2 core=true
# ### One layer is enough
#
# Leave the activation functions out, and a network of many layers computes nothing that a single layer could not.
# The proof is to write this single layer down.
#
# Write `collapse(Ws, bs)`. `Ws` and `bs` are lists with one entry a layer, from the input on; layer i maps `X` to
# `X @ Ws[i] + bs[i]`, with `Ws[i]` of shape (n_i, n_{i+1}) and `bs[i]` of shape (n_{i+1},). Return `(W, b)` such that
# `X @ W + b` equals the output of all layers, one after the other. There is at least one layer.
#
# **You are done when** the check shows a matrix of shape (3, 2) for layers of 3, 4 and 2 units, and the output of two
# layers that you can work out by hand.

# %% exercise="5.1.1a"
def collapse(Ws, bs):
    """One affine map for a chain of them: lists of (n_i, n_{i+1}) and (n_{i+1},) -> (n_0, n_k), (n_k,)."""
    ### BEGIN SOLUTION
    W, b = Ws[0], bs[0]
    for more_W, more_b in zip(Ws[1:], bs[1:]):
        W, b = W @ more_W, b @ more_W + more_b
    return W, b
    ### END SOLUTION

# %% [markdown] hints="5.1.1a"
# 1. Put the first layer into the second: what is (X W₁ + b₁) W₂ + b₂, multiplied out?
# 2. The bias of a layer passes through all later weights, in their order.
# 3. With numbers: x → 2x + 1 → 3(2x + 1) + 5 = 6x + 8. The 8 is 1 · 3 + 5.

# %% check="5.1.1a" points=2
Ws = [torch.tensor([[1., 0., 2., 0.], [0., 1., 0., -1.], [1., 1., 0., 0.]]),
      torch.tensor([[1., 0.], [2., 1.], [0., 1.], [1., 0.]])]
bs = [torch.tensor([1., 0., -1., 2.]), torch.tensor([10., 20.])]
W, b = collapse(Ws, bs)
assert_shape(W, (3, 2), "the shape of W for layers of 3, 4 and 2 units")
assert_shape(b, (2,), "the shape of b for layers of 3, 4 and 2 units")
assert_close(W, torch.tensor([[1., 2.], [1., 1.], [3., 1.]]), "W for two small layers")
assert_close(b, torch.tensor([13., 19.]), "b for two small layers",
             mistakes={"The biases of the first layer do not pass through the second.": torch.tensor([10., 20.])})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(511)
for sizes in ((2, 5), (4, 3, 6, 2), (5, 5, 5, 5), (1, 7, 2, 3, 4)):
    Ws = [torch.randn(n, m, generator=rng, dtype=torch.float64) for n, m in zip(sizes, sizes[1:])]
    bs = [torch.randn(m, generator=rng, dtype=torch.float64) for m in sizes[1:]]
    X = torch.randn(6, sizes[0], generator=rng, dtype=torch.float64)
    W, b = collapse(Ws, bs)
    wanted, zeros = X, torch.zeros(1, sizes[0], dtype=torch.float64)
    for more_W, more_b in zip(Ws, bs):
        wanted, zeros = wanted @ more_W + more_b, zeros @ more_W + more_b
    assert_shape(W, (sizes[0], sizes[-1]), f"the shape of W for sizes {sizes}")
    assert_shape(b, (sizes[-1],), f"the shape of b for sizes {sizes}")
    assert_close(b, zeros[0], f"b, the output for zeros, for sizes {sizes}")
    assert_close(X @ W + b, wanted, f"the output for sizes {sizes}")

@probe
def weights_after(Ws, bs):
    collapse(Ws, bs)
    return Ws, bs

Ws = [torch.randn(n, m, generator=rng) for n, m in ((2, 4), (4, 4), (4, 3))]
bs = [torch.randn(m, generator=rng) for m in (4, 4, 3)]
Ws_after, bs_after = weights_after([w + 0 for w in Ws], [v + 0 for v in bs])
assert_close(Ws_after, Ws, "the weights are left as they were")
assert_close(bs_after, bs, "the biases are left as they were")
### END HIDDEN TESTS

# %% [markdown] task="5.1.1b" kind="explain" minutes=15 difficulty=3
# ### Where a deep linear network is weaker
#
# A further linear layer never adds power; it can take some away. Consider networks of d inputs, one hidden layer of h
# units *without activation function*, d outputs, and no biases: the matrices `W1 @ W2` with `W1` of shape (d, h) and
# `W2` of shape (h, d).
#
# Write `smallest_error(M, h)`: the smallest possible value of the squared Frobenius norm of `M - W1 @ W2` over all
# `W1` and `W2`, as a number or tensor of one entry. `M` has shape (d, d), and h ≥ 0.
#
# Then explain in the second cell: why extra linear layers never enlarge the set of functions; when they make it
# smaller, with one example in numbers; and what an activation function changes in the argument.
#
# **You are done when** the check shows the error for a diagonal matrix, and your text has all three points.

# %% exercise="5.1.1b"
def smallest_error(M, h):
    """The least squared error of a matrix (d, d) approximated by rank at most h (Eckart and Young, 1936)."""
    ### BEGIN SOLUTION
    return torch.linalg.svdvals(M)[h:].square().sum()
    ### END SOLUTION

# %% [markdown] hints="5.1.1b"
# 1. What is the largest rank that `W1 @ W2` can have?
# 2. The matrix of rank at most h that is nearest to `M` keeps the h largest singular values of `M` and sets the
#    others to zero. `torch.linalg.svdvals` gives them in descending order.
# 3. For the diagonal matrix with 5, 2, 1 and one hidden unit, 5 is kept, and the error is 2² + 1² = 5.

# %% check="5.1.1b" points=2
spread = torch.diag(torch.tensor([1., 3., -2.]))
assert_close(smallest_error(spread, 3), 0.0, "three hidden units for a 3 × 3 matrix", atol=1e-6)
assert_close(smallest_error(spread, 2), 1.0, "two hidden units for the diagonal 1, 3, -2",
             mistakes={"The smallest, not the first, singular values are lost.": 4.0})
assert_close(smallest_error(spread, 1), 5.0, "one hidden unit for the diagonal 1, 3, -2",
             mistakes={"This is the square of a sum: add up the squares.": 9.0,
                       "The square is missing: this is the sum of the singular values.": 3.0,
                       "This is the norm: its square was asked for.": 5 ** 0.5})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(512)
M = torch.randn(6, 6, generator=rng, dtype=torch.float64)
U, S, Vh = torch.linalg.svd(M)
for h in range(8):
    wanted = (M - (U[:, :h] * S[:h]) @ Vh[:h]).square().sum()
    assert_close(smallest_error(M, h), wanted.item(), f"a matrix of shape (6, 6) that is not symmetric, {h} hidden units",
                 atol=1e-9)
low = torch.randn(5, 2, generator=rng, dtype=torch.float64) @ torch.randn(2, 5, generator=rng, dtype=torch.float64)
assert_close(smallest_error(low, 2), 0.0, "a matrix of rank 2, two hidden units", atol=1e-9)
### END HIDDEN TESTS

# %% [markdown] written="5.1.1b" points=3
# ### BEGIN SOLUTION
# A chain of affine maps multiplies out to one affine map, with weights W₁W₂...W_k; a single layer can have this product
# as its weights, so every function of the deep network is one of the single layer too.
#
# The rank of a product is at most that of each factor, so it is at most the width of the narrowest layer. With three
# inputs, three outputs and one hidden unit the network cannot be the identity: its matrix has rank 1, and the least
# squared error is 2. Where no hidden layer is narrower than both input and output, nothing is lost.
#
# With a nonlinear function in between, σ(XW₁)W₂ does not multiply out to X times one matrix, and the set of functions
# grows with width and depth.
#
# **Rubric**
# - [1] The product of the layers' matrices (with the bias worked in) is the weight of one layer, so nothing is gained; also accepted: affine maps are closed under composition; lost by "deeper is always more expressive".
# - [1] A hidden layer narrower than input and output bounds the rank, with an example in numbers; also accepted: any matrix of higher rank; lost by "a narrow layer is only slower to train".
# - [1] With a nonlinear activation the product cannot be multiplied out; also accepted: XOR or another function that no affine map computes; lost by "the activation keeps the numbers small".
# ### END SOLUTION

# %% [markdown]
# ### Derivatives of activation functions

# %% [markdown] task="5.1.2" kind="code" minutes=8 difficulty=2 core=true
# ### pReLU
#
# pReLU(x) = max(0, x) + α min(0, x). Training needs two derivatives of it: with respect to x, to pass on to the layer
# before, and with respect to α, which is a parameter.
#
# Write `prelu_derivatives(x, alpha)`: for a tensor `x` of floating point and a number `alpha`, any real number, it
# returns a tuple of two tensors of the shape and dtype of `x`: entry by entry the derivative with respect to x, and
# that with respect to α. At x = 0 the first may be anything between α and 1; the second is what the formula gives.
#
# **You are done when** the check shows both derivatives for -2, 3 and -0.5.

# %% exercise="5.1.2"
def prelu_derivatives(x, alpha):
    """d pReLU / dx and d pReLU / d alpha, entry by entry, each of the shape of x."""
    ### BEGIN SOLUTION
    ones = torch.ones_like(x)
    return torch.where(x > 0, ones, alpha * ones), x.clamp(max=0)
    ### END SOLUTION

# %% [markdown] hints="5.1.2"
# 1. Which of the two terms is not zero for x > 0, and which for x < 0?
# 2. In α, the function is a straight line through max(0, x). What is its slope?
# 3. For c · |x|: the derivative with respect to x is c · sign(x), that with respect to c is |x|.

# %% check="5.1.2" points=2
x = torch.tensor([-2., 3., -0.5])
results = prelu_derivatives(x, 0.25)
assert_type(results, (tuple, list), "what prelu_derivatives returns")
assert_equal(len(results), 2, "the number of derivatives")
assert_close(results[0], torch.tensor([0.25, 1., 0.25]), "the derivative with respect to x at -2, 3, -0.5")
assert_close(results[1], torch.tensor([-2., 0., -0.5]), "the derivative with respect to α at -2, 3, -0.5",
             mistakes={"For x > 0 the output does not depend on α.": torch.tensor([-2., 3., -0.5]),
                       "This is max(0, x): the factor of α is min(0, x).": torch.tensor([0., 3., 0.]),
                       "The factor of α is min(0, x), not 1.": torch.tensor([1., 0., 1.])})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(513)
for shape, slope_ in (((4, 3), -0.7), ((5,), 1.8), ((2, 1, 6), 0.0)):
    x = torch.randn(shape, generator=rng, dtype=torch.float64)
    leaf = x.clone().requires_grad_()
    weight = torch.full(shape, slope_, dtype=torch.float64, requires_grad=True)
    (leaf.clamp(min=0) + weight * leaf.clamp(max=0)).sum().backward()
    by_x, by_alpha = prelu_derivatives(x, slope_)
    assert_dtype(by_x, torch.float64, "the dtype of the derivative with respect to x")
    assert_close(by_x, leaf.grad, f"the derivative with respect to x for shape {shape} and α = {slope_}")
    assert_close(by_alpha, weight.grad, f"the derivative with respect to α for shape {shape} and α = {slope_}")
at_zero = prelu_derivatives(torch.zeros(3), 0.5)[1]
assert_close(at_zero, torch.zeros(3), "the derivative with respect to α at 0")

@probe
def x_after(x, alpha):
    prelu_derivatives(x, alpha)
    return x

fresh = torch.randn(3, 4, generator=rng)
assert_close(x_after(fresh + 0, 0.5), fresh, "x is left as it was")
### END HIDDEN TESTS

# %% [markdown] task="5.1.3" kind="code" minutes=10 difficulty=3
# ### Swish
#
# Swish(x) = x σ(βx), where σ is the sigmoid. β is a number that may be learnt; for large β Swish comes close to ReLU.
#
# Write `swish_derivative(x, beta)`: the derivative of Swish with respect to x, entry by entry, for a tensor `x` of
# floating point and a number `beta`. It has the shape of `x`, and is right for large |x| too, where
# exp overflows.
#
# **You are done when** the check shows 1/2 at 0, and the limits 0 and 1 at -1000 and 1000.

# %% exercise="5.1.3"
def swish_derivative(x, beta):
    """d/dx of x * sigmoid(beta * x), entry by entry, the shape of x."""
    ### BEGIN SOLUTION
    s = torch.sigmoid(beta * x)
    return s + beta * x * s * (1 - s)
    ### END SOLUTION

# %% [markdown] hints="5.1.3"
# 1. Which two rules does the derivative of x · σ(βx) need?
# 2. σ'(z) = σ(z) (1 - σ(z)). `torch.sigmoid` does not overflow; your own exp(-z) does for z below -88.7.
# 3. For x · sin(3x) the derivative is sin(3x) + 3x cos(3x).

# %% check="5.1.3" points=2
x = torch.tensor([0., -1000., 1000., 2.])
assert_shape(swish_derivative(x, 1.0), (4,), "the shape for four numbers")
assert_close(swish_derivative(x, 1.0)[:3], torch.tensor([0.5, 0., 1.]), "the derivative at 0, -1000 and 1000, β = 1",
             hint="nan comes from an exp that overflows; torch.sigmoid is right for all x.")
assert_close(swish_derivative(x, 1.0)[3], 1.0907842, "the derivative at 2, β = 1",
             mistakes={"This is Swish itself.": 1.7615942, "The second term of the product rule is missing.": 0.8807971})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(514)
for shape, rate in (((4, 5), 1.0), ((7,), 2.5), ((3, 1, 2), -0.6), ((6,), 0.0)):
    x = 3 * torch.randn(shape, generator=rng, dtype=torch.float64)
    leaf = x.clone().requires_grad_()
    (leaf * torch.sigmoid(rate * leaf)).sum().backward()
    assert_close(swish_derivative(x, rate), leaf.grad, f"shape {shape}, β = {rate}",
                 hint="The inner derivative of σ(βx) is β.")
assert_close(swish_derivative(torch.tensor([-300., 300.]), 4.0), torch.tensor([0., 1.]), "-300 and 300, β = 4")
### END HIDDEN TESTS

# %% [markdown]
# The slope of Swish exceeds 1 and falls below 0. The picture shows why it is said to come close to ReLU.

# %% tags=["demo"]
x = torch.arange(-5, 5, 0.05)
slopes = [slope(lambda z, b=b: z * torch.sigmoid(b * z), x) for b in (0.5, 1, 8)]
d2l.plot(x, slopes, xlabel='x', ylabel='slope of Swish', legend=['β = 0.5', 'β = 1', 'β = 8'])
d2l.plt.show()
print('largest and smallest slope for β = 1:', [round(v.item(), 3) for v in (slopes[1].max(), slopes[1].min())])

# %% [markdown]
# ### Pieces
#
# A network whose only nonlinear function is ReLU (or pReLU) is continuous and *piecewise linear*: while no unit
# switches, it is a linear network, and ReLU has no jump. The number of pieces measures what it can express.

# %% [markdown] task="5.1.4a" kind="code" minutes=15 difficulty=3
# ### Kinks of one hidden layer
#
# With one input and one output, f(x) = Σ v_j ReLU(w_j x + b_j). The units j switch at different places, and the slope
# of f changes there.
#
# Write `kinks(w, b, v)` for three tensors of shape (h,): the places where the slope of f changes, as a tensor of one
# axis, in ascending order, each place once. Not every unit makes one: a unit may not depend on x, or not be used by the
# output, or the changes of several units at one place may cancel. f has one piece more than kinks.
#
# **You are done when** the check shows the kinks of a hat made of three units, and none for a function that is linear
# though it has two.

# %% exercise="5.1.4a"
def kinks(w, b, v):
    """Where the slope of sum_j v_j relu(w_j x + b_j) changes: three tensors (h,) -> (k,), ascending."""
    ### BEGIN SOLUTION
    used = w != 0
    places, unit_to_place = torch.unique(-b[used] / w[used], return_inverse=True)
    change = torch.zeros_like(places).index_add_(0, unit_to_place, v[used] * w[used].abs())
    return places[change != 0]
    ### END SOLUTION

# %% [markdown] hints="5.1.4a"
# 1. For which x is w x + b = 0, and by how much does the slope of ReLU(w x + b) change there, from left to right,
#    for w = 2 and for w = -2?
# 2. It grows by |w|, whichever sign w has. Add up v |w| over the units that switch at the same place.
#    `torch.unique(places, return_inverse=True)` sorts, and tells which place each unit has.
# 3. ReLU(x) - ReLU(-x): both switch at 0, the changes 1 and -1 cancel, and indeed the sum is x.

# %% check="5.1.4a" points=3
hat = (torch.tensor([1., 1., 1.]), torch.tensor([0., -1., -2.]), torch.tensor([1., -2., 1.]))
assert_close(kinks(*hat), torch.tensor([0., 1., 2.]), "the kinks of a hat")
straight = (torch.tensor([1., -1.]), torch.tensor([0., 0.]), torch.tensor([1., -1.]))
assert_shape(kinks(*straight), (0,), "the kinks of ReLU(x) - ReLU(-x) = x",
             hint="Both units switch at 0, and f goes straight through: add up the changes of the slope there.")
### BEGIN HIDDEN TESTS
from fractions import Fraction


def kinks_by_slopes(w, b, v):
    """The places at which the slopes on both sides, in exact arithmetic, differ."""
    units = [tuple(map(Fraction, unit)) for unit in zip(w.tolist(), b.tolist(), v.tolist())]
    places = sorted({-b_ / w_ for w_, b_, _ in units if w_})

    def slope_at(x):
        return sum(v_ * w_ for w_, b_, v_ in units if w_ * x + b_ > 0)

    probes = [places[0] - 1, *((p + q) / 2 for p, q in zip(places, places[1:])), places[-1] + 1]
    return [float(p) for p, left, right in zip(places, probes, probes[1:]) if slope_at(left) != slope_at(right)]


wide = (torch.tensor([4., 2., 0., -1., -3.]), torch.tensor([-1., 6., 5., -2., 3.]), torch.tensor([-1., 1., 3., 2., 0.]))
assert_close(kinks(*wide), torch.tensor(kinks_by_slopes(*wide)), "a unit with w = 0, a unit with v = 0, kinks out of order")
twice = (torch.tensor([1., 2., -4., 1.]), torch.tensor([-1., -2., 4., -3.]), torch.tensor([1., 1., 1., 2.]))
assert_close(kinks(*twice), torch.tensor(kinks_by_slopes(*twice)), "three units that switch at one place")
cancel = (torch.tensor([1., -2., 1.]), torch.tensor([-1., 2., 3.]), torch.tensor([2., -1., 1.]))
assert_close(kinks(*cancel), torch.tensor(kinks_by_slopes(*cancel)), "two units whose changes cancel, and a third")
mirror = (torch.tensor([1., -2., 1.]), torch.tensor([-1., 2., 3.]), torch.tensor([2., 1., 1.]))
assert_close(kinks(*mirror), torch.tensor(kinks_by_slopes(*mirror)), "units with w of both signs at one place")
rng = torch.Generator().manual_seed(515)
many = tuple(torch.randint(-4, 5, (12,), generator=rng).double() for _ in range(3))
assert_close(kinks(*many), torch.tensor(kinks_by_slopes(*many), dtype=torch.float64), "twelve units with small whole numbers")
### END HIDDEN TESTS

# %% [markdown] task="5.1.4b" kind="code" minutes=20 difficulty=4
# ### Depth multiplies pieces
#
# h units in one hidden layer make at most h + 1 pieces. Layers one after the other can fold the line again and again.
# The *tent* T(x) = 2x for x ≤ 1/2, 2 - 2x for x ≥ 1/2 folds [0, 1] once; applied k times, it has 2^k pieces.
#
# Write `sawtooth(k)` for k ≥ 1. It returns `(Ws, bs)`, two lists of tensors: a ReLU network with k hidden layers of
# at most 4 units that computes T applied k times, for x in [0, 1]. Layer i maps `X` to `X @ Ws[i] + bs[i]`; there is a
# ReLU after each layer but the last. Input and output have one unit.
#
# **You are done when** the check shows the right values of T and of T applied twice.

# %% exercise="5.1.4b"
def sawtooth(k):
    """Weights and biases of a ReLU network, k hidden layers of at most 4 units, for the k-fold tent on [0, 1]."""
    ### BEGIN SOLUTION
    into, fold = torch.tensor([[1., 1.]]), torch.tensor([[2.], [-4.]])
    Ws = [into] + [fold @ into] * (k - 1) + [fold]
    bs = [torch.tensor([0., -0.5])] * k + [torch.zeros(1)]
    return Ws, bs
    ### END SOLUTION

# %% [markdown] hints="5.1.4b"
# 1. How do you write T on [0, 1] with two ReLUs? Where does the slope change, and by how much?
# 2. The linear map out of one hidden layer and the linear map into the next have no ReLU between them, so they
#    multiply out to one matrix, as in 5.1.1a.
# 3. |x| = ReLU(x) + ReLU(-x). Two of it in a row: from 1 to 2 units with (1, -1), from 2 to 2 with
#    [[1, -1], [1, -1]], from 2 to 1 with (1, 1).

# %% check="5.1.4b" points=3
def output_of(network, x):
    """The output of the ReLU network (Ws, bs) for numbers x, as a tensor of one axis."""
    H = x.reshape(-1, 1)
    for i, (W, b) in enumerate(zip(*network)):
        H = H @ W.to(x.dtype) + b.to(x.dtype)
        H = H.relu() if i < len(network[0]) - 1 else H
    return H.flatten()


quarters = torch.tensor([0., 0.25, 0.5, 0.75, 1.])
network = sawtooth(1)
assert_equal(len(network[0]), 2, "the number of weight matrices for k = 1")
assert_close(output_of(network, quarters), torch.tensor([0., 0.5, 1., 0.5, 0.]), "T at 0, 1/4, 1/2, 3/4, 1")
assert_close(output_of(sawtooth(2), quarters), torch.tensor([0., 1., 0., 1., 0.]), "T applied twice")
assert_equal(len(sawtooth(2)[0]), 3, "the number of weight matrices for k = 2",
             hint="Two hidden layers: nothing stands between the map out of the first and the map into the second.")
### BEGIN HIDDEN TESTS
for k in (1, 3, 6, 9):
    network = sawtooth(k)
    assert_equal(len(network[0]), k + 1, f"the number of weight matrices for k = {k}")
    assert_true(max(W.shape[1] for W in network[0][:-1]) <= 4, f"at most 4 units in a hidden layer, k = {k}")
    x = torch.arange(4 * 2 ** k + 1, dtype=torch.float64) / (4 * 2 ** k)
    tent = x
    for _ in range(k):
        tent = 1 - (2 * tent - 1).abs()
    assert_close(output_of(network, x), tent, f"T applied {k} times")
### END HIDDEN TESTS

# %% [markdown]
# Six hidden layers of two units make 64 pieces with 12 units. One hidden layer needs 63 units for that.

# %% tags=["demo"]
x = torch.linspace(0, 1, 513)
folds = [x]
for _ in range(6):
    folds.append(1 - (2 * folds[-1] - 1).abs())
d2l.plot(x, [folds[1], folds[3], folds[6]], xlabel='x', legend=['k = 1', 'k = 3', 'k = 6'], figsize=(7, 2.5))
d2l.plt.show()

# %% [markdown]
# ### Sigmoid and tanh

# %% [markdown] task="5.1.5a" kind="code" minutes=5 difficulty=1 core=true
# ### tanh from the sigmoid
#
# The two S-shaped functions are the same curve, stretched and shifted: tanh(x) = 2σ(2x) - 1.
#
# Write `tanh_by_sigmoid(x)`: tanh, entry by entry, computed by means of a sigmoid. It has the shape and dtype of `x`, a
# tensor of floating point, and is right for large |x| too.
#
# **You are done when** the check shows 0, -1 and 1 for 0, -1000 and 1000.

# %% exercise="5.1.5a"
def tanh_by_sigmoid(x):
    """tanh(x) = 2 sigmoid(2x) - 1, entry by entry."""
    ### BEGIN SOLUTION
    return 2 * torch.sigmoid(2 * x) - 1
    ### END SOLUTION

# %% [markdown] hints="5.1.5a"
# 1. What do you get if you multiply numerator and denominator of tanh by suitable exponentials?
# 2. (1 - q) / (1 + q) = 2 / (1 + q) - 1. Which q turns 1 / (1 + q) into a sigmoid?
# 3. In the same way 1 - σ(x) = σ(-x): for x = 0 both are 1/2.

# %% check="5.1.5a" points=1
x = torch.tensor([0., -1000., 1000., 0.5])
assert_shape(tanh_by_sigmoid(x), (4,), "the shape for four numbers")
assert_close(tanh_by_sigmoid(x), torch.tensor([0., -1., 1., 0.46211716]), "tanh of 0, -1000, 1000 and 0.5",
             mistakes={"The argument of the sigmoid is 2x, not x.": torch.tensor([0., -1., 1., 0.24491866])})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(516)
x = 3 * torch.randn(4, 1, 5, generator=rng, dtype=torch.float64)
assert_dtype(tanh_by_sigmoid(x), torch.float64, "the dtype for float64")
assert_close(tanh_by_sigmoid(x), x.tanh(), "random numbers of shape (4, 1, 5)")
### END HIDDEN TESTS

# %% [markdown] task="5.1.5b" kind="code" minutes=12 difficulty=3 core=true
# ### The same class of functions
#
# So an MLP with tanh and one with the sigmoid can compute the same functions. To show it, turn the one into the other.
#
# Write `as_sigmoid_network(W1, b1, W2, b2)`. The arguments, of shapes (d, h), (h,), (h, q), (q,), belong to the
# network tanh(X W1 + b1) W2 + b2. Return four tensors of the same shapes, such that the network σ(X V1 + c1) V2 + c2
# computes the same outputs for every `X`.
#
# **You are done when** the check shows equal outputs of both for a network of one unit, and for one of three.

# %% exercise="5.1.5b"
def as_sigmoid_network(W1, b1, W2, b2):
    """The parameters with which a sigmoid MLP equals the given tanh MLP: four tensors of the same shapes."""
    ### BEGIN SOLUTION
    return 2 * W1, 2 * b1, 2 * W2, b2 - W2.sum(dim=0)
    ### END SOLUTION

# %% [markdown] hints="5.1.5b"
# 1. Write 2σ(2z) - 1 for tanh(z) in H W2 + b2. What happens to the -1?
# 2. Every hidden unit loses 1, so each output loses the sum of the weights from all hidden units to it.
# 3. With one unit: 5 tanh(3x + 4) + 7 = 5 (2σ(6x + 8) - 1) + 7 = 10 σ(6x + 8) + 2.

# %% check="5.1.5b" points=2
def sigmoid_network(X, V1, c1, V2, c2):
    return torch.sigmoid(X @ V1 + c1) @ V2 + c2


one = (torch.tensor([[3.]]), torch.tensor([4.]), torch.tensor([[5.]]), torch.tensor([7.]))
X = torch.tensor([[-2.], [-1.], [0.]])
converted = as_sigmoid_network(*one)
assert_equal(len(converted), 4, "the number of tensors")
assert_close(sigmoid_network(X, *converted), 5 * (3 * X + 4).tanh() + 7, "5 tanh(3x + 4) + 7 at -2, -1, 0",
             mistakes={"The outputs are too large by the weight: the -1 is missing.": 5 * (3 * X + 4).tanh() + 12,
                       "The -1 is multiplied by the weight, too: subtract that.": 5 * (3 * X + 4).tanh() + 11})
three = (torch.tensor([[1., -1., 0.5], [0., 2., 1.]]), torch.tensor([0., 1., -1.]),
         torch.tensor([[1., 2.], [3., -1.], [0.5, 1.]]), torch.tensor([0.5, -0.5]))
X = torch.tensor([[1., 2.], [-1., 0.5]])
assert_close(sigmoid_network(X, *as_sigmoid_network(*three)), (X @ three[0] + three[1]).tanh() @ three[2] + three[3],
             "two inputs, three hidden units, two outputs")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(517)
for d, h, q in ((4, 4, 4), (2, 7, 3), (5, 1, 2)):
    shapes = ((d, h), (h,), (h, q), (q,))
    given = [torch.randn(shape, generator=rng, dtype=torch.float64) for shape in shapes]
    X = torch.randn(6, d, generator=rng, dtype=torch.float64)
    converted = as_sigmoid_network(*given)
    for name, tensor, shape in zip(("W1", "b1", "W2", "b2"), converted, shapes):
        assert_shape(tensor, shape, f"the shape in place of {name} for d = {d}, h = {h}, q = {q}")
    assert_close(sigmoid_network(X, *converted), (X @ given[0] + given[1]).tanh() @ given[2] + given[3],
                 f"the outputs for d = {d}, h = {h}, q = {q}")

@probe
def parameters_after(parameters):
    as_sigmoid_network(*parameters)
    return parameters

assert_close(parameters_after([p + 0 for p in given]), given, "the given parameters are left as they were")
### END HIDDEN TESTS

# %% [markdown]
# ### An activation function that looks at the whole batch
#
# Every function so far acts on each entry by itself. This one does not: it gives each column of a batch mean 0 and
# standard deviation 1. (Batch normalisation, which you may meet later, begins like this.)

# %% tags=["setup"]
def batch_standardise(X):
    """Each column of X (n, d) with mean 0 and standard deviation 1; 1e-5 guards the division."""
    return (X - X.mean(dim=0)) / (X.std(dim=0, unbiased=False) + 1e-5)

# %%
batch_standardise(torch.tensor([[1., 10.], [2., 20.], [3., 60.]]))

# %% [markdown] task="5.1.6" kind="explain" minutes=15 difficulty=3
# ### One example, two answers
#
# First break it. Hand in `first` and `second`, two tensors of shape (n, 2) with 2 ≤ n ≤ 8 and entries between -10 and 10
# (n may differ between them). Their row 0, the same example, is equal. Yet in row 0 of `batch_standardise(first)` both
# entries are at least 1, and in row 0 of `batch_standardise(second)` both are at most -1.
#
# Then explain in the second cell what goes wrong with such a function in a network: (1) what the prediction of an example
# depends on, (2) what happens with a batch of one example, (3) what happens at test time, and a remedy, (4) what
# it means for the gradient of an example's loss.
#
# **You are done when** the check accepts shapes and row 0, and your text has all four points.

# %% exercise="5.1.6"
### BEGIN SOLUTION
first = torch.tensor([[0., 0.], [-1., -1.], [-1., -1.]])
second = torch.tensor([[0., 0.], [1., 1.], [1., 1.]])
### END SOLUTION

# %% [markdown] hints="5.1.6"
# 1. If all other rows are smaller than row 0, on which side of the mean does row 0 lie?
# 2. With two different values in a batch of two, the results are always 1 and -1 up to the 1e-5, so a little less than
#    1 in size. Three rows leave room.
# 3. In the batch 4, 1, 1, 1 the first number becomes about 1.73, in 4, 5, 4, 5 it becomes about -1.

# %% check="5.1.6" points=2
for name, batch in (("first", first), ("second", second)):
    assert_type(batch, torch.Tensor, name)
    assert_true(batch.ndim == 2 and batch.shape[1] == 2 and 2 <= batch.shape[0] <= 8, f"{name} has 2 to 8 rows of 2 entries")
    assert_true(batch.is_floating_point(), f"{name} holds floating point numbers", hint="Integers have no mean in torch: write 4.0, not 4.")
    assert_true(bool((batch.abs() <= 10).all()), f"the entries of {name} are between -10 and 10")
assert_close(first[0], second[0], "row 0 of first and of second")
### BEGIN HIDDEN TESTS
with part(1, "row 0 of the first batch"):
    assert_true(bool((batch_standardise(first)[0] >= 1).all()), "both entries of row 0 of the first result are at least 1",
                hint="All other rows must be smaller, and there must be more than one of them.")
with part(1, "row 0 of the second batch"):
    assert_true(bool((batch_standardise(second)[0] <= -1).all()), "both entries of row 0 of the second result are at most -1",
                hint="All other rows must be larger, and there must be more than one of them.")
total()
### END HIDDEN TESTS

# %% [markdown] written="5.1.6" points=4
# ### BEGIN SOLUTION
# The prediction of an example depends on the other examples that happen to be in its batch: in `first` and `second` the
# same row becomes positive once and negative once. The model is no longer a function of one input, and the random order
# of the batches adds noise.
#
# With one example the mean is the example itself: all outputs are 0, whatever the input, and no gradient passes. With
# few examples, mean and deviation are very noisy.
#
# At test time there may be a single example, or batches that are put together otherwise (sorted by class, say). The usual
# remedy is to keep running averages of mean and deviation from training, and to use these as constants at test time;
# then training and test compute different functions, and the model needs a switch between them.
#
# The loss of one example depends on the inputs of all others of the batch, so its gradient runs through all of them, and
# the gradient of the batch is not the mean of the gradients that the examples have alone. Splitting a batch over devices or
# accumulating gradients over smaller batches changes the result.
#
# **Rubric**
# - [1] The output of an example depends on the rest of its batch, with two batches as evidence; also accepted: it is no function of one input; lost by "only the scale changes".
# - [1] A batch of one example gives zeros (or division by zero without the guard), so the input is lost; also accepted: small batches make noisy statistics; lost by "small batches are only slower".
# - [1] Test time differs from training, and a remedy: running averages as constants; also accepted: statistics of the whole training set, or normalising over the features of one example; lost by "nothing changes at test time".
# - [1] Gradients couple the examples of a batch; also accepted: splitting the batch or accumulating gradients changes the result; lost by "the gradient is still the mean over the single examples".
# ### END SOLUTION

# %% [markdown]
# ### Vanishing gradients
#
# Take a chain of layers with one unit each and the sigmoid: a₀ = x, a_i = σ(w_i a_{i-1}). Back-propagation multiplies
# one factor w_i σ'(w_i a_{i-1}) a layer, and σ' is at most 1/4.

# %% [markdown] task="5.1.7a" kind="code" minutes=10 difficulty=3 core=true
# ### The gradient of a chain
#
# Write `chain_gradient(x, weights)`: the derivative of a_k with respect to x, a number or a tensor of one entry, for a
# number `x` and a list `weights` of the numbers w₁, ..., w_k, in double precision (float64, or Python's floats). For an
# empty list it is 1.
#
# **You are done when** the check shows 1/4 for one layer with w = 1 at x = 0.

# %% exercise="5.1.7a"
def chain_gradient(x, weights):
    """d a_k / dx for a_0 = x, a_i = sigmoid(w_i a_{i-1}), as a float."""
    ### BEGIN SOLUTION
    a, gradient = torch.tensor(x, dtype=torch.float64), 1.0
    for w in weights:
        a = torch.sigmoid(w * a)
        gradient = gradient * w * a * (1 - a)
    return float(gradient)
    ### END SOLUTION

# %% [markdown] hints="5.1.7a"
# 1. The chain rule gives a product. What is the factor of one layer, and at which place is σ' taken?
# 2. σ'(z) = σ(z) (1 - σ(z)), and σ(z) is the layer's output, which the forward pass has computed.
# 3. For sin(2 sin(3x)): 3 cos(3x), times 2 cos(2 sin(3x)).

# %% check="5.1.7a" points=2
assert_close(chain_gradient(0.0, []), 1.0, "no layer")
assert_close(chain_gradient(0.0, [1.0]), 0.25, "one layer, w = 1, at x = 0")
assert_close(chain_gradient(0.0, [2.0, 1.0]), 0.5 * 0.2350037122, "two layers, w = 2 and 1, at x = 0", rtol=1e-6,
             mistakes={"The weights are factors of the derivative too.": 0.25 * 0.2350037122,
                       "σ' of the second layer is taken at its input, not at x.": 0.5 * 0.25})
assert_close(chain_gradient(0.0, [4.0, 0.0]), 0.0, "a layer with weight 0")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(518)
for start, layers in ((0.7, 3), (-1.3, 6), (5.0, 1), (-0.2, 12)):
    weights_ = (3 * torch.randn(layers, generator=rng, dtype=torch.float64)).tolist()
    leaf = torch.tensor(start, dtype=torch.float64, requires_grad=True)
    a = leaf
    for w in weights_:
        a = torch.sigmoid(w * a)
    a.backward()
    assert_close(chain_gradient(start, weights_), leaf.grad.item(), f"{layers} layers at x = {start}", rtol=1e-6, atol=0)
### END HIDDEN TESTS

# %% [markdown] task="5.1.7b" kind="answer" minutes=8 difficulty=2
# ### Two ways to lose a gradient
#
# A gradient vanishes because there are many layers, or because a single unit is far out on the flat part of σ.
#
# Hand in two lists of weights for the chain above, at x = 1, for each of which the derivative is smaller than one
# millionth in size, but not zero in float64:
#
# - `by_depth`: at most 12 weights, each between -1 and 1, none smaller than 0.5 in size;
# - `by_saturation`: at most 2 weights, each between -40 and 40.
#
# **You are done when** the check accepts lengths and sizes. Your function of 5.1.7a
# tells whether the derivative is small enough.

# %% exercise="5.1.7b"
### BEGIN SOLUTION
by_depth = [1.0] * 12
by_saturation = [25.0]
### END SOLUTION

# %% [markdown] hints="5.1.7b"
# 1. How small is a factor w σ'(...) at most, if |w| ≤ 1? How often does it take that to get to 10⁻⁶?
# 2. (1/4)¹⁰ is just below 10⁻⁶. For a single layer, the factor is w σ'(w), and σ'(w) is about exp(-|w|).
# 3. With tanh, one layer with w = 10 at x = 1: 10 (1 - tanh²(10)) is about 8 · 10⁻⁸.

# %% check="5.1.7b" points=2
assert_type(by_depth, (list, tuple), "by_depth")
assert_type(by_saturation, (list, tuple), "by_saturation")
assert_true(1 <= len(by_depth) <= 12 and all(0.5 <= abs(w) <= 1 for w in by_depth),
            "by_depth has at most 12 weights, of size 0.5 to 1")
assert_true(1 <= len(by_saturation) <= 2 and all(abs(w) <= 40 for w in by_saturation),
            "by_saturation has at most 2 weights, of size at most 40")
### BEGIN HIDDEN TESTS
def size_of_derivative(weights_):
    leaf = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
    a = leaf
    for w in weights_:
        a = torch.sigmoid(w * a)
    a.backward()
    return abs(leaf.grad.item())

with part(1, "by depth"):
    assert_true(0 < size_of_derivative(by_depth) < 1e-6, "the derivative of by_depth is below one millionth and not 0",
                hint="Each layer gives a factor of at most 1/4: are there enough of them?")
with part(1, "by saturation"):
    assert_true(0 < size_of_derivative(by_saturation) < 1e-6,
                "the derivative of by_saturation is below one millionth and not 0",
                hint="Is the unit on the flat part, but not so far out that σ rounds to exactly 1?")
total()
### END HIDDEN TESTS

# %% [markdown]
# The size of the derivative over the depth, for chains with all weights equal. ReLU, at a positive input and with
# weight 1, has no such decay.

# %% tags=["demo"]
depths = range(1, 31)
decays = []
for weight in (1., 4., 10.):
    line = []
    for depth in depths:
        leaf = torch.tensor(1., dtype=torch.float64, requires_grad=True)
        a = leaf
        for _ in range(depth):
            a = torch.sigmoid(weight * a)
        a.backward()
        line.append(leaf.grad.item())
    decays.append(line)
d2l.plot(list(depths), [*decays, [1.] * 30], xlabel='layers', ylabel='derivative', yscale='log',
         legend=['σ, w = 1', 'σ, w = 4', 'σ, w = 10', 'ReLU, w = 1'], figsize=(5, 3))
d2l.plt.show()
