# %% [markdown]
# # B.3 What the fused update costs and saves
#
# B.2 updated each layer inside of the backward pass and threw its gradient away. Is that worth the trouble? This section measures it: how many gradients are alive at once, how many bytes they take, how long a step lasts. And it shows the
# price that is not on the clock: two things that one does with gradients, clipping them by their common norm and adding them up over several batches, need all of them at once.
#
# At the end you can
# - say what share of the training memory is gradients, and why the fused update is used with plain SGD;
# - count gradients with hooks, and predict the count;
# - compare the speed of four training loops so that the comparison means something;
# - clip without holding the gradients, and say why accumulation and fusing do not go together;
# - find the shape mistake that spoils such comparisons silently.

# %% tags=["setup"]
from d2l_utils.check import *
import itertools
import math
import re
import time
import weakref
import matplotlib.pyplot as plt
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

# %% [markdown] teaches="share of gradients, memory of training"
# ## 1. What is there to save?
#
# A parameter needs more memory than its own number. While the network learns, there is its gradient, and the optimizer may keep numbers of its own: SGD none, momentum one average, Adam two averages. Count the numbers of one network, eight layers of 64 · 64, after one step:

# %% teaches="share of gradients"
X, Y = torch.ones(2, 64), torch.ones(2, 64)
for name, make in (("SGD", lambda params: torch.optim.SGD(params, lr=0.01)), ("Adam", lambda params: torch.optim.Adam(params, lr=0.01))):
    net = deep_mlp((64,) * 9, seed=0)
    optimizer = make(net.parameters())
    F.mse_loss(net(X), Y).backward()
    optimizer.step()
    parameters, gradients = (sum(t.numel() for t in tensors) for tensors in (net.parameters(), [p.grad for p in net.parameters()]))
    state = sum(t.numel() for one in optimizer.state.values() for t in one.values() if t.ndim)
    print(f"{name:5} parameters {parameters}, gradients {gradients}, state {state}: gradients are {gradients / (parameters + gradients + state):.2f} of it")

# %% [markdown]
# With SGD gradients are a half, with Adam a quarter. (The activations come on top; they depend on the batch, and B.4 is about them.) The fused update removes nearly all of the gradients. With Adam three quarters remain, for the two averages must live from step to step: nobody can free them. With SGD only the parameters
# themselves remain. That is why LOMO, the method that made the fused update known, gives Adam up and uses plain SGD.

# %% [markdown] task="B.3.A" kind="code" minutes=2 difficulty=1 core=true needs="share of gradients"
# ### The share of the gradients
#
# Write `gradient_share(state)`: the share of the gradients among parameters, gradients and the optimizer's state, if the optimizer keeps `state` numbers for each parameter.
#
# **You are done when**
# - **share**: it is a number from 0 to 1, right for every whole number `state`, 0 among them.

# %% exercise="B.3.A"
def gradient_share(state):
    """The share of gradients in parameters, gradients and state."""
    ### BEGIN SOLUTION
    return 1 / (2 + state)
    ### END SOLUTION

# %% [markdown] hints="B.3.A"
# 1. How many numbers are there for one parameter, itself included?
# 2. One gradient of 1 + 1 + `state` numbers.
# 3. With momentum, one number of state: a third.

# %% check="B.3.A" points=1
for state_in, share_in, slips_in in ((5, 1 / 7, {"The parameter itself counts, too.": 1 / 6, "This is the share of everything but the gradients.": 6 / 7, "This is the share of the optimizer's state.": 5 / 7,
                                             "This is the share of parameters and gradients together.": 2 / 7, "This is the share for two numbers of state; here there are `state` of them.": 0.25,
                                             "This is the share with plain SGD, which keeps nothing: here `state` is 5.": 0.5, "A number from 0 to 1 is asked for, not percent.": 100 / 7,
                                             "A number from 0 to 1 is asked for, not percent, and nothing is rounded.": 14, "`//` cuts the fraction off: divide with `/`.": 0.,
                                             "`state` numbers come on top for each parameter, not for its gradient as well.": 1 / 12}), (2, 0.25, {}), (0, 0.5, {
                                             "Without state there are still two numbers, the parameter and its gradient.": 1., "0 is a number of state like any other: that of plain SGD.": 0.25}), (1, 1 / 3, {})):
    assert_close(gradient_share(state_in), share_in, f"gradient_share({state_in})", of="share", mistakes=slips_in,
                 hint=f"For one parameter there are {2 + state_in} numbers: itself, its gradient and {state_in or 'no'} of state. One of them is the gradient, and nothing is rounded.")
### BEGIN HIDDEN TESTS
for state_in in (3, 6, 8):
    numbers_in = torch.ones(2 + state_in)
    assert_close(gradient_share(state_in), (numbers_in[0] / numbers_in.sum()).item(), f"gradient_share({state_in})", of="share", hint="Count for one parameter: the parameter, its gradient and `state` numbers more; the gradient is one of them all.")
### END HIDDEN TESTS

# %% [markdown] teaches="four ways to train, memory in the course of a step"
# ## 2. How many gradients are alive?
#
# The set-up cell has four ways to train a network by SGD, with the same result; `VARIANTS` is a dictionary of them. `VARIANTS[name](net, lr)` makes the network ready and returns a function `step(X, Y)`.
#
# - *plain*: forward, `backward()`, `step()`;
# - *by hand*: the fused update of B.2, layer by layer;
# - *hooks, optimizers*: a hook on each parameter, with an optimizer object for each;
# - *hooks, the rule*: hooks that hold the rule `p -= lr * p.grad` itself.
#
# `memory_history(f)` calls `f()` and returns the bytes of new memory alive after each operation. Eight layers of 64 · 64 and only two examples, so that nearly all of the memory is gradients:

# %% tags=["demo"]
stairs = {}
for name, make in VARIANTS.items():
    step = make(deep_mlp((64,) * 9, seed=0), 0.01)
    step(X, Y)
    stairs[name] = memory_history(lambda: step(X, Y))
    print(f"{name:18} peak {max(stairs[name]):7} bytes")
fig, ax = plt.subplots(figsize=(6.5, 3.2), layout="constrained")
for (name, history), line in zip(stairs.items(), ("-", "--", "-.", ":")):
    ax.plot([bytes_ / 1024 for bytes_ in history], line, label=name)
ax.set(xlabel="operation", ylabel="KiB of new memory")
fig.legend(loc="outside upper center", ncols=4)
plt.show()

# %% [markdown]
# The plain loop climbs one stair for each layer and stays at the top: its gradients lie there until the next step clears them. In a fused pass each stair is taken away before the next.
#
# ### On a GPU
#
# CUDA's allocator can write down each piece of memory that is taken and given back, with the line of code that asked for it. The snapshot is a file that https://pytorch.org/memory_viz draws, in a browser, as stairs; the cell below draws
# them itself, too. `zero_grad()` comes before it counts: the gradients of the step before would be taken for memory that was there from the start, and the plain loop, which has them still, would seem to need none. Without a GPU there is nothing to record, and the
# cell says so. This is what it drew on an NVIDIA H200, for eight layers of 1024 · 1024:
#
# ![Memory of one step on a GPU: the plain loop climbs in eight stairs of 4 MiB to 32 MiB; by hand and both ways with hooks rise to 4 MiB and fall back to 0 eight times.](figures/B_3_memory_on_a_gpu.png)
#
# The peaks above the start were 32.0 MiB for the plain loop, 4.2 by hand and 4.1 for both ways with hooks: eight gradients of 1024 · 1024 · 4 bytes, or one. What they cost is another matter there. Each small operation must be started by the CPU, and an optimizer that sees all parameters at once updates them with few of them.
# On the same card `benchmarks/fused.py` measured, for *hooks, the rule*, 1.0 to 1.2 times the time of the plain loop with SGD, and 1.2 to 1.9 times with Adam.

# %% tags=["demo"]
if torch.cuda.is_available():
    import os
    import tempfile
    folder = tempfile.mkdtemp()
    fig, ax = plt.subplots(figsize=(6.5, 3.2), layout="constrained")
    for (name, make), line in zip(VARIANTS.items(), ("-", "--", "-.", ":")):
        net = deep_mlp((1024,) * 9, seed=0).cuda()
        step = make(net, 0.01)
        X_gpu, Y_gpu = torch.ones(2, 1024, device="cuda"), torch.ones(2, 1024, device="cuda")
        step(X_gpu, Y_gpu)
        net.zero_grad()
        torch.cuda.synchronize()
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        torch.cuda.memory._record_memory_history(clear_history=True)
        step(X_gpu, Y_gpu)
        torch.cuda.synchronize()
        events = torch.cuda.memory._snapshot()["device_traces"][0]
        snapshot = os.path.join(folder, name.replace(", ", "_").replace(" ", "_") + ".pickle")
        torch.cuda.memory._dump_snapshot(snapshot)
        torch.cuda.memory._record_memory_history(enabled=None)
        print(f"{name:18} peak {(torch.cuda.max_memory_allocated() - before) / 2 ** 20:6.1f} MiB above the start; snapshot: {snapshot}")
        signs = {"alloc": 1, "free_requested": -1}
        sizes = [signs[event["action"]] * event["size"] for event in events if event["action"] in signs]
        ax.plot(torch.tensor(sizes).cumsum(0) / 2 ** 20, line, label=name)
    ax.set(xlabel="piece of memory taken or given back", ylabel="MiB of new memory")
    fig.legend(loc="outside upper center", ncols=4)
    plt.show()
else:
    print("Skipped: this machine has no GPU that torch can use, so there is no CUDA snapshot. The meter above shows the same on the CPU.")

# %% [markdown] teaches="gradient hook on a parameter"
# ### A hook that sees each gradient arrive
#
# Counting works on every device. `p.register_hook(f)` calls `f(gradient)` when the gradient of `p` arrives, just *before* it is added to `p.grad`. (The hooks of B.2, `register_post_accumulate_grad_hook`, come after.) The hook may look around, at the `.grad` of other parameters. What it returns would take the place of the gradient, so return nothing.
# `remove()` of the handle takes the hook away:

# %% teaches="gradient hook on a parameter"
net = deep_mlp((3, 2, 1), seed=0)
names = {p: name for name, p in net.named_parameters()}
def arrives(gradient):
    print("arrives with shape", tuple(gradient.shape), " already in .grad:", [name for p, name in names.items() if p.grad is not None])
handles = [p.register_hook(arrives) for p in net.parameters()]
net(torch.ones(1, 3)).sum().backward()
for handle in handles:
    handle.remove()

# %% [markdown]
# The last layer comes first. When the last of the four arrives, three are there already: four gradients exist at once.

# %% [markdown] task="B.3.1a" kind="code" minutes=15 difficulty=3 core=true needs="gradient hook on a parameter, four ways to train"
# ### Gradients alive at once
#
# Write `count_gradients(net, run)`, for any module `net`: it calls `run()` and returns a pair `(most, most_bytes)`. At each moment in which a gradient arrives at a parameter, the gradients alive are that gradient and every parameter's `.grad` that is not `None`: also one that was there before, and one of a parameter that requires no gradient. (Such a parameter can have no hook.)
#
# **You are done when**
# - **number**: `most` is the largest number of gradients alive at one such moment;
# - **bytes**: `most_bytes` is the largest sum of their `nbytes` (the two maxima may fall on different moments);
# - **no gradient**: both are 0 if none arrives;
# - **run once**: `run` is called once;
# - **hooks removed**: none of your hooks is left, also where `run` raises an error, which comes through;
# - **other hooks**: hooks that were there before stay;
# - **gradients kept**: the gradients afterwards are what they would be without counting.

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
def counted(name, widths):
    """count_gradients of one step of this way, after another step."""
    net = deep_mlp(widths, 0)
    step = VARIANTS[name](net, 0.01)
    X, Y = torch.ones(2, widths[0]), torch.ones(2, widths[-1])
    step(X, Y)
    net.zero_grad()
    return count_gradients(net, lambda: step(X, Y))

AT_EACH = "Whenever a gradient arrives at any parameter: that gradient, and each .grad that is not None, are alive. The largest such number is asked for."

def check_counted(name, widths):
    sizes = [(a * b * 4, b * 4) for a, b in itertools.pairwise(widths)]
    pair, about = counted(name, widths), f"a step of {name!r}, widths {widths}"
    assert_type(pair, (tuple, list), f"what count_gradients returns for {about}", of="number", hint="The pair (most, most_bytes).")
    assert_equal(len(pair), 2, f"how many numbers count_gradients returns for {about}", of="number", hint="The pair (most, most_bytes).")
    if name == "plain":
        most, size = 2 * len(sizes), sum(map(sum, sizes))
        assert_equal(pair[0], most, f"the number for {about}", of="number", hint="Most are alive when the last gradient of all arrives: all others lie in .grad then. " + AT_EACH, mistakes={
            "The gradient that arrives is not yet in .grad: count it, too.": most - 1, "Count each moment for itself, and take the largest.": most * (most + 1) // 2, "The number comes first, then the bytes.": size})
    else:
        most, size = (2, max(map(sum, sizes))) if name == "by hand" else (1, max(weight for weight, bias in sizes))
        found_alive = ("This way frees a layer's gradients when both have arrived: most are alive when the second of a layer arrives. " if most == 2 else
                       "This way frees each gradient right after it has arrived, before the next one comes: it is alone. ")
        assert_equal(pair[0], most, f"the number for {about}", of="number", hint=found_alive + AT_EACH, mistakes={
            "Gradients are freed on the way: count those alive at one moment, not all that arrive.": 2 * len(sizes),
            "Count when the gradient arrives, with register_hook, and that gradient, too: another hook may have freed it before a later one looks.": 0 if most == 1 else 1}
            | ({} if most == 1 else {"At no moment did yours find a gradient here, though each arrives: this way has freed all of them when its step is over. Look when one arrives.": 0}))
    assert_equal(pair[1], size, f"the bytes for {about}", of="bytes", hint="The nbytes of all gradients alive at one moment, added up; the largest such sum.", mistakes={"These are entries: float32 takes 4 bytes.": size // 4}
                 | ({"This is the first moment with the largest number; another moment with as many gradients may have more bytes.": sum(sizes[-1])} if name == "by hand" and sum(sizes[-1]) != size else {}))

for name in VARIANTS:
    check_counted(name, (5, 4, 3, 2))

@probe
def special_count(name, widths, double):
    """What count_gradients returns for a special run, how often it was called, and the gradients afterwards."""
    net, calls = deep_mlp(widths, 0), []
    if name == "a net inside of the net and a PReLU":
        net = nn.Sequential(deep_mlp(widths[:2], 0), nn.PReLU(), nn.Linear(*widths[1:]))
    net = net.to(torch.float64 if double else torch.float32)
    X, inside = (torch.ones(5, size, dtype=net[2].weight.dtype) for size in widths[:2])
    if name == "the first weight frozen":
        net[0].weight.grad = torch.ones_like(net[0].weight)
        net[0].weight.requires_grad_(False)
    elif name == "all weights frozen":
        net[0].weight.requires_grad_(False)
        net[2].weight.requires_grad_(False)
    elif name in ("a pass before", "a pass before, cleared by run", "no backward pass, gradients from before"):
        net(X).sum().backward()

    def once():
        calls.append(1)
        if name.startswith("no backward pass"):
            net(X)
        elif name == "a pass before, cleared by run":
            net.zero_grad()
            net[2](inside).sum().backward()
        elif name in ("the last layer alone", "a pass before"):
            net[2](inside).sum().backward()
        elif name == "the last layer, then the first":
            net[2](inside).sum().backward()
            net.zero_grad()
            net(X).sum().backward(inputs=[net[2].bias, net[0].bias, net[0].weight])
        else:
            net(X).sum().backward()
            if name == "two passes":
                net(X).sum().backward()

    pair, error = (), ""
    try:
        pair = count_gradients(net, once)
    except Exception as raised:
        if not name.startswith("no backward pass") and "register a hook" not in str(raised):
            raise
        error = f"{type(raised).__name__}: {raised}"
    return {"error": error, "pair": pair, "calls": len(calls), "kept": [torch.zeros(0) if p.grad is None else p.grad for p in net.parameters()]}

@probe
def hooks_after(widths, fails):
    """The hooks of count_gradients that are left, the calls of two hooks that were there before, in a pass afterwards, and whether an error came through."""
    net, fired, raised = deep_mlp(widths, 0), [], 0
    net[0].bias.register_hook(lambda gradient: fired.append(1))
    net[2].weight.register_post_accumulate_grad_hook(lambda p: fired.append(1))
    try:
        count_gradients(net, lambda: net(torch.ones(1, widths[0] + int(fails))).sum().backward())
    except RuntimeError:
        raised = 1
    left = sum(len(p._backward_hooks or ()) + len(p._post_accumulate_grad_hooks or ()) for p in net.parameters())
    fired.clear()
    net(torch.ones(1, widths[0])).sum().backward()
    return left - 2, len(fired), raised

def check_special(widths, double):
    a, b, c = widths
    unit, sizes = 8 if double else 4, {"0.weight": a * b, "0.bias": b, "2.weight": b * c, "2.bias": c}
    everything = sum(sizes.values())

    def check_one(name, most, entries, of, slips=None, sizes_slips=None, hint=""):
        found, about = special_count(name, widths, double), f"deep_mlp({widths}, 0) in {'float64' if double else 'float32'}, {name}"
        if name == "a net inside of the net and a PReLU":
            about = f"nn.Sequential(deep_mlp({widths[:2]}, 0), nn.PReLU(), nn.Linear{widths[1:]})"
        assert_true(found["error"] == "", f"count_gradients returns a pair, {about}; it raised {found['error'] or 'none'}", of=of, hint="A parameter that requires no gradient can have no hook: give one to those with requires_grad alone."
                    if "register a hook" in found["error"] else "Where no gradient arrives there is no largest number: return 0 and 0.")
        assert_equal(found["calls"], 1, f"how often run is called, {about}", of="run once", hint="One run gives both numbers.")
        assert_type(found["pair"], (tuple, list), f"what count_gradients returns, {about}", of=of, hint="The pair (most, most_bytes).")
        assert_equal(found["pair"][0], most, f"the number, {about}", of=of, mistakes=slips or {}, hint=hint or AT_EACH)
        assert_equal(found["pair"][1], unit * entries, f"the bytes, {about}", of="no gradient" if of == "no gradient" else "bytes", mistakes=sizes_slips or {}, hint="The nbytes of all gradients alive at one moment, added up; the largest such sum.")
        return found["kept"]

    check_one("no backward pass", 0, 0, "no gradient")
    check_one("no backward pass, gradients from before", 0, 0, "no gradient", {"No gradient arrives, so both are 0, whatever lies in .grad.": 4})
    check_one("the last layer alone", 2, b * c + c, "number", sizes_slips={
        "A float64 takes 8 bytes: `nbytes` of a tensor knows.": 4 * (b * c + c), "These are entries, not bytes.": b * c + c} if double else {})
    kept = check_one("a pass before", 5, everything + b * c, "number", {
        "Gradients that lie in .grad before the run are alive, and stay: clear none.": 2, "A gradient that arrives exists beside all the others, and beside the one that it will be added to.": 4})
    check_one("a pass before, cleared by run", 2, b * c + c, "number", {"Look when a gradient arrives, and only then: here `run` clears what was there before the first one comes.": 4})
    check_one("a net inside of the net and a PReLU", 5, everything + 1, "number", {
        "Parameters may lie deeper in the net: `net.parameters()` finds them all.": 2, "Other modules than Linear have parameters, too: `net.parameters()` finds them all.": 4})
    check_one("all weights frozen", 2, b + c, "number", {
        "Every parameter that requires a gradient gets a hook, biases, too.": 0, "A frozen weight gets no hook, and its requires_grad stays False.": 4})
    check_one("the first weight frozen", 4, everything, "number", {
        "Only hooks need requires_grad: look at every parameter's .grad, a frozen one's, too.": 3}, {
        "The .grad of a frozen weight has bytes, too.": unit * (everything - a * b)}, hint="A frozen weight with a .grad of its own: that one is alive, too.")
    check_one("two passes", 5, everything + max(a * b, b * c), "number", {
        "`run` may go backward more than once: look whenever a gradient arrives, in a later pass, too.": 4}, {
        "This is the last moment with the largest number; an earlier one has more bytes.": unit * (everything + a * b),
        "This is the first moment with the largest number; a later one has more bytes.": unit * (everything + c)} if c < a * b < b * c else {})
    check_one("the last layer, then the first", 3, b * c + c, "number", sizes_slips={
        "The largest sum of bytes may fall on another moment than the largest number: take each maximum for itself.": unit * (a * b + b + c)})
    dtype = torch.float64 if double else torch.float32
    twin = deep_mlp(widths, 0).to(dtype)
    twin(torch.ones(5, a, dtype=dtype)).sum().backward()
    twin[2](torch.ones(5, b, dtype=dtype)).sum().backward()
    for (parameter, p), found in zip(twin.named_parameters(), kept):
        assert_equal(found.numel(), p.numel(), f"how many entries the gradient of {parameter} has after a counted pass, deep_mlp({widths}, 0)", of="gradients kept", hint="No entries: the .grad is None. Clear no gradient, neither before the run nor after it.")
        assert_close(found, p.grad, f"the gradient of {parameter} after a counted pass, deep_mlp({widths}, 0)", of="gradients kept", hint="A hook's return value replaces the gradient: return nothing. And no .grad is changed.")
    for fails in (False, True):
        left, fired, raised = hooks_after(widths, fails)
        about = "after a run that raises an error" if fails else "after a run"
        assert_equal(raised, int(fails), f"the errors that come through, {about}", of="hooks removed", hint="Use try and finally, without except: an error of run is not yours to keep.")
        assert_equal(fired, 2, f"how many of two hooks that were there before still work, {about}", of="other hooks", hint="Remove your own hooks alone, by their handles.")
        assert_equal(left, 0, f"your hooks that are left on the parameters, {about}", of="hooks removed", hint="Keep the handles, and remove them in a finally.")

check_special((2, 5, 4), True)
### BEGIN HIDDEN TESTS
for name in VARIANTS:
    check_counted(name, (7, 3, 6, 5, 4))
check_special((3, 6, 5), False)
### END HIDDEN TESTS

# %% [markdown] task="B.3.1b" kind="code" minutes=8 difficulty=2 core=true needs="four ways to train, share of gradients"
# ### Predict the bytes
#
# Write `gradient_bytes(widths, way)`: the most bytes of gradients alive at once, counted as in B.3.1a, for one step of `deep_mlp(widths, seed)` in float32. `way` is a name of `VARIANTS`. `widths` is a tuple of at least two integers: a Linear from each to the next, with bias.
#
# **You are done when**
# - **plain**: all gradients together;
# - **by hand**: those of one layer at a time;
# - **hooks**: that of one parameter at a time, for both ways with hooks.

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
HOOK_WAYS = ("hooks, optimizers", "hooks, the rule")
ALL_OF = "4 bytes for each entry of each weight, inputs times outputs of its Linear, and of each bias: all layers together."
LAYER_OF = "4 bytes for each entry of the weight and the bias of one Linear: that of all Linears for which this is most."
WEIGHT_OF = "4 bytes for each entry of one parameter: that of all parameters which has most."
assert_equal(gradient_bytes((5, 4, 3, 2), "plain"), 188, "widths 5, 4, 3, 2, plain", of="plain", hint="The three weights have 20 + 12 + 6 entries and the biases 4 + 3 + 2, of 4 bytes each: all of them.", mistakes={
    "A float32 has 32 bits, and bytes are asked for: 4.": 1504,
    "These are entries: float32 takes 4 bytes.": 47, "Biases have gradients, too.": 152, "Only gradients of parameters count, not those of the layers' outputs.": 224, "float32 takes 4 bytes, not 8.": 376, "A bias has an entry for each output of its layer, not for each input.": 200,
    "Biases belong to the outputs of the Linear layers: the input of the network has none.": 208, "The last Linear counts, too.": 156})
assert_equal(gradient_bytes((3, 5, 2, 8, 5, 3, 7, 2), "by hand"), 180, "widths 3, 5, 2, 8, 5, 3, 7, 2, by hand", of="by hand", mistakes={
    "A layer has a weight and a bias.": 160, "Only gradients of parameters count, not that of the layer's input.": 212, "One layer's gradients at a time, not all.": 652, "This is the last layer: the largest one decides.": 64,
    "This is the first layer: the largest layer decides, wherever it stands.": 80, "This is the smallest layer: the largest one decides.": 48, "The layer with most numbers decides, not the one with most outputs.": 96,
    "One layer's weight and bias: the largest weight and the largest bias may stand in two layers.": 192, "One layer's gradients at a time, not those of two layers.": 292,
    "A Linear goes from one width to the next: the two largest widths, 8 and 7, do not stand side by side.": 256, "Each Linear has two widths that stand side by side: 8 and 7 do not.": 252,
    "A Linear has two widths, of its inputs and of its outputs: not the largest width twice.": 288, "These are entries: float32 takes 4 bytes.": 45, "float32 takes 4 bytes, not 8.": 360},
    hint="The seven Linears have 15 + 5, 10 + 2, 16 + 8, 40 + 5, 15 + 3, 21 + 7 and 14 + 2 entries, of 4 bytes each: the most of one of them.")
assert_equal(gradient_bytes((2, 3, 9, 4), "by hand"), 160, "widths 2, 3, 9, 4, by hand", of="by hand", hint="The three Linears have 6 + 3, 27 + 9 and 36 + 4 entries, of 4 bytes each: the most of one of them.", mistakes={
    "The largest layer decides, wherever it stands.": 36, "The layer with most numbers decides, not the one with most outputs.": 144, "One layer's weight and bias: the largest weight and the largest bias may stand in two layers.": 180})
assert_equal(gradient_bytes((10, 3, 9), "by hand"), 144, "widths 10, 3, 9, by hand", of="by hand", hint="The two Linears have 30 + 3 and 27 + 9 entries, of 4 bytes each: the most of one of them.", mistakes={
    "The layer with the largest weight need not be the largest: compare weight and bias together.": 132})
assert_equal(gradient_bytes((3, 2), "plain"), 32, "widths 3, 2, plain: a single Linear", of="plain", hint="A weight of 6 entries and a bias of 2, of 4 bytes each.")
assert_equal(gradient_bytes((3, 2), "by hand"), 32, "widths 3, 2, by hand: a single Linear", of="by hand", hint="A weight of 6 entries and a bias of 2, of 4 bytes each.")
for way_in in HOOK_WAYS:
    assert_equal(gradient_bytes((5, 4, 3, 2), way_in), 80, f"widths 5, 4, 3, 2, {way_in}", of="hooks", hint="The parameters have 20, 4, 12, 3, 6 and 2 entries, of 4 bytes each: those of the largest one.", mistakes={
        "Both ways with hooks, \"hooks, optimizers\" and \"hooks, the rule\", free each parameter at once: these are all gradients together.": 188, "Hooks free each parameter for itself, not a layer.": 96, "A weight has as many entries as inputs times outputs of its Linear: not the largest width twice.": 100, "The largest weight decides.": 24,
        "The largest parameter decides: a weight, not a bias.": 16})
    assert_equal(gradient_bytes((3, 2), way_in), 24, f"widths 3, 2, {way_in}: a single Linear", of="hooks", hint="The parameters have 6 and 2 entries, of 4 bytes each: those of the largest one.")
    assert_equal(gradient_bytes((2, 3, 9, 4), way_in), 144, f"widths 2, 3, 9, 4, {way_in}", of="hooks", hint="The parameters have 6, 3, 27, 9, 36 and 4 entries, of 4 bytes each: those of the largest one.", mistakes={
        "The largest weight decides, wherever it stands.": 24, "The largest weight decides, not that of the layer with most outputs.": 108})
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

for widths_in in ((2, 9, 3, 4), (6, 1), (8, 8, 8, 8, 8), (1, 30, 2), (8, 2, 7)):
    assert_equal(gradient_bytes(widths_in, "plain"), counted_here(widths_in, "plain"), f"widths {widths_in}, plain", of="plain", hint=ALL_OF)
    assert_equal(gradient_bytes(widths_in, "by hand"), counted_here(widths_in, "by hand"), f"widths {widths_in}, by hand", of="by hand", hint=LAYER_OF)
    for way_in in HOOK_WAYS:
        assert_equal(gradient_bytes(widths_in, way_in), counted_here(widths_in, way_in), f"widths {widths_in}, {way_in}", of="hooks", hint=WEIGHT_OF)
### END HIDDEN TESTS

# %% [markdown] teaches="fair comparison of times"
# ## 3. Is it slower?
#
# A single measurement on a busy machine says little. Three rules make a comparison fair.
#
# 1. *Take turns.* Do not measure all of A and then all of B: the machine may be busy with something else in between. Run A, B, C, D in each round, and several rounds.
# 2. *Keep the least.* Whatever else runs can only add time, so the smallest time of several rounds is the best estimate.
# 3. *Compare ratios.* Seconds belong to one machine. The ratio to the plain loop, measured side by side, travels better.
#
# A step of a small network is over before the clock has moved much; so measure several steps together and divide. The meter slows everything down: keep it out of the timing. (`benchmarks/fused.py` of this book does all this at several sizes, for SGD and Adam.)

# %% tags=["demo"] teaches="fair comparison of times"
ways = {name: VARIANTS[name](deep_mlp((16,) * 5, seed=0), 0.01) for name in ("plain", "hooks, the rule")}
batch = torch.ones(4, 16)
rounds = {name: [] for name in ways}
for turn in range(4):
    for name, step in ways.items():
        start = time.perf_counter()
        for i in range(10):
            step(batch, batch)
        rounds[name].append((time.perf_counter() - start) / 10)
for name, seconds in rounds.items():
    print(f"{name:16}", *[f"{1e3 * one:.3f}" for one in seconds], f"ms a step, the least {1e3 * min(seconds):.3f}")

# %% [markdown]
# Look at the scatter between the rounds before you believe any difference between the rows. (The numbers are your machine's, so we quote none.)

# %% [markdown] task="B.3.2" kind="experiment" minutes=25 difficulty=3 core=true needs="fair comparison of times, four ways to train, memory in the course of a step"
# ### Side by side
#
# Write `run(config)`. `config` is a dictionary with `"widths"`, `"examples"`, `"steps"`, `"rounds"` and `"seed"`. Each variant of `VARIANTS` trains a network of its own, `deep_mlp(widths, seed)`, with learning rate 0.01 on the same batch, `X` and then `Y` from `torch.randn` right after `torch.manual_seed(seed)`; `Y` has the width of the output.
# First come the rounds: in each round every variant, in order, takes `"steps"` steps, which are timed together by `time.perf_counter()`. After the rounds each variant takes one more step, under `memory_history`.
#
# Then run it for 10 layers of width 16 with 5 examples, 50 steps, 7 rounds, and for 10 layers of width 512 with 16 examples, 3 steps, 7 rounds, in a cell of your own, and report in words: (1) seconds and peak of the four variants as ratios to plain; (2) where the
# time of the optimizers' objects shows and where not; (3) why hooks with the rule need not be slower than plain, and what your measurement cannot tell.
#
# **You are done when**
# - **rows**: a list with a dictionary for each variant, in the order of `VARIANTS`, with the keys `"variant"` (its name), `"seconds"`, `"peak"`, `"loss"`;
# - **start**: each variant gets a network of its own, `deep_mlp(widths, seed)`, the rate 0.01 and the batch described above;
# - **turns**: in each round every variant has its turn, in order;
# - **seconds**: the time of one step by `time.perf_counter()`, without the meter: that of a round's steps together, divided by their number, and of these the least over the rounds;
# - **loss**: the loss that the last step, the one under the meter, returns;
# - **peak**: the largest number in the history of that step.
#
# The words are complete when they have all three points, with numbers of your table.

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
@probe
def what_variants_get(config):
    """The names, rates and weights with which variants are made ready, how many networks these are, and the batch of the first step; steps do nothing here."""
    originals, given, batches = dict(VARIANTS), [], []

    def noted(name):
        def made(net, lr):
            given.append((name, net, float(lr), torch.cat([p.detach().flatten() for p in net.parameters()])))

            def step(X, Y):
                batches.append((X.detach().clone(), Y.detach().clone()))
                return Y.mean().item()
            return step
        return made

    for name in originals:
        VARIANTS[name] = noted(name)
    try:
        run(config)
    finally:
        VARIANTS.update(originals)
    X, Y = batches[0] if batches else (torch.zeros(0), torch.zeros(0))
    others = sum(not (torch.equal(one, X) and torch.equal(other, Y)) for one, other in batches)
    names, nets, rates, weights = zip(*given) if given else ((), (), (), ())
    return {"names": sorted(names), "nets": len(set(map(id, nets))), "rates": list(rates), "weights": list(weights), "X": X, "Y": Y, "others": others}

def check_start(config):
    widths, seed, n = config["widths"], config["seed"], config["examples"]
    got, about = what_variants_get(config), f"widths {config['widths']}, {config['rounds']} rounds of {config['steps']} steps"
    assert_equal(got["names"], sorted(VARIANTS), f"the names of the variants that are made ready, sorted, {about}", of="start", hint="Each variant of VARIANTS is made ready once, with one network for all of its steps.")
    assert_equal(got["nets"], len(VARIANTS), f"how many networks the variants get, {about}", of="start", mistakes={"They share one: each needs a network of its own, so call deep_mlp for each.": 1})
    assert_close(got["rates"], [0.01] * len(VARIANTS), f"the rates of the variants, {about}", of="start", hint="Each variant learns with the rate 0.01.")
    start = torch.cat([p.detach().flatten() for p in deep_mlp(widths, seed).parameters()])
    for weights in got["weights"]:
        assert_shape(weights, tuple(start.shape), f"the shape of all parameters of a network in a row, {about}", of="start", hint="Each variant gets deep_mlp(widths, seed), with the widths of config.")
        assert_close(weights, start, f"the parameters that a variant starts with, {about}", of="start", hint="deep_mlp(widths, seed), with the seed of config for each.")
    torch.manual_seed(seed)
    X_in, Y_in, more = torch.randn(n, widths[0]), torch.randn(n, widths[-1]), {}
    torch.manual_seed(seed)
    Y_first = torch.randn(n, widths[-1])
    more["Y was drawn before X."] = torch.randn(n, widths[0]), Y_first
    deep_mlp(widths, seed)
    more["A network was made between torch.manual_seed(seed) and the batch: draw the batch right after the seed."] = torch.randn(n, widths[0]), torch.randn(n, widths[-1])
    hint = "X and then Y from torch.randn, right after torch.manual_seed(config[\"seed\"])."
    assert_shape(got["X"], (n, widths[0]), f"the shape of X, {about}", of="start", hint="A row for each example, and as many columns as the network has inputs, the first of the widths.")
    assert_shape(got["Y"], (n, widths[-1]), f"the shape of Y, {about}", of="start", hint="A row for each example, and as many columns as the network has outputs, the last of the widths.")
    assert_close(got["X"], X_in, f"the batch X, {about}", of="start", mistakes={sentence: pair[0] for sentence, pair in more.items()}, hint=hint)
    assert_close(got["Y"], Y_in, f"the batch Y, {about}", of="start", mistakes={"The seed was set again before Y: set it once, before X.": Y_first}, hint=hint)
    assert_equal(got["others"], 0, f"how many steps get another batch than the first one, {about}", of="start", hint="All variants train on the same batch in every step.")

def which_loss(found, losses):
    """Of which step this is the loss."""
    for i, loss in enumerate(losses, 1):
        if abs(found - loss) <= 1e-5 * loss:
            return f"This is the loss of step {i} of {len(losses)}: each variant takes rounds × steps steps, and then one under the meter, whose loss is asked for."
    return f"This is the loss of none of the {len(losses)} steps, rounds × steps and one under the meter: what the last of them returns is asked for, as it is."

def check_table(config):
    table, about = run(config), f"widths {config['widths']}, {config['rounds']} rounds of {config['steps']} steps"
    assert_type(table, list, f"what run returns, {about}", of="rows", hint="A list of dictionaries, one for each variant.")
    assert_equal(len(table), len(VARIANTS), f"how many rows, {about}", of="rows", hint="One for each variant of VARIANTS.")
    for name, row in zip(VARIANTS, table):
        assert_type(row, dict, f"a row, {about}", of="rows", hint="A dictionary with the keys \"variant\", \"seconds\", \"peak\" and \"loss\".")
        assert_equal(set(row), {"variant", "seconds", "peak", "loss"}, f"the keys of a row, {about}", of="rows", hint="These four, in each row, and no others.")
        assert_equal(row["variant"], name, f"the variants in the table, {about}", of="rows", hint="The rows have the names of VARIANTS, in its order.")
        torch.manual_seed(config["seed"])
        X_in, Y_in = torch.randn(config["examples"], config["widths"][0]), torch.randn(config["examples"], config["widths"][-1])
        step_in = VARIANTS[name](deep_mlp(config["widths"], config["seed"]), 0.01)
        losses = [step_in(X_in, Y_in) for i in range(config["rounds"] * config["steps"])]
        history = memory_history(lambda: losses.append(step_in(X_in, Y_in)))  # noqa: B023
        one_more = step_in(X_in, Y_in)
        assert_close(row["loss"], losses[-1], f"the loss of {name!r}, {about}", of="loss", rtol=1e-5, mistakes={
            "This is the loss of the first step.": losses[0], "This is the step before the last.": losses[-2],
            "This is the loss after one step too many: rounds × steps steps, none for warming up, and then one under the meter.": one_more}, hint=lambda: which_loss(row["loss"], losses))
        assert_close(row["peak"], float(max(history)), f"the peak of {name!r}, {about}", of="peak", rtol=0.02, mistakes={
            "This is the sum of the history: take its largest number.": float(sum(history)), "The table holds bytes; the ratios to plain belong to your words.": 1., "These are KiB: the table holds bytes, as the history does.": max(history) / 1024,
            "These are MiB: the table holds bytes, as the history does.": max(history) / 2 ** 20} | ({"This is the end of the history: take its largest number.": float(history[-1])} if history[-1] < 0.9 * max(history) else {}),
            hint="The largest number of the history of a single step, after the rounds.")

@probe
def table_by_our_clock(config, costs):
    """run(config) where step i of a round takes costs[round][i] seconds, times 1, 2, 3, 4 for the variants, by a clock that only steps move; the order of the steps; and which were under a meter. Other clocks stand still."""
    from torch.utils._python_dispatch import _get_current_dispatch_mode
    state, turns, metered, originals = {"now": 50.}, [], [], dict(VARIANTS)
    ours = {name: lambda: 50. for name in ("time", "monotonic", "process_time", "thread_time")} | {name: lambda: 50_000_000_000 for name in ("time_ns", "monotonic_ns", "process_time_ns", "thread_time_ns")}
    ours |= {"perf_counter": lambda: state["now"], "perf_counter_ns": lambda: int(1e9 * state["now"])}
    clocks = [(vars(time), name, vars(time)[name], clock) for name, clock in ours.items()]
    clocks += [(names, name, clock, ours[kind]) for names in [getattr(run, "__globals__", {})] for kind in ours for name, clock in names.items() if clock is vars(time)[kind]]

    def noted(name, make, factor):
        def made(net, lr):
            step = make(net, lr)

            def timed_step(X, Y):
                place = min(turns.count(name), len(costs) * config["steps"] - 1)
                turns.append(name)
                metered.append(int(_get_current_dispatch_mode() is not None))
                state["now"] += factor * costs[place // config["steps"]][place % config["steps"]]
                return step(X, Y)
            return timed_step
        return made

    for factor, (name, make) in enumerate(originals.items(), 1):
        VARIANTS[name] = noted(name, make, factor)
    for names, name, _, clock in clocks:
        names[name] = clock
    try:
        rows = run(config)
    finally:
        VARIANTS.update(originals)
        for names, name, clock, _ in clocks:
            names[name] = clock
    return [row["seconds"] for row in rows], turns, metered

def check_seconds(config, costs):
    seconds, turns, metered = table_by_our_clock(config, costs)
    about = f"{config['rounds']} rounds of {config['steps']} steps"
    wanted = [name for i in range(config["rounds"]) for name in VARIANTS for k in range(config["steps"])]
    assert_equal(list(turns)[:len(wanted)], wanted, f"the steps in {about}, in order", of="turns", mistakes={
        "Here one variant takes all of its rounds before the next one begins: in each round every variant has its turn.": [name for name in VARIANTS for k in range(config["rounds"] * config["steps"])][:len(wanted)],
        "Here one variant takes all of its rounds, and the step under the meter, before the next one begins: in each round every variant has its turn.":
            [name for name in VARIANTS for k in range(config["rounds"] * config["steps"] + 1)][:len(wanted)],
        "The variants take turns after each single step: in its turn a variant takes all steps of the round, which are timed together.": [name for k in range(config["rounds"] * config["steps"]) for name in VARIANTS],
        "The step under the meter comes after the rounds, not inside of the last one.": (wanted[:-config["steps"] * len(VARIANTS)] + [name for name in VARIANTS for k in range(config["steps"] + 1)])[:len(wanted)]}, hint="Outer loop over the rounds, inner loop over the variants: in each round every variant has its turn, and takes all of its steps.")
    assert_equal(sum(metered[:len(wanted)]), 0, f"how many steps of {about} were under a meter", of="seconds", hint="The meter slows everything down: keep it out of the timing.")
    assert_equal(sorted(turns[len(wanted):]), sorted(VARIANTS), f"the steps after {about}, sorted by name", of="peak", hint="After the rounds each variant takes one more step.")
    assert_equal(sum(metered[len(wanted):]), len(VARIANTS), f"how many of the steps after {about} were under a meter", of="peak", hint="The one step that each variant takes after the rounds runs under memory_history.")
    one_step = [sum(one) / len(one) for one in costs]
    least, slips = min(one_step), {
        "Divide by the number of steps: the time of one step.": min(map(sum, costs)), "This is the mean over the rounds: take the least.": sum(one_step) / len(one_step),
        "This is the first round: take the least of all.": one_step[0], "This is the last round: take the least of all.": one_step[-1], "This is the largest: take the least.": max(one_step),
        "No time has passed by this clock: read time.perf_counter() before and after the steps.": 0., "These are all steps together.": sum(map(sum, costs)), "Time the steps of a round together and divide by their number: this is the quickest single step.": min(map(min, costs)),
        "Time all steps of a round, not the last one alone.": min(one[-1] for one in costs),
        "This is the ratio to plain: the table holds seconds, the ratios belong to your words.": 1., "This is in milliseconds: the table holds seconds.": 1000 * min(one_step),
        "This is the median of the rounds: take the least.": (sorted(one_step)[(len(costs) - 1) // 2] + sorted(one_step)[len(costs) // 2]) / 2}
    for factor, (name, mine) in enumerate(zip(VARIANTS, seconds), 1):
        assert_close(mine, float(factor * least), f"the seconds of {name!r} by a clock that the check moves, {about}", of="seconds", rtol=1e-6,
                     mistakes={sentence: factor * slip for sentence, slip in slips.items()}, hint="For each round the time of its steps together, by time.perf_counter(), divided by config[\"steps\"]; then the least over the rounds.")

check_start({"widths": (6, 3, 4), "examples": 3, "steps": 2, "rounds": 2, "seed": 3})
check_table({"widths": (40, 40, 30, 40, 40, 24), "examples": 2, "steps": 2, "rounds": 2, "seed": 3})
check_seconds({"widths": (4, 4), "examples": 1, "steps": 2, "rounds": 4, "seed": 1}, [[8., 5.], [2., 4.], [8., 10.], [3.5, 5.5]])
check_seconds({"widths": (3, 2), "examples": 2, "steps": 3, "rounds": 2, "seed": 0}, [[6., 9., 9.], [8., 2., 5.]])
### BEGIN HIDDEN TESTS
check_start({"widths": (4, 5, 2), "examples": 2, "steps": 1, "rounds": 3, "seed": 8})
check_table({"widths": (30, 50, 20, 40, 30, 10), "examples": 1, "steps": 3, "rounds": 1, "seed": 5})
check_seconds({"widths": (3, 2), "examples": 2, "steps": 4, "rounds": 4, "seed": 2}, [[6., 4., 9., 9.], [9., 9., 8., 9.], [2., 5., 1., 4.], [8., 7., 9., 6.]])
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

# %% [markdown] teaches="gradient clipping, common norm"
# ## 4. Clipping needs two passes
#
# One bad batch can give a gradient so large that the step destroys what was learnt. So large models are trained with *clipped* gradients: all are multiplied by the same factor, so that the norm of *all of them together* is at most $c$,
#
# $$\mathbf g \leftarrow \min\!\left(1, \frac{c}{\lVert \mathbf g \rVert + 10^{-6}}\right) \mathbf g, \qquad \lVert \mathbf g \rVert^2 = \sum_p \lVert \mathbf g_p \rVert^2 .$$
#
# The common norm is that of one long vector with all entries of all gradients $\mathbf g_p$ in it. Norms do not add up, their squares do. One factor for all keeps the direction of the step; a factor for each parameter would turn it. ($10^{-6}$ only avoids a division by 0.) `torch.nn.utils.clip_grad_norm_` does that, and returns the norm before:

# %% teaches="gradient clipping"
net = deep_mlp((5, 4, 2), seed=0)
F.mse_loss(net(torch.ones(3, 5)), torch.zeros(3, 2)).backward()
print([f"{p.grad.norm().item():.4f}" for p in net.parameters()], "together", f"{torch.nn.utils.clip_grad_norm_(net.parameters(), 0.1).item():.4f}")
print([f"{p.grad.norm().item():.4f}" for p in net.parameters()], "after clipping to 0.1")

# %% [markdown]
# The factor is known when the *last* gradient has arrived. In a fused pass the first ones have been used and freed by then. LOMO's way out: go backward twice. The first pass only adds up the squares and frees each gradient; the second computes all gradients again and updates. Time for memory, once more.

# %% [markdown] task="B.3.B" kind="code" minutes=3 difficulty=1 needs="common norm, gradient clipping"
# ### One factor
#
# Write `clip_factor(norms, c)`: `norms` is a list of the norms of the single gradients, `c` the largest common norm. It returns the number by which all gradients are multiplied. (Whether you add the $10^{-6}$ makes no difference here.)
#
# **You are done when**
# - **factor**: the gradients times the factor have the common norm `c`, if theirs was larger;
# - **never enlarged**: the factor is 1 where the common norm is at most `c`, and where all norms are 0.

# %% exercise="B.3.B"
def clip_factor(norms, c):
    """The factor for all gradients."""
    ### BEGIN SOLUTION
    norm = math.sqrt(sum(one ** 2 for one in norms))
    return min(1., c / (norm + 1e-6))
    ### END SOLUTION

# %% [markdown] hints="B.3.B"
# 1. What is the common norm of two gradients with the norms 3 and 4?
# 2. The root of the sum of the squares; then the smaller one of 1 and a quotient.
# 3. Norms 6 and 8, c = 2: the common norm is 10, the factor 0.2.

# %% check="B.3.B" points=1
def which_factor(norms, c, steps):
    """Whether the factor is right for a single gradient, and how it comes about here."""
    if isinstance(clip_factor(norms, c), (tuple, list)):
        return "A single number is asked for: the same factor for all gradients."
    one = norms[-1]
    alone, right = float(clip_factor([one], c)), min(1., c / one) if one else 1.
    if abs(alone - right) > 1e-4:
        return f"For a single gradient with the norm {one:g} and c = {c:g}, too, yours is not right but {alone:.4g}: {f'{c:g} / {one:g}' if right < 1 else '1'} is asked for. {steps}"
    return f"For a single gradient with the norm {one:g} yours is right: it is the common norm of several that is not. {steps}"

CLIPPED = "The common norm is the root of the sum of the squares of the norms; the factor is c divided by it, or 1 where that is more than 1."
assert_close(clip_factor([3., 4.], 2.), 0.4, "norms 3 and 4, c = 2", of="factor", rtol=1e-4, hint=lambda: which_factor([3., 4.], 2., "The common norm is √(9 + 16) = 5, more than c: the factor is 2 / 5."), mistakes={
    "Take the root of the sum of the squares.": 2 / 25, "This is the share that is cut off: the factor is what is left, c over the common norm.": 0.6, "c and the common norm are divided, not their squares.": 4 / 25, "It is c over the common norm, not the other way round.": 2.5,
    "The common norm is that of all gradients together, not the smallest.": 2 / 3, "The sum of the squares is under the root; nothing is divided by the number of gradients.": 0.8,
    "Norms do not add up, their squares do.": 2 / 7, "The largest norm alone is not the common norm.": 0.5,
    "Add the squares up; their mean belongs to no vector.": 2 / 12.5 ** 0.5, "2 is c, the norm after clipping: the factor is asked for.": 2., "The common norm is 5 here, and more than c: the smaller of the two, 1 and the quotient, is the factor.": 1.})
assert_close(clip_factor([2., 3., 6.], 1.4), 0.2, "norms 2, 3 and 6, c = 1.4", of="factor", rtol=1e-4, hint=lambda: which_factor([2., 3., 6.], 1.4, "The common norm is √(4 + 9 + 36) = 7, more than c: the factor is 1.4 / 7."), mistakes={"All norms of the list count, however many there are.": 1.4 / 13 ** 0.5})
assert_close(clip_factor([3., 4.], 4.5), 0.9, "norms 3 and 4, c = 4.5", of="factor", rtol=1e-4, hint=lambda: which_factor([3., 4.], 4.5, "The common norm is √(9 + 16) = 5, more than c: the factor is 4.5 / 5."), mistakes={"The common norm decides whether to clip, not the largest single one: here it is 5, more than c.": 1.})
assert_close(clip_factor([0.3, 0.4], 0.1), 0.2, "norms 0.3 and 0.4, c = 0.1", of="factor", rtol=1e-4, hint=lambda: which_factor([0.3, 0.4], 0.1, "The common norm is √(0.09 + 0.16) = 0.5, more than c: the factor is 0.1 / 0.5."), mistakes={"The common norm is compared with c, and not with 1: 0.5 is more than 0.1.": 1.})
assert_close(clip_factor([3., 4.], 5.), 1., "norms 3 and 4, c = 5", of="never enlarged", rtol=1e-4, hint=lambda: which_factor([3., 4.], 5., "The common norm is √(9 + 16) = 5, not more than c: the factor is 1."))
assert_close(clip_factor([3., 4.], 30.), 1., "norms 3 and 4, c = 30", of="never enlarged", rtol=1e-4, hint=lambda: which_factor([3., 4.], 30., "The common norm is √(9 + 16) = 5, not more than c: the factor is 1."), mistakes={"Small gradients are not enlarged.": 6.})
assert_close(clip_factor([3., 4.], 10.), 1., "norms 3 and 4, c = 10", of="never enlarged", rtol=1e-4, hint=lambda: which_factor([3., 4.], 10., "The common norm is √(9 + 16) = 5, not more than c: the factor is 1."), mistakes={"Compare c with the common norm, which is 5, not with its square.": 2.})
assert_close(clip_factor([0., 0.], 2.), 1., "norms 0 and 0, c = 2", of="never enlarged", rtol=1e-4, hint="A common norm of 0 is at most c, so the factor is 1.", mistakes={"A common norm of 0 is at most c, so the factor is 1.": 0.})
### BEGIN HIDDEN TESTS
for norms_in, c_in in (([1., 2., 2.], 0.5), ([7.], 2.), ([0.3, 0.4, 1.2, 0.], 0.65), ([0.06, 0.08], 0.05), ([2., 2., 2., 2.], 3.)):
    assert_close(clip_factor(norms_in, c_in), c_in / torch.tensor(norms_in).norm().item(), f"norms {norms_in}, c = {c_in}", of="factor", rtol=1e-4, hint=CLIPPED)
assert_close(clip_factor([0.1, 0.2, 0.1], 3.), 1., "norms 0.1, 0.2, 0.1, c = 3", of="never enlarged", rtol=1e-4, hint=CLIPPED)
### END HIDDEN TESTS

# %% [markdown] task="B.3.3" kind="code" minutes=20 difficulty=4 needs="gradient clipping, common norm, post-accumulate hook, retain_graph"
# ### Clip without holding the gradients
#
# Write `clipped_step(net, X, Y, lr, max_norm)`: one step of SGD with the rate `lr` on `F.mse_loss(net(X), Y)`, with gradients that are clipped by their common norm as in the formula above; `max_norm` is its $c$. `net` is a `deep_mlp`, with no gradients yet.
#
# **You are done when**
# - **parameters**: they are those that `clip_grad_norm_` and SGD give;
# - **norm**: the common norm before clipping is returned, as a Python number;
# - **zero gradients**: where all gradients are 0, the norm is 0 and no parameter changes;
# - **one at a time**: the gradients never lie in memory together, not in `.grad` and nowhere else: the peak of new memory stays below half of what all gradients take, for a network of many layers and a small batch;
# - **left clean**: afterwards `.grad` of every parameter is `None`, and your hooks are gone.

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
    """Two steps: parameters, norms, the peak of the first, the gradients and hooks left after it."""
    net = deep_mlp(widths, seed).to(X.dtype)
    norms, trouble = [], ""
    try:
        peak = max(memory_history(lambda: norms.append(clipped_step(net, X, Y, rate, most))))
    except (TypeError, AttributeError) as error:
        if "NoneType" not in str(error):
            raise
        return [], [], 0, 0, 0, f"{type(error).__name__}: {error}"
    hooks = sum(len(p._post_accumulate_grad_hooks or ()) + len(p._backward_hooks or ()) for p in net.parameters())
    left = sum(p.grad is not None for p in net.parameters())
    if hooks == 0:
        norms.append(clipped_step(net, X, Y, rate, most))
    return [p.detach().clone() for p in net.parameters()], norms, peak, left, hooks, trouble

def clipped_plain(widths, seed, X, Y, rate, most, slip):
    net = deep_mlp(widths, seed).to(X.dtype)
    for i in range(2):
        params = list(net.parameters())
        grads = torch.autograd.grad(F.mse_loss(net(X), Y), params)
        whole, seen = sum(g.square().sum() for g in grads).sqrt().item(), 0.
        for i, p, g in reversed(list(zip(itertools.count(), params, grads))):
            seen = seen + g.square().sum().item()
            layer = sum(one.square().sum().item() for one in grads[i // 2 * 2:i // 2 * 2 + 2]) ** 0.5
            norm = {"each": g.norm().item(), "layer": layer, "running": seen ** 0.5, "sum": sum(one.norm().item() for one in grads)}.get(slip, whole)
            factor = most / (norm + 1e-6) if slip == "always" else 1. if slip in ("none", "entries") else min(1., most / (norm + 1e-6))
            p.data -= {"no rate": 1., "twice": 2 * rate, "still": 0.}.get(slip, rate) * factor * (g.clamp(-most, most) if slip == "entries" else g)
    return [p.detach() for p in net.parameters()]

def which_clip(widths, seed, X, Y, rate):
    """Whether the parameters are right where nothing is clipped."""
    free, mine = clipped_plain(widths, seed, X, Y, rate, 1e6, ""), clipped(widths, seed, X, Y, rate, 1e6)[0]
    if len(mine) == len(free) and all(torch.allclose(one, other, rtol=1e-5, atol=2e-6) for one, other in zip(mine, free)):
        return "With max_norm = 1,000,000, where nothing is clipped, the parameters are right: it is the factor that is not. It is max_norm over the common norm, where that is less than 1, and the same for all gradients of a step."
    return "With max_norm = 1,000,000, where nothing is clipped, the parameters are wrong, too: each is to lose lr times its gradient, once. The first pass changes no parameter, and the gradients keep their precision."

def which_norm():
    """Whether the norm is right for a single Linear and a single example."""
    one, other = torch.tensor([[1., -2.]], dtype=torch.float64), torch.tensor([[3.]], dtype=torch.float64)
    net = deep_mlp((2, 1), 0).to(torch.float64)
    weight, bias = (g.norm().item() for g in torch.autograd.grad(F.mse_loss(net(one), other), list(net.parameters())))
    whole, found = (weight ** 2 + bias ** 2) ** 0.5, clipped((2, 1), 0, one, other, 0.1, 1e6)[1][0]
    if abs(found - whole) > 1e-4 * whole:
        return f"For a single Linear, deep_mlp((2, 1), 0), and a single example the gradients of weight and bias have the norms {weight:.4g} and {bias:.4g}: the common norm is √({weight:.4g}² + {bias:.4g}²) = {whole:.4g}; yours is {found:.4g}."
    return "For a single Linear and a single example yours is right: add up the squares of all entries of all gradients, of every layer, for the mean loss over the examples, and take one root at the end."

def check_clipped(widths, seed, n, rate, most):
    rng = torch.Generator().manual_seed(seed)
    X_in, Y_in = (torch.randn(n, size, generator=rng, dtype=torch.float64) for size in (widths[0], widths[-1]))
    after, norms, peak, left, hooks, trouble = clipped(widths, seed, X_in, Y_in, rate, most)
    about = f"widths {widths}, {n} examples, max_norm {most}"
    assert_true(trouble == "", f"no error is raised in a step, {about}; it raised {trouble or 'none'}", of="left clean",
                hint="A .grad that is used is None there: a hook frees it first, as one of the first pass does that is still there in the second, or no gradient has arrived.")
    assert_equal(hooks, 0, f"the hooks that are left after a step, {about}", of="left clean", hint="Keep the handles, and call remove() after each pass.")
    assert_equal(left, 0, f"the gradients that are left after a step, {about}", of="left clean", hint="Set .grad to None in the second pass, too.")
    assert_type(norms[0], (float, int), f"what clipped_step returns, {about}", of="norm", hint="A tensor of one entry becomes a Python number by .item().")
    twin, wanted = deep_mlp(widths, seed).to(torch.float64), []
    optimizer = torch.optim.SGD(twin.parameters(), lr=rate)
    for i in range(2):
        optimizer.zero_grad()
        F.mse_loss(twin(X_in), Y_in).backward()
        wanted.append(torch.nn.utils.clip_grad_norm_(twin.parameters(), most).item())
        optimizer.step()
    slips = {sentence: clipped_plain(widths, seed, X_in, Y_in, rate, most, slip) for sentence, slip in (
        ("Each parameter was clipped by its own norm: all share one factor.", "each"), ("Each layer was clipped by its own norm: all share one factor.", "layer"),
        ("The step is twice the right one: `backward()` adds to .grad, so what the first pass leaves there counts again in the second.", "twice"),
        ("No parameter has changed: no update reached them.", "still"),
        ("The norm was not complete: the first updates used the norm of what had arrived so far.", "running"),
        ("Norms do not add up, their squares do.", "sum"), ("Small gradients are not blown up: the factor is at most 1.", "always"),
        ("The gradients were not clipped.", "none"), ("Every entry was clipped for itself: all share one factor.", "entries"), ("The step is lr times the clipped gradient.", "no rate"))}
    start = deep_mlp(widths, seed).to(torch.float64)
    grads = torch.autograd.grad(F.mse_loss(start(X_in), Y_in), list(start.parameters()))
    assert_close(norms[0], wanted[0], f"the norm that the first step returns, {about}", of="norm", rtol=1e-5, mistakes={
        "Norms do not add up, their squares do.": sum(g.norm().item() for g in grads), "Take the root of the sum of the squares.": wanted[0] ** 2,
        "This is the norm of the parameters: that of their gradients is asked for.": sum(p.detach().square().sum().item() for p in start.parameters()) ** 0.5,
        "F.mse_loss is a mean; this is the norm for the sum of the squared errors.": wanted[0] * Y_in.numel(),
        "This is the norm of the weights' gradients alone: the biases' belong to it, too.": sum(g.square().sum().item() for g in grads if g.ndim == 2) ** 0.5,
        "The largest norm alone is not the common norm.": max(g.norm().item() for g in grads),
        "The squares of all entries are added up: this takes their mean over each parameter.": sum(g.square().mean().item() for g in grads) ** 0.5,
        "The squares of all entries are added up: this takes their mean.": wanted[0] / sum(g.numel() for g in grads) ** 0.5,
        "The largest entry is not the norm, which adds up the squares of all entries.": max(g.abs().max().item() for g in grads),
        "This is the sum of all sizes: add up the squares of the entries, and take the root.": sum(g.abs().sum().item() for g in grads),
        "The norm is that of the gradients: the rate has no part in it.": wanted[0] * rate} | ({"This is the norm after clipping.": most} if most < wanted[0] else {}),
        hint=which_norm)
    assert_close(list(after), [p.detach() for p in twin.parameters()], f"the parameters after two steps, {about}", of="parameters", rtol=1e-5, atol=2e-6, mistakes=slips,
                 hint=lambda: which_clip(widths, seed, X_in, Y_in, rate))
    assert_close(list(norms), wanted, f"the norms of two steps, {about}", of="norm", rtol=1e-5, hint="The second step begins anew: its norm is that of its own gradients, nothing is left of the first.")
    if len(widths) > 8:
        whole = sum(8 * (a + 1) * b for a, b in itertools.pairwise(widths))
        assert_true(peak < whole / 2, f"the peak of new memory in a step, {about}: below half of the {whole} bytes of all gradients; yours {peak}", of="one at a time", hint="Free each gradient in its hook, in both passes, and keep no copy of it.")

@probe
def clipped_at_zero(widths, most):
    """The norm of a step whose gradients are all 0, and the parameters after it."""
    net = deep_mlp(widths, 0)
    with torch.no_grad():
        for p in net.parameters():
            p.zero_()
    try:
        norm, trouble = clipped_step(net, torch.ones(3, widths[0]), torch.zeros(3, widths[-1]), 0.5, most), ""
    except ZeroDivisionError as error:
        norm, trouble = 0., f"ZeroDivisionError: {error}"
    return norm, [p.detach().clone() for p in net.parameters()], trouble

def check_zero(widths, most):
    norm, after, trouble = clipped_at_zero(widths, most)
    about = f"in a step where all gradients are 0, widths {widths}, max_norm {most}"
    assert_true(trouble == "", f"no error is raised {about}; it raised {trouble or 'none'}", of="zero gradients", hint="The common norm is 0 there, and max_norm is divided by it: the small number in the formula, added to the norm, avoids that.")
    assert_close(norm, 0., f"the norm {about}", of="zero gradients", hint="All gradients are 0, so their common norm is 0.")
    assert_close(list(after), [p.detach() * 0 for p in deep_mlp(widths, 0).parameters()], f"the parameters {about}; all of them were 0", of="zero gradients", hint="0 / 0 is NaN: what is the small number in the formula for?")

check_clipped((5, 4, 2), 0, 6, 0.4, 0.1)
check_clipped((5, 4, 2), 0, 6, 0.4, 100.)
check_clipped((20,) * 11, 4, 1, 0.4, 0.001)
check_zero((4, 3, 2), 0.5)
### BEGIN HIDDEN TESTS
check_clipped((7, 6, 5, 3), 1, 9, 1.5, 0.3)
check_clipped((3, 3, 3, 3), 2, 4, 0.2, 0.05)
check_clipped((6, 2), 3, 5, 0.7, 50.)
check_clipped((24,) * 10, 5, 2, 0.7, 0.002)
check_zero((3, 5), 2.)
### END HIDDEN TESTS

# %% [markdown] teaches="gradient accumulation and fusing"
# ## 5. Accumulation against freeing
#
# When a large batch does not fit into memory, one cuts it into *micro-batches*, lets each add its share to `.grad`, and steps once at the end. The sum is the gradient of the whole batch, because every share was computed at the *same* weights.
#
# A fused update leaves nothing in `.grad` to add to. And if each micro-batch steps at once, the second one meets other weights. See it with a single weight $w = 2$ and the loss $\frac12 (w - t)^2$ of an example with target $t$, whose gradient is $w - t$. Two examples, targets 0 and 4, each a micro-batch, learning rate 1:
#
# - accumulated: $\frac12 (2 - 0) + \frac12 (2 - 4) = 0$, and $w$ stays at 2;
# - each at once: $w = 2 - \frac12 (2 - 0) = 1$, then $w = 1 - \frac12 (1 - 4) = 2.5$.

# %% [markdown] task="B.3.4" kind="explain" minutes=15 difficulty=3 needs="gradient accumulation and fusing, gradient clipping"
# ### Why the two do not go together
#
# In the same model: `batches` is a list of micro-batches, each a list of targets, of any sizes ≥ 1. Write two functions that return the new weight, `accumulated(w, batches, lr)` and `fused(w, batches, lr)`.
#
# Then explain in words: why clipping by the common norm needs two passes; what goes wrong if one fuses and accumulates; and what one can do instead, with its price.
#
# **You are done when**
# - **accumulated**: one step with the gradient of the mean loss over *all* examples;
# - **fused**: each micro-batch steps at once, at the weight of that moment, with its share of that mean: the sum over its examples, divided by the number of *all* examples.
#
# The words are complete when they have all three points.

# %% exercise="B.3.4"
def fused(w, batches, lr):
    """The weight if each micro-batch steps at once with its share of the mean gradient. Yours as well: write it here."""


def accumulated(w, batches, lr):
    """The weight after one step with the mean gradient over all examples."""
    ### BEGIN SOLUTION
    targets = [t for batch in batches for t in batch]
    return w - lr * sum(w - t for t in targets) / len(targets)


def fused(w, batches, lr):  # noqa: F811
    """The weight if each micro-batch steps at once with its share of the mean gradient."""
    number = sum(len(batch) for batch in batches)
    for batch in batches:
        w = w - lr * sum(w - t for t in batch) / number
    return w
    ### END SOLUTION

# %% [markdown] hints="B.3.4"
# 1. At which weight is the gradient of the second micro-batch computed in each of the two?
# 2. Accumulation needs every gradient at the *same* weight. A gradient that is freed cannot be added to.
# 3. Three examples in micro-batches of two and one: the first share is the sum of two gradients, divided by 3.

# %% check="B.3.4" points=2
ONE_STEP = "w loses lr times the sum of w - t over all targets t of all micro-batches, divided by the number of these targets."
MANY_STEPS = "For each micro-batch in turn, w loses lr times the sum of w - t over its targets, with w as it is then, divided by the number of all targets."

def which_share(answer, words):
    """Whether a single target, and a single micro-batch, are right."""
    for batch, right, steps in (([6.], 4., "w - t is -4, so that w becomes 2 + 0.5 · 4 = 4"), ([0., 6.], 2.5, "w - t is 2 and -4, their sum divided by 2 is -1, so that w becomes 2 + 0.5 · 1 = 2.5")):
        found = float(answer(2., [batch], 0.5))
        if abs(found - right) > 1e-4:
            return f"With the single micro-batch {[int(t) for t in batch]}, w = 2 and rate 0.5 yours is {found:.4g}: {steps}."
    return f"With a single micro-batch yours is right: look at how several are put together. {words}"

with part(0.5, "accumulated", of="accumulated"):
    assert_close(accumulated(1., [[0., 0., 4.], [8.], [6.]], 0.4), 2.04, "accumulated, w = 1, micro-batches [0, 0, 4], [8], [6], rate 0.4", of="accumulated", rtol=1e-5, hint=lambda: which_share(accumulated, ONE_STEP), mistakes={
        "This is a step by the loss: its derivative is asked for, w - t.": -2.4, "A step goes against the gradient.": -0.04, "This adds the gradients up without dividing by the number of examples.": 6.2,
        "Here every micro-batch steps at once: that is `fused`.": 1.982912, "The gradient of ½ (w - t)² is w - t, without a factor 2.": 3.08, "The gradient of ½ (w - t)² is w - t: the half and the 2 of the square cancel.": 1.52,
        "Every micro-batch counts, however many there are.": 1.8, "The means of all micro-batches count alike: weight them by their size.": 2.6444444, "The rate is an argument.": 2.3,
        "The means of the micro-batches are added up: the sum over all examples is to be divided by their number.": 5.9333333,
        "w counts once for each target: what is added up is w - t.": 2.36, "Divide by the number of examples, not by that of micro-batches.": 2.7333333, "Micro-batches differ in size: count the examples of each.": 1.5777778, "Every example of a micro-batch counts, not the first alone.": 1.88})
    assert_close(accumulated(2., [[0.], [6.], [9.]], 0.5), 3.5, "accumulated, w = 2, micro-batches [0], [6], [9], rate 0.5", of="accumulated", rtol=1e-5, hint=lambda: which_share(accumulated, ONE_STEP))
with part(0.5, "fused", of="fused"):
    assert_close(fused(2., [[0.], [6.], [9.]], 0.5), 3.4907407, "fused, w = 2, micro-batches [0], [6], [9], rate 0.5", of="fused", rtol=1e-5, hint=lambda: which_share(fused, MANY_STEPS), mistakes={
        "The gradient of ½ (w - t)² is w - t: the half and the 2 of the square cancel.": 2.7488426, "Divide by the number of all examples, not of those that are still to come.": 5.875,
        "These are steps by the loss: its derivative is asked for, w - t.": -6.4962349,
        "Each gradient is taken at the weight of the start: that is accumulation.": 3.5, "Each micro-batch counts as a whole: divide by the number of all examples.": 6.25,
        "A step goes against the gradient.": 0.5092593, "Take the micro-batches in the order of the list.": 3.0324074, "The gradient of ½ (w - t)² is w - t, without a factor 2.": 4.9259259, "Every micro-batch counts, however many there are.": 2.625,
        "A step uses the share of its own micro-batch; the earlier shares are gone.": 3.6018519, "Divide by the number of all examples, not of those that have come so far.": 3.375})
    assert_close(fused(1., [[0., 0., 4.], [8.]], 0.2), 1.3975, "fused, w = 1, micro-batches [0, 0, 4], [8], rate 0.2", of="fused", rtol=1e-5, hint=lambda: which_share(fused, MANY_STEPS), mistakes={
        "Here every example steps for itself: a micro-batch makes one step, with the sum over its examples.": 1.4045063, "The means of all micro-batches count alike: weight them by their size.": 1.73,
        "Divide by the number of all examples, not by that of the micro-batch.": 2.4533333, "The rate is an argument.": 1.984375, "Divide by the number of examples, not by that of micro-batches.": 1.79,
        "w counts once for each target: what is added up is w - t.": 1.4925, "Micro-batches differ in size: count the examples of each.": 1.2655556, "Every example of a micro-batch counts, not the first alone.": 1.3025})
### BEGIN HIDDEN TESTS
def weights_by_autograd(w, lists, rate):
    number, everything = sum(map(len, lists)), torch.tensor([t for one in lists for t in one], dtype=torch.float64)
    weight = torch.tensor(w, dtype=torch.float64, requires_grad=True)
    slope, = torch.autograd.grad(((weight - everything) ** 2).mean() / 2, weight)
    moving = torch.tensor(w, dtype=torch.float64, requires_grad=True)
    for one in lists:
        share, = torch.autograd.grad(((moving - torch.tensor(one, dtype=torch.float64)) ** 2).sum() / (2 * number), moving)
        moving = (moving - rate * share).detach().requires_grad_()
    return w - rate * slope.item(), moving.item()

rng_in = torch.Generator().manual_seed(334)
HIDDEN_BATCHES = [[torch.randn(size, generator=rng_in, dtype=torch.float64).tolist() for size in sizes] for sizes in ((2, 1), (3, 3, 1), (4,), (1, 2, 3, 4))]
with part(0.5, "accumulated, other micro-batches", of="accumulated"):
    for lists_in in HIDDEN_BATCHES:
        assert_close(accumulated(1.5, lists_in, 0.8), weights_by_autograd(1.5, lists_in, 0.8)[0], f"accumulated, micro-batches of {[len(one) for one in lists_in]}", of="accumulated", rtol=1e-5, atol=1e-6, hint=lambda: which_share(accumulated, ONE_STEP))
with part(0.5, "fused, other micro-batches", of="fused"):
    for lists_in in HIDDEN_BATCHES:
        assert_close(fused(1.5, lists_in, 0.8), weights_by_autograd(1.5, lists_in, 0.8)[1], f"fused, micro-batches of {[len(one) for one in lists_in]}", of="fused", rtol=1e-5, atol=1e-6, hint=lambda: which_share(fused, MANY_STEPS))
total()
### END HIDDEN TESTS

# %% [markdown] written="B.3.4" points=3
# ### BEGIN SOLUTION
# The clipping factor depends on the norm of all gradients, which is known when the last one has arrived. A fused update has used and freed the first ones by then. So a first pass computes every gradient only for its square and frees it, and a second pass computes them again and
# updates with the factor. It costs a second backward pass, and the activations have to be kept or computed again.
# Accumulation adds up gradients of several micro-batches that were all computed at the same weights. If each micro-batch is fused, the weight has moved before the second one is computed: 2.5 instead of 2 in the example above. That is SGD with smaller steps on smaller batches, another algorithm. And Adam would
# update its averages once for each micro-batch.
# Instead one may keep the gradients, which is the memory that fusing was to save; or use the largest batch that fits, with checkpointing for its activations; or accept the smaller batches with a smaller learning rate; clip each parameter by its own norm or each entry by value, which fits in one pass but changes the
# direction of the gradient.
#
# **Rubric**
# - [1] The global norm needs all gradients before the first update, so gradients are computed twice; also accepted: "second pass recomputes what was freed"; lost by "the norm is expensive to compute".
# - [1] Accumulated gradients belong to the same weights; fused, the weights move between the micro-batches (with numbers of the probe); also accepted: nothing is left in .grad to add to; lost by "the results are the same up to rounding".
# - [1] A way out with its price; also accepted: keep a buffer, larger batch with checkpointing, clip by value; lost by a way out without a price.
# ### END SOLUTION

# %% [markdown] teaches="shapes in a loss"
# ## 6. A loss that averages too many errors
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

# %% [markdown]
# The differences are those of a table of 5 · 5; the right ones stand in its diagonal, and are all 0. The loss is 4, twice the variance of the targets. With equal shapes it is 0. `torch.broadcast_shapes` tells beforehand which shape two tensors would get together; where they do not fit it raises a RuntimeError:

# %% teaches="shapes in a loss"
print(torch.broadcast_shapes((5, 1), (5,)), torch.broadcast_shapes((5, 1), (5, 1)), torch.broadcast_shapes((), (4, 2)))

# %% [markdown] task="B.3.5a" kind="code" minutes=6 difficulty=1 core=true needs="broadcasting, shapes in a loss"
# ### How many errors?
#
# Write `errors_averaged(shape_a, shape_b)`: the number of squared differences that `((a - b) ** 2).mean()` averages for tensors of these shapes (tuples).
#
# **You are done when**
# - **number**: it is the number of entries of `a - b`, for shapes of any length, `()` among them (no axis has the length 0);
# - **no fit**: it is 0 where the shapes do not broadcast.

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
@probe
def number_or_error(shape_a, shape_b):
    """What errors_averaged returns, or the error that it raises."""
    try:
        return {"number": errors_averaged(shape_a, shape_b), "error": ""}
    except Exception as error:
        return {"number": 0, "error": f"{type(error).__name__}: {error}"}

def check_no_fit(one, other, mistakes=None):
    found = number_or_error(one, other)
    assert_true(found["error"] == "", f"errors_averaged({one}, {other}) returns a number; it raised {found['error'] or 'nothing'}", of="no fit", hint="Where the shapes do not fit, 0 is asked for: catch the error by try and except.")
    assert_equal(found["number"], 0, f"{one} against {other}", of="no fit", hint="Where they do not fit, return 0.", mistakes=mistakes or {})

def entries_of(one, other):
    shape = tuple(torch.broadcast_shapes(one, other))
    return f"a - b has the shape {shape} here: {' · '.join(map(str, shape))} entries."

ENTRIES = "Align the shapes at the right; an axis of length 1, or a missing one, takes the other's length. The number is the product of all lengths."
assert_true(not isinstance(errors_averaged((3, 1), (1, 1)), (tuple, list)), "errors_averaged((3, 1), (1, 1)) is a number", of="number", hint="This is a shape, or a list: the number of entries is the product of the lengths of a shape.")
assert_equal(errors_averaged((3, 1), (1, 1)), 3, "(3, 1) against (1, 1)", of="number", hint=entries_of((3, 1), (1, 1)), mistakes={
             "Shapes that differ may broadcast: an axis of length 1, or a missing one, is stretched.": 0, "The lengths of a shape are multiplied, not added.": 4})
assert_equal(errors_averaged((3, 1), (1, 4)), 12, "(3, 1) against (1, 4)", of="number", hint=entries_of((3, 1), (1, 4)), mistakes={"Each of the 3 is set against each of the 4; 3 is the length of one axis alone.": 3,
             "The larger of the two numbers of entries is not enough: each is set against each.": 4, "Here each of the two is stretched along one axis.": 0})
assert_equal(errors_averaged((6, 4), (4,)), 24, "(6, 4) against (4,)", of="number", hint=entries_of((6, 4), (4,)), mistakes={"An axis that only one of the two has counts, too.": 4, "The axes of length 4 meet entry by entry: they are not each against each.": 96,
             "They fit: shapes are aligned at the right, and a missing axis is stretched.": 0})
assert_equal(errors_averaged((5, 1), (5,)), 25, "(5, 1) against (5,)", of="number", hint=entries_of((5, 1), (5,)), mistakes={"Shapes are aligned at the right: the 5 of (5,) meets the 1, so each is set against each.": 5})
assert_equal(errors_averaged((5, 1), (5, 1)), 5, "(5, 1) against (5, 1)", of="number", hint=entries_of((5, 1), (5, 1)), mistakes={"Equal shapes are not stretched.": 25})
assert_equal(errors_averaged((7,), (7, 1)), 49, "(7,) against (7, 1)", of="number", hint=entries_of((7,), (7, 1)), mistakes={"Shapes are aligned at the right.": 7})
assert_equal(errors_averaged((), (2, 3)), 6, "() against (2, 3)", of="number", hint=entries_of((), (2, 3)), mistakes={"The single number is set against each entry of the other: so many differences there are.": 1, "() is the shape of a single number, which is set against each entry of the other.": 0})
assert_equal(errors_averaged((2, 5, 1), (3,)), 30, "(2, 5, 1) against (3,)", of="number", hint=entries_of((2, 5, 1), (3,)), mistakes={"All axes count, not the last two alone.": 15, "All axes count, not the first and the last alone.": 6})
check_no_fit((4, 3), (4,), {
    "Shapes are aligned at the right, and 3 and 4 do not fit.": 12, "Axes that do not fit are not each against each: nothing is averaged.": 48})
check_no_fit((2, 5, 4), (3, 4), {"Every axis has to fit, not the last one alone.": 40})
check_no_fit((6, 2), (3, 2), {"Only an axis of length 1 is stretched, not one of length 3.": 12})
### BEGIN HIDDEN TESTS
for one, other in (((4, 3), (3,)), ((2, 1, 4), (3, 1)), ((1,), (1,)), ((6, 1), (1, 6)), ((3, 1, 5), (2, 5)), ((), ())):
    assert_equal(errors_averaged(one, other), (torch.zeros(one) - torch.zeros(other)).numel(), f"{one} against {other}", of="number", hint=ENTRIES)
for one, other in (((5,), (4,)), ((2, 3), (3, 2)), ((2, 3, 4), (2, 4)), ((4,), (2,))):
    check_no_fit(one, other)
### END HIDDEN TESTS

# %% [markdown] task="B.3.5b" kind="code" minutes=6 difficulty=2 needs="shapes in a loss"
# ### A loss that says so
#
# Write `strict_mse(Y_hat, Y)`: the mean squared error of two tensors of the same shape.
#
# **You are done when**
# - **loss**: it is the mean squared error, a 0-d tensor;
# - **gradients**: they flow through it to `Y_hat`;
# - **error**: where the shapes differ in any way, it raises a `ValueError`;
# - **both shapes**: the error's message holds both shapes, each in brackets, as `(5, 1)`, `[5, 1]` or `torch.Size([5, 1])`.

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
    """The loss and its gradient, or the name and the text of the error."""
    rng = torch.Generator().manual_seed(35)
    a, b = torch.randn(shape_a, generator=rng, requires_grad=True), torch.randn(shape_b, generator=rng)
    try:
        loss = strict_mse(a, b)
    except Exception as error:
        return {"error": "ValueError" if isinstance(error, ValueError) else type(error).__name__, "text": str(error)}
    if not isinstance(loss, torch.Tensor):
        return {"error": "", "loss": loss, "gradient": torch.zeros(0)}
    gradient = torch.autograd.grad(loss.sum(), a, allow_unused=True)[0] if loss.requires_grad else None
    return {"error": "", "loss": loss.detach(), "gradient": torch.zeros(0) if gradient is None else gradient}

def check_strict(one, other):
    told, about = strict(one, other), f"{one} against {other}"
    sizes = [torch.Size(shape).numel() for shape in (one, other)]
    alike = [f"{sizes[0]} entries"] * (sizes[0] == sizes[1]) + [f"{len(one)} axes"] * (len(one) == len(other) > 1) + [f"{one[0]} rows"] * (one[0] == other[0]) + [f"a last axis of length {one[-1]}"] * (one[-1] == other[-1])
    shared = f"Both have {' and '.join(alike)}, but t" if alike else "T"
    by_broadcasting = told["error"] == "" and [strict(*pair)["error"] for pair in (((5, 1), (5,)), ((2, 3), (3,)), ((1, 4), (4, 1)), ((2, 3), (3, 2)), ((5,), (3,)))] == ["", "", "", "ValueError", "ValueError"]
    silent = "No error was raised. Yours raises one only where the shapes do not broadcast: compare the whole shapes." if by_broadcasting else f"No error was raised. {shared}he shapes differ: compare the whole shapes."
    assert_equal(told["error"], "ValueError", f"the error for {about}", of="error", mistakes={silent: "",
                 "An assertion vanishes under python -O: raise the error.": "AssertionError", "The subtraction was tried before the whole shapes were compared, or another error was raised: raise ValueError.": "RuntimeError"},
                 hint="The shapes differ, and the error has another name: `raise ValueError(...)`.")
    named = [tuple(int(n) for n in re.findall(r"[0-9]+", found)) for found in re.findall(r"[(\[]([0-9, ]*)[)\]]", str(told["text"]))]
    for owner, shape in (("Y_hat", one), ("Y", other)):
        assert_true(shape in named, f"the message of the error holds {shape}, the shape of {owner}, in brackets; it is {str(told['text'])[:80]!r}", of="both shapes", hint=f"`tuple({owner}.shape)` in an f-string writes it with brackets.")

def which_mean():
    """The loss of two entries, worked out."""
    found = float(strict_mse(torch.tensor([4., 1.]), torch.tensor([1., 2.])))
    if abs(found - 5) > 1e-4:
        return f"For (4, 1) and (1, 2) yours is {found:.4g}: (4 - 1)² + (1 - 2)² = 10, over 2 entries 5."
    return "For (4, 1) and (1, 2) yours is right: with more axes, too, it is the mean of the squared differences over all entries."

def check_loss(shape):
    rng = torch.Generator().manual_seed(35)
    a, b = torch.randn(shape, generator=rng, requires_grad=True), torch.randn(shape, generator=rng)
    found = strict(shape, shape)
    assert_equal(found["error"], "", f"the error for two tensors of shape {shape}: there is none", of="loss", hint="Equal shapes raise no error.")
    assert_type(found["loss"], torch.Tensor, f"the loss for shape {shape}", of="loss", hint="The 0-d tensor itself is asked for, not the number in it: item() cuts the graph.")
    assert_shape(found["loss"], (), f"the shape of the loss for shape {shape}", of="loss", hint="The mean over all entries is a single number, of shape ().")
    loss = F.mse_loss(a, b)
    assert_close(found["loss"], loss.detach(), f"the loss for shape {shape}", of="loss", hint=which_mean, mistakes={"These are absolute differences: they are squared before the mean.": (a - b).abs().mean().detach(), "This is the sum.": loss.detach() * a.numel(), "There is no factor 1/2.": loss.detach() / 2, "There is no root.": loss.detach().sqrt()}
                 | ({"Divide by the number of entries, not of rows.": loss.detach() * a.numel() / shape[0]} if 1 < shape[0] < a.numel() else {}))
    assert_equal(found["gradient"].numel(), a.numel(), f"how many entries the gradient at Y_hat has, shape {shape}", of="gradients", hint="item() and detach() cut the graph.")
    assert_close(found["gradient"], torch.autograd.grad(loss, a)[0], f"the gradient at Y_hat, shape {shape}", of="gradients", hint="It is 2 (Y_hat - Y) divided by the number of entries, as autograd gives it.")

check_loss((4, 3))
for shapes_in in (((5, 1), (5,)), ((3, 1), (1, 3)), ((4, 3), (4, 1)), ((4, 3), (2, 3)), ((2, 6), (3, 4))):
    check_strict(*shapes_in)
### BEGIN HIDDEN TESTS
for shape_in in ((7,), (5, 1), (2, 3, 4)):
    check_loss(shape_in)
for shapes_in in (((4, 3), (3,)), ((6,), (1,)), ((2, 3), (3, 2)), ((1, 4), (4, 1)), ((2, 1, 3), (2, 3)), ((2, 3, 4), (2, 5, 4)), ((5,), (3,)), ((2, 3), (2, 3, 1))):
    check_strict(*shapes_in)
### END HIDDEN TESTS

# %% [markdown]
# ## Summary
#
# - Of parameters, gradients and optimizer's state together, gradients are a half with SGD and a quarter with Adam, whose averages cannot be freed; so fusing pays most with SGD.
# - The plain loop holds all gradients at once, the fused one those of a layer (by hand) or of a parameter (by hooks).
# - A comparison of times takes turns, keeps the least and speaks in ratios; in small networks the optimizers' objects cost more than the arithmetic.
# - Clipping by the common norm needs every gradient before the first update, so a fused step goes backward twice; accumulation needs all shares at the same weights, and does not go with fusing.
# - A loss of shapes (5, 1) and (5,) averages 25 errors. What is left in memory now are the activations: B.4.
