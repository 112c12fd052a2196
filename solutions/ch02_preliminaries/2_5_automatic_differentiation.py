# %% [markdown]
# # 2.5 Automatic differentiation
#
# Training asks one question again and again: which way must each weight move so that the loss falls? The
# gradient answers it. Section 2.4 took gradients by hand. A network has thousands of weights, or billions, and
# its loss is a program of many lines; nobody differentiates that by hand.
#
# PyTorch watches while ordinary Python code computes the loss, writes down every operation, and then applies
# the chain rule to what it wrote. This is *automatic differentiation*, *autograd* for short. At the end of this
# section you can ask for the gradient of any program, you know the four mistakes that everybody makes with it,
# and you can do by hand what it does.

# %% tags=["setup"]
from d2l_utils.check import *
import math
import matplotlib.pyplot as plt
import torch
import d2l_utils as d2l

# %% [markdown] teaches="requires_grad, backward, grad of a tensor"
# ## A gradient in four lines
#
# Take $y = x_0^2 x_1 + x_1$. By hand the gradient is $(2 x_0 x_1,\; x_0^2 + 1)$, and at $(3, 2)$ that is
# $(12, 10)$. Now without a hand:
#
# 1. Mark the input: `requires_grad=True` says "I shall ask for derivatives with respect to this".
# 2. Compute as always.
# 3. Call `backward()` on the result, which must be a single number.
# 4. Read the gradient in the input's `.grad`. It has the input's shape: one entry for each entry of `x`.

# %%
x = torch.tensor([3., 2.], requires_grad=True)
y = x[0] ** 2 * x[1] + x[1]
y.backward()
print(y, x.grad)

# %% [markdown]
# This is no approximation. The difference quotient of section 2.4 is one, and it has to evaluate the function
# again for each entry of `x`, a million times for a million weights. `backward()` finds all entries at once,
# exactly up to rounding, and takes about as long as a few evaluations of the function.

# %%
def f(x):
    return x[0] ** 2 * x[1] + x[1]


point = torch.tensor([3., 2.])
for step in (torch.tensor([1e-3, 0.]), torch.tensor([0., 1e-3])):
    print('difference quotient:', ((f(point + step) - f(point)) / 1e-3).item())

# %% tags=["demo"]
grid = torch.linspace(-3, 3, 200)
figure, ax = plt.subplots(figsize=(5, 3), layout='constrained')
ax.plot(grid, grid.sin() + 0.2 * grid ** 2, label='sin(t) + 0.2 t²')
for start in (-2., -0.5, 1., 2.5):
    t = torch.tensor(start, requires_grad=True)
    value = t.sin() + 0.2 * t ** 2
    value.backward()
    near = torch.tensor([start - 0.6, start + 0.6])
    ax.plot(near, value.item() + t.grad.item() * (near - start), color='C1', lw=2)
    ax.annotate(f'{t.grad.item():.2f}', (start, value.item()), xytext=(-38, -8) if start == -2 else (6, -14), textcoords='offset points', color='#a34a00')
ax.set(xlabel='t')
ax.legend(loc='upper center')
plt.show()

# %% [markdown] teaches="leaf"
# Each orange line has the slope that `backward()` found at its middle, written beside it: it touches the curve.
#
# A tensor that you made and marked yourself is a *leaf*. Only leaves get a `.grad`. Only floating-point numbers
# can be marked. And inside a function, do not mark the caller's tensor, for it stays marked when the function
# is done. Make a leaf of your own: `detach()` gives the values without any history, `clone()` gives them memory
# of their own, `requires_grad_()` marks the result.

# %%
def gradient_of_squares(x):
    leaf = x.detach().clone().requires_grad_()
    (leaf ** 2).sum().backward()
    return leaf.grad


point = torch.tensor([1., -2., 5.])
print(gradient_of_squares(point), point.requires_grad, point.grad)

# %% [markdown] task="2.5.A" kind="code" minutes=3 difficulty=1 core=true needs="requires_grad, backward, grad of a tensor, leaf, gradient"
# ### Your first gradient
#
# Write `first_gradient(x)`: the gradient of
#
# $$y = \sum_i x_i^3 - 2 x_0$$
#
# at `x`, a floating-point vector with at least one entry.
#
# **You are done when**
# - **values**: each entry of the result is the partial derivative for that entry of `x`;
# - **argument kept**: `x` has afterwards its old values, no `requires_grad` and no `.grad`.

# %% exercise="2.5.A"
def first_gradient(x):
    """The gradient of sum(x_i³) - 2 x_0 at the vector x."""
    ### BEGIN SOLUTION
    leaf = x.detach().clone().requires_grad_()
    y = (leaf ** 3).sum() - 2 * leaf[0]
    y.backward()
    return leaf.grad
    ### END SOLUTION

# %% [markdown] hints="2.5.A"
# 1. Which four lines gave the first gradient above, and on what did they work?
# 2. Work on `leaf`, not on `x`, in every line, and return what `backward()` left in the leaf.
# 3. Another case: for y = x₀ · x₁ it is `y = leaf[0] * leaf[1]`, and the gradient at (2, 5) is (5, 2).

# %% check="2.5.A" points=1
assert_type(first_gradient(torch.tensor([1., 2., -1.])), torch.Tensor, "the gradient at (1, 2, -1) of y, a single number",
            of="values",
            hint="The gradient is one tensor; torch.autograd.grad gives a tuple, with the gradient in it.")
assert_shape(first_gradient(torch.tensor([1., 2., -1.])), (3,), "the shape of the gradient at (1, 2, -1)", of="values",
             hint="The gradient is one tensor with an entry for each entry of x; a single number is y itself, or a sum.")

def which_part():      # at (0, 0, 0) the cubes have the slope 0: what is there comes from -2 x₀
    found, flat = first_gradient(torch.tensor([1., 2., -1.])), first_gradient(torch.zeros(3))
    if torch.allclose(flat, torch.tensor([-2., 0., 0.])):
        i = next(i for i in range(3) if abs(found[i].item() - (1., 12., 3.)[i]) > 1e-4)
        sum_of_i = ("3 · 1² - 2 = 1", "3 · 2² = 12", "3 · (-1)² = 3")[i]
        return (f"-2 x₀ is right: it is the cubes that are not. The cube of t has the derivative 3t²: entry {i} is {sum_of_i}, "
                f"yours is {found[i].item():.4g}.")
    if torch.allclose(found - flat, torch.tensor([3., 12., 3.])):
        return (f"The cubes are right: it is -2 x₀ that is not. At (0, 0, 0), where the cubes have the slope 0, the gradient "
                f"is [-2, 0, 0]; yours is {[round(t, 4) for t in flat.tolist()]}.")
    if torch.allclose(found[1:], torch.tensor([12., 3.])):
        return ("The first entry alone is wrong: there the cube gives 3 · 1² = 3, and -2 x₀, whose derivative is -2 wherever "
                f"x₀ is, takes 2 away; yours is {found[0].item():.4g}.")
    return ("y is the sum of the cubes of all entries, less 2 x₀: the cube of t has the derivative 3t², and autograd "
            "finds it exactly up to rounding.")

assert_close(first_gradient(torch.tensor([1., 2., -1.])), torch.tensor([1., 12., 3.]), "the gradient at (1, 2, -1)", of="values",
             hint=lambda: which_part(),
             mistakes={"No derivative of -2 x₀ came back: it belongs to y, with x₀ an entry of the leaf, not a plain number.":
                       torch.tensor([3., 12., 3.]),
                       "The cube of the first entry is missing: the sum begins with x₀³.": torch.tensor([-2., 12., 3.]),
                       "The cube of the last entry is missing.": torch.tensor([1., 12., 0.]),
                       "-2 x₀ concerns the first entry only.": torch.tensor([1., 10., 1.]),
                       "-2 x₀ stands outside the sum: it counts once, not once for each entry.": torch.tensor([-3., 12., 3.]),
                       "3x² is a derivative already; this differentiates it once more.": torch.tensor([4., 12., -6.]),
                       "2 x₀ is subtracted, not added.": torch.tensor([5., 12., 3.]), "x₀ is the first entry, not the last one.": torch.tensor([3., 12., 1.]),
                       "This is the gradient of the mean of the cubes; their sum is asked for.": torch.tensor([-1., 4., 1.]),
                       "This is the gradient for squares; the entries are cubed.": torch.tensor([0., 4., -2.]),
                       "The cubes are added; here the sum is cubed.": torch.tensor([10., 12., 12.]),
                       "The cubes count twice here.": torch.tensor([4., 24., 6.]),
                       "This is the gradient for |t|³: the slope of t³ is 3t², which is not negative where t is.":
                       torch.tensor([1., 12., -3.])})
assert_shape(first_gradient(torch.tensor([2.])), (1,), "the shape of the gradient at (2), a vector with one entry", of="values",
             hint="x may have any number of entries, and the gradient has as many.")
assert_shape(first_gradient(torch.tensor([0., 1., 2., 3.])), (4,),
             "the shape of the gradient at (0, 1, 2, 3), a vector with four entries", of="values",
             hint="x may have any number of entries, and the gradient has as many.")
assert_close(first_gradient(torch.tensor([2.])), torch.tensor([10.]), "the gradient at (2), a vector with one entry", of="values",
             hint="Here y is x₀³ - 2 x₀, and its derivative 3 x₀² - 2.",
             mistakes={"The derivative of -2 x₀ is -2, whatever x₀ is.": torch.tensor([8.])})
assert_close(first_gradient(torch.tensor([0., 1., 2., 3.])), torch.tensor([-2., 3., 12., 27.]),
             "the gradient at (0, 1, 2, 3), a vector with four entries", of="values",
             hint="3t² for each entry, of which there may be any number; -2 comes on top for the first.")

@probe
def caller_after_gradient(values):
    t = values.clone()
    first_gradient(t)
    return t.detach(), int(t.requires_grad), 0 if t.grad is None else t.grad.numel()

def has_kept(reply, values, where):
    assert_close(reply[0], values, f"the values of {where}", of="argument kept",
                 hint="Something has written into the memory of x, in place: clone() gives memory of its own.")
    assert_equal(reply[1], 0, f"requires_grad of {where} (0 is False, 1 is True)", of="argument kept", hint="Mark a leaf of your own, not the caller's tensor.")
    assert_equal(reply[2], 0, f"the number of entries in .grad of {where}", of="argument kept",
                 hint="backward() on a leaf of your own leaves .grad of x alone.")

has_kept(caller_after_gradient(torch.tensor([1., 2., -1.])), torch.tensor([1., 2., -1.]), "x after the call")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2501)
for n in (5, 1):
    place = torch.randn(n, generator=rng, dtype=torch.float64)
    wanted = 3 * place ** 2
    wanted[0] -= 2
    assert_close(first_gradient(place), wanted, f"the gradient at a random vector of length {n}", of="values", rtol=1e-3, atol=1e-4)
has_kept(caller_after_gradient(place.clone()), place, "x of length 1 after the call")
assert_close(caller_after_gradient(place.clone())[0], place, "x of length 1 after the call", of="argument kept")
### END HIDDEN TESTS

# %% [markdown] teaches="gradient descent, no_grad, accumulation of gradients"
# ## Downhill, and the first mistake
#
# What are gradients for? The gradient points uphill (2.4). So a small step against it makes the loss smaller.
# Again and again: that is *gradient descent*, and it is how every network of this book learns. A step is
#
# $$\mathbf{w} \leftarrow \mathbf{w} - \eta \, \nabla \text{loss}(\mathbf{w}),$$
#
# where the *learning rate* η says how far to go. The step itself is no part of the loss, and autograd must not
# write it down: inside `with torch.no_grad():` nothing is recorded. Without that, torch refuses to change a
# marked leaf in place.

# %% tags=["demo"]
w = torch.tensor(5., requires_grad=True)
((w - 1) ** 2).backward()
try:
    w -= 0.1 * w.grad
except RuntimeError as error:
    print('RuntimeError:', error)

# %% [markdown]
# Written as `w = w - 0.1 * w.grad`, the step raises nothing and goes wrong later. The right-hand side makes a
# new tensor, and from now on the name `w` stands for it: a result, no leaf. The next `backward()` leaves no
# `.grad` with it.

# %% tags=["demo"]
w = torch.tensor(5., requires_grad=True)
((w - 1) ** 2).backward()
print('before the step: a leaf?', w.is_leaf)
w = w - 0.1 * w.grad
print('after it:        a leaf?', w.is_leaf, ' made by', type(w.grad_fn).__name__)

# %% [markdown]
# So the step is made in place, with `-=`, where nothing is recorded.
#
# The loss $(w - 1)^2$ has its minimum at 1. Five steps from 5 should come nearer each time:

# %%
w = torch.tensor(5., requires_grad=True)
for step in range(5):
    loss = (w - 1) ** 2
    loss.backward()
    with torch.no_grad():
        w -= 0.3 * w.grad
    print(f'step {step}: loss {loss.item():.2f}, gradient in .grad {w.grad.item():6.2f}, w is now {w.item():.2f}')

# %% [markdown]
# They do not. Look at the second step: at w = 2.6 the slope is $2(w - 1) = 3.2$, and `.grad` says 11.2, which
# is 8 + 3.2. **`backward()` adds to what is in `.grad`.** It is meant so: one can collect the gradients of
# several pieces of data before a step. But between steps the old gradient has to go. `w.grad = None` lets go of
# it (the next `backward()` makes a new one), `w.grad.zero_()` overwrites it with zeros. This is the first of
# the four mistakes.

# %% tags=["demo"]
figure, ax = plt.subplots(figsize=(5, 2.8), layout='constrained')
for clears in (True, False):
    w, way = torch.tensor(5., requires_grad=True), []
    for step in range(25):
        way.append(w.item())
        ((w - 1) ** 2).backward()
        with torch.no_grad():
            w -= 0.3 * w.grad
        if clears:
            w.grad = None
    ax.plot(way, '.-', label='cleared in each step' if clears else 'never cleared')
ax.axhline(1, color='gray', lw=1)
ax.set(xlabel='step', ylabel='w')
figure.legend(loc='outside upper center', ncols=2)
plt.show()

# %% [markdown]
# Cleared, `w` is at the minimum after a few steps. Never cleared, the sum of all gradients drives it back and
# forth.
#
# `zero_()` overwrites the tensor, so every other name for this tensor sees the zeros, too; `w.grad = None` does
# not touch it. And `torch.autograd.grad(y, x)` returns the gradient, as a tuple with one entry for each input,
# and leaves `.grad` alone.

# %%
u = torch.tensor(2., requires_grad=True)
(u ** 2).backward()
kept = u.grad                   # another name for the same tensor
u.grad.zero_()
print('kept:', kept)
print('torch.autograd.grad:', torch.autograd.grad(u ** 2, u), 'and .grad is still', u.grad)

# %% [markdown] task="2.5.B" kind="code" minutes=4 difficulty=2 core=true needs="gradient descent, no_grad, accumulation of gradients, leaf"
# ### Walk downhill
#
# Write `descend(f, x, lr, steps)`: `f` takes a floating-point tensor to a single number (a tensor of shape
# `()`). Start at `x` and make `steps` steps of gradient descent with the learning rate `lr`. Return where you
# are then.
#
# **You are done when**
# - **values**: each step goes against the gradient at the place where it starts;
# - **steps**: there are `steps` of them, whether the loss falls or rises or hardly changes; 0 steps give the start;
# - **no graph**: the result does not require a gradient;
# - **argument kept**: `x` has afterwards its old values, no `requires_grad` and no `.grad`.

# %% exercise="2.5.B"
def descend(f, x, lr, steps):
    """The place after `steps` steps of gradient descent on f from x."""
    ### BEGIN SOLUTION
    w = x.detach().clone()
    for _ in range(steps):
        w.requires_grad_()
        gradient, = torch.autograd.grad(f(w), w)
        w = (w - lr * gradient).detach()
    return w
    ### END SOLUTION

# %% [markdown] hints="2.5.B"
# 1. What has to happen between two steps, so that the second uses its own gradient only?
# 2. Make a leaf of your own at the start. Step inside `with torch.no_grad():`. At the end `detach()` gives the
#    values without the mark.
# 3. Another case: one step from 4 for t² with lr = 0.1: the slope is 8, so it ends at 3.2; the next has the
#    slope 6.4.

# %% check="2.5.B" points=2
@probe
def after_descent(values, lr, steps):
    t = values.clone()
    try:
        result = descend(lambda w: ((w - 1) ** 2).sum(), t, lr, steps)
    except (AttributeError, TypeError) as error:
        if "NoneType" in str(error):
            text = ("something is None here, as .grad is until the first backward()" if isinstance(error, AttributeError) else
                    "something is None here, as the .grad of a tensor that is no leaf, such as w after `w = w - lr * w.grad`")
            raise type(error)(text).with_traceback(error.__traceback__) from None
        raise
    except RuntimeError as error:
        text = ("this tensor has no graph: its way begins at no marked leaf; after detach() the mark has to be set again"
                if "does not require grad" in str(error) else
                "a marked leaf can be changed in place only under torch.no_grad()" if "in-place" in str(error) else "")
        if text:
            raise RuntimeError(text).with_traceback(error.__traceback__) from None
        raise
    return result, int(getattr(result, "requires_grad", 0)), t.detach(), int(t.requires_grad), 0 if t.grad is None else t.grad.numel()

@probe
def after_quartic(values, lr, steps):
    return descend(lambda w: (w ** 4).sum() / 4, values.clone(), lr, steps)

@probe
def after_flat(values, factor, lr, steps):
    return descend(lambda w: factor * (w ** 2).sum() / 2, values.clone(), lr, steps)

begin = torch.tensor([5., 1.])

def which_factor():      # the first step: is lr a factor, is the gradient one?
    def step(lr):
        return (after_descent(begin, lr, 1)[0] - begin)[0].item()

    def step_where(factor):
        return (after_flat(begin, factor, 0.25, 1) - begin)[0].item()

    if abs(step(0.5) - 2 * step(0.25)) > 1e-4:
        return (f"With lr = 0.5 the step is to be twice as long as with lr = 0.25, and yours changes x₀ by {step(0.5):.4g} and "
                f"{step(0.25):.4g}: the step is lr times the gradient.")
    if abs(step_where(2.) - 2 * step_where(1.)) > 1e-4:
        return (f"Where the loss is twice as large, so is its gradient, and the step twice as long; on sum(w²) / 2 and on "
                f"sum(w²) yours changes x₀ by {step_where(1.):.4g} and {step_where(2.):.4g}: the step is lr times the gradient.")
    if abs(step(0.25) + 2) < 1e-4:
        return "x₀ is right. x₁ is to stay 1: its entry of the gradient is 0 there."
    return (f"The gradient at (5, 1) is (8, 0), and lr times it (2, 0), to be subtracted; yours changes x₀ by {step(0.25):.4g}, "
            "not by -2.")

def second_step():
    there = after_descent(begin, 0.25, 2)[0][0].item()
    if abs(there - 2) < 1e-4:
        return "x₀ is right. x₁ is to stay 1: its entry of the gradient is 0 there."
    return ("The first step is right; it ends at (3, 1). The gradient there is (4, 0), and 0.25 times it (1, 0), to be "
            f"subtracted; yours goes on from 3 to {there:.4g}, as if the gradient were {4 * (3 - there):.4g} "
            f"or lr {(3 - there) / 4:.4g}.")

assert_type(after_descent(begin, 0.25, 1)[0], torch.Tensor, "the place after one step from (5, 1)", of="values",
            hint="One place is asked for, that at the end, as a tensor.")
assert_shape(after_descent(begin, 0.25, 1)[0], (2,), "the shape of the place after one step from (5, 1)", of="values",
             hint="A place has the shape of x; the loss there is a single number.")
assert_close(after_descent(begin, 0.25, 1)[0], torch.tensor([3., 1.]), "one step from (5, 1) on sum((w - 1)²) with lr = 0.25", of="values",
             hint=lambda: which_factor(),
             mistakes={"This went uphill: subtract the gradient.": torch.tensor([7., 1.]), "The learning rate is missing.": torch.tensor([-3., 1.]),
                       "There was one step too many.": torch.tensor([2., 1.]), "There was no step.": torch.tensor([5., 1.]),
                       "The step is lr times the loss, 16, not lr times its gradient.": torch.tensor([1., -3.]),
                       "This is half the step: the gradient is used as it is, and divided by nothing.": torch.tensor([4., 1.]),
                       "The step has the length lr: the gradient's own size, 8 here, counts, too.": torch.tensor([4.75, 1.])})
assert_close(after_descent(begin, 0.25, 2)[0], torch.tensor([2., 1.]), "two steps from (5, 1)", of="values",
             hint=lambda: second_step(),
             mistakes={"The gradient of the first step is still in .grad in the second.": torch.tensor([0., 1.]),
                       "The second step used the gradient at the start once more.": torch.tensor([1., 1.]),
                       "There was one step only.": torch.tensor([3., 1.]),
                       "Each step has the learning rate lr; it is not divided among the steps.": torch.tensor([3.25, 1.]),
                       "0.9 times the first step is contained in the second; each step uses its own gradient only.": torch.tensor([0.2, 1.]),
                       "The learning rate is the same in every step; here it falls.": torch.tensor([2.5, 1.])})
assert_close(after_descent(torch.tensor([46., -39.]), 0.1, 1)[0], torch.tensor([37., -31.]), "one step from (46, -39) with lr = 0.1", of="values",
             hint="The gradient there is (90, -80); the step goes 0.1 times that: a large gradient is not cut.",
             mistakes={"The step has the gradient's sign only; its size counts, too.": torch.tensor([45.9, -38.9])})
assert_close(after_descent(begin, 1.25, 2)[0], torch.tensor([10., 1.]),
             "two steps from (5, 1) with lr = 1.25, which is so long that the loss rises", of="steps",
             hint="The first step ends at (-5, 1), the second at (10, 1).",
             mistakes={"This is the start. Both steps are made, though the loss rises from 16 to 36 and 81.": begin,
                       "There was one step only.": torch.tensor([-5., 1.])})
assert_close(after_flat(torch.tensor([4., 0.]), 2. ** -24, 2. ** 22, 3), torch.tensor([1.6875, 0.]),
             "three steps from (4, 0) on 2⁻²⁵ · sum(w²), which is nearly flat, with lr = 2²²", of="steps",
             hint="Each step makes w a quarter smaller: 3, 2.25, 1.6875.",
             mistakes={"This is the start. All steps are made, however small the gradient or the loss is.":
                       torch.tensor([4., 0.])})
assert_close(after_flat(torch.tensor([2. ** -20]), 1., 0.25, 2), torch.tensor([0.5625 * 2. ** -20]),
             "two steps from 2⁻²⁰ on sum(w²) / 2, so near the minimum at 0, with lr = 0.25", of="steps", rtol=1e-4, atol=0.,
             hint="Each step makes w a quarter smaller, near the minimum, too.",
             mistakes={"This is the start. All steps are made, however short they are.": torch.tensor([2. ** -20])})
assert_close(after_descent(begin, 0.25, 0)[0], begin, "no step from (5, 1)", of="steps", mistakes={"With `steps` = 0 there is no step at all.": torch.tensor([3., 1.])})
assert_equal(after_descent(begin, 0.25, 2)[1], 0, "requires_grad of the result (0 is False, 1 is True)", of="no graph",
             hint="The result is a marked leaf, or has a history: detach() gives the values alone.")

def start_kept(reply, values, where):
    assert_close(reply[2], values, f"the values of {where}", of="argument kept",
                 hint="A step in place has written into the memory of x. clone() gives memory of its own; detach() alone shares that of x.")
    assert_equal(reply[3], 0, f"requires_grad of {where} (0 is False, 1 is True)", of="argument kept", hint="Work on a leaf of your own.")
    assert_equal(reply[4], 0, f"the number of entries in .grad of {where}", of="argument kept",
                 hint="Call backward() on a leaf of your own.")

start_kept(after_descent(begin, 0.25, 2), begin, "x after two steps")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2502)
begin = torch.randn(2, 3, generator=rng, dtype=torch.float64)
wanted = begin.clone()
for steps in range(1, 8):
    wanted = wanted - 0.1 * wanted ** 3
    if steps in (1, 3):
        assert_close(after_quartic(begin, 0.1, steps), wanted, f"{steps} steps on sum(w⁴) / 4 from a random matrix", of="values", rtol=1e-4, atol=1e-5)
assert_close(after_quartic(begin, 0.1, 7), wanted, "7 steps on sum(w⁴) / 4 from a random matrix", of="steps", rtol=1e-4, atol=1e-5)
assert_close(after_quartic(begin, 0.1, 0), begin, "no step from a random matrix", of="steps")
assert_close(after_descent(90 * begin, 0.05, 2)[0], 1 + 0.81 * (90 * begin - 1), "two steps on sum((w - 1)²) from a matrix of large numbers", of="values")
assert_close(after_descent(begin, 1.2, 3)[0], 1 - 2.744 * (begin - 1), "three steps with lr = 1.2, in which the loss rises",
             of="steps")
assert_close(after_flat(begin, 2. ** -20, 2. ** 17, 4), 0.875 ** 4 * begin,
             "four steps where the loss is nearly flat, with a large lr", of="steps")
assert_close(after_flat(2. ** -30 * begin, 1., 0.125, 4), 0.875 ** 4 * 2. ** -30 * begin, "four steps from very near the minimum",
             of="steps", rtol=1e-5, atol=0.)
reply = after_descent(begin, 0.1, 3)
assert_equal(reply[1], 0, "requires_grad of the result after three steps (0 is False, 1 is True)", of="no graph")
assert_equal(after_descent(begin, 0.1, 0)[1], 0, "requires_grad of the result after no step (0 is False, 1 is True)", of="no graph")
start_kept(reply, begin, "a random matrix after three steps")
assert_equal(after_descent(begin, 0.1, 0)[3], 0, "requires_grad of x after no step (0 is False, 1 is True)", of="argument kept")
### END HIDDEN TESTS

# %% [markdown] task="2.5.10" kind="code" minutes=6 difficulty=2 needs="accumulation of gradients"
# ### Several gradients of one leaf
#
# Write `gradients(functions, x)`. `functions` is a list of functions from a tensor to a single number, `x` a
# leaf with `requires_grad=True`. Return the list of their gradients at `x`, in this order. What `.grad` of `x`
# holds afterwards does not matter.
#
# **You are done when**
# - **values**: each entry is the gradient of its own function, in the shape of `x`;
# - **separate**: no two entries of the list are the same tensor, even where two gradients are equal or a function
#   stands in the list twice;
# - **fresh start**: what `.grad` of `x` held before does not matter, nor whether it held anything.

# %% exercise="2.5.10"
def gradients(functions, x):
    """The gradient at x of each function, as a list of separate tensors of the shape of x."""
    ### BEGIN SOLUTION
    found = []
    for f in functions:
        x.grad = None
        f(x).backward()
        found.append(x.grad)
    return found
    ### END SOLUTION

# %% [markdown] hints="2.5.10"
# 1. What does `.grad` hold before the first call of `backward()`, if the caller has used `x` before?
# 2. Either let go of the old tensor with `x.grad = None`, or copy with `x.grad.clone()` before you overwrite it
#    with zeros.
# 3. Another case: `row = [0]; for i in range(3): row[0] = i; rows.append(row)` collects three times the last
#    row: all entries are one list. `rows.append(row.copy())` mends it.

# %% check="2.5.10" points=2
@probe
def collected(values, before, which):
    leaf = values.clone().requires_grad_()
    if before.numel():
        leaf.grad = before.clone()
    fs = [lambda t: (t * t).sum(), torch.sum, lambda t: (t ** 3).sum(), lambda t: t.prod()]
    result = gradients([fs[i] for i in which], leaf)
    if not isinstance(result, (list, tuple)):
        raise TypeError(f"gradients returns a {type(result).__name__}; a list is asked for")
    for g in result:
        if g is None:
            raise TypeError("the list holds None, as the .grad of a tensor that no backward pass has reached")
        if not torch.is_tensor(g):
            raise TypeError(f"the list holds a {type(g).__name__}; tensors are asked for (torch.autograd.grad gives a tuple, with the gradient in it)")
    return result, len({g.data_ptr() for g in result})

nothing, names_of_three = torch.zeros(0), ("(x * x).sum()", "x.sum()", "(x ** 3).sum()")
wanted = [torch.tensor([2., 4.]), torch.ones(2), torch.tensor([3., 12.])]
one_for_all = {"One gradient has come back for three functions; each has its own.": 1}
assert_equal(len(collected(torch.tensor([1., 2.]), torch.tensor([7., 7.]), [0, 1, 2])[0]), 3,
             "the number of gradients for three functions", of="values", mistakes=one_for_all)
assert_equal(len(collected(torch.tensor([1., 2.]), nothing, [0, 1, 2])[0]), 3,
             "the number of gradients for three functions at a new leaf, whose .grad is None", of="fresh start",
             mistakes=one_for_all)
replies = collected(torch.tensor([1., 2.]), nothing, [0, 1, 2])

def what_it_holds():      # one tensor in all places: what is in it?
    several, there = "In your list one tensor stands several times", replies[0][0]
    if replies[1] == 1 and torch.equal(there, sum(wanted)):
        return (f"{several}, and it holds the sum of the three gradients: `backward()` adds to .grad, and one pass for "
                "several functions adds, too. Each function needs a gradient, and a tensor, of its own.")
    if replies[1] == 1 and torch.equal(there, wanted[2]):
        return (f"{several}, and it holds the gradient of the last function: `.grad` stays the same tensor as long as you do "
                "not let go of it, and each backward pass writes into it.")
    if replies[1] == 1 and torch.equal(there, torch.zeros(2)):
        return f"{several}, and it holds zeros: `.grad` stays the same tensor, and `zero_()` clears it in your list, too."
    return f"{several}; `.grad`, for one, stays the same tensor as long as you do not let go of it."

assert_equal(replies[1], 3, "the number of different tensors among the gradients of three functions", of="separate",
             hint=lambda: what_it_holds())
for i, name in enumerate(names_of_three):
    assert_close(replies[0][i], wanted[i], f"the gradient of {name} at (1, 2), number {i} of three, counted from 0", of="values",
                 hint=f"Its gradient is {('2x, here (2, 4)', '1 for each entry, wherever x is', '3x², here (3, 12)')[i]}.",
                 mistakes={"The gradients before it are contained in it.": sum(wanted[:i + 1]),
                           "This is the value of the function; its gradient is asked for.": torch.tensor((5., 3., 9.)[i]),
                           "It is zero: .grad was cleared after you kept it, without a copy.": torch.zeros(2)}
                 | {f"This is the gradient of {other}: the order of the functions is kept.": wanted[j]
                    for j, other in enumerate(names_of_three) if j != i}
                 | ({"This is the sum of all three gradients: each function has its own.": sum(wanted)} if i < 2 else {}))
assert_shape(collected(torch.ones(2, 3), nothing, [0])[0][0], (2, 3), "the shape of a gradient at a 2 by 3 matrix", of="values",
             hint="A gradient has the shape of x, an entry for each entry of x, and is neither flattened nor summed.")
four, different = collected(torch.ones(2), nothing, [1, 3, 1, 0])
assert_equal(len(four), 4, "the number of gradients for x.sum(), x.prod(), x.sum(), (x * x).sum()", of="values",
             hint="Each place of the list has its gradient, though one function stands there twice and two gradients are equal.")
assert_equal(different, 4, "the number of different tensors for x.sum(), x.prod(), x.sum(), (x * x).sum() at (1, 1)", of="separate",
             hint="Gradients that are equal are still tensors of their own: who changes one must not change the other.")
by_rule = ("1 for each entry", "for each entry the product of the others, 1 here", "1 for each entry", "2x, here (2, 2)")
for i, name in enumerate(("x.sum()", "x.prod()", "x.sum()", "(x * x).sum()")):
    assert_close(four[i], torch.full((2,), 2. if i == 3 else 1.),
                 f"the gradient of {name} at (1, 1), number {i} of four, counted from 0", of="values",
                 hint=f"Its gradient is {by_rule[i]}.")
assert_close(collected(torch.tensor([1., 2.]), torch.tensor([7., 7.]), [0])[0][0], wanted[0], "the gradient of (x * x).sum() at (1, 2), with a .grad of 7 before",
             of="fresh start", mistakes={"What .grad held before is contained in it.": wanted[0] + 7})
### BEGIN HIDDEN TESTS
at = torch.tensor([[0.5, -1., 2.], [3., 4., -2.]])
truth = [2 * at, torch.ones(2, 3), 3 * at ** 2, at.prod() / at]
found, different = collected(at, torch.full((2, 3), 9.), [3, 2, 0])
assert_equal(different, 3, "the number of different tensors among three gradients, with a .grad of 9 before", of="separate")
for i, which in enumerate((3, 2, 0)):
    assert_close(found[i], truth[which], f"gradient {i} of 3, counted from 0, at a matrix, with a .grad of 9 before",
                 of="fresh start" if i == 0 else "values",
                 mistakes={"What .grad held before is contained in it.": truth[which] + 9})
order = [2, 0, 2, 1, 3, 1]
found, different = collected(at, nothing, order)
assert_equal(len(found), 6, "the number of gradients for six functions, two of them twice", of="values")
assert_equal(different, 6, "the number of different tensors among six gradients, two of them twice", of="separate")
for i, which in enumerate(order):
    assert_close(found[i], truth[which], f"gradient {i} of 6, counted from 0, at a matrix", of="values")
### END HIDDEN TESTS

# %% [markdown] teaches="computational graph, grad_fn"
# ## What autograd writes down
#
# `backward()` can only know what to do because the way to the result was recorded. The result of an operation
# on marked tensors has a `grad_fn`: a *node* that remembers which operation made it. A node knows the nodes
# that made its inputs, `next_functions`, and how to hand a derivative on to them. Together the nodes are the
# *computational graph*. It ends in `AccumulateGrad` nodes, one for each leaf; these add to the leaf's `.grad`.

# %%
u = torch.tensor(2., requires_grad=True)
v = u.exp() * u
print(v.grad_fn.name())
for node, _ in v.grad_fn.next_functions:
    print('   made from', node.name())
print('the leaf:', u.grad_fn, '| where nothing is marked:', torch.tensor(2.).exp().grad_fn)

# %% tags=["demo"]
d2l.show_graph(v, params={'u': u})

# %% [markdown]
# An arrow points from the input of an operation to its output. The blue box is the leaf, the green one the
# result. There are two ways from `u` to the product: directly, and through `exp`. `backward()` starts at the
# green box and walks against the arrows. The derivatives that arrive over the two ways are added up *before*
# they reach the leaf, so that the node `AccumulateGrad` writes once in each `backward()`.
#
# A leaf has no `grad_fn`: nothing made it. An operation on tensors of which none is marked records nothing. And
# where only some inputs are marked, `next_functions` has `None` for the others:

# %%
c = torch.tensor([1., 2.])
print((c * u).grad_fn.next_functions)

# %% [markdown] task="2.5.C" kind="code" minutes=4 difficulty=2 core=true needs="computational graph, grad_fn"
# ### Walk back
#
# Write `way_back(y)`: the list of the names (`node.name()`) of the nodes that you meet when you start at the
# `grad_fn` of the tensor `y` and go on to the **first** input each time, as long as there is one.
#
# **You are done when**
# - **names**: the names of the nodes are right, in this order, that of `AccumulateGrad` at a leaf included;
# - **the end**: the walk ends without an error where the first input was not marked, too;
# - **no graph**: the list is empty for a tensor without a `grad_fn`.

# %% exercise="2.5.C"
def way_back(y):
    """The names of the nodes from y's grad_fn along first inputs: a list of strings."""
    ### BEGIN SOLUTION
    names, node = [], y.grad_fn
    while node is not None:
        names.append(node.name())
        node = node.next_functions[0][0] if node.next_functions else None
    return names
    ### END SOLUTION

# %% [markdown] hints="2.5.C"
# 1. When is the walk at its end? There are two ways in which a node can have no first input.
# 2. `node.next_functions` is a tuple of pairs; the node is the first of a pair. For `AccumulateGrad` the tuple
#    is empty. For an input that is not marked the pair begins with `None`.
# 3. Another case: to walk up a family tree from a dictionary `mother`:
#    `while person is not None: ...; person = mother[person]`.

# %% check="2.5.C" points=1
@probe
def way_from(text):
    w, c = torch.tensor([1., 2.], requires_grad=True), torch.tensor([3., 4.])
    y = {"w.exp().sum()": lambda: w.exp().sum(), "(w.sin() * w.exp()).sum()": lambda: (w.sin() * w.exp()).sum(),
         "(w * 2).exp().sum()": lambda: (w * 2).exp().sum(),
         "w.sin().exp().sin().sin().sum()": lambda: w.sin().exp().sin().sin().sum(), "(c * w).sin()": lambda: (c * w).sin(),
         "c + 1": lambda: c + 1, "w": lambda: w}[text]()
    way = way_back(y)
    for node in way if isinstance(way, (list, tuple)) else []:
        if node is None:
            raise TypeError("the list holds None, which is no node and has no name")
        if not isinstance(node, str):
            raise TypeError(f"the list holds a {type(node).__name__} itself; its name is asked for")
    return way

def short(names):     # with or without "torch::autograd::" in front
    return [str(name).rpartition("::")[2] for name in names]

assert_type(way_from("w.exp().sum()"), (list, tuple),
            "the way back from w.exp().sum() to the leaf, whose next_functions is empty", of="names",
            hint="A list is asked for, with one name for each node.")
assert_equal(short(way_from("w.exp().sum()")), ["SumBackward0", "ExpBackward0", "AccumulateGrad"],
             "the way back from w.exp().sum()", of="names",
             hint=lambda: "Asked for is `node.name()`; what you have is the text that `print` shows of a node."
             if str(way_from("w.exp().sum()")[0]).startswith("<") else
             "Three nodes: y's own grad_fn, that of the sum, then that of exp, then the leaf's.",
             mistakes={"The leaf's AccumulateGrad is missing.": ["SumBackward0", "ExpBackward0"],
                       "The grad_fn of y itself is missing: the walk starts there.": ["ExpBackward0", "AccumulateGrad"],
                       "The order is the opposite: start at y's grad_fn.": ["AccumulateGrad", "ExpBackward0", "SumBackward0"]})
assert_true("SinBackward0" not in short(way_from("(w.sin() * w.exp()).sum()"))
            or "ExpBackward0" not in short(way_from("(w.sin() * w.exp()).sum()")),
            "the way back from (w.sin() * w.exp()).sum() goes through one of the two factors only", of="names",
            hint="One way only: this has followed both inputs of the product; go on to the first, w.sin().")
assert_equal(short(way_from("(w.sin() * w.exp()).sum()")), ["SumBackward0", "MulBackward0", "SinBackward0", "AccumulateGrad"],
             "the way back from (w.sin() * w.exp()).sum()", of="names",
             hint="The way goes from the product to its first input, w.sin(), and from there to the leaf.",
             mistakes={"The first input of the product is w.sin(); this went on to the second.":
                       ["SumBackward0", "MulBackward0", "ExpBackward0", "AccumulateGrad"]})
assert_equal(short(way_from("(w * 2).exp().sum()")), ["SumBackward0", "ExpBackward0", "MulBackward0", "AccumulateGrad"],
             "the way back from (w * 2).exp().sum()", of="names",
             hint="The way goes from the sum to exp, on to the product, and to the product's first input, the leaf w.",
             mistakes={"The first input of the product is the leaf w: its AccumulateGrad is missing.":
                       ["SumBackward0", "ExpBackward0", "MulBackward0"]})
assert_equal(short(way_from("w.sin().exp().sin().sin().sum()")),
             ["SumBackward0", "SinBackward0", "SinBackward0", "ExpBackward0", "SinBackward0", "AccumulateGrad"],
             "the way back from w.sin().exp().sin().sin().sum()", of="names",
             hint="The walk goes on as long as there is a first input, also past a second node of the same name.")
assert_equal(short(way_from("(c * w).sin()")), ["SinBackward0", "MulBackward0"],
             "the way back from (c * w).sin(): None stands for the first input of the product, c, which is not marked",
             of="the end",
             hint="The product is the last node of this way.",
             mistakes={"The first input of the product is c, which is not marked: the walk ends there; this went on to w.":
                       ["SinBackward0", "MulBackward0", "AccumulateGrad"],
                       "`None` is no node, and its name does not belong to the list.": ["SinBackward0", "MulBackward0", "None"]})
assert_equal(way_from("c + 1"), [], "the way back from c + 1, which has no graph: its grad_fn is None", of="no graph",
             hint="Without a grad_fn there is no node, and the list is empty.")
assert_equal(way_from("w"), [], "the way back from the leaf w itself, whose grad_fn is None", of="no graph",
             hint="No operation made the leaf: the list is empty. Only from a result does a way lead to AccumulateGrad.")
### BEGIN HIDDEN TESTS
@probe
def further_ways():
    c, w = torch.tensor([3., 4.]), torch.tensor([1., 2.], requires_grad=True)
    long = w
    for _ in range(6):
        long = (long * 0.5).cos()
    return [way_back(t) for t in (w.log() * w.cos(), torch.cat([w, c]).mean(), c - w.sqrt(), w.detach().exp(), long)]

c, w = torch.tensor([3., 4.]), torch.tensor([1., 2.], requires_grad=True)
truths, long = [], w
for _ in range(6):
    long = (long * 0.5).cos()
for y in (w.log() * w.cos(), torch.cat([w, c]).mean(), c - w.sqrt(), w.detach().exp(), long):
    truth, node = [], y.grad_fn
    while node is not None:
        truth.append(type(node).__name__)       # the name without "torch::autograd::"
        node = node.next_functions[0][0] if node.next_functions else None
    truths.append(truth)
further = further_ways()
assert_equal(short(further[0]), truths[0], "the way back from w.log() * w.cos()", of="names")
assert_equal(short(further[1]), truths[1], "the way back from torch.cat([w, c]).mean()", of="names")
assert_equal(short(further[2]), truths[2], "the way back from c - w.sqrt(), where c is not marked", of="the end")
assert_equal(short(further[3]), truths[3], "the way back from w.detach().exp()", of="no graph")
assert_equal(short(further[4]), truths[4], "the way back from six times y = (y * 0.5).cos()", of="names")
### END HIDDEN TESTS

# %% [markdown] teaches="derivative through control flow"
# ### Loops and branches
#
# The graph is written **while the code runs**. So loops and branches need no special treatment: what is
# differentiated is the sequence of operations that really ran. The function below consists of three pieces, and
# autograd finds the slope of the piece that ran.

# %% tags=["demo"]
def pieces(t):
    if t < -1:
        return -t - 1
    return t ** 2 - 1 if t < 1 else 2 * t - 2


grid = torch.linspace(-3, 3, 121)
values, slopes = [], []
for t in grid:
    t = t.clone().requires_grad_()
    value = pieces(t)
    value.backward()
    values.append(value.item())
    slopes.append(t.grad.item())
figure, ax = plt.subplots(figsize=(5, 2.8), layout='constrained')
ax.plot(grid, values, label='pieces(t)')
ax.plot(grid, slopes, '.', ms=3, label='its slope, by autograd')
ax.set(xlabel='t')
ax.legend(loc='upper left')
ax.grid(alpha=0.3)
plt.show()

# %% [markdown]
# At t = 1 the second and the third piece meet with the same slope, 2. At t = -1 the slope jumps from -1 to -2;
# there is no derivative, and autograd reports the slope of the branch that ran, here -2.
#
# The next function doubles its input until it is long. How often depends on the input. But for the input at
# hand it is a multiplication by one number k, and so its gradient is this k.

# %% tags=["setup"]
def stretch(a):
    """Doubles `a` until its norm is at least 1000; where its sum is negative, times 100. `a` must not be all zeros."""
    out = 2 * a
    while out.norm() < 1000:
        out = 2 * out
    if out.sum() < 0:
        out = 100 * out
    return out

# %%
a = torch.tensor(-0.7, requires_grad=True)
d = stretch(a)
d.backward()
print(a.grad, d / a, 2 ** 11 * 100)

# %% [markdown]
# For a vector `a`, `stretch(a)` is a vector, and `backward()` wants a single number. The sum is one,
# `stretch(a).sum()`, and each entry of its gradient is k.

# %% [markdown] task="2.5.3a" kind="code" minutes=6 difficulty=2 core=true needs="derivative through control flow, leaf"
# ### The gradient through loops and branches
#
# Write `stretch_gradient(a)`: the gradient of `stretch(a).sum()` with respect to `a`, a floating-point tensor
# that is not all zeros.
#
# **You are done when**
# - **values**: they are right for numbers, vectors and matrices, also where single entries of `a`, or their sum, are zero;
# - **shape and dtype**: those of `a`;
# - **argument kept**: `a` has afterwards its old values, no `requires_grad` and no `.grad`.

# %% exercise="2.5.3a"
def stretch_gradient(a):
    """The gradient of stretch(a).sum() with respect to a: shape and dtype of a, any shape."""
    ### BEGIN SOLUTION
    leaf = a.detach().clone().requires_grad_()
    stretch(leaf).sum().backward()
    return leaf.grad
    ### END SOLUTION

# %% [markdown] hints="2.5.3a"
# 1. On which single number do you call `backward()`?
# 2. Make a leaf of your own from `a`. `d / a` is no way out: it is `nan` where `a` is 0.
# 3. Another case: `(5 * v).sum()` has the gradient 5 in every entry, `(5 * v).mean()` has 5 / n.

# %% check="2.5.3a" points=2
three, with_zero = torch.tensor([1., 3., 5.]), torch.tensor([0., 1., 3.])
at_three = "the gradient at (1, 3, 5), where stretch(a) has three entries and its sum is a single number"
assert_type(stretch_gradient(three), torch.Tensor, at_three, of="shape and dtype",
            hint="The gradient is one tensor; torch.autograd.grad gives a tuple, with the gradient in it.")
assert_shape(stretch_gradient(three), (3,), f"the shape of {at_three}", of="shape and dtype",
             hint="The gradient has an entry for each entry of a, though all have the same value, k.")
assert_dtype(stretch_gradient(three.double()), torch.float64, "the dtype of the gradient for float64", of="shape and dtype",
             hint="A leaf that detach() and clone() make from a has the dtype of a, and so has its .grad.")
assert_dtype(stretch_gradient(three), torch.float32, "the dtype of the gradient for float32", of="shape and dtype",
             hint="A leaf that detach() and clone() make from a has the dtype of a, and so has its .grad.")

@probe
def at_matrix(values):
    try:
        return stretch_gradient(values)
    except RuntimeError as error:
        if "Mismatch in shape" in str(error):
            text = "the weights have another shape than stretch(a): backward(gradient=v) needs one for each entry of the matrix"
            raise RuntimeError(text).with_traceback(error.__traceback__) from None
        raise

def what_k(found, k, steps):
    several = found.reshape(-1)
    if not torch.allclose(several, several[0].expand_as(several)):
        return f"{steps} stretch multiplies every entry by one k, so that all entries of the gradient are equal; yours are not."
    return f"{steps} So k is {k}, in every entry; yours is {several[0].item():.6g}."

assert_close(stretch_gradient(three), torch.full((3,), 256.), "the gradient at (1, 3, 5)", of="values",
             mistakes={"This is the gradient of the mean.": torch.full((3,), 256 / 3),
                       "`backward(d)` weighs each output by itself; the sum weighs each by 1.": 256 * 256 * three,
                       "This is the gradient of the norm; that of the sum is asked for.": 256 * three / three.norm(),
                       "stretch looks at the norm of the whole vector; here each entry was stretched by itself.":
                       torch.tensor([1024., 512., 256.]),
                       "This stretches the sum; what is asked for is the sum of the stretched vector.": torch.full((3,), 128.)},
             hint=lambda: what_k(stretch_gradient(three), 256, "The norm of (1, 3, 5) is 5.92; doubled 8 times it exceeds 1000."))
assert_true(not bool(stretch_gradient(with_zero).isnan().any()), "the gradient at (0, 1, 3) has no nan", of="values",
            hint="Where a is 0, d / a is 0/0.")
assert_close(stretch_gradient(with_zero), torch.full((3,), 512.), "the gradient at (0, 1, 3)", of="values",
             mistakes={"Where a is 0 the gradient is not 0: stretch multiplies every entry by the same k.":
                       torch.tensor([0., 512., 512.])},
             hint=lambda: what_k(stretch_gradient(with_zero), 512,
                                 "The norm of (0, 1, 3) is 3.16; doubled 9 times it exceeds 1000."))
square_of_four = torch.tensor([[-100., 20.], [3., 4.]])
assert_close(at_matrix(square_of_four), torch.full((2, 2), 1600.),
             "the gradient at ((-100, 20), (3, 4)), whose sum is negative", of="values",
             hint=lambda: what_k(at_matrix(square_of_four), 1600, "The norm of the whole matrix is 102.1: doubled 4 times it "
                                 "exceeds 1000, and since the sum is negative the factor 100 comes on top."),
             mistakes={"The sum is negative: the factor 100 is missing.": torch.full((2, 2), 16.),
                       "This is the gradient of the mean.": torch.full((2, 2), 400.),
                       "Each row was stretched by itself; the norm and the sum are those of the whole matrix.":
                       torch.tensor([[1600., 1600.], [256., 256.]])})
by_sum = "The sum decides on the factor 100, not single entries of a."
assert_close(stretch_gradient(torch.tensor([-1., 3., 0.])), torch.full((3,), 512.), "the gradient at (-1, 3, 0), whose sum is positive", of="values",
             mistakes={by_sum: torch.full((3,), 51200.)})
assert_close(stretch_gradient(torch.tensor([1., -3.])), torch.full((2,), 51200.), "the gradient at (1, -3), whose sum is negative", of="values",
             mistakes={by_sum: torch.full((2,), 512.)})
assert_close(stretch_gradient(torch.tensor([2., -2.])), torch.full((2,), 512.), "the gradient at (2, -2), whose sum is 0",
             of="values",
             hint="By a sum of 0 nothing can be divided; autograd does not divide.",
             mistakes={"The factor 100 is for a negative sum, and 0 is not negative.": torch.full((2,), 51200.)})
assert_close(stretch_gradient(torch.tensor([300., 400.])), torch.full((2,), 2.),
             "the gradient at (300, 400), which once doubled has a norm of exactly 1000", of="values",
             hint="After one doubling the loop is at its end: k is 2.",
             mistakes={"Doubling ends at 1000: 1000 is not less than 1000.": torch.full((2,), 4.)})
assert_close(stretch_gradient(torch.tensor([3000., 4000.])), torch.full((2,), 2.), "the gradient at (3000, 4000), which is doubled once", of="values",
             hint="stretch doubles before it looks at the norm, and then no more: k is 2.",
             mistakes={"stretch doubles once in any case.": torch.ones(2)})

@probe
def caller_after_stretch(values):
    t = values.clone()
    stretch_gradient(t)
    return t.detach(), int(t.requires_grad), 0 if t.grad is None else t.grad.numel()

def a_kept(reply, values, where):
    assert_close(reply[0], values, f"the values of {where}", of="argument kept",
                 hint="Something has written into the memory of a, in place: clone() gives memory of its own.")
    assert_equal(reply[1], 0, f"requires_grad of {where} (0 is False, 1 is True)", of="argument kept", hint="Mark a leaf of your own, not the caller's tensor.")
    assert_equal(reply[2], 0, f"the number of entries in .grad of {where}", of="argument kept",
                 hint="backward() on a leaf of your own leaves .grad of a alone.")

a_kept(caller_after_stretch(three), three, "a after the call")
a_kept(caller_after_stretch(three.double()), three.double(), "a after the call, for float64")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(251)
for shape, dtype, scale in (((3, 4), torch.float32, 1.), ((2, 3, 5), torch.float64, -0.01), ((), torch.float64, -3.),
                            ((7,), torch.float32, -20.)):
    place = scale * (torch.rand(shape, generator=rng, dtype=dtype) + 0.1)
    ratio = (stretch(place).sum() / place.sum()).item()
    assert_shape(stretch_gradient(place), shape, f"the shape of the gradient for shape {shape}", of="shape and dtype")
    assert_dtype(stretch_gradient(place), dtype, f"the dtype of the gradient for {str(dtype).removeprefix('torch.')}", of="shape and dtype")
    assert_close(stretch_gradient(place), torch.full(shape, ratio, dtype=dtype), f"the gradient for shape {shape}", of="values")
for values, ratio in (([[-7., 1., 5.], [0., 2., 0.5]], 128.), ([9., 1., -0.5, -12.], 12800.), ([0.25, -0.5, 0.25], 2048.),
                      ([-2000., 900.], 200.), ([-600., 700.], 2.), ([[125., 0.], [0., 0.]], 8.), ([[3., -3.], [5., -5.]], 128.)):
    place_so = torch.tensor(values, dtype=torch.float64)
    assert_close(stretch_gradient(place_so), torch.full(place_so.shape, ratio, dtype=torch.float64), f"the gradient at a = {values}", of="values")
a_kept(caller_after_stretch(place), place, "a of shape (7,) after the call")
assert_close(caller_after_stretch(place)[0], place, "a of shape (7,) after the call", of="argument kept")
### END HIDDEN TESTS

# %% [markdown]
# To *test* that such a gradient is right, one could compare it with `d / a`. ⚠ `a.grad == d / a` holds in
# mathematics, not in floating point. The cell draws 4000 numbers of each sign. For positive ones, where only
# doublings happen, the two are always equal. For negative ones the factor 100 rounds, and the exact test calls
# about one right gradient in seven wrong.

# %% tags=["demo"]
torch.manual_seed(0)
for sign in (1, -1):
    unequal = 0
    for _ in range(4000):
        a = (sign * 3 * torch.rand(())).requires_grad_()
        d = stretch(a)
        d.backward()
        unequal += int(a.grad != d / a)
    print(f'sign {sign:+d}: a.grad == d / a fails for {unequal / 4000:.1%} of right gradients')

# %% [markdown]
# `torch.allclose(u, v, rtol=r, atol=s)` allows for rounding: it asks whether |u - v| ≤ s + r |v| for every
# entry. It broadcasts, as `==` does.

# %%
u, v = torch.tensor([1000., 1.]), torch.tensor([1000.01, 1.])
print(torch.allclose(u, v, rtol=1e-4, atol=0), torch.allclose(u, v, rtol=1e-6, atol=0), torch.allclose(torch.ones(3), torch.ones(())))

# %% [markdown] task="2.5.3b" kind="break it" minutes=8 difficulty=3 needs="derivative through control flow"
# ### A test that is neither too strict nor too lax
#
# Write `accepts(grad, d, a)` for `d = stretch(a)`: it returns `True` if `grad` is a right gradient of
# `stretch(a).sum()`, and `False` otherwise. No entry of `a` is zero; all are `float32` or all `float64`.
#
# **You are done when**
# - **right gradients**: every right gradient passes, whatever its size, though rounding has moved it;
# - **wrong gradients**: one fails if any entry is off by 1 part in 1000 or more, also if errors cancel in the
#   sum;
# - **shape**: a gradient that has not the shape of `a` fails;
# - **nan**: a gradient with a `nan` fails.

# %% exercise="2.5.3b"
def accepts(grad, d, a):
    """Whether grad is, up to rounding, the gradient d / a, in the shape of a: True or False, also as a tensor."""
    ### BEGIN SOLUTION
    return grad.shape == a.shape and torch.allclose(grad, d / a, rtol=1e-4, atol=0)
    ### END SOLUTION

# %% [markdown] hints="2.5.3b"
# 1. By how much may two numbers near 100000 differ through rounding in `float32`, and by how much two near 1?
# 2. `torch.allclose` with a relative tolerance is false for `nan`; but it broadcasts, so compare the shapes,
#    too.
# 3. Another case: to compare lengths in metres to 1 %, `abs(u - v) <= 0.01 * abs(v)`; a fixed bound of 1 m
#    would accept anything in a matchbox and reject good maps.

# %% check="2.5.3b" points=2
near = torch.tensor([-0.7, -0.2])
far, slope_there = stretch(near), torch.full((2,), 204800.)
small = torch.tensor([300.])      # doubled twice, to 1200

def too_strict():
    if accepts(torch.tensor([4.000008]), stretch(small), small):
        return ("4.000008 in place of 4 passes, off by 2 parts in 10⁶, and this does not, off by less than 1 part in 10⁷: "
                "that is a fixed bound. The steps between float32 numbers, and with them rounding, grow with the numbers.")
    return ("It is the neighbouring float32 number, as rounding can give it: equality, or a tolerance below 1 part in 10⁷, is "
            "too strict.")

def too_wide():
    if accepts(torch.tensor([40.]), stretch(small), small):
        return "So does 40 in place of 4. What counts is the error in each entry, relative to the size of the right value."
    if not accepts(slope_there * 0.999, far, near):
        return "The same error downwards fails, and upwards it passes: an error counts in both directions."
    return "Each entry is off by 1 part in 1000, and yet it passes: the tolerance is too wide."

assert_equal(accepts(slope_there.nextafter(torch.zeros(2)), far, near), True, "a right gradient, moved by rounding", of="right gradients",
             hint=lambda: too_strict())
assert_equal(accepts(slope_there * 1.001, far, near), False, "a gradient off by 1 part in 1000", of="wrong gradients",
             hint=lambda: too_wide())
assert_equal(accepts(-slope_there, far, near), False, "a gradient of the wrong sign", of="wrong gradients",
             hint="The sizes are right, the signs wrong. Compare the numbers, not their magnitudes, squares or norms; and an "
                  "error counts in both directions, above and below.")
assert_equal(accepts(torch.tensor([204800., 0.]), far, near), False, "a gradient with one wrong entry", of="wrong gradients",
             hint="All entries must be right; here only the first is.")
assert_equal(accepts(slope_there * torch.tensor([1.01, 0.99]), far, near), False, "a gradient whose two errors cancel in the sum",
             of="wrong gradients",
             hint="One entry is 1 % too large, the other 1 % too small: each must be right for itself.")
assert_equal(accepts(torch.tensor([4.02]), stretch(small), small), False, "a gradient of 4.02 in place of 4", of="wrong gradients",
             hint="What counts is the error relative to the gradient's size.")
assert_equal(accepts(torch.tensor(4.), stretch(small[0]), small[0]), True,
             "a right gradient of shape (), 4, where a is a single number and has no len()",
             of="right gradients", hint="a may have any shape, () included.")
row = torch.linspace(1, 2, 100)      # its norm is 15.3: doubled 7 times
one_off = torch.full((100,), 128.)
one_off[37] *= 1.002
assert_equal(accepts(torch.full((100,), 128.), stretch(row), row), True, "a right gradient of 100 entries", of="right gradients",
             hint="Rounding moves d / a by up to about 1 part in 10⁷, in each of the 100 entries: so much has to pass.")
def one_or_all():
    if accepts(torch.full((100,), 128.256), stretch(row), row):
        return ("So does one in which all 100 are off by 2 parts in 1000: 128.256 in place of 128 passes here, and 204800 off by "
                "1 part in 1000 does not. What counts is the error in each entry, relative to the size of the right value.")
    return ("Where all are off so much, it fails. Each entry must be right for itself: a sum, a mean or a norm over all entries "
            "hides one.")

assert_equal(accepts(one_off, stretch(row), row), False, "a gradient of 100 entries, one of them off by 2 parts in 1000", of="wrong gradients",
             hint=lambda: one_or_all())
faint = torch.tensor([3e-17, 1e-17])      # doubled 65 times
assert_equal(accepts(torch.full((2,), 2. ** 65), stretch(faint), faint), True, "a right gradient of 2⁶⁵, about 4 · 10¹⁹",
             of="right gradients",
             hint="For such numbers a fixed bound is too strict: the error relative to their size counts. And their squares are "
                  "too large for float32.")
assert_equal(accepts(torch.full((2,), 1.01 * 2. ** 65), stretch(faint), faint), False, "a gradient off by 1 % from 2⁶⁵, about 4 · 10¹⁹", of="wrong gradients",
             hint="The square of such a number is too large for float32: it becomes inf, and inf <= inf is true.")
assert_equal(accepts(slope_there.reshape(1, 2), far, near), False, "a gradient of shape (1, 2) for an a of shape (2,)", of="shape",
             hint="It has as many entries, but another shape. Comparisons broadcast, and numbers of entries do not tell "
                  "shapes apart: compare the shapes themselves.")
assert_equal(accepts(slope_there.reshape(2, 1), far, near), False, "a gradient of shape (2, 1) for an a of shape (2,)",
             of="shape",
             hint="Comparisons broadcast: compare the shapes, too, with all axes.")
assert_equal(accepts(slope_there[:1], far, near), False, "a gradient of shape (1,) for an a of shape (2,)", of="shape",
             hint="Comparisons broadcast: compare the shapes, too.")
assert_equal(accepts(torch.tensor([204800., math.nan]), far, near), False, "a gradient with a nan", of="nan",
             hint="A nan must fail. Where you ask whether an error is large, nan passes, for every <, > and == with nan is "
                  "False: ask whether all errors are small. And equal_nan=True or nan_to_num would hide it.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(252)
for dtype in (torch.float32, torch.float64):
    for shape in ((), (3,), (2, 4)):
        for scale in (-3e-3, 2., -40., 600.):
            place = scale * (torch.rand(shape, generator=rng, dtype=dtype) + 0.1)
            wide = stretch(place)
            right = torch.full(shape, (wide.sum() / place.sum()).item(), dtype=dtype)
            about = f"of shape {shape}, {str(dtype).removeprefix('torch.')}"
            assert_equal(accepts(right, wide, place), True, f"a right gradient {about}", of="right gradients",
                         hint="Rounding moves right gradients by about 1 part in 10⁷ in float32.")
            for bug, wrong in (("off by 1 part in 1000", right * 0.999), ("of the wrong sign", -right), ("twice too large", 2 * right),
                               ("of zero", 0 * right)):
                assert_equal(accepts(wrong, wide, place), False, f"a gradient {bug}, {about}", of="wrong gradients")
            assert_equal(accepts(right * math.nan, wide, place), False, f"a gradient of nan, {about}", of="nan")
place = torch.tensor([[-2e-17, 1e-18], [-7e-18, 3e-18], [5e-18, 2e-17]]) - 1e-17
wide = stretch(place)
right = (wide.double().sum() / place.double().sum()).float().expand(3, 2).clone()
assert_equal(accepts(right, wide, place), True, "a right gradient of huge entries, of shape (3, 2)", of="right gradients")
assert_equal(accepts(right * 0.99, wide, place), False, "a gradient of huge entries that is off by 1 %", of="wrong gradients")
place = -torch.linspace(0.1, 3, 400, dtype=torch.float64).reshape(20, 20)
wide = stretch(place)
right = torch.full((20, 20), (wide.sum() / place.sum()).item(), dtype=torch.float64)
assert_equal(accepts(right, wide, place), True, "a right gradient of 400 entries", of="right gradients")
for index in ((3, 11), (19, 19)):
    wrong = right.clone()
    wrong[index] *= 0.998
    assert_equal(accepts(wrong, wide, place), False, "a gradient of 400 entries, one of them off by 2 parts in 1000", of="wrong gradients")
place = torch.tensor([[1., 2., 3.]])
assert_equal(accepts(torch.tensor(512.), 512 * place, place), False, "a gradient of shape () for an a of shape (1, 3)", of="shape")
assert_equal(accepts(torch.tensor([512., 512., 512.]), 512 * place, place), False, "a gradient of shape (3,) for an a of shape (1, 3)", of="shape")
assert_equal(accepts(torch.tensor([[512.]]), 512 * place, place), False, "a gradient of shape (1, 1) for an a of shape (1, 3)",
             of="shape")
for wrong in ([[512., 512., 500.]], [[500., 524., 512.]], [[500., 520., 516.]], [[512., -512., 512.]]):
    assert_equal(accepts(torch.tensor(wrong), 512 * place, place), False, "a gradient in which some entries are wrong", of="wrong gradients")
### END HIDDEN TESTS

# %% [markdown] teaches="detach"
# ## Leaving parts out
#
# Sometimes a part of a computation must not count: a weight that is to be held fixed, a target that comes from
# another network. `t.detach()` gives a tensor with the values of `t` and no history. For the derivative it is a
# **constant**. Compare $x^2 \cdot x^2$, whose derivative $4x^3$ is 32 at $x = 2$, with the same product in
# which the first factor is held fixed, $4 \cdot 2x = 16$. Nothing else changes: the values are the same.

# %%
x = torch.tensor(2., requires_grad=True)
square = x ** 2
both, = torch.autograd.grad(square * x ** 2, x)
one, = torch.autograd.grad(square.detach() * x ** 2, x)
with torch.no_grad():
    silent = x ** 2
print(both, one, silent.requires_grad)

# %% [markdown]
# `detach()` cuts one thread, `with torch.no_grad():` records nothing of a whole block. A cut by accident is the
# second mistake: the loss falls no more, and no error says why. `.item()` cuts as silently, `torch.tensor(t)` cuts
# with a warning, and `t.numpy()` refuses a tensor that requires a gradient, with an error.
#
# Three kinds of tensors have `None` in `.grad` after `backward()`: those that are not marked, those that an
# operation made (autograd passes through them and keeps nothing), and leaves that no uncut way connects with the
# result.

# %% [markdown] task="2.5.D" kind="code" minutes=3 difficulty=1 core=true needs="detach"
# ### Held fixed
#
# Write `held(x)`: for a vector `x` with two entries, a leaf with `requires_grad=True`, it returns the number
# $x_0 x_1^2$, as a tensor of shape `()`, through which `backward()` gives `x` a gradient in which $x_1$ counts
# as a constant.
#
# **You are done when**
# - **value**: it is $x_0 x_1^2$;
# - **gradient**: it is $(x_1^2, 0)$.

# %% exercise="2.5.D"
def held(x):
    """x_0 x_1², where x_1 counts as a constant for autograd; a tensor of shape ()."""
    ### BEGIN SOLUTION
    return x[0] * x[1].detach() ** 2
    ### END SOLUTION

# %% [markdown] hints="2.5.D"
# 1. Which of the two entries may send a derivative back?
# 2. `x[1].detach()` has the value of `x[1]` and no history.
# 3. Another case: in `(g.detach() * g).sum()` the first factor counts as a constant, and the gradient is g, not
#    2g.

# %% check="2.5.D" points=1
@probe
def value_and_gradient(x):
    leaf = x.clone().requires_grad_()
    y = held(leaf)
    y.backward()
    return y.detach(), leaf.grad

@probe
def held_of(x):
    leaf = x.clone().requires_grad_()
    y = held(leaf)
    return (y.detach() if hasattr(y, "detach") else y, int(getattr(y, "requires_grad", 0)),
            int(getattr(y, "grad_fn", None) is not None), 0 if leaf.grad is None else leaf.grad.numel())

reply = held_of(torch.tensor([5., 3.]))
assert_type(reply[0], torch.Tensor, "held(x) for x = (5, 3)", of="value",
            hint="Return a tensor: a plain number, as item() and float() give it, has no history, so that no way leads to x₀.")
assert_shape(reply[0], (), "the shape of held(x) for x = (5, 3)", of="value",
             hint="A single number: x[0] and x[1] have the shape (), but x itself, x[:1] and x[1:] are vectors.")
assert_close(reply[0], torch.tensor(45.), "held(x) for x = (5, 3)", of="value",
             hint="It is 5 · 3².",
             mistakes={"Here the sum of both entries is multiplied by x₁²; x₀ alone is.": torch.tensor(72.),
                       "x₁ must be squared.": torch.tensor(15.), "x₁ must be squared, not doubled.": torch.tensor(30.),
                       "The square belongs to x₁; here it is x₀'s.": torch.tensor(75.),
                       "The square belongs to x₁ alone.": torch.tensor(225.)})
assert_equal(reply[1], 1, "requires_grad of held(x) for a marked x (0 is False, 1 is True)", of="gradient",
             hint="The whole way back to x is cut; only x₁ counts as a constant, x₀ does not.")
assert_equal(reply[2], 1, "whether held(x) has a grad_fn (0 is no, 1 is yes)", of="gradient",
             hint="The result is marked, but nothing leads from it to x: detach() has cut the whole way, and a mark does not "
                  "bring it back. Only x₁ counts as a constant.")
assert_equal(reply[3], 0, "the number of entries in .grad of x after held(x), before backward()", of="gradient",
             hint="held itself has called backward(): it returns the number, and who calls it goes back.")
assert_true(value_and_gradient(torch.tensor([5., 3.]))[1] is not None, "x has a .grad after backward() on held(x)", of="gradient",
            hint="The result has a history, but the way back ends at another leaf: work on x itself, not on a marked copy of it.")
assert_close(value_and_gradient(torch.tensor([5., 3.]))[1], torch.tensor([9., 0.]), "the gradient for x = (5, 3)", of="gradient",
             hint="With x₁ held fixed it is x₁² = 9 for x₀, and 0 for x₁.",
             mistakes={"x₁ has a derivative, too: nothing is held fixed.": torch.tensor([9., 30.]),
                       "One of the two factors x₁ still has a derivative.": torch.tensor([9., 15.]),
                       "It is the other way round: x₀ is held fixed.": torch.tensor([0., 30.])})
### BEGIN HIDDEN TESTS
for place in (torch.tensor([-2., 0.5]), torch.tensor([4., -3.], dtype=torch.float64)):
    value, gradient = value_and_gradient(place)
    assert_close(value, place[0] * place[1] ** 2, f"held(x) for x = {tuple(place.tolist())}", of="value")
    assert_close(gradient, torch.stack([place[1] ** 2, 0 * place[1]]), f"the gradient for x = {tuple(place.tolist())}", of="gradient")
### END HIDDEN TESTS

# %% [markdown] task="2.5.9" kind="answer" minutes=4 difficulty=2 core=true needs="detach, no_grad, leaf, grad of a tensor"
# ### Who gets a gradient?
#
# Read the program, and predict before you run it.
#
# ```python
# p = torch.tensor([1., 2.], requires_grad=True)
# q = torch.tensor([3., 4.])
# r = torch.tensor([5., 6.], requires_grad=True)
# s = torch.tensor([7., 8.], requires_grad=True)
# t = p * q
# u = (r * t).detach()
# v = u.clone().requires_grad_()
# with torch.no_grad():
#     w = s * t
# (t * v + w).sum().backward()
# ```
#
# Set `has_gradient` to the set of the names, of `p`, `q`, `r`, `s`, `t`, `u`, `v`, `w`, whose `.grad` is not
# `None` at the end. (Reading `.grad` of a tensor that is no leaf warns, and gives `None`.)
#
# **You are done when**
# - **form**: it is a set (or list) of these names;
# - **reached**: the right decision for p and v, marked leaves that may or may not be reached;
# - **not marked**: the right decision for q and u;
# - **results**: the right decision for t and w;
# - **cut off**: the right decision for r and s.

# %% exercise="2.5.9"
### BEGIN SOLUTION
has_gradient = {"p", "v"}
### END SOLUTION

# %% [markdown] hints="2.5.9"
# 1. Which of the eight are leaves with `requires_grad=True`? Which of these does the last line still reach?
# 2. `detach()` and `no_grad()` cut the way back. A tensor made by an operation keeps no `.grad`, though it
#    passes the derivative on.
# 3. Another case: after `z = (g.detach() * h).sum(); z.backward()` with leaves g and h, only h has a gradient.

# %% check="2.5.9" points=2
assert_type(has_gradient, (set, frozenset, list, tuple), "`has_gradient`", of="form",
            hint="A set such as {\"q\", \"t\"}: each name is a string of its own.")
assert_equal([name for name in has_gradient if name not in tuple("pqrstuvw")], [], "the entries that are no name of the program",
             of="form",
             hint="Each entry is one of the eight names, as a string such as \"q\".")
with part(0.25, "v", of="reached"):
    assert_true("v" in has_gradient, "v belongs to the set", hint="requires_grad_() makes v a marked leaf, and the last line uses it.")
with part(0.25, "q", of="not marked"):
    assert_true("q" not in has_gradient, "q does not belong to the set", hint="It was made without requires_grad.")
with part(0.25, "t", of="results"):
    assert_true("t" not in has_gradient, "t does not belong to the set", hint="An operation made it: autograd passes through it and keeps nothing.")
with part(0.25, "s", of="cut off"):
    assert_true("s" not in has_gradient, "s does not belong to the set", hint="What happens under no_grad() is not recorded.")
### BEGIN HIDDEN TESTS
assert_true(set(has_gradient) <= set("pqrstuvw"), "every entry is a name of the program", of="form")
p = torch.tensor([1., 2.], requires_grad=True)
r = torch.tensor([5., 6.], requires_grad=True)
t = p * torch.tensor([3., 4.])
(t * (r * t).detach()).sum().backward()
with part(0.25, "p", of="reached"):
    assert_equal("p" in has_gradient, p.grad is not None, "whether p belongs to the set",
                 hint="p is a marked leaf, and an uncut way leads to it: from the last line to t and on to p.")
with part(0.25, "u", of="not marked"):
    assert_equal("u" in has_gradient, False, "whether u belongs to the set", hint="detach() gives a tensor that is not marked.")
with part(0.25, "w", of="results"):
    assert_equal("w" in has_gradient, False, "whether w belongs to the set",
                 hint="It is made under no_grad(): it is not marked and has no history.")
with part(0.25, "r", of="cut off"):
    assert_equal("r" in has_gradient, r.grad is not None, "whether r belongs to the set",
                 hint="The only way from the last line to r leads through detach(), which cuts it.")
### END HIDDEN TESTS
total()

# %% [markdown] task="2.5.11" kind="code" minutes=8 difficulty=3 needs="detach, matrix-vector product"
# ### Weights that are held fixed
#
# A robust fit gives rows with a large residual a small weight, recomputed in each step. The weights follow from
# the residuals, but the step must treat them as constants, or the fit could shrink its loss by making the
# weights small.
#
# Write `robust_loss(w, X, y)`, for `w` of shape `(d,)`, `X` of shape `(n, d)`, `y` of shape `(n,)`. With the
# residuals $\mathbf{r} = X\mathbf{w} - \mathbf{y}$ and the weights $u_i = 1 / (1 + r_i^2)$ it returns the loss
# $\sum_i u_i r_i^2$, through which `backward()` gives `w` the gradient $\sum_i 2\, u_i r_i \mathbf{x}_i$, where
# $\mathbf{x}_i$ is row i of X: no derivative flows through the $u_i$.
#
# **You are done when**
# - **loss**: it is the weighted sum, a tensor of shape `()`;
# - **gradient**: it is that with fixed weights.

# %% exercise="2.5.11"
def robust_loss(w, X, y):
    """Sum of the squared residuals, weighted by 1 / (1 + r²), which count as constants; a 0-d tensor."""
    ### BEGIN SOLUTION
    r = X @ w - y
    weights = 1 / (1 + r.detach() ** 2)
    return (weights * r ** 2).sum()
    ### END SOLUTION

# %% [markdown] hints="2.5.11"
# 1. Which of the two places where $r$ appears may send a derivative back?
# 2. `r.detach()` has the values of `r` and no history.
# 3. Another case: for `z = (g.detach() * g).sum()` the gradient is `g`, not `2 * g`: the first factor counts as
#    a constant.

# %% check="2.5.11" points=2
@probe
def loss_and_gradient(w, X, y):
    leaf = w.clone().requires_grad_()
    loss = robust_loss(leaf, X, y)
    loss.backward()
    return loss.detach(), leaf.grad

w0, X0, y0 = torch.tensor([1., 0.]), torch.tensor([[1., 2.], [4., 1.], [0., 4.]]), torch.tensor([0., 2., 3.])
r0 = torch.tensor([1., 2., -3.])
all_pairs = (X0 @ w0)[:, None] - y0

@probe
def loss_leads_back(w, X, y):
    try:
        loss = robust_loss(w.clone().requires_grad_(), X, y)
    except RuntimeError as error:
        if "leaf variables" in str(error):
            text = "the mark can be set and taken away at a leaf only; detach() makes a constant of the result of an operation"
            raise RuntimeError(text).with_traceback(error.__traceback__) from None
        raise
    return int(getattr(loss, "requires_grad", 0)), 0 if getattr(loss, "grad_fn", None) is None else 1

assert_type(robust_loss(w0, X0, y0), torch.Tensor, "the loss", of="loss",
            hint="Return a tensor: a plain number, as item() and float() give it, has no history.")
assert_shape(robust_loss(w0, X0, y0), (), "the shape of the loss", of="loss",
             hint="The loss is one number: the weighted squares of all rows are added up, and no axis stays.")
def rounded(t):
    return [round(value, 4) for value in t.tolist()]

def which_row(with_gradient):
    for i, (r, u) in enumerate(((1, "1/2"), (2, "1/5"), (-3, "1/10"))):
        X_i, right_loss = X0[i:i + 1], r * r / (1 + r * r)
        if not with_gradient:
            loss = robust_loss(w0, X_i, y0[i:i + 1]).item()
            if abs(loss - right_loss) > 1e-4:
                return (f"For the row with the residual {r} alone your loss is {loss:.4g}, as if r² = {r * r} had the weight "
                        f"{loss / r ** 2:.4g}; the weight is 1 / (1 + r²) = {u}, and the loss {right_loss:.4g}.")
        else:
            found, right = loss_and_gradient(w0, X_i, y0[i:i + 1])[1], 2 * right_loss / r * X_i[0]
            if not torch.allclose(found, right, rtol=1e-4, atol=1e-5):
                return (f"For the row {tuple(X_i[0].tolist())} alone, with the residual {r} and the weight {u}, the gradient "
                        f"is 2 u r times the row, {rounded(right)}; yours is {rounded(found)}.")
    return ("For each row alone it is right: it is what happens to several rows that is not. The losses of the rows, and with "
            "them the gradients, are added up.")

assert_close(robust_loss(w0, X0, y0), torch.tensor(2.2), "the loss for the residuals 1, 2, -3: 1/2 + 4/5 + 9/10", of="loss",
             hint=lambda: which_row(with_gradient=False),
             mistakes={"This is the mean, not the sum.": torch.tensor(2.2 / 3), "This is half of the sum.": torch.tensor(1.1),
                       "This is twice the sum.": torch.tensor(4.4),
                       "The residuals are not weighted.": torch.tensor(14.), "The weights are 1 / (1 + r²), not 1 / (1 + |r|).": torch.tensor(49 / 12),
                       "The weights are used as they are; this divides them by their sum.": torch.tensor(2.75),
                       "This is the sum of u r: the residuals are not squared.": torch.tensor(0.6),
                       "This is the sum of the weights; each is to be multiplied by its r².": torch.tensor(0.8),
                       "This is the sum of log(1 + r²): its gradient is the right one, its value is another loss.":
                       (1 + r0 ** 2).log().sum(),
                       "The weights are 1 / (1 + r²) themselves, not their roots.": (r0 ** 2 / (1 + r0 ** 2).sqrt()).sum(),
                       "The weights are squared here; the loss is the sum of u r², not of u² r².": torch.tensor(0.5),
                       "The targets are added here: a residual is Xw - y.": torch.tensor(1.4 + 36 / 37),
                       "The weights are 1 / (1 + r²): here r is not squared in them.": (r0 ** 2 / (1 + r0)).sum(),
                       "Each prediction was compared with every target: n × n residuals, by broadcasting.":
                       (all_pairs ** 2 / (1 + all_pairs ** 2)).sum()})
assert_equal(loss_leads_back(w0, X0, y0)[0], 1, "requires_grad of the loss for a marked w (0 is False, 1 is True)", of="gradient",
             hint="The whole way back to w is cut; only the weights count as constants.")
assert_true(loss_and_gradient(w0, X0, y0)[1] is not None, "w has a .grad after backward() on the loss", of="gradient",
            hint="The loss has a history, but the way back ends at another leaf: work on w itself, not on a marked copy of it."
            if loss_leads_back(w0, X0, y0)[1] else
            "The loss is marked, but has no history: requires_grad_() makes a leaf of it, from which no way leads back to w.")
assert_close(loss_and_gradient(w0, X0, y0)[1], 2 * X0.T @ (r0 / (1 + r0 ** 2)), "the gradient with fixed weights", of="gradient",
             hint=lambda: which_row(with_gradient=True),
             mistakes={"A derivative has gone through the weights, too.": 2 * X0.T @ (r0 / (1 + r0 ** 2) ** 2),
                       "The weights have a derivative, and the squares are held fixed: it is the other way round.":
                       2 * X0.T @ (r0 / (1 + r0 ** 2) ** 2 - r0 / (1 + r0 ** 2)),
                       "One of the two factors r in r² is held fixed, too.": X0.T @ (r0 / (1 + r0 ** 2))})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2511)
X1 = torch.randn(7, 3, generator=rng, dtype=torch.float64)
w1, y1 = torch.randn(3, generator=rng, dtype=torch.float64), 2 * torch.randn(7, generator=rng, dtype=torch.float64)
r1 = X1 @ w1 - y1
loss, gradient = loss_and_gradient(w1, X1, y1)
assert_shape(loss, (), "the shape of the loss for 7 rows", of="loss")
assert_close(loss, (r1 ** 2 / (1 + r1 ** 2)).sum(), "the loss for 7 rows of 3 features", of="loss")
assert_close(gradient, 2 * X1.T @ (r1 / (1 + r1 ** 2)), "the gradient for 7 rows of 3 features", of="gradient",
             mistakes={"A derivative has gone through the weights, too.": 2 * X1.T @ (r1 / (1 + r1 ** 2) ** 2)})
### END HIDDEN TESTS

# %% [markdown] teaches="backward with gradient=, vector-Jacobian product"
# ## Results with more than one entry
#
# The third mistake ends in an error, and in one that puzzles: what does "grad can be implicitly created only
# for scalar outputs" mean?

# %% tags=["demo"]
x = torch.tensor([1., 2., 3.], requires_grad=True)
try:
    (x ** 2).backward()
except RuntimeError as error:
    print('RuntimeError:', error)

# %% [markdown]
# For $\mathbf y = f(\mathbf x)$ with m outputs and n inputs the derivative is the Jacobian $J$, the m × n
# matrix of all $\partial y_i / \partial x_j$ (2.4). It can be huge, and `backward()` never builds it. It
# computes the gradient of **one number**. If there are several, you have to say how they are to become one: by
# a weight $v_i$ for each,
#
# $$\ell = \sum_i v_i y_i, \qquad \frac{\partial \ell}{\partial x_j} = \sum_i v_i \frac{\partial y_i}{\partial x_j}
# = (\mathbf v^\top J)_j .$$
#
# That is what `y.backward(gradient=v)` does, with `v` of the shape of `y`. All weights 1 is the same as
# `y.sum().backward()`.

# %%
x = torch.tensor([1., 2., 3.], requires_grad=True)
(x ** 2).backward(gradient=torch.tensor([1., 0., -1.]))
print('v = (1, 0, -1):', x.grad)
for weights in (torch.ones(3), torch.ones_like(x)):       # ones_like: ones in the shape and dtype of x
    x.grad = None
    (x ** 2).backward(gradient=weights)
    print('all weights 1: ', x.grad)
x.grad = None
(x ** 2).sum().backward()
print('the sum:       ', x.grad)

# %% [markdown]
# Here output i depends on input i only, the Jacobian is a diagonal matrix with $2 x_i$, and so the gradient of
# the sum is, entry by entry, the derivative $2 x_i$. One backward pass gives the slope of such a function at a
# thousand points.

# %% [markdown] task="2.5.E" kind="code" minutes=3 difficulty=2 core=true needs="backward with gradient=, vector-Jacobian product, leaf"
# ### Weighted outputs
#
# Write `weighted_gradient(f, x, v)`: `f` takes a tensor like `x` to a tensor with the shape of `v`. Return the
# gradient of $\sum_i v_i f(\mathbf x)_i$, the sum over all entries, with respect to `x`. All dtypes are equal
# and floating point.
#
# **You are done when**
# - **values**: they are right for vectors and matrices, with more or fewer outputs than inputs;
# - **argument kept**: `x` has afterwards its old values, no `requires_grad` and no `.grad`.

# %% exercise="2.5.E"
def weighted_gradient(f, x, v):
    """The gradient at x of the sum of the entries of f(x), weighted by v; the shape of x."""
    ### BEGIN SOLUTION
    leaf = x.detach().clone().requires_grad_()
    f(leaf).backward(gradient=v)
    return leaf.grad
    ### END SOLUTION

# %% [markdown] hints="2.5.E"
# 1. Which argument of `backward` takes the weights?
# 2. `(f(leaf) * v).sum().backward()` does the same.
# 3. Another case: for f(x) = (x₀x₁, x₀) at (3, 5) and v = (1, 10): the gradient of x₀x₁ + 10x₀ is (15, 3).

# %% check="2.5.E" points=1
@probe
def weighted(x, v):
    t = x.clone()
    result = weighted_gradient(lambda u: torch.stack([u[0] * u[1], u[0] ** 2, 3 * u[1]]), t, v)
    return result, t.detach(), int(t.requires_grad), 0 if t.grad is None else t.grad.numel()

@probe
def weighted_matrix(x, v):
    return weighted_gradient(lambda u: (u * u).sum(dim=0), x.clone(), v)

@probe
def weighted_square(x, v):
    return weighted_gradient(lambda u: torch.stack([u[0] * u[1], u[0] ** 2]), x.clone(), v)

@probe
def weighted_transpose(x, v):
    try:
        return weighted_gradient(lambda u: (u * u).T, x.clone(), v)
    except RuntimeError as error:
        if "cannot be multiplied" in str(error) or "1D tensors expected" in str(error):
            text = "a product of vectors or matrices does not weigh a matrix of outputs entry by entry"
            raise RuntimeError(text).with_traceback(error.__traceback__) from None
        raise

@probe
def weighted_product(x, v):
    return weighted_gradient(lambda u: u.prod(), x.clone(), v)

place = torch.tensor([2., 5.])

def which_output(m):      # the weight 1 for one output, 0 for the others
    for i, (output, row) in enumerate((("x₀x₁", (5., 2.)), ("x₀²", (4., 0.)), ("3x₁", (0., 3.)))[:m]):
        v = torch.zeros(m)
        v[i] = 1.
        found = weighted(place, v)[0] if m == 3 else weighted_square(place, v)
        if not torch.allclose(found, torch.tensor(row), rtol=1e-4, atol=1e-4):
            return (f"Take the weight 1 for output {i}, {output}, and 0 for the others: at (2, 5) its gradient is "
                    f"{list(row)}; yours is {[round(t, 4) for t in found.tolist()]}.")
    return ("Where one output has the weight 1 and the others 0 it is right: a weight is a factor of its output's gradient, "
            "and these are added up.")

assert_type(weighted_square(place, torch.tensor([1., 10.])), torch.Tensor, "f(x) = (x₀x₁, x₀²) at (2, 5), v = (1, 10)",
            of="values",
            hint="The gradient is one tensor; torch.autograd.grad gives a tuple, with the gradient in it.")
assert_shape(weighted_square(place, torch.tensor([1., 10.])), (2,), "the shape for f(x) = (x₀x₁, x₀²) at (2, 5)", of="values",
             hint="The gradient has the shape of x, an entry for each of the inputs.")
assert_close(weighted_square(place, torch.tensor([1., 10.])), torch.tensor([45., 2.]), "f(x) = (x₀x₁, x₀²) at (2, 5), v = (1, 10)", of="values",
             hint=lambda: "Asked for is the gradient of x₀x₁ + 10 x₀²: by hand (x₁ + 20 x₀, x₀). " + which_output(2),
             mistakes={"This is J v, the other product: the weights belong to the outputs.": torch.tensor([25., 4.]),
                       "All outputs have the weight 1 here.": torch.tensor([9., 2.]),
                       "This is the gradient of the weighted squares of the outputs.": torch.tensor([420., 40.]),
                       "This is the mean of the weighted outputs.": torch.tensor([22.5, 1.]),
                       "The weights came after the gradient; they belong to the outputs.": torch.tensor([9., 20.]),
                       "The weights were put on the inputs, before f; they belong to the outputs.": torch.tensor([54., 20.]),
                       "Only the last output is in it: the weighted gradients are added up.": torch.tensor([40., 0.]),
                       "The gradient of the second output contains that of the first: .grad adds up.": torch.tensor([95., 22.]),
                       "The weights are used as they are; here they are squared.": torch.tensor([405., 2.]),
                       "Each output has the weight 11 here, the sum of v.": torch.tensor([99., 22.]),
                       "The weights were divided by their sum, 11.": torch.tensor([45., 2.]) / 11})
assert_close(weighted(place, torch.tensor([1., 0., 10.]))[0], torch.tensor([5., 32.]), "f(x) = (x₀x₁, x₀², 3x₁) at (2, 5), v = (1, 0, 10)", of="values",
             hint=lambda: "Asked for is the gradient of x₀x₁ + 30 x₁: by hand (x₁, x₀ + 30). " + which_output(3),
             mistakes={"The third output is missing: there may be more outputs than inputs.": torch.tensor([5., 2.]),
                       "All outputs have the weight 1 here.": torch.tensor([9., 5.]),
                       "This is the mean of the weighted outputs.": torch.tensor([5., 32.]) / 3,
                       "Each output has the weight 11 here, the sum of v.": torch.tensor([99., 55.])})
assert_close(weighted_matrix(torch.tensor([[1., 2., 3.], [4., 5., 6.]]), torch.tensor([1., 0., -1.])), torch.tensor([[2., 0., -6.], [8., 0., -12.]]),
             "f(x) = (x * x).sum(dim=0) for x = ((1, 2, 3), (4, 5, 6)), v = (1, 0, -1)", of="values",
             hint="Three outputs, one for each column: both entries of a column have its weight.")
assert_close(weighted_transpose(torch.tensor([[1., 2., 3.], [4., 5., 6.]]), torch.tensor([[1., -1.], [0., 10.], [-2., 0.]])),
             torch.tensor([[2., 0., -12.], [-8., 100., 0.]]),
             "f(x) = (x * x).T for x = ((1, 2, 3), (4, 5, 6)): six outputs, whose weights are v = ((1, -1), (0, 10), (-2, 0))",
             of="values",
             hint="The outputs and their weights may be a matrix: each output has its own weight.")

def x_kept(reply, values, where):
    assert_close(reply[1], values, f"the values of {where}", of="argument kept",
                 hint="Something has written into the memory of x, in place: clone() gives memory of its own.")
    assert_equal(reply[2], 0, f"requires_grad of {where} (0 is False, 1 is True)", of="argument kept", hint="Mark a leaf of your own, not the caller's tensor.")
    assert_equal(reply[3], 0, f"the number of entries in .grad of {where}", of="argument kept",
                 hint="backward() on a leaf of your own leaves .grad of x alone.")

x_kept(weighted(place, torch.tensor([1., 0., 10.])), place, "x after the call")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2505)
for _ in range(3):
    place, v = torch.randn(2, generator=rng, dtype=torch.float64), torch.randn(3, generator=rng, dtype=torch.float64)
    by_hand = torch.stack([v[0] * place[1] + 2 * v[1] * place[0], v[0] * place[0] + 3 * v[2]])
    assert_close(weighted(place, v)[0], by_hand, "f(x) = (x₀x₁, x₀², 3x₁) at a random place with random weights", of="values", rtol=1e-4, atol=1e-5)
table, v = torch.randn(4, 2, generator=rng), torch.randn(2, generator=rng)
assert_close(weighted_matrix(table, v), 2 * table * v, "f(x) = (x * x).sum(dim=0) for a random 4 by 2 matrix", of="values")
weights = torch.randn(2, 4, generator=rng)
assert_close(weighted_transpose(table, weights), 2 * table * weights.T, "f(x) = (x * x).T for a random 4 by 2 matrix", of="values", rtol=1e-4, atol=1e-5)
assert_close(weighted_square(place, v.double()), torch.stack([v[0] * place[1] + 2 * v[1] * place[0], v[0] * place[0]]), "f(x) = (x₀x₁, x₀²) at a random place", of="values", rtol=1e-4, atol=1e-5)
assert_close(weighted_product(torch.tensor([2., -3., 5.]), torch.tensor(-2.)), torch.tensor([30., -20., 12.]), "f(x) = x.prod(), a single number, with v = -2", of="values")
x_kept(weighted(place, torch.ones(3).double()), place, "x of float64 after the call")
assert_close(weighted(place, torch.ones(3).double())[1], place, "x of float64 after the call", of="argument kept")
### END HIDDEN TESTS

# %% [markdown] task="2.5.4a" kind="code" minutes=6 difficulty=2 core=true needs="backward with gradient=, detach, leaf"
# ### The derivative at many points
#
# Write `slope(f, x)`. `f` is a function that works entry by entry, such as `torch.sin`, and is built from
# torch's operations; none is constant. Return the derivative of `f` at every entry of the floating-point tensor
# `x`, as autograd sees it.
#
# **You are done when**
# - **values**: each entry is the derivative at that entry of `x`, whatever `.grad` of `x` held before;
# - **shape and dtype**: those of `x`, also for a matrix and for shape `()`;
# - **constants**: a part that `f` cuts off with `detach()` counts as a constant;
# - **no graph**: the result does not require a gradient;
# - **argument kept**: values, `requires_grad` and `.grad` of `x` are afterwards as they were, also if it was
#   marked and had a `.grad`.

# %% exercise="2.5.4a"
def slope(f, x):
    """The derivative of the element-wise function f at every entry of x; shape and dtype of x, detached."""
    ### BEGIN SOLUTION
    leaf = x.detach().clone().requires_grad_()
    return torch.autograd.grad(f(leaf).sum(), leaf)[0]
    ### END SOLUTION

# %% [markdown] hints="2.5.4a"
# 1. What is the derivative of `f(x).sum()` with respect to the third entry of `x`?
# 2. Make a leaf of your own from `x`; sum, call `backward()`, return the leaf's `.grad`.
# 3. Another case: for `f(x) = x³` at (1, 2) the sum is 1 + 8, and its gradient is (3, 12): the derivative 3x²
#    at each point.

# %% check="2.5.4a" points=2
@probe
def slopes_at(points):
    fs = (torch.sin, lambda t: t ** 3 - 2 * t, lambda t: t.detach() * t, lambda t: t.exp() * t.sin())
    return [slope(f, points.clone()) for f in fs]

@probe
def caller_of_slope(points, mark):
    t = points.clone().requires_grad_(mark > 0)
    if mark > 0:
        t.grad = torch.full_like(t, 4.)
    result = slope(torch.exp, t)
    attached, gradient = int(getattr(result, "requires_grad", 0)), torch.zeros(0) if t.grad is None else t.grad
    return attached, t.detach(), int(t.requires_grad), gradient, result

spots = torch.tensor([0., math.pi / 3, math.pi])
assert_type(slopes_at(spots)[0], torch.Tensor, "the slopes of sine at three points, where f(x) has three entries",
            of="shape and dtype",
            hint="The result is one tensor; torch.autograd.grad gives a tuple, with the gradient in it.")
assert_shape(slopes_at(spots)[0], (3,), "the shape of the slopes of sine at three points", of="shape and dtype",
             hint="A slope for each entry of x: an f that works entry by entry has no others, and they are not added up.")
assert_shape(slopes_at(torch.zeros(2, 2))[0], (2, 2),
             "the shape of the slopes of sine at a 2 by 2 matrix, over which a loop goes row by row", of="shape and dtype",
             hint="A slope for each entry of x, in its place.")
assert_shape(slopes_at(torch.tensor(0.5))[0], (), "the shape of the slope of sine at a single point, of shape ()",
             of="shape and dtype", hint="A single point has a single slope, of shape ().")
assert_dtype(slopes_at(spots.double())[0], torch.float64, "the dtype of the slopes for float64", of="shape and dtype",
             hint="A leaf that detach() and clone() make from x has the dtype of x, and so has its .grad.")
assert_dtype(slopes_at(spots)[0], torch.float32, "the dtype of the slopes for float32", of="shape and dtype",
             hint="A leaf that detach() and clone() make from x has the dtype of x, and so has its .grad.")

def which_point(which, points, right, rule):
    for t, slope_there in zip(points.tolist(), right):
        found = slopes_at(torch.tensor([t]))[which]
        if abs(found.sum().item() - slope_there) > 1e-3:
            near = " A difference quotient is near it, no more." if abs(found.sum().item() - slope_there) < 0.1 else ""
            return f"{rule} At the single point {t:.4g} the slope is {slope_there:.4g}; yours is {found.sum().item():.4g}.{near}"
    return f"{rule} At each of the points alone yours is right: it is with several points that it is not."

assert_close(slopes_at(spots)[0], torch.tensor([1., 0.5, -1.]), "sine at 0, π/3, π", of="values",
             hint=lambda: which_point(0, spots, (1., 0.5, -1.), "The derivative of sine is the cosine: 1, 1/2, -1."),
             mistakes={"This is the gradient of the mean.": torch.tensor([1., 0.5, -1.]) / 3,
                       "`backward(y)` weighs each output by itself; weigh each by 1.": torch.tensor([0., 0.5 * 0.75 ** 0.5, 0.])})
assert_close(slopes_at(torch.tensor([1., 2.]))[1], torch.tensor([1., 10.]), "t³ - 2t at 1 and 2", of="values",
             hint=lambda: which_point(1, torch.tensor([1., 2.]), (1., 10.), "The derivative is 3t² - 2, exact up to rounding."),
             mistakes={"This is the derivative of sine: f is another function here.": torch.tensor([1., 2.]).cos(),
                       "This is the gradient of the mean.": torch.tensor([0.5, 5.])})
assert_close(slopes_at(torch.tensor([1., 2.]))[2], torch.tensor([1., 2.]), "t.detach() * t at 1 and 2", of="constants",
             hint="For autograd the first factor is a constant, so that the slope at t is this factor, t.",
             mistakes={"The detached factor counts as a constant; a difference quotient cannot know that.": torch.tensor([2., 4.])})
assert_equal(caller_of_slope(spots, 0)[0], 0, "requires_grad of the result (0 is False, 1 is True)", of="no graph",
             hint="The result has a history, or is marked: create_graph=True records one, detach() takes it away.")

def points_kept(points, where):
    for mark, how in ((0, "not marked"), (1, "marked, with a .grad of 4")):
        attached, values, marked, gradient, result = caller_of_slope(points, mark)
        assert_close(values, points, f"the values of {where}, {how}, after the call", of="argument kept",
                     hint="Something has written into the memory of x, in place: clone() gives memory of its own.")
        assert_equal(marked, mark, f"requires_grad of {where}, {how}, after the call (0 is False, 1 is True)", of="argument kept", hint="Mark a leaf of your own, and leave the mark of x as it is.")
        assert_equal(gradient.reshape(-1).tolist(), [4.] * points.numel() if mark else [],
                     f"the entries of .grad of {where}, {how}, after the call", of="argument kept",
                     hint="The derivative has come to x itself. detach() cuts the way back to x; clone() alone does not.",
                     mistakes={".grad of x is gone: what the caller had there stays.": [],
                               ".grad of x was overwritten with zeros: what the caller had there stays.": [0.] * points.numel()}
                     if mark else {})

points_kept(spots, "three points")
assert_close(caller_of_slope(spots, 1)[4], spots.exp(), "exp at three points that are marked and have a .grad of 4", of="values",
             mistakes={"What .grad of x held before is contained in it.": spots.exp() + 4})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(253)
for shape, dtype in (((), torch.float64), ((6,), torch.float32), ((3, 4), torch.float64)):
    spots = 3 * torch.randn(shape, generator=rng, dtype=dtype)
    assert_shape(slopes_at(spots)[0], shape, f"the shape of the slopes at points of shape {shape}", of="shape and dtype")
    assert_dtype(slopes_at(spots)[0], dtype, f"the dtype of the slopes for {str(dtype).removeprefix('torch.')}", of="shape and dtype")
    wanted = (spots.cos(), 3 * spots ** 2 - 2, spots, spots.exp() * (spots.sin() + spots.cos()))
    for text, name, found, right in zip(("sine", "t³ - 2t", "t.detach() * t", "exp(t) sin(t)"), ("values", "values", "constants", "values"), slopes_at(spots), wanted):
        assert_close(found, right, f"{text} at points of shape {shape}", of=name)
assert_equal(caller_of_slope(spots, 1)[0], 0, "requires_grad of the result for a marked x (0 is False, 1 is True)", of="no graph")
points_kept(spots, "points of shape (3, 4)")
assert_close(caller_of_slope(spots, 1)[4], spots.exp(), "exp at points of shape (3, 4) that are marked and have a .grad of 4",
             of="values")
assert_close(caller_of_slope(spots, 0)[1], spots, "the values of x of shape (3, 4) after the call", of="argument kept")
### END HIDDEN TESTS

# %% [markdown] task="2.5.4b" kind="code" minutes=7 difficulty=2 needs="backward with gradient=, leaf"
# ### Draw sine and its derivative
#
# Write `draw(ax, x)`: it draws two curves over the points `x`, a floating-point vector, into the matplotlib
# axes `ax`: sine, under the name `sin`, and its derivative, under the name `derivative`.
#
# **You are done when**
# - **curves**: both curves stand in `ax`, with the right heights over all points of `x`;
# - **legend**: a legend in `ax` shows the two names, each for its curve;
# - **nothing else**: no other curve, area or text is drawn, into these axes or others (a title, names of the axes
#   and a grid are welcome);
# - **marked points**: it works also where `x` requires a gradient.

# %% exercise="2.5.4b"
def draw(ax, x):
    """Draws sin and its derivative over the points x, a 1-D tensor, into the axes ax, with a legend."""
    ### BEGIN SOLUTION
    leaf = x.detach().clone().requires_grad_()
    leaf.sin().sum().backward()
    ax.plot(x.detach(), x.detach().sin(), label="sin")
    ax.plot(x.detach(), leaf.grad, label="derivative")
    ax.legend()
    ### END SOLUTION

# %% [markdown] hints="2.5.4b"
# 1. Which method of `ax` draws a line, and which of its arguments names the line in the legend?
# 2. matplotlib converts tensors to NumPy, which fails for a tensor that requires a gradient: give it
#    `t.detach()`.
# 3. Another case, the exponential function: `ax.plot(t.detach(), t.detach().exp(), label="exp")`, then
#    `ax.legend()`.

# %% check="2.5.4b" points=2
@probe
def curves(points, mark):
    from matplotlib import pyplot
    mine = pyplot.figure().subplots()
    pyplot.subplots()

    def drawn_in(axes):
        return len(axes.lines) + len(axes.collections) + len(axes.patches) + len(axes.images) + len(axes.texts)

    def drawn_by_pyplot():
        current = pyplot.gcf().number
        drawn = sum(drawn_in(axes) for number in pyplot.get_fignums() for axes in pyplot.figure(number).axes if axes is not mine)
        pyplot.figure(current)
        return drawn

    before = drawn_by_pyplot()
    draw(mine, points.clone().requires_grad_(mark > 0))
    legend = mine.get_legend()
    names = [] if legend is None else [text.get_text() for text in legend.get_texts()]
    looks = [] if legend is None else [(h.get_color(), h.get_linestyle()) if hasattr(h, "get_color") else ("", "") for h in legend.legend_handles]
    found = []
    for line in mine.lines:
        if not line.get_visible() or line.get_alpha() == 0:
            continue
        named = [n for n, look in zip(names, looks) if look == (line.get_color(), line.get_linestyle())]
        label = line.get_label() if line.get_label() in names else (named + [""])[0]
        found.append((label, torch.as_tensor(line.get_xydata()).double()))
    others = len(mine.collections) + len(mine.patches) + len(mine.images)
    outside = drawn_by_pyplot() - before
    pyplot.close("all")
    return found, names, others, outside, len(mine.texts)

def right_curves(points, mark, of, where):
    assert_type(curves(points, mark)[0], list, f"the drawing {where}", of=of)
    found, names, others, outside, texts = curves(points, mark)
    assert_equal(outside, 0, "the number of curves in axes other than `ax`", of="nothing else",
                 hint="Draw by methods of `ax`: `plt.plot` draws into the axes that were made last, and `twinx` makes new ones.")
    assert_equal(max(len(found), 2), 2, f"the number of curves in `ax`, {where}", of="nothing else",
                 hint="Two are asked for, and each further line counts, a zero line, too.")
    assert_equal(len(found), 2, f"the number of curves in `ax`, {where}", of="curves", hint="A curve is a line that `ax.plot` draws.")
    assert_equal(others, 0, "the number of areas, bars, scattered points and images in `ax`", of="nothing else",
                 hint="Only the two curves are asked for.")
    assert_equal(texts, 0, "the number of texts in `ax`", of="nothing else",
                 hint="Beside a title and the names of the axes, no text is asked for.")
    assert_equal(len(names), 2, f"the number of names in the legend of `ax`, {where}", of="legend",
                 hint="`ax.legend()`, called when the curves are drawn, makes the legend of `ax` from their labels; a figure's legend is another one.")
    assert_equal(set(names), {"sin", "derivative"}, f"the names in the legend, {where}", of="legend",
                 hint="The two names are spelled as in the task.")
    assert_equal(sorted(label for label, _ in found), ["derivative", "sin"], f"the names of the two curves, {where}", of="legend")
    for label, heights in (("sin", points.detach().double().sin()), ("derivative", points.detach().double().cos())):
        curve = dict(found)[label]
        assert_shape(curve, (len(points), 2), f"points and coordinates of the curve {label!r}, {where}", of="curves",
                     hint="A curve has a point over each entry of x, and no others.",
                     mistakes={"One point is missing: n points have n - 1 gaps between them, but a derivative at each of the n, "
                               "by autograd.": (len(points) - 1, 2)})
        assert_close(curve[:, 0], points.detach().double(), f"the points of the curve {label!r}, {where}", of="curves", rtol=1e-5, atol=1e-6,
                     mistakes={"`ax.plot` got the heights only, and numbered the points itself.": torch.arange(len(points)).double()})
        other = points.detach().double().cos() if label == "sin" else points.detach().double().sin()
        assert_close(curve[:, 1], heights, f"the heights of the curve {label!r}, {where}", of=of, rtol=1e-4, atol=1e-5,
                     hint="The height over each point is the sine there." if label == "sin" else
                     "The height over each point is the derivative of sine at this point, its cosine.",
                     mistakes={"This is the other curve: the names are exchanged.": other, "The sign is wrong.": -heights}
                     | ({"This is the gradient of the mean; that of the sum is the derivative.": heights / len(points),
                         "It is twice as high: two backward passes add up in .grad.": 2 * heights,
                         "These are slopes between neighbouring points; the derivative at a point is another number.":
                         torch.gradient(points.detach().double().sin(), spacing=(points.detach().double(),))[0]}
                        if label == "derivative" else {}))

few = torch.tensor([0., 0.5, 2.])
right_curves(few, 0, "curves", "over 0, 0.5, 2")
assert_equal(len(curves(few, 1)[0]), 2, "the number of curves over marked points", of="marked points")
right_curves(few, 1, "marked points", "over 0, 0.5, 2, marked")
### BEGIN HIDDEN TESTS
many = torch.linspace(-4, 5, 50, dtype=torch.float64)
right_curves(many, 0, "curves", "over 50 points")
right_curves(many, 1, "marked points", "over 50 points, marked")
assert_equal(set(curves(many, 0)[1]), {"sin", "derivative"}, "the names in the legend", of="legend")
assert_equal(curves(many, 0)[2:], (0, 0, 0), "the numbers of other things in `ax`, of curves elsewhere and of texts",
             of="nothing else")
assert_equal(len(curves(many, 0)[0]), 2, "the number of curves over 50 points", of="curves")
assert_equal(len(curves(many, 1)[0]), 2, "the number of curves over 50 marked points", of="marked points")
### END HIDDEN TESTS

# %% [markdown] teaches="saved tensors, retain_graph"
# ## Once backward, and the graph is gone
#
# To differentiate a product, `backward()` needs the two factors: the graph *saves* them on the way forward.
# After one `backward()` the saved tensors are freed, for they may fill most of the memory. A second call finds
# them gone, and that is the fourth mistake. Who does want two calls on one graph says so in the first one:
# `backward(retain_graph=True)` frees nothing. `torch.autograd.grad` takes the same argument.
#
# ⚠ It is often said that a second call always raises. It does not: only a graph that saved tensors raises. A
# sum saves none. There the second call works and doubles `.grad`, without a word.

# %% tags=["demo"]
x = torch.tensor([1., 2.], requires_grad=True)
loss = (x * x).sum()
loss.backward()
try:
    loss.backward()
except RuntimeError as error:
    print('(x * x).sum(): RuntimeError:', str(error).split('. ')[0])

for text, function in (('x.sum()', torch.sum), ('(x + x).mean()', lambda t: (t + t).mean())):
    x = torch.tensor([1., 2.], requires_grad=True)
    loss = function(x)
    loss.backward()
    once = x.grad.clone()
    loss.backward()
    print(f"{text + ':':16}no error; .grad was {once.tolist()} and is now {x.grad.tolist()}")

# %%
x = torch.tensor([1., 2.], requires_grad=True)
y = x ** 3
y.backward(gradient=torch.tensor([1., 0.]), retain_graph=True)
y.backward(gradient=torch.tensor([0., 1.]))
print(x.grad)

# %% [markdown]
# Two calls on one graph, each with a weight 1 for one of the outputs. `.grad` holds the *sum* of what came back. To have the two gradients apart, ask `torch.autograd.grad`, which returns them and leaves `.grad` alone; `torch.stack` puts them into the rows of one tensor:

# %%
y = x ** 3
first, = torch.autograd.grad(y, x, torch.tensor([1., 0.]), retain_graph=True)
second, = torch.autograd.grad(y, x, torch.tensor([0., 1.]))
print(torch.stack([first, second]))

# %% [markdown] task="2.5.2b" kind="code" minutes=5 difficulty=2 core=true needs="retain_graph, accumulation of gradients"
# ### Keep the graph, then let it go
#
# Write `backward_times(y, n)`: it calls `backward()` on the tensor `y` of shape `()` exactly `n` times, `n` ≥
# 1, without an error. (`y.backward(create_graph=True)` would keep the graph, too, but give `.grad` a graph of its own: that is
# not wanted here.)
#
# **You are done when**
# - **sum**: the leaves' `.grad` holds n times the gradient, on top of what it held before;
# - **n passes**: the derivative really goes back n times, each time with the factor 1;
# - **freed**: after your function the graph is gone, as after a single plain `backward()`, and the leaves' `.grad`
#   has none of its own.

# %% exercise="2.5.2b"
def backward_times(y, n):
    """Calls y.backward() n times; the graph is kept between the calls and freed by the last."""
    ### BEGIN SOLUTION
    for i in range(n):
        y.backward(retain_graph=i < n - 1)
    ### END SOLUTION

# %% [markdown] hints="2.5.2b"
# 1. Which of the calls need the graph to stay, and which one must not keep it?
# 2. `y.backward(retain_graph=True)` keeps the saved tensors. `.grad` adds up by itself.
# 3. Another case: a room used by three classes in a row is locked after the third: for each class, "keep open"
#    is true if another one follows.

# %% check="2.5.2b" points=2
@probe
def after_calls(values, before, n):
    leaf = values.clone().requires_grad_()
    leaf.grad = before.clone()
    cubes = leaf ** 3
    y = cubes.sum()
    passes = []
    y.register_hook(lambda g: passes.append(g.item()))
    try:
        backward_times(y, n)
    except RuntimeError as error:
        if "second time" in str(error):
            text = "this call finds the graph freed by a call before it: that one has to keep it, with retain_graph=True"
            raise RuntimeError(text).with_traceback(error.__traceback__) from None
        raise
    seen, gradient, attached = list(passes), leaf.grad.detach().clone(), int(leaf.grad.requires_grad)
    try:
        cubes.backward(torch.ones_like(cubes))
        freed = 0
    except RuntimeError:
        freed = 1
    return gradient, seen, freed, attached

start = torch.tensor([1., 2.])

def how_often(n, before=0.):
    gained = (after_calls(start, torch.full((2,), before), n)[0] - before) / torch.tensor([3., 12.])
    return (f"The gradient is (3, 12), and each of the {n} calls adds it to .grad; yours has gained " +
            (f"{gained[0].item():.4g} times as much." if torch.allclose(gained, gained[:1].expand(2)) else
             "no multiple of it."))

assert_close(after_calls(start, torch.zeros(2), 3)[0], torch.tensor([9., 36.]), "three calls for (x ** 3).sum() at (1, 2)", of="sum",
             hint=lambda: how_often(3),
             mistakes={"This is the gradient once: each call must add to it.": torch.tensor([3., 12.]),
                       "There was one call too many.": torch.tensor([12., 48.]), "There was one call too few.": torch.tensor([6., 24.])})
assert_close(after_calls(start, torch.zeros(2), 1)[0], torch.tensor([3., 12.]), "a single call, n = 1", of="sum",
             hint="With n = 1 there is one call, a plain one.",
             mistakes={"There was one call too many.": torch.tensor([6., 24.]), "There was no call.": torch.zeros(2)})
assert_close(after_calls(start, torch.tensor([5., 5.]), 2)[0], torch.tensor([11., 29.]), "two calls, with a .grad of 5 before", of="sum",
             hint=lambda: "Twice (3, 12) comes on top of the 5. " + how_often(2, 5.),
             mistakes={"What .grad held before was cleared.": torch.tensor([6., 24.])})
assert_equal(after_calls(start, torch.zeros(2), 3)[1], [1., 1., 1.], "the factors with which the derivative went back, for n = 3", of="n passes",
             hint="Three calls of y.backward() go back three times, each with the factor 1.",
             mistakes={"One pass with the factor 3 has the same sum, but it is one call.": [3.]})
assert_equal(after_calls(start, torch.zeros(2), 3)[2], 1, "whether the graph is freed after three calls (1 is yes)", of="freed",
             hint="The graph is still there after your last call: retain_graph=True in it keeps memory that nobody uses.")
assert_equal(after_calls(start, torch.zeros(2), 3)[3], 0, "requires_grad of the leaf's .grad after three calls (0 is False, 1 is True)", of="freed",
             hint="create_graph=True records the way back as a new graph; here the old one has to stay, no more: retain_graph=True.")
### BEGIN HIDDEN TESTS
start = torch.tensor([[0.5, -1.], [2., 3.], [0., 4.]])
found, seen, freed, attached = after_calls(start, torch.full((3, 2), 7.), 4)
assert_close(found, 7 + 4 * 3 * start ** 2, "four calls, with a .grad of 7 before", of="sum")
assert_equal(seen, [1.] * 4, "the factors with which the derivative went back, for n = 4", of="n passes")
assert_equal(freed, 1, "whether the graph is freed after four calls (1 is yes)", of="freed")
assert_equal(attached, 0, "requires_grad of the leaf's .grad after four calls (0 is False, 1 is True)", of="freed")
found, seen, freed, attached = after_calls(start, torch.zeros(3, 2), 1)
assert_close(found, 3 * start ** 2, "a single call", of="sum")
assert_equal(seen, [1.], "the factors with which the derivative went back, for n = 1", of="n passes")
assert_equal(freed, 1, "whether the graph is freed after a single call (1 is yes)", of="freed")
assert_equal(attached, 0, "requires_grad of the leaf's .grad after a single call (0 is False, 1 is True)", of="freed")
### END HIDDEN TESTS

# %% [markdown] task="2.5.2a" kind="code" minutes=6 difficulty=2 needs="saved tensors, leaf"
# ### Does the second call raise?
#
# Before you write, predict: which of `(x * x).sum()`, `x.sum()`, `(3 * x).sum()`, `x[0]` raise at the second
# call? A multiplication keeps its other factor even where this is a plain number.
#
# Write `second_call_raises(f, x)`. `f` is a function from a tensor to a single number; `x` a floating-point
# tensor. The function computes `f` once, calls `backward()` twice on the result, and returns `True` if the
# second call raises a `RuntimeError`, `False` if it raises nothing.
#
# **You are done when**
# - **answer**: `True` or `False` is right for every f;
# - **one computation**: `f` is called once;
# - **argument kept**: `x` has afterwards its old values, no `requires_grad` and no `.grad`.

# %% exercise="2.5.2a"
def second_call_raises(f, x):
    """Whether backward() on f(x) raises a RuntimeError when it is called for the second time; x is left alone."""
    ### BEGIN SOLUTION
    y = f(x.detach().clone().requires_grad_())
    y.backward()
    try:
        y.backward()
    except RuntimeError:
        return True
    return False
    ### END SOLUTION

# %% [markdown] hints="2.5.2a"
# 1. Which of the two calls belongs in the `try` block, and what has to stay outside?
# 2. `x.detach().clone().requires_grad_()` is a new leaf with the values of `x`. Each call of `f` makes a new
#    graph.
# 3. Another case, whether a list lets you remove twice: `items.remove(1)`, then `try: items.remove(1)` and
#    `except ValueError: return True`, at the end `return False`.

# %% check="2.5.2a" points=2
@probe
def calls_of_f(values):
    calls = []
    t = values.clone()
    second_call_raises(lambda x: calls.append(1) or (x * x).sum(), t)
    return len(calls), t.detach(), int(t.requires_grad), 0 if t.grad is None else t.grad.numel()

@probe
def six_functions():
    t = torch.tensor([1., 2.])
    functions = (lambda x: (x * x).sum(), torch.sum, lambda x: (3 * x).sum(), lambda x: x[0], lambda x: x.exp().sum(),
                 lambda x: (x - x).sum())
    try:
        found = [second_call_raises(f, t.clone()) for f in functions]
    except RuntimeError as error:
        text = ("here the second call raises, and nothing catches its error" if "second time" in str(error) else
                "y has no graph: it is made from nothing that is marked" if "does not require grad" in str(error) else "")
        if text:
            raise RuntimeError(text).with_traceback(error.__traceback__) from None
        raise
    for answer in found:
        if type(answer).__name__ not in ("bool", "bool_"):
            text = ("second_call_raises returns None, as a function does that ends without `return`; True or False is asked "
                    "for, also where nothing is raised" if answer is None else
                    f"second_call_raises returns a {type(answer).__name__}; True or False is asked for")
            raise TypeError(text)
    return [int(answer) for answer in found]

@probe
def marked_in_f():
    marks = []
    second_call_raises(lambda x: marks.append(int(x.requires_grad)) or (x * x).sum(), torch.tensor([1., 2.]))
    return marks

assert_equal(len(six_functions()), 6, "the answers for six functions", of="answer")
assert_equal(calls_of_f(torch.ones(2))[0], 1, "how often f is called", of="one computation", hint="Each call of f makes a new graph: compute it once.")
assert_equal(marked_in_f(), [1], "requires_grad of what f is called with (0 is False, 1 is True)", of="answer",
             hint="Without a mark nothing is recorded, and already the first backward() raises: f needs a marked leaf.")
reasons = ("It does: the product saved its factors, and the first plain call frees them.", "It does not: a sum saves no tensor.",
           "It does: the multiplication saved its other factor, though this is a plain number.",
           "It does not: taking an entry saves no tensor.",
           "It does: exp saved its result, and the first plain call frees it.",
           "It does not: a difference saves no tensor. Its gradient is 0, so that .grad stays the same at a second call, too.")
texts, truths = ("(x * x).sum()", "x.sum()", "(3 * x).sum()", "x[0]", "x.exp().sum()", "(x - x).sum()"), [1, 0, 1, 0, 1, 0]
listed = ", ".join(texts)
assert_equal(six_functions(), truths, f"whether the second call raises for {listed} (0 is False, 1 is True)", of="answer",
             hint=next((f"{text}: {reason}" for text, found, truth, reason in zip(texts, six_functions(), truths, reasons)
                        if found != truth), ""),
             mistakes={"True and False are exchanged.": [0, 1, 0, 1, 0, 1],
                       "True comes back where the gradient is not 0, and False where it is: that is another question. Whether "
                       "the second call raises is told by this call, not by what .grad holds.": [1, 1, 1, 1, 1, 0],
                       "True comes back where f is not linear. (3 * x).sum() is linear, and its multiplication saved the 3, "
                       "which the second call misses.": [1, 0, 0, 0, 1, 0],
                       "True comes back for every f; a graph that saved no tensor has nothing that could be missing.": [1] * 6,
                       "False comes back for every f: only a plain first call frees the graph, and only a second call on "
                       "the same y misses it.": [0] * 6})

def input_kept(reply, values, where):
    assert_close(reply[1], values, f"the values of {where}", of="argument kept",
                 hint="Something has written into the memory of x, in place: clone() gives memory of its own.")
    assert_equal(reply[2], 0, f"requires_grad of {where} (0 is False, 1 is True)", of="argument kept", hint="Work on x.detach().clone().requires_grad_().")
    assert_equal(reply[3], 0, f"the number of entries in .grad of {where}", of="argument kept",
                 hint="backward() on a leaf of your own leaves .grad of x alone.")

input_kept(calls_of_f(torch.tensor([3., -1.])), torch.tensor([3., -1.]), "x after the call")
input_kept(calls_of_f(torch.tensor([3., -1.]).double()), torch.tensor([3., -1.]).double(), "x after the call, for float64")
### BEGIN HIDDEN TESTS
@probe
def further_functions():
    t = torch.tensor([[0.5, 2., 3.], [1.5, 4., 0.1]])
    return [int(second_call_raises(g, t.clone())) for g in (
        lambda x: (x + x).mean(), lambda x: x.sin().mean(), lambda x: -x.T.reshape(-1).sum(), lambda x: x.norm(),
        lambda x: torch.cat([x, x - 1]).sum(), lambda x: (x - 2).abs().sum(), lambda x: (x[0] - x[0]).mean())]

kinds = ("(x + x).mean()", "sin", "a transpose and a reshape", "a norm", "torch.cat", "an absolute value",
         "a difference that is 0")
for kind, found, truth in zip(kinds, further_functions(), (0, 1, 0, 1, 0, 1, 0)):
    assert_equal(found, truth, f"whether the second call raises for a function with {kind} (0 is False, 1 is True)", of="answer",
                 hint="There are more operations that save a tensor, and that save none, than one can list: the second plain call has to decide.")
reply = calls_of_f(torch.tensor([[1.], [4.], [2.]]))
assert_equal(reply[0], 1, "how often f is called for a 3 by 1 matrix", of="one computation")
input_kept(reply, torch.tensor([[1.], [4.], [2.]]), "a 3 by 1 matrix after the call")
assert_close(reply[1], torch.tensor([[1.], [4.], [2.]]), "a 3 by 1 matrix after the call", of="argument kept")
### END HIDDEN TESTS

# %% [markdown] task="2.5.12" kind="code" minutes=9 difficulty=3 needs="retain_graph, vector-Jacobian product, jacobian, unit vectors"
# ### A Jacobian, row by row
#
# Write `jacobian(f, x)`. `f` takes a tensor of shape `(n,)` to one of shape `(m,)`; `x` is floating point.
# Return the matrix with $\partial y_i / \partial x_j$ in row i and column j.
#
# **You are done when**
# - **shape**: it is `(m, n)`, also for m = 1;
# - **values**: they are right, for m = n, too;
# - **dtype**: that of `x`;
# - **no graph**: the result does not require a gradient;
# - **argument kept**: `x` has afterwards its old values, no `requires_grad` and no `.grad`.

# %% exercise="2.5.12"
def jacobian(f, x):
    """The (m, n) Jacobian at x of a function f from shape (n,) to shape (m,); detached."""
    ### BEGIN SOLUTION
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    rows = torch.eye(len(y), dtype=y.dtype)
    return torch.stack([torch.autograd.grad(y, leaf, row, retain_graph=True)[0] for row in rows])
    ### END SOLUTION

# %% [markdown] hints="2.5.12"
# 1. Which vector $\mathbf v$ makes $\mathbf v^\top J$ the second row of $J$?
# 2. Row i comes from a vector that is 1 at i and 0 elsewhere. Keep the graph between the rows, and keep one
#    row's gradient out of the next. `torch.stack` puts rows together.
#    `torch.autograd.grad(y, x, v, retain_graph=True)` takes the weights as its third argument.
# 3. Another case: for f(x) = (x₀x₁, x₀) at (3, 5), v = (1, 0) gives the row (5, 3), v = (0, 1) the row (1, 0).

# %% check="2.5.12" points=3
@probe
def jacobian_of(kind, M, x):
    fs = {"three": lambda t: torch.stack([t[0] * t[1], t[0] ** 2, 3 * t[1]]), "matrix": lambda u: M @ u,
          "sine": lambda u: (M @ u).sin() * u.sum(), "neighbours": lambda u: u[1:] * u[:-1], "one": lambda u: u.prod().reshape(1),
          "powers": lambda u: torch.cat([u, u ** 2, u ** 3, u ** 4, 2 * u]), "pairs": lambda u: torch.outer(u, u).reshape(-1)}
    t, seen = x.clone(), []
    try:
        result = jacobian(lambda u: seen.append(str(u.dtype)[6:]) or fs[kind](u), t)
    except RuntimeError as error:
        text = ("this call finds the graph freed by a call before it: that one has to keep it, with retain_graph=True"
                if "second time" in str(error) else
                "the weights have another shape than the outputs: v has an entry for each of the m outputs"
                if "Mismatch in shape" in str(error) else "")
        if text:
            raise RuntimeError(text).with_traceback(error.__traceback__) from None
        raise
    return result, int(getattr(result, "requires_grad", 0)), t.detach(), int(t.requires_grad), 0 if t.grad is None else t.grad.numel(), sorted(set(seen))

def argument_kept(reply, values, where):
    assert_close(reply[2], values, f"the values of {where}", of="argument kept",
                 hint="Something has written into the memory of x, in place: clone() gives memory of its own.")
    assert_equal(reply[3], 0, f"requires_grad of {where} (0 is False, 1 is True)", of="argument kept", hint="Mark a leaf of your own.")
    assert_equal(reply[4], 0, f"the number of entries in .grad of {where}", of="argument kept",
                 hint="backward() on a leaf of your own leaves .grad of x alone.")

none, place = torch.zeros(0), torch.tensor([2., 5.])
by_hand = torch.tensor([[5., 2.], [4., 0.], [0., 3.]])
assert_type(jacobian_of("three", none, place)[0], torch.Tensor, "the Jacobian for 3 outputs of 2 inputs", of="shape",
            hint="One tensor is asked for: torch.stack puts rows together.")
reply = jacobian_of("three", none, place)
assert_equal(tuple(reply[0].shape), (3, 2), "the shape for 3 outputs of 2 inputs", of="shape",
             hint="A row for each output, a column for each input.",
             mistakes={"Rows and columns are exchanged: a row for each output, a column for each input.": (2, 3),
                       "This is one gradient; each of the three outputs has its own, in a row of its own.": (2,),
                       "All rows stand in one vector, one after the other; torch.stack makes a matrix of them.": (6,),
                       "There are as many rows as inputs; there is one for each output.": (2, 2)})
def which_entry(found, right, formulas):
    i = next(i for i in range(len(right)) if not torch.allclose(found[i], right[i], rtol=1e-4, atol=1e-5))
    text = (f"Row {i} is the gradient of output {i}, {formulas[i]}: {[round(t, 4) for t in right[i].tolist()]}; "
            f"yours is {[round(t, 4) for t in found[i].tolist()]}.")
    return text + (" That is near, but autograd finds it exactly up to rounding, a difference quotient does not."
                   if torch.allclose(found[i], right[i], rtol=0.02, atol=0.02) else "")

assert_close(reply[0], by_hand, "the Jacobian of (x₀x₁, x₀², 3x₁) at (2, 5)", of="values",
             hint=lambda: which_entry(reply[0], by_hand, ("x₀x₁", "x₀²", "3x₁")),
             mistakes={"Each row contains the rows before it: .grad adds up.": by_hand.cumsum(0),
                       "Every row is the gradient of the sum of the outputs; row i is that of output i alone.":
                       by_hand.sum(0).repeat(3, 1),
                       "Every row is the gradient of the last output: .grad was kept without a copy, and later passes wrote into "
                       "it.": by_hand[2].repeat(3, 1),
                       "All rows are zero: .grad was cleared after you kept it, without a copy.": torch.zeros(3, 2)})
square = torch.tensor([[1., 2.], [3., 5.]])
assert_close(jacobian_of("matrix", square, place)[0], square, "the Jacobian of M @ x for M = ((1, 2), (3, 5))", of="values",
             hint=lambda: which_entry(jacobian_of("matrix", square, place)[0], square, ("x₀ + 2x₁", "3x₀ + 5x₁")),
             mistakes={"Rows belong to outputs, columns to inputs.": square.T,
                       "Only the diagonal is filled, as where each output reads one input; here each output reads both.":
                       square.sum(0).diag()})
assert_shape(jacobian_of("one", none, place)[0], (1, 2), "the shape for 1 output of 2 inputs", of="shape",
             hint="A single output has a row, too.")
powers = jacobian_of("powers", none, torch.tensor([2.]))[0]
assert_shape(powers, (5, 1), "the shape for 5 outputs of 1 input", of="shape", hint="A row for each output, a column for each input.")
assert_close(powers, torch.tensor([[1.], [4.], [12.], [32.], [2.]]), "the Jacobian of (x, x², x³, x⁴, 2x) at 2", of="values",
             hint=lambda: which_entry(powers, torch.tensor([[1.], [4.], [12.], [32.], [2.]]), ("x", "x²", "x³", "x⁴", "2x")))
for kept in (torch.float64, torch.float32):
    reply = jacobian_of("three", none, place.to(kept))
    given = str(kept)[6:]
    assert_dtype(reply[0], kept, f"the dtype for {given}", of="dtype",
                 hint=f"f was called with {given}, so that its gradients are {given}: what they are put into is of another dtype "
                      "(torch.zeros without dtype= is float32), or they are converted afterwards." if list(reply[5]) == [given] else
                      f"f was called with {reply[5][0]}: the leaf that it gets keeps the dtype of x." if reply[5] else "")
assert_equal(reply[1], 0, "requires_grad of the result (0 is False, 1 is True)", of="no graph",
             hint="The result has a history, or is marked: create_graph=True records one, detach() takes it away.")
argument_kept(reply, place, "x after the call")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2512)
M, place = torch.randn(5, 4, generator=rng, dtype=torch.float64), torch.randn(4, generator=rng, dtype=torch.float64)
u = M @ place
wanted = {"matrix": M, "sine": u.cos()[:, None] * M * place.sum() + u.sin()[:, None],
          "neighbours": torch.stack([torch.stack([place[i + 1] if j == i else place[i] if j == i + 1 else 0 * place[0] for j in range(4)]) for i in range(3)]),
          "one": (place.prod() / place)[None]}
texts = {"matrix": "a matrix product", "sine": "5 outputs of 4 inputs", "neighbours": "products of neighbours", "one": "a single output"}
for kind, truth in wanted.items():
    reply = jacobian_of(kind, M, place)
    assert_shape(reply[0], tuple(truth.shape), f"the shape for {texts[kind]}", of="shape")
    assert_dtype(reply[0], torch.float64, f"the dtype for {texts[kind]} in float64", of="dtype")
    assert_close(reply[0], truth, f"the Jacobian for {texts[kind]}", of="values")
    assert_equal(reply[1], 0, f"requires_grad of the result for {texts[kind]} (0 is False, 1 is True)", of="no graph")
pairs = jacobian_of("pairs", M, place)[0]
assert_shape(pairs, (16, 4), "the shape for 16 outputs of 4 inputs", of="shape")
assert_close(pairs, torch.func.jacrev(lambda u: torch.outer(u, u).reshape(-1))(place), "the Jacobian for 16 outputs of 4 inputs", of="values")
assert_shape(jacobian_of("powers", M, place[:1])[0], (5, 1), "the shape for 5 outputs of 1 input in float64", of="shape")
assert_shape(jacobian_of("one", M, place[:1])[0], (1, 1), "the shape for 1 output of 1 input", of="shape")
argument_kept(reply, place, "x of length 4 after the call")
assert_close(reply[2], place, "x of length 4 after the call", of="argument kept")
### END HIDDEN TESTS

# %% [markdown] teaches="dependency graph, local derivative"
# ## How it is done: the chain rule on a graph
#
# What does `backward()` do at a node? Less than one might think. Take $z = x \cdot e^x$ and name the steps:
#
# $$s = e^x, \qquad z = s \cdot x .$$
#
# Each step has *local derivatives*, which look at **one** equation only and take its inputs for independent:
# $\partial s / \partial x = e^x$, and for the product $\partial z / \partial s = x$ and
# $\partial z / \partial x = s$, the other factor each time. Now x reaches z in two ways, through s and
# directly. The chain rule for several variables (2.4) says: **multiply along each way, add over the ways**.
#
# $$\frac{dz}{dx} = \underbrace{\frac{\partial z}{\partial s} \frac{\partial s}{\partial x}}_{\text{through } s} +
# \underbrace{\frac{\partial z}{\partial x}}_{\text{directly}} = x e^x + e^x .$$

# %%
x = torch.tensor(2., requires_grad=True)
s = x.exp()
z = s * x
z.backward()
print('through s:', (2 * s).item(), 'directly:', s.item(), 'together:', (3 * s).item(), '| autograd:', x.grad.item())

# %% [markdown] task="2.5.G" kind="code" minutes=3 difficulty=1 core=true needs="local derivative, chain rule in several variables, product rule"
# ### Two ways
#
# Take $z = x \cdot \sin x$ with the steps $s = \sin x$ and $z = s \cdot x$.
#
# Write `two_ways(x)`, for a floating-point tensor `x`: the pair of the part of $dz/dx$ that comes through s and
# of the part that comes directly. Both have the shape of `x`.
#
# **You are done when**
# - **through s**: the first is right;
# - **directly**: the second is right.

# %% exercise="2.5.G"
def two_ways(x):
    """(part of d(x sin x)/dx through s = sin x, part that comes directly)."""
    ### BEGIN SOLUTION
    return x * x.cos(), x.sin()
    ### END SOLUTION

# %% [markdown] hints="2.5.G"
# 1. What are the three local derivatives ds/dx, ∂z/∂s and ∂z/∂x?
# 2. Along a way the local derivatives are multiplied. The derivative of sin is cos.
# 3. Another case: for s = x², z = s · x: through s comes x · 2x, directly comes s = x²; together 3x².

# %% check="2.5.G" points=1
places = torch.tensor([1., 2.])
assert_type(two_ways(places), (tuple, list, torch.Tensor), "what two_ways returns", of="through s",
            hint="A pair is asked for, (part through s, direct part), without names.")
assert_equal(len(two_ways(torch.ones(7))), 2, "how many parts two_ways returns for seven points", of="through s",
             hint="Return a pair: the part through s, then the direct part.",
             mistakes={"There is one number for each point: return the two parts, not one tensor such as their sum.": 7})
assert_shape(two_ways(places)[0], (2,), "the shape of the part through s at x = 1 and 2", of="through s",
             hint="Both parts have the shape of x: a number for each entry, and no sum over them.")
assert_shape(two_ways(places)[1], (2,), "the shape of the direct part at x = 1 and 2", of="directly",
             hint="Both parts have the shape of x: a number for each entry, and no sum over them.")
assert_close(two_ways(places)[0], places * places.cos(), "the part through s at x = 1 and 2", of="through s",
             hint="Multiply the two local derivatives on this way, ∂z/∂s and ds/dx, and nothing else.",
             mistakes={"The local derivatives on a way are multiplied; here they are added.": places + places.cos(),
                       "ds/dx is the cosine of x; here it is that of s.": places * places.sin().cos(),
                       "s itself is no factor of this way: it is ∂z/∂x, of the direct way.": places * places.cos() * places.sin(),
                       "This is ds/dx alone; the way goes on to z.": places.cos(), "This is the direct part.": places.sin(),
                       "This is ∂z/∂s alone; the way goes on to x.": places, "The derivative of the sine has the wrong sign.": -places * places.cos(),
                       "∂z/∂s is the other factor, x, not s.": places.cos() * places.sin(), "This is the sum of both parts.": places.sin() + places * places.cos()})
assert_close(two_ways(places)[1], places.sin(), "the direct part at x = 1 and 2", of="directly",
             hint="The direct way is one arrow, from x to z = s · x: its local derivative, with s fixed.",
             mistakes={"This is the part through s.": places * places.cos(),
                       "This is x s, the value of z.": places * places.sin(),
                       "This is the sum of both parts.": places.sin() + places * places.cos(),
                       "This is the other factor, x: the derivative of s · x with respect to x, with s fixed, is asked for.": places,
                       "In s · x the derivative with respect to x, with s fixed, is not 1.": torch.ones(2),
                       "This is the derivative of s; here s itself is held fixed.": places.cos()})
### BEGIN HIDDEN TESTS
places = torch.tensor([[-3., 0., 0.5], [4., -0.1, 10.]], dtype=torch.float64)
assert_close(two_ways(places)[0], places * places.cos(), "the part through s for a 2 by 3 matrix", of="through s")
assert_close(two_ways(places)[1], places.sin(), "the direct part for a 2 by 3 matrix", of="directly")
### END HIDDEN TESTS

# %% [markdown]
# ### The running example
#
# The next exercises take one function apart, and it comes back in sections 5.3, A.1 and B.1:
#
# $$y = (\log x^2) \cdot \sin x + \frac{1}{x}.$$
#
# Note that it is defined for **every** $x \neq 0$: $x^2$ is positive, so its logarithm exists. Only for
# positive $x$ is $\log x^2 = 2 \log x$.
#
# A *dependency graph* has a node for the input and one for the result of every elementary operation. We write
# it as a dictionary: the name of each result, then a tuple of the operation and of the names it reads.
#
# The next cell is a tool of the book, and need not be read: `first_problem(graph, result)` says what is wrong
# with the form of such a dictionary, `evaluate(graph, name, x)` computes the value of a node. Below it they are
# used on $z = \sin(x)^2 + x$.

# %% tags=["setup"]
OPERATIONS = {  # name: (how many inputs, function)
    "square": (1, torch.square), "log": (1, torch.log), "sin": (1, torch.sin), "reciprocal": (1, torch.reciprocal),
    "add": (2, torch.add), "mul": (2, torch.mul),
}


def first_problem(graph, result):
    """What is wrong with the form of a graph that ends in `result`; "" if nothing is."""
    if "x" in graph:
        return "x: this is the input; it needs no entry. An entry has the name of a result, and then the names that it reads"
    for name, entry in graph.items():
        if not isinstance(entry, (tuple, list)) or not entry or not isinstance(entry[0], str) or entry[0] not in OPERATIONS:
            return f"{name}: give (operation, input, ...), with an operation of {', '.join(OPERATIONS)}"
        if len(entry) - 1 != OPERATIONS[entry[0]][0]:
            return f"{name}: {entry[0]} takes {OPERATIONS[entry[0]][0]} input(s), got {len(entry) - 1}"
        for source in entry[1:]:
            if not isinstance(source, str):
                return f"{name}: each input is a name, got {source!r}"
            if source != "x" and source not in graph:
                return f"{name}: reads {source!r}, which is no node"
    if result not in graph:
        return f"there is no node {result!r}"
    used = {source for entry in graph.values() for source in entry[1:]}
    if unused := set(graph) - used - {result}:
        return f"{sorted(unused)[0]}: nothing reads this node"
    return _cycle(graph)


def _cycle(graph):
    done = {"x"}
    while ready := [name for name in graph if name not in done and set(graph[name][1:]) <= done]:
        done.update(ready)
    return "" if done >= set(graph) else (
        f"{sorted(set(graph) - done)[0]}: can never be computed; it or a node that it reads waits for its own result")


def evaluate(graph, name, x):
    """The value of the node `name` of a graph at x."""
    if name == "x":
        return x
    operation, *inputs = graph[name]
    return OPERATIONS[operation][1](*(evaluate(graph, source, x) for source in inputs))

# %%
wave = {"s": ("sin", "x"), "q": ("square", "s"), "z": ("add", "q", "x")}
print("form:", first_problem(wave, "z") or "fine", "| value at 2:", evaluate(wave, "z", torch.tensor(2.)))

# %% [markdown] task="2.5.5" kind="answer" minutes=7 difficulty=2 core=true needs="dependency graph"
# ### Write down the dependency graph
#
# Set `graph` to the dependency graph of the running example, as a dictionary of the form shown above. The input
# is `"x"`, the result `"y"`; name the nodes between them as you like. The operations that exist are `square`,
# `log`, `sin`, `reciprocal` (1 divided by its input), `add` and `mul`.
#
# **You are done when**
# - **form**: every node has one of these operations with its number of inputs, reads `"x"` or other nodes, and
#   is needed for `"y"`;
# - **positive x**: the value of `"y"` is that of the formula for x > 0;
# - **negative x**: also for x < 0.

# %% exercise="2.5.5"
### BEGIN SOLUTION
graph = {
    "a": ("square", "x"),
    "b": ("log", "a"),
    "c": ("sin", "x"),
    "d": ("mul", "b", "c"),
    "e": ("reciprocal", "x"),
    "y": ("add", "d", "e"),
}
### END SOLUTION

# %% [markdown] hints="2.5.5"
# 1. Which operation is carried out last when you evaluate the formula for a number? It makes `y`.
# 2. Work from the inside out: a node for each result that you would note down when computing by hand. `x` is
#    read more than once.
# 3. Another case, $z = 1/(x + \sin x)$:
#    `{"s": ("sin", "x"), "t": ("add", "x", "s"), "z": ("reciprocal", "t")}`.

# %% check="2.5.5" points=2
assert_type(graph, dict, "`graph`", of="form")
problem = first_problem(graph, "y")
assert_true(problem == "", "the form of the graph is right", of="form", hint=problem)
some_x = torch.tensor([2., 0.3], dtype=torch.float64)
needed = {"log x², which is 1.386 at x = 2": torch.log(some_x ** 2), "sin x, which is 0.909 at x = 2": torch.sin(some_x),
          "1/x, which is 0.5 at x = 2": 1 / some_x,
          "the product of log x² and sin x, which is 1.261 at x = 2": torch.log(some_x ** 2) * torch.sin(some_x)}
nodes = [evaluate(graph, name, some_x) for name in graph]
missing = next((f"None of your nodes is {text}: `evaluate(graph, name, torch.tensor(2.))` shows the value of a node."
                for text, value in needed.items() if not any(torch.allclose(node, value) for node in nodes)),
               "All parts are there, log x², sin x, their product and 1/x; only the last operation, which makes y, is another.")
assert_close(evaluate(graph, "y", some_x), torch.log(some_x ** 2) * torch.sin(some_x) + 1 / some_x, "y at x = 2 and 0.3", of="positive x",
             hint=missing,
             mistakes={"The product is that of the logarithm and the sine alone: 1/x is added to it, not to the sine.":
                       torch.log(some_x ** 2) * (torch.sin(some_x) + 1 / some_x),
                       "The sine is that of x, here it is that of the logarithm.": torch.sin(torch.log(some_x ** 2)) + 1 / some_x,
                       "1/x is the reciprocal of x; here it is that of the sine.":
                       torch.log(some_x ** 2) * torch.sin(some_x) + 1 / torch.sin(some_x),
                       "The sine is that of x, here it is that of x².":
                       torch.log(some_x ** 2) * torch.sin(some_x ** 2) + 1 / some_x,
                       "This squares the logarithm; the formula has the logarithm of the square.": torch.log(some_x) ** 2 * torch.sin(some_x) + 1 / some_x,
                       "The last operation is wrong: 1/x is added, not multiplied.": torch.log(some_x ** 2) * torch.sin(some_x) / some_x,
                       "The logarithm is that of x² alone, here it is that of x² sin x.":
                       torch.log(some_x ** 2 * torch.sin(some_x)) + 1 / some_x,
                       "The logarithm is that of x², here it is that of x.": torch.log(some_x) * torch.sin(some_x) + 1 / some_x,
                       "1/x is missing.": torch.log(some_x ** 2) * torch.sin(some_x),
                       "The sine is not squared in the formula.": torch.log(some_x ** 2) * torch.sin(some_x) ** 2 + 1 / some_x,
                       "1/x is the reciprocal of x; here it is that of the product.": torch.log(some_x ** 2) * torch.sin(some_x) + 1 / (torch.log(some_x ** 2) * torch.sin(some_x)),
                       "1/x is the reciprocal of x; here it is that of x².": torch.log(some_x ** 2) * torch.sin(some_x) + 1 / some_x ** 2,
                       "The logarithm and the sine are multiplied; here they are added.": torch.log(some_x ** 2) + torch.sin(some_x) + 1 / some_x,
                       "1/x is added; here x is.": torch.log(some_x ** 2) * torch.sin(some_x) + some_x})
assert_true(not bool(evaluate(graph, "y", -some_x).isnan().any()), "y is a number at x = -2 and -0.3", of="negative x",
            hint="x < 0 is legal: the logarithm is that of x², so square first.")
assert_close(evaluate(graph, "y", -some_x), torch.log(some_x ** 2) * torch.sin(-some_x) - 1 / some_x, "y at x = -2 and -0.3",
             of="negative x",
             hint="At x = -2 there are log x² = 1.386, sin x = -0.909, and 1/x = -0.5: compare your nodes with these.")
### BEGIN HIDDEN TESTS
assert_equal(first_problem(graph, "y"), "", "what is wrong with the form", of="form")
more_x = torch.tensor([0.01, 0.5, 1., 7.], dtype=torch.float64)
assert_close(evaluate(graph, "y", more_x), torch.log(more_x ** 2) * torch.sin(more_x) + 1 / more_x, "y at four positive places", of="positive x")
assert_close(evaluate(graph, "y", -more_x), torch.log(more_x ** 2) * torch.sin(-more_x) - 1 / more_x, "y at four negative places", of="negative x")
### END HIDDEN TESTS

# %% [markdown]
# From here on the nodes have these names:
#
# | node | a | b | c | d | e | y |
# |---|---|---|---|---|---|---|
# | is | $x^2$ | $\log a$ | $\sin x$ | $b \cdot c$ | $1/x$ | $d + e$ |
#
# Autograd's own drawing of this graph has the same shape. Two nodes come on top: the leaf, and a product with
# 1, since PyTorch computes `1 / x` as the reciprocal times 1.

# %% tags=["demo"]
x = torch.tensor(2., requires_grad=True)
d2l.show_graph(torch.log(x ** 2) * torch.sin(x) + 1 / x, params={'x': x})

# %% [markdown] task="2.5.6" kind="code" minutes=10 difficulty=3 core=true needs="dependency graph, local derivative, chain rule in several variables"
# ### The chain rule on the graph
#
# Write `chain_rule(x)` for a floating-point tensor `x` without zeros. It returns a dictionary with nine
# entries: the local derivatives of the eight arrows of the table's graph, `"da/dx"`, `"db/da"`, `"dc/dx"`,
# `"dd/db"`, `"dd/dc"`, `"de/dx"`, `"dy/dd"`, `"dy/de"`, and the derivative of the whole, `"dy/dx"`.
#
# **You are done when**
# - **names**: the keys are these nine;
# - **edges**: the eight local derivatives are right, for negative x, too;
# - **whole**: so is dy/dx;
# - **shape**: each entry is a tensor of the shape of `x`.

# %% exercise="2.5.6"
def chain_rule(x):
    """The derivative of every edge of the running example's graph, and dy/dx; each of the shape of x."""
    ### BEGIN SOLUTION
    a = x ** 2
    b, c = torch.log(a), torch.sin(x)
    one = torch.ones_like(x)
    edges = {"da/dx": 2 * x, "db/da": 1 / a, "dc/dx": torch.cos(x), "dd/db": c, "dd/dc": b, "de/dx": -1 / a,
             "dy/dd": one, "dy/de": one}
    through_b = edges["da/dx"] * edges["db/da"] * edges["dd/db"] * edges["dy/dd"]
    through_c = edges["dc/dx"] * edges["dd/dc"] * edges["dy/dd"]
    through_e = edges["de/dx"] * edges["dy/de"]
    return edges | {"dy/dx": through_b + through_c + through_e}
    ### END SOLUTION

# %% [markdown] hints="2.5.6"
# 1. How many different ways lead from `x` to `y`?
# 2. Three: over a, b, d; over c, d; and over e. Multiply along each, then add the three. A derivative that is
#    constantly 1 is `torch.ones_like(x)`.
# 3. Another case, $z = \sin(x) \cdot x$ with $s = \sin x$: edges ds/dx = cos x, dz/ds = x, and s for the direct
#    edge from x to z. Two ways, so dz/dx = cos x · x + s.

# %% check="2.5.6" points=3
EDGES = ("da/dx", "db/da", "dc/dx", "dd/db", "dd/dc", "de/dx", "dy/dd", "dy/de")

at_3 = torch.tensor(3., dtype=torch.float64)
right_at_3 = {edge: torch.tensor(number, dtype=torch.float64) for edge, number in {
    "da/dx": 6., "db/da": 1 / 9, "dc/dx": -0.9899924966004, "dd/db": 0.1411200080599, "dd/dc": 2.1972245773362, "de/dx": -1 / 9,
    "dy/dd": 1., "dy/de": 1., "dy/dx": -2.1922669506468}.items()}
right_at_minus_3 = {edge: -number if edge in ("da/dx", "dd/db") else number for edge, number in right_at_3.items()}
over_abd, over_cd, over_e = torch.tensor([0.0940800053732, -2.1752358449089, -1 / 9], dtype=torch.float64)
one_edge = {
    "da/dx": {"This is a itself, x².": at_3 ** 2, "The square has the derivative 2x; the factor 2 is missing.": at_3,
              "This is the exponent alone; the square has the derivative 2x.": 0 * at_3 + 2},
    "db/da": {"This is the derivative with respect to x, not to a.": 2 / at_3,
              "This is 1/x; b is the logarithm of a, not of x.": 1 / at_3},
    "dc/dx": {"The sign is wrong.": -at_3.cos(), "This is c itself.": at_3.sin()},
    "dy/dd": {"This is e, as if y were the product of d and e; it is their sum.": 1 / at_3},
    "dy/de": {"This is d, as if y were the product of d and e; it is their sum.": (at_3 ** 2).log() * at_3.sin()},
    "dd/db": {"This is b. The derivative of b · c with respect to b is the other factor.": (at_3 ** 2).log(),
              "A factor too many, db/dx: dd/db looks at d = b · c alone.": at_3.sin() * 2 / at_3,
              "A factor too many, db/da: dd/db looks at d = b · c alone.": at_3.sin() / at_3 ** 2,
              "Both factors change with x, but dd/db holds c fixed: only one term stays.": over_abd + over_cd},
    "dd/dc": {"This is c. The derivative of b · c with respect to c is the other factor.": at_3.sin(),
              "A factor too many, dc/dx: dd/dc looks at d = b · c alone.": over_cd,
              "Both factors change with x, but dd/dc holds b fixed: only one term stays.": over_abd + over_cd},
    "de/dx": {"1/x falls where x grows: mind the sign.": 1 / at_3 ** 2,
              "1/x is the power -1 of x: its derivative has the power -2.": -1 / at_3,
              "This is the derivative of 1/x²; e is 1/x.": -2 / at_3 ** 3,
              "This is the logarithm of x. The derivative of log x is 1/x, not the other way round.": at_3.log()},
    "dy/dx": {"The ways are added, not multiplied.": over_abd * over_cd * over_e,
              "The way over e has the wrong sign: 1/x falls where x grows.": over_abd + over_cd - over_e,
              "The way over c and d lacks a factor: dd/dc.": over_abd + at_3.cos() + over_e,
              "The way over c and d lacks a factor: dc/dx.": over_abd + (at_3 ** 2).log() + over_e,
              "The ways that meet at d are added there, not multiplied.": over_abd * over_cd + over_e,
              "The way over c and d has the wrong sign: the derivative of the sine is +cos.": over_abd - over_cd + over_e,
              "The way over a, b and d lacks a factor: da/dx, 2x.": at_3.sin() / at_3 ** 2 + over_cd + over_e,
              "The way over a, b and d lacks the 2 of da/dx = 2x.": over_abd / 2 + over_cd + over_e,
              "The way over a, b and d is missing.": over_cd + over_e,
              "The way over c and d is missing.": over_abd + over_e, "The way over e is missing.": over_abd + over_cd,
              "Only the way over a, b and d is in it.": over_abd, "Only the way over c and d is in it.": over_cd,
              "Only the way over e is in it.": over_e},
}

def which_way(derivative):      # derivative(x): the answer's dy/dx. At each of these places one way makes nearly all of dy/dx
    for way, place_so, right in (("over e", 1e-3, -1e6), ("over c and d", 30 * math.pi, 2 * math.log(30 * math.pi)),
                                 ("over a, b and d", 30.5 * math.pi, 2 / (30.5 * math.pi))):
        found = derivative(torch.tensor(place_so, dtype=torch.float64)).item()
        if not abs(found - right) < 0.02 * abs(right):
            return (f"At x = {place_so:.6g} nearly all of dy/dx comes over one way, that {way}: it is {right:.4g} there, "
                    f"and yours {found:.4g}. Look at this way first.")
    return "Multiply along each of the three ways, then add the three products."

equations = {"a": "a = x²", "b": "b = log a", "c": "c = sin x", "d": "d = b · c", "e": "e = 1/x", "y": "y = d + e"}
reply = chain_rule(at_3)
assert_type(reply, dict, "what chain_rule returns", of="names")
lacking = ", ".join(sorted({*EDGES, "dy/dx"} - set(reply)))
assert_equal(set(reply), {*EDGES, "dy/dx"}, "the names of the entries", of="names",
             hint=f"No entry has the name {lacking}." if lacking else "The nine are there; what comes on top is not asked for.")
for edge in (*EDGES, "dy/dx"):
    assert_shape(reply[edge], (), f"the shape of {edge} for x of shape ()", of="shape", hint="Each entry is a tensor of the shape of x.")
for edge, value in right_at_3.items():
    assert_close(reply[edge], value, f"{edge} at x = 3", of="whole" if edge == "dy/dx" else "edges",
                 mistakes=one_edge.get(edge, {}),
                 hint=(lambda: which_way(lambda t: chain_rule(t)["dy/dx"])) if edge == "dy/dx" else
                 f"It is a local derivative: look at the one equation {equations[edge[1]]}, and take its inputs for independent.")
assert_true(not any(bool(torch.as_tensor(entry).isnan().any()) for entry in chain_rule(-at_3).values()),
            "no entry is nan at x = -3", of="edges",
            hint="Only for positive x is log x² = 2 log x.")
for edge, value in right_at_minus_3.items():
    assert_close(chain_rule(-at_3)[edge], value, f"{edge} at x = -3", of="whole" if edge == "dy/dx" else "edges",
                 hint="It is right at x = 3: look for a sign that gets lost, as in |x|, or for a rule that holds for x > 0 only.",
                 mistakes={"This is the value at x = 3; that at x = -3 is another.": right_at_3[edge]}
                 | ({f"The way over {way} has the wrong sign where x is negative.": value - 2 * part for way, part in
                     (("a, b and d", over_abd), ("c and d", over_cd), ("e", over_e))} if edge == "dy/dx" else {}))
for edge in (*EDGES, "dy/dx"):
    assert_shape(chain_rule(torch.ones(2, 3))[edge], (2, 3), f"the shape of {edge} for x of shape (2, 3)", of="shape",
                 hint="Each has the shape of x: nothing is summed, and a derivative that is constant has it, too.")
### BEGIN HIDDEN TESTS
def edges_by_autograd(x):
    values = {"x": x, "a": x ** 2, "b": (x ** 2).log(), "c": x.sin(), "e": 1 / x}
    values["d"] = values["b"] * values["c"]
    made = {"a": torch.square, "b": torch.log, "c": torch.sin, "d": torch.mul, "e": torch.reciprocal, "y": torch.add}
    found = {}
    for name, sources in (("a", "x"), ("b", "a"), ("c", "x"), ("d", "bc"), ("e", "x"), ("y", "de")):
        leaves = [values[s].detach().clone().requires_grad_() for s in sources]
        slopes = torch.autograd.grad(made[name](*leaves).sum(), leaves)
        found |= {f"d{name}/d{s}": slope for s, slope in zip(sources, slopes)}
    leaf = x.clone().requires_grad_()
    whole, = torch.autograd.grad((torch.log(leaf ** 2) * torch.sin(leaf) + 1 / leaf).sum(), leaf)
    return found | {"dy/dx": whole}

rng = torch.Generator().manual_seed(256)
for places in (torch.tensor([-3., -0.5, 0.1, 4.], dtype=torch.float64), torch.randn(3, 2, generator=rng) * 2, torch.tensor(-1.5, dtype=torch.float64)):
    reply, shape = chain_rule(places), tuple(places.shape)
    assert_equal(set(reply), {*EDGES, "dy/dx"}, f"the names of the entries for x of shape {shape}", of="names")
    for edge, value in edges_by_autograd(places).items():
        assert_shape(reply[edge], shape, f"the shape of {edge} for x of shape {shape}", of="shape")
        if edge == "dy/dx":
            assert_close(reply[edge], value, f"dy/dx for x of shape {shape} with negative entries", of="whole")
        else:
            assert_close(reply[edge], value, f"{edge} for x of shape {shape} with negative entries", of="edges")
### END HIDDEN TESTS

# %% [markdown] teaches="forward mode, reverse mode"
# ### Two orders of work
#
# Multiplying along every way one by one is hopeless for a network: the number of ways doubles with every node
# that is read twice. So autograd never looks at whole ways. It visits each node **once** and keeps one number
# there. It may start at either end. Take $p = 3x$, $q = p^2$, $r = q \cdot p$ at $x = 1$; so $p = 3$, $q = 9$,
# $r = 27$.
#
# *Forward mode* goes along with the evaluation. Besides its value each node gets its derivative **with respect
# to the input**, found from those of the nodes that it reads. *Reverse mode* first evaluates everything and
# then walks back. Each node gets the derivative of the **result with respect to it**, found from those of the
# nodes that read it.
#
# | node | value | forward: d(node)/dx | reverse: dr/d(node) |
# |---|---|---|---|
# | x | 1 | 1 | 3 · 27 = 81 |
# | p = 3x | 3 | 3 | from r: q = 9, from q: 2p · 3 = 18; together 27 |
# | q = p² | 9 | 2p · 3 = 18 | p = 3 |
# | r = q·p | 27 | 18 · 3 + 9 · 3 = 81 | 1 |
#
# Forward mode is read from the top down, reverse mode from the bottom up. Both find 81. In reverse mode a node
# that is read twice, here p, **adds** what comes back from each reader. `backward()` is reverse mode.
# `torch.func.jvp(f, (x,), (u,))` is forward mode: it gives a pair, the value of f at x and its derivative there,
# times u. With u = 1 the second of the pair is the derivative itself. Both columns of the table by PyTorch, from
# x down to r:

# %%
x = torch.tensor(1., requires_grad=True)
p = 3 * x
q = p ** 2
r = q * p
print("reverse:", [g.item() for g in torch.autograd.grad(r, (x, p, q, r))])
one = torch.tensor(1.)
nodes = (lambda x: x, lambda x: 3 * x, lambda x: (3 * x) ** 2, lambda x: (3 * x) ** 2 * (3 * x))
print("forward:", [torch.func.jvp(node, (one,), (one,))[1].item() for node in nodes])

# %% [markdown] task="2.5.7a" kind="code" minutes=9 difficulty=3 needs="forward mode, dependency graph, chain rule"
# ### Forward: values and derivatives together
#
# Write `forward_mode(x)` for the running example with the nodes of its table; `x` is a floating-point tensor
# without zeros. It returns a dictionary from the names `"x"`, `"a"`, `"b"`, `"c"`, `"d"`, `"e"`, `"y"` to a
# pair: the value of the node, and its derivative with respect to `x`.
#
# **You are done when**
# - **names**: the keys are these seven;
# - **values**: the first of each pair is right, for negative x, too;
# - **derivatives**: so is the second;
# - **shape**: both are tensors of the shape of `x`.

# %% exercise="2.5.7a"
def forward_mode(x):
    """{node: (value, d node / dx)} for the running example, computed forward; tensors of the shape of x."""
    ### BEGIN SOLUTION
    nodes = {"x": (x, torch.ones_like(x))}
    a, a_ = nodes["a"] = (x ** 2, 2 * x)
    b, b_ = nodes["b"] = (torch.log(a), a_ / a)
    c, c_ = nodes["c"] = (torch.sin(x), torch.cos(x))
    d, d_ = nodes["d"] = (b * c, b_ * c + b * c_)
    e, e_ = nodes["e"] = (1 / x, -1 / x ** 2)
    nodes["y"] = (d + e, d_ + e_)
    return nodes
    ### END SOLUTION

# %% [markdown] hints="2.5.7a"
# 1. When you know the derivative of $a$ with respect to $x$, what is that of $\log a$?
# 2. For $d = b \cdot c$ the product rule uses the values and the derivatives of both: $d' = b'c + bc'$.
# 3. Another case, $s = \sin x$, $z = s^2$: the pairs are $(\sin x, \cos x)$ and then $(s^2, 2 s \cdot \cos x)$,
#    where $\cos x$ is the derivative that $s$ brought along.

# %% check="2.5.7a" points=2
at_3 = torch.tensor(3., dtype=torch.float64)
right_at_3 = {node: (torch.tensor(value, dtype=torch.float64), torch.tensor(derivative, dtype=torch.float64))
              for node, value, derivative in (
                  ("x", 3., 1.), ("a", 9., 6.), ("b", 2.1972245773362, 2 / 3), ("c", 0.1411200080599, -0.9899924966004),
                  ("d", 0.3100723500630, -2.0811558395357), ("e", 1 / 3, -1 / 9), ("y", 0.6434056833964, -2.1922669506468))}
right_at_minus_3 = {node: (value if node in "ab" else -value, -derivative if node in "ab" else derivative)
                    for node, (value, derivative) in right_at_3.items()}
(b_there, b_slope), (c_there, c_slope), (d_there, d_slope), (e_there, e_slope) = (right_at_3[node] for node in "bcde")
one_node = {
    "x": {"This is x itself; its derivative with respect to x is 1.": at_3,
          "This is the derivative of a constant; x changes when x changes.": 0 * at_3,
          "This is dy/dx: in forward mode each node has its own derivative with respect to x.": d_slope + e_slope},
    "a": {"This is a itself, x².": at_3 ** 2, "The square has the derivative 2x; the factor 2 is missing.": at_3,
          "This is the exponent alone; the square has the derivative 2x.": 0 * at_3 + 2},
    "b": {"This is the derivative with respect to a. Multiply by the one that a brings along.": 1 / at_3 ** 2,
          "This is 1/x, the derivative of log x; b is the logarithm of a.": 1 / at_3, "This is b itself.": b_there,
          "This is what a brings along; the derivative of the logarithm, 1/a, is a factor.": 2 * at_3,
          "What a brings along, 2x, was multiplied by 1/x; the derivative of log a is 1/a.": 0 * at_3 + 2,
          "The derivative of a is divided by a here, not multiplied by it.": 2 * at_3 ** 3},
    "c": {"The derivative of the sine has the wrong sign.": -c_slope, "This is c itself.": c_there},
    "d": {"This is the product of the derivatives. The product rule has two terms.": b_slope * c_slope,
          "The product rule adds its two terms.": b_slope * c_there - b_there * c_slope,
          "The product rule adds its two terms; here the first is negative.": b_there * c_slope - b_slope * c_there,
          "The term b c' is missing.": b_slope * c_there, "The term b' c is missing.": b_there * c_slope,
          "In the second term c is not differentiated: it is b c', not b c.": b_slope * c_there + d_there,
          "In the first term b is not differentiated: it is b' c, not b c.": d_there + b_there * c_slope,
          "In both terms the derivative stands beside its own factor: it is b' c + b c', not b b' + c c'.":
          b_slope * b_there + c_slope * c_there,
          "This is the sum of the derivatives; d is the product of b and c.": b_slope + c_slope,
          "This is the quotient rule; d is the product of b and c.": (b_slope * c_there - b_there * c_slope) / c_there ** 2},
    "e": {"1/x falls where x grows: mind the sign.": -e_slope,
          "1/x is the power -1 of x: its derivative has the power -2.": -1 / at_3, "This is e itself, 1/x.": e_there},
    "y": {"The part of e is missing.": d_slope, "The part of d is missing.": e_slope,
          "y is d + e: the derivatives are added, and the minus of e' is in e' already.": d_slope - e_slope,
          "y is the sum of d and e: their derivatives are added, not multiplied.": d_slope * e_slope,
          "y is the sum of d and e, not their product.": d_slope * e_there + d_there * e_slope},
}
equations = {"x": "x, the input", "a": "a = x²", "b": "b = log a", "c": "c = sin x", "d": "d = b · c", "e": "e = 1/x",
             "y": "y = d + e"}

def the_rule(node):      # what the node reads, with the values and derivatives that it brings along
    (a, a_), (b, b_), (c, c_), (d, d_), (e, e_) = ([t.item() for t in right_at_3[name]] for name in "abcde")
    return {"x": "x changes as x does: its derivative is 1.",
            "a": "a = x²: the local derivative, da/dx, is 6 at x = 3, and x brings along 1: multiply.",
            "b": f"b = log a: the local derivative, db/da, is 1/9, and a brings along {a_:g}: multiply.",
            "c": f"c = sin x: the local derivative, dc/dx, is {c_:.4g} at x = 3, and x brings along 1: multiply.",
            "d": f"d = b · c: b brings along {b:.4g} and its derivative {b_:.4g}, c {c:.4g} and {c_:.4g}: d' = b'c + bc'.",
            "e": f"e = 1/x: the local derivative, de/dx, is {e_:.4g} at x = 3, and x brings along 1: multiply.",
            "y": f"y = d + e: d brings along the derivative {d_:.4g}, e {e_:.4g}: add."}[node]

reply = forward_mode(at_3)
assert_type(reply, dict, "what forward_mode returns", of="names")
lacking = ", ".join(sorted(set("xabcdey") - set(reply)))
assert_equal(set(reply), set("xabcdey"), "the names of the nodes", of="names",
             hint=f"No entry has the name {lacking}." if lacking else "The seven are there; what comes on top is not asked for.")
for node, (value, derivative) in right_at_3.items():
    assert_type(reply[node], (tuple, list, torch.Tensor), f"what stands under {node}", of="values",
                hint="Each entry is a pair: the value, then the derivative.")
    assert_true(not torch.is_tensor(reply[node]) or reply[node].ndim > 0, f"what stands under {node} is a pair", of="values",
                hint="A single number stands there; each entry is a pair: the value, then the derivative.")
    assert_equal(len(reply[node]), 2, f"how many entries the pair of {node} has", of="values",
                 hint="Two: the value, then the derivative.")
    assert_shape(reply[node][0], (), f"the shape of the value of {node} for x of shape ()", of="shape",
                 hint="Both are tensors of the shape of x.")
    assert_shape(reply[node][1], (), f"the shape of the derivative of {node} for x of shape ()", of="shape", hint="Both are tensors of the shape of x.")
    assert_close(reply[node][0], value, f"the value of {node} at x = 3", of="values",
                 hint=f"The value is that of {equations[node]}.",
                 mistakes={"This is the derivative: the value comes first in the pair." if
                           torch.allclose(torch.as_tensor(reply[node][1]).double(), value, rtol=1e-4) else
                           f"This is the derivative of {node}, not its value.": derivative}
                 | ({"The part of e is missing.": d_there} if node == "y" else {}))
    assert_close(reply[node][1], derivative, f"the derivative of {node} with respect to x, at x = 3", of="derivatives",
                 hint=the_rule(node),
                 mistakes=one_node[node])
assert_true(not any(bool(torch.as_tensor(value).isnan().any()) for value, _ in forward_mode(-at_3).values()),
            "no value is nan at x = -3", of="values",
            hint="Only for positive x is log x² = 2 log x.")
for node, (value, derivative) in right_at_minus_3.items():
    assert_close(forward_mode(-at_3)[node][0], value, f"the value of {node} at x = -3", of="values",
                 hint="It is right at x = 3: look for a sign that gets lost, as in |x|, or for a rule that holds for x > 0 only.",
                 mistakes={"This is the value at x = 3; that at x = -3 is another.": right_at_3[node][0]})
    assert_close(forward_mode(-at_3)[node][1], derivative, f"the derivative of {node} with respect to x, at x = -3",
                 of="derivatives",
                 hint="It is right at x = 3: look for a sign that gets lost, as in |x|, or for a rule that holds for x > 0 only.",
                 mistakes={"This is the derivative at x = 3; that at x = -3 is another.": right_at_3[node][1]})
for node in "xabcdey":
    assert_shape(forward_mode(torch.ones(2, 3))[node][1], (2, 3), f"the shape of the derivative of {node} for x of shape (2, 3)",
                 of="shape",
                 hint="Each has the shape of x: nothing is summed, and a derivative that is constant has it, too.")
### BEGIN HIDDEN TESTS
def pairs_by_autograd(x):
    x = x.detach().clone().requires_grad_()
    a, c, e = x ** 2, torch.sin(x), 1 / x
    nodes = {"x": x * 1, "a": a, "b": torch.log(a), "c": c, "d": torch.log(a) * c, "e": e, "y": torch.log(a) * c + e}
    return {name: (value.detach(), torch.autograd.grad(value.sum(), x, retain_graph=True)[0]) for name, value in nodes.items()}

rng = torch.Generator().manual_seed(257)
for places in (torch.tensor([-3., -0.5, 0.1, 4.], dtype=torch.float64), torch.randn(3, 2, generator=rng, dtype=torch.float64) * 2):
    reply, shape = forward_mode(places), tuple(places.shape)
    assert_equal(set(reply), set("xabcdey"), f"the names of the nodes for x of shape {shape}", of="names")
    for node, (value, derivative) in pairs_by_autograd(places).items():
        assert_shape(reply[node][1], shape, f"the shape of the derivative of {node} for x of shape {shape}", of="shape")
        assert_close(reply[node][0], value, f"the value of {node} for x of shape {shape}", of="values")
        assert_close(reply[node][1], derivative, f"the derivative of {node} for x of shape {shape}", of="derivatives")
### END HIDDEN TESTS

# %% [markdown] task="2.5.7b" kind="code" minutes=10 difficulty=3 core=true needs="reverse mode, dependency graph, local derivative"
# ### Reverse: from the result back
#
# Write `reverse_mode(x)` for the same nodes. It evaluates forward, then walks back from `"y"` to `"x"`, and
# returns a dictionary from the seven names to the derivative of $y$ with respect to the node.
#
# **You are done when**
# - **names**: the keys are the seven names;
# - **nodes**: the derivatives with respect to y, d, e, b, c and a are right, for negative x, too;
# - **input**: so is the one with respect to x, which three nodes read;
# - **shape**: each is a tensor of the shape of `x`.

# %% exercise="2.5.7b"
def reverse_mode(x):
    """{node: dy / d node} for the running example, computed in reverse; tensors of the shape of x."""
    ### BEGIN SOLUTION
    a = x ** 2
    b, c = torch.log(a), torch.sin(x)
    back = {"y": torch.ones_like(x)}
    back["d"] = back["y"]
    back["e"] = back["y"]
    back["b"] = back["d"] * c
    back["c"] = back["d"] * b
    back["a"] = back["b"] / a
    back["x"] = back["a"] * 2 * x + back["c"] * torch.cos(x) - back["e"] / a
    return back
    ### END SOLUTION

# %% [markdown] hints="2.5.7b"
# 1. Which nodes read `x`? Each of them sends something back.
# 2. The derivative of y with respect to a node is the sum over its readers of (dy/d reader) · (d reader/d
#    node). The derivative of y with respect to itself is 1.
# 3. Another case, $s = \sin x$, $z = s \cdot x$: dz/dz = 1, dz/ds = x, and x is read by z and by s, so dz/dx =
#    s + x · cos x.

# %% check="2.5.7b" points=3
at_3 = torch.tensor(3., dtype=torch.float64)
right_at_3 = {node: torch.tensor(number, dtype=torch.float64) for node, number in {
    "y": 1., "e": 1., "d": 1., "c": 2.1972245773362, "b": 0.1411200080599, "a": 0.0156800008955, "x": -2.1922669506468}.items()}
right_at_minus_3 = {node: -number if node in "ab" else number for node, number in right_at_3.items()}
ways = dict(zip("ace", torch.tensor([0.0940800053732, -2.1752358449089, -1 / 9], dtype=torch.float64)))
readers = "`x` is read by three nodes, and each adds its part."
no_product = "This is {}, as if y were the product of d and e; it is their sum."
back_to = {
    "y": {"This is dy/dx, as in forward mode: here it is the derivative of y with respect to y itself.": sum(ways.values()),
          "This is the value of y: here it is the derivative of y with respect to y itself.":
          (at_3 ** 2).log() * at_3.sin() + 1 / at_3,
          "y changes as y does: the derivative of y with respect to itself is not 0.": 0 * at_3},
    "d": {no_product.format("e"): 1 / at_3},
    "e": {no_product.format("d"): (at_3 ** 2).log() * at_3.sin(),
          "The derivative of e with respect to x is another; here it is that of y with respect to e.": ways["e"],
          "y is the sum of d and e: it grows with e, so that the sign is wrong.": -torch.ones_like(at_3)},
    "b": {"This is b. What comes back to a factor is multiplied by the other one.": (at_3 ** 2).log(),
          "This has gone one arrow too far: the derivative of the logarithm, db/da, comes in at a.": at_3.sin() / at_3 ** 2,
          "This has gone too far: db/da and da/dx come in at a and at x.": ways["a"]},
    "c": {"This is c. What comes back to a factor is multiplied by the other one.": at_3.sin(),
          "This has gone one arrow too far: the derivative of the sine, dc/dx, comes in at x.": ways["c"]},
    "a": {"This is the derivative of the logarithm alone; what came back to b is a factor.": 1 / at_3 ** 2,
          "This is what came back to b; the derivative of the logarithm is a factor.": at_3.sin(),
          "The derivative of the logarithm of a is 1/a, not 1/x.": at_3.sin() / at_3,
          "The derivative of the logarithm of a is 1/a, not a.": at_3.sin() * at_3 ** 2,
          "This has gone one arrow too far: the derivative of the square, da/dx, comes in at x.": ways["a"]},
    "x": {f"Only the way over {name} is in it: {readers}": part_of for name, part_of in ways.items()}
    | {f"The way over {name} is missing: {readers}": sum(ways.values()) - part_of for name, part_of in ways.items()}
    | {"The parts of the three ways are added; this is their mean.": sum(ways.values()) / 3,
       "The way over a lacks the 2: the square sends back 2x times what came to a.": sum(ways.values()) - ways["a"] / 2,
       "The way over a lacks a factor: the square sends back 2x times what came to a.":
       at_3.sin() / at_3 ** 2 + ways["c"] + ways["e"],
       "The way over c has the wrong sign: the derivative of the sine is +cos.": sum(ways.values()) - 2 * ways["c"],
       "The way over c lacks a factor: the sine sends back cos x times what came to c.":
       ways["a"] + (at_3 ** 2).log() + ways["e"],
       "The way over e has the wrong sign.": sum(ways.values()) - 2 * ways["e"],
       "The parts of the three ways are added, not multiplied.": ways["a"] * ways["c"] * ways["e"]},
}
reads = {"d": "y = d + e", "e": "y = d + e", "c": "d = b · c", "b": "d = b · c", "a": "b = log a",
         "x": "a = x², c = sin x, e = 1/x"}

def which_way(derivative):      # derivative(x): the answer's dy/dx. At each of these places one way makes nearly all of dy/dx
    for way, place_so, right in (("over e", 1e-3, -1e6), ("over c and d", 30 * math.pi, 2 * math.log(30 * math.pi)),
                                 ("over a, b and d", 30.5 * math.pi, 2 / (30.5 * math.pi))):
        found = derivative(torch.tensor(place_so, dtype=torch.float64)).item()
        if not abs(found - right) < 0.02 * abs(right):
            return (f"At x = {place_so:.6g} nearly all of dy/dx comes over one way, that {way}: it is {right:.4g} there, "
                    f"and yours {found:.4g}. Look at this way first.")
    return "Multiply along each of the three ways, then add the three products."

def what_comes_back(node):
    if node == "x":
        return which_way(lambda t: reverse_mode(t)["x"])
    values = {"d": (1, "y", "dy/dd", 1), "e": (1, "y", "dy/de", 1), "c": (1, "d", "dd/dc", (at_3 ** 2).log().item()),
              "b": (1, "d", "dd/db", at_3.sin().item()), "a": (at_3.sin().item(), "b", "db/da", 1 / 9)}
    if node == "y":
        alike = len({entry.item() for entry in reply.values()}) == 1
        return ("The derivative of y with respect to itself is 1." +
                " All seven of yours are equal, as where the names stand for one tensor: what is added to one is added to all." * alike)
    came, reader, arrow, local = values[node]
    return (f"Only {reader} reads {node} ({reads[node]}): what came back to {reader}, {came:.4g}, is multiplied by the local "
            f"derivative {arrow}, {local:.4g} at x = 3.")

reply = reverse_mode(at_3)
assert_type(reply, dict, "what reverse_mode returns", of="names")
lacking = ", ".join(sorted(set("xabcdey") - set(reply)))
assert_equal(set(reply), set("xabcdey"), "the names of the nodes", of="names",
             hint=f"No entry has the name {lacking}: a key is the name of a node alone." if lacking else
                  "The seven are there; what comes on top is not asked for.")
for node in "yedcbax":
    assert_shape(reply[node], (), f"the shape of dy/d{node} for x of shape ()", of="shape",
                 hint="Each entry is one tensor of the shape of x.")
for node, derivative in right_at_3.items():
    assert_close(reply[node], derivative, f"dy/d{node} at x = 3", of="input" if node == "x" else "nodes", mistakes=back_to[node],
                 hint=lambda: what_comes_back(node))
assert_true(not any(bool(torch.as_tensor(entry).isnan().any()) for entry in reverse_mode(-at_3).values()),
            "no entry is nan at x = -3", of="nodes",
            hint="Only for positive x is log x² = 2 log x.")
for node, derivative in right_at_minus_3.items():
    assert_close(reverse_mode(-at_3)[node], derivative, f"dy/d{node} at x = -3", of="input" if node == "x" else "nodes",
                 hint="It is right at x = 3: look for a sign that gets lost, as in |x|, or for a rule that holds for x > 0 only.",
                 mistakes={"This is the value at x = 3; that at x = -3 is another.": right_at_3[node]}
                 | ({f"The way over {name} has the wrong sign where x is negative.": derivative - 2 * part
                     for name, part in ways.items()} if node == "x" else {}))
for node in "yedcbax":
    assert_shape(reverse_mode(torch.ones(2, 3))[node], (2, 3), f"the shape of dy/d{node} for x of shape (2, 3)", of="shape",
                 hint="Each has the shape of x: nothing is summed, and a derivative that is constant has it, too.")
### BEGIN HIDDEN TESTS
def back_by_autograd(x):
    x = x.detach().clone().requires_grad_()
    a, c, e = x ** 2, torch.sin(x), 1 / x
    b = torch.log(a)
    d = b * c
    y = d + e
    return dict(zip("yedcbax", torch.autograd.grad(y.sum(), (y, e, d, c, b, a, x))))

rng = torch.Generator().manual_seed(258)
for places in (torch.tensor([-3., -0.5, 0.1, 4.], dtype=torch.float64), torch.randn(3, 2, generator=rng, dtype=torch.float64) * 2):
    reply, shape = reverse_mode(places), tuple(places.shape)
    assert_equal(set(reply), set("xabcdey"), f"the names of the nodes for x of shape {shape}", of="names")
    for node, derivative in back_by_autograd(places).items():
        assert_shape(reply[node], shape, f"the shape of dy/d{node} for x of shape {shape}", of="shape")
        if node == "x":
            assert_close(reply[node], derivative, f"dy/dx for x of shape {shape}", of="input")
        else:
            assert_close(reply[node], derivative, f"dy/d{node} for x of shape {shape}", of="nodes")
### END HIDDEN TESTS

# %% [markdown] teaches="cost of forward and reverse mode"
# ### When forward, when reverse
#
# A network is a chain of functions from $n_0$ numbers to $n_1$ numbers and so on to $n_k$. Step i has a
# Jacobian $J_i$ of shape $n_i \times n_{i-1}$, and the Jacobian of the whole is the product
# $J_k \cdots J_2 J_1$. Forward mode multiplies from the input's end, $J_k (\cdots (J_3 (J_2 J_1)))$; reverse
# mode from the output's end, $(((J_k J_{k-1}) J_{k-2}) \cdots) J_1$. The product is the same. The work is not,
# as in 2.3: an $n \times k$ matrix times a $k \times m$ matrix takes n k m multiplications. Take the sizes 100,
# 50, 20, 1, a small network with one loss.
#
# - Forward: $J_2 J_1$ takes 20 · 50 · 100 = 100,000, then $J_3$ times that 1 · 20 · 100 = 2,000: together
#   102,000.
# - Reverse: $J_3 J_2$ takes 1 · 20 · 50 = 1,000, then that times $J_1$ 1 · 50 · 100 = 5,000: together 6,000.
#
# Forward mode drags along the 100 inputs, reverse mode the single output. And here is why: one pass of forward
# mode answers "what if the inputs move in **this** direction?", a product $J\mathbf{u}$, and needs a pass for
# each input. One pass of reverse mode answers "what moves **this** weighted sum of the outputs?", a product
# $\mathbf{v}^\top J$, and needs a pass for each output. Reverse mode pays in memory: it needs the values of the
# evaluation, the last ones first, and so it keeps them all.

# %% tags=["demo"]
J1, J2, J3 = (torch.randn(n, k) for n, k in ((50, 100), (20, 50), (1, 20)))
print('forward:', 20 * 50 * 100 + 1 * 20 * 100, ' reverse:', 1 * 20 * 50 + 1 * 50 * 100,
      ' same:', torch.allclose(J3 @ (J2 @ J1), (J3 @ J2) @ J1, rtol=1e-3, atol=1e-3))
sizes = torch.arange(1, 201)
figure, ax = plt.subplots(figsize=(5.5, 3), layout='constrained')
ax.plot(sizes, 100 * 100 * sizes + 100 * 100 * sizes, label='forward mode')
ax.plot(sizes, 100 * 100 * 100 + 100 * 100 * sizes, label='reverse mode')
ax.set(xlabel='number of inputs', ylabel='multiplications', title='sizes (inputs, 100, 100, 100)')
ax.legend(loc='upper left')
plt.show()

# %% [markdown]
# With 100 outputs the two lines cross at 100 inputs: fewer inputs than outputs favour forward mode, more favour
# reverse mode.

# %% [markdown] task="2.5.8a" kind="code" minutes=8 difficulty=3 needs="cost of forward and reverse mode, cost of a matrix product"
# ### Count the multiplications
#
# Write `multiplications(sizes)` for a list `sizes` of the numbers $n_0, n_1, \ldots, n_k$ (at least two of
# them). It returns the pair `(forward, reverse)`: how many multiplications the product of the Jacobians takes
# in the two orders above.
#
# **You are done when**
# - **forward**: the first number is right;
# - **reverse**: so is the second;
# - **short chains**: a single Jacobian takes none, two take the same in both orders.

# %% exercise="2.5.8a"
def multiplications(sizes):
    """(forward, reverse): multiplications for the chain's Jacobian from the input's and from the output's end."""
    ### BEGIN SOLUTION
    forward = sum(sizes[i] * sizes[i - 1] * sizes[0] for i in range(2, len(sizes)))
    reverse = sum(sizes[-1] * sizes[i] * sizes[i - 1] for i in range(1, len(sizes) - 1))
    return forward, reverse
    ### END SOLUTION

# %% [markdown] hints="2.5.8a"
# 1. In forward mode, what shape has the product after each step? Which of its two lengths never changes?
# 2. Forward: the product so far always has n₀ columns. Reverse: it always has n_k rows.
# 3. Another case: for sizes 2, 3, 4, J₁ is 3 × 2, J₂ is 4 × 3, and there is one product, of 4 · 3 · 2 = 24
#    multiplications, in either order. The orders differ from three Jacobians on.

# %% check="2.5.8a" points=2
assert_type(multiplications([5, 4, 3, 2]), (tuple, list, torch.Tensor), "what multiplications returns", of="forward",
            hint="Two numbers are asked for, a pair (forward, reverse).")
assert_equal(len(multiplications([5, 4, 3, 2])), 2, "how many numbers multiplications returns", of="forward",
             hint="Two: forward, then reverse.")
with part(0.5, "forward", of="forward"):
    assert_equal(multiplications([5, 4, 3, 2])[0], 90, "forward for the sizes 5, 4, 3, 2",
                 hint="J₂ J₁ takes 3 · 4 · 5 multiplications, then J₃ times that 2 · 3 · 5: together 60 + 30.",
                 mistakes={"The multiplications of the two products are added up; here they are multiplied.": 1800,
                           "The product so far keeps its n₀ columns; here n_k stands in place of n₀.": 36,
                           "This is reverse mode.": 64, "The last product, J₃ times what there is, is missing.": 60,
                           "The first product, J₂ J₁, is missing.": 30,
                           "This carries one vector; the product of matrices carries several.": 38,
                           "A product has three lengths: the one that never changes is missing.": 18,
                           "The product so far keeps its n₀ columns; this forgets it.": 84,
                           "The product so far keeps its n₀ columns; n₁ stands in place of n₀ here.": 72,
                           "The first Jacobian is there already: it takes no multiplication.": 190,
                           "This multiplies all sizes; one product of matrices takes three, and the products are added up.": 120,
                           "Only multiplications are counted, no additions.": 155,
                           "J₂ J₁ has n₂ rows, and the next product multiplies by n₂: here n₁ stands in each product.": 100})
    assert_equal(multiplications([100, 50, 20, 1])[0], 102_000, "forward for the sizes 100, 50, 20, 1",
                 hint="As above: 20 · 50 · 100 + 1 · 20 · 100.")
    assert_equal(multiplications([2, 3, 4, 5, 6])[0], 124, "forward for the sizes 2, 3, 4, 5, 6: four Jacobians, three products",
                 hint="Each product so far has 2 columns: 4 · 3 · 2 + 5 · 4 · 2 + 6 · 5 · 2.",
                 mistakes={"The third product, J₄ times what there is, is missing.": 64})
with part(0.5, "reverse", of="reverse"):
    assert_equal(multiplications([5, 4, 3, 2])[1], 64, "reverse for the sizes 5, 4, 3, 2",
                 hint="J₃ J₂ takes 2 · 3 · 4 multiplications, then that times J₁ 2 · 4 · 5: together 24 + 40.",
                 mistakes={"The multiplications of the two products are added up; here they are multiplied.": 960,
                           "The product so far keeps its n_k rows; here n₀ stands in place of n_k.": 160,
                           "This is forward mode.": 90, "The last product, what there is times J₁, is missing.": 24,
                           "The first product, J₃ J₂, is missing.": 40,
                           "This carries one vector; the product of matrices carries several.": 38,
                           "A product has three lengths: the one that never changes is missing.": 32,
                           "The product so far keeps its n_k rows; this forgets it.": 84,
                           "The last Jacobian is there already: it takes no multiplication.": 76,
                           "This multiplies all sizes; one product of matrices takes three, and the products are added up.": 120,
                           "Only multiplications are counted, no additions.": 110,
                           "Beside n_k, the products take n₂ n₁ and n₁ n₀; here they take n₃ n₂ and n₂ n₁.": 36,
                           "J₃ J₂ has n₁ columns, and the next product multiplies by n₁: here n₂ stands in each product.": 54})
    assert_equal(multiplications([100, 50, 20, 1])[1], 6_000, "reverse for the sizes 100, 50, 20, 1",
                 hint="As above: 1 · 20 · 50 + 1 · 50 · 100.")
    assert_equal(multiplications([2, 3, 4, 5, 6])[1], 228, "reverse for the sizes 2, 3, 4, 5, 6: four Jacobians, three products",
                 hint="Each product so far has 6 rows: 6 · 5 · 4 + 6 · 4 · 3 + 6 · 3 · 2.",
                 mistakes={"The third product, what there is times J₁, is missing.": 192})
with part(0.25, "short chains", of="short chains"):
    assert_equal(multiplications([2, 3, 4]), (24, 24), "the sizes 2, 3, 4: one product",
                 hint="J₂ J₁ takes 4 · 3 · 2 multiplications, in either order.")
    assert_equal(multiplications([6, 7]), (0, 0), "the sizes 6, 7: a single Jacobian, and no product",
                 hint="It is there already: nothing is multiplied.")
### BEGIN HIDDEN TESTS
def counted(sizes):
    shapes = [(rows, columns) for columns, rows in zip(sizes, sizes[1:])]
    totals = []
    for order in (shapes, shapes[::-1]):
        so_far, (rows, columns) = 0, order[0]
        for more in order[1:]:
            left, right = (more, (rows, columns)) if order is shapes else ((rows, columns), more)
            so_far += left[0] * left[1] * right[1]
            rows, columns = left[0], right[1]
        totals.append(so_far)
    return totals

longer = ([1000, 300, 20, 5, 1], [1, 6, 9, 400], [4, 4, 4, 4, 4, 4], [3, 1, 8, 2, 5, 11])
with part(0.25, "forward for longer chains", of="forward"):
    for chain in longer:
        assert_equal(multiplications(chain)[0], counted(chain)[0], f"forward for the sizes {chain}",
                     hint=f"A chain of {len(chain)} sizes has {len(chain) - 2} products. Each product so far has n₀ columns.")
with part(0.25, "reverse for longer chains", of="reverse"):
    for chain in longer:
        assert_equal(multiplications(chain)[1], counted(chain)[1], f"reverse for the sizes {chain}",
                     hint=f"A chain of {len(chain)} sizes has {len(chain) - 2} products. Each product so far has n_k rows.")
with part(0.25, "other short chains", of="short chains"):
    for chain in ([7, 3], [1, 1], [5, 1, 8]):
        assert_equal(multiplications(chain), counted(chain), f"the sizes {chain}")
### END HIDDEN TESTS
total()

# %% [markdown] task="2.5.8b" kind="explain" minutes=12 difficulty=3 needs="cost of forward and reverse mode"
# ### Choose the mode
#
# In each case the derivative is wanted of a function that takes the given number of inputs to the given number
# of outputs. Set `modes` to a dictionary from the letters to `"forward"` or `"reverse"`, whichever takes fewer
# operations.
#
# - A: the loss of a network, one number, with respect to its million weights.
# - B: an image of 100,000 pixels with respect to the three angles of the camera that took it.
# - C: the position of a robot's hand, three numbers, with respect to time.
# - D: the log-probability of one sentence, one number, with respect to 40,000 entries of a table.
# - E: for 1000 outputs and 1000 inputs, the product $J \mathbf u$ of the Jacobian with one vector.
# - F: for 1000 outputs and 1000 inputs, the product $\mathbf v^\top J$ of one vector with the Jacobian.
#
# Then explain in the second cell when you would use which mode: What decides about the number of operations?
# Give the two numbers of multiplications for one chain of your choice and say what they show. Which mode does
# training use, and why? What does each mode have to keep in memory?
#
# **You are done when** the text answers the four questions, and
# - **six entries**: `modes` is a dictionary from the six letters to one of the two words, spelled as above;
# - **many inputs**: A and D are right;
# - **many outputs**: B and C are right;
# - **products**: E and F are right.

# %% exercise="2.5.8b"
### BEGIN SOLUTION
modes = {"A": "reverse", "B": "forward", "C": "forward", "D": "reverse", "E": "forward", "F": "reverse"}
### END SOLUTION

# %% [markdown] hints="2.5.8b"
# 1. How many passes does each mode need for the whole Jacobian, one for each input or one for each output?
# 2. A forward pass carries one direction in the inputs and gives $J \mathbf u$; a reverse pass carries one
#    weighting of the outputs and gives $\mathbf v^\top J$. A reverse pass needs the values of the evaluation in
#    the opposite order.
# 3. Another case: for two inputs and 500 outputs forward mode needs 2 passes, reverse mode 500.

# %% check="2.5.8b" points=1.5
passes = {"A": (10 ** 6, 1), "B": (3, 10 ** 5), "C": (1, 3), "D": (40000, 1), "E": (1, 1000), "F": (1000, 1)}
assert_type(modes, dict, "`modes`", of="six entries",
            hint="A dictionary from the letters to the words, {\"A\": ..., \"B\": ...}.")
assert_equal(sorted(modes), list("ABCDEF"), "the letters that have an entry", of="six entries",
             hint="Six entries, under the letters A to F, each a string of one capital letter.")
assert_equal([word for word in modes.values() if word not in ("forward", "reverse")], [],
             "the entries that are neither \"forward\" nor \"reverse\"", of="six entries",
             hint="The two words are \"forward\" and \"reverse\", in small letters, as in the task.")
why = {"A": "A million inputs and one output: forward mode needs a million passes, reverse mode one.",
       "B": "Three inputs and 100,000 outputs: forward mode needs three passes, reverse mode 100,000.",
       "E": "J u is what a single forward pass gives; reverse mode needs a pass for each of the 1000 outputs."}
for letter, name in (("A", "many inputs"), ("B", "many outputs"), ("E", "products")):
    with part(0.25, f"case {letter}", of=name):
        assert_equal(modes[letter], "forward" if passes[letter][0] < passes[letter][1] else "reverse",
                     f"the mode for case {letter}", hint=why[letter])
### BEGIN HIDDEN TESTS
assert_equal(len(modes), 6, "the number of entries", of="six entries")
why = {"D": "40,000 inputs and one output: forward mode needs 40,000 passes, reverse mode one.",
       "C": "The only input is the time, the outputs are three: forward mode needs one pass, reverse mode three.",
       "F": "vᵀ J is what a single reverse pass gives; forward mode needs a pass for each of the 1000 inputs."}
for letter, name in (("D", "many inputs"), ("C", "many outputs"), ("F", "products")):
    with part(0.25, f"case {letter}", of=name):
        assert_equal(modes[letter], "forward" if passes[letter][0] < passes[letter][1] else "reverse",
                     f"the mode for case {letter}", hint=why[letter])
### END HIDDEN TESTS
total()

# %% [markdown] written="2.5.8b" points=4
# ### BEGIN SOLUTION
# One pass of forward mode gives the derivative of all outputs along one direction in the inputs, so the whole
# Jacobian takes n passes for n inputs. One pass of reverse mode gives the derivative of one weighted sum of the
# outputs with respect to all inputs, so it takes m passes for m outputs. Each pass costs a small multiple of
# the evaluation. So forward mode suits few inputs and many outputs, reverse mode many inputs and few outputs.
# For sizes 1000, 300, 20, 5, 1 forward mode takes 6,105,000 multiplications, reverse mode 306,100, about 20
# times fewer. Training has one output, the loss, and very many inputs: reverse mode, which for this reason is
# what `backward` does.
#
# Reverse mode pays in memory: it cannot start before the evaluation has ended, and needs the intermediate
# values in the opposite order, so all are kept, and memory grows with the depth. Forward mode carries a value
# and a derivative along and can forget both as soon as no later node reads them.
#
# **Rubric**
# - [1] What decides is the number of inputs against the number of outputs: passes of forward mode go with the inputs, of reverse mode with the outputs. Also accepted: the shapes in the product of Jacobians, or the products Ju and vᵀJ. Lost by "reverse mode is always faster".
# - [1] Two numbers of multiplications for one chain, forward and reverse, that fit its sizes, and their comparison agrees with the claim. Also accepted: any chain, the page's included. Lost by a formula without numbers.
# - [1] Training: one loss (few outputs) and very many weights, hence reverse mode. Also accepted: the same said as "one pass gives all weights' derivatives". Lost by giving the depth of the network as the reason.
# - [1] Memory: reverse mode keeps the intermediate values of the whole evaluation, forward mode does not have to. Also accepted: that one can recompute them instead (checkpointing). Lost by "both store the same".
# ### END SOLUTION

# %% [markdown] teaches="create_graph"
# ## Derivatives of derivatives
#
# A gradient is the result of a computation, too. `torch.autograd.grad(y, x, create_graph=True)` records this
# computation, so that its result has a graph and can be differentiated again. The derivatives of $x^4$ at
# $x = 2$ are 32, 48, 48, 24.

# %%
x = torch.tensor(2., requires_grad=True)
y = x ** 4
for order in range(1, 5):
    y, = torch.autograd.grad(y, x, create_graph=True)
    print(order, y.item())

# %% [markdown]
# `create_graph` is not `retain_graph`: the one records the way back as a new graph, the other only keeps the
# old graph from being freed. (`create_graph=True` keeps it, too, since the new graph leads through the old
# one.)

# %% [markdown] task="2.5.H" kind="code" minutes=4 difficulty=2 needs="create_graph, second derivative, leaf"
# ### How the slope changes
#
# Write `second_slope(f, x)`: the second derivative at every entry of `x` of a function `f` that works entry by
# entry, such as `torch.exp`. No f is a polynomial of degree 1 or less: the slope of one is a constant, so that the
# first gradient has no graph, and the second call would raise.
#
# **You are done when**
# - **values**: the result has the shape of `x`, and each entry is the second derivative at that entry of `x`;
# - **no graph**: the result does not require a gradient.

# %% exercise="2.5.H"
def second_slope(f, x):
    """The second derivative of the element-wise function f at every entry of x; detached."""
    ### BEGIN SOLUTION
    leaf = x.detach().clone().requires_grad_()
    first, = torch.autograd.grad(f(leaf).sum(), leaf, create_graph=True)
    return torch.autograd.grad(first.sum(), leaf)[0]
    ### END SOLUTION

# %% [markdown] hints="2.5.H"
# 1. Which of the two calls of `torch.autograd.grad` must record what it does?
# 2. The sum makes a single number, the first time and the second.
# 3. Another case: for x³ at 2 the first call gives 12, the second 12, the value of 6x.

# %% check="2.5.H" points=1
@probe
def second_slopes(points):
    try:
        results = [second_slope(f, points.clone()) for f in (lambda t: t ** 3, torch.sin, lambda t: t * t.exp())]
    except RuntimeError as error:
        if "does not require grad" in str(error):
            text = ("what is differentiated here has no graph: f needs a marked leaf, and the first gradient has a graph only by "
                    "create_graph=True")
            raise RuntimeError(text).with_traceback(error.__traceback__) from None
        if "scalar outputs" in str(error):
            text = "only a single number can be differentiated: the sum of the entries, the first time and the second"
            raise RuntimeError(text).with_traceback(error.__traceback__) from None
        raise
    return results, int(sum(getattr(r, "requires_grad", 0) for r in results))

places = torch.tensor([1., 2.])
assert_type(second_slopes(places)[0][0], torch.Tensor, "the second derivative at two points", of="values",
            hint="The result is one tensor; torch.autograd.grad gives a tuple, with the gradient in it.")
assert_shape(second_slopes(places)[0][0], (2,), "the shape for two points", of="values",
             hint="One second derivative for each entry of x: neither their sum nor a matrix for all pairs of entries.")
assert_shape(second_slopes(torch.ones(2, 2))[0][0], (2, 2), "the shape for a 2 by 2 matrix", of="values",
             hint="One second derivative for each entry of x.")
assert_close(second_slopes(places)[0][0], torch.tensor([6., 12.]), "the second derivative of t³ at 1 and 2", of="values",
             hint=lambda: "It is 6t: autograd finds it exactly up to rounding, a difference quotient does not."
             if torch.allclose(second_slopes(places)[0][0], torch.tensor([6., 12.]), rtol=0.2) else
             "The first differentiation gives 3t², and that is differentiated once more, as it is: 6t.",
             mistakes={"This is the derivative of f(t) f'(t): only f'(t) is to be differentiated.": torch.tensor([15., 240.]),
                       "This is the first derivative.": torch.tensor([3., 12.]), "This is the square of the first derivative.": torch.tensor([9., 144.]),
                       "This is the third derivative: one differentiation too many.": torch.tensor([6., 6.]),
                       "This is half of it: the mean was taken of the first derivatives.": torch.tensor([3., 6.]),
                       "This is a quarter of it: the mean was taken twice where the sum belongs.": torch.tensor([1.5, 3.]),
                       "The first derivative is contained in it: .grad adds up.": torch.tensor([9., 24.]),
                       "This is the product of the first and the second derivative.": torch.tensor([18., 144.]),
                       "This is the derivative of the squared slope.": torch.tensor([36., 288.]),
                       "f was applied to the slope, and f(f'(t)) differentiated; the slope itself is to be differentiated.":
                       torch.tensor([162., 5184.]),
                       "This is the slope of f at f'(t), a new place; the derivative of f'(t) with respect to t is asked for.":
                       torch.tensor([27., 432.]),
                       "This is the first derivative of f(f(t)): f was taken twice, not the derivative.":
                       torch.tensor([9., 2304.])})
assert_close(second_slopes(places)[0][1], -places.sin(), "the second derivative of sin at 1 and 2", of="values",
             hint="The slope of sin is cos, and the slope of that is -sin.",
             mistakes={"This is the first derivative.": places.cos(), "The sign is wrong.": places.sin()})
assert_equal(second_slopes(places)[1], 0, "how many of three results require a gradient", of="no graph",
             hint="Only the first call has to record what it does; detach() takes a history away.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2508)
for shape in ((3, 2), (), (5,)):
    places = torch.randn(shape, generator=rng, dtype=torch.float64)
    found, attached = second_slopes(places)
    assert_shape(found[0], shape, f"the shape for points of shape {shape}", of="values")
    for text, slope_of, right in zip(("t³", "sin", "t exp(t)"), found, (6 * places, -places.sin(), (2 + places) * places.exp())):
        assert_close(slope_of, right, f"the second derivative of {text} at points of shape {shape}", of="values")
    assert_equal(attached, 0, f"how many of three results require a gradient, for shape {shape}", of="no graph")
### END HIDDEN TESTS

# %% [markdown] teaches="hessian"
# A function of n inputs has n first derivatives and $n^2$ second ones, $\partial^2 y / \partial x_i \partial x_j$. They form
# an n × n matrix, the *Hessian*. It is the Jacobian of the gradient: row i is the gradient of entry i of the
# gradient. For $y = x_0^2 x_1$ at $(3, 2)$ it is ((2x₁, 2x₀), (2x₀, 0)) = ((4, 6), (6, 0)):

# %%
x = torch.tensor([3., 2.], requires_grad=True)
gradient, = torch.autograd.grad(x[0] ** 2 * x[1], x, create_graph=True)
for entry in gradient:
    print(torch.autograd.grad(entry, x, retain_graph=True)[0])

# %% [markdown] teaches="growth of the graph"
# What does a second derivative cost? Cost is easier to discuss when it is counted. The table counts the nodes
# in the graph of the running example, of its first derivative, its second, and so on. (It counts them in the
# text from which the pictures above are drawn.)

# %% tags=["demo"]
def running_example(x):
    return torch.log(x ** 2) * torch.sin(x) + 1 / x


x = torch.tensor(2., dtype=torch.float64, requires_grad=True)
y = running_example(x)
for order in range(5):
    drawn = d2l.show_graph(y).source
    print(f'derivative of order {order}: {drawn.count("Backward") + drawn.count("AccumulateGrad")} nodes')
    y, = torch.autograd.grad(y, x, create_graph=True)

# %% [markdown]
# Each order has two to three times as many nodes as the one before. To count for yourself, visit every node
# once, starting at `y.grad_fn`: keep a list of the nodes that wait for a visit, and a *set* of those that you
# have seen. Nodes can be put into a set. Here is such a walk through a family tree, in which two persons share
# a grandparent:

# %%
parents = {'Ada': ['Ben', 'Cleo'], 'Ben': ['Dora'], 'Cleo': ['Dora', 'Emil'], 'Dora': [], 'Emil': []}
seen, waiting = set(), ['Ada']
while waiting:
    person = waiting.pop()
    if person not in seen:
        seen.add(person)
        waiting += parents[person]
print(len(seen), sorted(seen))

# %% [markdown] task="2.5.1" kind="explain" minutes=18 difficulty=4 needs="create_graph, growth of the graph, computational graph, hessian"
# ### Why a second derivative costs more
#
# Write `graph_size(y)`: the number of *different* nodes in the graph of the tensor `y`, its own `grad_fn` and
# all that is reached from it through `next_functions`.
#
# Then explain in words, in the second cell, why a second derivative costs more than a first: in operations, in
# memory, and for a function of n inputs. Quote the table.
#
# **You are done when** the text speaks of operations, of memory and of n inputs, and
# - **each node once**: a node that is reached in several ways counts once, and two nodes of one kind count
#   twice;
# - **leaves**: the `AccumulateGrad` nodes count, too;
# - **unmarked inputs**: a `None` in `next_functions` does not count;
# - **no graph**: a tensor without `grad_fn` has size 0, a leaf that requires a gradient, too.

# %% exercise="2.5.1"
def graph_size(y):
    """The number of different nodes in the computational graph of the tensor y, leaves' AccumulateGrad included."""
    ### BEGIN SOLUTION
    seen, waiting = set(), [y.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            waiting += [source for source, _ in node.next_functions]
    return len(seen)
    ### END SOLUTION

# %% [markdown] hints="2.5.1"
# 1. How do you visit every page of a web site once, if pages link to each other?
# 2. Keep a set of the nodes that you have seen and a list of those still to visit. For the text: the gradient
#    is itself computed by operations, which make a graph of their own.
# 3. Another case, the family tree above: counting ways would count Dora twice.

# %% check="2.5.1" points=2
@probe
def size_of(text):
    w, c = torch.tensor([1., 2.], requires_grad=True), torch.tensor([4., 5.])
    b, d, e, f = (torch.tensor(t, requires_grad=True) for t in (3., 6., 7., 8.))
    y = {"w.sum()": lambda: w.sum(), "two leaves": lambda: torch.stack([b, d]),
         "four leaves": lambda: torch.stack([b, d.sin(), e.sin().sin(), f.sin().sin()]), "w * w": lambda: w * w,
         "w.sin() * w": lambda: w.sin() * w, "b * w.sin()": lambda: b * w.sin(), "w.sin() + w.sin()": lambda: w.sin() + w.sin(),
         "w * b": lambda: w * b,
         "w * c": lambda: w * c, "c * w": lambda: c * w, "torch.ones(2)": lambda: torch.ones(2), "w": lambda: w,
         "unbind": lambda: torch.mul(*w.unbind())}[text]()
    return graph_size(y)

once = "A node that is reached twice counts once."
two_leaves = size_of("two leaves")      # 1 without the leaves' nodes, 2 without the result's
assert_equal(size_of("w.sum()"), 2, "w.sum(): the sum and the leaf", of="leaves",
             hint="A number is asked for: two nodes, y's own grad_fn and the leaf's AccumulateGrad, each counted once.",
             mistakes={"AccumulateGrad nodes count, too." if two_leaves == 1 else
                       "This is the number of arrows; asked for are the nodes." if size_of("w.sin() * w") == 3 else
                       "The node of y itself, its grad_fn, and that of the leaf both count.": 1})
assert_equal(size_of("four leaves"), 10,
             "torch.stack([b, d.sin(), e.sin().sin(), f.sin().sin()]) with four leaves: stack, five sines and a node for each "
             "leaf",
             of="each node once",
             mistakes={"This follows the first input of each node only; the others lead on, too.": 2,
                       "Every node counts for itself: the four AccumulateGrad nodes have one name, and so have the five sines.":
                       3,
                       "Every node counts for itself: the five sines have one name, and are five.": 6,
                       "Every node counts for itself: the four leaves have an AccumulateGrad node each.": 7,
                       "This is the number of nodes on the longest way from y to a leaf; those beside it count, too.": 4,
                       "This is the node of y and its inputs; the walk goes on from these.": 5})
assert_equal(size_of("w * w"), 2, "w * w: the product and the leaf, which it uses twice", of="each node once", mistakes={once: 3})
assert_equal(size_of("w.sin() * w"), 3, "w.sin() * w: sin, product and leaf", of="each node once", mistakes={once: 4})
assert_equal(size_of("w.sin() + w.sin()"), 4, "w.sin() + w.sin(): two different nodes of one kind, the sum and the leaf",
             of="each node once",
             mistakes={"Both sines count, although they have the same name.": 3, once: 5})
assert_equal(size_of("b * w.sin()"), 4, "b * w.sin() with two leaves, b and w: product, sin and a node for each leaf",
             of="each node once",
             hint="Both inputs of the product lead on: one to the leaf b, one to sin and then to the leaf w.")
assert_equal(size_of("unbind"), 3, "the product of the two entries that w.unbind() gives: product, unbind and the leaf",
             of="each node once",
             mistakes={"Both entries lead to one node, unbind: next_functions names it with the number of the output, 0 or 1, but it counts once.": 4})
assert_equal(size_of("w * b"), 3, "w * b with two leaves, w and b: the product and a node for each leaf", of="leaves",
             hint="Each of the two leaves has an AccumulateGrad node of its own.")
assert_equal(size_of("w * c"), 2, "w * c, where c is not marked, so that `None` stands for it: the product and the leaf",
             of="unmarked inputs",
             mistakes={"`None` is no node.": 3})
assert_equal(size_of("c * w"), 2, "c * w, where `None` stands first: the product and the leaf", of="unmarked inputs",
             mistakes={"`None` is no node.": 3, "A `None` ends the way to this input alone: those after it lead on.": 1})
assert_equal(size_of("torch.ones(2)"), 0, "torch.ones(2), a tensor without a graph, whose grad_fn is None", of="no graph",
             mistakes={"`None` is no node: where y has no grad_fn there is nothing to count.": 1})
assert_equal(size_of("w"), 0, "w itself, a leaf, whose grad_fn is None", of="no graph",
             mistakes={"A leaf has no grad_fn: there is no node.": 1})
### BEGIN HIDDEN TESTS
@probe
def larger_graphs():
    w, b = torch.tensor([1., 2.], requires_grad=True), torch.tensor(3., requires_grad=True)
    c, doubled = torch.tensor([4., 5.]), w
    for _ in range(14):
        doubled = doubled + doubled
    return {"two leaves": graph_size((w * c + b).exp()), "two equal nodes": graph_size(w.exp() + w.exp()), "doubled": graph_size(doubled),
            "a cut": graph_size(w.exp().detach() * w), "three inputs": graph_size(torch.stack([w[0], b, w[1]])),
            "constants": graph_size(c.sin() * 2), "leaf": graph_size(b),
            "split": graph_size(torch.addcmul(*torch.ones(6, requires_grad=True).split(2)))}

sizes = larger_graphs()
assert_equal(sizes["two leaves"], 5, "the graph of (w * c + b).exp() with two leaves, w and b", of="leaves")
assert_equal(sizes["two equal nodes"], 4, "w.exp() + w.exp(): two different nodes of one kind", of="each node once")
assert_equal(sizes["doubled"], 15, "w doubled 14 times by y = y + y", of="each node once", mistakes={"These are the ways to the nodes, not the nodes.": 2 ** 15 - 1})
assert_equal(sizes["split"], 3, "torch.addcmul of the three parts of a leaf that split gives: addcmul, split and the leaf",
             of="each node once")
assert_equal(sizes["a cut"], 2, "the graph of w.exp().detach() * w", of="unmarked inputs")
assert_equal(sizes["three inputs"], 5, "the graph of torch.stack([w[0], b, w[1]]) with two leaves, w and b", of="leaves")
assert_equal(sizes["constants"], 0, "the graph of c.sin() * 2, where c is not marked", of="no graph")
assert_equal(sizes["leaf"], 0, "the graph of a leaf of shape ()", of="no graph")
### END HIDDEN TESTS

# %% [markdown] written="2.5.1" points=4
# ### BEGIN SOLUTION
# The first derivative is not read off the graph of the function: it is computed by one backward operation or
# more for each recorded operation. With `create_graph=True` these operations are recorded as well. The second
# derivative differentiates this record, which holds the forward computation and the backward computation
# together. In the table the graph of the running example has 8 nodes, that of its first derivative 17, of the
# second 46, of the third 129: each order works through a graph two to three times as large as the one before,
# since the derivative of a product is a sum of two products.
#
# Memory grows alike: the graph cannot be freed after the first backward pass, and the intermediate values that
# the recorded backward operations need are kept besides those of the forward pass.
#
# With n inputs there is more to compute, too. The gradient has n entries and costs one backward pass. The
# matrix of second derivatives has n² entries; its rows are the gradients of the n entries of the gradient, so
# it takes n further backward passes, each through the larger graph. A product of this matrix with one vector
# needs only one of them.
#
# **Rubric**
# - [1] Operations: the second derivative differentiates the computation of the first, so it goes through forward and backward operations. Also accepted: the product rule, by which each term becomes several. Lost by "the same work is done a second time on the same graph".
# - [1] Quotes the number of nodes for at least two orders and says that the graph grows (by a factor, or with each order). Also accepted: counts for another function. Lost by quoting no number.
# - [1] Memory: the first graph and its saved values have to be kept, or those of the backward operations come on top. Also accepted: "the graph cannot be freed after the first pass". Lost by "only the result is stored".
# - [1] n inputs: n² second derivatives (or n for each of n) against n first ones, so about n further backward passes for all of them. Also accepted: a product with one vector costs only one further pass. Lost by "the cost grows exponentially with n".
# ### END SOLUTION

# %% [markdown]
# ## Summary
#
# - Mark a leaf, compute, call `backward()` on a single number, read `.grad`: the exact gradient of any program,
#   at the price of a few evaluations.
# - Four mistakes: gradients add up until they are cleared; a `detach()` or `.item()` cuts without a word;
#   several outputs need weights, `backward(gradient=v)`; the graph is freed after one pass unless
#   `retain_graph=True`.
# - The graph is written while the code runs. Local derivatives are multiplied along each way and added where
#   ways meet.
# - Reverse mode visits each node once and finds the derivatives of one output for all inputs, in exchange for
#   memory; forward mode suits few inputs.
# - `create_graph=True` makes derivatives that can be differentiated. Section 3.4 trains its first model with
#   these tools, 5.3 follows the passes through a network, and chapter A builds an autograd of its own.
