# %% [markdown]
# # 5.2 Implementation of multilayer perceptrons
#
# A linear classifier looks at a picture through one mask for each class, and adds up. It reaches about 82 of 100 on the clothes of
# Fashion-MNIST, and more patience helps little: what it can say is too simple. A hidden layer puts features in between that the
# network finds by itself. In code, that is one line more.
#
# This section writes it twice, once with products and parameters of our own, once with the library's layers, and trains it on all
# 60,000 pictures. Then comes the larger part of the work: a network has a width, a depth, a learning rate, an
# activation function and a start, and somebody has to choose them. At the end you can
# - write a multilayer perceptron with any number of layers, from scratch and with layers, and count its parameters;
# - say why it must not start with zeros;
# - see *what* a classifier gets wrong, not only how much;
# - run an experiment whose result means something: one thing changed, several seeds, a spread beside each mean;
# - search over several settings at once, and report the result without deceiving yourself;
# - time a piece of code so that the number can be trusted.

# %% tags=["setup"]
from d2l_utils.check import *
import math
import time
import torch
from torch import nn
from torch.nn import functional as F
import d2l_utils as d2l

torch.set_num_threads(1)        # products this small are slower with several threads, which wait for each other

# %% [markdown] teaches="multilayer perceptron, hidden layer, relu, parameters of a multilayer perceptron"
# ## 1. From a picture to ten scores
#
# A picture of 28 by 28 pixels, written as a row, has 784 numbers. A batch of n pictures is a matrix $\mathbf X$ of shape $(n, 784)$.
# Softmax regression (4.5) multiplies it by one matrix: ten scores for each picture. Now we go in two steps. The first makes 256 new numbers
# of the 784, the *hidden units*; the second makes ten scores of the 256:
#
# $$\mathbf H = \operatorname{ReLU}(\mathbf X \mathbf W_1 + \mathbf b_1), \qquad \mathbf O = \mathbf H \mathbf W_2 + \mathbf b_2 .$$
#
# The function $\operatorname{ReLU}(z) = \max(z, 0)$ acts on each entry. It is what makes two steps more than one: without it,
# $(\mathbf X \mathbf W_1) \mathbf W_2 = \mathbf X (\mathbf W_1 \mathbf W_2)$ would be a single matrix again. Such a function is called an **activation function**, and
# a network of linear layers with activation functions between them a **multilayer perceptron**, MLP for short. The layers before the last are **hidden layers**.
#
# | | shape | how many numbers |
# |---|---|---|
# | $\mathbf W_1$ | (784, 256) | 200,704 |
# | $\mathbf b_1$ | (256,) | 256 |
# | $\mathbf W_2$ | (256, 10) | 2,560 |
# | $\mathbf b_2$ | (10,) | 10 |
#
# Let us follow the shapes. The biases have one axis; broadcasting adds them to each row.

# %% teaches="multilayer perceptron, relu"
generator = torch.Generator().manual_seed(0)
X_two = torch.rand(2, 1, 28, 28, generator=generator)               # a batch of two "pictures": noise, with the right shape
W1, b1 = 0.01 * torch.randn(784, 256, generator=generator), torch.zeros(256)
W2, b2 = 0.01 * torch.randn(256, 10, generator=generator), torch.zeros(10)

rows_two = X_two.reshape(len(X_two), -1)                            # one row for each picture
H_two = torch.relu(rows_two @ W1 + b1)
print("pictures", tuple(X_two.shape), "-> rows", tuple(rows_two.shape), "-> hidden", tuple(H_two.shape), "-> scores", tuple((H_two @ W2 + b2).shape))
print("share of hidden numbers that are 0:", (H_two == 0).float().mean().item())
print("parameters:", W1.numel() + b1.numel() + W2.numel() + b2.numel(), " of softmax regression:", 784 * 10 + 10)

# %% [markdown]
# `t.numel()` is the number of entries. In `reshape(len(X), -1)` the -1 means: as many columns as it takes. About half of the hidden numbers are 0, since
# half of the sums are negative at a random start. And nearly all parameters sit in the first matrix: 200,704 of 203,530.

# %% [markdown] task="5.2.A" kind="code" minutes=3 difficulty=1 core=true needs="parameters of a multilayer perceptron"
# ### Count the parameters
#
# Write `count_parameters(sizes)`. `sizes` is a list of at least two numbers: inputs, the widths of the hidden layers (if any), outputs. It returns
# the number of all weights and biases.
#
# **You are done when**
# - **one hidden layer**: with sizes 784, 256, 10 it is 203,530;
# - **any depth**: it is right without a hidden layer, and with several;
# - **whole number**: the result is an `int`.

# %% exercise="5.2.A"
def count_parameters(sizes):
    """The number of weights and biases of a multilayer perceptron with these sizes."""
    ### BEGIN SOLUTION
    return sum((a + 1) * b for a, b in zip(sizes, sizes[1:]))
    ### END SOLUTION

# %% [markdown] hints="5.2.A"
# 1. Each layer has a weight for each pair of an input and an output. How many biases has it?
# 2. `zip(sizes, sizes[1:])` gives the pairs of neighbours.
# 3. A layer with 5 inputs and 2 outputs: 10 weights and 2 biases.

# %% check="5.2.A" points=1
def which_52A():
    """What a single layer of 3 inputs and 5 outputs says: 15 weights and 5 biases."""
    one = float(count_parameters([3, 5]))
    return "For a single layer, count_parameters([3, 5]), yours is right: it is the adding up over several layers that is not." if one == 20 else (
        f"A layer with 3 inputs and 5 outputs has 3 · 5 weights and 5 biases, 20 numbers; count_parameters([3, 5]) gives {one:g}.")

def test_of_52A(sizes, of):
    right = sum(torch.zeros(a + 1, b).numel() for a, b in zip(sizes, sizes[1:]))
    call, answer = f"count_parameters({sizes})", count_parameters(list(sizes))
    assert_type(answer, (int, float, torch.Tensor), f"what {call} returns", of=of)
    assert_close(float(answer), float(right), call, of=of, rtol=1e-7, hint=which_52A,
                 mistakes={"The biases are parameters, too.": float(right - sum(sizes[1:])), "The last layer has biases, too.": float(right - sizes[-1]),
                           "The inputs have no biases: a layer has one for each of its outputs.": float(right - sum(sizes[1:]) + sum(sizes[:-1])),
                           "This counts a bias for the inputs, too.": float(right + sizes[0]),
                           "Each layer takes the outputs of the one before, not the inputs of the network.": float(sum(sizes[0] * b + b for b in sizes[1:])),
                           "A layer has a bias for each of its outputs, not one in all.": float(right - sum(sizes[1:]) + len(sizes) - 1),
                           "This counts two layers, however many sizes there are.": float((sizes[0] + 1) * sizes[1] + (sizes[1] + 1) * sizes[-1]),
                           "This adds the first layer and the last: where there is one layer it is both, and counts once.":
                               float((sizes[0] + 1) * sizes[1] + (sizes[-2] + 1) * sizes[-1]),
                           "Each hidden layer has a width of its own: this takes that of the first for all of them.":
                               float(sum((a + 1) * b for a, b in zip([sizes[0], *sizes[1:2] * (len(sizes) - 2)], [*sizes[1:2] * (len(sizes) - 2), sizes[-1]]))),
                           "This is the last layer alone: add up over all layers.": float((sizes[-2] + 1) * sizes[-1]),
                           "The last layer counts, too, with its weights and biases.": float(right - (sizes[-2] + 1) * sizes[-1]),
                           "Multiply neighbours only, and add the products up.": float(math.prod(sizes) + sum(sizes[1:])),
                           "Layers of equal sizes count, too, each of them.": float(sum((a + 1) * b for a, b in set(zip(sizes, sizes[1:]))))})

test_of_52A([784, 256, 10], "one hidden layer")
test_of_52A([4, 3, 2], "one hidden layer")
test_of_52A([7, 5], "any depth")
test_of_52A([6, 5, 4, 3, 2], "any depth")
test_of_52A([5, 5, 5, 4, 3], "any depth")
assert_type(count_parameters([4, 3, 2]), int, "count_parameters([4, 3, 2])", of="whole number")
### BEGIN HIDDEN TESTS
test_of_52A([30, 11, 7], "one hidden layer")
for sizes_ in ([9, 1], [3, 8, 8, 2], [12, 5, 20, 5, 6, 3], [4, 7, 4, 7, 4]):
    test_of_52A(sizes_, "any depth")
assert_type(count_parameters([3, 8, 8, 2]), int, "the number for four sizes", of="whole number")
### END HIDDEN TESTS

# %% [markdown] teaches="twin units, random start"
# ## 2. Where to start: not with zeros
#
# A linear classifier may start with zeros. May an MLP? Look at one hidden unit, number k. It has incoming weights, column k of $\mathbf W_1$, a bias $b_k$, and
# outgoing weights, row k of $\mathbf W_2$. Let $\mathbf g_i$ be the gradient of the loss with respect to the ten scores of example i. By the chain rule the
# gradient for the incoming weights is
#
# $$\frac{\partial L}{\partial \mathbf w_k} = \sum_i \underbrace{(\mathbf g_i \cdot \mathbf v_k)}_{\text{what the scores want of unit } k}
# \; \underbrace{[z_{ik} > 0]}_{\text{slope of ReLU}} \; \mathbf x_i ,$$
#
# with $\mathbf v_k$ the outgoing weights and $z_{ik}$ the sum that enters the ReLU. Nothing in it knows the number k except through $\mathbf w_k$, $b_k$ and $\mathbf v_k$. So:
#
# - if two units start with equal weights, they get equal gradients, and stay equal for ever: **twins**, which count as one unit;
# - if all weights are 0, then $\mathbf v_k = 0$ makes this gradient 0, and $\mathbf H = 0$ makes that of $\mathbf W_2$ 0. Only $\mathbf b_2$ can move.
#
# Let us watch three starts on 500 pictures of Fashion-MNIST, with eight hidden units and 300 steps of gradient descent.

# %% tags=["demo"] teaches="random start"
import matplotlib.pyplot as plt

fashion = d2l.FashionMNIST(batch_size=256)
images_500, labels_500 = fashion.train[:500]
rows_500 = images_500.reshape(500, -1).double()            # float64, so that twins are not parted by rounding
curves_of_starts = {}
for name in ("zeros", "all 0.01", "random"):
    generator = torch.Generator().manual_seed(0)
    shapes = ((784, 8), (8,), (8, 10), (10,))
    if name == "random":
        start = [0.01 * torch.randn(shape, generator=generator) if len(shape) == 2 else torch.zeros(shape) for shape in shapes]
    else:
        start = [torch.full(shape, 0.01 if name == "all 0.01" and len(shape) == 2 else 0.0) for shape in shapes]
    parameters, curve = [p.double().requires_grad_() for p in start], []
    for step in range(300):
        V1, c1, V2, c2 = parameters
        loss = F.cross_entropy(torch.relu(rows_500 @ V1 + c1) @ V2 + c2, labels_500)
        curve.append(loss.item())
        gradients = torch.autograd.grad(loss, parameters)
        with torch.no_grad():
            for parameter, gradient in zip(parameters, gradients):
                parameter -= 0.1 * gradient
    curves_of_starts[name] = curve
    print(f"{name:9} loss {curve[0]:.3f} -> {curve[-1]:.3f}   different columns of W1: {(parameters[0].detach() * 1e4).round().unique(dim=1).shape[1]} of 8")

figure, ax = plt.subplots(figsize=(6, 2.8), layout="constrained")
for (name, curve), style in zip(curves_of_starts.items(), (":", "--", "-")):
    ax.plot(curve, style, label=name)
ax.set(xlabel="step", ylabel="loss on 500 pictures", ylim=(0, 2.5))
ax.grid(alpha=0.3)
figure.legend(loc="outside right center")
plt.show()

# %% [markdown]
# From zeros (dotted) nothing is learnt but how frequent the classes are. From equal weights (dashed) the network learns a little, and at the end its eight
# units still compute one and the same number. Random weights (solid) tell the units apart, and training drives them further. Biases may be 0: the weights have broken the symmetry.
# (From step 140 on the solid line goes up and down a little: near the bottom, steps of this length leap over it. Part 8 says more.)
#
# `t.unique(dim=1)` removes columns that occur twice, so its number of columns counts the different ones. (The cell rounds to four decimals first: sums that are added in another order differ in their last digits.)
# A unit is more than a column, though: two units with equal columns and *different biases* switch on at different places.

# %% [markdown] task="5.2.B" kind="code" minutes=4 difficulty=2 needs="twin units, concatenation"
# ### Count the twins only once
#
# Write `different_units(W1, b1)`, for a hidden layer with `W1` of shape (d, k) and `b1` of shape (k,): how many of the k units compute different functions of the input, if
# two units count as the same where their weights *and* their bias are exactly equal?
#
# **You are done when**
# - **units are columns**: equal columns with equal biases count once, also where there are three of them;
# - **biases**: units with equal weights and different biases count as two, and so do equal biases with different weights;
# - **whole number**: the result is an `int`.

# %% exercise="5.2.B"
def different_units(W1, b1):
    """The number of different pairs of a column of W1 and its bias."""
    ### BEGIN SOLUTION
    return torch.cat([W1, b1[None, :]]).unique(dim=1).shape[1]
    ### END SOLUTION

# %% [markdown] hints="5.2.B"
# 1. How can the bias of a unit become part of its column?
# 2. `torch.cat([W, b[None, :]])` puts b below W as a further row.
# 3. `torch.tensor([[1, 1, 2], [3, 3, 3]]).unique(dim=1)` has two columns.

# %% check="5.2.B" points=1
def test_of_52B(W, b, what, of, apart=False):
    """`apart`: of the equal units some do not stand side by side."""
    near = {"Units that are nearly equal are different: compare exactly.": len({tuple(round(x, 3) for x in (*c.tolist(), v.item())) for c, v in zip(W.T, b)}),
            "A multiple of a unit is another unit.": len({tuple(round(x / max(abs(v.item()), 1e-9), 7) for x in (*c.tolist(), v.item())) for c, v in zip(W.T, b)})}
    sums = {"A sum does not tell units apart: compare number by number.": len({(sum(c.tolist()), v.item()) for c, v in zip(W.T, b)}),
            "Add nothing up: a weight of 2 with a bias of 1 is another unit than a weight of 3 with a bias of 0.": len({(*c.tolist(),) for c in (W + b).T}),
            "These are the different biases alone.": len(set(b.tolist()))}
    order = {"The order of the weights within a unit counts.": len({(*sorted(c.tolist()), v.item()) for c, v in zip(W.T, b)})}
    more = order if not b.any() else sums if (b == 0).any() else near
    pairs = {(*column.tolist(), bias.item()) for column, bias in zip(W.T, b)}
    if len(b) == 7 or apart:
        units = torch.cat([W, b[None]]).T
        same = (units[:, None] == units).all(dim=2)                     # which units are equal
        more |= {"Units that occur several times count, too: once each.": int((same.sum(dim=1) == 1).sum()),
                 "Three equal units make three pairs, but only two of them are too many.": len(b) - int(same.triu(1).sum())}
    answer = different_units(W.clone(), b.clone())
    assert_type(answer, (int, float, torch.Tensor), f"different_units for {what}", of=of,
                mistakes={"One number is asked for: the shape of a table is a pair, and `shape[1]` is the number of its columns.": tuple})
    bias_sentence = "The bias belongs to the unit: equal columns with different biases are different units."
    if len(b) == 11 and answer == 8 and different_units(torch.tensor([[1., 1., 2., 2., 3.]]), torch.tensor([0., 1., 2., 3., 3.])) == 4:
        bias_sentence = ("This is the larger of two numbers, of the different columns and of the different biases: a unit is a column together with its bias, "
                         "so count the different pairs.")
    assert_equal(answer, len(pairs), f"different_units for {what}", of=of, hint="Put each bias below its column, and count the different columns.",
                 mistakes={bias_sentence: len({(*c.tolist(),) for c in W.T}),
                           "The units are the columns of W1, not its rows.": len({(*r.tolist(),) for r in W}),
                           "This is the number of all units.": len(b), "Equal units count once also where they do not stand side by side.": len(torch.cat([W, b[None]]).unique_consecutive(dim=1).T) if apart else -7,
                           "Columns and biases are not counted apart: a unit is a column with its bias below it.": len(W.unique(dim=1).T) + len(b.unique()) - 1 if len(b) == 7 or apart else -7,
                           "This is a number of rows: the units are columns.": len(W) + 1 if len(b) == 7 else -7,
                           "These are the different numbers in all columns: compare whole columns, each with its bias.": len(torch.cat([W, b[None]]).unique()) if len(b) == 7 else -7, **more})

test_of_52B(torch.tensor([[1., 1., 5., 1., 5., 1.], [5., 5., 1., 5., 1., 5.]]), torch.tensor([5., 5., 1., 5., 1., 5.]),
            "the columns (1, 5), (1, 5), (5, 1), (1, 5), (5, 1), (1, 5) and the biases 5, 5, 1, 5, 1, 5", "units are columns", apart=True)
W_52B, b_52B = torch.tensor([[1., 1., 2., 1., 1., 1., 1.], [3., 3., 7., 3., 3., 3., 3.], [0., 0., 0., 0., 5., 0., 0.]]), torch.tensor([0., 0., 2., 0., 1., 0., 0.])
test_of_52B(W_52B, b_52B, "the columns (1, 3, 0), (1, 3, 0), (2, 7, 0), (1, 3, 0), (1, 3, 5), (1, 3, 0), (1, 3, 0) and the biases 0, 0, 2, 0, 1, 0, 0", "units are columns")
test_of_52B(torch.tensor([[1., 1., 1., 4., 2., 2., 8., 7., 12., 3., 6.], [0., 0., 0., 3., 5., 5., 9., 10., 5., 14., 2.]]), torch.tensor([0., 3., 0., 0., 4., 9., 0., 0., 0., 0., 0.]),
            "the columns (1, 0), (1, 0), (1, 0), (4, 3), (2, 5), (2, 5), (8, 9), (7, 10), (12, 5), (3, 14), (6, 2) and the biases 0, 3, 0, 0, 4, 9, 0, 0, 0, 0, 0", "biases")
test_of_52B(torch.tensor([[1., 1., 2., 3., 1., 5.], [2., 2.000005, 4., 6., 2., 1.]]), torch.tensor([1., 1., 2., 3., 1., 1.]),
            "the columns (1, 2), (1, 2.000005), (2, 4), (3, 6), (1, 2), (5, 1) and the biases 1, 1, 2, 3, 1, 1", "units are columns")
test_of_52B(torch.eye(4), torch.zeros(4), "the unit matrix (4, 4) and zero biases", "biases")
assert_type(different_units(W_52B.clone(), b_52B.clone()), int, "what different_units returns for seven units", of="whole number")
### BEGIN HIDDEN TESTS
generator_52B = torch.Generator().manual_seed(52)
for d_, k_ in ((2, 9), (5, 40), (1, 6)):
    W_52B, b_52B = (torch.randint(0, 2, shape, generator=generator_52B).float() for shape in ((d_, k_), (k_,)))
    test_of_52B(W_52B, torch.zeros(k_), f"{k_} units with {d_} inputs and zero biases", "units are columns")
    test_of_52B(W_52B, b_52B, f"{k_} units with {d_} inputs", "biases")
test_of_52B(torch.tensor([[0.5, 0.5, 1.0], [-1.0, -1.00001, -2.0]]), torch.tensor([0.25, 0.25, 0.5]), "three units, the second nearly the first, the third twice the first", "units are columns")
assert_type(different_units(W_52B.clone(), b_52B.clone()), int, "what comes back for six units", of="whole number")
### END HIDDEN TESTS

# %% [markdown] teaches="forward method, parameters of a module"
# ## 3. From scratch
#
# Now as a class. `nn.Parameter(tensor)` marks a tensor as something to be trained: a module lists all such attributes in `parameters()`, and the optimizer
# asks for just that list. The method `forward` says what the model computes; `model(X)` calls it. Everything else comes from `d2l.Classifier`
# (4.3): the cross-entropy as loss, the accuracy, and stochastic gradient descent with the learning rate `lr` as optimizer.

# %% teaches="forward method, parameters of a module"
class MLPScratch(d2l.Classifier):
    def __init__(self, num_inputs, num_outputs, num_hiddens, lr, sigma=0.01):
        super().__init__()
        self.save_hyperparameters()                     # keeps the arguments: self.lr, self.sigma, ...
        self.W1 = nn.Parameter(torch.randn(num_inputs, num_hiddens) * sigma)
        self.b1 = nn.Parameter(torch.zeros(num_hiddens))
        self.W2 = nn.Parameter(torch.randn(num_hiddens, num_outputs) * sigma)
        self.b2 = nn.Parameter(torch.zeros(num_outputs))

    def forward(self, X):
        H = torch.relu(X.reshape(len(X), -1) @ self.W1 + self.b1)
        return H @ self.W2 + self.b2


for name, parameter in MLPScratch(784, 10, 256, lr=0.3).named_parameters():
    print(name, tuple(parameter.shape))

# %% [markdown]
# There is no softmax at the end, because the loss takes scores (4.5), and no ReLU: a score must be free to be negative.
#
# `d2l.Trainer` runs the loop: for each epoch, for each batch, compute the loss, take the gradient, make a step; then measure on the
# validation pictures. Beside the MLP we train softmax regression in the same way (with a smaller rate, which suits it better), five times through the 60,000 pictures each.

# %% tags=["demo"]
models = {"softmax regression": lambda: d2l.SoftmaxRegression(10, lr=0.1), "MLP, 256 hidden units": lambda: MLPScratch(784, 10, 256, lr=0.3)}
histories = {}
for name, make in models.items():
    torch.manual_seed(0)
    trainer = d2l.Trainer(max_epochs=5, verbose=False)
    trainer.fit(make(), fashion)
    histories[name] = trainer.history
    print(f"{name:22} validation accuracy after each epoch:", *(f"{value:.3f}" for value in trainer.history["val_acc"]))

figure, axes = plt.subplots(1, 2, figsize=(8, 3), layout="constrained")
for (name, history), style in zip(histories.items(), ("o--", "s-")):
    axes[0].plot(history["epoch"], history["train_loss"], style, label=name)
    axes[1].plot(history["epoch"], history["val_acc"], style)
axes[0].set(xlabel="epoch", ylabel="training loss")
axes[1].set(xlabel="epoch", ylabel="validation accuracy")
for ax in axes:
    ax.grid(alpha=0.3)
figure.legend(loc="outside lower center", ncols=2)
plt.show()

# %% [markdown]
# The hidden layer pays: 84.8 % of the validation pictures in place of 81.9 %, and the training loss (left) is lower from the second epoch on and still falling. Mind the right-hand picture, too: from one epoch to
# the next the accuracy goes up and down by a percent. So a difference of a percent between two *single* runs means nothing yet; part 6 comes back to that.

# %% [markdown] task="5.2.2a" kind="code" minutes=8 difficulty=2 core=true needs="multilayer perceptron, relu, hidden layer"
# ### Any number of layers, from scratch
#
# One hidden layer, two, twelve: the same lines again and again, so a loop. Write `mlp_forward(X, Ws, bs)`. `X` has the shape (n, ...), with as many numbers in
# each example as `Ws[0]` has rows; `Ws[i]` has shape $(d_i, d_{i+1})$, and `bs[i]` shape $(d_{i+1},)$. It returns the outputs of the multilayer perceptron.
#
# **You are done when**
# - **shape**: the outputs have shape (n, q) with q the length of the last bias, also for pictures of shape (n, 1, 2, 2) and for one example;
# - **ReLU between**: a ReLU follows each layer but the last, after the bias has been added;
# - **no ReLU at the end**: the outputs may be negative;
# - **any number of layers**: it works for a single layer and for many;
# - **arguments kept**: `X`, `Ws` and `bs` are as they were.

# %% exercise="5.2.2a"
def mlp_forward(X, Ws, bs):
    """Outputs (n, q) of a multilayer perceptron with ReLU after each layer but the last, for X of shape (n, ...)."""
    ### BEGIN SOLUTION
    H = X.reshape(len(X), -1)
    for W, b in zip(Ws[:-1], bs[:-1]):
        H = torch.relu(H @ W + b)
    return H @ Ws[-1] + bs[-1]
    ### END SOLUTION

# %% [markdown] hints="5.2.2a"
# 1. Which layers are followed by a ReLU? What would be wrong with one after the last?
# 2. `X.reshape(len(X), -1)` makes one row of each example. `Ws[:-1]` is all but the last.
# 3. Three layers, written out: `relu(relu(X @ W1 + b1) @ W2 + b2) @ W3 + b3`.

# %% check="5.2.2a" points=2
@probe
def examples_through_522a(X, Ws, bs, others):
    """The outputs; or the error with which they end where `others`, in place of X, pass through."""
    try:
        return mlp_forward(X, Ws, bs)
    except RuntimeError as error:
        mlp_forward(others, [W.clone() for W in Ws], [b.clone() for b in bs])
        return f"{type(error).__name__}: {error}"

@probe
def layers_through_522a(X, Ws, bs):
    """The outputs; or the error with which they end where the sizes of a product do not fit."""
    try:
        return mlp_forward(X, Ws, bs)
    except RuntimeError as error:
        if "cannot be multiplied" not in str(error):
            raise
        return f"{type(error).__name__}: {error}"

words_522a = "Each layer takes the result of the one before, multiplies by its weights, adds its bias; then a ReLU, but for the last."

def test_of_522a(X, Ws, bs, what, of, right, slips, hint=words_522a):
    if X.ndim > 2:
        found = examples_through_522a(X.clone(), [W.clone() for W in Ws], [b.clone() for b in bs], X.flatten(1))
        assert_true(not isinstance(found, str), f"{what}: the examples pass through the network; yours ended with {found}", of="shape",
                    hint="With the same numbers as rows, X.reshape(len(X), -1), your function works: make a row of each example first.")
    elif len(X) == 1:
        found = examples_through_522a(X.clone(), [W.clone() for W in Ws], [b.clone() for b in bs], X.repeat(2, 1))
        assert_true(not isinstance(found, str), f"{what}: the example passes through the network; yours ended with {found}", of="shape",
                    hint="With two examples your function works: keep the axis of the examples, also where it has length 1 (`squeeze()` removes it).")
    elif len(Ws) > 2:
        found = layers_through_522a(X.clone(), [W.clone() for W in Ws], [b.clone() for b in bs])
        assert_true(not isinstance(found, str), f"{what}: the rows pass through all layers; yours ended with {found}", of="any number of layers",
                    hint="With two layers your function works. With more, each layer takes the result of the one before, not X, and has weights of its own: Ws[i] follows Ws[i - 1].")
    answer = mlp_forward(X.clone(), [W.clone() for W in Ws], [b.clone() for b in bs])
    assert_type(answer, torch.Tensor, f"what mlp_forward returns for {what}", of="shape")
    stopped = tuple(answer.shape) in [(len(X), len(b)) for b in bs[:-1]]
    assert_shape(answer, tuple(right.shape), f"the shape for {what}", of="any number of layers" if stopped else "shape",
                 hint=f"This is the shape after a hidden layer: go through all {len(Ws)} layers, the last included." if stopped else "A row for each example, and a column for each number of the last bias, also where there is only one.")
    if of == "no ReLU at the end":
        assert_true(bool((answer < 0).any()), f"some outputs for {what} are negative", of=of, hint="Nothing follows the last layer, neither a ReLU nor another function that leaves no negative numbers.")
    ends = bool(torch.isclose(answer.double(), right.double().clamp(min=0), rtol=1e-4, atol=1e-5).all())
    assert_close(answer, right, f"the outputs for {what}", of="no ReLU at the end" if ends else "ReLU between" if of == "no ReLU at the end" else of, rtol=1e-4, atol=1e-5,
                 hint=hint, mistakes=slips)

@probe
def arguments_of_mlp_forward(X, Ws, bs):
    X, Ws, bs = X.clone(), [W.clone() for W in Ws], [b.clone() for b in bs]
    mlp_forward(X, Ws, bs)
    return [X, *Ws, *bs]

def whole_522a(shape, sizes, start):
    """Whole numbers from -2 to 2 in a mixed order, as X of this shape, Ws and bs."""
    mixed = iter((2.4 * torch.arange(start, start + 500.).square().sin()).round().tolist())
    def draw(*shape):
        return torch.tensor([next(mixed) for _ in range(math.prod(shape))]).reshape(shape)
    return draw(*shape), [draw(a, b) for a, b in zip(sizes, sizes[1:])], [draw(b) for b in sizes[1:]]

def known_522a(values):
    return {sentence: torch.tensor(value) for sentence, value in values.items()}

def kept_522a(X, Ws, bs, what):
    after = arguments_of_mlp_forward(X.clone(), [W.clone() for W in Ws], [b.clone() for b in bs])
    assert_close(after[0], X, f"X after mlp_forward for {what}", rtol=0., atol=0., of="arguments kept", hint="Write into no argument: work on new tensors.")
    assert_equal(len(after), 1 + len(Ws) + len(bs), f"the number of tensors in Ws and bs after the call for {what}", of="arguments kept", hint="Do not remove entries of the lists.")
    assert_close(after[1:], [*Ws, *bs], f"Ws and bs after mlp_forward for {what}", rtol=0., atol=0., of="arguments kept", hint="Write into no argument: work on new tensors.")

Ws_522a = [torch.tensor([[1., -1.], [0., 2.]]), torch.tensor([[1.], [-3.]])]
bs_522a = [torch.tensor([-1., 1.]), torch.tensor([0.5])]
X_522a = torch.tensor([[2., 1.], [-1., 0.], [1., -3.]])
test_of_522a(X_522a, Ws_522a, bs_522a, "the rows (2, 1), (-1, 0), (1, -3), W1 = [[1, -1], [0, 2]], b1 = [-1, 1], W2 = [[1], [-3]], b2 = [0.5]", "ReLU between", torch.tensor([[-1.5], [-5.5], [0.5]]), known_522a({
    "There is a ReLU after the last layer, too.": [[0.], [0.], [0.5]],
    "The ReLU between the layers is missing.": [[-1.5], [-7.5], [18.5]],
    "Add the bias before the ReLU, not after it.": [[-1.5], [-6.5], [-2.5]],
    "The biases are missing.": [[2.], [-3.], [1.]],
    "The last layer has a bias, too.": [[-2.], [-6.], [0.]],
    "There is a ReLU before the first layer, too.": [[-1.5], [-2.5], [0.5]],
    "ReLU makes a negative number 0; this takes its absolute value.": [[-1.5], [-3.5], [-17.5]],
    "ReLU makes a negative number 0, not a hundredth of it.": [[-1.5], [-5.52], [0.68]],
    "A ReLU stands between the layers here, no sigmoid.": [[-0.9621172], [-2.023188], [0.9925821]],
    "A ReLU stands between the layers here, no tanh.": [[-1.023188], [-3.35611], [3.499963]],
    "ReLU acts on the sum of product and bias: leave the bias itself as it is, also where it is negative.": [[-0.5], [-5.5], [1.5]],
    "A row holds the numbers of one example, in their order: X.reshape(len(X), -1). These rows mix the examples.": [[1.5], [-5.5], [0.5]],
    "There is no softmax at the end: the outputs are scores.": [[1.], [1.], [1.]]}),
    hint="The row (-1, 0) step by step: times W1 it is (-1, 1), with b1 (-2, 2), after the ReLU (0, 2), times W2 -6, with b2 -5.5.")
test_of_522a(*whole_522a((2, 3), (3, 4, 2), 178.), "2 rows of 3 whole numbers and the sizes 3, 4, 2", "no ReLU at the end", torch.tensor([[2., -3.], [2., 1.]]), {})
test_of_522a(*whole_522a((3, 2), (2, 3, 3, 2), 152.), "3 rows of 2 whole numbers and the sizes 2, 3, 3, 2", "any number of layers", torch.tensor([[11., -8.], [3., 0.], [1., 2.]]), known_522a({
    "There is a ReLU after the last layer, too.": [[11., 0.], [3., 0.], [1., 2.]],
    "The ReLU between the layers is missing.": [[-45., 5.], [-13., -3.], [-21., -5.]],
    "The last layer has a bias, too.": [[10., -10.], [2., -2.], [0., 0.]],
    "A ReLU follows each layer but the last, not the first alone.": [[-45., 5.], [-29., 9.], [-53., 19.]],
    "Use all layers: these are the first and the last alone.": [[19., -14.], [11., -4.], [19., -12.]],
    "There is no softmax at the end: the outputs are scores.": [[1., 5.602796e-09], [0.9525741, 0.04742587], [0.2689414, 0.7310586]]}))
test_of_522a(*whole_522a((3, 3), (3, 2, 4, 2), 1.), "3 rows of 3 whole numbers and the sizes 3, 2, 4, 2", "ReLU between",
             torch.tensor([[11., -11.], [-1., -9.], [-6., -3.]]), known_522a({
    "A hidden layer that is as wide as the output has a ReLU, too: the place counts, not the size.":
        [[11., -11.], [-13., -12.], [-30., -11.]]}))
test_of_522a(torch.arange(8.).reshape(2, 1, 2, 2) - 4, [-torch.eye(4)[:, :3]], [torch.zeros(3)], "two pictures of shape (1, 2, 2), a single layer", "any number of layers",
             torch.tensor([[4., 3., 2.], [0., -1., -2.]]), known_522a({"There is a ReLU after the last layer, too.": [[4., 3., 2.], [0., 0., 0.]], "There is a ReLU before the first layer, too.": [[0., 0., 0.], [0., -1., -2.]],
                                                                     "A row holds the numbers of one example, in their order: X.reshape(len(X), -1). These rows mix the examples.": [[4., 2., 0.], [3., 1., -1.]]}))
test_of_522a(*whole_522a((2, 3, 2), (6, 5, 4, 3, 2), 74.), "X of shape (2, 3, 2) and four layers", "any number of layers", torch.tensor([[6., -10.], [18., -38.]]), {})
test_of_522a(*whole_522a((3, 4), (4, 5, 3, 4, 5, 3, 4, 2), 62.), "3 rows of 4 whole numbers and seven layers", "any number of layers", torch.tensor([[14., -2.], [22., -2.], [2., 0.]]), {})
test_of_522a(*whole_522a((1, 3), (3, 4, 2), 76.), "a single example and two layers", "shape", torch.tensor([[2., -1.]]), {})
kept_522a(X_522a, Ws_522a, bs_522a, "two layers")
kept_522a(torch.tensor([[-1., 2.]]), [torch.eye(2)], [torch.ones(2)], "a single layer")
### BEGIN HIDDEN TESTS
def layers_of_522a(X, Ws, bs, last=False, between=True, order="bias first"):
    """The outputs by torch's own linear function, or those of a known mistake."""
    H = X.flatten(1)
    for i, (W, b) in enumerate(zip(Ws, bs)):
        bend = (between and i < (min(len(Ws) - 1, 1) if between == "first" else len(Ws) - 1)) or (last and i == len(Ws) - 1)
        H = F.linear(H, W.T, b if order == "bias first" or not bend else None)
        H = H if not bend else H.abs() if between == "abs" else H.sigmoid() if between == "sigmoid" else H.tanh() if between == "tanh" else F.leaky_relu(H) if between == "leaky" else H.clamp(min=0)
        H = H + b if bend and order != "bias first" else H
    return H

def numbers_522a(shape, sizes, seed):
    generator = torch.Generator().manual_seed(seed)
    def draw(*shape):
        return torch.randn(shape, generator=generator)
    return draw(*shape), [draw(a, b) / a ** 0.5 for a, b in zip(sizes, sizes[1:])], [draw(b) for b in sizes[1:]]

def hidden_of_522a(X, Ws, bs, what, of):
    right = layers_of_522a(X, Ws, bs)
    slips = {"There is a ReLU after the last layer, too.": layers_of_522a(X, Ws, bs, last=True),
             "The ReLU between the layers is missing.": layers_of_522a(X, Ws, bs, between=False),
             "Add the bias before the ReLU, not after it.": layers_of_522a(X, Ws, bs, order="bias last"),
             "The biases are missing.": layers_of_522a(X, Ws, [0 * b for b in bs]), "The last layer has a bias, too.": right - bs[-1],
             "There is a ReLU before the first layer, too.": layers_of_522a(X.clamp(min=0), Ws, bs),
             "ReLU makes a negative number 0; this takes its absolute value.": layers_of_522a(X, Ws, bs, between="abs"),
             "ReLU makes a negative number 0, not a hundredth of it.": layers_of_522a(X, Ws, bs, between="leaky"),
             "A ReLU stands between the layers here, no sigmoid.": layers_of_522a(X, Ws, bs, between="sigmoid"),
             "A ReLU stands between the layers here, no tanh.": layers_of_522a(X, Ws, bs, between="tanh"),
             "A ReLU follows each layer but the last, not the first alone.": layers_of_522a(X, Ws, bs, between="first"),
             "ReLU acts on the sum of product and bias: leave the bias itself as it is, also where it is negative.": layers_of_522a(X, Ws, [b.clamp(min=0) for b in bs[:-1]] + [bs[-1]]),
             "A row holds the numbers of one example, in their order: X.reshape(len(X), -1). These rows mix the examples.": layers_of_522a(X.reshape(-1, len(X)).T, Ws, bs),
             "Use all layers: these are the first and the last alone.": layers_of_522a(X, Ws[::len(Ws) - 1], bs[::len(Ws) - 1]) if len(Ws) > 2 and Ws[0].shape[1] == len(Ws[-1]) else torch.zeros(0),
             "There is no softmax at the end: the outputs are scores.": right.softmax(dim=1)}
    test_of_522a(X, Ws, bs, what, of, right, slips)

for shape_, sizes_, of_ in (((5, 4), (4, 4, 4), "ReLU between"), ((3, 2, 3), (6, 5, 2, 4), "any number of layers"), ((7, 1, 2, 4), (8, 3, 6, 2, 5), "shape"),
                            ((1, 3), (3, 2), "any number of layers"), ((4, 3), (3, 6, 5, 6, 5, 6, 5, 6, 5, 3), "any number of layers"), ((6, 5), (5, 9, 4), "no ReLU at the end")):
    hidden_of_522a(*numbers_522a(shape_, sizes_, 52), f"X of shape {shape_} and the sizes {sizes_}", of_)
kept_522a(*numbers_522a((3, 4), (4, 3, 5), 53), "X of shape (3, 4) and two layers")
### END HIDDEN TESTS

# %% [markdown] teaches="concise multilayer perceptron, registered layers"
# ## 4. With the library's layers
#
# The same network from ready parts. `nn.Flatten()` makes rows of pictures, `nn.LazyLinear(256)` is a linear layer that learns its number of inputs from the
# first batch (both: 4.5), `nn.ReLU()` is the ReLU as a layer, and `nn.Sequential` passes the data through all of them, one after the other.

# %% teaches="concise multilayer perceptron"
class MLP(d2l.Classifier):
    def __init__(self, num_outputs, num_hiddens, lr):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Flatten(), nn.LazyLinear(num_hiddens), nn.ReLU(), nn.LazyLinear(num_outputs))


concise = MLP(num_outputs=10, num_hiddens=256, lr=0.3)
print("scores for two pictures:", tuple(concise(X_two).shape))
for name, parameter in concise.named_parameters():
    print(name, tuple(parameter.shape))

# %% [markdown]
# Where is `forward`? This class has none, and yet `concise(X)` works. It is inherited: the base class `d2l.Module` has a `forward` that passes the data to `self.net`. Here are its last lines:

# %%
import inspect
print(inspect.getsource(d2l.Module.forward).rstrip().splitlines()[-1])

# %% [markdown]
# So a model is either a `net`, or a `forward` of one's own. Note also the shapes: the library keeps a weight as *(outputs, inputs)*, the transpose of ours. And
# the start differs: torch draws weights and biases evenly from a range that shrinks with the number of inputs.

# %% tags=["demo"]
torch.manual_seed(0)
concise = MLP(num_outputs=10, num_hiddens=256, lr=0.3)
trainer = d2l.Trainer(max_epochs=5, verbose=False)
trainer.fit(concise, fashion)
print("concise, validation accuracy after each epoch:", *(f"{value:.3f}" for value in trainer.history["val_acc"]))

# %% [markdown]
# After five epochs 85.4 %, against 84.8 % from scratch: the same network with other random numbers.
#
# ⚠ *Layers in a plain list are lost.* A module finds the parameters of its attributes if they are modules themselves; it does not look into a Python list.
# No error is raised: such layers compute, but the optimizer does not know them, and they stay as they were drawn.

# %% teaches="registered layers"
class Loose(nn.Module):
    def __init__(self, keep):
        super().__init__()
        self.layers = keep([nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2)])

    def forward(self, X):
        for layer in self.layers:
            X = layer(X)
        return X


for keep in (list, nn.ModuleList):
    model = Loose(keep)
    print(f"{keep.__name__:10} output {tuple(model(torch.ones(1, 4)).shape)}  parameters that an optimizer sees:", sum(p.numel() for p in model.parameters()))

# %% [markdown]
# `nn.ModuleList` is a list that registers its members, and so does `nn.Sequential`. To build one from a Python list, write a star: `nn.Sequential(*layers)`; or begin empty, `net = nn.Sequential()`, and use `net.append(layer)`.

# %% [markdown] task="5.2.C" kind="code" minutes=3 difficulty=1 core=true needs="concise multilayer perceptron"
# ### The list of layers
#
# Before you build it, say what comes after what. Write `layer_names(sizes)`: for a list of at least two sizes (inputs, hidden layers if any, outputs) it returns the
# list of the layers' names in a concise multilayer perceptron, each `"Flatten"`, `"Linear"` or `"ReLU"`.
#
# **You are done when**
# - **flatten first**: the list begins with `"Flatten"`, and has it once;
# - **linear layers**: there is a `"Linear"` for each two neighbouring sizes;
# - **ReLU between**: there is one `"ReLU"` between each two linear layers, and none after the last.

# %% exercise="5.2.C"
def layer_names(sizes):
    """The names of the layers of a concise multilayer perceptron, in order."""
    ### BEGIN SOLUTION
    return ["Flatten"] + ["Linear", "ReLU"] * (len(sizes) - 2) + ["Linear"]
    ### END SOLUTION

# %% [markdown] hints="5.2.C"
# 1. How many linear layers are there for three sizes, and how many ReLUs?
# 2. A list times a number repeats it: `["a", "b"] * 2` is `["a", "b", "a", "b"]`.
# 3. Fence posts and rails: with k posts in a row there are k - 1 rails between them.

# %% check="5.2.C" points=1
def test_of_52C(sizes):
    net = nn.Sequential(nn.Flatten(), *[layer for a, b in zip(sizes, sizes[1:]) for layer in (nn.Linear(a, b), nn.ReLU())])[:-1]
    right, call = [type(layer).__name__ for layer in net], f"layer_names({sizes})"
    answer = layer_names(list(sizes))
    assert_type(answer, (list, tuple), f"what {call} returns", of="flatten first")
    answer = list(answer)
    assert_equal(answer[:1], ["Flatten"], f"{call}: how the list begins", of="flatten first", hint='With the name "Flatten", a string.',
                 mistakes={'The names are written with capitals: "Flatten", "Linear", "ReLU".': ["flatten"], 'Each example is made a row before the first layer: "Flatten" stands first.': ["Linear"]})
    assert_equal(answer.count("Flatten"), 1, f"{call}: how often Flatten occurs", of="flatten first", hint="Each example is made a row once, before the first layer.")
    for name in answer:
        assert_type(name, str, f"{call}: an entry of the list", of="linear layers", hint="Each entry is a name, no list of names: `append` puts a list in as one entry, `+=` or `extend` its entries.")
    strange = next((name for name in answer if name not in ("Flatten", "Linear", "ReLU")), None)
    assert_true(strange is None, f'{call}: each entry is "Flatten", "Linear" or "ReLU"' + (f"; yours has {strange!r}" if strange else ""),
                of="ReLU between" if str(strange).lower() == "relu" else "flatten first" if str(strange).lower() == "flatten" else "linear layers",
                hint='A lazy layer is a linear layer, too, and its name here is "Linear".' if str(strange).lower() == "lazylinear" else "These are all the names there are, spelt with these capitals, without sizes and without `nn.`.")
    assert_equal(answer.count("Linear"), len(sizes) - 1, f"{call}: how many linear layers there are", of="linear layers",
                 mistakes={"Without a hidden layer there is one linear layer alone, from the inputs to the outputs."
                           if len(sizes) == 2 else
                           "The sizes are the numbers between the layers: there is one layer fewer.": len(sizes),
                           "The output layer is linear, too.": len(sizes) - 2})
    assert_equal(answer, right, f"{call}: the whole list", of="ReLU between",
                 mistakes={"No ReLU after the last layer: scores may be negative.": right + ["ReLU"], "Without a ReLU between them two linear layers are one.": [name for name in right if name != "ReLU"],
                           "No ReLU before the first layer, which takes the inputs as they are.": ["Flatten", "ReLU", *right[1:]],
                           "A hidden layer that is as wide as the output has a ReLU, too: the place says which layer is the last, not the size.":
                               ["Flatten"] + [name for size in sizes[1:] for name in ("Linear", "ReLU")[:1 + (size != sizes[-1])]]},
                 hint='After "Flatten" come "Linear" and "ReLU" in turn, "Linear" first and last.')

for sizes_52C in ([784, 256, 10], [4, 2], [5, 4, 4, 3], [5, 3, 4, 3]):
    test_of_52C(sizes_52C)
### BEGIN HIDDEN TESTS
for sizes_52C in ([9, 8, 7, 6, 5, 4], [3, 1], [6, 6, 6], [10, 20, 5, 2, 1]):
    test_of_52C(sizes_52C)
### END HIDDEN TESTS

# %% [markdown] task="5.2.2b" kind="code" minutes=8 difficulty=2 core=true needs="concise multilayer perceptron, registered layers, lazy layer, flatten layer"
# ### Any number of layers, with layers
#
# Write `make_mlp(sizes)`. It returns a torch module, such as `nn.Sequential`, for a list of at least two sizes: inputs, hidden layers if any, outputs.
# Lazy layers are fine: the check passes a batch of `sizes[0]` numbers in each example through the module first.
#
# **You are done when**
# - **parameters**: after a first batch, `parameters()` gives weight and bias of each linear layer, from the input on, with torch's shapes (outputs, inputs) and (outputs,), and nothing else;
# - **flattened**: each example is made a row first, whatever its shape;
# - **ReLU between**: a ReLU follows each linear layer but the last, whose outputs may be negative;
# - **new each time**: two calls give two networks, each with tensors and random numbers of its own.

# %% exercise="5.2.2b"
def make_mlp(sizes):
    """A torch module: flatten, then linear layers of the given sizes with ReLU between them."""
    ### BEGIN SOLUTION
    layers = [nn.Flatten()]
    for n, m in zip(sizes, sizes[1:]):
        layers += [nn.Linear(n, m), nn.ReLU()]
    return nn.Sequential(*layers[:-1])
    ### END SOLUTION

# %% [markdown] hints="5.2.2b"
# 1. Which layers does the list of 5.2.C have for these sizes, and which numbers do the linear ones need?
# 2. `nn.Linear(n, m)` has n inputs and m outputs. `nn.Sequential(*layers)` takes a list apart.
# 3. For [784, 64, 10]: Flatten, Linear(784, 64), ReLU, Linear(64, 10).

# %% check="5.2.2b" points=2
@probe
def kind_of_net(sizes):
    """What make_mlp returned: "module", or the name of its type."""
    made = make_mlp(sizes)
    return made if made is None else "module" if isinstance(made, torch.nn.Module) else type(made).__name__

@probe
def tensors_of_two_nets(sizes):
    """How many parameters each of two networks has."""
    return [len(list(make_mlp(sizes).parameters())) for _ in range(2)]

@probe
def shapes_of_net(sizes):
    """The shapes of the parameters after a first batch; or the error with which the batch ends where the sizes of a product do not fit."""
    net = make_mlp(sizes)
    try:
        net(torch.zeros(2, sizes[0]))
    except RuntimeError as error:
        if "cannot be multiplied" not in str(error):
            raise
        return f"{type(error).__name__}: {error}"
    return [list(p.shape) for p in net.parameters()]

@probe
def outputs_of_net(sizes, values, X):
    """The output with `values` in the place of the parameters."""
    net = make_mlp(sizes)
    try:
        net(X)
    except RuntimeError as error:
        if X.ndim == 2:
            raise
        return [f"{type(error).__name__}: {error}", ""]
    with torch.no_grad():
        for p, v in zip(net.parameters(), values):
            p.copy_(v)
        return [net(X), net(X)]

@probe
def weights_of_two_nets(sizes):
    """The first weights of two networks, and those of the second after they were set to 5 and the first network's to 7."""
    one, two = make_mlp(sizes), make_mlp(sizes)
    one(torch.zeros(2, sizes[0])), two(torch.zeros(2, sizes[0]))
    starts = [next(iter(net.parameters())).detach().clone() for net in (one, two)]
    with torch.no_grad():
        next(iter(two.parameters())).fill_(5.0)
        next(iter(one.parameters())).fill_(7.0)
    return [*starts, next(iter(two.parameters())).detach().clone()]

@probe
def weights_one_after_the_other(sizes):
    """The first weights of two networks, the first of which has seen its batch before the second is made."""
    weights = []
    for _ in range(2):
        net = make_mlp(sizes)
        net(torch.zeros(2, sizes[0]))
        weights.append(next(iter(net.parameters())).detach().clone())
    return weights

def test_of_two_522b(sizes):
    first, second, later = weights_of_two_nets(list(sizes))
    assert_close(later, torch.full((sizes[1], sizes[0]), 5.0), f"the first weight of the second of two networks by make_mlp({sizes}): it was set to 5, and after it that of the first network to 7", of="new each time", hint="Make new layers in each call.")
    assert_true(not torch.equal(first, second), f"two networks by make_mlp({sizes}) start with different random weights", of="new each time", hint="Leave the drawing to nn.Linear, and set no seed of your own.")
    assert_true(not torch.equal(*weights_one_after_the_other(list(sizes))),
                f"two networks by make_mlp({sizes}), the first of which has seen a batch before the second is made, "
                "start with different random weights", of="new each time",
                hint="Is there a seed in make_mlp? With it each network gets the same numbers, a lazy layer at its first batch.")

def by_hand_522b(X, values, last=False, between=True, without=None):
    """The outputs; `without`: the width of the hidden layers that have no ReLU."""
    H = X.flatten(1)
    bend = between if callable(between) else F.relu
    for i in range(0, len(values), 2):
        H = H @ values[i].T + values[i + 1]
        hidden = between and (between != "first" or i == 0) and len(values[i + 1]) != without
        H = bend(H) if (last if i == len(values) - 2 else hidden) else H
    return H

def test_of_522b(sizes, values, X, what):
    call = f"make_mlp({sizes})"
    kind = kind_of_net(list(sizes))
    assert_type(kind, str, f"what {call} returns", of="parameters")
    assert_equal(kind, "module", f"what {call} returns", of="parameters", hint="Return a torch module, such as nn.Sequential(*layers), not a list of layers.")
    one, two = tensors_of_two_nets(list(sizes))
    assert_true(one == two, f"{call}, called twice, gives networks with equally many parameters; yours have {one} and {two} tensors", of="new each time", hint="Begin with a new list of layers in each call. A list that is a default value, or stands outside the function, is the same one in all calls.")
    shapes, seen = shapes_of_net(list(sizes)), set()
    assert_true(not isinstance(shapes, str), f"two rows of {sizes[0]} numbers pass through the network of {call}; yours ended with {shapes}", of="parameters",
                hint="The whole batch has become one row here: nn.Flatten() makes a row of each example, and keeps the first axis." if f"1x{2 * sizes[0]} " in str(shapes) else
                "A linear layer has as many inputs as the one before it has outputs: nn.Linear(a, b) for each two neighbours a, b in `sizes`.")
    assert_equal(shapes, [list(v.shape) for v in values], f"the shapes of the parameters of {call}", of="parameters",
                 mistakes={"The module does not know these layers: put them into nn.Sequential or nn.ModuleList.": [],
                           "Each linear layer has a bias.": [list(v.shape) for v in values if v.ndim == 2], "The last layer has a bias, too.": [list(v.shape) for v in values[:-1]],
                           "Torch keeps a weight as (outputs, inputs).": [list(v.shape)[::-1] for v in values],
                           "Weight and bias of a layer stand together: not all weights first.": [list(v.shape) for v in values[::2] + values[1::2]],
                           "Two layers of equal sizes are two layers, each with numbers of its own.": [shape for W, b in zip(values[::2], values[1::2]) for shape in (list(W.shape), list(b.shape)) if W.shape not in seen and (len(shape) == 2 or not seen.add(W.shape))]},
                 hint="For each linear layer, from the input on, a weight (outputs, inputs) and a bias (outputs,), as nn.Linear has them; no other layer has parameters.")
    answer, again = outputs_of_net(list(sizes), values, X)
    right = by_hand_522b(X, values)
    assert_true(not isinstance(answer, str), f"{what} pass through the network of {call}; yours ended with {answer}", of="flattened", hint="Each picture is made a row first: begin with nn.Flatten().")
    assert_shape(answer, tuple(right.shape), f"the shape of the outputs of {call} for {what}", of="flattened", hint="Begin with nn.Flatten().")
    assert_true(torch.equal(answer, again), f"the network of {call} gives the same outputs when the same batch, {what}, passes through it twice", of="ReLU between", hint="Nothing random stands between the layers: no dropout.")
    assert_close(answer, right, f"the outputs of {call} for {what}, with other weights put in", of="flattened" if torch.allclose(answer, by_hand_522b(X.reshape(-1, len(X)).T, values), rtol=1e-4, atol=1e-5) else "ReLU between", rtol=1e-4, atol=1e-5,
                 mistakes={"There is a ReLU after the last layer, too.": by_hand_522b(X, values, last=True), "The ReLU between the layers is missing.": by_hand_522b(X, values, between=False),
                           "A ReLU belongs between the layers, not at the end.": by_hand_522b(X, values, last=True, between=False),
                           "There is a ReLU before the first layer, too.": by_hand_522b(X.clamp(min=0), values),
                           "A ReLU follows each layer but the last, not the first alone.": by_hand_522b(X, values, between="first"),
                           **{f"A hidden layer that is as wide as the {end} has a ReLU, too: the place counts, not the size.":
                              by_hand_522b(X, values, without=sizes[place])
                              for end, place in (("inputs", 0), ("output", -1)) if sizes[place] in sizes[1:-1]},
                           "A row holds the numbers of one example, in their order: nn.Flatten(). These rows mix the examples.": by_hand_522b(X.reshape(-1, len(X)).T, values),
                           **{f"A ReLU stands between the layers here, no {name}.": by_hand_522b(X, values, between=bend)
                              for name, bend in (("sigmoid", torch.sigmoid), ("tanh", torch.tanh), ("GELU", F.gelu), ("leaky ReLU", F.leaky_relu), ("absolute value", torch.abs), ("SiLU", F.silu), ("ELU", F.elu))},
                           "No softmax at the end: the loss takes scores (4.5).": right.softmax(dim=1), "The last layer gives scores, not their logarithmic softmax.": right.log_softmax(dim=1)},
                 hint="Rows, then linear layers with a ReLU between each two, and nothing else: no other activation function, no dropout, nothing that standardises.")

def numbers_522b(shape, sizes, seed):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(s, generator=generator) for a, b in zip(sizes, sizes[1:]) for s in ((b, a), (b,))], torch.randn(shape, generator=generator)

values_522b = [torch.tensor([[1., 0., 0., -1.], [0., 1., 1., 0.], [-1., -1., -1., -1.]]), torch.tensor([0., -1., 3.]),
               torch.tensor([[1., 1., 0.], [-1., 0., -2.]]), torch.tensor([0., 1.])]
test_of_522b([4, 3, 2], values_522b, torch.tensor([[3., 1., 2., 1.], [0., 0., 0., 1.]]), "the rows (3, 1, 2, 1) and (0, 0, 0, 1)")
test_of_522b([6, 5, 5, 5, 3], *numbers_522b((3, 1, 2, 3), [6, 5, 5, 5, 3], 1), "three pictures of shape (1, 2, 3)")
test_of_522b([3, 2], *numbers_522b((4, 3), [3, 2], 2), "four rows")
test_of_522b([4, 3, 5, 4, 6, 3], *numbers_522b((5, 4), [4, 3, 5, 4, 6, 3], 3), "five rows")
test_of_two_522b([4, 3, 2])
### BEGIN HIDDEN TESTS
for shape_, sizes_ in (((4, 3), [3, 2]), ((5, 2, 3), [6, 4, 7, 3]), ((3, 1, 2, 4), [8, 5, 5, 5, 2]), ((4, 5), [5, 7, 2, 5, 2])):
    test_of_522b(sizes_, *numbers_522b(shape_, sizes_, 523), f"X of shape {shape_}")
test_of_two_522b([7, 5, 5, 2])
### END HIDDEN TESTS

# %% [markdown] teaches="confusion matrix of a classifier"
# ## 5. What it gets wrong
#
# One number, 85 %, hides what is easy and what is hard. A **confusion matrix** counts: entry (i, j) says how many pictures of class i were taken for class j. The rows are the
# true classes, the columns the predictions; the diagonal holds what was right.

# %% tags=["demo"] teaches="confusion matrix of a classifier"
images_val, labels_val = fashion.val[:]
with torch.no_grad():
    scores_val = concise(images_val)
predicted = scores_val.argmax(dim=1)
confusion = torch.zeros(10, 10, dtype=torch.int64)
for true, guess in zip(labels_val.tolist(), predicted.tolist()):
    confusion[true, guess] += 1

class_names = fashion.text_labels(range(10))
figure, ax = plt.subplots(figsize=(6, 5), layout="constrained")
ax.imshow((confusion + 1).log(), cmap="Blues")          # the colours follow the logarithm, or one would see the diagonal alone
for i in range(10):
    for j in range(10):
        ax.text(j, i, confusion[i, j].item(), ha="center", va="center", fontsize=8, color="white" if confusion[i, j] > 80 else "black")
ax.set_xticks(range(10), class_names, rotation=60, ha="right")
ax.set_yticks(range(10), class_names)
ax.set(xlabel="predicted class", ylabel="true class")
plt.show()
shares = confusion.diagonal() / confusion.sum(dim=1)
print("right, class by class:", *(f"{name} {share:.3f}" for name, share in zip(class_names, shares.tolist())))

# %% [markdown]
# Trousers and ankle boots are easy, 965 and 974 of 1,000. The shirts are not: 558 of 1,000 are recognised, 166 are taken for pullovers, 129 for T-shirts, 109 for coats. Nearly all mistakes fall into two groups, clothes for the upper body and
# shoes, and almost none between the groups. And it is not symmetric: 150 coats become pullovers, 91 pullovers become coats. An accuracy of 85 % hides all that.

# %% [markdown] task="5.2.D" kind="code" minutes=4 difficulty=2 needs="confusion matrix of a classifier"
# ### The commonest mistake
#
# Write `most_confused(confusion)`, for a confusion matrix of any size, a tensor of integers with the true classes as rows. It returns a pair (true class, predicted class), two numbers: where the
# largest count *off the diagonal* stands. There is only one such place off it; a number on the diagonal may be equal to it.
#
# **You are done when**
# - **off the diagonal**: right predictions do not count as mistakes;
# - **true class first**: the pair is (row, column), two whole numbers;
# - **argument kept**: the matrix is as it was.

# %% exercise="5.2.D"
def most_confused(confusion):
    """(true class, predicted class) of the largest entry off the diagonal."""
    ### BEGIN SOLUTION
    best, where = -1, None
    for i in range(len(confusion)):
        for j in range(len(confusion)):
            if i != j and confusion[i, j] > best:
                best, where = confusion[i, j], (i, j)
    return where
    ### END SOLUTION

# %% [markdown] hints="5.2.D"
# 1. Which entries may not win, however large they are?
# 2. Two loops and an `if`; or a copy in which the diagonal loses: `confusion - 10**9 * torch.eye(len(confusion))`. In a matrix with k columns the flat index p, as `argmax()` gives it, belongs to row p // k and column p % k.
# 3. In [[9, 2], [5, 7]] the largest entry off the diagonal is the 5, in row 1 and column 0.

# %% check="5.2.D" points=1
def test_of_52D(table):
    pairs = {(i, j): count for i, row in enumerate(table) for j, count in enumerate(row) if i != j}
    right = max(pairs, key=pairs.get)
    whole = {(i, j): count for i, row in enumerate(table) for j, count in enumerate(row)}
    upper = {place: count for place, count in pairs.items() if place[0] < place[1]}
    unlike = {place: count for place, count in pairs.items() if count not in [table[i][i] for i in range(len(table))]} or pairs
    def largest_in(i):
        return max((place for place in pairs if place[0] == i), key=pairs.get)

    answer, what = most_confused(torch.tensor(table)), f"most_confused of {table}" if len(table) < 5 else f"most_confused of a matrix with {len(table)} classes"
    assert_type(answer, (tuple, list, torch.Tensor), what, of="true class first")
    assert_equal(len(answer), 2, f"the length of the answer, {what}", of="true class first",
                 hint={1: "There is one entry, not two. (`nonzero()` gives a table with a row for each place: take the two numbers of the row.)", 3: "The pair of the two classes alone, without the count."}.get(
                     len(answer), "A pair of two numbers: the row and the column."))
    for value in answer:
        assert_type(value, (int, float, torch.Tensor), f"{what}: a number of the pair", of="true class first")
    assert_true(all(float(value).is_integer() for value in answer), f"{what}: both are whole numbers", of="true class first", hint="The row of the flat index p is p // k: p / k leaves a fraction.")
    place, k = [int(value) for value in answer], len(table)
    index = list(pairs).index(right)            # where it stands once the diagonal has been taken out
    moved = "With the diagonal taken out, what stood right of it has moved one column to the left: add it again."
    on = whole.get(tuple(place)) if place[0] == place[1] else None
    assert_true(place[0] != place[1], f"{what}: the two classes differ", of="off the diagonal", hint=
                "The diagonal holds what was right, and this is its largest entry: leave it out." if on == max(whole.values()) != pairs[right] else
                moved if place == list(divmod(index, k - 1)) else
                "The largest count off the diagonal stands on the diagonal, too, and this is its place there: look for the place off the diagonal alone, row and column of one and the same entry." if on == pairs[right] else
                "The diagonal holds what was right: leave it out, and take row and column of one and the same entry.")
    assert_equal(place, list(right), what, of="true class first" if sorted(place) == sorted(right) else "off the diagonal",
                 mistakes={"The true class, the row, stands first.": list(right[::-1]), "Look below the diagonal, too.": list(max(upper, key=upper.get)),
                           "A count off the diagonal may be equal to one on it: it counts all the same.": list(max(unlike, key=unlike.get)),
                           "The largest count of all decides, not the row with the largest sum.": list(largest_in(max(range(len(table)), key=lambda i: sum(count for place, count in pairs.items() if place[0] == i)))),
                           "With the diagonal taken out a row has k - 1 entries: this place is counted with k in a row.":
                               list(divmod(index, k)),
                           moved: list(divmod(index, k - 1)),
                           "This is the smallest count.": list(min(pairs, key=pairs.get)), "Add nothing up: this is the place of the largest sum of both directions.": list(max(pairs, key=lambda place: pairs[place] + pairs[place[::-1]])),
                           "The number of columns is that of the matrix, not always 10.": list(divmod(right[0] * len(table) + right[1], 10)) if len(table) != 10 else [],
                           "Only the diagonal may lose: this takes its numbers from whole columns, as `confusion - confusion.diagonal()` does.":
                               list(max(whole, key=lambda place: whole[place] - table[place[1]][place[1]])),
                            "The largest count, not the largest share of its class.": list(max(pairs, key=lambda place: pairs[place] / max(sum(table[place[0]]), 1)))},
                 hint="The row and the column of the largest of all entries off the diagonal, however large the others are.")

test_of_52D([[5, 3, 2, 5], [6, 30, 9, 7], [2, 0, 20, 11], [2, 10, 6, 50]])
test_of_52D([[50, 7, 9, 1], [8, 40, 3, 8], [2, 11, 30, 0], [4, 0, 6, 20]])
test_of_52D([[1, 8, 0], [2, 90, 3], [5, 4, 7]])
test_of_52D([[9000, 60, 40], [3, 2, 30], [90, 20, 50000]])
test_of_52D([[0, 0], [1, 0]])
test_of_52D([[9, 1, 2, 3], [0, 9, 7, 1], [2, 3, 9, 4], [1, 5, 6, 9]])
test_of_52D([[7, 2, 4], [3, 9, 7], [0, 1, 8]])

@probe
def matrix_after(table):
    given = torch.tensor(table)
    most_confused(given)
    return given

assert_equal(matrix_after([[5, 3], [4, 6]]), torch.tensor([[5, 3], [4, 6]]), "the matrix [[5, 3], [4, 6]] after the call", of="argument kept", hint="Work on a copy: `fill_diagonal_`, and `confusion[i, j] = ...`, write into the matrix that was given.")
### BEGIN HIDDEN TESTS
generator_52D = torch.Generator().manual_seed(5)
for classes_ in (4, 5, 8, 11):
    counts_52D = torch.randperm(classes_ ** 2, generator=generator_52D).reshape(classes_, classes_)
    test_of_52D((counts_52D + 100 * torch.eye(classes_, dtype=torch.int64) * (classes_ != 5)).tolist())
for table_52D in ([[3, 7], [1, 9]], [[9, 1, 2], [3, 9, 4], [8, 5, 9]], [[2, 11, 0], [7, 10 ** 6, 900], [4, 30, 1]], [[1, 2, 0], [6, 5, 3], [4, 2, 6]], [[3, 0, 2], [1, 8, 8], [0, 2, 4]]):
    test_of_52D(table_52D)
assert_equal(matrix_after([[5, 3, 1], [4, 6, 0], [2, 7, 8]]), torch.tensor([[5, 3, 1], [4, 6, 0], [2, 7, 8]]), "a matrix with three classes after the call", of="argument kept")
### END HIDDEN TESTS

# %% [markdown] teaches="loss of each example"
# The matrix counts. To *understand* mistakes one looks at examples, and best at the worst ones: misclassified, and with a large loss, which means that the network was sure of
# something else. `F.cross_entropy(scores, y, reduction="none")` gives the loss of each example. Careful: a large loss is not yet a mistake. With three scores 0.1, 0, 0 and true class 0
# the prediction is right, and the loss is nearly log 3, since the network was not sure.

# %%
three_scores = torch.tensor([[0.1, 0.0, 0.0], [1.0, 1.1, -5.0]])
three_labels = torch.tensor([0, 0])
print("predictions", three_scores.argmax(dim=1).tolist(), " true classes", three_labels.tolist(), " losses", F.cross_entropy(three_scores, three_labels, reduction="none").tolist())
print("where are the mistakes:", (three_scores.argmax(dim=1) != three_labels).nonzero().flatten().tolist())

# %% [markdown]
# The right prediction has the larger loss of the two. `mask.nonzero().flatten()` gives the places where a mask is True, and `t.argsort(descending=True)` the order that sorts t, largest first.

# %% [markdown] task="5.2.10" kind="code" minutes=10 difficulty=2 core=true needs="loss of each example, boolean mask"
# ### The worst mistakes
#
# Write `worst_mistakes(logits, y, k)`, for scores of shape (n, q) and classes of shape (n,). A row is misclassified if its largest score is not at `y` (the scores of a row all differ, and so do the losses). It returns the row numbers of the k misclassified examples with the
# largest cross-entropy.
#
# **You are done when**
# - **mistakes only**: rows that are classified correctly do not occur, however large their loss is;
# - **worst first**: the order is that of the loss, largest first, also where scores are in the hundreds;
# - **row numbers**: the numbers are those of the rows of `logits`;
# - **at most k**: there are k of them, or all, if there are fewer mistakes than k (possibly none);
# - **tensor**: the result is an int64 tensor with one axis.

# %% exercise="5.2.10"
def worst_mistakes(logits, y, k):
    """Rows of the k misclassified examples with the largest cross-entropy: (n, q), (n,) -> (at most k,), int64."""
    ### BEGIN SOLUTION
    losses = F.cross_entropy(logits, y, reduction="none")
    wrong = (logits.argmax(dim=1) != y).nonzero().flatten()
    return wrong[losses[wrong].argsort(descending=True)][:k]
    ### END SOLUTION

# %% [markdown] hints="5.2.10"
# 1. Which rows are misclassified, and what is the loss of each? Which of the two selects, and which sorts?
# 2. `argsort` gives places within what it was given, so go back to the row numbers by indexing.
# 3. `rows = torch.tensor([4, 7, 9])` with losses 1, 3, 2: `rows[losses.argsort(descending=True)]` is 7, 9, 4.

# %% check="5.2.10" points=3
def lists_of_5210(logits, y):
    """Row numbers, worst first: the right ones, and those of known mistakes."""
    logits, n = logits.double(), len(y)
    loss = [(row.logsumexp(0) - row[label]).item() for row, label in zip(logits, y)]
    wrong = [i for i in range(n) if logits[i].argmax() != y[i]]
    by_loss = sorted(wrong, key=lambda i: -loss[i])
    everything = sorted(range(n), key=lambda i: -loss[i])
    return by_loss, everything, {
        "The smallest loss comes first here.": lambda k: by_loss[::-1][:k],
        "Sort by the loss before you take the first k.": lambda k: sorted(wrong[:k], key=lambda i: -loss[i]),
        "These are places among the misclassified, not row numbers.": lambda k: [wrong.index(i) for i in by_loss][:k],
        "These rows are not sorted by their loss.": lambda k: wrong[:k],
        "This is one row too many.": lambda k: by_loss[:k + 1],
        "Select the mistakes first, then take the k worst of them.": lambda k: [i for i in everything[:k] if i in wrong],
        "Sort by the cross-entropy, not by the largest score.": lambda k: sorted(wrong, key=lambda i: -logits[i].max().item())[:k],
        "Sort by the cross-entropy, not by the score of the true class.": lambda k: sorted(wrong, key=lambda i: logits[i, y[i]].item())[:k],
        "Sort by the cross-entropy, not by how far the true class is below the largest score.": lambda k: sorted(wrong, key=lambda i: (logits[i, y[i]] - logits[i].max()).item())[:k],
        "Sort by the loss, not by the probability of the prediction.": lambda k: sorted(wrong, key=lambda i: -logits[i].softmax(0).max().item())[:k]}

@probe
def rows_or_error_5210(logits, y, k):
    """The rows, or the text of the error with which the call ended."""
    try:
        return worst_mistakes(logits, y, k)
    except (RuntimeError, IndexError) as error:
        if not any(part_of in str(error) for part_of in ("out of range", "dimension 0", "0-d", "0-dim")):
            raise
        return f"{type(error).__name__}: {error}"

def test_of_5210(logits, y, k, what, of="row numbers", hint="Of all misclassified rows, take those with the largest cross-entropy."):
    by_loss, everything, known = lists_of_5210(logits, y)
    right = by_loss[:k]
    if len(right) < k:
        found = rows_or_error_5210(logits.clone(), y.clone(), k)
        assert_true(not isinstance(found, str), f"{what}: rows come back where there are fewer mistakes than k; yours ended with {found}", of="at most k",
                    hint="There may be fewer mistakes than k: `topk(k)`, or a loop over range(k), wants k entries; `[:k]` takes what there is." if "out of range" in str(found) else
                    "A single mistake is one row number with an axis, shape (1,): `squeeze()` removes this axis, `flatten()` and `reshape(-1)` keep it.")
    answer = worst_mistakes(logits.clone(), y.clone(), k)
    assert_type(answer, torch.Tensor, f"what worst_mistakes returns for {what}", of="tensor")
    assert_equal(len(tuple(answer.shape)), 1, f"the number of axes of the result for {what}", of="tensor", hint="The rows stand in a single axis, also where there is one or none: no column, and no number without an axis.")
    rows = answer.tolist()
    if rows == everything[:k] != right:
        assert_true(False, f"{what}: only misclassified rows occur", of="mistakes only", hint="Rows that are classified correctly do not count, whatever their loss.")
    mistakes = {sentence: made(k) for sentence, made in known.items()}
    if rows != right and sorted(rows) == sorted(right):
        of = "worst first"
    elif set(rows) - set(by_loss):
        of = "mistakes only" if not rows == mistakes["These are places among the misclassified, not row numbers."] else "row numbers"
        strange = next(row for row in rows if row not in by_loss)
        hint = (f"Row {strange} is not misclassified." if strange in everything else f"There is no row {strange}.") + " If there are fewer mistakes than k, the result is shorter."
    elif len(rows) != len(right):
        of = "at most k"
    assert_equal(rows, right, f"the rows for {what}", of=of, mistakes=mistakes, hint=hint)
    assert_dtype(answer, torch.int64, f"the dtype of the result for {what}", of="tensor", hint="Row numbers are int64, also where there are none: torch.tensor([]) without a dtype is float32.")

logits_5210 = torch.tensor([[2., 1., 0.], [0., 3., 1.], [0.1, 0., -0.1], [1., 1.1, -5.], [0.5, 0.4, 0.3], [0., 0.1, 5.]])
y_5210 = torch.tensor([0, 0, 0, 0, 2, 2])
test_of_5210(torch.tensor([[9., 0., 8.3, -40.], [13., 15., 11., 10.], [3.9, 0., 3.8, 4.], [12., 12.5, 12.4, 12.3]]), torch.tensor([2, 0, 1, 0]), 4, "four misclassified rows of four scores and k = 4", "worst first")
test_of_5210(logits_5210, y_5210, 3, "six rows of three scores, of which 1, 3 and 4 are misclassified, and k = 3", "mistakes only")
test_of_5210(logits_5210, y_5210, 2, "the same six rows and k = 2")
test_of_5210(logits_5210, y_5210, 5, "the same six rows and k = 5", "at most k")
test_of_5210(torch.eye(3) + torch.arange(3.) / 10, torch.arange(3), 2, "three rows without a mistake", "at most k")
test_of_5210(torch.eye(3) + torch.arange(3.) / 10, torch.tensor([0, 1, 1]), 2, "three rows, of which the last alone is misclassified, and k = 2", "at most k")
test_of_5210(torch.tensor([[0., 150., 1.], [300., 0., 2.], [0., 3., 200.], [400., 1., 0.]]), torch.tensor([0, 1, 0, 2]), 4, "four misclassified rows with scores up to 400 and k = 4", "worst first",
             hint="Their losses are 150, 300, 200 and 400. As probabilities all four are 0: F.cross_entropy takes the scores themselves.")
### BEGIN HIDDEN TESTS
generator_5210 = torch.Generator().manual_seed(527)
for n_, q_, k_ in ((40, 5, 7), (60, 3, 60), (9, 9, 4), (200, 4, 25)):
    logits_5210 = 3 * torch.randn(n_, q_, generator=generator_5210, dtype=torch.float64) + 4 * torch.randn(n_, 1, generator=generator_5210, dtype=torch.float64)
    test_of_5210(logits_5210, torch.randint(0, q_, (n_,), generator=generator_5210), k_, f"{n_} rows of {q_} scores and k = {k_}", "worst first")
flat_5210 = torch.randn(30, 50, generator=generator_5210) / 100          # many classes, nearly equal: large losses for right rows, too
y_5210 = torch.where(torch.arange(30) % 3 > 0, flat_5210.argmax(1), (flat_5210.argmax(1) + 1) % 50)
flat_5210 = torch.cat([flat_5210, torch.tensor([[2.0, 2.1] + [-9 - i / 99 for i in range(48)]])])
test_of_5210(flat_5210, torch.cat([y_5210, torch.tensor([0])]), 11, "31 rows of 50 scores and k = 11", "mistakes only")
test_of_5210(torch.eye(4) + torch.arange(4.) / 9, torch.arange(4), 1, "no mistakes, k = 1", "at most k")
test_of_5210(torch.tensor([[900., 0.], [0., 500.], [0., 250.], [700., 1.], [600., 0.]]), torch.tensor([1, 0, 0, 1, 0]), 3, "four misclassified rows of five, with large scores, and k = 3", "worst first")
test_of_5210(torch.eye(4) + torch.arange(4.) / 7, torch.tensor([1, 1, 2, 3]), 3, "a single mistake, k = 3")
### END HIDDEN TESTS

# %% [markdown]
# The worst mistakes of the network above. Above each picture stand its label, what the network says instead, and the probability that the network gives to that:

# %% tags=["demo"]
losses_val = F.cross_entropy(scores_val, labels_val, reduction="none")
worst = losses_val.argsort(descending=True)[:12]             # losses this large belong to mistakes
confidence, guesses = scores_val.softmax(dim=1).max(dim=1)
figure, axes = plt.subplots(2, 6, figsize=(9, 3.9), layout="constrained")
for ax, i in zip(axes.flat, worst.tolist()):
    ax.imshow(images_val[i, 0], cmap="gray_r")
    ax.set_title(f"{class_names[labels_val[i]]}?\nsays {class_names[guesses[i]]}\n{confidence[i]:.3f}", fontsize=9)
    ax.set_xticks([])
    ax.set_yticks([])
plt.show()

# %% [markdown]
# Look at them with your own eyes. Some labels look doubtful: the fifth picture, labelled a dress, could well be a T-shirt, and the first sneaker is high enough for an ankle boot. Others are honest mistakes on unusual pictures: a cap among the bags, a boot in two pieces. Before one blames the network, one looks at the labels.

# %% [markdown] teaches="configuration, experiment with several seeds, spread over seeds, width, depth"
# ## 6. How to make an experiment that means something
#
# How many hidden units? How many layers? Which learning rate? These choices are *hyperparameters*: gradient descent does not find them, so one tries. That needs a problem which trains in a moment. Here it is, *rings*: points of the plane
# in three classes, by their distance from the origin. No straight line separates them. A data set is a tuple `(X, y, X_val, y_val)`.
#
# A **configuration** is a dictionary with all choices: `"width"`, `"depth"` (the number of hidden layers, each of that width), `"lr"` and `"epochs"`. If wanted, two more keys: `"activation"`, a class of layers (`nn.ReLU` if nothing is said), and `"std"`, by which the
# weights start as normal draws with this standard deviation and the biases as 0.

# %% tags=["setup"]
def rings(n, seed, columns=2):
    """n points (n, columns), normal draws, and their classes (n,): 0, 1, 2 by the length of the first two columns."""
    X = torch.randn(n, columns, generator=torch.Generator().manual_seed(seed))
    distance = X[:, :2].norm(dim=1)
    return X, (distance > 0.8).long() + (distance > 1.5).long()


def make_net(inputs, config):
    """A network for three classes, made by the configuration; its weights are drawn from the input on."""
    net, width = nn.Sequential(), inputs
    for _ in range(config["depth"]):
        net.append(nn.Linear(width, config["width"])).append(config.get("activation", nn.ReLU)())
        width = config["width"]
    net.append(nn.Linear(width, 3))
    if "std" in config:
        for layer in net[::2]:
            nn.init.normal_(layer.weight, std=config["std"])
            nn.init.zeros_(layer.bias)
    return net


def fit(net, X, y, epochs, lr, seed, batch_size=30):
    """Trains `net` in place by stochastic gradient descent; returns the mean loss of the last epoch, nan or inf if it diverges."""
    order, parameters, mean_loss = torch.Generator().manual_seed(seed), list(net.parameters()), float("nan")
    for _ in range(epochs):
        mean_loss = 0.0
        for rows in torch.randperm(len(X), generator=order).split(batch_size):      # a new order in each epoch
            loss = F.cross_entropy(net(X[rows]), y[rows])
            gradients = torch.autograd.grad(loss, parameters)
            with torch.no_grad():
                for parameter, gradient in zip(parameters, gradients):
                    parameter -= lr * gradient
            mean_loss += loss.item() * len(rows) / len(X)
    return mean_loss


def accuracy(net, X, y):
    """The share of rows of X that `net` classifies as y says, a float."""
    with torch.no_grad():
        return (net(X).argmax(dim=1) == y).float().mean().item()


def run(config, points, seed):
    """Trains a new network on X and y, the first two of `points`; returns it and the training loss."""
    torch.manual_seed(seed)
    net = make_net(points[0].shape[1], config)
    loss = fit(net, points[0], points[1], config["epochs"], config["lr"], seed)
    return net, loss


ring_data = (*rings(300, seed=1), *rings(300, seed=2))
base_config = {"width": 32, "depth": 1, "lr": 0.3, "epochs": 20}

# %% [markdown]
# Read them from below. `run` sets the seed, makes a network, trains it with `fit`; nothing else is random, so the same configuration, data and seed give the same numbers, today and tomorrow (another processor may round otherwise, and then a point or two of 300 change sides). `fit` is the loop of 3.4 in short:
# a random order of the rows, cut into batches of 30; loss, gradients, a step for each parameter. `config.get("activation", nn.ReLU)` is the entry of that key, or `nn.ReLU` if there is none.
#
# To change one thing, copy the dictionary and replace one entry: `{**base_config, "width": 2}`. The stars put in all entries of the old one; what follows wins; `base_config` stays as it was.

# %% tags=["demo"] teaches="configuration, experiment with several seeds"
figure, axes = plt.subplots(1, 3, figsize=(9, 3.3), layout="constrained", sharey=True)
grid = torch.cartesian_prod(torch.linspace(-3, 3, 120), torch.linspace(-3, 3, 120))          # (14400, 2): points of a grid
for ax, width in zip(axes, (2, 4, 32)):
    net, loss = run({**base_config, "width": width}, ring_data, seed=0)
    with torch.no_grad():
        regions = net(grid).argmax(dim=1).reshape(120, 120)
    ax.contourf(torch.linspace(-3, 3, 120), torch.linspace(-3, 3, 120), regions.T, levels=[-0.5, 0.5, 1.5, 2.5], colors=["#bcd6ec", "#fbd9b5", "#c5e6c5"])
    for label, marker in enumerate("o^s"):
        inside = ring_data[3] == label
        ax.plot(*ring_data[2][inside].T, marker, markersize=2.5, color=f"C{label}", label=f"class {label}")
    ax.set(title=f"{width} hidden units: {accuracy(net, *ring_data[2:]):.3f}", xlim=(-3, 3), ylim=(-3, 3), aspect="equal")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
plt.show()

for width in (2, 4, 32):
    values = [accuracy(run({**base_config, "width": width}, ring_data, seed)[0], *ring_data[2:]) for seed in range(5)]
    print(f"width {width:2}, seeds 0 to 4:", *(f"{value:.3f}" for value in values), f"  mean {sum(values) / 5:.3f}, from {min(values):.3f} to {max(values):.3f}")

# %% [markdown]
# In the picture the background is what the network says, the points are the truth, and the number above is the validation accuracy. Each hidden unit switches on along one straight line. Two units leave the blue region open to the right; four close it, roughly;
# 32 lines draw the rings nearly round.
#
# Then the *same* configuration with five seeds. The accuracy of width 4 runs from 0.633 to 0.880: which random weights it starts from decides more than many a clever idea. So never compare two single runs. Compare the difference with the **spread over seeds**: width 32 is better than width 4 beyond doubt,
# for its worst run, 0.910, is above the best run of the other.

# %% [markdown] task="5.2.E" kind="code" minutes=3 difficulty=1 core=true needs="spread over seeds, experiment with several seeds"
# ### Better, worse, or open
#
# A cautious judge calls A better than B only if the *worst* run of A is above the *best* run of B. Write `compare_runs(a, b)` for two lists of accuracies, one number for each seed, not necessarily equally many. It returns `"a"`, `"b"` or `"open"`.
#
# **You are done when**
# - **a better**: it is `"a"` if every number in `a` is above every number in `b`;
# - **b better**: and `"b"` the other way round;
# - **open**: it is `"open"` if the ranges overlap or touch, wherever the means are.

# %% exercise="5.2.E"
def compare_runs(a, b):
    """"a", "b" or "open": which list lies wholly above the other."""
    ### BEGIN SOLUTION
    if min(a) > max(b):
        return "a"
    return "b" if min(b) > max(a) else "open"
    ### END SOLUTION

# %% [markdown] hints="5.2.E"
# 1. Which number of a, and which of b, decides whether all of a is above all of b?
# 2. `min(values)` and `max(values)` work on lists.
# 3. Heights 1.71, 1.80 and 1.62, 1.70: the smallest of the first is above the largest of the second.

# %% check="5.2.E" points=1
def test_of_52E(a, b, right, of, slips=None):
    """`slips`: for a wrong verdict the sentence on the mistake that gives it here."""
    call = f"compare_runs({a}, {b})"
    answer = compare_runs(list(a), list(b))
    assert_type(answer, str, f"what {call} returns", of=of)
    hint = (slips or {}).get(answer, "It is written in small letters." if answer.lower() == right else "The worst run of one against the best run of the other, whatever the means and the lengths; equal is not above, and a small difference counts.")
    assert_true(answer == right, f"{call} is {right!r}; yours is {answer!r}", of=of, hint=hint)

unasked_52E = {"open": "Every number of one list is above every number of the other: that is decided, and not open."}

def which_52E():
    """What two lists say that have the worst run of a and the best run of b of the first test, and the other runs nearer."""
    if compare_runs([0.9, 0.91, 0.905], [0.885, 0.88, 0.89]) != "a":
        return unasked_52E["open"]
    return ("compare_runs([0.9, 0.91, 0.905], [0.885, 0.88, 0.89]) gives 'a', with the same worst run of a, 0.9, and the same best run of b, 0.89. "
            "So yours lets other numbers decide, too, such as means or spreads: these two runs alone are to decide.")

swapped_52E = "The answer names the list with the higher numbers."
test_of_52E([0.9, 0.95, 0.92], [0.8, 0.85, 0.89], "a", "a better", {"open": which_52E, "b": swapped_52E})
test_of_52E([0.5, 0.4], [0.51, 0.7, 0.9], "b", "b better", {**unasked_52E, "a": swapped_52E})
test_of_52E([0.8, 0.9], [0.8, 0.9], "open", "open", {v: "The two lists are the same, and neither is better: that is \"open\"." for v in "ab"})
test_of_52E([0.1, 0.9], [0.55, 0.5], "open", "open", {"a": "The best runs of both say nothing alone: take the worst run of one and the best of the other.", "b": "Neither the means nor the worst runs of both decide: take the worst run of one and the best of the other."})
test_of_52E([0.5, 0.9, 0.89], [0.55, 0.6, 0.91], "open", "open", {"a": "The means and the middle runs do not decide: the ranges overlap.", "b": "Worst against worst and best against best is not enough: the ranges overlap."})
test_of_52E([0.6, 0.99, 0.1, 0.99, 0.6], [0.62, 0.61, 0.64], "open", "open", {
    "a": "The mean of a is above the best of b, but not every number of a is: the ranges overlap."})
test_of_52E([0.6, 0.95, 0.96], [0.7, 0.71, 0.72], "open", "open", {"a": "Not every number of a is above those of b: the ranges overlap."})
test_of_52E([0.95, 0.96, 0.6], [0.7, 0.71, 0.72], "open", "open", {"a": "All numbers of a count, not the first alone."})
test_of_52E([0.6, 0.8], [0.7, 0.5], "open", "open", {"a": "The worst of a above the worst of b, and the best above the best, is not enough: the ranges overlap."})
test_of_52E([0.6, 0.8], [0.5, 0.7], "open", "open", {"a": "Compare each number with every number of the other list, not only with the one at its place: the ranges overlap."})
test_of_52E([0.9, 0.8], [0.8, 0.7], "open", "open", {"a": "Equal is not above: the ranges touch."})
test_of_52E([0.7, 0.8], [0.8, 0.9], "open", "open", {"b": "Equal is not above: the ranges touch."})
test_of_52E([0.1, 0.9], [0.4, 0.5], "open", "open")
test_of_52E([0.4, 0.5], [0.1, 0.9], "open", "open", {v: "All of a lies within the range of b: that is an overlap, too." for v in "ab"})
small_52E = {"open": "A small difference counts, too."}
test_of_52E([0.9012, 0.9013], [0.9011, 0.9], "a", "a better", small_52E)
test_of_52E([0.9012, 0.9013], [0.9015, 0.9014], "b", "b better", small_52E)
### BEGIN HIDDEN TESTS
def hidden_52E(a, b, of):
    right = {1: "a", -1: "b"}.get((max(b) < min(a)) - (max(a) < min(b)), "open")
    answer = compare_runs(list(a), list(b))
    assert_type(answer, str, "what comes back for two other lists", of=of)
    assert_true(answer == right, f"the verdict on {a} and {b}", of=of, hint="The worst run of one against the best run of the other.")

hidden_52E([0.31, 0.305, 0.4, 0.33], [0.3, 0.1], "a better")
hidden_52E([0.2], [0.21], "b better")
hidden_52E([0.30001, 0.4], [0.3, 0.29999, 0.1], "a better")
hidden_52E([0.7, 0.70001], [0.70002], "b better")
hidden_52E([0.21], [0.2], "a better")
hidden_52E([0.6, 0.5, 0.61], [0.62, 0.64], "b better")
for pair_52E in (([0.5], [0.5]), ([0.4, 0.6], [0.45, 0.55]), ([0.9, 0.2, 0.9], [0.3]), ([0.1, 0.5], [0.5, 0.9]), ([0.55, 0.99], [0.1, 0.56]), ([0.45, 0.55], [0.6, 0.3, 0.4])):
    hidden_52E(*pair_52E, "open")
### END HIDDEN TESTS

# %% [markdown] task="5.2.1" kind="experiment" minutes=12 difficulty=2 core=true needs="configuration, width, parameters of a multilayer perceptron, training error, validation set"
# ### How wide?
#
# Write `width_sweep(widths, config, points, seed)`. `points` is `(X, y, X_val, y_val)` with any number of columns in X. For each width in the list it trains a network by `config` with this width in it (`run` does that), and measures. It returns a list of
# dictionaries with the keys `"width"`, `"parameters"` (the number of all weights and biases), `"train_acc"` and `"val_acc"` (the accuracy on X, y and on X_val, y_val after training).
#
# Then run it for 1, 2, 4, 8, 16, 32, 128 with `base_config` on `ring_data`, for three seeds, and answer in words: (1) From which width on can you not tell the widths apart? Use numbers of all three seeds. (2) How do training and validation accuracy compare at the largest width, and what does that say?
#
# **You are done when** your words answer both with numbers, and
# - **rows**: there is a row with the four keys for each width, of a network of this width, in the order of `widths`, also for one that stands there twice;
# - **parameters**: the number is right, for any depth and number of columns;
# - **training accuracy**: it is that on the training part, after the training, not rounded;
# - **validation accuracy**: it is that on the validation part, not rounded;
# - **rest of the configuration**: all other entries are those of `config`, also `"activation"` and `"std"` where it has them, and the seed is `seed`;
# - **arguments kept**: `config` and `widths` are as they were.

# %% exercise="5.2.1"
def width_sweep(widths, config, points, seed):
    """A row for each width: {"width", "parameters", "train_acc", "val_acc"}."""
    ### BEGIN SOLUTION
    X, y, X_val, y_val = points
    table = []
    for width in widths:
        net, _ = run({**config, "width": width}, points, seed)
        table.append({"width": width, "parameters": sum(p.numel() for p in net.parameters()),
                      "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return table
    ### END SOLUTION

# %% [markdown] hints="5.2.1"
# 1. What changes from row to row, and what stays?
# 2. `net, loss = run(...)`; `accuracy(net, X, y)` measures; `p.numel()` is the size of a parameter.
# 3. `{**{"size": 1, "colour": "red"}, "size": 5}` is a new dictionary with size 5 and colour red.

# %% check="5.2.1" points=3
def parameters_of_521(inputs, width, depth):
    sizes = [inputs] + [width] * depth + [3]
    return sum(a * b + b for a, b in zip(sizes, sizes[1:]))

def accuracies_of_521(config, points, seed):
    net = run(config, points, seed)[0]
    return accuracy(net, *points[:2]), accuracy(net, *points[2:])

def slips_of_521(config, points, seed, part_):
    """What known mistakes give for one accuracy (0: training, 1: validation)."""
    slips = {f"The {name} is that of `config`, not always {base_config[key]}.": accuracies_of_521({**config, key: base_config[key]}, points, seed)[part_]
             for key, name in (("depth", "depth"), ("lr", "learning rate"), ("epochs", "number of epochs")) if config[key] != base_config[key]}
    slips["The seed is `seed`, not 0."] = accuracies_of_521(config, points, 0)[part_]
    slips["The seed is the same for each row."] = accuracies_of_521(config, points, seed + 1)[part_]
    slips["This is the loss, not the accuracy."] = run(config, points, seed)[1]
    slips["This is 1 minus the loss: an accuracy is a share of right answers."] = 1 - run(config, points, seed)[1]
    slips["Train on X and y alone: this network was trained on X_val and y_val."] = accuracy(run(config, points[2:], seed)[0], *points[2 * part_:2 * part_ + 2])
    slips["This is the accuracy before training."] = accuracies_of_521({**config, "epochs": 0}, points, seed)[part_]
    right = accuracies_of_521(config, points, seed)
    slips["train_acc and val_acc are exchanged, or both are measured on the same part."] = right[1 - part_]
    slips |= {"An accuracy is a share, not a percentage.": 100 * right[part_], "This is the share of wrong answers.": 1 - right[part_]}
    slips["The points are `points`, not always ring_data."] = accuracies_of_521(config, ring_data, seed)[part_]
    both = (torch.cat(points[0::2]), torch.cat(points[1::2]), *points[2:])
    slips["Train on X and y alone: this network has seen the validation part, too."] = accuracy(run(config, both, seed)[0], *points[2 * part_:2 * part_ + 2])
    if "activation" in config:
        slips["Keep the entry \"activation\" of `config`, too."] = accuracies_of_521({key: value for key, value in config.items() if key != "activation"}, points, seed)[part_]
    if "std" in config:
        slips["Keep the entry \"std\" of `config`, too."] = accuracies_of_521({key: value for key, value in config.items() if key != "std"}, points, seed)[part_]
    return slips

def in_one_stream_521(widths, config, points, seed, part_):
    """The accuracy for the last of the widths where the seed was set once, before the first network."""
    torch.manual_seed(seed)
    for width in widths:
        net = make_net(points[0].shape[1], {**config, "width": width})
        fit(net, *points[:2], config["epochs"], config["lr"], seed)
    return accuracy(net, *points[2 * part_:2 * part_ + 2])

@probe
def width_sweep_with(name, widths, config, points, seed):
    """width_sweep with the activation function of this name in the configuration."""
    return width_sweep(widths, {**config, "activation": {"tanh": nn.Tanh, "sigmoid": nn.Sigmoid}[name]}, points, seed)

def test_of_521(widths, config, points, seed, what, rest=False, activation=None):
    table = width_sweep(list(widths), dict(config), points, seed) if activation is None else width_sweep_with(activation, list(widths), dict(config), points, seed)
    config = config if activation is None else {**config, "activation": {"tanh": nn.Tanh, "sigmoid": nn.Sigmoid}[activation]}
    assert_type(table, (list, tuple), f"what width_sweep returns for {what}", of="rows", hint="A list of rows, each a dictionary, in the order of `widths`.")
    assert_equal(len(table), len(widths), f"the number of rows for {what}", of="rows", hint="A row for each entry of the list, also where a width stands there twice.")
    for row in table:
        assert_type(row, dict, f"a row for {what}", of="rows")
        assert_equal(set(row), {"width", "parameters", "train_acc", "val_acc"}, f"the keys of a row for {what}", of="rows")
    assert_equal([row["width"] for row in table], list(widths), f"the widths of the rows for {what}", of="rows", hint="One row for each, in the order given.")
    inputs = points[0].shape[1]
    for i, (row, width) in enumerate(zip(table, widths)):
        changed = {**config, "width": width}
        right = parameters_of_521(inputs, width, config["depth"])
        of_config = "This is the number for the width that stands in `config`: the width of the row is to replace it. (In a dictionary what comes last wins.)"
        other = parameters_of_521(inputs, config["width"], config["depth"])
        depth, of_two = config["depth"], parameters_of_521(2, width, config["depth"])
        missing = {depth - 1: "here one layer alone has them", depth: "those of all of them are missing",
                   1: "those of one layer are missing"}
        slips = {f"Hidden layers have biases, too, one for each unit: {which}.": right - count * width
                 for count, which in missing.items()}
        if row["parameters"] != right and inputs != 2:
            if width_sweep([width], {**config, "epochs": 1}, ring_data, seed)[0]["parameters"] == of_two:
                slips = {"The number of inputs is that of the columns of X, not always 2.": of_two}
        another = row["parameters"] == other != right and isinstance(row["val_acc"], (float, int)) and abs(row["val_acc"] - accuracies_of_521(changed, points, seed)[1]) > 0.006
        assert_equal(row["parameters"], right, f"the number of parameters for width {width}, {what}", of="rows" if another else "parameters", hint="All weights and biases of all layers, those of the trained network.",
                     mistakes={"The biases are parameters, too.": right - config["depth"] * width - 3,
                               "These are tensors: count the numbers in them.": 2 * config["depth"] + 2,
                               "The output layer has biases, too.": right - 3, **slips,
                               **({of_config: other} if other != right else {}), "The output layer counts, too, with its weights and biases.": right - (width + 1) * 3,
                               "This is the number for depth 1. The depth is that of the argument `config`, in the network and in "
                               "a formula for its parameters: each further hidden layer has (width + 1) * width.": parameters_of_521(inputs, width, 1),
                               "The network has as many hidden layers as `config` says, and as many inputs as X has columns.": parameters_of_521(2, width, 1)})
        wanted = accuracies_of_521(changed, points, seed)
        for part_, key, of in ((1, "val_acc", "validation accuracy"), (0, "train_acc", "training accuracy")):
            assert_type(row[key], (float, int, torch.Tensor), f"{key} for width {width}, {what}", of=of)
            off = abs(float(row[key]) - wanted[part_]) > 0.006
            mistakes = slips_of_521(changed, points, seed, part_) if off else {}
            if off and i:
                mistakes["Set the seed anew for each width: this network was drawn after those of the rows before."] = in_one_stream_521(widths[:i + 1], config, points, seed, part_)
            named = [sentence for sentence, value in mistakes.items() if abs(value - float(row[key])) < 0.002]
            if off and not named and activation is None:
                again = float(width_sweep(list(widths), dict(config), points, seed)[i][key])
                assert_true(abs(again - float(row[key])) < 1e-6, f"{key} for width {width}, {what}: a second call gives the same; yours {float(row[key]):.4f} and {again:.4f}", of=of,
                            hint="Each network begins with torch.manual_seed(seed) before make_net, as `run` does: here the random numbers depend on what was drawn before.")
            assert_close(float(row[key]), wanted[part_], f"{key} for width {width}, {what}", rtol=0., atol=0.006, mistakes=mistakes,
                         of="rest of the configuration" if rest or len(named) == 1 and ("config" in named[0] or "seed" in named[0]) else of,
                         hint="A new network for each width, by `run` with this configuration, these points and this seed; measured after the training, on the part that the key names.")
            hits = float(row[key]) * len(points[2 * part_])
            if abs(hits - round(hits)) >= 0.01:
                assert_true(False, f"{key} for width {width}, {what}, is a number of right answers divided by {len(points[2 * part_])}; yours {float(row[key])}", of=of, hint="Do not round." if float(row[key]) in [round(wanted[part_], d) for d in range(6)] else "Take the share of right answers as `accuracy` gives it.")

def half_random_521(n, n_val, columns, seed):
    """Rings where half of the training labels are drawn at random."""
    X, y = rings(n, seed, columns)
    generator = torch.Generator().manual_seed(seed)
    y = torch.where(torch.rand(n, generator=generator) < 0.5, torch.randint(0, 3, (n,), generator=generator), y)
    return (X, y, *rings(n_val, seed + 1, columns))

@probe
def arguments_of_width_sweep(widths, config, points, seed):
    width_sweep(widths, config, points, seed)
    return [widths, config]

test_of_521([1, 32], base_config, ring_data, 0, "the widths 1 and 32, base_config, ring_data and seed 0")
quick_521 = {"width": 5, "depth": 2, "lr": 0.15, "epochs": 12}
test_of_521([20, 3], quick_521, half_random_521(300, 250, 3, 7), 4, "the widths 20 and 3, depth 2, rate 0.15, 12 epochs, points with 3 columns and seed 4")
with_width_521 = arguments_of_width_sweep([2, 1], dict(quick_521), tuple(ring_data), 1)
assert_equal(with_width_521[1], quick_521, "the configuration after width_sweep([2, 1], config, ring_data, 1)", of="arguments kept", hint="Make a new dictionary, {**config, ...}, for each width.")
assert_equal(with_width_521[0], [2, 1], "the list of widths after the call", of="arguments kept")
test_of_521([8], {**base_config, "lr": 0.05}, ring_data, 3, "the width 8, rate 0.05, ring_data and seed 3", rest=True)
test_of_521([8], {**base_config, "epochs": 4}, ring_data, 2, "the width 8, 4 epochs, ring_data and seed 2", rest=True)
test_of_521([6, 9, 6], {**quick_521, "depth": 1, "std": 0.7}, ring_data, 5, 'the widths 6, 9 and 6, depth 1, "std" 0.7, ring_data and seed 5', rest=True)
test_of_521([12], {**quick_521, "depth": 1}, ring_data, 4, 'the width 12, depth 1, rate 0.15, 12 epochs, "activation" nn.Tanh, ring_data and seed 4', rest=True, activation="tanh")
### BEGIN HIDDEN TESTS
hidden_521 = {"width": 9, "depth": 1, "lr": 0.2, "epochs": 9}
test_of_521([24, 2, 6], hidden_521, half_random_521(330, 260, 4, 21), 11, "three widths in mixed order, half of the training labels random")
test_of_521([7], {**hidden_521, "depth": 3, "lr": 0.5}, (*rings(200, 31), *rings(300, 32)), 8, "one width, three hidden layers", rest=True)
after_521 = arguments_of_width_sweep([4, 3], dict(hidden_521), tuple(half_random_521(60, 40, 2, 3)), 5)
assert_equal(after_521[1], hidden_521, "the configuration after a call with two widths", of="arguments kept")
assert_equal(after_521[0], [4, 3], "the list of widths after a call", of="arguments kept")
test_of_521([10], {**hidden_521, "epochs": 3}, ring_data, 6, "one width, 3 epochs", rest=True)
test_of_521([7, 7], {**hidden_521, "std": 1.1}, (*rings(210, 41), *rings(190, 42)), 3, "one width twice, with an entry std", rest=True)
test_of_521([9], {**hidden_521, "lr": 1.5}, (*rings(230, 43), *rings(170, 44)), 6, "one width, with a sigmoid in the configuration", rest=True, activation="sigmoid")
### END HIDDEN TESTS

# %% [markdown] written="5.2.1" points=3
# ### BEGIN SOLUTION
# Seeds 0, 1, 2; validation accuracy (training accuracy):
#
# | width | parameters | seed 0 | seed 1 | seed 2 |
# |---|---|---|---|---|
# | 1 | 9 | 0.413 (0.470) | 0.457 (0.450) | 0.470 (0.453) |
# | 2 | 15 | 0.570 (0.660) | 0.583 (0.647) | 0.500 (0.517) |
# | 4 | 27 | 0.770 (0.800) | 0.810 (0.913) | 0.633 (0.613) |
# | 8 | 51 | 0.847 (0.920) | 0.820 (0.910) | 0.923 (0.927) |
# | 16 | 99 | 0.907 (0.937) | 0.937 (0.937) | 0.900 (0.940) |
# | 32 | 195 | 0.920 (0.957) | 0.940 (0.943) | 0.910 (0.963) |
# | 128 | 771 | 0.930 (0.967) | 0.947 (0.950) | 0.893 (0.953) |
#
# 1. From 1 to 2, to 4, to 8 every run of the wider network is better than every run of the narrower one: these widths differ. The ranges of 8 (0.820 to 0.923), 16, 32 and 128 overlap, so by this rule they cannot be told apart, though the mean still rises from 8 to 16. After that nothing is gained: 0.923 on average with 32, 0.923 with 128.
# 2. At width 128 the training accuracy is 0.950 to 0.967, the validation accuracy 0.893 to 0.947. The gap, about 0.03, is small, though there are 771 parameters for 300 examples: more parameters than examples do not by themselves make a network overfit much.
#
# **Rubric**
# - [1] The large widths (from 8 or 16 on) cannot be told apart, shown by overlapping ranges or by the spread of three seeds, with numbers; lost by naming one best width from one seed
# - [1] The small widths are worse beyond the spread, with numbers of three seeds (as 2 against 4, or 4 against 32)
# - [1] Training against validation accuracy at the largest width with numbers, and what it says: a small gap, so little overfitting though there are more parameters than examples; also accepted: some overfitting, if the own numbers show a gap
# ### END SOLUTION

# %% [markdown]
# On Fashion-MNIST, with a sixth of the training pictures and five epochs: first the width, then further layers of 64 units.

# %% tags=["demo"]
images_10000, labels_10000 = fashion.train[:10000]

def train_on_part(hidden, lr=0.1, seed=0):
    """The validation accuracy of an MLP with these hidden layers, trained on 10,000 pictures."""
    torch.manual_seed(seed)
    net = d2l.MulMLP(10, hidden, lr).net
    net(images_10000[:1])                                  # gives the lazy layers their sizes
    fit(net, images_10000, labels_10000, epochs=5, lr=lr, seed=seed, batch_size=64)
    return accuracy(net, images_val, labels_val)

widths = [1, 4, 16, 64, 256]
of_widths = [train_on_part([width]) for width in widths]
figure, ax = plt.subplots(figsize=(5, 2.8), layout="constrained")
ax.plot(widths, of_widths, "o-")
ax.set(xlabel="hidden units", ylabel="validation accuracy", xscale="log", xticks=widths, xticklabels=widths, ylim=(0, 1))
ax.minorticks_off()
ax.grid(alpha=0.3)
plt.show()
print("widths:", dict(zip(widths, (round(value, 3) for value in of_widths))))
for hidden in ([64, 64], [64, 64, 64]):
    print(f"hidden layers {str(hidden):12} {train_on_part(hidden):.3f}")

# %% [markdown]
# The figure says the same as the rings: one unit is hopeless (0.247), 16 do nearly all of the work (0.817), and beyond that the curve is flat (0.808 and 0.811): with 10,000 pictures and five epochs, width is not what is missing. And depth? Two layers of 64 reach 0.799, three 0.739. That does not show that depth is bad: a deeper network
# is slower to get going, and five epochs at one rate, with one seed, are a test of patience, not of depth.

# %% [markdown] teaches="bottleneck, rank of the outputs"
# ## 7. A layer with a single unit
#
# With one hidden unit the network above classified a quarter of the pictures correctly. What does a layer with one unit, a *bottleneck*, do? Everything that the later layers learn of an example is one number, $h$. If the bottleneck is the *last* hidden layer, and the output layer has no bias,
# then the scores are $\mathbf O = \mathbf H \mathbf W$ with shapes $(n, 1)$ and $(1, q)$: each row of $\mathbf O$ is a multiple of the same q numbers. A matrix like that has **rank 1** (2.3).
#
# And if the bottleneck comes *earlier*? Then the example is still one number, but a later layer of 64 units can bend the line: the units switch on at 64 different places of it.
# The columns ReLU(h), ReLU(h - 1), ReLU(h - 2) for h = 0, 1, 2, 3:

# %% teaches="bottleneck, rank of the outputs"
h_four = torch.tensor([0., 1., 2., 3.])
bent = torch.relu(h_four[:, None] - torch.tensor([0., 1., 2.]))
print(bent)
print("rank:", torch.linalg.matrix_rank(bent).item(), " of the line itself:", torch.linalg.matrix_rank(h_four[:, None] * torch.tensor([[1., 2., 3.]])).item())

# %% tags=["demo"]
figure, axes = plt.subplots(1, 2, figsize=(8, 3), layout="constrained")
for ax, hidden in zip(axes, ([64, 1], [64, 1, 64])):
    generator = torch.Generator().manual_seed(6)
    ends, H = [8, *hidden, 10], torch.randn(200, 8, generator=generator)
    for a, b in zip(ends[:-1], ends[1:-1]):
        H = torch.relu(H @ (0.5 * torch.randn(a, b, generator=generator)) + 4 * torch.randn(b, generator=generator))
        if b == 1:
            single = H                                     # (200, 1): what the bottleneck says of each example
    outputs = H @ torch.randn(ends[-2], 10, generator=generator)
    order = single.flatten().argsort()
    ax.plot(single.flatten()[order], outputs[order, :5], ".-", markersize=3, linewidth=0.8)
    ax.set(title=f"hidden layers {hidden}", xlabel="what the single unit says", ylabel="five of the scores")
    ax.grid(alpha=0.3)
    print(f"hidden layers {str(hidden):12} rank of the (200, 10) scores: {torch.linalg.matrix_rank(outputs).item()}")
plt.show()

# %% [markdown]
# Five of the ten scores for 200 random inputs, over the number that the single unit says. On the left the bottleneck comes last: each score is a straight line through the origin, so all rows of scores are multiples of one row. On the right a layer of 64 units follows it: each score is a bent line of its own, and the
# ten of them need many dimensions. Still, one number decides all ten scores, in both cases.

# %% [markdown] task="5.2.3" kind="code" minutes=8 difficulty=3 needs="bottleneck, rank of the outputs, rank of a product"
# ### The rank of the scores
#
# Consider an MLP with ReLU after each hidden layer, biases in the hidden layers, but *no bias in the output layer*, and the matrix of its scores, (n, q), for n different inputs.
#
# Write `logit_rank(sizes, n)`: the largest rank that this matrix can have, over all weights, biases and inputs, for a list `sizes` of at least three sizes (inputs, hidden layers, outputs).
#
# **You are done when**
# - **last bottleneck**: with 784, 256, 1, 10 units and 2000 examples it is 1: the last hidden layer limits the rank;
# - **earlier bottlenecks**: they do not limit it, as the numbers above show;
# - **outputs and examples**: neither does the rank exceed the number of outputs or of examples;
# - **whole number**: it is an `int`.

# %% exercise="5.2.3"
def logit_rank(sizes, n):
    """The largest possible rank of the scores (n, q) of a ReLU network without output bias."""
    ### BEGIN SOLUTION
    return min(n, sizes[-2], sizes[-1])
    ### END SOLUTION

# %% [markdown] hints="5.2.3"
# 1. The scores are H @ W. Which shapes have H and W, and what do they say about the rank?
# 2. The rank of a product is at most that of each factor, and the rank of a matrix at most the smaller of its sides.
# 3. (50, 4) times (4, 9): rank at most 4.

# %% check="5.2.3" points=2
def which_523(sizes, n, answer):
    """On which of the numbers that do not matter the answer depends."""
    wide = int(logit_rank([60] * (len(sizes) - 2) + list(sizes[-2:]), n)) if len(sizes) > 3 else int(logit_rank([60, *sizes[1:]], n))
    if wide != answer:
        return ("Yours changes where the sizes before the last hidden layer do: they do not limit the largest rank. (The weights may be the best ones; random ones need not reach it.)" if len(sizes) > 3
                else "Yours changes where the number of inputs does: it does not limit the largest rank. (The weights may be the best ones; random ones need not reach it.)")
    return "The rank is bounded by the shapes of H and W in the last layer, (n, last width) and (last width, outputs), and by nothing before."

def test_of_523(sizes, n, of, right, slips):
    answer, call = logit_rank(list(sizes), n), f"logit_rank({sizes}, {n})"
    assert_type(answer, (int, float, torch.Tensor), f"what {call} returns", of=of)
    assert_equal(answer, right, call, of=of, hint=lambda: which_523(sizes, n, answer), mistakes=slips)

narrow_523, inputs_523 = "An earlier layer of few units does not limit the rank: the next layer bends the line.", "The number of inputs does not limit the rank: the hidden layer bends the line."
examples_523, outputs_523 = "There cannot be more dimensions than examples.", "There are not more dimensions than outputs."
last_523, bias_523 = "The last hidden layer limits the rank.", "Without an output bias nothing is added to the last layer's dimensions."
test_of_523([784, 256, 10], 2000, "outputs and examples", 10, {outputs_523: 256})
test_of_523([20, 8, 6], 4, "outputs and examples", 4, {examples_523: 6})
test_of_523([784, 256, 1, 10], 2000, "last bottleneck", 1, {last_523: 10, bias_523: 2})
test_of_523([20, 8, 3, 6], 50, "last bottleneck", 3, {"The last hidden layer limits the rank, also where it has more than one unit.": 6, bias_523: 4})
test_of_523([20, 1, 8, 6], 50, "earlier bottlenecks", 6, {narrow_523: 1, outputs_523: 8})
test_of_523([20, 1, 1, 9, 30], 40, "earlier bottlenecks", 9, {narrow_523: 1, last_523: 30, bias_523: 10})
test_of_523([2, 7, 5], 40, "earlier bottlenecks", 5, {inputs_523: 2, outputs_523: 7})
assert_type(logit_rank([784, 256, 10], 2000), int, "logit_rank([784, 256, 10], 2000)", of="whole number")
### BEGIN HIDDEN TESTS
def rank_of_witness_523(sizes, n):
    """The rank for inputs on a line: all hidden layers but the last pass it on, the last bends it."""
    t = torch.arange(n, dtype=torch.float64) + 1
    places = torch.arange(sizes[-2], dtype=torch.float64) * max(n - 1, 1) / sizes[-2]
    H = (t[:, None] - places[None, :]).relu()
    W = torch.randn(sizes[-2], sizes[-1], generator=torch.Generator().manual_seed(524), dtype=torch.float64)
    return torch.linalg.matrix_rank(H @ W).item()

def hidden_of_523(sizes, n, of):
    slips = {"The number of inputs does not limit the rank: the hidden layer bends the line." if len(sizes) == 3 else "An earlier layer of few units does not limit the rank: the next layer bends the line.": min(n, *sizes), **({"The number of inputs does not limit the rank: the next layer bends the line.": min(n, sizes[0], *sizes[-2:])} if len(sizes) > 3 else {}),
             "There cannot be more dimensions than examples.": min(sizes[-2:]),
             "The last hidden layer limits the rank.": min(n, sizes[-1]), "There are not more dimensions than outputs.": min(n, sizes[-2]),
             "Without an output bias nothing is added to the last layer's dimensions.": min(n, sizes[-2] + 1, sizes[-1])}
    test_of_523(sizes, n, of, rank_of_witness_523(sizes, n), slips)

for sizes_, n_, of_ in (([20, 5, 1, 1, 4], 9, "last bottleneck"), ([2, 1, 3, 9], 40, "earlier bottlenecks"), ([1, 7, 5], 30, "earlier bottlenecks"), ([3, 30, 4], 40, "outputs and examples"),
                        ([5, 12, 11], 7, "outputs and examples"), ([9, 4, 20], 300, "last bottleneck")):
    hidden_of_523(sizes_, n_, of_)
assert_type(logit_rank([9, 4, 20], 300), int, "the rank for three sizes", of="whole number")
### END HIDDEN TESTS

# %% [markdown] teaches="learning rate of an mlp, diverged run"
# ## 8. The learning rate
#
# Of all choices this one matters most. It is tried by *factors* (0.01, 0.1, 1), for a rate of 0.02 is nearly 0.01, while 0.0001 is not. And it is the choice with which a run can fail altogether:
# a step too long leads where the loss is higher, the next gradient is larger, the next step longer still. At the end stands `inf` or `nan` (not a number). `math.isfinite(x)` is False for both.

# %% teaches="diverged run"
for rate in (0.01, 0.3, 1e4):
    net, loss = run({**base_config, "lr": rate}, ring_data, seed=0)
    print(f"rate {rate:8}: training loss {loss:.3f}, finite: {math.isfinite(loss)}, validation accuracy {accuracy(net, *ring_data[2:]):.3f}")
print("share of class 0 among the validation points:", round((ring_data[3] == 0).float().mean().item(), 3))

# %% [markdown]
# Mind the last line: the run with 10,000 has diverged, all its scores are `nan`, and yet it has an accuracy. `argmax` of a row of `nan` is 0, so every point is put into class 0. An accuracy alone does not show that a run is broken.

# %% [markdown] task="5.2.4" kind="experiment" minutes=15 difficulty=2 core=true needs="configuration, experiment with several seeds, spread over seeds, diverged run, learning rate of an mlp"
# ### Sweep the learning rate
#
# Write `lr_sweep(rates, config, points, seeds)`. For each learning rate in the list and each seed in the list it trains a network by `config` with this rate in it. It returns a list of dictionaries, one for each rate, with the keys `"lr"`; `"mean"`, `"low"` and `"high"`, the mean, smallest and largest
# validation accuracy over the seeds; and `"diverged"`, the number of seeds whose training loss is `nan` or `inf`. Runs that diverge count in the accuracies like all others.
#
# Then run it for 0.001, 0.01, 0.1, 0.3, 1, 3, 10 and 100 with `base_config`, `ring_data` and the seeds 0 to 4, and report in words: (1) the best rate, with its numbers beside two others; (2) what happens on either side, and why; (3) how sure you are of the order of the best two.
#
# **You are done when** your words have all three points, and
# - **rows**: there is a row with the five keys for each rate, in the order of `rates`;
# - **mean**: it is the mean of the validation accuracies of all seeds, runs that diverge included, not rounded;
# - **low and high**: they are the smallest and the largest of them;
# - **diverged**: runs that end with `nan` or `inf` are counted;
# - **rest of the configuration**: all other entries are those of `config`, also `"activation"` and `"std"` where it has them, and it stays as it was.

# %% exercise="5.2.4"
def lr_sweep(rates, config, points, seeds):
    """A row for each learning rate: {"lr", "mean", "low", "high", "diverged"}."""
    ### BEGIN SOLUTION
    table = []
    for lr in rates:
        values, diverged = [], 0
        for seed in seeds:
            net, loss = run({**config, "lr": lr}, points, seed)
            values.append(accuracy(net, *points[2:]))
            diverged += not math.isfinite(loss)
        table.append({"lr": lr, "mean": sum(values) / len(values), "low": min(values), "high": max(values), "diverged": diverged})
    return table
    ### END SOLUTION

# %% [markdown] hints="5.2.4"
# 1. How many networks are trained for 3 rates and 5 seeds? Which loop is inside?
# 2. Collect the accuracies of one rate in a list; then `sum(values) / len(values)`, `min(values)`, `max(values)`.
# 3. Adding a bool counts: `sum(x > 2 for x in (1, 3, 5))` is 2.

# %% check="5.2.4" points=3
def runs_of_524(lr, config, points, seeds):
    made = [run({**config, "lr": lr}, points, seed) for seed in seeds]
    return [accuracy(net, *points[2:]) for net, _ in made], [loss for _, loss in made], [accuracy(net, *points[:2]) for net, _ in made]

def trained_on_524(lr, config, points, seeds):
    """The accuracies of a single network that is trained on from seed to seed."""
    torch.manual_seed(seeds[0])
    net, values = make_net(points[0].shape[1], config), []
    for seed in seeds:
        fit(net, *points[:2], config["epochs"], lr, seed)
        values.append(accuracy(net, *points[2:]))
    return values

def slips_of_524(lr, config, points, seeds):
    """The accuracies that known mistakes give, each with its sentence and the requirement that it breaks."""
    slips = {f"The {name} is that of `config`, not always {base_config[key]}.": runs_of_524(lr, {**config, key: base_config[key]}, points, seeds)[0]
             for key, name in (("width", "width"), ("depth", "depth"), ("epochs", "number of epochs")) if config[key] != base_config[key]}
    slips["The learning rate of each row is its own, not that of `config`."] = runs_of_524(config["lr"], config, points, seeds)[0]
    slips["These are accuracies on the training part."] = runs_of_524(lr, config, points, seeds)[2]
    if "activation" in config:
        slips["Keep the entry \"activation\" of `config`, too."] = runs_of_524(lr, {key: value for key, value in config.items() if key != "activation"}, points, seeds)[0]
    if "std" in config:
        slips["Keep the entry \"std\" of `config`, too."] = runs_of_524(lr, {key: value for key, value in config.items() if key != "std"}, points, seeds)[0]
    if len(seeds) > 1:
        slips["Make a new network for each seed: this is one network that is trained on from seed to seed."] = trained_on_524(lr, config, points, seeds)
        slips["Use all seeds: this is the first alone."] = runs_of_524(lr, config, points, seeds[:1])[0]
        slips["Use all seeds: this is the last alone."] = runs_of_524(lr, config, points, seeds[-1:])[0]
    if list(seeds) != list(range(len(seeds))):
        slips["The seeds are those of the list, not 0, 1, 2, ..."] = runs_of_524(lr, config, points, range(len(seeds)))[0]
    return slips

@probe
def lr_sweep_with(name, rates, config, points, seeds):
    """lr_sweep with the activation function of this name in the configuration."""
    return lr_sweep(rates, {**config, "activation": {"tanh": nn.Tanh, "sigmoid": nn.Sigmoid}[name]}, points, seeds)

def test_of_524(rates, config, points, seeds, what, activation=None):
    table = lr_sweep(list(rates), dict(config), points, list(seeds)) if activation is None else lr_sweep_with(activation, list(rates), dict(config), points, list(seeds))
    config = config if activation is None else {**config, "activation": {"tanh": nn.Tanh, "sigmoid": nn.Sigmoid}[activation]}
    anew, earlier, broken_earlier = "Begin anew for each rate: this counts the runs of the rates before, too.", [], 0
    assert_type(table, (list, tuple), f"what lr_sweep returns for {what}", of="rows", hint="A list of rows, each a dictionary, in the order of `rates`.")
    assert_equal(len(table), len(rates), f"the number of rows for {what}", of="rows", hint="One row for each rate, runs that diverge included.")
    for row in table:
        assert_type(row, dict, f"a row for {what}", of="rows")
        assert_equal(set(row), {"lr", "mean", "low", "high", "diverged"}, f"the keys of a row for {what}", of="rows")
    assert_equal([row["lr"] for row in table], list(rates), f"the rates of the rows for {what}", of="rows", hint="In the order given.")
    for row, lr in zip(table, rates):
        values, losses, _ = runs_of_524(lr, config, points, seeds)
        ended = [math.isfinite(loss) for loss in losses]
        for key in ("mean", "low", "high"):
            assert_type(row[key], (float, int, torch.Tensor), f"{key} for rate {lr}, {what}", of="mean" if key == "mean" else "low and high")
        if lr < 3 or all(math.isnan(loss) for loss in losses):          # all nan: each accuracy is the share of class 0, on every machine
            wanted = {"mean": sum(values) / len(values), "low": min(values), "high": max(values)}
            off = any(not abs(float(row[key]) - wanted[key]) <= 0.006 for key in wanted)
            slips = slips_of_524(lr, config, points, seeds) if off else {}
            for key, summary in (("mean", lambda v: sum(v) / len(v)), ("low", min), ("high", max)):
                mistakes = {sentence: summary(v) for sentence, v in slips.items()} | ({anew: summary(earlier + values)} if earlier else {})
                if any(ended) and not all(ended):
                    mistakes |= {"Runs that diverge count like all others: here they are left out.":
                                 summary([value for value, good in zip(values, ended) if good]),
                                 "The network of a run that diverged has an accuracy like all others: do not put 0 in its place.":
                                 summary([value * good for value, good in zip(values, ended)])}
                named = [sentence for sentence, value in mistakes.items() if abs(value - float(row[key])) < 0.002]
                of = "rest of the configuration" if len(named) == 1 and ("`config`, not always" in named[0] or "Keep the entry" in named[0]) else "mean" if key == "mean" else "low and high"
                if off and not named and activation is None and lr < 3:
                    again = lr_sweep(list(rates), dict(config), points, list(seeds))[list(rates).index(lr)]
                    assert_true(all(abs(float(again[k]) - float(row[k])) < 1e-6 for k in wanted), f"the row of rate {lr}, {what}: a second call gives the same numbers; yours have the mean {float(row['mean']):.4f} and {float(again['mean']):.4f}", of=of,
                                hint="Each network begins with its seed, torch.manual_seed(seed) before make_net, as `run` does: here the random numbers depend on what was drawn before.")
                if key != "mean":
                    mistakes |= {"This is the mean.": wanted["mean"], "low is the smallest and high the largest accuracy.": wanted["high" if key == "low" else "low"]}
                else:
                    mistakes |= {"An accuracy is a share, not a percentage.": 100 * wanted["mean"], "This is the middle one of the sorted values, not the mean.": sorted(values)[len(values) // 2], "This is the largest one, not the mean.": max(values), "This is the middle between the smallest and the largest, not the mean.": (min(values) + max(values)) / 2,
                                 "Divide the sum by the number of seeds.": sum(values)}
                assert_close(float(row[key]), wanted[key], f"{key} for rate {lr}, {what}", rtol=0., atol=0.006, mistakes=mistakes, of=of,
                             hint="A new network for each rate and each seed, by `run` with this configuration; validation accuracies, over all seeds." if lr < 3 else
                             "All these runs diverge, and count like all others: take the accuracy of their networks as it is.")
                hits = float(row[key]) * len(points[3]) * (len(seeds) if key == "mean" else 1)
                if abs(hits - round(hits)) >= 0.02:
                    assert_true(False, f"{key} for rate {lr}, {what}, is a number of right answers divided by that of all; yours {float(row[key])}", of=of,
                                hint="Do not round." if float(row[key]) in [round(wanted[key], d) for d in range(6)] else "Take the accuracies as they are, and their mean." if key == "mean" else "low and high are accuracies of single runs: `min` and `max` of the list.")
        broken = sum(not math.isfinite(loss) for loss in losses)
        assert_type(row["diverged"], (int, float, bool, torch.Tensor), f"diverged for rate {lr}, {what}", of="diverged", hint="It is a number: how many of the runs diverged.",
                    mistakes={"It is a number: how many of the runs diverged, not a list of them. `len` counts the entries of a list.": (list, tuple)})
        assert_equal(int(row["diverged"]) if isinstance(row["diverged"], (int, float, torch.Tensor)) else row["diverged"], broken, f"diverged for rate {lr}, {what}", of="diverged", hint="Count the seeds whose training loss is nan or inf." if broken else "All these losses are finite: no run has diverged, however large its loss or low its accuracy.",
                     mistakes={"inf is divergence, too, not nan alone.": sum(math.isnan(loss) for loss in losses),
                               "nan is divergence, too (and it is neither larger nor smaller than any number).": sum(math.isinf(loss) for loss in losses), "This says whether a run diverged: count how many did.": 1,
                               **({anew: broken + broken_earlier} if broken_earlier else {})} if broken else {anew: broken_earlier} if broken_earlier else {})
        earlier, broken_earlier = earlier + values, broken_earlier + broken

@probe
def config_after_lr_sweep(rates, config, points, seeds):
    lr_sweep(rates, config, points, seeds)
    return config

def one_far_out_524(n, n_val, seed):
    """Rings with one training point so far out that some networks diverge at it; others have no hidden unit that sees it."""
    X, y = rings(n, seed)
    X[0] = torch.tensor([1e30, 0.])
    return (X, y, *rings(n_val, seed + 1))

few_524, quick_524 = (*rings(20, 3), *rings(60, 4)), {"width": 6, "depth": 2, "lr": 0.1, "epochs": 10}
test_of_524([0.1, 0.001], base_config, ring_data, [4, 0, 3, 1, 2], "the rates 0.1 and 0.001, base_config, ring_data and the seeds 4, 0, 3, 1, 2")
test_of_524([1e20, 0.4, 0.05], quick_524, (*rings(300, 5, 3), *rings(250, 6, 3)), [7, 3, 5, 8], "the rates 1e20, 0.4 and 0.05, width 6, depth 2, 10 epochs, points with 3 columns and the seeds 7, 3, 5, 8")
test_of_524([1e20], {"width": 4, "depth": 1, "lr": 0.1, "epochs": 2}, few_524, [0, 1, 2, 5], "the rate 1e20 and the seeds 0, 1, 2, 5, width 4, 2 epochs, 20 points")
test_of_524([0.3], {**quick_524, "depth": 1, "std": 1.2}, ring_data, [2, 5, 9], 'the rate 0.3, width 6, depth 1, 10 epochs, "std" 1.2, ring_data and the seeds 2, 5, 9')
test_of_524([0.3], {**quick_524, "depth": 1}, ring_data, [3, 6], 'the rate 0.3, width 6, depth 1, 10 epochs, "activation" nn.Tanh, ring_data and the seeds 3, 6', activation="tanh")
test_of_524([0.3], {"width": 1, "depth": 1, "lr": 0.1, "epochs": 6}, one_far_out_524(120, 250, 7), [13, 5, 3, 7],
            "the rate 0.3 and the seeds 13, 5, 3, 7, width 1, 6 epochs, 120 points, one so far out that two of the runs diverge")
assert_equal(config_after_lr_sweep([0.2, 0.5], dict(quick_524), tuple(few_524), [1]), quick_524, "the configuration after lr_sweep([0.2, 0.5], config, points, [1])", of="rest of the configuration",
             hint="Make a new dictionary, {**config, ...}, for each rate.")
### BEGIN HIDDEN TESTS
hidden_524 = {"width": 11, "depth": 1, "lr": 0.9, "epochs": 7}
test_of_524([0.5, 1e25, 0.02], hidden_524, (*rings(270, 13, 4), *rings(240, 14, 4)), [9, 4, 12], "three rates in mixed order, a diverging one between")
test_of_524([0.2], {**hidden_524, "depth": 3, "epochs": 15}, (*rings(200, 15), *rings(300, 16)), [21, 6], "one rate, three hidden layers")
test_of_524([1e20], {"width": 5, "depth": 1, "lr": 0.1, "epochs": 2}, few_524, [2, 4, 5, 6, 7], "a rate so large that some losses are infinite")
test_of_524([0.2], {"width": 1, "depth": 1, "lr": 0.5, "epochs": 5}, one_far_out_524(150, 230, 27), [4, 13, 3],
            "one rate, at which some of the runs diverge")
test_of_524([0.4], {**hidden_524, "std": 0.8}, (*rings(220, 17), *rings(230, 18)), [1, 8], "one rate, with an entry std")
test_of_524([2.0], hidden_524, (*rings(220, 19), *rings(230, 20)), [4, 7], "one rate, with a sigmoid in the configuration", activation="sigmoid")
assert_equal(config_after_lr_sweep([0.3], dict(hidden_524), tuple(few_524), [1, 2]), hidden_524, "the configuration after a call with two seeds", of="rest of the configuration")
### END HIDDEN TESTS

# %% [markdown] written="5.2.4" points=3
# ### BEGIN SOLUTION
# Five seeds:
#
# | rate | mean | low | high | diverged |
# |---|---|---|---|---|
# | 0.001 | 0.353 | 0.280 | 0.400 | 0 |
# | 0.01 | 0.427 | 0.397 | 0.453 | 0 |
# | 0.1 | 0.821 | 0.800 | 0.857 | 0 |
# | 0.3 | 0.929 | 0.910 | 0.940 | 0 |
# | 1 | 0.908 | 0.873 | 0.947 | 0 |
# | 3 | 0.875 | 0.820 | 0.917 | 0 |
# | 10 | 0.361 | 0.307 | 0.457 | 0 |
# | 100 | 0.315 | 0.263 | 0.390 | 1 |
#
# 1. The best mean has 0.3, with 0.929; 0.1 has 0.821 and 10 has 0.361.
# 2. At 0.01 and below the steps are too small for 20 epochs: these runs are unfinished, not wrong, and their loss has hardly left log 3 = 1.10. At 10 and 100 the steps overshoot: the loss ends above its start (about 2 at 10, about 28 at 100), one run of five ends with nan, and the accuracy is that of guessing. From 1 to 3 the network learns, but is thrown about by each batch.
# 3. The ranges of 0.3 (0.910 to 0.940) and of 1 (0.873 to 0.947) overlap, so their order is open; 0.3 has the smaller spread. That 0.3 beats 0.1 is sure: its worst run is above the best run of the other.
#
# **Rubric**
# - [1] Names the best rate, with mean or range of it and of two others from the own table; also accepted: a range of rates that cannot be told apart; lost by a rate without numbers.
# - [1] Too small: unfinished after these epochs; too large: overshoots, falls back to guessing, loss above the start or nan; also accepted: oscillation; lost by "a small rate is always better, it only takes longer" without the limit of epochs.
# - [1] The spread over the seeds compared with the difference of the best two; also accepted: more seeds, or the standard deviation; lost by ranking neighbours from one run.
# ### END SOLUTION

# %% [markdown]
# The picture, with a band from the lowest to the highest of three seeds. The horizontal axis is logarithmic: equal steps are equal factors.

# %% tags=["demo"]
rates_shown = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]
bands = torch.tensor([[accuracy(run({**base_config, "lr": rate}, ring_data, seed)[0], *ring_data[2:]) for seed in range(3)] for rate in rates_shown])
figure, ax = plt.subplots(figsize=(6, 2.9), layout="constrained")
ax.fill_between(rates_shown, bands.min(dim=1).values, bands.max(dim=1).values, alpha=0.3, label="lowest to highest")
ax.plot(rates_shown, bands.mean(dim=1), "o-", label="mean of three seeds")
ax.set(xlabel="learning rate", ylabel="validation accuracy", xscale="log", ylim=(0.2, 1))
ax.grid(alpha=0.3)
figure.legend(loc="outside right center")
plt.show()

# %% [markdown]
# What to see: a wide hill with steep sides. On top, from 0.3 to 3, the band is as wide as the differences are: three seeds cannot rank these rates. On the left the runs are unfinished, on the right they are thrown about, and at 10 they are as good as guessing.

# %% [markdown] teaches="activation function, fair comparison"
# ## 9. The activation function
#
# ReLU is not the only bend. The sigmoid $1/(1+e^{-z})$ runs smoothly from 0 to 1, the hyperbolic tangent tanh from -1 to 1, and the identity does not bend at all. As layers they are `nn.ReLU`, `nn.Sigmoid`, `nn.Tanh`, `nn.Identity`; here `"activation"` in a configuration is such a class.
# Which one is best? The obvious experiment puts in one after the other, at the rate 0.3:

# %% teaches="activation function"
layer_classes = {"relu": nn.ReLU, "tanh": nn.Tanh, "sigmoid": nn.Sigmoid, "identity": nn.Identity}

# %% tags=["demo"] teaches="fair comparison"
rates_shown = [0.03, 0.1, 0.3, 1, 3, 10]
figure, ax = plt.subplots(figsize=(6.5, 3), layout="constrained")
for (name, layer_class), style in zip(layer_classes.items(), ("o-", "s--", "^-.", "x:")):
    values = [accuracy(run({**base_config, "activation": layer_class, "lr": rate}, ring_data, 0)[0], *ring_data[2:]) for rate in rates_shown]
    ax.plot(rates_shown, values, style, label=name)
    print(f"{name:9} at 0.3: {values[2]:.3f}   best of all rates: {max(values):.3f}")
ax.set(xlabel="learning rate", ylabel="validation accuracy", xscale="log", ylim=(0.2, 1))
ax.grid(alpha=0.3)
figure.legend(loc="outside right center")
plt.show()

# %% [markdown]
# At the rate 0.3 the sigmoid looks poor, 0.500, hardly better than the identity. But its slope is at most 1/4, so its gradients are small; with the rate 3 it reaches 0.837. ReLU at 3 looks past its best, which one seed alone does not show (part 8). The identity stays below 0.45 at *every* rate, for straight lines cannot part rings: here the comparison says something about the function and not about the rate.
#
# So a comparison at one learning rate is unfair: it was chosen for one of the candidates. A **fair comparison** gives each candidate the same effort of tuning. Two things that help in writing one: `values.index(max(values))` is the place of the first largest value; and
# `raise ValueError(f"unknown: {name!r}")` ends a function with an error whose message holds the name.

# %% [markdown] task="5.2.8" kind="code" minutes=12 difficulty=2 needs="fair comparison, activation function, configuration"
# ### A fair comparison
#
# Write `best_rates(names, rates, config, points, seed)`. `names` is a list of some of `"relu"`, `"sigmoid"`, `"tanh"`, `"identity"`, and `rates` a list of learning rates. For each name it trains a network by `config` with this activation function, with each of the rates. It returns a dictionary from the name to
# a dictionary with `"lr"`, the rate with the highest validation accuracy (the first in `rates`, where several are equal), and `"val_acc"`, that accuracy.
#
# **You are done when**
# - **names**: the result has one entry for each name, with the two keys;
# - **activation**: each network has the function of its name after every hidden layer, in place of any that stands in `config`;
# - **best rate**: `"lr"` is the rate with the highest validation accuracy;
# - **accuracy**: `"val_acc"` is the validation accuracy with it, not rounded;
# - **equal accuracies**: of rates that do equally well the first in `rates` is returned;
# - **rest of the configuration**: all other entries of `config` and the seed are used as given, also `"std"` where it is given;
# - **unknown name**: any other name raises a `ValueError` whose message holds the name.

# %% exercise="5.2.8"
def best_rates(names, rates, config, points, seed):
    """{name: {"lr": best rate, "val_acc": its accuracy}}. Errors: ValueError for an unknown name."""
    ### BEGIN SOLUTION
    known = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    result = {}
    for name in names:
        if name not in known:
            raise ValueError(f"unknown activation function {name!r}; known are {', '.join(known)}")
        values = []
        for rate in rates:
            net, _ = run({**config, "activation": known[name], "lr": rate}, points, seed)
            values.append(accuracy(net, points[2], points[3]))
        best = values.index(max(values))
        result[name] = {"lr": rates[best], "val_acc": values[best]}
    return result
    ### END SOLUTION

# %% [markdown] hints="5.2.8"
# 1. Which torch layers are these four functions, and how do they get into a configuration?
# 2. A dictionary from names to classes; `{**config, "activation": ..., "lr": ...}` replaces two entries.
# 3. For values 3, 8, 8 of a, b, c: `values.index(max(values))` is 1, so b.

# %% check="5.2.8" points=3
def accuracies_of_528(layer_class, rates, config, points, seed, part_=1):
    return [accuracy(run({**config, "activation": layer_class, "lr": rate}, points, seed)[0], *points[2 * part_:2 * part_ + 2]) for rate in rates]

def by_training_528(layer_class, rates, config, points, seed, part_):
    """The rate (part_ 0) that the training part would choose, or the validation accuracy of that network (part_ 1), by known mistakes."""
    made = [run({**config, "activation": layer_class, "lr": rate}, points, seed) for rate in rates]
    values = rates if part_ == 0 else [accuracy(net, *points[2:]) for net, _ in made]
    hits = [accuracy(net, *points[:2]) for net, _ in made]
    by_loss, by_hits = values[min(range(len(rates)), key=lambda i: made[i][1])], values[hits.index(max(hits))]
    if by_loss == by_hits:
        return {"Choose the rate by the validation accuracy, not by the training loss or the training accuracy.": by_loss}
    return {"Choose the rate by the validation accuracy, not by the training loss.": by_loss, "Choose the rate by the validation accuracy, not by the training accuracy.": by_hits}

@probe
def error_with_classes_528(names, rates, config, points, seed):
    """The text of a TypeError with which the call ends, or ""."""
    try:
        best_rates(names, rates, config, points, seed)
    except TypeError as error:
        if "argument: 'input'" not in str(error) and "argument 'input'" not in str(error):
            raise
        return f"TypeError: {error}"
    return ""

def test_of_528(names, rates, config, points, seed, what, of_value="accuracy"):
    classes = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    found = best_rates(list(names), list(rates), dict(config), points, seed)
    assert_type(found, dict, f"what best_rates returns for {what}", of="names")
    missing = [name for name in names if name not in found]
    assert_equal(set(found), set(names), f"the names in the result for {what}", of="names",
                 hint="Each name has an entry, whatever the accuracies of the names before it: "
                 f"begin anew for {' and '.join(missing)}." if missing else "")
    for name in names:
        assert_type(found[name], dict, f"the entry of {name} for {what}", of="names")
        assert_equal(set(found[name]), {"lr", "val_acc"}, f"the keys of the entry of {name} for {what}", of="names")
        values = accuracies_of_528(classes[name], rates, config, points, seed)
        best = max(values)
        lr, value = found[name]["lr"], found[name]["val_acc"]
        assert_type(lr, (float, int), f"lr of {name} for {what}", of="best rate")
        assert_type(value, (float, int, torch.Tensor), f"val_acc of {name} for {what}", of="accuracy")
        right = rates[values.index(best)]
        mistakes, of = {}, of_value
        if abs(float(value) - best) > 0.006:
            slips = {"The {} is that of `config`, not always {}.".format(key, base_config[key]): {**config, key: base_config[key]} for key in ("width", "depth", "epochs") if config[key] != base_config[key]}
            mistakes = {sentence: max(accuracies_of_528(classes[name], rates, changed, points, seed)) for sentence, changed in slips.items()}
            if "std" in config:
                mistakes["Keep the entry \"std\" of `config`, too."] = max(accuracies_of_528(classes[name], rates, {key: entry for key, entry in config.items() if key != "std"}, points, seed))
            mistakes |= by_training_528(classes[name], rates, config, points, seed, 1)
            mistakes["The seed is `seed`, not 0."] = max(accuracies_of_528(classes[name], rates, config, points, 0))
            mistakes["This is an accuracy on the training part."] = max(accuracies_of_528(classes[name], rates, config, points, seed, 0))
            if name == "relu":
                mistakes["nn.ReLU is the activation function, not nn.LeakyReLU."] = max(accuracies_of_528(nn.LeakyReLU, rates, config, points, seed))
            why = "take the function of this name."
            if name != names[0]:
                alone = best_rates([name], list(rates), dict(config), points, seed)[name]["val_acc"]
                if abs(float(alone) - best) <= 0.006:
                    why = f"asked for {name} alone yours is right, so begin the search anew for each name."
            mistakes |= {f"This is what {other} gives in the place of {name}: {why}":
                         max(accuracies_of_528(layer, rates, config, points, seed)) for other, layer in classes.items() if other != name}
            if len(rates) > 1:
                mistakes["The seed is the same for each rate."] = max(accuracies_of_528(classes[name], [rate], config, points, seed + i)[0] for i, rate in enumerate(rates))
                mistakes |= {"This is the accuracy with the last rate, not with the best.": values[-1]} | ({"This is the lowest accuracy.": min(values)} if name == names[0] else {})
            if config["lr"] not in rates:
                mistakes["Train with each rate of the list: this is the accuracy with the rate that the configuration brings along."] = accuracies_of_528(classes[name], [config["lr"]], config, points, seed)[0]
            mistakes |= {"An accuracy is a share, not a percentage.": 100 * best}
            named = [sentence for sentence, wrong in mistakes.items() if abs(wrong - float(value)) < 0.002]
            of = of_value if len(named) != 1 else "activation" if "in the place of" in named[0] else "rest of the configuration" if "`config`" in named[0] or "seed" in named[0] else "best rate" if "rate of the list" in named[0] else "accuracy"
            if not named:
                again = float(best_rates(list(names), list(rates), dict(config), points, seed)[name]["val_acc"])
                assert_true(abs(again - float(value)) < 1e-6, f"val_acc of {name} for {what}: a second call gives the same; yours {float(value):.4f} and {again:.4f}", of="rest of the configuration",
                            hint="Each network begins with torch.manual_seed(seed) before make_net, as `run` does: here the random numbers depend on what was drawn before.")
        near = abs(float(value) - best) <= 0.006
        rounded = near and abs(float(value) * len(points[3]) - round(float(value) * len(points[3]))) >= 0.01
        if values.count(best) > 1:
            assert_close(float(value), best, f"val_acc of {name} for {what}", rtol=0., atol=0.006, of=of, mistakes=mistakes)
            if rounded:
                assert_true(False, f"val_acc of {name} for {what} is a number of right answers divided by {len(points[3])}; yours {float(value)}", of="accuracy", hint="Do not round, or rates that differ look equal.")
            tied = [rate for rate, v in zip(rates, values) if v == best]
            alone = lr != right and name != names[0] and \
                best_rates([name], list(rates), dict(config), points, seed)[name]["lr"] == right
            assert_equal(lr, right, f"lr of {name} for {what}, where several rates are equally good", of="equal accuracies",
                         hint=f"Asked for {name} alone you return the right rate: each name needs a search of its own." if alone
                         else "Take the first in the list, in the order given." if lr in tied
                         else f"Look for the best rate of {name} for itself: another accuracy goes with this one.",
                         mistakes={} if alone else {
                             "Take the first in the list: this is the last of those that are equally good "
                             "(`>`, not `>=`).": tied[-1],
                             "Take the first in the list: this is the largest rate of those that are equally good, "
                             "as `max` of pairs (accuracy, rate) gives it.": max(tied),
                             "Take the first in the list: this is the smallest rate of those that are equally good.": min(tied)})
            continue
        if lr != right and len(values) > 1 and sorted(values)[-2] < best - 0.02 and of == "accuracy":
            assert_equal(lr, right, f"lr of {name} for {what}", of="best rate", hint="The rate with the highest validation accuracy.",
                         mistakes={"This is the last rate that was tried.": rates[-1], "This is the rate with the lowest accuracy.": rates[values.index(min(values))],
                                   **by_training_528(classes[name], rates, config, points, seed, 0)})
        assert_close(float(value), best, f"val_acc of {name} for {what}", rtol=0., atol=0.006, of=of, mistakes=mistakes,
                     hint="Each network by `run`, with {**config, \"activation\": ..., \"lr\": ...}, these points and this seed; the highest accuracy on X_val, y_val.")
        if rounded:
            assert_true(False, f"val_acc of {name} for {what} is a number of right answers divided by {len(points[3])}; yours {float(value)}", of="accuracy", hint="Do not round, or rates that differ look equal.")
        assert_equal(lr, right, f"lr of {name} for {what}", of="best rate", hint="The rate that goes with this accuracy.")

@probe
def best_rates_in_place_of(name, names, rates, config, points, seed):
    """best_rates with the activation function of this name in the configuration."""
    return best_rates(names, rates, {**config, "activation": {"tanh": nn.Tanh, "sigmoid": nn.Sigmoid}[name]}, points, seed)

def test_in_place_of_528(given, name, rate, config, points, seed):
    classes = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    found = best_rates_in_place_of(given, [name], [rate], dict(config), points, seed)
    right, kept = (accuracies_of_528(classes[one], [rate], config, points, seed)[0] for one in (name, given))
    assert_close(float(found[name]["val_acc"]), right, f'val_acc of {name}, "activation" nn.{classes[given].__name__} in config, the single rate {rate}, seed {seed}',
                 rtol=0., atol=0.006, of="activation", hint=f"The function is that of the name, {name}, and no other.",
                 mistakes={"This is the accuracy with the function that stands in `config`: that of the name replaces it. (In a dictionary "
                           "what comes last wins.)": kept})

all_528 = ["relu", "sigmoid", "tanh", "identity"]
stopped_528 = error_with_classes_528(["relu", "tanh"], [0.3], {"width": 3, "depth": 1, "lr": 0.1, "epochs": 1}, (*rings(20, 3), *rings(60, 4)), 0)
assert_true(stopped_528 == "", f'best_rates(["relu", "tanh"], [0.3], ...) ends without an error; yours with {stopped_528}', of="activation",
             hint='"activation" is a class of layers, nn.ReLU: make_net makes a layer of it, nn.ReLU(), for each place. Here it was given a layer, already made.')
test_of_528(["relu", "identity"], [0.3], base_config, ring_data, 0, "relu and identity, the single rate 0.3, base_config, ring_data and seed 0", "activation")
quick_528 = {"width": 12, "depth": 2, "lr": 0.03, "epochs": 12}
test_of_528(all_528, [0.02, 0.06, 0.5, 0.1], quick_528, (*rings(300, 5, 3), *rings(250, 6, 3)), 9, "all four, the rates 0.02, 0.06, 0.5, 0.1, width 12, depth 2, 12 epochs, points with 3 columns and seed 9")
test_of_528(["tanh"], [0.4], {**quick_528, "epochs": 9}, (*rings(300, 7), *rings(280, 8)), 2, "tanh, the single rate 0.4, width 12, depth 2, 9 epochs and seed 2", "rest of the configuration")
test_of_528(["tanh", "relu"], [1e-12, 0.0, 1e-13], {**quick_528, "epochs": 1}, ring_data, 1, "tanh and relu, the rates 1e-12, 0, 1e-13, one epoch and seed 1")
assert_raises(ValueError, best_rates, ["cosine"], [0.3], dict(quick_528), (*rings(20, 3), *rings(60, 4)), 0, what='best_rates(["cosine"], ...)', match="cosine", of="unknown name",
              hint="Where the name is not among the four: raise ValueError(...) with the name in the message.")
test_of_528(["relu"], [0.3], {**quick_528, "depth": 1, "epochs": 6, "std": 1.2}, ring_data, 4, 'relu, the single rate 0.3, width 12, depth 1, 6 epochs, "std" 1.2, ring_data and seed 4', "rest of the configuration")
test_of_528(["relu"], [1e-6], {"width": 3, "depth": 3, "lr": 0.1, "epochs": 1, "std": 3.0}, (*rings(100, 5, 3), *rings(250, 6, 3)), 1, "relu, the single rate 1e-6, width 3, depth 3, std 3, one epoch, points with 3 columns and seed 1", "activation")
test_in_place_of_528("sigmoid", "tanh", 0.3, {**quick_528, "depth": 1, "epochs": 6}, ring_data, 4)
for name_528 in ("tan", "gelu", ""):
    assert_raises(ValueError, best_rates, [name_528], [0.3], {**quick_528, "epochs": 1}, (*rings(20, 3), *rings(60, 4)), 0, what=f"best_rates([{name_528!r}], ...)", match=name_528, of="unknown name",
                  hint="Only the four names as they are written are known, no part of one and no other function.")
assert_raises(ValueError, best_rates, ["relu", "ReLU"], [0.3], {**quick_528, "epochs": 1}, (*rings(20, 3), *rings(60, 4)), 0, what='best_rates(["relu", "ReLU"], ...)', match="ReLU", of="unknown name",
              hint="An unknown name stops the function wherever it stands in the list, and only the four names as they are written are known.")
### BEGIN HIDDEN TESTS
hidden_528 = {"width": 9, "depth": 1, "lr": 0.9, "epochs": 14}
test_of_528(["sigmoid", "tanh", "relu", "identity"], [0.6, 0.05, 1.5], hidden_528, (*rings(270, 18, 2), *rings(280, 19, 2)), 7, "all four with three other rates")
test_of_528(["sigmoid", "tanh"], [0.01, 2.0], {**hidden_528, "epochs": 30}, (*rings(200, 28), *rings(300, 29)), 3, "sigmoid and tanh with two rates, 30 epochs", "activation")
test_of_528(["relu"], [0.2], {**hidden_528, "depth": 2, "epochs": 8}, (*rings(200, 38), *rings(300, 39)), 13, "relu with one rate, depth 2", "rest of the configuration")
test_of_528(["identity", "sigmoid"], [0.0, 1e-12], {**hidden_528, "epochs": 1}, ring_data, 2, "two names, two rates that train nothing")
test_of_528(["sigmoid"], [0.8], {**hidden_528, "std": 1.5}, (*rings(220, 48), *rings(230, 49)), 6, "sigmoid with one rate and an entry std", "rest of the configuration")
test_in_place_of_528("tanh", "identity", 0.4, {**hidden_528, "epochs": 8}, ring_data, 5)
for name_528 in ("ident", "silu", "softplus", "leaky_relu"):
    assert_raises(ValueError, best_rates, [name_528], [0.1], {**hidden_528, "epochs": 1}, (*rings(20, 3), *rings(60, 4)), 0, what="another name that is not among the four", match=name_528, of="unknown name")
assert_raises(ValueError, best_rates, ["tanh", "swoosh"], [0.1], {**hidden_528, "epochs": 1}, (*rings(20, 3), *rings(60, 4)), 0, what="an unknown name after a known one", match="swoosh", of="unknown name")
### END HIDDEN TESTS

# %% [markdown] teaches="scale of the start, xavier initialisation, he initialisation"
# ## 10. The start, once more
#
# Part 2 showed that the weights must differ. How *large* should they be? A hidden unit adds up $a$ products of a weight and an
# input. If each weight has variance $\sigma^2$ and the inputs are of size about 1, the sum has about $a$ times this variance, so
# wide layers ask for small weights. Two rules of thumb give a layer with $a$ inputs and $b$ outputs the standard deviation
#
# - $\sqrt{2/(a+b)}$: *Xavier*, after Xavier Glorot;
# - $\sqrt{2/a}$: *Kaiming*, after Kaiming He, made for ReLU, which sets half of the numbers to 0.
#
# Section 5.4 derives both. Here we use them. A network may hold layers inside layers, and layers that are not linear; `net.modules()` gives all of them, at any depth, and `isinstance` asks for the kind:

# %% teaches="modules of a network, initialisation of all linear layers"
nested = nn.Sequential(nn.Linear(200, 50), nn.Sequential(nn.ReLU(), nn.LayerNorm(50), nn.Linear(50, 10, bias=False)))
print("direct parts:", [type(part_of).__name__ for part_of in nested.children()])
for module in nested.modules():
    if isinstance(module, nn.Linear):
        print("linear layer:", module.in_features, "->", module.out_features, "  bias:", module.bias is not None, f"  std of the weight as drawn by torch: {module.weight.std().item():.4f}")
nn.init.normal_(nested[0].weight, std=0.01)
print("after nn.init.normal_(..., std=0.01):", round(nested[0].weight.std().item(), 4))

# %% [markdown]
# Three things can go wrong here. `children()` gives the direct parts only, and misses the inner layer. The layer made with `bias=False` has `bias` None. And `nn.LayerNorm`, a layer that standardises (its scale begins at 1), has a weight and a bias, too, which are none of our business.

# %% [markdown] task="5.2.9a" kind="code" minutes=12 difficulty=3 needs="scale of the start, modules of a network, initialisation of all linear layers, normal draws"
# ### Four starts
#
# Write `initialise(net, scheme)`. It draws the weights of all `nn.Linear` layers of `net` anew, in place, from a normal distribution with mean 0. With $a$ inputs and $b$ outputs the standard deviation is 0 for `"zeros"`, 0.01 for `"normal"`, $\sqrt{2/(a+b)}$ for `"xavier"`, and $\sqrt{2/a}$ for `"kaiming"`.
#
# **You are done when**
# - **standard deviation**: it is that of the scheme, in every layer, with its own $a$ and $b$;
# - **normal draws**: the weights are normal draws with mean 0, each weight one of its own;
# - **biases**: the biases of the linear layers are 0, and a linear layer without a bias is initialised, too;
# - **inner layers**: linear layers inside other modules are reached, at any depth, and so is `net` itself where it is one;
# - **other modules**: parameters of other layers stay as they are;
# - **in place**: weights and biases are the same parameters as before with new numbers, so that an optimizer that knows them can still train them.

# %% exercise="5.2.9a"
def initialise(net, scheme):
    """Sets weights and biases of all nn.Linear layers of `net`, in place."""
    ### BEGIN SOLUTION
    for layer in net.modules():
        if isinstance(layer, nn.Linear):
            a, b = layer.in_features, layer.out_features
            std = {"zeros": 0.0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            nn.init.normal_(layer.weight, std=std)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)
    ### END SOLUTION

# %% [markdown] hints="5.2.9a"
# 1. How do you find all linear layers of a module, also those inside others?
# 2. `layer.in_features` and `layer.out_features` are $a$ and $b$; `nn.init.normal_(weight, std=...)` and `nn.init.zeros_(bias)` write in place.
# 3. LeCun's scheme has variance $1/a$: `nn.init.normal_(layer.weight, std=(1 / layer.in_features) ** 0.5)`.

# %% check="5.2.9a" points=3
@probe
def parameters_after(sizes, scheme, seed, bias=True):
    """All parameters of a nested network after initialise: the first layer, the inner ones, a LayerNorm."""
    torch.manual_seed(seed)
    inner = []
    for n, m in zip(sizes[1:], sizes[2:]):
        inner += [nn.ReLU(), nn.Linear(n, m, bias=bias)]
    net = nn.Sequential(nn.Linear(sizes[0], sizes[1]), nn.LayerNorm(sizes[1]), nn.Sequential(*inner))
    with torch.no_grad():
        net[1].weight.fill_(3.0)
        net[1].bias.fill_(-2.0)
    before = {name: p.detach().clone() for name, p in net.named_parameters()}
    stopped = ""
    try:
        initialise(net, scheme)
    except (AttributeError, TypeError) as error:
        if bias:
            raise
        stopped = f"{type(error).__name__}: {error}"
    found = {name: p.detach().clone() for name, p in net.named_parameters()} | {"stopped": stopped}
    found["untouched"] = sum(int(name.startswith("2.") and name.endswith("weight") and torch.equal(p, before[name])) for name, p in found.items() if name in before)
    return found

def stds_of_529a(scheme, a, b):
    return {"zeros": 0.0, "normal": 0.01, "xavier": math.sqrt(2 / (a + b)), "kaiming": math.sqrt(2 / a)}[scheme]

def test_of_529a(sizes, scheme, seed, bias=True):
    found = parameters_after(list(sizes), scheme, seed, bias)
    assert_equal(found["stopped"], "", f"the error with which initialise(net, {scheme!r}) ends where the inner linear layers were made with bias=False", of="biases", hint="Such a layer has the bias None: ask whether it is None before you write into it.")
    for i, (a, b) in enumerate(zip(sizes, sizes[1:])):
        name = "0" if i == 0 else f"2.{2 * i - 1}"
        weight = found[f"{name}.weight"].double()
        if i == 1:
            assert_equal(found["untouched"], 0, f"how many linear layers inside another nn.Sequential still have the weights with which they were made, scheme {scheme}" + ("" if bias else ", made with bias=False"), of="inner layers" if bias else "biases",
                         hint="net.modules() reaches the layers inside others, net.children() does not." if bias else "A linear layer without a bias is initialised, too.")
        where = f"scheme {scheme}, the {'first linear layer' if i == 0 else 'linear layer inside another nn.Sequential'}, {a} inputs and {b} outputs" + ("" if bias or i == 0 else ", made with bias=False")
        right = stds_of_529a(scheme, a, b)
        drawn = math.sqrt(1 / (3 * a))                  # what nn.Linear draws by itself
        assert_close(weight.std().item(), right, f"the standard deviation of the weights: {where}", rtol=0.04, atol=1e-7, of="standard deviation",
                     mistakes={"2 / a is the variance: take the root.": right ** 2 if scheme in ("xavier", "kaiming") else -1.0,
                               "a is the number of inputs; torch keeps a weight as (outputs, inputs).": stds_of_529a(scheme, b, a) if scheme == "kaiming" else -1.0,
                               "These are uniform draws from 0 to the standard deviation: draw normal numbers with mean 0.": right / math.sqrt(12) if right else -1.0,
                               "These are uniform draws from minus to plus the standard deviation: draw normal numbers.": right / math.sqrt(3) if right else -1.0,
                               "These are the weights as nn.Linear draws them: write into the layer, in place.": drawn if i == 0 else -1.0,
                               "These are the weights of the scheme xavier.": stds_of_529a("xavier", a, b) if scheme == "kaiming" else -1.0, "These weights are 1 / a in variance.": math.sqrt(1 / a) if scheme == "kaiming" else -1.0,
                               "This is the standard deviation for the first layer: each layer has an a and a b of its own.": stds_of_529a(scheme, *sizes[:2]) if i > 0 and scheme in ("xavier", "kaiming") else -1.0},
                     hint={"zeros": "All weights are 0.", "normal": "It is 0.01 in every layer.", "xavier": "It is the root of 2 / (a + b), with a and b of this layer.", "kaiming": "It is the root of 2 / a, with a, the number of inputs, of this layer."}[scheme])
        if right:
            assert_true(len(weight.unique()) > 0.9 * a * b, f"each weight is a draw of its own: {where}; of {a * b} weights there are {len(weight.unique())} different ones", of="normal draws", hint="Draw for the whole weight, (outputs, inputs), at once: nn.init.normal_ does.")
            assert_true(abs(weight.mean().item()) < 5 * right / math.sqrt(a * b), f"the mean of the weights is about 0: {where}; yours {weight.mean().item():.3g}", of="normal draws", hint="Normal draws with mean 0: about half of the weights are negative.")
            fourth = (weight / right).pow(4).mean().item()
            assert_true(2.6 < fourth < 3.4, f"the mean of (weight / std)⁴ is about 3: {where}; yours {fourth:.2f}", of="normal draws", hint="That is 1.8 for uniform draws, and smaller than 3 where the tails are cut off: use normal draws.")
        if f"{name}.bias" in found:
            assert_close(found[f"{name}.bias"], torch.zeros(b), f"the bias: {where}", of="biases", hint="Set it to 0.")
    assert_close(found["1.weight"], torch.full((sizes[1],), 3.0), f"the weight of nn.LayerNorm, which was 3 before the call, scheme {scheme}", of="other modules", hint="Change nn.Linear layers only.")
    assert_close(found["1.bias"], torch.full((sizes[1],), -2.0), f"the bias of nn.LayerNorm, which was -2 before the call, scheme {scheme}", of="other modules", hint="Change nn.Linear layers only.")

@probe
def deep_parameters_after(scheme):
    """A linear layer three levels deep, one that is the whole network, and layers of other kinds: what changed, and how."""
    torch.manual_seed(3)
    deep, alone = nn.Linear(60, 40), nn.Linear(60, 40)
    embedding, convolution = nn.Embedding(7, 5), nn.Conv1d(3, 4, 2)
    net = nn.Sequential(embedding, nn.Sequential(convolution, nn.Sequential(nn.ReLU(), nn.Sequential(deep))))
    others = [*embedding.parameters(), *convolution.parameters()]
    kept, known = [p.detach().clone() for p in others], [deep.weight, deep.bias, alone.weight, alone.bias]
    initialise(net, scheme)
    initialise(alone, scheme)
    now = [deep.weight, deep.bias, alone.weight, alone.bias]
    return {"deep": deep.weight.std().item(), "alone": alone.weight.std().item(), "embedding": int(torch.equal(others[0], kept[0])),
            "convolution": int(all(torch.equal(a, b) for a, b in zip(others[1:], kept[1:]))),
            "same": sum(int(a is b) for a, b in zip(now, known)), "trainable": sum(int(p.requires_grad) for p in now)}

def test_of_deep_529a(scheme):
    found, right = deep_parameters_after(scheme), stds_of_529a(scheme, 60, 40)
    assert_close(found["deep"], right, f"the standard deviation of the weights of a linear layer four modules deep, scheme {scheme}", rtol=0.1, atol=1e-7, of="inner layers", hint="net.modules() gives all modules, at any depth.")
    assert_close(found["alone"], right, f"the standard deviation of the weights after initialise(nn.Linear(60, 40), {scheme!r})", rtol=0.1, atol=1e-7, of="inner layers", hint="net.modules() gives net itself, too.")
    for kind in ("embedding", "convolution"):
        assert_equal(found[kind], 1, f"whether an {kind} layer inside net keeps its numbers (1: yes), scheme {scheme}" if kind == "embedding" else f"whether a {kind} layer inside net keeps its numbers (1: yes), scheme {scheme}", of="other modules", hint="Change nn.Linear layers only, whatever shape the weights of others have.")
    assert_equal(found["same"], 4, f"how many of four weights and biases are still the same nn.Parameter, scheme {scheme}", of="in place", hint="Write new numbers into layer.weight, by nn.init for instance, and do not put a new parameter in its place.")
    assert_equal(found["trainable"], 4, f"how many of four weights and biases still require a gradient, scheme {scheme}", of="in place", hint="Leave requires_grad as it is: nn.init, or `with torch.no_grad():`.")

for scheme_529a in ("kaiming", "xavier", "normal", "zeros"):
    test_of_529a([200, 300, 50], scheme_529a, 0)
test_of_deep_529a("kaiming")
test_of_529a([100, 160, 120], "kaiming", 1, bias=False)
again_529a = [parameters_after([30, 20, 40], "kaiming", seed)["0.weight"] for seed in (1, 2)]
assert_true((again_529a[0] - again_529a[1]).abs().max().item() > 1e-3, "two networks, after torch.manual_seed(1) and torch.manual_seed(2), get different weights", of="normal draws", hint="Set no seed of your own.")
### BEGIN HIDDEN TESTS
for scheme_529a in ("xavier", "zeros", "kaiming", "normal"):
    test_of_529a([300, 120, 250, 90], scheme_529a, 3)
test_of_529a([90, 260, 110], "xavier", 4, bias=False)
test_of_deep_529a("xavier")
test_of_deep_529a("zeros")
again_529a = [parameters_after([40, 30, 25], "normal", seed)["2.1.weight"] for seed in (5, 6)]
assert_true((again_529a[0] - again_529a[1]).abs().max().item() > 1e-4, "another seed of torch gives other weights", of="normal draws")
### END HIDDEN TESTS

# %% [markdown] task="5.2.9b" kind="experiment" minutes=15 difficulty=3 needs="scale of the start, configuration, twin units, frobenius norm"
# ### The scale of the start
#
# Write `scale_table(stds, config, points, seed)`. For each number in `stds` it takes `config` with this number as `"std"`, in place of any that stands there, and returns a list of dictionaries with the keys
# - `"std"`;
# - `"first_gradient"`: the norm (the root of the sum of the squares of all entries) of the gradient of the loss with respect to the weight of the first layer *before* training, where the loss is the mean cross-entropy on all of X, y;
# - `"train_loss"` and `"val_acc"` after the training: what `run` returns as the loss, and the accuracy on X_val, y_val.
#
# The network before training is the one that `run` starts from: `torch.manual_seed(seed)`, then `make_net`. Run it on `ring_data` with two hidden layers of 32 units, rate 0.2, 20 epochs and seed 0 for 0, 0.01, 0.1, 0.3, 1, 3 and 10, and report in words: (1) which scales train, with numbers; (2) why 0 cannot,
# and why 0.01 does not get away in these epochs though it is not zero (look at the gradients); (3) what happens with large scales, and which scale Kaiming's rule gives for the middle layer.
#
# **You are done when** your words have all three points, and
# - **rows**: there is a row with the four keys for each number, in the order of `stds`;
# - **first gradient**: it is that norm, at the start, on all training examples;
# - **training loss**: it is the one that `run` returns;
# - **validation accuracy**: it is that of the trained network, not rounded;
# - **rest of the configuration**: all other entries of `config` and the seed are used, also `"activation"` where it is given, and `config` stays as it was.

# %% exercise="5.2.9b"
def scale_table(stds, config, points, seed):
    """A row for each standard deviation: {"std", "first_gradient", "train_loss", "val_acc"}."""
    ### BEGIN SOLUTION
    X, y, X_val, y_val = points
    table = []
    for std in stds:
        changed = {**config, "std": std}
        torch.manual_seed(seed)
        net = make_net(X.shape[1], changed)
        gradient, = torch.autograd.grad(F.cross_entropy(net(X), y), [net[0].weight])
        trained, loss = run(changed, points, seed)
        table.append({"std": std, "first_gradient": gradient.norm().item(), "train_loss": loss, "val_acc": accuracy(trained, X_val, y_val)})
    return table
    ### END SOLUTION

# %% [markdown] hints="5.2.9b"
# 1. What is the gradient of the first weight if the second weight is zero?
# 2. `torch.autograd.grad(loss, [net[0].weight])` returns a tuple of one gradient; `.norm()` is the root of the sum of its squares.
# 3. For y = u v w with u = v = w = 0.01, the derivative with respect to u is 0.0001, and at 0 it is 0.

# %% check="5.2.9b" points=3
def row_of_529b(config, points, seed):
    torch.manual_seed(seed)
    net = make_net(points[0].shape[1], config)
    F.cross_entropy(net(points[0]), points[1]).backward()
    trained, loss = run(config, points, seed)
    return net, {"first_gradient": net[0].weight.grad.square().sum().sqrt().item(), "train_loss": loss, "val_acc": accuracy(trained, *points[2:])}, trained

def slips_of_529b(key, config, points, seed):
    slips = {f"The {name} is that of `config`, not always {base_config[entry]}.": row_of_529b({**config, entry: base_config[entry]}, points, seed)[1][key]
             for entry, name in (("width", "width"), ("depth", "depth"), ("lr", "learning rate"), ("epochs", "number of epochs")) if config[entry] != base_config[entry]}
    slips["The seed is `seed`, not 0."] = row_of_529b(config, points, 0)[1][key]
    net, right, trained = row_of_529b(config, points, seed)
    plain = {entry: value for entry, value in config.items() if entry != "std"}
    slips["Put the number into the configuration as \"std\": this is torch's own start."] = row_of_529b(plain, points, seed)[1][key]
    if "activation" in config:
        slips["Keep the entry \"activation\" of `config`, too."] = row_of_529b({entry: value for entry, value in config.items() if entry != "activation"}, points, seed)[1][key]
    if key == "first_gradient":
        gradient, start_bias = net[0].weight.grad, net[0].bias.grad.norm().item()
        batch = torch.randperm(len(points[0]), generator=torch.Generator().manual_seed(seed))[:30]
        first_30, first_batch, on_validation = (torch.autograd.grad(F.cross_entropy(net(inputs), labels), net[0].weight)[0].norm().item()
                                                for inputs, labels in ((points[0][:30], points[1][:30]), (points[0][batch], points[1][batch]), points[2:]))
        whole, weights = (math.sqrt(sum(p.grad.square().sum().item() for p in net.parameters() if p.ndim > fewest)) for fewest in (0, 1))
        torch.manual_seed(seed)
        biased = make_net(points[0].shape[1], plain)
        for layer in biased[::2]:
            nn.init.normal_(layer.weight, std=config["std"])
        F.cross_entropy(biased(points[0]), points[1]).backward()
        F.cross_entropy(trained(points[0]), points[1]).backward()
        slips |= {"This is the gradient after the training.": trained[0].weight.grad.norm().item(), "Take the root of the sum of the squares.": gradient.square().sum().item(),
                  "This is the sum of the absolute values.": gradient.abs().sum().item(), "This is the largest entry.": gradient.abs().max().item(),
                  "This is the root mean square: sum the squares, do not take their mean.": gradient.square().mean().sqrt().item(),
                  "This is the gradient for the output layer.": net[-1].weight.grad.norm().item(), "Take the mean loss, not the sum.": gradient.norm().item() * len(points[1]),
                  "This is the mean of the absolute values.": gradient.abs().mean().item(),
                  "The weight of the first layer alone, without its bias.": math.hypot(gradient.norm().item(), start_bias),
                  "Take the gradient of the first layer's weight alone: that of its bias was added.": gradient.norm().item() + start_bias,
                  "The weight of the first layer alone, not all parameters.": whole, "The weight of the first layer alone, not those of all layers.": weights,
                  "The biases start as 0, too: make_net with an entry \"std\" draws the weights and does that.": biased[0].weight.grad.norm().item(), **({"This is the gradient for the second layer.": net[2].weight.grad.norm().item()} if config["depth"] > 1 else {}),
                  "Take all rows of X: this is the gradient on the first 30.": first_30, "Take all rows of X: this is the gradient on the first batch of 30 that `fit` draws.": first_batch,
                  "This is the sum of the norms of the rows: take the root once, of the sum of all squares.": gradient.norm(dim=1).sum().item(), "This is the sum of the norms of the columns: take the root once, of the sum of all squares.": gradient.norm(dim=0).sum().item(), "Take X and y: this is the gradient on the validation part.": on_validation,
                  "This is the norm of the weight: take that of its gradient.": net[0].weight.norm().item(),
                  "This is the largest singular value; the norm is the root of the sum of all squares.": torch.linalg.matrix_norm(gradient, 2).item()}
    if key == "val_acc":
        slips |= {"An accuracy is a share, not a percentage.": 100 * right[key], "This is the accuracy on the training part.": accuracy(trained, *points[:2]), "This is the accuracy before the training.": accuracy(net, *points[2:])}
    if key == "train_loss":
        torch.manual_seed(seed)
        slips["The order of the rows has the seed, too: give `seed` to `fit`, not 0."] = fit(make_net(points[0].shape[1], config), *points[:2], config["epochs"], config["lr"], 0)
        with torch.no_grad():
            slips["This is the loss before the training."] = F.cross_entropy(net(points[0]), points[1]).item()
            slips["Take the loss that `run` returns, the mean over the last epoch; this is measured after it."] = F.cross_entropy(trained(points[0]), points[1]).item()
    return slips

@probe
def scale_table_with(name, stds, config, points, seed):
    """scale_table with the activation function of this name in the configuration."""
    return scale_table(stds, {**config, "activation": {"tanh": nn.Tanh, "sigmoid": nn.Sigmoid}[name]}, points, seed)

def test_of_529b(stds, config, points, seed, what, activation=None):
    table = scale_table(list(stds), dict(config), points, seed) if activation is None else scale_table_with(activation, list(stds), dict(config), points, seed)
    config = config if activation is None else {**config, "activation": {"tanh": nn.Tanh, "sigmoid": nn.Sigmoid}[activation]}
    assert_type(table, (list, tuple), f"what scale_table returns for {what}", of="rows", hint="A list of rows, each a dictionary, in the order of `stds`.")
    assert_equal(len(table), len(stds), f"the number of rows for {what}", of="rows", hint="One row for each standard deviation, 0 included.")
    for row in table:
        assert_type(row, dict, f"a row for {what}", of="rows")
        assert_equal(set(row), {"std", "first_gradient", "train_loss", "val_acc"}, f"the keys of a row for {what}", of="rows")
    assert_equal([row["std"] for row in table], list(stds), f"the numbers std of the rows for {what}", of="rows", hint="In the order given.")
    for place, (row, std) in enumerate(zip(table, stds)):
        wanted = row_of_529b({**config, "std": std}, points, seed)[1]
        for key, of in (("first_gradient", "first gradient"), ("train_loss", "training loss"), ("val_acc", "validation accuracy")):
            assert_type(row[key], (float, int, torch.Tensor), f"{key} for std {std}, {what}", of=of)
            assert_equal(torch.as_tensor(row[key]).numel(), 1, f"how many numbers {key} for std {std}, {what}, holds", of=of,
                         hint="It is one number: the norm of the gradient, `.norm()`, not the gradient." if key == "first_gradient" else "It is one number.")
            yours, atol, rtol = float(row[key]), 0.006 if key == "val_acc" else 1e-9, 0.0 if key == "val_acc" else 2e-3
            off = not abs(yours - wanted[key]) <= atol + rtol * abs(wanted[key])
            mistakes = slips_of_529b(key, {**config, "std": std}, points, seed) if off else {}
            if off and key == "first_gradient":
                torch.manual_seed(seed)
                drawn = [make_net(points[0].shape[1], {**config, "std": other}) for other in (stds[:place + 1] if place else [std, std])][-1]
                gradient, = torch.autograd.grad(F.cross_entropy(drawn(points[0]), points[1]), drawn[0].weight)
                mistakes["Set the seed anew for each row: this network was drawn after those of the rows before." if place else
                         "Set the seed again right before make_net: this is the second network drawn since then, and `run` starts from the first."] = gradient.norm().item()
                if place:
                    mistakes = {sentence: value for sentence, value in mistakes.items() if abs(value - yours) < 1e-4 * abs(value)}
            if off and "std" in config:
                mistakes["The number of the row replaces the entry \"std\" that `config` may have."] = row_of_529b(config, points, seed)[1][key]
            named = [sentence for sentence, value in mistakes.items() if abs(value - yours) < 1e-3 * max(abs(value), 1e-6)]
            if off and not named and activation is None and key == "first_gradient" and math.isfinite(yours):
                again = {float(entry["std"]): float(entry["first_gradient"]) for entry in scale_table(list(stds), dict(config), points, seed)}[std]
                assert_true(abs(again - yours) <= 1e-3 * abs(yours), f"first_gradient for std {std}, {what}: a second call gives the same as the first; yours {yours:.4g} and {again:.4g}", of=of, hint="Call torch.manual_seed(seed) before make_net, for each row: the gradient belongs to the network that `run` starts from.")
            assert_close(yours, wanted[key], f"{key} for std {std}, {what}", rtol=rtol, atol=atol, mistakes=mistakes,
                         of="rest of the configuration" if activation or len(named) == 1 and ("`config`" in named[0] or "seed" in named[0]) else of,
                         hint="The gradient with respect to the first layer's weight, for all of X and y, of the network that torch.manual_seed(seed) and then make_net with this std give." if key == "first_gradient" else "What `run` gives for this configuration, these points and this seed, after the training.")
            hits = yours * len(points[3])
            if key == "val_acc" and abs(hits - round(hits)) >= 0.01:
                assert_true(False, f"{key} for std {std}, {what}, is a number of right answers divided by {len(points[3])}; yours {yours}", of=of, hint="Do not round." if yours in [round(wanted[key], d) for d in range(6)] else "Take the share of right answers as `accuracy` gives it.")

@probe
def config_after_scale_table(stds, config, points, seed):
    scale_table(stds, config, points, seed)
    return config

deep_529b = {**base_config, "depth": 2, "lr": 0.2}
test_of_529b([0.4, 0.0], deep_529b, ring_data, 0, "std 0.4 and 0, two hidden layers of 32 units, rate 0.2, ring_data and seed 0")
quick_529b = {"width": 14, "depth": 1, "lr": 0.15, "epochs": 9}
test_of_529b([1.0, 0.2], quick_529b, (*rings(280, 5, 3), *rings(250, 6, 3)), 4, "std 1 and 0.2, width 14, depth 1, rate 0.15, 9 epochs, points with 3 columns and seed 4")
test_of_529b([0.6], {**quick_529b, "epochs": 4}, ring_data, 2, 'std 0.6, width 14, depth 1, rate 0.15, 4 epochs, "activation" nn.Tanh, ring_data and seed 2', activation="tanh")
test_of_529b([0.3], {**quick_529b, "std": 0.8}, ring_data, 3, 'std 0.3, width 14, depth 1, rate 0.15, 9 epochs, "std" 0.8 in the configuration, ring_data and seed 3')
assert_equal(config_after_scale_table([0.5, 0.1], dict(quick_529b), tuple(ring_data), 1), quick_529b, "the configuration after scale_table([0.5, 0.1], config, ring_data, 1)", of="rest of the configuration", hint="Make a new dictionary, {**config, ...}.")
### BEGIN HIDDEN TESTS
hidden_529b = {"width": 20, "depth": 3, "lr": 0.1, "epochs": 11}
test_of_529b([0.25, 0.01, 0.5], hidden_529b, (*rings(270, 20, 4), *rings(260, 21, 4)), 9, "three scales in mixed order, three hidden layers")
test_of_529b([0.7], {**hidden_529b, "depth": 1, "lr": 0.4}, (*rings(150, 22), *rings(300, 23)), 5, "one scale, one hidden layer")
test_of_529b([0.9], {**hidden_529b, "depth": 1, "epochs": 5}, (*rings(160, 24), *rings(210, 25)), 3, "one scale, with a sigmoid in the configuration", activation="sigmoid")
test_of_529b([0.45], {**hidden_529b, "std": 0.2}, (*rings(140, 26), *rings(220, 27)), 6, "one scale, with another std in the configuration")
assert_equal(config_after_scale_table([0.5], dict(hidden_529b), tuple(ring_data), 1), hidden_529b, "the configuration after a call with one scale", of="rest of the configuration")
### END HIDDEN TESTS

# %% [markdown] written="5.2.9b" points=3
# ### BEGIN SOLUTION
# | std | first gradient | training loss | validation accuracy |
# |---|---|---|---|
# | 0 | 0 | 1.097 | 0.430 |
# | 0.01 | 0.00024 | 1.097 | 0.430 |
# | 0.1 | 0.024 | 0.357 | 0.893 |
# | 0.3 | 0.26 | 0.163 | 0.937 |
# | 1 | 5.8 | 0.137 | 0.920 |
# | 3 | 52 | 0.283 | 0.857 |
# | 10 | 580 | 1.097 | 0.430 |
#
# 1. The scales from 0.1 to 3 train; 0.3 and 1 do best, with losses 0.163 and 0.137 and accuracies 0.937 and 0.920. With 0, 0.01 and 10 the loss stays at 1.097, about the entropy of the class shares, and the accuracy is the share of the largest class, 0.430.
# 2. With zeros every hidden unit outputs 0 and every weight's gradient has a factor 0; only the output bias learns, and it learns the shares of the classes. At 0.01 the gradient of the first weight carries the weights of the two later layers as factors: it is 0.00024, a hundredth of that at 0.1. It is not 0, but at such a pace the run needs many more epochs to leave the plateau.
# 3. With large scales the outputs are products of three large layers, the softmax is saturated, and the gradients are huge: 52 at 3, 580 at 10. Single steps throw the network about; at 10 they throw it where all units are dead and only the output bias learns. Kaiming's rule gives (2/32)^½ = 0.25 for the middle layer, in the midst of the scales that train.
#
# **Rubric**
# - [1] The scales that train, with loss and accuracy, and those that do not; also accepted: a plot with numbers; lost by "0.3 is best" alone.
# - [1] At 0 all gradients but the output bias's vanish (or: the units stay equal); at 0.01 the product of small factors makes them tiny, with a number from the table; also accepted: vanishing gradients with the factors named; lost by "small weights give small outputs, so the loss is small".
# - [1] Large: saturated softmax, exploding products or nan; and 0.25 for Kaiming's rule; also accepted: (2/32)^½; lost by 2/32.
# ### END SOLUTION

# %% [markdown] teaches="random search, log-uniform draw"
# ## 11. All at once
#
# Width, depth, rate, epochs: with five values of each, a *grid* of all combinations has 625 points. And it wastes them: if the depth hardly matters, the grid tries each learning rate over and over. Draw the configurations at random instead, and every run tries a new value of *everything*.

# %% tags=["demo"]
generator = torch.Generator().manual_seed(20)
figure, axes = plt.subplots(1, 2, figsize=(7.5, 3.2), layout="constrained", sharey=True)
grid_points = torch.cartesian_prod(torch.tensor([0.17, 0.5, 0.83]), torch.tensor([0.17, 0.5, 0.83]))
for ax, places, name in zip(axes, (grid_points, torch.rand(9, 2, generator=generator)), ("grid", "at random")):
    ax.scatter(*places.T, s=40)
    ax.scatter(places[:, 0], torch.full((9,), -0.06), marker="|", s=120, color="C3", clip_on=False)
    ax.set(title=f"{name}: {len(places[:, 0].unique())} different values", xlabel="the setting that matters", xlim=(0, 1), ylim=(-0.1, 1), xticks=[], yticks=[])
axes[0].set_ylabel("the setting that does not")
plt.show()

# %% [markdown]
# Nine runs each. The red strokes below are the values of the setting that matters: the grid has tried three, the random search nine.
#
# How does one draw a learning rate between 0.01 and 1? Not uniformly: then 91 of 100 draws would lie above 0.1. Every factor of ten should get an equal share, so draw the *exponent* uniformly. In general, with u uniform from 0 to 1,
#
# $$\text{rate} = \text{low} \cdot \left(\frac{\text{high}}{\text{low}}\right)^{u},$$
#
# which is low for u = 0, high for u = 1, and the geometric middle for u = 1/2. Such a draw is called **log-uniform**.

# %% teaches="log-uniform draw, python's random generator"
import random

luck = random.Random(0)                                  # a generator of its own, with a seed
uniform = [luck.uniform(0.01, 1) for _ in range(10_000)]
log_uniform_draws = [10 ** luck.uniform(-2, 0) for _ in range(10_000)]
for name, values in (("uniform", uniform), ("log-uniform", log_uniform_draws)):
    print(f"{name:12} share below 0.1: {sum(value < 0.1 for value in values) / 10_000:.3f}")
print("one of a list:", luck.choice([4, 8, 16, 32]), "  a whole number from 5 to 20, both included:", luck.randint(5, 20))

# %% [markdown] task="5.2.F" kind="code" minutes=3 difficulty=1 needs="log-uniform draw"
# ### On the logarithmic scale
#
# Write `log_uniform(u, low, high)`, for u from 0 to 1 and 0 < low < high: the number that lies the share u of the way from low to high on the logarithmic scale.
#
# **You are done when**
# - **ends**: it is low for u = 0 and high for u = 1;
# - **between**: equal steps of u are equal factors: for 1 and 100, u = 1/2 gives 10.

# %% exercise="5.2.F"
def log_uniform(u, low, high):
    """The number at the share u of the way from low to high, on the logarithmic scale."""
    ### BEGIN SOLUTION
    return low * (high / low) ** u
    ### END SOLUTION

# %% [markdown] hints="5.2.F"
# 1. By which factor must low be multiplied to become high? And to go half of the way?
# 2. The logarithm goes evenly from log(low) to log(high).
# 3. From 2 to 16 in three equal factors: 2, 4, 8, 16. So u = 1/3 gives 4.

# %% check="5.2.F" points=1
def which_52F():
    """What the ends and the middle of the way from 2 to 32 say."""
    first, middle, last = (float(log_uniform(u, 2.0, 32.0)) for u in (0, 0.5, 1))
    ends, between = abs(first - 2) < 1e-4 and abs(last - 32) < 1e-3, abs(middle - 8) < 1e-3
    if ends and not between:
        return f"From 2 to 32 yours is right at the ends. In the middle, u = 1/2, the factor is 16^(1/2) = 4, so that 2 · 4 = 8 is right; yours is {middle:.4g}."
    if between and not ends:
        return f"From 2 to 32 yours is right for u = 1/2, but the ends are 2 for u = 0 and 32 for u = 1; yours are {first:.4g} and {last:.4g}."
    return "" if ends else f"From 2 to 32 the factor is 16: u = 0, 1/2, 1 are to give 2 · 16⁰ = 2, 2 · 16^(1/2) = 8, 2 · 16 = 32; yours are {first:.4g}, {middle:.4g}, {last:.4g}."

def test_of_52F(u, low, high, of):
    right = math.exp((1 - u) * math.log(low) + u * math.log(high))
    answer, call = log_uniform(u, low, high), f"log_uniform({u}, {low}, {high})"
    assert_type(answer, (float, int, torch.Tensor), call, of=of)
    again = log_uniform(u, low, high)
    assert_true(not abs(float(again) - float(answer)) > 1e-9 * abs(float(answer)), f"{call}, called twice, gives the same number; yours {float(answer):.5g} and {float(again):.5g}", of=of, hint="Nothing is drawn here: u says how far to go.")
    assert_close(float(answer), right, call, of=of, rtol=1e-5, hint=lambda: which_52F() or "From 2 to 32 yours is right: it is right for these numbers, too, if low is multiplied by the power u of high / low, and nothing is rounded or cut off.",
                 mistakes={"Brackets: the power belongs to the whole quotient high / low.": low * high / low ** u, "The quotient high / low is raised to the power u, not multiplied by it.": high * u, "Power and logarithm belong to one base: math.exp goes with math.log, a power of 10 with math.log10.": math.exp(math.log10(right)), "The factor is the quotient high / low, not the difference.": low * (high - low) ** u, "Multiply low by the factor, do not add it.": low + (high / low) ** u,
                           "Begin at low: this is the factor alone, without low." if u else "Begin at low: a power with the exponent 0 is 1, and low stands before it as a factor.": (high / low) ** u, "The ends are low and high, not always 0.01 and 1.": 10 ** (2 * u - 2),
                            "The ends are low and high, not the powers of 10 next to them: no logarithm is rounded.":
                                10 ** ((1 - u) * round(math.log10(low)) + u * round(math.log10(high)))} | ({"That is u of the way on the ordinary scale.": low + u * (high - low), "u = 0 is low, u = 1 is high.": high * (low / high) ** u, "This is the logarithm: take the power.": math.log(right), "This is the logarithm to base 10: take the power.": math.log10(right), "Do not round.": round(right, 4),
                                "This bends the way as for the factor 10, whatever low and high are: the factor is high / low.":
                                    low + (high - low) * (10 ** u - 1) / 9} if 0 < u < 1 else {"u = 0 is low, u = 1 is high.": low + high - right, "This is the logarithm: take the power.": math.log(right), "This is the logarithm to base 10: take the power.": math.log10(right), "The inverse of math.log is math.exp, not a power of 10.": 10 ** math.log(right), "The way begins at low and has the factor high / low: a power of high alone ends elsewhere.": low * high ** u if u else -1.0}))

test_of_52F(0, 40.0, 200.0, "ends")
test_of_52F(0, 0.03, 2.0, "ends")
test_of_52F(1, 0.02, 3.0, "ends")
test_of_52F(0.5, 1, 100, "between")
test_of_52F(0.25, 0.001, 10.0, "between")
test_of_52F(0.9, 1e-7, 2e5, "between")
test_of_52F(0.05, 1e-7, 2e5, "between")
### BEGIN HIDDEN TESTS
for u_, low_, high_, of_ in ((0.0, 5.0, 7.0, "ends"), (1.0, 1e-5, 0.3, "ends"), (0.3, 0.5, 40.0, "between"), (0.9, 1e-4, 1e-1, "between"), (0.6, 2, 3, "between"), (0.02, 1e-9, 1e6, "between"), (0.97, 1e-9, 1e6, "between")):
    test_of_52F(u_, low_, high_, of_)
### END HIDDEN TESTS

# %% [markdown] task="5.2.5a" kind="code" minutes=10 difficulty=2 needs="random search, log-uniform draw, python's random generator"
# ### Draw configurations
#
# Write `draw_configs(n, seed)`: a list of n dictionaries, each a configuration.
#
# **You are done when**
# - **keys**: there are n dictionaries with the keys `"lr"`, `"width"`, `"depth"`, `"epochs"`;
# - **learning rate**: it lies between 0.01 and 1, log-uniformly;
# - **width**: it is 4, 8, 16 or 32, with equal probability;
# - **depth**: it is 1 or 2, with equal probability;
# - **epochs**: it is a whole number from 5 to 20, both included, with equal probability;
# - **independent**: the four draws of a configuration are independent, and so are the configurations;
# - **seed**: the same seed gives the same list; the lists of two seeds, however long, have no configuration in common.

# %% exercise="5.2.5a"
def draw_configs(n, seed):
    """n random configurations: dictionaries with "lr", "width", "depth", "epochs"."""
    ### BEGIN SOLUTION
    rng = random.Random(seed)
    return [{"lr": 10 ** rng.uniform(-2, 0), "width": rng.choice([4, 8, 16, 32]), "depth": rng.choice([1, 2]),
             "epochs": rng.randint(5, 20)} for _ in range(n)]
    ### END SOLUTION

# %% [markdown] hints="5.2.5a"
# 1. Which of the four draws needs the logarithmic scale?
# 2. A generator of your own, `random.Random(seed)` or `torch.Generator().manual_seed(seed)`, made once for the whole list.
# 3. Log-uniform between 1 and 1000: `10 ** rng.uniform(0, 3)`. A third of the draws lies between 1 and 10.

# %% check="5.2.5a" points=3
def plain_of_525a(config):
    return type(config) is dict and list(map(type, map(config.get, ("lr", "width", "depth", "epochs")))) == [float, int, int, int] and \
        len(config) == 4

def configs_of_525a(n, seed):
    configs = draw_configs(n, seed)
    assert_type(configs, (list, tuple), f"what draw_configs({n}, {seed}) returns", of="keys")
    assert_equal(len(configs), n, f"the number of configurations of draw_configs({n}, {seed})", of="keys")
    for config in [config for config in configs if not plain_of_525a(config)]:      # one by one they take seconds
        assert_type(config, dict, f"an entry of draw_configs({n}, {seed})", of="keys")
        assert_equal(set(config), {"lr", "width", "depth", "epochs"}, f"the keys of a configuration of draw_configs({n}, {seed})", of="keys")
        assert_type(config["lr"], (float, int), f"lr in draw_configs({n}, {seed})", of="learning rate")
        for key in ("width", "depth", "epochs"):
            assert_type(config[key], int, f"{key} in draw_configs({n}, {seed})", of=key)
    return [tuple(config[key] for key in ("lr", "width", "depth", "epochs")) for config in configs]

def spread_of_525a(n, seed):
    drawn, call = configs_of_525a(n, seed), f"draw_configs({n}, {seed})"
    if len(set(drawn)) > 1:
        kinds = len({c[0] for c in drawn})
        assert_true(any(c[0] != round(c[0], 3) for c in drawn), f"the rates of {call} are any numbers between 0.01 and 1", of="learning rate", hint=
                    "All these rates end after three decimals or fewer: do not round a rate." if kinds > 10 else
                    f"The rates take too few values, {kinds} in all: draw the exponent as a number with a fraction, not from a list.")
    assert_true(len(set(drawn)) > 0.95 * n, f"of the {n} configurations of {call} hardly two are equal; yours: {len(set(drawn))} different ones", of="independent",
                hint=lambda: "Draw each configuration anew." if len(set(drawn)) > 1
                else "Make the generator once, before the loop: with a new one of the same seed each configuration is the first again."
                if drawn[0] == configs_of_525a(1, seed)[0]
                else "These are all the last one drawn: make a new dictionary for each configuration.")
    margin = 5 * 0.5 / math.sqrt(n)
    rates = [math.log10(c[0]) if c[0] > 0 else -9.0 for c in drawn]
    assert_true(min(rates) > -2.0001 and max(rates) < 0.0001, f"all rates of {call} lie between 0.01 and 1; yours from {min(c[0] for c in drawn):.4f} to {max(c[0] for c in drawn):.4f}", of="learning rate", hint="As powers of 10: the exponent runs from -2 to 0.")
    assert_true(min(rates) < -1.5 and max(rates) > -0.5, f"the rates of {call} reach nearly from 0.01 to 1; yours from {min(c[0] for c in drawn):.4f} to {max(c[0] for c in drawn):.4f}", of="learning rate", hint="Power and exponent belong to one base: 10 ** u with u from -2 to 0, or math.exp with logarithms by math.log.")
    for bound, share in ((-1.9, 0.05), (-1.5, 0.25), (-1.0, 0.5), (-0.5, 0.75)):
        found = sum(rate < bound for rate in rates) / n
        assert_true(abs(found - share) < (margin if share > 0.1 else 0.02), f"the share of rates below {10 ** bound:.3f} in {call} is about {share}; yours {found:.3f}", of="learning rate", hint="Uniform on the logarithmic scale, from 0.01 to 1: draw the exponent.")
    assert_true(len(set(rates)) > 0.97 * n, f"the rates of {call} are any numbers, hardly one twice; yours: {len(set(rates))} different ones among {n}", of="learning rate", hint="Draw the exponent uniformly, as a number with a fraction: do not round, and do not clip what lies outside.")
    for place, key, choices in ((1, "width", (4, 8, 16, 32)), (2, "depth", (1, 2)), (3, "epochs", tuple(range(5, 21)))):
        values = [c[place] for c in drawn]
        assert_equal(sorted(set(values)), list(choices), f"the values of {key} that occur in {call}", of=key, hint=f"From {choices[0]} to {choices[-1]}, both included." if key == "epochs" else "")
        worst = max(abs(values.count(choice) / n - 1 / len(choices)) for choice in choices)
        even, shares = n / len(choices), [values.count(choice) for choice in choices]
        ends_rarer = len(choices) > 2 and max(shares[0], shares[-1]) < 0.75 * even and min(shares[1:-1]) > 0.75 * even
        uneven = worst >= 5 * math.sqrt(1 / len(choices) / n)
        often, rare = choices[shares.index(max(shares))], choices[shares.index(min(shares))]
        assert_true(not uneven, f"the values of {key} in {call} are equally frequent" + (f"; yours: {often} occurs {max(shares)} times, {rare} {min(shares)} times" if uneven else ""), of=key,
                    hint=f"The first and the last, {choices[0]} and {choices[-1]}, are rarer than the others: a number drawn evenly and then rounded does that. Draw a whole number, or choose from the list." if ends_rarer else
                    f"Each of the {len(choices)} has the same probability, about {n // len(choices)} of {n}.")
    table = torch.tensor([[rate, math.log2(c[1]), c[2], c[3]] for rate, c in zip(rates, drawn)], dtype=torch.float64)
    off = torch.corrcoef(table.T).abs() - torch.eye(4)
    pair = [("lr", "width", "depth", "epochs")[place] for place in divmod(off.argmax().item(), 4)]
    assert_true(off.max().item() < 5 / math.sqrt(n), f"no two entries of the configurations of {call} are correlated" + (f"; yours: {pair[0]} and {pair[1]}" if off.max().item() >= 5 / math.sqrt(n) else ""), of="independent",
                hint=f"Does each entry have a draw of its own? Here {pair[0]} and {pair[1]} come from the same random numbers: "
                "make one generator, and draw from it once for each entry.")
    later = torch.corrcoef(torch.cat([table[:-1], table[1:]], dim=1).T)[:4, 4:].abs()
    one, two = (("lr", "width", "depth", "epochs")[place] for place in divmod(later.argmax().item(), 4))
    assert_true(later.max().item() < 5 / math.sqrt(n), f"a configuration of {call} and the next are not correlated" + (f"; yours: {one} of one and {two} of the next" if later.max().item() >= 5 / math.sqrt(n) else ""), of="independent",
                hint="Draw each configuration at random, not in a fixed order" + (f": here {one} follows from its place in the list, or from the configuration before." if one == two else "."))
    groups = {"lr": [min(int((rate + 2) * 2), 3) for rate in rates], "width": [c[1] for c in drawn], "depth": [c[2] for c in drawn], "epochs": [(c[3] - 5) // 4 for c in drawn]}
    strange = []
    for one, first in groups.items():
        for two, second in groups.items():
            for what, pairs in (("of a configuration", list(zip(first, second))), ("of the next configuration", list(zip(first, second[1:])))):
                shares = [pairs.count((a, b)) / len(pairs) - first.count(a) * second.count(b) / n ** 2 for a in set(first) for b in set(second)]
                if (one != two or "next" in what) and max(map(abs, shares)) > 5 * math.sqrt(1 / len(shares) / n):
                    strange.append(f"{one} and {two} {what}")
    assert_true(not strange, f"in {call} each value of one entry goes with each of another as often as chance has it" + (f"; not so: {strange[0]}" if strange else ""), of="independent", hint="Does each entry have a draw of its own?")

def dealt_of_525a(n, seeds):
    """Lists of n: how often the rates lie one in each n-th of the scale, or the widths, or the depths are equally many."""
    lists = [configs_of_525a(n, seed) for seed in seeds]
    what = f"the lists draw_configs({n}, seed) for the seeds {seeds[0]} to {seeds[-1]}"
    for key, of_config, kinds in (("lr", lambda c: min(int(n * (math.log10(c[0]) + 2) / 2), n - 1), n),
                                  ("width", lambda c: c[1], 4), ("depth", lambda c: c[2], 2)):
        parts = [[of_config(c) for c in drawn] for drawn in lists]
        even = sum(all(part.count(value) == n // kinds for value in part) for part in parts) / len(parts)
        says = f"each {key} occurs equally often" if key != "lr" else f"each of {n} equal parts of the logarithmic scale holds one rate"
        assert_true(even < 0.8, f"of {what}, by chance only some are such that {says}" + (f"; yours: {even:.0%}" if even >= 0.8 else ""),
                    of="independent", hint="The values are dealt out evenly over a list, so each configuration depends on the others:"
                    " draw each without a look at them.")

def common_of_525a(n, one, two):
    """How many configurations two lists share whose rate occurs once in its list: by chance hardly one."""
    lists = [configs_of_525a(n, seed) for seed in (one, two)]
    return len(set.intersection(*({c for c in drawn if rates.count(c[0]) == 1} for drawn, rates in ((drawn, [c[0] for c in drawn]) for drawn in lists))))

spread_of_525a(3000, 0)
assert_true(configs_of_525a(5, 0) == configs_of_525a(5, 0), "draw_configs(5, 0), called twice, gives the same list", of="seed", hint="Use a generator with this seed, in each call a new one.")
assert_true(configs_of_525a(5, 0) != configs_of_525a(5, 1), "the seeds 0 and 1 give different lists", of="seed", hint="Pass the argument `seed` on.")
assert_true(not set(configs_of_525a(20, 0)) & set(configs_of_525a(20, 1)), "draw_configs(20, 0) and draw_configs(20, 1) have no configuration in common", of="seed", hint="One generator for the whole list: with seed + i for number i, the lists of neighbouring seeds overlap.")
assert_true(not set(configs_of_525a(20, 0)) & set(configs_of_525a(10, 1)), "draw_configs(20, 0) and draw_configs(10, 1) have no configuration in common", of="seed", hint="One generator with this seed for the whole list: seeds that are counted on from configuration to configuration meet those of another list.")
assert_true(common_of_525a(3000, 0, 1) < 5, "draw_configs(3000, 0) and draw_configs(3000, 1) have no configurations in common", of="seed", hint="One generator with this seed for the whole list: seeds such as 100 * seed + i meet those of another list.")
assert_true(configs_of_525a(5, 3) != configs_of_525a(5, 13), "the seeds 3 and 13 give different lists", of="seed", hint="Pass the argument `seed` on as it is.")
dealt_of_525a(4, range(60))
configs_of_525a(0, 4)
### BEGIN HIDDEN TESTS
spread_of_525a(4000, 7)
configs_of_525a(1, 2)
dealt_of_525a(8, range(300, 340))
assert_true(configs_of_525a(20, 8) != configs_of_525a(20, 1008), "two seeds far from each other give different lists", of="seed", hint="Pass the argument `seed` on as it is.")
assert_true(not set(configs_of_525a(30, 40)) & {c for seed in (41, 42, 50) for c in configs_of_525a(30, seed)}, "lists of neighbouring seeds have no configuration in common", of="seed", hint="One generator with this seed for the whole list: seeds that are counted on meet those of another list.")
assert_true(common_of_525a(2500, 30, 31) < 5 and not set(configs_of_525a(40, 3)) & set(configs_of_525a(20, 4)), "long lists of two seeds, or lists of different lengths, have no configurations in common", of="seed", hint="One generator with this seed for the whole list: seeds that are made of seed and number meet those of another list.")
assert_true(configs_of_525a(6, 77) == configs_of_525a(6, 77), "another seed, called twice, gives the same list", of="seed", hint="Use a generator with this seed, in each call a new one.")
### END HIDDEN TESTS

# %% [markdown] teaches="choice by validation, test set at the end"
# Who tries 20 configurations and takes the best has let the validation part choose. Its accuracy for the winner is then too good on average: the largest of 20 noisy numbers is large partly by luck. How much by luck? Twenty networks with *no* difference, each right on each of 300 points with probability 0.8:

# %% tags=["demo"] teaches="choice by validation"
coins = (torch.rand(1000, 20, 300, generator=torch.Generator().manual_seed(0)) < 0.8).float().mean(dim=2)       # 1,000 times 20 accuracies
print(f"mean of all: {coins.mean():.3f}   mean of the best of 20: {coins.max(dim=1).values.mean():.3f}")

# %% [markdown]
# The best of twenty equals looks 0.04 better than it is: 0.842 in place of 0.800. Hence a third part of the data, the test part, which is looked at *once*, after the choice, for the chosen network alone.

# %% [markdown] task="5.2.5b" kind="experiment" minutes=18 difficulty=3 needs="random search, choice by validation, configuration, test set"
# ### Search, and report honestly
#
# Write `search(configs, points, seed)`. `points` holds six tensors, `(X, y, X_val, y_val, X_test, y_test)`. It trains a network for each configuration of the list (`run` takes the first two tensors and ignores the others), and returns a dictionary: `"val_acc"`, the list of the validation accuracies;
# `"best"`, the index of the highest; `"test_acc"`, the accuracy of that network on the test part.
#
# Then search among `draw_configs(20, 0)`, or 20 configurations of your own, on `(*ring_data, *rings(300, seed=3))` with seed 0, and report in words: (1) the best configuration, its validation and its test accuracy; (2) why the test part must not choose, and which way the validation accuracy of the best is biased; (3) which of the four settings mattered most, with evidence from the 20 runs.
#
# **You are done when** your words have all three points, and
# - **validation accuracies**: there is one for each configuration, in their order and not rounded, of a new network that was trained on X, y with all of its settings (also `"activation"` and `"std"` where it has them) and the seed;
# - **best**: it is the index of the highest validation accuracy;
# - **equal accuracies**: of several equally high ones it is the first;
# - **test accuracy**: it is that of the *best* network, neither of the last one nor the highest of all, and not rounded.

# %% exercise="5.2.5b"
def search(configs, points, seed):
    """Trains every configuration; {"val_acc": list, "best": index, "test_acc": float}."""
    ### BEGIN SOLUTION
    nets = [run(config, points, seed)[0] for config in configs]
    val_acc = [accuracy(net, points[2], points[3]) for net in nets]
    best = val_acc.index(max(val_acc))
    return {"val_acc": val_acc, "best": best, "test_acc": accuracy(nets[best], points[4], points[5])}
    ### END SOLUTION

# %% [markdown] hints="5.2.5b"
# 1. Which part of the data may choose the configuration, and what is left to the other?
# 2. Keep the networks, or the best so far, so that the test part is looked at once. `values.index(max(values))` is the index of the first largest.
# 3. Throw 20 fair dice 10 times each and take the best die: its mean is above 3.5, though it is a die like the others.

# %% check="5.2.5b" points=3
def in_one_stream_525b(configs, points, seed):
    """The validation accuracies where the seed was set once, before the first network."""
    torch.manual_seed(seed)
    values = []
    for config in configs:
        net = make_net(points[0].shape[1], config)
        fit(net, *points[:2], config["epochs"], config["lr"], seed)
        values.append(accuracy(net, *points[2:4]))
    return values

def accuracies_of_525b(configs, points, seed, train=slice(0, 2)):
    nets, losses = zip(*(run(config, points[train], seed) for config in configs))
    return [*([accuracy(net, *points[2 * k:2 * k + 2]) for net in nets] for k in range(3)), list(losses)]

@probe
def search_with(name, configs, points, seed):
    """search with the activation function of this name in each configuration."""
    return search([{**config, "activation": {"tanh": nn.Tanh, "sigmoid": nn.Sigmoid}[name]} for config in configs], points, seed)

def test_of_525b(configs, points, seed, what, activation=None):
    given = [dict(config) for config in configs]
    found = search(given, points, seed) if activation is None else search_with(activation, given, points, seed)
    configs = configs if activation is None else [{**config, "activation": {"tanh": nn.Tanh, "sigmoid": nn.Sigmoid}[activation]} for config in configs]
    assert_type(found, dict, f"what search returns for {what}", of="validation accuracies")
    assert_equal(set(found), {"val_acc", "best", "test_acc"}, f"the keys of the result for {what}", of="validation accuracies")
    assert_type(found["val_acc"], (list, tuple, torch.Tensor), f"val_acc for {what}", of="validation accuracies")
    assert_equal(len(found["val_acc"]), len(configs), f"the number of validation accuracies for {what}", of="validation accuracies", hint="One for each configuration, the first and the last included.")
    training, validation, test, losses = accuracies_of_525b(configs, points, seed)
    yours = [float(value) for value in found["val_acc"]]
    mistakes = {}
    if max(abs(a - b) for a, b in zip(yours, validation)) > 0.006:
        both = (torch.cat(points[0:4:2]), torch.cat(points[1:4:2]), *points[2:])
        mistakes = {"These are accuracies on the training part.": training, "These are accuracies on the test part.": test, "The seed is `seed`, not 0.": accuracies_of_525b(configs, points, 0)[1], "The seed is the same for each configuration.": [accuracy(run(config, points, seed + i)[0], *points[2:4]) for i, config in enumerate(configs)],
                    "Train on X and y alone: these networks have seen the validation part, too.": accuracies_of_525b(configs, both, seed)[1],
                    "Set the seed anew for each configuration: each of these networks was drawn after the one before.": in_one_stream_525b(configs, points, seed)}
        mistakes |= {f"Use the {key} of each configuration.": accuracies_of_525b([{**config, key: value} for config in configs], points, seed)[1]
                     for key, value in (("depth", 1), ("width", 32), ("lr", 0.3), ("epochs", 20)) if any(config[key] != value for config in configs)}
        mistakes |= {"An accuracy is a share, not a percentage.": [100 * value for value in validation], "The accuracies stand in the order of the configurations, not sorted.": sorted(validation), "They stand in the order of the configurations, not from the best on.": sorted(validation)[::-1]}
        if any("activation" in config for config in configs):
            mistakes["Keep the entry \"activation\" of a configuration, too."] = accuracies_of_525b([{key: value for key, value in config.items() if key != "activation"} for config in configs], points, seed)[1]
        if any("std" in config for config in configs):
            mistakes["Keep the entry \"std\" of a configuration, too."] = accuracies_of_525b([{key: value for key, value in config.items() if key != "std"} for config in configs], points, seed)[1]
    if mistakes and activation is None and not any(max(abs(a - b) for a, b in zip(yours, slip)) < 0.002 for slip in mistakes.values()):
        again = [float(value) for value in search([dict(config) for config in configs], points, seed)["val_acc"]]
        assert_true(max(abs(a - b) for a, b in zip(yours, again)) < 1e-6, f"val_acc for {what}: a second call gives the same; yours {[round(value, 4) for value in yours]} and {[round(value, 4) for value in again]}", of="validation accuracies",
                    hint="Each network begins with torch.manual_seed(seed) before make_net, as `run` does: here the random numbers depend on what was drawn before.")
    assert_close(yours, validation, f"val_acc for {what}", rtol=0., atol=0.006, mistakes=mistakes, of="validation accuracies", hint="A new network for each configuration, trained by `run` with it, these points and this seed, and measured on X_val, y_val.")
    hits = [value * len(points[3]) for value in yours]
    if any(abs(value - round(value)) >= 0.01 for value in hits):
        assert_true(False, f"each of val_acc for {what} is a number of right answers divided by {len(points[3])}; yours {yours}", of="validation accuracies", hint="Do not round." if any(yours == [round(value, d) for value in validation] for d in range(6)) else "Take the shares of right answers as `accuracy` gives them.")
    best, by_loss = validation.index(max(validation)), losses.index(min(losses))
    assert_type(found["best"], (int, torch.Tensor), f"best for {what}", of="best", hint="The index of the configuration in the list, not the configuration or its accuracy.")
    equal = validation.count(max(validation)) > 1
    assert_equal(int(found["best"]), best, f"best for {what}", of="equal accuracies" if equal else "best", hint="The index of the highest validation accuracy, the first of equal ones.",
                 mistakes={"Of equal accuracies take the first.": len(validation) - 1 - validation[::-1].index(max(validation))} if equal else
                 {"The test part must not choose.": test.index(max(test)), "Choose by the validation part, not by the training part.": training.index(max(training)), "An index counts from 0.": best + 1,
                  **({"Choose by the validation accuracy, not by the training loss.": by_loss} if by_loss != training.index(max(training)) else {})})
    assert_type(found["test_acc"], (float, int, torch.Tensor), f"test_acc for {what}", of="test accuracy",
                mistakes={"It is one number, the test accuracy of the best network: the test part is looked at once, for this network alone.": (list, tuple)})
    assert_close(float(found["test_acc"]), test[best], f"test_acc for {what}", rtol=0., atol=0.006, of="test accuracy", hint="Measure the chosen network, on X_test and y_test.",
                 mistakes={"This is the accuracy of the network trained last, not of the best.": test[-1], "This is the highest test accuracy of all; test_acc is that of the network that validation has chosen.": max(test),
                           "Measure the network that was chosen: this one was trained once more, with another seed.": accuracy(run(configs[best], points, seed + 1)[0], *points[4:]),
                           "This is the validation accuracy.": validation[best], "An accuracy is a share, not a percentage.": 100 * test[best],
                           "Measure the network that was chosen: this one was trained once more, on X_val, too.": accuracy(run(configs[best], (torch.cat(points[0:4:2]), torch.cat(points[1:4:2])), seed)[0], *points[4:])})
    hits = float(found["test_acc"]) * len(points[5])
    if abs(hits - round(hits)) >= 0.01:
        assert_true(False, f"test_acc for {what} is a number of right answers divided by {len(points[5])}; yours {float(found['test_acc'])}", of="test accuracy", hint="Do not round." if float(found["test_acc"]) in [round(test[best], d) for d in range(6)] else "Take the share of right answers as `accuracy` gives it.")

four_525b = [{"lr": 0.5, "width": 16, "depth": 1, "epochs": 6}, {"lr": 0.4, "width": 32, "depth": 2, "epochs": 15}, {"lr": 0.02, "width": 4, "depth": 1, "epochs": 5}, {"lr": 0.15, "width": 8, "depth": 2, "epochs": 12}]
def shifted_525b(sizes, columns, seed, share):
    """Six tensors; a share of the test labels is exchanged, so that the test part prefers others."""
    parts = [rings(n, seed + k, columns) for k, n in enumerate(sizes)]
    X, y, X_val, y_val, X_test, y_test = [t for pair in parts for t in pair]
    luck = torch.rand(len(y_test), generator=torch.Generator().manual_seed(seed)) < share
    return X, y, X_val, y_val, X_test, torch.where(luck, 2 - y_test, y_test)

test_of_525b([four_525b[k] for k in (3, 1, 0, 2)], (*ring_data, *rings(300, seed=3)), 0, "four configurations, ring_data, the test part rings(300, seed=3) and seed 0")
test_of_525b([four_525b[2], {**four_525b[0], "std": 1.2}], shifted_525b((210, 190, 230), 2, 65, 0.1), 4, 'two configurations, the second with "std" 1.2, and seed 4')
test_of_525b([four_525b[k] for k in (0, 3, 1, 2)], shifted_525b((270, 200, 240), 3, 15, 0.95), 2, "four configurations, points with 3 columns, most test labels exchanged, seed 2")
test_of_525b([four_525b[2], four_525b[0], four_525b[2], four_525b[0]], shifted_525b((250, 220, 210), 2, 25, 0.3), 5, "four configurations, of which the second and the fourth are the same, seed 5")
test_of_525b([four_525b[0], {**four_525b[3], "depth": 1}], shifted_525b((220, 200, 180), 2, 85, 0.1), 3, 'two configurations with "activation" nn.Tanh, seed 3', activation="tanh")
### BEGIN HIDDEN TESTS
five_525b = [{"lr": 0.05, "width": 8, "depth": 1, "epochs": 11}, {"lr": 0.6, "width": 4, "depth": 2, "epochs": 8}, {"lr": 0.3, "width": 24, "depth": 3, "epochs": 14}, {"lr": 0.3, "width": 24, "depth": 1, "epochs": 4}, {"lr": 0.01, "width": 5, "depth": 2, "epochs": 3}]
test_of_525b(five_525b, shifted_525b((220, 260, 230), 4, 35, 0.9), 8, "five configurations of other kinds, most test labels exchanged")
test_of_525b([five_525b[4], five_525b[2], five_525b[2], five_525b[0]], shifted_525b((200, 280, 240), 2, 45, 0.2), 3, "four configurations, two of them equal")
test_of_525b([{**five_525b[3], "std": 0.9}, {**five_525b[0], "std": 1.4}], shifted_525b((180, 170, 190), 3, 75, 0.2), 7, "two configurations with an entry std")
test_of_525b([{**five_525b[3], "lr": 2.0}, {**five_525b[0], "lr": 1.0}], shifted_525b((210, 190, 170), 2, 95, 0.2), 5, "two configurations, each with a sigmoid", activation="sigmoid")
test_of_525b(five_525b[:1], shifted_525b((100, 120, 140), 2, 55, 0.0), 1, "a single configuration")
### END HIDDEN TESTS

# %% [markdown] written="5.2.5b" points=3
# ### BEGIN SOLUTION
# 1. With `draw_configs(20, 0)` and seed 0 the best has rate 0.488, one layer of 32 units and 13 epochs: validation accuracy 0.913, test accuracy 0.897. The test part was looked at once, after the choice.
# 2. If the test part chooses, its accuracy is no longer that of an unseen sample: it is the largest of 20 noisy numbers, and so too high on average. The same holds for the validation accuracy of the chosen run, which is why the test accuracy is the one to report. With 300 examples and an accuracy of 0.9 the standard error is about 0.017.
# 3. The learning rate mattered most: the nine runs with a rate of at most 0.042 reach 0.523 at most, the eleven with 0.132 or more reach 0.607 at least, whatever their width, depth and epochs. Width comes next: the three runs with 32 units and a rate above 0.4 all reach 0.900. The number of epochs acts in the same direction as the rate, since rate times steps is how far a run gets.
#
# **Rubric**
# - [1] The best configuration with all four values and both accuracies; also accepted: several that cannot be told apart; lost by the validation accuracy alone.
# - [1] Choosing makes the number that chooses too good (largest of several noisy values), hence one look at the test part; also accepted: an estimate of the size of the effect; lost by "the test part is only more data".
# - [1] Which setting mattered most, from the runs (sorted, grouped or plotted); also accepted: width or epochs, where the own runs show it; lost by a claim without runs.
# ### END SOLUTION

# %% [markdown] teaches="timing with a clock, warm-up call, median of times"
# ## 12. How long does it take?
#
# "The library's layers are faster." Are they? A time is a measurement, and measurements can be spoilt. Three precautions:
#
# - **Warm-up.** The first call pays for things that later ones need not: memory, loading of routines. Make one call that does not count.
# - **Several times.** Other programs interrupt. They only ever make a time *longer*, and sometimes much longer, so the mean is spoilt by one interruption, the median is not; the shortest time is what the machine can do if left alone.
# - **The same work.** Equal numbers go in, equal results come out, or the comparison means nothing.
#
# `time.perf_counter()` is a clock for short times, in seconds. One takes the difference. (On a graphics card, work is only *ordered* by the call; there one calls `torch.cuda.synchronize()` before each look at the clock.)

# %% tags=["demo"] teaches="timing with a clock, warm-up call, median of times"
A_demo, B_demo = torch.randn(256, 784), torch.randn(784, 256)
measured = []
for _ in range(30):
    before = time.perf_counter()
    A_demo @ B_demo
    measured.append(1e3 * (time.perf_counter() - before))
later = sorted(measured[1:])
print(f"(256, 784) @ (784, 256), in milliseconds: first {measured[0]:.2f}; then shortest {later[0]:.2f}, median {later[14]:.2f}, mean {sum(later) / 29:.2f}, longest {later[-1]:.2f}")

# %% [markdown]
# (These numbers depend on your machine, so we do not quote them.) How does one test a function that measures time? By handing it another clock! If the clock is an argument, a check can pass one that it moves itself.

# %% [markdown] task="5.2.6a" kind="code" minutes=8 difficulty=2 needs="timing with a clock, warm-up call, median of times"
# ### A stopwatch that can be trusted
#
# Write `median_seconds(step, repeats, clock=time.perf_counter)`. `step` is a function without arguments, `repeats` an odd number, `clock` a function that returns the time in seconds. It calls `step` once to warm up, then `repeats` times, and returns the median of the times of these single calls.
#
# **You are done when**
# - **median**: the result is the median of the times of single calls, as `clock` shows them, in seconds and not rounded;
# - **warm-up**: the first call does not count;
# - **number of calls**: `step` is called repeats + 1 times.

# %% exercise="5.2.6a"
def median_seconds(step, repeats, clock=time.perf_counter):
    """The median time of a call of `step`, after a first call that does not count."""
    ### BEGIN SOLUTION
    step()
    times = []
    for _ in range(repeats):
        start = clock()
        step()
        times.append(clock() - start)
    return sorted(times)[repeats // 2]
    ### END SOLUTION

# %% [markdown] hints="5.2.6a"
# 1. Where must the clock be read, so that one call lies between two readings?
# 2. The median of an odd number of values is the middle one of the sorted list, with index `repeats // 2`.
# 3. The median of 5, 1 and 90 ms is 5 ms, the mean 32 ms.

# %% check="5.2.6a" points=2
@probe
def measure_with_our_clock(durations, repeats):
    """median_seconds of a step that takes these times by a clock of ours, and the number of calls."""
    state = {"now": 100.0, "calls": 0}

    def step():
        state["now"] += durations[min(state["calls"], len(durations) - 1)]
        state["calls"] += 1

    return [median_seconds(step, repeats, clock=lambda: state["now"]), state["calls"]]

def test_of_526a(durations, repeats):
    answer, calls = measure_with_our_clock(list(durations), repeats)
    counted = sorted(durations[1:])
    what = f"median_seconds of a step that takes {', '.join(map(str, durations))} s, repeats = {repeats}"
    assert_type(answer, (float, int, torch.Tensor), what, of="median")
    yours = float(answer)
    assert_true(calls > repeats, f"{what}: the number of calls of the step is {repeats + 1}; yours {calls}", of="warm-up" if calls > repeats else "number of calls", hint="One call to warm up, and after it `repeats` calls that count.")
    assert_true(calls == repeats + 1, f"{what}: the number of calls of the step is {repeats + 1}; yours {calls}", of="number of calls", hint="One call to warm up, and after it `repeats` calls that count.")
    with_first, mean = sorted(durations), sum(counted) / repeats
    two_calls = "The first of these times holds two calls, that for the warm-up, too: read the clock after it."
    slips = {"A time is the later reading of the clock minus the earlier one, not the other way round.": -counted[repeats // 2], "This is the mean, not the median.": mean, "This is the mean of the shortest and the longest time.": (counted[0] + counted[-1]) / 2, "This is the shortest time, not the median.": counted[0], "This is the time of all calls together.": sum(counted), "The times are to be sorted.": durations[1 + repeats // 2],
             "Read the clock anew before each call: these times all run from one beginning.": sum(durations[1:2 + repeats // 2]),
             "The first call must not count: this is the median of all calls, with it.": (with_first[repeats // 2] + with_first[(repeats + 1) // 2]) / 2,
             "The middle one has the index repeats // 2, counted from 0: this is the one after it.": counted[min(repeats // 2 + 1, repeats - 1)],
             "The middle one has the index repeats // 2, counted from 0: this is the one before it.": counted[max(repeats // 2 - 1, 0)],
             "This is the longest time.": counted[-1],
             two_calls: sorted([durations[0] + durations[1], *durations[2:]])[repeats // 2],
             "The first call must not count: its time is among those of which this is the median. Leave it out before you sort: the first of the sorted times is the shortest.":
                 next((value for value in with_first[repeats // 2:(repeats + 3) // 2] if value != counted[repeats // 2]), -1.0),
             "Do not round: a step may take a millionth of a second.": round(counted[repeats // 2], 3), "In seconds, not in milliseconds.": 1000 * counted[repeats // 2], "Take the time of a single call by `clock`.": 0.0, "Read the time from `clock`, the argument: this is another clock.": yours if 0 < yours < 1e-5 < counted[0] / 10 else -1.0}
    first_counts = abs(yours - sorted(durations[:-1])[repeats // 2]) < 1e-6 or abs(yours - slips[two_calls]) < 1e-6 or min(abs(yours - with_first[(repeats + 1) // 2]), abs(yours - (with_first[repeats // 2] + with_first[(repeats + 1) // 2]) / 2)) < 1e-6
    assert_close(yours, counted[repeats // 2], what, of="warm-up" if first_counts else "median", rtol=1e-6, mistakes=slips, hint="The middle one of the sorted times of single calls, read from `clock`, without the warm-up.")

test_of_526a([6.0, 7.0, 3.0, 30.0, 2.0, 1.0, 4.0, 9.0], 7)
test_of_526a([4.0, 5.0, 2.0, 30.0], 3)
test_of_526a([0.5, 2.5], 1)
test_of_526a([0.2, 0.00021, 0.0064, 0.00043, 0.0031, 0.00078], 5)
### BEGIN HIDDEN TESTS
test_of_526a([0.5, 0.011, 0.25, 0.013, 0.012, 0.9, 0.017, 0.019], 7)
test_of_526a([9.0, 8.0, 1.0, 40.0, 6.0, 2.0], 5)
test_of_526a([0.001, 5.0, 6.0, 60.0], 3)
test_of_526a([0.00004, 0.000031, 0.00012, 0.000057], 3)
### END HIDDEN TESTS

# %% [markdown] task="5.2.6b" kind="code" minutes=15 difficulty=3 needs="timing with a clock, concise multilayer perceptron, weight of shape (outputs, inputs)"
# ### The same step twice
#
# To compare "products written out" with "the library's layers", both must do the same step: forward with ReLU between the layers, mean cross-entropy, gradients of all parameters. Write `make_steps(Ws, bs, X, y)`. `Ws` and `bs` are lists of weights $(d_i, d_{i+1})$ and biases $(d_{i+1},)$, float32. It returns a dictionary
# with two functions without arguments, `"scratch"` and `"layers"`: the first uses products, the second `nn.Linear` layers that hold the same numbers. Each returns a pair: the loss, and the list of the gradients for W1, b1, W2, b2, ... in this order (for `nn.Linear` those of its `weight` and `bias`, with their shapes). The parameters are not changed by a step.
#
# **You are done when**
# - **losses**: both functions return the same, right loss, at every call;
# - **gradients**: both return the right gradients, in this order, at every call; those of `"layers"` have torch's shapes;
# - **layers are used**: `"layers"` calls an `nn.Linear` for each layer, `"scratch"` none;
# - **work**: each call goes forward and back anew, since its time is to be measured;
# - **arguments kept**: `Ws`, `bs`, `X` and `y` are as they were, and require no gradients afterwards.

# %% exercise="5.2.6b"
def make_steps(Ws, bs, X, y):
    """{"scratch": step, "layers": step}; a step returns (loss, gradients)."""
    ### BEGIN SOLUTION
    weights = [W.clone().requires_grad_() for W in Ws]
    biases = [b.clone().requires_grad_() for b in bs]
    layers = []
    for W, b in zip(Ws, bs):
        layer = nn.Linear(*W.shape)
        with torch.no_grad():
            layer.weight.copy_(W.T)
            layer.bias.copy_(b)
        layers += [layer, nn.ReLU()]
    net = nn.Sequential(*layers[:-1])

    def scratch():
        H = X
        for W, b in zip(weights[:-1], biases[:-1]):
            H = torch.relu(H @ W + b)
        loss = F.cross_entropy(H @ weights[-1] + biases[-1], y)
        return loss, list(torch.autograd.grad(loss, [p for pair in zip(weights, biases) for p in pair]))

    def concise_step():
        loss = F.cross_entropy(net(X), y)
        return loss, list(torch.autograd.grad(loss, list(net.parameters())))

    return {"scratch": scratch, "layers": concise_step}
    ### END SOLUTION

# %% [markdown] hints="5.2.6b"
# 1. How do you get `W` of shape (inputs, outputs) into a layer that keeps (outputs, inputs)? And which tensors must require gradients, if not the caller's own?
# 2. `with torch.no_grad(): layer.weight.copy_(W.T)`. `torch.autograd.grad(loss, list_of_tensors)` returns their gradients and adds nothing to `.grad`.
# 3. A function may return functions: `def adder(k): return lambda x: x + k`.

# %% check="5.2.6b" points=3
@probe
def both_steps(Ws, bs, X, y):
    """Loss and gradients of each step at its first and third call, and how often nn.Linear was called."""
    Ws, bs = [W.clone() for W in Ws], [b.clone() for b in bs]
    def of_shapes(error):
        if not any(part_of in str(error) for part_of in ("cannot be multiplied", "must match the size")):
            raise error
        return f"{type(error).__name__}: {error}"

    try:
        steps, found = make_steps(Ws, bs, X.clone(), y.clone()), {}
    except RuntimeError as error:
        return [of_shapes(error)]
    if not isinstance(steps, dict):
        return steps if steps is None else type(steps).__name__
    from torch.utils._python_dispatch import TorchDispatchMode

    class Counting(TorchDispatchMode):
        """Counts the operations on tensors."""
        def __init__(self):
            super().__init__()
            self.count = self.products = 0

        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            self.count += 1
            self.products += function.overloadpacket.__name__ in ("mm", "addmm", "bmm", "baddbmm")
            return function(*args, **(kwargs or {}))

    original = nn.Linear.forward
    for name in steps:
        if not callable(steps[name]):
            found[str(name)] = "no function"
            continue
        counted = []

        def noted(self, inputs):
            counted.append(1)
            return original(self, inputs)

        nn.Linear.forward = noted
        try:
            results = [steps[name](), steps[name]()]
            with Counting() as operations:
                results.append(steps[name]())
        except RuntimeError as error:
            found[str(name)] = of_shapes(error)
            continue
        finally:
            nn.Linear.forward = original
        plain = []
        for result in (results[0], results[2]):
            if not isinstance(result, (tuple, list)) or len(result) != 2:
                plain.append("no pair")
            else:
                loss, gradients = result
                plain.append([float(torch.as_tensor(loss).detach()), [g.detach().clone() if isinstance(g, torch.Tensor) else str(type(g).__name__) for g in gradients]])
        found[str(name)] = [plain[0], plain[1], len(counted) / 3, operations.count, operations.products]
    return found

@probe
def arguments_of_make_steps(Ws, bs, X, y):
    """The arguments after the steps have run, and how many of them require gradients or have some."""
    Ws, bs, X, y = [W.clone() for W in Ws], [b.clone() for b in bs], X.clone(), y.clone()
    steps = make_steps(Ws, bs, X, y)
    for name in steps:
        steps[name]()
    marked = sum(int(t.requires_grad or t.grad is not None) for t in (*Ws, *bs, X))
    return [[t.detach().clone() for t in (*Ws, *bs, X)], marked, y.clone()]

def numbers_526b(sizes, n, seed):
    generator = torch.Generator().manual_seed(seed)
    Ws = [torch.randn(a, b, generator=generator) / a ** 0.5 for a, b in zip(sizes, sizes[1:])]
    bs = [torch.randn(b, generator=generator) for b in sizes[1:]]
    return Ws, bs, torch.randn(n, sizes[0], generator=generator), torch.randint(0, sizes[-1], (n,), generator=generator)

def loss_of_526b(Ws, bs, X, y, end=False, between=True, reduction="mean"):
    leaves = [t.double().requires_grad_() for pair in zip(Ws, bs) for t in pair]
    H = X.double()
    for i in range(0, len(leaves), 2):
        H = H @ leaves[i] + leaves[i + 1]
        H = H.clamp(min=0) if (end if i == len(leaves) - 2 else between) else H
    loss = F.cross_entropy(H, y, reduction=reduction)
    return loss.item(), torch.autograd.grad(loss, leaves, allow_unused=True)

def test_of_526b(sizes, n, seed):
    given = numbers_526b(sizes, n, seed)
    found, what = both_steps(*given), f"sizes {', '.join(map(str, sizes))} and {n} examples"
    shapes_hint = "nn.Linear(inputs, outputs) keeps its weight as (outputs, inputs): a W of shape (inputs, outputs) goes into it as W.T."
    assert_true(not isinstance(found, list), f"make_steps for {what} ends without an error; yours with {found[0] if isinstance(found, list) else ''}", of="losses", hint=shapes_hint)
    assert_type(found, dict, f"what make_steps returns for {what}", of="losses")
    assert_equal(set(found), {"scratch", "layers"}, f"the keys of the result for {what}", of="losses")
    right, gradients = loss_of_526b(*given)
    for name in ("scratch", "layers"):
        assert_true(not (isinstance(found[name], str) and "Error" in found[name]), f"a call of {name!r} for {what} ends without an error; yours with {found[name]}", of="losses", hint=shapes_hint if name == "layers" else "Ws[i] has the shape (inputs, outputs): X @ W + b.")
        assert_type(found[name], list, f"what stands at {name!r} for {what}: a function", of="losses", hint="A function without arguments, that does the step when it is called, and not its result.")
        for which, result in (("first", found[name][0]), ("third", found[name][1])):
            where = f"the {which} call of {name!r} for {what}"
            assert_type(result, list, f"what comes back, {where}: a pair", of="losses", hint="Return a pair (loss, gradients).")
            if (name, which) == ("layers", "first") and not abs(result[0] - right) < 1e-3:
                other = both_steps(*given)[name][0][0]
                assert_true(abs(other - result[0]) < 1e-6, f"the loss, {where}: steps made once more from the same arguments have the same; yours {result[0]:.4f} and {other:.4f}", of="losses", hint="Copy Ws and bs into weight and bias of the nn.Linear layers: no random start.")
            assert_close(result[0], right, f"the loss, {where}", of="losses", rtol=1e-4, hint="It is the mean cross-entropy of the scores that Ws and bs, as they are, give for X." if which == "first" else "The first call was right: a step must change no parameter.",
                         mistakes={"Use all layers: this is the loss with the first and the last alone.": loss_of_526b([given[0][0], given[0][-1]], [given[1][0], given[1][-1]], *given[2:])[0] if len(sizes) > 3 and sizes[1] == sizes[-2] else -1.0,
                                   "There is a ReLU after the last layer, too.": loss_of_526b(*given, end=True)[0], "The ReLU between the layers is missing.": loss_of_526b(*given, between=False)[0],
                                   "A weight of nn.Linear is W.T: reshape and view leave the numbers in their order.": loss_of_526b([W.reshape(W.T.shape).T for W in given[0]], *given[1:])[0],
                                   "This is the sum over the examples, not the mean.": loss_of_526b(*given, reduction="sum")[0],
                                   "Fill the biases with `bs`, too.": loss_of_526b(given[0], [0 * b for b in given[1]], *given[2:])[0]})
            assert_equal(len(result[1]), len(gradients), f"the number of gradients, {where}", of="gradients", hint="One for each weight and each bias.")
            wanted = [g.T if name == "layers" and g.ndim == 2 else g for g in gradients]
            for i, (gradient, expected) in enumerate(zip(result[1], wanted)):
                label = f"the gradient for {'Wb'[i % 2]}{i // 2 + 1}, {where}"
                assert_type(gradient, torch.Tensor, label, of="gradients")
                assert_shape(gradient, tuple(expected.shape), "the shape of " + label, of="gradients", hint="This is its transpose: hand over the gradient of nn.Linear's weight as it is, (outputs, inputs)."
                             if name == "layers" and gradient.ndim == 2 and gradient.shape == expected.T.shape else
                             "The order is W1, b1, W2, b2, ...: after each weight the bias of its layer.")
                assert_close(gradient, expected.float(), label, of="gradients", rtol=1e-3, atol=1e-5, hint="Gradients add up in `.grad`: begin each step without the old ones." if which == "third" else "The gradient of the mean cross-entropy, by autograd.",
                             mistakes={"This is the gradient three times: `.grad` adds up.": 3 * expected.float(), "This is the gradient of the sum over the examples.": n * expected.float(), "This is its transpose.": expected.float().T if expected.ndim == 2 and expected.shape[0] == expected.shape[1] else torch.zeros(0)})
        assert_true(found[name][3] >= 4 * len(given[0]), f"a third call of {name!r} computes the loss and the gradients, {what}; operations on tensors: {found[name][3]}", of="work", hint="Do the step inside the function: a result that is kept costs no time.")
        assert_true(not 0 < found[name][4] < 3 * len(given[0]) - 1, f"a third call of {name!r} goes forward and back, {what}: {len(given[0])} products forward and {2 * len(given[0]) - 1} back; yours {found[name][4]} in all", of="work", hint="Compute scores and loss inside the function, too: with a graph that is kept (retain_graph) only the way back is timed.")
        calls = int(found[name][2]) if found[name][2] == int(found[name][2]) else found[name][2]
        assert_equal(calls, len(sizes) - 1 if name == "layers" else 0, f"how often a call of {name!r} calls an nn.Linear layer, {what}", of="layers are used", hint='"layers" passes the data through nn.Linear layers, "scratch" uses products of tensors.')

def kept_526b(sizes, n, seed):
    given = numbers_526b(sizes, n, seed)
    after, marked, labels = arguments_of_make_steps(*given)
    assert_close(after, [*given[0], *given[1], given[2]], f"Ws, bs and X after the steps, sizes {sizes}", of="arguments kept", hint="Work on copies.")
    assert_equal(labels, given[3], f"y after the steps, sizes {sizes}", of="arguments kept")
    assert_equal(marked, 0, f"how many of Ws, bs and X require a gradient or have one afterwards, sizes {sizes}", of="arguments kept", hint="Let copies of Ws and bs require gradients: W.clone().requires_grad_().")

test_of_526b((6, 5, 4), 7, 1)
test_of_526b((4, 4, 4, 4), 9, 2)
kept_526b((6, 5, 4), 7, 3)
### BEGIN HIDDEN TESTS
test_of_526b((20, 12, 9, 5), 33, 525)
test_of_526b((5, 5, 5), 6, 526)
test_of_526b((8, 3), 11, 527)
kept_526b((5, 6, 7, 3), 4, 528)
### END HIDDEN TESTS

# %% [markdown]
# With both you can now measure: `steps = make_steps(...)`, then `median_seconds(steps["scratch"], 101)`, and the same for `"layers"`. Here is the same comparison with code of our own, for narrow and wide hidden layers and a batch of 256:

# %% tags=["demo"]
from statistics import median

generator = torch.Generator().manual_seed(0)
batch, targets = torch.randn(256, 784, generator=generator), torch.randint(0, 10, (256,), generator=generator)
for width in (16, 256, 1024):
    V1, V2 = torch.randn(784, width, generator=generator) / 28, torch.randn(width, 10, generator=generator) / width ** 0.5
    own = [V1.requires_grad_(), torch.zeros(width, requires_grad=True), V2.requires_grad_(), torch.zeros(10, requires_grad=True)]
    ready = nn.Sequential(nn.Linear(784, width), nn.ReLU(), nn.Linear(width, 10))
    forwards = {"scratch": (lambda: torch.relu(batch @ own[0] + own[1]) @ own[2] + own[3], own), "layers": (lambda: ready(batch), list(ready.parameters()))}
    found = {}
    for name, (forward, parameters) in forwards.items():
        times = []
        for _ in range(16):
            before = time.perf_counter()
            torch.autograd.grad(F.cross_entropy(forward(), targets), parameters)
            times.append(time.perf_counter() - before)
        found[name] = 1e3 * median(times[1:])
    print(f"width {width:4}: scratch {found['scratch']:6.2f} ms, layers {found['layers']:6.2f} ms, ratio {found['scratch'] / found['layers']:.2f}")

# %% [markdown]
# Look at the ratios on your machine. The products are the same in both, and they take nearly all the time once the layers are wide. What the library's layer can save is small work around them: it adds the bias within the product. It is not magic, and your own code is not slow because it is your own.

# %% [markdown] teaches="operations of a matrix product, operations per second"
# A last question about speed: does the *size* matter, beyond the number of operations? A product of two (n, n) matrices takes n multiplications and n additions for each of n² entries, 2n³ operations. Processors load and multiply numbers in groups of 4, 8, 16 or more. If n is not a multiple of the group, the last few columns need a treatment of
# their own. Operations divided by seconds is a rate; in units of $10^9$ a second it is called **GFLOPS**.

# %% [markdown] task="5.2.7" kind="experiment" minutes=18 difficulty=3 needs="operations per second, timing with a clock, warm-up call"
# ### Sizes that fit the hardware
#
# Write `matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter)`. For each n of the list (all different) it makes two random (n, n) matrices, float32, calls `multiply(A, B)` once to warm up and then `repeats` times, and takes the time of each of these calls by `clock`. It returns a list of dictionaries with the keys `"n"`, `"seconds"` (the shortest time of one product) and `"gflops"`.
#
# Then run it for 1024, 1025, 1026, 1028 and 1032 with 20 repeats, three times, and report in words: (1) the table, and processor or GPU and number of threads; (2) whether 1025 is slower than 1024 and 1032 by more than the spread of the three runs; (3) why the shortest time, not the mean, and what on the machine could hide or make the effect.
#
# **You are done when** your words have all three points, and
# - **rows**: there is a row with the three keys for each n, in the order of `sizes`;
# - **matrices**: `multiply` gets two (n, n) matrices, float32, each with random numbers of its own;
# - **warm-up**: it is called repeats + 1 times for each n, and the first time does not count;
# - **shortest**: `"seconds"` is the shortest of the counted times of one product, without the time that the making of the matrices takes;
# - **rate**: `"gflops"` is 2n³ operations divided by these seconds, in units of 10⁹ a second.

# %% exercise="5.2.7"
def matmul_table(sizes, repeats, multiply=torch.matmul, clock=time.perf_counter):
    """A row for each n: {"n", "seconds" (shortest), "gflops"} of an (n, n) by (n, n) product."""
    ### BEGIN SOLUTION
    table = []
    for n in sizes:
        A, B = torch.randn(n, n), torch.randn(n, n)
        multiply(A, B)
        times = []
        for _ in range(repeats):
            start = clock()
            multiply(A, B)
            times.append(clock() - start)
        table.append({"n": n, "seconds": min(times), "gflops": 2 * n ** 3 / min(times) / 1e9})
    return table
    ### END SOLUTION

# %% [markdown] hints="5.2.7"
# 1. What must not be inside the measured time?
# 2. Making random matrices takes time too: make them before the clock is read. `min(times)` is the shortest.
# 3. n = 1000: 2 · 10⁹ operations. In 0.05 s that is 40 · 10⁹ a second, 40 GFLOPS.

# %% check="5.2.7" points=3
@probe
def table_by_our_clock(sizes, repeats, durations):
    """The table where a product takes the times of `durations` by a clock of ours, and what `multiply` was given."""
    from torch.utils._python_dispatch import TorchDispatchMode

    state, seen = {"now": 7.0}, []

    class Slow(TorchDispatchMode):
        """To draw the numbers of a matrix takes 5 seconds by our clock."""
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            state["now"] += 5.0 if torch.Tag.nondeterministic_seeded in function.tags else 0.0
            return function(*args, **(kwargs or {}))

    def likeness(M):
        """How far a number tells the next one, along the rows or the columns: 1 where they are counted up."""
        M = M.double()
        pairs = [torch.stack([M[:, 1:].flatten(), M[:, :-1].flatten()]), torch.stack([M[1:].flatten(), M[:-1].flatten()])]
        return max(torch.corrcoef(pair).abs().nan_to_num(0.0)[0, 1].item() for pair in pairs)

    def multiply(A, B):
        began, n, product = state["now"], len(A), torch.zeros(1)
        calls = sum(entry[0] == n for entry in seen)
        square = A.shape == B.shape == (n, n)
        same = 0 if not square else 1 if bool((A == B).all()) else 2 if bool((A == B.T).all()) else 0
        alike = max(likeness(A), likeness(B)) if square and n > 1 else 0.0
        seen.append([n, list(A.shape), list(B.shape), str(A.dtype), str(B.dtype), same, float(A.double().std()), float(B.double().std()), alike])
        state["now"] = began + n * durations[min(calls, len(durations) - 1)]
        return product

    def clock():
        state["now"] += 1e-10               # a clock never stands quite still
        return state["now"]

    with Slow():
        table = matmul_table(sizes, repeats, multiply=multiply, clock=clock)
    return [table, seen]

def test_of_527(sizes, repeats, durations):
    """`durations`: of the first call, the second, ...; the time is n times as much."""
    table, seen = table_by_our_clock(list(sizes), repeats, list(durations))
    what = f"sizes {list(sizes)} and {repeats} repeats, with a multiply that takes {', '.join(f'{d:g}' for d in durations)} times n s"
    assert_type(table, (list, tuple), f"what matmul_table returns for {what}", of="rows", hint="A list of rows, each a dictionary, in the order of `sizes`.")
    assert_equal(len(table), len(sizes), f"the number of rows for {what}", of="rows", hint="One row for each n, and not one for each repeat.")
    for row in table:
        assert_type(row, dict, f"a row for {what}", of="rows")
        assert_equal(set(row), {"n", "seconds", "gflops"}, f"the keys of a row for {what}", of="rows")
    assert_equal([row["n"] for row in table], list(sizes), f"the sizes of the rows for {what}", of="rows", hint="In the order given.")
    assert_true(len(seen) > 0, f"multiply is called, {what}", of="matrices", hint="Call multiply(A, B): it is A @ B in earnest, and another function in a check.")
    for n in sizes:
        calls = [entry for entry in seen if entry[0] == n]
        assert_true(len(calls) <= (repeats + 1) * len(sizes) - 1 or len(sizes) == 1, f"multiply gets matrices of each size, {what}", of="matrices", hint="Make two matrices for each n.")
        assert_true(len(calls) > 0, f"multiply gets matrices with {n} rows, {what}", of="matrices")
        for _, first, second, dtype_a, dtype_b, same, std_a, std_b, alike in calls:
            assert_equal([first, second], [[n, n], [n, n]], f"the shapes of the matrices for n = {n}", of="matrices", hint="Two matrices with n rows and n columns: torch.randn(n, n).")
            assert_equal([dtype_a, dtype_b], ["torch.float32", "torch.float32"], f"the dtypes of the matrices for n = {n}", of="matrices", hint="torch.randn(n, n) and torch.rand(n, n) give float32.")
            assert_true(std_a > 0.05 and std_b > 0.05, f"the matrices for n = {n} hold random numbers", of="matrices", hint="Two matrices by torch.randn(n, n), or by torch.rand(n, n).")
            assert_true(same != 1, f"the two matrices for n = {n} are not the same", of="matrices", hint="multiply got equal numbers twice: draw a second matrix, with random numbers of its own.")
            assert_true(same != 2, f"the second matrix for n = {n} has random numbers of its own", of="matrices", hint="It is not the first, nor its transpose: draw it by itself.")
            assert_true(alike < 0.98, f"the matrices for n = {n} hold random numbers, of which none tells the next", of="matrices", hint="Two matrices by torch.randn(n, n), or by torch.rand(n, n).")
        assert_equal(len(calls), repeats + 1, f"how often multiply is called for n = {n}, with {repeats} repeats", of="warm-up", hint="multiply was called once in all: it is to be called to warm up, and then for each of the products that count." if len(calls) == 1 < repeats else
                     "It was called as often as there are repeats: a call to warm up comes before them, for each n." if len(calls) == repeats else "Once to warm up, then `repeats` times.")
    for row, n in zip(table, sizes):
        counted = [n * d for d in durations[1:]]
        assert_type(row["seconds"], (float, int, torch.Tensor), f"seconds for n = {n}", of="shortest")
        assert_type(row["gflops"], (float, int, torch.Tensor), f"gflops for n = {n}", of="rate")
        yours = float(row["seconds"])
        assert_close(yours, min(counted), f"seconds for n = {n}, {what}", rtol=1e-6, of="warm-up" if abs(yours - n * durations[0]) < 1e-9 else "shortest", hint="The shortest of the times of single products, by `clock`.",
                     mistakes={"This is the mean, not the shortest.": sum(counted) / len(counted), "This is the median, not the shortest.": sorted(counted)[len(counted) // 2], "This is the time of all products together.": sum(counted),
                               "This is the time of the warm-up: it does not count.": n * durations[0], "This is the longest.": max(counted), "In seconds, not in milliseconds.": 1000 * min(counted),
                               "The matrices are made while the clock runs: make them before.": min(counted) + 10.0, "A matrix is made while the clock runs: make it before.": min(counted) + 5.0,
                               "Begin with no times for each n: this is a time of a matrix of another size.": min(m * d for m in sizes[:sizes.index(n) + 1] for d in durations[1:]), "This is the time of the last product, not the shortest.": counted[-1], "This is the time of the first product that counts, not the shortest.": counted[0]})
        work = 2 * n ** 3 / min(counted)
        assert_close(float(row["gflops"]), work / 1e9, f"gflops for n = {n}, {what}", rtol=1e-4, of="rate", hint="2n³ operations in the seconds of this row, divided by 10⁹.",
                     mistakes={"Each product and each addition counts: 2n³.": work / 2e9, "A sum that begins with 0 has n additions: take 2n³.": work / 1e9 * (2 * n - 1) / (2 * n), "The unit is 10⁹, not 2³⁰, operations a second.": work / 2 ** 30, "The unit is 10⁹ operations a second.": work, "The unit is 10⁹, not 10⁶, operations a second.": work / 1e6, "The shape (n, n) gives n³ products, not n².": work / n / 1e9,
                               "The rate belongs to the shortest time, as the seconds do.": 2 * n ** 3 / (sum(counted) / len(counted)) / 1e9})

test_of_527([64, 30], 4, [0.5, 0.2, 0.01, 0.03, 0.02])
test_of_527([10, 25, 17], 3, [0.001, 0.4, 0.3, 0.9])
test_of_527([12], 1, [3.0, 2.0])
real_527 = matmul_table([16, 24], 2)
assert_type(real_527, (list, tuple), "what matmul_table([16, 24], 2) returns", of="rows")
assert_true(all(0 < float(row["seconds"]) < 60 for row in real_527), "matmul_table([16, 24], 2), with torch.matmul and the real clock: each time is positive and below a minute", of="shortest")
### BEGIN HIDDEN TESTS
test_of_527([31, 20, 44, 7], 5, [0.02, 0.7, 0.05, 0.6, 0.04, 0.9])
test_of_527([18, 9], 6, [0.9, 0.2, 0.3, 0.25, 0.6, 0.21, 0.8])
real_527 = matmul_table([33, 8], 3)
assert_true(len(real_527) == 2 and all(abs(float(row["gflops"]) * float(row["seconds"]) * 1e9 - 2 * n ** 3) < 1 for row, n in zip(real_527, (33, 8))), "rate times time with the real clock is 2n³", of="rate")
### END HIDDEN TESTS

# %% [markdown] written="5.2.7" points=3
# ### BEGIN SOLUTION
# The table of the own machine, with the processor's name and `torch.get_num_threads()`.
#
# Three runs of the whole table give three rates for each n. Only where 1025 lies below both neighbours in all three runs, and by
# more than the three differ among themselves, is there an effect of the alignment. On a CPU it is often a few percent or
# nothing: the library copies blocks of both matrices into aligned buffers first, and works on the edge with masks. On
# a GPU with tensor cores and half precision it is larger, because kernels for aligned sizes are different ones.
#
# Interruptions by other programs only ever lengthen a time, so the shortest is nearest to what the hardware can do. Other
# programs, a changing clock frequency, the number of threads, and caches hide the effect; a table of one run
# with the sizes always in the same order can make one, as the machine warms up.
#
# **Rubric**
# - [1] The table, with processor or GPU and number of threads; also accepted: GFLOPS only; lost by numbers without the machine.
# - [1] 1025 compared with both neighbours against the spread of at least three runs; also accepted: no effect found, if the runs show none; lost by a claim from a single run.
# - [1] Disturbance only lengthens a time, so the minimum; and one cause that hides or makes the effect (threads, frequency, caches, packing in the library, tensor cores); also accepted: the median with a reason; lost by "the minimum looks best".
# ### END SOLUTION

# %% [markdown]
# ## Summary
#
# - A multilayer perceptron is a list of linear layers with an activation function between them; from scratch it is a loop of four lines, with the library `nn.Flatten`, `nn.Linear`, `nn.ReLU` in an `nn.Sequential`. Nearly all its parameters sit where the sizes are largest.
# - It must start with weights that differ, or its units stay twins; and with weights of a suitable size.
# - A confusion matrix and the worst mistakes say what an accuracy hides.
# - An experiment changes one thing, uses several seeds, and compares differences with the spread. The learning rate matters most; a comparison is fair if each candidate has been tuned. Who chooses by validation reports by the test part.
# - A time is a median or a minimum after a warm-up, of equal work.
#
# How the gradients of such a network come about is the subject of section 5.3; 5.4 derives how large the weights should be at the start.
