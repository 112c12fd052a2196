# %% [markdown]
# # 3.1 Linear regression
#
# Linear regression predicts a number as a weighted sum of features: the mass of a penguin from the length of
# its flippers, the price of a house from its size. It is the smallest complete example of machine learning:
# data, a model, a loss, a way to minimise it, and a statement about the noise that says why this loss and no
# other. The recap comes first, then the exercises.

# %% tags=["setup"]
from d2l_utils.check import *
import math
import torch
import d2l_utils as d2l

# %% [markdown]
# ## Recap
#
# ### Model and loss
#
# An example has features $\mathbf x \in \mathbb R^d$ and a target $y$. The model predicts
# $\hat y = \mathbf w^\top \mathbf x + b$ with weights $\mathbf w$ and a bias $b$. For $n$ examples at once
# the features stand in the rows of the **design matrix** $X$, of shape $(n, d)$, and
# $\hat{\mathbf y} = X \mathbf w + b$ is one matrix-vector product. The squared loss of an example is
# $\frac12 (\hat y - y)^2$; training looks for the $\mathbf w$ and $b$ with the smallest mean over all
# examples.

# %%
X = torch.tensor([[1., 2.], [3., 4.], [0., 1.]])        # three examples of two features
w, b = torch.tensor([2., -1.]), 0.5
y = torch.tensor([1., 2., 0.])
y_hat = X @ w + b
print("predictions:", y_hat)
print("mean loss:", ((y_hat - y) ** 2 / 2).mean())

# %% [markdown]
# ### The closed form
#
# Without a bias, the gradient of $\frac12 \|X \mathbf w - \mathbf y\|^2$ is
# $X^\top (X \mathbf w - \mathbf y)$. It is zero where $X^\top X \mathbf w = X^\top \mathbf y$, the *normal
# equations*. If the $(d, d)$ matrix $X^\top X$ (the *Gram matrix*) can be inverted, there is exactly one
# solution. A bias needs no formula of its own, as exercise 3.1.2 shows. Here are 342 penguins, and the line
# through them.

# %% tags=["demo"]
import pandas as pd

penguins = pd.read_csv(d2l.data_file("penguins.csv")).dropna(subset=["flipper_length_mm", "body_mass_g"])
flipper = torch.tensor(penguins["flipper_length_mm"].to_numpy())
mass = torch.tensor(penguins["body_mass_g"].to_numpy())
centred = flipper - flipper.mean()
gain = (centred @ (mass - mass.mean())) / (centred @ centred)
line = mass.mean() + gain * centred
print(f"{len(mass)} penguins, {gain:.1f} g for each mm of flipper")
d2l.set_figsize((4, 2.8))
d2l.plt.plot(flipper, mass, ".", alpha=0.4)
d2l.plt.plot(flipper, line)
d2l.set_axes(
    d2l.plt.gca(), "flipper length in mm", "mass in g", None, None, "linear", "linear", ["penguins", "least squares"]
)

# %% [markdown]
# ### Gradient descent on minibatches
#
# Most models have no closed form. *Minibatch stochastic gradient descent* (SGD) draws a few examples,
# computes the gradient of their mean loss, and takes a small step against it:
# $\mathbf w \leftarrow \mathbf w - \eta\, \mathbf g$, with the learning rate $\eta$. It needs nothing but
# gradients. The board below shows the loss of each minibatch while the weights approach $(2, -3.4)$ and the
# bias 4.2.

# %% tags=["demo"]
torch.manual_seed(1)
X = torch.randn(500, 2)
y = X @ torch.tensor([2., -3.4]) + 4.2 + 0.1 * torch.randn(500)
w, b = torch.zeros(2, requires_grad=True), torch.zeros((), requires_grad=True)
board = d2l.ProgressBoard(xlabel="step", ylabel="loss", yscale="log")
for step in range(150):
    rows = torch.randint(500, (16,))
    loss = ((X[rows] @ w + b - y[rows]) ** 2 / 2).mean()
    dw, db = torch.autograd.grad(loss, (w, b))
    with torch.no_grad():
        w -= 0.1 * dw
        b -= 0.1 * db
    board.draw(step, loss, "minibatch loss", every_n=5)
print("weights:", w.tolist(), "bias:", b.item())

# %% [markdown]
# ### Vectorise
#
# A Python loop handles one number after the other, and Python's own work on each is far more than that of the
# addition. One call on whole tensors does the same in compiled code. The factor depends on the machine;
# measure it:

# %% tags=["demo"]
import time

u, v = torch.ones(20_000), torch.ones(20_000)
start = time.perf_counter()
sums = torch.zeros(20_000)
for i in range(len(u)):
    sums[i] = u[i] + v[i]
middle = time.perf_counter()
for _ in range(100):
    sums = u + v
end = time.perf_counter()
print(
    f"loop {middle - start:.4f} s, vectorised {(end - middle) / 100:.6f} s: "
    f"{(middle - start) / (end - middle) * 100:.0f} times"
)

# %% [markdown]
# ### Why squares: the normal distribution
#
# Suppose that the targets are $y = \mathbf w^\top \mathbf x + b + \varepsilon$ with *normal* noise: the
# density of $\varepsilon$ is
# $p(\varepsilon) = \frac{1}{\sqrt{2 \pi \sigma^2}} \exp\left(-\frac{\varepsilon^2}{2 \sigma^2}\right)$. Its
# mean is 0 and its variance $\sigma^2$; a mean $\mu$ shifts the curve, a larger $\sigma$ makes it wider and
# lower.

# %% tags=["demo"]
grid = torch.linspace(-7, 7, 200)
densities = [torch.distributions.Normal(mu, sigma).log_prob(grid).exp() for mu, sigma in ((0., 1.), (0., 2.), (3., 1.))]
d2l.plot(grid, densities, xlabel="x", ylabel="p(x)", figsize=(4, 2.5),
         legend=["mean 0, std 1", "mean 0, std 2", "mean 3, std 1"])

# %% [markdown]
# The *likelihood* of $\mathbf w$ and $b$ is the density that they give to the observed targets, a product
# over independent examples. Its negative logarithm is a sum,
#
# $$-\log p(\mathbf y \mid X) = \frac n2 \log(2 \pi \sigma^2) + \frac{1}{2 \sigma^2} \sum_i (y_i - \mathbf w^\top \mathbf x_i - b)^2,$$
#
# and only the sum of squares depends on $\mathbf w$ and $b$. So least squares is *maximum likelihood* under
# normal noise, whatever $\sigma$ is. Another noise gives another loss: exercises 3.1.5 and 3.1.8.

# %% [markdown]
# ## Exercises
#
# ### The best constant

# %% [markdown] task="3.1.1a" kind="code" minutes=6 difficulty=1 core=true
# ### One number for all
#
# The simplest model ignores the features and always predicts the same number $b$.
#
# Write `best_constants(x)` for a 1-D tensor `x` with at least one entry, of integers or of floating point
# numbers. It returns a pair `(b2, b1)`: the number with the smallest squared loss $\sum_i (x_i - b)^2$, and a
# number with the smallest absolute loss $\sum_i |x_i - b|$. Where several numbers are best, any of them will
# do. Both may be floats or 0-d tensors.
#
# **You are done when** the check shows 4 and 2 for the numbers 1, 2 and 9.

# %% exercise="3.1.1a"
def best_constants(x):
    """(b2, b1): minimisers of the squared and of the absolute loss for the numbers in the 1-D tensor x."""
    ### BEGIN SOLUTION
    return x.double().mean(), x.double().median()
    ### END SOLUTION

# %% [markdown] hints="3.1.1a"
# 1. The derivative of $|x_i - b|$ with respect to $b$ is +1 or -1. When do they cancel?
# 2. Set the derivative of the squared loss to zero. For the absolute loss as many $x_i$ must lie below $b$ as
#    above.
# 3. For 0, 0, 6 the squared loss of 2 is 4 + 4 + 16 = 24 and that of 0 is 36; the absolute losses are 8 and 6.

# %% check="3.1.1a" points=2
few = torch.tensor([9., 1., 2.])
assert_equal(len(best_constants(few)), 2, "how many numbers are returned")
assert_close(float(best_constants(few)[0]), 4., "the best constant for the squared loss of 1, 2, 9",
             mistakes={"This is the one for the absolute loss.": 2., "This is the middle of the range.": 5.}, rtol=1e-5)
assert_close(
    float(best_constants(few)[1]),
    2.0,
    "the best constant for the absolute loss of 1, 2, 9",
    mistakes={
        "This is the one for the squared loss.": 4.0,
        "This is the entry in the middle of an unsorted list.": 1.0,
    },
)
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(311)
for numbers in (torch.randn(7, generator=rng) * 5 - 3, torch.randn(10, generator=rng, dtype=torch.float64) ** 3,
                torch.tensor([5, -2, 2, 40, 7, 7]), torch.tensor([-3])):
    kind = f"{len(numbers)} numbers, {str(numbers.dtype).removeprefix('torch.')}"
    squared, absolute = (float(b) for b in best_constants(numbers))
    exact = numbers.double()
    assert_close(squared, exact.mean().item(), f"the best constant for the squared loss, {kind}", rtol=1e-5, atol=1e-5)
    least = min(float((exact - c).abs().sum()) for c in exact)
    assert_close(float((exact - absolute).abs().sum()), least, f"the absolute loss of your second constant, {kind}",
                 rtol=1e-5, atol=1e-5)
### END HIDDEN TESTS

# %% [markdown] task="3.1.1b" kind="code" minutes=8 difficulty=2
# ### The same constant from the likelihood
#
# Now say that the numbers $x_i$ are drawn from a normal distribution with mean $b$ and standard deviation
# $\sigma$, both unknown. The formula of the recap has $x_i - b$ in place of the residual.
#
# Write `fit_normal(x)`: the pair $(b, \sigma)$ with the largest likelihood for the 1-D floating point tensor
# `x`, as floats or 0-d tensors. Find $\sigma$ by setting the derivative of the negative log-likelihood to
# zero.
#
# **You are done when** the check shows that the numbers 1, 2, 9 get mean 4 and the right spread.

# %% exercise="3.1.1b"
def fit_normal(x):
    """(b, sigma): mean and standard deviation of the normal distribution under which x is most likely."""
    ### BEGIN SOLUTION
    b = x.mean()
    return b, ((x - b) ** 2).mean().sqrt()
    ### END SOLUTION

# %% [markdown] hints="3.1.1b"
# 1. Which $b$ minimises the negative log-likelihood, and does the answer depend on $\sigma$?
# 2. With $S = \sum_i (x_i - b)^2$, differentiate $\frac n2 \log(2 \pi \sigma^2) + S / (2 \sigma^2)$ with
#    respect to $\sigma$. `torch.std` divides by $n - 1$ unless it is told otherwise.
# 3. For an exponential density $\lambda e^{-\lambda x}$ the same steps give: negative log-likelihood
#    $-n \log \lambda + \lambda \sum x_i$, derivative zero at $\lambda = n / \sum x_i$.

# %% check="3.1.1b" points=2
few = torch.tensor([1., 2., 9.])
assert_equal(len(fit_normal(few)), 2, "how many numbers are returned")
assert_close(float(fit_normal(few)[0]), 4., "the mean for 1, 2, 9")
assert_close(
    float(fit_normal(few)[1]),
    math.sqrt(38 / 3),
    "the standard deviation for 1, 2, 9",
    rtol=1e-5,
    mistakes={"This divides by n - 1. The likelihood asks for n.": math.sqrt(19), "This is the variance.": 38 / 3},
)
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(312)
for numbers in (
    torch.randn(11, generator=rng, dtype=torch.float64) * 0.3 + 8,
    torch.rand(4, generator=rng, dtype=torch.float64) * 50,
):
    b, sigma = (float(v) for v in fit_normal(numbers))
    assert_close(b, numbers.mean().item(), f"the mean for {len(numbers)} numbers")
    likelihoods = [float(torch.distributions.Normal(b, sigma * f).log_prob(numbers).sum()) for f in (1., 0.99, 1.01)]
    assert_true(likelihoods[0] > max(likelihoods[1:]),
                f"for {len(numbers)} numbers, no sigma near yours is more likely",
                hint="Set the derivative with respect to sigma to zero; mind what you divide by.")
### END HIDDEN TESTS

# %% [markdown]
# ### Features made from features

# %% [markdown] task="3.1.2a" kind="code" minutes=5 difficulty=1 core=true
# ### A column of ones
#
# An affine function $\mathbf w^\top \mathbf x + b$ is a linear function of $(x_1, \ldots, x_d, 1)$: its last
# weight is $b$. So formulas for linear models serve affine ones, too.
#
# Write `with_ones(X)`, which puts a column of ones after the last column of `X`: shape `(n, d)` to
# `(n, d + 1)`, in the dtype of `X`.
#
# **You are done when** the check shows a 3 × 3 matrix made from a 3 × 2 one.

# %% exercise="3.1.2a"
def with_ones(X):
    """X with a column of ones at its right, shapes (n, d) -> (n, d + 1), in X's dtype."""
    ### BEGIN SOLUTION
    return torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    ### END SOLUTION

# %% [markdown] hints="3.1.2a"
# 1. Which shape must a tensor have to stand beside `X` as one more column?
# 2. `torch.cat([...], dim=1)` joins columns; `torch.ones(..., dtype=X.dtype)` keeps the dtype.
# 3. To put the squares of a column beside it: `torch.cat([v, v ** 2], dim=1)` for `v` of shape `(n, 1)`.

# %% check="3.1.2a" points=1
grid = torch.tensor([[1., 2.], [3., 4.], [5., 6.]])
assert_shape(with_ones(grid), (3, 3), "the shape for a 3 × 2 matrix")
assert_close(
    with_ones(grid),
    torch.tensor([[1.0, 2.0, 1.0], [3.0, 4.0, 1.0], [5.0, 6.0, 1.0]]),
    "the matrix with ones",
    mistakes={
        "The ones belong after the last column.": torch.tensor([[1.0, 1.0, 2.0], [1.0, 3.0, 4.0], [1.0, 5.0, 6.0]])
    },
)
### BEGIN HIDDEN TESTS
for shape, dtype in (((2, 5), torch.float64), ((4, 1), torch.int64), ((3, 3), torch.float32)):
    table = torch.arange(shape[0] * shape[1], dtype=dtype).reshape(shape) - 3
    assert_shape(with_ones(table), (shape[0], shape[1] + 1), f"the shape for shape {shape}")
    assert_dtype(with_ones(table), dtype, f"the dtype for {dtype}")
    assert_close(with_ones(table)[:, :-1], table, f"the old columns for shape {shape}")
    assert_close(with_ones(table)[:, -1], torch.ones(shape[0], dtype=dtype), f"the last column for shape {shape}")
### END HIDDEN TESTS

# %% [markdown] task="3.1.2b" kind="code" minutes=10 difficulty=2 core=true
# ### A bias is a weight
#
# Write `fit_affine(X, y)`: the pair `(w, b)` of shapes `(d,)` and `()` that minimises the squared loss of
# $X \mathbf w + b$ against `y` of shape `(n,)`. `X` has shape `(n, d)`; its columns and the column of ones
# are linearly independent. Make a linear problem of it, and solve that in one step, without gradient descent.
#
# **You are done when** the check recovers slope 2 and bias 5 from three points on a line.

# %% exercise="3.1.2b"
def fit_affine(X, y):
    """Least squares with a bias: (w, b) of shapes (d,) and () for X of shape (n, d) and y of shape (n,)."""
    ### BEGIN SOLUTION
    ones = torch.ones(len(X), 1, dtype=X.dtype)
    solution = torch.linalg.lstsq(torch.cat([X, ones], dim=1), y[:, None]).solution[:, 0]
    return solution[:-1], solution[-1]
    ### END SOLUTION

# %% [markdown] hints="3.1.2b"
# 1. If the linear problem has `d + 1` weights, which of them is the bias?
# 2. `torch.linalg.lstsq(A, B).solution` solves least squares; `B` is a matrix, here of one column. The normal
#    equations with `torch.linalg.solve` do it, too.
# 3. For a linear fit through the origin: `torch.linalg.lstsq(X, y[:, None]).solution[:, 0]` has shape `(d,)`.

# %% check="3.1.2b" points=2
on_a_line, targets = torch.tensor([[0.], [1.], [3.]]), torch.tensor([5., 7., 11.])
assert_shape(fit_affine(on_a_line, targets)[0], (1,), "the shape of w for one feature")
assert_close(fit_affine(on_a_line, targets)[0], torch.tensor([2.]), "the slope of 2x + 5",
             mistakes={"This line goes through the origin: the bias is missing in the fit.": torch.tensor([4.]),
                       "This is the bias: which weight belongs to the ones?": torch.tensor([5.])})
assert_shape(fit_affine(on_a_line, targets)[1], (), "the shape of b")
assert_close(fit_affine(on_a_line, targets)[1], torch.tensor(5.), "the bias of 2x + 5")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(313)
points = torch.randn(9, 3, generator=rng, dtype=torch.float64) + 2
noisy = (
    points @ torch.tensor([1.0, -2.0, 0.5], dtype=torch.float64)
    - 7
    + torch.randn(9, generator=rng, dtype=torch.float64)
)
weights, bias = fit_affine(points, noisy)
assert_shape(weights, (3,), "the shape of w for three features")
residual = noisy - points @ weights - bias
assert_close(residual.sum(), torch.tensor(0.0, dtype=torch.float64),
             "the sum of the residuals of 9 noisy points", atol=1e-6,
             hint="At the optimum the derivative with respect to b is zero.")
assert_close(points.T @ residual, torch.zeros(3, dtype=torch.float64),
             "the gradient with respect to w, for 9 noisy points", atol=1e-6)
### END HIDDEN TESTS

# %% [markdown] task="3.1.3" kind="code" minutes=10 difficulty=2 core=true
# ### Quadratic features
#
# A linear model is linear in its *weights*. Nothing forbids features that are products of others. With all
# squares and products it can represent every quadratic function of $\mathbf x$.
#
# Write `quadratic_features(X)` for `X` of shape `(n, d)`. Each row holds first $x_1, \ldots, x_d$, then every
# product $x_i x_j$ with $i \le j$ **once**, ordered by $i$ and then by $j$: for $d = 3$ that is
# $x_1, x_2, x_3, x_1^2, x_1 x_2, x_1 x_3, x_2^2, x_2 x_3, x_3^2$. The shape is `(n, d + d * (d + 1) // 2)`,
# the dtype that of `X`. There is no column of ones.
#
# **You are done when** the check shows the five features of the rows (2, 3) and (1, -1).

# %% exercise="3.1.3"
def quadratic_features(X):
    """x₁, ..., x_d, then x_i x_j for i ≤ j; shapes (n, d) -> (n, d + d (d + 1) / 2)."""
    ### BEGIN SOLUTION
    i, j = torch.triu_indices(X.shape[1], X.shape[1])
    return torch.cat([X, X[:, i] * X[:, j]], dim=1)
    ### END SOLUTION

# %% [markdown] hints="3.1.3"
# 1. How many products with $i \le j$ are there for $d = 2$, and which?
# 2. `X[:, i] * X[:, j]` is one new column for all rows. Two loops collect them, or `torch.triu_indices(d, d)`
#    lists all pairs with $i \le j$ in the order wanted.
# 3. All products of three different columns:
#    `for i in range(d): for j in range(i + 1, d): for k in range(j + 1, d): ...`

# %% check="3.1.3" points=2
two_rows = torch.tensor([[2., 3.], [1., -1.]])
assert_shape(quadratic_features(two_rows), (2, 5), "the shape for 2 rows of 2 features",
             hint="First x₁ and x₂, then three products. Each product stands once: x₁x₂ and x₂x₁ are the same.")
assert_close(quadratic_features(two_rows), torch.tensor([[2., 3., 4., 6., 9.], [1., -1., 1., -1., 1.]]),
             "the features of (2, 3) and (1, -1)",
             mistakes={"The squares stand before the products; the order goes by i, then by j.":
                       torch.tensor([[2., 3., 4., 9., 6.], [1., -1., 1., 1., -1.]])})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(3130)
for n, d in ((5, 3), (2, 4), (4, 1)):
    table = torch.randn(n, d, generator=rng, dtype=torch.float64)
    right = torch.tensor(
        [[*row] + [row[i] * row[j] for i in range(d) for j in range(i, d)] for row in table.tolist()],
        dtype=torch.float64,
    )
    assert_shape(quadratic_features(table), (n, d + d * (d + 1) // 2), f"the shape for {n} rows of {d} features")
    assert_close(quadratic_features(table), right, f"the features for {n} rows of {d}")
    assert_dtype(quadratic_features(table), torch.float64, "the dtype for float64")
### END HIDDEN TESTS

# %% [markdown]
# With such features least squares fits curves. The points follow $1 - x + 0.7 x^2$ with noise; a straight
# line misses the bend, the same method on $(x, x^2, 1)$ finds it.

# %% tags=["demo"]
torch.manual_seed(3)
x = torch.linspace(-3, 3, 40)
bent = 1 - x + 0.7 * x ** 2 + 0.5 * torch.randn(40)
fits = []
for features in (torch.stack([x, torch.ones(40)], 1), torch.stack([x, x ** 2, torch.ones(40)], 1)):
    weights = torch.linalg.lstsq(features, bent[:, None]).solution
    print("weights:", weights[:, 0].tolist())
    fits.append((features @ weights)[:, 0])
d2l.plot(
    x,
    [bent, *fits],
    xlabel="x",
    legend=["data", "linear in x", "linear in x, x²"],
    fmts=(".", "m--", "g-"),
    figsize=(4, 2.6),
)

# %% [markdown]
# ### When the closed form fails
#
# ⚠ The **design matrix** is $X$, of shape $(n, d)$. D2L's exercise gives this name to $X^\top X$, which is
# the *Gram matrix*, of shape $(d, d)$. They have the same *rank*, the number of columns of which none is a
# combination of the others. They have not the same shape, the same use or the same numbers: the *condition
# number*, by how much a matrix can magnify relative errors, is for the Gram matrix the square of that of the
# design matrix.
#
# If a feature is a combination of others (a length in metres beside the same length in feet), the columns of
# $X$ are dependent, $X^\top X$ has a rank below $d$, and the closed form asks for an inverse that does not exist.
# Then there are directions, vectors $\mathbf v \neq 0$, that $X$ sends to zero: $X \mathbf v = 0$.

# %% tags=["demo"]
# the third column is the sum of the others
X = torch.tensor([[1.0, 2.0, 3.0], [2.0, 1.0, 3.0], [0.0, 1.0, 1.0], [4.0, 0.0, 4.0]])
print("rank of the design matrix", tuple(X.shape), "is", torch.linalg.matrix_rank(X).item())
gram = X.T @ X
print("rank of the Gram matrix  ", tuple(gram.shape), "is", torch.linalg.matrix_rank(gram).item())
try:
    inverse = torch.linalg.inv(gram)
    print("inv raised nothing, but inverse times matrix is\n", inverse @ gram)
except torch.linalg.LinAlgError as error:
    print("LinAlgError:", error)
full = torch.tensor([[1., 2.], [2., 1.], [0., 1.], [4., 0.]], dtype=torch.float64)
print(
    "without the third column: condition of X",
    torch.linalg.cond(full).item(),
    "squared",
    torch.linalg.cond(full).item() ** 2,
)
print("                          condition of XᵀX", torch.linalg.cond(full.T @ full).item())

# %% [markdown] task="3.1.4a" kind="code" minutes=10 difficulty=3
# ### Different weights, the same predictions
#
# Write `another_solution(X, w)`. `X` of shape `(n, d)` has a rank below `d`, `w` has shape `(d,)`; both are
# `float64`. Return other weights of shape `(d,)`, at a distance of at least 1 from `w`, that make the same
# predictions.
#
# **You are done when** the check finds the predictions equal and the weights far enough apart.

# %% exercise="3.1.4a"
def another_solution(X, w):
    """Weights at a distance of at least 1 from w with the same X @ w, for X of rank below d."""
    ### BEGIN SOLUTION
    direction = torch.linalg.svd(X, full_matrices=True).Vh[-1]      # a unit vector with X @ direction = 0
    return w + 2 * direction
    ### END SOLUTION

# %% [markdown] hints="3.1.4a"
# 1. If `X @ w` and `X @ v` are equal, what is `X @ (w - v)`?
# 2. Add to `w` a vector that `X` sends to zero. `torch.linalg.svd(X).Vh` has such vectors as its last rows:
#    the rows from the rank on. `torch.linalg.eigh(X.T @ X)` has them as the first columns.
# 3. For the matrix with the single row (1, 2) the vector (2, -1) is sent to zero, so (3, 0) and (5, -1)
#    predict the same.

# %% check="3.1.4a" points=2
dependent = torch.tensor([[1., 2., 3.], [2., 1., 3.], [0., 1., 1.], [4., 0., 4.]], dtype=torch.float64)
start = torch.tensor([1., 0., -1.], dtype=torch.float64)
assert_shape(another_solution(dependent, start), (3,), "the shape of the weights")
assert_close(
    dependent @ another_solution(dependent, start), dependent @ start, "the predictions of your weights", atol=1e-8
)
assert_true(
    (another_solution(dependent, start) - start).norm().item() > 1 - 1e-6, "your weights are at least 1 away from w"
)
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(314)
for n, d, rank in ((3, 5, 3), (7, 4, 2), (6, 3, 1)):
    thin = torch.randn(n, rank, generator=rng, dtype=torch.float64) @ torch.randn(
        rank, d, generator=rng, dtype=torch.float64
    )
    given = torch.randn(d, generator=rng, dtype=torch.float64)
    other = another_solution(thin, given)
    assert_shape(other, (d,), f"the shape for a {n} × {d} matrix of rank {rank}")
    assert_close(thin @ other, thin @ given, f"the predictions for a {n} × {d} matrix of rank {rank}", atol=1e-7)
    assert_true((other - given).norm().item() > 1 - 1e-6, f"the distance from w for a {n} × {d} matrix of rank {rank}")
### END HIDDEN TESTS

# %% [markdown] task="3.1.4b" kind="code" minutes=10 difficulty=3 core=true
# ### Noise mends it
#
# Add independent normal noise with standard deviation $\sigma$ to every entry of the design matrix: $X + E$.
# With probability 1 its columns are independent (for $n \ge d$), and its Gram matrix can be inverted.
#
# Write `expected_gram(X, sigma)` for `X` of shape `(n, d)`: the expectation of $(X + E)^\top (X + E)$, shape
# `(d, d)`, by a formula, without drawing noise. Multiply out, and ask for the expectation of each of the four
# terms.
#
# **You are done when** your matrix agrees with the mean over 20,000 noisy design matrices.

# %% exercise="3.1.4b"
def expected_gram(X, sigma):
    """E[(X + E)ᵀ (X + E)] for noise of standard deviation sigma in every entry; shape (d, d)."""
    ### BEGIN SOLUTION
    n, d = X.shape
    return X.T @ X + n * sigma ** 2 * torch.eye(d, dtype=X.dtype)
    ### END SOLUTION

# %% [markdown] hints="3.1.4b"
# 1. What is the expectation of $X^\top E$, where $X$ is fixed and $E$ has mean zero?
# 2. Entry $(i, j)$ of $E^\top E$ is a sum over the $n$ rows of a product of two entries of $E$. Those are
#    independent unless $i = j$.
# 3. For a vector $\mathbf e$ of five such entries the expectation of $\mathbf e^\top \mathbf e$ is
#    $5 \sigma^2$.

# %% check="3.1.4b" points=2
design = torch.tensor([[1., 2., 3.], [2., 1., 3.], [0., 1., 1.], [4., 0., 4.]], dtype=torch.float64)
draws = design + 0.5 * torch.randn(20_000, 4, 3, generator=torch.Generator().manual_seed(4), dtype=torch.float64)
measured, gram = (draws.mT @ draws).mean(0), design.T @ design
assert_shape(expected_gram(design, 0.5), (3, 3), "the shape for a 4 × 3 design matrix")
assert_close(
    expected_gram(design, 0.5),
    measured,
    "your matrix against the mean of 20,000 noisy ones",
    atol=0.15,
    rtol=0,
    mistakes={
        "This adds σ² once; each of the n rows adds it.": gram + 0.25 * torch.eye(3, dtype=torch.float64),
        "This adds d σ²; the sum runs over the rows.": gram + 0.75 * torch.eye(3, dtype=torch.float64),
        "This adds n σ: mind the square.": gram + 2 * torch.eye(3, dtype=torch.float64),
        "The noise adds to the diagonal only.": gram + 1,
    },
)
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(3140)
for n, d, sigma in ((7, 2, 3.), (2, 5, 0.1), (4, 4, 2.)):
    fixed = torch.randn(n, d, generator=rng, dtype=torch.float64)
    right = fixed.T @ fixed
    right.diagonal().add_(n * sigma ** 2)
    assert_shape(expected_gram(fixed, sigma), (d, d), f"the shape for a {n} × {d} design matrix")
    assert_close(expected_gram(fixed, sigma), right, f"the expectation for a {n} × {d} design matrix and sigma {sigma}")
### END HIDDEN TESTS

# %% [markdown]
# So on average the noise acts as if one had added $n \sigma^2 I$ to the Gram matrix, which is *ridge
# regression*, or weight decay (section 3.7). It chooses one of the many solutions: one with small weights.
#
# Gradient descent needs no inverse and so does not fail. But where does it stop, if many weights are best?
# The gradient $X^\top (X \mathbf w - \mathbf y)$ is a combination of the rows of $X$, in every step; a
# direction that $X$ sends to zero is orthogonal to all rows, so no step ever moves along it. The same holds
# for the gradient of any minibatch.

# %% tags=["demo"]
X = torch.tensor([[1., 1.], [2., 2.], [-1., -1.]])       # rank 1: the predictions depend on w₁ + w₂ only
y = torch.tensor([2., 4., -2.])                          # every w with w₁ + w₂ = 2 fits exactly
axes = d2l.plt.figure(figsize=(3.4, 3.2)).gca()
axes.plot([-1, 3], [3, -1], "k:", label="best weights")
for start in ([0., 0.], [3., 1.], [-1., 2.]):
    w, path = torch.tensor(start), [torch.tensor(start)]
    for _ in range(30):
        w = w - 0.05 * X.T @ (X @ w - y)
        path.append(w)
    axes.plot(*torch.stack(path).T, ".-", label=f"from {tuple(start)}")
    print(f"from {start} to {[round(v, 3) for v in w.tolist()]}")
axes.set(xlabel="w₁", ylabel="w₂")
axes.legend();

# %% [markdown] task="3.1.4c" kind="code" minutes=12 difficulty=4
# ### Where gradient descent stops
#
# Write `descent_limit(X, y, w0)`: the weights to which gradient descent on
# $\frac12 \|X \mathbf w - \mathbf y\|^2$ converges from `w0`, if its learning rate is small enough. `X` of
# shape `(n, d)` has any rank; `y` has shape `(n,)`, `w0` shape `(d,)`; all are `float64`. Give the limit
# itself, by a formula, not the last of many steps.
#
# **You are done when** the check agrees with 2000 steps from two different starts.

# %% exercise="3.1.4c"
def descent_limit(X, y, w0):
    """The limit of gradient descent on the squared loss of X w against y from w0; shape (d,)."""
    ### BEGIN SOLUTION
    return w0 + torch.linalg.pinv(X) @ (y - X @ w0)
    ### END SOLUTION

# %% [markdown] hints="3.1.4c"
# 1. In the picture above, how does the line from the start to the limit lie to the line of best weights?
# 2. The limit is the best point nearest to the start. `torch.linalg.pinv(X) @ r` is the shortest $\mathbf v$
#    that minimises $\|X \mathbf v - \mathbf r\|$.
# 3. For the single equation $w_1 + w_2 = 2$ from (3, 1): the step still to make is the shortest $\mathbf v$
#    with $v_1 + v_2 = -2$, that is (-1, -1), and the limit (2, 0).

# %% check="3.1.4c" points=2
def after_steps(X, y, w, steps):
    rate = 1 / torch.linalg.matrix_norm(X, 2) ** 2
    for _ in range(steps):
        w = w - rate * X.T @ (X @ w - y)
    return w

flat = torch.tensor([[1., 1.], [2., 2.], [-1., -1.]], dtype=torch.float64)
wanted, here, there = (torch.tensor(v, dtype=torch.float64) for v in ([2., 4., -2.], [0., 0.], [3., 1.]))
assert_close(descent_limit(flat, wanted, here), after_steps(flat, wanted, here, 2000), "from (0, 0)", atol=1e-6)
assert_close(
    descent_limit(flat, wanted, there),
    after_steps(flat, wanted, there, 2000),
    "from (3, 1)",
    atol=1e-6,
    mistakes={"This is the limit from (0, 0): the start matters.": torch.tensor([1.0, 1.0], dtype=torch.float64),
              "The whole start was added; only the part of it that X sends to zero stays.":
              torch.tensor([4.0, 2.0], dtype=torch.float64)},
)
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(3141)
for n, d, rank in ((6, 4, 2), (3, 5, 3), (8, 3, 3)):
    table = (
        torch.linalg.qr(torch.randn(n, rank, generator=rng, dtype=torch.float64)).Q
        @ torch.diag(torch.linspace(1, 2, rank, dtype=torch.float64))
        @ torch.linalg.qr(torch.randn(d, rank, generator=rng, dtype=torch.float64)).Q.T
    )
    goal, origin = (
        torch.randn(n, generator=rng, dtype=torch.float64),
        3 * torch.randn(d, generator=rng, dtype=torch.float64),
    )
    assert_shape(descent_limit(table, goal, origin), (d,), f"the shape for a {n} × {d} matrix")
    assert_close(descent_limit(table, goal, origin), after_steps(table, goal, origin, 400),
                 f"a {n} × {d} matrix of rank {rank}, with targets that no weights fit exactly" if n > rank else
                 f"a {n} × {d} matrix of rank {rank}", atol=1e-6,
                 mistakes={"The start does not matter in your answer.": torch.linalg.pinv(table) @ goal})
### END HIDDEN TESTS

# %% [markdown]
# ### Another noise, another loss
#
# Let the noise have the density $p(\varepsilon) = \frac12 e^{-|\varepsilon|}$. It has heavier tails than the
# normal one: a large error now and then is no surprise.
#
# ⚠ D2L calls this the exponential distribution. It is the **Laplace** distribution. The exponential
# distribution has the density $e^{-\varepsilon}$ and lives on $\varepsilon \ge 0$ only, so it could not
# produce an error below zero:

# %% tags=["demo"]
laplace, exponential = torch.distributions.Laplace(0., 1.), torch.distributions.Exponential(1.)
grid = torch.linspace(-60, 60, 120_001)
print("integral of exp(-|e|) / 2:", torch.trapezoid((-grid.abs()).exp() / 2, grid).item())
print("at -1: exp(-1) / 2 =", math.exp(-1) / 2, " Laplace:", laplace.log_prob(torch.tensor(-1.)).exp().item())
try:
    print("Exponential:", exponential.log_prob(torch.tensor(-1.)))
except ValueError as error:
    print("Exponential at -1: ValueError:", str(error).splitlines()[0][:90])
near = torch.linspace(-5, 5, 200)
d2l.plot(near, [laplace.log_prob(near).exp(), torch.distributions.Normal(0., 1.).log_prob(near).exp()], xlabel="error",
         ylabel="density", legend=["Laplace", "normal"], figsize=(4, 2.5))

# %% [markdown] task="3.1.5a" kind="code" minutes=8 difficulty=2 core=true
# ### The negative log-likelihood of Laplace noise
#
# Write `laplace_nll(w, b, X, y)`: $-\log p(\mathbf y \mid X)$, the total over the $n$ examples, as a 0-d
# tensor, for noise of density $\frac12 e^{-|\varepsilon|}$ around $X \mathbf w + b$. `X` has shape `(n, d)`,
# `w` shape `(d,)`, `b` shape `()` and `y` shape `(n,)`. Leave no constant out.
#
# **You are done when** the check agrees with the value that you can work out for two examples.

# %% exercise="3.1.5a"
def laplace_nll(w, b, X, y):
    """Negative log-likelihood of y under Laplace noise around X w + b, summed over the examples; 0-d."""
    ### BEGIN SOLUTION
    return len(y) * math.log(2) + (y - X @ w - b).abs().sum()
    ### END SOLUTION

# %% [markdown] hints="3.1.5a"
# 1. What is the logarithm of $\frac12 e^{-|\varepsilon|}$?
# 2. The likelihood of independent examples is a product, its logarithm a sum: each example contributes a
#    constant and an absolute value.
# 3. For the density $3 e^{-3 t}$ at $t = 0.2$ and $0.5$ the negative log-likelihood is
#    $-2 \log 3 + 3 \cdot 0.7$.

# %% check="3.1.5a" points=2
w2, X2, y2 = torch.tensor([1., 2.]), torch.tensor([[1., 0.], [0., 1.]]), torch.tensor([3., 1.])
assert_shape(laplace_nll(w2, torch.tensor(1.), X2, y2), (), "the shape of the result")
assert_close(laplace_nll(w2, torch.tensor(1.), X2, y2), torch.tensor(2 * math.log(2) + 3), "residuals 1 and -2",
             mistakes={"The constant log 2 of each example is missing.": torch.tensor(3.),
                       "log 2 belongs to each example.": torch.tensor(math.log(2) + 3),
                       "This is the mean over the examples, not the total.": torch.tensor(math.log(2) + 1.5),
                       "The constant has the wrong sign.": torch.tensor(3 - 2 * math.log(2)),
                       "The exponent has lost its minus sign.": torch.tensor(2 * math.log(2) - 3),
                       "Signed residuals cancel: take absolute values.": torch.tensor(2 * math.log(2) - 1),
                       "(n, 1) against (n,) gives the residuals of all pairs.": torch.tensor(2 * math.log(2) + 4)})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(315)
X3, w3 = torch.randn(9, 4, generator=rng, dtype=torch.float64), torch.randn(4, generator=rng, dtype=torch.float64)
y3, b3 = 5 * torch.randn(9, generator=rng, dtype=torch.float64), torch.tensor(-1.5, dtype=torch.float64)
right = -torch.distributions.Laplace(X3 @ w3 + b3, torch.ones(9, dtype=torch.float64)).log_prob(y3).sum()
assert_close(laplace_nll(w3, b3, X3, y3), right, "nine examples of four features, against torch.distributions.Laplace")
### END HIDDEN TESTS

# %% [markdown] task="3.1.5b" kind="answer" minutes=8 difficulty=3
# ### Closed form or not
#
# For some models the most likely weights can be computed by a formula, by solving linear equations, or by
# sorting. The others need an iteration that only approaches them. Which of these have such a closed form?
#
# - A: normal noise, an affine function of 10 features (independent columns)
# - B: Laplace noise, a constant without features
# - C: Laplace noise, an affine function of 10 features
# - D: normal noise, an affine function of the quadratic features of 3.1.3
# - E: Poisson counts whose log rate is an affine function of 10 features
# - F: normal noise with a known $\sigma_i$ of its own for each example, an affine function of 10 features
#
# Set `closed_form` to the set of their letters.
#
# **You are done when** the check accepts the letters; whether they are right is graded.

# %% exercise="3.1.5b"
### BEGIN SOLUTION
closed_form = {"A", "B", "D", "F"}
### END SOLUTION

# %% [markdown] hints="3.1.5b"
# 1. In which cases is the gradient of the negative log-likelihood a linear function of the weights?
# 2. A sum of squares has a linear gradient, with constant factors, too. A sum of absolute values has one that
#    jumps. Exercise 3.1.1 has solved one of the cases.
# 3. Noise with density proportional to $e^{-\varepsilon^4}$ gives a gradient that is cubic in the weights: no
#    closed form for many features.

# %% check="3.1.5b" points=1
assert_type(closed_form, (set, frozenset, list, tuple), "the letters")
assert_true(set(closed_form) <= set("ABCDEF"), "every letter is one of A to F")
### BEGIN HIDDEN TESTS
chosen = set(closed_form)
assert_true(
    "C" not in chosen, "C: absolute values with many features", hint="The median solves only the case of a constant."
)
assert_true("E" not in chosen, "E: Poisson counts", hint="The gradient holds an exponential of the weights.")
assert_true({"A", "D"} <= chosen, "A and D: least squares", hint="Linear in the weights is what counts.")
assert_true("B" in chosen, "B: one constant under Laplace noise", hint="Exercise 3.1.1 found it.")
assert_true("F" in chosen, "F: known sigmas", hint="They are constant factors of the squares.")
### END HIDDEN TESTS

# %% [markdown]
# The gradient of the absolute loss does not shrink near the optimum. Each residual contributes
# $\pm \mathbf x_i$, however small it is. With a fixed learning rate SGD jumps over the optimum, back and
# forth, and never settles; the squared loss, whose gradient fades, has no such trouble without noise. Here is
# SGD for the constant that fits 0, 1 and 5 best, which is 1.

# %% tags=["demo"]
torch.manual_seed(0)
paths = []
for decay in (0., 1.):
    constant, path = 4., []
    for t in range(400):
        example = (0., 1., 5.)[torch.randint(3, ()).item()]
        constant += 0.5 / (1 + 0.05 * t) ** decay * (1 if example > constant else -1)
        path.append(constant)
    paths.append(path)
    print(f"decay {decay}: the last hundred steps range from {min(path[300:]):.2f} to {max(path[300:]):.2f}")
d2l.plot(
    list(range(400)),
    paths,
    xlabel="step",
    ylabel="constant",
    legend=["fixed rate", "falling rate"],
    figsize=(4.2, 2.6),
)

# %% [markdown] task="3.1.5c" kind="code" minutes=20 difficulty=4
# ### An algorithm that settles
#
# Write `fit_laplace(X, y)`: weights `(w, b)` of shapes `(d,)` and `()` that minimise the negative
# log-likelihood of 3.1.5a. `X` of shape `(n, d)` has entries of about the size 1, `n` is at most 200, `y` of
# shape `(n,)` holds some wild values; all are `float64`. The total absolute error has to be within 1 % of the
# smallest possible. Use (stochastic) gradient descent and mend what goes wrong near the optimum, or another
# iteration; it may take one second.
#
# **You are done when** your total absolute error on a line with two outliers is at most 1 % above the best.

# %% exercise="3.1.5c"
def fit_laplace(X, y):
    """(w, b), shapes (d,) and (), whose total absolute error is within 1 % of the smallest possible."""
    ### BEGIN SOLUTION
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), y.median()
    best, best_error = (w, b), float("inf")
    scale = (y - b).abs().median()
    for t in range(4000):
        residual = y - X @ w - b
        if residual.abs().sum() < best_error:
            best, best_error = (w, b), residual.abs().sum()
        rate = scale / (1 + 0.02 * t)       # falls, but its sum grows without bound: every point can be reached
        w = w + rate * X.T @ residual.sign() / len(y)
        b = b + rate * residual.sign().mean()
    return best
    ### END SOLUTION

# %% [markdown] hints="3.1.5c"
# 1. By how much does $b$ change in a step with a fixed learning rate, even if it is almost right?
# 2. Let the learning rate fall, for instance like $1 / (1 + ct)$ or $1 / \sqrt t$; start at a size that fits
#    the data; keep the best weights that you have met, or the mean of the last ones.
# 3. To find the median of 10, 11 and 90 by steps of ±η: with η = 8 the value jumps between 5 and 13 for ever;
#    with η halved whenever the direction changes it settles at 11.

# %% check="3.1.5c" points=3
def best_error(X, y):
    """The smallest total absolute error, by iteratively reweighted least squares in float64."""
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], 1)
    v, least = torch.zeros(A.shape[1], dtype=X.dtype), math.inf
    for step in range(300):
        weight = 1 / (y - A @ v).abs().clamp(min=10. ** -min(2 + step / 20, 10))
        v = torch.linalg.solve(A.T @ (weight[:, None] * A), A.T @ (weight * y))
        least = min(least, (y - A @ v).abs().sum().item())
    return least

def error_of(fit, X, y):
    return (y - X @ fit[0] - fit[1]).abs().sum().item()

times = torch.linspace(-1, 1, 21, dtype=torch.float64)[:, None]
outliers = 3 * times[:, 0] + 1 + 0.1 * torch.sin(40 * times[:, 0])
outliers[3], outliers[15] = 40., -25.
assert_shape(fit_laplace(times, outliers)[0], (1,), "the shape of w for one feature")
assert_shape(fit_laplace(times, outliers)[1], (), "the shape of b")
assert_true(error_of(fit_laplace(times, outliers), times, outliers) <= 1.01 * best_error(times, outliers),
            "your total absolute error on a line with two outliers is at most 1 % above the best",
            hint="Does your iteration settle, or jump back and forth? Least squares is drawn to the outliers.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(3151)
for n, true_w, true_b in ((60, [1., -2.], 4.), (150, [0.5, 3., -1.], -30.)):
    table = torch.randn(n, len(true_w), generator=rng, dtype=torch.float64)
    noise = torch.distributions.Laplace(0., 1.).icdf(torch.rand(n, generator=rng) * 0.998 + 0.001).double()
    goal = table @ torch.tensor(true_w, dtype=torch.float64) + true_b + noise
    goal[::9] += 25
    assert_true(error_of(fit_laplace(table, goal), table, goal) <= 1.01 * best_error(table, goal),
                f"the total absolute error for {n} examples of {len(true_w)} features is at most 1 % above the best",
                hint="Let the learning rate fall, and start it at a size that fits the data.")
### END HIDDEN TESTS

# %% [markdown]
# ### Two linear layers

# %% [markdown] task="3.1.6" kind="explain" minutes=15 difficulty=2 core=true
# ### Why stacking does not help
#
# Someone wants a more powerful model and puts one linear layer after another:
# $\mathbf h = W_1 \mathbf x + \mathbf b_1$ with $W_1$ of shape $(h, d)$, then
# $\hat{\mathbf y} = W_2 \mathbf h + \mathbf b_2$ with $W_2$ of shape $(q, h)$.
#
# First write `collapse(W1, b1, W2, b2)`: the pair `(W, b)` of shapes `(q, d)` and `(q,)` of the one linear
# layer that computes the same function. Then explain in words what the two layers can represent compared with
# one, what a narrow hidden layer ($h$ smaller than $d$ and $q$) changes (use the rank), and what would have
# to stand between the layers.
#
# **You are done when** the check finds weight and bias for two layers of size 2, and your text has all three
# points.

# %% exercise="3.1.6"
def collapse(W1, b1, W2, b2):
    """(W, b), shapes (q, d) and (q,), of the layer that equals W2 (W1 x + b1) + b2."""
    ### BEGIN SOLUTION
    return W2 @ W1, W2 @ b1 + b2
    ### END SOLUTION

# %% [markdown] hints="3.1.6"
# 1. Put the first formula into the second and multiply out. What is multiplied by $\mathbf x$, and what is not?
# 2. The rank of a product is at most the smaller of the ranks.
# 3. With numbers: $5 (3x + 2) + 1 = 15 x + 11$, again a number times $x$ plus a number.

# %% check="3.1.6" points=2
first, second = torch.tensor([[1., 2.], [0., 1.]]), torch.tensor([[1., 0.], [3., 1.]])
shift1, shift2 = torch.tensor([1., -1.]), torch.tensor([0.5, 2.])
assert_equal(len(collapse(first, shift1, second, shift2)), 2, "how many tensors are returned")
assert_close(
    collapse(first, shift1, second, shift2)[0],
    torch.tensor([[1.0, 2.0], [3.0, 7.0]]),
    "the weight for two 2 × 2 layers",
    mistakes={"The order of the product is the wrong way round.": first @ second},
)
assert_close(collapse(first, shift1, second, shift2)[1], torch.tensor([1.5, 4.]), "the bias for two 2 × 2 layers",
             mistakes={"The first bias goes through the second layer, too.": shift1 + shift2,
                       "Where is the first bias?": shift2})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(316)
for d, h, q in ((5, 3, 4), (2, 7, 3), (4, 1, 6)):
    parts_ = [torch.randn(shape, generator=rng, dtype=torch.float64) for shape in ((h, d), (h,), (q, h), (q,), (5, d))]
    weight, bias = collapse(*parts_[:4])
    assert_shape(weight, (q, d), f"the shape of the weight for sizes {d}, {h}, {q}")
    assert_shape(bias, (q,), f"the shape of the bias for sizes {d}, {h}, {q}")
    hidden = torch.nn.functional.linear(parts_[4], parts_[0], parts_[1])
    assert_close(torch.nn.functional.linear(parts_[4], weight, bias),
                 torch.nn.functional.linear(hidden, parts_[2], parts_[3]),
                 f"the outputs for five inputs, sizes {d}, {h}, {q}")
### END HIDDEN TESTS

# %% [markdown] written="3.1.6" points=3
# ### BEGIN SOLUTION
# Multiplied out, the two layers compute (W₂W₁)x + (W₂b₁ + b₂): one affine function, with the weight W₂W₁ and
# the bias W₂b₁ + b₂. So two linear layers represent nothing that a single one could not, however wide the
# hidden layer is. If it is narrow, they represent less: the rank of W₂W₁ is at most h, so a weight of rank
# above h, which a single layer with d inputs and q outputs may have, is out of reach. More power needs a
# nonlinear function between the layers, such as ReLU; then the product of the weights can no longer be
# formed.
#
# **Rubric**
# - [1] Two linear layers are one: the composed function is affine with weight W₂W₁ and bias W₂b₁ + b₂; also accepted: a composition of affine functions is affine, with the formula in code; lost by "more weights, so more functions".
# - [1] A narrow hidden layer limits the rank of the weight to at most h, so fewer functions than with a single layer; also accepted: the outputs lie in a subspace of h dimensions, shifted; lost by "it has no influence because the layers collapse".
# - [1] A nonlinear function (activation) has to stand between the layers; also accepted: any named one; lost by "more layers" or "a larger learning rate".
# ### END SOLUTION

# %% [markdown]
# ### Prices
#
# Sale prices of 2930 houses in Ames, Iowa. The prices have a long tail to the right; their logarithms are
# nearly symmetric.

# %% tags=["demo"]
prices = torch.tensor(pd.read_csv(d2l.data_file("ames.csv"))["Sale_Price"].to_numpy(), dtype=torch.float64)


def skewness(t):
    return (((t - t.mean()) / t.std()) ** 3).mean().item()


print(f"{len(prices)} prices from {prices.min():.0f} to {prices.max():.0f}; skewness {skewness(prices):.2f}, "
      f"of the logarithms {skewness(prices.log()):.2f}")
_, (left, right) = d2l.plt.subplots(1, 2, figsize=(7, 2.4))
left.hist(prices / 1000, bins=50)
left.set(xlabel="price in 1000 dollars", ylabel="houses")
right.hist(prices.log(), bins=50)
right.set(xlabel="log price");

# %% [markdown] task="3.1.7a" kind="code" minutes=8 difficulty=2
# ### A price below zero
#
# A model with additive normal noise says that a price is $\hat y + \varepsilon$ with one $\sigma$ for all,
# cheap and dear. A price cannot be negative, but the model does not know that.
#
# Write `chance_of_negative(y_hat, sigma)`: the probability that the model gives to a price below zero.
# `y_hat` is a floating point tensor of predicted prices, of any shape, `sigma` a positive number; the result
# has the shape of `y_hat`.
#
# **You are done when** the check finds one half for a predicted price of 0 and 15.9 % at one standard
# deviation.

# %% exercise="3.1.7a"
def chance_of_negative(y_hat, sigma):
    """P(y_hat + noise < 0) for normal noise with standard deviation sigma; the shape of y_hat."""
    ### BEGIN SOLUTION
    return torch.special.ndtr(-y_hat / sigma)
    ### END SOLUTION

# %% [markdown] hints="3.1.7a"
# 1. How many standard deviations below its mean does zero lie?
# 2. The distribution function of the standard normal distribution is `torch.special.ndtr(z)`;
#    `torch.distributions.Normal` has it as `cdf`, and it equals (1 + erf(z/√2)) / 2.
# 3. The probability that a temperature with mean 20 and standard deviation 5 exceeds 30 is `1 - ndtr(2)`, 2.3
#    %.

# %% check="3.1.7a" points=1
forecast, spread = torch.tensor([0., 30_000.]), 30_000.
assert_close(chance_of_negative(forecast, spread), torch.tensor([0.5, 0.158655]), "prices 0 and 30,000, sigma 30,000",
             mistakes={"This is the probability of a price above zero.": torch.tensor([0.5, 0.841345]),
                       "sigma is a standard deviation, not a variance.": torch.tensor([0.5, 0.]),
                       "erf wants its argument divided by √2.": torch.tensor([0.5, 0.078650]),
                       "These are densities, not probabilities.": torch.tensor([1.329808e-5, 8.065691e-6])})
### BEGIN HIDDEN TESTS
six = torch.tensor([[12., 50., 400.], [-20., 90., 1.]], dtype=torch.float64)
for sigma in (50., 3.):
    assert_shape(chance_of_negative(six, sigma), (2, 3), "the shape for six prices")
    assert_close(
        chance_of_negative(six, sigma),
        torch.distributions.Normal(six, sigma).cdf(torch.zeros(2, 3, dtype=torch.float64)),
        f"the probabilities for six prices and sigma {sigma}",
        mistakes={"sigma is a standard deviation, not a variance.": torch.special.ndtr(-six / math.sqrt(sigma))},
    )
### END HIDDEN TESTS

# %% [markdown] task="3.1.7b" kind="explain" minutes=15 difficulty=3
# ### Regression on the logarithm
#
# Now the model predicts $m$, and $\log y = m + \varepsilon$ with normal noise of standard deviation $s$.
#
# First write `price_statistics(m, s)`: for a floating point tensor `m` of any shape and a number `s` it
# returns a triple of tensors of that shape: the median price, the mean price, and the ratio of the upper to
# the lower end of the interval of $m \pm s$, turned into prices. The mean of $e^\varepsilon$ is $e^{s^2/2}$,
# not 1.
#
# Then explain why the logarithm suits prices better than a normal error on the price itself. Say something
# about the sign of prices, about the size of errors for cheap and dear houses, and about what a prediction of
# $e^m$ means.
#
# **You are done when** the check finds the numbers for a house with $e^m$ = 200,000, and your text has all
# three points.

# %% exercise="3.1.7b"
def price_statistics(m, s):
    """(median, mean, upper / lower end of m ± s) of the price exp(m + noise), each of the shape of m."""
    ### BEGIN SOLUTION
    return m.exp(), (m + s ** 2 / 2).exp(), torch.full_like(m, math.exp(2 * s))
    ### END SOLUTION

# %% [markdown] hints="3.1.7b"
# 1. What does adding a constant to a logarithm do to the number?
# 2. The exponential keeps the order, so the median goes through it unchanged; the mean does not. The ends of
#    the interval are $e^{m - s}$ and $e^{m + s}$.
# 3. Two prices, 100 and 400, have the mean logarithm log 200, but the mean 250: the geometric mean is below
#    the arithmetic one.

# %% check="3.1.7b" points=2
house = torch.tensor([math.log(200_000.)], dtype=torch.float64)
assert_equal(len(price_statistics(house, 0.4)), 3, "how many tensors are returned")
assert_close(
    price_statistics(house, 0.4)[0], torch.tensor([200_000.0], dtype=torch.float64), "the median price", rtol=1e-6
)
assert_close(
    price_statistics(house, 0.4)[1],
    torch.tensor([216_657.413535], dtype=torch.float64),
    "the mean price",
    rtol=1e-6,
    mistakes={
        "This is the median: the mean lies above it.": torch.tensor([200_000.0], dtype=torch.float64),
        "The exponent is s²/2, not s².": torch.tensor([200_000.0 * math.exp(0.16)], dtype=torch.float64),
    },
)
assert_close(price_statistics(house, 0.4)[2], torch.tensor([math.exp(0.8)], dtype=torch.float64),
             "the ratio of the interval's ends",
             mistakes={"This is the ratio of the logarithms: turn the ends into prices first.": (house + 0.4) / (house - 0.4),
                       "This is the ratio of the upper end to the middle.": torch.tensor([math.exp(0.4)], dtype=torch.float64)})
### BEGIN HIDDEN TESTS
logs = torch.tensor([[0., 5., -2.], [11., 12.5, 3.]], dtype=torch.float64)
for s in (0.2, 1.5):
    model = torch.distributions.LogNormal(logs, s)
    median, mean, ratio = price_statistics(logs, s)
    assert_close(median, model.icdf(torch.full((2, 3), 0.5, dtype=torch.float64)),
                 f"the medians for six houses, s = {s}", rtol=1e-6)
    assert_close(mean, model.mean, f"the means for six houses, s = {s}", rtol=1e-6)
    assert_close(ratio, (logs + s).exp() / (logs - s).exp(), f"the ratios for six houses, s = {s}", rtol=1e-6)
### END HIDDEN TESTS

# %% [markdown] written="3.1.7b" points=3
# ### BEGIN SOLUTION
# An exponential is positive, so a model of log y never predicts, nor gives any probability to, a negative
# price. A normal error in the logarithm is a factor on the price: the interval of one standard deviation
# reaches from e^(-s) to e^s times the prediction, for a cheap house as for a dear one. That is how prices
# differ, by percentages. One additive σ would be far too wide for cheap houses and too narrow for dear ones,
# and least squares would be ruled by the dear ones. The Ames prices confirm it: their skewness is 1.74, that
# of their logarithms -0.01. Turned back, e^m is the median of the price. The mean is larger by the factor
# e^(s²/2), so a sum of predictions e^m would be too low on average.
#
# **Rubric**
# - [1] Positive prices: the exponential cannot be negative, the additive model gives probability to negative prices; also accepted: a number from 3.1.7a; lost by "the logarithm of a negative price is negative".
# - [1] Relative errors: a constant error in the logarithm is a constant percentage, so cheap and dear houses are treated alike; also accepted: skewness or histograms of the data; lost by "the logarithm makes errors smaller".
# - [1] e^m is the median (or: not the mean, which is e^(m + s²/2)); also accepted: the prediction is too low on average; lost by "e^m is the expected price".
# ### END SOLUTION

# %% [markdown] task="3.1.7c" kind="explain" minutes=12 difficulty=3
# ### Penny stocks
#
# A share can be traded only at multiples of a *tick*, often one cent. For a share of 100 dollars that is fine
# enough. A penny stock costs a few cents.
#
# First write `log_step(price, tick)`: by how much the logarithm of the price changes when the price goes up
# by one tick, for a `float64` tensor `price` of any shape and a number `tick`. Then explain what goes wrong
# when the log price of a penny stock is modelled with normal noise of a small standard deviation. Give
# numbers for a price of 2 cents and one of 100 dollars, and name a model or a remedy that fits better.
#
# **You are done when** the check finds log 2 for a price of one tick, and your text has all three points.

# %% exercise="3.1.7c"
def log_step(price, tick):
    """log(price + tick) - log(price), the shape and dtype of price."""
    ### BEGIN SOLUTION
    return torch.log1p(tick / price)
    ### END SOLUTION

# %% [markdown] hints="3.1.7c"
# 1. Which prices can follow on 2 cents, and how far apart are their logarithms?
# 2. log(p + t) - log(p) = log(1 + t/p). If the possible values lie further apart than the noise is wide, a
#    density says little.
# 3. A scale that shows whole kilograms serves for sacks of 50 kg, where a step is 2 %, and not for letters.

# %% check="3.1.7c" points=1
quotes = torch.tensor([0.01, 0.02, 100.], dtype=torch.float64)
two_steps = torch.tensor([2., 1.5], dtype=torch.float64).log()
assert_close(log_step(quotes, 0.01)[:2], two_steps, "one tick up from prices of one tick and of two",
             mistakes={"This is the relative change, tick / price, not that of the logarithm.":
                       torch.tensor([1., 0.5], dtype=torch.float64),
                       "This is one tick down.": torch.tensor([math.inf, math.log(2)], dtype=torch.float64),
                       "Natural logarithms, please.": two_steps / math.log(10)})
### BEGIN HIDDEN TESTS
quotes = torch.tensor([[0.03, 0.5, 7.], [40., 1000., 0.25]], dtype=torch.float64)
for tick in (0.01, 0.05):
    assert_shape(log_step(quotes, tick), (2, 3), "the shape for six prices")
    assert_close(
        log_step(quotes, tick), ((quotes + tick) / quotes).log(), f"the steps for six prices, tick {tick}", rtol=1e-6
    )
### END HIDDEN TESTS

# %% [markdown] written="3.1.7c" points=3
# ### BEGIN SOLUTION
# From 2 cents the next prices are 3 cents and 1 cent. The logarithm moves by log 1.5 = 0.405 upwards and by
# log 2 = 0.693 downwards, and nothing lies between. At 100 dollars a tick moves it by 0.0001. Normal noise
# with a standard deviation of, say, 0.05 gives nearly all its probability to prices that cannot occur, and
# treats an ordinary move by one tick as an event of eight standard deviations. Most days the price does not
# change at all, which a continuous density gives probability zero. So the noise is discrete and depends on
# the price. A better model counts ticks, as a distribution over whole numbers of ticks moved with the chance
# of none, or integrates the density over each tick; or such shares are left out of the fit.
#
# **Rubric**
# - [1] Discreteness: only multiples of the tick occur, so the log price takes few, widely separated values, no continuous ones; also accepted: unchanged prices have probability zero under a density; lost by "penny stocks are merely more volatile".
# - [1] Numbers: one tick is about 0.41 up (or 0.69 down) in the logarithm at 2 cents, about 0.0001 at 100 dollars; also accepted: 50 % and 0.01 %; lost by giving no number.
# - [1] A fitting remedy: a discrete model of ticks, probabilities of intervals, noise that depends on the price, or leaving them out; also accepted: any discrete or rounded model; lost by "take the logarithm twice" or "more data".
# ### END SOLUTION

# %% [markdown]
# ### Counts
#
# How many calls arrive in an hour? Counts are whole numbers, not negative, and their spread grows with their
# mean. The *Poisson* distribution with rate $\lambda > 0$ fits such counts:
# $p(k) = \frac{\lambda^k e^{-\lambda}}{k!}$ for $k = 0, 1, 2, \ldots$ Its mean and its variance are both
# $\lambda$. Below, bars show $p(k)$ for $\lambda = 1.5$, the curve the normal density of the same mean and
# variance. It gives 11 % to negative counts and spreads the rest over numbers that are no counts.

# %% tags=["demo"]
counts = torch.arange(8)
bell = torch.distributions.Normal(1.5, math.sqrt(1.5))
print("normal: probability of a negative count:", bell.cdf(torch.tensor(0.)).item())
d2l.set_figsize((4, 2.5))
d2l.plt.bar(counts, torch.distributions.Poisson(1.5).log_prob(counts).exp(), width=0.3)
grid = torch.linspace(-3, 7, 200)
d2l.plt.plot(grid, bell.log_prob(grid).exp(), "m")
d2l.set_axes(d2l.plt.gca(), "k", "p(k)", None, None, "linear", "linear", ["normal", "Poisson"])

# %% [markdown] task="3.1.8a" kind="answer" minutes=6 difficulty=2
# ### Why normal noise fails for counts
#
# Someone models the number of calls in an hour as $y = \mathbf w^\top \mathbf x + b + \varepsilon$ with
# normal noise of one $\sigma$. Which of these are sound objections?
#
# - A: The model gives probability to negative counts.
# - B: The spread of counts grows with their mean; one $\sigma$ for all does not.
# - C: Every single count has probability zero under a density, and numbers between counts are as likely as
#   counts.
# - D: The squared loss cannot be computed for integers.
# - E: The predicted mean $\mathbf w^\top \mathbf x + b$ can be negative.
# - F: A mean that is not a whole number, such as 2.3 calls, is meaningless.
#
# Set `objections` to the set of the letters of the sound ones.
#
# **You are done when** the check accepts the letters; whether they are right is graded.

# %% exercise="3.1.8a"
### BEGIN SOLUTION
objections = {"A", "B", "C", "E"}
### END SOLUTION

# %% [markdown] hints="3.1.8a"
# 1. For each letter: does the Poisson model have the same property?
# 2. The mean of a distribution need not be one of its values. A square of a difference is defined for integers.
# 3. The mean of a die is 3.5, which no throw shows, and nobody minds.

# %% check="3.1.8a" points=1
assert_type(objections, (set, frozenset, list, tuple), "the letters")
assert_true(set(objections) <= set("ABCDEF"), "every letter is one of A to F")
### BEGIN HIDDEN TESTS
chosen = set(objections)
assert_true("D" not in chosen, "D: the squared loss of integers", hint="(3 - 2.5)² is a number like any other.")
assert_true("F" not in chosen, "F: a mean that is no count", hint="The rate of a Poisson distribution is such a mean.")
assert_true("B" in chosen, "B: the spread of counts", hint="The variance of a Poisson distribution is its mean.")
assert_true("C" in chosen, "C: densities and counts")
assert_true({"A", "E"} <= chosen, "A and E: negative counts and negative means")
### END HIDDEN TESTS

# %% [markdown] task="3.1.8b" kind="code" minutes=10 difficulty=3 core=true
# ### The Poisson distribution and its mean
#
# Write `poisson(k, rate)`: $p(k)$ for a tensor `k` of whole numbers (an integer or floating point dtype) and
# a tensor `rate` of positive `float64` numbers, broadcast against each other, as `float64`. It has to work
# for counts in the hundreds, where neither $\lambda^k$ nor $k!$ fits into a floating point number.
#
# **You are done when** the probabilities for rate 2.5 add up to 1 and give the mean 2.5: $E[k] = \lambda$.

# %% exercise="3.1.8b"
def poisson(k, rate):
    """Poisson probabilities of the counts k at the given rate, float64, for large counts, too."""
    ### BEGIN SOLUTION
    k = k.to(torch.float64)
    return torch.exp(k * torch.log(rate) - rate - torch.lgamma(k + 1))
    ### END SOLUTION

# %% [markdown] hints="3.1.8b"
# 1. Which quantity of moderate size can you compute first, so that a single exponential gives the result?
# 2. $\log k! = $ `torch.lgamma(k + 1)`, for floating point `k`. Work with $\log p(k)$.
# 3. $\binom{1000}{500} / 2^{1000}$ likewise: `exp(lgamma(1001) - 2 * lgamma(501) - 1000 * log(2))` is 0.0252.

# %% check="3.1.8b" points=2
whole, level = torch.arange(60), torch.tensor(2.5, dtype=torch.float64)
assert_shape(poisson(whole, level), (60,), "the shape for 60 counts and one rate")
first_three = torch.tensor([1., 2.5, 3.125], dtype=torch.float64) * math.exp(-2.5)
assert_close(poisson(whole, level)[:3], first_three, "p(0), p(1) and p(2) at rate 2.5",
             mistakes={"The factor exp(-rate) is missing.": first_three * math.exp(2.5),
                       "The division by k! is missing.": first_three * torch.tensor([1., 1., 2.]),
                       "lgamma(k) is log (k - 1)!, not log k!.": first_three * torch.tensor([0., 1., 2.]),
                       "This is the logarithm of the probability.": first_three.log()})
assert_close(poisson(whole, level).sum(), torch.tensor(1., dtype=torch.float64), "the sum of the probabilities")
assert_close((whole * poisson(whole, level)).sum(), level, "the mean of the counts")
### BEGIN HIDDEN TESTS
tall, wide = (
    torch.tensor([[0.0], [3.0], [170.0], [400.0]], dtype=torch.float64),
    torch.tensor([0.3, 5.0, 390.0], dtype=torch.float64),
)
assert_shape(poisson(tall, wide), (4, 3), "the shape for shapes (4, 1) and (3,)")
assert_dtype(poisson(tall.long(), wide), torch.float64, "the dtype for integer counts")
assert_close(poisson(tall, wide), torch.distributions.Poisson(wide).log_prob(tall).exp(),
             "counts up to 400, rates up to 390")
many = torch.arange(900, dtype=torch.int64)
rate = torch.tensor(300., dtype=torch.float64)
assert_close(((many - 300.0) ** 2 * poisson(many, rate)).sum(), rate, "the variance of the counts at rate 300",
             rtol=1e-6, hint="For integer counts log k! is found in float32 only: convert k to float64 first.")
### END HIDDEN TESTS

# %% [markdown] task="3.1.8c" kind="code" minutes=8 difficulty=2 core=true
# ### The loss for a predicted rate
#
# Write `rate_loss(rate, k)`: the **mean** negative log-likelihood of the counts `k` under the predicted
# rates, as a 0-d tensor through which gradients reach `rate`. Both have shape `(n,)`, `rate` is positive.
# Leave out the term $\log k!$, which no prediction changes. Then the derivative with respect to one common
# rate is zero exactly at the mean of the counts.
#
# **You are done when** the check shows the loss for two counts, and a gradient of zero at their mean.

# %% exercise="3.1.8c"
def rate_loss(rate, k):
    """Mean over the examples of the Poisson negative log-likelihood without log k!; 0-d."""
    ### BEGIN SOLUTION
    return (rate - k * torch.log(rate)).mean()
    ### END SOLUTION

# %% [markdown] hints="3.1.8c"
# 1. What is $-\log p(k)$, and which of its three terms does not contain $\lambda$?
# 2. $-\log(\lambda^k e^{-\lambda}) = \lambda - k \log \lambda$.
# 3. For the geometric distribution $p(k) = (1 - q)^k q$ the loss is $-k \log(1 - q) - \log q$.

# %% check="3.1.8c" points=2
@probe
def rate_loss_and_gradient(rate, k):
    leaf = rate.clone().requires_grad_()
    loss = rate_loss(leaf, k)
    loss.backward()
    return loss, leaf.grad

assert_close(rate_loss(torch.tensor([1., 1.]), torch.tensor([0., 6.])), torch.tensor(1.), "the loss for rates of 1",
             mistakes={"This is the sum, not the mean.": torch.tensor(2.),
                       "log k! is still in it.": torch.tensor(1 + math.log(720) / 2),
                       "This takes the rate for its logarithm.": torch.tensor(math.e - 3),
                       "This is the log-likelihood; its sign is still to be changed.": torch.tensor(-1.),
                       "This is the squared loss.": torch.tensor(6.5)})
assert_close(rate_loss_and_gradient(torch.tensor(3.).expand(2), torch.tensor([0., 6.]))[1].sum(), torch.tensor(0.),
             "the gradient with respect to a common rate at the mean of the counts", atol=1e-6)
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(318)
rates = 4 * torch.rand(7, generator=rng, dtype=torch.float64) + 0.2
seen = torch.randint(0, 9, (7,), generator=rng)
loss, gradient = rate_loss_and_gradient(rates, seen)
assert_shape(loss, (), "the shape for seven integer counts")
assert_close(loss, torch.nn.functional.poisson_nll_loss(rates, seen, log_input=False, eps=0),
             "the loss for seven integer counts", mistakes={
             "This is the sum, not the mean.": torch.nn.functional.poisson_nll_loss(
             rates, seen, log_input=False, eps=0, reduction="sum" ) })
assert_close(gradient, (1 - seen / rates) / 7, "the gradient with respect to seven rates")
### END HIDDEN TESTS

# %% [markdown]
# A linear layer can produce negative numbers, a rate must not be negative. So one lets the layer predict
# $s = \log \lambda$.

# %% [markdown] task="3.1.8d" kind="code" minutes=10 difficulty=3 core=true
# ### The loss for a predicted log rate
#
# Write `log_rate_loss(s, k)`: the same loss, as a function of the predicted **log** rate. `s` has shape
# `(n, 1)`, as a linear layer returns it, and `k` has shape `(n,)`, as counts are stored. A 0-d tensor,
# without $\log k!$, through which gradients reach `s`; `s` may be as low as -1000.
#
# **You are done when** the check shows the loss for two examples: the pairs that belong together, not all four.

# %% exercise="3.1.8d"
def log_rate_loss(s, k):
    """Mean Poisson loss for log rates s of shape (n, 1) and counts k of shape (n,), without log k!; 0-d."""
    ### BEGIN SOLUTION
    s = s.reshape(k.shape)
    return (torch.exp(s) - k * s).mean()
    ### END SOLUTION

# %% [markdown] hints="3.1.8d"
# 1. What is the shape of `s - k` for shapes `(n, 1)` and `(n,)`?
# 2. Put $\lambda = e^s$ and $\log \lambda = s$ into the loss of the exercise before; do not take the
#    logarithm of an exponential.
# 3. For the squared loss: `((y_hat.reshape(y.shape) - y) ** 2).mean()` is right for `(n, 1)` and `(n,)`;
#    without `reshape` it averages n² differences.

# %% check="3.1.8d" points=2
@probe
def log_loss_and_gradient(s, k):
    leaf = s.clone().requires_grad_()
    loss = log_rate_loss(leaf, k)
    loss.backward()
    return loss, leaf.grad

two_logs, two_counts = torch.tensor([[0.], [1.]]), torch.tensor([3., 5.])
assert_shape(log_rate_loss(two_logs, two_counts), (), "the shape of the loss")
assert_close(
    log_rate_loss(two_logs, two_counts),
    torch.tensor((1 + math.e - 5) / 2),
    "the loss for log rates 0 and 1, counts 3 and 5",
    mistakes={
        "Shapes (n, 1) and (n,) were broadcast to (n, n): it averages over all pairs.": torch.tensor(
            (2 * (1 + math.e) - 8) / 4
        ),
        "This is the sum, not the mean.": torch.tensor(1 + math.e - 5),
    },
)
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(3181)
logs = torch.randn(6, 1, generator=rng, dtype=torch.float64)
seen = torch.randint(0, 9, (6,), generator=rng)
loss, gradient = log_loss_and_gradient(logs, seen)
assert_close(
    loss, torch.nn.functional.poisson_nll_loss(logs[:, 0], seen), "the loss for six examples with integer counts"
)
assert_close(gradient, (logs.exp() - seen[:, None]) / 6, "the gradient with respect to six log rates")
low = torch.tensor([[-1000.], [2.]], dtype=torch.float64)
assert_close(log_rate_loss(low, torch.tensor([1, 0])), torch.tensor((1000 + math.exp(2.)) / 2, dtype=torch.float64),
             "a log rate of -1000", hint="exp(-1000) is 0 in floating point, and its logarithm is -inf.")
### END HIDDEN TESTS

# %% [markdown]
# With this loss, a linear layer and gradient descent make *Poisson regression*. The data below have the log
# rate $0.8 x + 0.5$; the live curve shows the loss of your function while the two weights approach these
# values.

# %% tags=["demo"]
torch.manual_seed(8)
x = torch.rand(400, 1) * 4 - 2
seen = torch.poisson((0.8 * x[:, 0] + 0.5).exp())
layer = torch.nn.Linear(1, 1)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.03)
board = d2l.ProgressBoard(xlabel="step", ylabel="loss")
for step in range(300):
    loss = log_rate_loss(layer(x), seen)
    if loss is None:
        print("3.1.8d is not answered yet")
        break
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    board.draw(step, loss, "Poisson loss", every_n=5)
print("weight", layer.weight.item(), "bias", layer.bias.item())

# %% [markdown]
# ### Drill: vectorise, a density, least squares

# %% [markdown] task="3.1.9" kind="code" minutes=8 difficulty=2 core=true
# ### Away with the loops
#
# ```python
# def slow_loss(X, w, b, y):
#     total = 0.0
#     for i in range(len(X)):
#         prediction = b
#         for j in range(len(w)):
#             prediction = prediction + X[i, j] * w[j]
#         total = total + (prediction - y[i]) ** 2 / 2
#     return total / len(X)
# ```
#
# Write `fast_loss(X, w, b, y)`, which returns the same number as a 0-d tensor, without a Python loop. `X` has
# shape `(n, d)`, `w` shape `(d,)`, `b` is a number. `y` comes in shape `(n,)` or `(n, 1)`: the loop does not
# care, and yours must not either.
#
# **You are done when** the check agrees for both shapes of `y`; then run the timing below it.

# %% exercise="3.1.9"
def fast_loss(X, w, b, y):
    """Mean of half the squared errors of X w + b against y of shape (n,) or (n, 1); 0-d."""
    ### BEGIN SOLUTION
    return ((X @ w + b - y.reshape(-1)) ** 2).mean() / 2
    ### END SOLUTION

# %% [markdown] hints="3.1.9"
# 1. Which operation does the inner loop compute for all rows at once?
# 2. `X @ w` has shape `(n,)`. `y.reshape(-1)` has shape `(n,)`, whatever `y` had before.
# 3. A loop that sums `abs(u[i] - v[i]) * m[i]` is `((u - v).abs() * m).sum()`.

# %% check="3.1.9" points=2
rows, weights = torch.tensor([[1., 2.], [3., 0.], [0., 1.]]), torch.tensor([2., 1.])
aims = torch.tensor([4., 8., 2.])
assert_close(fast_loss(rows, weights, 1., aims), torch.tensor(1 / 3), "three examples with errors of 1, -1 and 0",
             mistakes={"The factor 1/2 is missing.": torch.tensor(2 / 3),
                       "This is the sum over the examples, not the mean.": torch.tensor(1.),
                       "Where is the bias?": torch.tensor(5 / 6),
                       "This squares the mean error: square each one first.": torch.tensor(0.)})
assert_close(fast_loss(rows, weights, 1., aims[:, None]), torch.tensor(1 / 3), "the same with y of shape (3, 1)",
             mistakes={"(n,) against (n, 1) gives (n, n): it averages over all pairs.": torch.tensor(47 / 9)})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(319)
table, gains, goal = (torch.randn(shape, generator=rng, dtype=torch.float64) for shape in ((13, 4), (4,), (13,)))
right = torch.nn.functional.mse_loss(table @ gains - 2.5, goal) / 2
for aim in (goal, goal[:, None]):
    assert_shape(fast_loss(table, gains, -2.5, aim), (), f"the shape for y of shape {tuple(aim.shape)}")
    assert_close(fast_loss(table, gains, -2.5, aim), right, f"13 examples, y of shape {tuple(aim.shape)}",
                 mistakes={"The factor 1/2 is missing.": 2 * right, "This is the sum, not the mean.": 13 * right})
assert_dtype(fast_loss(table, gains, -2.5, goal), torch.float64, "the dtype for float64")
### END HIDDEN TESTS

# %% tags=["demo"]
def slow_loss(X, w, b, y):
    total = 0.0
    for i in range(len(X)):
        prediction = b
        for j in range(len(w)):
            prediction = prediction + X[i, j] * w[j]
        total = total + (prediction - y[i]) ** 2 / 2
    return total / len(X)


many, gains, goal = torch.randn(2000, 5), torch.randn(5), torch.randn(2000)
start = time.perf_counter()
slow = slow_loss(many, gains, 0.1, goal)
middle = time.perf_counter()
for _ in range(50):
    fast = fast_loss(many, gains, 0.1, goal)
end = time.perf_counter()
print(f"loop {slow}, vectorised {fast}; the loop takes {(middle - start) / (end - middle) * 50:.0f} times as long")

# %% [markdown] task="3.1.10" kind="code" minutes=6 difficulty=2
# ### The normal density
#
# Write `normal(x, mu, sigma)`: the density of the normal distribution with mean `mu` and standard deviation
# `sigma` at the entries of the floating point tensor `x`, in its shape. `mu` and `sigma` are numbers.
#
# **You are done when** the check finds 0.3989 at the top of the standard curve, and half of that for a standard
# deviation of 2.

# %% exercise="3.1.10"
def normal(x, mu, sigma):
    """The density of N(mu, sigma²) at x; the shape of x."""
    ### BEGIN SOLUTION
    return torch.exp(-(x - mu) ** 2 / (2 * sigma ** 2)) / math.sqrt(2 * math.pi * sigma ** 2)
    ### END SOLUTION

# %% [markdown] hints="3.1.10"
# 1. In the formula of the recap, which part is a number and which a tensor?
# 2. `torch.exp` takes a tensor, `math.sqrt` a number. Mind the parentheses: `a / 2 * b` is not `a / (2 * b)`.
# 3. The Laplace density of scale 3 around 1: `torch.exp(-(x - 1).abs() / 3) / (2 * 3)`.

# %% check="3.1.10" points=1
spots = torch.tensor([0., 1.])
assert_close(normal(spots, 0., 1.), torch.tensor([0.3989423, 0.2419707]), "the standard density at 0 and 1")
places, top = torch.tensor([1., 4.]), 1 / math.sqrt(2 * math.pi)
assert_close(normal(places, 1., 2.), top / 2 * torch.tensor([1., math.exp(-9 / 8)]),
             "the density with mean 1 and standard deviation 2, at 1 and 4",
             mistakes={"sigma is a standard deviation, not a variance.":
                       top / math.sqrt(2) * torch.tensor([1., math.exp(-9 / 4)]),
                       "The density must be divided by sigma, too.": top * torch.tensor([1., math.exp(-9 / 8)]),
                       "Mind the parentheses: a / 2 * b is not a / (2 * b).":
                       top / 2 * torch.tensor([1., math.exp(-18)]),
                       "The sign of the mean is wrong.": top / 2 * torch.tensor([math.exp(-1 / 2), math.exp(-25 / 8)])})
### BEGIN HIDDEN TESTS
grid = torch.linspace(-9, 9, 25, dtype=torch.float64).reshape(5, 5)
for mu, sigma in ((1.5, 3.), (-2., 0.5)):
    assert_shape(normal(grid, mu, sigma), (5, 5), "the shape for 5 × 5 points")
    right = torch.distributions.Normal(mu, sigma).log_prob(grid).exp()
    assert_close(normal(grid, mu, sigma), right, f"mean {mu}, standard deviation {sigma}", mistakes={
                 "sigma is a standard deviation, not a variance.": torch.distributions.Normal(mu, math.sqrt(sigma))
                 .log_prob(grid) .exp(), "The density must be divided by sigma, too.": right * sigma,
                 "The sign of the mean is wrong.": torch.distributions.Normal(-mu, sigma).log_prob(grid).exp(),
                 })
### END HIDDEN TESTS

# %% [markdown] task="3.1.11" kind="code" minutes=8 difficulty=2 core=true
# ### Least squares in closed form
#
# Write `least_squares(X, y)` for `X` of shape `(n, d)` with independent columns and `y` of shape `(n,)`: the
# weights of shape `(d,)` with the smallest $\|X \mathbf w - \mathbf y\|^2$, in the dtype of `X`. There is no
# bias.
#
# **You are done when** the check finds the weights of four points that no weights fit exactly.

# %% exercise="3.1.11"
def least_squares(X, y):
    """The minimiser w of ‖X w - y‖²; shapes (n, d), (n,) -> (d,)."""
    ### BEGIN SOLUTION
    return torch.linalg.solve(X.T @ X, X.T @ y)
    ### END SOLUTION

# %% [markdown] hints="3.1.11"
# 1. Where is the gradient $X^\top (X \mathbf w - \mathbf y)$ zero?
# 2. Solve the normal equations with `torch.linalg.solve(A, b)`; computing an inverse is not needed.
# 3. For one feature the formula is $w = \mathbf x^\top \mathbf y / \mathbf x^\top \mathbf x$: for x = (1, 2),
#    y = (3, 3) that is 9/5.

# %% check="3.1.11" points=2
square, aims = torch.tensor([[1., 0.], [1., 1.], [1., 2.], [1., 3.]]), torch.tensor([1., 2., 2., 5.])
assert_shape(least_squares(square, aims), (2,), "the shape of the weights",
             hint="One weight for each column of X, in shape (d,).")
assert_close(least_squares(square, aims), torch.tensor([0.7, 1.2]), "the weights for four points",
             mistakes={"This is Xᵀy: the Gram matrix is still to be taken account of.": torch.tensor([10., 21.]),
                       "This divides by the diagonal of the Gram matrix only: the columns are not orthogonal.":
                       torch.tensor([2.5, 1.5]),
                       "This fits the first examples only.": torch.tensor([1., 1.])})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(3111)
for n, d in ((9, 4), (3, 3), (6, 1)):
    table, aim = (
        torch.randn(n, d, generator=rng, dtype=torch.float64),
        torch.randn(n, generator=rng, dtype=torch.float64),
    )
    found = least_squares(table, aim)
    assert_shape(found, (d,), f"the shape for a {n} × {d} matrix")
    assert_close(found, torch.linalg.lstsq(table, aim[:, None]).solution[:, 0],
                 f"the weights for a {n} × {d} matrix", rtol=1e-5)
    assert_dtype(found, torch.float64, "the dtype for float64")
### END HIDDEN TESTS
