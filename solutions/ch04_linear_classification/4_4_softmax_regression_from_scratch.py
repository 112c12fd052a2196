# %% [markdown]
# # 4.4 Softmax regression from scratch
#
# Section 4.1 derived a classifier with pencil and paper: scores, softmax, the loss -log p, the gradient "said minus true". It ran on 150 made-up fruits with two features. Now come 70,000 pictures with 784 features each, and the same few lines have to carry them.
#
# Two things are new. The first is scale: a data set that does not go through the model in one piece, so we train in batches, keep score, and look at what the model gets wrong. The second is the machine: numbers of limited range, on which
# right formulas give wrong answers, sometimes without a word. Whoever writes a classifier once by hand, and has seen both, knows what every larger program does inside.
#
# At the end you can
# - write and train a classifier without a library's layer, loss or optimizer, and check its very first number;
# - look into it: its weights as pictures, its surest mistakes, the table of who is taken for whom;
# - say where the formulas of softmax and cross-entropy break on a computer, and write the ones that do not;
# - measure what learning rate and batch size do, and say why;
# - decide on more than the most probable label, and deal with very many classes.

# %% tags=["setup"]
from d2l_utils.check import *
import math
import torch
from torch.nn import functional as F
import d2l_utils as d2l

data = d2l.FashionMNIST(batch_size=256)


def rows_of(dataset, number, generator):
    """`number` random pictures as rows (number, 784), and their classes (number,)."""
    chosen_pictures, chosen_classes = dataset[torch.randperm(len(dataset), generator=generator)[:number]]
    return chosen_pictures.reshape(number, -1), chosen_classes


chooser = torch.Generator().manual_seed(44)
small = rows_of(data.train, 3000, chooser)            # 3,000 pictures to train on
held_out = rows_of(data.val, 1000, chooser)           # 1,000 others to measure on

# %% [markdown] teaches="pictures as rows, initialisation of a classifier"
# ## 1. From a picture to ten scores
#
# A picture of Fashion-MNIST (section 4.2) has 28 by 28 pixels, each a grey value from 0 to 1. A linear model wants a row of features, so we lay the pixels one after the other: the 28 pixels of the first line, then those of the second, and so on. That makes 784
# features. What was beside what is lost on the way; a linear model does not use it. It gives each pixel a weight for each class and adds up.
#
# With n pictures in a batch, d = 784 features and q = 10 classes:
#
# $$\underbrace{\mathbf O}_{(n,\,q)} = \underbrace{\mathbf X}_{(n,\,d)}\,\underbrace{\mathbf W}_{(d,\,q)} + \underbrace{\mathbf b}_{(q,)} .$$
#
# Each column of W belongs to a class: 784 numbers, as many as a picture has pixels.

# %% teaches="pictures as rows, initialisation of a classifier"
batch, labels = data.train[torch.arange(6)]           # six pictures and their classes
rows = batch.reshape(6, -1)                           # (6, 784): -1 means "whatever is left"
print("batch", tuple(batch.shape), " rows", tuple(rows.shape), " labels", labels.tolist())

torch.manual_seed(1)
W = torch.normal(0, 0.01, size=(784, 10))             # small random numbers
b = torch.zeros(10)
O = rows @ W + b
print("scores", tuple(O.shape))
print("scores of the first picture:", [round(s, 2) for s in O[0].tolist()])

# %% tags=["demo"]
import matplotlib.pyplot as plt

figure, axes = plt.subplots(1, 6, figsize=(8, 1.8), layout="constrained")
for ax, picture, name in zip(axes, batch, data.text_labels(labels)):
    ax.imshow(picture[0], cmap="gray")
    ax.set_title(name, fontsize=9)
    ax.axis("off")
plt.show()

# %% [markdown]
# The weights start as small random numbers with mean 0 and standard deviation 0.01, the biases as zeros. Then all ten scores are close to 0, and no class is preferred before anything has been seen. (Zeros would do as well for this model; section 5.2 shows where they do not.)
#
# ⚠ The examples must stay the first axis. `batch.reshape(784, -1)` has the right number of entries, too, and even `batch.reshape(784, -1).T` the right shape, but its rows are mixtures of all six pictures. Nothing raises an error; the model learns from noise.

# %%
mixed = batch.reshape(784, -1).T
print("same shape:", mixed.shape == rows.shape, " same rows:", torch.equal(mixed, rows))

# %% [markdown] task="4.4.A" kind="code" minutes=3 difficulty=1 core=true needs="pictures as rows, logits, linear layer"
# ### Ten scores for each picture
#
# Write `class_scores(X, W, b)`: `X` holds n examples, n ≥ 1, shape `(n, ...)`, with one or more axes after the first, such as (n, 1, 28, 28) or (n, 3, 4); `W` has shape `(d, q)`, where d is the number of values of one example, and `b` shape `(q,)`. It returns the scores.
#
# **You are done when**
# - **shape**: the scores have shape `(n, q)`, for any n, d and q, from 1 on, and any number of axes of `X`, from two on;
# - **values**: row i is example i, laid out as a row, times the weight, plus the bias.

# %% exercise="4.4.A"
def class_scores(X, W, b):
    """Scores (n, q) of examples (n, ...) with weight (d, q) and bias (q,)."""
    ### BEGIN SOLUTION
    return X.reshape(len(X), -1) @ W + b
    ### END SOLUTION

# %% [markdown] hints="4.4.A"
# 1. Which shape has the batch to have before it can be multiplied with a weight of shape (d, q)?
# 2. `t.reshape(len(t), -1)` keeps the first axis and makes one of all others.
# 3. Ten pictures of 4 by 5 pixels become a table (10, 20); with 3 classes the scores have shape (10, 3).

# %% check="4.4.A" points=1
def which_part(examples, weight, bias, product):
    """What is wrong with the scores: the bias, or what is done before it."""
    def alike(one, two):
        return (one - two).abs().max() < 1e-4
    alone, twice = (class_scores(k * examples, weight, 0 * bias) for k in (1, 2))
    share = float((alone * product).sum() / product.square().sum())
    if alike(alone, product):
        return "With a bias of zeros your scores are right: it is the bias that comes in wrongly. Entry j of it is added to column j, once."
    if alone.abs().max() < 1e-6:
        return "With a bias of zeros all of your scores are 0: the product of the values with the weight is missing."
    if alike(twice, alone):
        return "With a bias of zeros, examples with values twice as large get the same scores: the values are changed before the product. They go in as they are."
    if alike(alone, share * product):
        return f"With a bias of zeros each of your scores is {share:.4g} times what it has to be: the values go into the product as they are, not divided or multiplied by anything."
    if alike(twice, 2 * alone):
        return "With a bias of zeros the scores are wrong, too: row i is the values of example i, in their order, times the weight."
    return "With a bias of zeros, examples with values twice as large must get scores twice as large. Yours do not: something else than the product is computed."

def scores_check(shape, q, seed, parts=1):
    source = torch.Generator().manual_seed(seed)
    examples = torch.randint(-3, 4, shape, generator=source) / parts
    weight, bias = torch.randint(-2, 3, (examples[0].numel(), q), generator=source).float(), torch.arange(q) + 1.0
    flat = torch.stack([torch.cat([example.flatten()]) for example in examples])
    other_way = examples.transpose(1, -1).reshape(len(flat), -1) @ weight + bias
    call = f"examples of shape {shape}, that is {shape[0]} row{'s' * (shape[0] > 1)} of {flat.shape[1]} values, {q} classes" + (f", values in steps of 1/{parts}" if parts > 1 else "")
    call += "; the first axis stays, also where it has length 1" if shape[0] == 1 else ""
    found, product = class_scores(examples, weight, bias), flat @ weight
    slips = {"All axes but the last were joined: the first one stays, and all after it become one.": (examples[..., 0].numel(), q), "Only the last two axes were joined: all axes after the first become one.": shape[:-2] + (q,), "Rows are examples, columns are classes: here it is the other way round.": (q, shape[0]),
             "All examples were laid out in one row: the first axis has to stay, and each example becomes a row.": (1, q), "The axis of the single example is gone: also one example is a row of the result.": (q,)}
    assert_shape(found, (shape[0], q), f"the shape of the scores for {call}", of="shape", hint="A row for each example, a column for each class.",
                 mistakes={sentence: wrong for sentence, wrong in slips.items() if wrong != (shape[0], q)})
    assert_close(found, flat @ weight + bias, f"the scores for {call}", of="values",
                 hint=lambda: "" if torch.allclose(found.float(), product + bias) else which_part(examples, weight, bias, product),
                 mistakes={"Negative scores were cut off; they stay as they are.": (flat @ weight + bias).clamp(min=0), "The values of an example stand in another order: lay them out as they are stored, by `reshape`.": other_way,
                           "The bias was added twice.": flat @ weight + 2 * bias, "The scores were rounded.": (flat @ weight + bias).round(), "The bias is missing.": flat @ weight, "The bias is added, not subtracted.": flat @ weight - bias,
                           "These rows mix the examples: the first axis has to stay the first one.": examples.reshape(weight.shape[0], -1).T @ weight + bias,
                           "The largest score of each row was subtracted, as inside a softmax: the scores stay as they are.":
                               flat @ weight + bias - (flat @ weight + bias).max(dim=1, keepdim=True).values,
                           "These are probabilities; the scores are asked for.": torch.softmax(flat @ weight + bias, 1)})

scores_check((3, 2, 2), 5, 1)
scores_check((2, 1, 3, 4), 3, 2)
scores_check((4, 6), 2, 3)
scores_check((1, 2, 3), 4, 7)
scores_check((3, 4), 2, 8, 4)
### BEGIN HIDDEN TESTS
scores_check((1, 3, 2, 2), 4, 4)
scores_check((5, 1, 3, 3), 7, 5)
scores_check((2, 2, 1, 2, 3), 6, 6)
scores_check((4, 2, 3), 3, 9, 8)
### END HIDDEN TESTS

# %% [markdown] teaches="advanced indexing, cross-entropy by index"
# ## 2. Probabilities, and what they cost
#
# The softmax of section 4.1 turns each row of scores into probabilities: exp makes the scores positive, dividing by the sum of the row makes them add up to 1. A row is an example, so the sum runs over axis 1, and `keepdim=True` keeps it a column (n, 1) that broadcasts.
#
# The loss of an example is -log of the probability that its label got. Of each row of P we need a single entry, the one in the column of the label. Two lists in square brackets do that: `P[[0, 1, 2], [2, 0, 1]]` takes row 0 column 2, row 1 column 0, row 2 column 1.
# This is *advanced indexing*; the two lists are walked through side by side.

# %% teaches="advanced indexing, cross-entropy by index"
def softmax(O):
    E = torch.exp(O)
    return E / E.sum(dim=1, keepdim=True)

def cross_entropy(P, y):
    return -P[torch.arange(len(y)), y].log().mean()

P_three = torch.tensor([[0.1, 0.3, 0.6], [0.25, 0.5, 0.25], [0.7, 0.2, 0.1]])
y_three = torch.tensor([2, 1, 1])
print("probabilities of the labels:", P_three[torch.arange(3), y_three])
print("with a colon in place of the rows:", tuple(P_three[:, y_three].shape))
print("loss:", cross_entropy(P_three, y_three).item(), " by hand:", -(math.log(0.6) + math.log(0.5) + math.log(0.2)) / 3)

# %% [markdown]
# ⚠ `P[:, y]` is something else: *all* rows, with the columns named in y, a table of shape (n, n). Its mean is a number, too, so the mistake does not show. The row numbers must be written out.
#
# Before any training, one number is worth a look. A model that knows nothing gives each of q classes the probability 1/q, and pays log q for every example, whatever the labels are:

# %% teaches="loss of a model that knows nothing"
P = softmax(O)                                        # the scores of part 1, from untrained weights
print("probabilities of the first picture:", [round(p, 3) for p in P[0].tolist()])
print("sums of the rows:", [round(s, 5) for s in P.sum(dim=1).tolist()])
print("loss:", round(cross_entropy(P, labels).item(), 3), " log 10:", round(math.log(10), 3))

# %% [markdown]
# This is the cheapest test there is. If the first loss of a classifier is not close to log q, something is wrong before the training has begun: weights too large, pictures from 0 to 255 in place of 0 to 1, a softmax over the wrong axis, a sum in place of a mean.

# %% [markdown] task="4.4.B" kind="code" minutes=4 difficulty=1 core=true needs="advanced indexing, cross-entropy by index"
# ### The most expensive picture
#
# Write `costliest(P, y)`: `P` holds probabilities, shape `(n, q)`, all positive, and `y` the labels, shape `(n,)`, `int64`. It returns a pair `(i, loss)`: the number of the example with the largest loss, and this loss -log p.
#
# **You are done when**
# - **example**: i is the example whose label got the smallest probability; where several cost the same, the first of them;
# - **loss**: it is the loss of this one example, with the natural logarithm.

# %% exercise="4.4.B"
def costliest(P, y):
    """(i, loss) of the example with the largest loss: probabilities (n, q), labels (n,)."""
    ### BEGIN SOLUTION
    losses = -P[torch.arange(len(y)), y].log()
    i = losses.argmax()
    return i.item(), losses[i].item()
    ### END SOLUTION

# %% [markdown] hints="4.4.B"
# 1. Which n probabilities do the losses depend on?
# 2. `t.argmax()` is the place of the largest entry, the first one if there are several.
# 3. For the three rows above the losses are 0.511, 0.693 and 1.609, so the answer is `(2, 1.609...)`.

# %% check="4.4.B" points=1
def costliest_check(table, classes, words, shown=False, extra=None):
    table, classes = torch.as_tensor(table), torch.tensor(classes)
    found = costliest(table, classes)
    assert_type(found, (tuple, list), f"the result for {words}", of="example")
    assert_equal(len(found), 2, f"the number of results for {words}", of="example")
    given = [float(row[c]) for row, c in zip(table, classes)]
    place, cheapest = given.index(min(given)), given.index(max(given))
    crossed = int(table[:, classes].flatten().argmin())
    said = f"The labels got the probabilities {', '.join(f'{p:g}' for p in given)}; the smallest costs most." if shown else "The smallest probability of a label costs most; of several alike, the first."
    said += "" if isinstance(found[0], (int, torch.Tensor)) else " Its number comes first in the pair, then the loss."
    assert_equal(found[0], place, f"the example for {words}", of="example", hint=said,
                 mistakes={"Examples are counted from 0.": place + 1, "This is the example that costs least.": cheapest, "This is the last of several that cost the same.": len(given) - 1 - given[::-1].index(min(given)),
                           "This is the row in which the model is surest; the probability of the label decides.": int(table.max(dim=1).values.argmax()),
                           "This is the row in which the model is least sure; the probability of the label decides.": int(table.max(dim=1).values.argmin()),
                           "This row has the smallest probability of any class; that of the label decides.": int(table.min(dim=1).values.argmin()),
                           "This is the label of the example that costs most; the number of the example is asked for.": int(classes[place]),
                           "Each row meets the labels of all examples here, as in `P[:, y]`: the row numbers have to be written out.":
                               int(table[:, classes].log().mean(dim=1).argmin())} | (extra or {})
                 | ({"`P[:, y]` is a table of all rows and n columns: the row numbers have to be written out.": crossed} if crossed >= len(given) else {}))
    stands_for = "The loss of the one example: minus the natural logarithm of the probability that its label got, with nothing added to it."
    if isinstance(found[1], (int, float, torch.Tensor)) and torch.as_tensor(found[1]).numel() == 1 and 0 < float(found[1]) < 700:
        stands_for = f"Yours would be -log of {math.exp(-float(found[1])):.4g}. " + (f"The label of example {place} got {given[place]:g}, and -log({given[place]:g}) = {-math.log(given[place]):.4f}." if shown else stands_for)
    again = F.cross_entropy(table, classes, reduction="none")[place].item()
    others = {f"This is the loss of example {j}.": -math.log(given[j]) for j in range(len(given)) if shown and given[j] != given[place]}
    assert_close(found[1], -math.log(min(given)), f"the loss for {words}", of="loss", rtol=1e-5, hint=stands_for,
                 mistakes={"The softmax was done once more: `F.cross_entropy` takes scores, and P holds probabilities already.": again} | others
                 | {"This is the loss of the least probable class of the row; that of the label is asked for.": -math.log(float(table[place].min())), "This is the loss of the most probable class of the row; that of the label is asked for.": -math.log(float(table[place].max())),
                    "This is divided by the number of examples, as in a mean: the loss of the one example is asked for.": -math.log(min(given)) / len(given), "This is the probability, not yet its logarithm.": min(given), "The minus sign is missing.": math.log(min(given)), "This is the mean loss of all examples.": -sum(map(math.log, given)) / len(given),
                           "This is 1 - p; the loss is -log p.": 1 - min(given), "This is the sum of all losses.": -sum(map(math.log, given)), "This is 1 / p; the loss is -log p.": 1 / min(given),
                           "This is the logarithm to base 2.": -math.log2(min(given)), "This is the logarithm to base 10.": -math.log10(min(given))}
                 | {f"{more:g} was added to the probability under the logarithm.": -math.log(min(given) + more) for more in (1e-7, 1e-8, 1e-9, 1e-10, 1e-12)})

costliest_check([[0.7, 0.2, 0.1], [0.55, 0.01, 0.44], [0.6, 0.2, 0.2], [0.48, 0.5, 0.02], [0.55, 0.25, 0.2], [0.1, 0.05, 0.85], [0.4, 0.3, 0.3],
                 [0.09, 0.5, 0.41]], [0, 2, 0, 2, 0, 0, 0, 0], "eight examples with the labels 0, 2, 0, 2, 0, 0, 0, 0", True)
costliest_check([[0.25, 0.75], [0.75, 0.25], [0.5, 0.5], [0.25, 0.75]], [0, 1, 0, 0], "four examples, three of which cost the same", True)
costliest_check([[0.05, 0.9, 0.05], [1e-9, 0.3, 0.7], [1e-12, 0.6, 0.4]], [1, 0, 0], "labels with the probabilities 0.9, 1e-9 and 1e-12", True,
                {"1e-12 is smaller than 1e-9, so example 2 costs more. A bound on the probabilities would make the two alike.": 1})
costliest_check([[0.8, 0.2], [0.6, 0.4], [0.9, 0.1]], [0, 0, 0], "three examples in which the label is the most probable class", True, {"An example that is classified rightly has a loss, too.": 0})
costliest_check([[0.8, 0.06, 0.14], [0.1, 0.87, 0.03], [0.58, 0.4, 0.02], [0.5, 0.3, 0.2]], [0, 1, 1, 0], "four examples with the labels 0, 1, 1, 0", True)
### BEGIN HIDDEN TESTS
source = torch.Generator().manual_seed(441)
for n_, q_ in ((9, 4), (30, 6), (1, 3)):
    costliest_check(torch.softmax(2 * torch.randn(n_, q_, generator=source), 1), torch.randint(0, q_, (n_,), generator=source).tolist(), f"{n_} examples of {q_} classes")
costliest_check([[0.5, 0.25, 0.25]] * 5, [0, 1, 2, 0, 1], "five equal rows with different labels")
costliest_check([[0.9, 0.1, 1e-25], [1e-30, 0.5, 0.5]], [2, 0], "labels with the probabilities 1e-25 and 1e-30")
costliest_check([[0.1, 0.2, 0.7], [0.3, 0.4, 0.3], [0.5, 0.3, 0.2], [0.2, 0.2, 0.6]], [2, 1, 0, 2], "four examples without a mistake")
### END HIDDEN TESTS

# %% [markdown] teaches="accuracy, training loop of a classifier, updates per epoch"
# ## 3. Training
#
# The loop is that of chapter 3. Take a batch, compute the loss, get the gradients, move each parameter against its gradient. A round through all the training pictures is an *epoch*; each epoch goes through them in a new random order.
#
# What is new is how we keep score. The *loss* is what gradient descent makes small. What a user asks for is the *accuracy*: the share of examples whose most probable class is the label. It cannot be trained on. If one weight moves a little, no decision changes, so its slope is 0
# nearly everywhere. So we train on the loss and watch both, on the pictures of the training and on others.

# %% teaches="accuracy, training loop of a classifier"
def accuracy(P, y):
    return (P.argmax(dim=1) == y).float().mean().item()

torch.manual_seed(4)
W = torch.normal(0, 0.01, size=(784, 10)).requires_grad_()
b = torch.zeros(10, requires_grad=True)
for epoch in range(1, 6):
    order = torch.randperm(3000)
    for start in range(0, 3000, 64):
        picked = order[start:start + 64]                          # the numbers of 64 pictures
        loss = cross_entropy(softmax(small[0][picked] @ W + b), small[1][picked])
        loss.backward()
        with torch.no_grad():
            for parameter in (W, b):
                parameter -= 0.05 * parameter.grad
                parameter.grad.zero_()
    with torch.no_grad():
        P_train, P_held = softmax(small[0] @ W + b), softmax(held_out[0] @ W + b)
    print(f"epoch {epoch}: training loss {cross_entropy(P_train, small[1]):.3f}, accuracy {accuracy(P_train, small[1]):.3f};"
          f"  held out: loss {cross_entropy(P_held, held_out[1]):.3f}, accuracy {accuracy(P_held, held_out[1]):.3f}")

# %% [markdown]
# That is a complete classifier. After five rounds through 3,000 pictures it names 76 of 100 new pictures rightly; guessing would give 10.
#
# The last batch of each epoch is smaller: 3,000 = 46 · 64 + 56. It makes a step like the others, so an epoch has 47 *updates*. The updates, more than the epochs, say how much a model has been trained; part 7 comes back to this.

# %% [markdown] task="4.4.C" kind="code" minutes=2 difficulty=1 core=true needs="updates per epoch"
# ### How many steps
#
# Write `number_of_updates(n, batch_size, epochs)`: how many steps gradient descent makes with n examples in batches of `batch_size`, the smaller last one included.
#
# **You are done when**
# - **last batch**: a smaller last batch counts as one step, and where the batches fit exactly there is none too many;
# - **epochs**: every epoch counts, and it is a whole number, an `int` (15, not 15.0).

# %% exercise="4.4.C"
def number_of_updates(n, batch_size, epochs):
    """Steps of gradient descent in `epochs` rounds through n examples."""
    ### BEGIN SOLUTION
    return math.ceil(n / batch_size) * epochs
    ### END SOLUTION

# %% [markdown] hints="4.4.C"
# 1. How many batches are full? Is something left?
# 2. `math.ceil(2.1)` is 3, `math.ceil(2.0)` is 2.
# 3. 10 examples in batches of 4: 4, 4, 2. Three updates an epoch.

# %% check="4.4.C" points=1
def which_count(n, size, rounds):
    """What the number follows rightly, as far as other calls show it."""
    if rounds > 1 and number_of_updates(n, size, 1) == -(-n // size):
        return "For one epoch of this your number is right: every epoch makes as many steps as the first."
    if n % size:
        return "In an epoch each full batch makes a step, and so does the smaller one that is left over."
    return "The batches fit exactly, nothing is left over: each of them makes a step, in every epoch."

def with_two_epochs():
    """What a second epoch does to the number."""
    one, two = number_of_updates(3000, 64, 1), number_of_updates(3000, 64, 2)
    if two == one + 1:
        return f"With two epochs in place of one yours is {two}, one more: the steps of an epoch are multiplied by the number of epochs, which is not added to them."
    return f"With two epochs in place of one yours becomes {two}: it has to become twice as large." if two != 2 * one else "It follows the epochs as it should: what is wrong is the number of steps in one."

assert_equal(number_of_updates(3000, 64, 1), 47, "3,000 examples, batches of 64, 1 epoch", of="epochs" if number_of_updates(3000, 64, 1) == 94 or number_of_updates(3000, 64, 2) == number_of_updates(3000, 64, 1) + 1 else "last batch",
             hint=("46 full batches and one of 56 examples make 47 steps in an epoch, and there is one epoch.", with_two_epochs),
             mistakes={"The smaller last batch makes a step, too.": 46, "Batches are counted whole: the last one is smaller, and still one step.": 3000 / 64,
                       "The 56 examples that are left over are one batch, not 56.": 102,
                       "There is a step for each batch, not for each example.": 3000, "This is twice as many: there is one epoch, and one step for each batch.": 94})
assert_equal(number_of_updates(120, 30, 1), 4, "120 examples, batches of 30, 1 epoch", of="last batch", hint="120 = 4 · 30: four full batches, and nothing is left over.",
             mistakes={"The batches fit exactly: nothing is left for another one.": 5, "There is a step for each batch, not for each example.": 120, "This is twice as many: there is one epoch, and one step for each batch.": 8})
assert_equal(number_of_updates(10, 256, 1), 1, "10 examples, batches of 256, 1 epoch", of="last batch", hint="All ten examples are one batch, which is not full: one step.",
             mistakes={"A batch that is not full makes a step, too.": 0, "There is a step for each batch, not for each example.": 10})
assert_equal(number_of_updates(10, 4, 5), 15, "10 examples, batches of 4, 5 epochs", of="epochs", hint=lambda: which_count(10, 4, 5),
             mistakes={"There is a step for each batch, not for each example.": 50,
                       "Each epoch begins anew: the smaller batch comes at the end of each, not once at the very end.": 13, "This is one epoch.": 3, "The smaller last batch makes a step, too.": 10,
                       "The smaller last batch comes in every epoch, not once.": 11, "This is 3 to the power of 5: every epoch adds 3 steps, so the steps of one are multiplied by the number of epochs.": 243, "This is one epoch too few.": 12, "This is one epoch too many.": 18})
assert_type(number_of_updates(10, 4, 5), int, "10 examples, batches of 4, 5 epochs", of="epochs", hint="The number is right, but steps are counted in whole numbers: `math.ceil(...)` and `//` give an int, `/` does not.")
assert_type(number_of_updates(120, 30, 1), int, "120 examples, batches of 30, 1 epoch", of="epochs", hint="The number is right, but steps are counted in whole numbers, also where the batches fit exactly: `/` gives 4.0, `//` gives 4.")
### BEGIN HIDDEN TESTS
for n_, size_, rounds_ in ((60_000, 256, 10), (7, 1, 3), (1000, 999, 4), (81, 9, 6), (5, 5, 1), (29, 6, 11)):
    assert_equal(number_of_updates(n_, size_, rounds_), sum(len(range(0, n_, size_)) for _ in range(rounds_)), f"{n_} examples, batches of {size_}, {rounds_} epochs", of="epochs" if rounds_ > 3 else "last batch", hint=lambda: which_count(n_, size_, rounds_))
    assert_type(number_of_updates(n_, size_, rounds_), int, f"{n_} examples, batches of {size_}, {rounds_} epochs", of="epochs", hint="Steps are counted in whole numbers, by an int.")
### END HIDDEN TESTS

# %% [markdown] teaches="softmax regression as a module"
# ### The same as a class, on all pictures
#
# In the classes of chapter 3 and of section 4.3 the loop, the batches and the accuracy belong to the `Trainer`, the data module and `d2l.Classifier`. What is left is what is particular to this model: its parameters, its way forward, and its loss. `save_hyperparameters()` keeps the
# arguments, `lr` among them, and `torch.nn.Parameter` marks a tensor as one to be trained.

# %% teaches="softmax regression as a module"
class SoftmaxRegressionScratch(d2l.Classifier):
    def __init__(self, num_inputs, num_outputs, lr, sigma=0.01):
        super().__init__()
        self.save_hyperparameters()
        self.W = torch.nn.Parameter(torch.normal(0, sigma, size=(num_inputs, num_outputs)))
        self.b = torch.nn.Parameter(torch.zeros(num_outputs))

    def forward(self, X):
        return softmax(X.reshape(len(X), -1) @ self.W + self.b)

    def loss(self, P, y):
        return cross_entropy(P, y)

# %% tags=["demo"]
torch.set_num_threads(1)                              # batches this small go no faster on many
torch.manual_seed(1)
model, trainer = SoftmaxRegressionScratch(784, 10, lr=0.1), d2l.Trainer(max_epochs=5)
trainer.fit(model, data)

# %% tags=["demo"]
trainer.history.to_frame().round(4)

# %% [markdown]
# About 82 of 100 pictures are recognised after five epochs. Read the column `val_acc` from top to bottom: in the third epoch it falls by more than a hundredth, while the training loss falls evenly. A single accuracy after a single run says less than its digits.

# %% [markdown] teaches="weights as pictures"
# ## 4. Look at what it does
#
# An accuracy is one number for 10,000 pictures. To learn what a model has learnt, look at its weights and at its mistakes.
#
# Each column of the weight has 784 entries, one for each pixel: a picture. Where it is red, a bright pixel speaks for the class; where it is blue, against it.

# %% tags=["demo"]
class_names = data.text_labels(range(10))
figure, axes = plt.subplots(2, 5, figsize=(8, 3.6), layout="constrained")
for ax, column, name in zip(axes.flat, model.W.detach().T, class_names):
    reach = column.abs().max().item()
    ax.imshow(column.reshape(28, 28), cmap="RdBu_r", vmin=-reach, vmax=reach)
    ax.set_title(name, fontsize=9)
    ax.axis("off")
plt.show()

# %% [markdown]
# Sleeves speak for the t-shirt, if they are short: where long sleeves would go on, the picture is blue. For trousers the gap between the legs counts most, and it has to be dark. The shirt is pale: no pixel says much about it. So we expect trouble there.
#
# Now the mistakes. `(predicted != y).nonzero()` gives the places where a comparison is true. The first ones of the validation set, with the label above and the prediction below:

# %% tags=["demo"]
X_val, y_val = data.val[torch.arange(10_000)]
with torch.no_grad():
    P_val = model(X_val)                              # (10000, 10)
predicted = P_val.argmax(dim=1)
mistaken = (predicted != y_val).nonzero().flatten()
print(f"{len(mistaken)} of {len(y_val)} are mistaken: accuracy {accuracy(P_val, y_val):.4f}")
figure, axes = plt.subplots(2, 8, figsize=(9, 3.4), layout="constrained")
for ax, i in zip(axes.flat, mistaken.tolist()):
    ax.imshow(X_val[i, 0], cmap="gray")
    ax.set_title(f"{class_names[y_val[i]]}\n{class_names[predicted[i]]}", fontsize=8)
    ax.axis("off")
plt.show()

# %% [markdown]
# Many of these a person would mistake, too. Shirts, coats and pullovers are taken for one another, and one sort of shoe for another: they cover nearly the same pixels, and a linear model only adds up pixels.

# %% [markdown] task="4.4.7" kind="code" minutes=8 difficulty=3 needs="accuracy, index and slice, boolean mask"
# ### The surest mistakes
#
# Mistakes of which the model is sure show most: wrong labels in the data, strange pictures, a class that it does not know.
#
# Write `worst_mistakes(P, y, k)`: `P` holds probabilities, shape `(n, q)`, and `y` labels, shape `(n,)`. It returns the numbers of the k mistaken rows (k ≥ 1) in which the model is surest. A row is mistaken if its most probable class is not the label; how sure the model is, is the probability of
# that most probable class. Each row has one most probable class, and no two mistakes are equally sure.
#
# **You are done when**
# - **form**: the result is a list of whole numbers, or an `int64` tensor with one axis;
# - **mistakes only**: every number is that of a mistaken row of `P`;
# - **order**: the surest comes first;
# - **at most k**: there are k of them; if fewer rows are mistaken, all of these, and none if there is no mistake.

# %% exercise="4.4.7"
def worst_mistakes(P, y, k):
    """The numbers of the k rows that are mistaken with the largest probability, the largest first."""
    ### BEGIN SOLUTION
    sure, guess = P.max(dim=1)
    wrong = (guess != y).nonzero().flatten()
    return wrong[sure[wrong].argsort(descending=True)][:k]
    ### END SOLUTION

# %% [markdown] hints="4.4.7"
# 1. `P.max(dim=1)` gives two tensors. Which one says how sure the model is?
# 2. `mask.nonzero().flatten()` are the places of True. `t.argsort(descending=True)` gives places in t; if t is a selection, these are places *in the selection*, and have to be turned into row numbers.
# 3. The tallest girls: `g = is_girl.nonzero().flatten(); g[height[g].argsort(descending=True)][:3]`.

# %% check="4.4.7" points=2
four = torch.tensor([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6], [0.05, 0.9, 0.05], [0.2, 0.0, 0.8]])
six = torch.tensor([[0.55, 0.22, 0.23], [0.1, 0.0, 0.9], [0.35, 0.25, 0.4], [0.02, 0.98, 0.0], [0.6, 0.1, 0.3], [0.38, 0.62, 0.0]])

def mistakes_check(table, classes, k_, words, shown=True):
    found = worst_mistakes(table.clone(), torch.tensor(classes), k_)
    assert_type(found, (list, tuple, torch.Tensor), f"the result for {words}", of="form")
    surest, guesses = table.max(dim=1)
    places = [i for i, c in enumerate(classes) if int(guesses[i]) != c]
    wanted = sorted(places, key=lambda i: -float(surest[i]))
    everything = sorted(range(len(classes)), key=lambda i: -float(surest[i]))
    rows = found.flatten().tolist() if isinstance(found, torch.Tensor) else [int(i) for i in found if isinstance(i, int) or (isinstance(i, torch.Tensor) and i.numel() == 1)]
    slips = {"The k surest rows were taken first, and the mistaken ones of these: it goes the other way round.": [i for i in everything[:k_] if i in places],
             "A label under 1/2 is not yet a mistake: another class has to be more probable.": [i for i in everything if float(table[i, classes[i]]) < 0.5][:k_],
             "A mistake counts also where the most probable class has less than 1/2.": [i for i in wanted if float(surest[i]) > 0.5][:k_], f"These are all {len(places)} mistakes; the first {k_} of them are asked for, as [:k] takes them.": places, "Rows that are not mistaken are among them.": everything[:k_]}
    if k_ + 1 < len(places):
        slips["These are the surest mistakes, and one too many: k of them are asked for, as [:k] takes them."] = wanted[:k_ + 1]
    assert_equal(len(found), min(k_, len(places)), f"how many rows come back for {words}", of="at most k",
                 hint="The row numbers alone, one for each mistake: as many as there are mistakes, but not more than k." if len(found) > min(k_, len(places)) or len(rows) != len(found) else
                 "Some mistaken rows are missing: a row is mistaken wherever its most probable class is not the label.",
                 mistakes={sentence: len(found) for sentence, slip in slips.items() if sorted(slip) == sorted(rows)})
    loose = [float(i) for i in (found.flatten() if isinstance(found, torch.Tensor) else found) if isinstance(i, float) or (isinstance(i, torch.Tensor) and i.numel() == 1 and i.is_floating_point())]
    sureness = loose and all(any(abs(value - p) < 1e-6 for p in surest.tolist()) for value in loose)
    if isinstance(found, torch.Tensor):
        assert_equal(found.dim(), 1, f"the number of axes of the result for {words}", of="form", hint="One row number after the other, on a single axis.")
        assert_dtype(found, torch.int64, f"the dtype of the result for {words}", of="form", hint="These are probabilities; row numbers are asked for." if sureness else "")
    else:
        for entry in found:
            assert_type(entry, (int, torch.Tensor), f"an entry of the result for {words}", of="form", hint="These are probabilities; row numbers are asked for." if sureness else "The row numbers alone, one after the other.")
    upside, by_label = wanted[::-1], sorted(places, key=lambda i: float(table[i, classes[i]]))
    inside = [places.index(i) for i in wanted]
    predicted_classes = {"These are the predicted classes; the row numbers are asked for.": [int(guesses[i]) for i in wanted][:k_]}
    lead = sorted(places, key=lambda i: float(table[i, classes[i]] - surest[i]))
    second = sorted(places, key=lambda i: float(table[i].sort().values[-2] - surest[i]))
    spread = sorted(places, key=lambda i: float(-(table[i] * table[i].clamp(min=1e-30).log()).sum()))
    right_rows = [int(i) in places for i in (found.tolist() if isinstance(found, torch.Tensor) else list(found))]
    if not all(right_rows):
        assert_equal(found, wanted[:k_], f"the rows for {words}", of="mistakes only", hint="A row counts only if its most probable class is not the label, and the numbers are those of the rows of P.",
                     mistakes={"These are places among the mistakes, not numbers of rows.": inside[:k_], "The surest rows of all: only mistaken ones count.": everything[:min(k_, len(places))]} | predicted_classes)
    assert_true(all(right_rows), f"every number is that of a mistaken row, for {words}", of="mistakes only")
    order = [int(i) for i in found]
    here = next((i for i, j in zip(order, wanted) if i != j), 0)
    assert_equal(found, wanted[:k_], f"the rows for {words}", of="order", hint="The rows are sorted by the probability of the most probable class, the largest first, and the first k of them are asked for."
                 + (" A row comes twice." if len(set(order)) < len(order) else f" Row {here} stands too early in yours: its most probable class has {float(surest[here]):g}, and a mistake with more comes behind it, or not at all." if shown else ""),
                 mistakes={"The rows are sorted by how evenly all of their probabilities are spread, as by the entropy; that of the most probable class alone is asked for.": spread[:k_], "The surest comes first.": upside[:k_], "Sorted by the probability of the label; that of the predicted class is asked for.": by_label[:k_],
                           "Sorted by the lead over another class; the probability of the most probable class alone is asked for.": lead[:k_],
                           "These are the mistakes in the order of the rows.": places[:k_], "These are the right rows, but in the order of their numbers: the surest comes first.": sorted(wanted[:k_]) if sorted(wanted[:k_]) != places[:k_] else [], "The first k mistakes were sorted; the surest k of all mistakes are asked for.": sorted(places[:k_], key=lambda i: -float(surest[i]))}
                 | predicted_classes | ({"Sorted by the lead over the second class; the probability of the most probable class alone is asked for.": second[:k_]} if second[:k_] != lead[:k_] else {}))

mistakes_check(six, [1, 0, 0, 0, 0, 2], 4, "six rows with the labels 1, 0, 0, 0, 0, 2 and k = 4")
mistakes_check(six, [1, 0, 0, 0, 0, 2], 5, "six rows with the labels 1, 0, 0, 0, 0, 2 and k = 5")
mistakes_check(four, [0, 0, 1, 1], 5, "four rows with the labels 0, 0, 1, 1 and k = 5")
mistakes_check(six, [1, 0, 0, 0, 0, 2], 2, "six rows with the labels 1, 0, 0, 0, 0, 2 and k = 2")
mistakes_check(six, [1, 1, 2, 0, 0, 0], 6, "six rows with the labels 1, 1, 2, 0, 0, 0 and k = 6")
mistakes_check(torch.tensor([[0.6, 0.4, 0.0], [0.62, 0.19, 0.19], [0.9, 0.1, 0.0]]), [1, 2, 1], 3, "the rows (0.6, 0.4, 0), (0.62, 0.19, 0.19), (0.9, 0.1, 0) with the labels 1, 2, 1 and k = 3")
mistakes_check(four, [0, 2, 1, 2], 3, "four rows without a mistake and k = 3")
### BEGIN HIDDEN TESTS
source = torch.Generator().manual_seed(447)
for n_, q_, k_ in ((30, 4, 6), (50, 3, 100), (12, 7, 1), (40, 5, 9)):
    table_ = torch.softmax(torch.randn(n_, q_, generator=source) * 2, dim=1)
    classes_ = torch.where(torch.rand(n_, generator=source) < 0.5, table_.argmax(1), torch.randint(0, q_, (n_,), generator=source)).tolist()
    mistakes_check(table_, classes_, k_, f"{n_} rows of {q_} classes, k = {k_}", shown=False)
mistakes_check(torch.eye(3)[[2, 0]], [2, 0], 2, "two rows without a mistake and k = 2", shown=False)
### END HIDDEN TESTS

# %% [markdown] teaches="confusion matrix, recall"
# ### Who is taken for whom
#
# For the whole picture of the mistakes one counts pairs: how often is class i called class j? The table of these counts is the *confusion matrix*. Its rows are the labels, its columns the predictions. Six pieces of clothing, with the labels 0, 0, 0, 1, 1, 2 and the predictions 0, 2, 2, 1, 1, 2, give
#
# | truth | said 0 | said 1 | said 2 |
# |---|---|---|---|
# | **is 0** | 1 | 0 | 2 |
# | **is 1** | 0 | 2 | 0 |
# | **is 2** | 0 | 0 | 1 |
#
# On the diagonal stand the right answers. The sum of a row is how often the class occurs. The diagonal entry divided by the sum of its row is the share of the class that was found, its *recall*: here 1/3, 1 and 1.

# %% tags=["demo"]
figure, ax = plt.subplots(figsize=(5.4, 4.4), layout="constrained")
counts, _, _, shades = ax.hist2d(predicted.numpy(), y_val.numpy(), bins=[[i - 0.5 for i in range(11)]] * 2, cmap="Blues")
for i in range(10):
    for j in range(10):
        if counts[j, i] >= 50:
            ax.text(j, i, int(counts[j, i]), ha="center", va="center", fontsize=7, color="white" if counts[j, i] > 500 else "black")
ax.set_xticks(range(10), class_names, rotation=60, ha="right")
ax.set_yticks(range(10), class_names)
ax.invert_yaxis()
ax.set(xlabel="predicted", ylabel="label")
plt.show()
for name, i in (("trouser", 1), ("shirt", 6)):
    print(f"recall of {name}: {(predicted[y_val == i] == i).float().mean().item():.3f}")

# %% [markdown]
# (Only counts from 50 on are written.) Each class has 1,000 pictures here. Trousers and bags are nearly always found. Of the shirts only 366 are: 239 go to the t-shirts, 214 to the coats, 122 to the pullovers. An accuracy of 0.82 hides that one class is found about one time in three.

# %% [markdown] task="4.4.8" kind="code" minutes=8 difficulty=3 needs="confusion matrix"
# ### Counting pairs
#
# Write `confusion_matrix(predicted, y, num_classes)`: `predicted` and `y` are `int64` of shape `(n,)`. Entry (i, j) of the result counts the examples of class i that were predicted as j.
#
# **You are done when**
# - **counts**: each example is counted once, labels in the rows, predictions in the columns;
# - **shape**: it is `(num_classes, num_classes)`, also where some classes do not occur or there is no example at all;
# - **dtype**: it is an `int64` tensor.

# %% exercise="4.4.8"
def confusion_matrix(predicted, y, num_classes):
    """Counts of label (row) against prediction (column): (n,), (n,) -> (num_classes, num_classes), int64."""
    ### BEGIN SOLUTION
    table = torch.zeros(num_classes, num_classes, dtype=torch.int64)
    for label, guess in zip(y.tolist(), predicted.tolist()):
        table[label, guess] += 1
    return table
    ### END SOLUTION

# %% [markdown] hints="4.4.8"
# 1. Where in the table does a single example belong?
# 2. `for a, b in zip(s.tolist(), t.tolist())` walks through two tensors side by side. Without a loop, beware: `table[y, predicted] += 1` counts a pair that occurs twice only once.
# 3. Throws of a red and a blue die in a table of 6 by 6: the throw (2, 5) adds 1 in row 1, column 4.

# %% check="4.4.8" points=2
def which_sums(found, table, pairs):
    """What the sums say about counts that are wrong, and whether a single example is missing at either end."""
    total = sum(map(sum, found))
    for end, name in ((0, "first"), (-1, "last")):
        if len(pairs) > 1 and pairs.count(pairs[end]) == 1 and found == [[entry - ((i, j) == pairs[end]) for j, entry in enumerate(row)] for i, row in enumerate(table)]:
            return f"The {name} example, number {end % len(pairs)}, is not counted; all others are, and rightly."
    if total != sum(map(sum, table)):
        return f"Your counts add up to {total}; each of the {sum(map(sum, table))} examples adds 1 to one entry."
    rows_right, columns_right = [sum(row) for row in found] == [sum(row) for row in table], [sum(c) for c in zip(*found)] == [sum(c) for c in zip(*table)]
    if rows_right:
        return "The sums of your rows are right, so every example is in the row of its label. The columns are not: an example belongs into the column of its own prediction."
    return ("The sums of your columns are right, so every example is in the column of its prediction. The rows are not: it belongs into the row of its own label." if columns_right else
            "Your counts add up rightly, and stand in wrong places: an example belongs into the row of its label and the column of its prediction.")

def confusion_check(said, is_, q, words):
    table_ = [[0] * q for _ in range(q)]
    for i, j in zip(is_, said):
        table_[i][j] += 1
    found = confusion_matrix(torch.tensor(said, dtype=torch.int64), torch.tensor(is_, dtype=torch.int64), q)
    assert_type(found, torch.Tensor, f"the result for {words}", of="dtype", hint="" if found is None else "torch.tensor(rows) makes a tensor of a list of rows.")
    assert_shape(found, (q, q), f"the shape for {words}", of="shape", hint="A row and a column for each class, whether it occurs or not.")
    assert_dtype(found, torch.int64, f"the dtype for {words}", of="dtype")
    once = [[min(entry, 1) for entry in row] for row in table_]
    most = max(map(max, table_))
    assert_equal(found.tolist(), table_, f"the counts for {words}", of="counts", hint=lambda: which_sums(found.tolist(), table_, list(zip(is_, said))),
                 mistakes={"The table is as empty as it was at first. (`table[y]` with a tensor y is a copy: what is added to it is lost.)": [[0] * q for _ in range(q)], "Rows are labels, columns are predictions.": [list(column) for column in zip(*table_)], "A pair that occurs several times was counted once.": once,
                           "Only the right answers were counted.": [[entry if i == j else 0 for j, entry in enumerate(row)] for i, row in enumerate(table_)],
                           "Only the mistakes were counted.": [[entry if i != j else 0 for j, entry in enumerate(row)] for i, row in enumerate(table_)],
                           "Entry (i, j) counts here the examples of class i and those predicted as j, all together: both have to hold for the same example.": [[is_.count(i) + said.count(j) - entry for j, entry in enumerate(row)] for i, row in enumerate(table_)],
                           "Each mistake was counted twice, at (i, j) and at (j, i): only the row of its label and the column of its prediction count.": [
                               [entry + (table_[j][i] if i != j else 0) for j, entry in enumerate(row)] for i, row in enumerate(table_)],
                           "The table was added to its transposed one: an example adds 1 to one entry alone.": [[entry + table_[j][i] for j, entry in enumerate(row)] for i, row in enumerate(table_)],
                           "All rows are alike: `[row] * n` is one row under n names.": [[sum(column) for column in zip(*table_)]] * q, "Every count is one too large: the table has to start at 0.": [[entry + 1 for entry in row] for row in table_],
                           "These are shares, rounded down; counts are asked for.": [[entry // max(sum(row), 1) for entry in row] for row in table_]}
                 | ({"A count went beyond the end of its dtype (`uint8` ends at 255, `int8` at 127): count in `int64`.": [[entry % 256 for entry in row] for row in table_]} if most > 255 else {})
                 | ({"A count went beyond 32,767, where `int16` ends: count in `int64`.": [[(entry + 32_768) % 65_536 - 32_768 for entry in row] for row in table_]} if most > 32_767 else {}))

confusion_check([0, 2, 1, 1, 2, 2], [0, 0, 1, 1, 2, 0], 3, "the six examples above")
confusion_check([3, 0, 3], [1, 0, 1], 5, "three examples of five classes, of which 2 and 4 do not occur")
confusion_check([], [], 2, "no example, two classes")
confusion_check([1] * 300, [0] * 299 + [1], 2, "300 examples of two classes, 299 of them alike")
### BEGIN HIDDEN TESTS
source = torch.Generator().manual_seed(448)
for n_, q_, top_ in ((40, 4, 4), (25, 6, 3), (500, 10, 10), (1, 2, 1)):
    confusion_check(*(torch.randint(0, top_, (n_,), generator=source).tolist() for _ in range(2)), q_, f"{n_} examples, {q_} classes of which {top_} occur")
confusion_check([], [], 4, "no example, four classes")
confusion_check([2] * 33_000, [1] * 33_000, 3, "33,000 examples alike")
### END HIDDEN TESTS

# %% [markdown] teaches="overflow of the softmax formula, subnormal numbers"
# ## 5. When the formula fails
#
# ⚠ The formula of the softmax is right; the program is not. `float32` ends at about 3.4e38, which is exp(88.7). At the other end, below 1.2e-38, its numbers lose digits one after the other (they are called *subnormal*), until at about exp(-104) everything is 0. Here are the same three scores, all shifted by c. By the
# shift invariance of section 4.1 the right answer does not depend on c.

# %% teaches="overflow of the softmax formula, subnormal numbers"
three_scores = torch.tensor([[0.0, -0.7, -3.0]])
print("right:    ", [round(p, 4) for p in torch.softmax(three_scores.double(), 1)[0].tolist()])
for c in (0, 88, 88.5, 100, -80, -100, -103, -104):
    print(f"c = {c:5}:", [round(p, 4) for p in softmax(three_scores + c)[0].tolist()])
print("two scores, 100 and 0:", softmax(torch.tensor([[100.0, 0.0]]))[0].tolist())

# %% tags=["demo"]
figure, axes = plt.subplots(1, 2, figsize=(8, 2.8), sharey=True, layout="constrained")
for ax, lowest, highest, title in zip(axes, (-107, 86), (-95, 92), ("lower end", "upper end")):
    offsets = torch.arange(lowest, highest, 0.05)
    first = softmax(three_scores + offsets[:, None])[:, 0]        # the first probability, for each shift
    broken = ~torch.isfinite(first)
    ax.plot(offsets, first, linewidth=1.2, label="first probability")
    ax.plot(offsets[broken], torch.full((int(broken.sum()),), 0.4), ".", color="C3", markersize=3, label="nan")
    ax.axhline(torch.softmax(three_scores, 1)[0, 0], color="black", linestyle=":", linewidth=1, label="right")
    ax.set(xlabel="shift c", title=title, ylim=(-0.05, 1.05), xticks=range(lowest + 1 if lowest < 0 else lowest, highest + 1, 2))
    ax.grid(alpha=0.3)
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right upper")
plt.show()

# %% [markdown]
# In between the curve lies on the dotted line, as it has to. The two ends differ.
#
# - *Upper end.* At 100, exp is inf, and inf / inf is nan. Where only one score is that large, the others get x / inf = 0 and only one entry is nan. At 88.5 every exp is finite, only their sum is infinite: all three "probabilities" are 0.
# - *Lower end.* At -100 the three numbers look like probabilities, add up to 1, and are wrong in the second digit. Nothing tells. From -104 on it is 0 / 0, nan again.
#
# ⚠ A test for overflow finds only half of these, and a test for nan finds neither the zeros at 88.5 nor the wrong digits at -100.

# %% [markdown] task="4.4.1a" kind="code" minutes=10 difficulty=3 needs="overflow of the softmax formula, softmax"
# ### A diagnosis
#
# Write `softmax_health(X)`: `X` holds scores between -600 and 600, `float32`, shape `(n, q)`. For each row it tells what the bare formula in `float32` (the function `softmax` of part 2, also called `d2l.softmax`) makes of it:
#
# - 0: all entries are right, to 1e-4 (absolute);
# - 1: all entries are finite, but at least one is off by more than 1e-4;
# - 2: some entry, one at least, is nan or infinite.
#
# The right values come from `float64`: between -600 and 600 its exp neither overflows nor vanishes.
#
# **You are done when**
# - **n numbers**: the result has n whole numbers, as a list or a tensor with one axis;
# - **right rows**: rows on which the formula is right get 0, also where small probabilities have few right digits;
# - **wrong rows**: rows that are finite and wrong get 1, from too large and from too small scores;
# - **broken rows**: rows with nan or inf get 2, however many entries are finite beside it.

# %% exercise="4.4.1a"
def softmax_health(X):
    """For each row 0, 1 or 2: the bare softmax in float32 is right, finite but wrong, not finite."""
    ### BEGIN SOLUTION
    found = softmax(X)
    right = softmax(X.double())
    off = ((found - right).abs() > 1e-4).any(dim=1)
    return torch.where(found.isfinite().all(dim=1), off.long(), 2)
    ### END SOLUTION

# %% [markdown] hints="4.4.1a"
# 1. Which three questions do you have to ask of each row, and in which order?
# 2. `t.isfinite()` gives a mask; `mask.all(dim=1)` and `mask.any(dim=1)` ask it row by row. Comparisons with nan are False.
# 3. Grades for rows of marks: `torch.where(marks.isnan().any(dim=1), 9, (marks < 4).any(dim=1).long())` is 9 where one is missing, else 1 where one is under 4, else 0.

# %% check="4.4.1a" points=2
def seen_in_row(rows, plain, exact, found, truth):
    """The first row with a wrong verdict, what the formula gives for it, and what is right."""
    def numbers(row):
        return "(" + ", ".join(f"{v:.3g}" for v in row.tolist()) + ")"
    i = next((i for i, (one, two) in enumerate(zip(found, truth)) if int(one) != two), None)
    if i is None:
        return ""
    off = (plain[i] - exact[i]).abs().max()
    what = "some entry is not finite: 2." if truth[i] == 2 else f"finite, and off by up to {off:.2g}: {truth[i]}."
    return f" In the row {numbers(rows[i])} the bare formula gives {numbers(plain[i])}, and right is {numbers(exact[i])}: {what}"

def by_the_largest():
    """Whether two rows with the same largest score get the same verdict, where the formula is wrong on one of them alone."""
    verdicts = [int(softmax_health(torch.tensor([row]))[0]) for row in ([-98.0, -99.3, -99.6], [-98.0, -300.0, -300.0], [-93.0, -93.7, -96.0], [-93.0, -93.0, -93.0])]
    return (" The rows (-98, -99.3, -99.6) and (-98, -300, -300) have the same largest score, and get the same verdict from you; the formula is finite and wrong on the first and right on the second. "
            "So no bound on the largest score decides: compare each entry with its value in float64.") if verdicts == [1] * 4 else ""

def added_up():
    """Whether the many small differences of a row count together, where fewer and larger ones do not."""
    many, few = (int(softmax_health(torch.tensor([row]))[0]) for row in (
        [-94.9, -95.5, -97.2, -95.8, -94.8, -94.8, -95.7, -95.7, -95.7, -95.6, -95.6, -96.0, -95.8, -95.8, -95.7, -96.4], [-95.2, -95.8, -95.2]))
    return (" The differences of a row are not added up, each entry by itself has to be right: in yours a row of 16 entries counts as wrong, none of which is off by more than 2e-5, "
            "and one of three entries, off by up to 4.4e-5, as right.") if (many, few) == (1, 0) else ""

def health_check(rows_, words, of, named=(), shown=True):
    plain_ = rows_.exp() / rows_.exp().sum(dim=1, keepdim=True)
    exact_ = torch.softmax(rows_.double(), dim=1)
    truth_ = [2 if not p.isfinite().all() else int((p - q).abs().max() > 1e-4) for p, q in zip(plain_, exact_)]
    found = softmax_health(rows_.clone())
    assert_type(found, (list, tuple, torch.Tensor), f"the result for {words}", of="n numbers")
    assert_equal(len(found), len(rows_), f"how many numbers come back for {words}", of="n numbers", hint="One for each row.")
    if isinstance(found, torch.Tensor):
        assert_equal(found.dim(), 1, f"the number of axes of the result for {words}", of="n numbers", hint="One number for each row.")
    off_ = (plain_ - exact_).abs()
    verdicts = [v.item() if isinstance(v, torch.Tensor) and v.numel() == 1 else v for v in found]
    sums_ = plain_.sum(dim=1)
    every = {"whole": {"These rows hold nan and got 0: a comparison with nan is False, and `isinf` does not find nan.": [0 if t == 2 else t for t in truth_],
                       "Only the row with an infinite exponential got 2. Test what the formula gives: where all exponentials are 0 in float32, 0 / 0 is nan, too.":
                           [2 if row.exp().isinf().any() else 0 for row in rows_]},
             "one": {"Some entries of these rows are nan, the others finite: one nan is enough for 2.": [0] * len(truth_)},
             "sums": {"All three are wrong, not only the row of large scores. The other two add up to 1, and are wrong all the same: exp itself has lost digits there in float32. Neither overflow nor a sum decides: compare with exp of the scores *in float64*.": [2 if s.isnan() else int((s - 1).abs() > 1e-4) for s in sums_],
                      "With the shift 88.5 only the sum on the way is infinite; the entries of the result are 0, finite and wrong: 1.": [2 if rows.exp().sum().isinf() else t for rows, t in zip(rows_, truth_)],
                      "All of them were found right. Is the bare formula computed in float32, and each entry compared with its value in float64?": [0] * len(truth_)},
             "some": {"One entry that is off by more than 1e-4 is enough; here all have to be.": [t if t == 2 else int(o.min() > 1e-4) for t, o in zip(truth_, off_)]},
             "limit": {"Off by more than 1e-4 is wrong; here it takes more than that.": [t if t == 2 else int(o.max() > 1e-2) for t, o in zip(truth_, off_)]}, "size": {},
             "both": {"These rows have nan beside a wrong finite entry: 2 comes first.": [1 if t == 2 and (o > 1e-4).any() else t for t, o in zip(truth_, off_)]}}
    def slip(wrong):
        return [2 if not p.isfinite().all() else int(w) for p, w in zip(plain_, wrong)]
    every["tiny"] = {"An exponential that has become 0 does not by itself make a row wrong: beside far larger ones its probability is 0, to more than four decimals.": slip((rows_.exp() == 0).any(dim=1)),
                     "Differences relative to the probability were taken; absolute ones count.": slip((off_ > 1e-4 * exact_).any(dim=1))}
    more = {sentence: value for name in named for sentence, value in every[name].items()}
    assert_equal(found, truth_, f"the verdicts for {words}", of=of,
                 mistakes={"Each row gets a verdict of its own; this is one for the whole batch.": [max(truth_)] * len(truth_),
                           "This is the mean of the differences of a row: a single entry that is off is enough.": slip(off_.mean(dim=1) > 1e-4),
                           "The difference is allowed to grow with the probability; 1e-4 is absolute.": slip((off_ > 1e-4 + 1e-2 * exact_).any(dim=1)), "Of a row, only the first entry was compared.": slip(off_[:, 0] > 1e-4),
                           "Of a row, only the most probable entry was compared.": slip(off_.gather(1, exact_.argmax(dim=1, keepdim=True))[:, 0] > 1e-4)} | {"A row with nan or infinity is broken, 2, not merely wrong.": [1 if t == 2 else t for t in truth_]} | more
                 | ({} if "sums" in named else {"An entry may be off in both directions: too small is wrong, too.": slip((plain_ - exact_ > 1e-4).any(dim=1))}),
                 hint=lambda: {"right rows": "Absolute differences count, and up to 1e-4 is right: a probability that is too small to matter may have wrong digits.",
                       "wrong rows": "Finite is not yet right: compare every entry with its value in float64. More than 1e-4 off is wrong.",
                       "broken rows": "One entry that is nan or infinite is enough, and it may stand anywhere in the row."}[of]
                 + (added_up() if of == "right rows" else "")
                 + (seen_in_row(rows_, plain_, exact_, verdicts, truth_) + by_the_largest() if shown and all(isinstance(v, (int, float)) for v in verdicts) else ""))

base_ = torch.tensor([[0.0, -0.7, -3.0]])
health_check(base_, "the scores 0, -0.7, -3", "right rows")
health_check(base_ + torch.tensor([[-100.0], [88.5], [-101.0]]), "these scores shifted by -100, 88.5, -101", "wrong rows", ("sums",))
health_check(base_ + torch.tensor([[100.0], [-150.0]]), "these scores shifted by 100, -150", "broken rows", ("whole",))
health_check(torch.tensor([[100.0, 0.0, 3.0], [0.0, 5.0, 95.0]]), "the rows (100, 0, 3) and (0, 5, 95)", "broken rows", ("one",))
health_check(torch.tensor([[89.0, 88.0, 0.0], [100.0, 0.0, 3.0]]), "the rows (89, 88, 0) and (100, 0, 3)", "broken rows", ("both",))
health_check(torch.tensor([[0.0, -98.0, -200.0], [50.0, -50.0, 0.0]]), "the rows (0, -98, -200) and (50, -50, 0)", "right rows", ("size", "tiny"))
health_check(torch.tensor([[-102.5, -300.0, -103.1], [-250.0, -102.5, -103.1]]), "the rows (-102.5, -300, -103.1) and (-250, -102.5, -103.1)", "wrong rows", ("some", "size"))
health_check(base_ - 99, "the scores 0, -0.7, -3 shifted by -99", "wrong rows", ("limit", "size"))
health_check(base_ - 97, "the scores 0, -0.7, -3 shifted by -97", "wrong rows", ("size",))
health_check(base_ - 93, "the scores 0, -0.7, -3 shifted by -93", "right rows", ("size",))
health_check(torch.tensor([[-98.0, -99.3, -99.6]]), "the row (-98, -99.3, -99.6)", "wrong rows", ("size",))
health_check(torch.tensor([[-97.6, -97.3, -97.4, -300.0], [-96.5, -98.0, -96.6, -97.1]]), "the rows (-97.6, -97.3, -97.4, -300) and (-96.5, -98, -96.6, -97.1)", "wrong rows", ("size",))
health_check(torch.tensor([[-95.7, -96.1, -95.0]]), "the row (-95.7, -96.1, -95)", "right rows", ("size",))
health_check(base_ + torch.tensor([[0.0], [-100.0], [100.0], [-60.0], [88.5]]), "shifts of 0, -100, 100, -60, 88.5 in one batch", "wrong rows")
### BEGIN HIDDEN TESTS
source = torch.Generator().manual_seed(41)
spread = torch.randn(12, 5, generator=source)
spread = spread - spread.max(dim=1, keepdim=True).values
twelve = spread + torch.tensor([3., -60., 80., 88.3, 92., 150., -101., -102.5, -120., -104.5, -99.5, 0.])[:, None]
twelve[11] = torch.tensor([0., -300., 2., -500., 1.])
twelve[3] = torch.tensor([88.3, 88.2, 88.3, 80., 88.1])
twelve[5] = torch.tensor([-3., 2., 590., 0., 1.])
health_check(twelve[[0, 1, 2, 11]], "four rows of five scores that are harmless", "right rows", shown=False)
health_check(twelve[[6, 7, 10]], "scores from -99 to -103", "wrong rows", shown=False)
health_check(twelve[[3]], "scores whose exponentials are finite and whose sum is not", "wrong rows", shown=False)
health_check(twelve[[4, 5, 8, 9]], "scores over 89, all or one, and under -104", "broken rows", shown=False)
health_check(twelve, "twelve rows of all kinds", "broken rows", shown=False)
health_check(torch.tensor([[88.5, 89.0, 2.0, 0.0], [0.0, -3.0, 95.0, 1.0], [87.6, 3.0, 88.1, 88.9]]), "three rows, each with one score over 88.8, two of them with others close to it", "broken rows", ("both",), shown=False)
health_check(torch.tensor([[-100.3, -97.0, -97.7], [-102.0, -99.7, -99.0]]), "the rows (-100.3, -97, -97.7) and (-102, -99.7, -99)", "wrong rows", shown=False)
health_check(torch.tensor([[-96.4, -93.4, -94.1], [-93.0, -93.0, -99.0]]), "the rows (-96.4, -93.4, -94.1) and (-93, -93, -99)", "right rows", shown=False)
health_check(torch.tensor([[-97.4, -97.2, -96.7], [-96.4, -96.5, -96.6]]), "the rows (-97.4, -97.2, -96.7) and (-96.4, -96.5, -96.6)", "wrong rows", shown=False)
health_check(torch.tensor([[-96.4, -96.0, -97.0, -96.9]]), "the row (-96.4, -96, -97, -96.9)", "wrong rows", shown=False)
health_check(torch.tensor([[-96.5, -96.8, -97.0]]), "the row (-96.5, -96.8, -97)", "right rows", shown=False)
### END HIDDEN TESTS

# %% [markdown] task="4.4.1b" kind="code" minutes=8 difficulty=3 core=true needs="overflow of the softmax formula, max-shift, shift invariance of the softmax, keepdim"
# ### The mend
#
# The softmax does not notice a shift, so choose the shift that is safe. Section 4.1 did so for the log-sum-exp: subtract the largest score *of the row*. Then the largest exponential is exp(0) = 1, the sum lies between 1 and q, and an exponential that vanishes belongs to a probability too small to matter.
#
# Write `stable_softmax(X)`: `X` has shape `(n, q)`, `float32` or `float64`. An entry may be minus infinity, for a class that is ruled out; its probability is 0. Each row has a finite entry.
#
# **You are done when**
# - **shape and dtype**: they are those of `X`;
# - **values**: on moderate scores it is the softmax of each row, small probabilities included, and in `float64` to that precision;
# - **large and small**: it is right for scores of any size, also in the millions, positive and negative, and for every row by itself, whatever the other rows hold;
# - **minus infinity**: such an entry gets 0, and the others are right;
# - **arguments kept**: `X` is as it was.

# %% exercise="4.4.1b"
def stable_softmax(X):
    """Softmax of each row, for scores of any size: (n, q) -> (n, q)."""
    ### BEGIN SOLUTION
    E = torch.exp(X - X.max(dim=1, keepdim=True).values)
    return E / E.sum(dim=1, keepdim=True)
    ### END SOLUTION

# %% [markdown] hints="4.4.1b"
# 1. Of which entries must it be the largest: of all, of a column, of a row?
# 2. `X.max(dim=1, keepdim=True).values` has shape (n, 1). `X -= ...` would write into the argument.
# 3. Distances from the smallest of each column: `X - X.min(dim=0, keepdim=True).values`; every column has a 0 then.

# %% check="4.4.1b" points=2
@probe
def scores_after(X):
    stable_softmax(X)
    return X

def which_row(table):
    """Which row goes wrong, alone or only among the others, and whether it does so with its largest score shifted to 0."""
    def numbers(row):
        return "(" + ", ".join(f"{v:g}" for v in row.tolist()) + ")"
    def right(row):
        found = stable_softmax(row[None])
        return bool(found.isfinite().all()) and float((found - torch.softmax(row.double()[None], 1)).abs().max()) < 1e-4
    if all(right(row) for row in table):
        return "Each of these rows is right where it is the only one. From each row its own largest score is subtracted, not that of the whole table."
    row = next(row for row in table if not right(row))
    shifted = row - row.max()
    if right(shifted):
        return f"The row {numbers(row)} alone goes wrong, and {numbers(shifted)}, the same shifted so that its largest score is 0, goes right: this shift by the row's largest score, {row.max():g}, is what is missing."
    return f"The row {numbers(row)} goes wrong even as {numbers(shifted)}, shifted so that its largest score is 0. There nothing is to be subtracted any more: is it the largest score that you subtract?"

def below_the_line(found):
    """Whether the sums of the rows show that something was added to them, or a float64 table that a step was in float32."""
    least, most = float(found.sum(dim=1).min()), float(found.sum(dim=1).max())
    if 0.5 < least and most < 1 - (1e-6 if found.dtype == torch.float32 else 1e-11):
        return f"Your rows add up to {most:.12g} at most, not to 1: the line below is larger than the sum of the row. Nothing is to be added to it."
    if found.dtype == torch.float32:
        return "Within a row all entries are shifted alike, and divided by the sum of this row."
    return "float64 has sixteen digits" + ("; yours are numbers of float32: there is a step in float32." if torch.equal(found, found.float().double()) else ", and in yours seven or fewer are right.")

ordinary_ = torch.tensor([[0.0, math.log(3.0)], [math.log(4.0), 0.0], [1.0, 1.0]])
assert_shape(stable_softmax(ordinary_), (3, 2), "the shape for 3 rows of 2 scores", of="shape and dtype")
assert_dtype(stable_softmax(ordinary_), torch.float32, "the dtype for float32", of="shape and dtype")
assert_dtype(stable_softmax(ordinary_.double()), torch.float64, "the dtype for float64", of="shape and dtype")
assert_close(stable_softmax(ordinary_), torch.tensor([[0.25, 0.75], [0.8, 0.2], [0.5, 0.5]]), "the rows (0, log 3), (log 4, 0), (1, 1)", of="values", hint=lambda: below_the_line(stable_softmax(ordinary_)),
             mistakes={"The largest score of each column was subtracted: within a row all entries are shifted alike.": (ordinary_ - ordinary_.max(dim=0).values).exp() / (ordinary_ - ordinary_.max(dim=0).values).exp().sum(dim=1, keepdim=True), "The columns add up to 1, the rows should.": torch.softmax(ordinary_, 0), "All entries together add up to 1, each row should.": torch.softmax(ordinary_.flatten(), 0).reshape(3, 2),
                       "These are the logarithms.": torch.log_softmax(ordinary_, 1), "Here the scores were divided by the largest of their row; it has to be subtracted.": torch.softmax(ordinary_ / ordinary_.max(dim=1, keepdim=True).values, 1),
                       "This is exp of the shifted scores, divided by the sum of exp of the scores without the shift: below the line the same shift has to be made.": (ordinary_ - ordinary_.max(dim=1, keepdim=True).values).exp() / ordinary_.exp().sum(dim=1, keepdim=True)})
assert_close(stable_softmax(ordinary_.double() / 7), torch.softmax(ordinary_.double() / 7, 1), "the same divided by 7, in float64", of="values", rtol=1e-11, atol=1e-11,
             hint=lambda: below_the_line(stable_softmax(ordinary_.double() / 7)))
assert_close(stable_softmax(torch.tensor([[0., -20.], [-7., 5.]])), torch.tensor([[1 / (1 + math.exp(-20)), math.exp(-20) / (1 + math.exp(-20))], [math.exp(-12) / (1 + math.exp(-12)), 1 / (1 + math.exp(-12))]], dtype=torch.float64).float(),
             "the rows (0, -20) and (-7, 5)", of="values", rtol=1e-4, atol=1e-14, hint="A small probability is no zero: has something been rounded, cut off, or added?")
small_ = float(stable_softmax(torch.tensor([[20., -40.]]))[0, 1])
assert_close(small_, math.exp(-60), "the second entry for the row (20, -40)", of="values", rtol=1e-3, atol=0,
             hint="The two scores are 60 apart, so it is exp(-60) = 8.76e-27; yours is " + (f"{small_:.3g}, exp of {math.log(small_):.4g}." if 0 < small_ < 1 else f"{small_:.3g}."))
far_apart = "Is the largest score of each row subtracted, from that row?"
equal_, below_, mixed_ = torch.tensor([[100., 100.], [1000., 1000.]]), torch.tensor([[-100., -100. - math.log(3)], [-5000., -5000.]]), torch.tensor([[1000., 999., 0.], [-1000., -1000., -1000.], [-400., 3., 3.]])
assert_close(stable_softmax(equal_), torch.full((2, 2), 0.5), "equal scores of 100 and of 1,000", of="large and small", hint=lambda: which_row(equal_),
             mistakes={"Two equal scores have 1/2 each. Was nan replaced by 1? What has to be avoided is exp of a large score.": torch.ones(2, 2), "Two equal scores have 1/2 each. Was nan replaced by 0? What has to be avoided is exp of a large score.": torch.zeros(2, 2)})
assert_close(stable_softmax(below_), torch.tensor([[0.75, 0.25], [0.5, 0.5]]), "the rows (-100, -100 - log 3) and (-5000, -5000)", of="large and small", hint=lambda: which_row(below_), atol=1e-4,
             mistakes={"Two different scores got equal probabilities: were scores cut off at a bound?": torch.full((2, 2), 0.5)})
assert_close(stable_softmax(mixed_), torch.softmax(torch.tensor([[1000., 999., 0.], [0., 0., 0.], [-400., 3., 3.]]), 1), "the rows (1000, 999, 0), (-1000, -1000, -1000) and (-400, 3, 3)",
             of="large and small", hint=lambda: which_row(mixed_))
assert_close(stable_softmax(torch.tensor([[0., -math.inf, math.log(3)]])), torch.tensor([[0.25, 0., 0.75]]), "the row (0, -inf, log 3)", of="minus infinity", hint="exp(-inf) is 0, as it should be; inf - inf and 0 · inf are nan.")
ruled_out_ = float(stable_softmax(torch.tensor([[0., -math.inf, math.log(3)]]))[0, 1])
assert_true(ruled_out_ == 0, "the entry -inf of the row (0, -inf, log 3) gets 0, exactly", of="minus infinity",
            hint=f"It gets {ruled_out_:.3g}" + (f", exp of {math.log(ruled_out_):.4g}: minus infinity is not raised to a number." if 0 < ruled_out_ < 1 else "."))
assert_close(stable_softmax(torch.tensor([[-2e5, -3e5], [5e5, 1e6]])), torch.tensor([[1., 0.], [0., 1.]]), "the rows (-2e5, -3e5) and (5e5, 1e6)", of="large and small", hint="Are the scores bounded somewhere? They may have any size.")
assert_close(stable_softmax(torch.tensor([[1e6, 1e6], [-5e6, -5e6], [1e30, 1e30]])), torch.full((3, 2), 0.5), "equal scores of 1e6, -5e6 and 1e30", of="large and small", hint="Equal scores share alike, at any size. Do you subtract a log-sum-exp from the scores? Then the log-sum-exp loses digits at large scores: subtract the largest score first.")
assert_close(stable_softmax(torch.tensor([[-2e5, -math.inf]])), torch.tensor([[1., 0.]]), "the row (-2e5, -inf)", of="minus infinity", hint="Was minus infinity replaced by a number? The other scores of the row may be smaller than any such number.")
assert_close(scores_after(torch.tensor([[3., -1., 2.], [0., 5., 1.]])), torch.tensor([[3., -1., 2.], [0., 5., 1.]]), "X after the call", of="arguments kept", hint="A step of the function writes into its argument: `X -= m`, `X[...] = ...`, or a method that ends in `_`.")
assert_close(scores_after(torch.tensor([[3., -math.inf]])), torch.tensor([[3., -math.inf]]), "X after the call, with a minus infinity", of="arguments kept", hint="A step of the function writes over the minus infinity in its argument.")
### BEGIN HIDDEN TESTS
source = torch.Generator().manual_seed(42)
for n_, q_, size_, dtype_, of_ in ((4, 3, 1., torch.float32, "values"), (6, 1, 5., torch.float64, "values"), (5, 7, 60., torch.float32, "large and small"), (3, 4, 3000., torch.float64, "large and small")):
    scores_ = (torch.randn(n_, q_, generator=source) * size_).to(dtype_)
    words_ = f"({n_}, {q_}) scores of size {size_:g}, {str(dtype_)[6:]}"
    assert_shape(stable_softmax(scores_), (n_, q_), f"the shape for {words_}", of="shape and dtype")
    assert_dtype(stable_softmax(scores_), dtype_, f"the dtype for {words_}", of="shape and dtype")
    digits_ = 1e-5 if dtype_ == torch.float32 else 1e-11
    assert_close(stable_softmax(scores_), torch.softmax(scores_, dim=1), f"the probabilities for {words_}", of=of_, rtol=digits_, atol=digits_, hint=far_apart)
    assert_close(scores_after(scores_.clone()), scores_, f"X after the call, for {words_}", of="arguments kept", hint="A step of the function writes into its argument.")
assert_close(float(stable_softmax(torch.tensor([[-30., 35., 0.]]))[0, 0]), math.exp(-65), "the first entry for the row (-30, 35, 0)", of="values", rtol=1e-3, atol=0, hint="The difference from the largest score counts as it is, and nothing is added to a probability.")
assert_close(stable_softmax(torch.tensor([[1., -16., -29.]])), torch.softmax(torch.tensor([[1., -16., -29.]], dtype=torch.float64), dim=1).float(), "the row (1, -16, -29)", of="values", rtol=1e-4, atol=1e-18, hint="A small probability is no zero: has something been rounded, cut off, or added?")
rows_ = torch.tensor([[1000., 999., 0.], [-1000., -1001., -1000.5], [0., 500., 500.], [-90., -104., -91.], [88.6, 88.6, 88.5], [-100., -100.7, -103.]])
assert_close(stable_softmax(rows_), torch.softmax(rows_, dim=1), "six rows of very different size in one batch", of="large and small", hint="Each row has its own largest entry.")
rows_ = torch.tensor([[0., -math.inf, 1.], [-math.inf, -200., -math.inf], [-math.inf, 700., 701.]])
assert_close(stable_softmax(rows_), torch.softmax(rows_, dim=1), "three rows with minus infinity", of="minus infinity", hint="exp(-inf) is 0, as it should be; inf - inf and 0 · inf are nan.")
assert_true(bool((stable_softmax(rows_)[rows_ == -math.inf] == 0).all()), "the entries of minus infinity in three rows get 0, exactly", of="minus infinity", hint="Minus infinity is not raised to a number.")
assert_close(scores_after(rows_.clone()), rows_, "X after the call, three rows with minus infinity", of="arguments kept", hint="A step of the function writes over the minus infinity in its argument.")
assert_close(stable_softmax(torch.tensor([[-2e35, -math.inf, -1e35]])), torch.tensor([[0., 0., 1.]]), "the row (-2e35, -inf, -1e35)", of="minus infinity", hint="Was minus infinity replaced by a number? The other scores of the row may be smaller than any such number.")
assert_close(stable_softmax(torch.tensor([[1e30, -1e30, 5e29], [-5e8, -3e8, -4e8]])), torch.tensor([[1., 0., 0.], [0., 1., 0.]]), "the rows (1e30, -1e30, 5e29) and (-5e8, -3e8, -4e8)", of="large and small", hint="Are the scores bounded somewhere? They may have any size.")
assert_close(stable_softmax(torch.tensor([[-5e6, -5e6, -5e6], [3e6, 3e6 - 1, 3e6 - 2], [2e8, 2e8, -2e8]])), torch.softmax(torch.tensor([[0., 0., 0.], [2., 1., 0.], [0., 0., -1e4]]), 1), "rows of three scores, close together or equal, of size 3e6 to 2e8", of="large and small",
             hint="Equal scores share alike, at any size. Do you subtract a log-sum-exp from the scores? Then the log-sum-exp loses digits at large scores: subtract the largest score first.")
### END HIDDEN TESTS

# %% [markdown] teaches="sign of the cross-entropy, log of zero, soft labels"
# ## 6. The loss, written out
#
# With one-hot rows $\mathbf y$ for the labels, the loss of an example is a sum over all classes:
#
# $$\ell = -\sum_{j=1}^{q} y_j \log p_j .$$
#
# All terms but one are 0, so it is -log of the label's probability, as before. Two things about this formula go wrong in practice, and the usual cure of the second does harm of its own.
#
# ⚠ *The minus sign.* The formula is sometimes printed without it. Then the "loss" is negative, and gradient descent, which makes it still smaller, moves *away* from the labels. Two examples, four steps:

# %% teaches="sign of the cross-entropy"
two_inputs, two_codes = torch.tensor([[1., 0., 2.], [0., 1., -1.]]), torch.tensor([[1., 0.], [0., 1.]])
for name, sign in (("with the minus sign", -1), ("without it", 1)):
    weight = torch.zeros(3, 2, requires_grad=True)
    print(name)
    for step in range(4):
        P_two = torch.softmax(two_inputs @ weight, dim=1)
        value = sign * (two_codes * P_two.log()).sum(dim=1).mean()
        print(f"   step {step}: value {value.item():7.3f}, probabilities of the labels", [round(p, 3) for p in P_two[[0, 1], [0, 1]].tolist()])
        slope, = torch.autograd.grad(value, weight)
        with torch.no_grad():
            weight -= 0.5 * slope

# %% [markdown]
# ⚠ *0 times log 0.* The logarithm of 0 is minus infinity, and 0 · (-inf) is nan. A single probability that has become 0, for a class that is *not* the label, spoils the loss of the whole batch, though by the formula this class should count nothing. The limit of y log p for y = 0 is 0 for every p, so that is what it has to be.

# %% teaches="log of zero"
P_sure = torch.tensor([[1.0, 0.0], [0.5, 0.5]])
Y_sure = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
print("sum over the classes:     ", -(Y_sure * torch.log(P_sure)).sum(dim=1))
print("by index:                 ", -torch.log(P_sure[[0, 1], [0, 1]]))
print("1e-9 under the logarithm: ", -(Y_sure * torch.log(P_sure + 1e-9)).sum(dim=1))
print("a label with p = 1e-20:   ", -math.log(1e-20), " with 1e-9 added:", -math.log(1e-20 + 1e-9))
marks, default = torch.tensor([4.0, -1.0, 9.0]), torch.tensor(1.0)
print("torch.where chooses by a mask:", torch.where(marks >= 0, marks, default))

# %% [markdown]
# A small number under the logarithm, as many programs have it, makes the nan go away and falsifies what it should measure: a label with probability 1e-20 costs 46, not 21.
#
# *Why use the sum at all?* Because it takes labels that the index cannot take. If three of four people said "coat" and one "shirt", the honest label is the row (0.75, 0.25) on these two classes, a *soft label*. The formula is the same: each class counts by its share.

# %% teaches="soft labels"
P_coat, Y_coat = torch.tensor([0.6, 0.3, 0.1]), torch.tensor([0.75, 0.25, 0.0])
print("soft label:", -(Y_coat * torch.log(P_coat)).sum().item(), " by hand:", -(0.75 * math.log(0.6) + 0.25 * math.log(0.3)))
print("made hard: ", -math.log(0.6))

# %% [markdown] task="4.4.2a" kind="code" minutes=10 difficulty=3 core=true needs="sign of the cross-entropy, log of zero, soft labels"
# ### One-hot and soft labels
#
# Write `one_hot_cross_entropy(Y_hat, Y)`: `Y_hat` holds probabilities, `Y` the labels, one-hot or soft, rows that add up to 1. Both have shape `(n, q)`. It returns the mean over the n examples of $-\sum_j y_j \log \hat y_j$.
#
# **You are done when**
# - **value**: it is the mean of the examples' losses, a positive number or 0;
# - **soft labels**: every class counts by its share;
# - **zeros**: a class with y = 0 counts nothing, even where its probability is 0;
# - **infinite**: where y > 0 and the probability is 0, the loss is infinite;
# - **small probabilities**: they count as they are, down to 1e-30;
# - **arguments kept**: `Y_hat` and `Y` are as they were.

# %% exercise="4.4.2a"
def one_hot_cross_entropy(Y_hat, Y):
    """Mean cross-entropy of probabilities (n, q) against labels (n, q), one-hot or soft."""
    ### BEGIN SOLUTION
    terms = torch.where(Y > 0, Y * torch.log(Y_hat), 0.0)
    return -terms.sum(dim=1).mean()
    ### END SOLUTION

# %% [markdown] hints="4.4.2a"
# 1. What is y log p to be where y is 0, and what does torch make of it?
# 2. `torch.where(mask, a, b)` takes each entry from a where the mask is true, and from b elsewhere.
# 3. Shares of a cake for some guests, where nobody came to some tables: `torch.where(guests > 0, cake / guests, 0.0)`.

# %% check="4.4.2a" points=2
@probe
def arguments_after(Y_hat, Y):
    one_hot_cross_entropy(Y_hat, Y)
    return Y_hat, Y

def share_by_share(chances, first, second, share):
    """What the label (share, 1 - share, 0) has to cost by what its two classes cost alone."""
    ones = [float(one_hot_cross_entropy(chances.clone(), torch.tensor([label]))) for label in (first, second)]
    return (f"With the label {tuple(int(v) for v in first)} your loss is {ones[0]:.4f}, with {tuple(int(v) for v in second)} it is {ones[1]:.4f}: with shares of {share:g} and {1 - share:g} it has to be "
            f"{share:g} · {ones[0]:.4f} + {1 - share:g} · {ones[1]:.4f} = {share * ones[0] + (1 - share) * ones[1]:.4f}.")

as_they_are = "Small probabilities count as they are: with nothing added, and without a bound."
half_, codes_ = torch.tensor([[0.5, 0.25, 0.25], [0.125, 0.125, 0.75]]), torch.tensor([[1., 0., 0.], [0., 1., 0.]])
assert_close(one_hot_cross_entropy(half_.clone(), codes_.clone()), 2 * math.log(2), "probabilities 1/2 and 1/8 for the labels of two examples", of="value", rtol=1e-4, hint="The labels got 1/2 and 1/8: -log(1/2) = 0.6931, -log(1/8) = 2.0794, and their mean is 1.3863, one number.",
             mistakes={"The minus sign is missing.": -2 * math.log(2), "This is the sum over the examples, not the mean.": 4 * math.log(2), "This is the mean over all entries; over the examples it should be.": 4 * math.log(2) / 6,
                       "The sum is divided by the number of classes, 3; it has to be divided by that of the examples, 2.": 4 * math.log(2) / 3,
                       "These are probabilities already: `F.cross_entropy` takes scores.": F.cross_entropy(half_, codes_).item(), "This is the logarithm to base 2.": 2.0, "This is the logarithm to base 10.": 2 * math.log10(2),
                       "The other classes count here, too, by log(1 - p): only the classes with a share of the label count.": 2 * math.log(2) - (2 * math.log(0.75) + math.log(0.875) + math.log(0.25)) / 2,
                       "The other classes count here, too, by log(1 - p), and the mean is one over all entries, both as in `F.binary_cross_entropy`: only the classes with a share of the label count, and the mean is over the examples.": F.binary_cross_entropy(half_, codes_).item()})
assert_close(one_hot_cross_entropy(torch.tensor([[0.5, 0.125, 0.375]]), torch.tensor([[0.75, 0.25, 0.]])), 1.5 * math.log(2), "the soft label (3/4, 1/4, 0) for the probabilities (1/2, 1/8, 3/8)", of="soft labels", rtol=1e-4, hint=lambda: share_by_share(torch.tensor([[0.5, 0.125, 0.375]]), [1., 0., 0.], [0., 1., 0.], 0.75),
             mistakes={"This label was made hard: both of its classes count, each by its share.": math.log(2), "Both classes count as if their share were 1.": 4 * math.log(2),
                       "This is divided by the number of classes with a share; the mean is one over the examples.": 0.75 * math.log(2),
                       "The logarithm of the label itself is subtracted here; only that of the probability is asked for.": 1.5 * math.log(2) + 0.75 * math.log(0.75) + 0.25 * math.log(0.25),
                       "This is the logarithm of a mean probability; the mean of the logarithms is asked for.": -math.log(0.40625)})
assert_close(one_hot_cross_entropy(torch.tensor([[0.25, 0.5, 0.125, 0.125]]), torch.tensor([[0.5, 0.1875, 0.25, 0.0625]])), 2.125 * math.log(2), "the soft label (1/2, 3/16, 1/4, 1/16) for the probabilities (1/4, 1/2, 1/8, 1/8)", of="soft labels", rtol=1e-4,
             hint="Every share counts, however many classes have one.", mistakes={"Only the two largest shares count here.": 1.75 * math.log(2), "Every share counts, however small it is.": 1.9375 * math.log(2)})
assert_close(one_hot_cross_entropy(torch.tensor([[1., 0., 0.], [0.25, 0.25, 0.5]]), torch.tensor([[1., 0., 0.], [0., 1., 0.]])), math.log(2), "a sure and right row (1, 0, 0), and one with 1/4 for its label", of="zeros", rtol=1e-4, hint="0 · log 0 is nan for the machine; here it has to count 0, also inside a function of torch.")
costs_ = float(one_hot_cross_entropy(torch.tensor([[0., 1.], [0.5, 0.5]]), torch.tensor([[1., 0.], [0., 1.]])))
assert_close(one_hot_cross_entropy(torch.tensor([[0., 1.], [0.5, 0.5]]), torch.tensor([[1., 0.], [0., 1.]])), math.inf, "a label with probability 0, and one with 1/2", of="infinite",
             hint="The model has called impossible what happened: that costs infinitely much." + (f" Yours is what it would cost with the probability {math.exp(math.log(2) - 2 * costs_):.3g} in place of 0." if 2 < costs_ < 300 else ""),
             mistakes={"The label with probability 0 costs nothing here: it costs infinitely much.": math.log(2) / 2, "The example whose label has probability 0 was left out: it costs infinitely much.": math.log(2),
                       "Infinity was replaced by the largest number of `float32`, as `nan_to_num` does: it has to stay.": torch.finfo(torch.float32).max / 2}
             | {f"The probability 0 counts as {least:g} here: it costs infinitely much.": (math.log(2) - math.log(least)) / 2
                for least in (1e-5, 1e-6, 1e-7, torch.finfo(torch.float32).eps, 1e-8, 1e-9, 1e-10, 1e-12, 1e-15, 1e-16, 1e-20, 1e-30, 1e-37, torch.finfo(torch.float32).tiny)}
             | {"Its loss was bounded at 100, as `F.binary_cross_entropy` does: it costs infinitely much.": (math.log(2) + 100) / 2})
assert_close(one_hot_cross_entropy(torch.tensor([[0., 1.]]), torch.tensor([[0.5, 0.5]])), math.inf, "the soft label (1/2, 1/2) for the probabilities (0, 1)", of="infinite", hint="A class with a share of the label and probability 0 makes the loss infinite.")
assert_close(one_hot_cross_entropy(torch.tensor([[1e-20, 1.], [1., 1e-30]]), torch.tensor([[1., 0.], [0., 1.]])), 25 * math.log(10), "labels with the probabilities 1e-20 and 1e-30", of="small probabilities", rtol=1e-4, hint=as_they_are)
kept_ = arguments_after(half_.clone(), codes_.clone())
assert_close(kept_[0], half_, "Y_hat after the call", of="arguments kept", hint="A step of the function writes into Y_hat.")
assert_close(kept_[1], codes_, "Y after the call", of="arguments kept", hint="A step of the function writes into Y.")
### BEGIN HIDDEN TESTS
source = torch.Generator().manual_seed(43)
for n_, q_, dtype_ in ((5, 4, torch.float32), (3, 6, torch.float64), (1, 2, torch.float32)):
    chances_ = torch.softmax(torch.randn(n_, q_, generator=source, dtype=torch.float64) * 2, dim=1).to(dtype_)
    soft_ = torch.softmax(torch.randn(n_, q_, generator=source, dtype=torch.float64), dim=1).to(dtype_)
    hard_ = F.one_hot(torch.randint(0, q_, (n_,), generator=source), q_).to(dtype_)
    for name_, labels_ in (("soft", soft_), ("one-hot", hard_)):
        wanted_ = sum(-float(a) * math.log(float(b)) for a, b in zip(labels_.flatten(), chances_.flatten())) / n_
        assert_close(one_hot_cross_entropy(chances_.clone(), labels_.clone()), wanted_, f"{name_} labels, {n_} examples of {q_} classes", of="soft labels" if name_ == "soft" else "value", rtol=1e-4, hint="Minus the sum of share times logarithm over all classes, and the mean of it over the examples.")
        kept_ = arguments_after(chances_.clone(), labels_.clone())
        assert_close(kept_[0], chances_, f"Y_hat after the call, {name_} labels, {n_} examples", of="arguments kept")
        assert_close(kept_[1], labels_, f"Y after the call, {name_} labels, {n_} examples", of="arguments kept")
zeros_ = torch.tensor([[0., 1., 0., 0.], [0.5, 0., 0., 0.5], [0., 0., 1., 0.]])
assert_close(one_hot_cross_entropy(zeros_, torch.tensor([[0., 1., 0., 0.], [1., 0., 0., 0.], [0., 0., 1., 0.]])), math.log(2) / 3, "probabilities of 0 beside labels of 0", of="zeros", rtol=1e-4, hint="There 0 · log 0 counts as 0, exactly.")
assert_close(one_hot_cross_entropy(torch.tensor([[0., 0.5, 0.5]]), torch.tensor([[0., 0.25, 0.75]])), math.log(2), "a soft label that is 0 where the probability is 0", of="zeros", rtol=1e-4, hint="There 0 · log 0 counts as 0, exactly.")
assert_close(one_hot_cross_entropy(torch.tensor([[1e-30, 0., 1.]]), torch.tensor([[1., 0., 0.]])), 30 * math.log(10), "a label with probability 1e-30", of="small probabilities", rtol=1e-4, hint=as_they_are)
assert_close(one_hot_cross_entropy(torch.tensor([[0.25, 0.75, 0.], [0.5, 0.25, 0.25]]), torch.tensor([[0., 0., 1.], [1., 0., 0.]])), math.inf, "one of two labels with probability 0", of="infinite", hint="That loss is infinite, and so is the mean.")
### END HIDDEN TESTS

# %% [markdown] task="4.4.2b" kind="code" minutes=5 difficulty=2 needs="cross-entropy by index, one-hot encoding, dtype"
# ### What the sum costs
#
# The index picks n probabilities and takes n logarithms. The sum takes the logarithm of every entry of the table and multiplies most of them by 0.
#
# Write `label_costs(n, q)`: a dictionary with the keys `"index"` and `"one_hot"`. Each value is a pair: how many logarithms the loss of n examples takes, and how many bytes the labels occupy. With the index, labels are `int64` of shape (n,); in the sum they are `float32` of shape (n, q).
#
# **You are done when**
# - **keys**: the dictionary has these two, each with a pair of whole numbers (`int`, no 2048.0);
# - **logarithms**: their number is right for both;
# - **bytes**: their number is right for both.

# %% exercise="4.4.2b"
def label_costs(n, q):
    """Logarithms, and bytes of the labels, for both forms of the loss: {"index": (...), "one_hot": (...)}."""
    ### BEGIN SOLUTION
    return {"index": (n, 8 * n), "one_hot": (n * q, 4 * n * q)}
    ### END SOLUTION

# %% [markdown] hints="4.4.2b"
# 1. How many probabilities are picked for n examples? How many are there?
# 2. `int64` has 64 bits, `float32` 32; a byte has 8.
# 3. A colour picture of 20 by 30 pixels in `uint8` takes 3 · 20 · 30 · 1 = 1,800 bytes.

# %% check="4.4.2b" points=1
def which_growth(key, place, n, q):
    """Whether an entry follows n and q as it should; what is left is the number for one example, or for one entry of the table."""
    one, *more = (label_costs(*sizes)[key][place] for sizes in ((n, q), (2 * n, q), (n, 2 * q)))
    if not all(isinstance(number, (int, float)) for number in (one, *more)) or not one:
        return ""
    more_n, more_q = (number / one for number in more)
    if abs(more_n - 2) > 1e-9:
        return f"With twice as many examples your number becomes {more_n:.4g} times as large; it has to become twice as large."
    if abs(more_q - (1 if key == "index" else 2)) > 1e-9:
        return f"With twice as many classes your number becomes {more_q:.4g} times as large; it has to " + ("stay as it is: a label is one number, whatever the classes are." if key == "index" else "become twice as large: the table has a column for each.")
    return f"It follows n and q as it should: what is wrong is the number for one {'example' if key == 'index' else 'entry of the table'}, {one / (n if key == 'index' else n * q):.4g}."

def costs_check(n_, q_):
    table, numbers = torch.empty(n_, q_, dtype=torch.float32, device="meta"), torch.empty(n_, dtype=torch.int64, device="meta")
    found, words = label_costs(n_, q_), f"{n_} examples of {q_} classes"
    assert_type(found, dict, f"the result for {words}", of="keys")
    assert_equal(sorted(found), ["index", "one_hot"], f"the keys for {words}", of="keys")
    for key in ("index", "one_hot"):
        assert_type(found[key], (tuple, list), f"the value of {key} for {words}", of="keys")
        assert_equal(len(found[key]), 2, f"the length of the value of {key} for {words}", of="keys")
    assert_equal(found["index"][0], numbers.numel(), f"logarithms with the index, {words}", of="logarithms",
                 hint=lambda: which_growth("index", 0, n_, q_), mistakes={"Only the picked probabilities go through the logarithm.": n_ * q_, "In each pair the number of logarithms comes first, then the bytes.": 8 * n_,
                 "Each of the n examples takes a logarithm.": 1, "This is the number for 256 examples: it has to follow n.": 256} if n_ != 256 else
                 {"Only the picked probabilities go through the logarithm.": n_ * q_, "In each pair the number of logarithms comes first, then the bytes.": 8 * n_, "Each of the n examples takes a logarithm.": 1})
    assert_equal(found["one_hot"][0], table.numel(), f"logarithms in the sum, {words}", of="logarithms",
                 hint=lambda: "The logarithm is taken of every entry of the table, before the zeros come in. " + which_growth("one_hot", 0, n_, q_),
                 mistakes={"The logarithm is taken of every probability, before the zeros come in.": n_, "This is the number for a single example.": q_})
    assert_equal(found["index"][1], numbers.numel() * 8, f"bytes of the labels with the index, {words}", of="bytes",
                 hint=lambda: "One int64 for each example. " + which_growth("index", 1, n_, q_),
                 mistakes={"These are the bytes of one example's label.": 8, "This is a count of entries: int64 takes 8 bytes.": n_, "These are bits: a byte has 8 of them.": 64 * n_, "int64 takes 8 bytes, not 4.": 4 * n_} | ({"This is 1,024 times too small, as kilobytes are: bytes are asked for.": 8 * n_ // 1024} if n_ == 256 else {}))
    assert_equal(found["one_hot"][1], table.numel() * 4, f"bytes of one-hot labels, {words}", of="bytes", hint=lambda: "One float32 for each entry of the table. " + which_growth("one_hot", 1, n_, q_),
                 mistakes={"These are the bytes of one example's label.": 4 * q_, "This is a count of entries: float32 takes 4 bytes.": n_ * q_, "These are bits: a byte has 8 of them.": 32 * n_ * q_, "These are twice as many bytes as the labels take: a float32 has 4, and of the two tables the labels alone count.": 8 * n_ * q_})
    for key in ("index", "one_hot"):
        for entry in found[key]:
            assert_type(entry, int, f"an entry of the value of {key} for {words}", of="keys", hint="The number is right, but a count is an int: `/` makes a float, `//` does not.")

costs_check(256, 10)
costs_check(7, 3)
### BEGIN HIDDEN TESTS
costs_check(64, 50_000)
costs_check(5, 2)
### END HIDDEN TESTS

# %% [markdown]
# Is the sum slower, then? Measured on this machine, for ten classes and for more:

# %% tags=["demo"]
import time

def milliseconds(call, times):
    call()
    laps = []
    for _ in range(times):
        begin = time.perf_counter()
        call()
        laps.append(time.perf_counter() - begin)
    return 1000 * min(laps)

for q, times in ((10, 50), (1000, 20), (20_000, 3)):
    P_wide, y_wide = torch.softmax(torch.randn(256, q), dim=1), torch.randint(0, q, (256,))
    Y_wide, all_rows = F.one_hot(y_wide, q).float(), torch.arange(256)
    by_index = milliseconds(lambda: -torch.log(P_wide[all_rows, y_wide]).mean(), times)
    by_sum = milliseconds(lambda: -(Y_wide * torch.log(P_wide)).sum(dim=1).mean(), times)
    print(f"{q:6} classes: index {by_index:.3f} ms, sum {by_sum:.3f} ms")

# %% [markdown]
# For ten classes there is hardly a difference; for a whole vocabulary the sum takes more than a hundred times as long.
#
# ### Never compute the probability
#
# The logarithm needs positive numbers, and even a safe softmax returns 0 where the true probability is 1e-400. No number of `float32` lies there. Its logarithm, -921, is quite an ordinary number. The way out is to go from the scores to the logarithm directly:
#
# $$\log p_j = \log \frac{e^{o_j}}{\sum_k e^{o_k}} = o_j - \log \sum_k e^{o_k} .$$
#
# The last term is the log-sum-exp of section 4.1, and the max-shift makes it safe: $\log \sum_k e^{o_k} = m + \log \sum_k e^{o_k - m}$ with the largest score m of the row. For the scores 0 and 921:

# %% teaches="cross-entropy from logits, log-softmax"
o_far = torch.tensor([0.0, 921.0])
print("softmax, then log: ", torch.log(torch.softmax(o_far, 0)).tolist())
m_far = o_far.max()
print("from the scores:   ", (o_far - (m_far + torch.log(torch.exp(o_far - m_far).sum()))).tolist())
print("torch.log_softmax: ", torch.log_softmax(o_far, 0).tolist())

# %% [markdown] task="4.4.2c" kind="code" minutes=12 difficulty=4 core=true needs="log-sum-exp, max-shift, soft labels, cross-entropy from logits, keepdim"
# ### The cross-entropy of scores
#
# Write `cross_entropy_from_logits(O, Y)`: `O` holds scores, any finite numbers, `Y` the labels, one-hot or soft, both of shape `(n, q)`. It returns the mean cross-entropy over the n examples.
#
# **You are done when**
# - **value**: on moderate scores it is right, a mean over the examples;
# - **soft labels**: every class counts by its share;
# - **any size**: it is finite and right for scores in the thousands and in the millions, for every row by itself;
# - **gradient**: autograd gives (softmax - label) / n for the scores, also for scores of such size;
# - **arguments kept**: `O` and `Y` are as they were.

# %% exercise="4.4.2c"
def cross_entropy_from_logits(O, Y):
    """Mean cross-entropy of scores (n, q) against labels (n, q); finite for all finite scores."""
    ### BEGIN SOLUTION
    m = O.max(dim=1, keepdim=True).values
    log_sum = m + torch.log(torch.exp(O - m).sum(dim=1, keepdim=True))
    return (Y * (log_sum - O)).sum(dim=1).mean()
    ### END SOLUTION

# %% [markdown] hints="4.4.2c"
# 1. What is -log p for each entry of the table, in terms of scores? Which shape does it have, and which has the log-sum-exp?
# 2. What is subtracted inside the exponential must be added outside the logarithm. `keepdim=True` keeps columns.
# 3. The logarithm of a product of many small factors p: add up `p.log()`, and never compute the product.

# %% check="4.4.2c" points=3
@probe
def loss_and_gradient(O, Y):
    O, Y = O.clone().requires_grad_(True), Y.clone()
    value = cross_entropy_from_logits(O, Y)
    if not isinstance(value, torch.Tensor):
        return value, torch.full_like(O, float("nan")).detach()
    slope = torch.autograd.grad(value.sum(), O)[0] if value.requires_grad else torch.full_like(O, float("nan")).detach()
    return value.detach(), slope

@probe
def scores_and_labels_after(O, Y):
    cross_entropy_from_logits(O, Y)
    return O, Y

def which_term():
    """Which of the two terms of the loss is wrong, by one row and each of its labels."""
    row = torch.tensor([[math.log(2), 0., -math.log(2)]])
    costs = [loss_and_gradient(row, torch.eye(3)[[k]])[0] for k in range(3)]
    if not all(torch.as_tensor(cost).numel() == 1 for cost in costs):
        return ""
    costs = [float(cost) for cost in costs]
    first = [cost + score for cost, score in zip(costs, row[0].tolist())]
    if max(first) - min(first) > 1e-4:
        return (f"For the row (log 2, 0, -log 2) alone your loss is {costs[0]:.4f} with the label 0 and {costs[1]:.4f} with the label 1. The two have to be log 2 = 0.6931 apart, as their scores are: "
                "the score of the label is subtracted, whole, and no other.")
    if abs(first[0] - math.log(3.5)) > 1e-4:
        return (f"For the row (log 2, 0, -log 2) alone your loss follows the score of the label as it should. What the score is subtracted from is {first[0]:.4f} in yours: "
                "it has to be the log-sum-exp of the row, log(2 + 1 + 1/2) = 1.2528.")
    return "For the row (log 2, 0, -log 2) alone your loss is right with each of its labels: what is left are the shares of a soft label, and the mean over the examples."

def which_scores(scores, labels, right):
    """Whether the rows are right alone."""
    ones = [loss_and_gradient(scores[[i]], labels[[i]])[0] for i in range(len(scores))]
    if len(scores) > 1 and all(torch.as_tensor(one).numel() == 1 and abs(float(one) - two) <= 1e-4 + 1e-4 * abs(two) for one, two in zip(ones, right)):
        return "Each of these rows is right where it is the only one. From each row its own largest score is subtracted, not that of the whole table. "
    return "Is the largest score of each row, and of this row only, subtracted inside the exponential and added outside the logarithm? "

def which_slope(slope, n):
    """What is wrong with a gradient: none comes, rows that do not add up to 0, or the general rule."""
    if slope.isnan().all():
        return "None comes: what you return is cut from the graph, by detach, item, no_grad, or torch.tensor(...) of a result."
    if slope.isnan().any():
        return "There is nan in it: something on the way was infinite, or 0 times infinity."
    sums = slope.sum(dim=1)
    worst = int(sums.abs().argmax())
    if float(sums[worst].abs()) > 1e-3:
        return f"Softmax and label add up to 1 each, so each row of their difference adds up to 0. In yours row {worst} adds up to {float(sums[worst]):.4g}: is a part of the loss cut from the graph, or a share of the label lost?"
    return f"It is softmax minus label, divided by the number of examples, here {n}: each row has to be its own."

def logits_check(scores_, labels_, words, of, lost=0.0):
    value, slope = loss_and_gradient(scores_, labels_)
    n_, log_p = len(scores_), torch.log_softmax(scores_.double(), dim=1)
    right = -(labels_.double() * log_p).sum().item() / n_
    unshifted = right - scores_.double().max(dim=1).values.mean().item()
    hard = -log_p[torch.arange(n_), labels_.argmax(dim=1)].mean().item()
    coarse = min(2e-3, 1e-5 + 2e-7 * scores_.abs().max().item())             # log-sum-exp - score loses digits where both are large
    top_ = F.one_hot(scores_.argmax(dim=1), scores_.shape[1])
    bounds = {f"The two scores count as if they were {2 * most:g} apart: neither scores nor their differences are cut off.": 2.0 * most for most in (10, 20, 30, 50, 80, 88, 100, 500, 700, 1e4, 1e5)} if lost else {}
    bounds |= {f"A probability was computed, and its logarithm stopped at that of {least:g}: go from the scores to the logarithm.": -math.log(least)
               for least in (1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12, 1e-15, 1e-16, 1e-20, 1e-30, 1e-38, torch.finfo(torch.float32).tiny)} if lost else {}
    bounds |= {"exp of a large score, or the logarithm of 0, was computed on the way: subtract the row's largest score inside the exponential, and compute no probability.": math.inf} if lost else {}
    assert_close(value, right, f"the value for {words}", of=of, rtol=1e-4, atol=1e-4, hint=lambda: (which_scores(scores_, labels_, (-labels_.double() * log_p).sum(dim=1).tolist()) + "No probability is computed on the way, and no logarithm of one." if of == "any size" else which_term()),
                 mistakes={"What is subtracted inside the logarithm has to be added outside.": unshifted, "This is the mean over all entries, not over the examples.": right / scores_.shape[1], "This is the sum, not the mean.": right * n_,
                           "The sign is wrong: a loss is not negative.": -right} | bounds
                 | ({"The log-sum-exps of the rows are added up here: their mean over the examples is asked for.":
                         right + (n_ - 1) * scores_.double().logsumexp(dim=1).mean().item()} if n_ > 1 else {})
                 | ({"The softmax was done twice: `F.cross_entropy` and `log_softmax` take the scores as they are.": F.cross_entropy(torch.softmax(scores_.double(), dim=1), labels_.double()).item()} if of == "value" else {})
                 | ({"The columns are normalised here; the log-sum-exp is that of a row.": -(labels_.double() * torch.log_softmax(scores_.double(), dim=0)).sum().item() / n_} if n_ > 1 else {}) | ({"This label was made hard: every class counts by its share.": hard} if abs(hard - right) > 1e-3 else {}))
    assert_shape(slope, tuple(scores_.shape), f"the shape of the gradient for {words}", of="gradient")
    assert_close(slope, ((torch.softmax(scores_.double(), dim=1) - labels_) / n_).float(), f"the gradient for {words}", of="gradient", rtol=1e-4, atol=coarse, hint=lambda: which_slope(slope, n_),
                 mistakes={"The softmax is missing in it: the log-sum-exp was cut from the graph.": (-labels_ / n_).float(), "The shift was cut from the graph in one of its two places, outside the logarithm: cut it in both, or in none.": ((torch.softmax(scores_.double(), dim=1) - labels_ - top_) / n_).float(),
                           "The shift was cut from the graph in one of its two places, inside the exponential: cut it in both, or in none.": ((torch.softmax(scores_.double(), dim=1) - labels_ + top_) / n_).float(),
                           "The label is missing in it.": (torch.softmax(scores_.double(), dim=1) / n_).float(), "It goes the other way: the sign is wrong.": ((labels_ - torch.softmax(scores_.double(), dim=1)) / n_).float()})

logits_check(torch.tensor([[math.log(2), 0., 0.], [1., 3., 2.]]), torch.tensor([[1., 0., 0.], [0., 0., 1.]]), "the rows (log 2, 0, 0) and (1, 3, 2) with the labels 0 and 2", "value")
logits_check(torch.tensor([[3., 1., 2.]]), torch.tensor([[0.5, 0.3, 0.2]]), "the row (3, 1, 2) with the soft label (0.5, 0.3, 0.2)", "soft labels")
logits_check(torch.tensor([[-1000., 1000.]]), torch.tensor([[1., 0.]]), "the row (-1000, 1000) with the label 0", "any size", 1000.0)
logits_check(torch.tensor([[-1e6, 3e6]]), torch.tensor([[1., 0.]]), "the row (-1e6, 3e6) with the label 0", "any size", 1e6)
logits_check(torch.tensor([[900., -900., 0.], [-5000., -5001., -5002.]]), torch.tensor([[0., 0., 1.], [1., 0., 0.]]), "the rows (900, -900, 0) and (-5000, -5001, -5002) with the labels 2 and 0", "any size")
kept_ = scores_and_labels_after(torch.tensor([[1., 3., 2.]]), torch.tensor([[0., 0.5, 0.5]]))
assert_close(kept_[0], torch.tensor([[1., 3., 2.]]), "O after the call", of="arguments kept", hint="A step of the function writes into O; `O.detach()` has the same memory.")
assert_close(kept_[1], torch.tensor([[0., 0.5, 0.5]]), "Y after the call", of="arguments kept", hint="A step of the function writes into Y.")
### BEGIN HIDDEN TESTS
source = torch.Generator().manual_seed(44)
for n_, q_, size_ in ((4, 3, 1.), (5, 6, 30.), (3, 5, 2000.), (1, 4, 0.)):
    scores_ = torch.randn(n_, q_, generator=source) * size_
    soft_ = torch.softmax(torch.randn(n_, q_, generator=source), dim=1)
    hard_ = F.one_hot(torch.randint(0, q_, (n_,), generator=source), q_).float()
    for name_, labels_ in (("soft", soft_), ("one-hot", hard_)):
        logits_check(scores_, labels_, f"scores of size {size_:g}, {n_} rows of {q_} classes, {name_} labels", "any size" if size_ > 9 else "soft labels" if name_ == "soft" else "value")
        kept_ = scores_and_labels_after(scores_.clone(), labels_.clone())
        assert_close(kept_[0], scores_, f"O after the call, {n_} rows of {q_} classes", of="arguments kept")
        assert_close(kept_[1], labels_, f"Y after the call, {n_} rows of {q_} classes", of="arguments kept")
logits_check(torch.tensor([[2e7, 0., -4e6], [-3e5, -6e5, -9e5]]), torch.tensor([[0., 0.25, 0.75], [0., 1., 0.]]), "rows of millions and of hundred thousands", "any size")
### END HIDDEN TESTS

# %% [markdown] teaches="step by hand"
# ### The whole step, by hand
#
# With a safe loss, the training step of part 3 needs no autograd at all. Section 4.1 found the gradient for the scores, (P - Y) / n, and from it those for the weight and the bias:
#
# $$\underbrace{\mathbf G}_{(n,\,q)} = \tfrac1n (\mathbf P - \mathbf Y), \qquad \underbrace{\nabla_{\mathbf W}}_{(d,\,q)} = \underbrace{\mathbf X^\top}_{(d,\,n)} \mathbf G, \qquad \underbrace{\nabla_{\mathbf b}}_{(q,)} = \text{sum of the rows of } \mathbf G .$$
#
# Both gradients belong to the *same* point, so both are computed before anything moves. A step *in place* writes into the memory that is there: `W -= ...` does, `W = W - ...` makes a new tensor, of which the caller knows nothing.

# %% teaches="step by hand"
kept_weight = torch.zeros(2)
same_memory = kept_weight                              # a second name for the same tensor
kept_weight = kept_weight - 1                          # new memory, under the first name
print("after w = w - 1:", same_memory.tolist())
same_memory -= 1
print("after w -= 1:   ", same_memory.tolist())

# %% [markdown] task="4.4.6" kind="code" minutes=15 difficulty=4 core=true needs="gradient of cross-entropy, training with the hand-made gradient, in-place operation, max-shift, log-softmax"
# ### One step by hand
#
# Write `step_by_hand(W, b, X, y, lr)`: one step of gradient descent for the mean cross-entropy of a batch. `W` has shape `(d, q)`, `b` `(q,)`, `X` `(n, d)` and `y` `(n,)`, `int64`; none of them requires a gradient. It changes `W` and `b` and returns the loss, as a number or a tensor without axes.
#
# **You are done when**
# - **loss**: it is the mean loss of the batch *before* the step;
# - **weight**: `W` has made the step, *in place*;
# - **bias**: `b` has made the step, in place, from the same point;
# - **any size**: all three are right for scores in the hundreds, too;
# - **without autograd**: it works inside `with torch.inference_mode():`, where autograd is switched off;
# - **arguments kept**: `X` and `y` are as they were.

# %% exercise="4.4.6"
def step_by_hand(W, b, X, y, lr):
    """One step of softmax regression, in place, without autograd; returns the loss before the step."""
    ### BEGIN SOLUTION
    places = torch.arange(len(y))
    log_p = torch.log_softmax(X @ W + b, dim=1)
    loss = -log_p[places, y].mean()
    G = torch.exp(log_p)
    G[places, y] -= 1
    W -= lr * X.T @ G / len(y)
    b -= lr * G.mean(dim=0)
    return loss
    ### END SOLUTION

# %% [markdown] hints="4.4.6"
# 1. Which shapes have the gradients of `W` and `b`? Which product of X (n, d) and G (n, q) has the first of them?
# 2. P - Y: the softmax, with 1 subtracted at the place of each label. `torch.log_softmax(O, dim=1)` gives the safe logarithms; exp of them is the safe softmax.
# 3. For squared errors, G = 2 (X w - y) / n, and the gradients are Xᵀ G and the sum of G: the same two lines.

# %% check="4.4.6" points=3
@probe
def stepped(W, b, X, y, lr, recording):
    W, b, X, y = W.clone(), b.clone(), X.clone(), y.clone()
    seen_W, seen_b = W[:], b[:]
    with torch.inference_mode(not recording):
        value = step_by_hand(W, b, X, y, lr)
        value = value.detach().clone() if isinstance(value, torch.Tensor) else value
    return value, seen_W.clone(), seen_b.clone(), X.clone(), y.clone()

@probe
def complaint_without_autograd(W, b, X, y, lr):
    """What torch says of a gradient inside inference_mode, or nothing."""
    with torch.inference_mode():
        try:
            step_by_hand(W.clone(), b.clone(), X.clone(), y.clone(), lr)
        except RuntimeError as error:
            return str(error)
    return ""

def one_row():
    """What the step does with a single row, against what it has to do."""
    W, b, x = torch.zeros(2, 4), torch.zeros(4), torch.tensor([[1., 0.]])
    _, got_W, got_b, _, _ = stepped(W, b, x, torch.tensor([2]), 1.0, True)
    right = torch.tensor([-0.25, -0.25, 0.75, -0.25])
    for name, got in (("the first row of W", got_W[0]), ("b", got_b)):
        if tuple(got.shape) != (4,) or not (got - right).abs().max() < 1e-4:
            return (f" For the single example (1, 0) with the label 2, zero weights and lr 1, {name} has to become (-0.25, -0.25, 0.75, -0.25), the one-hot row minus the probabilities 1/4; "
                    f"yours becomes ({', '.join(f'{v:.3g}' for v in got.flatten().tolist())}).")
    return " For a single example (1, 0) with the label 2, zero weights and lr 1 your step is right: see what changes with more examples, or with other weights."

def which_step():
    """Whether the step is that of a known wrong table G, on two other batches."""
    source, fits = torch.Generator().manual_seed(61), {"examples": [], "colon": []}
    for n, d, q in ((3, 2, 4), (5, 3, 4)):
        W, b, X, y = torch.randn(d, q, generator=source), torch.randn(q, generator=source), torch.randn(n, d, generator=source), torch.arange(n) % 3
        _, got_W, _, _, _ = stepped(W, b, X, y, 1.0, True)
        O = X @ W + b
        colon = torch.softmax(O, 1)
        colon[:, y] -= 1
        for name, G in (("examples", torch.softmax(O, 0) - F.one_hot(y, q)), ("colon", colon)):
            fits[name].append(tuple(got_W.shape) == (d, q) and bool((W - X.T @ G / n - got_W).abs().max() < 1e-4))
    if all(fits["examples"]):
        return " Yours is the step for a softmax over the examples (axis 0): the probabilities of each row have to add up to 1 (axis 1)."
    if all(fits["colon"]):
        return " Yours is the step for `P[:, y] -= 1`, which subtracts 1 in every row, in the columns of all labels. In row i only the column of label i gets it: the row numbers have to be written out."
    return one_row()

def step_check(W_, b_, X_, y_, lr_, words, right, W_1, b_1, after, no_bias, colon, W_late, b_late, big=False):
    """The loss, W and b that are right; the loss after the step, without the bias, from P[:, y]; W and b by gradients taken too late."""
    W_1, b_1, W_late, b_late = (torch.as_tensor(one, dtype=torch.float64) for one in (W_1, b_1, W_late, b_late))
    value, got_W, got_b, got_X, got_y = stepped(W_, b_, X_, y_, lr_, True)
    n_, kind = len(y_), W_.dtype
    assert_close(value, right, f"the loss for {words}", of="any size" if big else "loss", rtol=1e-4, atol=1e-5,
                 hint="With scores in the hundreds a probability may be 0 or nan, and its logarithm with it: go from the scores to the logarithm, by log_softmax." if big else
                 "The mean of -log p of the labels, from the scores, before W and b move." + ("" if W_.any() else f" With zero weights each class has 1/{len(b_)}, so it is log {len(b_)}."),
                 mistakes={"The bias is missing in the scores.": no_bias, "The sign is wrong: a loss is not negative.": -right, "This is the loss after the step.": after, "This is the sum over the batch, not the mean.": n_ * right,
                           "`P[:, y]` is a table of all rows, with the columns of all labels: the row numbers have to be written out.": colon} if n_ > 1 else {"This is the loss after the step.": after})
    assert_close(got_W, W_1.to(kind), f"W after the step, for {words}, read under another name", of="any size" if big else "weight", rtol=1e-4, atol=1e-4,
                 hint=lambda: "With scores in the hundreds the bare softmax is nan; exp of the log_softmax is safe." if big else
                 "The step is lr times Xᵀ (softmax - one-hot) / n, written into W." + which_step(),
                 mistakes={"It is unchanged: your result is in new memory.": W_, "It went the other way, uphill.": (2 * W_.double() - W_1).to(kind), "The learning rate is missing in it.": (W_ + (W_1 - W_) / lr_).to(kind), "The gradient of W was taken after b had moved.": W_late.to(kind)}
                 | ({"That is the step for the sum of the losses, not for their mean.": (W_ + n_ * (W_1 - W_)).to(kind), "It is divided by n twice.": (W_ + (W_1 - W_) / n_).to(kind)} if n_ > 1 else {}))
    assert_close(got_b, b_1.to(kind), f"b after the step, for {words}, read under another name", of="any size" if big else "bias", rtol=1e-4, atol=1e-4,
                 hint=lambda: "The step is lr times the mean of the rows of softmax - one-hot, at the old W and b, written into b." + ("" if big else one_row()),
                 mistakes={"It is unchanged. Either nothing was written into its memory, or its gradient came out as 0: the sum of all entries of G is always 0, the sum of its rows has q numbers.": b_,
                           "It went the other way, uphill.": (2 * b_.double() - b_1).to(kind), "The learning rate is missing in it.": (b_ + (b_1 - b_) / lr_).to(kind), "The gradient of b was taken after W had moved.": b_late.to(kind)}
                 | ({"If G is divided by n already, the gradient of b is the sum of its rows.": (b_ + (b_1 - b_) / n_).to(kind), "That is the step for the sum of the losses, not for their mean.": (b_ + n_ * (b_1 - b_)).to(kind)} if n_ > 1 else {}))
    assert_close(got_X, X_, f"X after the call, for {words}", of="arguments kept", hint="A step of the function writes into X.")
    assert_equal(got_y.tolist(), y_.tolist(), f"y after the call, for {words}", of="arguments kept", hint="A step of the function writes into y.")
    if not big:
        assert_true("grad" not in complaint_without_autograd(W_, b_, X_, y_, lr_), f"autograd is not asked for a gradient, inside torch.inference_mode(), for {words}", of="without autograd",
                    hint="Autograd is switched off there, whatever `requires_grad` says: compute the gradients by their formulas.")
        assert_close(stepped(W_, b_, X_, y_, lr_, False)[1], W_1.to(kind), f"W after the step inside torch.inference_mode(), for {words}", of="without autograd", rtol=1e-4, atol=1e-4, hint="Inside torch.inference_mode() no graph is recorded, so no gradient can be asked of autograd: write the formula.")

step_check(torch.zeros(2, 4), torch.zeros(4), torch.tensor([[1., 2.], [3., -1.], [2., 0.]]), torch.tensor([2, 0, 2]), 0.3,
           "zero weights, four classes of which 1 and 3 do not occur (W and b, not the labels, say how many there are), the rows (1, 2), (3, -1), (2, 0), the labels 2, 0, 2",
           right=math.log(4), W_1=[[0.15, -0.15, 0.15, -0.15], [-0.125, -0.025, 0.175, -0.025]], b_1=[0.025, -0.075, 0.125, -0.075], after=0.926019, no_bias=math.log(4), colon=math.log(4),
           W_late=[[0.146737, -0.138678, 0.130618, -0.138678], [-0.125544, -0.023113, 0.17177, -0.023113]], b_late=[0.005749, -0.052107, 0.098465, -0.052107])
step_check(torch.tensor([[1., -1.], [0., 2.], [0.5, 0.]]), torch.tensor([0.5, -0.5]), torch.tensor([[1., 0., 2.], [0., 1., -1.], [2., 1., 0.], [1., 1., 1.]]), torch.tensor([0, 1, 1, 1]), 1.5, "four rows of three numbers, two classes, lr 1.5",
           right=1.242391, W_1=[[-0.014276, 0.014276], [-0.732215, 2.732215], [0.275309, 0.224691]], b_1=[-0.225471, 0.225471], after=0.239413, no_bias=0.807121, colon=1.804891,
           W_late=[[0.216502, -0.216502], [-0.520025, 2.520025], [0.380904, 0.119096]], b_late=[0.509646, -0.509646])
step_check(torch.tensor([[100., -100., 0.], [0., 50., 0.]]), torch.zeros(3), torch.tensor([[3., 1.], [-2., 4.]]), torch.tensor([1, 2]), 0.1, "scores from -250 to 400", big=True,
           right=475.0, W_1=[[99.85, -99.75, -0.1], [-0.05, 49.85, 0.2]], b_1=[-0.05, 0., 0.05], after=473.35, no_bias=475.0, colon=312.5, W_late=[[99.85, -99.75, -0.1], [-0.05, 49.85, 0.2]], b_late=[-0.05, 0., 0.05])
### BEGIN HIDDEN TESTS
def exact_step(W_, b_, X_, y_, lr_):
    W_, b_, X_ = W_.double(), b_.double(), X_.double()
    log_p = torch.log_softmax(X_ @ W_ + b_, dim=1)
    G_ = (log_p.exp() - F.one_hot(y_, len(b_))) / len(y_)
    return -log_p[torch.arange(len(y_)), y_].mean().item(), W_ - lr_ * X_.T @ G_, b_ - lr_ * G_.sum(dim=0)

def numbers_of(W_, b_, X_, y_, lr_):
    """What is right, and what comes out with each mistake."""
    right, W_1, b_1 = exact_step(W_, b_, X_, y_, lr_)
    log_p = torch.log_softmax(X_.double() @ W_.double() + b_.double(), dim=1)
    return {"right": right, "W_1": W_1, "b_1": b_1, "after": exact_step(W_1, b_1, X_, y_, lr_)[0], "no_bias": exact_step(W_, 0 * b_, X_, y_, lr_)[0], "colon": -log_p[:, y_].mean().item(),
            "W_late": exact_step(W_, b_1, X_, y_, lr_)[1], "b_late": exact_step(W_1, b_, X_, y_, lr_)[2]}

source = torch.Generator().manual_seed(48)
for n_, d_, q_, size_, lr_, dtype_ in ((7, 4, 5, 1., 0.3, torch.float64), (5, 3, 2, 1., 1.7, torch.float32), (1, 6, 4, 1., 0.1, torch.float32), (6, 2, 3, 300., 0.01, torch.float32)):
    batch_ = (torch.randn(d_, q_, generator=source).to(dtype_), torch.randn(q_, generator=source).to(dtype_), (torch.randn(n_, d_, generator=source) * size_).to(dtype_), torch.randint(0, q_, (n_,), generator=source), lr_)
    step_check(*batch_, f"{n_} rows of {d_} numbers of size {size_:g}, {q_} classes, lr {lr_}", big=size_ > 9, **numbers_of(*batch_))
### END HIDDEN TESTS

# %% [markdown] teaches="learning rate of a classifier, noise of a batch gradient"
# ## 7. Two knobs: learning rate and batch size
#
# The loop of part 3 has two numbers that nobody derived: 0.05 and 64. Here are the losses of the first 60 batches for a very small and a very large learning rate, with batches of 64:

# %% tags=["demo"] teaches="learning rate of a classifier"
def first_losses(lr, steps=60):
    source = torch.Generator().manual_seed(5)
    weight, bias, seen = torch.zeros(784, 10), torch.zeros(10), []
    for _ in range(steps):
        picked = torch.randint(0, 3000, (64,), generator=source)
        weight.requires_grad_(), bias.requires_grad_()
        batch_loss = F.cross_entropy(small[0][picked] @ weight + bias, small[1][picked])
        slopes = torch.autograd.grad(batch_loss, (weight, bias))
        weight, bias = weight.detach() - lr * slopes[0], bias.detach() - lr * slopes[1]
        seen.append(batch_loss.item())
    return seen

figure, axes = plt.subplots(1, 2, figsize=(8, 2.8), layout="constrained")
for ax, rate in zip(axes, (0.0005, 3.0)):
    course_of = first_losses(rate)
    ax.plot(course_of)
    ax.axhline(math.log(10), color="black", linestyle=":", linewidth=1)
    ax.set(xlabel="update", ylabel="loss of the batch", title=f"learning rate {rate:g}", ylim=(0, 1.1 * max(course_of)))
    ax.grid(alpha=0.3)
    print(f"learning rate {rate:g}: first {course_of[0]:.2f}, last {course_of[-1]:.2f}, largest {max(course_of):.2f}")
plt.show()

# %% [markdown]
# *Left*, with 0.0005, each step is right and much too short: after 60 updates the loss has hardly left log 10, the dotted line. *Right*, with 3, each step overshoots. The loss is soon far above that of a model that knows nothing: it is sure of wrong things. It stays finite, for the gradient of the cross-entropy is never larger than 1 for any score; a
# squared loss would have run off to infinity. Somewhere between the two lies a good rate.
#
# The second knob, the batch size, decides two things. The first is how many updates an epoch has. The second is how noisy an update is: the gradient of a batch is a *mean over b examples*, an estimate of the mean over all of them. By the rule of section 2.6 the error of a mean falls with the root of b. Is it so here?

# %% tags=["demo"] teaches="noise of a batch gradient"
def weight_gradient(X, y, weight):
    P = softmax(X @ weight)
    return X.T @ (P - F.one_hot(y, 10)) / len(y)

source = torch.Generator().manual_seed(6)
at = 0.01 * torch.randn(784, 10, generator=source)
whole = weight_gradient(*small, at)
print("batch size   distance of its gradient from that of all 3,000, as a share of its length")
for size in (1, 4, 16, 64, 256):
    off_by = []
    for _ in range(50):
        picked = torch.randint(0, 3000, (size,), generator=source)
        off_by.append(((weight_gradient(small[0][picked], small[1][picked], at) - whole).norm() / whole.norm()).item())
    print(f"{size:10}   {sum(off_by) / 50:.2f}")

# %% [markdown]
# Four times the batch, half the error. A single picture gives a direction that is nearly all noise, an error seven times as long as the gradient itself. With 256 pictures the error is half as long as the gradient, and they cost 256 times as much. Which is the better bargain? That is to be measured, and for this you write the training as a function that one can call with any setting.

# %% [markdown] task="4.4.5a" kind="experiment" minutes=15 difficulty=3 core=true needs="training loop of a classifier, shuffling, minibatch, cross-entropy from logits, accuracy, validation set"
# ### Training as a function
#
# Write `train_softmax(train, val, lr, batch_size, epochs, seed)`: `train` and `val` are pairs (X, y), X of shape (n, d), `float32`, and y of shape (n,), `int64`, classes from 0 to 9. It trains a softmax regression with a weight (d, 10) and a bias, both *starting at zero*, on `train`. So that everybody gets the same numbers, all random order comes from a
# single `g = torch.Generator().manual_seed(seed)`: each epoch draws one `torch.randperm(n, generator=g)` and goes through the rows in this order, batch after batch.
#
# It returns a dictionary with three numbers, all measured *after the last epoch*: `"train_loss"`, `"val_loss"` and `"val_acc"`. Any means of torch may be used.
#
# **You are done when**
# - **keys**: the dictionary has exactly these three keys, each with a number (or a tensor of one entry);
# - **steps**: each batch makes one step of rate `lr` against the gradient of its mean cross-entropy, for weight and bias;
# - **batches**: all batches count, a smaller last one like the others, with the mean over its own rows;
# - **orders**: each epoch has a new order, drawn as above;
# - **measured at the end**: the losses are means over all rows of `train` and of `val`, `val_acc` is the accuracy on `val`, all for the final weights.

# %% exercise="4.4.5a"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    """Train a softmax regression; returns {"train_loss", "val_loss", "val_acc"} after the last epoch."""
    ### BEGIN SOLUTION
    X, y = train
    g = torch.Generator().manual_seed(seed)
    W, b = torch.zeros(X.shape[1], 10, requires_grad=True), torch.zeros(10, requires_grad=True)
    for _ in range(epochs):
        for picked in torch.randperm(len(X), generator=g).split(batch_size):
            slopes = torch.autograd.grad(F.cross_entropy(X[picked] @ W + b, y[picked]), (W, b))
            with torch.no_grad():
                W -= lr * slopes[0]
                b -= lr * slopes[1]
    with torch.no_grad():
        O = val[0] @ W + b
        return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(O, val[1]).item(),
                "val_acc": accuracy(O, val[1])}
    ### END SOLUTION

# %% [markdown] hints="4.4.5a"
# 1. Which lines of the loop in part 3 happen once, which once an epoch, which once a batch? Where is the generator made?
# 2. `order[start:start + batch_size]` is shorter at the end, and that is right. `F.cross_entropy(scores, y)` is the mean over the rows it is given, and safe.
# 3. For a line y = w x with one weight: `g, = torch.autograd.grad(((x[rows] * w - y[rows]) ** 2).mean(), w)`, then `with torch.no_grad(): w -= lr * g`.

# %% check="4.4.5a" points=3
slips_of_training = {"Every epoch goes through the rows as they stand: draw an order.": "file", "Every epoch has the same order: make the generator once, and draw from it in each epoch.": "once", "The smaller last batch was left out.": "drop",
                     "That is the step for the sum over the batch, not for its mean.": "sum", "The step is divided by the number of rows once more: the mean loss has this division in it.": "divided", "The smaller last batch is divided by its own number of rows.": "nominal", "The bias was not trained.": "bias",
                     "The orders are those of seed 0, whatever seed is given.": "seed", "All rows were taken as one batch.": "whole", "This is one epoch too many.": "epoch more", "This is one epoch too few.": "epoch less",
                     "Each epoch makes a generator of its own, with the seed `seed + epoch`: make one before the loop, and draw every order from it.": "seed + epoch",
                     "Each step draws an order of its own: draw one for the whole epoch, and cut it into batches.": "draws",
                     "The rows of X were put in order and the labels were not: both by the same order.": "labels stay",
                     "Each order was applied to the rows as the epoch before had left them, as by `X, y = X[order], y[order]`: it is an order of the rows as they are given.": "nested", "The softmax was done twice: `F.cross_entropy` takes scores.": "twice",
                     "The gradients of earlier batches are added in: set them to zero before each step.": "kept", "The weight has ten columns, also where some classes do not occur.": "few",
                     "The softmax was done twice, in training and in measuring: `F.cross_entropy` takes scores.": "twice, measured, too", "These are the orders of a DataLoader, which draws from the generator before each order: draw `torch.randperm(n, generator=g)` alone.": "loader",
                     "Each epoch begins with new weights: they go on from epoch to epoch.": "anew", "These are the steps of Adam: a step is `lr` times the gradient, nothing else.": "adam", "The bias moves by a gradient taken after the weight has moved: both gradients from the same point.": "late",
                      "The steps go uphill: against the gradient the loss falls.": "uphill",
                     "These are the numbers of the best epoch: those after the last one are asked for.": "best"}

def some_rows(n_, d_, seed_, top_=10):
    source = torch.Generator().manual_seed(seed_)
    classes_ = torch.randint(0, top_, (n_,), generator=source)
    centres_ = 2 * torch.randn(10, d_, generator=source)
    return centres_[classes_] + torch.randn(n_, d_, generator=source), classes_

def which_move(crowd, epochs, right):
    """`right`: the losses after one step at the rate 0.01, and after two. What is wrong with steps on all rows at once: where they start, which rows they take, how far they go, and whether they go on so."""
    n = len(crowd[1])
    def loss(lr, rounds=1, seed=3):
        found = train_softmax(crowd, crowd, lr, n, rounds, seed)
        return float(found["val_loss"])
    still = loss(0.0)
    if not abs(still - math.log(10)) < 1e-4:
        return f"With the rate 0 nothing moves, and from zero weights every class has 1/10: the loss has to be log 10 = 2.3026. Yours is {still:.4f}" + (": it does not start from zero weights and a zero bias." if 0.001 < abs(still - math.log(10)) < 0.5 else ".")
    if not abs(loss(0.3) - loss(0.3, seed=4)) < 1e-5:
        return "All rows are in one batch here, so their order, and with it the seed, must not matter. In yours it does: a batch takes every row of the order once, and nothing else is random."
    first, second = loss(0.01), loss(0.01, 2)
    if abs(first - math.log(10)) < 1e-5 and abs(second - right[0]) < 1e-4:
        return "With epochs = 1 nothing moves, the loss is still log 10 = 2.3026, and with epochs = 2 it is that after one epoch: this is one epoch too few."
    if abs(first - math.log(10)) < 1e-5 and abs(second - math.log(10)) < 1e-5:
        return "At the rate 0.01 nothing moves: after one epoch and after two the loss is still log 10 = 2.3026. The steps have to change the weights with which the loss is measured."
    share = (math.log(10) - first) / (math.log(10) - right[0])
    if not abs(share - 1) < 0.01:
        return (f"At the small rate 0.01 one step on all rows lowers the loss by {share:.3g} times as much as it should. That is what to look at: the rate, a sum in place of a mean, "
                "and whether weight and bias both move, each against its own gradient of the cross-entropy of the scores.")
    share = (first - second) / (right[0] - right[1])
    if epochs > 1 and not abs(share - 1) < 0.01:
        return (f"One step is right. At the small rate 0.01 the second one lowers the loss by {share:.3g} times as much as it should: " + (
                "it goes too far. Is something of the first step carried over, as by momentum or by gradients that are not set to zero?" if share > 1 else
                "it does not go far enough. The rate stays `lr` to the end, and the weights go on from where they are."))
    far, near = ((length * torch.eye(2), torch.tensor([0, 1])) for length in (40.0, 0.05))
    first, ninth = (float(train_softmax(far, near, 1.0, 2, rounds, 0)["val_loss"]) for rounds in (1, 9))
    if epochs > 1 and abs(first - 1.148329) < 1e-4 and abs(ninth - first) > 1e-4:
        return ("Trained on the rows (40, 0) and (0, 40) with the classes 0 and 1, at the rate 1, the model is sure of both after one step; from then on the gradient is 0, and nothing may move any more. In yours "
                + ("the weights shrink from step to step: something is taken off them besides the gradient, as weight decay does it." if ninth > first else
                   "the weights go on growing: something of the first step is carried over, as by momentum or by gradients that are not set to zero."))
    return (f"At the small rate 0.01 the first {'step is' if epochs == 1 else 'two steps are'} right to within a hundredth: see what is different at larger rates or after more steps. "
            "A step has the rate `lr` and the gradient of its own weights, with nothing carried over, taken off the weights besides, bounded or cut off.")

def training_check(train_, val_, lr_, size_, epochs_, seed_, of, words, right, slips, small_steps=None, digits=1e-3, hint=""):
    """`right`: the numbers that are right; `slips`: what comes out with the mistakes above, for each number (or a function of its name)."""
    found = train_softmax(train_, val_, lr_, size_, epochs_, seed_)
    words = f"{words}, {len(train_[1])} rows in batches of {size_}, lr {lr_}, {epochs_} epoch{'s' if epochs_ > 1 else ''}, seed {seed_}"
    assert_type(found, dict, f"the result for {words}", of="keys")
    assert_equal(sorted(found), ["train_loss", "val_acc", "val_loss"], f"the keys for {words}", of="keys")
    for key in found:
        assert_true(not isinstance(found[key], (list, tuple)), f"{key} is a number, for {words}", of="keys", hint=f"{key} is a list: one number, after the last epoch, is asked for.")
    def named(key):
        """The slips that give this answer to five digits: two that agree to three only are not the same mistake."""
        values = slips(key) if callable(slips) else slips[key]
        return {sentence: values[slip] for sentence, slip in slips_of_training.items() if slip in values and abs(float(found[key]) - values[slip]) <= 2e-5 + 2e-5 * abs(values[slip])}
    if of == "steps" and not abs(float(found["val_loss"]) - right["val_loss"]) <= digits + digits * abs(right["val_loss"]):
        hint = lambda: which_move(train_, epochs_, small_steps() if callable(small_steps) else small_steps)
    def differs(key):
        return not abs(float(found[key]) - right[key]) <= digits + digits * abs(right[key])
    if of == "measured at the end":
        assert_close(float(found["train_loss"]), right["train_loss"], f"train_loss for {words}", of=of, rtol=1e-3, atol=1e-3, hint="The mean loss of all rows of `train`, with the final weights. These have to be right first: where a part on steps, batches and orders fails, begin there.",
                     mistakes={"These are the losses of the batches on the way: measure after the last epoch, with the final weights.": right["batch means"],
                               "These are the losses of the rows on the way, each before the step of its batch: measure after the last epoch, with the final weights.": right["rows on the way"], "This is the loss of the last batch, on the way.": right["last batch"], "This is the loss on `val`.": right["val_loss"],
                               "This is the sum over the rows, not the mean.": right["train_loss"] * len(train_[1]), "This is a mean of batch means, in which the rows of a smaller last batch count too much.": right["train means"]} | (named("train_loss") if differs("train_loss") else {}))
    assert_close(float(found["val_loss"]), right["val_loss"], f"val_loss for {words}", of=of, rtol=digits, atol=digits, hint=hint or "Steps, order and batches as the task has them, from zero weights, with the same rate to the end and nothing carried over from step to step, then the mean loss on all rows of `val`.",
                 mistakes={"This is the sum over the rows, not the mean.": right["val_loss"] * len(val_[1]), "This is a mean of batch means, in which the rows of a smaller last batch count too much.": right.get("val means", right["val_loss"])} | ({"This is the loss on `train`.": right["train_loss"]} if of == "measured at the end" else {}) | (named("val_loss") if differs("val_loss") else {}))
    if of == "measured at the end":
        assert_close(float(found["val_acc"]), right["val_acc"], f"val_acc for {words}", of=of, rtol=0, atol=1e-4, hint="The share of rows of `val` whose largest score is at the label.",
                     mistakes={"This is the accuracy on `train`.": right["train_acc"], "This is the share of mistakes.": 1 - right["val_acc"], "These are percent; a share is asked for.": 100 * right["val_acc"]})

with part(0.5, "the steps"):
    crowd = some_rows(30, 6, 1)
    training_check(crowd, crowd, 0.3, 30, 1, 3, "steps", "val the same as train", {"val_loss": 1.713119}, small_steps=(2.2805951, 2.2588996), digits=1e-4, slips={
        "val_loss": {"sum": 1.677774, "divided": 2.280595, "bias": 1.721260, "epoch more": 1.358986, "labels stay": 2.292248, "twice": 2.237063, "twice, measured, too": 2.295751, "adam": 0.901293, "late": 1.713718, "uphill": 3.025894}})
    training_check(crowd, crowd, 0.2, 30, 7, 3, "steps", "val the same as train", {"val_loss": 0.936549}, small_steps=(2.2805951, 2.2588996), slips={
        "val_loss": {"sum": 1.086894, "divided": 2.202577, "bias": 0.954385, "epoch more": 0.874115, "epoch less": 1.011951, "labels stay": 2.230361, "twice": 1.968288, "kept": 0.312215, "twice, measured, too": 2.260076, "anew": 1.892594, "adam": 0.163940, "uphill": 8.987643}})
    crowd = some_rows(24, 4, 9, 6)
    training_check(crowd, crowd, 0.1, 24, 3, 5, "steps", "classes 0 to 5 only, val the same as train", {"val_loss": 1.840956}, small_steps=(2.2843466, 2.2663380), slips={
        "val_loss": {"sum": 1.155813, "divided": 2.279864, "bias": 1.859453, "epoch more": 1.729680, "epoch less": 1.972184, "labels stay": 2.167676, "twice": 2.247186, "kept": 1.494895, "few": 1.470710, "twice, measured, too": 2.296825, "anew": 2.125640, "adam": 1.077757, "uphill": 2.932420}})
with part(0.5, "batches and orders"):
    crowd = some_rows(50, 4, 2)
    training_check(crowd, crowd, 0.5, 16, 1, 8, "batches", "val the same as train", {"val_loss": 1.071747, "val means": 1.066468}, {
        "val_loss": {"file": 1.001231, "drop": 1.023976, "sum": 1.938798, "divided": 1.682737, "nominal": 1.001177, "bias": 1.050655, "whole": 1.374304, "epoch more": 0.889346, "draws": 1.028549, "labels stay": 4.201135, "twice": 1.657432, "kept": 0.824945, "twice, measured, too": 2.157891, "loader": 1.032704, "adam": 0.681574, "late": 1.045043, "uphill": 13.467881}},
                   hint="This is one epoch of four batches: 16, 16, 16 and 2 rows of `torch.randperm(50, generator=g)`, each one step with the mean over its own rows. (Where the part on the steps fails, begin there.)")
    training_check(crowd, crowd, 0.5, 10, 4, 9, "orders", "val the same as train", {"val_loss": 0.562351}, {
        "val_loss": {"file": 0.579845, "once": 0.578795, "sum": 1.262348, "divided": 1.212858, "bias": 0.576026, "seed": 0.566592, "whole": 0.940337, "epoch more": 0.581236, "epoch less": 0.611211, "seed + epoch": 0.637782, "draws": 0.648945, "labels stay": 2.534326, "nested": 0.569621, "twice": 1.061608, "kept": 0.389895, "twice, measured, too": 1.903464, "loader": 0.578673, "anew": 0.851849, "adam": 0.631329, "late": 0.556469, "uphill": 88.581140}},
                   digits=3e-4, hint="These are four epochs of five batches: one generator for all, one `torch.randperm(50, generator=g)` drawn at the beginning of each, and weights that go on. (Where the part on the steps fails, begin there.)")
with part(0.5, "what is measured"):
    training_check(some_rows(40, 5, 3), some_rows(70, 5, 13), 0.2, 16, 3, 7, "measured at the end", "val of 70 rows", {
        "train_loss": 1.047707, "val_loss": 2.859348, "val_acc": 0.028571, "batch means": 1.259095, "rows on the way": 1.206045, "last batch": 1.524344, "train_acc": 0.725000, "val means": 2.894620, "train means": 1.068807}, {
        "train_loss": {"file": 1.062589, "once": 1.062357, "drop": 1.225379, "sum": 1.200667, "divided": 2.049154, "nominal": 1.123078, "bias": 1.060381, "seed": 1.043698, "whole": 1.527970, "epoch more": 0.942226, "epoch less": 1.212890, "seed + epoch": 1.053760, "draws": 1.061046, "labels stay": 2.266489, "nested": 1.044104, "twice": 1.918109, "kept": 0.639801, "twice, measured, too": 2.243883, "anew": 1.536256, "adam": 0.541772, "late": 1.045566, "uphill": 8.999508, "best": 1.488935},
        "val_loss": {"file": 2.763133, "once": 2.991358, "drop": 2.681828, "sum": 8.645772, "divided": 2.330094, "nominal": 2.773585, "bias": 2.855060, "seed": 2.912347, "whole": 2.469167, "epoch more": 3.051084, "epoch less": 2.743886, "seed + epoch": 2.948299, "draws": 2.788371, "labels stay": 2.108082, "nested": 2.864963, "twice": 2.351927, "kept": 7.694584, "twice, measured, too": 2.307122, "loader": 2.847743, "anew": 2.422792, "adam": 6.842211, "uphill": 3.892803, "best": 2.543427}})
### BEGIN HIDDEN TESTS
def trained_by_hand(train_, val_, lr_, size_, epochs_, seed_, slip=""):
    source = torch.Generator().manual_seed(0 if slip == "seed" else seed_)
    X_, y_, n_ = train_[0].double(), train_[1], len(train_[1])
    q_ = int(max(y_.max(), val_[1].max())) + 1 if slip == "few" else 10
    W_, b_, seen, kept_W, kept_b = torch.zeros(X_.shape[1], q_, dtype=torch.float64), torch.zeros(q_, dtype=torch.float64), [], 0, 0
    order_ = torch.arange(n_)
    once, at_, moments_, best_ = torch.randperm(n_, generator=torch.Generator().manual_seed(seed_)), 0, [[0, 0], [0, 0]], (math.inf, W_, b_)
    for epoch_ in range(epochs_ + (slip == "epoch more") - (slip == "epoch less")):
        seen = []
        if slip == "seed + epoch":
            source = torch.Generator().manual_seed(seed_ + epoch_)
        if slip == "loader":                                                # it draws a seed of its own first
            torch.empty((), dtype=torch.int64).random_(generator=source)
        order_ = order_ if slip == "draws" else torch.randperm(n_, generator=source)
        if slip == "anew":
            W_, b_ = torch.zeros_like(W_), torch.zeros_like(b_)
        order_ = torch.arange(n_) if slip == "file" else once if slip == "once" else order_
        if slip == "nested":
            X_, y_, order_ = X_[order_], y_[order_], torch.arange(n_)
        for rows_ in [torch.randperm(n_, generator=source)[:size_] for _ in range(-(-n_ // size_))] if slip == "draws" else order_.split(n_ if slip == "whole" else size_):
            if slip == "drop" and len(rows_) < size_:
                continue
            O_ = X_[rows_] @ W_ + b_
            labels_ = y_[len(seen) * size_:][:len(rows_)] if slip == "labels stay" else y_[rows_]
            G_ = torch.softmax(O_, 1)
            if slip in ("twice", "twice, measured, too"):
                P_ = G_ * (torch.softmax(G_, 1) - F.one_hot(labels_, q_))
                G_ = P_ - G_ * P_.sum(dim=1, keepdim=True)
            else:
                G_ = G_ - F.one_hot(labels_, q_)
            seen.append(F.cross_entropy(O_, labels_).item())
            share = 1 if slip == "sum" else size_ if slip == "nominal" else len(rows_) ** 2 if slip == "divided" else len(rows_)
            kept_W, kept_b = (kept_W if slip == "kept" else 0) + X_[rows_].T @ G_ / share, (kept_b if slip == "kept" else 0) + G_.sum(dim=0) / share
            if slip == "adam":
                at_ += 1
                for moment, slope in zip(moments_, (kept_W, kept_b)):
                    moment[0], moment[1] = 0.9 * moment[0] + 0.1 * slope, 0.999 * moment[1] + 0.001 * slope ** 2
                kept_W, kept_b = (m / (1 - 0.9 ** at_) / ((v / (1 - 0.999 ** at_)).sqrt() + 1e-8) for m, v in moments_)
            if slip == "late":
                kept_b = (torch.softmax(X_[rows_] @ (W_ - lr_ * kept_W) + b_, 1) - F.one_hot(labels_, q_)).sum(dim=0) / share
            if slip == "uphill":
                kept_W, kept_b = -kept_W, -kept_b
            W_, b_ = W_ - lr_ * kept_W, b_ - (0 if slip == "bias" else lr_) * kept_b
        if slip == "best":
            now_ = F.cross_entropy(val_[0].double() @ W_ + b_, val_[1]).item()
            best_ = min(best_, (now_, W_, b_), key=lambda one: one[0])
    if slip == "best":
        _, W_, b_ = best_
    O_, V_ = X_ @ W_ + b_, val_[0].double() @ W_ + b_
    if slip == "twice, measured, too":
        O_, V_ = torch.softmax(O_, 1), torch.softmax(V_, 1)
    return {"train_loss": F.cross_entropy(O_, y_).item(), "val_loss": F.cross_entropy(V_, val_[1]).item(),
            "val_acc": (V_.argmax(1) == val_[1]).double().mean().item(), "batch means": sum(seen) / max(len(seen), 1),
            "rows on the way": sum(loss * len(rows) for loss, rows in zip(seen, order_.split(size_))) / n_, "last batch": seen[-1] if seen else 0.0,
            "train_acc": (O_.argmax(1) == y_).double().mean().item(), "val means": sum(F.cross_entropy(v, c).item() for v, c in zip(V_.split(size_), val_[1].split(size_))) / len(V_.split(size_)),
            "train means": sum(F.cross_entropy(o, c).item() for o, c in zip(O_.split(size_), y_.split(size_))) / len(O_.split(size_)), "val_sum": F.cross_entropy(V_, val_[1]).item() * len(val_[1]), "train_sum": F.cross_entropy(O_, y_).item() * n_}

def trained(*call):
    """What is right for this call of train_softmax, and what comes out with each mistake."""
    train_, epochs_ = call[0], call[4]
    return {"right": trained_by_hand(*call), "small_steps": lambda: [trained_by_hand(train_, train_, 0.01, len(train_[1]), rounds, 3)["val_loss"] for rounds in (1, 2)],
            "slips": lambda key: {slip: trained_by_hand(*call, slip)[key] for slip in slips_of_training.values() if epochs_ > 1 or slip != "epoch less"}}

with part(0.5, "the steps, other numbers"):
    crowd = some_rows(25, 9, 4)
    call = (crowd, crowd, 0.05, 25, 12, 0)
    training_check(*call, "steps", "val the same as train", **trained(*call))
    call = (crowd, crowd, 1.0, 25, 1, 7)
    training_check(*call, "steps", "val the same as train", **trained(*call))
    crowd = some_rows(18, 6, 10, 3)
    call = (crowd, crowd, 0.2, 18, 4, 6)
    training_check(*call, "steps", "classes 0 to 2 only, val the same as train", **trained(*call))
with part(0.5, "batches and orders, other numbers"):
    crowd = some_rows(61, 3, 5)
    call = (crowd, crowd, 0.4, 20, 1, 12)
    training_check(*call, "batches", "val the same as train", **trained(*call))
    call = (crowd, crowd, 0.4, 200, 1, 13)
    training_check(*call, "batches", "val the same as train", **trained(*call))
    call = (crowd, crowd, 0.3, 1, 3, 14)
    training_check(*call, "orders", "val the same as train", **trained(*call))
    call = ((small[0][:128], small[1][:128]), (small[0][:128], small[1][:128]), 0.05, 32, 3, 15)
    training_check(*call, "orders", "pictures, val the same as train", **trained(*call))
with part(0.5, "what is measured, other numbers"):
    call = (some_rows(33, 7, 6), some_rows(20, 7, 16), 0.3, 8, 3, 2)
    training_check(*call, "measured at the end", "val of 20 rows", **trained(*call))
    call = ((small[0][:100], small[1][:100]), (held_out[0][:150], held_out[1][:150]), 0.03, 30, 2, 4)
    training_check(*call, "measured at the end", "pictures, val of 150 pictures", **trained(*call))
total()
### END HIDDEN TESTS

# %% [markdown] task="4.4.5c" kind="experiment" minutes=10 difficulty=2 core=true needs="learning rate of a classifier, training loop of a classifier, validation set"
# ### The learning rate
#
# Train on `small`, measure on `held_out`, with batch size 256 and 5 epochs, as in exercise 4.4.5a, for the learning rates 0.001, 0.01, 0.1 and 1 and the seeds 0, 1 and 2.
#
# Set `rate_losses`, a dictionary from the four rates to the validation loss after the last epoch, the mean over the three seeds: computed in the cell, or written down to three decimals. Plot it against the rate on a logarithmic axis, and set `best_lr`: a rate, of these or between them, with which the mean validation loss is at most 0.88.
#
# Where the steps overshoot, the training jumps, and the rounding of the machine grows with every jump. Up to the rate 0.2 the mean is the same to 0.001 however the loop is written. At 0.3 rounding decides: four loops that are all right, and differ in nothing but rounding, gave 0.86, 0.91, 0.93 and 1.05 for the same three seeds. So `best_lr` has to
# be at most 0.2, and at rate 1 any finite number above 1.2 is taken.
#
# **You are done when**
# - **losses**: `rate_losses` has the four rates as keys, numbers, and the mean losses to 0.002;
# - **best rate**: `best_lr` is at most 0.2, and with it the mean validation loss is at most 0.88, also for the seeds 10, 11 and 12.

# %% exercise="4.4.5c" uses="4.4.5a"
### BEGIN SOLUTION
rate_losses = {0.001: 2.164, 0.01: 1.517, 0.1: 0.784, 1: 1.860}
best_lr = 0.1
### END SOLUTION

# %% [markdown] hints="4.4.5c"
# 1. Three runs for each rate, and of each run one number.
# 2. `sum(train_softmax(small, held_out, lr, 256, 5, seed)["val_loss"] for seed in range(3)) / 3` is the mean for one rate.
# 3. `ax.plot(rates, losses, "o-")` with `ax.set(xscale="log")` puts the rates at equal distances.

# %% check="4.4.5c" points=2
torch.set_num_threads(1)
try:
    given = rate_losses
except NameError:
    given = best_lr

def runs_of_seeds(lr_, size_, epochs_, seeds_, train_=small, val_=held_out):
    """Training loss, validation loss of all seeds at once: the weights of the seeds side by side."""
    sources = [torch.Generator().manual_seed(s) for s in seeds_]
    W_, b_ = torch.zeros(len(seeds_), 784, 10), torch.zeros(len(seeds_), 1, 10)
    codes_ = F.one_hot(train_[1], 10).float()
    for _ in range(epochs_):
        orders_ = torch.stack([torch.randperm(len(train_[1]), generator=source) for source in sources])
        for rows_ in orders_.split(size_, dim=1):
            X_ = train_[0][rows_]
            G_ = (torch.softmax(torch.bmm(X_, W_) + b_, dim=2) - codes_[rows_]) / rows_.shape[1]
            W_ -= lr_ * torch.bmm(X_.transpose(1, 2), G_)
            b_ -= lr_ * G_.sum(dim=1, keepdim=True)
    return [[F.cross_entropy(X @ w + c[0], y).item() for X, y in (train_, val_)] + [(X @ w + c[0]).argmax(1).eq(y).float().mean().item() for X, y in (val_,)] for w, c in zip(W_, b_)]

def mean_of(lr_, size_=256, epochs_=5, seeds_=(0, 1, 2), column=1):
    return sum(run[column] for run in runs_of_seeds(lr_, size_, epochs_, seeds_)) / len(seeds_)

measured_losses = {rate_: runs_of_seeds(rate_, 256, 5, (0, 1, 2)) for rate_ in (0.001, 0.01, 0.1)}

def single_number(rate_):
    assert_true(not isinstance(rate_losses[rate_], (list, tuple)), f"rate_losses at {rate_} is a number", of="losses", hint=f"The value at {rate_} is a list; the mean of the three is asked for.")

def near_rate(rate_, off):
    single_number(rate_)
    value, runs = float(rate_losses[rate_]), measured_losses[rate_]
    wanted = sum(run[1] for run in runs) / 3
    advice = f"The mean of val_loss over the seeds 0, 1 and 2, with batches of 256 and 5 epochs. Yours is {value:.4f}, " + ("less than that." if value < wanted else "more than that.")
    if abs(value - wanted) > off:
        slips = {"This is the mean of the training losses.": sum(run[0] for run in runs) / 3, "This is the mean accuracy; the loss is asked for.": sum(run[2] for run in runs) / 3,
                 "This is the sum over the seeds; the mean is asked for.": 3 * wanted, "These are ten epochs; five are asked for.": mean_of(rate_, 256, 10), "These are six epochs; five are asked for.": mean_of(rate_, 256, 6), "These are four epochs; five are asked for.": mean_of(rate_, 256, 4), "This is one epoch; five are asked for.": mean_of(rate_, 256, 1),
                 "This is batch size 64; 256 is asked for.": mean_of(rate_, 64), "These are the seeds 1, 2 and 3; 0, 1 and 2 are asked for.": mean_of(rate_, seeds_=(1, 2, 3)),
                 "Train on `small`, measure on `held_out`; here it is the other way round.": sum(run[1] for run in runs_of_seeds(rate_, 256, 5, (0, 1, 2), held_out, small)) / 3} | {f"This is seed {seed_} alone; the mean of three is asked for.": run[1] for seed_, run in enumerate(runs)}
        slips |= {f"This is the value at the rate {other_:g}.": sum(run[1] for run in there) / 3 for other_, there in measured_losses.items() if other_ != rate_}
        named = [sentence for sentence, other in slips.items() if abs(value - other) < 0.0006]
        advice = named[0] if len(named) == 1 else f"{value:.2f} agrees with it to two decimals only; three are asked for, as the loss is needed to 0.002." if abs(value - round(wanted, 2)) < 1e-9 else advice
    assert_true(abs(value - wanted) <= off, f"rate_losses at {rate_}: the mean validation loss of the three runs", of="losses", hint=advice)

def rate_or_loss():
    """Whether best_lr is one of the losses; else what is wrong with rates above 0.2."""
    for rate_, loss_ in rate_losses.items() if isinstance(rate_losses, dict) else ():
        if isinstance(loss_, (float, int, torch.Tensor)) and abs(float(loss_) - float(best_lr)) < 1e-9 and float(rate_) != float(best_lr):
            return f"{float(best_lr):.4g} is the loss that you have for the rate {float(rate_):g}; `best_lr` is a rate."
    return "Above 0.2 the steps overshoot, the further above the more, and from 0.3 on rounding decides what comes out. Look at `rate_losses`: between which rates does the loss turn?"

def at_worst(rate_):
    """The mean validation loss for the seeds 0, 1, 2 and for 10, 11, 12: the larger of the two. Both parts ask for it, so both decide alike."""
    losses_ = [run[1] for run in runs_of_seeds(rate_, 256, 5, (0, 1, 2, 10, 11, 12))]
    return max(sum(losses_[:3]), sum(losses_[3:])) / 3

def good_rate(shown):
    assert_type(best_lr, (float, int, torch.Tensor), "best_lr", of="best rate")
    rate_ = float(best_lr)
    assert_true(0 < rate_ < math.inf, "best_lr is a positive number", of="best rate")
    assert_true(rate_ <= 0.2 + 1e-6, "best_lr is at most 0.2", of="best rate", hint=rate_or_loss)
    loss_ = at_worst(rate_)
    assert_true(loss_ <= 0.88, "the mean validation loss with best_lr is at most 0.88, for the seeds 0, 1, 2 and for 10, 11, 12", of="best rate",
                hint=f"With the rate {rate_:.4g} the larger of the two is {loss_:.4f}. Look at `rate_losses`: between which rates does the loss turn?" if shown else "See the part on the best rate.")

with part(0.5, "the losses"):
    assert_type(rate_losses, dict, "rate_losses", of="losses")
    for rate_ in rate_losses:
        assert_type(rate_, (float, int), "a key of rate_losses", of="losses", hint="The four rates themselves, as numbers: 0.1, not '0.1'.")
    assert_equal(sorted(float(rate_) for rate_ in rate_losses), [0.001, 0.01, 0.1, 1.0], "the keys of rate_losses", of="losses", hint="The four rates themselves, as numbers.")
    for rate_ in (0.001, 0.01, 0.1):
        near_rate(rate_, 0.0021)
    single_number(1)
    assert_true(1.2 < float(rate_losses[1]) < math.inf, "rate_losses at 1 is finite and above 1.2", of="losses", hint="At this rate the steps overshoot, but the loss stays a number.")
with part(0.5, "the best rate"):
    good_rate(shown=True)
### BEGIN HIDDEN TESTS
with part(0.5, "the losses, to 0.002"):
    assert_type(rate_losses, dict, "rate_losses", of="losses")
    assert_equal(sorted(str(rate_) for rate_ in rate_losses if isinstance(rate_, (float, int)) and rate_ < 1), ["0.001", "0.01", "0.1"], "the keys of rate_losses below 1", of="losses", hint="The four rates themselves, as numbers.")
    for rate_ in (0.1, 0.01, 0.001):
        near_rate(rate_, 0.00201)
    single_number(1)
    assert_true(1.2 < float(rate_losses[1]) < math.inf, "rate_losses at 1 is finite and above 1.2", of="losses")
with part(0.5, "the best rate, once more"):
    good_rate(shown=False)
total()
### END HIDDEN TESTS

# %% [markdown] task="4.4.5b" kind="experiment" minutes=25 difficulty=4 needs="noise of a batch gradient, updates per epoch, overfitting, underfitting, training loop of a classifier"
# ### The batch size
#
# Keep the learning rate at 0.02. Train on `small` for 5 epochs with the batch sizes 1, 4, 16, 64, 256 and 1024, as in 4.4.5a, and measure on `held_out`, with the seeds 0, 1 and 2. Size 1 makes 45,000 updates; allow it half a minute.
#
# Set `batch_losses`, a dictionary from the six sizes to the mean validation loss. Then let batch size 256 run longer, and set `epochs_256`: the number of epochs after which its mean validation loss has come down to that of batch size 64 after 5 epochs, within 0.02.
#
# ⚠ At grading an answer cell is stopped after 30 seconds. So measure in a cell of your own, and write the numbers down in the answer cell, to three decimals.
#
# Then answer in words, with your numbers:
# 1. What happens to the training loss and to the validation loss as the batch becomes larger? What as it becomes smaller?
# 2. How many updates does each batch size make in 5 epochs? What does `epochs_256` say about the reason for the effect?
# 3. Batch size 1 has the most updates. Why is its validation loss not better than that of 4?
#
# **You are done when** your words answer all three, and
# - **losses**: `batch_losses` has the six sizes as keys and the mean losses, measured in another cell and written down, to 0.02 (for size 1, where rounding adds up over 15,000 steps, to 0.05);
# - **epochs**: after `epochs_256` epochs, a whole number, the two losses are equal to 0.02.

# %% exercise="4.4.5b" uses="4.4.5a"
### BEGIN SOLUTION
batch_losses = {1: 0.649, 4: 0.556, 16: 0.631, 64: 0.826, 256: 1.224, 1024: 1.795}
epochs_256 = 20
### END SOLUTION

# %% [markdown] hints="4.4.5b"
# 1. What changes between the runs besides the batch size, if the number of epochs is fixed?
# 2. 3,000 rows in batches of b make ceil(3000 / b) updates an epoch. Try 10, 20, 40 epochs first, then between them.
# 3. A walker with steps of 1 m makes 100 steps, another with steps of 1 m makes 10: before you compare their shoes, let them walk equally far.

# %% check="4.4.5b" points=2
torch.set_num_threads(1)
try:
    given = batch_losses
except NameError:
    given = epochs_256

def losses_of_seeds(size_, epochs_=5, seeds_=(0, 1, 2), lr_=0.02):
    """Training and validation loss, means over the seeds, all of which run side by side."""
    sources = [torch.Generator().manual_seed(s) for s in seeds_]
    W_, b_ = torch.zeros(len(seeds_), 784, 10), torch.zeros(len(seeds_), 1, 10)
    codes_ = F.one_hot(small[1], 10).float()
    for _ in range(epochs_):
        orders_ = torch.stack([torch.randperm(3000, generator=source) for source in sources])
        for rows_ in orders_.split(size_, dim=1):
            X_ = small[0][rows_]
            G_ = (torch.softmax(torch.bmm(X_, W_) + b_, dim=2) - codes_[rows_]) / rows_.shape[1]
            W_ -= lr_ * torch.bmm(X_.transpose(1, 2), G_)
            b_ -= lr_ * G_.sum(dim=1, keepdim=True)
    rights = [(held_out[0] @ w + c[0]).argmax(1).eq(held_out[1]).float().mean().item() for w, c in zip(W_, b_)]
    return [sum(F.cross_entropy(X @ w + c[0], y).item() for w, c in zip(W_, b_)) / len(seeds_) for X, y in (small, held_out)] + [sum(rights) / len(seeds_)]

measured_sizes = {1: [0.441, 0.649, 0.798]}       # 15,000 steps of three seeds take too long here: measured once by losses_of_seeds

def near_size(size_, off):
    if size_ not in measured_sizes:
        measured_sizes[size_] = losses_of_seeds(size_)
    (on_train, wanted, share_right), value = measured_sizes[size_], float(batch_losses[size_])
    advice = f"The mean of val_loss over the seeds 0, 1 and 2, with rate 0.02 and 5 epochs, whatever the size. Yours is {value:.3f}, " + ("less than that." if value < wanted else "more than that.")
    if abs(value - wanted) > off:
        slips = {"This is the mean of the training losses.": on_train, "This is the sum over the seeds; the mean is asked for.": 3 * wanted, "This is the mean accuracy; the loss is asked for.": share_right}
        if size_ >= 64:
            slips |= {f"This is the rate {rate_:g}; 0.02 is asked for.": losses_of_seeds(size_, lr_=rate_)[1] for rate_ in (0.01, 0.05, 0.1)}
            slips |= {f"This is the rate {0.02 * size_ / base_:g}, larger for larger batches; 0.02 is asked for, whatever the size.": losses_of_seeds(size_, lr_=0.02 * size_ / base_)[1] for base_ in (1, 64, 256) if size_ != base_}
            slips |= {f"These are {name_} epochs; five are asked for.": losses_of_seeds(size_, number_)[1] for name_, number_ in (("four", 4), ("six", 6))}
            slips |= {"These are ten epochs; five are asked for.": losses_of_seeds(size_, 10)[1], "This is one epoch; five are asked for.": losses_of_seeds(size_, 1)[1],
                      "This is seed 0 alone; the mean of three is asked for.": losses_of_seeds(size_, seeds_=(0,))[1]}
        for other_size in (64, 256, 1024):
            if other_size not in measured_sizes:
                measured_sizes[other_size] = losses_of_seeds(other_size)
        slips |= {f"This is the loss of batch size {other_size}.": losses[1] for other_size, losses in measured_sizes.items() if other_size != size_}
        if size_ == 1 and value < float(batch_losses[4]):
            advice = f"Yours is {value:.3f}, below the {float(batch_losses[4]):.3f} that you have for size 4. Here the loss does not go on falling: at size 1 it is above that of size 4 again. Measure it."
        named = [sentence for sentence, other in slips.items() if abs(value - other) < 0.0011]
        advice = named[0] if len(named) == 1 else advice
    assert_true(abs(value - wanted) <= off, f"batch_losses at {size_}: the mean validation loss of the three runs", of="losses", hint=advice)

with part(0.5, "the losses"):
    assert_type(batch_losses, dict, "batch_losses", of="losses")
    assert_equal(sorted(batch_losses), [1, 4, 16, 64, 256, 1024], "the keys of batch_losses", of="losses", hint="The six batch sizes themselves, as whole numbers.")
    for size_ in (1024, 256, 64, 16, 4, 1):
        near_size(size_, 0.05 if size_ == 1 else 0.021)
with part(0.5, "the epochs"):
    assert_type(epochs_256, int, "epochs_256", of="epochs")
    assert_true(1 <= epochs_256 <= 200, "epochs_256 is from 1 to 200", of="epochs", hint="It is a number of epochs, not of updates: batch size 256 makes 12 updates in an epoch.")
    measured_sizes.setdefault(64, losses_of_seeds(64))
    reached = losses_of_seeds(256, min(epochs_256, 30))[1] - measured_sizes[64][1]           # it goes on falling: 30 epochs tell enough
    assert_true(abs(reached) <= 0.02, "after epochs_256 epochs batch size 256 has the loss of batch size 64 after 5, within 0.02", of="epochs",
                hint=lambda: "It is lower already: fewer epochs." if reached <= 0 else "It is still higher: as many epochs as batch size 64 has had are not as many updates." if epochs_256 == 5 else "It is still higher: more epochs." + (
                    " With five more it is reached: the epochs count from the start of the training, the first five included." if epochs_256 <= 25 and abs(losses_of_seeds(256, epochs_256 + 5)[1] - measured_sizes[64][1]) <= 0.02 else ""))
### BEGIN HIDDEN TESTS
with part(0.5, "the losses, to 0.02"):
    for size_ in (4, 16, 64, 256, 1024):
        near_size(size_, 0.0201)
with part(0.5, "the epochs, other seeds"):
    assert_type(epochs_256, int, "epochs_256", of="epochs")
    assert_true(epochs_256 >= 1, "epochs_256 is at least 1", of="epochs")
    reached = losses_of_seeds(256, min(epochs_256, 30), (3, 4))[1] - losses_of_seeds(64, 5, (3, 4))[1]
    assert_true(abs(reached) <= 0.025, "with other seeds, too, epochs_256 epochs give the loss of batch size 64, within 0.025", of="epochs", hint="It is still higher: more epochs." if reached > 0 else "It is lower already: fewer epochs.")
total()
### END HIDDEN TESTS

# %% [markdown] written="4.4.5b" points=4
# ### BEGIN SOLUTION
# Means over the seeds 0, 1, 2, learning rate 0.02:
#
# | batch size | epochs | updates | training loss | validation loss |
# |---|---|---|---|---|
# | 1 | 5 | 15,000 | 0.44 | 0.65 |
# | 4 | 5 | 3,750 | 0.48 | 0.56 |
# | 16 | 5 | 940 | 0.60 | 0.63 |
# | 64 | 5 | 235 | 0.83 | 0.83 |
# | 256 | 5 | 60 | 1.23 | 1.22 |
# | 1024 | 5 | 15 | 1.79 | 1.79 |
# | 256 | 20 | 240 | 0.82 | 0.82 |
#
# 1. From 16 upward both losses grow with the batch, and together: the model has not been trained enough (underfitting), so it does no better on the pictures it has seen. Downward the training loss goes on falling, from 0.60 to 0.44, but the validation loss turns: 0.56 at size 4, 0.65 at size 1. A gap of 0.2 has opened.
# 2. 256 with 20 epochs makes 240 updates and has the loss 0.82; 64 with 5 epochs makes 235 and has 0.83. So in this range it is the *number of updates* (times the learning rate) that decides, and not the batch size by itself. A check: 256 with four times the learning rate and 5 epochs comes to 0.82, too.
# 3. The gradient of a single picture is mostly noise. With a constant rate the weights do not come to rest: they jump around the minimum, the farther the larger the rate and the smaller the batch; the three seeds end at 0.60, 0.71 and 0.64. Besides, 15,000 updates have begun to fit the 3,000 pictures themselves. A smaller rate shows
#    which it is: with rate 0.002 batch size 1 comes to 0.59. That is still not better than 0.56, but most of the harm is gone.
#
# **Rubric**
# - [1] Large batches: both losses rise together; small batches: a gap opens between them; evidence: the table with training and validation loss; lost by: "larger batches overfit"
# - [1] The numbers of updates, ceil(3000 / b) · 5; evidence: at least three of them are right
# - [1] With about the same number of updates 256 has the loss of 64, so the updates explain the effect; also accepted: a larger learning rate does the same; evidence: the numbers of a run; lost by: the claim without a run
# - [1] Noise of the single gradients at a constant learning rate; also accepted: overfitting, shown by the gap; lost by: "too few updates"
# ### END SOLUTION

# %% [markdown] teaches="expected cost of a decision, decision threshold"
# ## 8. The most probable label is not always the answer
#
# A model hands over probabilities. What to *do* with them is another question. Naming the most probable class makes the number of mistakes small, as if all mistakes were equally bad.
#
# Suppose that a test says "ill" with probability 0.3. Healthy is more probable. But a missed illness may cost 100, in some measure of harm, and a needless examination 1. On average sending the person home costs 0.3 · 100 = 30, and examining costs 0.7 · 1 = 0.7. One picks the action with the smallest *expected cost*. Examining pays as soon as p · 100 > (1 - p) · 1, for p above 1/101:

# %% teaches="expected cost of a decision, decision threshold"
for chance_ill in (0.005, 0.0095, 0.01, 0.3, 0.6):
    at_home, examine = chance_ill * 100, (1 - chance_ill) * 1
    print(f"p = {chance_ill:6}: sent home costs {at_home:6.3f}, examined costs {examine:5.3f} ->", "home" if at_home < examine else "examine")

# %% [markdown]
# So the rule is a *threshold* t: act if p ≥ t. It need not be 1/2. Often nobody can name the costs, but somebody can name a goal: "nine of ten sick people are to be found". The share that is found is the *recall* of part 4. The lower the threshold, the higher the recall, and the more false alarms.
#
# Shirts are the class that our model finds worst. Whoever must not miss a shirt can say "perhaps a shirt" earlier:

# %% tags=["demo"]
p_shirt, is_shirt = P_val[:, 6], y_val == 6
levels = torch.linspace(0.02, 0.7, 35)
recalls = [(p_shirt[is_shirt] >= t).float().mean().item() for t in levels]
alarms = [((p_shirt >= t) & ~is_shirt).sum().item() for t in levels]
figure, axes = plt.subplots(1, 2, figsize=(8, 2.8), layout="constrained")
axes[0].plot(levels, recalls)
axes[0].set(xlabel="threshold", ylabel="recall of shirts", ylim=(0, 1))
axes[1].plot(recalls, alarms)
axes[1].set(xlabel="recall of shirts", ylabel="other pieces picked", xlim=(0, 1))
for ax in axes:
    ax.grid(alpha=0.3)
plt.show()
print(f"most probable class: recall {(predicted[is_shirt] == 6).float().mean().item():.3f}, {((predicted == 6) & ~is_shirt).sum().item()} false alarms")
for t in (0.3, 0.1):
    print(f"threshold {t}: recall {(p_shirt[is_shirt] >= t).float().mean().item():.3f}, {((p_shirt >= t) & ~is_shirt).sum().item()} false alarms")

# %% [markdown]
# *Left*, the recall falls as the threshold rises. *Right*, the price: each further percent of shirts costs more false alarms than the one before.

# %% [markdown] task="4.4.3" kind="explain" minutes=20 difficulty=4 needs="decision threshold, recall, expected cost of a decision"
# ### Screening for an illness
#
# Write `recall_threshold(p, sick, recall)`: `p`, shape `(n,)`, holds a model's probabilities for n people whose state is known, and `sick`, shape `(n,)`, has 1 for sick and 0 for healthy. Whoever has p ≥ t is sent to a doctor. It returns the largest t among the values in `p` with which at least the share `recall` of the sick is sent, as a number or a
# tensor without axes. At least one person is sick, and 0 < `recall` ≤ 1.
#
# ⚠ Compare shares, not numbers of people, and in `float64`: 7 of 25 people are a share of 0.28, but 0.28 · 25 is 7.000000000000001 on the machine; and 0.7 in `float32` is less than 0.7 in Python.
#
# Then answer in words:
# 1. Why is the most probable label the wrong rule here? Give an example with numbers.
# 2. Name two ways to address it, and what each of them needs to know.
# 3. The threshold was chosen on this hospital's patients. Name something that makes it wrong elsewhere.
#
# **You are done when** your words answer all three, and
# - **share of the sick**: the share counts sick people only;
# - **largest**: of all values in `p` that reach the recall it is the largest one;
# - **exactly enough**: a share that equals `recall` is enough, 7 of 25 for 0.28 too, and whoever has p = t is sent, also where several people have the same p;
# - **everybody**: with `recall` 1 all sick people are sent.

# %% exercise="4.4.3"
def recall_threshold(p, sick, recall):
    """The largest t in p such that at least the share `recall` of the sick has p >= t."""
    ### BEGIN SOLUTION
    of_sick = p[sick == 1]
    for t in sorted(p.tolist(), reverse=True):
        if (of_sick >= t).double().mean() >= recall:
            return t
    ### END SOLUTION

# %% [markdown] hints="4.4.3"
# 1. Who counts in the share: everybody, or the sick? Does the share grow or fall as t falls?
# 2. `p[sick == 1]` are the probabilities of the sick; `(q >= t).double().mean()` is a share. It is enough to try the values of p, from the largest down.
# 3. The largest height that at least half of the boys (150, 160, 170) reach is 160: two of three reach it, and only one reaches 170.

# %% check="4.4.3" points=2
SLIPS = {
    "all": "The share is one of the sick, not of all people.", "place": "This is the place of the threshold in p; the value is asked for.",
    "healthy": "Only the values of healthy people were tried; all values in p count.", "index": "`p[sick]` takes p[1] and p[0] again and again: the sick are `p[sick == 1]`.",
    "among": "The number of sick people that are needed was counted off among all people: those who are not sick do not count.",
    "precision": "This counts the sick among those sent; asked for is the share of the sick that is sent.",
    "above": "This is one person further down than is needed: whoever has exactly t is sent, too, and the first value that is enough is the answer.",
    "more": "A share that equals the recall is enough.", "lowest": "This is the smallest value of all, which sends everybody.", "half": "The most probable label is not asked for.",
    "too_few": "With this t fewer than the wanted share of the sick are sent: the number of them is rounded up.",
    "top": "This is the largest probability of a sick person: of the sick, only those who have it are sent.",
    "between": "A quantile counts the steps between people, not people, and may lie between two of them.", "once": "People who have the same p count one by one.",
    "quantile": "A quantile counts the steps between people, not people.",
    "below": "Here the sick are counted from the smallest p up; those with p ≥ t are sent, so they count from the largest down."}

def sent_with(t, p, sick, recall, shown):
    """What a threshold does, by counting."""
    of_sick = p[sick == 1].tolist()
    number = sum(q >= t for q in of_sick)
    share = f"With p ≥ {t:.4g}, {number} of the {len(of_sick)} sick people are sent, a share of {number / len(of_sick):.3g}. " if shown else ""
    return share + ("These are too few of the sick." if number / len(of_sick) < recall else "With this t enough of the sick are sent; but a larger value in p does it, too, and the largest is asked for.")

def threshold_check(p_, sick_, recall_, right, of, words, rounding=False, shown=True, **slips):
    """`right` is the threshold; `slips` are the values that come out with the mistakes of these names."""
    found = recall_threshold(p_.clone(), sick_.clone(), recall_)
    assert_type(found, (float, int, torch.Tensor), f"the threshold for {words}", of="largest", hint="A value of p, as a number or a tensor without axes.")
    if isinstance(found, torch.Tensor):
        assert_equal(found.numel(), 1, f"the number of entries of the threshold for {words}", of="largest", hint="One threshold: a number, or a tensor without axes.")
    outside = min(abs(float(found) - q) for q in p_.tolist()) > 1e-5
    if of == "share of the sick" and not any(abs(float(found) - value) < 1e-5 for value in (right, *(slips[slip] for slip in ("all", "index", "precision", "among")))):
        of = "largest"                                                     # nobody but the sick was counted, as far as one can tell
    if rounding:
        assert_close(found, right, f"the threshold for {words}", of=of, rtol=1e-5, hint="A share that equals the recall is enough.",
                     mistakes={"Here rounding decided: compare the share, the number sent divided by the number of the sick, with `recall`, in float64.": slips["more"]})
        return
    assert_close(found, right, f"the threshold for {words}", of=of, rtol=1e-5, mistakes={SLIPS[slip]: value for slip, value in slips.items()},
                 hint=lambda: "t has to be one of the values in p: neither a place in p nor a number between two of its values." if outside else sent_with(float(found), p_, sick_, recall_, shown))

chances_ = torch.tensor([0.3, 0.87, 0.65, 0.9, 0.8, 0.2, 0.4, 0.55, 0.7, 0.6, 0.1, 0.86, 0.85, 0.68, 0.95])
states_ = torch.tensor([0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0])
threshold_check(chances_, states_, 0.41, 0.65, "share of the sick", "recall 0.41, the sick having 0.85, 0.8, 0.65, 0.6, 0.4 and the healthy 0.95, 0.9, 0.87, 0.86, 0.7, 0.68, 0.55, 0.3, 0.2, 0.1",
                all=0.7, healthy=0.55, index=0.3, among=0.87, precision=0.4, above=0.6, place=2, lowest=0.1, half=0.5, too_few=0.8, top=0.85, between=0.704)
threshold_check(chances_, states_, 0.3, 0.8, "largest", "recall 0.3, the same people",
                all=0.85, healthy=0.7, index=0.87, among=0.9, above=0.7, place=4, lowest=0.1, half=0.5, too_few=0.85, top=0.85, between=0.77, quantile=0.65, below=0.6)
few_, few_sick_ = torch.tensor([0.2, 0.55, 0.6, 0.35, 0.95, 0.9, 0.1]), torch.tensor([1, 0, 1, 1, 0, 1, 0])
threshold_check(few_, few_sick_, 0.5, 0.6, "exactly enough", "recall 0.5, the sick having 0.9, 0.6, 0.35, 0.2 and the healthy 0.95, 0.55, 0.1",
                all=0.55, healthy=0.55, index=0.55, among=0.9, precision=0.9, above=0.55, more=0.35, place=2, lowest=0.1, half=0.5, top=0.9, between=0.475)
threshold_check(chances_, states_, 1.0, 0.4, "everybody", "recall 1, the sick having 0.85, 0.8, 0.65, 0.6, 0.4 and ten healthy people from 0.1 to 0.95",
                all=0.1, healthy=0.3, index=0.3, among=0.85, precision=0.1, above=0.3, more=0.1, place=6, lowest=0.1, half=0.5, top=0.85)
threshold_check(torch.tensor([0.7, 0.45, 0.45, 0.45, 0.2, 0.8]), torch.tensor([1, 1, 1, 1, 0, 0]), 0.6, 0.45, "exactly enough", "recall 0.6, the sick having 0.7, 0.45, 0.45, 0.45 and the healthy 0.8, 0.2",
                healthy=0.2, above=0.2, place=1, lowest=0.2, half=0.5, top=0.7)
alike_, alike_sick_ = torch.tensor([0.9, 0.95, 0.9, 0.8, 0.9, 0.6, 0.9, 0.9, 0.7, 0.9, 0.2]), torch.tensor([1, 0, 1, 1, 1, 1, 1, 1, 0, 1, 0])
threshold_check(alike_, alike_sick_, 0.75, 0.9, "exactly enough", "recall 0.75, the sick having six times 0.9, 0.8, 0.6 and the healthy 0.95, 0.7, 0.2",
                all=0.7, healthy=0.7, above=0.8, more=0.8, place=0, lowest=0.2, half=0.5, between=0.875, once=0.6)
threshold_check(torch.arange(30).flip(0) / 32, (torch.arange(30) % 6 != 1).long(), 0.28, 21 / 32, "exactly enough", "30 people with p from 29/32 down to 0, 25 of them sick, and recall 0.28", rounding=True, more=20 / 32)
threshold_check(torch.arange(12) / 16, (torch.arange(12) % 5 != 2).long(), 0.7, 4 / 16, "exactly enough", "12 people with p from 0 to 11/16, all sick but those with 2/16, 7/16, and recall 0.7", rounding=True, more=3 / 16)
threshold_check(chances_, states_, 0.8, 0.6, "exactly enough", "recall 0.8, the sick having 0.85, 0.8, 0.65, 0.6, 0.4 and ten healthy people from 0.1 to 0.95", rounding=True, more=0.4)
### BEGIN HIDDEN TESTS
def smallest_need(p_, sick_, recall_, slip=""):
    """The threshold, by counting; slips: above (p > t), more (share > recall), all (share of everybody), healthy (t of a healthy person), index (p[sick]), precision, among, below."""
    people = list(zip(p_.tolist(), sick_.tolist()))
    if slip in ("among", "below"):                                         # counted off among all people; counted from the smallest p up
        values = sorted((q for q, s in people if s == 1 or slip == "among"), reverse=slip == "among")
        return values[max(math.ceil(recall_ * sum(s for _, s in people) - 1e-9), 1) - 1]
    counted = p_[sick_].tolist() if slip == "index" else [q for q, s in people if s == 1 or slip == "all"]
    fitting = []
    for t, state in people:
        if slip == "precision":
            sent = [s for q, s in people if q >= t]
            fitting += [t] if sum(sent) / len(sent) >= recall_ else []
            continue
        if slip == "healthy" and state == 1:
            continue
        sent = sum(1 for q in counted if (q > t if slip == "above" else q >= t))
        if sent / len(counted) > recall_ or (slip != "more" and sent / len(counted) == recall_):
            fitting.append(t)
    return max(fitting) if fitting else min(q for q, _ in people)

def with_slips(p_, sick_, recall_, of):
    """The threshold, and what comes out with each mistake, by name."""
    of_sick_ = p_[sick_ == 1]
    falling = sorted(of_sick_.tolist(), reverse=True)
    right, once = smallest_need(p_, sick_, recall_), sorted(set(falling), reverse=True)
    slips = {slip: smallest_need(p_, sick_, recall_, slip) for slip in ("all", "healthy", "index", "among", "precision", "above", "more")}
    slips |= {"place": p_.tolist().index(right), "lowest": min(p_.tolist()), "half": 0.5, "too_few": falling[max(int(recall_ * len(falling)), 1) - 1], "top": falling[0],
              "between": of_sick_.quantile(1 - recall_).item(), "once": once[min(math.ceil(recall_ * len(once) - 1e-9), len(once)) - 1]}
    return {"right": right} | slips | ({"quantile": of_sick_.quantile(1 - recall_, interpolation="lower").item(), "below": smallest_need(p_, sick_, recall_, "below")} if of == "largest" else {})

source = torch.Generator().manual_seed(45)
for n_, share_, recall_ in ((20, 0.4, 0.83), (31, 0.3, 0.55), (12, 0.6, 0.95), (50, 0.2, 0.05), (40, 0.5, 0.37)):
    p_ = (torch.rand(n_, generator=source) * 12).round() / 12
    sick_ = (torch.rand(n_, generator=source) < share_).long()
    sick_[n_ // 2] = 1
    if abs(recall_ * int(sick_.sum()) - round(recall_ * int(sick_.sum()))) > 1e-6:
        of_ = "share of the sick" if n_ != 50 else "largest"
        threshold_check(p_, sick_, recall_, of=of_, words=f"{n_} people of whom {int(sick_.sum())} are sick, recall {recall_}", shown=False, **with_slips(p_, sick_, recall_, of_))
for n_, ill_, recall_ in ((14, 8, 0.25), (9, 4, 0.75), (20, 16, 0.5), (11, 2, 0.5), (60, 50, 0.14), (70, 50, 0.56), (15, 10, 0.9)):
    p_ = torch.randperm(n_, generator=source) / (n_ + 3)
    sick_ = (torch.randperm(n_, generator=source) < ill_).long()
    threshold_check(p_, sick_, recall_, of="exactly enough", words=f"{n_} people of whom {ill_} are sick, recall {recall_}", shown=False, **with_slips(p_, sick_, recall_, "exactly enough"))
    threshold_check(p_, sick_, 1.0, of="everybody", words=f"{n_} people of whom {ill_} are sick, recall 1", shown=False, **with_slips(p_, sick_, 1.0, "everybody"))
### END HIDDEN TESTS

# %% [markdown] written="4.4.3" points=3
# ### BEGIN SOLUTION
# 1. The most probable label makes the number of mistakes small, as if all mistakes cost the same. With p = 0.3 for cancer "healthy" is the more probable label, and yet three of ten people sent home like this are ill. If a missed illness costs 100 and a needless examination 1, sending home costs 30 on average and examining 0.7. And
#    with an illness that 1 of 100 has, "healthy" for everybody is right in 99 of 100 cases and of no use at all.
# 2. (a) Choose the action with the smallest expected cost. That needs the costs of all pairs of state and action, and probabilities that are *calibrated*: of those who get 0.3, three in ten must really be ill. (b) Choose a threshold by the wanted recall on validation data, as above. That needs labelled data from the same population, and
#    somebody who accepts the false alarms. (c) Refuse to decide in doubtful cases, and hand them to a person or a further test. That needs a cost or a quota for doing so. (d) Weight the classes in the loss, which needs the costs before training.
# 3. Another share of sick people (a general practice in place of a clinic), other devices, other age groups: then the probabilities are no longer calibrated, and the same t gives another recall. Also, few sick people in the validation data make t itself uncertain: with 20 of them, one person more or less is five percent.
#
# **Rubric**
# - [1] The most probable label treats all mistakes alike; evidence: an example with two costs or a rare illness, in numbers; lost by: "because the model is not accurate enough"
# - [1] Two ways (expected cost, threshold for a recall, abstaining, weighted loss), each with what it needs to know; lost by: only "use more data" or "use a better model"
# - [1] One change of population, device or base rate that makes probabilities or threshold wrong; also accepted: few positive cases; lost by: "overfitting" without saying of what
# ### END SOLUTION

# %% [markdown] teaches="softmax over many classes, two-level softmax"
# ## 9. Very many classes
#
# A model of language predicts the next word. Its classes are words, 100,000 of them, say. With 300 features one linear layer already has

# %% teaches="softmax over many classes"
words_known, features = 100_000, 300
parameters = features * words_known + words_known
print(f"parameters: {parameters:,}, in float32 {parameters * 4 / 1e6:.0f} MB")
print(f"scores of a batch of 256: {256 * words_known:,}, in float32 {256 * words_known * 4 / 1e6:.0f} MB")
print(f"multiplications for one example: {features * words_known:,}")

# %% [markdown]
# All that for one word: the sum below the softmax's fraction needs *every* score, and the gradient P - Y is nowhere 0, so every example moves the weights of *all* words, wherever its feature is not 0.
#
# One remedy splits the choice in two, like finding a word in a dictionary by first choosing the page. Sort the words into C classes of M words; a *class* is from here on such a page, no longer a word. Word number w, counted from 0, gets class `w // M` and there the place `w % M`. By the product rule of section 2.6
#
# $$p(w) = p(\text{class}) \cdot p(\text{place} \mid \text{class}) ,$$
#
# and each factor is a softmax of its own. An example is a row $\mathbf h$ of d features. With scores $\mathbf h \mathbf A$ for the classes, A of shape (d, C), and $\mathbf h \mathbf B_c$ for the places in class c, B of shape (C, d, M), an example needs C + M scores in place of C · M. Six words in two classes of three, for one example:

# %% teaches="two-level softmax"
p_class = torch.tensor([0.3, 0.7])                                      # two classes
p_place = torch.tensor([[0.5, 0.4, 0.1], [0.2, 0.2, 0.6]])              # three places in each
p_words = (p_class[:, None] * p_place).flatten()                        # all six words
print("the six words:", [round(p, 3) for p in p_words.tolist()], " sum:", round(p_words.sum().item(), 4))
w = 5
print("word 5: class", w // 3, "place", w % 3, " log p:", (torch.log(p_class[w // 3]) + torch.log(p_place[w // 3, w % 3])).item(), "=", math.log(0.42))
print("scores for 100,000 words:", 100_000, " in 317 classes of 316 words:", 317 + 316)
stack, which = torch.randn(4, 3, 2), torch.tensor([3, 0, 3, 1, 1])      # four matrices (3, 2); one number for each of five rows
print("stack[which]:", tuple(stack[which].shape), " (5, 1, 3) @ (5, 3, 2):", tuple((torch.ones(5, 1, 3) @ stack[which]).shape))

# %% [markdown]
# The last two lines show a tool for it. A tensor of matrices, indexed with five numbers, gives five matrices. And `@` between (5, 1, 3) and (5, 3, 2) multiplies them pair by pair, each row with its own matrix.

# %% [markdown] task="4.4.4" kind="explain" minutes=25 difficulty=5 needs="softmax over many classes, two-level softmax, log-softmax, advanced indexing"
# ### The next word
#
# Write `two_level_log_probability(h, A, B, words)`: `h` `(n, d)`, `A` `(d, C)`, `B` `(C, d, M)` and `words` `(n,)`, `int64`, numbers from 0 to C · M - 1. It returns log p of each given word by the two-level softmax.
#
# Then answer in words:
# 1. What problems does a flat softmax over V = 100,000 words with d = 300 make? Give parameters, and the memory for the scores of a batch of 256 in `float32`.
# 2. Which of these does the two-level softmax solve, and which not?
# 3. Name a problem of a large vocabulary that is none of time or memory.
#
# **You are done when** your words answer all three, and
# - **shape**: the result has shape `(n,)`, for a single example, too;
# - **values**: each entry is the logarithm of class probability times place probability;
# - **any size**: it is finite and right for scores of any size;
# - **few scores**: only the matrices of the classes that occur are used: with thousands of classes, far fewer than C · M numbers are computed on the way, and `B` as a whole is not copied;
# - **arguments kept**: all four are as they were.

# %% exercise="4.4.4"
def two_level_log_probability(h, A, B, words):
    """log p(word) with classes of words: (n, d), (d, C), (C, d, M), (n,) -> (n,)."""
    ### BEGIN SOLUTION
    M, each = B.shape[2], torch.arange(len(h))
    kind, place = words // M, words % M
    of_class = torch.log_softmax(h @ A, dim=1)
    of_place = torch.log_softmax((h[:, None, :] @ B[kind])[:, 0], dim=1)
    return of_class[each, kind] + of_place[each, place]
    ### END SOLUTION

# %% [markdown] hints="4.4.4"
# 1. The logarithm turns the product into a sum. Which two rows of scores does one example need?
# 2. `torch.log_softmax(S, dim=1)` is the safe form of log(softmax). `B[kind]` has shape (n, d, M): a matrix for each example.
# 3. Two levels with fixed numbers: p(class 1) = 0.3 and p(place 2 | class 1) = 0.5 give log p = log 0.3 + log 0.5; with M = 4 that is word 1 · 4 + 2 = 6.

# %% check="4.4.4" points=3
@probe
def words_scored(h, A, B, words):
    return two_level_log_probability(h, A, B, words), h, A, B, words

@probe
def single_word_scored(h, A, B, words):
    """The result, or what an axis that is not there led to."""
    try:
        return two_level_log_probability(h, A, B, words)
    except IndexError as error:
        return f"IndexError: {error}"

@probe
def numbers_made(h, A, B, words):
    """How many numbers the call computes in tensors of its own, or holds outside of torch at once."""
    import tracemalloc
    from torch.utils._python_dispatch import TorchDispatchMode
    given = {t.untyped_storage().data_ptr() for t in (h, A, B, words)}
    made = [0]

    class Watching(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            out = func(*args, **(kwargs or {}))
            made.extend(t.numel() for t in (out if isinstance(out, (tuple, list)) else [out]) if isinstance(t, torch.Tensor) and t.untyped_storage().data_ptr() not in given)
            return out

    with Watching():
        two_level_log_probability(h, A, B, words)
    tracemalloc.start()
    two_level_log_probability(h, A, B, words)
    outside = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return max(sum(made), outside // 8)

def which_level(h, A, B, words):
    """Which of the two levels is wrong, by setting the weights of the other to zero."""
    (C, _, M), each = B.shape, torch.arange(len(words))
    first = torch.log_softmax(h.double() @ A.double(), 1)[each, words // M]
    second = torch.log_softmax(torch.einsum("nd,cdm->ncm", h.double(), B.double()), 2)[each, words // M, words % M]
    neither, no_places, no_classes = (words_scored(h.clone(), k * A, m * B, words.clone())[0] for k, m in ((0, 0), (1, 0), (0, 1)))
    def right(found, wanted):
        return tuple(found.shape) == tuple(wanted.shape) and bool((found - wanted).abs().max() < 1e-4)
    if not right(neither, first * 0 - math.log(C * M)):
        return (f"With zero weights each of the {C * M} words has 1/{C} · 1/{M}, so log p is -log {C} - log {M} = {-math.log(C * M):.4f}; for the first word yours is {float(neither[0]):.4f}. "
                "The probability is a product, so its logarithm is a sum of two logarithms.")
    all_classes, kind, each_place = torch.log_softmax(h.double() @ A.double(), 1), words // M, words % M
    laid_out = torch.stack([torch.log_softmax(row @ B[c].double().reshape(M, -1).T, 0)[m] for row, c, m in zip(h.double(), kind, each_place)])
    if len(words) > 1 and right(no_places, all_classes[:, kind].mean(dim=1) - math.log(M)):
        return "With zero weights B yours is a mean over the classes of all words, as from `[:, kind]`: every row with every word's class. Each row has to meet its own class only: the row numbers have to be written out."
    if right(no_places, all_classes.max(dim=1).values - math.log(M)):
        return "With zero weights B yours is the logarithm for the most probable class of each row; the class of the word, w // M, is asked for."
    if right(no_places, first - math.log(M)) and right(no_classes, laid_out - math.log(C)):
        return "The level of the classes is right. That of the places is what comes out with each matrix B[c] laid out anew as (M, d), by `reshape`: B[c] has shape (d, M), and each of its columns belongs to a place."
    if not right(no_places, first - math.log(M)):
        return "With zero weights B all places are alike, and log p is that of the class, less log M: there yours is wrong already, so look at the level of the classes. Word w is in class w // M, and each row meets the class of its own word."
    if not right(no_classes, second - math.log(C)):
        return "With zero weights A all classes are alike, and log p is that of the place in its class, less log C: there yours is wrong, so look at the level of the places. Word w has the place w % M in class w // M."
    return "With zero weights A, and with zero weights B, yours is right: each level alone is, and the two logarithms are added."

def words_check(h_, A_, B_, words_, text, big=False, plain=False):
    (C, _, M), n_ = B_.shape, len(words_)
    found, *after_ = words_scored(h_.clone(), A_.clone(), B_.clone(), words_.clone())
    first, second = torch.log_softmax(h_.double() @ A_.double(), 1), torch.log_softmax(torch.einsum("nd,cdm->ncm", h_.double(), B_.double()), 2)
    every = (first[:, :, None] + second).reshape(n_, C * M)
    each_, earlier_, flat = torch.arange(n_), (words_ - 1).clamp(min=0), torch.log_softmax((h_.double() @ A_.double())[:, :, None] + torch.einsum("nd,cdm->ncm", h_.double(), B_.double()), 2)
    right = every[each_, words_].float()
    one_softmax = torch.log_softmax(((h_.double() @ A_.double())[:, :, None] + torch.einsum("nd,cdm->ncm", h_.double(), B_.double())).reshape(n_, C * M), 1)[each_, words_].float()
    kinds_, places_, scores_, rows_ = words_ // M, words_ % M, h_.double() @ A_.double(), torch.einsum("nd,cdm->ncm", h_.double(), B_.double())[each_, words_ // M]
    across, across_places = torch.log_softmax(scores_, 0)[each_, kinds_], torch.log_softmax(rows_, 0)[each_, places_]
    assert_shape(found, (n_,), f"the shape for {text}", of="shape", hint="One number for each word.")
    assert_close(found, right, f"log p for {text}", of="any size" if big else "values", rtol=1e-4, atol=1e-3 if big else 1e-4,
                 hint=lambda: "From scores straight to logarithms, by log_softmax; a probability may be too small for its number format." if big else which_level(h_, A_, B_, words_),
                 mistakes={} if big or plain else {"This is a probability, not its logarithm.": right.exp(), "The sign is wrong: the logarithm of a probability is not positive.": -right, "This is one softmax over all words: each level has to be normalised by itself.": one_softmax,
                                          "The first level is missing.": second[each_, words_ // M, words_ % M].float(), "The second level counts nothing: it is missing, or its softmax runs over an axis of length 1.": first[each_, words_ // M].float(),
                                          "The scores of the classes are not normalised.": (scores_[each_, kinds_] + second[each_, kinds_, places_]).float(), "The scores of the places are not normalised.": (first[each_, kinds_] + rows_[each_, places_]).float(),
                                          "No score is normalised.": (scores_[each_, kinds_] + rows_[each_, places_]).float(), "The softmax of both levels runs over the examples; it belongs to each example.": (across + across_places).float(),
                                          "The softmax of the classes runs over the examples; it belongs to each example.": (across + second[each_, kinds_, places_]).float(), "The softmax of the places runs over the examples; it belongs to each example.": (first[each_, kinds_] + across_places).float(),
                                          "The places were not picked: the whole row of logarithms is added.": (first[each_, kinds_] + second[each_, kinds_].sum(1)).float(), "The class of the first word was taken for the places of all.": (first[each_, kinds_] + second[each_, kinds_[0], places_]).float(),
                                          "The class is w // M, the place w % M; here C was taken for M.": (first[each_, words_ % C] + second[each_, words_ % C, words_ // C]).float(), "Words are counted from 0.": every[each_, earlier_].float(),
                                          "The places of class 0 were taken for all.": (first[each_, words_ // M] + second[each_, 0, words_ % M]).float()}
                 | ({"Here the class is w // C and the place w % C; both go by M, the number of places in a class.": (first[each_, words_ // C] + second[each_, words_ // C, words_ % C]).float()} if not plain and C != M and int(words_.max()) // C < C and C <= M else {}))
    for name_, before_, later_ in zip(("h", "A", "B", "words"), (h_, A_, B_, words_), after_):
        assert_equal(later_.tolist(), before_.tolist(), f"{name_} after the call, for {text}", of="arguments kept", hint="A step of the function writes into its argument.")

def single_check(d_, C_, M_, word_, text):
    one = torch.arange(1.0 * d_).reshape(1, d_).cos(), torch.arange(1.0 * d_ * C_).reshape(d_, C_).sin(), torch.arange(1.0 * C_ * d_ * M_).reshape(C_, d_, M_).cos(), torch.tensor([word_])
    assert_shape(single_word_scored(*one), (1,), f"the shape for {text}", of="shape", hint="The result for one example has shape (1,), too: `squeeze()` without an axis removes this axis as well.")
    words_check(*one, text)

source = torch.Generator().manual_seed(46)
words_check(torch.arange(8.0).reshape(4, 2).cos(), torch.tensor([[0.2, -0.5], [0.0, 1.0]]), torch.arange(12.0).reshape(2, 2, 3).sin(), torch.tensor([3, 0, 2, 1]), "four rows, 2 classes of 3 words, the words 3, 0, 2, 1")
words_check(torch.arange(12.0).reshape(6, 2).cos(), torch.tensor([[0.2, -0.5, 1.0], [0.0, 1.0, 0.4]]), torch.arange(12.0).reshape(3, 2, 2).sin(), torch.tensor([4, 0, 1, 5, 2, 3]), "six rows, 3 classes of 2 words, the words 4, 0, 1, 5, 2, 3")
words_check(torch.ones(2, 3), torch.zeros(3, 4), torch.zeros(4, 3, 5), torch.tensor([0, 19]), "zero weights, 4 classes of 5 words, the words 0 and 19", plain=True)
single_check(2, 3, 4, 9, "a single row, 3 classes of 4 words, the word 9")
words_check(300 * torch.randn(3, 2, generator=source), torch.randn(2, 4, generator=source), torch.randn(4, 2, 3, generator=source), torch.tensor([11, 4, 0]), "features of size 300, 4 classes of 3 words, the words 11, 4, 0", big=True)
wide_ = torch.randn(2, 2, generator=source), torch.randn(2, 3000, generator=source), torch.randn(3000, 2, 50, generator=source)
assert_true(numbers_made(*wide_, torch.tensor([3, 149_999])) < 3000 * 50, "2 examples, 3,000 classes of 50 words: fewer than 150,000 numbers are computed on the way", of="few scores", hint="Pick the matrices of the classes that are needed, and multiply only these; no copy of all of B.")
### BEGIN HIDDEN TESTS
source = torch.Generator().manual_seed(47)
for n_, d_, C_, M_, size_ in ((6, 3, 4, 5, 1.), (5, 2, 3, 7, 1.), (4, 3, 6, 2, 400.)):
    words_ = torch.randint(0, C_ * M_, (n_,), generator=source)
    words_[0], words_[1] = C_ * M_ - 1, M_
    words_check(size_ * torch.randn(n_, d_, generator=source), torch.randn(d_, C_, generator=source), torch.randn(C_, d_, M_, generator=source), words_, f"{n_} examples, {C_} classes of {M_} words, features of size {size_:g}", big=size_ > 9)
single_check(3, 5, 2, 6, "a single row, 5 classes of 2 words, the word 6")
wide_ = torch.randn(3, 2, generator=source), torch.randn(2, 1000, generator=source), torch.randn(1000, 2, 200, generator=source)
assert_true(numbers_made(*wide_, torch.tensor([3, 199_999, 777])) < 1000 * 200, "3 examples, 1,000 classes of 200 words: fewer than 200,000 numbers are computed on the way", of="few scores", hint="Pick the matrices of the classes that are needed, and multiply only these; no copy of all of B.")
### END HIDDEN TESTS

# %% [markdown] written="4.4.4" points=3
# ### BEGIN SOLUTION
# 1. The layer has 300 · 100,000 + 100,000 = 30.1 million parameters, 120 MB in `float32`, and as much again for the gradient. The scores of a batch of 256 take 256 · 100,000 · 4 bytes = 102 MB, and the probabilities and the gradient of the scores as much again. Each example costs 30 million multiplications forward, for one correct word: the sum
#    below the fraction needs all scores. And since no probability is exactly 0, every word's weights get a gradient at every step.
# 2. It solves time and memory in training: with 317 classes of 316 places an example needs 633 scores in place of 100,000. It does not solve the number of parameters, for B holds d · C · M numbers, as many as before. Nor the search for the *most probable* word, which may need the places of many classes. And the classes must be chosen
#    well: words that occur in the same places should share a class, or the second level has nothing to go by.
# 3. Most words are rare, so most of the 30 million parameters see few examples of their word. Words that are not in the vocabulary have probability 0. "Big" for "large" counts as wrong as any other word, since the loss knows no nearness of meaning. Remedies: pieces of words, shared vectors for input and output, soft labels.
#
# **Rubric**
# - [1] Parameters (about 30 million) and memory of the scores (about 100 MB), with the calculation; also accepted: the multiplications for each example; lost by: "the softmax overflows", and by "most words get no gradient" (all do: p - 0 > 0)
# - [1] Two levels reduce scores for each example from V to C + M, but not the number of parameters, or not the search for the best word; lost by: "the model has fewer parameters"
# - [1] A statistical problem: rare or unknown words, similar words counted as plain mistakes; lost by: another cost in time or memory
# ### END SOLUTION

# %% [markdown]
# ## Summary
#
# - Twenty lines make a classifier: pictures as rows, scores, softmax, the label's probability by its index, -log, and a loop over shuffled batches. Before training its loss is log q; if not, look for the mistake first.
# - Weights drawn as pictures, the surest mistakes and the confusion matrix say what the accuracy hides: shirts, coats and pullovers cover the same pixels.
# - The formulas are right and their programs are not: the softmax breaks at both ends of the number range, 0 · log 0 is nan, and a probability may be smaller than any number. The max-shift mends the first, and going from scores straight to the logarithm the rest.
# - Learning rate times number of updates says how far the training has come, the batch size how noisy each update is.
# - What to do with probabilities depends on what mistakes cost; and with very many classes the softmax itself becomes the cost. Section 4.5 builds the same model from the library's parts, with the safe loss inside; chapter 5 puts layers before it that do more than add up pixels.
