# %% [markdown]
# # 5.6 Dropout
#
# A network with more weights than examples can learn its examples by heart, mistakes included. Section 3.7 held the weights
# small against that. This section uses another means, which sounds like sabotage: while the network learns, a random half of its
# units is switched off at every step. Everything that is learnt has to survive that.
#
# At the end you can
# - write dropout in three lines, and say why the survivors are enlarged;
# - tell training mode from evaluation mode, and find the bug that comes of mixing them up;
# - measure what dropout does: to the error on new examples, to the spread of the activations, and beside weight decay;
# - drop weights instead of units, and invent a noise of your own.

# %% tags=["setup"]
from d2l_utils.check import *
import math
import torch
from torch import nn
from torch.nn import functional as F
import d2l_utils as d2l
from d2l_utils.fashion_mnist import read_idx

torch.set_num_threads(1)        # products this small are slower with several threads, which wait for each other

# %% [markdown]
# ## 1. A network that learns by heart
#
# Can we catch a network at learning by heart? Give it something that can *only* be learnt by heart: wrong answers. We take 400
# pictures of clothes, and 40 % of them get a label drawn at random. To learn fast, four pixels become one
# (`F.avg_pool2d(pictures, 2)` takes the mean of each square of 2 by 2), which leaves 14 · 14 = 196 numbers for a picture. The
# validation set has 1,000 other pictures, all with their right labels. (`read_idx` reads a file of Fashion-MNIST; here the one with the test pictures.)

# %% tags=["setup"]
pictures, clothes = (read_idx(d2l.data_file(f"FashionMNIST/raw/t10k-{kind}-ubyte.gz"))[:1400] for kind in ("images-idx3", "labels-idx1"))
clothes = clothes.long()                                            # (1400,), classes 0 to 9
pixels = F.avg_pool2d(pictures[:, None] / 255, 2).reshape(1400, -1)     # (1400, 196)
pixels = (pixels - pixels[:400].mean()) / pixels[:400].std()        # standardised by the training pictures
luck = torch.Generator().manual_seed(0)
spoiled = torch.rand(400, generator=luck) < 0.4                     # which labels are replaced, about 40 %
train_X, train_y = pixels[:400], torch.where(spoiled, torch.randint(0, 10, (400,), generator=luck), clothes[:400])
val_X, val_y = pixels[400:], clothes[400:]

def make_net(p1, p2):
    """196 pixels -> 128 units -> 128 units -> 10 scores; p1 and p2 are the dropout rates of the two hidden layers."""
    return nn.Sequential(nn.Linear(196, 128), nn.ReLU(), nn.Dropout(p1),
                         nn.Linear(128, 128), nn.ReLU(), nn.Dropout(p2), nn.Linear(128, 10))

def make_optimizer(net, decay=0.):
    """Adam: gradient descent with a step size of its own for each parameter; `decay` is λ of weight decay."""
    return torch.optim.Adam(net.parameters(), lr=0.002, weight_decay=decay)

def one_epoch(net, optimizer):
    """Once through the 400 pictures in batches of 50, in whatever mode the network is."""
    for rows in torch.randperm(400).split(50):
        optimizer.zero_grad()
        F.cross_entropy(net(train_X[rows]), train_y[rows]).backward()
        optimizer.step()

def train(net, epochs, decay=0.):
    """Puts the network into training mode and trains it, in place."""
    net.train()
    optimizer = make_optimizer(net, decay)
    for _ in range(epochs):
        one_epoch(net, optimizer)

def share_right(net, X, y):
    """The share of rows that the network classifies as y says, in whatever mode it is: a float."""
    with torch.no_grad():
        return (net(X).argmax(dim=1) == y).float().mean().item()

# %% [markdown]
# Read these helpers once; every experiment of this section uses them. `nn.Dropout(0)` does nothing, so `make_net(0, 0)` is a plain
# network with two hidden layers. Adam is a faster walker than plain gradient descent, no more than that matters here.

# %% tags=["demo"]
torch.manual_seed(0)
plain = make_net(0, 0)
train(plain, 30)
plain.eval()
print("weights and biases:", sum(p.numel() for p in plain.parameters()))
print(f"right by the labels it was given:  {share_right(plain, train_X, train_y):.3f}")
print(f"right on the spoiled labels alone: {share_right(plain, train_X[spoiled], train_y[spoiled]):.3f}")
print(f"right on new pictures:             {share_right(plain, val_X, val_y):.3f}")

# %% [markdown]
# Of the random labels it reproduces 73 of 100. There is no rule in them, so these were learnt by heart. And it has
# cost something: only 53 of 100 new pictures are classified correctly.
#
# How can a network remember one picture? Some hidden units come to work together: this one fires for the stripe in the collar, that
# one corrects it where the sleeve is short, and only the whole group says "picture 217". Each unit relies on the others being
# there. A rule that holds for all shirts needs no such conspiracy: many units see a part of it.
#
# So let us make groups unreliable.

# %% [markdown] teaches="dropout, noise in training, mask"
# ## 2. Noise on purpose
#
# **Dropout**: at each training step, each hidden unit is set to 0 with probability p, independently of all others. In the next
# step the dice are thrown again. What a unit computes must be of use in whatever company it finds itself.
#
# In code, a table of ones and zeros, a *mask*, multiplies the activations. Four examples (rows) with six units (columns), p = 0.5:

# %% teaches="mask, dropout"
torch.manual_seed(1)
H = torch.tensor([[1., 2., 0., 4., 1., 3.]]).repeat(4, 1)        # (4, 6): four times the same example, to see the dice
keep = torch.rand(H.shape) > 0.5                                 # uniform numbers from 0 to 1; True: kept
print(keep.int())
print(keep * H)

# %% [markdown] teaches="inverted dropout, expectation kept"
# Each row lost other units. Every entry has a die of its own: a mask that is shared by all examples of a batch, or by all units of an
# example, would be another method.
#
# Something is wrong with the size, though. Half of the units are gone, so the sum that the next layer receives is on average
# half as large. Later, when the network is used without dropout, all units are there: every layer would get sums twice as large as
# it was trained for. The remedy is to enlarge the survivors, by the factor $1/(1-p)$:
#
# $$h' = \begin{cases} 0 & \text{with probability } p,\\[2pt] \dfrac{h}{1-p} & \text{with probability } 1-p.\end{cases}$$
#
# Now the expectation is right, whatever h and p are:
#
# $$\mathrm E[h'] = p \cdot 0 + (1-p)\cdot\frac{h}{1-p} = h .$$
#
# And the variance is the expectation of the square minus the square of the expectation:
#
# $$\mathrm{Var}[h'] = (1-p)\cdot\frac{h^2}{(1-p)^2} - h^2 = \frac{p}{1-p}\,h^2 .$$
#
# At p = 0 there is no noise; at p = 0.5 the standard deviation is as large as h itself; towards p = 1 it grows beyond all bounds. Does
# a simulation agree?

# %% teaches="inverted dropout"
h, p = 3.0, 0.8
dropped = (torch.rand(1_000_000, generator=torch.Generator().manual_seed(0)) > p) * h / (1 - p)
print("the two values:", dropped.unique(), " mean:", dropped.mean(), " variance:", dropped.var())
print("by the formula: mean", h, " variance", p / (1 - p) * h ** 2)

# %% [markdown]
# The survivors are 15 = 3 / 0.2, and the mean stays 3.
#
# ⚠ *Which of the two is p?* Here and in torch, p is the probability to be **dropped**. Other papers and libraries give the
# probability to be **kept**. At 0.5 nobody notices the mix-up; who writes 0.8 and means that 80 % are kept loses four units of five. If in doubt, count zeros:

# %%
counted = F.dropout(torch.ones(10_000), p=0.2)
print("share of zeros with p = 0.2:", (counted == 0).float().mean(), " the others are", counted.max())

# %% [markdown] task="5.6.A" kind="code" minutes=3 difficulty=1 core=true needs="inverted dropout, expectation, variance"
# ### What the next layer can expect
#
# Write `after_dropout(h, p)`: a unit has the activation `h` (any number) and is dropped with probability `p`, from 0 to 1; a survivor
# becomes h / (1 - p). It returns a pair, the expectation and the variance of what is left.
#
# **You are done when**
# - **expectation**: it stands first, and is `h` for every p below 1, 0 included;
# - **variance**: it stands second, and is right for negative `h`, too;
# - **p = 1**: with certainty nothing is left: both are 0, without a division by zero.

# %% exercise="5.6.A"
def after_dropout(h, p):
    """(expectation, variance) of the activation h after dropout with probability p."""
    ### BEGIN SOLUTION
    if p == 1:
        return 0., 0.
    return h, p / (1 - p) * h ** 2
    ### END SOLUTION

# %% [markdown] hints="5.6.A"
# 1. Which two values can there be, and with which probabilities?
# 2. A variance is the mean of the squares minus the square of the mean.
# 3. A bet that pays 10 with probability 0.3 and else nothing: expectation 3, variance 0.3 · 100 - 9 = 21.

# %% check="5.6.A" points=1
def near(value, wanted):
    """Whether a number is close to another one, as throwing dice gives it."""
    return (isinstance(value, (int, float, torch.Tensor)) and torch.as_tensor(value).numel() == 1
            and abs(float(value) - wanted) < 0.05 * abs(wanted))

def simple_56A():
    """The first of some simple cases whose variance the answer has wrong, in words."""
    for h_in, p_in, right, why in ((1., 0.5, 1., "what is left is 0 or 2, the mean of the squares 0.5 · 4 = 2, and 2 - 1 = 1"),
                                   (3., 0.5, 9., "what is left is 0 or 6, the mean of the squares 0.5 · 36 = 18, and 18 - 9 = 9"),
                                   (1., 0.75, 3., "what is left is 0 or 4, the mean of the squares 0.25 · 16 = 4, and 4 - 1 = 3"),
                                   (-1., 0.5, 1., "what is left is 0 or -2, the mean of the squares 0.5 · 4 = 2, and 2 - 1 = 1")):
        found = float(after_dropout(h_in, p_in)[1])
        if abs(found - right) > 1e-6:
            return f"With h = {h_in:g} and p = {p_in:g}, {why}; yours is {found:.6g}."
    return ""

for h_in, p_in, variance_in in ((3., 0.2, 2.25), (-2., 0.6, 6.)):
    pair = after_dropout(h_in, p_in)
    assert_type(pair, (tuple, list, torch.Tensor), f"what after_dropout({h_in}, {p_in}) returns", of="expectation")
    assert_equal(len(pair), 2, f"how many numbers after_dropout({h_in}, {p_in}) returns", of="expectation",
                 hint="The pair (expectation, variance).")
    assert_close(pair[0], h_in, f"the expectation for h = {h_in}, p = {p_in}", of="expectation",
                 mistakes={"The survivors are enlarged, so the expectation does not shrink.": h_in * (1 - p_in), "The expectation stands first, the variance second.": variance_in,
                           "This is what a survivor becomes; only a share 1 - p survives, and the others count as 0.": h_in / (1 - p_in)}
                 | ({"The sign of h stays.": -h_in} if h_in < 0 else {}),
                 hint=lambda: "Near, but not exact: it is h itself, without dice, without rounding, with nothing added to 1 - p."
                 if near(pair[0], h_in) else
                 "It is h itself: the survivors, a share 1 - p, are enlarged by 1 / (1 - p), with nothing added to it.")
assert_close(after_dropout(3., 0.2)[1], 2.25, "the variance for h = 3, p = 0.2", of="variance",
             hint=lambda: "A survivor is 3 / 0.8 = 3.75, so the mean of the squares is 0.8 · 3.75² = 11.25, and from it the square of the mean goes, 3² = 9. " + simple_56A(),
             mistakes={"This is the standard deviation.": 1.5, "h is missing: it enters squared.": 0.25, "This is the variance without the enlarging, p (1 - p) h².": 1.44, "p is the probability to be dropped, not to be kept.": 36.,
                       "This is the mean of the squares: subtract the square of the mean.": 11.25, "h enters squared.": 0.75, "This is p h: the survivor, h / (1 - p), enters squared.": 0.6, "Divide by 1 - p once; this is p h².": 1.8, "p / (1 - p) enters once, not squared.": 0.5625,
                       "From the mean of the squares the square of the mean is taken away, h², not h.": 8.25, "p / (1 - p) stands there as it is, not its root.": 4.5, "Divide by 1 - p once, not twice.": 2.8125,
                       "The mean of the squares is (1 - p) times the square of h / (1 - p); here 1 - p is missing.": 5.0625})
assert_close(after_dropout(-2., 0.6)[1], 6., "the variance for h = -2, p = 0.6", of="variance",
             mistakes={"A variance is never negative: h enters squared, whatever its sign.": -6., "A variance is never negative: h enters squared.": -3., "h enters squared.": 3., "p / (1 - p) enters once, not squared.": 9.},
             hint=lambda: "A survivor is -2 / 0.4 = -5, so the mean of the squares is 0.4 · 25 = 10, and from it the square of the mean goes, 4. " + simple_56A())
assert_close(list(after_dropout(4., 0)), [4., 0.], "h = 4, p = 0: expectation and variance", of="expectation",
             hint="With p = 0 nothing is dropped, so h is left with certainty: expectation h, variance 0. Only p = 1 is a "
                  "case of its own.")
for p_in, wanted in ((0.98, 196.), (0.998, 1996.)):
    assert_close(list(after_dropout(-2., p_in)), [-2., wanted], f"h = -2, p = {p_in}: expectation and variance", of="variance",
                 rtol=1e-4, hint="Only p = 1 is a case of its own, and nothing is added to 1 - p.")
for h_in in (4., -0.5):
    assert_close(list(after_dropout(h_in, 1)), [0., 0.], f"h = {h_in}, p = 1", of="p = 1", hint="The unit is 0 with certainty. A certain number has variance 0.")
### BEGIN HIDDEN TESTS
for h_in, p_in in ((1.7, 0.35), (-4., 0.9), (0., 0.3), (2.5, 0.), (1.5, 0.995)):
    values, chances = torch.tensor([0., h_in / (1 - p_in)], dtype=torch.float64), torch.tensor([p_in, 1 - p_in], dtype=torch.float64)
    centre = (values * chances).sum().item()
    pair = after_dropout(h_in, p_in)
    assert_equal(len(pair), 2, f"how many numbers come back for h = {h_in}, p = {p_in}", of="expectation")
    assert_close(pair[0], centre, f"the expectation for h = {h_in}, p = {p_in}", of="expectation", atol=1e-6,
                 hint="It is h for every p below 1: no other p is a case of its own.")
    assert_close(pair[1], ((values - centre) ** 2 * chances).sum().item(), f"the variance for h = {h_in}, p = {p_in}",
                 of="variance", rtol=1e-4, atol=1e-6,
                 hint=lambda: "The mean of the squares minus the square of the mean, for every h and every p below 1. "
                 + where_they_part(lambda h, p: after_dropout(h, p)[1], lambda h, p: p / (1 - p) * h * h, h=h_in, p=p_in))
assert_close(list(after_dropout(-7., 1.)), [0., 0.], "h = -7, p = 1", of="p = 1", hint="With p = 1 nothing is left, whatever h is.")
### END HIDDEN TESTS

# %% [markdown]
# Three traps lie between the formula and a function that one can rely on.
#
# ⚠ *The ends.* At p = 1 the formula divides 0 by 0:

# %%
units = torch.tensor([1., 2., 0., 4.])
print("the formula at p = 1:", (torch.rand(4) > 1.) * units / (1 - 1.), " torch:", F.dropout(units, p=1.))

# %% [markdown]
# One NaN makes everything NaN that is computed from it. So p = 1 needs a line of its own. At the other end, p = 0, a uniform number may be exactly 0,
# and in `float16`, which has few numbers between 0 and 1, some are in any large layer: `> p` drops such an entry, `>= p` keeps it.
#
# ⚠ *The device.* `torch.rand(X.shape)` makes numbers in the computer's main memory. If X lies on a graphics card, the product fails.
# It costs nothing to say where: `torch.rand(X.shape, device=X.device)`, or `torch.rand_like(X)`, which takes shape, dtype and device from X.
# One can try that without a graphics card: the device `"meta"` has shapes and no numbers.

# %%
far = torch.ones(2, 3, device="meta")
print("rand_like:", torch.rand_like(far).device, " rand with device=:", torch.rand(far.shape, device=far.device).device)
try:
    far * (torch.rand(far.shape) > 0.5)
except RuntimeError as error:
    print("mask in main memory:", error)

# %% [markdown] teaches="device of a mask"
# ⚠ *The caller's tensor.* `X[mask] = 0` and `X /= 1 - p` overwrite X itself. In the middle of a network X is the output of a layer that autograd may need
# again for its gradients; and outside, it is somebody's data.

# %% [markdown] task="5.6.8" kind="code" minutes=8 difficulty=2 core=true needs="inverted dropout, mask, device of a mask"
# ### Dropout from scratch
#
# Write `drop(X, p)`. (Calling torch's own dropout would do, and teach nothing.) `X` is a tensor of any shape, `p` a number from 0 to 1.
#
# **You are done when**
# - **two values**: for any shape of `X`, each entry of the result is 0 or the entry of `X` divided by 1 - p;
# - **share**: each entry is dropped with probability p;
# - **independent**: every entry has a die of its own, and every call throws anew;
# - **ends**: p = 0 gives the values of `X`, and p = 1 zeros, never NaN;
# - **dtype and device**: both are those of `X`, for float16 and float64, too;
# - **argument kept**: `X` is as it was.

# %% exercise="5.6.8"
def drop(X, p):
    """X with entries set to 0 with probability p, the others divided by 1 - p."""
    ### BEGIN SOLUTION
    if p == 1:
        return torch.zeros_like(X)
    return (torch.rand_like(X) >= p) * X / (1 - p)
    ### END SOLUTION

# %% [markdown] hints="5.6.8"
# 1. Of 1,000 uniform numbers from 0 to 1, how many are above p?
# 2. A mask of True and False times a tensor is that tensor with zeros. `torch.rand_like(X)` has the shape, dtype and device of X.
# 3. A coin for each entry of a 2 by 3 table: `torch.rand(2, 3) > 0.5`. What happens to the divisor at p = 1?

# %% check="5.6.8" points=3
def dropped_ones(shape, p, value=1.):
    """drop of a tensor full of `value`, divided by `value`, after the checks of type and shape."""
    result = drop(torch.full(shape, value), p)
    assert_type(result, torch.Tensor, f"what drop returns for shape {shape}, p = {p}", of="two values")
    assert_shape(result, shape, f"the shape of drop for shape {shape}, p = {p}", of="two values")
    return result / value

def which_share(share, p):
    """What a wrong share of zeros may come from, in words; drop is asked again with another p."""
    other = 0.9 if p < 0.6 else 0.2
    if abs((dropped_ones((60, 70), other) == 0).double().mean().item() - share) < 0.05:
        return f" With p = {other} the share of yours is the same: p takes no part in it."
    if abs(share - 0.5 * (1 + math.erf(p / math.sqrt(2)))) < 0.03:
        return " So many normal random numbers (randn) are below p; uniform ones come from rand."
    for value, sentence in ((p * p, "This is p²: an entry is dropped here only where two dice say so."), (p / 2, "This is half of p."),
                            (1 - (1 - p) ** 2, "This is 1 - (1 - p)²: an entry is dropped here where one of two dice says so.")):
        if abs(share - value) < 0.02:
            return f" {sentence}"
    return ""

def dice(p, shape, what, value=1.):
    """All that chance must keep to, on a tensor of this shape full of `value`."""
    result = dropped_ones(shape, p, value)
    values = result.unique().double()
    share = (result == 0).double().mean().item()
    margin = 5 * math.sqrt(p * (1 - p) / result.numel())
    zero = (result == 0).double()
    for axis, name in enumerate(("rows", "columns") if len(shape) == 2 else [f"indices of axis {axis}" for axis in range(len(shape))]):
        a, b = zero.narrow(axis, 0, shape[axis] - 1), zero.narrow(axis, 1, shape[axis] - 1)
        together = ((a - a.mean()) * (b - b.mean())).mean().item()
        assert_true(abs(together) < margin, f"the covariance of what happens to an entry and to its neighbour in the next of the {name}, {what}, is about 0; yours {together:.3f}",
                    of="independent", hint="Make a mask of the shape of X: each entry has a die of its own.")
    assert_true(abs(share - p) < margin, f"the share of zeros for p = {p}, {what}, is within {margin:.3f} of p; yours is {share:.3f}", of="share",
                hint="p is the probability to be dropped." if abs(share - 1 + p) < margin
                else "Negative entries are kept as often as others." if value < 0 and share == 1
                else "Only p = 1 drops all." if share == 1
                else "Negative entries are dropped as often as others." if value < 0 and share == 0
                else "Nothing is dropped here: only p = 0 drops nothing." if share == 0
                else "Compare uniform numbers from 0 to 1 with p itself." + which_share(share, p))
    assert_equal(len(values), 2, f"how many different values occur, {what}, p = {p}", of="two values",
                 hint="0, and one other: all that are kept are divided by the same number, 1 - p.")
    assert_close(values, torch.tensor([0., 1 / (1 - p)], dtype=torch.float64), f"the values that occur, divided by the entries of X, {what}, p = {p}", of="two values", rtol=1e-5,
                 mistakes={"The survivors are not enlarged.": torch.tensor([0., 1.], dtype=torch.float64),
                           "Divide by 1 - p, the probability to be kept.": torch.tensor([0., 1 / p], dtype=torch.float64),
                           "The survivors are to grow, not to shrink.": torch.tensor([0., 1 - p], dtype=torch.float64),
                           "Divide by 1 - p once, not twice.": torch.tensor([0., 1 / (1 - p) ** 2], dtype=torch.float64),
                           "The sign of an entry stays.": torch.tensor([-1 / (1 - p), 0.], dtype=torch.float64)}
                 | ({} if share in (0, 1) else {"Divide by 1 - p itself, not by the share that chance has kept.":
                                                torch.tensor([0., 1 / (1 - share)], dtype=torch.float64)}),
                 hint="Two values: 0, and 1 / (1 - p) with nothing added to 1 - p.")

for shape in ((8,), (6, 4), (2, 4, 6)):
    assert_shape(drop(torch.ones(shape), 0.5), shape, f"the shape of drop for shape {shape}, p = 0.5", of="two values",
                 hint="X may have one axis, two, or more: make the random numbers in the shape of X, whatever it is.")
dice(0.3, (60, 70), "60 by 70 ones")
dice(0.5, (80, 50), "80 by 50 entries -3", -3.)
dice(0.45, (10, 20, 50), "10 by 20 by 50 ones")
once, again = dropped_ones((60, 70), 0.5), dropped_ones((60, 70), 0.5)
assert_true((once == again).double().mean().item() < 0.6,
            f"60 by 70 ones, p = 0.5: two calls agree in about half of the entries; yours in "
            f"{(once == again).double().mean().item():.2f} of them", of="independent",
            hint="Every call throws anew: no seed and no fixed mask inside.")
counts = torch.tensor([(dropped_ones((2, 5), 0.5) == 0).sum().item() for _ in range(200)], dtype=torch.float64)
assert_true(1.2 < counts.var() < 4.2, f"how many of 10 entries are dropped varies from call to call, with variance about 2.5; yours {counts.var():.2f}", of="independent",
            hint="The count is not fixed, neither of all entries nor of a row or column: each entry is dropped or not, "
                 "whatever the others do." if counts.var() < 2.5 else "No two entries share a die.")
X_in = torch.tensor([[1., -2., 0.5], [4., 0., -8.]])
assert_close(drop(X_in.clone(), 0), X_in, "drop of (1, -2, 0.5), (4, 0, -8), p = 0", of="ends", hint="With p = 0 nothing is dropped.")
assert_equal((drop(torch.ones(400, 100, dtype=torch.float16), 0) == 0).sum().item(), 0, "how many of 40,000 ones of float16 are dropped with p = 0", of="ends",
             hint="A uniform random number may be exactly 0, and in float16 some of 40,000 are: is an entry kept whose number equals p?")
assert_close(drop(X_in.clone(), 1), torch.zeros(2, 3), "drop of (1, -2, 0.5), (4, 0, -8), p = 1", of="ends", mistakes={"With p = 1 nothing survives.": X_in}, hint="With p = 1 nothing survives, and 0 / 0 is NaN.")
kept = drop(X_in.clone(), 0.25)
assert_true(bool(((kept == 0) | ((kept - X_in / 0.75).abs() < 1e-5)).all()),
            "drop of (1, -2, 0.5), (4, 0, -8), p = 0.25: each entry is 0 or the old one divided by 0.75", of="two values",
            hint="The factor is the same for all entries that are kept, whatever their size and sign.")
for kind in (torch.float64, torch.float32, torch.float16):
    for p_in in (0.5, 1):
        assert_dtype(drop(torch.ones(3, dtype=kind), p_in), kind, f"the dtype for {kind}, p = {p_in}", of="dtype and device",
                     hint="A mask of True and False leaves X's dtype as it is; random numbers and zeros of X's dtype do, too.")

@probe
def device_of_result(p):
    """The device of drop of a tensor on "meta"."""
    try:
        return drop(torch.ones(3, 4, device="meta"), p).device.type
    except RuntimeError as error:
        return "error: " + str(error)

for p_in in (0.5, 1):
    assert_equal(device_of_result(p_in), "meta", f'the device of drop(torch.ones(3, 4, device="meta"), {p_in})', of="dtype and device",
                 hint="Make random numbers and zeros where X lies: rand_like, zeros_like, or device=X.device.")

@probe
def argument_after_the_call(X, p):
    drop(X, p)
    return X

for p_in in (0.5, 1):
    assert_close(argument_after_the_call(torch.arange(1., 21.), p_in), torch.arange(1., 21.),
                 f"X = (1, ..., 20) after drop(X, {p_in})", of="argument kept", hint="Make a new tensor; do not write into X.")
### BEGIN HIDDEN TESTS
dice(0.85, (40, 300), "40 by 300 ones")
dice(0.95, (100, 120), "100 by 120 ones")
dice(0.1, (90, 60), "90 by 60 entries -0.5", -0.5)
dice(0.7, (4000,), "4000 ones")
dice(0.3, (9, 8, 7, 10), "9 by 8 by 7 by 10 entries 2", 2.)
counts = torch.tensor([(dropped_ones((3, 4), 0.75) == 0).sum().item() for _ in range(200)], dtype=torch.float64)
assert_true(1.0 < counts.var() < 3.9, "how many of 12 entries are dropped varies from call to call", of="independent",
            hint="The count is not fixed, and no two entries share a die.")
X_in = torch.linspace(-3, 3, 24, dtype=torch.float64).reshape(2, 3, 4)
kept = drop(X_in.clone(), 0.4)
assert_shape(kept, (2, 3, 4), "the shape for three axes", of="two values")
assert_true(bool(((kept == 0) | ((kept - X_in / 0.6).abs() < 1e-5)).all()), "three axes: each entry is 0 or the old one divided by 1 - p", of="two values",
            hint="The factor is the same for all entries that are kept, whatever their size and sign.")
assert_close(drop(X_in.clone(), 0.), X_in, "three axes, p = 0", of="ends", hint="With p = 0 nothing is dropped.")
assert_close(drop(X_in.clone(), 1.), torch.zeros(2, 3, 4, dtype=torch.float64), "three axes, p = 1", of="ends", hint="With p = 1 nothing survives, and 0 / 0 is NaN.")
assert_equal((drop(torch.full((40000,), 3., dtype=torch.float16), 0.) == 0).sum().item(), 0, "how many entries of float16 are dropped with p = 0", of="ends")
for kind in (torch.float64, torch.float16):
    assert_dtype(drop(X_in.to(kind), 0.4), kind, f"the dtype for {kind}", of="dtype and device", hint="A mask of True and False leaves X's dtype as it is.")
assert_equal(device_of_result(0.2), "meta", "the device of the result for a tensor on another device", of="dtype and device", hint="Make random numbers where X lies.")
assert_close(argument_after_the_call(X_in.clone() + 10, 0.3), X_in + 10, "X after the call", of="argument kept", hint="Make a new tensor; do not write into X.")
### END HIDDEN TESTS

# %% [markdown] teaches="training mode and evaluation mode"
# ## 3. Only while it learns
#
# Dropout belongs to training. When the network is used, all units take part, and nothing is enlarged. So the same layer does two different
# things, and somebody has to tell it which. In torch each module has a flag, `training`. `net.train()` sets it to True in the network and in every
# layer inside it, `net.eval()` to False. From scratch, with the library's `d2l.dropout_layer`, which does what you have just written:

# %% teaches="training mode and evaluation mode"
class DropoutMLPScratch(d2l.Classifier):
    def __init__(self, num_outputs, num_hiddens_1, num_hiddens_2, dropout_1, dropout_2, lr):
        super().__init__()
        self.save_hyperparameters()
        self.lin1, self.lin2, self.lin3 = (nn.LazyLinear(n) for n in (num_hiddens_1, num_hiddens_2, num_outputs))

    def forward(self, X):
        H1 = torch.relu(self.lin1(X.reshape(len(X), -1)))
        if self.training:                                   # the flag that train() and eval() set
            H1 = d2l.dropout_layer(H1, self.dropout_1)
        H2 = torch.relu(self.lin2(H1))
        if self.training:
            H2 = d2l.dropout_layer(H2, self.dropout_2)
        return self.lin3(H2)

torch.manual_seed(0)
net = DropoutMLPScratch(10, 128, 128, 0.5, 0.5, lr=0.1)
for mode in (net.train, net.eval):
    mode()
    print(f"training = {net.training!s:5}", net(val_X[:1])[0, :4].tolist(), net(val_X[:1])[0, :4].tolist())

# %% [markdown]
# In training mode the same picture gets other scores each time. In evaluation mode it always gets the same. There is no dropout after the last
# layer, on its output: scores that are randomly zero would be nonsense.
#
# Concise, the layer that looks at the flag itself is `nn.Dropout(p)`:

# %% teaches="training mode and evaluation mode"
class DropoutMLP(d2l.Classifier):
    def __init__(self, num_outputs, num_hiddens_1, num_hiddens_2, dropout_1, dropout_2, lr):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Flatten(), nn.LazyLinear(num_hiddens_1), nn.ReLU(), nn.Dropout(dropout_1),
                                 nn.LazyLinear(num_hiddens_2), nn.ReLU(), nn.Dropout(dropout_2), nn.LazyLinear(num_outputs))

# %% [markdown]
# `d2l.Trainer` switches the flag for you, before each epoch's training and before its validation. A loop that you write yourself has to do it, and
# three slips are common. Here they are, on a network with strong dropout:

# %% tags=["demo"]
torch.manual_seed(0)
net = make_net(0.8, 0.8)
train(net, 30)                                              # leaves the network in training mode
print(f"⚠ eval() forgotten:            {share_right(net, val_X, val_y):.3f} right, and again {share_right(net, val_X, val_y):.3f}")
net.training = False                                        # sets the flag of the outer module alone
print(f"⚠ net.training = False:        {share_right(net, val_X, val_y):.3f}; the layer's own flag: {net[2].training}")
net.eval()
print(f"eval():                        {share_right(net, val_X, val_y):.3f} right, and again {share_right(net, val_X, val_y):.3f}")
always = F.dropout(torch.ones(5), p=0.8)                    # the function does not know any module's flag
print(f"⚠ F.dropout without training=: {always.tolist()}")
print(f"F.dropout(..., training=False): {F.dropout(torch.ones(5), p=0.8, training=False).tolist()}")

# %% [markdown]
# - Without `eval()` the network is measured with dice in its head: 0.374 in place of 0.589, and different each time. No error is raised.
# - `net.training = False` reaches only the outermost module; the dropout layers inside keep their own flags. Call the method.
# - The function `F.dropout` has `training=True` by default. In a module's `forward` write `F.dropout(H, p, training=self.training)`.
# - And the reverse slip: after measuring in the middle of training, forgetting `net.train()`. From then on the network trains without dropout. Exercise 5.6.2 looks for it.

# %% [markdown] task="5.6.B" kind="code" minutes=4 difficulty=2 core=true needs="training mode and evaluation mode"
# ### A prediction without dice
#
# Write `predict(net, X)`: the classes that the module `net` gives to the rows of `X`, where its largest score lies. Whoever calls it may be in the middle of training,
# so leave no trace: a network that came in training mode goes back in training mode, one in evaluation mode stays there.
#
# **You are done when**
# - **classes**: a tensor of shape `(n,)` with the place of the largest score in each row;
# - **without dropout**: the classes are those of the network in evaluation mode, also if it drops by `F.dropout(H, p, self.training)` and not by `nn.Dropout`;
# - **mode kept**: after the call the network and all layers inside it, those in an inner `nn.Sequential`, too, are in the mode in which the network came;
# - **no other trace**: dropout rates, the weights, their gradients and their `requires_grad`, and torch's recording of gradients are as they were, whatever they were.

# %% exercise="5.6.B"
def predict(net, X):
    """The class of each row of X, (n,), computed without dropout; the mode of net is kept."""
    ### BEGIN SOLUTION
    mode = net.training
    net.eval()
    with torch.no_grad():
        classes = net(X).argmax(dim=1)
    net.train(mode)
    return classes
    ### END SOLUTION

# %% [markdown] hints="5.6.B"
# 1. How do you know, before you change it, in which mode the network is?
# 2. `net.train(False)` is the same as `net.eval()`, and `net.train(True)` the same as `net.train()`.
# 3. A lamp that must be off for a photo: look whether it is on, switch it off, take the photo, put it back as it was.

# %% check="5.6.B" points=2
@probe
def classes_and_modes(weights, X, p, mode):
    """The classes from predict, and the flags of the network and its layers afterwards; one linear layer behind dropout, which stands in a Sequential of its own."""
    net = nn.Sequential(nn.Sequential(nn.Dropout(p)), nn.Linear(weights.shape[1], weights.shape[0], bias=False))
    with torch.no_grad():
        net[1].weight.copy_(weights)
    net.train(mode)
    recording = torch.is_grad_enabled()
    try:
        result = predict(net, X)
    finally:
        torch.set_grad_enabled(recording)
    return result, [int(module.training) for module in net.modules()]

@probe
def classes_with_own_layer(weights, X, p):
    """The classes from predict for a network in training mode that drops by F.dropout, as its own flag says."""
    class OwnLayer(nn.Module):
        def forward(self, X):
            return F.dropout(X, p, self.training)
    net = nn.Sequential(OwnLayer(), nn.Linear(weights.shape[1], weights.shape[0], bias=False))
    with torch.no_grad():
        net[1].weight.copy_(weights)
    recording = torch.is_grad_enabled()
    try:
        return predict(net, X)
    finally:
        torch.set_grad_enabled(recording)

@probe
def flags_before_and_after(X, d, q, recording, requires):
    """Whether torch records and a weight requires its gradient, after predict, where they were set to this before."""
    net = nn.Sequential(nn.Dropout(0.5), nn.Linear(d, q, bias=False))
    net[1].weight.requires_grad_(requires)
    before = torch.is_grad_enabled()
    torch.set_grad_enabled(recording)
    try:
        predict(net, X)
        return int(torch.is_grad_enabled()), int(net[1].weight.requires_grad)
    finally:
        torch.set_grad_enabled(before)

@probe
def traces(weights, X, p):
    """After predict: the rate of dropout, the weights, their gradient, whether they require one, whether torch records."""
    net = nn.Sequential(nn.Sequential(nn.Dropout(p)), nn.Linear(weights.shape[1], weights.shape[0], bias=False))
    with torch.no_grad():
        net[1].weight.copy_(weights)
    layer, rate = net[1], net[0][0]
    layer.weight.grad = 2 * weights
    recording = torch.is_grad_enabled()
    try:
        predict(net, X)
        records = int(torch.is_grad_enabled())
    finally:
        torch.set_grad_enabled(recording)
    gradient = torch.zeros(0) if layer.weight.grad is None else layer.weight.grad
    return float(rate.p), layer.weight.detach(), gradient, int(layer.weight.requires_grad), records

def check_predict(seed, n, d, q, p):
    rng = torch.Generator().manual_seed(seed)
    weights_in, X_in = torch.randn(q, d, generator=rng), torch.randn(n, d, generator=rng)
    for mode, word in ((False, "evaluation"), (True, "training")):
        result, flags = classes_and_modes(weights_in, X_in, p, mode)
        assert_type(result, torch.Tensor, f"what predict returns, a network in {word} mode", of="classes")
        assert_shape(result, (n,), f"the shape of the classes of {n} row{'s' if n > 1 else ''}", of="classes", hint="One class for each row.",
                     mistakes={"A single axis, (n,): no keepdim.": (n, 1),
                               "argmax runs over the classes of a row, dim=1, not over the rows.": (q,)}
                     | ({"A single row has a class in an axis, too: no squeeze().": ()} if n == 1 else {}))
        assert_equal(result.tolist(), (X_in @ weights_in.T).argmax(dim=1).tolist(), f"the classes of {n} rows, a network in {word} mode with dropout {p}",
                     of="without dropout" if mode else "classes",
                     hint=lambda: "Call net.eval() before the network is used: it reaches the layers inside." if mode
                     else "With p = 0 the classes are right: so predict itself has switched dropout on."
                     if classes_and_modes(weights_in, X_in, 0., mode)[0].tolist() == (X_in @ weights_in.T).argmax(dim=1).tolist()
                     else "The place of the largest score of each row: argmax(dim=1), with the scores as they are.")
        assert_equal(flags, [int(mode)] * 4,
                     f"the training flags of the network, its inner nn.Sequential, the dropout layer in that, and its linear "
                     f"layer after predict, a network that came in {word} mode", of="mode kept",
                     hint="Note the mode before you change it; train(mode) reaches the layers inside, too.",
                     mistakes={"The network is left in evaluation mode. Note the mode before you change it, and put it back.":
                                   [0, 0, 0, 0],
                               "The network's own flag is put back, its layers are left in evaluation mode: net.training = mode "
                               "sets one flag alone, net.train(mode) those of the layers inside, too.": [1, 0, 0, 0],
                               "The dropout layer lies in an inner nn.Sequential, and is left in evaluation mode: "
                               "net.train(mode) reaches all layers.": [1, 1, 0, 1],
                               "Only the dropout layer is put back, the others are left in evaluation mode: net.train(mode) "
                               "reaches all of them.": [0, 0, 1, 0]}
                     if mode else
                     {"It is put into training mode, though it came in evaluation mode. Note the mode before you change it, and "
                      "put that back.": [1, 1, 1, 1]})
    assert_equal(classes_with_own_layer(weights_in, X_in, p).tolist(), (X_in @ weights_in.T).argmax(dim=1).tolist(),
                 f"the classes of {n} row{'s' if n > 1 else ''}, a network in training mode whose own layer calls "
                 f"F.dropout(X, {p}, self.training)", of="without dropout",
                 hint="There is no nn.Dropout in this network, only a layer with a flag `training` of its own: "
                      "net.eval() sets that of every layer.")
    rate, weights_after, gradient, requires, records = traces(weights_in, X_in, p)
    assert_close(rate, p, f"the rate of a dropout layer with rate {p} after predict", of="no other trace", hint="Switch dropout off with eval(), not by its rate.")
    assert_close(weights_after, weights_in, "the weights after predict", of="no other trace",
                 hint="A prediction computes with the weights and writes nothing into them.")
    assert_shape(gradient, weights_in.shape, "the gradient of the weights after predict: its shape", of="no other trace", hint="The caller still needs the gradients: no zero_grad.")
    assert_close(gradient, 2 * weights_in, "the gradient of the weights after predict, which was there before", of="no other trace", hint="A prediction needs no backward.")
    assert_equal(requires, 1, "requires_grad of the weights after predict, 1 for True", of="no other trace", hint="Work under torch.no_grad() in place of requires_grad_(False).")
    assert_equal(records, 1, "torch.is_grad_enabled() after predict, 1 for True", of="no other trace", hint="`with torch.no_grad():` ends by itself.")
    records, requires = flags_before_and_after(X_in, d, q, False, True)
    assert_equal(records, 0, "torch.is_grad_enabled() after predict, called inside torch.no_grad(): 0 for False",
                 of="no other trace",
                 hint="The caller had switched the recording off. `with torch.no_grad():` puts back what was there; "
                      "set_grad_enabled(True) does not.")
    _, requires = flags_before_and_after(X_in, d, q, True, False)
    assert_equal(requires, 0, "requires_grad after predict, of a weight for which it was False before: 0 for False",
                 of="no other trace",
                 hint="Leave requires_grad alone: torch.no_grad() suffices.")

check_predict(1, 40, 6, 3, 0.7)
check_predict(4, 1, 6, 3, 0.7)
### BEGIN HIDDEN TESTS
check_predict(2, 25, 9, 5, 0.5)
check_predict(3, 60, 4, 2, 0.9)
check_predict(5, 1, 5, 4, 0.6)
### END HIDDEN TESTS

# %% [markdown] teaches="effect of dropout"
# ## 4. Does it help?
#
# Now the experiment for which the 400 pictures were spoiled: the same network with and without dropout. `d2l.Trainer` trains both and keeps the losses:

# %% tags=["demo"] teaches="effect of dropout"
import matplotlib.pyplot as plt

class Clothes(d2l.DataModule):
    def __init__(self):
        super().__init__()
        self.batch_size = 50

    def get_dataloader(self, train):
        return self.get_tensorloader((train_X, train_y) if train else (val_X, val_y), train)

class WithAdam(DropoutMLP):
    def configure_optimizers(self):
        return make_optimizer(self)

figure, ax = plt.subplots(figsize=(5.6, 3.2), layout="constrained")
for rate, colour in ((0., "C0"), (0.5, "C1")):
    torch.manual_seed(0)
    trainer = d2l.Trainer(max_epochs=40, verbose=False)
    trainer.fit(WithAdam(10, 128, 128, rate, rate, lr=0.002), Clothes())
    history = trainer.history
    for label, style in (("train_loss", "-"), ("val_loss", "--")):
        ax.plot(history["epoch"], history[label], style, color=colour, label=f"{label}, p = {rate}")
    for epoch in (10, 40):
        print(f"p = {rate}, epoch {epoch}: training loss {history[epoch - 1]['train_loss']:.2f}, validation loss {history[epoch - 1]['val_loss']:.2f},"
              f" validation accuracy {history[epoch - 1]['val_acc']:.3f}")
ax.set(xlabel="epoch", ylabel="cross-entropy", ylim=(0, 2.7))
ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
ax.grid(alpha=0.3)
plt.show()

# %% [markdown]
# What to see: without dropout (blue) the training loss falls without end and the validation loss turns up after a few epochs: the network learns the spoiled labels
# by heart. (For the first 15 epochs its validation loss is the lower one: with dropout a network learns more slowly.) With dropout (orange) the training loss stays high, since the dice prevent it, and the validation loss stays low. After 40 epochs 54 of 100 against
# 66 of 100 of the new pictures are right.
#
# ⚠ *Two losses that cannot be compared.* The orange training loss lies above the validation loss. That is no mistake and no underfitting by itself: the training loss was measured with dropout *on*, on spoiled
# labels; the validation loss with dropout off, on right ones. To compare a training error with a validation error, measure both in evaluation mode, on labels of the same kind.

# %% [markdown] task="5.6.1" kind="experiment" minutes=14 difficulty=2 core=true needs="effect of dropout, training mode and evaluation mode, validation set, overfitting"
# ### Two rates, and the two exchanged
#
# The network has two hidden layers, and each can have its own rate. Does it matter which layer gets the larger one?
#
# Write `rate_sweep(pairs, epochs, seeds)`. For each pair `(p1, p2)` in the list and each seed in the list: call `torch.manual_seed(seed)`, then `make_net(p1, p2)`, then
# `train(net, epochs)`; then measure `share_right` on the 400 training pictures and on the 1,000 validation pictures. Return a list with a dictionary for each pair, in their order: `{"p1": ..., "p2": ..., "train": ..., "val": ...}`, the last two being the means over the seeds.
#
# Then run `rate_sweep([(0, 0), (0.2, 0.5), (0.5, 0.2), (0.5, 0.5), (0.8, 0.8)], 30, [0, 1, 2, 3])` in a cell of your own (a few seconds), and describe in words, with numbers: what do more and less dropout do to both columns, what happens if 0.2 and 0.5 are exchanged,
# and how sure can you be of it with four seeds? (Print the four seeds one by one to see how far they scatter.)
#
# A cell of your own: click the check, then press the button **+** above the notebook, or Esc and B. A new cell opens below it.
#
# **You are done when**
# - **rows**: a dictionary with the four keys comes back for each pair, in the order of `pairs`, also for one that stands there twice;
# - **rates**: the first number of a pair is the rate of the first hidden layer;
# - **measured without dropout**: both shares are those of the network in evaluation mode;
# - **epochs and seeds**: the network trains for `epochs`, and the shares are means over all of `seeds`.
#
# The words are complete when they answer the three questions with numbers from your table.

# %% exercise="5.6.1"
def rate_sweep(pairs, epochs, seeds):
    """[{"p1", "p2", "train", "val"}, ...]: mean shares of right answers for each pair of dropout rates."""
    ### BEGIN SOLUTION
    table = []
    for p1, p2 in pairs:
        shares = []
        for seed in seeds:
            torch.manual_seed(seed)
            net = make_net(p1, p2)
            train(net, epochs)
            net.eval()
            shares.append([share_right(net, train_X, train_y), share_right(net, val_X, val_y)])
        on_train, on_val = torch.tensor(shares).mean(dim=0).tolist()
        table.append({"p1": p1, "p2": p2, "train": on_train, "val": on_val})
    return table
    ### END SOLUTION

# %% [markdown] written="5.6.1" points=3
# ### BEGIN SOLUTION
# Run over the seeds 0 to 3, 30 epochs: mean share on training pictures, on validation pictures, and standard deviation of the latter over the seeds.
#
# | p1, p2 | training | validation | scatter |
# |---|---|---|---|
# | 0, 0 | 0.869 | 0.553 | 0.022 |
# | 0.2, 0.5 | 0.712 | 0.636 | 0.020 |
# | 0.5, 0.2 | 0.668 | 0.649 | 0.014 |
# | 0.5, 0.5 | 0.604 | 0.653 | 0.009 |
# | 0.8, 0.8 | 0.450 | 0.562 | 0.025 |
#
# More dropout means less learning by heart: the training share falls from row to row, 0.869 to 0.450. (About 0.64 is what a network would reach that knows the true labels only: 60 % of the labels are true, and a tenth of the random ones by chance.) The validation share gains 0.10 from no dropout to 0.5, 0.5 and
# loses nearly all of it at 0.8, 0.8: there too little of the network is left to learn with.
#
# Exchanging 0.2 and 0.5 changes the validation share from 0.636 to 0.649, in favour of the larger rate in the first layer. A single seed scatters by about 0.02, a mean of four by 0.01, so the difference of two means is uncertain by 0.014: the exchange shows nothing that chance could not do. (The training share differs by 0.044, and the gain over
# no dropout is far beyond chance.)
#
# **Rubric**
# - [1] More dropout lowers the share on the training pictures throughout; the share on validation pictures rises first and falls when there is too much (0.8 worse than 0.5), with numbers; lost by "more dropout is always better".
# - [1] The exchange of 0.2 and 0.5 with both numbers, and what it says: that the difference is small, about as large as chance; also accepted: either direction, if it is what the reported numbers say; lost by a claim without numbers.
# - [1] A measure of uncertainty: the scatter over the seeds (about 0.01 to 0.02 for one seed) set against the difference; lost by reading differences of a single seed as results.
# ### END SOLUTION

# %% [markdown] hints="5.6.1"
# 1. In which mode is the network after `train`? In which mode do you want to measure?
# 2. Three loops' work: pairs, seeds, and two measurements. A list of pairs of numbers becomes means with `torch.tensor(shares).mean(dim=0)`.
# 3. A mean over seeds: the shares 0.60 and 0.66 give 0.63; if four seeds scatter by 0.02, their mean is uncertain by about 0.02 / √4 = 0.01.

# %% check="5.6.1" points=3
def trained(p1, p2, epochs_, seed_, decay=0.):
    """The network that the task describes, in evaluation mode."""
    torch.manual_seed(seed_)
    net_ = make_net(p1, p2)
    train(net_, epochs_, decay)
    return net_.eval()

def both_shares(p1, p2, epochs_, seeds_):
    nets = [trained(p1, p2, epochs_, seed_) for seed_ in seeds_]
    return [sum(share_right(net_, *part_) for net_ in nets) / len(nets) for part_ in ((train_X, train_y), (val_X, val_y))]

def sweep_slips(p1, p2, epochs_, seeds_):
    """{what to say: both shares as a known slip gives them}."""
    right = both_shares(p1, p2, epochs_, seeds_)
    slips = {f"These are the shares after {other} epochs, not {epochs_}.": both_shares(p1, p2, other, seeds_) for other in (epochs_ - 1, epochs_ + 1, 30)}
    slips |= {f"This is the share of seed {seed_} alone (it may be the largest or the middle one), not the mean over the seeds.": both_shares(p1, p2, epochs_, [seed_]) for seed_ in seeds_ if len(seeds_) > 1}
    slips |= {f"These are the seeds 0 to {count - 1}, not those in `seeds`.": both_shares(p1, p2, epochs_, range(count)) for count in {len(seeds_), 4}}
    for sentence, once in (("Call manual_seed anew for each network.", True), ("Make a new network for each seed.", False),
                           ("Make a new network for each seed, after its manual_seed.", None)):
        torch.manual_seed(seeds_[0])
        net_, nets = make_net(p1, p2), []
        for seed_ in seeds_:
            if once is None or nets and not once:
                torch.manual_seed(seed_)
            net_ = make_net(p1, p2) if once and nets else net_
            train(net_, epochs_)
            nets.append([share_right(net_.eval(), train_X, train_y), share_right(net_, val_X, val_y)])
        slips[sentence] = [sum(column) / len(nets) for column in zip(*nets)]
    slips["Divide the sum by the number of seeds."] = [share * len(seeds_) / (4 if len(seeds_) != 4 else 1) for share in right]
    slips["These are the shares of wrong answers."] = [1 - share for share in right]
    slips["These are percent; a share lies between 0 and 1."] = [100 * share for share in right]
    nets = [trained(p1, p2, epochs_, seed_, seed_) for seed_ in seeds_]
    slips["train(net, epochs) is all: its third argument is weight decay, not the seed."] = [
        sum(share_right(net_, *part_) for net_ in nets) / len(nets) for part_ in ((train_X, train_y), (val_X, val_y))]
    nets = [trained(p1, p2, epochs_, seed_) for seed_ in seeds_]
    for sentence, rows_ in (("not the spoiled ones alone.", spoiled), ("the spoiled ones, too.", ~spoiled)):
        part_ = sum(share_right(net_, train_X[rows_], train_y[rows_]) for net_ in nets) / len(nets)
        slips["The training share counts all 400 pictures, " + sentence] = [part_, right[1]]
    slips["The training pictures are measured by the labels that they were given, train_y."] = [sum(share_right(net_, train_X, clothes[:400]) for net_ in nets) / len(nets), right[1]]
    return slips

def check_sweep(pairs, epochs_, seeds_):
    call = f"rate_sweep({pairs}, {epochs_}, {seeds_})"
    rows = rate_sweep(pairs, epochs_, seeds_)
    assert_type(rows, list, f"what {call} returns", of="rows")
    assert_equal(len(rows), len(pairs), f"{call}: how many rows", of="rows",
                 hint="One row for each pair that stands in the list.",
                 mistakes=({"A row for each pair, with the means over the seeds, not a row for each pair and seed.":
                                len(pairs) * len(seeds_)} if len(seeds_) > 1 else {})
                 | ({"A pair that stands there twice has two rows.": len(set(pairs))} if len(set(pairs)) < len(pairs) else {}))
    for row, (p1, p2) in zip(rows, pairs):
        assert_type(row, dict, f"{call}: a row", of="rows", hint='A dictionary {"p1": ..., "p2": ..., "train": ..., "val": ...}.')
        assert_equal(sorted(row), ["p1", "p2", "train", "val"], f"{call}: the keys of a row", of="rows",
                     hint='Each row is a dictionary {"p1": ..., "p2": ..., "train": ..., "val": ...}.')
        assert_equal([row["p1"], row["p2"]], [p1, p2], f"{call}: p1 and p2 of a row", of="rows",
                     hint="The rows stand in the order of `pairs`, and p1 is the first number of a pair.")
        for key in ("train", "val"):
            assert_type(row[key], (float, int, torch.Tensor), f"{call}: {key} of p1 = {p1}, p2 = {p2}", of="epochs and seeds",
                        hint="One number: the mean over the seeds, not a share for each of them.")
    before = []
    for row, (p1, p2) in zip(rows, pairs):
        on_train, on_val = both_shares(p1, p2, epochs_, seeds_)
        before.append([on_train, on_val])
        got = [float(row["train"]), float(row["val"])]
        wrong = max(abs(got[0] - on_train), abs(got[1] - on_val)) > 0.002
        train_other, val_other = both_shares(p2, p1, epochs_, seeds_) if wrong and p1 != p2 else (-1., -1.)
        if p1 != p2:
            assert_true(max(abs(got[0] - train_other), abs(got[1] - val_other)) > 1e-3, f"{call}: the row p1 = {p1}, p2 = {p2} is not the one of the exchanged rates", of="rates", hint="make_net takes the rate of the first hidden layer first.")
        if p1 != p2 and wrong:
            for name, hint, pair in ((f"p1 = {p1} in both layers", "The second hidden layer has the rate p2.", both_shares(p1, p1, epochs_, seeds_)),
                                     (f"p2 = {p2} in both layers", "The first hidden layer has the rate p1.", both_shares(p2, p2, epochs_, seeds_))):
                assert_true(max(abs(a - b) for a, b in zip(got, pair)) > 1e-3, f"{call}: the row p1 = {p1}, p2 = {p2} is not the one of {name}", of="rates", hint=hint)
        slips = sweep_slips(p1, p2, epochs_, seeds_) if wrong else {}
        if wrong and len(before) > 1:
            slips["These are the means over this pair and the pairs before it: begin with an empty list for each pair."] = [
                sum(column) / len(before) for column in zip(*before)]
        if wrong and not any(max(abs(a - b) for a, b in zip(got, pair)) < 4e-4 for pair in slips.values()):
            for rates_, hint in (((0, 0), "Here there are no dice: torch.manual_seed(seed) comes first for each network, "
                                          "before make_net."),
                                 ((p1, p2), "Without dropout two calls agree: the dice, too, come after torch.manual_seed(seed).")):
                once, again = (rate_sweep([rates_], 1, seeds_[:1])[0] for _ in range(2))
                assert_true(max(abs(float(once[key]) - float(again[key])) for key in ("train", "val")) < 1e-6,
                            f"rate_sweep([{rates_}], 1, [{seeds_[0]}]) gives the same shares when it is called twice",
                            of="epochs and seeds", hint=hint)
        if p1 + p2 > 0.9:
            named = any(max(abs(a - b) for a, b in zip(got, pair)) < 4e-4 for pair in slips.values())
            noisy = [sum(share_right(trained(p1, p2, epochs_, seed_).train(), *part_) for seed_ in seeds_) / len(seeds_) for part_ in ((train_X, train_y), (val_X, val_y))] if wrong and not named else [1., 1.]
            low = [share < right - 0.06 and abs(share - other) < 0.06 for share, right, other in zip(got, (on_train, on_val), noisy)]
            assert_true(not any(low), f"{call}: p1 = {p1}, p2 = {p2}, the shares are those of a network in evaluation mode, not far below them", of="measured without dropout",
                        hint="train leaves the network in training mode."
                        + (" Here the training share was measured in it, the validation share was not."
                           if low == [True, False] else
                           " Here the validation share was measured in it, the training share was not."
                           if low == [False, True] else ""))
        both = {sentence: pair for sentence, pair in slips.items() if max(abs(a - b) for a, b in zip(got, pair)) < 4e-4}
        for i, (name, wanted, other) in enumerate((("train", on_train, on_val), ("val", on_val, on_train))):
            named = {sentence: pair[i] for sentence, pair in both.items()} or {sentence: pair[i] for sentence, pair in slips.items() if abs(pair[i] - got[i]) < 4e-4}           # a slip gives its value exactly
            assert_close(row[name], wanted, f"{call}: {name} of p1 = {p1}, p2 = {p2}", atol=0.002, rtol=0., of="epochs and seeds", hint="For each seed: manual_seed, then make_net, then train(net, epochs), then eval(); at last the mean, as it is.",
                         mistakes={f"This is the share on the {'validation' if name == 'train' else 'training'} pictures.": other} | named | ({"The sum over the seeds, not the mean.": wanted * len(seeds_)} if len(seeds_) > 1 else {}))

check_sweep([(0.9, 0.1), (0, 0.6)], 4, [3, 5, 8])
check_sweep([(0.7, 0.5), (0.7, 0.5)], 9, [1])
### BEGIN HIDDEN TESTS
check_sweep([(0, 0), (0.2, 0.8), (0.6, 0.6)], 5, [11, 2, 7])
check_sweep([(0.3, 0.9), (0.3, 0.9)], 2, [40, 41])
### END HIDDEN TESTS

# %% [markdown] task="5.6.2" kind="experiment" minutes=12 difficulty=2 needs="effect of dropout, training mode and evaluation mode, overfitting"
# ### Longer training
#
# If a little training is good, is more better? Without dropout part 4's blue curves say no. With it?
#
# Write `long_run(p1, p2, epochs, every, seed)`: `torch.manual_seed(seed)`, then `make_net(p1, p2)`, `make_optimizer(net)`, and `one_epoch(net, optimizer)` so many times, with one and the same optimizer: Adam remembers means of the gradients so far, which a new one would forget. After every `every` epochs it measures `share_right` on the training and on the
# validation pictures, in evaluation mode, and goes on. It returns a list of dictionaries `{"epoch": ..., "train": ..., "val": ...}`.
#
# Then run it for 200 epochs, measured every 20, with both rates 0 and with both rates 0.5 (half a minute on a slow machine), plot or print the four columns, and compare in words.
#
# **You are done when**
# - **rows**: there is a row after the epochs `every`, 2 · `every`, ... up to `epochs`, and none in between or after;
# - **measured without dropout**: the shares are those of the network in evaluation mode;
# - **learns with dropout**: after a measurement the training goes on with dropout, with the same network and optimizer.
#
# The words are complete when they compare the two networks early and late, on both sets, with numbers.

# %% exercise="5.6.2"
def long_run(p1, p2, epochs, every, seed):
    """[{"epoch", "train", "val"}, ...], measured after every `every` epochs."""
    ### BEGIN SOLUTION
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    optimizer = make_optimizer(net)
    rows = []
    for epoch in range(1, epochs + 1):
        net.train()
        one_epoch(net, optimizer)
        if epoch % every == 0:
            net.eval()
            rows.append({"epoch": epoch, "train": share_right(net, train_X, train_y), "val": share_right(net, val_X, val_y)})
    return rows
    ### END SOLUTION

# %% [markdown] written="5.6.2" points=3
# ### BEGIN SOLUTION
# Seed 0, share right on the training and on the validation pictures:
#
# | epoch | p = 0: training | validation | p = 0.5: training | validation |
# |---|---|---|---|---|
# | 20 | 0.762 | 0.591 | 0.527 | 0.665 |
# | 40 | 0.952 | 0.526 | 0.690 | 0.673 |
# | 60 | 1.000 | 0.508 | 0.767 | 0.634 |
# | 100 | 1.000 | 0.512 | 0.885 | 0.610 |
# | 200 | 1.000 | 0.506 | 0.970 | 0.575 |
#
# Without dropout the network knows all labels by heart after 60 epochs, and its validation share has fallen from 0.591 to 0.508; after that nothing changes, for a training loss near 0 has no slope left. With dropout both things happen, too, but far more slowly: after 200 epochs the training share is 0.970, and the validation share has
# fallen from 0.673 to 0.575, still well above the 0.506 of the plain network. So dropout does not forbid learning by heart, it makes it expensive. It leaves more time in which stopping is harmless, and stopping early remains worthwhile: the best epoch lies near 40.
#
# **Rubric**
# - [1] Without dropout: the training share goes to (nearly) 1 and the validation share falls from its early best, with numbers at an early and a late epoch.
# - [1] With dropout: the training share rises more slowly, and the validation share loses much less, with numbers; also accepted: that it still falls somewhat; lost by "dropout makes overfitting impossible".
# - [1] A conclusion: with dropout the number of epochs matters less, or early stopping does part of the same work, or more epochs are worthwhile only with it; lost by comparing the two on the training pictures alone.
# ### END SOLUTION

# %% [markdown] hints="5.6.2"
# 1. Which line has to stand directly before `one_epoch`, if there was a measurement before it?
# 2. `epoch % every == 0` holds for every `every`-th epoch. The optimizer is made once: it has a memory.
# 3. With epochs = 7 and every = 3 there are two rows, after epoch 3 and after epoch 6.

# %% check="5.6.2" points=3
def shares_by_epoch(p1, p2, epochs_, every_, seed_, slip=""):
    """Both shares after each epoch, as the task says or with a slip after each measurement."""
    torch.manual_seed(seed_)
    net_ = make_net(p1, p2)
    optimizer_ = make_optimizer(net_, p1 if slip == "decay" else 0.)
    if slip == "seed again":
        torch.manual_seed(seed_)
    shares, learns = [], slip != "always"
    for epoch in range(1, epochs_ + 1):
        net_.train(learns)
        one_epoch(net_, optimizer_)
        measured = "dice" not in slip or epoch % every_ == 0        # with the dice on, a measurement takes random numbers
        row = [-1., -1.]
        if measured:
            row[0] = share_right(net_.train(slip in ("dice", "dice train")), train_X, train_y)
            row[1] = share_right(net_.train(slip == "dice"), val_X, val_y)
        shares.append(row)
        if slip == "every epoch":
            optimizer_ = make_optimizer(net_)
        if epoch % every_ == 0:
            learns = learns and slip != "eval"
            if slip in ("seed", "seed again"):
                torch.manual_seed(seed_)
            if slip == "network":
                net_ = make_net(p1, p2)
            if slip in ("network", "optimizer"):
                optimizer_ = make_optimizer(net_)
    return shares

def check_long_run(p1, p2, epochs_, every_, seed_):
    call = f"long_run({p1}, {p2}, {epochs_}, {every_}, {seed_})"
    rows = long_run(p1, p2, epochs_, every_, seed_)
    assert_type(rows, list, f"what {call} returns", of="rows")
    for row in rows:
        assert_type(row, dict, f"{call}: a row", of="rows", hint='A dictionary {"epoch": ..., "train": ..., "val": ...}.')
        assert_equal(sorted(row), ["epoch", "train", "val"], f"{call}: the keys of a row", of="rows",
                     hint='Each row is a dictionary {"epoch": ..., "train": ..., "val": ...}.')
    assert_equal([row["epoch"] for row in rows], list(range(every_, epochs_ + 1, every_)), f"{call}: the epochs of the rows",
                 of="rows", hint="A row after the epochs `every`, 2 · `every` and so on, and no other.",
                 mistakes={"Epochs are counted from 1: the first row comes after `every` of them.":
                               list(range(0, epochs_, every_)),
                           "The number of a row is that of the epochs trained so far, not one less.":
                               list(range(every_ - 1, epochs_, every_))}
                 | ({"The epochs left over at the end get no row.": [*range(every_, epochs_ + 1, every_), epochs_],
                     f"The last row comes too late: the training ends after {epochs_} epochs.":
                         list(range(every_, epochs_ + every_, every_))} if epochs_ % every_ else {})
                 | ({"Counted from 0, an epoch is a multiple of `every` too early or too late: measure when `every` epochs are over.":
                         list(range(1, epochs_ + 1, every_)),
                     "A row after every `every` epochs, not after each.": list(range(1, epochs_ + 1)),
                     "`epoch` counts epochs, not rows.": list(range(1, epochs_ // every_ + 1))} if every_ > 1 else {}))
    last = epochs_ // every_ * every_
    right = shares_by_epoch(p1, p2, last, every_, seed_)
    wrong = any(abs(row[key] - value) > 0.002 for row in rows for key, value in zip(("train", "val"), right[row["epoch"] - 1]))
    slips = {} if not wrong else {
        "p1 is the rate of the first hidden layer, p2 that of the second.": shares_by_epoch(p2, p1, last, every_, seed_) if p1 != p2 else [],
        "The second hidden layer has the rate p2.": shares_by_epoch(p1, p1, last, every_, seed_) if p1 != p2 else [],
        "The first hidden layer has the rate p1.": shares_by_epoch(p2, p2, last, every_, seed_) if p1 != p2 else [],
        "These are the shares with seed 0: call torch.manual_seed(seed), with the argument `seed`, before make_net.":
            shares_by_epoch(p1, p2, last, every_, 0),
        "After a measurement the dropout layers are in evaluation mode: call net.train() before the next epoch, which reaches all "
        "layers; net.training = True does not.": shares_by_epoch(p1, p2, last, every_, seed_, "eval"),
        "This network was trained without dropout: hand p1 and p2 on to make_net, and train in training mode.":
            shares_by_epoch(p1, p2, last, every_, seed_, "always"),
        "Make the optimizer once, not anew after a measurement: train, too, makes a new one in each call.":
            shares_by_epoch(p1, p2, last, every_, seed_, "optimizer"),
        "This was measured in training mode, with dropout: call eval() before.": shares_by_epoch(p1, p2, last, every_, seed_, "dice"),
        "The training share was measured in training mode, with dropout: call eval() before both measurements.":
            shares_by_epoch(p1, p2, last, every_, seed_, "dice train"),
        "Make the optimizer once, not anew in each epoch: it remembers the steps before.": shares_by_epoch(p1, p2, last, every_, seed_, "every epoch"),
        "This optimizer has weight decay: make_optimizer(net), without a second argument.":
            shares_by_epoch(p1, p2, last, every_, seed_, "decay"),
        "Make the network once, not anew after a measurement.": shares_by_epoch(p1, p2, last, every_, seed_, "network"),
        "Set the seed once, before make_net, and not again before epochs.": shares_by_epoch(p1, p2, last, every_, seed_, "seed again"),
        "Set the seed once, not again after a measurement.": shares_by_epoch(p1, p2, last, every_, seed_, "seed")}
    if wrong:
        torch.manual_seed(seed_)
        scratch = [[-1., -1.] for _ in range(last)]
        for epoch in range(every_, last + 1, every_):
            net_ = make_net(p1, p2)
            train(net_, epoch)
            scratch[epoch - 1] = [share_right(net_.eval(), *part_) for part_ in ((train_X, train_y), (val_X, val_y))]
        slips["Each row has a network of its own here, trained from the start: make one network, and train it on."] = scratch
    for row in rows:
        epoch, first = row["epoch"], row is rows[0]
        wanted = right[epoch - 1]
        mistakes = {"train and val are exchanged.": wanted[::-1]} | {sentence: run[epoch - 1] for sentence, run in slips.items() if run}
        mistakes |= {f"These are the shares after epoch {other}, not after epoch {epoch}.": pair
                     for other, pair in enumerate(right, 1) if other != epoch}
        done = right[every_ - 1:epoch:every_]                       # the measurements up to this row
        best = [max(column) for column in zip(*done)]
        tops = {"This is the best share so far: report each share as it is measured.": pair
                for pair in ([wanted[0], best[1]], [best[0], wanted[1]], best)
                if pair != list(wanted) and max(abs(row[key] - value) for key, value in zip(("train", "val"), pair)) < 4e-4}
        mistakes |= tops
        if wrong:
            mistakes |= {"These are the shares of wrong answers.": [1 - share for share in wanted],
                         "These shares are rounded: report each as it is measured.": [round(share, 2) for share in wanted]}
        mistakes = {sentence: pair for sentence, pair in mistakes.items() if max(abs(row[key] - value) for key, value in zip(("train", "val"), pair)) < 4e-4}
        if first and not mistakes and max(abs(row[key] - value) for key, value in zip(("train", "val"), wanted)) > 0.002:
            once, again = (long_run(p1, p2, 1, 1, seed_)[0] for _ in range(2))
            assert_true(max(abs(float(once[key]) - float(again[key])) for key in ("train", "val")) < 1e-6,
                        f"long_run({p1}, {p2}, 1, 1, {seed_}) gives the same shares when it is called twice",
                        of="measured without dropout",
                        hint="The seed decides the first weights, the batches and the dice: torch.manual_seed(seed) comes "
                             "first, before make_net, and nothing is made outside the function.")
        assert_close([row["train"], row["val"]], wanted, f"{call}: train and val after epoch {epoch}", atol=0.002, rtol=0.,
                     of="measured without dropout" if first or tops else "learns with dropout", mistakes=mistakes,
                     hint="Measure both shares in evaluation mode, on all 400 and all 1,000 pictures, train in training mode; the seed first, then make_net(p1, p2) and make_optimizer(net)." if first else "After a measurement the network is in evaluation mode: train() before the next epoch. Make network and optimizer once, and report each share as measured.")

check_long_run(0.6, 0.4, 7, 3, 2)
check_long_run(0.2, 0.7, 6, 2, 9)
### BEGIN HIDDEN TESTS
check_long_run(0.5, 0.5, 10, 4, 21)
check_long_run(0.1, 0.9, 5, 1, 33)
### END HIDDEN TESTS

# %% [markdown] teaches="second moment, variance of activations"
# ## 5. A wider spread
#
# Part 2 looked at one unit with a fixed activation h. Over many examples h itself varies: let it have mean m and variance v. What is the variance of h', over examples *and* dice?
#
# The mean of h' is m, by the expectation. For the mean of the squares, the *second moment*: the dice let a share 1 - p through, each square enlarged by $1/(1-p)^2$. So it grows by the factor $1/(1-p)$:
#
# $$\mathrm E[h'^2] = \frac{\mathrm E[h^2]}{1-p} = \frac{v + m^2}{1-p}.$$
#
# The last step is $v = \mathrm E[h^2] - m^2$, read the other way round. Let us see it on the first hidden layer of the network that was trained without dropout. `net[:2]` is the network's first two layers, the linear map and the ReLU:

# %% tags=["demo"] teaches="variance of activations"
with torch.no_grad():
    first = plain[:2](val_X)                                           # (1000, 128), all at least 0
print(f"mean {first.mean():.3f}, second moment {first.square().mean():.3f}, variance {first.var():.3f}")
for p in (0.2, 0.5, 0.8):
    after = F.dropout(first, p)
    print(f"p = {p}: mean {after.mean():.3f}, second moment {after.square().mean():.3f} (formula {first.square().mean() / (1 - p):.3f}), variance {after.var():.3f}")

# %% [markdown] task="5.6.3a" kind="code" minutes=4 difficulty=2 core=true needs="variance of activations, second moment, inverted dropout"
# ### Predict the variance
#
# Write `variance_after(m, v, p)`: the variance of a unit after dropout with probability `p` below 1, if its activation has mean `m` and variance `v` over the examples.
#
# **You are done when**
# - **no dropout**: for p = 0 it is `v`, whatever `m` is;
# - **spread and mean**: for other p it counts both sources of spread, for any mean.

# %% exercise="5.6.3a"
def variance_after(m, v, p):
    """Variance after dropout of a unit with mean m and variance v."""
    ### BEGIN SOLUTION
    return (v + m ** 2) / (1 - p) - m ** 2
    ### END SOLUTION

# %% [markdown] hints="5.6.3a"
# 1. What are the mean and the second moment after dropout?
# 2. A variance is the second moment minus the square of the mean.
# 3. Mean 3 and second moment 13 give the variance 13 - 9 = 4. For v = 0 your function must agree with part 2.

# %% check="5.6.3a" points=1
def simple_563a():
    """The first of some simple cases whose variance the answer has wrong, in words."""
    for m_in, v_in, p_in, right, why in ((0., 1., 0.5, 2., "the mean is 0, and half of the examples keep an activation that is doubled: the second moment is 0.5 · 4 · 1 = 2"),
                                         (1., 0., 0.5, 1., "all activations are 1, so 0 or 2 is left: the second moment is 2, minus 1² = 1"),
                                         (3., 0., 0.5, 9., "all activations are 3, so 0 or 6 is left: the second moment is 18, minus 3² = 9"),
                                         (1., 0., 0.75, 3., "all activations are 1, so 0 or 4 is left: the second moment is 4, minus 1² = 3")):
        found = float(variance_after(m_in, v_in, p_in))
        if abs(found - right) > 1e-6:
            return f"With m = {m_in:g}, v = {v_in:g} and p = {p_in:g}, {why}; yours is {found:.6g}."
    return "In these simple cases, with v = 0 or m = 0, yours is right: where both count, the second moment before dropout is v + m²."

assert_close(variance_after(2., 3., 0), 3., "m = 2, v = 3, p = 0", of="no dropout",
             hint="With p = 0 nothing is dropped: the variance stays v.",
             mistakes={"This is the second moment: subtract the square of the mean.": 7., "This is the standard deviation.": math.sqrt(3),
                       "Subtract the square of the mean, m², not m.": 5., "v is a variance already: do not square it.": 9.,
                       "This is the dice's part alone: the examples differ, too.": 0.,
                       "m² is subtracted from v, but v is the variance, not the second moment: that is v + m².": -1.})
assert_close(variance_after(-1., 0.5, 0.), 0.5, "m = -1, v = 0.5, p = 0", of="no dropout", hint="With p = 0 nothing is dropped: the variance stays v, whatever m is.",
             mistakes={"Nothing is to be rounded.": 0.})
assert_close(variance_after(2., 3., 0.2), 4.75, "m = 2, v = 3, p = 0.2", of="spread and mean",
             hint=lambda: "The second moment after dropout, minus the square of the mean: (3 + 2²) / 0.8 = 8.75, minus 2² = 4. " + simple_563a(),
             mistakes={"The variance alone is not enlarged by 1 / (1 - p): a mean that is not 0 adds to it.": 3.75, "This is the second moment: subtract the square of the mean.": 8.75,
                       "The variance v over the examples is enlarged, too: v / (1 - p).": 4., "m enters squared.": 4.25, "Enlarged once too often: the share 1 - p that survives counts.": 6.9375,
                       "p is the probability to be dropped.": 31., "The survivors are enlarged; this is without it.": 3.04, "The mean after dropout is m, not m / (1 - p).": 2.5,
                       "v is the second moment minus m²: add m² before you enlarge, subtract it after.": 2.75,
                       "Divide by 1 - p; do not multiply by 1 + p.": 4.4,
                       "The mean after dropout is m, not (1 - p) m.": 6.19,
                       "This is the dice's part alone: the examples differ, too.": 1.75,
                       "This is the standard deviation.": math.sqrt(4.75),
                       "The survivors are enlarged: divide by 1 - p, do not multiply.": 1.6,
                       "v is divided by 1 - p once, not twice.": 5.6875,
                       "Set brackets: (v + m²) / (1 - p), the whole of v + m² and the whole of 1 - p.": 2.8,
                       "v is a variance already: do not square it.": 12.25,
                       "The mean adds p / (1 - p) m²: divide by 1 - p once, not twice.": 5.,
                       "The mean adds p / (1 - p) m², not p m².": 4.55,
                       "v is enlarged to v / (1 - p), so p / (1 - p) v is added to it, not p v.": 4.6,
                       "The mean adds p / (1 - p) m², not p (1 - p) m²: the survivors are enlarged.": 4.39})
assert_close(variance_after(0., 2., 0.5), 4., "m = 0, v = 2, p = 0.5", of="spread and mean", hint="With m = 0 the second moment is v, and dropout enlarges it to v / (1 - p).", mistakes={"With m = 0, too, the spread grows: v / (1 - p), no case of its own.": 2.})
assert_close(variance_after(-3., 1., 0.6), 16., "m = -3, v = 1, p = 0.6", of="spread and mean",
             hint=lambda: "The second moment after dropout, minus the square of the mean: (1 + 9) / 0.4 = 25, minus 9. " + simple_563a(),
             mistakes={"p is the probability to be dropped.": 10 / 0.6 - 9, "m enters squared.": -2.,
                       "A variance is never negative: m enters squared, whatever its sign.": -11.,
                       "A negative mean adds m² to the second moment as a positive one does.": 2.5})
### BEGIN HIDDEN TESTS
for m_in, v_in, p_in in ((0., 2., 0.3), (1.5, 0.7, 0.9), (-0.4, 0., 0.6), (0.8, 1.3, 0.97)):
    around = torch.tensor([m_in - math.sqrt(v_in), m_in + math.sqrt(v_in)], dtype=torch.float64)      # mean m, variance v
    outcomes = torch.cat([0 * around, around / (1 - p_in)])
    chances = torch.tensor([p_in / 2, p_in / 2, (1 - p_in) / 2, (1 - p_in) / 2], dtype=torch.float64)
    wanted = (chances * outcomes ** 2).sum() - (chances * outcomes).sum() ** 2
    assert_close(variance_after(m_in, v_in, p_in), wanted.item(), f"m = {m_in}, v = {v_in}, p = {p_in}", of="spread and mean", atol=1e-6,
                 hint=lambda: "The second moment after dropout, minus the square of the mean, with no case of its own. "
                 + where_they_part(variance_after, lambda m, v, p: v / (1 - p) + p / (1 - p) * m * m, m=m_in, v=v_in, p=p_in))
assert_close(variance_after(7., 4., 0.), 4., "m = 7, v = 4, p = 0", of="no dropout", hint="With p = 0 nothing is dropped: the variance stays v.")
### END HIDDEN TESTS

# %% [markdown] task="5.6.3b" kind="experiment" minutes=12 difficulty=3 needs="variance of activations, training mode and evaluation mode"
# ### The variance while it learns
#
# How does the spread of the hidden layers develop during training, with dropout and without?
#
# Write `variance_run(p1, p2, epochs, seed)`: seed, make and train as in 5.6.2 (`make_optimizer`, `one_epoch`). After *each* epoch take the two hidden layers' outputs for all 400 training pictures *as the next layer receives them in training*, that is after dropout, with dropout on, and compute the variance over all
# 400 · 128 entries of each. Return a tensor of shape `(epochs, 2)`: column 0 is the first hidden layer. As `net[:2]` above, `net[:3]` is the network up to the first dropout, that included, and `net[:6]` up to the second.
#
# Then plot both columns over 40 epochs for the rates (0, 0) and (0.5, 0.5), and describe in words what you see and why it is so.
#
# **You are done when**
# - **shape**: a tensor of shape `(epochs, 2)` comes back;
# - **without dropout**: for both rates 0 the variances are those after the ReLU, layer by layer;
# - **with dropout**: for other rates they are those after dropout.
#
# The words are complete when they compare both models and both layers, with numbers, and give a reason for the difference.

# %% exercise="5.6.3b"
def variance_run(p1, p2, epochs, seed):
    """Variance of the two hidden layers after each epoch, with dropout on: (epochs, 2)."""
    ### BEGIN SOLUTION
    torch.manual_seed(seed)
    net = make_net(p1, p2)
    net.train()
    optimizer = make_optimizer(net)
    rows = []
    for _ in range(epochs):
        one_epoch(net, optimizer)
        with torch.no_grad():
            rows.append([net[:3](train_X).var().item(), net[:6](train_X).var().item()])
    return torch.tensor(rows)
    ### END SOLUTION

# %% [markdown] written="5.6.3b" points=3
# ### BEGIN SOLUTION
# Seed 0; variance of the first and the second hidden layer as the next one receives them:
#
# | epoch | p = 0: layer 1 | layer 2 | p = 0.5: layer 1 | layer 2 |
# |---|---|---|---|---|
# | 1 | 0.337 | 0.133 | 0.591 | 0.258 |
# | 5 | 0.665 | 0.431 | 1.070 | 0.743 |
# | 10 | 0.703 | 0.568 | 0.897 | 0.764 |
# | 20 | 0.766 | 0.900 | 0.727 | 0.757 |
# | 40 | 0.993 | 1.801 | 0.609 | 1.137 |
#
# At first the variances with dropout are larger by a factor of nearly 2 in both layers. The reason is the second moment, which is divided by 1 - p = 0.5: the dice add (v + m²) p / (1 - p) to the variance, here m² + v. That is so at any time for the *same* activations.
#
# But the networks do not stay the same. Without dropout the variance grows on and on, threefold in layer 1 and more than tenfold in layer 2: the scores are driven apart to fit the wrong labels. With dropout large activations would mean large noise, and the training learns to keep them small: the first layer's variance rises to about 1.07 and then falls to 0.609. So in the end it is
# smaller with dropout than without, though the dice enlarge it. That is weight decay's effect, by other means.
#
# **Rubric**
# - [1] Early in training (the first epochs) the variance with dropout is larger than without, in both layers, with numbers.
# - [1] How it develops: without dropout it grows throughout; with dropout the growth is much weaker, or the first layer's falls again, so that late the plain network has the larger variance; with numbers from an early and a late epoch.
# - [1] A reason: the second moment is divided by 1 - p, or the dice add p/(1-p) times the second moment; also accepted: variance_after applied to the measured mean and variance; lost by "half of the units are gone, so the variance halves".
# ### END SOLUTION

# %% [markdown] hints="5.6.3b"
# 1. In which mode must the network be, so that `net[:3]` drops?
# 2. `net[:3](train_X)` has shape (400, 128); `.var()` of a tensor is the variance of all its entries.
# 3. Of a table with the entries 0, 2, 4, 6 the variance is 6.67 (or 5, divided by 4 in place of 3; here that makes no difference).

# %% check="5.6.3b" points=2
def variances(p1, p2, epochs_, seed_, mode, rule=torch.var, slip=""):
    """The oracle: the variances of the layers in the mode asked for, or what a slip makes of them."""
    torch.manual_seed(seed_)
    net_ = make_net(p1, p2)
    optimizer_ = make_optimizer(net_)
    pictures_, rows = {"validation": val_X, "batch": train_X[:50]}.get(slip, train_X), []
    ends = {"linear": (1, 4), "next": (4, 7), "first": (3, 3), "early first": (2, 6), "early second": (3, 5),
            "first linear": (1, 6), "second linear": (3, 4), "second next": (3, 7)}.get(slip, (3, 6))
    for epoch in range(epochs_):
        if slip == "seed":
            torch.manual_seed(seed_)
        if slip == "optimizer":
            optimizer_ = make_optimizer(net_)
        if slip != "before" or epoch > 0:
            net_.train(slip != "learns in evaluation" and not (slip == "stays in evaluation" and epoch > 0))
            one_epoch(net_, optimizer_)
        net_.train(mode)
        with torch.no_grad():
            layers = [net_[:end](pictures_) for end in ends]
            if slip == "undropped":
                layers[1] = net_[3:6](net_[:2](pictures_))
            rows.append([rule(F.dropout(H, rate) if slip == "twice" else H).item() for H, rate in zip(layers, (p1, p2))])
    return torch.tensor(rows)

def check_variances(p1, p2, epochs_, seed_):
    call = f"variance_run({p1}, {p2}, {epochs_}, {seed_})"
    found, wanted = variance_run(p1, p2, epochs_, seed_), variances(p1, p2, epochs_, seed_, True)
    assert_type(found, torch.Tensor, f"what {call} returns", of="shape", hint="torch.tensor(rows) makes a tensor of a list of pairs.")
    assert_shape(found, (epochs_, 2), f"the shape of {call}", of="shape", hint="A row for each epoch, a column for each hidden layer.",
                 mistakes={"Rows and columns are exchanged: a row for each epoch, a column for each hidden layer.": (2, epochs_)})
    if p1 == p2 == 0:
        wrong = not torch.allclose(found.float(), wanted, rtol=1e-4)
        slips = {"Measure on the training pictures.": "validation", "Measure on all 400 training pictures, not on 50 of them.": "batch", "This is the variance before the ReLU.": "linear",
                 "This is one layer too far: net[:3] and net[:6] end with the dropout layers.": "next", "This was measured before the epoch, not after it.": "before",
                 "Column 0 is the variance before the first ReLU: net[:3] ends with the first dropout layer.": "first linear",
                 "Column 1 is the variance before the second ReLU: net[:6] ends with the second dropout layer.": "second linear",
                 "Column 1 is the variance of the ten scores: net[:6] ends with the second dropout layer.": "second next",
                 "Both columns are the first hidden layer.": "first",
                 "Make the optimizer once, before the epochs: train, too, makes a new one in each call.": "optimizer",
                 "Set the seed once, before the network is made.": "seed"}
        others = {"This is the mean, not the variance.": torch.mean, "The zeros count, too: all 400 · 128 entries.": lambda H: H[H != 0].var(), "This is the second moment: subtract the square of the mean.": lambda H: H.square().mean(), "One variance over all 400 · 128 entries, not the mean of the 128 units' variances.": lambda H: H.var(dim=0).mean(),
                  "One variance over all 400 · 128 entries, not the mean of the 400 pictures' variances.":
                      lambda H: H.var(dim=1).mean(),
                  "One variance over all 400 · 128 entries, not the mean of the variances of batches of 50.":
                      lambda H: H.reshape(8, -1).var(dim=1).mean()}
        if wrong:
            once, again = (variance_run(0, 0, 1, seed_) for _ in range(2))
            assert_true(bool(((once - again).abs() < 1e-6).all()),
                        f"variance_run(0, 0, 1, {seed_}) gives the same variances when it is called twice", of="without dropout",
                        hint="The seed decides the first weights and the batches: torch.manual_seed(seed) comes first, before "
                             "make_net.")
        assert_close(found.float(), wanted, f"{call}: the variances", rtol=1e-4, of="without dropout",
                     hint="Seed, make_net, make_optimizer; in each epoch one_epoch in training mode, then the variance of all "
                          "entries of net[:3](train_X) and of net[:6](train_X).",
                     mistakes={"The first hidden layer is column 0.": wanted.flip(1), "This is the standard deviation.": wanted.sqrt()}
                     | ({} if not wrong else {sentence: variances(p1, p2, epochs_, seed_, True, rule) for sentence, rule in others.items()} | {sentence: variances(p1, p2, epochs_, seed_, True, slip=slip) for sentence, slip in slips.items()}
                        | {"These are the variances with seed 0: call torch.manual_seed(seed), with the argument `seed`, "
                           "before make_net.": variances(p1, p2, epochs_, 0, True)}))
    else:
        without = variances(p1, p2, epochs_, seed_, False)
        scaled = without / (1 - torch.tensor([p1, p2]))
        for column, end in ((0, 3), (1, 6)):
            far = (found - without).abs() > 0.3 * (wanted - without).abs()
            assert_true(bool(far[:, column].all()), f"{call}: column {column} holds variances after dropout, with dropout on",
                        of="with dropout", hint=f"net[:{end}] ends with the dropout layer; it drops in training mode only."
                        if not torch.allclose(found[0, column].float(), without[0, column], rtol=0.005) else
                        "No dropout has acted, in neither layer: it drops in training mode only, also while you measure."
                        if torch.allclose(found[0].float(), without[0], rtol=0.005) else
                        f"This is the variance before the dropout: net[:{end - 1}] ends before it, net[:{end}] with it.")
        slips = {} if torch.allclose(found.float(), wanted, rtol=0.25) else {
            "The first hidden layer is column 0.": wanted.flip(1),
            "p1 is the rate of the first hidden layer.": variances(p2, p1, epochs_, seed_, True),
            "The second hidden layer has the rate p2.": variances(p1, p1, epochs_, seed_, True),
            "The first hidden layer has the rate p1.": variances(p2, p2, epochs_, seed_, True),
            "Each layer drops once: net[:3] and net[:6] in training mode do it by themselves.":
                variances(p1, p2, epochs_, seed_, True, slip="twice"),
            "The second hidden layer receives the first one after its dropout, not before it.":
                variances(p1, p2, epochs_, seed_, True, slip="undropped"),
            "This network learnt without dropout: net.train() before one_epoch, too.":
                variances(p1, p2, epochs_, seed_, True, slip="learns in evaluation"),
            "After the first epoch this network learnt without dropout: a measurement has left it in evaluation mode. Call "
            "net.train() before each one_epoch.":
                variances(p1, p2, epochs_, seed_, True, slip="stays in evaluation"),
            "Column 0 was taken before the first dropout layer: net[:3] ends with it.":
                variances(p1, p2, epochs_, seed_, True, slip="early first"),
            "Column 1 was taken before the second dropout layer: net[:6] ends with it.":
                variances(p1, p2, epochs_, seed_, True, slip="early second")}
        if torch.allclose(found.float(), scaled, rtol=1e-3):        # no dice in it, so it is met exactly
            slips = {"This is the variance without dropout, divided by 1 - p: measure with dropout on, for the mean adds to it, "
                     "and the second layer receives the first one after its dropout.": scaled}
        assert_close(found.float(), wanted, f"{call}: the variances (within a quarter: dice differ)", rtol=0.25,
                     of="with dropout", mistakes=slips,
                     hint="In training mode, for one_epoch and for the measurement: the variance of all entries of "
                          "net[:3](train_X), and of net[:6](train_X).")

check_variances(0, 0, 4, 1)
check_variances(0.5, 0.8, 3, 2)
### BEGIN HIDDEN TESTS
check_variances(0, 0, 6, 8)
check_variances(0.7, 0.4, 2, 5)
### END HIDDEN TESTS

# %% [markdown] teaches="thinned networks, monte carlo dropout"
# ## 6. One network or many?
#
# In evaluation mode the network uses all its units. Why is that a sensible thing to do, after it was trained with half of them?
#
# Here is a second way to see dropout. Each mask leaves a smaller network, a *thinned* one, and all thinned networks share their weights. Our two layers of 128 have 256 hidden units, so there are $2^{256}$ masks, and hardly any thinned network is ever trained twice. At the end, one would like to ask all of
# them and average their probabilities. That is impossible, but one can ask some: leave dropout on and average over many passes, *Monte Carlo dropout*. Or one asks the full network once, whose units are at their expectation. How do the two compare?

# %% tags=["demo"] teaches="monte carlo dropout"
torch.manual_seed(0)
noisy = make_net(0.5, 0.5)
train(noisy, 30)
with torch.no_grad():
    passes = torch.stack([torch.softmax(noisy(val_X), dim=1) for _ in range(100)])      # (100, 1000, 10), each with other masks
    full = torch.softmax(noisy.eval()(val_X), dim=1)                                    # (1000, 10)

def right_of(P, rows=slice(None)):
    return (P.argmax(dim=-1) == val_y)[..., rows].float().mean()

print(f"one pass with dropout: {right_of(passes):.3f} right;  100 passes averaged: {right_of(passes.mean(dim=0)):.3f};  dropout off: {right_of(full):.3f}")
agree = (passes.argmax(dim=2) == full.argmax(dim=1)).float().mean(dim=0)                # (1000,): share of the passes that choose the same class
united, divided = agree.argsort()[-200:], agree.argsort()[:200]
print(f"right on the 200 pictures with the most agreement: {right_of(full, united):.3f}, with the least: {right_of(full, divided):.3f}")

# %% [markdown]
# A single thinned network is the worst of the three. The average of a hundred and the full network are about equally good, and the full one needs one pass.
#
# The scatter is not useless, though. Where the thinned networks agree, the answer is right for 94 of 100 pictures; where they are divided, for 41. So one reason remains to leave
# dropout on: to ask how sure a prediction is.

# %% [markdown] task="5.6.4" kind="explain" minutes=12 difficulty=3 core=true needs="monte carlo dropout, training mode and evaluation mode, inverted dropout"
# ### Why off?
#
# Explain in words why dropout is usually switched off when the network is used for prediction. Say what leaving it on would cost, why nothing has to be rescaled when it is off, and name a case in which one does leave it on.
#
# For the machine: write `ask_many(net, X, passes)`, the average over so many passes with dropout *on* of the softmax probabilities, and their standard deviation over the passes. As `predict` did, it leaves the mode as it was.
#
# **You are done when**
# - **shapes**: a pair of two tensors comes back, both of the shape of `net(X)`: the means, then the standard deviations;
# - **dropout on**: there are `passes` passes, each with masks of its own, in whatever mode the network came;
# - **probabilities**: what is averaged are softmax probabilities, not scores, for each row of `X` its own;
# - **mode kept**: the network and all its layers leave in the mode in which the network came.
#
# The words are complete when all three questions have an answer with a reason.

# %% exercise="5.6.4"
def ask_many(net, X, passes):
    """(mean, standard deviation) of the softmax probabilities over passes with dropout on."""
    ### BEGIN SOLUTION
    mode = net.training
    net.train()
    with torch.no_grad():
        P = torch.stack([torch.softmax(net(X), dim=1) for _ in range(passes)])
    net.train(mode)
    return P.mean(dim=0), P.std(dim=0)
    ### END SOLUTION

# %% [markdown] written="5.6.4" points=3
# ### BEGIN SOLUTION
# Dropout is a means of training: it makes it hard to learn by heart. When the network is used, nothing is learnt any more, and the noise only harms. A prediction would depend on dice: the same picture would get
# other probabilities at each call, and on average a worse answer. On the page a single pass with dropout was right for 56 of 100 new pictures, the network without it for 65.
#
# Nothing has to be rescaled because the survivors were enlarged by 1 / (1 - p) in training. Thus each unit's expectation in training is its value without dropout, and the next layer receives on average what it was trained for. (For a linear layer the mean over masks is exactly the output without dropout; behind the
# non-linear layers it is an approximation, a good one as the comparison with 100 passes shows.) In the original form, without enlarging, one would have to multiply by 1 - p instead when predicting.
#
# One leaves it on to learn how sure a prediction is: the scatter over many passes is larger where the network errs more often. It costs as many passes.
#
# **Rubric**
# - [1] With dropout on, predictions are random (not reproducible) and on average worse, since the noise has done its work in training; also accepted: variance without any gain; lost by "it would be too slow" alone.
# - [1] No rescaling, since the survivors were divided by 1 - p in training, so the expectations agree; also accepted: without inverted dropout one multiplies by 1 - p; lost by "the outputs are larger when all units are on".
# - [1] The exception: many passes with dropout on give an average over thinned networks or a measure of uncertainty.
# ### END SOLUTION

# %% [markdown] hints="5.6.4"
# 1. What does the network gain from dice when it no longer learns?
# 2. `torch.stack` of a list of (n, q) tensors has shape (passes, n, q); `.mean(dim=0)` and `.std(dim=0)` run over the passes.
# 3. A coin that pays 0 or 2, each with probability 1/2: mean 1, standard deviation 1. Asking once tells little, asking often tells both.

# %% check="5.6.4" points=2
@probe
def answers_of_many(weights, X, p, passes, mode):
    """The pair from ask_many, the flags afterwards, and those of the network and its dropout layer in the passes; dropout in
    front of one linear layer."""
    torch.manual_seed(passes)
    net = nn.Sequential(nn.Dropout(p), nn.Linear(weights.shape[1], weights.shape[0], bias=False))
    with torch.no_grad():
        net[1].weight.copy_(weights)
    net.train(mode)
    seen = set()
    net[0].register_forward_hook(lambda *_: seen.add((int(net.training), int(net[0].training))))
    pair = ask_many(net, X, passes)
    return pair, [int(module.training) for module in net.modules()], [list(flags) for flags in seen]

def all_masks(weights, X, p, votes=False, logs=False):
    """Exact mean and standard deviation of the probabilities (or of the votes, 1 for the largest score, or of the logarithms),
    by going through all masks."""
    d, moments = X.shape[1], [0., 0.]
    for code in range(2 ** d):
        mask = torch.tensor([code >> i & 1 for i in range(d)], dtype=torch.float64)
        chance = (1 - p) ** mask.sum() * p ** (d - mask.sum())
        S = (X.double() * mask / (1 - p)) @ weights.double().T
        P = F.one_hot(S.argmax(dim=1), S.shape[1]).double() if votes else torch.softmax(S, dim=1)
        P = P.log() if logs else P
        moments = [moments[0] + chance * P, moments[1] + chance * P ** 2]
    return moments[0], (moments[1] - moments[0] ** 2).clamp(min=0).sqrt()

def which_mean(weights, X, p):
    """What the wrong means may come from, in words; ask_many is asked again, without dropout and for more passes."""
    (means, spreads), _, _ = answers_of_many(weights, X, 0., 20, True)
    still = torch.softmax(X.double() @ weights.double().T, dim=1)
    if spreads.max() > 1e-3:
        return (" With a network that drops nothing, p = 0, your passes differ all the same: something is dropped besides. "
                "The only dice are those of the network itself.")
    if torch.allclose(means.double(), torch.softmax(still, dim=1), atol=1e-4):
        return " With p = 0 yours is the softmax of the softmax: take it once."
    first, second = (answers_of_many(weights, X, p, passes, True)[0][0] for passes in (1500, 1501))
    if (first - second).abs().max() > 0.08:
        return (" Two calls with 1500 passes give quite different means here: each pass has the same weight, 1 / passes, "
                "the last ones, too.")
    return ""

def check_many(seed, d, q, p, n):
    rng = torch.Generator().manual_seed(seed)
    weights_in, X_in = torch.randn(q, d, generator=rng), torch.randn(n, d, generator=rng)
    mean, spread = all_masks(weights_in, X_in, p)
    logs = all_masks(weights_in, X_in, p, logs=True)[0]
    for mode, word in ((True, "training"), (False, "evaluation")):
        pair, flags, seen = answers_of_many(weights_in, X_in, p, 1500, mode)
        assert_type(pair, (tuple, list), "what ask_many returns", of="shapes")
        assert_equal(len(pair), 2, "how many tensors ask_many returns", of="shapes")
        for tensor, name in zip(pair, ("means", "standard deviations")):
            assert_type(tensor, torch.Tensor, f"the {name} from ask_many", of="shapes")
            assert_shape(tensor, (n, q), f"the shape of the {name} for {n} rows and {q} classes", of="shapes",
                         hint="Over the passes alone, dim=0 of their stack: one number for each row and class.")
        sums = pair[0].double().sum(dim=1)
        assert_close(sums, torch.ones(n, dtype=torch.float64), "the sum of the mean probabilities of each row",
                     of="probabilities", atol=1e-4, rtol=0.,
                     mistakes={"Divide the sum over the passes by `passes`.": torch.full((n,), 1500., dtype=torch.float64)},
                     hint="The means stand first, the standard deviations second."
                     if (pair[0].double() - spread).abs().max() < 0.04
                     else "Average the probabilities themselves, not their logarithms."
                     if any((pair[0].double() - value).abs().max() < 0.02 * value.abs().max()
                            for value in (logs.exp(), logs))
                     else "Yours is a softmax over the rows of X, and is to be one over the classes of a row, the last dimension: "
                          "dim=-1. In a stack of passes, dim=1 is the rows."
                     if (pair[0].double().sum(dim=0) - 1).abs().max() < 1e-4
                     else "What is averaged are probabilities: in each pass a softmax over the classes of a row, dim=1.")
        assert_true(float(pair[1].double().max()) > 1e-3, f"the standard deviations over 1500 passes of a network with dropout {p} that came in {word} mode are not near 0",
                    of="probabilities" if float(pair[1].double().max()) > 1e-6 else "dropout on",
                    hint="They are small, but not 0: the standard deviation over the passes is divided by nothing, neither by `passes` nor by its root."
                    if float(pair[1].double().max()) > 1e-6
                    else "net.training = True sets the flag of the outer module alone, and the dropout layer inside stays off: "
                         "net.train() reaches it."
                    if seen == [[1, 0]] else "Dropout is on after net.train(), and each pass throws its own dice."
                    if torch.allclose(pair[0].double(), torch.softmax(X_in.double() @ weights_in.double().T, dim=1), atol=1e-4) else
                    "Dropout was on, but all passes are one and the same: each is a call of `net` of its own, which throws its own dice.")
        assert_close(pair[0].double(), mean, f"the means over 1500 passes, a network with dropout {p} (± 0.05)", of="probabilities", atol=0.05, rtol=0.,
                     mistakes={"These are the probabilities of the mean scores, as without dropout: take the softmax of each "
                               "pass, with dropout, and then the mean.":
                                   torch.softmax(X_in.double() @ weights_in.double().T, dim=1),
                               "These are the shares of the passes in which a class has the largest score: average the "
                               "probabilities themselves.": all_masks(weights_in, X_in, p, votes=True)[0],
                               "Each of your rows is the mean over all rows of X: the passes of different rows are mixed, as by "
                               "a reshape in another order. The passes of one row of X belong together.":
                                   mean.mean(dim=0, keepdim=True).expand(n, q)},
                     hint=lambda: "Take the softmax of each pass, then the mean, for each row of X."
                     + which_mean(weights_in, X_in, p))
        slips = {"This is the variance: take its root.": spread ** 2,
                 "This is the uncertainty of the mean: the standard deviation of the passes is not divided by the root of "
                 "`passes`.": spread / math.sqrt(1500),
                 "This is the standard deviation of the scores; that of the probabilities is asked.":
                     (p / (1 - p) * X_in.double() ** 2 @ weights_in.double().T ** 2).sqrt(),
                 "This is the scatter over the classes; over the passes it is asked, for each row and class.":
                     mean.std(dim=1, keepdim=True).expand(n, q),
                 "This is the scatter over passes and rows together; over the passes alone it is asked, for each row and class.":
                     ((spread ** 2 + mean ** 2).mean(dim=0) - mean.mean(dim=0) ** 2).sqrt().expand(n, q),
                 "This is the root of the mean square: subtract the square of the mean.": (spread ** 2 + mean ** 2).sqrt()}
        slips = [sentence for sentence, value in slips.items() if (pair[1].double() - value).abs().max() < 0.12 * value.max()]
        assert_close(pair[1].double(), spread, f"the standard deviations over 1500 passes, a network with dropout {p} (± 0.04)", of="probabilities", atol=0.04, rtol=0.,
                     hint=slips[0] if len(slips) == 1
                     else "The standard deviation of the probabilities, over the passes, for each row and class.")
        assert_equal(flags, [int(mode)] * 3,
                     f"the training flags of the network, its dropout layer and its linear layer after ask_many, a network that "
                     f"came in {word} mode", of="mode kept",
                     hint="Note the mode before you change it; train(mode) puts it back, in the layers inside, too.",
                     mistakes={"The network is left in evaluation mode. Note the mode before you change it, and put it back.":
                                   [0, 0, 0],
                               "The network's own flag is put back, its layers are left in evaluation mode: net.training = mode "
                               "sets one flag alone, net.train(mode) those of the layers inside, too.": [1, 0, 0]}
                     if mode else
                     {"The network is left in training mode. Note the mode before you change it, and put it back.": [1, 1, 1],
                      "The network's own flag is put back, its layers are left in training mode: net.training = mode sets one "
                      "flag alone, net.train(mode) those of the layers inside, too.": [0, 1, 1],
                      "The dropout layer is left in training mode: put back the mode of each layer that you change.": [0, 1, 0]})
    x_in = X_in[:1]
    thinned = torch.cat([torch.softmax((x_in.double() * torch.tensor([code >> i & 1 for i in range(d)]) / (1 - p)) @ weights_in.double().T, dim=1) for code in range(2 ** d)])
    sums = thinned
    for asked, word in ((2, "two"), (3, "three")):
        sums = (sums[:, None] + thinned).reshape(-1, q)                               # (2 ** (d asked), q): the sums for all masks of so many passes
        pair, _, _ = answers_of_many(weights_in, x_in, p, asked, True)
        nearest = (sums / asked - pair[0].double()).abs().amax(dim=1).min().item()
        assert_true(nearest < 1e-4, f"{word} passes, dropout {p}, {d} inputs: the means are those of {word} thinned networks",
                    of="dropout on", hint="The third argument says how many passes there are: so many, all of them averaged, "
                                          "none besides.")

check_many(1, 5, 3, 0.5, 2)
check_many(2, 4, 3, 0.7, 3)
### BEGIN HIDDEN TESTS
check_many(5, 6, 2, 0.7, 4)
check_many(6, 4, 4, 0.3, 2)
pair, _, _ = answers_of_many(torch.eye(3), torch.ones(5, 3), 0.2, 4, False)
assert_shape(pair[1], (5, 3), "the shape of the standard deviations for 5 rows and 3 classes", of="shapes")
### END HIDDEN TESTS

# %% [markdown] teaches="dropout as a penalty"
# ## 7. A cousin of weight decay
#
# Why does noise hold a network back? In one case there is an exact answer. Take a linear model $\hat y = \sum_j w_j x_j$ with the squared loss, and drop its *inputs*. For one example, the mean of the loss over all masks is the square of the mean error plus the variance of the prediction. Dropout leaves the mean
# as it is, and the dice are independent, so the variances add up (2.6), each $w_j^2$ times that of part 2:
#
# $$\mathrm E\Big[\big(y - \textstyle\sum_j w_j x'_j\big)^2\Big] = (y - \hat y)^2 + \frac{p}{1-p} \sum_j x_j^2 w_j^2 .$$
#
# The second term is an ℓ2 penalty, with a λ of its own for each weight: a feature with large values is penalised more. So here dropout *is* weight decay, and one that adjusts to the scale of the features.

# %% teaches="dropout as a penalty"
rng = torch.Generator().manual_seed(0)
x, w, y, p = torch.tensor([1., -2., 0.5]), torch.tensor([0.3, 0.4, -1.]), 2., 0.5
masks = (torch.rand(200_000, 3, generator=rng) > p) / (1 - p)
print("mean loss over 200,000 masks:", (y - (masks * x) @ w).square().mean())
print("loss plus penalty:           ", (y - x @ w) ** 2 + p / (1 - p) * (x ** 2 * w ** 2).sum())

# %% [markdown]
# For deep networks there is no such formula, and so a question for an experiment: if both work against the same evil, what do both together give?

# %% [markdown] task="5.6.5" kind="experiment" minutes=14 difficulty=3 needs="dropout as a penalty, weight decay, effect of dropout, training mode and evaluation mode"
# ### Dropout, weight decay, or both
#
# Write `decay_grid(rates, decays, epochs, seeds)`. For each `p` in `rates`, each `decay` in `decays` and each seed: `torch.manual_seed(seed)`, `make_net(p, p)`, `train(net, epochs, decay)`, and `share_right` on the validation pictures, in evaluation mode. Return a tensor of shape `(len(rates), len(decays))`
# with the means over the seeds.
#
# Then run `decay_grid([0, 0.2, 0.5], [0, 0.003, 0.02], 30, [0, 1, 2, 3])` and report in words: what does each bring alone, what do both together bring, and do the gains add up? Support it with numbers, and say which differences exceed the scatter of the seeds.
#
# **You are done when**
# - **shape**: a tensor with a row for each rate and a column for each decay comes back;
# - **rates**: row i belongs to `rates[i]`, used in both layers, and is measured without dropout;
# - **decays**: column j belongs to `decays[j]`;
# - **epochs and seeds**: the network trains for `epochs`, and the entries are means over all of `seeds`.
#
# The words are complete when they state the gain of dropout alone, of decay alone, of both, and compare the last with the sum.

# %% exercise="5.6.5"
def decay_grid(rates, decays, epochs, seeds):
    """Mean validation shares, (len(rates), len(decays))."""
    ### BEGIN SOLUTION
    grid = torch.zeros(len(rates), len(decays))
    for i, p in enumerate(rates):
        for j, decay in enumerate(decays):
            for seed in seeds:
                torch.manual_seed(seed)
                net = make_net(p, p)
                train(net, epochs, decay)
                net.eval()
                grid[i, j] += share_right(net, val_X, val_y) / len(seeds)
    return grid
    ### END SOLUTION

# %% [markdown] written="5.6.5" points=3
# ### BEGIN SOLUTION
# Means over the seeds 0 to 3:
#
# | p | λ = 0 | λ = 0.003 | λ = 0.02 |
# |---|---|---|---|
# | 0 | 0.553 | 0.566 | 0.614 |
# | 0.2 | 0.614 | 0.626 | 0.642 |
# | 0.5 | 0.653 | 0.659 | 0.640 |
#
# Dropout alone (0.5) gains 0.100, weight decay alone (0.02) gains 0.061. If gains added up, both would bring 0.161, that is 0.714. They bring 0.087, less than dropout alone. With the weaker dropout 0.2 the gains are 0.061 and 0.061, together 0.089 instead of 0.122. Only with the weak decay of 0.003 (0.013) do the gains nearly add up.
#
# So there are diminishing returns, and at the strong end losses. Both hinder the learning by heart of the same wrong labels; once one has done it, the other has nothing left to prevent and only hinders the learning of the right ones. A mean of four seeds is uncertain by about 0.01: the gains of 0.06 and 0.10 and the missing 0.07 are beyond chance, the difference
# between 0.653 and 0.659 or 0.640 is not.
#
# **Rubric**
# - [1] The gain of dropout alone and of weight decay alone, each against no regularisation, with numbers.
# - [1] Both together, compared with the sum of the two gains: clearly less than the sum (diminishing returns); also accepted: another finding that follows from the reported numbers; lost by "they add up" without the comparison.
# - [1] A reason or a caution: both work against the same overfitting, so the second finds less to do; or too much of both underfits; or the scatter of the seeds is named; also accepted: the exact case of the linear model.
# ### END SOLUTION

# %% [markdown] hints="5.6.5"
# 1. Gains over what? Which entry of the table is the network without any of the two?
# 2. `torch.zeros(a, b)` is a table to fill; `enumerate` gives the number of the row and the rate.
# 3. If one remedy lifts 50 to 60 and another one 50 to 58, gains that add up would lift 50 to 68. Is 61 then a sum?

# %% check="5.6.5" points=2
def share_of_one(rate, decay, epochs_, seed_, second=None, mode=False, part_=(val_X, val_y)):
    """The share of a single network, by the steps of the task; `second` is another rate for its second layer."""
    torch.manual_seed(seed_)
    net_ = make_net(rate, rate if second is None else second)
    train(net_, epochs_, decay)
    return share_right(net_.train(mode), *part_)

@probe
def decays_used(rates, decays, epochs, seeds):
    """The weight decays of all optimizers that decay_grid makes."""
    init, used = torch.optim.Adam.__init__, set()
    def made(self, *args, **kwargs):
        init(self, *args, **kwargs)
        used.update(round(float(group["weight_decay"]), 6) for group in self.param_groups)
    torch.optim.Adam.__init__ = made
    try:
        decay_grid(rates, decays, epochs, seeds)
    finally:
        torch.optim.Adam.__init__ = init
    return sorted(used)

def check_grid(rates, decays, epochs_, seeds_, wanted, noisy, column_slips, slips):
    """The last three are functions, as what they work out is needed only where the table is wrong."""
    call = f"decay_grid({rates}, {decays}, {epochs_}, {seeds_})"
    found = decay_grid(rates, decays, epochs_, seeds_)
    assert_type(found, torch.Tensor, f"what {call} returns", of="shape")
    assert_shape(found, (len(rates), len(decays)), f"the shape of {call}", of="shape", hint="A row for each rate, a column for each decay.")
    found = found.float()
    wrong = bool(((found[:, 0] - wanted[:, 0]).abs() > 0.003).any())
    with_dice = noisy() if wrong else wanted[:, 0] + 1
    low = (found[:, 0] < wanted[:, 0] - 0.04) & ((found[:, 0] - with_dice).abs() < 0.05)
    assert_true(not bool(low.any()), f"{call}: no entry of column 0 is that of a network with its dice on, far below what it reaches without them", of="rates",
                hint="Measure in evaluation mode: train leaves the network in training mode. net.eval() reaches the layers inside; "
                     "net.training = False does not.")
    if wrong:
        once, again = (decay_grid(rates[:1], decays[:1], 1, seeds_[:1]) for _ in range(2))
        assert_true(bool(((once - again).abs() < 1e-6).all()),
                    f"decay_grid({rates[:1]}, {decays[:1]}, 1, {seeds_[:1]}) gives the same table when it is called twice",
                    of="epochs and seeds",
                    hint="The seed decides the first weights, the batches and the dice: for each network "
                         "torch.manual_seed(seed) comes first, before make_net.")
        if used := decays_used(rates, decays, 1, seeds_[:1]):
            assert_equal(used, sorted(round(float(decay), 6) for decay in set(decays)),
                         f"decay_grid({rates}, {decays}, 1, {seeds_[:1]}): the weight decays that were used", of="decays",
                         hint="train(net, epochs, decay) gets each of `decays` as it stands.")
    if decays[0] == 0:
        known = column_slips() if wrong else {}
        for base in (wanted[:1, :1], wanted[:, :1], wanted[:1]):
            if found.any() and torch.allclose(found, wanted - base, atol=0.003, rtol=0.):
                known["These are gains: an entry of the table is subtracted from the others. The shares themselves are "
                      "asked."] = wanted[:, 0] - base[:, 0]
        if not found.any():
            known["All entries are 0: a share from 0 to 1 becomes 0 where it is cut off to a whole number."] = 0 * wanted[:, 0]
        assert_close(found[:, 0], wanted[:, 0], f"{call}: column 0, without weight decay", atol=0.003, rtol=0., of="epochs and seeds" if rates[0] == 0 and len(rates) == 1 else "rates", hint="For each of `seeds`: manual_seed, then make_net(p, p), train(net, epochs, decay), here with the decay 0, "
                          "then eval(); at last the mean.",
                     mistakes={sentence: column for sentence, column in known.items() if bool(((found[:, 0] - column).abs() < 6e-4).all())})           # a slip gives its value exactly
    known = {} if torch.allclose(found, wanted, atol=0.003, rtol=0.) else slips()
    assert_close(found, wanted, f"{call}: all entries", atol=0.003, rtol=0., of="decays", hint="Entry (i, j) is trained by train(net, epochs, decays[j]), with the decay as it stands, for every rate and every seed.",
                 mistakes={sentence: table for sentence, table in known.items() if bool(((found - table).abs() < 6e-4).all())})

def two_seeds(decay, epochs_=3, **other):
    """Without dropout, the mean of the shares of the seeds 2 and 6, in a table of one entry."""
    return torch.tensor([[(share_of_one(0, decay, epochs_, 2, **other) + share_of_one(0, decay, epochs_, 6, **other)) / 2]])

def second_decay(sentence):
    """The table for the decays 0 and 0.3 if the seed (or the seed and the network) is made for the first of them only."""
    shares = []
    for seed_ in (2, 6):
        torch.manual_seed(seed_)
        net_ = make_net(0, 0)
        train(net_, 3, 0)
        net_ = make_net(0, 0) if "seed" in sentence else net_
        train(net_, 3, 0.3)
        shares.append(share_right(net_.eval(), val_X, val_y))
    return torch.tensor([[two_seeds(0).item(), sum(shares) / 2]])

def column_of_two_seeds():
    wanted = two_seeds(0)[0]
    torch.manual_seed(2)
    one_seed = []
    for _ in range(2):
        net_ = make_net(0, 0)
        train(net_, 3, 0)
        one_seed.append(share_right(net_.eval(), val_X, val_y))
    first, *others = (share_of_one(0, 0, 3, seed_) for seed_ in (2, 6, 0, 1, 3))
    return {"This is the share of seed 2 alone (it may be the largest or the middle one), not the mean over the seeds.": torch.tensor([first]),
            "This is the share of seed 6 alone (it may be the largest or the middle one), not the mean over the seeds.": torch.tensor([others[0]]),
            "torch.manual_seed(seed) stands inside the loop over the seeds: here it is set once, and the second network goes on in "
            "the random numbers where the first has stopped.": torch.tensor([sum(one_seed) / 2]),
            "The seeds are those in `seeds`, not 0, 1, 2, 3.": torch.tensor([(first + sum(others[1:])) / 4]),
            **{f"These are the shares after {other} epochs, not 3.": two_seeds(0, other)[0] for other in (2, 4, 30)},
            "Measure on the validation pictures.": two_seeds(0, part_=(train_X, train_y))[0], "Divide the sum by the number of seeds.": wanted / 2, "These are the shares of wrong answers.": 1 - wanted,
            "The decays stand in the wrong columns.": two_seeds(0.3)[0], "The sum over the seeds, not the mean.": 2 * wanted}

check_grid([0], [0, 0.3], 3, [2, 6], torch.cat([two_seeds(0), two_seeds(0.3)], dim=1), lambda: two_seeds(0)[0], column_of_two_seeds, lambda: {
    f"These are the shares for the decays {[0, other]}, not for [0, 0.3].{more}": torch.cat([two_seeds(0), two_seeds(other)], dim=1)
    for other, more in ((0.6, ""), (0.15, ""), (0.09, ""), (0, " train(net, epochs, decay) has a third argument."))} | {
    sentence: second_decay(sentence) for sentence in ("Set the seed anew for each decay, too.", "Make a new network for each decay.")})

none_565, much_565 = ([share_of_one(rate, decay, 4, 1) for decay in (0, 0.05, 0.3)] for rate in (0, 0.9))       # the two rows
check_grid([0, 0.9], [0, 0.05, 0.3], 4, [1], torch.tensor([none_565, much_565]), lambda: torch.tensor([none_565[0], share_of_one(0.9, 0, 4, 1, mode=True)]), lambda: {
    "The rate belongs to both layers, not to the first alone.": torch.tensor([none_565[0], share_of_one(0.9, 0, 4, 1, second=0)]),
    "The rate belongs to both layers, not to the second alone.": torch.tensor([none_565[0], share_of_one(0, 0, 4, 1, second=0.9)]),
    "The rates take no part: make_net(p, p), with p from `rates`.": torch.tensor([none_565[0], none_565[0]]),
    "The shares stand in the wrong order: fill row by row, for each rate all the decays.": torch.tensor([none_565[0], much_565[1]]),
    "The rates stand in the wrong rows.": torch.tensor([much_565[0], none_565[0]]), "The decays stand in the wrong columns.": torch.tensor([none_565[2], much_565[2]])},
    lambda: {"The decays stand in the wrong columns.": torch.tensor([none_565[::-1], much_565[::-1]])})
### BEGIN HIDDEN TESTS
def grid_of(rates, decays, epochs_, seeds_, mode=False, part_=(val_X, val_y)):
    """The oracle, from the page's own functions."""
    table = []
    for rate in rates:
        for decay in decays:
            shares = []
            for seed_ in seeds_:
                torch.manual_seed(seed_)
                net_ = make_net(*(rate if isinstance(rate, tuple) else (rate, rate)))
                train(net_, epochs_, decay)
                shares.append(share_right(net_.train(mode), *part_))
            table.append(sum(shares) / len(shares))
    return torch.tensor(table).reshape(len(rates), len(decays))

def hidden_grid(rates, decays, epochs_, seeds_):
    wanted = grid_of(rates, decays, epochs_, seeds_)

    def learnt_on(sentence):
        """The table if the seed (or the seed and the network) is made for the first decay only."""
        table = torch.zeros(len(rates), len(decays))
        for i, rate in enumerate(rates):
            for seed_ in seeds_:
                torch.manual_seed(seed_)
                net_ = make_net(rate, rate)
                for j, decay in enumerate(decays):
                    net_ = make_net(rate, rate) if j and "seed" in sentence else net_
                    train(net_, epochs_, decay)
                    table[i, j] += share_right(net_.eval(), val_X, val_y) / len(seeds_)
        return table

    def column():
        return {f"This is the share of seed {seed_} alone (it may be the largest or the middle one), not the mean over the seeds.": grid_of(rates, decays[:1], epochs_, [seed_])[:, 0] for seed_ in seeds_ if len(seeds_) > 1} | {
            f"These are the shares after {other} epochs, not {epochs_}.": grid_of(rates, decays[:1], other, seeds_)[:, 0] for other in (epochs_ - 1, epochs_ + 1, 30)} | {
            "The seeds are those in `seeds`, not 0, 1, 2, 3.": grid_of(rates, decays[:1], epochs_, range(4))[:, 0], "Measure on the validation pictures.": grid_of(rates, decays[:1], epochs_, seeds_, False, (train_X, train_y))[:, 0],
            "Divide the sum by the number of seeds.": wanted[:, 0] * len(seeds_) / (4 if len(seeds_) != 4 else 1), "These are the shares of wrong answers.": 1 - wanted[:, 0],
            "The decays stand in the wrong columns.": grid_of(rates, decays[-1:], epochs_, seeds_)[:, 0],
            "The rate belongs to both layers, not to the first alone.": grid_of([(rate, 0) for rate in rates], decays[:1], epochs_, seeds_)[:, 0],
            "The rate belongs to both layers, not to the second alone.": grid_of([(0, rate) for rate in rates], decays[:1], epochs_, seeds_)[:, 0],
            "The shares stand in the wrong order: fill row by row, for each rate all the decays.":
                wanted.T.reshape(wanted.shape)[:, 0],
            "The rates stand in the wrong rows.": wanted[:, 0].flip(0), "The sum over the seeds, not the mean.": len(seeds_) * wanted[:, 0]}

    def table():
        return {
            f"These are the shares for the decays {other}, not for {decays}." + more: grid_of(rates, other, epochs_, seeds_)
            for other, more in (([2 * decay for decay in decays], ""), ([decay / 2 for decay in decays], ""),
                                ([decay ** 2 for decay in decays], ""),
                                ([decays[0]] * len(decays), " train(net, epochs, decay) has a third argument."))} | {
            sentence: learnt_on(sentence)
            for sentence in ("Set the seed anew for each decay, too.", "Make a new network for each decay.")}

    check_grid(rates, decays, epochs_, seeds_, wanted, lambda: grid_of(rates, decays[:1], epochs_, seeds_, True)[:, 0], column, table)

hidden_grid([0], [0, 0.5], 5, [12, 4, 9])
hidden_grid([0.8, 0.3], [0, 0.2], 3, [31, 7])
### END HIDDEN TESTS

# %% [markdown] teaches="dropconnect"
# ## 8. Dropping weights: DropConnect
#
# A unit that is dropped takes all its outgoing weights with it. A finer knife cuts single connections: *DropConnect* sets each entry of the weight matrix to 0 with probability p and divides the others by 1 - p. The activations stay whole.
#
# A linear layer with d inputs and q outputs computes $\mathbf y = \mathbf W \mathbf x + \mathbf b$; in torch `weight` has shape (q, d). Here are the two for d = 4, q = 2, on the same x:

# %% tags=["demo"] teaches="dropconnect"
torch.manual_seed(2)
W, x = torch.ones(2, 4), torch.tensor([1., 10., 100., 1000.])
unit_mask = (torch.rand(4) > 0.5).float()                       # one die for each unit
weight_mask = (torch.rand(2, 4) > 0.5).float()                  # one die for each weight
print("dropout:    ", unit_mask.tolist(), " outputs / 2:", (W @ (unit_mask * x)).tolist())
print("the same:   ", (W @ torch.diag(unit_mask)).tolist(), " times x")
print("DropConnect:", weight_mask.tolist(), " outputs / 2:", ((weight_mask * W) @ x).tolist())

# %% [markdown]
# With dropout both outputs miss the same inputs, with DropConnect each output misses its own. Dropout is the special case in which the mask of the weights is constant down each column: a mask of units $\mathbf m$ gives $\mathbf W (\mathbf m \odot \mathbf x) = (\mathbf W \operatorname{diag}(\mathbf m))\,\mathbf x$. (`torch.diag` makes a diagonal matrix of a vector.)
#
# There is a price. Dropout throws dice for each example of a batch at the cost of a table (n, d). For DropConnect to do so, it would need n matrices of shape (q, d). The usual compromise is one mask for the whole batch.

# %% [markdown] task="5.6.6a" kind="code" minutes=12 difficulty=3 needs="dropconnect, training mode and evaluation mode, inverted dropout"
# ### A layer that drops weights
#
# Write the class `DropConnect`, a subclass of `nn.Module`: `DropConnect(linear, p)` wraps an `nn.Linear` with a bias, kept as its attribute `linear`; p is below 1. Its `forward(X)` takes a batch (n, d) and returns (n, q). `F.linear(X, W, b)` computes $\mathbf X \mathbf W^\top + \mathbf b$ for any W of shape (q, d).
#
# **You are done when**
# - **evaluation**: in evaluation mode it computes what `linear` computes;
# - **two values**: in training mode each weight counts as 0 or as itself divided by 1 - p; the bias always counts as it is;
# - **dice**: each weight is dropped with probability p, independently, anew at every call;
# - **one mask a batch**: equal rows of a batch get equal outputs;
# - **learns**: the gradient reaches the weights that were kept, and the bias, and `linear.weight` itself is as it was.

# %% exercise="5.6.6a"
class DropConnect(nn.Module):
    """A linear layer whose weights are dropped with probability p in training."""

    def __init__(self, linear, p):
        super().__init__()
        self.linear, self.p = linear, p

    def forward(self, X):
        ### BEGIN SOLUTION
        if not self.training:
            return self.linear(X)
        keep = torch.rand_like(self.linear.weight) >= self.p
        return F.linear(X, keep * self.linear.weight / (1 - self.p), self.linear.bias)
        ### END SOLUTION

# %% [markdown] hints="5.6.6a"
# 1. What has the shape (q, d) here, and what must have the shape of the mask?
# 2. Make a new tensor, mask times weight, and use it in `F.linear`; do not write into the parameter.
# 3. For the weights 3 and 5, the mask (1, 0) and p = 0.5 the layer without bias computes 6 · x₁ + 0 · x₂.

# %% check="5.6.6a" points=3
@probe
def effective_weights(weight, bias, p, calls, mode):
    """The layer's outputs for the rows of the unit matrix and a row of zeros, over several calls: (calls, d + 1, q)."""
    torch.manual_seed(calls)
    linear = nn.Linear(weight.shape[1], weight.shape[0])
    with torch.no_grad():
        linear.weight.copy_(weight)
        linear.bias.copy_(bias)
    layer = DropConnect(linear, p)
    layer.train(mode)
    X = torch.cat([torch.eye(weight.shape[1]), torch.zeros(1, weight.shape[1])])
    outputs = [layer(X) for _ in range(calls)]
    return torch.stack(outputs).detach() if isinstance(outputs[0], torch.Tensor) else outputs[0]

@probe
def one_backward(weight, bias, p, seed, n):
    """For one call with n equal rows: the outputs, the gradient of their sum, the weight afterwards, and how the call took the
    weight past autograd."""
    import sys
    class Watch(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            if any(part is linear.weight for part in args):
                name = getattr(function, "__name__", "")
                if function == torch.Tensor.data.__get__:
                    copied = sys._getframe(1).f_code.co_name == "__deepcopy__"
                    past.add("copy.deepcopy" if copied else "linear.weight.data")
                elif name in ("detach", "detach_"):
                    past.add("linear.weight.detach()")
                elif not torch.is_grad_enabled() and name not in ("__get__", "size") and not name.endswith("_like"):
                    past.add("torch.no_grad()")
            return function(*args, **(kwargs or {}))

    past = set()
    torch.manual_seed(seed)
    linear = nn.Linear(weight.shape[1], weight.shape[0])
    with torch.no_grad():
        linear.weight.copy_(weight)
        linear.bias.copy_(bias)
    layer = DropConnect(linear, p)
    with Watch():
        out = layer(torch.ones(n, weight.shape[1]))
    out.sum().backward()
    gradients = [torch.zeros(0) if part.grad is None else part.grad for part in (linear.weight, linear.bias)]
    return out.detach(), *gradients, linear.weight.detach(), sorted(past)

def check_connect(seed, q, d, p):
    rng = torch.Generator().manual_seed(seed)
    weight_in, bias_in = 1 + torch.rand(q, d, generator=rng), 5 + torch.rand(q, generator=rng)
    weight_in[0] *= -1
    plain_out = effective_weights(weight_in, bias_in, p, 2, False)
    assert_type(plain_out, torch.Tensor, "what DropConnect returns", of="evaluation")
    assert_shape(plain_out, (2, d + 1, q), f"two calls with {d + 1} rows, {d} inputs, {q} outputs, evaluation mode: the shape", of="evaluation")
    assert_close(plain_out[0], torch.cat([weight_in.T, torch.zeros(1, q)]) + bias_in, f"{d} inputs, {q} outputs, p = {p}, evaluation mode", of="evaluation", hint="In evaluation mode, when self.training is False, nothing is dropped and nothing is rescaled.",
                 mistakes={"Nothing is enlarged in evaluation mode.": torch.cat([weight_in.T / (1 - p), torch.zeros(1, q)]) + bias_in, "Nothing is to shrink in evaluation mode: training enlarges.": torch.cat([weight_in.T * (1 - p), torch.zeros(1, q)]) + bias_in})
    calls = effective_weights(weight_in, bias_in, p, 300, True)
    whole = (plain_out[0] / (1 - p)).expand_as(calls)
    assert_close(calls[:, -1], bias_in.expand(300, q), f"a row of zeros, p = {p}, training mode: the bias alone", of="two values",
                 mistakes={"The bias is missing in training mode.": torch.zeros(300, q),
                           "The bias is not enlarged: divide the weights by 1 - p, not the whole output.":
                               bias_in.expand(300, q) / (1 - p),
                           "The bias is not to shrink.": bias_in.expand(300, q) * (1 - p)},
                 hint="These are whole outputs that are dropped, weights and bias together: multiply the mask with the "
                      "weight, before the product with X." if bool(((calls.abs() < 1e-4) | ((calls - whole).abs() < 1e-3)).all())
                 else "In every call the bias is neither dropped nor enlarged.")
    factor = (calls[:, :-1] - bias_in) / weight_in.T                              # (300, d, q): 0 or 1 / (1 - p)
    zero = (factor.abs() < 1e-3).double()
    other = factor[(factor.abs() >= 1e-3) & ((factor - 1 / (1 - p)).abs() >= 1e-3)]
    example = other[0].item() if len(other) else 0.
    hints = {1: "Divide the weights that are kept by 1 - p.", 1 / p: "Divide by 1 - p, the probability to be kept.", 1 - p: "Divide by 1 - p: the survivors are to grow.", -1 / (1 - p): "The sign of a weight stays.",
             2.: "This is 1 / (1 - 0.5): the rate is self.p.", 1 / (1 - p) ** 2: "Divide once, and begin every call with the weights as they are: do not overwrite them."}
    assert_true(len(other) == 0, f"p = {p}, training mode: each weight counts 0 times or 1 / (1 - p) = {1 / (1 - p):.3f} times; yours, for example, {example:.3f} times", of="two values",
                hint="Some weights are dropped, for every p above 0." if not bool(zero.any()) else next((hint for value, hint in hints.items() if abs(example - value) < 1e-3), "The divisor is 1 - p, and the mask multiplies the weights."))
    over_calls = zero.var(dim=0).mean().item()
    assert_true(over_calls > 0.5 * p * (1 - p), f"p = {p}: a weight is dropped in some of 300 calls and kept in others", of="dice", hint="Make the mask in forward: every call throws anew.")
    share = zero.mean().item()
    assert_true(abs(share - p) < 5 * math.sqrt(p * (1 - p) / (300 * q)), f"p = {p}: the share of weights that are dropped over 300 calls; yours is {share:.3f}", of="dice",
                hint="p is the probability to be dropped, and every call throws anew.")
    for axis, name in ((2, "that leave one input"), (1, "that lead to one output")):
        spread = zero.mean(dim=axis).var().item()
        expected = p * (1 - p) / zero.shape[axis]
        assert_true(0.6 * expected < spread < 1.5 * expected, f"p = {p}: the weights {name} are dropped independently of each other", of="dice",
                    hint="The mask has the shape of the weight: a die for each weight, not for each unit." if spread > expected else "No row and no column of the weight has a fixed count.")
    counted = zero.sum(dim=(1, 2)).var().item() / (p * (1 - p) * q * d)
    assert_true(0.6 < counted < 1.6, f"p = {p}: how many weights are dropped varies from call to call, with {p * (1 - p) * q * d:.1f} as its variance; yours {counted * p * (1 - p) * q * d:.1f}", of="dice", hint="The count is not fixed: each weight is dropped or not, whatever the others do.")
    out, gradient, of_bias, after, past = one_backward(weight_in, bias_in, p, seed, 6)
    assert_close(out - out[:1], torch.zeros(6, q), "six equal rows in training mode: how far the outputs of the rows are from the first row's", of="one mask a batch", atol=1e-4,
                 hint=lambda: "Each output is the bias alone or one other number: here outputs are dropped, and weights are to be."
                 if bool(((out - bias_in).abs() < 1e-4).any()) and all(len((column * 1e3).round().unique()) <= 2 for column in out.T)
                 else "Draw one mask of the shape of the weight in each call, for all rows together.")
    assert_true(len(gradient) > 0, "after backward, linear.weight has a gradient", of="learns",
                hint="No gradient has arrived: " + (
                    f"yours takes the weight past autograd by {past[0]}. Multiply self.linear.weight itself with the mask, which "
                    "makes a new tensor." if len(past) == 1 else
                    "the weight reaches the result as a copy that autograd does not follow, such as another nn.Parameter, or by "
                    ".data, .detach(), tolist() or torch.no_grad()."))
    assert_shape(gradient, (q, d), "the gradient of linear.weight after backward", of="learns")
    slopes = gradient / 6
    assert_true(bool(((slopes.abs() < 1e-4) | ((slopes - 1 / (1 - p)).abs() < 1e-3)).all()),
                "the gradient of each weight: 0 where it was dropped, else the one of the enlarged weight", of="learns",
                hint="Autograd must see the mask and the division: compute with mask * self.linear.weight / (1 - p), a new "
                     "tensor, while the gradients are recorded."
                + (f" Yours goes past it by {past[0]}." if len(past) == 1 else ""))
    assert_true(bool((slopes.abs() > 1e-4).any()), "the gradient of the weights that were kept is not 0", of="learns",
                hint="Use the parameter itself, not .data or .detach().")
    assert_shape(of_bias, (q,), "the gradient of linear.bias after backward", of="learns", hint="Use the parameter itself, not .data or .detach().")
    assert_close(of_bias, torch.full((q,), 6.), "the gradient of the sum of six rows' outputs in the bias", of="learns", hint="The bias is added to each row once, as it is.")
    assert_close(after, weight_in, "linear.weight after a call in training mode", of="learns", hint="Make a new tensor; do not overwrite the parameter.")

check_connect(4, 9, 7, 0.4)
### BEGIN HIDDEN TESTS
check_connect(7, 6, 11, 0.12)
check_connect(8, 12, 8, 0.7)
### END HIDDEN TESTS

# %% [markdown] task="5.6.6b" kind="code" minutes=10 difficulty=4 needs="dropconnect, covariance matrix, variance of a sum, inverted dropout"
# ### What the two noises look like
#
# Dropping units and dropping weights put noise on the outputs of the same linear layer. In what do they differ? For one example x (d,), weights W (q, d) and a drop probability p below 1, compute the covariance matrix (q, q) of the outputs over the dice, in both cases. The entry at (i, k) is the covariance of outputs i and k. (The bias is constant, and does not matter.)
#
# Write `output_covariance(W, x, p, kind)`, where `kind` is `"dropout"` or `"dropconnect"`. It is to be exact: by a formula, not by throwing dice.
#
# **You are done when**
# - **variances**: the diagonal is right, for both kinds, to all digits and not only nearly;
# - **shared dice**: for `"dropout"` the entries beside the diagonal say how two outputs vary together, because they miss the same units;
# - **own dice**: for `"dropconnect"` the entries beside the diagonal are what independent dice give;
# - **arguments kept**: `W` and `x` are as they were.

# %% exercise="5.6.6b"
def output_covariance(W, x, p, kind):
    """Covariance matrix of the outputs W x' over the dice: (q, d), (d,) -> (q, q)."""
    ### BEGIN SOLUTION
    S = p / (1 - p) * (W * x ** 2) @ W.T
    return S if kind == "dropout" else torch.diag(torch.diag(S))
    ### END SOLUTION

# %% [markdown] hints="5.6.6b"
# 1. Output i is a sum over the units. With dropout, which random numbers do outputs i and k share?
# 2. The variance of $c\,h'$ is $c^2$ times that of $h'$, and the covariance of $a\,h'$ and $c\,h'$ is $a c$ times it. Sums of independent terms: (co)variances add up.
# 3. One unit x = 3, weights 1 and -2, p = 0.5: Var[x'] = 9, so with dropout the outputs have variances 9 and 36 and covariance -18. `torch.diag` of a matrix is its diagonal, of a vector a diagonal matrix.

# %% check="5.6.6b" points=2
@probe
def arguments_after_covariance(W, x, p, kind):
    output_covariance(W, x, p, kind)
    return W, x

def check_covariance(W, x, p, full, mistakes, example, apart=lambda kind: ""):
    """`full` is the covariance matrix for dropout; with DropConnect its diagonal is left."""
    part, q = torch.diag(full), len(full)
    for kind, name in (("dropout", "shared dice"), ("dropconnect", "own dice")):
        found, wanted = output_covariance(W.clone(), x.clone(), p, kind), full if kind == "dropout" else torch.diag(part)
        what = f"{kind}, {W.shape[1]} inputs, {q} outputs, p = {p}"
        assert_type(found, torch.Tensor, f"what output_covariance returns, {what}", of="variances")
        assert_shape(found, wanted.shape, f"the shape, {what}", of="variances", hint="A matrix with a row and a column for each output: the variances stand on its diagonal.")
        near = torch.allclose(torch.diag(found).double(), part, rtol=0.1)
        assert_close(torch.diag(found).double(), part, f"the variances of the outputs, {what}", of="variances", rtol=1e-4,
                     atol=1e-6,
                     hint="With one output alone the two kinds do not differ: its variance is the same as for \"dropout\", "
                          "where yours is right."
                     if kind == "dropconnect" else "Near, but a formula gives it exactly: no dice. A sum over the units: the variance of each term is p / (1 - p) times the square of weight times x." if near else
                     (lambda: "A sum over the units: the variance of each term is p / (1 - p) times the square of weight times x. " + example + apart(kind)),
                     mistakes={sentence: value for sentence, value in mistakes.items() if not torch.allclose(value, part, rtol=1e-3)})
        assert_close(found.double(), wanted, f"all covariances, {what}", of=name, rtol=1e-4, atol=1e-6, hint="The matrix is symmetric, and a covariance has a sign.",
                     mistakes={"With dropout the outputs miss the same units: what is beside the diagonal is not 0.": torch.diag(part)} if kind == "dropout" else {"With DropConnect each output has dice of its own: nothing beside the diagonal.": full})
        for after, before, letter in zip(arguments_after_covariance(W.clone(), x.clone(), p, kind), (W, x), "Wx"):
            assert_close(after, before, f"{letter} after the call, {what}", of="arguments kept",
                         hint=f"Make a new tensor; do not write into {letter}." + (
                              f" Where {letter} is of float64, `{letter}.double()` is {letter} itself and no copy." if before.dtype == torch.float64 else ""))

def doubles_of_566b(values):
    return {sentence: torch.tensor(value, dtype=torch.float64) for sentence, value in values.items()}

check_covariance(torch.tensor([[1., 2., 0.], [3., -1., 1.]]), torch.tensor([1., -2., 4.]), 0.2, torch.tensor([[4.25, -1.25], [-1.25, 7.25]], dtype=torch.float64), doubles_of_566b({
    "This is without the enlarging: the variance of x' is p / (1 - p) times x².": [2.72, 4.64],
    "p is the probability to be dropped.": [68., 116.],
    "x enters squared.": [-1.75, 2.75],
    "p / (1 - p) enters once, not squared.": [1.0625, 1.8125],
    "These are standard deviations.": [2.0615528, 2.6925824],
    "The mean of the squares, not the variance: subtract the square of the mean.": [13.25, 88.25],
    "Each weight enters squared, no more.": [16.25, 25.25],
    "Covariances are asked, not correlations.": [1., 1.],
    "The square of a sum is not the sum of the squares: the dice of the units are independent.": [2.25, 20.25],
    "The factor p / (1 - p) is missing.": [17., 29.],
    "The factor is p / (1 - p), not 1 / (1 - p).": [21.25, 36.25],
    "Each weight is multiplied by its own x_j; here the length of x stands in place of each.": [26.25, 57.75]}),
    example="For the first output weight times x is 1, -4 and 0, and p / (1 - p) = 0.25: 0.25 · (1 + 16 + 0) = 4.25.")
check_covariance(torch.tensor([[1.], [-2.]]), torch.tensor([3.]), 0.4, torch.tensor([[6., -12.], [-12., 24.]], dtype=torch.float64), doubles_of_566b({
    "This is without the enlarging: the variance of x' is p / (1 - p) times x².": [2.16, 8.64],
    "p is the probability to be dropped.": [13.5, 54.],
    "x enters squared.": [2., 8.],
    "p / (1 - p) enters once, not squared.": [4., 16.],
    "These are standard deviations.": [2.4494897, 4.8989795],
    "The mean of the squares, not the variance: subtract the square of the mean.": [15., 60.],
    "Each weight enters squared, no more.": [6., 96.],
    "Covariances are asked, not correlations.": [1., 1.],
    "The factor p / (1 - p) is missing.": [9., 36.]}),
    example="Here x' is 0 or 3 / 0.6 = 5: its mean is 3, the mean of its squares 0.6 · 25 = 15, its variance 15 - 9 = 6. The second output is -2 times x'.")
### BEGIN HIDDEN TESTS
def by_all_masks(W, x, p, kind):
    """Exact covariance by going through all masks of units, or of the weights of each output."""
    q, d = W.shape
    moment1, moment2 = torch.zeros(q, dtype=torch.float64), torch.zeros(q, q, dtype=torch.float64)
    for code in range(2 ** d):
        mask = torch.tensor([code >> i & 1 for i in range(d)], dtype=torch.float64)
        chance = (1 - p) ** mask.sum() * p ** (d - mask.sum())
        out = W.double() @ (mask / (1 - p) * x.double())
        moment1, moment2 = moment1 + chance * out, moment2 + chance * torch.outer(out, out)
    S = moment2 - torch.outer(moment1, moment1)
    return S if kind == "dropout" else S * torch.eye(q)        # each output alone has the same distribution in both cases

def hidden_covariance(W, x, p):
    q, d = W.shape
    full = by_all_masks(W, x, p, "dropout")
    part = torch.diag(full)
    mistakes = {"This is without the enlarging: the variance of x' is p / (1 - p) times x².": part * (1 - p) ** 2, "p is the probability to be dropped.": part * ((1 - p) / p) ** 2,
                "x enters squared.": p / (1 - p) * (W.double() ** 2 @ x.double()), "p / (1 - p) enters once, not squared.": part * p / (1 - p), "These are standard deviations.": part.sqrt(),
                "The mean of the squares, not the variance: subtract the square of the mean.": part + (W.double() @ x.double()) ** 2, "Each weight enters squared, no more.": p / (1 - p) * (W.double() ** 4 @ x.double() ** 2),
                "Covariances are asked, not correlations.": torch.ones(q, dtype=torch.float64), "The square of a sum is not the sum of the squares: the dice of the units are independent.": p / (1 - p) * (W.double() @ x.double()) ** 2,
                "The factor p / (1 - p) is missing.": part * (1 - p) / p} | ({"The factor is p / (1 - p), not 1 / (1 - p).": part / p} if d > 1 else {})
    mistakes["Each weight is multiplied by its own x_j; here the length of x stands in place of each."] = p / (1 - p) * x.double().square().sum() * W.double().square().sum(dim=1)
    def apart(kind):
        return where_they_part(lambda W, x, p: output_covariance(W, x, p, kind), lambda W, x, p: by_all_masks(W, x, p, kind), W=W, x=x, p=p)

    check_covariance(W, x, p, full, mistakes, "", apart)

rng = torch.Generator().manual_seed(566)
for q, d, p_in, dtype_in in ((4, 6, 0.35, torch.float32), (3, 2, 0.8, torch.float64)):
    hidden_covariance(torch.randn(q, d, generator=rng, dtype=dtype_in), torch.randn(d, generator=rng, dtype=dtype_in), p_in)
### END HIDDEN TESTS

# %% [markdown] teaches="multiplicative noise"
# ## 9. A noise of one's own
#
# Dropout multiplies each activation by a random number, 0 or 1 / (1 - p). Only three properties were used: the number has expectation 1, every entry has its own, and it is not used in evaluation. So many other noises will do. What must be taken care of is the expectation. Here is a noise
# that shows what goes wrong otherwise, a random factor between 0 and 1:

# %% tags=["demo"] teaches="multiplicative noise"
torch.manual_seed(0)
h = torch.full((100_000,), 2.)
fading = h * torch.rand(100_000)
print(f"mean of 2 times a uniform number: {fading.mean():.3f}; in evaluation the next layer gets 2")
print(f"normal numbers, torch.randn_like(h): mean {torch.randn_like(h).mean():.3f}")

# %% [markdown] task="5.6.7a" kind="code" minutes=8 difficulty=3 needs="multiplicative noise, expectation, training mode and evaluation mode"
# ### Invent one
#
# Write the class `OwnNoise(nn.Module)`: `OwnNoise(strength)` with a number `strength` of 0 or more, 0.5 being a moderate noise. Its `forward(X)` returns a tensor of the shape of X. The noise is yours to choose, if it is not dropout: not merely a choice between two values.
#
# **You are done when**
# - **expectation**: in training mode the mean over many calls is X, for entries of either sign and for a strength of 2, too;
# - **another noise**: over many calls an entry takes more than two values;
# - **own dice**: entries of one example differ by chance, and so do examples;
# - **strength**: more strength is more noise: entries scatter more with 0.5 than with 0.25, and more with 2 than with 1;
# - **off**: in evaluation mode, and with strength 0 in training mode, X comes back as it was;
# - **learns**: a gradient reaches X, with strength 0 it is that of X itself, and X is not overwritten.

# %% exercise="5.6.7a"
class OwnNoise(nn.Module):
    """Noise on activations that keeps their expectation; off in evaluation mode."""

    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, X):
        ### BEGIN SOLUTION
        if not self.training:
            return X
        return X * (1 + self.strength * torch.randn_like(X))
        ### END SOLUTION

# %% [markdown] hints="5.6.7a"
# 1. Which random numbers have the mean 0, and which the mean 1?
# 2. Factors with mean 1, or summands with mean 0, keep the expectation. `torch.randn_like(X)` draws from the normal distribution, `torch.rand_like(X)` uniformly from 0 to 1, with mean 1/2.
# 3. A die with the faces 1 to 6 has the mean 3.5. Subtract it, and the noise has the mean 0.

# %% check="5.6.7a" points=2
@probe
def noisy_calls(X, strength, calls, mode, seed):
    """The outputs of several calls, (calls, *X.shape)."""
    torch.manual_seed(seed)
    layer = OwnNoise(strength)
    layer.train(mode)
    outputs = [layer(X.clone()) for _ in range(calls)]
    return torch.stack(outputs) if isinstance(outputs[0], torch.Tensor) else outputs[0]

@probe
def argument_after_noise(X, strength):
    layer = OwnNoise(strength)
    layer.train()
    layer(X)
    return X

@probe
def slope(X, strength, seed):
    """The gradient of the sum of the outputs in X."""
    torch.manual_seed(seed)
    leaf = X.clone().requires_grad_()
    out = OwnNoise(strength)(leaf).sum()
    if out.requires_grad:
        out.backward()
    return torch.zeros_like(X) if leaf.grad is None else leaf.grad

def mean_noise(mean, X):
    """What the noise does on average, in words, where it is one factor or one summand for all entries."""
    factors, summands = mean / X, mean - X
    if factors.std() < 0.25 * (factors.mean() - 1).abs():
        return f" On average yours multiplies by about {factors.mean():.2f}."
    if summands.std() < 0.25 * summands.mean().abs():
        return f" On average yours adds about {summands.mean():.2f}."
    return ""

def check_noise(X, strength, seed):
    n, d = X.shape
    calls = noisy_calls(X, strength, 2000, True, seed)
    assert_type(calls, torch.Tensor, f"what OwnNoise({strength}) returns", of="expectation", hint="forward returns a tensor of the shape of X.")
    assert_shape(calls, (2000, n, d), f"2000 calls with a batch ({n}, {d}): the shape", of="expectation", hint="forward returns a tensor of the shape of X.")
    spread = calls.double().std(dim=0)
    values = [len((calls[:, i, j] * 1e4).round().unique()) for i in range(n) for j in range(d)]
    assert_true(max(values) > 1, f"2000 calls in training mode with strength {strength} do not all give the same result",
                of="another noise",
                hint="Every call in training mode throws new numbers, without a seed of its own.")
    off = (calls.double().mean(dim=0) - X).abs()
    assert_true(bool((off <= 6 * spread / math.sqrt(2000) + 1e-4).all()), f"the mean of 2000 calls with strength {strength} is X; yours is off by up to {off.max():.3f}", of="expectation",
                hint="No result of yours is negative, though X has negative entries: nothing is cut off at 0, and the sign stays."
                if bool((calls >= 0).all()) else "Factors need the mean 1, summands the mean 0." + mean_noise(calls.double().mean(dim=0), X.double()))
    assert_true(min(values) > 2, f"how many different values an entry takes over 2000 calls with strength {strength} is more than 2; yours {min(values)}", of="another noise",
                hint="Every entry gets noise, whatever its place and sign." if max(values) > 2 else "This is a choice between two values, as dropout is.")
    noise = (calls - X).double()
    assert_true(bool((noise.abs().amax(dim=0) < 0.5 * spread * math.sqrt(2000)).all()), f"no single call of 2000 with strength {strength} holds a large part of all noise of an entry", of="expectation",
                hint="Noise that is now and then gigantic has no mean, however often one calls: do not divide by a random number that may be near 0.")
    together = torch.corrcoef(noise.reshape(2000, -1).T).abs()                        # (n d, n d), entry by entry
    row, column = torch.arange(n * d) // d, torch.arange(n * d) % d
    for pairs, name in (((row[:, None] == row) & (column[:, None] != column), "two entries of one row"), (row[:, None] != row, "entries of two rows")):
        assert_true(together[pairs].max().item() < 0.9, f"the noise of {name} is never always the same one; yours has a correlation of {together[pairs].max().item():.2f} somewhere", of="own dice", hint="Random numbers of the shape of X.")
    half = noisy_calls(X, strength / 2, 2000, True, seed).double().std(dim=0)
    assert_true(bool((half < 0.85 * spread).all()), f"each entry scatters more with strength {strength} than with {strength / 2}", of="strength", hint="Multiply the noise by self.strength.")
    one, two = ((noisy_calls(X, more, 10000, True, seed) - X).double() for more in (1., 2.))
    off = (two.mean(dim=0).abs() - 8 * two.std(dim=0) / math.sqrt(10000)).max().item()
    assert_true(off <= 1e-4, f"the mean of 10000 calls with strength 2 is X; yours is off by up to "
                             f"{two.mean(dim=0).abs().max():.3f}", of="expectation",
                hint="With this strength some factors or summands are far from their mean. " + (
                    "Yours are cut off: in more than 5 % of the calls the first entry is one and the same number. That moves the "
                    "mean."
                    if two[:, 0, 0].unique(return_counts=True)[1].max() > 500 else
                    "Whoever cuts them off on one side, or takes their size without the sign, moves the mean."))
    growth = torch.maximum(two.std(dim=0) / one.std(dim=0), two.abs().mean(dim=0) / one.abs().mean(dim=0)).mean().item()
    assert_true(growth > 1.05, f"the entries scatter more with strength 2 than with 1; yours {growth:.2f} times as much",
                of="strength", hint="The strength may be above 1, and the noise must go on growing with it.")
    assert_close(noisy_calls(X, strength, 2, False, seed), X.expand(2, n, d), "two calls in evaluation mode", of="off", hint="In evaluation mode, when self.training is False, return X.")
    assert_close(noisy_calls(X, 0., 2, True, seed), X.expand(2, n, d), "two calls in training mode with strength 0", of="off", hint="Let the noise vanish with the strength.")
    assert_close(argument_after_noise(X.clone(), strength), X, f"X after a call in training mode with strength {strength}", of="learns", hint="Make a new tensor: X is the output of another layer.")
    assert_close(slope(X, 0., seed), torch.ones(n, d), "strength 0: the gradient of the sum of the outputs in X", of="learns",
                 hint="No detach, no .data and no torch.no_grad() on the way from X to the result.")
    assert_true(bool((slope(X, strength, seed) != 0).any()), f"strength {strength}: some gradient reaches X", of="learns",
                hint="Compute the result from X itself, X plus noise or X times a factor, without detach and torch.no_grad(). "
                     "(torch.normal(X, ...) hands no gradient on.)")

check_noise(torch.tensor([[1., -2., 3.], [0.5, 4., -1.]]), 0.5, 1)
### BEGIN HIDDEN TESTS
check_noise(torch.tensor([[-1., 5., 2., 0.25], [2., -3., 1., -7.], [0.5, 0.5, -0.5, 1.]]), 0.3, 12)
### END HIDDEN TESTS

# %% [markdown] task="5.6.7b" kind="experiment" minutes=14 difficulty=4 needs="multiplicative noise, effect of dropout, validation set"
# ### A fair match
#
# Does your noise beat dropout, with the same network? Write `match(strength, p, epochs, seeds)`. It trains three kinds of network and returns a dictionary with the keys `"plain"`, `"dropout"` and `"own"`, each with a list of validation shares, one for each seed:
# `make_net(0, 0)`; `make_net(p, p)`; and a network made by `make_net(0, 0)` in which both dropout layers, `net[2]` and `net[5]`, are replaced by `OwnNoise(strength)` (`net[2] = ...` works). As always: `torch.manual_seed(seed)`, make the network, `train(net, epochs)`, measure in evaluation mode.
#
# Then choose the strength and the rate p with seeds 0 to 3, compare the chosen ones with *other* seeds, and report in words: the noise, the choice, the result with its scatter, and whether you would claim a win.
#
# **You are done when**
# - **form**: three lists, as long as `seeds`, under the three keys;
# - **known networks**: the shares of the plain network and of dropout are those that `p`, `epochs` and `seeds` give;
# - **own noise in training**: the third network is trained with `OwnNoise(strength)` in both places, in place of dropout;
# - **same rules**: it is seeded, made, trained and measured as the plain one is, so that a noise that does nothing would give the plain network's shares, and `nn.Dropout(0.9)` in its place those of `make_net(0.9, 0.9)`.
#
# The words are complete when a reader could repeat the match and sees its uncertainty.

# %% exercise="5.6.7b" uses="5.6.7a"
def match(strength, p, epochs, seeds):
    """{"plain", "dropout", "own"}: validation shares, one for each seed."""
    ### BEGIN SOLUTION
    results = {"plain": [], "dropout": [], "own": []}
    for seed in seeds:
        for name, rate in (("plain", 0), ("dropout", p), ("own", 0)):
            torch.manual_seed(seed)
            net = make_net(rate, rate)
            if name == "own":
                net[2], net[5] = OwnNoise(strength), OwnNoise(strength)
            train(net, epochs)
            net.eval()
            results[name].append(share_right(net, val_X, val_y))
    return results
    ### END SOLUTION

# %% [markdown] written="5.6.7b" points=3
# ### BEGIN SOLUTION
# The noise multiplies each activation by a normal number of mean 1 and standard deviation s (*Gaussian dropout*). With s = 1 its variance is that of dropout with p = 0.5.
#
# Choice on the seeds 0 to 3, 30 epochs, mean validation share: own noise 0.574 for s = 0.25, 0.593 for 0.5, 0.657 for 1, 0.618 for 1.5; so s = 1. Dropout: 0.562 for p = 0.8 and 0.653 for p = 0.5 (exercise 5.6.1); so p = 0.5.
#
# Match on eight other seeds, 10 to 17: plain 0.552 with a standard deviation of 0.015, dropout 0.642 with 0.016, own noise 0.650 with 0.013. The means of eight are uncertain by about 0.005 each, the difference of 0.008 by 0.007. I would not claim a win: own noise is about as good as dropout, and both are far ahead of the plain network. (The seeds are new, the 1,000 validation pictures are the
# same ones; a test on other pictures would be the next step. And the pictures are few: what holds for 400 spoiled pictures need not hold for all 60,000.)
#
# **Rubric**
# - [1] The noise is described with its strength, and what was chosen how (the same effort for dropout's rate as for the own strength); lost by tuning only one's own.
# - [1] Means and scatter over several seeds for plain, dropout and own noise, from seeds that took no part in the choice; also accepted: another validation set; lost by the best seed as the result.
# - [1] A conclusion that the numbers bear: a difference below the scatter is no win; also accepted: a clear loss, reported as one.
# ### END SOLUTION

# %% [markdown] hints="5.6.7b"
# 1. What has to be equal for all three, so that only the noise differs?
# 2. An `nn.Sequential` lets its layers be replaced by number: `net[2] = OwnNoise(0.5)`.
# 3. Four seeds 0.62, 0.64, 0.60, 0.66: mean 0.63, standard deviation 0.026, so the mean is uncertain by 0.013. A lead of 0.01 is no lead.

# %% check="5.6.7b" points=2 uses="5.6.7a"
class Lowered(nn.Module):
    """In training mode it subtracts 0.5: in front of a ReLU that is not what it is behind it."""
    def forward(self, X):
        return X - 0.5 if self.training else X

def plain_or_dropout(p, epochs_, seeds_, dice=False, pictures=1, without=(), instead=nn.Identity, made=1, best=False):
    """The shares of make_net(p, p), or of make_net(*p); slips: measured with the dice on, on the training pictures (0), with
    other layers in some places, with so many networks made before the training, or the best share of all epochs."""
    shares = []
    for seed_ in seeds_:
        torch.manual_seed(seed_)
        net_ = make_net(*(p if isinstance(p, tuple) else (p, p)))
        for _ in range(made - 1):
            make_net(0, 0)
        for place in without:
            net_[place] = instead()
        optimizer_, after = make_optimizer(net_), []
        for _ in range(epochs_):
            net_.train()
            one_epoch(net_, optimizer_)
            if best:
                after.append(share_right(net_.eval(), val_X, val_y))
        shares.append(max(after) if best else share_right(net_.train(dice), *((train_X, train_y), (val_X, val_y))[pictures]))
    return shares

@probe
def noise_calls(strength, p, epochs, seeds):
    """How match used OwnNoise: the strengths, and how often a layer was called in training mode; Adam: its weight decays; how
    often it set the seed; how many networks it trained, and how often one that had an optimizer before."""
    forward, init, strengths, calls = OwnNoise.forward, OwnNoise.__init__, set(), [0]
    manual_seed, seeded = torch.manual_seed, [0]
    def seeding(seed):
        seeded[0] += 1
        return manual_seed(seed)
    adam, decays, first_weights, again = torch.optim.Adam.__init__, set(), [], [0]
    def made(self, *args, **kwargs):
        adam(self, *args, **kwargs)
        decays.update(float(group["weight_decay"]) for group in self.param_groups)
        first = self.param_groups[0]["params"][0]
        if any(first is other for other in first_weights):
            again[0] += 1
        else:
            first_weights.append(first)
    def counted(self, X):
        calls[0] += int(self.training)
        return forward(self, X)
    def noted(self, *args, **kwargs):
        strengths.update(float(value) for value in (*args, *kwargs.values()))
        init(self, *args, **kwargs)
    OwnNoise.forward, OwnNoise.__init__, torch.optim.Adam.__init__, torch.manual_seed = counted, noted, made, seeding
    try:
        match(strength, p, epochs, seeds)
    finally:
        OwnNoise.forward, OwnNoise.__init__, torch.optim.Adam.__init__, torch.manual_seed = forward, init, adam, manual_seed
    return sorted(strengths), calls[0], sorted(decays), seeded[0], len(first_weights), again[0]

@probe
def own_without_noise(strength, p, epochs, seeds):
    """The shares under "own" if OwnNoise did nothing."""
    forward, init = OwnNoise.forward, OwnNoise.__init__
    OwnNoise.forward, OwnNoise.__init__ = lambda self, X: X, lambda self, *args, **kwargs: nn.Module.__init__(self)
    try:
        return [float(share) for share in match(strength, p, epochs, seeds)["own"]]
    finally:
        OwnNoise.forward, OwnNoise.__init__ = forward, init

@probe
def own_as(rate, strength, p, epochs, seeds):
    """The shares under "own" if OwnNoise were dropout with this rate; rate 0: if it subtracted 0.5 in training mode."""
    forward, init = OwnNoise.forward, OwnNoise.__init__
    OwnNoise.forward = lambda self, X: F.dropout(X, rate, self.training) if rate else X - 0.5 * self.training
    OwnNoise.__init__ = lambda self, *args, **kwargs: nn.Module.__init__(self)
    try:
        return [float(share) for share in match(strength, p, epochs, seeds)["own"]]
    finally:
        OwnNoise.forward, OwnNoise.__init__ = forward, init

def check_match(strength, p, epochs_, seeds_):
    call = f"match({strength}, {p}, {epochs_}, {seeds_})"
    found = match(strength, p, epochs_, seeds_)
    assert_type(found, dict, f"what {call} returns", of="form", hint='A dictionary {"plain": [...], "dropout": [...], "own": [...]}.')
    assert_equal(sorted(found), ["dropout", "own", "plain"], f"{call}: the keys", of="form", hint='The keys are "plain", "dropout" and "own".')
    for name in ("plain", "dropout", "own"):
        assert_type(found[name], (list, tuple, torch.Tensor), f"{call}: what stands under {name!r}", of="form", hint="A list with a share for each seed, not their mean.")
        assert_equal(len(found[name]), len(seeds_), f"{call}: how many shares under {name!r}", of="form", hint="One share for each of `seeds`.")
    made_with, used, decays, seeded, networks, trained_again = noise_calls(strength, p, epochs_, seeds_)
    too_few = (f"{networks} networks are trained; three kinds and {len(seeds_)} seeds ask for {3 * len(seeds_)}. One that is "
               "already trained is trained again: make a new one for each kind and each seed."
               if networks < 3 * len(seeds_) and trained_again else "")
    assert_equal([decay for decay in decays if decay], [], f"{call}: the weight decays other than 0 that were used",
                 of="same rules",
                 hint="train(net, epochs), without a third argument, for all three kinds of network.")
    known_shares = {name: plain_or_dropout(rate, epochs_, seeds_) for name, rate in (("plain", 0), ("dropout", p))}
    def seeded_once(count):
        """Dropout's shares if the seed is set before the first of `count` plain networks alone."""
        shares = []
        for seed_ in seeds_:
            torch.manual_seed(seed_)
            for rate in (0,) * count + (p,):
                net_ = make_net(rate, rate)
                train(net_, epochs_)
            shares.append(share_right(net_.eval(), val_X, val_y))
        return shares

    def third_after(slip):
        """The plain shares of a third network that is made after the one with dropout, without its seed or with it too late."""
        shares = []
        for seed_ in seeds_:
            torch.manual_seed(seed_)
            train(make_net(p, p), epochs_)
            net_ = make_net(0, 0)
            if slip == "late seed":
                torch.manual_seed(seed_)
            train(net_, epochs_)
            shares.append(share_right(net_.eval(), val_X, val_y))
        return shares

    for name, wanted in known_shares.items():
        rate = p if name == "dropout" else 0
        got = [float(share) for share in found[name]]
        wrong = any(abs(a - b) > 0.003 for a, b in zip(got, wanted))
        slips = {} if not wrong else {
            f"These are the seeds 0 to {len(seeds_) - 1}, not those in `seeds`.":
                plain_or_dropout(rate, epochs_, range(len(seeds_))),
            "This is the best share of all epochs: measure once, after the last one.":
                plain_or_dropout(rate, epochs_, seeds_, best=True)} | {
            f"These are shares after {other} epochs, not {epochs_}.": plain_or_dropout(rate, other, seeds_)
            for other in (epochs_ - 1, epochs_ + 1, 30)}
        slips |= {} if not wrong else {
            "The plain network has no dropout: make_net(0, 0).": known_shares["dropout"],
            "Three networks were made after one manual_seed(seed): set the seed before each, and train it before you make "
            "the next.":
                plain_or_dropout(0, epochs_, seeds_, made=3)} if not rate else {
            "The rate p belongs to both layers, not to the first alone.": plain_or_dropout((p, 0), epochs_, seeds_),
            "The rate p belongs to both layers, not to the second alone.": plain_or_dropout((0, p), epochs_, seeds_),
            "This network has no dropout: make_net(p, p).": known_shares["plain"],
            "Call torch.manual_seed(seed) anew before each of the three networks.": seeded_once(1),
            "The second argument p is the rate of dropout, not the strength.":
                plain_or_dropout(min(strength, 1), epochs_, seeds_),
            "These were measured in training mode, with dropout: call eval() before.":
                plain_or_dropout(rate, epochs_, seeds_, dice=True)}
        if wrong:
            once, again = ([float(share) for share in match(strength, p, 1, seeds_[:1])[name]] for _ in range(2))
            assert_true(abs(once[0] - again[0]) < 1e-6,
                        f"match({strength}, {p}, 1, {seeds_[:1]}) gives the same share under {name!r} when it is called twice",
                        of="known networks",
                        hint="The seed decides the first weights, the batches and the dice: for each network "
                             "torch.manual_seed(seed) comes first, before make_net, and the dice are off in the measurement.")
        assert_close(got, wanted, f"{call}: the shares of {name!r}", atol=0.003, rtol=0., of="known networks",
                     mistakes=slips | {"These are shares on the training pictures.":
                                           plain_or_dropout(rate, epochs_, seeds_, pictures=0),
                                       "These are the shares of wrong answers.": [1 - share for share in wanted],
                                       "These shares are rounded: report each as it is measured.":
                                           [round(share, 2) for share in wanted]},
                     hint=f"torch.manual_seed was called {seeded} times; three networks for each of {len(seeds_)} seeds ask for "
                          f"{3 * len(seeds_)}: it comes first for each network, and the next one is made after its training."
                     if seeded < 3 * len(seeds_) else
                     too_few or "Seed, make, train, eval(), share_right on the validation pictures.")
    assert_equal(made_with, [strength], f"{call}: the strengths with which OwnNoise was made", of="own noise in training",
                 hint="OwnNoise gets the argument `strength`.", mistakes={"OwnNoise gets `strength`, not p.": [p]})
    assert_equal(used, 2 * 8 * epochs_ * len(seeds_), f"{call}: how often OwnNoise was called in training mode: 2 layers, 8 batches, {epochs_} epochs, {len(seeds_)} seeds", of="own noise in training",
                 hint=f"So many are made by {used // (16 * len(seeds_))} epochs of training, not by {epochs_}."
                 if used > 2 * 8 * epochs_ * len(seeds_) and used % (16 * len(seeds_)) == 0
                 else "These are a few more than the training makes: measure in evaluation mode."
                 if used > 2 * 8 * epochs_ * len(seeds_)
                 else "Half of them are missing: replace both layers, net[2] and net[5], before the training, for each seed."
                 if used == 8 * epochs_ * len(seeds_)
                 else "In training it was never used: replace both dropout layers, net[2] and net[5], before the training, "
                      "not after it." if used == 0
                 else "Replace both dropout layers, net[2] and net[5], before the training, for each seed.")
    silent = own_without_noise(strength, p, epochs_, seeds_)
    wrong = len(silent) != len(seeds_) or any(abs(a - b) > 0.003 for a, b in zip(silent, known_shares["plain"]))
    if wrong:
        once, again = (own_without_noise(strength, p, epochs_, seeds_) for _ in range(2))
        assert_true(once == again, f"{call} gives the same shares under 'own' when it is called twice, were OwnNoise to do "
                                   f"nothing at all", of="same rules",
                    hint="The seed decides the first weights and the batches: for each network torch.manual_seed(seed) comes "
                         "first, before make_net.")
    assert_close(silent, known_shares["plain"],
                 f"{call}: the shares under 'own', were OwnNoise to do nothing at all: those of the plain network", atol=0.003,
                 rtol=0., of="same rules",
                 hint=too_few or "Seed, make_net(0, 0), replace both layers, train, eval(), share_right on the validation "
                                 "pictures.",
                 mistakes={"These networks have dropout besides.": known_shares["dropout"]}
                 | ({} if not wrong else {
                     "These are shares on the training pictures.": plain_or_dropout(0, epochs_, seeds_, pictures=0),
                     "net[1] and net[4] are the ReLU layers; the dropout layers are net[2] and net[5].":
                         plain_or_dropout(0, epochs_, seeds_, without=(1, 4)),
                     "net[3] and net[6] are linear layers; the dropout layers are net[2] and net[5].":
                         plain_or_dropout(0, epochs_, seeds_, without=(3, 6)),
                     **{f"Without noise, these are the shares of a network that has lost net[{place}], a {kind} layer. The "
                        f"dropout layers, which are to be replaced, are net[2] and net[5].":
                            plain_or_dropout(0, epochs_, seeds_, without=(place,))
                        for place, kind in ((1, "ReLU"), (3, "linear"), (4, "ReLU"), (6, "linear"))},
                     "This is the best share of all epochs: measure once, after the last one.":
                         plain_or_dropout(0, epochs_, seeds_, best=True),
                     "Call torch.manual_seed(seed) anew for the third network, too.": third_after("no seed"),
                     "torch.manual_seed(seed) stands before make_net, for the third network, too.": third_after("late seed")}))
    lowered = own_as(0, strength, p, epochs_, seeds_)
    lowered_in_place = plain_or_dropout(0, epochs_, seeds_, without=(2, 5), instead=Lowered)
    in_place = all(abs(a - b) < 0.003 for a, b in zip(lowered, lowered_in_place))
    places = ("The two OwnNoise layers do not stand where the dropout layers stood: right behind the ReLU layers, net[2] and "
              "net[5].")
    strong, wanted = own_as(0.9, strength, p, epochs_, seeds_), plain_or_dropout(0.9, epochs_, seeds_)
    wrong = len(strong) != len(seeds_) or any(abs(a - b) > 0.003 for a, b in zip(strong, wanted))
    assert_close(strong, wanted,
                 f"{call}: the shares under 'own', were OwnNoise dropout with rate 0.9: those of make_net(0.9, 0.9)", atol=0.003,
                 rtol=0., of="same rules",
                 hint="Measure the third network once, after the last epoch, and report its share, whatever the others reach."
                 if in_place else places,
                 mistakes={} if not wrong else {
                     "This is the best share of all epochs: measure once, after the last one.":
                         plain_or_dropout(0.9, epochs_, seeds_, best=True),
                     "This is the larger of two shares: report the third network's, whatever the others reach.":
                         [max(a, b) for a, b in zip(wanted, known_shares["plain"])],
                     "This is dropout's share where that is larger: report the third network's, whatever the others reach.":
                         [max(a, b) for a, b in zip(wanted, known_shares["dropout"])]})
    assert_close(lowered, lowered_in_place,
                 f"{call}: the shares under 'own', were OwnNoise to subtract 0.5 in training mode: those of a network in which "
                 f"net[2] and net[5] do so", atol=0.003, rtol=0., of="own noise in training", hint=places)
    assert_true(all(0.1 < float(share) < 0.8 for share in found["own"]), f"{call}: shares under 'own' between 0.1 and 0.8, as of a network that has learnt something", of="own noise in training")

check_match(0.5, 0.8, 3, [1, 4])
### BEGIN HIDDEN TESTS
check_match(0.3, 0.6, 2, [17, 3, 8])
### END HIDDEN TESTS

# %% [markdown]
# ## Summary
#
# - A network with enough weights learns wrong labels by heart, and pays for it on new examples. Dropout sets each hidden unit to 0 with probability p at each training step, so no unit can rely on a certain other one.
# - The survivors are divided by 1 - p: the expectation stays, the second moment grows by 1 / (1 - p). p = 1 is a case of its own, and the mask is made where its input lies.
# - Dropout is on in training mode and off in evaluation mode. Measuring with it on, or training on with it off, raises no error.
# - Its rates are hyperparameters: too little overfits, too much underfits. With weight decay it shares the work, so their gains do not add up. For a linear model it is an ℓ2 penalty.
# - Weights can be dropped in place of units, and factors of mean 1 can take the place of zeros. Section 5.7 uses all this on a table of house prices, where the rates are chosen by cross-validation.
