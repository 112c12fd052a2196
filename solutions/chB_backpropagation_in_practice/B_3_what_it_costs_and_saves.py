# %% [markdown]
# # B.3 What the fused update costs and saves
#
# B.2 updated each layer inside of the backward pass. Now measure: how many gradients are alive at once, how many bytes they take, and how long a step lasts. Then look at the price that is not
# on the clock: clipping by the norm of all gradients, and accumulation over micro-batches.

# %% tags=["setup"]
from d2l_utils.check import *
import d2l_utils as d2l
import itertools
import time
import weakref
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


def deep_mlp(widths, seed):
    """Linear and ReLU in turn, a Linear at the end; the same weights for the same seed."""
    torch.manual_seed(seed)
    layers = []
    for fan_in, fan_out in itertools.pairwise(widths):
        layers += [nn.Linear(fan_in, fan_out), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def plain(net, lr):
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)

    def step(X, Y):
        optimizer.zero_grad()
        loss = F.mse_loss(net(X), Y)
        loss.backward()
        optimizer.step()
        return loss.item()
    return step


def by_hand(net, lr):
    optimizers = {layer: torch.optim.SGD(layer.parameters(), lr=lr) for layer in net if list(layer.parameters())}

    def step(X, Y):
        pieces = []
        for layer in net:
            start = X.detach().requires_grad_()
            X = layer(start)
            pieces.append((layer, start, X))
        top = X.detach().requires_grad_()
        loss = F.mse_loss(top, Y)
        passed, = torch.autograd.grad(loss, top)
        while pieces:
            layer, start, end = pieces.pop()
            end.backward(passed)
            passed = start.grad
            if layer in optimizers:
                optimizers[layer].step()
                optimizers[layer].zero_grad()
        return loss.item()
    return step


def hooks_with_optimizers(net, lr):
    for p in net.parameters():
        def hook(p, optimizer=torch.optim.SGD([p], lr=lr)):
            optimizer.step()
            optimizer.zero_grad()
        p.register_post_accumulate_grad_hook(hook)
    return backward_only(net)


def hooks_with_the_rule(net, lr):
    @torch.no_grad()
    def hook(p):
        p.add_(p.grad, alpha=-lr)
        p.grad = None
    for p in net.parameters():
        p.register_post_accumulate_grad_hook(hook)
    return backward_only(net)


def backward_only(net):
    def step(X, Y):
        loss = F.mse_loss(net(X), Y)
        loss.backward()
        return loss.item()
    return step


# name -> a function of (net, lr) that makes net ready and returns step(X, Y), a step of SGD that returns the loss
VARIANTS = {"plain": plain, "by hand": by_hand, "hooks, optimizers": hooks_with_optimizers, "hooks, the rule": hooks_with_the_rule}


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


def memory_history(f):
    """Bytes of new memory alive after each operation of f()."""
    with MemoryMeter() as meter:
        f()
    return meter.history

# %% [markdown]
# ## Recap
#
# The setup cell has four ways to train a network by SGD, with the same result: the *plain* loop, the fused update *by hand*, by *hooks* with an optimizer object for each parameter, and by hooks that hold the update
# *rule* itself.
#
# ### Memory in the course of a step
#
# The meter of B.2, drawn: eight layers of 64 × 64, two examples, so that nearly all of the memory is gradients. The plain loop climbs one stair for each layer and stays at the top: its gradients lie there until the next step
# clears them. In a fused pass each stair is taken away before the next.

# %% tags=["demo"]
stairs = {}
X, Y = torch.ones(2, 64), torch.ones(2, 64)
for name, make in VARIANTS.items():
    step = make(deep_mlp((64,) * 9, seed=0), 0.01)
    step(X, Y)
    stairs[name] = memory_history(lambda: step(X, Y))
    print(f"{name:18} peak {max(stairs[name]):7} bytes")
d2l.plot([range(len(history)) for history in stairs.values()], [torch.tensor(history) / 2 ** 10 for history in stairs.values()],
         xlabel="operation", ylabel="KiB of new memory", legend=list(stairs), figsize=(6, 3))

# %% [markdown]
# ### On a GPU
#
# CUDA's allocator can write down each piece of memory that is taken and given back, with the line of code that asked for it. The snapshot is a file that https://pytorch.org/memory_viz draws, in a browser, as the
# same stairs. Without a GPU there is nothing to record.

# %% tags=["demo"]
if torch.cuda.is_available():
    import os
    import tempfile
    folder = tempfile.mkdtemp()
    for name, make in VARIANTS.items():
        step = make(deep_mlp((1024,) * 9, seed=0).cuda(), 0.01)
        X_gpu, Y_gpu = torch.ones(2, 1024, device="cuda"), torch.ones(2, 1024, device="cuda")
        step(X_gpu, Y_gpu)
        torch.cuda.synchronize()
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        torch.cuda.memory._record_memory_history()
        step(X_gpu, Y_gpu)
        torch.cuda.synchronize()
        snapshot = os.path.join(folder, name.replace(", ", "_").replace(" ", "_") + ".pickle")
        torch.cuda.memory._dump_snapshot(snapshot)
        torch.cuda.memory._record_memory_history(enabled=None)
        print(f"{name:18} peak {(torch.cuda.max_memory_allocated() - before) / 2 ** 20:6.1f} MiB above the start; snapshot: {snapshot}")
else:
    print("Skipped: this machine has no GPU that torch can use, so there is no CUDA snapshot. The meter above shows the same on the CPU.")

# %% [markdown]
# ## Exercises
#
# ### Count the gradients

# %% [markdown] task="B.3.1a" kind="code" minutes=15 difficulty=3 core=true
# ### Gradients alive at once
#
# Hooks can count on any device. `p.register_hook(f)` on a parameter calls `f(gradient)` when the parameter's gradient arrives, just before it is added to `p.grad`.
#
# Write `count_gradients(net, run)`: it calls `run()` once and returns the pair `(most, most_bytes)`. At each moment in which a gradient arrives at a parameter, count that gradient and every parameter's `.grad` that is not `None`
# at that moment. `most` is the largest such number, `most_bytes` the largest sum of their `nbytes` (the two maxima may fall on different moments). Both are 0 if no gradient arrives. Parameters that require no gradient
# have no hook. Remove your hooks at the end, also if `run` raises an error.
#
# **You are done when** the check counts six gradients in the plain backward pass of three layers.

# %% exercise="B.3.1a"
def count_gradients(net, run):
    """(most gradients alive at once, most bytes of gradients alive at once) while run() runs."""
    ### BEGIN SOLUTION
    found = [(0, 0)]

    def arrives(gradient):
        alive = [gradient] + [p.grad for p in net.parameters() if p.grad is not None]
        found.append((len(alive), sum(g.nbytes for g in alive)))

    handles = [p.register_hook(arrives) for p in net.parameters() if p.requires_grad]
    try:
        run()
    finally:
        for handle in handles:
            handle.remove()
    return max(number for number, size in found), max(size for number, size in found)
    ### END SOLUTION

# %% [markdown] hints="B.3.1a"
# 1. What exists at the moment in which the second gradient of a pass arrives?
# 2. A hook may look at all parameters, not only at its own. `handle = p.register_hook(f)`; `handle.remove()` in a `finally`. The hook's return value would replace the gradient: return nothing.
# 3. Counting the open doors whenever someone comes in: `found.append(1 + sum(door.open for door in doors))`, and at the end `max(found)`.

# %% check="B.3.1a" points=3
@probe
def counted(name, widths, steps=1):
    net = deep_mlp(widths, 0)
    step = VARIANTS[name](net, 0.01)
    X, Y = torch.ones(2, widths[0]), torch.ones(2, widths[-1])
    step(X, Y)
    net.zero_grad()
    return count_gradients(net, lambda: [step(X, Y) for i in range(steps)])

found = counted("plain", (5, 4, 3, 2))
assert_equal(len(found), 2, "how many numbers are returned")
assert_equal(found[0], 6, "the gradients alive at once in a plain pass of three layers", mistakes={
    "The gradient that arrives is not yet in .grad: count it, too.": 5, "Count each moment for itself, and take the largest.": 21})
assert_equal(found[1], 4 * (5 * 4 + 4 + 4 * 3 + 3 + 3 * 2 + 2), "their bytes", mistakes={"These are entries: float32 takes 4 bytes.": 47})
### BEGIN HIDDEN TESTS
for name, most in (("plain", 8), ("by hand", 2), ("hooks, optimizers", 1), ("hooks, the rule", 1)):
    widths_ = (7, 3, 6, 5, 4)
    sizes_ = [(a * b * 4, b * 4) for a, b in itertools.pairwise(widths_)]
    size = {8: sum(map(sum, sizes_)), 2: max(map(sum, sizes_)), 1: max(weight for weight, bias in sizes_)}[most]
    assert_equal(list(counted(name, widths_)), [most, size], f"number and bytes, {name}, widths {widths_}",
                 hint="Count when a gradient arrives: the hook that frees it may run before another hook of its kind.")

@probe
def special_counts():
    net = deep_mlp((4, 3, 2), 0).double()
    net[0].weight.requires_grad_(False)
    X, calls = torch.ones(5, 4, dtype=torch.float64), []
    nothing = count_gradients(net, lambda: calls.append(1))
    twice = count_gradients(net, lambda: [net(X).sum().backward() for i in range(2)])
    partly = count_gradients(net, lambda: (net.zero_grad(), net[2](torch.ones(1, 3, dtype=torch.float64)).sum().backward()))
    net.zero_grad()
    net(X).sum().backward()
    kept = [p.grad for p in (net[0].bias, net[2].bias)]
    return {"nothing": nothing, "twice": twice, "partly": partly, "calls": len(calls), "kept": kept,
            "hooks": sum(len(p._backward_hooks or ()) for p in net.parameters())}

special = special_counts()
assert_equal(list(special["nothing"]), [0, 0], "a run without a gradient")
assert_equal(list(special["partly"]), [2, 64], "a run through the last layer only, float64")
assert_equal(list(special["twice"]), [4, 8 * (3 + 6 + 2) + 8 * 6], "two passes that add up: a gradient arrives while all three are there",
             hint="The gradient that arrives exists beside the one that it will be added to.")
assert_equal(special["calls"], 1, "how often run is called")
assert_equal(special["hooks"], 0, "the hooks that are left afterwards")
assert_close(special["kept"][1], torch.full((2,), 5., dtype=torch.float64), "the gradients afterwards are what they would be without counting")

@probe
def after_an_error():
    net = deep_mlp((4, 3, 2), 0)
    raised = []
    try:
        count_gradients(net, lambda: net(torch.ones(1, 5)))
    except RuntimeError:
        raised.append(1)
    return len(raised), sum(len(p._backward_hooks or ()) for p in net.parameters())

assert_equal(list(after_an_error()), [1, 0], "an error of run comes through, and no hook is left", hint="Remove the hooks in a finally.")
### END HIDDEN TESTS

# %% [markdown] task="B.3.1b" kind="code" minutes=8 difficulty=2 core=true
# ### Predict the bytes
#
# Write `gradient_bytes(widths, way)`: the most bytes of gradients alive at once, counted as in B.3.1a, for one step of `deep_mlp(widths, seed)` in float32. `way` is a name of `VARIANTS`. `widths` is a tuple of at least two integers: a Linear from each to the next, with bias.
#
# **You are done when** the check finds the bytes for widths 5, 4, 3, 2.

# %% exercise="B.3.1b"
def gradient_bytes(widths, way):
    """Most bytes of float32 gradients alive at once in a step: all, one layer's, or one parameter's."""
    ### BEGIN SOLUTION
    layers = [(4 * fan_in * fan_out, 4 * fan_out) for fan_in, fan_out in zip(widths, widths[1:])]
    if way == "plain":
        return sum(weight + bias for weight, bias in layers)
    if way == "by hand":
        return max(weight + bias for weight, bias in layers)
    return max(weight for weight, bias in layers)
    ### END SOLUTION

# %% [markdown] hints="B.3.1b"
# 1. What is freed at once in each of the ways: the network's gradients, a layer's, a parameter's?
# 2. The largest layer decides, wherever it is.
# 3. For boxes of (3 + 1), (5 + 2), (6 + 0.5) kg: all together 17.5, one box at a time 7, one piece at a time 6.

# %% check="B.3.1b" points=1
assert_equal(gradient_bytes((5, 4, 3, 2), "plain"), 188, "all gradients", mistakes={
    "These are entries: float32 takes 4 bytes.": 47, "Biases have gradients, too.": 152})
assert_equal(gradient_bytes((5, 4, 3, 2), "by hand"), 96, "one layer's gradients at a time", mistakes={"A layer has a weight and a bias.": 80})
assert_equal(gradient_bytes((5, 4, 3, 2), "hooks, the rule"), 80, "one parameter's gradient at a time", mistakes={
    "Hooks free each parameter for itself, not a layer.": 96})
### BEGIN HIDDEN TESTS
def counted_here(widths, way):
    net, most = deep_mlp(widths, 0), [0]
    step = VARIANTS[way](net, 0.01)

    def arrives(gradient):
        most[0] = max(most[0], gradient.nbytes + sum(p.grad.nbytes for p in net.parameters() if p.grad is not None))
    for p in net.parameters():
        p.register_hook(arrives)
    step(torch.ones(1, widths[0]), torch.ones(1, widths[-1]))
    return most[0]

for widths_ in ((2, 3, 9, 4), (6, 1), (8, 8, 8, 8, 8), (1, 30, 2)):
    for way in VARIANTS:
        assert_equal(gradient_bytes(widths_, way), counted_here(widths_, way), f"widths {widths_}, {way}",
                     hint="The largest decides, wherever it stands.")
### END HIDDEN TESTS

# %% [markdown]
# ### Time
#
# A single measurement on a busy machine says little. Run the variants in turn, several rounds, and take each one's best: whatever else runs can only add time. Compare ratios within one run, not seconds between
# machines. `benchmarks/fused.py` does this at several sizes, for SGD and Adam.

# %% [markdown] task="B.3.2" kind="experiment" minutes=25 difficulty=3 core=true
# ### Side by side
#
# Write `run(config)`. `config` is a dictionary with `"widths"`, `"examples"`, `"steps"`, `"rounds"` and `"seed"`. For each variant of `VARIANTS`, in that order, the table (a list) gets a dictionary with
#
# - `"variant"`: its name; `"seconds"`: the least time of a step, in seconds: in each round measure `"steps"` steps together and divide; the variants take turns in each round;
# - `"peak"`: the largest number in `memory_history` of one more step, after the rounds;
# - `"loss"`: the loss that this last step returns.
#
# Each variant trains a network of its own, `deep_mlp(widths, seed)`, with learning rate 0.01 on the same batch, `X` and then `Y` from `torch.randn` after `torch.manual_seed(seed)`; `Y` has the width of the output.
#
# Then run it for 10 layers of width 16 with 5 examples, 50 steps, 7 rounds, and for 10 layers of width 512 with 16 examples, 3 steps, 7 rounds, and report in the second cell: (1) seconds and peak of the four variants as ratios to plain; (2) where the
# time of the optimizers' objects shows and where not; (3) why hooks with the rule need not be slower than plain, and what your measurement cannot tell.
#
# **You are done when** the check finds equal losses in all rows, and the plain loop's peak above the others, and your text has all three points.

# %% exercise="B.3.2"
def run(config):
    """A row for each variant: {"variant", "seconds", "peak", "loss"}."""
    ### BEGIN SOLUTION
    torch.manual_seed(config["seed"])
    X = torch.randn(config["examples"], config["widths"][0])
    Y = torch.randn(config["examples"], config["widths"][-1])
    steps = {name: make(deep_mlp(config["widths"], config["seed"]), 0.01) for name, make in VARIANTS.items()}
    best = dict.fromkeys(steps, float("inf"))
    for _ in range(config["rounds"]):
        for name, step in steps.items():
            start = time.perf_counter()
            for _ in range(config["steps"]):
                step(X, Y)
            best[name] = min(best[name], (time.perf_counter() - start) / config["steps"])
    table = []
    for name, step in steps.items():
        losses = []
        history = memory_history(lambda: losses.append(step(X, Y)))
        table.append({"variant": name, "seconds": best[name], "peak": max(history), "loss": losses[0]})
    return table
    ### END SOLUTION

# %% [markdown] hints="B.3.2"
# 1. If all four networks have taken the same number of steps from the same start, what must be equal in the rows?
# 2. Outer loop over rounds, inner loop over variants, `min` over the rounds. The meter slows things down: keep it out of the timing.
# 3. Best of 3 for two runners who take turns: rounds (11.2, 12.0), (10.9, 15.1), (11.5, 11.8) give 10.9 and 11.8.

# %% check="B.3.2" points=3
def check_table(config):
    table = run(config)
    about = f"widths {config['widths']}, {config['rounds']} rounds of {config['steps']} steps"
    assert_equal([row["variant"] for row in table], list(VARIANTS), f"the variants in the table, {about}")
    for row in table:
        assert_equal(set(row), {"variant", "seconds", "peak", "loss"}, f"the keys of {row['variant']}")
        assert_true(0 < row["seconds"] < 10, f"the seconds of {row['variant']} are positive and of one step")
    torch.manual_seed(config["seed"])
    X_, Y_ = torch.randn(config["examples"], config["widths"][0]), torch.randn(config["examples"], config["widths"][-1])
    step = plain(deep_mlp(config["widths"], config["seed"]), 0.01)
    losses = [step(X_, Y_) for i in range(config["rounds"] * config["steps"] + 1)]
    for row in table:
        assert_close(row["loss"], losses[-1], f"the loss of {row['variant']}, {about}", rtol=1e-5, mistakes={
            "This is the loss before any step: does the variant train?": losses[0], "This is the step before the last.": losses[-2]},
            hint="Each variant begins with a new network of the seed, and takes rounds × steps steps before the last.")
    peaks = {row["variant"]: row["peak"] for row in table}
    layers = [4 * (a + 1) * b for a, b in itertools.pairwise(config["widths"])]
    assert_true(peaks["plain"] >= sum(layers), f"the peak of plain holds all gradients, {about}",
                hint="memory_history shows one step; take its largest number.")
    assert_true(peaks["plain"] < 2 * sum(layers), f"the peak of plain is that of one step, {about}",
                hint="Take the largest number of the history, not its sum, of a single step after the timing.")
    for name in list(VARIANTS)[1:]:
        assert_true(0 < peaks[name] < peaks["plain"], f"the peak of {name!r} is below that of plain, {about}")

check_table({"widths": (40,) * 6, "examples": 2, "steps": 2, "rounds": 2, "seed": 0})
### BEGIN HIDDEN TESTS
check_table({"widths": (30, 50, 20, 40, 30, 10), "examples": 1, "steps": 3, "rounds": 1, "seed": 5})

@probe
def order_of_turns():
    turns, originals = [], dict(VARIANTS)

    def noted(name, make):
        def made(net, lr):
            step = make(net, lr)
            return lambda X, Y: (turns.append(name), step(X, Y))[1]
        return made

    for name, make in originals.items():
        VARIANTS[name] = noted(name, make)
    try:
        run({"widths": (4, 4), "examples": 1, "steps": 2, "rounds": 3, "seed": 1})
    finally:
        VARIANTS.update(originals)
    return turns

names_ = list(VARIANTS)
turns_ = list(order_of_turns())
assert_equal(turns_[:24], [name for i in range(3) for name in names_ for k in range(2)], "the steps in 3 rounds of 2, in order",
             hint="In each round every variant has its turn.")
### END HIDDEN TESTS

# %% [markdown] written="B.3.2" points=3
# ### BEGIN SOLUTION
# With two threads, width 16: by hand 2.30 of the plain loop's time, hooks with optimizers 2.02, hooks with the rule 0.96. Width 512: 1.15, 1.12 and 0.91. The peaks are bytes that were counted and do not depend on the load: at width 512 by hand 0.17 of plain, both hooks 0.14. With ten equal layers
# plain holds ten layers' gradients, by hand one layer's, hooks one parameter's, and all hold some temporary values, so it is a bit more than a tenth.
# An optimizer object costs some microseconds of Python for each step, whatever the size of its parameter: with 20 parameters of 16 × 16 this is more than the arithmetic. In large layers the matrix products take nearly all of the time, and the difference disappears.
# Hooks with the rule do the same arithmetic as plain, without the bookkeeping, and touch the gradient right after it was written, while it is in the cache; plain also has to allocate memory for all of them. My numbers are of one machine, one thread count and
# one load: differences of a few per cent are below the scatter between two runs, and they say nothing about a GPU.
#
# **Rubric**
# - [1] Ratios to plain for time and peak, for both sizes, from the student's own table; also accepted: a table; lost by seconds without a comparison.
# - [1] The objects' cost is constant for each parameter, so it shows for small layers and not for large ones; also accepted: "Python overhead", with the two sizes; lost by "hooks are slow".
# - [1] The rule in the hook does the same arithmetic without the bookkeeping, with a limit of the measurement named; also accepted: cache; lost by "it does less work because it skips gradients".
# ### END SOLUTION

# %% tags=["demo"]
for widths, examples, steps in (((16,) * 11, 5, 50), ((512,) * 11, 16, 3)):
    table = run({"widths": widths, "examples": examples, "steps": steps, "rounds": 7, "seed": 0})
    print(f"{len(widths) - 1} layers of width {widths[0]}, {examples} examples, {torch.get_num_threads()} threads")
    for row in table:
        print(f"   {row['variant']:18} {1e3 * row['seconds']:8.3f} ms, {row['seconds'] / table[0]['seconds']:.2f} of plain;"
              f" peak {row['peak'] / 2 ** 10:8.1f} KiB, {row['peak'] / table[0]['peak']:.2f} of plain")

# %% [markdown]
# ### Two passes for the global norm
#
# Large models are trained with clipped gradients: all are multiplied by the same factor, so that the norm of *all of them together* is at most $c$,
#
# $$\mathbf g \leftarrow \min\!\left(1, \frac{c}{\lVert \mathbf g \rVert + 10^{-6}}\right) \mathbf g, \qquad \lVert \mathbf g \rVert^2 = \sum_p \lVert \mathbf g_p \rVert^2 .$$
#
# `torch.nn.utils.clip_grad_norm_` does that. The factor is known when the last gradient has arrived, and in a fused pass the first ones are gone by then. LOMO's way out: go twice. The first pass adds the squares up and
# frees each gradient, the second computes the gradients again and updates. Time for memory.

# %%
net = deep_mlp((5, 4, 2), seed=0)
F.mse_loss(net(torch.ones(3, 5)), torch.zeros(3, 2)).backward()
print([f"{p.grad.norm().item():.4f}" for p in net.parameters()], "together", f"{torch.nn.utils.clip_grad_norm_(net.parameters(), 0.1).item():.4f}")
print([f"{p.grad.norm().item():.4f}" for p in net.parameters()], "after clipping to 0.1")

# %% [markdown] task="B.3.3" kind="code" minutes=20 difficulty=4
# ### Clip without holding the gradients
#
# Write `clipped_step(net, X, Y, lr, max_norm)`: one step of SGD on `F.mse_loss(net(X), Y)` with gradients that are clipped by their common norm, as above. It returns the norm before clipping, as a Python number. When a gradient arrives, no parameter of the network
# may have one in `.grad`: free each at once, in both passes. Afterwards `.grad` of every parameter is `None`, and your hooks are gone.
#
# **You are done when** the check finds the parameters that `clip_grad_norm_` and SGD give.

# %% exercise="B.3.3"
def clipped_step(net, X, Y, lr, max_norm):
    """A step of SGD, clipped by the norm of all gradients, in two passes. Returns the norm, a float."""
    ### BEGIN SOLUTION
    def one_pass(use):
        @torch.no_grad()
        def hook(p):
            use(p)
            p.grad = None
        handles = [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]
        F.mse_loss(net(X), Y).backward()
        for handle in handles:
            handle.remove()

    squares = []
    one_pass(lambda p: squares.append(p.grad.square().sum()))
    norm = torch.stack(squares).sum().sqrt().item()
    factor = min(1., max_norm / (norm + 1e-6))
    one_pass(lambda p: p.add_(p.grad, alpha=-lr * factor))
    return norm
    ### END SOLUTION

# %% [markdown] hints="B.3.3"
# 1. What must the first pass leave behind, and what must it leave alone?
# 2. The square of the common norm is the sum of the squares of all entries. The weights change in the second pass only. Either compute the loss twice, or use `retain_graph=True` in the first pass.
# 3. Norms 3 and 4 together are 5. With $c = 1$ the factor is 1/5 for both; clipping each for itself would give 1/3 and 1/4.

# %% check="B.3.3" points=3
@probe
def clipped(widths, seed, X, Y, rate, most):
    net = deep_mlp(widths, seed).to(X.dtype)
    alive = [0]
    handles = [p.register_hook(lambda g: alive.append(1 + sum(q.grad is not None for q in net.parameters()))) for p in net.parameters()]
    norms = [clipped_step(net, X, Y, rate, most)]
    hooks = sum(len(p._post_accumulate_grad_hooks or ()) + len(p._backward_hooks or ()) - 1 for p in net.parameters())
    if hooks == 0:
        norms.append(clipped_step(net, X, Y, rate, most))
    after = [p.detach().clone() for p in net.parameters()]
    left = sum(p.grad is not None for p in net.parameters())
    for handle in handles:
        handle.remove()
    if hooks == 0:
        F.mse_loss(net(X), Y).backward()
    return after, norms, max(alive), left, sum(p.grad is not None for p in net.parameters()), hooks

def clipped_plain(widths, seed, X, Y, rate, most, slip=""):
    net, norms = deep_mlp(widths, seed).to(X.dtype), []
    for i in range(2):
        params = list(net.parameters())
        grads = torch.autograd.grad(F.mse_loss(net(X), Y), params)
        norms.append(sum(g.square().sum() for g in grads).sqrt().item())
        seen = 0.
        for p, g in reversed(list(zip(params, grads))):
            seen = seen + g.square().sum().item()
            norm = {"each": g.norm().item(), "running": seen ** 0.5, "sum": sum(one.norm().item() for one in grads)}.get(slip, norms[-1])
            factor = most / (norm + 1e-6) if slip == "always" else 1. if slip == "none" else min(1., most / (norm + 1e-6))
            p.data -= rate * factor * g
    return [p.detach() for p in net.parameters()], norms

def check_clipped(widths, seed, n, rate, most):
    rng = torch.Generator().manual_seed(seed)
    X_, Y_ = (torch.randn(n, size, generator=rng, dtype=torch.float64) for size in (widths[0], widths[-1]))
    after, norms, alive, left, kept, hooks = clipped(widths, seed, X_, Y_, rate, most)
    about = f"two steps, widths {widths}, max_norm {most}"
    assert_equal(hooks, 0, "the hooks that are left after a step", hint="Take your hooks away: keep the handles, and call remove() after each pass.")
    twin, wanted = deep_mlp(widths, seed).to(torch.float64), []
    optimizer = torch.optim.SGD(twin.parameters(), lr=rate)
    for i in range(2):
        optimizer.zero_grad()
        F.mse_loss(twin(X_), Y_).backward()
        wanted.append(torch.nn.utils.clip_grad_norm_(twin.parameters(), most).item())
        optimizer.step()
    slips = {sentence: clipped_plain(widths, seed, X_, Y_, rate, most, slip)[0] for sentence, slip in (
        ("Each parameter was clipped by its own norm: all share one factor.", "each"),
        ("The norm was not complete: the first updates used the norm of what had arrived so far.", "running"),
        ("Norms do not add up, their squares do.", "sum"), ("Small gradients are not blown up: the factor is at most 1.", "always"),
        ("The gradients were not clipped.", "none"))}
    assert_close(list(after), [p.detach() for p in twin.parameters()], f"the parameters after {about}", rtol=1e-6, mistakes=slips,
                 hint="The weights change in the second pass only.")
    assert_close(list(norms), wanted, f"the norms of {about}", rtol=1e-6, mistakes={"This is the norm after clipping.": [min(most, w) for w in wanted]})
    assert_true(alive <= 1, f"at most one gradient exists when a gradient arrives, {about}; found {alive}",
                hint="Free each gradient in its hook, in both passes.")
    assert_equal(left, 0, f"the gradients left after {about}")
    assert_equal(kept, 2 * (len(widths) - 1), "the gradients that a backward pass leaves afterwards")

check_clipped((5, 4, 2), 0, 6, 0.5, 0.1)
check_clipped((5, 4, 2), 0, 6, 0.5, 100.)
### BEGIN HIDDEN TESTS
check_clipped((7, 6, 5, 3), 1, 9, 1.5, 0.3)
check_clipped((3, 3, 3, 3), 2, 4, 0.2, 0.05)
check_clipped((6, 2), 3, 5, 0.7, 50.)
### END HIDDEN TESTS

# %% [markdown]
# ### Accumulation against freeing
#
# Section 5.3.5 adds the gradients of several micro-batches up in `.grad` and steps once. A fused update leaves nothing in `.grad` to add to.

# %% [markdown] task="B.3.4" kind="explain" minutes=15 difficulty=3
# ### Why the two do not go together
#
# See it in a model with a single weight. The loss of an example with target $t$ is $\frac12 (w - t)^2$. `batches` is a list of micro-batches, each a list of targets, of any sizes ≥ 1. Write two functions that return the new weight:
#
# - `accumulated(w, batches, lr)`: one step of SGD with the gradient of the mean loss over *all* examples;
# - `fused(w, batches, lr)`: each micro-batch steps at once, with the gradient of *its share* of that mean (the sum over its examples, divided by the number of all examples), at the weight of that moment.
#
# Then explain in words: why clipping by the global norm needs two passes; what goes wrong if one fuses and accumulates; and what one can do instead, with its price.
#
# **You are done when** the check finds both weights for two micro-batches, and your text has all three points.

# %% exercise="B.3.4"
### BEGIN SOLUTION
def accumulated(w, batches, lr):
    """The weight after one step with the mean gradient over all examples."""
    targets = [t for batch in batches for t in batch]
    return w - lr * sum(w - t for t in targets) / len(targets)


def fused(w, batches, lr):
    """The weight if each micro-batch steps at once with its share of the mean gradient."""
    number = sum(len(batch) for batch in batches)
    for batch in batches:
        w = w - lr * sum(w - t for t in batch) / number
    return w
### END SOLUTION

# %% [markdown] hints="B.3.4"
# 1. At which weight is the gradient of the second micro-batch computed in each of the two?
# 2. Accumulation needs every gradient at the *same* weight. A gradient that is freed cannot be added to.
# 3. Two examples with targets 0 and 4, each a micro-batch, $w = 2$, $\eta = 1$: the mean gradient is $(2 - 2)/2 = 0$, so accumulated stays at 2. Fused goes to $2 - 1 = 1$, then to $1 + 1.5 = 2.5$.

# %% check="B.3.4" points=2
assert_close(accumulated(2., [[0.], [6.]], 0.5), 2.5, "accumulated, targets 0 and 6", mistakes={
    "This adds the gradients up without dividing by the number of examples.": 3.})
assert_close(fused(2., [[0.], [6.]], 0.5), 2.625, "fused, targets 0 and 6", mistakes={
    "Each gradient is taken at the weight of the start: that is accumulation.": 2.5,
    "Each micro-batch counts as a whole: divide by the number of all examples.": 3.5})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(334)
for sizes_ in ((2, 1), (3, 3, 1), (4,), (1, 2, 3, 4)):
    lists = [torch.randn(size, generator=rng, dtype=torch.float64).tolist() for size in sizes_]
    number_, rate_ = sum(sizes_), 0.8
    everything = torch.tensor([t for one in lists for t in one], dtype=torch.float64)
    weight = torch.tensor(1.5, dtype=torch.float64, requires_grad=True)
    slope_, = torch.autograd.grad(((weight - everything) ** 2).mean() / 2, weight)
    together = 1.5 - rate_ * slope_.item()
    moving = torch.tensor(1.5, dtype=torch.float64, requires_grad=True)
    for one in lists:
        slope_, = torch.autograd.grad(((moving - torch.tensor(one, dtype=torch.float64)) ** 2).sum() / (2 * number_), moving)
        moving = (moving - rate_ * slope_).detach().requires_grad_()
    means = 1.5 - rate_ * sum(1.5 - sum(one) / len(one) for one in lists) / len(lists)
    assert_close(accumulated(1.5, lists, rate_), together, f"accumulated, micro-batches of {sizes_}", mistakes={
        "The means of all micro-batches count alike: weight them by their size.": means} if len(set(sizes_)) > 1 else {})
    assert_close(fused(1.5, lists, rate_), moving.item(), f"fused, micro-batches of {sizes_}", mistakes={
        "Each gradient is taken at the weight of the start: that is accumulation.": together} if len(sizes_) > 1 else {})
### END HIDDEN TESTS

# %% [markdown] written="B.3.4" points=3
# ### BEGIN SOLUTION
# The clipping factor depends on the norm of all gradients, which is known when the last one has arrived. A fused update has used and freed the first ones by then. So a first pass computes every gradient only for its square and frees it, and a second pass computes them again and
# updates with the factor. It costs a second backward pass, and the activations have to be kept or computed again.
# Accumulation adds up gradients of several micro-batches that were all computed at the same weights. If each micro-batch is fused, the weight has moved before the second one is computed: 2.625 instead of 2.5 in the example above. That is SGD with smaller steps on smaller batches, another algorithm. And Adam would
# update its averages once for each micro-batch.
# Instead one may keep the gradients, which is the memory that fusing was to save; or use the largest batch that fits, with checkpointing for its activations; or accept the smaller batches with a smaller learning rate; clip each parameter by its own norm or each entry by value, which fits in one pass but changes the
# direction of the gradient.
#
# **Rubric**
# - [1] The global norm needs all gradients before the first update, so gradients are computed twice; also accepted: "second pass recomputes what was freed"; lost by "the norm is expensive to compute".
# - [1] Accumulated gradients belong to the same weights; fused, the weights move between the micro-batches (with numbers of the probe); also accepted: nothing is left in .grad to add to; lost by "the results are the same up to rounding".
# - [1] A way out with its price; also accepted: keep a buffer, larger batch with checkpointing, clip by value; lost by a way out without a price.
# ### END SOLUTION

# %% [markdown]
# ### A loss that averages too many errors
#
# ⚠ One mistake spoils all such comparisons, and raises nothing but a warning. Five predictions of shape (5, 1) against five targets of shape (5,) broadcast to (5, 5): the loss is the mean over 25 differences, each
# prediction against each target. It is smallest when every prediction is the mean of the targets.

# %% tags=["demo"]
import warnings
prediction, target = torch.tensor([[1.], [2.], [3.], [4.], [5.]]), torch.tensor([1., 2., 3., 4., 5.])
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print("every prediction is right, the loss is", F.mse_loss(prediction, target).item())
print((prediction - target).shape, "; the warning:", str(caught[0].message)[:70] if caught else "none", "...")
print("with equal shapes", F.mse_loss(prediction, target[:, None]).item())

# %% [markdown] task="B.3.5a" kind="code" minutes=6 difficulty=1
# ### How many errors?
#
# Write `errors_averaged(shape_a, shape_b)`: the number of squared differences that `((a - b) ** 2).mean()` averages for tensors of these shapes (tuples), and 0 where the shapes do not broadcast.
#
# **You are done when** the check finds 25 for (5, 1) and (5,).

# %% exercise="B.3.5a"
def errors_averaged(shape_a, shape_b):
    """The number of entries of a - b, 0 where the shapes do not fit."""
    ### BEGIN SOLUTION
    try:
        return torch.Size(torch.broadcast_shapes(shape_a, shape_b)).numel()
    except RuntimeError:
        return 0
    ### END SOLUTION

# %% [markdown] hints="B.3.5a"
# 1. What is the shape of `a - b`?
# 2. Shapes are aligned at the right; an axis of length 1, or a missing one, is stretched. `torch.broadcast_shapes` knows the rule, and raises a RuntimeError.
# 3. (4, 1) and (3,) give (4, 3), 12 entries; (4,) and (3,) do not fit.

# %% check="B.3.5a" points=1
assert_equal(errors_averaged((5, 1), (5,)), 25, "(5, 1) against (5,)", mistakes={"They broadcast: each against each.": 5,
             "Shapes that differ may broadcast: an axis of length 1, or a missing one, is stretched.": 0})
assert_equal(errors_averaged((5, 1), (5, 1)), 5, "(5, 1) against (5, 1)")
### BEGIN HIDDEN TESTS
for one, other in (((7,), (7, 1)), ((4, 3), (3,)), ((4, 3), (4,)), ((), (6, 2)), ((2, 1, 4), (3, 1)), ((5,), (4,)), ((1,), (1,)), ((6, 1), (1, 6))):
    try:
        wanted = (torch.zeros(one) - torch.zeros(other)).numel()
    except RuntimeError:
        wanted = 0
    assert_equal(errors_averaged(one, other), wanted, f"{one} against {other}")
### END HIDDEN TESTS

# %% [markdown] task="B.3.5b" kind="code" minutes=6 difficulty=2
# ### A loss that says so
#
# Write `strict_mse(Y_hat, Y)`: the mean squared error as a 0-d tensor through which gradients flow. Where the shapes differ it raises a `ValueError` whose message holds both shapes, as `str(tuple(...))` writes them.
#
# **You are done when** the check gets the error for (5, 1) against (5,).

# %% exercise="B.3.5b"
def strict_mse(Y_hat, Y):
    """Mean squared error of two tensors of the same shape. Raises ValueError where the shapes differ."""
    ### BEGIN SOLUTION
    if Y_hat.shape != Y.shape:
        raise ValueError(f"predictions of shape {tuple(Y_hat.shape)} against targets of shape {tuple(Y.shape)}: reshape one of them")
    return ((Y_hat - Y) ** 2).mean()
    ### END SOLUTION

# %% [markdown] hints="B.3.5b"
# 1. Which condition is wanted: equal numbers of entries, shapes that broadcast, or equal shapes?
# 2. `tensor.shape` can be compared with `!=`. An `assert` vanishes under `python -O`, and raises another error.
# 3. For lengths: `if len(a) != len(b): raise ValueError(f"{len(a)} names against {len(b)} ages")`.

# %% check="B.3.5b" points=1
@probe
def strict(shape_a, shape_b):
    rng = torch.Generator().manual_seed(35)
    a, b = torch.randn(shape_a, generator=rng, requires_grad=True), torch.randn(shape_b, generator=rng)
    try:
        loss = strict_mse(a, b)
    except Exception as error:
        return [type(error).__name__, str(error)]
    gradient = torch.autograd.grad(loss, a)[0] if loss.requires_grad else torch.zeros(0)
    return [loss.detach(), gradient, a.detach(), b]

told = strict((5, 1), (5,))
assert_equal(told[0] if isinstance(told[0], str) else "no error", "ValueError", "the error for (5, 1) against (5,)", mistakes={
    "It averages 25 errors.": "no error", "An assertion vanishes under python -O: raise the error.": "AssertionError"})
assert_true("(5, 1)" in str(told[1]) and "(5,)" in str(told[1]), f"the message holds both shapes; it is {str(told[1])[:80]!r}",
            hint="As str(tuple(Y.shape)) writes them: (5, 1), not torch.Size([5, 1]).")
### BEGIN HIDDEN TESTS
for shape in ((5, 1), (7,), (3, 4)):
    found = strict(shape, shape)
    assert_true(not isinstance(found[0], str), f"no error for two tensors of shape {shape}")
    assert_close(found[0], (found[2] - found[3]).square().mean(), f"the loss for shape {shape}", mistakes={
        "This is the sum.": (found[2] - found[3]).square().sum(), "There is no factor 1/2.": (found[2] - found[3]).square().mean() / 2})
    assert_true(found[1].numel() > 0, f"gradients flow for shape {shape}", hint="item() and detach() cut the graph.")
    assert_close(found[1], 2 * (found[2] - found[3]) / found[2].numel(), f"the gradient for shape {shape}")
for one, other in (((4, 3), (3,)), ((6,), (1,)), ((2, 3), (3, 2)), ((1, 4), (4, 1)), ((2, 6), (3, 4))):
    told = strict(one, other)
    assert_equal(told[0] if isinstance(told[0], str) else "no error", "ValueError", f"the error for {one} against {other}",
                 hint="Compare the shapes, not the numbers of entries or the first axes.")
    assert_true(str(one) in str(told[1]) and str(other) in str(told[1]), f"the message holds {one} and {other}")
### END HIDDEN TESTS
