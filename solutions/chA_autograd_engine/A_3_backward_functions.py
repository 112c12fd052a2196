# %% [markdown]
# # A.3 Backward functions
#
# An engine for arrays walks back through a record of operations (A.2). At each of them it asks: given the gradient of the output, what are the gradients of the inputs? The answer is a small function, one for each kind of operation.
# A handful of them is enough for a neural network. In this section you write them, and you learn to test such a function so that a wrong one has no chance.
#
# At the end you can
# - derive a backward function from the entries of an operation, with its shapes;
# - bring a gradient back through broadcasting, a matrix product, a maximum;
# - say why a gradient of ones is a poor test, and choose inputs that find mistakes;
# - write operations that only rearrange numbers, without confusing the engine.

# %% tags=["setup"]
from d2l_utils.check import *
import numpy as np
import torch
from d2l_utils.engine_parts import Autograd, gradient_of, gradients, lend, sound

lend("Autograd")    # the page borrows an engine from the book; the backward functions are yours to write


def page():
    """The names of this page; the checks put a part of the book into it where one of yours is not ready."""
    return globals()

# %% [markdown] teaches="backward function, gradient of the output"
# ## 1. What goes in, what comes out
#
# Somewhere at the end of a program stands one number $L$, the loss. An operation in the middle computes $C = f(A, B)$. We write $\bar C$ for the gradient $\partial L/\partial C$: an array of the shape of $C$ that says for each entry how $L$ grows with it. A *backward function* gets $\bar C$ and the inputs, and returns
# $\bar A = \partial L/\partial A$ and $\bar B = \partial L / \partial B$, each in the shape of its input:
#
# $$\bar A_{ij} = \sum_{kl} \bar C_{kl} \frac{\partial C_{kl}}{\partial A_{ij}} .$$
#
# The sum goes over all entries of $C$ on which $A_{ij}$ has an influence. What $L$ is, or where $\bar C$ came from, the function never needs to know.
#
# For a product entry by entry, $C_{ij} = A_{ij} B_{ij}$. Here $A_{ij}$ has an influence on one entry only, with the local derivative $B_{ij}$. So $\bar A = \bar C \cdot B$, and $\bar B = \bar C \cdot A$.

# %% teaches="backward function"
A = np.array([[1., 2.], [3., 4.]])
B = np.array([[10., 20.], [30., 40.]])
C_bar = np.array([[1., 0.], [-1., 0.5]])        # comes from above
print("A_bar:\n", C_bar * B, "\nB_bar:\n", C_bar * A, sep="")

# %% [markdown] teaches="test of a gradient with random weights"
# ### Two oracles
#
# How do you know that a backward function is right? Two oracles are at hand, and the checks use both.
#
# - `gradients(forward, C_bar, A, B)` asks torch: it gives the gradients of the number $L = \sum \bar C \cdot f(A, B)$. (Any $\bar C$ can be made like that.)
# - *Differences* know no rule at all. Move the inputs a little along random directions $U, V$: then $L$ must change by $\sum \bar A \cdot U + \sum \bar B \cdot V$. The next cell has a function for this.
#
# Both are for comparing: inside an answer `gradients` raises an error. All arrays of this page are of float64, where nothing else is said. A gradient is right if it agrees with torch's to ten digits; rounded to float32, with its seven, it does not. The differences are a test and no replacement: those below are right to nine digits or so.

# %% tags=["setup"]
def slope(forward, grad_output, arrays, directions, h=1e-6):
    """The central difference quotient of (grad_output * forward(*arrays)).sum() along the directions."""
    def value(t):
        out = forward(*[torch.tensor(a + t * u, dtype=torch.float64) for a, u in zip(arrays, directions)])
        return float((np.reshape(grad_output, tuple(out.shape)) * out.numpy()).sum())
    return (value(h) - value(-h)) / (2 * h)

# %% teaches="test of a gradient with random weights"
def product(a, b):
    return a * b

A_bar, B_bar = gradients(product, C_bar, A, B)
print("torch:", A_bar.tolist(), B_bar.tolist())
U, V = np.array([[1., 0.], [2., -1.]]), np.array([[0., 1.], [0., 3.]])
print("by differences:", slope(product, C_bar, [A, B], [U, V]), "  by the gradients:", (A_bar * U).sum() + (B_bar * V).sum())

# %% [markdown]
# ⚠ *A gradient of ones is a poor test.* For the sum of all entries, this backward function returns ones whatever came from above. With $\bar c = 1$ nobody notices:

# %%
def careless_sum_backward(grad_output, a):
    return np.ones_like(a)

for c_bar in (1., -2.5):
    print("c_bar", c_bar, "- careless:", careless_sum_backward(c_bar, A).tolist(), " right:", gradients(torch.sum, c_bar, A)[0].tolist())

# %% [markdown]
# So every test of this page takes random numbers for $\bar C$, negative ones among them.

# %% [markdown] task="A.3.A" kind="code" minutes=3 difficulty=1 needs="backward function, gradient of the output"
# ### Squares
#
# Write `square_backward(grad_output, a)` for the operation $c = a^2$, entry by entry: it returns the gradient of `a`.
#
# **You are done when**
# - **values**: the gradient is right for any `grad_output`;
# - **arguments kept**: `grad_output` and `a` are as they were.

# %% exercise="A.3.A"
def square_backward(grad_output, a):
    """The gradient of a for a ** 2."""
    ### BEGIN SOLUTION
    return grad_output * 2 * a
    ### END SOLUTION

# %% [markdown] hints="A.3.A"
# 1. What is the local derivative of one entry?
# 2. The gradient from above multiplies the local derivative.
# 3. For $c = a^3$: `grad_output * 3 * a ** 2`.

# %% check="A.3.A" points=1
@probe
def squared_back(g, a):
    return {"found": square_backward(g, a), "kept": [g, a]}

def alone(g, a):
    """What square_backward gives for a single entry."""
    return float(np.ravel(squared_back(np.array([g]), np.array([a]))["found"])[0])

def which_factor(g, a):
    """What single entries say about a wrong value: where the share of grad_output, or the derivative, goes wrong."""
    nothing, one, two, minus = (alone(g, 3.) for g in (0., 1., 2., -1.))
    if not abs(nothing) < 1e-6:
        return f"With grad_output = 0 the gradient is 0; for a = 3 alone yours is {nothing:.4g} then. Something is added, or divided, and grad_output has to be a factor of all that is returned."
    for g, found in ((2., two), (-1., minus)):
        if not abs(found - g * one) < 1e-3:
            return f"Where grad_output is {g:g} in place of 1 the gradient is {g:g} times as large; for a = 3 alone yours goes from {one:.4g} to {found:.4g}: grad_output enters once, as a factor."
    off = {a: alone(1., a) - 2 * a for a in (3., -3., 0.5, 60.)}
    if 1e-6 < max(map(abs, off.values())) < 0.02:
        a = 3. if abs(off[3.]) > 1e-6 else max(off, key=lambda a: abs(off[a]))
        return f"For a = {a:g} alone, and grad_output 1, yours is {2 * a + off[a]:.6g}, nearly {2 * a:g}. A difference quotient leaves such an error, and so does a small number that is added; the rule 2a has none."
    if abs(alone(1., 3.) - 1 / 6) < 1e-6 and abs(alone(1., 0.5) - 1) < 1e-6:
        return "Here grad_output is divided by 2a: for a = 3 alone, and grad_output 1, yours is 1 / 6. The derivative multiplies: 2 · 3 = 6."
    for a, words in ((3., "2 · 3 = 6"), (-3., "2 · (-3) = -6"), (0.5, "2 · 0.5 = 1"), (60., "2 · 60 = 120")):
        if not abs(alone(1., a) - 2 * a) < 1e-3:
            return (f"grad_output is a factor in yours, as it must be: it is the derivative that is not right. For a = {a:g} alone it is {words}, and yours is {alone(1., a):.4g}"
                    + (", though for a = 3 it is right." if a != 3 else "."))
    for one_g, one_a in zip(g.ravel(), a.ravel()):
        if not abs(alone(one_g, one_a) - 2 * one_g * one_a) < 1e-3:
            return f"For a = {one_a:g} alone, and grad_output {one_g:g}, yours is {alone(one_g, one_a):.4g}."
    return ("Each of these entries alone has the right gradient in yours: an entry has to do with its own a and its own grad_output, "
            "and not with the others.")

def square_agrees(g, a):
    what, found = f"grad_output and a of shape {a.shape}", squared_back(g.copy(), a.copy())
    if isinstance(found["found"], (tuple, list)):
        assert_type(found["found"], np.ndarray, f"{what}: what it returns", of="values", mistakes={
            "There is one input, and its gradient is one array, not a tuple.": tuple, "The gradient is one array, of the shape of a: np.array makes one of a list.": list})
    assert_shape(found["found"], a.shape, f"{what}: the shape of the result", of="values", hint="" if found["found"] is None else
                 "It has more entries than a: each entry of a belongs with the entry of grad_output in its own place, and here it met others." if np.size(found["found"]) > a.size else
                 "Each entry of a has a gradient of its own: nothing is summed.")
    right = gradients(torch.square, g, a)[0]
    near = np.allclose(found["found"], right, rtol=1e-4, atol=1e-4)
    assert_close(found["found"], right, f"{what}: the gradient of a", of="values", rtol=1e-10, atol=1e-10, mistakes={
        "grad_output does not enter.": 2 * a, "The derivative of a² is 2a.": g * a, "This is a² itself: its derivative is asked.": g * a ** 2,
        "This is 2 times grad_output: the derivative of a² is 2a, and a is missing.": 2 * g, "The derivative of a² is 2a, not 2a².": 2 * g * a ** 2,
        "Each entry of a has an influence on one entry of the result alone: nothing is summed.": g.sum() * 2 * a,
        "Each entry has a grad_output of its own: here their mean is taken.": g.mean() * 2 * a,
        "grad_output multiplies the derivative; it is not added to it.": g + 2 * a,
        "Where a is negative its square falls: 2a keeps the sign of a.": 2 * g * np.abs(a), "grad_output enters once, not twice.": 2 * g * g * a,
        "Where grad_output is negative, so is its share.": 2 * np.abs(g) * a, "This is the derivative of a³.": 3 * g * a ** 2,
        "The derivative is not divided by the number of entries: nothing is averaged.": 2 * g * a / a.size, "2a is 2 times a, not 2 to the power of a.": g * 2. ** np.minimum(a, 99),
        "The size of grad_output counts, too, not its sign alone.": 2 * np.sign(g) * a, "This is (grad_output a)²: grad_output multiplies the derivative, once.": (g * a) ** 2,
        "This is 2 (grad_output a)²: in the gradient neither is squared.": 2 * (g * a) ** 2, "This is a³ / 3, whose derivative is a²: here a² is differentiated.": g * a ** 3 / 3,
        "This is a² itself, without grad_output: grad_output times its derivative is asked.": a ** 2,
        "Where a is negative the derivative is 2a, too: nothing is cut off at 0, as ReLU does it.": 2 * g * np.maximum(a, 0),
        "a² itself is added: the gradient is grad_output times the derivative alone.": 2 * g * a + a ** 2,
        "This is one sum over all entries, in every place: each entry of a has its own gradient.": np.full(a.shape, (2 * g * a).sum()),
        "The derivative of a² is 2a, without a minus.": -2 * g * a},
        hint=("Nearly right, but rounded to float32: all arrays here are of float64." if np.array_equal(found["found"], np.float32(found["found"])) else
              "Nearly right: the rule 2a has all its digits, where nothing is added and nothing approximated.") if near else lambda: which_factor(g, a))
    for name, now, was in zip(("grad_output", "a"), found["kept"], (g, a)):
        assert_close(now, was, f"{what}: {name} after the call", of="arguments kept", rtol=0, atol=0, hint=f"{name} itself was changed: compute in a new array.")

square_agrees(np.array([1., -3., 0.5, 2.]), np.array([2., 50., -1., 0.]))
square_agrees(np.array([[-0.1], [4.]]), np.array([[0.3], [-700.]]))
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(930)
square_agrees(rng.normal(size=(5, 2)), rng.normal(size=(5, 2)))
square_agrees(rng.normal(size=(2, 1, 3)), np.array([[[0., 1e4, -1e-3]], [[-2e5, 0.3, 0.]]]))
### END HIDDEN TESTS

# %% [markdown] teaches="gradient through broadcasting"
# ## 2. Back through broadcasting
#
# If $\mathbf b$ of shape (3,) is added to $A$ of shape (2, 3), NumPy behaves as if $\mathbf b$ were written down twice, one row below the other. So each entry of $\mathbf b$ is used twice, and it has an influence on two entries of the result. In the formula above, the sum has two terms:
#
# $$\bar b_j = \bar C_{1j} + \bar C_{2j}.$$
#
# In words: **what broadcasting repeated, the way back adds up.** Two kinds of axes are repeated: those that were *put in* at the front, since one array has fewer axes; and those of length 1 that were *stretched*.

# %%
print("b as it is added:", np.broadcast_to(np.array([7., 8., 9.]), (2, 3)).tolist())
C_bar = np.array([[1., 2., 3.], [10., 20., 30.]])           # (2, 3)
print("back to (3,), axis 0 was put in:", C_bar.sum(axis=0))
print("back to (2, 1), axis 1 was stretched:", C_bar.sum(axis=1, keepdims=True).tolist())
print("back to (), both were put in:", C_bar.sum())
print("several axes at once:", np.ones((5, 4, 3)).sum(axis=(0, 2)))

# %% tags=["demo"]
import matplotlib.pyplot as plt

figure, ax = plt.subplots(figsize=(6.4, 2.4), layout="constrained")
shades = ("tab:blue", "tab:orange")
for row, shade in enumerate(shades):
    ax.add_patch(plt.Rectangle((0, 1 - row), 1, 1, facecolor=shade, edgecolor="white"))
for layer in (2, 1, 0):                                     # the first one in front
    for row, shade in enumerate(shades):
        for column in range(4):
            ax.add_patch(plt.Rectangle((3 + column + 0.5 * layer, 1 - row + 0.6 * layer), 1, 1, facecolor=shade, edgecolor="white"))
ax.text(0.5, -0.2, "(2, 1)", ha="center", va="top")
ax.text(5, -0.2, "(3, 2, 4)", ha="center", va="top")
ax.annotate("", (2.8, 1), (1.2, 1), arrowprops={"arrowstyle": "->", "color": "gray"})
ax.set(xlim=(-0.2, 8.4), ylim=(-0.7, 3.4), aspect="equal")
ax.axis("off")
plt.show()

# %% [markdown]
# An array of two entries, blue and orange, of shape (2, 1), as it is added to one of shape (3, 2, 4): each is stretched along the last axis, 4 times, and the whole is put in 3 times, one behind the other. So each colour stands in 12 places of the result, and the gradient of the blue entry is the sum over all that is blue: over axis 0, which was put in, and axis 2, which was stretched. Axis 1 tells the two colours apart and stays.

# %% [markdown] task="A.3.B" kind="answer" minutes=3 difficulty=1 needs="gradient through broadcasting, broadcasting"
# ### Which axes?
#
# An array of shape (4, 1) was added to one of shape (5, 4, 3). The gradient of the result has the shape (5, 4, 3). Over which axes is it summed, on its way back to the first array? Hand in `put_in`, the axis (0, 1 or 2) that was put in, and `stretched`, the axis that was stretched.
#
# **You are done when**
# - **put in**: the axis is right;
# - **stretched**: the axis is right.

# %% exercise="A.3.B"
### BEGIN SOLUTION
put_in, stretched = 0, 2
### END SOLUTION

# %% [markdown] hints="A.3.B"
# 1. Write the shapes below each other, aligned at the right.
# 2. Axes are counted from the left, from 0, in the longer shape.
# 3. For (1,) and (2, 7): axis 0 was put in, axis 1 stretched.

# %% check="A.3.B" points=1
assert_type(put_in, int, "put_in", of="put in", hint="It is one axis: a number alone, 0, 1 or 2.")
assert_type(stretched, int, "stretched", of="stretched", hint="It is one axis: a number alone, 0, 1 or 2.")
for name, axis in (("put in", put_in), ("stretched", stretched)):
    assert_true(axis in (0, 1, 2), f"the axis that was {name} is 0, 1 or 2; here {axis}", of=name, hint="Axes are counted from the left, from 0; neither their lengths nor negative numbers are asked.")
assert_true(put_in != stretched, "put_in and stretched are two different axes", of="stretched")
assert_true(put_in != 1, "axis 1 is not put in: both arrays have an axis of length 4", of="put in", hint="What is put in stands at the front.")
assert_true(stretched != 1, "axis 1 is not stretched: both arrays have length 4 there", of="stretched", hint=
            "It has the number 1 in the shorter shape, (4, 1): axes are counted in the longer one." if put_in == 0 else "Aligned at the left it would be so: the shapes are aligned at the right.")
assert_true(put_in < stretched, "the axis that was put in stands in front of the stretched one", of="put in", hint="The two are exchanged.")
### BEGIN HIDDEN TESTS
small, big = (1, 4, 1), (5, 4, 3)
repeated = [i for i in range(3) if small[i] != big[i]]
assert_equal(put_in, repeated[0], "the axis that was put in", of="put in")
assert_equal(stretched, repeated[1], "the axis that was stretched", of="stretched")
### END HIDDEN TESTS

# %% [markdown] task="A.3.1" kind="code" minutes=10 difficulty=3 core=true needs="gradient through broadcasting, broadcasting"
# ### Back through broadcasting
#
# Write `unbroadcast(grad, shape)`: `grad` has a shape to which `shape`, a tuple, broadcasts. It returns `grad` summed over the axes that broadcasting put in or stretched.
#
# **You are done when**
# - **shape**: the result has the shape `shape`, with its axes of length 1, and `()` for a number;
# - **sums**: contributions are added, not averaged and not cut off, however many axes were put in or stretched;
# - **argument kept**: `grad` is as it was.

# %% exercise="A.3.1"
def unbroadcast(grad, shape):
    """The sum of grad over the axes along which an array of this shape was repeated; the result has this shape."""
    ### BEGIN SOLUTION
    grad = np.asarray(grad)
    lead = grad.ndim - len(shape)
    axes = tuple(range(lead)) + tuple(i + lead for i, n in enumerate(shape) if n == 1)
    return grad.sum(axis=axes).reshape(shape)
    ### END SOLUTION

# %% [markdown] hints="A.3.1"
# 1. Write the two shapes below each other, aligned at the right. Along which axes was the smaller array repeated?
# 2. `grad.sum(axis=(0, 2), keepdims=True)` sums over several axes and keeps them with length 1. Axes that were put in stand at the front.
# 3. For shape (4, 1) and a gradient of shape (5, 4, 3): sum over axis 0, which was put in, and axis 2, which was stretched; keep the last with length 1.

# %% check="A.3.1" points=2
@probe
def summed(grad, shape):
    found, trouble = None, ""
    try:
        found = unbroadcast(grad, tuple(shape))
    except ValueError as error:
        if "cannot reshape array of size" not in str(error) and "out of bounds for array of dimension" not in str(error):
            raise
        trouble = f"{type(error).__name__}: {error}"
    return {"found": found if found is None else np.asarray(found), "grad": grad, "trouble": trouble}

def of_the_reshape(trouble, big, small):
    """What an array that cannot be reshaped says, by the number of its entries; or an axis that is not there."""
    if "out of bounds" in trouble:
        return f"grad has {len(big)} axes. An axis that is summed without keepdims=True goes, and those behind it get smaller numbers."
    lead, size, left = len(big) - len(small), int(np.prod(small)), int(trouble.split("array of size ")[1].split()[0])
    if not trouble.replace(" ", "").endswith(f"intoshape{small}".replace(" ", "")):
        return "Align the shapes at the right: the axes at the front that were put in are summed and go; those of length 1 that were stretched are summed and stay."
    at_left = int(np.prod([m for m, n in zip(big, small + (1,) * lead) if n != 1]))
    return f"A shape {small} has {size} {'entry' if size == 1 else 'entries'}, and here {left} were to fill it" + (
        ", as many as are left where the two shapes are aligned at the left. Align them at the right: what was put in stands at the front, and is summed." if lead and left == at_left else
        ": too few axes were summed, or others. Align the shapes at the right: the axes at the front that were put in are summed, and those of length 1 that were stretched.")

def back_to(big, small, seed):
    grad = np.random.default_rng(seed).normal(size=big)
    right = gradients(lambda t: t.expand(big), grad, np.zeros(small))[0]
    what = f"{big} back to {small}" + (", where both axes of grad are equally long, so that only its place tells which was repeated" if big == (3, 3) else "")
    found = summed(grad.copy(), small)
    assert_true(found["trouble"] == "", f"{what}: no error is raised; it raised {found['trouble'] or 'none'}", of="shape", hint=lambda: of_the_reshape(found["trouble"], big, small))
    lead, stretched = len(big) - len(small), 1 in small and big[len(big) - len(small):] != small
    spread = tuple(i for i in range(len(big)) if i < lead or small[i - lead] != big[i])
    shapes = {"The axes that were put in have to go: they are still there, with length 1.": (1,) * lead + small, "Nothing is summed yet: it still has the shape of grad.": big,
              "Axes of length 1 stay in the result, with length 1: here they are gone.": tuple(n for n in small if n != 1),
              "The axes that were put in are gone, as they must be; those that were stretched are not summed.": big[lead:],
              "What was stretched is summed, as it must be; the axes that were put in are still there.": big[:lead] + small,
              "Only the first axis is gone: all that were put in have to go.": big[1:],
              "These are the lengths of the first axes of grad: aligned at the right, the last ones belong to this shape.": tuple(1 if n == 1 else m for n, m in zip(small, big)),
              f"Here an axis of `shape` was looked for under its own number in grad, where it stands {lead} further right, behind the axes that were put in.":
                  tuple(1 if i < len(small) and small[i] == 1 else m for i, m in enumerate(big))[lead:]}
    shapes = {sentence: shape for sentence, shape in shapes.items() if shape != small and not (sentence.startswith("Only the first") and lead < 2)
              and not (sentence.startswith("Here an axis") and shape == big[lead:])
              and not (sentence.startswith(("The axes that were put in are", "What was")) and not (lead and stretched)) and not (sentence.startswith("Nothing") and not spread)}
    assert_shape(found["found"], small, f"{what}: the shape", of="shape", mistakes=shapes, hint="" if found["found"] is None else "Align the shapes at the right. " + (
        "The axes at the front that were put in are summed and go; then those of length 1, which are summed and stay." if lead and stretched else
        "The axes at the front were put in: all of them are summed, and they go." if lead else
        "An axis of length 1 was stretched: it is summed and stays, with length 1. If there are several, each of them." if stretched else "No axis was repeated."))
    one_of_each = grad[tuple(0 if i < lead else slice(0, small[i - lead]) for i in range(len(big)))]
    known = {"Contributions are added, not averaged.": right * right.size / grad.size, "Only the first of each is taken: contributions are added.": one_of_each,
             "This is the largest of the contributions: they are added.": grad.max(axis=spread, keepdims=True).reshape(small),
             "This is one sum, everywhere.": np.full(small, grad.sum()), "Contributions are added with their signs.": np.abs(grad).sum(axis=spread, keepdims=True).reshape(small),
             "This is the product of the contributions: they are added.": grad.prod(axis=spread, keepdims=True).reshape(small)}
    if len(spread) == 1 and big[spread[0]] > 2:
        known["The last of the contributions is missing: all of them are added."] = right - np.take(grad, -1, axis=spread[0]).reshape(small)
    if grad.size % max(right.size, 1) == 0:
        known["A reshape puts other entries together: sum over the axes that were stretched."] = grad.reshape(-1, *small).sum(axis=0)
    terms = grad[tuple(slice(None) if i in spread else 0 for i in range(len(big)))].ravel()
    shown = (f" The first entry is {' + '.join(f'{x:.3g}' if x >= 0 else f'({x:.3g})' for x in terms)} = {terms.sum():.3g}."
             if seed == 1 and 1 < terms.size < 9 else "")
    if big == (3, 3):
        known["This is summed over the other axis: align the shapes at the right."] = grad.sum(axis=2 - len(small)).reshape(small)
    assert_close(found["found"], right, f"{what}: the values", of="sums", rtol=1e-10, atol=1e-10, mistakes=known if right.size < grad.size else None,
                 hint="Nearly right, but a sum in float64 has ten digits and more." if np.allclose(found["found"], right, rtol=1e-4, atol=1e-4) else
                 f"They are the sums of grad over axis {' and axis '.join(map(str, spread))}.{shown}" if spread else "No axis was repeated: it is grad as it is.")
    assert_close(found["grad"], grad, f"{what}: grad after the call", of="argument kept", rtol=0, atol=0, hint="grad itself was changed: add up in a new array.")

for big, small in (((2, 3), (3,)), ((2, 3), (2, 1)), ((2, 3), ()), ((4, 2, 3), (2, 1)), ((2, 3), (2, 3)), ((3, 3), (3, 1)), ((3, 3), (3,)),
                   ((2, 3, 4), (1, 3, 1)), ((2, 3, 2, 4), (4,)), ((2, 1), (2, 1))):
    back_to(big, small, 1)
### BEGIN HIDDEN TESTS
for k, (big, small) in enumerate((((4, 3, 2), (4, 3, 2)), ((4, 3, 2), (3, 1)), ((4, 3, 2), (1, 3, 1)), ((4, 3, 2), (4, 1, 2)), ((4, 3, 2), (2,)), ((4, 3, 2), (1,)),
                                 ((3, 3, 3), (3, 1, 3)), ((3, 3), (3,)), ((1, 1), (1,)), ((2, 5), (1, 1)), ((), ()), ((1, 3), (3,)), ((5, 2, 3, 4), (3, 1)),
                                 ((3, 2, 2, 2, 3), (2, 3)), ((2, 2, 3, 2), ()), ((2, 3, 2, 3, 2), (1, 3, 1, 3, 1)),
                                 ((4, 1, 3), (4, 1, 3)), ((5, 1, 2), (1, 2)))):
    back_to(big, small, 931 + k)
### END HIDDEN TESTS

# %% [markdown] teaches="backward functions of two inputs"
# ### Two inputs, any shapes
#
# With this helper a backward function of two inputs has two steps. First the gradient as if nothing had been broadcast: $\bar C$ times the local derivative, in the shape of $C$. Then back to the shape of the input. The local derivatives:
#
# | $c$ | by $a$ | by $b$ |
# |---|---|---|
# | $a + b$ | 1 | 1 |
# | $a - b$ | 1 | -1 |
# | $a b$ | $b$ | $a$ |
# | $a / b$ | $1/b$ | $-a/b^2$ |

# %% [markdown] task="A.3.2" kind="code" minutes=12 difficulty=2 core=true needs="backward functions of two inputs, gradient through broadcasting"
# ### Four operations with two inputs
#
# Write `add_backward`, `sub_backward`, `mul_backward` and `div_backward`, each called as `f(grad_output, a, b)`, with `grad_output` in the shape of the result. Each returns two arrays, the gradients of `a` and of `b`, as a tuple or a list. (If your `unbroadcast` is not ready, the check puts a right one in its place.)
#
# **You are done when**
# - **add_backward**: both gradients are right for inputs of equal shape;
# - **sub_backward**: the same for a difference;
# - **mul_backward**: for a product;
# - **div_backward**: for a quotient;
# - **broadcasting**: all four are right also for inputs that broadcast in any way, and for arrays without an axis: each gradient has the shape of its input;
# - **arguments kept**: `grad_output`, `a` and `b` are as they were.

# %% exercise="A.3.2"
def add_backward(grad_output, a, b):
    """The gradients of a and b for a + b."""
    ### BEGIN SOLUTION
    return unbroadcast(grad_output, a.shape), unbroadcast(grad_output, b.shape)


def sub_backward(grad_output, a, b):
    """The gradients of a and b for a - b."""
    return unbroadcast(grad_output, a.shape), unbroadcast(-grad_output, b.shape)


def mul_backward(grad_output, a, b):
    """The gradients of a and b for a * b."""
    return unbroadcast(grad_output * b, a.shape), unbroadcast(grad_output * a, b.shape)


def div_backward(grad_output, a, b):
    """The gradients of a and b for a / b."""
    return unbroadcast(grad_output / b, a.shape), unbroadcast(-grad_output * a / b ** 2, b.shape)
    ### END SOLUTION

# %% [markdown] hints="A.3.2"
# 1. Which shape does `grad_output` have if `a` is (2, 1) and `b` (3,), and which shapes must come back?
# 2. Each gradient is `grad_output` times a local derivative, in the shape of the output; then it is reduced to the input's shape.
# 3. For $c = a^2 b$: $\bar a = \bar c \cdot 2ab$, $\bar b = \bar c \cdot a^2$, each reduced to its own shape.

# %% check="A.3.2" points=3
@probe
def two_gradients(name, grad_output, a, b):
    with sound(page(), "unbroadcast"):
        found = eval(name)(grad_output, a, b)
    return {"found": [g if g is None else np.asarray(g) for g in found] if isinstance(found, (tuple, list)) else found, "kept": [grad_output, a, b]}

def back_from(grad, shape):
    return gradients(lambda t: t.expand(np.shape(grad)), grad, np.zeros(shape))[0]

def usual(name, g, a, b):
    """What usual mistakes give for the gradients of a and of b, in the shape of the result."""
    own = {"add_backward": {"The derivative of a sum is 1 by each input: the inputs do not enter.": (g * a, g * b)},
           "sub_backward": {"The derivatives of a difference are 1 and -1: the inputs do not enter.": (g * a, -g * b)},
           "mul_backward": {"The derivative by one factor is the other factor.": (g * a, g * b), "The derivative of a b by one factor is the other one alone; here it is the product.": (g * a * b, g * a * b)},
           "div_backward": {"The derivative of a / b by a is 1 / b: a does not enter.": (g * a / b, None), "In the derivative of a / b by a the divisor is not squared: 1 / b.": (g / b ** 2, None),
                            "The derivative of a / b by a is 1 / b, not 1: b is missing.": (g, None), "In the derivative of a / b by b the divisor is squared: -a / b².": (None, -g * a / b),
                            "In the derivative of a / b by b the factor a is missing: -a / b².": (None, -g / b ** 2), "The derivative of 1 / b has a minus, and the factor a is missing: -a / b².": (None, g / b ** 2),
                            "The derivative of a / b by b is -a / b², not -1 / b.": (None, -g / b), "In the derivative of a / b by b the divisor is squared, not cubed: -a / b².": (None, -g * a / b ** 3),
                            "In the derivative of a / b by b the divisor alone is squared: -a / b².": (None, -g * a ** 2 / b ** 2), "The derivative of 1 / b is -1 / b²; the logarithm is that whose derivative is 1 / b.": (None, g * a * np.log(np.abs(b))),
                            "1 / b is differentiated as b is: its derivative is -1 / b².": (None, g * a), "a / b * b is a: the divisor is squared, b ** 2.": (None, -g * a),
                            "The square of b is b ** 2, not 2 b.": (None, -g * a / (2 * b)), "In the derivative of a / b by b the divisor is squared, and there is a minus: -a / b².": (None, g * a / b),
                            "This belongs to b / a: here a is divided by b.": (-g * b / a ** 2, g / a), "This is the derivative of a product: here a is divided by b.": (g * b, None)}}[name]
    early = {"mul_backward": ("{} * b", "{} * a"), "div_backward": ("{} / b", "-{} * a / b ** 2")}.get(name)
    known = {sentence: [grad if grad is None else back_from(grad + 0 * a * b, np.shape(x)) for grad, x in zip(both, (a, b))] for sentence, both in own.items()}
    if early and np.shape(a) != np.shape(b):
        known["The local derivative comes first; only then is the product summed over what was repeated."] = [
            back_from(eval(form.format("s"), {"s": back_from(g, np.shape(x)), "a": a, "b": b}) + 0 * x, np.shape(x)) for form, x in zip(early, (a, b))]
    if name == "div_backward" and np.shape(a) != np.shape(b):
        known["This is made of the gradient of a, which was reduced to the shape of a already: for b it begins anew, with grad_output."] = [
            None, back_from(-back_from(g / b, np.shape(a)) * a / b + 0 * a * b, np.shape(b))]
    return known

def exchanged(found, right):
    """Whether these are the right gradients in the wrong order."""
    plain = all(isinstance(one, np.ndarray) and one.dtype.kind in "fiu" and one.shape == right[0].shape == right[1].shape for one in found)
    return plain and not np.allclose(*right) and np.allclose(found[0], right[1]) and np.allclose(found[1], right[0])

ORDER = {"sub_backward": "b is subtracted from a", "mul_backward": "the derivative by one factor is the other factor", "div_backward": "a is divided by b"}
RULES = {"add_backward": ("1", "1"), "sub_backward": ("1", "-1"), "mul_backward": ("b", "a"), "div_backward": ("1 / b", "-a / b²")}
FOUR = {"add_backward": lambda a, b: a + b, "sub_backward": lambda a, b: a - b, "mul_backward": lambda a, b: a * b, "div_backward": lambda a, b: a / b}

def which_factor(name, i, rule, shapes=None):
    """What single numbers say about a wrong gradient: the rule, or the share of grad_output, or what depends on the shapes."""
    def one(g, a, b):
        return float(np.ravel(two_gradients(name, np.array([g]), np.array([a]), np.array([b]))["found"][i])[0])

    def right(g, a, b):
        return float(gradients(FOUR[name], np.array([g]), np.array([a]), np.array([b]))[i][0])

    start, wanted, more = one(1., 3., 4.), right(1., 3., 4.), ""
    if abs(start - wanted) > 1e-6:
        for letter, numbers in (("a", (1., 6., 4.)), ("b", (1., 3., 8.))):
            if start and abs(one(*numbers) / start - right(*numbers) / wanted) > 1e-6:
                more += f" Where {letter} is twice as large, yours is {one(*numbers) / start:.4g} times as large, and it must be {right(*numbers) / wanted:.4g} times."
        return f"{rule} For the numbers a = 3, b = 4 and grad_output = 1 that is {wanted:.4g}, and yours is {start:.4g}.{more}"
    for g in (2., -1.):
        if abs(one(g, 3., 4.) - g * wanted) > 1e-6:
            return f"For a = 3, b = 4 and grad_output = 1 yours is right. For grad_output = {g:g} it must be {g:g} times as large, {g * wanted:.4g}, and yours is {one(g, 3., 4.):.4g}."
    if shapes and shapes[0] != shapes[1]:
        return (f"{rule} For single numbers, a = 3 and b = 4, yours is right, so it is what is done about the shapes: grad_output times the derivative is computed from grad_output, a and b as they come, "
                f"in the shape of the result, {np.broadcast_shapes(*shapes)}, and only then added up to the shape of {'ab'[i]}, {shapes[i]}.")
    return f"{rule} For single numbers, a = 3 and b = 4, yours is right."

def agree(name, shape_a, shape_b, seed):
    draw, forward = np.random.default_rng(seed), FOUR[name]
    a, b = np.asarray(draw.normal(size=shape_a)), np.asarray(draw.uniform(0.5, 2, size=shape_b) * draw.choice([-1, 1], size=shape_b))
    g = np.asarray(draw.normal(size=np.broadcast_shapes(shape_a, shape_b)))
    of, what = name if shape_a == shape_b else "broadcasting", f"{name}, inputs of shapes {shape_a} and {shape_b}"
    way = "".join(f", {letter} repeated along axis {' and axis '.join(map(str, along))}" for letter, x in (("a", a), ("b", b))
                  if (along := [k for k in range(g.ndim) if k < g.ndim - x.ndim or x.shape[k - g.ndim] != g.shape[k]]))
    right, ones, directions = gradients(forward, g, a, b), gradients(forward, np.ones_like(g), a, b), [draw.normal(size=np.shape(x)) for x in (a, b)]
    whole = gradients(forward, g, a + 0 * b, b + 0 * a)

    def crossed(i):
        """What a sum over the other axis gives, where both axes of the result are equally long."""
        shape, axes = np.shape((a, b)[i]), {2: (0, 1), 1: (1,)}.get(np.ndim((a, b)[i]), ()) if g.ndim == 2 and g.shape[0] == g.shape[1] else ()
        return {f"This is summed over axis {axis} of the result; it was the other one along which {'ab'[i]} was repeated.": whole[i].sum(axis=axis).reshape(shape)
                for axis in axes if len(shape) == 1 and shape == g.shape[:1] or len(shape) == 2 and shape[axis] == g.shape[axis] and shape[1 - axis] == 1 < g.shape[0]}

    def of_the_shape(i, along):
        """What is certain of a gradient of the wrong shape: nothing is summed yet, summed too early, or summed over another axis."""
        own, repeated = np.shape((a, b)[i]), f"{'ab'[i]} was repeated along axis {' and axis '.join(map(str, along))} of the result"
        if [np.shape(one) for one in found] == [shape_b, shape_a] or not along:
            return ""
        if np.shape(found[i]) == g.shape and np.allclose(found[i], whole[i]):
            return f"Its numbers are right, and not added up yet: {repeated}."
        if np.shape(found[i]) == g.shape:
            return f"It still has the shape of the result: {repeated}, over which the product with the local derivative is added up, as the last step."
        over = [k for k in range(g.ndim) if np.shape(found[i]) == whole[i].sum(axis=k).shape and np.allclose(found[i], whole[i].sum(axis=k))]
        if len(over) == 1 and over != along:
            return f"This is summed over axis {over[0]} of the result, which goes; {repeated}, and its gradient has the shape {own}."
        return f"This is summed over axis {over[0]}, as it must be, but this axis stays, with length 1." if len(over) == 1 and len(own) == g.ndim else ""
    reply = two_gradients(name, g.copy(), a.copy(), b.copy())
    found = reply["found"]
    assert_type(found, (tuple, list), f"{what}{way}: what it returns", of=of, hint="Two gradients: that of a and that of b.")
    for argument, now, was in zip(("grad_output", "a", "b"), reply["kept"], (g, a, b)):
        assert_close(now, was, f"{what}: {argument} after the call", of="arguments kept", rtol=0, atol=0, hint=f"{argument} itself was changed: compute in a new array.")
    assert_equal(len(found), 2, f"{what}: the number of gradients, one for each input", of=of)
    assert_true(all(one is not None for one in found), f"{what}: neither of the two gradients is None", of=of, hint="None belongs to an input that needs no gradient: here both need one.")
    assert_true(not exchanged(found, right), f"{what}: the gradient of a comes first, that of b second", of=of, hint=f"These are the two right ones in the other order: {ORDER.get(name, '')}.")
    for i in (0, 1):
        own = np.shape((a, b)[i])
        along = [k for k in range(g.ndim) if k < g.ndim - len(own) or own[k - g.ndim] != g.shape[k]]
        assert_shape(found[i], np.shape((a, b)[i]), f"{what}: the shape of the gradient of {'ab'[i]}", of=of, hint=lambda: of_the_shape(i, along) or (
                     "The shapes are exchanged: the first gradient is that of a, the second that of b." if shape_a != shape_b and [np.shape(one) for one in found] == [shape_b, shape_a] else
                     "It has the shape of its input: for inputs of equal shape the rule goes entry by entry, and nothing is summed." if shape_a == shape_b else "What broadcasting repeated is added up, until the gradient has the shape of its input."))
        assert_close(found[i], right[i], f"{what}: the gradient of {'ab'[i]}", of=of, rtol=1e-10, atol=1e-10, mistakes={sentence: both[i] for sentence, both in usual(name, g, a, b).items() if both[i] is not None} | {
            "grad_output does not enter: a gradient is grad_output times the local derivative.": ones[i], "The sign is wrong.": -right[i]}
            | ({"Contributions are added, not averaged.": right[i] * right[i].size / g.size} if right[i].size < g.size else {}) | crossed(i),
            hint="Nearly right: the rule in float64 has ten digits and more, where nothing is added and nothing approximated." if np.allclose(found[i], right[i], rtol=1e-4, atol=1e-4) else
            lambda: which_factor(name, i, f"It is grad_output times the derivative of the result by {'ab'[i]}, which is {RULES[name][i]}" + ("." if right[i].size == g.size else ", added up over what was repeated."), (shape_a, shape_b)))
    assert_close(sum(float((grad * u).sum()) for grad, u in zip(found, directions)), slope(forward, g, [a, b], directions), f"{what}: against differences", of=of, rtol=1e-5, atol=1e-5)

for name in FOUR:
    with part(0.5, name):
        agree(name, (3,), (3,), 1)
        agree(name, (2, 3), (3,), 2)
        agree(name, (2, 1), (2, 2), 7)
        agree(name, (2, 1), (2, 3), 3)
        agree(name, (3, 1), (1, 3), 4)
        agree(name, (1, 1), (2, 3), 5)
        agree(name, (), (), 6)
### BEGIN HIDDEN TESTS
for name in FOUR:
    with part(0.25, f"{name}, other shapes"):
        for k, shape in enumerate(((3, 2), (4, 1, 2), ())):
            agree(name, shape, shape, 9320 + k)
        for k, (shape_a, shape_b) in enumerate((((3, 2), (2,)), ((2,), (3, 2)), ((3, 1), (1, 2)), ((3, 3), (3,)), ((3, 1), (3, 3)), ((4, 3, 2), (4, 1, 2)),
                                                ((3, 1), (4, 3, 2)), ((), (2, 3)), ((2, 3), ()), ((1,), (3, 1)), ((5, 3), (1, 3)), ((1, 2), (2, 1)))):
            agree(name, shape_a, shape_b, 9330 + k)
total()
### END HIDDEN TESTS

# %% [markdown] teaches="gradient of a matrix product, gradient of an outer product"
# ## 3. Products of matrices
#
# $C = AB$ with $A$ of shape (n, k), $B$ of shape (k, m), $C$ of shape (n, m):
#
# $$C_{ij} = \sum_r A_{ir} B_{rj} .$$
#
# On which entries of $C$ has $A_{ir}$ an influence? On those of row $i$, all of them, for every $j$. The local derivative of $C_{ij}$ by $A_{ir}$ is $B_{rj}$. So the sum over the entries of $C$ is
#
# $$\bar A_{ir} = \sum_j \bar C_{ij} B_{rj} .$$
#
# The index $j$ that is summed over stands last in both. A matrix product sums over the last index of the left and the *first* of the right one; so the right one is transposed: $\bar A = \bar C B^\top$, of shape (n, m)(m, k) = (n, k). In the same way each of the $B_{rj}$ works on column $j$, and $\bar B = A^\top \bar C$.
#
# ⚠ "Only one product fits the shapes" is a good check, and no proof. If all matrices are square, everything fits:

# %%
rng = np.random.default_rng(1)
A, B, C_bar = (rng.integers(-3, 4, (2, 2)).astype(float) for _ in range(3))
right = gradients(torch.matmul, C_bar, A, B)[0]
for name, guess in (("C_bar @ B.T", C_bar @ B.T), ("C_bar @ B", C_bar @ B), ("B.T @ C_bar", B.T @ C_bar), ("B @ C_bar", B @ C_bar)):
    print(f"{name:12} has the right shape; the right values: {np.array_equal(guess, right)}")

# %% [markdown]
# An *outer product* is the table of all products of an entry of $\mathbf a$ with one of $\mathbf b$, $C_{ij} = a_i b_j$. `np.outer(a, b)` makes it, and reads each argument as one long row, whatever its shape. Here $a_i$ has an influence on row $i$: $\bar a_i = \sum_j \bar C_{ij} b_j$, a matrix-vector product.

# %%
print(np.outer([1., 2., 3.], [10., 20.]).tolist(), " a column and a row give the same:", np.outer(np.array([[1.], [2.], [3.]]), np.array([[10., 20.]])).tolist())

# %% [markdown] task="A.3.3" kind="code" minutes=10 difficulty=3 core=true needs="gradient of a matrix product, gradient of an outer product"
# ### Products of matrices and of vectors
#
# Write `matmul_backward(grad_output, a, b)` for the product `a @ b` of two matrices, and `outer_backward(grad_output, a, b)` for `np.outer(a, b)`, where `a` and `b` are vectors, or matrices with a single row or column. Each returns two arrays, the gradients of `a` and of `b`, as a tuple or a list.
#
# **You are done when**
# - **matmul_backward**: both gradients of a matrix product are right, for square matrices, too;
# - **outer_backward**: both gradients of an outer product of two vectors are right;
# - **shapes**: for `outer_backward`, each gradient has the shape of its input, if that is a row or a column, too;
# - **arguments kept**: `grad_output`, `a` and `b` are as they were.

# %% exercise="A.3.3"
def matmul_backward(grad_output, a, b):
    """The gradients of a, (n, k), and b, (k, m), for a @ b, (n, m)."""
    ### BEGIN SOLUTION
    return grad_output @ b.T, a.T @ grad_output


def outer_backward(grad_output, a, b):
    """The gradients of a and b for np.outer(a, b)."""
    return (grad_output @ b.reshape(-1)).reshape(a.shape), (a.reshape(-1) @ grad_output).reshape(b.shape)
    ### END SOLUTION

# %% [markdown] hints="A.3.3"
# 1. Of `grad_output`, (n, m), and `b`, (k, m), which product has the shape (n, k) of `a`?
# 2. In an outer product, $a_i$ counts for all $j$ with the factor $b_j$. `a.reshape(-1)` makes a vector of a row or column, `.reshape(a.shape)` goes back.
# 3. For $s = \sum_i x_i y_i$ with $\bar s = 2$, $y = (3, 5)$: $\bar x = (6, 10)$.

# %% check="A.3.3" points=3
@probe
def product_back(name, g, a, b):
    try:
        found = eval(name)(g, a, b)
    except ValueError as error:
        if a.ndim == b.ndim == 1 or name == "matmul_backward":
            raise
        return {"trouble": f"ValueError: {error}"}
    return {"found": [one if one is None else np.asarray(one) for one in found] if isinstance(found, (tuple, list)) else found, "kept": [g, a, b], "trouble": ""}

def which_entry(name, i):
    """The first entry of a small example that is wrong, and how the right one comes about."""
    a, b, g = ([[1., 2.], [3., 4.]], [[5., 6.], [7., 8.]], [[1., 10.], [100., -1000.]]) if name == "matmul_backward" else ([2., 3.], [5., 7.], [[1., 10.], [100., -1000.]])
    found = product_back(name, np.array(g), np.array(a), np.array(b))["found"][i]
    where = [(0, 0), (0, 1), (1, 0), (1, 1)] if name == "matmul_backward" else [(0,), (1,)]
    for at in where:
        if name == "matmul_backward":
            terms = [(g[at[0]][j], b[at[1]][j]) for j in (0, 1)] if i == 0 else [(a[j][at[0]], g[j][at[1]]) for j in (0, 1)]
        else:
            terms = [(g[at[0]][j], b[j]) for j in (0, 1)] if i == 0 else [(g[j][at[0]], a[j]) for j in (0, 1)]
        wanted = sum(x * y for x, y in terms)
        if abs(float(found[at]) - wanted) > 1e-6:
            made = " + ".join(" · ".join(f"{x:g}" if x >= 0 else f"({x:g})" for x in two) for two in terms)
            small = ", ".join(f"{word} = {np.array(x, dtype=int).tolist()}" for word, x in (("a", a), ("b", b), ("grad_output", g)))
            return f" For {small} entry {list(at)} is {made} = {wanted:g}, and yours is {float(found[at]):.4g}."
    return ""

def which_shape(name, i, found, right):
    """What a gradient of the wrong shape lacks."""
    if name == "matmul_backward" and found.shape == right.shape[::-1] and np.allclose(found.T, right):
        return "This is transposed: the other way round it is right."
    if found.size == right.size and np.allclose(found.ravel(), right.ravel()):
        return f"Its numbers are right, and only the shape is not: bring it into the shape of {'ab'[i]}."
    return "The first gradient is that of a, the second that of b, each in the shape of its input." + (
        f" An entry of {'ab'[i]} has an influence on a {('row', 'column')[i]} of the result, and its gradient is a sum over this {('row', 'column')[i]}." if name == "outer_backward" else "")

def pair(name, forward, g, a, b, of, mistakes):
    what, directions = f"{name}, inputs of shapes {a.shape} and {b.shape}", [np.cos(np.arange(x.size)).reshape(x.shape) for x in (a, b)]
    way = ", in which entry i of a belongs to row i, entry j of b to column j" if name == "outer_backward" else ""
    right, reply = gradients(forward, g, a, b), product_back(name, g.copy(), a.copy(), b.copy())
    assert_true(not reply["trouble"], f"{what}, grad_output of shape {g.shape}: no error is raised; it raised {reply['trouble'] or 'none'}", of=of,
                hint="Each of the two may be a vector, a row or a column: np.outer reads it as one long row, and `.reshape(-1)` makes one of it.")
    found = reply["found"]
    assert_type(found, (tuple, list), f"{what}, grad_output of shape {g.shape}{way}: what it returns", of=of, hint="Two gradients: that of a and that of b.")
    assert_equal(len(found), 2, f"{what}: the number of gradients, one for each input", of=of)
    assert_true(all(one is not None for one in found), f"{what}: neither of the two gradients is None", of=of, hint="None belongs to an input that needs no gradient: here both need one.")
    for argument, now, was in zip(("grad_output", "a", "b"), reply["kept"], (g, a, b)):
        assert_shape(now, was.shape, f"{what}: the shape of {argument} after the call", of="arguments kept", hint=f"The shape of {argument} itself was changed: `.reshape(-1)` leaves it and gives another array.")
    for i, x in enumerate((a, b)):
        assert_shape(found[i], x.shape, f"{what}: the shape of the gradient of {'ab'[i]}", of=of, hint=lambda: which_shape(name, i, found[i], right[i]))
        assert_close(found[i], right[i], f"{what}: the gradient of {'ab'[i]}", of=of, rtol=1e-10, atol=1e-10,
                     mistakes={sentence: values[i] for sentence, values in mistakes(right).items() if values[i].shape == x.shape and not np.allclose(values[i], right[i])} | {"The sign is wrong.": -right[i]}, hint=
                     "Nearly right: a sum in float64 has ten digits and more, where nothing is added and nothing approximated." if np.allclose(found[i], right[i], rtol=1e-4, atol=1e-4) else
                     lambda: (("It is grad_output times b transposed, a product of matrices.", "It is a transposed times grad_output, a product of matrices.")[i] if name == "matmul_backward" else
                              f"Entry {'ij'[i]} is {('row i', 'column j')[i]} of grad_output times {'ba'[i]}, entry by entry, and added up.") + which_entry(name, i))
    assert_close(sum(float((grad * u).sum()) for grad, u in zip(found, directions)), slope(forward, g, [a, b], directions), f"{what}: against differences", of=of, rtol=1e-5, atol=1e-5)
    for argument, now, was in zip(("grad_output", "a", "b"), reply["kept"], (g, a, b)):
        assert_close(now, was, f"{what}: {argument} after the call", of="arguments kept", rtol=0, atol=0, hint=f"{argument} itself was changed: its numbers or its shape. Work on new arrays.")

def matmul_agrees(n, k, m, seed):
    draw = np.random.default_rng(seed)
    a, b, g = draw.normal(size=(n, k)), draw.normal(size=(k, m)), draw.normal(size=(n, m))
    ones = np.ones_like(g)
    pair("matmul_backward", torch.matmul, g, a, b, "matmul_backward", lambda right: {"This is transposed.": [right[0].T, right[1].T], "The two gradients are exchanged.": right[::-1],
                                                                                     "grad_output does not enter.": [ones @ b.T, a.T @ ones],
                                                                                     "Contributions are added, not averaged.": [right[0] / m, right[1] / n],
                                                                                     "The other factor is the input itself, not its gradient.": [g @ right[1].T, right[0].T @ g],
                                                                                     "No inverse belongs here: a gradient is a product with the transposed other input.": [g @ np.linalg.pinv(b), np.linalg.pinv(a) @ g]}
         | ({"The factors stand in the wrong order: see which index is summed over.": [b.T @ g, g @ a.T],
             "The other input is not transposed here: each gradient is a product of grad_output with the transposed other input.":
             [g @ b, a @ g],
             "The product of the two as they are was transposed: transposed is the other input alone, before the product.": [(g @ b).T, (a @ g).T],
             "Neither is transposed here, and the factors stand in the other order: the other input is transposed, and grad_output stands where the result stood.": [b @ g, g @ a],
             "Here grad_output is transposed: it stays as it is, and the other input is transposed.": [g.T @ b, a @ g.T], "Both factors are transposed here: only the other input is.": [g.T @ b.T, a.T @ g.T],
             "These are products of matrices, @, not products entry by entry.": [g * b, a * g]} if n == k == m else {}))

def outer_agrees(shape_a, shape_b, seed):
    draw = np.random.default_rng(seed)
    a, b = draw.normal(size=shape_a), draw.normal(size=shape_b)
    g = draw.normal(size=(a.size, b.size))
    short = min(a.size, b.size)
    pair("outer_backward", lambda a, b: torch.outer(a.reshape(-1), b.reshape(-1)), g, a, b, "outer_backward" if len(shape_a) == len(shape_b) == 1 else "shapes",
         lambda right: {"The two gradients are exchanged.": right[::-1], "grad_output does not enter.": [np.full(shape_a, b.sum()), np.full(shape_b, a.sum())],
                        "Each entry of grad_output is multiplied by its own entry of the other input before the sum is taken.": [g.sum(axis=1).reshape(shape_a) * b.sum(), g.sum(axis=0).reshape(shape_b) * a.sum()],
                        "The input itself does not enter: the derivative of a product by one factor is the other one alone.": [
                            (g * np.outer(a, b)).sum(axis=1).reshape(shape_a), (g * np.outer(a, b)).sum(axis=0).reshape(shape_b)],
                        "Contributions are added, not averaged.": [right[0] / b.size, right[1] / a.size],
                        "It is the other input that multiplies grad_output: b in the gradient of a, a in that of b.": [g.sum(axis=1).reshape(shape_a) * a, g.sum(axis=0).reshape(shape_b) * b],
                        "Of grad_output only the entries (i, i) are used here: each entry of a meets every entry of b.": [
                            np.pad(np.diag(g) * x.ravel()[:short], (0, own.size - short)).reshape(own.shape) for own, x in ((a, b), (b, a))],
                        "The other input does not enter.": [g.sum(axis=1).reshape(shape_a), g.sum(axis=0).reshape(shape_b)]}
         | ({"Here a is multiplied as a row of numbers, whose entries meet the columns of grad_output: as a column, a[:, None], it meets the rows.": [right[0], (g * a.reshape(1, -1)).sum(axis=0).reshape(shape_b)],
             "Here b is multiplied as a column, whose entries meet the rows of grad_output: as a row it meets the columns.": [(g * b.reshape(-1, 1)).sum(axis=1).reshape(shape_a), right[1]],
             "The sum goes over the other index of grad_output: a belongs to its rows, b to its columns.": [(b.ravel() @ g).reshape(shape_a), (g @ a.ravel()).reshape(shape_b)]} if a.size == b.size else {}))

with part(1, "matmul_backward"):
    matmul_agrees(3, 3, 3, 2)
    matmul_agrees(2, 3, 4, 1)
with part(0.5, "outer_backward"):
    outer_agrees((2,), (2,), 6)
    outer_agrees((2,), (3,), 3)
    outer_agrees((3,), (3,), 4)
with part(0.5, "rows and columns"):
    outer_agrees((1, 3), (2, 1), 5)
### BEGIN HIDDEN TESTS
with part(0.5, "matmul_backward, other sizes"):
    for k, sizes in enumerate(((5, 2, 3), (2, 2, 2), (1, 4, 2), (3, 1, 2), (2, 4, 1))):
        matmul_agrees(*sizes, 9330 + k)
with part(0.5, "outer_backward, other sizes"):
    for k, (shape_a, shape_b) in enumerate((((3,), (4,)), ((2,), (2,)), ((1, 3), (1, 2)), ((4, 1), (3,)), ((1,), (5,)))):
        outer_agrees(shape_a, shape_b, 9340 + k)
total()
### END HIDDEN TESTS

# %% [markdown] teaches="backward functions of one input, stable sigmoid"
# ## 4. One input
#
# A function of one input, entry by entry, has $\bar a = \bar c \cdot f'(a)$. Five that networks use:
#
# | function | derivative | by its own value |
# |---|---|---|
# | $\exp a$ | $\exp a$ | itself |
# | $\log a$ | $1/a$ | |
# | $\sigma(a) = 1/(1+e^{-a})$ | | $\sigma(1 - \sigma)$ |
# | $\tanh a$ | | $1 - \tanh^2$ |
# | $\mathrm{relu}(a) = \max(a, 0)$ | 1 for $a > 0$, 0 for $a < 0$ | |
#
# ⚠ A backward function gets the *input* `a`. Three of the derivatives are written with the *value* of the function, so this has to be computed first. Who puts `a` in place of $\sigma(a)$ gets a parabola:

# %% tags=["demo"]
grid = np.linspace(-4, 4, 200)
sigma = 1 / (1 + np.exp(-grid))
figure, axes = plt.subplots(1, 2, figsize=(8, 2.6), layout="constrained")
axes[0].plot(grid, sigma, label="$\\sigma(a)$")
axes[0].plot(grid, sigma * (1 - sigma), "--", label="its derivative, $\\sigma(1-\\sigma)$")
axes[0].plot(grid, grid * (1 - grid), ":", label="$a(1-a)$")
axes[0].set(xlabel="a", ylim=(-0.4, 1.1))
axes[1].plot(grid, np.tanh(grid), label="$\\tanh a$")
axes[1].plot(grid, 1 - np.tanh(grid) ** 2, "--", label="derivative of tanh")
axes[1].plot(grid, np.maximum(grid, 0), label="relu$(a)$")
axes[1].plot(grid, grid > 0, "--", label="derivative of relu")
axes[1].set(xlabel="a", ylim=(-1.2, 2.2))
for ax in axes:
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), fontsize=8)
plt.show()

# %% [markdown]
# On the left, the dotted curve has nothing in common with the slope of $\sigma$. On the right, tanh and relu with their slopes; relu has a corner at 0. It has no derivative there, and any value between 0 and 1 times $\bar c$ will do.
#
# ⚠ *Large inputs.* $e^{800}$ is more than float64 can hold, so a sigmoid made of exponentials ends in `inf / inf`, which is `nan`. $\sigma(a) = \frac12 (1 + \tanh\frac a2)$ never overflows:

# %%
with np.errstate(all="ignore"):
    for a in (5., 800., -800.):
        print(f"a = {a}: exp(a) / (1 + exp(a)) = {np.exp(a) / (1 + np.exp(a))}, by tanh {0.5 * (1 + np.tanh(a / 2))}")

# %% [markdown] task="A.3.4" kind="code" minutes=10 difficulty=2 core=true needs="backward functions of one input, stable sigmoid"
# ### Functions of one input
#
# Write `exp_backward`, `log_backward`, `sigmoid_backward`, `tanh_backward` and `relu_backward`, each called as `f(grad_output, a)`, where `a` is the *input* of the function (for the logarithm, above 0). Each
# returns the gradient of `a`, an array of its shape (in a tuple of one it counts, too), by the rule of its function: the check compares twelve digits, which no difference quotient has.
#
# **You are done when**
# - **exp and log**: `exp_backward` and `log_backward` are right;
# - **sigmoid and tanh**: `sigmoid_backward` and `tanh_backward` are right;
# - **relu**: `relu_backward` is right; at 0, anything from 0 to `grad_output`;
# - **large inputs**: the three activations are right for inputs in the hundreds, such as ±800, without nan;
# - **arguments kept**: `grad_output` and `a` are as they were.

# %% exercise="A.3.4"
def exp_backward(grad_output, a):
    """The gradient of a for exp(a)."""
    ### BEGIN SOLUTION
    return grad_output * np.exp(a)


def log_backward(grad_output, a):
    """The gradient of a for log(a)."""
    return grad_output / a


def sigmoid_backward(grad_output, a):
    """The gradient of a for 1 / (1 + exp(-a))."""
    s = 0.5 * (1 + np.tanh(a / 2))
    return grad_output * s * (1 - s)


def tanh_backward(grad_output, a):
    """The gradient of a for tanh(a)."""
    return grad_output * (1 - np.tanh(a) ** 2)


def relu_backward(grad_output, a):
    """The gradient of a for max(a, 0)."""
    return grad_output * (a > 0)
    ### END SOLUTION

# %% [markdown] hints="A.3.4"
# 1. Which of the five derivatives can be written with the value of the function itself?
# 2. Compute `s`, the sigmoid of `a`, in the stable form, and then its derivative. For relu, `a > 0` counts as 1 or 0 in a product.
# 3. For $\sqrt a$: the gradient is `grad_output / (2 * np.sqrt(a))`.

# %% check="A.3.4" points=3
FIVE = {"exp_backward": torch.exp, "log_backward": torch.log, "sigmoid_backward": torch.sigmoid, "tanh_backward": torch.tanh, "relu_backward": torch.relu}
CLAIM = {"exp_backward": "exp and log", "log_backward": "exp and log", "sigmoid_backward": "sigmoid and tanh", "tanh_backward": "sigmoid and tanh", "relu_backward": "relu"}

@probe
def one_gradient(name, grad_output, a):
    found = eval(name)(grad_output, a)
    found = found[0] if isinstance(found, (tuple, list)) and len(found) == 1 else found
    return {"found": found if found is None else np.asarray(found), "kept": [grad_output, a]}

def which_factor(name, grads, inputs):
    """What single entries say about a wrong value: the derivative, or the share of grad_output."""
    rule, steps = {"exp_backward": ("It is grad_output times exp(a).", "exp(a) = {0:.4g}"), "log_backward": ("It is grad_output divided by a.", "1 / a = {0:.4g}"),
                   "sigmoid_backward": ("It is grad_output times s (1 - s), with s the sigmoid of a.", "s = {1:.4g} and s (1 - s) = {0:.4g}"),
                   "tanh_backward": ("It is grad_output times 1 - t², with t = tanh(a).", "t = {1:.4g} and 1 - t² = {0:.4g}"),
                   "relu_backward": ("Where a is above 0 it is grad_output, where a is below 0 exactly 0.", "the derivative is {0:g}")}[name]
    for a in (2., 0.5) if name == "log_backward" else (2., -1., 0.5):
        for g in (1., 2., -3.):
            right = float(gradients(FIVE[name], np.array([1.]), np.array([a]))[0][0])
            found = float(np.ravel(one_gradient(name, np.array([g]), np.array([a]))["found"])[0])
            if not abs(found - g * right) < 1e-6 and g == 1:
                return f"{rule} For a = {a:g}: {steps.format(right, float(FIVE[name](torch.tensor(a))))}. With grad_output = 1 yours is {found:.4g}."
            if not abs(found - g * right) < 1e-6:
                return f"{rule} For a = {a:g} and grad_output = 1 yours is right. With grad_output = {g:g} it must be {g:g} times as large, {g * right:.4g}, and yours is {found:.4g}."
    for g, a in zip(grads.ravel(), inputs.ravel()):
        right = float(gradients(FIVE[name], np.array([g]), np.array([a]))[0][0])
        found = float(np.ravel(one_gradient(name, np.array([g]), np.array([a]))["found"])[0])
        if not abs(found - right) < 1e-6 * max(1., abs(right)):
            return f"{rule} For a = {a:g} alone, and grad_output {g:g}, yours is {found:.4g}."
    return (f"{rule} Each of these entries alone has the right gradient in yours: an entry has to do with its own a and its own "
            "grad_output, and not with the others.")

def one_agrees(name, g, a, of=None):
    of, what = of or CLAIM[name], f"{name}, a of shape {a.shape}" if a.size > 4 else f"{name} for a = {', '.join(f'{x:g}' for x in a.ravel())}"
    reply = one_gradient(name, g.copy(), a.copy())
    assert_shape(reply["found"], a.shape, f"{what}: the shape of the gradient", of=of, hint="" if reply["found"] is None else "Each entry of a has a gradient of its own: nothing is summed.")
    right = gradients(FIVE[name], g, a)[0]
    near = np.allclose(reply["found"], right, rtol=1e-4, atol=1e-12)
    assert_close(reply["found"], right, f"{what}: the gradient", of=of, rtol=1e-12, atol=1e-12, mistakes=slips(name, g, a) if of != "large inputs" else None,
                 hint="Here the slope is 0, to all digits" + (": compute with the stable form, and cut nothing off." if not np.abs(reply["found"]).max() > 0.01 else ".")
                      if of == "large inputs" and name == "sigmoid_backward" else
                      "Here the slope is 0, to all digits: " + ("np.tanh itself never overflows, a quotient of exponentials does." if np.isnan(reply["found"]).any() else
                      "tanh(a) is 1 or -1 and 1 - tanh² is 0, and so is grad_output times it.") if of == "large inputs" and name == "tanh_backward" else
                      "Nearly right, but rounded to float32: all arrays here are of float64." if near and np.array_equal(reply["found"], np.float32(np.clip(reply["found"], -1e38, 1e38))) else
                      "Nearly right: the rule has twelve digits, where nothing is added to it and nothing approximated." if near else
                      lambda: which_factor(name, g, a))
    for argument, now, was in zip(("grad_output", "a"), reply["kept"], (g, a)):
        assert_close(now, was, f"{what}: {argument} after the call", of="arguments kept", rtol=0, atol=0, hint=f"{argument} itself was changed: compute in a new array.")

def slips(name, g, a):
    """What usual mistakes give, and what to say of them."""
    value, ones = FIVE[name](torch.tensor(a)).numpy(), np.ones_like(g)
    with np.errstate(all="ignore"):
        own = {"exp_backward": {"The derivative of exp at a is exp(a).": g * a, "This is the rule for powers of a, and here a is the exponent.": g * a * np.exp(a - 1),
                                "grad_output stands outside of exp: it multiplies the derivative.": np.exp(g * a),
                                "This is the derivative of 2 to the power of a: exp(a) has the base e.": g * 2. ** a * np.log(2), "This is 2 to the power of a: exp(a) has the base e.": g * 2. ** a,
                                "This is grad_output divided by exp(a), which is exp(-a) times it: exp(a) multiplies.": g * np.exp(-a),
                                "The largest entry was subtracted inside exp, as a softmax does it: here it is exp(a) itself.": g * np.exp(a - a.max()),
                                "This is divided by the sum of the exponentials, as a softmax is: here it is exp(a) itself.": g * np.exp(a - a.max()) / np.exp(a - a.max()).sum(),
                                "This is grad_output alone: the derivative is missing.": g},
               "log_backward": {"This is divided by log a: the derivative of log at a is 1 / a.": g / value, "grad_output is divided by a.": g * a, "This is a by grad_output: grad_output is divided by a.": a / g,
                                "The derivative of log a is 1 / a; -1 / a² is that of 1 / a.": -g / a ** 2, "The derivative of log a is 1 / a, without a minus.": -g / a,
                                "The logarithm here is the natural one, with the base e: the derivative has no factor.": g / (a * np.log(10))},
               "sigmoid_backward": {"Is a the input of the function? This takes it for the output.": g * a * (1 - a), "The derivative is a product of two, s (1 - s).": g * (1 - value),
                                    "The stable form of the sigmoid has tanh(a / 2), not tanh(a).": g * (1 - np.tanh(a) ** 2) / 4,
                                    "In the stable form 1 is added to tanh(a / 2) before it is halved.": g * np.tanh(a / 2) / 2 * (1 - np.tanh(a / 2) / 2),
                                    "The half is that of the whole, 1 + tanh(a / 2), not of the 1 alone.": g * (0.5 + np.tanh(a / 2)) * (0.5 - np.tanh(a / 2)),
                                    "This is twice the derivative: written with t = tanh(a / 2), s (1 - s) is (1 - t²) / 4.": 2 * g * value * (1 - value),
                                    "This is 1 - s², as for tanh: the derivative of the sigmoid is s (1 - s).": g * (1 - value ** 2),
                                    "The second factor of s (1 - s) has a minus, not a plus.": g * value * (1 + value), "The derivative is s (1 - s), not s².": g * value ** 2, "The derivative is s (1 - s), not (1 - s)².": g * (1 - value) ** 2,
                                    "The stable form is half of 1 + tanh(a / 2).": -g * (1 + np.tanh(a / 2)) * np.tanh(a / 2)},
               "tanh_backward": {"1 and tanh² are subtracted, not added.": g * (1 + value ** 2), "Is a the input of the function? This takes it for the output.": g * (1 - a * a), "In 1 - tanh² the square is missing.": g * (1 - value),
                                 "This is tanh², which is subtracted from 1.": g * value ** 2, "The square is that of tanh alone: 1 - tanh², not (1 - tanh)².": g * (1 - value) ** 2,
                                 "This is tanh (1 - tanh), the form of the sigmoid's derivative: here it is 1 - tanh².": g * value * (1 - value), "This is 1 / cosh(a): the derivative is its square.": g / np.cosh(np.clip(a, -99, 99)),
                                 "This is 1 - tanh(a / 2)²: the half belongs to the sigmoid's stable form, not here.": g * (1 - np.tanh(a / 2) ** 2),
                                 "The square is that of tanh(a), not of a.": g * (1 - np.tanh(a * a)),
                                 "The square is that of tanh(a); this is the sigmoid's.": g * (1 - (0.5 * (1 + np.tanh(a / 2))) ** 2)},
               "relu_backward": {"The derivative is 1 or 0, as the sign of a says: nothing is multiplied by a.": np.maximum(g * a, 0), "The sign of a decides, not that of grad_output.": np.maximum(g, 0), "Where a is negative the derivative is 0.": g,
                                 "The sign of a decides alone: where it is positive, a negative grad_output passes, too.": np.maximum(g, 0) * (a > 0),
                                 "Where a is negative the derivative is 0, not -1.": g * np.sign(a), "Where a is negative the derivative is exactly 0; this lets a little through.": g * np.where(a > 0, 1, 0.01)}}[name]
    if name != "exp_backward":
        own["This is the value of the function times grad_output: its derivative is asked."] = g * value
        own["This is the value of the function, without grad_output: grad_output times the derivative is asked."] = value
    if name in ("sigmoid_backward", "tanh_backward"):
        inside = gradients(FIVE[name], ones, g * a)[0]
        own |= {"grad_output stands outside of the function, which is that of a alone.": inside, "The function is that of a alone: grad_output enters once, as a factor.": g * inside}
    return own | {"grad_output does not enter: the gradient is grad_output times the derivative.": gradients(FIVE[name], ones, a)[0]}

def of_the_corner():
    """What two gradients from above say about a wrong value at 0."""
    one, two = (float(one_gradient("relu_backward", np.array([g]), np.array([0.]))["found"][0]) for g in (1., 2.))
    if one != one:
        return "Yours is nan there, as 0 / 0 is: let a comparison decide. a > 0 counts as 1 or 0 in a product, and divides nothing."
    if not abs(two - 2 * one) < 1e-6:
        return f"With grad_output = 1 yours is {one:.4g} there, with grad_output = 2 it is {two:.4g}: whatever slope from 0 to 1 you take at 0, grad_output multiplies it."
    return f"You take the slope {one:.4g} at 0; it must be one from 0 to 1, between those on the two sides."

def at_the_corner(g):
    found = one_gradient("relu_backward", np.array([g]), np.array([0.]))["found"]
    assert_shape(found, (1,), "relu_backward at a = 0: the shape", of="relu")
    assert_true(min(0., g) <= float(found[0]) <= max(0., g), f"relu_backward at a = 0, grad_output {g:g}: a value from 0 to {g:g}, here {float(found[0]):g}", of="relu", hint=of_the_corner)

with part(0.5, "exp and log"):
    one_agrees("exp_backward", np.array([1., -3., 0.2]), np.array([0.5, -2., 15.]))
    one_agrees("log_backward", np.array([1., -3., 0.2]), np.array([0.5, 2., 0.001]))
with part(0.5, "sigmoid and tanh"):
    for name in ("sigmoid_backward", "tanh_backward"):
        one_agrees(name, np.array([1., -3., 2.]), np.array([0.5, 2., -1.5]))
with part(0.5, "relu"):
    one_agrees("relu_backward", np.array([1., -3., 2., -0.5]), np.array([0.5, 2., -1.5, -0.25]))
    at_the_corner(-2.)
with part(0.5, "large inputs"):
    for name in ("sigmoid_backward", "tanh_backward", "relu_backward"):
        one_agrees(name, np.array([2., -3.]), np.array([800., -800.]), "large inputs")
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(934)
with part(0.25, "exp and log, other inputs"):
    for shape in ((4, 3), (), (2, 1, 3)):
        one_agrees("exp_backward", np.asarray(rng.normal(size=shape)), np.asarray(rng.normal(size=shape)) * 5)
        one_agrees("log_backward", np.asarray(rng.normal(size=shape)), np.asarray(np.exp(rng.uniform(-12, 9, size=shape))))
    one_agrees("exp_backward", np.array([-2., 0.5]), np.array([100., -90.]))
    one_agrees("log_backward", np.array([-2., 0.5]), np.array([1e-9, 1e7]))
with part(0.25, "sigmoid and tanh, other inputs"):
    for name in ("sigmoid_backward", "tanh_backward"):
        for shape in ((5, 3), (), (2, 1, 3)):
            one_agrees(name, np.asarray(rng.normal(size=shape)), np.asarray(rng.normal(size=shape)) * 2)
with part(0.25, "relu, other inputs"):
    for shape in ((5, 3), (), (2, 1, 3)):
        one_agrees("relu_backward", np.asarray(rng.normal(size=shape)), np.asarray(rng.normal(size=shape)))
    at_the_corner(1.5)
with part(0.25, "other large inputs"):
    for name in ("sigmoid_backward", "tanh_backward", "relu_backward"):
        one_agrees(name, np.array([[-1.], [0.5], [4.]]), np.array([[-950.], [710.], [-720.]]), "large inputs")
total()
### END HIDDEN TESTS

# %% [markdown] teaches="gradient of a sum, gradient of a maximum"
# ## 5. Sum and maximum
#
# Two operations make fewer numbers out of many. If one entry of `a` grows by a little, `a.sum()` grows by just as much, so every entry has the local derivative 1. `a.max()` grows only if the *largest* entry does: it gets all of the gradient, the others nothing.

# %%
a = np.array([1., 7., -9.])
print("sum:", gradients(torch.sum, -2.5, a)[0], "  max:", gradients(torch.max, -2.5, a)[0])
tied = np.array([4., 1., 4.])
h = 1e-6
up = [((tied + h * unit).max() - tied.max()) / h for unit in np.eye(3)]
both = ((tied + h * np.array([1., 0., 1.])).max() - tied.max()) / h
print("two largest: raise one of them:", np.round(up, 3), "  raise both:", round(both, 3))

# %% [markdown]
# ⚠ Where two entries are largest, raising one of them raises the maximum by as much, and raising *both* does not raise it by twice as much. So each may get a share, but the shares must add up to the whole: all to one of them, or half and half. Giving the whole to both doubles the gradient.

# %% [markdown] task="A.3.5" kind="code" minutes=10 difficulty=3 needs="gradient of a sum, gradient of a maximum"
# ### Sum and maximum
#
# Write two functions that return the gradient of `a`, in its shape:
#
# - `sum_backward(grad_output, a)` for `a.sum()` and for `a.sum(axis, keepdims=True)`: `grad_output` is a number or an array that broadcasts to the shape of `a`;
# - `max_backward(grad_output, a)` for `a.max()`, the largest of *all* entries; `grad_output` is a number.
#
# A number may come plain, such as `-2.5`, or as `np.array(-2.5)`, as the engine wraps it. `a` may have any number of axes, and it may be an array of integers; its gradient is of floating point.
#
# **You are done when**
# - **sum**: `sum_backward` is right for the sum of all entries;
# - **sum along an axis**: and for sums along an axis that was kept with length 1;
# - **max**: `max_backward` is right where one entry is largest, for matrices and for negative entries, too;
# - **either number**: both are right for a plain number and for `np.array(number)`;
# - **integers**: both are right for an array `a` of integers: nothing is cut off;
# - **ties**: where several are largest, their parts add up to `grad_output`, each from 0 to it, and the others get 0;
# - **arguments kept**: `grad_output` and `a` are as they were.

# %% exercise="A.3.5"
def sum_backward(grad_output, a):
    """The gradient of a for a.sum() or a.sum(axis, keepdims=True)."""
    ### BEGIN SOLUTION
    return grad_output * np.ones(a.shape)


def max_backward(grad_output, a):
    """The gradient of a for a.max(); entries that are equally large share it."""
    largest = a == a.max()
    return grad_output * (largest / largest.sum())
    ### END SOLUTION

# %% [markdown] hints="A.3.5"
# 1. By how much does the sum change if one entry grows by a little? And the maximum?
# 2. `np.broadcast_to(x, shape)` and `x * np.ones(shape)` repeat `x`. `a == a.max()` marks the largest entries.
# 3. For the mean of 4 numbers: each has the gradient `grad_output / 4`.

# %% check="A.3.5" points=3
@probe
def fewer(name, g, a):
    found = eval(name)(g, a)
    found = found[0] if isinstance(found, (tuple, list)) and len(found) == 1 else found
    return {"found": found if found is None else np.asarray(found), "kept": [np.asarray(g), a]}

def small_case(name):
    """What the function gives for small numbers, against what it has to be."""
    for g, a, right in {"sum_backward": ((2., [5., 3.], [2., 2.]), ([[10.], [20.]], [[1., 2., 3.], [4., 5., 6.]], [[10., 10., 10.], [20., 20., 20.]]), ([[10., 20.]], [[1., 2.], [3., 4.], [5., 6.]], [[10., 20.]] * 3)),
                        "max_backward": ((2., [1., 7., -9.], [0., 2., 0.]), (2., [-3., -5.], [2., 0.]), (-1., [[1., 5.], [6., 2.]], [[0., 0.], [-1., 0.]]))}[name]:
        found = fewer(name, np.array(g), np.array(a))["found"]
        if found.shape != np.shape(right) or not np.allclose(found, right):
            return f"For a = {a} and grad_output = {g} it is {right}, and yours is {np.round(found, 4).tolist()}."
    return ""

def sum_agrees(shape, axis, seed, of="", plain=False):
    draw = np.random.default_rng(seed)
    a = np.asarray(draw.integers(-9, 9, size=shape) if of == "integers" else draw.normal(size=shape))
    g = np.asarray(draw.normal(size=() if axis is None else a.sum(axis, keepdims=True).shape))
    what = f"sum_backward, a of shape {shape}" + (", integers" if of == "integers" else "") + ("" if axis is None else f", the sum along axis {axis}")
    what, of = f"{what}, grad_output the plain number {float(g):.3g}" if plain else what, of or ("sum" if axis is None else "sum along an axis")
    reply = fewer("sum_backward", float(g) if plain else g.copy(), a.copy())
    found = reply["found"]
    assert_shape(found, shape, f"{what}: the shape", of=of, hint="Each entry of a has a gradient: grad_output is repeated in the shape of a." if axis is None else "grad_output is repeated along the axis in which it has length 1, whichever that is.")
    assert_close(found, np.broadcast_to(g, shape), f"{what}: the gradient", of=of, rtol=1e-10, atol=1e-10, hint=("Each entry of a gets the grad_output of the sum that it is in.", lambda: small_case("sum_backward")), mistakes={
        "a does not enter: each entry of a sum has the local derivative 1.": g * a, "This repeats one entry of grad_output alone.": np.full(shape, g.ravel()[0]),
        "grad_output does not enter.": np.ones(shape), "This is the gradient of the mean.": np.broadcast_to(g, shape) / max(a.size, 1), "Is grad_output summed? It is repeated.": np.full(shape, g.sum()),
        "It is not multiplied by the number of entries: each gets grad_output once.": np.broadcast_to(g, shape) * a.size,
        "This is cut to integers.": np.broadcast_to(np.trunc(g).astype(int), shape)} if a.size > 1 else None)
    kept_as_they_were(reply["kept"], g, a, what)

def kept_as_they_were(kept, g, a, what):
    for argument, now, was in zip(("grad_output", "a"), kept, (np.asarray(g), a)):
        assert_close(now, was, f"{what}: {argument} after the call", of="arguments kept", rtol=0, atol=0, hint=f"{argument} itself was changed: compute in a new array.")

def max_agrees(g, a, of="max"):
    what = f"max_backward, a of shape {a.shape}, grad_output " + (f"the plain number {g:.3g}" if isinstance(g, float) else f"np.array({float(g):.3g})") + (", integers" if of == "integers" else "")
    reply = fewer("max_backward", g if isinstance(g, float) else g.copy(), a.copy())
    found = reply["found"]
    assert_shape(found, a.shape, f"{what}: the shape", of=of, hint="The gradient of a has the shape of a.")
    kept_as_they_were(reply["kept"], g, a, what)
    g, largest, biggest = float(g), (a == a.max()).astype(float), (np.abs(a) == np.abs(a).max()).astype(float)
    known = {"The largest entry is asked: largest in value, not in size, and not the smallest.": g * biggest, "grad_output does not enter.": largest,
             "The largest entry gets grad_output, not grad_output times its value.": g * a * largest, "The others get exactly 0: only the largest has a share.": g * np.exp(a - a.max()) / np.exp(a - a.max()).sum(),
             "All entries get the gradient: only the largest does.": np.full(a.shape, g), "This is cut to integers.": (np.trunc(g) * largest).astype(int)}
    known |= {"Here each positive entry gets grad_output, as it does from ReLU: only the largest of all entries gets it.": g * (a > 0)} if a.max() > 0 else {
        "No entry gets it: among negative numbers one is the largest, too. (A search for it cannot begin at 0.)": 0 * largest}
    near = np.isclose(a, a.max())
    if near.sum() > largest.sum():
        known |= {"One entry is the largest; those that are nearly as large get nothing: compare with ==.": g * near / near.sum(),
                  "One entry is the largest; those that are nearly as large get nothing, and certainly not all of it.": g * near}
    if a.max() != 1:
        known["The largest entry gets grad_output; this is its own value."] = a * largest
    if a.ndim == 2:
        for axis, name in ((0, "column"), (1, "row")):
            tops = a == a.max(axis=axis, keepdims=True)
            known[f"There is one maximum, of all entries; here the largest of each {name} has a share."] = g * tops / tops.sum()
        known |= {"This takes the largest of each column: there is one maximum, of all entries.": g * (a == a.max(axis=0)),
                  "This takes the largest of each row: there is one maximum, of all entries.": g * (a == a.max(axis=1, keepdims=True))}
    if a.ndim > 1 and a.argmax() < a.shape[0]:
        row = np.zeros(a.shape)
        row[a.argmax()] = g
        known["a.argmax() counts through all entries, row after row: here this number was taken for a row."] = row
    known["The number of entries does not enter: the largest entry gets grad_output, once."] = g * largest * a.size
    known["Nothing is averaged over the entries: the largest entry gets the whole of grad_output."] = g * largest / a.size
    assert_close(found, g * largest, f"{what}: the gradient", of=of, rtol=1e-10, atol=1e-10, mistakes=known if a.size > 1 else None, hint=(lambda: {
        (True, False): "The largest entry gets grad_output, as it must; every other one must get 0, and here others get something, too.",
        (False, True): "The others get 0, as they must; the largest entry must get the whole of grad_output.",
        (False, False): "The largest entry gets the whole of grad_output, every other one 0: here neither holds."}[
            bool(np.allclose(found[largest == 1], g)), bool(np.allclose(found[largest == 0], 0))], lambda: small_case("max_backward")))

def ties_agree(g, a):
    what = f"max_backward where the largest entry stands {int((a == a.max()).sum())} times, grad_output {g:g}"
    reply = fewer("max_backward", np.array(g), a.copy())
    found = reply["found"]
    assert_shape(found, a.shape, f"{what}: the shape", of="ties", hint="The gradient of a has the shape of a.")
    kept_as_they_were(reply["kept"], np.array(g), a, what)
    assert_close(found[a < a.max()], np.zeros(int((a < a.max()).sum())), f"{what}: the other entries", of="ties", hint="Only those that are largest have a share; each other entry gets 0.")
    same = float(1 + a.size - len(np.unique(a)))
    assert_close(float(found[a == a.max()].sum()), g, f"{what}: the sum of the parts", of="ties", hint="Together the largest get grad_output, neither more nor less.", mistakes={
        "Only the largest are counted: that other entries are equal to each other does not matter.": g * float((a == a.max()).sum()) / same,
        "It is shared among the largest, not among all entries of a.": g * float((a == a.max()).sum()) / a.size, "Each of them got all of it.": g * float((a == a.max()).sum()), "None of them got anything.": 0., "The number of entries of a does not enter: together they get grad_output.": g * a.size, "Each of them got half of it: share among as many as there are.": g * float((a == a.max()).sum()) / 2})
    assert_true(bool((found * np.sign(g) >= 0).all()), f"{what}: no part has the other sign", of="ties")

with part(0.5, "sum"):
    sum_agrees((3,), None, 1)
    sum_agrees((2, 3), 0, 2)
    sum_agrees((2, 3), 1, 3)
    sum_agrees((1, 4), 1, 6)
    sum_agrees((2, 3, 4), 1, 7)
with part(0.5, "max"):
    max_agrees(np.array(1.5), np.array([1., 7., -9.]))
    max_agrees(np.array(-2.5), np.array([[1., 9., -9.], [8., -2., 3.]]))
    max_agrees(np.array(-2.5), np.array([[1., 7., -9.], [8., -2., 3.]]))
    max_agrees(np.array(2.), np.array([-3., -1.5, -7.]))
    max_agrees(np.array(2.), np.array([1., 1.000001, 0.5]))
    max_agrees(np.array(-1.5), np.array([[[1., 2.], [0., 3.]], [[-6., -1.], [8., 5.]]]))
with part(0.25, "numbers, plain and not"):
    sum_agrees((3,), None, 4, "either number", plain=True)
    sum_agrees((3,), None, 4, "either number")
    max_agrees(-2.5, np.array([1., 7., -9.]), "either number")
    max_agrees(np.array(-2.5), np.array([1., 7., -9.]), "either number")
with part(0.25, "integers"):
    sum_agrees((2, 3), None, 5, "integers")
    max_agrees(np.array(-2.5), np.array([3, 7, -9]), "integers")
with part(0.5, "ties"):
    ties_agree(3., np.array([[2., 5., 5.], [2., 0., 2.]]))
    ties_agree(-6., np.array([1., 4., 4., 4.]))
### BEGIN HIDDEN TESTS
with part(0.5, "sum, other shapes"):
    for k, (shape, axis) in enumerate((((3, 2), None), ((3, 2), 0), ((3, 2), 1), ((4, 3, 2), 1), ((4, 3, 2), 2), ((3, 3), 1), ((1, 5), 1), ((), None))):
        sum_agrees(shape, axis, 9350 + k)
with part(0.5, "max, other shapes and ties"):
    draw = np.random.default_rng(935)
    for shape in ((4,), (3, 4), (2, 1, 3), (1,)):
        max_agrees(np.asarray(draw.normal()), -draw.uniform(1, 2, size=shape))
    for shape in ((3, 1), (2, 4)):
        max_agrees(float(draw.normal()), draw.normal(size=shape), "either number")
        sum_agrees(shape, None, 9380 + shape[1], "either number", plain=True)
        max_agrees(float(draw.normal()), np.arange(shape[0] * shape[1]).reshape(shape)[::-1] - 3, "integers")
        sum_agrees(shape, 0, 9390 + shape[1], "integers")
    ties_agree(-1.5, np.array([-3., -1., -1., -1., -3., -2.]))
    ties_agree(2., np.array([[0., 0.], [-1., 0.]]))
total()
### END HIDDEN TESTS

# %% [markdown] teaches="operation that rearranges, output with memory of its own"
# ## 6. Operations that only rearrange
#
# `np.expand_dims(a, axis)` puts in an axis of length 1, and a copy does nothing at all. The numbers stay, so their gradients only change their places: back they go.
#
# ⚠ But how does the engine know arrays apart? That of A.2 knows an array by the *address* of its first entry in memory. A view has the address of the array that it looks at:

# %%
x = np.array([1., 5.])
view, own = np.expand_dims(x, 1), np.expand_dims(x, 1).copy()
print("shapes:", view.shape, own.shape, "  shares memory with x:", np.shares_memory(view, x), np.shares_memory(own, x))

# %% [markdown]
# If input and output of an operation have one address, the engine keeps one gradient for both. On the way back the operation reads the gradient of its output, and adds it to that of its input, which is the same entry: the gradient of `x` comes out doubled. **So an operation that rearranges returns a copy.**
#
# An operation of the engine has arrays as inputs. The axis is no array, but it is needed on the way back, so it is recorded as one: `np.array([1])`. It needs no gradient; the backward function returns `None` for it.

# %% [markdown] task="A.3.6" kind="code" minutes=12 difficulty=3 needs="operation that rearranges, output with memory of its own"
# ### Identity and a new axis
#
# Write
#
# - `identity_backward(grad_output, a)`, which returns the gradient of `a`, and `identity(x, autograd_engine)`, which returns the values of `x` and records one operation with the input `[x]`;
# - `expand_dims_backward(grad_output, a, axis)`, which returns a tuple, the gradient of `a` and `None`, and `expand_dims(x, axis, autograd_engine)` (`axis` an integer), which returns `x` with an axis put in and records one operation with two inputs, the array and the axis.
#
# `autograd_engine.add_operation(inputs, output, gradients_to_update, backward_operation)` records; `gradients_to_update` has `None` for each input here: neither is a parameter, so the
# engine keeps their gradients itself. On the way back it calls the backward function with the gradient of the output and the recorded inputs; one gradient may come back as it is, several come as a tuple.
#
# **You are done when**
# - **backward functions**: both are right, also if `a` has axes of length 1 already, and leave `grad_output` and `a` as they were;
# - **output**: `identity` and `expand_dims` return the right array, for negative axes, too, and `x` is as it was;
# - **recorded**: each records one operation, with the inputs (the array first) and a `None` for each, and in a program with a product behind it the gradient of `x` is right;
# - **own memory**: the output shares none with `x`.

# %% exercise="A.3.6"
def identity_backward(grad_output, a):
    """The gradient of a for a copy of a."""
    ### BEGIN SOLUTION
    return grad_output


def expand_dims_backward(grad_output, a, axis):
    """The gradient of a for np.expand_dims(a, axis), and None for the axis."""
    return grad_output.reshape(a.shape), None


def identity(x, autograd_engine):
    """A copy of x, recorded."""
    y = x.copy()
    autograd_engine.add_operation([x], y, [None], identity_backward)
    return y


def expand_dims(x, axis, autograd_engine):
    """A copy of x with an axis put in, recorded."""
    y = np.expand_dims(x, axis).copy()
    autograd_engine.add_operation([x, np.array([axis])], y, [None, None], expand_dims_backward)
    return y
    ### END SOLUTION

# %% [markdown] hints="A.3.6"
# 1. Which shape has the gradient that comes back, and which must be returned?
# 2. `np.expand_dims` and `reshape` return views, `.copy()` gives an array of its own. A reshape brings a gradient back into the old shape, `a.shape`.
# 3. For a flip: `flip_backward` returns `grad_output[::-1]`, and the forward function records `y = x[::-1].copy()` with inputs `[x]`.

# %% check="A.3.6" points=3
@probe
def taken_back(name, g, a, axis):
    found = expand_dims_backward(g, a, np.array([axis])) if name == "expand_dims_backward" else identity_backward(g, a)
    return {"found": found, "kept": [g, a]}

@probe
def on_record(x, axis):
    class Record(Autograd):
        """Writes down what it is given, whatever that is."""
        def add_operation(self, inputs, output, gradients_to_update, backward_operation):
            self.operation_list.append((inputs, output, gradients_to_update, backward_operation))

    engine = Record()
    out = identity(x, engine) if axis == "none" else expand_dims(x, axis, engine)
    if not isinstance(out, np.ndarray):
        return {"type": type(out).__name__}
    address, first = out.__array_interface__["data"][0], engine.operation_list[:1]
    return {"type": "ndarray", "out": out.copy(), "x": x, "recorded": len(engine.operation_list), "recorded_type": [type(output).__name__ for _, output, _, _ in first], "distance": abs(address - x.__array_interface__["data"][0]),
            "place": [output.__array_interface__["data"][0] - address for _, output, _, _ in first if isinstance(output, np.ndarray)],
            "backward": [type(function).__name__ for _, _, _, function in first], "lists": [type(one).__name__ for inputs, _, targets, _ in first for one in (inputs, targets)],
            "kinds": [type(value).__name__ for inputs, _, _, _ in first if isinstance(inputs, (list, tuple)) for value in inputs],
            "inputs": [np.array(value) for inputs, _, _, _ in first if isinstance(inputs, (list, tuple)) for value in inputs if isinstance(value, np.ndarray)],
            "nones": [int(target is None) for _, _, targets, _ in first if isinstance(targets, (list, tuple)) for target in targets]}

@probe
def rearranged(x, axis, factor):
    def times(g, a, b):
        return g * b, g * a
    engine = Autograd()
    middle = identity(x, engine) if axis == "none" else expand_dims(x, axis, engine)
    out = middle * factor
    engine.add_operation([middle, factor], out, [None, None], times)
    engine.backward(np.ones(out.shape))
    return gradient_of(engine, x)

def left_alone(kept, g, a, what):
    for argument, now, was in zip(("grad_output", "a"), kept, (g, a)):
        assert_close(now, was, f"{what}: {argument} after the call", of="backward functions", rtol=0, atol=0, hint=f"{argument} itself was changed: its numbers or its shape. Work on new arrays.")

def backs(shape, axis, seed):
    draw = np.random.default_rng(seed)
    a = draw.normal(size=shape)
    big = np.expand_dims(a, axis).shape
    g = draw.normal(size=big)
    what = f"expand_dims_backward, a of shape {shape}, axis np.array([{axis}])"
    reply = taken_back("expand_dims_backward", g.copy(), a.copy(), axis)
    found = reply["found"]
    assert_type(found, (tuple, list), f"{what}: what it returns", of="backward functions", hint="It returns two: the gradient of a, and None for the axis.")
    assert_equal(len(found), 2, f"{what}: the number of gradients", of="backward functions", hint="They are two: the gradient of a, and None for the axis.")
    assert_true(found[0] is not None, f"{what}: the first of the two is an array, the gradient of a", of="backward functions", hint="It is None, which belongs to the axis and comes second.")
    assert_shape(found[0], shape, f"{what}: the shape of the gradient of a", of="backward functions", mistakes={
        f"Axis {k} of grad_output is gone; the one that was put in, axis {axis}, goes.": big[:k] + big[k + 1:] for k in range(len(big)) if k != axis % len(big)}, hint=
                 "Another axis is put in here; on the way back that of the forward function goes." if np.ndim(found[0]) > len(big) else "Only the axis that was put in goes." if np.shape(found[0]) != big else
                 "The axis that was put in is still there: on the way back it goes.")
    assert_close(found[0], g.reshape(shape), f"{what}: the gradient of a", of="backward functions", rtol=1e-10, atol=1e-10, mistakes={"grad_output does not enter.": np.ones(shape)},
                 hint="It has the numbers of grad_output, in their order, and the shape of a.")
    assert_true(found[1] is None, f"{what}: the gradient of the axis is None", of="backward functions", hint="None itself, and no array of zeros: the axis needs no gradient.")
    left_alone(reply["kept"], g, a, what)
    h = draw.normal(size=shape)
    reply = taken_back("identity_backward", h.copy(), a.copy(), 0)
    one = reply["found"]
    one = one[0] if isinstance(one, (tuple, list)) else one
    assert_close(one, h, f"identity_backward, a of shape {shape}: the gradient of a", of="backward functions", rtol=1e-10, atol=1e-10, hint="It is grad_output, number by number.", mistakes={
        "grad_output does not enter.": np.ones(shape), "This is a itself: its gradient is asked.": a, "The derivative of a copy is 1, not a.": h * a})
    left_alone(reply["kept"], h, a, f"identity_backward, a of shape {shape}")

def moved(shape, axis, seed):
    draw = np.random.default_rng(seed)
    x = draw.normal(size=shape)
    right = x if axis == "none" else np.expand_dims(x, axis)
    factor, what = draw.normal(size=right.shape), f"identity, x of shape {shape}" if axis == "none" else f"expand_dims, x of shape {shape}, axis {axis}"
    found = on_record(x.copy(), axis)
    assert_true(found["type"] == "ndarray", f"{what}: it returns an array; found: {found['type']}", of="output", hint=
                "Is the return missing?" if found["type"] == "NoneType" else "The output alone is returned, as an array.")
    cut = None if axis == "none" or axis >= 0 else {
        "A negative axis counts the axes of the output, and there is one more of them than x has: here the new one stands a place too early.": x.shape[:axis] + (1,) + x.shape[axis:]}
    assert_shape(found["out"], right.shape, f"{what}: the shape of the output", of="output", mistakes=cut, hint="The output has the shape of x." if axis == "none" else
                 "The new axis is the one with this number in the output" + (", counted from its end: -1 is the last." if axis < 0 else "."))
    assert_close(found["out"], right, f"{what}: the output, which has the very numbers of x", of="output", rtol=0, atol=0, hint="The numbers are those of x, in their order; at most an axis is new.")
    assert_close(found["x"], x, f"{what}: x after the call", of="output", rtol=0, atol=0, hint="x itself was changed: the output is another array.")
    assert_true(bool(found["distance"] >= x.nbytes), f"{what}: the output has memory of its own", of="own memory", hint="It shares the address of its input: return a copy.")
    assert_equal(found["recorded"], 1, f"{what}: the number of recorded operations", of="recorded", hint="One call of add_operation, neither none nor several.")
    assert_true(found["recorded_type"] == ["ndarray"], f"{what}: the argument output of add_operation is an array; found: {', '.join(found['recorded_type'])}", of="recorded",
                hint="The order is inputs, output, gradients_to_update, backward_operation.")
    for kind, argument in zip(found["lists"], ("inputs", "gradients_to_update")):
        assert_true(kind in ("list", "tuple"), f"{what}: the argument {argument} of add_operation is a list; found: {kind}", of="recorded", hint="A list also where it has one entry: [x], [None].")
    assert_equal(found["place"], [0], f"{what}: the address of the recorded output minus that of the array that is returned", of="recorded", hint="Record the very array that is returned, not another copy.")
    assert_true(found["backward"][0] not in ("ndarray", "tuple", "list", "NoneType"), f"{what}: a backward function is recorded; found: {found['backward'][0]}", of="recorded",
                hint="Hand over the function itself; the engine calls it on the way back.")
    inputs = found["inputs"]
    assert_equal(len(found["kinds"]), 1 if axis == "none" else 2, f"{what}: the number of recorded inputs", of="recorded", hint="The input is x alone." if axis == "none" else "Two inputs: x, and the axis as an array, np.array([axis]).")
    assert_true(all(kind == "ndarray" for kind in found["kinds"]), f"{what}: each of the recorded inputs is an array; found: {', '.join(found['kinds'])}", of="recorded",
                hint="" if axis == "none" else "The axis is recorded as an array, too: np.array([axis]).")
    assert_true(inputs[0].shape == x.shape and np.array_equal(inputs[0], x), f"{what}: the first of the recorded inputs is x; found: an array of shape {inputs[0].shape}", of="recorded",
                hint="The inputs are the arrays as they come, before anything is done to them.")
    if axis != "none":
        assert_true(inputs[1].size == 1 and int(inputs[1].reshape(-1)[0]) % right.ndim == axis % right.ndim, f"{what}: the second of the recorded inputs is an array with the axis", of="recorded",
                    hint="It is np.array([axis]), with the axis of this call.")
    assert_equal(found["nones"], [1] * len(inputs), f"{what}: which entries of gradients_to_update are None (1: yes)", of="recorded", hint="None for each input: neither is a parameter.")
    assert_close(rearranged(x.copy(), axis, factor.copy()), factor.reshape(shape), f"{what}, then a product with random numbers: the gradient of x", of="recorded", rtol=1e-10, atol=1e-10, hint=
                 "The engine takes it from the backward function that was recorded: is this one right, and the one for this operation?", mistakes={
        "No gradient reaches x: is x itself the recorded input?": np.zeros(shape), "It is doubled: input and output share one entry of the buffer.": 2 * factor.reshape(shape)})

with part(1, "the backward functions"):
    backs((3, 2), 1, 1)
    backs((1, 2), 0, 2)
    backs((2, 3), -1, 7)
with part(1, "identity and expand_dims"):
    moved((2,), "none", 3)
    moved((2,), 1, 4)
    moved((2, 3), -1, 5)
    moved((2, 1, 3), 2, 6)
### BEGIN HIDDEN TESTS
with part(0.5, "the backward functions, other shapes"):
    for k, (shape, axis) in enumerate((((3, 2), 0), ((3, 2), 2), ((3, 2), -1), ((1, 1, 2), 0), ((4, 1), 1))):
        backs(shape, axis, 9360 + k)
with part(0.5, "other shapes"):
    moved((3, 2), "none", 9370)
    for axis in (0, 1, -1, -2):
        moved((3, 2), axis, 9371)
    moved((2, 3, 4), "none", 9372)
    moved((2, 3, 4), -3, 9373)
total()
### END HIDDEN TESTS

# %% [markdown] teaches="inputs that expose a wrong gradient"
# ## 7. Inputs that find mistakes
#
# Here are six backward functions for the softmax of each row, $s_j = e^{a_j} / \sum_k e^{a_k}$. Every output of a row depends on every input of it. By the quotient rule $\partial s_i / \partial a_i = s_i - s_i^2$, since $a_i$ stands above the line and below it; for
# another output, where it stands below alone, $\partial s_j / \partial a_i = -s_j s_i$. The gradient of $a_i$ collects all ways, $\bar a_i = \sum_j \bar s_j \, \partial s_j / \partial a_i = \bar s_i s_i - \sum_j \bar s_j s_j s_i$. For the whole row that is
# $\bar a = s \cdot (\bar s - \sum_j \bar s_j s_j)$, with one sum for the row. Two of the six are right, four are not.

# %% tags=["setup"]
def softmax(a):
    e = np.exp(a - a.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)

def softmax_A(g, a):
    s = softmax(a)
    return s * (g - (g * s).sum(axis=1, keepdims=True))

def softmax_B(g, a):
    return np.zeros_like(a)

def softmax_C(g, a):
    s = softmax(a)
    return s * (g - (g * s).sum(axis=0, keepdims=True)) if a.shape[0] == a.shape[1] else softmax_A(g, a)

def softmax_D(g, a):
    s = np.exp(a) / np.exp(a).sum(axis=1, keepdims=True)
    return s * (g - (g * s).sum(axis=1, keepdims=True))

def softmax_E(g, a):
    s = softmax(a)
    return np.stack([(np.diag(row) - np.outer(row, row)) @ one for row, one in zip(s, g)])

def softmax_F(g, a):
    return softmax_A(np.abs(g), a)

suspects = {"A": softmax_A, "B": softmax_B, "C": softmax_C, "D": softmax_D, "E": softmax_E, "F": softmax_F}

# %% [markdown]
# One input says little. Here an innocent one: all six agree with torch.

# %%
g, a = np.array([[1., 1., 1.], [1., 1., 1.]]), np.array([[0.5, 1., 2.], [0.1, -1., 0.3]])
right = gradients(lambda t: t.softmax(dim=1), g, a)[0]
print({letter: bool(np.allclose(function(g, a), right)) for letter, function in suspects.items()})

# %% [markdown] task="A.3.7" kind="break it" minutes=10 difficulty=3 needs="inputs that expose a wrong gradient, test of a gradient with random weights"
# ### Expose the four
#
# Hand in `cases`, a list of at most three pairs `(grad_output, a)`, two arrays of equal shape $(n, m)$. The check runs all six functions on your cases and compares with torch. A function
# is caught if one of its results differs, or is not a number.
#
# **You are done when**
# - **form**: there are one to three pairs of arrays of equal shape, with finite numbers;
# - **right ones unharmed**: A and E, which are right, are not caught;
# - **zeros**: B, which returns zeros, is caught;
# - **axis**: C, which sums over the wrong axis where this raises no error, is caught;
# - **overflow**: D, which does not subtract the maximum, is caught;
# - **sign**: F, which ignores a sign, is caught.

# %% exercise="A.3.7"
### BEGIN SOLUTION
cases = [(np.array([[1., -2., 0.5], [-3., 0.2, 4.], [0.1, 2., -1.]]), np.array([[0.3, 1., -1.], [2., 0., 0.5], [-0.4, 0.6, 0.1]])),
         (np.array([[1., -1.]]), np.array([[1000., 999.]]))]
### END SOLUTION

# %% [markdown] hints="A.3.7"
# 1. For which shape does a sum over the wrong axis raise no error? For which sign of `grad_output` does `abs` change something?
# 2. With `grad_output` of ones the right gradient is 0 in every entry. `np.exp(1000.)` is `inf`.
# 3. To expose `a.sum(axis=0)` in place of `a.sum(axis=1)`: a square table that is not symmetric, `np.array([[1., 2.], [5., 7.]])`.

# %% check="A.3.7" points=3
def caught(cases):
    """The letters of the suspects that differ from torch in one of the cases."""
    found = set()
    for g, a in cases:
        right = gradients(lambda t: t.softmax(dim=1), g, a)[0]
        for letter, function in suspects.items():
            with np.errstate(all="ignore"):
                near = np.allclose(function(np.asarray(g, float), np.asarray(a, float)), right, rtol=1e-6, atol=1e-9)
            found |= set() if near else {letter}
    return found

def well_formed(cases):
    assert_type(cases, (list, tuple), "cases", of="form")
    assert_true(1 <= len(cases) <= 3, f"there are one to three cases; here {len(cases)}", of="form", hint="One case may expose several functions.")
    assert_true(all(isinstance(case, (tuple, list)) and len(case) == 2 for case in cases), "each case is a pair", of="form",
                hint="cases is a list of pairs, also for a single one: [(grad_output, a)].")
    for g, a in cases:
        for array in (g, a):
            assert_type(array, np.ndarray, "each entry of a pair", of="form", hint="Both are arrays, np.array([[...], [...]]).")
            assert_equal(array.ndim, 2, "the number of axes of each array: its shape is (n, m)", of="form", hint="Two pairs of brackets: np.array([[1., 2.]]) is one row.")
        assert_equal(g.shape, a.shape, "the shapes of grad_output and a in a pair, which are equal", of="form",
                     hint="The output of a softmax has the shape of a, and so has its gradient.")
        assert_true(g.size > 0, "each array has an entry", of="form")
        assert_true(bool(np.isfinite(g).all() and np.isfinite(a).all()), "the numbers in the cases are finite", of="form",
                        hint="inf and nan are not allowed; a number may be large.")

def is_caught(letter, of, hint):
    well_formed(cases)
    arrays = [(np.asarray(g, float), np.asarray(a, float)) for g, a in cases]
    if letter == "C" and not any(a.shape[0] == a.shape[1] for _, a in arrays):
        hint = f"C does as A does where a has not as many rows as columns; the shapes of your cases are {', '.join(str(a.shape) for _, a in arrays)}."
    square = [(g, torch.tensor(a).softmax(dim=1).numpy()) for g, a in arrays if a.shape[0] == a.shape[1] > 1]
    if letter == "C" and square and all((s.max(axis=1) > 0.999).all() for _, s in square):
        hint = "Where a has as many rows as columns in your cases, each softmax is nearly a one and zeros, and the gradient nearly 0 with either axis. Take entries of a that differ less."
    if letter == "B" and all((g == g[:, :1]).all() for g, _ in arrays):
        hint = "In each row of your grad_output all numbers are equal, and then the right gradient is 0. Take different ones."
    sums = [(np.round((g * s).sum(axis=1), 4).tolist(), np.round((g * s).sum(axis=0), 4).tolist()) for g, s in square]
    if letter == "C" and square and all(np.allclose(by_row, by_column) for by_row, by_column in sums):
        hint = f"In your case with as many rows as columns the products of grad_output and softmax have the sums {sums[0][0]} along the rows and {sums[0][1]} along the columns: with equal sums the wrong axis changes nothing."
    if letter == "C" and all(a.shape == (1, 1) for _, a in arrays if a.shape[0] == a.shape[1]) and any(a.shape == (1, 1) for _, a in arrays):
        hint = "A table of one entry has the same sum along both axes: take more rows and columns."
    soft = [torch.tensor(a).softmax(dim=1).numpy() for _, a in arrays]
    if letter == "B" and not all((g == g[:, :1]).all() for g, _ in arrays) and all((s.max(axis=1) > 0.999).all() for s in soft):
        hint = "In each row of your cases the softmax is nearly a one and zeros, and then the right gradient is nearly 0. Take entries of a that differ less."
    rows = [(row, s) for (g, _), table in zip(arrays, soft) for row, s in zip(g, table) if (row < 0).any()]
    if letter == "F" and all((row == row[0]).all() for row, _ in rows):
        hint = "In each row of yours with a negative grad_output all numbers are equal, and then the gradient is 0 with the sign and without. Take different ones."
    elif letter == "F" and all(s.max() > 0.999 for _, s in rows):
        hint = "In each row of yours with a negative grad_output the softmax is nearly a one and zeros, and the gradient nearly 0 with the sign and without. Take entries of a that differ less."
    if letter == "F" and not any((g < 0).any() for g, _ in arrays):
        hint = "F takes the size of grad_output in its place. No entry of your grad_output is negative, so that this changes nothing."
    if letter == "D" and max(a.max() for _, a in arrays) < 709:
        hint = f"D takes exponentials of a as it is. The largest entry of a in your cases is {max(a.max() for _, a in arrays):.4g}: for which one is its exponential more than float64 can hold?"
    assert_true(letter in caught(cases), f"{letter} is caught by one of the cases", of=of, hint=hint)

with part(0.5, "the form, and the right ones"):
    well_formed(cases)
    assert_equal(sorted(caught(cases) & {"A", "E"}), [], "right functions that are caught", of="right ones unharmed", hint=
                 f"Your grad_output goes up to {max(float(np.abs(g).max()) for g, _ in cases):.3g}: at such a size the rounding of float64 alone parts two right functions. Take smaller ones.")
with part(0.5, "zeros"):
    is_caught("B", "zeros", "Zeros are right where the right gradient is 0: for a grad_output of ones, and where each softmax is nearly all zeros and a one. Take other numbers.")
with part(0.5, "axis"):
    is_caught("C", "axis", "It sums over the wrong axis only where the shape allows it, and it shows only where the softmax is not nearly all zeros and ones, and the sums of grad_output times softmax differ along the two axes.")
with part(0.5, "sign"):
    is_caught("F", "sign", "In the rows of your cases with a negative grad_output, its sign changes nothing: other numbers are needed there.")
with part(0.5, "overflow"):
    is_caught("D", "overflow", "For which `a` is its exponential more than float64 can hold?")
### BEGIN HIDDEN TESTS
with part(0.5, "all of it"):
    well_formed(cases)
    letters = caught(cases)
    assert_equal(sorted(letters & {"A", "E"}), [], "right functions that are caught", of="right ones unharmed")
    for letter, of in (("B", "zeros"), ("C", "axis"), ("D", "overflow"), ("F", "sign")):
        assert_true(letter in letters, f"{letter} is caught", of=of)
total()
### END HIDDEN TESTS

# %% [markdown]
# ## Summary
#
# - A backward function gets the gradient of its output and its inputs, and returns a gradient for each input, in its shape.
# - What broadcasting repeated is added up on the way back.
# - For a matrix product, each gradient is a product with the transposed other factor; for a maximum, all goes to the largest entry.
# - A test takes random gradients, negative ones among them, and shapes that tell axes apart; torch and differences are oracles.
# - An operation returns an array with memory of its own. In A.4 these functions become layers that have no backward pass of their own.
