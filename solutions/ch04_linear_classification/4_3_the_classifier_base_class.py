# %% [markdown]
# # 4.3 The base classification model
#
# All classifiers of this book share three things, whatever network they have inside: scores become a class, a batch gets
# a loss and an *accuracy*, and validation reports both. `d2l.Classifier` holds them. This section builds such a class,
# counts carefully, and asks when the class with the largest score is not the one to choose.

# %% tags=["setup"]
from d2l_utils.check import *
import itertools
import math
import torch
from torch import nn
import d2l_utils as d2l

# %% [markdown]
# ## Recap
#
# ### From scores to classes
#
# For a batch of n examples a classifier returns scores `Y_hat` of shape (n, classes): *logits*, which may be any number,
# or probabilities. The predicted class is the position of the largest score in each row. Accuracy is the share of rows
# where that is the label.

# %%
Y_hat = torch.tensor([[2.0, -1.0, 0.5], [0.1, 0.2, -0.3], [-4.0, -3.0, -3.5], [1.0, 0.0, 3.0]])
Y = torch.tensor([0, 2, 1, 2])
classes = Y_hat.argmax(dim=1)
hits = classes == Y
classes, hits, hits.float().mean()

# %% [markdown]
# The scores are not compared with anything but each other: adding a number to all scores of a row, or multiplying them by
# a positive one, leaves the class as it is. `softmax` does not change it either.
#
# ### Why the training does not use the accuracy
#
# Accuracy is what we want, and useless for gradient descent: a small change of a weight changes no prediction at almost
# all points, so its gradient is zero wherever it exists. The cross-entropy -log p(label) is smooth and falls as the label
# becomes more probable. Two classes, as a function of the *margin*, the score of the label minus the other score:

# %% tags=["demo"]
margin = torch.linspace(-3, 3, 301)
d2l.plot(margin, [(margin <= 0).float(), torch.log2(1 + torch.exp(-margin))], "margin", "loss",
         legend=["error: 1 - accuracy", "cross-entropy, in bits"], figsize=(4.5, 2.5))

# %% [markdown]
# The cross-entropy in bits lies above the error everywhere, so a small cross-entropy forces a small error. The reverse
# does not hold: a single example with a very negative margin costs one error, but any amount of cross-entropy. In the
# curves of a training the loss may therefore rise while the accuracy stays.
#
# ### The base class
#
# `d2l.Classifier` is a `d2l.Module` (section 3.2) with three methods more:

# %%
import inspect

print(inspect.getsource(d2l.Classifier.validation_step))
print(inspect.getsource(d2l.Classifier.accuracy))
print(inspect.getsource(d2l.Classifier.loss))

# %% [markdown]
# The optimizer comes from `d2l.Module`: stochastic gradient descent with the learning rate `self.lr`. So a subclass only
# says what its network is. Three epochs of one linear layer on the whole of Fashion-MNIST:

# %% tags=["demo"]
torch.manual_seed(0)
data = d2l.FashionMNIST(batch_size=256)
model, trainer = d2l.SoftmaxRegression(num_outputs=10, lr=0.1), d2l.Trainer(max_epochs=3)
trainer.fit(model, data)

# %% tags=["demo"]
trainer.history.to_frame().round(4)

# %% [markdown]
# ### Averages of averages
#
# Validation goes batch by batch, and each batch gives a mean. ⚠ The mean of these means is the mean over the examples
# only if all batches are equally long. With 10,000 pictures in batches of 256 the last batch has 16, and each of those
# 16 weighs sixteen times as much as any other. `Trainer` weights each batch by its number of examples. Here is one model,
# with both kinds of mean, for several batch sizes:

# %% tags=["demo"]
X, y = data.val[torch.arange(10_000)]
with torch.no_grad():
    losses = model.loss(model(X), y, averaged=False)
print(f"mean over the 10,000 examples: {losses.mean():.6f}")
for batch_size in (16, 64, 256, 3000, 4096, 9999):
    batches = losses.split(batch_size)
    quick = torch.stack([b.mean() for b in batches]).mean()
    print(f"batch size {batch_size:5}, last batch {len(batches[-1]):5}: mean of the means {quick:.6f}")

# %% [markdown]
# The model is the same in every line. The quick mean depends on the batch size, and in the last line one single picture
# decides half of it.
#
# ### Labels of shape (n, 1)
#
# ⚠ Some files and loaders give labels as a column. A column against a row broadcasts (section 2.1): comparing (n,) with
# (n, 1) asks *every* prediction about *every* label, raises nothing, and its mean is a plausible number.

# %%
column = Y.reshape(-1, 1)
wrong = classes == column
print("shape of the comparison:", tuple(wrong.shape), " mean:", wrong.float().mean().item())
print("with reshape(-1):       ", tuple((classes == column.reshape(-1)).shape), " mean:",
      (classes == column.reshape(-1)).float().mean().item())

# %% [markdown]
# ## Exercises
#
# ### The exact mean

# %% [markdown] task="4.3.1" kind="code" minutes=12 difficulty=3 core=true
# ### From the quick mean to the exact one
#
# A program has printed the quick estimate of the validation loss: the mean of the batch means. You also know the
# mean loss on the last batch, and that no other batch is smaller than the batch size.
#
# Write `exact_mean(quick, last, num_examples, batch_size)`. `quick` is the mean of the batch means, `last` the mean of
# the last batch. It returns the mean over all examples. If `batch_size` divides `num_examples`, the last batch is full;
# if there are fewer examples than `batch_size`, it is the only one. No example is dropped.
#
# **You are done when** the check shows 2 for the losses (1, 1, 1, 5) in batches of 3, whose quick mean is 3, and the
# quick mean itself where all batches are full.

# %% exercise="4.3.1"
def exact_mean(quick, last, num_examples, batch_size):
    """The mean over all examples, from the mean of the batch means and the mean of the last batch."""
    ### BEGIN SOLUTION
    batches = math.ceil(num_examples / batch_size)
    in_last = num_examples - (batches - 1) * batch_size
    others = batches * quick - last                 # the sum of the means of the full batches
    return (batch_size * others + in_last * last) / num_examples
    ### END SOLUTION

# %% [markdown] hints="4.3.1"
# 1. How do you get the *sum* of the batch means from `quick`, and from that the sum over the full batches?
# 2. A batch of r examples with mean m contributes r · m to the sum over the examples. `n % b` is 0, not b, where b
#    divides n.
# 3. Three groups of 10, 10 and 4 people have mean ages whose mean is 30; the small group's mean is 18. The other two
#    means add up to 90 - 18 = 72, so the ages add up to 10 · 72 + 4 · 18 = 792, and the mean age is 33.

# %% check="4.3.1" points=2
assert_close(exact_mean(3.0, 5.0, 4, 3), 2.0, "losses (1, 1, 1, 5) in batches of 3",
             mistakes={"This is the quick mean.": 3.0,
                       "`quick` is the mean over all batches, the last one included: how many are there?": 3.5})
assert_close(exact_mean(1.5, 2.0, 4, 2), 1.5, "losses (1, 1, 2, 2) in batches of 2",
             hint="How many examples has the last batch if the batch size divides their number?")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(31)
for n, b in ((10, 4), (12, 5), (7, 7), (3, 8), (24, 6), (11, 1), (1000, 256)):
    sample = torch.randn(n, generator=rng, dtype=torch.float64).square() - 0.3
    means = [part_.mean().item() for part_ in sample.split(b)]
    assert_close(exact_mean(sum(means) / len(means), means[-1], n, b), sample.mean().item(), f"{n} examples in batches of {b}",
                 mistakes={"This is the quick mean.": sum(means) / len(means)},
                 hint="Count the batches and the rows of the last one.")
assert_close(exact_mean(torch.tensor(2.0), torch.tensor(1.0), 5, 2), 2.2, "tensors, 5 examples in batches of 2")
### END HIDDEN TESTS

# %% [markdown] task="4.3.2" kind="explain" minutes=25 difficulty=4
# ### Right on average
#
# The quick estimate is *unbiased*: its expected value is the right one. See it on small sets first.
#
# Write `quick_over_orders(losses, batch_size)`. `losses` is a `float64` tensor of shape (n,) with 2 ≤ n ≤ 7, the losses of
# n examples. All n! orders of the examples are equally likely. In each order the examples are cut into batches of
# `batch_size`, the last one possibly smaller, and the quick estimate is the mean of the batch means. It returns the pair
# (mean, variance) of the quick estimate over all n! orders. The variance is the mean of the squared deviations from that
# mean.
#
# Then answer in words:
# 1. Show that E[quick] = E[exact] if the n examples are drawn independently from one distribution.
# 2. Your function shows a weaker thing without any assumption on the losses. Which one?
# 3. Why is the exact mean preferred all the same? Give two reasons, one of them with numbers from your function.
#
# **You are done when** the check finds the mean and the variance for three examples in batches of 2, which you can list
# by hand.

# %% exercise="4.3.2"
def quick_over_orders(losses, batch_size):
    """Mean and variance of the mean of batch means over all orders of the examples."""
    ### BEGIN SOLUTION
    orders = torch.tensor(list(itertools.permutations(range(len(losses)))))
    batches = losses[orders].split(batch_size, dim=1)
    quick = torch.stack([batch.mean(dim=1) for batch in batches]).mean(dim=0)
    return quick.mean(), quick.var(correction=0)
    ### END SOLUTION

# %% [markdown] hints="4.3.2"
# 1. What does `list(itertools.permutations([0, 1, 2]))` give, and how do you index `losses` with one of its entries?
# 2. `t.split(2)` cuts a tensor into batches of 2. `t.var(correction=0)` divides by the number of values, `t.var()` by one
#    less.
# 3. The mean of the *first* of three values over all orders: each value comes first in 2 of 6 orders, so it is the mean
#    of the values. Its variance is that of the values.

# %% check="4.3.2" points=2
by_hand = quick_over_orders(torch.tensor([0., 0., 3.], dtype=torch.float64), 2)
assert_equal(len(by_hand), 2, "the number of values returned")
assert_close(by_hand[0], 1.0, "the mean over the orders of the losses (0, 0, 3) in batches of 2")
assert_close(by_hand[1], 0.125, "the variance over the orders of the losses (0, 0, 3) in batches of 2",
             mistakes={"This divides by the number of orders minus 1.": 0.15,
                       "This is the standard deviation: the variance is its square.": 0.125 ** 0.5,
                       "The exact mean is the same in all orders; the mean of the batch means is not.": 0.0})
### BEGIN HIDDEN TESTS
def by_weights(losses, batch_size):
    """Each place has a weight; the variance of a weighted sum under a random permutation is known."""
    n = len(losses)
    rows = [len(b) for b in losses.split(batch_size)]
    weights = torch.tensor([1 / (len(rows) * r) for r in rows for _ in range(r)], dtype=torch.float64)
    return losses.mean().item(), (losses.var() * (weights.square().sum() - 1 / n)).item()

rng = torch.Generator().manual_seed(32)
for n, b in ((4, 3), (5, 2), (6, 4), (7, 5), (6, 3), (2, 5), (7, 3)):
    sample = torch.randn(n, generator=rng, dtype=torch.float64) * 2 + 1
    mean_, variance_ = by_weights(sample, b)
    answer = quick_over_orders(sample, b)
    assert_close(answer[0], mean_, f"the mean for {n} examples in batches of {b}", rtol=1e-6, atol=1e-8)
    assert_close(answer[1], variance_, f"the variance for {n} examples in batches of {b}", rtol=1e-6, atol=1e-8,
                 hint="All orders count, and so does the last, smaller batch.")
### END HIDDEN TESTS

# %% [markdown] written="4.3.2" points=4
# ### BEGIN SOLUTION
# 1. Let the losses l₁, ..., lₙ be drawn independently from one distribution, with expected value μ. A batch with r examples
#    has the mean (1/r) Σ lᵢ, whose expected value is (1/r) · r · μ = μ, whatever r is. The mean of m such means has the
#    expected value (1/m) · m · μ = μ. The exact mean has it too, as (1/n) · n · μ = μ. Only linearity of the expectation
#    was used, so a smaller last batch does no harm.
# 2. For *fixed* losses the mean of the quick estimate over all orders is the exact mean of these losses. So shuffling
#    makes the estimate unbiased even where the examples are not drawn independently: each example is equally likely
#    to be in each place. Without shuffling, for one fixed order, the estimate is simply off.
# 3. Variance: under independent draws with variance σ² the exact mean has σ²/n, the quick one σ² Σ wᵢ² with weights wᵢ
#    that are not all equal, which is more. For the losses (0, 0, 3) in batches of 2 the quick estimate is 0.75 or 1.5 over
#    the orders, with variance 0.125, while the exact mean is always 1. Reproducibility: the quick estimate changes with
#    the batch size and the order, so two models, or one model on two machines, are compared by different yardsticks.
#    The exact mean costs nothing more: only the counts have to be kept.
#
# **Rubric**
# - [1] Expected value of a batch mean is μ for any batch length, then linearity for the mean of the means; evidence: the
#   two lines of algebra; also accepted: the weights add up to 1; lost by: "because the batches are equally large"
# - [1] Over all orders the quick estimate has the exact mean as its mean, for fixed losses, so the shuffle alone makes it
#   unbiased; lost by: "it is always equal to the exact mean"
# - [1] The exact mean varies less; evidence: a variance from the function against 0, or Σ wᵢ² > 1/n; lost by: "the quick
#   estimate is biased"
# - [1] It does not depend on batch size or order, so that models can be compared; also accepted: a single example in the
#   last batch may decide a large share
# ### END SOLUTION

# %% [markdown]
# ### The class to choose
#
# A model says how probable the classes are. What to *do* is another question, and its answer depends on what the mistakes
# cost. For two classes, sick with probability p and healthy, and three actions, the expected costs are straight lines.
# Costs in this example: a missed illness 10, a needless treatment 2, a further test 1 in either case.

# %% tags=["demo"]
p = torch.linspace(0, 1, 101)
d2l.plot(p, [10 * p, 2 * (1 - p), torch.ones(101)], "probability of the illness p", "expected cost",
         legend=["send home", "treat", "test again"], ylim=(0, 4), figsize=(4.5, 2.5))

# %% [markdown]
# The best action is the lowest line. At p = 0.3 that is the test, although "healthy" is more than twice as probable as
# "sick".

# %% [markdown] task="4.3.3a" kind="code" minutes=12 difficulty=3 core=true
# ### The smallest expected cost
#
# Write `best_actions(P, cost)`. `P` has shape (n, classes): in each row the probabilities of the classes for one example.
# `cost` has shape (classes, actions): `cost[y, a]` is the cost of action `a` when the class is `y`. There may be more or
# fewer actions than classes. It returns, for each example, the number of the action with the smallest expected cost:
# `int64`, shape (n,).
#
# **You are done when** the check shows the three actions of the picture for p = 0.05, 0.3 and 0.6.

# %% exercise="4.3.3a"
def best_actions(P, cost):
    """The action with the smallest expected cost for each example: (n, classes), (classes, actions) -> (n,)."""
    ### BEGIN SOLUTION
    return (P @ cost).argmin(dim=1)
    ### END SOLUTION

# %% [markdown] hints="4.3.3a"
# 1. What is the expected cost of action a for one example, as a sum over the classes?
# 2. The sum over a shared axis, for all examples and all actions at once, is a matrix product (n, classes) @ (classes,
#    actions).
# 3. Rain with probability 0.4; an umbrella costs 1 in any weather, getting wet 3: with the umbrella 1, without it
#    0.4 · 3 = 1.2. Take the umbrella, though it will probably stay dry.

# %% check="4.3.3a" points=2
clinic = torch.tensor([[0., 2., 1.], [10., 0., 1.]])        # rows: healthy, sick; columns: home, treat, test
people = torch.tensor([[0.95, 0.05], [0.7, 0.3], [0.4, 0.6]])
assert_shape(best_actions(people, clinic), (3,), "the shape for three people")
assert_dtype(best_actions(people, clinic), torch.int64, "the dtype")
assert_equal(best_actions(people, clinic), [0, 2, 1], "the actions for p = 0.05, 0.3, 0.6",
             mistakes={"These are the most probable classes; their costs were not asked.": [0, 0, 1],
                       "This is the dearest action.": [1, 0, 0]})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(33)
for n, k, a, kind in ((6, 3, 5, torch.float32), (40, 4, 2, torch.float64), (30, 3, 3, torch.float32), (1, 5, 4, torch.float64)):
    P_ = torch.rand(n, k, generator=rng, dtype=torch.float64)
    P_ = (P_ / P_.sum(dim=1, keepdim=True)).to(kind)
    cost_ = (torch.rand(k, a, generator=rng, dtype=torch.float64) * 9 - 2).to(kind)
    expected = torch.tensor([min(range(a), key=lambda j: sum(float(P_[i, c] * cost_[c, j]) for c in range(k)))
                             for i in range(n)])
    assert_shape(best_actions(P_, cost_), (n,), f"the shape for {n} examples, {k} classes, {a} actions")
    assert_close(best_actions(P_, cost_), expected, f"the actions for {n} examples, {k} classes, {a} actions",
                 hint="Rows of `cost` are classes, columns are actions; all classes count.")
certain = torch.eye(3)[[2, 0, 1, 1]]
assert_equal(best_actions(certain, 1 - torch.eye(3)), [2, 0, 1, 1], "cost 1 for any mistake, and certain predictions")
### END HIDDEN TESTS

# %% [markdown] task="4.3.3b" kind="code" minutes=10 difficulty=3
# ### The threshold of two classes
#
# With two classes and two actions the rule is a threshold on the probability of class 1.
#
# Write `threshold(cost)` for `cost` of shape (2, 2), rows classes, columns actions. It returns, as a number or a tensor of
# one entry, the probability p of class 1 at which both actions have the same expected cost. For a larger p action 1 is
# the cheaper one. You may take for granted that `cost[0, 1] > cost[0, 0]` and `cost[1, 0] > cost[1, 1]`; the right
# decisions may cost something, too.
#
# **You are done when** the check shows 1/2 for equal costs of both mistakes and 1/6 for the costs 2 and 10 of the picture.

# %% exercise="4.3.3b"
def threshold(cost):
    """The probability of class 1 from which on action 1 is the cheaper one; cost is (2, 2)."""
    ### BEGIN SOLUTION
    false_alarm = cost[0, 1] - cost[0, 0]
    miss = cost[1, 0] - cost[1, 1]
    return false_alarm / (false_alarm + miss)
    ### END SOLUTION

# %% [markdown] hints="4.3.3b"
# 1. What are the two expected costs as functions of p? Where are they equal?
# 2. Action 0 costs (1 - p) · cost[0, 0] + p · cost[1, 0]. An equation a + p · b = c + p · d has the solution
#    p = (c - a) / (b - d).
# 3. For the umbrella: 1 = 3p gives the threshold 1/3.

# %% check="4.3.3b" points=1
assert_close(threshold(torch.tensor([[0., 1.], [1., 0.]])), 0.5, "both mistakes cost 1",
             mistakes={"This is the ratio of the costs, which is odds: a probability is wanted.": 1.0})
assert_close(threshold(torch.tensor([[0., 2.], [10., 0.]])), 1 / 6, "a needless treatment 2, a missed illness 10",
             mistakes={"This is the threshold for the other class.": 5 / 6,
                       "These are odds: a probability of 1/6 is odds of 1 to 5.": 0.2})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(34)
for _ in range(4):
    base = torch.rand(2, 2, generator=rng, dtype=torch.float64) * 3 - 1
    base[0, 1] = base[0, 0] + 0.2 + 4 * torch.rand((), generator=rng).item()
    base[1, 0] = base[1, 1] + 0.2 + 4 * torch.rand((), generator=rng).item()
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        costs = torch.tensor([1 - middle, middle], dtype=torch.float64) @ base
        low, high = (middle, high) if costs[0] < costs[1] else (low, middle)
    assert_close(threshold(base), low, "costs where the right decisions are not free", hint="What counts is the difference.")
### END HIDDEN TESTS

# %% [markdown]
# ### Accuracy
#
# The four rows of the recap again, under names that the checks use:

# %% tags=["setup"]
scores = torch.tensor([[2.0, -1.0, 0.5], [0.1, 0.2, -0.3], [-4.0, -3.0, -3.5], [1.0, 0.0, 3.0]])
labels = torch.tensor([0, 2, 1, 2])

# %% [markdown] task="4.3.4" kind="code" minutes=12 difficulty=3 core=true
# ### Accuracy, averaged or not
#
# Write `accuracy(Y_hat, Y, averaged=True)`. `Y_hat` has shape (n, classes), or more axes with the classes in the last one,
# as (n, words, classes). `Y` holds the labels, of any integer dtype; its shape is that of `Y_hat` without the last axis,
# or a column (n, 1) for scores of shape (n, classes). With `averaged=True` it returns the share of hits as a tensor of
# one entry; else a floating point tensor with one entry for each label, 1 for a hit and 0 for a miss, flattened to one
# axis.
#
# **You are done when** the check shows 3/4 for the four rows of the recap, with labels as a vector and as a column, and
# their hits one by one.

# %% exercise="4.3.4"
def accuracy(Y_hat, Y, averaged=True):
    """The share of labels with the largest score, or 1 and 0 for each label."""
    ### BEGIN SOLUTION
    predicted = Y_hat.reshape(-1, Y_hat.shape[-1]).argmax(dim=1)
    hits = (predicted == Y.reshape(-1)).float()
    return hits.mean() if averaged else hits
    ### END SOLUTION

# %% [markdown] hints="4.3.4"
# 1. Which shape do predictions and labels need, so that comparing them compares pairs?
# 2. `reshape(-1)` makes one axis of all; `reshape(-1, k)` keeps the last axis if its length is k. A mask has no mean:
#    `float()` first.
# 3. The share of even numbers: `(t.reshape(-1) % 2 == 0).float().mean()`.

# %% check="4.3.4" points=2
assert_close(accuracy(scores, labels), 0.75, "the accuracy of four rows", mistakes={"This is a sum, not a share.": 3.0})
assert_close(accuracy(scores, labels.reshape(-1, 1)), 0.75, "the accuracy with labels of shape (4, 1)",
             mistakes={"Every prediction was compared with every label: a row against a column broadcasts.": 0.3125})
assert_close(accuracy(scores, labels, averaged=False), torch.tensor([1., 0., 1., 1.]), "the hits, one by one")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(35)
for n, k, kind, dtype in ((7, 4, torch.uint8, torch.float32), (5, 5, torch.int32, torch.float64), (12, 3, torch.int64, torch.float16)):
    S = torch.randn(n, k, generator=rng).to(dtype)
    L = torch.where(torch.rand(n, generator=rng) < 0.6, S.argmax(1), torch.randint(0, k, (n,), generator=rng)).to(kind)
    wanted = torch.tensor([float(max(range(k), key=S[i].tolist().__getitem__) == int(L[i])) for i in range(n)])
    words = f"scores ({n}, {k}) {str(dtype)[6:]}, labels {str(kind)[6:]}"
    assert_close(accuracy(S, L), wanted.mean().item(), f"the accuracy for {words}", rtol=1e-3)
    assert_close(accuracy(S, L[:, None]), wanted.mean().item(), f"the accuracy for {words} of shape (n, 1)", rtol=1e-3,
                 hint="A row against a column broadcasts.")
    assert_shape(accuracy(S, L[:, None], averaged=False), (n,), f"the shape of the hits for {words} of shape (n, 1)")
    assert_close(accuracy(S, L, averaged=False), wanted, f"the hits for {words}")
S = -torch.rand(4, 3, 6, generator=rng) - 1
L = torch.where(torch.rand(4, 3, generator=rng) < 0.5, S.argmax(2), torch.randint(0, 6, (4, 3), generator=rng))
wanted = (S.flatten(0, 1).argmax(1) == L.flatten()).float()
assert_close(accuracy(S, L), wanted.mean().item(), "the accuracy for scores (4, 3, 6), all negative",
             hint="The classes are in the last axis.")
assert_close(accuracy(S, L, averaged=False), wanted, "the hits for scores (4, 3, 6)")
### END HIDDEN TESTS

# %% [markdown]
# ⚠ `argmax` has to choose when several scores are equal. In torch 2 it takes the first of them. Rounded scores, scores in
# 8 bits and constant predictors have many ties, and then the accuracy depends on how the classes are numbered:

# %%
constant = torch.zeros(6, 3)
for numbers in ([0, 0, 0, 1, 1, 2], [2, 2, 2, 1, 1, 0]):
    print("labels", numbers, "accuracy of a constant:", d2l.Classifier().accuracy(constant, torch.tensor(numbers)).item())

# %% [markdown] task="4.3.5" kind="code" minutes=12 difficulty=3
# ### Ties
#
# Write `fair_accuracy(Y_hat, Y)` for scores (n, classes) and labels (n,). A row whose largest score occurs t times counts
# 1/t if the label is one of these t classes, else 0. That is the accuracy to be expected if ties are broken by lot. It
# returns the mean over the rows, a tensor of one entry or a number.
#
# **You are done when** the check shows 1/3 for a constant predictor of three classes, and the usual accuracy where there
# are no ties.

# %% exercise="4.3.5"
def fair_accuracy(Y_hat, Y):
    """The expected accuracy if ties are broken by lot: (n, classes), (n,) -> a number."""
    ### BEGIN SOLUTION
    best = Y_hat == Y_hat.max(dim=1, keepdim=True).values
    hit = best.gather(1, Y.reshape(-1, 1)).squeeze(1)
    return (hit / best.sum(dim=1)).mean()
    ### END SOLUTION

# %% [markdown] hints="4.3.5"
# 1. Which mask of shape (n, classes) says where the largest score of its row stands?
# 2. `X.max(dim=1, keepdim=True).values` has shape (n, 1), so it compares with every entry of its row.
#    `X[torch.arange(n), Y]` picks the entry Y[i] of each row i.
# 3. For the *smallest*: `(X == X.min(dim=1, keepdim=True).values).sum(dim=1)` counts how often it occurs.

# %% check="4.3.5" points=2
assert_close(fair_accuracy(torch.zeros(4, 3), torch.tensor([0, 0, 1, 2])), 1 / 3, "a constant predictor of three classes",
             mistakes={"Here the first of equal scores was taken.": 0.5, "Here every tie counts as a hit.": 1.0,
                       "Here every tie counts as a miss.": 0.0})
assert_close(fair_accuracy(scores, labels), 0.75, "four rows without ties")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(36)
for n, k in ((9, 4), (40, 3), (5, 6)):
    S = torch.randint(-2, 2, (n, k), generator=rng).float()
    L = torch.randint(0, k, (n,), generator=rng)
    wanted = 0.0
    for row, label in zip(S.tolist(), L.tolist()):
        wanted += (row[label] == max(row)) / row.count(max(row)) / n
    assert_close(fair_accuracy(S, L), wanted, f"{n} rows of {k} scores from -2 to 1")
assert_close(fair_accuracy(torch.tensor([[-5., -1., -1.]]), torch.tensor([0])), 0.0, "a tie in which the label has no part")
### END HIDDEN TESTS

# %% [markdown]
# ### Break it
#
# Six people wrote the accuracy. All six agree on the examples that they tried.

# %% tags=["setup"]
def accuracy_1(Y_hat, Y):
    return (Y_hat.argmax(dim=1) == Y.reshape(-1)).float().mean()


def accuracy_2(Y_hat, Y):
    return (Y_hat.argmax(dim=1) == Y).float().mean()


def accuracy_3(Y_hat, Y):
    return (Y_hat.argmax(dim=1) == Y.reshape(-1)).float().sum() / Y_hat.shape[1]


def accuracy_4(Y_hat, Y):
    return (Y_hat.abs().argmax(dim=1) == Y.reshape(-1)).float().mean()


def accuracy_5(Y_hat, Y):
    return (Y_hat.round().argmax(dim=1) == Y.reshape(-1)).float().mean()


def accuracy_6(Y_hat, Y):
    P = torch.softmax(Y_hat, dim=1)
    return (P[torch.arange(len(P)), Y.reshape(-1)] > 0.5).float().mean()


def exposes(function, Y_hat, Y):
    """Whether the function gives another number than the share of hits for (Y_hat, Y)."""
    truth = sum(row.index(max(row)) == int(label) for row, label in zip(Y_hat.tolist(), Y.reshape(-1))) / len(Y_hat)
    return abs(float(function(Y_hat, Y)) - truth) > 1e-6

# %% [markdown] task="4.3.6" kind="break it" minutes=15 difficulty=3
# ### Five wrong accuracies
#
# `accuracy_1` is right. Each of the other five is wrong for some scores and labels, by another mistake.
#
# Hand in `cases`, a list of one to three pairs `(Y_hat, Y)`, such that each wrong function gives a wrong number for at
# least one of them. `Y_hat` is `float32` of shape (n, k) with 1 ≤ n ≤ 20 and 2 ≤ k ≤ 10, finite, and in no row does the
# largest score occur twice. `Y` is `int64`, of shape (n,) or (n, 1), with labels from 0 to k - 1.
# `exposes(accuracy_2, Y_hat, Y)` tells whether a case exposes a function.
#
# **You are done when** the check accepts the cases and one of them exposes `accuracy_2`. Each bug found earns half a point.

# %% exercise="4.3.6"
### BEGIN SOLUTION
cases = [(torch.tensor([[0.1, 0.2, 0.0], [-3.0, 1.0, 2.0]]), torch.tensor([[1], [2]]))]
### END SOLUTION

# %% [markdown] hints="4.3.6"
# 1. Take the functions one by one. In which step does each differ from `accuracy_1`, and when does the step not matter?
# 2. A label of shape (n,) never exposes `accuracy_2`. Scores may be negative, close together, and spread over several
#    classes; n and k may differ.
# 3. For two versions of a mean, `x.sum() / len(x)` and `x.sum() / 4`, any vector of length other than 4 whose sum is not
#    0 tells them apart.

# %% check="4.3.6" points=2.5
assert_type(cases, (list, tuple), "cases")
assert_true(1 <= len(cases) <= 3, "cases holds one to three pairs")
for number_, pair_ in enumerate(cases, 1):
    assert_equal(len(pair_), 2, f"the length of case {number_}")
    S, L = pair_
    assert_dtype(S, torch.float32, f"the dtype of Y_hat in case {number_}")
    assert_dtype(L, torch.int64, f"the dtype of Y in case {number_}")
    assert_true(S.ndim == 2 and 1 <= S.shape[0] <= 20 and 2 <= S.shape[1] <= 10, f"case {number_}: Y_hat has shape (n, k), n to 20, k to 10")
    assert_true(tuple(L.shape) in ((len(S),), (len(S), 1)), f"case {number_}: Y has shape (n,) or (n, 1)")
    assert_true(bool(S.isfinite().all()) and bool(((L >= 0) & (L < S.shape[1])).all()),
                f"case {number_}: scores are finite, labels 0 to k - 1")
    assert_true(bool(((S == S.max(dim=1, keepdim=True).values).sum(dim=1) == 1).all()),
                f"case {number_}: no row has its largest score twice")
assert_true(any(exposes(accuracy_2, S, L) for S, L in cases), "one of the cases exposes accuracy_2",
            hint="It compares with Y as it comes: see the recap on labels of shape (n, 1).")
### BEGIN HIDDEN TESTS
for function_ in (accuracy_2, accuracy_3, accuracy_4, accuracy_5, accuracy_6):
    with part(0.5, f"the bug of {function_.__name__}"):
        assert_true(any(exposes(function_, S, L) for S, L in cases), f"one of the cases exposes {function_.__name__}")
total()
### END HIDDEN TESTS

# %% [markdown]
# ### Your own base class

# %% [markdown] task="4.3.7" kind="code" minutes=20 difficulty=4 core=true
# ### A classifier that reports two accuracies
#
# Write the class `TopTwoClassifier(d2l.Module)`, from `d2l.Module` and not from `d2l.Classifier`. Its output `Y_hat` has
# shape (n, classes), its labels (n,) or (n, 1).
#
# - `loss(self, Y_hat, Y, averaged=True)` is the cross-entropy of logits: its mean, or one for each row.
# - `validation_step(self, batch)` puts three metrics of the batch on the board with `self.plot(key, value, train=False)`:
#   `"loss"`, `"acc"`, the accuracy, and `"top2"`, the share of rows whose label has one of the two largest scores.
#
# A subclass sets `self.net` and `self.lr`; training step and optimizer come from `d2l.Module`.
#
# **You are done when** the check trains a small subclass and finds `val_loss`, `val_acc` and `val_top2` in the history of
# the trainer.

# %% exercise="4.3.7"
class TopTwoClassifier(d2l.Module):
    """A base class of classifiers that reports loss, accuracy and top-two accuracy in validation."""
    ### BEGIN SOLUTION
    def loss(self, Y_hat, Y, averaged=True):
        return nn.functional.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1, 1)
        top = Y_hat.topk(2, dim=1).indices == Y
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", top[:, 0].float().mean(), train=False)
        self.plot("top2", top.any(dim=1).float().mean(), train=False)
    ### END SOLUTION

# %% [markdown] hints="4.3.7"
# 1. What does `d2l.Classifier.validation_step` do, line by line? Which line is missing?
# 2. `torch.nn.functional.cross_entropy` takes `reduction="mean"` or `"none"`, and labels of shape (n,).
#    `Y_hat.topk(2, dim=1).indices` has shape (n, 2); compared with a column (n, 1) it broadcasts the way you want.
# 3. In how many rows is 7 one of two guesses: `(guesses == 7).any(dim=1).float().mean()` for guesses of shape (n, 2).

# %% check="4.3.7" points=3
@probe
def validated(X, Y, weight, batch_size, epochs):
    class Small(TopTwoClassifier):
        def __init__(self):
            super().__init__()
            self.lr = 0.2
            self.net = nn.Linear(weight.shape[1], weight.shape[0], bias=False)
            self.net.weight.data.copy_(weight)

    class Rows(d2l.DataModule):
        def get_dataloader(self, train):
            return self.get_tensorloader((X, Y), False)

    model, rows = Small(), Rows()
    rows.batch_size = batch_size
    model.board.display = False
    trainer_ = d2l.Trainer(epochs, device="cpu", verbose=False)
    trainer_.fit(model, rows)
    return [dict(row) for row in trainer_.history], model.net.weight.detach()

@probe
def losses_of(Y_hat, Y):
    model = TopTwoClassifier()
    return model.loss(Y_hat, Y), model.loss(Y_hat, Y, averaged=False)

rng = torch.Generator().manual_seed(37)
X_, Y_ = torch.randn(10, 4, generator=rng), torch.randint(0, 3, (10,), generator=rng)
first = torch.randn(3, 4, generator=rng)
history, after = validated(X_, Y_, first, 4, 1)
assert_equal([key for key in history[0] if key.startswith("val")], ["val_loss", "val_acc", "val_top2"],
             "the metrics of validation in trainer.history", hint="Call self.plot for each of them, with train=False.")
hidden_scores = X_ @ after.T
assert_close(history[0]["val_acc"], (hidden_scores.argmax(1) == Y_).float().mean().item(), "val_acc after one epoch", rtol=1e-3)
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(38)
for n, d, k, b, shape in ((11, 3, 5, 4, (11,)), (9, 2, 4, 4, (9, 1)), (6, 5, 7, 6, (6, 1))):
    X_, Y_ = torch.randn(n, d, generator=rng), torch.randint(0, k, (n,), generator=rng)
    first = torch.randn(k, d, generator=rng)
    words = f"{n} examples of {k} classes, labels of shape {shape}"
    logits = torch.randn(n, k, generator=rng)
    wanted = nn.functional.cross_entropy(logits, Y_, reduction="none")
    mean_loss, each_loss = losses_of(logits, Y_.reshape(shape))
    assert_close(mean_loss, wanted.mean(), f"the loss for {words}")
    assert_shape(each_loss, (n,), f"the shape of the loss with averaged=False for {words}")
    assert_close(each_loss, wanted, f"the loss of each row for {words}")
    history, after = validated(X_, Y_.reshape(shape), first, b, 2)

    class Reference(d2l.Classifier):
        def __init__(self, weight):
            super().__init__()
            self.lr = 0.2
            self.net = nn.Linear(weight.shape[1], weight.shape[0], bias=False)
            self.net.weight.data.copy_(weight)

    own = Reference(first)
    for epoch in range(2):
        for rows_ in torch.arange(n).split(b):
            own.zero_grad()
            own.loss(own.net(X_[rows_]), Y_[rows_]).backward()
            own.net.weight.data -= 0.2 * own.net.weight.grad
        result = own.net(X_).detach()
        assert_close(history[epoch]["val_loss"], own.loss(result, Y_).item(), f"val_loss of epoch {epoch + 1}, {words}", rtol=1e-3)
        assert_close(history[epoch]["val_acc"], (result.argmax(1) == Y_).float().mean().item(),
                     f"val_acc of epoch {epoch + 1}, {words}", rtol=1e-3)
        second = result.sort(dim=1, descending=True).indices[:, :2]
        share = sum(int(Y_[i]) in second[i].tolist() for i in range(n)) / n
        assert_close(history[epoch]["val_top2"], share, f"val_top2 of epoch {epoch + 1}, {words}", rtol=1e-3,
                     hint="A row is a hit if its label has the largest or the second largest score.")
    assert_close(after, own.net.weight.detach(), f"the weight after two epochs, {words}")
### END HIDDEN TESTS
