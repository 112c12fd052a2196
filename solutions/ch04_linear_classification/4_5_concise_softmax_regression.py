# %% [markdown]
# # 4.5 Concise implementation of softmax regression
#
# Section 4.4 wrote the classifier from scratch: flatten, multiply, softmax, cross-entropy. The library has all these parts, so the model shrinks to two lines. One part seems to be missing in them, though: there is no
# softmax anywhere. Why it is gone, and what happens to those who put it back, is the heart of this section.
#
# The reason lies in the arithmetic of the machine. So we look at how numbers are stored, from 64 bits down to 8, and where the exponential function runs off the end of each format. Then we train: how long, and how fast?
#
# At the end you can
# - build a classifier from `nn.Flatten` and `nn.LazyLinear`, and say which shapes its parameters have;
# - say why the loss takes scores and not probabilities, and find the bug where somebody mixes them up;
# - work out the range of any number format from its bits;
# - store weights in eight bits and still multiply them correctly;
# - choose a learning rate and a number of epochs by measuring, and stop in time.

# %% tags=["setup"]
from d2l_utils.check import *
import math
import torch
from torch import nn
from torch.nn import functional as F
import d2l_utils as d2l

data = d2l.FashionMNIST(batch_size=256)

# %% [markdown] teaches="flatten layer, lazy layer"
# ## 1. Two layers
#
# A batch of pictures has the shape (n, 1, 28, 28): n pictures, one colour channel, 28 rows, 28 columns. A linear layer wants rows of features. `nn.Flatten()` keeps the first axis, the examples, and makes one axis of all the others: (n, 784).
# It has no parameters.
#
# `nn.Linear(784, 10)` is the layer X Wᵀ + b. One has to tell it how many inputs it gets, 784. `nn.LazyLinear(10)` need not be told: it waits for the first batch, sees 784 columns, and makes its weight then.

# %% teaches="flatten layer, lazy layer"
torch.manual_seed(0)
net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
print("before the first batch:", net[1])
X, y = data.train[torch.arange(4)]                    # four pictures and their labels
print("pictures", tuple(X.shape), " flattened", tuple(nn.Flatten()(X).shape), " scores", tuple(net(X).shape))
print("after it:              ", net[1])
print("weight", tuple(net[1].weight.shape), " bias", tuple(net[1].bias.shape))
by_hand = X.reshape(4, -1) @ net[1].weight.T + net[1].bias
print("same as by hand:", torch.allclose(by_hand, net(X), atol=1e-6))
print("sums of the rows of scores:", net(X).sum(dim=1).tolist())

# %% [markdown]
# Two things to notice. The weight has the shape (10, 784): *outputs first*, so a row for each class. In 4.1 our W had a column for each class; the library stores the transpose. And the outputs are scores: the rows do not add up to 1.
#
# The name "lazy" has a price: before the first batch there is no weight, so there is nothing to initialise, to count or to save.

# %% [markdown] task="4.5.A" kind="code" minutes=3 difficulty=1 core=true needs="flatten layer, lazy layer"
# ### Shapes on the way
#
# Write `shapes_after(batch_shape, q)`: `batch_shape` is the shape of the first batch that enters `nn.Sequential(nn.Flatten(), nn.LazyLinear(q))`, a tuple (n, ...) with at least two numbers, and `q` is the number of classes. It returns a dictionary with four shapes, as tuples (lists count, too): `"flat"` of
# the flattened batch, `"weight"` and `"bias"` of the linear layer, `"scores"` of the output.
#
# **You are done when**
# - **flat**: all axes but the first have become one;
# - **weight**: it has outputs first, a row for each class;
# - **bias**: it has one number for each class, in one axis;
# - **scores**: they have a row for each example, and a column for each class.

# %% exercise="4.5.A"
def shapes_after(batch_shape, q):
    """The shapes of the flattened batch, of weight and bias, and of the scores."""
    ### BEGIN SOLUTION
    n, features = batch_shape[0], math.prod(batch_shape[1:])
    return {"flat": (n, features), "weight": (q, features), "bias": (q,), "scores": (n, q)}
    ### END SOLUTION

# %% [markdown] hints="4.5.A"
# 1. How many features has one example?
# 2. `math.prod(batch_shape[1:])` multiplies all axes but the first.
# 3. For five rows of 6 numbers and 3 classes the weight has the shape (3, 6).

# %% check="4.5.A" points=1
@probe
def complaint(batch_shape, q):
    """What Python says if it cannot go on, or nothing."""
    try:
        shapes_after(batch_shape, q)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""

pictures = shapes_after((32, 1, 28, 28), 10)
assert_type(pictures, dict, "the result", of="flat")
assert_equal(sorted(pictures), ["bias", "flat", "scores", "weight"], "the keys for a batch (32, 1, 28, 28)", of="flat", hint="The dictionary has these four keys, as strings.")
assert_type(pictures["flat"], (tuple, list), "flat, batch (32, 1, 28, 28), 10 classes", of="flat", hint="A shape is a tuple of two numbers here, not a text of it and not a single number.")
assert_equal(pictures["flat"], (32, 784), "flat, batch (32, 1, 28, 28), 10 classes", of="flat", mistakes={"The channel axis is flattened, too.": (32, 1, 784), "The first axis stays.": (25088,),
                       "All 32 examples were put into one row: the first axis stays, a row for each.": (1, 25088), "The first axis, that of the examples, stays.": (784,), "All axes but the first are multiplied, not only the last.": (32, 28), "The lengths of the axes are multiplied, not added.": (32, 57),
                       "Nothing is flattened here: all axes but the first become one.": (32, 1, 28, 28), "The 32 examples are no features: only the axes behind the first are multiplied.": (32, 25088),
                       "The examples come first: they are the rows.": (784, 32)},
             hint="The first axis, 32, stays; the others have 1 · 28 · 28 = 784 numbers.")
assert_equal(pictures["weight"], (10, 784), "weight, batch (32, 1, 28, 28), 10 classes", of="weight", mistakes={"The library stores outputs first.": (784, 10), "The weight belongs to features and classes, not to examples.": (10, 32), "The 32 examples are no features: an example has 1 · 28 · 28 of them.": (10, 25088), "All examples share the same weight: it has a row for each class, not for each example.": (32, 784),
                       "The weight meets flattened examples: it has two axes.": (10, 1, 28, 28), "Each of the 10 classes has 784 weights of its own.": (784,)}, hint="A row for each of the 10 classes, a column for each of the 784 numbers of an example.")
assert_equal(pictures["bias"], (10,), "bias, batch (32, 1, 28, 28), 10 classes", of="bias",
             mistakes={"There is a bias for each class, not for each example.": (32,), "All examples share the same ten numbers: the bias has one axis.": (32, 10), "There is a bias for each class, not for each feature.": (784,), "The bias has a single axis.": (1, 10), "The bias has a single axis, it is no column.": (10, 1), "A shape is a tuple: (10,), with the comma.": 10,
                       "There is a number for each of the 10 classes, not one for all.": (1,), "The bias is no single number: it has one for each of the 10 classes.": ()},
             hint="The bias has one number for each of the 10 classes, in one axis.")
assert_equal(pictures["scores"], (32, 10), "scores, batch (32, 1, 28, 28), 10 classes", of="scores", mistakes={"The examples are the rows, the classes the columns.": (10, 32), "A score for each class, not for each feature.": (32, 784), "Each example has its own scores.": (10,), "There is a row for each of the 32 examples, not for each class.": (10, 10),
                        "Each example has a score for each class, not one alone.": (32,), "Each example has a score for each of the 10 classes, not one alone.": (32, 1),
                        "The linear layer gets the flattened batch: the scores have two axes.": (32, 1, 28, 10)},
             hint="A row for each of the 32 examples, a column for each of the 10 classes.")
assert_equal(shapes_after((6, 5, 4, 2), 3)["flat"], (6, 40), "flat, batch (6, 5, 4, 2), 3 classes", of="flat", mistakes={"All axes but the first count, not only the last two.": (6, 8), "All axes but the first count, not only the last.": (6, 2), "The number of features is not always 784.": (6, 784)}, hint="The first axis, 6, stays; the others have 5 · 4 · 2 = 40 numbers.")
for batch_shape, words in (((2, 3, 1, 2, 2), "five axes"), ((6, 9), "two axes")):
    said = complaint(batch_shape, 3)
    assert_true(said == "", f"shapes_after({batch_shape}, 3), a batch of {words}, raises no error", of="flat", hint=f"Python says {said}. There may be any number of axes from 2 on.")
assert_equal(shapes_after((2, 3, 1, 2, 2), 3)["flat"], (2, 12), "flat, batch (2, 3, 1, 2, 2), 3 classes", of="flat", hint="There may be any number of axes; all but the first are multiplied: 3 · 1 · 2 · 2 = 12.")
assert_equal(shapes_after((6, 5, 4, 2), 3)["weight"], (3, 40), "weight, batch (6, 5, 4, 2), 3 classes", of="weight", mistakes={"The number of classes is the argument `q`.": (10, 40)}, hint="A row for each of the 3 classes, a column for each number of an example.")
assert_equal(shapes_after((6, 5, 4, 2), 3)["bias"], (3,), "bias, batch (6, 5, 4, 2), 3 classes", of="bias", mistakes={"The number of classes is the argument `q`.": (10,), "There is a bias for each class, 3, not for each of the 6 examples.": (6,)},
             hint="One number for each of the 3 classes.")
assert_equal(shapes_after((6, 5, 4, 2), 3)["scores"], (6, 3), "scores, batch (6, 5, 4, 2), 3 classes", of="scores", mistakes={"The number of classes is the argument `q`.": (6, 10), "The number of examples is the first of `batch_shape`, not always 32.": (32, 3)},
             hint="A row for each of the 6 examples, a column for each of the 3 classes.")
### BEGIN HIDDEN TESTS
for batch, q in (((5, 3, 4, 2), 7), ((6, 9), 2), ((1, 2, 2, 2, 3), 4)):
    layers = nn.Sequential(nn.Flatten(), nn.LazyLinear(q))
    scores = layers(torch.zeros(batch))
    found = shapes_after(batch, q)
    assert_equal(found["flat"], tuple(torch.zeros(batch).flatten(1).shape), f"flat, batch {batch}, {q} classes", of="flat")
    assert_equal(found["weight"], tuple(layers[1].weight.shape), f"weight, batch {batch}, {q} classes", of="weight")
    assert_equal(found["bias"], tuple(layers[1].bias.shape), f"bias, batch {batch}, {q} classes", of="bias")
    assert_equal(found["scores"], tuple(scores.shape), f"scores, batch {batch}, {q} classes", of="scores")
### END HIDDEN TESTS

# %% [markdown] task="4.5.B" kind="code" minutes=3 difficulty=1 core=true needs="flatten layer, lazy layer, logits"
# ### The model
#
# Write `make_net(q)`: it returns a new network for q classes, which takes batches of examples of any shape, learns the number of features from the first batch, and gives *scores*.
#
# **You are done when**
# - **any shape**: it takes a first batch (5, 1, 28, 28), and a new one takes (3, 2, 4) or (6, 9);
# - **classes**: the output has shape (n, q);
# - **scores**: the output is the flattened batch times the weight, plus the bias, with nothing after it.

# %% exercise="4.5.B"
def make_net(q):
    """A linear model for q classes: (n, ...) -> scores (n, q)."""
    ### BEGIN SOLUTION
    return nn.Sequential(nn.Flatten(), nn.LazyLinear(q))
    ### END SOLUTION

# %% [markdown] hints="4.5.B"
# 1. Which two layers are needed, and in which order?
# 2. `nn.Sequential(a, b)` sends the batch through a, then through b.

# %% check="4.5.B" points=1
@probe
def first_scores(q, batch):
    return make_net(q)(batch)

@probe
def refusal_to_make(q):
    """What torch says if it takes a part for no layer, or nothing."""
    try:
        make_net(q)
    except TypeError as error:
        return str(error)
    return ""

@probe
def refusal(q, batch):
    """What torch says if it cannot multiply, or nothing."""
    try:
        make_net(q)(batch)
    except RuntimeError as error:
        return str(error)
    return ""

@probe
def parameter_tensors(q, batch):
    network = make_net(q)
    network(batch)                                    # makes the parameters of a lazy layer
    return len(list(network.parameters()))

@probe
def different_networks(q):
    first, second = make_net(q), make_net(q)
    return len({id(first), id(second)})

@probe
def shared_layers(q):
    first, second = make_net(q), make_net(q)
    return len({id(layer) for layer in first.modules()} & {id(layer) for layer in second.modules()})

@probe
def scores_with(q, batch, weight, bias):
    network = make_net(q)
    network(batch)                                    # makes the parameters of a lazy layer
    with torch.no_grad():
        for parameter in network.parameters():
            if parameter.numel() == len(bias):
                parameter.copy_(bias.reshape(parameter.shape))
            else:
                parameter.copy_(weight if parameter.shape == weight.shape else weight.T)
        return network(batch)

@probe
def kinds_of_network(q):
    return [kind.__name__ for kind in type(make_net(q)).__mro__]

said = refusal_to_make(3)
assert_true("not a Module subclass" not in said, "every part of the network of make_net(3) is a layer", of="classes",
            hint=f"torch says: {said}. `nn.Sequential` takes layers, one after the other: `nn.Flatten()`, with its parentheses, is one, `nn.Flatten` is a class, and a list is none.")
assert_type(make_net(3), object, "the result of make_net(3)", of="classes")
assert_true("Module" in kinds_of_network(3), "make_net(3) is a network", of="classes", hint="Return one network, as `nn.Sequential(...)` makes it, not a list of layers and not a class.")
assert_equal(different_networks(3), 2, "the number of different networks that two calls of make_net(3) return", of="any shape", hint="Make the layers inside the function, so that each call makes new ones.")
assert_equal(shared_layers(3), 0, "the number of layers that the networks of two calls of make_net(3) share", of="any shape",
             hint="A lazy layer that a first batch has passed keeps its number of features: make the layers inside the function, so that each call makes new ones.")
assert_true("cannot be multiplied" not in refusal(10, torch.ones(3, 2, 4)), "make_net(10) takes a first batch (3, 2, 4)", of="any shape",
            hint="The linear layer asks for another number of features than the 8 of such an example: let the first batch decide.")
for batch_shape, q in (((3, 2, 4), 10), ((6, 9), 10)):
    scores = first_scores(q, torch.ones(batch_shape))
    assert_type(scores, torch.Tensor, f"the output for a batch {batch_shape}, {q} classes", of="classes")
    assert_true(tuple(scores.shape) != (batch_shape[0], 1), f"the output for a batch {batch_shape}, {q} classes, has more than one column", of="classes", hint="Each example has a score for each class, not one alone.")
    assert_shape(first_scores(q, torch.ones(batch_shape)), (batch_shape[0], q), f"the shape of the output for a batch {batch_shape}, {q} classes", of="any shape",
                 mistakes={"The first axis, that of the examples, is flattened, too: it is to stay, as `nn.Flatten()` leaves it.": (q,)} |
                          ({"The linear layer stands before the flattening, and works on the last axis alone: flatten first.": (3, 2 * q), "Nothing is flattened here: the linear layer works on the last axis alone.": (3, 2, q)} if len(batch_shape) == 3 else {}),
                 hint="All axes but the first are to become one, before the linear layer.")
for batch_shape, q in (((5, 1, 28, 28), 6), ((2, 784), 3)):
    assert_shape(first_scores(q, torch.ones(batch_shape)), (batch_shape[0], q), f"the shape of the output for a batch {batch_shape}, {q} classes", of="classes", hint="The number of classes is the argument `q`.")
batch = torch.arange(15.0).reshape(5, 1, 3, 1).sin()
weight, bias = torch.arange(12.0).reshape(4, 3).cos(), torch.arange(4.0) - 1
assert_equal(parameter_tensors(4, batch), 2, "the number of parameter tensors for a batch (5, 1, 3, 1), 4 classes", of="scores", mistakes={"The bias is missing.": 1, "One linear layer is the whole model.": 4}, hint="One linear layer has a weight and a bias.")
affine = batch.flatten(1) @ weight.T + bias
assert_close(scores_with(4, batch, weight, bias), affine, "the output for a batch (5, 1, 3, 1), 4 classes", of="scores", atol=1e-4,
             mistakes={"These are probabilities: leave out the softmax.": torch.softmax(affine, 1), "These are logarithms of probabilities: leave out the log-softmax.": torch.log_softmax(affine, 1),
                       "Nothing comes after the linear layer, no ReLU either.": affine.relu(), "Nothing comes after the linear layer, no sigmoid either.": affine.sigmoid(),
                       "Nothing comes after the linear layer, no tanh either.": affine.tanh(), "These are probabilities, and taken over the examples: leave out the softmax.": torch.softmax(affine, 0),
                       "These are the scores minus the largest of their row: the max-shift belongs to the loss.": affine - affine.max(dim=1, keepdim=True).values,
                       "These are the scores minus the mean of their row: nothing comes after the linear layer.": affine - affine.mean(dim=1, keepdim=True),
                       "The batch is taken as it is, not divided by 255.": batch.flatten(1) / 255 @ weight.T + bias,
                       "The bias is not added.": batch.flatten(1) @ weight.T, "The bias is added, not subtracted.": batch.flatten(1) @ weight.T - bias,
                       "These are exponentials of the scores: leave out the exp.": affine.exp()},
             hint="The scores are the flattened batch times the weight, plus the bias. Nothing else belongs before or after: no activation, dropout or normalisation.")
### BEGIN HIDDEN TESTS
for batch_shape, q in (((4, 3, 5, 2), 3), ((2, 7), 12)):
    assert_shape(first_scores(q, torch.ones(batch_shape)), (batch_shape[0], q), f"the shape of the output for a batch {batch_shape}, {q} classes", of="any shape" if q == 3 else "classes")
for batch_shape, q in (((4, 3, 5, 2), 3), ((1, 1, 6), 5)):
    batch = torch.arange(math.prod(batch_shape)).reshape(batch_shape).float().cos()
    weight, bias = torch.arange(q * batch[0].numel()).reshape(q, -1).float().sin(), 2 - torch.arange(q).float()
    assert_equal(different_networks(q), 2, f"the number of different networks that two calls of make_net({q}) return", of="any shape")
    assert_equal(shared_layers(q), 0, f"the number of layers that the networks of two calls of make_net({q}) share", of="any shape")
    assert_equal(parameter_tensors(q, batch), 2, f"the number of parameter tensors for a batch {batch_shape}, {q} classes", of="scores")
    assert_close(scores_with(q, batch, weight, bias), batch.flatten(1) @ weight.T + bias, f"the output for a batch {batch_shape}, {q} classes", of="scores", atol=1e-4,
                 hint="Nothing belongs before or after the linear layer but the flattening.")
### END HIDDEN TESTS

# %% [markdown] teaches="cross-entropy from logits, log-softmax"
# ## 2. Where has the softmax gone?
#
# The model gives scores, and the loss wants probabilities. The obvious way is: softmax, then logarithm. Take three scores that are far apart, 0, 200 and -50, and let the label be the last class:

# %% teaches="cross-entropy from logits"
o, label = torch.tensor([[0.0, 200.0, -50.0]]), torch.tensor([2])
E = torch.exp(o)
print("plain softmax:     ", E / E.sum(dim=1, keepdim=True))
p = torch.softmax(o, dim=1)                           # the library's, with the max-shift
print("torch.softmax:     ", p)
print("its logarithm:     ", torch.log(p))
print("log_softmax:       ", torch.log_softmax(o, dim=1))
print("F.cross_entropy:   ", F.cross_entropy(o, label))

# %% [markdown]
# The plain formula fails since exp(200) is larger than any `float32`. The library's softmax survives by the max-shift, but then the damage is done all the same: the probability $e^{-250}$ is too small for `float32` and becomes 0, and its logarithm is -inf. The true value, -250, is a harmless number. It is only the way there that leads through an
# impossible one.
#
# So do not go there. Take the logarithm on paper first (section 4.1), with m the largest score:
#
# $$\log \mathrm{softmax}(\mathbf o)_j = o_j - \log \sum_k e^{o_k} = o_j - m - \log \sum_k e^{o_k - m} .$$
#
# The exponential of the softmax and the logarithm of the loss have met and cancelled. This is the *log-softmax*. What is left is a subtraction, and a logarithm of a number between 1 and q. Nothing can overflow, and nothing that matters can vanish.
#
# That is why `F.cross_entropy` and `nn.CrossEntropyLoss` take *scores* and do the softmax themselves, inside, together with the logarithm. Two classes, and the loss as the label falls behind by more and more:

# %% tags=["demo"]
import matplotlib.pyplot as plt

gap = torch.linspace(0, 130, 261)
pairs = torch.stack([torch.zeros(261), gap], dim=1)               # the label is class 0
p_label = torch.softmax(pairs, dim=1)[:, 0]
figure, ax = plt.subplots(figsize=(6, 3), layout="constrained")
ax.plot(gap, F.cross_entropy(pairs, torch.zeros(261, dtype=torch.int64), reduction="none"), label="F.cross_entropy", linewidth=4, alpha=0.4)
ax.plot(gap, -torch.log(p_label), label="-log of the softmax")
ax.plot(gap, -torch.log(p_label + 1e-9), "--", label="-log of (softmax + 1e-9)")
ax.set(xlabel="score of the other class minus score of the label", ylabel="loss")
ax.legend(loc="upper left")
ax.grid(alpha=0.3)
plt.show()
print("last finite loss of the softmax way:", gap[torch.isfinite(torch.log(p_label))].max().item())
print("largest loss with 1e-9 added:       ", -math.log(1e-9))

# %% [markdown]
# The logarithm of the softmax ends at a gap of about 104, where the probability becomes 0. A small number added under the logarithm, as many programs do, avoids the infinity and does something worse: from 20.7 on the loss is flat, and a flat loss has no gradient. The worst mistakes would never be mended.
#
# ⚠ The other mistake is to put a softmax at the end of the network *and* use `F.cross_entropy`. Then the softmax is done twice: probabilities are taken for scores. No error is raised, and the loss even falls, a little. Here are both, on 1,000 pictures, 20 epochs. (`torch.manual_seed` fixes all that torch draws after it: the weights, and then the orders of `torch.randperm`. So both networks begin alike and see the same batches.)

# %% tags=["demo"] teaches="training loop with the library's loss"
torch.set_num_threads(1)
X_1000, y_1000 = data.train[torch.arange(1000)]
X_val, y_val = data.val[torch.arange(1000)]
reports = {}
for doubled in (False, True):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    net(X_1000[:1])                                   # makes the weights
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    reports[doubled] = []
    for epoch in range(20):
        for rows in torch.randperm(1000).split(100):  # 10 batches of 100, in a new order
            scores = net(X_1000[rows])
            if doubled:
                scores = torch.softmax(scores, dim=1)
            loss = F.cross_entropy(scores, y_1000[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            accuracy = (net(X_val).argmax(dim=1) == y_val).float().mean().item()
        reports[doubled].append((loss.item(), accuracy))
    print("softmax twice:" if doubled else "scores:       ", f"loss of the last batch {loss.item():.3f}, validation accuracy {accuracy:.3f}")

# %% tags=["demo"]
figure, axes = plt.subplots(1, 2, figsize=(8, 2.8), layout="constrained")
for doubled, name, style in ((False, "scores", "-"), (True, "softmax twice", "--")):
    axes[0].plot(range(1, 21), [loss for loss, _ in reports[doubled]], style, label=name)
    axes[1].plot(range(1, 21), [accuracy for _, accuracy in reports[doubled]], style, label=name)
axes[0].set(xlabel="epoch", ylabel="loss of the last batch", ylim=(0, 2.5))
axes[1].set(xlabel="epoch", ylabel="validation accuracy", ylim=(0, 1))
axes[1].legend(loc="lower right")
for ax in axes:
    ax.grid(alpha=0.3)
plt.show()

# %% [markdown]
# With the softmax done twice the loss creeps and the accuracy lags far behind. Probabilities lie between 0 and 1, so as scores they are never far apart: even a perfect prediction looks like a weak one. The loss cannot fall below a floor.

# %% [markdown] task="4.5.C" kind="code" minutes=4 difficulty=2 core=true needs="cross-entropy from logits, softmax"
# ### The floor
#
# A program applies the softmax and then `F.cross_entropy`, which applies it again. Suppose that the model is perfect and sure: for each example the probabilities are the one-hot row of the label. Write `floor_of_twice(q)`: the loss that the program
# shows for q classes.
#
# **You are done when**
# - **value**: it is right for any number of classes from 2 on, to four digits or more.

# %% exercise="4.5.C"
def floor_of_twice(q):
    """The cross-entropy of a one-hot row that is taken for scores, with q classes."""
    ### BEGIN SOLUTION
    return math.log(math.e + q - 1) - 1
    ### END SOLUTION

# %% [markdown] hints="4.5.C"
# 1. Which scores does the loss see: one of them is 1, what are the others?
# 2. The loss is the log-sum-exp of the scores minus the score of the label.
# 3. For the scores 2, 0, 0 with label 0 it is $\log(e^2 + 2) - 2 \approx 0.24$.

# %% check="4.5.C" points=1
def others_of_45C(q):
    """Which score of the other classes the loss belongs to, in words: log(e + (q - 1) e**a) - 1 is solved for a."""
    room = math.exp(float(floor_of_twice(q)) + 1) - math.e
    if room <= 0:
        return f"The label's score, 1, alone gives log e - 1 = 0: the {q - 1} other score{'s' * (q > 2)} of 0 must make the loss larger."
    score = math.log(room / (q - 1))
    if abs(score) < 0.01:
        return "It is near the right number, but not right to four digits."
    return f"With a 1 for the label this is the loss for other scores of {score:.3g}: in the one-hot row they are 0."

assert_close(floor_of_twice(10), 1.4611501, "10 classes", of="value", rtol=5e-4,
             mistakes={"A perfect model has the loss 0 only if its scores are taken for scores.": 0.0, "This is the loss of a model that knows nothing.": math.log(10),
                       "The score of the label is 1 and has to be subtracted.": math.log(math.e + 9), "There are q - 1 other classes.": math.log(math.e + 10) - 1,
                           "The logarithm is the natural one.": math.log2(math.e + 9) - 1, "This is the probability of the label; its loss is -log of it.": math.e / (math.e + 9), "Four digits are asked for.": 1.46,
                       "Take the natural logarithm, not that to base 2.": math.log2(math.e + 9) - math.log2(math.e), "Take the natural logarithm, not that to base 10.": math.log10(math.e + 9) - math.log10(math.e),
                       "One score is 1, the label's, and nine are 0; here it is the other way round.": math.log(1 + 9 * math.e) - 1, "One of the ten terms of the sum is e, not 1.": math.log(10) - 1,
                       "The label's own term, e, belongs in the sum.": math.log(9) - 1, "The sign is wrong: a loss is not negative.": 1 - math.log(math.e + 9),
                       "This is minus the score of the label alone: the log-sum-exp of the scores is missing.": -1.0, "This is minus the probability of the label: the loss is minus its logarithm.": -math.e / (math.e + 9),
                       "This is the mean over all ten labels; the label is the class with the score 1.": math.log(math.e + 9) - 0.1,
                       "The label's own term, e, is missing in the sum, and its score is not subtracted.": math.log(9),
                       "Here the softmax is done once more than in the program: the one-hot row is what its first softmax gives.": F.cross_entropy(torch.softmax(torch.eye(10), dim=1), torch.arange(10)).item(),
                       "This is 1 minus the probability of the label; the loss is -log of that probability.": 1 - math.e / (math.e + 9),
                       "This is a tenth of it: the mean is over the examples, not over the classes.": (math.log(math.e + 9) - 1) / 10, "This is ten times as much: the mean over the examples is shown, not the sum.": 10 * math.log(math.e + 9) - 10},
             hint=lambda: "The loss sees the one-hot row as scores: a 1 for the label and nine 0. It is their log-sum-exp, minus the score of the label. " + others_of_45C(10))
assert_close(floor_of_twice(2), 0.31326169, "2 classes", of="value", rtol=5e-4, mistakes={"The number of classes is the argument `q`.": 1.4611501},
             hint=lambda: "With 2 classes there are a score 1 and a score 0. " + others_of_45C(2))
assert_close(floor_of_twice(5), math.log(math.e + 4) - 1, "5 classes", of="value", rtol=5e-4, hint=lambda: "With q classes there are one score 1 and q - 1 scores 0. " + others_of_45C(5))
### BEGIN HIDDEN TESTS
for q in (3, 100, 1000):
    assert_close(floor_of_twice(q), F.cross_entropy(torch.eye(q, dtype=torch.float64)[:1], torch.tensor([0])).item(), f"{q} classes", of="value", rtol=5e-4, hint="With q classes there are one score 1 and q - 1 scores 0.")
### END HIDDEN TESTS

# %% [markdown]
# ### Find the bug
#
# Five programmers have written the mean cross-entropy of a batch of scores, and each has made one mistake. On most batches you would not notice.

# %% tags=["setup"]
def plain_loss(O, y):
    """Softmax by its formula, then the logarithm."""
    E = torch.exp(O)
    P = E / E.sum(dim=1, keepdim=True)
    return -torch.log(P.gather(1, y[:, None])).mean()      # gather: the label's entry of each row


def epsilon_loss(O, y):
    """A small number under the logarithm, to be on the safe side."""
    P = torch.softmax(O, dim=1)
    return -torch.log(P.gather(1, y[:, None]) + 1e-9).mean()


def batch_max_loss(O, y):
    """The max-shift, with the largest score of the whole batch."""
    m = O.max()
    log_sum = m + torch.log(torch.exp(O - m).sum(dim=1))
    return (log_sum - O[torch.arange(len(y)), y]).mean()


def twice_loss(O, y):
    """Softmax, then the library's loss."""
    return F.cross_entropy(torch.softmax(O, dim=1), y)


def last_axis_loss(O, y):
    """The number of classes where the number of examples is meant."""
    log_p = torch.log_softmax(O, dim=1)
    return -log_p[torch.arange(len(y)), y].sum() / O.shape[1]


# %%
O_mild, y_mild = torch.tensor([[2.0, 0.5, -1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 3.0]]), torch.tensor([0, 1, 2])
print("right:         ", F.cross_entropy(O_mild, y_mild).item())
for loss_function in (plain_loss, epsilon_loss, batch_max_loss, twice_loss, last_axis_loss):
    print(f"{loss_function.__name__:15}", loss_function(O_mild, y_mild).item())

# %% [markdown] task="4.5.5" kind="break it" minutes=10 difficulty=3 needs="cross-entropy from logits, max-shift"
# ### One batch for five bugs
#
# On the mild batch above only one of the five shows. Find *one* batch on which all five are wrong: set `O_bad`, a tensor of scores, `float32`, shape (n, q), and `y_bad`, the labels, `int64`, shape (n,). A function is exposed if its value is nan or infinite, or differs from
# the right value, that of `F.cross_entropy`, by more than 1 % of it.
#
# Each bug that is exposed counts.
#
# **You are done when**
# - **batch**: `O_bad` and `y_bad` have the shapes and dtypes above, the scores are finite and not larger than 10,000 in size, and the labels are classes;
# - **plain**: `plain_loss` is exposed;
# - **epsilon**: `epsilon_loss` is exposed;
# - **batch max**: `batch_max_loss` is exposed;
# - **twice**: `twice_loss` is exposed;
# - **last axis**: `last_axis_loss` is exposed.

# %% exercise="4.5.5"
### BEGIN SOLUTION
O_bad = torch.tensor([[500.0, 0.0, 0.0], [-500.0, -400.0, -500.0]])
y_bad = torch.tensor([1, 0])
### END SOLUTION

# %% [markdown] hints="4.5.5"
# 1. For each function: which step goes wrong, and on which scores? Sizes of scores, differences inside a row, differences between rows, the shape.
# 2. `plain_loss` needs large scores, `epsilon_loss` a label that is far behind, `batch_max_loss` a row that is far below another row, `last_axis_loss` n ≠ q. Try the functions on your batch before you run the check.
# 3. Another bug: a mean that divides by n - 1. The batch must not be so long that n and n - 1 differ by less than 1 %.

# %% check="4.5.5" points=2.5
def exposes(function, backwards=False):
    """Whether the function is off by more than 1 % on O_bad, y_bad."""
    scores, labels = (O_bad.flip(0), y_bad.flip(0)) if backwards else (O_bad, y_bad)
    value = function(scores, labels).item()
    right = (F.cross_entropy(scores.double(), labels).item(), F.cross_entropy(scores, labels).item())
    return not math.isfinite(value) or all(abs(value - exact) > 0.01 * abs(exact) for exact in right)

def advice(words):
    """The words, unless the right loss is 0 in float32's digits."""
    return "The right loss is 0 on this batch, to the digits of `float32`: in some row the label must lie behind." if F.cross_entropy(O_bad, y_bad).item() == 0 else words

def assert_batch():
    assert_type(O_bad, torch.Tensor, "O_bad", of="batch")
    assert_type(y_bad, torch.Tensor, "y_bad", of="batch")
    assert_dtype(O_bad, torch.float32, "the dtype of O_bad", of="batch")
    assert_dtype(y_bad, torch.int64, "the dtype of y_bad", of="batch")
    assert_equal(O_bad.dim(), 2, "the number of axes of O_bad", of="batch")
    assert_true(O_bad.numel() > 0, "O_bad has a row and a class at least", of="batch")
    assert_shape(y_bad, (len(O_bad),), "the shape of y_bad, a label for each row of O_bad", of="batch")
    assert_true(math.isfinite(O_bad.abs().max().item()), "the scores are finite, none is infinite or nan", of="batch")
    assert_true(O_bad.abs().max().item() <= 10_000, "the scores are not larger than 10,000 in size", of="batch", hint=f"The largest size is {O_bad.abs().max().item():g}.")
    assert_true(0 <= y_bad.min().item() and y_bad.max().item() < O_bad.shape[1], "the labels are classes of O_bad", of="batch",
                hint=f"{O_bad.shape[1]} columns are the classes 0 to {O_bad.shape[1] - 1}; the labels go from {y_bad.min().item()} to {y_bad.max().item()}.")

def spread():
    """How far the largest score of the batch is above the lowest of the largest scores of the rows."""
    tops = O_bad.max(dim=1).values
    return (tops.max() - tops.min()).item()

for given, words in ((O_bad, "O_bad"), (y_bad, "y_bad")):
    assert_type(given, torch.Tensor, words, of="batch")
with part(0.25, "plain_loss"):
    assert_batch()
    assert_true(exposes(plain_loss), "plain_loss is wrong on O_bad, y_bad", of="plain",
                hint=lambda: advice(f"Its exponentials are still good enough for scores from {O_bad.min().item():g} to {O_bad.max().item():g}, as they stand here. Which scores are too large for exp, or all too small in a row?"))
with part(0.25, "epsilon_loss"):
    assert_batch()
    assert_true(exposes(epsilon_loss), "epsilon_loss is wrong on O_bad, y_bad", of="epsilon",
                hint=lambda: advice(f"The smallest probability of a label is {torch.softmax(O_bad, dim=1)[torch.arange(len(y_bad)), y_bad].min().item():.1e} on this batch: 1e-9 matters only if a label's probability is as small, and its row makes up more of the loss."))
with part(0.25, "batch_max_loss"):
    assert_batch()
    assert_true(exposes(batch_max_loss), "batch_max_loss is wrong on O_bad, y_bad", of="batch max",
                hint=lambda: advice("With a single row the largest score of the batch is that of the row: another row is needed, far below it." if len(O_bad) == 1 else
                            ("The largest scores of all rows are equal here. " if spread() == 0 else f"The largest scores of the rows are at most {spread():g} apart here, and exp(-{spread():g}) is no trouble. ") + "What happens to a row whose scores are all far below those of another row?"))
with part(0.25, "twice_loss"):
    assert_batch()
    assert_true(exposes(twice_loss), "twice_loss is wrong on O_bad, y_bad", of="twice",
                hint=lambda: advice(f"It gives {twice_loss(O_bad, y_bad).item():.4g}, and {F.cross_entropy(O_bad, y_bad).item():.4g} is right. Probabilities are never far apart: for which scores are the two losses alike?"))
with part(0.25, "last_axis_loss"):
    assert_batch()
    assert_true(exposes(last_axis_loss), "last_axis_loss is wrong on O_bad, y_bad", of="last axis",
                hint=lambda: advice(f"It divides by the number of classes. Here that is {O_bad.shape[1]}, as the number of examples: no difference." if len(O_bad) == O_bad.shape[1] else
                            f"It divides by the {O_bad.shape[1]} classes in place of the {len(O_bad)} examples, and these numbers differ by 1 % or less."))
### BEGIN HIDDEN TESTS
with part(0.25, "plain_loss, rows in reverse order"):
    assert_batch()
    assert_true(exposes(plain_loss, True), "plain_loss is wrong on O_bad, y_bad, rows in reverse order", of="plain")
with part(0.25, "epsilon_loss, rows in reverse order"):
    assert_batch()
    assert_true(exposes(epsilon_loss, True), "epsilon_loss is wrong on O_bad, y_bad, rows in reverse order", of="epsilon")
with part(0.25, "batch_max_loss, rows in reverse order"):
    assert_batch()
    assert_true(exposes(batch_max_loss, True), "batch_max_loss is wrong on O_bad, y_bad, rows in reverse order", of="batch max")
with part(0.25, "twice_loss, rows in reverse order"):
    assert_batch()
    assert_true(exposes(twice_loss, True), "twice_loss is wrong on O_bad, y_bad, rows in reverse order", of="twice")
with part(0.25, "last_axis_loss, rows in reverse order"):
    assert_type(O_bad, torch.Tensor, "O_bad, again", of="batch")
    assert_batch()
    assert_true(exposes(last_axis_loss, True), "last_axis_loss is wrong on O_bad, y_bad, rows in reverse order", of="last axis")
total()
### END HIDDEN TESTS

# %% [markdown] teaches="concise softmax regression"
# ## 3. Training on all pictures
#
# Put into the class of section 4.3, the model takes five lines. `d2l.Classifier` brings the loss, `F.cross_entropy` of the scores, the accuracy and the optimizer.

# %% teaches="concise softmax regression"
class SoftmaxRegression(d2l.Classifier):
    def __init__(self, num_outputs, lr):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Flatten(), nn.LazyLinear(num_outputs))

    def forward(self, X):
        return self.net(X)

# %% tags=["demo"]
torch.set_num_threads(1)
torch.manual_seed(0)
model, trainer = SoftmaxRegression(num_outputs=10, lr=0.1), d2l.Trainer(max_epochs=3)
trainer.fit(model, data)

# %% tags=["demo"]
trainer.history.to_frame().round(3)

# %% [markdown]
# Three passes over 60,000 pictures, and about 81 of 100 pictures of the validation set are recognised: the curve `val_acc`. Five passes gave about 82 in 4.4. The loss of a model that knows nothing would be log 10 ≈ 2.30; a first value far above that is a sign that something is wrong.

# %% [markdown] teaches="floating-point format, subnormal numbers, overflow, underflow"
# ## 4. How far a number reaches
#
# Why does exp(88.8) overflow in `float32`, and what about other formats? A floating-point number is stored in three groups of bits: a sign, an exponent, and a fraction. In `float16` they have 1, 5 and 10 bits. Look at 6.5, which is 1.625 · 2²:

# %% teaches="floating-point format"
for number in (6.5, 13.0, 65504.0, 2.0 ** -14, 2.0 ** -24):
    bits = format(torch.tensor(number, dtype=torch.float16).view(torch.int16).item(), "016b")
    print(f"{number:<22} sign {bits[0]}  exponent {bits[1:6]} = {int(bits[1:6], 2):2}  fraction {bits[6:]}")

# %% [markdown]
# The exponent is stored with 15 added, the *bias*, so that it needs no sign: 17 means 2². The fraction 1010000000 means $1 + \frac12 + \frac18 = 1.625$; the leading 1 is not stored. With e exponent bits and f fraction bits:
#
# - The bias is $B = 2^{e-1} - 1$: 15 for 5 bits.
# - The pattern 11…1 of the exponent is kept for infinity and nan. So the largest exponent is B, and the largest number has all fraction bits set: $(2 - 2^{-f}) \cdot 2^{B}$, which is $(2 - 2^{-10}) \cdot 2^{15} = 65504$ for `float16`.
# - The pattern 00…0 is kept for 0 and the *subnormal* numbers. So the smallest *normal* number is $2^{1-B} = 2^{-14}$.
# - Subnormal numbers have no leading 1, only the fraction. They go on below, in equal steps, with fewer and fewer digits: the smallest is a single bit, $2^{1-B-f} = 2^{-24}$. Below that there is only 0.
#
# `bfloat16` has 8 and 7 bits for exponent and fraction, `float32` 8 and 23, `float64` 11 and 52. `torch.finfo` has the numbers above, with `eps` = $2^{-f}$ for the distance from 1 to the next number.

# %% teaches="floating-point format, subnormal numbers, overflow, underflow"
for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
    info = torch.finfo(dtype)
    print(f"{str(dtype)[6:]:9} largest {info.max:.4g}   smallest normal {info.smallest_normal:.4g}   eps {info.eps:.4g}")
half = torch.tensor([11.0, 11.0859375, 11.09375, -9.0, -17.3, -17.4], dtype=torch.float16)
print("exp of", half.tolist(), "in float16:")
print(torch.exp(half).tolist())
print("the next bfloat16 after 88.5 is", torch.nextafter(torch.tensor(88.5, dtype=torch.bfloat16), torch.tensor(100.0, dtype=torch.bfloat16)).item())

# %% tags=["demo"]
figure, ax = plt.subplots(figsize=(7, 2.4), layout="constrained")
for row, dtype in enumerate((torch.float32, torch.bfloat16, torch.float16)):
    info = torch.finfo(dtype)
    low, normal, high = (math.log(v) for v in (info.smallest_normal * info.eps, info.smallest_normal, info.max))
    ax.barh(row, high - normal, left=normal, color="C0")
    ax.barh(row, normal - low, left=low, color="C1", alpha=0.6)
ax.set(yticks=[0, 1, 2], yticklabels=["float32", "bfloat16", "float16"], xlabel="x, for which exp(x) can be stored", xlim=(-125, 125))
ax.grid(alpha=0.3, axis="x")
plt.show()

# %% [markdown]
# Blue: exp(x) is a normal number. Orange: it is subnormal, with few digits. Left of it exp(x) becomes 0, right of it infinity. `float16` is a very narrow bar: scores of 12 are already too large for its exponential. `bfloat16` has as many bits, 16, but spends eight of
# them on the exponent, like `float32`. So it reaches as far, and has two to three decimal digits only: after 88.5 comes 89. `float64` is left out; its bar is seven to eight times as wide.
#
# ⚠ At the lower end the last step is a matter of rounding. A result between one half of the smallest number and the smallest number is rounded *up* to it. So a program finds that exp(x) is still positive log 2 ≈ 0.69 below the place where exp(x) is the smallest number: at -17.3 in the output above, though $\log 2^{-24} = -16.64$.

# %% [markdown] task="4.5.1a" kind="answer" minutes=6 difficulty=2 core=true needs="floating-point format, overflow"
# ### The largest argument
#
# For which largest x is exp(x) still a finite number of the format? Set `largest`, a dictionary with the keys `"float16"`, `"bfloat16"`, `"float32"`, `"float64"` and one number each, to two decimals.
#
# You may give the real number x for which exp(x) is the largest number of the format, or the largest x *that the format itself can store*; in `bfloat16` they are 0.2 apart. Both count.
#
# **You are done when**
# - **keys**: the dictionary has the four keys, and numbers;
# - **limits**: each number is the limit of its format, in one of these two senses, to 0.01.

# %% exercise="4.5.1a"
### BEGIN SOLUTION
largest = {kind: math.log(torch.finfo(getattr(torch, kind)).max) for kind in ("float16", "bfloat16", "float32", "float64")}
### END SOLUTION

# %% [markdown] hints="4.5.1a"
# 1. Which function undoes exp? What is the largest number of each format?
# 2. `torch.finfo(torch.float16).max` is the largest number of `float16`.
# 3. For which largest n is n! a finite `float64`? 170! is 7.26e306, and 171! is above 1.80e308, so 170.

# %% check="4.5.1a" points=2
formats = {"float16": torch.float16, "bfloat16": torch.bfloat16, "float32": torch.float32, "float64": torch.float64}

def is_limit(x, limit, dtype, towards):
    """Whether x is the limit to 0.01, or the last number on this side of it that the format stores, or the last that is rounded to that one."""
    stored, inside, outside = torch.tensor(limit, dtype=dtype), torch.tensor(-towards, dtype=dtype), torch.tensor(towards, dtype=dtype)
    if (stored.item() - limit) * towards > 0:
        stored = torch.nextafter(stored, inside)
    beyond = torch.nextafter(stored, outside).item()
    return any(abs(x - value) < 0.01005 for value in (limit, stored.item(), (stored.item() + beyond) / 2))

def too_large(x, top, name):
    """The likely reason for an x above the limit."""
    if math.isclose(x, top / math.log(2), rel_tol=1e-3):
        return "The natural logarithm undoes exp, not that to base 2."
    if x > 60_000:
        return "Not the largest number itself is asked for, but its logarithm."
    return "Two decimals are asked for." if x - top < 0.06 else "89 is the next number that bfloat16 stores after 88.5, and exp(89) is already above its largest number." if (name, x) == ("bfloat16", 89) else \
        other_bits(x) or f"exp({x:g}) is {math.exp(x - top):.3g} times the largest number of the format." if x - top < 700 else other_bits(x) or "exp(x) is far above the largest number of the format."

def other_bits(x):
    """What is said of the limit of a format with other exponent bits, or nothing."""
    for bits, words in ((5, "5 exponent bits, as float16 has them"), (8, "8 exponent bits, as float32 and bfloat16 have them"), (11, "11 exponent bits, as float64 has them"),
                        (6, "6 exponent bits"), (7, "7 exponent bits"), (9, "9 exponent bits"), (10, "10 exponent bits"), (12, "12 exponent bits")):
        if abs(x - 2 ** (bits - 1) * math.log(2)) < 0.02:
            return f"This is the limit of a format with {words}."
    return ""

assert_type(largest, dict, "largest", of="keys")
assert_equal(sorted(str(key) for key in largest), sorted(formats), "the keys of largest", of="keys", hint="The keys are the four names, as strings.")
assert_equal([name in largest for name in formats], [True] * 4, "which of float16, bfloat16, float32, float64 are keys of largest", of="keys")
for name, dtype in formats.items():
    assert_type(largest[name], (int, float, torch.Tensor), f"largest[{name!r}]", of="keys",
                mistakes={"A number, without quotation marks.": str}, hint="A number.")
    assert_true(math.isfinite(float(largest[name])), f"largest[{name!r}] is a finite number, not nan or infinity", of="keys")
    top = math.log(torch.finfo(dtype).max)
    right = is_limit(float(largest[name]), top, dtype, math.inf)
    assert_true(right or float(largest[name]) <= top, f"exp(largest[{name!r}]) is finite in {name}", of="limits", hint=lambda: too_large(float(largest[name]), top, name))
    assert_true(right or float(largest[name]) >= top, f"no x clearly above largest[{name!r}] has a finite exp(x) in {name}", of="limits",
                hint=lambda: "Two decimals are asked for." if top - float(largest[name]) < 0.06 else "This is the logarithm of 2 ** B; the largest number is (2 - eps) · 2 ** B." if abs(top - float(largest[name]) - math.log(2)) < 0.015 else
                "This is the logarithm of 1 divided by the smallest normal number; the largest number is larger." if abs(float(largest[name]) + math.log(torch.finfo(dtype).smallest_normal)) < 0.02 else
                "This is cut off to a whole number: two decimals are asked for." if top - 1 < float(largest[name]) == round(float(largest[name])) else
                "exp(x) can still be larger: give the logarithm of the largest number to two decimals." if top - float(largest[name]) < 1 else "exp(x) can still be larger. The natural logarithm undoes exp." if math.isclose(float(largest[name]), top / math.log(10), rel_tol=5e-3) else
                "This is about the limit of float16. bfloat16 has other bits: eight for the exponent." if name == "bfloat16" and abs(float(largest[name]) - 11.09) < 0.1 else other_bits(float(largest[name])) or "exp(x) can still be larger. How many exponent bits has this format?")
### BEGIN HIDDEN TESTS
assert_equal(len(largest), 4, "the number of entries of largest", of="keys")
for name, values in (("float16", (11.0899, 11.0859)), ("bfloat16", (88.7189, 88.5, 88.75)), ("float32", (88.7228,)), ("float64", (709.7827,))):
    assert_true(any(abs(float(largest[name]) - value) < 0.0102 for value in values), f"largest[{name!r}], to 0.01", of="limits")
### END HIDDEN TESTS

# %% [markdown] task="4.5.1b" kind="answer" minutes=8 difficulty=3 needs="floating-point format, subnormal numbers, underflow"
# ### The smallest argument
#
# At the other end there are two limits. Set two dictionaries with the same four keys, numbers to two decimals:
# - `smallest_normal`: the smallest x for which exp(x) is still a *normal* number;
# - `smallest_positive`: the smallest x for which exp(x) is still a positive number, subnormal ones included. You may count without rounding, the logarithm of the smallest positive number, or with rounding, as a program finds it.
#
# **You are done when**
# - **normal**: `smallest_normal` holds the four limits, to 0.01: each is the real number x, or the next larger one that the format can store;
# - **positive**: `smallest_positive` holds the four limits, the same way, with or without rounding.

# %% exercise="4.5.1b"
### BEGIN SOLUTION
finfos = {kind: torch.finfo(getattr(torch, kind)) for kind in ("float16", "bfloat16", "float32", "float64")}
smallest_normal = {kind: math.log(finfos[kind].smallest_normal) for kind in finfos}
smallest_positive = {kind: math.log(finfos[kind].smallest_normal * finfos[kind].eps) for kind in finfos}
### END SOLUTION

# %% [markdown] hints="4.5.1b"
# 1. By which factor is the smallest subnormal number smaller than the smallest normal one? Compare the two formulas.
# 2. `torch.finfo` has `smallest_normal` and `eps`; the smallest positive number is their product.
# 3. For a format with the smallest normal number $2^{-6}$ and 3 fraction bits the smallest positive number is $2^{-9}$, and the limits are -4.16 and -6.24.

# %% check="4.5.1b" points=2
lower_limits = {}
for name, dtype in (("float16", torch.float16), ("bfloat16", torch.bfloat16), ("float32", torch.float32), ("float64", torch.float64)):
    lower_limits[name] = (dtype, math.log(torch.finfo(dtype).smallest_normal), math.log(torch.finfo(dtype).smallest_normal) + math.log(torch.finfo(dtype).eps))

def is_lower_limit(x, limit, dtype):
    """Whether x is the limit to 0.01, or the first number above it that the format stores, or the first that is rounded to that one."""
    stored = torch.tensor(limit, dtype=dtype)
    if stored.item() < limit:
        stored = torch.nextafter(stored, torch.tensor(math.inf, dtype=dtype))
    below = torch.nextafter(stored, torch.tensor(-math.inf, dtype=dtype)).item()
    return any(abs(x - value) < 0.01005 for value in (limit, stored.item(), (stored.item() + below) / 2))

def advice_normal(x, bottom, top, positive):
    """The likely reason for a wrong limit of the normal numbers."""
    if math.isclose(x, math.exp(bottom), rel_tol=1e-2):
        return "This is the smallest normal number itself: x is its logarithm."
    if x == -math.inf:
        return "-inf is the logarithm of 0, and the smallest normal number is above 0."
    if math.isclose(x, -math.exp(top), rel_tol=1e-2):
        return "This is the most negative number of the format. Asked for is the logarithm of the smallest positive number that is normal."
    for name, (_, normal, _) in lower_limits.items():
        if abs(normal - bottom) > 1 and abs(x - normal) < 0.02:
            return f"This is the limit of {name}: the exponent bits of the format count."
    near = [words for value, words in ((bottom / math.log(2), "This is the logarithm to base 2; the natural one undoes exp."), (bottom / math.log(10), "This is the logarithm to base 10; the natural one undoes exp."),
                                       (-bottom, "The smallest normal number is below 1, so x is negative."), (-top, "The smallest normal number is not 1 / max: see `smallest_normal`."),
                                       (bottom - math.log(2), "The smallest exponent of a normal number is 1 - B, not -B."), (positive, "This is the limit of the positive numbers, subnormal ones included.")) if abs(x - value) < 0.02]
    if near:
        return near[0]
    if x >= 0:
        return "The smallest normal number is below 1, so x, its logarithm, is negative."
    return "Two decimals are asked for." if abs(x - bottom) < 0.06 else "exp(x) can still be smaller, and normal." if x > bottom else "There exp(x) is no longer a normal number."

def advice_positive(x, bottom, log_eps):
    """The likely reason for a wrong limit of the positive numbers."""
    if x == -math.inf:
        return "-inf is the logarithm of 0, and the smallest positive number is above 0. If it became 0 on the way, add the logarithms of its two factors."
    if math.isclose(x, math.exp(bottom), rel_tol=1e-2) and x > 0:
        return "This is the smallest positive number itself: x is its logarithm."
    if math.isclose(x, math.exp(bottom - log_eps), rel_tol=1e-2):
        return "This is the smallest normal number. Asked for is the logarithm of the smallest positive one, which is subnormal."
    if abs(x - log_eps) < 0.02:
        return "This is the logarithm of eps alone: the smallest positive number is eps times the smallest normal one."
    if abs(x - bottom + log_eps) < 0.02:
        return "This is the limit of the normal numbers: subnormal ones go on below, by the factor eps."
    if abs(x - bottom - math.log(2)) < 0.02:
        return "This is log 2 too high: the subnormal numbers go down by the factor eps, 2 ** -f, one more halving than here."
    for name, (_, normal, low) in lower_limits.items():
        if abs(low - bottom) > 1 and min(abs(x - low), abs(x - low + math.log(2))) < 0.02:
            return f"This is the limit of {name}: the exponent bits and the fraction bits of the format both count."
    if x >= 0:
        return "The smallest positive number is below 1, so x, its logarithm, is negative."
    if abs(x - bottom / math.log(2)) < 0.02 or abs(x - bottom / math.log(10)) < 0.02:
        return "The natural logarithm undoes exp, not that to base 2 or 10."
    if min(abs(x - bottom), abs(x - bottom + math.log(2))) < 0.06:
        return "Two decimals are asked for."
    if x > bottom:
        return "Subnormal numbers go on below the smallest normal one, by the factor eps."
    return "Either the smallest positive number itself counts, or one half of it: this x is neither." if x > bottom - math.log(2) else "This x is too low: there exp(x) is 0, with rounding, too."

try:
    given = smallest_normal
except NameError:
    given = smallest_positive
with part(0.5, "normal numbers"):
    assert_type(smallest_normal, dict, "smallest_normal", of="normal")
    assert_equal(sorted(smallest_normal), ["bfloat16", "float16", "float32", "float64"], "the keys of smallest_normal", of="normal")
    for name, (dtype, bottom, _) in lower_limits.items():
        assert_type(smallest_normal[name], (int, float, torch.Tensor), f"smallest_normal[{name!r}]", of="normal",
                    mistakes={"A number, without quotation marks.": str}, hint="A number.")
        x = float(smallest_normal[name])
        assert_true(not math.isnan(x), f"smallest_normal[{name!r}] is a number, not nan", of="normal")
        assert_true(is_lower_limit(x, bottom, dtype), f"smallest_normal[{name!r}] is where exp(x) becomes smaller than the smallest normal number", of="normal",
                    hint=lambda: advice_normal(x, bottom, math.log(torch.finfo(dtype).max), lower_limits[name][2]))
with part(0.5, "positive numbers"):
    assert_type(smallest_positive, dict, "smallest_positive", of="positive")
    assert_equal(sorted(smallest_positive), ["bfloat16", "float16", "float32", "float64"], "the keys of smallest_positive", of="positive")
    for name, (dtype, _, bottom) in lower_limits.items():
        assert_type(smallest_positive[name], (int, float, torch.Tensor), f"smallest_positive[{name!r}]", of="positive",
                    mistakes={"A number, without quotation marks.": str}, hint="A number.")
        x, rounded = float(smallest_positive[name]), bottom - math.log(2)
        assert_true(not math.isnan(x), f"smallest_positive[{name!r}] is a number, not nan", of="positive")
        assert_true(is_lower_limit(x, bottom, dtype) or is_lower_limit(x, rounded, dtype), f"smallest_positive[{name!r}] is where exp(x) becomes 0, with or without rounding", of="positive",
                    hint=lambda: advice_positive(x, bottom, math.log(torch.finfo(dtype).eps)))
### BEGIN HIDDEN TESTS
with part(0.5, "normal numbers, the values"):
    assert_type(smallest_normal, dict, "smallest_normal, again", of="normal")
    assert_equal(sorted(smallest_normal), ["bfloat16", "float16", "float32", "float64"], "the keys of smallest_normal, again", of="normal")
    for name, values in (("float16", (-9.7041, -9.707)), ("bfloat16", (-87.3365, -87.0, -87.25)), ("float32", (-87.3365,)), ("float64", (-708.3964,))):
        assert_true(any(isinstance(smallest_normal[name], str) is False and abs(float(smallest_normal[name]) - value) < 0.0102 for value in values), f"smallest_normal[{name!r}], a number, to 0.01", of="normal")
with part(0.5, "positive numbers, the values"):
    assert_type(smallest_positive, dict, "smallest_positive, again", of="positive")
    assert_equal(sorted(smallest_positive), ["bfloat16", "float16", "float32", "float64"], "the keys of smallest_positive, again", of="positive")
    for name, values in (("float16", (-16.6355, -16.625, -16.6328, -17.3287, -17.3359)), ("bfloat16", (-92.1886, -92.0, -92.25, -92.8817, -92.5, -92.75)),
                         ("float32", (-103.2789, -103.9721)), ("float64", (-744.4401, -745.1332))):
        assert_true(any(isinstance(smallest_positive[name], str) is False and abs(float(smallest_positive[name]) - value) < 0.0102 for value in values), f"smallest_positive[{name!r}], a number, to 0.01", of="positive")
total()
### END HIDDEN TESTS

# %% [markdown] task="4.5.1c" kind="code" minutes=10 difficulty=4 needs="floating-point format, subnormal numbers"
# ### Any format
#
# New formats appear every few years: TF32 on graphics processors has 8 exponent and 10 fraction bits; two formats of 8 bits in all are in use. Write `exp_limits(exponent_bits, fraction_bits)` for a format that is built like those above. It returns three numbers: the largest x for which exp(x) is not above
# the largest number of the format, the x for which exp(x) is its smallest normal number, and the x for which exp(x) is its smallest positive number (without rounding).
#
# **You are done when**
# - **largest**: the first number is right, to 0.001;
# - **normal**: so is the second;
# - **positive**: so is the third;
# - **wide formats**: all three are right for up to 15 exponent bits, too, where the largest number of the format, about 1.2e4932, is infinite for Python.

# %% exercise="4.5.1c"
def exp_limits(exponent_bits, fraction_bits):
    """(largest, smallest normal, smallest positive) argument of exp for a floating-point format."""
    ### BEGIN SOLUTION
    bias = 2 ** (exponent_bits - 1) - 1
    largest_x = math.log(2 - 2.0 ** -fraction_bits) + bias * math.log(2)
    normal_x = (1 - bias) * math.log(2)
    return largest_x, normal_x, normal_x - fraction_bits * math.log(2)
    ### END SOLUTION

# %% [markdown] hints="4.5.1c"
# 1. The three numbers are products of powers of 2. What are their logarithms?
# 2. $\log \bigl((2 - 2^{-f}) \cdot 2^B\bigr) = \log(2 - 2^{-f}) + B \log 2$. No large number is needed.
# 3. The logarithm of $3^{2000} \cdot 7$, which Python's floats cannot hold: 2000 · log 3 + log 7 ≈ 2199.17.

# %% check="4.5.1c" points=3
@probe
def complaint(exponent_bits, fraction_bits):
    """What Python says if it cannot go on, or nothing."""
    try:
        exp_limits(exponent_bits, fraction_bits)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""

def advice_wide(said):
    """What is known of an error with 15 exponent bits."""
    if said.startswith(("OverflowError", "ValueError", "ZeroDivisionError")):
        return f"Python says {said}. Here B is 16383: 2 ** B is too large for a float, and 2 ** (1 - B) becomes 0. Work with logarithms: the numbers themselves do not fit."
    return f"Python says {said}. Any numbers of bits may be asked for, also those of a format that torch does not have."

for bits, words in (((5, 10), "float16"), ((8, 7), "bfloat16"), ((8, 23), "float32")):
    limits = exp_limits(*bits)
    assert_type(limits, object, f"the result for {words}, {bits[0]} exponent and {bits[1]} fraction bits", of="largest")
    assert_true(not isinstance(limits, dict), f"the result for {words} is three numbers, one after the other", of="largest", hint="A dictionary has keys: return a tuple or a list.")
    assert_equal(len(limits), 3, f"the number of values for {words}, {bits[0]} exponent and {bits[1]} fraction bits", of="largest")
    info, bias_word = torch.finfo(getattr(torch, words)), f"Here the bias B is {2 ** (bits[0] - 1) - 1}, and f is {bits[1]}."
    assert_close(limits[0], math.log(info.max), f"largest x for {words}, {bits[0]} exponent and {bits[1]} fraction bits", of="largest", rtol=0, atol=1e-3,
                 mistakes={"This is log 2 too large: the largest exponent is B = 2 ** (e - 1) - 1, since the pattern 11...1 is kept for infinity and nan.": math.log(info.max) + math.log(2), "The largest fraction has the leading 1, which is not stored, and all f bits set: just under 2, 2 - 2 ** -f.": math.log(info.max) - math.log(2 - info.eps),
                           "Take the natural logarithm, not that to base 2.": math.log2(info.max), "The largest number is not 1 divided by the smallest normal one.": -math.log(info.smallest_normal),
                           "This is the largest number itself: x is its logarithm.": info.max, "The order is: largest, smallest normal, smallest positive; this is the last of them.": math.log(info.smallest_normal * info.eps),
                           "The first argument is the number of exponent bits, the second that of fraction bits.": math.log(2 - 2.0 ** -bits[0]) + (2 ** (bits[1] - 1) - 1) * math.log(2),
                           "The logarithm of a product is a sum: log(2 - 2 ** -f) + B · log 2.": (2 - info.eps) * (2 ** (bits[0] - 1) - 1) * math.log(2),
                           "The bias is 2 ** (e - 1) - 1: the sign is no exponent bit, and e is given without it.": math.log(2 - info.eps) + (2 ** (bits[0] - 2) - 1) * math.log(2), "The bias is 2 ** (e - 1) - 1: half as many bits up, half down.": math.log(2 - info.eps) + (2 ** bits[0] - 1) * math.log(2),
                           **({"The largest fraction is just under 2, not 2.": math.log(info.max) - math.log(2 - info.eps) + math.log(2),
                              "The last of the f fraction bits is missing: with all of them set the fraction is 2 - 2 ** -f.": math.log(info.max) - math.log(2 - info.eps) + math.log(2 - 2 * info.eps),
                              "One fraction bit too many: with all f of them set the fraction is 2 - 2 ** -f.": math.log(info.max) - math.log(2 - info.eps) + math.log(2 - info.eps / 2)} if words == "bfloat16" else {})}, hint=bias_word + " The largest fraction is 2 - 2 ** -f.")
    assert_close(limits[1], math.log(info.smallest_normal), f"x of the smallest normal number for {words}", of="normal", rtol=0, atol=1e-3,
                 mistakes={"This is log 2 too low: the smallest exponent of a normal number is 1 - B, not -B, since the pattern 00...0 is kept for 0 and the subnormal numbers.": math.log(info.smallest_normal) - math.log(2), "The smallest normal number is below 1: its logarithm is negative.": -math.log(info.smallest_normal),
                           "The smallest normal number is 2 ** (1 - B), not 1 divided by the largest.": -math.log(info.max), "The order is: largest, smallest normal, smallest positive.": math.log(info.smallest_normal * info.eps),
                           "Give it to 0.001.": round(math.log(info.smallest_normal), 2)}, hint=bias_word + f" The smallest normal number is 2 ** (1 - B), here 2 ** {2 - 2 ** (bits[0] - 1)}, and x is its natural logarithm.")
    assert_close(limits[2], math.log(info.smallest_normal * info.eps), f"x of the smallest positive number for {words}", of="positive", rtol=0, atol=1e-3,
                 mistakes={"This is log 2 lower: the smallest positive number is 2 ** (1 - B - f); count without rounding.": math.log(info.smallest_normal * info.eps / 2), "This is log 2 higher: the smallest positive number is 2 ** (1 - B - f).": math.log(info.smallest_normal * info.eps * 2),
                           "The smallest positive number is subnormal.": math.log(info.smallest_normal), "This is the logarithm of 2 ** -f alone: the smallest positive number is 2 ** -f times the smallest normal one.": math.log(info.eps),
                           "The exponents add: 2 ** (1 - B) times 2 ** -f is 2 ** (1 - B - f).": math.log(info.smallest_normal) * bits[1],
                           "The smallest positive number is 2 ** -f times the smallest normal one, not 1 / f of it.": math.log(info.smallest_normal) - math.log(bits[1]), **({"The number of fraction bits is an argument.": math.log(info.smallest_normal) - 10 * math.log(2)} if words != "float16" else {})},
                 hint=bias_word + f" The smallest positive number is 2 ** (1 - B - f), here 2 ** {2 - 2 ** (bits[0] - 1) - bits[1]}, and x is its natural logarithm.")
said = complaint(15, 63)
assert_true(said == "", "exp_limits(15, 63), for 15 exponent and 63 fraction bits, raises no error", of="wide formats", hint=lambda: advice_wide(said))
assert_close(exp_limits(15, 63)[0], 11356.52340629414, "largest x for 15 exponent and 63 fraction bits", of="wide formats", rtol=0, atol=1e-3, hint="Here B is 16383. Work with logarithms: the numbers themselves do not fit.")
for value, wanted, words in ((exp_limits(15, 63)[1], -16382 * math.log(2), "normal"), (exp_limits(15, 63)[2], -16445 * math.log(2), "positive")):
    assert_close(value, wanted, f"x of the smallest {words} number for 15 exponent and 63 fraction bits", of="wide formats", rtol=0, atol=1e-3, hint="Here B is 16383. Work with logarithms: the numbers themselves do not fit.")
### BEGIN HIDDEN TESTS
for e, f in ((8, 10), (5, 2), (4, 3), (11, 52), (6, 9)):
    bias = 2 ** (e - 1) - 1
    limits = exp_limits(e, f)
    words = f"{e} exponent and {f} fraction bits"
    assert_close(limits[0], math.log(2 ** (f + 1) - 1) + (bias - f) * math.log(2), f"largest x for {words}", of="largest", rtol=0, atol=1e-3, hint=f"Here B is {bias}.")
    assert_close(limits[1], math.log(2) * (1 - bias), f"x of the smallest normal number for {words}", of="normal", rtol=0, atol=1e-3, hint=f"Here B is {bias}.")
    assert_close(limits[2], math.log(2) * (1 - bias - f), f"x of the smallest positive number for {words}", of="positive", rtol=0, atol=1e-3, hint=f"Here B is {bias}.")
for e, f in ((15, 112), (13, 40)):
    bias = 2 ** (e - 1) - 1
    limits = exp_limits(e, f)
    for value, wanted in zip(limits, (math.log(2 ** (f + 1) - 1) + (bias - f) * math.log(2), math.log(2) * (1 - bias), math.log(2) * (1 - bias - f))):
        assert_close(value, wanted, f"a limit for {e} exponent and {f} fraction bits", of="wide formats", rtol=0, atol=1e-3)
### END HIDDEN TESTS

# %% [markdown] teaches="int8, wrap-around, quantisation"
# ## 5. Eight bits
#
# Eight bits have 256 patterns. `int8` uses them for the whole numbers from -128 to 127, `uint8` for 0 to 255.
#
# ⚠ One reads of `int8` as "nonzero numbers from 1 to 255". That is neither of the two: `int8` has a sign, and both have a zero. What lies beyond the range does not stop at its end. It *wraps around*, like the clock after 12:

# %% teaches="int8, wrap-around"
print("int8: ", torch.iinfo(torch.int8).min, "to", torch.iinfo(torch.int8).max, "  uint8:", torch.iinfo(torch.uint8).min, "to", torch.iinfo(torch.uint8).max)
a = torch.tensor([100, 127, -128], dtype=torch.int8)
print("100 + 100, 127 + 1, -128 - 1 in int8:", (a + torch.tensor([100, 1, -1], dtype=torch.int8)).tolist())
print("100 · 3 in int8:", (a[:1] * 3).tolist(), " and in int32:", (a[:1].to(torch.int32) * 3).tolist())

# %% [markdown]
# 100 + 100 = -56: 256 too few. Nothing warns. Four bytes, `int32`, have room for it.
#
# How can such a format hold the weights of a network, which are small fractions? By a *scale*: store whole numbers, the *codes* k, and one number s for all of them. A code k means the number s · k. With s = 0.01, the codes reach from -1.28 to 1.27 in steps of 0.01; with s = 1000, to 127,000 in steps of 1000. Going there is
# called *quantisation*: divide by s, round to the nearest whole number, and hold what lies beyond the range at its end. (⚠ Converting to `int8` does not do the last two: it cuts the digits off and wraps around.)
#
# Here is the classifier of part 3 with its weights in eight bits, a quarter of the memory:

# %% tags=["demo"]
W_full, b_full = model.net[1].weight.detach(), model.net[1].bias.detach()
X_all, y_all = data.val[torch.arange(10_000)]
for levels in (127, 7, 3, 1):
    s = W_full.abs().max() / levels
    codes = torch.clamp(torch.round(W_full / s), -128, 127).to(torch.int8)
    accuracy = ((X_all.flatten(1) @ (s * codes.float()).T + b_full).argmax(dim=1) == y_all).float().mean().item()
    print(f"codes from {codes.min().item():4} to {codes.max().item():3}: accuracy {accuracy:.4f}")
print(f"float32 weights:       accuracy {((X_all.flatten(1) @ W_full.T + b_full).argmax(dim=1) == y_all).float().mean().item():.4f}")

# %% [markdown]
# With eight bits nothing is lost but noise in the fourth digit. Even 15 codes, which four bits could hold, are nearly enough. With three codes, -1, 0 and 1, nearly all weights become 0, and the model only guesses.

# %% teaches="quantisation"
print("to(int8) of 2.7, -2.7, 300:", torch.tensor([2.7, -2.7, 300.0]).to(torch.int8).tolist())
print("rounded and clamped first: ", torch.clamp(torch.round(torch.tensor([2.7, -2.7, 300.0])), -128, 127).to(torch.int8).tolist())

# %% [markdown] task="4.5.2a" kind="code" minutes=4 difficulty=2 needs="int8, wrap-around"
# ### Round the clock
#
# Write `as_int8(value)`: the whole number that an `int8` variable holds after a calculation whose true result is the whole number `value`, as large as an `int64` can hold. So `as_int8(100 + 100)` is -56.
#
# **You are done when**
# - **inside**: a value from -128 to 127 is returned as it is;
# - **wraps**: a larger or smaller one wraps around, once or many times (2 ** 62 goes round 2 ** 54 times: do not count them one by one);
# - **whole**: the result is a whole number (an `int`; NumPy's integers count, too), not a tensor and not a float.

# %% exercise="4.5.2a"
def as_int8(value):
    """The whole number that int8 holds in place of `value`."""
    ### BEGIN SOLUTION
    return (value + 128) % 256 - 128
    ### END SOLUTION

# %% [markdown] hints="4.5.2a"
# 1. By how much do 200 and -56 differ? And 128 and -128?
# 2. Python's `%` gives a remainder from 0 to 255 for `% 256`, for negative numbers, too. The range wanted begins at -128.
# 3. Hours from -6 to 5 instead of 0 to 11: `(hour + 6) % 12 - 6`.

# %% check="4.5.2a" points=1
@probe
def complaint(value):
    """What Python says if it cannot go on, or nothing."""
    try:
        as_int8(value)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""

def wrapped(value):
    """What does not hold for the result, in words."""
    found = as_int8(value)
    if not -128 <= found <= 127:
        return f"{found} is none that int8 holds: they go from -128 to 127."
    return f"{found} is in the range, but it differs from {value} by {abs(found - value)}, which is no multiple of 256: once round are 256 patterns."

assert_type(as_int8(0), int, "the result for the value 0", of="whole")
for value in (0, 127, -128, -1):
    assert_equal(as_int8(value), value, f"the value {value}", of="inside", mistakes={"-128 is inside the range, and 128 is not: int8 has a sign.": 128, "-128 is inside the range: no remainder by 128 is to be taken.": 0,
                                                                                              "-128 is inside the range: a negative result is the remainder less 256, not less 255.": -127} if value == -128 else {"127 is inside the range: 256 patterns, not 255.": -128, "127 is inside the range: 256 is subtracted from 128 on, not from 127 on.": -129} if value == 127 else
                 {"`% 256` gives 0 to 255. To subtract 128 afterwards is right only if 128 was added before.": -128, "The 128 that was added has to be subtracted again, after `% 256`.": 128} if value == 0 else {},
                 hint=lambda: "A value inside the range stays as it is." + (f" Yours, {as_int8(value)}, is none that int8 holds: they go from -128 to 127." if not -128 <= as_int8(value) <= 127 else ""))
said = complaint(200)
assert_true(said == "", "as_int8(200) raises no error", of="wraps", hint=f"Python says {said}." + (" Such a conversion refuses what lies beyond the range; here it has to wrap around." if "int8" in said else ""))
sign_kept = complaint(-1000) == "" and as_int8(-1000) == -232
halves = complaint(640) == complaint(384) == "" and (as_int8(640), as_int8(384)) == (128, -128)
for value, wanted in ((200, -56), (128, -128), (-129, 127), (256, 0), (1000, -24), (100 * 100, 16)):
    assert_equal(as_int8(value), wanted, f"the value {value}", of="wraps",
                 mistakes={"It does not stop at the end of the range.": 127 if value > 0 else -128, "-129 stays as it is, and -1000 becomes -232: this is a remainder that keeps the sign, as `math.fmod` gives it. Python's `%` gives 0 to 255." if sign_kept and value < 0 else
                             "128 lies half-way between two multiples of 256, 0 and 256. `round` takes the even one of 0 and 1 there: so 128 stays, while 384 becomes -128." if halves and value == 128 else
                             f"{value} lies {'above 127' if value > 0 else 'below -128'}, so it wraps around.": value,
                           **({"This is uint8, without a sign.": value % 256} if value in (-129, 1000) else {}),
                           **({"Beyond 127 it goes on at -128, not at 0: there are 256 patterns.": 72, "Once round are 256 patterns, not 255.": -55, "Once round are 256 patterns, not 127.": 73} if value == 200 else {}), **({"Once round is not enough here.": 744} if value == 1000 else {"A value below -128 wraps, too, to the upper end.": -1} if value == -129 else {})},
                 hint=lambda: wrapped(value))
assert_equal(as_int8(2 ** 62 + 200), -56, "the value 2 ** 62 + 200", of="wraps", hint="Floats have sixteen digits only; stay with whole numbers.")
assert_type(as_int8(200), int, "the result for the value 200", of="whole")
### BEGIN HIDDEN TESTS
for value in (-127, 64, 126, -77):
    assert_equal(as_int8(value), value, f"the value {value}", of="inside", hint="A value inside the range stays as it is.")
assert_type(as_int8(-5), int, "the result for the value -5", of="whole")
for value in (129, 255, -200, -1000, 123_456, -999_999, 16_384, 3 * 2 ** 61 + 77, 5 - 2 ** 62):
    assert_equal(as_int8(value), torch.tensor(value).to(torch.int8).item(), f"the value {value}", of="wraps", hint="The result differs from the value by a multiple of 256, and lies from -128 to 127.")
### END HIDDEN TESTS

# %% [markdown] task="4.5.2b" kind="code" minutes=6 difficulty=2 core=true needs="quantisation, int8"
# ### Eight bits with a scale
#
# Write `quantise(X, s)`: for a tensor `X` of real numbers and a scale `s` > 0 it returns the codes, an `int8` tensor of the shape of `X`. No entry of X / s lies exactly half-way between two whole numbers.
#
# **You are done when**
# - **dtype**: the result is `int8`, in the shape of `X`;
# - **nearest**: each code is the whole number nearest to the entry divided by `s`;
# - **end of the range**: entries that are too large get 127, entries that are too small -128, however far out they are;
# - **X kept**: `X` is as it was.

# %% exercise="4.5.2b"
def quantise(X, s):
    """The int8 codes of X for the scale s."""
    ### BEGIN SOLUTION
    return torch.clamp(torch.round(X / s), -128, 127).to(torch.int8)
    ### END SOLUTION

# %% [markdown] hints="4.5.2b"
# 1. In which order: convert, clamp, round, divide?
# 2. Converting to `int8` comes last: it cuts digits off and wraps around.
# 3. Marks from 0 to 10 in whole points: `torch.clamp(torch.round(points / 7), 0, 10).to(torch.uint8)`.

# %% check="4.5.2b" points=2
numbers = torch.tensor([[0.26, -0.26, 0.0], [1.04, 1.06, -1.06]])

@probe
def dtype_of_codes(X, s):
    return str(getattr(quantise(X, s), "dtype", ""))

assert_true(not dtype_of_codes(numbers.clone(), 0.1).startswith("torch.q"), "the result for X of shape (2, 3) is a plain tensor of codes", of="dtype",
            hint="This is torch's own kind of quantised tensor, which keeps the scale, too: `int_repr()` gives its codes.")
assert_shape(quantise(numbers.clone(), 0.1), (2, 3), "the shape for X of shape (2, 3)", of="dtype")
assert_shape(quantise(numbers[0].clone(), 0.1), (3,), "the shape for X of shape (3,)", of="dtype", hint="X may have any number of axes.")
assert_dtype(quantise(numbers.clone(), 0.1), torch.int8, "the dtype", of="dtype")
assert_close(quantise(numbers.clone(), 0.1).int(), torch.tensor([[3, -3, 0], [10, 11, -11]], dtype=torch.int32), "(0.26, -0.26, 0), (1.04, 1.06, -1.06), s = 0.1", of="nearest",
             mistakes={"The digits are cut off; round to the nearest.": torch.tensor([[2, -2, 0], [10, 10, -10]], dtype=torch.int32),
                       "These are rounded down, not to the nearest.": torch.tensor([[2, -3, 0], [10, 10, -11]], dtype=torch.int32),
                       "One half more, cut off, is right for positive numbers only.": torch.tensor([[3, -2, 0], [10, 11, -10]], dtype=torch.int32),
                       "Divide by the scale, do not multiply.": torch.zeros(2, 3, dtype=torch.int32),
                       "These are rounded up, not to the nearest.": torch.tensor([[3, -2, 0], [11, 11, -10]], dtype=torch.int32),
                       "Negative numbers have negative codes.": torch.tensor([[3, 0, 0], [10, 11, 0]], dtype=torch.int32),
                       "Divide first, then round.": torch.tensor([[0, 0, 0], [10, 10, -10]], dtype=torch.int32),
                       "These are far too large: `s` is what one code step stands for. Divide by it, and multiply by nothing.": torch.tensor([[127, -128, 0], [127, 127, -128]], dtype=torch.int32),
                       "These are codes from 0 to 255, moved down by 128; the code of 0 is 0, and negative numbers have negative codes.": torch.tensor([[-125, -128, -128], [-118, -117, -128]], dtype=torch.int32),
                       "The scale is the argument `s`, it is not computed from X.": torch.tensor([[31, -31, 0], [125, 127, -127]], dtype=torch.int32),
                       "These are whole numbers near X itself: a code counts steps of `s`, and is not multiplied by `s` again.": torch.tensor([[0, 0, 0], [1, 1, -1]], dtype=torch.int32)},
             hint="Divide by `s`, then round to the nearest whole number: 0.26 / 0.1 = 2.6, nearest is 3.")
assert_close(quantise(numbers.clone(), 0.2).int(), torch.tensor([[1, -1, 0], [5, 5, -5]], dtype=torch.int32), "(0.26, -0.26, 0), (1.04, 1.06, -1.06), s = 0.2", of="nearest",
             mistakes={"The scale is the argument `s`.": torch.tensor([[3, -3, 0], [10, 11, -11]], dtype=torch.int32)}, hint="Divide by `s` first, and round once, after that.")
assert_close(quantise(torch.tensor([101.47, -99.47, 40.49, 0.4999]), 1.0).int(), torch.tensor([101, -99, 40, 0], dtype=torch.int32), "(101.47, -99.47, 40.49, 0.4999), s = 1", of="nearest",
             hint="Just below a half is rounded towards 0. Divide and round once, with the digits of `float32`: `float16` and `bfloat16` have too few.")
far = torch.tensor([12.6, 12.8, 30.0, -12.8, -13.0, -500.0])
assert_close(quantise(far.clone(), 0.1).int(), torch.tensor([126, 127, 127, -128, -128, -128], dtype=torch.int32), "(12.6, 12.8, 30, -12.8, -13, -500), s = 0.1", of="end of the range",
             mistakes={"It wraps around. Clamp before you convert.": torch.tensor([126, -128, 44, -128, 126, 120], dtype=torch.int32),
                       "int8 reaches to -128.": torch.tensor([126, 127, 127, -127, -127, -127], dtype=torch.int32),
                       "The upper end is 127: 128 wraps around to -128.": torch.tensor([126, -128, -128, -128, -128, -128], dtype=torch.int32),
                       "What lies beyond an end is held at this end, it does not become 0.": torch.tensor([126, 0, 0, -128, 0, 0], dtype=torch.int32),
                       "Divide first, then clamp.": torch.tensor([126, -128, 44, -128, 126, 0], dtype=torch.int32),
                       "The lower end wraps around. Clamp there, too.": torch.tensor([126, 127, 127, -128, 126, 120], dtype=torch.int32),
                       "The upper end wraps around. Clamp there, too.": torch.tensor([126, -128, 44, -128, -128, -128], dtype=torch.int32)},
             hint="Divided by `s` these are 126, 128, 300, -128, -130 and -5000; what lies beyond an end of the range is held there.")
assert_close(quantise(torch.tensor([3e4, 1e12, -1e12, 7e9]), 0.1).int(), torch.tensor([127, 127, -128, 127], dtype=torch.int32), "(3e4, 1e12, -1e12, 7e9), s = 0.1", of="end of the range",
             hint="Clamp before you convert to whole numbers: `int16` and `int32` have ends, too.")

@probe
def numbers_after(X, s):
    quantise(X, s)
    return X

assert_close(numbers_after(numbers.clone(), 0.1), numbers, "X after the call quantise(X, 0.1)", of="X kept", hint="Make a new tensor: `X / s`, not `X /= s`, and no method whose name ends in an underscore.")
assert_close(numbers_after(far.clone(), 0.1), far, "X, with entries beyond the range, after the call quantise(X, 0.1)", of="X kept",
             hint="The codes are held at the ends of the range, X is not: `torch.clamp(...)` makes a new tensor, `clamp_` and an assignment to entries of `X` change it.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(452)
for shape, s, size in (((3, 4, 2), 0.03, 1.0), ((7,), 2.0, 90.0)):
    Z = size * torch.randn(shape, generator=rng)
    assert_shape(quantise(Z.clone(), s), shape, f"the shape for X of shape {shape}", of="dtype")
    assert_dtype(quantise(Z.clone(), s), torch.int8, "the dtype for other numbers", of="dtype")
    assert_close(quantise(Z.clone(), s).int(), (Z.double() / s + 0.5).floor().int(), f"numbers of size {size:g}, s = {s}", of="nearest")
Z = torch.tensor([1e6, -1e6, 254.2, -256.2, 40.0, 5e11, -3e10])
assert_close(quantise(Z.clone(), 2.0).int(), torch.tensor([127, -128, 127, -128, 20, 127, -128], dtype=torch.int32), "numbers beyond the range, s = 2", of="end of the range", hint="Clamp before you convert to whole numbers.")
assert_close(quantise(torch.tensor([[-202.94], [90.98]]), 2.0).int(), torch.tensor([[-101], [45]], dtype=torch.int32), "(-202.94), (90.98), s = 2", of="nearest", hint="Divide and round once, with the digits of `float32`.")
assert_close(numbers_after(Z.clone(), 2.0), Z, "X after the call, s = 2", of="X kept", hint="Make a new tensor; methods whose name ends in an underscore change the old one.")
### END HIDDEN TESTS

# %% [markdown] task="4.5.2c" kind="code" minutes=8 difficulty=3 needs="quantisation, wrap-around, matrix product"
# ### Multiplying codes
#
# Do multiplication and addition still work? For two numbers $s_A k$ and $s_B l$ the product is $s_A s_B \cdot k l$: multiply the codes, and multiply the scales. But k l can be 16,384, and a sum of many products is larger still. So the sums need a wider format, `int32`, as the special circuits for `int8` have.
#
# Write `int8_matmul(A, s_A, B, s_B)`: `A` of shape (n, k) and `B` of shape (k, m) are `int8` codes with the scales `s_A` and `s_B`. It returns the matrix product of the numbers that they stand for, `float32`, shape (n, m).
#
# **You are done when**
# - **shape**: the result has shape (n, m), and is `float32`;
# - **no wrap-around**: products and sums beyond 127 are right;
# - **scales**: both scales count.

# %% exercise="4.5.2c"
def int8_matmul(A, s_A, B, s_B):
    """The matrix product of s_A * A and s_B * B for int8 codes: (n, k), (k, m) -> (n, m), float32."""
    ### BEGIN SOLUTION
    return (A.to(torch.int32) @ B.to(torch.int32)).float() * (s_A * s_B)
    ### END SOLUTION

# %% [markdown] hints="4.5.2c"
# 1. What does `A @ B` of two `int8` tensors give if an entry of the result should be 30,000? Try it.
# 2. `A.to(torch.int32)` holds the same codes in 32 bits.
# 3. Lengths in inches times widths in feet: 3 inches · 2 feet = 6 · (0.0254 · 0.3048) square metres. The counts multiply, and so do the units.

# %% check="4.5.2c" points=2
@probe
def complaint(A, s_A, B, s_B):
    """What torch says if it cannot go on, or nothing."""
    try:
        int8_matmul(A, s_A, B, s_B)
    except RuntimeError as error:
        return str(error)
    return ""

said = complaint(torch.tensor([[1, 2], [3, 4]], dtype=torch.int8), 1.0, torch.tensor([[5, 6], [7, 8]], dtype=torch.int8), 1.0)
assert_true("same dtype" not in said, "the factors of the product (1, 2), (3, 4) times (5, 6), (7, 8) have one dtype", of="no wrap-around", hint=f"torch says: {said}. Widen both, `A` and `B`.")
square = int8_matmul(torch.tensor([[1, 2], [3, 4]], dtype=torch.int8), 1.0, torch.tensor([[5, 6], [7, 8]], dtype=torch.int8), 1.0)
assert_type(square, torch.Tensor, "the result for (1, 2), (3, 4) times (5, 6), (7, 8), scales 1", of="shape")
assert_shape(square, (2, 2), "the shape for (2, 2) times (2, 2)", of="shape")
assert_dtype(square, torch.float32, "the dtype for (2, 2) times (2, 2)", of="shape")
tripled = int8_matmul(torch.tensor([[1, 2], [3, 4]], dtype=torch.int8), 3.0, torch.tensor([[5, 6], [7, 8]], dtype=torch.int8), 1.0)
assert_true(not (torch.equal(square, torch.tensor([[38.0, 44.0], [86.0, 100.0]])) and torch.equal(tripled, torch.tensor([[76.0, 88.0], [172.0, 200.0]]))),
            "(1, 2), (3, 4) times (5, 6), (7, 8) becomes three times as large where the scales are 3 and 1, not 1 and 1", of="scales",
            hint="With the scales 1 and 1 the first entry is 2 times 19 here, with 3 and 1 it is 4 times 19: the scales multiply, they do not add.")
assert_close(square, torch.tensor([[19.0, 22.0], [43.0, 50.0]]), "(1, 2), (3, 4) times (5, 6), (7, 8), scales 1: rows times columns", of="no wrap-around",
             mistakes={"This multiplies entry by entry: the product of matrices is `@`.": torch.tensor([[5.0, 12.0], [21.0, 32.0]]), "These are rows of A times rows of B: B is not transposed.": torch.tensor([[17.0, 23.0], [39.0, 53.0]]),
                       "These are columns of A times columns of B: A is not transposed.": torch.tensor([[26.0, 30.0], [38.0, 44.0]]), "This is B times A: A stands on the left.": torch.tensor([[23.0, 34.0], [31.0, 46.0]]),
                       "This is transposed: the rows of the result are those of A.": torch.tensor([[19.0, 43.0], [22.0, 50.0]]), "The products of a row and a column are added up: the sum over k is missing.": torch.tensor([[5.0, 14.0], [18.0, 32.0]]), "These are means over k: the products are added.": torch.tensor([[9.5, 11.0], [21.5, 25.0]]),
                       "The scales multiply the sums, they are not added to them.": torch.tensor([[20.0, 23.0], [44.0, 51.0]])},
             hint="The first entry is 1 · 5 + 2 · 7.")
A8, B8 = torch.tensor([[127, 127, -128], [1, 2, 3]], dtype=torch.int8), torch.tensor([[127], [127], [-128]], dtype=torch.int8)
assert_shape(int8_matmul(A8, 1.0, B8, 1.0), (2, 1), "the shape for (2, 3) times (3, 1)", of="shape", hint="A row for each row of A and a column for each column of B, also where there is only one.")
assert_dtype(int8_matmul(A8, 1.0, B8, 1.0), torch.float32, "the dtype", of="shape")
assert_close(int8_matmul(A8, 1.0, B8, 1.0), torch.tensor([[48642.], [-3.]]), "rows (127, 127, -128) and (1, 2, 3) times the column (127, 127, -128), scales 1", of="no wrap-around",
             mistakes={"The sums wrap around: widen the codes before you multiply.": torch.tensor([[2.], [-3.]]), "Sixteen bits are too few for sums of products.": torch.tensor([[-16894.], [-3.]]),
                       "The result is no code: do not clamp it.": torch.tensor([[127.], [-3.]]),
                       "The codes have a sign.": torch.tensor([[48642.], [765.]]), "The scales multiply the sum, they are not added to it.": torch.tensor([[48643.], [-2.]])},
             hint="The first entry is 127 · 127 + 127 · 127 + 128 · 128.")
assert_close(int8_matmul(torch.full((1, 5), 127, dtype=torch.int8), 1.0, torch.full((5, 1), 127, dtype=torch.int8), 1.0), torch.tensor([[80645.0]]), "five 127 in a row times five 127 in a column, scales 1", of="no wrap-around",
             mistakes={"`float16` ends at 65504: it is too narrow for sums of products.": torch.tensor([[math.inf]])}, hint="The sum is 5 · 127 · 127; `bfloat16` has too few digits for it, `int32` and `float32` hold it.")
small_A, small_B = torch.tensor([[1, 2]], dtype=torch.int8), torch.tensor([[3, 0], [4, 1]], dtype=torch.int8)
def scales_doubled():
    """What becomes of the first entry where a scale is doubled, if it is not what should."""
    start, *others = (float(int8_matmul(small_A, s_A, small_B, s_B)[0, 0]) for s_A, s_B in ((0.5, 0.1), (1.0, 0.1), (0.5, 0.2)))
    return " ".join(f"Where `{name}` is twice as large, the result should be so, too; yours is {other / start:.3g} times as large."
                    for name, other in zip(("s_A", "s_B"), others) if abs(other / start - 2) > 1e-3)

assert_close(int8_matmul(small_A, 0.5, small_B, 0.1), torch.tensor([[0.55, 0.1]]), "(1, 2) with scale 0.5 times ((3, 0), (4, 1)) with scale 0.1", of="scales",
             mistakes={"The scale of B is missing.": torch.tensor([[5.5, 1.0]]), "The scale of A is missing.": torch.tensor([[1.1, 0.2]]), "Both scales are missing.": torch.tensor([[11., 2.]]),
                       "The scales multiply, they do not add. ": torch.tensor([[6.6, 1.2]]), "The scale of A counts once, and so does that of B.": torch.tensor([[2.75, 0.5]]), "The scale of B counts once, and so does that of A.": torch.tensor([[0.11, 0.02]]),
                       "Multiply by both scales, do not divide by them.": torch.tensor([[220., 40.]]), "Multiply by the scale of B, too: this divides by it.": torch.tensor([[55., 10.]]), "Multiply by the scale of A, too: this divides by it.": torch.tensor([[2.2, 0.4]]),
                       "Something becomes a whole number too early: a scale is none, nor a code times its scale. Multiply the codes.": torch.zeros(1, 2)},
             hint=lambda: "The first entry is 0.5 · 0.1 · (1 · 3 + 2 · 4). " + (scales_doubled() or "It has the digits of `float32`: `float16` and `bfloat16` have too few."))
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(453)
for n, k, m, s_A, s_B in ((4, 50, 3, 0.02, 0.5), (1, 7, 5, 3.0, 1e-3)):
    A_ = torch.randint(-128, 128, (n, k), generator=rng).to(torch.int8)
    B_ = torch.randint(-128, 128, (k, m), generator=rng).to(torch.int8)
    assert_shape(int8_matmul(A_, s_A, B_, s_B), (n, m), f"the shape for ({n}, {k}) times ({k}, {m})", of="shape")
    assert_close(int8_matmul(A_, 1.0, B_, 1.0), (A_.double() @ B_.double()).float(), f"({n}, {k}) times ({k}, {m}), scales 1", of="no wrap-around", atol=1e-2, hint="Widen the codes to `int32` or `float32` before you multiply.")
    assert_close(int8_matmul(A_, s_A, B_, s_B), (s_A * s_B * (A_.double() @ B_.double())).float(), f"({n}, {k}) times ({k}, {m}), scales {s_A} and {s_B}", of="scales", atol=1e-3)
### END HIDDEN TESTS

# %% [markdown] task="4.5.2d" kind="explain" minutes=15 difficulty=4 needs="quantisation, int8, log-sum-exp"
# ### Codes for powers
#
# A scale moves the range, but does not widen it: from the smallest positive number to the largest it is always a factor of 127. A wider range without more bits: let the code be a *logarithm*. The code k, a whole number from -127 to 127, stands for the positive number $2^{k/8}$.
#
# Write two functions on codes; each returns a code, a whole number:
# - `log_multiply(j, k)`: the code of the product of the two numbers;
# - `log_add(j, k)`: the code nearest to the sum of the two numbers, where nearest is measured on codes. So $8 \log_2$ of the sum is rounded. The codes 8 and 4, for example, stand for
#   $2^{8/8} = 2$ and $2^{4/8} = 1.414$; their sum is 3.414, and $8 \log_2 3.414 = 14.17$, so that its code is 14.
#
# A result above 127 becomes 127, one below -127 becomes -127.
#
# Then answer in words:
# 1. What is the largest number, what is the ratio of the largest to the smallest one, and how far apart are neighbours, in per cent? Compare with `int8` and a scale.
# 2. Does multiplication still work? Are its results exact?
# 3. Does addition? What happens to a small number that is added to a large one? And what does the code not contain at all?
#
# **You are done when**
# - **product**: `log_multiply` is right inside the range;
# - **sum**: `log_add` is right inside the range;
# - **ends**: both stop at 127 and -127;
# - **whole**: both return a whole number (an `int`; NumPy's integers count, too), not a tensor and not a float.
#
# The written answer is complete when each part has its numbers or its reason.

# %% exercise="4.5.2d"
def log_multiply(j, k):
    """The code of 2 ** (j / 8) times 2 ** (k / 8)."""
    ### BEGIN SOLUTION
    return max(-127, min(127, j + k))
    ### END SOLUTION


def log_add(j, k):
    """The code nearest to 2 ** (j / 8) plus 2 ** (k / 8)."""
    ### BEGIN SOLUTION
    return max(-127, min(127, round(8 * math.log2(2 ** (j / 8) + 2 ** (k / 8)))))
    ### END SOLUTION

# %% [markdown] written="4.5.2d" points=3
# ### BEGIN SOLUTION
# 1. The largest number is $2^{127/8} \approx 60{,}000$, the smallest $2^{-127/8} \approx 1.7 \cdot 10^{-5}$, a ratio of $2^{31.75} \approx 3.6 \cdot 10^9$ against 127 for `int8` with a scale. Neighbours differ by the factor $2^{1/8} \approx 1.09$, 9 % everywhere. With a scale they differ
#    by the same *amount* everywhere: 100 % between 1 and 2, less than 1 % at the top. The range has been paid for with precision at the top.
# 2. Yes: $2^{j/8} \cdot 2^{k/8} = 2^{(j+k)/8}$, so the codes are added. That is exact, as long as the sum stays within ±127; beyond, it is held at the end.
# 3. Addition is no operation on codes any more: one must go to the numbers and back, a log-sum-exp to base 2. The result is rounded to the nearest code, up to 4.4 % off. If the codes differ by more than about 36, the smaller number changes nothing: adding it a thousand times changes nothing
#    either. So long sums are done in another format. And there is no code for 0 and for negative numbers; both would need codes of their own, or a bit for the sign.
#
# **Rubric**
# - [1] Range: ratio about 3.6e9 (or 2^31.75, or "about 60,000 down to 1.7e-5") against 127, and steps of 9 % everywhere; lost by: the range without the loss of precision
# - [1] Multiplication: the codes add, without rounding, apart from the ends; lost by: "no longer works" or "is only approximate"
# - [1] Addition: not an operation on codes, is rounded or loses small summands; or: no code for 0 or negative numbers; one of these with its reason is enough; lost by: "works as before"
# ### END SOLUTION

# %% [markdown] hints="4.5.2d"
# 1. What is $2^{j/8} \cdot 2^{k/8}$, written as one power?
# 2. The code of a number z is $8 \log_2 z$, rounded. `round(2.6)` is 3, `math.log2(8)` is 3.0.
# 3. Slide rules multiply by adding lengths, which are logarithms. Nobody has ever added with one.

# %% check="4.5.2d" points=2
def sum_in_words(j, k):
    """How the code of the sum comes about."""
    first, second = 2 ** (j / 8), 2 ** (k / 8)
    return f"The numbers are {first:.4g} and {second:.4g}, their sum is {first + second:.4g}, and 8 times the logarithm of that to base 2 is {8 * math.log2(first + second):.2f}."

assert_type(log_multiply(3, 4), int, "log_multiply(3, 4)", of="whole")
assert_type(log_add(3, 4), int, "log_add(3, 4)", of="whole")
for j, k, wanted in ((0, 0, 0), (2, 3, 5), (8, 16, 24), (-20, 5, -15), (3, 13, 16), (-8, 4, -4)):
    assert_equal(log_multiply(j, k), wanted, f"the product of the codes {j} and {k}", of="product", mistakes={"The codes are logarithms: they add.": max(-127, min(127, j * k)),
                 **({"This is the number 1; its code is asked for, which is 0.": 1} if j == 0 else {}),
                 **({"The sum of the codes is the code of the product already: it is not multiplied by 8.": 40, "The sum of the codes is the code of the product already: it is not divided by 8.": 1, "The codes add, and nothing is divided by 8.": 0,
                     "The digits are cut off: `int` makes 4 of 4.999. The sum of the codes is exact, without powers.": 4} if j == 2 else {}),
                 **({"The sum of the codes is the code of the product already: it is not divided by 8.": 3, "The codes add; they are not multiplied, and nothing is divided by 8.": 16} if j == 8 else {}),
                 **({"Codes go down to -127, not to 0: a negative one stands for a number below 1.": 0} if j == -20 else {}),
                 **({"The digits are cut off: `int` makes 15 of 15.999. The sum of the codes is exact, without powers.": 15} if j == 3 else {"`int` cuts the digits off. The sum of the codes is exact, without powers.": -3} if j == -8 else {})}, hint="2 ** (j / 8) times 2 ** (k / 8) is a single power of 2.")
assert_equal(log_add(8, 8), 16, "the sum of the codes 8 and 8", of="sum",
             mistakes={"This is the code of one of the two, not of the sum.": 8, "The numbers are 2 ** (j / 8) and 2 ** (k / 8): divide the codes by 8.": 9, "The code is 8 times the logarithm.": 2, "The logarithm is that to base 2.": 11,
                       "The sum is twice as much, which is 8 codes more: 8 times the logarithm of 2 to base 2. To base e it would be 6.": 14,
                       "`2 ** j / 8` divides the power by 8; `2 ** (j / 8)` divides the exponent.": 48, "The exponents are j / 8 and k / 8, not j and k.": 72,
                       "The code is 8 times the logarithm, not an eighth of it.": 0, "4 is the sum itself; its code is asked for.": 4},
             hint="The numbers are 2 and 2, their sum is 4: which code stands for 4?")
assert_equal(log_add(11, 19), 24, "the sum of the codes 11 and 19", of="sum",
             mistakes={"This is the code of the product.": 30, "The exact code is 23.68, and 24 is nearest to it.": 23, "This is the larger of the two.": 19, "The logarithm is that to base 2.": 16, "The exponents are j / 8 and k / 8, with `/`, not `//`.": 21,
                       "8 more stands for twice the number, which is the sum of two equal ones only.": 27, "This is the mean of the codes.": 15,
                       "The smaller number is the larger one times 2 ** (-8 / 8): seen from the larger, the exponent is negative.": 32, "The code is 8 times the logarithm.": 3},
             hint=sum_in_words(11, 19) + " It is rounded once, at the end.")
assert_equal(log_add(5, 16), 20, "the sum of the codes 5 and 16", of="sum", mistakes={"Only the code is rounded, not the sum of the numbers.": 21, "Multiply by 8 before you round.": 16}, hint=sum_in_words(5, 16))
assert_equal(log_add(1, 2), 10, "the sum of the codes 1 and 2", of="sum", mistakes={"Nearest is measured on codes: round 8 times the logarithm.": 9}, hint=sum_in_words(1, 2))
assert_equal(log_add(3, 4), 12, "the sum of the codes 3 and 4", of="sum", mistakes={"Only the code is rounded, not the sum of the numbers.": 13}, hint=sum_in_words(3, 4))
assert_equal(log_add(16, 5), 20, "the sum of the codes 16 and 5", of="sum", mistakes={"The first code may be the larger one, too.": 16}, hint="For 5 and 16 yours is right: the order of the two does not matter. " + sum_in_words(16, 5))
for j, k, wanted in ((0, 0, 8), (-20, 5, 6), (100, 0, 100)):
    assert_equal(log_add(j, k), wanted, f"the sum of the codes {j} and {k}", of="sum", mistakes={"Round to the nearest code, not upwards.": 7, "This is the larger of the two: the smaller one still counts, and lifts the code by 1.": 5} if wanted == 6 else
                 {"Two equal numbers make twice the number, which is 8 codes more.": 0} if wanted == 8 else {"The smaller number is 2 ** 12.5 times smaller: it does not count.": 101}, hint=sum_in_words(j, k))
assert_equal(log_add(-100, -92), -87, "the sum of the codes -100 and -92", of="sum", mistakes={"`int` cuts towards 0, which is upwards here; use `round`.": -86},
             hint="Only the code is rounded, not the number. " + sum_in_words(-100, -92))
assert_equal(log_multiply(100, 100), 127, "the product of the codes 100 and 100", of="ends", mistakes={"It does not wrap around.": -56, "The largest code is 127.": 200}, hint="A result above 127 becomes 127.")
assert_equal(log_multiply(-100, -100), -127, "the product of the codes -100 and -100", of="ends", mistakes={"It does not wrap around.": 56, "The smallest code is -127.": -128}, hint="A result below -127 becomes -127.")
assert_equal(log_add(127, 125), 127, "the sum of the codes 127 and 125", of="ends", hint="A result above 127 becomes 127.")
### BEGIN HIDDEN TESTS
for j, k in ((17, 40), (-60, -33), (120, -127), (1, 2), (-127, -120), (-110, -109), (33, 35), (30, 22), (-40, -51)):
    assert_equal(log_multiply(j, k), max(-127, min(127, j + k)), f"the product of the codes {j} and {k}", of="product")
    wanted = torch.logsumexp(torch.tensor([j, k], dtype=torch.float64) * math.log(2) / 8, 0) * 8 / math.log(2)
    assert_equal(log_add(j, k), round(wanted.item()), f"the sum of the codes {j} and {k}", of="sum", hint="The order of the two does not matter, and small numbers are not 0.")
    assert_type(log_add(j, k), int, f"log_add({j}, {k})", of="whole")
assert_equal([log_multiply(127, 1), log_multiply(-127, -127), log_add(124, 124)], [127, -127, 127], "results beyond the ends", of="ends")
### END HIDDEN TESTS

# %% [markdown] teaches="early stopping, overfitting of a classifier"
# ## 6. How long, and how fast
#
# Take away most of the pictures and train on and on: 200 training pictures, of which a fifth got a random label by mistake, 150 epochs. Measured on 1,000 pictures that the model does not train on:

# %% tags=["demo"]
rng = torch.Generator().manual_seed(1)
X_200, y_200 = data.train[torch.arange(200)]
y_200 = torch.where(torch.rand(200, generator=rng) < 0.2, torch.randint(0, 10, (200,), generator=rng), y_200)
torch.manual_seed(0)
net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
net(X_200[:1])
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
table = []
for epoch in range(151):
    with torch.no_grad():
        scores = net(X_val)
        table.append((F.cross_entropy(net(X_200), y_200).item(), F.cross_entropy(scores, y_val).item(), (scores.argmax(dim=1) == y_val).float().mean().item()))
    for rows in torch.randperm(200).split(20):
        loss = F.cross_entropy(net(X_200[rows]), y_200[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
figure, axes = plt.subplots(1, 2, figsize=(8, 2.8), layout="constrained")
axes[0].plot([row[0] for row in table], label="training")
axes[0].plot([row[1] for row in table], "--", label="validation")
axes[0].set(xlabel="epoch", ylabel="loss", ylim=(0, 2.5))
axes[0].legend(loc="upper right")
axes[1].plot([row[2] for row in table], "C1")
axes[1].set(xlabel="epoch", ylabel="validation accuracy", ylim=(0.3, 0.8))
for ax in axes:
    ax.grid(alpha=0.3)
plt.show()
print("epoch  training loss  validation loss  validation accuracy")
for epoch in (5, 20, 40, 80, 150):
    print(f"{epoch:5}  {table[epoch][0]:13.3f}  {table[epoch][1]:15.3f}  {table[epoch][2]:19.3f}")

# %% [markdown]
# The training loss falls all the time. The validation loss falls, reaches its lowest point near epoch 20, and then rises slowly; the validation accuracy is best there, too. From then on the model learns the 200 pictures by heart, with their wrong labels. This is *overfitting* (section 3.6).
#
# A simple remedy is *early stopping*: watch the validation loss, keep a copy of the weights whenever it has a new lowest value, and stop when it has had none for some epochs, the *patience*. The copy is the result.

# %% [markdown] task="4.5.3" kind="explain" minutes=15 difficulty=3 needs="early stopping, overfitting of a classifier"
# ### When to stop
#
# Write `early_stopping(losses, patience)`: `losses` is the list of the validation losses after epoch 0, 1, 2, ... (it has at least one), `patience` a whole number from 1 on. Training stops after the first epoch that is the `patience`-th in a row without a new lowest loss; if there is none, after the last one in the list. A loss that only *equals* the lowest
# is not a new lowest one. It returns a pair of whole numbers (`int`; NumPy's integers count, too): the epoch after which training stops, and the epoch whose weights are kept, the one with the lowest loss up to then.
#
# For the losses 5, 4, 4.5, 4.2, 3 and patience 2 the result is (3, 1).
#
# Then answer in words:
# 1. Why may the validation accuracy fall when one trains longer, though the training loss goes on falling?
# 2. In some runs the validation loss rises while the validation accuracy stays as it is. How can that be?
# 3. Name two remedies and say how each works. And why must the test set not be the one that decides when to stop?
#
# **You are done when**
# - **stop**: the first number is the epoch after which training stops;
# - **best**: the second is the epoch of the lowest loss among those that were trained, the earliest one if there are several;
# - **no stop**: if the patience is never used up, training goes to the end of the list.
#
# The written answer is complete when each part gives a reason.

# %% exercise="4.5.3"
def early_stopping(losses, patience):
    """(the epoch after which training stops, the epoch whose weights are kept)."""
    ### BEGIN SOLUTION
    best = 0
    for epoch, loss in enumerate(losses):
        if loss < losses[best]:
            best = epoch
        if epoch - best == patience:
            return epoch, best
    return len(losses) - 1, best
    ### END SOLUTION

# %% [markdown] written="4.5.3" points=4
# ### BEGIN SOLUTION
# 1. Training makes the loss on the *training* pictures small. First it learns what these have in common with all pictures, and the validation loss falls, too. What is left to gain after that are peculiarities of the training set: noise, chance, wrong labels. Fitting them changes predictions elsewhere for the worse.
# 2. The accuracy only asks which score is the largest. The loss asks how sure the model was. Scores grow with long training, so the mistakes are made with more and more confidence, and each costs more, while the number of mistakes stays the same. One picture can add any amount to the loss.
# 3. Early stopping: keep the weights of the lowest validation loss, before the peculiarities are learnt. Weight decay (3.7): a penalty keeps weights, and so scores, small. More data, or data varied at random: peculiarities of single pictures count less. A simpler model or fewer features: it can learn less by heart. (Two of these are
#    enough.) Who stops at the best moment for the test set has chosen by the test set: its result is then too good, since it is the best of many tries, and nothing is left to judge by.
#
# **Rubric**
# - [1] Overfitting: the model fits noise or peculiarities (wrong labels) of the training set that do not hold elsewhere; lost by: only "it overfits", or "the learning rate is too large"
# - [1] Loss and accuracy: confidence grows on the mistakes while the largest score stays the same; also accepted: an example with numbers
# - [1] Two remedies, each with how it works: early stopping, weight decay, more or varied data, simpler model, dropout
# - [1] Test set: the choice would be fitted to it, so its result is too optimistic; also accepted: no unused data are left
# ### END SOLUTION

# %% [markdown] hints="4.5.3"
# 1. Which single number must you remember from epoch to epoch to know both the lowest loss and how long ago it was?
# 2. The number of epochs since the best one is `epoch - best`. Compare with `<`, not `<=`.
# 3. A climber who turns round after 2 hours without a new highest point, on heights 10, 20, 15, 18, 30: he turns after hour 3; his highest point was at hour 1.

# %% check="4.5.3" points=2
for values, patience in (([5, 4, 4.5, 4.2, 3], 2), ([4.0], 1)):
    assert_type(early_stopping(values, patience), (tuple, list), f"the result for {values}, patience {patience}", of="stop",
                hint="A pair comes back where the patience is used up, and also where it never is, after the last loss of the list.")
    assert_equal(len(early_stopping(values, patience)), 2, f"the number of values returned for {values}, patience {patience}", of="stop")
    for entry, name, words in ((early_stopping(values, patience)[0], "stop", "the last epoch"), (early_stopping(values, patience)[1], "best", "the kept epoch")):
        if not (name == "best" and isinstance(entry, float) and entry in values):         # a loss in its place has a message of its own below
            assert_type(entry, int, f"{words} for {values}, patience {patience}", of=name)
assert_equal(early_stopping([4.0], 1), (0, 0), "the single loss [4.0], patience 1", of="no stop",
             mistakes={"The epochs are counted from 0, not from 1.": (1, 1), "The list ends with epoch 0: there is no epoch 1 after which training could stop.": (1, 0), "The loss of the single epoch is the lowest: its number, 0, is kept.": (0, -1), "This is the loss, not its epoch.": (0, 4.0)},
             hint="One epoch, which has the number 0, is all of the training, and the best.")
assert_equal(early_stopping([5, 4, 4.6, 4.4, 4.8, 4.9, 5.1, 5.2], 2)[0], 3, "the last epoch for [5, 4, 4.6, 4.4, 4.8, 4.9, 5.1, 5.2], patience 2", of="stop",
             mistakes={"A single epoch without a new lowest loss is not yet two in a row.": 2, "Compare with the lowest loss so far, not with the one before.": 5,
                       "That is one too many: epoch 3 is the second in a row, and training stops after it.": 4, "The order is: stop, kept.": 1,
                       "Training does not go on to the end of the list: it stops after the first epoch that is the second in a row.": 7},
             hint="The epochs 2 and 3 are two in a row whose loss is not below 4, the lowest so far.")
assert_equal(early_stopping([5.5, 4.5, 5.0, 4.8, 3.0], 2)[0], 3, "the last epoch for [5.5, 4.5, 5.0, 4.8, 3.0], patience 2", of="stop", hint="The epochs 2 and 3 are two in a row whose loss is not below 4.5.")
assert_equal(early_stopping([5.5, 4.5, 5.0, 4.8, 3.0], 2)[1], 1, "the kept epoch for [5.5, 4.5, 5.0, 4.8, 3.0], patience 2", of="best",
             mistakes={"The weights of the lowest loss are kept, not the last ones.": 3, "Training had stopped before that epoch.": 4, "This is the loss, not its epoch.": 4.5}, hint="Training stops after epoch 3; of the epochs 0 to 3 the lowest loss is that of epoch 1.")
assert_equal(early_stopping([3.0, 2.0, 2.5, 1.0, 1.5, 1.2, 0.9], 2)[0], 5, "the last epoch for [3.0, 2.0, 2.5, 1.0, 1.5, 1.2, 0.9], patience 2", of="stop",
             mistakes={"A new lowest loss starts the count again.": 4}, hint="The lowest loss is that of epoch 3; the epochs 4 and 5 are two in a row that are not below it.")
assert_equal(early_stopping([5.0, 4.0, 4.5, 4.3, 4.2, 3.0], 3)[0], 4, "the last epoch for [5.0, 4.0, 4.5, 4.3, 4.2, 3.0], patience 3", of="stop",
             mistakes={"The patience is 3 here, not 2.": 3, "Three in a row are enough: training stops before that epoch.": 5}, hint="The epochs 2, 3 and 4 are three in a row whose loss is not below 4.")
assert_equal(early_stopping([0.7, 0.698, 0.6975, 0.6974, 0.9, 0.8, 0.7], 2)[0], 5, "the last epoch for [0.7, 0.698, 0.6975, 0.6974, 0.9, 0.8, 0.7], patience 2", of="stop", hint="However little it is lower, it is a new lowest loss.")
assert_equal(early_stopping([4.0, 2.0, 2.0, 2.0, 1.0], 2)[0], 3, "the last epoch for [4.0, 2.0, 2.0, 2.0, 1.0], patience 2", of="stop",
             mistakes={"An equal loss is not a new lowest one: it counts as an epoch without one.": 4}, hint="The epochs 2 and 3 have the lowest loss again, no lower one: these are two in a row.")
assert_equal(early_stopping([4.0, 2.0, 3.0, 2.0, 3.0, 5.0], 4)[1], 1, "the kept epoch for [4.0, 2.0, 3.0, 2.0, 3.0, 5.0], patience 4", of="best", mistakes={"Of equal losses the earliest is kept.": 3},
             hint="The lowest loss, 2, is that of the epochs 1 and 3, and the earlier one is kept.")
assert_equal(early_stopping([3.0, 2.0, 1.0, 1.5], 5), (3, 2), "losses [3.0, 2.0, 1.0, 1.5], patience 5", of="no stop",
             mistakes={"The last epoch of four has the number 3.": (4, 2), "The weights of the lowest loss are kept, not the last ones. ": (3, 3), "Training goes to the end of the list: give the number of its last epoch.": (-1, 2), "The lowest loss is kept, wherever it was.": (3, 0),
                       "The best epoch is not always the last minus the patience: it is that of the lowest loss.": (3, -2), "Training cannot go on beyond the end of the list, whatever the patience is.": (7, 2)}, hint="The patience is never used up: the last epoch has the number 3, and the lowest loss is that of epoch 2.")
assert_equal(early_stopping([3.0, 2.0, 1.0], 2), (2, 2), "losses [3.0, 2.0, 1.0], patience 2", of="no stop", mistakes={"The last epoch counts, too.": (2, 1)}, hint="Each loss is a new lowest one, also the last, that of epoch 2.")
assert_equal(early_stopping([3e12, 2e12, 2.5e12, 2.2e12, 1e12], 2), (3, 1), "losses [3e12, 2e12, 2.5e12, 2.2e12, 1e12], patience 2", of="best", hint="The lowest loss so far begins with the first in the list, however large it is.")
assert_equal(early_stopping([5.0, 5.5, 4.0, 4.5], 2), (3, 2), "losses [5.0, 5.5, 4.0, 4.5], patience 2", of="stop",
             mistakes={"Epoch 0 has the first lowest loss: it does not count as an epoch without one, so epoch 1 is the first in a row.": (1, 0)},
             hint="Epoch 1 is one without a new lowest loss, epoch 2 has one, and epoch 3 is one again: the patience is never used up.")
assert_equal(early_stopping([5.0, 5.5, 4.0], 1)[0], 1, "the last epoch for [5.0, 5.5, 4.0], patience 1", of="stop", hint="Epoch 0 sets the first lowest loss; one that is not lower counts from epoch 1 on.")
### BEGIN HIDDEN TESTS
def by_rounds(values, patience):
    """The same, counted round by round."""
    lowest, kept, waited = values[0], 0, 0
    for now in range(1, len(values)):
        if values[now] < lowest:
            lowest, kept, waited = values[now], now, 0
        else:
            waited += 1
        if waited == patience:
            return now, kept
    return len(values) - 1, kept

rng = torch.Generator().manual_seed(453)
for length, patience in ((12, 1), (15, 2), (30, 3), (40, 5), (25, 4)):
    values = (torch.randint(0, 9, (length,), generator=rng) - 0.3 * torch.arange(length)).tolist()
    assert_equal(early_stopping(values, patience)[0], by_rounds(values, patience)[0], f"the last epoch for {length} losses, patience {patience}", of="stop")
    assert_equal(early_stopping(values, patience)[1], by_rounds(values, patience)[1], f"the kept epoch for {length} losses, patience {patience}", of="best")
falling = [1 / (1 + k) for k in range(9)]
assert_equal(early_stopping([1.0, 0.999, 0.9989, 0.99889, 0.998889], 1), (4, 4), "five losses that fall by less and less, patience 1", of="no stop")
assert_equal(early_stopping(falling, 1), (8, 8), "nine falling losses, patience 1", of="no stop")
assert_equal(early_stopping([7.0, 8.0, 9.0, 6.0], 3), (3, 3), "four losses, of which the last is the lowest, patience 3", of="stop", hint="Epoch 0 has the first lowest loss: it is none without one.")
assert_equal(early_stopping([2.0, 2.0, 2.0], 3), (2, 0), "three equal losses, patience 3", of="no stop")
assert_equal(early_stopping([4e15, 6e15, 3e15, 3e15, 5e15], 2), (4, 2), "five very large losses, patience 2", of="best", hint="The lowest loss so far begins with the first in the list, however large it is.")
assert_type(early_stopping(falling, 2)[0], int, "the last epoch for nine falling losses", of="stop")
### END HIDDEN TESTS

# %% [markdown] teaches="learning-rate study"
# ### How large a step
#
# The other knob is the learning rate. Before the curves, a plan: which rates, which measure, on which data, how often? Rates act by factors, so they are tried by factors: 0.01, 0.1, 1, and a value or two between. Everything else stays as it is, the seed included; and because one seed may be lucky, each rate gets several.

# %% [markdown] task="4.5.4" kind="experiment" minutes=20 difficulty=3 core=true needs="training loop with the library's loss, cross-entropy from logits, learning-rate study"
# ### Four learning rates
#
# Write `loss_curve(X, y, lr, epochs, seed)`. It trains a new linear classifier for ten classes on the pictures `X`, shape (n, 1, 28, 28), with the labels `y`, by stochastic gradient descent with the learning rate `lr` on the mean cross-entropy of batches of 100. Each epoch draws a new random order of the pictures and cuts it into batches, of which the last may be smaller. It begins with zero or with small
# random weights, as the library draws them. The random numbers follow from `seed`. It returns a list of `epochs + 1` numbers (a tuple, a tensor or an array counts, too): the mean cross-entropy on all of `X`, `y` before training and after each epoch.
#
# Then run it: on the first 1,000 training pictures, with the rates 0.01, 0.1, 0.3 and 1, for 20 epochs. The cell below the written answer does it for the seeds 0, 1 and 2, and draws the curves. In words:
# 1. Which rate has the lowest loss after 3 epochs, which after 20? Give the numbers.
# 2. What do the curves of the smallest and of the largest rate look like, and why?
# 3. So which rate is the best one? What would you do to have the advantages of two of them?
#
# **You are done when**
# - **length**: the list has `epochs + 1` numbers, and the first is the loss of the untrained model, near log 10, whatever classes occur in `y`;
# - **all pictures**: each number is the mean over all of `X` and `y`, in which each picture counts the same, not over one batch;
# - **learning rate**: each step is `lr` times the gradient, and `lr` stays as it is: with 0 nothing changes, and a larger rate moves the weights by more;
# - **batches**: an epoch makes a step for each batch of 100, the last one included;
# - **order**: each epoch draws a new random order of the pictures, each of them once, and cuts it into new batches, so that pictures which are sorted by class do no harm;
# - **seed**: the same seed gives the same curve, another seed another one.
#
# The written answer is complete when it has numbers for 1 and a reason for 2 and 3.

# %% exercise="4.5.4"
def loss_curve(X, y, lr, epochs, seed):
    """The training losses before training and after each epoch of softmax regression with SGD."""
    ### BEGIN SOLUTION
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
    curve = [F.cross_entropy(net(X), y).item()]
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(epochs):
        for rows in torch.randperm(len(X)).split(100):
            loss = F.cross_entropy(net(X[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            curve.append(F.cross_entropy(net(X), y).item())
    return curve
    ### END SOLUTION

# %% [markdown] written="4.5.4" points=4
# ### BEGIN SOLUTION
# Means over the seeds 0, 1, 2 (the cell below prints them):
#
# | rate | after 3 epochs | after 20 epochs | largest loss on the way |
# |---|---|---|---|
# | 0.01 | 1.79 | 1.03 | 2.41 |
# | 0.1 | 0.91 | 0.54 | 2.41 |
# | 0.3 | 1.18 | 0.51 | 3.08 |
# | 1 | 4.26 | 1.60 | 14.62 |
#
# 1. After 3 epochs 0.1 is lowest (0.91), after 20 it is 0.3 (0.51), just before 0.1 (0.54).
# 2. With 0.01 the curve is smooth and still falling at the end: each step is so short that 200 steps do not lead to the bottom. With 1 the loss jumps, and is far above its start at times: the steps overshoot the valley, and each follows the gradient of 100 pictures only, whose noise is multiplied by the rate.
# 3. There is no best rate without the number of epochs: for a short training 0.1, for a longer one 0.3, and to settle at the very bottom a small one. So one lets the rate *fall*: large steps first, to get there, small ones at the end, to settle. And since this is the training loss, whether it is best on other pictures is another question.
#
# **Rubric**
# - [1] The best rate after 3 epochs and after 20, with the losses; evidence: numbers of a run of one's own; they may differ with the seeds
# - [1] Small rate: smooth and slow, not trained enough after 20 epochs, because each step is short
# - [1] Large rate: jumps, or rises above the start, because steps overshoot (and the noise of the batches is multiplied by the rate); lost by: "it overfits", since this is the training loss
# - [1] "Best" depends on the number of epochs (or on the measure), and a rate that falls during training joins the advantages; also accepted: averaging the weights, larger batches late, a middle rate with a reason
# ### END SOLUTION

# %% tags=["demo"]
X_1000, y_1000 = data.train[torch.arange(1000)]
means = {}
for rate in (0.01, 0.1, 0.3, 1.0):
    curves = [loss_curve(X_1000, y_1000, rate, 20, seed) for seed in range(3)]
    if any(curve is None for curve in curves):
        print("loss_curve has no answer yet")
        break
    curves = torch.tensor([[float(loss) for loss in curve] for curve in curves])
    means[rate] = curves.mean(dim=0)
    print(f"rate {rate:4}: after 3 epochs {means[rate][3]:.3f}, after 20 {means[rate][20]:.3f}, largest on the way {curves.max():.2f}")
if len(means) == 4:
    figure, ax = plt.subplots(figsize=(6, 3), layout="constrained")
    for (rate, curve), style in zip(means.items(), (":", "-", "--", "-.")):
        ax.plot(curve, style, label=f"rate {rate:g}")
    ax.set(xlabel="epoch", ylabel="training loss", ylim=(0, 4))
    ax.legend(loc="upper right")
    ax.grid(alpha=0.3)
    plt.show()

# %% [markdown] hints="4.5.4"
# 1. Which lines of the training loop in part 2 do you need, and where is the loss on all pictures measured?
# 2. `torch.manual_seed(seed)` comes before the network is made: the weights are drawn, too. A lazy layer draws them at its first batch.
# 3. `torch.randperm(250).split(100)` gives index tensors of 100, 100 and 50 rows.

# %% check="4.5.4" points=5
from numpy import ndarray

torch.set_num_threads(1)
X_few, y_few = data.train[torch.arange(250)]

def assert_curve():
    curve = loss_curve(X_few[:100], y_few[:100], 0.1, 1, 0)
    assert_type(curve, (list, tuple, torch.Tensor, ndarray), "the result for 100 pictures, rate 0.1, 1 epoch", of="length")
    assert_true(len(curve) > 1, "the list for 1 epoch has two losses", of="length", hint="One before training, and one after each epoch.")

def assert_long(curve, epochs):
    """The list is at least as long as a loss that is read in it."""
    assert_true(len(curve) > epochs, f"the list for {epochs} epochs has {epochs + 1} losses", of="length",
                hint=f"It has {len(curve)}: the number of epochs is the argument `epochs`. One before training, and one after each epoch.")

def last_of_black(counts, epochs):
    """The last loss on black pictures, `counts` of them of each class; only the bias can learn."""
    labels = torch.tensor([c for c, count in counts.items() for _ in range(count)])
    curve = loss_curve(torch.zeros(len(labels), 1, 28, 28), labels, 0.5, epochs, 0)
    assert_long(curve, epochs)
    return float(curve[epochs])

def bad_start():
    """What is said if the losses do not begin near log 10, or nothing."""
    curve = [float(loss) for loss in loss_curve(X_few, y_few, 0.1, 3, 0)]
    if 1.9 < curve[0] < 2.9:
        return ""
    if curve[0] <= 1 and curve[0] < curve[-1] <= 1:
        return "These numbers rise from epoch to epoch, and none is above 1: they look like the accuracy. The loss is asked for, the mean cross-entropy."
    return f"It begins at {curve[0]:.2f}, not near log 10 = 2.30: mend the start first."

def unsteady():
    """What is said if the rate 0 changes the loss, or nothing."""
    still = [float(loss) for loss in loss_curve(torch.zeros(100, 1, 28, 28), torch.full((100,), 2), 0.0, 1, 0)]
    return "With rate 0 the numbers of the list differ: each has to be the same measure, the mean loss on all pictures." if abs(still[1] - still[0]) > 1e-3 else ""

def white(lr, epochs):
    """The last loss on 100 pictures of class 2 whose left half is white."""
    half = torch.tensor([1.0, 0.0]).repeat_interleave(392).reshape(1, 1, 28, 28).repeat(100, 1, 1, 1)
    return float(loss_curve(half, torch.full((100,), 2), lr, epochs, 0)[epochs])

def softmax_twice():
    """What is said if the loss does not fall below 1.46, by slow steps and by fast ones, or nothing."""
    fast = float(loss_curve(torch.zeros(100, 1, 28, 28), torch.full((100,), 2), 20.0, 100, 0)[100])
    return "100 steps on black pictures of one class alone leave the loss above 1.46, the floor of a softmax that is done twice." if 1.46 < last_of_black({2: 100}, 100) < 2.2 and 1.46 < fast < 2.2 else ""

def why_slow():
    """The one reason why the steps do not lead where they should that a few runs show, or nothing."""
    if bad_start() or unsteady():
        return bad_start() or unsteady()
    alone, before = (float(loss_curve(torch.zeros(50, 1, 28, 28), torch.full((50,), 2), 0.5, 2, 0)[k]) for k in (2, 0))
    first, second = (last_of_black({2: 100}, epochs) for epochs in (1, 2))
    if first < before - 0.1 and abs(alone - before) < 1e-6:
        return "A last batch of 50 pictures makes no step at all."
    if second > before + 0.1:
        return "The losses rise: a step has to go against the gradient, a parameter minus `lr` times its gradient."
    if abs(second - before) < 1e-6:
        if abs(white(0.02, 10) - white(0.02, 0)) < 1e-6:
            return "The loss stays the same from epoch to epoch: no step changes a parameter of the model."
        if white(0.02, 10) < white(0.02, 0) - 0.1:
            return "White pictures are learned, and black ones never: from these only a bias can learn. The linear layer needs one, and each step has to change it, too."
    if second > 2.2 and 1.75 < float(loss_curve(torch.zeros(100, 1, 28, 28), torch.full((100,), 2), 50.0, 1, 0)[1]) < 1.98:
        return "Rate 50 leads where rate 0.5 should: each step is a hundredth of `lr` times the gradient. The mean over the 100 pictures of a batch is taken twice."
    tenth = [float(loss) for loss in loss_curve(torch.zeros(100, 1, 28, 28), torch.full((100,), 2), 5.0, 3, 0)] if second > 2.15 else [0.0] * 4
    if 1.75 < tenth[1] < 1.98 and tenth[3] < 0.9:
        return "On black pictures of one class rate 5 leads in one epoch where rate 0.5 should; then the steps grow. So it is where the softmax is done twice in the steps, and once in the measure: `F.cross_entropy` takes scores."
    if 1.75 < tenth[1] < 1.98 and 1.05 < tenth[3] < 1.3:
        return "Rate 5 leads where rate 0.5 should: each step is a tenth of `lr` times the gradient. Is the mean taken over the ten classes, too?"
    if first < 1.7:
        if 1.75 < last_of_black({2: 1}, 1) < 1.98 and last_of_black({2: 5}, 1) < 0.64:
            return "One black picture leads where it should, and five, which are one step, too, lead farther than five steps would: a step takes the mean over its pictures, not the sum."
        for size in (1, 2, 5, 10, 16, 20, 25, 32, 50, 64):
            if 1.75 < last_of_black({2: size}, 1) < 1.98 and 1.37 < last_of_black({2: size + 1}, 1) < 1.6:
                return f"Black pictures of one class show how many steps an epoch makes: one for {size} of them, two for {size + 1}. So a batch has {size} here, not 100."
        if 1.4 < first < 1.53 and 1.55 < last_of_black({2: 60, 3: 40}, 1) < 1.66:
            return "On black pictures one step moves the bias of every class by `lr`, however large its gradient is, as Adam does. Stochastic gradient descent moves it by `lr` times the gradient."
        return f"One epoch on 100 black pictures of one class leads to the loss {first:.2f}; one step of `lr` times the gradient of the mean leads to about 1.87."
    if first > 2.2 and second < 2:
        return "The loss after the first epoch is that before its step: measure after the steps of the epoch, on all pictures."
    if softmax_twice():
        return softmax_twice()
    two, halves = torch.arange(100) % 2, torch.tensor([[1.0, 0.0], [0.0, 1.0]]).repeat_interleave(392, dim=1).reshape(2, 1, 28, 28)
    if 1.75 < first < 1.98 and 1.39 < second < 1.59 and last_of_black({2: 200}, 1) > 1.3 and float(loss_curve(torch.zeros(300, 1, 28, 28), torch.full((300,), 2), 3.0, 1, 0)[1]) < 0.03:
        return "Three batches lead as far as one step with the sum of three gradients: make a step after each batch, and only then the next gradient."
    if 1.75 < first < 1.98 and white(0.02, 10) > 1:
        return "Black pictures are learned as they should be, by the bias, and white ones no faster: the pixels count too little. Take the pictures as they are, not divided by 255."
    if 1.75 < first < 1.98 and float(loss_curve(halves[two], two, 0.02, 60, 0)[60]) > 0.65:
        return "Pictures whose left half is white and pictures whose right half is white, each a class, are not told apart: the labels in a step must be those of its pictures."
    corners = torch.tensor([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]).repeat_interleave(392, dim=1).reshape(4, 1, 28, 28)
    if min(float(loss) for loss in loss_curve(corners, torch.tensor([0, 0, 1, 1]), 0.05, 300, 0)) < 0.6:
        return "The model learns four pictures that no linear one can part: there is a hidden layer in it. One linear layer is the whole model."
    return ""

def steps_hint(few):
    """What a few steps on black pictures say about the way the steps are made."""
    first, second = (last_of_black({2: 100}, epochs) for epochs in (1, 2))
    if abs(first - 1.87) < 0.1 and second < 1.28:
        return "The first step is right; the second contains the first gradient again. Set the gradients to zero before each step, and use no momentum."
    if abs(first - 1.87) < 0.1 and abs(second - 1.49) < 0.1 and last_of_black({2: 200}, 1) < 1.3:
        return "The first step of each epoch is right; the second in the same epoch leads too far, as if the gradient of the first were in it. Set the gradients to zero before each step, not once in an epoch."
    if abs(first - 1.87) < 0.1 and abs(second - 1.49) < 0.1 and last_of_black({2: 300}, 1) > 1.75:
        return "One epoch on 300 black pictures leads no farther than one on 100: it makes a single step. Each of the three batches of 100 makes a step of its own."
    return why_slow() or ("The steps are too few or too short: 250 pictures make three batches in each epoch, the last one of 50 included, and each a step of a linear model by the gradient of its mean loss." if few else \
        "The steps are too many or too long: 250 pictures make three batches in each epoch, and each makes one step of `lr` times the gradient of its mean loss.")

def batch_hint(loss, count):
    """What the loss after one epoch on black pictures of a single class says."""
    start = float(loss_curve(torch.zeros(count, 1, 28, 28), torch.full((count,), 2), 0.5, 1, 0)[0])
    if not 2.2 < start < 2.4:
        return f"It begins at {start:.2f} already, not near log 10 = 2.30: mend the start first."
    return (why_slow() or "The loss has hardly fallen: measure it after the steps of the epoch, on all pictures.") if loss > 2.2 else "A batch has 100 pictures, not more and not fewer: 101 make two, the second of one picture."

def why_late(loss):
    """Why the loss after 300 epochs with rate 0.5 on 100 black pictures of one class is too high, by two runs with larger rates."""
    black, labels = torch.zeros(100, 1, 28, 28), torch.full((100,), 2)
    if abs(float(loss_curve(black, labels, 5.0, 1, 0)[1]) - last_of_black({2: 100}, 1)) < 1e-6:
        return "One epoch with rate 5 leads exactly as far as one with rate 0.5: something limits the rate. Take `lr` as it is given."
    if not (1.75 < last_of_black({2: 100}, 1) < 1.98 and 1.39 < last_of_black({2: 100}, 2) < 1.59):
        return "Only the bias can learn here, by steps of `lr` times the gradient of the plain cross-entropy."
    if float(loss_curve(black, labels, 2.0, 300, 0)[300]) < 0.7 * loss:
        return "The first two steps are right, later ones become too short: the rate stays as it is given, and does not fall from epoch to epoch."
    return "The first two steps are right, but later ones lead no farther, not even with rate 2: each step goes by the gradient of the plain cross-entropy, and nothing pulls the weights back to zero."

def late_change(seed, count=300):
    """The difference of the largest and the smallest of the last ten losses on black pictures of ten classes."""
    curve = loss_curve(torch.zeros(count, 1, 28, 28), torch.arange(count) % 10, 3.0, 30, seed)
    assert_long(curve, 30)
    late = [float(loss) for loss in curve[21:]]
    return max(late) - min(late)

def late_scatter():
    """How much the losses late in the training of 200 black pictures scatter, beside their mean height above log 10 (mean of three seeds)."""
    ratios = []
    for seed in range(3):
        late = torch.tensor([float(loss) for loss in loss_curve(torch.zeros(200, 1, 28, 28), torch.arange(200) % 10, 10.0, 60, seed)[11:]]) - math.log(10)
        ratios.append((late.std() / late.mean()).item())
    return sum(ratios) / 3

def advice_late(words):
    """The words, unless the steps themselves are at fault."""
    return words if 1.75 < last_of_black({2: 100}, 1) < 1.98 and 1.39 < last_of_black({2: 100}, 2) < 1.59 and last_of_black({2: 100}, 300) < 0.02 else "The steps are not yet `lr` times the gradient: mend the learning rate and the batches first."

def last_of_halves(few_first):
    """The last loss on 100 pictures of class 2, whose left half is white, and two, white on the right, of the classes 7 and 4."""
    kinds, labels = [0] * 100 + [1, 1], [2] * 100 + [7, 4]
    if few_first:
        kinds, labels = kinds[::-1], labels[::-1]
    halves = torch.tensor([[1.0, 0.0], [0.0, 1.0]]).repeat_interleave(392, dim=1).reshape(2, 1, 28, 28)
    return float(loss_curve(halves[torch.tensor(kinds)], torch.tensor(labels), 0.01, 60, 0)[60])

def advice_few(loss):
    """Why the loss is too high where two pictures are hard."""
    if unsteady():
        return unsteady()
    if loss - last_of_halves(True) > 0.2:
        return "If these two stand first, it is much lower: each of the 102 has to count the same. Measure on all at once: the mean of the means of batches gives a short last batch too much weight."
    return "With these two in front it is as high: mend the steps first."

def advice_start(loss):
    if loss < 1.9 and "accuracy" in bad_start():
        return bad_start()
    return "It is too large: begin with zero or small weights, measure before the first step, and take the mean over the pictures, not the sum." if loss > 2.3 else "Measure the mean cross-entropy before the first step."

def advice_black(loss, swapped):
    if unsteady():
        return unsteady()
    if abs(loss - swapped) > 0.2:
        return "Measure the loss on all pictures that were given, not on the first or the last of them."
    return why_slow() or "Only the bias can learn from black pictures: is there one, and is each step the rate `lr` times the gradient of the mean cross-entropy of the scores?"

def advice_order(ordered, mixed):
    still = [float(loss) for loss in loss_curve(X_few, y_few, 0.0, 2, 0)]
    if max(still) - min(still) > 1e-4:
        return "With rate 0 the numbers of the list differ on 250 pictures: each has to be the mean loss on all pictures. Mend that first, then look at the order."
    if mixed >= ordered - 0.02:
        return "On the same pictures in mixed order the loss stays as high: mend the other parts first."
    if late_change(0) > 1e-4:
        return "The order does change from epoch to epoch. Does it hold all the pictures, each with its own label, and are all of them measured?"
    return advice_late("Draw an order of the pictures themselves with `torch.randperm`, in each epoch, and cut that into batches; to draw the order of batches that stand as they are is not enough.")

with part(0.5, "length and start"):
    assert_curve()
    curve_0 = loss_curve(X_few, y_few, 0.0, 2, 0)
    assert_type(curve_0, (list, tuple, torch.Tensor, ndarray), "the result for 250 pictures, rate 0, 2 epochs", of="length")
    assert_equal(len(curve_0), 3, "the number of losses for 2 epochs", of="length", hint="One before training, and one after each epoch.")
    assert_true(1.9 < float(curve_0[0]) < 2.9, "the loss before training is near log 10 = 2.30", of="length", hint=lambda: advice_start(float(curve_0[0])))
    assert_true(1.9 < float(loss_curve(X_few, y_few, 0.1, 2, 0)[0]) < 2.9, "the loss before training with rate 0.1 is near log 10 = 2.30", of="length", hint="Measure it before the first step, as the mean over all pictures.")
    assert_true(1.9 < float(loss_curve(X_few, y_few % 2, 0.1, 1, 0)[0]) < 2.9, "the loss before training is near log 10 = 2.30, also where only the labels 0 and 1 occur", of="length", hint="There are ten classes, whatever labels occur.")
    even = float(loss_curve(torch.zeros(100, 1, 28, 28), torch.arange(100) % 10, 0.1, 1, 0)[0])
    assert_true(even < 2.36, "100 black pictures, ten of each class: the loss before training is log 10 = 2.30, and at most 2.36", of="length",
                hint=lambda: "This is the logarithm of more than ten classes: the model has one score for each of the ten." if even < 2.6 else advice_start(even))
    last = last_of_black({0: 100, 1: 200}, 40)
    assert_true(0.6 < last < 0.95, "100 black pictures of class 0, then 200 of class 1: after 40 epochs with rate 0.5 the loss is 0.6 to 0.95", of="all pictures",
                hint=lambda: "" if 0.6 < last < 0.95 else advice_black(last, last_of_black({1: 200, 0: 100}, 40)))
    last = last_of_halves(False)
    assert_true(last < 0.35, "100 pictures of class 2, white on the left, then two, white on the right, of the classes 7 and 4: after 60 epochs with rate 0.01 the loss is below 0.35",
                of="all pictures", hint=lambda: "" if last < 0.35 else advice_few(last))
with part(0.5, "learning rate"):
    assert_curve()
    curve_0 = loss_curve(X_few, y_few, 0.0, 2, 0)
    assert_close(float(curve_0[2]) - float(curve_0[0]), 0.0, "the change of the loss in 2 epochs with rate 0", of="learning rate", atol=1e-4,
                 hint="With rate 0 nothing is learned: each step has to be `lr` times the gradient, with the `lr` that is given." if -1.9 < float(curve_0[2]) - float(curve_0[0]) < -0.3 else
                 "Measure each loss in the same way: the mean, on all of `X`, `y`, on the same pictures every time.")
    slow, fast = float(loss_curve(X_few, y_few, 0.01, 3, 0)[3]), float(loss_curve(X_few, y_few, 0.1, 3, 0)[3])
    assert_true(fast < slow - 0.2, "after 3 epochs the loss with rate 0.1 is clearly below that with rate 0.01", of="learning rate",
                hint=lambda: "" if fast < slow - 0.2 else why_slow() or
                "Each step is `lr` times the gradient of the mean cross-entropy of the scores.")
    last = last_of_black({2: 100}, 300)
    assert_true(last < 0.02, "100 black pictures of class 2: after 300 epochs with rate 0.5 the loss is below 0.02", of="learning rate",
                hint=lambda: "" if last < 0.02 else why_slow() or why_late(last))
with part(0.5, "batches"):
    assert_curve()
    few = [loss_curve(X_few, y_few, 0.01, 3, seed) for seed in range(4)]
    fall = sum(float(curve[0]) - float(curve[3]) for curve in few) / 4
    assert_true(0.195 < fall < 0.29, "in 3 epochs with rate 0.01 on 250 pictures, nine steps, the loss falls by 0.20 to 0.29 (mean of the seeds 0 to 3)", of="batches",
                hint=lambda: "" if 0.195 < fall < 0.29 else steps_hint(fall < 0.24))
    for count, low, high, words in ((100, 1.75, 1.98, "one step"), (101, 1.37, 1.6, "two steps")):
        last = last_of_black({2: count}, 1)
        assert_true(low < last < high, f"{count} black pictures of class 2: after one epoch with rate 0.5, {words}, the loss is {low} to {high}", of="batches",
                    hint=lambda: "" if low < last < high else batch_hint(last, count))
with part(0.5, "seed"):
    assert_curve()
    first, again, other = (float(loss_curve(X_few, y_few, 0.1, 2, seed)[2]) for seed in (5, 5, 6))
    assert_close(first - again, 0.0, "the difference of the last losses of two runs with the seed 5", of="seed", atol=1e-6, hint="Set the seed before the network is made.")
    assert_true(abs(first - other) > 1e-6, "the seeds 5 and 6 give different curves", of="seed", hint="Pass the argument `seed` on.")
    assert_true(abs(first - float(loss_curve(X_few, y_few, 0.1, 2, 15)[2])) > 1e-6, "the seeds 5 and 15 give different curves", of="seed", hint="Pass the seed on as it is.")
with part(0.5, "order"):
    assert_curve()
    by_class = data.train[torch.arange(500)][1].argsort(stable=True)
    X_sorted, y_sorted = data.train[by_class]
    ordered = float(loss_curve(X_sorted, y_sorted, 0.05, 4, 0)[4])
    assert_true(ordered < 1.45, "500 pictures sorted by class: after 4 epochs with rate 0.05 the loss is below 1.45", of="order",
                hint=lambda: "" if ordered < 1.45 else advice_order(ordered, float(loss_curve(*data.train[torch.arange(500)], 0.05, 4, 0)[4])))
    assert_true(late_change(0) > 1e-4, "300 black pictures of ten classes, rate 3: the last ten of 30 losses differ, since each epoch has its own order", of="order",
                hint=lambda: "" if late_change(0) > 1e-4 else advice_late("Draw a new order in each epoch, and set the seed only once, at the start. (Only the bias learns here, by the rate 3.)"))
    assert_true(late_change(0, 10) < 1e-4, "ten black pictures, one of each class, rate 3: the last ten of 30 losses are the same, since each epoch is one step with each picture once", of="order",
                hint=lambda: "" if late_change(0, 10) < 1e-4 else advice_late("An epoch takes each picture once: an order, as `torch.randperm` draws it, and no draws in which a picture may come twice."))
    assert_true(late_scatter() > 0.3, "200 black pictures of ten classes, rate 10: the late losses scatter as those of new batches do", of="order",
                hint=lambda: "" if late_scatter() > 0.3 else advice_late("They scatter as they do when the same two batches come again and again, in changing order. Draw a new order of all pictures in each epoch, and cut that into batches."))
### BEGIN HIDDEN TESTS
X_more, y_more = data.train[torch.arange(5000, 5620)]
def last_loss(lr, epochs, seed):
    """The last loss, with hand-made gradients from zero weights."""
    rng = torch.Generator().manual_seed(seed)
    pixels, W, b = X_more.flatten(1), torch.zeros(784, 10), torch.zeros(10)
    for _ in range(epochs):
        for rows in torch.randperm(len(y_more), generator=rng).split(100):
            G = (torch.softmax(pixels[rows] @ W + b, 1) - F.one_hot(y_more[rows], 10)) / len(rows)
            W, b = W - lr * pixels[rows].T @ G, b - lr * G.sum(0)
    return F.cross_entropy(pixels @ W + b, y_more).item()

with part(0.5, "length and start, other pictures"):
    assert_curve()
    curve_1 = loss_curve(X_more, y_more, 0.02, 5, 1)
    assert_equal(len(curve_1), 6, "the number of losses for 5 epochs", of="length")
    assert_true(2.0 < float(curve_1[0]) < 2.8, "the loss before training, 620 pictures", of="length", hint=lambda: advice_start(float(curve_1[0])))
    assert_true(float(loss_curve(torch.zeros(50, 1, 28, 28), torch.arange(50) % 10, 0.1, 1, 3)[0]) < 2.36, "50 black pictures, five of each class: the loss before training is log 10 = 2.30", of="length", hint="One score for each of the ten classes.")
    assert_true(1.9 < float(loss_curve(X_more, y_more % 3, 0.1, 1, 2)[0]) < 2.9, "the loss before training where only the labels 0, 1 and 2 occur", of="length", hint="There are ten classes, whatever labels occur.")
    last = last_of_black({3: 100, 7: 300}, 40)
    assert_true(0.5 < last < 0.9, "100 black pictures of class 3, then 300 of class 7: the loss after 40 epochs with rate 0.5", of="all pictures", hint=lambda: "" if 0.5 < last < 0.9 else advice_black(last, last_of_black({7: 300, 3: 100}, 40)))
    sides = torch.tensor([[0.0, 1.0]] * 100 + [[1.0, 0.0]] * 3).repeat_interleave(392, dim=1).reshape(103, 1, 28, 28)
    last = float(loss_curve(sides, torch.tensor([5] * 100 + [0, 8, 6]), 0.012, 50, 6)[50])
    assert_true(last < 0.35, "100 pictures of class 5, white on the right, then three, white on the left, of other classes: the loss after 50 epochs with rate 0.012", of="all pictures",
                hint="Each of the 103 counts the same.")
with part(0.5, "learning rate, other pictures"):
    assert_curve()
    assert_close(sum(float(loss_curve(X_more, y_more, 0.04, 4, seed)[4]) for seed in (2, 3, 4)) / 3, sum(last_loss(0.04, 4, seed) for seed in (2, 3, 4)) / 3,
                 "the loss after 4 epochs with rate 0.04, 620 pictures, mean of the seeds 2 to 4", of="learning rate", rtol=0, atol=0.1,
                 hint="Each step is plain: `lr` times the gradient of the mean loss of 100 pictures, as they were given.")
    assert_true(last_of_black({5: 100}, 300) < 0.02, "100 black pictures of class 5: the loss after 300 epochs with rate 0.5", of="learning rate",
                hint="The rate stays as it is given, and nothing pulls the weights back to zero.")
with part(0.5, "batches, other pictures"):
    assert_curve()
    curve_1 = loss_curve(X_more, y_more, 0.02, 5, 1)
    assert_close(float(curve_1[5]), last_loss(0.02, 5, 1), "the loss after 5 epochs with rate 0.02, 620 pictures", of="batches", rtol=0, atol=0.08,
                 hint="Each step is plain: `lr` times the gradient of the mean loss of 100 pictures, as they were given.")
    for count, low, high in ((200, 1.37, 1.6), (201, 1.06, 1.28)):
        assert_true(low < last_of_black({6: count}, 1) < high, f"{count} black pictures of class 6: the loss after one epoch with rate 0.5", of="batches", hint="One step for each batch of 100, the last one included, and the loss measured after them.")
with part(0.5, "seed, other pictures"):
    assert_curve()
    first, again, other = (float(loss_curve(X_more, y_more, 0.1, 1, seed)[1]) for seed in (7, 7, 8))
    assert_close(first - again, 0.0, "the difference of the last losses of two runs with the seed 7", of="seed", atol=1e-6)
    assert_true(abs(first - other) > 1e-6, "the seeds 7 and 8 give different curves", of="seed")
    assert_true(abs(first - float(loss_curve(X_more, y_more, 0.1, 1, 7 + 256)[1])) > 1e-6, "the seeds 7 and 263 give different curves", of="seed")
with part(0.5, "order, other pictures"):
    assert_curve()
    by_class = 2000 + data.train[torch.arange(2000, 2700)][1].argsort(stable=True)
    X_sorted, y_sorted = data.train[by_class]
    ordered = float(loss_curve(X_sorted, y_sorted, 0.03, 5, 3)[5])
    assert_true(ordered < 1.32, "700 pictures sorted by class: the loss after 5 epochs with rate 0.03", of="order",
                hint=lambda: "" if ordered < 1.32 else advice_order(ordered, float(loss_curve(*data.train[torch.arange(2000, 2700)], 0.03, 5, 3)[5])))
    assert_true(late_change(4) > 1e-4, "300 black pictures, rate 3, seed 4: the last ten of 30 losses differ", of="order", hint=lambda: "" if late_change(4) > 1e-4 else advice_late("Draw a new order in each epoch."))
    assert_true(late_change(4, 20) < 1e-4, "20 black pictures, two of each class, rate 3, seed 4: the last ten of 30 losses are the same", of="order",
                hint=lambda: "" if late_change(4, 20) < 1e-4 else advice_late("An epoch takes each picture once: an order, and no draws in which a picture may come twice."))
total()
### END HIDDEN TESTS

# %% [markdown]
# ## Summary
#
# - `nn.Flatten` and `nn.LazyLinear` are the whole model; its weight has a row for each class, and its outputs are scores.
# - The loss takes scores, because the logarithm and the exponential cancel on paper and overflow on the machine. A softmax before it, or a small number under the logarithm, is an error that no message reports.
# - A floating-point format is known by its exponent and fraction bits: they give the largest, the smallest normal and the smallest positive number, and so the arguments that exp can take.
# - Eight bits hold weights by means of a scale; products need the product of the scales, and sums a wider format. A logarithmic code has more range, and no exact sums.
# - The learning rate and the number of epochs are chosen by measuring on data that are not trained on. How far such a measurement can be trusted is the subject of 4.6.
