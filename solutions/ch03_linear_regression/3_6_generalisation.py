# %% [markdown]
# # 3.6 Generalisation
#
# A model is fitted on examples whose answers are known, and used on examples whose answers are not. Nothing in the
# fitting asks how well it will do there. A model can be perfect on the first and useless on the second, and the loss
# that training prints does not tell.
#
# This section is about the difference. At its end you can measure how well a model does on examples that it has never
# seen, tell a model that is too simple from one that is too flexible, divide data so that the measurement stays honest,
# make do with few examples, and find the places where an answer leaks into the question.

# %% tags=["setup"]
from d2l_utils.check import *
import math
import numpy as np
import pandas as pd
import torch
import d2l_utils as d2l

# %% [markdown] teaches="training error, generalisation error, mean squared error"
# ## Two errors
#
# Can a rule that is never wrong be worthless? Take 100 houses that were sold in Ames, Iowa. For each we know the living
# area, the basement, the plot, the year it was built, the year it was last rebuilt, the garage, and the price. Two rules
# predict the logarithm of a price:
#
# - the *look-up table* finds the most similar of the 100 houses and repeats its price;
# - the *line* is linear regression, fitted by least squares.
#
# The table has seen the 100 answers, so on these houses it is never wrong. Then both rules meet 930 houses that neither
# has seen. The error is the **mean squared error**: the mean of $(\hat y - y)^2$.

# %% tags=["setup"]
def squared_error(y_hat, y):
    """The mean of (y_hat - y)²; both of shape (n,)."""
    return (y_hat - y).square().mean()

# %% tags=["demo"]
import matplotlib.pyplot as plt

houses = pd.read_csv(d2l.data_file("ames.csv"))
columns = ["Gr_Liv_Area", "Total_Bsmt_SF", "Lot_Area", "Year_Built", "Year_Remod_Add", "Garage_Area"]
features = torch.tensor(houses[columns].to_numpy(dtype="float64"))
log_price = torch.tensor(houses["Sale_Price"].to_numpy(dtype="float64")).log()

order = torch.randperm(len(houses), generator=torch.Generator().manual_seed(0))
known, fresh = order[:100], order[2000:]
features = (features - features[known].mean(dim=0)) / features[known].std(dim=0)

def look_up(rows):
    distances = torch.cdist(features[rows], features[known])    # of each row to each known house, (n, 100)
    nearest = distances.argmin(dim=1)                           # (n,)
    return log_price[known][nearest]

with_ones = torch.cat([features, torch.ones(len(features), 1, dtype=torch.float64)], dim=1)
weights = torch.linalg.lstsq(with_ones[known], log_price[known, None]).solution[:, 0]

def line(rows):
    return with_ones[rows] @ weights

for name, rule in (("look-up table", look_up), ("line", line)):
    print(f"{name:14} on the 100 known houses {squared_error(rule(known), log_price[known]):.4f},"
          f"  on {len(fresh)} new ones {squared_error(rule(fresh), log_price[fresh]):.4f}")

# %% [markdown]
# The table wins on the houses that it knows, 0 against 0.0483, and loses where it counts, 0.0623 against 0.0447. To picture
# such a number, take its root, the *typical error*: $\sqrt{0.0447} = 0.21$ in the logarithm, about a fifth of the price. The
# two columns have names.
#
# - The **training error** is the mean loss on the examples that the model was fitted on.
# - The **generalisation error** is the *expected* loss on a new example that comes from the same source.
#
# The second one is an expectation over all the examples that the source might send. Nobody can compute it. But it can be
# estimated: the mean loss over examples that played no part in the fitting is right on average. How exact is it? A mean
# of $m$ independent losses with standard deviation $s$ has itself a standard deviation of $s / \sqrt m$:

# %% tags=["demo"]
for name, rule in (("look-up table", look_up), ("line", line)):
    losses = (rule(fresh) - log_price[fresh]).square()
    print(f"{name:14} {losses.mean():.4f}, uncertain by {losses.std() / math.sqrt(len(losses)):.4f}")
difference = (look_up(fresh) - log_price[fresh]).square() - (line(fresh) - log_price[fresh]).square()
print(f"difference     {difference.mean():.4f}, uncertain by {difference.std() / math.sqrt(len(difference)):.4f}")

# %% [markdown]
# So not even the first digit is sure: for the line, 0.039 would be no surprise, nor would 0.051. Is the line really the better
# rule? Both met the same houses, some easy and some hard for both. So look at the difference, house by house: 0.0176 on average,
# 2.6 times its uncertainty. Chance alone gets so far from 0 about once in a hundred times. We believe in the line.
#
# Why does the same argument not hold for the training error? The weights were chosen *because* they make the loss on these
# 100 houses small. So these losses are no fair sample of what happens to a new house. The table shows it in the extreme:
# its training error is 0 whatever the prices are, and so says nothing about them.

# %% [markdown] task="3.6.A" kind="code" minutes=2 difficulty=1 core=true needs="training error, generalisation error, mean squared error"
# ### Both errors of a line
#
# The line $\hat y = wx + b$ was fitted on the examples `x_known`, `y_known`. The examples `x_new`, `y_new` are new to it.
#
# Write `two_errors(w, b, x_known, y_known, x_new, y_new)`: its training error, and the estimate of its generalisation
# error. `w` and `b` are numbers, the others tensors of shape `(n,)` and, for the new ones, `(m,)`.
#
# **You are done when**
# - **training error first**: a pair of two numbers comes back, in this order;
# - **mean of squares**: each is the mean of $(\hat y - y)^2$ over its own examples.

# %% exercise="3.6.A"
def two_errors(w, b, x_known, y_known, x_new, y_new):
    """(training error, estimate of the generalisation error) of the line w x + b."""
    ### BEGIN SOLUTION
    return squared_error(w * x_known + b, y_known), squared_error(w * x_new + b, y_new)
    ### END SOLUTION

# %% [markdown] hints="3.6.A"
# 1. Which of the examples did the line see while it was fitted?
# 2. `squared_error(y_hat, y)` from above gives the mean of the squares for one set of examples.
# 3. For the line $x + 1$, its prediction at 2 is 3. With the targets 3 and 7 at $x = 2$ and $x = 4$ the error is
#    $(0^2 + 2^2) / 2 = 2$.

# %% check="3.6.A" points=1
pair = two_errors(1., 0., torch.tensor([2., 5.]), torch.tensor([3., 4.]), torch.tensor([0., 1.]), torch.tensor([0., 1.]))
assert_type(pair, (tuple, list, torch.Tensor, np.ndarray), "what two_errors returns", of="training error first")
assert_equal(len(pair), 2, "how many numbers come back", of="training error first")
assert_equal([torch.as_tensor(entry).numel() for entry in pair], [1, 1], "how many numbers the first and the second entry hold", of="training error first",
             hint="Take the mean of the squares: one number for each set of examples.")
assert_true(not float(pair[0]) < 1e-6 < float(pair[1]) < 3,
            "the line y = x misses the known examples (2, 3), (5, 4) and meets the new ones (0, 0), (1, 1): the first number is not 0",
            hint="The training error stands first.", of="training error first")

def single_new_example():
    """What the second number is for one new example whose prediction misses by 3: where the mean plays no part."""
    try:
        alone = float(two_errors(0., 0., torch.tensor([1., 2.]), torch.tensor([1., 1.]), torch.tensor([4.]), torch.tensor([-3.]))[1])
    except Exception:
        return ""
    return ("For a single new example that is missed by 3 yours is 9, as it should be: what goes wrong is the mean over several." if abs(alone - 9) < 1e-4 else
            f"For a single new example that is missed by 3 it is 3² = 9, and yours is {alone:.4g}.")

pair = two_errors(2., 1., torch.tensor([0., 1., 2.]), torch.tensor([1., 6., 7.]), torch.tensor([3., -1.]), torch.tensor([2., 1.]))
rounded = any(abs(float(pair[0]) - round(13 / 3, digits)) < 1e-5 for digits in (1, 2))
four = (torch.tensor([0., 1., 2., 3.]), torch.tensor([1., 6., 7., 7.]))     # the squares have the sum 13 here, too
by_two_less = abs(float(pair[0]) - 13) < 1e-3 and abs(float(two_errors(2., 1., *four, *four)[0]) - 6.5) < 1e-3
assert_close(pair[0], 13 / 3, "the training error of 2x + 1 on (0, 1), (1, 6), (2, 7)", rtol=1e-4, of="mean of squares",
             hint="Hand back the number as it is, not rounded." if rounded else "The predictions are 1, 3, 5, the targets 1, 6, 7: (0² + (-3)² + (-2)²) / 3.",
             mistakes={"Divide by the number of examples, not by two less." if by_two_less else
                       "This is the sum of the squares: divide by the number of examples.": 13.,
                       "There is no factor 1/2 in the mean squared error.": 13 / 6,
                       "This is the root of the mean squared error.": math.sqrt(13 / 3), "This is the mean of |ŷ - y|.": 5 / 3,
                       "Divide by the number of examples, not by one less.": 6.5, "The training error stands first, even where it is the smaller.": 14.5,
                       "Square each error before you take the mean.": 25 / 9, "Where is b?": 26 / 3, "w is the slope, and b is added.": 19 / 3,
                       "The line predicts y from x: here they have changed places.": 322 / 3, "The error is the difference ŷ - y, not the sum.": 229 / 3,
                       "w multiplies x alone; b is added after it.": 2., "w multiplies x alone; b is subtracted here.": 17.,
                       "This is the variance of the errors: their mean is not subtracted before they are squared.": 14 / 9,
                       "Take the mean as it is: 4 is the median of the squares, or the mean rounded.": 4.,
                       "All the known examples count, however few the new ones are.": 4.5,
                       "The line is fitted already: w and b are given.": 8 / 9,
                       "Square the differences: this is their mean.": -5 / 3,
                       "Divide by the number of the known examples, not by that of all.": 13 / 5,
                       "This is the largest of the squares: take their mean.": 9.,
                       "This is the mean of the smooth L1 loss: take the mean of the squares.": 4 / 3,
                       "These are relative errors: do not divide ŷ - y by y.": (0.25 + 4 / 49) / 3,
                       "This is divided by the variance of the targets: leave the mean of the squares as it is.": 39 / 62,
                       "Predictions of shape (n, 1) minus targets (n,) make a table of all pairs: subtract entry by entry.": 37 / 3,
                       "This is the variance of the errors, with n - 1: neither is their mean subtracted, nor is the sum divided by one less.": 7 / 3})
assert_close(pair[1], 14.5, "the error of 2x + 1 on the new examples (3, 2), (-1, 1)", rtol=1e-4, of="mean of squares",
             hint=lambda: "The predictions are 7 and -1, the targets 2 and 1: (5² + (-2)²) / 2. " + single_new_example(),
             mistakes={"This is the root of the mean squared error.": math.sqrt(14.5),
                       "This is s/√m, how uncertain the mean is: the estimate itself is the mean of the squared errors.": 10.5,
                       "This is the standard deviation of the squared errors: the estimate is their mean.": 10.5 * math.sqrt(2),
                       "This is the sum of the squares.": 29., "There is no factor 1/2 in the mean squared error.": 7.25,
                       "This is the mean over all five examples: the known ones do not belong here.": 42 / 5,
                       "This is the largest of the squares, or their mean with its uncertainty added: their mean alone is asked.": 25.,
                       "The second number is the error itself, not the difference of the two.": 14.5 - 13 / 3,
                       "Divide by the number of the new examples.": 29 / 3, "Where is b?": 12.5, "This is the mean of |ŷ - y|.": 3.5,
                       "This is the mean of both errors: the second number is that of the new examples alone.": (14.5 + 13 / 3) / 2,
                       "The prediction at -1 is -1: a negative one is not cut off.": 13.})
pair = two_errors(-0.5, 0.25, torch.tensor([1., 3.]), torch.tensor([2., -1.]), torch.tensor([2., -1., 5.]),
                  torch.tensor([0., 1.5, -2.]))
for place, name, number, preds in ((0, "training error on (1, 2), (3, -1)", 2.5625, "-0.25 and -1.25"),
                                   (1, "error on the new (2, 0), (-1, 1.5), (5, -2)", 1.1875 / 3, "-0.75, 0.75 and -2.25")):
    assert_close(pair[place], number, f"the {name} of the line -0.5x + 0.25", rtol=1e-4, of="mean of squares",
                 hint=f"The predictions are {preds}, just so: nothing is rounded or cut off. Subtract the targets, square, and take the mean.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(361)
for n, m in ((7, 4), (3, 9)):
    a, b_, c, d = (3 * torch.randn(size, generator=rng, dtype=torch.float64) for size in (n, n, m, m))
    pair = two_errors(-1.5, 0.7, a.clone(), b_.clone(), c.clone(), d.clone())
    assert_equal(len(pair), 2, "how many numbers come back", of="training error first")
    wanted = ((0.7 - 1.5 * a - b_) ** 2).mean().item(), ((0.7 - 1.5 * c - d) ** 2).mean().item()
    assert_true((float(pair[0]) > float(pair[1])) == (wanted[0] > wanted[1]), f"which is larger, {n} known and {m} new examples",
                hint="The training error stands first, whichever is the larger.", of="training error first")
    assert_close(pair[0], wanted[0], f"the training error, {n} known and {m} new examples", rtol=1e-4, of="mean of squares",
                 hint="The mean of (w x + b - y)² over the known examples, nothing rounded; w is negative here, b and their number are others.")
    assert_close(pair[1], wanted[1], f"the second error, {n} known and {m} new examples", rtol=1e-4, of="mean of squares",
                 hint="The mean of (w x + b - y)² over the new examples, nothing rounded; w is negative here, b and their number are others.")
### END HIDDEN TESTS

# %% [markdown] teaches="polynomial regression, training set"
# ## A dial for flexibility
#
# Why does a model fail on new examples? Two opposite reasons, and one example shows both. An abalone is a sea snail; its
# weight grows with its length. We take 12 animals as the **training set**, the examples that the fit may use, and predict
# the weight $y$ in grams by a polynomial in the length:
#
# $$\hat y = c_0 + c_1 z + c_2 z^2 + \dots + c_d z^d.$$
#
# This is linear regression: the features of an animal are the powers $1, z, z^2, \dots, z^d$, and the coefficients are the
# weights. The *degree* $d$ is a dial for how flexible the model is. The powers of 150 mm would be huge, so $z$ is the length
# in other units, $z = (\text{length} - 80) / 75$, which runs from about -0.9 to 1.1.

# %% tags=["setup"]
def powers(x, degree):
    """The powers 1, x, ..., x^degree as columns: (n,) -> (n, degree + 1)."""
    return torch.stack([x ** p for p in range(degree + 1)], dim=1)

def fit(x, y, degree):
    """Coefficients (degree + 1,) of the polynomial with the smallest squared error, lowest power first."""
    return torch.linalg.lstsq(powers(x, degree), y[:, None], driver="gelsd").solution[:, 0]

def predict(coefficients, x):
    """The values of the polynomial at x: (n,) -> (n,)."""
    return powers(x, len(coefficients) - 1) @ coefficients

# %% tags=["demo"]
abalone = pd.read_csv(d2l.data_file("abalone.csv"))
length = torch.tensor(abalone["length"].to_numpy()) * 200          # mm; the file holds mm / 200 and g / 200
weight = torch.tensor(abalone["whole_weight"].to_numpy()) * 200    # g
z = (length - 80) / 75
shuffled = torch.randperm(len(z), generator=torch.Generator().manual_seed(0))
few, many = shuffled[:12], shuffled[2100:]                         # 12 to learn from, 2,074 to judge by

curve = torch.linspace(15, 163, 300, dtype=torch.float64)
figure, axes = plt.subplots(1, 3, figsize=(9, 3), sharey=True, layout="constrained")
for ax, degree in zip(axes, (1, 3, 11)):
    ax.plot(length[many][:600], weight[many][:600], ".", color="lightgrey", markersize=3)
    ax.plot(curve, predict(fit(z[few], weight[few], degree), (curve - 80) / 75))
    ax.plot(length[few], weight[few], "o", color="black", markersize=4)
    ax.set(title=f"degree {degree}", xlabel="length in mm", ylim=(-30, 480), xlim=(10, 165))
axes[0].set_ylabel("weight in g")
plt.show()

# %% [markdown]
# Black: the 12 animals that were fitted. Grey: others of their kind. The straight line misses even the black points:
# it cannot bend. Degree 3 follows the grey cloud as far as there are black points; left of them it falls below 0 g. Degree 11
# meets every black point, and between and beyond them it goes wherever it likes. In numbers, for every degree:

# %% tags=["demo"]
def both_errors(degree, rows):
    coefficients = fit(z[rows], weight[rows], degree)
    return [squared_error(predict(coefficients, z[r]), weight[r]).item() for r in (rows, many)]

degrees = list(range(12))
table = [both_errors(degree, few) for degree in degrees]
for degree, (train_error, new_error) in zip(degrees, table):
    print(f"degree {degree:2}: training error {train_error:8.1f}, on new animals {new_error:10.4g}")

# %% [markdown] teaches="overfitting, underfitting"
# The training error never rises: a polynomial of degree 3 is one of degree 4 whose last coefficient is 0, so the higher
# degree can do no worse on the 12. The error on new animals falls at first, from 9,750 to 663, and then it explodes.
#
# - **Underfitting**: the model is too stiff to follow the data. The sign is that even the *training error* is large.
# - **Overfitting**: the model follows the accidents of the training examples, which no other example shares. The sign is
#   that the error on new examples is much larger than the training error.

# %% tags=["demo"]
figure, ax = plt.subplots(figsize=(5.2, 3.2), layout="constrained")
ax.plot(degrees[:8], [row[0] for row in table[:8]], "o-", label="training error")
ax.plot(degrees[:8], [row[1] for row in table[:8]], "s--", label="error on new animals")
ax.set(xlabel="degree", ylabel="mean squared error (g²)", yscale="log")
ax.annotate("underfitting", (0.0, 2e4), fontsize=9)
ax.annotate("overfitting", (5.0, 3e2), fontsize=9)
ax.legend(loc="upper left", bbox_to_anchor=(0.18, 1.0))
ax.grid(alpha=0.3)
plt.show()

# %% [markdown]
# What to see: on the left both curves are high and close together, on the right they part. The best degree is where the
# *dashed* curve is lowest, and the solid curve does not show where that is.

# %% [markdown] task="3.6.B" kind="code" minutes=3 difficulty=1 core=true needs="training error, overfitting, underfitting"
# ### Which of the two
#
# The remedies are opposite: a more flexible model against underfitting, a stiffer one or more data against overfitting. So
# one looks at both numbers, the training error first. Call an error *large* if it is more than twice `floor`, the smallest
# error that one can hope for. (Twice is a rule of thumb; where a floor comes from, a later lesson shows.)
#
# Write `diagnosis(train_error, new_error, floor)`, three positive numbers; it returns a string.
#
# **You are done when**
# - **underfits**: `"underfits"` comes back if the training error is large, whatever the other one is;
# - **overfits**: `"overfits"` comes back if the training error is not large, and the error on new examples is;
# - **fits**: `"fits"` comes back if neither is large; exactly twice the floor is not large.

# %% exercise="3.6.B"
def diagnosis(train_error, new_error, floor):
    """"underfits", "overfits" or "fits"."""
    ### BEGIN SOLUTION
    if train_error > 2 * floor:
        return "underfits"
    return "overfits" if new_error > 2 * floor else "fits"
    ### END SOLUTION

# %% [markdown] hints="3.6.B"
# 1. A model that cannot even follow its training examples: which of the two is it, whatever happens elsewhere?
# 2. Ask for the training error first and return at once; what is left has a small training error.
# 3. For the abalones, with a floor of 630: degree 0 has training error 8,814, so it underfits; degree 5 has 133 and
#    12,160, so it overfits.

# %% check="3.6.B" points=1
def as_spelt(answer, hint):
    """The hint, unless the answer is none of the three words."""
    if answer is None:
        return "Nothing comes back here: each of the three cases needs its return."
    return hint if answer in ("underfits", "overfits", "fits") else 'The three words are "underfits", "overfits" and "fits", spelt so, in small letters.'

assert_type(diagnosis(50., 55., 10.), str, "what diagnosis returns", of="underfits")
exchanged = diagnosis(50., 55., 10.) == "overfits" and diagnosis(3., 90., 10.) == "underfits"
own_floor = diagnosis(50., 55., 10.) == diagnosis(50., 55., 0.01) == "fits"
assert_equal(diagnosis(50., 55., 10.), "underfits", "training error 50, new examples 55, floor 10",
             hint=lambda: as_spelt(diagnosis(50., 55., 10.),
                           "The two names have changed places: if the training error is large, that decides, and it is called underfitting." if exchanged else
                           "Your answer is the same for a floor of 0.01: the floor is an argument, and each error is compared with twice this number." if own_floor else
                           "50 is more than twice 10: the training error is large, that decides, and its name is underfitting."),
                           of="underfits")
assert_equal(diagnosis(50., 900., 10.), "underfits", "training error 50, new examples 900, floor 10",
             hint=lambda: as_spelt(diagnosis(50., 900., 10.), "The training error is large: that decides, whatever the other is."), of="underfits")
assert_equal(diagnosis(50., 12., 10.), "underfits", "training error 50, new examples 12, floor 10",
             hint=lambda: as_spelt(diagnosis(50., 12., 10.), "The training error is large: that decides, whatever the other is."), of="underfits")
assert_equal(diagnosis(3., 90., 10.), "overfits", "training error 3, new examples 90, floor 10",
             hint=lambda: as_spelt(diagnosis(3., 90., 10.), "3 is not large, 90 is."), of="overfits")
assert_equal(diagnosis(9., 12., 10.), "fits", "training error 9, new examples 12, floor 10",
             hint=lambda: as_spelt(diagnosis(9., 12., 10.), "Large is more than twice the floor, here more than 20."), of="fits")
assert_equal(diagnosis(29., 29., 10.), "underfits", "both errors 29, floor 10",
             hint=lambda: as_spelt(diagnosis(29., 29., 10.),
                           "29 is more than twice 10: the training error is large. (// would cut the quotient 2.9 to 2.)"),
                           of="underfits")
assert_equal(diagnosis(25., 2., 10.), "underfits", "training error 25, new examples 2, floor 10",
             hint=lambda: as_spelt(diagnosis(25., 2., 10.),
                           "25 is more than twice 10: the training error alone decides, however small the other is."),
                           of="underfits")
assert_equal(diagnosis(18., 22., 10.), "overfits", "training error 18, new examples 22, floor 10",
             hint=lambda: as_spelt(diagnosis(18., 22., 10.),
                           "18 is not more than twice 10, so it is not large; 22 is." if diagnosis(18., 22., 10.) == "underfits" else
                           "22 is more than twice 10: it is large, and 18 is not. Each error is compared with twice the floor by itself."), of="overfits")
assert_equal(diagnosis(0.5, 12., 10.), "fits", "training error 0.5, new examples 12, floor 10",
             hint=lambda: as_spelt(diagnosis(0.5, 12., 10.),
                           "12 is not more than twice 10, and a small training error alone is no overfitting, nor is it underfitting."), of="fits")
assert_equal(diagnosis(21., 5000., 10.), "underfits", "training error 21, new examples 5000, floor 10",
             hint=lambda: as_spelt(diagnosis(21., 5000., 10.), "21 is more than twice 10: the training error is large, and that decides, however much larger the other is."), of="underfits")
assert_equal(diagnosis(20., 20., 10.), "fits", "both errors exactly twice the floor", hint=lambda: as_spelt(diagnosis(20., 20., 10.), "Large is *more* than twice the floor."), of="fits")
assert_equal(diagnosis(0.3, 0.4, 0.1), "underfits", "training error 0.3, new examples 0.4, floor 0.1",
             hint=lambda: as_spelt(diagnosis(0.3, 0.4, 0.1), "The floor is an argument: here large is more than 0.2."), of="underfits")
### BEGIN HIDDEN TESTS
assert_equal(diagnosis(2.1, 2.2, 1.), "underfits", "training error 2.1, new examples 2.2, floor 1",
             hint=lambda: as_spelt(diagnosis(2.1, 2.2, 1.), "The training error is asked first, and large is more than twice the floor, here more than 2."), of="underfits")
assert_equal(diagnosis(7., 9e6, 3.), "underfits", "training error 7, new examples 9,000,000, floor 3",
             hint=lambda: as_spelt(diagnosis(7., 9e6, 3.), "However large the other error is: the training error is asked first, and large is more than twice the floor, here more than 6."), of="underfits")
assert_equal(diagnosis(9., 1., 3.), "underfits", "training error 9, new examples 1, floor 3",
             hint=lambda: as_spelt(diagnosis(9., 1., 3.), "The training error is asked first, and large is more than twice the floor, here more than 6."), of="underfits")
assert_equal(diagnosis(0.001, 0.7, 0.3), "overfits", "training error 0.001, new examples 0.7, floor 0.3",
             hint=lambda: as_spelt(diagnosis(0.001, 0.7, 0.3), "The training error is asked first, and large is more than twice the floor, here more than 0.6."), of="overfits")
assert_equal(diagnosis(6., 6.5, 3.), "overfits", "training error 6, new examples 6.5, floor 3",
             hint=lambda: as_spelt(diagnosis(6., 6.5, 3.), "The training error is asked first, and large is more than twice the floor, here more than 6."), of="overfits")
assert_equal(diagnosis(0.5, 5., 3.), "fits", "training error 0.5, new examples 5, floor 3",
             hint=lambda: as_spelt(diagnosis(0.5, 5., 3.), "The training error is asked first, and large is more than twice the floor, here more than 6."), of="fits")
assert_equal(diagnosis(5., 6., 3.), "fits", "training error 5, new examples 6, floor 3",
             hint=lambda: as_spelt(diagnosis(5., 6., 3.), "The training error is asked first, and large is more than twice the floor, here more than 6."), of="fits")
### END HIDDEN TESTS

# %% [markdown] teaches="exact interpolation"
# ### When is a polynomial exact?
#
# Degree 11 met all 12 points. That is no accident. A polynomial of degree $d$ has $d + 1$ coefficients, and each example is
# one linear equation for them, $c_0 + c_1 z_i + \dots + c_d z_i^d = y_i$. In matrix form this is $F \mathbf c = \mathbf y$ with
# the matrix $F$ of powers, of shape $(n, d + 1)$. For $d = n - 1$ it is square: as many equations as unknowns.
#
# Does it have a solution for every $\mathbf y$? It does if $F$ has full rank, and that is so if $F \mathbf c = \mathbf 0$ only
# for $\mathbf c = \mathbf 0$. Now $F \mathbf c = \mathbf 0$ says that the polynomial with coefficients $\mathbf c$ is zero at $n$
# places. A polynomial of degree at most $n - 1$ that is not zero everywhere has at most $n - 1$ zeros. So if the $n$ places
# are all *different*, $\mathbf c = \mathbf 0$, and there is exactly one polynomial of degree at most $n - 1$ through the
# points. Least squares finds it: its smallest error is 0. (On paper for every $n$, on a computer for few points: from about
# 20 on the columns of $F$ are so nearly dependent that float64 runs out of digits.)
#
# Two examples with the same $x$ and different $y$ make two equations of which only one can hold. Then no degree helps.
# What is the best value at such a place? The constant with the smallest squared error is the mean, here that of the targets
# at this place. (Adding 0.0 turns a -0.0 into 0.0. And `fit` asks `lstsq` for the driver `gelsd`: the default one may return a
# wrong solution where equations repeat or columns depend on each other, as they do from here on.)

# %%
x = torch.tensor([0., 1., 1., 2.], dtype=torch.float64)
y = torch.tensor([5., 2., 4., 0.], dtype=torch.float64)
for degree in (1, 2, 3, 8):
    print(f"degree {degree}: predictions {(predict(fit(x, y, degree), x).round(decimals=3) + 0.0).tolist()},",
          f"training error {squared_error(predict(fit(x, y, degree), x), y):.3f}")
x.unique(), y[x == 1.].mean()

# %% [markdown] task="3.6.1a" kind="code" minutes=4 difficulty=2 core=true needs="polynomial regression, exact interpolation"
# ### Through every point
#
# Write `through_all_points(x, y)`: the coefficients of a polynomial that passes through `n` given points. Its degree is the lowest
# that is enough for *any* `n` points, whatever their `y`. `x` and `y` are float64 tensors of shape `(n,)`, `n` is from 1 to 10. The
# entries of `x` lie between -1 and 1, in any order, no two of them closer than 0.05; those of `y` are up to 100 in size.
#
# **You are done when**
# - **as many coefficients as points**: a tensor of shape `(n,)` comes back, also for a single point, and for points that lie on a line;
# - **lowest power first**: entry p is the coefficient of $x^p$;
# - **exact**: the polynomial meets every `y`, to within one thousandth.

# %% exercise="3.6.1a"
def through_all_points(x, y):
    """Coefficients (n,), lowest power first, of the polynomial of degree n - 1 through n points."""
    ### BEGIN SOLUTION
    return fit(x, y, len(x) - 1)
    ### END SOLUTION

# %% [markdown] hints="3.6.1a"
# 1. How many coefficients does a polynomial of degree $d$ have, and how many equations do $n$ points make?
# 2. `fit(x, y, degree)` from above solves the system by least squares. Which degree makes it square?
# 3. Through the two points (0, 3) and (1, 5) passes $3 + 2x$: degree 1, coefficients 3 and 2.

# %% check="3.6.1a" points=2
three, aims = torch.tensor([1., -1., 0.], dtype=torch.float64), torch.tensor([2., 8., 1.], dtype=torch.float64)
assert_type(through_all_points(three, aims), torch.Tensor, "what through_all_points returns", of="as many coefficients as points")
assert_shape(through_all_points(three, aims), (3,), "the shape for three points", of="as many coefficients as points",
             hint="Three points are three equations: as many coefficients, along one axis.")
assert_shape(through_all_points(three[:1], aims[1:2]), (1,), "the shape for the single point (1, 8)",
             of="as many coefficients as points",
             hint="One point: one coefficient, that of a constant, in a tensor of one axis.")
assert_shape(through_all_points(three, 2 * three + 1), (3,), "the shape for (1, 3), (-1, -1), (0, 1), three points on a line",
             of="as many coefficients as points",
             hint="The degree is one that is enough for any three points: the coefficient of x² stays, though it is 0 here.")
newton = np.allclose(through_all_points(three, aims).tolist(), [2., -3., 4.])
assert_close(through_all_points(three, aims)[0], torch.tensor(1., dtype=torch.float64),
             "entry 0 for (1, 2), (-1, 8), (0, 1), where the polynomial is 1 - 3x + 4x²",
             rtol=0.05, hint="At x = 0 all other powers vanish, so entry 0 is the value there, 1.", of="lowest power first",
             mistakes={"The highest power stands first here.": torch.tensor(4., dtype=torch.float64),
                       "These are the coefficients of Newton's form: multiply it out into powers of x." if newton else
                       "This is the y of the first point: entry 0 is the value of the polynomial at x = 0.": torch.tensor(2., dtype=torch.float64),
                       "The system is Fc = y, with a row of F for each point: here F is transposed.": torch.tensor(4.5, dtype=torch.float64),
                       "These are the coefficients of Chebyshev's polynomials: wanted are those of the powers of x.": torch.tensor(3., dtype=torch.float64),
                       "This is the mean of the targets, as a constant or a line has it at x = 0: neither passes through these three points.":
                       torch.tensor(11 / 3, dtype=torch.float64),
                       "Each y belongs to its x: if you sort one, sort the other in the same order.": torch.tensor(8., dtype=torch.float64)})

def values_at(coefficients, x):
    """The values there of the polynomial with these coefficients, as text."""
    return ", ".join(f"{sum(c * v ** p for p, c in enumerate(coefficients.tolist())):.3g}" for v in x.tolist())

found = through_all_points(three, aims)
assert_close(found, torch.tensor([1., -3., 4.], dtype=torch.float64), "the coefficients for (1, 2), (-1, 8), (0, 1)",
             rtol=1e-3, atol=1e-3, of="exact",
             hint=lambda: f"Your polynomial has the values {values_at(found, three)} at 1, -1, 0; wanted are 2, 8, 1." +
             (" Near, but not exact: nothing is rounded, and nothing added to the equations."
              if np.allclose(found.tolist(), [1., -3., 4.], atol=0.2) else ""),
             mistakes={f"These are the first coefficients of a polynomial of higher degree, {d}; without the others it misses the points.":
                       torch.tensor([1., -3 / ((d + 1) // 2), 4 / (d // 2)], dtype=torch.float64) for d in range(3, 12)})
pair_of_places = torch.tensor([0.1, 0.3], dtype=torch.float64)
found = through_all_points(pair_of_places, torch.tensor([1., 2.], dtype=torch.float64))
assert_close(found, torch.tensor([0.5, 5.], dtype=torch.float64), "the coefficients for (0.1, 1), (0.3, 2), the line 0.5 + 5x", rtol=1e-3, atol=1e-3, of="exact",
             mistakes={"These are the coefficients in powers of x minus its mean: wanted are those in powers of x.": torch.tensor([1.5, 5.], dtype=torch.float64),
                       "These are the coefficients in powers of a shifted and scaled x, here (x - 0.2) / 0.1: wanted are those in powers of x.":
                       torch.tensor([1.5, 0.5], dtype=torch.float64)},
             hint=lambda: f"Your line has the values {values_at(found, pair_of_places)} at 0.1, 0.3; wanted are 1, 2, exactly: nothing is rounded, and nothing added to the equations.")

def misses_of(x, y):
    """How far the polynomial through (x, y) passes by the points at most."""
    found = through_all_points(x, y)
    assert_shape(found, (len(x),), f"the shape for {len(x)} points", of="as many coefficients as points",
                 hint="As many coefficients as points, whatever their number.")
    return (sum(found[p].double() * x ** p for p in range(len(x))) - y).abs().max().item()

ten = torch.linspace(0.1, 1, 10, dtype=torch.float64)[torch.tensor([3, 7, 0, 5, 1, 9, 4, 2, 8, 6])]
ten_aims = torch.tensor([2., 0., 1., 3., -1., 2., 0., 1., -2., 1.], dtype=torch.float64)

def about_the_digits(found):
    """What ten coefficients show that are not exact enough."""
    F = torch.stack([ten ** p for p in range(10)], dim=1)
    if found.dtype == torch.float32:
        return "yours come back in float32, which has seven."
    if torch.equal(found, found.round(decimals=4)):
        return "yours are rounded, and none of them is rounded here."
    if torch.equal(found, found.float().double()):
        return "all of yours are numbers of float32, which has seven."
    if torch.allclose(found, torch.linalg.solve(F.T @ F, F.T @ ten_aims)):
        return "the equations FᵀF c = Fᵀy, whose solution yours are, lose half of them."
    return "solve F c = y itself, exactly."

assert_close(misses_of(ten, ten_aims), 0., "how far the polynomial passes by ten points between 0.1 and 1", rtol=0, atol=1e-3, of="exact",
             hint=lambda: "Coefficients of this size need all the digits of float64: " + about_the_digits(through_all_points(ten, ten_aims)))
assert_close(misses_of(ten, sum(1.0004 * ten ** p for p in range(10))), 0.,
             "how far the polynomial passes by ten points of 1.0004 (1 + x + ... + x⁹)", rtol=0, atol=1e-3,
             of="exact", hint="Every coefficient is 1.0004: none of them is rounded, for ten errors of 0.0004 add up.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(362)
for n in (2, 5, 9):
    wanted = 3 * torch.randn(n, generator=rng, dtype=torch.float64)
    places = (torch.linspace(-1, 1, n, dtype=torch.float64) + 0.1 * torch.rand(n, generator=rng, dtype=torch.float64)).clamp(-1, 1)
    places = places[(torch.arange(n) * 2 + 1) % n] if n > 2 else places.flip(0)
    heights = sum(wanted[p] * places ** p for p in range(n))
    found = through_all_points(places, heights)
    assert_shape(found, (n,), f"the shape for {n} points", of="as many coefficients as points",
                 hint="As many coefficients as points, whatever their number.")
    assert_close(found[0], wanted[0], f"the coefficient of the power 0, {n} points", rtol=1e-2, atol=1e-2, of="lowest power first",
                 hint="Entry 0 is the value of the polynomial at x = 0.")
    met = sum(found[p].double() * places ** p for p in range(n))
    assert_close(met, heights, f"the polynomial at {n} points", rtol=0, atol=1e-3, of="exact",
                 hint="The polynomial passes by a point: does each y belong to its x, has it degree n - 1, and all its coefficients, the small ones too?")
rng = torch.Generator().manual_seed(31)
places, heights = 2 * torch.rand(10, generator=rng, dtype=torch.float64) - 1, 3 * torch.randn(10, generator=rng, dtype=torch.float64)
assert_close(misses_of(places, heights), 0., "how far the polynomial passes by 10 points", rtol=0, atol=1e-3, of="exact",
             hint="Ten points need degree 9, and all the digits of float64: solve F c = y itself, exactly.")
eight = torch.linspace(1, 0.3, 8, dtype=torch.float64)
assert_close(misses_of(eight, sum(-3.0004 * eight ** p for p in range(8))), 0., "how far the polynomial passes by 8 points",
             rtol=0, atol=1e-3, of="exact",
             hint="All the digits of the coefficients count: nothing is rounded.")
assert_shape(through_all_points(eight, 0 * eight + 2), (8,), "the shape for 8 points of one height",
             of="as many coefficients as points",
             hint="As many coefficients as points, though a constant would do here.")
### END HIDDEN TESTS

# %% [markdown] task="3.6.1b" kind="code" minutes=5 difficulty=3 needs="exact interpolation, training error"
# ### When it cannot be exact
#
# Two of our abalones may have the same length and different weights. Write `best_possible(x, y)` for float tensors of shape
# `(n,)`, where entries of `x` may be equal. It returns a pair `(degree, error)`.
#
# **You are done when**
# - **degree**: it is the smallest degree with which a polynomial can take *any* wanted values at the different entries of `x`,
#   however close they are;
# - **error**: it is the smallest training error (mean squared error over all n examples) that a polynomial of any degree can
#   reach, also where there are so many places, forty say, that a computer no longer finds this polynomial;
# - **arguments kept**: `x` and `y` are as they were.

# %% exercise="3.6.1b"
def best_possible(x, y):
    """(degree, error): the degree that is always enough, and the smallest training error of all polynomials."""
    ### BEGIN SOLUTION
    places = x.unique()
    total_error = sum(((y[x == place] - y[x == place].mean()) ** 2).sum() for place in places)
    return len(places) - 1, total_error / len(x)
    ### END SOLUTION

# %% [markdown] hints="3.6.1b"
# 1. How many different places are there, and what is the best value at each?
# 2. `x.unique()` gives the different entries. At each of them the polynomial should give the mean of the targets there.
# 3. In the example above (places 0, 1, 1, 2) the best value at 1 is 3. The error is $(0 + 1 + 1 + 0) / 4 = 0.5$, and degree 2
#    reaches it.

# %% check="3.6.1b" points=2
places, aims = torch.tensor([2., 0., 1., 0., 2., 2., 0.]), torch.tensor([5., 0., 5., 4., 7., 12., 2.])
tenths, tops = torch.tensor([0.5, 0.3, 0.5]), torch.tensor([1., 2., 5.])

@probe
def arguments_after_best_possible(x, y):
    best_possible(x, y)
    return [x, y]

with part(0.5, "the degree", of="degree"):
    answer = best_possible(places, aims)
    assert_type(answer, (tuple, list, torch.Tensor, np.ndarray), "what best_possible returns", of="degree")
    assert_equal(len(answer), 2, "how many numbers come back", of="degree")
    assert_equal(answer[0], 2, "the degree for x = 2, 0, 1, 0, 2, 2, 0", of="degree",
                 mistakes={"Equal places count once.": 6, "Equal places count once, wherever they stand.": 5,
                           "The number of different places decides, not that of the repeated ones.": 4,
                           "A polynomial of degree d has d + 1 coefficients.": 3, "The degree stands first.": 34 / 7,
                           "The degree that these targets need is not enough for any others.": 1},
                 hint="The degree stands first, and it is a whole number."
                 if torch.as_tensor(answer[0]).numel() == 1 and float(answer[0]) % 1 else
                 "At the places 0, 1 and 2 any three values may be wanted: how many coefficients does that take, and which degree has so many?")
    assert_equal(best_possible(tenths, tops)[0], 1, "the degree for x = 0.5, 0.3, 0.5", of="degree", hint="0.5 and 0.3 are two places.")
    assert_equal(best_possible(torch.tensor([0.337, 0.342, -0.337]), tops)[0], 2, "the degree for x = 0.337, 0.342, -0.337", of="degree",
                 hint="These are three places: nothing is rounded, and the sign counts.")
    assert_equal(best_possible(torch.tensor([100., 100.0005, 100.], dtype=torch.float64), tops.double())[0], 1,
                 "the degree for x = 100, 100.0005, 100", of="degree",
                 hint="These are two places: entries are equal or different, however close. (isclose and allclose take near ones for equal.)")
    assert_equal(best_possible(torch.tensor([0.5, 0.5 + 2 ** -40, 0.5], dtype=torch.float64), tops.double())[0], 1,
                 "the degree for x = 0.5, 0.5 + 2 ** -40, 0.5", of="degree", hint="These are two places: entries are equal or different, however close.")
    assert_equal(best_possible(torch.full((3,), 0.7), tops)[0], 0, "the degree for x = 0.7, 0.7, 0.7", of="degree",
                 hint="One place only: a constant takes any value there.")
def which_place_errs():
    """A hint: the first place at which the error is wrong by itself, or that it is the mean over all."""
    for place, targets, mean, squares in ((2., [5., 7., 12.], 8, "9 + 1 + 16"), (0., [0., 4., 2.], 2, "4 + 4 + 0"), (1., [5.], 5, "0")):
        try:
            alone = float(best_possible(torch.full((len(targets),), place), torch.tensor(targets))[1])
        except Exception:
            return "The best values at 0, 1 and 2 are 2, 5 and 8: how far is each of the seven targets from the one at its place?"
        if not abs(alone - float(np.var(targets))) < 1e-3:
            named = ", ".join(f"{v:.0f}" for v in targets)
            return (f"For the examples at x = {place:.0f} alone, whose target{'s are' if len(targets) > 1 else ' is'} {named}, yours is {alone:.4g}: the best value there is {mean}, "
                    f"so it is ({squares}) / {len(targets)}.")
    return "At each of the three places alone your error is right: together it is the mean over all seven examples, (9 + 1 + 16 + 4 + 4 + 0 + 0) / 7."

with part(0.5, "the error", of="error"):
    answer = best_possible(places, aims)
    assert_type(answer, (tuple, list, torch.Tensor, np.ndarray), "what best_possible returns", of="error")
    assert_equal(len(answer), 2, "how many numbers come back", of="error")
    assert_close(answer[1], 34 / 7, "the smallest training error for x = 2, 0, 1, 0, 2, 2, 0 and y = 5, 0, 5, 4, 7, 12, 2",
                 rtol=1e-4, of="error",
                 mistakes={"Two examples with the same x and different y cannot both be met.": 0.,
                           "Equal places are one place wherever they stand, not only next to each other.": 12.5 / 7,
                           "This is the sum of the squares, not the mean.": 34.,
                           "This is the root of the error.": math.sqrt(34 / 7),
                           "The variance at a place is divided by the number of its examples, not by one less.": 51 / 7,
                           "This is a mean over the places: take it over the examples.": 34 / 9,
                           "This is the variance of y: the polynomial may take another value at each place.": 88 / 7,
                           "The best value at a place is the mean of its targets, not the first of them.": 73 / 7,
                           "The best value at a place is the mean of its targets, not the last of them.": 82 / 7,
                           "The best value at a place is the mean of its targets, not their median.": 37 / 7,
                           "The best value at a place is the mean of its targets, not the middle between the smallest and the largest.": 34.75 / 7,
                           "The error is squared: this is a mean of |y - mean|.": 12 / 7,
                           "This is the mean over the six examples at 0 and 2, or of the two variances there: the mean is over all seven, the example at x = 1 counts as well.": 34 / 6,
                           "Each place with several examples adds to the error, x = 0 as well as x = 2.": 26 / 7,
                           "This is the largest of the variances at the places: every example counts.": 26 / 3,
                           "There is no factor 1/2 in the mean squared error.": 17 / 7, "The error stands second.": 2.,
                           "This is a sum over the places of the variances there: take the mean over all examples.": 34 / 3},
                 hint=lambda: which_place_errs())
    assert_close(best_possible(tenths, tops)[1], 8 / 3, "the smallest training error for x = 0.5, 0.3, 0.5 and y = 1, 2, 5", rtol=1e-4, of="error",
                 mistakes={"The best value at a place is the mean of its targets.": 16 / 3},
                 hint="The best value at 0.5 is 3, at 0.3 it is 2.")
    assert_close(best_possible(torch.tensor([1., 0., 1., 0., 1.]), torch.tensor([2., 4., 5., 4., 2.]))[1], 6 / 5,
                 "the smallest training error for x = 1, 0, 1, 0, 1 and y = 2, 4, 5, 4, 2, where some examples are equal", rtol=1e-4, of="error",
                 mistakes={"Equal examples are examples all the same: (1, 2) counts twice, and so does (0, 4).": 1.5},
                 hint="The best value at 1 is the mean of 2, 5 and 2, which is 3; at 0 it is 4. The mean is over all five examples, equal ones too.")
    tight = torch.tensor([0.002, 0., 0.004, 0.002, 0.006, 0.], dtype=torch.float64)
    assert_close(best_possible(tight, torch.tensor([1., 5., 0., 3., 7., 4.], dtype=torch.float64))[1], 2.5 / 6,
                 "the smallest training error for x = 0.002, 0, 0.004, 0.002, 0.006, 0 and y = 1, 5, 0, 3, 7, 4", rtol=1e-4,
                 of="error",
                 hint="The best values at 0 and at 0.002 are 4.5 and 2; at 0.004 and 0.006 nothing is left. Places are equal or different, however close; "
                 "a polynomial that is fitted to such places needs all the digits of float64.")
    assert_close(best_possible(torch.tensor([0.5, 0.5 + 2 ** -40, 0.5], dtype=torch.float64), torch.tensor([1., 9., 3.], dtype=torch.float64))[1], 2 / 3,
                 "the smallest training error for x = 0.5, 0.5 + 2 ** -40, 0.5 and y = 1, 9, 3", rtol=1e-4, of="error",
                 hint="Two places, however close: at 0.5 the best value is 2, and at the other one 9. Take the means at the places, without a fit.")
    forty_places = torch.arange(40, dtype=torch.float64).repeat(2) / 20
    steps_up = 4. * (torch.arange(40, dtype=torch.float64) % 2)
    assert_close(best_possible(forty_places, torch.cat([steps_up, steps_up + 2.]))[1], 1.,
                 "the smallest training error for forty places from 0 to 1.95, in turn with the targets 0 and 2 and with 4 and 6", rtol=1e-4, of="error",
                 hint="The best values are 1 and 5 in turn, so each example adds 1. Powers of degree 39 are so nearly dependent that `fit` does not find this polynomial: "
                 "take the means at the places, without a fit.")
    for x_before, y_before in ((places, aims), (places.double(), aims.double())):
        kept = arguments_after_best_possible(x_before.clone(), y_before.clone())
        assert_close(kept[0], x_before, f"x after the call, of dtype {str(x_before.dtype)[6:]}", of="arguments kept",
                     hint="A sort in place, also one of x.numpy(), which is the same memory, or an assignment to x[...] changes the caller's tensor.")
        assert_close(kept[1], y_before, f"y after the call, of dtype {str(y_before.dtype)[6:]}", of="arguments kept",
                     hint="An assignment such as y[...] -= changes the caller's tensor.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(363)
cases = {"12 whole numbers from -3 to 3": torch.randint(-3, 4, (12,), generator=rng).double(),
         "15 quarters from -1 to 1": torch.randint(-4, 5, (15,), generator=rng).double() / 4,
         "10 places from -0.004 to 0.004": torch.randint(-2, 3, (10,), generator=rng).double() / 500,
         "6 different places": torch.randperm(6, generator=rng).double(), "4 equal places": torch.full((4,), 1.5, dtype=torch.float64)}
cases = {name: (places, torch.randn(len(places), generator=rng, dtype=torch.float64)) for name, places in cases.items()}
with part(0.5, "the degree for other places", of="degree"):
    for name, (places, aims) in cases.items():
        assert_equal(best_possible(places, aims)[0], len(set(places.tolist())) - 1, f"the degree for {name}", of="degree",
                     hint="Count the different places, equal ones once, close ones as two; one place needs a constant.")
    for gap in (0.0001, 2 ** -45):
        assert_equal(best_possible(torch.tensor([-30., -30., -30. - gap], dtype=torch.float64),
                                   torch.tensor([1., 2., 4.], dtype=torch.float64))[0], 1,
                     "the degree for two places close together", of="degree", hint="Two places, however close, are two.")
with part(0.5, "the error for other places", of="error"):
    for name, (places, aims) in cases.items():
        same = (places[:, None] == places[None, :]).double()
        wanted = (aims - same @ aims / same.sum(dim=1)).square().mean().item()
        assert_close(best_possible(places, aims)[1], wanted, f"the smallest training error for {name}", rtol=1e-4, atol=1e-8, of="error",
                     hint="At each place the best value is the mean of its targets; the error is a mean over all examples.")
        kept = arguments_after_best_possible(places.clone(), aims.clone())
        assert_close(kept[0], places, f"x after the call, {name}", of="arguments kept",
                     hint="A sort in place or an assignment to x[...] changes the caller's tensor.")
        assert_close(kept[1], aims, f"y after the call, {name}", of="arguments kept",
                     hint="An assignment such as y[...] -= changes the caller's tensor.")
    crowd = torch.randperm(90, generator=rng).double() % 45 / 9 - 2
    levels_ = torch.randn(90, generator=rng, dtype=torch.float64)
    wanted = np.mean([np.var(levels_[crowd == place].numpy()) for place in crowd.unique()])
    assert_close(best_possible(crowd, levels_)[1], float(wanted), "the smallest training error for 45 places with two examples each", rtol=1e-4, of="error",
                 hint="So many powers are nearly dependent, and `fit` does not find the polynomial: take the means at the places, without a fit.")
    assert_close(best_possible(torch.tensor([3., 3., -2., 3., 3.]), torch.tensor([1., 1., 8., 5., 1.]))[1], 12 / 5,
                 "the smallest training error where three of five examples are equal", rtol=1e-4, of="error",
                 hint="Equal examples are examples all the same: each of them counts.")
### END HIDDEN TESTS
total()

# %% [markdown] teaches="noise floor, independent and identically distributed"
# ## The floor under the error
#
# Can the error on new examples be zero? In our file many abalones have the same length:

# %% tags=["demo"]
same_length = weight[length.round() == 110]
print(f"{len(same_length)} animals of 110 mm weigh {same_length.min():.0f} g to {same_length.max():.0f} g; variance {same_length.var():.0f} g²")

# %% [markdown]
# A model that is told only the length gives all of them the same number. The best such number is their mean, and what is
# left is their variance. So there is a **noise floor**: the part of the target that the features do not determine. No model
# on these features gets below it, and no amount of data lowers it. Other features might.
#
# Where the probabilities are known, the floor can be computed exactly. Say that $x$ takes two values and $y$ three, and that
# `p[i, j]` is the probability of the pair. Given $x$, the probabilities of $y$ are the row of $x$ divided by its sum. The
# best prediction at $x$ is the mean of $y$ in this row, its expected squared error is the variance there, and the floor is
# the mean of the variances over $x$:

# %%
p = torch.tensor([[0.1, 0.1, 0.2],
                  [0.6, 0.0, 0.0]])
values = torch.tensor([0., 1., 4.])
for row in p:
    given_x = row / row.sum()                               # p(y | x), shape (3,)
    mean = given_x @ values
    variance = given_x @ (values - mean) ** 2
    print(f"p(x) = {row.sum():.1f}: best prediction {mean:.2f}, variance of y {variance:.4f}")

# %% [markdown]
# The floor is $0.4 \cdot 3.1875 + 0.6 \cdot 0 = 1.275$. At the second $x$ the target is determined, and costs nothing.
#
# All of this assumes that the new examples come from the same source as the old ones, each drawn by itself. One says that
# they are **independent and identically distributed**, i.i.d. for short. Keep the assumption in mind; the lesson on leaks
# takes it away.

# %% [markdown] task="3.6.3" kind="explain" minutes=8 difficulty=3 needs="noise floor, training error, generalisation error, exact interpolation, expectation, variance"
# ### Is zero possible?
#
# Write `least_error(p, values)`: the smallest expected squared error that any prediction of $y$ from $x$ can have, a number
# or tensor of one entry. `p` has shape `(a, b)`, its entries add up to 1, and `p[i, j]` is the probability that x is the i-th
# of its values and y is `values[j]`; `values` has shape `(b,)`.
#
# Then answer in words. When can one expect a *training* error of zero, and is it good news? Under which circumstances is the
# *generalisation* error zero?
#
# **You are done when**
# - **value**: the variances of $y$ given $x$ are averaged with the probabilities of $x$;
# - **determined**: the result is 0 where each $x$ has a single $y$;
# - **impossible x**: an $x$ of probability 0 changes nothing;
# - **arguments kept**: `p` and `values` are as they were.
#
# The words are complete when they name two different reasons for a training error of zero, and every condition that a
# generalisation error of zero needs.

# %% exercise="3.6.3"
def least_error(p, values):
    """The mean over x of the variance of y given x, for probabilities p (a, b) and values of y (b,)."""
    ### BEGIN SOLUTION
    floor = 0.
    for row in p:
        if row.sum() > 0:
            given_x = row / row.sum()
            floor = floor + row.sum() * (given_x @ (values - given_x @ values) ** 2)
    return floor
    ### END SOLUTION

# %% [markdown] hints="3.6.3"
# 1. The cell above computes two variances. Which sum of them is the floor, and what does it do with a row of zeros?
# 2. Zero divided by zero is NaN: leave such rows out. For the words: look at 3.6.1a and 3.6.1b, at the look-up table, and at
#    the 110 mm animals.
# 3. With `p = [[0.25, 0.25], [0.5, 0.0]]` and the values 0 and 2: variance 1 at the first x, 0 at the second, floor 0.5.

# %% check="3.6.3" points=1
@probe
def arguments_after_least_error(p, values):
    least_error(p, values)
    return [p, values]

pairs, levels = torch.tensor([[0.2, 0., 0.1], [0.1, 0.2, 0.4]]), torch.tensor([0., 1., 4.])
assert_type(least_error(pairs.clone(), levels.clone()), (float, int, torch.Tensor, np.ndarray, np.generic),
            "what least_error returns", of="value",
            hint="One number.")
assert_equal(torch.as_tensor(least_error(pairs.clone(), levels.clone())).numel(), 1, "how many numbers least_error returns", of="value",
             hint="One number: weight the variances with the probabilities of x and add them up.")
near = abs(float(torch.as_tensor(least_error(pairs.clone(), levels.clone())).reshape(())) - (0.3 * 32 / 9 + 0.7 * 138 / 49)) < 0.03
for small in (0.1, 0.01):
    shares = pairs / (pairs.sum(dim=1, keepdim=True) + small)
    spread = (shares * (levels - (shares @ levels)[:, None]) ** 2).sum(dim=1)
    near = near or abs(float(torch.as_tensor(least_error(pairs.clone(), levels.clone())).reshape(())) - float(pairs.sum(dim=1) @ spread)) < 1e-3

def which_row_errs(rows, levels, variances, shares):
    """A hint: the first x whose variance is wrong where it is the only one, or that the weights are."""
    for row, variance, said in zip(rows, variances, shares):
        try:
            alone = float(torch.as_tensor(least_error((row / row.sum())[None].clone(), levels.clone())).reshape(()))
        except Exception:
            return ""
        if not abs(alone - variance) < 1e-3:
            given = ", ".join(f"{v:.3g}" for v in (row / row.sum()).tolist())
            return f"Where x has one value alone and p the single row [{given}], yours is {alone:.4g}; the variance there is {variance:.4g}."
    return (f"Where x has one value alone, your variances are right. Together each row is first divided by its sum, {shares[0]} and {shares[1]}, however small that is; "
            "then each variance is multiplied by the same number, and they are added.")

def predicted_instead():
    """A hint for an error of 5, which the most probable value and the median both have."""
    alone = float(torch.as_tensor(least_error(torch.tensor([[0.4, 0.3, 0.3]]), levels.clone())).reshape(()))
    return ("The best prediction at x is the mean, not the most probable value." if abs(alone - 5.1) < 1e-3 else
            "The best prediction at x is the mean, not the median." if abs(alone - 3.1) < 1e-3 else
            which_row_errs(pairs, levels, (32 / 9, 138 / 49), ("0.3", "0.7")))

assert_close(least_error(pairs.clone(), levels.clone()), 0.3 * 32 / 9 + 0.7 * 138 / 49,
             "least_error for p = [[0.2, 0, 0.1], [0.1, 0.2, 0.4]] and the values 0, 1 and 4", rtol=1e-4, of="value",
             mistakes={"This is the variance of y without knowing x.": 3.36, "Weight each variance with the probability of its x.": 32 / 9 + 138 / 49,
                       "This is the plain mean of the variances: weight each with the probability of its x.": (32 / 9 + 138 / 49) / 2,
                       "Divide each row by its sum before you take its mean.": 3.716,
                       "Leave out a row whose sum is 0, not one with a single 0 in it.": 0.7 * 138 / 49,
                       "The error is squared: this is the mean of |y - mean|.": 0.3 * 16 / 9 + 0.7 * 80 / 49,
                       "The squared error is a variance, not a standard deviation.": 0.3 * math.sqrt(32 / 9) + 0.7 * math.sqrt(138 / 49),
                       "A row of p belongs to one x, a column to one y.": 0.2 / 3 + 0.08, "The mean is to be squared before it is subtracted from that of y².": 6.,
                       "This is the variance of the best predictions: the error is that of y around them.": 3.36 - 0.3 * 32 / 9 - 0.7 * 138 / 49,
                       "The values of y are not equally probable: weight them with the row divided by its sum.": 1.2 + 0.7 * 26 / 9,
                       "This is the smallest of the variances: average them with the probabilities of x.": 138 / 49,
                       "This is the largest of the variances: average them with the probabilities of x.": 32 / 9,
                       "This is the mean of y², with the prediction 0.": 8.2, "The probability of each x counts once, not twice.": 0.09 * 32 / 9 + 0.49 * 138 / 49},
             hint=lambda: "Near, but not exact: nothing is added to a sum or to a probability, and nothing is rounded." if near else
             predicted_instead() if abs(float(torch.as_tensor(least_error(pairs.clone(), levels.clone())).reshape(())) - 5) < 1e-4 else
             "Given x, y has the probabilities 2/3, 0, 1/3 and 1/7, 2/7, 4/7, so the best predictions are 4/3 and 18/7. " +
             which_row_errs(pairs, levels, (32 / 9, 138 / 49), ("0.3", "0.7")))
rare, levels_of_rare = torch.tensor([[0.02, 0.02, 0.], [0.48, 0., 0.48]]), torch.tensor([3., -1., 0.])
assert_close(least_error(rare.clone(), levels_of_rare.clone()), 2.32,
             "least_error for p = [[0.02, 0.02, 0], [0.48, 0, 0.48]] and the values 3, -1 and 0", rtol=1e-4, of="value",
             mistakes={"An x that is rare counts as well, with its probability.": 2.16, "The values belong to the columns in their order: do not sort them.": 3.85,
                       "The values of y may be negative: leave them so.": 2.2, "A negative value of y is not cut off at 0.": 2.25, "The values of y are given: they need not be 0, 1, 2.": 0.97},
             hint=lambda: "The best predictions are 1 and 1.5, the variances 4 and 2.25, the probabilities of x 0.04 and 0.96. Nothing is added, not even to a 0 in p. " +
             which_row_errs(rare, levels_of_rare, (4., 2.25), ("0.04", "0.96")))
assert_close(least_error(torch.tensor([[0.5, 0., 0.], [0., 0., 0.5]]), torch.tensor([1., 2., 5.])), 0.,
             "least_error where each x has a single y", atol=1e-6, of="determined",
             hint="The prediction meets the single y of each x: nothing is left, and nothing may be added.")
for which, impossible in (("first", [[0., 0.], [0.5, 0.5]]), ("last", [[0.5, 0.5], [0., 0.]])):
    assert_close(least_error(torch.tensor(impossible), torch.tensor([0., 2.])), 1., f"least_error with a {which} x of probability 0", rtol=1e-4,
                 of="impossible x", hint="0 / 0 is NaN: leave a row of zeros out.", mistakes={"The other x counts all the same.": 0.})
for p_before, v_before in ((pairs, levels), (pairs.double(), levels.double())):
    kept = arguments_after_least_error(p_before.clone(), v_before.clone())
    assert_close(kept[0], p_before, f"p after the call, of dtype {str(p_before.dtype)[6:]}", of="arguments kept",
                 hint="An assignment such as row /= ... or p[...] = changes the caller's table.")
    assert_close(kept[1], v_before, f"values after the call, of dtype {str(v_before.dtype)[6:]}", of="arguments kept",
                 hint="An assignment such as values -= ... or values[...] = changes the caller's tensor.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(364)
for a, b in ((4, 3), (2, 6)):
    table = torch.rand(a, b, generator=rng, dtype=torch.float64)
    table[1, 0] = 0.
    table[0] *= 0.002
    table, levels = table / table.sum(), 3 * torch.randn(b, generator=rng, dtype=torch.float64)
    wanted = (table @ levels ** 2).sum() - ((table @ levels) ** 2 / table.sum(dim=1)).sum()
    assert_close(least_error(table.clone(), levels.clone()), wanted.item(), f"{a} values of x and {b} of y", rtol=2e-5, of="value",
                 hint="The variance in each row divided by its sum, times this sum, added over the rows; one x is rare here, one entry of p is 0, and values are negative and in no order.")
    wider = torch.cat([table[:1], torch.zeros(1, b, dtype=torch.float64), table[1:]])
    assert_close(least_error(wider.clone(), levels.clone()), wanted.item(), f"{a} values of x and one of probability 0", rtol=1e-4, of="impossible x",
                 hint="A row of zeros adds nothing, and 0 / 0 is NaN.")
    assert_close(arguments_after_least_error(table.clone(), levels.clone()), [table, levels], f"p and values after the call, {a} values of x",
                 of="arguments kept", hint="An assignment such as row /= ... or values -= ... changes the caller's tensor.")
single = torch.zeros(3, 4, dtype=torch.float64)
single[0, 2], single[1, 0], single[2, 2] = 0.2, 0.3, 0.5
assert_close(least_error(single, torch.tensor([1., 2., -3., 4.], dtype=torch.float64)), 0., "three x, each with a single y", atol=1e-8, of="determined",
             hint="The prediction meets the single y of each x: nothing is left, and nothing may be added.")
### END HIDDEN TESTS

# %% [markdown] written="3.6.3" points=3
# ### BEGIN SOLUTION
# A training error of zero is to be expected in two cases. Either the model is flexible enough to meet every training
# example: a polynomial of degree $n - 1$ through $n$ different places, a look-up table. Then it is no news at all, for it
# would happen with any targets, random ones too. Or the targets follow a rule without noise that the model can express.
# In both cases no two examples may have equal features and different targets (3.6.1b): else even the best fit has an error.
#
# The generalisation error is zero only if three things hold: the features determine the target, so that the noise floor is
# 0 (`least_error` gives 0 only if each $x$ has a single $y$); the fitted model *is* this rule wherever new examples can
# fall, because the class holds it and the training examples sufficed to find it, or because every possible $x$ was among
# them; and the new examples come from the same source. A zero training error guarantees none of the three.
#
# **Rubric**
# - [1] A training error of zero comes from enough flexibility (interpolation, a look-up table), or from a rule without noise that the model can express; both are needed; also accepted: a statement that equal features with different targets make it impossible, together with one of the two; lost by "when training is long enough" alone.
# - [1] A training error of zero does not show that the model is good on new examples, with an example or reason; also accepted: it may be overfitting; lost by "zero training error means that the model is perfect".
# - [1] A generalisation error of zero needs targets that the features determine (no noise), and a fitted model equal to that rule wherever new examples fall; also accepted: every possible example was seen and is without noise; lost by "with infinitely much data it is always zero".
# ### END SOLUTION

# %% [markdown] teaches="learning curve"
# ## More examples
#
# A model overfits. Is the model wrong, or are the examples too few? Keep the model and vary the number of examples. The
# result is a **learning curve**:

# %% tags=["demo"]
sizes = [8, 12, 16, 30, 60, 120, 300, 1000, 2000]
curves = {degree: [both_errors(degree, shuffled[:n]) for n in sizes] for degree in (1, 6)}

def both_errors_of(degree, n):
    train_error, new_error = curves[degree][sizes.index(n)]
    return f"{n} animals: training {train_error:.0f}, new {new_error:.0f}"

print("degree 6,", both_errors_of(6, 30) + ";", both_errors_of(6, 2000))
print("degree 1,", both_errors_of(1, 30) + ";", both_errors_of(1, 2000))
figure, ax = plt.subplots(figsize=(5.6, 3.2), layout="constrained")
for degree, colour in ((6, "C0"), (1, "C1")):
    ax.plot(sizes, [row[0] for row in curves[degree]], "o-", color=colour, label=f"degree {degree}, training error")
    ax.plot(sizes, [row[1] for row in curves[degree]], "s--", color=colour, label=f"degree {degree}, new animals")
ax.set(xscale="log", yscale="log", xlabel="animals in the training set", ylabel="mean squared error (g²)", ylim=(50, 20000))
ax.legend(loc="upper right", fontsize=8)
ax.grid(alpha=0.3)
plt.show()

# %% [markdown]
# What to see (degree 6 leaves the picture on the left, above and below): with more examples the training error *rises* on the whole, since more
# points are harder to please, and the error on new animals falls. Each size is one draw, so the curves jump where the sets are
# small. The two meet at the best that the class can do; at the end either may be the larger, by chance, for they are measured on
# different animals. Degree 6 overfits 30 animals (185 against 1,395) and fits
# 2,000 (674 against 629): it only lacked data. Degree 1 has long arrived at 1,402 and 1,376: a line is too stiff, and another
# million animals would not help it. So the flexibility that one can afford depends on the amount of data.
#
# A diagnosis needs data, too. The rule of 3.6.B, with a floor of 630, calls degree 1 overfitted on our 12 animals (725 and
# 1,387): the line misses them, but on just these 12 its error stays below twice the floor. On 2,000 (1,402 and 1,376) the rule
# says what is true: underfitted.

# %% [markdown] task="3.6.7" kind="explain" minutes=9 difficulty=3 needs="learning curve, polynomial regression, overfitting, underfitting"
# ### A case for more data
#
# Your algorithm does poorly on a difficult data set. You want to convince the one who pays that more data is worth its
# price. You cannot get more just to show it. But you can take some away.
#
# Write `learning_curve(x, y, x_val, y_val, degree, sizes)`. For each number in the list `sizes` it fits a polynomial of this
# degree to the first examples of `x`, `y`, that many; `x_val`, `y_val` are examples that no fit uses. All are float64 tensors
# of one axis, and each size is larger than the degree.
#
# Then write your case in words: what you measure, which picture speaks for more data, which against, and what you propose
# then.
#
# **You are done when**
# - **shape**: a tensor of shape `(len(sizes), 2)` comes back;
# - **training errors**: column 0 is the mean squared error on the very examples that the fit used;
# - **validation errors**: column 1 is the mean squared error on all of `x_val`, `y_val`.
#
# The words are complete when they say how the smaller sets are drawn, what stays the same, and how each outcome is read.

# %% exercise="3.6.7"
def learning_curve(x, y, x_val, y_val, degree, sizes):
    """A row (training error, validation error) for each size: a tensor (len(sizes), 2)."""
    ### BEGIN SOLUTION
    rows = []
    for n in sizes:
        coefficients = fit(x[:n], y[:n], degree)
        rows.append([squared_error(predict(coefficients, a), b).item() for a, b in ((x[:n], y[:n]), (x_val, y_val))])
    return torch.tensor(rows)
    ### END SOLUTION

# %% [markdown] hints="3.6.7"
# 1. Which examples does the training error belong to, if only 10 of 100 were used?
# 2. `x[:n]` are the first n. `fit` and `predict` do the polynomial, `torch.tensor` makes a tensor of a list of pairs.
# 3. For the mean as a model and y = 1, 3, 8: with two examples the mean is 2, the training error 1, and the error on a
#    validation target of 5 is 9.

# %% check="3.6.7" points=2
line_x, line_y = torch.tensor([3., 1., 0., 2.], dtype=torch.float64), torch.tensor([1., 3., 5., 4.], dtype=torch.float64)
test_x, test_y = torch.tensor([0.5, 4., 2.], dtype=torch.float64), torch.tensor([1., 6., 5.], dtype=torch.float64)

def three_numbers(*entries):
    return torch.tensor(entries, dtype=torch.float64)

def about_the_rows_of(found, column):
    """A hint for the first row that is wrong."""
    right = (1., 2.1875, 8 / 3) if column == 0 else (26 / 3, 15.6875 / 3, 17 / 3)
    row = next((i for i in range(3) if not abs(float(found[i, column]) - right[i]) < 1e-3), 0)
    n, targets, mean = ((2, "1 and 3", "2"), (4, "1, 3, 5 and 4", "3.25"), (3, "1, 3 and 5", "3"))[row]
    if column == 0:
        return f"Row {row} is of size {n}: the first {n} targets are {targets}, the constant is their mean {mean}, and the error is that on just these {n}."
    return f"Row {row} is of size {n}: its constant is {mean}, the mean of {targets}; it is measured on 1, 6 and 5, all three, and on nothing else."

found = learning_curve(line_x, line_y, test_x, test_y, 0, [2, 4, 3])
assert_type(found, torch.Tensor, "what learning_curve returns", of="shape", hint="torch.tensor makes a tensor of a list of pairs." if isinstance(found, list) else "")
assert_shape(found, (3, 2), "the shape for three sizes", of="shape", hint="A row for each size, a column for each of the two errors.")
assert_shape(learning_curve(line_x, line_y, test_x, test_y, 0, [3, 2, 3]), (3, 2), "the shape for the sizes 3, 2 and 3", of="shape",
             hint="A row for each entry of sizes, also where a size is there twice. (A dictionary holds each key once.)")
assert_close(found[:, 0].double(), three_numbers(1., 2.1875, 8 / 3), "degree 0, sizes 2, 4 and 3, y = 1, 3, 5, 4: the training errors", rtol=1e-4,
             of="training errors", mistakes={"The training error belongs to the examples that the fit used, not to all.": three_numbers(3.75, 2.1875, 2.25),
                                             "This is the sum of the squares, not the mean.": three_numbers(2., 8.75, 8.),
                                             "These are the roots of the errors.": three_numbers(1., math.sqrt(2.1875), math.sqrt(8 / 3)),
                                             "The validation examples take part in the fit.": three_numbers(2.44, 2.1875 + (25 / 7 - 3.25) ** 2, 8 / 3 + 0.25),
                                             "One fit to all examples serves every size here: fit again for each.": three_numbers(2.5625, 2.1875, 8 / 3 + 0.0625),
                                             "The fit uses the first examples, in their order, and no others.": three_numbers(0.25, 2.1875, 2 / 3),
                                             "One example too many: x[:n] are the first n.": three_numbers(8 / 3, 2.1875, 2.1875),
                                             "The rows stand in the order of sizes, as given.": three_numbers(1., 8 / 3, 2.1875),
                                             "Each of these numbers is the validation error: which column is which?": three_numbers(26 / 3, 15.6875 / 3, 17 / 3),
                                             "The sizes are the numbers in the list, not 1, 2, 3.": three_numbers(0., 1., 8 / 3),
                                             "The sizes are the numbers in the list, not 0, 1, 2.": three_numbers(1., 1., 1.),
                                             "A reshape does not exchange rows and columns: a row holds both errors of one size.": three_numbers(1., 8 / 3, 15.6875 / 3),
                                             "The fit is to x and y, not to the validation examples.": three_numbers(3.25, 2.75, 11 / 3),
                                             "This is the mean of |ŷ - y|: square it.": three_numbers(1., 1.375, 4 / 3),
                                             "Row 2 is of the targets 3, 5 and 4: take the first three as they stand, neither those with the smallest x nor random ones.": three_numbers(1., 2.1875, 2 / 3),
                                             "Divide by the number of examples, not by what is left of it when the coefficients are subtracted.": three_numbers(2., 8.75 / 3, 4.),
                                             "Every size begins at the first example again, not where the size before it ended.": three_numbers(1., 0.25, 8 / 3),
                                             "After the first row these are not the first examples: every size begins at the first example again.": three_numbers(1., 0.25, 2.1875),
                                             "The degree is the same for every size: here it grows from row to row.": three_numbers(1., 0.675, 0.),
                                             "One degree too many: degree 0 is a constant.": three_numbers(0., 0.675, 2 / 21),
                                             "Each fit is measured on one example more than it has seen.": three_numbers(11 / 3, 2.1875, 2.25)},
             hint=lambda: "With all four rows it is right: the others take the *first* 2 and the first 3, in their order." if abs(float(found[1, 0]) - 2.1875) < 1e-4 else
             "These are 0, but for rounding: your polynomials meet all their points, as those of degree n - 1 do. "
             "The degree is an argument, here 0."
             if 0 < float(found[:, 0].abs().max()) < 1e-9 else
             about_the_rows_of(found, 0))
assert_close(found[:, 1].double(), three_numbers(26 / 3, 15.6875 / 3, 17 / 3),
             "degree 0, sizes 2, 4 and 3: the errors on the targets 1, 6 and 5", rtol=1e-4,
             of="validation errors",
             mistakes={"Whatever the size, the validation error is that on all of x_val.": three_numbers(8.5, 15.6875 / 3, 17 / 3),
                                               "These are the roots of the errors.": three_numbers(26 / 3, 15.6875 / 3, 17 / 3).sqrt(),
                                               "This is the error of a fit to the validation examples themselves: no fit uses them.": three_numbers(14 / 3, 14 / 3, 14 / 3),
                                               "Each row has a fit of its own: here the last one is measured in every row.": three_numbers(17 / 3, 17 / 3, 17 / 3),
                                               "Column 1 is measured on x_val alone, without the examples that are left over.": three_numbers(7.8, 15.6875 / 3, 4.5),
                                               "Column 1 is measured on x_val alone, without the examples of the fit.": three_numbers(5.6, 24.4375 / 7, 25 / 6),
                                               "This is the sum of the squares, not the mean.": three_numbers(26., 15.6875, 17.),
                                               "The mean is over the validation examples: divide by their number, not by the size.": three_numbers(13., 15.6875 / 4, 17 / 3),
                                               "This is the gap between the two errors: column 1 is the validation error itself.": three_numbers(23 / 3, 9.125 / 3, 3.),
                                               "Row 2 repeats the error of row 1, which is smaller: each size has its own, be it larger than one before.":
                                               three_numbers(26 / 3, 15.6875 / 3, 15.6875 / 3)},
             hint=lambda: about_the_rows_of(found, 1))
found = learning_curve(line_x, line_y, test_x, test_y, 1, [2, 3])

def of_a_constant():
    """A hint where degree 1 has the errors of a constant."""
    if not np.allclose(found[0].tolist(), [1., 26 / 3]):
        return ""
    of_degree_2 = float(learning_curve(line_x, line_y, test_x, test_y, 2, [4])[0, 0])
    return "These are the errors of a constant" + (
        ", for degree 2 as well: the degree is not used." if abs(of_degree_2 - 2.1875) < 1e-4 else
        ", and for degree 2 you have those of a line: the degree is the highest power, not the number of coefficients."
        if abs(of_degree_2 - 0.675) < 1e-4 else ".")

assert_close(found[0].double(), torch.tensor([0., 51.25 / 3], dtype=torch.float64),
             "degree 1, size 2: both errors of the line 4 - x", rtol=1e-4, atol=1e-8, of="validation errors",
             mistakes={"Predictions of shape (n, 1) minus targets (n,) make a table of all pairs: take the one column.": torch.tensor([2., 102.75 / 9], dtype=torch.float64)},
             hint=lambda: of_a_constant() or "The line meets both of its points; at 0.5, 4 and 2 it is 3.5, 0 and 2, and the targets are 1, 6 and 5.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(365)
a, b = 2 * torch.rand(30, generator=rng, dtype=torch.float64) - 1, torch.randn(30, generator=rng, dtype=torch.float64)
c, d = 2 * torch.rand(7, generator=rng, dtype=torch.float64) - 1, torch.randn(7, generator=rng, dtype=torch.float64)
for degree_, sizes_ in ((2, [5, 30, 12]), (3, [9, 20]), (1, [8, 6, 8])):
    found, wanted = learning_curve(a, b, c, d, degree_, sizes_), []
    for n in sizes_:
        F, G = (torch.stack([v ** p for p in range(degree_ + 1)], dim=1) for v in (a[:n], c))
        best = torch.linalg.solve(F.T @ F, F.T @ b[:n])
        wanted.append([((F @ best - b[:n]) ** 2).mean().item(), ((G @ best - d) ** 2).mean().item()])
    wanted = torch.tensor(wanted, dtype=torch.float64)
    assert_shape(found, (len(sizes_), 2), f"the shape for {len(sizes_)} sizes", of="shape")
    assert_close(found[:, 0].double(), wanted[:, 0], f"the training errors, degree {degree_}, sizes {sizes_}", rtol=1e-3, of="training errors",
                 hint="A fit of this degree to the first examples, that many, and its mean squared error on the very same.")
    assert_close(found[:, 1].double(), wanted[:, 1], f"the validation errors, degree {degree_}, sizes {sizes_}", rtol=1e-3, of="validation errors",
                 hint="The same fit, and its mean squared error on all seven validation examples.")
### END HIDDEN TESTS

# %% [markdown] written="3.6.7" points=3
# ### BEGIN SOLUTION
# Set aside one validation set for good. From the rest draw random subsets, say a tenth, a fifth, a half and all, each
# inside the next; fit the same algorithm, with its settings tuned anew, on each, and plot training and validation error
# against the size on a logarithmic axis. Repeat with other draws, so that luck shows as a spread.
#
# If the validation error still falls from the half to the whole, and the training error lies well below it, the model
# overfits for want of data. One can extend the curve: if each doubling took off a fifth, the next one may do so too. That is
# the case for buying, with a number. For the abalones at degree 6, going from 30 to 2,000 animals took the error on new
# animals from 1,395 to 629.
#
# If the two curves have met, at an error that is too large, more data of the same kind will not help: the degree 1 curves
# lie together at about 1,400. Then a more flexible model or better features are the thing to pay for. If they have met at
# the noise floor, only other features help.
#
# **Rubric**
# - [1] Train on (random) parts of the data of several sizes and measure each time on the same examples that no fit uses; also accepted: the same by cross-validation; lost by judging by the training error alone.
# - [1] An error on unseen examples that still falls at the full size, or a clear gap to the training error, speaks for more data; also accepted: extrapolating the curve; lost by "the training error falls with more data".
# - [1] A flat curve, or two curves that have met, speaks against more data and for another model or features; lost by "more data always helps".
# ### END SOLUTION

# %% [markdown] teaches="validation set, test set"
# ## Three sets, three uses
#
# We chose degree 3 by looking at the error on 2,074 other animals. Is that error still an honest estimate for degree 3? Let us
# exaggerate. A thousand "models" guess the sex of penguins by tossing a coin. Nothing is learnt, each is right half of the
# time. We let all of them guess the sex of 30 penguins and pick the best:

# %% tags=["demo"]
penguins = pd.read_csv(d2l.data_file("penguins.csv")).dropna()
male = torch.tensor((penguins["sex"] == "male").to_numpy())
guesses = torch.randint(0, 2, (1000, len(male)), generator=torch.Generator().manual_seed(0)).bool()
hits = (guesses == male).double()
on_thirty, on_others = hits[:, :30].mean(dim=1), hits[:, 30:].mean(dim=1)
winner = on_thirty.argmax()
print(f"the best of 1,000 is right for {on_thirty[winner]:.1%} of the 30 penguins, and for {on_others[winner]:.1%} of {len(male) - 30} others")
figure, ax = plt.subplots(figsize=(5.2, 2.8), layout="constrained")
ax.hist(on_thirty, bins=[k / 30 - 1 / 60 for k in range(5, 28)], color="C0")
ax.axvline(on_thirty[winner], color="C1", label="the winner on the 30")
ax.axvline(on_others[winner], color="black", linestyle="--", label="the winner on the others")
ax.set(xlabel="share of the 30 penguins guessed right", ylabel="guessers")
ax.legend(loc="upper left", fontsize=8, bbox_to_anchor=(0.0, 1.0))
ax.set_ylim(0, 200)
plt.show()

# %% [markdown]
# What to see: the winner stands at the right end of the heap by luck, and its luck does not travel. The 30 penguins measured each
# guesser fairly, but not the *best* of them. Choosing is a kind of fitting, and the examples by which one chooses are used
# up by it. Hence three sets, with a rule for each:
#
# | set | its examples may be used | how often |
# |---|---|---|
# | **training set** | to fit parameters, and all that is computed from data, such as the means for standardising | always |
# | **validation set** | to choose what the fit does not: degree, learning rate, features, when to stop | often; its error gets too kind with every choice |
# | **test set** | to report the error of the one model that was chosen | once, at the end; nothing is changed after it |
#
# Rows are put into the sets at random, unless there is a reason against it (the lesson on leaks has some). If the test error
# disappoints and one goes back to change the model, the test set has become a validation set, and a new one is needed.

# %% tags=["demo"]
train, val, test = shuffled[:40], shuffled[40:60], shuffled[60:100]
scores = {degree: squared_error(predict(fit(z[train], weight[train], degree), z[val]), weight[val]).item() for degree in range(9)}
best = min(scores, key=scores.get)
print("validation errors:", {degree: round(error) for degree, error in scores.items()})
test_error = squared_error(predict(fit(z[train], weight[train], best), z[test]), weight[test])
print(f"degree {best}: validation error {scores[best]:.0f}, test error {test_error:.0f}")

# %% [markdown]
# The training set has 40 animals, validation 20, test 40. The validation errors of degrees 2 to 8 are nearly equal: twenty animals
# cannot tell them apart. Degree 6 wins by a hair, and its 408 is too kind to it, as the winner's luck goes. The test set, which
# chose nothing, says 699.

# %% [markdown] task="3.6.C" kind="code" minutes=3 difficulty=1 core=true needs="training set, validation set, test set"
# ### Cut three sets
#
# Write `three_sets(order, n_val, n_test)`. `order` is a tensor of different row numbers that somebody has shuffled. Return
# three tensors (or lists) of row numbers: training, validation, test.
#
# **You are done when**
# - **sizes**: validation has `n_val` rows, test has `n_test`, training has the rest;
# - **each row once**: every row of `order` is in exactly one of the three;
# - **a set may be empty**: the same holds where `n_val` or `n_test` is 0, or their sum is all rows; a set of 0 rows is an empty tensor (or list).

# %% exercise="3.6.C"
def three_sets(order, n_val, n_test):
    """(training, validation, test): the row numbers of `order`, divided."""
    ### BEGIN SOLUTION
    return order[n_val + n_test:], order[:n_val], order[n_val:n_val + n_test]
    ### END SOLUTION

# %% [markdown] hints="3.6.C"
# 1. `order` is shuffled already. Where would you cut it?
# 2. `order[-0:]` is `order[0:]`, all of it: slices that count from the end fail for 0.
# 3. Two sets: `order[3:]` and `order[:3]`.

# %% check="3.6.C" points=1
def row_lists(result, what, of):
    assert_type(result, (tuple, list), what, of=of)
    assert_equal(len(result), 3, f"{what}: how many sets", of=of)
    for place, rows in zip(("training", "validation", "test"), result):
        assert_type(rows, (torch.Tensor, np.ndarray, list, tuple), f"{what}: the {place} set", of=of,
                    hint="A set of 0 rows is an empty tensor, as order[:0] is." if rows is None else "Each set is a tensor or a list of row numbers.")
    return [torch.as_tensor(rows).tolist() for rows in result]

def about_the_rows(sets, order):
    """What is wrong with the row numbers in the three sets."""
    rows, wanted = sum(sets, []), order.tolist()
    if set(rows) - set(wanted):
        return "Some of these numbers are not in order: give its entries, not their positions."
    if sorted(rows) == sorted(wanted):
        return ""
    if len(rows) < len(wanted):
        return "Some rows are in none of the sets. order[a:b] has the b - a rows from a on, without that at b: the next slice begins at b."
    at = [[wanted.index(row) for row in part_] for part_ in sets]
    if all(places == list(range(places[0], places[0] + len(places))) for places in at if places):
        return "Some rows are there twice: each slice begins where the one before it ends."
    return "Some rows are there twice: order is shuffled already, and need only be cut at two places."

shuffled_rows = torch.tensor([14, 3, 8, 1, 22, 9, 5, 30, 6, 11])
sets = row_lists(three_sets(shuffled_rows, 3, 1), "three_sets of 10 rows with n_val = 3, n_test = 1", "sizes")
assert_equal([len(rows) for rows in sets], [6, 3, 1], "the sizes of training, validation and test for 10 rows, n_val = 3, n_test = 1", of="sizes",
             mistakes={"Validation has n_val rows, test n_test.": [6, 1, 3], "The rows of the other two sets are in the training set, too.": [10, 3, 1],
                       "The order is training, validation, test.": [3, 6, 1],
                       "The test set is empty. A slice order[a:b] ends before place b, which is a + n_test, and not n_test itself.": [6, 3, 0],
                       "Training stands first, then validation, then test.": [3, 1, 6], "Training stands first, then validation, and test last.": [1, 3, 6],
                       "These are masks: take the rows, order[mask].": [10, 10, 10]},
             hint=lambda: about_the_rows(sets, shuffled_rows) or "Validation has 3, test 1, training the other 6.")
assert_equal(sorted(sum(sets, [])), sorted(shuffled_rows.tolist()), "all rows of the three sets together, sorted", of="each row once",
             hint=lambda: about_the_rows(sets, shuffled_rows))
for n_val, n_test in ((3, 0), (0, 2), (0, 0), (4, 6), (0, 10)):
    sets = row_lists(three_sets(shuffled_rows, n_val, n_test), f"n_val = {n_val}, n_test = {n_test}", "a set may be empty")
    assert_equal([len(rows) for rows in sets], [10 - n_val - n_test, n_val, n_test], f"the three sizes for n_val = {n_val}, n_test = {n_test}",
                 mistakes={"order[-0:] is all of order, and order[-3:-0] is empty.": [7, 0, 10], "[:-0] is [:0], and that is empty; [-0:] is all.": [0, 8, 2],
                           "[:-0] is empty, and [-0:] is all.": [0, 0, 10]}, of="a set may be empty",
                 hint=lambda: about_the_rows(sets, shuffled_rows) or ("Validation and test take all the rows here: training is empty."
                                                              if n_val + n_test == 10 else
                                                              "A set of 0 rows is an empty tensor; training takes the rest."))
    assert_equal(sorted(sum(sets, [])), sorted(shuffled_rows.tolist()), f"all rows of the three sets together, sorted, for n_val = {n_val}, n_test = {n_test}",
                 of="each row once", hint=lambda: about_the_rows(sets, shuffled_rows))
### BEGIN HIDDEN TESTS
longer = torch.randperm(23, generator=torch.Generator().manual_seed(366)) + 100
sets = row_lists(three_sets(longer, 4, 7), "23 rows, n_val = 4, n_test = 7", "sizes")
assert_equal([len(rows) for rows in sets], [12, 4, 7], "the three sizes for 23 rows, n_val = 4, n_test = 7", of="sizes",
             hint=lambda: about_the_rows(sets, longer) or "Training, validation, test, in this order; the sizes are arguments.")
assert_equal(sorted(sum(sets, [])), sorted(longer.tolist()), "all rows together, 23 rows", of="each row once", hint=lambda: about_the_rows(sets, longer))
for n_val, n_test in ((0, 0), (0, 23), (6, 0)):
    sets = row_lists(three_sets(longer, n_val, n_test), f"23 rows, n_val = {n_val}, n_test = {n_test}", "a set may be empty")
    assert_equal([len(rows) for rows in sets], [23 - n_val - n_test, n_val, n_test], f"the three sizes for 23 rows, n_val = {n_val}, n_test = {n_test}",
                 hint=lambda: about_the_rows(sets, longer) or "Each of the three may be empty, training too; slices that count from the end fail for 0.", of="a set may be empty")
### END HIDDEN TESTS

# %% [markdown] task="3.6.8" kind="code" minutes=5 difficulty=2 core=true needs="polynomial regression, training set, validation set, test set"
# ### Choose, then report
#
# Write `choose_and_report(train, val, test, degrees)`. Each of the first three is a pair `(x, y)` of float64 tensors of shape
# `(n,)`, with an n of its own; `degrees` is a list. Return the pair `(degree, error)`.
#
# **You are done when**
# - **fit**: every polynomial is fitted on the training set alone, the chosen one too;
# - **choice**: `degree` is the one of `degrees` with the smallest mean squared error on the validation set;
# - **report**: `error` is the chosen polynomial's mean squared error on the test set;
# - **arguments kept**: the list `degrees` is as it was.

# %% exercise="3.6.8"
def choose_and_report(train, val, test, degrees):
    """(degree chosen on val, its error on test); x and y of each set have shape (n,)."""
    ### BEGIN SOLUTION
    fitted = {degree: fit(*train, degree) for degree in degrees}
    best = min(degrees, key=lambda degree: squared_error(predict(fitted[degree], val[0]), val[1]).item())
    return best, squared_error(predict(fitted[best], test[0]), test[1]).item()
    ### END SOLUTION

# %% [markdown] hints="3.6.8"
# 1. Which of the three sets may each of your lines see?
# 2. The worked cell above does it for the abalones; `min(scores, key=scores.get)` is the key with the smallest value.
# 3. With validation errors 9, 4, 6 for the degrees 0, 1, 2 the choice is 1, even if the test error of degree 2 is smaller.

# %% check="3.6.8" points=2
def three_samples(seed, sizes, function, noise):
    rng = torch.Generator().manual_seed(seed)
    samples = []
    for n in sizes:
        x = 2 * torch.rand(n, generator=rng, dtype=torch.float64) - 1
        samples.append((x, function(x) + noise * torch.randn(n, generator=rng, dtype=torch.float64)))
    return samples

def errors_on(samples, degrees, fit_on=(0,)):
    """For each degree the mean squared errors on the three samples, the mean |errors|, the medians of the squares, fitted on the samples of these numbers."""
    x, y = (torch.cat([samples[i][part_] for i in fit_on]) for part_ in (0, 1))
    result = {}
    for degree in degrees:
        F = torch.stack([x ** p for p in range(degree + 1)], dim=1)
        c = torch.linalg.solve(F.T @ F, F.T @ y)
        misses = [sum(c[p] * a ** p for p in range(degree + 1)) - b for a, b in samples]
        result[degree] = [(miss ** 2).mean().item() for miss in misses] + [miss.abs().mean().item() for miss in misses] + [miss.square().median().item() for miss in misses]
    return result

@probe
def degrees_after(train, val, test, degrees):
    choose_and_report(train, val, test, degrees)
    return degrees

def the_check(samples, degrees, name, shown):
    any_degree = errors_on(samples, range(max(degrees) + 1))
    errors, refitted, everything, with_test, on_val = (errors_on(samples, degrees, fit_on)
                                                       for fit_on in ((0,), (0, 1), (0, 1, 2), (0, 2), (1,)))
    by = [min(degrees, key=lambda degree: errors[degree][i]) for i in range(3)]
    answer = choose_and_report(*samples, list(degrees))
    n_val, n_test = (len(sample[0]) for sample in samples[1:])
    together = min(degrees, key=lambda degree: n_val * errors[degree][1] + n_test * errors[degree][2])
    nearest = min(degrees, key=lambda degree: abs(errors[degree][1] - errors[degree][0]))
    rises = [i for i in range(1, len(degrees)) if errors[degrees[i]][1] > errors[degrees[i - 1]][1]]
    first_dip = degrees[rises[0] - 1] if rises else by[1]
    chosen = answer[0] if isinstance(answer, (tuple, list, torch.Tensor, np.ndarray)) and len(answer) == 2 else None
    listed = ", ".join(f"{errors[degree][1]:.3f}" for degree in degrees)
    nearly = any(chosen is not None and torch.as_tensor(chosen).numel() == 1 and chosen == d and errors[d][1] < 1.1 * errors[by[1]][1] for d in degrees)
    about_the_choice = f": the smallest, {errors[by[1]][1]:.3f}, is that of degree {by[1]}{', and nearly as small, or as small when rounded, is not enough' if nearly else ''}."
    if by[1] == 0:
        about_the_choice += " (0 is a degree like any other: `not best` is true for it, and the search begins with the first of the list.)"
    elif chosen == degrees[0] and errors[by[1]][1] > 1:
        about_the_choice += " (A search that starts from a number of its own, such as 1 or 100, may find nothing smaller: start from math.inf.)"
    assert_type(answer, (tuple, list, torch.Tensor, np.ndarray), f"what choose_and_report returns, {name}", of="choice")
    assert_equal(len(answer), 2, f"how many numbers come back, {name}", of="choice")
    assert_equal(answer[0], by[1], f"the degree chosen from {degrees}, {name}", of="choice",
                 mistakes={"The degree stands first.": errors[by[1]][2], "If this is the place in the list, give the degree that stands there.": degrees.index(by[1]),
                           "Of the whole list, this one has the largest mean squared error on the validation set.": max(degrees, key=lambda degree: errors[degree][1]),
                           "If the choice is made on the examples that were fitted, the most flexible polynomial always wins, as here: fit on train, choose on val.": by[0],
                           "This is the best on the test set, which may not take part in the choice.": by[2],
                           "If you stop at the first rise: the error may fall again further on in the list.": first_dip,
                           "Square the errors: this one has the smallest mean of |ŷ - y|.": min(degrees, key=lambda degree: errors[degree][4]),
                           "The mean of the squares decides, not their median.": min(degrees, key=lambda degree: errors[degree][7]),
                           "The validation error alone decides, not its sum with the training error.": min(degrees, key=lambda degree: errors[degree][0] + errors[degree][1]),
                           "The choice is among the degrees of the list, no others.": min(range(max(degrees) + 1), key=lambda degree: any_degree[degree][1]),
                           "If validation and test examples chose together: the test set may not take part.": together,
                           "The smallest validation error decides, not the smallest distance from the training error.": nearest},
                 hint=lambda: ("This is a place in the list, counted from 0: where the first entry is put last, yours is one less. "
                               "Give the degree that stands at this place."
                               if choose_and_report(*samples, [*degrees[1:], degrees[0]])[0] == chosen - 1 else
                               "The first of the pair is one of the degrees in the list, no other.")
                 if not any(chosen is not None and torch.as_tensor(chosen).numel() == 1 and chosen == d for d in degrees)
                 else f"Fitted on the training set, these degrees have the mean squared errors {listed} on the validation set{about_the_choice}" if shown else
                 "Fitted on the training set alone; the smallest mean (not sum, not |error|) of squares on the validation set decides, unrounded, over the whole list, from its first entry to its last; 0 is a degree like any other.")
    assert_true(abs(float(answer[1]) - refitted[by[1]][2]) > 1e-6, f"the polynomial of your report was fitted on the training set alone, {name}",
                hint="The validation examples may choose the degree; here they do not join the fit.", of="fit")
    assert_close(answer[1], errors[by[1]][2], f"the error reported, {name}", rtol=1e-3, of="report",
                 mistakes={"This is the validation error: it took part in the choice.": errors[by[1]][1],
                           "This is the training error.": errors[by[1]][0],
                           "This is the error of the last polynomial in the list, not of the chosen one.": errors[degrees[-1]][2],
                           "The polynomial of this report has seen the test examples.": everything[by[1]][2],
                           "The polynomial that is reported was fitted on the training and the test examples: the test set takes part in no fit.": with_test[by[1]][2],
                           "This is the smallest error on the test set of all degrees: report that of the chosen one.": errors[by[2]][2],
                           "This is the root of the mean squared error.": math.sqrt(errors[by[1]][2]), "This is the sum of the squares, not the mean.": n_test * errors[by[1]][2],
                           "This is half of the mean squared error.": errors[by[1]][2] / 2,
                           "The polynomial that is reported was fitted on the validation examples: here they only choose.": on_val[by[1]][2],
                           "This is the mean of the errors on validation and test: only the test examples belong here.": (errors[by[1]][1] + errors[by[1]][2]) / 2},
                 hint=f"The polynomial of degree {by[1]}, fitted on the training set: the mean of (ŷ - y)² over the {n_test} test examples." if shown else
                 "The chosen polynomial, fitted on the training set: the mean of (ŷ - y)² over all test examples.")
    assert_equal(degrees_after(*samples, list(degrees)), degrees, f"the list of degrees after the call, {name}", of="arguments kept",
                 hint="Sorting or emptying a list changes the caller's.")

the_check(three_samples(4832, (14, 10, 9), lambda x: 2 * x ** 2 - x, 0.46), [3, 6, 1, 5, 4], "14, 10 and 9 examples", True)
the_check(three_samples(132, (16, 12, 8), lambda x: 8 * x ** 3 + 3 * x, 9.), [2, 4, 0, 5, 3], "16, 12 and 8 examples of large errors", True)
the_check(three_samples(72, (16, 12, 8), lambda x: 20 + 3 * x, 12.), [0, 2, 1, 3], "16, 12 and 8 examples, nearly a constant",
          True)
the_check(three_samples(645, (15, 11, 8), lambda x: 1 + x - 2 * x ** 2, 0.4), [5, 3, 1, 4, 2], "15, 11 and 8 examples", True)
### BEGIN HIDDEN TESTS
the_check(three_samples(432, (15, 11, 7), lambda x: (3 * x).sin(), 0.3), [6, 0, 2, 5, 3], "15, 11 and 7 examples", False)
the_check(three_samples(1143, (20, 9, 14), lambda x: 1 - 2 * x + 3 * x ** 3, 0.4), [4, 1, 3, 2, 5, 6], "20, 9 and 14 examples", False)
the_check(three_samples(1430, (16, 12, 8), lambda x: 30 * x ** 2, 11.), [2, 5, 1, 4], "16, 12 and 8 other examples", False)
the_check(three_samples(3971, (16, 12, 8), lambda x: 20 + 3 * x, 12.), [2, 0, 1, 3], "16, 12 and 8 examples near a constant", False)
### END HIDDEN TESTS

# %% [markdown] teaches="k-fold cross-validation"
# ## Too few to set aside
#
# With 60 animals a validation set of 12 leaves a very uncertain estimate, and a larger one takes examples from the fit. **K-fold
# cross-validation** uses every example for both, one after the other: cut the examples into $k$ parts (*folds*); hold out one
# fold, fit on the other $k - 1$, measure on the one held out; do it for each fold; average the $k$ errors. `torch.tensor_split`
# cuts, and where $k$ does not divide the number of rows, the first folds get one more.

# %%
print([fold.tolist() for fold in torch.tensor_split(torch.arange(11), 4)])

# %% tags=["demo"]
figure, ax = plt.subplots(figsize=(6, 2.3), layout="constrained")
for i in range(5):
    for j in range(5):
        held_out = i == j
        ax.barh(i, 0.96, left=j, color="C1" if held_out else "C0", alpha=1 if held_out else 0.35)
        ax.text(j + 0.48, i, "measure" if held_out else "fit", ha="center", va="center", fontsize=9)
ax.set(yticks=range(5), yticklabels=[f"round {i + 1}" for i in range(5)], xticks=[j + 0.48 for j in range(5)],
       xticklabels=[f"fold {j + 1}" for j in range(5)])
ax.invert_yaxis()
ax.spines[:].set_visible(False)
ax.tick_params(length=0)
plt.show()

# %% [markdown]
# Each row is one round with a model of its own; the folds are the columns. Each example is measured once, by a model that
# has not seen it. Here it is by hand for 60 animals, five folds of 12, and degree 3. (`sample` of pandas draws rows at random;
# `random_state` is its seed.)

# %%
small = pd.read_csv(d2l.data_file("abalone.csv")).sample(60, random_state=0)
x60 = torch.tensor(((small["length"] * 200 - 80) / 75).to_numpy())
y60 = torch.tensor((small["whole_weight"] * 200).to_numpy())

fold_errors = []
for fold in torch.tensor_split(torch.arange(60), 5):
    rest = torch.ones(60, dtype=torch.bool)
    rest[fold] = False                                     # True for the rows to fit on
    coefficients = fit(x60[rest], y60[rest], 3)
    fold_errors.append(squared_error(predict(coefficients, x60[fold]), y60[fold]).item())
print([round(error) for error in fold_errors], "mean", round(sum(fold_errors) / 5))

# %% [markdown]
# The five numbers differ a lot: twelve animals are few. Their mean uses all 60. To choose a degree, do this for every degree
# and take the one with the smallest mean; then fit it once more, on all 60.

# %% [markdown] task="3.6.D" kind="code" minutes=2 difficulty=1 needs="k-fold cross-validation"
# ### How large is a fold?
#
# Write `fold_sizes(n, k)`: the sizes of the folds, as a list, if `n` rows are cut into `k` folds, `n ≥ k ≥ 1`.
#
# **You are done when**
# - **all rows**: there are `k` sizes, and they add up to `n`;
# - **even**: no two sizes differ by more than 1, and the larger ones come first.

# %% exercise="3.6.D"
def fold_sizes(n, k):
    """The k sizes, larger ones first."""
    ### BEGIN SOLUTION
    return [n // k + (i < n % k) for i in range(k)]
    ### END SOLUTION

# %% [markdown] hints="3.6.D"
# 1. How many rows are left over if each fold gets `n // k`?
# 2. The remainder `n % k` is smaller than k: so many folds get one row more.
# 3. For 11 rows and 4 folds: `11 // 4` is 2 and 3 are left, so 3, 3, 3, 2, as `torch.tensor_split` does it.

# %% check="3.6.D" points=1
for n, k in ((10, 4), (7, 7), (23, 5), (6, 1)):
    sizes_found = fold_sizes(n, k)
    assert_type(sizes_found, (list, tuple, torch.Tensor, np.ndarray), f"what fold_sizes({n}, {k}) returns", of="all rows")
    single = all(torch.as_tensor(s).ndim == 0 for s in sizes_found)
    assert_true(single and all(float(s) == int(s) for s in sizes_found), f"fold_sizes({n}, {k}): each entry is one whole number", of="all rows",
                hint="No row is cut in pieces: some folds get one more." if single else "The sizes of the folds are asked, not the folds.")
    sizes_found = [int(s) for s in sizes_found]
    assert_equal([len(sizes_found), sum(sizes_found)], [k, n], f"fold_sizes({n}, {k}): how many sizes, and their sum", of="all rows",
                 mistakes={"The remainder is left out.": [k, n // k * k], "There are k folds, not one more for the remainder.": [k + 1, n],
                           "n rows go into k folds: n and k have changed places.": [n, k], "One row too many: n % k folds are larger, no more.": [k, n + 1], "One row too few: n % k folds are larger, no fewer.": [k, n - 1],
                           "Every fold is one too large: n % k folds get one more, and 0 of them where nothing is left over.": [k, (n // k + 1) * k if n % k == 0 else -1],
                           "One fold is missing, the last.": [k - 1, n - n // k],
                           "If every fold is rounded up, there are more rows than n.": [k, -(-n // k) * k], "k is the number of folds, not of rows in each.": [-(-n // k), n]},
                 hint=f"There are {k} folds; together they hold {n} rows.")
    assert_equal(sizes_found, [n // k + 1] * (n % k) + [n // k] * (k - n % k), f"fold_sizes({n}, {k})", of="even",
                 mistakes={"The whole remainder is in the last fold: spread it.": [n // k] * (k - 1) + [n // k + n % k],
                           "The whole remainder is in the first fold: spread it.": [n // k + n % k] + [n // k] * (k - 1),
                           "If each takes n / k rounded up, the last gets too few.": [-(-n // k)] * (k - 1) + [n + -(-n // k) * (1 - k)],
                           "The larger folds come first, not in between.": [(i + 1) * n // k - i * n // k for i in range(k)],
                           "The larger folds come first.": [n // k] * (k - n % k) + [n // k + 1] * (n % k)},
                 hint="The sizes are right, in another order: the larger ones come first."
                 if sorted(sizes_found) == sorted([n // k + 1] * (n % k) + [n // k] * (k - n % k)) else
                 f"{n} // {k} is {n // k}, and {n % k} are left over: one more for each of the first {n % k}.")
### BEGIN HIDDEN TESTS
for n, k in ((100, 7), (12, 3), (5, 1), (29, 10)):
    sizes_found = fold_sizes(n, k)
    assert_true(all(torch.as_tensor(s).ndim == 0 and float(s) == int(s) for s in sizes_found), f"{n} rows in {k} folds: each entry is one whole number",
                hint="The sizes of the folds are asked, and no row is cut in pieces.", of="all rows")
    sizes_found = [int(s) for s in sizes_found]
    assert_equal([len(sizes_found), sum(sizes_found)], [k, n], f"{n} rows, k = {k}: how many sizes, and their sum", of="all rows",
                 hint="A single fold holds all the rows." if k == 1 else f"There are {k} folds; together they hold {n} rows. (torch.chunk and torch.split may cut fewer.)")
    assert_equal(sizes_found, [n // k + 1] * (n % k) + [n // k] * (k - n % k), f"the sizes for {n} rows in {k} folds", of="even",
                 hint="What is left over goes to the first folds, one row each.")
### END HIDDEN TESTS

# %% [markdown] task="3.6.9" kind="code" minutes=7 difficulty=3 core=true needs="k-fold cross-validation, polynomial regression"
# ### Cross-validation by hand
#
# Write `k_fold_table(x, y, degrees, k)`. `x` and `y` are float64 tensors of shape `(n,)`, their rows shuffled already; the folds
# are consecutive rows, as `torch.tensor_split` cuts them. k need not divide n.
#
# **You are done when**
# - **shape**: a tensor of shape `(len(degrees), k)` comes back, a row for each degree and a column for each fold;
# - **held out**: no fit sees the rows of the fold that it is measured on, and it sees all others;
# - **errors**: each entry is the mean squared error on the rows of its fold.

# %% exercise="3.6.9"
def k_fold_table(x, y, degrees, k):
    """Errors (len(degrees), k): entry [i, j] is that of degrees[i] on fold j, fitted on the other folds."""
    ### BEGIN SOLUTION
    table = torch.zeros(len(degrees), k, dtype=x.dtype)
    for j, fold in enumerate(torch.tensor_split(torch.arange(len(x)), k)):
        rest = torch.ones(len(x), dtype=torch.bool)
        rest[fold] = False
        for i, degree in enumerate(degrees):
            table[i, j] = squared_error(predict(fit(x[rest], y[rest], degree), x[fold]), y[fold])
    return table
    ### END SOLUTION

# %% [markdown] hints="3.6.9"
# 1. How many fits are there in all, and on which rows is each?
# 2. The loop above does one degree. A second loop goes over the degrees; `table[i, j]` takes the number.
# 3. For the mean as a model (degree 0), y = 1, 3, 5, 11 and two folds: the mean of 5 and 11 is 8, the first fold's errors are
#    49 and 25, mean 37.

# %% check="3.6.9" points=3
numbers = torch.tensor([1., 2., 6., 4., 9.], dtype=torch.float64)
steps = torch.arange(5, dtype=torch.float64)
found = k_fold_table(steps, numbers, [0], 2)
assert_type(found, torch.Tensor, "what k_fold_table returns", of="shape")
assert_shape(found, (1, 2), "the shape for one degree and two folds", of="shape", hint="A row for each degree, a column for each fold.")
three_degrees = k_fold_table(steps, numbers, [0, 1, 2], 2)
assert_shape(three_degrees, (3, 2), "the shape for three degrees and two folds", of="shape")
assert_shape(k_fold_table(steps, numbers, [1, 0, 1], 2), (3, 2), "the shape for the degrees 1, 0 and 1 and two folds", of="shape",
             hint="A row for each entry of degrees, also where a degree is there twice. (A dictionary holds each key once.)")
alone, without_own = k_fold_table(steps, numbers, [0], 5), (22 - numbers) / 4
assert_shape(alone, (1, 5), "the shape for one degree and five folds", of="shape")
assert_true(alone.is_floating_point(), "the entries are floating-point numbers", of="errors", hint="A table of integers cuts off what stands behind the point.")

centred = torch.allclose(three_degrees[1].double(), torch.tensor([14 / 3, 1.5625], dtype=torch.float64), rtol=1e-4)
assert_true(not centred, "degree 1, y = 1, 2, 6, 4, 9, two folds: each entry is the mean of (ŷ - y)²", of="errors",
            hint="Yours is the variance of ŷ - y, from which their mean is subtracted first: square ŷ - y as it is.")

def about_the_fits(errors):
    """A hint, where one fits."""
    right, before, after = (without_own - numbers) ** 2, numbers.cumsum(0) - numbers, numbers.flip(0).cumsum(0).flip(0) - numbers
    places = torch.arange(5)
    if torch.allclose(errors.sort().values, right.sort().values, rtol=1e-4):
        return "The errors of the five folds, in another order: the rows are shuffled already, and fold j is the j-th piece of them."
    if torch.allclose(errors[1:], (before / places.clamp(min=1) - numbers)[1:] ** 2, rtol=1e-4):
        return "The fit sees all other rows, those behind the fold, too."
    if torch.allclose(errors[:4], (after / (4 - places).clamp(min=1) - numbers)[:4] ** 2, rtol=1e-4):
        return "The fit sees all other rows, those before the fold, too: is the mask made anew for each fold?"
    for ddof in (0, 1):
        if torch.allclose(errors * np.var(numbers.tolist(), ddof=ddof), right, rtol=1e-4):
            return "These are the errors of a y that was standardised: wanted are those of y as it is."
    j = next((i for i in range(5) if not abs(errors[i] - right[i]) < 1e-3), 0)
    return (f"Entry {j}: without row {j} the mean of y is {22 - numbers[j]:.0f}/4 = {without_own[j]:g}, and y is {numbers[j]:.0f} there, so it is ({without_own[j]:g} - {numbers[j]:.0f})². "
            "All the other rows are in the fit, and no other.")

assert_close(alone[0].double(), ((22 - numbers) / 4 - numbers) ** 2, "degree 0, y = 1, 2, 6, 4, 9, five folds of one row: the errors", rtol=1e-4, of="held out",
             mistakes={"The fit has seen the fold that it is measured on: it used all rows.": (numbers - 4.4) ** 2,
                       "Each fold was fitted and measured, the others left out.": 0 * numbers,
                       "This is the error on the rows of the fit: measure on the fold.": torch.stack([numbers[steps != j].var(unbiased=False) for j in range(5)]),
                       "This is the root of the error.": ((22 - numbers) / 4 - numbers).abs(),
                       "Column j belongs to fold j: these stand the other way round.": (((22 - numbers) / 4 - numbers) ** 2).flip(0),
                       "Every entry is the mean over the folds here: each fold has its own.": (((22 - numbers) / 4 - numbers) ** 2).mean().expand(5),
                       "The fits see all other folds, not only the next one.": (numbers.roll(-1) - numbers) ** 2,
                       "The fit and the measurement have changed places.": torch.stack([(numbers[steps != j] - numbers[j]).square().mean() for j in range(5)]),
                       "Each entry is the error of its own fold: these are running sums.": ((without_own - numbers) ** 2).cumsum(0),
                       "Each entry is the error of its own fold, not the share of it in the mean.": (without_own - numbers) ** 2 / 5,
                       "The rows of the fold leave the fit too late, and never come back: make the mask anew, before the fit.":
                       torch.stack([(numbers[j:].mean() - numbers[j]) ** 2 for j in range(5)]),
                       "The row behind the fold belongs to the fit: a slice ends before its end.":
                       torch.stack([(numbers[(steps != j) & (steps != j + 1)].mean() - numbers[j]) ** 2 for j in range(5)]),
                       "Each entry is measured on the rows of its fold alone, not on all rows.": torch.stack([(numbers - mean).square().mean() for mean in without_own]),
                       "One fold is held out in each round, not the next one as well.":
                       torch.stack([(numbers[(steps != j) & (steps != (j + 1) % 5)].mean() - numbers[j]) ** 2 for j in range(5)]),
                       "The fits see all the other folds, not only the two neighbours.":
                       torch.stack([(numbers[(steps - j).abs() == 1].mean() - numbers[j]) ** 2 for j in range(5)]),
                       "The last fold has a round, too: its column is 0 here.": torch.cat([((without_own - numbers) ** 2)[:4], numbers[:1] * 0])},
             hint=lambda: about_the_fits(alone[0].double()))
assert_close(found[0].double(), torch.stack([((numbers[:3] - 6.5) ** 2).mean(), ((numbers[3:] - 3.) ** 2).mean()]),
             "degree 0, y = 1, 2, 6, 4, 9, two folds (rows 0 to 2, rows 3 and 4): the errors", rtol=1e-4, of="errors",
             mistakes={"These are the sums of the squares.": torch.stack([((numbers[:3] - 6.5) ** 2).sum(), ((numbers[3:] - 3.) ** 2).sum()]),
                       "Divide by the number of rows in the fold itself, not by n / k.":
                       torch.stack([((numbers[:3] - 6.5) ** 2).sum(), ((numbers[3:] - 3.) ** 2).sum()]) / 2.5,
                       "The first fold has rows 0 to 2: where k does not divide n, the first folds get one row more.":
                       torch.stack([((numbers[:2] - 19 / 3) ** 2).mean(), ((numbers[2:4] - 4.) ** 2).mean()]),
                       "The first fold has rows 0 to 2: the row left over goes to the first fold, not to the last.":
                       torch.stack([((numbers[:2] - 19 / 3) ** 2).mean(), ((numbers[2:] - 1.5) ** 2).mean()]),
                       "All rows of the fold leave its fit, not only its first one.":
                       torch.stack([((numbers[:3] - 5.25) ** 2).mean(), ((numbers[3:] - 4.5) ** 2).mean()]),
                       "The last row of each fold is still in its fit.":
                       torch.stack([((numbers[:3] - 19 / 3) ** 2).mean(), ((numbers[3:] - 4.5) ** 2).mean()]),
                       "The mean of the squares is asked, not their median.": torch.tensor([20.25, 1.], dtype=torch.float64),
                       "A fold is consecutive rows, not every second row.":
                       torch.stack([((numbers[::2] - 3.) ** 2).mean(), ((numbers[1::2] - 16 / 3) ** 2).mean()])},
             hint="Rows 3 and 4 have the mean 6.5: it is measured on y = 1, 2, 6. Rows 0 to 2 have the mean 3, measured on 4 and 9.")
pieces = k_fold_table(steps, numbers, [0], 4)
assert_shape(pieces, (1, 4), "the shape for five rows and four folds", of="shape", hint="Four folds, though 4 does not divide 5: torch.tensor_split makes them.")
assert_close(pieces[0].double(), torch.stack([((numbers[:2] - 19 / 3) ** 2).mean(), *((without_own - numbers) ** 2)[2:]]),
             "degree 0, y = 1, 2, 6, 4, 9, four folds (rows 0 and 1, row 2, row 3, row 4): the errors", rtol=1e-4, of="errors",
             hint="torch.tensor_split cuts five rows into four folds of 2, 1, 1 and 1; torch.chunk and torch.split may cut fewer.")
constants, none = [26., 34 / 9, 25.], [0., 0., 0.]
assert_close(k_fold_table(steps, 2 * steps + 1, [1, 0, 2], 3).double(), torch.tensor([none, constants, none], dtype=torch.float64),
             "degrees 1, 0 and 2 on the line 1 + 2x, three folds", rtol=1e-4, atol=1e-6, of="errors",
             mistakes={"Row i is of degree degrees[i], in the order given.": torch.tensor([constants, none, none], dtype=torch.float64),
                       "Is the degree used? These are the errors of a constant.": torch.tensor([constants] * 3, dtype=torch.float64),
                       "Row 1 is of degree 0, and no constant meets a line: each row has a degree of its own.": torch.zeros(3, 3, dtype=torch.float64),
                       "A reshape does not exchange rows and columns: a row is of one degree, a column of one fold.":
                       torch.tensor([none, constants, none], dtype=torch.float64).T},
             hint="Degrees 1 and 2 meet the line, so rows 0 and 2 are zero; row 1 has the errors of a constant.")
mixed, heights = torch.tensor([3., 0., 2., 1.], dtype=torch.float64), torch.tensor([1., 3., 2., 7.], dtype=torch.float64)
assert_close(k_fold_table(mixed, heights, [1], 2)[0].double(), torch.tensor([97 / 2, 197 / 18], dtype=torch.float64),
             "degree 1, x = 3, 0, 2, 1 and y = 1, 3, 2, 7, two folds: the errors", rtol=1e-4, of="errors",
             mistakes={"The folds are consecutive rows as they stand: do not sort them by x.": torch.tensor([17 / 2, 277 / 2], dtype=torch.float64)},
             hint="Rows 2 and 3 lie on the line 12 - 5x, which is -3 and 12 where y is 1 and 3; rows 0 and 1 lie on 3 - 2x/3, which is 5/3 and 7/3 where y is 2 and 7.")
digits_of_pi = torch.tensor([3., 1., 4., 1., 5., 9., 2., 6.], dtype=torch.float64)
assert_close(k_fold_table(torch.arange(8, dtype=torch.float64) / 4 - 1, digits_of_pi, [3, 0], 2)[1].double(), torch.stack([((digits_of_pi[:4] - 5.5) ** 2).mean(), ((digits_of_pi[4:] - 2.25) ** 2).mean()]), "degrees 3 and 0, y = 3, 1, 4, 1, 5, 9, 2, 6, two folds of four rows: the errors of degree 0",
             rtol=1e-4, of="errors", hint="The mean of 5, 9, 2, 6 is 5.5, measured on all of 3, 1, 4, 1; the mean of these is 2.25, measured on all of 5, 9, 2, 6.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(367)
for n, k, degrees_ in ((17, 4, [0, 2, 1]), (12, 3, [3, 0]), (9, 9, [1, 2, 1])):
    a, b = 2 * torch.rand(n, generator=rng, dtype=torch.float64) - 1, torch.randn(n, generator=rng, dtype=torch.float64)
    found, start = k_fold_table(a, b, degrees_, k), 0
    assert_shape(found, (len(degrees_), k), f"the shape for {len(degrees_)} degrees and {k} folds", of="shape")
    for j in range(k):
        inside = torch.zeros(n, dtype=torch.bool)
        inside[start:start + n // k + (j < n % k)] = True
        start += n // k + (j < n % k)
        for i, degree_ in enumerate(degrees_):
            F = torch.stack([a ** p for p in range(degree_ + 1)], dim=1)
            gram = F[~inside].T @ F[~inside]
            best = torch.linalg.solve(gram, F[~inside].T @ b[~inside])
            seen = torch.linalg.solve(F.T @ F, F.T @ b)
            assert_true(abs(found[i, j].item() - ((F @ seen - b)[inside] ** 2).mean().item()) > 1e-9,
                        f"{n} rows, {k} folds: fold {j}, degree {degree_}, is not measured by a fit to all rows", of="held out",
                        hint="The rows of the fold are left out of its fit.")
            assert_close(found[i, j].double(), ((F @ best - b)[inside] ** 2).mean(), f"{n} rows, {k} folds: fold {j}, degree {degree_}",
                         rtol=1e-3, of="errors", hint="The folds are those of torch.tensor_split, row i of the table is of degree degrees[i], whatever their order, and each entry is a mean over all rows of its fold.")
### END HIDDEN TESTS

# %% [markdown] task="3.6.4" kind="code" minutes=3 difficulty=2 needs="k-fold cross-validation"
# ### The price of k folds
#
# You compare `c` candidates (degrees, say) by k-fold cross-validation on `n` rows; k divides n. Write `k_fold_cost(n, k, c)`: the
# pair of whole numbers that says why it is expensive.
#
# **You are done when**
# - **trainings**: the first number is how many models are fitted; the final fit on all rows does not count;
# - **rows**: the second is how many rows they are fitted on, all of them together, each counted as often as it is used.

# %% exercise="3.6.4"
def k_fold_cost(n, k, c):
    """(number of trainings, rows that they are fitted on in all)."""
    ### BEGIN SOLUTION
    return c * k, c * k * (n - n // k)
    ### END SOLUTION

# %% [markdown] hints="3.6.4"
# 1. How many rounds has each candidate, and on how many rows is it fitted in each?
# 2. A round holds out n / k rows and fits on the others.
# 3. For k = n each row is a fold (*leave one out*): 100 rows, one candidate, 100 trainings on 99 rows each, 9,900 in all.

# %% check="3.6.4" points=2
with part(0.5, "trainings", of="trainings"):
    cost = k_fold_cost(60, 5, 8)
    assert_type(cost, (tuple, list, torch.Tensor, np.ndarray), "what k_fold_cost returns", of="trainings")
    assert_equal(len(cost), 2, "how many numbers come back", of="trainings")
    assert_equal(cost[0], 40, "how many models are fitted for 60 rows, 5 folds, 8 candidates", of="trainings",
                 mistakes={"Each candidate is fitted once a fold.": 5, "Each candidate is fitted once for each fold.": 8,
                           "The final fit does not count.": 41, "These are 6 for each candidate: each of the 5 folds is held out once, and a final fit does not count.": 48,
                           "These are 10 for each candidate, as many as there are pairs of folds: one fold is held out in a round, not two.": 80,
                           "Each candidate has k rounds, not n.": 480,
                           "Each of the k folds is held out once: k rounds, not k - 1.": 32, "The trainings stand first.": 1920,
                           "Each candidate has all the rounds: multiply, do not add.": 13, "Eight candidates with five rounds each are no power.": 8 ** 5,
                           "Five rounds of eight candidates each are no power.": 5 ** 8,
                           "A round fits one model, on all the other folds together, not one on each of them.": 160},
                 hint="How often is one candidate fitted? And all eight?")
    assert_equal(k_fold_cost(12, 3, 2)[0], 6, "how many models are fitted for 12 rows, 3 folds, 2 candidates", of="trainings",
                 hint="Two candidates, three rounds each: the number depends on k and on c.")
with part(0.5, "rows", of="rows"):
    cost = k_fold_cost(60, 5, 8)
    assert_type(cost, (tuple, list, torch.Tensor, np.ndarray), "what k_fold_cost returns", of="rows")
    assert_equal(len(cost), 2, "how many numbers come back", of="rows")
    assert_equal(cost[1], 1920, "the rows that they are fitted on, for 60 rows, 5 folds, 8 candidates", of="rows",
                 mistakes={"These are 5 rounds on 48 rows and a final fit on all 60 for each candidate: the final fit does not count." if cost[0] == 48 else
                           "This is 5 times all the rows for each candidate: in a round it is fitted on 48, not on the fold that is held out.": 2400,
                           "These are the rows of 80 trainings on 48 rows: there are 40.": 3840,
                           "These are the rows of 80 trainings on 36 rows: there are 40, and each holds out one fold.": 2880,
                           "This is n for each candidate, as many rows as are held out in all: in each of the 5 rounds a candidate is fitted on 48.": 480,
                           "These are the rows of one candidate.": 240, "A round holds out n / k rows, not k.": 2200, "These are the rows of one training.": 48,
                           "These are the rows of one round of all candidates: there are k rounds.": 384,
                           "Each of the k folds is held out once: k rounds, not k - 1.": 1536,
                           "Each candidate has all the rounds: multiply, do not add.": 624,
                           "A round holds out n / k rows, not one.": 2360, "The final fit does not count.": 1980,
                           "A row counts as often as it is used.": 60, "The rows stand second.": 40},
                 hint="A round fits on all rows but the 60 / 5 of its fold: add up the rounds of all candidates.")
    assert_equal(k_fold_cost(12, 3, 2)[1], 48, "the rows that they are fitted on, for 12 rows, 3 folds, 2 candidates", of="rows",
                 hint="This is right but for its rounding: a whole number is asked for, and `//` divides whole numbers."
                 if isinstance(k_fold_cost(12, 3, 2)[1], float) and abs(k_fold_cost(12, 3, 2)[1] - 48) < 1e-6 else
                 "Two candidates, three rounds each, and each round on 8 of the 12 rows: the number depends on n, k and c.")
### BEGIN HIDDEN TESTS
with part(0.5, "trainings", of="trainings"):
    for n, k, c in ((90, 10, 3), (7, 7, 4)):
        assert_equal(k_fold_cost(n, k, c)[0], c * k, f"how many models are fitted for {n} rows, {k} folds, {c} candidates", of="trainings",
                     hint="How often is one candidate fitted? And all of them?")
with part(0.5, "rows", of="rows"):
    for n, k, c in ((90, 10, 3), (7, 7, 4)):
        assert_equal(k_fold_cost(n, k, c)[1], c * (k - 1) * n, f"the rows for {n} rows, {k} folds, {c} candidates", of="rows",
                     hint="A round fits on all rows but the n / k of its fold: add up the rounds of all candidates.")
### END HIDDEN TESTS
total()

# %% [markdown]
# ### Is its estimate right on average?
#
# Take the simplest model, the mean of the training targets, and targets with variance $\sigma^2$, independent. Fitted on $m$
# examples, it makes two independent errors on a new one: the new target differs from the true mean, with variance $\sigma^2$,
# and so does the mean of the $m$, with variance $\sigma^2 / m$. Its generalisation error is the sum,
#
# $$E(m) = \sigma^2 \left(1 + \frac 1m\right).$$
#
# As a rule the error of other models falls with $m$, too, though not by this formula. Now what does a fold measure? The error
# of a model that was fitted on *fewer* than $n$ examples. A simulation with 10 standard normal targets:

# %% tags=["demo"]
targets = torch.randn(40_000, 10, generator=torch.Generator().manual_seed(0), dtype=torch.float64)     # 40,000 data sets of 10
for k in (2, 5, 10):
    size = 10 // k
    estimate = 0.
    for fold in torch.arange(10).split(size):
        sum_of_others = targets.sum(dim=1) - targets[:, fold].sum(dim=1)
        means = sum_of_others / (10 - size)
        estimate = estimate + (targets[:, fold] - means[:, None]).square().mean() / k
    print(f"{k:2} folds estimate {estimate:.3f} on average; the mean of all 10 really has {1 + 1 / 10:.3f}")

# %% [markdown] task="3.6.5" kind="explain" minutes=8 difficulty=3 needs="k-fold cross-validation, expectation, variance, independent and identically distributed, validation set"
# ### Biased, but which way?
#
# Write `k_fold_bias(n, k, variance)`: for the model "predict the mean" and independent targets of this variance, the expected
# k-fold estimate *minus* the generalisation error of the mean of all `n`. k divides n, and k ≥ 2.
#
# Then answer in words: why is the k-fold estimate biased, and in which direction? What does it depend on? And in which
# situation is it biased in the other direction?
#
# **You are done when**
# - **sign**: the result is positive where the estimate is too large on average;
# - **value**: it is exact, for every k up to n.
#
# The words are complete when they hold a reason for each of the two directions.

# %% exercise="3.6.5"
def k_fold_bias(n, k, variance):
    """Expected k-fold estimate minus the error of the mean of all n examples."""
    ### BEGIN SOLUTION
    m = n - n // k
    return variance * (1 / m - 1 / n)
    ### END SOLUTION

# %% [markdown] hints="3.6.5"
# 1. On how many examples is each model of the cross-validation fitted?
# 2. Put this number for $m$ into $E(m)$, and subtract $E(n)$.
# 3. One validation set of 4 taken from 12 examples: $E(8) - E(12) = \sigma^2 (1/8 - 1/12) = \sigma^2 / 24$.

# %% check="3.6.5" points=1
assert_type(k_fold_bias(20, 4, 1.), (float, int, torch.Tensor, np.ndarray, np.generic), "what k_fold_bias returns", of="sign")
assert_true(float(k_fold_bias(20, 4, 1.)) > 0, "k_fold_bias(20, 4, 1.0) is positive: models fitted on fewer examples are worse", of="sign",
            hint="It is the estimate minus the error of the mean of all n.")
bias = torch.as_tensor(k_fold_bias(24, 4, 5.))
share = float(bias) / 5 + 1 / 24 if bias.numel() == 1 else 0.
as_if = f" Yours would be E(m) - E(24) for m = {1 / share:.4g}." if share > 0 else ""
assert_close(k_fold_bias(24, 4, 5.), 5 / 72, "k_fold_bias(24, 4, 5.0)", rtol=1e-4, of="value",
             mistakes={"The variance is a factor.": 1 / 72,
                       "This is 5 (1/6 - 1/24), as if each model were fitted on n/k = 6 examples: it is fitted on n - n/k = 18.": 5 * (1 / 6 - 1 / 24),
                       "The standard deviation is not the variance.": math.sqrt(5) / 72,
                       "The variance is a factor once, not twice.": 25 / 72,
                       "Each model is fitted on n - n/k examples, not on k.": 5 * (1 / 4 - 1 / 24),
                       "Each model is fitted on n - n/k examples, not on n - k.": 5 * (1 / 20 - 1 / 24),
                       "n - n/k is n (k - 1) / k: the factor k - 1, not k.": 5 / 96,
                       "This is σ² / 18. The estimate is σ² (1 + 1/18), the error of the mean of all n is σ² (1 + 1/24): subtract it, not σ² alone.": 5 / 18,
                       "This is the bias for k = n.": 5 * (1 / 23 - 1 / 24),
                       "This is the bias for k = 2: half of the examples held out.": 5 / 24,
                       "This is relative: subtract the error, do not divide by it.": 76 / 75 - 1,
                       "This is the expected estimate: subtract the error of the mean of all n.": 5 * (1 + 1 / 18),
                       "The estimate is the mean of the k errors, not their sum.": 20 * (1 + 1 / 18) - 5 * (1 + 1 / 24),
                       "Subtract the two errors, do not add them.": 5 * (2 + 1 / 18 + 1 / 24),
                       "1/n is subtracted, not added.": 5 * (1 / 18 + 1 / 24),
                       "The mean is that of all n examples: 1/n, not 1/(n - 1).": 5 * (1 / 18 - 1 / 23),
                       "The difference of the errors is asked, not that of their roots.": math.sqrt(5 * (1 + 1 / 18)) - math.sqrt(5 * (1 + 1 / 24)),
                       "The mean of the k errors has the expectation of each of them: do not divide by k again.": 5 / 288,
                       "The mean of m targets has the variance σ² / m, not σ² / m².": 5 * (1 / 18 ** 2 - 1 / 24 ** 2)},
             hint=f"Each model is fitted on 18 of the 24 examples.{as_if} E(m) is exact: no simulation, no rounding.")
assert_true(float(k_fold_bias(6, 6, 2.)) > 0,
            "k_fold_bias(6, 6, 2.0) is positive: for k = n, too, each model is fitted on fewer examples, on 5 of the 6",
            of="sign")
assert_close(k_fold_bias(6, 6, 2.), 1 / 15, "k_fold_bias(6, 6, 2.0)", rtol=1e-4, of="value",
             hint="For k = n each fold is one row, and each model is fitted on the 5 others: E(5) - E(6).")
### BEGIN HIDDEN TESTS
for n, k, variance_ in ((12, 2, 0.7), (30, 30, 5.), (10, 5, 1.)):
    assert_true(float(k_fold_bias(n, k, variance_)) > 0, f"the sign for {n} rows in {k} folds", of="sign",
                hint="For k = n, too, each model is fitted on fewer examples, n - 1." if k == n else "The estimate, minus the error of the mean of all n.")
    assert_close(k_fold_bias(n, k, variance_), variance_ / (n * (k - 1)), f"{n} rows in {k} folds, variance {variance_}", rtol=1e-4, of="value",
                 hint="Each model is fitted on n - n/k examples; the variance is a factor. It is exact: no simulation, no rounding.")
### END HIDDEN TESTS

# %% [markdown] written="3.6.5" points=3
# ### BEGIN SOLUTION
# Each of the $k$ models is fitted on $n - n/k$ examples only, while the model that will be used is fitted on all $n$. A model
# from fewer examples is worse on average, so the estimate is too large: it is pessimistic. For the mean the bias is
# $\sigma^2 / (n (k - 1))$. It is largest for $k = 2$, where half of the examples are missing, and smallest for $k = n$. It also
# depends on how steep the learning curve is at $n$: where more data no longer help, it is nearly zero. In the simulation 2
# folds gave 1.199 and 10 folds 1.107; the formula gives 1.2 and 1.111, and the truth is 1.1. The price of a large $k$ is time (3.6.4).
#
# The other direction comes from choosing. If the degree, or the features, are those with the smallest k-fold error, then this
# smallest number is partly luck, as with the thousand guessers, and too kind to the winner. The same holds for leaks: if
# the folds share near-copies of an example, or features were selected with all targets, the held-out fold is not new. So
# the winner is to be judged on a test set that no fold has seen.
#
# **Rubric**
# - [1] Each model is fitted on fewer than n examples, so its error is larger than that of the final model: the estimate is too large (pessimistic); lost by "too small, because the folds overlap".
# - [1] The bias shrinks as k grows (or with a flat learning curve), with a reason or a number; also accepted: leave-one-out has the smallest bias; lost by "a larger k has a larger bias".
# - [1] Too small (optimistic) where the estimate has also served to choose, or where there is a leak; also accepted: the minimum of several noisy estimates; lost by "it is never too small".
# ### END SOLUTION

# %% [markdown] teaches="leakage"
# ## Leaks
#
# An estimate is honest only if the examples held out are as new to the model as those that will come. Information about them
# that gets into the fit is called **leakage**. Nobody cheats on purpose; here are three ways in which it happens.
#
# **Near-copies.** A penguin's mass is to be predicted from three lengths by the look-up table. Every bird was measured twice, so
# each is in the file twice, with slightly different lengths. (We make the second measurement up: the first, and a little
# noise.) The rows are dealt to five folds at random:

# %% tags=["demo"]
lengths = torch.tensor(penguins[["bill_length_mm", "bill_depth_mm", "flipper_length_mm"]].to_numpy(dtype="float64"))
lengths = (lengths - lengths.mean(dim=0)) / lengths.std(dim=0)
mass = torch.tensor(penguins["body_mass_g"].to_numpy(dtype="float64"))
generator = torch.Generator().manual_seed(0)
twice = torch.cat([lengths, lengths + 0.02 * torch.randn(lengths.shape, generator=generator, dtype=torch.float64)])
mass_twice, bird = mass.repeat(2), torch.arange(len(mass)).repeat(2)

def look_up_error(X, y, fold):
    """Mean squared error of the look-up table by cross-validation; fold (n,) holds the number of each row's fold."""
    losses = torch.zeros(len(y), dtype=torch.float64)
    for held_out in (fold == f for f in fold.unique()):
        nearest = torch.cdist(X[held_out], X[~held_out]).argmin(dim=1)
        losses[held_out] = (y[~held_out][nearest] - y[held_out]).square()
    return losses.mean()

fold_of_row = torch.randperm(len(bird), generator=generator) % 5
fold_of_bird = torch.randperm(len(mass), generator=generator) % 5
print(f"rows dealt at random:   typical error {look_up_error(twice, mass_twice, fold_of_row).sqrt():.0f} g")
print(f"birds dealt at random:  typical error {look_up_error(twice, mass_twice, fold_of_bird[bird]).sqrt():.0f} g")
print(f"each bird measured once: typical error {look_up_error(lengths, mass, fold_of_bird).sqrt():.0f} g")

# %% [markdown]
# (The typical error is the root of the mean squared error.) With rows dealt at random the table finds the same bird in another fold
# and repeats its mass. The 183 g are a fiction: a *new*
# bird costs about 445 g. The mend is to deal out birds, not rows, so that both measurements of a bird fall into one fold.
#
# **Neighbours.** The same with houses. Predict the logarithm of a price by that of the nearest house in the known part. A degree of
# longitude is 82.6 km at Ames, one of latitude 111 km; `pd.factorize` numbers the 28 neighbourhoods from 0 on.

# %% tags=["demo"]
kilometres = torch.tensor(houses[["Longitude", "Latitude"]].to_numpy()) * torch.tensor([82.6, 111.0])    # (2930, 2)
hood = torch.tensor(pd.factorize(houses["Neighborhood"])[0])            # 0 ... 27
generator = torch.Generator().manual_seed(0)
by_house = torch.randperm(len(hood), generator=generator) % 5
by_hood = (torch.randperm(28, generator=generator) % 5)[hood]
print(f"houses dealt at random:         {look_up_error(kilometres, log_price, by_house):.3f}")
print(f"neighbourhoods dealt at random: {look_up_error(kilometres, log_price, by_hood):.3f}")
print(f"always the mean:                {log_price.var():.3f}")

# %% [markdown]
# Houses of one street are alike; they are not independent. Which number is right depends on the question. For one more house
# in a part of town that we know, 0.071 is. For the first house in a part of town that we have never seen, it is 0.206, worse
# than always saying the mean. *The split must imitate the use.* The same holds for time: who wants to predict next month
# must validate on months that come after the training data.
#
# **Choosing on all rows.** 50 examples with 1,000 features, all of it random numbers; nothing can be predicted. Select the five
# features that go best with the target, then cross-validate a linear model on them:

# %% tags=["demo"]
generator = torch.Generator().manual_seed(0)
noise_X = torch.randn(50, 1000, generator=generator, dtype=torch.float64)
noise_y = torch.randn(50, generator=generator, dtype=torch.float64)

def best_five(X, y):
    return (X.T @ (y - y.mean())).abs().argsort(descending=True)[:5]

for name in ("on all rows", "inside each round"):
    total_error = 0.
    for fold in torch.arange(50).split(10):
        rest = torch.ones(50, dtype=torch.bool)
        rest[fold] = False
        five = best_five(noise_X, noise_y) if name == "on all rows" else best_five(noise_X[rest], noise_y[rest])
        coefficients = torch.linalg.lstsq(noise_X[rest][:, five], noise_y[rest, None]).solution[:, 0]
        total_error += squared_error(noise_X[fold][:, five] @ coefficients, noise_y[fold]).item() / 5
    print(f"features chosen {name:17}: error {total_error:.2f}; predicting 0 has {noise_y.square().mean():.2f}")

# %% [markdown]
# Chosen on all rows, the features promise to take a third off the error of pure noise, 0.93 against 1.36: the held-out targets
# took part in the choice. Chosen inside each round, they are what they are, worse than nothing. All that learns from targets, or from rows at all, belongs *inside* the round.

# %% [markdown]
# A word on groups in code. Numbers of patients or birds can be anything. `unique` with `return_inverse=True` numbers the groups from 0 on: it
# returns the different entries, and for each row the position of its entry among them.

# %%
torch.tensor([70, 12, 70, 55]).unique(return_inverse=True)

# %% [markdown] task="3.6.2" kind="explain" minutes=12 difficulty=3 needs="leakage, independent and identically distributed, k-fold cross-validation"
# ### Rows that belong together
#
# Write `group_folds(groups, k)`: it deals rows to `k` folds so that rows of one group stay together. `groups` is an integer tensor
# of shape `(n,)`, with the group (the bird, the patient) of each row, any whole numbers in any order.
#
# Then give in words *five* examples, from different fields, of data whose rows are not independent or do not come from one
# distribution, so that a random split deceives. For each: what ties the rows together, and how you would split. One of the five
# may be from this page.
#
# **You are done when**
# - **a fold for each row**: an integer tensor of shape `(n,)` comes back, with entries from 0 to k - 1;
# - **kept together**: rows of one group have the same fold;
# - **no empty fold**: where there are at least k groups, each of the k folds gets some (with fewer groups some folds stay empty);
# - **arguments kept**: `groups` is as it was.
#
# The words are complete with five examples, each with its tie and its split.

# %% exercise="3.6.2"
def group_folds(groups, k):
    """The number of the fold of each row, (n,), the same for all rows of a group."""
    ### BEGIN SOLUTION
    different, position = groups.unique(return_inverse=True)
    return position % k
    ### END SOLUTION

# %% [markdown] hints="3.6.2"
# 1. If the groups were numbered 0, 1, 2, ..., which simple rule deals them to k folds?
# 2. `groups.unique(return_inverse=True)` gives the different groups, and for each row the position of its group among them.
#    `%` is the remainder.
# 3. In words, one example: photographs of 20 people, many of each, tied together by face, light and background; split by
#    person, if the system is to recognise the mood of people whom it has never met.

# %% check="3.6.2" points=2
groups_given = torch.tensor([7, -3, -3, 7, 12, 7, 40, 12])

@probe
def groups_after(groups, k):
    group_folds(groups, k)
    return groups

found = group_folds(groups_given.clone(), 3)
assert_type(found, torch.Tensor, "what group_folds returns", of="a fold for each row",
            hint="One tensor of shape (n,): the number of the fold of each row." if isinstance(found, list) else "")
assert_shape(found, (8,), "the shape for 8 rows", of="a fold for each row",
             hint="An entry for each row, not for each group: rows of one group repeat its fold." if tuple(found.shape) == (4,) else "An entry for each row: the number of its fold.")
assert_true(not found.is_floating_point(), "the entries are integers", hint="Fold numbers are integers, not floats.", of="a fold for each row")
lowest, highest = int(found.min()), int(found.max())
assert_true(0 <= lowest and highest <= 2, f"the entries for k = 3 are whole numbers from 0 to 2; yours go from {lowest} to {highest}", of="a fold for each row",
            hint="The folds are numbered from 0." if (lowest, highest) == (1, 3) else "There are only k folds, however many groups.")

def about_the_deal(found):
    """A hint for rows of one group in different folds."""
    folds, ranks = found.tolist(), sorted(set(groups_given.tolist()))
    runs = [sum(int(groups_given[i] != groups_given[i - 1]) for i in range(1, j + 1)) % 3 for j in range(8)]
    if folds == runs:
        return "Rows of one group need not be neighbours: equal numbers are one group wherever they stand."
    if folds == [ranks.index(g) % 3 for g in sorted(groups_given.tolist())]:
        return "Entry i belongs to row i, that is to groups[i]: a sort has moved the rows."
    return "Deal out the groups, not the rows."

pairs_split = sum(int(found[i] != found[j]) for i in range(8) for j in range(i) if groups_given[i] == groups_given[j])
assert_equal(pairs_split, 0, "groups 7, -3, -3, 7, 12, 7, 40, 12: pairs of rows of one group that are in different folds", of="kept together",
             hint=lambda: about_the_deal(found))
own = any(all(group_folds(g.clone(), 3).tolist() == (number(g) % 3).tolist() for g in (groups_given, groups_given + 10))
          for number in (torch.abs, torch.clone))
assert_equal(sorted(set(found.tolist())), [0, 1, 2], "groups 7, -3, -3, 7, 12, 7, 40, 12 and k = 3: the folds that got rows", of="no empty fold",
             hint="The groups' own numbers need not have different remainders: number the groups 0, 1, 2, ... first." if own else
             "Two groups are in one fold and two in another, so no group is left for the third: deal them out one by one."
             if found.tolist() == [0, 0, 0, 0, 1, 0, 1, 1] else
             "Four groups are enough for three folds: none may stay empty. Deal the groups out one by one: 0, 1, 2, 0.")
assert_equal(sorted(set(group_folds(groups_given.clone(), 4).tolist())), [0, 1, 2, 3], "the same four groups and k = 4: the folds that got rows", of="no empty fold",
             hint="As many folds as groups: each gets one. Count the groups, whatever their own numbers and wherever their rows, and deal them out one by one.")
tens = group_folds(torch.tensor([10, 20, 30, 40, 10]), 2)
assert_equal(sorted(set(tens.tolist())), [0, 1], "groups 10, 20, 30, 40, 10 and k = 2: the folds that got rows", of="no empty fold",
             hint="Each of the two folds needs a group. (The numbers 10, 20, 30 and 40 all have remainder 0.)")
opposite = torch.tensor([5, -5, 4, -4, 5])
assert_equal(sorted(set(group_folds(opposite.clone(), 4).tolist())), [0, 1, 2, 3], "groups 5, -5, 4, -4, 5 and k = 4: the folds that got rows", of="no empty fold",
             hint="Four different numbers are four groups: 5 and -5 are two, 4 and 5 as well.")
lonely = group_folds(torch.tensor([8, 8, 6]), 4)
assert_shape(lonely, (3,), "groups 8, 8, 6 and k = 4, fewer groups than folds: the shape", of="a fold for each row", hint="Fewer groups than folds: some folds stay empty, the rows have theirs all the same.")
assert_equal(int(lonely[0] != lonely[1]), 0, "groups 8, 8, 6 and k = 4: pairs of rows of one group that are in different folds", of="kept together",
             hint="Deal out the groups, not the rows, also where they are fewer than the folds.")
assert_equal(groups_after(groups_given.clone(), 3), groups_given, "groups after the call", of="arguments kept",
             hint="An assignment such as groups[...] = changes the caller's tensor.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(368)
for n, many_, k, factor in ((40, 9, 4, 12), (15, 5, 5, 1000), (25, 3, 2, -6)):
    members = factor * torch.cat([torch.arange(many_), torch.randint(0, many_, (n - many_,), generator=rng)])[torch.randperm(n, generator=rng)]
    found = group_folds(members.clone(), k)
    assert_shape(found, (n,), f"the shape for {n} rows", of="a fold for each row", hint="An entry for each row, not for each group.")
    assert_true(not found.is_floating_point() and set(found.tolist()) <= set(range(k)), f"the entries for {n} rows, k = {k}", of="a fold for each row",
                hint="Integers from 0 to k - 1, however many groups there are.")
    apart = sum(len(set(found[members == g].tolist())) - 1 for g in set(members.tolist()))
    assert_equal(apart, 0, f"{many_} groups, {n} rows: groups that are torn apart", of="kept together",
                 hint="Deal out the groups, not the rows; equal numbers are one group wherever they stand.")
    assert_equal(sorted(set(found.tolist())), list(range(k)), f"{many_} groups, {n} rows, k = {k}: the folds that got rows", of="no empty fold",
                 hint="Number the groups 0, 1, 2, ... and deal them out one by one by this number.")
    assert_equal(groups_after(members.clone(), k), members, f"groups after the call, {n} rows", of="arguments kept", hint="An assignment such as groups[...] = changes the caller's tensor.")
far = torch.tensor([2, 0, 1, 1, 3, 0, 2]) - 20_000_003
assert_equal(sorted(set(group_folds(far.clone(), 4).tolist())), [0, 1, 2, 3], "four groups with neighbouring numbers near -20,000,000, k = 4: the folds that got rows", of="no empty fold",
             hint="Any whole numbers, negative and large ones too: each different one is a group.")
found = group_folds(torch.tensor([1, 1, 4, 0, 4]), 7)
assert_shape(found, (5,), "3 groups and k = 7, fewer groups than folds: the shape", of="a fold for each row", hint="Fewer groups than folds: some folds stay empty.")
assert_true(set(found.tolist()) <= set(range(7)), "the entries for 3 groups and k = 7", of="a fold for each row", hint="Integers from 0 to k - 1.")
assert_equal([int(found[0] != found[1]), int(found[2] != found[4])], [0, 0], "3 groups and k = 7: groups that are torn apart", of="kept together",
             hint="Deal out the groups, not the rows, also where they are fewer than the folds.")
### END HIDDEN TESTS

# %% [markdown] written="3.6.2" points=3
# ### BEGIN SOLUTION
# 1. Several X-rays of each patient: tied by the patient's body and the machine; split by patient, better by hospital.
# 2. Share prices day by day: today is nearly yesterday; train on the past, validate on what comes after.
# 3. Satellite pictures of fields: neighbouring tiles share soil and weather; split by region, with a strip left out between.
# 4. Sentences from a few books: author, topic and quotations recur; split by book.
# 5. Clicks of the users of a shop: many rows of one user, and the shop's own advice changes what is clicked next; split by user
#    and by date.
#
# In each, a random split puts nearly the same row on both sides, and a model that remembers looks like one that understands.
# For new patients, days or regions the error is larger than reported, as with the penguins: 183 g promised, 445 g true.
#
# **Rubric**
# - [1] At least four examples in which rows are dependent or change their distribution, from at least three different fields; also accepted: variations of the examples on the page, as one of the four; lost by examples that are merely noisy or few.
# - [1] For at least three of them the tie is named (same person, time, place, source); lost by "the data are biased" without the tie.
# - [1] For at least three of them a split that fits the use (by group, by time, by place); also accepted: one sentence that says how every one is to be split; lost by "shuffle well".
# ### END SOLUTION

# %% [markdown] teaches="VC dimension"
# ## Can one count flexibility?
#
# A polynomial's degree is a number for its flexibility. Is there one for any class of models? The best known is for classes of
# functions whose *sign* is a yes or no. Put down $n$ points and ask: whatever labels +1 and -1 somebody gives them, is there a
# function in the class with these signs? If so, the class *shatters* the points. The **VC dimension** (after Vapnik and
# Chervonenkis) is the largest $n$ for which there are $n$ points that it shatters. For lines in the plane, three points in a
# triangle can be shattered, in all $2^3 = 8$ ways:

# %% tags=["demo"]
corners = torch.tensor([[0., 0.], [1., 0.], [0.4, 1.]])
sides = torch.cat([corners, torch.ones(3, 1)], dim=1)                   # (3, 3), invertible
figure, axes = plt.subplots(2, 4, figsize=(7.5, 3.8), layout="constrained")
for number, ax in enumerate(axes.flat):
    labels = torch.tensor([1. if number >> i & 1 else -1. for i in range(3)])
    w1, w2, b = torch.linalg.solve(sides, labels).tolist()
    spots = torch.cartesian_prod(torch.linspace(-0.4, 1.4, 60), torch.linspace(-0.4, 1.4, 60))
    positive = (w1 * spots[:, 0] + w2 * spots[:, 1] + b > 0).reshape(60, 60).T
    ax.contourf(torch.linspace(-0.4, 1.4, 60), torch.linspace(-0.4, 1.4, 60), positive.float(), levels=[-0.5, 0.5, 1.5], colors=["C0", "C1"], alpha=0.25)
    for corner, label in zip(corners, labels):
        ax.plot(*corner.tolist(), "o" if label > 0 else "s", color="C1" if label > 0 else "C0", markersize=8)
    ax.set(xticks=[], yticks=[])
plt.show()

# %% [markdown]
# What to see: each picture is one labelling, and a straight border parts the circles from the squares (where all are alike, it lies outside the picture). With four points it cannot
# always be done: take the corners of a square, and give the ends of each diagonal the same label. No four points do better, so
# lines in the plane have VC dimension 3. With $d$ features it is $d + 1$. So many can be shattered, for the reason that made
# polynomials exact: $d + 1$ weights meet $d + 1$ equations. More cannot: of $d + 2$ rows with a 1 appended, each of length $d + 1$,
# some combination $\sum_i a_i \mathbf x_i$ is zero without all $a_i$ being zero. So $\sum_i a_i s_i = 0$ for the scores $s_i$ of
# any weights, and they cannot all have the signs of the $a_i$.
#
# Theorems say: with many more i.i.d. examples than the VC dimension, training error and generalisation error are close, *whatever*
# the distribution is. That is strong, and it has a price. Look at the class of all $\sin(\omega x)$, with a single number $\omega$ to
# learn:

# %% tags=["demo"]
positions = torch.tensor([0.1, 0.01, 0.001, 0.0001], dtype=torch.float64)
reached, largest = 0, 0.
for number in range(16):
    labels = torch.tensor([1. if number >> i & 1 else -1. for i in range(4)], dtype=torch.float64)
    omega = math.pi * (1 + ((1 - labels) / 2 * 10. ** torch.arange(1, 5)).sum())
    reached, largest = reached + bool(((omega * positions).sin().sign() == labels).all()), max(largest, omega.item())
print(f"{reached} of 16 labellings of 4 points; the largest ω is {largest:,.0f}")

# %% [markdown]
# All 16. The same construction works for any number of points, so this class, with one parameter, has an infinite VC dimension.
# The number of parameters is not the measure either. What did the work was the *size* of $\omega$.

# %% [markdown] task="3.6.6" kind="explain" minutes=10 difficulty=4 needs="VC dimension, generalisation error, least squares"
# ### What VC dimension does not see
#
# Write `tiny_separator(X, labels, size)`. `X` has shape `(n, d)` with n ≤ d + 1; its rows are linearly independent, or, where
# n = d + 1, they are so with a 1 appended. `labels` has shape `(n,)` and entries 1 and -1; `size` is a positive number, as small as
# you like, or large. All but `size` are float64 tensors.
# It returns `(w, b)`, weights of shape `(d,)` and a number, such that $\mathbf x^\top \mathbf w + b$ has the sign of the label for
# every row. ⚠ `torch.linalg.lstsq` of torch 2.13 is not to be trusted with a matrix of more columns than rows unless it is told
# `driver="gelsd"`: its default driver reads memory that nobody has filled, and now and then its weights fit no row.
#
# Then explain in words why VC dimension may be a poor measure of how complex a class is. Use your function: what does it say
# about linear models whose weights must be tiny?
#
# **You are done when**
# - **signs**: each row gets the sign of its label;
# - **size**: $\|\mathbf w\|^2 + b^2$ is at most `size` squared.
#
# The words are complete with the argument from your function, what the measure ignores, and what one might measure instead.

# %% exercise="3.6.6"
def tiny_separator(X, labels, size):
    """(w, b) of shapes (d,) and () with the signs of the labels and norm at most size."""
    ### BEGIN SOLUTION
    A = torch.cat([X, torch.ones_like(X[:, :1])], dim=1)
    solution = torch.linalg.lstsq(A, labels[:, None], driver="gelsd").solution[:, 0]
    solution = solution / solution.norm() * size * 0.99
    return solution[:-1], solution[-1]
    ### END SOLUTION

# %% [markdown] hints="3.6.6"
# 1. What happens to the signs of $\mathbf x^\top \mathbf w + b$ if $\mathbf w$ and $b$ are both divided by 1000?
# 2. Meet the labels exactly: append ones to `X`, as in 3.1, and solve. With n < d + 1 there are many solutions;
#    `torch.linalg.lstsq(A, labels[:, None], driver="gelsd")` finds one of them. Then scale it.
# 3. In one dimension: the points 1 and 3 with labels -1 and +1 are met by x - 2, and as well by 0.001 x - 0.002. For the words:
#    read the definition again. What in it speaks of the size of outputs, of the data at hand, of how a function is found?

# %% check="3.6.6" points=2
def about_the_signs(w, b, scores, labels, size, exact=None, X=None):
    """A hint, where one fits."""
    if torch.equal(scores.sign(), -labels):
        return "Every sign is the wrong way round."
    if b == 0 and w.any() and X is not None and not X.any(dim=1).all():
        return "Your b is 0 here, so the origin has the score 0, which has no sign. A bias is needed: solve for scores that equal the labels."
    if w.norm() <= size * (1 + 1e-6) < abs(b):
        return "Scale w and b by the same number: else the border moves."
    if exact is not None:
        mine = torch.cat([w, torch.tensor([b], dtype=torch.float64)])
        if exact[:-1].norm() and torch.cosine_similarity(w, exact[:-1], dim=0) > 1 - 1e-9:
            return "w has the right direction, but b does not fit it: scale both by the same number."
        if torch.cosine_similarity(mine, exact.roll(1), dim=0) > 1 - 1e-9:
            return "Which entry of the solution is b? It belongs to the column of ones."
    if X is not None:
        sums = torch.cat([X.T @ labels, labels.sum()[None]])
        if torch.cosine_similarity(torch.cat([w, torch.tensor([b], dtype=torch.float64)]), sums, dim=0) > 1 - 1e-9:
            return "w and b are sums of the examples, each times its label: such sums need not have these signs. Solve for scores that equal the labels."
        if set(labels.tolist()) == {1., -1.}:
            between = X[labels > 0].mean(dim=0) - X[labels < 0].mean(dim=0)
            if between.any() and torch.cosine_similarity(w, between, dim=0) > 1 - 1e-9:
                return "w points from the mean of one class to that of the other: with such a w it may be that no b fits. Solve for scores that equal the labels."
    if (scores == 0).any():
        return "A score of 0 has no sign." + (" (float32 has no numbers of this size; float64 has.)" if size < 1e-40 else "")
    shown = ", ".join(f"{score:.2g}" for score in scores.tolist())
    return f"Your scores x·w + b are {shown}: solve for scores that equal the labels, exactly, then scale."

def weights_and_bias(answer, d, which):
    """w as a float64 tensor, b as a number, and their common norm."""
    assert_type(answer, (tuple, list), f"what tiny_separator returns for {which}", of="signs",
                hint="A pair (w, b): cut b off, the entry of the column of ones." if isinstance(answer, torch.Tensor) else "")
    assert_equal(len(answer), 2, f"how many things come back for {which}", of="signs")
    assert_shape(answer[0], (d,), f"the shape of w for {which}", of="signs", hint="One axis, a weight for each feature; the entry of the column of ones is b.")
    assert_equal(torch.as_tensor(answer[1]).numel(), 1, f"how many entries b has for {which}", of="signs")
    w, b = torch.as_tensor(answer[0]).double(), float(torch.as_tensor(answer[1]).double().reshape(()))
    return w, b, math.hypot(*w.tolist(), b)

def about_the_norm(w, norm, size):
    """A hint, where one fits."""
    if norm <= size * 1.01:
        return f"It is {norm / size:.6f} of size: keep float64 to the end, and scale last."
    if w.norm() <= size * (1 + 1e-6):
        return "The bias counts, too."
    if size > 1 and abs(norm - size ** 2) < 1e-6:
        return "The norm is at most size; that of yours is its square."
    if abs(norm ** 2 - size) < 1e-6 * size:
        return "That of yours is the root of size."
    return "Scale w and b by the same number: divide by their common norm, then multiply by size."

corners_of_triangle = torch.tensor([[0., 0.], [1., 0.], [0., 2.]], dtype=torch.float64)
with_a_one = torch.tensor([[0., 0., 1.], [1., 0., 1.], [0., 2., 1.]], dtype=torch.float64)
for labels_ in ([1., -1., -1.], [-1., -1., 1.], [1., 1., 1.]):
    answer, wanted = tiny_separator(corners_of_triangle, torch.tensor(labels_, dtype=torch.float64), 0.001), torch.tensor(labels_, dtype=torch.float64)
    w_, b_, norm = weights_and_bias(answer, 2, "three points in the plane")
    scores_ = corners_of_triangle @ w_ + b_
    assert_close(scores_.sign(), wanted, f"the signs at (0, 0), (1, 0), (0, 2) for the labels {labels_}",
                 hint=lambda: about_the_signs(w_, b_, scores_, wanted, 0.001, torch.linalg.inv(with_a_one) @ wanted, corners_of_triangle),
                 of="signs")
    assert_true(norm <= 0.001 * (1 + 1e-6), f"the norm of (w, b) for size = 0.001 is at most 0.001; yours is {norm:.4g}", of="size",
                hint=lambda: about_the_norm(w_, norm, 0.001))
two_rows, their_labels = torch.tensor([[3., 0., 4.], [0., 5., 0.]], dtype=torch.float64), torch.tensor([1., -1.], dtype=torch.float64)
answer = tiny_separator(two_rows, their_labels, 0.00002)
w_, b_, norm = weights_and_bias(answer, 3, "two points in three dimensions")
assert_close((two_rows @ w_ + b_).sign(), their_labels, "the signs at (3, 0, 4), (0, 5, 0) for the labels [1.0, -1.0]",
             hint=lambda: about_the_signs(w_, b_, two_rows @ w_ + b_, their_labels, 0.00002), of="signs")
assert_true(norm <= 0.00002 * (1 + 1e-6), f"the norm of (w, b) for (3, 0, 4), (0, 5, 0) and size = 0.00002 is at most 0.00002; yours is {norm:.4g}", of="size",
            hint=lambda: "Divide by the norm of the solution, not by its square." if abs(norm - 0.00002 / math.sqrt(2 / 25)) < 1e-9 else
            about_the_norm(w_, norm, 0.00002))
w_, b_, norm = weights_and_bias(tiny_separator(two_rows, -their_labels, 1e-60), 3, "two points in three dimensions")
assert_close((two_rows @ w_ + b_).sign(), -their_labels,
             "the signs at (3, 0, 4), (0, 5, 0) for the labels [-1.0, 1.0] and size = 1e-60",
             hint=lambda: about_the_signs(w_, b_, two_rows @ w_ + b_, -their_labels, 1e-60), of="signs")
assert_true(norm <= 1e-60 * (1 + 1e-6),
            f"the norm of (w, b) for (3, 0, 4), (0, 5, 0) and size = 1e-60 is at most 1e-60; yours is {norm:.4g}", of="size",
            hint=lambda: "size is an argument, and may be smaller than any number of your own. " + about_the_norm(w_, norm, 1e-60))
w_, b_, norm = weights_and_bias(tiny_separator(two_rows, their_labels, 3.), 3, "two points in three dimensions")
assert_close((two_rows @ w_ + b_).sign(), their_labels,
             "the signs at (3, 0, 4), (0, 5, 0) for the labels [1.0, -1.0] and size = 3",
             hint=lambda: about_the_signs(w_, b_, two_rows @ w_ + b_, their_labels, 3.), of="signs")
assert_true(norm <= 3 * (1 + 1e-6), f"the norm of (w, b) for (3, 0, 4), (0, 5, 0) and size = 3 is at most 3; yours is {norm:.4g}",
            of="size",
            hint=lambda: about_the_norm(w_, norm, 3.))
flat, flat_labels = torch.tensor([[0., 0.], [1., 0.], [0.5, 0.1]],
                                 dtype=torch.float64), torch.tensor([1., 1., -1.], dtype=torch.float64)
w_, b_, norm = weights_and_bias(tiny_separator(flat, flat_labels, 0.01), 2, "a flat triangle")
flat_with_ones = torch.cat([flat, torch.ones(3, 1, dtype=torch.float64)], dim=1)
assert_close((flat @ w_ + b_).sign(), flat_labels,
             "the signs at (0, 0), (1, 0), (0.5, 0.1), a flat triangle, for the labels [1.0, 1.0, -1.0]",
             hint=lambda: about_the_signs(w_, b_, flat @ w_ + b_, flat_labels, 0.01, torch.linalg.inv(flat_with_ones) @ flat_labels,
                                  flat), of="signs")
assert_true(norm <= 0.01 * (1 + 1e-6),
            f"the norm of (w, b) for the flat triangle and size = 0.01 is at most 0.01; yours is {norm:.4g}", of="size",
            hint=lambda: about_the_norm(w_, norm, 0.01))
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(369)
for n, d, size_, times in ((6, 5, 1e-6, 12), (3, 7, 0.5, 4), (1, 4, 1e-3, 2), (2, 4, 1e-90, 2), (4, 3, 5., 2)):
    rows = torch.randn(n, d, generator=rng, dtype=torch.float64) + 1
    for _ in range(times):
        labels_ = torch.randint(0, 2, (n,), generator=rng).double() * 2 - 1
        w_, b_, norm = weights_and_bias(tiny_separator(rows, labels_, size_), d, f"{n} points in {d} dimensions")
        assert_close((rows @ w_ + b_).sign(), labels_, f"the signs for {n} points in {d} dimensions, size {size_}",
                     hint=lambda: about_the_signs(w_, b_, rows @ w_ + b_, labels_, size_), of="signs")
        assert_true(norm <= size_ * (1 + 1e-6), f"the norm for {n} points in {d} dimensions, size {size_}; yours is {norm:.4g}", of="size",
                    hint=lambda: about_the_norm(w_, norm, size_))
### END HIDDEN TESTS

# %% [markdown] written="3.6.6" points=3
# ### BEGIN SOLUTION
# The VC dimension counts which *signs* a class can produce, and signs do not change with scale. `tiny_separator` produces every
# labelling of $d + 1$ points with weights as small as we please. So linear functions with $\|\mathbf w\| \le 10^{-6}$ have the same
# VC dimension, $d + 1$, as those with weights of any size, although the former are almost constant and as predictors of a number
# can hardly overfit. A restriction of the weights, the most used means against overfitting (section 3.7), is invisible to it.
#
# At the other end, one parameter suffices for an infinite VC dimension if its size is free: $\sin(\omega x)$. There too it is the
# magnitude that makes the class rich.
#
# It also looks at the worst case: some points, any labels. It knows nothing of the distribution of the data, of how far from the
# border the points lie, nor of which of its functions the training tends to find. So its guarantees are often far too
# pessimistic. Better measures take the size into account: the norm of the weights, the margin, or how well the class can follow
# random labels on the data at hand.
#
# **Rubric**
# - [1] Signs do not depend on scale, so a bound on the size of weights or outputs leaves the VC dimension unchanged, with the function as evidence; also accepted: the argument for any class closed under scaling; lost by "small weights have a smaller VC dimension".
# - [1] Yet such a bound does make a class less flexible (nearly constant functions, less overfitting); also accepted: the sine with a large frequency as the opposite case; lost by "the number of parameters is what counts".
# - [1] A further thing that it ignores (distribution of the data, margin, training algorithm, worst case only) or a better measure (norm, margin, fit to random labels); lost by "it is hard to compute" alone.
# ### END SOLUTION

# %% [markdown]
# ## Summary
#
# - The training error is measured on examples that were used up by the fit; the generalisation error is an expectation over new
#   ones, and only examples that no fit and no choice has seen estimate it.
# - Large training error: underfitting, take a more flexible model. Small training error and large error elsewhere: overfitting,
#   take more data or a stiffer model. Nobody gets below the noise floor.
# - Fit on the training set, choose on the validation set, report on the test set, once. With few examples, cross-validate: k
#   trainings for each candidate, an estimate that is a little too large, and too small for the winner of a choice.
# - The split must imitate the use. Copies, neighbours, time, and choices made on all rows leak.
# - The degree is a coarse dial. Section 3.7 turns a finer one, the size of the weights; 4.6 asks how large a test set must be, 4.7
#   what happens when the source changes, and 5.5 why large networks generalise better than this section would predict.
