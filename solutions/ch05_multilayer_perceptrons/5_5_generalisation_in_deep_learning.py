# %% [markdown]
# # 5.5 Generalisation in deep learning
#
# Section 3.6 told a clear story. A model that is too stiff underfits, one that is too flexible overfits; in between lies the best,
# and counting weights tells roughly where. Then people trained networks with a hundred times more weights than examples, to training error zero,
# on noisy data. By the story they should have been useless. They were the best that anybody had built.
#
# So part of the story is wrong, or at least too simple. This section finds out which part, by experiments that take seconds. At its end you can
# - make a network learn labels that mean nothing, and say what that proves;
# - say what the number of weights tells about generalisation, and what it does not;
# - stop a training at the right moment, without the mistake that keeps the wrong weights;
# - say when stopping early helps much, when little, and what else it is good for;
# - name what explains the success in part, and be honest about the rest.

# %% tags=["setup"]
from d2l_utils.check import *
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
import d2l_utils as d2l

fashion = d2l.FashionMNIST(batch_size=100)

def pictures(dataset, first, last):
    """Pictures first, ..., last - 1 as rows of 14 x 14 = 196 pixels, roughly of mean 0 and variance 1, and their classes."""
    X, y = dataset[torch.arange(first, last)]
    return (F.avg_pool2d(X, 2).flatten(1) - 0.29) / 0.34, y

TRAIN, VALIDATION, TEST = pictures(fashion.train, 0, 200), pictures(fashion.train, 200, 700), pictures(fashion.val, 0, 1000)

def corrupt(y, share, q, seed):
    """The labels, each replaced with probability `share` by one that is drawn from all q classes."""
    rng = torch.Generator().manual_seed(seed)
    return torch.where(torch.rand(len(y), generator=rng) < share, torch.randint(0, q, (len(y),), generator=rng), y)

def make_network(inputs, width, outputs, seed):
    """A new network with one hidden layer of ReLU units; sets torch's seed."""
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, outputs))

def train_epoch(net, X, y, lr, weight_decay=0.0):
    """One epoch of SGD on the mean cross-entropy of batches of 40, in random order; changes `net`."""
    parameters = list(net.parameters())
    for rows in torch.randperm(len(X)).split(40):
        gradients = torch.autograd.grad(F.cross_entropy(net(X[rows]), y[rows]), parameters)
        with torch.no_grad():
            for parameter, gradient in zip(parameters, gradients):
                parameter -= lr * (gradient + weight_decay * parameter)

def accuracy(net, X, y):
    """The share of the rows that `net` classifies correctly."""
    with torch.no_grad():
        return (net(X).argmax(dim=1) == y).float().mean().item()

def mean_loss(net, X, y):
    """The mean cross-entropy of `net` on these examples."""
    with torch.no_grad():
        return F.cross_entropy(net(X), y).item()

# %% [markdown] teaches="random labels, memorising"
# ## 1. Learning nonsense by heart
#
# How would you prove that a network *understands* clothes? One idea is to ask what it does where there is nothing to understand. Throw the labels away and
# give every training picture a class by lot: a boot becomes a "shirt", the next boot a "bag". Nothing connects picture and label any more. What will the training error be? (The experiment is that of Zhang and others, 2017, on a small scale.)
#
# The cell above has all that is needed: 200 training pictures of Fashion-MNIST, shrunk to 196 pixels; 500 validation and 1,000 test pictures, whose labels stay right; a network with one hidden layer; an epoch of SGD; and
# `corrupt(y, share, q, seed)`, which replaces each label with probability `share`. A picture of what comes out of it:

# %% tags=["demo"]
import matplotlib.pyplot as plt

X_train, y_train = TRAIN
names = ["T-shirt", "trouser", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "boot"]
figure, axes = plt.subplots(1, 8, figsize=(9, 1.9), layout="constrained")
for ax, picture, label in zip(axes, X_train, corrupt(y_train, 1.0, 10, seed=0)):
    ax.imshow(picture.reshape(14, 14), cmap="gray_r")
    ax.set_title(names[label], fontsize=9)
    ax.set(xticks=[], yticks=[])
plt.show()

# %% [markdown]
# What to see: eight training pictures with labels drawn by lot. Now train the same network three times: with the true labels, with 40 % of them replaced, and with all of them replaced.

# %% tags=["demo"]
curves = {}
for share in (0.0, 0.4, 1.0):
    labels = corrupt(y_train, share, 10, seed=0)
    net = make_network(196, 128, 10, seed=0)
    curves[share] = []
    for epoch in range(80):
        train_epoch(net, X_train, labels, lr=0.2)
        curves[share].append(accuracy(net, X_train, labels))
    print(f"share {share}: accuracy on the training labels {curves[share][-1]:.3f}, on the test pictures {accuracy(net, *TEST):.3f}")
print("weights and biases:", sum(p.numel() for p in net.parameters()))

figure, ax = plt.subplots(figsize=(5.4, 3), layout="constrained")
for (share, values), style in zip(curves.items(), ("-", "--", ":")):
    ax.plot(range(1, 81), values, style, label=f"{share:.0%} replaced")
ax.set(xlabel="epoch", ylabel="accuracy on the training labels", ylim=(0, 1.03))
ax.legend(loc="lower right")
ax.grid(alpha=0.3)
plt.show()

# %% [markdown]
# What to see: all three curves arrive at 1. The network learns nonsense without a single mistake; it only takes more epochs. That is *memorising*: the labels of 200 pictures fit into 26,506 weights and biases.
#
# The test accuracies are 0.739, 0.524 and 0.149, the last one little better than a guess among ten. And here is the point. The three runs have the same network, the same number of weights, the same training algorithm, the same number of examples, the same training error, 0.
# **Whatever explains 0.739 cannot be any of these things alone, for they are the same where it is 0.149.** The difference lies in the data: there is something to be learnt in the first, and the network, though it *could* have memorised, learnt it.
#
# ⚠ *Replaced does not mean wrong.* A label drawn from all q classes is the old one in one of q cases. With all labels replaced about 10 % are still right.

# %% [markdown] task="5.5.A" kind="code" minutes=2 difficulty=1 core=true needs="random labels, probability"
# ### How many are still right
#
# Each label is replaced with probability `share` by one that is drawn from all `q` classes, each equally likely. Write `share_right(share, q)`: the expected share of labels that are right afterwards.
#
# **You are done when**
# - **ends**: it is 1 for `share` 0, and 1/q for `share` 1;
# - **between**: it is right for every share between.

# %% exercise="5.5.A"
def share_right(share, q):
    """The expected share of right labels after the replacement."""
    ### BEGIN SOLUTION
    return 1 - share + share / q
    ### END SOLUTION

# %% [markdown] hints="5.5.A"
# 1. In which two ways can a label be right afterwards?
# 2. It was not drawn anew (probability 1 - share), or it was, and hit the old class.
# 3. With two classes and a share of one half: 0.5 were left alone, and half of the other 0.5 are right by luck: 0.75.

# %% check="5.5.A" points=1
a_quarter = ("`share` is the probability that a label is drawn anew, not that it is left alone." if share_right(1.0, 4) == 1 else
             "The two ways of being right exclude each other: their probabilities are added.")
assert_close(share_right(0.0, 4), 1.0, "share_right(0, 4)", of="ends", rtol=1e-4, mistakes={"Labels that are not drawn anew stay right: here all of them.": 0.0, "A share is a number from 0 to 1, not a percentage.": 100.0, a_quarter: 0.25, "With share 0 no label is drawn anew, so nothing is added to 1.": 1.25},
             hint="With share 0 every label is left alone, and right.")
assert_close(share_right(1.0, 4), 0.25, "share_right(1, 4)", of="ends", rtol=1e-4, mistakes={"A label that is drawn anew may be the old one: one in q is. (Where you divide by `//`, the fraction is cut off.)": 0.0, "Of the labels that are drawn anew one in q is right, and the others are wrong.": 0.75, "The new label is drawn from all q classes, the old one included.": 1 / 3, "Of the labels that are drawn anew one in q is right: divide by q.": 4.0, "The number is wanted as it is, not rounded to one place.": 0.2, "The number is wanted as it is, not rounded.": 0.3, "This is the share for 10 classes: q is an argument.": 0.1,
                                                                                "By this all are right, though three in four miss the old class. (Where you divide by `//`, their share is cut off to 0.)": 1.0},
             hint="With share 1 every label is drawn anew, and one in q hits the old class.")
assert_close(share_right(0.4, 10), 0.64, "share_right(0.4, 10)", of="between", rtol=1e-4, mistakes={"These are the labels that are left alone. Those that are drawn anew and right come to them, and not in their place: add them.": 0.6, "That is the share of wrong labels.": 0.36,
    "One in q is right of the labels that are drawn anew, not of all: the share that is left alone is right already.": 0.7,
    "The two ways of being right exclude each other: their probabilities are added.": 0.06, "The two ways of being right exclude each other: nothing is taken off their sum.": 0.616,
                                                                                             "This is 1/q: only a share of the labels is drawn anew, the others are right as well.": 0.1, "These are the labels that are drawn anew and right: those that were left alone are right as well.": 0.04},
             hint="At the ends yours is right. Between them nothing is bent: the share of the labels that are left alone falls evenly, and of the others one in q is right; the two are added.")
assert_close(share_right(0.125, 3), 11 / 12, "share_right(0.125, 3)", of="between", rtol=1e-4, mistakes={"The number is wanted as it is, not rounded.": round(11 / 12, 2), "The number is wanted as it is, not rounded to three places.": round(11 / 12, 3)},
             hint="At the ends yours is right. Between them nothing is bent: the share of the labels that are left alone falls evenly, and of the others one in q is right; the two are added.")
### BEGIN HIDDEN TESTS
for q_55A in (2, 7, 100):
    assert_close(share_right(0.0, q_55A), 1.0, f"share 0, {q_55A} classes", of="ends", rtol=1e-4)
    assert_close(share_right(1.0, q_55A), 1 / q_55A, f"share 1, {q_55A} classes", of="ends", rtol=1e-4)
    for share_55A in (0.25, 0.9):
        assert_close(share_right(share_55A, q_55A), 1 - share_55A * (q_55A - 1) / q_55A, f"share {share_55A}, {q_55A} classes", of="between", rtol=1e-4)
### END HIDDEN TESTS

# %% [markdown] task="5.5.6" kind="experiment" minutes=12 difficulty=2 core=true needs="random labels, memorising, training error, test set"
# ### Run it yourself
#
# Write `memorise(train, test, share, width, epochs, seed)`. `train` and `test` are pairs of pictures and true labels, such as `TRAIN` and `TEST`. It corrupts the training labels by `corrupt(..., share, 10, seed)`, makes a network by `make_network(..., width, 10, seed)`, trains it on the corrupted labels by `train_epoch` with the
# learning rate 0.2 for `epochs` epochs, and returns a pair: the accuracy on the training examples *with the labels it was trained on*, and the accuracy on the test examples with their true labels.
#
# Then run it: widths 2, 16 and 128, shares 0 and 1, 80 epochs. Which widths can memorise? Does a width that can memorise do worse on true labels? (The next part takes this up.)
#
# With these functions nothing is left to chance: `corrupt` and `make_network` get the seed, and `make_network` sets torch's own, from which `train_epoch` takes its random order. Set no other seed. Then the pair is determined, and some checks compare it with the known one.
#
# **You are done when**
# - **training accuracy**: the first number refers to the labels that were trained on;
# - **test accuracy**: the second refers to the test examples;
# - **share**: it is used: with all labels replaced the test accuracy is near 0.1;
# - **width**: it is used: two hidden units cannot memorise;
# - **epochs**: they are used: after a single epoch not much is learnt, and all of them are trained, also when the training accuracy has reached 1;
# - **seed**: the same seed gives the same pair, another seed another one;
# - **recipe**: all is as described: the labels are drawn once, the seed goes into both functions, each epoch is one call of `train_epoch` on all training pictures with the learning rate 0.2 and no weight decay.

# %% exercise="5.5.6"
def memorise(train, test, share, width, epochs, seed):
    """(accuracy on the corrupted training labels, accuracy on the test examples)."""
    ### BEGIN SOLUTION
    X, y = train
    labels = corrupt(y, share, 10, seed)
    net = make_network(X.shape[1], width, 10, seed)
    for _ in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
    return accuracy(net, X, labels), accuracy(net, *test)
    ### END SOLUTION

# %% [markdown] hints="5.5.6"
# 1. Which labels does the training see, and which the first accuracy?
# 2. The demonstration above is the same, for one width and without a function. `accuracy(net, *pair)` passes pictures and labels.
# 3. For one epoch and a network of 5 units: `net = make_network(196, 5, 10, 0)`, then `train_epoch(net, X, labels, lr=0.2)`, then measure twice.

# %% check="5.5.6" points=3
def pair_of_556(train, test, share, width, epochs, seed, of):
    call = f"{len(train[1])} training pictures, share {share}, width {width}, {epochs} epochs, seed {seed}"
    answer = memorise((train[0].clone(), train[1].clone()), (test[0].clone(), test[1].clone()), share, width, epochs, seed)
    assert_type(answer, (tuple, list, torch.Tensor), f"what memorise returns, {call}", of=of)
    assert_equal(len(answer), 2, f"how many numbers come back, {call}", of=of)
    answer = [float(v) for v in answer]
    assert_true(min(answer) >= 0 and max(answer) <= 1, f"{call}: the training accuracy and the test accuracy are shares from 0 to 1, yours are {answer[0]:.3f} and {answer[1]:.3f}", of=of,
                hint="The two numbers as `accuracy` returns them: no percentages, no numbers of pictures, no differences.")
    return call, answer

def sentence_of_556(pair, mistakes, wanted):
    """The sentence of the mistake that gives this pair: but for one training picture, which another processor may see otherwise."""
    fitting = [sentence for sentence, (known, new) in mistakes.items() if abs(pair[0] - known) < 0.0055 and abs(pair[1] - new) < 0.0022]
    if len(fitting) != 1 and (abs(pair[0] - wanted[0]) < 0.0055) != (abs(pair[1] - wanted[1]) < 0.0022):
        return "The other number of the pair is right, so the training probably is, too: look at how, when and on what this one is measured."
    if fitting == [one_order_or_one_less_556]:
        untrained = accuracy(make_network(196, 128, 10, 1), *few_556)
        return ("That is one epoch too few: where epochs is 1, your network is not trained at all."
                if abs(float(memorise(few_556, few_556, 0.0, 128, 1, 1)[0]) - untrained) < 1e-3 else
                "make_network has set torch's seed: set it in no epoch again, for then the batches come in one order "
                "in every epoch.")
    return fitting[0] if len(fitting) == 1 else "Compare with the recipe, word by word: labels drawn once, the seed in both functions and set nowhere else, the width, the rate 0.2, no weight decay, each epoch one call on all pictures."

few_556 = (TRAIN[0][:120], TRAIN[1][:120])
one_order_or_one_less_556 = "one epoch too few, or one seed in each epoch: these two give one pair"
def errors_556():
    """A sentence, where true labels are learnt almost without an accuracy: these are errors."""
    return "Are these the errors? Wanted are the accuracies. " if float(memorise(few_556, few_556, 0.0, 128, 40, 1)[1]) < 0.1 else ""

with part(0.25, "all labels replaced"):
    call_556, (known_556, new_556) = pair_of_556(few_556, TEST, 1.0, 128, 80, 1, "training accuracy")
    lucky_556 = (corrupt(few_556[1], 1.0, 10, 1) == few_556[1]).float().mean().item()
    assert_true(known_556 > 0.9, f"{call_556}: the training accuracy is above 0.9, yours is {known_556:.3f}", of="training accuracy",
                hint="So many of the corrupted labels are the true ones: the labels that are trained on and those of the first accuracy must be the same, the corrupted labels." if abs(known_556 - lucky_556) < 1e-3
                else "Your second number is the greater one: the training accuracy stands first." if 0.02 < known_556 < 0.3 and new_556 > 0.9 else "Are these the errors? Wanted are the accuracies." if known_556 < 0.02 and new_556 > 0.7
                else "By the recipe nearly all labels are learnt in the end. What is done otherwise, in the training or in the "
                     "measuring? Other parts of this check tell more." if known_556 > 0.3
                else "So few are not learnt by this recipe, they are guessed: is this very network trained, on the corrupted labels, and measured after the training, with the same labels?")
    assert_true(new_556 < 0.25, f"{call_556}: the test accuracy is below 0.25, yours is {new_556:.3f}", of="share",
                hint="Is the second number measured on the test examples?" if new_556 > 0.9 else "Nothing can be learnt from labels drawn by lot: are they the ones that the network was trained on?" if new_556 > 0.6 else "Is the share used?" if new_556 > 0.35
                else "Where the share is 1 all labels are drawn by lot, and next to nothing can be learnt for other pictures: are true labels left among them?")
def moved_on(pair):
    """The same pictures; every class has the next number, 9 becomes 0."""
    return pair[0], (pair[1] + 1) % 10

with part(0.25, "true labels"):
    call_556, (known_556, new_556) = pair_of_556(moved_on(few_556), moved_on(TEST), 0.0, 128, 40, 1, "test accuracy")
    assert_true(known_556 > 0.85 and 0.55 < new_556 < 0.85, f"{call_556}, every class number raised by 1 in both sets: the training accuracy is above 0.85 and the test accuracy between 0.55 and 0.85, yours are {known_556:.3f} and {new_556:.3f}", of="test accuracy",
                hint="So few are right in both sets, as if nothing had been learnt: where the share is 0 no label is changed, "
                     "and all pictures are trained on all the same." if 0.03 < known_556 < 0.25 and 0.05 < new_556 < 0.2
                else "Are the arguments train and test used, and not TRAIN and TEST?" if new_556 < 0.1 else "Are these the errors? Wanted are the accuracies." if known_556 < 0.1 else "Your second number is the greater one: the training accuracy stands first." if new_556 > 0.9 > known_556
                else "Is the second number measured on the examples of the argument test?" if new_556 > 0.9
                else "Where the share is 0 the labels stay as they are, and this recipe learns nearly all of them: is the network trained on them, for all 40 epochs, with the rate 0.2?")
    call_556, (_, new_556) = pair_of_556(moved_on(few_556), TEST, 0.0, 128, 20, 1, "test accuracy")
    assert_true(new_556 < 0.35, f"{call_556}, every class number raised by 1 in the training set only: the test accuracy is below 0.35, yours is {new_556:.3f}", of="test accuracy",
                hint="Are the arguments train and test used, and not TRAIN and TEST?" if new_556 < 0.85 else "")
with part(0.25, "width and epochs"):
    call_556, (known_556, _) = pair_of_556(few_556, TEST, 1.0, 2, 50, 1, "width")
    assert_true(known_556 < 0.5, f"{call_556}: the training accuracy is below 0.5, yours is {known_556:.3f}", of="width", hint=lambda: errors_556() or "Is the width used? Two hidden units cannot learn most of 120 labels drawn by lot.")
    call_556, (known_556, _) = pair_of_556(few_556, TEST, 1.0, 128, 1, 1, "epochs")
    assert_true(known_556 < 0.5, f"{call_556}: the training accuracy is below 0.5, yours is {known_556:.3f}", of="epochs", hint=lambda: errors_556() or "Is the number of epochs used? Here a single call of train_epoch is asked for.")
with part(0.25, "seed"):
    results_556 = [pair_of_556(few_556, TEST, 0.5, 16, 3, seed_556, "seed")[1] for seed_556 in (4, 5, 4)]
    assert_close(results_556[0][0] - results_556[2][0], 0.0, "the difference of the training accuracies of two runs with the seed 4", of="seed", atol=1e-6,
                 hint="Something is left to chance: corrupt and make_network get the seed, and the network is made anew in each call, before its training.")
    assert_true(abs(results_556[0][0] - results_556[1][0]) + abs(results_556[0][1] - results_556[1][1]) > 1e-6, "the seeds 4 and 5 give different pairs", of="seed", hint="Is the seed used?")
with part(0.5, "recipe"):
    for few_pictures_556, share_556, epochs_556, seed_556, wanted_556, mistakes_556 in (
            (False, 0.7, 16, 11, [0.53, 0.257], {
                **{f"The learning rate is 0.2, not {lr}.": pair for lr, pair in ((0.1, [0.44, 0.331]), (0.5, [0.59, 0.307]), (0.02, [0.265, 0.368]), (0.01, [0.245, 0.276]), (0.3, [0.57, 0.268]), (1.0, [0.325, 0.139]))},
                "There is no weight decay here: is it 0.01?": [0.5, 0.272], "There is no weight decay here: is it 0.1?": [0.335, 0.314],
                "The seed goes into corrupt, too: is it always 0 there?": [0.47, 0.341], "The seed goes into make_network, too: is it always 0 there?": [0.51, 0.21], "The seed is used in neither function: is it always 0?": [0.575, 0.374],
                "The new labels are drawn from 10 classes, not 9.": [0.485, 0.341], "make_network has set torch's seed: set it no second time.": [0.515, 0.292],
                "make_network has set torch's seed: set it in no epoch again, not to the seed plus the epoch.": [0.49, 0.249],
                "make_network has set torch's seed: set it in no epoch again, not to the number of the epoch.": [0.52, 0.263],
                "train_epoch makes the batches of 40: it is called once in each epoch, with all pictures.": [0.495, 0.381], "train_epoch makes the batches of 40: call it with all pictures, not with 40 at a time.": [0.55, 0.292],
                "The learning rate stays 0.2: here it falls from epoch to epoch.": [0.5, 0.321], "The learning rate stays 0.2: it falls from epoch to epoch.": [0.425, 0.334], "The learning rate is 0.2 in each epoch: here it falls slowly.": [0.53, 0.266],
                "Are the arguments train and test used, and not TRAIN and TEST?": [0.54, 0.355], "The first argument, train, is used, and not TRAIN.": [0.54, 0.022], "The test accuracy is that on the argument test, not on TEST.": [0.53, 0.07],
                "The labels are drawn once, before the training, not in every epoch.": [0.325, 0.661], "The network is made once, before the training, not in every epoch.": [0.25, 0.291],
                "All training pictures are used: are these the first 100 only?": [0.3, 0.2], "The first accuracy is measured with the labels that were trained on.": [0.355, 0.257],
                "The test labels stay as they are.": [0.53, 0.149], "The test accuracy is that of the end, not the best on the way.": [0.53, 0.369],
                "That is one epoch too many.": [0.5, 0.283], one_order_or_one_less_556: [0.495, 0.298], "The share is a probability: 0.7 of the labels are drawn anew, not all.": [0.45, 0.038],
                "The network is trained on the true labels: the share asks for others.": [0.925, 0.734], "Is the width used?": [0.625, 0.206],
                "The first accuracy is that of all training pictures, not of those alone whose label was changed.": [0.451, 0.257],
                "The pictures are used as they are: do not standardise them once more.": [0.535, 0.272],
                "Both accuracies are those after the last epoch, not the means over the epochs.": [0.386, 0.3115],
                "All training pictures are trained on, not those alone whose label was changed.": [0.335, 0.018],
                "This is one step for each epoch, with all pictures at once: train_epoch makes a step for each 40 of them.": [0.31, 0.355]}),
            (False, 0.3, 12, 11, [0.715, 0.651], {
                **{f"The learning rate is 0.2, not {lr}.": pair for lr, pair in ((0.1, [0.64, 0.649]), (0.5, [0.705, 0.616]), (0.02, [0.435, 0.466]), (0.3, [0.735, 0.641]))},
                "The share is a probability: 0.3 of the labels are drawn anew, not all.": [0.44, 0.041], "The share is a probability: 0.3 of the labels are drawn anew, not none.": [0.915, 0.712]}),
            (True, 0.5, 61, 27, [0.942, 0.356], {
                "All 61 epochs are trained, also when the training accuracy has reached 1 on the way.": [1.0, 0.397],
                "All 61 epochs are trained, also when the training accuracy has come near 1 on the way.": [0.983, 0.385],
                "The training accuracy is that of the end, not the best on the way.": [1.0, 0.356], "The test accuracy is that of the end, not the best on the way.": [0.942, 0.546]})):
        call_556, pair_556 = pair_of_556(moved_on(few_556 if few_pictures_556 else TRAIN), moved_on(TEST), share_556, 40, epochs_556, seed_556, "epochs" if few_pictures_556 else "recipe")
        assert_close(pair_556, wanted_556, f"{call_556}, every class number raised by 1 in both sets: the pair of accuracies", of="epochs" if few_pictures_556 else "recipe", atol=0.006, hint=lambda: sentence_of_556(pair_556, mistakes_556, wanted_556))
### BEGIN HIDDEN TESTS
other_556, rest_556 = (VALIDATION[0][:120], VALIDATION[1][:120]), (VALIDATION[0][200:], VALIDATION[1][200:])
with part(0.25, "labels replaced, other pictures"):
    call_556, (known_556, new_556) = pair_of_556(other_556, rest_556, 1.0, 200, 90, 2, "training accuracy")
    assert_true(known_556 > 0.85, f"{call_556}: the training accuracy is above 0.85", of="training accuracy")
    assert_true(new_556 < 0.3, f"{call_556}: the test accuracy is below 0.3", of="share")
with part(0.25, "true labels, other pictures"):
    call_556, (known_556, new_556) = pair_of_556(moved_on(other_556), moved_on(rest_556), 0.0, 64, 60, 3, "test accuracy")
    assert_true(known_556 > 0.85 and 0.5 < new_556 < 0.87, f"{call_556}, class numbers raised by 1: the training and the test accuracy", of="test accuracy")
    call_556, (_, new_556) = pair_of_556(other_556, moved_on(rest_556), 0.0, 64, 20, 3, "test accuracy")
    assert_true(new_556 < 0.35, f"{call_556}, class numbers raised by 1 in the test set only: the test accuracy is below 0.35", of="test accuracy")
with part(0.25, "width and epochs, other pictures"):
    call_556, (known_556, _) = pair_of_556(other_556, rest_556, 0.9, 1, 50, 2, "width")
    assert_true(known_556 < 0.5, f"{call_556}: the training accuracy is below 0.5", of="width")
    call_556, (known_556, _) = pair_of_556(other_556, rest_556, 0.9, 128, 2, 2, "epochs")
    assert_true(known_556 < 0.55, f"{call_556}: the training accuracy is below 0.55", of="epochs")
with part(0.25, "seed, other seeds"):
    results_556 = [pair_of_556(other_556, rest_556, 0.3, 8, 2, seed_556, "seed")[1] for seed_556 in (11, 0, 11)]
    assert_close(results_556[0][1] - results_556[2][1], 0.0, "the difference of the test accuracies of two runs with the seed 11", of="seed", atol=1e-6)
    assert_true(abs(results_556[0][0] - results_556[1][0]) + abs(results_556[0][1] - results_556[1][1]) > 1e-6, "the seeds 11 and 0 give different pairs", of="seed")
with part(0.5, "recipe, other pictures"):
    def by_optimizer_556(train, test, share, width, epochs, seed):
        labels, model = corrupt(train[1], share, 10, seed), make_network(196, width, 10, seed)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
        for _ in range(epochs):
            for some in torch.randperm(len(labels)).split(40):
                optimizer.zero_grad()
                F.cross_entropy(model(train[0][some]), labels[some]).backward()
                optimizer.step()
        return [(model(X).argmax(dim=1) == y).double().mean().item() for X, y in ((train[0], labels), test)]

    third_556 = [(X, (y + 3) % 10) for X, y in ((VALIDATION[0][:150], VALIDATION[1][:150]), rest_556)]
    for share_556, seed_556 in ((0.6, 4), (0.3, 7)):
        call_556, pair_556 = pair_of_556(*third_556, share_556, 40, 12, seed_556, "recipe")
        assert_close(pair_556, by_optimizer_556(*third_556, share_556, 40, 12, seed_556), f"{call_556}, every class number raised by 3 in both sets: the pair of accuracies", of="recipe", atol=0.007)
    hundred_556 = [(third_556[0][0][:100], third_556[0][1][:100]), third_556[1]]
    call_556, pair_556 = pair_of_556(*hundred_556, 0.4, 50, 61, 1, "epochs")
    assert_close(pair_556, by_optimizer_556(*hundred_556, 0.4, 50, 61, 1), f"{call_556}, every class number raised by 3 in both sets: the pair of accuracies", of="epochs", atol=0.007)
total()
### END HIDDEN TESTS

# %% [markdown] teaches="interpolation, number of weights and generalisation"
# ## 2. Counting weights
#
# The answer to 5.5.6: in 80 epochs only the width 128 learns all labels drawn by lot; width 16 learns most of them, width 2 few. With true labels the widths 16 and 128 do equally well on the test pictures.
#
# A network that memorises could still be a bad one for true labels. By the story of 3.6 a model that has reached training error 0 can only lose by becoming more flexible still. Make the network wider and wider, with true labels:

# %% tags=["demo"]
widths = [4, 8, 16, 32, 64, 128, 256, 512]
table = []
for width in widths:
    net = make_network(196, width, 10, seed=0)
    for _ in range(60):
        train_epoch(net, *TRAIN, lr=0.2)
    table.append((sum(p.numel() for p in net.parameters()), 1 - accuracy(net, *TRAIN), 1 - accuracy(net, *TEST)))
    print(f"width {width:4}: {table[-1][0]:7,} weights and biases, training error {table[-1][1]:.3f}, test error {table[-1][2]:.3f}")
figure, ax = plt.subplots(figsize=(5.4, 3), layout="constrained")
ax.plot([row[0] for row in table], [row[1] for row in table], "o-", label="training error")
ax.plot([row[0] for row in table], [row[2] for row in table], "s--", label="test error")
ax.axvline(200, color="grey", linewidth=1)
ax.annotate("200 examples", (215, 0.47), fontsize=9)
ax.set(xscale="log", xlabel="weights and biases", ylabel="error", ylim=(-0.02, 0.52))
ax.legend(loc="upper right")
ax.grid(alpha=0.3)
plt.show()

# %% [markdown]
# What to see: the training error reaches 0 at width 16. From there on nothing could be gained on the training set, and the number of weights grows thirtyfold, to 530 for each example. The test error does not rise: it is 0.262 at width 16 and 0.257 at width 512.
#
# ⚠ *"Training error zero, so it overfits."* No. A model that meets all its training examples is said to *interpolate* them, and it may be as good as any. What 3.6 calls overfitting is a large *gap* that grows when flexibility grows; here it does not grow.
#
# Nor are networks the only models that do this. The look-up table of 3.6, which repeats the label of the *nearest* training example, has training error 0 by construction, and no weights at all: it keeps the whole training set.

# %% [markdown] task="5.5.B" kind="code" minutes=4 difficulty=1 core=true needs="interpolation, distance"
# ### The nearest neighbour
#
# Write `nearest_labels(X, y, queries)`: `X` has shape (n, d), `y` holds the n labels, `queries` has shape (m, d). For each query it returns the label of the row of `X` that is nearest by the Euclidean distance. No two distances are equal in the tests.
#
# **You are done when**
# - **shape**: the result is a tensor of shape (m,), also for a single query;
# - **nearest**: each entry is the label of the nearest row.

# %% exercise="5.5.B"
def nearest_labels(X, y, queries):
    """The label of the nearest row of X for each query, shape (m,)."""
    ### BEGIN SOLUTION
    return y[torch.cdist(queries, X).argmin(dim=1)]
    ### END SOLUTION

# %% [markdown] hints="5.5.B"
# 1. Which table of numbers has a row for each query and a column for each known example?
# 2. `torch.cdist(P, Q)` has the distance from row i of P to row j of Q at place (i, j). `argmin(dim=1)` finds the column of the smallest entry of each row.
# 3. Known: 0 (label 5) and 10 (label 7). The queries 2 and 9 get the labels 5 and 7.

# %% check="5.5.B" points=1
def distances_of_55B(known, labels, asked):
    """The squared distances of the first query whose label is wrong, in words."""
    found, squares = nearest_labels(known.clone(), labels.clone(), asked.clone()).tolist(), torch.cdist(asked, known).square()
    wrong = next(i for i, row in enumerate(squares) if labels[row.argmin()].item() != found[i])
    point, row = ", ".join(f"{v:g}" for v in asked[wrong].tolist()), squares[wrong]
    return f"From the query ({point}) the squared distances of the rows are {', '.join(f'{v:.4g}' for v in row.tolist())}: row {row.argmin().item()} is nearest, with the label {labels[row.argmin()].item()}."

known_55B, labels_55B = torch.tensor([[0., 0.], [10., 0.], [0., 4.]]), torch.tensor([5, 7, 2])
asked_55B = torch.tensor([[9., 1.], [1., 0.], [0.5, 3.], [-3., 5.]])
assert_type(nearest_labels(known_55B.clone(), labels_55B.clone(), asked_55B.clone()), torch.Tensor, "the labels for 3 known examples and 4 queries", of="shape", hint="The labels of all queries stand in one tensor.")
assert_shape(nearest_labels(known_55B.clone(), labels_55B.clone(), asked_55B.clone()), (4,), "the shape for 3 known examples and 4 queries", of="shape", mistakes={
    "This is a label for each known row: for each query the nearest of the rows is looked for, not for each row the nearest query.": (3,),
    "One label for all queries: each query has its own nearest row.": (), "The labels have an axis too many: one axis, with an entry for each query.": (4, 1)}, hint="One label for each query: compare the distances of one query to all rows.")
assert_equal(nearest_labels(known_55B.clone(), labels_55B.clone(), asked_55B.clone()).tolist(), [7, 5, 2, 2], "known (0, 0), (10, 0), (0, 4) with labels 5, 7, 2; queries (9, 1), (1, 0), (0.5, 3), (-3, 5)", of="nearest",
             mistakes={"These are the positions of the nearest rows: take their labels.": [1, 0, 2, 2], "These are the labels of the farthest rows.": [2, 7, 7, 7],
                       "A large scalar product (or a small angle) does not mean a small distance: the length of the rows counts.": [7, 7, 2, 2], "Only the first coordinates are compared.": [7, 5, 5, 5], "All queries get the label of the first.": [7, 7, 7, 7],
                       "Each label belongs to its row: the labels keep their order.": [5, 2, 7, 7], "The sums of the coordinates say little: compare coordinate by coordinate.": [7, 5, 2, 5], "The nearest row alone decides, there is no vote of several.": [2, 2, 2, 2],
                       "The square of the distance is |q|² - 2 q·x + |x|²: is the 2 there?": [5, 5, 5, 2]},
             hint=lambda: distances_of_55B(known_55B, labels_55B, asked_55B))
outside_55B = torch.tensor([[0., 9.], [-9., 0.]])
assert_equal(nearest_labels(known_55B.clone(), labels_55B.clone(), outside_55B.clone()).tolist(), [2, 5], "known (0, 0), (10, 0), (0, 4) with labels 5, 7, 2; queries (0, 9), (-9, 0)", of="nearest",
             mistakes={"These rows are nearest in length: the distance is the length of the difference of the rows, not the difference of their lengths.": [7, 7]},
             hint=lambda: distances_of_55B(known_55B, labels_55B, outside_55B))
same_55B, signs_55B = torch.tensor([[0., 0.], [4., 10.]]), torch.tensor([5, 7])
assert_equal(nearest_labels(same_55B.clone(), signs_55B.clone(), torch.tensor([[4., 1.], [4., 10.], [0., 0.]])).tolist(), [5, 7, 5], "known (0, 0), (4, 10) with labels 5, 7; queries (4, 1), (4, 10), (0, 0)", of="nearest",
             mistakes={"A row that equals the query is nearest of all, with distance 0: it is not left out.": [5, 5, 7], "The distance is that of the rows as they are: the columns are not scaled first.": [7, 7, 5]},
             hint=lambda: distances_of_55B(same_55B, signs_55B, torch.tensor([[4., 1.], [4., 10.], [0., 0.]])))
far_55B, marks_55B = torch.tensor([[3., -3.], [0., -5.], [34., 10.], [33., 13.]]), torch.tensor([4, 8, 1, 6])
assert_equal(nearest_labels(far_55B.clone(), marks_55B.clone(), torch.tensor([[0., 0.], [30., 10.]])).tolist(), [4, 1], "known (3, -3), (0, -5), (34, 10), (33, 13) with labels 4, 8, 1, 6; queries (0, 0), (30, 10)", of="nearest",
             mistakes={"These are nearest by the sum of the absolute differences: the Euclidean distance adds their squares.": [8, 1], "These are nearest by the largest of the differences: the Euclidean distance adds the squares of all.": [4, 6]},
             hint=lambda: distances_of_55B(far_55B, marks_55B, torch.tensor([[0., 0.], [30., 10.]])))
assert_shape(nearest_labels(known_55B.clone(), labels_55B.clone(), torch.tensor([[8., 0.]])), (1,), "the shape for a single query", of="shape", hint="A tensor of one label: with `squeeze` its axis would be gone.")
### BEGIN HIDDEN TESTS
for n_55B, d_55B, m_55B in ((20, 3, 7), (5, 1, 11), (8, 6, 1)):
    rng = torch.Generator().manual_seed(n_55B)
    known_55B, asked_55B = torch.randn(n_55B, d_55B, generator=rng), torch.randn(m_55B, d_55B, generator=rng)
    asked_55B[0] = known_55B[2]
    labels_55B = torch.randint(0, 50, (n_55B,), generator=rng)
    assert_shape(nearest_labels(known_55B.clone(), labels_55B.clone(), asked_55B.clone()), (m_55B,), f"the shape for {n_55B} known examples and {m_55B} queries", of="shape")
    wanted_55B = [int(labels_55B[min(range(n_55B), key=lambda i: float(((known_55B[i] - query) ** 2).sum()))]) for query in asked_55B]
    assert_equal(nearest_labels(known_55B.clone(), labels_55B.clone(), asked_55B.clone()).tolist(), wanted_55B, f"{n_55B} known examples in {d_55B} dimensions, {m_55B} queries", of="nearest")
### END HIDDEN TESTS

# %% [markdown]
# For the 200 pictures the nearest neighbour has training error 0 for true and for random labels. On the test pictures its accuracy is:

# %% tags=["demo"]
nearest_row = torch.cdist(TEST[0], X_train).argmin(dim=1)
for name, labels in (("true labels", y_train), ("labels drawn by lot", corrupt(y_train, 1.0, 10, seed=0))):
    print(f"{name}: {(labels[nearest_row] == TEST[1]).float().mean():.3f}")

# %% [markdown] teaches="inductive bias, minimum-norm solution, double descent"
# The same pattern: 0.683 and 0.143. It memorises nonsense and generalises from sense. What decides is what the model does *between* the training examples: "be like the nearest". Such a preference among all the functions that fit is called an *inductive bias*. The table's is written down in its definition. A network's is hidden in its layers and in the way it is trained.
#
# ### The preference of gradient descent
#
# One case can be seen through. Take a *linear* model $\hat{\mathbf y} = \mathbf A \mathbf w$ with more weights than examples: $\mathbf A$ has shape (n, p), p > n. Then there are infinitely many exact fits. An example with n = 1 and p = 2: fit $3 w_1 + 4 w_2 = 25$. Both $(25/3,\, 0)$ and $(-1, 7)$ do it.
# Which one does gradient descent find, from $\mathbf w = \mathbf 0$? The gradient is always a multiple of $(3, 4)$, so $\mathbf w$ stays on the line through 0 in this direction: $\mathbf w = (3, 4)$. That is the solution *nearest to 0*, the one with the smallest norm: 5, against 8.3 and 7.1. In general the gradients
# are combinations of the rows of $\mathbf A$, and gradient descent from 0 finds the **minimum-norm solution**. Nobody asked for small weights. It is the algorithm's own preference.
#
# `torch.linalg.pinv(A)` is the *pseudo-inverse* of shape (p, n): `torch.linalg.pinv(A) @ y` is the weight vector of smallest norm among those of smallest squared error, whatever n and p are.

# %% teaches="minimum-norm solution"
a, target = torch.tensor([[3.0, 4.0]]), torch.tensor([25.0])     # n = 1, p = 2
w = torch.zeros(2)
for _ in range(200):
    w = w - 0.02 * a.T @ (a @ w - target)
print("gradient descent from 0:  ", w)
print("with the pseudo-inverse:  ", torch.linalg.pinv(a) @ target)

# %% [markdown]
# Use it to see the whole curve of flexibility, past the point where the model interpolates. 100 pictures, a fifth of the labels replaced; p random ReLU features of each picture, which are not trained; on top of these a linear model, fitted by the pseudo-inverse to one-hot labels (less 0.1, so that each row has the mean 0). The number p runs from 10 to 3,000; every point is the mean of three draws of the features.

# %% tags=["demo"]
counts = [10, 20, 40, 60, 80, 90, 100, 110, 120, 150, 200, 400, 1000, 3000]
X_100, y_100 = X_train[:100].double(), corrupt(y_train[:100], 0.2, 10, seed=3)
Y_100 = F.one_hot(y_100, 10).double() - 0.1
errors = []
for p in counts:
    rows = []
    for seed in range(3):
        V = torch.randn(196, p, generator=torch.Generator().manual_seed(seed), dtype=torch.float64) / 14
        A = torch.relu(X_100 @ V)                                # (100, p)
        W = torch.linalg.pinv(A) @ Y_100                         # (p, 10)
        predicted = (torch.relu(TEST[0].double() @ V) @ W).argmax(dim=1)
        rows.append([((A @ W).argmax(dim=1) != y_100).double().mean().item(), (predicted != TEST[1]).double().mean().item(), W.norm().item()])
    errors.append(torch.tensor(rows).mean(dim=0).tolist())
for p in (40, 100, 150, 3000):
    print("p = {:4}: training error {:.3f}, test error {:.3f}, norm of the weights {:6.1f}".format(p, *errors[counts.index(p)]))
figure, ax = plt.subplots(figsize=(5.6, 3), layout="constrained")
ax.plot(counts, [row[0] for row in errors], "o-", label="training error")
ax.plot(counts, [row[1] for row in errors], "s--", label="test error")
ax.axvline(100, color="grey", linewidth=1)
ax.set(xscale="log", xlabel="features p", ylabel="error", ylim=(-0.03, 1))
ax.legend(loc="upper left", bbox_to_anchor=(1.02, 1))
ax.grid(alpha=0.3)
plt.show()

# %% [markdown]
# What to see: on the left the story of 3.6: the test error falls at first, and from p = 40 on it rises. From p = 80 on no training picture is classified wrongly. But to meet the one-hot labels exactly takes as many features as examples: p = 100 (the grey line), or one more where a feature happens to be 0 for all pictures. There a single solution fits all labels, wrong ones included; it needs huge weights, and the test error is at its worst. And then it *falls again*, below the first minimum, though all labels go on being met exactly.
# With more features there are more exact solutions to choose from, so the smallest of them is smaller: the norm of the weights falls from 180.1 to 0.9. This second fall is known as *double descent*.
#
# So p is a poor measure of complexity, as 3.6 suspected with the sine. The size of the weights does better here.

# %% [markdown] task="5.5.7" kind="code" minutes=6 difficulty=2 needs="minimum-norm solution, least squares"
# ### The smallest exact fit
#
# Write `smallest_fit(A, y)`: `A` of shape (n, p), `y` of shape (n,), both float64, any n and p; rows may be copies of each other. It returns the weights (p,) with the smallest squared error, and, if there are several, those with the smallest norm.
#
# **You are done when**
# - **shape**: the weights have shape (p,);
# - **smallest error**: no other weights have a smaller squared error;
# - **smallest norm**: no other weights with this error have a smaller norm.

# %% exercise="5.5.7"
def smallest_fit(A, y):
    """The least-squares weights (p,) of smallest norm."""
    ### BEGIN SOLUTION
    return torch.linalg.pinv(A) @ y
    ### END SOLUTION

# %% [markdown] hints="5.5.7"
# 1. Which matrix of shape (p, n) turns `y` into such weights?
# 2. The page names the function. (For n < p and independent rows, $\mathbf A^\top (\mathbf A \mathbf A^\top)^{-1} \mathbf y$ is the same; but not for n > p.)
# 3. For the single equation w₁ + w₂ + w₃ = 6 it is (2, 2, 2).

# %% check="5.5.7" points=1
@probe
def refusal_of_557(A, y):
    """What torch or Python says if it cannot go on, or nothing."""
    try:
        smallest_fit(A, y)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""

def missed_of_557(A, y, weights, wanted):
    """Why the squared error is not the smallest, in words."""
    gap, pull = y - A @ weights, A.T @ (y - A @ weights)
    if (y - A @ wanted).abs().max() < 1e-9:
        return f"Here all equations can be met exactly; equation number {gap.abs().argmax().item() + 1}, counted from 1, is missed by {gap.abs().max().item():.3g}."
    return f"Other weights have a smaller one: a little more of weight number {pull.abs().argmax().item() + 1}, counted from 1, would {'lower' if pull[pull.abs().argmax()] > 0 else 'raise'} it."

def constant_of_557():
    """A sentence, where w = 2 and 2 w = 3 lead to w = 1: there a constant takes up the rest."""
    slope = smallest_fit(torch.tensor([[1.], [2.]], dtype=torch.float64), torch.tensor([2., 3.], dtype=torch.float64)).item()
    return "For the equations w = 2 and 2 w = 3 you find w = 1, as for w + c = 2 and 2 w + c = 3: no constant is added here, and no mean subtracted." if abs(slope - 1) < 1e-6 else ""

def penalty_of_557():
    """A sentence, where the weights for 1 w = 1 and for 2 w = 2 are those of ridge regression with one λ."""
    first, second = (smallest_fit(s.reshape(1, 1), s.clone()).item() for s in torch.tensor([[1.], [2.]], dtype=torch.float64))
    if 0.1 < first < 1 - 1e-9 and 0 < second < 1 and abs((4 / second - 4) / (1 / first - 1) - 1) < 0.01:
        return (f"Your weights are those of ridge regression with the penalty λ = {1 / first - 1:.3g}: here there is none, "
                "not even a small one.")
    return ""

def cut_off_of_557():
    """A sentence, where a small singular value counts as 0: asked with the equations w₁ = 1 and s w₂ = s."""
    for s in (0.5, 0.1, 0.05, 0.01, 1e-3, 1e-4):
        answer = smallest_fit(torch.tensor([[1., 0.], [0., s]], dtype=torch.float64), torch.tensor([1., s], dtype=torch.float64))
        if abs(answer[0] - 1) < 1e-6 and abs(answer[1]) < 1e-12:
            return (f"For w₁ = 1 and {s:g} w₂ = {s:g} you find w₂ = 0: a singular value that is small is not 0. "
                    "Is a tolerance set too high?")
    return ""

def test_of_557(A, y, call):
    said = refusal_of_557(A.clone(), y.clone())
    assert_true(said == "", f"smallest_fit raises no error, {call}", of="smallest error",
                hint=f"It says: {said[:150].rstrip('.')}. " + ("A matrix that is made of A is singular here. `A @ A.T` has no inverse if there are more equations than weights, or equal rows; `A.T @ A` none if there are more weights "
                "than equations, or equal columns. Which function of the page needs no inverse?" if "singular" in said else ""))
    answer = smallest_fit(A.clone(), y.clone())
    assert_shape(answer, (A.shape[1],), f"the shape of the weights, {call}", of="shape",
                 hint="The weights have one axis, an entry for each column of A: no column (p, 1), and not the fitted values A w, one for each equation.")
    wanted = torch.from_numpy(np.linalg.lstsq(A.numpy(), y.numpy(), rcond=1e-10)[0])
    rounded = "The weights are wanted as they are, not rounded." if torch.equal(answer.double(), answer.double().round(decimals=2)) and not torch.allclose(wanted, wanted.round(decimals=2), rtol=0, atol=1e-6) and torch.allclose(answer.double(), wanted, rtol=0, atol=0.0051) else ""
    along = (answer.double() @ wanted / (answer.double().norm() * wanted.norm())).item() if answer.any() else 0.
    short = "The direction of the weights is right, but they are too small: a penalty, or a descent that has not arrived?" if along > 0.999 and A.shape[1] > 1 and answer.double().norm() < wanted.norm() * (1 - 1e-5) else missed_of_557(A, y, answer.double(), wanted)
    if torch.linalg.matrix_rank(A) < min(A.shape):
        short = ("For independent rows or columns yours is right; here some are equal. A method that takes them for independent, such as lstsq with driver=\"gels\" or the inverse "
                 "of a product, fails where they are not; the page's function needs nothing of the kind. " + short)
    first = [i for i, row in enumerate(A.tolist()) if row not in A.tolist()[:i]]
    alone = torch.from_numpy(np.linalg.lstsq(A[first].numpy(), y[first].numpy(), rcond=1e-10)[0])
    if len(first) < len(A) and torch.allclose(answer.double(), alone):
        short = "Of the equations with equal left sides only the first one counts in your weights: each of them counts, with its own right side."
    assert_close((A @ answer.double() - y).square().sum().item(), round((A @ wanted - y).square().sum().item(), 9), f"the squared error, {call}", of="smallest error", rtol=1e-4, atol=1e-6,
                 hint=lambda: rounded or constant_of_557() or penalty_of_557() or cut_off_of_557() or short)
    assert_close(answer.double().norm().item(), wanted.norm().item(), f"the norm of the weights, {call}", of="smallest norm", rtol=1e-4,
                 hint=lambda: rounded or "They fit, but smaller weights fit as well." + ("" if torch.allclose(answer, smallest_fit(A.clone(), y.clone())) else
                 " Another call gives other weights: is there a random start? It stays in them.") if answer.double().norm() > wanted.norm() else "The error is nearly the smallest, not quite: a descent that has not arrived, or a penalty?")

test_of_557(torch.tensor([[3., 4.]], dtype=torch.float64), torch.tensor([25.], dtype=torch.float64), "the single equation 3 w₁ + 4 w₂ = 25")
test_of_557(torch.tensor([[1., 0., 2., 1.], [0., 1., 1., -1.]], dtype=torch.float64), torch.tensor([3., -2.], dtype=torch.float64), "two equations for four weights")
test_of_557(torch.tensor([[1.], [2.], [2.]], dtype=torch.float64), torch.tensor([1., 2., 5.], dtype=torch.float64), "three equations for one weight")
test_of_557(torch.tensor([[1., 1.], [2., 2.], [1., 1.]], dtype=torch.float64), torch.tensor([1., 2., 4.], dtype=torch.float64), "three equations, two equal columns")
test_of_557(torch.tensor([[1., 2., 2.], [1., 2., 2.]], dtype=torch.float64), torch.tensor([3., 5.], dtype=torch.float64), "two equations for three weights, w₁ + 2 w₂ + 2 w₃ = 3 and the same = 5")
test_of_557(torch.tensor([[0.03, 0.04]], dtype=torch.float64), torch.tensor([0.25], dtype=torch.float64), "the single equation 0.03 w₁ + 0.04 w₂ = 0.25")
test_of_557(torch.tensor([[1., 0.], [0., 0.05]], dtype=torch.float64), torch.tensor([2., 1.], dtype=torch.float64),
            "the two equations w₁ = 2 and 0.05 w₂ = 1")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(557)
for n_557, p_557 in ((6, 15), (9, 4), (5, 5)):
    test_of_557(torch.randn(n_557, p_557, generator=rng, dtype=torch.float64), torch.randn(n_557, generator=rng, dtype=torch.float64), f"{n_557} equations for {p_557} weights")
double_557 = torch.randn(4, 7, generator=rng, dtype=torch.float64)
test_of_557(torch.cat([double_557, double_557]), torch.randn(8, generator=rng, dtype=torch.float64), "eight equations for seven weights, each row twice")
double_557 = torch.randn(3, 9, generator=rng, dtype=torch.float64)
test_of_557(torch.cat([double_557, double_557]), torch.randn(6, generator=rng, dtype=torch.float64), "six equations for nine weights, each row twice")
test_of_557(0.01 * torch.randn(4, 6, generator=rng, dtype=torch.float64), torch.randn(4, generator=rng, dtype=torch.float64), "four equations for six weights, with small numbers")
### END HIDDEN TESTS

# %% [markdown] task="5.5.1" kind="explain" minutes=18 difficulty=4 needs="memorising, VC dimension, number of weights and generalisation, inductive bias"
# ### Why the old measures fail
#
# For the machine: a network of *one* hidden layer with only n units, one for each example, can meet any n targets. Write `exact_network(X, y)`: `X` has shape (n, d), no two rows are equal, `y` has shape (n,), float64 both. It returns `(a, b, v)` of shapes (d,), (n,) and (n,), such that for every row
#
# $$\sum_{j=1}^{n} v_j\, \mathrm{relu}(\mathbf x^\top \mathbf a - b_j) = y .$$
#
# These are 2n + d numbers. You choose them; nothing needs to be trained. (Directions along which two given unequal rows have the same $\mathbf x^\top \mathbf a$ are those at a right angle to their difference; a direction drawn at random is, for n rows, practically never one of them.)
#
# Then in words: measures of complexity such as the number of weights or the VC dimension (3.6) bound the gap between training and test error for *all* functions of a class at once. In what sense do they fail to explain why deep networks generalise? Use your construction, and at least two experiments of this page.
#
# **You are done when**
# - **shapes**: a tuple of three tensors comes back, of shapes (d,), (n,) and (n,);
# - **exact**: the formula gives the n targets, up to rounding.
#
# The words are complete when they say what the measures depend on, what they then predict, what was seen instead, and what a better explanation would have to look at.

# %% exercise="5.5.1"
def exact_network(X, y):
    """(a, b, v) of shapes (d,), (n,), (n,) with relu(X a - b) v = y."""
    ### BEGIN SOLUTION
    a = torch.randn(X.shape[1], generator=torch.Generator().manual_seed(0), dtype=X.dtype)
    z = X @ a
    ordered, order = z.sort()
    b = torch.cat([ordered[:1] - 1, ordered[:-1]])               # unit j is on for the examples from the j-th on
    v = torch.linalg.solve(torch.relu(ordered[:, None] - b), y[order])
    return a, b, v
    ### END SOLUTION

# %% [markdown] written="5.5.1" points=4
# ### BEGIN SOLUTION
# Such measures depend on the *class* of functions only: on the architecture, not on the data and not on the training. Their bounds say: with many more examples than the measure, every function of the class has nearly equal training and test error. `exact_network` shows that n hidden units, 2n + d numbers, meet *any* n labels. So the VC dimension of a network with at
# least n units is at least n, and the bound says nothing: a gap of 100 % would be allowed.
#
# What was seen: (1) The same network of 26,506 weights and biases had test accuracy 0.739 with true labels and 0.149 with random ones, training error 0 both times. A measure that looks at the class only gives the same number for both runs, so it cannot tell them apart, although one generalises and the other does not. (2) From width 16 to width 512 the number of weights
# grew thirtyfold and the test error did not rise; the measure predicts a growing gap. (3) With random features the test error was worst at p = n and best at the largest p. The nearest neighbour, with unlimited capacity, generalises as well.
#
# They do not fail as theorems: the bounds are true, but empty here. A better explanation must look at what differs between the runs: the structure of the data (similar pictures have similar labels), and which of the many fitting functions the training prefers (small norm, early learnt regularities), for instance by norms or margins of the weights that were actually found.
#
# **Rubric**
# - [1] The measures depend on the class (architecture) alone, for all functions and the worst case, not on data and training; lost by "they are hard to compute"
# - [1] Networks can fit any labels, so the bound is empty (vacuous), with the construction or the random labels as evidence; lost by "deep networks have a small VC dimension"
# - [1] A second experiment that contradicts the prediction (same network with true and random labels generalises differently; wider is not worse; double descent; nearest neighbour), with numbers
# - [1] What an explanation would have to look at: data, algorithm or inductive bias, or the weights found (norm, margin); also accepted: stability of the training, flatness, compression
# ### END SOLUTION

# %% [markdown] hints="5.5.1"
# 1. If each row of X becomes one number z (by a direction a), how would you draw a curve of straight pieces through the n points (z, y)? And which direction gives n different numbers?
# 2. Sort the z. Put one bend before the smallest, and one at each z except the last. Then unit j is 0 for all examples before the j-th: the equations for v have a triangular matrix, with positive numbers on the diagonal. `torch.linalg.solve` solves them. (If it calls the matrix singular, two rows have the same z, or no bend lies before the smallest.)
# 3. Two points, z = 0 and 1, with targets 2 and 7: b = (-1, 0), and v = (2, 3), since relu(0 + 1) · 2 = 2 and relu(1 + 1) · 2 + relu(1) · 3 = 7.

# %% check="5.5.1" points=3
def why_singular_551():
    """Whether points that differ in every coordinate, and in their sums, have weights."""
    try:
        exact_network(torch.tensor([[0., 3.], [1., 1.], [2., 5.]], dtype=torch.float64), torch.tensor([1., 2., 0.], dtype=torch.float64))
    except Exception:
        return ("Their matrix is singular also where no two rows have the same z = x · a: just one bend belongs below the smallest z, "
                "and one in each gap between neighbours.")
    return ("Their matrix is singular here, and it is not for points that have no coordinate in common: with your direction two rows "
            "have the same z = x · a. Choose one that parts all rows.")

def test_of_551(X, y, call):
    answer, singular = None, ""
    try:
        answer = exact_network(X.clone(), y.clone())
    except Exception as error:
        if "singular" not in str(error):
            raise
        singular = str(error)
    assert_true(not singular, f"the equations for the weights have a solution, {call}", of="exact",
                hint=lambda: why_singular_551() if singular else "")
    assert_type(answer, (tuple, list), f"what exact_network returns, {call}", of="shapes", hint="The three tensors: `return a, b, v`.")
    assert_equal(len(answer), 3, f"how many tensors come back, {call}", of="shapes", hint="Three: the direction a, the bends b, the weights v.")
    for T, name, shape in zip(answer, ("a", "b", "v"), ((X.shape[1],), (len(X),), (len(X),))):
        assert_shape(T, shape, f"the shape of {name}, {call}", of="shapes")
    a, b, v = (T.detach().double() for T in answer)
    units, outputs = torch.relu((X @ a)[:, None] - b), torch.relu((X @ a)[:, None] - b) @ v
    same = ((X @ a)[:, None] - X @ a).abs() < 1e-9
    changes = torch.diff(v[b.argsort()], prepend=v.new_zeros(1))
    word = ("Two rows with different targets have the same product with a: no function of it can part them. Another direction can." if (same & (y[:, None] != y)).any()
            else "The formula has x · a - b: these numbers are right for x · a + b, so b has the other sign." if torch.allclose(torch.relu((X @ a)[:, None] + b) @ v, y, rtol=1e-3, atol=1e-4)
            else "For one of the rows with a target other than 0 all units are 0: one bend must lie before the smallest z." if ((units == 0).all(dim=1) & (y != 0)).any()
            else "These are the targets, at the wrong rows: if z is sorted, they must be sorted along." if torch.allclose(outputs.sort().values, y.sort().values, rtol=1e-3, atol=1e-4)
            else "v holds the slopes of the pieces; it must hold by how much the slope changes at each bend." if torch.allclose(units[:, b.argsort()] @ changes, y, rtol=1e-3, atol=1e-4)
            else "All outputs are 0." if not outputs.any() else "")
    right_so_far = int(((outputs - y).abs() < 1e-3 + 1e-3 * y.abs())[(X @ a).argsort()].long().cumprod(0).sum())
    word = word or (f"In the order of z = x · a the outputs are right for {right_so_far} of the {len(X)} rows, and wrong for the next one." if right_so_far else
                    "Already the row with the smallest z has a wrong output: only units whose bend lies below it count there.")
    z = (X @ a).sort().values
    bare = next((k for k in range(1, len(z)) if z[k] - z[k - 1] > 1e-9 and not ((b >= z[k - 1] - 1e-9) & (b < z[k])).any()), 0)
    if bare and "In the order of z" in word:
        word += (f" Between the smallest z number {bare} and number {bare + 1} lies no bend: the bends go by the z of the rows, "
                 "one in each gap.")
    assert_close(outputs, y, f"the outputs of the network, {call}", of="exact", rtol=1e-3, atol=1e-4, hint=word)

test_of_551(torch.tensor([[0.], [1.]], dtype=torch.float64), torch.tensor([2., 7.], dtype=torch.float64), "the points 0 and 1 with targets 2 and 7")
test_of_551(torch.tensor([[2., 1.], [-1., 0.], [2., -1.], [0., 3.], [-1., 1.], [0., 2.]], dtype=torch.float64), torch.tensor([1., -1., 0., 4., 4., 3.], dtype=torch.float64), "six points of the plane, some with a common coordinate")
test_of_551(torch.tensor([[10., 0.], [0., 1.], [100., 0.], [0., 2.], [1., 0.], [0., 10.], [0., 100.], [-100., 0.]], dtype=torch.float64), torch.tensor([1., 2., -1., 3., 0., 4., -2., 5.], dtype=torch.float64),
            "the points (10, 0), (0, 1), (100, 0), (0, 2), (1, 0), (0, 10), (0, 100), (-100, 0) with targets 1, 2, -1, 3, 0, 4, -2, 5")
### BEGIN HIDDEN TESTS
axes_551 = torch.cat([size * torch.eye(3, dtype=torch.float64) for size in (1., 10., 100., 1000., -1000.)])
test_of_551(axes_551, torch.arange(15.).double() * 4 % 7 - 2, "15 points on the three axes, from -1000 to 1000")
for n_551, d_551 in ((12, 3), (1, 4), (20, 6)):
    rng = torch.Generator().manual_seed(n_551)
    test_of_551(torch.randn(n_551, d_551, generator=rng, dtype=torch.float64), torch.randint(0, 3, (n_551,), generator=rng).double() - 1, f"{n_551} random points in {d_551} dimensions")
test_of_551(torch.cartesian_prod(torch.arange(3.), torch.arange(4.)).double(), torch.arange(12.).double() % 5, "a grid of 3 by 4 points, with many equal coordinates")
test_of_551(torch.cartesian_prod(torch.arange(12.), torch.arange(3.)).double(), torch.arange(36.).double() % 7, "a grid of 12 by 3 points")
test_of_551(torch.cartesian_prod(torch.arange(3.), torch.arange(12.)).double(), torch.arange(36.).double() % 5, "a grid of 3 by 12 points")
test_of_551(1e6 * torch.randn(9, 2, generator=torch.Generator().manual_seed(551), dtype=torch.float64), torch.arange(9.).double() * 2 % 5 - 1, "nine points with coordinates of the size of a million")
### END HIDDEN TESTS

# %% [markdown] teaches="explicit regularisation does not prevent memorising"
# ## 3. And the penalty?
#
# Perhaps weight decay (3.7) is what keeps networks from overfitting. Test it the same way. Train on labels drawn by lot, and on the true ones, with a penalty that grows:

# %% tags=["demo"]
nonsense = corrupt(y_train, 1.0, 10, seed=0)
for decay in (0.0, 0.0001, 0.001, 0.01, 0.1):
    pair = []
    for labels in (nonsense, y_train):
        net = make_network(196, 128, 10, seed=0)
        for _ in range(60):
            train_epoch(net, X_train, labels, lr=0.2, weight_decay=decay)
        pair.append((accuracy(net, X_train, labels), accuracy(net, *TEST)))
    print(f"weight decay {decay:6}: random labels, training accuracy {pair[0][0]:.3f};   true labels, training {pair[1][0]:.3f}, test {pair[1][1]:.3f}")

# %% [markdown]
# A penalty of a usual size, up to 0.001, does not prevent memorising, and hardly changes the test accuracy. One that does prevent it (0.1) hurts the true labels as well. So explicit regularisation is not what makes the network generalise; without it the network does nearly as well. It may still be useful by a little (here by 0.003 at most): as a nudge to the inductive bias, not as a wall.
#
# One thing is left to try: let the network *train less*.

# %% [markdown] teaches="clean labels are learnt first, early stopping as regularisation"
# ## 4. Stop in time
#
# Four of ten labels replaced, once more, but now watch two groups of training pictures by themselves: those whose label is right, and those whose label is wrong.

# %% tags=["demo"]
labels = corrupt(y_train, 0.4, 10, seed=0)
wrong = labels != y_train
net = make_network(196, 128, 10, seed=0)
history = []
for epoch in range(80):
    train_epoch(net, X_train, labels, lr=0.2)
    history.append((accuracy(net, X_train[~wrong], labels[~wrong]), accuracy(net, X_train[wrong], labels[wrong]), accuracy(net, *TEST), mean_loss(net, *VALIDATION)))
best = min(range(80), key=lambda epoch: history[epoch][3])
for epoch in (0, 4, best, 29, 79):
    print("after {:3} epochs: right labels learnt {:.3f}, wrong ones {:.3f}, test accuracy {:.3f}, validation loss {:.3f}".format(epoch + 1, *history[epoch]))

figure, axes = plt.subplots(1, 2, figsize=(9, 3), layout="constrained")
for place, (name, style) in enumerate((("right labels", "-"), ("wrong labels", "--"), ("test pictures", ":"))):
    axes[0].plot(range(1, 81), [row[place] for row in history], style, label=name)
axes[1].plot(range(1, 81), [row[3] for row in history], "C3")
axes[0].set(xlabel="epoch", ylabel="accuracy", ylim=(0, 1.03))
axes[1].set(xlabel="epoch", ylabel="validation loss")
for ax in axes:
    ax.axvline(best + 1, color="grey", linewidth=1)
    ax.grid(alpha=0.3)
axes[0].legend(loc="lower right")
plt.show()

# %% [markdown]
# What to see: the right labels (solid) are mostly learnt in a few epochs, since one rule serves many of them. The wrong ones (dashed) must be learnt one by one, and that comes later. In between, near the grey line, is a network that has learnt the rule and not yet most of the mistakes, and there the test accuracy (dotted) is high. At the end all wrong labels are known by heart, and the
# test accuracy has fallen from 0.612 at the line to 0.524.
#
# So the *moment of stopping* limits the network better than its size does. That is *early stopping*: measure the validation loss after every epoch, keep the weights of the best one, and stop when no progress has been made for a number of epochs, the *patience*. Nothing is added to the loss, as a penalty would do; what is limited is how far the weights can get from their start.

# %% [markdown] teaches="copy of the weights, state_dict"
# ⚠ *The weights that were not kept.* `net.state_dict()` is a dictionary with all parameters of a network, by name, and `net.load_state_dict(...)` puts them back. But it holds the tensors themselves, no copies. Who stores it and trains on, stores something that goes on changing:

# %% teaches="copy of the weights, state_dict"
small = nn.Linear(2, 1)
with torch.no_grad():
    small.weight.fill_(1.0)
kept = small.state_dict()                                        # no copy!
copied = {name: T.clone() for name, T in small.state_dict().items()}
with torch.no_grad():
    small.weight += 10                                           # stands for more training
print("kept:  ", kept["weight"])
print("copied:", copied["weight"])

# %% [markdown] task="5.5.C" kind="code" minutes=3 difficulty=1 core=true needs="copy of the weights, state_dict"
# ### Remember, and go back
#
# Write `go_back_after(net, change)`: it remembers the parameters of `net`, calls `change(net)`, which changes them, and then puts the remembered ones back into `net`. It returns what `change` returned.
#
# **You are done when**
# - **called**: `change` was called once with the network, and what it returned comes back;
# - **restored**: all parameters have their old values afterwards, weights and biases.

# %% exercise="5.5.C"
def go_back_after(net, change):
    """Calls change(net), undoes what it did to the parameters, and returns its result."""
    ### BEGIN SOLUTION
    remembered = {name: T.clone() for name, T in net.state_dict().items()}
    result = change(net)
    net.load_state_dict(remembered)
    return result
    ### END SOLUTION

# %% [markdown] hints="5.5.C"
# 1. Why is `net.state_dict()` alone not enough?
# 2. Clone each tensor of the dictionary before the call; afterwards `net.load_state_dict(...)` copies the values back.
# 3. With a list: `old = items[:]` remembers, `old = items` does not.

# %% check="5.5.C" points=1
@probe
def change_and_go_back(values, amount, kind):
    """The parameters afterwards, what came back, how often change was called, and with this network, and how many
    parameters were written after it."""
    layers = [nn.Linear(weight.shape[1], weight.shape[0]) for weight in values[0::2]]
    net = nn.Sequential(*[part for layer in layers for part in (layer, nn.ReLU())][:-1])
    with torch.no_grad():
        for p, value in zip(net.parameters(), values):
            p.copy_(value)
    calls, marks = [], []
    def change(network):
        calls.append(network)
        with torch.no_grad():
            for place, p in enumerate(network.parameters(), start=1):
                p += place * amount
        marks[:] = [(p._version, p.data_ptr()) for p in network.parameters()]
        now = [p.detach().clone() for p in network.parameters()]
        return {"list": now, "number": 0, "tensor": now[0]}[kind]
    result = go_back_after(net, change)
    written = sum((p._version, p.data_ptr()) != mark for p, mark in zip(net.parameters(), marks))
    return [p.detach().clone() for p in net.parameters()], "a network" if isinstance(result, nn.Module) else result, [len(calls), sum(network is net for network in calls)], written

def test_of_55C(sizes, seed, amount, kind):
    rng = torch.Generator().manual_seed(seed)
    before = [torch.randn(shape, generator=rng) for inputs, outputs in zip(sizes, sizes[1:]) for shape in ((outputs, inputs), (outputs,))]
    changed = [T + place * amount for place, T in enumerate(before, start=1)]
    call = f"layers of {', '.join(map(str, sizes[:-1]))} and {sizes[-1]} units, {amount} added to the first parameter, twice as much to the second, and so on; change returns a {kind}"
    after, result, calls, written = change_and_go_back([T.clone() for T in before], amount, kind)
    assert_equal(calls, [1, 1], f"how often change was called, and how often with this network, {call}", of="called",
                 mistakes={"change was not called.": [0, 0], "change is called once, not twice.": [2, 2], "change gets the network itself, not a copy of it.": [1, 0]})
    handed_on = f"What change returned comes back as it is: a {kind}, here."
    if kind == "list":
        assert_type(result, (tuple, list), f"what comes back, {call}", hint=handed_on, of="called")
        assert_equal(len(result), len(changed), f"how many tensors came back, {call}", of="called",
                     hint="This is what `load_state_dict` returns: keep what change returned, and return that."
                     if all(isinstance(part, list) and not part for part in result) else handed_on)
        assert_close(list(result), changed, f"what change returned, the parameters while it was at work, {call}", of="called", mistakes={"Put the old values back after the call, not before.": before})
    elif kind == "number":
        assert_equal(result, 0, f"what comes back (change returned 0), {call}", of="called", hint=handed_on)
    else:
        assert_type(result, torch.Tensor, f"what comes back, {call}", hint=handed_on, of="called")
        assert_close(result, changed[0], f"what comes back, the first weights while change was at work, {call}", of="called")
    some = "Some parameters have their old values again, others not: all layers count." if any(torch.allclose(T, old) for T, old in zip(after, before)) else ""
    assert_close(after[0::2], before[0::2], f"the weights afterwards, {call}", of="restored", hint=some, mistakes={} if some else {
        ("They still have the changed values, and these are what you put back: state_dict() and parameters() give the tensors "
         "themselves, which change along. Clone each one before the call."
         if written else "They still have the changed values: after the call of change nothing is written into this network. "
                         "(`net = ...` only gives the name to another one.)"): changed[0::2]})
    assert_close(after[1::2], before[1::2], f"the biases afterwards, {call}", of="restored", mistakes={"They still have the changed values.": changed[1::2]})

test_of_55C((2, 3, 1), 0, 10.0, "list")
test_of_55C((3, 2), 3, 1.0, "number")
### BEGIN HIDDEN TESTS
test_of_55C((4, 1, 5, 2), 1, -0.5, "list")
test_of_55C((1, 6, 2), 2, 3.0, "tensor")
test_of_55C((2, 2), 4, 0.25, "number")
### END HIDDEN TESTS

# %% [markdown] teaches="stopping criterion, patience, minimum improvement"
# ### When exactly?
#
# The validation loss does not fall smoothly: it jumps from epoch to epoch by chance. Who stops at the first rise stops too soon. So the usual criterion has two numbers.
#
# - The *patience*: so many epochs in a row may pass without progress.
# - The *minimum improvement* ε: a loss counts as progress only if it is lower than the reference by *more than* ε, so that a crawl of tiny gains does not go on for ever. The reference is the loss of the last epoch that counted as progress, at first that of epoch 0.
#
# The example to remember: with ε = 0.08, the losses 1.00, 0.95, 0.90 make progress at the third (0.90 is lower than 1.00 by 0.10), though no single step is larger than 0.05.

# %% [markdown] task="5.5.3a" kind="code" minutes=8 difficulty=2 core=true needs="stopping criterion, patience, minimum improvement"
# ### The criterion
#
# How do people decide when to stop? Write the rule: `stopping_point(losses, patience, epsilon)`. `losses` is a list of the validation losses after epoch 0, 1, 2, ... (at least one), `patience` a whole number from 1 on, `epsilon` a number, 0 or greater. Progress is defined as above. It returns a pair of whole numbers:
# the epoch after which training stops, the first that ends `patience` epochs in a row without progress (the last one of the list if there is none), and the epoch whose weights are kept: the one with the lowest loss up to then, progress or not, the earliest of equal ones.
#
# **You are done when**
# - **stop**: the first number is right for ε = 0, where an equal loss is no progress;
# - **epsilon**: it is right for greater ε, where small gains add up until they count;
# - **kept**: the second number is the epoch of the lowest loss among the epochs that were trained.

# %% exercise="5.5.3a"
def stopping_point(losses, patience, epsilon):
    """(epoch after which training stops, epoch whose weights are kept)."""
    ### BEGIN SOLUTION
    reference, since, stop = losses[0], 0, len(losses) - 1
    for epoch in range(1, len(losses)):
        if losses[epoch] < reference - epsilon:
            reference, since = losses[epoch], epoch
        if epoch - since == patience:
            stop = epoch
            break
    return stop, min(range(stop + 1), key=lambda epoch: losses[epoch])
    ### END SOLUTION

# %% [markdown] hints="5.5.3a"
# 1. Which two things must be remembered from epoch to epoch to know whether there is progress, and how long ago the last one was?
# 2. The reference changes only at progress. The kept epoch is another question: look for it at the end, among the epochs up to the stop.
# 3. Losses 9, 8.9, 8.8, 8.5, 8.6 with ε = 0.3 and patience 2: progress nowhere in the first two steps, so training stops after epoch 2, and epoch 2 is kept.

# %% check="5.5.3a" points=2
def by_steps_553(losses, patience, epsilon):
    """How the criterion goes through the losses, in words."""
    reference, waited, words = losses[0], 0, [f"Epoch 0 sets the reference {losses[0]:g}"]
    for epoch, loss in enumerate(losses[1:], start=1):
        if loss < reference - epsilon:
            reference, waited = loss, 0
            words.append(f"epoch {epoch} is progress, the reference is now {loss:g}")
        else:
            waited += 1
            words.append(f"epoch {epoch} is none ({waited} in a row)")
        if waited == patience:
            return "; ".join(words) + ": the patience is used up."
    return "; ".join(words) + ": the patience is never used up."

for case_553 in (([5., 4., 4.5, 4.2, 3.], 2, 0.0), ([4.], 1, 0.5)):
    answer_553 = stopping_point(list(case_553[0]), *case_553[1:])
    assert_type(answer_553, (tuple, list), f"the result for {case_553[0]}, patience {case_553[1]}, ε = {case_553[2]}", of="stop")
    assert_equal(len(answer_553), 2, f"how many numbers come back for {case_553[0]}, patience {case_553[1]}, ε = {case_553[2]}", of="stop")
for losses_553, patience_553, epsilon_553, wanted_553, name_553, mistakes_553 in (
        ([6., 5.5, 5., 4., 4.5, 5.75, 3.], 4, 0.0, 6, "stop", {"A loss is compared with the reference, not with the loss of `patience` epochs before.": 5, "The patience is 4: one epoch without progress is not enough.": 4, "The epochs have the numbers 0 to 6: the last one is 6.": 7}),
        ([5., 4., 5., 6., 7., 3.], 2, 0.0, 3, "stop", {"A rise is no progress, however large.": 5, "That is one epoch too many; the first has the number 0.": 4, "Epoch 1 has a new lowest loss: the first two epochs without progress are 2 and 3.": 2, "The first number is the epoch where training stops, the second the kept one.": 1}),
        ([5., 4., 4.6, 4.4, 4.2, 4.15, 4.1, 3.], 2, 0.0, 3, "stop", {"Compare with the lowest loss so far, not with the one before.": 7, "That is one epoch too many; the first has the number 0.": 4, "Epoch 1 has a new lowest loss: the first two epochs without progress are 2 and 3.": 2, "The first number is the epoch where training stops, the second the kept one.": 1}),
        ([4., 2., 2., 2., 1.], 2, 0.0, 3, "stop", {"An equal loss is no progress.": 4}),
        ([5., 6., 4., 5., 6.], 4, 0.0, 4, "stop", {"The epochs have the numbers 0 to 4: the last one is 4.": 5}),
        ([5000., 6000., 5500., 4000., 4500., 4200., 3000.], 3, 0.0, 6, "stop", {"Progress starts the count again.": 4, "Progress sets the count back to 0.": 5, "Epoch 0 is the first reference, whatever its loss, and does not count as an epoch without progress.": 2}),
        ([1.0, 0.95, 0.9, 0.96, 0.97, 0.98, 0.99], 3, 0.08, 5, "epsilon", {"Small gains add up: the reference is the loss of the last progress, not that of the epoch before, nor the lowest so far.": 3, "The gain must be more than ε: ε is subtracted from the reference, not added.": 6}),
        ([1.0, 0.95, 0.94, 0.93, 0.5], 2, 0.1, 2, "epsilon", {"A gain of less than ε is no progress.": 4}),
        ([3.0, 2.75, 2.5, 2.0], 2, 0.375, 3, "epsilon", {"ε is subtracted from the reference; it is not a share of it.": 2}),
        ([4.0, 2.0, 1.75, 1.5, 0.25], 1, 1.0, 2, "epsilon", {"The reference becomes the loss that made progress, not the old reference less ε.": 3}),
        ([2.0, 1.5, 1.0, 0.75, 0.25], 1, 0.5, 1, "epsilon", {"Exactly ε is not more than ε.": 3})):
    assert_equal(stopping_point(list(losses_553), patience_553, epsilon_553)[0], wanted_553, f"the last epoch for {losses_553}, patience {patience_553}, ε = {epsilon_553}", of=name_553, mistakes=mistakes_553,
                 hint=lambda: by_steps_553(losses_553, patience_553, epsilon_553))
for losses_553, patience_553, epsilon_553, wanted_553, mistakes_553 in (
        ([5.5, 4.5, 5., 4.8, 3.], 2, 0.0, 1, {"The weights of the lowest loss are kept, not the last ones.": 3, "Training had stopped before that epoch.": 4, "This is the loss, not its epoch.": 4.5}),
        ([1.0, 0.95, 0.94, 0.93, 0.5], 2, 0.1, 2, {"The lowest loss is kept, even if it was no progress.": 0, "Training had stopped before that epoch.": 4, "The epoch after which training stops was trained as well, and may be the best.": 1}),
        ([4., 2., 3., 2., 3.], 4, 0.0, 1, {"Of equal losses the earliest is kept.": 3})):
    assert_equal(stopping_point(list(losses_553), patience_553, epsilon_553)[1], wanted_553, f"the kept epoch for {losses_553}, patience {patience_553}, ε = {epsilon_553}", of="kept", mistakes=mistakes_553,
                 hint=lambda: "Kept is the epoch of the lowest loss up to the stop. " + by_steps_553(losses_553, patience_553, epsilon_553))
### BEGIN HIDDEN TESTS
def by_counting(values, patience, epsilon):
    """The same, counted down."""
    level, left = values[0], patience
    for now, value in enumerate(values[1:], start=1):
        left = patience if level - value > epsilon else left - 1
        level = value if level - value > epsilon else level
        if left == 0:
            return now, values.index(min(values[:now + 1]))
    return len(values) - 1, values.index(min(values))

rng = torch.Generator().manual_seed(553)
for length_553, patience_553, epsilon_553 in ((14, 1, 0.0), (20, 2, 0.0), (40, 5, 0.0), (16, 2, 1.5), (30, 3, 0.75), (40, 4, 2.5), (25, 3, 0.25)):
    for _ in range(3):
        losses_553 = ((torch.randint(0, 17, (length_553,), generator=rng) - 1.5 * torch.arange(length_553)) / 4).tolist()
        answer_553 = stopping_point(list(losses_553), patience_553, epsilon_553)
        assert_equal(answer_553[0], by_counting(losses_553, patience_553, epsilon_553)[0], f"the last epoch for {length_553} losses, patience {patience_553}, ε = {epsilon_553}", of="epsilon" if epsilon_553 else "stop")
        assert_equal(answer_553[1], by_counting(losses_553, patience_553, epsilon_553)[1], f"the kept epoch for {length_553} losses, patience {patience_553}, ε = {epsilon_553}", of="kept")
assert_equal(stopping_point([3.0, 2.0, 1.0, 0.5], 1, 0.0), (3, 3), "four falling losses, patience 1", of="stop")
assert_equal(stopping_point([8e9, 9e9, 7e9, 9e9, 6e9, 9e9], 2, 0.0)[0], 5, "six large losses, patience 2", of="stop")
### END HIDDEN TESTS

# %% [markdown] task="5.5.3b" kind="code" minutes=12 difficulty=3 core=true needs="stopping criterion, patience, copy of the weights"
# ### A training that stops itself
#
# Write `train_until(net, train, val, lr, patience, max_epochs)`: it trains `net` in place, epoch by epoch, with `train_epoch` on the pair `train`, measures `mean_loss` on the pair `val` after each epoch, and stops after the first epoch that ends `patience` epochs in a row without a new lowest validation loss (ε = 0), at the latest after `max_epochs` (1 or more). Then
# it puts the weights of the epoch with the lowest validation loss back into `net`. It returns the list of the validation losses, one for each epoch trained.
#
# **You are done when**
# - **stop**: the list ends where the criterion stops;
# - **at most**: it never has more than `max_epochs` entries, and with enough patience it has as many;
# - **restored**: the network has the weights of its best epoch: its validation loss is the lowest in the list;
# - **training**: the network is trained on the pair `train` alone: one call of `train_epoch` for each loss, with the learning rate `lr` and no weight decay; no seed is set.

# %% exercise="5.5.3b"
def train_until(net, train, val, lr, patience, max_epochs):
    """Trains with early stopping, restores the best weights, returns the validation losses."""
    ### BEGIN SOLUTION
    losses, remembered = [], None
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr)
        losses.append(mean_loss(net, *val))
        best = losses.index(min(losses))                         # the earliest of equal ones
        if best == epoch:
            remembered = {name: T.clone() for name, T in net.state_dict().items()}
        if epoch - best == patience:
            break
    net.load_state_dict(remembered)
    return losses
    ### END SOLUTION

# %% [markdown] hints="5.5.3b"
# 1. What has to happen at once when an epoch has a new lowest validation loss?
# 2. Three steps in each epoch: train, measure, compare. Keep *copies* of the weights at each new best; load them once, after the loop.
# 3. With lr = 0 nothing changes: the first epoch is the best, and with patience 3 three more follow, so the list has four equal losses.

# %% check="5.5.3b" points=4
@probe
def stopped_run(first, last, share, width, seed, lr, patience, max_epochs, shift=1):
    """The losses that train_until returns, and the validation loss that the network has afterwards."""
    net, labels = make_network(196, width, 10, seed), corrupt((TRAIN[1][first:last] + shift) % 10, share, 10, seed)
    X_val, y_val = VALIDATION[0][:400], (VALIDATION[1][:400] + 1) % 10
    losses = train_until(net, (TRAIN[0][first:last].clone(), labels), (X_val.clone(), y_val.clone()), lr, patience, max_epochs)
    return losses, mean_loss(net, X_val, y_val)

def run_of_553b(*setting):
    """The same, after a look at the type of the list."""
    losses, left = stopped_run(*setting)
    call = f"{setting[1] - setting[0]} pictures, share {setting[2]} replaced, lr = {setting[5]}, patience {setting[6]}, at most {setting[7]} epochs"
    assert_type(losses, (list, tuple, torch.Tensor), f"what train_until returns, {call}", of="stop")
    return call, [float(v) for v in losses], left

def too_many_of_553b(values, patience):
    """By how many epochs the list is longer than the criterion says; negative if it is shorter."""
    waited = 0
    for now in range(1, len(values)):
        waited = 0 if values[now] < min(values[:now]) else waited + 1
        if waited == patience:
            return len(values) - (now + 1)
    return waited - patience

def count_of_553b(losses, patience):
    """Where the list ends, by its own losses, in words."""
    waited, since = too_many_of_553b(losses, patience), len(losses) - 1 - losses.index(min(losses))
    if waited > 0:
        return f"Training should have stopped {waited} epoch{'s' if waited > 1 else ''} earlier: there {patience} epochs in a row had no new lowest loss. A loss that is only lower than the one before it is none."
    passed = sum(loss >= min(losses[:now]) for now, loss in enumerate(losses) if now)
    if passed == patience and since < patience:
        return f"Your list has {patience} epochs without a new lowest loss in all, but not in a row: a new lowest loss sets the count back to 0."
    return ("Your list ends with its lowest loss: the epochs of the patience are trained after it, and their losses belong into the list." if not since
            else f"At the end of your list {since} epoch{'s' if since > 1 else ''} in a row {'have' if since > 1 else 'has'} no new lowest loss, and the patience is {patience}.")

def place_of_553b(losses, left):
    """Which of the losses of the list the network has afterwards, in words."""
    places = [epoch for epoch, loss in enumerate(losses) if abs(loss - left) < 1e-4]
    if not places:
        return "It is none of the losses in the list: does the list hold the validation losses, and are all parameters put back, those after an epoch of training?"
    if len(losses) - 1 in places:
        return "It has the weights of the last epoch: keep copies of the best ones and load them."
    return f"It has the weights that belong to number {places[0]} of the list, counted from 0; the lowest loss is number {losses.index(min(losses))}."

with part(0.5, "stop"):
    call_553, losses_553, left_553 = run_of_553b(0, 120, 0.4, 64, 5, 0.3, 3, 60)
    assert_true(len(losses_553) < 60, f"{call_553}: training stops before the end", of="stop", hint=lambda: count_of_553b(losses_553, 3))
    assert_equal(too_many_of_553b(losses_553, 3), 0, f"{call_553}: by how many epochs your list is too long, by its own losses (negative: too short)", of="stop", hint=lambda: count_of_553b(losses_553, 3))
    losses_553 = run_of_553b(0, 60, 0.0, 8, 1, 0.0, 4, 20)[1]
    assert_close(max(losses_553) - min(losses_553), 0.0, "with lr = 0: the largest less the smallest loss of the list", of="training", atol=1e-6, hint="With lr = 0 nothing changes, so the losses are equal: is lr handed on?")
    assert_equal(len(losses_553), 5, "with lr = 0 and patience 4, nothing changes: how many epochs were trained", of="stop", mistakes={"An equal loss is no progress.": 20, "The first epoch has a new lowest loss (the untrained network's is none); after it, four more may pass.": 4, "That is one epoch too many.": 6})
with part(0.5, "at most"):
    assert_equal(len(run_of_553b(0, 60, 0.0, 8, 1, 0.02, 50, 7)[1]), 7, "patience 50, at most 7 epochs: how many were trained", of="at most", mistakes={"That is one more than max_epochs.": 8, "All of max_epochs may be trained.": 6})
    assert_equal(len(run_of_553b(0, 60, 0.0, 8, 1, 0.02, 50, 1)[1]), 1, "patience 50, at most 1 epoch: how many were trained", of="at most", hint="One epoch may be trained, and one is: its loss stands in the list.")
    losses_553 = run_of_553b(0, 60, 0.0, 8, 1, 0.0001, 2, 8)[1]
    assert_equal(len(losses_553), 8, "lr = 0.0001, patience 2, at most 8 epochs, where the loss falls a little in every epoch: how many were trained", of="at most",
                 hint="Every new lowest loss counts, however little lower it is (ε = 0); the loss decides, not the accuracy." if losses_553 == sorted(losses_553, reverse=True) and len(losses_553) < 8
                 else "The losses of your list do not fall: are both arguments used, train and val, with their own labels, and measured after the training?" if len(losses_553) < 8 else "")
with part(0.5, "restored"):
    call_553, losses_553, left_553 = run_of_553b(0, 120, 0.4, 64, 5, 0.3, 3, 60)
    assert_true(losses_553[-1] > min(losses_553) + 1e-4, f"{call_553}: the last validation loss is above the lowest", of="restored", hint="The list holds a validation loss for each epoch that was trained, those of the patience, too." if losses_553[-1] == min(losses_553) else "")
    assert_close(left_553 - min(losses_553), 0.0, f"{call_553}: the validation loss of the network afterwards, less the lowest in the list", of="restored", atol=1e-4, hint=lambda: place_of_553b(losses_553, left_553))
    call_553, losses_553, left_553 = run_of_553b(0, 120, 0.4, 64, 5, 0.3, 60, 20)
    assert_close(left_553 - min(losses_553), 0.0, f"{call_553}, so the patience is never used up: the validation loss of the network afterwards, less the lowest in the list", of="restored", atol=1e-4,
                 hint=lambda: place_of_553b(losses_553, left_553) + " The best weights are put back at the end, also where all of max_epochs are trained.")
with part(0.5, "training"):
    call_553, losses_553, left_553 = run_of_553b(0, 120, 0.3, 32, 7, 0.3, 9, 8)
    assert_true(len(losses_553) >= 1, f"{call_553}: the list holds at least one loss", of="training", hint="The list holds a validation loss for each epoch that was trained.")
    assert_close(losses_553[0], 2.012, f"{call_553}: the first validation loss", of="training", atol=1.5e-3, mistakes={
        "Is the network trained on the pair val?": 1.397, "Is the network trained on both pairs? It learns from train alone.": 1.274, "That is after two epochs of training.": 1.832, "Are TRAIN's labels used? The pair train holds others.": 2.954,
        "Is lr handed on? This is the learning rate 0.2.": 2.088, "All of the pair train is used, not the first 40 alone.": 2.194, "This is the loss on the training pictures.": 2.04, "Are VALIDATION's labels used? The pair val holds others.": 2.47, "There is no weight decay here.": 2.015, "Torch's seed was set before: set none.": 2.051, "The loss is measured after the epoch, not before it.": 2.32})
    assert_equal(len(losses_553), 8, f"{call_553}: how many losses the list has", of="at most", hint="All 8 epochs are trained: a patience of 9 is not used up by them, whatever the losses do." if len(losses_553) < 8 else "")
    assert_close(losses_553[:8], [2.012, 1.832, 1.559, 1.491, 1.432, 1.487, 1.521, 1.291], f"{call_553}: the list", of="training", atol=1.5e-3, hint="The first loss is right: what changes from epoch to epoch? lr stays as it is, there is no weight decay, and each loss follows one more call of train_epoch.")
### BEGIN HIDDEN TESTS
def by_optimizer_553b(first, last, share, width, seed, lr, epochs, shift):
    model, labels, measured = make_network(196, width, 10, seed), corrupt((TRAIN[1][first:last] + shift) % 10, share, 10, seed), []
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for _ in range(epochs):
        for some in torch.randperm(last - first).split(40):
            optimizer.zero_grad()
            F.cross_entropy(model(TRAIN[0][first:last][some]), labels[some]).backward()
            optimizer.step()
        measured.append(F.cross_entropy(model(VALIDATION[0][:400]), (VALIDATION[1][:400] + 1) % 10).item())
    return measured

with part(0.5, "stop, other settings"):
    for setting_553 in ((100, 200, 0.6, 32, 5, 0.3, 5, 50), (0, 150, 0.4, 48, 2, 0.35, 4, 50)):
        call_553, losses_553, left_553 = run_of_553b(*setting_553)
        assert_equal(too_many_of_553b(losses_553, setting_553[6]), 0, f"{call_553}: by how many epochs your list is too long, by its own losses (negative: too short)", of="stop", hint=lambda: count_of_553b(losses_553, setting_553[6]))
    assert_equal(len(run_of_553b(0, 60, 0.0, 8, 1, 0.0, 1, 20)[1]), 2, "with lr = 0 and patience 1, nothing changes: how many epochs were trained", of="stop")
with part(0.5, "at most, other settings"):
    assert_equal(len(run_of_553b(50, 110, 0.0, 16, 3, 0.01, 30, 12)[1]), 12, "patience 30, at most 12 epochs: how many were trained", of="at most")
    assert_equal(len(run_of_553b(50, 110, 0.0, 16, 3, 0.00002, 1, 10)[1]), 10, "lr = 0.00002, patience 1, at most 10 epochs, where the loss falls a little in every epoch: how many were trained", of="at most")
with part(0.5, "restored, other settings"):
    call_553, losses_553, left_553 = run_of_553b(100, 200, 0.6, 32, 5, 0.3, 5, 50)
    assert_true(losses_553[-1] > min(losses_553) + 1e-4, f"{call_553}: the last validation loss is above the lowest", of="restored", hint="The list holds a validation loss for each epoch that was trained, those of the patience, too." if losses_553[-1] == min(losses_553) else "")
    assert_close(left_553 - min(losses_553), 0.0, f"{call_553}: the validation loss of the network afterwards, less the lowest in the list", of="restored", atol=1e-4, hint=lambda: place_of_553b(losses_553, left_553))
    call_553, losses_553, left_553 = run_of_553b(0, 100, 1.0, 32, 6, 0.2, 20, 15)
    assert_close(left_553 - min(losses_553), 0.0, f"{call_553}: the validation loss of the network afterwards, less the lowest in the list", of="restored", atol=1e-4, hint=lambda: place_of_553b(losses_553, left_553))
with part(0.5, "training, other settings"):
    for setting_553 in ((60, 200, 0.0, 32, 4, 0.25, 9, 6, 1), (0, 100, 0.5, 20, 8, 0.06, 9, 5, 3)):
        call_553, losses_553, left_553 = run_of_553b(*setting_553)
        assert_equal(len(losses_553), setting_553[7], f"{call_553}: how many losses the list has", of="at most", hint="All of them are trained: a patience of 9 is not used up, whatever the losses do." if len(losses_553) < setting_553[7] else "")
        assert_close(losses_553, by_optimizer_553b(*setting_553[:6], setting_553[7], setting_553[8]), f"{call_553}: the list", of="training", atol=1.5e-3)
total()
### END HIDDEN TESTS

# %% [markdown] teaches="share of the solution that gradient descent has reached"
# ### What early stopping does, in one line
#
# For a linear model it can be computed how far gradient descent has come. Take the loss $\frac12 \lambda (w - w^*)^2$ of a single weight with the curvature λ. A step of gradient descent with the learning rate η gives $w - w^* \to (1 - \eta\lambda)(w - w^*)$: the distance from the solution shrinks by a constant factor. After t steps from $w = 0$,
#
# $$w_t = \big(1 - (1 - \eta\lambda)^t\big)\, w^* .$$
#
# The bracket is the *share* of the solution that has been reached. With many weights the loss of a linear model is a bowl, steep in some directions and flat in others. Turn the axes so that they lie along its steepest and its flattest direction and those at right angles to them; then each new coordinate follows this formula by itself, with a λ of its own. (Linear algebra calls these directions the eigenvectors of $\frac1n \mathbf X^\top \mathbf X$.) Directions with a large λ, in which the data vary much, are learnt at once; those with a small λ, which often carry little but noise, later. Ridge regression (3.7) adds the penalty $\frac12 \alpha w^2$; where the slope $\lambda (w - w^*) + \alpha w$ is 0, the share
# $\lambda / (\lambda + \alpha)$ of each direction is left. For small λ the bracket is about $\eta t \lambda$ and ridge's share about $\lambda / \alpha$. So compare the two with α = 1 / (η t):

# %% tags=["demo"]
lam = torch.logspace(-3, 1, 200)                                 # curvatures from 0.001 to 10
figure, ax = plt.subplots(figsize=(5.6, 3), layout="constrained")
for steps, color in ((10, "C0"), (100, "C1"), (1000, "C2")):
    ax.plot(lam, 1 - (1 - 0.1 * lam) ** steps, color=color, label=f"{steps} steps, rate 0.1")
    ax.plot(lam, lam / (lam + 1 / (0.1 * steps)), "--", color=color, label=f"ridge, α = {1 / (0.1 * steps):g}")
ax.set(xscale="log", xlabel="curvature λ", ylabel="share of the solution reached")
ax.legend(loc="upper left", bbox_to_anchor=(1.02, 1))
ax.grid(alpha=0.3)
plt.show()

# %% [markdown]
# What to see: solid and dashed curves of one colour belong together. They are not equal, but of one shape: both keep the strong directions and hold back the weak ones. More steps are a smaller penalty.

# %% [markdown] task="5.5.2" kind="explain" minutes=12 difficulty=3 needs="share of the solution that gradient descent has reached, early stopping as regularisation, weight decay"
# ### Is stopping a regularisation?
#
# For the machine: write `weight_after(w_star, lam, lr, steps)`: `w_star` and `lam` have the same shape (d,), the solution and the curvature in each of d directions. It returns the weights (d,) after `steps` steps of gradient descent from 0 with the learning rate `lr` on $\frac12 \sum_i \lambda_i (w_i - w_i^*)^2$.
#
# Then in words: why may early stopping be called a regularisation technique, although it adds nothing to the loss? Answer (1) what it limits, (2) what it has in common with weight decay, with the curves above or numbers of your own, (3) what it prevents the network of part 4 from doing, with numbers, and (4) one way in which it differs from a penalty.
#
# **You are done when**
# - **value**: the weights are right for any learning rate and number of steps, also where ηλ is above 1;
# - **no step**: with 0 steps they are 0.
#
# The words are complete when each of the four has its answer.

# %% exercise="5.5.2"
def weight_after(w_star, lam, lr, steps):
    """The weights (d,) after some steps of gradient descent from 0."""
    ### BEGIN SOLUTION
    return (1 - (1 - lr * lam) ** steps) * w_star
    ### END SOLUTION

# %% [markdown] written="5.5.2" points=4
# ### BEGIN SOLUTION
# 1. Regularisation is whatever keeps training from using the whole flexibility of the class, for the sake of new examples. Early stopping limits how far the weights get from their small start: with t steps of bounded length only functions within reach can be found, a smaller and simpler class. More steps make the class larger.
# 2. In a linear model t steps reach the share 1 - (1 - ηλ)^t of the solution, weight decay with penalty α the share λ / (λ + α). With α = 1/(ηt) the curves are close: for η = 0.1, t = 100 and λ = 0.1 it is 0.63 against 0.50, for λ = 0.001 it is 0.010 against 0.010. Both keep the directions in which the data vary and hold back the others.
# 3. The network of part 4 can learn all wrong labels by heart. At the lowest validation loss it had learnt 95 % of the right labels and 41 % of the wrong ones, with test accuracy 0.612; after 80 epochs all wrong ones, with 0.524.
# 4. A penalty changes the minimum that training goes to; stopping leaves it where it is and does not arrive. So its strength depends on the learning rate, the start and the noise of the path, and one run shows all strengths, one after the other, while each value of a penalty needs a run of its own. (Also: a held-out set is part of the method.)
#
# **Rubric**
# - [1] It limits the distance from the start, the number of steps or the functions that can be reached, and so the effective flexibility; lost by "it stops before the loss is low" alone
# - [1] Common with weight decay: strong directions learnt, weak ones held back, or weights stay small; with the formula, the figure or numbers
# - [1] The wrong labels are not memorised, with numbers of the page or of an own run; also accepted: another example of noise that is not fitted, with numbers
# - [1] A difference: the minimum is unchanged; depends on rate and start; one run shows all strengths; needs validation data
# ### END SOLUTION

# %% [markdown] hints="5.5.2"
# 1. By which factor does one step multiply the distance of $w_i$ from $w_i^*$?
# 2. A power of a tensor is taken entry by entry. The formula stands above, for one direction.
# 3. For w* = 8, λ = 1, η = 0.5: after 1 step 4, after 2 steps 6, after 3 steps 7.

# %% check="5.5.2" points=1
def simple_552():
    """The first of some single directions and few steps that the answer has wrong, in words."""
    for goal, bend, rate, steps, right, why in ((8., 1., 0.5, 1, 4., "the factor is 1 - 0.5 · 1 = 0.5, so half of the way to 8 is left: 4"),
                                                (8., 1., 0.5, 2, 6., "the factor is 0.5, so 8 · 0.5 · 0.5 = 2 is left: 6"),
                                                (8., 0.5, 0.5, 1, 2., "the factor is 1 - 0.5 · 0.5 = 0.75, so 6 is left: 2"),
                                                (-4., 1., 0.5, 2, -3., "the factor is 0.5, so -4 · 0.5 · 0.5 = -1 is left: -3"),
                                                (2., 3., 0.5, 1, 3., "the factor is 1 - 0.5 · 3 = -0.5, so -1 is left: 2 + 1 = 3"),
                                                (2., 3., 1., 2, -6., "the factor is 1 - 3 = -2, so 2 · 4 = 8 is left: 2 - 8 = -6")):
        found = weight_after(torch.tensor([goal], dtype=torch.float64), torch.tensor([bend], dtype=torch.float64), rate, steps).item()
        if abs(found - right) > 1e-4:
            return f"For a single direction with w* = {goal:g}, λ = {bend:g}, η = {rate:g} and {steps} step{'s' * (steps > 1)}, {why}; yours is {found:.6g}."
    return "For a single direction and up to two steps yours is right: each direction has a factor of its own, and each step multiplies by it once more."

def doubles_552(values):
    return {sentence: torch.tensor(value, dtype=torch.float64) for sentence, value in values.items()}

goal_552, bend_552 = torch.tensor([8., -4., 2.], dtype=torch.float64), torch.tensor([1., 0.5, 3.], dtype=torch.float64)
for lr_552, steps_552, reached_552, slips_552 in (
    (0.5, 3, [7., -2.3125, 2.25], {
        "This is what is still missing.": [1., -1.6875, -0.25],
        "This is the share that is reached: multiply by the solution.": [0.875, 0.578125, 1.125],
        "That is one step too many.": [7.5, -2.734375, 1.875],
        "That is one step too few.": [6., -1.75, 1.5],
        "This is ridge regression's share.": [4.8, -1.7142857, 1.6363636],
        "Where ηλ is above 1, 1 - ηλ is negative: no absolute value is taken of it.": [7., -2.3125, 1.75],
        "Where ηλ is above 1 the weights overshoot the solution: nothing is cut off at 0 or 1.": [7., -2.3125, 2.],
        "The factor of a step is 1 - ηλ, not the exponential of -ηλ.": [6.2149587, -2.1105338, 1.977782],
        "The loss is a sum over the directions, not their mean.": [3.3703704, -0.91898148, 1.75],
        "The slope of ½ λ (w - w*)² is λ (w - w*), without a factor 2.": [8., -3.5, 18.],
        "These are as many steps as the first one; but the steps become smaller on the way.": [12., -3., 9.],
        "Each direction has its own curvature.": [9., -4.5, 2.25],
        "Each direction has its own curvature, not the mean of all.": [7.875, -3.9375, 1.96875],
        "A solution may be negative: it keeps its sign.": [7., 2.3125, 2.25],
        "The weights are wanted as they are, not rounded.": [7., -2.31, 2.25],
        "Are the curvatures used?": [7., -3.5, 1.75],
        "The step goes against the slope, not along it.": [-19., 3.8125, -29.25],
        "The curvature enters a step once, not squared.": [7., -1.3203125, 87.75],
        "The descent begins at 0, not at 1.": [7.125, -1.890625, 2.125],
        "The factor of a step is 1 - ηλ: neither ηλ nor (1 - η)λ.": [7., -3.9375, -4.75],
        "1 - ηλ is raised to the power of the number of steps, not multiplied by it.": [-4., 5., 5.],
        "The slope is λ (w - w*): here λ multiplies w alone, not w*.": [7., -4.625, 0.75],
        "The learning rate is the same in all steps: here it is divided by the number of the step.": [5.5, -1.59375, 2.125]}),
    (0.1, 20, [7.0273868, -2.5660563, 1.9984042], {})):
    answer_552 = weight_after(goal_552.clone(), bend_552.clone(), lr_552, steps_552)
    assert_shape(answer_552, (3,), f"the shape for three directions, lr = {lr_552}, {steps_552} steps", of="value")
    assert_close(answer_552, torch.tensor(reached_552, dtype=torch.float64), f"solution (8, -4, 2), curvatures (1, 0.5, 3), lr = {lr_552}, {steps_552} steps", of="value", rtol=1e-4,
                 mistakes=doubles_552(slips_552),
                 hint=lambda: "Of each direction the distance from the solution is multiplied by 1 - ηλ in a step: in the first one, 8 with λ = 1, "
                 + ("by 0.5, so 8 - 8 · 0.5 · 0.5 · 0.5 = 7 is reached. " if steps_552 == 3 else "by 0.9. ") + simple_552())
assert_close(weight_after(goal_552.clone(), bend_552.clone(), 1.0, 4), torch.tensor([8., -3.75, -30.], dtype=torch.float64), "solution (8, -4, 2), curvatures (1, 0.5, 3), lr = 1, 4 steps", of="value", rtol=1e-4,
             mistakes={"Where ηλ is above 2 each step takes the weight farther from the solution: the factor 1 - ηλ is not cut off at -1.": torch.tensor([8., -3.75, 0.], dtype=torch.float64),
                       "Where ηλ is above 2 each step takes the weight farther from the solution: nothing is cut off.": torch.tensor([8., -3.75, 2.], dtype=torch.float64),
                       "An even power of a negative factor is positive.": torch.tensor([8., -3.75, 34.], dtype=torch.float64)},
             hint=lambda: "The factors 1 - ηλ of a step are 0, 0.5 and -2 here, and each is raised to the power 4. " + simple_552())
assert_close(weight_after(goal_552.clone(), bend_552.clone(), 0.3, 0), torch.zeros(3, dtype=torch.float64), "0 steps", of="no step", atol=1e-9,
             mistakes={"With 0 steps the weights are still where they began, at 0: is one step made all the same?": torch.tensor([2.4, -0.6, 1.8], dtype=torch.float64)},
             hint="With 0 steps the weights are still where they began, at 0.")
### BEGIN HIDDEN TESTS
def descent_of_552(w_star, lam_, lr_, steps):
    w = torch.zeros_like(w_star)
    for _ in range(steps):
        w = w - lr_ * lam_ * (w - w_star)
    return w

rng = torch.Generator().manual_seed(552)
for d_552, lr_552, steps_552 in ((5, 0.2, 7), (1, 1.5, 4), (4, 0.01, 300), (6, 4.0, 6)):
    goal_552, bend_552 = torch.randn(d_552, generator=rng, dtype=torch.float64), torch.rand(d_552, generator=rng, dtype=torch.float64) + 0.1
    assert_close(weight_after(goal_552.clone(), bend_552.clone(), lr_552, steps_552), descent_of_552(goal_552, bend_552, lr_552, steps_552), f"{d_552} directions, lr = {lr_552}, {steps_552} steps", of="value", rtol=1e-4,
                 hint=lambda: where_they_part(weight_after, descent_of_552, w_star=goal_552, lam=bend_552, lr=lr_552, steps=steps_552))
    assert_close(weight_after(goal_552.clone(), bend_552.clone(), lr_552, 0), torch.zeros(d_552, dtype=torch.float64), f"{d_552} directions, 0 steps", of="no step", atol=1e-9)
### END HIDDEN TESTS

# %% [markdown]
# ### Does it always help?
#
# ⚠ *Early stopping is not a law.* In part 1 the network with true labels trained for 80 epochs, to training error 0, and its test accuracy was 0.739. What would stopping have gained there? The next exercise measures it.

# %% [markdown] task="5.5.4" kind="experiment" minutes=15 difficulty=3 needs="early stopping as regularisation, clean labels are learnt first, random labels"
# ### Where stopping pays
#
# Write `stopping_gain(train, val, test, share, epochs, seed)`. It corrupts the labels of the pair `train` by `corrupt(..., share, 10, seed)`, trains a network of width 128, made by `make_network(..., 128, 10, seed)`, on them by `train_epoch` with the learning rate 0.2, and returns a pair of test accuracies: after the epoch with the lowest loss on the pair `val`, and after the last of `epochs` epochs.
# All epochs are trained; nothing stops. The labels of `val` and `test` are left as they are.
#
# Then run it for the shares 0, 0.2 and 0.4, at least three seeds each, 60 epochs, on `TRAIN`, `VALIDATION`, `TEST`, and answer in words: what important factor distinguishes the cases in which early stopping improves generalisation much from those in which it does not? Give the table, the reason, and say what it means for data whose labels are certain.
#
# **You are done when**
# - **by validation loss**: the first number belongs to the epoch of the lowest validation loss among all that were trained, whatever the test accuracy says; the untrained network is none of them;
# - **at the end**: the second number is the accuracy after the last epoch;
# - **share**: it is used;
# - **seed**: the same seed gives the same pair, another seed another one;
# - **recipe**: all is as described: the labels are drawn once, the seed goes into both functions (set no other), each epoch is one call of `train_epoch` on all training pictures with the learning rate 0.2 and no weight decay.
#
# The words are complete with the table, the factor and its reason, and the consequence for certain labels.

# %% exercise="5.5.4"
def stopping_gain(train, val, test, share, epochs, seed):
    """(test accuracy at the lowest validation loss, test accuracy at the end)."""
    ### BEGIN SOLUTION
    X, y = train
    labels = corrupt(y, share, 10, seed)
    net = make_network(X.shape[1], 128, 10, seed)
    losses, accuracies = [], []
    for _ in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
        losses.append(mean_loss(net, *val))
        accuracies.append(accuracy(net, *test))
    return accuracies[losses.index(min(losses))], accuracies[-1]
    ### END SOLUTION

# %% [markdown] written="5.5.4" points=4
# ### BEGIN SOLUTION
# Means over the seeds 0, 1, 2, 60 epochs (the cell below prints them):
#
# | share replaced | at the lowest validation loss | at the end | gain |
# |---|---|---|---|
# | 0 | 0.729 | 0.736 | -0.007 |
# | 0.2 | 0.673 | 0.650 | 0.023 |
# | 0.4 | 0.628 | 0.539 | 0.089 |
#
# The factor is noise in the labels (or in general: whether the classes can be told apart without error, given the inputs). With true labels the pictures can nearly be separated by a rule that also holds for new pictures; training longer makes the network surer, but it has no mistakes to memorise, so stopping gains next to nothing. With wrong labels the training error can only
# reach 0 by memorising each of them; the rule is learnt first, the mistakes later, and stopping in between keeps the one without the other. The gain grows with the share of wrong labels.
#
# For data whose labels are certain, stopping early is thus no must for the sake of accuracy, and networks are often trained until they interpolate. (It may still save time, and the validation *loss* may rise while the accuracy does not fall.) Where labels come from tired people, from different experts, or from measurements, as in medicine, it matters.
#
# **Rubric**
# - [1] A table for at least the shares 0 and 0.4 with three seeds or more, and the gain in each
# - [1] The factor: label noise, or whether the classes are separable (realisable) given the inputs; lost by "the number of epochs" or "the size of the network"
# - [1] The reason: right labels share a rule that is learnt first, wrong ones must be memorised one by one, later; also accepted: without noise there is nothing harmful left to fit
# - [1] Consequence: with certain labels early stopping gains little accuracy and is not needed, or only for time; lost by "always stop early"
# ### END SOLUTION

# %% [markdown] hints="5.5.4"
# 1. Which two lists have to be kept during the training to answer both questions at the end?
# 2. The epoch of the lowest validation loss is `losses.index(min(losses))`. The test accuracies decide nothing.
# 3. Validation losses 1.2, 0.9, 1.0 and test accuracies 0.6, 0.65, 0.7: the pair is (0.65, 0.7).

# %% check="5.5.4" points=3
def gain_of_554(train, val, test, share, epochs, seed, of):
    call = f"{len(train[1])} training pictures, share {share}, {epochs} epochs, seed {seed}"
    answer = stopping_gain(*((X.clone(), y.clone()) for X, y in (train, val, test)), share, epochs, seed)
    assert_type(answer, (tuple, list, torch.Tensor), f"what stopping_gain returns, {call}", of=of)
    assert_equal(len(answer), 2, f"how many numbers come back, {call}", of=of)
    answer = [float(v) for v in answer]
    assert_true(min(answer) >= 0 and max(answer) <= 1, f"{call}: both numbers are accuracies, shares from 0 to 1, yours are {answer[0]:.3f} and {answer[1]:.3f}", of=of,
                hint="The two numbers as `accuracy` returns them: no percentages, no losses, no difference of the two.")
    return call, answer

def errors_554():
    """A sentence, where the true labels of the training pictures are learnt almost without an accuracy: these are errors."""
    return "Are these the errors? Wanted are the accuracies. " if float(stopping_gain(TRAIN, VALIDATION, TRAIN, 0.0, 20, 1)[1]) < 0.3 else ""

def choice_of_554(best, last):
    """What two numbers say that were not chosen by the validation loss."""
    return ("Both numbers are the same: the first belongs to the epoch of the lowest loss on the pair val (and if its weights are kept, these must be copies, not the tensors themselves)." if abs(best - last) < 1e-6
            else "The first number belongs to the epoch of the lowest loss on the pair val, not to that of the best accuracy or of the loss on another pair.")

def sentence_of_554(pair, mistakes):
    """The sentence of the mistake that gives this pair: but for one training picture, which another processor may see otherwise."""
    fitting = [sentence for sentence, (known, new) in mistakes.items() if abs(pair[0] - known) < 0.0055 and abs(pair[1] - new) < 0.0022]
    return (fitting[0] if len(fitting) == 1 else choice_of_554(*pair) if pair[0] == pair[1]
            else "Compare with the recipe, word by word: labels drawn once, the seed in both functions and set nowhere else, width 128, the rate 0.2, no weight decay, each epoch one call on all pictures, the lowest of all validation losses.")

nonsense_554 = (VALIDATION[0], corrupt(VALIDATION[1], 1.0, 10, 9))
some_554 = (TEST[0][:500], TEST[1][:500])
with part(0.25, "share"):
    call_554, (best_554, last_554) = gain_of_554(TRAIN, VALIDATION, some_554, 0.5, 60, 4, "share")
    assert_true(best_554 - last_554 > 0.05, f"{call_554}: the first number is greater by more than 0.05, yours are {best_554:.3f} and {last_554:.3f}", of="share" if last_554 > 0.7 else "by validation loss",
                hint=lambda: errors_554() or ("So good at the end: is the network trained on the corrupted labels, and only on them?" if last_554 > 0.7 else "Which of the two stands first?" if last_554 > best_554 + 0.05 and best_554 > 0.3 else choice_of_554(best_554, last_554) + " The labels of val stay as they are."))
    call_554, (best_554, last_554) = gain_of_554(TRAIN, VALIDATION, some_554, 0.0, 40, 1, "share")
    assert_true(last_554 > 0.68, f"{call_554}: the second number is above 0.68, yours is {last_554:.3f}", of="share",
                hint="Wanted are two accuracies: is the second one a difference, or an error?" if last_554 < 0.4 else
                "Where the share is 0 the labels are the true ones: are they left as they are, and is the second number the accuracy on the argument test?")
    assert_true(abs(best_554 - last_554) < 0.06, f"{call_554}: the two numbers differ by less than 0.06, yours are {best_554:.3f} and {last_554:.3f}", of="by validation loss",
                hint="The first number belongs to the lowest of all validation losses: not to the first one that is followed by a rise, nor to that of an early stop.")
with part(0.5, "by validation loss"):
    call_554, (best_554, last_554) = gain_of_554(TRAIN, nonsense_554, some_554, 0.0, 30, 2, "by validation loss")
    assert_true(best_554 < last_554 - 0.04, f"{call_554}, validation labels drawn by lot: their loss is lowest at the beginning, so the first number is the smaller one; yours are {best_554:.3f} and {last_554:.3f}", of="by validation loss",
                hint=lambda: errors_554() or ("Both accuracies are measured on the pair test." if max(best_554, last_554) < 0.3 else "Which of the two stands first?" if best_554 > last_554 + 0.15 else choice_of_554(best_554, last_554)))
    early_554 = best_554
    call_554, (best_554, last_554) = gain_of_554(TRAIN, nonsense_554, some_554, 0.0, 1, 2, "by validation loss")
    assert_close(best_554 - early_554, 0.0, f"{call_554}, validation labels drawn by lot: the first number, less that of 30 epochs (the loss is lowest after the first of them)", of="by validation loss", atol=1e-6, hint="The validation loss decides, not an accuracy, and every epoch takes part, the first one, too.")
    assert_close(best_554 - last_554, 0.0, f"{call_554}, validation labels drawn by lot: the difference of the two numbers", of="by validation loss", atol=1e-6, hint="Is the number of epochs used?" if last_554 > 0.65 else "One epoch, so both numbers are those after it: the untrained network does not take part.")
with part(0.25, "at the end"):
    call_554, (best_554, last_554) = gain_of_554(TRAIN, VALIDATION, some_554, 0.0, 1, 3, "at the end")
    assert_close(best_554 - last_554, 0.0, f"{call_554}: the difference of the two numbers", of="at the end", atol=1e-6, hint="There is one epoch only: both numbers are the accuracy after it.")
    assert_true(last_554 < 0.72, f"{call_554}: after one epoch the accuracy is below 0.72, yours is {last_554:.3f}", of="at the end", hint="Is the number of epochs used?")
    next_554 = [(X, (y + 1) % 10) for X, y in (TRAIN, VALIDATION, some_554)]
    call_554, (_, last_554) = gain_of_554(*next_554, 0.0, 20, 3, "at the end")
    assert_true(last_554 > 0.6, f"{call_554}, every class number raised by 1 in all three sets: the second number is above 0.6, yours is {last_554:.3f}", of="at the end", hint="Are the arguments used, and not TRAIN and TEST?" if last_554 < 0.2 else "")
    call_554, (_, last_554) = gain_of_554(next_554[0], next_554[1], some_554, 0.0, 10, 3, "at the end")
    assert_true(last_554 < 0.35, f"{call_554}, every class number raised by 1 but not in the test set: the second number is below 0.35, yours is {last_554:.3f}", of="at the end", hint="Are the accuracies those on the argument test, and is the network trained on the argument train?")
with part(0.25, "seed"):
    results_554 = [gain_of_554(TRAIN, VALIDATION, some_554, 0.3, 2, seed_554, "seed")[1] for seed_554 in (6, 7, 6)]
    assert_close(results_554[0][1] - results_554[2][1], 0.0, "the difference of the second numbers of two runs with the seed 6", of="seed", atol=1e-6)
    assert_true(abs(results_554[0][0] - results_554[1][0]) + abs(results_554[0][1] - results_554[1][1]) > 1e-6, "the seeds 6 and 7 give different pairs", of="seed", hint="Is the seed used?")
with part(0.25, "recipe"):
    for share_554, epochs_554, seed_554, wanted_554, mistakes_554 in (
            (0.6, 16, 20, [0.551, 0.419], {
                **{f"The learning rate is 0.2, not {lr}.": pair for lr, pair in ((0.1, [0.569, 0.543]), (0.05, [0.567, 0.567]), (0.5, [0.47, 0.376]), (0.3, [0.501, 0.445]), (0.02, [0.505, 0.505]))},
                "That is not the epoch of the lowest validation loss, which decides as it is, not rounded, and not an accuracy.": [0.576, 0.419],
                "That is the epoch before the one with the lowest loss.": [0.534, 0.419], "The lowest of all validation losses counts, not the first one that is followed by a rise.": [0.519, 0.419],
                "All epochs are trained: nothing stops, not after the first rise.": [0.519, 0.426], "All epochs are trained: nothing stops, not after three without progress.": [0.576, 0.511],
                "make_network has set torch's seed: set it in no epoch again, not to the seed.": [0.581, 0.462], "make_network has set torch's seed: set it in no epoch again, not to the seed plus the epoch.": [0.473, 0.487],
                "make_network has set torch's seed: set it in no epoch again, not to the number of the epoch.": [0.574, 0.465], "train_epoch makes the batches of 40: it is called once in each epoch, with all pictures.": [0.529, 0.502],
                "The learning rate stays 0.2: here it falls from epoch to epoch.": [0.585, 0.552], "The learning rate stays 0.2: it falls from epoch to epoch.": [0.598, 0.59],
                "That is an epoch after the one with the lowest loss.": [0.509, 0.419],
                "That is one epoch too many.": [0.551, 0.501],
                "That is one epoch too few.": [0.551, 0.483],
                "There is no weight decay here: is it 0.01?": [0.563, 0.432],
                "The seed goes into corrupt, too: is it always 0 there?": [0.493, 0.436],
                "The seed goes into make_network, too: is it always 0 there?": [0.548, 0.548],
                "The seed is used in neither function: is it always 0?": [0.465, 0.446],
                "The network has 128 hidden units, not 16.": [0.561, 0.481],
                "make_network has set torch's seed: set it no second time.": [0.506, 0.427],
                "The validation labels stay as they are.": [0.5, 0.419],
                "The test labels stay as they are.": [0.265, 0.238],
                "The network is trained on the true labels: the share asks for others.": [0.734, 0.729],
                "The labels are drawn once, before the training, not in every epoch.": [0.684, 0.692],
                "Is the share used, or is it always 0.4?": [0.646, 0.54],
                "Which of the two stands first?": [0.419, 0.551],
                "The epoch is chosen by the loss on the pair val, not on the training pictures.": [0.483, 0.419]}),
            (0.5, 14, 8, [0.578, 0.546], {
                **{f"The learning rate is 0.2, not {lr}.": pair for lr, pair in ((0.1, [0.561, 0.587]), (0.05, [0.543, 0.543]), (0.5, [0.52, 0.456]), (0.3, [0.547, 0.48]), (0.02, [0.425, 0.425]))},
                "That is not the epoch of the lowest validation loss, which decides as it is, not rounded, and not an accuracy.": [0.618, 0.546],
                "That is an epoch after the one with the lowest loss.": [0.485, 0.546],
                "That is one epoch too many.": [0.578, 0.535],
                "That is one epoch too few.": [0.578, 0.485],
                "There is no weight decay here: is it 0.01?": [0.577, 0.566],
                "The seed goes into corrupt, too: is it always 0 there?": [0.574, 0.559],
                "The seed goes into make_network, too: is it always 0 there?": [0.578, 0.508],
                "The seed is used in neither function: is it always 0?": [0.542, 0.512],
                "The network has 128 hidden units, not 16.": [0.538, 0.532],
                "make_network has set torch's seed: set it no second time.": [0.579, 0.579],
                "The validation labels stay as they are.": [0.564, 0.546],
                "The test labels stay as they are.": [0.342, 0.325],
                "The network is trained on the true labels: the share asks for others.": [0.732, 0.732],
                "The labels are drawn once, before the training, not in every epoch.": [0.664, 0.664],
                "Is the share used, or is it always 0.4?": [0.652, 0.631],
                "Which of the two stands first?": [0.546, 0.578]})):
        call_554, pair_554 = gain_of_554(*[(X, (y + 1) % 10) for X, y in (TRAIN, VALIDATION, TEST)], share_554, epochs_554, seed_554, "recipe")
        assert_close(pair_554, wanted_554, f"{call_554}, every class number raised by 1 in all three sets: the pair of accuracies", of="recipe", atol=0.006, hint=lambda: sentence_of_554(pair_554, mistakes_554))
    late_554 = [(X[:most_554], (y[:most_554] + 1) % 10) for (X, y), most_554 in ((TRAIN, 100), (VALIDATION, 100), (TEST, 500))]
    call_554, pair_554 = gain_of_554(*late_554, 0.2, 44, 49, "by validation loss")
    assert_close(pair_554, [0.582, 0.538], f"{call_554}, 100 validation pictures, every class number raised by 1 in all three sets: the pair of accuracies", of="by validation loss", atol=0.006,
                 hint=lambda: "All 44 epochs are trained and compared: the lowest validation loss comes late, after more than ten epochs without a new one." if abs(pair_554[0] - 0.626) < 0.0012 else sentence_of_554(pair_554, {"All 44 epochs are trained.": [0.582, 0.524]}))
### BEGIN HIDDEN TESTS
part_554 = (VALIDATION[0][:250], VALIDATION[1][:250])
with part(0.25, "share, other pictures"):
    call_554, (best_554, last_554) = gain_of_554(part_554, TRAIN, some_554, 0.6, 60, 4, "share")
    assert_true(best_554 - last_554 > 0.05, f"{call_554}: the first number is greater by more than 0.05", of="share" if last_554 > 0.7 else "by validation loss", hint=lambda: "" if last_554 > 0.7 else choice_of_554(best_554, last_554))
with part(0.5, "by validation loss, other pictures"):
    call_554, (best_554, last_554) = gain_of_554(part_554, (TRAIN[0], corrupt(TRAIN[1], 1.0, 10, 5)), some_554, 0.0, 25, 5, "by validation loss")
    assert_true(best_554 < last_554 - 0.03, f"{call_554}, validation labels drawn by lot: the first number is the smaller one", of="by validation loss")
    early_554 = best_554
    call_554, (best_554, last_554) = gain_of_554(part_554, (TRAIN[0], corrupt(TRAIN[1], 1.0, 10, 5)), some_554, 0.0, 1, 5, "by validation loss")
    assert_close(best_554 - early_554, 0.0, f"{call_554}, validation labels drawn by lot: the first number, less that of 25 epochs", of="by validation loss", atol=1e-6)
    assert_close(best_554 - last_554, 0.0, f"{call_554}, validation labels drawn by lot: the difference of the two numbers", of="by validation loss", atol=1e-6)
with part(0.25, "at the end, other pictures"):
    call_554, (best_554, last_554) = gain_of_554(part_554, nonsense_554, some_554, 0.0, 1, 6, "at the end")
    assert_true(last_554 < 0.72, f"{call_554}: after one epoch the accuracy is below 0.72", of="at the end")
    call_554, (best_554, last_554) = gain_of_554(part_554, nonsense_554, some_554, 0.0, 25, 6, "at the end")
    assert_true(last_554 > 0.66, f"{call_554}: after 25 epochs the accuracy is above 0.66", of="at the end")
    call_554, (_, last_554) = gain_of_554(part_554, TRAIN, (some_554[0], (some_554[1] + 2) % 10), 0.0, 10, 6, "at the end")
    assert_true(last_554 < 0.35, f"{call_554}, test labels raised by 2: the second number is below 0.35", of="at the end")
with part(0.25, "seed, other seeds"):
    results_554 = [gain_of_554(part_554, TRAIN, some_554, 0.2, 1, seed_554, "seed")[1] for seed_554 in (20, 0, 20)]
    assert_close(results_554[0][1] - results_554[2][1], 0.0, "the difference of the second numbers of two runs with the seed 20", of="seed", atol=1e-6)
    assert_true(abs(results_554[0][0] - results_554[1][0]) + abs(results_554[0][1] - results_554[1][1]) > 1e-6, "the seeds 20 and 0 give different pairs", of="seed")
with part(0.25, "recipe, other pictures"):
    def by_optimizer_554(train, val, test, share, epochs, seed):
        labels, model, rows = corrupt(train[1], share, 10, seed), make_network(196, 128, 10, seed), []
        optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
        for _ in range(epochs):
            for some in torch.randperm(len(labels)).split(40):
                optimizer.zero_grad()
                F.cross_entropy(model(train[0][some]), labels[some]).backward()
                optimizer.step()
            rows.append((F.cross_entropy(model(val[0]), val[1]).item(), (model(test[0]).argmax(dim=1) == test[1]).double().mean().item()))
        return [min(rows)[1], rows[-1][1]]

    third_554 = [(X, (y + 3) % 10) for X, y in (part_554, TRAIN, (VALIDATION[0][250:], VALIDATION[1][250:]))]
    for share_554, epochs_554, seed_554 in ((0.6, 18, 5), (0.3, 20, 12)):
        call_554, pair_554 = gain_of_554(*third_554, share_554, epochs_554, seed_554, "recipe")
        assert_close(pair_554, by_optimizer_554(*third_554, share_554, epochs_554, seed_554), f"{call_554}, every class number raised by 3 in all three sets: the pair of accuracies", of="recipe", atol=0.006)
    late_554 = [(X, (y + 3) % 10) for X, y in ((VALIDATION[0][:120], VALIDATION[1][:120]), (TRAIN[0][:80], TRAIN[1][:80]), (VALIDATION[0][250:], VALIDATION[1][250:]))]
    call_554, pair_554 = gain_of_554(*late_554, 0.2, 44, 10, "by validation loss")
    assert_close(pair_554, by_optimizer_554(*late_554, 0.2, 44, 10), f"{call_554}, 80 validation pictures, every class number raised by 3 in all three sets: the pair of accuracies", of="by validation loss", atol=0.006)
total()
### END HIDDEN TESTS

# %% [markdown]
# Make your own table before you run the next cell: it prints the means over three seeds. (`min` of a list of pairs is the pair with the smallest first number, here the loss.)

# %% tags=["demo"]
for share in (0.0, 0.2, 0.4):
    pairs = []
    for seed in range(3):
        labels, net, rows = corrupt(y_train, share, 10, seed), make_network(196, 128, 10, seed), []
        for _ in range(60):
            train_epoch(net, X_train, labels, lr=0.2)
            rows.append((mean_loss(net, *VALIDATION), accuracy(net, *TEST)))
        pairs.append((min(rows)[1], rows[-1][1]))
    at_best, at_end = torch.tensor(pairs).mean(dim=0).tolist()
    print(f"share {share}: at the lowest validation loss {at_best:.3f}, after 60 epochs {at_end:.3f}, gain {at_best - at_end:.3f}")

# %% [markdown] task="5.5.5" kind="explain" minutes=8 difficulty=2 needs="stopping criterion, patience"
# ### What else it is good for
#
# For the machine: a search trains many networks, each at most `max_epochs` epochs, numbered from 0. In run i the last new lowest validation loss comes in epoch `best_epochs[i]`, and before it the patience is never used up. With early stopping the run ends after the first epoch that makes `patience` epochs in a row without a new lowest loss, or with the last epoch, whichever comes first.
# Write `share_saved(best_epochs, patience, max_epochs)`: the share of all epochs that stopping saves, a number from 0 to 1.
#
# Then in words: besides generalisation, describe a benefit of early stopping, with your function and numbers of your own as evidence. For whom does it matter most? And what does it cost?
#
# **You are done when**
# - **value**: the share is that of all epochs of all runs together;
# - **to the end**: a run whose patience is not used up trains all its epochs.
#
# The words are complete with a benefit, its numbers, for whom, and a cost.

# %% exercise="5.5.5"
def share_saved(best_epochs, patience, max_epochs):
    """The share of the epochs of all runs that early stopping saves."""
    ### BEGIN SOLUTION
    trained = sum(min(best + patience + 1, max_epochs) for best in best_epochs)
    return 1 - trained / (len(best_epochs) * max_epochs)
    ### END SOLUTION

# %% [markdown] written="5.5.5" points=3
# ### BEGIN SOLUTION
# It saves time, and with it money and electricity. For example ten runs of 100 epochs each, whose best epochs are 9, 9, 12, 14, 15, 15, 18, 20, 30 and 95, need 337 epochs with a patience of 10 in place of 1,000: `share_saved` gives 0.663. One also need not guess the right number of epochs beforehand: a large maximum does no harm.
#
# It matters most to those who train many networks, in a search for hyperparameters, or very large ones, where one run takes weeks on many machines; and a run that is hopeless is recognised early.
#
# The costs: validation data, which cannot be used for training; a measurement after each epoch and memory for one more set of weights; the epochs of the patience, which are wasted; and the risk to stop before a late improvement, as the validation loss may fall again. The validation loss of the chosen epoch is also a little too good, since it was chosen.
#
# **Rubric**
# - [1] A benefit besides generalisation (time, money, energy; no guess of the number of epochs), with a number from the function; lost by "less overfitting"
# - [1] For whom or where it matters most (searches, large models), with a reason
# - [1] A cost: held-out data, evaluations, extra memory, wasted patience, or stopping too soon
# ### END SOLUTION

# %% [markdown] hints="5.5.5"
# 1. How many epochs does a run have whose best is epoch 4, with patience 3?
# 2. Epochs 0 to 4 are five, and three more follow: eight. But never more than `max_epochs`.
# 3. Two runs, best in 0 and 9, patience 2, at most 10 epochs: 3 + 10 = 13 of 20 are trained, so 0.35 are saved.

# %% check="5.5.5" points=1
assert_close(share_saved([4], 3, 16), 0.5, "one run, best epoch 4, patience 3, at most 16 epochs", of="value", rtol=1e-4,
             mistakes={"Epochs 0 to 4 are five, not four.": 9 / 16, "The epochs of the patience are trained, too.": 11 / 16, "Five epochs and three more are eight, not nine.": 7 / 16, "This is the number of epochs, not their share.": 8.0, "A share is a number from 0 to 1, not a percentage.": 50.0, "The share is that of all epochs, not of those that are trained.": 1.0,
                       "0 says that nothing is saved, and 8 of 16 epochs are. (`//` cuts a fraction off: divide by `/`.)": 0.0},
             hint="Epochs 0 to 4 are five, and three more follow: 8 of 16 epochs are trained, and the others are saved.")
assert_close(share_saved([1, 2, 6, 2], 2, 24), 73 / 96, "four runs, best epochs 1, 2, 6, 2, patience 2, at most 24 epochs", of="value", rtol=1e-4,
             mistakes={"This is the share that is trained.": 23 / 96, "The first epoch has the number 0: one more is trained.": 77 / 96, "The epochs of the patience are trained, too.": 81 / 96, "This is the number of epochs, not their share.": 73.0,
                       "All runs count, not the first alone.": 20 / 24, "Two runs with the same best epoch are two runs.": 54 / 72, "The epochs that could be trained are those of all runs together.": 73 / 24, "The epochs of all runs are trained: compare them with those that all runs could have.": 1 / 24, "Each run has its own length: this is that of the longest.": 15 / 24,
                       "Each run has its own length: this is that of one in the middle.": 19 / 24, "The share is that of all epochs, not of those that are trained.": 73 / 23,
                       "The number is wanted as it is, not rounded.": 0.76, "The number is wanted as it is, not rounded to one place.": 0.8},
             hint="The runs have 4, 5, 9 and 5 epochs, 23 in all; they could have 4 · 24 = 96.")
assert_close(share_saved([0, 9], 2, 10), 0.35, "two runs, best epochs 0 and 9, patience 2, at most 10 epochs", of="to the end", rtol=1e-4,
             mistakes={"Each run by itself has at most 10 epochs: that with the best epoch 9 has 10, not 12, and nothing is evened out with the other.": 1 - 15 / 20, "A run trains to the end if its patience is not used up.": 0.35 + 5 / 20, "A run that trains to the end counts as well.": 0.7, "The run to the end trains all 10 epochs, with the numbers 0 to 9.": 0.4},
             hint="The runs have 3 and 10 epochs; they could have 20.")
assert_close(share_saved([7, 8, 9], 5, 10), 0.0, "three runs to the end", of="to the end", atol=1e-9, hint="Best epoch 7, 8 or 9 and five more would be above 10: each of the three has all its 10 epochs, and nothing is saved.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(555)
for runs_555, patience_555, most_555 in ((7, 3, 40), (1, 1, 25), (12, 6, 90)):
    epochs_555 = torch.randint(0, most_555 - patience_555, (runs_555,), generator=rng).tolist()
    assert_close(share_saved(list(epochs_555), patience_555, most_555), sum(most_555 - 1 - patience_555 - epoch for epoch in epochs_555) / (runs_555 * most_555), f"{runs_555} runs, patience {patience_555}, at most {most_555} epochs", of="value", rtol=1e-4, atol=1e-6)
assert_close(share_saved([5, 2, 5, 5, 30], 4, 40), (30 * 3 + 33 + 5) / 200, "five runs, three of them with best epoch 5, patience 4, at most 40 epochs", of="value", rtol=1e-4)
assert_close(share_saved([29, 25, 0], 10, 30), 19 / 90, "three runs, best epochs 29, 25, 0, patience 10, at most 30 epochs", of="to the end", rtol=1e-4)
### END HIDDEN TESTS

# %% [markdown] teaches="what explains generalisation"
# ## 5. What explains it, and what does not
#
# | candidate | what this page saw | verdict |
# |---|---|---|
# | few weights, small VC dimension | any labels can be memorised; 30 times more weights did no harm | does not explain |
# | training error above 0 | training error 0, and good test accuracy | does not explain |
# | weight decay, other penalties | memorising is possible with them, generalising without them | helps a little, does not explain |
# | structure of the data | same network: 0.739 with true labels, 0.149 with random ones | necessary |
# | preference of model and algorithm: near examples alike, small norm, rules before exceptions | nearest neighbour, minimum-norm solution, right labels learnt first | a good part of it |
# | stopping in time | 0.612 against 0.524 with noisy labels, next to nothing with clean ones | where labels are noisy |
#
# This is where honest people differ, and research goes on. For very wide networks there is a theory that comes near: the wider the network, the less each weight has to move, and in the limit the training is gradient descent on a linear model in fixed features (the *neural tangent kernel* of Jacot and others, 2018), the case of part 2. But useful networks are not that wide, and their features do change: no theory at present takes a network, its data and its training, and tells the test error beforehand with useful precision. What remains certain is the craft of 3.6: hold data out, measure, and trust the measurement more than any story, this one included.

# %% [markdown]
# ## Summary
#
# - A network can memorise labels drawn by lot. So the number of weights, the VC dimension or training error 0 cannot be what separates good networks from bad ones.
# - Past the point of interpolation more weights need not hurt. Among all exact fits the training has a preference, its inductive bias; for linear models from 0 it is the smallest norm.
# - Rules are learnt before exceptions. Early stopping keeps the weights of the lowest validation loss (copies!), and works like a penalty whose strength is the number of steps.
# - It pays where labels are noisy; where they are certain it mostly saves time.
# - Section 5.6 adds a regularisation made for networks, dropout, which disturbs the hidden units during training.
