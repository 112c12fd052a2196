# %% [markdown]
# # B.4 Memory, graphs and checkpointing
#
# The fused update gets rid of gradients. What is left are the activations: training keeps them until the backward pass has used them, prediction does not. This section measures both with torch's profiler, looks at the
# graphs that hold them, and then throws activations away on purpose, to compute them again when they are needed.

# %% tags=["setup"]
from d2l_utils.check import *
import d2l_utils as d2l
import contextlib
import itertools
import os
import time
import weakref
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

# %% [markdown]
# ## Recap
#
# ### What the profiler says
#
# `torch.profiler.profile(profile_memory=True)` writes down each piece of memory that is taken and given back. `record_function(name)` puts a label around a stretch of code; in the table its *CPU Mem* is what the stretch
# took minus what it gave back, with everything that was called in it. Make the batch before you profile: a profile of a whole epoch mostly shows the data loader.

# %% tags=["demo"]
net = deep_mlp((100, 50, 30, 10), seed=0)
X, Y = torch.randn(64, 100), torch.randn(64, 10)
for i in range(2):                      # the first profile also holds what torch sets up once
    net.zero_grad()
    output = loss = None                # otherwise a stage would give the memory of the pass before back
    with quiet(), profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        with record_function("prediction"), torch.no_grad():
            output = net(X)
        with record_function("forward"):
            loss = mean_square(net, X, Y)
        with record_function("backward"):
            loss.backward()
lines = profiler.key_averages().table(sort_by="cpu_memory_usage", row_limit=-1, max_name_column_width=30).splitlines()
print(*lines[:3], *[line for line in lines if line.strip().startswith(("prediction", "forward", "backward"))], sep="\n")

# %% [markdown]
# The table has a row for each operation and each label; the cell prints those of the labels. `prediction` keeps its output and nothing else: 64 × 10 numbers, 2,560 bytes (2.50 KB). `forward` keeps more, for the graph hangs on the loss, and the activations hang on the graph. `backward` takes memory for the gradients
# and gives the activations back; the balance may be negative.
#
# ### Graphs of derivatives
#
# The running example of 2.5, $y = \log(x^2) \sin x + 1/x$. A derivative taken with `create_graph=True` has a graph of its own, which contains the graph of $y$; the second derivative's graph contains both. Each holds the values
# that its backward would need.

# %% tags=["demo"]
from IPython.display import display
from torchviz import make_dot
x = torch.tensor(2., requires_grad=True)
y = torch.log(x ** 2) * torch.sin(x) + 1 / x
slope, = torch.autograd.grad(y, x, create_graph=True)
curvature, = torch.autograd.grad(slope, x, create_graph=True)
for name, value in (("y", y), ("the first derivative", slope), ("the second derivative", curvature)):
    print(name, value.item())
    display(make_dot(value, params={"x": x}))

# %% [markdown]
# ### Checkpointing
#
# `torch.utils.checkpoint.checkpoint(f, X, use_reentrant=False)` computes `f(X)` and keeps only `X`. In the backward pass it computes `f(X)` once more, this time with a graph, and goes backward through that. Cut a deep network into $k$ segments, checkpoint each, and
# two things have to be held: the input of every segment, and the inside of *one* segment.

# %% tags=["demo"]
blocks = tower(16, 64, seed=0)
X = torch.randn(256, 64)
histories = {}
for name, forward in (("plain", lambda: blocks(X)), ("4 segments", lambda: checkpoint_sequential(blocks, 4, X, use_reentrant=False))):
    blocks.zero_grad()
    with MemoryMeter() as meter:
        forward().sum().backward()
    histories[name] = meter.history
    print(f"{name:12} peak {max(meter.history) / 2 ** 10:.0f} KiB")
d2l.plot([range(len(h)) for h in histories.values()], [torch.tensor(h) / 2 ** 10 for h in histories.values()],
         xlabel="operation", ylabel="KiB of new memory", legend=list(histories), figsize=(6, 3))

# %% [markdown]
# The stairs of the plain pass go up once and down once. With segments they stay low on the way forward, and each segment has a little hill of its own on the way back. What remains at the end are the gradients.
#
# ## Exercises
#
# ### Training against prediction

# %% [markdown] task="B.4.1a" kind="code" minutes=12 difficulty=3 core=true
# ### Predict the bytes of a deep network
#
# Section 5.3.3 did this for one hidden layer. Now for `deep_mlp(widths, seed)`, Linear and ReLU in turn, with a batch of `n` examples in float32 that needs no gradient.
#
# Write `forward_bytes(widths, n)`: a dictionary with
#
# - `"training"`: the bytes of new memory that `loss = mean_square(net, X, Y)` keeps alive. ReLU saves its output, which the next Linear saves as its input; `square()` saves the differences between output and `Y`, so that the output itself can go; the loss is
#   one number. `X`, `Y` and the parameters are there already.
# - `"prediction"`: the most bytes of layer outputs alive at once in `net(X)` under `torch.no_grad()`. Each layer writes into new memory while its input is still there; then the input is released. `X` belongs to the caller.
#
# `widths` has at least two entries.
#
# **You are done when** the check finds the bytes of the network of the recap.

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
# 2. What a Linear gives to ReLU is not kept: ReLU's backward reads its own output. In prediction two neighbours count: the input and output of one layer. ReLU has both of the same width.
# 3. Widths 3, 2, with 10 examples: one Linear, no ReLU. Training keeps 10 · 2 numbers and the loss, 84 bytes; prediction 80.

# %% check="B.4.1a" points=2
found_bytes = forward_bytes((100, 50, 30, 10), 64)
assert_type(found_bytes, dict, "what forward_bytes returns")
assert_equal(found_bytes["training"], 23044, "training, widths 100, 50, 30, 10, 64 examples", mistakes={
    "The loss itself is a number of 4 bytes.": 23040, "Outputs of hidden Linears are not kept, only those of ReLU.": 23044 + 20480,
    "The differences are saved by the loss.": 23044 - 2560, "X is there already.": 23044 + 25600, "These are numbers, not bytes.": 5761})
assert_equal(found_bytes["prediction"], 25600, "prediction, widths 100, 50, 30, 10, 64 examples", mistakes={
    "While a layer runs, its input is still there.": 12800, "ReLU writes into new memory, too: its input and output have the same width.": 20480, "Released outputs do not count.": 43520, "X belongs to the caller.": 38400})
### BEGIN HIDDEN TESTS
for widths_, n_ in (((7, 20, 3, 11), 5), ((4, 9), 6), ((5, 2, 30, 40, 1), 3), ((30, 3, 8, 2), 9), ((6, 4, 50), 2)):
    model_ = deep_mlp(widths_, 0)
    batch_, goal_ = torch.ones(n_, widths_[0]), torch.ones(n_, widths_[-1])
    wanted = {"training": measure(lambda: mean_square(model_, batch_, goal_))[1],
              "prediction": measure(torch.no_grad()(lambda: model_(batch_)))[0]}
    for key, right in wanted.items():
        assert_equal(forward_bytes(widths_, n_)[key], right, f"{key}, widths {widths_}, {n_} examples",
                     hint="Look at every pair of neighbours, and at a ReLU of the widest hidden layer." if key == "prediction" else "")
### END HIDDEN TESTS

# %% [markdown] task="B.4.1b" kind="code" minutes=12 difficulty=3
# ### Stages in a profile
#
# Write `stage_bytes(stages)`. `stages` is a dictionary from a name to a function without arguments. Under one `torch.profiler.profile` with `profile_memory=True` call them once each, in their order, each in a `record_function` with its name, and return a dictionary from the name to the bytes that the stage took
# minus those that it gave back, as the profile has it: `cpu_memory_usage` of the entry of `profiler.key_averages()` whose `key` is the name. Only the CPU is profiled.
#
# The profiler of torch 2.13 writes to stderr; `quiet()` from the setup cell stops that, if it disturbs you.
#
# **You are done when** the check finds the bytes of a tensor that stays, and of one that goes.

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
# 3. The time of a label instead: `{e.key: e.cpu_time_total for e in profiler.key_averages() if e.key == "load"}`.

# %% check="B.4.1b" points=2
@probe
def stages_of_tensors(size):
    held = []
    with quiet():
        return stage_bytes({"stays": lambda: held.append(torch.ones(size)), "goes": lambda: torch.ones(size), "freed": held.clear})

assert_equal(stages_of_tensors(1000), {"stays": 4000, "goes": 0, "freed": -4000}, "1000 floats that stay, go at once, and are freed later", mistakes={
    "These are the stage's own bytes: those of the operations in it are missing.": {"stays": 0, "goes": -4000, "freed": -4000},
    "The result of a stage is held until the next one: call it, and keep nothing.": {"stays": 4000, "goes": 4000, "freed": -8000},
    "Is each stage called in its label?": {"stays": 0, "goes": 0, "freed": 0}})
### BEGIN HIDDEN TESTS
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

for widths_, n_ in (((9, 30, 20, 4), 7), ((5, 12, 3), 40)):
    found, calls_ = stages_of_training(widths_, n_)
    about = f"widths {widths_}, {n_} examples"
    assert_equal(list(calls_), ["predict", "ahead", "back"], f"the calls of the stages, {about}", hint="Call each stage once, in the order of the dictionary.")
    assert_equal(set(found), {"predict", "ahead", "back"}, f"the names, {about}")
    kept = 4 * n_ * sum(widths_[1:]) + 4
    assert_equal(found["predict"], 4 * n_ * widths_[-1], f"prediction keeps its output, {about}")
    assert_equal(found["ahead"], kept, f"the forward pass of training keeps the activations, {about}")
    gradients_ = sum(4 * (a + 1) * b for a, b in itertools.pairwise(widths_))
    assert_equal(found["back"], gradients_ - kept + 4, f"backward takes the gradients and gives the activations back, {about}")
### END HIDDEN TESTS

# %% [markdown]
# ### Graphs

# %% [markdown] task="B.4.2a" kind="code" minutes=10 difficulty=2
# ### Derivatives with a graph
#
# Write `derivatives(f, x, k)`: the list $[f(x), f'(x), \dots, f^{(k)}(x)]$ of `k` + 1 tensors of shape `()`. `f` is a smooth function from a 0-d tensor to a 0-d tensor, `x` a 0-d tensor that requires a gradient. Every derivative has its graph, so that one could draw it, or
# differentiate it once more. `x.grad` stays as it was.
#
# **You are done when** the check finds the derivatives of $x^4$ at 2.

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
@probe
def derivatives_of(name, at, k):
    functions = {"x⁴": lambda x: x ** 4, "running": lambda x: torch.log(x ** 2) * torch.sin(x) + 1 / x, "sin 3x": lambda x: torch.sin(3 * x),
                 "exp(-x²)": lambda x: torch.exp(-x ** 2)}
    x = torch.tensor(at, dtype=torch.float64, requires_grad=True)
    found = derivatives(functions[name], x, k)
    return [d.detach() for d in found], [int(d.grad_fn is not None) for d in found], [list(d.shape) for d in found], int(x.grad is not None)

values, graphs, shapes_, touched = derivatives_of("x⁴", 2., 3)
assert_equal(len(values), 4, "how many tensors for k = 3")
assert_close(list(values), [16., 32., 48., 48.], "x⁴ and three derivatives at 2",
             hint="backward() adds to what is in x.grad; torch.autograd.grad gives a derivative alone.")
assert_equal(list(graphs), [1] * 4, "which of them have a graph", hint="create_graph=True, for the last one, too.")
### BEGIN HIDDEN TESTS
assert_equal(touched, 0, "x.grad is left as it was", hint="backward() adds to x.grad; torch.autograd.grad does not.")
assert_equal(list(shapes_), [[]] * 4, "the shapes for x⁴")
import sympy
symbol = sympy.Symbol("x")
forms = {"running": sympy.log(symbol ** 2) * sympy.sin(symbol) + 1 / symbol, "sin 3x": sympy.sin(3 * symbol), "exp(-x²)": sympy.exp(-symbol ** 2)}
for name, at, k in (("running", 2., 2), ("running", -1.5, 3), ("sin 3x", 0.4, 5), ("exp(-x²)", 0.7, 4), ("sin 3x", 1., 0)):
    values, graphs, shapes_, touched = derivatives_of(name, at, k)
    wanted = [float(sympy.diff(forms[name], symbol, i).subs(symbol, at)) for i in range(k + 1)]
    assert_close(list(values), wanted, f"{name} and {k} derivatives at {at}", rtol=1e-6)
    assert_equal(list(graphs), [1] * (k + 1), f"which of them have a graph, {name}, k = {k}")
### END HIDDEN TESTS

# %% [markdown] task="B.4.2b" kind="code" minutes=12 difficulty=3
# ### Count the nodes
#
# Write `graph_nodes(y)`: the number of different nodes in the graph of the tensor `y`: `y.grad_fn`, the nodes in its `next_functions` (a tuple of pairs, the node first; `None` stands for an input that needs no gradient), theirs, and so on. The `AccumulateGrad` nodes of the leaves count. A node that is reached on several ways
# counts once. 0 where `y` has no graph.
#
# **You are done when** the check counts the nodes of $x \cdot x + x$.

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
# 2. A set of nodes that were seen, and a list of nodes to visit. Recursion fails on deep graphs, and takes forever where ways join again and again.
# 3. Links between pages: `seen, todo = set(), [start]`; while there is something in `todo`, take a page, and if it is new, add it to `seen` and its links to `todo`.

# %% check="B.4.2b" points=2
@probe
def nodes_of(names):
    x = torch.tensor(2., requires_grad=True)
    w = torch.tensor(3., requires_grad=True)

    def example():
        return torch.log(x ** 2) * torch.sin(x) + 1 / x

    def doubled():
        y = x
        for i in range(40):
            y = y + y
        return y

    def chain():
        y = x
        for i in range(3000):
            y = y * 1.
        return y

    def slope(y):
        return torch.autograd.grad(y, x, create_graph=True)[0]

    cases = {"x·x + x": lambda: x * x + x, "leaf": lambda: x, "no graph": lambda: torch.tensor(1.), "w·x": lambda: w * x, "example": example,
             "slope": lambda: slope(example()), "curvature": lambda: slope(slope(example())), "doubled": doubled, "chain": chain}
    return {name: graph_nodes(cases[name]()) for name in names}

assert_equal(nodes_of(["x·x + x"])["x·x + x"], 3, "x·x + x: an addition, a product, the leaf", mistakes={
    "A node that is reached on several ways counts once.": 5, "The leaf's AccumulateGrad counts.": 2})
### BEGIN HIDDEN TESTS
def count_here(y):
    seen, queue = {y.grad_fn}, [y.grad_fn]
    for node in queue:
        new = {source for source, index in node.next_functions if source is not None} - seen
        seen |= new
        queue += new
    return len(seen)

x_ = torch.tensor(2., requires_grad=True)
y_ = torch.log(x_ ** 2) * torch.sin(x_) + 1 / x_
first_, = torch.autograd.grad(y_, x_, create_graph=True)
second_, = torch.autograd.grad(first_, x_, create_graph=True)
counted_ = nodes_of(["leaf", "no graph", "w·x", "example", "slope", "curvature", "chain", "doubled"])
for name, right in (("leaf", 0), ("no graph", 0), ("w·x", 3), ("example", count_here(y_)), ("slope", count_here(first_)),
                    ("curvature", count_here(second_)), ("chain", 3001), ("doubled", 41)):
    assert_equal(counted_[name], right, f"the nodes of {name}", hint="A leaf has no grad_fn, and None is no node.")
### END HIDDEN TESTS

# %% tags=["demo"]
x = torch.tensor(2., requires_grad=True)
for i, value in enumerate(derivatives(lambda x: torch.log(x ** 2) * torch.sin(x) + 1 / x, x, 4)):
    print(f"derivative {i}: {value.item():10.5f}, {graph_nodes(value)} nodes")

# %% [markdown]
# ### Checkpoints

# %% [markdown] task="B.4.3a" kind="code" minutes=12 difficulty=3 core=true
# ### Forward in segments
#
# Write `forward_in_segments(blocks, X, k)`: the output of the blocks, a list of modules that are applied one after the other, cut into `k` segments (1 ≤ `k` ≤ number of blocks), each of which is checkpointed with `checkpoint(..., use_reentrant=False)`. The segments are
# contiguous, and their lengths differ by at most 1. Outputs and gradients are those of the blocks applied without checkpoints.
#
# **You are done when** the check finds the gradients of the plain network, and a smaller peak of memory.

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
# 2. `nn.Sequential(*blocks[start:end])` is a function of one argument with the same parameters. A lambda in the loop that captures `start` and `end` is called *again in the backward pass*, when the loop is over.
# 3. Cutting 10 into 3: `[10 * i // 3 for i in range(4)]` gives the borders 0, 3, 6, 10.

# %% check="B.4.3a" points=3
@probe
def in_segments(number, width, k, n, dropout=0.):
    found = []
    for way in ("plain", "segments"):
        blocks = list(tower(number, width, 0, dropout))
        calls = [0] * number
        for i, block in enumerate(blocks):
            block.register_forward_hook(lambda module, args, output, i=i: calls.__setitem__(i, calls[i] + 1))
        torch.manual_seed(1)
        X = torch.randn(n, width, requires_grad=True)
        meter = MemoryMeter()
        with meter:
            out = forward_in_segments(blocks, X, k) if way == "segments" else nn.Sequential(*blocks)(X)
            kept = sum(meter.alive.values())
            out.sin().sum().backward()
        found.append([out.detach(), [p.grad for block in blocks for p in block.parameters()] + [X.grad], calls, max(meter.history), kept])
    return found

def check_segments(number, width, k, n, dropout=0.):
    (out, grads, calls, peak, kept), (out_k, grads_k, calls_k, peak_k, kept_k) = in_segments(number, width, k, n, dropout)
    about = f"{number} blocks in {k} segments"
    assert_close(out_k, out, f"the output of {about}")
    assert_true(all(g is not None for g in grads_k), f"every parameter and X have a gradient, {about}", hint="Is each block in a segment?")
    assert_close(list(grads_k), list(grads), f"the gradients of {about}", hint="The segments are computed again in the backward pass: the same blocks on the same input.")
    assert_close(list(grads_k), list(grads), f"the gradients of {about}, in every bit", rtol=0, atol=0)
    assert_true(all(1 <= c <= 2 for c in calls_k), f"each block runs once or twice, {about}; found {list(calls_k)}",
                hint="Checkpoint the segments, not segments inside of segments.")
    return peak, peak_k, kept, kept_k

peak, peak_k, kept, kept_k = check_segments(12, 8, 3, 64)
assert_true(kept_k < kept / 2, "the forward pass of 12 blocks in 3 segments keeps less than half of what the plain one keeps",
            hint="Is anything checkpointed? And in segments of several blocks?")
assert_true(peak_k < 0.75 * peak, "the peak of memory with 3 segments is below three quarters of the plain one")
### BEGIN HIDDEN TESTS
for number, width, k, n in ((10, 6, 3, 32), (7, 5, 7, 20), (9, 4, 1, 16), (5, 4, 2, 33)):
    unit = 4 * n * width
    peak, peak_k, kept, kept_k = check_segments(number, width, k, n)
    assert_true(kept_k < (k + 0.5) * unit, f"{number} blocks in {k} segments keep no more than a tensor for each segment: the inputs of all but the first, and the output",
                hint="As many segments as asked for, each of which keeps only its input.")
    largest = -(-number // k)
    assert_true(peak_k <= (k + largest + 5) * unit + 8 * number * 4 * width * (width + 1), f"the peak of {number} blocks in {k} segments",
                hint="Are the lengths of the segments as equal as they can be?")

with_dropout = check_segments(6, 8, 2, 16, 0.5)
### END HIDDEN TESTS

# %% [markdown]
# How does a checkpoint work? As a Function of its own, which runs the block without a graph and again with one in its backward. Two traps wait there. ⚠ Autograd looks at the tensors that are handed to the Function: if none of them requires a gradient,
# the result requires none, and the block is not trained, whatever its parameters say. ⚠ A block with Dropout draws random numbers, and a second run draws others, so the gradient would belong to another function.

# %% tags=["demo"]
class Forgetful(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, X):
        return block(X)

    @staticmethod
    def backward(ctx, above):
        return None, above


torch.manual_seed(0)
block, X = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5)), torch.ones(1, 4)
print("the block's result requires a gradient:", block(X).requires_grad)
print("the Function's result requires a gradient:", Forgetful.apply(block, X).requires_grad)
print("two runs with Dropout:", block(X).detach(), block(X).detach(), sep="\n")
state = torch.get_rng_state()
first = block(X).detach()
torch.set_rng_state(state)
print("two runs from the same state of the generator agree:", torch.equal(first, block(X).detach()))

# %% [markdown] task="B.4.3b" kind="code" minutes=30 difficulty=5
# ### A checkpoint of your own
#
# Write `recompute(block, X)`: it returns `block(X)`, a single tensor, and keeps only `X` until the backward pass, which computes the block again. Write it with a `torch.autograd.Function`, without `torch.utils.checkpoint` and
# without hooks on saved tensors. Gradients reach `X`, if it requires one, and all parameters of the module `block`, also where `X` requires none.
#
# Both traps count: the parameters must be trained although `X` needs no gradient, and a block with Dropout must draw the same numbers again, while the stream of random numbers behind it goes on as if nothing had happened.
# `torch.get_rng_state()` and `torch.random.fork_rng()` help.
#
# **You are done when** the check finds the gradients of the block, for an `X` that needs no gradient.

# %% exercise="B.4.3b"
### BEGIN SOLUTION
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
        dX, *gradients = torch.autograd.grad(out, [start, *parameters], above, allow_unused=True)
        return None, dX, *gradients


def recompute(block, X):
    """block(X), of which only X is kept for the backward pass."""
    return Recompute.apply(block, X, *[p for p in block.parameters() if p.requires_grad])
### END SOLUTION

# %% [markdown] hints="B.4.3b"
# 1. What must be kept in `forward` so that `backward` can compute the block again, with a graph this time?
# 2. In `forward` of a Function autograd does not record. In `backward`: `torch.enable_grad()`, a detached `X` that requires a gradient, the block, and `torch.autograd.grad` with the cotangent. Return a gradient for every argument of `forward`, `None` for the block.
# 3. For `exp` of a tensor: `forward(ctx, X)` saves `X` and returns `X.exp()`; `backward(ctx, above)` computes `X.exp()` again and returns `above * X.exp()`.

# %% check="B.4.3b" points=4
@probe
def recomputed(width, n, dropout, needs, own, frozen=0):
    block = tower(3, width, 0, dropout)
    for p in list(block.parameters())[:frozen]:
        p.requires_grad_(False)
    calls = []
    block.register_forward_hook(lambda module, args, output: calls.append(1))
    torch.manual_seed(1)
    X = torch.randn(n, width, requires_grad=bool(needs))
    kept = 0
    with MemoryMeter() as meter:
        out = recompute(block, X) if own else block(X)
        kept = sum(meter.alive.values())
    has_graph = int(out.requires_grad)
    drawn = torch.rand(2)
    if has_graph:
        (out * torch.linspace(-1, 2, out.numel()).reshape(out.shape)).sum().backward()
    grads = [p.grad if p.grad is not None else torch.zeros(0) for p in [*block.parameters(), X]]
    return [out.detach(), has_graph, grads, len(calls), kept, drawn, torch.rand(3)]

def check_recompute(width, n, dropout, needs, frozen=0):
    out, _, grads, _, kept, drawn, after = recomputed(width, n, dropout, needs, 0, frozen)
    out_r, has_graph, grads_r, calls, kept_r, drawn_r, after_r = recomputed(width, n, dropout, needs, 1, frozen)
    about = f"{n} examples, width {width}, dropout {dropout}, X {'requires' if needs else 'without'} a gradient"
    assert_close(out_r, out, f"the output, {about}")
    assert_equal(has_graph, 1, f"the output has a graph, {about}", hint="No tensor argument of the Function needs a gradient: hand the parameters in.")
    for i, (got, right) in enumerate(zip(grads_r, grads)):
        name = "X" if i == len(grads) - 1 else f"parameter {i}"
        assert_true((got.numel() > 0) == (right.numel() > 0), f"{name} has a gradient exactly if it requires one, {about}")
        assert_close(got, right, f"the gradient of {name}, {about}",
                     hint="Does the second run draw the same random numbers?" if dropout else "Use the cotangent that arrives.",
                     mistakes={"The gradient was added twice: by backward() into .grad, and by what the Function returns.": 2 * right})
    assert_equal(calls, 2, f"how often the block runs, {about}", hint="Once forward, once in the backward pass.")
    assert_true(kept_r <= 2 * out.numel() * 4, f"what is kept after the forward pass, {about}", hint="Keep X only: run the block without a graph.")
    assert_close(drawn_r, drawn, f"random numbers drawn between forward and backward, {about}")
    assert_close(after_r, after, f"random numbers drawn after backward, {about}", hint="Put the state of the generator back: torch.random.fork_rng().")

check_recompute(4, 5, 0., 0)
### BEGIN HIDDEN TESTS
check_recompute(6, 7, 0., 1)
check_recompute(5, 8, 0.5, 1)
check_recompute(5, 8, 0.4, 0)
check_recompute(4, 6, 0., 1, 2)
### END HIDDEN TESTS

# %% [markdown] task="B.4.4" kind="explain" minutes=15 difficulty=3
# ### How many segments?
#
# A network of $L$ equal blocks. The input of a block takes `a` bytes, the values that a block saves inside of it for its own backward take `s` bytes. Cut into `k` equal segments, `k` a divisor of $L$, the pass holds at its worst moment the inputs of all `k` segments, and
# the insides of the $L/k$ blocks of one segment: $k\,a + \frac{L}{k}\, s$ bytes.
#
# Write `best_segments(L, a, s)`: the pair `(k, bytes)` of the divisor of $L$ that needs the fewest bytes (the smallest such `k`), and that number. Then explain in words: how the best `k` and the memory grow with $L$; what it costs in time, in passes through a block;
# and which memory checkpointing does not touch, and what helps there.
#
# **You are done when** the check finds the segments of 16 blocks, and your text has all three points.

# %% exercise="B.4.4"
def best_segments(L, a, s):
    """(k, bytes): the divisor k of L with the least k a + L / k s; the smallest where several are equal."""
    ### BEGIN SOLUTION
    bytes_, k = min((k * a + L // k * s, k) for k in range(1, L + 1) if L % k == 0)
    return k, bytes_
    ### END SOLUTION

# %% [markdown] hints="B.4.4"
# 1. What do few segments cost, and what many?
# 2. Without the divisors: the derivative of $k a + L s / k$ by $k$ is 0 at $k = \sqrt{L s / a}$, where the two terms are equal.
# 3. The fence of a rectangular field of 36 m² with the sides $k$ and $36/k$: $k + 36/k$ is smallest where the two are equal, at $k = 6$.

# %% check="B.4.4" points=2
assert_equal(best_segments(16, 1, 1), (4, 8), "16 blocks, one unit each", mistakes={
    "This is one segment: all insides at once.": (1, 17), "A segment for each block holds all inputs.": (16, 17)})
assert_equal(best_segments(12, 1, 3), (6, 12), "12 blocks, a = 1, s = 3", mistakes={
    "The square root of L is best only where a and s are equal.": (3, 15)})
### BEGIN HIDDEN TESTS
for L_, a_, s_ in ((12, 2, 2), (100, 4, 4), (64, 1024, 4096), (7, 3, 5), (1, 2, 9), (48, 10, 1), (36, 1, 40), (24, 5, 7)):
    divisors = [k for k in range(1, L_ + 1) if not L_ % k]
    need = [k * a_ + L_ / k * s_ for k in divisors]
    assert_equal(best_segments(L_, a_, s_), (divisors[need.index(min(need))], min(need)), f"L, a, s = {L_}, {a_}, {s_}",
                 hint="Only divisors of L, and the smallest one where two need the same.")
### END HIDDEN TESTS

# %% [markdown] written="B.4.4" points=3
# ### BEGIN SOLUTION
# Few segments keep many insides, many segments keep many inputs. The sum is least where both terms are equal, at k = √(L s / a), and there it is 2 √(L a s): with 4 times as many blocks the best k and the memory double, where a plain pass, which holds
# L s, needs 4 times as much. For 16 blocks with a = s = 1 that is 8 instead of 16.
# In time, each block is run forward once more, in the backward pass. A backward pass costs about two forward passes, so a step goes from three to four forward passes, a third more, whatever k is.
# Parameters, gradients and the state of the optimizer are as large as before. Against the gradients the fused update helps (B.2), against the optimizer's state a rule with less state (SGD instead of Adam), against all three spreading them over several devices.
#
# **Rubric**
# - [1] Best k about √(L s / a), memory grows with √L instead of L; also accepted: √L with a = s; lost by "the more segments the better".
# - [1] Each block runs forward once more, about a third more time for a step, independent of k; also accepted: a measured ratio with its place; lost by "k times as long".
# - [1] Parameters, gradients, optimizer state are untouched, with a remedy for one of them; also accepted: fused update, sharding; lost by "all memory shrinks".
# ### END SOLUTION

# %% [markdown] task="B.4.5" kind="experiment" minutes=25 difficulty=3
# ### Memory against time
#
# Write `run(config)`. `config` has `"blocks"`, `"width"`, `"examples"`, `"segments"` (a list of integers), `"rounds"` and `"seed"`. The table, a list, has a dictionary for each entry `k` of `"segments"`, in order, with
#
# - `"segments"`: `k`; 0 stands for the network without checkpoints, any other for `checkpoint_sequential(net, k, X, use_reentrant=False)`;
# - `"peak"`: the most bytes of new memory alive at once in forward and backward of `.sum()` of the output (`measure(f)[0]`), with all `.grad` `None` before;
# - `"calls"`: how many times a block starts in that pass, all blocks together (`register_forward_pre_hook`: a checkpoint stops the second run as soon as it has what it needs, inside of the last block of a segment, so a forward hook would miss that one);
# - `"seconds"`: the least time of forward and backward over the rounds, the entries taking turns in each round.
#
# The network is `tower(blocks, width, seed)`, the batch `torch.randn(examples, width)` after another `torch.manual_seed(seed)`; it needs no gradient.
#
# Then run it for 24 blocks of width 64, 2048 examples, segments 0, 1, 2, 3, 4, 6, 8, 12 and 24, 5 rounds, and report in the second cell: (1) peak and time against the plain pass, for the best `k` and two others; (2) the calls, and why `checkpoint_sequential` needs fewer than twice the number of blocks;
# (3) how far the prediction of B.4.4 fits, and what it leaves out.
#
# **You are done when** the check finds the calls of the plain pass and a lower peak with 4 segments, and your text has all three points.

# %% exercise="B.4.5"
def run(config):
    """A row for each number of segments: {"segments", "peak", "calls", "seconds"}."""
    ### BEGIN SOLUTION
    net = tower(config["blocks"], config["width"], config["seed"])
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["width"])

    def once(k):
        net.zero_grad()
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
            start = time.perf_counter()
            once(row["segments"])
            row["seconds"] = min(row["seconds"], time.perf_counter() - start)
    return rows
    ### END SOLUTION

# %% [markdown] hints="B.4.5"
# 1. Which of the three columns are exact, and which one needs rounds?
# 2. Count calls with `register_forward_pre_hook` on each block, and take the hooks away before the timing. `net.zero_grad()` sets gradients to `None`, and gives their memory back: do it before the meter is on.
# 3. For three runners in two rounds: round 1: a, b, c; round 2: a, b, c; keep the smaller time of each.

# %% check="B.4.5" points=3
def check_run(config):
    table = run(config)
    number, unit = config["blocks"], 4 * config["examples"] * config["width"]
    about = f"{number} blocks of width {config['width']}, {config['examples']} examples"
    assert_equal([row["segments"] for row in table], list(config["segments"]), f"the segments in the table, {about}")
    for row in table:
        k = row["segments"]
        assert_equal(set(row), {"segments", "peak", "calls", "seconds"}, f"the keys for {k} segments")
        length = number // k if k else 0
        assert_equal(row["calls"], number + max(k - 1, 0) * length, f"the calls of blocks, {k} segments, {about}", mistakes={
            "Are blocks counted in the backward pass, too?": number, "This counts several passes.": 2 * (number + max(k - 1, 0) * length),
            "A forward hook misses the last block of each segment, which the second run does not finish.": number + max(k - 1, 0) * (length - 1)})
        assert_true(0 < row["seconds"] < 10, f"the seconds for {k} segments")
        model = tower(number, config["width"], config["seed"])
        torch.manual_seed(config["seed"])
        batch = torch.randn(config["examples"], config["width"])
        wanted = measure(lambda: (checkpoint_sequential(model, k, batch, use_reentrant=False) if k else model(batch)).sum().backward())[0]
        assert_close(float(row["peak"]), float(wanted), f"the peak, {k} segments, {about}", rtol=0.1, atol=2.5 * unit,
                     hint="Measure forward and backward together, once, with all .grad None before.")
    return {row["segments"]: row for row in table}

rows = check_run({"blocks": 12, "width": 8, "examples": 64, "segments": [0, 4], "rounds": 1, "seed": 0})
assert_true(rows[4]["peak"] < 0.75 * rows[0]["peak"], "the peak with 4 segments is below three quarters of the plain one")
### BEGIN HIDDEN TESTS
rows = check_run({"blocks": 10, "width": 6, "examples": 50, "segments": [5, 1, 0, 3], "rounds": 2, "seed": 3})
### END HIDDEN TESTS

# %% tags=["demo"]
table = run({"blocks": 24, "width": 64, "examples": 2048, "segments": [0, 1, 2, 3, 4, 6, 8, 12, 24], "rounds": 5, "seed": 0})
unit = 4 * 2048 * 64
gradients = 24 * 4 * 64 * 65
print("segments   peak, KiB   of plain   predicted, KiB   calls   time, of plain")
for row in table:
    k = row["segments"]
    predicted = (k * unit + 24 / k * unit if k else 24 * unit) / 2 ** 10
    print(f"{k or 'none':>8} {row['peak'] / 2 ** 10:11.0f} {row['peak'] / table[0]['peak']:10.2f} {predicted:16.0f} {row['calls']:7}"
          f" {row['seconds'] / table[0]['seconds']:12.2f}")
print(f"one activation: {unit / 2 ** 10:.0f} KiB; all gradients: {gradients / 2 ** 10:.0f} KiB")
d2l.plot([row["segments"] for row in table[1:]], [[row["peak"] / 2 ** 10 for row in table[1:]],
         [(row["segments"] + 24 / row["segments"]) * unit / 2 ** 10 for row in table[1:]]], xlabel="segments", ylabel="KiB",
         legend=["measured", "predicted"], figsize=(5, 3))

# %% [markdown] written="B.4.5" points=3
# ### BEGIN SOLUTION
# With one thread the plain pass peaked at 13,328 KiB. Six segments need least, 5,697 KiB or 0.43 of that, at 1.58 of the time; two segments need 0.59 at 1.33 of the time, 24 segments as much as the plain pass, at 1.82.
# The calls grow from 24 to 36 with two segments and to 47 with 24: every block runs again, except those of the last segment. It is not checkpointed, for its backward comes at once. So fewer segments also mean fewer blocks that run twice, and one segment is the plain pass.
# The prediction has its minimum at 4 and 6 segments, and the measured curve lies some 550 to 600 KiB above it. It leaves out the gradients, 390 KiB at the end, and what is alive for a moment, such as the cotangents. In time the sum "four forward passes instead of three" gives 1.33 at most: here it is more, for
# only matrix products take twice as long backward as forward; Tanh takes about as long, and each segment costs some bookkeeping, such as the state of the random numbers.
#
# **Rubric**
# - [1] Peak and time as ratios to the plain pass, for the best k and two others, from the student's own table; also accepted: a plot of one against the other; lost by the best k without its price.
# - [1] Calls read from the table, and the last segment is not run again; also accepted: one segment equals the plain pass; lost by "twice as many calls for every k".
# - [1] The prediction has the right shape and its minimum at the right place, and leaves out gradients and temporary values; also accepted: a constant difference, with its size; lost by "it fits exactly".
# ### END SOLUTION
