# %% [markdown]
# # 4.1 Softmax regression
#
# Chapter 3 asked *how much*: the price of a house, the speed of a car. This chapter asks *which one*: is the fruit on the
# belt an apple, a banana or a cherry? Is the letter spam? Which of ten pieces of clothing does the picture show?
#
# A good answer names a class and says how sure it is. "Cherry, and I would bet nine to one" is worth more than "cherry":
# a person can look again at the unsure cases. So the model of this section gives each class a probability. It is a linear
# model with a new last step and a new loss, and both are the last steps of nearly every network that chooses among
# things, up to those that write text word by word.
#
# At the end you can
# - turn any scores into probabilities, and say why it is done with the exponential function;
# - say what a wrong probability costs, and why it is a logarithm;
# - derive the direction in which every weight has to change, and train a classifier with it, without a library;
# - measure surprise in bits, and see why the loss is the length of a message;
# - compute all this with numbers that overflow in the plain formula.

# %% tags=["setup"]
from d2l_utils.check import *
import math
import torch
from torch.nn import functional as F

# %% [markdown] teaches="one-hot encoding, classification"
# ## 1. Classes as numbers
#
# A computer wants numbers. Apple 0, banana 1, cherry 2? As *names* these numbers are fine. As *quantities* they lie. They
# say that a banana lies between an apple and a cherry, that the mean of an apple and a cherry is a banana, and that taking an
# apple for a cherry is twice as wrong as taking it for a banana. Nothing about fruit says so.
#
# The remedy is to give each class a coordinate of its own. With q classes, class number j becomes a row of q numbers, 1 at place
# j and 0 elsewhere. This is *one-hot encoding*: one place is hot. For four fruits, apple, cherry, banana, apple, compare the column of
# class numbers with the row 0, 1, 2. Broadcasting does the rest: shapes (4, 1) and (3,) give (4, 3).

# %% teaches="one-hot encoding"
y = torch.tensor([0, 2, 1, 0])                   # the classes of four fruits, shape (4,)
Y = (y[:, None] == torch.arange(3)).float()      # the same, one-hot, shape (4, 3)
print(Y)
apple, banana, cherry = torch.eye(3)             # the three codes: the rows of the unit matrix
print("distances:", (apple - banana).norm(), (apple - cherry).norm(), (banana - cherry).norm())

# %% [markdown]
# Any two classes are now equally far apart, √2, and no class lies between two others.
#
# A one-hot row has another meaning, which will matter more: it is a *probability distribution*. Its entries are not negative and
# add up to 1. It says: all my belief is on this class. A model that is less sure gives a row like (0.1, 0.2, 0.7). The
# label and the prediction have the same shape and the same meaning, so they can be compared.
#
# (`F.one_hot(y, 3)` makes the same table, of dtype `int64`.)

# %% [markdown] task="4.1.A" kind="code" minutes=3 difficulty=1 core=true needs="one-hot encoding"
# ### From names to rows
#
# In a file the classes are words. Write `one_hot_labels(names, classes)`: `names` is a list of n words, `classes` the list of the
# q different words in the order of the columns. It returns the one-hot rows as a tensor.
#
# **You are done when**
# - **shape**: the result has shape `(n, q)`; a class that does not occur in `names` has its column, too;
# - **values**: row i has a single 1, in the column that `names[i]` has in `classes`, whatever their order;
# - **dtype**: it is `float32`, ready for arithmetic.

# %% exercise="4.1.A"
def one_hot_labels(names, classes):
    """One-hot rows (n, q), float32, for a list of n names; `classes` gives the order of the columns."""
    ### BEGIN SOLUTION
    y = torch.tensor([classes.index(name) for name in names])
    return (y[:, None] == torch.arange(len(classes))).float()
    ### END SOLUTION

# %% [markdown] hints="4.1.A"
# 1. What is the class number of each name? The list `classes` knows it.
# 2. `["x", "y"].index("y")` is 1. A list comprehension turns a list of words into a list of numbers.
# 3. Days to numbers: `[week.index(day) for day in ("tue", "fri")]` is `[1, 4]` if `week` begins with Monday.

# %% check="4.1.A" points=1
fruit = ["apple", "banana", "cherry", "date"]
rows = one_hot_labels(["cherry", "apple", "cherry"], fruit)
assert_shape(rows, (3, 4), "the shape for 3 names and 4 classes", of="shape",
             hint={(4, 3): "This table lies on its side: its rows are the names, its columns the classes.", (3,): "This is one number for each name; a row of 4 is asked for."}.get(
                 tuple(getattr(rows, "shape", ())), "A row for each name, a column for each class, whether it occurs or not."))
assert_dtype(rows, torch.float32, "the dtype", of="dtype")
assert_close(rows, torch.tensor([[0., 0., 1., 0.], [1., 0., 0., 0.], [0., 0., 1., 0.]]), "cherry, apple, cherry", of="values",
             mistakes={"The names were numbered as they come; the column of a name is its place in `classes`.":
                       torch.tensor([[1., 0., 0., 0.], [0., 1., 0., 0.], [1., 0., 0., 0.]]),
                       "The names that occur were numbered in the order of the alphabet; the column of a name is its place in `classes`.":
                       torch.tensor([[0., 1., 0., 0.], [1., 0., 0., 0.], [0., 1., 0., 0.]]),
                       "A row has a 1 for its own name only, not for those of the other rows.": torch.tensor([[1., 0., 1., 0.]]).repeat(3, 1),
                       "These are the first classes in their own order: the names say in which column the 1 of a row stands.": torch.eye(3, 4),
                       "Each row is turned round: classes count from the left, as in the list.": torch.tensor([[0., 1., 0., 0.], [0., 0., 0., 1.], [0., 1., 0., 0.]]),
                       "This is the table with a row for each class, brought into the shape (3, 4) by a reshape, which moves the "
                       "ones to other places; a transpose turns it.":
                       torch.tensor([[0., 1., 0., 0.], [0., 0., 1., 0.], [1., 0., 0., 0.]]),
                       "Only the class itself has a 1; those in front of it have 0.":
                       torch.tensor([[1., 1., 1., 0.], [1., 0., 0., 0.], [1., 1., 1., 0.]])},
             hint="The only 1 of a row stands where its name and the class are the same word.")
rows = one_hot_labels(["no", "yes"], ["yes", "no"])
assert_shape(rows, (2, 2), "the shape for 2 names and 2 classes", of="shape")
assert_close(rows, torch.tensor([[0., 1.], [1., 0.]]), "no, yes with the classes in the order yes, no", of="values",
             mistakes={"The order of `classes` decides, not the alphabet.": torch.eye(2)}, hint="The only 1 of a row stands where its name and the class are the same word.")
rows = one_hot_labels(["pineapple", "apple"], ["apple", "pineapple"])
assert_shape(rows, (2, 2), "the shape for pineapple, apple", of="shape")
assert_close(rows, torch.tensor([[0., 1.], [1., 0.]]), "pineapple, apple with the classes apple, pineapple", of="values",
             hint="Words are compared whole: a part of a word is another word.")
### BEGIN HIDDEN TESTS
days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
for chosen in ([6, 0, 3, 3, 1], [2]):
    rows = one_hot_labels([days[i] for i in chosen], days)
    assert_shape(rows, (len(chosen), 7), f"the shape for {len(chosen)} names and 7 classes", of="shape")
    assert_dtype(rows, torch.float32, f"the dtype for {len(chosen)} names", of="dtype")
    assert_close(rows, F.one_hot(torch.tensor(chosen), 7).float(), f"{len(chosen)} days of a week that begins with Monday", of="values", hint="The only 1 of a row stands where its name and the class are the same word.")
nested = ["ban", "banana", "an", "ana", "bandana"]
rows = one_hot_labels(["banana", "an", "bandana"], nested)
assert_shape(rows, (3, 5), "the shape for banana, an, bandana", of="shape")
assert_close(rows, torch.eye(5)[[1, 2, 4]], "banana, an, bandana with the classes ban, banana, an, ana, bandana", of="values", hint="Words are compared whole: a part of a word is another word.")
### END HIDDEN TESTS

# %% [markdown] teaches="logits, parameters of a linear layer"
# ## 2. A score for each class
#
# The linear model of chapter 3 gives one number for an example. Now we want q numbers, one for each class: how much speaks for it.
# So we take q linear models side by side. With d features $x_1, \dots, x_d$, the score of class j is
#
# $$o_j = x_1 W_{1j} + \dots + x_d W_{dj} + b_j .$$
#
# The weight $W_{kj}$ says how much feature k speaks for class j. Written for n examples at once, with their shapes:
#
# $$\underbrace{\mathbf O}_{(n,\,q)} = \underbrace{\mathbf X}_{(n,\,d)}\,\underbrace{\mathbf W}_{(d,\,q)} + \underbrace{\mathbf b}_{(q,)} .$$
#
# (The formulas count features and classes from 1, as in mathematics; the code counts them from 0, as Python does.)
#
# The scores are called *logits*. They may be any real numbers. Four fruits with two features each, say size and redness,
# both counted from their average:

# %% teaches="logits"
X = torch.tensor([[1.0, -0.5], [0.2, 1.5], [-1.0, 0.3], [0.0, 0.0]])     # (4, 2): four fruits, size and redness
W = torch.tensor([[2.0, -1.0, 0.5], [-0.5, 1.0, 1.5]])                   # (2, 3): a column for each class
b = torch.tensor([0.1, 0.0, -0.2])                                       # (3,)
O = X @ W + b                                                            # (4, 3)
print(O)
print("first fruit, class 0:", 1.0 * 2.0 + (-0.5) * (-0.5) + 0.1)
print("parameters:", W.numel(), "weights +", b.numel(), "biases")
print("features of a picture of 28 by 28 pixels:", math.prod((28, 28)))

# %% tags=["demo"]
import matplotlib.pyplot as plt

figure, ax = plt.subplots(figsize=(5, 2.6), layout="constrained")
inputs, outputs = [(0, 0.5), (0, 1.5)], [(2, 0), (2, 1), (2, 2)]
for k, (x0, y0) in enumerate(inputs):
    for j, (x1, y1) in enumerate(outputs):
        ax.plot([x0, x1], [y0, y1], color=f"C{j}", linewidth=1.5, zorder=1)
for k, (x0, y0) in enumerate(inputs):
    ax.scatter(x0, y0, s=900, color="white", edgecolor="black", zorder=2)
    ax.text(x0, y0, f"$x_{2 - k}$", ha="center", va="center", fontsize=13)
for j, (x1, y1) in enumerate(outputs):
    ax.scatter(x1, y1, s=900, color="white", edgecolor=f"C{j}", zorder=2)
    ax.text(x1, y1, f"$o_{3 - j}$", ha="center", va="center", fontsize=13)
    ax.text(x1 + 0.3, y1, ["cherry", "banana", "apple"][j], va="center")
ax.set(xlim=(-0.5, 3.1), ylim=(-0.5, 2.5))
ax.axis("off")
plt.show()

# %% [markdown]
# The first fruit is large and not red. Its scores are 2.35, -1.5 and -0.45: most speaks for the apple.
#
# In the picture each line is a weight: every input has a line to every output, so there are d · q of them. Each output has a bias besides.
# A layer in which everything is joined to everything is called *fully connected*.
#
# A picture enters such a model as one long row: its pixels, one after the other, are the features.

# %% [markdown] task="4.1.B" kind="code" minutes=3 difficulty=1 needs="parameters of a linear layer"
# ### How many numbers have to be learnt
#
# Write `parameter_count(shape, q)`. `shape` is a tuple, the shape of *one* example, such as `(2,)` for two measurements, `(28, 28)`
# for a grey picture or `(3, 32, 32)` for a colour picture; all its values are features. `q` is the number of classes. It returns the
# number of weights and biases together.
#
# **You are done when**
# - **weights**: there is one for each pair of a feature and a class, whatever the number of axes of `shape`;
# - **biases**: there is one for each class.

# %% exercise="4.1.B"
def parameter_count(shape, q):
    """Weights and biases of a linear model from an example of this shape to q classes."""
    ### BEGIN SOLUTION
    return math.prod(shape) * q + q
    ### END SOLUTION

# %% [markdown] hints="4.1.B"
# 1. How many features has one picture of 28 by 28 pixels?
# 2. `math.prod((2, 5))` is 10, for a tuple of any length.
# 3. Two features and three classes, as above: 6 weights and 3 biases.

# %% check="4.1.B" points=1
count = parameter_count((4,), 3)
assert_equal(count, 15, "4 features, 3 classes", of="weights" if count in (6, 10) else "biases",
             mistakes={"The biases are missing.": 12, "There is a bias for each class, not for each feature.": 16,
                       "There is a bias for each class, not a single one.": 13, "There is a bias for each class only, not for each feature as well.": 19, "All axes of the shape count, the first and the last one, too, each by its length: an example of shape (4,) has 4 features, and here it has 1.": 6, "There is a bias for each class, not for each weight.": 24,
                       "The bias counts like a further feature; there is no further class.": 20,
                       "Each of the 3 classes has 4 weights and a bias of its own.": 10},
             hint="A weight for each pair of a feature and a class, and a bias for each class.")
assert_equal(parameter_count((2, 5), 3), 33, "tables (2, 5), 3 classes", of="weights",
             mistakes={"The first axis alone is counted: the second one counts, too.": 9, "The last axis alone is counted: the "
                 "first one counts, too.": 18,
                       "The axes are multiplied, not added.": 24, "There is one bias for each class, however many axes there "
                           "are.": 36},
             hint="2 · 5 = 10 features and 3 classes: 30 weights and 3 biases.")
assert_equal(parameter_count((28, 28), 10), 7850, "pictures (28, 28), 10 classes", of="weights",
             mistakes={"All 28 · 28 pixels are features.": 290},
             hint="A weight for each pair of a feature and a class, and a bias for each class.")
assert_equal(parameter_count((3, 32, 32), 5), 15365, "pictures (3, 32, 32), 5 classes", of="weights",
             mistakes={"All three axes count.": 485, "All three axes count, the colours, too.": 5125, "There is one bias for each class, however many colours there are.": 15375},
             hint="A weight for each pair of a feature and a class, and a bias for each class.")
### BEGIN HIDDEN TESTS
for shape, number_of_classes in (((7,), 4), ((5, 3), 2), ((2, 3, 4, 5), 6)):
    wanted = torch.nn.Linear(torch.Size(shape).numel(), number_of_classes)
    assert_equal(parameter_count(shape, number_of_classes), wanted.weight.numel() + wanted.bias.numel(),
                 f"examples of shape {shape}, {number_of_classes} classes", of="weights", hint="All axes are multiplied, however many there are and however long each is.")
assert_equal(parameter_count((1,), 8), 16, "a single feature, 8 classes", of="biases", hint="A weight and a bias for each class.")
### END HIDDEN TESTS

# %% [markdown] teaches="softmax"
# ## 3. From scores to probabilities: why exp
#
# Scores are any numbers; probabilities are not negative and add up to 1. The second is easy: divide by the sum. For
# the first, we need a function that makes a number positive. Which one? Here are four candidates, tried on the scores 2, 1 and -2.5.

# %% teaches="softmax"
o = torch.tensor([2.0, 1.0, -2.5])
for name, positive in (("as they are", o), ("cut at 0", o.clamp(min=0)), ("squared", o ** 2), ("exp", torch.exp(o))):
    print(f"{name:12}", positive / positive.sum())

# %% tags=["demo"]
s = torch.linspace(-3, 3, 301)
figure, ax = plt.subplots(figsize=(5, 2.8), layout="constrained")
for name, curve, style in (("cut at 0", s.clamp(min=0), "--"), ("squared", s ** 2, ":"), ("exp", torch.exp(s), "-")):
    ax.plot(s, curve, style, label=name)
ax.set(xlabel="score", ylabel="weight of the class", ylim=(-0.3, 9.5))
ax.legend(loc="upper center")
ax.grid(alpha=0.3)
plt.show()

# %% [markdown]
# Read the table and the curves together.
#
# - *As they are*: 4, 2 and -5 are no probabilities.
# - *Cut at 0*: every negative score becomes exactly 0. The model calls the class impossible, and the curve is flat there: a slightly better
#   score changes nothing, so a slope cannot tell which way to go. If all scores are negative, it is 0 / 0.
# - *Squared*: the worst score, -2.5, gets the largest share. The order is lost.
# - *exp*: always positive, never flat, and a larger score always means more.
#
# Many functions rise and are positive. What sets `exp` apart is this: it turns *differences* into *ratios*. For two classes j and k
#
# $$\frac{p_j}{p_k} = \frac{e^{o_j}}{e^{o_k}} = e^{\,o_j - o_k} .$$
#
# The ratio of two probabilities is called the *odds*. One point more of score multiplies the odds by e ≈ 2.72, wherever the scores stand. Where the scale has its zero
# does not matter, as with the heights of two mountains, counted from the sea or from the valley: only the difference counts.
#
# The function from scores to probabilities is the *softmax*:
#
# $$p_j = \mathrm{softmax}(\mathbf o)_j = \frac{e^{o_j}}{e^{o_1} + \dots + e^{o_q}} .$$
#
# For a batch, each row is an example, so the sum runs over axis 1; `keepdim=True` keeps it as a column (n, 1) that broadcasts.

# %% teaches="softmax, shift invariance of the softmax"
def softmax(O):
    E = torch.exp(O)                             # (n, q), all positive
    return E / E.sum(dim=1, keepdim=True)        # (n, q) / (n, 1)

P = softmax(O)
print(P)
print("sums of the rows:      ", P.sum(dim=1))
print("largest score at:      ", O.argmax(dim=1), " largest probability at:", P.argmax(dim=1))
print("change if all scores rise by 5: ", (softmax(O + 5) - P).abs().max().item())
print("change if all scores double:    ", (softmax(2 * O) - P).abs().max().item())
print("torch.softmax differs by        ", (torch.softmax(O, dim=1) - P).abs().max().item())

# %% [markdown] teaches="sigmoid"
# - The order is kept: the class with the largest score is the most probable one. To *choose* a class the softmax is not needed.
# - Adding the same number c to all scores of a row changes nothing but rounding: $e^{o_j + c} = e^c e^{o_j}$, and $e^c$
#   cancels. This is the *shift invariance* of the softmax.
# - Doubling the scores does change the result: the model becomes surer. More on that in part 4.
#
# With two classes, only the difference $d = o_1 - o_2$ counts. Divide the fraction above and below by $e^{o_1}$:
#
# $$p_1 = \frac{e^{o_1}}{e^{o_1} + e^{o_2}} = \frac{1}{1 + e^{-d}} .$$
#
# This S-shaped function of d is called the *sigmoid*, `torch.sigmoid(d)`.

# %% teaches="sigmoid"
d = torch.tensor([-1000.0, -2.0, 0.0, 2.0, 1000.0])
print(torch.sigmoid(d))
print(1 / (1 + torch.exp(-d)))                   # exp(1000) is inf for a tensor, and 1 / inf is 0

# %% [markdown] task="4.1.C" kind="code" minutes=3 difficulty=1 core=true needs="softmax"
# ### Back from probabilities to scores
#
# From probabilities one can read the *difference* of two scores, though not the scores. Write `score_gap(p, j, k)`: `p` is a list of
# probabilities, the softmax of some scores o, all positive. It returns $o_j - o_k$ as a number.
#
# **You are done when**
# - **value**: for the probabilities `[0.5, 0.25, 0.25]` the classes 0 and 1 differ by log 2 ≈ 0.693, the natural logarithm;
# - **sign**: it is positive if class `j` is the more probable one, and negative if it is the less probable one.

# %% exercise="4.1.C"
def score_gap(p, j, k):
    """The difference o_j - o_k of the scores whose softmax is p."""
    ### BEGIN SOLUTION
    return math.log(p[j] / p[k])
    ### END SOLUTION

# %% [markdown] hints="4.1.C"
# 1. Which formula above has only two probabilities and two scores in it?
# 2. The natural logarithm `math.log` undoes `exp`: `math.log(math.exp(3))` is 3.
# 3. If one horse is three times as likely to win as another, their scores differ by log 3 ≈ 1.099.

# %% check="4.1.C" points=1
of_a_ratio = "A difference of scores is the natural logarithm of the ratio of the two probabilities."

def stands_for(gap, p, j, k):
    """The rule, and which ratio of probabilities this difference of scores would mean."""
    gap = torch.as_tensor(gap).double().mean().item()
    if abs(gap) < 50 and abs(math.exp(gap) * p[k] / p[j] - 1) < 0.01:
        return "This is near: the result is not rounded, and nothing is added to a probability."
    return of_a_ratio + (
        f" Yours, {gap:.4g}, is that of a ratio of {math.exp(gap):.4g}; here it is {p[j]:g} / {p[k]:g}."
        if abs(gap) < 50 else "")

gap = score_gap([0.5, 0.2, 0.3], 0, 1)
assert_type(gap, (int, float, torch.Tensor), "the result for p = [0.5, 0.2, 0.3], classes 0 and 1", of="value")
assert_close(gap, math.log(2.5), "p = [0.5, 0.2, 0.3], classes 0 and 1", of="value", hint=lambda: stands_for(gap, [0.5, 0.2, 0.3], 0, 1),
             mistakes={"`p` holds probabilities already: no softmax of them is taken.": (torch.softmax(torch.tensor([0.5, 0.2, 0.3]), 0) @ torch.tensor([1., -1., 0.])).item(),
                       "This is the logarithm to base 2.": math.log2(2.5), "This is the logarithm to base 10.": math.log10(2.5), "This is the ratio, not yet its logarithm.": 2.5,
                       "This is the difference of the probabilities.": 0.3, "This is an exponential: scores become probabilities by it, and the way back is the logarithm.": math.exp(0.3), "The two classes are exchanged.": -math.log(2.5), "The other class is left out.": math.log(0.5),
                       "This is the logarithm of the share of class 0 in the two together, 0.5 / 0.7; its odds against class 1 are asked for.":
                       math.log(5 / 7),
                       "This is the ratio of two logarithms; the logarithm of the ratio is asked for.": math.log(0.5) / math.log(0.2),
                       "This is the logarithm of the difference; the difference of the logarithms is asked for.": math.log(0.3),
                       "The logarithm is that of the ratio, not of 1 plus the difference.": math.log(1.3),
                       "These are odds against all the other classes; those of class 0 against class 1 are asked for.": math.log(4),
                       "These are the probabilities 0.3 and 0.5: class numbers count from 0, and class 0 stands at p[0].": math.log(0.6)})
gap = score_gap([0.5, 0.25, 0.25], 0, 1)
assert_close(gap, math.log(2), "p = [0.5, 0.25, 0.25], classes 0 and 1", of="value",
             hint=lambda: stands_for(gap, [0.5, 0.25, 0.25], 0, 1))
assert_true(float(score_gap([0.1, 0.2, 0.7], 0, 2)) < 0, "the difference for p = [0.1, 0.2, 0.7], classes 0 and 2, is negative", of="sign",
            hint="The sign is wrong: class 0 is the less probable one.")
gap = score_gap([0.1, 0.2, 0.7], 0, 2)
assert_close(gap, -math.log(7), "p = [0.1, 0.2, 0.7], classes 0 and 2", of="value", hint=lambda: stands_for(gap, [0.1, 0.2, 0.7], 0, 2),
             mistakes={"These are the classes 0 and 1: `j` and `k` say which two are asked for, here 0 and 2.": -math.log(2)})
### BEGIN HIDDEN TESTS
scores = [0.4, -1.3, 2.0, 0.0]
shares = torch.softmax(torch.tensor(scores, dtype=torch.float64), 0).tolist()
for j, k in ((2, 0), (3, 3), (2, 1)):
    assert_close(score_gap(shares, j, k), scores[j] - scores[k], f"four classes, classes {j} and {k}", of="value", hint=of_a_ratio)
assert_close(score_gap(shares, 1, 2), -3.3, "four classes, the less probable one first", of="sign", hint=of_a_ratio)
### END HIDDEN TESTS

# %% [markdown] task="4.1.4b" kind="code" minutes=8 difficulty=3 needs="softmax"
# ### Neither, thank you
#
# A shop knows the scores of its items. Of all visitors, the share `r` leaves without buying anything. Which score must the option "nothing" have?
#
# Write `neither_score(scores, r)`: `scores` is a list of numbers, one for each item, `r` a number between 0 and 1, both excluded. It returns the number c
# such that the softmax of all the scores and c gives the last option the probability `r`.
#
# **You are done when**
# - **probability**: the softmax of `scores + [c]` ends in `r`;
# - **any number of items**: this holds for one item, for two, for twenty.

# %% exercise="4.1.4b"
def neither_score(scores, r):
    """The score c for which softmax(scores + [c]) ends in the probability r."""
    ### BEGIN SOLUTION
    items = sum(math.exp(score) for score in scores)
    return math.log(r / (1 - r) * items)
    ### END SOLUTION

# %% [markdown] hints="4.1.4b"
# 1. Call S the sum of the exponentials of the items. What is the probability of the last option, in terms of S and $e^c$?
# 2. From $r = e^c / (S + e^c)$ follows $e^c (1 - r) = r S$.
# 3. The same with plain amounts: 12 apples; how many pears make a third of the basket? x / (12 + x) = 1/3, so x = 6.

# %% check="4.1.4b" points=2
def put_in(scores, r, c):
    """What becomes of the softmax with this c at its end."""
    share = torch.softmax(torch.tensor([*scores, torch.as_tensor(c).double().mean().item()], dtype=torch.float64), 0)[-1].item()
    return (f"Put your c in: exp(c), divided by the sum of all the exponentials, its own among them, is {share:.4g}, "
            f"and has to be r = {r:g}.")

c = neither_score([0.7], 0.2)
assert_type(c, (int, float, torch.Tensor), "the result for a single item with score 0.7, r = 0.2", of="probability")
assert_close(c, 0.7 + math.log(0.25), "a single item with score 0.7, r = 0.2", of="probability", rtol=1e-5,
             hint=lambda: put_in([0.7], 0.2, c),
             mistakes={"This makes exp(c) the share r of what the item has alone: exp(c) itself belongs to the sum, too.": 0.7 + math.log(0.2),
                       "This is log r: a probability becomes a score so only where the exponentials of all scores add up to 1.": math.log(0.2), "r and 1 - r are exchanged.": 0.7 + math.log(4), "This is exp(c), not c.": 0.25 * math.exp(0.7),
                       "The logarithm is the natural one, not that to base 2.": math.log2(0.25 * math.exp(0.7)),
                       "The score of the item has no effect here: its exponential counts, not divided by anything.": math.log(0.25), "r / (1 - r) multiplies the exponentials, so the logarithms are added, not subtracted.": math.log(0.25) - 0.7,
                       "r / (1 - r) multiplies the exponentials, before their logarithm is taken.": 0.25 * 0.7,
                       "exp of this is the sum of all the exponentials, exp(c) among them; exp(c) is the share r of it.":
                       0.7 - math.log(0.8),
                       "Divide by 1 - r, not by 1 + r.": 0.7 + math.log(0.2 / 1.2), "A score may be negative.": 0.0})
c = neither_score([0.0], 0.5)
assert_close(c, 0.0, "a single item with score 0, r = 0.5", of="probability", rtol=1e-5, atol=1e-6, hint=lambda: put_in([0.0], 0.5, c))
c = neither_score([0.5, 0.2], 0.5)
assert_close(c, math.log(math.exp(0.5) + math.exp(0.2)), "two items with scores 0.5 and 0.2, r = 0.5",
             of="any number of items", rtol=1e-5, hint=lambda: put_in([0.5, 0.2], 0.5, c),
             mistakes={"Both items weigh: their exponentials add up.": 0.5, "Both items weigh: their exponentials add up. ": 0.2, "The exponentials are added, not the scores.": 0.7,
                       "The mean of the two scores does not stand for both: their exponentials add up.": 0.35,
                       "The exponentials are added up, without a mean.": math.log((math.exp(0.5) + math.exp(0.2)) / 2),
                       "The exponentials are added up; the mean of the scores does not stand for them.": 0.35 + math.log(2)})
c = neither_score([30.0, 29.0], 0.5)
assert_close(c, 30 + math.log(1 + math.exp(-1)), "scores 30 and 29, r = 0.5", of="probability", rtol=1e-5,
             hint=lambda: put_in([30.0, 29.0], 0.5, c) + " c may be any number, and far from 0.")
c = neither_score([1.0, 0.0, -2.0], 0.2)
assert_close(c, math.log(0.25 * (math.e + 1 + math.exp(-2))), "scores 1, 0, -2 and r = 0.2",
             of="any number of items", rtol=1e-5, hint=lambda: put_in([1.0, 0.0, -2.0], 0.2, c),
             mistakes={"An item with a negative score weighs, too.": math.log(0.25 * (math.e + 1))})
c = neither_score([0.0] * 20, 0.5)
assert_close(c, math.log(20), "twenty items with score 0, r = 0.5", of="any number of items", rtol=1e-5,
             hint=lambda: put_in([0.0] * 20, 0.5, c))

@probe
def share_of_nothing(scores, r):
    c = neither_score(scores, r)
    return torch.softmax(torch.tensor([*(float(score) for score in scores), float(c)], dtype=torch.float64), 0)[-1]

assert_close(share_of_nothing([0.3, -1.0], 0.4), 0.4, "scores 0.3 and -1, r = 0.4: the last entry of the softmax of `scores + [c]`, taken after the call", of="probability", rtol=1e-4,
             hint="c is right, but the call has changed the list `scores`.")
### BEGIN HIDDEN TESTS
def shop(scores, share):
    """c by bisection on the softmax itself."""
    low, high = -50.0, 50.0
    for _ in range(200):
        middle = (low + high) / 2
        last = torch.softmax(torch.tensor([*scores, middle], dtype=torch.float64), 0)[-1].item()
        low, high = (middle, high) if last < share else (low, middle)
    return low

for scores, share in (([-1.5], 0.3), ([0.4], 0.95), ([-20.0], 0.01), ([18.0], 0.98)):
    c = neither_score(scores, share)
    assert_close(c, shop(scores, share), f"{len(scores)} items, r = {share}", of="probability", rtol=1e-5,
                 hint=lambda: put_in(scores, share, c))
for scores, share in (([0.7, -0.4], 0.9), ([2.0, 1.0, 0.5, 3.0], 0.05), ([0.1 * i for i in range(12)], 0.6)):
    c = neither_score(scores, share)
    assert_close(c, shop(scores, share), f"{len(scores)} items, r = {share}", of="any number of items", rtol=1e-5,
                 hint=lambda: put_in(scores, share, c))
assert_close(share_of_nothing([0.7, -0.4, 1.1], 0.3), 0.3, "three items, r = 0.3: the last entry of the softmax of `scores + [c]`, taken after the call", of="probability", rtol=1e-4,
             hint="c is right, but the call has changed the list `scores`.")
### END HIDDEN TESTS

# %% [markdown] task="4.1.4a" kind="explain" minutes=12 difficulty=3 needs="softmax, shift invariance of the softmax, sigmoid"
# ### Apples or oranges
#
# What people choose can be described by scores. In the model of Bradley and Terry the item with score a is chosen over the item with score b with the
# probability that the softmax of (a, b) gives it. The same formula ranks chess players, and language models by the votes of
# their readers.
#
# Write `win_probability(a, b)` for two numbers `a` and `b`: the probability that the item with score `a` is chosen.
#
# Then answer in words and formulas, for a softmax over any number of items:
# 1. Show that an item becomes more probable if its own score rises and the other scores stay.
# 2. Show that the item with the largest score is the most probable one.
# 3. Now the buyer may also choose *neither*, a third option with a score of its own. What changes, and what does not, for the odds of apples
#    against oranges? Must the favourite still be chosen in more than half of all cases?
#
# **You are done when**
# - **value**: equal scores give 1/2, and scores that differ by log 3 give 3/4 and 1/4;
# - **large scores**: a difference of 1,000 or 5,000 points in either direction gives 1 or 0, not nan and not an error.
#
# The written answer is complete when each of its three parts gives a reason, not only a claim.

# %% exercise="4.1.4a"
def win_probability(a, b):
    """The probability that an item with score a is chosen over one with score b."""
    ### BEGIN SOLUTION
    return torch.sigmoid(torch.tensor(float(a) - float(b), dtype=torch.float64)).item()
    ### END SOLUTION

# %% [markdown] written="4.1.4a" points=4
# ### BEGIN SOLUTION
# 1. Divide numerator and denominator of the softmax by $e^{o_j}$: $p_j = 1 / (1 + \sum_{k \ne j} e^{o_k - o_j})$. If $o_j$ rises and the others
#    stay, each term $e^{o_k - o_j}$ falls, so the denominator falls and $p_j$ rises. (Or: $\partial p_j / \partial o_j =
#    p_j (1 - p_j) > 0$.)
# 2. All $p_k$ have the same denominator, which is positive. The numerators $e^{o_k}$ are in the order of the scores, since exp is an increasing function. So
#    the largest score has the largest probability.
# 3. With a third option of score c the denominator gains $e^c$, for both items: each of the two becomes less probable. The odds
#    $p_{apple} / p_{orange} = e^{a - b}$ do not contain c: they stay. The favourite of the two keeps its lead over the other, but it need not have one
#    half any more: with scores 1, 0, 3 the apple has $e / (e + 1 + e^3) \approx 0.11$. If c is the largest score, *neither* is the most probable choice.
#
# **Rubric**
# - [1] Own score: divides by $e^{o_j}$, or takes the derivative $p_j (1 - p_j) > 0$, or argues that numerator/(numerator + constant) rises; lost by: an example
#   with numbers alone
# - [1] Order: same positive denominator and exp increasing; also accepted: $p_j / p_k = e^{o_j - o_k} > 1$; lost by: "because it is the max" without a reason
# - [1] Third option: the odds of apples against oranges stay $e^{a-b}$, both probabilities fall; lost by: "the odds change"
# - [1] The favourite may have less than one half, with a reason or an example; also accepted: *neither* may be the most probable
# ### END SOLUTION

# %% [markdown] hints="4.1.4a"
# 1. Of which single number is `win_probability` a function?
# 2. For the proof, divide the fraction above and below by $e^{o_j}$. How often does $o_j$ occur then?
# 3. `math.exp(1000)` raises an error, `torch.exp(torch.tensor(1000.))` is inf. Another function of the same kind: $1/(1 + x^2)$ for huge x is 1/inf = 0, and
#    nothing fails.

# %% check="4.1.4a" points=2
two_powers = "Each item weighs e to the power of its score; its probability is its share of both weights."

def odds_of(p):
    """The rule, and the odds that this probability stands for where the scores differ by log 3."""
    p = torch.as_tensor(p).double().mean().item()
    return two_powers + (
        f" Yours are the odds {p / (1 - p):.4g}; for scores that differ by log 3 they are 3 or 1/3."
        if 0 < p < 1 else "")

assert_close(win_probability(2.0, 2.0), 0.5, "two items with score 2", of="value", hint="Equal scores have equal chances; one number is asked for.")
chance = win_probability(1.0 + math.log(3), 1.0)
assert_close(chance, 0.75, "scores 1 + log 3 and 1", of="value", rtol=1e-5,
             mistakes={"This is the probability of the other item.": 0.25, "The softmax has powers of e, not of 10.": 1 / (1 + 10 ** -math.log(3)),
                       "The softmax has powers of e, not of 2.": 1 / (1 + 2 ** -math.log(3)), "The whole difference of the scores counts, not half of it.": 1 / (1 + 3 ** -0.5),
                       "The scores need not be divided by anything: this is no scale for chess.": 1 / (1 + 10 ** (-math.log(3) / 400)),
                       "The better item is chosen more often, not always.": 1.0, "This is the share of the scores, without "
                           "their exponentials.": (1 + math.log(3)) / (2 + math.log(3))}, hint=lambda: odds_of(chance))
chance = win_probability(1.0, 1.0 + math.log(3))
assert_close(chance, 0.25, "scores 1 and 1 + log 3", of="value", rtol=1e-5, hint=lambda: odds_of(chance),
             mistakes={"This is the same as with the two scores exchanged: the sign of the difference counts.": 0.75,
                       "The item with the lower score is chosen less often, not never.": 0.0})
chance = win_probability(2.0, 0.0)
assert_close(chance, 0.8807971, "scores 2 and 0", of="value", rtol=1e-5,
             hint=lambda: "This is near: the result is not rounded, and no score is cut off."
             if abs(chance - 0.8807971) < 0.01 else two_powers)

def of_large(chance, usual="The difference of the scores counts in full, however large it is."):
    """What a wrong probability of large scores tells."""
    if math.isnan(torch.as_tensor(chance).double().mean().item()):
        return "exp of so large a number is inf, and inf / inf, or inf - inf, is nan."
    return usual

def wrong_way(sure):
    """What is said where the sure item and the other one are exchanged."""
    return (("The item that is far ahead gets 0 here." if sure else "The item that is far behind gets 1 here.") +
            " Where an exponential overflows, the sign of the difference says which item is sure to be chosen.")

both_large = "Only the difference of the scores counts, however large both are."
for first_score, sure in ((1000.0, 1.0), (-1000.0, 0.0)):
    chance = win_probability(first_score, 0.0)
    assert_close(chance, sure, f"scores {first_score:g} and 0", of="large scores", hint=lambda: of_large(chance),
                 mistakes={wrong_way(sure): 1 - sure, "Scores so far apart do not give equal chances.": 0.5})
chance = win_probability(800.0 + math.log(3), 800.0)
assert_close(chance, 0.75, "scores 800 + log 3 and 800", of="large scores", rtol=1e-5, hint=lambda: of_large(chance, both_large),
             mistakes={"Both scores are large, but they differ by log 3 only: nobody is sure to be chosen.": 1.0,
                       "Both scores are large, and yet they differ, by log 3: the chances are not equal.": 0.5})
chance = win_probability(3000.0, 3000.0)
assert_close(chance, 0.5, "scores 3000 and 3000", of="large scores", hint=lambda: of_large(chance, both_large))
### BEGIN HIDDEN TESTS
for first, second in ((0.3, -1.2), (-4.0, -2.5), (0.0, 3.0), (7.5, 7.0)):
    wanted = torch.softmax(torch.tensor([first, second], dtype=torch.float64), 0)[0].item()
    assert_close(win_probability(first, second), wanted, f"scores {first} and {second}", of="value", rtol=1e-5, hint=two_powers)
for first_score, second_score, sure in ((0.0, 5000.0, 0.0), (5000.0, 0.0, 1.0)):
    chance = win_probability(first_score, second_score)
    assert_close(chance, sure, f"scores {first_score:g} and {second_score:g}", of="large scores", hint=lambda: of_large(chance),
                 mistakes={wrong_way(sure): 1 - sure, "Scores so far apart do not give equal chances.": 0.5})
chance = win_probability(-800.0, -800.0 - math.log(3))
assert_close(chance, 0.75, "scores near -800", of="large scores", rtol=1e-5, hint=lambda: of_large(chance, both_large))
### END HIDDEN TESTS

# %% [markdown] teaches="temperature"
# ## 4. Temperature: how sure to sound
#
# Doubling the scores made the model surer. So there is a knob: divide all scores by a positive number T before the softmax. T is called
# the *temperature*, after physics, where the same formula says how molecules spread over energies: in the heat they are everywhere, in the cold they
# gather at the lowest. Programs that write text have this knob, too: at low T they repeat the likeliest word, at high T they become wild.

# %% tags=["demo"]
figure, axes = plt.subplots(1, 4, figsize=(8, 2.3), sharey=True, layout="constrained")
for ax, T in zip(axes, (0.2, 1.0, 3.0, 100.0)):
    heights = torch.softmax(torch.tensor([[1.0, 2.0, 0.0, 1.5]]) / T, dim=1)[0]
    ax.bar(["a", "b", "c", "d"], heights, color="C0")
    ax.set_title(f"T = {T:g}")
    ax.set_ylim(0, 1)
axes[0].set_ylabel("probability")
plt.show()

# %% [markdown] teaches="temperature, scores of a distribution"
# The scores are 1, 2, 0 and 1.5 in all four pictures. Cold (left): nearly all the probability is on the largest score. Hot (right): all four
# are nearly alike. The order never changes.
#
# What if somebody hands us probabilities, not scores? Then we make scores. *The logarithms of probabilities are scores for them*, since
# $\mathrm{softmax}(\log p)_j = p_j / \sum_k p_k = p_j$. A probability of 0 has the score $-\infty$, and $e^{-\infty} = 0$ brings it back. To change the temperature of p, divide
# $\log p$ by T:
#
# $$q_j \propto e^{(\log p_j)/T} = p_j^{1/T} .$$
#
# (∝ means: up to the factor that makes the sum 1.) So a temperature is the same as a *power* of the probabilities. With the power α = 1/T:

# %% teaches="temperature, scores of a distribution"
p = torch.tensor([0.5, 0.3, 0.2, 0.0])
print("softmax of log p:  ", torch.softmax(torch.log(p), dim=0))
for alpha in (0.5, 1.0, 2.0, 10.0):
    q = p ** alpha
    print(f"power {alpha:4}:       ", q / q.sum())
print("two equal largest: ", torch.softmax(50 * torch.log(torch.tensor([0.4, 0.4, 0.2])), dim=0))

# %% [markdown] task="4.1.7a" kind="answer" minutes=3 difficulty=1 needs="temperature"
# ### Twice as hot
#
# Start at temperature 1, where the distribution is P, and multiply the temperature by a positive `factor`. The new distribution is Q ∝ P^α.
#
# Write `power_for(factor)`, which returns α.
#
# **You are done when**
# - **value**: it is the right power for doubling (`factor` 2), for halving (1/2), and for any other positive factor.

# %% exercise="4.1.7a"
def power_for(factor):
    """The power alpha that corresponds to multiplying the temperature by `factor`."""
    ### BEGIN SOLUTION
    return 1 / factor
    ### END SOLUTION

# %% [markdown] hints="4.1.7a"
# 1. Does a hotter distribution look flatter or steeper? Do powers above 1 make it flatter or steeper?
# 2. The formula above says which power belongs to T.

# %% check="4.1.7a" points=1
of_heat = "The power is 1/T. What has become of T, which was 1?"

def heat_of(alpha, factor):
    """The rule, and the temperature that belongs to this power."""
    alpha = torch.as_tensor(alpha).double().mean().item()
    return of_heat + (f" Yours is the power for T = {1 / alpha:.4g}; here T is 1 · {factor:g}." if alpha > 0 else "")

alpha = power_for(2.0)
assert_type(alpha, (int, float, torch.Tensor), "α for twice the temperature", of="value")
assert_close(alpha, 0.5, "α for twice the temperature", of="value", hint=lambda: heat_of(alpha, 2.0),
             mistakes={"This is the factor itself. Higher powers are colder: at twice the temperature the power is lower.": 2.0, "The factor divides 1, once: it is neither squared nor an exponent.": 0.25, "This is an exponential of the factor; α is a quotient.": math.exp(-2), "No root is taken.": 0.5 ** 0.5, "Powers stay positive.": -2.0, "This is a logarithm of the factor, and negative: a power of this kind is positive.": -1.0, "A power of 0 would make all possible classes equal, which no finite temperature does. (Is a quotient rounded down?)": 0.0,
                       "The temperature is multiplied by the factor, not raised by it.": 1 / 3})
alpha = power_for(0.5)
assert_close(alpha, 2.0, "α for half the temperature", of="value", hint=lambda: heat_of(alpha, 0.5),
             mistakes={"For halving this is 0.5 again, the power for doubling. Another factor has another power, and higher powers are colder.": 0.5,
                       "A power of this kind is positive, at any temperature, and this is 1 - 1/0.5. To take a quotient from 1 is right for doubling only.": -1.0, "The factor stands in a quotient, not in an exponent.": 2 ** 0.5,
                       "Half the temperature is twice the power: a quotient, no straight line.": 1.25})
alpha = power_for(4.0)
assert_close(alpha, 0.25, "α for four times the temperature", of="value", hint=lambda: heat_of(alpha, 4.0),
             mistakes={"The factor itself counts, not only whether it is above 1.": 0.5})
alpha = power_for(20.0)
assert_close(alpha, 0.05, "α for twenty times the temperature", of="value", hint=lambda: heat_of(alpha, 20.0))
### BEGIN HIDDEN TESTS
for factor in (5.0, 0.1, 1.0, 1.25, 40.0, 0.003):
    assert_close(power_for(factor), 1 / factor, f"α for {factor} times the temperature", of="value", hint=of_heat + " Any positive factor may be asked for, and nothing is rounded.")
### END HIDDEN TESTS

# %% [markdown] task="4.1.7b" kind="code" minutes=8 difficulty=3 core=true needs="temperature, scores of a distribution, softmax"
# ### Any power, safely
#
# Write `at_power(p, alpha)`: for a tensor `p` of probabilities, shape (q,), and a positive number `alpha` it returns the distribution Q ∝ P^α.
#
# The plain formula `p ** alpha / (p ** alpha).sum()` fails for large powers: 0.5 to the power of 2,000 is 0 for a computer, and 0 / 0 is nan.
# `torch.softmax` takes scores of any size.
#
# **You are done when**
# - **values**: Q is right for powers below and above 1;
# - **zeros**: where `p` is 0, Q is 0, for very small powers, too;
# - **large powers**: powers up to 100,000 give the right distribution, without nan.

# %% exercise="4.1.7b"
def at_power(p, alpha):
    """The distribution proportional to p ** alpha: (q,) -> (q,)."""
    ### BEGIN SOLUTION
    return torch.softmax(alpha * torch.log(p), dim=0)
    ### END SOLUTION

# %% [markdown] hints="4.1.7b"
# 1. What are the scores of `p`, and what happens to them when `p` is raised to a power?
# 2. $\log p^\alpha = \alpha \log p$. The logarithm of 0 is -inf, which `torch.softmax` understands.
# 3. Comparing 3^5000 with 2^5000 without computing them: 5000 · log 3 is larger than 5000 · log 2.

# %% check="4.1.7b" points=2
third = torch.tensor([0.6, 0.3, 0.1])
squared = at_power(third, 2.0)
assert_shape(squared, (3,), "the shape for three classes", of="values")
power_two = "For power 2: the squares of the probabilities, divided by their sum, to at least five digits."
if abs(squared.sum().item() - 1) > 1e-4:
    power_two = f"Yours add up to {squared.sum().item():.4g}: the squares are 0.36, 0.09 and 0.01, and they are divided by their sum, 0.46."
elif squared[1].item() > 0:
    power_two = (f"Yours add up to 1, and the first is {(squared[0] / squared[1]).item():.4g} times the second: in p it is 2 times, "
                 "so with power 2 it is 2² = 4 times.")
elif (squared == 0).any():
    power_two = "Yours add up to 1, and one of them is 0: what is possible in p stays possible. The squares are 0.36, 0.09 and 0.01."
assert_close(squared, torch.tensor([0.36, 0.09, 0.01]) / 0.46, "p = (0.6, 0.3, 0.1), power 2", of="values",
             mistakes={"This is power 1/2: α is a power, not a temperature.": third.sqrt() / third.sqrt().sum(),
                       "The powers have to be divided by their sum.": third ** 2,
                       "The scores are the logarithms of p, not p itself.": torch.softmax(2 * third, 0),
                       "The scores are the logarithms of p, not of 1 + p.": torch.softmax(2 * third.log1p(), 0),
                       "`torch.softmax` takes powers of e: the scores are the natural logarithms, not those to base 2.": torch.softmax(2 * third.log2(), 0),
                       "`torch.softmax` takes powers of e: the scores are the natural logarithms, not those to base 10.": torch.softmax(2 * third.log10(), 0),
                       "These are the logarithms of Q.": torch.log_softmax(2 * third.log(), 0)},
             hint=power_two)
assert_close(at_power(torch.tensor([0.64, 0.36]), 0.5), torch.tensor([4 / 7, 3 / 7]), "p = (0.64, 0.36), power 1/2", of="values",
             mistakes={"This is power 0: α need not be a whole number.": torch.full((2,), 0.5), "This is power 0: α need not be a whole number. ": torch.ones(2),
                       "This is p itself, the power 1.": torch.tensor([0.64, 0.36])}, hint="For power 1/2: the roots of the probabilities, divided by their sum.")
assert_shape(at_power(torch.tensor([0.5, 0.0, 0.5]), 1e-4), (3,), "the shape for p = (0.5, 0, 0.5), power 0.0001", of="zeros",
             hint="An impossible class keeps its place, with a 0 there.")
assert_close(at_power(torch.tensor([0.5, 0.0, 0.5]), 1e-4), torch.tensor([0.5, 0., 0.5]), "p = (0.5, 0, 0.5), power 0.0001", of="zeros",
             hint="What is impossible stays impossible at every temperature: nothing is added to a probability, and no number stands in for a 0.")
assert_close(at_power(torch.tensor([0.5, 0.0, 0.5]), 1e-12), torch.tensor([0.5, 0., 0.5]), "p = (0.5, 0, 0.5), power 1e-12", of="zeros",
             hint="The score of an impossible class is -inf: beside a very small power, no finite number is low enough.")
assert_close(at_power(torch.tensor([0.5, 0.3, 0.2]), 2000.0), torch.tensor([1., 0., 0.]), "p = (0.5, 0.3, 0.2), power 2000", of="large powers",
             hint="p ** alpha underflows. Work with the logarithms.")
assert_close(at_power(torch.tensor([0.4, 0.2, 0.4]), 2000.0), torch.tensor([0.5, 0., 0.5]), "p = (0.4, 0.2, 0.4), power 2000", of="large powers",
             hint="p ** alpha underflows. Work with the logarithms.", mistakes={"The two largest are equal, so they share.": torch.tensor([1., 0., 0.])})
assert_close(at_power(torch.tensor([0.0, 0.5, 0.3]), 500.0), torch.tensor([0., 1., 0.]), "p = (0, 0.5, 0.3), power 500", of="zeros",
             hint="What is impossible stays impossible: no finite score is low enough beside 500 log 0.5.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(171)
for q, alpha in ((5, 0.3), (2, 3.0), (7, 1.7)):
    r = torch.softmax(torch.randn(q, generator=rng, dtype=torch.float64), 0)
    assert_close(at_power(r, alpha), r ** alpha / (r ** alpha).sum(), f"{q} classes, power {alpha}", of="values", hint="Is the power taken as it is, not as a whole number, and is the result divided by its sum?")
assert_close(at_power(torch.tensor([0.0, 0.7, 0.3, 0.0]), 1e-3), torch.tensor([0., 0.7 ** 1e-3, 0.3 ** 1e-3, 0.]) / (0.7 ** 1e-3 + 0.3 ** 1e-3),
             "two zeros, power 0.001", of="zeros", hint="What is impossible stays impossible at every temperature.")
assert_close(at_power(torch.tensor([0.0, 0.25, 0.25, 0.5]), 1e-11), torch.tensor([0., 1., 1., 1.]) / 3, "a zero, power 1e-11", of="zeros",
             hint="The score of an impossible class is -inf: beside a very small power, no finite number is low enough.")
assert_close(at_power(torch.tensor([0.2, 0.0, 0.2, 0.1, 0.0]), 3000.0), torch.tensor([0.5, 0., 0.5, 0., 0.]), "two zeros, power 3,000", of="zeros",
             rtol=1e-3, hint="What is impossible stays impossible: no finite score is low enough beside large powers.")
close = torch.tensor([0.25001, 0.25, 0.24999, 0.25], dtype=torch.float64)
wanted = torch.softmax(5000 * (close.log() - close.max().log()), 0)
assert_close(at_power(close, 5000.0), wanted, "four nearly equal probabilities, power 5,000", of="large powers", hint="A large power is not the limit: small differences count, and the power counts as it is.")
assert_close(at_power(torch.tensor([0.1, 0.9]), 100_000.0), torch.tensor([0., 1.]), "two classes, power 100,000", of="large powers", hint="p ** alpha underflows. Work with the logarithms.")
### END HIDDEN TESTS

# %% [markdown] task="4.1.7c" kind="code" minutes=8 difficulty=3 needs="temperature"
# ### Freezing and boiling
#
# What is left in the end? Write `limits(p)`: for a tensor `p` of probabilities, shape (q,), it returns a pair of tensors of this shape, `(cold, hot)`:
# the limits of Q ∝ P^{1/T} for T → 0 and for T → ∞.
#
# **You are done when**
# - **cold**: all probability is on the class that is most probable in `p`;
# - **ties**: if several classes are the most probable ones, they share it equally;
# - **hot**: every class that is possible in `p` has the same probability;
# - **zeros**: a class with probability 0 in `p` has 0 in both limits.

# %% exercise="4.1.7c"
def limits(p):
    """The limits of p ** (1 / T), normalised, for T -> 0 and T -> infinity: (q,) -> (q,), (q,)."""
    ### BEGIN SOLUTION
    cold, hot = (p == p.max()).float(), (p > 0).float()
    return cold / cold.sum(), hot / hot.sum()
    ### END SOLUTION

# %% [markdown] hints="4.1.7c"
# 1. Look at the four pictures again. What would T = 0.001 and T = 1,000,000 show? And the last line of the output below them?
# 2. 0 to any positive power is 0. `(p > 0).float()` has a 1 for each possible class.
# 3. The share of the winners in a lottery: `(points == points.max()).float()`, divided by its sum.

# %% check="4.1.7c" points=2
both = limits(torch.tensor([0.2, 0.5, 0.3]))
assert_type(both, (tuple, list), "the result for p = (0.2, 0.5, 0.3)", of="cold", hint="A pair is asked for, two tensors side by side: first the cold limit, then the hot one.")
assert_equal(len(both), 2, "the number of tensors returned", of="cold")
assert_shape(both[0], (3,), "the shape of the cold limit", of="cold")
assert_shape(both[1], (3,), "the shape of the hot limit", of="hot")
assert_close(both[0], torch.tensor([0., 1., 0.]), "cold, p = (0.2, 0.5, 0.3)", of="cold",
             mistakes={"This is the limit for high temperatures.": torch.full((3,), 1 / 3), "The shares have to add up to 1.": torch.tensor([0., 0.5, 0.])},
             hint="All the probability goes to the most probable class, in the limit: a small T gives it nearly all.")
assert_close(both[1], torch.full((3,), 1 / 3), "hot, p = (0.2, 0.5, 0.3)", of="hot",
             mistakes={"The shares have to add up to 1.": torch.ones(3), "This is p itself, the temperature 1.": torch.tensor([0.2, 0.5, 0.3]),
                       "The least probable class is possible, too.": torch.tensor([0., 0.5, 0.5]), "This is the limit for low temperatures.": torch.tensor([0., 1., 0.])},
             hint="The limit itself is asked for, equal shares, not a large T.")
assert_close(limits(torch.tensor([0.333, 0.334, 0.333]))[0], torch.tensor([0., 1., 0.]), "cold, p = (0.333, 0.334, 0.333)",
             of="cold",
             mistakes={"Only classes that are exactly as probable as the largest share.": torch.full((3,), 1 / 3)},
             hint="The limit itself is asked for, not a small T.")
assert_close(limits(torch.tensor([1e-5, 0.99999]))[1], torch.full((2,), 0.5), "hot, p = (0.00001, 0.99999)", of="hot",
             mistakes={"However improbable, a possible class has its full share in the heat.": torch.tensor([0., 1.])}, hint="The limit itself is asked for, equal shares, not a large T.")
tied = torch.tensor([0.4, 0.0, 0.4, 0.2])
assert_close(limits(tied)[0], torch.tensor([0.5, 0., 0.5, 0.]), "cold, p = (0.4, 0, 0.4, 0.2)", of="ties",
             mistakes={"The two largest must share.": torch.tensor([1., 0., 0., 0.]), "The shares have to add up to 1.": torch.tensor([1., 0., 1., 0.])},
             hint="The most probable classes share equally, all others get nothing.")
assert_close(limits(tied)[1], torch.tensor([1., 0., 1., 1.]) / 3, "hot, p = (0.4, 0, 0.4, 0.2)", of="zeros",
             mistakes={"Class 1 is impossible. It stays so at any temperature.": torch.full((4,), 0.25),
                       "The shares have to add up to 1: three of the four classes are possible.": torch.tensor([1., 0., 1., 1.]) / 4},
             hint="Every possible class has the same share, and an impossible one has none.")
### BEGIN HIDDEN TESTS
assert_close(limits(torch.tensor([0.1, 0.1, 0.1, 0.1, 0.6]))[0], torch.tensor([0., 0., 0., 0., 1.]), "cold, five classes", of="cold", hint="All the probability goes to the most probable class.")
assert_close(limits(torch.tensor([0.1, 0.1, 0.1, 0.1, 0.6]))[1], torch.full((5,), 0.2), "hot, five classes", of="hot", hint="The limit itself is asked for, equal shares, not a large T.")
assert_close(limits(torch.tensor([0.3, 0.3, 0.3, 0.1]))[0], torch.tensor([1., 1., 1., 0.]) / 3, "cold, three largest", of="ties", hint="All that are equally probable share, however many.")
assert_close(limits(torch.tensor([0.34, 0.33, 0.33]))[0], torch.tensor([1., 0., 0.]), "cold, one class a little more probable than two others", of="cold", hint="However small its lead, the most probable class wins alone: the limit is asked for, not a small T.")
assert_close(limits(torch.tensor([0.25, 0.2501, 0.2499, 0.25]))[0], torch.tensor([0., 1., 0., 0.]), "cold, four classes nearly alike", of="cold", hint="However small its lead, the most probable class wins alone: the limit is asked for, not a small T.")
assert_close(limits(torch.tensor([1e-6, 0.0, 0.999, 0.000999]))[1], torch.tensor([1., 0., 1., 1.]) / 3, "hot, with very small probabilities", of="hot", hint="However improbable, a possible class has its full share in the heat.")
assert_close(limits(torch.tensor([0., 1., 0.]))[1], torch.tensor([0., 1., 0.]), "hot, a sure class", of="zeros", hint="Every possible class has the same share, and an impossible one has none.")
assert_close(limits(torch.tensor([0., 0.9, 0., 0., 0.1]))[1], torch.tensor([0., 0.5, 0., 0., 0.5]), "hot, three zeros", of="zeros", hint="Every possible class has the same share, and an impossible one has none.")
### END HIDDEN TESTS

# %% [markdown] teaches="cross-entropy, likelihood of a classifier"
# ## 5. What a wrong probability costs: why -log
#
# A model is good if it gave a large probability to what then happened. Take n independent examples whose labels are the class numbers $c_1, \dots, c_n$. The probability that the model gives to *all* of them is
# a product, the *likelihood* of section 2.6:
#
# $$p_{1, c_1} \cdot p_{2, c_2} \cdots p_{n, c_n} .$$
#
# We want the weights that make it large. As it stands it is hard to work with: a product of a thousand factors has an ugly derivative, and for a
# computer it is soon 0.

# %% teaches="cross-entropy"
print("one half to the power 1,000:", 0.5 ** 1000)
print("one half to the power 1,100:", 0.5 ** 1100)
print("its logarithm:              ", 1100 * math.log(0.5))

P = torch.tensor([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6], [0.25, 0.5, 0.25], [0.05, 0.05, 0.9]])    # (4, 3)
y = torch.tensor([0, 2, 1, 0])                                                               # (4,)
Y = (y[:, None] == torch.arange(3)).float()                                                  # (4, 3)
of_labels = P[torch.arange(4), y]                # row 0 column 0, row 1 column 2, row 2 column 1, row 3 column 0
print("probabilities of the labels:", of_labels)
print("likelihood:                 ", of_labels.prod())
print("losses:                     ", -torch.log(of_labels))
print("the same, from one-hot rows:", -(Y * torch.log(P)).sum(dim=1))
print("mean:                       ", -torch.log(of_labels).mean())

# %% [markdown]
# Three steps lead from the likelihood to the loss.
#
# 1. *Take the logarithm.* It turns the product into a sum, and sums have easy derivatives and do not underflow. The logarithm rises, so the weights with the largest
#    likelihood are those with the largest *log-likelihood*.
# 2. *Change the sign.* Gradient descent makes things small.
# 3. *Divide by n.* Then the loss of a hundred examples can be compared with that of a million, and a learning rate suits both.
#
# $$\text{loss} = -\frac1n \sum_{i=1}^n \log p_{i, c_i}, \qquad \text{for one example with label c} \quad \ell = -\log p_c = -\sum_{j=1}^q y_j \log p_j .$$
#
# In the last form, $(y_1, \dots, y_q)$ is the one-hot row of the label: it picks the logarithm at the label, all other terms are 0. This is the *cross-entropy* of the label and the prediction; part 8 explains the
# name. In the output above, the fourth fruit dominates: it is an apple, and the model said apple with 0.05. It costs 3.0, more than the other three together.

# %% tags=["demo"]
r = torch.linspace(0.001, 0.999, 999)
figure, axes = plt.subplots(1, 2, figsize=(8, 2.9), layout="constrained")
axes[0].plot(r, -torch.log(r))
axes[0].set(xlabel="probability that the label got", ylabel="loss", title="-log p")
axes[1].plot(r, -0.7 * torch.log(r) - 0.3 * torch.log(1 - r), label="-log p")
axes[1].plot(r, 0.7 * (1 - r) + 0.3 * r, "--", label="1 - p")
axes[1].axvline(0.7, color="black", linewidth=0.8)
axes[1].set(xlabel="reported probability of rain", ylabel="cost on average", title="it rains on 7 of 10 days", ylim=(0, 2.5))
axes[1].legend(loc="upper center")
for ax in axes:
    ax.grid(alpha=0.3)
plt.show()
print("lowest point with -log p:", round(r[(-0.7 * torch.log(r) - 0.3 * torch.log(1 - r)).argmin()].item(), 3))
print("lowest point with 1 - p: ", round(r[(0.7 * (1 - r) + 0.3 * r).argmin()].item(), 3))

# %% [markdown]
# *Left*: a label that got probability 1 costs nothing, one that got one half costs 0.69, and the cost grows without bound towards 0. Whoever calls a thing impossible must not be wrong.
#
# *Right*: why not the simpler cost 1 - p? Suppose it rains on seven of ten days, and you report the probability r every day. With -log p the
# average cost is lowest at r = 0.7: honesty pays. With 1 - p it is lowest at the right end: it pays to shout "certain". A loss that is to
# produce probabilities must reward the true ones.
#
# One value is worth knowing. A model that knows nothing gives each of q classes 1/q, and its loss is log q: 1.10 for three classes, 2.30 for ten. A loss above that is worse than no model.

# %% [markdown] task="4.1.D" kind="code" minutes=4 difficulty=2 core=true needs="cross-entropy, one-hot encoding"
# ### A loss for each example
#
# Write `label_losses(P, y)`: `P` holds probabilities, shape (n, q), a row for each example, and `y` the class numbers of the labels, shape (n,), `int64`. It returns the
# cross-entropy of each example.
#
# **You are done when**
# - **shape**: the result has shape (n,): one loss for each example, not their mean;
# - **values**: each is minus the natural logarithm of the probability of its label, however small that is, and `inf` where it is 0;
# - **zeros elsewhere**: a probability of 0 for a class that is *not* the label does no harm.

# %% exercise="4.1.D"
def label_losses(P, y):
    """-log of the probability of each label: (n, q), (n,) -> (n,)."""
    ### BEGIN SOLUTION
    return -torch.log(P[torch.arange(len(y)), y])
    ### END SOLUTION

# %% [markdown] hints="4.1.D"
# 1. Which entry of each row counts?
# 2. Two index tensors of equal length pick one entry for each pair. What is 0 · log 0 for a computer?
# 3. The diagonal of a matrix with 5 rows: `M[torch.arange(5), torch.arange(5)]`, shape (5,).

# %% check="4.1.D" points=1
four = torch.tensor([[0.5, 0.5], [0.25, 0.75], [0.9, 0.1]])
labels = torch.tensor([1, 0, 0])
assert_shape(label_losses(four, labels), (3,), "the shape for 3 examples of 2 classes", of="shape",
             hint=lambda: {(): "This is a single number: the losses are neither averaged nor added up.", (3, 1): "This is a column; a tensor with one axis is asked for.",
                   (3, 2): "This has an entry for each class; of each row only the one at its label counts.",
                   (3, 3): "Every row was paired with every label (`P[:, y]` does that): row i belongs to label i."}.get(
                       tuple(getattr(label_losses(four, labels), "shape", ())), "One loss for each example, along a single axis."))
losses = label_losses(four, labels)
assert_close(losses, torch.tensor([0.5, 0.25, 0.9]).log().neg(), "labels with the probabilities 0.5, 0.25 and 0.9", of="values",
             mistakes={"The minus sign is missing.": torch.tensor([0.5, 0.25, 0.9]).log(), "This is the logarithm to base 2.": -torch.tensor([0.5, 0.25, 0.9]).log2(),
                       "`P` holds probabilities already: no softmax any more.": F.cross_entropy(four, labels, reduction="none"), "The cost is a logarithm, not 1 - p.": torch.tensor([0.5, 0.75, 0.1]),
                       "This is the largest probability of each row, not that of the label.": -torch.tensor([0.5, 0.75, 0.9]).log(),
                       "One loss for each example: nothing is divided by n.": -torch.tensor([0.5, 0.25, 0.9]).log() / 3,
                       "Only the label's own probability counts, not 1 - p of the other classes.": -2 * torch.tensor([0.5, 0.25, 0.9]).log()},
             hint="In row i only the entry in column `y[i]` counts, with nothing added to it. Yours are the losses of the "
                  "probabilities "
             + ", ".join(f"{share:.4g}" for share in losses.neg().exp().tolist()) + ".")
losses_of_rare = label_losses(torch.tensor([[1e-6, 1 - 1e-6], [0.9999, 1e-4]]), torch.tensor([0, 1]))
assert_close(losses_of_rare, torch.tensor([6.0, 4.0]) * math.log(10), "labels with the probabilities 0.000001 and 0.0001",
             of="values",
             hint=lambda: "Yours are the losses of the probabilities "
             + " and ".join(f"{share:.5g}" for share in losses_of_rare.double().neg().exp().tolist())
             + ". Take each as it stands in `P`: nothing is added to it and nothing cut off, and 1 minus the others has "
             "fewer digits.")
assert_close(label_losses(torch.tensor([[1e-30, 0.5, 0.5], [0.5, 0.5, 0.]]), torch.tensor([0, 2])), torch.tensor([30 * math.log(10), math.inf]),
             "labels with the probabilities 1e-30 and 0", of="values", hint="Nothing is added to a probability and nothing cut off, and an impossible label costs `inf`.")
assert_close(label_losses(torch.tensor([[0., 1., 0.], [0.5, 0., 0.5]]), torch.tensor([1, 2])), torch.tensor([0., math.log(2)]),
             "a sure row and one with a 0 in the middle", of="zeros elsewhere", hint="0 · log 0 is nan. Pick the probability before you take its logarithm.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(140)
for n, q in ((5, 4), (1, 3), (4, 7)):
    scores = torch.randn(n, q, generator=rng, dtype=torch.float64)
    labels = torch.randint(0, q, (n,), generator=rng)
    assert_shape(label_losses(torch.softmax(scores, 1), labels), (n,), f"the shape for {n} examples of {q} classes", of="shape")
    assert_close(label_losses(torch.softmax(scores, 1), labels), F.cross_entropy(scores, labels, reduction="none"), f"{n} examples of {q} classes", of="values",
                 hint="In row i only the entry in column `y[i]` counts, with nothing added to it.")
far = torch.tensor([[0., 12., 3.], [10., 0., -1.]], dtype=torch.float64)
assert_close(label_losses(torch.softmax(far, 1), torch.tensor([0, 2])), F.cross_entropy(far, torch.tensor([0, 2]), reduction="none"), "two very improbable labels", of="values",
             hint="However improbable a label is, nothing is added to its probability and nothing cut off.")
assert_close(label_losses(torch.tensor([[0.5, 1e-25, 0.5, 0.], [0., 0.25, 0.75, 0.]]), torch.tensor([1, 0])), torch.tensor([25 * math.log(10), math.inf]),
             "an all but impossible label and an impossible one", of="values", hint="Nothing is added to a probability and nothing cut off, and an impossible label costs `inf`.")
assert_close(label_losses(torch.eye(4)[[2, 0, 3]], torch.tensor([2, 0, 3])), torch.zeros(3), "three sure rows",
             of="zeros elsewhere",
             hint="A label with the probability 1 costs 0, and the zeros beside it do no harm.")
### END HIDDEN TESTS

# %% [markdown] teaches="gradient of cross-entropy"
# ## 6. The gradient: what was said minus what is true
#
# To train, we must know how the loss changes with each score. Take one example with scores $\mathbf o$, shape (q,), and the label c. Put the softmax into the loss:
#
# $$\ell = -\log p_c = -\log \frac{e^{o_c}}{S} = \log S - o_c, \qquad S = e^{o_1} + \dots + e^{o_q} .$$
#
# The exponential of the softmax and the logarithm of the loss have cancelled: that is one reason why they belong together. Now the derivative with respect to one score $o_j$,
# term by term:
#
# 1. $-o_c$ contains $o_j$ only if j is the label. Its derivative is -1 for j = c, and 0 otherwise: that is $-y_j$, entry j of the one-hot row.
# 2. For $\log S$ use the chain rule: $\dfrac{1}{S} \cdot \dfrac{\partial S}{\partial o_j}$. In S only the term $e^{o_j}$ contains $o_j$, and it is its own derivative. So it is $\dfrac{e^{o_j}}{S} = p_j$, the softmax.
#
# $$\boxed{\;\frac{\partial \ell}{\partial o_j} = p_j - y_j\;}\qquad \text{as vectors of shape } (q,): \quad \nabla \ell = \mathrm{softmax}(\mathbf o) - \text{one-hot}(c) .$$
#
# What was said minus what is true. We check it with numbers: move each score a little up and a little down, and look at the loss.

# %% teaches="gradient of cross-entropy, numerical gradient"
def example_loss(o, label):
    return torch.log(torch.exp(o).sum()) - o[label]

o = torch.tensor([1.0, 2.0, 0.0, 1.5], dtype=torch.float64)          # (4,)
h = 1e-5
slopes = torch.zeros(4, dtype=torch.float64)
for j in range(4):
    step = torch.zeros(4, dtype=torch.float64)
    step[j] = h
    slopes[j] = (example_loss(o + step, 3) - example_loss(o - step, 3)) / (2 * h)

p = torch.softmax(o, dim=0)
formula = p - torch.eye(4, dtype=torch.float64)[3]
print("measured:", slopes)
print("formula: ", formula)
print("largest difference:", (slopes - formula).abs().max().item())

# %% tags=["demo"]
figure, axes = plt.subplots(1, 3, figsize=(8, 2.4), sharey=True, layout="constrained")
for ax, heights, title in zip(axes, (p, torch.eye(4)[3], formula), ("softmax", "one-hot label", "gradient")):
    ax.bar(["0", "1", "2", "3"], heights, color=["C1" if value < 0 else "C0" for value in heights])
    ax.axhline(0, color="black", linewidth=0.8)
    ax.set(title=title, xlabel="class")
plt.show()

# %% [markdown]
# A positive entry says: this score is too high, lower it. Only the label's entry is negative: raise it. The entries add up to 0: what one class gains the others lose. And no entry is ever larger than 1 in size, however wrong
# the model is; where it is sure and right, all entries are nearly 0, and nothing is to be done.
#
# There is a second reason for the logarithm here. Suppose one took the squared error of the probabilities instead. With two classes and d = score of the label minus score of the other, this is how steep the two losses are:

# %% tags=["demo"]
d = torch.linspace(-8, 8, 321)
q = torch.sigmoid(d)                              # the probability of the label
figure, ax = plt.subplots(figsize=(5, 2.8), layout="constrained")
ax.plot(d, 1 - q, label="cross-entropy")
ax.plot(d, 4 * q * (1 - q) ** 2, "--", label="squared error")
ax.set(xlabel="d = score of the label - score of the other", ylabel="steepness of the loss")
ax.legend(loc="upper right")
ax.grid(alpha=0.3)
plt.show()

# %% [markdown]
# On the left the model is sure and wrong. There the cross-entropy pulls with full strength, 1. The squared error is flat: the worst mistakes would be the last to be mended.
#
# ### From the scores to the weights
#
# For n examples and the mean loss, each row has its own difference, and each counts 1/n:
#
# $$\underbrace{\mathbf G}_{(n,\,q)} = \frac1n (\mathbf P - \mathbf Y) .$$
#
# A weight $W_{kj}$ acts on score j of example i through $x_{ik}$: $\;o_{ij} = \dots + x_{ik} W_{kj} + \dots + b_j$. So its derivative collects $x_{ik} G_{ij}$ over the examples i. That is a matrix product; a bias collects
# $G_{ij}$ alone:
#
# $$\underbrace{\nabla_{\mathbf W}}_{(d,\,q)} = \underbrace{\mathbf X^\top}_{(d,\,n)} \underbrace{\mathbf G}_{(n,\,q)}, \qquad \underbrace{\nabla_{\mathbf b}}_{(q,)} = \sum_{i=1}^n \mathbf G_{i} .$$
#
# This is all one needs. Here are 150 made-up fruits and a classifier that learns, with nothing hidden in a library:

# %% teaches="softmax regression, training with the hand-made gradient"
torch.manual_seed(0)
middles = torch.tensor([[1.3, 0.9], [0.7, -1.6], [-1.7, 0.9]])       # apple, banana, cherry: size and redness
kinds = torch.arange(150) % 3                                        # (150,)
fruits = middles[kinds] + 0.9 * torch.randn(150, 2)                  # (150, 2)
true_rows = (kinds[:, None] == torch.arange(3)).float()              # (150, 3)

W, b = torch.zeros(2, 3), torch.zeros(3)
for step in range(201):
    P = softmax(fruits @ W + b)                                      # (150, 3)
    loss = -(true_rows * torch.log(P)).sum(dim=1).mean()
    if step in (0, 1, 10, 50, 200):
        right = (P.argmax(dim=1) == kinds).float().mean()
        print(f"step {step:3}: loss {loss.item():.4f}, right {right.item():.3f}")
    G = (P - true_rows) / len(fruits)                                # (150, 3)
    W -= 0.5 * fruits.T @ G                                          # (2, 150) @ (150, 3)
    b -= 0.5 * G.sum(dim=0)

# %% tags=["demo"]
side = torch.linspace(-4.5, 4.5, 161)
grid = torch.cartesian_prod(side, side)                              # (161 * 161, 2)
P_grid = softmax(grid @ W + b)
colours = torch.tensor([[0.85, 0.25, 0.2], [0.95, 0.8, 0.2], [0.35, 0.2, 0.6]])
picture = (P_grid @ colours).reshape(161, 161, 3).transpose(0, 1)
figure, ax = plt.subplots(figsize=(4.6, 4), layout="constrained")
ax.imshow(picture, origin="lower", extent=(-4.5, 4.5, -4.5, 4.5), alpha=0.6)
for j, (name, marker) in enumerate((("apple", "o"), ("banana", "^"), ("cherry", "s"))):
    chosen = fruits[kinds == j]
    ax.scatter(chosen[:, 0], chosen[:, 1], s=16, marker=marker, color=colours[j].tolist(), edgecolor="black", linewidth=0.5, label=name)
ax.set(xlabel="size", ylabel="redness", xlim=(-4.5, 4.5), ylim=(-4.5, 4.5))
figure.legend(loc="outside right upper")
plt.show()

# %% [markdown]
# At step 0 all weights are 0 and the loss is log 3 = 1.0986, as it must be. (All scores are equal then, `argmax` names the first class, and a third of the fruits are apples.) After a single step most fruits are right, and their number hardly moves any more. The loss goes on falling: the probabilities become better, which a count of right answers does not see.
#
# In the picture the background mixes the colours of the three classes by their probabilities. Where it is pure, the model is sure. Where two
# colours mix, it hesitates, and that is where most of the wrong fruits lie. The borders are straight: two classes are equally probable where their two scores are equal, and that is a linear equation.

# %% [markdown] task="4.1.E" kind="code" minutes=5 difficulty=2 core=true needs="gradient of cross-entropy, softmax, one-hot encoding"
# ### The gradient of a batch
#
# Write `logit_gradient(O, y)`: `O` holds the scores of n examples, shape (n, q), and `y` their labels, shape (n,), `int64`. It returns the gradient of the *mean* cross-entropy with respect to `O`.
# No score is larger than 50 in size.
#
# **You are done when**
# - **shape**: the result has the shape of `O`;
# - **values**: for each row it points from the label to the prediction, softmax minus one-hot;
# - **mean**: it is the gradient of the mean over the n examples, not of the sum;
# - **arguments kept**: `O` is as it was, its numbers as well as its `requires_grad`, which is `False`.

# %% exercise="4.1.E"
def logit_gradient(O, y):
    """The gradient of the mean cross-entropy in the scores: (n, q), (n,) -> (n, q)."""
    ### BEGIN SOLUTION
    Y = (y[:, None] == torch.arange(O.shape[1])).to(O.dtype)
    return (softmax(O) - Y) / len(O)
    ### END SOLUTION

# %% [markdown] hints="4.1.E"
# 1. What is the gradient for one row? What does the mean do to it?
# 2. P and Y have shape (n, q). An example counts 1/n in the mean.
# 3. For the mean of n squares $x_i^2$, entry i of the gradient is $2 x_i / n$, not $2 x_i$.

# %% check="4.1.E" points=2
three_rows = torch.log(torch.tensor([[1., 2., 1.], [3., 1., 4.]]))
wanted = torch.tensor([[0.25, -0.5, 0.25], [-0.625, 0.125, 0.5]]) / 2
by_columns, by_batch = torch.softmax(three_rows, 0) - torch.eye(3)[[1, 0]], torch.softmax(three_rows.flatten(), 0).reshape(2, 3) - torch.eye(3)[[1, 0]]
row_rule = "In each row: the softmax of its scores, less 1 at its label, and nothing else."
each_own_largest = "Scores up to 50 in size, of either sign, may stand in one batch. What is subtracted before exp, if anything, is the largest score of the same row."
by_largest = torch.softmax(three_rows, 1) - torch.eye(3)[[1, 2]]
of_scores, of_logs = three_rows - torch.eye(3)[[1, 0]], torch.log_softmax(three_rows, 1) - torch.eye(3)[[1, 0]]
at_label_alone = (torch.softmax(three_rows, 1) - 1) * torch.eye(3)[[1, 0]]
twice = torch.softmax(torch.softmax(three_rows, 1), 1) - torch.eye(3)[[1, 0]]
at_all_labels = torch.softmax(three_rows, 1) - torch.tensor([1., 1., 0.])
half_softmax, half_label = torch.softmax(three_rows, 1) / 2 - torch.eye(3)[[1, 0]], torch.softmax(three_rows, 1) - torch.eye(3)[[1, 0]] / 2
words = "softmax (1/4, 1/2, 1/4) with label 1 and (3/8, 1/8, 4/8) with label 0"

def which_part(G):
    """What does not hold in a gradient for these two rows: the sums, the labels' entries or the others."""
    if not (G.double().sum(1).abs() <= 1e-4 * G.double().abs().max()).all():
        return (f"{row_rule} The entries of both, softmax and one-hot row, add up to 1, so the difference adds up to 0: "
                f"here the rows add up to {G[0].sum().item():.4g} and {G[1].sum().item():.4g}.")
    if not (G[0, 0] > 0 and G[0, 2] > 0 and G[1, 1] > 0 and G[1, 2] > 0):
        return row_rule + " Where it is not the label, an entry is a probability, which is positive: here one is not."
    if abs(G[0, 0] / G[0, 2] - 1) < 1e-3 and abs(G[1, 2] / G[1, 1] - 4) < 1e-2:
        return "Each row by itself is right, up to a factor: it has to be the same for both, 1/n."
    return (f"{row_rule} Each of your rows adds up to 0, as it should. Beside the label, the entries are to each other as the "
            f"probabilities, in row 0 "
            f"1/4 to 1/4 and in row 1 1/8 to 4/8; yours are {G[0, 0].item():.4g} to {G[0, 2].item():.4g} and "
            f"{G[1, 1].item():.4g} to {G[1, 2].item():.4g}.")

square = torch.log(torch.tensor([[1., 2., 1.], [3., 1., 4.], [2., 5., 1.]]))
G = logit_gradient(square, torch.tensor([1, 0, 2]))
assert_shape(G, (3, 3), "the shape for 3 examples of 3 classes", of="shape", hint="There is an entry for each score of each example.")
mixed_sums = square.exp() / square.exp().sum(1) - torch.eye(3)[[1, 0, 2]]
assert_true(not any(torch.allclose(G.double(), (mixed_sums / n).double(), atol=1e-5) for n in (1, 3)), "3 examples of 3 classes: each row of exponentials is divided by its own sum", of="values",
            hint="The sums of the rows must stay a column, `keepdim=True`: a row of sums divides the columns.")
G = logit_gradient(three_rows, torch.zeros(2, dtype=torch.int64))
assert_shape(G, (2, 3), "the shape for 2 examples of 3 classes, labels 0 and 0", of="shape")
assert_true(not any(torch.allclose(G.double(), ((torch.softmax(three_rows, 1) - 1) / n).double(), atol=1e-5) for n in (1, 2)), "2 examples of 3 classes, both with label 0: 1 is subtracted at the label only", of="values",
            hint="Here it was subtracted in every column. `F.one_hot(y)` has only as many columns as the largest label needs, here one: `F.one_hot(y, q)` has q.")
assert_shape(logit_gradient(three_rows, torch.tensor([1, 0])), (2, 3), "the shape for 2 examples of 3 classes", of="shape")
G = logit_gradient(three_rows, torch.tensor([1, 0]))
assert_close(G / G.abs().max().clamp(min=1e-12), wanted / wanted.abs().max(), f"{words}, divided by the largest entry", of="values",
             mistakes={"The sign is turned round: softmax minus one-hot.": -wanted / wanted.abs().max(),
                       "Each row has its own softmax: the sum runs over the classes of one example.": by_columns / by_columns.abs().max(),
                       "Each row has its own softmax, with its own sum.": by_batch / by_batch.abs().max(),
                       "Subtract the one-hot row of the label, not of the largest score.": by_largest / by_largest.abs().max(),
                       "Every class has an entry: where it is not the label, its probability.": at_label_alone / at_label_alone.abs().max(),
                       "This is the scores minus the one-hot rows: the softmax makes probabilities of the scores first.": of_scores / of_scores.abs().max(),
                       "These are the logarithms of the softmax minus the one-hot rows: the softmax itself is meant.": of_logs / of_logs.abs().max(),
                       "The softmax is taken once, not of its own result.": twice / twice.abs().max(),
                       "This is the gradient of a loss that takes the softmax of the softmax: `F.cross_entropy` takes the "
                       "scores.":
                       torch.tensor([[0.477005, -0.954010, 0.477005], [-1., 0.149167, 0.850833]]),
                       "This is the gradient of the squared error of the probabilities: the cross-entropy is meant.":
                       torch.tensor([[8 / 21, -16 / 21, 8 / 21], [-1., 1 / 21, 20 / 21]]),
                       "A row loses 1 at its own label only, not at those of the other rows.": at_all_labels / at_all_labels.abs().max(),
                       "The one-hot row is divided by n as well as the softmax.": half_softmax / half_softmax.abs().max(),
                       "The softmax is divided by n as well as the one-hot row.": half_label / half_label.abs().max()}, hint=lambda: which_part(G))
assert_close(logit_gradient(three_rows, torch.tensor([1, 0])), wanted, words, of="mean",
             mistakes={"This is the gradient of the sum of the two losses.": 2 * wanted, "This is divided by the number of entries, not of examples.": wanted / 3,
                       "This is divided by the number of classes, not of examples.": 2 * wanted / 3}, hint="An example counts 1/n in the mean.")
assert_close(logit_gradient(torch.zeros(4, 2), torch.tensor([0, 1, 1, 0])), (torch.full((4, 2), 0.5) - torch.eye(2)[[0, 1, 1, 0]]) / 4,
             "four examples whose scores are all 0", of="mean", hint="An example counts 1/n in the mean.")
far_rows = torch.tensor([[50., -50., 49.], [-50., -50., -49.]])
assert_close(logit_gradient(far_rows, torch.tensor([1, 0])), (torch.softmax(far_rows.double(), 1) - torch.eye(3)[[1, 0]]).float() / 2,
             "the rows (50, -50, 49) and (-50, -50, -49), labels 1 and 0", of="values", hint=each_own_largest)

@probe
def scores_after_the_call(O, y):
    logit_gradient(O, y)
    return O

for kind in (torch.float32, torch.float64):                # float() makes no copy of the one, double() none of the other
    before = torch.tensor([[3., -1., 2.], [0., 5., 1.]], dtype=kind)
    assert_close(scores_after_the_call(before.clone(), torch.tensor([1, 0])), before, f"O after the call, of dtype {str(kind)[6:]}", of="arguments kept",
                 hint="A step of the function writes into its argument: `-=`, `/=`, a method that ends in `_`, or `O[...] = ...`.")

@probe
def second_of_two_calls(O, y):
    logit_gradient(O, y)
    return logit_gradient(O, y)

assert_close(second_of_two_calls(torch.log(torch.tensor([[1., 2., 1.], [3., 1., 4.]])), torch.tensor([1, 0])), wanted, "the second of two calls with the same `O` and `y`", of="arguments kept", rtol=1e-4, atol=1e-5,
             hint="The first call has left something on `O`: gradients in `O.grad` add up. Work on a copy.")

@probe
def gradients_asked_for(O, y):
    logit_gradient(O, y)
    return int(O.requires_grad)

assert_equal(gradients_asked_for(torch.tensor([[3., -1., 2.], [0., 5., 1.]]), torch.tensor([1, 0])), 0,
             "`O.requires_grad` after the call, as a whole number", of="arguments kept", hint="The call has switched on `O.requires_grad`. Work on a copy.")
### BEGIN HIDDEN TESTS
def by_autograd(O, y):
    O = O.clone().requires_grad_(True)
    return torch.autograd.grad(F.cross_entropy(O, y), O)[0]

rng = torch.Generator().manual_seed(141)
for n, q, size in ((5, 4, 1.0), (3, 7, 10.0), (8, 2, 2.0)):
    O_ = size * torch.randn(n, q, generator=rng, dtype=torch.float64)
    y_ = torch.randint(0, q, (n,), generator=rng)
    assert_shape(logit_gradient(O_, y_), (n, q), f"the shape for {n} examples of {q} classes", of="shape")
    G, wanted = logit_gradient(O_, y_), by_autograd(O_, y_)
    assert_close(G / G.abs().max().clamp(min=1e-12), wanted / wanted.abs().max(), f"{n} examples of {q} classes, divided by the largest entry", of="values", hint=row_rule)
    assert_close(logit_gradient(O_, y_), by_autograd(O_, y_), f"{n} examples of {q} classes", of="mean", hint="An example counts 1/n in the mean.")
assert_close(logit_gradient(O_[:1], y_[:1]), by_autograd(O_[:1], y_[:1]), "a single example", of="values", hint="With a single example, its own gradient is the mean.")
assert_close(logit_gradient(O_[:6].float(), y_[:6]), by_autograd(O_[:6], y_[:6]).float(), "six examples in float32",
             of="mean", hint="An example counts 1/n in the mean.")
wide = torch.tensor([[-49.5, -50.0], [48.0, 50.0], [0.5, -47.0], [-48.0, 49.0]])
assert_close(logit_gradient(wide, torch.tensor([1, 0, 0, 1])), by_autograd(wide.double(), torch.tensor([1, 0, 0, 1])).float(), "four rows with scores up to 50 in size", of="values", hint=each_own_largest)
fresh = 2 * torch.randn(4, 3, generator=rng, dtype=torch.float64)
assert_close(scores_after_the_call(fresh.clone(), torch.tensor([0, 2, 1, 1])), fresh, "O after the call", of="arguments kept", hint="A step of the function writes into its argument.")
assert_equal(gradients_asked_for(fresh.clone(), torch.tensor([0, 2, 1, 1])), 0,
             "`O.requires_grad` after the call, as a whole number", of="arguments kept", hint="The call has switched on `O.requires_grad`. Work on a copy.")
assert_close(second_of_two_calls(fresh.clone(), torch.tensor([0, 2, 1, 1])), by_autograd(fresh, torch.tensor([0, 2, 1, 1])), "the second of two calls with the same `O` and `y`", of="arguments kept", rtol=1e-4, atol=1e-5,
             hint="The first call has left something on `O`: gradients in `O.grad` add up. Work on a copy.")
### END HIDDEN TESTS

# %% [markdown]
# **A little over half of the way**, and a good place to stop for today: scores, softmax, temperature, loss and gradient are all that a classifier needs, and you have seen one trained. When you come back, try to say the following without looking, and look where you cannot:
# - which change of the scores the softmax does not notice, and what two equal differences of scores do to two ratios of probabilities;
# - what the loss of one example is, and what it is where the label got the probability 1 and where it got next to 0;
# - the gradient of this loss in the scores, in three words.
#
# What follows looks at the same things from other sides: how curved the loss is (7), what it has to do with bits (8), the maximum that the softmax belongs to (9), and numbers that are too large for the plain formula (10). Whoever is in a hurry to train on pictures needs
# only the last of these.

# %% [markdown] teaches="second derivative of cross-entropy, variance of a draw from the softmax"
# ## 7. The second derivative is a variance
#
# The gradient says which way is down. The *second* derivative says how the slope changes on the way: how curved the loss is. A second derivative can be measured, too. For a function f of one number t,
#
# $$f''(0) \approx \frac{f(h) - 2 f(0) + f(-h)}{h^2} .$$
#
# For the loss, start with the gradient $p_j - y_j$. The label's part $y_j$ is constant, so the second derivatives are those of the softmax. How does $p_j = e^{o_j} / S$ change with the score of *another* class k? The numerator stays;
# only $S$ moves, by $e^{o_k}$:
#
# $$\frac{\partial p_j}{\partial o_k} = -\frac{e^{o_j}}{S^2}\, e^{o_k} = -p_j\, p_k \qquad (k \ne j) .$$
#
# If one class gains, the others lose in proportion to what they have. The case k = j is the first exercise below. Here is what the measurement says about it:

# %% teaches="second difference"
o = torch.tensor([1.0, 2.0, 0.0, 1.5], dtype=torch.float64)
print("softmax:                     ", torch.softmax(o, dim=0))
h = 1e-3
for label in (0, 3):
    bends = []
    for j in range(4):
        e = torch.eye(4, dtype=torch.float64)[j]
        bends.append((example_loss(o + h * e, label) - 2 * example_loss(o, label) + example_loss(o - h * e, label)) / h ** 2)
    print(f"second derivatives, label {label}:", torch.stack(bends))

# %% [markdown]
# Now to chance. The softmax is a distribution: draw a class K from it. Suppose that a number $v_k$ is written on class k. Then $v_K$ is a random number, with the expectation and the variance of section 2.6:
#
# $$\mathrm E[v_K] = \sum_k p_k v_k, \qquad \mathrm{Var}[v_K] = \mathrm E[v_K^2] - \mathrm E[v_K]^2 .$$
#
# A special case: v is 1 for class j and 0 for all others. Then $v_K$ says whether class j was drawn. A hundred thousand draws, for the same four scores:

# %% teaches="variance of a draw from the softmax"
torch.manual_seed(0)
drawn = torch.multinomial(torch.softmax(o, dim=0), 100_000, replacement=True)
print("share of each class:         ", torch.stack([(drawn == j).double().mean() for j in range(4)]))
print("variance of 'class j drawn': ", torch.stack([(drawn == j).double().var() for j in range(4)]))

# %% [markdown] task="4.1.1a" kind="code" minutes=8 difficulty=3 core=true needs="second derivative of cross-entropy, softmax"
# ### How curved the loss is
#
# Compare the last two outputs: within the noise of the draws, the second derivatives *are* the variances. Find their formula.
#
# Write `second_derivatives(o, y)`: for scores `o` of shape (q,), `float64`, and a label `y`, a whole number, it returns the q second derivatives $\partial^2 \ell / \partial o_j^2$ of the cross-entropy $\ell$, each with respect to one score twice.
#
# **You are done when**
# - **shape**: the result is a tensor of shape (q,);
# - **values**: they are right to three digits, by a formula or by measuring;
# - **label**: they are right for every label.

# %% exercise="4.1.1a"
def second_derivatives(o, y):
    """The second derivatives of the cross-entropy in each single score: (q,), label -> (q,)."""
    ### BEGIN SOLUTION
    p = torch.softmax(o, dim=0)
    return p * (1 - p)
    ### END SOLUTION

# %% [markdown] hints="4.1.1a"
# 1. What is the derivative of $p_j - y_j$ with respect to $o_j$? Which part of it contains the label?
# 2. The quotient rule for $e^{o_j} / S$, where both parts change by $e^{o_j}$: $(e^{o_j} S - e^{o_j} e^{o_j}) / S^2$.
# 3. The variance of a number that is 1 with probability 0.3 and 0 otherwise: its square is the same number, so it is 0.3 - 0.3² = 0.21.

# %% check="4.1.1a" points=2
quarters = torch.log(torch.tensor([1., 2., 1.], dtype=torch.float64))
assert_type(second_derivatives(quarters, 1), torch.Tensor, "the result for 3 classes", of="shape")
assert_shape(second_derivatives(quarters, 1), (3,), "the shape for 3 classes", of="shape",
             hint="One number for each score: j = k alone.",
             mistakes={"This is the matrix of all pairs: only its diagonal, j = k, is asked for.": (3, 3),
                       "This is one number: each score has its own, and they are not added up.": ()})
p_of_three = torch.tensor([0.25, 0.5, 0.25], dtype=torch.float64)
drawn_or_not = "Each is the variance of a number that is 1 if the class is drawn and 0 if not, to three digits; the label plays no part in it. Where p is 1/4, that is 1/4 - 1/4² = 3/16. A measurement needs float64 and a step near 0.001."
to_three_digits = "This is near, and three digits are asked for: draws are not exact enough, and a measurement needs a step near 0.001."
def all_zero(given):
    """Why every second derivative is 0; at other scores a sum over all pairs is 0 again, and what rounding leaves is not."""
    if torch.as_tensor(given).abs().max() > 1e-9:
        return "None of the three is 0."
    other = second_derivatives(torch.tensor([0.3, -1.2, 0.7], dtype=torch.float64), 0)
    return ("All are 0: a measurement with too small a step, of which rounding leaves nothing. Take one near 0.001." if torch.as_tensor(other).abs().max() > 1e-3 else
            "All are 0, as the sums over all k are: j = k alone is asked for. (A measurement with too small a step gives 0, too.)")

for label in (0, 1):
    variances, given = torch.tensor([3., 4., 3.], dtype=torch.float64) / 16, second_derivatives(quarters, label)
    assert_close(given, variances, f"softmax (1/4, 1/2, 1/4), label {label}", of="values" if label == 0 else "label", rtol=1e-3, atol=1e-4,
                 hint=to_three_digits if torch.allclose(given.double(), variances, rtol=0.1) else drawn_or_not,
                 mistakes={"This is the softmax, the first derivative of log S.": torch.tensor([0.25, 0.5, 0.25]).double(),
                           "This is the square of the softmax.": torch.tensor([1., 4., 1.]).double() / 16,
                           "This is 1 - p, the chance that the class is not drawn; the variance is p times that.": 1 - p_of_three,
                           "This is the standard deviation; the variance is its square.": torch.tensor([3., 4., 3.]).double().sqrt() / 4,
                           "This is -p_j p_k with k = j: the numerator changes, too.": -torch.tensor([1., 4., 1.]).double() / 16,
                           "All scores together make p: use the softmax, not each score alone.": torch.tensor([0.25, 2 / 9, 0.25]).double(),
                           "Each score is taken twice, not once with the label's score.": p_of_three[label] * (torch.eye(3).double()[label] - p_of_three),
                       "This is p(1 - p) with softmax minus one-hot in place of the softmax.":
                           (p_of_three - torch.eye(3).double()[label]) * (1 - p_of_three + torch.eye(3).double()[label]),
                       "This is the square of the gradient.": (torch.tensor([0.25, 0.5, 0.25]).double() - torch.eye(3).double()[label]) ** 2,
                           "This is the same for all classes: each has a p of its own.": torch.full((3,), 3 / 16 if label == 0 else 1 / 4).double(),
                           "The label's part of the gradient is constant: its derivative is 0.": torch.tensor([3., 4., 3.]).double() / 16 - torch.eye(3).double()[label],
                           all_zero(given): torch.zeros(3).double(),
                           "The second difference is divided by h squared, not by h.": torch.tensor([3., 4., 3.]).double() / 16e3,
                           "This is the gradient.": torch.tensor([0.25, 0.5, 0.25]).double() - torch.eye(3).double()[label]})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(111)
for q in (2, 5):
    o_ = torch.randn(q, generator=rng, dtype=torch.float64)
    for label in (0, q - 1):
        H = torch.autograd.functional.hessian(lambda o: F.cross_entropy(o[None], torch.tensor([label])), o_)
        assert_shape(second_derivatives(o_, label), (q,), f"the shape for {q} classes", of="shape")
        assert_close(second_derivatives(o_, label), H.diagonal(), f"{q} classes, label {label}", of="label" if label else "values", rtol=2e-3, atol=1e-4, hint=drawn_or_not + " Draws are not exact enough.")
### END HIDDEN TESTS

# %% [markdown] task="4.1.1b" kind="code" minutes=12 difficulty=4 needs="second derivative of cross-entropy, variance of a draw from the softmax"
# ### Along any line
#
# Now walk from the scores $\mathbf o$ in any direction $\mathbf v$, all scores at once: $f(t) = \ell(\mathbf o + t \mathbf v)$. Its second derivative at t = 0 is $\sum_j \sum_k v_j v_k \, \partial^2 \ell / \partial o_j \partial o_k$. Put in
# what you know of both kinds of second derivatives. It turns out to be the variance of $v_K$ for a class K drawn from the softmax of $\mathbf o$.
#
# Write `bend(o, v)`: for `o` and `v` of shape (q,), `float64`, it returns $f''(0)$.
#
# **You are done when**
# - **one number**: the result is a number, or a tensor of one entry without axes;
# - **value**: it is right to three digits, for a direction `v` of any length and with any mean.

# %% exercise="4.1.1b"
def bend(o, v):
    """The second derivative of the cross-entropy along v, the variance of v under the softmax of o: (q,), (q,) -> ()."""
    ### BEGIN SOLUTION
    p = torch.softmax(o, dim=0)
    return (p * v ** 2).sum() - (p * v).sum() ** 2
    ### END SOLUTION

# %% [markdown] hints="4.1.1b"
# 1. Which terms of the double sum have j = k, and what are they?
# 2. They give $\sum_j p_j (1 - p_j) v_j^2$; the others give $-\sum_{j \ne k} p_j p_k v_j v_k$. Together: $\sum_j p_j v_j^2 - \bigl(\sum_j p_j v_j\bigr)^2$.
# 3. The variance of a die that shows 1, 1, 1, 1, 1 or 7: the mean is 2, the mean square is 9, so the variance is 9 - 4 = 5.

# %% check="4.1.1b" points=2
quartered = torch.log(torch.tensor([1., 2., 1.], dtype=torch.float64))
steps = torch.tensor([1., -1., 6.], dtype=torch.float64)
both_weighted = "The mean of the squares and the square of the mean are both weighted by the softmax of `o` itself."
moved = torch.softmax(quartered + steps, 0)
exchanged = torch.softmax(steps, 0)
assert_equal(tuple(getattr(bend(quartered, steps), "shape", ())), (), "the shape of the result", of="one number", hint="A single number, without axes.")
bent = bend(quartered, steps)
assert_type(bent, (int, float, torch.Tensor), "the result", of="one number")
of_one, raised = float(bend(quartered, torch.tensor([1., 0., 0.], dtype=torch.float64))), float(bend(quartered, 1 + steps))
doubled = float(bend(quartered, 2 * steps))
if abs(of_one - 3 / 16) > 1e-3:
    both_weighted += f" Where v is (1, 0, 0), that is 1/4 - 1/4² = 3/16, p(1 - p); yours is {of_one:.4g}."
elif abs(doubled - 4 * float(bent)) > 1e-2:
    both_weighted += (f" For v = (1, 0, 0) yours is right. With v twice as long, (2, -2, 12), it is {doubled:.4g}; "
                      "it has to be four times that of (1, -1, 6).")
elif abs(raised - float(bent)) > 1e-2:
    both_weighted += (f" For v = (1, 0, 0) yours is right. With 1 added to all entries of v it changes by {raised - float(bent):.4g}, "
                      "and a variance does not: the terms with j ≠ k are not right.")
assert_close(bent, 8.1875, "softmax (1/4, 1/2, 1/4), v = (1, -1, 6)", of="value", rtol=1e-3,
             hint="This is near, and three digits are asked for: draws are not exact enough." if abs(float(bent) - 8.1875) < 0.1 else both_weighted,
             mistakes={"The line starts at `o`: the probabilities are the softmax of `o`, not of `o + v`.": (moved @ steps ** 2 - (moved @ steps) ** 2).item(),
                       "Here `o` and `v` are exchanged: the class is drawn from the softmax of `o`, and `v` holds the numbers on the classes.": (exchanged @ quartered ** 2 - (exchanged @ quartered) ** 2).item(),
                       "The class is drawn from the softmax of `o`, not of `v`.": (exchanged @ steps ** 2 - (exchanged @ steps) ** 2).item(),
                       "Each square counts with its probability; v itself is not multiplied by it, and nothing is divided by q - 1.": 49 / 48,
                       "This is E[v²]; the square of E[v] is missing.": 9.75, "Each class counts with its probability, not equally.": 26 / 3,
                       "Each class counts with its probability, not equally. ": 13.0,
                       "The mean that is subtracted has to be weighted by the probabilities, too.": 8.75,
                       "The mean whose square is subtracted has to be weighted by the probabilities, too.": 5.75,
                       "The mean of v has to be squared before it is subtracted.": 8.5, "The square of the mean is subtracted, not added.": 11.3125,
                       "Each pair j ≠ k stands in the double sum twice.": 7.6875, "The deviations are squared, not made positive.": 2.375,
                       "This is the mean of v, the first derivative of the log-sum-exp along v; the second one, the variance, is "
                       "asked for.": 1.25, "The terms with j ≠ k are missing.": 7.1875,
                       "The distribution is known: nothing is divided by q - 1.": 8.1875 * 1.5,
                       "This is the standard deviation.": 8.1875 ** 0.5, "v need not have length 1.": 8.1875 / 38, "The probabilities are not squared.": 1.0,
                       "Each square counts with its probability; v itself is not multiplied by it.": 49 / 72,
                       "The entries of v keep their signs in the mean.": 4.6875,
                       **{f"This is {h:g} times the right value: a second difference is divided by h squared, not by h.":
                          8.1875 * h for h in (1e-2, 1e-3, 1e-4)}})
assert_close(bend(quartered, 1000 * steps), 8187500.0, "v = (1000, -1000, 6000)", of="value", rtol=1e-3,
             hint="A measurement needs a step that fits the length of v: a fixed one leads far away from t = 0.")
assert_close(bend(quartered, 1000.1 + steps), 8.1875, "v = (1001.1, 999.1, 1006.1)", of="value", rtol=1e-3,
             hint="A number that is added to all entries does not change a variance; `float32`, or too small a step, loses "
                  "the digits that count.")
assert_close(bend(quartered, torch.tensor([5., 5., 5.], dtype=torch.float64)), 0.0, "v = (5, 5, 5), which shifts all scores alike", of="value", atol=1e-4, hint=both_weighted)
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(112)
for q in (2, 4, 6):
    o_, v_ = torch.randn(q, generator=rng, dtype=torch.float64), 1 + 2 * torch.randn(q, generator=rng, dtype=torch.float64)
    H = torch.autograd.functional.hessian(lambda o: torch.logsumexp(o, 0), o_)
    assert_equal(tuple(getattr(bend(o_, v_), "shape", ())), (), f"the shape of the result for {q} classes", of="one number", hint="A single number, without axes.")
    assert_close(bend(o_, v_), (v_ @ H @ v_).item(), f"{q} classes", of="value", rtol=2e-3, hint=both_weighted)
    assert_close(bend(o_, 500 * v_), 250_000 * (v_ @ H @ v_).item(), f"{q} classes, a long v", of="value", rtol=2e-3,
                 hint="A measurement needs a step that fits the length of v.")
    assert_close(bend(o_, 3 * v_ - 1000.3), 9 * (v_ @ H @ v_).item(), f"{q} classes, a v with a large negative mean",
                 of="value", rtol=2e-3,
                 hint="A number that is added to all entries does not change a variance; `float32`, or too small a step, loses "
                      "the digits that count.")
### END HIDDEN TESTS

# %% [markdown] teaches="surprisal, entropy, code length, prefix code"
# ## 8. Surprise, measured in bits
#
# Why is the loss called cross-*entropy*? It comes from the theory of messages. Start with a question: how surprising is it to hear that a thing has happened which had the probability p?
#
# - What was certain (p = 1) is no surprise: 0.
# - The rarer, the more surprising.
# - Two independent things that happen together have the probability $p_1 p_2$, and their surprises should *add up*.
#
# Only the logarithm turns products into sums, so the surprise is $-\log p$, up to a factor. It is called the *surprisal*. With the logarithm to base 2 it is counted in *bits*: a coin that shows heads, 1 bit; ten heads in a row, 10 bits.
# (With the natural logarithm the unit is the *nat*; a nat is 1/log 2 ≈ 1.443 bits. Our loss is counted in nats.)
#
# Now send messages. A weather station reports one of four kinds of weather, with zeros and ones:
#
# | weather | probability | surprisal in bits | code word |
# |---|---|---|---|
# | sun | 1/2 | 1 | 0 |
# | cloud | 1/4 | 2 | 10 |
# | rain | 1/8 | 3 | 110 |
# | snow | 1/8 | 3 | 111 |
#
# Frequent weather has a short word. No word is the beginning of another one, so the words can be sent without gaps: 010110 can only be sun, cloud, rain. Such a code is a *prefix code*.

# %% tags=["demo"]
figure, ax = plt.subplots(figsize=(7, 1.9), layout="constrained")
left = 0.0
for word, name, width in (("0", "sun", 0.5), ("10", "cloud", 0.25), ("110", "rain", 0.125), ("111", "snow", 0.125)):
    ax.barh(0, width, left=left, height=0.6, color=f"C{len(word)}", edgecolor="black", alpha=0.5)
    ax.text(left + width / 2, 0, f"{name}\n{word}", ha="center", va="center")
    left += width
ax.set(xlim=(0, 1), xlabel="share of the space of all words", yticks=[], xticks=[0, 0.5, 0.75, 0.875, 1])
plt.show()

# %% [markdown]
# A word of length L takes up the share $2^{-L}$ of the space: all longer words that begin with it are spoilt. A short word is expensive. The code above spends on each kind of weather exactly its probability, so the length of a word is the surprisal. The average length is
# the *entropy* of the distribution, the expected surprisal:
#
# $$H(p) = \sum_k p_k \cdot (-\log_2 p_k) \quad\text{bits.}$$
#
# A class with probability 0 never occurs and counts 0. No code of this kind is shorter on average than the entropy; this is a theorem of Shannon's from 1948.

# %% teaches="entropy, code length, cross-entropy as code length"
weather = torch.tensor([0.5, 0.25, 0.125, 0.125])
lengths = torch.tensor([1.0, 2.0, 3.0, 3.0])
print("surprisals in bits:       ", -torch.log2(weather))
print("average length, our code: ", (weather * lengths).sum().item())
print("entropy in bits:          ", -(weather * torch.log2(weather)).sum().item())
print("four words of two bits:   ", (weather * 2).sum().item())
desert = torch.tensor([0.97, 0.01, 0.01, 0.01])
print("entropy in the desert:    ", -(desert * torch.log2(desert)).sum().item())
print("our code in the desert:   ", (desert * lengths).sum().item())
print("0 · log 0 for a computer: ", (torch.tensor(0.0) * torch.log2(torch.tensor(0.0))).item())

# %% [markdown]
# Now the name. In the desert the world has the distribution p, but our code was made for another one, q: its words have the lengths $-\log_2 q_k$. The average length is then $-\sum_k p_k \log_2 q_k$, the *cross-entropy* of p and q: 1.05
# bits against the 0.24 that would do. It is never less than the entropy, and equal only if q = p.
#
# That is our loss. The world is the one-hot label, the code is the model's prediction, and the loss is the length of the message that tells somebody who has the model what the label is. A good classifier is a good compressor.

# %% [markdown] task="4.1.F" kind="code" minutes=4 difficulty=2 core=true needs="entropy, surprisal"
# ### Expected surprise
#
# Write `entropy_bits(p)`: the entropy in bits of a tensor `p` of probabilities, shape (q,).
#
# **You are done when**
# - **value**: the weather above has 1.75 bits, and four equally probable classes have 2;
# - **zeros**: a class with probability 0 counts 0: a sure thing has the entropy 0, not nan;
# - **one number**: the result is a number, or a tensor of one entry without axes.

# %% exercise="4.1.F"
def entropy_bits(p):
    """The expected surprisal in bits: (q,) -> ()."""
    ### BEGIN SOLUTION
    possible = p[p > 0]
    return -(possible * torch.log2(possible)).sum()
    ### END SOLUTION

# %% [markdown] hints="4.1.F"
# 1. The formula needs a logarithm of each probability. Of which one is there none?
# 2. `p[p > 0]` keeps the entries that are positive.
# 3. The mean of the logarithms of the positive numbers in t: `torch.log(t[t > 0]).mean()`.

# %% check="4.1.F" points=1
each_class = "Each class adds its probability times its surprisal in bits; nothing is added to a probability, nothing cut off or rounded."
assert_equal(tuple(getattr(entropy_bits(torch.tensor([0.5, 0.25, 0.125, 0.125])), "shape", ())), (), "the shape of the result for four classes", of="one number", hint="A single number, without axes.")
of_weather = entropy_bits(torch.tensor([0.5, 0.25, 0.125, 0.125]))
assert_type(of_weather, (int, float, torch.Tensor), "the result for four classes", of="one number")
of_sure = float(entropy_bits(torch.tensor([1.0])))
assert_close(of_weather, 1.75, "the weather", of="value", rtol=1e-4,
             mistakes={"This is in nats: use the logarithm to base 2.": 1.75 * math.log(2), "The minus sign is missing.": -1.75,
                       "The classes are not equally probable.": 2.0, "Each surprisal counts with its probability.": 2.25, "Each surprisal counts with its probability. ": 9.0,
                       "This is in decimal digits: use the logarithm to base 2.": 1.75 * math.log10(2), "This is 2 to the power of the entropy.": 2 ** 1.75,
                       "From nats to bits one divides by log 2; here it is multiplied.": 1.75 * math.log(2) ** 2,
                       "The terms are added up: their sum is the mean already.": 1.75 / 4,
                       "This is the surprisal of a single class.": 1.0,
                       "The logarithms are averaged; this is the logarithm of the average probability.": -math.log2(0.34375)},
             hint=f"This is near. For a sure thing, p = (1,), yours is {of_sure:.4g} and not 0: nothing is added to a "
                  f"probability." if abs(float(of_weather) - 1.75) < 0.04 and abs(of_sure) > 1e-5 else
             "This is near. For a sure thing yours is 0, as it should be: nothing is cut off and nothing rounded." if abs(float(of_weather) - 1.75) < 0.04 else
             each_class + " Here: 1/2 · 1 + 1/4 · 2 + 1/8 · 3 + 1/8 · 3 = 1.75.")
assert_close(entropy_bits(torch.full((4,), 0.25)), 2.0, "four equally probable classes", of="value", rtol=1e-4, hint=each_class)
assert_close(entropy_bits(torch.tensor([0.97, 0.01, 0.01, 0.01])), 0.2419407, "the desert: 0.97, 0.01, 0.01, 0.01", of="value", rtol=1e-4,
             mistakes={"Rare classes count, too.": -0.97 * math.log2(0.97), "A surprisal need not be a whole number of bits: none is rounded up.": 0.97 * 1 + 0.03 * 7,
                       "A surprisal need not be a whole number of bits: none is rounded.": 0.03 * 7, "A surprisal need not be a whole number of bits: none is rounded down.": 0.03 * 6}, hint=each_class)
with_zero = entropy_bits(torch.tensor([0., 0.5, 0.5]))
assert_close(with_zero, 1.0, "the probabilities 0, 1/2, 1/2", of="zeros", rtol=1e-4,
             hint="0 · log 0 is nan for a computer; a class with probability 0 counts 0." if math.isnan(float(with_zero)) else
             "A class with probability 0 counts 0, and nothing stands in for its 0.",
             mistakes={"Yours is 0 in all. Only the class with probability 0 counts 0; the other two count as before.": 0.0})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(142)
for q in (3, 8):
    r = torch.softmax(torch.randn(q, generator=rng, dtype=torch.float64), 0)
    assert_close(entropy_bits(r), (-torch.xlogy(r, r).sum() / math.log(2)).item(), f"{q} classes", of="value", hint=each_class)
    assert_equal(tuple(getattr(entropy_bits(r), "shape", ())), (), f"the shape of the result for {q} classes", of="one number", hint="A single number, without axes.")
rare = torch.tensor([0.99, 0.006, 0.003, 0.0009, 0.0001], dtype=torch.float64)
assert_close(entropy_bits(rare), (-torch.xlogy(rare, rare).sum() / math.log(2)).item(), "a distribution with rare classes", of="value", hint=each_class)
sure = entropy_bits(torch.tensor([0., 1., 0., 0.]))
assert_close(sure, 0.0, "a sure thing", of="zeros", atol=1e-6,
             hint="0 · log 0 is nan for a computer; such a class counts 0." if math.isnan(float(sure)) else
             "Three classes with probability 0 count 0, and the sure one has the surprisal 0.")
### END HIDDEN TESTS

# %% [markdown] task="4.1.2a" kind="answer" minutes=6 difficulty=2 needs="prefix code, code length, entropy"
# ### Three of a kind
#
# Three classes, "a", "b" and "c", are equally probable: 1/3 each. Their surprisal is $\log_2 3 \approx 1.585$ bits, and no word has 1.585 letters.
#
# Set `code3`, a dictionary from each of the three classes to its word, a string of "0" and "1": a prefix code that is as short as possible on average. Set `waste`: by how many bits for each class is its average length longer than the
# entropy? A number, to three decimals.
#
# **You are done when**
# - **words**: the keys are "a", "b", "c", and each word is a string of zeros and ones, at least one;
# - **prefix-free**: no word is the beginning of another one, and no two are equal;
# - **shortest**: no prefix code for three equally probable classes is shorter on average;
# - **waste**: it is the average length of the shortest code minus the entropy.

# %% exercise="4.1.2a"
### BEGIN SOLUTION
code3 = {"a": "0", "b": "10", "c": "11"}
waste = 5 / 3 - math.log2(3)
### END SOLUTION

# %% [markdown] hints="4.1.2a"
# 1. What would the picture of the shares look like? Which shares can a word have: 1/2, 1/4, 1/8, ...?
# 2. The shares may add up to 1 at most. Three words of length 2 leave a quarter unused.
# 3. Five equally probable classes: three words of two bits and two of three bits, 2.4 bits on average, against an entropy of 2.32.

# %% check="4.1.2a" points=2
try:
    given = code3
except NameError:
    given = waste
lengths_that_fit = [(i, j, k) for i in range(1, 4) for j in range(1, 4) for k in range(1, 4) if 2.0 ** -i + 2.0 ** -j + 2.0 ** -k <= 1]
average = min(sum(chosen) for chosen in lengths_that_fit) / 3
in_bits = "The average length of the shortest code minus the entropy, both in bits for one class, to three decimals."
with part(0.5, "the code"):
    assert_type(code3, dict, "code3", of="words")
    assert_equal(set(code3), {"a", "b", "c"}, "the keys of code3", of="words", hint='They are "a", "b" and "c"; the words are the values.')
    words = [code3[key] for key in "abc"]
    assert_true(all(isinstance(word, str) and word != "" and set(word) <= {"0", "1"} for word in words),
                "the words of code3 are strings of zeros and ones, at least one each", of="words")
    for first, second in ("ab", "ac", "ba", "bc", "ca", "cb"):
        assert_true(not code3[second].startswith(code3[first]), f"the word of {first!r} is not the beginning of that of {second!r}", of="prefix-free")
    assert_true(sum(map(len, words)) < 6, "the three words have fewer than 6 letters together", of="shortest",
                hint=f"The words take up {sum(2.0 ** -len(word) for word in words):g} of the space: a part is unused, and a "
                     f"word can be shorter.")
with part(0.5, "the waste"):
    assert_type(waste, (int, float, torch.Tensor), "waste", of="waste")
    assert_close(waste, average - math.log2(3), "waste", of="waste", rtol=0, atol=6e-4, hint=in_bits,
                 mistakes={"This is the average length; the entropy has to be subtracted.": average,
                           "This is the whole length of the three words minus the entropy.": 3 * average - math.log2(3), "This is three times the waste for one class.": 3 * (average - math.log2(3)),
                           "The entropy is to be in bits, as the lengths are.": average - math.log(3), "This is the waste of words of two bits on average; there is a shorter code.": 2 - math.log2(3),
                           "All three classes are equally probable: each word counts a third.": 1.5 - math.log2(3),
                           "No prefix code is shorter than the entropy: these words cannot be one.": 4 / 3 - math.log2(3),
                           "It is the length minus the entropy, not the other way round.": math.log2(3) - average, "The difference is asked for, not the ratio.": average / math.log2(3),
                           "The difference itself is asked for, in bits, not as a share of the entropy.": average / math.log2(3) - 1, "The difference itself is asked for, in bits, not as a share of the length.": 1 - math.log2(3) / average,
                           "The entropy of three equally probable classes is log2(3); 1.5 bits is that of the shares 1/2, 1/4 and 1/4.": average - 1.5,
                           "log2(3) is 1.585 to three decimals: 1.6 is not exact enough.": average - 1.6, "log2(3) is 1.585 to three decimals: 1.58 is not exact enough.": average - 1.58})
### BEGIN HIDDEN TESTS
with part(0.5, "the code, again"):
    assert_type(code3, dict, "code3, again", of="words")
    assert_equal(set(code3), {"a", "b", "c"}, "the keys of code3, again", of="words", hint='They are "a", "b" and "c".')
    for key in "abc":
        assert_type(code3[key], str, f"the word of {key!r}", of="words")
    assert_equal(len({code3[key] for key in "abc"}), 3, "the number of different words", of="words")
    assert_true(sum(2.0 ** -len(code3[key]) for key in "abc") <= 1, "the shares of the three words add up to 1 at most", of="prefix-free")
    assert_equal(sorted(len(code3[key]) for key in "abc"), [1, 2, 2], "the lengths of the three words", of="shortest", hint="A part of the space is unused.")
with part(0.5, "the waste of the shortest code"):
    assert_close(waste, 5 / 3 - math.log2(3), "waste", of="waste", rtol=0, atol=6e-4, hint=in_bits)
total()
### END HIDDEN TESTS

# %% [markdown] task="4.1.2b" kind="code" minutes=8 difficulty=3 needs="code length, entropy"
# ### Several at once
#
# The waste shrinks if several observations share a word. There are $3^n$ sequences of n observations. Number them and send the number with as many bits as the
# largest number needs: words of equal length.
#
# Write `bits_per_observation(n)`: the length of these words divided by n, for any n from 1 to 1,000. Set `short_block`: the smallest n for which this is less than 1.59 bits.
#
# **You are done when**
# - **value**: two observations need 4 bits, 2 for each; five need 8, which is 1.6 for each;
# - **short block**: it is the smallest n below 1.59, a whole number.

# %% exercise="4.1.2b"
### BEGIN SOLUTION
def bits_per_observation(n):
    """Bits for each of n observations of three classes that are sent together, in words of equal length."""
    return math.ceil(n * math.log2(3)) / n


short_block = min(together for together in range(1, 100) if bits_per_observation(together) < 1.59)
### END SOLUTION

# %% [markdown] hints="4.1.2b"
# 1. How many different words of L bits are there, and how many are needed?
# 2. L is the smallest whole number with $2^L \ge 3^n$. `math.ceil` rounds up.
# 3. Decimal digits: three dice have 216 results, which need 3 digits, one for each die; $6^9 = 10{,}077{,}696$ needs 8 digits for nine dice, 0.89 for each.

# %% check="4.1.2b" points=2
try:
    given = bits_per_observation
except NameError:
    given = short_block
with part(0.5, "the function"):
    for count, bits in ((1, 2), (2, 4), (5, 8), (3, 5), (53, 85), (306, 485)):
        assert_close(bits_per_observation(count), bits / count, f"n = {count}", of="value",
                     mistakes={"This is the length of the whole word; divide by n.": float(bits), "The number of bits of a word is a whole number: round up.": math.log2(3),
                               **({"There are 3 ** n sequences of n observations, 9 for two: words of 3 bits are 8 only, so round up.": 1.5}
                                  if count == 2 else {}),
                               **({"Round up the length of the whole word, once, not that of each observation.": 2.0} if count == 5 else {}),
                               **({"log2(3) is 1.585 to three decimals, and for a long word more of them count: 1.59 is too large.": math.ceil(1.59 * count) / count,
                                   "3 ** n is too large for the dtype: Python's whole numbers are exact at any size.": math.inf} if count == 306 else {}),
                               **({"2 to this power is less than 3 to the power n.": (bits - 1) / count} if count != 2 else {}), **({"This is one bit more than needed.": (bits + 1) / count} if count < 10 else {})},
                      hint="With L bits there are 2 ** L words: enough for all 3 ** n sequences, and not with one bit less?" + (
                          " Python's whole numbers are exact at any size; tensors, and log2(3) to a few decimals, are not." if count > 50 else ""))
with part(0.5, "the block"):
    assert_type(short_block, int, "short_block", of="short block",
                hint="These are the bits for each observation; n itself is asked for, the number of observations."
                if isinstance(short_block, float) and short_block < 2 else "")
    assert_true(short_block > 5, "short_block is larger than 5, which needs 1.6 bits", of="short block")
    assert_true(2 ** math.floor(1.59 * short_block) >= 3 ** short_block,
                "short_block observations need less than 1.59 bits each", of="short block",
                hint=f"With n = {short_block + 1} it holds: in a list, place 0 belongs to n = 1."
                if 2 ** math.floor(1.59 * (short_block + 1)) >= 3 ** (short_block + 1) else
                "The word has a whole number of bits, divided by n. short_block is n, the number of observations, not of bits.")
    assert_true(short_block < 1000, "short_block is smaller than 1,000", of="short block")
    assert_true(all(2 ** math.floor(1.59 * k) < 3 ** k for k in range(1, short_block)), "no n smaller than short_block needs less than 1.59 bits", of="short block", hint="The smallest such n is asked for.")
### BEGIN HIDDEN TESTS
with part(0.5, "the function for other n"):
    for count in (4, 12, 17, 94, 200, 665, 1000):
        assert_close(bits_per_observation(count), (3 ** count - 1).bit_length() / count, f"n = {count}", of="value",
                     hint="The word has the smallest whole number L of bits for which 2 ** L is at least 3 ** n, whatever n is." + (
                          " Python's whole numbers are exact at any size; a power in a float or a tensor, or log2(3) to a few decimals, is not."
                          if count > 50 else ""))
with part(0.5, "the smallest block"):
    assert_equal(short_block, min(k for k in range(1, 50) if (3 ** k - 1).bit_length() < 1.59 * k), "short_block", of="short block", hint="The smallest n with less than 1.59 bits.")
total()
### END HIDDEN TESTS

# %% [markdown] task="4.1.3a" kind="code" minutes=6 difficulty=2 needs="code length"
# ### More than two levels
#
# A wire need not know two voltages only. PAM-3, which fast network cables in cars use, has three: minus, zero, plus. Each step in time carries one of three levels, a *ternary* digit.
#
# Write `digits_needed(values, levels)`: how many digits with `levels` different levels are needed to send one of `values` different values? Both are at least 2. It returns a whole number. Try it for the eight values 0 to 7 and three levels.
#
# **You are done when**
# - **count**: there are enough digits for all values, and not one more than needed;
# - **exact powers**: 9 values need two ternary digits and 125 values three digits with five levels, exactly;
# - **whole number**: the result is an `int`.

# %% exercise="4.1.3a"
def digits_needed(values, levels):
    """The smallest number of digits with `levels` levels that tells `values` values apart."""
    ### BEGIN SOLUTION
    digits, reach = 0, 1
    while reach < values:
        digits, reach = digits + 1, reach * levels
    return digits
    ### END SOLUTION

# %% [markdown] hints="4.1.3a"
# 1. How many values can one digit tell apart, how many two?
# 2. n digits tell $levels^n$ values apart. Multiply until it is enough. Look at `math.log(125, 5)` before you trust a logarithm with an exact power.
# 3. Decimal: 1,000 values (0 to 999) need 3 digits, 1,001 values need 4.

# %% check="4.1.3a" points=2
assert_type(digits_needed(8, 3), int, "the result for 8 values, 3 levels", of="whole number")
powers_of_levels = "n digits tell levels ** n values apart: which is the smallest n that is enough?"

def told_apart(n, values, levels):
    """How many values this number of digits tells apart, or one digit less."""
    if not isinstance(n, int) or not 0 < n < 60:
        return powers_of_levels
    if levels ** n < values:
        return f"{n} digits with {levels} levels tell only {levels ** n} values apart, not {values}." + (
            " Yours is the same with 2 and with 10 levels."
            if values > 10 and digits_needed(values, 2) == digits_needed(values, 10) else "")
    return f"One digit less is enough: {n - 1} digits with {levels} levels tell {levels ** (n - 1)} values apart."

needed = digits_needed(82, 3)
one_too_few = "" if needed != 4 or digits_needed(244, 3) != 5 else (
    " Nor are five enough for 244. In yours what is left over above a power of 3 is rounded away; it needs a digit, too."
    if digits_needed(30, 3) == 3 else
    " Nor are five enough for 244. For 30 yours is right: it is one digit too few where there is one value more than a power "
    "of 3. The values are counted, and the largest of the numbers 0 to 81 is not 82.")
assert_equal(needed, 5, "82 values, 3 levels", of="count", hint=lambda: told_apart(needed, 82, 3),
             mistakes={f"Four digits with three levels have only 81 values.{one_too_few}": 4,
                       "Each further digit multiplies the number of values.": 28, "Each further digit multiplies the number of values. ": 27, "This is the number of digits with two levels.": 7,
                       "One digit with 82 levels tells 3 values apart; `values` is 82 here, and `levels` 3.": 1,
                       "One digit fewer is enough.": 6})
needed = digits_needed(28, 3)
assert_equal(needed, 4, "28 values, 3 levels", of="count", hint=lambda: told_apart(needed, 28, 3),
             mistakes={"Three digits with three levels have only 27 values.": 3})
needed = digits_needed(26, 3)
assert_equal(needed, 3, "26 values, 3 levels", of="count", hint=lambda: told_apart(needed, 26, 3),
             mistakes={"Three digits with three levels have 27 values, and 26 are fewer. Is a number of bits rounded up "
                       "on the way? Round once, at the end.": 4})
for values, levels, wanted in ((8, 3, 2), (7, 2, 3), (10, 3, 3), (2, 7, 1)):
    needed = digits_needed(values, levels)
    assert_equal(needed, wanted, f"{values} values, {levels} levels", of="count", hint=lambda: told_apart(needed, values, levels))
assert_equal(digits_needed(1_000_001, 10), 7, "1,000,001 values, 10 levels", of="count", hint=powers_of_levels,
             mistakes={"Six digits have only 1,000,000 values. For 82 values, one more than 81, yours is right. A logarithm, "
                       "rounded or a little changed, does not tell 1,000,000 from 1,000,001; whole numbers do.": 6})
for values, levels, wanted in ((9, 3, 2), (8, 2, 3), (125, 5, 3), (1000, 10, 3)):
    needed = digits_needed(values, levels)
    assert_equal(needed, wanted, f"{values} values, {levels} levels", of="exact powers",
                 mistakes={"This is an exact power: one digit fewer is enough, for the numbers begin with 0 and end with `values` - 1."
                           if values != 125 else "For 9 and 8 values yours is right, and here one digit fewer is enough. A logarithm is rounded: "
                           "`math.log(125, 5)` is 3.0000000000000004.": wanted + 1},
                 hint=lambda: told_apart(needed, values, levels))
### BEGIN HIDDEN TESTS
assert_type(digits_needed(100, 4), int, "the result for 100 values, 4 levels", of="whole number")
for values, levels, wanted in ((100, 4, 4), (244, 3, 6), (50, 7, 3), (1001, 10, 4), (3, 2, 2)):
    assert_equal(digits_needed(values, levels), wanted, f"{values} values, {levels} levels", of="count", hint=powers_of_levels)
for levels, digits in ((3, 12), (10, 6), (7, 9), (2, 40)):
    assert_equal(digits_needed(levels ** digits + 1, levels), digits + 1, f"{levels ** digits + 1} values, {levels} levels", of="count", hint="One value more than an exact power. Count with whole numbers, to any length: a logarithm is rounded.")
for levels in range(2, 14):
    for digits in (1, 3, 5, 6):
        assert_equal(digits_needed(levels ** digits, levels), digits, f"{levels ** digits} values, {levels} levels", of="exact powers", hint="This is an exact power. Count with whole numbers: a logarithm is rounded.")
### END HIDDEN TESTS

# %% [markdown] task="4.1.3b" kind="explain" minutes=10 difficulty=3 needs="code length, entropy"
# ### Why an engineer might like three levels
#
# If long messages are coded together, as in 4.1.2b, a digit with L levels carries nearly $\log_2 L$ bits. Write `symbols_per_second(bits_per_second, levels)`: how many digits a second the wire must carry then, a number.
#
# Then answer in words:
# 1. What does PAM-3 gain over two levels? Use a number.
# 2. The voltage may swing by 2 volts in all, from -1 to +1. How far are neighbouring levels apart with two and with three levels, and why is that a price to pay?
# 3. A cable with a transformer at its end does not carry a constant voltage: over time, plus and minus have to balance. What is the third level good for?
#
# **You are done when**
# - **value**: a billion bits a second need a billion symbols a second with two levels, and half a billion with four.
#
# The written answer is complete when each part has its reason.

# %% exercise="4.1.3b"
def symbols_per_second(bits_per_second, levels):
    """Symbols a second for a bit rate, if each symbol carries log2(levels) bits."""
    ### BEGIN SOLUTION
    return bits_per_second / math.log2(levels)
    ### END SOLUTION

# %% [markdown] written="4.1.3b" points=3
# ### BEGIN SOLUTION
# 1. A ternary digit carries $\log_2 3 \approx 1.585$ bits, so the same bit rate needs only $1/1.585 \approx 63\ \%$ of the symbols (two digits in place of three for one of eight values, 67 %). The wire switches less often, so it needs less bandwidth; or the
#    same wire carries more bits. High frequencies are what cables damp and radiate most.
# 2. Two levels at -1 and +1 are 2 V apart, three levels at -1, 0, +1 only 1 V. A disturbance of more than half the distance turns one level into its neighbour: 1 V before, 0.5 V now. So the
#    receiver is more easily misled by noise, and is more complex.
# 3. With the level 0 one can rest without a voltage, and there are several words to choose from: 8 values use 8 of 9 pairs, and pairs such as (+, -) and (-, +) are balanced in themselves. So the code can keep the sum near 0.
#
# **Rubric**
# - [1] Fewer symbols for the same bits, with a number: 63 % (or 1.585 bits a symbol, or 2 digits for 3); lost by: "three levels are faster" without a number
# - [1] Distance 1 V in place of 2 V, so noise or disturbance of half that size causes errors; lost by: the distances without a consequence
# - [1] Balance: symmetric levels around 0, or a level without voltage, or spare words that allow plus and minus to cancel; any one of these is enough
# ### END SOLUTION

# %% [markdown] hints="4.1.3b"
# 1. How many bits does a digit with four levels carry?
# 2. Bits a second = symbols a second · bits a symbol.
# 3. Trucks of 8 tons in place of 5 tons: for the same load 5/8 of the trips are enough.

# %% check="4.1.3b" points=1
bits_of_a_digit = "A digit with L levels carries log2(L) bits; the result need not be a whole number."

def carries(symbols, rate, levels):
    """The rule, and how many bits a symbol carries in this answer."""
    symbols = torch.as_tensor(symbols).double().mean().item()
    return bits_of_a_digit + (f" In yours a symbol of {levels} levels carries {rate / symbols:.4g} bits." if symbols > 0 else "")

symbols = symbols_per_second(1e9, 2)
assert_type(symbols, (int, float, torch.Tensor), "a billion bits a second, 2 levels", of="value")
assert_close(symbols, 1e9, "a billion bits a second, 2 levels", of="value", hint=lambda: carries(symbols, 1e9, 2),
             mistakes={"A bit belongs to the logarithm to base 2.": 1e9 / math.log(2), "A bit belongs to the logarithm to base 2, not to base 10.": 1e9 / math.log10(2), "Two levels carry 1 bit a symbol, not 2.": 5e8,
                       "The bits of a symbol are a logarithm of the levels, not their root.": 1e9 / 2 ** 0.5})
symbols = symbols_per_second(1e9, 4)
assert_close(symbols, 5e8, "a billion bits a second, 4 levels", of="value", hint=lambda: carries(symbols, 1e9, 4),
             mistakes={"Four levels carry 2 bits a symbol, not 4.": 2.5e8, "More bits in a symbol mean fewer symbols.": 2e9, "Three voltage steps are not three bits.": 1e9 / 3})
symbols = symbols_per_second(300.0, 8)
assert_close(symbols, 100.0, "300 bits a second, 8 levels", of="value", hint=lambda: carries(symbols, 300.0, 8),
             mistakes={"Eight levels carry 3 bits a symbol, not 4.": 75.0})
symbols = symbols_per_second(100.0, 3)
assert_close(symbols, 63.093, "100 bits a second, 3 levels", of="value", rtol=1e-3, hint=lambda: carries(symbols, 100.0, 3),
             mistakes={"Coded together, symbols carry 1.585 bits, not a whole number.": 50.0, "Coded together, symbols carry 1.585 bits, not only 1.": 100.0,
                       "Three levels carry 1.585 bits, not 1.5.": 100 / 1.5, "Three levels carry 1.585 bits, not 1.6.": 100 / 1.6, "Three levels carry 1.585 bits, not 1.58.": 100 / 1.58, "The result need not be a whole number.": 63.0, "The result need not be a whole number. ": 64.0})
### BEGIN HIDDEN TESTS
for rate, levels in ((750.0, 3), (64.0, 16), (10.0, 5)):
    assert_close(symbols_per_second(rate, levels), rate * math.log(2) / math.log(levels), f"{rate:g} bits a second, {levels} levels", of="value", rtol=1e-4, hint=bits_of_a_digit)
### END HIDDEN TESTS

# %% [markdown] teaches="log-sum-exp, soft maximum"
# ## 9. A maximum with round corners
#
# In part 6 the loss became $\log S - o_c$ with $S = \sum_k e^{o_k}$. The first term is a function of its own, the *log-sum-exp*:
#
# $$g(\mathbf x) = \log \left( e^{x_1} + \dots + e^{x_q} \right) .$$
#
# What does it do? The exponential blows up differences, so the largest term is nearly the whole sum, and the logarithm brings it back: the result is a little more than the largest number. With one of two numbers fixed at 0:

# %% teaches="log-sum-exp, log1p"
for a in (-3.0, -1.0, 0.0, 1.0, 3.0):
    print(f"largest of {a:4} and 0: {max(a, 0.0):.4f}    log-sum-exp: {math.log(math.exp(a) + 1):.4f}")
print("log(1 + 1e-20):  ", math.log(1 + 1e-20))
print("log1p(1e-20):    ", math.log1p(1e-20))

# %% tags=["demo"]
a = torch.linspace(-4, 4, 321)
figure, ax = plt.subplots(figsize=(5, 2.9), layout="constrained")
ax.plot(a, a.clamp(min=0), color="black", linewidth=1, label="maximum of a and 0")
for lam, style in ((4.0, ":"), (2.0, "--"), (1.0, "-")):
    ax.plot(a, torch.log(torch.exp(lam * a) + 1) / lam, style, label=f"soft maximum, λ = {lam:g}")
ax.set(xlabel="a")
ax.legend(loc="upper left")
ax.grid(alpha=0.3)
plt.show()

# %% [markdown]
# It is a maximum whose corner has been rounded off: a *soft maximum*. That is where the softmax has its name from, though the softmax is rather a soft *argmax*: it says where the largest number is. The two belong together: by step 2 of part 6 the softmax is the gradient of
# the log-sum-exp.
#
# With a factor λ > 0, $\frac1\lambda \log \sum_k e^{\lambda x_k}$, the corner gets sharper; λ is the inverse of a temperature.
#
# (`math.log1p(x)` is log(1 + x) for tiny x, where 1 + x is rounded to 1. `torch.log1p` does the same for tensors.)

# %% [markdown] task="4.1.5a" kind="code" minutes=8 difficulty=3 needs="log-sum-exp, log1p"
# ### How much softer
#
# Let RealSoftMax(a, b) = log(eᵃ + eᵇ). Write `soft_gap(a, b)`: for two numbers it returns RealSoftMax(a, b) - max(a, b).
#
# How small can this difference be? Your function has to show it: it must not round a tiny positive difference to 0. Take out the larger of the two first. If it is a, $\log(e^a + e^b) = a + \log(1 + e^{b - a})$.
#
# **You are done when**
# - **value**: it is right for equal and for different numbers;
# - **either order**: `soft_gap(a, b)` equals `soft_gap(b, a)`;
# - **large numbers**: 1000 and 999 are no problem, nor are -1000 and -999;
# - **tiny gaps**: for numbers up to 700 apart the result is positive, and right to six digits.

# %% exercise="4.1.5a"
def soft_gap(a, b):
    """log(exp(a) + exp(b)) - max(a, b), accurate however far a and b are apart."""
    ### BEGIN SOLUTION
    return math.log1p(math.exp(-abs(a - b)))
    ### END SOLUTION

# %% [markdown] hints="4.1.5a"
# 1. After the larger one is taken out and subtracted, what is left? Does it depend on a and b, or only on something between them?
# 2. The exponent is minus the distance, never positive. For the logarithm of 1 + tiny there is a function above.
# 3. 1 + 1e-20 is 1 for a computer, so its logarithm is 0. `math.log1p(1e-20)` is 1e-20.

# %% check="4.1.5a" points=2
taken_out = "With the larger one taken out, what is left is the logarithm of 1 plus e to the power of minus the distance."

def of_a_sum(gap, distance):
    """The rule, and of which sum this is the logarithm."""
    gap = torch.as_tensor(gap).double().mean().item()
    return taken_out + (
        f" Yours is the logarithm of {math.exp(gap):.4g}; that sum is 1 + {math.exp(-distance):.4g}."
        if abs(gap) < 50 else "")

gap = soft_gap(math.log(3), math.log(2))
assert_type(gap, (int, float, torch.Tensor), "the result for a = log 3, b = log 2", of="value")
assert_close(gap, math.log(5 / 3), "a = log 3, b = log 2", of="value", rtol=1e-5, hint=lambda: of_a_sum(gap, math.log(1.5)),
             mistakes={"This is RealSoftMax itself; subtract the maximum.": math.log(5), "This is the distance from the smaller number: the larger one is taken out, and e has minus the distance as its power.": math.log(5 / 2),
                       "`log1p` adds 1 itself: here 1 is added twice.": math.log(8 / 3),
                       "The whole distance counts, not half of it.": math.log1p((2 / 3) ** 0.5), "The soft maximum lies above the maximum.": -math.log(5 / 3),
                       "For a large x, log(1 + x) is not x.": 2 / 3, "For a large x, log(1 + x) is not a short polynomial in x.": 4 / 9,
                       "The logarithm is the natural one, not that to base 2.": math.log2(5 / 3)})
gap = soft_gap(0.0, 0.0)
assert_close(gap, math.log(2), "a = b = 0", of="value", rtol=1e-5, hint=lambda: of_a_sum(gap, 0.0))
gap = soft_gap(0.5, -1.0)
assert_close(gap, 0.2014133, "a = 0.5, b = -1", of="value", rtol=1e-5, hint=lambda: of_a_sum(gap, 1.5),
             mistakes={"The distance of the two counts, 1.5, not that of their sizes, 0.5.": 0.4740770})
gap = soft_gap(0.0, math.log(3))
assert_close(gap, math.log(4 / 3), "a = 0, b = log 3", of="either order", rtol=1e-5,
             hint="The larger of the two is to be subtracted, whichever it is.",
             mistakes={"This is RealSoftMax less a: the larger number is b here, and that one is subtracted.": math.log(4)})
in_a_sum = "This is near, and few digits are right: 1000 + 0.3 was rounded, and then 1000 subtracted. Take the larger number out and leave it out."
only_distance = "Only the distance of the two may enter exp, with a minus sign."
for a, b in ((1000.0, 999.0), (-1000.0, -999.0)):
    gap = soft_gap(a, b)
    assert_close(gap, math.log1p(math.exp(-1)), f"a = {a:g}, b = {b:g}", of="large numbers", rtol=1e-5,
                 hint=in_a_sum if abs(gap - math.log1p(math.exp(-1))) < 1e-2 else only_distance)
assert_true(float(soft_gap(60.0, 0.0)) > 0, "the gap of 60 and 0 is positive", of="tiny gaps", hint="1 + 1e-26 is rounded to 1, and 60 + 1e-26 to 60: so tiny a gap is lost in any sum with a larger number.")
assert_close(float(soft_gap(60.0, 0.0)) * 1e26, 0.8756510762696521, "1e26 times the gap of 60 and 0", of="tiny gaps", rtol=1e-5, hint="A tiny gap has a value, too, near e to the power of minus the distance: no constant stands for it.")
near_and_far = ("Six digits are asked for: log(1 + x) is not x while x counts.", "1 + x loses the digits of a small x long before it is rounded to 1.")
for distance in (6.0, 28.0, 35.0):
    assert_close(float(soft_gap(distance, 0.0)) * math.exp(distance), math.log1p(math.exp(-distance)) * math.exp(distance),
                 f"e to the power {distance:g}, times the gap of {distance:g} and 0", of="tiny gaps", rtol=1e-6, hint=near_and_far[distance > 20])
assert_close(float(soft_gap(0.0, 120.0)) * 1e52, 0.7667648073722, "1e52 times the gap of 0 and 120", of="tiny gaps", rtol=1e-5,
             hint="float64 holds so small a number, float32 does not; and nothing is cut off.")
### BEGIN HIDDEN TESTS
for a, b in ((1.3, -0.4), (-2.0, -2.5)):
    wanted = torch.logsumexp(torch.tensor([a, b], dtype=torch.float64), 0).item() - max(a, b)
    assert_close(soft_gap(a, b), wanted, f"a = {a}, b = {b}", of="value", rtol=1e-5, hint="Only the distance of the two counts, not their sizes.")
    assert_close(soft_gap(b, a), wanted, f"a = {b}, b = {a}", of="either order", rtol=1e-5, hint="Only the distance of the two counts.")
for a, b in ((5000.0, 5002.0), (-3000.5, -3000.0)):
    assert_close(soft_gap(a, b), math.log1p(math.exp(-abs(a - b))), f"a = {a:g}, b = {b:g}", of="large numbers", rtol=1e-5, hint="Only the distance of the two may enter exp, with a minus sign.")
for distance in (40.0, 300.0, 700.0):
    assert_close(float(soft_gap(1.0, 1.0 + distance)) * math.exp(distance), 1.0, f"e to the power {distance:g}, times the gap of two numbers {distance:g} apart",
                 of="tiny gaps", rtol=1e-6, hint="It is all but e to the power of minus the distance. float64 holds so small a number, float32 ends near e to the -104; and nothing is cut off.")
for distance in (5.5, 9.0, 12.0, 25.0, 31.0, 34.0):
    assert_close(float(soft_gap(-2.0, distance - 2.0)) * math.exp(distance), math.log1p(math.exp(-distance)) * math.exp(distance),
                 f"e to the power {distance:g}, times the gap of two numbers {distance:g} apart", of="tiny gaps", rtol=1e-6, hint=near_and_far[distance > 20])
### END HIDDEN TESTS

# %% [markdown] teaches="max-shift, shift rule of log-sum-exp"
# ## 10. Large numbers, and the max-shift
#
# The formula of the log-sum-exp is right, and the obvious program for it is not. `float32` ends at about 3.4e38, which is exp(88.7): above that, exp gives inf. And exp(-104) is rounded to 0, whose logarithm is -inf.

# %% teaches="overflow and underflow of exp"
for numbers in ([1.0, 2.0, 3.0], [100.0, 200.0, 300.0], [-200.0, -201.0, -202.0]):
    x = torch.tensor(numbers)
    print(numbers, "plain:", torch.log(torch.exp(x).sum()).item(), " right:", torch.logsumexp(x, dim=0).item())

# %% [markdown]
# The remedy is a rule about shifts. What happens to $g$ if the same number c is added to all entries? $\sum_k e^{x_k + c} = e^c \sum_k e^{x_k}$, and the logarithm of the product is a sum:
#
# $$g(\mathbf x + c) = g(\mathbf x) + c .$$
#
# ⚠ It is easy to mix this up with the softmax, and printed texts do: the *softmax* does not notice a shift, the *log-sum-exp* moves along with it. The softmax is the slope of g, and lifting a curve does not change its slope.

# %%
x = torch.tensor([1.0, 2.0, 3.0])
print("log-sum-exp:          ", torch.logsumexp(x, dim=0).item(), " with 5 added to x:", torch.logsumexp(x + 5, dim=0).item())
print("softmax:", torch.softmax(x, dim=0), " with 5 added to x:", torch.softmax(x + 5, dim=0))

# %% [markdown]
# Use the rule with c = -m, where m is the largest entry: $g(\mathbf x) = m + g(\mathbf x - m)$. In $\mathbf x - m$ the largest entry is 0. Its exponential is 1, so the sum lies between 1 and q: it can neither overflow nor become 0. An entry far
# below m may underflow to 0, but then it is too small to count. This is the *max-shift*.

# %% teaches="max-shift"
for numbers in ([100.0, 200.0, 300.0], [-200.0, -201.0, -202.0]):
    x = torch.tensor(numbers)
    m = x.max()
    print(numbers, "with the max-shift:", (m + torch.log(torch.exp(x - m).sum())).item())
rows = torch.tensor([[1.0, 5.0], [7.0, 2.0], [0.0, 0.0]])
print("the largest of each row:", rows.max(dim=1).values, " as a column:", rows.max(dim=1, keepdim=True).values.shape)

# %% [markdown] task="4.1.6b" kind="code" minutes=4 difficulty=2 core=true needs="shift rule of log-sum-exp"
# ### Shifted and copied
#
# Somebody has computed g(x) and thrown x away. Write `after_shift(g, c, copies)`: the log-sum-exp of the list in which each entry of x has been raised by `c` and then written down `copies` times.
#
# **You are done when**
# - **shift**: with one copy it is right for positive, negative and zero `c`;
# - **copies**: it is right for any whole number of copies from 1 on.

# %% exercise="4.1.6b"
def after_shift(g, c, copies):
    """The log-sum-exp of x + c, each entry written `copies` times, where g is that of x."""
    ### BEGIN SOLUTION
    return g + c + math.log(copies)
    ### END SOLUTION

# %% [markdown] hints="4.1.6b"
# 1. By which factor does the sum $\sum_k e^{x_k}$ grow if every entry is written twice?
# 2. The logarithm of a product is the sum of the logarithms.

# %% check="4.1.6b" points=1
factors = "c multiplies the sum of the exponentials by exp(c), the copies multiply it by their number; each factor adds its logarithm."

def grown_by(after, g, c, copies):
    """The rule, and by which factor the sum has grown in this answer."""
    grown = torch.as_tensor(after).double().mean().item() - g
    return factors + (f" In yours the sum has become {math.exp(grown):.4g} times as large; it has to be exp({c:g}) · {copies} "
                      f"times." if abs(grown) < 50 else "")

after = after_shift(2.0, 5.0, 1)
assert_type(after, (int, float, torch.Tensor), "the result for g = 2, c = 5, one copy", of="shift")
assert_close(after, 7.0, "g = 2, c = 5, one copy", of="shift", rtol=1e-5, hint=lambda: grown_by(after, 2.0, 5.0, 1),
             mistakes={"The softmax does not notice a shift, the log-sum-exp does; with one copy yours does not.": 2.0,
                       "The copies multiply the sum: not their number is added, but its logarithm, which is 0 for one copy.": 8.0, "Nothing is subtracted: all terms have grown.": -3.0,
                       "The sum is multiplied by exp(c), so its logarithm grows by c.": 10.0, "The sum is multiplied by exp(c); exp(c) is not added to it.": math.log(math.exp(2) + math.exp(5)),
                       "The sum is multiplied by exp(c); c is not added to it.": math.log(math.exp(2) + 5),
                       "c is added to the logarithm; its own logarithm is not.": 2 + math.log(5),
                       "The sum is multiplied by the number of copies, not by one more.": 7 + math.log(2),
                       "g is a logarithm already: the sum that is multiplied is exp(g), not g.": 5 + math.log(2), "This is the sum; its logarithm is asked for.": math.exp(7)})
after = after_shift(1.0, -3.0, 1)
assert_close(after, -2.0, "g = 1, c = -3, one copy", of="shift", rtol=1e-5, hint=lambda: grown_by(after, 1.0, -3.0, 1),
             mistakes={"A negative c makes the result smaller.": 4.0, "A negative c counts, too.": 1.0})
after = after_shift(0.5, 0.0, 1)
assert_close(after, 0.5, "g = 0.5, c = 0, one copy", of="shift", rtol=1e-5, hint=lambda: grown_by(after, 0.5, 0.0, 1))
after = after_shift(0.5, 2.0, 3)
assert_close(after, 2.5 + math.log(3), "g = 0.5, c = 2, three copies", of="copies", rtol=1e-5, hint=lambda: grown_by(after, 0.5, 2.0, 3),
             mistakes={"This is three times g + c. It is the sum that is three times as large, and its logarithm grows by log 3.": 7.5, "The sum is three times as large, so its logarithm grows by log 3. ": 5.5,
                       "The sum is three times as large, so its logarithm grows by log 3.  ": 3.5,
                       "This is 2 more than g + c, 1 for each further copy. The sum is three times as large, so its logarithm "
                       "grows by log 3.": 4.5,
                       "The copies count, too.": 2.5, "Each entry is raised once, however often it is written down; and the copies count by their logarithm.": 6.5, "Each entry is raised once, however often it is written down.": 6.5 + math.log(3),
                       "The logarithm is the natural one, not that to base 2.": 2.5 + math.log2(3), "The logarithm is the natural one, not that to base 10.": 2.5 + math.log10(3),
                       "Three copies make the sum three times as large, not four times.": 2.5 + math.log(4), "The logarithm of the number of copies is added once.": 2.5 + 3 * math.log(3),
                       "The logarithm of the number of copies is added; nothing is multiplied by it.": 2.5 * (1 + math.log(3)),
                       "Every copy is raised by c, not only the first.": math.log(math.exp(2.5) + 2 * math.exp(0.5))})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(162)
for q, c, copies in ((4, 2.5, 2), (3, -7.0, 5), (2, 0.3, 60), (5, -1.0, 1000)):
    x = torch.randn(q, generator=rng, dtype=torch.float64)
    g = torch.logsumexp(x, 0).item()
    after = after_shift(g, c, 1)
    assert_close(after, torch.logsumexp(x + c, 0).item(), f"{q} entries, c = {c}", of="shift", rtol=1e-5,
                 hint=lambda: grown_by(after, g, c, 1))
    after = after_shift(g, c, copies)
    assert_close(after, torch.logsumexp((x + c).repeat(copies), 0).item(), f"{q} entries, c = {c}, {copies} copies",
                 of="copies", rtol=1e-5, hint=lambda: grown_by(after, g, c, copies))
### END HIDDEN TESTS

# %% [markdown] task="4.1.6c" kind="answer" minutes=6 difficulty=2 needs="overflow and underflow of exp, shift rule of log-sum-exp"
# ### What the plain program says
#
# Four rows of `float32` numbers: `[0, 200]`, `[-200, -200]`, `[-200, 0]`, `[88, 88, 88]`. What does the plain program `torch.log(torch.exp(x).sum())` print for each, and what is right? Work it out first, then look.
#
# Set two lists of four numbers: `printed`, with `float("inf")` or `float("-inf")` where it is infinite, and `right_values`, to two decimals.
#
# **You are done when**
# - **printed**: it holds the four results of the plain program in `float32`;
# - **right values**: it holds the four true values of the log-sum-exp.

# %% exercise="4.1.6c"
### BEGIN SOLUTION
printed = [float("inf"), float("-inf"), 0.0, float("inf")]
right_values = [200.0, -200 + math.log(2), 0.0, 88 + math.log(3)]
### END SOLUTION

# %% [markdown] hints="4.1.6c"
# 1. Which of these exponentials are too large, which too small? Is the sum of three finite numbers finite?
# 2. exp(88) is 1.65e38, and `float32` ends at 3.4e38. For the right values, take out the largest number of each row.
# 3. For [500, 500, 500, 500]: the plain program gives inf; right is 500 + log 4 ≈ 501.39.

# %% check="4.1.6c" points=2
exercise_rows = [[0.0, 200.0], [-200.0, -200.0], [-200.0, 0.0], [88.0, 88.0, 88.0]]
try:
    given = printed
except NameError:
    given = right_values
plain = [torch.log(torch.exp(torch.tensor(row)).sum()).item() for row in exercise_rows]
with part(0.5, "what the plain program prints"):
    assert_type(printed, (list, tuple, torch.Tensor), "printed", of="printed")
    assert_equal(len(printed), 4, "the length of printed", of="printed")
    for i, row in enumerate(exercise_rows):
        assert_type(printed[i], (int, float, torch.Tensor), f"printed, row {row}", of="printed")
        assert_true(not math.isnan(printed[i]), f"printed, row {row}: is no nan", of="printed", hint="nan comes from inf - inf, 0 · inf or 0 / 0. None of them stands in the plain program: exp, a sum and a logarithm are all.")
        in_truth = abs(float(printed[i]) - torch.logsumexp(torch.tensor(row), 0).item()) < 0.011
        assert_equal(math.isinf(printed[i]), math.isinf(plain[i]), f"printed, row {row}: is it infinite", of="printed",
                     hint="This is the right value of the row. Each exponential is finite in `float32`: is their sum?" if in_truth and row == [88.0] * 3 else
                     "This is the right value of the row, and the plain program in `float32` does not get there." if in_truth else
                     "In this row the sum of the exponentials is neither 0 nor too large for `float32`." if math.isinf(printed[i]) else
                     "Where all exponentials are rounded to 0, the plain program takes the logarithm of 0, and that is not 0." if printed[i] == 0 and max(row) < 0 else "Run the plain program on this row, as a tensor of dtype `float32`.")
        assert_equal(float(printed[i]) > 0, plain[i] > 0, f"printed, row {row}: is it positive", of="printed",
                     hint="This is the sum of the exponentials; the program prints its logarithm."
                     if float(printed[i]) == math.exp(plain[i]) else "Run the plain program on this row, as a tensor of dtype `float32`.")
        assert_equal(abs(float(printed[i])) < 0.011, abs(plain[i]) < 0.011, f"printed, row {row}: is it 0, to two decimals", of="printed", hint="Run the plain program on this row, as a tensor of dtype `float32`.")
with part(0.5, "the right values"):
    assert_type(right_values, (list, tuple, torch.Tensor), "right_values", of="right values")
    assert_equal(len(right_values), 4, "the length of right_values", of="right values")
    for i, row in enumerate(exercise_rows):
        assert_type(right_values[i], (int, float, torch.Tensor), f"right_values, row {row}", of="right values")
        above = float(right_values[i]) - max(row)
        assert_true(-0.011 <= above <= math.log(len(row)) + 0.011, f"right_values, row {row}: not below its largest entry, nor more than log {len(row)} above", of="right values",
                    hint=f"Take out the largest entry of the row. The logarithm of what is left is added to it, and lies between 0 and log {len(row)}.")
        if len(set(row)) == 1:
            assert_true(above > 0.5, f"right_values, row {row}: clearly above its equal entries", of="right values",
                        hint=("This is one of the equal entries alone. " if abs(above) < 0.011 else "") + "The sum of equal terms is a multiple of one of them.")
        else:
            assert_true(above < 0.011, f"right_values, row {row}: its largest entry, to two decimals", of="right values", hint="Beside exp of the larger number, exp of one that is 200 smaller does not count.")
### BEGIN HIDDEN TESTS
with part(0.5, "what the plain program prints, to two decimals"):
    for i, row in enumerate(exercise_rows):
        assert_close(float(printed[i]), plain[i], f"printed, row {row}", of="printed", rtol=0, atol=0.011, hint="Run the plain program on this row, as a tensor of dtype `float32`.")
with part(0.5, "the right values, to two decimals"):
    for i, row in enumerate(exercise_rows):
        assert_close(float(right_values[i]), torch.logsumexp(torch.tensor(row, dtype=torch.float64), 0).item(), f"right_values, row {row}", of="right values", rtol=0, atol=0.006,
                     hint="The sum is its largest term times a number; its logarithm, rounded to two decimals, is added to the largest entry.")
total()
### END HIDDEN TESTS

# %% [markdown] task="4.1.6d" kind="code" minutes=8 difficulty=3 core=true needs="log-sum-exp, max-shift, keepdim"
# ### Log-sum-exp of every row
#
# Write `log_sum_exp(X)`: for a tensor `X` of shape (n, q) it returns the log-sum-exp of each row, for numbers of any size.
#
# An entry may be minus infinity, for a class that is ruled out; it counts nothing. Each row has a finite entry.
#
# **You are done when**
# - **shape**: the result has shape (n,), and the dtype of `X`;
# - **values**: rows of small numbers are right, to the precision of their dtype;
# - **huge and tiny**: rows of numbers in the thousands, positive or negative, are right, even next to each other in one batch;
# - **minus infinity**: an entry of minus infinity is left out of the sum;
# - **arguments kept**: `X` is as it was.

# %% exercise="4.1.6d"
def log_sum_exp(X):
    """log of the sum of the exponentials of each row, for numbers of any size: (n, q) -> (n,)."""
    ### BEGIN SOLUTION
    m = X.max(dim=1, keepdim=True).values
    return m[:, 0] + torch.log(torch.exp(X - m).sum(dim=1))
    ### END SOLUTION

# %% [markdown] hints="4.1.6d"
# 1. Of what must m be the largest entry: of the batch, of a column, of a row?
# 2. As a column (n, 1), m can be subtracted from X. The sums of the rows have shape (n,), so m must become (n,) before it is added back: (n, 1) + (n,) would broadcast to (n, n).
# 3. The range of each column of a table: `T.max(dim=0).values - T.min(dim=0).values`.

# %% check="4.1.6d" points=2
mixed = torch.tensor([[0., 0., 0.], [1000., 1000., 0.], [-2000., -2000., -2000.], [5., -5., 0.]])
got_shape = tuple(getattr(log_sum_exp(mixed), "shape", ()))
assert_shape(log_sum_exp(mixed), (4,), "the shape for 4 rows of 3 numbers", of="shape",
             hint={(4, 4): "(n, 1) + (n,) broadcasts to (n, n).", (4, 1): "This is a column; a tensor with one axis is asked for.", (3,): "This is one for each column, not for each row.", (): "This is one for the whole table; each row has its own."}.get(got_shape, ""))
assert_shape(log_sum_exp(mixed[:1]), (1,), "the shape for a single row", of="shape",
             hint="A single row has one result, and its axis stays: `squeeze()` without a number takes this axis away, too.")
assert_dtype(log_sum_exp(mixed), torch.float32, "the dtype for float32", of="shape")
assert_dtype(log_sum_exp(mixed.double()), torch.float64, "the dtype for float64", of="shape")
ordinary = torch.tensor([[0., 0., 0.], [1., 2., 3.]])
of_equal = torch.exp(log_sum_exp(ordinary)[0]).item()
own_largest = "From each row its own largest entry is taken out, and to that row it is added back."
if abs(of_equal - 3) > 1e-3 and abs(log_sum_exp(ordinary[:1])[0].item() - math.log(3)) < 1e-4:
    own_largest = f"Alone the row (0, 0, 0) is right in yours; beside (1, 2, 3) it is not. {own_largest}"
elif abs(of_equal - 3) > 1e-3:
    own_largest = f"For the row (0, 0, 0) the sum of the exponentials is 1 + 1 + 1 = 3; yours is the logarithm of {of_equal:.4g}."
assert_close(log_sum_exp(ordinary), torch.tensor([math.log(3), 3.4076059]), "the rows (0, 0, 0) and (1, 2, 3)", of="values",
             mistakes={"The largest entry has to be added back.": torch.tensor([math.log(3), 0.4076059]), "This is the largest entry of each row.": torch.tensor([0., 3.]), "The sum holds the largest entry already, as exp(0) = 1: `log1p` adds this 1 a second time.": torch.tensor([math.log(4), 3 + math.log(2 + math.exp(-1) + math.exp(-2))]),
                       "The exponentials are summed, without a mean.": torch.tensor([0., 3.4076059 - math.log(3)]),
                       "The row (1, 2, 3) is right. In (0, 0, 0) the largest entry stands three times, and each time it counts.":
                       torch.tensor([0., 3.4076059])},
             hint=own_largest)
assert_close(log_sum_exp(ordinary.double() / 7), torch.logsumexp(ordinary.double() / 7, 1), "the rows (0, 0, 0) and (1/7, 2/7, 3/7) in float64", of="values", rtol=1e-11, atol=1e-11,
             hint="float64 has sixteen digits. Is there a step in float32?")
high, low = log_sum_exp(mixed[1:2]), log_sum_exp(mixed[2:3])
assert_close(high, torch.tensor([1000 + math.log(2)]), "the row (1000, 1000, 0) alone", of="huge and tiny", rtol=1e-6, atol=1e-4,
             hint="No entry is cut off: the largest one, 1000, is taken out before exp, and added back." if high.isfinite().all().item() else
             "exp overflows: subtract the largest entry of the row before exp, all of it. (With the mean subtracted, large numbers stay.)")
assert_close(low, torch.tensor([-2000 + math.log(3)]), "the row (-2000, -2000, -2000) alone", of="huge and tiny", rtol=1e-6, atol=1e-4,
             hint="No entry is cut off: the largest one, -2000, is taken out before exp, and added back." if low.isfinite().all().item() else
             "All exponentials have become 0, and log 0 is -inf: the largest entry of the row, -2000 with its sign, has to be subtracted before exp.")
assert_close(log_sum_exp(mixed[1:3]), torch.tensor([1000 + math.log(2), -2000 + math.log(3)]), "the same two rows in one batch", of="huge and tiny", rtol=1e-6, atol=1e-4,
             hint="Each alone is right. In a batch, too, each row has a largest entry of its own, to be subtracted from that row.")
assert_close(log_sum_exp(torch.tensor([[0., -math.inf, 0.], [1., 2., 3.]])), torch.tensor([math.log(2), 3.4076059]), "the rows (0, -inf, 0) and (1, 2, 3)", of="minus infinity",
             mistakes={"Minus infinity counts nothing, since exp of it is 0; here it counts 1, as a 0 does.": torch.tensor([math.log(3), 3.4076059]),
                       "Minus infinity is left out of its own row only: the other rows keep what they have in this column.": torch.tensor([math.log(2), 3 + math.log1p(math.exp(-2))])},
             hint="exp(-inf) is 0, as it should be; 0 · inf and inf - inf are nan.")
assert_close(log_sum_exp(torch.tensor([[-math.inf, 0., 0.]])), torch.tensor([math.log(2)]), "the row (-inf, 0, 0)",
             of="minus infinity",
             hint="The row (0, -inf, 0) is right in yours. Here the first entry is minus infinity: what is taken out of a row has to "
                  "be finite, its largest entry. -inf - (-inf) is nan.")

@probe
def rows_after_the_call(X):
    log_sum_exp(X)
    return X

for kind in (torch.float32, torch.float64):                # float() makes no copy of the one, double() none of the other
    before = torch.tensor([[3., -1., 2.], [0., -math.inf, 1.]], dtype=kind)
    assert_close(rows_after_the_call(before.clone()), before, f"X after the call, of dtype {str(kind)[6:]}", of="arguments kept",
                 hint="A step of the function writes into its argument: `X -= m`, `X[...] = ...`, or a method that ends in `_`.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(164)
for n, q, size, dtype in ((5, 4, 1.0, torch.float32), (3, 6, 2.0, torch.float64), (1, 2, 1.0, torch.float32)):
    X_ = (size * torch.randn(n, q, generator=rng)).to(dtype)
    assert_shape(log_sum_exp(X_), (n,), f"the shape for {n} rows of {q} numbers", of="shape")
    assert_dtype(log_sum_exp(X_), dtype, f"the dtype for {str(dtype)[6:]}", of="shape")
    digits = 1e-11 if dtype == torch.float64 else 1e-5
    assert_close(log_sum_exp(X_), torch.logsumexp(X_, 1), f"{n} rows of {q} numbers", of="values", rtol=digits, atol=digits, hint="From each row its own largest entry is taken out, and to that row it is added back.")
X_ = torch.randn(6, 5, generator=rng) + torch.tensor([3000., -3000., 0., 95., -110., 800.])[:, None]
assert_close(log_sum_exp(X_), torch.logsumexp(X_, 1), "six rows of very different size", of="huge and tiny", rtol=1e-6, atol=1e-4, hint="Is the largest entry of each row subtracted, from that row, and no entry cut off before?")
X_[1, 0] = X_[1, 3] = X_[4, 2] = -math.inf
assert_close(log_sum_exp(X_), torch.logsumexp(X_, 1), "six rows of very different size, three entries of which are minus infinity", of="minus infinity", rtol=1e-6, atol=1e-4,
             hint="Minus infinity may stand in any column of any row, counts nothing in its own row only, and lies below all other entries, however small they are.")
fresh = 2 * torch.randn(4, 3, generator=rng, dtype=torch.float64)
fresh[2, 1] = -math.inf
assert_close(rows_after_the_call(fresh.clone()), fresh, "X after the call", of="arguments kept", hint="A step of the function writes into its argument.")
### END HIDDEN TESTS

# %% [markdown] task="4.1.5c" kind="code" minutes=8 difficulty=3 needs="soft maximum, max-shift, temperature"
# ### The soft maximum of many numbers
#
# Write `soft_max(x, lam)`: for a tensor `x` of shape (n,) and a number `lam` > 0 it returns $\frac1\lambda \log \sum_k e^{\lambda x_k}$.
#
# **You are done when**
# - **value**: it is right for any count n, also for n = 1, and for λ below and above 1;
# - **sharp**: for λ up to a million it is finite, and all but equals the maximum;
# - **one number**: the result is a number, or a tensor of one entry without axes.

# %% exercise="4.1.5c"
def soft_max(x, lam):
    """The soft maximum log(sum(exp(lam * x))) / lam: (n,) -> ()."""
    ### BEGIN SOLUTION
    m = x.max()
    return m + torch.log(torch.exp(lam * (x - m)).sum()) / lam
    ### END SOLUTION

# %% [markdown] hints="4.1.5c"
# 1. Which of the numbers λx is the largest?
# 2. Max-shift: subtract it before exp, add it back after the logarithm. Then divide by λ.
# 3. Where does the 1/λ go? For $\frac12 \log(e^{2 \cdot 400} + e^{2 \cdot 399})$ it is $400 + \frac12 \log(1 + e^{-2})$.

# %% check="4.1.5c" points=2
heights = torch.tensor([0.0, math.log(2.0), math.log(3.0)])
times_and_over = "Multiply by λ, take the log-sum-exp of all the numbers, divide by λ."
assert_equal(tuple(getattr(soft_max(heights, 1.0), "shape", ())), (), "the shape of the result for three numbers", of="one number", hint="A single number, without axes.")
single = soft_max(torch.tensor([2.5]), 4.0)
assert_type(single, (int, float, torch.Tensor), "the result for a single number, 2.5, λ = 4", of="value")
assert_true(bool((torch.as_tensor(single).abs() > 1e-3).all()), "the soft maximum of a single number, 2.5, λ = 4, is not 0", of="value", hint="The largest number, which is taken out before exp, has to be added back.")
zeros = soft_max(torch.zeros(2), 1.0)
assert_type(zeros, (int, float, torch.Tensor), "the result for (0, 0), λ = 1", of="value")
assert_true(not torch.allclose(torch.as_tensor(zeros).double(), torch.tensor(math.log(3)).double(), atol=1e-3), "the exponentials of (0, 0), λ = 1, add up to 2, not to 3", of="value",
            hint="With the largest number taken out, the sum still holds a term for it, exp(0) = 1: `log1p` adds this 1 a second time.")
def in_steps(result, lam, powers):
    """The rule, and of which sum λ times this result is the logarithm."""
    log_of_sum = lam * torch.as_tensor(result).double().mean().item()
    return times_and_over + (f" Here the exponentials of the numbers λx are {', '.join(map(str, powers))}, and λ times the "
                             f"result is the logarithm of their sum, {sum(powers)}; "
                             f"yours is that of {math.exp(log_of_sum):.4g}." if abs(log_of_sum) < 50 else "")

at_one, of_three_zeros = soft_max(heights, 1.0), float(soft_max(torch.zeros(3), 1.0))
assert_close(at_one, math.log(6), "(0, log 2, log 3), λ = 1", of="value", rtol=1e-4,
             mistakes={**({"This is the maximum itself.": math.log(3)} if abs(of_three_zeros) < 1e-6 else {}),
                       "This is the mean weighted by the softmax, which lies below the maximum.": (2 * math.log(2) + 3 * math.log(3)) / 6,
                       "The terms are summed, without a mean.": math.log(2), "The gap depends on the numbers; log(n) / λ is only its bound.": math.log(9),
                       "All the numbers count, not the two largest only.": math.log(5)}, hint=lambda: in_steps(at_one, 1.0, (1, 2, 3)))
at_two = soft_max(heights, 2.0)
assert_close(at_two, math.log(14) / 2, "(0, log 2, log 3), λ = 2", of="value", rtol=1e-4,
             mistakes={"Divide by λ at the end.": math.log(14), "λ belongs inside, too.": math.log(6) / 2, "After the shift, the logarithm of the sum is divided by λ, too.": math.log(14) - math.log(3),
                       "λ is no temperature: the numbers are multiplied by it.": 2 * math.log(1 + 2 ** 0.5 + 3 ** 0.5), "After the shift, λ still multiplies in the exponent.": math.log(3) + math.log(2) / 2,
                       "The logarithm is divided by λ, not multiplied by it.": math.log(3) + 2 * math.log(14 / 9), "The logarithm is divided by λ, not multiplied by it. ": 2 * math.log(14),
                       "What is λ times too large is to be divided by λ, the largest of the numbers λx, too.": 2 * math.log(3) + math.log(14 / 9) / 2,
                       "The largest of the numbers λx is subtracted, λ times that of x: m alone is too little.": math.log(3) + math.log(14 / 3) / 2,
                       "Here the largest x, m, is divided by λ, too. Add it back as λm before the division, or as m after it.": math.log(14 / 3) / 2,
                       "λ plays no part: this is the result for λ = 1.": math.log(6)}, hint=lambda: in_steps(at_two, 2.0, (1, 4, 9)))
assert_close(soft_max(torch.tensor([2.5]), 0.5), 2.5, "a single number, 2.5, λ = 0.5", of="value", rtol=1e-4, hint="The soft maximum of a single number is this number, for any λ.")
shifted = math.isfinite(soft_max(torch.tensor([100.0, 99.0]), 1.0))
assert_close(soft_max(torch.tensor([3.0, -1.0, 2.0]), 1e6), 3.0, "(3, -1, 2), λ = 1,000,000", of="sharp", rtol=1e-4,
             hint="exp(3,000,000) overflows: use the max-shift, with the largest of the numbers λx." if not shifted else
             "With λ = 1 yours is right for (100, 99), and not for (200, 0): of the numbers λx, the largest is to be taken out, "
             "and no other one." if not abs(float(soft_max(torch.tensor([200.0, 0.0]), 1.0)) - 200) < 1e-3 else
             "With λ = 1 large numbers do no harm in yours. With λ = 1,000,000 the numbers in exp are those of λx: the largest "
             "of them, 3,000,000, is to be taken out, not 3.")
assert_close(soft_max(torch.tensor([-3.0, -1.0]), 1e4), -1.0, "(-3, -1), λ = 10,000", of="sharp", rtol=1e-4, hint="exp(-10,000) is 0: use the max-shift.")
pair = torch.tensor([2.0, 2.0], dtype=torch.float64)
assert_close((soft_max(pair, 1000.0) - 2) * 1000, math.log(2), "(2, 2) in float64, λ = 1,000: λ times (result - 2)", of="value", rtol=1e-3, hint="A large λ counts as it is, too: the soft maximum is never the maximum itself.")
assert_close(soft_max(torch.zeros(2), 1e6) * 1e6, math.log(2), "(0, 0), λ = 1,000,000: λ times the result", of="value", rtol=1e-3,
             hint="A large λ counts as it is, too: the soft maximum is never the maximum itself.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(153)
for n, lam in ((5, 0.3), (2, 4.0), (9, 1.5), (7, 30.0)):
    x = torch.randn(n, generator=rng, dtype=torch.float64) * min(1.0, 2 / lam)
    assert_close(soft_max(x, lam), (torch.logsumexp(lam * x, 0) / lam).item(), f"{n} numbers, λ = {lam}", of="value", hint="Does λ count as it is, below 1, too? " + times_and_over)
    assert_equal(tuple(getattr(soft_max(x, lam), "shape", ())), (), f"the shape of the result for {n} numbers", of="one number", hint="A single number, without axes.")
for lam in (10.0, 300.0, 1e4):
    x = 3 + torch.tensor([0.3, 1.0, -2.0, 0.9], dtype=torch.float64) / lam
    assert_close((soft_max(x, lam) - 3) * lam, torch.logsumexp(lam * (x - 3), 0).item(), f"four numbers close to 3 and to each other, λ = {lam:g}: λ times (result - 3)", of="value", rtol=5e-3,
                 hint="A large λ counts as it is, too; numbers that lie within 1/λ of the largest one all count.")
for lam in (1e5, 1e6):
    x = torch.tensor([-0.5, 0.0, -3.0, -0.1]) / lam
    assert_close(soft_max(x, lam) * lam, torch.logsumexp(lam * x, 0).item(), f"four numbers close to 0 and to each other, λ = {lam:g}: λ times the result",
                 of="value", rtol=1e-3, hint="A large λ counts as it is, too; numbers that lie within 1/λ of the largest one all count.")
for lam in (1e3, 1e6):
    x = 5 * torch.randn(6, generator=rng, dtype=torch.float64)
    assert_close(soft_max(x, lam), (torch.logsumexp(lam * x, 0) / lam).item(), f"six numbers, λ = {lam:g}", of="sharp", hint="exp overflows: use the max-shift.")
### END HIDDEN TESTS

# %% [markdown] task="4.1.5d" kind="code" minutes=6 difficulty=3 needs="soft maximum, max-shift"
# ### And a soft minimum
#
# The minimum is a maximum upside down. Write `soft_min(x, lam)`: a smooth function of a tensor `x` of shape (n,) that lies *below* the minimum by at most log(n)/λ, and reaches it for λ → ∞: what the soft maximum is for
# the maximum, mirrored.
#
# **You are done when**
# - **value**: it is the mirror image of the soft maximum, never above the minimum, for any count n and any λ > 0;
# - **sharp**: for λ up to a million it is finite, and all but equals the minimum.

# %% exercise="4.1.5d"
def soft_min(x, lam):
    """The soft minimum, the mirror image of the soft maximum: (n,) -> ()."""
    ### BEGIN SOLUTION
    m = x.min()
    return m - torch.log(torch.exp(-lam * (x - m)).sum()) / lam
    ### END SOLUTION

# %% [markdown] hints="4.1.5d"
# 1. What is the minimum of some numbers, in terms of a maximum of other numbers?
# 2. min(a, b) = -max(-a, -b). There are two signs to change.
# 3. A function turned upside down and left-right: for f(x) = eˣ - 1 it is -f(-x) = 1 - e⁻ˣ.

# %% check="4.1.5d" points=2
heights = torch.tensor([0.0, -math.log(2.0), -math.log(3.0)])
two_signs = "It is minus the soft maximum of the numbers with their signs changed."
single = soft_min(torch.tensor([2.5]), 4.0)
assert_type(single, (int, float, torch.Tensor), "the result for a single number, 2.5, λ = 4", of="value")
assert_true(bool((torch.as_tensor(single).abs() > 1e-3).all()), "the soft minimum of a single number, 2.5, λ = 4, is not 0",
            of="value",
            hint=lambda: "The smallest number, which is taken out before exp, has to be added back."
            if abs(torch.as_tensor(soft_min(torch.tensor([2.5, 2.5]), 4.0)).item() + math.log(2) / 4) < 1e-4 else
            "The soft minimum of a single number is this number: e to the power of -λx is the only term of the sum."
            + (" Yours is the sum of the numbers less their soft maximum, which is right for two numbers only."
               if abs(torch.as_tensor(soft_min(heights, 1.0)).item() + math.log(11)) < 1e-4 else ""))
zeros = soft_min(torch.zeros(2), 1.0)
assert_type(zeros, (int, float, torch.Tensor), "the result for (0, 0), λ = 1", of="value")
assert_true(not torch.allclose(torch.as_tensor(zeros).double(), torch.tensor(-math.log(3)).double(), atol=1e-3), "the exponentials of (0, 0), λ = 1, add up to 2, not to 3", of="value",
            hint="With the smallest number taken out, the sum still holds a term for it, exp(0) = 1: `log1p` adds this 1 a second time.")
def in_steps(result, lam, powers):
    """The rule, and of which sum -λ times this result is the logarithm."""
    log_of_sum = -lam * torch.as_tensor(result).double().mean().item()
    return two_signs + (f" Here the exponentials of the numbers -λx are {', '.join(map(str, powers))}, and -λ times the result "
                        f"is the logarithm of their sum, {sum(powers)}; "
                        f"yours is that of {math.exp(log_of_sum):.4g}." if abs(log_of_sum) < 50 else "")

at_one = soft_min(heights, 1.0)
assert_close(at_one, -math.log(6), "(0, -log 2, -log 3), λ = 1", of="value", rtol=1e-4,
             mistakes={"The sign outside has to change, too.": math.log(6), "This is minus the soft maximum of the same numbers: change the signs inside, too.": -math.log(11 / 6),
                       "This is the minimum itself.": -math.log(3), "This is the mean weighted by the softmax, which lies above the minimum.": -(2 * math.log(2) + 3 * math.log(3)) / 6,
                       "The terms are summed, without a mean.": -math.log(2), "The gap depends on the numbers; log(n) / λ is only its bound.": -math.log(9),
                       "The soft minimum lies below the minimum: the gap is subtracted.": math.log(2) - math.log(3), "All the numbers count, not the two smallest only.": -math.log(5),
                       "This is the gap at the maximum; at the minimum it is another one.": -math.log(3) - math.log(11 / 6),
                       "With the minimum taken out, the exponents are -λ times the distances from it: none is positive.": -math.log(3) - math.log(5.5)}, hint=lambda: in_steps(at_one, 1.0, (1, 2, 3)))
at_two = soft_min(heights, 2.0)
assert_close(at_two, -math.log(14) / 2, "(0, -log 2, -log 3), λ = 2", of="value", rtol=1e-4,
             hint=lambda: in_steps(at_two, 2.0, (1, 4, 9)),
             mistakes={"Divide by λ at the end.": -math.log(14), "λ belongs inside, too.": -math.log(6) / 2, "λ is no temperature: the numbers are multiplied by it.": -2 * math.log(1 + 2 ** 0.5 + 3 ** 0.5),
                       "λ belongs to the gap, not only to the numbers.": -math.log(3) - math.log(14 / 9),
                       "The smallest of the numbers λx is taken out, λ times that of x: m alone is too little.": -math.log(3) - math.log(14 / 3) / 2,
                       "λ plays no part: this is the result for λ = 1.": -math.log(6)})
shifted = math.isfinite(soft_min(torch.tensor([-100.0, -99.0]), 1.0))
assert_close(soft_min(torch.tensor([3.0, -1.0, 2.0]), 1e6), -1.0, "(3, -1, 2), λ = 1,000,000", of="sharp", rtol=1e-4,
             hint="exp(1,000,000) overflows: take out the smallest number before exp." if not shifted else
             "With λ = 1 yours is right for (-100, -99), and not for (0, 200): of the numbers -λx, the largest is to be taken "
             "out, and that one belongs to the smallest x." if not abs(float(soft_min(torch.tensor([0.0, 200.0]), 1.0))) < 1e-3 else
             "With λ = 1 large numbers do no harm in yours. With λ = 1,000,000 the numbers in exp are those of -λx: the "
             "largest of them, 1,000,000, is to be taken out, not 1.")
assert_close(soft_min(torch.zeros(2), 1e6) * 1e6, -math.log(2), "(0, 0), λ = 1,000,000: λ times the result", of="value", rtol=1e-3,
             hint="A large λ counts as it is, too: the soft minimum is never the minimum itself.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(154)
for n, lam in ((5, 0.3), (2, 4.0), (9, 1.5), (7, 30.0)):
    x = torch.randn(n, generator=rng, dtype=torch.float64) * min(1.0, 2 / lam)
    assert_close(soft_min(x, lam), (-torch.logsumexp(-lam * x, 0) / lam).item(), f"{n} numbers, λ = {lam}", of="value", hint="Does λ count as it is, below 1, too? " + two_signs)
for lam in (10.0, 300.0, 1e4):
    x = 3 - torch.tensor([0.3, 1.0, -2.0, 0.9], dtype=torch.float64) / lam
    assert_close((soft_min(x, lam) - 3) * lam, -torch.logsumexp(-lam * (x - 3), 0).item(), f"four numbers close to 3 and to each other, λ = {lam:g}: λ times (result - 3)", of="value", rtol=5e-3,
                 hint="A large λ counts as it is, too; numbers that lie within 1/λ of the smallest one all count.")
for lam in (1e5, 1e6):
    x = torch.tensor([0.5, 0.0, 3.0, 0.1]) / lam
    assert_close(soft_min(x, lam) * lam, -torch.logsumexp(-lam * x, 0).item(), f"four numbers close to 0 and to each other, λ = {lam:g}: λ times the result",
                 of="value", rtol=1e-3, hint="A large λ counts as it is, too; numbers that lie within 1/λ of the smallest one all count.")
x = 5 * torch.randn(6, generator=rng, dtype=torch.float64)
assert_close(soft_min(x, 1e5), (-torch.logsumexp(-1e5 * x, 0) / 1e5).item(), "six numbers, λ = 100,000", of="sharp", hint="Take out the smallest number before exp.")
### END HIDDEN TESTS

# %% [markdown] task="4.1.5b" kind="explain" minutes=15 difficulty=4 needs="log-sum-exp, soft maximum"
# ### Between the maximum and a little more
#
# Let $f_\lambda(x_1, \dots, x_n) = \frac1\lambda \log \sum_k e^{\lambda x_k}$ with λ > 0, the soft maximum of n numbers (n at least 2), and m their maximum. Prove in writing:
# 1. RealSoftMax(a, b) > max(a, b), and the difference can be as small as you like, though never 0.
# 2. For two numbers the difference is at most log 2. When is it log 2?
# 3. The statements 1 and 2 for $f_\lambda$ and n numbers: $m < f_\lambda \le m + \frac{\log n}{\lambda}$. So $f_\lambda \to m$ for λ → ∞.
#
# For the machine: write `sharpness(n, eps)`: the smallest λ for which $f_\lambda$ is at most `eps` above the maximum, *for any* n numbers.
#
# **You are done when**
# - **enough**: with this λ the soft maximum of any n numbers is within `eps`, equal numbers included;
# - **smallest**: no smaller λ does it.
#
# The written answer is complete when each of the three statements has its proof.

# %% exercise="4.1.5b"
def sharpness(n, eps):
    """The smallest lambda whose soft maximum of any n numbers is at most eps above their maximum."""
    ### BEGIN SOLUTION
    return math.log(n) / eps
    ### END SOLUTION

# %% [markdown] written="4.1.5b" points=4
# ### BEGIN SOLUTION
# 1. Let a be the larger number (or one of two equal ones). $e^b > 0$, so $e^a + e^b > e^a$, and since the logarithm rises strictly, $\log(e^a + e^b) > a = \max(a, b)$. The difference is $\log(1 + e^{-d})$ with the distance $d = a - b \ge 0$. It is positive for every d and tends to log 1 = 0 as d grows. So
#    it gets below any positive bound, but is never 0 (on a computer it is, from about d = 745 on).
# 2. $d \ge 0$ means $e^{-d} \le 1$, so the difference is at most log 2; it is log 2 exactly for d = 0, for equal numbers.
# 3. One term of the sum is $e^{\lambda m}$ and the others are positive: the sum is larger than $e^{\lambda m}$. Each of the n terms is at most $e^{\lambda m}$: the sum is at most $n e^{\lambda m}$. Take logarithms and divide by λ, which is positive and
#    keeps the order: $m < f_\lambda \le m + \log(n) / \lambda$. For λ → ∞ the right side tends to m, and $f_\lambda$ is caught between.
#
# **Rubric**
# - [1] Strictly above the maximum: because the other exponential is positive and log increases; lost by: numbers as examples only
# - [1] As small as you like, never 0: the difference is $\log(1 + e^{-d})$ (or an equivalent), which tends to 0; also accepted: a distance for a given difference
# - [1] At most log 2, with equality for a = b
# - [1] λ and n: both bounds from $e^{\lambda m} < \sum \le n e^{\lambda m}$ (or by taking out the maximum), and the limit from them; also accepted: a limit computed directly, with the ties considered
# ### END SOLUTION

# %% [markdown] hints="4.1.5b"
# 1. What is the largest term of the sum, and how many terms can be as large?
# 2. A sum of n positive terms is larger than its largest term, and at most n times as large.
# 3. The same idea elsewhere: the height of n stacked boxes, the tallest of which has height h, lies between h and n h.

# %% check="4.1.5b" points=1
def advice(n, eps, lam, least):
    """What is wrong with a λ that is too small or too large for n numbers; `least` is right."""
    if lam <= 0:
        return f"Of {n} equal numbers all {n} count: the sum is {n} times one term."
    times, equal = least / lam, math.exp(min(lam * eps, 99))        # so many equal numbers lie eps below their soft maximum
    if abs(lam * least - 1) < 1e-4:
        return "This is upside down: the smaller eps is, the larger λ has to be."
    if abs(times - math.log(2)) < 1e-4:
        return "A smaller λ is enough: the logarithm is the natural one, not that to base 2."
    if abs(times - math.log(10)) < 1e-4:
        return "λ is too small: the logarithm is the natural one, not that to base 10."
    if lam == n / eps:
        return "A smaller λ is enough: the sum is at most n times its largest term, and the logarithm is taken of this."
    if abs(lam - eps ** 2 * least) < 1e-6 * lam:
        return "The logarithm of n is right, what is done with eps is not: the smaller eps is, the larger λ has to be."
    if n > 2 and abs(equal - (n - 1)) < 1e-4:
        return f"λ is too small: of {n} equal numbers all {n} count, not {n - 1}."
    if abs(equal - (n + 1)) < 1e-4:
        return f"A smaller λ is enough: of {n} equal numbers {n} count, not {n + 1}."
    if n > 2 and abs(lam - math.log(2) / eps) < 1e-6 * lam:
        return f"λ is too small: this one is for two numbers. Of {n} equal numbers all {n} count. The sum is n times one term."
    if abs(lam - math.log(n / eps)) < 1e-6 * lam:
        return "The logarithm is that of n alone, divided by eps; here n was divided by eps before."
    if abs(lam - math.sqrt(n) / eps) < 1e-6 * lam:
        return "A smaller λ is enough: log n, not the root of n, is the most that the soft maximum can lie above."
    if lam == 1:
        return "λ may be smaller than 1."
    if abs(lam - (n - 1) / eps) < 1e-6 * lam:
        return "A smaller λ is enough: log n, not n - 1, is the most that the soft maximum can lie above."
    if lam in (math.floor(least), math.ceil(least)):
        return "λ need not be a whole number: it is not rounded."
    if abs(times - 1) < 0.02:
        return "λ is near: nothing is rounded, and nothing is added."
    return f"With this λ, {n} equal numbers, the worst case, give {times:.3g} times eps: λ is too {'small' if times > 1 else 'large'}. The sum is n times one term there."

cases = (12, 0.5, 4.9698133), (2, 0.1, 6.9314718), (3, 4.0, 0.27465307)       # n, eps, the smallest λ
for n, eps, least in cases:
    lam = sharpness(n, eps)
    assert_type(lam, (int, float, torch.Tensor), f"λ for {n} numbers, eps = {eps}", of="enough")
    assert_true(float(lam) > 0, f"λ for {n} numbers, eps = {eps}, is positive", of="enough", hint=lambda: advice(n, eps, float(lam), least))
    assert_true(float(lam) >= least * (1 - 1e-5), f"{n} numbers, eps = {eps}: the soft maximum of {n} equal numbers is at most eps above them", of="enough",
                hint=lambda: advice(n, eps, float(lam), least))
for n, eps, least in cases:
    lam = sharpness(n, eps)
    assert_true(float(lam) <= least * (1 + 1e-5), f"{n} numbers, eps = {eps}: no smaller λ does it", of="smallest",
                hint=lambda: advice(n, eps, float(lam), least))
### BEGIN HIDDEN TESTS
def above_zero(n, lam):
    """How far the soft maximum of n zeros lies above 0."""
    return (torch.logsumexp(lam * torch.zeros(n, dtype=torch.float64), 0) / lam).item()

for n, eps in ((3, 0.01), (1000, 2.0), (50, 0.3), (7, 5.0)):
    lam = sharpness(n, eps)
    assert_true(float(lam) > 0, f"λ for {n} numbers, eps = {eps}, is positive", of="enough", hint=lambda: advice(n, eps, float(lam), above_zero(n, 1.0) / eps))
    assert_true(above_zero(n, float(lam)) <= eps * (1 + 1e-5), f"{n} numbers, eps = {eps}: the soft maximum of equal numbers is at most eps above them", of="enough", hint=lambda: advice(n, eps, float(lam), above_zero(n, 1.0) / eps))
for n, eps in ((3, 0.01), (1000, 2.0), (50, 0.3), (7, 5.0)):
    lam = sharpness(n, eps)
    assert_true(above_zero(n, float(lam)) >= eps * (1 - 1e-5), f"{n} numbers, eps = {eps}: no smaller λ does it", of="smallest", hint=lambda: advice(n, eps, float(lam), above_zero(n, 1.0) / eps))
### END HIDDEN TESTS

# %% [markdown] task="4.1.6a" kind="explain" minutes=12 difficulty=4 needs="log-sum-exp, variance of a draw from the softmax, gradient of cross-entropy"
# ### Always curved upwards
#
# A function is *convex* if it curves upwards, or not at all, along every straight line: the second derivative of $f(t) = g(\mathbf x + t \mathbf v)$ is never negative, whatever $\mathbf x$ and $\mathbf v$. A convex function has one valley at most: who walks downhill on it cannot be caught in
# a wrong one.
#
# In writing:
# 1. Prove that the log-sum-exp g is convex. Use what you know about its first derivative and about the second.
# 2. Conclude that the cross-entropy $\ell = g(\mathbf o) - o_c$ of a label c is convex in the scores.
# 3. Along which directions is g *not* curved at all? Why must that be so?
#
# For the machine: write `flat_direction(q)`, which returns a tensor of shape (q,), *not all zeros*, along which the log-sum-exp of q numbers has second derivative 0 everywhere.
#
# **You are done when**
# - **direction**: the result is a tensor of shape (q,), and it is not zero;
# - **flat**: along it the log-sum-exp is a straight line, from every starting point.
#
# The written answer is complete when it has a proof for 1, a reason for 2, and a direction with a reason for 3.

# %% exercise="4.1.6a"
def flat_direction(q):
    """A direction other than zero along which log-sum-exp is not curved: shape (q,)."""
    ### BEGIN SOLUTION
    return torch.ones(q)
    ### END SOLUTION

# %% [markdown] written="4.1.6a" points=4
# ### BEGIN SOLUTION
# 1. Let $f(t) = g(\mathbf x + t \mathbf v)$ and let p be the softmax of $\mathbf x + t \mathbf v$. By the chain rule $f'(t) = \sum_j p_j v_j$, because the first derivatives of g are the softmax. Deriving again, with $\partial p_j / \partial x_j = p_j (1 - p_j)$ and $\partial p_j / \partial x_k = -p_j p_k$, gives
#    $f''(t) = \sum_j p_j v_j^2 - (\sum_j p_j v_j)^2$. That is the variance of $v_K$ for K drawn from p, an expectation of a square, $\mathrm E[(v_K - \mathrm E v_K)^2]$, so it is never negative. This holds at every t and for all x and v: g is convex.
# 2. $-o_c$ is linear, so its second derivative along any line is 0. Adding it changes no second derivative. (Also: the loss of a batch is a mean of such functions, and the scores are linear in the weights, so softmax regression has a convex loss in its weights.)
# 3. A variance is 0 only if the random number is a constant. All $p_j$ are positive, so all $v_j$ must be equal: $\mathbf v = c\,(1, \dots, 1)$. It must be so, since g(x + c) = g(x) + c is a straight line in c.
#
# **Rubric**
# - [1] Second derivative along a line is the variance (formula or the words with the derivative of the softmax); lost by: only single second derivatives $p_j (1 - p_j) \ge 0$, which do not suffice for convexity
# - [1] A variance is never negative, with the reason (mean of squares) or as a known fact, and so g is convex; also accepted: Cauchy-Schwarz, Hölder's or Jensen's inequality
# - [1] The linear term changes no second derivative, so the cross-entropy is convex
# - [1] Direction with all entries equal, because of the shift rule or because the variance of a constant is 0
# ### END SOLUTION

# %% [markdown] hints="4.1.6a"
# 1. Along a line with direction v, what is the second derivative of g? You have computed it.
# 2. A variance is the expectation of a square. When is it 0?
# 3. Another proof of this kind: $f(x) = x^2$ along a line: $f(x + tv) = x^2 + 2xvt + v^2 t^2$ has the second derivative $2 v^2 \ge 0$.

# %% check="4.1.6a" points=1
assert_type(flat_direction(3), torch.Tensor, "the direction for 3 numbers", of="direction")
assert_shape(flat_direction(3), (3,), "the shape for 3 numbers", of="direction", hint="One axis, with an entry for each of the q numbers.")
assert_true(torch.isfinite(flat_direction(3)).all().item(), "the entries of the direction for 3 numbers are finite", of="direction", hint="nan and inf are no direction.")
assert_true(flat_direction(3).double().abs().max().item() > 1e-6, "the direction for 3 numbers is not zero", of="direction", hint="The zero vector is no direction.")
start = torch.tensor([0.3, -1.0, 2.0], dtype=torch.float64)
along = flat_direction(3).double() / max(flat_direction(3).double().abs().max().item(), 1e-12)
kind = ("One number alone moves. " if (along.abs() > 1e-6).sum() == 1 else
        "That these add up to 0 does not help. " if along.sum().abs() < 1e-6 else
        "Equal steps from each to the next do not help. " if along.diff(n=2).abs().max() < 1e-6 else "")
assert_close(torch.stack([torch.logsumexp(start + t * along, 0) for t in (-1, 0, 1)]).diff(n=2).item(), 0.0, "log-sum-exp from (0.3, -1, 2), one step back and one forth: the second difference",
             of="flat", atol=1e-5, hint=f"Yours moves the three numbers by {', '.join(f'{step:.3g}' for step in along.tolist())} (its largest entry made 1). "
             f"{kind}So some numbers gain on others: the softmax changes on the way, and with it the slope. Which change of all numbers does it not notice?")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(161)
for q in (2, 5):
    assert_shape(flat_direction(q), (q,), f"the shape for {q} numbers", of="direction", hint="An entry for each of the q numbers.")
    along = flat_direction(q).double()
    assert_true(along.abs().max().item() > 1e-6, f"the direction for {q} numbers is not zero", of="direction")
    for _ in range(3):
        start = 2 * torch.randn(q, generator=rng, dtype=torch.float64)
        line = torch.stack([torch.logsumexp(start + t * along / along.abs().max(), 0) for t in (-1, 0, 1)])
        assert_close(line.diff(n=2).item(), 0.0, f"the second difference along the direction for {q} numbers", of="flat", atol=1e-5, hint="Along it some numbers gain on others: the softmax changes on the way, and with it the slope. Which change of all numbers does it not notice?")
### END HIDDEN TESTS

# %% [markdown]
# ## Summary
#
# - A class is a one-hot row, and a prediction is a distribution of the same shape. A linear model gives each class a score; the softmax turns differences of scores into ratios of probabilities, and does not notice a shift.
# - The loss is minus the logarithm of the probability of the label: the log-likelihood with its sign changed, honest, and the length of a message. Its mean over a distribution is a cross-entropy, never below the entropy.
# - Its gradient in the scores is softmax minus one-hot, and its second derivative along any direction is a variance. So the loss is convex, and twenty lines train a classifier.
# - Temperature divides the scores. The log-sum-exp is a soft maximum, its gradient is the softmax, and it moves along with a shift: that is the max-shift, which keeps large numbers from overflowing.
# - Next come real pictures (4.2), a class that all classifiers share (4.3), the training of this model on 60,000 pictures from scratch (4.4) and with the library's layers and loss (4.5).
