# %% [markdown]
# # B.4 Memory, graphs and checkpointing
#
# A network that answers questions fits on a small machine. The same network, while it learns, may need many times the memory. Where does it go? One part are the gradients, and
# the fused update of B.2 gets rid of them. This section looks at the other large part: what the forward pass puts aside for the way back.
#
# At the end you can
# - say in bytes what a training step keeps and what a prediction keeps, before you run either;
# - read both from torch's profiler;
# - see how the graph grows when derivatives are differentiated again;
# - throw most of that memory away and compute it again when it is needed, with torch's checkpoints and with one that you write yourself.

# %% tags=["setup"]
from d2l_utils.check import *
import d2l_utils as d2l
import contextlib
import itertools
import os
import time
import weakref
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.checkpoint import checkpoint, checkpoint_sequential


def deep_mlp(widths, seed):
    """Linear and ReLU in turn, a Linear at the end; the same weights for the same seed."""
    torch.manual_seed(seed)
    layers = []
    for fan_in, fan_out in itertools.pairwise(widths):
        layers += [nn.Linear(fan_in, fan_out), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def mean_square(net, X, Y):
    """The mean squared error; its graph keeps the differences."""
    return (net(X) - Y).square().mean()


def tower(blocks, width, seed, dropout=0.):
    """A Sequential of equal blocks, each Linear, Tanh and Dropout."""
    torch.manual_seed(seed)
    return nn.Sequential(*[nn.Sequential(nn.Linear(width, width), nn.Tanh(), nn.Dropout(dropout)) for i in range(blocks)])


@contextlib.contextmanager
def quiet():
    """Drops what C++ code writes to stderr: the profiler of torch 2.13 writes two lines there each time."""
    kept, null = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(null)


class MemoryMeter(TorchDispatchMode):
    """`history`: after each operation, the bytes of the memory that was taken since the meter is on, and not given back."""

    def __init__(self):
        super().__init__()
        self.alive, self.history = {}, [0]

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        given = {t.untyped_storage()._cdata for t in tree_leaves((args, kwargs)) if isinstance(t, torch.Tensor)}
        for t in tree_leaves(result):
            storage = t.untyped_storage() if isinstance(t, torch.Tensor) else None
            if storage is not None and storage._cdata not in given | set(self.alive):
                self.alive[storage._cdata] = storage.nbytes()
                weakref.finalize(storage, self.alive.pop, storage._cdata)
        self.history.append(sum(self.alive.values()))
        return result


def measure(f):
    """(the most bytes of new memory alive at once during f(), the bytes that f's result keeps alive)."""
    with MemoryMeter() as meter:
        result = f()
        kept = sum(meter.alive.values())
    del result
    return max(meter.history), kept

# %% [markdown] teaches="memory of training, saved activations"
# ## 1. What training has to remember
#
# What lies in memory while a network learns? Four things:
#
# | what | how much | until when |
# |---|---|---|
# | parameters | fixed by the network | always |
# | gradients | as much as the parameters | from the backward pass to the step |
# | the optimizer's state | nothing for SGD, twice the parameters for Adam | always |
# | **saved activations** | grows with the batch *and* with the depth | from the forward pass to the backward pass |
#
# Why must activations be saved? The rule for a Linear layer's weight gradient needs the layer's input; the rule for ReLU needs to know where its output is positive; the rule for a square needs what was squared. The backward
# pass meets the layers in reverse, so what the first layer saves must wait for the longest time. A prediction has no way back. It may drop each output as soon as the next layer has read it.
#
# The set-up cell has a meter. `measure(f)` calls `f()` and returns two numbers: the *peak*, the most bytes of new memory that were alive at one moment, and what is *kept*, the bytes that are still alive when `f` has returned and its result is held. What
# was there before (the parameters, the batch) does not count. Let us go through a network with one hidden layer, 100 → 50 → 10, with 64 examples in float32, 4 bytes for each number.

# %% teaches="memory of training, saved activations, measure"
small = deep_mlp((100, 50, 10), seed=0)
inputs, goals = torch.randn(64, 100), torch.randn(64, 10)
print("one hidden activation, 64 x 50 numbers:", 4 * 64 * 50, " one output, 64 x 10 numbers:", 4 * 64 * 10)
print("training:   peak %6d, kept %6d" % measure(lambda: mean_square(small, inputs, goals)))
with torch.no_grad():
    print("prediction: peak %6d, kept %6d" % measure(lambda: small(inputs)))

# %% [markdown]
# Follow the training step, operation by operation:
#
# 1. The first Linear writes 64 · 50 numbers, 12,800 bytes. ReLU writes 12,800 more. ReLU saves its *output*, and the second Linear saves the same tensor as its input. Nobody needs what the first Linear has written, so that goes.
# 2. The second Linear writes 2,560 bytes, the difference to the target 2,560 more. The square saves the difference; the output itself goes.
# 3. The squares, 2,560 bytes, go when their mean is known: a single number, 4 bytes.
#
# Kept are 12,800 + 2,560 + 4 = 15,364 bytes. All of this hangs on the loss: while the loss is held, its graph is held, and the graph holds what was saved.
#
# The prediction has its peak at the ReLU: input and output lie side by side, 25,600 bytes. At the second Linear it is 12,800 + 2,560. In the end only the output is left.
#
# The difference grows with the depth. A prediction needs two neighbouring activations, however deep the network is. Training needs one for each layer:

# %% tags=["demo"]
depths = range(1, 13)
needs = [[], []]
for depth in depths:
    net = deep_mlp((100, *[50] * depth, 10), 0)
    needs[0].append(measure(lambda: mean_square(net, inputs, goals))[0] / 1000)
    with torch.no_grad():
        needs[1].append(measure(lambda: net(inputs))[0] / 1000)
fig, ax = plt.subplots(figsize=(5.5, 3), layout="constrained")
for values, name, mark in zip(needs, ("training, up to the loss", "prediction"), ("o-", "s--")):
    ax.plot(depths, values, mark, label=name)
ax.set(xlabel="hidden layers of width 50", ylabel="peak, thousand bytes", ylim=(0, None))
fig.legend(loc="outside upper center", ncols=2)
plt.show()

# %% [markdown]
# The dashed line of the prediction is flat. The training line rises by 12,800 bytes, one hidden activation, with each layer.

# %% [markdown] task="B.4.A" kind="code" minutes=3 difficulty=1 core=true needs="memory of training"
# ### The outputs of the layers
#
# Write `output_bytes(widths, n)`: the list of the bytes that each layer of `deep_mlp(widths, seed)` writes for a batch of `n` examples in float32, in the order of the layers: Linear, ReLU, Linear, ..., and a Linear at the end without a ReLU.
# `widths` is a tuple of at least two integers; the first one is the number of inputs.
#
# **You are done when**
# - **layers**: there is one number for each layer, two for each hidden width, one for the last;
# - **bytes**: each is the size of the layer's output in bytes, in order.

# %% exercise="B.4.A"
def output_bytes(widths, n):
    """The bytes that each layer of deep_mlp(widths, seed) writes for n examples."""
    ### BEGIN SOLUTION
    found = []
    for width in widths[1:-1]:
        found += [4 * n * width, 4 * n * width]
    return found + [4 * n * widths[-1]]
    ### END SOLUTION

# %% [markdown] hints="B.4.A"
# 1. What is the shape of the output of a Linear from 50 to 10 for 64 examples?
# 2. Every hidden width stands for a Linear and a ReLU, whose outputs have the same shape. A float32 takes 4 bytes.
# 3. Widths 3, 2, 1 and one example: Linear 2 numbers, ReLU 2 numbers, Linear 1 number: `[8, 8, 4]`.

# %% check="B.4.A" points=1
def first_of(found, right):
    """The place of the first number that differs."""
    return next(i for i, (mine, other) in enumerate(zip(found, right)) if mine != other)

def first_apart(found, right):
    """Which number of the list is the first that differs, in words."""
    i = first_of(found, right)
    return f"The first number that is not right is that of layer {i}, a {('Linear', 'ReLU')[i % 2]}"

def numbers_of(found, n):
    """A number of bytes as so many float32 for each of n examples, in words."""
    return f"{found} bytes are {n} · {found / 4 / n:g} numbers of 4 bytes"

for widths_in, n_in, sizes_of in (((100, 50, 10), 64, [12800, 12800, 2560]), ((5, 3, 7, 6, 2), 10, [120, 120, 280, 280, 240, 240, 80]), ((4, 9), 6, [216])):
    about = f"output_bytes({widths_in}, {n_in})"
    sizes_in = output_bytes(widths_in, n_in)
    assert_type(sizes_in, (list, tuple), f"what {about} returns", of="layers", hint="A list with a number for each layer.")
    too_many = "The batch is no output: the list begins with what the first Linear writes." if len(sizes_in) and sizes_in[0] == 4 * n_in * widths_in[0] else "There is no ReLU behind the last Linear."
    assert_equal(len(sizes_in), len(sizes_of), f"how many numbers {about} has", of="layers", hint="Two for each hidden width, whatever the widths are, and one for the last.", mistakes={
        "The first width is that of the inputs, which no layer writes.": 2 * len(widths_in) - 1, "ReLU is a layer, too, and writes an output of its own.": len(widths_in) - 1, too_many: 2 * len(widths_in) - 2,
        "Two widths make a single Linear, which writes an output, too.": 0} if len(widths_in) > 2 else {"The first width is that of the inputs, which no layer writes.": 3, "Two widths make a single Linear, which writes an output.": 0, too_many: 2})
    linears_in, weights_in = sizes_of[::2], [4 * (a + 1) * b for a, b in itertools.pairwise(widths_in)]
    assert_equal(list(sizes_in), sizes_of, about, of="bytes", mistakes={"These are numbers, not bytes: a float32 takes 4.": [s // 4 for s in sizes_of],
                 "The bias adds no number to an output: it is added to the numbers that are there.": [s + 4 * n_in for s in sizes_of],
                 "This is for one example.": [s // n_in for s in sizes_of], "A float32 takes 4 bytes, not 8.": [2 * s for s in sizes_of], "A float32 takes 4 bytes, not 2.": [s // 2 for s in sizes_of],
                 "These are bits: a byte has 8 of them.": [8 * s for s in sizes_of], "Each Linear is followed by its ReLU: these are all the Linears first, then the ReLUs.": linears_in + linears_in[:-1],
                 "These are the inputs of the layers; their outputs are asked for.": [4 * n_in * widths_in[0], *sizes_of[:-1]],
                 "These are the weights and biases; what a layer writes is its output.": [w for w in weights_in for i in range(2)][:-1],
                 "For the Linears these are the weights and biases; what a Linear writes is its output.":
                 [s if i % 2 else weights_in[i // 2] for i, s in enumerate(sizes_of)],
                 "ReLU writes into new memory: its output takes as many bytes as its input.": [0 if i % 2 else s for i, s in enumerate(sizes_of)], "The first layer comes first: this is the list backwards.": sizes_of[::-1],
                 "ReLU writes float32, too: 4 bytes for each number.": [s // 4 if i % 2 else s for i, s in enumerate(sizes_of)],
                 "Inputs times outputs is the number of a layer's weights; its output has the width of the outputs, for each example.": [4 * n_in * a * b for a, b in itertools.pairwise(widths_in) for i in range(2)][:-1]},
                 hint=lambda: f"In the order of the layers: each hidden width twice, and the last one once; n times the width numbers each, of 4 bytes. {first_apart(sizes_in, sizes_of)}: {n_in} · {widths_in[1 + first_of(sizes_in, sizes_of) // 2]} numbers; yours, {numbers_of(sizes_in[first_of(sizes_in, sizes_of)], n_in)}.")
### BEGIN HIDDEN TESTS
for widths_in, n_in in (((3, 7), 5), ((2, 8, 1, 5, 3), 7), ((30, 3, 8), 1)):
    values_in, sizes_of = torch.ones(n_in, widths_in[0]), []
    for layer_in in deep_mlp(widths_in, 0):
        values_in = layer_in(values_in)
        sizes_of.append(values_in.nbytes)
    sizes_in = output_bytes(widths_in, n_in)
    assert_equal(len(sizes_in), len(sizes_of), f"how many numbers for widths {widths_in}", of="layers", hint="Two for each hidden width, whatever the widths are, and one for the last.")
    assert_equal(list(sizes_in), sizes_of, f"widths {widths_in}, {n_in} examples", of="bytes", hint=lambda: f"4 bytes for each number of a layer's output, n times its width: each hidden width twice, and the last one once. {first_apart(sizes_in, sizes_of)}.")
### END HIDDEN TESTS

# %% [markdown] task="B.4.1a" kind="code" minutes=12 difficulty=3 core=true needs="memory of training, saved activations"
# ### Predict the bytes of a deep network
#
# Now for any depth: `deep_mlp(widths, seed)`, with a batch of `n` examples in float32 that needs no gradient. `widths` has at least two entries; two make a single Linear.
#
# Write `forward_bytes(widths, n)`: a dictionary with the keys `"training"` and `"prediction"`. As above, `X`, `Y` and the parameters are there already and do not count.
#
# **You are done when**
# - **training**: these are the bytes that `loss = mean_square(net, X, Y)` keeps alive, the loss itself among them;
# - **prediction**: these are the most bytes of outputs alive at once in `net(X)` under `torch.no_grad()`, where a layer writes into new memory while its input is still there, and its input is then released.

# %% exercise="B.4.1a"
def forward_bytes(widths, n):
    """Bytes kept by the loss's graph, and the peak of layer outputs in prediction."""
    ### BEGIN SOLUTION
    *hidden, output = widths[1:]
    pairs = [a + b for a, b in zip(widths[1:], widths[2:])] + [2 * h for h in hidden] + [output]
    return {"training": 4 * n * (sum(hidden) + output) + 4, "prediction": 4 * n * max(pairs)}
    ### END SOLUTION

# %% [markdown] hints="B.4.1a"
# 1. Which outputs are still needed when the loss is known, and which two are alive at one moment of a prediction?
# 2. What a Linear gives to ReLU is not kept: ReLU's rule reads its own output. In a prediction two *neighbours* count, the input and the output of one layer. ReLU has both of the same width.
# 3. Widths 3, 2, with 10 examples: one Linear, no ReLU. Training keeps 10 · 2 numbers and the loss, 84 bytes; prediction 80.

# %% check="B.4.1a" points=2
@probe
def trouble_of_bytes(widths, n):
    """The error that forward_bytes raises, as text."""
    try:
        forward_bytes(widths, n)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""

def both_bytes(widths, n):
    """forward_bytes, after the checks of type and keys."""
    if len(widths) == 2:
        trouble = trouble_of_bytes(widths, n)
        assert_true(not trouble, f"forward_bytes({widths}, {n}) raises no error; yours raised {trouble}", of="prediction",
                    hint="Two widths make a single Linear: there is no hidden width, and the list of the layers' outputs has one entry, so that there are no two neighbours.")
    found_bytes = forward_bytes(widths, n)
    assert_type(found_bytes, dict, f"what forward_bytes({widths}, {n}) returns", of="training", hint="A dictionary with the keys \"training\" and \"prediction\".")
    assert_equal(set(found_bytes), {"training", "prediction"}, f"the keys of forward_bytes({widths}, {n})", of="training", hint="The keys are \"training\" and \"prediction\".")
    return found_bytes

def of_single(found):
    """The bytes for widths 4, 9 and 6 examples in outputs of the Linear, which take 216 bytes, in words."""
    return f"{found} bytes, that is {int(found) // 216} · 216 and {int(found) % 216} more"

def of_hidden(found):
    """Of the bytes for widths 100, 50, 30, 10 and 64 examples those that are left without the differences and the loss, in words."""
    return f"yours, {found:,} bytes, less 2,560 for the differences and 4 for the loss is {found - 2564:,}; the outputs of the ReLUs take 12,800 and 7,680"

def of_peaks(found):
    """Which of the two peaks is not right, in words."""
    if found[0] != 25600:
        return f"For widths 100, 50, 30, 10 the layers write 50, 50, 30, 30 and 10 numbers for each example; the largest neighbours are 50 and 50, together 100. Yours, {found[0]} bytes, is {found[0] / 256:g} numbers for each example."
    return f"For widths 6, 3, 20 the layers write 3, 3 and 20 numbers for each example; the largest neighbours are 3 and 20, together 23. Yours, {found[1]} bytes, is {found[1] / 40:g} numbers for each example."

with part(0.5, "training", of="training"):
    kept_found = [both_bytes(*case)["training"] for case in (((100, 50, 30, 10), 64), ((4, 9), 6))]
    assert_equal(kept_found, [23044, 220], "training, widths 100, 50, 30, 10 with 64 examples, and widths 4, 9 with 6", of="training", mistakes={
        "The loss itself is a number of 4 bytes.": [23040, 216], "Outputs of hidden Linears are not kept, only those of ReLU.": [23044 + 20480, 220],
        "The differences are saved by the loss.": [23044 - 2560, 4], "Of the last width only the differences are kept, neither the output that they were computed from nor their squares.": [23044 + 2560, 220 + 216],
        "X is there already.": [23044 + 25600, 220 + 96], "These are numbers, not bytes.": [5761, 55], "The loss is a float32, too: 4 bytes, not 8.": [23048, 224], "The loss is a float32: 4 bytes, not 1.": [23041, 217],
        "The loss is the mean over all examples: one number, not one for each.": [23040 + 256, 216 + 24], "This is the peak on the way; asked is what is still alive when the loss is known.": [28160, 436],
        "There are no gradients yet: they come with backward().": [23044 + 27560, 220 + 180],
        "The output of every ReLU is kept, not of one hidden layer alone.": [15364, 220], "The outputs of all ReLUs are kept, not that of the last one alone.": [10244, 220]},
        hint=lambda: "For the single Linear, widths 4 and 9 with 6 examples, yours is right: look at what is kept of the hidden layers, the outputs of their ReLUs. For the deeper network " + of_hidden(kept_found[0]) + "." if kept_found[1] == 220 else
        "The outputs of the ReLUs, the differences, and the loss. For widths 4, 9 with 6 examples there is no ReLU: 6 · 9 differences of 4 bytes are 216, and the loss has 4. Yours is " + of_single(kept_found[1]) + ".")
with part(0.5, "prediction", of="prediction"):
    peaks_found = [both_bytes(*case)["prediction"] for case in (((100, 50, 30, 10), 64), ((6, 3, 20), 10))]
    assert_equal(peaks_found, [25600, 920], "prediction, widths 100, 50, 30, 10 with 64 examples, and widths 6, 3, 20 with 10", of="prediction", mistakes={
        "While a layer runs, its input is still there.": [12800, 800], "ReLU writes into new memory, too: its input and output have the same width.": [20480, 920],
        "Released outputs do not count.": [43520, 1040], "X belongs to the caller.": [38400, 920], "Look at every pair of neighbours, not at the last two alone.": [10240, 920],
        "The last Linear counts, too: its input and its output lie side by side.": [25600, 240], "The last width has no ReLU behind it.": [25600, 1600],
        "This is what is left at the end; asked is the most that is alive at one moment.": [2560, 800], "When a layer has run, its input goes: two outputs are alive at one moment, not three.": [33280, 1040],
        "This is the peak of a pass that builds a graph: under torch.no_grad() nothing is saved for the way back.": [28160, 920]}, hint=lambda: "Which two neighbours, the input and the output of one layer, are largest together? " + of_peaks(peaks_found))
    assert_equal(both_bytes((5, 8, 2, 10), 5)["prediction"], 320, "prediction, widths 5, 8, 2, 10, 5 examples", of="prediction", mistakes={
        "The two largest outputs need not be neighbours: only the input and output of one layer are alive together.": 360, "The last width has no ReLU behind it.": 400})
    assert_equal(both_bytes((4, 9), 6)["prediction"], 216, "prediction, widths 4, 9, 6 examples", of="prediction", mistakes={"A single Linear has one output.": 432})
### BEGIN HIDDEN TESTS
def bytes_measured(widths, n, key):
    model, batch, goal = deep_mlp(widths, 0), torch.ones(n, widths[0]), torch.ones(n, widths[-1])
    return measure(lambda: mean_square(model, batch, goal))[1] if key == "training" else measure(torch.no_grad()(lambda: model(batch)))[0]

HIDDEN_WIDTHS = (((7, 20, 3, 11), 5), ((4, 7), 6), ((5, 2, 30, 40, 1), 3), ((30, 3, 8, 2), 9), ((6, 4, 50), 2), ((3, 9, 1, 9, 2, 10), 4))
with part(0.5, "training, other widths", of="training"):
    for widths_in, n_in in HIDDEN_WIDTHS:
        assert_equal(both_bytes(widths_in, n_in)["training"], bytes_measured(widths_in, n_in, "training"), f"training, widths {widths_in}, {n_in} examples", of="training", hint="The outputs of the ReLUs, the differences, and the loss.")
with part(0.5, "prediction, other widths", of="prediction"):
    for widths_in, n_in in HIDDEN_WIDTHS:
        assert_equal(both_bytes(widths_in, n_in)["prediction"], bytes_measured(widths_in, n_in, "prediction"), f"prediction, widths {widths_in}, {n_in} examples", of="prediction",
                     hint="Look at every pair of neighbours, and at a ReLU of the widest hidden layer.")
total()
### END HIDDEN TESTS

# %% [markdown] teaches="profiler, label in a profile"
# ## 2. Ask the profiler
#
# Our meter is some twenty lines of Python, and slow. torch has a real instrument, the *profiler*. It notes every operation, with its time, and with `profile_memory=True` each piece of memory that is taken or given back.
# One opens it with `with`, runs what is of interest, and asks it afterwards: `key_averages()` is a list with one entry for each name of an operation. An entry's `key` is that name, `count` says how often it ran.

# %% teaches="profiler"
with quiet(), profile(activities=[ProfilerActivity.CPU], profile_memory=True) as watched:
    loss = mean_square(small, inputs, goals)
for event in watched.key_averages():
    if event.key in ("aten::addmm", "aten::relu", "aten::pow", "aten::mean"):
        print(f"{event.key:12} ran {event.count} times, {event.cpu_memory_usage:6} bytes with all that it called, {event.self_cpu_memory_usage:6} of its own")

# %% [markdown]
# `aten` is torch's library of operations. `addmm` is the product and the bias of a Linear layer: two of them ran, and took 12,800 + 2,560 bytes. The two columns differ for `relu`: it asks another operation to do the work, and that one takes the memory. (`quiet()`, from the set-up cell, only drops two lines that the profiler of torch 2.13 writes to the error output.)
#
# Usually one does not want to know about single operations, but about stages of a program. `record_function(name)` puts a *label* around some lines, and the label then has an entry of its own. Its `cpu_memory_usage` counts everything that was called in it: bytes taken minus bytes given back.

# %% teaches="label in a profile"
net = deep_mlp((100, 50, 30, 10), seed=0)
for attempt in range(2):                # the first profile also holds what torch sets up once
    net.zero_grad()
    output = loss = None                # otherwise a stage would give the memory of the attempt before back
    with quiet(), profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        with record_function("prediction"), torch.no_grad():
            output = net(inputs)
        with record_function("forward"):
            loss = mean_square(net, inputs, goals)
        with record_function("backward"):
            loss.backward()
for event in profiler.key_averages():
    if event.key in ("prediction", "forward", "backward"):
        print(f"{event.key:12}{event.cpu_memory_usage:8} bytes, of its own {event.self_cpu_memory_usage}")

# %% [markdown]
# `prediction` keeps its output, 64 · 10 numbers. `forward` keeps 23,044 bytes, what B.4.1a predicts. `backward` takes memory for the gradients, 27,560 bytes, and gives all that was saved back, but for the loss, which we still hold: 27,560 - 23,040 = 4,520.
# "Of its own" is not what we want here. A label takes no memory itself; but a tensor that is dropped between two operations, as the hidden activations are, is booked to the label. So these numbers hold only what went, and are negative.
#
# ⚠ *What is held counts.* `output = net(inputs)` keeps the output alive behind the label; `net(inputs)` alone would drop it at once, and the label would show 0. And a profile of a whole epoch mostly shows the data loader: make the batch before you profile.

# %% [markdown] task="B.4.B" kind="code" minutes=4 difficulty=2 needs="profiler"
# ### How often did it run?
#
# Write `times_run(f, name)`: it calls the function `f()` once under `torch.profiler.profile` and returns how many times the operation `name`, such as `"aten::addmm"`, has run in it.
#
# **You are done when**
# - **count**: the number is that of the profile for exactly this name;
# - **never run**: it is 0 where the operation has not run;
# - **f once**: `f` is called once.

# %% exercise="B.4.B"
def times_run(f, name):
    """How many times the operation `name` runs in f()."""
    ### BEGIN SOLUTION
    with quiet(), profile(activities=[ProfilerActivity.CPU]) as profiler:
        f()
    return sum(event.count for event in profiler.key_averages() if event.key == name)
    ### END SOLUTION

# %% [markdown] hints="B.4.B"
# 1. In which field of an entry does the number stand?
# 2. `event.key == name`, and nothing that only contains the name: `"aten::t"` is the beginning of many others. There may be no such entry.
# 3. The bytes of one operation: `sum(event.cpu_memory_usage for event in profiler.key_averages() if event.key == "aten::relu")`.

# %% check="B.4.B" points=1
@probe
def times_in_network(widths, passes, names):
    """times_run for a network with these widths that is called so many times; the calls of f, and how many of them were made under a profile."""
    net, X, calls = deep_mlp(widths, 0), torch.ones(2, widths[0]), []

    def f():
        calls.append(int(torch.autograd._profiler_enabled()))
        for i in range(passes):
            net(X)

    replies = []
    with quiet():
        for name in names:
            try:
                replies.append(times_run(f, name))
            except (KeyError, IndexError, StopIteration) as error:
                replies.append(f"{type(error).__name__}: {error}")
    return replies, len(calls), sum(calls)

for widths_in, passes_in in (((4, 5, 6, 3), 2), ((3, 2), 5)):
    about, layers_in = f"deep_mlp({widths_in}, 0) called {passes_in} times", len(widths_in) - 1
    replies, calls_in, under_in = times_in_network(widths_in, passes_in, ["aten::addmm", "aten::t", "aten::linear"])
    assert_type(replies[0], int, f"what times_run returns for aten::addmm, {about}", of="count", hint="The `count` of the entry whose key is the name.")
    assert_equal(replies[0], passes_in * layers_in, f"aten::addmm, {about}", of="count", mistakes={"This says that it ran at all, not how often.": 1, "These are the bytes that it took: its `count` is asked for.": 8 * passes_in * sum(widths_in[1:]),
                 "These are twice as many runs as a call of f makes: is f called a second time inside the profile?": 2 * passes_in * layers_in}
                 | ({"These are the runs for inputs of one shape alone: key_averages() without further arguments has one entry for a name.": passes_in} if layers_in > 1 else {}),
                 hint="f ran, but not under a profile: call it inside of the `with` that opens it." if calls_in and not under_in else
                 "Call f inside the profile; behind it, the entry of key_averages() whose key is the name has the count "
                 "of its runs." + " (A `return 0` inside of the loop over the entries ends it at the first entry with "
                                  "another name.)" * (replies[0] == 0))
    assert_equal(replies[1], passes_in * layers_in, f"aten::t, {about}", of="count", hint="Exactly this name: aten::transpose is another operation.")
    assert_equal(replies[2], passes_in * layers_in, f"aten::linear, {about}", of="count", hint="Ask the profiler: it also counts an operation that only calls others, as aten::linear does.")
    assert_equal(calls_in, 3, "the calls of f for three names", of="f once", hint="Call f only inside the profile, and once.")
    replies = times_in_network(widths_in, passes_in, ["aten::conv2d", "aten::add"])[0]
    assert_equal(replies[0], 0, f"aten::conv2d, {about}", of="never run", hint="There is no entry with this name: that is 0 runs.")
    assert_equal(replies[1], 0, f"aten::add, {about}", of="never run", hint="There is no entry with this name, only longer ones that begin with it (aten::addmm): that is 0 runs.")
### BEGIN HIDDEN TESTS
replies, calls_in, under_in = times_in_network((6, 6, 2, 2, 4), 3, ["aten::relu", "aten::add", "aten::linear", "aten::tanh"])
assert_equal(list(replies[:1]) + list(replies[2:3]), [9, 12], "relu and linear in three calls of a network with three hidden layers", of="count", hint="The `count` of the entry whose key is exactly the name.")
assert_equal([replies[1], replies[3]], [0, 0], "operations that have not run", of="never run", hint="There is no entry with this name: that is 0 runs.")
assert_equal(calls_in, 4, "the calls of f for four names", of="f once", hint="Call f only inside the profile, and once.")
### END HIDDEN TESTS

# %% [markdown] task="B.4.1b" kind="code" minutes=12 difficulty=3 needs="profiler, label in a profile"
# ### Stages in a profile
#
# Write `stage_bytes(stages)`. `stages` is a dictionary from a name to a function without arguments. It runs the stages under `torch.profiler.profile` with `profile_memory=True`, for the CPU alone, each in a `record_function` with its name, and returns a dictionary from the name to the stage's `cpu_memory_usage`.
#
# **You are done when**
# - **names**: the dictionary has the names of the stages and no others;
# - **bytes**: each number is what the stage took minus what it gave back, with the operations called in it;
# - **once, in order**: each stage is called once, in the order of the dictionary;
# - **nothing held**: what a stage returns is released before the stage ends;
# - **the profiler's number**: memory counts that an operation takes for a tensor that is already there (`resize_`), which our meter does not see.

# %% exercise="B.4.1b"
def stage_bytes(stages):
    """{name: bytes that the stage took minus those that it gave back}, from a profile of torch."""
    ### BEGIN SOLUTION
    with quiet(), profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        for name, stage in stages.items():
            with record_function(name):
                stage()
    return {event.key: event.cpu_memory_usage for event in profiler.key_averages() if event.key in stages}
    ### END SOLUTION

# %% [markdown] hints="B.4.1b"
# 1. Which column counts what was called inside of the stage, and which only the stage's own?
# 2. `self_cpu_memory_usage` leaves out what the operations in the stage took; `cpu_memory_usage` has it. The entries are there when the `with` of the profile has ended.
# 3. How often each label ran: `{e.key: e.count for e in profiler.key_averages() if e.key in ("load", "save")}`.

# %% check="B.4.1b" points=2
@probe
def stages_of_tensors(size):
    """stage_bytes of five stages, the calls of the stages in order, and for each profile whether it was asked for memory (1) or not (0)."""
    held, calls, asked, opened = [], [], [], torch.profiler.profile.__init__

    def noted(self, *args, **kwargs):
        asked.append(int(bool(kwargs.get("profile_memory"))))
        opened(self, *args, **kwargs)

    def stays():
        calls.append("stays")
        held.append(torch.ones(size))

    def goes():
        calls.append("goes")
        return torch.ones(size)

    def stays_too():
        calls.append("stays too")
        held.append(torch.ones(3 * size))

    def freed():
        calls.append("freed")
        held.clear()

    def grows():
        calls.append("grows")
        held.append(torch.empty(0).resize_(2 * size))

    torch.profiler.profile.__init__ = noted
    with quiet():
        try:
            return stage_bytes({"stays": stays, "goes": goes, "stays too": stays_too, "freed": freed, "grows": grows}), calls, asked
        finally:
            torch.profiler.profile.__init__ = opened

def check_stages(size):
    found, calls, asked = stages_of_tensors(size)
    about = f"of a stage with {size} floats"
    assert_type(found, dict, "what stage_bytes returns", of="names", hint="A dictionary from each stage's name to its bytes.")
    order = ["stays", "goes", "stays too", "freed", "grows"]
    assert_equal(set(found), set(order), f"the names in the dictionary for the stages {order}", of="names", hint="Every stage, also one of 0 bytes, and nothing else that the profile has." if set(found) & set(order) else "None of the stages is there: each runs in a record_function of its own, with its name.")
    assert_equal(list(calls), order, f"the calls of the stages {order}", of="once, in order", hint="None was called: `stage` is a function, and `stage()` calls it." if not calls else "Call each stage once, in the order of the dictionary.")
    slips = {"Look for exactly this name: another stage's name begins with it.": 16 * size, "These are kilobytes: bytes are asked for, as the profile has them.": 4 * size / 1024,
             "This says how often the label ran; cpu_memory_usage has its bytes.": 1, "These are numbers: a float takes 4 bytes, and the profile counts in bytes.": size}
    if found["freed"] == -16 * size:
        slips["These are the label's own bytes, self_cpu_memory_usage: what the operations in it take is missing."] = 0
    if not any(found.values()):
        slips["Nothing has been counted in any stage: each is to be called inside of its label." if all(asked) else
              "Nothing has been counted in any stage: without profile_memory=True a profile notes no memory."] = 0
    assert_equal(found["stays"], 4 * size, f"the bytes {about} that stay", of="bytes", mistakes=slips,
                 hint="What this stage took minus what it gave back: the cpu_memory_usage of its label.")
    assert_equal(found["grows"], 8 * size, f"the bytes of a stage in which an empty tensor is resized to {2 * size} floats", of="the profiler's number", hint="Take the number from the profile.")
    assert_equal(found["freed"], -16 * size, f"the bytes of a stage that gives {4 * size} floats back", of="bytes", mistakes={"A stage that gives memory back has a negative number.": 16 * size,
                 "A stage that gives memory back has a negative number, not 0: take cpu_memory_usage as it is.": 0})
    assert_equal(found["goes"], 0, f"the bytes {about} that it returns and nobody keeps", of="nothing held",
                 mistakes={"Call the stage and keep nothing of it: what a variable or a list still holds when the label ends is not given back in it.": 4 * size})

check_stages(1000)
### BEGIN HIDDEN TESTS
check_stages(300)

@probe
def stages_of_training(widths, n):
    net = deep_mlp(widths, 0)
    X, Y, box, calls = torch.ones(n, widths[0]), torch.ones(n, widths[-1]), {}, []

    def predict():
        calls.append("predict")
        with torch.no_grad():
            box["out"] = net(X)

    def ahead():
        calls.append("ahead")
        box["loss"] = mean_square(net, X, Y)

    def back():
        calls.append("back")
        box["loss"].backward()

    with quiet():
        return stage_bytes({"predict": predict, "ahead": ahead, "back": back}), calls

for widths_in, n_in in (((9, 30, 20, 4), 7), ((5, 12, 3), 40)):
    found_in, calls_in = stages_of_training(widths_in, n_in)
    about = f"widths {widths_in}, {n_in} examples"
    assert_equal(list(calls_in), ["predict", "ahead", "back"], f"the calls of the stages, {about}", of="once, in order", hint="Call each stage once, in the order of the dictionary.")
    assert_equal(set(found_in), {"predict", "ahead", "back"}, f"the names, {about}", of="names", hint="Every stage, also one of 0 bytes, and nothing else that the profile has.")
    kept_in = 4 * n_in * sum(widths_in[1:]) + 4
    assert_equal(found_in["predict"], 4 * n_in * widths_in[-1], f"prediction keeps its output, {about}", of="bytes", hint="The cpu_memory_usage of the label with exactly this name.")
    assert_equal(found_in["ahead"], kept_in, f"the forward pass of training keeps the activations, {about}", of="bytes", hint="The cpu_memory_usage of the label with exactly this name.")
    gradients_in = sum(4 * (a + 1) * b for a, b in itertools.pairwise(widths_in))
    assert_equal(found_in["back"], gradients_in - kept_in + 4, f"backward takes the gradients and gives the activations back, {about}", of="bytes", hint="The cpu_memory_usage of the label with exactly this name.")
### END HIDDEN TESTS

# %% [markdown] teaches="graph of a derivative, next_functions"
# ## 3. Graphs of derivatives
#
# What is saved hangs on the graph, so let us look at the graph. Each result has a node, its `grad_fn`. The node's `next_functions` is a tuple of pairs, one for each input of the operation: first the node that the input came from, then a number that we do not need. For a
# leaf that requires a gradient that node is an `AccumulateGrad` (torch prints its full name in C++), which adds to `.grad`; for an input that needs no gradient there is `None`.

# %% teaches="next_functions"
x = torch.tensor(2., requires_grad=True)
y = 3 * x + x * x
print(y.grad_fn.name(), "reads", [node.name() for node, _ in y.grad_fn.next_functions])
for node, _ in y.grad_fn.next_functions:
    print(node.name(), "reads", [source and source.name() for source, _ in node.next_functions])

# %% [markdown]
# In $3x$ the constant is the `None`. Both products lead to the same `AccumulateGrad` of $x$: the graph is not a tree, its ways join.
#
# A derivative taken with `create_graph=True` is a tensor with a graph of its own, which begins at the saved values and nodes of the first. The running example of 2.5, $y = \log(x^2) \sin x + 1/x$, with its first and second derivative:

# %% tags=["demo"] teaches="graph of a derivative"
from IPython.display import display
x = torch.tensor(2., requires_grad=True)
values = [torch.log(x ** 2) * torch.sin(x) + 1 / x]
for order in range(1, 5):
    slope, = torch.autograd.grad(values[-1], x, create_graph=True)
    values.append(slope)
for order, value in enumerate(values):
    graph = d2l.show_graph(value, params={"x": x})
    print(f"derivative {order}: {value.item():8.4f}, arrows in its graph: {graph.source.count('->')}")
    if order < 3:
        display(graph)

# %% [markdown]
# The blue box is $x$, the green one the result. From one derivative to the next there are two to three times as many arrows: 11, 24, 65, 189, 587. The product rule makes two terms of each product, and nobody simplifies. Every one of these nodes may hold a saved value, so a second derivative costs memory
# as well as time.

# %% [markdown] task="B.4.C" kind="code" minutes=3 difficulty=1 needs="next_functions, grad_fn"
# ### One step down
#
# Write `names_below(y)`: the list of the names of the nodes that stand directly below the node of the tensor `y`, in the order of `next_functions`.
#
# **You are done when**
# - **names**: each is what the node's `name()` gives, in order, and a node that is read twice stands there twice (the part `torch::autograd::` may stay or go);
# - **None left out**: an input that needs no gradient has no name;
# - **no graph**: for a leaf and for a tensor without a gradient the list is empty.

# %% exercise="B.4.C"
def names_below(y):
    """Names of the nodes directly below y's node."""
    ### BEGIN SOLUTION
    if y.grad_fn is None:
        return []
    return [node.name() for node, _ in y.grad_fn.next_functions if node is not None]
    ### END SOLUTION

# %% [markdown] hints="B.4.C"
# 1. What is `grad_fn` of a tensor that was not computed?
# 2. Each entry of `next_functions` is a pair; its first part is a node or `None`.
# 3. For pairs of a name and an age: `[name for name, age in people if name is not None]`.

# %% check="B.4.C" points=1
@probe
def names_of(cases):
    """names_below for each of these cases."""
    x, w = torch.tensor(2., requires_grad=True), torch.tensor(3., requires_grad=True)
    made = {"3x + x·x": lambda: 3 * x + x * x, "x·x": lambda: x * x, "3x": lambda: 3 * x, "x": lambda: x, "no gradient": lambda: torch.tensor(1.) * 2,
            "sin(x) - 5": lambda: torch.sin(x) - 5, "exp(x) / log(w)": lambda: torch.exp(x) / torch.log(w), "w": lambda: w, "detached": lambda: (x * w).detach(),
            "stack of x, 1 and w·x": lambda: torch.stack([x, torch.tensor(1.), w * x]),
            "stack of sin(w), 2, x and exp(x)": lambda: torch.stack([torch.sin(w), torch.tensor(2.), x, torch.exp(x)])}
    found = []
    for case in cases:
        try:
            found.append(names_below(made[case]()))
        except AttributeError as error:
            if "NoneType" not in str(error):
                raise
            found.append(f"AttributeError: {error}")
    return found

for case, names_in, of in (("3x + x·x", ["MulBackward0", "MulBackward0"], "names"), ("x·x", ["AccumulateGrad", "AccumulateGrad"], "names"), ("3x", ["AccumulateGrad"], "None left out"),
                           ("stack of x, 1 and w·x", ["AccumulateGrad", "MulBackward0"], "None left out"), ("x", [], "no graph"), ("no gradient", [], "no graph")):
    reply = names_of([case])[0]
    assert_type(reply, (list, tuple), f"what names_below returns for {case}, x a leaf that requires a gradient", of=of,
                hint={"no graph": "Here y.grad_fn is None, and has no next_functions: the list is empty, [].", "None left out": "An entry of next_functions may be None, which has no name: leave it out."}.get(of, "A list of names."))
    assert_equal([str(name).split("::")[-1] for name in reply], names_in, f"the names below {case}, x a leaf that requires a gradient", of=of,
                 hint="What a node's name() returns is asked for, not the node and not its str()." if any("<" in str(name) for name in reply) else
                 "Nothing stands below a tensor that was not computed from one that requires a gradient: its grad_fn is None." if of == "no graph" else
                 "All entries of next_functions but None, in their order, however many there are." if of == "None left out" else
                 "These are too many: only the nodes that y's own node reads, one step down." if len(reply) > len(names_in) else
                 "Every node has its place in the list: two of the same name, or one that is there twice, and AccumulateGrad, too.",
                 mistakes={"This is y's own node: its next_functions lead one step down.": ["AddBackward0"],
                           "y's own node stands in the list, too; only those below it are asked.": ["AddBackward0", "MulBackward0", "MulBackward0"], "Two nodes of one name are two: each has its place in the list.": ["MulBackward0"]} if case == "3x + x·x" else
                 {"A leaf's AccumulateGrad is a node as well, and its name belongs in the list.": [], "A node that is read twice stands there twice.": ["AccumulateGrad"]} if case == "x·x" else {"The names stand in the order of next_functions; here they are turned round.": names_in[::-1]} if names_in != names_in[::-1] else {})
### BEGIN HIDDEN TESTS
for case, names_in, of in (("exp(x) / log(w)", ["ExpBackward0", "LogBackward0"], "names"), ("stack of sin(w), 2, x and exp(x)", ["SinBackward0", "AccumulateGrad", "ExpBackward0"], "None left out"),
                           ("sin(x) - 5", ["SinBackward0"], "None left out"), ("w", [], "no graph"), ("detached", [], "no graph")):
    assert_equal([str(name).split("::")[-1] for name in names_of([case])[0]], names_in, f"the names below {case}", of=of, hint="The names of all entries of next_functions but None, in their order; an empty list where y.grad_fn is None.")
### END HIDDEN TESTS

# %% [markdown] task="B.4.2a" kind="code" minutes=10 difficulty=2 needs="create_graph, graph of a derivative"
# ### Derivatives with a graph
#
# Write `derivatives(f, x, k)`: the list $[f(x), f'(x), \dots, f^{(k)}(x)]$. `f` is a smooth function from a 0-d tensor to a 0-d tensor, `x` a 0-d tensor that requires a gradient. (No polynomial is differentiated until nothing depends on `x` any more.)
#
# **You are done when**
# - **k + 1 tensors**: the value and `k` derivatives, in a list or a tuple, each of shape `()`;
# - **values**: they are the derivatives of `f` at `x`, computed in the dtype of `x`, float32 or float64;
# - **graph**: every one of them, the last one too, has a graph that leads to `x`, so that one could draw it, or differentiate it once more by `x`;
# - **x.grad kept**: `x.grad` is as it was, whether it held something or not.

# %% exercise="B.4.2a"
def derivatives(f, x, k):
    """[f(x), f'(x), ..., the k-th derivative], each a 0-d tensor with a graph."""
    ### BEGIN SOLUTION
    found = [f(x)]
    for _ in range(k):
        found.append(torch.autograd.grad(found[-1], x, create_graph=True)[0])
    return found
    ### END SOLUTION

# %% [markdown] hints="B.4.2a"
# 1. What does autograd need to know of the first derivative to give the second?
# 2. `torch.autograd.grad(y, x, create_graph=True)` returns a tuple of one tensor, which has a graph, and leaves `x.grad` alone. `retain_graph=True` only keeps the old graph.
# 3. The gradient of a gradient, twice: `g, = torch.autograd.grad(y, x, create_graph=True)`, `h, = torch.autograd.grad(g, x, create_graph=True)`.

# %% check="B.4.2a" points=2
import math

@probe
def derivatives_of(name, at, k, grad_before=None, dtype=torch.float64):
    """The kind of answer, the tensors' values, whether each has a graph (1) or not (0), their shapes, their derivatives by x, and x.grad afterwards."""
    functions = {"x⁴": lambda x: x ** 4, "running": lambda x: torch.log(x ** 2) * torch.sin(x) + 1 / x, "sin 3x": lambda x: torch.sin(3 * x),
                 "exp(-x²)": lambda x: torch.exp(-x ** 2)}
    x = torch.tensor(at, dtype=dtype, requires_grad=True)
    if grad_before is not None:
        x.grad = torch.tensor(grad_before, dtype=dtype)
    try:
        answer = derivatives(functions[name], x, k)
    except RuntimeError as error:
        if "does not require grad" not in str(error):
            raise
        return {"kind": "no graph"}
    found = [d for d in answer if isinstance(d, torch.Tensor)] if isinstance(answer, (list, tuple)) else []
    after = [] if x.grad is None else [x.grad.item()]
    slopes, freed = [], 0
    for d in found:
        try:
            slopes += torch.autograd.grad(d.sum(), x, retain_graph=True, allow_unused=True)
        except RuntimeError as error:
            slopes.append(None)
            freed += "second time" in str(error)
    return {"kind": type(answer).__name__, "values": [d.detach() for d in found], "graphs": [int(d.grad_fn is not None) for d in found], "shapes": [list(d.shape) for d in found],
            "slopes": ["none" if slope is None else slope.item() for slope in slopes], "freed": freed, "x.grad": after}

def first_derivative_apart(found, wanted):
    """The first of the values that is not right, in words."""
    i = next(i for i, (mine, right) in enumerate(zip(found, wanted)) if not abs(mine - right) <= 1e-6 * max(1., abs(right)))
    near = i > 0 and abs(found[i] - wanted[i]) <= 0.01 * abs(wanted[i])
    return f"Entry {i} is nearly right and no more: autograd is exact, a difference quotient is not." if near else ("Entry 0 is f(x) itself." if i == 0 else f"Entries 0 to {i - 1} are right, entry {i} is not: it is the derivative of entry {i - 1}." if i > 1 else "Entry 0 is right, entry 1 is not: it is the derivative of entry 0.")

def check_derivatives(name, at, k, wanted, grad_before=None):
    *wanted, beyond = wanted
    added = [wanted[0]] + [sum(math.comb(i - 1, j) * wanted[j + 1] for j in range(i)) + (grad_before or 0.) for i in range(1, k + 1)]
    reply, about = derivatives_of(name, at, k, grad_before), f"derivatives of {name} at {at}, k = {k}"
    assert_true(reply["kind"] != "no graph", f"{about}: torch finds a graph behind whatever is differentiated", of="graph", hint="It refused: element 0 of tensors does not require grad. create_graph=True gives a derivative a graph of its own; retain_graph=True only keeps the old one.")
    assert_true(reply["kind"] in ("list", "tuple"), f"{about}: a list or a tuple comes back; yours is {reply['kind']}", of="k + 1 tensors", hint="The tensors of shape () themselves, side by side in a list: not stacked into one.")
    assert_equal(len(reply["values"]), k + 1, f"{about}: how many tensors", of="k + 1 tensors", hint="The tensors themselves, of shape (), in one list: not Python numbers, and not tuples such as torch.autograd.grad returns.", mistakes={"The value itself and k derivatives: k + 1 tensors.": k, "The value itself and k derivatives: this is one derivative more.": k + 2})
    assert_equal(list(reply["shapes"]), [[]] * (k + 1), f"{about}: the shapes", of="k + 1 tensors", hint="The shape of x and f(x) is (): nothing is to be reshaped.")
    for v in reply["values"]:
        assert_dtype(v, torch.float64, f"{about}: the dtype of each, where x is float64", of="values", hint="f gets x as it is: no .float().")
    assert_close([float(v) for v in reply["values"]], wanted, f"{about}: the values", of="values", rtol=1e-6, hint=lambda: first_derivative_apart([float(v) for v in reply["values"]], wanted) + " Each derivative is torch.autograd.grad of the one before, in the dtype of x.", mistakes={
        "Earlier derivatives are added to it, as backward() adds to what is in x.grad; torch.autograd.grad of the one before gives a derivative alone.": added, **({
            "backward() adds to what was in x.grad before; torch.autograd.grad gives a derivative alone.": [wanted[0], wanted[1] + grad_before, *wanted[2:]]} if grad_before else {}),
         "These are divided by i!: the derivatives themselves are asked for.": [one / math.factorial(i) for i, one in enumerate(wanted)]} if k > 1 else {})
    assert_equal(list(reply["graphs"]), [1] * (k + 1), f"{about}: which of them have a graph (1) and which not (0)", of="graph", hint="create_graph=True, for the last one, too, and no detach.")
    assert_equal(["none" if slope == "none" else 0 for slope in reply["slopes"]], [0] * (k + 1), f"{about}: which of them can be differentiated by x once more (0) and which cannot (none)", of="graph", hint=
                 "Graphs were freed on the way: create_graph=True keeps them." if reply["freed"] else "Graphs do not lead to x: f gets x itself, not a copy of it.")
    assert_close(list(reply["slopes"]), [*wanted[1:], beyond], f"{about}: the derivative of each by x", of="graph", rtol=1e-6, hint="Each graph leads to x by the operations that made this derivative, and by no others.")
    assert_equal(list(reply["x.grad"]), [] if grad_before is None else [grad_before], f"{about}: what x.grad holds afterwards", of="x.grad kept", hint="torch.autograd.grad leaves x.grad alone. backward() writes to it, and an assignment clears it.")

check_derivatives("x⁴", 2., 3, [16., 32., 48., 48., 24.])
check_derivatives("x⁴", -1., 2, [1., -4., 12., -24.], 7.)
check_derivatives("x⁴", 3., 0, [81., 108.])

def check_precision(name, at, k):
    values = derivatives_of(name, at, k, None, torch.float32)["values"]
    assert_equal(len(values), k + 1, f"derivatives of {name} at {at} in float32, k = {k}: how many tensors", of="k + 1 tensors", hint="The value itself and k derivatives, for a float32 x, too.")
    for v in values:
        assert_dtype(v, torch.float32, f"derivatives of {name} at {at}, k = {k}: the dtype of each, where x is float32", of="values", hint="f gets x as it is: no .double().")

check_precision("x⁴", 1.5, 2)
### BEGIN HIDDEN TESTS
import sympy
symbol = sympy.Symbol("x")
forms = {"running": sympy.log(symbol ** 2) * sympy.sin(symbol) + 1 / symbol, "sin 3x": sympy.sin(3 * symbol), "exp(-x²)": sympy.exp(-symbol ** 2)}
for name_in, at_in, k_in, before_in in (("running", 2., 2, None), ("running", -1.5, 3, 0.5), ("sin 3x", 0.4, 5, None), ("exp(-x²)", 0.7, 4, -2.), ("sin 3x", 1., 0, None)):
    check_derivatives(name_in, at_in, k_in, [float(sympy.diff(forms[name_in], symbol, i).subs(symbol, at_in)) for i in range(k_in + 2)], before_in)
check_precision("sin 3x", 0.3, 3)
### END HIDDEN TESTS

# %% [markdown] task="B.4.2b" kind="code" minutes=12 difficulty=3 needs="next_functions, graph of a derivative, grad_fn"
# ### Count the nodes
#
# Write `graph_nodes(y)`: the number of different nodes in the graph of the tensor `y`: its own node, those below it, those below them, and so on. Two nodes may have the same name and are two all the same.
#
# **You are done when**
# - **each once**: a node that is reached on several ways counts once, and is not walked from again: a graph with 2⁴⁰ ways takes no time;
# - **all inputs**: all the inputs of a node are followed;
# - **nodes, not names**: two products are two nodes;
# - **leaves and None**: the node of `y` itself and the `AccumulateGrad` of a leaf count, a `None` does not;
# - **no graph**: the number is 0 for a leaf and for a tensor without a gradient;
# - **deep graphs**: a chain of 3,000 operations is counted, too. Python allows about 1,000 calls inside each other.

# %% exercise="B.4.2b"
def graph_nodes(y):
    """The number of different nodes that backward of y would visit."""
    ### BEGIN SOLUTION
    found, waiting = set(), [y.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in found:
            found.add(node)
            waiting += [source for source, _ in node.next_functions]
    return len(found)
    ### END SOLUTION

# %% [markdown] hints="B.4.2b"
# 1. How do you visit everything that can be reached, and nothing twice?
# 2. A set of nodes that were seen, and a list of nodes to visit. A function that calls itself for every node below fails on deep graphs.
# 3. Links between pages: `seen, todo = set(), [start]`; while there is something in `todo`, take a page, and if it is new, add it to `seen` and its links to `todo`.

# %% check="B.4.2b" points=2
@probe
def nodes_of(name):
    """graph_nodes of one of these tensors."""
    import signal
    import threading
    x, w, u, v = (torch.tensor(value, requires_grad=True) for value in (2., 3., 4., 5.))

    def example():
        return torch.log(x ** 2) * torch.sin(x) + 1 / x

    def doubled(times):
        y = x
        for i in range(times):
            y = y + y
        return y

    def chain(length):
        y = x
        for i in range(length):
            y = y * 1.
        return y

    def slope(y):
        return torch.autograd.grad(y, x, create_graph=True)[0]

    def too_long(*args):
        raise InterruptedError

    cases = {"stack of exp(x·x·x·x·x·w), u·u, sin(v) and 1": lambda: torch.stack([torch.exp(x * x * x * x * x * w), u * u, torch.sin(v), torch.tensor(1.)]), "x·x + x": lambda: x * x + x, "x·x·x": lambda: x * x * x, "exp(x)·sin(x)": lambda: torch.exp(x) * torch.sin(x), "3x": lambda: 3 * x, "stack of exp(x), sin(x), log(x)": lambda: torch.stack([torch.exp(x), torch.sin(x), torch.log(x)]), "leaf": lambda: x, "no gradient": lambda: torch.tensor(1.),
             "example": example, "slope": lambda: slope(example()), "curvature": lambda: slope(slope(example())), "x doubled 30 times": lambda: doubled(30), "x doubled 40 times": lambda: doubled(40),
             "x times 1, 3000 times": lambda: chain(3000), "x times 1, 3500 times": lambda: chain(3500), "sin(w) times sin(x)": lambda: torch.sin(w) * torch.sin(x), "w detached": lambda: w.detach() * 2}
    made, clock = cases[name](), hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if clock:                   # two seconds of computing, for at most some thousand nodes
        before = signal.signal(signal.SIGVTALRM, too_long)
        signal.setitimer(signal.ITIMER_VIRTUAL, 2)
    try:
        return graph_nodes(made)
    except RecursionError:      # its traceback has a thousand frames, which take half a minute to print
        return "RecursionError"
    except InterruptedError:
        return "too long"
    except AttributeError as error:
        if "NoneType" not in str(error):
            raise
        return f"AttributeError: {error}"
    finally:
        if clock:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)

def check_nodes(name, right, of, mistakes=None):
    reply = nodes_of(name)
    assert_type(reply, int, f"what graph_nodes returns for {name}", of=of, hint="Here y.grad_fn is None, which is no node: the number is 0." if of == "no graph" else "A whole number. An entry of next_functions may be None.")
    assert_equal(reply, right, f"the nodes of {name}", of=of, mistakes=mistakes or {}, hint="Here y.grad_fn is None, which is no node: the number is 0." if of == "no graph" else
                 "The node of y, all that it reads, all that these read, and so on, until there is nothing left to visit: each of them once.")

def check_deep(name, right):
    reply = nodes_of(name)
    assert_true(str(reply) != "RecursionError", f"graph_nodes of {name} goes without a RecursionError", of="deep graphs", hint="A function that calls itself for each node below goes too deep. A set of nodes seen and a list of nodes to visit do not.")
    assert_equal(reply, right, f"the nodes of {name}", of="deep graphs", hint="The walk goes on until no node is left to visit.")

def check_ways(name, right):
    reply = nodes_of(name)
    assert_true(str(reply) != "too long", f"graph_nodes of {name} takes no longer than some seconds", of="each once", hint="It was stopped. A node that has been seen is not walked from again: otherwise every way is walked.")
    assert_equal(reply, right, f"the nodes of {name}", of="each once", hint="Each + is one node, which reads the one before it twice.")

def check_all(name, right, slips):
    """Many mistakes in one graph: each value has the requirement that it breaks, and its sentence."""
    reply = nodes_of(name)
    assert_type(reply, int, f"what graph_nodes returns for {name}", of="all inputs", hint="A whole number. An entry of next_functions may be None.")
    assert_equal(reply, right, f"the nodes of {name}; each letter is a leaf", of=slips[reply][0] if reply in slips else "all inputs", mistakes={sentence: value for value, (_, sentence) in slips.items()},
                 hint="The node of y, all that it reads, all that these read, and so on, until there is nothing left to visit: each of them once.")

check_all("stack of exp(x·x·x·x·x·w), u·u, sin(v) and 1", 13, {
    12: ("leaves and None", "One is missing: y's own node counts, too."), 11: ("all inputs", "Follow every input; there may be more than two."), 8: ("all inputs", "Follow every input, not only the first."),
    9: ("leaves and None", "The leaf's AccumulateGrad counts, here one for each of four leaves."), 10: ("leaves and None", "Each leaf has an AccumulateGrad of its own: here they are four."), 14: ("leaves and None", "None is no node."),
    5: ("nodes, not names", "Two products are two nodes, though they have the same name."), 18: ("each once", "A node that is reached on several ways counts once."),
    16: ("each once", "A node may stand on two levels, and counts once: remember the nodes of all levels."), 17: ("each once", "These are the arrows between the nodes; the nodes are asked for."),
    7: ("all inputs", "These are y's node and two levels below it: go on until no node is left to visit."), 4: ("all inputs", "These are y's node and the level below it: go on until no node is left to visit.")})
check_nodes("x·x + x", 3, "each once")
check_nodes("exp(x)·sin(x)", 4, "all inputs", {"Follow every input, not only the first.": 3})
check_nodes("stack of exp(x), sin(x), log(x)", 5, "all inputs", {"Follow every input; there may be more than two.": 4})
check_nodes("x·x·x", 3, "nodes, not names", {"Two products are two nodes, though they have the same name.": 2})
check_nodes("3x", 2, "leaves and None", {"The leaf's AccumulateGrad counts.": 1, "None is no node.": 3})
check_nodes("leaf", 0, "no graph", {"A leaf's grad_fn is None: there is no node to count.": 1})
check_nodes("no gradient", 0, "no graph", {"None is no node.": 1})
check_ways("x doubled 30 times", 31)
check_deep("x times 1, 3000 times", 3001)
### BEGIN HIDDEN TESTS
def count_here(y):
    seen, queue = {y.grad_fn}, [y.grad_fn]
    for node in queue:
        new = {source for source, index in node.next_functions if source is not None} - seen
        seen |= new
        queue += new
    return len(seen)

x_in = torch.tensor(2., requires_grad=True)
y_in = torch.log(x_in ** 2) * torch.sin(x_in) + 1 / x_in
first_in, = torch.autograd.grad(y_in, x_in, create_graph=True)
second_in, = torch.autograd.grad(first_in, x_in, create_graph=True)
check_nodes("sin(w) times sin(x)", 5, "nodes, not names")
check_nodes("example", count_here(y_in), "leaves and None")
check_nodes("slope", count_here(first_in), "each once")
check_nodes("curvature", count_here(second_in), "all inputs")
check_nodes("w detached", 0, "no graph")
check_ways("x doubled 40 times", 41)
check_deep("x times 1, 3500 times", 3501)
### END HIDDEN TESTS

# %% [markdown] teaches="checkpointing, recomputation"
# ## 4. Keep the input, compute again
#
# Saved activations are not information that would be lost. From a layer's input one can compute them again, at any time. So here is a bargain: in the forward pass keep only the *input* of a part of the network, and nothing from inside it. When the backward pass arrives at this part, run the
# part forward once more, now with a graph, and go backward through that. This is called *checkpointing*. Memory is paid for with time.
#
# `checkpoint(f, X, use_reentrant=False)` computes `f(X)` in this way. (`use_reentrant=False` chooses the newer of two ways that torch has; always write it: the older one fails with `torch.autograd.grad`, and where only parameters require a gradient.) Four blocks of Linear, Tanh, Dropout, width 64, with 256 examples; one activation takes 4 · 256 · 64 = 65,536 bytes:

# %% teaches="checkpointing, recomputation"
part_of_net = tower(4, 64, seed=0)
batch = torch.randn(256, 64)
starts = []
handles = [one.register_forward_pre_hook(lambda module, args: starts.append(1)) for one in part_of_net]     # called when a block starts
for name, forward in (("plain", lambda: part_of_net(batch)), ("checkpoint", lambda: checkpoint(part_of_net, batch, use_reentrant=False))):
    starts.clear()
    print(f"{name:10} kept after the forward pass: {measure(forward)[1]:7}, blocks started: {len(starts)}", end=", ")
    starts.clear()
    forward().sum().backward()
    print(f"in forward and backward: {len(starts)}")
for handle in handles:
    handle.remove()

# %% [markdown]
# Plain, four activations are kept: the outputs of the four Tanh, the last of which is the result. (A Dropout with probability 0 makes nothing new.) With the checkpoint there is only the result, and the input, which was there already. The price: each block runs twice.
#
# The gradients are the same, in every bit, for the same operations ran on the same numbers. Even with Dropout: `checkpoint` remembers the state of the random generator, and the second run throws the same dice.

# %% [markdown] task="B.4.D" kind="code" minutes=4 difficulty=2 core=true needs="checkpointing, measure"
# ### What a checkpoint keeps
#
# Write `kept_bytes(block, make_input)`: `block` is a module, `make_input` a function without arguments that makes a new input for it. It returns a pair: the bytes kept by `block(make_input())`, and by the same with a checkpoint. Use `measure`. The input is made inside what is measured, so it counts where it is kept.
#
# **You are done when**
# - **plain**: the first number is what the plain forward pass keeps;
# - **checkpoint**: the second is what `checkpoint(..., use_reentrant=False)` keeps, the input among it.

# %% exercise="B.4.D"
def kept_bytes(block, make_input):
    """(bytes kept by block(make_input()), bytes kept with a checkpoint)."""
    ### BEGIN SOLUTION
    plain = measure(lambda: block(make_input()))[1]
    saved = measure(lambda: checkpoint(block, make_input(), use_reentrant=False))[1]
    return plain, saved
    ### END SOLUTION

# %% [markdown] hints="B.4.D"
# 1. Which of the two numbers of `measure` is it?
# 2. `measure` takes a function without arguments: `lambda: ...`. Inside it, first the input is made, then the block is run.
# 3. What a product keeps: `measure(lambda: torch.ones(5) * torch.ones(5))[1]` is 20, the result alone.

# %% check="B.4.D" points=1
@probe
def kept_by_tower(blocks, width, n):
    """kept_bytes for a tower, or the error of a call of what cannot be called, as text."""
    try:
        return kept_bytes(tower(blocks, width, 0), lambda: torch.ones(n, width))
    except TypeError as error:
        if "not callable" not in str(error):
            raise
        return f"TypeError: {error}"

@probe
def kept_by_mlp(widths, n):
    return kept_bytes(deep_mlp(widths, 0), lambda: torch.ones(n, widths[0]))

@probe
def inputs_made(blocks, width, n):
    """For each input that kept_bytes makes: whether a meter is on (1) or not (0), a checkpoint runs, and gradients are on; and what the checkpoint keeps of an input that requires a gradient."""
    from torch.utils._python_dispatch import _get_current_dispatch_mode
    under, within, recorded = [], [], []

    def make():
        under.append(int(_get_current_dispatch_mode() is not None))
        within.append(int(torch._C._autograd._top_saved_tensors_default_hooks(False) is not None))
        recorded.append(int(torch.is_grad_enabled()))
        return torch.ones(n, width).requires_grad_()
    return under, within, recorded, kept_bytes(tower(blocks, width, 0), make)[1]

def why_less(blocks, width, n):
    """Why the input is not among what the checkpoint keeps, in words."""
    under, within, recorded, with_gradient = inputs_made(blocks, width, n)
    if not all(under):
        return "A checkpoint keeps the input as well: make it inside the function that is measured."
    if any(within):
        return "Here the input is made inside of the function that the checkpoint runs, and would be made anew on the way back: make it first, and hand it to checkpoint."
    return "The input is missing. With an input that requires a gradient it is there: the older way keeps nothing where only the parameters require one. Write use_reentrant=False." if with_gradient == 8 * n * width else \
        "A checkpoint keeps the input as well, for the way back; here there is no way back: go through checkpoint, not no_grad, with use_reentrant=False."

def check_kept(blocks, width, n):
    found, unit, about = kept_by_tower(blocks, width, n), 4 * n * width, f"tower({blocks}, {width}, 0) and {n} examples"
    assert_true(not isinstance(found, str), f"kept_bytes raises no error, {about}; yours raised {found}", of="plain",
                hint="measure(f) calls f() itself: hand it a function without arguments, lambda: ..., not what the call returns." if "Tensor" in str(found) else "What is called there is no function: a lambda without arguments goes to measure.")
    assert_type(found, (tuple, list), f"what kept_bytes returns for {about}", of="plain", hint="A pair: the bytes of the plain pass, and those with a checkpoint.")
    assert_equal(len(found), 2, f"how many numbers for {about}", of="plain", hint="A pair: the bytes of the plain pass, and those with a checkpoint.")
    for number, of in zip(found, ("plain", "checkpoint")):
        assert_type(number, int, f"each of the two that kept_bytes returns for {about}", of=of, hint="A number of bytes: of the two numbers that measure returns the second alone, what is kept.")
    assert_equal(found[0], (blocks + 1) * unit, f"kept by the plain pass, {about}", of="plain", mistakes={
        "The plain pass comes first.": 2 * unit, "The input counts: make it inside the function that is measured.": blocks * unit, "This is the peak; kept is the second number of measure.": (blocks + 2) * unit,
        "Nothing is kept where the function that is measured does not return the result.": 0, "A number of 4 bytes is kept besides: return the result of the block itself, not its sum or its mean.": (blocks + 1) * unit + 4,
        "These are the gradients of the parameters: the forward pass alone is measured, without backward().": 4 * blocks * width * (width + 1)},
                 hint=lambda: "Here gradients are switched off, so that nothing is kept for a way back: measure without no_grad." if found[0] == unit and not any(inputs_made(blocks, width, n)[2]) else f"The forward pass alone, with its result returned: the second number of measure. An activation takes {unit} bytes; yours is {found[0] / unit:g} of them, and kept are the input and one output of each block, each once.")
    assert_equal(found[1], 2 * unit, f"kept with a checkpoint, {about}", of="checkpoint", mistakes={
        "This is as much as the plain pass keeps: put one checkpoint around the whole block.": (blocks + 1) * unit,
        "This is the peak; kept is the second number of measure.": 4 * unit, "Nothing is kept where the function that is measured does not return the result.": 0, "A number of 4 bytes is kept besides: return the result of the checkpoint itself, not its sum or its mean.": 2 * unit + 4},
                 hint=lambda: why_less(blocks, width, n) if found[1] == unit else f"The input and the result, each once: the second number of measure, with one checkpoint around the block. An activation takes {unit} bytes; yours is {found[1] / unit:g} of them.")

def check_kept_mlp(widths, n):
    found, about = kept_by_mlp(widths, n), f"deep_mlp({widths}, 0) and {n} examples"
    assert_equal(found[0], 4 * n * sum(widths), f"kept by the plain pass, {about}", of="plain", hint="Measure it: any block may come, not only a tower.")
    assert_equal(found[1], 4 * n * (widths[0] + widths[-1]), f"kept with a checkpoint, {about}", of="checkpoint", hint="The input and the result. Measure it: any block may come, not only a tower.")

check_kept(4, 8, 10)
check_kept(7, 5, 16)
check_kept_mlp((6, 20, 3), 7)
### BEGIN HIDDEN TESTS
check_kept(5, 6, 9)
check_kept(9, 3, 20)
check_kept_mlp((4, 9, 30, 5), 11)
### END HIDDEN TESTS

# %% [markdown] teaches="checkpointed segments"
# ### In segments
#
# A checkpoint around the whole network would save nothing in the end: the second run makes the whole graph at once. So one cuts the network into $k$ *segments*, and checkpoints each of them. Then two things have to be held: the input of every segment, and the inside of *one* segment, the one that the backward pass is in.
# Sixteen blocks, cut into one, four and sixteen segments; the memory is counted in activations:

# %% tags=["demo"] teaches="checkpointed segments"
blocks, batch = tower(16, 64, seed=0), torch.randn(256, 64)

def in_pieces(pieces):
    """The blocks with a checkpoint around each piece."""
    value = batch
    for piece in pieces:
        value = checkpoint(piece, value, use_reentrant=False)
    return value

ways = {"plain": lambda: blocks(batch), "4 segments": lambda: in_pieces([blocks[0:4], blocks[4:8], blocks[8:12], blocks[12:16]]),
        "1 segment": lambda: in_pieces([blocks]), "16 segments": lambda: in_pieces(blocks)}
fig, axes = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained", sharey=True)
for name, way in ways.items():
    blocks.zero_grad()
    with MemoryMeter() as meter:
        result = way()
        turn = len(meter.history)
        result.sum().backward()
    del result
    curve = [bytes_ / 65536 for bytes_ in meter.history]
    print(f"{name:12} activations alive: at the last operation of the forward pass {curve[turn - 1]:5.2f}, at most {max(curve):5.2f}, at the end {curve[-1]:.2f}")
    if name in ("plain", "4 segments"):
        ax = axes[("plain", "4 segments").index(name)]
        ax.plot(curve)
        ax.axvline(turn, color="gray", linestyle=":")
        ax.set(title=name, xlabel="operation", ylim=(0, 20))
axes[0].set_ylabel("activations alive")
plt.show()

# %% [markdown]
# Left, the plain pass: the stairs go up until the loss is there (dotted line), and down on the way back. What remains at the end are the gradients of the parameters, here as much as four activations, and the result that we still hold.
#
# Right, with four segments. On the way forward the curve is a saw: inside a segment each block's output replaces the last one's, and only the segment's input stays, so the ground rises by one activation for each segment. On the way back there are four hills, one for each segment that is computed again. The top is at 10 instead of 18. The hills do not become lower, though the inputs go one by one: the gradients pile up below them.
#
# With a single segment the top is that of the plain pass. With sixteen, all inputs are kept, and that saves nothing here: one of these blocks keeps no more inside than its input takes. The best lies between.
#
# ⚠ *Two things to know.* `checkpoint_sequential(net, k, X, use_reentrant=False)` does the cutting for you, but it leaves the **last segment plain**: its backward pass comes at once, so there is nothing to gain. And all segments but the last get the length $n // k$, the last one takes the whole rest:

# %% tags=["demo"]
for number, k in ((16, 4), (11, 4)):
    net, starts = tower(number, 4, seed=0), []
    for place, one in enumerate(net):
        one.register_forward_pre_hook(lambda module, args, place=place: starts.append(place))
    result = checkpoint_sequential(net, k, torch.ones(2, 4), use_reentrant=False)
    starts.clear()
    result.sum().backward()
    print(f"{number} blocks in {k} segments; in the backward pass these start again: {starts}")

# %% [markdown]
# Blocks 12 to 15 are missing in the first line: they are the last segment. In the second line the segments have the lengths 2, 2, 2 and 5; you can read the order, too: the last checkpointed segment is computed again first.
#
# ⚠ *The function is called a second time, later.* A lambda made in a loop looks its variables up when it is called. In the backward pass the loop is over, and all segments would compute the last one:

# %%
later = [lambda: start for start in range(3)]
print("called when the loop is over:", [f() for f in later])

# %% [markdown] task="B.4.3a" kind="code" minutes=12 difficulty=3 core=true needs="checkpointed segments, checkpointing"
# ### Forward in segments
#
# Write `forward_in_segments(blocks, X, k)`: the output of the blocks, a list of modules that are applied one after the other to `X`, cut into `k` segments (1 ≤ `k` ≤ number of blocks), *each* of which, also the last, goes through `checkpoint(..., use_reentrant=False)`.
#
# **You are done when**
# - **output**: it is that of the blocks one after the other;
# - **gradients**: those of all parameters, and of `X` if it requires one, are the same in every bit as without checkpoints, with Dropout, too;
# - **once more**: on the way back every block runs exactly once more;
# - **segments**: there are `k` of them, of neighbouring blocks;
# - **lengths**: they differ by at most 1. Which ones are the longer ones is up to you;
# - **autograd.grad**: `torch.autograd.grad` of the output gives the gradients, too;
# - **list kept**: `blocks` is the list that it was.

# %% exercise="B.4.3a"
def forward_in_segments(blocks, X, k):
    """blocks[-1](... blocks[0](X)), with k checkpointed segments."""
    ### BEGIN SOLUTION
    cuts = [len(blocks) * i // k for i in range(k + 1)]
    for start, end in itertools.pairwise(cuts):
        X = checkpoint(nn.Sequential(*blocks[start:end]), X, use_reentrant=False)
    return X
    ### END SOLUTION

# %% [markdown] hints="B.4.3a"
# 1. What is the function that is checkpointed: a block, or several of them in a row?
# 2. `nn.Sequential(*blocks[start:end])` is a function of one argument with the same parameters, and does not look anything up later.
# 3. Borders for 7 in 2: 7 · 0 // 2, 7 · 1 // 2, 7 · 2 // 2 are 0, 3, 7: lengths 3 and 4.

# %% check="B.4.3a" points=3
@probe
def in_segments(number, width, k, n, dropout, needs):
    """Output, gradients, the blocks in the order in which they start, on the way forward and on the way back, and the numbers of the blocks in the list afterwards, -1 for what is none of them."""
    blocks, starts = list(tower(number, width, 0, dropout)), []
    for i, block in enumerate(blocks):
        block.register_forward_pre_hook(lambda module, args, i=i: starts.append(i))
    torch.manual_seed(1)
    X = torch.randn(n, width, requires_grad=needs)
    handed = list(blocks)
    out = forward_in_segments(handed, X, k)
    if not isinstance(out, torch.Tensor):
        return [out, [], [], [], []]
    ahead = len(starts)
    if out.requires_grad:
        out.sin().sum().backward()
    grads = [p.grad for block in blocks for p in block.parameters()] + [X.grad]
    return [out.detach(), [g if g is not None else torch.zeros(0) for g in grads], starts[:ahead], starts[ahead:], [next((i for i, block in enumerate(blocks) if block is one), -1) for one in handed]]

@probe
def first_gradient(number, width, k, n):
    """The gradient of the first block's weight by torch.autograd.grad, empty where torch refuses."""
    blocks = list(tower(number, width, 0))
    torch.manual_seed(1)
    out = forward_in_segments(list(blocks), torch.randn(n, width), k)
    try:
        return torch.autograd.grad(out.sin().sum(), blocks[0][0].weight)[0]
    except RuntimeError:
        return torch.zeros(0)

def without_checkpoints(number, width, n, dropout, needs):
    blocks = tower(number, width, 0, dropout)
    torch.manual_seed(1)
    X = torch.randn(n, width, requires_grad=needs)
    out = blocks(X)
    out.sin().sum().backward()
    return out.detach(), [g if g is not None else torch.zeros(0) for g in [p.grad for p in blocks.parameters()] + [X.grad]]

def check_segments(number, width, k, n, dropout=0., needs=True):
    out, grads = without_checkpoints(number, width, n, dropout, needs)
    out_k, grads_k, ahead, back, left = in_segments(number, width, k, n, dropout, needs)
    about = f"{number} blocks in {k} segments" + (f", dropout {dropout}" if dropout else "")
    assert_shape(out_k, tuple(out.shape), f"the shape of the output of {about}", of="output", hint="It is what the last block returns.")
    runs = {i: list(ahead).count(i) for i in range(number) if list(ahead).count(i) != 1}
    if list(ahead) != list(range(number)):
        assert_close(out_k, out, f"the output of {about}", of="output", hint=f"How often blocks run on the way forward, where it is not once: {runs}. Every block belongs to one segment, with borders from 0 to the number of blocks."
                     if runs else "Each block runs once on the way forward, but in another order than that of the list.")
    assert_close(out_k, out, f"the output of {about}", of="output", hint="Does each block run once, in order, in the mode (train or eval) that it is in?")
    assert_equal(list(left), list(range(number)), f"the list afterwards, by the numbers of its blocks (-1 is none of them), {about}", of="list kept", hint="Slices leave a list as it is; pop does not, nor reverse, nor an assignment to its entries.")
    again = {i: list(back).count(i) for i in range(number) if list(back).count(i) != 1}
    late = again.get(0) == 0 and max(again.values()) > 1
    for i, (mine, right) in enumerate(zip(grads_k, grads)):
        name = "X" if i == len(grads) - 1 else f"{('weight', 'bias')[i % 2]} of block {i // 2}"
        assert_equal(mine.numel(), right.numel(), f"the number of entries in the gradient of {name}, {about}", of="gradients", hint="No entries: the gradient did not arrive. Does something cut the graph, or do copies of the blocks run?" if right.numel() else "X required no gradient and gets none: requires_grad_() changes the caller's tensor.")
        assert_close(mine, right, f"the gradient of {name}, {about}", of="gradients", rtol=0, atol=0, hint="On the way back some blocks ran several times, and block 0 not at all: each segment must run again with the same blocks. A function that is made in a loop looks its variables up when it is called."
                     if late else "In the backward pass each segment must run again: the same blocks, on the same input" + (", with the same random numbers." if dropout else "."))
    back = list(back)
    assert_true(not again, f"how often blocks start again on the way back, {about}: once is right; yours, where it differs: {again}", of="once more",
                hint="Some blocks start more often than once: no checkpoint lies inside another." if max(again.values(), default=0) > 1 else
                "A block that does not start again is in no checkpoint: every block belongs to one, the last segment, too.")
    borders = [i for i in range(1, number) if back[i] != back[i - 1] + 1]
    lengths = [end - start for start, end in itertools.pairwise([0, *borders, number])][::-1]
    assert_equal(len(lengths), k, f"how many segments there are, {about}", of="segments", mistakes={**({"k is the number of segments, not their length.": -(-number // k)} if abs(-(-number // k) - k) > 1 else {}), "Each block is a segment of its own here: k segments are asked for.": number if number > k + 1 else -1},
                 hint=f"k segments of neighbouring blocks, none of them empty. By the order in which blocks run again, yours have the lengths {lengths}.")
    assert_true(max(lengths) - min(lengths) <= 1, f"the lengths of the segments differ by at most 1, {about}; yours are {lengths}", of="lengths",
                hint="The rest of the division is spread over the segments, one block more for some: no segment takes it all, and none is left over.")
    if not dropout:
        found, right = first_gradient(number, width, k, n), without_checkpoints(number, width, n, 0., False)[1][0]
        assert_equal(found.numel(), right.numel(), f"how many entries torch.autograd.grad gives for the weight of block 0, {about}", of="autograd.grad", hint="None: torch refuses, or the graph is cut. use_reentrant=False, and X goes in as it is.")
        assert_close(found, right, f"torch.autograd.grad of the weight of block 0, {about}", of="autograd.grad", hint="Each segment must run again: the same blocks, on the same input.")

check_segments(12, 8, 6, 6)
check_segments(11, 4, 4, 5)
check_segments(10, 4, 4, 5, 0.5, False)
check_segments(5, 3, 1, 4)
check_segments(4, 5, 4, 3)
### BEGIN HIDDEN TESTS
for sizes_in in ((10, 6, 3, 8), (7, 5, 7, 4), (9, 4, 1, 6), (5, 4, 2, 3), (13, 3, 5, 4)):
    check_segments(*sizes_in)
check_segments(8, 8, 3, 5, 0.5, True)
### END HIDDEN TESTS

# %% [markdown] teaches="square root rule of checkpointing, cost of recomputation"
# ## 5. How many segments?
#
# Few segments are long, and the inside of one is large. Many segments have many inputs. Let us count, for $L$ blocks in $k$ equal segments. Take an activation as the unit, and suppose that the input of a block is one unit, and what a block saves for its own backward pass is one unit as well. At the worst moment we hold
#
# $$M(k) = \underbrace{k}_{\text{inputs of the segments}} + \underbrace{\frac{L}{k}}_{\text{blocks of one segment}} .$$
#
# The first term grows, the second falls. Where is the sum smallest? Where its derivative is 0: $1 - L/k^2 = 0$, so $k = \sqrt L$. There both terms are equal, and $M = 2\sqrt L$, whereas the plain pass holds $L$.

# %% tags=["demo"]
ks = torch.linspace(1, 64, 400)
fig, ax = plt.subplots(figsize=(5.5, 3), layout="constrained")
ax.plot(ks, ks, "--", label="inputs, k")
ax.plot(ks, 64 / ks, ":", label="one segment, 64 / k")
ax.plot(ks, ks + 64 / ks, label="sum")
ax.plot(8, 16, "ko")
ax.set(xlabel="segments k", ylabel="activations", ylim=(0, 70))
fig.legend(loc="outside upper center", ncols=3)
plt.show()
for L in (16, 64, 1024):
    print(f"{L:5} blocks: best k {L ** 0.5:.0f}, {2 * L ** 0.5:.0f} activations instead of {L}")

# %% [markdown]
# The point is the minimum for 64 blocks: 8 segments, 16 activations instead of 64. The curve is flat there: 6 or 12 segments are nearly as good.
#
# What does it cost in time? A Linear makes one matrix product on the way forward, and two on the way back, one for the gradient of the weight and one for that of the input. So forward and backward together are about three units of work, one forward, two backward. A checkpointed part runs forward once more: four units instead of
# three, a third more. That holds for *every* k, for each block runs again exactly once, whatever the segments.
#
# And some memory is not touched at all: parameters, gradients and the optimizer's state (the first three lines of the table in section 1) are as large as before.

# %% [markdown] task="B.4.4" kind="explain" minutes=15 difficulty=3 needs="square root rule of checkpointing, cost of recomputation, memory of training"
# ### When inside and outside differ
#
# In a real network a block saves more inside than its input takes. Let the input of a block take `a` bytes, and what a block saves inside `s` bytes. With $L$ equal blocks in `k` equal segments, `k` a divisor of $L$, the pass holds at its worst moment $k\,a + \frac{L}{k}\, s$ bytes.
#
# Write `best_segments(L, a, s)`: the pair `(k, bytes)` with the divisor of $L$ that needs the fewest bytes, and that number.
#
# Then explain in words: how the best `k` and the memory grow with $L$ (and how `a` and `s` enter); what checkpointing costs in time, counted in passes through a block; and which memory it does not touch, and what helps there.
#
# **You are done when**
# - **divisor**: `k` divides `L`;
# - **least**: no other divisor needs fewer bytes;
# - **tie**: where two need the same, it is the smaller `k`;
# - **bytes**: the second number is the bytes for this `k`.
#
# The words are complete when they have all three points.

# %% exercise="B.4.4"
def best_segments(L, a, s):
    """(k, bytes): the divisor k of L with the least k a + L / k s; the smallest where several are equal."""
    ### BEGIN SOLUTION
    bytes_, k = min((k * a + L // k * s, k) for k in range(1, L + 1) if L % k == 0)
    return k, bytes_
    ### END SOLUTION

# %% [markdown] hints="B.4.4"
# 1. What do few segments cost, and what many?
# 2. Without the divisors: the derivative of $k a + L s / k$ by $k$ is $a - L s / k^2$. Where is it 0?
# 3. The fence of a rectangular field of 36 m² with the sides $k$ and $36/k$: $k + 36/k$ is smallest where the two are equal, at $k = 6$.

# %% check="B.4.4" points=2
def check_best(L, a, s, show=False):
    pair = best_segments(L, a, s)
    assert_type(pair, (tuple, list), f"what best_segments({L}, {a}, {s}) returns", of="least", hint="The pair (k, bytes).")
    assert_equal(len(pair), 2, f"how many numbers best_segments({L}, {a}, {s}) returns", of="least", hint="The pair (k, bytes).")
    need = {k: k * a + L // k * s for k in range(1, L + 1) if L % k == 0}
    best = [k for k in need if need[k] == min(need.values())]
    k = pair[0]
    turned = pair[1] in need and k not in best and k == need[pair[1]]
    assert_true(not turned, f"best_segments({L}, {a}, {s}) is the pair (k, bytes), in this order; yours is ({k}, {pair[1]})", of="least", hint="k stands first.")
    assert_true(k in need, f"best_segments({L}, {a}, {s}): k is one of the divisors of {L}; yours is {k}", of="divisor", hint="Compare the bytes of the divisors alone: the segments are equal.")
    slips = {"This is one segment: all insides at once.": 1, "A segment for each block holds all inputs.": L, "Divisors above the square root of L count, too." if best[0] ** 2 > L else "The square root of L is best only where a and s are equal.": max(d for d in need if d * d <= L)}
    other = min(need, key=lambda d: (d * s + L // d * a, d))
    near = min(need, key=lambda d: (abs(d - (L * s / a) ** 0.5), d))
    if near not in (*slips.values(), other):
        slips["This is the divisor nearest to √(L s / a): the bytes decide, not the nearness."] = near
    if other not in slips.values():
        slips["Each segment has an input, a; each block of one segment an inside, s: have they been exchanged?"] = other
    assert_true(k in best, f"best_segments({L}, {a}, {s}): no divisor of {L} needs fewer bytes than your k = {k} with {need[k]}", of="least",
                hint=next((sentence for sentence, slip in slips.items() if k == slip and list(slips.values()).count(slip) == 1), "Compute the bytes for every divisor, 1 and L among them, and compare.")
                + (f" Here k = {best[0]} needs {need[best[0]]}." if show else ""))
    assert_equal(k, best[0], f"best_segments({L}, {a}, {s}): k", of="tie", hint="The smaller k where two need the same.")
    assert_equal(pair[1], need[k], f"best_segments({L}, {a}, {s}): the bytes for k = {k}", of="bytes", hint=f"k a + L / k s bytes: {k} inputs of {a} each, and the insides of {L // k} blocks of {s} each.", mistakes={
        **({"The inputs of the k segments take a bytes each, the insides of L / k blocks s each.": k * s + L // k * a} if a != s else {}),
        "Each block of the one segment counts with s alone: only the inputs of the segments are held.": k * a + L // k * (a + s), "2 √(L a s) is reached only where √(L s / a) divides L.": 2 * (L * a * s) ** 0.5})

for sizes_in in ((16, 1, 1), (12, 3, 1), (12, 1, 3), (18, 3, 1), (12, 2, 2), (20, 3, 8), (7, 3, 5), (5, 9, 1), (1, 4, 3)):
    check_best(*sizes_in, show=True)
### BEGIN HIDDEN TESTS
for sizes_in in ((100, 4, 4), (64, 1024, 4096), (13, 2, 5), (1, 2, 9), (48, 10, 1), (36, 1, 40), (24, 5, 7), (20, 3, 3)):
    check_best(*sizes_in)
### END HIDDEN TESTS

# %% [markdown] written="B.4.4" points=3
# ### BEGIN SOLUTION
# Few segments keep many insides, many segments keep many inputs. The derivative $a - Ls/k^2$ is 0 at $k = \sqrt{Ls/a}$, where both terms are equal, and the sum is $2\sqrt{Las}$. With 4 times as many blocks the best k and the memory double, where a plain pass, which holds
# L s, needs 4 times as much. The more a block saves inside (s) compared with its input (a), the more segments are best. For 16 blocks with a = s = 1 that is 8 instead of 16.
#
# In time, each block is run forward once more, in the backward pass. A backward pass costs about two forward passes, so a step goes from three to four forward passes, a third more, whatever k is.
#
# Parameters, gradients and the state of the optimizer are as large as before. Against the gradients the fused update helps (B.2), against the optimizer's state a rule with less state (SGD instead of Adam), against all three spreading them over several devices.
#
# **Rubric**
# - [1] Best k about √(L s / a), or √L where a = s; memory grows as √L instead of L, or k and memory double for 4 L; also accepted: read from a table of best_segments with numbers; lost by "the more segments the better".
# - [1] Each block runs forward once more, whatever k is, about a third more time for a step; also accepted: a measured ratio with its place; lost by "k times as long".
# - [1] Two of parameters, gradients, optimizer state are untouched, with a remedy for one of them; also accepted: fused update, SGD for Adam, sharding, lower precision; lost by "all memory shrinks".
# ### END SOLUTION

# %% [markdown] task="B.4.5" kind="experiment" minutes=25 difficulty=3 needs="checkpointed segments, square root rule of checkpointing, cost of recomputation, timing with a clock, measure"
# ### Memory against time
#
# Write `run(config)`. `config` has `"blocks"`, `"width"`, `"examples"`, `"segments"` (a list of different integers), `"rounds"` and `"seed"`. The network is `tower(blocks, width, seed)`, the batch `torch.randn(examples, width)` after another `torch.manual_seed(seed)`; it needs no gradient.
# A *pass* for the entry `k` of `"segments"` is forward and `backward()` of the `.sum()` of the output. 0 stands for the network without checkpoints, any other `k` for `checkpoint_sequential(net, k, X, use_reentrant=False)`.
#
# First find peak and calls for each entry; the pass whose peak is measured begins with all `.grad` `None`. Then time: so many rounds, and in each round one pass for each entry, in order. Read a clock of the module `time`, best `time.perf_counter()`.
#
# Then run it for 24 blocks of width 64, 2048 examples, segments 0, 1, 2, 3, 4, 6, 8, 12 and 24, 5 rounds (some seconds), in a cell of your own, and report in words: (1) peak and time against the plain pass, for the best `k` and two others; (2) the calls, and why `checkpoint_sequential` needs fewer than twice the number of blocks;
# (3) how far k + 24/k fits, in activations of 4 · 2048 · 64 bytes, and what it leaves out.
#
# **You are done when**
# - **rows**: a list with a dictionary for each entry, in order, with the keys `"segments"`, `"peak"`, `"calls"`, `"seconds"`;
# - **calls**: how many times a block starts in one pass, on the way forward and back, all blocks together;
# - **peak**: the most bytes of new memory alive at once in one pass, `measure(...)[0]`, to within 2 % and two activations;
# - **seconds**: the *least* time of a pass over the rounds, forward and backward together, without the meter, which is slow;
# - **turns**: there are `config["rounds"]` rounds; in each one every entry has its turn, in order, and nothing runs between;
# - **pass**: each pass runs the network on the batch, both made as above, and goes back from the sum of the output; the batch requires no gradient.
#
# The words are complete when they have all three points, with numbers of your table.

# %% exercise="B.4.5"
def run(config):
    """A row for each number of segments: {"segments", "peak", "calls", "seconds"}."""
    ### BEGIN SOLUTION
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])

    def once(k):
        out = checkpoint_sequential(net, k, X, use_reentrant=False) if k else net(X)
        out.sum().backward()

    rows = []
    for k in config["segments"]:
        calls = []
        handles = [block.register_forward_pre_hook(lambda *args: calls.append(1)) for block in net]  # noqa: B023
        net.zero_grad()
        peak = measure(lambda: once(k))[0]  # noqa: B023
        for handle in handles:
            handle.remove()
        rows.append({"segments": k, "peak": peak, "calls": len(calls), "seconds": float("inf")})
    for _ in range(config["rounds"]):
        for row in rows:
            net.zero_grad()
            start = time.perf_counter()
            once(row["segments"])
            row["seconds"] = min(row["seconds"], time.perf_counter() - start)
    return rows
    ### END SOLUTION

# %% [markdown] hints="B.4.5"
# 1. Which of the three columns are exact, and which one needs rounds?
# 2. Count calls with `register_forward_pre_hook` on each block, and take the hooks away before the timing. (A checkpoint stops its second run as soon as it has what it needs, inside of the last block, so a hook *behind* the block would miss that one.) `net.zero_grad()` sets gradients to `None` and gives their memory back.
# 3. For three runners in two rounds: round 1: a, b, c; round 2: a, b, c; keep the smaller time of each.

# %% check="B.4.5" points=3
def calls_of(number, k):
    return number + max(k - 1, 0) * (number // k if k else 0)

def which_peak(peak, config, k):
    """What the number is in place of the peak of a whole pass, in words; nothing where it is none of these."""
    net = tower(config["blocks"], config["width"], config["seed"])
    batch = torch.randn(config["examples"], config["width"])
    forward = lambda: checkpoint_sequential(net, k, batch, use_reentrant=False) if k else net(batch)
    top, kept = measure(forward)
    left = measure(lambda: forward().sum().backward())[1]
    again = measure(lambda: forward().sum().backward())[0]
    known = {"This is the peak of the forward pass alone: the pass goes on to the end of backward().": top, "This is what is kept after the forward pass; the peak is the first number of measure, of the whole pass.": kept,
             "This is what is left at the end of the pass; the peak is the first number of measure.": left,
             "This is the peak of a pass that finds gradients of an earlier one: set all .grad to None before it, for gradients are new memory, too.": again}
    said = [sentence for sentence, value in known.items() if abs(peak - value) <= 0.002 * value]
    return said[0] if len(said) == 1 else ""

def check_run(config):
    table = run(config)
    number, unit = config["blocks"], 4 * config["examples"] * config["width"]
    about = f"{number} blocks of width {config['width']}, {config['examples']} examples"
    assert_type(table, list, f"what run returns, {about}", of="rows", hint="A list of dictionaries.")
    assert_equal(len(table), len(config["segments"]), f"how many rows, {about}", of="rows", hint="One for each entry of config[\"segments\"].")
    for k, row in zip(config["segments"], table):
        assert_type(row, dict, f"a row of the table, {about}", of="rows", hint='A dictionary {"segments": ..., "peak": ..., "calls": ..., "seconds": ...}.')
        assert_equal(set(row), {"segments", "peak", "calls", "seconds"}, f"the keys of a row, {about}", of="rows", hint='Each row is a dictionary {"segments": ..., "peak": ..., "calls": ..., "seconds": ...}.')
        assert_equal(row["segments"], k, f"the segments of a row, in the order of the list, {about}", of="rows", hint="A row for each entry, in the order of the list: nothing is sorted.")
        length = number // k if k else 0
        slips = {"Blocks that start in the backward pass count, too.": number, "checkpoint_sequential leaves the last segment plain, and a single one is the last." if k == 1 else "This counts several passes.": 2 * calls_of(number, k),
                 "Each block runs twice here: checkpoint_sequential leaves the last segment plain.": 2 * number if k > 1 else -1, "Blocks that start on the way forward count, too.": calls_of(number, k) - number,
                 "The network starts once: the hook belongs on each block.": 1 if k == 0 else -1,
                 "A hook behind a block misses the last block of each segment, which the second run does not finish: use register_forward_pre_hook.": number + max(k - 1, 0) * (length - 1)}
        assert_equal(row["calls"], calls_of(number, k), f"the calls of blocks, {k} segments, {about}", of="calls",
                     mistakes={sentence: slip for sentence, slip in slips.items() if slip != calls_of(number, k) and list(slips.values()).count(slip) == 1},
                     hint=f"On the way forward each of the {number} blocks starts once; " + ("without checkpoints nothing starts on the way back." if k < 2 else "on the way back those of the checkpointed segments start once more.") + " Count one pass alone, from 0, and remove the hooks behind it.")
        model = tower(number, config["width"], config["seed"])
        torch.manual_seed(config["seed"])
        batch = torch.randn(config["examples"], config["width"])
        wanted = measure(lambda: (checkpoint_sequential(model, k, batch, use_reentrant=False) if k else model(batch)).sum().backward())[0]
        assert_close(row["peak"], float(wanted), f"the peak, {k} segments, {about}", rtol=0.02, atol=2. * unit, of="peak",
                     hint=lambda: which_peak(row["peak"], config, k) or "Measure one whole pass, forward and backward together, and set all .grad to None before it: gradients are new memory, too.")

@probe
def run_by_our_clock(config, costs):
    """run(config) with a clock that moves by 0.5 when a block starts, and when a backward pass ends: in the i-th pass of an entry by costs[i] for each block that has started. Also the passes, by the blocks that started, and by those that started under a meter; the number from which each goes back; whether its batch requires a gradient (1) or not (0)."""
    from torch.utils._python_dispatch import _get_current_dispatch_mode
    state, seen, order, metered, backward = {"now": 100., "starts": 0, "meters": 0, "needs": 0}, {}, [], [], torch.autograd.backward
    ends, needs = [], []
    kinds = [name for name in ("perf_counter", "time", "monotonic", "process_time", "thread_time") if name in vars(time)]
    ours = {name: lambda: state["now"] for name in kinds} | {f"{name}_ns": lambda: int(1e9 * state["now"]) for name in kinds}
    clocks = [(vars(time), name, vars(time)[name], clock) for name, clock in ours.items()]
    clocks += [(names, name, clock, ours[kind]) for names in [getattr(run, "__globals__", {})] for kind in ours for name, clock in names.items() if clock is vars(time)[kind]]

    def count(module, args):
        if type(module).__name__ == "Linear":
            if not state["starts"]:
                state["needs"] = int(args[0].requires_grad)
            state["starts"] += 1
            state["meters"] += int(_get_current_dispatch_mode() is not None)
            state["now"] += 0.5

    def moved(tensors, grad_tensors=None, *args, **kwargs):
        backward(tensors, grad_tensors, *args, **kwargs)
        top, weight = [t[0] if isinstance(t, (list, tuple)) else t for t in (tensors, grad_tensors)]
        ends.append(float((top if weight is None else top * weight).detach().sum()))
        needs.append(state["needs"])
        runs, state["starts"] = state["starts"], 0
        place = seen[runs] = seen.get(runs, -1) + 1
        order.append(runs)
        metered.append(state["meters"])
        state["meters"] = 0
        state["now"] += costs[min(place, len(costs) - 1)] * runs

    handle = nn.modules.module.register_module_forward_pre_hook(count)
    torch.autograd.backward = moved
    for names, name, _, clock in clocks:
        names[name] = clock
    try:
        rows = run(config)
    finally:
        handle.remove()
        torch.autograd.backward = backward
        for names, name, clock, _ in clocks:
            names[name] = clock
    return [row["seconds"] for row in rows], order, metered, ends, needs

def check_seconds(config, costs, least):
    seconds, order, metered, ends, needs = run_by_our_clock(config, costs)
    calls = [calls_of(config["blocks"], k) for k in config["segments"]]
    about = f"{config['blocks']} blocks, segments {config['segments']}, {config['rounds']} rounds"
    wanted = calls * config["rounds"]
    places = [i for i in range(len(order)) if list(order[i:i + len(wanted)]) == wanted]
    assert_true(len(places) > 0, f"in each round every entry has its turn, in order, and nothing runs between, {about}", of="turns",
                hint="Outer loop over the rounds, inner loop over the entries, one pass for each; the meter and the counting come before.")
    longer = run_by_our_clock({**config, "rounds": config["rounds"] + 2}, costs)[1]
    assert_equal(len(longer) - len(order), 2 * len(calls), f"how many more passes there are with two more rounds, {about}", of="turns", hint='config["rounds"] is the number of rounds.')
    model = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    total_of = model(torch.randn(config["examples"], config["width"])).sum().item()
    without_seed = tower(config["blocks"], config["width"], config["seed"])(torch.randn(config["examples"], config["width"])).sum().item()
    torch.manual_seed(config["seed"])
    seed_zero = tower(config["blocks"], config["width"], 0)
    torch.manual_seed(config["seed"])
    seed_zero = seed_zero(torch.randn(config["examples"], config["width"])).sum().item()
    first = places[0]
    assert_close(list(ends[first:first + len(wanted)]), [total_of] * len(wanted), f"the number from which each timed pass goes back, {about}, seed {config['seed']}", of="pass", rtol=1e-4, atol=1e-5,
                 hint="The network is tower(blocks, width, seed); another torch.manual_seed(seed) stands directly before the torch.randn of the batch; backward() starts from the sum of the output; and nothing changes the weights.",
                 mistakes={"torch.manual_seed(seed) is missing directly before the torch.randn of the batch: it goes on where the weights of the tower ended.": [without_seed] * len(wanted),
                           "The network is tower(blocks, width, seed); here its seed is 0.": [seed_zero] * len(wanted),
                           "Go back from the sum of the output, not from its mean.": [total_of / (config["examples"] * config["width"])] * len(wanted)})
    assert_equal(list(needs[first:first + len(wanted)]), [0] * len(wanted), f"whether the batch of each timed pass requires a gradient (1) or not (0), {about}", of="pass", hint="The batch needs no gradient.")
    assert_equal(min(sum(metered[i:i + len(wanted)]) for i in places), 0, f"how many blocks start under the meter in the timed passes, {about}", of="seconds", hint="The meter slows everything down: measure peaks before the rounds, and time without it.")
    for k, mine, number in zip(config["segments"], seconds, calls):
        timed = [(cost + 0.5) * number for cost in costs[1:1 + config["rounds"]]]
        assert_close(mine, (least + 0.5) * number, f"the seconds for {k} segments by a clock that the check moves, {about}", of="seconds", rtol=1e-6, mistakes={
            "This is the sum over the rounds: take the least.": sum(timed), "This is the mean over the rounds: take the least.": sum(timed) / len(timed),
            "This is the median of the rounds: take the least.": (sorted(timed)[len(timed) // 2] + sorted(timed)[(len(timed) - 1) // 2]) / 2,
            "No time has passed: time forward and backward, by time.perf_counter().": 0., "This is the forward pass alone: time the backward pass as well.": 0.5 * config["blocks"],
            "The backward pass alone: time the forward pass as well.": least * number + 0.5 * (number - config["blocks"]),
            "Take the least, not the first or the largest.": max(timed), "This is the last round: take the least of all.": timed[-1],
            "These are milliseconds: seconds are asked for.": 1e3 * (least + 0.5) * number, "These are nanoseconds: seconds are asked for.": 1e9 * (least + 0.5) * number},
                     hint=lambda: next((f"This is the time of round {i}; another round took less." for i, value in enumerate(timed, 1) if abs(mine - value) < 1e-6), "The least time of one pass, forward and backward together, by time.perf_counter()."))

check_run({"blocks": 12, "width": 8, "examples": 64, "segments": [0, 4], "rounds": 1, "seed": 0})
check_run({"blocks": 6, "width": 40, "examples": 4, "segments": [2, 0, 3], "rounds": 2, "seed": 1})
check_seconds({"blocks": 6, "width": 3, "examples": 2, "segments": [0, 3, 2], "rounds": 4, "seed": 5}, [9., 9., 5., 2., 7., 9.], 2.)
### BEGIN HIDDEN TESTS
check_run({"blocks": 10, "width": 6, "examples": 50, "segments": [5, 1, 3], "rounds": 2, "seed": 3})
check_run({"blocks": 8, "width": 30, "examples": 3, "segments": [0, 4], "rounds": 1, "seed": 4})
check_seconds({"blocks": 8, "width": 2, "examples": 3, "segments": [4, 0, 8], "rounds": 5, "seed": 2}, [8., 9., 6., 7., 3., 8., 9., 8.], 3.)
### END HIDDEN TESTS

# %% [markdown] written="B.4.5" points=3
# ### BEGIN SOLUTION
# With one thread the plain pass peaked at 13,328 KiB. Six segments need least, 5,697 KiB or 0.43 of that, at 1.58 of the time; two segments need 0.59 at 1.33 of the time, 24 segments as much as the plain pass, at 1.82.
#
# The calls grow from 24 to 36 with two segments and to 47 with 24: every block runs again, except those of the last segment. It is not checkpointed, for its backward comes at once. So fewer segments also mean fewer blocks that run twice, and one segment is the plain pass.
#
# The prediction k + 24/k has its minimum at 4 and 6 segments, 10 activations of 512 KiB, and the measured peaks lie some 550 to 600 KiB above it. It leaves out the gradients, 390 KiB at the end, and what is alive for a moment, such as the gradient that is passed on. In time "four units instead of three" gives 1.33 at most: here it is more, for
# only matrix products take twice as long backward as forward; Tanh takes about as long, and each segment costs some bookkeeping, such as the state of the random numbers.
#
# **Rubric**
# - [1] Peak and time as ratios to the plain pass, for the best k and two others, from the student's own table; also accepted: a plot of one against the other; lost by the best k without its price.
# - [1] Calls read from the table, and the last segment is not run again; also accepted: one segment equals the plain pass; lost by "twice as many calls for every k".
# - [1] The prediction has about the right shape or minimum, and leaves out gradients or temporary values; also accepted: a difference, with its size; lost by "it fits exactly".
# ### END SOLUTION

# %% [markdown] teaches="checkpoint as a function of its own"
# ## 6. A checkpoint of your own
#
# How does a checkpoint work? As an operation with a backward rule of its own: a class that inherits from `torch.autograd.Function` and has two static methods. `forward(ctx, ...)` computes the result, and autograd does not look inside; `ctx` is a box in which it may put things. `backward(ctx, above)` gets the gradient of
# the result and returns a gradient for *every* argument of `forward`, `None` for one that needs none. `apply` runs it. Here for the square root of a sum of squares in each row, keeping only the input, and computing the lengths again:

# %% teaches="autograd.Function, checkpoint as a function of its own"
class RowLength(torch.autograd.Function):
    @staticmethod
    def forward(ctx, X):
        ctx.save_for_backward(X)                    # the one thing that is kept
        return X.square().sum(dim=1).sqrt()

    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        with torch.enable_grad():                   # inside backward nothing is recorded, unless one says so
            start = X.detach().requires_grad_()     # a leaf of its own, so that the graph ends here
            lengths = start.square().sum(dim=1).sqrt()      # the second run
        return torch.autograd.grad(lengths, start, above)[0]


X = torch.tensor([[3., 4.], [5., 12.]], requires_grad=True)
RowLength.apply(X).backward(torch.tensor([1., 10.]))
print(X.grad)

# %% [markdown]
# The first row is (3, 4) / 5, the second ten times (5, 12) / 13: right. `above` enters as the last argument of `torch.autograd.grad`.
#
# With a *block* in place of a formula two traps wait.
#
# ⚠ *Parameters are inputs, too.* Autograd looks at the tensors that are handed to `apply`. If none of them requires a gradient, the result requires none, and the block is not trained, whatever its parameters say.
#
# ⚠ *Dice.* A block with Dropout draws random numbers, and a second run draws others, so the gradient would belong to another function. `torch.get_rng_state()` is the state of the generator, `torch.set_rng_state(state)` puts it back. But whoever turns the generator back must also turn it forward
# again, or the rest of the program repeats its dice; `with torch.random.fork_rng():` leaves the generator behind as it was before.

# %% teaches="state of the random generator"
class Forgetful(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X):
        return block(X)

    @staticmethod
    def backward(ctx, above):
        return None, above


torch.manual_seed(0)
dropping, ones = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5)), torch.ones(1, 4)
print("the block's result requires a gradient:", dropping(ones).requires_grad, " the Function's:", Forgetful.apply(dropping, ones).requires_grad)
state = torch.get_rng_state()
first, second = dropping(ones).detach(), dropping(ones).detach()
with torch.random.fork_rng():
    torch.set_rng_state(state)
    again = dropping(ones).detach()
print("two runs agree:", torch.equal(first, second), " from the same state:", torch.equal(first, again))

# %% [markdown] task="B.4.3b" kind="code" minutes=30 difficulty=5 needs="autograd.Function, checkpoint as a function of its own, state of the random generator"
# ### Write it
#
# Write `recompute(block, X)`: it returns `block(X)`, a single tensor, for a module `block`, and keeps only `X` until the backward pass, which computes the block again. The work is done by a `torch.autograd.Function` of your own. The answer cell holds both, the class and the function.
#
# **You are done when**
# - **output**: it is `block(X)`;
# - **a Function of your own**: the result's graph holds a node of a `torch.autograd.Function` that you have written, and none of the operations inside the block (torch's checkpoints would leave them there);
# - **without a gradient of X**: the result has a graph, and the parameters get their gradients, although `X` requires none, before and after;
# - **gradients**: `X`, if it requires one, and all parameters that require one get the gradients of the plain block, for any gradient that arrives from above, also where several blocks stand one behind the other, or where `X` was computed and is used elsewhere, too;
# - **run again**: the block runs once forward, and once more in the backward pass;
# - **kept**: after the forward pass nothing from inside the block is kept;
# - **same dice**: a block with Dropout draws the same numbers again;
# - **stream**: the random numbers drawn between forward and backward, and after, are those of a plain pass.

# %% exercise="B.4.3b"
def recompute(block, X):
    """block(X), of which only X is kept for the backward pass."""
    ### BEGIN SOLUTION
    return Recompute.apply(block, X, *[p for p in block.parameters() if p.requires_grad])


class Recompute(torch.autograd.Function):
    """Runs the block without a graph, and again with one in the backward pass."""

    @staticmethod
    def forward(ctx, block, X, *parameters):
        ctx.block, ctx.random_state = block, torch.get_rng_state()
        ctx.save_for_backward(X)
        return block(X)

    @staticmethod
    def backward(ctx, above):
        X, = ctx.saved_tensors
        with torch.random.fork_rng(), torch.enable_grad():
            torch.set_rng_state(ctx.random_state)
            start = X.detach().requires_grad_()
            out = ctx.block(start)
        parameters = [p for p in ctx.block.parameters() if p.requires_grad]
        dX, *gradients = torch.autograd.grad(out, [start, *parameters], above)
        return None, dX, *gradients
    ### END SOLUTION

# %% [markdown] hints="B.4.3b"
# 1. What must be kept in `forward` so that `backward` can compute the block again, with a graph this time?
# 2. Hand the parameters to `apply` one by one, behind `X`: `forward(ctx, block, X, *parameters)`. `backward` then owes `None` for the block, a gradient for `X`, and one for each parameter: `torch.autograd.grad` takes a list of inputs.
# 3. For `exp` of a tensor: `forward(ctx, X)` saves `X` and returns `X.exp()`; `backward(ctx, above)` computes `X.exp()` again and returns `above * X.exp()`.

# %% check="B.4.3b" points=4
@probe
def recomputed(width, n, dropout, needs, frozen):
    """One pass by the answer: everything that the task speaks of."""
    block = tower(3, width, 0, dropout)
    for p in list(block.parameters())[:frozen]:
        p.requires_grad_(False)
    calls, graphs = [], []
    block.register_forward_pre_hook(lambda module, args: calls.append(1))
    block.register_forward_hook(lambda module, args, result: graphs.append(int(result.requires_grad)))
    torch.manual_seed(1)
    X = torch.randn(n, width, requires_grad=needs)
    out = recompute(block, X)
    if isinstance(out, torch.autograd.Function):
        return {"class": type(out).__name__}
    if not isinstance(out, torch.Tensor):
        return {"out": out}
    drawn = torch.rand(2)
    seen, todo, functions, inside = set(), [out.grad_fn], [], 0
    while todo:
        node = todo.pop()
        if node is not None and node not in seen:
            seen.add(node)
            todo += [source for source, _ in node.next_functions]
            functions.append(getattr(type(node), "_forward_cls", torch.Tensor).__module__.split(".")[0])
            inside += int(type(node).__name__ in ("AddmmBackward0", "TanhBackward0"))
    if out.requires_grad:
        try:
            (out * torch.linspace(-1, 2, out.numel()).reshape(out.shape)).sum().backward()
        except RuntimeError as error:
            if not any(words in str(error) for words in ("does not require grad", "incorrect number of gradients", "gradient different than None", "invalid gradient at index")):
                raise
            return {"out": out.detach(), "trouble": f"RuntimeError: {error}", "graphs": graphs[1:]}
    grads = [p.grad if p.grad is not None else torch.zeros(0) for p in [*block.parameters(), X]]
    return {"out": out.detach(), "graph": int(out.requires_grad), "functions": functions, "inside": inside, "grads": grads, "calls": len(calls), "drawn": drawn, "after": torch.rand(3), "needs": int(X.requires_grad)}

@probe
def kept_by_answer(width, inside, n):
    """The bytes kept after recompute through a block that is wide inside."""
    torch.manual_seed(0)
    block, X = nn.Sequential(nn.Linear(width, inside), nn.Tanh(), nn.Linear(inside, width)), torch.ones(n, width)
    return measure(lambda: recompute(block, X))[1]

@probe
def chained(width, n, dropout):
    """The gradients of three blocks, one recomputed behind the other."""
    blocks = list(tower(3, width, 0, dropout))
    X = value = torch.linspace(-1, 1, n * width).reshape(n, width).requires_grad_()
    for block in blocks:
        value = recompute(block, value)
    if value.requires_grad:
        value.sin().sum().backward()
    return [torch.zeros(0) if t.grad is None else t.grad for t in [*[p for block in blocks for p in block.parameters()], X]]

@probe
def beside(width, n):
    """The gradients of a block and of X where the block gets exp(X), which is also added to its result; none where torch goes through the graph of exp(X) twice."""
    block, X = tower(2, width, 0), torch.linspace(-1, 1, n * width).reshape(n, width).requires_grad_()
    value = X.exp()
    out = value + recompute(block, value)
    try:
        out.sin().sum().backward()
    except RuntimeError as error:
        if "second time" not in str(error):
            raise
        return []
    return [torch.zeros(0) if t.grad is None else t.grad for t in [*block.parameters(), X]]

def check_beside(width, n):
    block, X_in = tower(2, width, 0), torch.linspace(-1, 1, n * width).reshape(n, width).requires_grad_()
    (X_in.exp() + block(X_in.exp())).sin().sum().backward()
    about = f"E + recompute(block, E), E = exp of X, width {width}, {n} examples"
    found = beside(width, n)
    assert_equal(len(found), 5, f"the number of gradients, {about}", of="gradients", hint="None: torch went through the graph of E twice. Let the second run begin at a leaf of its own, X.detach().requires_grad_(), so that it ends there; the rest of the way is autograd's.")
    for i, (got, right) in enumerate(zip(found, [*[p.grad for p in block.parameters()], X_in.grad])):
        name = "X" if i == 4 else f"parameter {i} of the block"
        assert_equal(got.numel(), right.numel(), f"how many entries the gradient of {name} has, {about}", of="gradients", hint="No entries: no gradient has arrived.")
        assert_close(got, right, f"the gradient of {name}, {about}", of="gradients", hint="Return the gradient of X; what else is done with X is autograd's.")

def check_kept_bytes(width, inside, n):
    found, about, most = kept_by_answer(width, inside, n), f"Linear({width}, {inside}), Tanh, Linear({inside}, {width}), {n} examples", 8 * n * width + 6000
    assert_true(found <= most, f"what is kept after the forward pass, {about}: no more than the output, a copy of X and a state of the generator, {most} bytes in all; yours {found}", of="kept", hint="Keep X only, and run the block without a graph.")

def check_chained(width, n, dropout=0.):
    blocks, about = tower(3, width, 0, dropout), f"three blocks one behind the other, width {width}, {n} examples" + (f", dropout {dropout}" if dropout else "")
    X_in = torch.linspace(-1, 1, n * width).reshape(n, width).requires_grad_()
    blocks(X_in).sin().sum().backward()
    for i, (got, right) in enumerate(zip(chained(width, n, dropout), [*[p.grad for p in blocks.parameters()], X_in.grad])):
        name = "X" if i == 6 else f"{('weight', 'bias')[i % 2]} of block {i // 2}"
        assert_equal(got.numel(), right.numel(), f"how many entries the gradient of {name} has, {about}", of="gradients", hint="No entries: no gradient has arrived.")
        assert_close(got, right, f"the gradient of {name}, {about}", of="same dice" if dropout else "gradients", hint="What belongs to one call belongs into its ctx, not into a name that the next call writes over.")

def plain_pass(width, n, dropout, needs, frozen, ones=False):
    block = tower(3, width, 0, dropout)
    for p in list(block.parameters())[:frozen]:
        p.requires_grad_(False)
    torch.manual_seed(1)
    X = torch.randn(n, width, requires_grad=needs)
    out = block(X)
    drawn = torch.rand(2)
    (out if ones else out * torch.linspace(-1, 2, out.numel()).reshape(out.shape)).sum().backward()
    return {"out": out.detach(), "grads": [p.grad if p.grad is not None else torch.zeros(0) for p in [*block.parameters(), X]], "drawn": drawn, "after": torch.rand(3)}

def which_are_right(mine, right):
    """Which of the gradients are right, in words; the last one is that of X."""
    close = [i for i, (one, other) in enumerate(zip(mine, right)) if one.numel() == other.numel() > 0 and torch.allclose(one, other, rtol=1e-4, atol=1e-6)]
    names = ["X" if i == len(right) - 1 else f"parameter {i}" for i in close]
    return f" Of all the gradients these are right: {', '.join(names)}." if names else " None of the gradients is right."

def check_recompute(width, n, dropout, needs, frozen=0):
    plain, mine = plain_pass(width, n, dropout, needs, frozen), recomputed(width, n, dropout, needs, frozen)
    by_ones = plain_pass(width, n, dropout, needs, frozen, ones=True)["grads"]
    about = f"tower(3, {width}, 0, {dropout}), {n} examples, X {'requires' if needs else 'without'} a gradient" + (f", {frozen} parameter{'s' * (frozen > 1)} frozen" if frozen else "")
    assert_true("class" not in mine, f"recompute returns a tensor, {about}; yours is an object of the class {mine.get('class', '')}", of="output", hint="The class itself is not called: its apply runs the forward, and gives the tensor.")
    assert_shape(mine["out"], (n, width), f"the shape of the output, {about}", of="output", hint="It is block(X), a single tensor.")
    assert_close(mine["out"], plain["out"], f"the output, {about}", of="output", hint="It is block(X): the block runs once, in the mode that it is in, on X as it is.")
    trouble = mine.get("trouble", "")
    owed = ("backward returns one entry for each argument of forward behind ctx, None for the block and for a list or a frozen parameter. "
            + ("It gives too many or too few of them." if "incorrect number" in trouble else "Here an argument that is no tensor gets a gradient: parameters are handed in one by one, *parameters, and not as a list." if "different than None" in trouble else
               "They stand in the order of the arguments: here one has the shape of another argument."))
    assert_true(trouble == "", f"the backward pass raises no error, {about}; it raised {trouble or 'none'}", of="gradients",
                hint=owed if "gradient" in trouble else
                "The block did not run again, and what torch.autograd.grad gets has no graph: the first run, in forward, is not recorded." if "element 0 of tensors" in trouble and not mine["graphs"] else
                "The second run has a graph, what is made of its result has none: this, too, belongs under torch.enable_grad(). Or go back from the result itself, with the gradient from above as the last argument of torch.autograd.grad." if "element 0 of tensors" in trouble and mine["graphs"][-1] else
                "The result of the second run has no graph: inside of backward nothing is recorded but under torch.enable_grad()." if "element 0 of tensors" in trouble else
                "torch.autograd.grad takes only inputs that require a gradient: leave the frozen parameters out, and return None for them. The second run begins at a leaf of its own that requires one.")
    assert_equal(mine["graph"], 1, f"whether the output requires a gradient (1) or not (0), {about}", of="without a gradient of X", hint="No tensor that was handed to the Function needs a gradient: hand the parameters in.")
    assert_true(any(name != "torch" for name in mine["functions"]), f"the graph of the output has a node of a Function that you wrote, {about}", of="a Function of your own", hint="A class of yours that inherits from torch.autograd.Function computes the result, by its apply: torch's checkpoints are not it, nor is the plain block.")
    assert_equal(mine["inside"], 0, f"how many operations of the block stand in the graph of the output, {about}", of="a Function of your own", hint="Autograd does not look inside the forward of a Function: let yours run the block, not torch's checkpoint.")
    check_kept_bytes(width, 16 * width, 20 * n)
    for i, (got, right) in enumerate(zip(mine["grads"], plain["grads"])):
        name = "X" if i == len(plain["grads"]) - 1 else f"parameter {i} of the block"
        assert_equal(got.numel(), right.numel(), f"how many entries the gradient of {name} has, {about}", of="gradients", hint="No entries: no gradient has arrived." if right.numel() else f"No gradient should arrive: {name} requires none, and requires_grad_() changes what belongs to the caller.")
        assert_close(got, right, f"the gradient of {name}, {about}", of="same dice" if dropout else "gradients", hint="The second run must draw the same random numbers: in the same mode, from the state that the generator had before the first." if dropout else "Run the whole block again from X, and go back from there with the gradient that arrives from above." + which_are_right(mine["grads"], plain["grads"]),
                     mistakes={"The gradient was added twice: by backward() into .grad, and by what the Function returns.": 2 * right,
                               "The way back begins with ones here, not with the gradient that arrives from above.": by_ones[i]})
    assert_equal(mine["needs"], int(needs), f"whether X itself requires a gradient after the backward pass (1 yes, 0 no), {about}", of="without a gradient of X", hint="X.requires_grad_() changes the caller's tensor: X.detach() first.")
    assert_equal(mine["calls"], 2, f"how often the block runs, {about}", of="run again", hint="Once forward, once in the backward pass.")
    assert_close(mine["drawn"], plain["drawn"], f"random numbers drawn between forward and backward, {about}", of="stream", hint="The forward pass sets no seed and puts no state back: it leaves the generator where the block leaves it.")
    assert_close(mine["after"], plain["after"], f"random numbers drawn after backward, {about}", of="stream", hint="Put the state of the generator back after the second run: torch.random.fork_rng().")

check_recompute(4, 5, 0., True)
check_recompute(4, 5, 0., False)
check_recompute(5, 6, 0.5, True)
check_recompute(3, 4, 0., True, 1)
check_chained(3, 5)
check_chained(4, 6, 0.5)
check_beside(3, 4)
### BEGIN HIDDEN TESTS
check_recompute(6, 7, 0., True)
check_recompute(3, 9, 0., False)
check_recompute(5, 8, 0.4, False)
check_recompute(4, 6, 0., True, 3)
check_recompute(7, 4, 0.3, True)
check_chained(5, 4)
check_chained(3, 7, 0.3)
check_beside(4, 7)
### END HIDDEN TESTS

# %% [markdown]
# ## Summary
#
# - Training keeps what the backward rules need, one activation and more for each layer; a prediction keeps two neighbours at a time.
# - The profiler shows both: a label's bytes are taken minus given back, with all that was called in it.
# - A derivative with `create_graph=True` has a graph of its own, two to three times as large as the one before in our example.
# - A checkpoint keeps only the input of a part and computes the part again; with √L segments L blocks need about 2 √L activations, and where matrix products take most of the time, a step takes about a third longer.
# - Parameters, gradients and the optimizer's state stay: the fused update (B.2) takes the gradients away. Together, the two let networks learn on machines that hardly hold their parameters.
