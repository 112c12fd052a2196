# %% [markdown]
# # 2.4 Calculus
#
# A model contains numbers that can be turned like knobs, its *weights*. Training a model means turning them so that
# its error shrinks. For each knob one asks the same question: if I turn it a little, does the error rise or fall, and
# by how much? The answer is a **derivative**. A thousand knobs give a thousand answers, and together they are the
# **gradient**. Everything that later sections call learning stands on these two words.
#
# After this page you can measure a slope on the computer and say how exact it is; find slopes by rules, and say why
# the rules hold; draw a tangent; find the direction in which a function of many numbers rises fastest; take composed
# functions apart with the chain rule; and recognise the places where there is no derivative at all.
#
# You need tensors (2.1) and norms and products of vectors and matrices (2.3). Everything else is here.

# %% tags=["setup"]
from d2l_utils.check import *
import math
import matplotlib.pyplot as plt
import torch

# %% [markdown] teaches="difference quotient"
# ## How steep is a curve?
#
# Four points, and a model with one weight: $y$ should be about $w x$. The error of a weight $w$ is measured by the
# mean of the squared misses. Such a measure of error is called a *loss*.

# %%
xs = torch.tensor([1., 2., 3., 4.], dtype=torch.float64)
ys = torch.tensor([4., 2., 3., 7.], dtype=torch.float64)


def loss(w):
    """The mean squared miss of the model y = w x on the four points."""
    return ((w * xs - ys) ** 2).mean().item()


print(loss(1.0), loss(1.5))

# %% [markdown] teaches="difference quotient"
# From $w = 1$ to $w = 1.5$ the loss changes by $-1.875$. That depends on how far we turned the knob. To compare, we
# divide by the distance $h$ that we went:
#
# $$\frac{f(x + h) - f(x)}{h},$$
#
# the **difference quotient**: the change of the output for each unit of change of the input. For $h = 0.5$ it is
# $-1.875 / 0.5 = -3.75$. On a straight line every $h$ gives the same number, the slope of the line. On a curve it
# does not. (For $h = 1$ it is 0 here: between 1 and 2 the loss falls and rises again, and ends where it began.)

# %%
for h in (1.0, 0.5, 0.1, 0.01, 0.001, -0.001, -0.01, -0.1):
    print(f'h = {h:6}   quotient = {(loss(1 + h) - loss(1.0)) / h:.4f}')

# %% [markdown]
# The next cell draws the loss and three such quotients. (You need not read the cells that draw; how they work is said
# before exercise 2.4.6.)

# %% tags=["demo"] teaches="difference quotient"
w = torch.linspace(0, 2.6, 200, dtype=torch.float64)
figure, axes = plt.subplots(figsize=(6, 3.6), layout='constrained')
axes.plot(w, [loss(v.item()) for v in w], color='black', linewidth=2, label='loss')
for h, color in ((1.2, 'C0'), (0.6, 'C2'), (0.2, 'C1')):
    steep = (loss(1 + h) - loss(1.0)) / h
    axes.plot(w, loss(1.0) + steep * (w - 1), color=color, label=f'through 1 and {1 + h:.1f}: slope {steep:.1f}')
    axes.plot([1 + h], [loss(1 + h)], 'o', color=color)
axes.plot(w, loss(1.0) - 7.5 * (w - 1), '--', color='C3', label='tangent: slope -7.5')
axes.plot([1], [loss(1.0)], 'o', color='black')
axes.set(xlabel='w', ylabel='loss', ylim=(0, 14), xlim=(0, 2.6))
figure.legend(loc='outside right upper')
plt.show()

# %% [markdown] teaches="difference quotient, limit"
# *Each coloured line goes through the black dot and one coloured dot; its slope is the difference quotient. As the
# coloured dot moves towards the black one, the line turns into the dashed one, which only touches the curve.*
#
# The quotients settle at $-7.5$, from both sides. Why there? Here the loss is $f(w) = 7.5 w^2 - 22.5 w + 19.5$
# (multiply out the four squares and take the mean), so
#
# $$f(1 + h) - f(1) = 7.5 (2h + h^2) - 22.5 h = -7.5 h + 7.5 h^2, \qquad \frac{f(1 + h) - f(1)}{h} = -7.5 + 7.5 h.$$
#
# For $h = 0.1$ that is $-6.75$, as in the table. We may not put $h = 0$ into a quotient, since $0 / 0$ says nothing.
# But we can say where the quotients are heading. The quotient has the **limit** $s$ for $h \to 0$ if it stays as
# close to $s$ as anyone may demand, for **all** $h$ that are near enough to 0, positive and negative, with $h = 0$
# itself left out. Here: whoever demands a distance below $0.001$ gets it from all $h$ between $-0.0001$ and $0.0001$.

# %% [markdown] task="2.4.A" kind="code" minutes=2 difficulty=1 core=true needs="difference quotient"
# ### The quotient as a function
#
# Write `difference_quotient(f, x, h)`. `f` is a function of one number, `x` a number, and `h` a number other than 0.
# It returns the difference quotient of `f` between `x` and `x + h`.
#
# **You are done when**
# - **quotient**: for positive `h` the result is the change of `f`, for each unit of change of the input;
# - **from the left**: for negative `h`, too: the quotient between `x` and the smaller number `x + h`.

# %% exercise="2.4.A"
def difference_quotient(f, x, h):
    """The change of f from x to x + h, divided by h."""
    ### BEGIN SOLUTION
    return (f(x + h) - f(x)) / h
    ### END SOLUTION

# %% [markdown] hints="2.4.A"
# 1. What did we divide by what to get -3.75 above?
# 2. A function that you get as an argument is called like any other: `f(2)`.

# %% check="2.4.A" points=1
from numbers import Number

@probe
def quotient_of_a_polynomial(power, x, h):
    return difference_quotient(lambda t: t ** power, x, h)

found = quotient_of_a_polynomial(3, 3.0, 0.2)
assert_type(found, (Number, torch.Tensor), "f(x) = x³, x = 3, h = 0.2", of="quotient")
of_x, of_square = quotient_of_a_polynomial(1, 3.0, 0.2), quotient_of_a_polynomial(2, 3.0, 0.2)
which_step = (f"For f(x) = x, too, it is wrong: there f changes by 0.2 on a way of 0.2, so that the quotient is 1, and yours is {float(of_x):.6g}."
              if abs(of_x - 1) > 1e-5
              else f"For f(x) = x yours is right, 1; for x² it is {float(of_square):.6g}, and must be (10.24 - 9) / 0.2 = 6.2: "
                   "f is taken at other places than x = 3 and x + h = 3.2." if abs(of_square - 6.2) > 1e-4
              else "For f(x) = x and x² yours is right, 1 and 6.2. The change of f is f(x + h) - f(x), here 5.768, on a way of h = 0.2: all digits count.")
assert_close(found, 28.84, "f(x) = x³, x = 3, h = 0.2: 32.768 - 27, divided by 0.2", of="quotient",
             rtol=1e-5, hint=which_step,
             mistakes={"This is the change; it is not divided by h.": 5.768,
                       "This is nearly the limit for h → 0; the quotient goes as far as the h that is handed over.": 27.0,
                       "These are the points h to the left and h to the right; the quotient goes from x to x + h.": 27.04,
                       "These are the points h/2 to the left and h/2 to the right; the quotient goes from x to x + h.": 27.01,
                       "This is the quotient between x - h and x.": 25.24,
                       "Divide by h: from x to x + h the way is h, not 2h.": 14.42,
                       "Divide by h; this is multiplied by it.": 1.1536,
                       "Put the difference into brackets: `/` is done before `-`.": -102.232,
                       "This is the way divided by the change; it is turned over.": 1 / 28.84,
                       "The sign is wrong: the change is the new value minus the old one.": -28.84,
                       "f is taken at x + h: f(x) + f(h) is something else.": 0.04,
                       "This is (f(x + h) - f(h)) / h: the change begins at f(x), not at f(h).": 163.8,
                       "This is the relative change: the change is not divided by f(x).": 28.84 / 27,
                       "Divide by h, not by x.": 5.768 / 3, "Divide by h alone, not by h · x.": 5.768 / 0.6,
                       "Divide by h, not by x + h.": 5.768 / 3.2, "Divide by h, not by x - h.": 5.768 / 2.8,
                       "This is rounded to one digit after the point: keep all digits.": 28.8,
                       "This is rounded to a whole number: keep all digits.": 29.0,
                       "The fraction is cut off: divide with `/`, not with `//`, and keep all digits.": 28.0})
assert_close(quotient_of_a_polynomial(2, -3.0, 0.5), -5.5, "f(x) = x², x = -3, h = 0.5: 6.25 - 9, divided by 0.5", of="quotient",
             rtol=1e-5, hint="The change of f is f(x + h) - f(x), -2.75, on a way of h = 0.5.",
             mistakes={"The function falls here: the change keeps its sign.": 5.5})
assert_close(quotient_of_a_polynomial(3, 2.0, -0.5), 9.25, "f(x) = x³, x = 2, h = -0.5: 3.375 - 8, divided by -0.5",
             of="from the left", hint="The change is -4.625, on a way of -0.5.",
             mistakes={"Change and way are both negative here, -4.625 on a way of -0.5; in yours one of the two has lost its "
                       "sign.": -9.25,
                       "This is the quotient for h = +0.5.": 15.25})
### BEGIN HIDDEN TESTS
for power, x, h in ((3, -1.0, 0.25), (1, 7.0, 2.0), (4, 0.5, 1.5), (0, 2.0, 0.1)):
    assert_close(quotient_of_a_polynomial(power, x, h), ((x + h) ** power - x ** power) / h,
                 f"f(x) = x^{power}, x = {x}, h = {h}", of="quotient", atol=1e-6,
                 hint="This is the change of the f that is handed over, from x to x + h, divided by h, with all digits.")
for power, x, h in ((3, 2.0, -0.25), (2, -1.5, -2.0), (1, 0.0, -3.0)):
    assert_close(quotient_of_a_polynomial(power, x, h), ((x + h) ** power - x ** power) / h,
                 f"f(x) = x^{power}, x = {x}, h = {h}", of="from the left", atol=1e-6,
                 hint="Here h is negative: it keeps its sign, and so does the change of f.")
### END HIDDEN TESTS

# %% [markdown] teaches="derivative, linear approximation"
# ## The derivative
#
# The **derivative** of $f$ at $x$ is the limit of its difference quotients:
#
# $$f'(x) = \lim_{h \to 0} \frac{f(x + h) - f(x)}{h}.$$
#
# Two more ways to write the same thing are $\frac{df}{dx}$, read "d f by d x", and $\frac{d}{dx} f$. (Where $y = f(x)$,
# other books also write $y'$, $D f$ or $D_x f$.) The derivative
# at one place is a number. Taken at every place it is a function again: $f'$.
#
# For $f(x) = x^2$ at any $x$, not only at one: $(x + h)^2 - x^2 = 2 x h + h^2$. Divided by $h$ that is $2x + h$. For
# $h \to 0$ the second term goes away, so $f'(x) = 2x$.
#
# What is it good for? If $f'(x)$ is known, the value nearby is known, too, almost:
#
# $$f(x + h) \approx f(x) + f'(x)\, h.$$
#
# This is the **linear approximation**. The cell compares it with the loss. For $h$ ten times as small, what it misses
# becomes a hundred times as small: it is $7.5 h^2$, the term that the calculation above left over.

# %% teaches="linear approximation"
for h in (0.1, 0.01, 0.001):
    guess = loss(1.0) - 7.5 * h
    print(f'h = {h:5}   loss {loss(1 + h):.6f}   approximation {guess:.6f}   missed by {loss(1 + h) - guess:.7f}')

# %% [markdown] teaches="one-sided difference quotient"
# Not every function has a derivative everywhere. The absolute value $|x|$ at $x = 0$ has the quotient $|h| / h$: it
# is $1$ for every positive $h$ and $-1$ for every negative one. The *one-sided* quotients have limits, two different
# ones, so there is no limit from both sides, and no derivative. The graph has a corner there. We come back to corners
# below, because deep learning is full of them.

# %%
for h in (0.1, 0.001, -0.001, -0.1):
    print(f'h = {h:6}   quotient of |x| at 0: {abs(h) / h}')

# %% [markdown] teaches="rounding error"
# ## How small may h be?
#
# On paper, smaller $h$ is always better. On a computer it is not. A `float64` number has about 16 decimal digits, a
# `float32` number about 7. `torch.finfo(...).eps` is the relative gap $\varepsilon$ between neighbouring numbers. We
# measure the slope of $e^x$ at $x = 1$. Its true value is $e = 2.71828\ldots$, as we shall see, so we can print the
# error of each quotient.

# %% teaches="rounding error"
print('eps:', torch.finfo(torch.float64).eps, torch.finfo(torch.float32).eps)


def forward_error(h, dtype):
    """How far the quotient of exp at 1 is from the derivative, computed in numbers of this dtype."""
    x = torch.tensor(1.0, dtype=dtype)
    return abs(((x + h).exp() - x.exp()).item() / h - math.e)


for k in range(1, 17, 2):
    h = 10.0 ** -k
    print(f'h = 1e-{k:02}   error in float64 {forward_error(h, torch.float64):.1e}'
          f'   in float32 {forward_error(h, torch.float32):.1e}')

# %% [markdown] teaches="rounding error, central difference quotient"
# ⚠ In both columns the error shrinks, turns, and grows again. Two errors are at work:
#
# - **The step is not zero.** For $x^2$ the quotient is $2x + h$: wrong by $h$. For most functions the error is some
#   constant times $h$. It shrinks with $h$.
# - **Rounding.** Each of the two values of $f$ is rounded, and wrong by about $\varepsilon |f(x)|$. The values agree
#   in most of their digits; the subtraction removes what they share and leaves the wrong tail; the division by $h$
#   blows it up, to about $\varepsilon |f(x)| / h$. This grows as $h$ shrinks. In `float32` and for $h = 10^{-9}$,
#   $x + h$ is rounded to $x$ itself: the quotient is 0, and all of $2.7$ is error.
#
# The product of $h$ and $\varepsilon / h$ is always $\varepsilon$, and of two positive numbers with a fixed product the
# sum is smallest where both are equal. That is at $h = \sqrt\varepsilon$: about $10^{-8}$ for `float64`, where half of
# the digits are right, and $3 \cdot 10^{-4}$ for `float32`. A better quotient looks to both sides, the **central difference
# quotient**
#
# $$\frac{f(x + h) - f(x - h)}{2h}.$$
#
# For $x^2$ it is $2x$ exactly, for $x^3$ it is $3x^2 + h^2$: its error shrinks like $h^2$. We keep it as a tool for
# this page.

# %% teaches="central difference quotient"
def slope(f, x, h=1e-5):
    """The derivative of f at x, nearly: the central difference quotient."""
    return (f(x + h) - f(x - h)) / (2 * h)


slope(math.exp, 1.0) - math.e

# %% tags=["demo"] teaches="rounding error"
steps = torch.logspace(-15, -1, 120, dtype=torch.float64).tolist()
figure, axes = plt.subplots(figsize=(6.4, 3.6), layout='constrained')
axes.loglog(steps, [forward_error(h, torch.float32) + 1e-17 for h in steps], color='C1', label='float32, from x to x + h')
axes.loglog(steps, [forward_error(h, torch.float64) + 1e-17 for h in steps], color='C0', label='float64, from x to x + h')
axes.loglog(steps, [abs(slope(math.exp, 1.0, h) - math.e) + 1e-17 for h in steps], color='C2', label='float64, central')
axes.set(xlabel='h', ylabel='error of the slope of exp at 1', ylim=(1e-13, 1e2))
figure.legend(loc='outside upper center', ncols=3, fontsize=8)
plt.show()

# %% [markdown] teaches="rounding error"
# *From right to left: the error falls in a straight line as long as the step causes it, then climbs with jitter, when
# rounding takes over. In `float32` (orange) that happens soon, near $10^{-3}$, and on the left the curve is flat: there
# $x + h$ is $x$, the quotient 0, and the error $2.7$. The central quotient (green) is at its best near $h = 10^{-5}$, with an error
# below $10^{-10}$.*

# %% [markdown] task="2.4.B" kind="code" minutes=2 difficulty=2 needs="rounding error"
# ### The step that vanishes
#
# Numbers of a computer have gaps: `1.0 + 1e-17 == 1.0` is `True`. Then any difference quotient is 0. The gaps double
# at every power of 2. So beside a number such as $-1$ the gap to the next number above is half as wide as that to the
# next one below, and beside $1$ it is the other way round.
#
# Write `vanishing_step(x)`. For a Python float `x` with $2 \cdot 10^{-4} \le |x| \le 5 \cdot 10^{15}$ it returns the
# **largest** of the steps $10^{-1}, 10^{-2}, \ldots, 10^{-20}$ that vanishes, that is, for which `x + h == x`. Write the steps as
# `10.0 ** -k`.
#
# **You are done when**
# - **vanishes**: adding the result to `x` changes nothing;
# - **largest**: a step ten times as large does change `x`;
# - **size of x**: this holds for large, small and negative `x`, and for powers of 2.

# %% exercise="2.4.B"
def vanishing_step(x):
    """The largest power of ten 10.0 ** -k, k = 1, ..., 20, with x + h == x."""
    ### BEGIN SOLUTION
    for k in range(1, 21):
        if x + 10.0 ** -k == x:
            return 10.0 ** -k
    ### END SOLUTION

# %% [markdown] hints="2.4.B"
# 1. In which order must you try the steps, so that the first one that vanishes is the largest?
# 2. The gaps between numbers are in proportion to their size: near 1000 they are about a thousand times as wide as
#    near 1. So no fixed step is right for every `x`. Let `x + h == x` decide, for the `x` that you got, with its sign.

# %% check="2.4.B" points=1
def what_it_does(x, step):
    """What is wrong about this step beside x."""
    return (f"This step still changes {x}." if x + step != x
            else f"It vanishes beside {x}, but a step ten times as large does so, too." if x + 10 * step == x
            else "It vanishes, but it is none of the steps 10.0 ** -k.")


given = vanishing_step(1.0)
assert_type(given, float, "what vanishing_step(1.0) returns", of="vanishes",
            hint="Return the step 10.0 ** -k itself, a Python float; not k.")
assert_true(1.0 + given == 1.0, "1.0 + vanishing_step(1.0) == 1.0", of="vanishes",
            hint="This is the smallest of the steps that still changes 1.0. The next one, a tenth of it, vanishes: that one is asked for."
            if math.isclose(given, 1e-15) else
            "This step still changes the number 1.0, and it is none of the steps 10.0 ** -k: try these one after the other, with `x + h == x`. "
            "(A computed gap between numbers, such as eps, is no power of ten, and changes x.)"
            if not any(math.isclose(given, 10.0 ** -k) for k in range(1, 21)) else
            "This step still changes the number 1.0: compare `x + h` and `x` as Python floats, with `==`. "
            "(In `float32`, or with `isclose`, larger steps seem to vanish.)")
assert_close(given, 1e-16, "the largest step that vanishes beside 1.0", of="largest", rtol=1e-6, atol=0.0,
             hint=lambda: what_it_does(1.0, given),
             mistakes={"A tenth of it. (Add the step: `x - h == x` asks for the gap below 1.0, half as wide as that above.)":
                       1e-17,
                       "This is the smallest of the steps.": 1e-20})
given = vanishing_step(-5000.0)
assert_type(given, float, "what vanishing_step(-5000.0) returns", of="size of x")
assert_true(-5000.0 + given == -5000.0 and -5000.0 + 10 * given != -5000.0,
            "vanishing_step(-5000.0) vanishes beside -5000.0, and ten times the step does not", of="size of x",
            hint=lambda: what_it_does(-5000.0, given) + " The gaps between numbers are wider here than at 1.0: about 9e-13; "
            "steps up to half of it vanish.")
given = vanishing_step(-1.0)
assert_type(given, float, "what vanishing_step(-1.0) returns", of="size of x")
assert_close(given, 1e-17, "the largest step that vanishes beside -1.0", of="size of x", rtol=1e-6, atol=0.0,
             hint=lambda: what_it_does(-1.0, given),
             mistakes={"This is the step for +1.0: above -1.0 the gap is half as wide.": 1e-16})
for x, wanted, gap in ((0.95, 1e-17, "1.1e-16"), (3e15, 0.1, "0.5"), (2.5e-4, 1e-20, "5.4e-20")):
    given = vanishing_step(x)
    assert_type(given, float, f"what vanishing_step({x}) returns", of="size of x",
                hint="Beside each x one of the steps from 10.0 ** -1 to 10.0 ** -20, both ends included, vanishes: return it.")
    assert_close(given, wanted, f"the largest step that vanishes beside {x}", of="size of x", rtol=1e-6, atol=0.0,
                 hint=lambda: f"{what_it_does(x, given)} The gap above this number is {gap}; steps up to half of it vanish. The steps go from 10.0 ** -1 to 10.0 ** -20, both ends included.")
### BEGIN HIDDEN TESTS
assert_true(2.0 + vanishing_step(2.0) == 2.0, "vanishing_step(2.0) vanishes beside 2.0", of="vanishes", hint="This step still changes the number 2.0.")
assert_true(3.0 + 10 * vanishing_step(3.0) != 3.0, "ten times vanishing_step(3.0) does not vanish beside 3.0", of="largest", hint="A step ten times as large vanishes, too.")
for x in (0.004, -0.03, 700.0, 8e5, -1e6, 0.5, -1024.0, -0.125, -131072.0, 6e9, -2e14, -4.6e15, 3e-4, -2.1e-4, 0.47, 7.9, -0.96):
    wanted = next(10.0 ** -k for k in range(1, 21) if x + 10.0 ** -k == x)
    assert_close(vanishing_step(x), wanted, f"the largest step that vanishes beside {x}", of="size of x", rtol=1e-6, atol=0.0,
                 hint="Let `x + h == x` decide, for this x with its sign. The gap depends on the power of 2 below |x|, not only on x.")
### END HIDDEN TESTS

# %% [markdown] teaches="log1p and expm1"
# Sometimes the subtraction can be avoided by algebra. For the square root,
#
# $$\frac{\sqrt{x + h} - \sqrt x}{h} = \frac{(\sqrt{x + h} - \sqrt x)(\sqrt{x + h} + \sqrt x)}{h\,(\sqrt{x + h} + \sqrt x)} = \frac{1}{\sqrt{x + h} + \sqrt x},$$
#
# and the right side is exact for every $h$, however small. It also shows the limit, $1 / (2 \sqrt x)$. Python's
# `math` has two functions for such cases: `math.expm1(t)` is $e^t - 1$ and `math.log1p(t)` is $\log(1 + t)$, both
# computed without the loss of digits near $t = 0$. (In this book $\log$ is the natural logarithm, to the base $e$.)

# %% teaches="log1p and expm1"
h = 1e-13
print('root, plain    ', (math.sqrt(2 + h) - math.sqrt(2)) / h)
print('root, rewritten', 1 / (math.sqrt(2 + h) + math.sqrt(2)))
print('exp(h) - 1     ', math.exp(h) - 1, math.expm1(h))
print('log(1 + h)     ', math.log(1 + h), math.log1p(h))

# %% [markdown] teaches="derivative of a power, binomial coefficients"
# ## Four derivatives from the limit
#
# To find a derivative from the definition: write the difference, bring out a factor $h$, divide, and see what is left
# for $h \to 0$. Two cases as patterns.
#
# **The cube.** $(x + h)^3 = x^3 + 3x^2 h + 3 x h^2 + h^3$. Without $x^3$, and divided by $h$: $3x^2 + 3xh + h^2$. The
# limit is $3x^2$.
#
# **The reciprocal**, for $x \neq 0$:
#
# $$\frac1h \left( \frac{1}{x + h} - \frac1x \right) = \frac1h \cdot \frac{x - (x + h)}{(x + h)\, x} = \frac{-1}{(x + h)\,x} \;\to\; -\frac{1}{x^2}.$$
#
# The numbers 1, 3, 3, 1 in the cube are *binomial coefficients*. In $(x + h)^n = (x + h)(x + h) \cdots (x + h)$ each
# bracket gives an $x$ or an $h$. The term with $h^k$ comes once for every way to choose the $k$ brackets that give
# $h$. The number of ways is `math.comb(n, k)`.

# %% teaches="binomial coefficients"
for n in range(5):
    print(f'(x + h)^{n}:', [math.comb(n, k) for k in range(n + 1)])

# %% [markdown] task="2.4.1a" kind="explain" minutes=6 difficulty=2 needs="derivative, limit, binomial coefficients"
# ### Constants and powers
#
# Show from the definition that a constant function $f(x) = c$ has the derivative $0$, and that $f(x) = x^n$ has the
# derivative $n x^{n-1}$, for every whole number $n \ge 1$.
#
# In code: the difference quotient of $x^n$ is a sum of $n$ terms,
# $a_1 x^{n-1} + a_2 x^{n-2} h + \ldots + a_n h^{n-1}$. Write `quotient_coefficients(n)`, which returns the list
# $[a_1, \ldots, a_n]$, for `n` ≥ 0.
#
# The text is worth 3 points; a person marks it, and the solution shows what for. The function is worth 1, and the
# check below tests it. All exercises of this page that ask for a proof have these two parts; the points of a text differ.
#
# **You are done when** your text covers both functions, for all $x$, and
# - **coefficients**: the list has the $n$ whole numbers, that of $x^{n-1}$ first;
# - **constant**: for `n = 0`, the constant function 1, the list is empty.

# %% exercise="2.4.1a"
def quotient_coefficients(n):
    """The coefficients of x^(n-1), x^(n-2) h, ..., h^(n-1) in ((x + h)^n - x^n) / h."""
    ### BEGIN SOLUTION
    return [math.comb(n, k) for k in range(1, n + 1)]
    ### END SOLUTION

# %% [markdown] written="2.4.1a" points=3
# ### BEGIN SOLUTION
# **Constant.** For every $h \neq 0$ the quotient is $(c - c)/h = 0$. A quotient that is 0 for all $h$ has the limit
# 0.
#
# **Power.** By counting brackets, $(x + h)^n = x^n + n x^{n-1} h + \binom n2 x^{n-2} h^2 + \ldots + h^n$. The term
# $x^n$ cancels in the difference. Every other term has a factor $h$, so division by $h$ leaves
#
# $$n x^{n-1} + \tbinom n2 x^{n-2} h + \ldots + h^{n-1}.$$
#
# The first term does not depend on $h$. Each of the others still has a factor $h$ and goes to 0; there are $n - 1$ of
# them, a fixed number, so their sum goes to 0. The limit is $n x^{n-1}$. Check: for $n = 3$ the quotient at $x = 2$
# is $12 + 6h + h^2$, which is $12.61$ for $h = 0.1$ and $12.0601$ for $h = 0.01$.
#
# **Rubric**
# - [1] Constant: the quotient is 0 for every h ≠ 0, so its limit is 0; also accepted: the graph is horizontal, so that every line through two of its points has slope 0; lost by putting h = 0 into the quotient (0/0).
# - [1] Power: expands (x + h)ⁿ, cancels xⁿ and divides by h, with the coefficient n of xⁿ⁻¹ and the reason for it (n ways to choose one bracket); also accepted: the factorisation of aⁿ - bⁿ, or induction with the product rule; lost by examples such as n = 2 and 3 alone.
# - [1] Limit: says that all further terms keep a factor h and vanish, while the first stays; in a proof by induction, the step from n to n + 1; lost by "h is so small that we ignore it" without saying which terms have the factor h.
# ### END SOLUTION

# %% [markdown] hints="2.4.1a"
# 1. In the pattern for the cube, where did the 3 in $3x^2$ come from, and why did the other two terms go away?
# 2. Exactly one bracket gives $h$ and all others give $x$: there are $n$ ways to choose this bracket.
# 3. For n = 2 the quotient is $2x + h$: the list is [2, 1].

# %% check="2.4.1a" points=1
assert_type(quotient_coefficients(2), (list, tuple), "the list for n = 2", of="coefficients")
assert_equal(quotient_coefficients(2), [2, 1], "the list for n = 2: 2x + h", of="coefficients",
             hint="(x + h)² = x² + 2xh + h². Without x², and divided by h, 2x + h is left: its coefficients, in a list.",
             mistakes={"The coefficient of xⁿ is in the list: xⁿ cancels.": [1, 2, 1], "The list is in reverse order.": [1, 2],
                       "The list has n numbers: the last is the coefficient of h^(n-1).": [2],
                       "In which order the brackets are chosen does not matter.": [2, 2], "The brackets are chosen among all n.": [1, 1],
                       "This is the derivative alone, 2x; the quotient has a term with h, too."
                       if list(quotient_coefficients(3)) == [3, 0, 0] else
                       "There is 1 way to choose both brackets, not 0. (Where a product is divided with `//`, multiply first: c * (n // k) cuts "
                       "the fraction of n / k off.)": [2, 0]})
assert_equal(quotient_coefficients(3), [3, 3, 1], "the list for n = 3: 3x² + 3xh + h²", of="coefficients",
             hint="(x + h)³ - x³ = 3x²h + 3xh² + h³: in 3 ways one of the three brackets gives h, in 3 ways two, in 1 way all three.",
             mistakes={"The coefficient of xⁿ is in the list: xⁿ cancels.": [1, 3, 3, 1], "The list is in reverse order.": [1, 3, 3],
                       "These are the numbers n, n - 1, ...; the brackets are chosen in another number of ways.": [3, 2, 1],
                       "This is n! / k!: each choice counts in every order of the n - k other brackets. Divide by (n - k)!, too.":
                       [6, 3, 1]})
assert_equal(quotient_coefficients(4), [4, 6, 4, 1], "the list for n = 4: 4x³ + 6x²h + 4xh² + h³", of="coefficients",
             hint="The ways in which 1, 2, 3, then 4 of the four brackets give h.",
             mistakes={"Two of four brackets can be chosen in 6 ways, not in 4.": [4, 4, 4, 1]})
many = quotient_coefficients(61)
assert_equal(len(many), 61, "the length of the list for n = 61", of="coefficients", hint="The list has n numbers.")
assert_equal(many[29], math.comb(61, 30), "the number in place 29 of the list for n = 61", of="coefficients",
             hint="This number has 18 digits, more than a float holds: compute in whole numbers, and divide with `//`."
             if abs(many[29] / math.comb(61, 30) - 1) < 1e-6 else "In place 29 stands the number of ways to choose the 30 of 61 brackets that give h.")
assert_type(quotient_coefficients(0), (list, tuple), "the list for n = 0", of="constant")
assert_equal(quotient_coefficients(0), [], "the list for n = 0", of="constant", hint="For a constant the difference is 0: it has no terms at all.")
### BEGIN HIDDEN TESTS
row = [1]
for n in range(1, 70):
    row = [left + right for left, right in zip([0, *row], [*row, 0])]
    if n < 9 or n in (40, 69):
        assert_equal(quotient_coefficients(n), row[1:], f"the list for n = {n}", of="coefficients",
                     hint="Place k - 1 has the number of ways in which k of the n brackets give h: all digits, a whole number.")
assert_equal(len(quotient_coefficients(0)), 0, "the length of the list for n = 0", of="constant", hint="For a constant the difference is 0: it has no terms at all.")
### END HIDDEN TESTS

# %% [markdown] teaches="derivative of exp, derivative of log"
# **What is e?** For a base $a > 0$, the quotient of $a^x$ is
# $\frac{a^{x + h} - a^x}{h} = a^x \cdot \frac{a^h - 1}{h}$. The second factor does not know $x$. Its limit is the
# slope of $a^x$ at 0, and depends on the base:

# %%
for base in (2.0, 2.5, math.e, 3.0):
    print(f'base {base:.5f}   slope at 0: {slope(lambda t: base ** t, 0.0):.5f}')

# %% [markdown] teaches="derivative of exp, derivative of log"
# Somewhere between 2.5 and 3 the slope is exactly 1. **The number with this property is $e$**: it is made so that
#
# $$\frac{e^t - 1}{t} \to 1 \quad \text{for } t \to 0. \tag{1}$$
#
# The logarithm undoes $e^x$, and (1) tells its slope at 1. Put $t = e^s - 1$; then $\log(1 + t) = s$, and $t \to 0$
# together with $s$. So
#
# $$\frac{\log(1 + t)}{t} = \frac{s}{e^s - 1} \to 1 \quad \text{for } t \to 0. \tag{2}$$
#
# With (1) and (2) the next two exercises need one step of algebra each, plus the laws $e^{a + b} = e^a e^b$ and
# $\log a - \log b = \log \frac ab$.

# %% [markdown] task="2.4.1b" kind="explain" minutes=4 difficulty=2 needs="derivative, limit, log1p and expm1"
# ### The exponential function is its own derivative
#
# Show from the definition and from (1) that $e^x$ has the derivative $e^x$.
#
# Your algebra is also good for something else: it computes the difference quotient without the loss of digits. Write
# `exp_quotient(x, h)`: the difference quotient of $e^x$ between `x` and `x + h`, for Python floats, $h \neq 0$, as a
# number.
#
# **You are done when** your text says which law is used and where (1) comes in, and
# - **quotient**: for steps such as 0.5, -2 and 0.001 it is the quotient itself, to five digits, not its limit;
# - **tiny steps**: for $|h|$ down to $10^{-13}$ five digits are right, too, for `x` up to 80.

# %% exercise="2.4.1b"
def exp_quotient(x, h):
    """(exp(x + h) - exp(x)) / h without loss of digits for tiny h."""
    ### BEGIN SOLUTION
    return math.exp(x) * math.expm1(h) / h
    ### END SOLUTION

# %% [markdown] written="2.4.1b" points=2
# ### BEGIN SOLUTION
# By $e^{x + h} = e^x e^h$ the quotient is $\frac{e^x e^h - e^x}{h} = e^x \cdot \frac{e^h - 1}{h}$. The first factor
# does not depend on $h$. The second has the limit 1, by (1) with $t = h$. So the limit is $e^x \cdot 1 = e^x$, for
# every $x$. On the machine: at $x = 1$ and $h = 10^{-13}$ the rewritten quotient is $2.71828\ldots$, while the plain
# one loses all but three digits or so.
#
# **Rubric**
# - [1] Factors eˣ out of the difference by the law eˣ⁺ʰ = eˣeʰ; lost by using the derivative that is to be shown (the chain rule, the power series term by term without a reason).
# - [0.5] Takes the limit of the second factor from (1), which defines e; also accepted: e as the limit of (1 + 1/n)ⁿ, if (1) is derived from it.
# - [0.5] Holds for every x, since eˣ does not depend on h; lost by a calculation at x = 0 alone.
# ### END SOLUTION

# %% [markdown] hints="2.4.1b"
# 1. Which factor do $e^{x + h}$ and $e^x$ have in common?
# 2. `math.expm1(t)` is $e^t - 1$ with all its digits.
# 3. Another function: $10^{2x}$ has the quotient $10^{2x} \cdot (10^{2h} - 1)/h$.

# %% check="2.4.1b" points=1
from numbers import Number

at_two = exp_quotient(2.0, 0.5)
assert_type(at_two, (Number, torch.Tensor), "x = 2, h = 0.5", of="quotient")
assert_true(not math.isclose(at_two, math.exp(2) * math.expm1(0.5) / 2, rel_tol=1e-4), "x = 2, h = 0.5: the change of e^x is divided by h",
            of="quotient", hint="The change is e^2.5 - e^2 = 4.79344; yours is this change divided by x = 2, not by h = 0.5.")
at_half = exp_quotient(0.0, 0.5)
at_one = exp_quotient(1.0, 0.5)
assert_type(at_half, (Number, torch.Tensor), "x = 0, h = 0.5", of="quotient")
assert_close(at_half, 1.2974425414002564, "x = 0, h = 0.5: (1.6487... - 1) / 0.5", of="quotient", rtol=1e-5,
             hint=f"The change of e^x from x to x + h is 0.64872, divided by h = 0.5. Times h, yours is {float(at_half) * 0.5:.5f}.",
             mistakes={"This is the derivative, the limit for h → 0." if abs(at_one - math.e) < 1e-4
                       else "At x = 0 the quotient for h = 0.5 is not 1; only its limit is.": 1.0,
                       "This is the change; it is not divided by h.": math.expm1(0.5),
                       "These are the points h to the left and h to the right; the quotient goes from x to x + h.": 2 * math.sinh(0.5) / 1,
                       "This is 1 + h/2, the beginning of a series: for h = 0.5 it is not enough.": 1.25,
                       "This is 1 + h/2 + h²/6, the beginning of a series: for h = 0.5 it is not enough.": 1 + 0.25 + 0.25 / 6,
                       "This is the slope in the middle between x and x + h.": math.exp(0.25),
                       "This goes from x - h/2 to x + h/2; the quotient goes from x to x + h.": 4 * math.sinh(0.25),
                       "Divide by h; this is multiplied by it.": math.expm1(0.5) / 2,
                       "The common factor is e^x; this has e^(x + h).": 2 * math.exp(0.5) * math.expm1(0.5),
                       "The two factors are multiplied, not added.": 1 + 2 * math.expm1(0.5),
                       "The quotient is not 0 at x = 0: h alone stands in the exponent of e^h - 1, and the factor is e^x.": 0.0,
                       "This is 1 + h/2 + h²/6 + h³/24, the beginning of a series: for h = 0.5 it is not enough.":
                       1 + 0.25 + 0.25 / 6 + 0.125 / 24})
at_zero = exp_quotient(0.0, -2.0)
assert_close(exp_quotient(1.0, -2.0), 1.1752011936438014, "x = 1, h = -2: (0.3678... - 2.7182...) / -2", of="quotient", rtol=1e-5,
             hint="The change of e^x from 1 to -1 is -2.35040, divided by -2. "
             + ("At x = 0 yours is right for this h, (e^(-2) - 1) / (-2) = 0.43233: it is the factor e^x, here 2.71828, that is not."
                if abs(at_zero - 0.43233235838) < 1e-5 else f"At x = 0, too, yours is wrong for this h: {float(at_zero):.5f}, not (e^(-2) - 1) / (-2) = 0.43233."),
             mistakes={"This is the derivative, the limit for h → 0.": math.e, "The common factor is e^x, not e^(-x).": math.exp(-1) * math.expm1(-2) / -2,
                       "h keeps its sign: this is the quotient for h = +2.": math.e * math.expm1(2) / 2,
                       "Divide by h with its sign: this is divided by |h|.": -1.1752011936438014,
                       "The factor that does not depend on h is missing.": 0.43233235838169365})
assert_close(exp_quotient(1.0, 0.05), 2.7873857921, "x = 1, h = 0.05, to five digits", of="quotient", rtol=1e-5,
             hint="This h is not tiny: it is the quotient from 1 to 1.05 that is asked for.",
             mistakes={"This is the derivative, the limit for h → 0.": math.e})
assert_close(exp_quotient(1.0, 0.02), math.e * 1.0100670013378, "x = 1, h = 0.02, to five digits", of="quotient", rtol=1e-5,
             hint="This h is not tiny: the first two terms of a series are not enough for five digits.",
             mistakes={"This is the derivative, the limit for h → 0.": math.e})
assert_close(exp_quotient(0.0, 1e-3), 1.0005001667, "x = 0, h = 0.001, to five digits", of="quotient", rtol=1e-5,
             hint="For this h the quotient still differs from its limit in the fourth digit after the point.",
             mistakes={"This is the derivative, the limit for h → 0.": 1.0})
assert_close(exp_quotient(0.0, -5e-5), 0.9999750004, "x = 0, h = -0.00005, to five digits", of="quotient", rtol=1e-5,
             hint="For this h the quotient still differs from its limit in the fifth digit after the point.",
             mistakes={"This is the derivative, the limit for h → 0.": 1.0})
assert_close(exp_quotient(1.0, 1e-13), math.e, "x = 1, h = 1e-13, to five digits", of="tiny steps", rtol=1e-5,
             hint="A difference of two numbers that are almost equal loses their digits.")
assert_close(exp_quotient(1.0, 3e-12), math.e, "x = 1, h = 3e-12, to five digits", of="tiny steps", rtol=1e-5,
             hint="At this h, too, a difference of two numbers that are almost equal has lost too many digits.")
assert_close(exp_quotient(50.0, 2e-10), math.exp(50) * (1 + 1e-10), "x = 50, h = 2e-10, to five digits", of="tiny steps", rtol=1e-5,
             hint="Floats near 50 are 7e-15 apart: x + h is rounded so far that h has lost its fifth digit, before anything is "
             "subtracted. In the law that you used, h stands alone.")
### BEGIN HIDDEN TESTS
for x, h in ((0.3, 1.5), (-2.0, 0.25), (2.0, -1.0), (0.7, 0.04), (1.5, -2e-3), (-1.0, 6e-5), (0.2, 0.03), (0.5, -0.011), (-4.0, 0.3)):
    assert_close(exp_quotient(x, h), (math.exp(x + h) - math.exp(x)) / h, f"x = {x}, h = {h}", of="quotient", rtol=1e-5,
                 hint="The change of e^x from x to x + h, divided by h: five digits, which are more than five places for small numbers.")
for x, h in ((0.5, -1e-13), (3.0, 2e-13), (-1.0, 1e-10), (0.0, 1e-12), (1.5, -2e-12), (20.0, 1.4e-10), (80.0, 4e-10)):
    assert_close(exp_quotient(x, h), math.exp(x) * (1 + h / 2), f"x = {x}, h = {h}", of="tiny steps", rtol=1e-5,
                 hint="A difference of two numbers that are almost equal loses their digits, for negative h as well, and x + h those of h.")
### END HIDDEN TESTS

# %% [markdown] task="2.4.1c" kind="explain" minutes=5 difficulty=3 needs="derivative, limit, log1p and expm1"
# ### The derivative of the logarithm
#
# Show from the definition and from (2) that $\log x$ has the derivative $1/x$, for $x > 0$.
#
# And write `log_quotient(x, h)`: the difference quotient of $\log$ between `x` and `x + h`, for Python floats with
# `x` and `x + h` positive and $h \neq 0$, as a number.
#
# **You are done when** your text says which law is used and what plays the part of $t$ in (2), and
# - **quotient**: for steps such as 1, -0.5 and 0.001 it is the quotient itself, to five digits, not its limit, also
#   where a small `h` is not small beside `x`;
# - **tiny steps**: for $|h|$ down to $10^{-13}$ five digits are right, too, for large `x` as well as for small ones.

# %% exercise="2.4.1c"
def log_quotient(x, h):
    """(log(x + h) - log(x)) / h without loss of digits for tiny h."""
    ### BEGIN SOLUTION
    return math.log1p(h / x) / h
    ### END SOLUTION

# %% [markdown] written="2.4.1c" points=3
# ### BEGIN SOLUTION
# By the law for differences, $\log(x + h) - \log x = \log\frac{x + h}{x} = \log(1 + \frac hx)$. Put $t = h/x$; then
# $h = x t$, and
#
# $$\frac{\log(x + h) - \log x}{h} = \frac{\log(1 + t)}{x\,t} = \frac1x \cdot \frac{\log(1 + t)}{t}.$$
#
# For a fixed $x > 0$, $t \to 0$ when $h \to 0$, and the second factor has the limit 1, by (2). So the limit is $1/x$.
# On the machine: at $x = 2$ the quotients for $h = 0.1$ and $0.001$ are $0.488$ and $0.49988$; they head for $1/2$.
#
# **Rubric**
# - [1] Turns the difference of logarithms into log(1 + h/x); lost by log(x + h) = log x + log h.
# - [1] Substitutes t = h/x and turns h into x t, so that the factor 1/x appears; also accepted: the power law, (1/x) log((1 + h/x)^(x/h)); lost where 1/x comes from nowhere.
# - [1] Takes the limit with (2), and says or uses that t → 0 with h; also accepted: e as the limit of (1 + t)^(1/t); lost by using the rule that is to be shown, as in "by L'Hôpital".
# ### END SOLUTION

# %% [markdown] hints="2.4.1c"
# 1. What is $\log(x + h) - \log x$ as a single logarithm?
# 2. Divide numerator and denominator inside the logarithm by $x$. Then the 1 of (2) appears.
# 3. In numbers: $\log 2.02 - \log 2 = \log 1.01$, so here $t$ is 0.01, half of $h = 0.02$.

# %% check="2.4.1c" points=1
from numbers import Number

assert_type(log_quotient(2.0, 5.0), (Number, torch.Tensor), "x = 2, h = 5", of="quotient")
found = log_quotient(2.0, 5.0)
doubled = log_quotient(4.0, 10.0)
assert_close(found, math.log(3.5) / 5, "x = 2, h = 5: log 7 - log 2, divided by 5", of="quotient", rtol=1e-5,
             hint="The change of log from 2 to 7 is 1.25276, divided by h = 5. "
             + (f"Where x and h are both twice as large, the change is the same and the quotient half as large; yours goes from {float(found):.5g} to {float(doubled):.5g}."
                if abs(doubled - found / 2) > 1e-6 else f"Times h this is {float(found) * 5:.5g}, and must be log(1 + h/x) = log 3.5."),
             mistakes={"This is the derivative, the limit for h → 0.": 0.5,
                       "This is log(1 + h/x) / (h/x): divide by h itself.": math.log(3.5) / 2.5,
                       "This has log(1 + h) in place of log(1 + h/x).": math.log(6) / 5,
                       "Divide by h, not by x.": math.log(3.5) / 2,
                       "This is the change; it is not divided by h.": math.log(3.5),
                       "Divide by h; this is multiplied by it.": math.log(3.5) * 5,
                       "To 1 is added h / x, not x / h.": math.log(7 / 5) / 5,
                       "To 1 is added h / x, not h · x.": math.log(11) / 5,
                       "This divides log 7 by log 2: the change is log 7 minus log 2.": math.log(7) / math.log(2) / 5,
                       "This is log 8 minus log 3: `math.log1p(t)` is log(1 + t), not log t.": math.log(8 / 3) / 5,
                       "This is log 8 divided by log 3: `math.log1p(t)` is log(1 + t), not log t, and the change is log 7 minus log 2.":
                       math.log(8) / math.log(3) / 5,
                       "h is divided by x, not by x + h.": math.log(12 / 7) / 5,
                       "This has log(1 + h), and is divided by x outside: h is divided by x inside the logarithm.":
                       math.log(6) / 10,
                       "This has the logarithm to the base 10: `math.log` is the natural one.": math.log10(3.5) / 5,
                       "The sign is wrong: the change is the new value minus the old one.": -math.log(3.5) / 5,
                       "This is the slope in the middle between x and x + h.": 1 / 4.5,
                       "This is 1/x - h/(2x²), the beginning of a series: for h = 5 it is not enough.": 0.5 - 5 / 8,
                       "This is 1/x - h/(2x²) + h²/(3x³), the beginning of a series: for h = 5 it is not enough.":
                       0.5 - 5 / 8 + 25 / 24})
assert_close(log_quotient(2.0, -0.5), 0.5753641449035618, "x = 2, h = -0.5", of="quotient", rtol=1e-5, hint="The change of log from 2 to 1.5, -0.28768, divided by h = -0.5.",
             mistakes={"This is the quotient for h = +0.5: h keeps its sign.": 0.44628710262841953,
                       "Divide by h with its sign: this is divided by |h|.": -0.5753641449035618})
assert_close(log_quotient(1.0, 0.05), 0.9758032834, "x = 1, h = 0.05, to five digits", of="quotient", rtol=1e-5,
             hint="This h is not tiny: neither the limit nor the slope in the middle has five digits.",
             mistakes={"This is the derivative, the limit for h → 0.": 1.0})
assert_close(log_quotient(1.0, -5e-5), 1.0000250008, "x = 1, h = -0.00005, to five digits", of="quotient", rtol=1e-5,
             hint="For this h the quotient still differs from its limit in the fifth digit after the point.",
             mistakes={"This is the derivative, the limit for h → 0.": 1.0})
assert_close(log_quotient(1e-8, 9e-9), 71317098.7, "x = 1e-8, h = 9e-9, to five digits", of="quotient", rtol=1e-5,
             hint="This h is small, but nearly as large as x: what counts is h / x.")
def which_loss():
    """Where the digits of h are lost: three ways that give different numbers for x = 0.7."""
    x, h = 0.7, 1e-13
    given = log_quotient(x, h)
    lost = {"Here it is the difference of two logarithms.": (math.log(x + h) - math.log(x)) / h,
            "Here x + h is rounded, before it is divided by x: what goes into `math.log1p` is h / x alone.": math.log((x + h) / x) / h,
            "Here it is the sum 1 + t: `math.log1p(t)` does without it.": math.log(1 + h / x) / h}
    said = [words for words, value in lost.items() if math.isclose(given, value, rel_tol=1e-8)]
    return "A difference of two numbers that are almost equal loses their digits, and so does 1 + t for a tiny t. " + "".join(said)


assert_close(log_quotient(2.0, 1e-13), 0.5, "x = 2, h = 1e-13, to five digits", of="tiny steps", rtol=1e-5, hint=lambda: which_loss().strip())
assert_close(log_quotient(2.0, 3e-12), 0.5, "x = 2, h = 3e-12, to five digits", of="tiny steps", rtol=1e-5,
             hint="At this h, too, a difference of almost equal numbers, or 1 + t for a tiny t, has lost too many digits.")
assert_close(log_quotient(1e6, 1e-7), 1e-6, "x = 1e6, h = 1e-7, to five digits", of="tiny steps", rtol=1e-5, atol=0.0,
             hint="Beside this x the step is tiny: what counts is h / x.")
### BEGIN HIDDEN TESTS
for x, h in ((0.5, 1.5), (10.0, -4.0), (3.0, 0.25), (1.5, 0.04), (0.7, -2e-3), (2.0, 4e-4), (3e-8, -1e-8)):
    assert_close(log_quotient(x, h), (math.log(x + h) - math.log(x)) / h, f"x = {x}, h = {h}", of="quotient", rtol=1e-5,
                 hint="The change of log from x to x + h, divided by h, to five digits. Whether h is small is told by h / x.")
for x, h in ((0.7, -1e-13), (5.0, 3e-13), (40.0, 1e-12), (1.0, -1e-11), (3.0, -4e-12), (50.0, 1e-10), (3e5, -2e-8)):
    assert_close(log_quotient(x, h), 1 / x - h / (2 * x * x), f"x = {x}, h = {h}", of="tiny steps", rtol=1e-5, atol=0.0,
                 hint="Five digits, for negative h, too, and for large x, where they stand far behind the point. A difference of "
                 "almost equal numbers, and 1 + t for a tiny t, lose them.")
### END HIDDEN TESTS

# %% [markdown] teaches="derivative of sin and cos"
# Six derivatives carry most of this book. The last two we take from school, and test with the tool of this page.
#
# | $f(x)$ | $c$ | $x^n$ | $e^x$ | $\log x$ | $\sin x$ | $\cos x$ |
# |---|---|---|---|---|---|---|
# | $f'(x)$ | $0$ | $n x^{n-1}$ | $e^x$ | $1/x$ | $\cos x$ | $-\sin x$ |

# %%
x = 0.7
for name, f, derivative in (('x^5', lambda t: t ** 5, 5 * x ** 4), ('exp', math.exp, math.exp(x)), ('log', math.log, 1 / x),
                            ('sin', math.sin, math.cos(x)), ('cos', math.cos, -math.sin(x))):
    print(f'{name:4} at {x}: quotient {slope(f, x):.8f}   table {derivative:.8f}')

# %% [markdown] teaches="sum rule, product rule, quotient rule"
# ## Rules: from known slopes to new ones
#
# Nobody goes back to the limit for $x^2 \sin x$. It is a product of two functions whose derivatives we know, and
# there is a rule for products. Which? Let us guess, and test the guesses, with $u(x) = x^2$ and $v(x) = \sin x$ at
# $x = 2$.

# %%
x = 2.0
u, v = x ** 2, math.sin(x)          # the values
du, dv = 2 * x, math.cos(x)         # the slopes
print('sin at 2 as a pair:', (round(v, 3), round(dv, 3)))
print('sum:     measured', round(slope(lambda t: t ** 2 + math.sin(t), x), 6), '  u\' + v\' =', round(du + dv, 6))
print('product: measured', round(slope(lambda t: t ** 2 * math.sin(t), x), 6), '  u\' v\' =', round(du * dv, 6))
print('                                u\' v + u v\' =', round(du * v + u * dv, 6))

# %% [markdown] teaches="sum rule, product rule, quotient rule"
# ⚠ Slopes of a sum add up, but the slope of a product is **not** the product of the slopes. A picture shows why. Read
# $u v$ as the area of a rectangle with the sides $u$ and $v$. When $x$ grows by $h$, the sides grow, by $\Delta u$
# and $\Delta v$.

# %% tags=["demo"] teaches="product rule"
figure, axes = plt.subplots(figsize=(5.6, 3.4), layout='constrained')
for (left, low, width, height), color, text in (
        ((0, 0, 4, 2), 'lightgrey', '$u\\,v$\nwas there before'), ((4, 0, 1, 2), 'C0', '$\\Delta u\\; v$'),
        ((0, 2, 4, 0.6), 'C1', '$u\\; \\Delta v$'), ((4, 2, 1, 0.6), 'C3', '$\\Delta u\\, \\Delta v$')):
    axes.add_patch(plt.Rectangle((left, low), width, height, facecolor=color, edgecolor='white', linewidth=3, alpha=0.75))
    axes.text(left + width / 2, low + height / 2, text, ha='center', va='center', fontsize=11)
axes.set(xlim=(-0.05, 5.05), ylim=(-0.05, 2.65), xticks=[2, 4.5], yticks=[1, 2.3], aspect='equal')
axes.set_xticklabels(['$u$', '$\\Delta u$'], fontsize=12)
axes.set_yticklabels(['$v$', '$\\Delta v$'], fontsize=12)
axes.tick_params(length=0)
for side in axes.spines.values():
    side.set_visible(False)
plt.show()

# %% [markdown] teaches="sum rule, product rule, quotient rule"
# *The area grows by two strips and a corner. Divided by $h$, the strips tend to $u' v$ and $u v'$. Both sides of the
# corner shrink with $h$, so that even divided by $h$ it vanishes.*
#
# The three rules, for places where $u$ and $v$ have derivatives:
#
# - **sum rule**: $(u + v)' = u' + v'$;
# - **product rule**: $(u v)' = u' v + u v'$;
# - **quotient rule**: $\left(\frac uv\right)' = \frac{u' v - u v'}{v^2}$, where $v \neq 0$.
#
# The exercises prove them. As a pattern, here is the proof of a fourth rule, for $1/v$. Note what each step uses.
#
# $$\frac1h \left( \frac{1}{v(x + h)} - \frac{1}{v(x)} \right) = - \frac{v(x + h) - v(x)}{h} \cdot \frac{1}{v(x + h)\, v(x)} \;\to\; - \frac{v'(x)}{v(x)^2}.$$
#
# The first factor is the difference quotient of $v$, and tends to $v'(x)$. In the second, $v(x + h)$ tends to $v(x)$:
# a function that has a derivative does not jump, since
# $v(x + h) - v(x) = h \cdot \text{quotient} \to 0 \cdot v'(x) = 0$. And the limit of a product (or sum) is the
# product (or sum) of the limits, if both exist.
#
# **Pairs.** The rules need two numbers of each function, its value and its slope at the place in question. We write
# them as a pair: $\sin$ at 2 is `(0.909, -0.416)`. A rule then turns two pairs into a new one, and rules can be
# chained: a program could follow a long formula and apply the rules for us. Section 2.5 has such a program.

# %% [markdown] task="2.4.2a" kind="explain" minutes=3 difficulty=1 needs="sum rule, difference quotient, limit"
# ### The sum rule
#
# Prove the sum rule from the definition of the derivative.
#
# Write `sum_rule(u, v)`. `u` and `v` are pairs (value, slope) of two functions at the same place. It returns the pair
# of their sum, as a tuple or list of two numbers.
#
# **You are done when** your text goes from the quotient of the sum to its limit, and
# - **value**: the first number is the value of the sum;
# - **slope**: the second is its slope.

# %% exercise="2.4.2a"
def sum_rule(u, v):
    """(value, slope) of u + v from the pairs of u and v."""
    ### BEGIN SOLUTION
    return u[0] + v[0], u[1] + v[1]
    ### END SOLUTION

# %% [markdown] written="2.4.2a" points=2
# ### BEGIN SOLUTION
# For every $h \neq 0$, sorting the terms by function,
#
# $$\frac{(u(x + h) + v(x + h)) - (u(x) + v(x))}{h} = \frac{u(x + h) - u(x)}{h} + \frac{v(x + h) - v(x)}{h}.$$
#
# The two quotients on the right tend to $u'(x)$ and $v'(x)$, which exist by assumption. The limit of a sum is the sum
# of the limits, so the left side tends to $u'(x) + v'(x)$. The equation before the limit is exact: for sums the
# difference quotients add up for every $h$, not only in the limit.
#
# **Rubric**
# - [1] Writes the difference quotient of u + v and splits it into those of u and v; lost by an example, or by "the derivative is linear", which is the claim.
# - [0.5] Takes the limit of each part; the limit of a sum is the sum of the limits.
# - [0.5] Says or uses that both derivatives exist; also accepted: "where u and v are differentiable" in the first line.
# ### END SOLUTION

# %% [markdown] hints="2.4.2a"
# 1. What is the difference quotient of the function $u + v$? Which terms belong to $u$?
# 2. In the pattern above, the last sentence on limits is what you need at the end.

# %% check="2.4.2a" points=1
found = sum_rule((3.0, 2.0), (10.0, -7.0))
assert_type(found, (tuple, list), "what sum_rule returns", of="value")
assert_equal(len(found), 2, "the number of entries of what sum_rule returns", of="value",
             hint="A value and a slope: `u + v` would put two pairs into one row.")
ones = (((1., 0.), (0., 0.)), ((0., 1.), (0., 0.)), ((0., 0.), (1., 0.)), ((0., 0.), (0., 1.)))
names = ("the value of u", "the slope of u", "the value of v", "the slope of v")


def who_counts(entry):
    """This entry of the sum, where each of the four numbers is 1 while the others are 0."""
    counts = {name: float(sum_rule(*pairs)[entry]) for name, pairs in zip(names, ones)}
    told = ", ".join(f"{times:g} for {name}" for name, times in counts.items() if times)
    return f"Where one of the four numbers is 1 and the others are 0, yours is {told + ', and 0 else' if told else 'always 0'}."


assert_close(found[0], 13.0, "the value for the pairs (3, 2) and (10, -7)", of="value",
             hint=lambda: f"The value of a sum is the sum of the values, 3 and 10. {who_counts(0)}",
             mistakes={"The pair is (value, slope): the value comes first.": -5.0, "This is the value of the difference.": -7.0,
                       "This is the value of the product.": 30.0,
                       "The value of u is added to itself.": 6.0, "The value of v is added to itself.": 20.0, "This adds value and slope of u.": 5.0,
                       "This adds the value of u and the slope of v.": -4.0, "This adds the slope of u and the value of v.": 12.0,
                       "The value of v is missing.": 3.0, "The value of u is missing.": 10.0,
                       "The values are added; no mean is taken.": 6.5})
assert_close(found[1], -5.0, "the slope for the pairs (3, 2) and (10, -7)", of="slope",
             hint=lambda: f"The slope of a sum is the sum of the slopes, 2 and -7. {who_counts(1)}",
             mistakes={"This is the product of the slopes: those of a sum add up.": -14.0,
                       "This is the slope of the product.": -1.0, "The slope of v is missing.": 2.0,
                       "The slope of u is missing.": -7.0,
                       "The slopes are added with their signs.": 9.0, "The slopes are added; no mean is taken.": -2.5,
                       "This adds value and slope of v.": 3.0})
### BEGIN HIDDEN TESTS
for u, v in (((0.5, -1.5), (2.0, 4.0)), ((-3.0, 0.0), (0.0, 0.25)), ((1.0, 1.0), (6.0, 9.0))):
    assert_close(sum_rule(u, v)[0], u[0] + v[0], f"the value for {u} and {v}", of="value", hint="Values are added as they are, with their signs and fractions.")
    assert_close(sum_rule(u, v)[1], u[1] + v[1], f"the slope for {u} and {v}", of="slope", hint="Slopes are added as they are, with their signs and fractions.")
### END HIDDEN TESTS

# %% [markdown] task="2.4.2b" kind="explain" minutes=6 difficulty=3 core=true needs="product rule, difference quotient, limit"
# ### The product rule
#
# Turn the picture of the rectangle into a proof of the product rule.
#
# Write `product_rule(u, v)`, which turns the pairs (value, slope) of two functions into the pair of their product, a
# tuple or list of two numbers.
#
# **You are done when** your text says what becomes of the strips and of the corner, with the reason, and
# - **value**: the first number is the value of the product;
# - **slope**: the second is its slope.

# %% exercise="2.4.2b"
def product_rule(u, v):
    """(value, slope) of u v from the pairs of u and v."""
    ### BEGIN SOLUTION
    return u[0] * v[0], u[1] * v[0] + u[0] * v[1]
    ### END SOLUTION

# %% [markdown] written="2.4.2b" points=3
# ### BEGIN SOLUTION
# Write $\Delta u = u(x + h) - u(x)$, and $\Delta v$ in the same way. Then
#
# $$u(x + h)\, v(x + h) - u(x)\, v(x) = (u + \Delta u)(v + \Delta v) - u v = \Delta u\, v + u\, \Delta v + \Delta u\, \Delta v,$$
#
# with $u$, $v$ taken at $x$. Divided by $h$, the first two terms are $\frac{\Delta u}{h} v \to u' v$ and
# $u \frac{\Delta v}{h} \to u v'$, since $u(x)$ and $v(x)$ do not depend on $h$. The corner is
# $\frac{\Delta u}{h} \cdot \Delta v$: its first factor tends to $u'$, a fixed number, and its second to 0, because a
# function with a derivative does not jump. So the corner tends to $u' \cdot 0 = 0$, and the limit of the sum is
# $u' v + u v'$.
#
# **Rubric**
# - [1] Writes the change of the product as two strips and a corner; also accepted: adds and subtracts u(x) v(x + h) or the like; lost by multiplying the two difference quotients.
# - [1] Divides by h and takes the limits of the two strips, u′v and uv′.
# - [1] Gives the reason why the rest vanishes: Δu/h is bounded and Δv → 0 (or v(x + h) → v(x), in the other form), because v has a derivative; lost by "h² is negligible" or "the corner is small" without dividing by h.
# ### END SOLUTION

# %% [markdown] hints="2.4.2b"
# 1. Which product is the area of each of the three new pieces?
# 2. The corner divided by $h$ is $\frac{\Delta u}{h} \cdot \Delta v$. What does each factor tend to?
# 3. With numbers, for $x \cdot x$ at 3 and $h = 0.1$: the strips are 0.3 and 0.3, the corner 0.01. Divided by $h$: 3,
#    3 and 0.1.

# %% check="2.4.2b" points=1
found = product_rule((3.0, 2.0), (5.0, -7.0))
assert_type(found, (tuple, list), "what product_rule returns", of="value")
assert_equal(len(found), 2, "the number of entries of what product_rule returns", of="value", hint="A value and one slope, in which both strips are added.")
assert_close(found[0], 15.0, "the value for the pairs (3, 2) and (5, -7)", of="value", hint="The value of a product is the product of the values, 3 and 5.",
             mistakes={"The pair is (value, slope): the value comes first.": -11.0, "This is the value of the sum.": 8.0})
strip_u, strip_v = product_rule((3.0, 2.0), (5.0, 0.0))[1], product_rule((3.0, 0.0), (5.0, -7.0))[1]
which_strip = {(True, True): "Each strip alone is right, 10 where v has the slope 0, and -21 where u has: the two are added.",
               (True, False): f"Where v has the slope 0, yours is right, 2 · 5 = 10; where u has, it is {float(strip_v):g}, and must be u v', 3 · (-7) = -21.",
               (False, True): f"Where u has the slope 0, yours is right, 3 · (-7) = -21; where v has, it is {float(strip_u):g}, and must be u' v, 2 · 5 = 10.",
               (False, False): f"Where v has the slope 0, yours is {float(strip_u):g}, and must be u' v, 2 · 5 = 10; "
                               f"where u has, it is {float(strip_v):g}, and must be u v', 3 · (-7) = -21."}[abs(strip_u - 10) < 1e-5, abs(strip_v + 21) < 1e-5]
assert_close(found[1], -11.0, "the slope for the pairs (3, 2) and (5, -7): 2 · 5 + 3 · (-7)", of="slope",
             hint=f"Two strips are added. {which_strip}",
             mistakes={"The two strips are added; here they are multiplied.": -210.0,
                       "Value and slope were added in each pair, and the sums multiplied.": -10.0,
                       "This is u' v twice; the second strip is u v'.": 20.0,
                       "This is the product of the slopes.": -14.0,
                       "This is 2 · (5 + 3) · (-7), one product; there are two, u' v = 2 · 5 and u v' = 3 · (-7), and they are added.": -112.0,
                       "This is 10 + 21: between the two terms stands a plus, and the slope -7 keeps its sign.": 31.0,
                       "This is divided by the square of v: the product rule divides by nothing.": -0.44,
                       "This is u' / u + v' / v: each slope is multiplied by the value of the other function, not divided by its own.":
                       2 / 3 - 7 / 5,
                       "This is -21 - 10: between the two terms stands a plus.": -31.0,
                       "This is the sum of the slopes times the product of the values: a slope meets the other's value alone.":
                       -75.0,
                       "This is the sum of the slopes times the sum of the values: a slope meets the other's value alone.":
                       -40.0,
                       "One strip is missing: u v'.": 10.0, "One strip is missing: u' v.": -21.0,
                       "Each slope meets the value of the other function, not its own.": -29.0,
                       "This is the slope of the sum.": -5.0, "The two terms are added; no mean is taken.": -5.5,
                       "The corner vanishes in the limit, even divided by h: it is no term of the slope.": -25.0})
found = product_rule((-3.0, 0.5), (4.0, 2.0))
assert_close(found[0], -12.0, "the value for the pairs (-3, 0.5) and (4, 2)", of="value", hint="The product keeps its sign.")
assert_close(found[1], -4.0, "the slope for the pairs (-3, 0.5) and (4, 2): 0.5 · 4 + (-3) · 2", of="slope", hint="Fractions and signs count.")
found = product_rule((0.0, 2.0), (5.0, -7.0))
assert_close(found[0], 0.0, "the value for the pairs (0, 2) and (5, -7), where u is 0: do not divide by it", of="value")
assert_close(found[1], 10.0, "the slope for the pairs (0, 2) and (5, -7), where u is 0", of="slope",
             hint="A value may be 0: do not divide by it.")
### BEGIN HIDDEN TESTS
for u, v in (((0.5, -1.5), (2.0, 4.0)), ((-3.0, 0.0), (0.0, 0.25)), ((-0.5, 2.0), (3.0, -1.0)), ((1.0, 1.5), (6.0, 9.0))):
    assert_close(product_rule(u, v)[0], u[0] * v[0], f"the value for {u} and {v}", of="value", hint="The product of the two values, with its sign and fraction.")
    assert_close(product_rule(u, v)[1], u[1] * v[0] + u[0] * v[1], f"the slope for {u} and {v}", of="slope",
                 hint="Slope of u times value of v, plus value of u times slope of v: signs and fractions count.")
### END HIDDEN TESTS

# %% [markdown] task="2.4.2c" kind="explain" minutes=5 difficulty=2 needs="quotient rule, product rule"
# ### The quotient rule
#
# Derive the quotient rule. You may use the product rule and the rule for $1/v$.
#
# Write `quotient_rule(u, v)`, which turns the pairs (value, slope) of two functions into the pair of $u / v$, a tuple
# or list of two numbers. The value of `v` is not 0; that of `u` may be. The numbers may be whole or not.
#
# **You are done when** your text names the rules where it uses them, and
# - **value**: the first number is the value of the quotient;
# - **slope**: the second is its slope.

# %% exercise="2.4.2c"
def quotient_rule(u, v):
    """(value, slope) of u / v from the pairs of u and v."""
    ### BEGIN SOLUTION
    return u[0] / v[0], (u[1] * v[0] - u[0] * v[1]) / v[0] ** 2
    ### END SOLUTION

# %% [markdown] written="2.4.2c" points=3
# ### BEGIN SOLUTION
# Read $\frac uv$ as the product $u \cdot \frac1v$. By the product rule its derivative is
# $u' \cdot \frac1v + u \cdot \left(\frac1v\right)'$, and by the rule for $\frac1v$ that is
#
# $$\frac{u'}{v} - u\, \frac{v'}{v^2} = \frac{u' v - u v'}{v^2}.$$
#
# The first term was extended by $v$. All of it needs $v(x) \neq 0$; then $v$ is not zero near $x$ either, because it
# does not jump. Check with $\frac{x^3}{x} = x^2$: $\frac{3x^2 \cdot x - x^3 \cdot 1}{x^2} = 2x$.
#
# **Rubric**
# - [1] Writes the quotient as a product, u · (1/v), and uses the product rule by name; also accepted: u = (u/v) · v, differentiated and solved for (u/v)′ (if it says that (u/v)′ exists, or ignores this), or a direct proof from the limit.
# - [1] Uses (1/v)′ = -v′/v² with its minus sign, or the corresponding step of the other proof; lost by (1/v)′ = 1/v′.
# - [1] Reaches (u′v - uv′)/v² with the steps between; lost by stating the rule and an example.
# ### END SOLUTION

# %% [markdown] hints="2.4.2c"
# 1. Of which two functions is $u/v$ the product?
# 2. The rule for $1/v$ stands above as a pattern: mind its minus sign.
# 3. Another case: $\frac{1}{x^2}$, with $v = x^2$, has the slope $-\frac{2x}{x^4} = -\frac{2}{x^3}$.

# %% check="2.4.2c" points=1
found = quotient_rule((3.0, 2.0), (5.0, -7.0))
assert_type(found, (tuple, list), "what quotient_rule returns", of="value")
assert_equal(len(found), 2, "the number of entries of what quotient_rule returns", of="value", hint="A value and one slope.")
assert_close(found[0], 0.6, "the value for the pairs (3, 2) and (5, -7)", of="value", rtol=1e-5, hint="The value of the quotient is 3 / 5.",
             mistakes={"`//` cuts the fraction off: divide with `/`.": 0.0, "This is the value of the product.": 15.0,
                       "The roles of u and v are exchanged: it is u / v.": 5 / 3, "The pair is (value, slope): the value comes first.": 31 / 25})
term_u, term_v = quotient_rule((3.0, 4.0), (5.0, -7.0))[1] - found[1], quotient_rule((3.0, 2.0), (5.0, -14.0))[1] - found[1]
which_term = {(True, True): "Each slope has its right part, 2 · 5 / 25 and -3 · (-7) / 25: nothing else is added.",
              (True, False): "The slope of u has its right part, 2 · 5 / 25. "
                             f"Where that of v is -14 in place of -7, yours grows by {float(term_v):.4g}, and must by -3 · (-7) / 25 = 0.84.",
              (False, True): "The slope of v has its right part, -3 · (-7) / 25. "
                             f"Where that of u is 4 in place of 2, yours grows by {float(term_u):.4g}, and must by 2 · 5 / 25 = 0.4.",
              (False, False): f"Where the slope of u is 4 in place of 2, yours grows by {float(term_u):.4g}, and must by 2 · 5 / 25 = 0.4; "
                              f"where that of v is -14 in place of -7, by {float(term_v):.4g}, and must by -3 · (-7) / 25 = 0.84."}[abs(term_u - 0.4) < 1e-5, abs(term_v - 0.84) < 1e-5]
assert_close(found[1], 31 / 25, "the slope for the pairs (3, 2) and (5, -7): (2 · 5 - 3 · (-7)) / 25", of="slope", rtol=1e-5,
             hint=which_term,
             mistakes={"This is the quotient of the slopes.": -2 / 7, "The sign is wrong: u' v comes first.": -31 / 25,
                       "The denominator is the square of v.": 31 / 5, "Between the two terms stands a minus.": -11 / 25,
                       "It is not divided by the square of v. (`/ v * v` divides and multiplies again: put v * v into brackets.)": 31.0,
                       "`//` cuts the fraction off: divide with `/`.": 1.0, "The denominator is the square of v, not of u.": 31 / 9,
                       "The denominator is the square of the value of v, not of its slope.": 31 / 49,
                       "The denominator is the square of v, v · v, and not 2 v.": 3.1, "`^` is no power in Python: write v ** 2.": 31 / 7,
                       "The second term is missing: - u v'.": 0.4, "The first term is missing: u' v.": 0.84,
                       "Each slope meets the value of the other function, not its own.": 41 / 25, "In the first term v is missing: u' v.": 23 / 25,
                       "The denominator divides both terms: put the difference into brackets.": 10.84,
                       "This is the right slope, divided by v once more, as by its third power: below u' v - u v' stands v², below u' - (u / v) v' stands v.":
                       31 / 125,
                       "The minus belongs to the second term alone: u' v - u v'.": 11 / 25,
                       "The denominator is the square of v, and not twice this square.": 31 / 50,
                       "In the second term the slope of v is missing: u v'.": 7 / 25,
                       "The second term, u v', is divided by the square of v, too, and not by v.": 0.4 + 21 / 5})
found = quotient_rule((0.0, 2.0), (4.0, 3.0))
assert_close(found[0], 0.0, "the value for the pairs (0, 2) and (4, 3), where u is 0: do not divide by it", of="value",
             hint="The value of u may be 0: do not divide by it.")
assert_close(found[1], 0.5, "the slope for the pairs (0, 2) and (4, 3)", of="slope", rtol=1e-5, hint="A value of 0 is no slope of 0: the rule is the same.")
found = quotient_rule((3, 2), (-4, 1))
assert_close(found[0], -0.75, "the value for the pairs (3, 2) and (-4, 1), whole numbers", of="value", rtol=1e-5, hint="Signs and all digits count.",
             mistakes={"`//` cuts the fraction off: divide with `/`.": -1.0})
assert_close(found[1], -0.6875, "the slope for the pairs (3, 2) and (-4, 1), whole numbers", of="slope", rtol=1e-5,
             hint="All digits count, and the sign of (2 · (-4) - 3 · 1) / 16.",
             mistakes={"The square of v is positive, and the numerator is -11: the slope is negative.": 0.6875})
### BEGIN HIDDEN TESTS
for u, v in (((0.5, -1.5), (2.0, 4.0)), ((-3.0, 0.0), (-4.0, 0.25)), ((1.0, 1.5), (0.5, 9.0)), ((0.0, -1.5), (-2.0, 0.5)),
             ((7, -1), (-2, 3))):
    assert_close(quotient_rule(u, v)[0], u[0] / v[0], f"the value for {u} and {v}", of="value", rtol=1e-5, hint="The value of u divided by that of v, with `/`.")
    assert_close(quotient_rule(u, v)[1], u[1] / v[0] - u[0] * v[1] / v[0] / v[0], f"the slope for {u} and {v}", of="slope", rtol=1e-5,
                 hint="The value of v times the slope of u, minus the value of u times the slope of v, all of it divided by the square of the value of v.")
### END HIDDEN TESTS

# %% [markdown] task="2.4.3" kind="explain" minutes=3 difficulty=1 needs="product rule, derivative"
# ### A constant factor
#
# Derive from the product rule: for a constant $c$, $(c f)' = c f'$.
#
# Write `constant_multiple(c, f)` for a number `c` and the pair (value, slope) `f`. It returns the pair of the
# product, a tuple or list of two numbers.
#
# **You are done when** your text writes the product rule out for the two factors $c$ and $f$, says what the derivative
# of $c$ is, and what this makes of each of the two terms, and
# - **value**: the first number is the value of $c f$;
# - **slope**: the second is its slope.

# %% exercise="2.4.3"
def constant_multiple(c, f):
    """(value, slope) of c f from the number c and the pair of f."""
    ### BEGIN SOLUTION
    return c * f[0], c * f[1]
    ### END SOLUTION

# %% [markdown] written="2.4.3" points=2
# ### BEGIN SOLUTION
# Take the constant function $u(x) = c$, whose derivative is $u' = 0$ (exercise 2.4.1a), and $v = f$. The product rule
# says $(c f)' = u' v + u v' = 0 \cdot f + c f' = c f'$. As pairs: $(c, 0)$ and $(f, f')$ give
# $(c f,\; 0 \cdot f + c f')$. With the sum rule it follows that $(a u + b v)' = a u' + b v'$ for constants $a$, $b$:
# taking derivatives is *linear*.
#
# **Rubric**
# - [1] Uses the product rule with the constant as one factor, both terms written out; also accepted: pairs with (c, 0); lost by a proof that never uses the product rule (the task asks for it).
# - [0.5] Says that the derivative of the constant is 0.
# - [0.5] Concludes that the term with c′ = 0 vanishes and c f′ is left; lost by 0 · f′ or by (c f)′ = c′ f′ = 0.
# ### END SOLUTION

# %% [markdown] hints="2.4.3"
# 1. Which pair (value, slope) belongs to the constant function $c$?
# 2. Put this pair and the pair of $f$ into the product rule.

# %% check="2.4.3" points=1
found = constant_multiple(-4, (3.0, 2.0))
assert_type(found, (tuple, list), "what constant_multiple returns", of="value")
assert_equal(len(found), 2, "the number of entries of what constant_multiple returns", of="value",
             hint="Each of the two numbers is treated on its own: `*` between a number and a tuple repeats the tuple.")
assert_close(found[0], -12.0, "the value of -4 times the pair (3, 2)", of="value", hint="The value of c f is c times that of f, with the sign of c.",
             mistakes={"The value of f is multiplied by c, too.": 3.0, "The pair is (value, slope): the value comes first.": -8.0, "c is a factor here, not a term.": -1.0})
by_slope, by_value = constant_multiple(-4, (0.0, 2.0))[1], constant_multiple(-4, (3.0, 0.0))[1]
which_number = (f"Where f has the slope 0, yours is {float(by_value):g}, and must be 0: the value of f does not count." if abs(by_value) > 1e-6
                else f"Where f has the value 0 and the slope 2, yours is {float(by_slope):g}, and must be -4 · 2 = -8." if abs(by_slope + 8) > 1e-6 else "")
assert_close(found[1], -8.0, "the slope of -4 times the pair (3, 2)", of="slope",
             hint=f"Put the pair (c, 0) into the product rule: one term is 0, and c keeps its sign in the other. {which_number}".strip(),
             mistakes={"A constant factor stays: it is not lost with its derivative.": 0.0,
                       "A factor is not a term: it changes the slope.": 2.0,
                       "c has a sign: where it is negative, the slope turns round.": 8.0, "This has c as a term: c is a factor of the slope.": -2.0,
                       "This is c itself: it is a factor of the slope of f, 2.": -4.0,
                       "c meets the value of f here, 3; it is a factor of the slope of f, 2.": -12.0,
                       "c is once a factor, not twice.": 32.0, "The slope is multiplied by c, not divided.": -0.5,
                       "The pair of the constant function is (c, 0), not (c, 1).": -5.0,
                       "c times the value of f is added here: the constant function has the slope 0, not c.": -20.0})
### BEGIN HIDDEN TESTS
for c, pair in ((0.5, (6.0, -3.0)), (0.0, (2.0, 5.0)), (7.0, (0.0, 1.5))):
    assert_close(constant_multiple(c, pair)[0], c * pair[0], f"the value of {c} times {pair}", of="value", hint="c times the value of f: c may be 0, negative or a fraction.")
    assert_close(constant_multiple(c, pair)[1], c * pair[1], f"the slope of {c} times {pair}", of="slope", hint="c times the slope of f: c may be 0, negative or a fraction.")
### END HIDDEN TESTS

# %% [markdown] teaches="chain rule"
# ## The chain rule: functions inside functions
#
# A network is a function of a function of a function. Think of gears: if the second wheel turns 3 times as fast as
# the first, and the third twice as fast as the second, then the third turns $2 \cdot 3 = 6$ times as fast as the
# first. Slopes are such factors.
#
# Let $y = f(u)$ with $u = g(x)$, together $y = f(g(x))$. A change $h$ of $x$ changes $u$ by about $g'(x)\, h$. That
# in turn changes $y$ by about $f'(u)$ times as much. So the **chain rule**
#
# $$\frac{d}{dx} f(g(x)) = f'(g(x)) \cdot g'(x), \qquad \text{in short} \quad \frac{dy}{dx} = \frac{dy}{du} \cdot \frac{du}{dx}.$$
#
# ⚠ $f'$ is taken **at the inner value** $g(x)$, not at $x$.
#
# "About" can be made exact. For $k \neq 0$ let $r(k)$ be the difference between the quotient of $f$ and its limit, so
# that $f(u + k) - f(u) = k\,(f'(u) + r(k))$ with $r(k) \to 0$; put $r(0) = 0$, and this holds for $k = 0$, too. Now
# take $k = g(x + h) - g(x)$ and divide by $h$:
#
# $$\frac{f(g(x + h)) - f(g(x))}{h} = \frac{g(x + h) - g(x)}{h} \cdot (f'(u) + r(k)) \;\to\; g'(x) \cdot f'(u),$$
#
# since $k \to 0$ with $h$.
#
# **Example.** $\sin(x^2)$: outer function $\sin$ with the slope $\cos$, inner function $x^2$ with the slope $2x$. The
# derivative is $\cos(x^2) \cdot 2x$.
#
# **Example.** $2^x = e^{x \log 2}$, because $2 = e^{\log 2}$. The outer function is $e^u$, the inner one $x \log 2$
# has the slope $\log 2$. So the derivative is $2^x \log 2$. The slope at 0 was $0.69315$ in the table above:
# $\log 2$.

# %% teaches="chain rule"
x = 1.5
print('sin(x²): measured', round(slope(lambda t: math.sin(t ** 2), x), 8), ' chain rule', round(math.cos(x ** 2) * 2 * x, 8),
      ' outer slope at x:', round(math.cos(x) * 2 * x, 8))
print('2^x:     measured', round(slope(lambda t: 2 ** t, x), 8), ' chain rule', round(2 ** x * math.log(2), 8))

# %% [markdown] task="2.4.C" kind="code" minutes=2 difficulty=1 core=true needs="chain rule"
# ### Two gears
#
# Write `chain_slope(df, g, dg, x)`: the derivative of $f(g(x))$ at the number `x`. You get functions of one number:
# `df` is $f'$, `g` is $g$, and `dg` is $g'$.
#
# **You are done when**
# - **inner value**: the slope of the outer function is taken at the right place;
# - **both slopes**: the slope of the inner function has its part in the result.

# %% exercise="2.4.C"
def chain_slope(df, g, dg, x):
    """The derivative of f(g(x)) at x from the functions f', g and g'."""
    ### BEGIN SOLUTION
    return df(g(x)) * dg(x)
    ### END SOLUTION

# %% [markdown] hints="2.4.C"
# 1. In the example $\sin(x^2)$, what does $\cos$ get as its argument, and what is it multiplied by?
# 2. Three calls and one product: `g(x)` is needed first.

# %% check="2.4.C" points=1
from numbers import Number

@probe
def slope_of_a_cube_of_a_sum(b, x):
    return chain_slope(lambda u: 3 * u ** 2, lambda t: t + b, lambda t: 1.0, x)

@probe
def slope_of_a_polynomial_of_a_power(a, n, x):
    return chain_slope(lambda u: 2 * a * u + 1, lambda t: t ** n, lambda t: n * t ** (n - 1), x)

@probe
def kind_of_the_result():
    return type(chain_slope(lambda u: 3 * u ** 2, lambda t: t + 4.0, lambda t: 1.0, 2.0)).__name__

assert_true(kind_of_the_result() != "function", "chain_slope(df, g, dg, 2.0) returns a number", of="inner value",
            hint="It returns a function. The derivative at the number x that is handed over is wanted: call `g`, `df` and `dg`, and return what comes out.")
found = slope_of_a_cube_of_a_sum(4.0, 2.0)
assert_type(found, (Number, torch.Tensor), "f(u) = u³, g(x) = x + 4 at x = 2", of="inner value")
inner_alone = slope_of_a_polynomial_of_a_power(0.0, 2, 3.0)        # f(u) = u
which_slope = (f"For f(u) = u, too, it is wrong: f' is 1 everywhere, and for g(x) = x² at 3 the slope of g, 6, is left; yours is {float(inner_alone):.6g}."
               if abs(inner_alone - 6) > 1e-5 else "For f(u) = u yours is right, the slope of g alone: it is the other factor, f' at g(x), that is not.")
assert_close(found, 108.0, "f(u) = u³, g(x) = x + 4 at x = 2: 3 · 6² times 1", of="inner value",
             hint=f"f' at the inner value g(2) = 6 is 108, and the slope of g is 1: multiply these two. {which_slope}",
             mistakes={"The outer slope is taken at x: it belongs at g(x).": 12.0, "The outer slope is taken at g'(x): it belongs at g(x).": 3.0,
                       "The slopes are multiplied, not added.": 109.0,
                       "g comes first, and f' gets what g gives: here g gets what f' gives.": 16.0,
                       "The second factor is the slope of g, not its value; and the outer slope belongs at g(x), not at g'(x).": 18.0,
                       "This is made like the product rule; here two slopes are multiplied, f' at g(x) and g' at x.": 73.0,
                       "The second factor is the slope of g, not its value.": 648.0,
                       "The value of g is no factor: it is the place at which the outer slope belongs, and here that is taken at x.":
                       72.0,
                       "The second factor is the slope of g at x: g is not applied to it.": 540.0})
assert_close(slope_of_a_polynomial_of_a_power(1.0, 2, 3.0), 114.0, "f(u) = u² + u, g(x) = x² at x = 3: 19 · 6", of="both slopes",
             hint=f"f' at the inner value g(3) = 9 is 19, and the slope of g at 3 is 6: multiply these two. {which_slope}",
             mistakes={"The inner slope is a factor once, not twice.": 684.0, "The slopes are multiplied, not divided.": 19 / 6,
                       "The inner slope is missing.": 19.0, "The slopes are multiplied, not added.": 25.0,
                       "The inner slope is a factor of the result: it does not belong into the argument of f'.": 109.0,
                       "The slope of g is taken at g(x): it belongs at x.": 342.0})
assert_close(slope_of_a_polynomial_of_a_power(1.0, 2, -2.0), -36.0, "f(u) = u² + u, g(x) = x² at x = -2: 9 · (-4)", of="both slopes",
             hint="Slopes keep their sign: g falls here.")
assert_close(slope_of_a_polynomial_of_a_power(1.0, 2, 0.0), 0.0, "f(u) = u² + u, g(x) = x² at x = 0: 1 · 0", of="both slopes",
             hint="The inner slope may be 0: then the product is 0.")
### BEGIN HIDDEN TESTS
@probe
def slope_of_sin_of_a_power(n, x):
    import math
    return chain_slope(math.cos, lambda t: t ** n, lambda t: n * t ** (n - 1), x)

for b, x in ((-2.0, 5.0), (0.5, -1.5)):
    assert_close(slope_of_a_cube_of_a_sum(b, x), 3 * (x + b) ** 2, f"(x + {b})³ at x = {x}", of="inner value", rtol=1e-5,
                 hint="f' is taken at g(x), with the sign of x; g' at x.")
for a, n, x in ((-3.0, 3, 2.0), (0.5, 4, -1.5)):
    assert_close(slope_of_a_polynomial_of_a_power(a, n, x), (2 * a * x ** n + 1) * n * x ** (n - 1),
                 f"f(u) = {a}u² + u, g(x) = x^{n} at x = {x}", of="both slopes", rtol=1e-5,
                 hint="f' at g(x), times g' at x: both with their signs and fractions.")
for n, x in ((2, 0.9), (3, -1.1)):
    assert_close(slope_of_sin_of_a_power(n, x), math.cos(x ** n) * n * x ** (n - 1), f"sin of x^{n} at x = {x}", of="both slopes", rtol=1e-5,
                 hint="f' at g(x), times g' at x.")
### END HIDDEN TESTS

# %% [markdown] task="2.4.4" kind="code" minutes=5 difficulty=3 needs="chain rule, product rule, derivative of log"
# ### x to the power of x
#
# In $x^x$ both the base and the exponent change, so neither the rule for $x^n$ nor the one for $2^x$ fits.
#
# Write `self_power_slope(x)`: the derivative of $x^x$, entry by entry, for a tensor `x` of positive floating-point
# numbers, by a formula.
#
# **You are done when**
# - **values**: each entry is the derivative at that place, to the precision of the dtype (in `float64` with a relative
#   error of at most $10^{-12}$, where the slope is not close to 0; a difference quotient has a larger one);
# - **shape and dtype**: the result has those of `x`;
# - **x kept**: after the call `x` is as it was.

# %% exercise="2.4.4"
def self_power_slope(x):
    """The derivative of x ** x, entry by entry, for a tensor of positive numbers; shape and dtype of x."""
    ### BEGIN SOLUTION
    return x ** x * (x.log() + 1)
    ### END SOLUTION

# %% [markdown] hints="2.4.4"
# 1. How was $2^x$ turned into a power of $e$? Which factor of its exponent was constant, and what is it here?
# 2. The derivative of the exponent is a job for the product rule.
# 3. Another case: $x^{\sin x} = e^{\sin x \,\log x}$, and the slope of this exponent is
#    $\cos x \log x + \sin x \cdot \frac1x$.

# %% check="2.4.4" points=2
@probe
def x_after_the_slopes(x):
    self_power_slope(x)
    return x

places = torch.tensor([1., 2., 0.5], dtype=torch.float64)
found = self_power_slope(places)
assert_type(found, torch.Tensor, "what self_power_slope returns", of="shape and dtype")
assert_shape(found, (3,), "the shape for 3 numbers", of="shape and dtype", hint="One slope for each entry of x.")
assert_dtype(found, torch.float64, "the dtype for float64", of="shape and dtype",
             hint="`x ** x` and `x.log()` have the dtype of x; `torch.tensor` of Python's numbers is float32.")
assert_shape(self_power_slope(torch.ones(2, 3)), (2, 3), "the shape for a tensor of shape (2, 3)", of="shape and dtype",
             hint="One slope for each entry of x, in the place of this entry: x may have any number of axes.")
assert_dtype(self_power_slope(places.float()), torch.float32, "the dtype for float32", of="shape and dtype",
             hint="`x ** x` and `x.log()` have the dtype of x: none need be named.")
wanted = torch.tensor([1., 4 * (1 + math.log(2)), math.sqrt(0.5) * (1 - math.log(2))], dtype=torch.float64)
assert_close(found, wanted, "the slopes at 1, 2 and 0.5", of="values", rtol=1e-5,
             hint="The outer slope is x^x itself; the inner one is the slope of the product x log x, which has two terms, both added: at 1, 2 and 0.5 it is "
             f"1, 1.69315 and 0.30685. Yours, divided by x^x, are {', '.join(f'{one:.5f}' for one in (found / places ** places).tolist())}.",
             mistakes={"This has the logarithm to the base 2: the slope of e^x needs the natural one.": places ** places * (places.log2() + 1),
                       "The two terms of the product rule are added.": places ** places * (places.log() - 1),
                       "The first term of the inner slope is 1 · log x: the slope of x is 1, not 1/x.":
                       places ** places * (places.log() / places + 1),
                       "log x is added with the factor 1, not subtracted.": places ** places * (1 - places.log()),
                       "log x is added with the factor 1, not 2.": places ** places * (1 + 2 * places.log()),
                       "The outer slope and the inner one are multiplied, not added.": places ** places + places.log() + 1,
                       "The outer slope is e^(x log x), which is x^x, and not e^x.": places.exp() * (1 + places.log()),
                       "The inner slope has two terms: that of a product is not the product of the slopes.":
                       places ** places / places,
                       "The second term of the inner slope is x times the slope of log x.": places ** places * (places.log() + places),
                       "The second term of the inner slope is x · 1/x: x is missing.": places ** places * (places.log() + 1 / places),
                       "log x may be negative, and keeps its sign.": places ** places * (places.log().abs() + 1),
                       "The outer factor is x^x, not x^(x-1).": places ** (places - 1) * (places.log() + 1),
                       "This is log(1 + x), not log x.": places ** places * (places.log1p() + 1),
                       "Entry i of the result belongs to entry i of x.": wanted.flip(0),
                       "This is x · x^(x-1), the rule for a constant exponent.": places ** places,
                       "This is x^x log x, the rule for a constant base.": places ** places * places.log(),
                       "The inner derivative alone: the factor x^x is missing.": places.log() + 1,
                       "The factor x^x belongs to both terms: put their sum into brackets.": places ** places * places.log() + 1,
                       "1 + 1/x is the sum of the slopes of x and log x: the exponent is their product.":
                       places ** places * (1 + 1 / places),
                       "This has the logarithm to the base 10: the slope of e^x needs the natural one.": places ** places * (places.log10() + 1)})
assert_close(found / wanted - 1, torch.zeros(3, dtype=torch.float64), "the relative errors at 1, 2 and 0.5 (at most 1e-12)", of="values",
             rtol=0.0, atol=1e-12,
             hint="Near, but not exact. A formula, computed in the dtype of x and with nothing small added, gives all digits; "
             "a quotient of small differences gives about half of them.")
apart = torch.tensor([1e-5, 12.0], dtype=torch.float64)
assert_close(self_power_slope(apart), torch.tensor([-10.51171518936766, 31071777742305.105], dtype=torch.float64),
             "the slopes at 0.00001 and 12", of="values", rtol=1e-10,
             hint="The formula holds for all positive numbers, near 0 and for large slopes, too.")
assert_close(x_after_the_slopes(places.clone()), places, "x after self_power_slope(x)", of="x kept", rtol=0.0, atol=0.0,
             hint="Functions with an underscore at the end, and `x -= ...`, write into x.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(244)
for shape, dtype in (((2, 3), torch.float64), ((4,), torch.float32), ((), torch.float64)):
    x = torch.rand(shape, generator=rng, dtype=dtype) * 3 + 0.1
    assert_shape(self_power_slope(x), shape, f"the shape for a tensor of shape {shape}", of="shape and dtype")
    assert_dtype(self_power_slope(x), dtype, f"the dtype for {dtype}", of="shape and dtype")
    wanted = torch.exp(x.double() * x.double().log()) * (1 + x.double().log())
    assert_close(self_power_slope(x), wanted.to(dtype), f"the slopes for a tensor of shape {shape}", of="values", hint="The same formula, entry by entry, computed in the dtype of x.",
                 rtol=1e-12 if dtype == torch.float64 else 1e-4, atol=1e-14 if dtype == torch.float64 else 1e-5)
    assert_close(x_after_the_slopes(x.clone()), x, f"x of shape {shape} after self_power_slope(x)", of="x kept", rtol=0.0, atol=0.0,
                 hint="Writing into x and computing back leaves rounding errors: do not write into x.")
wide = torch.tensor([2e-6, 3e-4, 9.0, 25.0], dtype=torch.float64)
assert_close(self_power_slope(wide), torch.exp(wide * wide.log()) * (1 + wide.log()), "the slopes at 2e-6, 3e-4, 9 and 25", of="values", rtol=1e-10,
             hint="The formula holds for all positive numbers, near 0 and for large slopes, too.")
### END HIDDEN TESTS

# %% [markdown] teaches="minimum, maximum"
# ## Flat places
#
# Where is the loss smallest? Its slope is $f'(w) = 15 w - 22.5$. Left of $w = 1.5$ the slope is negative, and a step
# to the right lowers the loss. Right of $1.5$ it is positive, and a step to the left lowers it. At $w = 1.5$ the
# slope is 0. There is the **minimum**: no place nearby is lower. (A curve may have several valleys. Each bottom is a
# *local* minimum; the lowest of them is the *global* one.)
#
# At a place with $f'(x) \neq 0$ from which one can step both ways there is no minimum: by the linear approximation
# $f(x) + f'(x) h$, one of the two directions leads down. Nor is there a *maximum*. So a smooth function has its minima
# and maxima only where $f'(x) = 0$, or at an end of its domain, where one direction is missing ($\sqrt x$ is smallest at
# its left end). ⚠ The reverse is false: $x^3$ has the slope $3x^2$, zero at $x = 0$, and rises on both sides.

# %% tags=["demo"] teaches="minimum, maximum"
t = torch.linspace(-1.5, 1.5, 200)
figure, panels = plt.subplots(1, 3, figsize=(8, 2.6), layout='constrained', sharey=True)
for panel, y, title in zip(panels, (t ** 2, 1 - t ** 2, t ** 3), ('minimum', 'maximum', 'neither')):
    panel.plot(t, y)
    middle = y[100].round().item()
    panel.plot([-0.8, 0.8], [middle, middle], '--', color='C3')
    panel.plot([0], [middle], 'o', color='black')
    panel.set(title=title, xlabel='x', ylim=(-1.3, 1.6))
panels[0].set_ylabel('f(x)')
plt.show()

# %% [markdown] teaches="minimum, maximum, second derivative"
# *Three curves that are flat at 0. What tells them apart is the slope beside the dot: from negative to positive, from
# positive to negative, or of the same sign on both sides.*
#
# How the slope itself changes is told by its derivative, the **second derivative** $f''$. Where $f'(x) = 0$ and
# $f''(x) > 0$, the slope goes from negative to positive: a minimum. Where $f''(x) < 0$: a maximum. Where $f''(x) = 0$
# one must look at the signs. For the loss, $f''(w) = 15$ everywhere.
#
# A worked case: $f(x) = x^3 - 12x$ has $f'(x) = 3x^2 - 12 = 3 (x - 2)(x + 2)$, zero at $2$ and $-2$. With
# $f''(x) = 6x$ there is a minimum at 2 and a maximum at $-2$.

# %% tags=["setup"]
hills = {
    'a': lambda x: x ** 3 - 3 * x,
    'b': lambda x: x ** 4 - 4 * x ** 3,
    'c': lambda x: x + 4 / x,               # for x other than 0
    'd': lambda x: x * math.exp(-x),
    'e': lambda x: (x - 1) ** 3,
}

# %% [markdown] task="2.4.5" kind="explain" minutes=7 difficulty=2 core=true needs="minimum, maximum, second derivative, product rule, chain rule"
# ### Where the slope is zero
#
# Find, with pencil and paper, all places where the functions of `hills` are flat, and what is there. Set `flat` to a
# dictionary: for each of the keys `'a'` to `'e'` a dictionary from the place to one of the words `'minimum'`,
# `'maximum'`, `'neither'`. For the worked case above this would be `{2: 'minimum', -2: 'maximum'}`.
#
# And in words, in four or five sentences: what does $f'(x) = 0$ say about $f$ near $x$, and what would one like to
# conclude from it that does *not* follow? For each of the two give a function and a place of your own, and show that
# the slope there is 0.
#
# **You are done when** your text has both claims and both examples, and
# - **places**: at each place that you name the slope is exactly 0;
# - **all of them**: no flat place is missing;
# - **kinds**: the word for each place is right.

# %% exercise="2.4.5"
### BEGIN SOLUTION
flat = {
    'a': {-1: 'maximum', 1: 'minimum'},
    'b': {0: 'neither', 3: 'minimum'},
    'c': {-2: 'maximum', 2: 'minimum'},
    'd': {1: 'maximum'},
    'e': {1: 'neither'},
}
### END SOLUTION

# %% [markdown] written="2.4.5" points=3
# ### BEGIN SOLUTION
# $f'(x) = 0$ says that, in the limit, small steps do not change $f$: by the linear approximation
# $f(x + h) \approx f(x)$, and what is missed is small even compared with $h$. The tangent is horizontal. Example:
# $(x - 5)^2 + 1$ at $x = 5$, a minimum; its quotient there is $h$, which tends to 0.
#
# It does not say that there is a minimum. $-x^2$ at 0 has a maximum, and $x^3$ at 0 has neither: it is lower on the
# left and higher on the right. Nor does it say that a minimum is the lowest place of all: $x^4 - 2x^2 + x/2$ has two
# valleys of different depth, flat at the bottom of each.
#
# **Rubric**
# - [1] What it says: the tangent is horizontal, or f does not change to first order; lost by "f is constant near x" or "f(x) = 0".
# - [1] What it does not say: it need not be a minimum (maximum, neither), or not the lowest of all.
# - [1] A function and a place for each claim, with the slope shown to be 0 there; also accepted: the quotient and its limit; lost by an example whose slope is not 0, such as |x| at 0.
# ### END SOLUTION

# %% [markdown] hints="2.4.5"
# 1. Which rule does each function need? Only `'d'` needs the product rule together with the chain rule.
# 2. A product is 0 where one of its factors is. So bring the derivative into factors: $e^{-x}$ is never 0.
# 3. Another case: $x^4 - x^2$ has the slope $2x (2x^2 - 1)$, zero at $0$ (a maximum) and at $\pm 1/\sqrt 2$ (minima).

# %% check="2.4.5" points=3
from numbers import Real

assert_type(flat, dict, "`flat`", of="places")
assert_equal(set(flat), set(hills), "the keys of `flat`", of="all of them", hint="Each of the five functions of `hills` has its key.")
assert_equal([key for key in 'abcde' if not isinstance(flat[key], dict) or not flat[key]], [],
             "the keys without a dictionary that names a place", of="all of them",
             hint="Each function has a flat place; write {place: word, ...}.")
named = [(key, place, word) for key in 'abcde' for place, word in flat[key].items()]
assert_equal([place for _, place, _ in named if not isinstance(place, Real)], [], "the places that are no numbers", of="places",
             hint="In {place: word} the place is a number without quotes, and comes first.")


def is_flat(key, place):
    """Whether the central quotient is nearly 0, compared with the changes 0.317 to the left and to the right."""
    f = hills[key]
    try:
        return flat_by_quotient(f, place)
    except ArithmeticError:      # f has no value there, or one that is too large
        return False


def flat_by_quotient(f, place):
    """Whether it is nearly 0 where f has values."""
    quotient = (f(place + 1e-5) - f(place - 1e-5)) / 2e-5
    return abs(quotient) < 1e-6 * max(abs(f(place + step) - f(place + step / 2)) for step in (-0.317, 0.317))


level = [(key, place, word) for key, place, word in named if is_flat(key, place)]


def crosses_zero(key, place):
    """Whether f itself is 0 there."""
    try:
        return abs(hills[key](place)) < 1e-9
    except ArithmeticError:
        return False


steep = [(key, place) for key, place, word in named if (key, place, word) not in level]


def slope_there():
    """The slope at a place that was named though the function is not flat there."""
    for key, place in steep:
        try:
            hills[key](place)
            found = (hills[key](place + 1e-5) - hills[key](place - 1e-5)) / 2e-5
        except ArithmeticError as error:
            return f"At {float(place):.6g} Python finds no value of {key!r} ({type(error).__name__}). Where f has no value, it has no slope."
        if abs(found) > 1e-4:
            return (f"The slope of {key!r} at {float(place):.6g} is {found:.3g}. If your derivative gives 0 there, "
                    "it is the derivative that is wrong.")
    return "Put the place into your derivative: a slope that is nearly 0 is not 0."


def why_steep():
    """What is wrong about the places that are not flat."""
    if all(crosses_zero(*one) for one in steep):
        return "There f itself is 0. Asked for are the places where its slope is 0."
    return slope_there()




def kind_beside(key, place):
    """What the values 0.01 to the left and to the right say."""
    left, right = (hills[key](place + step) - hills[key](place) for step in (-0.01, 0.01))
    return 'minimum' if min(left, right) > 0 else 'maximum' if max(left, right) < 0 else 'neither'


with part(0.5, "every place that you name is flat", of="places"):
    assert_equal([(key, place) for key, place, word in named if (key, place, word) not in level], [],
                 "the places that you name whose slope is not 0", of="places", hint=lambda: why_steep())
with part(0.5, "no flat place is missing", of="all of them"):
    assert_equal([key for key, number in zip('abcde', (2, 2, 2, 1, 1)) if len([k for k, _, _ in level if k == key]) < number], [],
                 "the functions of which a flat place is missing", of="all of them",
                 hint="Bring the derivative into factors; each may be 0 somewhere, also for negative x and at x = 0: to divide by a factor loses that place.")
with part(0.5, "the words", of="kinds"):
    assert_equal(sorted({str(word) for _, _, word in named if word not in ('minimum', 'maximum', 'neither')}), [],
                 "words that are none of 'minimum', 'maximum', 'neither'", of="kinds", hint="Write these three, in small letters.")
    assert_equal([(key, place, word) for key, place, word in level if word != kind_beside(key, place)], [],
                 "the flat places with a wrong word", of="kinds", hint="Compare f with its values a little to the left and to the right" +
                 (". (The maximum of 'c' lies lower than its minimum: the two are not compared with each other.)"
                  if [word for key, _, word in sorted(level) if key == 'c'] == ['minimum', 'maximum'] else "."))
### BEGIN HIDDEN TESTS
truth = {('a', -1): 'maximum', ('a', 1): 'minimum', ('b', 0): 'neither', ('b', 3): 'minimum', ('c', -2): 'maximum', ('c', 2): 'minimum',
         ('d', 1): 'maximum', ('e', 1): 'neither'}
nearest = {(key, place): min((right for right in truth if right[0] == key), key=lambda right: abs(right[1] - place)) for key, place, _ in named}
with part(0.5, "the places, exactly", of="places"):
    assert_equal([(key, place) for key, place, word in named if (key, place, word) not in level], [], "the places that you name where the slope is not 0",
                 of="places", hint=lambda: why_steep())
    assert_equal([(key, place) for key, place, _ in named if abs(nearest[key, place][1] - place) > 1e-6], [],
                 "the places that you name where the slope is small but not 0", of="places",
                 hint="Solve for the place exactly; a slope that only tends to 0 far away is not 0.")
with part(0.5, "all places", of="all of them"):
    assert_equal(sorted({key for key, _ in truth} & {key for key, place in truth if (key, place) not in
                         {nearest[k, p] for k, p, _ in level if abs(nearest[k, p][1] - p) < 1e-3}}), [],
                 "the functions of which a flat place is missing (a place named twice counts once)", of="all of them",
                 hint="Bring the derivative into factors; each may be 0 somewhere, also for negative x and at x = 0: to divide by a factor loses that place.")
with part(0.5, "all words", of="kinds"):
    assert_true(bool(level), "there are flat places with words", of="kinds")
    assert_equal([(key, place, word) for key, place, word in level if word != truth[nearest[key, place]]], [],
                 "the flat places with a wrong word", of="kinds", hint="Compare f with its values a little to the left and to the right.")
total()
### END HIDDEN TESTS

# %% [markdown] teaches="tangent line"
# ## The tangent line
#
# The linear approximation at a place $a$ is a straight line, the **tangent line**:
#
# $$y = f(a) + f'(a)\,(x - a).$$
#
# It goes through the point $(a, f(a))$, since $x = a$ leaves $y = f(a)$, and it has the slope $f'(a)$. For
# $f(x) = \sqrt x$ at $a = 4$: $f(a) = 2$ and $f'(a) = 1 / (2 \sqrt 4) = 1/4$, so
# $y = 2 + \frac14 (x - 4) = 1 + \frac x4$.

# %% [markdown] task="2.4.D" kind="code" minutes=2 difficulty=1 core=true needs="tangent line, linear approximation"
# ### Heights of a tangent
#
# Write `tangent(value, slope_a, a, x)`: the height at `x` of the line that touches a curve at `a`. The curve has the
# height `value` and the slope `slope_a` there. All are numbers, but `x` may also be a tensor; then the result has its
# shape.
#
# **You are done when**
# - **touches**: at `x = a` the height is `value`, also for `a` other than 0;
# - **slope**: a step of 1 to the right changes the height by `slope_a`;
# - **tensor**: a tensor `x`, of whole numbers, too, gives a tensor of heights;
# - **x kept**: after the call a tensor `x` is as it was.

# %% exercise="2.4.D"
def tangent(value, slope_a, a, x):
    """The tangent's height at x: through (a, value), with slope slope_a."""
    ### BEGIN SOLUTION
    return value + slope_a * (x - a)
    ### END SOLUTION

# %% [markdown] hints="2.4.D"
# 1. How far is `x` from `a`, and how much does the line rise on this way?
# 2. Arithmetic of tensors goes entry by entry, so one formula serves numbers and tensors.

# %% check="2.4.D" points=1
from numbers import Number

@probe
def x_after_the_heights(value, slope_a, a, x):
    tangent(value, slope_a, a, x)
    return x

assert_type(tangent(2.0, 0.25, 4.0, 4.0), (Number, torch.Tensor), "the tangent of the root at a = 4, at x = 4", of="touches")
assert_close(tangent(2.0, 0.25, 4.0, 4.0), 2.0, "the tangent of the root at a = 4, at x = 4", of="touches",
             hint="At x = a the way from a is 0, so that the height is `value`.",
             mistakes={"Measure the way from a, x - a, not from 0.": 3.0,
                       "In `slope_a * x - a` the slope is multiplied by x alone, and then a is taken away: put the way, x - a, into brackets.": -1.0,
                       "At x = a nothing is left of `value`: it is a term of its own, added to the slope times the way.": 0.0,
                       "The way from a to x is x - a, not x + a.": 4.0, "`value` is the height and `a` the place: they are exchanged.": 4.5, "`a` is the place where the line touches; it is no height to be added.": 5.0,
                       "`slope_a` and `a` are exchanged.": 17.0})
rise, fall = tangent(2.0, 0.25, 4.0, 5.0) - 2.0, tangent(-1.0, -3.0, -2.0, -1.0) + 1.0
at_eight = tangent(2.0, 0.25, 4.0, 8.0)
assert_close(at_eight, 3.0, "the tangent of the root at a = 4, at x = 8", of="slope",
             hint="On a way of 4 the line rises by four times the slope: from 2 to 3."
             + (f" Already on the way of 1, to x = 5, yours changes by {float(rise):g}, and must by 0.25." if abs(rise - 0.25) > 1e-5
                else f" On the way of 1, to x = 5, yours is right; a way 4 times as long changes it 4 times as much, not {float(at_eight - 2) / 0.25:g} times."),
             mistakes={"It falls where the slope is positive: the way is x - a.": 1.0, "The way is multiplied by the slope, not divided.": 18.0,
                       "The change of the height is the slope times the way; `value` is no factor of it.": 4.0})
assert_close(tangent(-1.0, -3.0, -2.0, 0.5), -8.5, "value -1, slope -3 at a = -2, at x = 0.5", of="slope",
             hint="The slope keeps its sign, and heights may be negative: on a way of 2.5 the line falls by 7.5."
             + (f" Already on the way of 1, to x = -1, yours changes by {float(fall):g}, and must by -3." if abs(fall + 3) > 1e-5 else ""),
             mistakes={"The way is measured from a, here -2, and not from 4.": 9.5,
                       "a keeps its sign: the way from -2 to 0.5 is 2.5.": 3.5,
                       "The slope keeps its sign: this line rises.": 6.5})
assert_close(tangent(2.0, 0.25, 4.0, 4.1), 2.025, "the tangent of the root at a = 4, at x = 4.1", of="slope", hint="The height has all its digits.")
heights = tangent(2.0, 0.25, 4.0, torch.tensor([6., 0., 4.]))
assert_type(heights, torch.Tensor, "the heights for a tensor x", of="tensor")
assert_close(heights, torch.tensor([2.5, 1., 2.]), "the heights at x = 6, 0 and 4", of="tensor",
             hint="One height for each entry of x, by the same formula.",
             mistakes={"To the left of a the way is negative.": torch.tensor([2.5, 3., 2.]),
                       "Entry i of the heights belongs to entry i of x: they keep the order of x.": torch.tensor([1., 2., 2.5])})
for kept in (torch.tensor([0., 4., 6.]), torch.linspace(-1.7, 2.9, 40), torch.linspace(-1.7, 2.9, 20, dtype=torch.float64)):
    assert_close(x_after_the_heights(2.0, 0.25, 4.1, kept.clone()), kept, f"a tensor x of {len(kept)} entries after the call", of="x kept", rtol=0.0, atol=0.0,
                 hint="`x -= a` writes into x, and adding a again leaves rounding errors; `x - a` makes a new tensor.")
assert_close(tangent(2.0, 0.25, 4.0, torch.tensor([6, 0, 4])), torch.tensor([2.5, 1., 2.]),
             "the heights at x = 6, 0 and 4, a tensor of whole numbers", of="tensor",
             hint="x may hold whole numbers; the heights have fractions all the same, and none is cut off.")
### BEGIN HIDDEN TESTS
assert_close(tangent(-1.0, 3.0, -2.0, -2.0), -1.0, "value -1, slope 3 at a = -2, at x = -2", of="touches", hint="At x = a the height is `value`.")
for x, height in ((1.5, -11.5), (-2.25, -0.25), (-2.01, -0.97)):
    assert_close(tangent(-1.0, -3.0, -2.0, x), height, f"value -1, slope -3 at a = -2, at x = {x}", of="slope",
                 hint="The way from a, x - a, times the slope, added to the value: signs and all digits count.")
assert_close(tangent(5.0, -0.5, 1.0, torch.arange(4)), torch.tensor([5.5, 5., 4.5, 4.]),
             "the heights at x = 0, 1, 2, 3, whole numbers", of="tensor",
             hint="x may hold whole numbers; the heights have fractions all the same, and none is cut off.")
line = tangent(5.0, -0.5, 1.0, torch.tensor([[2., 1.], [9., -3.], [0., 4.]]))
assert_close(line, torch.tensor([[4.5, 5.], [1., 7.], [5.5, 3.5]]), "heights of shape (3, 2)", of="tensor",
             hint="The result has the shape of x, whatever it is, and its order.")
kept = torch.linspace(-3, 5, 60).reshape(20, 3)
assert_close(x_after_the_heights(5.0, -0.5, 1.3, kept.clone()), kept, "a tensor x of shape (20, 3) after the call", of="x kept", rtol=0.0, atol=0.0,
             hint="Do not write into x, not even for a time: use `x - a`, which makes a new tensor.")
### END HIDDEN TESTS

# %% [markdown]
# To draw, matplotlib gives us *axes*, an area to draw into. `axes.plot(x, y, label=...)` draws the points as a line,
# and `axes.legend()` shows the labels.

# %% tags=["demo"] teaches="tangent line"
x = torch.linspace(0.01, 9, 200)
figure, axes = plt.subplots(figsize=(5, 3), layout='constrained')
axes.plot(x, x.sqrt(), label='root')
axes.plot(x, 2 + (x - 4) / 4, '--', label='tangent at 4')
axes.set(xlabel='x', ylabel='y')
axes.legend(loc='lower right')
plt.show()

# %% [markdown]
# *Near 4 curve and line can hardly be told apart. Farther away the tangent knows nothing of how the curve bends.*

# %% [markdown] task="2.4.6" kind="code" minutes=5 difficulty=2 needs="tangent line, derivative of a power"
# ### Draw a curve and its tangent
#
# Write `draw(axes, x)`. It draws two lines over the points `x`, a 1-D tensor of positive numbers, into the matplotlib
# axes that it gets: the curve $f(x) = x^3 - \frac1x$ with the label `'f'`, and its tangent at $x = 1$ with the label
# `'tangent'`. It shows a legend. To look at your picture, add a cell with `figure, axes = plt.subplots()` and
# `draw(axes, torch.linspace(0.3, 2, 100))`.
#
# **You are done when**
# - **axes**: two lines with these labels, drawn as lines that one sees and not as dots alone, are in the axes that were handed
#   over;
# - **curve**: the line `'f'` has the heights of $f$ over the points `x`;
# - **tangent**: the line `'tangent'` has the heights of the tangent over the points `x`;
# - **legend**: the axes have a legend that one sees; it shows both labels, each beside its own line.

# %% exercise="2.4.6"
def draw(axes, x):
    """Draws x³ - 1/x and its tangent at 1 over the points x, with a legend."""
    ### BEGIN SOLUTION
    axes.plot(x, x ** 3 - 1 / x, label='f')
    axes.plot(x, 4 * x - 4, '--', label='tangent')
    axes.legend()
    ### END SOLUTION

# %% [markdown] hints="2.4.6"
# 1. What are $f(1)$ and $f'(1)$? The reciprocal was a pattern above.
# 2. Put both into the formula of the tangent line with $a = 1$.
# 3. Another case: $x^2 + \frac1x$ at 1 has the value 2 and the slope $2 - 1 = 1$: the tangent is
#    $y = 2 + (x - 1) = x + 1$.

# %% check="2.4.6" points=2
@probe
def lines_drawn(points):
    from matplotlib.colors import to_rgba
    from matplotlib.figure import Figure
    axes = Figure().subplots()
    draw(axes, points.clone())
    def points_of(line):
        return torch.as_tensor(line.get_xydata()).double()

    def looks(line):
        return line.get_color(), line.get_linestyle(), line.get_marker()

    paper = [axes.get_facecolor(), 'white']

    def shows(artists):      # those whose colour is not that of the paper, nor transparent
        return [one for one in artists if to_rgba(one.get_color())[3] > 0 and to_rgba(one.get_color())[:3] not in [to_rgba(tint)[:3] for tint in paper]]

    drawn = [line for line in shows(axes.lines) if line.get_visible() and line.get_linestyle() not in ('None', ' ', '')
             and line.get_alpha() != 0 and line.get_linewidth() > 0 and axes.get_visible()
             and all(min(limits) <= places.max() and places.min() <= max(limits)
                     for limits, places in zip((axes.get_xlim(), axes.get_ylim()), points_of(line).T) if len(places))]
    legend, shown = axes.get_legend(), {}
    legend = legend if legend and legend.get_visible() else None
    left = list(drawn)
    if legend:      # which line an entry stands for: the first that looks like it and is not taken
        for text, handle in zip(legend.get_texts(), legend.legend_handles):
            like = [line for line in left if hasattr(handle, 'get_marker') and looks(line) == looks(handle)]
            if like and shows([text]):
                named = [line for line in like if line.get_label() == text.get_text()]
                line = (named or like)[0]
                left.remove(line)
                shown[text.get_text()] = points_of(line)
    lines = {line.get_label(): points_of(line) for line in drawn if not str(line.get_label()).startswith('_')}
    for name in shown:
        if name not in lines and len(lines) < len(drawn):      # a name that only the legend knows
            lines[name] = shown[name]
    return lines, shown, len([child for child in axes.get_children() if child is legend])

@probe
def other_things_drawn(points):
    from matplotlib.figure import Figure
    axes = Figure().subplots()
    draw(axes, points.clone())
    scattered = [str(one.get_label()) for one in axes.collections if type(one).__name__ == 'PathCollection']
    dotted = [str(one.get_label()) for one in axes.lines if one.get_linestyle() in ('None', ' ', '')
              and one.get_marker() not in (None, 'None', 'none', ' ', '')]
    plain = [str(one.get_label()) for one in axes.lines if one.get_linestyle() not in ('None', ' ', '')]
    return scattered, dotted, plain


def why_no_line(points, missing):
    """What stands in the axes in the place of the lines that are missing."""
    scattered, dotted, plain = other_things_drawn(points)
    names = " and ".join(f"'{name}'" for name in sorted(missing))
    if missing <= set(scattered):
        return f"What is labelled {names} is drawn with `scatter`, which makes dots: `plot` draws a line."
    if missing <= set(dotted):
        return f"What is labelled {names} has dots and no line: a format such as 'o' leaves the line out, and '-o' draws both."
    if not {*scattered, *dotted, *plain}:
        return "Nothing stands in the axes that were handed over. Draw with `axes.plot`, not with `plt`."
    if {label.lower() for label in plain if label not in ('f', 'tangent')} >= missing:
        return f"The label is {names}, in small letters."
    unnamed = len([label for label in plain if label.startswith('_')])
    if not missing & {*scattered, *dotted, *plain} and len(plain) == 2 and unnamed == len(missing):
        return (f"Two lines are there, but {'one of them has' if unnamed == 1 else 'they have'} no label that matplotlib knows: "
                "`plot(..., label='f')`, and `label='tangent'` for the other; `legend()` then shows them.")
    return "Each of the two lines has its label, 'f' or 'tangent', and what nobody sees is no line."


points = torch.tensor([0.5, 2., 4.])
lines, shown, legends = lines_drawn(points)
assert_equal({'f', 'tangent'} - set(lines), set(), f"the labels that no drawn line has (there are {sorted(map(str, lines))})", of="axes",
             hint=lambda: why_no_line(points, {'f', 'tangent'} - set(lines)))
assert_shape(lines['f'], (3, 2), "the points of the line 'f' for x = 0.5, 2 and 4", of="curve",
             hint="The line goes over the points that are handed over as `x`: three here.")
assert_close(lines['f'][:, 0], points.double(), "where along x the points of 'f' lie", of="curve", rtol=1e-5,
             hint="`axes.plot(places, heights)`: the places come first, and are the points x as they are.")
assert_close(lines['f'][:, 1], torch.tensor([-1.875, 7.5, 63.75], dtype=torch.float64), "the heights of 'f' at 0.5, 2 and 4", of="curve",
             rtol=1e-5, atol=1e-5,
             hint="The heights are those of x³ - 1/x. Less x³, which is 0.125, 8 and 64, -2, -0.5 and -0.25 are to be left, and yours leave "
             + ", ".join(f"{one:.4g}" for one in (lines['f'][:, 1] - points.double() ** 3).tolist()) + ".",
             mistakes={"These are the heights of the tangent: the labels are exchanged.": torch.tensor([-2., 4., 12.], dtype=torch.float64),
                       "Between the two terms of f stands a minus.": torch.tensor([2.125, 8.5, 64.25], dtype=torch.float64),
                       "The term - 1/x is missing.": torch.tensor([0.125, 8., 64.], dtype=torch.float64)})
assert_shape(lines['tangent'], (3, 2), "the points of the line 'tangent' for x = 0.5, 2 and 4", of="tangent",
             hint="The line goes over the points that are handed over as `x`: three here.")
assert_close(lines['tangent'][:, 0], points.double(), "where along x the points of 'tangent' lie", of="tangent", rtol=1e-5,
             hint="`axes.plot(places, heights)`: the places come first, and are the points x as they are.")
first, second, third = lines['tangent'][:, 1].tolist()
steepness, farther = (second - first) / 1.5, (third - second) / 2
at_one = first + 0.5 * steepness


def touched_at(steepness, at_one):
    """The place x > 0 where the curve has this slope, and the line through (1, at_one) touches it; none: None."""
    for sign in (1, -1):
        square = (steepness + sign * math.sqrt(max(steepness ** 2 - 12, 0))) / 6      # 3a² + 1/a² is the slope at a
        if steepness ** 2 >= 12 and square > 0:
            a = math.sqrt(square)
            if abs(a ** 3 - 1 / a + steepness * (1 - a) - at_one) < 1e-3:
                return a


which_part = (f"This is no straight line: it has the slope {steepness:.4g} between 0.5 and 2, and {farther:.4g} between 2 and 4."
              if not math.isclose(steepness, farther, rel_tol=1e-4, abs_tol=1e-4)
              else f"The slope is right, 4. But at x = 1 the line has the height {at_one:.4g}, and the curve the height f(1) = 1 - 1 = 0." if abs(steepness - 4) < 1e-4
              else f"The line goes through (1, 0), as it should; but its slope is {steepness:.4g}, and f'(1) is 3 + 1 = 4." if abs(at_one) < 1e-4
              else f"This line touches the curve, but at x = {touched_at(steepness, at_one):.4g}; it should at x = 1, whichever points are handed over."
              if touched_at(steepness, at_one)
              else f"At x = 1 this line has the height {at_one:.4g} and the slope {steepness:.4g}: it should have f(1) = 1 - 1 = 0 and f'(1) = 3 + 1 = 4.")
assert_close(lines['tangent'][:, 1], torch.tensor([-2., 4., 12.], dtype=torch.float64), "the heights of 'tangent' at 0.5, 2 and 4",
             of="tangent", rtol=1e-5, atol=1e-5,
             hint=which_part,
             mistakes={"The slope of -1/x is +1/x²: the slope at 1 is 4.": torch.tensor([-1., 2., 6.], dtype=torch.float64),
                       "The term -1/x has a slope, too.": torch.tensor([-1.5, 3., 9.], dtype=torch.float64),
                       "The slope is right; but f(1) is 0, and not 1.": torch.tensor([-1., 5., 13.], dtype=torch.float64),
                       "This line touches the curve at one of the points; it should at x = 1.": torch.tensor([-10.875, 7.5, 32.], dtype=torch.float64),
                       "This line has the slope 4, but it does not go through (1, 0).": torch.tensor([2., 8., 16.], dtype=torch.float64),
                       "This line touches the curve at the first of the points; it should at x = 1.":
                       torch.tensor([-1.875, 5.25, 14.75], dtype=torch.float64),
                       "This line touches the curve at the last of the points; it should at x = 1.":
                       torch.tensor([-104.46875, -32.375, 63.75], dtype=torch.float64),
                       "The slope is that of the one place 1, not of each x: this is no straight line.":
                       torch.tensor([-2.375, 12.25, 144.1875], dtype=torch.float64),
                       "This is the derivative 3x² + 1/x², a curve: the tangent has the one slope of the place 1.":
                       torch.tensor([4.75, 12.25, 48.0625], dtype=torch.float64)})
assert_equal(legends, 1, "the number of legends in the axes", of="legend", hint="Is `axes.legend()` called, and can one see the legend?")
assert_equal({'f', 'tangent'} - set(shown), set(), "the labels that are missing in the legend", of="legend",
             hint="A legend shows the lines that are there when it is called, or those that it is told: call it after the last `plot`, with no line left out.")
assert_close(shown['f'][:, 1], torch.tensor([-1.875, 7.5, 63.75], dtype=torch.float64), "the heights of the line beside which the legend says 'f'",
             of="legend", rtol=1e-5, atol=1e-5, mistakes={"The legend exchanges the two names.": torch.tensor([-2., 4., 12.], dtype=torch.float64)})
assert_close(shown['tangent'][:, 1], torch.tensor([-2., 4., 12.], dtype=torch.float64),
             "the heights of the line beside which the legend says 'tangent'", of="legend", rtol=1e-5, atol=1e-5)
### BEGIN HIDDEN TESTS
points = torch.linspace(0.3, 3, 40, dtype=torch.float64)
lines, shown, _ = lines_drawn(points)
assert_equal({'f', 'tangent'} - set(lines), set(), "the labels that no drawn line has, for 40 points", of="axes")
assert_close(lines['f'], torch.stack([points, points ** 3 - 1 / points], dim=1), "the line 'f' over 40 points", of="curve", rtol=1e-5, atol=1e-5,
             hint="All the points that are handed over as x, with the heights of x³ - 1/x.")
assert_close(lines['tangent'], torch.stack([points, 4 * points - 4], dim=1), "the line 'tangent' over 40 points", of="tangent", rtol=1e-5,
             atol=1e-5, hint="The tangent at x = 1, whichever points are handed over.")
assert_equal({'f', 'tangent'} - set(shown), set(), "the labels that are missing in the legend, for 40 points", of="legend")
assert_close(shown['f'], torch.stack([points, points ** 3 - 1 / points], dim=1), "the line beside which the legend says 'f', for 40 points",
             of="legend", rtol=1e-5, atol=1e-5)
### END HIDDEN TESTS

# %% [markdown] teaches="partial derivative, gradient"
# ## Many inputs: partial derivatives and the gradient
#
# A model with two knobs: $y$ should be about $w x + b$. Its loss depends on $w$ and $b$. We collect both in one
# vector $\mathbf p = (w, b)$.

# %% teaches="partial derivative"
def loss2(p):
    """The mean squared miss of the model y = w x + b, p = (w, b), on the four points."""
    return ((p[0] * xs + p[1] - ys) ** 2).mean()


p = torch.tensor([1., 0.], dtype=torch.float64)
h = 1e-5
step_w, step_b = torch.zeros_like(p), torch.zeros_like(p)
step_w[0], step_b[1] = h, h
print('turn w only:', ((loss2(p + step_w) - loss2(p - step_w)) / (2 * h)).item())
print('turn b only:', ((loss2(p + step_b) - loss2(p - step_b)) / (2 * h)).item())

# %% [markdown] teaches="partial derivative, gradient"
# Turn one knob and hold the other: then there is one input, and all that we know applies. The derivative with respect
# to one input, with all others held fixed, is a **partial derivative**, written with a round d:
# $\frac{\partial f}{\partial w}$. To find it on paper, treat the other inputs as constants. For one point the miss is
# $m = w x + b - y$, so $\frac{\partial m}{\partial w} = x$ and $\frac{\partial m}{\partial b} = 1$, and by the chain
# rule $m^2$ has the partial derivatives $2 m x$ and $2 m$. In the mean,
#
# $$\frac{\partial f}{\partial w} = \frac14 \sum_{i=1}^4 2 (w x_i + b - y_i)\, x_i, \qquad \frac{\partial f}{\partial b} = \frac14 \sum_{i=1}^4 2 (w x_i + b - y_i).$$
#
# The vector of all partial derivatives is the **gradient**, $\nabla f$, read "grad f". ⚠ It has the shape of the
# input, here $(2,)$: one slope for each knob. The value $f$ itself is one number.

# %% teaches="gradient"
def loss2_gradient(p):
    """The gradient of loss2 at p = (w, b)."""
    miss = p[0] * xs + p[1] - ys
    return torch.stack([(2 * miss * xs).mean(), (2 * miss).mean()])


loss2_gradient(p)

# %% [markdown] task="2.4.E" kind="code" minutes=5 difficulty=2 core=true needs="partial derivative, gradient, central difference quotient"
# ### A gradient by quotients
#
# Formulas for gradients are easy to get wrong. A program that measures the gradient finds the mistake.
#
# Write `numerical_gradient(f, x, h)`. `f` takes a vector of shape `(n,)` and returns a number or a tensor without
# axes (`float(f(x))` makes a number of either). `x` is such a vector, `float64`. The result is a floating-point tensor
# of shape `(n,)`: entry `i` is the central difference quotient of `f` with the step `h` in direction `i`, all other
# entries of `x` held fixed. Try it afterwards on the loss: `numerical_gradient(loss2, p, 1e-5)` should be $(-7.5, -3)$.
#
# **You are done when**
# - **shape**: the result is a floating-point tensor of the shape of `x`;
# - **central**: each entry is the central quotient, for large `h`, too;
# - **others fixed**: while entry `i` is moved, the others have their values from `x`;
# - **x kept**: after the call `x` is as it was, to the last digit.

# %% exercise="2.4.E"
def numerical_gradient(f, x, h):
    """The central difference quotients of f at x, one for each entry of x."""
    ### BEGIN SOLUTION
    result = torch.zeros_like(x)
    for i in range(len(x)):
        step = torch.zeros_like(x)
        step[i] = h
        result[i] = (f(x + step) - f(x - step)) / (2 * h)
    return result
    ### END SOLUTION

# %% [markdown] hints="2.4.E"
# 1. In the cell above, what were the two vectors that were added to `p`? What would they be for three inputs?
# 2. `torch.zeros_like(x)` has the shape and dtype of `x`; then one entry can be set.
# 3. If you move an entry of `x` itself, work on `x.clone()`, and put the entry back before you move the next.

# %% check="2.4.E" points=2
@probe
def measured(x, h):
    kept = x.clone()
    result = numerical_gradient(lambda t: t[0] * t[1] + t[2] ** 3, x, h)
    return result, x - kept

@probe
def measured_with_plain_numbers(x, h):
    return numerical_gradient(lambda t: 2 * t.tolist()[0] ** 2 - 5 * t.tolist()[1], x, h)

@probe
def places_of_f(x, h):
    seen = []
    numerical_gradient(lambda t: seen.append(t) or t[0] * t[1] + t[2] ** 3, x, h)
    return [t.data_ptr() for t in seen]      # all of them are kept, so that no two share a place in memory by chance

@probe
def axes_of_what_f_gets(x, h):
    seen = []
    numerical_gradient(lambda t: seen.append(t.dim()) or t.sum(), x, h)
    return max(seen)


def why_zero(gradient):
    """What an entry 2 that is 0 says, beside the two others and the tensors that f was given."""
    zero = [abs(entry) < 1e-9 for entry in gradient.tolist()]
    places = places_of_f(three.clone(), 0.5)
    if zero == [False, True, True] and len(places) == 2:
        return "Only entry 0 is computed, the others are still 0: each entry is computed before `return`."
    if zero == [False, False, True] and len(places) == 4:
        return "The entries before it are computed, this one is still 0: x may have any number of entries, here 3, and there are `len(x)` to compute."
    if all(zero) and len(places) == 6 and all(up == down for up, down in zip(places[::2], places[1::2])):
        return ("All entries are 0: `f` gets one and the same tensor for the upper place and for the lower one. `up = x` is no copy but a second "
                "name: what moves the one moves the other. `x.clone()` makes a copy.")
    return "This entry is 0: is f asked at two different places?" if all(zero) else ""


three = torch.tensor([1., 2., 3.], dtype=torch.float64)
found, change = measured(three, 0.5)
assert_type(found, torch.Tensor, "the result for three inputs", of="shape")
assert_shape(found, (3,), "the shape for three inputs", of="shape",
             hint="One quotient for each entry of x, however many it has, in a vector.")
assert_true(found.is_floating_point(), "the result for three inputs has a floating-point dtype", of="shape",
            hint="A whole-number tensor cuts the quotients off: `torch.zeros_like(x)` has the dtype of x.")
assert_close(found[2], 27.25, "f(x) = x₀x₁ + x₂³ at (1, 2, 3), h = 0.5: entry 2, (42.875 - 15.625) / 1", of="central", rtol=1e-5,
             hint=lambda: (why_zero(found) if abs(found[2]) < 1e-9 else "") or
             "Entry 2 is moved by h = 0.5 up and down, to 3.5 and 2.5; f at the upper place comes first.",
             mistakes={"This is the derivative, or nearly, or computed with another step: take the h that is handed over, once up and once down.": 27.0,
                       "The step was multiplied by the entry, 3: it is h itself for each entry.": 29.25,
                       "The quotient is not multiplied by the entry, 3.": 81.75,
                       "The two places are h away, to both sides, and not h / 2.": 27.0625,
                       "The sign is wrong: f at the upper place comes first.": -27.25,
                       "This is the quotient from x to x + h.": 31.75, "This is the quotient from x - h to x.": 22.75,
                       "The two points are 2h apart: divide by 2h.": 54.5,
                       "The other entries were moved, too: move one, and put it back before the next.": 30.25,
                       "`/ 2 * h` multiplies by h: write `/ (2 * h)`.": 6.8125})
assert_close(found[:2], torch.tensor([2., 1.], dtype=torch.float64), "f(x) = x₀x₁ + x₂³ at (1, 2, 3), h = 0.5: entries 0 and 1",
             of="others fixed", rtol=1e-5,
             hint=lambda: f"`f` takes a vector of shape (n,), and was given a tensor with {axes} axes: ask it once for each place."
             if (axes := axes_of_what_f_gets(three.clone(), 0.5)) != 1 else
             "While one entry is moved, the others have their values from x: not 0, and not moved before.",
             mistakes={"Here the other entries are 0 while one is moved; they have their values from x.":
                       torch.zeros(2, dtype=torch.float64),
                       "Entry 0 stayed where it was moved, h below its value: put it back before entry 1 is moved.":
                       torch.tensor([2., 0.5], dtype=torch.float64),
                       "Entry 0 stayed where it was moved, h above its value: put it back before entry 1 is moved.":
                       torch.tensor([2., 1.5], dtype=torch.float64)})
assert_shape(measured_with_plain_numbers(three, 0.5), (3,), "the shape for a function that returns a plain number, not a tensor", of="shape")
assert_close(measured_with_plain_numbers(torch.tensor([0., 2., 3.], dtype=torch.float64), 0.5), torch.tensor([0., -5., 0.], dtype=torch.float64),
             "f(x) = 2x₀² - 5x₁ at (0, 2, 3), h = 0.5", of="central", rtol=1e-5, atol=1e-5,
             hint="An entry that is 0 is moved up and down by h like any other.")
tenths = torch.tensor([0.1, 0.7, 1.3], dtype=torch.float64)
for place, step in ((three, 0.5), (tenths, 0.3)):
    assert_close(measured(place, step)[1], torch.zeros(3, dtype=torch.float64), "how far the entries of x are from where they were", of="x kept",
                 rtol=0.0, atol=0.0, hint="Work on a copy. What `+= h` and `-= h` leave is rounded twice, and not the number that was there.")
### BEGIN HIDDEN TESTS
@probe
def measured_elsewhere(x, h):
    kept = x.clone()
    result = numerical_gradient(lambda t: (t.exp().sum() + t.prod()).item(), x, h)
    return result, x - kept

rng = torch.Generator().manual_seed(2405)
for n, h in ((1, 1e-4), (4, 0.3), (5, 1e-5)):
    x = torch.randn(n, generator=rng, dtype=torch.float64)
    if n == 4:
        x[1] = 0
    found, change = measured_elsewhere(x, h)
    rest = torch.stack([torch.cat([x[:i], x[i + 1:]]).prod() for i in range(n)])
    assert_shape(found, (n,), f"the shape for n = {n}", of="shape")
    assert_close(found, x.exp() * math.sinh(h) / h + rest, f"the gradient of Σ exp(x) plus the product of the inputs, n = {n}, h = {h}",
                 of="others fixed" if n == 5 else "central", rtol=1e-5, atol=1e-7,
                 hint="Is all of it computed in float64? `torch.tensor` and `torch.as_tensor` make a float32 tensor of a plain number." if h < 1e-3 else
                 "Each of the n entries is moved by h, up and down, also where it is 0, while the others stay.")
    assert_close(change, torch.zeros(n, dtype=torch.float64), "how far the entries of x are from where they were", of="x kept", rtol=0.0, atol=0.0,
                 hint="Work on a copy. What `+= h` and `-= h` leave is rounded twice, and not the number that was there.")
### END HIDDEN TESTS

# %% [markdown] task="2.4.7" kind="code" minutes=2 difficulty=1 core=true needs="partial derivative, gradient, derivative of exp"
# ### Two partial derivatives
#
# Write `gradient_of_f(x)`: the gradient of $f(\mathbf x) = 3 x_1^2 + 5 e^{x_2}$, by formulas, for a floating-point
# tensor `x` of shape `(2,)` with the entries $x_1$ and $x_2$.
#
# **You are done when**
# - **values**: the entries are the two partial derivatives, to the precision of the dtype (`float64`: relative error
#   at most $10^{-12}$);
# - **shape and dtype**: the result is a tensor of shape `(2,)` with the dtype of `x`;
# - **x kept**: after the call `x` is as it was.

# %% exercise="2.4.7"
def gradient_of_f(x):
    """The gradient of 3 x₁² + 5 exp(x₂) at x = (x₁, x₂)."""
    ### BEGIN SOLUTION
    return torch.stack([6 * x[0], 5 * x[1].exp()])
    ### END SOLUTION

# %% [markdown] hints="2.4.7"
# 1. Hold $x_2$ fixed: which term is then a constant, and what is the slope of the other?
# 2. `torch.stack([s, t])` makes a vector of two tensors without axes, and keeps their dtype.
# 3. Another case: $x_1^3 + 2 \sin x_2$ has the gradient $(3 x_1^2,\; 2 \cos x_2)$.

# %% check="2.4.7" points=1
@probe
def x_after_the_call(x):
    gradient_of_f(x)
    return x

place = torch.tensor([3., 2.], dtype=torch.float64)
found = gradient_of_f(place)
assert_type(found, torch.Tensor, "what gradient_of_f returns", of="shape and dtype")
assert_shape(found, (2,), "the shape of the gradient", of="shape and dtype", hint="One partial derivative for each entry of x, in a vector.")
assert_dtype(found, torch.float64, "the dtype for float64", of="shape and dtype",
             hint="`torch.stack` keeps the dtype of its tensors; `torch.tensor` of numbers is float32 where none is named.")
high = math.exp(2)
without = gradient_of_f(torch.tensor([3., 0.], dtype=torch.float64))[0], gradient_of_f(torch.tensor([0., 2.], dtype=torch.float64))[1]
which_entry = ""
base = 0.0      # b, if entry 1 is 5 b^(x₂), and b is not e
if 1e-5 < abs(found[1] / (5 * high) - 1) < 0.1 and found[1] > 0:
    once, twice = gradient_of_f(torch.tensor([3., 1.], dtype=torch.float64))[1] / 5, (found[1] / 5) ** 0.5
    base = float(once) if abs(once - twice) < 1e-6 else 0.0
for k, (right, alone, slope_of, other, there) in enumerate(((18., without[0], "3 x₁² in x₁", "x₂", "(3, 0)"), (5 * high, without[1], "5 e^(x₂) in x₂", "x₁", "(0, 2)"))):
    if k == 1 and base:
        which_entry += f" Entry 1 is 5 · {base:.6g}^(x₂), which is only near the slope of 5 e^(x₂): e has more digits, and `torch.exp` knows them."
    elif abs(found[k] - right) > 1e-4:
        which_entry += (f" Entry {k} is the slope of {slope_of}; {other} is a constant there and must not count, but at {there} yours is {float(alone):.6g}."
                        if abs(alone - found[k]) > 1e-6 else f" Entry {k} is near the slope of {slope_of}, but not the slope: a formula gives all digits."
                        if abs(found[k] / right - 1) < 1e-3 else f" Entry {k} is not the slope of {slope_of}.")
assert_close(found, torch.tensor([18., 5 * high], dtype=torch.float64), "the gradient at (3, 2)", of="values", rtol=1e-5,
             hint=which_entry.strip(),
             mistakes={"These are the two terms of f, not their slopes.": torch.tensor([27., 5 * high], dtype=torch.float64),
                       "The two entries are exchanged: that of x₁ comes first.":
                       torch.tensor([5 * high, 18.], dtype=torch.float64),
                       "The slope of e^x is e^x: the power is not lowered.":
                       torch.tensor([18., 10 * math.e], dtype=torch.float64),
                       "The slope of e^x is e^x: the exponent is no factor.": torch.tensor([18., 10 * high], dtype=torch.float64),
                       "The second term is a constant in x₁, not in x₂.": torch.tensor([18., 0.], dtype=torch.float64),
                       "The slope of 5 e^(x₂) is 5 e^(x₂), not 5.": torch.tensor([18., 5.], dtype=torch.float64),
                       "The slope of 5 e^(x₂) is 5 e^(x₂), not 5 e.": torch.tensor([18., 5 * math.e], dtype=torch.float64),
                       "The 2 of the exponent is missing: it becomes a factor.":
                       torch.tensor([9., 5 * high], dtype=torch.float64),
                       "The 3 is missing: a constant factor stays.": torch.tensor([6., 5 * high], dtype=torch.float64),
                       "The power of x₁ is lowered by one.": torch.tensor([54., 5 * high], dtype=torch.float64),
                       "The entries of x are exchanged: x₁ is x[0], and x₂ is x[1].":
                       torch.tensor([12., 5 * math.exp(3)], dtype=torch.float64),
                       "The factor 5 is missing: a constant factor stays.": torch.tensor([18., high], dtype=torch.float64),
                       "The exponent is x₂, not 5 x₂, and 5 is a factor.": torch.tensor([18., math.exp(10)], dtype=torch.float64),
                       "The exponent is x₂, not 5 x₂.": torch.tensor([18., 5 * math.exp(10)], dtype=torch.float64),
                       "The second term depends on x₂, not on x₁.": torch.tensor([18., 5 * math.exp(3)], dtype=torch.float64),
                       "Each entry is the slope in one input alone: the slopes are not added.":
                       torch.tensor([18 + 5 * high, 18 + 5 * high], dtype=torch.float64)})
place = torch.tensor([4., 1.], dtype=torch.float64)
found, wanted = gradient_of_f(place), torch.tensor([24., 5 * math.e], dtype=torch.float64)
assert_close(found, wanted, "the gradient at (4, 1)", of="values", rtol=1e-5,
             hint="The first entry is the slope of 3 x₁² in x₁, the second that of 5 e^(x₂) in x₂; with all digits.")


def which_digits(off):
    """What the relative error of entry 1 says: that of a rounded e grows with x₂."""
    farther = gradient_of_f(torch.tensor([4., 4.], dtype=torch.float64))[1] / (5 * math.exp(4)) - 1
    return ("A formula, computed in the dtype of x, gives all digits; a difference quotient does not, nor a rounded e."
            + (" Here the relative error of entry 1 is four times as large at x₂ = 4, as with a rounded e: `torch.exp` has all digits."
               if abs(off[1]) > 1e-12 and abs(farther / off[1] - 4) < 0.1 else ""))


off = found / wanted - 1
assert_close(off, torch.zeros(2, dtype=torch.float64), "the relative errors at (4, 1) (at most 1e-12)", of="values",
             rtol=0.0, atol=1e-12, hint=lambda: which_digits(off))
assert_close(x_after_the_call(place.clone()), place, "x after the call", of="x kept",
             hint="Setting an entry of x, or a function with an underscore at the end, writes into x; `g = x` is a second name for the same tensor.")
### BEGIN HIDDEN TESTS
for x in ([-1.5, 2.0], [0.0, -3.0], [4.0, 0.7]):
    for dtype in (torch.float64, torch.float32):
        x = torch.as_tensor(x, dtype=dtype)
        assert_shape(gradient_of_f(x), (2,), f"the shape at {x.tolist()}", of="shape and dtype")
        assert_dtype(gradient_of_f(x), dtype, f"the dtype for {dtype}", of="shape and dtype")
        assert_close(gradient_of_f(x), torch.tensor([6 * x[0].item(), 5 * math.exp(x[1].item())], dtype=dtype),
                     f"the gradient at {x.tolist()}", of="values", hint="The slope of 3 x₁² has the sign of x₁; x₂ keeps its sign in the exponent.", rtol=1e-12 if dtype == torch.float64 else 1e-4,
                     atol=1e-14 if dtype == torch.float64 else 1e-5)
        assert_close(x_after_the_call(x.clone()), x, "x after the call", of="x kept", hint="Do not write into x, nor into another name of it.")
### END HIDDEN TESTS

# %% [markdown] teaches="gradients of vector functions"
# Some gradients come back so often that it pays to find them once. Let $\mathbf x$ have $n$ entries.
#
# - $f(\mathbf x) = \mathbf a \cdot \mathbf x = a_1 x_1 + \ldots + a_n x_n$. Only one term holds $x_i$, and its slope
#   is $a_i$. So $\nabla f = \mathbf a$.
# - $f(\mathbf x) = \|\mathbf x\|^2 = x_1^2 + \ldots + x_n^2$. The slope in $x_i$ is $2 x_i$. So
#   $\nabla f = 2 \mathbf x$. Nothing changes if the entries stand in a matrix $X$: the sum of their squares has the
#   gradient $2 X$, of the shape of $X$.
# - $f(\mathbf x) = \mathbf x^\top A\, \mathbf x = \sum_{ij} A_{ij} x_i x_j$ for a square matrix $A$. By the product
#   rule, $x_k$ counts once as the first factor, with $\sum_j A_{kj} x_j$, and once as the second, with
#   $\sum_i A_{ik} x_i$. So $\nabla f = A \mathbf x + A^\top \mathbf x$, and $2 A \mathbf x$ if $A$ is symmetric.

# %% teaches="gradients of vector functions"
A = torch.tensor([[1., 2.], [0., 3.]], dtype=torch.float64)
x = torch.tensor([1., -2.], dtype=torch.float64)
unit = torch.eye(2, dtype=torch.float64)
print('measured', [round(slope(lambda t: ((x + t * unit[i]) @ A @ (x + t * unit[i])).item(), 0.0), 6) for i in range(2)])
print('A x + Aᵀ x =', (A @ x + A.T @ x).tolist(), '   2 A x =', (2 * A @ x).tolist())

# %% [markdown] teaches="directional derivative, steepest ascent"
# ## Which way is up?
#
# Now turn both knobs at once: go from $\mathbf p$ in the direction of a vector $\mathbf v$ of length 1. How fast does
# $f$ change? Take the way in pieces. Turn the first knob by $h v_1$: by the linear approximation this changes $f$ by
# nearly $h v_1 \frac{\partial f}{\partial p_1}$. Then turn the second by $h v_2$. We start a little beside $\mathbf p$ now,
# but the slope there is nearly that at $\mathbf p$, so that $f$ changes by nearly $h v_2 \frac{\partial f}{\partial p_2}$
# more. And so on: the changes add up.
#
# $$f(\mathbf p + h \mathbf v) \approx f(\mathbf p) + h v_1 \frac{\partial f}{\partial p_1} + \ldots + h v_n \frac{\partial f}{\partial p_n} = f(\mathbf p) + h\, \nabla f \cdot \mathbf v.$$
#
# So the slope in direction $\mathbf v$, the **directional derivative**, is the dot product
# $\nabla f \cdot \mathbf v$. ("Nearly that at $\mathbf p$" is where we used that the partial derivatives exist all
# around and do not jump; the tip of a cone, below, is a place where this fails.) A dot product is the product of the lengths and the cosine of the angle $\theta$ between the
# vectors:
#
# $$\nabla f \cdot \mathbf v = \|\nabla f\| \cdot 1 \cdot \cos\theta.$$
#
# The cosine is largest, 1, for $\theta = 0$. Hence the direction of **steepest ascent is that of the gradient**, and
# the slope there is the length $\|\nabla f\|$. The steepest way down is the opposite one, $-\nabla f$, with the slope
# $-\|\nabla f\|$. At right angles to the gradient the slope is 0.

# %% tags=["demo"] teaches="steepest ascent"
p = torch.tensor([1., 0.], dtype=torch.float64)
g = loss2_gradient(p)
ws, bs = torch.meshgrid(torch.linspace(-0.5, 2.5, 80), torch.linspace(-1.5, 2.0, 80), indexing='ij')
heights = ((ws[..., None] * xs + bs[..., None] - ys) ** 2).mean(dim=-1)
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), layout='constrained')
contours = left.contour(ws, bs, heights, levels=[2.4, 3, 4.5, 7, 12, 20, 35], colors='grey')
left.clabel(contours, contours.levels[:-2], fontsize=8, fmt='%g')
for sign, color, label in ((1, 'C3', 'gradient direction: up'), (-1, 'C0', 'opposite: down')):
    end = p + sign * 0.7 * g / g.norm()
    left.annotate('', xy=end.tolist(), xytext=p.tolist(), arrowprops={'arrowstyle': '->', 'color': color, 'linewidth': 2.5})
    left.plot([], [], color=color, label=label)
left.plot(*p.tolist(), 'o', color='black')
left.plot([1.0], [1.5], 'x', color='black', label='minimum')
left.set(xlabel='w', ylabel='b', title='levels of the loss', aspect='equal')
left.legend(loc='upper center', bbox_to_anchor=(0.5, -0.2), ncols=3, fontsize=8)
angles = torch.linspace(0, 2 * math.pi, 200, dtype=torch.float64)
directions = torch.stack([angles.cos(), angles.sin()])
right.plot(angles.rad2deg(), g @ directions)
right.axhline(0, color='grey', linewidth=0.8)
up = math.degrees(math.atan2(g[1].item(), g[0].item())) % 360
right.axvline(up, color='C3', linestyle='--')
right.text(up + 4, -7.5, f'direction of\nthe gradient,\n{up:.0f}°', color='C3')
right.set(xlabel='direction v, in degrees', ylabel='slope in direction v', xticks=range(0, 361, 60))
plt.show()

# %% [markdown] teaches="steepest ascent"
# *Left: lines of equal loss, like the contours of a map. At the black dot the gradient is $(-7.5, -3)$; the arrows
# meet the contour at a right angle. Right: the slope for every direction at this dot. It is a cosine, with its top,
# $8.08 = \sqrt{7.5^2 + 3^2}$, in the direction of the gradient.*
#
# Following $-\nabla f$ in small steps is how networks are trained. Here are five steps, each $0.02$ times the
# gradient:

# %% teaches="steepest ascent"
place = torch.tensor([1., 0.], dtype=torch.float64)
for step in range(6):
    print(step, [round(v, 4) for v in place.tolist()], 'loss', round(loss2(place).item(), 5))
    place = place - 0.02 * loss2_gradient(place)

# %% [markdown] task="2.4.F" kind="code" minutes=2 difficulty=1 core=true needs="gradient, steepest ascent, norm"
# ### The steepest way down
#
# Write `steepest_descent(g)`. `g` is the gradient of a function at some place, a floating-point tensor of shape
# `(n,)`, not zero. Return a tuple `(v, s)`: the vector `v` of length 1 in which the function falls fastest, and `s`,
# the directional derivative in this direction.
#
# **You are done when**
# - **direction**: `v` points the right way, and has the shape of `g`;
# - **length**: `v` has length 1, for short gradients, too, down to a length of $10^{-15}$;
# - **slope**: `s` is the slope in direction `v`, with its sign;
# - **g kept**: after the call `g` is as it was.

# %% exercise="2.4.F"
def steepest_descent(g):
    """The unit vector of steepest descent and the slope in its direction, from the gradient g."""
    ### BEGIN SOLUTION
    length = g.norm()
    return -g / length, -length
    ### END SOLUTION

# %% [markdown] hints="2.4.F"
# 1. Does the gradient point uphill or downhill?
# 2. A vector divided by its length has length 1.
# 3. For the gradient (0, 2) the function falls fastest in direction (0, -1), with the slope -2.

# %% check="2.4.F" points=1
@probe
def gradient_after_the_call(g):
    steepest_descent(g)
    return g

found = steepest_descent(torch.tensor([3., -4.]))
assert_type(found, (tuple, list), "what steepest_descent returns", of="direction")
assert_equal(len(found), 2, "the number of entries of what steepest_descent returns", of="direction",
             hint="The vector v, and the one number s.")
assert_type(found[0], torch.Tensor, "the vector v", of="direction",
            hint="The tuple is (v, s): first the vector, which is a tensor.")
assert_shape(found[0], (2,), "the shape of v for the gradient (3, -4)", of="direction",
             hint="The tuple is (v, s): the vector comes first, and has as many entries as g.")
assert_close(found[0] / found[0].norm(), torch.tensor([-0.6, 0.8]), "the direction of v for the gradient (3, -4)", of="direction",
             hint="The steepest way down is opposite to the gradient: each entry has its share, with the other sign.",
             mistakes={"This is the way up.": torch.tensor([0.6, -0.8]),
                       "This goes along one axis only; opposite to the gradient it is steeper.": torch.tensor([0., 1.]),
                       "Only the signs of the entries are left; their sizes belong to the direction.": torch.tensor([-0.5 ** 0.5, 0.5 ** 0.5]),
                       "An entry that is negative in the gradient is positive here.": torch.tensor([-0.6, -0.8])})
assert_close(found[0].norm().item(), 1.0, "the length of v for the gradient (3, -4)", of="length", rtol=1e-4,
             hint="The length is the root of the sum of the squares: here 5.",
             mistakes={"Divide by the length of the gradient.": 5.0,
                       "Divide by the length of the gradient, not by the number of its entries.": 2.5,
                       "Divide by the length of the gradient, not by its square.": 0.2,
                       "Divide by the 2-norm, not by the sum of the absolute values.": 5 / 7, "Divide by the 2-norm, not by the largest entry.": 1.25,
                       "The 2-norm is the root of the sum of the squares, not of their mean.": 2 ** 0.5})
short = steepest_descent(torch.tensor([3e-5, -4e-5]))
assert_close(short[0].norm().item(), 1.0, "the length of v for the gradient (3e-5, -4e-5)", of="length", rtol=1e-4,
             hint="A gradient may be short; it is not zero, and nothing need be added to its length.")
shorter = steepest_descent(torch.tensor([3e-14, -4e-14], dtype=torch.float64))
assert_close(shorter[0].norm().item(), 1.0, "the length of v for the gradient (3e-14, -4e-14) in float64", of="length", rtol=1e-4,
             hint="A gradient may be short; it is not zero, and nothing need be added to its length.",
             mistakes={"It is divided by 1e-12 here, the least length that torch's `normalize` divides by (its `eps`).": 0.05})
assert_close(found[1], -5.0, "the slope s for the gradient (3, -4)", of="slope", rtol=1e-4,
             hint="The directional derivative is one number: the dot product of the gradient, as it was handed over, and v, 3 · (-0.6) + (-4) · 0.8.",
             mistakes={"This is the sum of the entries of v; the gradient is missing.": 0.2,
                       "The slope depends on how long the gradient is.": -1.0,
                       "This is 1, as is the product v · v, or the length of v: the slope is the product of the gradient and v.": 1.0, "This is minus the sum of the absolute values.": -7.0,
                       "This is minus the mean of the absolute values.": -3.5,
                       "Downhill the slope is negative.": 5.0, "This is the squared length, with a minus.": -25.0})
assert_close(gradient_after_the_call(torch.tensor([3., -4.])), torch.tensor([3., -4.]), "the gradient (3, -4) after the call", of="g kept",
             hint="`g /= ...` and functions with an underscore at the end write into g; `g / ...` makes a new tensor.")
many = torch.linspace(-1.3, 2.1, 40)
assert_close(gradient_after_the_call(many.clone()), many, "a gradient of 40 entries after the call", of="g kept", rtol=0.0, atol=0.0,
             hint="Dividing g in place and multiplying it again leaves rounding errors: do not write into g.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2406)
for n, scale in ((1, 4.0), (3, 4.0), (6, 4.0), (2, 1e-6), (5, 1e-4), (4, 1e-14), (60, 1.0)):
    g = torch.randn(n, generator=rng, dtype=torch.float64) * scale
    found = steepest_descent(g)
    size = math.sqrt(sum(entry ** 2 for entry in g.tolist()))
    assert_shape(found[0], (n,), f"the shape of v for n = {n}", of="direction")
    assert_close(found[0] / found[0].norm(), -g / size, f"the direction of v for n = {n}", of="direction", rtol=1e-4,
                 hint="Opposite to the gradient, entry by entry.")
    assert_close(found[0].norm().item(), 1.0, f"the length of v for n = {n}", of="length", rtol=1e-4,
                 hint="Divide by the root of the sum of all squares, however small it is, and add nothing.")
    assert_close(found[1], -size, f"the slope s for n = {n}", of="slope", rtol=1e-4, hint="The dot product of the gradient and v.")
    assert_close(gradient_after_the_call(g.clone()), g, f"the gradient after the call, n = {n}", of="g kept", rtol=0.0, atol=0.0,
                 hint="Do not write into g, not even for a time: it leaves rounding errors.")
### END HIDDEN TESTS

# %% [markdown] teaches="gradient of the norm"
# ## Where there is no gradient
#
# The length of a vector, the 2-norm $\|\mathbf x\| = \sqrt{x_1^2 + \ldots + x_n^2}$, is the root of a sum of squares.
# For $\mathbf x \neq 0$ the chain rule gives its gradient: outer function $\sqrt s$ with the slope
# $\frac{1}{2 \sqrt s}$, inner function $s = \|\mathbf x\|^2$ with the gradient $2 \mathbf x$. Working it out is the
# next exercise.

# %% [markdown] task="2.4.8a" kind="code" minutes=3 difficulty=2 needs="gradient, chain rule, norm, gradients of vector functions"
# ### The gradient of a length
#
# Write `norm_gradient(x)`: the gradient of $\|\mathbf x\|$, by a formula, for a floating-point tensor `x` of shape
# `(n,)` that is not zero.
#
# **You are done when**
# - **values**: the entries are the partial derivatives, to the precision of the dtype (`float64`: relative error at
#   most $10^{-12}$), for short vectors, too, down to a length of $10^{-15}$;
# - **shape and dtype**: the result is a tensor with those of `x`;
# - **any n**: this holds for `n = 1` and for large `n`;
# - **x kept**: after the call `x` is as it was.

# %% exercise="2.4.8a"
def norm_gradient(x):
    """The gradient of the 2-norm at x, not zero."""
    ### BEGIN SOLUTION
    return x / x.norm()
    ### END SOLUTION

# %% [markdown] hints="2.4.8a"
# 1. What are the outer and the inner function, and what is the slope of the outer one at the inner value?
# 2. The 2 of the root's slope and the 2 of the squares cancel.
# 3. Another case: $e^{\|\mathbf x\|^2}$ has the gradient $e^{\|\mathbf x\|^2} \cdot 2 \mathbf x$.

# %% check="2.4.8a" points=1
@probe
def vector_after_the_call(x):
    norm_gradient(x)
    return x

x34 = torch.tensor([3., -4.], dtype=torch.float64)
found = norm_gradient(x34)
assert_type(found, torch.Tensor, "what norm_gradient returns", of="shape and dtype")
assert_shape(found, (2,), "the shape for (3, -4)", of="shape and dtype",
             hint=lambda: "One partial derivative for each entry of x, in a vector."
             + ("" if found.shape != () else
                " This one number, 1/10, is the slope of the root at the inner value 25; the inner gradient, 2x, is missing." if abs(found - 0.1) < 1e-6
                else " This one number is the length of x itself." if abs(found - 5) < 1e-6 else ""))
assert_dtype(found, torch.float64, "the dtype for float64", of="shape and dtype", hint="Computed from x alone, the gradient has the dtype of x.")
assert_dtype(norm_gradient(x34.float()), torch.float32, "the dtype for float32", of="shape and dtype", hint="Computed from x alone, the gradient has the dtype of x.")
twice_as_long = norm_gradient(2 * x34).norm() / found.norm()
which_part = (f" Yours points the right way, but its length is {found.norm():.4g}, and must be 1, however long x is."
              + (f" Where x is twice as long, yours is {twice_as_long:.3g} times as long." if abs(twice_as_long - 1) > 1e-6 else "")
              if torch.allclose(found / found.norm(), x34 / 5)
              else " Yours is x₁ / √x₁ in entry 0, and nan in entry 1, where x₂ is negative: the root is that of the inner value, and not of each entry."
              if abs(found[0] - 3 ** 0.5) < 1e-6 and found[1].isnan() else " Yours does not point the way of x." if found.isfinite().all() and found.norm() > 0 else "")
assert_close(found, torch.tensor([0.6, -0.8], dtype=torch.float64), "the gradient of the length at (3, -4)", of="values", rtol=1e-5,
             hint=f"The slope of the root at the inner value 25, 1/10, times the inner gradient (6, -8).{which_part}",
             mistakes={"Divide by the length, the root of the sum of the squares, not by the largest entry.": x34 / 4,
                       "The length is the root of the sum of the squares, not of their mean.": x34 * 2 ** 0.5 / 5,
                       "The gradient of the length points away from 0: the sign is wrong.": -x34 / 5,
                       "Entries of the gradient keep the signs of those of x.": x34.abs() / 5,
                       "This is turned over: x is divided by the length.": 5 / x34,
                       "The signs alone are right for n = 1 only.": x34.sign(),
                       "The 2 of the square and the 1/2 of the root cancel.": torch.tensor([1.2, -1.6], dtype=torch.float64),
                       "The 2 of the squares is missing.": torch.tensor([0.3, -0.4], dtype=torch.float64),
                       "The inner gradient, 2x, is missing: this is the slope of the root alone.": torch.tensor([0.1, 0.1], dtype=torch.float64),
                       "This is the gradient of the squared length.": 2 * x34,
                       "Divide by the length, not by its square.": x34 / 25, "x is divided by the length, not multiplied by it.": x34 * 5,
                       "The 2-norm is the root of the sum of squares, not the sum of absolute values.": x34 / 7})
assert_close(found * 5 / x34 - 1, torch.zeros(2, dtype=torch.float64), "the relative errors at (3, -4) (at most 1e-12)", of="values",
             rtol=0.0, atol=1e-12,
             hint="Near, but not exact. A formula, computed in the dtype of x and with nothing small added, gives all digits; "
             "a quotient of small differences gives about half of them.")
assert_close(norm_gradient(torch.tensor([-7.], dtype=torch.float64)), torch.tensor([-1.], dtype=torch.float64), "the gradient at (-7,), n = 1",
             of="any n", rtol=1e-12, hint="The length of (-7,) is 7; a vector of one entry stays a vector.",
             mistakes={"The one entry counts twice here: the length is the root of the sum over all entries, each once.":
                       torch.tensor([-0.5 ** 0.5], dtype=torch.float64)})
def which_divisor():
    """What a short x is divided by: asked for x and for 2 x."""
    general = "x may be short; it is not zero, and its length needs no least value, and nothing that is added."
    short = torch.tensor([3e-14, -4e-14], dtype=torch.float64)
    entries = [norm_gradient(factor * short)[0].item() for factor in (1, 2)]
    if not all(entry and math.isfinite(entry) for entry in entries):
        return general
    once, twice = 3e-14 / entries[0], 6e-14 / entries[1]
    if 1e-10 < abs(entries[0] / 0.6 - 1) < 1e-6:
        return "This is right to about seven digits, as float32 holds them, and the dtype of x, float64, has sixteen."
    if math.isclose(once, twice, rel_tol=1e-6):
        return f"x may be short, but it is not zero. Here it is divided by {once:.3g}, and a vector twice as long by the same number: the length needs no least value."
    if math.isclose(twice - once, 5e-14, rel_tol=1e-3) and once > 5.001e-14:
        return f"x may be short, but it is not zero. Here it is divided by its length, 5e-14, plus {once - 5e-14:.2g}: nothing need be added."
    return general


assert_close(norm_gradient(torch.tensor([3e-14, -4e-14], dtype=torch.float64)), torch.tensor([0.6, -0.8], dtype=torch.float64),
             "the gradient of the length at (3e-14, -4e-14)", of="values", rtol=1e-12, atol=0.0,
             hint=lambda: which_divisor(),
             mistakes={"It is divided by 1e-12 here, the least length that torch's `normalize` divides by (its `eps`).":
                       torch.tensor([0.03, -0.04], dtype=torch.float64)})
assert_close(vector_after_the_call(x34.clone()), x34, "x = (3, -4) after the call", of="x kept",
             hint="`x /= ...` writes into x; `x / ...` makes a new tensor.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(248)
for n, scale, of in ((3, 1.0, "values"), (4, 1e-14, "values"), (1, 1.0, "any n"), (50, 1.0, "any n"), (500, 1.0, "any n")):
    x = torch.randn(n, generator=rng, dtype=torch.float64) * scale
    size = math.sqrt(math.fsum(entry ** 2 for entry in x.tolist()))
    assert_shape(norm_gradient(x), (n,), f"the shape for {n} entries", of="shape and dtype")
    assert_dtype(norm_gradient(x.float()), torch.float32, "the dtype for float32", of="shape and dtype")
    assert_close(norm_gradient(x), torch.tensor([entry / size for entry in x.tolist()], dtype=torch.float64), f"the gradient for {n} entries", of=of, hint="Each entry divided by the length of the whole vector, to which nothing is added.",
                 rtol=1e-12, atol=1e-14)
    assert_close(vector_after_the_call(x.clone()), x, f"x with {n} entries after the call", of="x kept", rtol=0.0, atol=0.0,
                 hint="Do not write into x, not even for a time: it leaves rounding errors.")
### END HIDDEN TESTS

# %% [markdown] teaches="subgradient"
# At $\mathbf x = 0$ the formula says $0 / 0$. Is the limit perhaps there all the same? With one entry, the norm is
# $|x|$, and we saw its corner: quotient 1 from the right, $-1$ from the left. The norm of two entries is a cone that
# stands on its tip, and the tip is no better.
#
# So there is no derivative. But something of it is left. Call a function *bowl-shaped* (the field says *convex*) if
# the straight line between any two points of its graph runs nowhere below the graph; $x^2$, $|x|$ and the norm are so.
# Every tangent of such a curve lies **below** the curve. At a corner many lines do that:

# %% tags=["demo"] teaches="subgradient"
t = torch.linspace(-2, 2, 201)
figure, (left, right) = plt.subplots(1, 2, figsize=(8.6, 3.3), layout='constrained', gridspec_kw={'width_ratios': [1.3, 1]})
left.plot(t, t.abs(), color='black', linewidth=2.5, label='|x|')
for g, color in ((-0.8, 'C0'), (-0.4, 'C0'), (0.0, 'C0'), (0.7, 'C0')):
    left.plot(t, g * t, color=color, label='slopes -0.8, -0.4, 0, 0.7: below' if g == 0 else None)
left.plot(t, 1.4 * t, '--', color='C3', label='slope 1.4: above on the right')
left.set(xlabel='x', ylim=(-2, 2.2))
left.legend(loc='upper left', bbox_to_anchor=(1.0, 1.0), fontsize=8)
right.remove()
cone = figure.add_subplot(1, 2, 2, projection='3d')
radius, angle = torch.meshgrid(torch.linspace(0, 1, 12), torch.linspace(0, 2 * math.pi, 40), indexing='ij')
cone.plot_surface((radius * angle.cos()).numpy(), (radius * angle.sin()).numpy(), radius.numpy(), color='C0', alpha=0.5)
cone.set(xlabel='$x_1$', ylabel='$x_2$', zlabel='length', title='the length of $(x_1, x_2)$', xticks=[-1, 0, 1], yticks=[-1, 0, 1], zticks=[0, 1])
cone.set_box_aspect(None, zoom=0.85)
plt.show()

# %% [markdown] teaches="subgradient"
# *Left: each blue line touches the corner and stays below the black curve; the dashed line does not. Right: the same
# for two inputs; a plane through the tip that is not too steep lies below the cone.*
#
# A vector $\mathbf g$ is a **subgradient** of $f$ at $\mathbf a$ if the line or plane with the slope $\mathbf g$ through
# the point $(\mathbf a, f(\mathbf a))$ lies nowhere above $f$:
#
# $$f(\mathbf x) \ge f(\mathbf a) + \mathbf g \cdot (\mathbf x - \mathbf a) \quad \text{for all } \mathbf x.$$
#
# For a bowl-shaped function the gradient, where it exists, is the only subgradient. At a corner there are many. For
# $|x|$ at 0 they are all numbers from $-1$ to $1$.
#
# ⚠ Software must return something at such a place. It depends on how the length is written. `x.norm()` is one
# operation with a derivative of its own, and torch's returns the zero vector there: a subgradient, so it is a
# sensible choice. But `x.square().sum().sqrt()` is a chain of three, and a program that follows the chain rule
# multiplies the slope of the root at 0, which is infinite, by the slope of the square at 0, which is 0:

# %% teaches="subgradient"
for h in (1e-2, 1e-4, 1e-8):
    print(f'h = {h:.0e}   quotient of the root at 0: {math.sqrt(h) / h:.0f}')
outer, inner = torch.tensor(0.).rsqrt() / 2, 2 * torch.tensor(0.)      # rsqrt is 1 / sqrt
print('slope of the root', outer, '  slope of the square', inner, '  product', outer * inner)

# %% [markdown] teaches="subgradient"
# The product is `nan`, "not a number", and one `nan` in a gradient spoils all weights that it touches. Section 2.5
# shows torch doing exactly this. What is really there is shown by the quotients from both sides, the subject of the
# next exercise.

# %% [markdown] task="2.4.8b" kind="code" minutes=3 difficulty=2 needs="one-sided difference quotient, norm, directional derivative"
# ### The tip of the cone
#
# Go from $\mathbf 0$ in the direction of a vector $\mathbf v$: the difference quotient of the norm is
# $\frac{\|\mathbf 0 + h \mathbf v\| - \|\mathbf 0\|}{h}$.
#
# Write `slopes_at_the_tip(v)`: for a floating-point tensor `v` of shape `(n,)`, of any length, return a tuple
# `(right, left)`: the limit of this quotient for $h \to 0$ through positive $h$, and through negative $h$.
#
# **You are done when**
# - **right**: the first number is the limit for positive $h$, for vectors of any length, not only 1;
# - **left**: the second is the limit for negative $h$.

# %% exercise="2.4.8b"
def slopes_at_the_tip(v):
    """The limits of norm(h v) / h for h -> 0 from the right and from the left."""
    ### BEGIN SOLUTION
    return v.norm(), -v.norm()
    ### END SOLUTION

# %% [markdown] hints="2.4.8b"
# 1. What is $\|h \mathbf v\|$ in terms of $h$ and $\|\mathbf v\|$, if $h$ may be negative?
# 2. A length is never negative, but $h$ in the denominator may be.
# 3. For one entry and $v = 1$ this is the corner of $|x|$: 1 and -1.

# %% check="2.4.8b" points=1
found = slopes_at_the_tip(torch.tensor([3., -4.]))
assert_type(found, (tuple, list), "what slopes_at_the_tip returns", of="right")
assert_equal(len(found), 2, "the number of entries of what slopes_at_the_tip returns", of="right",
             hint="Two limits, each one number: from the right, then from the left.")
assert_close(found[0], 5.0, "the limit from the right for v = (3, -4)", of="right", rtol=1e-4,
             hint="The length of h v is h times that of v, for positive h; divide it by h. v has the length 5: for h = 0.1 this is 0.5 / 0.1.",
             mistakes={"This is the largest entry; the 2-norm is the root of the sum of squares.": 4.0,
                       "This is 3, one entry of v; the 2-norm is the root of the sum of the squares of all its entries.": 3.0,
                       "This is the root of the mean of the squares; the 2-norm is that of their sum.": 12.5 ** 0.5,
                       "This is the product of the entries; the 2-norm is the root of the sum of squares.": -12.0,
                       "This is the sum of the entries; the 2-norm is the root of the sum of squares.": -1.0,
                       "There are two limits, and neither is 0.": 0.0, "From 0 to h v the quotient is divided by h, not by 2h.": 2.5,
                       "This is right for a vector of length 1.": 1.0, "Limits from the left and from the right are exchanged.": -5.0,
                       "This is the squared length.": 25.0,
                       "The 2-norm is the root of the sum of squares, not the sum of absolute values.": 7.0})
assert_close(found[1], -5.0, "the limit from the left for v = (3, -4)", of="left", rtol=1e-4,
             hint="The length of h v is |h| times that of v; divided by a negative h: for h = -0.1 this is 0.5 / (-0.1), and the same for every h < 0. So there is a limit.",
             mistakes={"This is right for a vector of length 1.": -1.0, "There are two limits, and neither is 0.": 0.0,
                       "The length is not turned over; only its sign changes.": -0.2,
                       "Divide by h with its sign, not by |h|.": 5.0})
### BEGIN HIDDEN TESTS
for v in ([0.6, 0.8], [2., 1., -2.], [-0.5], [0., 0.]):
    size = math.sqrt(sum(entry ** 2 for entry in v))
    found = slopes_at_the_tip(torch.tensor(v, dtype=torch.float64))
    assert_close(found[0], size, f"the limit from the right for v = {tuple(v)}", of="right", rtol=1e-4,
                 hint="The 2-norm of all of v, however many entries it has, with its fraction; for v = 0 it is 0.")
    assert_close(found[1], -size, f"the limit from the left for v = {tuple(v)}", of="left", rtol=1e-4,
                 hint="The 2-norm of all of v, with a minus.")
### END HIDDEN TESTS

# %% [markdown] task="2.4.8c" kind="code" minutes=3 difficulty=3 needs="subgradient, norm, steepest ascent"
# ### Planes below the cone
#
# Write `is_subgradient(g)`: `True` if the tensor `g` of shape `(n,)` is a subgradient of the 2-norm at $\mathbf 0$,
# that is, if $\|\mathbf x\| \ge \mathbf g \cdot \mathbf x$ for all $\mathbf x$, else `False`.
#
# **You are done when**
# - **one answer**: for any `n` it is a bool, or the `tensor(True)` or `tensor(False)` that a comparison of tensors
#   without axes gives;
# - **inside**: `True` for subgradients, torch's choice among them;
# - **edge**: `True` for those that are just flat enough: there $\mathbf g \cdot \mathbf x$ reaches $\|\mathbf x\|$,
#   for some $\mathbf x$, without passing it;
# - **outside**: `False` for all others.

# %% exercise="2.4.8c"
def is_subgradient(g):
    """Whether g is a subgradient of the 2-norm at 0."""
    ### BEGIN SOLUTION
    return bool(g.norm() <= 1)
    ### END SOLUTION

# %% [markdown] hints="2.4.8c"
# 1. In which direction $\mathbf x$ is $\mathbf g \cdot \mathbf x$ largest, compared with the length of $\mathbf x$?
# 2. $\mathbf g \cdot \mathbf x = \|\mathbf g\| \|\mathbf x\| \cos \theta$, which is at most
#    $\|\mathbf g\| \|\mathbf x\|$.
# 3. For one entry the subgradients of $|x|$ at 0 are the numbers from -1 to 1.

# %% check="2.4.8c" points=1
cases = ([0., 0.], [0.7, -0.7], [-0.6, -0.795], [0., -1.], [0.5, 0.5, -0.5, 0.5], [3., -3.], [0.9, -0.9], [0., 1.0008], [0.99, 0.3], [0.9, 0.5, 0.1],
         [0., 0., 2., 0.5], [0.26] * 16)
for g in cases:
    answer = is_subgradient(torch.tensor(g))
    assert_type(answer, (bool, torch.Tensor), f"what is_subgradient returns for {tuple(g)}", of="one answer",
                hint="The answer to a question is True or False: compare.")
    if isinstance(answer, torch.Tensor):
        assert_shape(answer, (), f"the shape of what is_subgradient returns for {tuple(g)}", of="one answer",
                     hint="The question is about the whole vector: one answer, without axes.")
        assert_dtype(answer, torch.bool, f"the dtype of what is_subgradient returns for {tuple(g)}", of="one answer",
                     hint="The answer to a question is True or False: compare.")
answers = [bool(is_subgradient(torch.tensor(g))) for g in cases]
asked = {"whether the sum of its entries, or minus this sum, is at most 1": [abs(sum(g)) <= 1 for g in cases],
         "whether the plane lies below the cone at x = (1, ..., 1) alone": [sum(g) <= math.sqrt(len(g)) for g in cases],
         "whether the length of its first two entries is at most 1": [math.hypot(*g[:2]) <= 1 for g in cases],
         "whether the sum of its entries is at most 1": [sum(g) <= 1 for g in cases],
         "whether the absolute values of its entries add up to at most 1": [sum(abs(entry) for entry in g) <= 1 for g in cases],
         "whether each entry is from -1 to 1": [max(abs(entry) for entry in g) <= 1 for g in cases],
         "whether each entry is at most 1": [max(g) <= 1 for g in cases],
         "whether some entry is from -1 to 1": [min(abs(entry) for entry in g) <= 1 for g in cases],
         "whether the mean of its squares is at most 1": [sum(entry ** 2 for entry in g) / len(g) <= 1 for g in cases],
         "whether its length is less than 1": [math.hypot(*g) < 1 - 1e-6 for g in cases],
         "whether its length is 1": [abs(math.hypot(*g) - 1) < 1e-6 for g in cases],
         "whether its length is at least 1": [math.hypot(*g) > 1 - 1e-6 for g in cases],
         "whether it is 0": [not any(g) for g in cases]}
question = [words for words, replies in asked.items() if replies == answers]
instead = f" To all the vectors of this check you gave the answers to another question: {question[0]}." if len(question) == 1 else ""
assert_equal(bool(is_subgradient(torch.tensor(cases[0]))), True,
             "the answer for (0, 0), where the plane is level and no length is below it", of="inside",
             hint=lambda: "Zero is torch's choice, and a subgradient: a level plane lies nowhere above the cone." + instead
             + (" To (0.001, 0) you say True: where a length is divided by, 0 / 0 is nan, and no comparison with nan holds."
                if bool(is_subgradient(torch.tensor([0.001, 0.]))) else ""))
assert_equal(bool(is_subgradient(torch.tensor(cases[1]))), True,
             "the answer for (0.7, -0.7): at x = (1, -1) the plane has the height 1.4, the cone 1.414", of="inside",
             hint="In no direction does this plane rise faster than in that of (1, -1), and there it is below the cone." + instead)
assert_equal(bool(is_subgradient(torch.tensor(cases[2]))), True,
             "the answer for (-0.6, -0.795), whose length is 0.996", of="inside",
             hint="In which direction does this plane rise fastest? Compare it with the cone there." + instead)
assert_equal(bool(is_subgradient(torch.tensor(cases[3]))), True,
             "the answer for (0, -1): no length is below -x₂", of="edge", hint="At the edge the two are equal: ≥ allows it." + instead)
assert_equal(bool(is_subgradient(torch.tensor(cases[4]))), True,
             "the answer for (0.5, 0.5, -0.5, 0.5), whose length is exactly 1", of="edge",
             hint="At the edge the two are equal: ≥ allows it." + instead)
assert_equal(bool(is_subgradient(torch.tensor(cases[5]))), False,
             "the answer for (3, -3): at x = (1, -1) the plane has the height 6, the cone 1.414", of="outside",
             hint="In some direction this plane is steeper than the cone." + instead)
assert_equal(bool(is_subgradient(torch.tensor(cases[6]))), False,
             "the answer for (0.9, -0.9): at x = (1, -1) the plane has the height 1.8, the cone 1.414", of="outside",
             hint="Each entry is between -1 and 1, but that is not enough: a plane can rise faster than each of its entries, "
             "or their mean, says." + instead)
assert_equal(bool(is_subgradient(torch.tensor(cases[7]))), False,
             "the answer for (0, 1.0008): at x = (0, 1) the plane has the height 1.0008, the cone 1", of="outside",
             hint="A little too steep is too steep: no rounding, no margin." + instead)
assert_equal(bool(is_subgradient(torch.tensor(cases[8]))), False,
             "the answer for (0.99, 0.3): at x = (0.99, 0.3) the plane has the height 1.070, the cone 1.034", of="outside",
             hint="It is not enough to try some directions x: in which one does the plane rise fastest?" + instead)
assert_equal(bool(is_subgradient(torch.tensor(cases[9]))), False,
             "the answer for (0.9, 0.5, 0.1): at x = (0.9, 0.5, 0.1) the plane has the height 1.070, the cone 1.034",
             of="outside",
             hint="All three entries count: in which direction does this plane rise fastest?" + instead)
assert_equal(bool(is_subgradient(torch.tensor(cases[10]))), False,
             "the answer for (0, 0, 2, 0.5): at x = (0, 0, 1, 0) the plane has the height 2, the cone 1", of="outside",
             hint="All entries count, however many there are: here it is the third." + instead)
assert_equal(bool(is_subgradient(torch.tensor(cases[11]))), False,
             "the answer for sixteen entries 0.26: at x = (1, ..., 1) the plane has the height 4.16, the cone 4", of="outside",
             hint="Fastest of all, this plane rises in the direction of (1, ..., 1), in which all sixteen entries count; in most others, such as "
             "those that one draws at random, it stays below the cone. Which single x decides, for any g?" + instead)
### BEGIN HIDDEN TESTS
for vectors, inside, of in ((([-0.6, 0.7], [0.5, 0.5, 0.5], [0.2], [-0.995, 0.0, 0.05]), True, "inside"),
                            (([1., 0., 0.], [-1.], [-0.5, 0.5, 0.5, 0.5], [0.25] * 16), True, "edge"),
                            (([0.6, 0.6, 0.6], [-1.5], [0., 1.01], [0.8, -0.8], [0.2, -0.985], [-0.7, 0.3, 0.68], [-0.21] * 24, [0., 1.0001],
                              [0., 0.2, 0., 0., 0., 0., 0., 0., -1.5]), False, "outside")):
    for g in vectors:
        answer = is_subgradient(torch.tensor(g))
        assert_type(answer, (bool, torch.Tensor), f"what is_subgradient returns for {tuple(g)}", of="one answer")
        if isinstance(answer, torch.Tensor):
            assert_shape(answer, (), f"the shape of what is_subgradient returns for {tuple(g)}", of="one answer")
            assert_dtype(answer, torch.bool, f"the dtype of what is_subgradient returns for {tuple(g)}", of="one answer")
        size = math.sqrt(sum(entry ** 2 for entry in g))
        assert_equal(bool(answer), inside, f"the answer of is_subgradient for {tuple(g[:4])}{' and more' if len(g) > 4 else ''}", of=of,
                     hint=f"The length of this vector is {size:.4f}.")
### END HIDDEN TESTS

# %% [markdown] teaches="chain rule in several variables"
# ## The chain rule with several ways
#
# In a network one number reaches the result by many ways. Take the smallest case. $u$ depends on $x$ and $y$, and
# both depend on $a$: there are two ways from $a$ to $u$. A change $h$ of $a$ moves $x$ by about
# $\frac{\partial x}{\partial a} h$ and $y$ by about $\frac{\partial y}{\partial a} h$. What $u$ makes of two small
# changes at once we know from the directional derivative: their effects add up. So
#
# $$\frac{\partial u}{\partial a} = \frac{\partial u}{\partial x} \frac{\partial x}{\partial a} + \frac{\partial u}{\partial y} \frac{\partial y}{\partial a}.$$
#
# **Along a way multiply, over the ways add.** Forgetting a way is the classical mistake.

# %% tags=["demo"] teaches="chain rule in several variables"
places = {'a': (0, 1.5), 'b': (0, 0.5), 'x': (1.5, 1.5), 'y': (1.5, 0.5), 'u': (3, 1.0)}
figure, axes = plt.subplots(figsize=(6, 2.8), layout='constrained')
for start, end, color, where in (('a', 'x', 'C3', 0.5), ('a', 'y', 'C3', 0.27), ('b', 'x', 'grey', 0.27), ('b', 'y', 'grey', 0.5),
                                 ('x', 'u', 'C3', 0.5), ('y', 'u', 'C3', 0.5)):
    axes.annotate('', xy=places[end], xytext=places[start],
                  arrowprops={'arrowstyle': '->', 'color': color, 'linewidth': 2, 'shrinkA': 14, 'shrinkB': 14})
    middle = [s + where * (e - s) for s, e in zip(places[start], places[end])]
    axes.text(middle[0], middle[1], f'$\\partial {end} / \\partial {start}$', ha='center', va='center', color=color,
              bbox={'facecolor': 'white', 'edgecolor': 'none', 'pad': 1.5})
for name, (across, high) in places.items():
    axes.text(across, high, f'${name}$', ha='center', va='center', fontsize=14,
              bbox={'boxstyle': 'circle', 'facecolor': 'lightyellow', 'edgecolor': 'black'})
axes.set(xlim=(-0.3, 3.3), ylim=(0.2, 1.8))
axes.axis('off')
plt.show()

# %% [markdown] teaches="chain rule in several variables"
# *Inputs on the left, the result on the right. The two red ways lead from $a$ to $u$.*
#
# Example: $u = x y$ with $x = a + b$ and $y = a b$. The slopes along the arrows are
# $\frac{\partial u}{\partial x} = y$, $\frac{\partial u}{\partial y} = x$, $\frac{\partial x}{\partial a} = 1$,
# $\frac{\partial y}{\partial a} = b$. So
# $\frac{\partial u}{\partial a} = y \cdot 1 + x \cdot b = a b + (a + b)\, b = 2ab + b^2$. Multiplied out,
# $u = a^2 b + a b^2$, and its slope in $a$ is the same.

# %% teaches="chain rule in several variables"
a, b = 2.0, 3.0
x, y = a + b, a * b
print('one way only', y * 1, '  both ways', y * 1 + x * b, '  measured', round(slope(lambda t: (t + b) * (t * b), a), 6))

# %% [markdown] task="2.4.9a" kind="code" minutes=3 difficulty=2 core=true needs="chain rule in several variables"
# ### Three variables between
#
# $u$ is a function of $x, y, z$, and each of these is a function of $a$ and $b$: $u(x(a, b), y(a, b), z(a, b))$.
#
# Write `partials(ux, uy, uz, xa, ya, za, xb, yb, zb)`. The arguments are numbers, the partial derivatives at the
# place in question: `ux` is $\frac{\partial u}{\partial x}$, `xa` is $\frac{\partial x}{\partial a}$, and so on.
# Return the tuple $(\frac{\partial u}{\partial a}, \frac{\partial u}{\partial b})$.
#
# **You are done when**
# - **by a**: the first number is the derivative of $u$ with respect to $a$, over all ways;
# - **by b**: the second is that with respect to $b$.

# %% exercise="2.4.9a"
def partials(ux, uy, uz, xa, ya, za, xb, yb, zb):
    """(du/da, du/db) from the nine partial derivatives along the arrows."""
    ### BEGIN SOLUTION
    return ux * xa + uy * ya + uz * za, ux * xb + uy * yb + uz * zb
    ### END SOLUTION

# %% [markdown] hints="2.4.9a"
# 1. Draw the graph: how many ways lead from $a$ to $u$?
# 2. Along a way multiply, over the ways add.
# 3. For two variables between, $\frac{\partial u}{\partial b}$ is `ux * xb + uy * yb`.

# %% check="2.4.9a" points=1
found = partials(2., 3., 5., 7., 11., 13., 17., 19., 23.)
assert_type(found, (tuple, list), "what partials returns", of="by a")
assert_equal(len(found), 2, "the number of entries of what partials returns", of="by a", hint="Two derivatives: by a and by b.")
def ways_alone(entry, rights):
    """Which of the three ways is wrong while the first slopes of the two others are 0."""
    inner = (7., 11., 13., 17., 19., 23.)
    alone = [float(partials(*outer, *inner)[entry]) for outer in ((2., 0., 0.), (0., 3., 0.), (0., 0., 5.))]
    amiss = [f"the way over {name} alone gives {given:g}, and must give {right:g}" for name, given, right in zip('xyz', alone, rights) if abs(given - right) > 1e-6]
    return "; ".join(amiss) if amiss else "each way alone is right"


assert_close(found[0], 112.0, "∂u/∂a for ux, uy, uz = 2, 3, 5 and xa, ya, za = 7, 11, 13", of="by a",
             hint=lambda: f"Three ways lead from a to u, with the slopes 2 · 7, 3 · 11 and 5 · 13: over the ways one adds. In yours {ways_alone(0, (14, 33, 65))}.",
             mistakes={"Along a way one multiplies, and over the ways one adds; here it is the other way round.": 2268.0,
                       "ux, the slope by x, stands in all three ways here; each has its own, ux, uy or uz.": 62.0,
                       "A way is missing: the one over y.": 79.0, "A way is missing: the one over x.": 98.0,
                       "Over the ways one adds; nothing is subtracted.": -18.0,
                       "Over the ways one adds; no mean is taken.": 112 / 3, "The ways over x and z are mixed: each has its own two factors.": 94.0,
                       "Two ways are mixed: each has its own two factors, such as ∂u/∂y and ∂y/∂a.": 108.0,
                       "This is 2 · 7 + 3 · 13 + 5 · 19: the arguments come in the order xa, ya, za, and then xb, yb, zb.": 148.0,
                       "The ways from b do not belong here.": 318.0,
                       "This is 7 + 11 + 13: along each way a second slope, ux, uy or uz, is a factor.": 31.0,
                       "The slopes of two arrows along a way are multiplied.": 41.0, "A way is missing: the one over z.": 47.0, "Two ways are missing: those over y and z.": 14.0,
                       "This is a product of two sums: each way has its own two factors.": 310.0,
                       "This is the derivative by b: the two are exchanged.": 206.0, "Over the ways one adds.": 30030.0,
                       "The arguments come in the order xa, ya, za, xb, yb, zb.": 120.0})
assert_close(found[1], 206.0, "∂u/∂b for ux, uy, uz = 2, 3, 5 and xb, yb, zb = 17, 19, 23", of="by b",
             hint=lambda: f"Three ways lead from b to u, with the slopes 2 · 17, 3 · 19 and 5 · 23: over the ways one adds. In yours {ways_alone(1, (34, 57, 115))}.",
             mistakes={"The way over y ends with ya here, and belongs to a.": 182.0, "The way over x ends with xa here, and belongs to a.": 186.0,
                       "A way is missing: the one over z.": 91.0, "This is the derivative by a.": 112.0,
                       "The way over z ends with za here, and belongs to a.": 156.0,
                       "The ways over y and z are mixed: each has its own two factors.": 198.0,
                       "The ways over x and y are mixed: each has its own two factors.": 204.0,
                       "The ways over x and z are mixed: each has its own two factors.": 188.0,
                       "A way is missing: the one over y.": 149.0, "A way is missing: the one over x.": 172.0})
found = partials(2., 3., 5., 0., 11., 0., 17., 0., -23.)
assert_close(found[0], 33.0, "∂u/∂a for ux, uy, uz = 2, 3, 5 and xa, ya, za = 0, 11, 0", of="by a", hint="A slope of 0 makes the whole way 0.")
assert_close(found[1], -81.0, "∂u/∂b for ux, uy, uz = 2, 3, 5 and xb, yb, zb = 17, 0, -23", of="by b",
             hint="A slope of 0 makes the whole way 0, and signs count.", mistakes={"Slopes keep their signs: zb is -23.": 149.0})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(249)
for _ in range(3):
    outer, inner = torch.randn(3, generator=rng, dtype=torch.float64), torch.randn(2, 3, generator=rng, dtype=torch.float64)
    inner[0, 2] = inner[1, 1] = 0
    found = partials(*outer.tolist(), *inner.flatten().tolist())
    assert_close(found[0], (outer @ inner[0]).item(), "∂u/∂a for nine drawn slopes", of="by a", rtol=1e-5, atol=1e-5,
                 hint="Along a way multiply, over the ways add: signs and fractions count.")
    assert_close(found[1], (outer @ inner[1]).item(), "∂u/∂b for nine drawn slopes", of="by b", rtol=1e-5, atol=1e-5,
                 hint="Along a way multiply, over the ways add: signs and fractions count.")
### END HIDDEN TESTS

# %% [markdown] teaches="jacobian, chain rule in several variables"
# With many variables the sums are products of linear algebra. Let $\mathbf y$ have $n$ entries, each a function of
# the $m$ entries of $\mathbf x$. All the slopes of $\mathbf y$ form a table of shape $(n, m)$, the **Jacobian** $J$:
#
# $$J_{ij} = \frac{\partial y_i}{\partial x_j}, \qquad \text{row } i \text{ is the gradient of } y_i.$$
#
# For $\mathbf y = A \mathbf x$ it is $A$ itself, since $y_i = \sum_j A_{ij} x_j$. The next exercise puts the gradient
# of a number $u(\mathbf y)$ and the Jacobian of $\mathbf y(\mathbf x)$ together. This one product, repeated from the
# result back to the inputs, is how a network's gradient is computed (2.5, 5.3).

# %% [markdown] task="2.4.9b" kind="code" minutes=3 difficulty=3 needs="jacobian, gradient, chain rule in several variables, matrix-vector product"
# ### All ways at once
#
# Write `pull_back(g, J)`. `g` of shape `(n,)` is the gradient of a number $u$ with respect to $\mathbf y$, and `J` of
# shape `(n, m)` the Jacobian of $\mathbf y$ with respect to $\mathbf x$. Return the gradient of $u$ with respect to
# $\mathbf x$, a tensor.
#
# **You are done when**
# - **shape**: the result has shape `(m,)`, the shape of $\mathbf x$;
# - **values**: entry $j$ is $\frac{\partial u}{\partial x_j}$, over all ways, also where `J` is square;
# - **arguments kept**: after the call `g` and `J` are as they were.

# %% exercise="2.4.9b"
def pull_back(g, J):
    """The gradient of u(y(x)) with respect to x: shapes (n,) and (n, m) -> (m,)."""
    ### BEGIN SOLUTION
    return g @ J
    ### END SOLUTION

# %% [markdown] hints="2.4.9b"
# 1. Which way leads from $x_j$ over $y_i$ to $u$? What are its two factors, as entries of `J` and `g`? Over what do
#    you sum?
# 2. `A @ x` sums over the columns of `A`, `x @ A` over its rows.
# 3. For g = (1, 10) and J = ((2, 0), (0, 3)) the result is (2, 30).

# %% check="2.4.9b" points=1
@probe
def arguments_after_the_call(g, J):
    pull_back(g, J)
    return g, J

g2, J23 = torch.tensor([1., 10.]), torch.tensor([[1., 2., 3.], [4., 5., 6.]])
J22 = J23[:, :2]
assert_type(pull_back(g2, J22), torch.Tensor, "what pull_back returns for n = m = 2", of="shape")
assert_shape(pull_back(g2, J22), (2,), "the shape for n = m = 2", of="shape",
             hint="One number for each x_j, in a vector: the ways over all y_i are added.",
             mistakes={"The two numbers stand in a matrix of one row; a vector is asked for.": (1, 2),
                       "The two numbers stand in a matrix of one column; a vector is asked for.": (2, 1)})
assert_close(pull_back(g2, J22), torch.tensor([41., 52.]), "the gradient for g = (1, 10), J = ((1, 2), (4, 5))", of="values",
             hint="For each x_j the ways over all y_i are added, each with its own factor g_i: entry 0 is 1 · 1 + 10 · 4, entry 1 is 1 · 2 + 10 · 5.",
             mistakes={"This is J @ g: it sums over x_j, not over the ways to it.": torch.tensor([21., 54.]),
                       "`g * J` multiplies the columns of J; the factor g_i belongs to row i.": torch.tensor([5., 70.]),
                       "The ways are added without the factor g.": torch.tensor([5., 7.]), "Over the ways one adds; no mean is taken.": torch.tensor([20.5, 26.]),
                       "Only the first y has a way here.": torch.tensor([1., 2.]), "This has one way only; those over all y_i are added.": torch.tensor([40., 50.]),
                       "The ways to one x_j stand in a column of J; here a row was added up.": torch.tensor([3., 90.]),
                       "J need not be symmetric, and must not be made so.": torch.tensor([31., 53.]),
                       "Each way has its own factor g_i: the g_i are not added first.": torch.tensor([55., 77.])})
assert_shape(pull_back(g2, J23), (3,), "the shape for n = 2, m = 3", of="shape", hint="One number for each x_j: m of them.")
assert_shape(pull_back(g2, J23[:, :1]), (1,), "the shape for n = 2, m = 1", of="shape",
             hint="A vector, also where m is 1: the gradient with respect to a vector of one entry has one entry.")
assert_close(pull_back(g2, J23), torch.tensor([41., 52., 63.]), "the gradient for g = (1, 10), J = ((1, 2, 3), (4, 5, 6))", of="values",
             hint="For each x_j the ways over all y_i are added, each with its own factor g_i: entry 2 is 1 · 3 + 10 · 6. For a square J yours was right.",
             mistakes={"The ways are added without the factor g.": torch.tensor([5., 7., 9.])})
assert_close(arguments_after_the_call(g2.clone(), J23.clone()), (g2, J23), "g and J after the call, n = 2, m = 3", of="arguments kept",
             hint="`*=`, `+=` and functions with an underscore at the end write into g or J.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2490)
for n, m in ((4, 3), (1, 5), (5, 1), (3, 3)):
    g, J = torch.randn(n, generator=rng, dtype=torch.float64), torch.randn(n, m, generator=rng, dtype=torch.float64)
    assert_shape(pull_back(g, J), (m,), f"the shape for n = {n}, m = {m}", of="shape", hint="One number for each x_j, in a vector, also where m is 1.")
    assert_close(pull_back(g, J), (g[:, None] * J).sum(dim=0), f"the gradient for n = {n}, m = {m}", of="values", rtol=1e-5, atol=1e-5,
                 hint="For each x_j the ways over all n of the y_i are added, with their signs and fractions.")
    assert_close(arguments_after_the_call(g.clone(), J.clone()), (g, J), f"g and J after the call, n = {n}, m = {m}", of="arguments kept",
                 hint="Do not write into g or J.")
### END HIDDEN TESTS

# %% [markdown] teaches="derivative of an inverse"
# ## The way back
#
# A last use of the chain rule. The *inverse* $g$ of a function $f$ undoes it: $g(f(x)) = x$. The logarithm undoes
# $e^x$, the cube root undoes $x^3$. If $y = f(x)$ rises twice as fast as $x$, then $x$ rises half as fast as $y$. The
# graph of the inverse is the mirror image of the graph of $f$ at the diagonal, and the mirror exchanges rise and run.

# %% tags=["demo"] teaches="derivative of an inverse"
t = torch.linspace(-2, 2.2, 200)
figure, axes = plt.subplots(figsize=(5.6, 3.8), layout='constrained')
axes.plot(t, t.exp(), color='C0', label='$e^x$')
axes.plot(t.exp(), t, color='C1', label='its inverse, $\\log$')
axes.plot([-2, 4], [-2, 4], ':', color='grey', label='mirror')
s = torch.tensor([-0.6, 0.6])
axes.plot(math.log(2) + s, 2 + 2 * s, color='C0', linewidth=4, alpha=0.4, label='slope 2 at height 2')
axes.plot(2 + 2 * s, math.log(2) + s, color='C1', linewidth=4, alpha=0.4, label='slope 1/2 at $y = 2$')
axes.set(xlim=(-2, 4), ylim=(-2, 4), aspect='equal', xlabel='input', ylabel='output')
figure.legend(loc='outside right upper')
plt.show()

# %% [markdown] teaches="derivative of an inverse"
# *At height 2 the curve $e^x$ has the slope 2. The mirror image of this place lies on the logarithm at $y = 2$, and
# has the slope $1/2$.*
#
# To find the rule, take the derivative of both sides of $f(g(y)) = y$ with respect to $y$: on the left the chain
# rule, on the right 1. Then solve for the slope of the inverse; you will do that now. It tells slopes of functions
# for which there is no formula. It also tells where it fails: if $f'$ is 0 at some place, the inverse has a vertical
# tangent there, and no derivative. Here is the cube root at $y = 0$:

# %%
for h in (1e-3, 1e-6, 1e-9):
    print(f'h = {h:.0e}   quotient of the cube root at 0: {h ** (1 / 3) / h:.0f}')

# %% [markdown] task="2.4.10" kind="code" minutes=3 difficulty=3 needs="derivative of an inverse, chain rule"
# ### The slope of an inverse
#
# Write `inverse_slope(df, g, y)`: the derivative at the number `y` of the function `g`, which is the inverse of a
# function $f$. `df` is $f'$. Use `df` and `g`; the slope of $f$ is not 0 where you need it.
#
# **You are done when**
# - **reciprocal**: the slope of $f$, which `df` tells, is turned over; nothing is measured;
# - **place**: it is taken at the right place.

# %% exercise="2.4.10"
def inverse_slope(df, g, y):
    """The derivative of g, the inverse of f, at y, from the function f'."""
    ### BEGIN SOLUTION
    return 1 / df(g(y))
    ### END SOLUTION

# %% [markdown] hints="2.4.10"
# 1. What is the derivative of $f(g(y))$ by the chain rule? It equals the derivative of $y$.
# 2. `df` wants an argument of $f$, an $x$. You have a $y$. Which $x$ belongs to it?
# 3. In the picture: $f = e^x$ and $y = 2$ belong to $x = \log 2$, where the slope of $f$ is 2.

# %% check="2.4.10" points=1
from numbers import Number

@probe
def slope_of_the_cube_root(y):
    return inverse_slope(lambda x: 3 * x ** 2, lambda y: y ** (1 / 3), y)

@probe
def how_often_df_is_called(slope, y):
    called = []
    inverse_slope(lambda x: called.append(x) or slope, lambda y: (y - 1) / slope, y)
    return len(called)

@probe
def slope_of_the_inverse_of_a_line(slope, y):
    return inverse_slope(lambda x: slope, lambda y: (y - 1) / slope, y)

at_27 = slope_of_the_cube_root(27.0)
assert_type(at_27, (Number, torch.Tensor), "f(x) = x³, y = 27", of="reciprocal")
assert_true(abs(at_27 - 1 / 18) > 1e-6, "f(x) = x³, y = 27: the slope of f, which `df` tells, is turned over", of="reciprocal",
            hint="Yours is 1 / 18, and 18 is the slope of `df`, 6x at x = 3. `df` is the slope of f already: nothing is measured.")
found = slope_of_the_inverse_of_a_line(4.0, 25.0)
assert_type(found, (Number, torch.Tensor), "f(x) = 4x + 1, y = 25", of="reciprocal")
elsewhere, steeper = slope_of_the_inverse_of_a_line(4.0, 13.0), slope_of_the_inverse_of_a_line(8.0, 25.0)
which_part = (f"The inverse of a straight line has one slope everywhere; but yours is {float(elsewhere):.4g} at y = 13: it must not depend on y."
              if abs(elsewhere - found) > 1e-6 else "" if abs(found) < 1e-9 else
              f"Where f has the slope 8, yours is {float(steeper / found):.3g} times as large: it must be half as large, 1 / 8." if abs(steeper / found - 0.5) > 1e-6 else
              f"Where f has twice the slope, yours is half as large, as it should; but it is {float(found * 4):.4g} times 1/4.")


def of_a_cube():
    """What the slope of f, or 1, becomes where f is no straight line: x³ at y = 8, where x is 2."""
    cube = float(slope_of_the_cube_root(8.0))
    if abs(found - 4) < 1e-6:
        return ("This is the slope of f, and for x³ at y = 8 it is that at 1 / g(y), 3 / 4: it is the slope that is turned over, not its place."
                if abs(cube - 0.75) < 1e-6 else "This is the slope of f: the inverse exchanges rise and run.")
    if abs(found - 1) < 1e-6:
        return ("Yours is 1 for x³ at y = 8, too. By the chain rule the slope of f at g(y) times the slope of g at y is always 1: asked for is the "
                "second factor alone." if abs(cube - 1) < 1e-6 else "Over the bar stands 1, not another slope of f." if abs(cube - 16) < 1e-6 else "")
    return ""


assert_close(found, 0.25, "f(x) = 4x + 1, y = 25", of="reciprocal", rtol=1e-5,
             hint=lambda: of_a_cube() or f"f rises by 4 on a way of 1; so g rises by 1 on a way of 4. {which_part}".strip(),
             mistakes={"This is the slope of 1 / f, -f' / f²; the inverse of f is another function.": -4 / 625,
                       "Under the bar stands the slope of f alone; here g(y) = 6 is a factor, too.": 1 / 24,
                       "The slopes are reciprocal, not opposite.": -4.0,
                       "The slope is turned over, and keeps its sign.": -0.25, "`//` cuts the fraction off: divide with `/`.": 0.0,
                       "The slope is turned over once, not squared.": 1 / 16,
                       "Over the bar stands 1, not g(y).": 1.5,
                       "This is g(4): g is applied to y, not to the slope of f.": 0.75,
                       "g is not applied to the slope: 1 is divided by the slope of f.": (1 / 4 - 1) / 4,
                       "Over the bar stands 1, not y.": 6.25,
                       "This is 1 / g(y): under the bar belongs the slope of f at g(y).": 1 / 6,
                       "This is 1 / g(4): g is applied to y, not to the slope of f.": 4 / 3,
                       "The slope is turned over once, not squared, and keeps its sign: g is not 1 / f.": -1 / 16})
assert_true(how_often_df_is_called(4.0, 25.0) > 0, "`df` is called, for f(x) = 4x + 1, y = 25", of="reciprocal",
            hint="The slope of g is computed from the slope of f; a difference quotient of g is only nearly right.")
assert_close(slope_of_the_inverse_of_a_line(-2.0, 3.0), -0.5, "f(x) = -2x + 1, y = 3", of="reciprocal", rtol=1e-5,
             hint="The inverse of a function that falls falls, too.")
at_eight = slope_of_the_cube_root(8.0)
assert_close(at_eight, 1 / 12, "f(x) = x³, y = 8: x = 2, where f has the slope 12", of="place", rtol=1e-5,
             hint="The slope of f is taken at g(8) = 2: it is 12 there."
             + (f" Yours is 1 over the slope of f at {(1 / (3 * at_eight)) ** 0.5:.4g}." if at_eight > 0 else ""),
             mistakes={"The slope of f is taken at y: it belongs at the x with f(x) = y.": 1 / 192, "This is the slope of f: turn it over.": 12.0,
                       "g is applied twice: the x is g(y).": 1 / (3 * 2 ** (2 / 3))})
### BEGIN HIDDEN TESTS
@probe
def slope_of_the_logarithm(y):
    import math
    return inverse_slope(math.exp, math.log, y)

for slope_f, y in ((-4.0, 2.0), (0.5, 0.0)):
    assert_close(slope_of_the_inverse_of_a_line(slope_f, y), 1 / slope_f, f"a line of slope {slope_f}, y = {y}", of="reciprocal", rtol=1e-5,
                 hint="The slope of f, turned over, with its sign.")
assert_true(how_often_df_is_called(-0.5, 2.0) > 0, "`df` is called, for a line of slope -0.5, y = 2", of="reciprocal",
            hint="The slope of g is computed from the slope of f; it is not measured.")
for y in (0.5, 3.0, 7.0):
    assert_close(slope_of_the_logarithm(y), 1 / y, f"f = exp, y = {y}", of="place", rtol=1e-5, hint="The slope of f is taken at x = g(y), with its sign.")
    assert_close(slope_of_the_cube_root(y), y ** (-2 / 3) / 3, f"f(x) = x³, y = {y}", of="place", rtol=1e-5, hint="The slope of f is taken at x = g(y).")
### END HIDDEN TESTS

# %% [markdown]
# ## Summary
#
# - The derivative is the limit of difference quotients: the slope, and the factor in
#   $f(x + h) \approx f(x) + f'(x) h$, whose graph is the tangent line.
# - Measured on a computer, a slope has two errors: that of the step, which shrinks with $h$, and that of rounding,
#   which grows. The central quotient is the better one.
# - Sum, product, quotient and chain rule give the slopes of everything that is built from a few known functions.
#   Along a way slopes multiply, over several ways they add up.
# - The gradient holds one partial derivative for each input. It points to the steepest ascent; a smooth minimum has
#   the gradient zero, but not every place with gradient zero is a minimum.
# - At corners there is no derivative. A subgradient takes its place, if the program is written so that it finds one.
#
# Section 2.5 lets torch apply these rules. Section 3.1 sets a gradient to zero and solves for the minimum, and 3.4
# walks down along $-\nabla f$.
