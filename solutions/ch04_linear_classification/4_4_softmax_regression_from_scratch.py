# %% [markdown]
# # 4.4 Softmax regression from scratch
#
# One linear layer, a softmax, a loss, gradient descent: that is a classifier, in about twenty lines. This section writes
# them, trains on the whole of Fashion-MNIST, looks at the pictures that are mistaken, and mends what breaks: the softmax
# for large scores, the logarithm of zero, the learning rate.

# %% tags=["setup"]
from d2l_utils.check import *
import math
import torch
from torch.nn import functional as F
import d2l_utils as d2l

# %% [markdown]
# ## Recap
#
# ### Softmax
#
# A linear layer gives each class a *score* or *logit* o, any real number. Probabilities must be positive and add up to 1.
# `exp` makes the scores positive and keeps their order, the division makes the sum 1:
#
# $$\hat y_j = \frac{\exp(o_j)}{\sum_k \exp(o_k)}$$
#
# The scores of one example are a row, so the sum goes over axis 1, and `keepdim=True` keeps it a column (n, 1) that
# broadcasts against the rows.

# %%
def softmax(X):
    X_exp = torch.exp(X)
    return X_exp / X_exp.sum(1, keepdim=True)

torch.manual_seed(1)
O = torch.randn(2, 4)
print(softmax(O))
print("sums of the rows:", softmax(O).sum(1))

# %% [markdown]
# ### Cross-entropy
#
# The loss of an example is minus the logarithm of the probability that the model gives to its label: 0 if that is 1,
# 0.69 if it is one half, and without bound as it approaches 0. An index for the rows and one for the columns picks these
# probabilities:

# %%
def cross_entropy(y_hat, y):
    return -torch.log(y_hat[range(len(y_hat)), y]).mean()

y_hat = torch.tensor([[0.1, 0.3, 0.6], [0.25, 0.5, 0.25]])
y = torch.tensor([2, 1])
print("probabilities of the labels:", y_hat[[0, 1], y])
print("loss:", cross_entropy(y_hat, y).item(), "=", -(math.log(0.6) + math.log(0.5)) / 2)

# %% [markdown]
# ### The model
#
# A picture of 28 by 28 pixels becomes a row of 784 numbers. The weight has a column for each of the ten classes. It starts
# with small random numbers, the bias with zeros.

# %%
class SoftmaxRegressionScratch(d2l.Classifier):
    def __init__(self, num_inputs, num_outputs, lr, sigma=0.01):
        super().__init__()
        self.save_hyperparameters()
        self.W = torch.nn.Parameter(torch.normal(0, sigma, size=(num_inputs, num_outputs)))
        self.b = torch.nn.Parameter(torch.zeros(num_outputs))

    def forward(self, X):
        return softmax(X.reshape(-1, self.W.shape[0]) @ self.W + self.b)

    def loss(self, y_hat, y):
        return cross_entropy(y_hat, y)

# %% [markdown]
# ### Training on the whole data set
#
# Ten epochs of 60,000 pictures in batches of 256. The batches are small, so one thread does it as fast as two, and does
# not wait for other programs. The curves grow while the model trains.

# %% tags=["demo"]
torch.set_num_threads(1)
torch.manual_seed(1)
data = d2l.FashionMNIST(batch_size=256)
model, trainer = SoftmaxRegressionScratch(784, 10, lr=0.1), d2l.Trainer(max_epochs=10)
trainer.fit(model, data)

# %% tags=["demo"]
trainer.history.to_frame().round(4)

# %% [markdown]
# About 83 of 100 pictures are recognised after ten epochs; guessing would give 10. Read the column `val_acc` from top to
# bottom: from one epoch to the next the accuracy jumps by up to two hundredths, down as well as up, while the training
# loss falls evenly. A single number after a single run says less than its digits.
#
# ### What the model has learnt, and where it fails
#
# The ten columns of the weight are pictures, too: where a column is bright, a bright pixel speaks for the class, where it
# is dark, against it.

# %% tags=["demo"]
axes = d2l.show_images(model.W.detach().T.reshape(10, 28, 28), 1, 10, titles=data.text_labels(range(10)), scale=1.1)

# %% [markdown]
# The first pictures of the validation set that the model mistakes, label above, prediction below:

# %% tags=["demo"]
X_val, y_val = data.val[torch.arange(10_000)]
with torch.no_grad():
    P_val = model(X_val)
predicted = P_val.argmax(dim=1)
wrong = (predicted != y_val).nonzero().flatten()
titles = [f"{a}\n{b}" for a, b in zip(data.text_labels(y_val[wrong]), data.text_labels(predicted[wrong]))]
axes = d2l.show_images(X_val[wrong[:16], 0], 2, 8, titles=titles[:16])
axes[0].figure.tight_layout()
print(f"{len(wrong)} of {len(y_val)} are mistaken; accuracy {1 - len(wrong) / len(y_val):.4f}")

# %% [markdown]
# Shirts, pullovers and coats are taken for one another. They cover nearly the same pixels, and a linear model only adds up
# pixels.
#
# ## Exercises
#
# ### When the formula fails
#
# ⚠ The formula of the softmax is right, the program is not: `float32` ends at about 3.4e38, which is exp(88.7), and below
# 1.2e-38 it loses digits (*subnormal* numbers) until it is 0 at about exp(-104). The same three scores, shifted by c; the
# right answer does not depend on c.

# %%
row = torch.tensor([[0.0, -0.7, -3.0]])
print("right:     ", [round(p, 4) for p in torch.softmax(row.double(), 1)[0].tolist()])
for c in (0, 88, 88.5, 100, -80, -100, -103, -104):
    print(f"c = {c:6}:", [round(p, 4) for p in softmax(row + c)[0].tolist()])

# %% [markdown]
# At 100, exp is infinite, and inf / inf is nan. At 88.5 each exp is finite, only their sum is infinite: the "probabilities"
# are all 0. At -100 the numbers look like probabilities, add up to 1, and are wrong in the second digit; that is the
# worst case, since nothing tells. At -104 it is 0 / 0. ⚠ A test for overflow finds only the first half of these.

# %% [markdown] task="4.4.1a" kind="code" minutes=12 difficulty=3
# ### A diagnosis
#
# Write `softmax_health(X)`. `X` is `float32` of shape (n, classes). For each row it says what `d2l.softmax(X)`, the bare
# formula in `float32`, makes of it:
#
# - 0: all entries are right, to 1e-4 (absolute);
# - 1: all entries are finite, but at least one is off by more than 1e-4;
# - 2: some entry is nan or infinite.
#
# It returns n whole numbers, as a list or a tensor. The right values you get in `float64`, by any way that is safe there.
# All scores lie between -600 and 600.
#
# **You are done when** the check finds a 0, a 1 and a 2 for the shifts 0, -100 and 100.

# %% exercise="4.4.1a"
def softmax_health(X):
    """For each row 0, 1 or 2: the bare softmax in float32 is right, finite but wrong, not finite."""
    ### BEGIN SOLUTION
    found = d2l.softmax(X)
    right = torch.softmax(X.double(), dim=1)
    off = ((found - right).abs() > 1e-4).any(dim=1)
    return torch.where(found.isfinite().all(dim=1), off.long(), 2)
    ### END SOLUTION

# %% [markdown] hints="4.4.1a"
# 1. Which three questions do you have to ask of each row, and in which order?
# 2. `X.double()` has range to spare: exp(709) is finite there. `isfinite()` gives a mask; `all(dim=1)` and `any(dim=1)`
#    ask it row by row. Comparisons with nan are False.
# 3. Grades for rows of marks: `torch.where(marks.isnan().any(dim=1), 9, (marks < 4).any(dim=1).long())` is 9 where one is
#    missing, else 1 where one is under 4, else 0.

# %% check="4.4.1a" points=2
shifts = torch.tensor([[0.], [-100.], [100.]])
three = torch.tensor([[0.0, -0.7, -3.0]]) + shifts
assert_equal(len(softmax_health(three)), 3, "the number of verdicts for three rows")
assert_equal(softmax_health(three), [0, 1, 2], "the verdicts for the shifts 0, -100, 100",
             mistakes={"At -100 all entries are finite. Are they right?": [0, 0, 2]})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(41)
base = torch.randn(12, 5, generator=rng)
base = base - base.max(dim=1, keepdim=True).values
offsets = torch.tensor([3., -60., 80., 88.3, 92., 150., -101., -102.5, -120., -104.5, -99.5, 0.])
rows = base + offsets[:, None]
rows[11] = torch.tensor([0., -300., 2., -500., 1.])
rows[3] = torch.tensor([88.3, 88.2, 88.3, 80., 88.1])
plain = rows.exp() / rows.exp().sum(dim=1, keepdim=True)
truth = [2 if not p.isfinite().all() else int((p - q).abs().max() > 1e-4)
         for p, q in zip(plain, torch.softmax(rows.double(), dim=1).float())]
for name, some in (("large scores", [2, 4, 5]), ("scores whose exp is finite and whose sum is not", [3]),
                   ("scores from -99 to -103", [6, 7, 10]), ("scores under -104", [8, 9]),
                   ("scores that are harmless", [0, 1, 11])):
    assert_equal(softmax_health(rows[some]), [truth[i] for i in some], f"the verdicts for {name}",
                 hint="Compare each entry with its value in float64, row by row; absolute differences count.")
assert_equal(softmax_health(rows), truth, "the verdicts for twelve rows of all kinds",
             hint="One row must not change the verdict of another.")
### END HIDDEN TESTS

# %% [markdown] task="4.4.1b" kind="code" minutes=12 difficulty=3 core=true
# ### The mend
#
# The softmax does not change when the same number is subtracted from all scores of a row. Subtract the largest one: then
# the largest exponential is exp(0) = 1, the sum lies between 1 and the number of classes, and an exponential that
# vanishes belongs to a probability that is too small to matter.
#
# Write `stable_softmax(X)` for `X` of shape (n, classes), `float32` or `float64`, any finite scores. An entry may also be
# minus infinity, for a class that is ruled out; its probability is 0. Each row has a finite entry. Shape and dtype of the
# result are those of `X`, and `X` is left as it is.
#
# **You are done when** the check shows equal probabilities for equal scores of 100, of -100 and of 1,000.

# %% exercise="4.4.1b"
def stable_softmax(X):
    """Softmax of each row, for scores of any size: (n, classes) -> (n, classes)."""
    ### BEGIN SOLUTION
    X_exp = torch.exp(X - X.max(dim=1, keepdim=True).values)
    return X_exp / X_exp.sum(dim=1, keepdim=True)
    ### END SOLUTION

# %% [markdown] hints="4.4.1b"
# 1. Of which entries must it be the largest: of all, of a column, of a row?
# 2. `X.max(dim=1, keepdim=True).values` has shape (n, 1). `X -= ...` would write into the argument.
# 3. Distances from the smallest of each column: `X - X.min(dim=0, keepdim=True).values`; every column has a 0 then.

# %% check="4.4.1b" points=2
level = torch.tensor([[100., 100.], [-100., -100.], [1000., 1000.]])
assert_shape(stable_softmax(level), (3, 2), "the shape")
assert_close(stable_softmax(level), torch.full((3, 2), 0.5), "equal scores of 100, of -100, of 1,000",
             hint="Is the largest score of each row subtracted, from that row?")
assert_close(stable_softmax(torch.tensor([[0., math.log(3.)]])), torch.tensor([[0.25, 0.75]]), "the scores 0 and log 3")
### BEGIN HIDDEN TESTS
@probe
def after_softmax(X):
    X = X.clone()
    return stable_softmax(X), X

rng = torch.Generator().manual_seed(42)
for n, k, scale, dtype in ((4, 3, 1., torch.float32), (5, 7, 60., torch.float32), (3, 4, 3000., torch.float64), (6, 1, 5., torch.float32)):
    S = (torch.randn(n, k, generator=rng) * scale).to(dtype)
    words = f"scores ({n}, {k}) of size {scale:g}, {str(dtype)[6:]}"
    result, left = after_softmax(S)
    assert_shape(result, (n, k), f"the shape for {words}")
    assert_dtype(result, dtype, f"the dtype for {words}")
    assert_close(result, torch.softmax(S, dim=1), f"the probabilities for {words}")
    assert_close(left, S, f"the argument after the call, for {words}", hint="Did you subtract in place?")
mixed = torch.tensor([[1000., 999., 0.], [-1000., -1001., -1000.5], [0., 500., 500.], [-90., -104., -91.], [88.6, 88.6, 88.5]])
assert_close(stable_softmax(mixed), torch.softmax(mixed, dim=1), "rows of very different size in one batch",
             hint="Each row has its own largest entry.")
ruled_out = torch.tensor([[0., -math.inf, 1.], [-math.inf, -200., -math.inf]])
assert_close(stable_softmax(ruled_out), torch.softmax(ruled_out, dim=1), "rows with minus infinity")
### END HIDDEN TESTS

# %% [markdown]
# ### The definition of the cross-entropy
#
# With one-hot labels y the cross-entropy is a sum over all classes, $-\sum_j y_j \log \hat y_j$. ⚠ In exercise 2 of this
# section D2L leaves out the minus sign. Without it, "loss" is negative and gradient descent makes it still smaller: it
# moves *away* from the labels.

# %%
W = torch.zeros(3, 2, requires_grad=True)
inputs, one_hot = torch.tensor([[1., 0., 2.], [0., 1., -1.]]), torch.tensor([[1., 0.], [0., 1.]])
for step in range(4):
    P = torch.softmax(inputs @ W, dim=1)
    not_a_loss = (one_hot * P.log()).sum(dim=1).mean()
    print(f"step {step}: value {not_a_loss.item():8.3f}, probabilities of the labels", P[[0, 1], [0, 1]].tolist())
    grad, = torch.autograd.grad(not_a_loss, W)
    with torch.no_grad():
        W -= 0.5 * grad

# %% [markdown]
# ⚠ And 0 · log 0 is nan for a computer, since 0 · (-inf) is. A single probability that has become 0, for a class that is
# *not* the label, spoils the loss of the whole batch, and its gradient:

# %%
sure = torch.tensor([[1.0, 0.0], [0.5, 0.5]])
labels = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
print("sum over the classes: ", -(labels * sure.log()).sum(dim=1))
print("index of the label:   ", -torch.log(sure[[0, 1], [0, 1]]))

# %% [markdown] task="4.4.2a" kind="code" minutes=12 difficulty=3 core=true
# ### One-hot and soft labels
#
# The sum has a use that the index has not: labels that are probabilities themselves, when three annotators of four said
# "coat" and one "shirt".
#
# Write `one_hot_cross_entropy(Y_hat, Y)`. Both have shape (n, classes). `Y_hat` are probabilities, `Y` the labels: one-hot
# or soft, rows that add up to 1. It returns the mean over the rows of $-\sum_j y_j \log \hat y_j$. Where $y_j = 0$ the
# class contributes 0, even if $\hat y_j = 0$. Where $y_j > 0$ and $\hat y_j = 0$ the loss is infinite.
#
# **You are done when** the check shows log 2 for a sure and right row together with one at 1/4, and a value for a soft
# label.

# %% exercise="4.4.2a"
def one_hot_cross_entropy(Y_hat, Y):
    """Mean cross-entropy of probabilities (n, classes) against labels (n, classes), one-hot or soft."""
    ### BEGIN SOLUTION
    return -torch.xlogy(Y, Y_hat).sum(dim=1).mean()
    ### END SOLUTION

# %% [markdown] hints="4.4.2a"
# 1. What is 0 · log 0 to be, and what does torch make of it?
# 2. `torch.xlogy(a, b)` is a · log b, and 0 where a is 0. `torch.where(mask, a, b)` chooses entry by entry.
# 3. Entropy of one row p of probabilities with zeros: `-torch.special.xlogy(p, p).sum()`.

# %% check="4.4.2a" points=2
sure_and_quarter = torch.tensor([[1., 0., 0.], [0.25, 0.25, 0.5]])
assert_close(one_hot_cross_entropy(sure_and_quarter, torch.tensor([[1., 0., 0.], [0., 1., 0.]])), math.log(2),
             "a sure row and one at 1/4, one-hot labels", hint="Is 0 · log 0 counted as 0?",
             mistakes={"The minus sign is missing.": -math.log(2), "This is the sum of the rows, not the mean.": 2 * math.log(2),
                       "This is the mean over all entries, not over the rows.": math.log(2) / 3})
assert_close(one_hot_cross_entropy(torch.tensor([[0.5, 0.25, 0.25]]), torch.tensor([[0.5, 0.5, 0.]])), 1.5 * math.log(2),
             "a soft label (1/2, 1/2, 0) for the probabilities (1/2, 1/4, 1/4)",
             mistakes={"This label was made hard: both of its classes count, each by its share.": math.log(2)})
### BEGIN HIDDEN TESTS
@probe
def loss_and_arguments(Y_hat, Y):
    Y_hat, Y = Y_hat.clone(), Y.clone()
    return one_hot_cross_entropy(Y_hat, Y), Y_hat, Y

rng = torch.Generator().manual_seed(43)
for n, k, dtype in ((5, 4, torch.float32), (3, 6, torch.float64), (1, 2, torch.float32)):
    P_ = torch.softmax(torch.randn(n, k, generator=rng, dtype=torch.float64) * 2, dim=1).to(dtype)
    soft = torch.softmax(torch.randn(n, k, generator=rng, dtype=torch.float64), dim=1).to(dtype)
    hard = F.one_hot(torch.randint(0, k, (n,), generator=rng), k).to(dtype)
    for name, L in (("soft", soft), ("one-hot", hard)):
        wanted = sum(-float(a) * math.log(float(b)) for a, b in zip(L.flatten(), P_.flatten())) / n
        result, P_after, L_after = loss_and_arguments(P_, L)
        assert_close(result, wanted, f"{name} labels, {n} rows of {k} classes", rtol=1e-4)
        assert_close(P_after, P_, f"the argument Y_hat after the call, {name} labels")
        assert_close(L_after, L, f"the argument Y after the call, {name} labels")
zeros = torch.tensor([[0., 1., 0., 0.], [0.5, 0., 0., 0.5], [0., 0., 1., 0.]])
assert_close(one_hot_cross_entropy(zeros, torch.tensor([[0., 1., 0., 0.], [1., 0., 0., 0.], [0., 0., 1., 0.]])), math.log(2) / 3,
             "probabilities of 0 beside labels of 0", hint="There 0 · log 0 counts as 0, exactly.")
tiny = torch.tensor([[1e-20, 1.], [1., 0.]])
assert_close(one_hot_cross_entropy(tiny, torch.tensor([[1., 0.], [1., 0.]])), -math.log(1e-20) / 2, "a label of probability 1e-20",
             hint="A bound on the probabilities changes small ones.")
assert_close(one_hot_cross_entropy(torch.tensor([[0., 1.]]), torch.tensor([[0.5, 0.5]])), math.inf, "a soft label at probability 0",
             hint="That loss is infinite.")
### END HIDDEN TESTS

# %% [markdown] task="4.4.2b" kind="code" minutes=8 difficulty=2
# ### Why the sum is slower
#
# Write `label_costs(n, k)`, for n examples and k classes. It returns a dictionary with the keys `"index"` and `"one_hot"`.
# Each value is a pair: the number of logarithms that the loss computes, and the bytes that the labels of the batch take.
# With the index, labels are `int64` of shape (n,), and only the picked probabilities go through the logarithm. In the sum,
# labels are `float32` of shape (n, k), and the logarithm is taken of every probability.
#
# **You are done when** the check shows the numbers for 256 examples of 10 classes.

# %% exercise="4.4.2b"
def label_costs(n, k):
    """Logarithms and bytes of the labels of both forms of the loss: {"index": (...), "one_hot": (...)}."""
    ### BEGIN SOLUTION
    return {"index": (n, 8 * n), "one_hot": (n * k, 4 * n * k)}
    ### END SOLUTION

# %% [markdown] hints="4.4.2b"
# 1. How many probabilities are picked for n examples? How many are there?
# 2. `int64` has 64 bits, `float32` 32; a byte has 8. `t.element_size()` tells the bytes of one entry.
# 3. A colour picture of 20 by 30 pixels in `uint8` takes 3 · 20 · 30 · 1 = 1,800 bytes.

# %% check="4.4.2b" points=1
costs = label_costs(256, 10)
assert_equal(sorted(costs), ["index", "one_hot"], "the keys")
assert_equal(costs["index"][0], 256, "logarithms with the index, 256 examples of 10 classes")
assert_equal(costs["index"][1], torch.zeros(256, dtype=torch.int64).nbytes, "bytes of the labels as int64",
             mistakes={"This is a count of entries: int64 takes 8 bytes.": 256, "These are bits: a byte has 8 of them.": 16384})
### BEGIN HIDDEN TESTS
for n, k in ((256, 10), (7, 3), (64, 50_000), (1, 2)):
    table = torch.empty(n, k, dtype=torch.float32, device="meta")
    costs = label_costs(n, k)
    assert_equal(costs["index"], (n, 8 * n), f"the costs with the index, n = {n}, k = {k}")
    assert_equal(costs["one_hot"][0], table.numel(), f"logarithms in the sum, n = {n}, k = {k}",
                 hint="The logarithm is taken of every probability.")
    assert_equal(costs["one_hot"][1], table.numel() * table.element_size(), f"bytes of one-hot labels, n = {n}, k = {k}",
                 hint="float32 takes 4 bytes.")
### END HIDDEN TESTS

# %% [markdown]
# Measured, for the ten classes of this section and for a vocabulary. The sum does k times the work to multiply most of it
# by zero. Whether that matters depends on k.

# %% tags=["demo"]
import time

def milliseconds(call, rounds):
    call()
    laps = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        laps.append(time.perf_counter() - start)
    return 1000 * min(laps)

for k, rounds in ((10, 50), (1000, 20), (20_000, 5)):
    P = torch.softmax(torch.randn(256, k), dim=1)
    y = torch.randint(0, k, (256,))
    Y = F.one_hot(y, k).float()
    rows = torch.arange(256)
    by_index = milliseconds(lambda: -torch.log(P[rows, y]).mean(), rounds)
    by_sum = milliseconds(lambda: -(Y * torch.log(P)).sum(dim=1).mean(), rounds)
    print(f"{k:6} classes: index {by_index:.3f} ms, sum {by_sum:.3f} ms, {by_sum / by_index:.1f} times")

# %% [markdown] task="4.4.2c" kind="code" minutes=15 difficulty=4 core=true
# ### The domain of the logarithm
#
# The logarithm needs positive numbers, and a softmax may return 0 where the true probability is 1e-400. The way out is
# never to compute the probability: $\log \hat y_j = o_j - \log \sum_k \exp(o_k)$, where the last term, the *log-sum-exp*,
# is computed relative to the largest score.
#
# Write `cross_entropy_from_logits(O, Y)`. `O` are scores (n, classes), any finite numbers, `Y` one-hot or soft labels (n,
# classes). It returns the mean over the rows of the cross-entropy, finite for all finite scores, and autograd can
# differentiate it.
#
# **You are done when** the check shows log 2 for equal scores, 2000 for a label 2000 below the other class, and a finite
# gradient.

# %% exercise="4.4.2c"
def cross_entropy_from_logits(O, Y):
    """Mean cross-entropy of scores (n, classes) against labels (n, classes); finite for all finite scores."""
    ### BEGIN SOLUTION
    largest = O.max(dim=1, keepdim=True).values
    log_sum = largest + torch.log(torch.exp(O - largest).sum(dim=1, keepdim=True))
    return (Y * (log_sum - O)).sum(dim=1).mean()
    ### END SOLUTION

# %% [markdown] hints="4.4.2c"
# 1. Which term of the formula can overflow, and how did you mend the softmax?
# 2. log Σ exp(oₖ) = m + log Σ exp(oₖ - m) for any m. What is subtracted inside must be added outside.
# 3. The logarithm of a product of many small factors p: add up `p.log()`, and never compute the product.

# %% check="4.4.2c" points=3
@probe
def value_and_gradient(O, Y):
    O = O.clone().requires_grad_(True)
    value = cross_entropy_from_logits(O, Y)
    gradient, = torch.autograd.grad(value, O) if value.requires_grad else (torch.full_like(O, float("nan")),)
    return value.detach(), gradient

pair = torch.tensor([[1., 0.]])
assert_close(value_and_gradient(torch.tensor([[3., 3.]]), pair)[0], math.log(2), "equal scores of 3",
             mistakes={"What is subtracted inside the logarithm has to be added outside.": math.log(2) - 3,
                       "This is the mean over all entries, not over the rows.": math.log(2) / 2})
assert_close(value_and_gradient(torch.tensor([[-1000., 1000.]]), pair)[0], 2000.0, "scores -1000 and 1000, label 0",
             hint="The probability of the label is too small for float32: the way to its logarithm must not go through it.")
assert_close(value_and_gradient(torch.tensor([[-1000., 1000.]]), pair)[1], torch.tensor([[-1., 1.]]),
             "the gradient for the scores -1000 and 1000, label 0", hint="nan here: is the value detached, or infinite inside?")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(44)
for n, k, scale in ((4, 3, 1.), (5, 6, 30.), (3, 5, 2000.), (1, 4, 0.)):
    S = torch.randn(n, k, generator=rng) * scale
    soft = torch.softmax(torch.randn(n, k, generator=rng), dim=1)
    hard = F.one_hot(torch.randint(0, k, (n,), generator=rng), k).float()
    for name, L in (("soft", soft), ("one-hot", hard)):
        words = f"scores of size {scale:g}, {n} rows of {k} classes, {name} labels"
        value, gradient = value_and_gradient(S, L)
        assert_close(value, (L.double() * -torch.log_softmax(S.double(), dim=1)).sum().item() / n, f"the value for {words}",
                     rtol=1e-4, atol=1e-4, hint="The mean over the rows, from scores, without a bound on the probabilities.")
        assert_shape(gradient, (n, k), f"the shape of the gradient for {words}")
        assert_close(gradient, (torch.softmax(S, dim=1) - L) / n, f"the gradient for {words}", atol=1e-5,
                     hint="It must be (softmax - label) / n.")
several = torch.tensor([[900., -900., 0.], [-5000., -5001., -5002.]])
assert_close(value_and_gradient(several, torch.tensor([[0., 0., 1.], [1., 0., 0.]]))[0],
             (900 + math.log(1 + math.exp(-1) + math.exp(-2))) / 2, "rows of very different size in one batch",
             hint="Each row has its own largest score.")
### END HIDDEN TESTS

# %% [markdown]
# In `torch` the same is `F.cross_entropy`, which takes logits, and labels as numbers or as probabilities. It is what
# `d2l.Classifier.loss` calls. Section 4.5 uses it.
#
# ### The most probable label is not always the answer

# %% [markdown] task="4.4.3" kind="explain" minutes=25 difficulty=4
# ### Screening for an illness
#
# A model gives each person the probability of an illness. A hospital wants nine of ten sick people found.
#
# Write `recall_threshold(p, sick, recall)`. `p` is floating point of shape (n,), the model's probabilities for people
# whose state is known. `sick` of shape (n,) holds 1 for sick and 0 for healthy. Whoever has p ≥ t is sent to a doctor. It
# returns the largest t among the values in `p` for which at least the share `recall` of the *sick* is sent. At least one
# person is sick, and 0 < recall ≤ 1.
#
# Then answer in words:
# 1. Why is the most probable label the wrong rule here? Give an example with numbers.
# 2. Name two ways to address it, and what each of them needs to know. (Section 4.3 has one.)
# 3. The threshold was chosen on this hospital's patients. Name something that makes it wrong elsewhere.
#
# **You are done when** the check finds the threshold for five people of whom three are sick.

# %% exercise="4.4.3"
def recall_threshold(p, sick, recall):
    """The largest t in p such that at least the share `recall` of the sick has p >= t."""
    ### BEGIN SOLUTION
    of_sick = p[sick == 1]
    for t in p.sort(descending=True).values:
        if (of_sick >= t).float().mean() >= recall:
            return t
    ### END SOLUTION

# %% [markdown] hints="4.4.3"
# 1. Who counts in the share: everybody, or the sick? Does the share grow or fall as t falls?
# 2. `p[sick == 1]` are the probabilities of the sick; `(q >= t).float().mean()` is a share. It is enough to try the values
#    of p, from the largest down.
# 3. The largest height that at least half of the boys (150, 160, 170) reach is 160: two of three reach it, and only one
#    reaches 170.

# %% check="4.4.3" points=2
chance, state = torch.tensor([0.9, 0.2, 0.4, 0.7, 0.1]), torch.tensor([1, 1, 0, 1, 0])
assert_close(recall_threshold(chance, state, 0.5), 0.7, "recall 0.5 for the sick at 0.9, 0.7, 0.2",
             mistakes={"That finds one of three sick people.": 0.9, "That is half of all people, not of the sick.": 0.4,
                       "The most probable label is not asked for.": 0.5})
assert_close(recall_threshold(chance, state, 1.0), 0.2, "recall 1 for the sick at 0.9, 0.7, 0.2")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(45)
for n, share, recall_ in ((20, 0.4, 0.8), (31, 0.3, 0.55), (12, 0.6, 0.95), (50, 0.2, 0.05), (9, 0.9, 1.0)):
    p_ = (torch.rand(n, generator=rng) * 12).round() / 12
    sick_ = (torch.rand(n, generator=rng) < share).long()
    sick_[n // 2] = 1
    fitting = [t for t in p_.tolist() if sum(1 for q, s in zip(p_.tolist(), sick_.tolist()) if s and q >= t)
               >= recall_ * int(sick_.sum()) - 1e-9]
    assert_close(recall_threshold(p_, sick_, recall_), max(fitting), f"{n} people, {int(sick_.sum())} sick, recall {recall_}",
                 hint="The share is one of the sick, whoever has exactly t is sent, and the largest such t is wanted.")
### END HIDDEN TESTS

# %% [markdown] written="4.4.3" points=3
# ### BEGIN SOLUTION
# 1. The most probable label minimises the number of mistakes, as if all mistakes cost the same. With p = 0.3 for cancer
#    "healthy" is the more probable label, yet three of ten such people sent home are ill. If a missed illness costs 100
#    and a needless examination 1, sending home costs 30 on average and examining 0.7. And with an illness that 1 of 100
#    has, "healthy" for everybody is right in 99 of 100 cases and of no use.
# 2. (a) Choose the action with the smallest expected cost; that needs the costs of all pairs of state and action, and
#    probabilities that are *calibrated*. (b) Choose a threshold by the wanted recall on validation data, as above; that
#    needs labelled data from the same population, and somebody who accepts the false alarms. (c) Refuse to decide: report
#    the probabilities, and hand doubtful cases to a person or a further test; that needs a cost or a quota for it. (d)
#    Weight the classes in the loss.
# 3. Another share of sick people (a general practice in place of a clinic), other devices, other age groups: the
#    probabilities are no longer calibrated. Then the recall at the same t is another one. Few sick people in the
#    validation data make t itself uncertain.
#
# **Rubric**
# - [1] The most probable label treats all mistakes alike; evidence: an example with two costs or a rare illness, in
#   numbers; lost by: "because the model is not accurate enough"
# - [1] Two ways (expected cost, threshold for a recall, abstaining, weighted loss), each with what it needs to know;
#   lost by: only "use more data" or "use a better model"
# - [1] One change of population, device or base rate that makes probabilities or threshold wrong; also accepted: few
#   positive cases; lost by: "overfitting" without saying of what
# ### END SOLUTION

# %% [markdown]
# The same on the trained model. Only about half of the shirts are recognised. If every shirt matters, say "perhaps a
# shirt" earlier, and see what it costs:

# %% tags=["demo"]
p_shirt, is_shirt = P_val[:, 6], (y_val == 6).long()
print(f"most probable label:   recall {(predicted[is_shirt == 1] == 6).float().mean():.3f}, "
      f"{(predicted == 6).sum().item()} pictures picked")
for wanted in (0.8, 0.9, 0.95):
    t = recall_threshold(p_shirt, is_shirt, wanted)
    if t is not None:
        picked = p_shirt >= t
        print(f"threshold {float(t):.4f}:      recall {picked[is_shirt == 1].float().mean():.3f}, {picked.sum().item()} "
              f"pictures picked, {picked[is_shirt == 0].sum().item()} of them no shirts")

# %% [markdown]
# ### Many classes

# %% [markdown] task="4.4.4" kind="explain" minutes=30 difficulty=5
# ### The next word
#
# A model predicts the next of V words from d features h. One linear layer gives V scores. One remedy for a large V is a
# softmax in two levels. The words are numbered 0 to C · M - 1 and put into C classes of M words: word w belongs to class
# `w // M`, and in it it has the place `w % M`. The probability of a word is that of its class times that of its place in
# the class,
#
# $$p(w \mid h) = p(\text{class} \mid h)\; p(\text{place} \mid h, \text{class}),$$
#
# each factor a softmax of its own: the classes have the scores `h @ A`, the places of class c the scores `h @ B[c]`.
#
# Write `two_level_log_probability(h, A, B, words)` for `h` (n, d), `A` (d, C), `B` (C, d, M) and `words` (n,), `int64`. It
# returns log p of each given word, shape (n,), finite for scores of any size. For each example only C + M scores are
# needed, never C · M.
#
# Then answer in words:
# 1. What problems does a flat softmax over V = 100,000 words with d = 300 make? Give parameters, and the memory for the
#    scores of a batch of 256 in `float32`.
# 2. Which of these does the two-level softmax solve, and which not?
# 3. Name a problem of a large vocabulary that is none of time or memory.
#
# **You are done when** the check finds the uniform probability for zero weights, and your words answer all three questions.

# %% exercise="4.4.4"
def two_level_log_probability(h, A, B, words):
    """log p(word) with classes of words: (n, d), (d, C), (C, d, M), (n,) -> (n,)."""
    ### BEGIN SOLUTION
    M = B.shape[2]
    kind, place = words // M, words % M
    log_class = torch.log_softmax(h @ A, dim=1).gather(1, kind[:, None]).squeeze(1)
    scores = torch.bmm(h[:, None, :], B[kind]).squeeze(1)
    return log_class + torch.log_softmax(scores, dim=1).gather(1, place[:, None]).squeeze(1)
    ### END SOLUTION

# %% [markdown] hints="4.4.4"
# 1. The logarithm turns the product into a sum. Which two rows of scores does one example need?
# 2. `torch.log_softmax(S, dim=1)` is the safe form of log(softmax). `B[kind]` has shape (n, d, M): a matrix for each
#    example; `torch.bmm` or `einsum("nd,ndm->nm", ...)` multiplies them row by row.
# 3. Two levels with fixed numbers: p(class 1) = 0.3 and p(place 2 | class 1) = 0.5 give log p = log 0.3 + log 0.5; with
#    M = 4 that is word 1 · 4 + 2 = 6.

# %% check="4.4.4" points=3
@probe
def scored(h, A, B, words):
    h, words = h.clone(), words.clone()
    return two_level_log_probability(h, A, B, words), h, A, B, words

flat = scored(torch.ones(2, 3), torch.zeros(3, 4), torch.zeros(4, 3, 5), torch.tensor([0, 19]))[0]
assert_shape(flat, (2,), "the shape for two words")
assert_close(flat, torch.full((2,), -math.log(20)), "zero weights, 4 classes of 5 words",
             mistakes={"This is a probability, not its logarithm.": torch.full((2,), 0.05),
                       "This is the negative logarithm.": torch.full((2,), math.log(20))})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(46)
for n, d, C, M, scale in ((6, 3, 4, 5, 1.), (5, 2, 3, 7, 1.), (4, 3, 6, 2, 400.)):
    h_ = torch.randn(n, d, generator=rng) * scale
    A_, B_ = torch.randn(d, C, generator=rng), torch.randn(C, d, M, generator=rng)
    words_ = torch.randint(0, C * M, (n,), generator=rng)
    words_[0], words_[1] = C * M - 1, M
    result, h_after, A_after, B_after, words_after = scored(h_, A_, B_, words_)
    # all words of all classes: what the two levels spare
    everything = torch.log_softmax(h_.double() @ A_.double(), 1)[:, :, None] + torch.log_softmax(
        torch.einsum("nd,cdm->ncm", h_.double(), B_.double()), 2)
    wanted = everything.reshape(n, C * M)[torch.arange(n), words_].float()
    words_text = f"{n} examples, {C} classes of {M} words, features of size {scale:g}"
    assert_shape(result, (n,), f"the shape for {words_text}")
    assert_close(result, wanted, f"log p for {words_text}", rtol=1e-3, atol=1e-3,
                 hint="Class w // M, place w % M; each level is normalised by itself, by log_softmax.")
    assert_close(h_after, h_, "the argument h after the call")
    assert_close(words_after, words_, "the argument words after the call")
total_ = sum(math.exp(float(v)) for v in scored(h_[:1].expand(12, 3) / 400, A_, B_, torch.arange(12))[0])
assert_close(total_, 1.0, "the sum of the probabilities of all 12 words", rtol=1e-4)

@probe
def largest_result(h, A, B, words):
    """The most entries of any tensor that the call makes."""
    from torch.utils._python_dispatch import TorchDispatchMode
    sizes = [0]

    class Watching(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            out = func(*args, **(kwargs or {}))
            if isinstance(out, torch.Tensor):
                sizes.append(out.numel())
            return out

    with Watching():
        two_level_log_probability(h, A, B, words)
    return max(sizes)

wide = torch.randn(2, 2, generator=rng), torch.randn(2, 300, generator=rng), torch.randn(300, 2, 50, generator=rng)
assert_true(largest_result(*wide, torch.tensor([3, 14_999])) < 2 * 300 * 50, "no tensor holds a score for every word",
            hint="Pick the matrices of the classes that are needed first.")
### END HIDDEN TESTS

# %% [markdown] written="4.4.4" points=3
# ### BEGIN SOLUTION
# 1. The layer has 300 · 100,000 + 100,000 = 30.1 million parameters, 120 MB in float32, and as much again for the gradient.
#    The scores of a batch of 256 take 256 · 100,000 · 4 = 102 MB, and the probabilities and the gradient of the scores as
#    much again. Each example costs 30 million multiplications forward, for one correct word: the normalising sum needs
#    all scores, and every word's weights get a gradient at every step. One-hot labels would take another 102 MB.
# 2. Time and memory in training: with C = M = 317 classes and places, an example needs about 634 scores in place of
#    100,000. Not solved: the parameters (B holds d · C · M numbers, as many as before), and finding the *most probable*
#    word, which may need the places of several classes. And the classes must be chosen well.
# 3. Most words are rare (Zipf), so most of the 30 million parameters see few examples; words not in the vocabulary have
#    probability 0; "big" for "large" counts as wrong as any other word, since the loss knows no nearness of meaning.
#    Remedies: pieces of words, shared vectors for input and output, soft labels.
#
# **Rubric**
# - [1] Parameters (about 30 million) and memory of the scores (about 100 MB), with the calculation; also accepted: the
#   multiplications for each example; lost by: "the softmax overflows"
# - [1] Two levels reduce scores for each example from V to C + M, but not the number of parameters, or not the search for
#   the best word; lost by: "the model has fewer parameters"
# - [1] A statistical problem: rare or unknown words, similar words counted as plain mistakes; lost by: another cost in
#   time or memory
# ### END SOLUTION

# %% [markdown]
# ### Learning rate and batch size
#
# A sweep over the whole data set takes minutes. These 3,000 pictures for training and 1,000 for validation answer the
# same questions in seconds. The numbers differ from those of the whole set, the shape of the curves does not.

# %% tags=["setup"]
def rows_of(dataset, number, generator):
    """`number` random pictures as rows (number, 784) and their classes."""
    X, y = dataset[torch.randperm(len(dataset), generator=generator)[:number]]
    return X.reshape(number, -1), y


chosen = torch.Generator().manual_seed(44)
small = rows_of(d2l.FashionMNIST().train, 3000, chosen)
held_out = rows_of(d2l.FashionMNIST().val, 1000, chosen)

# %% [markdown] task="4.4.5a" kind="experiment" minutes=25 difficulty=3 core=true
# ### The learning rate
#
# Write `train_softmax(train, val, lr, batch_size, epochs, seed)`. `train` and `val` are pairs (X, y) with X of shape
# (n, d), `float32`, and y of shape (n,), classes from 0 to 9. It trains a softmax regression for ten classes, with bias,
# by minibatch stochastic gradient descent:
#
# - the weight starts at 0 or with N(0, 0.01²), the bias at 0;
# - each epoch goes through the training rows in a new random order, a smaller last batch included;
# - the loss of a batch is the *mean* cross-entropy, computed from the logits;
# - all random numbers come from `seed`: the same seed, the same result.
#
# It returns a dictionary of three numbers, measured after the last epoch on all rows: `"train_loss"`, `"val_loss"` (mean
# cross-entropy) and `"val_acc"`. Any means of torch may be used.
#
# Then bind `best_lr`: of the learning rates 0.001, 0.01, 0.1, 1 and 10 the one with the smallest validation loss, with
# `small` for training, `held_out` for validation, batch size 256, 5 epochs, averaged over the seeds 0, 1, 2. A value
# between the grid points is allowed. The check trains with `best_lr` and three seeds of its own and accepts a mean
# validation loss of at most 0.88; over ten seeds the best of the grid varied from 0.77 to 0.82.
#
# **You are done when** the check trains on 200 pictures, finds the three numbers, and gets the same ones for the same seed.

# %% exercise="4.4.5a"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    """Train a softmax regression; returns {"train_loss", "val_loss", "val_acc"} after the last epoch."""
    ### BEGIN SOLUTION
    X, y = train
    generator = torch.Generator().manual_seed(seed)
    W = torch.zeros(X.shape[1], 10, requires_grad=True)
    b = torch.zeros(10, requires_grad=True)
    for _ in range(epochs):
        for rows in torch.randperm(len(X), generator=generator).split(batch_size):
            grads = torch.autograd.grad(F.cross_entropy(X[rows] @ W + b, y[rows]), (W, b))
            with torch.no_grad():
                W -= lr * grads[0]
                b -= lr * grads[1]
    with torch.no_grad():
        logits = val[0] @ W + b
        return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(logits, val[1]).item(),
                "val_acc": (logits.argmax(dim=1) == val[1]).float().mean().item()}


best_lr = 0.1
### END SOLUTION

# %% [markdown] hints="4.4.5a"
# 1. Which lines happen once, which once an epoch, which once a batch?
# 2. `torch.randperm(n, generator=g).split(batch_size)` gives the rows of each batch. `F.cross_entropy(logits, y)` is the
#    mean, and safe for large logits. Steps on parameters stand under `torch.no_grad()`.
# 3. For a line y = w x: `g, = torch.autograd.grad(((x[rows] * w - y[rows]) ** 2).mean(), w)`, then
#    `with torch.no_grad(): w -= lr * g`.

# %% check="4.4.5a" points=3
first_rows = (small[0][:200], small[1][:200])
measured = train_softmax(first_rows, held_out, lr=0.1, batch_size=32, epochs=2, seed=3)
assert_equal(sorted(measured), ["train_loss", "val_acc", "val_loss"], "the keys")
assert_equal(train_softmax(first_rows, held_out, 0.1, 32, 2, 3), measured, "a second run with the same seed")
assert_true(measured["val_loss"] < math.log(10), "after 2 epochs on 200 pictures the loss is lower than that of guessing")
assert_true(0 < float(best_lr) < math.inf, "best_lr is a positive number")
### BEGIN HIDDEN TESTS
torch.set_num_threads(1)

def own_run(train, val, lr, batch_size, epochs, seed):
    generator = torch.Generator().manual_seed(seed)
    layer = torch.nn.Linear(train[0].shape[1], 10)
    torch.nn.init.zeros_(layer.weight)
    torch.nn.init.zeros_(layer.bias)
    optimizer = torch.optim.SGD(layer.parameters(), lr=lr)
    for _ in range(epochs):
        for rows in torch.randperm(len(train[1]), generator=generator).split(batch_size):
            optimizer.zero_grad()
            F.cross_entropy(layer(train[0][rows]), train[1][rows]).backward()
            optimizer.step()
    with torch.no_grad():
        out = layer(val[0])
        return {"train_loss": F.cross_entropy(layer(train[0]), train[1]).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
                "val_acc": (out.argmax(1) == val[1]).float().mean().item()}

rng = torch.Generator().manual_seed(47)
with part(1, "one batch an epoch, where no order matters"):
    for n, d, m, lr_, epochs_ in ((50, 6, 40, 0.3, 4), (30, 9, 25, 0.05, 1), (60, 4, 30, 1.0, 25)):
        centres = 3 * torch.randn(10, d, generator=rng)
        y_t, y_v = torch.randint(0, 10, (n,), generator=rng), torch.randint(0, 10, (m,), generator=rng)
        some = (centres[y_t] + torch.randn(n, d, generator=rng), y_t)
        other = (centres[y_v] + 2.5 * torch.randn(m, d, generator=rng), y_v)
        mine, yours = own_run(some, other, lr_, n, epochs_, 0), train_softmax(some, other, lr_, n, epochs_, 5)
        words = f"{n} rows of {d} numbers, lr {lr_}, {epochs_} epochs"
        assert_close(yours["train_loss"], mine["train_loss"], f"train_loss for {words}", rtol=0.05, atol=0.02,
                     hint="The mean loss over a batch, ten classes, a bias, and this number of epochs.")
        assert_close(yours["val_loss"], mine["val_loss"], f"val_loss for {words}", rtol=0.05, atol=0.02,
                     hint="It is measured on the rows of val, after the last epoch.")
        assert_close(yours["val_acc"], mine["val_acc"], f"val_acc for {words}", atol=0.1, rtol=0)
with part(1, "minibatches and seeds"):
    some, other = (small[0][:500], small[1][:500]), (held_out[0][:300], held_out[1][:300])
    mine = [own_run(some, other, 0.03, 30, 3, s)["val_loss"] for s in range(3)]
    yours = [train_softmax(some, other, 0.03, 30, 3, s)["val_loss"] for s in range(3)]
    assert_close(sum(yours) / 3, sum(mine) / 3, "val_loss on 500 pictures in batches of 30, mean of three seeds", rtol=0, atol=0.06,
                 hint="The last batch has 20 rows; every batch makes one step with the mean of its gradients.")
    assert_equal(train_softmax(some, other, 0.03, 30, 3, 1)["val_loss"], yours[1], "val_loss for a seed that was used before",
                 hint="All random numbers must come from the seed.")
    assert_true(len({round(float(v), 7) for v in yours}) == 3, "three seeds give three results", hint="Is the order of the rows random?")
with part(1, "best_lr"):
    mean_loss = sum(own_run(small, held_out, float(best_lr), 256, 5, s)["val_loss"] for s in (10, 11, 12)) / 3
    assert_true(mean_loss <= 0.88, "the validation loss with best_lr, over three seeds, is at most 0.88",
                hint=f"It is {mean_loss:.2f}.")
total()
### END HIDDEN TESTS

# %% [markdown]
# The curve of your sweep, three seeds for each point:

# %% tags=["demo"]
rates, curves = [0.001, 0.01, 0.1, 1, 10], []
for seed in range(3):
    found = [train_softmax(small, held_out, lr, 256, 5, seed) for lr in rates]
    if None not in found:
        curves.append([row["val_loss"] for row in found])
for lr, losses in zip(rates, zip(*curves)):
    print(f"lr {lr:6}: validation loss", [round(float(loss), 3) for loss in losses])
if curves:
    d2l.plot(rates, curves, "learning rate", "validation loss", xscale="log", yscale="log", fmts=("o-", "s--", "^:"))

# %% [markdown] task="4.4.5b" kind="experiment" minutes=25 difficulty=4
# ### The batch size
#
# Keep the learning rate at 0.02 and train on `small` for 5 epochs with the batch sizes 1, 4, 16, 64, 256 and 1024, over
# the seeds 0, 1, 2. Batch size 4 is the yardstick: we speak of an *effect* if the mean validation loss is more than 0.1
# above that of 4.
#
# Bind `batch_effect`, a dictionary with two entries:
#
# - `"large"`: the smallest batch size of the grid above 4 that shows an effect;
# - `"epochs_256"`: with batch size 256 and more epochs the loss falls. The number of epochs after which its mean
#   validation loss is that of batch size 64 after 5 epochs.
#
# Over ten seeds the validation loss varied by 0.16 for batch size 4, by 0.05 for 16, and by 0.03 or less from 64 on. The
# check trains with its own seeds and accepts a validation loss within 0.05 for `"epochs_256"`. You can use your
# `train_softmax`, or any other program.
#
# Then answer in words, with your table:
# 1. What happens to the training loss and to the validation loss as the batch becomes larger? What as it becomes smaller?
# 2. How many updates does each batch size make in 5 epochs? What does `"epochs_256"` say about the reason for the effect?
# 3. Batch size 1 has the most updates. Why is its validation loss not better than that of 4?
#
# **You are done when** the check finds a batch size of the grid and a number of epochs, and your words give the table.

# %% exercise="4.4.5b"
### BEGIN SOLUTION
batch_effect = {"large": 64, "epochs_256": 20}
### END SOLUTION

# %% [markdown] hints="4.4.5b"
# 1. What changes between the runs besides the batch size, if the number of epochs is fixed?
# 2. 3,000 rows in batches of b make ceil(3000 / b) updates an epoch. Try 10, 20, 40 epochs first, then between them.
# 3. A walker with steps of 1 m makes 100 steps, another with steps of 1 m makes 10: before you compare their shoes, let
#    them walk equally far.

# %% check="4.4.5b" points=2
assert_type(batch_effect, dict, "batch_effect")
assert_equal(sorted(batch_effect), ["epochs_256", "large"], "the keys of batch_effect")
assert_true(batch_effect["large"] in (16, 64, 256, 1024), "large is a batch size of the grid above 4")
assert_type(batch_effect["epochs_256"], int, "epochs_256")
assert_true(1 <= batch_effect["epochs_256"] <= 200, "epochs_256 is from 1 to 200")
### BEGIN HIDDEN TESTS
torch.set_num_threads(1)

def final_loss(batch_size, seed, epochs=5):
    generator = torch.Generator().manual_seed(seed)
    W, b = torch.zeros(784, 10), torch.zeros(10)
    for _ in range(epochs):
        for rows in torch.randperm(3000, generator=generator).split(batch_size):
            X, y = small[0][rows], small[1][rows]
            G = torch.softmax(X @ W + b, dim=1)
            G[torch.arange(len(y)), y] -= 1
            W -= 0.02 / len(y) * (X.T @ G)
            b -= 0.02 * G.mean(dim=0)
    return F.cross_entropy(held_out[0] @ W + b, held_out[1]).item()

with part(1, "the smallest batch size with an effect"):
    large_, yardstick = batch_effect["large"], final_loss(4, 20)
    assert_true(final_loss(large_, 22) > yardstick + 0.1, f"batch size {large_} loses more than 0.1 against 4",
                hint="Average over the seeds.")
    assert_true(large_ == 16 or final_loss(large_ // 4, 22) <= yardstick + 0.1, f"batch size {large_ // 4}, one step below, does not",
                hint="A smaller batch size shows an effect already.")
with part(1, "the epochs that batch size 256 needs"):
    after = final_loss(256, 23, batch_effect["epochs_256"])
    assert_close(after, final_loss(64, 24), "the validation loss of batch size 256 after epochs_256 epochs", rtol=0, atol=0.05,
                 hint="It is to be that of batch size 64 after 5 epochs: neither higher nor lower.")
total()
### END HIDDEN TESTS

# %% [markdown] written="4.4.5b" points=4
# ### BEGIN SOLUTION
# Means over the seeds 0, 1, 2, learning rate 0.02, 5 epochs (the cell below prints them):
# the validation loss is about 0.65 for batch size 1, 0.56 for 4, 0.63 for 16, 0.83 for 64, 1.22 for 256 and 1.80 for 1024.
#
# 1. From 16 upward both losses grow with the batch size, and by the same amount: the model has not been trained enough
#    (underfitting), so training and validation loss agree. Towards 1 the training loss goes on falling, to 0.44, but the
#    validation loss rises: a gap of about 0.2 opens.
# 2. 15000, 3750, 940, 235, 60 and 15 updates. 256 with 20 epochs makes 240 updates and has a validation loss of about 0.82,
#    the value of batch size 64 with its 235; so has 256 with four times the learning rate and 5 epochs. In this range the
#    number of updates times the learning rate explains the loss, not the batch size itself.
# 3. The gradient of a single example is noisy. With a constant learning rate the weights do not settle: they jump around
#    the minimum at a distance that grows with learning rate / batch size. And 15000 updates have begun to fit the 3,000
#    pictures. A smaller learning rate or one that falls would help.
#
# **Rubric**
# - [1] Large batches: both losses rise together; small batches: a gap opens between them; evidence: the table with training
#   and validation loss; lost by: "larger batches overfit"
# - [1] The numbers of updates, ceil(3000 / b) · 5; evidence: at least three of them
# - [1] With about the same number of updates 256 has the loss of 64, so the updates explain the effect; also accepted: a
#   larger learning rate does the same; evidence: the numbers of a run; lost by: the claim without a run
# - [1] Noise of the single gradients at a constant learning rate; also accepted: overfitting shown by the gap; lost by:
#   "too few updates"
# ### END SOLUTION

# %% tags=["demo"]
print("batch size  updates  training loss  validation loss   (means over three seeds)")
for size, lr, epochs in ((1, 0.02, 5), (4, 0.02, 5), (16, 0.02, 5), (64, 0.02, 5), (256, 0.02, 5), (1024, 0.02, 5),
                         (256, 0.02, 20), (256, 0.08, 5)):
    runs = [train_softmax(small, held_out, lr, size, epochs, seed) for seed in range(3)]
    if None in runs:
        print("train_softmax has no answer yet")
        break
    means = [sum(run[key] for run in runs) / 3 for key in ("train_loss", "val_loss")]
    print(f"{size:10}  {epochs * math.ceil(3000 / size):7}  {means[0]:13.3f}  {means[1]:15.3f}   lr {lr}, {epochs} epochs")

# %% [markdown]
# ### Without autograd
#
# The gradient of the cross-entropy with respect to the scores of an example is `softmax - one_hot`: probabilities minus
# labels. The chain rule for the linear layer does the rest.

# %% [markdown] task="4.4.6" kind="code" minutes=20 difficulty=4 core=true
# ### One step by hand
#
# Write `step_by_hand(W, b, X, y, lr)`: one step of gradient descent for the mean cross-entropy of the batch, without
# autograd. `W` has shape (d, classes), `b` (classes,), `X` (n, d), `y` (n,), `int64`; none of them requires a gradient.
# `W` and `b` are changed *in place*. It returns the loss of the batch *before* the step, as a number or a tensor of one
# entry. Scores of any size must do.
#
# **You are done when** the check shows the loss log 3 for zero weights and three classes, and the step that autograd makes
# for a small batch.

# %% exercise="4.4.6"
def step_by_hand(W, b, X, y, lr):
    """One step of softmax regression, in place, without autograd; returns the loss before the step."""
    ### BEGIN SOLUTION
    n = len(y)
    log_p = torch.log_softmax(X @ W + b, dim=1)
    loss = -log_p[torch.arange(n), y].mean()
    G = log_p.exp()
    G[torch.arange(n), y] -= 1
    W -= lr * (X.T @ G) / n
    b -= lr * G.mean(dim=0)
    return loss
    ### END SOLUTION

# %% [markdown] hints="4.4.6"
# 1. Which shapes have the gradients of `W` and `b`? Which product of X (n, d) and G (n, classes) has the first of them?
# 2. With G = softmax - one_hot, divided by n: the gradient of `W` is Xᵀ G, that of `b` the sum of the rows of G. `W -= ...`
#    writes into the memory of the argument, `W = W - ...` does not.
# 3. For squared errors, G = 2 (X w - y) / n, and the gradients are Xᵀ G and the sum of G: the same two lines.

# %% check="4.4.6" points=3
@probe
def stepped(W, b, X, y, lr):
    W, b, X, y = W.clone(), b.clone(), X.clone(), y.clone()
    others_W, others_b = W[:], b[:]
    loss = step_by_hand(W, b, X, y, lr)
    return loss, others_W, others_b, X, y

def step_by_autograd(W, b, X, y, lr):
    W, b = W.clone().requires_grad_(True), b.clone().requires_grad_(True)
    loss = F.cross_entropy(X @ W + b, y)
    loss.backward()
    return loss.detach(), W.detach() - lr * W.grad, b.detach() - lr * b.grad

W_0, b_0 = torch.zeros(2, 3), torch.zeros(3)
X_0, y_0 = torch.tensor([[1., 2.], [3., -1.]]), torch.tensor([2, 0])
loss_0, W_1, b_1, _, _ = stepped(W_0, b_0, X_0, y_0, 0.3)
assert_close(loss_0, math.log(3), "the loss for zero weights and three classes")
wanted = step_by_autograd(W_0, b_0, X_0, y_0, 0.3)
assert_close(W_1, wanted[1], "W after a step, through another name for its memory",
             mistakes={"It is unchanged: your result is in new memory.": W_0,
                       "It went the other way, uphill.": -wanted[1],
                       "That is the step for the sum of the losses, not for their mean.": 2 * wanted[1]})
assert_close(b_1, wanted[2], "b after a step, through another name for its memory",
             mistakes={"It is unchanged: your result is in new memory, or b was forgotten.": b_0,
                       "G is divided by n already: the gradient of b is the sum of its rows.": wanted[2] / 2,
                       "That is the step for the sum of the losses, not for their mean.": 2 * wanted[2]})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(48)
for n, d, k, scale, lr_, dtype in ((7, 4, 5, 1., 0.3, torch.float64), (5, 3, 2, 1., 1.7, torch.float32), (1, 6, 4, 1., 0.1, torch.float32),
                                   (6, 2, 3, 300., 0.01, torch.float32)):
    W_, b_ = torch.randn(d, k, generator=rng).to(dtype), torch.randn(k, generator=rng).to(dtype)
    X_, y_ = (torch.randn(n, d, generator=rng) * scale).to(dtype), torch.randint(0, k, (n,), generator=rng)
    words = f"{n} rows of {d} numbers of size {scale:g}, {k} classes"
    wanted = step_by_autograd(W_, b_, X_, y_, lr_)
    result = stepped(W_, b_, X_, y_, lr_)
    assert_close(result[0], wanted[0].item(), f"the loss before the step, {words}", rtol=1e-4)
    assert_close(result[1], wanted[1], f"W after the step, {words}", hint="Gradient Xᵀ (softmax - one_hot) / n.")
    assert_close(result[2], wanted[2], f"b after the step, {words}", hint="Gradient: the mean of the rows of softmax - one_hot.")
    assert_close(result[3], X_, f"the argument X after the call, {words}")
    assert_close(result[4], y_, f"the argument y after the call, {words}")
### END HIDDEN TESTS

# %% [markdown]
# ### Looking at mistakes

# %% [markdown] task="4.4.7" kind="code" minutes=10 difficulty=3
# ### The surest mistakes
#
# Mistakes of which the model is sure show most: wrong labels in the data, strange pictures, a class that it does not know.
#
# Write `worst_mistakes(P, y, k)`. `P` are probabilities (n, classes), `y` labels (n,). It returns the numbers of at most
# `k` rows whose most probable class is not the label, sorted by the probability of that class, the largest first: `int64`
# of shape (m,), or a list. If there are fewer than `k` mistakes, m is their number.
#
# **You are done when** the check finds the two mistakes among four rows, in the right order.

# %% exercise="4.4.7"
def worst_mistakes(P, y, k):
    """The numbers of the k rows that are mistaken with the largest probability, the largest first."""
    ### BEGIN SOLUTION
    sure, predicted = P.max(dim=1)
    rows = (predicted != y).nonzero().flatten()
    return rows[sure[rows].argsort(descending=True)][:k]
    ### END SOLUTION

# %% [markdown] hints="4.4.7"
# 1. `P.max(dim=1)` gives two tensors. Which one says how sure the model is?
# 2. `mask.nonzero().flatten()` are the positions of True. `argsort` of a selection gives positions *in the selection*;
#    index the row numbers with them.
# 3. The tallest girls: `g = is_girl.nonzero().flatten(); g[height[g].argsort(descending=True)][:3]`.

# %% check="4.4.7" points=2
four = torch.tensor([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6], [0.05, 0.9, 0.05], [0.2, 0.0, 0.8]])
assert_equal(worst_mistakes(four, torch.tensor([0, 0, 1, 1]), 5), [3, 1], "four rows, of which 1 and 3 are mistaken",
             hint="Only rows count whose most probable class is not the label.",
             mistakes={"The largest probability comes first.": [1, 3],
                       "These are positions among the mistakes, not numbers of rows.": [1, 0]})
assert_equal(len(worst_mistakes(four, torch.tensor([0, 0, 1, 1]), 1)), 1, "the number of rows for k = 1")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(49)
for n, classes, k_ in ((30, 4, 6), (50, 3, 100), (12, 7, 1)):
    P_ = torch.softmax(torch.randn(n, classes, generator=rng) * 2, dim=1)
    y_ = torch.where(torch.rand(n, generator=rng) < 0.5, P_.argmax(1), torch.randint(0, classes, (n,), generator=rng))
    mistaken = [i for i in range(n) if max(range(classes), key=P_[i].tolist().__getitem__) != int(y_[i])]
    mistaken.sort(key=lambda i: -max(P_[i].tolist()))
    assert_equal(worst_mistakes(P_, y_, k_), mistaken[:k_], f"{n} rows of {classes} classes, k = {k_}",
                 hint="Only mistakes, sorted by the probability of the predicted class, as row numbers.")
assert_equal(len(worst_mistakes(four, torch.tensor([0, 2, 1, 2]), 3)), 0, "no mistakes at all")
### END HIDDEN TESTS

# %% tags=["demo"]
surest = worst_mistakes(P_val, y_val, 16)
if surest is not None:
    titles = [f"{a}\n{b} {p:.2f}" for a, b, p in zip(data.text_labels(y_val[surest]), data.text_labels(predicted[surest]),
                                                     P_val[surest].max(dim=1).values)]
    axes = d2l.show_images(X_val[surest, 0], 2, 8, titles=titles)
    axes[0].figure.tight_layout()

# %% [markdown] task="4.4.8" kind="code" minutes=10 difficulty=3
# ### Who is taken for whom
#
# Write `confusion_matrix(predicted, y, num_classes)`. `predicted` and `y` are `int64` of shape (n,). The entry in row i,
# column j of the result counts the examples of class i that were predicted as j: `int64`, shape (num_classes,
# num_classes). Classes that do not occur have rows or columns of zeros.
#
# **You are done when** the check counts six examples of three classes.

# %% exercise="4.4.8"
def confusion_matrix(predicted, y, num_classes):
    """Counts of label (row) against prediction (column): (n,), (n,) -> (num_classes, num_classes), int64."""
    ### BEGIN SOLUTION
    pairs = y * num_classes + predicted
    return pairs.bincount(minlength=num_classes ** 2).reshape(num_classes, num_classes)
    ### END SOLUTION

# %% [markdown] hints="4.4.8"
# 1. How can a pair of numbers below k be written as one number below k²?
# 2. `t.bincount(minlength=m)` counts how often 0, 1, ... occur. `C[y, predicted] += 1` counts a pair that occurs twice only
#    once.
# 3. Throws of two dice as one number: `6 * (a - 1) + (b - 1)`, counted with `minlength=36`, in a table of 6 by 6.

# %% check="4.4.8" points=2
said, true_ = torch.tensor([0, 2, 1, 1, 2, 2]), torch.tensor([0, 0, 1, 1, 2, 0])
assert_equal(confusion_matrix(said, true_, 3), [[1, 0, 2], [0, 2, 0], [0, 0, 1]], "six examples of three classes",
             mistakes={"Rows are labels, columns are predictions.": [[1, 0, 0], [0, 2, 0], [2, 0, 1]],
                       "A pair that occurs twice was counted once.": [[1, 0, 1], [0, 1, 0], [0, 0, 1]]})
assert_dtype(confusion_matrix(said, true_, 3), torch.int64, "the dtype")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(50)
for n, k_, top in ((40, 4, 4), (25, 6, 3), (0, 2, 2), (500, 10, 10)):
    guess, label_ = torch.randint(0, top, (n,), generator=rng), torch.randint(0, top, (n,), generator=rng)
    table_ = [[0] * k_ for _ in range(k_)]
    for a, b_ in zip(label_.tolist(), guess.tolist()):
        table_[a][b_] += 1
    words = f"{n} examples, {k_} classes of which {top} occur"
    assert_shape(confusion_matrix(guess, label_, k_), (k_, k_), f"the shape for {words}")
    assert_equal(confusion_matrix(guess, label_, k_), table_, f"the counts for {words}")
### END HIDDEN TESTS

# %% tags=["demo"]
counts = confusion_matrix(predicted, y_val, 10)
if counts is not None:
    names = data.text_labels(range(10))
    print("accuracy", counts.diagonal().sum().item() / counts.sum().item())
    for i in range(10):
        j = (counts[i] * (torch.arange(10) != i)).argmax().item()
        print(f"{names[i]:11} recognised {counts[i, i].item() / 10:5.1f} %, most often taken for {names[j]} ({counts[i, j].item()})")
    axes = d2l.show_images([counts.float().log1p()], 1, 1, titles=["label (rows) against prediction"], scale=3)
