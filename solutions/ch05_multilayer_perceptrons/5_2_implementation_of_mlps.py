# %% [markdown]
# # 5.2 Implementation of multilayer perceptrons
#
# This section trains multilayer perceptrons on all 60,000 images of Fashion-MNIST: once with parameters and
# products written out, once with torch's layers. The exercises then change what can be changed (width, depth,
# learning rate, activation function, initialisation) and measure what comes of it.

# %% tags=["setup"]
from d2l_utils.check import *
import time
import torch
from torch import nn
import d2l_utils as d2l

torch.set_num_threads(1)        # products this small are slower with several threads, which wait for each other

# %% [markdown]
# ## Recap
#
# ### From scratch
#
# An image of 28 × 28 pixels becomes a row of 784 numbers. With 256 hidden units and 10 classes the parameters are `W1`
# (784, 256), `b1` (256,), `W2` (256, 10) and `b2` (10,). The weights start as small random numbers: with zeros, all
# hidden units would compute the same, get the same gradient, and stay the same for ever.

# %%
class MLPScratch(d2l.Classifier):
    def __init__(self, num_inputs, num_outputs, num_hiddens, lr, sigma=0.01):
        super().__init__()
        self.save_hyperparameters()
        self.W1 = nn.Parameter(torch.randn(num_inputs, num_hiddens) * sigma)
        self.b1 = nn.Parameter(torch.zeros(num_hiddens))
        self.W2 = nn.Parameter(torch.randn(num_hiddens, num_outputs) * sigma)
        self.b2 = nn.Parameter(torch.zeros(num_outputs))

    def forward(self, X):
        H = torch.relu(X.reshape(len(X), -1) @ self.W1 + self.b1)
        return H @ self.W2 + self.b2


sum(p.numel() for p in MLPScratch(784, 10, 256, lr=0.1).parameters())

# %% [markdown]
# Loss, accuracy and optimizer come from `d2l.Classifier`, the loop from `d2l.Trainer`. The curves grow while it trains.

# %% tags=["demo"]
torch.manual_seed(0)
data = d2l.FashionMNIST(batch_size=256)
scratch = MLPScratch(784, 10, 256, lr=0.1)
trainer = d2l.Trainer(max_epochs=10)
trainer.fit(scratch, data)
print('from scratch:', {key: round(value, 3) for key, value in trainer.history[-1].items()})

# %% [markdown]
# ### Concise
#
# The same with torch's layers. `LazyLinear` learns its number of inputs from the first batch. Only the start differs:
# torch draws weights and biases uniformly, with a range that depends on the number of inputs.

# %%
class MLP(d2l.Classifier):
    def __init__(self, num_outputs, num_hiddens, lr):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Flatten(), nn.LazyLinear(num_hiddens), nn.ReLU(), nn.LazyLinear(num_outputs))

# %% tags=["demo"]
torch.manual_seed(0)
concise = MLP(num_outputs=10, num_hiddens=256, lr=0.1)
trainer = d2l.Trainer(max_epochs=10)
trainer.fit(concise, data)
print('concise:', {key: round(value, 3) for key, value in trainer.history[-1].items()})

# %% [markdown]
# The printed `val_acc` is the share of the 10,000 validation images that are classified correctly after ten epochs. The
# validation curve is not smooth: it may rise or fall by a few percent from one epoch to the next, so read differences of
# that size with care. Ten epochs at this rate are not the end: a larger one gets further, as exercise 5.2.4 finds too.
#
# ### What it gets wrong
#
# Numbers hide what is easy and what is hard. The rows of the table are the true classes, the columns the predicted ones.

# %% tags=["demo"]
with torch.no_grad():
    X, y = data.val[:]
    predicted = concise(X).argmax(dim=1)
confusion = torch.zeros(10, 10, dtype=torch.int64)
confusion.index_put_((y, predicted), torch.tensor(1), accumulate=True)
d2l.set_figsize((4.5, 4.5))
d2l.plt.imshow(confusion, cmap='Blues', norm='log')
for i in range(10):
    for j in range(10):
        d2l.plt.text(j, i, confusion[i, j].item(), ha='center', va='center', fontsize=7)
d2l.plt.xticks(range(10), data.text_labels(range(10)), rotation=90)
d2l.plt.yticks(range(10), data.text_labels(range(10)))
d2l.plt.show()
hardest = (confusion.diagonal() / confusion.sum(dim=1)).argmin()
print('the hardest class is', *data.text_labels([hardest]), 'with', confusion[hardest, hardest].item(), 'of 1000 right')

# %% [markdown]
# Off the diagonal, look for the groups of classes that are mistaken for each other. The first misclassified images, with
# the true class above the predicted one:

# %% tags=["demo"]
wrong = (predicted != y).nonzero().flatten()
labels = [f'{true}\n{guess}' for true, guess in zip(data.text_labels(y[wrong[:16]]), data.text_labels(predicted[wrong[:16]]))]
data.visualize([X[wrong[:16]], y[wrong[:16]]], nrows=2, labels=labels)
d2l.plt.tight_layout()
d2l.plt.show()
print(len(wrong), 'of', len(y), 'images are misclassified')

# %% [markdown]
# ## Exercises
#
# ### A small problem for experiments
#
# A sweep trains many networks, so it needs a problem that trains in a fraction of a second. Here it is *rings*: points
# of the plane, in three classes by their distance from the origin. No straight line separates them. `fit` trains
# with stochastic gradient descent on the cross-entropy, and returns the mean loss of the last epoch; `accuracy` measures.
# A set of data is a tuple `(X, y, X_val, y_val)`.

# %% tags=["setup"]
def rings(n, seed, columns=2):
    """n points (n, columns), normal draws, and their classes (n,): 0, 1, 2 by the norm of the first two columns."""
    X = torch.randn(n, columns, generator=torch.Generator().manual_seed(seed))
    distance = X[:, :2].norm(dim=1)
    return X, (distance > 0.8).long() + (distance > 1.5).long()


def fit(net, X, y, epochs, lr, batch_size=30, seed=0):
    """Trains `net` in place; returns the mean cross-entropy of the last epoch, nan or inf if it diverges."""
    order = torch.Generator().manual_seed(seed)
    parameters, mean_loss = list(net.parameters()), float('nan')
    for _ in range(epochs):
        mean_loss = 0.0
        for rows in torch.randperm(len(X), generator=order).split(batch_size):
            loss = nn.functional.cross_entropy(net(X[rows]), y[rows])
            gradients = torch.autograd.grad(loss, parameters)
            with torch.no_grad():
                for parameter, gradient in zip(parameters, gradients):
                    parameter -= lr * gradient
            mean_loss += loss.item() * len(rows) / len(X)
    return mean_loss


def accuracy(net, X, y):
    """The share of rows of X that `net` classifies correctly, a float."""
    with torch.no_grad():
        return (net(X).argmax(dim=1) == y).float().mean().item()


def expected_range(make_net, data, epochs, lr):
    """Bounds for the validation accuracy: the lowest and highest of three seeds, 0.1 wider on both sides."""
    X, y, X_val, y_val = data
    results = []
    for seed in (0, 1, 2):
        torch.manual_seed(seed)
        net = make_net()
        fit(net, X, y, epochs, lr, seed=seed)
        results.append(accuracy(net, X_val, y_val))
    return min(results) - 0.1, max(results) + 0.1


ring_data = (*rings(300, seed=1), *rings(300, seed=2))

# %% tags=["demo"]
d2l.set_figsize((3.5, 3))
for label in range(3):
    d2l.plt.plot(*ring_data[0][ring_data[1] == label].T, '.', label=f'class {label}')
d2l.plt.legend()
d2l.plt.show()
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 3))
print('loss', round(fit(net, *ring_data[:2], epochs=20, lr=0.3), 3), 'accuracy', round(accuracy(net, *ring_data[2:]), 3))

# %% [markdown]
# ### Width and depth

# %% [markdown] task="5.2.1" kind="code" minutes=15 difficulty=2 core=true
# ### How wide?
#
# Write `width_sweep(widths, data, epochs, lr, seed)`. For each width in the list it trains a new MLP with one hidden layer
# of so many units, ReLU and 3 outputs on the training part of `data`, and measures. Call `torch.manual_seed(seed)` before
# each network is made, and `fit(..., epochs, lr, seed=seed)`. The number of inputs is that of the columns of X.
#
# Return a list of dictionaries in the order of `widths`, with the keys `"width"`, `"parameters"` (the number of all
# weights and biases), `"train_acc"` and `"val_acc"`. The check allows ± 0.1 around what three seeds give.
#
# **You are done when** the check shows 9 parameters for width 1, and a clear gain from width 1 to width 32.

# %% exercise="5.2.1"
def width_sweep(widths, data, epochs, lr, seed):
    """A row for each width: {"width", "parameters", "train_acc", "val_acc"}."""
    ### BEGIN SOLUTION
    X, y, X_val, y_val = data
    table = []
    for width in widths:
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(X.shape[1], width), nn.ReLU(), nn.Linear(width, 3))
        fit(net, X, y, epochs, lr, seed=seed)
        table.append({"width": width, "parameters": sum(p.numel() for p in net.parameters()),
                      "train_acc": accuracy(net, X, y), "val_acc": accuracy(net, X_val, y_val)})
    return table
    ### END SOLUTION

# %% [markdown] hints="5.2.1"
# 1. Where must the network be made, so that each width starts afresh?
# 2. `nn.Linear(a, b)` has a · b weights and b biases. `p.numel()` is the size of a parameter.
# 3. For 784 inputs, 5 units and 10 outputs: 784 · 5 + 5 + 5 · 10 + 10 = 3985 parameters.

# %% check="5.2.1" points=2
table = width_sweep([1, 32], ring_data, 20, 0.3, 0)
assert_equal([row["width"] for row in table], [1, 32], "the widths in the table")
assert_equal(table[0]["parameters"], 9, "the number of parameters for width 1",
             mistakes={"The biases are parameters too.": 5, "These are tensors: count the numbers in them.": 4})
assert_true(table[1]["val_acc"] > table[0]["val_acc"] + 0.15, "width 32 is better than width 1 by more than 0.15",
            hint=f"{table[0]['val_acc']:.3f} for 1, {table[1]['val_acc']:.3f} for 32: is each network trained on X and y, by fit, "
                 "and measured afterwards?")
### BEGIN HIDDEN TESTS
X, y = rings(330, seed=11, columns=3)
rng = torch.Generator().manual_seed(521)
noisy = torch.where(torch.rand(330, generator=rng) < 0.5, torch.randint(0, 3, (330,), generator=rng), y)
half_random = (X, noisy, *rings(250, seed=12, columns=3))
table = width_sweep([24, 2, 6], half_random, 12, 0.2, 3)
assert_equal([row["width"] for row in table], [24, 2, 6], "the widths, in the order given")
assert_equal([row["parameters"] for row in table], [w * 4 + (w + 1) * 3 for w in (24, 2, 6)],
             "the numbers of parameters for three inputs")
for row in table:
    low, high = expected_range(lambda: nn.Sequential(nn.Linear(3, row["width"]), nn.ReLU(), nn.Linear(row["width"], 3)),
                               half_random, 12, 0.2)
    assert_true(low <= row["val_acc"] <= high, f"the validation accuracy for width {row['width']}, where half of the "
                "training labels are random", hint="Is it a new network for each width, measured on X_val and y_val?")
assert_true(table[0]["train_acc"] < table[0]["val_acc"] - 0.03,
            "the training accuracy is the lower one where half of the training labels are random",
            hint="train_acc is measured on X and y.")
### END HIDDEN TESTS

# %% [markdown]
# The same on Fashion-MNIST, with a sixth of the training images and five epochs. The widths grow by factors of four.

# %% tags=["demo"]
def train_on_part(make_net, lr=0.1, epochs=5, rows=10000, batch_size=128):
    """The validation accuracy of a network trained on the first images of Fashion-MNIST."""
    torch.manual_seed(0)
    net = make_net()
    images, labels = data.train[:rows]
    net(images[:1])             # gives lazy layers their sizes
    fit(net, images, labels, epochs, lr, batch_size)
    return accuracy(net, *data.val[:])


widths = [1, 4, 16, 64, 256]
results = [train_on_part(lambda: nn.Sequential(nn.Flatten(), nn.Linear(784, w), nn.ReLU(), nn.Linear(w, 10)))
           for w in widths]
d2l.plot(widths, results, xlabel='hidden units', ylabel='accuracy', xscale='log', fmts=['o-'])
d2l.plt.show()
print(dict(zip(widths, (round(value, 3) for value in results))))

# %% [markdown] task="5.2.2a" kind="code" minutes=8 difficulty=2 core=true
# ### Any number of hidden layers, from scratch
#
# Write `mlp_forward(X, Ws, bs)`. `X` has shape (n, ...), with as many numbers in each example as `Ws[0]` has rows;
# `Ws[i]` has shape (n_i, n_{i+1}), `bs[i]` shape (n_{i+1},). Return the outputs, of shape (n, q): each layer multiplies
# and adds, and a ReLU follows each layer but the last. There is at least one layer.
#
# **You are done when** the check shows a negative output, and outputs for images of shape (1, 2, 2).

# %% exercise="5.2.2a"
def mlp_forward(X, Ws, bs):
    """Outputs (n, q) of an MLP with ReLU after each layer but the last, for X of shape (n, ...)."""
    ### BEGIN SOLUTION
    H = X.reshape(len(X), -1)
    for W, b in zip(Ws[:-1], bs[:-1]):
        H = torch.relu(H @ W + b)
    return H @ Ws[-1] + bs[-1]
    ### END SOLUTION

# %% [markdown] hints="5.2.2a"
# 1. Which layers are followed by a ReLU? What can the outputs no longer be if the last one is, too?
# 2. `X.reshape(len(X), -1)` makes one row of each example. `Ws[:-1]` is all but the last.
# 3. For three layers: `relu(relu(X @ W1 + b1) @ W2 + b2) @ W3 + b3`.

# %% check="5.2.2a" points=2
Ws = [torch.tensor([[1., -1.], [0., 2.]]), torch.tensor([[1.], [-3.]])]
bs = [torch.tensor([0., 1.]), torch.tensor([0.5])]
X = torch.tensor([[2., 1.], [-1., 0.], [1., -3.]])
assert_shape(mlp_forward(X, Ws, bs), (3, 1), "the shape for 3 examples and one output")
assert_close(mlp_forward(X, Ws, bs), torch.tensor([[-0.5], [-5.5], [1.5]]), "two layers, three examples",
             mistakes={"There is a ReLU after the last layer too.": torch.tensor([[0.], [0.], [1.5]]),
                       "The ReLU between the layers is missing.": torch.tensor([[-0.5], [-6.5], [19.5]])})
images = torch.arange(8.).reshape(2, 1, 2, 2)
assert_close(mlp_forward(images, [torch.eye(4)[:, :3]], [torch.zeros(3)]), torch.tensor([[0., 1., 2.], [4., 5., 6.]]),
             "two images of shape (1, 2, 2), a single layer")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(522)
for shape, sizes in (((5, 4), (4, 4, 4)), ((3, 2, 3), (6, 5, 2, 4)), ((7, 1, 2, 4), (8, 3, 6, 2, 5)), ((1, 3), (3, 2))):
    X = torch.randn(shape, generator=rng, dtype=torch.float64)
    Ws = [torch.randn(n, m, generator=rng, dtype=torch.float64) for n, m in zip(sizes, sizes[1:])]
    bs = [torch.randn(m, generator=rng, dtype=torch.float64) for m in sizes[1:]]
    layers = []
    for W, b in zip(Ws, bs):
        layer = nn.Linear(*W.shape, dtype=torch.float64)
        layer.weight.data, layer.bias.data = W.T, b
        layers += [layer, nn.ReLU()]
    wanted = nn.Sequential(nn.Flatten(), *layers[:-1])(X).detach()
    assert_shape(mlp_forward(X, Ws, bs), wanted.shape, f"the shape for X of shape {shape} and sizes {sizes}")
    assert_close(mlp_forward(X, Ws, bs), wanted, f"the outputs for X of shape {shape} and sizes {sizes}")
### END HIDDEN TESTS

# %% [markdown] task="5.2.2b" kind="code" minutes=8 difficulty=2 core=true
# ### Any number of hidden layers, concise
#
# Write `make_mlp(sizes)`. It returns a torch module, such as `nn.Sequential`, for a list of at least two sizes: inputs, hidden
# layers if any, outputs. It flattens each example, and has a ReLU after each linear layer but the last. Its parameters
# are those of the linear layers and no others, from the input on.
#
# **You are done when** the check shows the shapes of the parameters for sizes 4, 3, 2: torch keeps a weight as
# (outputs, inputs).

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
# 1. How many linear layers are there for a list of k sizes, and how many ReLUs?
# 2. `zip(sizes, sizes[1:])` gives the pairs (inputs, outputs) of the layers. `nn.Sequential(*layers)` takes a list apart.
# 3. For [784, 64, 10]: Flatten, Linear(784, 64), ReLU, Linear(64, 10).

# %% check="5.2.2b" points=2
@probe
def shapes_and_output(sizes, values, X):
    """The shapes of the parameters, and the output with `values` in their place."""
    net = make_mlp(sizes)
    shapes = [list(p.shape) for p in net.parameters()]
    with torch.no_grad():
        for p, v in zip(net.parameters(), values):
            p.copy_(v)
        return shapes, net(X)


values = [torch.tensor([[1., 0., 0., -1.], [0., 1., 1., 0.], [-1., -1., -1., -1.]]), torch.tensor([0., -1., 3.]),
          torch.tensor([[1., 1., 0.], [-1., 0., -2.]]), torch.tensor([0., 1.])]
shapes, output = shapes_and_output([4, 3, 2], values, torch.tensor([[3., 1., 2., 1.], [0., 0., 0., 1.]]))
assert_equal(shapes, [[3, 4], [3], [2, 3], [2]], "the shapes of the parameters for sizes 4, 3, 2")
assert_close(output, torch.tensor([[4., -1.], [0., -3.]]), "the outputs for two examples",
             mistakes={"There is a ReLU after the last layer too.": torch.tensor([[4., 0.], [0., 0.]])})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(523)
for shape, sizes_ in (((4, 3), [3, 2]), ((5, 2, 3), [6, 4, 7, 3]), ((3, 1, 2, 4), [8, 5, 5, 5, 2])):
    values = [torch.randn(s, generator=rng) for n, m in zip(sizes_, sizes_[1:]) for s in ((m, n), (m,))]
    X = torch.randn(shape, generator=rng)
    shapes, output = shapes_and_output(sizes_, values, X)
    assert_equal(shapes, [list(v.shape) for v in values], f"the shapes of the parameters for sizes {sizes_}")
    wanted = X.reshape(len(X), -1)
    for i in range(0, len(values), 2):
        wanted = wanted @ values[i].T + values[i + 1]
        wanted = wanted.relu() if i < len(values) - 2 else wanted
    assert_close(output, wanted, f"the outputs for X of shape {shape} and sizes {sizes_}")
### END HIDDEN TESTS

# %% [markdown]
# What does a further layer of 64 units bring on the part of Fashion-MNIST? With so few epochs a deeper network starts
# slower; more learning rate or more epochs may turn the order round.

# %% tags=["demo"]
for hidden in ([64], [64, 64], [64, 64, 64]):
    print(hidden, [round(train_on_part(lambda: d2l.MulMLP(10, hidden, lr).net, lr=lr), 3) for lr in (0.1, 0.3)],
          'for the learning rates 0.1 and 0.3')

# %% [markdown] task="5.2.3" kind="code" minutes=10 difficulty=3
# ### A hidden layer with one unit
#
# A layer with a single unit lets one number through. How much can come out again? Consider an MLP with ReLU after each
# hidden layer, biases in the hidden layers, but *no bias in the output layer*, and the matrix of its outputs, (n, q), for
# n different inputs.
#
# Write `logit_rank(sizes, n)`: the largest rank that this matrix can have, over all weights and inputs, for the list
# `sizes` of at least three sizes (inputs, hidden layers, outputs).
#
# **You are done when** the check shows 1 for 784, 256, 1, 10 units: the last hidden layer gives all examples the same
# ten numbers up to a factor. Beware: an *earlier* layer with one unit has another effect, as the picture below shows.

# %% exercise="5.2.3"
def logit_rank(sizes, n):
    """The largest possible rank of the outputs (n, q) of a ReLU network without output bias."""
    ### BEGIN SOLUTION
    return min(n, sizes[-2], sizes[-1])
    ### END SOLUTION

# %% [markdown] hints="5.2.3"
# 1. The outputs are H @ W. Which shapes have H and W, and what do they say about the rank?
# 2. After a layer with one unit, all examples lie on a line. The ReLUs of the next layer, with different biases, switch at
#    different places of it: they bend the line into a curve, which may run through many dimensions.
# 3. For t = 0, 1, 2, 3 the columns ReLU(t), ReLU(t - 1), ReLU(t - 2) are linearly independent: rank 3 from one number.

# %% check="5.2.3" points=2
assert_equal(logit_rank([784, 256, 1, 10], 2000), 1, "784, 256, 1, 10 units, 2000 examples")
assert_equal(logit_rank([784, 256, 10], 2000), 10, "784, 256, 10 units, 2000 examples")
### BEGIN HIDDEN TESTS
def rank_of_witness(sizes, n):
    """The rank for inputs on a line, all hidden layers but the last passing it on, the last bending it."""
    t = torch.arange(n, dtype=torch.float64) + 1
    places = torch.arange(sizes[-2], dtype=torch.float64) * max(n - 1, 1) / sizes[-2]
    H = (t[:, None] - places[None, :]).relu()
    rng = torch.Generator().manual_seed(524)
    W = torch.randn(sizes[-2], sizes[-1], generator=rng, dtype=torch.float64)
    return torch.linalg.matrix_rank(H @ W).item()


for case, examples in (([20, 8, 6], 50), ([20, 8, 3, 6], 50), ([20, 1, 8, 6], 50), ([20, 8, 6], 4), ([1, 7, 5], 30),
                       ([20, 5, 1, 1, 4], 9), ([2, 1, 3, 9], 40), ([3, 30, 4], 40)):
    assert_equal(logit_rank(case, examples), rank_of_witness(case, examples), f"sizes {case}, {examples} examples",
                 hint="The rank is bounded by the shapes of the two matrices of the last layer, and by nothing before.")
### END HIDDEN TESTS

# %% [markdown]
# The first three of ten outputs, for 200 random inputs. On the left, the layer with one unit is the last hidden one: a ray.
# On the right a layer with 64 units follows it: a curve that needs all dimensions. In neither case is there more than one
# number to tell the examples apart, and where the one unit is dead (output 0), nothing at all passes.

# %% tags=["demo"]
torch.manual_seed(1)
figure = d2l.plt.figure(figsize=(7, 3))
for position, hidden in enumerate(([64, 1], [64, 1, 64]), 1):
    ends = [8, *hidden, 10]
    layers = [layer for n, m in zip(ends, ends[1:]) for layer in (nn.Linear(n, m), nn.ReLU())][:-1]
    with torch.no_grad():
        for layer in layers[::2]:
            nn.init.normal_(layer.bias, std=1)
            nn.init.normal_(layer.weight, std=0.5)
        outputs = nn.Sequential(*layers)(3 * torch.randn(200, 8)) - layers[-1].bias
    print(hidden, 'rank', torch.linalg.matrix_rank(outputs).item())
    figure.add_subplot(1, 2, position, projection='3d').scatter(*outputs[:, :3].T, s=4)
d2l.plt.show()

# %% [markdown]
# ### Learning rate, and all at once

# %% [markdown] task="5.2.4" kind="experiment" minutes=20 difficulty=2 core=true
# ### Sweep the learning rate
#
# Write `lr_sweep(rates, data, epochs, seed)`. For each learning rate in the list it trains a new MLP with one hidden layer of
# 32 units, ReLU and 3 outputs, after `torch.manual_seed(seed)`, with `fit(..., seed=seed)`. Return a list of dictionaries
# in the order of `rates`, with the keys `"lr"`, `"train_loss"` (what `fit` returns) and `"val_acc"`. A run that
# diverges stays in the table, with the nan or inf that `fit` returned.
#
# Then run it on `ring_data` with 20 epochs and seed 0 for 0.001, 0.01, 0.1, 0.3, 1, 3, 10 and 100, and report in the second
# cell: (1) the best rate, with its loss and accuracy beside two others; (2) what happens on either side, and why;
# (3) how sure you are of the order of the best two, from at least three seeds.
#
# The hidden tests train with seeds of their own and accept accuracies within 0.1 of what three seeds gave the book.
#
# **You are done when** the check shows that 0.3 beats 0.001 clearly, and your text has all three points.

# %% exercise="5.2.4"
def lr_sweep(rates, data, epochs, seed):
    """A row for each learning rate: {"lr", "train_loss", "val_acc"}."""
    ### BEGIN SOLUTION
    X, y, X_val, y_val = data
    table = []
    for lr in rates:
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(X.shape[1], 32), nn.ReLU(), nn.Linear(32, 3))
        loss = fit(net, X, y, epochs, lr, seed=seed)
        table.append({"lr": lr, "train_loss": loss, "val_acc": accuracy(net, X_val, y_val)})
    return table
    ### END SOLUTION

# %% [markdown] hints="5.2.4"
# 1. What happens to the second run if it goes on with the network of the first?
# 2. Learning rates are compared on a logarithmic scale: factors, not differences.
# 3. One step of gradient descent on x² from 1, with rates 0.1, 0.5 and 1.5: 0.8, 0 and -2. Too small is slow, too large
#    overshoots and grows.

# %% check="5.2.4" points=2
table = lr_sweep([0.001, 0.3], ring_data, 20, 0)
assert_equal([row["lr"] for row in table], [0.001, 0.3], "the learning rates in the table")
assert_true(table[1]["train_loss"] < table[0]["train_loss"] - 0.3, "the loss with 0.3 is lower by more than 0.3")
assert_true(table[1]["val_acc"] > table[0]["val_acc"] + 0.15, "the accuracy with 0.3 is higher by more than 0.15")
### BEGIN HIDDEN TESTS
other = (*rings(270, seed=13, columns=3), *rings(200, seed=14, columns=3))
table = lr_sweep([1000.0, 0.5, 0.0001, 0.5], other, 15, 1)
assert_equal([row["lr"] for row in table], [1000.0, 0.5, 0.0001, 0.5], "the learning rates, in the order given, from high to low")
low, high = expected_range(lambda: nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 3)), other, 15, 0.5)
assert_true(low <= table[1]["val_acc"] <= high, "the accuracy with 0.5, after a run that diverged",
            hint="Is it a new network for each rate?")
assert_true(not table[0]["train_loss"] < 1, "the loss with 1000 is above 1, nan or inf")
assert_true(0.7 < table[2]["train_loss"] < 1.6, "the loss with 0.0001 stays near the start, log 3",
            hint="Is it a new network for each rate?")
assert_close(table[3]["train_loss"], table[1]["train_loss"], "two runs with 0.5 and the same seed", rtol=1e-3,
             hint="Call torch.manual_seed(seed) before each network is made.")
assert_true(abs(table[3]["val_acc"] * 200 - round(table[3]["val_acc"] * 200)) < 1e-3,
            "the accuracy is a share of the 200 validation examples")
### END HIDDEN TESTS

# %% [markdown] written="5.2.4" points=3
# ### BEGIN SOLUTION
# With 20 epochs and seed 0 the rate 0.3 has the best accuracy, 0.920 with loss 0.290; 1 has 0.890 with loss 0.278, 0.01 has
# 0.453 with loss 0.975, and 10 has 0.307 with loss 1.85. Rates from 0.3 to 3 differ by about 0.05.
#
# At 0.01 and below the loss has hardly left log 3 ≈ 1.10: the steps are too small for 20 epochs, so these runs are
# unfinished, not wrong. At 10 and 100 a step overshoots: the loss ends above its start (32 at 100), and may become nan;
# then all scores are nan, every example is put into class 0, and the accuracy is that class's share.
#
# With seeds 0, 1 and 2 the best two rates change places: their difference is smaller than the spread over seeds, so the
# order of neighbours is not settled, while that of 0.3 and 0.01 is.
#
# **Rubric**
# - [1] Names the best rate, with loss and accuracy of it and of two others from the table; also accepted: a range of rates that cannot be told apart; lost by a rate without numbers.
# - [1] Too small: unfinished after these epochs; too large: overshoots, loss above the start or nan; also accepted: oscillation; lost by "a small rate is always better, it only takes longer" without the limit of epochs.
# - [1] Spread over at least three seeds compared with the difference of the best two; also accepted: the standard deviation; lost by ranking neighbours from one run.
# ### END SOLUTION

# %% [markdown]
# The picture for three seeds.

# %% tags=["demo"]
rates = [0.001, 0.01, 0.1, 0.3, 1, 3, 10]
lines = []
for seed in range(3):
    line = []
    for rate in rates:
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 3))
        fit(net, *ring_data[:2], 20, rate, seed=seed)
        line.append(accuracy(net, *ring_data[2:]))
    lines.append(line)
d2l.plot(rates, lines, xlabel='learning rate', ylabel='accuracy', xscale='log', legend=['seed 0', 'seed 1', 'seed 2'])
d2l.plt.show()
print('accuracies for 0.3, 1 and 3:', [[round(value, 3) for value in line[3:6]] for line in lines])

# %% [markdown] task="5.2.5a" kind="code" minutes=10 difficulty=2
# ### Draw configurations
#
# To search over several hyperparameters at once, draw them at random: a grid would spend most of its runs on repeats of
# values that do not matter.
#
# Write `draw_configs(n, seed)`: a list of n dictionaries with the keys
#
# - `"lr"`: between 0.01 and 1, uniform *on the logarithmic scale*;
# - `"width"`: 4, 8, 16 or 32, with equal probability;
# - `"depth"`: 1 or 2 hidden layers, with equal probability;
# - `"epochs"`: a whole number from 5 to 20, both included, with equal probability.
#
# All four are independent. The same seed gives the same list, another seed another one.
#
# **You are done when** the check shows five configurations within the bounds, twice the same.

# %% exercise="5.2.5a"
def draw_configs(n, seed):
    """n random configurations: dictionaries with "lr", "width", "depth", "epochs"."""
    ### BEGIN SOLUTION
    import random
    rng = random.Random(seed)
    return [{"lr": 10 ** rng.uniform(-2, 0), "width": rng.choice([4, 8, 16, 32]), "depth": rng.choice([1, 2]),
             "epochs": rng.randint(5, 20)} for _ in range(n)]
    ### END SOLUTION

# %% [markdown] hints="5.2.5a"
# 1. Between which bounds is the exponent of 10 uniform?
# 2. A generator of your own, `random.Random(seed)` or `torch.Generator().manual_seed(seed)`, made once for the whole list.
# 3. Log-uniform between 1 and 1000: `10 ** rng.uniform(0, 3)`. A third of the draws lies between 1 and 10.

# %% check="5.2.5a" points=2
configs = draw_configs(5, 0)
assert_equal(len(configs), 5, "the number of configurations")
for config in configs:
    assert_equal(set(config), {"lr", "width", "depth", "epochs"}, "the keys of a configuration")
    assert_true(0.01 <= config["lr"] <= 1, "lr is between 0.01 and 1")
assert_equal(draw_configs(5, 0), configs, "the same seed again")
### BEGIN HIDDEN TESTS
many = draw_configs(2000, 7)
assert_true(draw_configs(20, 8) != many[:20], "another seed gives another list")
assert_true(abs(sum(c["lr"] < 0.1 for c in many) / 2000 - 0.5) < 0.06, "half of 2000 learning rates are below 0.1",
            hint="Uniform on the logarithmic scale: draw the exponent.")
assert_true(abs(sum(c["lr"] < 10 ** -1.5 for c in many) / 2000 - 0.25) < 0.06, "a quarter of the rates is below 10^-1.5")
for key, choices in (("width", (4, 8, 16, 32)), ("depth", (1, 2)), ("epochs", tuple(range(5, 21)))):
    drawn = [c[key] for c in many]
    assert_equal(set(drawn), set(choices), f"the values of {key} in 2000 draws")
    share = max(abs(drawn.count(value) / 2000 - 1 / len(choices)) for value in choices)
    assert_true(share < 0.06 if len(choices) < 5 else share < 0.03, f"the values of {key} are equally frequent")
logs = torch.tensor([[torch.tensor(c["lr"]).log10().item(), c["width"], c["depth"], c["epochs"]] for c in many])
off = torch.corrcoef(logs.T).abs() - torch.eye(4)
assert_true(off.max().item() < 0.12, "the four are independent: no two of them are correlated",
            hint="Does each have a draw of its own?")
### END HIDDEN TESTS

# %% [markdown] task="5.2.5b" kind="experiment" minutes=20 difficulty=3
# ### Search, and report honestly
#
# Write `search(configs, data, seed)`. `data` holds six tensors, `(X, y, X_val, y_val, X_test, y_test)`. For each
# configuration (as in 5.2.5a) it trains a new MLP, with `depth` hidden layers of `width` units each, ReLU after each of them,
# and 3 outputs, after `torch.manual_seed(seed)`, with `fit(..., epochs, lr, seed=seed)`.
#
# Return a dictionary: `"val_acc"`, the list of the validation accuracies in the order of `configs`; `"best"`, the index of
# the highest (the first one, where several are equal); `"test_acc"`, the accuracy *of that network only* on the test part.
#
# Then draw 20 configurations, search on `(*ring_data, *rings(300, seed=3))`, and report in the second cell: (1) the best
# configuration, its validation and its test accuracy; (2) why the test part must not choose, and which way the validation
# accuracy of the best is biased; (3) which of the four hyperparameters mattered most, with evidence from the 20 runs.
#
# The hidden tests train with seeds of their own and accept accuracies within 0.1 of what three seeds gave the book.
#
# **You are done when** the check shows a list of two accuracies and the index of the better, and your text has all
# three points.

# %% exercise="5.2.5b"
def search(configs, data, seed):
    """Trains every configuration; {"val_acc": list, "best": index, "test_acc": float}."""
    ### BEGIN SOLUTION
    X, y, X_val, y_val, X_test, y_test = data
    nets, val_acc = [], []
    for config in configs:
        torch.manual_seed(seed)
        sizes = [X.shape[1]] + [config["width"]] * config["depth"] + [3]
        layers = [layer for n, m in zip(sizes, sizes[1:]) for layer in (nn.Linear(n, m), nn.ReLU())]
        nets.append(nn.Sequential(*layers[:-1]))
        fit(nets[-1], X, y, config["epochs"], config["lr"], seed=seed)
        val_acc.append(accuracy(nets[-1], X_val, y_val))
    best = val_acc.index(max(val_acc))
    return {"val_acc": val_acc, "best": best, "test_acc": accuracy(nets[best], X_test, y_test)}
    ### END SOLUTION

# %% [markdown] hints="5.2.5b"
# 1. Which data may choose the configuration, and what is left to the other?
# 2. Keep the networks, or the best so far, so that the test part is looked at once. `values.index(max(values))` is the
#    index of the first largest.
# 3. Throw 20 fair dice 10 times each and take the best die: its mean is above 3.5, though it is a die like the others.

# %% check="5.2.5b" points=3
three_parts = (*ring_data, *rings(300, seed=3))
pair = [{"lr": 0.01, "width": 4, "depth": 1, "epochs": 5}, {"lr": 0.5, "width": 32, "depth": 1, "epochs": 15}]
found = search(pair, three_parts, 0)
assert_equal(set(found), {"val_acc", "best", "test_acc"}, "the keys of the result")
assert_equal(len(found["val_acc"]), 2, "the number of validation accuracies")
assert_equal(found["best"], 1, "the better of a slow and a sound configuration")
assert_true(found["test_acc"] > 0.7, "the test accuracy of the better one is above 0.7",
            hint=f"It is {found['test_acc']:.3f}: is it that of the best network, after its training?")
### BEGIN HIDDEN TESTS
X, y = rings(270, seed=15, columns=3)
X_val, y_val = rings(200, seed=16, columns=3)
X_test, y_test = rings(150, seed=17, columns=3)
trio = [{"lr": 0.4, "width": 16, "depth": 2, "epochs": 14}, {"lr": 0.01, "width": 8, "depth": 1, "epochs": 5},
        {"lr": 0.4, "width": 16, "depth": 2, "epochs": 14}]
found = search(trio, (X, y, X_val, y_val, X_test, (y_test + 1) % 3), 2)
assert_equal(found["best"], 0, "the first of two equal configurations",
             hint="Choose by the validation part, and take the first of equal ones.")
assert_true(found["test_acc"] < 0.5, "the test accuracy where all test labels are false",
            hint="test_acc is measured on X_test and y_test.")
found = search(trio, (X, y, X_val, (y_val + 1) % 3, X_test, y_test), 2)
assert_true(max(found["val_acc"]) < 0.7, "the validation accuracies where all validation labels are false",
            hint="val_acc is measured on X_val and y_val.")
assert_equal(found["best"], found["val_acc"].index(max(found["val_acc"])),
             "the index of the highest validation accuracy, where the test part would choose otherwise")
deep = [{"lr": 0.3, "width": 16, "depth": depth, "epochs": 12} for depth in (1, 2)]
found = search(deep, (X, y, X_val, y_val, X_test, y_test), 0)
for value, sizes_ in zip(found["val_acc"], ([3, 16, 3], [3, 16, 16, 3])):
    def network():
        layers = [layer for n, m in zip(sizes_, sizes_[1:]) for layer in (nn.Linear(n, m), nn.ReLU())]
        return nn.Sequential(*layers[:-1])
    low, high = expected_range(network, (X, y, X_val, y_val), 12, 0.3)
    assert_true(low <= value <= high, f"the validation accuracy with {len(sizes_) - 2} hidden layers of 16 units")

@probe
def layers_used(configs, data):
    """The shapes of the weights in all calls of torch's linear function during the search."""
    import torch.nn.functional
    used, original = [], torch.nn.functional.linear

    def noted(inputs, weight, bias=None):
        used.append(list(weight.shape))
        return original(inputs, weight, bias)

    torch.nn.functional.linear = noted
    try:
        search(configs, data, 0)
    finally:
        torch.nn.functional.linear = original
    return used

made = layers_used([{"lr": 0.1, "width": 5, "depth": 2, "epochs": 1}], (X, y, X_val, y_val, X_test, y_test))
assert_true(not made or [5, 5] in made, "a network of depth 2 has a layer from hidden units to hidden units")
### END HIDDEN TESTS

# %% [markdown] written="5.2.5b" points=3
# ### BEGIN SOLUTION
# With `draw_configs(20, 0)` and seed 0 the best has rate 0.488, one layer of 32 units and 13 epochs: validation accuracy 0.913,
# test accuracy 0.897. The test part was looked at once, after the choice.
#
# If the test part chooses, its accuracy is no longer that of an unseen sample: it is the largest of 20 noisy numbers, and so too
# high on average. The same holds for the validation accuracy of the chosen run, which is why the test accuracy is the one to
# report; with 300 examples and an accuracy of 0.9 the standard error is about 0.017.
#
# The learning rate mattered most: the nine runs with a rate below 0.05 reach 0.523 at most, the eleven above 0.13 reach 0.607 at
# least, whatever their width, depth and epochs. The number of epochs acts in the same direction, since rate times steps
# is how far a run gets; width comes next: with 32 units and a rate above 0.4 all runs reach 0.9.
#
# **Rubric**
# - [1] The best configuration with all four values and both accuracies; also accepted: several that cannot be told apart; lost by the validation accuracy alone.
# - [1] Choosing makes the number that chooses too good (largest of several noisy values), hence one look at the test part; also accepted: an estimate of the size of the effect; lost by "the test part is only more data".
# - [1] Which hyperparameter mattered most, from the runs (sorted, grouped or plotted); also accepted: width, where the own runs show it; lost by a claim without runs.
# ### END SOLUTION

# %% [markdown]
# ### Scratch against framework

# %% [markdown] task="5.2.6" kind="code" minutes=20 difficulty=3
# ### Time a step
#
# How much does the framework's layer cost, or save, against products written out? A fair comparison does the same work on
# the same numbers, leaves out a first step to warm up, and takes the median of several.
#
# Write `compare_speed(Ws, bs, X, y, repeats)`. `Ws` and `bs` are lists of two or more weights (n_i, n_{i+1}) and biases
# (n_{i+1},), float32. A step is: forward with ReLU between the layers, mean cross-entropy, gradients of all
# parameters; the parameters are not changed. Measure it `repeats` times with tensors as in 5.2.2a, and `repeats` times with
# `nn.Linear` layers that hold the same parameters. Return a dictionary with `"scratch_seconds"` and
# `"concise_seconds"`, the median time of one step, and `"scratch_loss"` and `"concise_loss"`, the two losses.
#
# **You are done when** the check shows the same loss for both, and positive times.

# %% exercise="5.2.6"
def compare_speed(Ws, bs, X, y, repeats):
    """Median seconds of a step (forward, loss, gradients), and the loss, from scratch and with nn.Linear."""
    ### BEGIN SOLUTION
    parameters = [p.clone().requires_grad_() for p in (*Ws, *bs)]
    weights, biases = parameters[:len(Ws)], parameters[len(Ws):]
    layers = []
    for W, b in zip(Ws, bs):
        layer = nn.Linear(*W.shape)
        with torch.no_grad():
            layer.weight.copy_(W.T)
            layer.bias.copy_(b)
        layers += [layer, nn.ReLU()]
    net = nn.Sequential(*layers[:-1])

    def scratch(H):
        for W, b in zip(weights[:-1], biases[:-1]):
            H = torch.relu(H @ W + b)
        return H @ weights[-1] + biases[-1]

    result = {}
    for name, forward, trained in (("scratch", scratch, parameters), ("concise", net, list(net.parameters()))):
        times = []
        for _ in range(repeats + 1):
            start = time.perf_counter()
            loss = nn.functional.cross_entropy(forward(X), y)
            torch.autograd.grad(loss, trained)
            times.append(time.perf_counter() - start)
        result[name + "_seconds"] = sorted(times[1:])[repeats // 2]
        result[name + "_loss"] = loss.item()
    return result
    ### END SOLUTION

# %% [markdown] hints="5.2.6"
# 1. How do you get `W` of shape (inputs, outputs) into a layer that keeps (outputs, inputs)?
# 2. `with torch.no_grad(): layer.weight.copy_(W.T)`. `time.perf_counter()` gives seconds; take it before and after.
# 3. The median of 5, 1 and 90 ms is 5 ms, the mean 32 ms: one interruption spoils a mean.

# %% check="5.2.6" points=2
def problem(sizes, n, seed):
    rng = torch.Generator().manual_seed(seed)
    Ws = [torch.randn(a, b, generator=rng) / a ** 0.5 for a, b in zip(sizes, sizes[1:])]
    bs = [torch.randn(b, generator=rng) for b in sizes[1:]]
    return Ws, bs, torch.randn(n, sizes[0], generator=rng), torch.randint(0, sizes[-1], (n,), generator=rng)


small = problem((20, 16, 5), 32, 1)
measured = compare_speed(*small, 5)
assert_equal(set(measured), {"scratch_seconds", "concise_seconds", "scratch_loss", "concise_loss"}, "the keys of the result")
assert_close(measured["concise_loss"], measured["scratch_loss"], "the loss of both, with the same parameters", rtol=1e-4,
             hint="Do the layers hold copies of Ws and bs, and not their own random start?")
assert_true(measured["scratch_seconds"] > 0 and measured["concise_seconds"] > 0, "both times are positive")
### BEGIN HIDDEN TESTS
def loss_of(Ws, bs, X, y):
    H = X
    for W, b in zip(Ws[:-1], bs[:-1]):
        H = (H @ W + b).clamp(min=0)
    return nn.functional.cross_entropy(H @ Ws[-1] + bs[-1], y).item()

for sizes_, n in (((6, 6, 6), 6), ((30, 12, 9, 4), 50)):
    given = problem(sizes_, n, 525)
    measured = compare_speed(*given, 4)
    for name in ("scratch", "concise"):
        assert_close(measured[name + "_loss"], loss_of(*given), f"the {name} loss for sizes {sizes_}", rtol=1e-4)

large = problem((400, 500, 10), 1000, 526)
start = time.perf_counter()
long = compare_speed(*large, 20)
elapsed = time.perf_counter() - start
short = compare_speed(*small, 20)
both = long["scratch_seconds"] + long["concise_seconds"]
assert_true(both * 20 <= 2 * elapsed, "20 steps of each kind fit into the time that the call took",
            hint="The times are seconds, of one step.")
for name in ("scratch", "concise"):
    assert_true(long[name + "_seconds"] > short[name + "_seconds"],
                f"a step of a network with 600 times the work takes longer, {name}")

@probe
def parameters_after_timing(Ws, bs, X, y):
    compare_speed(Ws, bs, X, y, 2)
    return [Ws, bs]

Ws_after, bs_after = parameters_after_timing(*[[v + 0 for v in part_] if isinstance(part_, list) else part_ for part_ in given])
assert_close(Ws_after, given[0], "the weights after the call")
assert_close(bs_after, given[1], "the biases after the call")
### END HIDDEN TESTS

# %% [markdown] task="5.2.7" kind="experiment" minutes=20 difficulty=3
# ### Sizes that fit the hardware
#
# Processors load and multiply numbers in groups (of 4, 8, 16, ...), and memory comes in lines. A matrix whose
# side is a multiple of the group needs no special treatment of the last few columns.
#
# Write `matmul_table(sizes, repeats)`. For each n it makes two random (n, n) matrices, float32, multiplies them
# once to warm up, and then `repeats` times. Return a list of dictionaries in the order of `sizes` with the keys `"n"`,
# `"seconds"` (the shortest time of one product) and `"gflops"`: 2n³ operations a product, in units of 10⁹ a second.
#
# Then run it for 1024, 1025, 1026, 1028 and 1032 with 20 repeats, and report in the second cell: (1) the table, and
# processor or GPU and number of threads; (2) whether 1025 is slower than 1024 and 1032 by more than the spread of three runs;
# (3) why the shortest time, not the mean, and what on the machine could hide or make the effect.
#
# **You are done when** the check finds rates that agree with the times, and your text has all three points.

# %% exercise="5.2.7"
def matmul_table(sizes, repeats):
    """A row for each n: {"n", "seconds" (shortest), "gflops"} of an (n, n) by (n, n) product."""
    ### BEGIN SOLUTION
    table = []
    for n in sizes:
        A, B = torch.randn(n, n), torch.randn(n, n)
        A @ B
        times = []
        for _ in range(repeats):
            start = time.perf_counter()
            A @ B
            times.append(time.perf_counter() - start)
        table.append({"n": n, "seconds": min(times), "gflops": 2 * n ** 3 / min(times) / 1e9})
    return table
    ### END SOLUTION

# %% [markdown] hints="5.2.7"
# 1. What must not be inside the measured time?
# 2. Making random matrices takes time too: make them before. On a GPU, call `torch.cuda.synchronize()` before you read the
#    clock.
# 3. n = 1000: 2 · 10⁹ operations. In 0.05 s that is 40 · 10⁹ a second, 40 GFLOPS.

# %% check="5.2.7" points=2
table = matmul_table([64, 100], 3)
assert_equal([row["n"] for row in table], [64, 100], "the sizes in the table")
for row in table:
    assert_true(row["seconds"] > 0, "the time of a product is positive")
    assert_close(row["gflops"] * row["seconds"], 2 * row["n"] ** 3 / 1e9, "rate times time, in 10⁹ operations", rtol=1e-3,
                 mistakes={"Each product and each addition counts: 2n³.": row["n"] ** 3 / 1e9,
                           "\"seconds\" is the time of one product, not of all.": 3 * 2 * row["n"] ** 3 / 1e9,
                           "The unit is 10⁹ operations a second.": 2 * row["n"] ** 3})
### BEGIN HIDDEN TESTS
start = time.perf_counter()
table = matmul_table([600, 31], 15)
elapsed = time.perf_counter() - start
assert_equal([row["n"] for row in table], [600, 31], "the sizes, in the order given")
for row in table:
    assert_close(row["gflops"] * row["seconds"], 2 * row["n"] ** 3 / 1e9, f"rate times time for n = {row['n']}", rtol=1e-3)
assert_true(table[0]["seconds"] > table[1]["seconds"], "a product with n = 600 takes longer than one with n = 31")
assert_true(15 * sum(row["seconds"] for row in table) <= elapsed, "15 products of each size fit into the time of the call",
            hint="The time is that of one product, in seconds.")
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
# ### Activation and initialisation

# %% [markdown] task="5.2.8" kind="code" minutes=12 difficulty=2 core=true
# ### Which activation function?
#
# Write `activation_sweep(names, data, epochs, lr, seed)`. `names` is a list of some of `"relu"`, `"sigmoid"`, `"tanh"`,
# `"identity"`. For each it trains a new MLP with 32 hidden units, that function after the hidden layer, and 3 outputs, after
# `torch.manual_seed(seed)`, with `fit(..., epochs, lr, seed=seed)`. Return a dictionary from the name to the validation
# accuracy. For any other name it raises a `ValueError` that names it.
#
# The hidden tests train with seeds of their own and accept accuracies within 0.1 of what three seeds gave the book.
#
# **You are done when** the check shows that ReLU beats the identity clearly.

# %% exercise="5.2.8"
def activation_sweep(names, data, epochs, lr, seed):
    """The validation accuracy for each activation function. Raises ValueError for an unknown name."""
    ### BEGIN SOLUTION
    known = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "identity": nn.Identity}
    X, y, X_val, y_val = data
    result = {}
    for name in names:
        if name not in known:
            raise ValueError(f"unknown activation function {name!r}; known are {', '.join(known)}")
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(X.shape[1], 32), known[name](), nn.Linear(32, 3))
        fit(net, X, y, epochs, lr, seed=seed)
        result[name] = accuracy(net, X_val, y_val)
    return result
    ### END SOLUTION

# %% [markdown] hints="5.2.8"
# 1. Which torch layers are these four functions?
# 2. A dictionary from names to classes: `{"relu": nn.ReLU, ...}`; `known[name]()` makes a layer.
# 3. `raise ValueError(f"unknown colour {name!r}")` stops with a message that holds the name.

# %% check="5.2.8" points=2
found = activation_sweep(["relu", "identity"], ring_data, 20, 0.5, 0)
assert_equal(set(found), {"relu", "identity"}, "the names in the result")
assert_true(found["relu"] > found["identity"] + 0.2, "ReLU is better than the identity by more than 0.2")
assert_raises(ValueError, activation_sweep, ["cosine"], ring_data, 1, 0.5, 0, what="an unknown name", match="cosine")
### BEGIN HIDDEN TESTS
other = (*rings(270, seed=18, columns=3), *rings(200, seed=19, columns=3))
layers = {"tanh": nn.Tanh, "identity": nn.Identity, "relu": nn.ReLU, "sigmoid": nn.Sigmoid}
found = activation_sweep(list(layers), other, 15, 0.6, 1)
assert_equal(set(found), set(layers), "the names in the result for all four")
for name, layer_ in layers.items():
    low, high = expected_range(lambda: nn.Sequential(nn.Linear(3, 32), layer_(), nn.Linear(32, 3)), other, 15, 0.6)
    assert_true(low <= found[name] <= high, f"the validation accuracy of {name}",
                hint="Is it a new network for each name, with this function after the hidden layer?")
assert_raises(ValueError, activation_sweep, ["relu", "swoosh"], other, 1, 0.5, 0, what="an unknown name after a known one",
              match="swoosh")
### END HIDDEN TESTS

# %% [markdown]
# With the same learning rate, the sigmoid has hardly begun after these few epochs: its slope is at most 1/4, so the first layer
# gets a small gradient. More epochs, or a higher rate, and it catches up. A comparison at one learning rate is unfair.

# %% tags=["demo"]
for epochs, lr in ((20, 0.5), (20, 5.0), (200, 2.0)):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(2, 32), nn.Sigmoid(), nn.Linear(32, 3))
    fit(net, *ring_data[:2], epochs, lr)
    print(f'sigmoid, {epochs} epochs, learning rate {lr}: accuracy {accuracy(net, *ring_data[2:]):.3f}')

# %% [markdown] task="5.2.9a" kind="code" minutes=12 difficulty=3
# ### Initialise
#
# Write `initialise(net, scheme)`. It changes the parameters of a torch module `net` in place: all biases become 0, and the
# weight of each `nn.Linear` with a inputs and b outputs becomes
#
# - `"zeros"`: 0;
# - `"normal"`: draws from N(0, 0.01²);
# - `"xavier"`: draws from a normal distribution with mean 0 and *variance* 2 / (a + b) (Glorot and Bengio, 2010);
# - `"kaiming"`: the same with variance 2 / a (He et al., 2015).
#
# **You are done when** the check shows zero biases, and the right spread for "kaiming" in a layer with 200 inputs.

# %% exercise="5.2.9a"
def initialise(net, scheme):
    """Sets weights and biases of all nn.Linear layers of `net`, in place."""
    ### BEGIN SOLUTION
    for layer in net.modules():
        if isinstance(layer, nn.Linear):
            a, b = layer.in_features, layer.out_features
            std = {"zeros": 0.0, "normal": 0.01, "xavier": (2 / (a + b)) ** 0.5, "kaiming": (2 / a) ** 0.5}[scheme]
            with torch.no_grad():
                layer.weight.copy_(torch.randn(b, a) * std)
                layer.bias.zero_()
    ### END SOLUTION

# %% [markdown] hints="5.2.9a"
# 1. How do you find all linear layers of a module, also those inside others?
# 2. `net.modules()` gives all of them. `layer.in_features` and `layer.out_features` are a and b; `torch.nn.init` has
#    functions for these schemes (which of its many has variance 2 / a?).
# 3. LeCun's scheme has variance 1 / a: `nn.init.normal_(layer.weight, std=(1 / layer.in_features) ** 0.5)`.

# %% check="5.2.9a" points=2
@probe
def parameters_after(sizes, scheme, seed):
    """The parameters, as one list, of a nested module after initialise."""
    torch.manual_seed(seed)
    first_, rest = nn.Linear(sizes[0], sizes[1]), []
    for n, m in zip(sizes[1:], sizes[2:]):
        rest += [nn.ReLU(), nn.Linear(n, m)]
    net = nn.Sequential(first_, nn.Sequential(*rest))
    initialise(net, scheme)
    return [p.detach() for p in net.parameters()]


weight, bias, weight_2, bias_2 = parameters_after([200, 300, 50], "kaiming", 0)
assert_close(bias, torch.zeros(300), "the bias of the first layer")
assert_close(weight.std(), 0.1, "the standard deviation of the weight with 200 inputs and 300 outputs, kaiming", rtol=0.03,
             mistakes={"2 / a is the variance, not the standard deviation.": 0.01,
                       "a is the number of inputs; torch keeps a weight as (outputs, inputs).": (2 / 300) ** 0.5})
### BEGIN HIDDEN TESTS
for scheme_, spread in (("zeros", lambda a, b: 0.0), ("normal", lambda a, b: 0.01),
                        ("xavier", lambda a, b: (2 / (a + b)) ** 0.5), ("kaiming", lambda a, b: (2 / a) ** 0.5)):
    ends = [300, 120, 250]
    found = parameters_after(ends, scheme_, 3)
    for i, (a, b) in enumerate(zip(ends, ends[1:])):
        w, v = found[2 * i].double(), found[2 * i + 1].double()
        where = f"{scheme_}, layer {i + 1}, {a} inputs and {b} outputs"
        assert_close(v, torch.zeros(b, dtype=torch.float64), f"the bias: {where}")
        assert_close(w.std().item(), spread(a, b), f"the standard deviation of the weight: {where}", rtol=0.03, atol=1e-7)
        assert_close(w.mean().item(), 0.0, f"the mean of the weight: {where}", atol=5 * spread(a, b) / (a * b) ** 0.5 + 1e-9)
        if spread(a, b):
            assert_close((w / spread(a, b)).pow(4).mean().item(), 3.0, f"the fourth moment of the weight: {where}", rtol=0.1,
                         hint="Are the draws normal?")
            rows = (w / spread(a, b)).square().mean(1)
            assert_true((rows - 1).abs().max().item() < 0.8 and len(w.unique()) > a * b / 2, f"single draws: {where}",
                        hint="Is every weight a draw of its own?")
first_draw, second_draw = parameters_after([40, 30, 5], "xavier", 1)[0], parameters_after([40, 30, 5], "xavier", 2)[0]
assert_true((first_draw - second_draw).abs().max().item() > 1e-3, "another seed of torch gives other weights")
### END HIDDEN TESTS

# %% [markdown] task="5.2.9b" kind="experiment" minutes=20 difficulty=3
# ### The scale of the start
#
# Write `scale_sweep(stds, data, epochs, lr, seed)`. For each number in `stds` it makes an MLP with *two* hidden layers of 32
# units, ReLU and 3 outputs, sets all biases to 0 and draws all weights from a normal distribution with mean 0 and this
# standard deviation, after `torch.manual_seed(seed)`, and trains it with `fit(..., epochs, lr, seed=seed)`. Return a list of
# dictionaries in the order of `stds`, with the keys `"std"`, `"train_loss"` (what `fit` returns) and `"val_acc"`.
#
# Then run it on `ring_data` with 20 epochs, learning rate 0.2 and seed 0 for 0, 0.01, 0.1, 0.3, 1, 3 and 10, and report in the
# second cell: (1) which scales train, with numbers; (2) why 0 cannot, and why 0.01 does not get away in these epochs though
# it is not zero; (3) what happens with large scales, and which scale the rule of He et al. gives for the middle layer.
#
# The hidden tests train with seeds of their own and accept accuracies within 0.1 of what three seeds gave the book.
#
# **You are done when** the check shows that 0.3 trains and 0 does not, and your text has all three points.

# %% exercise="5.2.9b"
def scale_sweep(stds, data, epochs, lr, seed):
    """A row for each standard deviation: {"std", "train_loss", "val_acc"}."""
    ### BEGIN SOLUTION
    X, y, X_val, y_val = data
    table = []
    for std in stds:
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(X.shape[1], 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 3))
        for layer in net[::2]:
            nn.init.normal_(layer.weight, std=std)
            nn.init.zeros_(layer.bias)
        loss = fit(net, X, y, epochs, lr, seed=seed)
        table.append({"std": std, "train_loss": loss, "val_acc": accuracy(net, X_val, y_val)})
    return table
    ### END SOLUTION

# %% [markdown] hints="5.2.9b"
# 1. What is the gradient of the first weight if the second weight is zero?
# 2. `nn.init.normal_(weight, std=...)` and `nn.init.zeros_(bias)` write in place. The gradient of one layer's weight has the
#    other layers' weights as factors.
# 3. For y = u v w with u = v = w = 0.01, the derivative with respect to u is 0.0001, and at 0 it is 0.

# %% check="5.2.9b" points=2
table = scale_sweep([0.0, 0.3], ring_data, 20, 0.2, 0)
assert_equal([row["std"] for row in table], [0.0, 0.3], "the scales in the table")
assert_true(table[0]["train_loss"] > 1, "the loss stays above 1 with zeros",
            hint=f"It is {table[0]['train_loss']:.3f}: do all weights have this standard deviation before fit begins?")
assert_true(table[1]["val_acc"] > table[0]["val_acc"] + 0.2, "0.3 is better than 0 by more than 0.2")
### BEGIN HIDDEN TESTS
other = (*rings(270, seed=20, columns=3), *rings(200, seed=21, columns=3))
table = scale_sweep([0.4, 0.0, 0.01, 0.4], other, 15, 0.2, 1)
assert_equal([row["std"] for row in table], [0.4, 0.0, 0.01, 0.4], "the scales, in the order given")

def network():
    net = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 3))
    for layer in net[::2]:
        nn.init.normal_(layer.weight, std=0.4)
        nn.init.zeros_(layer.bias)
    return net

low, high = expected_range(network, other, 15, 0.2)
assert_true(low <= table[0]["val_acc"] <= high, "the accuracy with the scale 0.4")
shares = torch.bincount(other[3], minlength=3) / 200
assert_true(min(abs(table[1]["val_acc"] - share) for share in shares.tolist()) < 1e-4,
            "the accuracy with zeros: all examples in one class", hint="Are weights and biases zero at the start?")
assert_true(table[2]["train_loss"] > 1, "the loss with the scale 0.01 stays near its start",
            hint="Two hidden layers, biases 0, and a new network for each scale?")
at_rest = scale_sweep([0.0], other, 1, 0.0, 4)
assert_close(at_rest[0]["train_loss"], torch.log(torch.tensor(3.0)).item(), "the loss at the start with zeros, without a step",
             rtol=1e-4, hint="The biases are 0 too.")
assert_close(table[3]["train_loss"], table[0]["train_loss"], "two runs with 0.4 and the same seed", rtol=1e-3,
             hint="Call torch.manual_seed(seed) for each scale.")
### END HIDDEN TESTS

# %% [markdown] written="5.2.9b" points=3
# ### BEGIN SOLUTION
# Loss and accuracy: 0.1 gives 0.357 and 0.893, 0.3 gives 0.163 and 0.937, 1 gives 0.137 and 0.920. With 0 and 0.01 the loss
# stays at 1.097, about the entropy of the class shares, and the accuracy is the share of the largest class, 0.430.
#
# With zeros every hidden unit outputs 0 and every weight's gradient has a factor 0; only the output bias learns, and it learns
# the shares of the classes. At 0.01 the gradient of each weight carries the other two layers' weights as factors, so
# it is of the order of 10⁻⁴ of what it is at scale 1: the run needs many more epochs to leave this plateau.
#
# With 3 the outputs, products of three layers, are so large at the start that the softmax saturates and single steps
# throw the network about: the result is worse (0.857); at 10 it does not train (1.097, 0.430). The rule of He
# et al. gives (2/32)^½ = 0.25 for the middle layer, in the midst of the scales that train.
#
# **Rubric**
# - [1] The scales that train, with loss and accuracy, and those that do not; also accepted: a plot with numbers; lost by "0.3 is best" alone.
# - [1] At 0 all gradients but the output bias's vanish (or: the units stay equal); at 0.01 the product of small factors makes them tiny; also accepted: vanishing gradients with the factors named; lost by "small weights give small outputs, so the loss is small".
# - [1] Large: saturated softmax, exploding products or nan; and 0.25 for He's rule; also accepted: (2/32)^½; lost by 2/32.
# ### END SOLUTION

# %% [markdown]
# ### Mistakes

# %% [markdown] task="5.2.10" kind="code" minutes=10 difficulty=2 core=true
# ### The worst mistakes
#
# Misclassified examples of which the model was sure show mislabelled data, and what the model has not understood.
#
# Write `worst_mistakes(logits, y, k)`: for outputs of shape (n, q) and classes (n,) it returns the row numbers, int64,
# of the k misclassified examples with the largest cross-entropy, largest first. A row is misclassified if its
# largest output is not at `y`. If there are fewer than k, it returns all of them.
#
# **You are done when** the check shows two mistakes of four examples, the worse one first.

# %% exercise="5.2.10"
def worst_mistakes(logits, y, k):
    """Rows of the k misclassified examples with the largest cross-entropy: (n, q), (n,) -> (at most k,), int64."""
    ### BEGIN SOLUTION
    losses = nn.functional.cross_entropy(logits, y, reduction="none")
    wrong = (logits.argmax(dim=1) != y).nonzero().flatten()
    return wrong[losses[wrong].argsort(descending=True)][:k]
    ### END SOLUTION

# %% [markdown] hints="5.2.10"
# 1. Which rows are misclassified, and what is the loss of each? Which of the two selects, and which sorts?
# 2. `cross_entropy(..., reduction="none")` gives one loss a row. `argsort(descending=True)` gives places within what it was
#    given, so go back to the row numbers by indexing.
# 3. `rows = torch.tensor([4, 7, 9])` with losses 1, 3, 2: `rows[losses.argsort(descending=True)]` is 7, 9, 4.

# %% check="5.2.10" points=2
logits = torch.tensor([[2., 1., 0.], [0., 3., 1.], [0.5, 0.4, 0.3], [0., 0., 5.]])
y = torch.tensor([0, 0, 2, 2])
assert_shape(worst_mistakes(logits, y, 5), (2,), "the shape where two of four are misclassified and k = 5",
             hint="Rows that are classified correctly do not count, whatever their loss.")
assert_equal(worst_mistakes(logits, y, 5), [1, 2], "the two mistakes, the worse one first",
             mistakes={"The smallest loss comes first.": [2, 1],
                       "These are places among the misclassified, not row numbers.": [0, 1]})
assert_equal(worst_mistakes(logits, y, 1), [1], "the worst mistake")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(527)
for n, q, k in ((40, 5, 7), (60, 3, 60), (9, 9, 4)):
    logits = 3 * torch.randn(n, q, generator=rng, dtype=torch.float64) + 4 * torch.randn(n, 1, generator=rng, dtype=torch.float64)
    y = torch.randint(0, q, (n,), generator=rng)
    loss = (logits.logsumexp(1) - logits[torch.arange(n), y]).tolist()
    rows = sorted((i for i in range(n) if logits[i].argmax() != y[i]), key=lambda i: -loss[i])[:k]
    assert_dtype(worst_mistakes(logits, y, k), torch.int64, "the dtype of the row numbers")
    assert_equal(worst_mistakes(logits, y, k), rows, f"{n} examples, {q} classes, k = {k}")
# a large loss without a mistake: many classes, all nearly equal
flat = torch.cat([torch.full((1, 50), 0.0), torch.tensor([[2.0, 2.1] + [-9.0] * 48])])
flat[0, 3] = 0.01
assert_equal(worst_mistakes(flat, torch.tensor([3, 0]), 2), [1], "a row with a large loss that is classified correctly")
assert_shape(worst_mistakes(torch.eye(3), torch.arange(3), 2), (0,), "no mistakes")
### END HIDDEN TESTS

# %% [markdown]
# The worst mistakes of the network that was trained above: true class, predicted class, and the probability that the network
# gave to its prediction. Whose label would you doubt yourself?

# %% tags=["demo"]
with torch.no_grad():
    X, y = data.val[:]
    outputs = concise(X)
losses = nn.functional.cross_entropy(outputs, y, reduction='none')
worst = losses.argsort(descending=True)[:16]
confidence, guess = outputs.softmax(dim=1).max(dim=1)
labels = [f'{true}\n{wrong} {confidence[i]:.2f}'
          for i, true, wrong in zip(worst, data.text_labels(y[worst]), data.text_labels(guess[worst]))]
data.visualize([X[worst], y[worst]], nrows=2, labels=labels)
d2l.plt.tight_layout()
d2l.plt.show()
