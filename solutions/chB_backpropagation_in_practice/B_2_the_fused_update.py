# %% [markdown]
# # B.2 The fused update
#
# A training loop has three steps: forward, `backward()`, `step()`. Between the second and the third, every parameter of the network has a gradient, and these
# gradients take as much memory as the parameters. They need not exist all at once. A layer can be updated as soon as its own gradient is there, still inside of the
# backward pass, and the gradient thrown away. LOMO ("low-memory optimization", arXiv 2306.09782) trains large language models in this way. You write it twice, by hand and with
# hooks, and the check compares the result with the plain loop in every bit.

# %% tags=["setup"]
from d2l_utils.check import *
import copy
import itertools
import weakref
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

OPTIMIZERS = {
    "SGD": lambda params: torch.optim.SGD(params, lr=0.1),
    "momentum": lambda params: torch.optim.SGD(params, lr=0.05, momentum=0.9),
    "Adam": lambda params: torch.optim.Adam(params, lr=0.01),
    "AdamW": lambda params: torch.optim.AdamW(params, lr=0.01, weight_decay=0.1),
}


def deep_mlp(widths, seed):
    """Linear and ReLU in turn, a Linear at the end; the same weights for the same seed."""
    torch.manual_seed(seed)
    layers = []
    for fan_in, fan_out in itertools.pairwise(widths):
        layers += [nn.Linear(fan_in, fan_out), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def train_plain(net, optimizer, batches):
    """The loop that everything here is compared with. Returns the parameters."""
    for X, Y in batches:
        loss = F.mse_loss(net(X), Y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return [p.detach() for p in net.parameters()]


def backward_pass(net, X, Y):
    F.mse_loss(net(X), Y).backward()


def random_batches(count, n, d, q, seed, dtype=torch.float32):
    rng = torch.Generator().manual_seed(seed)
    return [(torch.randn(n, d, generator=rng, dtype=dtype), torch.randn(n, q, generator=rng, dtype=dtype)) for i in range(count)]


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


def peak_bytes(f):
    """The most bytes of new memory alive at once during f()."""
    with MemoryMeter() as meter:
        f()
    return max(meter.history)

# %% [markdown]
# ## Recap
#
# ### What the plain loop holds
#
# The setup cell has a network, four optimizers, the plain loop, and a meter: it sees every tensor that an operation makes, and notices when its memory is given back. With six
# layers of 64 × 64 and two examples the activations are tiny, and one layer's weight and bias take 16,640 bytes. The plain loop needs all six gradients:

# %%
net = deep_mlp((64,) * 7, seed=0)
optimizer = OPTIMIZERS["SGD"](net.parameters())
batches = random_batches(1, 2, 64, 64, seed=0)
print("bytes of the parameters:", sum(p.nbytes for p in net.parameters()))
print("peak of new memory in a step:", peak_bytes(lambda: train_plain(net, optimizer, batches)))

# %% [markdown]
# ### Why the order of the updates does not matter
#
# SGD computes $w - \eta g$ for each weight: from this weight and its gradient, and nothing else. Momentum keeps a running average for each weight, Adam keeps two. None of
# them looks at another parameter. So it makes no difference whether the last layer is updated before or after the gradient of the first layer is computed, as long as
# that gradient is computed *through the old weights* (B.1.3). A pass that updates layer by layer gives the same network, and with the same kernels the
# same bits.
#
# To compare, both networks must start equal. `copy.deepcopy` makes a second network with its own memory:

# %%
twin = copy.deepcopy(net)
print(torch.equal(net[0].weight, twin[0].weight), net[0].weight.data_ptr() == twin[0].weight.data_ptr())

# %% [markdown]
# ### A graph in pieces
#
# To do it by hand, cut the graph between the layers. Each layer gets an input without a history, `detach()`ed, that requires a gradient, and so has a little graph of its
# own. Backward then goes from piece to piece: the gradient at a piece's input is the cotangent of the piece below. Here for two functions, against the graph in one piece:

# %%
x = torch.tensor([0.5, -1.], requires_grad=True)
inner = x.exp()
cut = inner.detach().requires_grad_()
outer = (cut * torch.tensor([1., 3.])).sin().sum()
at_the_cut, = torch.autograd.grad(outer, cut)
through_the_pieces, = torch.autograd.grad(inner, x, at_the_cut)
in_one, = torch.autograd.grad((x.exp() * torch.tensor([1., 3.])).sin().sum(), x)
through_the_pieces, in_one

# %% [markdown]
# ### A hook that sees the finished gradient
#
# `p.register_post_accumulate_grad_hook(hook)` calls `hook(p)` during `backward()`, each time that the gradient of the leaf `p` has been added to `p.grad`. If `p` is used
# twice, its contributions are added up first, and the hook runs once. At that moment nothing in the pass needs the value of `p` any more: whatever computes a gradient
# through `p` also computes a part of the gradient *of* `p`, and so has run. The old weights have done their work. `remove()` on the handle takes the hook away.

# %%
p = nn.Parameter(torch.tensor([1., 2.]))
handle = p.register_post_accumulate_grad_hook(lambda p: print("the gradient has arrived:", p.grad))
(p * p.detach() + 3 * p).sum().backward()
handle.remove()

# %% [markdown]
# ## Exercises
#
# ### By hand

# %% [markdown] task="B.2.1" kind="code" minutes=20 difficulty=4 core=true
# ### A step inside of the backward pass
#
# Write `fused_by_hand(net, optimizers, X, Y)`: one training step with the loss `F.mse_loss(net(X), Y)`.
#
# - `net` is an `nn.Sequential` of any layers. `optimizers` is a dictionary: each layer that has parameters is a key, its value the optimizer of this layer's parameters.
# - Backward goes layer by layer, from the last to the first: compute the gradients of this layer and the gradient passed on, call `step()` of its optimizer, and clear its gradients
#   (`None`) before the layer below begins. No two layers have gradients at the same time.
# - It returns the loss as a Python number.
#
# The result is the plain loop's in every bit, so let autograd compute each layer's gradients: cut the graph into pieces as above. (The formulas of B.1 add up in another order,
# and do not fit every layer.)
#
# **You are done when** the check finds the parameters of the plain loop after three steps of SGD, and one layer's gradients at a time.

# %% exercise="B.2.1"
def fused_by_hand(net, optimizers, X, Y):
    """One step that updates each layer inside of the backward pass. Returns the loss, a float."""
    ### BEGIN SOLUTION
    inputs, outputs, value = [], [], X
    for layer in net:
        inputs.append(value.detach().requires_grad_())
        outputs.append(layer(inputs[-1]))
        value = outputs[-1].detach()
    prediction = value.requires_grad_()
    loss = F.mse_loss(prediction, Y)
    passed, = torch.autograd.grad(loss, prediction)
    for layer in reversed(net):
        source = inputs.pop()
        outputs.pop().backward(passed)
        passed = source.grad
        if layer in optimizers:
            optimizers[layer].step()
            optimizers[layer].zero_grad()
    return loss.item()
    ### END SOLUTION

# %% [markdown] hints="B.2.1"
# 1. What does a layer need from the layer above, and what does it owe to the one below?
# 2. On the way forward keep each piece's input and output in lists. On the way back, `output.backward(passed)` fills the `.grad` of the layer's parameters and of
#    the input; what was passed on is then `input.grad`.
# 3. For one layer: `a = X.detach().requires_grad_()`, `out = layer(a)`, `out.backward(above)`; then `a.grad` is for the layer below, and after `step()` and `zero_grad()` the layer's gradients are gone.

# %% check="B.2.1" points=4
@probe
def hand_run(name, network, batches):
    net = deep_mlp(*network)
    optimizers = {layer: OPTIMIZERS[name](layer.parameters()) for layer in net if list(layer.parameters())}
    alive = []
    for one in optimizers.values():
        one.register_step_pre_hook(lambda *args: alive.append(sum(p.grad is not None for p in net.parameters())))
    losses = [fused_by_hand(net, optimizers, X, Y) for X, Y in batches]
    left = sum(p.grad is not None for p in net.parameters())
    twin = deep_mlp(*network)
    plain = train_plain(twin, OPTIMIZERS[name](twin.parameters()), batches)
    return [[p.detach() for p in net.parameters()], losses, alive, left, plain]

def plain_run(name, network, batches, slip=""):
    twin = deep_mlp(*network)
    optimizer = OPTIMIZERS[name](twin.parameters())
    if slip == "new weights":
        with torch.no_grad():
            for X, Y in batches:
                values = [X]
                for layer in twin:
                    values.append(layer(values[-1]))
                passed = 2 * (values[-1] - Y) / Y.numel()
                for layer, value in zip(reversed(twin), values[-2::-1]):
                    if isinstance(layer, nn.ReLU):
                        passed = passed * (value > 0)
                    else:
                        layer.weight -= 0.1 * passed.T @ value
                        layer.bias -= 0.1 * passed.sum(0)
                        passed = passed @ layer.weight
        return [p.detach() for p in twin.parameters()]
    if slip == "not cleared":
        optimizer.zero_grad = lambda: None
    return train_plain(twin, optimizer, batches)

def check_hand(name, network, batches):
    after, losses, alive, left, plain = hand_run(name, network, batches)
    about = f"{len(batches)} steps of {name}, widths {network[0]}"
    slips = {} if name != "SGD" else {
        "The gradient was passed on through weights that were already updated.": plain_run(name, network, batches, "new weights"),
        "The gradients of earlier steps are still in it: clear them after the step.": plain_run(name, network, batches, "not cleared"),
        "The parameters have not changed.": plain_run(name, network, [])}
    assert_close(list(after), plain_run(name, network, batches), f"the parameters after {about}", mistakes=slips)
    assert_close(list(after), list(plain), f"the parameters after {about}, in every bit", rtol=0, atol=0,
                 hint="It is right up to rounding. Let autograd compute each layer's gradients, so that the same kernels run.")
    twin, wanted = deep_mlp(*network), []
    optimizer = OPTIMIZERS[name](twin.parameters())
    for X, Y in batches:
        wanted.append(F.mse_loss(twin(X), Y).item())
        train_plain(twin, optimizer, [(X, Y)])
    assert_type(losses[0], float, "what fused_by_hand returns")
    assert_close(list(losses), wanted, f"the losses of {about}")
    layers = len(network[0]) - 1
    assert_equal(len(alive), layers * len(batches), f"the optimizers' steps in {about}", hint="Each optimizer steps once in each step of training.")
    assert_true(max(alive) <= 2, f"one layer's gradients (a weight and a bias) at a time, in {about}; found {max(alive)}",
                hint="Step and clear a layer before the gradients of the next exist.")
    assert_equal(left, 0, f"gradients left after {about}")

check_hand("SGD", [(5, 4, 3, 2), 0], random_batches(3, 6, 5, 2, seed=1))
### BEGIN HIDDEN TESTS
for name in ("SGD", "momentum", "Adam", "AdamW"):
    check_hand(name, [(7, 6, 5, 8, 3), 4], random_batches(5, 9, 7, 3, seed=2))

@probe
def other_layers(batches):
    torch.manual_seed(3)
    net = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.LayerNorm(6), nn.Linear(6, 6, bias=False), nn.Softmax(dim=1), nn.Linear(6, 2))
    optimizers = {layer: OPTIMIZERS["momentum"](layer.parameters()) for layer in net if list(layer.parameters())}
    for X, Y in batches:
        fused_by_hand(net, optimizers, X, Y)
    return [p.detach() for p in net.parameters()]

torch.manual_seed(3)
mixed = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.LayerNorm(6), nn.Linear(6, 6, bias=False), nn.Softmax(dim=1), nn.Linear(6, 2))
some = random_batches(4, 5, 4, 2, seed=3)
assert_close(list(other_layers(some)), train_plain(mixed, OPTIMIZERS["momentum"](mixed.parameters()), some),
             "the parameters with Tanh, LayerNorm, Softmax and a layer without bias",
             hint="The layers may be any modules: let autograd compute their gradients.")

@probe
def hand_peak(width, depth):
    net = deep_mlp((width,) * (depth + 1), seed=0)
    optimizers = {layer: OPTIMIZERS["SGD"](layer.parameters()) for layer in net if list(layer.parameters())}
    X, Y = torch.ones(2, width), torch.ones(2, width)
    fused_by_hand(net, optimizers, X, Y)
    return peak_bytes(lambda: fused_by_hand(net, optimizers, X, Y))

one_layer = 4 * (96 * 96 + 96)
assert_true(hand_peak(96, 8) < 3 * one_layer, "the peak of memory for 8 layers is below that of 3 layers' gradients",
            hint="Gradients that are kept in a list take memory, too: compute a layer's gradients when it is its turn.")
### END HIDDEN TESTS

# %% [markdown]
# ### By hooks
#
# The backward pass of autograd visits the layers in the right order by itself. A hook for each parameter is all that is needed, and the training loop shrinks to forward and
# `backward()`. The source of this section, and many a forum post, gives every parameter an optimizer of its own. Two traps lie there.
#
# ⚠ A function that is made in a loop does not keep the value of the loop's variable. It looks the variable up when it is called, and by then the loop is over:

# %% tags=["demo"]
late = [lambda: name for name in ("first", "second", "third")]
print([f() for f in late])
bound = [lambda name=name: name for name in ("first", "second", "third")]
print([f() for f in bound])

# %% [markdown]
# With hooks that say `lambda p: optimizer.step()`, the last optimizer steps at every parameter's turn, and no other ever does. Nothing raises an error; the network trains a single
# parameter. A default argument, a function that makes the function, or a dictionary looked up by `p` binds the right one.
#
# ⚠ A hook must return `None` (or the parameter itself). A lambda that calls two methods in a tuple returns a tuple:

# %% tags=["demo"]
for result in ((None, None), torch.ones(2), None):
    p = nn.Parameter(torch.ones(2))
    p.register_post_accumulate_grad_hook(lambda p, result=result: result)
    try:
        p.sum().backward()
        print("returned", result, "and all is well")
    except (TypeError, RuntimeError) as error:
        print("returned", result, "->", type(error).__name__, error)

# %% [markdown] task="B.2.2" kind="code" minutes=15 difficulty=3 core=true
# ### The backward pass trains
#
# Write `attach(optimizers)`. `optimizers` is a dictionary from a parameter to an optimizer for this one parameter. Afterwards a mere `loss.backward()` trains: as soon as the
# gradient of such a parameter is complete, its optimizer steps, once, and the gradient is freed (`p.grad` is `None`). Parameters that are not in the dictionary keep their gradients as
# always. Return the list of the hooks' handles.
#
# **You are done when** the check finds that each optimizer steps once in a backward pass, and the parameters of the plain loop.

# %% exercise="B.2.2"
def attach(optimizers):
    """Steps and frees each parameter inside of backward(). Returns the handles of the hooks."""
    ### BEGIN SOLUTION
    def hook(p):
        optimizers[p].step()
        p.grad = None
    return [p.register_post_accumulate_grad_hook(hook) for p in optimizers]
    ### END SOLUTION

# %% [markdown] hints="B.2.2"
# 1. How does the hook know which optimizer is its own?
# 2. The hook gets the parameter as its argument, and a parameter is a key of the dictionary. `optimizer.zero_grad()` sets `.grad` to `None`; with `set_to_none=False` zeros stay, and take memory.
# 3. A counter for each tensor: `def count(p): counts[p] += 1`, then `p.register_post_accumulate_grad_hook(count)` for each `p` of `counts`.

# %% check="B.2.2" points=3
@probe
def hook_run(name, network, batches):
    net = deep_mlp(*network)
    params = list(net.parameters())
    optimizers = {p: OPTIMIZERS[name]([p]) for p in params}
    steps, alive = [0] * len(params), []
    for i, one in enumerate(optimizers.values()):
        one.register_step_post_hook(lambda *args, i=i: steps.__setitem__(i, steps[i] + 1))
        one.register_step_pre_hook(lambda *args: alive.append(sum(p.grad is not None for p in params)))
    attach(optimizers)
    trouble = ""
    for batch in batches:
        try:
            backward_pass(net, *batch)
        except (TypeError, RuntimeError) as error:
            trouble = f"{type(error).__name__}: {error}"
            break
    left = sum(p.grad is not None for p in params)
    twin = deep_mlp(*network)
    plain = train_plain(twin, OPTIMIZERS[name](twin.parameters()), batches)
    return [trouble, steps, [p.detach() for p in params], left, max([0, *alive]), plain]

def a_pass_late(network, batches):
    net, late = deep_mlp(*network), None
    for X, Y in batches:
        arrived = torch.autograd.grad(F.mse_loss(net(X), Y), list(net.parameters()))
        for p, g in zip(net.parameters(), late or ()):
            p.data -= 0.1 * g
        late = arrived
    return [p.detach() for p in net.parameters()]

def check_hooks(name, network, batches):
    trouble, steps, after, left, most, plain = hook_run(name, network, batches)
    about = f"{len(batches)} steps of {name}, widths {network[0]}"
    number = 2 * (len(network[0]) - 1)
    assert_true(trouble == "", f"backward() raises no error; it raised {trouble or 'none'}", hint="A hook has to return None: a lambda returns the value of its expression.")
    last = [0] * (number - 1) + [number * len(batches)]
    assert_equal(list(steps), [len(batches)] * number, f"how often each optimizer steps in {about}", mistakes={
        "Every hook steps the last optimizer: it looks the loop's variable up when it is called, after the loop.": last,
        "No optimizer steps: does each parameter have a hook?": [0] * number})
    twin = deep_mlp(*network)
    summed = deep_mlp(*network)
    keeps = OPTIMIZERS[name](summed.parameters())
    keeps.zero_grad = lambda: None
    assert_close(list(after), train_plain(twin, OPTIMIZERS[name](twin.parameters()), batches), f"the parameters after {about}", mistakes={
        "The step came before the gradient was in .grad, as with register_hook: each gradient is used a pass late.": a_pass_late(network, batches),
        "The gradients of earlier steps are still in it: free them in the hook.": train_plain(summed, keeps, batches)})
    assert_close(list(after), list(plain), f"the parameters after {about}, in every bit", rtol=0, atol=0)
    assert_equal(left, 0, f"the gradients that are left after {about}", hint="Free them in the hook: p.grad = None. Zeros take as much memory.")
    assert_equal(most, 1, f"the gradients alive when an optimizer steps, {about}", hint="Step in the hook, not after the pass.")

check_hooks("SGD", [(5, 4, 3, 2), 0], random_batches(3, 6, 5, 2, seed=4))
### BEGIN HIDDEN TESTS
for name in ("momentum", "Adam", "AdamW"):
    check_hooks(name, [(7, 6, 5, 8, 3), 5], random_batches(5, 9, 7, 3, seed=5))

@probe
def some_parameters(X, Y):
    net = deep_mlp((4, 3, 2), seed=6)
    net[0].weight.requires_grad_(False)
    start = [p.detach().clone() for p in net.parameters()]
    handles = attach({net[2].weight: OPTIMIZERS["SGD"]([net[2].weight])})
    backward_pass(net, X, Y)
    moved = [(p.detach() - s).abs().max() for p, s in zip(net.parameters(), start)]
    kept = [int(p.grad is not None) for p in net.parameters()]
    for handle in handles:
        handle.remove()
    before = net[2].weight.detach().clone()
    backward_pass(net, X, Y)
    return moved, kept, [(net[2].weight.detach() - before).abs().max(), int(net[2].weight.grad is not None)], len(handles)

(X6, Y6), = random_batches(1, 5, 4, 2, seed=6)
moved, kept, removed, handles_ = some_parameters(X6, Y6)
assert_true(moved[2] > 0, "the parameter in the dictionary is trained, with another one frozen")
assert_close([moved[0], moved[1], moved[3]], [0., 0., 0.], "parameters that are not in the dictionary do not move")
assert_equal(list(kept), [0, 1, 0, 1], "which parameters have a gradient after the pass", hint="Only those in the dictionary are freed.")
assert_equal(handles_, 1, "the number of handles", hint="Return the handles, one for each parameter of the dictionary.")
assert_close(removed[0], 0., "after remove() of the handles, backward() trains no more")
assert_equal(removed[1], 1, "after remove() of the handles, the gradient stays in .grad")
### END HIDDEN TESTS

# %% [markdown]
# ### Without an optimizer for each parameter
#
# An optimizer object is made for many parameters. Its `step()` looks for hooks, opens a profiler region, checks whether a GPU records, sorts the parameters and their states into lists, and then loops. For one parameter
# all this is done for a single line of arithmetic. The number of Python function calls in one training step tells it, for a network of 10 layers (20 parameters):

# %% tags=["demo"]
import cProfile
import pstats


def calls(f):
    f()
    profile = cProfile.Profile()
    profile.runcall(f)
    return pstats.Stats(profile).total_calls


X, Y = torch.randn(5, 16), torch.randn(5, 16)
net = deep_mlp((16,) * 11, seed=0)
optimizer = OPTIMIZERS["SGD"](net.parameters())
print("plain:", calls(lambda: train_plain(net, optimizer, [(X, Y)])))
owns = {p: OPTIMIZERS["SGD"]([p]) for p in net.parameters()}
for p, own in owns.items():
    p.grad = torch.zeros_like(p)
print("20 optimizers, step() and zero_grad() alone:", calls(lambda: [(own.step(), own.zero_grad(set_to_none=False)) for own in owns.values()]))

# %% [markdown]
# The remedy is to write the update rule into the hook. One hook, a dictionary with the state of each parameter, two lines of arithmetic. It also meets the gradient while it is still in the processor's
# cache; the plain loop comes back for it when the whole network has passed through. B.3 and `benchmarks/fused.py` measure the difference.
#
# Inside of `backward()` autograd does not record, so a parameter may be changed in place. (It does with `create_graph=True`; `torch.no_grad()` around the update is the safe way.)

# %% [markdown] task="B.2.3" kind="code" minutes=12 difficulty=3 core=true
# ### SGD in a hook
#
# Write `attach_sgd(net, lr, momentum=0.0)`: afterwards `loss.backward()` trains every parameter of `net` that requires a gradient, by the rule of `torch.optim.SGD`: with a momentum $\mu > 0$ each parameter has a buffer $v$,
#
# $$v_1 = g_1, \qquad v_t = \mu\, v_{t-1} + g_t, \qquad w_t = w_{t-1} - \eta\, v_t;$$
#
# without momentum $w_t = w_{t-1} - \eta\, g_t$, and no buffer takes memory. The gradient is freed. Use no optimizer object. Return the list of handles.
#
# **You are done when** the check finds the parameters of `torch.optim.SGD`, with and without momentum.

# %% exercise="B.2.3"
def attach_sgd(net, lr, momentum=0.0):
    """Trains each parameter inside of backward() by SGD, without optimizer objects. Returns the handles."""
    ### BEGIN SOLUTION
    buffers = {}

    @torch.no_grad()
    def hook(p):
        change = p.grad
        if momentum and p in buffers:
            change = buffers[p].mul_(momentum).add_(p.grad)
        elif momentum:
            buffers[p] = p.grad         # the first gradient becomes the buffer: no copy
        p.add_(change, alpha=-lr)
        p.grad = None

    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]
    ### END SOLUTION

# %% [markdown] hints="B.2.3"
# 1. What has to be remembered from one step to the next, and for whom?
# 2. A dictionary with parameters as keys holds a buffer for each. `p.add_(v, alpha=-lr)` subtracts `lr` times `v` in place.
# 3. A running sum for each tensor: `sums = {}` outside of the hook; inside: `sums[p] = sums.get(p, 0) + p.grad`.

# %% check="B.2.3" points=3
@probe
def rule_run(kind, network, batches, dtype, options):
    net = deep_mlp(*network).to(getattr(torch, dtype))
    made = []
    start = torch.optim.Optimizer.__init__
    torch.optim.Optimizer.__init__ = lambda self, *args, **kwargs: (made.append(1), start(self, *args, **kwargs))[1]
    trouble = ""
    try:
        handles = {"SGD": lambda: attach_sgd(net, **options)}[kind]()
        for batch in batches:
            backward_pass(net, *batch)
    except (TypeError, RuntimeError) as error:
        trouble, handles = f"{type(error).__name__}: {error}", []
    finally:
        torch.optim.Optimizer.__init__ = start
    left = sum(p.grad is not None for p in net.parameters())
    return [trouble, [p.detach() for p in net.parameters()], left, len(made), len(handles or [])]

def check_sgd(network, batches, options):
    trouble, after, left, made, handles = rule_run("SGD", network, batches, "float64", options)
    momentum = options.get("momentum", 0.)
    about = f"{len(batches)} steps, widths {network[0]}, lr {options['lr']}, momentum {momentum}"
    assert_true(trouble == "", f"backward() raises no error; it raised {trouble or 'none'}", hint="A hook has to return None, and changes its parameter under no_grad.")

    def by_torch(**kwargs):
        twin = deep_mlp(*network).to(torch.float64)
        return train_plain(twin, torch.optim.SGD(twin.parameters(), **kwargs), batches)

    assert_close(list(after), by_torch(**options), f"the parameters after {about}", mistakes={
        "The parameters have not changed.": [p.detach() for p in deep_mlp(*network).to(torch.float64).parameters()],
        "The momentum has no effect.": by_torch(lr=options["lr"]),
        "The buffer is a running mean: gradients enter with the factor 1, not 1 - momentum.": by_torch(lr=options["lr"] * (1 - momentum), momentum=momentum),
        "The first step is damped: the buffer starts as the first gradient, and gradients enter with the factor 1.":
            by_torch(**options, dampening=momentum) if momentum else by_torch(lr=2 * options["lr"])})
    assert_equal(left, 0, f"the gradients that are left after {about}", hint="Free them in the hook: p.grad = None.")
    assert_equal(made, 0, "the optimizer objects made", hint="Write the rule into the hook, without an optimizer.")
    assert_equal(handles, 2 * (len(network[0]) - 1), "the number of handles")

check_sgd([(5, 4, 3, 2), 0], random_batches(3, 6, 5, 2, 7, torch.float64), {"lr": 0.1})
check_sgd([(5, 4, 3, 2), 0], random_batches(3, 6, 5, 2, 7, torch.float64), {"lr": 0.1, "momentum": 0.9})
### BEGIN HIDDEN TESTS
check_sgd([(4, 4, 4, 4), 1], random_batches(6, 5, 4, 4, 8, torch.float64), {"lr": 0.05, "momentum": 0.5})
check_sgd([(7, 6, 5, 3), 2], random_batches(5, 9, 7, 3, 9, torch.float64), {"lr": 0.3})

@probe
def rule_peak(width, depth):
    net = deep_mlp((width,) * (depth + 1), seed=0)
    attach_sgd(net, 0.01)
    X, Y = torch.ones(2, width), torch.ones(2, width)
    for i in range(2):
        backward_pass(net, X, Y)
    return peak_bytes(lambda: backward_pass(net, X, Y))

assert_true(rule_peak(96, 8) < 4 * 4 * (96 * 96 + 96), "the peak of memory for 8 layers is below that of 4 layers' gradients",
            hint="Free each gradient in its hook.")

@probe
def two_networks(X, Y):
    nets = [deep_mlp((4, 3, 2), seed=10), deep_mlp((4, 3, 2), seed=10)]
    nets[1][0].bias.requires_grad_(False)
    attach_sgd(nets[0], 0.1, 0.9)
    attach_sgd(nets[1], 0.2, 0.9)
    for i in range(3):
        for net in nets:
            backward_pass(net, X, Y)
    return [p.detach() for net in nets for p in net.parameters()]

(X10, Y10), = random_batches(1, 5, 4, 2, seed=10)
wanted = []
for rate, frozen in ((0.1, False), (0.2, True)):
    twin = deep_mlp((4, 3, 2), seed=10)
    twin[0].bias.requires_grad_(not frozen)
    wanted += train_plain(twin, torch.optim.SGD(twin.parameters(), lr=rate, momentum=0.9), [(X10, Y10)] * 3)
assert_close(list(two_networks(X10, Y10)), wanted, "two networks in turn, one with a frozen bias",
             hint="Each network has its own buffers and its own rate.")
### END HIDDEN TESTS

# %% [markdown] task="B.2.4" kind="code" minutes=18 difficulty=4
# ### AdamW in a hook
#
# Write `attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0)`: as before, by the rule of `torch.optim.AdamW`. At the $t$-th step of a parameter $w$ with gradient $g$:
#
# $$w \leftarrow w - \eta \lambda w, \quad m \leftarrow \beta_1 m + (1 - \beta_1)\, g, \quad v \leftarrow \beta_2 v + (1 - \beta_2)\, g^2, \quad
# w \leftarrow w - \eta\, \frac{m / (1 - \beta_1^t)}{\sqrt{v / (1 - \beta_2^t)} + \epsilon},$$
#
# with $m = v = 0$ at the start, $\eta$ = `lr`, $\lambda$ = `weight_decay`. With $\lambda = 0$ this is Adam. No optimizer object; the gradient is freed; return the handles.
#
# **You are done when** the check finds the steps of two parameters whose gradients are given.

# %% exercise="B.2.4"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    """Trains each parameter inside of backward() by AdamW, without optimizer objects. Returns the handles."""
    ### BEGIN SOLUTION
    states = {p: [torch.zeros_like(p), torch.zeros_like(p), 0] for p in net.parameters() if p.requires_grad}

    @torch.no_grad()
    def hook(p):
        m, v, t = states[p]
        states[p][2] = t = t + 1
        p.mul_(1 - lr * weight_decay)
        m.lerp_(p.grad, 1 - betas[0])
        v.mul_(betas[1]).addcmul_(p.grad, p.grad, value=1 - betas[1])
        scale = (v.sqrt() / (1 - betas[1] ** t) ** 0.5).add_(eps)
        p.addcdiv_(m, scale, value=-lr / (1 - betas[0] ** t))
        p.grad = None

    return [p.register_post_accumulate_grad_hook(hook) for p in states]
    ### END SOLUTION

# %% [markdown] hints="B.2.4"
# 1. How many hooks run in one training step, and how often may $t$ of a parameter grow in it?
# 2. The state of a parameter is $m$, $v$ and its own $t$. One $t$ for the whole network, raised in each hook, would run ahead.
# 3. First step with $g = 4$: $m / (1 - \beta_1) = 4$, $\sqrt{v / (1 - \beta_2)} = 4$, so the step is $\eta$, whatever the size of $g$.

# %% check="B.2.4" points=4
class TwoParameters(nn.Module):
    """Its gradients are what one wants them to be."""

def adam_by_hand(starts, gradients, lr, betas, eps, decay, slip=""):
    values = [s.clone() for s in starts]
    m, v, t = [0 * s for s in starts], [0 * s for s in starts], 0
    for number, step_gradients in enumerate(gradients, 1):
        pairs = list(enumerate(step_gradients))
        for i, g in reversed(pairs) if slip == "one t, from the end" else pairs:
            t += 1
            count = t if slip.startswith("one t") else number
            if slip == "coupled":
                g = g + decay * values[i]
            elif slip != "decay last":
                values[i] = values[i] * (1 - lr * decay)
            m[i] = betas[0] * m[i] + (1 - betas[0]) * g
            v[i] = betas[1] * v[i] + (1 - betas[1]) * g * g
            one, two = (1., 1.) if slip == "no correction" else (1 - betas[0] ** count, 1 - betas[1] ** count)
            root = (v[i] / two + eps).sqrt() if slip == "eps inside" else (v[i] / two).sqrt() + eps
            values[i] = values[i] - lr * (m[i] / one) / root
            values[i] = values[i] * (1 - lr * decay) if slip == "decay last" else values[i]
    return values

@probe
def adam_steps(starts, gradients, options):
    net = nn.ParameterList([nn.Parameter(s.clone()) for s in starts])
    made = []
    start = torch.optim.Optimizer.__init__
    torch.optim.Optimizer.__init__ = lambda self, *args, **kwargs: (made.append(1), start(self, *args, **kwargs))[1]
    try:
        attach_adamw(net, **options)
        for step in gradients:
            sum((p * g).sum() for p, g in zip(net, step)).backward()
    finally:
        torch.optim.Optimizer.__init__ = start
    return [p.detach() for p in net], sum(p.grad is not None for p in net), len(made)

def check_adam(starts, gradients, lr, betas, eps, decay, about):
    after, left, made = adam_steps(starts, gradients, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": decay})
    right = [adam_by_hand(starts, gradients, lr, betas, eps, decay, slip) for slip in (
        "", "one t", "coupled", "no correction", "eps inside", "one t, from the end", "decay last")]
    shared = "The count of steps is shared: it grew with each parameter. Each has its own t."
    assert_close(list(after), right[0], f"the parameters after {about}", rtol=1e-6, mistakes={
        shared: right[1], f"{shared} ": right[5], "The weight shrinks before the step, not after it.": right[6],
        "The weight decay went into the gradient. In AdamW it shrinks the weight itself.": right[2],
        "The correction by 1 - β^t is missing.": right[3], "ε is added to the root, not under it.": right[4],
        "The parameters have not changed.": starts})
    assert_equal(left, 0, f"the gradients that are left after {about}", hint="Free them in the hook: p.grad = None.")
    assert_equal(made, 0, "the optimizer objects made", hint="Write the rule into the hook, without an optimizer.")

two_starts = [torch.tensor([1., -2., 3.], dtype=torch.float64), torch.tensor([[0.5, 4.]], dtype=torch.float64)]
their_gradients = [[torch.tensor([4., -1., 0.5], dtype=torch.float64), torch.tensor([[2., -8.]], dtype=torch.float64)],
                   [torch.tensor([-2., -1., 3.], dtype=torch.float64), torch.tensor([[1., 5.]], dtype=torch.float64)]]
check_adam(two_starts, their_gradients, 0.1, (0.9, 0.999), 1e-8, 0.3, "two steps with given gradients")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(24)
sizes_ = (3, 2), (4,), (2, 2)
several = [torch.randn(size, generator=rng, dtype=torch.float64) for size in sizes_]
steps_ = [[torch.randn(size, generator=rng, dtype=torch.float64) for size in sizes_] for i in range(6)]
check_adam(several, steps_, 0.05, (0.8, 0.95), 1e-2, 0.1, "six steps of three parameters, ε = 0.01")
check_adam(several, steps_, 0.05, (0.7, 0.9), 1e-8, 0., "six steps without decay")

@probe
def adam_network(network, batches):
    net = deep_mlp(*network).double()
    attach_adamw(net, 0.01, weight_decay=0.1)
    for X, Y in batches:
        backward_pass(net, X, Y)
    return [p.detach() for p in net.parameters()]

some = random_batches(8, 6, 5, 2, 25, torch.float64)
twin = deep_mlp((5, 4, 4, 2), 3).double()
assert_close(list(adam_network([(5, 4, 4, 2), 3], some)), train_plain(twin, OPTIMIZERS["AdamW"](twin.parameters()), some),
             "eight steps of a network, against torch.optim.AdamW", rtol=1e-6)
### END HIDDEN TESTS

# %% [markdown]
# ### Activations go, too
#
# The pass frees more than gradients. When a node of the graph has run its backward, it lets go of the tensors that it saved, so the activations disappear from the end to the beginning while it goes, and the memory can take
# the gradients. ⚠ `retain_graph=True` switches that off: everything stays until the graph itself is dropped. The table counts the outputs of the five Tanh layers that are alive after the pass. ⚠ It
# is said that a `loss` which is kept holds them, too. That is so as long as `backward()` was not called, say if losses of a validation run are collected without `no_grad`. After `backward()` a kept `loss` holds the
# nodes of the graph, but no activation:

# %% tags=["setup"]
def tanh_network(depth):
    """`depth` times Linear and Tanh, 8 units each, and a list that will hold weak references to the outputs of Tanh."""
    torch.manual_seed(0)
    net = nn.Sequential(*[layer for i in range(depth) for layer in (nn.Linear(8, 8), nn.Tanh())])
    references = []
    for layer in net[1::2]:
        layer.register_forward_hook(lambda module, args, output: references.append(weakref.ref(output.untyped_storage())) and None)
    return net, references

# %% tags=["demo"]
def count_alive(references):
    return sum(reference() is not None for reference in references)


for name, options, keep in (("backward()", {}, False), ("backward(), loss kept", {}, True), ("retain_graph, loss kept", {"retain_graph": True}, True),
                            ("retain_graph, loss dropped", {"retain_graph": True}, False), ("no backward, loss kept", None, True)):
    tanh_net, references = tanh_network(5)
    loss = tanh_net(torch.ones(3, 8)).sum()
    if options is not None:
        loss.backward(**options)
    if not keep:
        del loss
    print(f"{name:28}", count_alive(references), "of 5 alive")

# %% [markdown] task="B.2.5" kind="answer" minutes=10 difficulty=3
# ### Alive at what moment?
#
# The network of the setup cell has `k` times Linear and Tanh. Number the Linear layers 0 … `k` − 1 from the input. In the backward pass of `net(X).sum()`, stop at the moment in which the gradient of the *weight of layer `i`* has arrived (a hook
# on the weight would run now). How many of the `k` outputs of Tanh are alive?
#
# Write `alive_at(i, k, way)`, an integer, for four ways to run the pass:
#
# - `"plain"`: `net(X).sum().backward()`
# - `"retain"`: `net(X).sum().backward(retain_graph=True)`
# - `"output"`: `out = net(X)`, then `out.sum().backward()`; the name `out` lives on
# - `"collected"`: the outputs of all Tanh layers are also put into a list that lives on, then as `"plain"`
#
# Tanh saves its output for its own backward; a Linear saves its input, for the gradient of its weight. Measure, if you like: `tanh_network(k)` gives the network and weak references to the outputs.
#
# **You are done when** the check agrees for the last layer of five.

# %% exercise="B.2.5"
def alive_at(i, k, way):
    """How many of k outputs of Tanh are alive when the gradient of layer i's weight arrives."""
    ### BEGIN SOLUTION
    return {"plain": i, "output": i + 1, "retain": k, "collected": k}[way]
    ### END SOLUTION

# %% [markdown] hints="B.2.5"
# 1. Which nodes have run their backward by then, and which outputs did only those need?
# 2. Output `j` is saved by Tanh `j` and, as its input, by Linear `j` + 1. It goes when both have run, unless somebody else has it. The last output is also what `out` names.
# 3. For `exp` in a chain of three, each of which saves its own output: when the second has just run, only the first one's output is still needed.

# %% check="B.2.5" points=2
assert_equal(alive_at(4, 5, "plain"), 4, "the last of five layers, plain", mistakes={
    "The last Tanh has run its backward: its output is gone.": 5, "The outputs below are still needed.": 0})
assert_equal(alive_at(4, 5, "retain"), 5, "the last of five layers, retain_graph=True", mistakes={"retain_graph holds everything.": 4})
### BEGIN HIDDEN TESTS
def counted(k, way):
    net, references = tanh_network(k)
    found, kept = {}, []
    for i, layer in enumerate(net[::2]):
        layer.weight.register_post_accumulate_grad_hook(
            lambda p, i=i: found.__setitem__(i, sum(reference() is not None for reference in references)))
    if way == "collected":
        for layer in net[1::2]:
            layer.register_forward_hook(lambda module, args, output: kept.append(output))
    out = net(torch.ones(3, 8))
    if way == "output":
        out.sum().backward()
    else:
        loss = out.sum()
        del out
        loss.backward(retain_graph=way == "retain")
    return found

for way, why in (("plain", "What has run its backward has let go of what it saved."), ("retain", "retain_graph holds everything."),
                 ("output", "The name out holds one tensor, the last output."), ("collected", "The list holds every output.")):
    for k in (1, 3, 6):
        for i, right in counted(k, way).items():
            assert_equal(alive_at(i, k, way), right, f"layer {i} of {k}, {way}", hint=why)
### END HIDDEN TESTS

# %% [markdown] task="B.2.6" kind="explain" minutes=15 difficulty=3
# ### Why it is the same, and when it is not
#
# First decide which of these can be had in *one* fused pass, that is, with each parameter updated when its gradient arrives and the gradient freed at once. Set `one_pass` to the set of their names:
#
# `"SGD"`, `"momentum"`, `"AdamW"`, `"clip each entry to [-c, c]"`, `"clip each parameter's gradient by its own norm"`, `"clip by the norm of all gradients"`,
# `"skip the step if any gradient is not finite"`, `"mean over two micro-batches"`.
#
# Then explain in words: why the fused pass gives the plain loop's parameters although layers above are already changed when a gradient is computed; what the ones you left out have in common;
# and what happens to a parameter that is used twice in the network, in the form with hooks and in the form by hand.
#
# **You are done when** the check finds `"SGD"` among yours, and your text has all three points.

# %% exercise="B.2.6"
### BEGIN SOLUTION
one_pass = {"SGD", "momentum", "AdamW", "clip each entry to [-c, c]", "clip each parameter's gradient by its own norm"}
### END SOLUTION

# %% [markdown] hints="B.2.6"
# 1. What must be known at the moment in which a parameter is updated?
# 2. A condition on *all* gradients is known only when the last of them has arrived, and by then the first are gone. A mean over two passes is known in the second.
# 3. Dividing each student's marks by that student's best can be done as the papers come in. Dividing by the best of the class cannot.

# %% check="B.2.6" points=2
assert_type(one_pass, (set, frozenset, list, tuple), "the names")
assert_true("SGD" in one_pass, "plain SGD can be fused")
offered = {"SGD", "momentum", "AdamW", "clip each entry to [-c, c]", "clip each parameter's gradient by its own norm",
           "clip by the norm of all gradients", "skip the step if any gradient is not finite", "mean over two micro-batches"}
assert_equal(set(one_pass) - offered, set(), "names that were not offered", hint="Copy the names as they are written in the task.")
### BEGIN HIDDEN TESTS
local = {"SGD", "momentum", "AdamW", "clip each entry to [-c, c]", "clip each parameter's gradient by its own norm"}
for name in sorted(local):
    assert_true(name in one_pass, f"{name!r} can be had in one pass", hint="It needs this parameter's gradient and state, and nothing else.")
for name in sorted(offered - local):
    assert_true(name not in one_pass, f"{name!r} cannot be had in one pass", hint="Is all that it needs known when the first gradient arrives?")
### END HIDDEN TESTS

# %% [markdown] written="B.2.6" points=3
# ### BEGIN SOLUTION
# A gradient is passed on through the weights before they are updated: in autograd's graph whatever uses a weight has run its backward before the weight's gradient is complete, and the hook runs after that; by hand one
# computes the gradient at the layer's input first. So every gradient is that of the plain loop, and each rule looks at one parameter, its gradient and its state only: same inputs, same kernels, same bits.
# What does not fit needs something about all gradients, or about more than one pass, before the first update: the global norm, whether all are finite, the second micro-batch. It takes a second pass, or a gradient that
# is kept.
# A parameter that is used twice gets two contributions. Autograd adds them up and calls the hook once, so hooks do the right thing. By hand, layer by layer, the first visit would update it with half of its gradient, and the second
# use, lower down, would pass its gradient through the changed weight: that is another algorithm.
#
# **Rubric**
# - [1] Gradients go through the old weights, and each rule needs only its own parameter; also accepted: "element-wise"; lost by "small steps make no difference".
# - [1] The others need a quantity over all gradients or several passes before the first update; also accepted: "two passes"; lost by "they are too slow".
# - [1] Shared parameter: the hook runs once with the sum, by hand it would be updated too early; also accepted: AccumulateGrad adds up; lost by "both work" or "both fail".
# ### END SOLUTION
