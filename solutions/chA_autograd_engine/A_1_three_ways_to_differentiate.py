# %% [markdown]
# # A.1 Three ways to differentiate
#
# Training needs the derivative of a program's result with respect to millions of numbers. There are three ways to get it. *Symbolic*
# differentiation turns a formula into another formula. *Numerical* differentiation runs the program at two neighbouring points.
# *Automatic* differentiation runs the program once and applies the chain rule to each operation as it goes. This section does all
# three on one small function, measures what each costs, and says where each belongs. The next notebook, A.2-A.5, builds the third.

# %% tags=["setup"]
from d2l_utils.check import *
import d2l_utils as d2l
import numpy as np
import torch

# %% [markdown]
# ## Recap
#
# ### Symbolic
#
# The rules of calculus applied to a formula give a formula. It is exact, and it can be read. The price is size: the product rule makes two terms of
# one, and a formula has no names for values that are used again. The program `x = 4 * x * (1 - x)`, repeated, has three operations in each step. Watch the
# formula of its derivative, as SymPy writes it.

# %%
import sympy
symbol = sympy.Symbol("x")
formula = symbol
for step in range(1, 6):
    formula = 4 * formula * (1 - formula)
    derivative = sympy.diff(formula, symbol)
    print(f"step {step}: {3 * step:2} operations in the program, {sympy.count_ops(formula):3} in its formula, {sympy.count_ops(derivative):4} in the derivative's")

# %% [markdown]
# The program grows by three operations a step. The formula about doubles, since it writes `x` out twice, and the derivative about triples. This is called
# *expression swell*. And a program whose loops and branches depend on its values has no single formula.
#
# ### Numerical
#
# The derivative is a limit of difference quotients. With a small step $h$ instead of the limit:
#
# $$\frac{f(x + h) - f(x)}{h} \quad\text{(one-sided)}, \qquad \frac{f(x + h) - f(x - h)}{2h} \quad\text{(central)}.$$
#
# By Taylor's formula the first is wrong by about $\frac h2 |f''|$, the second by about $\frac{h^2}6 |f'''|$. So take $h$ tiny? Look.

# %%
def error(h, central, x=1.0, dtype=np.float64):
    """The error of the difference quotient of exp at x, relative to the derivative."""
    x, h = dtype(x), dtype(h)
    quotient = (np.exp(x + h) - np.exp(x - h)) / (2 * h) if central else (np.exp(x + h) - np.exp(x)) / h
    return abs(float(quotient) - np.exp(float(x))) / np.exp(float(x))

hs = 10.0 ** np.arange(-15, 0.01, 0.25)
one_sided, central = ([error(h, c) for h in hs] for c in (False, True))
for name, errors in (("one-sided", one_sided), ("central", central)):
    print(f"{name:9}: smallest error {min(errors):.1e}, at h = {hs[np.argmin(errors)]:.1e}")

# %% tags=["demo"]
d2l.plot(hs, [np.array(one_sided), np.array(central)], "h", "relative error", legend=["one-sided", "central"], xscale="log", yscale="log", figsize=(5, 3))
d2l.plt.show()

# %% [markdown]
# ⚠ Smaller is not better. The right branches fall with $h$ and $h^2$, as Taylor says. The left branch rises as $h$ shrinks: $f(x + h)$ and $f(x)$ agree in almost all digits, so their
# difference keeps only the last ones, which rounding made up, and the division by $h$ blows these up. Each number is off by up to about $\epsilon$, which is $2.2 \cdot 10^{-16}$ in float64. The best $h$ balances both errors, and even there
# nearly half of the digits are lost with the one-sided quotient.
#
# And each component of a gradient needs its own runs of the program.
#
# ### Automatic
#
# A program is a list of simple operations. Give each intermediate value a name. For $w = e^{x_1} x_2 + x_1$:
#
# $$u_1 = x_1,\quad u_2 = x_2,\quad u_3 = e^{u_1},\quad u_4 = u_3 u_2,\quad u_5 = u_4 + u_1 = w.$$
#
# *Reverse mode* asks for each value: how does the final result depend on it? Write $\bar u_i = \partial w / \partial u_i$. Start with $\bar u_5 = 1$ and go backwards, looking at one equation at a time. $u_5 = u_4 + u_1$ gives
# $\bar u_4 = 1$ and contributes 1 to $\bar u_1$. $u_4 = u_3 u_2$ gives $\bar u_3 = \bar u_4 u_2$ and $\bar u_2 = \bar u_4 u_3$. $u_3 = e^{u_1}$ contributes $\bar u_3 u_3$ to $\bar u_1$. One pass, and all derivatives are there.
#
# *Forward mode* asks the other way round: how does each value depend on one input? Write $\dot u_i$ for the derivative along a direction of the inputs, and compute it along with $u_i$, in the same order. One pass gives one
# direction.

# %%
x1, x2 = 0.5, 3.0
u1, u2 = x1, x2
u3 = np.exp(u1)
u4 = u3 * u2
u5 = u4 + u1
bar_5 = 1.0
bar_4 = bar_5
bar_3, bar_2 = bar_4 * u2, bar_4 * u3
bar_1 = bar_5 + bar_3 * u3                  # two ways lead from u1 to the result
dot_1, dot_2 = 1.0, 0.0                     # the direction of x1
dot_3 = u3 * dot_1
dot_4 = dot_3 * u2 + u3 * dot_2
dot_5 = dot_4 + dot_1
t = torch.tensor([x1, x2], dtype=torch.float64, requires_grad=True)
(t[0].exp() * t[1] + t[0]).backward()
print("reverse:", bar_1, bar_2, "  forward, first direction:", dot_5, "  torch:", t.grad.tolist())

# %% [markdown]
# ## Exercises
#
# The first exercises are about the function
#
# $$y = \ln x_1 + x_1 x_2 - \sin x_2, \qquad x_1 > 0.$$

# %% [markdown] task="A.1.1" kind="code" minutes=5 difficulty=1 core=true
# ### By rule
#
# Write `symbolic_gradient(x1, x2)`. It returns a tuple, the derivatives $\partial y / \partial x_1$ and $\partial y / \partial x_2$, each from its formula. The arguments are numbers or NumPy arrays of equal shape.
#
# **You are done when** the check finds both derivatives at $(2, 0)$ and $(1, \pi)$.

# %% exercise="A.1.1"
def symbolic_gradient(x1, x2):
    """(dy/dx1, dy/dx2) for y = ln x1 + x1 x2 - sin x2."""
    ### BEGIN SOLUTION
    return 1 / x1 + x2, x1 - np.cos(x2)
    ### END SOLUTION

# %% [markdown] hints="A.1.1"
# 1. Which of the three terms depend on $x_1$, and which on $x_2$?
# 2. The other variable counts as a constant. The derivative of $\ln$ is $1/x$, that of $\sin$ is $\cos$.
# 3. For $z = e^{a} b + b^2$: $\partial z/\partial a = e^a b$, $\partial z/\partial b = e^a + 2b$.

# %% check="A.1.1" points=1
found = symbolic_gradient(2., 0.)
assert_type(found, (tuple, list, np.ndarray), "what symbolic_gradient returns", hint="Both derivatives, in a tuple.")
assert_equal(len(found), 2, "the number of derivatives")
assert_close(found[0], 0.5, "dy/dx1 at (2, 0)", mistakes={"The derivative of x1 x2 by x1 is x2.": 2.5})
assert_close(found[1], 1., "dy/dx2 at (2, 0)", mistakes={"The derivative of -sin is -cos.": 3.})
assert_close(symbolic_gradient(1., np.pi)[1], 2., "dy/dx2 at (1, π)", mistakes={"The derivative of -sin is -cos.": 0.})
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(911)
x1, x2 = rng.uniform(0.2, 4, size=(3, 2)), rng.normal(size=(3, 2)) * 3
leaves = [torch.tensor(x, requires_grad=True) for x in (x1, x2)]
(leaves[0].log() + leaves[0] * leaves[1] - leaves[1].sin()).sum().backward()
for i, leaf in enumerate(leaves):
    assert_close(symbolic_gradient(x1, x2)[i], leaf.grad.numpy(), f"dy/dx{i + 1} for arrays of shape (3, 2)")
### END HIDDEN TESTS

# %% tags=["setup"]
def the_function(x):
    """y = ln x1 + x1 x2 - sin x2 at the vector x = (x1, x2)."""
    return np.log(x[0]) + x[0] * x[1] - np.sin(x[1])


def squares(x):
    """A function of a vector of any length: the sum of i times the square of entry i."""
    return float((np.arange(len(x)) * x ** 2).sum())


def waves(x):
    return float(np.prod(np.sin(x + np.arange(1, len(x) + 1))))

# %% [markdown] task="A.1.2a" kind="code" minutes=10 difficulty=2 core=true
# ### By differences
#
# Write `difference_quotients(f, x, i, h)`. `f` takes a NumPy vector and returns a number, such as `the_function` in the cell above. It returns a tuple: the one-sided and the central quotient for the derivative of `f` by entry `i` of `x`.
# `x` stays as it is; its entries may be integers.
#
# **You are done when** the check finds 13 and 12 for `squares` at (1, 2, 3), entry 2, with $h = 0.5$; the derivative is 12.

# %% exercise="A.1.2a"
def difference_quotients(f, x, i, h):
    """The one-sided and the central difference quotient of f by entry i at x."""
    ### BEGIN SOLUTION
    step = np.zeros(len(x))
    step[i] = h
    return (f(x + step) - f(x)) / h, (f(x + step) - f(x - step)) / (2 * h)
    ### END SOLUTION

# %% [markdown] hints="A.1.2a"
# 1. Which points does each quotient need, and how far are they apart?
# 2. `x.copy()` of an integer array is an integer array, and `x[i] += 0.001` does not change it. `x + step` with a floating `step` makes a new array.
# 3. For a function of one number: `(f(x + h) - f(x - h)) / (2 * h)` is the central quotient; $f(x) = x^2$ at 3 with $h = 1$ gives (16 - 4) / 2 = 6.

# %% check="A.1.2a" points=2
@probe
def quotients(name, x, i, h):
    found = difference_quotients(globals()[name], x, i, h)
    return found, x

found, after = quotients("squares", np.array([1., 2., 3.]), 2, 0.5)
assert_type(found, (tuple, list, np.ndarray), "what difference_quotients returns", hint="Both quotients, in a tuple, the one-sided one first.")
assert_equal(len(found), 2, "the number of quotients")
assert_close(found[0], 13., "the one-sided quotient of 0·1² + 1·2² + 2·x² at x = 3, h = 0.5", mistakes={
    "The step goes forward, to x + h.": 11., "All entries were moved; move entry i alone.": 17.5, "The difference is divided by h.": 6.5})
assert_close(found[1], 12., "the central quotient", mistakes={"The two points are 2h apart.": 24., "All entries were moved; move entry i alone.": 16.})
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(912)
exact = {"the_function": the_function, "squares": squares, "waves": waves}
for name, x, h in (("the_function", np.array([0.7, -1.3]), 0.1), ("squares", rng.normal(size=4), 0.25), ("waves", rng.normal(size=3), 0.5), ("squares", np.array([3, -1, 2, 5]), 0.125),
                   ("the_function", np.array([2, 3]), 0.01)):
    for i in range(len(x)):
        unit = np.eye(len(x))[i] * h
        right = [(exact[name](x + unit) - exact[name](x)) / h, (exact[name](x + unit) - exact[name](x - unit)) / (2 * h)]
        found, after = quotients(name, x.copy(), i, h)
        kind = "integers" if x.dtype.kind == "i" else "numbers"
        assert_close(found[0], float(right[0]), f"the one-sided quotient of {name} at {kind}, entry {i}, h = {h}", rtol=1e-9, atol=1e-9)
        assert_close(found[1], float(right[1]), f"the central quotient of {name} at {kind}, entry {i}, h = {h}", rtol=1e-9, atol=1e-9)
        assert_close(after, x, "x after the call is as it was")
### END HIDDEN TESTS

# %% [markdown] task="A.1.2b" kind="code" minutes=10 difficulty=3
# ### The best step
#
# Suppose that $f$ and its derivatives are all about 1. Then the one-sided quotient is off by about $\frac h2$ because the curve bends, and by about $\frac{2\epsilon}h$ because both values are rounded; the central one by $\frac{h^2}6$ and $\frac\epsilon h$.
#
# Write `best_steps(eps)`: the $h$ at which the sum of the two errors is smallest, for the one-sided and for the central quotient, as a tuple. `eps` is the rounding error of the dtype, `np.finfo(dtype).eps`. A factor of five in either direction counts as right.
#
# **You are done when** the check accepts your two steps for float64.

# %% exercise="A.1.2b"
def best_steps(eps):
    """The steps of least error for the one-sided and the central quotient."""
    ### BEGIN SOLUTION
    return 2 * eps ** 0.5, (3 * eps) ** (1 / 3)
    ### END SOLUTION

# %% [markdown] hints="A.1.2b"
# 1. Where is the derivative of $\frac h2 + \frac{2\epsilon}h$ by $h$ zero?
# 2. The plot above shows what to expect for float64: about $10^{-8}$ and about $10^{-5}$.
# 3. For $ah^3 + \frac bh$: $3ah^2 = \frac b{h^2}$, so $h = (b / 3a)^{1/4}$.

# %% check="A.1.2b" points=1
def near_best(eps, name):
    found, right = best_steps(eps), (2 * eps ** 0.5, (3 * eps) ** (1 / 3))
    for kind, yours, best in zip(("one-sided", "central"), found, right):
        assert_true(bool(0.2 < float(yours) / best < 5), f"the step for the {kind} quotient in {name}, within a factor of five",
                    hint=f"Yours is {float(yours) / best:.1g} times the best one.")

near_best(2.220446049250313e-16, "float64")
### BEGIN HIDDEN TESTS
for dtype in (np.float32, np.float64):
    near_best(float(np.finfo(dtype).eps), dtype.__name__)
near_best(1e-10, "a format with a rounding error of 1e-10")
near_best(float(np.finfo(np.float16).eps), "float16")
### END HIDDEN TESTS

# %% [markdown] task="A.1.3a" kind="code" minutes=6 difficulty=1 core=true
# ### The trace
#
# Now the third way. Name the values of the program: $v_1 = x_1$, $v_2 = x_2$, $v_3 = \ln v_1$, $v_4 = v_1 v_2$, $v_5 = \sin v_2$, $v_6 = v_3 + v_4$, $v_7 = v_6 - v_5 = y$.
#
# Write `trace(x1, x2)`: the list $[v_1, \dots, v_7]$.
#
# **You are done when** the check finds all seven at $(1, 0)$ and $v_7$ at $(2, 5)$.

# %% exercise="A.1.3a"
def trace(x1, x2):
    """[v1, ..., v7]."""
    ### BEGIN SOLUTION
    v1, v2 = x1, x2
    v3, v4, v5 = np.log(v1), v1 * v2, np.sin(v2)
    v6 = v3 + v4
    return [v1, v2, v3, v4, v5, v6, v6 - v5]
    ### END SOLUTION

# %% [markdown] hints="A.1.3a"
# 1. Which of the seven are inputs, and in which order can the others be computed?
# 2. `np.log` is the natural logarithm. Python counts from 0, so $v_7$ is entry 6.
# 3. For $w$ of the recap at (0, 3): [0, 3, 1, 3, 3].

# %% check="A.1.3a" points=1
assert_close(trace(1., 0.), [1., 0., 0., 0., 0., 0., 0.], "v1 to v7 at (1, 0)")
assert_close(trace(2., 5.)[6], float(np.log(2) + 10 - np.sin(5)), "v7 at (2, 5)")
### BEGIN HIDDEN TESTS
for x1, x2 in ((2., 5.), (0.3, -1.7), (4.5, 2.2)):
    right = [x1, x2, np.log(x1), x1 * x2, np.sin(x2), np.log(x1) + x1 * x2, np.log(x1) + x1 * x2 - np.sin(x2)]
    found = trace(x1, x2)
    for i, value in enumerate(right):
        assert_close(found[i], float(value), f"v{i + 1} at ({x1}, {x2})")
### END HIDDEN TESTS

# %% [markdown] task="A.1.3b" kind="code" minutes=12 difficulty=3 core=true
# ### Reverse mode
#
# Write `adjoints(x1, x2)`: the list $[\bar v_1, \dots, \bar v_7]$ with $\bar v_i = \partial y / \partial v_i$. Do not differentiate the formula of $y$: start with $\bar v_7 = 1$ and look at one equation at a time, from the last to the first.
#
# **You are done when** the check finds $\bar v_5 = -1$ and, at $(2, 0)$, the gradient that you know from A.1.1.

# %% exercise="A.1.3b"
def adjoints(x1, x2):
    """[dy/dv1, ..., dy/dv7]."""
    ### BEGIN SOLUTION
    b7 = 1.
    b6, b5 = b7, -b7
    b3, b4 = b6, b6
    b2 = b4 * x1 + b5 * np.cos(x2)
    b1 = b4 * x2 + b3 / x1
    return [b1, b2, b3, b4, b5, b6, b7]
    ### END SOLUTION

# %% [markdown] hints="A.1.3b"
# 1. In which equations does $v_2$ stand on the right? Each of them contributes.
# 2. From $v_7 = v_6 - v_5$: $\bar v_6 = \bar v_7$, $\bar v_5 = -\bar v_7$. A product hands $\bar v$ times the other factor to each factor.
# 3. In the recap, $u_1$ stands in $u_5 = u_4 + u_1$ and in $u_3 = e^{u_1}$: $\bar u_1 = \bar u_5 + \bar u_3 u_3$.

# %% check="A.1.3b" points=2
found = adjoints(2., 0.)
assert_type(found, (tuple, list, np.ndarray), "what adjoints returns", hint="All seven derivatives, in a list.")
assert_equal(len(found), 7, "the number of derivatives")
assert_close(found[6], 1., "the derivative by v7, which is y itself", hint="The list begins with the derivative by v1 and ends with that by v7.")
assert_close(found[4], -1., "the derivative by v5", mistakes={"v5 is subtracted.": 1.})
assert_close(found[0], 0.5, "the derivative by v1 at (2, 0)", mistakes={"v1 stands in two equations: this is the contribution of one.": 0.})
assert_close(found[1], 1., "the derivative by v2 at (2, 0)", mistakes={
    "v2 stands in two equations: this is the contribution of v4 alone.": 2., "v2 stands in two equations: this is the contribution of v5 alone.": -1., "Is the sign of v5 in it?": 3.})
assert_close(adjoints(1., np.pi)[0], 1 + np.pi, "the derivative by v1 at (1, π)", mistakes={
    "v1 stands in two equations: this is the contribution of v3 alone.": 1., "v1 stands in two equations: this is the contribution of v4 alone.": np.pi})
### BEGIN HIDDEN TESTS
for x1, x2 in ((2., 5.), (0.3, -1.7), (4.5, 2.2)):
    v = [torch.tensor(value, dtype=torch.float64, requires_grad=True) for value in (x1, x2)]
    v += [v[0].log(), v[0] * v[1], v[1].sin()]
    v += [v[2] + v[3]]
    v += [v[5] - v[4]]
    right = torch.autograd.grad(v[6], v)
    found = adjoints(x1, x2)
    for i, value in enumerate(right):
        assert_close(found[i], value.item(), f"the derivative by v{i + 1} at ({x1}, {x2})", rtol=1e-10, atol=1e-10)
### END HIDDEN TESTS

# %% [markdown] task="A.1.3c" kind="code" minutes=8 difficulty=2
# ### Forward mode
#
# Write `tangents(x1, x2, d1, d2)`: the list $[\dot v_1, \dots, \dot v_7]$ of the derivatives of all values along the direction $(d_1, d_2)$ of the inputs: $\dot v_1 = d_1$, $\dot v_2 = d_2$, and so on in the order of the program.
#
# **You are done when** the check finds $\dot v_7$ for both unit directions at $(2, 0)$: the two entries of the gradient.

# %% exercise="A.1.3c"
def tangents(x1, x2, d1, d2):
    """The derivatives of v1, ..., v7 along (d1, d2)."""
    ### BEGIN SOLUTION
    t3, t4, t5 = d1 / x1, d1 * x2 + x1 * d2, np.cos(x2) * d2
    t6 = t3 + t4
    return [d1, d2, t3, t4, t5, t6, t6 - t5]
    ### END SOLUTION

# %% [markdown] hints="A.1.3c"
# 1. How does $v_4 = v_1 v_2$ change if both factors change?
# 2. For each equation: the derivative of its right side by each value in it, times the tangent of that value, added up.
# 3. In the recap: $\dot u_4 = \dot u_3 u_2 + u_3 \dot u_2$.

# %% check="A.1.3c" points=2
found = tangents(2., 0., 1., 0.)
assert_type(found, (tuple, list, np.ndarray), "what tangents returns", hint="All seven tangents, in a list.")
assert_close(found[6], 0.5, "the derivative of v7 along (1, 0) at (2, 0)")
assert_close(tangents(2., 0., 0., 1.)[6], 1., "the derivative of v7 along (0, 1) at (2, 0)", mistakes={
    "v4 is a product: it has two contributions, each with the tangent of one factor.": -1., "v5 is subtracted, and so is its tangent.": 3.})
### BEGIN HIDDEN TESTS
def program(x):
    v = [x[0], x[1], x[0].log(), x[0] * x[1], x[1].sin()]
    v.append(v[2] + v[3])
    return torch.stack(v + [v[5] - v[4]])

for at, direction in (((2., 5.), (1., -0.5)), ((0.3, -1.7), (0.4, 2.)), ((4.5, 2.2), (0., -3.))):
    _, right = torch.func.jvp(program, (torch.tensor(at, dtype=torch.float64),), (torch.tensor(direction, dtype=torch.float64),))
    found = tangents(*at, *direction)
    assert_equal(len(found), 7, "the number of tangents")
    for i, value in enumerate(right):
        assert_close(found[i], value.item(), f"the tangent of v{i + 1} at {at} along {direction}", rtol=1e-10, atol=1e-10,
                     mistakes={"A product has two contributions.": float(direction[0] * at[1])} if i == 3 else None)
### END HIDDEN TESTS

# %% [markdown]
# ### What a gradient costs
#
# Say a program has $N$ parameters and takes about $N$ operations, as a network does for one example: each weight is used once. Language models have $N = 10^9$ and more.
#
# - A formula for each of the $N$ derivatives, evaluated on its own, has about $N$ operations: $N^2$ together.
# - Difference quotients run the program again for each parameter.
# - Forward mode makes a pass for each parameter; a pass computes value and tangent.
# - Reverse mode makes one pass forward and one back.
#
# ⚠ Lectures count the pass back as costly as the pass forward, $2N$ in all. Measure it: for a matrix product forward, back there are two, one for the gradient of the input and one for that of the weights.

# %%
from torch.utils.flop_counter import FlopCounterMode
net = torch.nn.Sequential(*[torch.nn.Linear(200, 200, bias=False) for _ in range(20)])
batch = torch.randn(50, 200)
with FlopCounterMode(display=False) as ahead:
    result = net(batch).sum()
with FlopCounterMode(display=False) as back:
    result.backward()
forward_cost, backward_cost = ahead.get_total_flops(), back.get_total_flops()
print(f"forward {forward_cost:,}, backward {backward_cost:,}: {backward_cost / forward_cost:.2f} times as much (the first layer's input needs no gradient)")

# %% [markdown] task="A.1.4" kind="explain" minutes=15 difficulty=3 core=true
# ### Which way, when?
#
# First write `operations(N)`: a dictionary with the operations for a whole gradient by the keys `"symbolic"`, `"one-sided"`, `"central"`, `"forward mode"` and `"reverse mode"`. Count as above: a run of the program costs $N$; a tangent costs as much as the value that it belongs to; the pass back costs twice
# the pass forward. One per cent more or less counts as right.
#
# Then explain, with the numbers for $N = 10^9$: why is a network not trained by formulas or differences; where is each of the three ways a good idea nevertheless; and when is forward mode the right one?
#
# **You are done when** the check finds the numbers for $N = 1{,}000$, and your text names a good use of each way.

# %% exercise="A.1.4"
def operations(N):
    """The operations for the gradient by N parameters, a dictionary from the way to a number."""
    ### BEGIN SOLUTION
    return {"symbolic": N * N, "one-sided": (N + 1) * N, "central": 2 * N * N, "forward mode": 2 * N * N, "reverse mode": 3 * N}
    ### END SOLUTION

# %% [markdown] hints="A.1.4"
# 1. How many runs of the program does each way need for $N$ derivatives, and what does a run cost?
# 2. The one-sided quotient runs the program at one common point and at $N$ others; the central one at $2N$ points.
# 3. For a function with 3 inputs that costs 10 operations: central differences take 60, forward mode 3 · 20 = 60, reverse mode 10 + 20 = 30.

# %% check="A.1.4" points=2
WAYS = ("symbolic", "one-sided", "central", "forward mode", "reverse mode")
assert_equal(sorted(operations(1000)), sorted(WAYS), "the keys")

def count_of(N):
    found, right = operations(N), dict(zip(WAYS, (N * N, N * N, 2 * N * N, 2 * N * N, 3 * N)))
    for way in WAYS:
        assert_true(bool(abs(found[way] / right[way] - 1) < 0.011), f"the operations by {way} for N = {N:,}",
                    hint={"reverse mode": "Backward costs twice forward.", "forward mode": "A pass computes every value and its tangent."}.get(way, "Count the runs, and what a run costs.")
                    + f" Yours is {found[way]:,}.")

count_of(1000)
### BEGIN HIDDEN TESTS
for N in (500, 10 ** 6, 10 ** 9):
    count_of(N)
### END HIDDEN TESTS

# %% [markdown] written="A.1.4" points=3
# ### BEGIN SOLUTION
# With a billion parameters formulas and differences cost about 10¹⁸ operations for one gradient, reverse mode 3 · 10⁹: a difference of more than eight powers of ten, at every step of training. Formulas swell besides, and differences have rounding errors. Formulas are good where a person wants to
# read and reason: closed solutions, the backward rule of a single operation. Differences need nothing but the program itself, so they are the independent test of a gradient that was made in another way, and a way out where the program cannot be looked into (a simulator, an experiment) and has few parameters.
# Forward mode costs one pass for each input, however many outputs: it is right for few inputs and many outputs, or for a single directional derivative, and it keeps no intermediate values.
#
# **Rubric**
# - [1] The numbers for N = 10⁹, about 10¹⁸ against 3 · 10⁹ (2 · 10⁹ by the lecture's count is accepted); lost by "numerical differentiation is only less exact".
# - [1] A good use of symbolic and of numerical differentiation each, such as reading a rule and testing a gradient; also accepted: black boxes with few parameters; lost by "they are never useful".
# - [1] Forward mode for few inputs or one direction; evidence: passes against inputs and outputs; lost by "forward mode is less exact" or "forward mode is reverse mode run in the other order, at the same cost".
# ### END SOLUTION

# %% [markdown] task="A.1.5" kind="code" minutes=12 difficulty=3 core=true
# ### A test for gradients
#
# The best use of difference quotients is to test gradients that come from elsewhere.
#
# Write `gradient_error(f, gradient, x)`. `f` takes a vector and returns a number, `gradient` takes the vector and returns what is claimed to be the gradient of `f`. It returns the largest relative error of an entry,
#
# $$\max_i \frac{|g_i - q_i|}{\max(1, |g_i|, |q_i|)},$$
#
# where $q_i$ is the central quotient with a step that you choose. For a right gradient of a smooth function, with values up to about 1,000, the result is below $10^{-6}$. `x` stays as it is.
#
# **You are done when** the check finds a right gradient right and a wrong one wrong.

# %% exercise="A.1.5"
def gradient_error(f, gradient, x):
    """The largest relative difference between gradient(x) and central quotients of f at x."""
    ### BEGIN SOLUTION
    h, claimed, errors = 1e-5, gradient(x), []
    for i in range(len(x)):
        step = np.zeros(len(x))
        step[i] = h
        q = (f(x + step) - f(x - step)) / (2 * h)
        errors.append(abs(claimed[i] - q) / max(1, abs(claimed[i]), abs(q)))
    return max(errors)
    ### END SOLUTION

# %% [markdown] hints="A.1.5"
# 1. Which step did A.1.2b find for central quotients?
# 2. Each entry is moved alone. The largest error counts: a gradient may be wrong in a single entry.
# 3. For $g = (3, 200)$ and $q = (3.5, 202)$ the errors are 0.5 / 3.5 and 2 / 202; the result is 0.143.

# %% check="A.1.5" points=2
@probe
def tested(name, flaw, x):
    slopes = {"squares": lambda x: 2 * np.arange(len(x)) * x, "the_function": lambda x: np.array([1 / x[0] + x[1], x[0] - np.cos(x[1])])}
    def claimed(x):
        g = np.array(slopes[name](x), dtype=float)
        if flaw == "last entry":
            g[-1] += 0.5
        if flaw == "sign":
            g = -g
        if flaw == "half":
            g = g / 2
        if flaw == "zero":
            g = 0 * g
        if flaw == "tiny":
            g[0] += 1e-4
        if flaw == "too low":
            g = g - 0.5
        return g
    return float(gradient_error(globals()[name], claimed, x)), x

right_one = tested("squares", "none", np.array([1., -2., 3.]))[0]
assert_true(right_one < 1e-6, f"the right gradient of squares: the error is below 1e-6; found {right_one:.1g}",
            hint="The first entry is 0, and 0 / 0 is nan: divide by at least 1." if np.isnan(right_one) else "Which step do you take? Is one entry moved at a time?")
assert_close(tested("squares", "zero", np.array([1., -2., 3.]))[0], 1., "a gradient of zeros for squares at (1, -2, 3), where (0, -4, 12) is right", rtol=1e-3, mistakes={
    "This is the absolute error: divide by the largest of 1 and the two sizes.": 12.,
    "An error may be negative: the size of the difference counts.": 1 / 3})
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(915)
long, pair = rng.normal(size=6) * 3, np.array([0.6, -2.])
for name, x in (("squares", long), ("the_function", pair), ("squares", 2 * long)):
    error_, after = tested(name, "none", x.copy())
    assert_true(error_ < 1e-6, f"the right gradient of {name}: the error is below 1e-6", hint="Which step do you take? And is the error relative where the gradient is large?")
    assert_close(after, x, "x after the call is as it was")
exact = 2 * np.arange(6) * long
for flaw, claimed in (("last entry", exact + 0.5 * np.eye(6)[5]), ("sign", -exact), ("half", exact / 2), ("zero", 0 * exact), ("tiny", exact + 1e-4 * np.eye(6)[0]), ("too low", exact - 0.5)):
    right = np.max(np.abs(claimed - exact) / np.maximum(1, np.maximum(np.abs(claimed), np.abs(exact))))
    assert_close(tested("squares", flaw, long.copy())[0], float(right), f"a wrong gradient of squares ({flaw})", rtol=1e-3, atol=1e-6,
                 mistakes={"The largest error of all entries counts, not their mean.": float(np.mean(np.abs(claimed - exact) / np.maximum(1, np.maximum(np.abs(claimed), np.abs(exact)))))})
### END HIDDEN TESTS

# %% [markdown]
# ## Static and dynamic graphs
#
# Where does the list of operations come from?
#
# A **static** graph is built once, before any number flows, and then run many times. The whole program is known in advance, so it can be improved like any other program: operations that nothing needs are dropped, common ones are computed once, neighbours are fused into one, memory is planned, parts are sent to other
# devices. The price: a branch that depends on a value is not a branch of Python any more, and an error appears far from the line that caused it.
#
# A **dynamic** graph is recorded while the program runs, anew each time. Loops, branches, the debugger and `print` work as in any program, and each run may have another graph. The price: the overhead of Python for each operation, and nobody sees the whole.
#
# In short, the history: Theano (2008) and TensorFlow (2015) had static graphs; Chainer (2015), the library autograd for NumPy (2014-15) and PyTorch (2017) recorded dynamic ones; TensorFlow 2 (2019) made dynamic graphs the default. JAX (2018) and PyTorch 2 with `torch.compile` (2023) take the middle: one writes a dynamic
# program, and a tracer makes static pieces of it.
#
# `torch.fx` traces a function symbolically: it runs it with stand-ins for tensors and writes down what they meet. Here is a function with a value that is never used and one that is computed twice.

# %%
def wasteful(x):
    a = x.sin()
    x.cos()                 # computed, and forgotten
    b = x.sin()
    return a + b

traced = torch.fx.symbolic_trace(wasteful)
print(traced.code)
traced.graph.eliminate_dead_code()
traced.recompile()
print("after dead code is eliminated:", traced.code)

# %% [markdown]
# A stand-in has no value, so a branch on a value stops the tracer. `torch.compile` looks at the Python bytecode instead and splits the program: a graph up to the branch, and one for each way it goes, made when it is first needed. The cell counts them.

# %% tags=["demo"]
def branching(x):
    y = x.relu() if x.sum() > 0 else x
    return y * 2

try:
    torch.fx.symbolic_trace(branching)
except Exception as error:
    print("torch.fx:", error)
pieces = []

def show(graph_module, inputs):
    pieces.append([node.name for node in graph_module.graph.nodes if node.op not in ("placeholder", "output")])
    return graph_module.forward

compiled = torch.compile(branching, backend=show)
for x in (torch.ones(3), torch.ones(3), -torch.ones(3)):
    compiled(x)
    print("graphs so far:", pieces)

# %% [markdown] task="A.1.6a" kind="code" minutes=12 difficulty=3
# ### Operations that nothing needs
#
# A graph is written as a dictionary from names to tuples: the operation, then the names of its inputs, such as `{"a": ("sin", "x"), "b": ("cos", "x"), "c": ("add", "a", "a")}`. Names that are no keys are inputs from outside. The entries stand in the order of execution.
#
# Write `needed(graph, result)`: the list of those names of the graph that must be computed to get the value `result`, in the order of the graph.
#
# **You are done when** the check drops `b` from this graph.

# %% exercise="A.1.6a"
def needed(graph, result):
    """The names that `result` depends on, itself included, in the order of execution."""
    ### BEGIN SOLUTION
    used = {result}
    for name in reversed(graph):
        if name in used:
            used.update(graph[name][1:])
    return [name for name in graph if name in used]
    ### END SOLUTION

# %% [markdown] hints="A.1.6a"
# 1. From which end is it easy to see whether something is needed?
# 2. Walk from the last entry to the first and keep a set of the needed names; an entry in the set puts its inputs into the set. `reversed(graph)` walks the keys backwards.
# 3. To find the ancestors of a person in a list of (child, parents) from the oldest to the youngest, walk from the youngest.

# %% check="A.1.6a" points=2
small = {"a": ("sin", "x"), "b": ("cos", "x"), "c": ("add", "a", "a")}
assert_equal(list(needed(small, "c")), ["a", "c"], "the names for c", mistakes={"b is used by nothing.": ["a", "b", "c"], "They stand in the order of execution.": ["c", "a"],
             "Each name stands there once, in the order of execution.": ["c", "a", "a"], "Each name stands there once.": ["a", "a", "c"],
             "x comes from outside, it is no name of the graph.": ["x", "a", "c"], "What the inputs need is needed, too; and so is the result itself.": ["a"]})
assert_equal(list(needed(small, "b")), ["b"], "the names for b")
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(916)
for k in range(6):
    graph = {}
    for i in range(12):
        before = ["x", "y", *graph]
        graph[f"n{(7 * i + k) % 13}"] = ("add", *(before[int(j)] for j in rng.integers(0, len(before), size=1 + i % 2)))
    for result in (list(graph)[-1], list(graph)[5]):
        wanted, todo = set(), [result]
        while todo:
            name = todo.pop()
            if name in graph and name not in wanted:
                wanted.add(name)
                todo += graph[name][1:]
        assert_equal(list(needed(graph, result)), [name for name in graph if name in wanted], f"random graph {k}, the names for {result}")
chain = {f"c{i}": ("sin", f"c{i - 1}" if i else "x") for i in range(3000)}
assert_equal(len(needed(chain, "c2999")), 3000, "the number of names in a chain of 3,000 operations")
### END HIDDEN TESTS

# %% [markdown] task="A.1.6b" kind="code" minutes=12 difficulty=4
# ### Operations that are done twice
#
# Write `first_of(graph)`: a dictionary from each name of the graph to the first name that computes the same value. Two entries compute the same if they have the same operation and their inputs, in this order, are the same values; so if `a` and `b` are equal, then `("sin", "a")` and `("sin", "b")` are, too. The graph stays as it is.
#
# **You are done when** the check finds that $\sin x$ twice, and the cosines of the two, are each done once.

# %% exercise="A.1.6b"
def first_of(graph):
    """The first entry that computes the same value, for each name."""
    ### BEGIN SOLUTION
    seen, first = {}, {}
    for name, (operation, *inputs) in graph.items():
        key = (operation, *(first.get(value, value) for value in inputs))
        first[name] = seen.setdefault(key, name)
    return first
    ### END SOLUTION

# %% [markdown] hints="A.1.6b"
# 1. If inputs are replaced by their first names before you compare, which entries become equal tuples?
# 2. A dictionary from tuples to names remembers what was computed: `seen.setdefault(key, name)` returns the old name if there is one.
# 3. Words and their first place in a text: `first = {}`, then `first.setdefault(word, place)` for each.

# %% check="A.1.6b" points=2
double = {"a": ("sin", "x"), "b": ("sin", "x"), "c": ("cos", "a"), "d": ("cos", "b"), "e": ("add", "c", "d")}
assert_equal(first_of(dict(double)), {"a": "a", "b": "a", "c": "c", "d": "c", "e": "e"}, "two sines and their cosines", mistakes={
    "a and b are the same value, so their cosines are, too.": {"a": "a", "b": "a", "c": "c", "d": "d", "e": "e"}})
### BEGIN HIDDEN TESTS
order = {"p": ("sub", "x", "y"), "q": ("sub", "y", "x"), "r": ("sub", "x", "y")}
assert_equal(first_of(order), {"p": "p", "q": "q", "r": "p"}, "differences of x and y in both orders", hint="The order of the inputs matters.")
assert_equal(first_of({"s": ("sin", "x"), "t": ("cos", "x")}), {"s": "s", "t": "t"}, "two operations of the same input")
rng = np.random.default_rng(917)
for k in range(6):
    graph = {}
    for i in range(16):
        before = ["x", "y", *graph][-6:]
        operation = ["sin", "cos", "sub"][int(rng.integers(3))]
        graph[f"n{(5 * i + k) % 17}"] = (operation, *(before[int(j)] for j in rng.integers(0, len(before), size=2 if operation == "sub" else 1)))
    def formula(name):
        return f"{graph[name][0]}({','.join(map(formula, graph[name][1:]))})" if name in graph else name
    firsts, right = {}, {}
    for name in graph:
        right[name] = firsts.setdefault(formula(name), name)
    assert_equal(first_of(dict(graph)), right, f"random graph {k}")
@probe
def graph_after(graph):
    first_of(graph)
    return graph

assert_equal(graph_after(dict(double)), double, "the graph after the call")
### END HIDDEN TESTS

# %% tags=["setup"]
def prog_A(x):
    return (x * 2).relu().sum()

def prog_B(x):
    return x.exp() if x.sum() > 0 else x

def prog_C(x):
    for _ in range(3):
        x = x.sin()
    return x

def prog_D(x):
    while x.norm() > 1:
        x = x / 2
    return x

def prog_E(x):
    y = torch.where(x > 0, x, 0.1 * x)
    return y

def prog_F(x):
    scale = 1.0
    for width in (2, 3):
        scale = scale * width
    return scale * x if scale > 5 else x

def prog_G(x):
    return [x * k for k in range(int(x.max()))]

programs = {"A": prog_A, "B": prog_B, "C": prog_C, "D": prog_D, "E": prog_E, "F": prog_F, "G": prog_G}

# %% [markdown] task="A.1.7" kind="explain" minutes=15 difficulty=3
# ### Which programs have a static graph?
#
# The cell above has seven programs. Which of them does `torch.fx.symbolic_trace` turn into one graph? Predict, then try. Hand in `traceable`, a collection of letters.
#
# Then explain in words: what decides whether a program can be traced; what may go wrong if a tracer follows *one* run with real numbers instead of stopping at a branch; and two improvements that need the whole graph.
#
# **You are done when** the check agrees on A and B, and your text answers the three questions.

# %% exercise="A.1.7"
### BEGIN SOLUTION
traceable = {"A", "C", "E", "F"}
### END SOLUTION

# %% [markdown] hints="A.1.7"
# 1. Which branches and loops depend on a value of a tensor, and which on something that is known without it?
# 2. Where Python needs a `True`, a `False` or an integer made from a tensor's value, the tracer has none. `torch.where` is an operation like any other: it computes both and picks.
# 3. `for layer in layers: x = layer(x)` is traced; the loop is unrolled. `while loss > 0.1:` is not.

# %% check="A.1.7" points=1
assert_type(traceable, (set, frozenset, list, tuple, str, dict), "traceable", hint='A collection of letters, such as {"A", "B"}.')
assert_true("A" in list(traceable), "A is among the letters", hint="It has neither a branch nor a loop.")
assert_true("B" not in list(traceable), "B is not among the letters", hint="Its branch asks for x.sum() > 0, and a stand-in has no value.")
### BEGIN HIDDEN TESTS
def has_graph(function):
    try:
        torch.fx.symbolic_trace(function)
        return True
    except Exception:
        return False

wanted = {letter for letter, function in programs.items() if has_graph(function)}
assert_equal(sorted(set(traceable) - wanted), [], "letters that torch.fx cannot trace", hint="Python needs the value of a tensor there.")
assert_equal(len(wanted - set(traceable)), 0, "the number of letters that are missing", hint="Loops and branches that depend on no tensor are no obstacle.")
### END HIDDEN TESTS

# %% [markdown] written="A.1.7" points=3
# ### BEGIN SOLUTION
# A program can be traced if its way does not depend on values of tensors: branches and loops over numbers of Python are decided or unrolled while tracing, and what depends on values must be an operation (`where`). A tracer that follows one run with real numbers writes down the branch that this run took, without a word; for inputs that would take the
# other branch the graph silently computes the wrong thing. With the whole graph in view one can drop operations whose results nothing needs, compute common ones once, fold constants, fuse neighbours so that intermediate values never reach memory, plan memory, or place parts on devices.
#
# **Rubric**
# - [1] Dependence of Python's control flow on tensor values decides; evidence: a letter of each kind; lost by "loops cannot be traced".
# - [1] A recorded run freezes its branch and is silently wrong for other inputs; also accepted: frozen shapes or constants; lost by "it raises an error".
# - [1] Two improvements that need the whole graph; also accepted: parallel scheduling, layout changes; lost by "static graphs have fewer parameters".
# ### END SOLUTION

# %% [markdown]
# ### When one device is too small
#
# Training holds more than the parameters: their gradients, the optimizer's states, and the values that the backward pass needs. With several devices that each train on their own share of the batch, all of this is the same on every device, a waste. *Sharding* gives each device a part: in stage 1 the optimizer's states, in
# stage 2 the gradients as well, in stage 3 the parameters, too, which are then sent around when a layer needs them (ZeRO, arXiv 1910.02054; in torch: `FullyShardedDataParallel`). The values for the backward pass are another matter: *checkpointing* keeps only some of them and computes the others again when they are needed (B.4).
#
# In mixed precision with Adam a parameter takes 2 bytes, its gradient 2, and the optimizer's states 12: a copy of the parameter, a running mean and a running variance, in float32.

# %% [markdown] task="A.1.8" kind="code" minutes=8 difficulty=2
# ### Bytes on each device
#
# Write `bytes_per_device(parameters, devices, stage)` for the numbers above: the bytes that one of `devices` devices holds of parameters, gradients and optimizer states together, in stage 0 (nothing is sharded), 1, 2 or 3. Assume that everything divides evenly.
#
# **You are done when** the check finds 16 bytes for each parameter without sharding.

# %% exercise="A.1.8"
def bytes_per_device(parameters, devices, stage):
    """Bytes of parameters, gradients and states of Adam on each device."""
    ### BEGIN SOLUTION
    sizes = {1: 12, 2: 2, 3: 2}        # states, gradients, parameters, by the stage that shards them
    return sum(size * parameters / (devices if stage >= first else 1) for first, size in sizes.items())
    ### END SOLUTION

# %% [markdown] hints="A.1.8"
# 1. Which of the three kinds of memory are divided by the number of devices in stage 2?
# 2. A stage includes the ones before it.
# 3. With 1,000 parameters on 4 devices in stage 1: 2,000 + 2,000 + 12,000 / 4 = 7,000 bytes.

# %% check="A.1.8" points=1
assert_close(bytes_per_device(10, 2, 0), 160, "10 parameters on 2 devices, stage 0", rtol=1e-9, mistakes={"Without sharding every device holds everything.": 80})
assert_close(bytes_per_device(1000, 4, 1), 7000, "1,000 parameters on 4 devices, stage 1", rtol=1e-9, mistakes={"Stage 1 shards the optimizer's states only.": 4000})
### BEGIN HIDDEN TESTS
for count, devices, right in ((8 * 10 ** 6, 8, (128e6, 44e6, 30e6, 16e6)), (7_500_000_000, 64, (120e9, 31.40625e9, 16.640625e9, 1.875e9)), (100, 1, (1600, 1600, 1600, 1600))):
    for stage, wanted in enumerate(right):
        assert_close(bytes_per_device(count, devices, stage), float(wanted), f"{count:,} parameters on {devices} devices, stage {stage}", rtol=1e-9)
### END HIDDEN TESTS
