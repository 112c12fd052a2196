# %% [markdown]
# # 3.4 Linear regression from scratch
#
# Four small parts make a learner: a model, a loss, an optimizer, a loop. This section builds them from tensors and
# autograd alone, and then asks what each part does when it is wrong: a bad start, a bad shape, a bad learning rate,
# an outlier, a bad order of the data.

# %% tags=["setup"]
from d2l_utils.check import *
import math
import numpy as np
import pandas as pd
import torch
import d2l_utils as d2l

# %% [markdown]
# ## Recap
#
# ### Model, loss, optimizer, loop
#
# The data: 500 examples with two features, weights 2 and -3.4, bias 4.2, and a little noise. The *model* multiplies
# the feature matrix `X` (n, 2) by `w` (2, 1) and adds `b` (1,); predictions and targets both have shape (n, 1).

# %%
generator = torch.Generator().manual_seed(0)
true_w, true_b = torch.tensor([[2.0], [-3.4]]), 4.2
features = torch.randn(500, 2, generator=generator)
targets = features @ true_w + true_b + 0.1 * torch.randn(500, 1, generator=generator)

def model(X, w, b):
    return X @ w + b

def half_square(y_hat, y):
    return ((y_hat - y) ** 2 / 2).mean()

def sgd_step(params, lr):
    with torch.no_grad():               # the update itself is not to be recorded
        for p in params:
            p -= lr * p.grad            # in place: p stays the same leaf tensor
            p.grad.zero_()              # backward() adds to .grad

features.shape, targets.shape

# %% [markdown]
# The *loop* takes the examples in random order, a minibatch of 32 at a time. 500 is no multiple of 32: the last of
# the 16 batches holds 20.

# %%
w, b = torch.zeros(2, 1, requires_grad=True), torch.zeros(1, requires_grad=True)
for epoch in range(3):
    order = torch.randperm(len(features), generator=generator)
    for rows in order.split(32):
        loss = half_square(model(features[rows], w, b), targets[rows])
        loss.backward()
        sgd_step([w, b], lr=0.1)
    with torch.no_grad():
        print(f"epoch {epoch + 1}: loss {half_square(model(features, w, b), targets):.5f}")
print(f"w {w[0].item():.3f}, {w[1].item():.3f}, b {b.item():.3f}")

# %% [markdown]
# The noise has standard deviation 0.1, so no weights reach a loss much below 0.1² / 2 = 0.005.
#
# ### The same in d2l_utils
#
# `d2l_utils/linear.py` holds this learner in the classes of section 3.2: `SyntheticRegressionData` the data,
# `LinearRegressionScratch` model and loss, `SGD` the optimizer; `Trainer.fit_epoch` is the loop. Read these four now.

# %% tags=["demo"]
torch.manual_seed(0)
data = d2l.SyntheticRegressionData(w=torch.tensor([2.0, -3.4]), b=4.2, noise=0.1, num_train=500, num_val=500)
scratch, trainer = d2l.LinearRegressionScratch(2, lr=0.03), d2l.Trainer(max_epochs=6)
trainer.fit(scratch, data)

# %% [markdown]
# ## Exercises
#
# ### Where to start
#
# ⚠ `torch.normal(0, sigma, ...)`, like D2L's `sigma`, takes the *standard deviation*. D2L's exercise asks for
# "variance 1000", and 1000 in that place gives a variance of a million; the right number is √1000 ≈ 31.6.

# %% tags=["demo"]
torch.manual_seed(0)
for sigma in (1000.0, math.sqrt(1000)):
    print(f"torch.normal(0, {sigma:.1f}): a variance of about {torch.normal(0.0, sigma, (100_000,)).var():.4g}")

# %% [markdown] task="3.4.1a" kind="code" minutes=8 difficulty=2 core=true
# ### Parameters of a given variance
#
# Write `init_params(num_inputs, variance)`. It returns `(w, b)`: `w` of shape `(num_inputs, 1)` from a normal
# distribution with mean 0 and this *variance*, `b` of shape `(1,)`, zero. Both are float32 leaves that require
# gradients. A variance of 0 is allowed.
#
# **You are done when** the check shows both shapes, a sample variance near 4 for 20,000 weights of variance 4, and two
# leaves.

# %% exercise="3.4.1a"
def init_params(num_inputs, variance):
    """Weight (num_inputs, 1) of mean 0 and the given variance, bias (1,) zero; both require gradients."""
    ### BEGIN SOLUTION
    w = torch.normal(0.0, math.sqrt(variance), (num_inputs, 1), requires_grad=True)
    b = torch.zeros(1, requires_grad=True)
    return w, b
    ### END SOLUTION

# %% [markdown] hints="3.4.1a"
# 1. How are variance and standard deviation related?
# 2. `requires_grad=True` makes a leaf only of a tensor that was not computed from another one with gradients;
#    `t.requires_grad_()` turns a finished tensor into one.
# 3. A uniform start of the same kind: `(torch.rand(4, 1) - 0.5).requires_grad_()`.

# %% check="3.4.1a" points=1
@probe
def initialised(num_inputs, variance):
    w, b = init_params(num_inputs, variance)
    return {"w": w, "b": b, "flags": [int(p.requires_grad) for p in (w, b)] + [int(p.is_leaf) for p in (w, b)]}

first = initialised(20000, 4)
assert_shape(first["w"], (20000, 1), "the shape of w")
assert_shape(first["b"], (1,), "the shape of b")
assert_close(first["w"].var(), torch.tensor(4.), "the variance of 20,000 weights, asked for 4", rtol=0.08,
             mistakes={"This is the standard deviation taken for the variance.": torch.tensor(16.)})
assert_equal(first["flags"], [1, 1, 1, 1], "requires_grad of w and b, then is_leaf of w and b",
             mistakes={"w is computed from a tensor that requires gradients, so it is no leaf.": [1, 1, 0, 1],
                       "The bias requires no gradient.": [1, 0, 1, 1]})
### BEGIN HIDDEN TESTS
assert_dtype(first["w"], torch.float32, "the dtype of w")
assert_close(first["b"], torch.zeros(1), "the bias")
huge = initialised(30000, 1000)["w"]
assert_close(huge.var(), torch.tensor(1000.), "the variance of 30,000 weights, asked for 1000", rtol=0.08)
assert_close(huge.mean(), torch.tensor(0.), "the mean of 30,000 weights of variance 1000", atol=1.2)
assert_close((huge.abs() < math.sqrt(1000)).float().mean(), torch.tensor(0.6827),
             "the share of weights within one standard deviation", atol=0.02, hint="Is the distribution normal?")
assert_close(initialised(5, 0)["w"], torch.zeros(5, 1), "the weights for variance 0")
again = initialised(6, 1)["w"], initialised(6, 1)["w"]
assert_true(not torch.equal(*again), "two calls give different weights", hint="Do not set a seed inside the function.")
### END HIDDEN TESTS

# %% [markdown] task="3.4.1b" kind="code" minutes=15 difficulty=3 core=true
# ### From zero, and from far away
#
# Does a start at zero work? Does a huge one? Measure it. Without bias, the loss is L(w) = mean of (Xw - y)² / 2 over
# the n examples, and w* is its minimum, the least-squares solution.
#
# Write `distances(w0, X, y, lr, steps)`. It runs `steps` steps of gradient descent on *all* examples at once, from
# `w0` (d, 1), with `X` (n, d) and `y` (n, 1), and returns the Euclidean distances from w* before the first step and
# after each one: a tensor of shape `(steps + 1,)`. `w0` stays as it is.
#
# **You are done when** the check shows that the distance shrinks to a half with each step, for data where you can see
# why.

# %% exercise="3.4.1b"
def distances(w0, X, y, lr, steps):
    """Distances |w_t - w*| for t = 0 ... steps of gradient descent: shape (steps + 1,)."""
    ### BEGIN SOLUTION
    best = torch.linalg.lstsq(X, y).solution
    w = w0.clone().requires_grad_()
    found = [(w - best).norm().detach()]
    for _ in range(steps):
        loss = ((X @ w - y) ** 2 / 2).mean()
        gradient, = torch.autograd.grad(loss, w)
        with torch.no_grad():
            w -= lr * gradient
        found.append((w - best).norm().detach())
    return torch.stack(found)
    ### END SOLUTION

# %% [markdown] hints="3.4.1b"
# 1. Which function of `torch.linalg` gives w*? How many distances do `steps` steps leave?
# 2. The gradient is Xᵀ(Xw - y)/n; autograd gives the same. `w0.clone()` keeps the argument.
# 3. For f(v) = v²/2 and lr 0.1, v goes 1, 0.9, 0.81, ...: each step multiplies by 1 - lr, wherever it starts.

# %% check="3.4.1b" points=2
twice = math.sqrt(2) * torch.eye(2)         # XᵀX/n is the identity: a step multiplies the distance by 1 - lr
assert_shape(distances(torch.zeros(2, 1), twice, twice @ torch.ones(2, 1), 0.5, 3), (4,), "the shape for 3 steps")
assert_close(distances(torch.tensor([[4.], [5.]]), twice, twice @ torch.ones(2, 1), 0.5, 3),
             torch.tensor([5., 2.5, 1.25, 0.625]), "from (4, 5) to w* = (1, 1), with lr 0.5",
             mistakes={"The squares may be summed, not averaged.": torch.tensor([5., 0., 0., 0.]),
                       "The factor 1/2 of the loss may be missing.": torch.tensor([5., 0., 0., 0.])})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(51)
X = torch.randn(40, 3, generator=rng, dtype=torch.float64)
y = X @ torch.tensor([[1.], [-2.], [0.5]], dtype=torch.float64) + torch.randn(40, 1, generator=rng, dtype=torch.float64)
best = torch.linalg.pinv(X) @ y
for scale in (0., 0.1, 1000.):
    start = scale * torch.randn(3, 1, generator=rng, dtype=torch.float64)
    powers = [torch.linalg.matrix_power(torch.eye(3, dtype=torch.float64) - 0.2 * X.T @ X / 40, t) for t in range(8)]
    wanted = torch.stack([(power @ (start - best)).norm() for power in powers])
    got = distances(start, X, y, 0.2, 7)
    assert_shape(got, (8,), "the shape for 7 steps")
    assert_close(got, wanted, f"40 noisy examples, 3 features, a start of scale {scale}, lr 0.2", rtol=1e-5)

@probe
def start_after(w0, X, y):
    distances(w0, X, y, 0.1, 2)
    return w0

fresh = torch.tensor([[3.], [-4.], [5.]], dtype=torch.float64)
assert_close(start_after(fresh.clone(), X, y), fresh, "the start w0 is left as it was")
### END HIDDEN TESTS

# %% [markdown]
# The distance from w* is multiplied by the same matrix in each step, wherever it starts: for a linear model the loss
# has one minimum, zero is a start like any other, and a huge one only needs more steps. The lines below are parallel;
# those of zero and of sigma 0.1 lie almost on each other. (Section 5.4 shows networks in which zero does not work.)

# %% tags=["demo"]
starts = {"zero": 0.0, "sigma 0.1": 0.1, "sigma 31.6 (variance 1000)": math.sqrt(1000)}
lines = [distances(sigma * torch.tensor([[0.6], [-0.8]]), features, targets - 4.2, 0.1, 59) for sigma in starts.values()]
if lines[0] is None:
    print("Answer 3.4.1b first: the plot shows your distances.")
else:
    d2l.plot(list(range(60)), lines, "step", "distance from the minimum", yscale="log", legend=list(starts),
             figsize=(4.5, 3))

# %% [markdown]
# ### Two models from physics

# %% [markdown] task="3.4.2" kind="code" minutes=12 difficulty=3
# ### Ohm's law
#
# A resistor of R ohm carries the current I when the voltage V = R·I lies across it. There is no bias: no voltage, no
# current.
#
# Write `fit_resistance(current, voltage)`: `current` in ampere and `voltage` in volt, both of shape `(n,)`; it
# returns R in ohm, a number, as learnt by gradient descent with autograd on the squared error in volt. Choose the
# learning rate and the number of steps yourself. Currents may be milliamperes or tens of amperes, zero is among them,
# and the result is to be within 0.1 % of the least-squares value.
#
# **You are done when** the check shows 3 ohm for an easy case; think about currents a thousand times smaller, too.

# %% exercise="3.4.2"
def fit_resistance(current, voltage):
    """The least-squares resistance in ohm for currents (n,) in ampere and voltages (n,) in volt."""
    ### BEGIN SOLUTION
    unit_i, unit_v = current.square().mean().sqrt(), voltage.square().mean().sqrt()
    x, t = current / unit_i, voltage / unit_v       # in these units the curvature is 1, whatever the amperes
    r = torch.zeros((), dtype=x.dtype, requires_grad=True)
    for _ in range(60):
        loss = ((r * x - t) ** 2 / 2).mean()
        gradient, = torch.autograd.grad(loss, r)
        with torch.no_grad():
            r -= 0.5 * gradient
    return (r * unit_v / unit_i).item()
    ### END SOLUTION

# %% [markdown] hints="3.4.2"
# 1. The curvature of the loss is the mean of I². What does that mean for a learning rate that suits 1 A, at 1 mA?
# 2. Divide currents and voltages by typical sizes, learn in these units, and convert the result.
# 3. Fitting a walker's speed from metres and hours: learn in (1000 m)/(1 h), then multiply by 1000.

# %% check="3.4.2" points=2
assert_close(fit_resistance(torch.tensor([0., 1., 2., -1.]), torch.tensor([0., 3., 6., -3.])), 3.0,
             "the resistance for currents 0, 1, 2, -1 A and voltages 0, 3, 6, -3 V", rtol=1e-3,
             mistakes={"This is the conductance, I / V.": 1 / 3})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(52)
for ohms, amperes, volts in ((4700., 1e-3, 0.2), (0.5, 20., 1.), (47., 0.1, 0.5)):
    current = amperes * torch.cat([torch.zeros(1), torch.rand(30, generator=rng) + 0.2])
    voltage = ohms * current + volts * torch.randn(31, generator=rng)
    wanted = ((current * voltage).sum() / current.square().sum()).item()
    assert_close(fit_resistance(current, voltage), wanted, f"currents of about {amperes} A", rtol=1e-3,
                 hint="Least squares without a bias; does the learning rate suit currents of this size?",
                 mistakes={"The line must pass through the origin: no bias.": (
                     torch.cov(torch.stack([current, voltage]))[0, 1] / current.var()).item()})
### END HIDDEN TESTS

# %% tags=["setup"]
H, C, K = 6.62607015e-34, 2.99792458e8, 1.380649e-23       # Planck, J s; speed of light, m/s; Boltzmann, J/K (SI)

# %% [markdown] task="3.4.3a" kind="code" minutes=8 difficulty=2
# ### Planck's law
#
# A hot body radiates at wavelength λ, in watt per steradian, square metre and metre,
#
# $$B(\lambda, T) = \frac{2hc^2}{\lambda^5}\,\frac{1}{e^{hc/(\lambda k T)} - 1}.$$
#
# Write `planck(wavelength, T)`: `wavelength` in metre, any shape; `T` in kelvin, a tensor that broadcasts with it.
# The result must be differentiable in `T`. The constants `H`, `C` and `K` are defined above.
#
# **You are done when** the check shows the radiance of a lamp filament, 2800 K, at 1 µm: 7.03e11.

# %% exercise="3.4.3a"
def planck(wavelength, T):
    """Spectral radiance in W sr^-1 m^-3 at wavelengths in metre and temperatures in kelvin (broadcast)."""
    ### BEGIN SOLUTION
    return 2 * H * C ** 2 / wavelength ** 5 / torch.expm1(H * C / (wavelength * K * T))
    ### END SOLUTION

# %% [markdown] hints="3.4.3a"
# 1. What are the units of h·c/(λ·k·T)? An exponent has none.
# 2. `torch.exp` and `torch.expm1` (which is exp(x) - 1) record their graph; `float(...)` and `.item()` cut it.
# 3. Another law: the power of a body, σT⁴, is `5.67e-8 * T ** 4`: for 300 K about 459 W/m².

# %% check="3.4.3a" points=1
assert_close(planck(torch.tensor([1e-6], dtype=torch.float64), torch.tensor(2800., dtype=torch.float64)),
             torch.tensor([7.0285e11], dtype=torch.float64), "the radiance at 1 µm and 2800 K", rtol=1e-3,
             mistakes={"The 1 is subtracted from the exponential, not from the exponent.":
                       torch.tensor([2 * H * C ** 2 * 1e30 / math.exp(H * C / (1e-6 * K * 2800.) - 1)]),
                       "The - 1 beside the exponential is missing.":
                       torch.tensor([2 * H * C ** 2 * 1e30 / math.exp(H * C / (1e-6 * K * 2800.))])})
### BEGIN HIDDEN TESTS
lam = torch.logspace(-7, -2, 9, dtype=torch.float64)
heat = torch.tensor([[120.], [300.], [2900.], [9000.]], dtype=torch.float64)
x = H * C / (lam * K * heat)
wanted = 2 * H * C ** 2 / lam ** 5 / torch.expm1(x)
assert_shape(planck(lam, heat), (4, 9), "the shape for 4 temperatures (4, 1) and 9 wavelengths (9,)")
got = planck(lam, heat)
assert_close(got[2], wanted[2], "2900 K, 0.1 µm to 1 cm", rtol=1e-6)
assert_close(got[0], wanted[0], "120 K, 0.1 µm to 1 cm", rtol=1e-6)
assert_close(got, wanted, "four temperatures", rtol=1e-6)

@probe
def slope_in_T(lam, T):
    T = T.clone().requires_grad_()
    return torch.autograd.grad(planck(lam, T).sum(), T)[0]

warm, part_lam = heat[2:, 0], lam[3:4]
y = H * C / (part_lam * K * warm)
slope = 2 * H * C ** 2 / part_lam ** 5 / torch.expm1(y) * y / warm / -torch.expm1(-y)
assert_close(slope_in_T(part_lam, warm), slope, "the derivative by T at two temperatures", rtol=1e-6)
### END HIDDEN TESTS

# %% [markdown] task="3.4.3b" kind="code" minutes=20 difficulty=4
# ### The temperature of a star
#
# Write `fit_temperature(wavelength, radiance)`. From `wavelength` (n,) in metre and `radiance` (n,) in W sr⁻¹ m⁻³,
# both float64, it returns the temperature in kelvin, a number, of the Planck spectrum that fits them, by gradient
# descent with autograd or an optimizer of `torch.optim`. Temperatures lie between 200 and 10,000 K. The peak of the
# spectrum need not lie among the wavelengths. Without noise the result is to be within 0.1 %, with 1 % noise within
# 0.5 %.
#
# **You are done when** the check shows the temperature of the sun's surface, 5772 K, from a spectrum without noise.

# %% exercise="3.4.3b"
def fit_temperature(wavelength, radiance):
    """Temperature in kelvin of the black body with these radiances (n,) at these wavelengths (n,)."""
    ### BEGIN SOLUTION
    u = torch.zeros((), dtype=torch.float64, requires_grad=True)        # T = 1500 K · exp(u) is always positive
    optimizer = torch.optim.LBFGS([u], max_iter=100, line_search_fn="strong_wolfe", tolerance_change=1e-14)
    target = radiance.log()

    def closure():
        optimizer.zero_grad()
        x = H * C / (wavelength * K * 1500 * u.exp())
        log_radiance = math.log(2 * H * C ** 2) - 5 * wavelength.log() - x - torch.log(-torch.expm1(-x))
        loss = ((log_radiance - target) ** 2).mean()
        loss.backward()
        return loss

    optimizer.step(closure)
    return 1500 * math.exp(u.item())
    ### END SOLUTION

# %% [markdown] hints="3.4.3b"
# 1. Radiances are about 10¹³ and span many powers of ten, T is a few thousand. What do these do to a learning rate?
# 2. Compare logarithms of radiances, and learn T in units of 1000 K or, better, its logarithm. `torch.optim.LBFGS`
#    and `torch.optim.Adam` are both good enough.
# 3. Fitting a half-life t from counts 10⁶·2^(-s/t): compare `log(counts)`, set `t = exp(u)`, and learn `u` from 0.

# %% check="3.4.3b" points=3
sunlight = torch.tensor([3e-7, 5e-7, 8e-7, 1.2e-6, 2e-6, 3e-6], dtype=torch.float64)
shine = torch.tensor([1.20753e+13, 2.62385e+13, 1.68646e+13, 6.85517e+12, 1.50227e+12, 3.78379e+11],
                     dtype=torch.float64)
assert_close(fit_temperature(sunlight, shine), 5772., "the sun, six wavelengths from 0.3 to 3 µm", rtol=1e-3,
             mistakes={"This is in thousands of kelvin.": 5.772})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(53)
for T, low, high, noise in ((2450., 4e-7, 7e-7, 0.), (310., 3e-6, 3e-5, 0.), (9500., 3e-6, 1e-5, 0.),
                            (210., 8e-6, 1.4e-5, 0.), (4000., 4e-7, 2.5e-6, 0.01), (1200., 1e-6, 4e-6, 0.01)):
    lam = torch.linspace(low, high, 45, dtype=torch.float64)
    exact = 2 * H * C ** 2 / lam ** 5 / torch.expm1(H * C / (lam * K * T))
    measured = exact * (1 + noise * torch.randn(45, generator=rng, dtype=torch.float64))
    assert_close(fit_temperature(lam, measured), T, f"wavelengths {low} to {high} m, noise {noise:.0%}",
                 rtol=5e-3 if noise else 1e-3)
### END HIDDEN TESTS

# %% tags=["demo"]
microns = torch.linspace(0.2, 3, 200, dtype=torch.float64)
curves = [planck(microns * 1e-6, torch.tensor(T)) for T in (3000.0, 4000.0, 5772.0)]
if curves[0] is None:
    print("Answer 3.4.3a first: the plot shows your spectra.")
else:
    d2l.plot(microns, [curve / 1e12 for curve in curves], "wavelength in µm", "radiance in 10¹² W/(sr m³)",
             legend=["3000 K", "4000 K", "5772 K"], figsize=(4.5, 3))

# %% [markdown]
# ### Second derivatives
#
# ⚠ For a second derivative the *first* one must be a recorded computation: `create_graph=True`. The often named
# `retain_graph=True` only keeps the first graph for another use; the gradient it gives has no graph of its own.

# %%
point = torch.tensor(2.0, requires_grad=True)
for keyword in ("retain_graph", "create_graph"):
    slope, = torch.autograd.grad(point ** 3, point, **{keyword: True})
    try:
        second, = torch.autograd.grad(slope, point)
        print(f"{keyword}: first derivative {slope.item()}, second {second.item()}")
    except RuntimeError as error:
        print(f"{keyword}: first derivative {slope.item()}, then RuntimeError: {str(error)[:70]}")

# %% [markdown] task="3.4.4" kind="explain" minutes=20 difficulty=4
# ### The Hessian, and what it costs
#
# Write `hessian(f, w)`: for a function `f` that maps a tensor of shape `(d,)` to a tensor of one element (`f` uses
# every entry, and is not linear in all of them), it returns the matrix of second derivatives at `w`, shape `(d, d)`,
# in `w`'s dtype. Use `torch.autograd.grad`, and leave `w` as it is.
#
# Then answer in words:
# 1. Which problem do you meet with the second derivative of a loss, and how is it mended?
# 2. How many backward passes and how many numbers does the Hessian of d parameters take? Give d = 1,000,000 in
#    float32.
# 3. What is the Hessian of linear regression's loss, and what does it say about the minimum?
#
# **You are done when** the check shows the Hessian of x²y at (3, 5), and your words hold the numbers asked for.

# %% exercise="3.4.4"
def hessian(f, w):
    """The second derivatives of f at w (d,), shape (d, d)."""
    ### BEGIN SOLUTION
    v = w.detach().clone().requires_grad_()
    gradient, = torch.autograd.grad(f(v), v, create_graph=True)
    rows = [torch.autograd.grad(entry, v, retain_graph=True)[0] for entry in gradient]
    return torch.stack(rows)
    ### END SOLUTION

# %% [markdown] hints="3.4.4"
# 1. The gradient has d entries. What is the gradient of its first entry?
# 2. `torch.autograd.grad(g[i], v, retain_graph=True)` gives row i; the graph of `g` is used d times.
# 3. For f(x, y) = x³ + xy the gradient is (3x² + y, x) and the Hessian has the rows (6x, 1) and (1, 0).

# %% check="3.4.4" points=2
@probe
def hessian_of(name, w, X, y):
    functions = {"x²y": lambda v: v[0] ** 2 * v[1],
                 "loss": lambda v: ((X @ v - y) ** 2).mean() / 2,
                 "waves": lambda v: torch.sin(v[0] * v[1]) + torch.exp(v[2]) * v[0] + 3 * v[3] + v[1] ** 4}
    return hessian(functions[name], w)

none = torch.zeros(1)
assert_close(hessian_of("x²y", torch.tensor([3., 5.]), none, none), torch.tensor([[10., 6.], [6., 0.]]),
             "the Hessian of x²y at (3, 5)",
             mistakes={"This is the derivative of the summed gradient: each row was added up.":
                       torch.tensor([16., 6.])})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(54)
X, y, w = (torch.randn(*shape, generator=rng, dtype=torch.float64) for shape in ((9, 5), (9,), (5,)))
assert_close(hessian_of("loss", w, X, y), X.T @ X / 9, "the squared loss, 9 examples with 5 features")
w = torch.randn(4, generator=rng, dtype=torch.float64)
wanted = torch.autograd.functional.hessian(
    lambda v: torch.sin(v[0] * v[1]) + torch.exp(v[2]) * v[0] + 3 * v[3] + v[1] ** 4, w)
got = hessian_of("waves", w, none, none)
assert_dtype(got, torch.float64, "the dtype for float64")
assert_close(got, wanted, "a function of four variables, linear in one of them", rtol=1e-6)
### END HIDDEN TESTS

# %% [markdown] written="3.4.4" points=3
# ### BEGIN SOLUTION
# 1. After `backward()` or `grad` the gradient is a plain tensor without a graph ("element 0 of tensors does not
#    require grad"). `create_graph=True` records the backward computation, so that it can be differentiated;
#    `retain_graph=True` alone does not.
# 2. One backward pass for the gradient and one for each of its d entries, and d² numbers: for a million parameters
#    10¹² numbers, 4 TB in float32. That grows with the square of d, not exponentially. Products of the Hessian with a
#    vector take only one more backward pass.
# 3. XᵀX/n, the same at every w. It has no negative eigenvalue, so the loss is convex; where X has full column rank
#    there is exactly one minimum.
#
# **Rubric**
# - [1] The gradient has no graph unless create_graph=True; evidence: the error, or the cell above; also accepted:
#   torch.func; lost by: "retain_graph=True suffices"
# - [1] d (or d + 1) backward passes, d² numbers, 4 TB for a million; lost by: "exponential"
# - [1] XᵀX/n, constant, positive semidefinite, hence convex; also accepted: with the factor 2 of a loss without 1/2
# ### END SOLUTION

# %% [markdown]
# ### Shapes in the loss
#
# ⚠ Predictions have shape (n, 1). Where the targets have shape (n,), the difference *broadcasts* to (n, n), and
# nothing complains. D2L's PyTorch loss has no `reshape` that would mend it; the exercise's text comes from another
# version.

# %%
column, flat = torch.tensor([[1.0], [2.0], [3.0]]), torch.tensor([1.0, 2.0, 3.0])
print("right predictions, loss with equal shapes:", ((column - column) ** 2 / 2).mean().item())
print("right predictions, loss with (3, 1), (3,): ", ((column - flat) ** 2 / 2).mean().item())
print(column - flat)
try:
    d2l.LinearRegressionScratch(1, lr=0.1).loss(column, flat)
except ValueError as error:
    print("d2l_utils refuses:", error)

# %% tags=["demo"]
import importlib.util
from pathlib import Path

library = importlib.util.find_spec("d2l")       # D2L's own library, read as text
source = Path(library.origin).with_name("torch.py").read_text() if library else ""
if library:
    its_loss = source.partition("class LinearRegressionScratch(")[2].partition("def loss(")[2].partition("def ")[0]
    print("the word reshape in the loss of d2l 1.0.3:", its_loss.count("reshape"), "times")
else:
    print("The library d2l is not installed here; in version 1.0.3 the loss has no reshape.")

# %% [markdown] task="3.4.5a" kind="code" minutes=8 difficulty=2 core=true
# ### A loss that does not broadcast
#
# Write `squared_loss(y_hat, y)`: the mean of (ŷ - y)²/2, a tensor of one element with its graph. Each argument has
# shape `(n,)` or `(n, 1)`, in any combination. Where the numbers of elements differ, it raises `ValueError` with a
# message that holds both shapes.
#
# **You are done when** the check shows 0 for right predictions of shape (3, 1) against targets of shape (3,).

# %% exercise="3.4.5a"
def squared_loss(y_hat, y):
    """Mean of (y_hat - y)^2 / 2 for shapes (n,) or (n, 1). Errors: ValueError for unequal numbers of elements."""
    ### BEGIN SOLUTION
    if y_hat.numel() != y.numel():
        raise ValueError(f"predictions of shape {tuple(y_hat.shape)} do not fit targets of shape {tuple(y.shape)}")
    return ((y_hat - y.reshape(y_hat.shape)) ** 2 / 2).mean()
    ### END SOLUTION

# %% [markdown] hints="3.4.5a"
# 1. What is `torch.zeros(3, 1) - torch.zeros(1)`? Does it raise?
# 2. `y.reshape(y_hat.shape)` gives the targets the predictions' shape; compare `numel()` first.
# 3. For a dot product of such vectors: `(u.reshape(-1) * v.reshape(-1)).sum()`.

# %% check="3.4.5a" points=2
assert_close(squared_loss(torch.tensor([[1.], [2.], [3.]]), torch.tensor([1., 2., 3.])), torch.tensor(0.),
             "right predictions (3, 1) against targets (3,)",
             mistakes={"The difference was broadcast to (3, 3).": torch.tensor(2 / 3)})
assert_close(squared_loss(torch.tensor([4., 1., 1., 1.]), torch.ones(4, 1)), torch.tensor(1.125),
             "predictions 4, 1, 1, 1 of shape (4,) against ones of shape (4, 1)",
             mistakes={"The factor 1/2 is missing.": torch.tensor(2.25),
                       "This is the sum, not the mean.": torch.tensor(4.5)})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(55)
p, t = torch.randn(7, generator=rng), torch.randn(7, generator=rng)
for left in ((7,), (7, 1)):
    for right in ((7,), (7, 1)):
        assert_close(squared_loss(p.reshape(left), t.reshape(right)), (p - t).square().mean() / 2,
                     f"predictions {left} against targets {right}",
                     mistakes={"The difference was broadcast to (7, 7).": (p[:, None] - t).square().mean() / 2,
                               "This is the sum, not the mean.": (p - t).square().sum() / 2})

@probe
def gradient_of_loss(p, t):
    p = p.clone().requires_grad_()
    return torch.autograd.grad(squared_loss(p, t), p)[0]

assert_close(gradient_of_loss(p[:, None], t), (p - t)[:, None] / 7, "the gradient by predictions (7, 1)")
for left, right in (((4, 1), (1,)), ((1,), (5, 1)), ((6,), (3,))):
    assert_raises(ValueError, squared_loss, torch.ones(left), torch.ones(right), match=str(left),
                  what=f"predictions {left} against targets {right}")
    assert_raises(ValueError, squared_loss, torch.ones(left), torch.ones(right), match=str(right),
                  what=f"predictions {left} against targets {right}")
### END HIDDEN TESTS

# %% [markdown] task="3.4.5b" kind="explain" minutes=15 difficulty=4
# ### What the broadcast loss learns
#
# A model trained with the broadcast loss does converge, to something else: the mean of (ŷᵢ - yⱼ)²/2 over *all pairs*
# i, j. Write `broadcast_optimum(X, y)`: for `X` (n, d), whose columns and the constant 1 are linearly independent,
# and `y` (n,), it returns `(w, b)`, of shapes `(d, 1)` and `(1,)`, that minimise *this* loss with ŷ = Xw + b.
#
# Then answer in words:
# 1. Which shapes lead to the mistake, and why does no error appear?
# 2. What does the trained model predict, and why? (Look at the best ŷᵢ for one i.)
# 3. How would you notice the mistake in a training run, and how do you prevent it?
#
# **You are done when** the check finds no neighbour of your minimum with a smaller loss, and your words answer all
# three.

# %% exercise="3.4.5b"
def broadcast_optimum(X, y):
    """The minimum (w, b), shapes (d, 1) and (1,), of the mean of (y_hat_i - y_j)^2 / 2 over all pairs."""
    ### BEGIN SOLUTION
    return torch.zeros(X.shape[1], 1, dtype=X.dtype), y.mean().reshape(1)
    ### END SOLUTION

# %% [markdown] hints="3.4.5b"
# 1. For one fixed i, which number ŷᵢ is closest, in the mean square, to *all* of y₁ ... yₙ?
# 2. That number is the same for every i. Which w and b give the same prediction for every row?
# 3. With three targets 1, 2, 6 and one prediction p, the mean of (p - yⱼ)² is smallest at p = 3.

# %% check="3.4.5b" points=2
X_small, y_small = torch.tensor([[0.], [1.], [2.]]), torch.tensor([1., 2., 6.])
assert_type(broadcast_optimum(X_small, y_small), (tuple, list), "what broadcast_optimum returns")
w_found, b_found = broadcast_optimum(X_small, y_small)
assert_shape(w_found, (1, 1), "the shape of w for one feature")
assert_shape(b_found, (1,), "the shape of b")
lower = "A neighbour has a smaller loss, so this is no minimum. One prediction faces all three targets."
lowest = (X_small @ w_found + b_found - y_small).square().mean() / 2
for step in (-0.1, 0.1):
    assert_true((X_small @ (w_found + step) + b_found - y_small).square().mean() / 2 > lowest,
                f"the loss of 3 examples is larger at w {step:+}", hint=lower)
    assert_true((X_small @ w_found + b_found + step - y_small).square().mean() / 2 > lowest,
                f"the loss of 3 examples is larger at b {step:+}", hint=lower)
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(56)
X = torch.randn(12, 3, generator=rng, dtype=torch.float64) + 1
y = (X @ torch.tensor([2., -1., 3.], dtype=torch.float64) + 5).exp().log1p()
pairs = torch.cat([X.repeat_interleave(12, 0), torch.ones(144, 1, dtype=torch.float64)], 1)
best = torch.linalg.lstsq(pairs, y.repeat(12)[:, None]).solution
w_found, b_found = broadcast_optimum(X, y)
assert_close(w_found, best[:3], "the weights for 12 examples with 3 features", atol=1e-8)
assert_close(b_found, best[3], "the bias for 12 examples with 3 features")
### END HIDDEN TESTS

# %% [markdown] written="3.4.5b" points=3
# ### BEGIN SOLUTION
# 1. ŷ of shape (n, 1) and y of shape (n,): broadcasting makes (n, n), a legal shape, and the mean of it is one number
#    with a graph, as expected.
# 2. Each ŷᵢ is compared with all targets; the best single number for all of them is their mean. So w = 0 and b is the
#    mean of y: the model ignores its input.
# 3. The loss stops at half the variance of y (not at the noise), all predictions are alike. Compare shapes in the
#    loss (d2l_utils raises ValueError), or reshape the targets.
#
# **Rubric**
# - [1] (n, 1) against (n,) gives (n, n) by broadcasting, which is no error; evidence: shapes or the cell above
# - [1] The model predicts the mean of y for all inputs (w = 0), since each prediction faces all targets; lost by: "it
#   learns the same, only slower"
# - [1] A symptom (loss near half the variance of y, equal predictions) and a guard (comparison of shapes, reshape);
#   lost by: a guard alone without a symptom
# ### END SOLUTION

# %% tags=["demo"]
torch.manual_seed(0)
w_bad, b_bad, curve = torch.randn(2, 1, requires_grad=True), torch.zeros(1, requires_grad=True), []
for _ in range(200):
    bad_loss = ((features @ w_bad + b_bad - targets.flatten()) ** 2 / 2).mean()     # (500, 1) - (500,)
    bad_loss.backward()
    sgd_step([w_bad, b_bad], lr=0.1)
    curve.append(bad_loss.item())
print(f"weights {w_bad[0].item():.2e}, {w_bad[1].item():.2e}, bias {b_bad.item():.3f}, mean of the targets {targets.mean():.3f}")
print(f"the loss ends at {curve[-1]:.3f}; half the variance of the targets is {targets.var().item() / 2:.3f}")
d2l.plot(curve, xlabel="step", ylabel="broadcast loss")

# %% [markdown]
# ### Learning rate and epochs

# %% [markdown] task="3.4.6" kind="experiment" minutes=25 difficulty=3
# ### A study of the learning rate
#
# Write `run(config)`. `config` is a dictionary with the keys `"lrs"` (a list of learning rates), `"max_epochs"`,
# `"seed"` and `"noise"`. For *each* learning rate it sets `torch.manual_seed(seed)`, makes
# `d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=noise, num_train=512, num_val=256)` and a new
# `d2l.LinearRegressionScratch(2, lr)`, and trains with `d2l.Trainer(max_epochs, verbose=False)`. It returns a pandas
# DataFrame with the columns `lr`, `epoch` (from 1) and `val_loss`, one row for each learning rate and epoch, in this
# order. Where training diverges the Trainer raises `FloatingPointError`; the rows of the epochs that are missing
# then, or whose loss is not finite, hold `inf`.
#
# Run it for the learning rates 0.001, 0.01, 0.03, 0.1, 0.3, 1, 3 with noise 0.5 and seed 0 for 10 epochs, plot
# `val_loss` over the epochs on a logarithmic axis, and answer in words, with numbers from your table:
# 1. Which of them are too small, which good, which too large?
# 2. What do more epochs change for 0.01, and what for 0.1?
# 3. Which value can no learning rate and no number of epochs get below, and why?
#
# **You are done when** the check shows the right rows for two learning rates and two epochs, and your words hold the
# numbers.

# %% exercise="3.4.6"
def run(config):
    """A table with the columns lr, epoch, val_loss: the validation loss after each epoch, for each learning rate."""
    ### BEGIN SOLUTION
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512,
                                           num_val=256)
        model = d2l.LinearRegressionScratch(2, lr)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(model, data)
        except FloatingPointError:
            pass
        losses = trainer.history["val_loss"]
        for epoch in range(config["max_epochs"]):
            loss = losses[epoch] if epoch < len(losses) and math.isfinite(losses[epoch]) else math.inf
            rows.append({"lr": lr, "epoch": epoch + 1, "val_loss": loss})
    return pd.DataFrame(rows)
    ### END SOLUTION

# %% [markdown] hints="3.4.6"
# 1. What carries over from one learning rate to the next if the model is made before the loop?
# 2. After `fit`, also after a failed one, `trainer.history["val_loss"]` is the list of the epochs that were finished.
# 3. A table from a double loop: `pd.DataFrame([{"n": n, "k": k, "value": n * k} for n in (1, 2) for k in (3, 4)])`.

# %% check="3.4.6" points=3
tiny = run({"lrs": [0.01, 0.1], "max_epochs": 2, "seed": 1, "noise": 0.5})
assert_type(tiny, pd.DataFrame, "what run returns")
assert_equal(list(tiny.columns), ["lr", "epoch", "val_loss"], "the columns")
assert_equal(tiny["lr"].tolist(), [0.01, 0.01, 0.1, 0.1], "the column lr for two learning rates and two epochs")
assert_equal(tiny["epoch"].tolist(), [1, 2, 1, 2], "the column epoch")
### BEGIN HIDDEN TESTS
config = {"lrs": [0.003, 1000.0, 0.1, 3.0], "max_epochs": 3, "seed": 7, "noise": 0.3}
table = run(config)
assert_equal(table["lr"].tolist(), [lr for lr in config["lrs"] for _ in range(3)], "the column lr for four of them")
assert_equal(table["epoch"].tolist(), [1, 2, 3] * 4, "the column epoch for three epochs")
slow, exploded, good, wild = (table["val_loss"].tolist()[i:i + 3] for i in (0, 3, 6, 9))
assert_true(slow[0] > slow[1] > slow[2], "with lr 0.003 each epoch lowers the loss")
assert_true(good[2] < slow[2] / 10, "after three epochs lr 0.1 is far ahead of lr 0.003")
assert_true(0.5 < good[2] / (0.3 ** 2 / 2) < 2, "with lr 0.1 the loss ends near the noise")
assert_true(wild[2] > 100 * wild[0] or math.isinf(wild[2]), "with lr 3 the loss grows")
assert_true(math.isinf(exploded[2]), "with lr 1000 the last loss is inf")
alone = run({**config, "lrs": [0.1]})
assert_close(alone["val_loss"].tolist(), good, "lr 0.1 alone gives the same as after others", rtol=1e-4,
             hint="Each learning rate needs a new model and the seed set again.")
other = run({**config, "lrs": [0.1], "seed": 8})
assert_true(other["val_loss"].tolist() != alone["val_loss"].tolist(), "another seed gives other losses")
quiet = run({**config, "lrs": [0.1], "noise": 0.0, "max_epochs": 8})
assert_equal(len(quiet), 8, "the number of rows for eight epochs")
assert_true(quiet["val_loss"].tolist()[-1] < 1e-6, "without noise the loss goes to 0")
### END HIDDEN TESTS

# %% [markdown] written="3.4.6" points=3
# ### BEGIN SOLUTION
# After ten epochs 0.001 stands at 10.5 and 0.01 at 0.70: too small. 0.03, 0.1 and 0.3 end between 0.106 and 0.109:
# good. With 1 the loss is unsteady, 0.109 to 0.141, and 3 diverges to inf. More epochs help 0.01 (2.21 after six,
# 0.70 after ten); 0.1 has arrived after three (0.107) and then only fluctuates. The noise sets the floor: half its
# variance is 0.5²/2 = 0.125. These 256 validation examples happen to have less of it, about 0.106.
#
# **Rubric**
# - [1] Too small, good and too large named with losses from the table; also accepted: other bounds that the student's
#   table supports
# - [1] More epochs help a small rate, and hardly change 0.1, which has arrived; lost by: "more epochs always lower
#   the error"
# - [1] The floor is half the noise variance, 0.125 (here 0.106 by chance); lost by: "the loss goes to 0"
# ### END SOLUTION

# %% [markdown]
# ### Batches
#
# ⚠ D2L's exercise asks about a function `data_iter` that its present text no longer has:
# `DataModule.get_tensorloader` has taken its place. You write it here.

# %% tags=["demo"]
if library:
    for function in ("data_iter", "get_tensorloader"):
        print(f"d2l 1.0.3 defines {function}:", f"def {function}(" in source)
else:
    print("The library d2l is not installed here; in version 1.0.3 it defines get_tensorloader, but no data_iter.")

# %% [markdown] task="3.4.7a" kind="code" minutes=10 difficulty=2 core=true
# ### The last, smaller batch
#
# Write the generator `data_iter(batch_size, X, y)`. It yields pairs `(X_batch, y_batch)` that hold each example once,
# in random order, a new one in each call; rows of `X` and `y` stay together. All batches have `batch_size` rows but
# for the last, which holds what is left. `X` and `y` have the same length and any further axes.
#
# **You are done when** the check shows batches of 4, 4 and 2 for ten examples.

# %% exercise="3.4.7a"
def data_iter(batch_size, X, y):
    """Yields (X_batch, y_batch) in random order; the last batch may be smaller."""
    ### BEGIN SOLUTION
    order = torch.randperm(len(X))
    for start in range(0, len(X), batch_size):
        rows = order[start:start + batch_size]
        yield X[rows], y[rows]
    ### END SOLUTION

# %% [markdown] hints="3.4.7a"
# 1. What does `torch.arange(5)[3:7]` give? Does a slice past the end raise?
# 2. `torch.randperm(n)` is a random order; the same indices select from `X` and from `y`. `yield` gives one batch.
# 3. Triples of a list: `for i in range(0, len(row), 3): yield row[i:i + 3]`.

# %% check="3.4.7a" points=1
@probe
def all_batches(batch_size, X, y):
    return [list(pair) for pair in data_iter(batch_size, X, y)]

ten = torch.arange(10.)
assert_equal([len(pair[0]) for pair in all_batches(4, ten[:, None], ten)], [4, 4, 2], "the batch sizes for 10 examples")
assert_close(torch.cat([pair[1] for pair in all_batches(4, ten[:, None], ten)]).sort().values, ten, "each example once")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(57)
X, ids = torch.randn(31, 2, 3, generator=rng), torch.arange(31)
for size, sizes in ((7, [7] * 4 + [3]), (5, [5] * 6 + [1]), (31, [31]), (40, [31]), (1, [1] * 31)):
    pairs = all_batches(size, X, ids)
    assert_equal([len(pair[0]) for pair in pairs], sizes, f"the batch sizes, 31 examples in batches of {size}")
    order = torch.cat([pair[1] for pair in pairs])
    assert_close(order.sort().values, ids, f"each of 31 examples once, batches of {size}")
    assert_close(torch.cat([pair[0] for pair in pairs]), X[order], "rows of X and y stay together")
    assert_true(order.tolist() != ids.tolist(), "the order is random")
orders = [torch.cat([pair[1] for pair in all_batches(7, X, ids)]).tolist() for _ in range(2)]
assert_true(orders[0] != orders[1], "each call has an order of its own")
### END HIDDEN TESTS

# %% [markdown] task="3.4.7b" kind="code" minutes=6 difficulty=2
# ### The mean loss of an epoch
#
# A program notes the *mean* loss of each batch. Write `epoch_loss(batch_losses, n, batch_size)`: from these means, a
# tensor with one entry for each batch, it returns the mean over the `n` examples, a number. The batches have
# `batch_size` examples, and the last one what is left.
#
# **You are done when** the check shows 1.2 for ten examples in batches of 4 with mean losses 1, 1 and 2.

# %% exercise="3.4.7b"
def epoch_loss(batch_losses, n, batch_size):
    """The mean loss over n examples from the mean losses of their batches."""
    ### BEGIN SOLUTION
    sizes = torch.full_like(batch_losses, batch_size)
    sizes[-1] = n - batch_size * (len(batch_losses) - 1)
    return ((batch_losses * sizes).sum() / n).item()
    ### END SOLUTION

# %% [markdown] hints="3.4.7b"
# 1. How many examples stand behind the last mean?
# 2. A mean over all examples weights each batch by its size. `n % batch_size` is 0 where the last batch is full.
# 3. Two classes of 20 and 5 pupils with mean ages 10 and 15: (20·10 + 5·15)/25 = 11.

# %% check="3.4.7b" points=1
assert_close(epoch_loss(torch.tensor([1., 1., 2.]), 10, 4), 1.2, "10 examples in batches of 4, losses 1, 1, 2",
             mistakes={"Each batch counted alike; the last one is smaller.": 4 / 3,
                       "The last batch counted as a full one.": 1.6})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(58)
for n, size in ((31, 7), (30, 6), (5, 8), (9, 4)):
    each = torch.rand(n, generator=rng, dtype=torch.float64) * 3
    means = torch.stack([part_of.mean() for part_of in each.split(size)])
    assert_close(epoch_loss(means, n, size), each.mean().item(), f"{n} examples in batches of {size}", rtol=1e-6)
### END HIDDEN TESTS

# %% [markdown]
# ### Losses and outliers

# %% [markdown] task="3.4.8a" kind="code" minutes=5 difficulty=2
# ### The absolute loss
#
# Write `absolute_loss(y_hat, y)`: the mean of |ŷ - y|, a tensor of one element with its graph. Each argument has
# shape `(n,)` or `(n, 1)`.
#
# **You are done when** the check shows 1.5 for predictions (1, 2) of shape (2, 1) against targets (3, 1) of shape
# (2,).

# %% exercise="3.4.8a"
def absolute_loss(y_hat, y):
    """Mean of |y_hat - y| for shapes (n,) or (n, 1)."""
    ### BEGIN SOLUTION
    return (y_hat - y.reshape(y_hat.shape)).abs().mean()
    ### END SOLUTION

# %% [markdown] hints="3.4.8a"
# 1. Which shapes do the two arguments have? See exercise 3.4.5a.
# 2. `.abs()` is differentiable but at 0; its gradient is the sign.
# 3. The largest error in place of the mean: `(u.reshape(-1) - v.reshape(-1)).abs().max()`.

# %% check="3.4.8a" points=1
assert_close(absolute_loss(torch.tensor([[1.], [2.]]), torch.tensor([3., 1.])), torch.tensor(1.5),
             "|1 - 3| and |2 - 1|",
             mistakes={"This is the sum, not the mean.": torch.tensor(3.)},
             hint="Was the difference broadcast to (2, 2)?")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(59)
p, t = torch.randn(9, generator=rng), torch.randn(9, generator=rng)
for left, right in (((9,), (9, 1)), ((9, 1), (9,)), ((9, 1), (9, 1)), ((9,), (9,))):
    assert_close(absolute_loss(p.reshape(left), t.reshape(right)), (p - t).abs().mean(),
                 f"predictions {left} against targets {right}", hint="Was the difference broadcast?")

@probe
def gradient_of_absolute(p, t):
    p = p.clone().requires_grad_()
    return torch.autograd.grad(absolute_loss(p, t), p)[0]

assert_close(gradient_of_absolute(p[:, None], t), (p - t).sign()[:, None] / 9, "the gradient by predictions (9, 1)")
### END HIDDEN TESTS

# %% [markdown] task="3.4.8b" kind="code" minutes=10 difficulty=3
# ### The best of both
#
# The squared loss is smooth near 0, the absolute loss is patient with outliers. *Huber's loss* of a residual r is
# r²/2 where |r| ≤ δ, and δ(|r| - δ/2) beyond: value and slope fit together at ±δ.
#
# Write `huber_loss(y_hat, y, delta)`: its mean over the examples. Each of the first two arguments has shape `(n,)` or
# `(n, 1)`; `delta` is a positive number.
#
# **You are done when** the check shows the losses of a small and of a large residual.

# %% exercise="3.4.8b"
def huber_loss(y_hat, y, delta):
    """Mean of r^2 / 2 where |r| <= delta, else delta (|r| - delta / 2), for shapes (n,) or (n, 1)."""
    ### BEGIN SOLUTION
    size = (y_hat - y.reshape(y_hat.shape)).abs()
    return torch.where(size <= delta, size ** 2 / 2, delta * (size - delta / 2)).mean()
    ### END SOLUTION

# %% [markdown] hints="3.4.8b"
# 1. At |r| = δ, what are the two formulas' values? And their slopes?
# 2. `torch.where(mask, a, b)` takes from `a` where the mask is True, else from `b`.
# 3. The hinge "0 below 1, r - 1 above" is `torch.where(r < 1, torch.zeros_like(r), r - 1)`.

# %% check="3.4.8b" points=2
assert_close(huber_loss(torch.tensor([[1.]]), torch.tensor([0.]), 2), torch.tensor(0.5), "residual 1, δ = 2: 1²/2",
             mistakes={"This is r²/(2δ), as torch's smooth_l1_loss has it.": torch.tensor(0.25)})
assert_close(huber_loss(torch.tensor([[-5.]]), torch.tensor([0.]), 2), torch.tensor(8.),
             "residual -5, δ = 2: 2·(5 - 1)",
             mistakes={"Subtract δ/2, so that the two branches meet at δ.": torch.tensor(10.),
                       "This is r²/2: |r|, not r, decides between the branches.": torch.tensor(12.5),
                       "The slope beyond δ is δ, not 1.": torch.tensor(4.)})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(60)
p, t = 3 * torch.randn(11, generator=rng), torch.randn(11, generator=rng)
for delta in (0.3, 1.0, 2.5):
    wanted = torch.nn.functional.huber_loss(p, t, delta=delta)
    for left, right in (((11,), (11,)), ((11, 1), (11,)), ((11,), (11, 1)), ((11, 1), (11, 1))):
        assert_close(huber_loss(p.reshape(left), t.reshape(right), delta), wanted,
                     f"predictions {left} against targets {right}, δ = {delta}")

@probe
def gradient_of_huber(p, t, delta):
    p = p.clone().requires_grad_()
    return torch.autograd.grad(huber_loss(p, t, delta), p)[0]

assert_close(gradient_of_huber(p, t, 1.5), (p - t).clamp(-1.5, 1.5) / 11, "the gradient: the residual, clipped at ±δ")
### END HIDDEN TESTS

# %% [markdown] task="3.4.8c" kind="code" minutes=20 difficulty=4
# ### One wrong target
#
# Somebody typed 10,000 for the fifth target. Write `fit_line(x, y, loss)`: for `x` and `y` of shape `(n,)`, float64,
# and `loss` one of `"squared"`, `"absolute"`, `"huber"` (δ = 1), it returns the pair `(slope, intercept)` of numbers
# that minimises the mean loss, within 0.05. Use gradient descent or any other method that you program.
#
# **You are done when** the check shows slope 2 and intercept 1 for an exact line with each loss; then corrupt a
# target and compare.

# %% exercise="3.4.8c"
def fit_line(x, y, loss):
    """(slope, intercept) that minimise the mean loss: "squared", "absolute" or "huber" with delta 1."""
    ### BEGIN SOLUTION
    A = torch.stack([x, torch.ones_like(x)], dim=1)
    weight = torch.ones_like(x)
    for _ in range(1 if loss == "squared" else 200):        # iteratively reweighted least squares
        root = weight.sqrt()[:, None]
        params = torch.linalg.lstsq(A * root, y[:, None] * root).solution
        size = (A @ params).flatten().sub(y).abs().clamp(min=1e-9)
        weight = 1 / size if loss == "absolute" else (1 / size).clamp(max=1)
    return params[0].item(), params[1].item()
    ### END SOLUTION

# %% [markdown] hints="3.4.8c"
# 1. The gradient of the absolute loss has the same size near the minimum as far away. What must happen to the
#    learning rate?
# 2. Let the learning rate fall in the course of the steps; for the squared loss `torch.linalg.lstsq` gives the
#    minimum at once. `torch.optim.Adam` with a falling rate manages all three.
# 3. The median of a list by descent: `for t in range(1, 2000): m -= 1 / t * sum(sign(m - v) for v in values)`.

# %% check="3.4.8c" points=3
ruler = torch.linspace(-2, 2, 21, dtype=torch.float64)
for name in ("squared", "absolute", "huber"):
    assert_close(fit_line(ruler, 2 * ruler + 1, name), (2., 1.),
                 f"slope and intercept of y = 2x + 1, {name} loss", atol=0.05)
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(61)
x = torch.randn(51, generator=rng, dtype=torch.float64)
y = -1.5 * x + 0.7 + 0.1 * torch.randn(51, generator=rng, dtype=torch.float64)
y[4] = 10000.
A = torch.stack([x, torch.ones_like(x)], 1)
slope, intercept = torch.linalg.lstsq(A, y[:, None]).solution.flatten().tolist()
assert_close(fit_line(x, y, "squared"), (slope, intercept), "squared loss, y₅ = 10000", rtol=1e-3, atol=0.05,
             mistakes={"An outlier moves the minimum of the squared loss; do not remove it.": (-1.5, 0.7)})
params = torch.zeros(2, dtype=torch.float64, requires_grad=True)
solver = torch.optim.LBFGS([params], max_iter=500, line_search_fn="strong_wolfe")

def objective():
    solver.zero_grad()
    value = torch.nn.functional.huber_loss(A @ params, y)
    value.backward()
    return value

solver.step(objective)
assert_close(fit_line(x, y, "huber"), tuple(params.detach().tolist()), "Huber's loss, y₅ = 10000", atol=0.05,
             mistakes={"This is the minimum of the squared loss.": (slope, intercept)})
assert_close(fit_line(x, y, "absolute"), (-1.5, 0.7), "absolute loss, y₅ = 10000", atol=0.09,
             mistakes={"This is the minimum of the squared loss.": (slope, intercept)})
### END HIDDEN TESTS

# %% tags=["demo"]
residual = torch.linspace(-4, 4, 161)
huber = torch.nn.functional.huber_loss(residual, torch.zeros_like(residual), reduction="none")
d2l.plot(residual, [residual ** 2 / 2, residual.abs(), huber],
         "residual", "loss", legend=["squared", "absolute", "Huber, δ = 1"], ylim=[0, 4], figsize=(4.5, 3))

# %% [markdown]
# ### The order of the data
#
# `sgd_in_order` goes `epochs` times through the data in one fixed order, with batches of ten, and returns the loss on
# all examples at the end.

# %% tags=["setup"]
def sgd_in_order(X, y, order, lr=0.3, epochs=3):
    """Minibatch SGD from zero in the given order; X (n, d), y (n, 1). Returns the final mean of (Xw + b - y)²/2."""
    w, b = torch.zeros(X.shape[1], 1), torch.zeros(1)
    for _ in range(epochs):
        for rows in torch.as_tensor(order).long().split(10):
            error = X[rows] @ w + b - y[rows]
            w, b = w - lr * X[rows].T @ error / len(rows), b - lr * error.mean()
    return ((X @ w + b - y) ** 2 / 2).mean().item()

# %% [markdown] task="3.4.9a" kind="break it" minutes=15 difficulty=3
# ### An order that does harm
#
# Write `bad_order(X, y)`: for `X` (n, d) and `y` (n, 1) it returns a permutation of 0 ... n - 1, as a tensor or list,
# for which `sgd_in_order(X, y, order)` ends with *at least twice* the loss that a random order gives, as a rule. The
# examples come from a line with noise.
#
# **You are done when** the check shows a ratio of two or more on one data set.

# %% exercise="3.4.9a"
def bad_order(X, y):
    """A permutation of the n examples that makes SGD without reshuffling end badly."""
    ### BEGIN SOLUTION
    return y.flatten().argsort()
    ### END SOLUTION

# %% [markdown] hints="3.4.9a"
# 1. Which examples have most influence on the parameters at the end of a pass?
# 2. If the last hundred examples all lie above the line, where does the bias end? `argsort` gives an order by any
#    number.
# 3. A running mean with weight 0.1 for the newest value, over 1, 1, 1, 9, 9, 9, ends far above the mean of the six.

# %% check="3.4.9a" points=2
def noisy_line(seed, n, d):
    rng = torch.Generator().manual_seed(seed)
    X = torch.randn(n, d, generator=rng)
    return X, X @ torch.randn(d, 1, generator=rng) + 2 + torch.randn(n, 1, generator=rng), rng

X, y, rng = noisy_line(1, 300, 1)
typical = sorted(sgd_in_order(X, y, torch.randperm(300, generator=rng)) for _ in range(7))[3]
assert_type(bad_order(X, y), (torch.Tensor, np.ndarray, list, tuple), "what bad_order returns")
assert_equal(sorted(torch.as_tensor(bad_order(X, y)).tolist()), list(range(300)), "the sorted entries of your order")
ratio = sgd_in_order(X, y, bad_order(X, y)) / typical
assert_true(ratio > 2, f"your order doubles the loss of a random one, 300 examples; it makes it {ratio:.2f} times as large")
### BEGIN HIDDEN TESTS
for seed, n, d in ((71, 240, 2), (72, 333, 1), (73, 400, 3)):
    X, y, rng = noisy_line(seed, n, d)
    typical = sorted(sgd_in_order(X, y, torch.randperm(n, generator=rng)) for _ in range(7))[3]
    order = torch.as_tensor(bad_order(X, y))
    assert_equal(sorted(order.tolist()), list(range(n)), f"the sorted entries of your order, {n} examples")
    assert_true(sgd_in_order(X, y, order) > 2 * typical, f"your order doubles the loss of a random one, {n} examples")
### END HIDDEN TESTS

# %% [markdown] task="3.4.9b" kind="explain" minutes=15 difficulty=4
# ### Why the order matters
#
# The simplest case: the model is one number m, the loss of an example is (m - yᵢ)²/2, and SGD goes once through y₁
# ... yₙ, one example at a time, from m = 0. Then m ends as a weighted sum of the yᵢ. Write `order_weights(n, lr)`:
# these n weights, a tensor of shape `(n,)`.
#
# Then answer in words:
# 1. Which examples decide the end of a pass, and how many are that about, for learning rate lr?
# 2. Why does one shuffle before training not suffice; what does a new order in each epoch give?
# 3. Describe data in a file on which training without shuffling fails, and say what happens.
#
# **You are done when** the check shows the weights for two examples, and your words use the formula.

# %% exercise="3.4.9b"
def order_weights(n, lr):
    """The weights (n,) of y_1 ... y_n in m after one pass of SGD with learning rate lr from m = 0."""
    ### BEGIN SOLUTION
    return lr * (1 - lr) ** torch.arange(n - 1, -1, -1, dtype=torch.float64)
    ### END SOLUTION

# %% [markdown] hints="3.4.9b"
# 1. Write one step as m ← (1 - lr)·m + lr·y. What happens to an old example's weight in each later step?
# 2. The last example has the weight lr, the one before it lr·(1 - lr).
# 3. For the rule m ← m/2 + y, three examples end with the weights 1/4, 1/2, 1.

# %% check="3.4.9b" points=1
assert_shape(order_weights(2, 0.5), (2,), "the shape for two examples")
assert_close(order_weights(2, 0.5), torch.tensor([0.25, 0.5]), "two examples, lr 0.5",
             mistakes={"The later example weighs more: each step shrinks the weights of those before it.":
                       torch.tensor([0.5, 0.25]),
                       "The factor lr is missing.": torch.tensor([0.5, 1.])})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(62)
for n, lr in ((1, 0.3), (6, 0.1), (40, 0.25)):
    y = torch.randn(3, n, generator=rng, dtype=torch.float64)
    m = torch.zeros(3, dtype=torch.float64)
    for i in range(n):
        m = m - lr * (m - y[:, i])
    weights = order_weights(n, lr)
    assert_shape(weights, (n,), f"the shape for {n} examples")
    assert_close(y @ weights.double(), m, f"the end of a pass over {n} random examples, lr {lr}", rtol=1e-4, atol=1e-5)
### END HIDDEN TESTS

# %% [markdown] written="3.4.9b" points=3
# ### BEGIN SOLUTION
# 1. Example i has the weight lr(1 - lr)ⁿ⁻ⁱ: the last 1/lr or so decide (they hold 63 % of the weight for small lr),
#    the first are forgotten.
# 2. With one fixed order the same examples stand last in every epoch, so each pass ends with the same bias. New
#    orders give every example each place equally often, and the steps are unbiased estimates of the gradient.
# 3. A file sorted by target, date or class: the last batches are all of one kind, and the parameters follow them. In
#    3.4.9a sorting by y more than doubles the loss.
#
# **Rubric**
# - [1] The last examples, about 1/lr of them; evidence: the formula; also accepted: "the last few batches" with a
#   number
# - [1] A fixed order repeats the same bias in each epoch, new orders average it out; lost by: "shuffling prevents
#   overfitting" alone
# - [1] A concrete sorted file and the effect (parameters follow the last group); evidence: a loss from 3.4.9a
# ### END SOLUTION

# %% tags=["demo"]
X_order, noise_order = torch.randn(300, 1, generator=generator), torch.randn(300, 1, generator=generator)
y_order = 2 * X_order + 2 + noise_order
print(f"random orders: {[round(sgd_in_order(X_order, y_order, torch.randperm(300)), 3) for _ in range(3)]}")
harmful = bad_order(X_order, y_order)
print("Answer 3.4.9a first." if harmful is None else f"your order:    {sgd_in_order(X_order, y_order, harmful):.3f}")
