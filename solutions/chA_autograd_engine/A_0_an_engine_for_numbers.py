# %% [markdown]
# # A.0 An engine for numbers
#
# `loss.backward()` finds the derivative of a program that its author has never seen, with loops and branches in it. Section 2.5
# used this; this chapter builds it. We begin small: an engine for single numbers. It fits in some dozens of lines, and the large
# engines work in the same way. The rest of the chapter does the same with arrays.
#
# At the end you can
# - make `a * b + c` record itself while it is computed;
# - say which two things each operation has to remember, and no more;
# - put the operations into an order in which the way back works, and know why another order fails;
# - write the whole engine, and say what arrays add to it.

# %% tags=["setup"]
from d2l_utils.check import *
import math
import random
import time
import d2l_utils as d2l
import torch

# %% [markdown] teaches="operator overloading"
# ## 1. Numbers that remember
#
# A function gets two numbers and adds them. How can anybody know afterwards that there was an addition? The sum 5.0 does not tell
# where it came from.
#
# Python lets us in. When it meets `a + b`, it calls the method `__add__` of the object on the left: `a.__add__(b)`. So a class
# can say what + means for its objects. This is called *operator overloading*. Here is a class whose objects
# write formulas:

# %% teaches="operator overloading"
class Formula:
    def __init__(self, text):
        self.text = text

    def __add__(self, other):
        return Formula(f"({self.text} + {other.text})")

    def __mul__(self, other):
        return Formula(f"{self.text} * {other.text}")

def program(p, q):
    r = p * q
    return r * r + p

print(program(2., 3.))
print(program(Formula("p"), Formula("q")).text)

# %% [markdown]
# The same `program` ran twice. With numbers it computed 38. With formulas it wrote itself down, and it was not changed for that by a
# single letter. A deep-learning library does just this: its tensors are objects whose operators do two things at once,
# compute and record.
#
# ⚠ `a + 3` calls `a.__add__(3)`, so `other` may be a plain number. And in `3 + a` the object stands on the right: Python asks
# the number 3 first, which does not know our class, and then calls `a.__radd__(3)`. Whoever forgets `__radd__` gets a `TypeError`:

# %%
try:
    3 + Formula("p")
except TypeError as error:
    print("TypeError:", error)

# %% [markdown] task="A.0.A" kind="code" minutes=5 difficulty=1 needs="operator overloading"
# ### Numbers that count
#
# How many operations does a program take? Let it count itself. Write the class `Counted`, made as `Counted(data, count=0)`, with these two as
# attributes, and with `+` and `*` between two of its objects. The result holds the value, and the operations of both
# sides and one more.
#
# **You are done when**
# - **values**: `data` of a sum and of a product is right, and what went in keeps its own;
# - **count**: `count` is that of both sides and 1, also where both are the same object (`a * a` counts what led to `a` twice: 3 + 3 + 1 = 7 for a count of 3), or began with another count than 0; what went in keeps its own.

# %% exercise="A.0.A"
class Counted:
    """A number that knows how many operations made it."""
    ### BEGIN SOLUTION
    def __init__(self, data, count=0):
        self.data, self.count = data, count

    def __add__(self, other):
        return Counted(self.data + other.data, self.count + other.count + 1)

    def __mul__(self, other):
        return Counted(self.data * other.data, self.count + other.count + 1)
    ### END SOLUTION

# %% [markdown] hints="A.0.A"
# 1. Which object has to be made for the result of `+`, and what do you hand to it?
# 2. The methods are called `__add__(self, other)` and `__mul__(self, other)`; each returns a new object.
# 3. A length in metres: `def __add__(self, other): return Length(self.data + other.data)`.

# %% check="A.0.A" points=1
@probe
def counted(numbers, lines, counts=()):
    values = [Counted(x, k) for x, k in zip(numbers, counts)] if counts else [Counted(x) for x in numbers]
    for sign, i, j in lines:
        values.append(values[i] + values[j] if sign == "+" else values[i] * values[j])
    return [[v.data, v.count] for v in values]

@probe
def class_of(sign):
    try:
        found = Counted(2.) + Counted(3.) if sign == "+" else Counted(2.) * Counted(3.)
    except TypeError as error:
        return f"TypeError: {error}"
    return "Counted" if isinstance(found, Counted) else type(found).__name__

@probe
def attributes_of(number):
    made = Counted(number)
    return [name for name in ("data", "count") if hasattr(made, name)]

assert_equal(attributes_of(2.), ["data", "count"], "those of the attributes data and count that Counted(2.) has", of="values",
             hint="These are their names: self.data and self.count, set in __init__.")
for sign in "+*":
    assert_equal(class_of(sign), "Counted", f"the class of Counted(2.) {sign} Counted(3.)", of="values",
                 hint=f"Python calls the method {'__add__' if sign == '+' else '__mul__'}, and it returns a new object of the class Counted.")
assert_equal([row[1] for row in counted([2., 3.], [])], [0, 0], "the count of Counted(2.) and of Counted(3.), just made", of="count",
             hint="A number that is just made has no operation behind it: count=0 is what it begins with, if nothing else is given.")
assert_equal([row[1] for row in counted([2., 3.], [], [4, 1])], [4, 1], "the count of Counted(2., 4) and of Counted(3., 1), just made", of="count",
             hint="The second argument of Counted is the count to begin with: __init__ keeps it as it is, in self.count.")

def which_count():
    """The hint where counts are wrong: the operation, and the side, that goes wrong by itself."""
    for sign in "*+":
        none, left, right = (counted([2., 3.], [[sign, 0, 1]], counts)[2][1] for counts in ([0, 0], [4, 0], [0, 4]))
        if none != 1:
            return f"Counted(2.) {sign} Counted(3.) has the count {none}: no operation came before it, so it is 1, that of the {'product' if sign == '*' else 'sum'} itself."
        for count, call, side in ((left, f"Counted(2., 4) {sign} Counted(3.)", "left"), (right, f"Counted(2.) {sign} Counted(3., 4)", "right")):
            if count != 5:
                also = " The count of the right side is left out, too." if (left, right) == (1, 1) else ""
                return f"{call} has the count {count}: the {side} side brings 4, and the {'product' if sign == '*' else 'sum'} is one more, 5 in all.{also}"
    return "The result counts what both sides count, and one more."

found = counted([2., 3.], [["*", 0, 1], ["+", 0, 2], ["*", 3, 3], ["+", 2, 3]])
assert_close([row[0] for row in found[:2]], [2., 3.], "the data of p = 2 and of q = 3 after some operations", of="values",
             hint="An operation leaves what went in as it was: its result is a new object.")
product_and_sum = [counted([2., 3.], [[sign, 0, 1]])[2][0] for sign in "*+"]
changed_places = [sign for sign, right in (("*", 6), ("+", 5)) if counted([2., 3.], [[sign, 0, 1]])[2] == [1, right]]
assert_close([row[0] for row in found[2:]], [6., 8., 64., 14.], "r = p * q, s = p + r, s * s and r + s for p = 2, q = 3: data",
             of="values",
             hint=f"In the result of {' and of '.join(changed_places)} the number stands in count, and the count in data: Counted takes the number first." if changed_places else
             f"By itself p * q gives {product_and_sum[0]}, and p + q gives {product_and_sum[1]}; for p = 2, q = 3 these are 6 and 5.",
             mistakes={"A product multiplies the two numbers; this is their sum.": [5., 7., 14., 12.],
                       "A sum adds the two numbers; this is their product.": [6., 12., 144., 72.]})
assert_equal([row[1] for row in found[:2]], [0, 0], "the count of p and of q afterwards", of="count", hint="An operation leaves the count of what went in as it was.")
count_of_sum = counted([2., 3.], [["*", 0, 1], ["+", 0, 1]])[3][1]
assert_equal(count_of_sum, 1, "the count of p + q, where p * q was computed before", of="count",
             hint=lambda: "p * q is no part of p + q, nor is any other operation of this program: count what the sum itself was made by."
             if counted([2., 3.], [["+", 0, 1]])[2][1] != counted([2., 3.], [["+", 0, 1]])[2][1] else
             "Neither p nor q was made by an operation: what counts is the sum, once.",
             mistakes={"The result counts one more than both sides together.": 0})
assert_equal([row[1] for row in found[2:]], [1, 2, 5, 4], "r = p * q, s = p + r, s * s and r + s: count", of="count",
             hint=lambda: which_count(), mistakes={
    "The result counts one more than both sides together.": [0, 0, 0, 0], "A product is an operation, too: its result counts one more.": [0, 1, 2, 2],
    "Both sides bring their counts.": [1, 1, 1, 1], "Both sides bring their counts, not only the left one.": [1, 1, 2, 2],
    "The counts of both sides are added, whatever they have in common; the larger one alone is not enough.": [1, 2, 3, 3],
    "In s * s both sides are s, and both bring their counts.": [1, 2, 3, 4]})
assert_equal(counted([2., 3.], [["+", 0, 1]], [4, 1])[2][1], 6, "Counted(2., 4) + Counted(3., 1): count", of="count",
             hint="4 operations on the left, 1 on the right, and the sum itself: 4 + 1 + 1.")
assert_equal(counted([2., 3.], [["*", 0, 1]], [4, 1])[2][1], 6, "Counted(2., 4) * Counted(3., 1): count", of="count",
             hint="4 operations on the left, 1 on the right, and the product itself: 4 + 1 + 1.",
             mistakes={"In a product, too, the counts of both sides are added, not multiplied.": 5})
assert_close([row[0] for row in counted([2.5, 0.5], [["*", 0, 1], ["+", 0, 1]])[2:]], [1.25, 3.],
             "data of p * q and p + q for p = 2.5, q = 0.5", of="values",
             mistakes={"The numbers need not be whole ones: keep them as they come.": [0., 2.]})
### BEGIN HIDDEN TESTS
found = counted([-1.5, 4., 0.5], [["+", 0, 1], ["+", 3, 2], ["*", 3, 4], ["*", 5, 5], ["+", 1, 6]])
assert_close([row[0] for row in found[3:]], [2.5, 3., 7.5, 56.25, 60.25], "five operations with three numbers: data", of="values",
             hint="data is the sum, or the product, of the two numbers, also of negative ones and of fractions.")
assert_equal([row[1] for row in found], [0, 0, 0, 1, 2, 4, 9, 10], "five operations with three numbers: count", of="count",
             hint="The result counts what both sides count, and one more; the numbers have no part in it.")
assert_equal(counted([0.5, 7.], [["*", 1, 0], ["+", 2, 2]], [0, 3])[2][1], 4, "the product of Counted(7., 3) and Counted(0.5): count",
             of="count", hint="The result counts what both sides count, and one more, also where one side has begun at 0.")
### END HIDDEN TESTS

# %% [markdown] teaches="local derivative, record of an operation"
# ## 2. What an operation has to remember
#
# What must be recorded so that a derivative can be found later? Little. Say $c = a \cdot b$ with $a = 2$, $b = 3$. If $a$ grows by a tiny
# $\delta$, then $c$ grows by $3\delta$. The number 3 is the *local derivative* $\partial c/\partial a$, the slope of this one operation.
# It can be computed at once, while $a$ and $b$ are at hand. So the record of an operation is
#
# - its inputs: which objects went in;
# - its slopes: the local derivative by each of them, a number.
#
# This is all. The next cell has a class for it: an object that holds a number, where it came from, and a place for its derivative.

# %% tags=["setup"]
class Value:
    """A number, the Values that it was made of, and the local derivative by each of these."""

    def __init__(self, data, inputs=(), slopes=(), name=""):
        self.data = float(data)
        self.inputs = tuple(inputs)
        self.slopes = tuple(slopes)
        self.grad = 0.0             # to come: the derivative of the final result by this value
        self.name = name            # for pictures


def picture(result):
    """Draws what `result` was made of: boxes are values, the number at an arrow is the slope."""
    lines, todo, seen = ["digraph { rankdir=LR; node [shape=box, fontsize=11]; edge [fontsize=10];"], [result], set()
    while todo:
        value = todo.pop()
        if id(value) not in seen:
            seen.add(id(value))
            lines.append(f'{id(value)} [label="{value.name} = {value.data:g}"];')
            for source, slope in zip(value.inputs, value.slopes):
                lines.append(f'{id(source)} -> {id(value)} [label="{slope:g}"];')
                todo.append(source)
    return d2l.show_dot("\n".join(lines + ["}"]))

# %% [markdown]
# By hand, for $r = p \cdot q$ and $s = r + p$ at $p = 2$, $q = 3$. The slopes of a product are the other factor each; those of a sum are 1 and 1.

# %% tags=["demo"]
p, q = Value(2, name="p"), Value(3, name="q")
r = Value(2 * 3, inputs=(p, q), slopes=(3., 2.), name="r = p q")
s = Value(6 + 2, inputs=(r, p), slopes=(1., 1.), name="s = r + p")
display(picture(s))

# %% [markdown]
# Read the picture from left to right: two ways lead from $p$ to $s$. By the chain rule a way contributes the product of its
# slopes, and the ways add up: $3 \cdot 1 + 1 = 4$. So $\partial s/\partial p = 4$, and $\partial s/\partial q = 2 \cdot 1 = 2$.

# %% [markdown] task="A.0.B" kind="answer" minutes=3 difficulty=1 needs="local derivative, chain rule in several variables"
# ### Along the arrows
#
# Somebody computes $u = x \cdot x$ and then $v = u \cdot x$ at $x = 3$. Find the slopes without a computer. Hand in `slopes_of_v`, a
# pair: $\partial v / \partial u$ and $\partial v / \partial x$ of the *second operation alone*; and `whole`, the derivative of $v$ by $x$
# along all ways.
#
# **You are done when**
# - **slopes**: `slopes_of_v` has both local derivatives, in this order;
# - **whole derivative**: `whole` adds up the ways (the operation $x \cdot x$ has two arrows from $x$).

# %% exercise="A.0.B"
### BEGIN SOLUTION
slopes_of_v = (3., 9.)
whole = 27.
### END SOLUTION

# %% [markdown] hints="A.0.B"
# 1. What is $u$ at $x = 3$, and which is the other factor for each input of $v = u \cdot x$?
# 2. From $x$ to $v$ there are three ways: two through $u$, one directly.
# 3. For $w = y \cdot y$ at $y = 5$: both slopes are 5, the whole derivative is 10.

# %% check="A.0.B" points=1
assert_type(slopes_of_v, (tuple, list, torch.Tensor, type(torch.ones(2).numpy())), "slopes_of_v", of="slopes",
            hint="A pair is two numbers in round brackets, such as (1., 2.).")
assert_equal(len(slopes_of_v), 2, "how many numbers slopes_of_v has", of="slopes",
             hint="The second operation, v = u x, has two inputs, and one slope by each.")
assert_true(float(slopes_of_v[0]) < float(slopes_of_v[1]), "of v = u x at x = 3, the slope by u is the smaller one", of="slopes",
            hint="These two are equal, as those of u = x x are. In v = u x the two factors, u and x, are different numbers." if float(slopes_of_v[0]) == float(slopes_of_v[1]) else
            "The slope by u is right. By x, too, the slope is the other factor, and that is u." if float(slopes_of_v[0]) == 3 else
            "The pair is in the order u, x, and the slope by a factor is the other factor: by u it is x, by x it is u.")
assert_true(float(slopes_of_v[1]) < 20, "of the second operation alone, the slope by x is below 20", of="slopes",
            hint=(f"If {float(slopes_of_v[0]):g} and {float(slopes_of_v[1]):g} are u and v themselves: asked for are slopes, by how much v grows when u, or x, grows by a little. "
                  if [float(slope) for slope in slopes_of_v] == [9., 27.] else
                  "Yours is the same number as `whole`, for which all ways count. " if float(slopes_of_v[1]) == float(whole) else "") +
            "The local derivative by x treats u as a number.")
assert_true(float(slopes_of_v[1]) > 7, "of the second operation alone, the slope by x is above 7", of="slopes",
            hint="6 is 2 x: that is the derivative of u, and it is not the number u, which is x · x. The pair holds the slopes of v = u x, not those of u = x x."
            if float(slopes_of_v[1]) == 6 else "The pair holds the slopes of v = u x, not those of u = x x; and what is u at x = 3?")

def which_way():
    """The hint where the whole derivative is too small."""
    by_u, by_x, sum_of_ways = float(slopes_of_v[0]), float(slopes_of_v[1]), float(whole)
    if (by_u, by_x) == (3, 9) and sum_of_ways in (9, 18):
        few = "one of the three ways from x to v brings" if sum_of_ways == 9 else "two of the three ways from x to v bring"
        return (f"{sum_of_ways:g} is what {few}, each the product of its slopes: "
                "u has two arrows from x, so two ways lead through u, and one leads from x to v directly.")
    if sum_of_ways == by_u + by_x:
        return (f"{sum_of_ways:g} is your slope by u and your slope by x, added. But there are three ways from x to v: on each of the two through u, the slope by u "
                "is multiplied by that of the arrow from x to u.")
    if sum_of_ways == by_x + 6:
        return f"If your {sum_of_ways:g} is {by_x:g} + 6: 6 is the derivative of u by x, and on the ways through u it is multiplied by the slope of v by u."
    return "There are three ways from x to v. At least one is missing here, or the slopes along a way are not multiplied."

assert_true(float(whole) > 18, "the whole derivative is above 18, the share of the ways through u", of="whole derivative",
            hint=lambda: which_way())
assert_true(float(whole) < 60, "the whole derivative is below 60", of="whole derivative",
            hint="The ways add up; they are not multiplied with each other.")
### BEGIN HIDDEN TESTS
x_leaf = torch.tensor(3., requires_grad=True)
u_leaf = (x_leaf * x_leaf).detach().requires_grad_()
local = [g.item() for g in torch.autograd.grad(u_leaf * x_leaf, (u_leaf, x_leaf))]
assert_close([float(slope) for slope in slopes_of_v], local, "the local derivatives by u and by x", of="slopes", hint="By one factor, with the other one held fixed.",
             mistakes={"The second one is right; by u, the slope is the other factor, x.": [float(slopes_of_v[0]), local[1]],
                       "The first one is right; by x, the slope is the other factor, u.": [local[0], float(slopes_of_v[1])]})
assert_close(float(whole), torch.autograd.grad(x_leaf * x_leaf * x_leaf, x_leaf)[0].item(), "the derivative of v by x", of="whole derivative",
             hint="Each way gives the product of its slopes, and the ways add up.",
             mistakes={"There are three ways from x to v; these are four: one is counted twice.": 36.,
                       "There are three ways from x to v; these are six: each is counted twice.": 54.})
### END HIDDEN TESTS

# %% [markdown] task="A.0.1" kind="code" minutes=8 difficulty=2 core=true needs="record of an operation"
# ### Add and multiply
#
# Write `add(a, b)` and `mul(a, b)` for two objects of the class `Value` above. Each returns a `Value` with the number, the inputs `(a, b)`
# and their slopes. The answer cell begins `add`; write `mul` below it, in the same cell.
#
# **You are done when**
# - **data**: it is the sum, or the product; `a` and `b` keep theirs;
# - **inputs**: they are the very objects `a` and `b`, in this order, not copies; two of them, also in `mul(a, a)`;
# - **slopes**: two numbers, the local derivatives by `a` and by `b`, also where `a` or `b` is 0.

# %% exercise="A.0.1"
def add(a, b):
    """a + b, recorded."""
    ### BEGIN SOLUTION
    return Value(a.data + b.data, (a, b), (1., 1.))


def mul(a, b):
    """a * b, recorded."""
    return Value(a.data * b.data, (a, b), (b.data, a.data))
    ### END SOLUTION

# %% [markdown] hints="A.0.1"
# 1. By how much does the sum grow when `a` grows by a little? And the product?
# 2. `Value(number, inputs, slopes)`: inputs and slopes are tuples of equal length. The numbers are `a.data` and `b.data`.
# 3. A difference: `Value(a.data - b.data, (a, b), (1., -1.))`.

# %% check="A.0.1" points=2
@probe
def made(name, x, y):
    a = Value(x)
    b = a if y is None else Value(y)
    try:
        v = add(a, b) if name == "add" else mul(a, b)
    except ZeroDivisionError as error:
        return {"error": f"ZeroDivisionError: {error}."}
    except TypeError as error:
        if "not iterable" in str(error) or "unsupported operand" in str(error):
            return {"error": f"TypeError: {error}."}
        raise
    if v is None:
        return v
    where = [[k for k, one in enumerate((a, b)) if one is source] for source in getattr(v, "inputs", ())]
    slopes = [float(slope) if isinstance(slope, (bool, int, float)) or hasattr(slope, "item") else type(slope).__name__ for slope in getattr(v, "slopes", ())]
    return {"kind": "Value" if isinstance(v, Value) else type(v).__name__, "data": getattr(v, "data", 0.), "inputs": where, "slopes": slopes, "kept": [a.data, b.data],
            "classes": ["Value" if isinstance(source, Value) else type(source).__name__ for source in getattr(v, "inputs", ())]}

def as_torch_records(name, x, y=None):
    what = f"{name}(Value({x:g}), Value({y:g}))" if y is not None else f"{name}(a, a) for a = Value({x:g})"
    numbers = (x, x if y is None else y)
    found = made(name, x, y)
    assert_type(found, dict, f"what {what} returns", of="data")
    error = found.get("error", "")
    assert_true("error" not in found, f"{what} raises no error", hint=error + (
        " No slope needs a division: a number of 0 is one like all others." if "ZeroDivision" in error else
        " A Value has no operators: the number to compute with is a.data." if "unsupported" in error else
        " Inputs and slopes are tuples, each with an entry for `a` and one for `b`. It is the comma that makes a tuple: (1.) is "
        "the number 1."),
        of="data" if "unsupported" in error else "inputs" if "'Value'" in error else "slopes")
    assert_equal(found["kind"], "Value", f"the class of what {what} returns", of="data",
                 hint="It is an object of the class Value, made as Value(number, inputs, slopes).")
    leaves = [torch.tensor(number, dtype=torch.float64, requires_grad=True) for number in numbers]
    out = leaves[0] + leaves[1] if name == "add" else leaves[0] * leaves[1]
    slopes = [g.item() for g in torch.autograd.grad(out, leaves)]
    assert_close(found["data"], out.item(), f"{what}: data", of="data",
                 hint="The number is a.data + b.data." if name == "add" else "The number is a.data * b.data.",
                 mistakes={"This is the product; add gives the sum.": math.prod(numbers)} if name == "add"
                 else {"This is the sum; mul gives the product.": sum(numbers)})
    assert_close(found["kept"], [float(number) for number in numbers], f"{what}: data of both arguments afterwards", of="data",
                 hint="Make a new Value for the result; `a` and `b` stay as they are.")
    strangers = "Keep the objects themselves, not copies."
    if set(found["classes"]) - {"Value"}:
        strangers = ("The inputs come before the slopes: Value(number, inputs, slopes); here the two have changed places."
                     if "Value" in found["slopes"] else "Keep the objects themselves, not their numbers or names.")
    assert_equal(len(found["inputs"]), 2, f"{what}: how many inputs there are", of="inputs",
                 hint="There are two inputs, although they are the same object." if y is None else
                 "What it was made of stands in inputs: both arguments.")
    if y is None:
        assert_equal(found["inputs"], [[0, 1], [0, 1]], f"{what}: for each of the inputs, which arguments it is (0 the first, 1 the second; here both are `a`)", of="inputs",
                     mistakes={strangers: [[], []]})
    else:
        assert_equal(found["inputs"], [[0], [1]], f"{what}: which of its two arguments the inputs are (0 the first, 1 the second)", of="inputs",
                     mistakes={"The order is that of the arguments.": [[1], [0]], strangers: [[], []],
                               "`b` is the second input; here `a` stands there again.": [[0], [0]],
                               "`a` is the first input; here `b` stands there already.": [[1], [1]]})
    assert_equal(len(found["slopes"]), 2, f"{what}: how many slopes there are", of="slopes",
                 hint="Each of the two inputs has a slope of its own, also where the two slopes are the same number.")
    assert_equal([slope for slope in found["slopes"] if isinstance(slope, str)], [], f"{what}: classes of slopes that are no numbers", of="slopes", hint="A slope is a plain number, as `a.data` is.")
    own, exchanged = [float(number) for number in numbers], [float(number) for number in numbers[::-1]]
    if name == "mul":
        mistakes = {"The slope by a factor is the other factor.": own,
                    **({"This is the product itself; the slope by a factor is the other factor alone.": [math.prod(own)] * 2}
                       if 0 not in own else {}),
                    "These are the slopes of a sum; by a factor it is the other factor.": [1., 1.]}
    else:
        mistakes = {"These are the numbers of the inputs; if an input grows by a little, the sum grows by just as much.": own,
                    "This is half of what it should be: if one input grows by a little, the sum grows by just as much.":
                    [0.5, 0.5],
                    "This is the sum itself; if an input grows by a little, the sum grows by just as much.": [sum(own)] * 2}
        if y is not None:
            mistakes["These are the slopes of a product; if an input grows by a little, the sum grows by just as much."] = exchanged
    if y is None:
        mistakes["Each of the two entries has the slope of one place alone; the way back adds the two up."] = [2 * slope
            for slope in slopes]
    agree = [abs(yours - slope) < 1e-6 for yours, slope in zip(found["slopes"], slopes)]
    assert_close(found["slopes"], slopes, f"{what}: the slopes", of="slopes", mistakes=mistakes,
                 hint=("" if True not in agree else f"The slope by `{'ba'[agree.index(False)]}` is right, that by `{'ab'[agree.index(False)]}` is not. "
                       if False in agree else "") + ("If an input grows by a little, the sum grows by just as much." if name == "add" else
                                                     "Where no factor is 0 yours was right. The slope by a factor is the other factor, also where that is 0." if 0 in numbers else
                                                     "The slope by a factor is the other factor, with its sign."))

for name_of_it in ("add", "mul"):
    as_torch_records(name_of_it, 2., 3.)
    as_torch_records(name_of_it, 5., -2.)
    as_torch_records(name_of_it, 5.)
    as_torch_records(name_of_it, 0., 4.)
### BEGIN HIDDEN TESTS
for x_of_it, y_of_it in ((-1.5, 4.), (0., 7.), (6., 6.), (3., 0.5), (-3., None)):
    as_torch_records("add", x_of_it, y_of_it)
    as_torch_records("mul", x_of_it, y_of_it)
### END HIDDEN TESTS

# %% [markdown] teaches="backward rule of a function"
# ## 3. More operations
#
# The engine does not care how many operations there are; each brings its own slopes. Three more make it a toy for neural networks:
#
# | operation | number | slope |
# |---|---|---|
# | power, $n$ a plain number | $a^n$ | $n\,a^{n-1}$ |
# | tanh | $\tanh a$ | $1 - \tanh^2 a$ |
# | relu | $\max(a, 0)$ | 1 if $a > 0$, else 0 |
#
# A power with $n = -1$ is a quotient: $a/b = a \cdot b^{-1}$. And $a - b = a + (-1) \cdot b$. So no more rules are needed for these.
#
# One look at the second row, since its slope uses the *result*: $\tanh$ runs from -1 to 1, is steepest at 0 and flat far out.

# %%
for a in (-3., -0.5, 0., 0.5, 3.):
    h = 1e-6
    print(f"a = {a:4}: tanh {math.tanh(a):7.4f}, slope by the rule {1 - math.tanh(a) ** 2:.4f}, by differences {(math.tanh(a + h) - math.tanh(a - h)) / (2 * h):.4f}")

# %% [markdown]
# ⚠ At $a = 0$, relu has a corner and no derivative; libraries take 0 there, and so do we. And $a^n$ at $a = 0$ with $n = 1$ has the
# slope $1 \cdot 0^0$. Python gives `0.0 ** 0` as 1, which is what we want.

# %% [markdown] task="A.0.2" kind="code" minutes=8 difficulty=2 needs="backward rule of a function, record of an operation"
# ### Powers and activations
#
# Write `power(a, n)` (`n` a plain number), `tanh(a)` and `relu(a)` for a `Value` `a`. Each returns a `Value` with one input and one slope, both in tuples.
# The answer cell begins `power`; write the other two below it, in the same cell.
#
# **You are done when**
# - **data**: the numbers are right;
# - **power**: its slope is right, for negative `n` and at `a` = 0 with `n` = 1 and 2, too;
# - **activations**: the slopes of tanh and relu are right, for negative inputs, too; relu's is 0 at 0.

# %% exercise="A.0.2"
def power(a, n):
    """a ** n for a plain number n, recorded."""
    ### BEGIN SOLUTION
    return Value(a.data ** n, (a,), (n * a.data ** (n - 1),))


def tanh(a):
    """tanh(a), recorded."""
    t = math.tanh(a.data)
    return Value(t, (a,), (1 - t * t,))


def relu(a):
    """max(a, 0), recorded."""
    return Value(max(a.data, 0.), (a,), (1. if a.data > 0 else 0.,))
    ### END SOLUTION

# %% [markdown] hints="A.0.2"
# 1. Which of the slopes needs the input, which the result?
# 2. A tuple with one entry has a comma: `(a,)`. `math.tanh` takes a plain number, so `a.data`.
# 3. The exponential: `e = math.exp(a.data)`, then `Value(e, (a,), (e,))`.

# %% check="A.0.2" points=2
@probe
def one_input(name, x, n):
    a = Value(x)
    try:
        v = power(a, n) if name == "power" else tanh(a) if name == "tanh" else relu(a)
    except (ZeroDivisionError, TypeError) as error:
        return {"error": f"{type(error).__name__}: {error}."}
    if v is None:
        return v
    slopes = [float(slope) if isinstance(slope, (bool, int, float)) or hasattr(slope, "item") else type(slope).__name__ for slope in getattr(v, "slopes", ())]
    return {"kind": "Value" if isinstance(v, Value) else type(v).__name__, "data": getattr(v, "data", 0.), "inputs": [int(source is a) for source in getattr(v, "inputs", ())],
            "slopes": slopes, "handed back": [word for word, one in (("a", a),) if one is v]}

def rule(name, x, n=0, before=""):
    what = f"power(Value({x:g}), {n})" if name == "power" else f"{name}(Value({x:g}))"
    of = "power" if name == "power" else "activations"
    found = one_input(name, x, n)
    assert_type(found, dict, f"what {what} returns", of="data")
    error = found.get("error", "")
    assert_true("error" not in found, f"{what} raises no error", of=of, hint=error + (
        " A tuple with one entry has a comma: (a,), not (a)." if "not iterable" in error else
        " The number is a.data; `max` and `math.tanh` take plain numbers." if "Value" in error and name != "power" else
        " A Value has no operators: the number to compute with is a.data." if "'Value'" in error and "unsupported" in error else
        " The number to compute with is a.data." if "not Value" in error else
        " At a = 0 nothing can be divided by a." if x == 0 and "ZeroDivision" in error else ""))
    assert_equal(found["kind"], "Value", f"the class of what {what} returns", of="data",
                 hint="It is an object of the class Value, made as Value(number, inputs, slopes).")
    assert_equal(found["handed back"], [], f"{what}: arguments that it hands back in place of a new Value", of=of,
                 hint="Also where the number stays the same, the result is a new Value with a record of its own.")
    leaf = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    out = leaf ** n if name == "power" else {"tanh": torch.tanh, "relu": torch.relu}[name](leaf)
    slope, = torch.autograd.grad(out, leaf)
    wrong = {"relu": {"A negative number becomes 0; this is its absolute value.": -x, "A negative number becomes 0.": x},
             "tanh": {"This is the sigmoid.": 1 / (1 + math.exp(-x)),
                      "These are two digits of it: nothing is to be rounded.": round(math.tanh(x), 2),
                      "This is the tangent; math.tanh is another function.": math.tan(x)},
             "power": {"This is n times a; the task is a to the power of n.": n * x,
                       "For a negative n, a ** n is 1 / a ** -n.": x ** abs(n),
                       "For a negative n there is nothing to multiply, but something to divide by.": 1.} if n < 0
                       else {"This is n times a.": n * x}}
    assert_close(found["data"], out.item(), f"{what}: data", of="data", rtol=1e-6, atol=1e-8, mistakes=wrong[name],
                 hint={"relu": "The number is a where a is above 0, and 0 elsewhere: nothing else.", "tanh": "The number is math.tanh of a.data.",
                       "power": "The number is a.data to the power of n."}[name])
    assert_equal(len(found["inputs"]), 1, f"{what}: how many inputs there are", of=of,
                 hint="Without the input `a` in its record the way back ends here, also where the slope is 0." if not found["inputs"] else
                 "The only input is the Value `a`; n is a plain number." if name == "power" else "The only input is the Value `a`.")
    assert_equal(found["inputs"], [1], f"{what}: whether the input is the object `a` itself (1 yes, 0 no)", of=of,
                 hint="Keep the object itself, not its number or a copy.")
    assert_equal(len(found["slopes"]), 1, f"{what}: how many slopes there are", of=of,
                 hint="One input, one slope; also a slope of 0 stands in the tuple.")
    assert_equal([one for one in found["slopes"] if isinstance(one, str)], [], f"{what}: classes of slopes that are no numbers", of=of, hint="A slope is a plain number.")
    known = {"tanh": {"1 - tanh² takes the result, not the input.": 1 - x * x,
                      "The result is squared in 1 - tanh².": 1 - math.tanh(x),
                      "The square is taken away from 1, not added.": 1 + math.tanh(x) ** 2,
                      "First the square, then the difference: 1 - tanh², not (1 - tanh)².": (1 - math.tanh(x)) ** 2,
                      "math.tanh was applied twice: the result is tanh of a already.": 1 - math.tanh(math.tanh(x)) ** 2,
                      "This is t (1 - t) for t = tanh a, the rule of another function: the sigmoid's. For tanh it is 1 - t · t.": math.tanh(x) * (1 - math.tanh(x)),
                      "This is the slope of the sigmoid; that of tanh is 1 - t · t, for t = tanh a.": 1 / (2 + math.exp(x) + math.exp(-x))},
             "relu": {"Where a is not above 0, the slope is 0.": 1., **(
                      {"This is the result; the slope is another number.": x} if x > 0 else
                      {"-1 is the slope of the absolute value: relu does not fall where a is below 0, it stays 0.": -1.} if x else {})},
             "power": {"n comes down as a factor.": x ** (n - 1), "The exponent is one less in the slope.": n * x ** n,
                       "The factor n keeps its sign." if x > 0
                       else "The sign is the other one: in n a^(n - 1) both n and a keep theirs.": -n * x ** (n - 1),
                       "`a ** n - 1` is 1 less than the power; the exponent n - 1 needs brackets.": n * x ** n - 1,
                       "One less than n is n - 1, for a negative n, too.": n * x ** (n + 1),
                       **({f"This is the slope of a ** {-n}: in n a^(n - 1) a negative n keeps its sign, in the factor and in the exponent.": -n * x ** (-n - 1)} if n < 0 else {}),
                       **({"This is the derivative by n, with the logarithm of a; asked for is that by a.": x ** n * math.log(x)} if x > 0 else {})}
             if x else {"At a = 0 with n = 1, n a^(n - 1) is 1 times 0 to the power of 0, and that is 1.": 0.}}
    rule_in_words = {"tanh": "The slope is 1 minus the square of the result, t = tanh a: 1 - t · t.",
                     "relu": "At its corner relu has no derivative; the task takes 0 there." if x == 0 else
                     "Where a is above 0, the result grows as a does: the slope is 1." if x > 0 else
                     "Where a is below 0, the result stays 0 when a grows by a little: the slope is 0.",
                     "power": "The slope is n a^(n - 1): n times a to the power of n - 1."}
    assert_close(found["slopes"][0], slope.item(), f"{what}: the slope", of=of, rtol=1e-5, atol=1e-8, mistakes=known[name],
                 hint=before + rule_in_words[name])

rule("power", 3., 2)
rule("power", 2., -2, "At a = 3 with n = 2 yours is right, but not here, where n is negative. ")
rule("power", -2., 2, "At a = 3 with n = 2 yours is right, but not here, where a is negative. ")
rule("power", 0., 1, "At a = 3, 2 and -2 yours is right, but not here, at 0. ")
rule("power", 0., 2, "At a = 3, 2 and -2 yours is right, and at 0 with n = 1, but not at 0 with n = 2. ")
for x in (0.5, -2.):
    rule("tanh", x, before="" if x > 0 else "At a = 0.5 yours is right, but not here, where a is negative. ")
    rule("relu", x)
rule("relu", 0.)
### BEGIN HIDDEN TESTS
for x, n in ((-1.5, 3), (4., 0.5), (-2., -2), (0., 2), (5., 1)):
    rule("power", x, n, "With n = 2, -2 and 1, above, yours was right. ")
for x in (-0.7, 1.3, 20., -20., 0.):
    rule("tanh", x, before="At a = 0.5 and -2 yours was right. ")
    rule("relu", x)
### END HIDDEN TESTS

# %% [markdown] teaches="reverse mode, order of the way back"
# ## 4. The way back, and its order
#
# Now the derivatives. `grad` of a value shall be $\partial\,\text{result}/\partial\,\text{value}$. For the result itself it is 1. Each
# value, once its own `grad` is known, *passes on*: to each of its inputs it adds `grad` times the slope. Added, not set: an input that is used in two places
# gets two contributions, and the ways add up. So
#
# ```
# result.grad = 1
# for each value, from the result back:
#     for source, slope in zip(value.inputs, value.slopes):
#         source.grad += value.grad * slope
# ```
#
# "From the result back" hides the one difficulty of the whole engine: the order. Look at $b = 2a$, $c = 3b$, $d = b + c$ at $a = 1$. By hand, $d = 2a + 6a$, so the derivative is 8.

# %% teaches="order of the way back"
def diamond():
    a = Value(1, name="a")
    b = Value(2, (a,), (2.,), "b = 2 a")
    c = Value(6, (b,), (3.,), "c = 3 b")
    d = Value(8, (b, c), (1., 1.), "d = b + c")
    return {"a": a, "b": b, "c": c, "d": d}

for sequence in ("d c b a", "d b c a"):
    values = diamond()
    values["d"].grad = 1.
    for letter in sequence.split():
        value = values[letter]
        for source, slope in zip(value.inputs, value.slopes):
            source.grad += value.grad * slope
    print("in the order", sequence, "- the derivatives:", {letter: value.grad for letter, value in values.items()})

# %% tags=["demo"]
display(picture(diamond()["d"]))

# %% [markdown] teaches="topological order"
# The second order gives 2 for $a$. There $b$ passed on when it knew only of its direct way to $d$; what came in later through $c$ was never
# passed on. **A value may pass on only when everything that uses it has passed on.**
#
# Turn this around: list the values so that each stands *after* all of its inputs. Such a list is called a *topological order*. Read from its end, it
# has every user before what it uses. There is always one, for nothing is made of itself: the order in which the program computed is one.
#
# How does one find such a list, given the result alone? Like a cook who asks of each dish what has to be ready before. Here for a dictionary
# of dishes:

# %% teaches="topological order, depth-first walk"
needs_first = {"cake": ["dough", "icing"], "dough": ["flour", "egg"], "icing": ["sugar", "egg"]}
done = []

def prepare(dish):
    if dish in done:
        return                      # it is there already
    for part_of_it in needs_first.get(dish, []):
        prepare(part_of_it)
    done.append(dish)

prepare("cake")
print(done)

# %% [markdown]
# First all parts, then the dish: it stands after them. The egg is needed twice, and stands once. This is a *depth-first walk*.
#
# ⚠ `prepare` calls itself, once for each level. Python allows about 1,000 calls within each other. A program with a loop of 1,000 steps makes a chain that
# is longer, and then:

# %%
def levels(n):
    return 0 if n == 0 else 1 + levels(n - 1)

try:
    levels(5000)
except RecursionError as error:
    print("RecursionError:", error)

# %% [markdown] teaches="list as a stack"
# A way out is a list of what is still to do, a *stack*: take the last entry, put new work on the end. Another one needs no stack of
# calls at all: count how often each value is used; begin with the result; whenever a value passes on, lower the counts of its inputs;
# one whose count reaches 0 is ready. This gives the order from the back.

# %% [markdown] task="A.0.C" kind="answer" minutes=3 difficulty=1 needs="topological order"
# ### Which lists work?
#
# A program computes $p = x \cdot y$, then $q = p + x$, then $r = q \cdot p$. Which of the five lists are topological orders of the values
# for the result $r$ (inputs before what is made of them)? Hand in `orders`, a collection of letters such as `{"A", "D"}`.
#
# - A: x, y, p, q, r
# - B: y, x, p, q, r
# - C: x, p, y, q, r
# - D: x, y, q, p, r
# - E: y, x, p, r, q
#
# **You are done when**
# - **orders**: all right lists are in it, and no wrong one.

# %% exercise="A.0.C"
### BEGIN SOLUTION
orders = {"A", "B"}
### END SOLUTION

# %% [markdown] hints="A.0.C"
# 1. For each list: does every value stand after both of its inputs?
# 2. There may be several right orders. x and y are made of nothing.
# 3. For $u = x + y$, $v = u \cdot u$ there are two: x, y, u, v and y, x, u, v.

# %% check="A.0.C" points=1 hidden_only="the answer is letters: whatever the visible part asked of the others would give it away"
assert_type(orders, (set, frozenset, list, tuple, str), "orders", of="orders", hint='A collection of letters, such as {"A", "D"}.')
assert_equal(sorted({str(letter) for letter in orders} - set("ABCDE ,")), [], "entries of orders that are none of the capital letters A to E",
             of="orders", hint='A collection of the lists\' letters, such as {"A", "D"}.')
assert_true("A" in list(orders), "A, the order of the program itself, is among the letters", of="orders",
            hint=("In D, which you named, q stands before p, of which it is made. " if "D" in list(orders) else "") +
            "In a topological order each value stands after what it is made of, as in the program; the result is last.")
assert_true("D" not in list(orders), "D is not among the letters", of="orders", hint="There q stands before p, of which it is made.")
### BEGIN HIDDEN TESTS
parts_of = {"p": "xy", "q": "px", "r": "qp"}
lists = {"A": "xypqr", "B": "yxpqr", "C": "xpyqr", "D": "xyqpr", "E": "yxprq"}
wanted = {letter for letter, row in lists.items() if all(row.index(a) < row.index(b) for b, ins in parts_of.items() for a in ins)}
handed_in = {letter for letter in orders if letter not in (" ", ",")}
assert_equal(sorted(handed_in - wanted), [], "letters of lists in which a value stands before one of its inputs", of="orders",
             hint=lambda: " ".join(next(f"In {letter}, which you named, {made} stands before {part}, of which it is made."
                                        for made, parts in parts_of.items() for part in parts
                                        if lists[letter].index(made) < lists[letter].index(part))
                                   for letter in sorted(handed_in - wanted)))
assert_equal(len(wanted - handed_in), 0, "the number of right lists that are missing", of="orders",
             hint="Those that you named are right. x and y are made of nothing: either may come first.")
### END HIDDEN TESTS

# %% [markdown] task="A.0.3" kind="code" minutes=12 difficulty=3 core=true needs="topological order, list as a stack"
# ### An order for the way back
#
# Write `topological(result)`: a list of all `Value` objects that `result` is made of, itself included. Any topological order will do.
#
# **You are done when**
# - **complete**: every value that `result` depends on stands in the list, and no other;
# - **once**: none stands there twice, however often it is used;
# - **inputs first**: each value stands after all of its inputs, so `result` is last;
# - **values kept**: the values are as they were, so that a second call gives such a list, too;
# - **long chains**: a chain of 5,000 operations raises no error (Python's limit of calls, above, is 1,000);
# - **many ways**: after 40 doublings, `b = a + a`, `c = b + b` and so on, a million million ways lead to `a`; the list is there at once all the same.

# %% exercise="A.0.3"
def topological(result):
    """All values that `result` is made of, each after its inputs."""
    ### BEGIN SOLUTION
    uses, todo, seen = {}, [result], {result}
    while todo:
        for source in todo.pop().inputs:
            uses[source] = uses.get(source, 0) + 1
            if source not in seen:
                seen.add(source)
                todo.append(source)
    backwards, ready = [], [result]
    while ready:
        value = ready.pop()
        backwards.append(value)
        for source in value.inputs:
            uses[source] -= 1
            if uses[source] == 0:
                ready.append(source)
    return backwards[::-1]
    ### END SOLUTION

# %% [markdown] hints="A.0.3"
# 1. When may a value be written down if the list is made from its end?
# 2. Two passes: in the first, walk over everything with a list of what is still to do, and count for each value how often it is an input. In the second, begin with the result, lower the
#    counts of the inputs of each value that you write down, and go on with those whose count reaches 0. Reverse the list.
# 3. Cake, dough, icing, egg: egg is used twice. After the cake and the dough, its count is 1; after the icing it is 0, and only now it is written.

# %% check="A.0.3" points=3
@probe
def ordered(graph, chain, data, grad):
    """graph: for each value the numbers of its inputs. Returns for each entry of the list its number, or below 0 for a stranger; then for a second call."""
    values = []
    for sources in graph:
        values.append(Value(data or (-1) ** len(values) * (len(values) + 2.), [values[i] for i in sources], [1.] * len(sources)))
    for _ in range(chain):
        values.append(Value(data or (-1) ** len(values) * (len(values) + 2.), values[-1:], (1.,)))
    for value in values:
        value.grad = grad
    number = {id(value): i for i, value in enumerate(values)}
    leaf = Value(0.25)
    earlier = Value(0.5, (leaf,), (2.,))
    topological(earlier)
    number[id(leaf)] = number[id(earlier)] = -3
    calls = []
    for _ in range(1 if chain else 2):
        found = topological(values[-1])
        if found is None:
            return found
        kind = type(found).__name__
        entries = list(found) if kind in ("list", "tuple") else []
        calls.append({"kind": kind, "numbers": [number.get(id(value), -1 if isinstance(value, Value) else -2)
                                                for value in entries],
                      "kept": [[value.data for value in values], [value.grad for value in values],
                               [len(value.inputs) for value in values]]})
    return calls

@probe
def reads_of_inputs(doublings):
    """How often `inputs` is read while the list is made for a number that is doubled again and again."""
    reads = []

    class Watched(Value):
        @property
        def inputs(self):
            reads.append(1)
            return self.kept_inputs

        @inputs.setter
        def inputs(self, given):
            self.kept_inputs = given

    value = Watched(1.)
    for _ in range(doublings):
        value = Watched(2 * value.data, (value, value), (1., 1.))
    topological(value)
    return len(reads)

@probe
def attributes_changed():
    """The names of the attributes of two values that are new, or other ones, after a call."""
    a = Value(1.)
    b = Value(2., (a, a), (1., 1.))
    before = [dict(vars(value)) for value in (a, b)]
    topological(b)
    return sorted({name for value, old in zip((a, b), before) for name, kept in vars(value).items()
                   if name not in old or old[name] is not kept})

def what_is_left():
    """The hint where a second call finds other values than the first."""
    names = attributes_changed()
    if names:
        marks = "this mark" if len(names) == 1 else "these marks"
        return (f"After a call the values have {', '.join(names)} set, and the next call finds {marks}: "
                "keep what you mark in a set or a dictionary of your own, made anew in each call.")
    return ("The values are as they were. So what is left lives outside of the call: a list or a set that is made outside of "
            "the function, or as a default in its head. Make it anew in each call.")

def fits(graph, what, chain=0, names="", data=None, grad=0., of=None):
    calls = ordered(graph, chain, data, grad)
    assert_type(calls, list, f"what topological returns for {what}", of="complete")
    assert_true(calls[0]["kind"] in ("list", "tuple"), f"what topological returns for {what} is a list", of="complete", hint=f"It is a {calls[0]['kind']}.")
    found = calls[0]["numbers"]
    graph = graph + [[i] for i in range(len(graph) - 1, len(graph) - 1 + chain)]
    wanted, todo = set(), [len(graph) - 1]
    while todo:
        i = todo.pop()
        if i not in wanted:
            wanted.add(i)
            todo += graph[i]
    of = "long chains" if chain else of
    name = {i: names[i] if names else f"value {i + 1}" for i in range(len(graph))}
    some = lambda numbers: [name[i] for i in sorted(numbers)][:5]
    assert_equal(found.count(-2), 0, f"{what}: how many entries are no objects of the class Value", of=of or "complete",
                 hint="The list holds the Value objects themselves.")
    assert_equal(found.count(-3), 0, f"{what}: how many entries belong to another result, asked for in an earlier call",
                 of=of or "values kept",
                 hint="Each call begins with a list of its own: one that stands outside of the function, or as a default in its head, lives on.")
    assert_equal(found.count(-1), 0, f"{what}: how many entries are other objects than those that the result is made of",
                 of=of or "complete",
                 hint="The list holds the Value objects themselves, no copies.")
    assert_close(calls[0]["kept"][0], [data or (-1) ** i * (i + 2.) for i in range(len(graph))],
                 f"{what}: data of all values afterwards", of=of or "values kept",
                 hint="The walk only reads the values.")
    assert_close(calls[0]["kept"][1], [grad] * len(graph), f"{what}: grad of all values afterwards, {grad:g} before",
                 of=of or "values kept",
                 hint="The walk only reads the values: keep what you count or mark in a dictionary or a set of your own.")
    assert_true(calls[0]["kept"][2] == [len(sources) for sources in graph], f"{what}: every value has its inputs after the call",
                of=of or "values kept",
                hint="The walk only reads the values.")
    again = {i for i in found if found.count(i) > 1} if len(found) < 1000 and len(set(found)) < len(found) else set()
    assert_equal(len(found) - len(set(found)), 0, f"{what}: how many entries stand in the list again", of=of or "once",
                 hint=lambda: f"More than once: {', '.join(some(again))}." + (
                     " Among the inputs of one value the same stands twice: whoever counts how often each is used counts it "
                     "twice, and lowers its count twice." if any(sources.count(i) > 1 for i in again for sources in graph)
                     else "") if again else "")
    assert_equal(some(wanted - set(found)), [], f"{what}: values that are missing", of=of or "complete",
                 hint="Two values may hold the same number: it is the object that counts." if data else
                 "The result itself belongs to the list." if wanted - set(found) == {len(graph) - 1} else
                 "Values that are made of nothing belong to the list, too." if not any(graph[i] for i in wanted - set(found))
                 else "Among the inputs of one value the same stands twice: whoever counts how often each is used counts it "
                 "twice, and lowers its count twice." if any(sources.count(i) > 1 for i in wanted - set(found) for sources in graph) else "")
    assert_equal(some(set(found) - wanted), [], f"{what}: values in the list that the result is not made of", of=of or "complete",
                 hint="Begin with the result, and go on with what is in `inputs` alone.")
    at = {i: place for place, i in enumerate(found)}
    pairs = sorted({(i, j) for i in wanted for j in graph[i]})
    early = [f"{name[i]} before {name[j]}" for i, j in pairs if at[j] > at[i]]
    assert_equal(early[:5], [], f"{what}: which value stands before one of its inputs", of=of or "inputs first",
                 hint="Every value stands before all of its inputs: this is the order of the way back; read from its end, it is the one asked for."
                 if len(early) == len(pairs) else "A value may be written down only when all of its inputs stand in the list: "
                 "how many steps it is away from the result, or whether it was found early or late on the way from there, does not say so.")
    if not chain:
        assert_equal(len(calls[1]["numbers"]), len(wanted), f"{what}: how many values a second call finds", of="values kept",
                     hint=lambda: what_is_left())
        assert_equal(sorted(calls[1]["numbers"]), sorted(wanted), f"{what}: which values a second call finds", of="values kept",
                     hint=lambda: "The first call was right. " + what_is_left())

fits([[], [0], [1], [1, 2]], "b = 2a, c = 3b, d = b + c", names="abcd")
fits([[], [0], [1], [2, 1]], "b = 2a, c = 3b, d = c + b", names="abcd")
fits([[], [], [0, 0], [2, 2]], "x, y (not used), u = x x, v = u u", names="xyuv")
fits([[], [0], [1], [0, 0], [2, 3]], "b = 2a, c = 3b, s = a a, r = c + s", names="abcsr")
fits([[], [0], [1], [0, 0], [3, 2]], "b = 2a, c = 3b, s = a a, r = s + c", names="abcsr")
fits([[]], "a single number", names="a")
fits([[], [], [0, 1]], "x, y and u = x y, each of them 1", names="xyu", data=1.)
fits([[], [0], [1, 0]], "b = 2a, c = b + a, with grads from before", names="abc", grad=7.)
too_deep = ""
try:
    ordered([[], [0, 0]], 5000, None, 0.)
except Exception as error:
    too_deep = str(error) if "RecursionError" in getattr(error, "type_names", [type(error).__name__]) else ""
assert_true(not too_deep, "a chain of 5,000 operations raises no RecursionError", of="long chains",
            hint="The short programs above came out right. Here a function that calls itself, once for each value below, is "
                 "5,000 calls deep: keep what is still to do in a list, and take from it in a loop.")
fits([[], [0, 0]], "a chain of 5,000 operations", chain=5000)
reads = reads_of_inputs(11)
assert_true(reads <= 1500, f"11 doublings, 2,048 ways and 12 values: the inputs of a value are read at most 1,500 times in all; yours are read {reads:,} times",
            of="many ways", hint="Walk through each value once, not once for each way that leads to it: for 40 doublings there is not time enough.")
### BEGIN HIDDEN TESTS
luck = random.Random(903)
for k in range(8):
    graph = [[], [], []]
    for i in range(3, 14):
        graph.append([luck.randrange(max(0, i - 5), i) for _ in range(luck.choice([1, 2, 2]))])
    fits(graph, f"random program {k}")
fits([[], [0], [0, 1], [2, 0], [3, 1], [4, 0]], "values that are used on several levels")
fits([[], [0], [1], [2], [0, 0], [0, 0, 0], [3, 4], [5, 6, 3]], "squares, cubes and a chain of the same number")
fits([[], [0], [1], [2], [0, 0], [0, 0, 0], [4, 3], [3, 6, 5]], "the same, the other way round")
fits([[], [], [0, 1]], "another chain, of 7,000 operations", chain=7000)
fits([[], [0], [0, 1], [2, 1, 0]], "values of the same number", data=-2.)
fits([[], [0], [0, 1], [2, 2, 0]], "values with grads from before", grad=-0.5)
doubled = [[]] + [[i, i] for i in range(40)]
fits(doubled, "40 doublings, a = a + a: 2 to the power of 40 ways, 41 values", of="many ways")
### END HIDDEN TESTS

# %% [markdown] task="A.0.4" kind="code" minutes=10 difficulty=3 core=true needs="reverse mode, order of the way back, topological order"
# ### Backward
#
# Write `backward(values)`. `values` is a list in topological order, as A.0.3 makes it; the result stands last. It sets `grad` of every
# value in the list to the derivative of the result by this value. What it returns does not matter.
#
# **You are done when**
# - **chains**: along a chain the slopes are multiplied; the result's own `grad` is 1, also if it is the only value;
# - **fan-out**: a value that is used in several places, or twice in one operation, gets the sum; an operation may have any number of inputs;
# - **afresh**: what stood in `grad` before does not count; the list and the record stay as they are, and a second call gives the same.

# %% exercise="A.0.4"
def backward(values):
    """Fills in `grad` of all values; the last one is the result."""
    ### BEGIN SOLUTION
    for value in values:
        value.grad = 0.
    values[-1].grad = 1.
    for value in reversed(values):
        for source, slope in zip(value.inputs, value.slopes):
            source.grad += value.grad * slope
    ### END SOLUTION

# %% [markdown] hints="A.0.4"
# 1. Which derivative is known without computing, and which must be 0 before you add to them?
# 2. `reversed(values)` walks from the end. An input gets `value.grad` times the slope, on top of what it has.
# 3. $b = 2a$, $c = 3b$: c.grad = 1, b.grad = 3, a.grad = 6.

# %% check="A.0.4" points=2
@probe
def walked(graph, times, before):
    """graph: for each value its inputs and slopes. The grads after each call."""
    values = []
    for sources, slopes in graph:
        values.append(Value(len(values) + 2., [values[i] for i in sources], slopes))
    for value in values:
        value.grad = before
    seen, given = [], list(values)
    for _ in range(times):
        try:
            backward(given)
        except IndexError as error:
            return {"error": f"IndexError: {error}."}
        seen.append([value.grad for value in values])
    return {"grads": seen, "list": [next((i for i, value in enumerate(values) if value is one), -1) for one in given],
            "record": [[[next((i for i, one in enumerate(values) if one is source), -1) for source in value.inputs],
                        list(value.slopes)]
                       for value in values]}

@probe
def writes_to_grad():
    """For a chain of four, as below: the number of the value and what was written into its grad, one after another."""
    written = []

    class Watched(Value):
        @property
        def grad(self):
            return self.kept_grad

        @grad.setter
        def grad(self, given):
            self.kept_grad = given
            written.append([int(self.data) - 2, float(given)])

    values = [Watched(2., name="a")]
    for slope in (2., 3., -0.5):
        values.append(Watched(values[-1].data + 1., values[-1:], (slope,)))
    written.clear()
    backward(values)
    return written

def what_was_set():
    """The hint for a chain where nothing, or only the result's grad, is left."""
    found, written = walked(chain_graph, 1, 0.)["grads"][-1], writes_to_grad()
    if found == [0.] * 4:
        return ("The grads were set, and are 0 again at the end: a value keeps its grad, also when it has passed it on."
                if any(given for _, given in written) else "Nothing was set: the result's own grad is 1.")
    if found == [0., 0., 0., 1.]:
        if any(given for number, given in written if number < 3):
            return "The grads of the others were set, and are 0 again at the end: a value keeps its grad, also when it has passed it on."
        if written[-1][0] == 3 and len([number for number, _ in written if number == 0]) > 1:
            return "The result's own grad became 1 last of all, when the others had had their turn: set it to 1 before the walk, so that it is passed on."
        after = [number for number, _ in written[written.index([3, 1.]) + 1:]]
        if set(after) == {0, 1}:
            return "The others passed on, but the result did not: it is the first to pass on, its grad of 1 times the slope, to the value before it."
        return "The result's own grad is 1, but nothing of it came to the others: a value passes on its grad times the slope, from the end on."
    return "From the end: 1, then 1 · (-0.5) = -0.5, then -0.5 · 3 = -1.5, then -1.5 · 2 = -3."

def which_pass():
    """The hint for the diamond, where the chain was right: the first value from the end whose grad is not."""
    a, b, c, d = walked(diamond_graph, 1, 0.)["grads"][0]
    if d != 1:
        return f"The grad of d, the result, is {d:g} at the end: it is 1 and stays 1, for nothing comes in at the result."
    if c != 1:
        return f"What comes in at c is 1 · 1 from d, and nothing else: c has the grad 1. Yours has {c:g}."
    if b != 7:
        return f"c is right. What comes in at b is 1 · 4 from d and 1 · 3 from c: b has the grad 4 + 3 = 7. Yours has {b:g}."
    return f"b and c are right. Then b passes 7 · 2 to a, once, when its 7 is complete: a has the grad 14. Yours has {a:g}."

def slopes_by_ways(graph):
    """The derivative of the last value by each: forward, one direction at a time."""
    n = len(graph)
    found = []
    for i in range(n):
        along = []
        for k, (sources, slopes) in enumerate(graph):
            along.append(1. if k == i else sum(along[j] * slope for j, slope in zip(sources, slopes)))
        found.append(along[-1])
    return found

def derivatives(graph, what, of, times=1, before=0., mistakes=None, hint=""):
    found = walked(graph, 1, before)
    assert_true("error" not in found, f"{what}: the call raises no error", of="fan-out", hint=found.get("error", "") +
                " A value may have any number of inputs, also one alone or none: zip(value.inputs, value.slopes) goes through them, however many they are.")
    assert_equal(found["list"], list(range(len(graph))), f"{what}: the places of the values in the list after the call", of="afresh", hint="The list is the caller's: leave it as it is.")
    assert_close(found["grads"][0], slopes_by_ways(graph), what, of=of, mistakes=mistakes, hint=hint or {
        "chains": "The result's own grad is 1; each value before it has the grad of the next one times the slope.",
        "fan-out": "Each value passes on its grad times the slope, for every entry of its inputs, once and only when all that uses it has passed on; what comes in is added up.",
        "afresh": "Every grad is set to 0 first, that of the result to 1, whatever stood there."}[of])
    assert_equal(found["record"], [[list(sources), list(slopes)] for sources, slopes in graph],
                 f"{what}: the inputs (by number) and the slopes of the values after the call", of="afresh",
                 hint="A second call needs them: leave them as they are.")
    if times > 1:
        assert_close(walked(graph, times, before)["grads"][-1], slopes_by_ways(graph), f"{what}, after call {times}", of=of, hint="Each call sets every grad to 0 first.")

chain_graph = [[[], []], [[0], [2.]], [[1], [3.]], [[2], [-0.5]]]
diamond_graph = [[[], []], [[0], [2.]], [[1], [3.]], [[1, 2], [4., 1.]]]
square_graph = [[[], []], [[0, 0], [5., 5.]]]
derivatives(chain_graph, "the grads of a chain with the slopes 2, 3 and -0.5", "chains",
            hint=lambda: what_was_set(), mistakes={
    "A value passes on its own grad times the slope, not its data times the slope.": [6., 12., -2.5, 1.],
    "Only the result's grad begins at 1; here those of the others began at 1, too, and not at 0.": [6., 2.5, 0.5, 1.],
    "These are the derivatives of each value by the first one; asked for is that of the result, the last one, by each.": [1., 2., 6., -3.],
    "Walk from the end: here a value passed on before anything had come in.": [0., 0., -0.5, 1.],
    "The result's own grad is 1.": [-3., -1.5, -0.5, 0.], "A value passes on its own grad times the slope.": [2., 3., -0.5, 1.],
    "The result's own grad is 1, whatever its data is.": [-15., -7.5, -2.5, 5.],
    "The values in between keep their grad, too.": [-3., 0., 0., 1.],
    "Along a chain, grad and slope are multiplied, not added.": [5.5, 3.5, 0.5, 1.],
    "The slope is all that is needed: data has no part in the way back.": [-72., -18., -2., 1.],
    "The slope is all that is needed, and data has no part in the way back.": [-180., -30., -2.5, 1.],
    "The result stands last in the list; its grad is 1, not that of the first value.": [1., 0., 0., 0.]})
derivatives(diamond_graph, "the grads of a, b, c, d for b = 2a, c = 3b, d = 4b + c", "fan-out",
            hint=lambda: "The chain above was right. " + which_pass(), mistakes={
    "Each input gets grad times its own slope; here it is grad times all slopes of the operation, added.": [40., 20., 5., 1.],
    "A value passes on to what stands in its inputs. d has the inputs b and c; here all went to c, the value before "
    "it in the list.":
    [30., 15., 5., 1.],
    "Each input gets grad times the slope, whole: it is not shared out among the inputs.": [7., 3.5, 0.5, 1.],
    "Walk from the end: a value passes on what has come in.": [0., 4., 1., 1.],
    "Contributions add up; the last one replaced the others.": [6., 3., 1., 1.],
    "Contributions add up; here they were multiplied.": [24., 12., 1., 1.],
    "b passed on before c had passed on to it.": [8., 7., 1., 1.],
    "b passed on twice, each time all that it had: a value passes on once, when all that uses it has passed on.": [28., 7., 1., 1.],
    "b passed on before c had passed on to it, and then all that it had once more: a value passes on once, when all that uses it has passed on.": [22., 7., 1., 1.]})
derivatives(square_graph, "the grads of x and x x at x = 5", "fan-out", hint="x x has two inputs, both of them x: it passes 1 · 5 to x twice, 10 in all.",
            mistakes={"x is an input twice, and counts twice.": [5., 1.],
                      "Contributions add up; here they were multiplied.": [25., 1.]})
derivatives([[[], []]], "the grad of a single number", "chains", mistakes={"The result's own grad is 1, also if it is the only value.": [0.]})
derivatives([[[], []], [[0], [2.]], [[0, 1, 1], [3., 5., -1.]]], "the grads of a, b, c for b = 2a and a c of three inputs (a, b and b)", "fan-out",
            hint="c passes 3 to a, and 5 and -1 to b, which has 4; b passes 4 · 2 to a: 3 + 8 = 11.", mistakes={
                "An operation may have more than two inputs.": [13., 5., 1.],
                "c, which has three inputs, passed nothing on: an operation may have more than two.": [0., 0., 1.]})
derivatives(diamond_graph, "the grads of values whose grad was 7 before", "afresh", 2, 7., mistakes={
    "What stood in grad before counts, too: set it to 0 first.": [77., 35., 8., 1.],
    "What stood in grad of b and c counts, too: every grad is set to 0 first, here only that of a was.": [70., 35., 8., 1.],
    "What stood in grad of a counts, too: every grad is set to 0 first, here those of b and c alone were.": [21., 7., 1., 1.],
    "The result's grad begins at 1, whatever stood there.": [112., 56., 8., 8.]})
### BEGIN HIDDEN TESTS
luck = random.Random(904)
derivatives([[[], []]], "the grad of a single number, 5 before", "chains", 1, 5.)
derivatives([[[], []], [[], []], [[0, 1, 0, 1], [1.5, -2., 0.5, 3.]], [[2, 2, 2], [1., 1., -4.]]], "operations with four and three inputs", "fan-out")
derivatives([[[], []]] + [[[i], [luck.choice([-1., 0.5, 2., 1.])]] for i in range(12)], "a chain of 12 operations", "chains")
for k in range(6):
    graph = [[[], []], [[], []]]
    for i in range(2, 11):
        sources = [luck.randrange(i) for _ in range(luck.choice([1, 2, 2]))]
        graph.append([sources, [luck.uniform(-2, 2) for _ in sources]])
    derivatives(graph, f"random program {k}", "fan-out")
    derivatives(graph, f"random program {k} for the third time, with -3 in every grad before", "afresh", 3, -3.)
### END HIDDEN TESTS

# %% [markdown] teaches="engine for numbers"
# ## 5. The whole engine
#
# All pieces are there. Put into one class, with operators, they are an engine: write any program with +, -, *, /, powers and
# activations, call `backward()`, read `grad`.
#
# The operators come cheaply. `__radd__` is `__add__` with the sides exchanged. A difference is a sum with -1 times the right side, a
# quotient a product with the power -1. Only numbers need care: in `a + 3` the 3 is no object of ours, and must become one first.
# `isinstance(other, Scalar)` tells.

# %% [markdown] task="A.0.5" kind="code" minutes=20 difficulty=4 core=true needs="engine for numbers, operator overloading, topological order, reverse mode"
# ### Scalar
#
# Write the class `Scalar`, made as `Scalar(data)`, with the attributes `data` and `grad`. Put in what you have written above; inside you may do as you like.
#
# - Operators `+`, `-`, `*`, `/`, also with a plain number on either side; `-a`; `a ** n` with a plain number `n`.
# - Methods `a.tanh()`, `a.relu()`, each a new `Scalar`, and `a.backward()`, which sets `grad` of `a` itself and of everything that it is made of.
#
# **You are done when**
# - **values**: every operation gives a `Scalar` whose `data` is right, and the operands keep theirs;
# - **plain numbers**: `a + 2`, `2 + a`, `a - 2`, `2 - a`, `a * 2`, `2 * a`, `a / 2` and `2 / a` work, forward and back;
# - **derivatives**: `grad` is right for each operation on its own (relu has the slope 0 at 0), and the result's own is 1;
# - **fan-out**: also where values are used several times, and for the values in between;
# - **afresh**: a second `backward()` gives the same as the first, and so does one after `backward()` of another result;
# - **long chains**: a sum of 3,000 terms, added one after another, works.

# %% exercise="A.0.5" uses="A.0.1, A.0.2, A.0.3, A.0.4"
class Scalar:
    """A number that records what it was made of, and can go back."""
    ### BEGIN SOLUTION
    def __init__(self, data, inputs=(), slopes=()):
        self.data, self.grad = float(data), 0.
        self.inputs, self.slopes = inputs, slopes

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data + other.data, (self, other), (1., 1.))

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Scalar(self.data ** n, (self,), (n * self.data ** (n - 1),))

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -1 * other

    def __rsub__(self, other):
        return other + -self

    def __truediv__(self, other):
        return self * other ** -1

    def __rtruediv__(self, other):
        return other * self ** -1

    __radd__, __rmul__ = __add__, __mul__

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(self.data, 0.), (self,), (float(self.data > 0),))

    def backward(self):
        uses, todo, seen = {}, [self], {self}
        while todo:
            value = todo.pop()
            value.grad = 0.
            for source in value.inputs:
                uses[source] = uses.get(source, 0) + 1
                if source not in seen:
                    seen.add(source)
                    todo.append(source)
        self.grad, ready = 1., [self]
        while ready:
            value = ready.pop()
            for source, slope in zip(value.inputs, value.slopes):
                source.grad += value.grad * slope
                uses[source] -= 1
                if uses[source] == 0:
                    ready.append(source)
    ### END SOLUTION

# %% [markdown] hints="A.0.5"
# 1. Which of the operators can you write with `+`, `*` and `**` of your own class, so that they need no rule?
# 2. `other if isinstance(other, Scalar) else Scalar(other)` makes an object of a number. `__rsub__(self, other)` is called for `other - self`.
# 3. For `abs`: `def __abs__(self): return Scalar(abs(self.data), (self,), (1. if self.data > 0 else -1.,))`.

# %% check="A.0.5" points=5
@probe
def calculated(text, names, numbers, times, other):
    """The value of an expression, and the grads of its Scalars after `times` calls of backward(), that of `other` before."""
    leaves = {name: Scalar(number) for name, number in zip(names, numbers)}
    *steps, last = text.split("; ")
    page_of_names = dict(leaves)
    try:
        for step in steps:
            exec(step, page_of_names)
        result = eval(last, page_of_names)
        if other and result is not None:
            eval(other, page_of_names).backward()
    except TypeError as error:
        return {"error": f"TypeError: {error}."}
    except AttributeError as error:
        if error.name in ("tanh", "relu") or isinstance(error.obj, (int, float)):
            return {"error": f"AttributeError: {error}.", "of": type(error.obj).__name__}
        raise
    if result is None:
        return result
    if not isinstance(result, Scalar):
        return {"kind": type(result).__name__}
    for _ in range(times):
        result.backward()
    made_on_the_way = [page_of_names[step.split(" = ")[0]] for step in steps]
    return {"kind": "Scalar", "data": result.data, "grads": [leaf.grad for leaf in [*leaves.values(), *made_on_the_way]],
            "own": result.grad, "handed back": [name for name, leaf in leaves.items() if leaf is result],
            "kept": [leaf.data for leaf in leaves.values()]}

def by_autograd(text, names, numbers):
    leaves = {name: torch.tensor(float(number), dtype=torch.float64, requires_grad=True) for name, number in zip(names, numbers)}
    *steps, last = text.split("; ")
    page_of_names = dict(leaves)
    for step in steps:
        exec(step, page_of_names)
    out = eval(last, page_of_names)
    made_on_the_way = [page_of_names[step.split(" = ")[0]] for step in steps]
    grads = torch.autograd.grad(out, [*leaves.values(), *made_on_the_way], allow_unused=True)
    return out.item(), [0. if g is None else g.item() for g in grads]

slopes_in_words = {"a": "A result that is made of nothing has the grad 1.", "+": "Both slopes of a sum are 1.",
                   "*": "The slope by a factor is the other factor.",
                   "-": "The slopes of a difference are 1 and -1.", "/": "The slopes of a quotient are 1 / b and -a / b².",
                   "-a": "The slope of -a is -1.",
                   "**": "The slope of a ** n is n a^(n - 1), for n = 1 and at a = 0, too.",
                   "a.tanh()": "The slope of tanh is 1 - tanh².",
                   "a.relu()": "The slope of relu is 1 where a is above 0, and 0 elsewhere, at 0, too."}
slopes_with_a_number = {"a +": "a + n by a is 1", "a -": "a - n by a is 1", "a *": "a * n by a is n", "a /": "a / n by a is 1 / n",
                        "n +": "n + a by a is 1", "n -": "n - a by a is -1", "n *": "n * a by a is n", "n /": "n / a by a is -n / a²"}
reversed_methods = {"+": "__radd__", "-": "__rsub__", "*": "__rmul__", "/": "__rtruediv__"}

def slips(text, a, b=0.):
    """For an operation on its own: the grads that known mistakes give."""
    t, n = math.tanh(a), float(text[5:]) if text.startswith("a ** ") else 0.
    return {"a * b": {"The slope by a factor is the other factor; here it is the factor itself.": [a, b],
                      "These are the slopes of a sum; by a factor it is the other factor.": [1., 1.]},
            "a - b": {"The slope by b is -1: if b grows, the difference falls.": [1., 1.]},
            "a / b": {"By b, the slope is -a / b²; this is -a / b.": [1 / b, -a / b],
                      "By b, the slope has a minus: the larger b, the smaller the quotient.": [1 / b, a / b ** 2],
                      "By b, the slope is -a / b²; the factor a is missing here.": [1 / b, -1 / b ** 2],
                      "These are the slopes of a product.": [b, a]} if b else {},
            "-a": {"The slope of -a is -1: if a grows, -a falls.": [1.]},
            "a.tanh()": {"1 - tanh² takes the result, not the input.": [1 - a * a],
                         "The result is squared in 1 - tanh².": [1 - t],
                         "This is t (1 - t) for t = tanh a, the sigmoid's rule. For tanh it is 1 - t · t.": [t * (1 - t)],
                         "math.tanh was applied twice: the result is tanh of a already.": [1 - math.tanh(t) ** 2]},
            "a.relu()": {"This is the result; the slope is another number.": [a]} if a > 0 else {
                "Where a is not above 0, the slope of relu is 0, at 0, too.": [1.]},
            f"a ** {n:g}": {"In n a^(n - 1), n comes down as a factor.": [a ** (n - 1)],
                            "In n a^(n - 1), the exponent is one less than n.": [n * a ** n]} if a else {}}.get(text, {})

def in_words(text, of, found, value, grads, numbers):
    """For an expression: the hint for an error, for data, and for grads; the mistakes known for data, and for grads."""
    words = text.split()
    left = of == "plain numbers" and words[0] != "a"
    error = found.get("error", "")
    if found.get("of") in ("int", "float"):
        error += " A plain number has no data: make a Scalar of it first."
    if left:
        error += f" With a plain number on the left, Python calls {reversed_methods[words[1]]} of a."
    operation = text[-7:] if text.startswith("(") else words[1] if len(words) == 3 else text
    slope = (slopes_in_words.get(operation) or slopes_in_words.get(f"a{operation}", "")) if of == "derivatives" else ""
    if of == "plain numbers":
        slope = f"For a plain number n, the slope of {slopes_with_a_number[('n' if left else 'a') + ' ' + words[1]]}."
    known = slips(text, *numbers) if of == "derivatives" else {}
    exchanged = {}
    if words[0] == "a" and words[-1] == "b" and len(words) == 3:
        a, b = numbers
        exchanged = {"This is a + b.": a + b, "This is a - b.": a - b, "This is b - a.": b - a, "This is a * b.": a * b,
                     **({"This is a / b.": a / b} if b else {}), **({"This is b / a.": b / a} if a else {})}
    if of == "plain numbers":
        known["The sign is the other one."] = [-g for g in grads]
        if left and words[1] in "-/":
            exchanged = {"The plain number is the left side; this is the result with the two sides exchanged.": -value
                         if words[1] == "-" else 1 / value}
    data = f"Python calls {reversed_methods[words[1]]} of a here." if left else {
        "a.relu()": "The result of relu is the larger one of a and 0.", "a ** 0.5": "n may be any plain number, also 0.5.",
        "a / b": "The quotient is not rounded."}.get(text, "")
    return error, data, slope, exchanged, known

@probe
def new_references(text, names, numbers):
    """For each Scalar of an expression: how many references to it there are more than before, while the result is kept."""
    import sys
    leaves = {name: Scalar(number) for name, number in zip(names, numbers)}
    page_of_names = dict(leaves)
    eval("0", page_of_names)
    before = [sys.getrefcount(leaves[name]) for name in names]
    result = eval(text, page_of_names)
    after = [sys.getrefcount(leaves[name]) for name in names]
    return [more - less for more, less in zip(after, before)] if result is not None else []

def right_at(text, numbers, other=""):
    names = "abcdefgh"[:len(numbers)]
    found = calculated(text, names, numbers, 1, other)["grads"]
    return found, all(abs(yours - right) < 1e-6 for yours, right in zip(found, by_autograd(text, names, numbers)[1]))

def why_not(text, of, numbers, found, grads, other, rule_in_words):
    """The hint where grads are wrong: asks for other expressions, to find out why."""
    names = "abcdefgh"[:len(numbers)]
    if of in ("derivatives", "plain numbers") and any(grads) and not any(found):
        if max(new_references(text, names, numbers)) <= 0:
            return (f"Nothing came in: while {text} was computed, nothing that went in was itself put down, and so nothing can "
                    f"be passed on to it. {rule_in_words}")
        if right_at("a + b", (2., 5.))[1]:
            return (f"Nothing came in. For a + b the grads are right: backward() passes on, and it is the slope of {text} "
                    f"that is 0. {rule_in_words}")
        return "Nothing came in. For a + b it is so, too: backward() does not pass on."
    if of == "fan-out" or len(set(numbers)) < len(numbers):
        if right_at("a * b + c * d", (2., 6., 3., 5.))[1] and not right_at("a * b + c * d", (2., 6., 3., 4.))[1]:
            return ("a * b + c * d is right where the two products are 12 and 15, and wrong where both are 12: two values may hold the same number, "
                    "it is the object that counts.")
    if of == "derivatives":
        lost = [name for name, yours, right in zip(names, found, grads) if yours == 0 != right]
        if lost and len(lost) < len(names):
            more = dict(zip(names, new_references(text, names, numbers)))
            return (f"Nothing came in at {lost[0]}: while {text} was computed, {lost[0]} itself was put down nowhere. A copy of it, or its number, passes nothing on to it."
                    if more[lost[0]] <= 0 else f"Nothing came in at {lost[0]}. {rule_in_words}")
    if of == "fan-out":
        for alone in ("a + b", "a * b"):
            if not right_at(alone, (2., 5.))[1]:
                return f"{alone} on its own, with a = 2 and b = 5, does not give the right grads either: mend this first."
    if other:
        if right_at("c = a * b; c * c + a", (2., 3.), "c + b")[0] == [4., 3., 13.]:
            return ("What an earlier call has been through, a later one neither sets to 0 nor lets pass on: what tells that a value is done, "
                    "a mark on it or a set outside of backward(), has to begin anew with each call.")
        if text == "a + b" and found == [6., 3.]:
            return "The second result added to what the first had left: set every grad to 0 first."
    return rule_in_words

def agrees(text, numbers, of, times=1, values=True, other="", mistakes=None):
    names = "abcdefgh"[:len(numbers)]
    at = ", ".join(f"{name} = {number:g}" for name, number in zip(names, numbers))
    found, (value, grads) = calculated(text, names, numbers, times, other), by_autograd(text, names, numbers)
    assert_type(found, dict, f"what {text} gives", of="values")
    error, hint_for_data, slope, exchanged, known = in_words(text, of, found, value, grads, numbers)
    assert_true("error" not in found, f"{text} at {at} raises no error", of="values" if values else of, hint=error)
    assert_equal(found["kind"], "Scalar", f"the class of what {text} gives", of="values",
                 hint="Each operation gives a new Scalar, with its record.")
    if text not in names:
        assert_equal(found["handed back"], [], f"{text} at {at}: names of Scalars that are handed back in place of a new one",
                     of="values",
                     hint="Also where the number stays the same, the result is a new Scalar." if found["kept"] == list(numbers) else
                     "The operation changed the number of this Scalar and gave it back: the result is a new one, and what it is made of keeps its number.")
    assert_close(found["data"], value, f"{text} at {at}: data", of="values" if values else of, hint=hint_for_data,
                 mistakes=exchanged)
    assert_close(found["kept"], [float(number) for number in numbers], f"{text} at {at}: data of {', '.join(names)} afterwards",
                 of="values",
                 hint="An operation makes a new Scalar; what it is made of stays as it is.")
    again = (f" after backward() {times} times" if times > 1 else "") + (f" after ({other}).backward()" if other else "")
    hint = {"fan-out": "If each operation on its own is right: what comes in adds up, and a value passes on once, after all of its users have.",
            "afresh": "backward() sets every grad that it reaches to 0 first, and leaves the record as it is."}.get(of, slope)
    if of == "derivatives":
        assert_close(found["own"], 1., f"{text} at {at}: grad of the result itself", of=of,
                     hint="The derivative of the result by itself is 1.")
    of_names = ", ".join([*names, *(step.split(" = ")[0] for step in text.split("; ")[:-1])])
    assert_close(found["grads"], grads, f"{text} at {at}: grad of {of_names}{again}", of=of,
                 hint=lambda: why_not(text, of, numbers, found["grads"], grads, other, hint),
                 mistakes={**known, **(mistakes or {})})

@probe
def long_sum(n, step):
    leaf = Scalar(step)
    total_so_far = leaf
    for _ in range(n - 1):
        total_so_far = total_so_far + leaf
    total_so_far.backward()
    return [total_so_far.data, leaf.grad]

@probe
def methods_of_scalar():
    return sorted(method for kind in Scalar.__mro__[:-1] for method in vars(kind))

@probe
def has_data(number):
    return [name for name in ("data",) if hasattr(Scalar(number), name)]

assert_true("__add__" in methods_of_scalar(), "Scalar has the method __add__", of="values", hint="Is the class written?")
assert_equal(has_data(2.), ["data"], "which attribute holds the number of Scalar(2.)", of="values",
             hint="The number is kept under this name: self.data, set in __init__.")
assert_true("backward" in methods_of_scalar(), "Scalar has the method backward", of="derivatives",
            hint="A method of the class is indented as the others are: `def backward(self):`.")
with part(1, "the operations"):
    for text, numbers in (("a", (3.,)), ("a + b", (2., 3.)), ("a * b", (2., 3.)), ("a - b", (2., 5.)), ("a / b", (3., 4.)),
                          ("-a", (2.,)), ("a ** 3", (2.,)), ("a ** 1", (2.,)), ("a.tanh()", (0.5,)), ("a.relu()", (-2.,)),
                          ("a.relu()", (3.,)), ("a.relu()", (0.,)), ("a + b", (0., 0.))):
        agrees(text, numbers, "derivatives")
with part(1, "plain numbers"):
    for text in ("a + 2", "2 + a", "a - 2", "2 - a", "a * 2", "2 * a", "a / 2", "2 / a"):
        agrees(text, (4.,), "plain numbers", values=False)
with part(1, "fan-out"):
    agrees("a + a", (5.,), "fan-out", mistakes={"a is used twice: what comes in adds up; here one of the two was lost.": [1.]})
    agrees("a * a", (5.,), "fan-out", mistakes={"a is used twice: what comes in adds up; here one of the two was lost.": [5.]})
    agrees("(a * b + a) * (a * b)", (2., 3.), "fan-out")
    known_orders = {"b passed on each time that something came in, and each time all that it had by then: a value passes on once, when its grad is complete.": [29.25, 5.5, 1.],
                    "b passed on before c had passed on to b: a value waits for all of its users.": [3., 5.5, 1.],
                    "b passed on more than once: a value passes on once, when its grad is complete.": [49.5, 5.5, 1.],
                    "grad of the values in between is wanted, too.": [16.5, 0., 0.],
                    "A value keeps its own grad when it passes on.": [16.5, 5.5, 0.]}
    agrees("b = a * a; c = b * b; b + c", (1.5,), "fan-out", mistakes=known_orders)
    agrees("b = a * a; c = b * b; c + b", (1.5,), "fan-out", mistakes=known_orders)
with part(1, "again, and long chains"):
    agrees("(a * b + a) ** 2", (2., 3.), "fan-out")
    agrees("a + b", (2., 5.), "afresh", times=2, mistakes={
        "The second call added to what the first had left: set every grad to 0 first.": [2., 2.],
        "The second call added to what the first had left, in the result, too: set every grad to 0 first, then that of the result to 1.": [3., 3.],
        "The record was gone when the second call came: a call leaves it as it is.": [0., 0.]})
    agrees("a + b", (2., 5.), "afresh", other="a * b")
    agrees("(a * b + a) ** 2", (2., 3.), "afresh", times=2, mistakes={
        "Every grad begins at 0, also of the values in between; some were left from the first call.": [240., 128.],
        "The grads of the values in between begin at 0, too; theirs were left from the first call.": [176., 96.]})
    agrees("c = a * b; c * c + a", (2., 3.), "fan-out")
    agrees("c = a * b; c * c + a", (2., 3.), "afresh", other="c + b", mistakes={
        "The record of c was gone after (c + b).backward(): a call leaves the record as it is.": [1., 3., 12.],
        "Nothing went from c to a and b: (c + b).backward() must leave the record of c as it is.": [1., 0., 12.]})
    assert_close(long_sum(3000, 0.5), [1500., 3000.], "0.5 added up 3,000 times: the sum, and the grad of the 0.5", of="long chains",
                 hint="Each of the 3,000 places passes 1 to it: they add up, in a long chain as in a short one.")
### BEGIN HIDDEN TESTS
with part(1, "other numbers and programs"):
    for text, numbers in (("a + b", (-2., 0.)), ("a * b", (0., -1.5)), ("a - b", (0.5, -4.)), ("a / b", (-3., 0.5)),
                          ("-a", (-7.,)), ("a ** -2", (1.5,)), ("a ** 0.5", (9.,)), ("a ** 1", (0.,)), ("a ** 2", (0.,)),
                          ("a ** 1", (-3.,)), ("a.tanh()", (-1.2,)), ("a.relu()", (0.25,)), ("(a - b).relu()", (3., 3.)),
                          ("a + b", (0., 0.)), ("a - b", (0., 0.))):
        agrees(text, numbers, "derivatives")
    for text in ("a + 0.5", "-1 + a", "a - 3", "3 - a", "a * -2", "-0.5 * a", "a / -4", "-3 / a"):
        agrees(text, (-1.5,), "plain numbers", values=False)
    for text, numbers in (("((a * b + c).tanh() - 0.3) ** 2", (0.7, -1.1, 0.4)), ("(a / b + b / a) * (a - b) ** 2", (1.5, -2.)),
                          ("(a * a + b).relu() * a + (a * b).tanh() / (1 + b * b)", (1.3, 0.6)), ("d = a * b; (d * d + d * a) / (d + 3)", (2., 0.5)),
                          ("d = a * 2; e = d + a; d * e + e * e", (-0.8,))):
        agrees(text, numbers, "fan-out")
        agrees(text, numbers, "afresh", times=3)
        agrees(text, numbers, "afresh", other=" + ".join("abc"[:len(numbers)]) + (" + d * d" if text.startswith("d") else ""))
    assert_close(long_sum(4000, -0.25), [-1000., 4000.], "-0.25 added up 4,000 times: the sum, and the grad", of="long chains",
                 hint="Each of its places passes 1 to it: they add up, in a long chain as in a short one.")
total()
### END HIDDEN TESTS

# %% [markdown]
# torch has the same record. Each tensor that autograd made has a `grad_fn`, which knows its inputs, and so on to the leaves:

# %% tags=["demo"]
p, q = torch.tensor(2., requires_grad=True), torch.tensor(3., requires_grad=True)
s = p * q + p
print("s:", s.grad_fn.name(), "made of", [source.name() for source, _ in s.grad_fn.next_functions])
product = s.grad_fn.next_functions[0][0]
print("its first input:", product.name(), "made of", [source.name() for source, _ in product.next_functions])

# %% [markdown] teaches="engine for arrays"
# ## 6. From numbers to arrays
#
# Why does nobody train networks with an engine for numbers? Count. A linear layer with $d$ inputs and $q$ outputs takes, for each output of
# each example, $d$ products, $d - 1$ sums and one more for the bias. Each of them would be an object with a record. Below, the time for
# making the objects alone, against the time of the whole layer on arrays:

# %% tags=["demo"]
d, q = 784, 64
start = time.perf_counter()
objects = [Value(1.) for _ in range(2 * d * q)]
slow = time.perf_counter() - start
x, W, b = torch.ones(1, d), torch.ones(q, d), torch.ones(q)
x @ W.T + b
start = time.perf_counter()
for _ in range(100):
    x @ W.T + b
fast = (time.perf_counter() - start) / 100
print(f"one picture through a layer of {q} units: {len(objects):,} objects")
print(f"making them takes {slow / fast:,.0f} times as long as the layer on arrays")
del objects

# %% [markdown]
# So let an *operation* be one on whole arrays. Then the layer is two operations, a matrix product and a sum, and the record has two entries, whatever the sizes are.
# What changes? A slope is not a number any more: how 50,176 weights act on 64 outputs would be a table of 3 million entries, nearly all of them 0. The table is never made.
# Each operation brings a function instead, which takes the gradient of its output and returns the gradients of its inputs. The rest stays: record, walk back, add up.
#
# And the order? An engine that records into *one common list*, in the order of execution, has a topological order for nothing. That is the
# engine of A.2.

# %% [markdown] task="A.0.6" kind="explain" minutes=12 difficulty=3 needs="engine for arrays, engine for numbers"
# ### What arrays change
#
# Write `records(n, d, q)`: the number of operations of numbers that an engine for numbers records for a linear layer with bias, $d$ inputs and $q$
# outputs, on $n$ examples (adding up begins with the first product, not with a 0).
#
# Then explain in words: what does the engine for arrays save; what takes the place of the slopes, and why not tables; and what stays the same?
#
# **You are done when**
# - **count**: products, sums and biases are counted, for any `n`, `d`, `q`; your text answers the three questions.

# %% exercise="A.0.6"
def records(n, d, q):
    """Operations of numbers in x @ W.T + b for x (n, d), W (q, d), b (q,)."""
    ### BEGIN SOLUTION
    return n * q * (d + (d - 1) + 1)
    ### END SOLUTION

# %% [markdown] hints="A.0.6"
# 1. How many products make one output of one example, and how many sums?
# 2. Adding up d numbers takes d - 1 sums; the bias takes one more.
# 3. One example, 3 inputs, 2 outputs: 2 · (3 + 2 + 1) = 12.

# %% check="A.0.6" points=1
def multiplied_out():
    """The count as a sum of terms, found from small layers: {(powers of n, d and q): factor}; empty where it is no such sum."""
    powers = torch.tensor([[1., s, s * s] for s in (1., 2., 3.)], dtype=torch.float64)
    counts = torch.tensor([[[float(records(n, d, q)) for q in (1, 2, 3)] for d in (1, 2, 3)] for n in (1, 2, 3)], dtype=torch.float64)
    back = torch.linalg.inv(powers)
    factors = torch.einsum("in,jd,kq,ndq->ijk", back, back, back, counts)
    terms = {(i, j, k): round(2 * factors[i, j, k].item()) / 2 for i in range(3) for j in range(3) for k in range(3)
             if abs(factors[i, j, k].item()) > 1e-6}
    for n, d, q in ((1, 2, 3), (3, 1, 2), (4, 5, 7), (5, 7, 4), (6, 4, 5)):
        if abs(sum(factor * n ** i * d ** j * q ** k for (i, j, k), factor in terms.items()) - records(n, d, q)) > 1e-6:
            return {}
    return terms

def in_letters(terms):
    """{(1, 1, 1): 2, (1, 0, 1): -1} as 2·n·d·q - n·q."""
    said = ""
    for powers, factor in sorted(terms.items(), key=lambda term: (-sum(term[0]), [-power for power in term[0]])):
        letters = "·".join(letter + "²" * (power == 2) for letter, power in zip("ndq", powers) if power)
        size = f"{abs(factor):g}" if not letters else letters if abs(factor) == 1 else f"{abs(factor):g}·{letters}"
        said += (" - " if factor < 0 else " + ") + size if said else ("-" if factor < 0 else "") + size
    return said

def which_term(terms):
    """The hint where the count is a sum of terms: those that cannot be."""
    start = f"Multiplied out, your count is {in_letters(terms)}. "
    reasons = {0: "each of the n examples takes operations of its own", 2: "each of the q outputs takes operations of its own"}
    for place in (0, 2):
        without = {powers: factor for powers, factor in terms.items() if not powers[place]}
        if without:
            both = place == 0 and not any(powers[2] for powers in without)
            return f"{start}In {in_letters(without)} there is no {'n and no q' if both else 'ndq'[place]}: {reasons[place]}{', and in each of them each output' if both else ''}."
    for place, reason in ((0, "each example is computed by itself"), (1, "one output of one example takes d products, one for each input"),
                          (2, "each output is made of the d inputs, by itself")):
        twice = {powers: factor for powers, factor in terms.items() if powers[place] == 2}
        if twice:
            nowhere = ", and there is no d in your count" if not any(powers[1] for powers in terms) else ""
            return f"{start}In {in_letters(twice)} the {'ndq'[place]} stands twice{nowhere}: {reason}."
    of_one = {(0, powers[1], 0): factor for powers, factor in terms.items()}
    return f"{start}That is {in_letters(of_one)} for one output of one example, which takes d products, d - 1 sums of them and one sum for the bias."

def which_layer():
    """The hint where the count is wrong: its terms, or the smallest layer for which it is."""
    one, both, five = (records(1, d, 1) for d in (1, 2, 5))
    if one == both == five == records(2, 3, 4):
        return f"The count depends on n, d and q; yours is {one} for each layer."
    if all(abs(records(n, 3, 2) * n - records(1, 3, 2)) < 1e-6 for n in (2, 4, 5)) and one:
        return "For 2 examples yours is half of what it is for one, as if divided by n; they take twice as many operations."
    terms = multiplied_out() if all(isinstance(count, (int, float)) for count in (one, both, five)) else {}
    if terms and terms != {(1, 1, 1): 2}:
        return which_term(terms)
    if one != 2:
        return f"One example, one input and one output take one product and one sum, that of the bias: 2. Yours is {one}."
    if both != 4:
        return f"One example, two inputs and one output take two products, one sum of the two and one more for the bias: 4. Yours is {both}."
    if five != 10:
        return f"One example, five inputs and one output take five products, four sums of them and one more for the bias: 10. Yours is {five}."
    if records(2, 5, 1) != 20:
        return f"With one output and one example yours is right; two examples with d = 5 take twice as many operations, 20. Yours is {records(2, 5, 1)}."
    if records(1, 5, 2) != 20:
        return f"With one output and one example yours is right; two outputs with d = 5 take twice as many operations, 20. Yours is {records(1, 5, 2)}."
    return "With two examples, and with two outputs, yours is right: where both are more than one, each example takes the operations of all outputs."

assert_equal(records(3, 4, 5), 120, "records(3, 4, 5)", of="count", hint=lambda: which_layer(), mistakes={
    "These are the products alone.": 60, "The bias is a sum, too: one for each output of each example.": 105,
    "To add up d numbers takes fewer than d sums.": 135,
    "This is the count for one example.": 40, "This is the count for one output of each example.": 24,
    "The bias is added once for each example.": 110,
    "Only one bias is counted; each output of each example has one added.": 106,
    "Each of the q outputs has a bias of its own added.": 108,
    "These are the products and the biases; the sums of the d products are missing.": 75,
    "A layer needs products, too; these are the sums without the biases.": 45,
    "These are the parameters of the layer; the task counts its operations.": 25,
    "Two is the count for an engine of arrays; here each operation of two numbers is one.": 2,
    "Only operations count; x, W and b are handed in, no operation makes them.": 157})
assert_equal(records(1, 3, 2), 12, "records(1, 3, 2)", of="count", hint=lambda: which_layer(), mistakes={"These are the products alone.": 6, "The bias is a sum, too.": 10, "To add up d numbers takes fewer than d sums.": 14})
assert_equal(records(3, 1, 5), 30, "records(3, 1, 5)", of="count", hint=lambda: which_layer(), mistakes={
    "This is the count for one example.": 10, "The bias is added once for each example.": 18,
    "With one input, an output of an example takes two operations: one product, and one sum for the bias. Here it takes "
    "one.": 15})
### BEGIN HIDDEN TESTS
for n, d, q in ((1, 784, 64), (50, 7, 3), (4, 1, 1), (3, 2, 9)):
    products, sums = n * q * d, n * q * (d - 1) + n * q
    assert_equal(records(n, d, q), products + sums, f"records({n}, {d}, {q})", of="count", hint=lambda: which_layer())
### END HIDDEN TESTS

# %% [markdown] written="A.0.6" points=3
# ### BEGIN SOLUTION
# An engine for numbers makes an object for each product and each sum: 100,352 for one picture and 64 units. An engine for arrays makes a record for each array operation, two for the layer, and the loops over
# the numbers run in compiled code. The local derivative of an array operation would be a table with an entry for each pair of an output number and an input number; for the layer's weights 64 times 50,176, nearly all zero.
# So each operation brings a backward function instead, which takes the gradient of the output and returns that of each input, computed directly (for a matrix product by two matrix products). What stays: operations are recorded while they run, the walk goes back in
# a topological order, each operation looks only at itself, and contributions of several uses add up.
#
# **Rubric**
# - [1] Fewer records: one for each array operation, not for each number; evidence: the count; also accepted: less time or memory in Python; lost by "arrays need no record".
# - [1] A backward function in place of slopes, since the table of all local derivatives is huge or mostly zero; also accepted: vector-Jacobian product; lost by "the slope is the mean over the entries".
# - [1] What stays: two of record, reverse (topological) order, local rules, adding up; lost by "the chain rule no longer holds for arrays".
# ### END SOLUTION

# %% [markdown]
# ## Summary
#
# - Objects with operators of their own record a program while it runs; nobody has to change the program.
# - A record is small: the inputs of an operation and its local derivatives.
# - The way back starts with 1 and adds grad times slope to each input. What is used several times gets a sum.
# - The order decides: a value passes on only after all of its users. A topological order, read from its end, does this.
# - With arrays the slopes become backward functions, and a common list gives the order. A.1 compares this way of differentiating with
#   two others; A.2 builds the engine for arrays.
