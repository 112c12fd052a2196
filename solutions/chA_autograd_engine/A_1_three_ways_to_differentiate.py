# %% [markdown]
# # A.1 Three ways to differentiate
#
# Training needs the derivative of a program's result with respect to millions of numbers. There are three ways to get it. *Symbolic*
# differentiation turns a formula into another formula. *Numerical* differentiation runs the program at two neighbouring points.
# *Automatic* differentiation runs the program once and applies the chain rule to each operation, as the engine of A.0 does.
#
# At the end you can
# - say why a formula of a derivative grows, and why a tiny step makes a difference quotient worse;
# - go through a program forward and back, one equation at a time;
# - count what a gradient costs in each way, and say where each way belongs;
# - test a gradient that comes from elsewhere;
# - tell a graph that is known in advance from one that is recorded, and use what the first one allows.

# %% tags=["setup"]
from d2l_utils.check import *
import d2l_utils as d2l
import numpy as np
import torch

# %% [markdown] teaches="symbolic differentiation, expression swell"
# ## 1. By formula
#
# The rules of calculus, applied to a formula, give a formula. It is exact, and it can be read. What could be wrong with that? The price is size: the product rule makes two terms of
# one, and a formula has no names for values that are used again. The program `x = 4 * x * (1 - x)`, repeated, has three operations in each step. Watch the
# formula of its derivative, as the algebra program SymPy writes it (`sympy.count_ops` counts operations):

# %% teaches="symbolic differentiation"
import sympy
symbol = sympy.Symbol("x")
formula = symbol
for step in range(1, 6):
    formula = 4 * formula * (1 - formula)
    derivative = sympy.diff(formula, symbol)
    print(f"step {step}: {3 * step:2} operations in the program, {sympy.count_ops(formula):3} in its formula, {sympy.count_ops(derivative):4} in the derivative's")

# %% [markdown]
# The program grows by three operations a step. The formula about doubles, since it writes `x` out twice, and the derivative grows faster still. This is called
# *expression swell*. And a program whose loops and branches depend on its values has no single formula.

# %% [markdown] task="A.1.A" kind="code" minutes=2 difficulty=1 needs="expression swell"
# ### Written out
#
# Write `letters(steps)`: how often the letter x stands in the formula of `x = 4 * x * (1 - x)` after so many steps, with everything written out. Before the first step the formula is `x`.
#
# **You are done when**
# - **count**: it is right for any number of steps, 0 among them.

# %% exercise="A.1.A"
def letters(steps):
    """The number of x's in the formula."""
    ### BEGIN SOLUTION
    return 2 ** steps
    ### END SOLUTION

# %% [markdown] hints="A.1.A"
# 1. How often does the formula of the step before stand in the new one?
# 2. Count steps 0, 1 and 2 by hand.
# 3. For `x = x * x * x` it would be 1, 3, 9, 27.

# %% check="A.1.A" points=1
assert_equal(letters(0), 1, "letters(0)", of="count", hint="Before the first step the formula is x, which holds one x.", mistakes={
    "Two is the number after one step; for steps = 0 no step is made, and the formula is x.": 2, "For steps = 0 the formula is x itself, and not empty.": 0})
assert_equal(letters(1), 2, "letters(1)", of="count", hint=lambda: {
    5: "There are two x's in 4 * x * (1 - x), not three. Yours adds two in each step; the x's of before stand in the new formula already.",
    7: "There are two x's in 4 * x * (1 - x), not three. Only the x's of the new formula count; those of before stand in it, and are not counted once more.",
    9: "There are two x's in 4 * x * (1 - x), not three. Yours makes three of each x."}.get(
        letters(2) if letters(1) == 3 else 0, "After one step the formula is 4 * x * (1 - x): its x's are counted, and nothing else in it."), mistakes={
    "One x is in the formula before any step; one step makes 4 * x * (1 - x) of it.": 1,
    "The step makes two x's of one, and not four: the 4 in 4 * x * (1 - x) is a factor, which does not change how often x stands in it.": 4})
assert_equal(letters(2), 4, "letters(2)", of="count", hint="After two steps it is 4 * (4 * x * (1 - x)) * (1 - 4 * x * (1 - x)): each x of the formula stands for the whole formula of the step before.", mistakes={
    "It does not grow by one with each step: the formula of the step before stands twice in the new one.": 3})
assert_equal(letters(3), 8, "letters(3)", of="count", mistakes={"It doubles with each step, it does not grow by two.": 6, "Each step doubles what the step before made.": 4,
    "From 4 it does not grow by 3: the formula with its four x's stands twice in the new one.": 7,
    "It does not go from 4 to 4 times 4: the formula with its four x's stands twice in the new one, which makes 4 + 4.": 16},
             hint="The formula after two steps holds four x's. It stands twice in the new one, and no other x does.")
assert_equal(letters(10), 1024, "letters(10)", of="count", hint="Every further step doubles the number once more, any number of times: from eight after three steps.")
### BEGIN HIDDEN TESTS
text = "x"
for steps in range(1, 8):
    text = f"4*({text})*(1-({text}))"
    assert_equal(letters(steps), text.count("x"), f"letters({steps})", of="count",
                 hint=f"It is twice letters({steps - 1}): the formula of the step before stands twice in the new one.")
### END HIDDEN TESTS

# %% [markdown]
# For a small formula the way is fine. The first exercises are about the function
#
# $$y = \ln x_1 + x_1 x_2 - \sin x_2, \qquad x_1 > 0.$$
#
# A partial derivative treats the other variable as a number (2.4).

# %% [markdown] task="A.1.1" kind="code" minutes=5 difficulty=1 core=true needs="partial derivative, derivative of log, derivative of sin and cos"
# ### By rule
#
# Write `symbolic_gradient(x1, x2)`. It returns a tuple, the derivatives $\partial y / \partial x_1$ and $\partial y / \partial x_2$, each from its formula. The arguments are numbers or NumPy arrays of equal shape.
#
# **You are done when**
# - **by x1**: the first entry is right;
# - **by x2**: the second entry is right;
# - **arrays**: both are right for arrays, entry by entry, and the arguments are as they were.

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

# %% check="A.1.1" points=2
def both(found, what, of):
    assert_type(found, (tuple, list, np.ndarray), f"what symbolic_gradient returns {what}", of=of, hint="Both derivatives, in a tuple.")
    assert_equal(len(found), 2, f"the number of derivatives {what}", of=of, hint="The derivative by x1 and that by x2, and nothing else.")
    return found

def rest(k, place, slope):
    """A sentence on the term that is not right in the derivative by x1 (k = 0) or x2 (k = 1) at the place: the other variable enters it by x1 x2 alone."""
    further = (place[0] + k, place[1] + 1 - k)
    yours, then = symbolic_gradient(*place)[k], symbolic_gradient(*further)[k]
    if np.ndim(yours) or np.ndim(then):
        return "One number is asked where x1 and x2 are numbers."
    name, growth = f"x{2 - k}", float(then) - float(yours)
    if not abs(growth - 1) < 1e-6:
        alone = float(symbolic_gradient(place[0], 0.)[0]) if k == 0 else np.nan
        right = f"Where x2 = 0 yours is right, the slope of ln x1 alone; x1 x2 adds x2 to that, and yours adds {float(yours) - alone:.3g}. " if abs(alone - 1 / place[0]) < 1e-6 else ""
        return right + f"From {name} = {place[1 - k]:g} to {further[1 - k]:g} yours changes by {growth:.3g}. {name} enters it through x1 x2 alone, whose slope by x{k + 1} grows by 1."
    term, value = ("ln x1", slope(place[0])) if k == 0 else ("-sin x2", slope(place[1]))
    if abs(float(yours) - place[1 - k] - value) < 0.005:
        return "Near, but not exact, as a difference quotient is: the formula of the derivative is asked."
    return f"The part that comes from x1 x2 is right. The rest is the slope of {term}, {value:.4g} here; yours is {float(yours) - place[1 - k]:.4g}."

with part(0.5, "dy/dx1"):
    assert_close(both(symbolic_gradient(2., 7.), "at (2, 7)", "by x1")[0], 7.5, "dy/dx1 at (2, 7)", of="by x1", mistakes={"The derivative of x1 x2 by x1 is x2.": 2.5, "ln x1 has a derivative, too.": 7., "The derivative of ln x is not ln x itself.": 7. + np.log(2.), "This is the derivative by x2; that by x1 comes first.": 2. - np.cos(7.),
        "ln is the logarithm to the base e: its derivative has no factor 1 / ln 10.": 7. + 0.5 / np.log(10.), "By x1, the product gives x2 alone: x1 is not added to it.": 9.5,
        "sin x2 does not depend on x1: by x1 it counts as a constant.": 7.5 - np.cos(7.), "By x1, x1 x2 gives x2: the factor x1 is gone.": 14.5, "The slope of ln x is 1 / x; -1 / x² is that of 1 / x.": 6.75,
        "The slope of ln x is 1 / x, and not x.": 9., "y is a sum, and so is its slope; yours is the product of 1 / x1 and x2.": 3.5,
        "These are the terms ln x1 + x1 x2 of y themselves; their slope is asked.": 14. + np.log(2.)}, hint=lambda: rest(0, (2., 7.), lambda x: 1 / x))
    assert_close(symbolic_gradient(2., 0.)[0], 0.5, "dy/dx1 at (2, 0)", of="by x1", hint="Where x2 = 0 the slope of ln x1 alone is left, 1 / x1.")
    assert_close(symbolic_gradient(2., -3.)[0], -2.5, "dy/dx1 at (2, -3)", of="by x1", mistakes={"Where x2 is negative, x1 x2 adds a negative number to the slope: its sign counts.": 3.5}, hint="It is 1 / x1 + x2, also where x2 is negative.")
with part(0.5, "dy/dx2"):
    assert_close(both(symbolic_gradient(2., 4.5), "at (2, 4.5)", "by x2")[1], 2. - np.cos(4.5), "dy/dx2 at (2, 4.5)", of="by x2", mistakes={
        "The derivative of -sin is -cos.": 2. + np.cos(4.5), "sin x2 has a derivative, too.": 2., "The derivative of sin x is not sin x itself.": 2. - np.sin(4.5),
        "This is the derivative by x1; that by x2 comes second.": 5., "The derivative of x1 x2 by x2 is x1.": 4.5 - np.cos(4.5), "By x2, the product gives x1 alone: x2 is not added to it.": 6.5 - np.cos(4.5),
        "ln x1 does not depend on x2: by x2 it counts as a constant.": 2.5 - np.cos(4.5), "The angle is in radians as it is; 4.5 was taken for degrees.": 2. - np.cos(np.radians(4.5)),
        "These are the terms x1 x2 - sin x2 of y themselves; their slope is asked.": 9. - np.sin(4.5), "sin x2 has its slope at x2; here the cosine is taken of x1.": 2. - np.cos(2.),
        "By x2, x1 x2 gives x1: the factor x2 is gone.": 9. - np.cos(4.5), "The derivative of sin x is cos x; -sin x is that of cos x.": 2. + np.sin(4.5),
        "y is a sum, and so is its slope; yours is the product of x1 and cos x2.": 2. * np.cos(4.5), "y is a sum, and so is its slope; yours is the product of x1 and -cos x2.": -2. * np.cos(4.5)}, hint=lambda: rest(1, (2., 4.5), lambda x: -np.cos(x)))
    assert_close(symbolic_gradient(2., 0.)[1], 1., "dy/dx2 at (2, 0)", of="by x2", mistakes={"The derivative of -sin is -cos.": 3.}, hint="It is x1 minus the slope of sin x2 at 0, which is 1.")
@probe
def for_arrays(x1, x2):
    try:
        return {"found": symbolic_gradient(x1, x2), "x1": x1, "x2": x2, "trouble": ""}
    except (TypeError, ValueError) as error:
        if "scalar" not in str(error) and "truth value" not in str(error):
            raise
        return {"trouble": f"{type(error).__name__}: {error}"}

def arrays_agree(x1, x2, what):
    trouble = for_arrays(x1.copy(), x2.copy())["trouble"]
    assert_true(trouble == "", f"no error is raised {what}; it raised {trouble or 'none'}", of="arrays", hint="A single True or False is asked of a whole array: an `if` cannot decide for all entries at once." if "truth" in trouble else
                 "Arrays are handed over. The functions of `math`, and float(), take single numbers; np.cos and its like take arrays, too, entry by entry.")
    assert_type(for_arrays(x1.copy(), x2.copy())["found"], (tuple, list, np.ndarray), f"what symbolic_gradient returns {what}", of="arrays", hint="Both derivatives, in a tuple.")
    reply = for_arrays(x1.copy(), x2.copy())
    by_1, by_2 = both(reply["found"], what, "arrays")
    leaves = [torch.tensor(x, requires_grad=True) for x in (x1, x2)]
    (leaves[0].log() + leaves[0] * leaves[1] - leaves[1].sin()).sum().backward()
    by_place = np.stack([leaf.grad.numpy() for leaf in leaves], axis=-1)
    for k, yours in enumerate((by_1, by_2)):
        assert_equal(tuple(np.shape(yours)), x1.shape, f"the shape of dy/dx{k + 1} {what}", of="arrays", hint="For arrays each derivative is an array of their shape, an entry for each place.")
        assert_close(yours, leaves[k].grad.numpy(), f"dy/dx{k + 1} {what}", of="arrays", rtol=1e-6, atol=1e-6,
                     mistakes={"This entry holds both derivatives at one place; it is to hold the derivative by one variable "
                               "at all places.": by_place[k]}
                     if x1.shape == (2,) else None,
                     hint=lambda: "For these numbers one at a time yours says the same: it is the derivative that is not right, not what becomes of arrays."
                     if np.allclose(np.ravel(yours), [symbolic_gradient(float(one), float(other))[k] for one, other in zip(x1.flat, x2.flat)]) else
                     "For these numbers one at a time yours says something else. Each entry is the derivative at the two numbers that stand at its place.")
    assert_close(reply["x1"], x1, f"x1 after the call {what}", of="arrays", hint="x1 itself was changed: compute in new arrays.")
    assert_close(reply["x2"], x2, f"x2 after the call {what}", of="arrays", hint="x2 itself was changed: compute in new arrays.")

with part(0.5, "arrays", of="arrays"):
    arrays_agree(np.array([1., 2.]), np.array([0., 3.]), "for x1 = (1, 2), x2 = (0, 3)")
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(911)
with part(0.5, "other places"):
    x1_alone, x2_alone = float(rng.uniform(0.2, 4)), float(rng.normal() * 3)
    pair = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in (x1_alone, x2_alone)]
    (pair[0].log() + pair[0] * pair[1] - pair[1].sin()).backward()
    alone = both(symbolic_gradient(x1_alone, x2_alone), f"at ({x1_alone:.3g}, {x2_alone:.3g})", "by x1")
    assert_close(alone[0], pair[0].grad.item(), f"dy/dx1 at ({x1_alone:.3g}, {x2_alone:.3g})", of="by x1", hint="It is the slope of ln x1, 1 / x1, and that of x1 x2, added up.")
    assert_close(alone[1], pair[1].grad.item(), f"dy/dx2 at ({x1_alone:.3g}, {x2_alone:.3g})", of="by x2", hint="It is the slope of x1 x2 minus that of sin x2.")
    arrays_agree(rng.uniform(0.2, 4, size=(3, 2)), rng.normal(size=(3, 2)) * 3, "for random x1, x2 of shape (3, 2)")
total()
### END HIDDEN TESTS

# %% [markdown] teaches="numerical differentiation, best step of a difference quotient"
# ## 2. By differences
#
# The derivative is a limit of difference quotients (2.4). With a small step $h$ instead of the limit:
#
# $$\frac{f(x + h) - f(x)}{h} \quad\text{(one-sided)}, \qquad \frac{f(x + h) - f(x - h)}{2h} \quad\text{(central)}.$$
#
# This needs nothing but the program itself. For a gradient, move one entry of the input at a time.
#
# How wrong is it? A smooth function near $x$ is $f(x + h) = f(x) + h f'(x) + \frac{h^2}2 f''(x) + \frac{h^3}6 f^{(3)}(x) + \dots$ (Taylor's formula). Put this into the one-sided quotient: it is off by about $\frac h2 |f''|$. In the central one the terms with $h^2$ cancel, and it is off by about $\frac{h^2}6 |f^{(3)}|$. So take $h$ tiny? Look.

# %% teaches="numerical differentiation"
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
# ⚠ Smaller is not better. The right branches fall with $h$ and with $h^2$, as Taylor says. The left branch rises as $h$ shrinks: $f(x + h)$ and $f(x)$ agree in almost all digits, so their
# difference keeps only the last ones, which rounding made up, and the division by $h$ blows these up. Each number is off by up to about $\epsilon$, which is $2.2 \cdot 10^{-16}$ in float64. The best $h$ balances both errors, and even there
# nearly half of the digits are lost with the one-sided quotient.

# %% tags=["setup"]
def the_function(x):
    """y = ln x1 + x1 x2 - sin x2 at the vector x = (x1, x2)."""
    return np.log(x[0]) + x[0] * x[1] - np.sin(x[1])


def squares(x):
    """A function of a vector of any length: the sum of i times the square of entry i."""
    return float((np.arange(len(x)) * x ** 2).sum())


def waves(x):
    return float(np.prod(np.sin(x + np.arange(1, len(x) + 1))))

# %% [markdown]
# ⚠ To move one entry of an array, make a new one. `x[i] += h` changes the caller's array, and if that holds integers, nothing moves at all:

# %%
whole = np.array([1, 2, 3])
moved = whole.copy()
moved[2] += 0.5
print("integers, moved in place:", moved, "  a new array:", whole + np.array([0., 0., 0.5]), "  a vector with a single 1:", np.eye(3)[2])

# %% [markdown] task="A.1.2a" kind="code" minutes=10 difficulty=2 core=true needs="numerical differentiation, one-sided difference quotient, central difference quotient"
# ### Two quotients
#
# Write `difference_quotients(f, x, i, h)`. `f` takes a NumPy vector and returns a number, such as `the_function` and `squares` above. It returns a tuple: the one-sided and the central quotient for the derivative of `f` by entry `i` of `x`.
#
# **You are done when**
# - **one-sided**: the first is that with the step forward, to $x_i + h$;
# - **central**: the second has its points at $x_i + h$ and $x_i - h$, at distance $2h$;
# - **one entry**: only entry `i` moves, the others are those of `x`;
# - **integers**: `x` may hold integers;
# - **x kept**: `x` is as it was.

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

# %% check="A.1.2a" points=3
@probe
def quotients(name, x, i, h):
    points, shape = [], x.shape
    def recorded(point):
        if np.ndim(point) == 0:
            raise TypeError("f takes a vector, all of x with one entry moved, and was called with a single number")
        if np.shape(point) == shape:
            points.append(np.array(point, dtype=float))
        return globals()[name](point)
    found = difference_quotients(recorded, x, i, h)
    return {"found": found, "x": x, "points": points}

def known_slips(f, x, i, h):
    """Two dictionaries, for the one-sided and the central quotient, of what known mistakes give."""
    unit, here, ahead, both_sides = np.eye(len(x))[i] * h, f(x), {}, {}
    central, slope = (f(x + unit) - f(x - unit)) / (2 * h), (f(x + unit) - here) / h
    ahead |= {"The step goes forward, to x + h.": (here - f(x - unit)) / h, "The difference is divided by h.": slope * h, "This is the central quotient.": central,
              "The entry moves by h, not by h times itself.": (f(x + unit * x[i]) - here) / h, ("The sign counts: it is f at x + h, minus f at x, which is negative here." if slope < 0 else "What is ahead comes first in the difference: f at x + h, minus f at x."): -slope,
              "The step goes to x + h; yours is twice as long, and so is what it is divided by.": (f(x + 2 * unit) - here) / (2 * h)}
    both_sides |= {"The two points are 2h apart, so divide by 2h.": 2 * central, "This is the one-sided quotient.": slope,
                   "Divide by the product 2h: / 2 * h divides by 2 and multiplies by h.": central * h * h,
                   "The two points are 2h apart, so divide by 2h; yours is half of that quotient.": central / 2, "The difference of the two values is asked, not their sum.": (f(x + unit) + f(x - unit)) / (2 * h),
                   "The two points are h / 2 away from x; each is to be h away.": (f(x + unit / 2) - f(x - unit / 2)) / h,
                   "One point lies on each side of x; here they are x and x + 2h.": (f(x + 2 * unit) - here) / (2 * h), "One point lies on each side of x; here they are x - 2h and x.": (here - f(x - 2 * unit)) / (2 * h),
                   "The quotients ahead and behind were averaged, but that behind has the wrong sign: it is f at x, minus f at x - h.": (f(x + unit) - 2 * here + f(x - unit)) / (2 * h),
                   "This is the second difference, f at x + h and f at x - h minus twice f at x, by h²: it belongs to the second derivative.": (f(x + unit) - 2 * here + f(x - unit)) / h ** 2,
                   ("The sign counts: it is f at x + h, minus f at x - h, which is negative here." if central < 0 else "What is ahead comes first in the difference: f at x + h, minus f at x - h."): -central, "This is the quotient backwards, from x - h to x: the points lie on both sides of x.": (here - f(x - unit)) / h}
    small, step = x.astype(np.float32), unit.astype(np.float32)
    ahead["x was rounded to float32; it is to stay in float64."] = (f(small + step) - f(small)) / h
    return tuple({words: float(value) for words, value in slips.items()} for slips in (ahead, both_sides))

def quotients_agree(name, x, i, h, of):
    function, unit = {"the_function": the_function, "squares": squares, "waves": waves}[name], np.eye(len(x))[i] * h
    right = [(function(x + unit) - function(x)) / h, (function(x + unit) - function(x - unit)) / (2 * h)]
    slope = (function(x + unit * 1e-4) - function(x - unit * 1e-4)) / (2e-4 * h)
    reply, what = quotients(name, x.copy(), i, h), f"{name} at ({', '.join(f'{v:.3g}' for v in x)}){', integers' * (x.dtype.kind == 'i')}, entry {i}, h = {h:g}"
    found = reply["found"]
    mistakes = [{"Nothing moved: an array of integers holds no fractions.": 0.}] * 2 if x.dtype.kind == "i" else known_slips(function, x, i, h)
    assert_type(found, (tuple, list, np.ndarray), f"{what}: what difference_quotients returns", of=of or "one-sided", hint="Both quotients, in a tuple, the one-sided one first.")
    assert_equal(len(found), 2, f"{what}: the number of quotients", of=of or "one-sided", hint="The one-sided and the central one.")
    points = np.array(reply["points"]).reshape(-1, len(x))
    others = [j for j in range(len(x)) if j != i and (np.abs(points[:, j] - x[j]) > 1e-6).any()]
    still = bool(len(points) and (points[:, i] == x[i]).all() and others)
    assert_equal(others, [], f"{what}: entries other than {i} of a vector at which f was called that are not those of x", of="one entry", hint=
                 "Move entry i alone; the others are to be as in x." + (f" Entry {others[0]} was moved, and entry {i} was not. (Entries are counted from 0.)" if still else ""))
    at = [float(value) for value in dict.fromkeys(points[:, i])]
    for k, kind in enumerate(("one-sided", "central")):
        near = bool(np.ndim(found[k]) == 0 and abs(found[k] - slope) < 1e-3 * max(1, abs(slope)) < 0.1 * abs(right[k] - slope))
        lacks = [words for words, value in ((f"x_i {'+-'[j]} h", x[i] + (1 - 2 * j) * h) for j in range(k + 1)) if not any(abs(value - place) < 0.01 * h for place in at)]
        assert_close(found[k], float(right[k]), f"{what}: the {kind} quotient", of=of or kind, rtol=1e-9, atol=1e-9, mistakes=mistakes[k],
                     hint="This is almost the derivative itself: the step is to be the h that is handed over, not a smaller one." if near else
                     f"It needs f with entry {i} at {lacks[0]}. Your calls have this entry at {', '.join(f'{place:.6g}' for place in at[:6])}." if lacks and at else
                     "Your points are right. It is f with entry i at x_i + h, minus f at x, divided by h." if k == 0 else "Your points are right. It is f with entry i at x_i + h, minus f with it at x_i - h, divided by 2h.")
    assert_close(reply["x"], x, f"{what}: x after the call", of="x kept", hint="x itself was moved, and not put back: make a new array.")

with part(1, "a function of one entry"):
    quotients_agree("squares", np.array([5., 3.]), 1, 0.5, None)
    quotients_agree("waves", np.array([0.4]), 0, 0.3, None)
with part(1, "one entry of several, and integers"):
    quotients_agree("squares", np.array([1., 3.5, 3.]), 1, 0.5, None)
    quotients_agree("squares", np.array([1., 2., -1.5]), 2, 0.5, None)
    quotients_agree("squares", np.array([1, 2, 3]), 2, 0.25, "integers")
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(912)
with part(1, "other functions"):
    for i in (0, 1):
        quotients_agree("the_function", np.array([0.7, -1.3]), i, 0.1, None)
        quotients_agree("the_function", np.array([2, 3]), i, 0.01, "integers")
    for i in range(3):
        quotients_agree("waves", rng.normal(size=3), i, 0.5, None)
    for i in range(4):
        quotients_agree("squares", np.array([3, -1, 2, 5]), i, 0.125, "integers")
total()
### END HIDDEN TESTS

# %% [markdown] task="A.1.2b" kind="code" minutes=10 difficulty=3 needs="best step of a difference quotient, rounding error"
# ### The best step
#
# Suppose that $f$ and its derivatives are all about 1. Then the one-sided quotient is off by about $\frac h2$ because the curve bends, and by about $\frac{2\epsilon}h$ because both values are rounded; the central one by $\frac{h^2}6$ and $\frac\epsilon h$.
# The best $h$ makes the sum of both errors smallest; there the derivative of the sum by $h$ is zero.
#
# Write `best_steps(eps)`: this $h$ for the one-sided and for the central quotient, as a tuple. `eps` is the rounding error of the dtype, `np.finfo(dtype).eps`. A factor of five in either direction counts as right.
#
# **You are done when**
# - **one-sided**: the first step is right, for any `eps`;
# - **central**: the second is.

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

# %% check="A.1.2b" points=2
def near_best(eps, name):
    found = best_steps(eps)
    assert_type(found, (tuple, list, np.ndarray), f"what best_steps returns for {name}", of="one-sided", hint="Two steps, in a tuple.")
    assert_equal(len(found), 2, f"the number of steps for {name}", of="one-sided", hint="Two steps: that of the one-sided quotient and that of the central one.")
    for kind, yours, best in zip(("one-sided", "central"), found, (2 * eps ** 0.5, (3 * eps) ** (1 / 3))):
        ratio, twice = float(yours) / best, float(best_steps(2 * eps)[int(kind == "central")])
        power = float(np.log2(twice / float(yours))) if twice > 0 and float(yours) > 0 else np.nan
        other = (3 * eps) ** (1 / 3) if kind == "one-sided" else 2 * eps ** 0.5
        least = best ** 2 / 6 + eps / best if kind == "central" else 0.
        bent, rounded = (np.nan, np.nan) if not float(yours) > 0 else (float(yours) / 2, 2 * eps / float(yours)) if kind == "one-sided" else (float(yours) ** 2 / 6, eps / float(yours))
        words = (f"A step is a positive length; yours is {float(yours):.3g}." if not float(yours) > 0
                 else "Yours is 1, whatever eps is, as any number to the power of 0 (1 // 3 is 0); the step depends on eps." if power == 0 and float(yours) == 1
                 else "Yours is the same for twice this eps; the step depends on eps." if power == 0
                 else "This is eps itself: there, f(x + h) and f(x) can hardly be told apart." if abs(float(yours) / eps - 1) < 1e-6
                 else "This is the least error; the step at which it is reached is asked." if abs(float(yours) - least) < 1e-6 * least
                 else f"This is about the best step of the {'central' if kind == 'one-sided' else 'one-sided'} quotient." if 0.2 < float(yours) / other < 5 and abs(power - (1 / 3 if kind == "one-sided" else 0.5)) < 1e-3
                 else "Your power of eps is right, your factor is not." if abs(power - (0.5 if kind == "one-sided" else 1 / 3)) < 1e-3
                 else "Yours becomes longer where eps is smaller; the less is rounded, the shorter the step may be." if power < 0
                 else "Yours goes by the fourth root of eps, as for an error with h³; that of the central quotient is h² / 6." if kind == "central" and abs(power - 0.25) < 1e-3
                 else "The derivative of the sum of both errors is zero at a root of eps." if abs(power - 1) < 1e-3
                 else f"Yours grows like eps to the power of {power:.2g}: which root of eps comes out where the derivative of the sum of both errors is zero?")
        words += f" At your step the bend costs {bent:.1g} and the rounding {rounded:.1g}: a {'longer' if rounded > bent else 'shorter'} one makes the sum smaller." if max(bent, rounded) > 20 * min(bent, rounded) else ""
        part = next((n for n in (2, 3) if abs(n * float(yours) / eps - 1) < 1e-6), 0)
        words += (f" Yours is one {'half' if part == 2 else 'third'} of eps, which is what eps ** 1 / {part} means: an exponent that is a fraction needs brackets." if part else
                  " (3 * eps) ** 1 / 3 is eps, too: an exponent that is a fraction needs brackets." if kind == "central" and abs(float(yours) / eps - 1) < 1e-6 else
                  " Yours grows like eps itself, and not like a root of it.") if abs(power - 1) < 1e-3 else ""
        assert_true(0.2 < ratio < 5, f"{name}, eps = {eps:.2g}: the step for the {kind} quotient, within a factor of five", of=kind, hint=f"{words} Yours is {ratio:.1g} times the best one.")

with part(1, "float64 and float32"):
    near_best(2.220446049250313e-16, "float64")
    assert_true(float(best_steps(1.1920929e-07)[0]) > 100 * float(best_steps(2.220446049250313e-16)[0]), "the one-sided step for float32 is more than 100 times that for float64", of="one-sided", hint="The step depends on eps.")
    near_best(1.1920929e-07, "float32")
### BEGIN HIDDEN TESTS
with part(1, "other formats"):
    near_best(1e-10, "a format with a rounding error of 1e-10")
    near_best(float(np.finfo(np.float16).eps), "float16")
total()
### END HIDDEN TESTS

# %% [markdown] teaches="automatic differentiation, trace of a program"
# ## 3. By the chain rule, one equation at a time
#
# A program is a list of simple operations. Give each intermediate value a name; this is the *trace* of the program. For $w = e^{x_1} x_2 + x_1$:
#
# $$u_1 = x_1,\quad u_2 = x_2,\quad u_3 = e^{u_1},\quad u_4 = u_3 u_2,\quad u_5 = u_4 + u_1 = w.$$
#
# *Reverse mode* asks of each value: how does the final result depend on it? Write $\bar u_i = \partial w / \partial u_i$, the *adjoint*. Start with $\bar u_5 = 1$ and go backwards, looking at one equation at a time.
#
# | equation | what it gives |
# |---|---|
# | $u_5 = u_4 + u_1$ | $\bar u_4 = 1$; contributes 1 to $\bar u_1$ |
# | $u_4 = u_3 u_2$ | $\bar u_3 = \bar u_4 u_2$, $\bar u_2 = \bar u_4 u_3$ |
# | $u_3 = e^{u_1}$ | contributes $\bar u_3 u_3$ to $\bar u_1$ |
#
# One pass, and all derivatives are there.
#
# *Forward mode* asks the other way round: how does each value depend on one input? Write $\dot u_i$, the *tangent*, for the derivative along a direction of the inputs, and compute it along with $u_i$, in the same order. For a product both factors change: $\dot u_4 = \dot u_3 u_2 + u_3 \dot u_2$. One pass gives one
# direction.

# %% teaches="automatic differentiation"
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
# Reverse mode gave both derivatives in one pass. Forward mode gave the first; the second takes another pass, with the direction (0, 1). A direction need not be an axis: along (2, −1), $x_1$ grows by 2 while $x_2$ falls by 1.

# %% teaches="automatic differentiation"
print("direction   tangents of u1 ... u5")
for dot_1, dot_2 in ((1.0, 0.0), (0.0, 1.0), (2.0, -1.0)):
    dot_3 = u3 * dot_1
    dot_4 = dot_3 * u2 + u3 * dot_2
    print(f"({dot_1:g}, {dot_2:g})".ljust(11), " ".join(f"{dot:8.4f}" for dot in (dot_1, dot_2, dot_3, dot_4, dot_4 + dot_1)))
print("2 times the first derivative minus the second:", 2 * bar_1 - bar_2)

# %% [markdown]
# The first two lines end with the two derivatives. The third ends with 2 times the one minus the other, the gradient's dot product with the direction. The same holds in every column: a tangent along (2, −1) is 2 times the tangent along (1, 0) minus that along (0, 1). A pass along any direction is right, whatever its length.
#
# Now the function of A.1.1. Name the values of the program: $v_1 = x_1$, $v_2 = x_2$, $v_3 = \ln v_1$, $v_4 = v_1 v_2$, $v_5 = \sin v_2$, $v_6 = v_3 + v_4$, $v_7 = v_6 - v_5 = y$. As a picture:

# %% tags=["demo"]
d2l.show_dot("""digraph { rankdir=LR; node [fontsize=11, shape=box]; v1 [label="v1 = x1"]; v2 [label="v2 = x2"]; v3 [label="v3 = ln v1"]; v4 [label="v4 = v1 v2"];
    v5 [label="v5 = sin v2"]; v6 [label="v6 = v3 + v4"]; v7 [label="v7 = v6 - v5"]; v1 -> v3; v1 -> v4; v2 -> v4; v2 -> v5; v3 -> v6; v4 -> v6; v6 -> v7; v5 -> v7; }""")

# %% [markdown] task="A.1.3a" kind="code" minutes=5 difficulty=1 core=true needs="trace of a program"
# ### The trace
#
# Write `trace(x1, x2)`: the list $[v_1, \dots, v_7]$.
#
# **You are done when**
# - **length**: there are seven values;
# - **values**: each is right.

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
# 3. For $w$ above at (0, 3): [0, 3, 1, 3, 3].

# %% check="A.1.3a" points=1
def traced_values(x1, x2):
    found, right = trace(x1, x2), [x1, x2, np.log(x1), x1 * x2, np.sin(x2), np.log(x1) + x1 * x2, np.log(x1) + x1 * x2 - np.sin(x2)]
    assert_type(found, (tuple, list, np.ndarray, torch.Tensor), f"what trace({x1}, {x2}) returns", of="length", hint="All seven values, in a list.")
    assert_equal(len(found), 7, f"the number of values at ({x1}, {x2})", of="length",
                 hint="From v1 to v7: the inputs v1 and v2 are values of the trace, too." if len(found) < 7 else "From v1 to v7, and nothing before or after them.")
    slips = {0: {"The list begins with v1 and ends with v7.": right[6]}, 2: {"ln is the logarithm to the base e; this is the one to the base 10.": np.log10(x1), "ln is the logarithm to the base e; this is the one to the base 2.": np.log2(x1),
             "It is the logarithm of v1, not of v2.": np.log(max(x2, 1e-9))}, 3: {"v4 is a product; here v1 and v2 are added.": x1 + x2},
             4: {"v5 is the sine of v2, not of v1.": np.sin(x1), "It is the sine, not the cosine.": np.cos(x2), "v5 is the sine of v2, not of v4.": np.sin(x1 * x2), "v5 is the sine as it is; it is subtracted in v7.": -np.sin(x2), "The angle is in radians as it is; here it was taken for degrees.": np.sin(np.radians(x2))},
             5: {"v6 is a sum; here v3 and v4 are multiplied.": right[2] * right[3], "v6 is a sum; here v3 is subtracted.": right[3] - right[2], "v6 is v3 + v4; here it is v4 - v5, and v5 comes in v7 alone.": right[3] - right[4]},
             6: {"v5 is subtracted from v6; here it is added.": right[5] + right[4], "v7 is v6 minus v5, in this order.": right[4] - right[5]}}
    for i, value in enumerate(right):
        others = {f"This is the value of v{j + 1}.": right[j] for j in range(7) if j != i and (i, j) != (0, 6)}
        assert_close(found[i], float(value), f"v{i + 1} at ({x1}, {x2})", of="values", rtol=1e-6, atol=1e-6, mistakes={words: float(slip) for words, slip in (others | slips.get(i, {})).items()},
                     hint=("v1 = x1.", "v2 = x2.", "v3 = ln v1, the natural logarithm.", "v4 is the product of v1 and v2.", "v5 is the sine of v2.", "v6 is the sum of v3 and v4.", "v7 is v6 minus v5.")[i])

traced_values(2., 5.)
traced_values(1., 0.)
### BEGIN HIDDEN TESTS
for at in ((2.5, 5.5), (0.3, -1.7), (4.5, 2.2)):
    traced_values(*at)
### END HIDDEN TESTS

# %% [markdown] task="A.1.3b" kind="code" minutes=12 difficulty=3 core=true needs="automatic differentiation, reverse mode, trace of a program"
# ### Reverse mode
#
# Write `adjoints(x1, x2)`: the list $[\bar v_1, \dots, \bar v_7]$ with $\bar v_i = \partial y / \partial v_i$. Start with $\bar v_7 = 1$ and look at one equation at a time, from the last to the first.
#
# **You are done when**
# - **order**: there are seven numbers, that of $v_1$ first and that of $v_7$, which is 1, last;
# - **middle**: $\bar v_3$ to $\bar v_6$ are right;
# - **inputs**: $\bar v_1$ and $\bar v_2$ are right; each stands in two equations.

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
# 3. Above, $u_1$ stands in $u_5 = u_4 + u_1$ and in $u_3 = e^{u_1}$: $\bar u_1 = \bar u_5 + \bar u_3 u_3$.

# %% check="A.1.3b" points=3
def backwards(x1, x2, by_v1):
    found, where = adjoints(x1, x2), f"({x1:.3g}, {x2:.3g})"
    assert_type(found, (tuple, list, np.ndarray, torch.Tensor), f"what adjoints returns at {where}", of="order", hint="All seven derivatives, in a list.")
    assert_equal(len(found), 7, f"the number of derivatives at {where}", of="order", hint="From that by v1 to that by v7, which is 1.")
    assert_close(found[6], 1., f"the derivative by v7, which is y itself, at {where}", of="order", rtol=1e-6, atol=1e-6, hint="The derivative of y by itself is 1, and it is the last entry.", mistakes={
        "The list begins with the derivative by v1 and ends with that by v7.": by_v1,
        "This is the value of y; the derivative of y by itself is 1.": float(np.log(x1) + x1 * x2 - np.sin(x2))})
    return found, where

def middle_agrees(x1, x2, right, mistakes):
    found, where = backwards(x1, x2, right[0])
    for i in (5, 4, 3, 2):
        assert_close(found[i], right[i], f"the derivative by v{i + 1} at {where}", of="middle", rtol=1e-6, atol=1e-6,
                     mistakes=mistakes[i], hint="v3 and v4 stand in v6 = v3 + v4 alone: each gets what v6 has." if i < 4
                     else f"v{i + 1} stands in v7 = v6 - v5 alone.")

def share(k, x1, x2):
    """A sentence on the contribution that is not right in the derivative by v1 (k = 0) or v2 (k = 1): the other input enters it through v4 alone."""
    yours, then = adjoints(x1, x2)[k], adjoints(x1 + k, x2 + 1 - k)[k]
    if np.ndim(yours) or np.ndim(then):
        return "One number is asked."
    growth, other = float(then) - float(yours), f"v{2 - k}"
    if not abs(growth - 1) < 1e-5:
        return f"Where {other} grows by 1, yours changes by {growth:.3g}: v4 contributes {other}, so it is to grow by 1."
    return f"What v4 contributes is right, {other}. The rest, {float(yours) - (x1, x2)[1 - k]:.4g}, is to be what {('v3 contributes, by the slope of ln at v1', 'v5 contributes, with its minus and the slope of the sine at v2')[k]}."

def inputs_agree(x1, x2, right, mistakes=({}, {})):
    found, where = backwards(x1, x2, right[0])
    for k in (0, 1):
        assert_close(found[k], right[k], f"the derivative by v{k + 1} at {where}", of="inputs", rtol=1e-6, atol=1e-6,
                     hint=lambda: share(k, x1, x2), mistakes=mistakes[k])

slips = [{      # of the derivative by v1 at (2.5, 0.75), by v2, and so on
    "v1 stands in two equations, and both contributions count whole; this is half of their sum.": 0.575,
    "Each of the two contributions counts once; this is twice their sum.": 2.3,
    "1 is the derivative of v1 by itself; that of the result y by v1 is asked.": 1.,
    "v3 = ln v1: its slope is that at v1, not at v2.": 2.0833333333,
    "v1 stands in two equations: this is the contribution of v3 alone.": 0.4,
    "v1 stands in two equations: this is the contribution of v4 alone.": 0.75,
    "A product hands each factor the other one, not itself.": 2.9,
    "The contributions of v3 and v4 are added, not multiplied.": 0.3,
    "The derivative of ln is 1 / x, not ln itself.": 1.6662907319,
    "The derivative of ln is 1 / x, not x.": 3.25,
    "What v3 contributes, 1 / v1, is added; in yours it has a minus.": 0.35,
    "What v4 contributes, v2, is added; in yours it has a minus.": -0.35}, {
    "v2 stands in two equations, and both contributions count whole; this is half of their sum.": 0.8841555656,
    "Each of the two contributions counts once; this is twice their sum.": 3.5366222622,
    "1 is the derivative of v2 by itself; that of the result y by v2 is asked.": 1.,
    "v5 = sin v2: its slope is that at v2, not at v1.": 3.3011436155,
    "The slope of the sine is taken at v2, not at its value v5.": 1.7234587658,
    "v2 stands in two equations: this is the contribution of v4 alone.": 2.5,
    "v2 stands in two equations: this is the contribution of v5 alone.": -0.7316888689,
    "v5 is subtracted, so what v5 has is -1: it contributes -cos v2, and here it is +cos v2.": 3.2316888689,
    "The derivative of the sine is the cosine; the sine with a minus is that of the cosine.": 3.1816387600,
    "The derivative of the sine is not the sine.": 1.8183612400,
    "A product hands each factor the other one, not itself.": 0.0183111311,
    "The contributions of v4 and v5 are added, not multiplied.": -1.8292221722}, {
    "This is the derivative of v3 by v1; that of the result y by v3 is asked.": 0.4,
    "This is the value of v3; the derivative of y by it is asked.": 0.9162907319,
    "A sum hands its whole adjoint to each of its terms; it is not shared out.": 0.5}, {
    "This is the derivative of v4 by v1; that of the result y by v4 is asked.": 0.75,
    "This is the derivative of v4 by v2; that of the result y by v4 is asked.": 2.5,
    "These are the derivatives of v4 by v1 and by v2, added; that of the result y by v4 is asked.": 3.25,
    "This is the value of v4; the derivative of y by it is asked.": 1.875,
    "A sum hands its whole adjoint to each of its terms; it is not shared out.": 0.5}, {
    "v5 is subtracted.": 1.,
    "This is the derivative of v5 by v2; that of the result y by v5 is asked.": 0.7316888689,
    "This is what v5 hands on to v2; the derivative by v5 itself is asked.": -0.7316888689,
    "This is the value of v5; the derivative of y by it is asked.": 0.6816387600,
    "This is the value of v5 with a minus; the derivative of y by it is asked.": -0.6816387600}, {
    "In v7 = v6 - v5 the minus belongs to v5, not to v6.": -1.,
    "This is the value of v6; the derivative of y by it is asked.": 2.7912907319}]
at_25 = [1.15, 1.7683111311, 1., 1., -1., 1., 1.]
with part(1, "the middle"):
    middle_agrees(2.5, 0.75, at_25, slips)
with part(1, "the inputs"):
    inputs_agree(2.5, 0.75, at_25, slips)
    inputs_agree(1., np.pi, (4.1415926536, 2.))
### BEGIN HIDDEN TESTS
def right_ones(x1, x2):
    v = [torch.tensor(value, dtype=torch.float64, requires_grad=True) for value in (x1, x2)]
    v += [v[0].log(), v[0] * v[1], v[1].sin()]
    v += [v[2] + v[3]]
    v += [v[5] - v[4]]
    return [g.item() for g in torch.autograd.grad(v[6], v)]

def slips_at(x1, x2):
    """The values that the mistakes give at another place."""
    ln, slope, sine = np.log(x1), np.cos(x2), np.sin(x2)
    values = (((1 / x1 + x2) / 2, 2 * (1 / x1 + x2), 1., 1 / x2 + x2, 1 / x1, x2, 1 / x1 + x1, x2 / x1, ln + x2, x1 + x2, x2 - 1 / x1, 1 / x1 - x2),
              ((x1 - slope) / 2, 2 * (x1 - slope), 1., x1 - np.cos(x1), x1 - np.cos(sine), x1, -slope, x1 + slope, x1 + sine, x1 - sine, x2 - slope,
               -x1 * slope),
              (1 / x1, ln, 0.5), (x2, x1, x1 + x2, x1 * x2, 0.5), (1., slope, -slope, sine, -sine), (-1., ln + x1 * x2))
    return [dict(zip(said, map(float, of), strict=True)) for said, of in zip(slips, values, strict=True)]

with part(1, "other places"):
    for at in ((2.25, 4.), (0.3, -1.7), (4.5, 2.2)):
        middle_agrees(*at, right_ones(*at), slips_at(*at))
        inputs_agree(*at, right_ones(*at), slips_at(*at))
total()
### END HIDDEN TESTS

# %% [markdown] task="A.1.3c" kind="code" minutes=8 difficulty=2 needs="automatic differentiation, forward mode, trace of a program"
# ### Forward mode
#
# Write `tangents(x1, x2, d1, d2)`: the list $[\dot v_1, \dots, \dot v_7]$ of the derivatives of all values along the direction $(d_1, d_2)$ of the inputs: $\dot v_1 = d_1$, $\dot v_2 = d_2$, and so on in the order of the program.
#
# **You are done when**
# - **length**: there are seven tangents;
# - **unit directions**: along (1, 0) and (0, 1) they are right, and the last is an entry of the gradient;
# - **any direction**: along other directions, too.

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
# 3. Above: $\dot u_4 = \dot u_3 u_2 + u_3 \dot u_2$.

# %% check="A.1.3c" points=2
def forwards(at, direction, of):
    def run(x):
        v = [x[0], x[1], x[0].log(), x[0] * x[1], x[1].sin()]
        v.append(v[2] + v[3])
        return torch.stack(v + [v[5] - v[4]])
    _, right = torch.func.jvp(run, (torch.tensor(at, dtype=torch.float64),), (torch.tensor(direction, dtype=torch.float64),))
    found, what = tangents(*at, *direction), f"at {at} along {direction}"
    assert_type(found, (tuple, list, np.ndarray, torch.Tensor), f"what tangents returns {what}", of="length", hint="All seven tangents, in a list.")
    assert_equal(len(found), 7, f"the number of tangents {what}", of="length")
    (x1, x2), (d1, d2), length = at, direction, float(np.hypot(*direction))
    both_change = {"The product of the two tangents is no part of it.": d1 * x2 + x1 * d2 + d1 * d2} if d1 * d2 else {}
    slips = ({"This is v1 itself; its tangent is d1.": x1, "This is the derivative of y by v1, times d1; the tangent of v1 itself is d1.": (1 / x1 + x2) * d1, "The direction counts as it is; it is not made to have length 1.": d1 / length},
             {"This is v2 itself; its tangent is d2.": x2, "This is the derivative of y by v2, times d2; the tangent of v2 itself is d2.": float((x1 - np.cos(x2)) * d2), "The direction counts as it is; it is not made to have length 1.": d2 / length},
             {"The tangent of v1 is a factor of that of v3.": 1 / x1, "The derivative of ln is 1 / x, not ln itself.": float(d1 * np.log(x1)),
              "The slope of ln at v1 is 1 / v1: d1 is divided by v1, not multiplied.": d1 * x1, "v3 = ln v1: its slope is that at v1, 1 / v1, not that at v2.": d1 / x2, "The slope of ln x is 1 / x; -1 / x² is that of 1 / x.": -d1 / x1 ** 2, "The slope of ln x is 1 / x, not 1 / x².": d1 / x1 ** 2},
             {"Both contributions of a product count whole; this is half of their sum.": (d1 * x2 + x1 * d2) / 2, "A product has two contributions, each with the tangent of one factor and the value of the other.": d1 * d2, **({"One contribution of the product is missing.": d1 * x2} if d1 else {}),
              "Each tangent goes with the value of the other factor, not of its own.": d1 * x1 + d2 * x2, **both_change,
              "The tangents of v1 and v2 are factors in it; this is v2 + v1, as if both were 1.": x1 + x2, **({"The two contributions of a product are added; here the second is taken from the first.": d1 * x2 - x1 * d2} if d2 > 0 else
                {"The tangent of v2 is negative here, and enters with its sign.": d1 * x2 - x1 * d2} if d2 < 0 else {})},
             {"The tangent of v2 is a factor of that of v5.": float(np.cos(x2)), "The slope of the sine at v2 is asked, times the tangent; this is the sine of the tangent.": float(np.sin(d2)),
              "The cosine is that of v2, not of its tangent.": float(np.cos(d2)), "v5 = sin v2: its slope is that at v2, not that at v1.": float(np.cos(x1) * d2), "The derivative of the sine is not the sine.": float(np.sin(x2) * d2),
              "The slope of sin x is cos x; -sin x is that of cos x.": float(-np.sin(x2) * d2),
              "The slope of the sine is the cosine, without a minus: that of v5 comes in v7.": float(-np.cos(x2) * d2)},
             {"The tangent of v3 is missing in it: v6 is a sum, and so is its tangent.": right[3], "The tangent of v4 is missing in it: v6 is a sum, and so is its tangent.": right[2],
              "v6 is a sum, and so is its tangent; here the two are multiplied.": right[2] * right[3]},
             {"v5 is subtracted, and so is its tangent.": float(right[5] + right[4]), "The tangent of v5 is missing in it: v7 is a difference, and so is its tangent.": right[5],
              "v7 is v6 minus v5, in this order, and so are the tangents.": -right[6],
              "The direction counts as it is; the result is not divided by its length.": right[6] / length,
              "The derivative of y by v7 is 1, but that is an adjoint: the tangent says how v7 changes along the direction.": 1.})
    if d1 not in (0, 1) and d2 not in (0, 1):
        slips[0]["The tangent of v1 is d1 itself, also where it is not 0 or 1."] = 1.
    ways = (f"Its tangent is d1, here {d1:g}.", f"Its tangent is d2, here {d2:g}.", "v3 = ln v1: its tangent is the slope of ln at v1, times the tangent of v1.",
            "v4 = v1 v2: the tangent of v1 times the value of v2, and the value of v1 times the tangent of v2, are added.", "v5 = sin v2: its tangent is the slope of the sine at v2, times the tangent of v2.",
            "v6 is a sum, and so is its tangent.", "v7 is v6 minus v5, and so are the tangents.")
    assert_equal([f"v{i + 1}" for i in range(7) if np.size(found[i]) != 1], [], f"values whose tangent is no single number {what}", of="length", hint="Seven numbers are asked, the tangents alone.")
    for i, value in enumerate(right):
        near = bool(np.ndim(found[i]) == 0 and abs(float(found[i]) - value.item()) < 0.01 * max(1, abs(value.item())))
        assert_close(found[i], value.item(), f"the tangent of v{i + 1} {what}", of=of, rtol=1e-5, atol=1e-6, mistakes={words: float(slip) for words, slip in slips[i].items()},
                     hint="Near, but not exact: a difference quotient with a large step is not enough." if near else ways[i])

forwards((2., 0.75), (1., 0.), "unit directions")
forwards((2., 0.75), (0., 1.), "unit directions")
forwards((2., 0.75), (3., -2.), "any direction")
### BEGIN HIDDEN TESTS
forwards((0.8, -1.), (1., 0.), "unit directions")
forwards((0.8, -1.), (0., 1.), "unit directions")
for at, direction in (((2., 5.), (1., -0.5)), ((0.3, -1.7), (0.4, 2.)), ((4.5, 2.2), (0., -3.))):
    forwards(at, direction, "any direction")
### END HIDDEN TESTS

# %% [markdown] teaches="cost of a gradient in operations"
# ## 4. What a gradient costs
#
# Say a program has $N$ parameters and takes about $N$ operations, as a network does for one example: each weight is used once. Language models have $N = 10^9$ and more.
#
# - A formula for each of the $N$ derivatives, evaluated on its own, has about $N$ operations, even where it does not swell: $N^2$ together.
# - Difference quotients run the program again for each parameter.
# - Forward mode makes a pass for each parameter; a pass computes every value and its tangent.
# - Reverse mode makes one pass forward and one back.
#
# In general: for a program with several inputs and several results, a pass of forward mode gives the derivatives of *all* results by *one* input (or one direction). A pass of reverse mode gives those of *one* result by *all* inputs.
#
# ⚠ Lectures count the pass back as costly as the pass forward, $2N$ in all. Measure it (`FlopCounterMode` counts operations): for a matrix product forward there are two on the way back, one for the gradient of the input and one for that of the weights.

# %% teaches="cost of a gradient in operations"
from torch.utils.flop_counter import FlopCounterMode
net = torch.nn.Sequential(*[torch.nn.Linear(200, 200, bias=False) for _ in range(20)])
batch = torch.randn(50, 200)
with FlopCounterMode(display=False) as ahead:
    result = net(batch).sum()
with FlopCounterMode(display=False) as back:
    result.backward()
forward_cost, backward_cost = ahead.get_total_flops(), back.get_total_flops()
print(f"forward {forward_cost:,}, backward {backward_cost:,}: {backward_cost / forward_cost:.2f} times as much (the first layer's input needs no gradient)")

# %% [markdown] task="A.1.B" kind="code" minutes=3 difficulty=1 needs="cost of a gradient in operations, forward mode, reverse mode"
# ### How many passes?
#
# Write `passes(inputs, results)`: a program has so many inputs and so many results, and all derivatives of all results by all inputs are wanted. It returns a tuple: the number of passes in forward mode, and in reverse mode.
#
# **You are done when**
# - **forward**: the first number is right;
# - **reverse**: the second is.

# %% exercise="A.1.B"
def passes(inputs, results):
    """(passes of forward mode, passes of reverse mode) for all derivatives."""
    ### BEGIN SOLUTION
    return inputs, results
    ### END SOLUTION

# %% [markdown] hints="A.1.B"
# 1. What does one pass of each mode give?
# 2. A loss is one result of many parameters: one pass of reverse mode.
# 3. A place on earth from one number, the time: two results, one input; forward mode takes one pass.

# %% check="A.1.B" points=1
for n, m in ((4, 7), (5, 1)):
    found = passes(n, m)
    assert_type(found, (tuple, list, np.ndarray), f"what passes({n}, {m}) returns", of="forward", hint="Two numbers, in a tuple: the passes of forward mode and those of reverse mode.")
    assert_equal(len(found), 2, f"how many numbers passes({n}, {m}) returns", of="forward", hint="Two: the passes of forward mode and those of reverse mode.")
    assert_equal(found[0], n, f"passes of forward mode, the first number of passes({n}, {m}), with {n} inputs and {m} result{'s' * (m > 1)}", of="forward", mistakes={
        **({"The two numbers are exchanged: a pass of forward mode gives all results, for one input.": m} if found[1] == n else {
            "A pass of forward mode gives all results, for one input.": m, "One pass gives the derivatives by one input only.": 1}), "This is a pass for each pair of an input and a result; one pass gives all results.": n * m, "The results take no passes of their own.": n + m,
        "No pass is needed besides those for the inputs: each computes the values, too.": n + 1, "The values and their tangents come in one pass: it counts once.": 2 * n},
        hint="One pass of forward mode gives the derivatives of all results by one input.")
    assert_equal(found[1], m, f"passes of reverse mode, the second number of passes({n}, {m}), with {n} inputs and {m} result{'s' * (m > 1)}", of="reverse", mistakes={
        "A pass of reverse mode gives all inputs, for one result.": n, "This is a pass for each pair of an input and a result; one pass gives all inputs.": n * m, "The inputs take no passes of their own.": n + m,
        "The way forward belongs to the pass: it is not counted on its own.": m + 1, "One pass gives the derivatives of one result only.": 1, "The way forward and the way back are one pass: it counts once.": 2 * m},
        hint="One pass of reverse mode gives the derivatives of one result by all inputs.")
### BEGIN HIDDEN TESTS
for n, m in ((2000, 1), (3, 3), (1, 40)):
    assert_equal(passes(n, m)[0], n, f"passes of forward mode for {n} inputs and {m} results", of="forward", hint="One pass for each input gives all that is wanted.")
    assert_equal(passes(n, m)[1], m, f"passes of reverse mode for {n} inputs and {m} results", of="reverse", hint="One pass for each result gives all that is wanted.")
### END HIDDEN TESTS

# %% [markdown] task="A.1.4" kind="explain" minutes=15 difficulty=3 core=true needs="cost of a gradient in operations, expression swell, best step of a difference quotient"
# ### Which way, when?
#
# First write `operations(N)`: a dictionary with the operations for a whole gradient by the keys `"symbolic"`, `"one-sided"`, `"central"`, `"forward mode"` and `"reverse mode"`. Count as above: a run of the program costs $N$; a tangent costs as much as the value that it belongs to; the pass back costs twice
# the pass forward. One per cent more or less counts as right.
#
# Then explain, with the numbers for $N = 10^9$: why is a network not trained by formulas or differences; where is each of the three ways a good idea nevertheless; and when is forward mode the right one?
#
# **You are done when**
# - **keys**: the dictionary has the five keys;
# - **counts**: each number is right, for any `N` of 500 or more; and your text names a good use of each way.

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

def count_of(N, ways=WAYS):
    found, right = operations(N), dict(zip(WAYS, (N * N, N * N, 2 * N * N, 2 * N * N, 3 * N)))
    assert_type(found, dict, f"what operations({N:,}) returns", of="keys")
    assert_equal(sorted(set(WAYS) - set(found)), [], f"keys that operations({N:,}) does not have", of="keys", hint="The five keys are written as in the task.")
    assert_equal(sorted(map(str, set(found) - set(WAYS))), [], f"keys of operations({N:,}) that are none of the five", of="keys", hint="The dictionary has the five keys, and no others.")
    runs = "This is the number of runs or passes; each of them costs N or more."
    slips = {"symbolic": {"There are N formulas, each with about N operations: together these are N times N.": N, "Each of the N formulas has about N operations: their swell is not counted here.": 2 * N * N},
             "one-sided": {"The point in the middle is common: it takes one run, not one for each parameter.": 2 * N * N, runs: N},
             "central": {"A central quotient does not need the point in the middle: two runs for each parameter.": 3 * N * N, "Each parameter takes two runs, one on each side.": N * N, runs: 2 * N},
             "forward mode": {"Each pass computes every value and its tangent, the values anew each time: it costs more than a run.": N * N,
                              "A tangent costs as much as its value: a pass costs two runs, not three.": 3 * N * N, runs: N,
                              "2 N is the cost of a single pass, or the number of runs if a pass counts as two. There are N passes, and each costs 2 N.": 2 * N},
             "reverse mode": {"Backward costs twice forward, and both count.": 2 * N, "One pass of reverse mode gives the derivatives by all parameters.": 3 * N * N, "This is the run forward alone.": N}}
    rules = {"one-sided": "There is a run for each parameter, and one at the common point; each costs N.", "central": "There are two runs for each parameter, and each costs N.",
             "symbolic": "There are N formulas, each with about N operations.", "reverse mode": "Backward costs twice forward, and both count.", "forward mode": "A pass computes every value and its tangent, and there is a pass for each parameter."}
    for way in ways:
        assert_type(found[way], (int, float), f"the operations by {way} for N = {N:,}", of="counts")
        known = [words for words, value in slips[way].items() if abs(found[way] - value) < 0.011 * value]
        then, fold = operations(2 * N)[way], 2 if way == "reverse mode" else 4
        grown = bool(found[way] > 0 and 50 * abs(then - fold * found[way]) <= abs(then))
        words = "Yours is the same for another N." if then == found[way] else known[0] if known else rules[way] + (
            f" Yours grows with N as it should, but its factor is not right: it is about {found[way] / right[way] * {'central': 2, 'forward mode': 2, 'reverse mode': 3}.get(way, 1):.3g} · {'N' if way == 'reverse mode' else 'N · N'}." if grown else f" For twice as many parameters it is to be {fold} times as large, and yours is not.")
        assert_true(bool(abs(found[way] - right[way]) < 0.011 * right[way]), f"the operations by {way} for N = {N:,}", of="counts", hint=f"{words} Yours is {found[way]:,}." if abs(found[way]) < 1e24 else f"{words} Yours has more than 24 digits.")

with part(0.5, "formulas and differences"):
    count_of(1000, WAYS[:3])
    count_of(2000, WAYS[:3])
with part(0.5, "the two modes"):
    count_of(1000, WAYS[3:])
    count_of(2000, WAYS[3:])
### BEGIN HIDDEN TESTS
with part(1, "other sizes"):
    for N in (500, 10 ** 6, 123_456):
        count_of(N)
total()
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

# %% [markdown] teaches="test of a gradient"
# ### The best use of differences
#
# Differences are the independent witness: they know nothing of the rules by which a gradient was made. To compare two numbers that should agree, take the *relative* error, $|g - q|$ divided by the size of the numbers. But a right derivative may be 0, and then so may be the size. Dividing by at least 1 helps: small numbers are compared absolutely, large ones relatively.

# %%
for g, q in ((1000., 1000.5), (1e-9, -1e-9), (3., 3.5)):
    print(f"g = {g}, q = {q}: relative error {abs(g - q) / max(abs(g), abs(q)):.5f}, divided by at least 1: {abs(g - q) / max(1, abs(g), abs(q)):.5f}")

# %% [markdown] task="A.1.5" kind="code" minutes=12 difficulty=3 core=true needs="test of a gradient, numerical differentiation, best step of a difference quotient"
# ### A test for gradients
#
# Write `gradient_error(f, gradient, x)`. `f` takes a vector and returns a number, `gradient` takes the vector and returns what is claimed to be the gradient of `f`. It returns the largest relative error of an entry,
#
# $$\max_i \frac{|g_i - q_i|}{\max(1, |g_i|, |q_i|)},$$
#
# where $q_i$ is a difference quotient with a step that you choose.
#
# **You are done when**
# - **right gradient**: for the right gradient of a smooth function such as `squares`, at entries of up to about 150 in size, the result is below $10^{-6}$;
# - **formula**: for a wrong one it is the number of the formula, up to a thousandth;
# - **every entry**: a gradient that is wrong in a single entry, whichever, is found;
# - **x kept**: `x` is as it was.

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

# %% check="A.1.5" points=3
@probe
def tested(name, flaw, x):
    slopes = {"squares": lambda x: 2 * np.arange(len(x)) * x, "the_function": lambda x: np.array([1 / x[0] + x[1], x[0] - np.cos(x[1])])}
    def claimed(x):
        return np.array(slopes[name](x), dtype=float) * flaw[0] + np.asarray(flaw[1])
    start, moves = x.copy(), []
    def recorded(point):
        if np.shape(point) == start.shape:
            moves.append(np.array(point, dtype=float) - start)
        return globals()[name](point)
    found = gradient_error(recorded, claimed, x)
    return {"error": found if found is None or np.ndim(found) else float(found), "kind": type(found).__name__, "x": x, "moves": moves}

SLOPES = {"squares": lambda x: 2 * np.arange(len(x)) * x, "the_function": lambda x: np.array([1 / x[0] + x[1], x[0] - np.cos(x[1])])}

def is_a_number(found, what, of):
    assert_type(found["error"], float, f"{what}: what gradient_error returns", of=of, hint="One number: the largest of the errors of the entries.")
    assert_true("bool" not in found["kind"], f"{what}: gradient_error returns a number, here {found['kind']}", of=of, hint="How large the error is, is asked, not whether it is small.")

def accepted(name, x):
    found, what = tested(name, (1., np.zeros(len(x))), x.copy()), f"the right gradient of {name} at ({', '.join(f'{v:.3g}' for v in x)})"
    is_a_number(found, what, "right gradient")
    assert_close(found["x"], x, f"{what}: x after the call", of="x kept", hint="x is to be as it was before the call.")
    assert_equal(found["x"].tolist(), x.tolist(), f"{what}: x after the call, with all its digits", of="x kept",
                 hint="x itself was moved and moved back, and rounding has left another last digit: move a copy.")
    moves = np.array([move for move in found["moves"] if np.any(move)]).reshape(-1, len(x))
    step, size = float(np.abs(moves).max()) if len(moves) else 0., np.abs(SLOPES[name](x))
    doubled, turned = float((size / np.maximum(1, 2 * size)).max()), float((2 * size / np.maximum(1, size)).max())
    words = ("An entry of the gradient is 0, and 0 / 0 is nan: divide by at least 1." if np.isnan(found["error"])
             else "Your function calls f at x alone; a quotient needs points beside it." if not len(moves)
             else "You move several entries at a time; move one, and leave the others where they are." if (np.count_nonzero(moves, axis=1) > 1).any()
             else "All points at which you call f lie on one side of x: take the central quotient." if (moves >= 0).all() or (moves <= 0).all()
             else f"Your points are {step:.0e} away from x: what rounding does to f is large against so small a difference." if step < 1e-6
             else f"Your points are {step:.0e} away from x: over so long a step the curve bends." if step > 3e-4
             else "This is the error that comes out where each quotient is twice the right one: two points at distance 2h, and a division by h." if abs(found["error"] - doubled) < 1e-4
             else "This is the error that comes out where each quotient has the other sign: the value ahead comes first." if abs(found["error"] - turned) < 1e-4
             else "Your points are well chosen: are the two values divided by their distance, and the error by the right size?")
    assert_true(found["error"] < 1e-6, f"{what}: the error is below 1e-6; found {found['error']:.2g}", of="right gradient", hint=words)

def way_of(moves, n):
    """What is to be said about the points at which f was called, by their distances from x; nothing where each entry was moved alone."""
    moves = np.array([move for move in moves if np.any(np.abs(move) > 1e-13)]).reshape(-1, n)
    unmoved = [j for j in range(n) if not np.any(moves[:, j])]
    return ("Your function calls f at x alone; a quotient needs points beside it." if not len(moves) else f"No call of f moves entry {unmoved[0]}: its quotient is missing." if unmoved
            else "You move several entries at a time; for q_i move entry i, and leave the others where they are." if (np.count_nonzero(np.abs(moves) > 1e-13, axis=1) > 1).any() else "")

def which_step():
    """The smallest case in which the number of the formula does not come out, worked out."""
    for q, g, words in ((0.2, (0, 0.45), "|0.45 - 0.2| / max(1, 0.45, 0.2) = 0.25"), (8., (0, 10.), "|10 - 8| / max(1, 10, 8) = 0.2"), (10., (0, 8.), "|8 - 10| / max(1, 8, 10) = 0.2"),
                        (8., (0, -8.), "|-8 - 8| / max(1, 8, 8) = 2"), (10., (0.1, 10.5), "the larger of |0.1 - 0| / 1 and |10.5 - 10| / 10.5, which is 0.1"), (10., (0.1, 15.), "the larger of |0.1 - 0| / 1 and |15 - 10| / 15, which is 0.333")):
        found = tested("squares", (1., np.array([g[0], g[1] - q])), np.array([1., q / 2]))["error"]
        entries = [abs(one - other) / max(1, abs(one), abs(other)) for one, other in zip(g, (0, q))]
        if np.ndim(found) or not abs(found - max(entries)) < 1e-3 * max(entries):
            plain = max(abs(one - other) for one, other in zip(g, (0, q)))
            return (f"Where g = ({g[0]:g}, {g[1]:g}) and q = (0, {q:g}) it is {words}; yours is {found:.4g}" +
                    (", the difference itself, which is divided by nothing." if abs(found - plain) < 1e-3 * plain else ".")
                    if isinstance(found, float) else "One number is asked.")
    return "For each entry: the size of g - q, divided by the largest of 1, the size of g and the size of q. Of these the largest counts. For vectors of two entries yours is right."

def rejected(x, factor, shift, words, of="formula", only=None):
    exact = 2 * np.arange(len(x)) * x
    claimed, reply = exact * factor + shift, tested("squares", (factor, shift), x.copy())
    found = reply["error"]
    gap, g, q = np.abs(claimed - exact), np.abs(claimed), np.abs(exact)
    size = np.maximum(1, np.maximum(g, q))
    entries, largest = gap / size, np.maximum(g, q)
    is_a_number(reply, words, of)
    assert_close(found, float(entries.max()), f"{words}: the error", of=of, rtol=1e-3, atol=1e-6, mistakes={f"Entry {only} is wrong, and its error is not in your result.": 0.} if only is not None else {
        "The largest error of all entries counts, not their mean.": float(entries.mean()), "The largest error of all entries counts, not their sum.": float(entries.sum()), "The largest error of all entries counts, not the smallest.": float(entries.min()),
        "This is the absolute error: divide by the largest of 1 and the two sizes.": float(gap.max()), "An error may be negative: the size of the difference counts.": float(((claimed - exact) / size).max()),
        "An error may be negative, whichever is taken from the other: the size of the difference counts.": float(((exact - claimed) / size).max()),
        "The difference is not squared.": float((gap ** 2 / size).max()), "The error is not squared.": float((entries ** 2).max()), "No root is taken.": float(np.sqrt(entries.max())),
        "Each entry has an error of its own; this is one for the whole vectors, by the sum of their norms.": float(np.sqrt((gap ** 2).sum()) / max(1, np.sqrt((g ** 2).sum()) + np.sqrt((q ** 2).sum()))),
        "The sizes in the divisor are those without the sign.": float((gap / np.maximum(1, np.maximum(claimed, exact))).max()),
        "Each entry is divided by its own size, not by the largest of all.": float(gap.max() / size.max()), "Each entry has an error of its own; this is one for the whole vectors, by their norms.": float(np.sqrt((gap ** 2).sum()) / max(1, np.sqrt((g ** 2).sum()), np.sqrt((q ** 2).sum()))),
        "Divide by the largest of the three sizes, not by their sum.": float((gap / (1 + g + q)).max()), "Divide by the larger of the two sizes, not by their sum.": float((gap / np.maximum(1, g + q)).max()), "1 is one of the three sizes; it is not added to the largest.": float((gap / (1 + largest)).max()),
        "Divide by at least 1: 1 is one of the sizes.": float((gap / np.where(largest > 0, largest, 1)).max()),
        "Where g is larger than q, g is the size to divide by; yours divides by the smaller one.": float((gap / np.maximum(1, q)).max()), "Where q is larger than g, q is the size to divide by; yours divides by the smaller one.": float((gap / np.maximum(1, g)).max()),
        "The largest error of all entries counts, not the one in the middle.": float(np.median(entries)), "Divide by the largest of the three sizes, not by the root of the sum of their squares.": float((gap / np.sqrt(1 + g ** 2 + q ** 2)).max()),
        "Divide by the larger of the two sizes, not by their mean.": float((gap / np.maximum(1, (g + q) / 2)).max()),
        "It is the number of the formula, not in per cent.": float(100 * entries.max()),
        "This is the error of the first entry; the largest counts.": float(entries[0]), "This is the error of the last entry; the largest counts.": float(entries[-1])},
        hint=lambda: way_of(reply["moves"], len(x)) or (which_step() if only is None and not abs(found - entries.max()) < 1e-3 * entries.max() else ""))

at = np.array([1., -2., 3.])
with part(1, "a right gradient"):
    accepted("squares", at)
    accepted("the_function", np.array([0.6, -2.]))
    accepted("squares", np.array([9., -7., 5., 100.]))
    accepted("squares", np.array([0.1, -0.7, 1.3, 2.9, -3.7, 0.3]))
with part(1, "wrong gradients"):
    rejected(np.array([1., 30., -2., 0.5, 2.]), 1., np.array([-0.06, -2., -4., -0.27, -2.]), "the gradient of squares at (1, 30, -2, 0.5, 2) minus 0.06, 2, 4, 0.27 and 2 in its entries")
    rejected(at, 0.4, np.zeros(3), "0.4 times the gradient of squares at (1, -2, 3)")
    rejected(at, 1., np.array([0.1, 1., 3.]), "the gradient of squares at (1, -2, 3) plus 0.1, 1 and 3 in its entries")
    for i in range(3):
        rejected(at, 1., 0.25 * np.eye(3)[i], f"the gradient of squares at (1, -2, 3) plus 0.25 in entry {i}", "every entry", only=i)
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(915)
with part(1, "other places and flaws"):
    long = rng.normal(size=6) * 3
    for name, x in (("squares", long), ("the_function", np.array([1.4, 2.5])), ("squares", 20 * long)):
        accepted(name, x)
    for factor, shift, words in ((-1., 0., "the other sign"), (0., 0., "zeros"), (1.5, 0.1, "another factor and shift"), (1., -0.5, "0.5 too low")):
        rejected(long, factor, shift * np.ones(6), f"a wrong gradient of squares ({words})")
    for i in range(6):
        rejected(long, 1., -0.03 * np.eye(6)[i], f"a gradient of squares that is 0.03 too low in entry {i}", "every entry", only=i)
total()
### END HIDDEN TESTS

# %% [markdown] teaches="static graph, dynamic graph"
# ## 5. Static and dynamic graphs
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

# %% [markdown] teaches="tracing a program"
# `torch.fx` traces a function symbolically: it runs it with stand-ins for tensors and writes down what they meet. Here is a function with a value that is never used and one that is computed twice.

# %% teaches="tracing a program"
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

# %% [markdown] teaches="dead code elimination, common subexpression elimination"
# The first call made two graphs: one up to the branch, and one for the way that it went. The second call made none. The third, with negative numbers, made one for the other way.
#
# ### Two improvements, by hand
#
# With the whole graph in view, two improvements are easy to state. *Dead code*: what the result does not depend on need not be computed. *Common subexpressions*: what is computed twice, need be computed once. In `wasteful` above there is one of each: `x.cos()`, and the second `x.sin()`.
#
# A graph is written as a dictionary from names to tuples: the operation, then the names of its inputs, such as `{"a": ("sin", "x"), "b": ("cos", "x"), "c": ("add", "a", "a")}`. An operation may have any number of inputs, and a value may be called like an operation. Names that are no keys are inputs from outside. The entries stand in the order of execution, so an entry comes after those that it uses. Two of Python's tools help: `reversed(graph)`
# walks the keys from the last to the first; `d.setdefault(key, value)` returns `d[key]`, and if there is none, it first sets it to `value`.

# %%
first_seat = {}
for place, name in enumerate(["Ada", "Bo", "Ada", "Cy"]):
    print(name, "sits on", first_seat.setdefault(name, place))

# %% [markdown] task="A.1.6a" kind="code" minutes=10 difficulty=3 needs="dead code elimination, static graph"
# ### Operations that nothing needs
#
# Write `needed(graph, result)`: the list of those names of the graph that must be computed to get the value `result`, itself included.
#
# **You are done when**
# - **needed ones**: every name that `result` depends on is there, through any number of steps;
# - **no others**: names that it does not depend on, and inputs from outside, are not;
# - **order**: each name stands there once, in the order of the graph;
# - **graph kept**: the graph is as it was;
# - **long chains**: a chain of 3,000 operations works (Python stops a function that calls itself more than about 1,000 times).

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
def ancestors(graph, result):
    wanted, todo = set(), [result]
    while todo:
        name = todo.pop()
        if name in graph and name not in wanted:
            wanted.add(name)
            todo += graph[name][1:]
    return wanted

@probe
def names_for(graph, result):
    try:
        found = needed(graph, result)
    except RecursionError as error:
        if len(graph) < 1000:
            raise
        return {"trouble": f"RecursionError: {error}"}
    return {"found": found, "graph": graph, "names": list(graph), "trouble": ""}

def names_agree(graph, result, what, of=None):
    reply, wanted = names_for(dict(graph), result), ancestors(graph, result)
    assert_true(not reply["trouble"], f"{what}: no error is raised; it raised {reply['trouble']}", of="long chains",
                hint="A function that calls itself for the inputs goes as deep as the chain is long. A loop does not.")
    found = reply["found"]
    assert_type(found, (list, tuple, set, frozenset, dict), f"{what}: what needed returns", of=of or "needed ones", hint="The names stand in a list.")
    assert_equal({name: tuple(entry) for name, entry in reply["graph"].items()}, dict(graph), f"{what}: the graph after the call", of="graph kept", hint="The graph itself was changed: collect the names in a list of your own.")
    assert_type(found, (list, tuple), f"{what}: what needed returns", of=of or "order", hint="The names stand in a list: they have an order.")
    missing, more = [name for name in reversed(graph) if name in wanted and name not in found], [name for name in graph if name in found and name not in wanted]
    last, because = list(graph)[-1], ""
    if missing and set(found) & set(graph) == ancestors(graph, last):
        because = f"These are the names for the last entry; those for {result} are asked."
    elif result in missing:
        because = f"{result} itself must be computed, too."
    elif missing:
        place, user = next((entry.index(missing[0], 1), name) for name, entry in graph.items() if name in wanted and missing[0] in entry[1:])
        because = f"{missing[0]} is missing: it is input {place} of {user}, which is needed." + (f" Your list has {user}; what {user} needs is needed, too." if user in found else "")
    assert_equal(len(missing), 0, f"{what}: the number of names that are missing", of=of or "needed ones", hint=because)
    assert_equal(sorted(set(found) - set(graph)), [], f"{what}: names in the list that are no names of the graph", of=of or "no others", hint="They come from outside.")
    whole = list(graph)[:list(graph).index(result) + 1]
    upto = f" Yours has every entry up to {result}, needed or not." if list(found) == whole else ""
    assert_equal(more, [], f"{what}: names in the list that {result} does not need", of=of or "no others",
                 hint="The first word of an entry is the operation; only the names after it are inputs." if more and set(more) <= {entry[0] for entry in graph.values()} else f"No way through the inputs leads from {result} to {more[0]}." + upto if more else "")
    assert_equal(len(found) - len(set(found)), 0, f"{what}: how many entries of the list are names that stand in it before", of=of or "order", hint="Each name stands there once, however many entries use it.")
    in_order = [name for name in graph if name in wanted]
    assert_equal(list(found), in_order, f"{what}: the names in their order", of=of or "order", hint="They stand in the order of the graph, which is that of execution.",
                 mistakes={"This is the order from the end to the beginning; that of the graph is asked.": in_order[::-1]} if len(in_order) > 1 else None)

small = {"a": ("sin", "x"), "b": ("cos", "x"), "c": ("add", "a", "a")}
lonely = {"cos": ("exp", "x"), "sin": ("cos", "y"), "b": ("sin", "z"), "c": ("where", "b", "x", "sin")}
deep = {"p": ("sin", "x"), "q": ("cos", "p"), "r": ("exp", "y"), "s": ("sub", "q", "y"), "t": ("mul", "s", "p"), "u": ("sin", "t")}
names_agree(small, "c", "the graph of the text, the names for c")
names_agree(small, "b", "the graph of the text, the names for b")
names_agree(lonely, "b", "a graph with values called cos and sin, the names for b", "no others")
names_agree(lonely, "c", "a graph with values called cos and sin, the names for c, made by an operation of three inputs")
names_agree(deep, "t", "six operations, the names for the fifth")
chain = {f"c{i}": ("sin", f"c{i - 1}" if i else "x") for i in range(3000)}
names_agree(chain, "c2999", "a chain of 3,000 operations", "long chains")
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(916)
for k in range(6):
    graph = {}
    for i in range(12):
        before = ["x", "y", *graph]
        graph[f"n{(7 * i + k) % 13}"] = ("add", *(before[int(j)] for j in rng.integers(0, len(before), size=1 + i % 2)))
    for result in (list(graph)[-1], list(graph)[5]):
        names_agree(graph, result, f"random graph {k}, the names for {result}")
names_agree({"exp": ("sub", "x", "y"), "mul": ("exp", "x"), "k": ("mul", "x", "x"), "m": ("clip", "k", "y", "exp"), "n": ("add", "m", "k")}, "m", "operations whose words are names, too", "no others")
names_agree({"exp": ("sub", "x", "y"), "mul": ("exp", "x"), "k": ("mul", "x", "x"), "l": ("clip", "k", "y", "z", "exp")}, "l", "an operation of four inputs")
names_agree({f"d{i}": ("add", f"d{i - 1}" if i else "x", f"d{i - 1}" if i else "x") for i in range(4000)}, "d3998", "another chain, of 4,000 operations", "long chains")
### END HIDDEN TESTS

# %% [markdown] task="A.1.6b" kind="code" minutes=12 difficulty=4 needs="common subexpression elimination, static graph"
# ### Operations that are done twice
#
# Write `first_of(graph)`: a dictionary from each name of the graph to the first name that computes the same value. Two entries compute the same if they have the same operation, and their inputs, in this order, are the same values. So if `a` and `b` are equal, then `("sin", "a")` and `("sin", "b")` are, too, and so is what is made of these, and so on.
#
# **You are done when**
# - **same operation and inputs**: entries that are written alike have the same first name, others have not;
# - **any depth**: what is made of equal values in the same way is equal, through any number of steps;
# - **order of the inputs**: `("sub", "x", "y")` and `("sub", "y", "x")` differ, and so do `("add", "x", "y")` and `("add", "y", "x")`: no rule of arithmetic counts;
# - **graph kept**: the graph is as it was.

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
@probe
def merged(graph):
    found = first_of(graph)
    return {"found": found, "graph": graph, "names": list(graph)}

def merge_agrees(graph, firsts, what, of, mistakes=None):
    found = merged({name: tuple(entry) for name, entry in graph.items()})
    assert_type(found["found"], dict, f"{what}: what first_of returns", of=of)
    assert_equal({name: tuple(entry) for name, entry in found["graph"].items()}, graph, f"{what}: the graph after the call", of="graph kept", hint="The graph itself was changed: compare with new tuples, and leave its entries as they are.")
    assert_equal([name for name in graph if name in found["found"] and found["found"][name] not in list(graph)], [], f"{what}: keys whose value is no name of the graph", of=of, hint="Each value is one name: that of the first entry that computes the same.")
    strayed = next((name for name in graph if found["found"].get(name) != firsts[name]), None)
    hint = "" if strayed is None else f"{strayed} is missing: every name of the graph is a key." if strayed not in found["found"] else (
        f"The first name that is not right is that for {strayed}, which is {' of '.join((graph[strayed][0], ', '.join(graph[strayed][1:])))}. "
        + ("No entry before it computes the same." if firsts[strayed] == strayed else "An entry before it computes the same, with the same operation and inputs of the same values."))
    assert_equal(found["found"], firsts, what, of=of, mistakes=mistakes, hint=hint)

twice = {"a": ("sin", "x"), "b": ("sin", "x"), "c": ("cos", "x"), "d": ("sin", "y"), "e": ("sin", "x")}
words = {"sin": ("exp", "x"), "cos": ("exp", "x"), "a": ("sin", "y"), "b": ("cos", "y")}
levels = {"a": ("sin", "x"), "b": ("sin", "x"), "c": ("cos", "a"), "d": ("cos", "b"), "e": ("exp", "c"), "f": ("exp", "d"), "g": ("add", "e", "f"), "h": ("add", "f", "e")}
staircase = {f"{letter}{i}": ("sin", f"{letter}{i - 1}" if i else "x") for i in range(6) for letter in "ab"}
three_inputs = {"u": ("where", "x", "y", "z"), "v": ("where", "x", "y", "w"), "w2": ("add", "a", "bc"), "w3": ("add", "ab", "c"), "u2": ("where", "x", "y", "z")}
sums = {"p": ("add", "x", "y"), "q": ("add", "y", "x"), "r": ("mul", "x", "y"), "s": ("mul", "y", "x")}
orders = {"p": ("sub", "x", "y"), "q": ("sub", "y", "x"), "r": ("sub", "x", "y"), "s": ("sub", "x", "x")}
merge_agrees(twice, {"a": "a", "b": "a", "c": "c", "d": "d", "e": "a"},
             "sin x, sin x again, cos x, sin y, and sin x a third time", "same operation and inputs", {
    "Equal inputs are not enough: the operations differ.": {"a": "a", "b": "a", "c": "a", "d": "d", "e": "a"}, "Equal operations are not enough: sin x and sin y have different inputs.": {"a": "a", "b": "a", "c": "c", "d": "a", "e": "a"}, "Every name of the graph is a key, also one that is the first itself.": {"b": "a", "e": "a"},
    "Each name is its own first here: b and e compute what a does.": {name: name for name in twice}, "The first name of equal values counts, not the last.": {"a": "e", "b": "e", "c": "c", "d": "d", "e": "e"}, "The first name of equal values counts, not the one before.": {"a": "a", "b": "a", "c": "c", "d": "d", "e": "b"},
    "The keys are the names of the graph alone; x and y come from outside.": {"x": "x", "y": "y", "a": "a", "b": "a", "c": "c", "d": "d", "e": "a"}})
merge_agrees(words, {"sin": "sin", "cos": "sin", "a": "a", "b": "b"},
             "values called sin and cos, both exp x, then sin y and cos y", "same operation and inputs", {
    "The first word of an entry is the operation: sin and cos are two, also where values with these names are equal.": {"sin": "sin", "cos": "sin", "a": "a", "b": "a"}})
merge_agrees(levels, {"a": "a", "b": "a", "c": "c", "d": "c", "e": "e", "f": "e", "g": "g", "h": "g"},
             "sin x twice, the cosines of both, the exponentials of these, and their sums", "any depth", {
    "a and b are the same value, so their cosines are, too.": {**{name: name for name in levels}, "b": "a"},
    "The cosines are the same value, so their exponentials are, too: it goes on through any number of steps.": {**{name: name for name in levels}, "b": "a", "d": "c"}})
merge_agrees(staircase, {f"{letter}{i}": f"a{i}" for i in range(6) for letter in "ab"},
             "two chains of six sines of x", "any depth")
merge_agrees(orders, {"p": "p", "q": "q", "r": "p", "s": "s"}, "differences of x and y in both orders", "order of the inputs", {
    "x - y is not y - x: the order of the inputs counts.": dict.fromkeys("pqr", "p") | {"s": "s"}})
merge_agrees(sums, {"p": "p", "q": "q", "r": "r", "s": "s"},
             "sums and products of x and y in both orders", "order of the inputs", {
    "Sums in both orders are merged here. No rule of arithmetic counts: the inputs are to be the same values, in this order.": {"p": "p", "q": "p", "r": "r", "s": "s"},
    "Sums and products in both orders are merged here. No rule of arithmetic counts: the inputs are to be the same values, in this order.": {"p": "p", "q": "p", "r": "r", "s": "r"}})
merge_agrees(three_inputs, {"u": "u", "v": "v", "w2": "w2", "w3": "w3", "u2": "u"},
             "an operation of three inputs, and the sums of a and bc, of ab and c", "same operation and inputs", {
    "An operation may have more than two inputs: u and v have different third ones.": {"u": "u", "v": "u", "w2": "w2", "w3": "w3", "u2": "u"},
    "a and bc are other inputs than ab and c, though the letters in a row are the same.": {"u": "u", "v": "v", "w2": "w2", "w3": "w2", "u2": "u"}})
### BEGIN HIDDEN TESTS
def formulas(graph):
    """The first name with the same formula, written out, for each name."""
    def formula(name):
        return f"{graph[name][0]}({','.join(map(formula, graph[name][1:]))})" if name in graph else name
    firsts = {}
    return {name: firsts.setdefault(formula(name), name) for name in graph}

def merges(graph, *said):
    merge_agrees(graph, formulas(graph), *said)

rng = np.random.default_rng(917)
merges({"s": ("sin", "x"), "t": ("cos", "x"), "u": ("sin", "x"), "v": ("sin", "s")}, "other sines", "same operation and inputs")
for k in range(6):
    graph = {}
    for i in range(16):
        before = ["x", "y", *graph][-6:]
        operation = ["sin", "cos", "sub"][int(rng.integers(3))]
        graph[f"n{(5 * i + k) % 17}"] = (operation, *(before[int(j)] for j in rng.integers(0, len(before), size=2 if operation == "sub" else 1)))
    merges(graph, f"random graph {k}", "any depth")
merges({f"{letter}{i}": ("cos" if i % 3 else "exp", f"{letter}{i - 1}" if i else "y") for i in range(20) for letter in "pqr"}, "three chains of 20 operations", "any depth")
merges({"a": ("f", "x", "y", "z", "y"), "b": ("f", "x", "y", "z", "z"), "c": ("mul", "s", "tt"), "d": ("mul", "st", "t"), "e": ("muls", "t", "t"), "g": ("f", "x", "y", "z", "z")}, "operations of four inputs, and names that are alike", "same operation and inputs")
merges({"mul": ("abs", "y"), "add": ("abs", "y"), "p": ("mul", "x", "y"), "q": ("add", "x", "y"), "r": ("mul", "x", "y")}, "values called like operations", "same operation and inputs")
merges({"p": ("sub", "y", "x"), "q": ("sin", "p"), "r": ("sub", "q", "p"), "s": ("sub", "p", "q"), "t": ("sub", "q", "p")}, "differences in both orders, another graph", "order of the inputs")
merges({"p": ("mul", "y", "x"), "q": ("sin", "p"), "r": ("add", "q", "p"), "s": ("add", "p", "q"), "t": ("mul", "x", "y")}, "products and sums in both orders", "order of the inputs")
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

# %% [markdown] task="A.1.7" kind="explain" minutes=12 difficulty=3 needs="tracing a program, static graph, dynamic graph"
# ### Which programs have a static graph?
#
# The cell above has seven programs. Which of them does `torch.fx.symbolic_trace` turn into one graph? Predict, then try. Hand in `traceable`, a collection of letters.
#
# Then explain in words: what decides whether a program can be traced; what may go wrong if a tracer follows *one* run with real numbers instead of stopping at a branch; and two improvements that need the whole graph.
#
# **You are done when**
# - **letters**: all right letters are in `traceable`, and no wrong one; and your text answers the three questions.

# %% exercise="A.1.7"
### BEGIN SOLUTION
traceable = {"A", "C", "E", "F"}
### END SOLUTION

# %% [markdown] hints="A.1.7"
# 1. Which branches and loops depend on a value of a tensor, and which on something that is known without it?
# 2. Where Python needs a `True`, a `False` or an integer made from a tensor's value, the tracer has none. `torch.where` is an operation like any other: it computes both and picks.
# 3. `for layer in layers: x = layer(x)` is traced; the loop is unrolled. `while loss > 0.1:` is not.

# %% check="A.1.7" points=1 hidden_only="the answer is letters: a visible part that asked for each would be the answer"
assert_type(traceable, (set, frozenset, list, tuple, str, dict, np.ndarray), "traceable", of="letters", hint='A collection of letters, such as {"A", "B"}.')
assert_equal(sorted({str(letter) for letter in traceable if letter not in (" ", ",")} - set("ABCDEFG")), [], "entries of traceable that are none of the letters A to G", of="letters", hint='The keys of programs are asked, such as "A".')
assert_true("A" in list(traceable), "A is among the letters", of="letters", hint="It has neither a branch nor a loop." + (" The letters of the programs that can be traced are asked, not those of the others." if "B" in list(traceable) else ""))
assert_true("B" not in list(traceable), "B is not among the letters", of="letters", hint="Its branch asks for x.sum() > 0, and a stand-in has no value.")
### BEGIN HIDDEN TESTS
def has_graph(function):
    try:
        torch.fx.symbolic_trace(function)
        return True
    except Exception:
        return False

wanted = {letter for letter, function in programs.items() if has_graph(function)}
handed_in = {str(letter) for letter in traceable if letter not in (" ", ",")}
assert_equal(sorted(handed_in - wanted), [], "letters that torch.fx cannot trace", of="letters", hint="Python needs the value of a tensor there.")
reasons = {"C": "A loop that runs a known number of times is no obstacle: it is unrolled.", "E": "torch.where is an operation, not a branch.", "F": "A loop and a branch that ask for Python's own numbers are no obstacle."}
assert_equal(len(wanted - handed_in), 0, "the number of letters that are missing", of="letters", hint=" ".join(reasons.get(letter, "") for letter in sorted(wanted - handed_in)).strip())
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

# %% [markdown] teaches="sharding, mixed precision in bytes"
# ## 6. When one device is too small
#
# Training holds more than the parameters: their gradients, the optimizer's states, and the values that the backward pass needs. With several devices that each train on their own share of the batch, all of this is the same on every device, a waste. *Sharding* gives each device a part: in stage 1 the optimizer's states, in
# stage 2 the gradients as well, in stage 3 the parameters, too, which are then sent around when a layer needs them (ZeRO, arXiv 1910.02054; in torch: `FullyShardedDataParallel`). The values for the backward pass are another matter: *checkpointing* keeps only some of them and computes the others again when they are needed (B.4).
#
# In mixed precision with Adam a parameter takes 2 bytes, its gradient 2, and the optimizer's states 12: a copy of the parameter, a running mean and a running variance, in float32.
#
# | stage | divided among the devices |
# |---|---|
# | 0 | nothing |
# | 1 | states |
# | 2 | states, gradients |
# | 3 | states, gradients, parameters |

# %% [markdown] task="A.1.8" kind="code" minutes=8 difficulty=2 needs="sharding, mixed precision in bytes"
# ### Bytes on each device
#
# Write `bytes_per_device(parameters, devices, stage)` for the numbers above: the bytes that one of `devices` devices holds of parameters, gradients and optimizer states together, in stage 0, 1, 2 or 3. Assume that everything divides evenly.
#
# **You are done when**
# - **stage 0**: every device holds everything;
# - **stage 1**: the states are divided;
# - **stage 2**: the gradients, too;
# - **stage 3**: and the parameters.

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

# %% check="A.1.8" points=2
def kinds():
    """What the answer counts for each kind, by what is whole on each of 10,000 devices in its four stages."""
    whole = [round(float(bytes_per_device(10 ** 6, 10 ** 4, stage)) / 10 ** 6, 2) for stage in range(4)]
    of_states, of_gradient, of_parameter = (whole[stage] - whole[stage + 1] for stage in range(3))
    return (f"By its four stages yours counts {of_parameter:g} for the parameter itself, {of_gradient:g} for its gradient and "
            f"{of_states:g} for the states. " if whole[3] == 0 and min(of_states, of_gradient, of_parameter) > 0 else "")

def in_yours(parameters, devices, stage):
    """How many bytes of each parameter are whole on every device in the answer and how many are divided, by its numbers for three numbers of devices."""
    one, two, three = (bytes_per_device(parameters, n * devices, stage) for n in (1, 2, 3))
    if not all(isinstance(value, (int, float)) for value in (one, two, three)):
        return ""
    divided = 2 * (one - two) * devices / parameters
    fixed = one / parameters - divided / devices
    if not abs(three - fixed * parameters - divided * parameters / (3 * devices)) < 1e-6 * abs(one) + 1:
        return "In yours a part is neither the same on every device nor divided by their number. "
    divided, fixed = (round(value, 3) + 0. for value in (divided, fixed))
    return (f"In yours {fixed:g} bytes for each parameter are on every device" + (f" and {divided:g} are divided. " if divided else ". ")) + ("A parameter has 2 + 2 + 12 = 16 bytes. " + kinds() if abs(fixed + divided - 16) > 0.01 else "")

def bytes_agree(parameters, devices, stage):
    whole = {0: 16, 1: 4, 2: 2, 3: 0}[stage]          # bytes for each parameter that are not divided
    right = whole * parameters + (16 - whole) * parameters / devices
    def bytes_of(fixed, divided):
        return fixed * parameters + divided * parameters / devices
    wrong = {"In this stage nothing is divided.": 16 * parameters / devices} if stage == 0 else {"This is a device's share if everything were divided.": 16 * parameters / devices, "Nothing is divided here.": 16. * parameters} if stage < 3 else {}
    wrong |= {"A stage includes the ones before it.": (14 + 2 / devices) * parameters} if stage > 1 else {}
    also = {2: "; the gradients are divided, too", 3: "; the parameters and the gradients are both divided"}
    wrong |= {f"This is the number of stage {k}{also.get(stage, '') if k < stage else ''}.": b * parameters + (16 - b) * parameters / devices for k, b in enumerate((16, 4, 2)) if 0 < k != stage}
    wrong |= {"The states take more: three numbers in float32 for each parameter.": bytes_of(4, 8)} if stage == 1 else {"The states take more: three numbers in float32 for each parameter.": bytes_of(2, 10)} if stage == 2 else {}
    wrong |= {1: {"In this stage the 12 bytes of the states are divided; here it is 2 of the 4 others.": bytes_of(14, 2)}, 2: {"Here parameters and gradients are divided, and not the states; stage 1 divides these first.": bytes_of(12, 4)}}.get(stage, {})
    wrong |= {"These are parameters and gradients; the optimizer's states take room, too.": 4. * parameters} if stage == 0 else {}
    wrong |= {"This is the sum over all devices; one of them is asked." if stage < 3 else "These are all 16 bytes for each parameter; in stage 3 a device holds its share of everything.": right * devices, "These are gibibytes; bytes are asked.": right / 2 ** 30, "These are gigabytes; bytes are asked.": right / 1e9,
              "These are kibibytes; bytes are asked.": right / 1024, "These are kilobytes; bytes are asked.": right / 1000, "These are mebibytes; bytes are asked.": right / 2 ** 20, "These are megabytes; bytes are asked.": right / 1e6,
              "These are bits; a byte has eight of them.": right * 8, "These are the bytes of a single parameter; those of all parameters are asked.": right / parameters,
              **({"A parameter takes 2 bytes, and so does its gradient; 4 are those of float32.": bytes_of(*{1: (8, 12), 2: (4, 16)}[stage]), "The states take 12 bytes for each parameter, their float32 copy of it included; here they take 16.": bytes_of(*{1: (4, 16), 2: (2, 18)}[stage])} if stage in (1, 2) else {})}
    wrong |= {f"Here {whole + 4} of the 16 bytes are whole on each device, 4 too many. (The float32 copy of the parameters is one of the optimizer's states.)": right + 4 * parameters * (1 - 1 / devices)} if 0 < stage < 3 else {}
    wrong |= {"Each device holds its share of the gradients; it is missing here.": right - 2 * parameters / devices} if stage == 2 else {"Parameters and gradients both count; the bytes of one of the two are missing.": right - 2 * parameters / (devices if stage == 3 else 1)}
    wrong |= {f"What is divided, is divided by the number of devices, {devices}, and not by 4.": whole * parameters + (16 - whole) * parameters / 4} if stage and devices != 4 else {}
    wrong |= {f"What is divided, is divided by the number of devices, {devices}, and not by one less.": whole * parameters + (16 - whole) * parameters / max(devices - 1, 1),
              "What is divided, is multiplied by the number of devices in yours.": whole * parameters + (16 - whole) * parameters * devices} if stage else {}
    wrong |= {"The stage says what is divided; how many share it, the devices say. This is everything, divided by the stage plus 1.": 16 * parameters / (stage + 1)} if 0 < stage < 3 else {}
    found = bytes_per_device(parameters, devices, stage)
    parts = in_yours(parameters, devices, stage) if isinstance(found, (int, float)) and not abs(found - right) < 1e-6 * right else ""
    assert_close(found, float(right), f"{parameters:,} parameters on {devices} devices, stage {stage}", of=f"stage {stage}", rtol=1e-6, mistakes=wrong if devices > 1 else None, hint=parts +
                 (f"For each parameter {whole} of the 2 + 2 + 12 bytes are on every device{', and the others are divided by ' + str(devices) if stage else ''}." if whole else f"All 2 + 2 + 12 bytes for each parameter are divided by {devices}."))

for k in range(4):
    with part(0.25, f"stage {k}"):
        bytes_agree(2400, 10, k)
### BEGIN HIDDEN TESTS
for k in range(4):
    with part(0.25, f"stage {k}, other numbers"):
        for parameters, devices in ((8 * 10 ** 6, 8), (7_500_000_000, 64), (100, 1), (30, 3)):
            bytes_agree(parameters, devices, k)
total()
### END HIDDEN TESTS

# %% [markdown]
# ## Summary
#
# - A formula of a derivative is exact and readable, and it swells. Differences need only the program; their step may be too large and too small.
# - Automatic differentiation looks at one equation at a time. Reverse mode gives one result's derivatives by all inputs in one pass; forward mode those of all results along one direction.
# - For $10^9$ parameters this is $3 \cdot 10^9$ operations against about $10^{18}$. Differences stay useful: as a test.
# - A graph that is known in advance can be improved as a whole; one that is recorded while the program runs follows every branch.
# - A.2 builds the engine that records arrays.
