# %% [markdown]
# # 4.6 Generalisation in classification
#
# A classifier labels 75 of 100 pictures rightly that it has never seen. How often will it be right on the next million? A
# competition ranks two thousand entries by one test set. Is the first one the best? A network has more weights than
# there are examples. Can its training error say anything at all?
#
# All three are questions about one number, the error on new examples, and about how far a measurement of it can be off. At
# the end you can
# - put an uncertainty on an error rate, and say how many test examples a given accuracy takes;
# - tell a promise (a bound) from an approximation, and choose between them;
# - say what happens to a test set that is used for many models, and read its labels out of its error rates;
# - count the labellings that a class of classifiers can produce, and find its VC dimension.

# %% tags=["setup"]
from d2l_utils.check import *
import itertools
import math
from statistics import NormalDist
import torch
from torch.nn import functional as F
import d2l_utils as d2l

# %% [markdown] teaches="error rate, test error, population error"
# ## 1. An error rate is a share of heads
#
# Take a classifier that is finished: nothing about it will change any more. Let it label an example that is drawn by chance. Either it
# is wrong or it is right. So there is a number ε, the probability that it is wrong: its **population error**, the generalisation
# error of section 3.6 for this way of counting. Nobody can see ε. What we see is the **test error** $\hat\varepsilon$, the share
# of wrong answers among n test examples.
#
# Each test example is a toss of a coin that shows "wrong" with probability ε. So everything that section 2.6 says about the share of heads
# holds for the test error. Its expectation is ε. Its variance is that of one toss, $\varepsilon(1 - \varepsilon)$, divided by n:
#
# $$E[\hat\varepsilon] = \varepsilon, \qquad \text{standard deviation of } \hat\varepsilon = \sqrt{\frac{\varepsilon(1 - \varepsilon)}{n}} \le \frac{1}{2\sqrt n}.$$
#
# The last step holds because $\varepsilon(1 - \varepsilon)$ is largest at 1/2.
#
# Let us see it. We train softmax regression on 2,000 pictures of clothes. Then we let 10,000 others play the *population*: here we know ε, as
# one never does in earnest. From this population we draw 5,000 small test sets, and look at what they report.

# %% tags=["demo"]
import matplotlib.pyplot as plt

torch.set_num_threads(1)
data = d2l.FashionMNIST(batch_size=256)
pictures, classes = data.train[torch.arange(2000)]
pictures = pictures.flatten(1)                                       # (2000, 784)
W, b = torch.zeros(784, 10), torch.zeros(10)
for step in range(80):                                               # the gradient of section 4.1
    G = (torch.softmax(pictures @ W + b, dim=1) - F.one_hot(classes, 10)) / len(classes)
    W, b = W - 0.3 * pictures.T @ G, b - 0.3 * G.sum(dim=0)

new_pictures, new_classes = data.val[torch.arange(10_000)]
wrong = (new_pictures.flatten(1) @ W + b).argmax(dim=1) != new_classes   # (10000,) True where it errs
population_error = wrong.double().mean().item()
train_error = ((pictures @ W + b).argmax(dim=1) != classes).double().mean().item()
print(f"training error {train_error:.4f}, population error {population_error:.4f}")

generator = torch.Generator().manual_seed(0)
reports = {}
for n in (100, 1000):
    test_sets = torch.randint(10_000, (5000, n), generator=generator)    # 5,000 test sets of n pictures
    reports[n] = wrong[test_sets].double().mean(dim=1)                   # (5000,) what each of them reports
    print(f"n = {n:4}: the reports have mean {reports[n].mean():.4f} and standard deviation {reports[n].std():.4f},"
          f" the formula says {math.sqrt(population_error * (1 - population_error) / n):.4f}")
    print(f"          smallest report {reports[n].min():.3f}, largest {reports[n].max():.3f}")

# %% tags=["demo"]
figure, ax = plt.subplots(figsize=(5.5, 2.8), layout="constrained")
for n, color in ((100, "C1"), (1000, "C0")):
    ax.hist(reports[n].numpy(), bins=torch.arange(0.095, 0.46, 0.01).tolist(), density=True, alpha=0.6, color=color, label=f"n = {n}")
ax.axvline(population_error, color="black", linestyle="--", label="population error")
ax.set(xlabel="test error that is reported", ylabel="density")
figure.legend(loc="outside right upper")
plt.show()

# %% [markdown]
# *What to see:* it is the same classifier 5,000 times. With 100 pictures, reports from 0.10 to 0.44 occur, and a second test set would tell another story.
# Ten times as many pictures make the hill narrower by $\sqrt{10} \approx 3.2$.
#
# In practice ε is not known, so one puts the estimate $\hat\varepsilon$ into the formula. ⚠ That fails where no error was seen: the formula
# then gives a deviation of 0, as if the matter were certain. It is not. A classifier with ε = 0.01 makes no error on 300 examples with this
# probability:

# %%
print("no error on 300 examples although ε = 0.01:", 0.99 ** 300)

# %% [markdown]
# Nearly one time in twenty. In general, with ε = 3/n the probability of no error is $(1 - 3/n)^n \approx e^{-3} \approx 0.05$. So "no error in n" tells no more than: ε is probably below 3/n,
# where "probably" means that a larger ε would have shown itself 95 times in 100.

# %% [markdown] task="4.6.A" kind="code" minutes=3 difficulty=1 core=true needs="test error, variance of a mean, standard deviation"
# ### An error and its uncertainty
#
# Write `error_with_deviation(predicted, labels)`. Both are `int64` tensors of shape `(n,)`, the predicted and the true classes of a test set.
# It returns a pair of numbers: the test error, and the estimate of its standard deviation, with the test error in place of ε.
#
# **You are done when**
# - **error**: the first number is the share of wrong predictions, for any number of classes;
# - **deviation**: the second one is the standard deviation of this share, for n test examples; 0 where none or all are wrong, as the formula says.

# %% exercise="4.6.A"
def error_with_deviation(predicted, labels):
    """(test error, its estimated standard deviation) for classes of shape (n,)."""
    ### BEGIN SOLUTION
    error = (predicted != labels).double().mean().item()
    return error, math.sqrt(error * (1 - error) / len(labels))
    ### END SOLUTION

# %% [markdown] hints="4.6.A"
# 1. What is the mean of a tensor of zeros and ones?
# 2. `(a != b).double().mean()` is the share of places where `a` and `b` differ.
# 3. For 20 wrong ones of 100: 0.2, and the root of 0.2 · 0.8 / 100, which is 0.04.

# %% check="4.6.A" points=1
def mean_over_classes(predicted, labels):
    """The mean of the error rates that the classes have."""
    rates = [[p != q for p, q in zip(predicted, labels) if q == c] for c in sorted(set(labels))]
    return sum(sum(r) / len(r) for r in rates) / len(rates)

def what_is_counted():
    """The sentence for an answer that counts three of the seven, from further calls: several mistakes do."""
    right, others, low, high = (float(error_with_deviation(torch.tensor(p), torch.tensor(q))[0]) for p, q in (([1, 1, 0], [1, 1, 2]), ([2, 3], [3, 2]), ([0, 1], [1, 1]), ([2, 1], [1, 1])))
    return (["This is the share of right ones."] if right > 0.5 else ["Class 1 is a class, and so is each of the others: compare the numbers themselves, not whether they are 1."] if others == 0 else
            ["A prediction above the label is wrong, too: not only one below it counts."] if low > 0 and high == 0 else [])

def places_compared():
    """A sentence for an answer that takes the same classes in another order for right, or the label 0 for right always."""
    turned, others = (float(error_with_deviation(torch.tensor(p), torch.tensor([1, 3, 2]))[0]) for p in ([2, 1, 3], [2, 1, 1]))
    if turned > 0 and float(error_with_deviation(torch.tensor([1, 2]), torch.tensor([0, 0]))[0]) == 0:
        return (" The label 0 is a class like the others: predictions 1, 2 for the labels 0, 0 are both wrong, "
                "and yours finds none of them wrong.")
    return " Compare place by place: predictions 2, 1, 3 are all wrong for the labels 1, 3, 2, and yours finds none of them wrong." if turned == 0 and others > 0 else ""

def squared_in_words(deviation, share):
    """The square of a deviation, as error times (1 - error) over a whole number where it is that."""
    divisor = share * (1 - share) / deviation ** 2 if deviation else 0.5
    whole = round(divisor) if divisor < 1e9 else 0
    if whole and abs(divisor - whole) < 1e-4 * divisor:
        return f"{deviation ** 2:.4g}, that is {share:.4g} · {1 - share:.4g} / {whole}."
    few, far, many, rare, often, half = (float(error_with_deviation((torch.arange(n) < wrong).long() * c, torch.zeros(n, dtype=torch.int64))[1])
                                         for n, wrong, c in ((4, 2, 1), (4, 2, 7), (100, 50, 1), (10, 9, 1), (10, 1, 1), (10, 5, 1)))
    if abs(few - far) > 1e-4 * abs(few):
        found = f" It depends on the share of wrong ones and on n alone: with labels 0, 0, 0, 0 it is the same for predictions 1, 1, 0, 0 and 7, 7, 0, 0. Yours are {few:.4g} and {far:.4g}."
    elif not min(few, many, rare, often, half) > 0:
        found = ""
    elif abs(few / many - 5) > 0.01:
        found = f" 50 wrong of 100 have a fifth of the deviation that 2 of 4 have, since √25 = 5: yours has {many / few:.4g} of it. So n does not stand in it as it must."
    elif abs(rare / often - 1) > 1e-3:
        found = f" 1 wrong of 10 and 9 of 10 have the same deviation, the root of 0.1 · 0.9 / 10, which is 0.09487: yours are {rare:.4g} and {often:.4g}. So it is the error that does not stand in it as it must."
    elif abs(rare / half - 0.6) > 1e-3:
        found = f" From 5 wrong of 10 to 1 of 10 the root of error · (1 - error) falls from 0.5 to 0.3, to 0.6 of it: yours falls to {rare / half:.4g} of it. So it is the error that does not stand in it as it must."
    else:
        found = f" It follows n and the error as it must, but a factor is wrong: 5 wrong of 10 have 0.1581, yours is {half / 0.1581139:.4g} times as large."
    return f"{deviation ** 2:.4g}." + found

for predicted_, labels_, wrong_ in (([3, 0, 12, 0, 2, 8, 7], [3, 1, 1, 1, 3, 8, 7], 4), ([0, 6, 1, 1, 0], [0, 1, 1, 2, 0], 2),
                                    ([4, 2, 6], [4, 2, 6], 0), ([1, 0, 2], [0, 2, 1], 3)):
    n_, name_ = len(labels_), f"predictions {', '.join(map(str, predicted_))} and labels {', '.join(map(str, labels_))}"
    share_ = wrong_ / n_
    spread_ = math.sqrt(wrong_ * (n_ - wrong_) / n_) / n_
    pair = error_with_deviation(torch.tensor(predicted_), torch.tensor(labels_))
    assert_type(pair, (tuple, list, torch.Tensor), f"what error_with_deviation returns for {name_}", of="error")
    assert_equal(len(pair), 2, f"how many numbers come back for {name_}", of="error")
    assert_close(pair[0], share_, f"the error for {name_}", rtol=1e-4, atol=1e-7, of="error", hint=lambda: f"Wrong is wherever the two classes differ, whatever their numbers are: here {wrong_} of {n_}. Yours is {n_ * float(pair[0]):.4g} of {n_}." + places_compared(),
                 mistakes={"Class numbers are names: count where the two differ, not by how much.": sum(abs(p - q) for p, q in zip(predicted_, labels_)) / n_,
                           "Class numbers are names: count where the two differ, do not add up the differences.": sum(p - q for p, q in zip(predicted_, labels_)) / n_,
                           "This is the mean over the classes: every example counts alike.": mean_over_classes(predicted_, labels_),
                           "Class 0 is a class, and so is each of the others: compare the numbers themselves, not whether they are 0.": sum((p > 0) != (q > 0) for p, q in zip(predicted_, labels_)) / n_,
                           "Count as it is: nothing is added to the wrong ones, nor to n.": (wrong_ + 1) / (n_ + 2), "Count as it is: nothing is added to the wrong ones.": (wrong_ + 1) / n_,
                           "This is the number of wrong ones: divide by n.": float(wrong_), "The error comes first, then its deviation.": spread_, "A share is asked for, not per cent.": 100 * share_,
                           "Hand back the error as it is, not rounded to two places.": round(share_, 2), "Hand back the error as it is, not rounded to three places.": round(share_, 3)} | {words: 1 - share_ for words in what_is_counted()} if n_ == 7 else {})
    assert_close(pair[1], spread_, f"the deviation for {name_}", rtol=1e-4, atol=1e-7, of="deviation",
                 hint=lambda: "No error was seen, and the formula then gives 0." if wrong_ == 0 else "All are wrong, and the formula then gives 0, too." if wrong_ == n_ else
                      f"It is the root of {share_:.4g} · {1 - share_:.4g} / {n_}, which is {spread_ ** 2:.4g}. The square of yours is {squared_in_words(float(pair[1]), share_)}",
                 mistakes={"This is the variance: take the root.": spread_ ** 2, "This is the deviation of one toss: divide the variance by n.": spread_ * n_ ** 0.5,
                           "Divide the variance by n and then take the root.": spread_ / n_ ** 0.5,
                           "The root is taken of the whole fraction, not of n alone.": share_ * (1 - share_) / n_ ** 0.5, "Divide by n, not by n - 1.": spread_ * (n_ / (n_ - 1)) ** 0.5,
                           "This is the largest possible deviation: put the error in.": 0.5 / n_ ** 0.5, "The variance of one toss is error times (1 - error).": (share_ / n_) ** 0.5, "The deviation of one toss is the root of error times (1 - error), not the error.": share_ / n_ ** 0.5,
                           "The root is taken of the error times (1 - error), not of the error alone.": (share_ / n_) ** 0.5 * (1 - share_), "The root is taken of the error times (1 - error), not of 1 - error alone.": share_ * ((1 - share_) / n_) ** 0.5,
                           "One standard deviation is asked for, not 1.96 of them.": 1.96 * spread_,
                           "This is the deviation of the number of wrong ones: divide by n.": spread_ * n_, "One standard deviation is asked for, not two.": 2 * spread_, "The deviation alone is asked for: the error is not added to it.": share_ + spread_,
                           "The deviation alone is asked for: it is not taken from the error.": share_ - spread_,
                           "Divide by the number of these examples, not by 5.": spread_ * (n_ / 5) ** 0.5} if n_ == 7 else {})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(461)
for n_, q_ in ((40, 2), (333, 10), (1, 3), (6, 1), (8, 4)):
    a_, b_ = (torch.randint(q_, (n_,), generator=rng) for _ in range(2))
    if n_ == 8:
        b_ = (a_ + 1) % q_
    share_ = sum(i != j for i, j in zip(a_.tolist(), b_.tolist())) / n_
    pair = error_with_deviation(a_, b_)
    assert_close(pair[0], share_, f"the error for {n_} examples of {q_} classes", rtol=1e-4, atol=1e-7, of="error", hint="The share of places where the two differ, not rounded.")
    assert_close(pair[1], (share_ * (1 - share_) / n_) ** 0.5, f"the deviation for {n_} examples of {q_} classes", rtol=1e-4, atol=1e-6, of="deviation",
                 hint="No error was seen, or nothing else: the formula then gives 0." if share_ in (0, 1) else f"The variance is divided by the number of examples, here {n_}.")
### END HIDDEN TESTS

# %% [markdown] teaches="quantile of the normal distribution, one-sided and two-sided, sample size"
# ## 2. How many test examples? First answer: the central limit theorem
#
# How large must a test set be, so that the test error is within 0.01 of the truth? Put 1/2 for $\sqrt{\varepsilon(1 - \varepsilon)}$, since that is safe: $\frac{1}{2\sqrt n} \le 0.01$ gives
# n = 2,500. ⚠ But this only says that one *standard deviation* is 0.01. Larger distances are quite usual: a normal variable is farther than one deviation from its mean
# in about 32 of 100 cases. So a complete question has three numbers: the distance t, the probability δ (delta) that we accept to be farther off, and n.
#
# By the central limit theorem $(\hat\varepsilon - \varepsilon) / \frac{\sigma}{\sqrt n}$ is nearly normal, with $\sigma = \sqrt{\varepsilon(1 - \varepsilon)}$. Let z be the place that a normal variable passes with
# probability δ. Then the distance t is passed with probability δ if $t = z\,\sigma / \sqrt n$, so
#
# $$n = \frac{z^2 \sigma^2}{t^2} \le \frac{z^2}{4 t^2}.$$
#
# Which way may the test error be off? There are two questions here.
# - *Two-sided*: how often is $|\hat\varepsilon - \varepsilon| \ge t$, too high or too low? Then each side gets δ/2.
# - *One-sided*: how often is $\varepsilon \ge \hat\varepsilon + t$, so that we promised too much? Then the one side gets all of δ.
#
# `NormalDist().inv_cdf(q)` from Python's module `statistics` gives the *quantile*: the place below which a normal variable (mean 0, deviation 1) lies with
# probability q. With δ on the right, q = 1 - δ.

# %% teaches="quantile of the normal distribution"
for delta in (0.3174, 0.05, 0.001):
    one, two = NormalDist().inv_cdf(1 - delta), NormalDist().inv_cdf(1 - delta / 2)
    print(f"δ = {delta:6}: one-sided z = {one:.3f}, two-sided z = {two:.3f};"
          f"  for t = 0.01 two-sided: n = {math.ceil(two ** 2 / (4 * 0.01 ** 2)):,}")

# %% tags=["demo"]
grid = torch.linspace(-3.5, 3.5, 400)
bell = torch.distributions.Normal(0.0, 1.0).log_prob(grid).exp()
figure, axes = plt.subplots(1, 2, figsize=(7.5, 2.5), sharey=True, layout="constrained")
for ax, sides in zip(axes, (1, 2)):
    z = NormalDist().inv_cdf(1 - 0.05 / sides)
    ax.plot(grid, bell, color="C0")
    ax.fill_between(grid, bell, where=(grid >= z) if sides == 1 else (grid.abs() >= z), color="C3")
    ax.set(title=f"{'one' if sides == 1 else 'two'}-sided, δ = 0.05: z = {z:.2f}", xlabel="distance in standard deviations")
axes[0].set_ylabel("density")
plt.show()

# %% [markdown]
# *What to see:* the red area is 0.05 in both pictures. On the right it is divided between two tails, so z must lie farther out.
#
# For t = 0.01 and δ = 0.05 it takes 9,604 examples. That is why test sets so often have about 10,000: their error rates mean something to one
# percentage point.

# %% [markdown] task="4.6.B" kind="code" minutes=2 difficulty=1 needs="quantile of the normal distribution, one-sided and two-sided"
# ### How far is unusual?
#
# A test error has the standard deviation `deviation`. Write `unusual_distance(deviation, delta, sides)`: the distance t that it passes with
# probability `delta`, by the central limit theorem. `sides` is 1 (too low by t or more) or 2 (off by t or more either way).
#
# **You are done when**
# - **one side**: for `sides` = 1 the whole of `delta` lies on one side;
# - **two sides**: for `sides` = 2 it is shared by both.

# %% exercise="4.6.B"
def unusual_distance(deviation, delta, sides):
    """The distance that a normal variable with this deviation passes with probability delta."""
    ### BEGIN SOLUTION
    return deviation * NormalDist().inv_cdf(1 - delta / sides)
    ### END SOLUTION

# %% [markdown] hints="4.6.B"
# 1. How many standard deviations away does an area of `delta` begin, on one side?
# 2. z is `NormalDist().inv_cdf(1 - area on the right)`.
# 3. Deviation 0.1, δ = 0.3174, two sides: z = 1.000, so the distance is 0.1.

# %% check="4.6.B" points=1
def wrong_distances(deviation, delta, sides, z, other):
    """Usual mistakes; z belongs to these sides, `other` to the other number of sides."""
    found = {f"This is the answer for {'two sides' if sides == 1 else 'one side: half of delta lies on each'}.": deviation * other, "This is z: multiply it by the deviation.": z,
             "Negative, but a distance is positive: delta is the area on the right of the place, not on its left.": -deviation * z, "Multiply z by the deviation itself, not by its square.": deviation ** 2 * z,
             "Multiply z by the deviation itself, not by its root.": deviation ** 0.5 * z, "Multiply z by the deviation, do not divide.": z / deviation,
             "The deviation multiplies z; here it is added, as if it were the mean.": z + deviation,
             "This is what Chebyshev's inequality gives: use the normal distribution.": deviation / delta ** 0.5,
             "The place that belongs to an area is asked for: `inv_cdf`, not `cdf`.": deviation * NormalDist().cdf(1 - delta / sides),
             "The place that belongs to an area is asked for: `inv_cdf`, not `pdf`.": deviation * NormalDist().pdf(1 - delta / sides), "z is taken as it is, not squared.": deviation * z ** 2, "Hand back the distance as it is, not rounded.": round(deviation * z, 3), "z is rounded too early: take all its digits.": deviation * round(z, 2),
             "This is what Hoeffding's inequality would give: use the normal distribution.": deviation * (2 * math.log(sides / delta)) ** 0.5}
    if sides == 2:
        found["t is the distance to one end, not from one end to the other."] = deviation * z * 2
        found["δ is the probability outside, on two sides together: here it lies inside."] = deviation * NormalDist().inv_cdf((1 + delta) / 2)
        found["Two sides halve delta, not 1 - delta: the area on the left of the place is 1 - delta / 2."] = deviation * NormalDist().inv_cdf((1 - delta) / 2)
    if delta != 0.05:
        found["This is z for δ = 0.05: take the quantile that belongs to delta."] = deviation * (1.6448536 if sides == 1 else 1.9599640)
    if deviation != 0.02:
        found["Multiply by the deviation that is given, not by 0.02."] = 0.02 * z
    return found

def which_argument(found, wanted):
    """What a wrong distance does not follow, from further calls."""
    if math.isclose(float(found), wanted, rel_tol=1e-3) or abs(float(unusual_distance(0.1, 0.1, 1))) < 1e-9:
        return ""
    one, twice, two = (float(unusual_distance(*call)) for call in ((0.1, 0.1, 1), (0.2, 0.1, 1), (0.1, 0.2, 2)))
    if not math.isclose(twice, 2 * one, rel_tol=1e-2):
        return f" Twice the deviation makes t twice as large; yours becomes {twice / one:.4g} times as large."
    if not math.isclose(one, two, rel_tol=1e-2):
        return f" One side with δ = 0.1 and two sides with δ = 0.2 both leave an area of 0.1 on the right, so t is the same. For deviation 0.1 yours are {one:.4g} and {two:.4g}." + (
            " The one for two sides is right: on one side lies the whole of δ, and no other factor is needed." if math.isclose(two, 0.1281552, rel_tol=1e-2) else
            " The one for one side is right: of two sides each gets δ / 2, and no other factor is needed." if math.isclose(one, 0.1281552, rel_tol=1e-2) else "")
    return " It grows with the deviation as it must, and the sides share δ: it is z for an area that is not right."

for deviation_, delta_, z1_, z2_, doubled_ in ((0.02, 0.05, 1.6448536, 1.9599640, 1.2815516), (0.5, 0.2, 0.8416212, 1.2815516, 0.2533471)):
    assert_type(unusual_distance(deviation_, delta_, 1), (int, float, torch.Tensor), f"unusual_distance({deviation_}, {delta_}, 1)", of="one side")
    assert_close(unusual_distance(deviation_, delta_, 1), deviation_ * z1_, f"deviation {deviation_}, δ = {delta_}, one side", rtol=1e-3, of="one side",
                 mistakes=wrong_distances(deviation_, delta_, 1, z1_, z2_), hint=lambda: f"The area on the right is {delta_}, so t is z = {z1_:.3f} deviations. Yours is {float(unusual_distance(deviation_, delta_, 1)) / deviation_:.4g} deviations."
                      + which_argument(unusual_distance(deviation_, delta_, 1), deviation_ * z1_))
    assert_close(unusual_distance(deviation_, delta_, 2), deviation_ * z2_, f"deviation {deviation_}, δ = {delta_}, two sides", rtol=1e-3, of="two sides",
                 mistakes={**wrong_distances(deviation_, delta_, 2, z2_, z1_), "Two sides take half of delta each, not twice delta.": deviation_ * doubled_,
                           "This is the square of z for one side: for two sides take z for half of delta, without a square.": deviation_ * z1_ ** 2,
                           "Two sides halve delta, not the distance.": deviation_ * z1_ / 2, "Two sides halve delta; they do not double the distance.": deviation_ * z1_ * 2},
                 hint=lambda: f"The area on the right is {delta_ / 2}, so t is z = {z2_:.3f} deviations. Yours is {float(unusual_distance(deviation_, delta_, 2)) / deviation_:.4g} deviations."
                      + which_argument(unusual_distance(deviation_, delta_, 2), deviation_ * z2_))
### BEGIN HIDDEN TESTS
for deviation_, delta_, z1_, z2_ in ((0.3, 0.001, 3.0902323, 3.2905267), (0.004, 0.3, 0.5244005, 1.0364334)):
    for sides_, z_, other_ in ((1, z1_, z2_), (2, z2_, z1_)):
        assert_close(unusual_distance(deviation_, delta_, sides_), deviation_ * z_, f"deviation {deviation_}, δ = {delta_}, {'one side' if sides_ == 1 else 'two sides'}", rtol=1e-3,
                     of="one side" if sides_ == 1 else "two sides", mistakes=wrong_distances(deviation_, delta_, sides_, z_, other_),
                     hint=lambda: "z is the quantile that belongs to this delta." + which_argument(unusual_distance(deviation_, delta_, sides_), deviation_ * z_))
### END HIDDEN TESTS

# %% [markdown] task="4.6.1a" kind="code" minutes=4 difficulty=2 core=true needs="central limit theorem, quantile of the normal distribution, sample size"
# ### Test examples by the central limit theorem
#
# Write `normal_size(t, delta, sides, error)`: the smallest whole n for which, by the central limit theorem, the test error is off by t or more with probability
# `delta` at most. `sides` is 1 or 2 as above; `error` is the population error that one reckons with. (Take the normal distribution as it is, without corrections.)
#
# **You are done when**
# - **sides**: n follows from t, `delta` and the normal distribution, for one side and for two;
# - **variance**: the variance is that of a classifier with this error, below 1/2 or above;
# - **whole number**: n is rounded up, and no larger than it must be.

# %% exercise="4.6.1a"
def normal_size(t, delta, sides, error):
    """The least n with P(off by t or more) <= delta, by the central limit theorem."""
    ### BEGIN SOLUTION
    z = NormalDist().inv_cdf(1 - delta / sides)
    return math.ceil(z ** 2 * error * (1 - error) / t ** 2)
    ### END SOLUTION

# %% [markdown] hints="4.6.1a"
# 1. In the formula for n, what is σ² for a classifier with this error?
# 2. `math.ceil(2.1)` is 3.
# 3. For t = 0.1, δ = 0.3174, two sides and error 1/2: z = 1, so n = 0.25 / 0.01 = 25.

# %% check="4.6.1a" points=1
def wrong_sizes(t, delta, sides, error, z, other):
    """Usual mistakes; z belongs to these sides, `other` to the other number of sides."""
    variance = error - error ** 2
    rare, usual = (float(normal_size(0.02, 0.05, sides, share)) for share in (0.1, 0.5)) if error == 0.5 else (1.0, 1.0)
    other_size = float(normal_size(0.03, 0.05, 2, 0.5))                     # 1067.07, so 1068; in tens 1070, in hundreds 1100
    found = {f"This is the size for {'two sides' if sides == 1 else 'one side'}.": (other / t) ** 2 * variance, "z is squared.": z * variance / t ** 2, "t is squared.": z ** 2 * variance / t,
             "This is what Chebyshev's inequality gives: use the normal distribution.": variance / delta / t ** 2,
             "This is what Hoeffding's inequality gives: use the normal distribution.": math.log(sides / delta) / t ** 2 / 2,
             "delta is not doubled: on one side lies all of it, on each of two sides half of it.": (NormalDist().inv_cdf(1 - 2 * delta) / t) ** 2 * variance,
             "z is rounded too early: take all its digits.": (round(z, 2) / t) ** 2 * variance, "Take the normal distribution as it is, without a correction.": (z / t) ** 2 * variance + 1 / t,
             "Divide by t², all of it: n grows as t falls.": z ** 2 * variance, "The place that belongs to an area is asked for: `inv_cdf`, not `pdf`.": (NormalDist().pdf(1 - delta / sides) / t) ** 2 * variance,
             "The place that belongs to an area is asked for: `inv_cdf`, not `cdf`.": (NormalDist().cdf(1 - delta / sides) / t) ** 2 * variance,
             "Round up once, at the end: here the root of n was rounded up, and then squared.": math.ceil(z * variance ** 0.5 / t) ** 2,
             "There is no least size, such as 30: n is what the formula gives.": 30}
    if abs(rare / usual - 0.6) < 0.01 or error != 0.5:
        found["Put in the variance, not its root."] = (z / t) ** 2 * variance ** 0.5
    if abs(rare / usual - 0.1296) < 0.005 or error != 0.5:
        found["Error times (1 - error) is σ² already: it is not squared again."] = (z * variance / t) ** 2
    if other_size in (1070, 1100):
        unit, word = (10, "ten") if other_size == 1070 else (100, "hundred")
        found[f"This is enough, but not the smallest n: it is rounded up to the next {word}."] = unit * math.ceil((z / t) ** 2 * variance / unit)
    if abs(other_size - 1112) < 1.5:
        found["Round up once, at the end: here z² was rounded up before."] = math.ceil(z ** 2) / t ** 2 * variance
    if error != 0.5 or abs(rare - usual) < 2:
        found["σ² is missing: it is error times (1 - error)." if error != 0.5 else "Four times too many: σ² is left out. It is error times (1 - error), here 1/4."] = (z / t) ** 2
    elif abs(rare / usual - 0.36) < 0.01:
        found["Four times too many, though the error counts as it must: t is halved here, or z doubled. Take both as they are."] = (z / t) ** 2
    if error != 0.5:
        found |= {"The variance is error times (1 - error), for an error above 1/2, too." if error > 0.5 else "This is the worst case: use the error that is given.": (z / t) ** 2 / 4,
                  "The variance is error times (1 - error), not the error.": (z / t) ** 2 * error, "The variance is error times (1 - error), not error times error.": (z / t) ** 2 * error ** 2}
        found |= {"σ² is error times (1 - error): the error is not squared.": (z * error / t) ** 2 * (1 - error), "σ² is error times (1 - error): 1 - error is not squared.": (z * (1 - error) / t) ** 2 * error}
    else:
        found["Half of what it takes: σ² is 1/4 here, not 1/8. Each factor of error times (1 - error) counts once, and n is not halved."] = (z / t) ** 2 / 8
    if sides == 2:
        if normal_size(0.1, 0.1, 1, 0.3) == 35:
            found["Four times the number for one side: two sides halve delta, they neither double z nor halve t."] = (2 * other / t) ** 2 * variance
        found |= {"Two sides halve delta; they do not double n.": 2 * (other / t) ** 2 * variance, "Two sides halve delta, not z.": (other / 2 / t) ** 2 * variance,
                  "The area on the left of the place is 1 - delta / 2: here delta lies inside, or 1 - delta is halved.": (NormalDist().inv_cdf((1 + delta) / 2) / t) ** 2 * variance}
    if delta != 0.05:
        found["This is z for δ = 0.05: take the quantile that belongs to delta."] = ((1.6448536 if sides == 1 else 1.9599640) / t) ** 2 * variance
    return {sentence: float(math.ceil(n)) for sentence, n in found.items()}

def which_factor(found, wanted):
    """What a wrong size does not follow, from further calls."""
    if abs(float(found) - wanted) < 1.01:
        return ""
    usual = float(normal_size(0.02, 0.05, 2, 0.5))
    if usual < 100:
        return f" For t = 0.02, δ = 0.05, two sides and error 0.5 it is 1.96² · 0.25 / 0.0004, about 2401: yours is {usual:g}."
    half, rare, often, one, sure = (float(normal_size(*call)) for call in ((0.01, 0.05, 2, 0.5), (0.02, 0.05, 2, 0.1), (0.02, 0.05, 2, 0.9), (0.02, 0.025, 1, 0.5), (0.02, 0.01, 2, 0.5)))
    if abs(half / usual - 4) > 0.06:
        return f" Where t is half as large, n must be 4 times as large: from t = 0.02 to 0.01 yours becomes {half / usual:.4g} times as large."
    for share, size in ((0.1, rare), (0.9, often)):
        if abs(size / usual - 0.36) > 0.01:
            return f" From error 0.5 to {share} σ² goes from 0.25 to 0.09, and n must become 0.36 times as large: yours becomes {size / usual:.4g} times as large." + (
                " So n does not follow the error at all." if abs(size / usual - 1) < 1e-3 else " That is 0.36²: error times (1 - error) is σ² already, and is not squared again." if abs(size / usual - 0.1296) < 0.003 else
                " That is the root of 0.36: σ² belongs there, not σ." if abs(size / usual - 0.6) < 0.003 else "")
    if abs(one / usual - 1) > 0.01:
        return f" One side with δ = 0.025 and two sides with δ = 0.05 have the same z, and so the same n: for t = 0.02 and error 0.5 yours are {one:g} and {usual:g}."
    if abs(sure / usual - 1.727) > 0.01:
        return f" From δ = 0.05 to 0.01, two sides, z goes from 1.960 to 2.576, and n must become 1.727 times as large: yours becomes {sure / usual:.4g} times as large."
    if abs(usual / 2400.91 - 1) < 0.01:
        return f" For t = 0.01, δ = 0.05, two sides and error 0.5 z²σ²/t² is 9603.65, and yours is {half:g}: something is added, or rounded before the end."
    return f" It follows t, the error, the sides and δ as it must: a factor is wrong, and yours is {usual / 2400.91:.4g} times as large as it should be."

for t_, delta_, sides_, error_, z_, other_, of_ in ((0.02, 0.05, 2, 0.5, 1.959964, 1.644854, "sides"), (0.02, 0.05, 1, 0.5, 1.644854, 1.959964, "sides"), (0.02, 0.05, 2, 0.1, 1.959964, 1.644854, "variance"),
                                                    (0.02, 0.2, 1, 0.8, 0.841621, 1.281552, "variance"), (0.1, 0.1, 2, 0.3, 1.644854, 1.281552, "sides"), (0.1, 0.1, 1, 0.3, 1.281552, 1.644854, "sides"),
                                                    (0.25, 0.1, 2, 0.2, 1.644854, 1.281552, "whole number")):
    call_ = f"t = {t_}, δ = {delta_}, {'one side' if sides_ == 1 else 'two sides'}, error {error_}"
    variance_ = error_ - error_ ** 2
    exact_ = z_ ** 2 * variance_ / t_ ** 2
    found_ = normal_size(t_, delta_, sides_, error_)
    assert_type(found_, (int, float, torch.Tensor), f"normal_size({t_}, {delta_}, {sides_}, {error_})", of=of_)
    if exact_ + 1 < float(found_) and any(abs(float(found_) - step * math.ceil(exact_ / step)) < 1e-6 and normal_size(0.03, 0.05, 2, 0.5) == step * math.ceil(1067.07 / step) for step in (10, 100)) or (
            abs(float(found_) - math.ceil(z_ ** 2) / t_ ** 2 * variance_) < 1.5 and abs(float(normal_size(0.03, 0.05, 2, 0.5)) - 1112) < 1.5):
        of_ = "whole number"
    if error_ == 0.5 and float(found_) > 1 and abs(float(found_) / exact_ - 1) > 0.1 and any(abs(float(normal_size(t_, delta_, sides_, 0.1)) / float(found_) - ratio) < 0.01 for ratio in (0.6, 0.2, 0.1296)):
        of_ = "variance"
    assert_close(found_, float(math.ceil(exact_)), f"{call_}, to within one example", rtol=0, atol=1.01, of=of_, mistakes=wrong_sizes(t_, delta_, sides_, error_, z_, other_),
                 hint=lambda: f"Here z = {z_:.6f}, σ² = {variance_:.4g}, and z²σ²/t² is {exact_:.2f}" + (f": yours is {float(found_) / exact_:.4g} times as many." + which_factor(found_, exact_) if float(found_) > 0 else "."))
    assert_close(found_, float(math.ceil(exact_)), f"the whole number for {call_}", rtol=1e-7, of="whole number", hint=f"n must be at least {exact_:.2f}: round up to the next whole number.",
                 mistakes={"Round up: with one example fewer the probability is above δ.": float(math.floor(exact_)), "One fewer is enough.": float(math.ceil(exact_) + 1)})
### BEGIN HIDDEN TESTS
for t_, delta_, error_ in ((0.013, 0.02, 0.5), (0.03, 0.001, 0.23), (0.005, 0.3, 0.04), (0.01, 0.01, 0.9)):
    z_ = [torch.distributions.Normal(0., 1.).icdf(torch.tensor(1 - delta_ / sides_, dtype=torch.float64)).item() for sides_ in (1, 2)]
    for sides_ in (1, 2):
        wanted_ = float(math.ceil((z_[sides_ - 1] / t_) ** 2 * (error_ - error_ ** 2)))
        call_ = f"t = {t_}, δ = {delta_}, {sides_} side(s), error {error_}"
        assert_close(normal_size(t_, delta_, sides_, error_), wanted_, f"{call_}, to within one example", rtol=0, atol=1.01, of="sides" if error_ == 0.5 else "variance",
                     mistakes=wrong_sizes(t_, delta_, sides_, error_, z_[sides_ - 1], z_[2 - sides_]),
                     hint=lambda: "n = z²σ²/t², with the z of these sides and this δ, and the σ² of this error." + which_factor(normal_size(t_, delta_, sides_, error_), wanted_))
        assert_close(normal_size(t_, delta_, sides_, error_), wanted_, f"the whole number for {call_}", rtol=1e-7, of="whole number", hint="Round up to the next whole number, for large n and for small.")
assert_close(normal_size(0.2, 0.2, 1, 0.5), 5, "t = 0.2, δ = 0.2, one side, error 0.5", rtol=1e-5, of="whole number", hint="For small n, too, it is z²σ²/t², rounded up: nothing is added, and there is no least size.")
### END HIDDEN TESTS

# %% [markdown] teaches="markov's inequality, hoeffding's inequality"
# ## 3. Second answer: a bound that holds for every n
#
# The central limit theorem speaks of large n, and does not say which n is large. Chebyshev's inequality holds for every n, but with $\sigma^2/(n t^2)$ it falls slowly: ten times the data, a tenth
# of the probability. Is there a promise as sharp as the normal curve? **Hoeffding's inequality** is nearly that. For n independent numbers between 0 and 1, such as our errors,
#
# $$P(\varepsilon - \hat\varepsilon \ge t) \le e^{-2 n t^2}, \qquad P(|\hat\varepsilon - \varepsilon| \ge t) \le 2\,e^{-2 n t^2}.$$
#
# Where does the exponential come from? Three steps, for $\hat\varepsilon$ too *high*; the other side is the same in a mirror. Let $X_i$ be 1 if example i is wrong and 0 otherwise.
#
# 1. *Markov's inequality*: for $Y \ge 0$ and $a > 0$, $P(Y \ge a) \le E[Y]/a$. (Where $Y \ge a$ it contributes at least a times the probability to $E[Y]$, elsewhere not less than 0.) Chebyshev's
#    inequality is Markov's for $Y = (X - \mu)^2$. Now take $Y = e^{s \sum_i (X_i - \varepsilon)}$ with any $s > 0$. The sum is $n(\hat\varepsilon - \varepsilon)$, so "$\hat\varepsilon - \varepsilon \ge t$" means the same as $Y \ge e^{s n t}$.
# 2. The examples are independent, so the expectation of the product is the product of expectations: $E[Y] = \big(E[e^{s(X - \varepsilon)}]\big)^n$.
# 3. *Hoeffding's lemma*: $E[e^{s(X - \varepsilon)}] \le e^{s^2/8}$, whatever ε and s are. We do not prove it; the cell below tries it for three s and 99 ε: no ratio passes 1.
#
# Together $P \le e^{n s^2/8 - s n t}$, for every s. The best s makes the exponent smallest: its derivative $n s/4 - n t$ is zero at $s = 4t$, and there the exponent is $2nt^2 - 4nt^2 = -2nt^2$.

# %% teaches="hoeffding's inequality"
for s in (0.5, 2.0, 8.0):
    errors = torch.linspace(0.01, 0.99, 99)
    expectation = errors * torch.exp(s * (1 - errors)) + (1 - errors) * torch.exp(-s * errors)       # X = 1 and X = 0
    print(f"s = {s}: the largest ratio of E[exp(s (X - ε))] to exp(s²/8) is {(expectation / math.exp(s ** 2 / 8)).max():.4f}")
print("n = 1000, t = 0.05, two-sided:", 2 * math.exp(-2 * 1000 * 0.05 ** 2))

# %% tags=["demo"]
def exact_probability(p, n, t):
    """P(|share of n - p| >= t), added up."""
    return sum(math.comb(n, k) * p ** k * (1 - p) ** (n - k) for k in range(n + 1) if abs(k / n - p) >= t - 1e-9)

sizes_shown = list(range(20, 801, 30))
figure, axes = plt.subplots(1, 2, figsize=(8.5, 3), sharey=True, layout="constrained")
for ax, p in zip(axes, (0.5, 0.05)):
    ax.plot(sizes_shown, [min(1, p * (1 - p) / (n * 0.05 ** 2)) for n in sizes_shown], ":", color="C2", label="Chebyshev (σ known)")
    ax.plot(sizes_shown, [min(1, 2 * math.exp(-2 * n * 0.05 ** 2)) for n in sizes_shown], "-", color="C3", label="Hoeffding")
    ax.plot(sizes_shown, [2 * (1 - NormalDist().cdf(0.05 / math.sqrt(p * (1 - p) / n))) for n in sizes_shown], "--", color="C0", label="central limit theorem")
    ax.plot(sizes_shown, [exact_probability(p, n, 0.05) for n in sizes_shown], ".", color="black", markersize=4, label="exact")
    ax.set(yscale="log", ylim=(1e-6, 1.5), xlabel="test examples n", title=f"ε = {p}")
    ax.grid(alpha=0.3)
axes[0].set_ylabel("P(off by 0.05 or more)")
axes[1].legend(*axes[0].get_legend_handles_labels(), loc="center left", bbox_to_anchor=(1.02, 0.5))
plt.show()
for n in (20, 100, 400):
    print(f"ε = 0.05, n = {n:3}: exact {exact_probability(0.05, n, 0.05):.2g}, central limit theorem {2 * (1 - NormalDist().cdf(0.05 / math.sqrt(0.0475 / n))):.2g},"
          f" Hoeffding {min(1, 2 * math.exp(-2 * n * 0.05 ** 2)):.2g}")

# %% [markdown]
# *What to see:* the axis is logarithmic, so a straight line downwards is an exponential fall. Chebyshev's curve bends away: it promises little. Hoeffding's is straight, and always above the black points: a
# promise that is kept. The dashed curve is nearer to the points. On the right, where errors are rare, it lies *below* them: at n = 400 the truth is about seven times what the
# central limit theorem says. It is an estimate, not a promise. Hoeffding does not know that ε is small, and pays for it: there even Chebyshev,
# who is told σ, promises more up to n = 800.
#
# Solve $\text{sides} \cdot e^{-2 n t^2} \le \delta$ for n, by taking logarithms:
#
# $$n \ge \frac{\log(\text{sides} / \delta)}{2 t^2}.$$

# %%
for sides in (1, 2):
    print(f"t = 0.01, δ = 0.05, {sides} side(s): n = {math.ceil(math.log(sides / 0.05) / (2 * 0.01 ** 2)):,}")

# %% [markdown]
# ⚠ One reads that "15,000 examples" make sure that the test error is within 0.01 of the truth with probability 0.95. That number is the *one-sided* one, 14,979. "Within" means both sides, and takes 18,445. The
# fair comparison with the central limit theorem is 18,445 against 9,604. The promise costs about twice the data.

# %% [markdown] task="4.6.C" kind="code" minutes=2 difficulty=1 core=true needs="hoeffding's inequality, one-sided and two-sided"
# ### The bound itself
#
# Write `hoeffding_bound(n, t, sides)`: Hoeffding's bound for the probability that the test error of n examples is off by t or more, on one side or on
# either side.
#
# **You are done when**
# - **bound**: it is right for `sides` 1 and 2;
# - **at most 1**: it is never above 1, since no probability is.

# %% exercise="4.6.C"
def hoeffding_bound(n, t, sides):
    """Hoeffding's bound for an error of t or more, at most 1."""
    ### BEGIN SOLUTION
    return min(1.0, sides * math.exp(-2 * n * t ** 2))
    ### END SOLUTION

# %% [markdown] hints="4.6.C"
# 1. What does the second side change in the formula?
# 2. `min(1.0, x)` is the smaller of the two.
# 3. n = 1,000, t = 0.05, two sides: 2 exp(-5) = 0.0135, as printed above.

# %% check="4.6.C" points=1
def wrong_bounds(n, t, sides):
    """Usual mistakes; values that are nearly 0 are left out."""
    one = math.exp(-2 * n * t ** 2)
    found = {"This is the bound for two sides." if sides == 1 else "Both sides add up.": min(1.0, one * (3 - sides)), "There is a factor 2 in the exponent." if sides == 1 else "For two sides, too, the exponent is -2nt²: here it is half of that.": min(1.0, sides * one ** 0.5),
            "t is squared.": min(1.0, sides * math.exp(-2 * n * t)), "t is squared within the exponent: exp(-2nt) squared is something else.": min(1.0, sides * math.exp(-4 * n * t)),
            "n multiplies in the exponent, it does not divide.": min(1.0, sides * math.exp(-2 * t ** 2 / n)),
            "The factor 2 multiplies in the exponent, it does not divide." if sides == 1 else "Both sides take the whole t, not half of it.": min(1.0, sides * one ** 0.25),
            "It is 2nt², not (2t)² n nor 2 · 2nt².": sides * one ** 2, "n stands in the exponent as it is, without a root.": min(1.0, sides * math.exp(-2 * n ** 0.5 * t ** 2)),
            "This is the central limit theorem's number: Hoeffding's is asked for.": sides * math.erfc(t * (2 * n) ** 0.5) / 2, "The exponent is negative.": sides / one, "The base is e, not 2.": min(1.0, sides * one ** math.log(2)), "This is the bound itself taken from 1.": 1 - sides * one,
            "This is Chebyshev's bound with the largest variance: Hoeffding's is asked for.": min(1.0, 1 / (4 * n * t ** 2)), "Hand back the bound as it is, not rounded.": round(sides * one, 3),
            "The exponent is negative, and the bound falls with n.": 1.0, "In the exponent stands n, not n - 1.": min(1.0, sides * math.exp(-2 * (n - 1) * t ** 2)), "t is squared, n is not.": sides * math.exp(-2 * (n * t) ** 2)} | (
           {"Both sides add up: twice one side, not its square.": one ** 2, "Both sides add up: twice one side, not its root.": one ** 0.5, "Both sides add up, as if they could never overlap: nothing is taken away.": 2 * one - one ** 2, "Both sides add up: twice one side, not four times.": 4 * one, "Both sides add up, not half of each.": one / 2} if sides == 2 else
           {"For one side, too, cut at 1 and not at 1/2.": 0.5, "For one side the exponential stands as it is: it is not halved.": one / 2})
    return {sentence: value for sentence, value in found.items() if value > 1e-7}

for n_, t_, sides_ in ((10, 0.4, 1), (200, 0.1, 2), (10, 0.1, 1), (60, 0.15, 2), (60, 0.1, 2)):
    found_ = hoeffding_bound(n_, t_, sides_)
    assert_type(found_, (int, float, torch.Tensor), f"hoeffding_bound({n_}, {t_}, {sides_})", of="bound")
    known_ = wrong_bounds(n_, t_, sides_)
    if sides_ == 1 and math.isclose(float(hoeffding_bound(n_, t_, 2)), float(found_) ** 2, rel_tol=1e-4):
        known_["`sides` stands in the exponent, where the 2 belongs: it multiplies the whole exponential."] = known_.pop("There is a factor 2 in the exponent.")
    exponent_ = math.log(float(found_) / sides_) if 0 < float(found_) < sides_ else 0.0
    named_ = [words for words, value in (("-(2nt)²", -(2 * n_ * t_) ** 2), ("-2(nt)²", -2 * (n_ * t_) ** 2), ("-2n²t", -2 * n_ ** 2 * t_), ("-2nt", -2 * n_ * t_), ("-n²t²/2", -(n_ * t_) ** 2 / 2)) if abs(exponent_ - value) < 1e-3 * abs(value)]
    yours_ = f" Yours is {sides_} · exp({exponent_:.4g})" + (f", with {named_[0]} in the exponent." if len(named_) == 1 else ".") if exponent_ else ""
    if found_ == 1 and float(hoeffding_bound(20, 0.1, 2)) > 1:
        known_ = {f"Of 1 and {sides_ * math.exp(-2 * n_ * t_ ** 2):.4g} the larger one comes back: no probability is above 1, so take the smaller one, by `min`.": 1.0}
    elif found_ == 1 and sides_ == 2 and float(hoeffding_bound(10_000, 0.1, 2)) == 1:
        known_ = {"For two sides yours is 1 at n = 10,000, too: two sides multiply the exponential by 2, they add nothing to it, and only what is above 1 is cut.": 1.0}
    assert_close(found_, sides_ * math.exp(-2 * n_ * t_ ** 2), f"n = {n_}, t = {t_}, {'one side' if sides_ == 1 else 'two sides'}", rtol=1e-4, of="bound",
                 mistakes=known_, hint=f"The bound is {sides_} · exp({-2 * n_ * t_ ** 2:.4g}): the exponent is -2nt²." + yours_)
for n_, t_ in ((20, 0.1), (1, 0.01)):
    assert_close(hoeffding_bound(n_, t_, 2), 1.0, f"n = {n_}, t = {t_}, two sides", rtol=1e-4, of="at most 1", hint="The formula gives more than 1 here: cut it at 1.",
                 mistakes={"A bound above 1 says nothing: cut it at 1, after the two sides are added up.": 2 * math.exp(-2 * n_ * t_ ** 2), "Where the formula gives more than 1, the bound is 1, not 0.": 0.0,
                           "Add the two sides up before you cut at 1.": math.exp(-2 * n_ * t_ ** 2)})
### BEGIN HIDDEN TESTS
for n_, t_ in ((50, 0.3), (3000, 0.02), (7, 0.5), (9, 0.25), (4, 0.2)):
    for sides_ in (1, 2):
        assert_close(hoeffding_bound(n_, t_, sides_), min(1.0, sides_ * math.e ** (-2 * n_ * t_ * t_)), f"n = {n_}, t = {t_}, {sides_} side(s)", rtol=1e-4,
                     of="bound" if n_ > 4 or sides_ == 1 else "at most 1", mistakes=wrong_bounds(n_, t_, sides_), hint="The exponent is -2nt².")
assert_close(hoeffding_bound(3, 0.05, 2), 1.0, "n = 3, t = 0.05, two sides", rtol=1e-4, of="at most 1", hint="The formula gives more than 1 here.")
### END HIDDEN TESTS

# %% [markdown] task="4.6.1b" kind="code" minutes=3 difficulty=2 core=true needs="hoeffding's inequality, sample size"
# ### Test examples by Hoeffding
#
# Write `hoeffding_size(t, delta, sides)`: the smallest whole n for which Hoeffding's bound is at most `delta`.
#
# **You are done when**
# - **enough**: with this n the bound is at most `delta`, for one side and for two;
# - **smallest**: it is a whole number, and with one example fewer the bound would be above `delta`.

# %% exercise="4.6.1b"
def hoeffding_size(t, delta, sides):
    """The least whole n with Hoeffding's bound at most delta."""
    ### BEGIN SOLUTION
    return math.ceil(math.log(sides / delta) / (2 * t ** 2))
    ### END SOLUTION

# %% [markdown] hints="4.6.1b"
# 1. Which n makes the bound equal to `delta`?
# 2. `math.log` is the natural logarithm; `math.ceil` rounds up.
# 3. For t = 0.01 and δ = 0.05 the cell above prints 14,979 and 18,445.

# %% check="4.6.1b" points=1
def sentence_for(value, table, other=""):
    """The sentence of the one entry that has this value."""
    found = [sentence for sentence, entry in table.items() if abs(float(value) - entry) <= 1e-6 * abs(entry)]
    return found[0] if len(found) == 1 else other

def wrong_hoeffding_sizes(t, delta, sides):
    """Usual mistakes."""
    log = math.log(sides / delta)
    found = {f"This is the number for {'two sides' if sides == 1 else 'one side'}.": math.log((3 - sides) / delta) / (2 * t ** 2), "Take the natural logarithm, not that to base 10.": log / math.log(10) / (2 * t ** 2),
             "Take the natural logarithm, not that to base 2.": log / math.log(2) / (2 * t ** 2), "This is twice too many: the 2 in the exponent divides n.": log / t ** 2, "It is 2t², not (2t)².": log / (4 * t ** 2),
             "The 2 in the exponent divides n, it does not multiply.": 2 * log / t ** 2, "t is squared.": log / (2 * t), "This is the central limit theorem's number: Hoeffding's is asked for.": (NormalDist().inv_cdf(1 - delta / sides) / (2 * t)) ** 2,
             "The logarithm of a number below 1 is negative: take log(sides / δ).": -log / (2 * t ** 2),
             "It is log(sides / δ): nothing is added to sides / δ.": math.log1p(sides / delta) / (2 * t ** 2),
             "It is log(sides / δ): nothing is taken from sides / δ.": math.log(sides / delta - 1) / (2 * t ** 2),
             "δ is the probability of being off by t or more: take δ itself, not 1 - δ.": math.log(sides / (1 - delta)) / (2 * t ** 2),
             "n is log(sides / δ) / (2t²) itself, not its root.": (log / 2) ** 0.5 / t}
    if sides == 2:
        found["The two sides count once: it is log(2/δ), not log(4/δ)."] = math.log(4 / delta) / (2 * t ** 2)
        found["The sides multiply the bound: it is log(sides / δ), not log(1 / (sides · δ))."] = -math.log(2 * delta) / (2 * t ** 2)
        found["The two sides stand in the logarithm; they do not double n."] = -2 * math.log(delta) / (2 * t ** 2)
        found["The two sides stand in the logarithm; they do not halve n."] = -math.log(delta) / (4 * t ** 2)
    if float(hoeffding_size(0.01, 0.05, 2)) == 18444:                # log(40) / 0.0002 is 18444.4, log(39) / 0.0002 is 18317.8
        del found["It is log(sides / δ): nothing is taken from sides / δ."]
    return {sentence: math.ceil(n) for sentence, n in found.items()} | {"Round up to a whole number.": log / (2 * t ** 2), "Round up: with one example more the bound is at most δ.": math.floor(log / (2 * t ** 2)),
                                                                        "One fewer is enough.": math.ceil(log / (2 * t ** 2)) + 1}

def which_step(found, least):
    """What a wrong number does not follow, from further calls."""
    if abs(found - least) < 0.5:
        return ""
    usual = float(hoeffding_size(0.02, 0.1, 1))
    if usual < 100:
        return f" For t = 0.02, δ = 0.1 and one side it is log(10) / 0.0008, about 2878: yours is {usual:g}."
    calls = ((0.07, 0.05, 1), (0.13, 0.05, 2), (0.037, 0.01, 1))
    sizes_, logs, doubles = [float(hoeffding_size(*call)) for call in calls], [math.log(sides / delta) for _, delta, sides in calls], [2 * t ** 2 for t, _, _ in calls]
    for size in (1000, 500, 100, 50, 25, 20, 10, 5, 2):
        if all(n % size == 0 and 0 <= n - math.ceil(log / double) < size for n, log, double in zip(sizes_, logs, doubles)):
            return f" For other t and δ, too, yours is enough and a multiple of {size}: every whole number has to be tried, or rounded up to."
    if all(n in {2 ** i for i in range(40)} for n in sizes_):
        return " Yours are powers of 2, for other t and δ, too: n is doubled until it is enough, and the smallest lies below."
    if all(abs(n - math.ceil(log) / double) < 1.01 for n, log, double in zip(sizes_, logs, doubles)):
        return " The logarithm is rounded up before it is divided: round once, at the end."
    half, small, one, two = (float(hoeffding_size(*call)) for call in ((0.01, 0.1, 1), (0.02, 0.01, 1), (0.02, 0.05, 1), (0.02, 0.1, 2)))
    if abs(half / usual - 4) > 0.03:
        return f" Where t is half as large, n must be 4 times as large: from t = 0.02 to 0.01 yours becomes {half / usual:.4g} times as large."
    if abs(small / usual - 2) > 0.02:
        return f" From δ = 0.1 to δ = 0.01 the logarithm of 1 / δ doubles, and n on one side with it: yours becomes {small / usual:.4g} times as large."
    if abs(one / two - 1) > 0.01:
        return f" One side with δ = 0.05 and two sides with δ = 0.1 have the same sides / δ, and so the same n: for t = 0.02 yours are {one:g} and {two:g}."
    factor = usual * 0.0008 / math.log(10)
    return f" It follows t, δ and the sides as it must, and is {factor:.4g} times as large as it should be." if abs(factor - 1) > 0.01 else ""

for t_, delta_, sides_, least_ in ((0.1, 0.05, 1, 150), (0.1, 0.05, 2, 185), (0.005, 0.001, 2, 152019)):
    n_ = hoeffding_size(t_, delta_, sides_)
    call_ = f"t = {t_}, δ = {delta_}, {'one side' if sides_ == 1 else 'two sides'}"
    assert_type(n_, (int, float, torch.Tensor), f"hoeffding_size({t_}, {delta_}, {sides_})", of="enough")
    n_ = float(n_)
    known_ = wrong_hoeffding_sizes(t_, delta_, sides_)
    assert_true(n_ > least_ - 1, f"for {call_} the bound at n = {n_:g} is at most δ", of="enough",
                hint=lambda: "So few? Divide log(sides / δ) by 2t², all of it." if n_ <= 1 else sentence_for(n_, known_, f"It is {sides_ * math.exp(-2 * min(max(n_, 0), 1e6) * t_ ** 2):.3g}: more examples are needed. 2nt² is to be the logarithm of sides / δ = {sides_ / delta_:g}; with your n it is that of {math.exp(min(2 * n_ * t_ ** 2, 99)):.4g}." + which_step(n_, least_)))
    assert_close(n_, float(least_), f"the smallest n for {call_}", rtol=1e-6, of="smallest", mistakes=known_,
                 hint=lambda: "Hand back a whole number: round up." if n_ < least_ - 1e-6 else ("" if abs(n_ - round(n_)) < 1e-6 else "A whole number is asked for, and yours is none. ") + f"With {least_} the bound is {sides_ * math.exp(-2 * least_ * t_ ** 2):.5f}: that is enough, and yours is not the smallest." + which_step(n_, least_))
### BEGIN HIDDEN TESTS
for t_, delta_, sides_ in ((0.25, 0.1, 1), (0.04, 0.01, 1), (0.07, 0.3, 2), (0.002, 0.02, 2)):
    least_ = 1 if t_ > 0.01 else 575_000
    while sides_ * math.exp(-2 * least_ * t_ ** 2) > delta_:
        least_ += 1
    n_ = float(hoeffding_size(t_, delta_, sides_))
    known_ = wrong_hoeffding_sizes(t_, delta_, sides_)
    assert_true(n_ > least_ - 1, f"for t = {t_}, δ = {delta_}, {sides_} side(s) the bound at your n is at most δ", of="enough", hint=lambda: sentence_for(n_, known_, "The number must follow from t, δ and the sides for any values of these." + which_step(n_, least_)))
    assert_close(n_, float(least_), f"the smallest n for t = {t_}, δ = {delta_}, {sides_} side(s)", rtol=1e-7, of="smallest", mistakes=known_,
                 hint=lambda: "Fewer are enough: the number must follow from t, δ and the sides for any values of these." + which_step(n_, least_))
### END HIDDEN TESTS

# %% [markdown] task="4.6.1c" kind="explain" minutes=12 difficulty=3 core=true needs="hoeffding's inequality, central limit theorem, sample size, one-sided and two-sided"
# ### Four answers to one question
#
# How many test examples does it take to know the error of a fixed classifier to within 0.0001 with a probability of 99.9 %? Four numbers are defensible. Set `sizes`, a list of them in this order: Hoeffding
# one-sided, Hoeffding two-sided, central limit theorem one-sided, central limit theorem two-sided; for the last two, with the largest possible variance. An accuracy of one in a thousand is enough. (A function that counts n up one by one
# takes too long here: use the formula for n.)
#
# Then write: (1) which of the four answers the question as it is put, and for what the one-sided numbers are right; (2) what each of the two methods assumes, and which
# of the two you may *promise*; (3) why a real classifier with an error of a few per cent could do with far fewer examples, and what all four numbers take for granted about the test examples.
#
# **You are done when**
# - **Hoeffding**: the first two numbers are right;
# - **central limit theorem**: the last two are right;
#
# and your text has all three points.

# %% exercise="4.6.1c"
### BEGIN SOLUTION
sizes = [math.log(1 / 0.001) / (2 * 0.0001 ** 2), math.log(2 / 0.001) / (2 * 0.0001 ** 2),
         NormalDist().inv_cdf(0.999) ** 2 / (4 * 0.0001 ** 2), NormalDist().inv_cdf(0.9995) ** 2 / (4 * 0.0001 ** 2)]
### END SOLUTION

# %% [markdown] hints="4.6.1c"
# 1. What are t and δ here? Which word of the question decides between one side and two?
# 2. Your functions of 4.6.1a and 4.6.1b compute all four. The variance $\varepsilon(1 - \varepsilon)$ is largest at 1/2.
# 3. For t = 0.01 and δ = 0.05 the four numbers are 14,979, 18,445, 6,764 and 9,604.

# %% check="4.6.1c" points=1
def hoeffding_chance(n, sides, t=1e-4):
    return sides * math.exp(-2 * n * t ** 2)

def normal_chance(n, sides, t=1e-4):
    return sides * math.erfc(t * (2 * n) ** 0.5) / 2

def is_one_in_a_thousand(chance, width=0.01):
    return abs(chance - 0.001) < width * 0.001

def what_went_wrong(n, method, other_method, sides):
    """The sentence for a number of examples that does not give one in a thousand."""
    normal = method is normal_chance
    if n <= 0:
        return "A number of examples is positive" + ("." if normal else ": the logarithm of a number below 1 is negative, so take log(sides / δ).")
    for holds, sentence in ((n < 1, "Less than one example? Numbers of examples are asked for, not distances or probabilities."),
                            (abs(method(n, sides, 0.01) - 0.05) < 2e-4, "This is the number for t = 0.01 and δ = 0.05: here t = 0.0001 and δ = 0.001."),
                            (n < 1e6 and any(is_one_in_a_thousand(method(n * unit, sides), 0.05) for unit in (1e3, 1e6)), "So few examples? Write the number out, not in thousands or millions."),
                            (normal and sides == 2 and abs(method(n, sides) - 0.999) < 3e-5, "δ is the 0.1 % that may fail, not the 99.9 %."),
                            (n < 10_000, "So few examples? 1/t² alone is a hundred million."), (is_one_in_a_thousand(method(n, 3 - sides)), "One side or two? This is the number for " + ("two." if sides == 1 else "one.")),
                            (any(is_one_in_a_thousand(other_method(n, k)) for k in (1, 2)), "This number comes from the other method: Hoeffding's two stand first, then those of the central limit theorem."),
                            (any(is_one_in_a_thousand(method(n, sides, t)) for t in (1e-3, 1e-5)), "t is 0.0001: count the zeros."),
                            (is_one_in_a_thousand(method(n, sides, 1e-6)), "t is 0.0001 itself, not 0.0001 per cent."),
                            (any(is_one_in_a_thousand(method(n * factor, sides)) for factor in (0.1, 10)), "This is off by a factor of 10: count the digits."),
                            (normal and sides == 2 and is_one_in_a_thousand(method(n / 2, 1)), "Two sides halve δ; they do not double n."),
                            (abs(method(n, sides) - 0.05) < 1e-4, "This is the number for δ = 0.05; of 100 % there remain 0.1 %, so δ = 0.001."),
                            (abs(method(n, sides) - 0.1) < 2e-4, "This is the number for δ = 0.1; of 100 % there remain 0.1 %, so δ = 0.001."), (is_one_in_a_thousand(method(n, sides, 1e-2)), "t is 0.0001, and it is squared."),
                            (is_one_in_a_thousand(method(4e-8 * n * n, sides)) and normal, "z is squared."), (abs(method(n, sides) - 0.004) < 8e-5 and sides == 2, "Two sides take half of δ each, not twice δ."),
                            (not normal and sides == 2 and is_one_in_a_thousand(method(n / 2, 1)), "The two sides stand in the logarithm; they do not double n."),
                            (abs(method(n, sides) - 0.01) < 2e-4, "This is the number for δ = 0.01; of 100 % there remain 0.1 %, so δ = 0.001."),
                            (not normal and abs(method(n, sides) - 0.999) < (2e-5 if sides == 1 else 1e-3), "δ is the 0.1 % that may fail, not the 99.9 %."),
                            (normal and is_one_in_a_thousand(method(n / 4, sides)), "The largest possible variance is 1/4, not 1."),
                            (normal and is_one_in_a_thousand(method(n / 2, sides)), "The largest possible variance is 1/4, not 1/2: square σ."),
                            (normal and n < 2e8, "This is too few for the largest possible variance, 1/4, with t = 0.0001 and δ = 0.001."),
                            (not normal and is_one_in_a_thousand(method(n / 2, sides)), "The 2 in the exponent divides n."),
                            (not normal and is_one_in_a_thousand(method(n * math.log(10), sides), 0.003), "Take the natural logarithm."),
                            (is_one_in_a_thousand(method(n, sides, 5e-5)), "This is four times too many: t is 0.0001 to either side, not from end to end."),
                            (sides == 2 and abs(method(n, sides) - 0.0005) < 1e-5, "δ is halved once for two sides, not twice."),
                            (is_one_in_a_thousand(method(n, sides), 0.1), "You are near, but n is off by more than one in a thousand: take all digits of z and of the logarithm.")):
        if holds:
            return sentence
    if normal:
        return f"2t√n, with t = 0.0001, is to be z for an area of {0.001 / sides:g} on the right; with your n it is {2e-4 * n ** 0.5:.4g}."
    return f"2nt², with t = 0.0001, is to be the logarithm of sides / δ = {sides / 0.001:g}; with your n it is that of {math.exp(min(2e-8 * n, 99)):.4g}."

assert_type(sizes, (list, tuple, torch.Tensor), "sizes", of="Hoeffding")
assert_equal(len(sizes), 4, "how many numbers sizes holds", of="Hoeffding", hint="Two for Hoeffding, one-sided and two-sided, then two for the central limit theorem.")
for place_, name_, method_, other_, sides_, of_ in ((0, "Hoeffding, one-sided", hoeffding_chance, normal_chance, 1, "Hoeffding"), (1, "Hoeffding, two-sided", hoeffding_chance, normal_chance, 2, "Hoeffding"),
                                                    (2, "central limit theorem, one-sided", normal_chance, hoeffding_chance, 1, "central limit theorem"),
                                                    (3, "central limit theorem, two-sided", normal_chance, hoeffding_chance, 2, "central limit theorem")):
    assert_type(sizes[place_], (int, float, torch.Tensor), f"number {place_ + 1} of sizes", of=of_)
    found_ = method_(max(float(sizes[place_]), 0.0), sides_)
    assert_true(is_one_in_a_thousand(found_), f"number {place_ + 1} of sizes ({name_}): with so many examples the probability comes out as 0.001; here it is {found_:.4g}", of=of_,
                hint=lambda: what_went_wrong(float(sizes[place_]), method_, other_, sides_))
### BEGIN HIDDEN TESTS
normal_ = torch.distributions.Normal(0., 1.)
for place_, wanted_ in enumerate((-math.log(0.001) * 5e7, -math.log(0.0005) * 5e7, 2.5e7 * normal_.icdf(torch.tensor(0.999, dtype=torch.float64)).item() ** 2,
                                  2.5e7 * normal_.icdf(torch.tensor(0.9995, dtype=torch.float64)).item() ** 2)):
    assert_close(float(sizes[place_]), wanted_, f"number {place_ + 1} of sizes", rtol=2e-3, of="Hoeffding" if place_ < 2 else "central limit theorem", hint="An accuracy of one in a thousand is asked for.")
### END HIDDEN TESTS

# %% [markdown] written="4.6.1c" points=3
# ### BEGIN SOLUTION
# The numbers are 3.454e8, 3.800e8, 2.387e8 and 2.707e8. "To within" means that the test error may be neither too high nor too low by 0.0001, so the two-sided ones answer the
# question: 380 million by Hoeffding, 271 million by the central limit theorem. The one-sided numbers answer another one: how sure are we that the true error is not *larger* than reported by 0.0001 or more? That is often what a
# customer wants to know.
#
# Hoeffding assumes only that the examples are independent and the losses lie between 0 and 1. It holds for every n and every ε, so it can be promised. The central limit theorem replaces the distribution of the share by its
# limit. At this n that is excellent near ε = 1/2, but it is an approximation and no bound; for rare errors and few examples it can be too low by a factor, as the picture above shows.
#
# Both use the worst variance, 1/4. With ε = 0.05 the variance is 0.0475, a fifth of that, so the central limit theorem needs a fifth of the examples. One may use it if something is known about ε beforehand, or estimate it from the
# sample. All four take for granted that the test examples are independent draws from the population that we care about, and that the classifier was fixed before it saw them. No number of examples makes up for a test
# set from another source.
#
# **Rubric**
# - [1] "To within" is two-sided, the one-sided numbers bound the true error from above (or below) only; lost by giving a one-sided number as the answer to the question without saying so.
# - [1] Hoeffding holds for every n given independence and bounded losses, so it is a guarantee; the central limit theorem is an approximation for large n; lost by "the central limit theorem is better because it needs fewer examples" alone.
# - [1] A small error has a smaller variance ε(1 - ε), and all numbers presuppose independent test examples from the population or a classifier fixed beforehand; also accepted: one of these last two; lost by "more data are always enough".
# ### END SOLUTION

# %% [markdown] teaches="union bound, selection on a test set"
# ## 4. Many classifiers, one test set
#
# All this was for *one* classifier. You try k of them on the same test set, and keep the best. May you report its test error? Let us take classifiers of which we know the truth. Labels are tosses of a fair coin, and
# each "classifier" answers by tossing another coin. Each has ε = 1/2; there is nothing to learn.

# %% tags=["demo"]
generator = torch.Generator().manual_seed(1)
coin_labels = torch.randint(2, (1000,), generator=generator)                 # a test set of 1,000 examples
coin_models = torch.randint(2, (2000, 1000), generator=generator)            # 2,000 classifiers, their answers in rows
coin_errors = (coin_models != coin_labels).double().mean(dim=1)              # (2000,)
for k in (1, 10, 100, 2000):
    print(f"the best of {k:4} classifiers has test error {coin_errors[:k].min():.3f}")
print(f"standard deviation of one test error: {0.5 / math.sqrt(1000):.4f}")

# %% [markdown]
# The winner of 2,000 seems to have learned something. It was merely lucky, and will be wrong half of the time on new examples. Each single report was honest. The *choice* was not: it looked at
# the test set, so the winner is no longer fixed before the test.
#
# How far off can the worst of k reports be? Call $A_j$ the event that report j is off by t or more. What we fear is that at least one of them happens, $A_1 \cup \dots \cup A_k$. The probability of a union is at most the
# sum of the probabilities: this is the **union bound**, and it needs no independence. With Hoeffding for each,
#
# $$P(\text{at least one of } k \text{ reports is off by } t \text{ or more}) \le 2k\,e^{-2nt^2}.$$
#
# Set it equal to δ, and solve for t: with probability $1 - \delta$ *all* k reports, and so the winner's, too, are within
#
# $$t = \sqrt{\frac{\log(2k/\delta)}{2n}}.$$

# %% teaches="union bound"
for k in (1, 10, 1000, 1_000_000):
    print(f"n = 10,000, δ = 0.05, k = {k:9,}: all within {math.sqrt(math.log(2 * k / 0.05) / (2 * 10_000)):.4f}")

# %% [markdown]
# That is good news. A million classifiers widen the margin only by a factor of about 2.2, because k stands in a logarithm. A test set seems hard to wear out.
#
# ⚠ There is a condition in small print: the k classifiers must be *fixed in advance*, before any of them has been tested. The next part breaks it.

# %% [markdown] task="4.6.D" kind="code" minutes=3 difficulty=2 needs="union bound, hoeffding's inequality, sample size"
# ### A test set for many
#
# A competition will test `k` classifiers, all handed in before the first one is tested. Write `shared_size(t, delta, k)`: the smallest whole number of test examples for which, by Hoeffding and the union bound, all k
# test errors are within t of the truth (two-sided) with probability $1 - \delta$.
#
# **You are done when**
# - **one**: for k = 1 it is Hoeffding's two-sided number;
# - **many**: it grows with k as the union bound says;
# - **whole number**: it is a whole number, rounded up.

# %% exercise="4.6.D"
def shared_size(t, delta, k):
    """Test examples for k classifiers, fixed in advance, all to within t with probability 1 - delta."""
    ### BEGIN SOLUTION
    return math.ceil(math.log(2 * k / delta) / (2 * t ** 2))
    ### END SOLUTION

# %% [markdown] hints="4.6.D"
# 1. Each classifier may fail. If all k together may fail with probability δ, what is left for each?
# 2. Solve $2k\,e^{-2nt^2} = \delta$ for n.
# 3. For three machines that must all run with probability 0.97, it is enough that each fails with probability 0.01.

# %% check="4.6.D" points=1
def wrong_shared_sizes(t, delta, k):
    """Usual mistakes."""
    log, half = math.log(2 * k / delta), 2 * t ** 2
    found = {"The 2 in the exponent divides n.": log / t ** 2, "It is 2t², not (2t)².": log / (4 * t ** 2), "Take the natural logarithm, not that to base 10.": log / math.log(10) / half,
             "Divide by 2t², all of it: n grows as t falls.": log / 2 * t ** 2, "Take the natural logarithm, not that to base 2.": log / math.log(2) / half, "Within means two-sided.": math.log(k / delta) / half,
             "The two sides count once: it is log(2k/δ), not log(4k/δ).": math.log(4 * k / delta) / half,
             "In the logarithm k is a factor: log(2k/δ), not a product of two logarithms.": math.log(2 / delta) * math.log(2 * k) / half,
             "t is squared: n is log(2k/δ) / (2t²).": log / (2 * t), "n is log(2k/δ) / (2t²) itself, not its root.": (log / half) ** 0.5,
             "δ is the probability that one of them is off, and it stays as it is: log(2k/δ), without 1 - δ.": math.log(2 * k / (1 - delta)) / half,
             "This is the central limit theorem's number: use Hoeffding's inequality.": (-NormalDist().inv_cdf(delta / k / 2) / 2 / t) ** 2}
    if k == 1:                                                       # which number takes the place of k, from a further call
        of_twelve = float(shared_size(0.03, 0.1, 12))
        log_four = found.pop("The two sides count once: it is log(2k/δ), not log(4k/δ).")
        for sentence, log_twelve in (("The two sides count once: it is log(2k/δ), not log(4k/δ).", math.log(480)), ("k itself stands in the logarithm, not k + 1.", math.log(260)),
                                     ("k itself stands in the logarithm, not 2^k.", math.log(20) + 12 * math.log(2))):
            if abs(of_twelve - log_twelve / 0.0018) < 1.01:
                found[sentence] = log_four
    if k > 1:
        found |= {"Each may fail with probability δ / k, not δ to the power k.": (math.log(2) - k * math.log(delta)) / half,
                  "Each may fail with probability δ / k, not k · δ: the k probabilities together may be δ.": math.log(2 / delta / k) / half,
                  "1 - (1 - δ)^k is more than δ: each of the k may fail with less, δ / k.": math.log(2 / (1 - (1 - delta) ** k)) / half,
                  "δ is divided by k, not 1 - δ.": math.log(2 / (1 - (1 - delta) / k)) / half,
                  "More classifiers take more examples: n is not divided by k.": math.log(2 / delta) / half / k,
                  "t stays as it is for each of the k: δ is what they share.": math.log(2 / delta) / half * k ** 2,
                  f"{k} classifiers do not take {k} times as many examples: k stands in the logarithm.": k * math.ceil(math.log(2 / delta) / half), "This is the number for a single classifier.": math.log(2 / delta) / half,
                  "This takes the k failures as independent: the union bound gives δ / k to each.": math.log(2 / (1 - (1 - delta) ** (1 / k))) / half,
                  "This counts 2^k classifiers: these are k, fixed in advance.": (math.log(2 / delta) + k * math.log(2)) / half,
                  "This counts 2^k classifiers; here they are k, fixed in advance.": (math.log(2 / delta) + (k - 1) * math.log(2)) / half,
                  "The logarithm of k is the natural one, too, not that to base 10.": (math.log(2 / delta) + math.log10(k)) / half,
                  "The logarithm of k is the natural one, too, not that to base 2.": (math.log(2 / delta) + math.log2(k)) / half,
                  "k itself stands in the logarithm, not its root.": math.log(2 * k ** 0.5 / delta) / half,
                  "In the logarithm k is a factor: log(2k/δ); do not multiply by log k.": math.log(2 / delta) * math.log(k) / half, "log k is divided by 2t², too.": math.log(2 / delta) / half + math.log(k), "k stands in the logarithm as it is, not squared.": math.log(2 * k ** 2 / delta) / half,
                  "The logarithm of k is added to log(2/δ), not k itself.": (math.log(2 / delta) + k) / half, "The logarithm of k is added to log(2/δ), not k - 1.": (math.log(2 / delta) + k - 1) / half,
                  "Round up once, at the end: here log k was rounded up before.": (math.log(2 / delta) + math.ceil(math.log(k))) / half,
                  "Each of the k reports may be off: k of them, not k - 1.": math.log(2 * (k - 1) / delta) / half, "Each of the k reports may be off: k of them, not k + 1.": math.log(2 * (k + 1) / delta) / half,
                  "Each of the k reports may be off: k events, not one for each pair.": math.log(k * (k - 1) / delta) / half, "k stands in the logarithm: it takes no √k times as many.": k ** 0.5 * math.log(2 / delta) / half}
        if k * (math.ceil(math.log(2 / delta) / half) - math.log(2 / delta) / half) > 3:
            found["k multiplies the logarithm here: it stands in it, log(2k/δ)."] = k * math.log(2 / delta) / half
    return {sentence: float(math.ceil(n)) for sentence, n in found.items()}

def which_part_of_it(found, wanted):
    """What a wrong number does not follow, from further calls."""
    if abs(float(found) - wanted) < 1.01:
        return ""
    usual = float(shared_size(0.02, 0.2, 1))
    if usual < 100:
        return f" For t = 0.02, δ = 0.2 and k = 1 it is log(10) / 0.0008, about 2878: yours is {usual:g}."
    half, small, ten = (float(shared_size(*call)) for call in ((0.01, 0.2, 1), (0.02, 0.02, 1), (0.02, 0.2, 10)))
    if abs(half / usual - 4) > 0.03:
        return f" Where t is half as large, n must be 4 times as large: for k = 1, from t = 0.02 to 0.01, yours becomes {half / usual:.4g} times as large."
    if abs(small / usual - 2) > 0.02:
        return f" From δ = 0.2 to δ = 0.02 log(2/δ) doubles, and n for k = 1 with it: yours becomes {small / usual:.4g} times as large."
    if abs(usual - 2878.2) > 30:
        return f" For k = 1 yours is {usual / 2878.23:.4g} times as large as it should be, for other t and δ, too."
    if abs(ten - usual - 2878.2) > 30:
        return f" log k / (2t²) is added to the number for k = 1: at t = 0.02 and k = 10 that is 2878, yours adds {ten - usual:g}, that is {(ten - usual) * 0.0008:.3f} / (2t²), and log 10 is 2.303."
    return ""

for t_, delta_, k_, least_ in ((0.05, 0.1, 1, 600), (0.03, 0.1, 12, 3045), (0.05, 0.1, 40, 1337)):
    call_ = f"t = {t_}, δ = {delta_}, k = {k_}"
    found_ = shared_size(t_, delta_, k_)
    assert_type(found_, (int, float, torch.Tensor), f"shared_size({t_}, {delta_}, {k_})", of="one" if k_ == 1 else "many")
    assert_close(found_, float(least_), f"{call_}, to within one example", rtol=0, atol=1.01, of="one" if k_ == 1 else "many", mistakes=wrong_shared_sizes(t_, delta_, k_),
                 hint=lambda: (f"For one classifier it is Hoeffding's two-sided number: 2nt² is the logarithm of 2 / δ = {2 / delta_:g}; with your n it is that of {math.exp(min(2 * float(found_) * t_ ** 2, 99)):.4g}." if k_ == 1 else f"Each of the {k_} may fail with probability δ / k = {delta_ / k_:.4g}, on two sides: 2 exp(-2nt²) is to come to this. With your n it is {2 * math.exp(-2 * min(float(found_), 1e6) * t_ ** 2):.3g}.") + which_part_of_it(found_, least_))
    assert_close(found_, float(least_), f"the whole number for {call_}", rtol=1e-7, of="whole number", hint="Round up to the next whole number.",
                 mistakes={"Round up: with one example fewer the bound is above δ.": float(least_ - 1),
                           "One fewer is enough." if k_ == 1 else "One fewer is enough: round up once, at the end.": float(least_ + 1)})
### BEGIN HIDDEN TESTS
for t_, delta_, k_ in ((0.02, 0.05, 1), (0.1, 0.001, 1), (0.03, 0.02, 7), (0.01, 0.3, 40_000), (0.2, 0.05, 3)):
    wanted_ = float(math.ceil((math.log(2) + math.log(k_) - math.log(delta_)) / (2 * t_ * t_)))
    assert_close(shared_size(t_, delta_, k_), wanted_, f"t = {t_}, δ = {delta_}, k = {k_}, to within one example", rtol=0, atol=1.01, of="one" if k_ == 1 else "many",
                 mistakes=wrong_shared_sizes(t_, delta_, k_),
                 hint=lambda: "Each of the k may fail with probability δ / k, on two sides; for every k." + which_part_of_it(shared_size(t_, delta_, k_), wanted_))
    assert_close(shared_size(t_, delta_, k_), wanted_, f"the whole number for t = {t_}, δ = {delta_}, k = {k_}", rtol=1e-7, of="whole number", hint="Round up to the next whole number, for every k.")
### END HIDDEN TESTS

# %% [markdown] teaches="adaptive overfitting, reuse of a test set"
# ## 5. When the next model has seen the last score
#
# Nobody works as in part 4. One tests a model, looks at the score, changes something, and tests again. Model number 2 depends on the score of model number 1, so it depends on the test set. How bad can it get?
#
# Take the coin tossers again, with an experimenter who uses the scores. Whoever tossed a test error below 1/2 is called good. The others are called bad: turn their answers around. Then let all vote; 1 wins if more than half say 1. That looks like a sensible ensemble, and each
# step of it uses nothing but published scores.

# %% teaches="adaptive overfitting"
def vote(models, scores):
    """The majority of models (k, n), those with a score of 1/2 or more turned around: answers of shape (n,)."""
    turned = torch.where(scores[:, None] < 0.5, models, 1 - models)
    return (turned.double().mean(dim=0) > 0.5).long()

answers = torch.tensor([[1, 0, 1, 1], [0, 0, 1, 0], [1, 1, 0, 0]])           # three models, four examples
print(vote(answers, torch.tensor([0.25, 0.75, 0.25])))                       # the second one is turned around: 1, 1, 0, 1

# %% tags=["demo"]
numbers = list(range(1, 2001, 20))
fresh_labels = torch.randint(2, (1000,), generator=torch.Generator().manual_seed(2))
adaptive, on_fresh = [], []
for k in numbers:
    ensemble = vote(coin_models[:k], coin_errors[:k])
    adaptive.append((ensemble != coin_labels).double().mean().item())
    on_fresh.append((ensemble != fresh_labels).double().mean().item())
figure, ax = plt.subplots(figsize=(6, 3.1), layout="constrained")
ax.plot(numbers, on_fresh, color="C2", label="the vote, on fresh examples")
ax.plot(numbers, [coin_errors[:k].min().item() for k in numbers], color="C0", label="the best of k, on the test set")
ax.plot(numbers, adaptive, color="C3", label="the vote of k, on the test set")
ax.set(xlabel="models tested so far, k", ylabel="error", ylim=(0, 0.6))
ax.grid(alpha=0.3)
ax.legend(loc="lower left")
plt.show()
for k in (101, 501, 1981):
    print(f"k = {k:4}: best single model {coin_errors[:k].min():.3f}, vote {adaptive[numbers.index(k)]:.3f}, vote on fresh examples {on_fresh[numbers.index(k)]:.3f}")

# %% [markdown]
# *What to see:* choosing among models fixed in advance (blue) hardly moves, as the union bound promised. The vote (red) falls and falls: with about 2,000 questions it reports an error of about one in eight on labels that are pure
# chance. On fresh examples (green) it is what it must be, one half. This is **adaptive overfitting**: no model was trained on the test set, but the experimenter was.
#
# Why does the union bound not help? It must count every model that *might* have been tested. The vote depends on the answers "below or above 1/2" to k questions, so $2^k$ different ensembles were possible, and the logarithm of $2^k$ grows like k
# itself: the margin grows like $\sqrt{k/n}$, no longer like $\sqrt{\log k / n}$.

# %%
for k in (1, 100, 1000):
    print(f"n = 1,000, k = {k:4}: fixed in advance {math.sqrt(math.log(2 * k / 0.05) / 2000):.3f}, chosen from 2^k {math.sqrt((math.log(2 / 0.05) + k * math.log(2)) / 2000):.3f}")

# %% [markdown] task="4.6.2a" kind="code" minutes=10 difficulty=3 core=true needs="adaptive overfitting, test error"
# ### Reading the labels out of the scores
#
# Somebody keeps the labels of a test set secret. There are two classes, 0 and 1. You may hand in answers for all n examples, as often as you like, and you get the exact test error each time. How many times must you ask, until you know
# every label?
#
# Write `steal_labels(ask, n)`. `ask` is a function: `ask(answers)` takes a tensor of shape `(n,)` of zeros and ones, and returns the share of wrong ones as a `float`. The result is the `int64` tensor of the n labels.
#
# To try it: `secret = torch.tensor([1, 0, 1])` and `steal_labels(lambda answers: (answers != secret).double().mean().item(), 3)`.
#
# **You are done when**
# - **labels**: the labels come back, shape `(n,)` and dtype `int64`, whatever they are: all equal, a single one, hundreds;
# - **at most n questions**: `ask` is called n times at most, each time with zeros and ones only.

# %% exercise="4.6.2a"
def steal_labels(ask, n):
    """The n secret labels (0 or 1), from at most n test errors."""
    ### BEGIN SOLUTION
    labels = torch.zeros(n, dtype=torch.int64)
    ones = round(n * ask(labels.clone()))              # all answers 0: the wrong ones are the labels 1
    for i in range(n - 1):
        answers = torch.zeros(n, dtype=torch.int64)
        answers[i] = 1
        labels[i] = round(n * ask(answers)) < ones     # one mistake fewer: the label is 1
    labels[n - 1] = ones - labels[: n - 1].sum()
    return labels
    ### END SOLUTION

# %% [markdown] hints="4.6.2a"
# 1. You answer 0 everywhere and hear a test error of 0.3, for ten examples. What do you know now?
# 2. Change one answer, and ask again. The number of wrong answers, n times the error, goes up or down by 1. What about the last example?
# 3. Four coins, heads or tails: all guessed heads, two are wrong. With the first guess changed, one is wrong: the first coin shows tails. `round(3.0000001)` is 3.

# %% check="4.6.2a" points=3
@probe
def theft(secret, more=0.0):
    asked, refused = [], []

    def ask(answers):
        answers = torch.as_tensor(answers)
        if tuple(answers.shape) != tuple(secret.shape):
            refused.append(f"ask takes one answer for each of the {len(secret)} examples, not a tensor of shape {tuple(answers.shape)}.")
        elif not bool(((answers == 0) | (answers == 1)).all()):
            refused.append("ask takes 0 or 1 for each example, nothing else.")
        if refused:
            raise ValueError(refused[-1])
        asked.append([int(v) for v in answers])
        return (answers != secret).double().mean().item() + more

    try:
        found = steal_labels(ask, len(secret))
    except ValueError:
        if not refused:
            raise
        found = torch.zeros(0)
    return found, len(asked), asked if len(secret) < 9 else [], refused

def comes_out(change, secret, found):
    """Whether these labels, and those of another list, come out changed in this way."""
    other = [0, 1, 1, 0, 1, 0, 0]
    return found != secret and found == change(secret) and [int(v) for v in theft(torch.tensor(other))[0]] == change(other)

def last_is_left(secret):
    """The known mistake where all labels come right but for the last: named if other labels, too, come right so far."""
    other = [0, 1, 1, 0, 1, 0, 0, 1, 1]
    found = theft(torch.tensor(other))[0]
    return {"The last label is wrong: it follows from the first answer and the other labels.": secret[:-1] + [1 - secret[-1]]} if [int(v) for v in found][:-1] == other[:-1] else {}

def about_loot(found, secret, asked):
    """A sentence for labels that are not the secret ones."""
    n = len(secret)
    if found == secret:
        return ""
    heard = [sum(a != v for a, v in zip(answers, secret)) for answers in asked]
    questions = ", ".join(f"{answers}: {wrong} wrong" for answers, wrong in zip(asked[:6], heard))
    alike = [list(other) for other in itertools.product([0, 1], repeat=n if n < 9 else 0)
             if list(other) != secret and heard == [sum(a != v for a, v in zip(answers, other)) for answers in asked]]
    if n < 9 and alike:
        return (f"Your questions and what they hear ({questions}) are the same for the labels {alike[0]}: they cannot tell the two apart." if asked else
                "ask was not called, and without a question nothing is known of the labels.")
    if any(secret[:-1]) and not any(found[:-1]):
        return (f"No label 1 before the last was noticed. One changed answer moves the error by only 1/{n}, and floating-point numbers are a little off: "
                f"is n times the error rounded (not cut off by `int`), or else compared with a margin below 1/{n}?")
    if found[:-1] == secret[:-1] and n > 1 and found[-1] not in (0, 1):
        return f"All but the last are right, and the last is neither 0 nor 1. It follows from the others and a number of wrong answers, and that number is n times the error, here {n} times it."
    if n < 9 and any(v not in (0, 1) for v in found):
        return "Some of these are neither 0 nor 1. With which earlier error is each one compared, and what did that answer have in the other places?"
    if n < 9:
        other = [sum(a != v for a, v in zip(answers, found)) for answers in asked]
        at = [i for i, (h, o) in enumerate(zip(heard, other)) if h != o][0]
        return (f"Your questions tell enough: no other labels fit what they hear ({questions}). It is what is concluded from this that is wrong: with the labels {found} the question {asked[at]} would have heard {other[at]} wrong, not {heard[at]}."
                + (f" All your questions heard the same here. So it is not enough which of them hears less than another: {heard[0]} wrong of {n} is what counts." if n > 1 and len(asked) > 1 and len(set(heard)) == 1 else ""))
    if [int(v) for v in theft(torch.tensor(secret), 1e-9)[0]] == secret:
        return "If every error is larger by a billionth, yours is right: n times the error is a little off a whole number, so round it."
    amiss = [i for i, (v, w) in enumerate(zip(found, secret)) if v != w]
    return f"{len(amiss)} of these {n} labels are wrong, the first of them number {amiss[0]}: each must follow from the answers for certain, also in a long list."

for secret_ in ([1, 0, 0, 1, 1], [0, 0, 0], [1, 1, 1, 1], [1], [0], [0, 1] * 30 + [1] * 7, [0] * 20 + [1] + [0] * 28, [1, 1, 0, 0, 1] * 24, [0, 1, 1, 0] * 100):
    loot_ = theft(torch.tensor(secret_))
    name_ = f"the labels {secret_}" if len(secret_) < 9 else f"{len(secret_)} labels"
    assert_true(len(loot_[3]) == 0, f"ask takes every question about {name_}", of="at most n questions", hint=lambda: loot_[3][0] if loot_[3] else "")
    assert_type(loot_[0], torch.Tensor, f"what steal_labels returns for {name_}", of="labels")
    assert_shape(loot_[0], (len(secret_),), f"the shape for {name_}", of="labels")
    assert_dtype(loot_[0], torch.int64, f"the dtype for {name_}", of="labels")
    assert_equal([int(v) for v in loot_[0]], secret_, f"{name_}, as stolen", of="labels",
                 mistakes=({"0 and 1 are exchanged.": [1 - v for v in secret_]} if len(set(secret_)) > 1 and comes_out(lambda labels: [1 - v for v in labels], secret_, [int(v) for v in loot_[0]]) else {}) | (
                           {"The labels come out in the opposite order.": secret_[::-1]} if comes_out(lambda labels: labels[::-1], secret_, [int(v) for v in loot_[0]]) else {}) | {
                           "n times the first error is just below a whole number here: `int` cuts the decimals off, `round` does not.": secret_[:-1] + [secret_[-1] - 1 if secret_[-1] == 0 else -1]} |
                          ({"Compare each error with that of the answers of which one was changed: where a change was taken back, the error that it gave does not count any more.": [1, 0, 1, 1, 1]} if secret_ == [1, 0, 0, 1, 1] else {}) | (last_is_left(secret_) if secret_[:-1] == [int(v) for v in loot_[0]][:-1] and secret_ != [int(v) for v in loot_[0]] else {}) if len(secret_) > 1 else
                          {"The last label is guessed: here it is the only one, and the first answer tells it.": [1 - secret_[0]]},
                 hint=lambda: about_loot([int(v) for v in loot_[0]], secret_, loot_[2]))
    assert_true(int(loot_[1]) <= len(secret_), f"{name_} were stolen with at most {len(secret_)} question(s); yours took {int(loot_[1])}", of="at most n questions",
                hint="The first answer tells how many ones there are. Do you need to ask about the last example?" if int(loot_[1]) == len(secret_) + 1 else
                     "One question for each example but the last, and one before them all, are enough.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(462)
for n_ in (1, 2, 13, 98, 240):
    for secret_ in (torch.randint(2, (n_,), generator=rng), torch.ones(n_, dtype=torch.int64), torch.zeros(n_, dtype=torch.int64)):
        loot_ = theft(secret_)
        assert_true(len(loot_[3]) == 0, f"ask takes every question about {n_} labels", of="at most n questions", hint="One answer for each example, 0 or 1, for any n.")
        assert_shape(loot_[0], (n_,), f"the shape for {n_} labels", of="labels")
        assert_dtype(loot_[0], torch.int64, f"the dtype for {n_} labels", of="labels")
        assert_equal([int(v) for v in loot_[0]], secret_.tolist(), f"{n_} labels, {int(secret_.sum())} of them 1, as stolen", of="labels",
                     hint="Each label must follow from the answers for certain, for any n, also where n times an error is a little off a whole number.")
        assert_true(int(loot_[1]) <= n_, f"{n_} labels were stolen with few enough questions", of="at most n questions", hint="n questions are allowed, for any n.")
### END HIDDEN TESTS

# %% [markdown] task="4.6.2b" kind="code" minutes=6 difficulty=3 needs="adaptive overfitting"
# ### Fewer questions?
#
# n questions suffice. Could a cleverer plan do with fewer? Each answer is one of the $n + 1$ values 0, 1/n, ..., 1. So k answers can tell apart at most $(n + 1)^k$ cases, and there are $2^n$ ways to label n examples.
#
# Write `least_questions(n)`: the smallest whole k for which this does not rule out that k questions always suffice.
#
# **You are done when**
# - **enough cases**: k answers can tell all labellings apart, by this count (as many cases as labellings will do);
# - **smallest**: k is a whole number, and k - 1 answers cannot; also for n = 1 and n = 2,000.

# %% exercise="4.6.2b"
def least_questions(n):
    """The least k with (n + 1)^k >= 2^n."""
    ### BEGIN SOLUTION
    return math.ceil(n / math.log2(n + 1))
    ### END SOLUTION

# %% [markdown] hints="4.6.2b"
# 1. Write the condition as an inequality between two powers.
# 2. Take the logarithm to base 2, `math.log2`, of both sides, or count k up: Python's whole numbers never overflow.
# 3. To find one card of 52 with yes-or-no questions takes at least 6, since $2^5 = 32$ is too few and $2^6 = 64$ is not.

# %% check="4.6.2b" points=1
def wrong_least_questions(n, least):
    """Usual mistakes; those that give the right number for this n are left out."""
    nearly = {"One too few here, though 59 and 300 come out right: one answer has n + 1 values, no more. Is it the logarithm of n + 1 that you divide by, and is k rounded up with no tolerance?": least - 1} if n == 100 and at_59_ == 10 and at_300_ == 37 else {
              ("One too few here, though 59 comes out right: " + ("for 300 it is 36, which is 36.4 rounded to the nearest whole number. Round up." if at_300_ == 36 else
              "is log2(n + 1) rounded up, too? Round once, at the end, and up.")): least - 1} if n == 100 and at_59_ == 10 else {
              "One too few: round up, or count on until (n + 1)^k reaches 2^n.": least - 1}
    table = {"Each answer is one of n + 1 values, not of two.": n,
             ("One too many: each answer is one of n + 1 values, not of n, and there are 2^n labellings." if at_300_ == 37 else
              "One too many: k is the smallest whole number for which (n + 1)^k reaches 2^n. Take nothing off n before, and add nothing at the end."): least + 1 if n != 100 else -1,
             "Both logarithms need the same base: log 2^n is n log 2.": math.ceil(n / math.log(n + 1)),
             "Both logarithms need the same base: n log 2 and log(n + 1).": math.ceil(n * math.log(2) / math.log2(n + 1)),
             "Both logarithms need the same base.": math.ceil(n / math.log10(n + 1)), "This is what known plans take: the count alone rules out less.": math.ceil(2 * n / math.log2(n + 1)),
             "This is one logarithm alone: k log(n + 1) has to reach n log 2.": math.ceil(math.log2(n + 1)),
             "This is n log 2 alone: k log(n + 1) has to reach it.": math.ceil(n * math.log(2)), "Round up to a whole number.": n / math.log2(n + 1)} | nearly
    if n == 100:
        table["One fewer is enough."] = least + 1
    if n != 59:                                                      # a formula is named if it gives the number for 59, too
        at_59 = wrong_least_questions(59, 10)
        table = {sentence: k for sentence, k in table.items() if not sentence.startswith(("Both", "This is", "Each")) or at_59.get(sentence, 10) == at_59_}
    return {sentence: float(k) for sentence, k in table.items() if k != least}

@probe
def overflow(n):
    try:
        least_questions(n)
    except OverflowError as error:
        return str(error)
    return ""

at_59_, at_300_ = least_questions(59), least_questions(300)
for n_, least_ in ((100, 16), (59, 10), (2000, 183), (3, 2), (1, 1)):
    if n_ == 2000:
        assert_true(len(overflow(n_)) == 0, "least_questions(2000) gives a number, not an OverflowError", of="smallest",
                    hint="2^2000 is too large for a float, so also for `math.pow`. Python's whole numbers have no limit (`2 ** n`); or compare the logarithms.")
    k_ = least_questions(n_)
    assert_type(k_, (int, float, torch.Tensor), f"least_questions({n_})", of="smallest")
    known_ = wrong_least_questions(n_, least_) if n_ > 3 else {"Round up to a whole number.": n_ / math.log2(n_ + 1)} if n_ == 3 else {"One answer has two values here, and there are two labellings: just as many cases will do, so k = 1 is enough.": 2.0}
    fits_ = [sentence for sentence, value in known_.items() if abs(float(k_) - value) < 1e-9 * n_]
    assert_true(float(k_) > least_ - 1, f"{float(k_):g} answers can tell the labellings of {n_} examples apart", of="enough cases",
                hint=fits_[0] if len(fits_) == 1 else
                     f"One answer has only {n_ + 1} values. " + ("For 59 examples yours is right: do tensors of int64 overflow at 2^100? Python's whole numbers have no limit." if n_ == 100 and at_59_ == 10 else
                                                                 "Are the two logarithms exchanged?") if float(k_) <= 1 and n_ > 3 else
                     f"With k answers there are {n_ + 1}^k cases: with yours 2^{float(k_) * math.log2(n_ + 1):.1f}, fewer than 2^{n_}.")
    assert_true(float(k_) <= n_ or len(fits_) > 0, f"{float(k_):g} is no more than n = {n_}: n questions are always enough", of="smallest",
                hint="k answers tell (n + 1)^k cases apart: a power of n + 1, not k times n + 1.")
    assert_close(k_, least_, f"the smallest k for n = {n_}", rtol=1e-9, of="smallest", mistakes=known_,
                 hint=f"{least_} answers tell {n_ + 1}^{least_} cases apart, and that is at least 2^{n_}."
                      + (f" Yours would be right if one answer told only about {2 ** (n_ / float(k_)):.2g} cases apart; it tells n + 1 = {n_ + 1}, and each further one multiplies their number by it." if n_ > 50 and float(k_) > least_ else ""))
### BEGIN HIDDEN TESTS
for n_ in (2, 25, 63, 1000, 3210):
    least_ = 1
    while (n_ + 1) ** least_ < 2 ** n_:
        least_ += 1
    known_ = wrong_least_questions(n_, least_) if n_ > 30 else {}
    assert_true(float(least_questions(n_)) > least_ - 1, f"enough answers for n = {n_}", of="enough cases", hint="With k answers there are (n + 1)^k cases, for every n.")
    assert_close(least_questions(n_), least_, f"the smallest k for n = {n_}", rtol=1e-9, of="smallest", mistakes=known_, hint="Fewer are enough: with k answers there are (n + 1)^k cases, for every n.")
assert_close(least_questions(1), 1, "the smallest k for n = 1", rtol=1e-9, of="smallest", hint="Just as many cases as labellings will do.")
### END HIDDEN TESTS

# %% [markdown]
# So no plan is sure to get all labels of 10,000 examples with fewer than `least_questions(10_000)` = 753 questions. (With luck one question is enough: the first answers may all be right.) Plans are known that need about twice such a floor. And nobody needs *all* the labels: the vote above was already far off after 500 questions, without asking
# about a single example.
#
# Does it happen in earnest? People who collected new test sets for famous benchmarks found that the errors on them were larger, but that the ranking of the models stayed nearly the same. Real experimenters do not attack their test
# set; they look at it a lot all the same. Three remedies:
#
# - Keep a validation set for all the looking, and a test set for the end (section 3.6). After it has been used for a decision, call it a validation set.
# - Use a fresh test set now and then.
# - Publish less. But what? A score that is rounded tells less than an exact one, one should think. The same vote, with scores rounded to steps of 0.05:

# %% tags=["demo"]
coarse = (coin_errors * 20).round() / 20                      # round() goes to the nearest whole number
kept = coarse != 0.5                                          # the others say nothing about which way to turn
print(f"{int(kept.sum())} of 2,000 rounded scores differ from 0.5")
blind = vote(coin_models[kept], coarse[kept])
print(f"vote of these: test error {(blind != coin_labels).double().mean():.3f} in place of {adaptive[-1]:.3f}")

# %% [markdown]
# ⚠ Rounding hardly helps. Nine of ten scores say nothing any more, but those that are left are the extreme ones, and they told most. What does help is to keep silent about everything that is no real
# progress. That is the next exercise.

# %% [markdown] task="4.6.5" kind="code" minutes=6 difficulty=2 needs="reuse of a test set"
# ### A scoreboard that tells little
#
# A scoreboard answers only when there is something to say. It publishes the first score. After that it publishes a new score only if it beats the one that stands on the board by *more* than `step`; otherwise the board stays as it is. The experimenter
# who was turned down learns nothing but that.
#
# Write `board(errors, step)`. `errors` is a list of test errors in the order in which they come in; the result is a list of the same length: what stands on the board after each of them. When it works, try `board(coin_errors.tolist(), 0.02)`: how many different numbers do 2,000 questions
# bring to light?
#
# **You are done when**
# - **first**: the first error is published as it is, however high, and there is one entry for each error;
# - **improvement**: an error that is lower than the board by more than `step` replaces it, with no margin and no rounding, however small the step and however often;
# - **silence**: any other error leaves the board unchanged, one that is lower by exactly `step`, too;
# - **argument kept**: `errors` is as it was.

# %% exercise="4.6.5"
def board(errors, step):
    """What stands on the board after each test error: a list."""
    ### BEGIN SOLUTION
    shown = []
    for error in errors:
        if not shown or error < shown[-1] - step:
            shown.append(error)
        else:
            shown.append(shown[-1])
    return shown
    ### END SOLUTION

# %% [markdown] hints="4.6.5"
# 1. With what is a new error compared: with the error before, or with the board?
# 2. Keep the list of what was shown. Its last entry, `shown[-1]`, is the board.
# 3. With step 0.125: errors 0.5, 0.4375, 0.25 give 0.5, 0.5, 0.25.

# %% check="4.6.5" points=2
@probe
def list_after_the_call(errors, step):
    board(errors, step)
    return errors

def first_wrong(errors, step, right, numbers=True):
    """A sentence for the first entry that is wrong: the board that it is compared with is right in the answer, too."""
    yours = [float(entry) for entry in board(list(errors), step)]
    wrong_ones = [i for i, (entry, wanted) in enumerate(zip(yours, right)) if not math.isclose(entry, wanted, rel_tol=1e-14)]
    if not wrong_ones or wrong_ones[0] == 0:
        return "The first error is published as it is." if wrong_ones else ""
    error, stood, place = errors[wrong_ones[0]], right[wrong_ones[0] - 1], f"Entry {wrong_ones[0]}, counted from 0, is wrong: its error"
    if error > stood:
        return place + (f", {error:g}, is higher than the board, {stood:g}, which stays." if numbers else " is higher than the board, which stays.")
    by = f", {error:.9g}, is lower than the board, {stood:.9g}, by {stood - error:.4g}," if numbers else " is lower than the board"
    return place + by + (" by more than the step: it is published, as it is." if stood - error > step else " by no more than the step: the board stays.")

def shown_for(errors, step):
    found = board(list(errors), step)
    assert_type(found, (list, tuple, torch.Tensor), f"what board({errors}, {step}) returns", of="first")
    assert_equal(len(found), len(errors), f"the length of board({errors}, {step})", of="first", hint="One entry for each error, from the first to the last: where nothing new is published, the old number stands there again.")
    found = list(found)
    for place, entry in enumerate(found):
        assert_type(entry, (int, float, torch.Tensor), f"entry {place} of board({errors}, {step})", of="silence" if place else "first",
                    hint="Where nothing new is published, the old number stands there again." if place else "The first error is published at once: entry 0 is this error.")
    return found

for first_ in (0.8125, 0.5625, 0.125):
    assert_close(shown_for([first_], 0.25)[0], first_, f"the board after a first error of {first_}, step 0.25", of="first", hint="The first error is published whatever it is, and as it is.",
                 mistakes={"Nothing stands on the board before the first error: it is not compared with 1.": 1.0, "Nothing stands on the board before the first error: it is not compared with 1/2.": 0.5,
                           "Nothing stands on the board before the first error: it is not compared with 0.": 0.0, "The first error is published as it is, not rounded.": round(first_, 2), "The first error is published as it is, not rounded to steps.": round(first_ / 0.25) * 0.25})
assert_close(shown_for([0.75, 0.375, 0.0625], 0.25), [0.75, 0.375, 0.0625], "the board for 0.75, 0.375, 0.0625 with step 0.25", of="improvement", hint=lambda: first_wrong([0.75, 0.375, 0.0625], 0.25, [0.75, 0.375, 0.0625]),
             mistakes={"The new error itself is published, not the old one less the step.": [0.75, 0.5, 0.25], "What stands on the board after each error is asked for; this is what stood there before it.": [0.75, 0.75, 0.375], "An improvement is an error that is lower.": [0.75, 0.75, 0.75],
                       "The new error is published as it is, not rounded to steps.": [0.75, 0.5, 0.0], "The new error is published as it is, not rounded down to steps.": [0.75, 0.25, 0.0],
                       "The errors come in their own order: do not sort them.": [0.0625, 0.0625, 0.0625]})
assert_close(shown_for([0.75, 0.625, 0.4375, 0.9375, 0.375], 0.25), [0.75, 0.75, 0.4375, 0.4375, 0.4375], "the board for 0.75, 0.625, 0.4375, 0.9375, 0.375 with step 0.25", of="silence",
             hint=lambda: first_wrong([0.75, 0.625, 0.4375, 0.9375, 0.375], 0.25, [0.75, 0.75, 0.4375, 0.4375, 0.4375]),
             mistakes={"Compare with the board as it stands, not with the first error.": [0.75, 0.75, 0.4375, 0.4375, 0.375], "Compare with the board, not with the error before.": [0.75, 0.75, 0.75, 0.75, 0.375], "Compare with the board, not with the lowest error that came in.": [0.75] * 5,
                       "A smaller error that does not beat the board by more than the step stays unseen.": [0.75, 0.625, 0.4375, 0.4375, 0.375], "A higher error is no improvement.": [0.75, 0.75, 0.4375, 0.9375, 0.375],
                       "The errors come in their own order: do not sort them.": [0.9375, 0.9375, 0.625, 0.625, 0.625]})
assert_close(shown_for([0.5, 0.25, 0.125], 0.25), [0.5, 0.5, 0.125], "the board for 0.5, 0.25, 0.125 with step 0.25", of="silence", hint=lambda: first_wrong([0.5, 0.25, 0.125], 0.25, [0.5, 0.5, 0.125]),
             mistakes={"Lower by exactly the step is not more than the step.": [0.5, 0.25, 0.25], "The step is subtracted; it is not a share of the board.": [0.5, 0.25, 0.125]})
assert_close(shown_for([0.5, 0.4921875, 0.48828125], 0.00390625), [0.5, 0.4921875, 0.4921875], "the board for 0.5, 0.4921875, 0.48828125 with step 0.00390625", of="improvement",
             hint=lambda: first_wrong([0.5, 0.4921875, 0.48828125], 0.00390625, [0.5, 0.4921875, 0.4921875]),
             mistakes={"The step is an argument: this one is small.": [0.5, 0.5, 0.5], "This step is small, and 0.4921875 beats the board by more than it.": [0.5, 0.5, 0.48828125], "Numbers are published as they are, not rounded.": [0.5, 0.49, 0.49]} |
                      {f"Numbers are published as they are, not rounded to {d} places.": [0.5] + 2 * [round(0.4921875, d)] for d in (3, 4, 5, 6)} |
                      {f"Numbers are compared and published as they are, not rounded to {d} places.": [0.5, round(0.4921875, d), round(0.48828125, d)] for d in (4, 5, 6)})
assert_close(shown_for([0.5, 0.4998779296875, 0.625, 0.4998779296875], 0.0), [0.5, 0.4998779296875, 0.4998779296875, 0.4998779296875], "the board for 0.5, 0.4998779296875, 0.625, 0.4998779296875 with step 0",
             rtol=1e-6, of="improvement", hint=lambda: "With step 0 every lower error is published, however little it is lower. " + first_wrong([0.5, 0.4998779296875, 0.625, 0.4998779296875], 0.0, [0.5] + 3 * [0.4998779296875]), mistakes={"0.4998779296875 is lower than 0.5, by more than 0: it is published, as it is and without a margin.": [0.5, 0.5, 0.5, 0.5]})
falling_ = [0.9375 - 0.125 * i for i in range(8)]
assert_close(shown_for(falling_, 0.0625), falling_, "the board for eight errors, each lower by 0.125, with step 0.0625", of="improvement", hint=lambda: "All eight are improvements: each is published. " + first_wrong(falling_, 0.0625, falling_),
             mistakes={"The step is an argument: here it is 0.0625.": [0.9375 - 0.375 * (i // 3) for i in range(8)]})
assert_close(shown_for([0.3, 0.1], 0.05), [0.3, 0.1], "the board for 0.3, 0.1 with step 0.05, to twelve digits", rtol=1e-12, atol=0.0, of="improvement", hint="The numbers of the list are handed on as they are.",
             mistakes={"float32 has seven digits: hand the numbers of the list on as they are.": torch.tensor([0.3, 0.1]).tolist()})
tiny_ = 2.0 ** -45
assert_close(shown_for([0.5, 0.5 - 2 * tiny_, 0.5 - 3 * tiny_], tiny_), [0.5, 0.5 - 2 * tiny_, 0.5 - 2 * tiny_], "the board for 0.5, 0.5 - 2 · 2⁻⁴⁵, 0.5 - 3 · 2⁻⁴⁵ with step 2⁻⁴⁵, to the last digit", rtol=0, atol=0,
             of="improvement", hint="The second error beats the board by twice this step: numbers are compared and published as they are, with no margin and no rounding.",
             mistakes={"The third error is lower than the board by exactly the step: that is not more.": [0.5, 0.5 - 2 * tiny_, 0.5 - 3 * tiny_]})
assert_close(shown_for([0.75, 0.5 - tiny_], 0.25), [0.75, 0.5 - tiny_], "the board for 0.75, 0.5 - 2⁻⁴⁵ with step 0.25, to the last digit", rtol=0, atol=0, of="improvement",
             hint="The second error beats the board by 0.25 + 2⁻⁴⁵, and this is more than the step: it is published, as it is.",
             mistakes={"The second error beats the board by 0.25 + 2⁻⁴⁵. This is more than the step, and it is published: no margin, not even a share of the step.": [0.75, 0.75]})
assert_close(list_after_the_call([0.5, 0.25, 0.75], 0.125), [0.5, 0.25, 0.75], "errors after the call", of="argument kept", hint="`board` must not change `errors`: begin a list of its own.")
### BEGIN HIDDEN TESTS
def published(errors, step, better):
    shown = errors[:1]
    for i in range(1, len(errors)):
        shown = shown + [errors[i] if better(shown[-1], errors[i], step, errors[:i]) else shown[-1]]
    return shown

rng = torch.Generator().manual_seed(465)
for n_, step_ in ((9, 0.0625), (1, 0.125), (40, 0.03125), (12, 0.0), (60, 0.001953125), (30, 0.25), (25, 0.00048828125), (20, 2.0 ** -45), (14, 0.0625)):
    errors_ = (torch.randint(0, 33, (n_,), generator=rng) / 32).tolist()
    if n_ == 25:
        errors_ = [0.75 - i * 0.0006103515625 for i in range(25)]
    if n_ == 20:
        errors_ = [0.625 - i * 2.0 ** -46 for i in range(20)]
    if n_ == 14:
        errors_ = [0.9375 - i * (0.0625 + 2.0 ** -47) for i in range(14)]
    if n_ == 60:
        errors_ = [1 - i / 128 - (i % 3) / 512 for i in range(60)]
    wanted_ = errors_[:1]
    for e_ in errors_[1:]:
        wanted_ += [e_ if wanted_[-1] - e_ > step_ else wanted_[-1]]
    found_ = shown_for(errors_, step_)
    assert_close(found_[0], wanted_[0], f"the first entry for {n_} errors", rtol=0, atol=0, of="first", hint="The first error is published as it is.")
    found_ = [float(v) for v in found_]
    assert_close([min(found_), found_[-1]], [min(wanted_), wanted_[-1]], f"the lowest and the last entry for {n_} errors and step {step_}", rtol=0, atol=0, of="improvement",
                 hint=lambda: "Every error that beats the board by more than this step is published as it is, however many there are and however small the step is. " + first_wrong(errors_, step_, wanted_, numbers=False))
    assert_close(found_, wanted_, f"the board for {n_} errors and step {step_}", rtol=0, atol=0, of="silence", hint=lambda: "Only an error that beats the board by more than this step is published. " + first_wrong(errors_, step_, wanted_, numbers=False),
                 mistakes={"Compare with the board, not with the error before.": published(errors_, step_, lambda b, e, s, before: before[-1] - e > s), "Exactly the step is not more than the step.": published(errors_, step_, lambda b, e, s, before: b - e >= s),
                           "Compare with the board, not with the lowest error that came in.": published(errors_, step_, lambda b, e, s, before: min(before) - e > s)})
    assert_close(list_after_the_call(list(errors_), step_), errors_, f"errors after the call, {n_} of them", of="argument kept", hint="`board` must not change `errors`.")
### END HIDDEN TESTS

# %% [markdown] teaches="uniform convergence, growth function"
# ## 6. All classifiers of a class at once
#
# Can the *training* error be trusted after all? Training chooses, too: among all classifiers of a class, all straight lines say, it takes one that does well on the training examples. To be safe, we want a margin that holds for *every* classifier of the
# class at once. Then it holds for the chosen one, however it was chosen. This is called **uniform convergence**. For k classifiers the union bound gives it. But there are infinitely many lines.
#
# Here the idea of Vapnik and Chervonenkis comes in. On n given points most of these lines do exactly the same. What counts is the number of different *labellings* of the points that the class can produce. The largest such number, over all choices of n points, is the **growth function** of the class.
# For lines in the plane one can throw random lines at random points, and count:

# %% tags=["demo"]
generator = torch.Generator().manual_seed(3)
for n in (2, 3, 4, 5, 8, 12):
    places = torch.randn(n, 2, generator=generator, dtype=torch.float64)
    normals = torch.randn(200_000, 2, generator=generator, dtype=torch.float64)
    offsets = 2 * torch.randn(200_000, 1, generator=generator, dtype=torch.float64)
    sides_of = normals @ places.T + offsets > 0                          # (200000, n): a labelling in each row
    codes = sides_of.long() @ (2 ** torch.arange(n))                     # each labelling as one whole number
    print(f"{n:2} points: {len(codes.unique()):4} labellings by lines, {2 ** n:4} in all")

# %% [markdown]
# Up to three points lines can do everything. At four they reach 14 of 16. From then on $2^n$ doubles with each point, and the number for lines grows only like $n^2$. This is no accident. If the VC dimension of a class is d (section 3.6: the largest number of points
# that it *shatters*, that is, labels in all $2^n$ ways), then its growth function is at most
# $\left(\frac{en}{d}\right)^d$ for all $n \ge d$. Up to n = d it is $2^n$; from there on it stays below a polynomial of degree d. (That is only an upper limit: for lines d is 3, and the true number grows like $n^2$.) The union bound needs the logarithm of the
# number of candidates. For k classifiers that was log k; here it is about d times log n.

# %% [markdown] task="4.6.E" kind="code" minutes=4 difficulty=2 needs="growth function"
# ### Labellings by intervals
#
# The points lie on a line, all at different places. A classifier says yes inside an interval [a, b] and no outside of it; the interval may lie beside all points. Write `interval_labellings(n)`: the number of labellings of n points that the class of intervals can produce.
#
# **You are done when**
# - **count**: it is right for every n from 1 on;
# - **none**: the labelling with no yes at all is counted, once.

# %% exercise="4.6.E"
def interval_labellings(n):
    """How many labellings of n points on a line intervals can produce."""
    ### BEGIN SOLUTION
    return n * (n + 1) // 2 + 1
    ### END SOLUTION

# %% [markdown] hints="4.6.E"
# 1. The points that get a yes are neighbours. Where can their row begin, and where can it end?
# 2. Count by brute force for n = 3: no yes; one yes in 3 places; two neighbours in 2 places; all.
# 3. For rays ("yes from a on") there are n + 1 labellings: the first yes is at one of n points, or there is none.

# %% check="4.6.E" points=1
def wrong_counts(n, wanted):
    """Usual mistakes; those that give the right number for this n are left out."""
    table = {"One too few: yes for all is one labelling, and yes for none is one. Are both counted?": wanted - 1, "One too many: yes for all and yes for none are counted once each.": wanted + 1,
             "Labels the other way round, no inside and yes outside, are no interval's: count each interval once.": 2 * wanted - 2, "Without any yes there is one labelling: count it once.": wanted + n, "A yes, a no and a yes again cannot be made by one interval.": 2 ** n,
             "This counts rays: an interval has two ends.": n + 1, "This counts rays to either side: an interval may begin and end among the points.": 2 * n,
             "This is the number for lines in the plane, and for intervals together with those turned round, no inside and yes outside. Intervals alone are asked for.": n ** 2 - n + 2,
             "This is the number for three ends, as if the VC dimension were 3: an interval has two ends.": 1 + n + math.comb(n, 2) + math.comb(n, 3),
             f"Too few by {n}: a row of m neighbours fits at {n} - m + 1 places, and a row may be a single point.": wanted - n, "Rows of three neighbours and more count, too.": 2 * n + 1,
             "This is the upper limit (en/d)^d, cut off: count exactly.": int((math.e * n / 2) ** 2), "Each interval is counted twice: [a, b] has its left end first.": 2 * wanted - 1, "This is the upper limit (en/d)^d: count exactly.": (math.e * n / 2) ** 2,
             "This is the number for one point more.": wanted + n + 1, "A single interval, not two.": sum(math.comb(n + 1, 2 * j) for j in range(3)), "Each interval is counted twice, and an interval may hold a single point.": n * (n - 1) + 1, "Count each pair of ends once, with the left one first.": n ** 2, "Each pair of ends counts once, the left one first.": n ** 2 + 1}
    return {sentence: value for sentence, value in table.items() if value != wanted}

for n_, wanted_ in ((6, 22), (7, 29), (2, 4), (1, 2), (12, 79)):
    found_ = interval_labellings(n_)
    assert_type(found_, (int, float, torch.Tensor), f"interval_labellings({n_})", of="count")
    at_seven_ = interval_labellings(7)                                       # a mistake is named if it gives the number for 7 points, too
    known_ = {words: value for words, value in wrong_counts(n_, wanted_).items() if at_seven_ == wrong_counts(7, 29).get(words.replace(str(n_), "7")) and
              (interval_labellings(1) == 1 or not words.startswith("Count each pair"))}
    right_ = 0
    while found_ != wanted_ and right_ < n_ - 1 and interval_labellings(right_ + 1) == (2, 4, 7, 11, 16, 22, 29, 37, 46, 56, 67, 79)[right_]:
        right_ += 1
    so_far_ = f" Yours are right up to {right_} point{'s' if right_ > 1 else ''}; point {right_ + 1} brings {right_ + 1} more, one for each row that ends at it, and in yours {interval_labellings(right_ + 1) - interval_labellings(right_):g}." if right_ else ""
    assert_equal(found_, wanted_, f"the labellings of {n_} point{'s' if n_ > 1 else ''}", of="none" if n_ < 3 or found_ == wanted_ - 1 and at_seven_ == 28 or found_ == wanted_ + n_ and at_seven_ == 36 else "count",
                 mistakes=known_ if n_ > 5 else {"One too few: yes for all is one labelling, and yes for none is one. Are both counted?": wanted_ - 1} if n_ == 1 else {},
                 hint=f"Rows of 1, 2, ..., {n_} neighbours fit at {n_}, {n_ - 1}, ..., 1 places; and there is the labelling without any yes." + so_far_ if n_ > 2 else
                      "yes, no; no, yes; both yes; both no." if n_ == 2 else "yes; no.")
### BEGIN HIDDEN TESTS
for n_ in (3, 5, 10, 14):
    made_ = {tuple(low <= i <= high for i in range(n_)) for low in range(n_) for high in range(-1, n_)}
    assert_equal(interval_labellings(n_), len(made_), f"the labellings of {n_} points", of="count", hint="The numbers asked for in the cell came out right, this one does not: let it follow from n, whatever n is.", mistakes=wrong_counts(n_, len(made_)) if n_ > 5 else {})
    assert_equal(interval_labellings(n_) - sum(any(row) for row in made_), 1, f"the labellings of {n_} points, less those with a yes", of="none", hint="There is one labelling without any yes.")
### END HIDDEN TESTS

# %% [markdown] teaches="VC bound"
# Put the growth function into an argument like that of parts 3 and 4 (the full proof is longer), and out comes a bound of this form: with probability $1 - \delta$, for *every* classifier of a class of VC dimension d,
#
# $$\text{population error} \le \text{training error} + \sqrt{\frac{8}{n}\left(d \log\frac{2en}{d} + \log\frac{4}{\delta}\right)}.$$
#
# It holds for every distribution and for every way of training. What is it worth? Here is the second term, for lines in the plane (d = 3), for a straight border between pictures of 784 pixels (d = 785), and for a class of VC dimension one million, as a network with very many weights may have:

# %% teaches="VC bound"
for d in (3, 785, 1_000_000):
    for n in (10_000, 1_000_000):
        if n >= d:
            print(f"d = {d:9,}, n = {n:9,}: {math.sqrt(8 / n * (d * math.log(2 * math.e * n / d) + math.log(4 / 0.05))):.3f}")

# %% [markdown]
# For a line it says something: 0.164 with 10,000 examples. For 785 and 10,000 it is larger than 1, and no error is ever larger than 1: the bound is true and empty. For d = 1,000,000 it is empty even with a million examples. It must be, since it holds for the worst distribution and the worst training. The softmax regression of part 1 was trained on only
# 2,000 pictures with 784 pixels. Its training error was about 0.20, its error on new ones about 0.25. So the training error *can* be a fair guide where the bound is silent. Why, is not fully understood; section 5.5 goes on from here. For a statement about *one* trained classifier, a test set is
# cheaper: compare 0.164 with Hoeffding's 0.0136 for 10,000 test examples.

# %% [markdown] teaches="VC dimension of a linear span"
# ## 7. Finding a VC dimension
#
# A VC dimension d is two claims: *some* d points can be shattered, and *no* d + 1 points can. Often each has a short proof. Take classifiers that look at the sign of a weighted sum of m given functions,
#
# $$f(x) = w_1 \varphi_1(x) + \dots + w_m \varphi_m(x), \qquad \text{yes where } f(x) > 0.$$
#
# Polynomials of degree 2 are such a class, with m = 3 functions: $1, x, x^2$. Write the values of the functions at n points into a matrix Φ of shape (n, m), a row for each point. Then the n values of f are $\Phi \mathbf w$.
#
# *m points can be shattered*, if Φ, now (m, m), is invertible: for every row of labels ±1 solve $\Phi \mathbf w = \text{labels}$. For the powers $1, x, x^2$ at three different places it is: otherwise some polynomial of degree 2 at most, not 0 everywhere, would be 0 at three places.
#
# *m + 1 points cannot.* Now Φ has m + 1 rows with m entries each, so the rows depend on each other: there are numbers $a_0, \dots, a_m$, not all zero, with $\sum_i a_i \varphi_j(x_i) = 0$ for every j. Then $\sum_i a_i f(x_i) = 0$ for *every* f of the class. At least one $a_i$ is positive (otherwise change all signs).
# Label the points with positive $a_i$ yes, the others no. An f with these signs would have $a_i f(x_i) \ge 0$ everywhere, and more than 0 somewhere, so the sum could not be 0. No f has these labels.
#
# So the VC dimension is m, the number of functions, provided that none of them is a weighted sum of the others: then there are m points with an invertible Φ (we take this from linear algebra). Here is the second claim at work for $1, x, x^2$ at the points 1, 2, 3, 4:

# %% teaches="VC dimension of a linear span"
x = torch.tensor([1., 2., 3., 4.], dtype=torch.float64)
Phi = torch.stack([x ** 0, x, x ** 2], dim=1)                            # (4, 3)
a = torch.tensor([1., -3., 3., -1.], dtype=torch.float64)                # a combination of the rows that vanishes
print("a @ Phi:", a @ Phi)
print("three points, labels yes, no, yes: w =", torch.linalg.solve(Phi[:3], torch.tensor([1., -1., 1.], dtype=torch.float64)))

# %% tags=["demo"]
curve = torch.linspace(0.5, 6.5, 300, dtype=torch.float64)
figure, axes = plt.subplots(1, 2, figsize=(8, 2.6), sharey=True, layout="constrained")
for ax, (degree, count) in zip(axes, ((2, 3), (3, 4))):
    spots = torch.arange(1, count + 1, dtype=torch.float64)
    signs = (-1.0) ** torch.arange(count)
    w = torch.linalg.solve(torch.stack([spots ** p for p in range(degree + 1)], dim=1), signs.double())
    ax.plot(curve, sum(w[p] * curve ** p for p in range(degree + 1)), color="C0")
    ax.plot(spots, signs, "o", color="black")
    ax.plot([count + 1], [(-1.0) ** count], "X", color="C3", markersize=9)
    ax.axhline(0, color="grey", linewidth=0.8)
    ax.set(title=f"degree {degree}: {count} points, not {count + 1}", xlabel="x", ylim=(-4, 4))
axes[0].set_ylabel("f(x)")
plt.show()

# %% [markdown]
# *What to see:* the parabola can do yes, no, yes at three points. The red cross would ask it to cross zero a third time, and a polynomial of degree 2 has two zeros at most. Degree 3 gets one more point, and fails at the next.
#
# ⚠ "VC dimension = number of parameters" is a theorem for such weighted sums, and not in general. Section 3.6 showed a class with one parameter, $\sin(\omega x)$, that shatters any number of points. For any other class, counting parameters proves nothing. One has to show both claims, as in the last two exercises.

# %% [markdown] task="4.6.3a" kind="code" minutes=5 difficulty=2 needs="VC dimension of a linear span"
# ### Six points for a quintic
#
# A *quintic* is a polynomial of degree 5 at most, $f(x) = c_0 + c_1 x + \dots + c_5 x^5$. Write `quintic_for(x, labels)`. `x` is a `float64` tensor of shape `(6,)` with six different numbers, at least 0.05 apart, `labels` has the same shape and dtype, and entries 1 and -1. It returns the coefficients $c_0, \dots, c_5$ of a quintic whose values at `x` have the
# signs of `labels`.
#
# **You are done when**
# - **coefficients**: a tensor of shape `(6,)` comes back, lowest power first;
# - **signs**: at each of the six places the quintic has the sign of the label, for each of the 64 labellings.

# %% exercise="4.6.3a"
def quintic_for(x, labels):
    """Coefficients (6,), lowest power first, of a quintic with these signs at x (6,)."""
    ### BEGIN SOLUTION
    return torch.linalg.solve(torch.stack([x ** p for p in range(6)], dim=1), labels.double())
    ### END SOLUTION

# %% [markdown] hints="4.6.3a"
# 1. Which matrix, times the coefficients, gives the values at the six places?
# 2. It need not have the values ±1, but why not ask for just these? `torch.linalg.solve(A, v)` solves $A\mathbf c = \mathbf v$.
# 3. For a line at the places 1 and 3, labels 1 and -1: the matrix has the rows (1, 1), (1, 3), and the solution is 2 - x.

# %% check="4.6.3a" points=2
@probe
def all_quintics(places, rows):
    return torch.stack([torch.as_tensor(quintic_for(places.clone(), row.clone())).double() for row in rows])

@probe
def matrix_that_is_none(places, row):
    try:
        quintic_for(places, row)
    except RuntimeError as error:
        if "at least 2 dimensions" not in str(error):
            raise
        return str(error)
    return ""

all_labels = torch.tensor(list(itertools.product([1., -1.], repeat=6)), dtype=torch.float64)
stop_ = matrix_that_is_none(torch.tensor([-1., -0.5, 0.5, 1., 1.5, 2.], dtype=torch.float64), all_labels[21])
assert_true(len(stop_) == 0, "coefficients come back, not an error", of="coefficients", hint=f"It stopped with: {stop_} A vector stands where the matrix must: `torch.linalg.solve(A, v)` takes the matrix first, and then the right side.")
one_quintic = quintic_for(torch.tensor([-1., -0.5, 0.5, 1., 1.5, 2.], dtype=torch.float64), all_labels[21])
assert_type(one_quintic, torch.Tensor, "what quintic_for returns", of="coefficients")
assert_shape(one_quintic, (6,), "the shape of the coefficients", of="coefficients")
def values_of(coefficients, places, powers=range(6)):
    """The values (64, 6) of 64 quintics at the six places."""
    return sum(coefficients[:, i, None] * places ** p for i, p in enumerate(powers))

def why_wrong(coefficients, places, labels):
    """A sentence for coefficients (64, 6) whose signs are not the labels."""
    def fit(values, signs=labels):
        return bool((values * signs > 0).all())

    moved = [(places - places.min()) / (places.max() - places.min()), places - places.mean(), (places - places.mean()) / places.std(), places - places.min()]
    moved = [p for p in moved if not torch.equal(p, places)]
    newton, bracket = torch.zeros_like(labels), torch.ones_like(places)
    for i in range(6):
        newton, bracket = newton + coefficients[:, i, None] * bracket, bracket * (places - places[i])
    matrix = torch.linalg.lstsq(labels, coefficients).solution if bool(torch.isfinite(coefficients).all()) else torch.zeros(6, 6, dtype=torch.float64)
    linear = bool(matrix.abs().max() > 1e-6 and (labels @ matrix - coefficients).abs().max() < 1e-6 * coefficients.abs().max())
    transposed = torch.stack([coefficients @ places ** p for p in range(6)], dim=1)
    powers = torch.stack([places ** p for p in range(6)], dim=1)
    finite = coefficients[torch.isfinite(coefficients).all(dim=1)]
    values = values_of(coefficients, places)
    one_hot = bool((values[labels < 0].abs() < 1e-6 * values.abs().max()).all() and (values[labels > 0] > 0).all())
    short = [float(f"{p:.4g}") for p in places.tolist()]
    exact = torch.linalg.solve(powers, labels.T).T
    rows_added = torch.linalg.solve(powers.T, torch.nan_to_num(coefficients).T).T * labels               # how often each row, times its label, was added
    added = bool((rows_added > -1e-6).all() and (rows_added - rows_added.round()).abs().max() < 1e-6 and rows_added.max() > 1)
    signs_alone = bool((coefficients.abs() <= 1).all() and (coefficients == coefficients.round()).all() and (coefficients == exact.sign())[exact.abs() > 1e-9].all())
    multiples = torch.arange(6, dtype=torch.float64)
    in_proportion = bool(coefficients[:, 1].abs().max() > 1e-12 and torch.allclose(coefficients, coefficients[:, 1:2] * multiples, rtol=1e-6, atol=1e-12))
    some_yes = labels[(labels > 0).any(dim=1)] < 0
    zero_at_no = bool((values[(labels > 0).any(dim=1)][some_yes].abs() < 1e-9 * values.abs().max()).all())
    differences = torch.stack([torch.stack([places[i] - places[j] for j in range(6) if j != i]).prod() for i in range(6)])
    for holds, sentence in ((len(finite) > 0 and bool((finite[:, 5] == 1).all()), "c₅ is 1 for all labels: if you divide by it, the signs turn around where it was negative."),
                            (len(finite) < len(coefficients), "Some coefficients are not finite numbers: is something divided by 0?"),
                            (bool(torch.allclose(values, labels * places)), "At each place the quintic is the label times x: the right side of the equations is the label alone."),
                            (bool(torch.allclose(values, labels * differences)), "At each place the quintic is the label times the product of the differences to the other places: each term of the sum is to be divided by it."),
                            (bool(torch.allclose(values_of(coefficients, places, range(1, 7)), labels)), "The first coefficient is that of x⁰ = 1: the powers are 0 to 5, not 1 to 6."),
                            (bool((values.abs() < 1e-9).any(dim=1).all()), "The quintic is 0 at some of the places, and 0 is neither sign."),
                            (any(bool(torch.allclose(coefficients, labels @ m)) for m in (powers, powers.T)), "This is the product of the matrix and the labels: solve for the coefficients."), (fit(values_of(coefficients, places, range(5, -1, -1))), "The lowest power comes first."),
                            (fit(values_of(coefficients, places), -labels), "All signs are the opposite ones."),
                            (bool(((values * labels > 0).all(dim=1) | (values * labels < 0).all(dim=1)).all()), "Where it fails, all six signs are the opposite ones: the quintic changes its sign in the right places, and has to be multiplied by -1 there."), (bool((coefficients == labels).all()), "These are the labels: the coefficients of a quintic with these signs are asked for."),
                            (fit(values_of(coefficients, places.sort().values)), "Label i belongs to x[i]: where x is sorted, the labels must go with it."),
                            (fit(values_of(coefficients, torch.arange(6).double())), "These signs come out at 0, 1, ..., 5: use the places that are given."),
                            (any(fit(values_of(coefficients, p)) for p in moved), "These signs come out at moved or rescaled places: the coefficients belong to x itself."),
                            (fit(values_of(coefficients, places), labels.flip(1)), "Label i belongs to x[i]: the labels are taken in the opposite order."), (one_hot, "The quintic is 0 where it should be negative: ask for -1 there."),
                            (any(bool(torch.allclose(coefficients, exact.round(decimals=d), rtol=0, atol=1e-9)) for d in (0, 1, 2, 3)), "The coefficients are rounded: hand them back with all their digits."),
                            (bool(((coefficients - exact).abs() <= 2 ** -10 * exact.abs().max(dim=1, keepdim=True).values).all()), "The coefficients are those of the values 1 and -1, but right to about three digits only: hand them back with all the digits of float64."),
                            (zero_at_no, "Where there is a yes, the quintic is 0 at every place with a no, and 0 is neither sign: it must be negative there."),
                            (signs_alone, "These are the signs of the coefficients: it is the values at x that have the signs of the labels. Hand back the coefficients themselves."),
                            (in_proportion, "Your coefficients are 0, c, 2c, 3c, 4c, 5c each time. `x * p` gives multiples of x; the powers are `x ** p`."),
                            (added, "Your coefficients are sums of the rows (1, x, ..., x⁵), each times its label and a whole number. Adding rows in this way leads to the signs, but not yet for all labels: go on until all six signs are right, or solve six equations."),
                            (bool((transposed * labels > 0).all()), "The matrix is transposed: row i holds the powers of x[i]."),
                            (fit(newton), "These are the numbers of Newton's form, a₀ + a₁(x - x₀) + a₂(x - x₀)(x - x₁) + ...: multiply the brackets out."),
                            (bool((coefficients[:, 5].abs() < 1e-12).all()), "The power 5 is never used: a polynomial of degree 4 cannot do all labellings of six places."),
                            (bool((coefficients == coefficients[:1]).all()), "The same quintic comes back for all labels."),
                            (linear and short == sorted(short), "Your coefficients are the labels times one matrix, but not the inverse of the matrix of powers: solve the six equations to the end, with nothing added.")):
        if holds:
            return sentence
    worst = (values * labels <= 0).any(dim=1).nonzero()[0].item()
    at = [p for p, v, w in zip(short, values[worst].tolist(), labels[worst].tolist()) if not v * w > 0]
    return (("The places are not in order here: neighbours in the list are not neighbours on the line. " if short != sorted(short) else "") +
            f"For the labels {[int(w) for w in labels[worst]]} the values there are {[round(v, 3) for v in values[worst].tolist()]}: the sign is wrong at x = {', '.join(f'{p:g}' for p in at)}.")

for places_ in ([-1., -0.5, 0.5, 1., 1.5, 2.], [0., 1., 2., 3., 4., 5.], [-1., 2., 0.5, 1.5, -0.5, 0.]):
    places_ = torch.tensor(places_, dtype=torch.float64)
    found_ = all_quintics(places_, all_labels)
    bad_ = int((~(values_of(found_, places_) * all_labels > 0)).any(dim=1).sum())
    assert_true(bad_ == 0, f"all 64 labellings of the places {places_.tolist()} come out right; {bad_} do not", of="signs", hint=lambda: why_wrong(found_, places_, all_labels) if bad_ else "")
close_ = 2 + 0.08 * torch.arange(6, dtype=torch.float64)
found_ = all_quintics(close_, all_labels)
bad_ = int((~(values_of(found_, close_) * all_labels > 0)).any(dim=1).sum())
assert_true(bad_ == 0, f"all 64 labellings of the places 2, 2.08, 2.16, 2.24, 2.32 and 2.4 come out right; {bad_} do not", of="signs",
            hint="The coefficients go into the millions here, and almost cancel: " + (
                "yours are numbers of float32, whose digits are too few. Stay in float64." if torch.equal(found_, found_.float().double()) else
                "all the digits of float64 are needed, in every step."))
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(463)
for _ in range(2):
    places_ = torch.randperm(11, generator=rng)[:6].double() / 4 - 1.3
    assert_shape(quintic_for(places_, all_labels[5]), (6,), "the shape of the coefficients, other places", of="coefficients")
    found_ = all_quintics(places_, all_labels)
    values_ = found_ @ torch.stack([places_ ** p for p in range(6)])
    right_ = bool((values_ * all_labels > 0).all())
    assert_true(right_, "all 64 labellings of six other places come out right", of="signs", hint=lambda: "" if right_ else why_wrong(found_, places_, all_labels))
close_ = -2.4 + 0.08 * torch.arange(6, dtype=torch.float64).flip(0)
assert_true(bool((values_of(all_quintics(close_, all_labels), close_) * all_labels > 0).all()), "all 64 labellings of six places near each other come out right",
            of="signs", hint="The coefficients are large and almost cancel: all the digits of float64 are needed, in every step.")
### END HIDDEN TESTS

# %% [markdown] task="4.6.3b" kind="answer" minutes=4 difficulty=3 needs="VC dimension, VC dimension of a linear span"
# ### The VC dimension of quintics
#
# So six points can be shattered by quintics. What is the VC dimension, for these and for other families of polynomials?
#
# Set `dimensions`, a dictionary from names to whole numbers: the VC dimension of the classes "yes where f(x) > 0", for x on the whole line. The families are `"line"`: $c_0 + c_1 x$; `"quintic"`: all polynomials of degree 5 at most; `"even"`: $c_0 + c_2 x^2 + c_4 x^4$; `"pure"`: $c_5 x^5$;
# `"plane"`: polynomials of degree 2 at most in *two* variables, $c_0 + c_1 x + c_2 y + c_3 x^2 + c_4 xy + c_5 y^2$.
#
# **You are done when**
# - **all powers**: `"line"` and `"quintic"` are right;
# - **some powers**: `"even"` and `"pure"` are right;
# - **two variables**: `"plane"` is right.

# %% exercise="4.6.3b"
### BEGIN SOLUTION
dimensions = {"line": 2, "quintic": 6, "even": 3, "pure": 1, "plane": 6}
### END SOLUTION

# %% [markdown] hints="4.6.3b"
# 1. How many functions are combined in each family?
# 2. The theorem above counts functions. It does not ask for the degree, nor for the number of variables.
# 3. Circles around the origin: $c_0 + c_1 (x^2 + y^2)$ combines two functions, so 2.

# %% check="4.6.3b" points=2
assert_type(dimensions, dict, "dimensions", of="all powers")
assert_equal(sorted(map(str, dimensions)), ["even", "line", "plane", "pure", "quintic"], "the names in dimensions", of="all powers",
             hint="Missing: " + (", ".join(name for name in ("line", "quintic", "even", "pure", "plane") if name not in list(dimensions)) or "none") + ". The names are those of the task, as strings, and there are no others.")
with part(0.5, "all powers"):
    for name_ in ("line", "quintic"):
        assert_type(dimensions[name_], (int, float, torch.Tensor), f"the entry of \"{name_}\"", of="all powers")
    assert_equal(dimensions["line"], 2, "lines", of="all powers",
                 mistakes={"1 is the degree, and the number of zeros: count the functions that are combined, the constant is one of "
                           "them.": 1,
                           "Here x is a single number, and c₀ + c₁x has one zero: of three places yes, no, yes is out of reach. "
                           "(3 is the number for lines in the plane.)": 3})
    more_ = float(dimensions["quintic"]) - float(dimensions["line"])
    assert_true(more_ == 4, "quintics have a VC dimension larger by the number of functions that they have more than lines", of="all powers",
                hint="This is the degree: the constant is one of the functions, too." if more_ == 3 else "This is one point more than there are functions." if more_ == 5 else "Which powers does a quintic combine that a line has not?")
with part(0.25, "some powers"):
    for name_ in ("even", "pure"):
        assert_type(dimensions[name_], (int, float, torch.Tensor), f"the entry of \"{name_}\"", of="some powers")
    even_, pure_ = float(dimensions["even"]), float(dimensions["pure"])
    about_even_ = {1.0: "\"even\": the constant and each power have a coefficient of their own: count all of these functions.", 2.0: "In \"even\" the constant is one of the functions, too.", 4.0: "\"even\": count the functions that are combined, not the degree.", 5.0: "\"even\" lacks the odd powers: count the functions that it does combine.",
                   6.0: "\"even\": 6 would be right with x, x³ and x⁵, which it lacks. A function counts once, not again for the mirror images -x."}
    about_pure_ = {0.0: "\"pure\": a single point can have yes (c₅x⁵ > 0) and no.", 2.0: "\"pure\": for two points there are four labellings, but c₅ is only positive, negative or zero.",
                   3.0: "\"pure\": for two points there are four labellings, but c₅ is only positive, negative or zero.",
                   5.0: "\"pure\": count the functions that are combined, not the degree.", 6.0: "\"pure\" lacks the other powers: count the functions that it does combine."}
    other_even_ = "\"even\": count the functions that are combined, those with a coefficient in front (the 1 of the constant is one)."
    assert_true(pure_ > 0, "\"pure\" shatters one point at least", of="some powers", hint=about_pure_[0.0])
    assert_true(pure_ < 2, f"\"pure\" is {pure_:g}: no more than the points that a single function with its sign can shatter", of="some powers",
                hint=about_pure_.get(pure_, about_pure_[2.0]))
    assert_true(even_ + pure_ == 4, f"\"even\" is {even_:g}: the number of the functions that it combines", of="some powers", hint=about_even_.get(even_, other_even_))
with part(0.25, "two variables"):
    assert_type(dimensions["plane"], (int, float, torch.Tensor), "the entry of \"plane\"", of="two variables")
    plane_ = float(dimensions["plane"])
    advice_ = {2.0: "This is the degree, or the number of variables: count the functions.", 3.0: "This is the number for one variable: y, xy and y² are functions of their own.", 4.0: "Which are the products of powers of x and y with degree 2 at most? There are more than four.",
               5.0: "One function is not counted: every term has a coefficient of its own, the constant and xy, too.", 7.0: "This is one point more than there are functions.", 9.0: "Products such as x²y have a degree above 2."}.get(plane_, "Count the products of powers of x and y that have degree 2 at most, 1 among them, each once: x times y and y times x are one.")
    assert_true(plane_ > 3, "degree 2 in two variables shatters more points than degree 2 in one", of="two variables", hint=advice_)
    assert_true(plane_ % 3 == 0 and plane_ < 9, "the coefficients of \"plane\" each belong to a function of their own", of="two variables", hint=advice_)
### BEGIN HIDDEN TESTS
def span_rank(functions, points):
    """The rank of the values of the functions at random points."""
    return int(torch.linalg.matrix_rank(torch.stack([f(*points) for f in functions], dim=1)))

points_ = torch.randn(2, 40, generator=torch.Generator().manual_seed(464), dtype=torch.float64)
with part(0.5, "all powers, exactly"):
    assert_equal([dimensions["line"], dimensions["quintic"]], [span_rank([lambda x, y, p=p: x ** p for p in range(m)], points_) for m in (2, 6)], "lines and quintics", of="all powers",
                 hint="Each is the number of powers of x that are combined, the power 0 among them.")
with part(0.25, "some powers, exactly"):
    assert_equal([dimensions["even"], dimensions["pure"]], [span_rank([lambda x, y, p=p: x ** p for p in powers_], points_) for powers_ in ((0, 2, 4), (5,))], "even powers, and the fifth power alone", of="some powers",
                 hint="Each is the number of functions that are combined, not a power of x.")
with part(0.25, "two variables, exactly"):
    assert_equal(dimensions["plane"], span_rank([lambda x, y, p=p, r=r: x ** p * y ** r for p in range(3) for r in range(3 - p)], points_), "degree 2 in two variables", of="two variables", hint="It is the number of functions that are combined, each with a coefficient of its own.")
total()
### END HIDDEN TESTS

# %% [markdown] task="4.6.4a" kind="code" minutes=8 difficulty=3 needs="VC dimension, growth function"
# ### Does a rectangle shatter them?
#
# A rectangle with sides parallel to the axes says yes inside and on its border, no outside. Its position and its sides are free. Write `shattered(points)`: for a floating-point tensor of shape `(n, 2)`, n different points, n from 1 to 8, it returns `True` if rectangles can produce all $2^n$ labellings of the points, and `False` otherwise.
#
# (`for chosen in itertools.product([False, True], repeat=3)` runs through all eight rows of three truth values.)
#
# **You are done when**
# - **yes**: `True` comes back where every labelling can be produced;
# - **no**: `False` comes back where a labelling is out of reach, for few points as for many;
# - **type**: the result is a single truth value, `True` or `False`, not a tensor and not a number.

# %% exercise="4.6.4a"
def shattered(points):
    """Whether axis-parallel rectangles produce every labelling of the points (n, 2)."""
    ### BEGIN SOLUTION
    for chosen in itertools.product([False, True], repeat=len(points)):
        yes = torch.tensor(chosen)
        if not yes.any():
            continue                                               # a rectangle beside all points
        low, high = points[yes].min(dim=0).values, points[yes].max(dim=0).values
        inside = ((points >= low) & (points <= high)).all(dim=1)   # the smallest rectangle around the yes
        if not torch.equal(inside, yes):
            return False
    return True
    ### END SOLUTION

# %% [markdown] hints="4.6.4a"
# 1. Some points shall be inside. What is the smallest rectangle that holds them all, and when does it fail?
# 2. `points[yes].min(dim=0).values` has the smallest x and the smallest y of the chosen points. `((points >= low) & (points <= high)).all(dim=1)` tells which points lie inside.
# 3. The points (0, 0), (1, 1), (2, 2): for yes, no, yes the smallest rectangle goes from 0 to 2 and holds all three. So `False`.

# %% check="4.6.4a" points=2
def turned_round():
    """A sentence for an answer that is the opposite each time."""
    found = [shattered(torch.tensor(rows)) for rows in ([[3., 3.]], [[0., 0.], [0., 3.]], [[0., 0.], [1., 1.], [2., 2.]], [[0., 1.], [1., 0.], [0.4, -1.], [-1., 0.3]], [[0., 0.], [1., 0.], [0., 1.], [1., 1.]])]
    return ("Yours is the opposite each time: False for one point, for two points and for four points around the origin, True for (0, 0), (1, 1), (2, 2) and for the corners of a square. "
            "A labelling that is out of reach means False; True comes back where there is none.") if found == [False, False, True, False, True] else ""

@probe
def stopped_by_nothing(points):
    try:
        shattered(points)
    except (IndexError, RuntimeError, ValueError) as error:
        if not any(word in str(error) for word in ("reduction dim", "empty")):
            raise
        return str(error)
    return ""

def counts_only():
    """A sentence for an answer that looks at the number of points alone."""
    found = [shattered(torch.tensor(rows)) for rows in ([[0., 0.], [1., 0.], [0., 1.], [1., 1.]], [[0., 0.], [0., 1.], [0., 2.], [0., 3.]], [[2., 0.], [0., 2.], [-2., 0.], [0., -2.], [0., 0.]],
                                                        [[0., 0.], [1., 2.], [2., 1.], [3., 3.]])]
    return "Yours is True for the corners of a square and for four points above each other, too, and False for five: where the points lie decides, not only how many they are." if found == [True, True, False, True] else ""

for rows_, wanted_, name_, reason_ in (
        ([[3., 3.]], True, "a single point (labels: no yes at all; yes)",
         "Both labellings can be produced: yes by a rectangle that is just this point (its border belongs to it), and no yes at all by "
         "a rectangle beside it."),
        ([[0., 0.], [0., 3.]], True, "two points above each other", "Two different points are always shattered, also where they share a coordinate: each can be held without the other. Inside is what lies inside in x and in y."),
        ([[0., 0.], [1., 1.], [2., 2.]], False, "(0, 0), (1, 1), (2, 2)", "Yes for the two outer ones and no for (1, 1) is out of reach: a rectangle that holds the two holds the third."),
        ([[0., 0.], [1., 2.], [2., 1.], [3., 3.]], False, "(0, 0), (1, 2), (2, 1), (3, 3)", "Yes for (0, 0) and (3, 3), no for the others is out of reach: try all labellings."),
        ([[0., 1.], [1., 0.], [0.4, -1.], [-1., 0.3]], True, "four points around the origin", "Each of the four is the only one so far out in its direction: the smallest rectangle around any others leaves it out."),
        ([[0., 0.], [1., 0.], [0., 1.], [1., 1.]], False, "the corners of a square", "Yes for (0, 0) and (1, 1), no for (1, 0) is out of reach: the border belongs to the rectangle, so it is not enough to share the largest x or the smallest y with another point."),
        ([[0., 0.], [2., 1.], [1., 3.]], True, "(0, 0), (2, 1), (1, 3)", "None of the three lies in the smallest rectangle around the two others."),
        ([[0., 1.], [1., 0.], [0.4, -1.], [-1., 0.3], [0.1, 0.2]], False, "four points around the origin and one in the middle", "Yes for the outer four and no for the one in the middle is out of reach."),
        ([[1., 0.], [1., 2.], [1., 5.]], False, "(1, 0), (1, 2), (1, 5)", "Yes for the lowest and the highest, no for the middle one is out of reach."),
        ([[1., 0.], [0., 0.], [2., 0.]], False, "(1, 0), (0, 0), (2, 0)", "Yes for (0, 0) and (2, 0), no for (1, 0) between them is out of reach: a point that shares the smallest y with others is not beyond them."),
        ([[0., 3.], [0.2, 1.], [3., 0.5], [-3., 2.]], False, "(0, 3), (0.2, 1), (3, 0.5), (-3, 2)", "Yes for the others and no for (0.2, 1) is out of reach: look at every point, not at some.")):
    if len(rows_) == 1:
        stop_ = stopped_by_nothing(torch.tensor(rows_))
        assert_true(len(stop_) == 0, "shattered gives an answer for a single point, not an error", of="yes",
                    hint=f"It stopped with: {stop_} Nothing has no smallest and no largest number. Where no point shall be inside, the labelling can always be produced: pass it over.")
    answer_ = shattered(torch.tensor(rows_))
    assert_type(answer_, (bool,), f"what shattered returns for {name_}", of="type")
    assert_equal(answer_, wanted_, f"shattered for {name_}", of="yes" if wanted_ else "no", hint=lambda: turned_round() or " ".join([reason_, "" if wanted_ else counts_only()]).strip())
### BEGIN HIDDEN TESTS
def by_cuts(points):
    """The same by trying all rectangles with sides at the coordinates."""
    xs, ys = sorted(set(points[:, 0].tolist())), sorted(set(points[:, 1].tolist()))
    made = {tuple(a <= u <= b and c <= v <= d for u, v in points.tolist()) for a in xs for b in xs for c in ys for d in ys} | {(False,) * len(points)}
    return len(made) == 2 ** len(points)

rng = torch.Generator().manual_seed(466)
for n_ in (2, 3, 3, 4, 4, 4, 5, 6):
    for _ in range(3):
        points_ = torch.stack([torch.randperm(9, generator=rng)[:n_], torch.randperm(9, generator=rng)[:n_]], dim=1).double()
        wanted_ = by_cuts(points_)
        answer_ = shattered(points_)
        assert_type(answer_, (bool,), f"what shattered returns for {n_} points", of="type")
        assert_equal(answer_, wanted_, f"shattered for {n_} other points", of="yes" if wanted_ else "no", hint="Look at the smallest rectangle around the points that shall be inside, for every labelling.")
for n_ in (2, 3, 3, 4, 4, 4, 5):
    for _ in range(4):
        points_ = torch.tensor(list(itertools.product(range(4), repeat=2)))[torch.randperm(16, generator=rng)[:n_]].double()
        wanted_ = by_cuts(points_)
        assert_equal(shattered(points_), wanted_, f"shattered for the {n_} points {[tuple(map(int, p)) for p in points_.tolist()]}", of="yes" if wanted_ else "no", hint="Points may share a coordinate, and the border belongs to the rectangle.")
assert_equal(shattered(torch.tensor([[5., 0.], [0., 5.], [-5., 0.5], [0.5, -5.]])), True, "shattered for four other points around the origin", of="yes", hint="Each of the four lies farthest out in a direction of its own.")
### END HIDDEN TESTS

# %% [markdown] task="4.6.4b" kind="explain" minutes=18 difficulty=3 needs="VC dimension, growth function"
# ### The VC dimension of rectangles
#
# What is the VC dimension of rectangles with sides parallel to the axes? Support both halves of your answer.
#
# Set `largest_set`, a tensor of shape `(d, 2)`: d points that rectangles shatter, where d is the VC dimension. And write `out_of_reach(points)`: for a floating-point tensor of shape `(n, 2)` with more points than the VC dimension, all different, it returns a tensor of n truth values (dtype `torch.bool`), a labelling that no rectangle produces
# (`True` is yes).
#
# Then give the proof in words, and say what the answer is for boxes in three dimensions.
#
# **You are done when**
# - **some set**: `largest_set` is shattered, and no larger set is;
# - **every larger set**: `out_of_reach` finds such a labelling for any points, however many, also where several share a coordinate;
# - **form**: it returns one truth value for each point;
#
# and the text proves that the dimension is neither smaller nor larger.

# %% exercise="4.6.4b"
### BEGIN SOLUTION
largest_set = torch.tensor([[1., 0.], [0., 1.], [-1., 0.], [0., -1.]])

def out_of_reach(points):
    """A labelling (n,) that no rectangle produces, for more points than the VC dimension."""
    yes = torch.zeros(len(points), dtype=torch.bool)
    yes[points.argmin(dim=0)] = True               # the leftmost and the lowest
    yes[points.argmax(dim=0)] = True               # the rightmost and the highest
    return yes
### END SOLUTION

# %% [markdown] hints="4.6.4b"
# 1. Which points must be inside, so that the rectangle has to be as large as possible?
# 2. A leftmost, a rightmost, a lowest and a highest point: how many are these at most, and where do all others lie? `points.argmin(dim=0)` gives the row of the smallest x and that of the smallest y.
# 3. For intervals on a line: of three points the two outer ones yes, the middle one no, is out of reach. So 2.

# %% check="4.6.4b" points=2
def holds_a_no(points, yes):
    """Whether the smallest rectangle around the yes holds a no."""
    low, high = points[yes].min(dim=0).values, points[yes].max(dim=0).values
    return bool((((points >= low) & (points <= high)).all(dim=1) & ~yes).any())

def why_in_reach(points, yes):
    """A sentence for a labelling that a rectangle produces."""
    if not yes.any():
        return "Without a yes it is always produced: a rectangle beside all points."
    if yes.all():
        return "With yes for all it is always produced: a large rectangle. Where several points share the smallest x, or lie equally far out on another side, one of them is enough."
    low, high = points[yes].min(dim=0).values.tolist(), points[yes].max(dim=0).values.tolist()
    x, y = points[~yes][0].tolist()
    beyond, ends = zip(*[words for words, holds in ((("left of", "leftmost"), x < low[0]), (("right of", "rightmost"), x > high[0]), (("below", "lowest"), y < low[1]), (("above", "highest"), y > high[1])) if holds])
    return (f"The smallest rectangle around the yes goes from x = {low[0]:g} to {high[0]:g} and from y = {low[1]:g} to {high[1]:g}: it must hold a no, and holds none. "
            f"The no at ({x:g}, {y:g}) lies {' and '.join(beyond)} every yes: with a {' and a '.join(ends)} point of all among the yes no point would.")

largest_ = largest_set
with part(0.75, "some set"):
    assert_type(largest_, torch.Tensor, "largest_set", of="some set")
    assert_equal([largest_.dim(), largest_.shape[-1]], [2, 2], "the number of axes of largest_set, and of its columns", of="some set", hint="A row for each point, with its x and its y.")
    for yes_ in itertools.product([True, False], repeat=min(len(largest_), 9)):
        assert_true(not any(yes_) or len(yes_) == len(largest_) and not holds_a_no(largest_.double(), torch.tensor(yes_)), f"rectangles can give the points of largest_set the labels {yes_}", of="some set",
                    hint="The smallest rectangle around the points with True holds one with False, too.")
    assert_true(len(largest_) > 3, "there is no larger set that is shattered", of="some set", hint="Put one more point where no rectangle around the others reaches it.")
with part(0.5, "every larger set"):
    for rows_, name_ in (([[0., 2.], [2., 0.], [0., -2.], [-2., 0.], [0., 0.]], "a cross of five points"), ([[0., 0.], [1., 1.], [2., 2.], [3., 3.], [4., 4.]], "five points on a slope"),
                         ([[0., 0.], [0., 1.], [0., 2.], [0., 3.], [0., 4.], [0., 5.]], "six points above each other"), ([[3., 1.], [1., 4.], [-2., 0.], [0., -3.], [1., 1.], [-1., 2.], [2., -1.]], "seven points"),
                         ([[0., 10.], [9., 1.], [8., 0.], [7., 2.], [3., 3.], [9., 2.]], "six points, most of them on the right"), ([[i + 0., (3 * i) % 11 + 0.] for i in range(11)], "eleven points"), ([[7., 0.], [8., 4.], [6., 8.], [2., 1.], [1., 5.]], "five points far apart")):
        answer_ = out_of_reach(torch.tensor(rows_))
        assert_type(answer_, torch.Tensor, f"what out_of_reach returns for {name_}", of="form")
        assert_shape(answer_, (len(rows_),), f"the shape for {name_}", of="form", hint="One truth value for each of the points, in their order." + (
            "" if answer_.dtype in (torch.bool, torch.float32, torch.float64) else " Yours are whole numbers: if these are the rows of points, begin with False for all, and set True in these rows."))
        assert_dtype(answer_, torch.bool, f"the dtype for {name_}", of="form")
        reached_ = not (bool(answer_.any()) and holds_a_no(torch.tensor(rows_), answer_))
        assert_true(not reached_, f"no rectangle produces the labels {answer_.tolist()} for {name_}", of="every larger set", hint=lambda: why_in_reach(torch.tensor(rows_), answer_) if reached_ else "")
### BEGIN HIDDEN TESTS
with part(0.25, "some set, once more"):
    assert_shape(largest_, (4, 2), "the shape of largest_set: a row for each of as many points as the VC dimension", of="some set")
    for row_, others_ in ((largest_[i].tolist(), torch.cat([largest_[:i], largest_[i + 1:]]).tolist()) for i in range(4)):
        assert_true(any(row_[j] < min(p[j] for p in others_) or row_[j] > max(p[j] for p in others_) for j in (0, 1)), f"the point {tuple(row_)} of largest_set lies beyond all others in some direction", of="some set",
                    hint="If not, every rectangle around the others holds it.")
with part(0.5, "every larger set, other points"):
    rng = torch.Generator().manual_seed(467)
    for n_ in (5, 5, 6, 9, 30):
        for scale_ in (1, 100):
            points_ = torch.unique(torch.randint(-4 * scale_, 5 * scale_, (n_ + 20, 2), generator=rng), dim=0)
            points_ = points_[torch.randperm(len(points_), generator=rng)[:n_]].double()
            answer_ = out_of_reach(points_)
            assert_shape(answer_, (n_,), f"the shape for {n_} other points", of="form")
            assert_dtype(answer_, torch.bool, f"the dtype for {n_} other points", of="form")
            reached_ = not (bool(answer_.any()) and holds_a_no(points_, answer_))
            assert_true(not reached_, f"no rectangle produces these labels for {n_} other points", of="every larger set", hint=lambda: why_in_reach(points_, answer_) if reached_ else "")
total()
### END HIDDEN TESTS

# %% [markdown] written="4.6.4b" points=3
# ### BEGIN SOLUTION
# It is 4.
#
# *Four can be shattered.* Take one point to the right, one above, one to the left, one below the origin, all at distance 1. Choose any of them, and draw the smallest rectangle around these. A point that was not chosen is the only one that lies so far
# out in its direction, so the rectangle does not reach it. No point at all is a rectangle elsewhere. That makes all 16 labellings. (Not every four points will do: the corners of a square fail. One such set is enough.)
#
# *Five cannot.* Of any five points take a leftmost, a rightmost, a lowest and a highest one. These are at most four, so at least one point is left over. Label the extreme ones yes, the others no. Every rectangle that holds the extreme ones reaches from the smallest to the largest x and from the smallest to the
# largest y of all points. So it holds all points, those with a no as well. This labelling is out of reach, whatever the five points are. The same holds for more points.
#
# In three dimensions there are six directions, so six extreme points: the VC dimension of boxes is 6, in d dimensions 2d. Here it equals the number of parameters (two for each axis), but that had to be proved.
#
# **Rubric**
# - [1] The answer 4, with four concrete points and a reason (or a complete check) that every labelling is possible; lost by the claim that *all* sets of four are shattered.
# - [1] For *any* five points: the extreme ones yes, the rest no, and every rectangle around the extreme ones holds the rest; also accepted: the smallest rectangle around all points, and a point that does not define it; lost by trying one set of five points.
# - [1] 6 for boxes in three dimensions (or 2d), with the argument of the directions or extreme points; lost by a number without any reason.
# ### END SOLUTION

# %% [markdown]
# ## Summary
#
# - The test error of a fixed classifier is a share of heads: right on average, with standard deviation $\sqrt{\varepsilon(1 - \varepsilon)/n}$. To within 0.01 with probability 0.95 takes 9,604 examples by the central limit theorem (an estimate), 18,445 by Hoeffding (a promise).
# - One side or two, and the worst variance or a known one, are part of the question. Say which you mean.
# - k classifiers fixed in advance cost only log k. A classifier that depends on earlier scores can cost everything: n scores give away n labels.
# - For all classifiers of a class at once, count labellings: $2^n$ up to the VC dimension, a polynomial after. For signs of weighted sums of m functions, none of them a weighted sum of the others, it is m; for rectangles it is 4. The resulting bounds are true, and for large models empty.
# - All of this needs test examples from the source on which the classifier will be used. Section 4.7 asks what happens if they are not. Section 5.5 asks why large networks generalise all the same.
