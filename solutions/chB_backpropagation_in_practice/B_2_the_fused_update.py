# %% [markdown]
# # B.2 The fused update
#
# A training loop has three steps: forward, `backward()`, `step()`. Between the second and the third, every parameter of the network has a gradient, and these gradients take as much memory as the parameters. Must they all exist at once? A layer could be updated as soon as its own gradient is
# there, still inside of the backward pass, and the gradient thrown away. LOMO ("low-memory optimization", arXiv 2306.09782) trains large language models in this way.
#
# In this section you write it twice, by hand and with hooks, and the check compares the result with the plain loop in every bit.
#
# At the end you can
# - say what share of the memory the gradients have, and for which optimizer it is worth while to free them;
# - cut a network's graph into pieces and send a gradient through them, one by one;
# - let `backward()` call a function of yours at the moment in which a gradient is complete, without the three traps that lie there;
# - write SGD and AdamW as a few lines inside such a function;
# - say which training rules cannot be had in one pass.

# %% tags=["setup"]
from d2l_utils.check import *
import copy
import cProfile
import itertools
import pstats
import weakref
import d2l_utils as d2l
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

torch.set_num_threads(1)        # the same operations in the same order give the same bits

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


class CrossedNet(nn.Module):
    """Two layers; the one that is listed last runs first."""

    def __init__(self, d, h, q, seed):
        super().__init__()
        torch.manual_seed(seed)
        self.upper, self.lower = nn.Linear(h, q), nn.Linear(d, h)

    def forward(self, X):
        return self.upper(self.lower(X).tanh())


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


def held_bytes(f, net):
    """The bytes that were taken during f() and are still held after it; where the parameters themselves lie does not count."""
    with MemoryMeter() as meter:
        f()
    own = {p.untyped_storage()._cdata for p in net.parameters()}
    return sum(size for key, size in meter.alive.items() if key not in own)

# %% [markdown]
# The setup cell has what the section needs: networks of several layers (`deep_mlp`), four optimizers, the plain loop that everything is compared with (`train_plain`), random batches, and a memory meter, which sees every tensor that an operation makes and notices when its memory is given back. You need not read the meter.

# %% [markdown] teaches="memory of training, state of an optimizer"
# ## 1. What training holds in memory
#
# Count in units of the parameters. A network with $P$ parameters in float32 takes $4P$ bytes. Its gradients are tensors of the same shapes: another $4P$. And the optimizer may remember something for each parameter, its *state*: SGD remembers nothing; SGD with momentum one running sum, $4P$; Adam two averages, $8P$. (Activations
# come on top. They depend on the batch, the rest does not.) The share of the gradients:

# %% teaches="memory of training"
print(f"{'optimizer':10} parameters gradients state | gradients' share | all without gradients")
for name, state in (("SGD", 0), ("momentum", 1), ("Adam", 2)):
    print(f"{name:10} {1:10} {1:9} {state:5} | {1 / (2 + state):15.0%}  | {1 + state} of {2 + state}")

# %% tags=["demo"]
figure, ax = plt.subplots(figsize=(7, 2.8), layout="constrained")
names = ["SGD", "SGD, fused", "momentum", "momentum, fused", "Adam", "Adam, fused"]
layers = 10
kinds = {"parameters": [1] * 6, "gradients": [1, 1 / layers] * 3, "state": [0, 0, 1, 1, 2, 2]}
start = [0.] * 6
for (kind, sizes), colour in zip(kinds.items(), ("tab:blue", "tab:red", "tab:green")):
    ax.barh(names, sizes, left=start, label=kind, color=colour)
    start = [s + size for s, size in zip(start, sizes)]
ax.invert_yaxis()
ax.set(xlabel="memory in units of the parameters (10 equal layers)")
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()

# %% [markdown]
# The red part nearly vanishes if gradients live one layer at a time. With SGD that halves the whole. With Adam three quarters stay, whatever one does with the gradients: parameters and state. That is why LOMO *drops Adam* and takes plain SGD, which leaves nothing but the parameters. For a language model with 7 billion parameters in
# float32 a unit of the axis is 28 GB.
#
# Is it so when measured? Six layers of 64 × 64; one layer's weight and bias take 4 · (64 · 64 + 64) = 16,640 bytes. With two examples the activations are small.

# %%
net = deep_mlp((64,) * 7, seed=0)
optimizer = OPTIMIZERS["SGD"](net.parameters())
batches = random_batches(1, 2, 64, 64, seed=0)
print("bytes of the parameters:     ", sum(p.nbytes for p in net.parameters()))
print("peak of new memory in a step:", peak_bytes(lambda: train_plain(net, optimizer, batches)))

# %% [markdown]
# 99,840 of the 100,868 bytes are the six layers' gradients, as many as the parameters have; the little that is left are activations.

# %% [markdown] task="B.2.A" kind="code" minutes=3 difficulty=1 core=true needs="memory of training, state of an optimizer"
# ### The bill
#
# Write `training_bytes(sizes, states, fused)`: `sizes` is a list with the number of parameters of each layer, `states` how many numbers the optimizer remembers for each parameter. How many bytes do parameters, gradients and state take in float32 (4 bytes each)? If `fused` is true, gradients live one layer at a time, and memory has to suffice for the largest layer.
#
# **You are done when**
# - **plain**: with `fused` false all gradients are counted;
# - **fused**: with `fused` true only the gradients of the largest layer are;
# - **state**: the state is counted for every parameter, fused or not.

# %% exercise="B.2.A"
def training_bytes(sizes, states, fused):
    """Bytes of parameters, gradients and the optimizer's state in float32."""
    ### BEGIN SOLUTION
    gradients = max(sizes) if fused else sum(sizes)
    return 4 * (sum(sizes) * (1 + states) + gradients)
    ### END SOLUTION

# %% [markdown] hints="B.2.A"
# 1. Which of the three kinds changes if `fused` is true?
# 2. `sum(sizes)` is the number of all parameters, `max(sizes)` that of the largest layer.
# 3. One layer with 10 parameters and momentum: 10 parameters, 10 gradients, 10 numbers of state, 120 bytes, fused or not.

# %% check="B.2.A" points=1
def which_count(sizes_, states_, fused_):
    """A sentence on the kind of memory that is not right in training_bytes, by further calls of it."""
    def f(states, fused):
        return training_bytes(list(sizes_), states, fused)
    total_, largest = sum(sizes_), sorted(sizes_)[-1]
    values = [f(states_, fused_), f(states_ + 1, fused_), f(0, False)]
    if not all(isinstance(value, (int, float)) for value in values):
        return "One number is asked."
    own, more, plain = values
    if plain != 8 * total_:
        return f"Already without state, and with fused = False, it is not right: 4 bytes for each parameter and 4 for its gradient are 8 for each of the {total_} parameters; yours are {plain:g}."
    if more - own != 4 * total_:
        return f"One more number of state adds {more - own:g} bytes to yours; it is to add 4 for every one of the {total_} parameters, fused or not."
    return (f"Parameters and state are {1 + states_} · 4 bytes for each of the {total_} parameters. Beside these yours has {own - 4 * (1 + states_) * total_:g} bytes, for gradients; "
            + (f"it is to have 4 for each parameter of the largest layer, which has {largest}." if fused_ else "it is to have 4 for each parameter."))

def check_bill(sizes_, states_, fused_):
    total_, largest = sum(sizes_), sorted(sizes_)[-1]
    wanted = 4 * (total_ + states_ * total_ + (largest if fused_ else total_))
    call = f"training_bytes({sizes_}, {states_}, {fused_})"
    of = "fused" if fused_ and not states_ else "state" if states_ else "plain"
    smallest, two = sorted(sizes_)[0], sum(sorted(sizes_)[-2:])
    about = "that of the largest layer's parameters" if fused_ else "that of every parameter"
    found = training_bytes(list(sizes_), states_, fused_)
    assert_close(found, wanted, call, of=of, rtol=0, atol=0, hint=lambda: f"4 bytes for each parameter, for each number of its state, and for each gradient: {about}." if not isinstance(found, (int, float)) or found == wanted
                 else which_count(sizes_, states_, fused_), mistakes={
        "Bytes are asked for, not units of 1024 of them.": wanted / 1024, "Bytes are asked for, not units of 1000 of them.": wanted / 1000, "A float32 has 4 bytes.": wanted // 4, "A float32 has 4 bytes, not 8.": 2 * wanted,
        "These are bits: a byte has 8.": 8 * wanted} | ({
            "Only one layer has gradients at a time.": 4 * (2 + states_) * total_, "The largest layer decides, not the last.": 4 * ((1 + states_) * total_ + sizes_[-1]), "The largest layer decides, not the first.": 4 * ((1 + states_) * total_ + sizes_[0]),
            "The largest layer decides, not the smallest.": 4 * ((1 + states_) * total_ + smallest), "Gradients live one layer at a time, not two.": 4 * ((1 + states_) * total_ + two),
            "The largest layer decides, not the one in the middle.": 4 * ((1 + states_) * total_ + sizes_[len(sizes_) // 2]), "The largest layer decides, not the mean.": 4 * ((1 + states_) * total_ + total_ // len(sizes_)),
            "One layer has gradients even so.": 4 * (1 + states_) * total_} | ({"The parameters themselves count, too.": 4 * (states_ * total_ + largest),
            "The parameters of all layers count; only the gradients are those of the largest layer alone.": 4 * (2 * largest + states_ * total_),
            "These are the gradients of all layers but the largest; it is the largest layer's that are to be counted.": 4 * ((2 + states_) * total_ - largest),
            "A gradient has 4 bytes, too: those of the largest layer are counted with one.": 4 * (1 + states_) * total_ + largest} if len(sizes_) > 1 else {}) if fused_ else {
            "A gradient has 4 bytes, too: the gradients are counted with one.": 4 * (1 + states_) * total_ + total_,
            "Parameters and gradients both count, each with 4 bytes.": 4 * (1 + states_) * total_,
            "Each parameter has one number too many here: itself, its gradient and `states` numbers of the optimizer's are all.":
                wanted + 4 * total_,
            "With `fused` false the gradients of all layers exist at once, not those of the largest alone.": 4 * ((1 + states_) * total_ + largest)})
        | ({"The state is missing.": wanted - 4 * states_ * total_, "The state stays, for every parameter.": wanted - 4 * states_ * (total_ - largest),
            "A number of the state has 4 bytes, too.": wanted - 3 * states_ * total_, "The state is counted for every parameter, not for every layer.": wanted - 4 * states_ * (total_ - len(sizes_)),
            "`states` is how many numbers there are for each parameter: it is multiplied by their number, and here it is added, once.":
                wanted - 4 * states_ * (total_ - 1)} if states_ else {})
        | ({"The optimizer remembers `states` numbers for each parameter, not one.": wanted - 4 * (states_ - 1) * total_,
            "A number of the state has 4 bytes, not 8.": wanted + 4 * states_ * total_} if states_ > 1 else {})
        | ({"The optimizer remembers `states` numbers for each parameter, not two.": wanted - 4 * (states_ - 2) * total_} if states_ > 2 else {}))

check_bill([20, 12, 30, 44, 15], 0, False)
check_bill([20, 12, 30, 44, 15], 0, True)
check_bill([25, 10, 5, 20, 50, 15], 0, True)
check_bill([20, 12, 30, 44, 15], 5, True)
check_bill([25, 10, 5, 20, 50, 15], 1, False)
check_bill([6], 2, True)
### BEGIN HIDDEN TESTS
check_bill([7, 5, 9, 30, 8], 0, False)
check_bill([7, 5, 3, 9, 8, 4], 0, True)
check_bill([8], 0, True)
check_bill([700, 5, 9], 4, True)
check_bill([3, 12], 2, True)
check_bill([7, 5, 9], 1, False)
### END HIDDEN TESTS

# %% [markdown] teaches="fused update, updates of parameters are independent"
# ## 2. Why the moment of an update does not matter
#
# SGD computes $w - \eta g$ for each weight: from this weight and its gradient, and nothing else. Momentum keeps a running sum for each weight, Adam keeps two averages. *None of them looks at another parameter.* So it makes no difference whether the last layer is updated before or after the gradient of the first layer is computed, as long
# as that gradient is computed *through the old weights* (B.1). A pass that updates layer by layer, a *fused* update, gives the same network; and since the same operations run in the same order on the same numbers, the same bits.
#
# What differs is how long a gradient lives. Of a network with three layers, which gradients exist at each moment of a step?
#
# | moment | plain loop | fused |
# |---|---|---|
# | the gradient of layer 3 is there | 3 | 3 |
# | the gradient of layer 2 is there | 3, 2 | 2 |
# | the gradient of layer 1 is there | 3, 2, 1 | 1 |
# | after `backward()` | 3, 2, 1 | none |
# | after `step()` and `zero_grad()` | none | none |
#
# In the plain loop all three meet before the first of them is used. In the fused pass each is used as soon as it is there, and let go: never more than one layer's gradients at once, however deep the network is.
#
# To compare two ways of training, both must start equal. `copy.deepcopy` makes a second network with its own memory, and so does `deep_mlp` with the same seed:

# %%
twin = copy.deepcopy(net)
print(torch.equal(net[0].weight, twin[0].weight), net[0].weight.data_ptr() == twin[0].weight.data_ptr())

# %% [markdown] teaches="graph in pieces, gradient passed on between pieces"
# ## 3. By hand: a graph in pieces
#
# `loss.backward()` walks through the whole graph at once. To step in between, cut the graph between the layers. Each layer gets an input without a history, `detach()`ed, that requires a gradient, and so has a little graph of its own. Backward then goes from piece to piece: the gradient at a piece's input is what arrives at the output of the piece below.

# %% tags=["demo"]
display(d2l.show_dot("""digraph { rankdir=LR; node [shape=box, fontsize=11]; edge [fontsize=10];
    subgraph cluster_a { label="piece 1"; a [label="input 1"]; A [label="layer 1", shape=ellipse]; b [label="output 1"]; a -> A -> b; }
    subgraph cluster_b { label="piece 2"; c [label="input 2"]; B [label="layer 2", shape=ellipse]; d [label="output 2"]; c -> B -> d; }
    b -> c [label="detach()", style=dashed]; c -> b [label="gradient", color=red, fontcolor=red]; }"""))

# %% [markdown]
# Two boxes with a graph each; between them only numbers are handed over, forward the output, backward (red) the gradient. In code, for two functions in place of layers, against the graph in one piece:

# %% teaches="graph in pieces"
x = torch.tensor([0.5, -1.], requires_grad=True)
inner = x.exp()                                         # piece 1
cut = inner.detach().requires_grad_()                   # the same numbers, no history, a leaf of its own
outer = (cut * torch.tensor([1., 3.])).sin().sum()      # piece 2
outer.backward()                                        # ends at the cut
print("at the cut:          ", cut.grad, " x.grad:", x.grad)
inner.backward(cut.grad)                                # goes on from there
in_one, = torch.autograd.grad((x.exp() * torch.tensor([1., 3.])).sin().sum(), x)
print("through both pieces: ", x.grad)
print("in one piece:        ", in_one)

# %% [markdown]
# After `outer.backward()` there is a gradient at the cut and none at `x`: the first piece has not been asked yet. Between the two lines everything is free to be changed that the first piece does not need.
#
# ⚠ `requires_grad_()` with its underscore changes the tensor that it is called on. `X.requires_grad_()` on a batch that belongs to the caller makes the caller's data a leaf with a `.grad`, and every later use of it builds a graph. `X.detach()` first: that is another tensor object with the same numbers.

# %%
batch = torch.ones(2)
batch.detach().requires_grad_()
print("after detach().requires_grad_():", batch.requires_grad)
batch.requires_grad_()
print("after requires_grad_():         ", batch.requires_grad)

# %% [markdown] task="B.2.B" kind="code" minutes=5 difficulty=2 core=true needs="graph in pieces, backward with gradient=, detach"
# ### One piece
#
# Write `through_piece(layer, a, above)`: runs `layer` (any module that does not work in place) on the batch `a`, sends the gradient `above`, of the shape of the output, back through it, and returns the gradient at `a`.
#
# **You are done when**
# - **passed on**: what is returned is the gradient at `a`;
# - **parameters**: the gradients of the layer's parameters are in their `.grad`;
# - **arguments kept**: `a` and `above` hold the numbers that they held, and `a` requires no gradient afterwards and has none.

# %% exercise="B.2.B"
def through_piece(layer, a, above):
    """The gradient at a for the gradient `above` at layer(a); the parameters' gradients are in .grad."""
    ### BEGIN SOLUTION
    source = a.detach().requires_grad_()
    layer(source).backward(above)
    return source.grad
    ### END SOLUTION

# %% [markdown] hints="B.2.B"
# 1. Which tensor must be a leaf that requires a gradient, without `a` itself being changed?
# 2. `output.backward(above)` fills `.grad` of every leaf, of the parameters and of the input.
# 3. For the exponential: `s = a.detach().requires_grad_()`, `s.exp().backward(above)`; then `s.grad` is `above * a.exp()`.

# %% check="B.2.B" points=2
@probe
def one_piece(kind, a, above):
    torch.manual_seed(a.shape[1])
    size = a.shape[1]
    layer, arrived = {"Linear": lambda: nn.Linear(size, above.shape[1]), "Tanh": nn.Tanh, "LayerNorm": lambda: nn.LayerNorm(size)}[kind](), []
    for p in layer.parameters():
        p.register_post_accumulate_grad_hook(lambda p: arrived.append(1))
    try:
        passed = through_piece(layer, a, above)
    except (AttributeError, RuntimeError) as error:
        if f"'{kind}' object has no attribute" not in str(error) and not (kind == "Tanh" and "does not require grad" in str(error)):
            raise
        return [f"{type(error).__name__}: {error}"]
    return [passed, [p.grad for p in layer.parameters()], int(a.requires_grad), int(a.grad is not None), a.detach(), above.detach(), len(arrived)]

def which_way(kind, a_, above_):
    """A sentence on how what through_piece returns does not go with `above`."""
    once, twice, first = (one_piece(kind, a_.clone(), one.clone())[0] for one in (above_, 2 * above_, above_ * (torch.arange(len(a_)) == 0).float()[:, None]))
    if not all(isinstance(one, torch.Tensor) and one.shape == a_.shape for one in (once, twice, first)):
        return "It has the shape of `a`, an entry for each entry of the layer's input."
    if not torch.allclose(twice, 2 * once, rtol=1e-4, atol=1e-6):
        return ("Where `above` is twice as large, the gradient is, too; yours is " + (
            "4 times as large: `above` is multiplied in twice, and is to be once." if torch.allclose(twice, 4 * once, rtol=1e-4, atol=1e-6) else
            "as before: `above` has no part in it, and is to be sent back through the layer." if torch.allclose(twice, once, rtol=1e-4, atol=1e-6) else
            "not: send `above` back through the layer, and nothing else."))
    if len(a_) > 1 and first[1:].any():
        return "Where `above` is 0 in all rows but the first, the gradient is, too, for no example depends on another one; yours is not: each entry of `above` belongs to one entry of the output."
    return "It is the gradient at the layer's input, for `above` as the gradient at its output, and nothing else is done to it."

def check_piece(kind, n_, d_, q_):
    rng = torch.Generator().manual_seed(n_)
    a_, above_ = torch.randn(n_, d_, generator=rng), torch.randn(n_, q_, generator=rng)
    torch.manual_seed(d_)
    layer_ = {"Linear": lambda: nn.Linear(d_, q_), "Tanh": nn.Tanh, "LayerNorm": lambda: nn.LayerNorm(d_)}[kind]()
    leaf_ = a_.clone().requires_grad_()
    params_ = list(layer_.parameters())
    right_, *grads_ = torch.autograd.grad(layer_(leaf_), [leaf_, *params_], above_)
    ones_, = torch.autograd.grad(layer_(leaf_), leaf_, torch.ones_like(above_))
    about = f"a layer {kind}, {n_} examples, {d_} inputs, {q_} outputs"
    found = one_piece(kind, a_.clone(), above_.clone())
    trouble = found[0] if len(found) == 1 else "none"
    assert_true(trouble == "none", f"no error is raised by through_piece for {about}; it raised {trouble}", of="passed on",
                hint="A Tanh has no parameters, so its output has a graph only where its input requires a gradient." if "does not require grad" in trouble else
                "The layer may be any module, and not each has weights: backward() finds the way back through it without a formula for this kind of layer.")
    assert_type(found[0], torch.Tensor, f"what through_piece returns for {about}", of="passed on", hint="It returns the .grad of the leaf that went into the layer: that leaf must require a gradient, and backward() of the layer's own output fills it; from a detached output no way leads back.")
    same = found[0].shape == right_.shape and torch.allclose(found[0].to(right_.dtype), right_, rtol=1e-4, atol=1e-6)
    assert_close(found[0], right_, f"what through_piece returns for {about}", of="passed on", hint=lambda: "" if same else which_way(kind, a_, above_), mistakes={"`above` is missing: this is the gradient of the sum of the outputs.": ones_, "This is the output, not a gradient.": layer_(leaf_).detach(),
        **({"This is the gradient of the layer's weight; asked for is that of its input.": grads_[0]} if grads_ else {}),
        "`above` has come back as it was: it did not go through the layer.": above_, "These are the numbers of `a`; asked for is the gradient at them, the .grad of the leaf that went into the layer.": a_} | ({"Nothing is divided by the number of examples.": right_ / n_, "Nothing is divided by the number of outputs: no mean is taken.": right_ / above_.numel()} if n_ > 1 else {}))
    for at, grad_ in enumerate(grads_):
        name = ("weight", "bias")[at]
        assert_type(found[1][at], torch.Tensor, f"the gradient of the {name} after the call, {about}", of="parameters", hint=
                    "It was there during the call, and was emptied: the gradients of the layer stay." if found[6] else
                    "During the call none was added to it, as backward() through this layer does (torch.autograd.grad does not).")
        assert_close(found[1][at], grad_, f"the gradient of the {name} after the call, {about}", of="parameters", hint="One backward pass, with `above`, fills it.",
                     mistakes={"The gradient was sent back twice, and both times are in .grad: one backward pass fills it.": 2 * grad_}
                     | ({"Nothing is divided by the number of examples: `above` goes back as it is.": grad_ / n_} if n_ > 1 else {}))
    assert_equal([found[2], found[3]], [0, 0], f"whether `a` requires a gradient and whether it has one after the call (0: no, 1: yes), {about}", of="arguments kept", hint="Work with a.detach(), a tensor of your own.")
    for name, after, before in (("a", found[4], a_), ("above", found[5], above_)):
        assert_close(after, before, f"the numbers of `{name}` after the call, {about}", of="arguments kept", rtol=0, atol=0,
                     hint="a.detach() shares the numbers of `a`: an operation in place on it changes `a`, too." if name == "a" else "`above` belongs to the caller: an operation in place changes it.")

check_piece("Linear", 4, 3, 2)
check_piece("Tanh", 2, 5, 5)
### BEGIN HIDDEN TESTS
check_piece("LayerNorm", 3, 6, 6)
check_piece("Linear", 1, 2, 7)
### END HIDDEN TESTS

# %% [markdown] task="B.2.1" kind="code" minutes=20 difficulty=4 core=true needs="graph in pieces, gradient passed on between pieces, fused update, order of update and passing on"
# ### A step inside of the backward pass
#
# Write `fused_by_hand(net, optimizers, X, Y)`: one training step with the loss `F.mse_loss(net(X), Y)`.
#
# `net` is an `nn.Sequential` of layers of any kind, in training mode; `X` and `Y` are float tensors. No parameter occurs twice in it, and no layer draws random numbers (Dropout) or works in place (`inplace=True`, which a cut leaf would not allow). `optimizers` is a dictionary: each layer that has parameters is a key, its value the optimizer of this layer's parameters. Backward goes layer by layer, from the last to the first: compute the gradients of this layer and the gradient passed on, call
# `step()` of its optimizer, and clear its gradients (to `None`) before the layer below begins.
#
# The result is to be the plain loop's in every bit, so let autograd compute each layer's gradients: cut the graph into pieces. (The formulas of B.1 add up in another order, and do not fit every layer.)
#
# **You are done when**
# - **parameters**: after several steps they are the plain loop's, up to rounding;
# - **same bits**: in fact in every bit;
# - **any layers**: this holds for Tanh, LayerNorm, Softmax, a layer without bias, and BatchNorm1d, which computes otherwise in training mode than in `eval()`, too;
# - **one step each**: in a training step each optimizer steps once, the last layer's first;
# - **one layer at a time**: no two layers have gradients at the same time, neither in `.grad` nor elsewhere (a name or a list that still holds a gradient keeps its memory), and afterwards none has;
# - **loss**: the loss before the step is returned, as a Python float;
# - **arguments kept**: `X` and `Y` have their values and require no gradient.

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
    alive, order = [], []
    for at, (layer, one) in enumerate(optimizers.items()):
        one.register_step_pre_hook(lambda *args: alive.append(sum(any(p.grad is not None for p in other.parameters()) for other in net)))
        one.register_step_post_hook(lambda *args, at=at: order.append(at))
    losses, trouble = [], ""
    try:
        for X, Y in batches:
            losses.append(fused_by_hand(net, optimizers, X, Y))
    except RuntimeError as error:
        if not any(words in str(error) for words in ("inplace operation", "Mismatch in shape", "implicitly created")):
            raise
        trouble = f"RuntimeError: {str(error)[:92]} ..."
    except KeyError as error:
        if not any(error.args[:1] == (layer,) for layer in net):
            raise
        trouble = f"KeyError: {error}"
    left = sum(p.grad is not None for p in net.parameters())
    zeros = sum(p.grad is not None and not p.grad.any() for p in net.parameters())
    touched = [sum(int(t.requires_grad or t.grad is not None) for t in kind) for kind in zip(*batches)]
    return {"after": [p.detach() for p in net.parameters()], "losses": losses, "alive": max([0, *alive]), "first": [0, *alive][bool(alive)], "order": order, "left": left,
            "zeros": zeros, "trouble": trouble,
            "touched": touched, "batches": [[X.detach(), Y.detach()] for X, Y in batches]}

def plain_run(name, network, batches, slip=""):
    twin = deep_mlp(*network)
    optimizer = OPTIMIZERS[name](twin.parameters())
    if slip in ("ones", "sum", "rows"):
        for X, Y in batches:
            optimizer.zero_grad()
            (twin(X).sum() if slip == "ones" else F.mse_loss(twin(X), Y, reduction="sum") / (len(Y) if slip == "rows" else 1)).backward()
            optimizer.step()
        return [p.detach() for p in twin.parameters()]
    if slip in ("first", "last"):
        layers = [layer for layer in twin if list(layer.parameters())]
        optimizer = OPTIMIZERS[name]([p for layer in (layers[1:] if slip == "first" else layers[:-1]) for p in layer.parameters()])
    if slip == "computed anew":
        for X, Y in batches:
            for layer in [one for one in reversed(twin) if list(one.parameters())]:
                params = list(layer.parameters())
                for p, g in zip(params, torch.autograd.grad(F.mse_loss(twin(X), Y), params)):
                    p.data -= 0.1 * g
        return [p.detach() for p in twin.parameters()]
    if slip in ("values", "activations left out", "new weights"):
        with torch.no_grad():
            for X, Y in batches:
                values = [X]
                for layer in twin:
                    values.append(layer(values[-1]))
                passed = 2 * (values[-1] - Y) / Y.numel()
                for layer, value in zip(reversed(twin), values[-2::-1]):
                    below = passed
                    if isinstance(layer, nn.Linear):
                        before = layer.weight.clone()
                        layer.weight -= 0.1 * passed.T @ value
                        layer.bias -= 0.1 * passed.sum(0)
                        below = passed @ (layer.weight if slip == "new weights" else before)
                    elif slip == "new weights":
                        below = passed * (value > 0)
                    passed = value if slip == "values" else below
        return [p.detach() for p in twin.parameters()]
    if slip == "not cleared":
        optimizer.zero_grad = lambda: None
    return train_plain(twin, optimizer, batches)

@probe
def arrives(name, network, X, Y):
    """The gradients that arrive at the outputs of the Linear layers in one step, by the layer's place among them."""
    net, arrived = deep_mlp(*network), {}
    optimizers = {layer: OPTIMIZERS[name](layer.parameters()) for layer in net if list(layer.parameters())}

    def listener(at):
        def hook(module, args, output):
            if output.requires_grad:
                output.register_hook(lambda gradient: arrived.__setitem__(at, gradient.detach().clone()))
        return hook

    for at, layer in enumerate(optimizers):
        layer.register_forward_hook(listener(at))
    fused_by_hand(net, optimizers, X, Y)
    return arrived

def which_part(name, network, X, Y, at):
    """Whether it is already the gradient at the output of the Linear layer `at` that is not right."""
    twin, values = deep_mlp(*network), [X]
    for layer in twin:
        values.append(layer(values[-1]))
    right, = torch.autograd.grad(F.mse_loss(values[-1], Y), values[2 * at + 1])
    yours = dict(arrives(name, network, X.clone(), Y.clone())).get(at)
    if not isinstance(yours, torch.Tensor) or yours.shape != right.shape:
        return "it is the gradient passed on to it, or its own step."
    if torch.allclose(yours, right, rtol=1e-4, atol=1e-6):
        return "the gradient that arrives at its output is right; its own gradients, or its own step, are not."
    return "the gradient that arrives at its output is not right already: what is passed on is the .grad of the input of the piece above, computed through the old weights."

def which_layer(name, network, batches):
    """A sentence on the first layer, from the last down, that one step gets wrong."""
    after, right = hand_run(name, network, batches[:1])["after"], plain_run(name, network, batches[:1])
    layers = len(network[0]) - 1
    for at in reversed(range(layers)):
        if not all(torch.allclose(after[k], right[k], rtol=1e-4, atol=1e-6) for k in (2 * at, 2 * at + 1)):
            return ("Already in the first step the last layer's parameters are not right: what is sent back into its output is the gradient of F.mse_loss there, and its own optimizer steps, once." if at == layers - 1 else
                    f"After one step the layers above are right, and Linear layer {at} is not (counted from 0, the first): " + which_part(name, network, *batches[0], at))
    return "After a single step all layers are right. What goes wrong comes from one step to the next: gradients that are not cleared, or a pass or step that is not made anew."

def check_hand(name, network, batches):
    found = hand_run(name, network, batches)
    about = f"{len(batches)} steps of {name}, widths {network[0]}"
    assert_true(found["trouble"] == "", f"no error is raised in {about}; it raised {found['trouble'] or 'none'}", of="parameters",
                hint="Only a layer that has parameters is a key of `optimizers`: at the others there is nothing to step." if "KeyError" in found["trouble"] else
                     "What is sent back into a piece's output has the shape of this output: from piece to piece it is another tensor, the .grad of the input of the piece above." if "Mismatch" in found["trouble"] else
                     "backward() of a piece's output needs the gradient that arrives there, and got None or nothing: .grad stays None at a tensor that is no leaf, and detach() makes one." if "implicitly" in found["trouble"] else
                     "A gradient goes back through the numbers of the forward pass: nothing that backward() still needs may be changed before, "
                     "as a step() changes the weights." + (f" When the first optimizer stepped here, {found['first']} layers had gradients: "
                     "backward() had gone through them all, for the graph is not cut." if found["first"] > 1 else ""))
    layers, counts = len(network[0]) - 1, [list(found["order"]).count(at) for at in range(len(network[0]) - 1)]
    assert_true(all(count <= len(batches) for count in counts), f"how often each layer's optimizer steps in {about}: never more than {len(batches)} times; found {counts}", of="one step each",
                hint="One optimizers[layer].step() moves all parameters of its layer: called again, as in a loop over layer.parameters() or for other layers, it moves them more than once.")
    slips = {} if name != "SGD" else {
        "The gradient was passed on through weights that were already updated.": plain_run(name, network, batches, "new weights"),
        "What was passed on to the layer below are the numbers of a piece's input, not their gradient.": plain_run(name, network, batches, "values"),
        "A layer without parameters, as ReLU, is a piece, too: the gradient goes back through it.": plain_run(name, network, batches, "activations left out"),
        "F.mse_loss is the mean over all entries of Y, not the sum over the columns.": plain_run(name, network, batches, "rows"),
        "What the last layer gets is the gradient of the loss, not ones.": plain_run(name, network, batches, "ones"),
        "The loss is the mean of the squared differences, not their sum.": plain_run(name, network, batches, "sum"),
        "The loss was computed anew after layers above had been updated: one forward pass serves all layers.": plain_run(name, network, batches, "computed anew"),
        "The gradients of earlier steps are still in it: clear them after the step.": plain_run(name, network, batches, "not cleared"),
        "The first layer is trained, too: the way back ends behind it.": plain_run(name, network, batches, "first"),
        "The last layer is trained, too: the way back begins at it.": plain_run(name, network, batches, "last"),
        "The parameters have not changed.": plain_run(name, network, [])}
    plain = plain_run(name, network, batches)
    near = all(torch.allclose(one, other, rtol=1e-4, atol=1e-6) for one, other in zip(found["after"], plain))
    assert_close(list(found["after"]), plain, f"the parameters after {about}", of="parameters", mistakes=slips, hint=lambda: "" if near else which_layer(name, network, batches))
    assert_close(list(found["after"]), plain_run(name, network, batches), f"the parameters after {about}, in every bit", of="same bits", rtol=0, atol=0,
                 hint="It is right up to rounding. Let autograd compute every gradient, the loss's, too, so that the same kernels run.")
    twin, wanted, later = deep_mlp(*network), [], []
    optimizer = OPTIMIZERS[name](twin.parameters())
    for X, Y in batches:
        wanted.append(F.mse_loss(twin(X), Y).item())
        train_plain(twin, optimizer, [(X, Y)])
        later.append(F.mse_loss(twin(X), Y).item())
    assert_type(found["losses"][0], float, f"what fused_by_hand returns, {about}", of="loss", hint="loss.item() is a Python number.")
    assert_close(list(found["losses"]), wanted, f"the losses of {about}", of="loss", mistakes={"This is the loss after the step.": later})
    assert_equal(counts, [len(batches)] * layers, f"how often each layer's optimizer steps in {about}", of="one step each", hint="Each optimizer steps once in each step of training.")
    assert_equal(found["first"], 1, f"how many layers have gradients when the first optimizer steps, {about}", of="one layer at a time",
                 hint="Step and clear a layer before the gradients of the next exist.",
                 mistakes={"All layers have theirs: the whole backward pass ran before the first step.": layers})
    hint = ("These gradients are zeros, which take as much memory: clear to None." if found["zeros"] else
            "When the first optimizer steps, its layer alone has gradients. They are to be cleared right after the step, before the next layer gets its own.")
    assert_equal(found["alive"], 1, f"how many layers have gradients, at most, when an optimizer steps, {about}",
                 of="one layer at a time", hint=hint)
    assert_equal(list(found["order"])[:layers], list(range(layers))[::-1], f"the order in which the optimizers step in the first of {about} (0: the first layer's)", of="one step each", hint="Backward begins at the last layer.")
    assert_equal(found["left"], 0, f"how many parameters have a gradient after {about}", of="one layer at a time", hint="zero_grad() sets .grad to None; with set_to_none=False zeros stay.")
    assert_equal(list(found["touched"]), [0, 0], f"how many of the batches X, and of the Y, require a gradient after {about}", of="arguments kept", hint="requires_grad_() changes the caller's tensor: detach() first.")
    for after, before in zip(found["batches"], batches):
        assert_close(list(after), list(before), f"X and Y after {about}", of="arguments kept", hint="An operation with a trailing underscore changes the caller's tensor.")

def mixed_net(kind_, d_, h_, q_):
    torch.manual_seed(3)
    layers_ = {"normed": lambda: [nn.Linear(d_, h_), nn.Tanh(), nn.LayerNorm(h_), nn.Linear(h_, h_, bias=False), nn.Softmax(dim=1), nn.Linear(h_, q_)],
               "batch": lambda: [nn.Linear(d_, h_), nn.BatchNorm1d(h_), nn.Sigmoid(), nn.Linear(h_, q_, bias=False)]}[kind_]()
    return nn.Sequential(*layers_)

@probe
def other_layers(kind, sizes, name, batches):
    d, h, q = sizes
    torch.manual_seed(3)
    layers = {"normed": lambda: [nn.Linear(d, h), nn.Tanh(), nn.LayerNorm(h), nn.Linear(h, h, bias=False), nn.Softmax(dim=1), nn.Linear(h, q)],
              "batch": lambda: [nn.Linear(d, h), nn.BatchNorm1d(h), nn.Sigmoid(), nn.Linear(h, q, bias=False)]}[kind]()
    net = nn.Sequential(*layers)
    optimizers = {layer: OPTIMIZERS[name](layer.parameters()) for layer in net if list(layer.parameters())}
    for X, Y in batches:
        fused_by_hand(net, optimizers, X, Y)
    return [p.detach() for p in net.parameters()]

def check_mixed(kind, sizes, name, batches):
    mixed, in_eval, with_bias, linear = (mixed_net(kind, *sizes) for i in range(4))
    in_eval.eval()
    trained = [p for layer in with_bias if getattr(layer, "bias", None) is not None for p in layer.parameters()]
    train_plain(with_bias, OPTIMIZERS[name](trained), batches)
    train_plain(linear, OPTIMIZERS[name]([p for layer in linear if isinstance(layer, nn.Linear) for p in layer.parameters()]), batches)
    slips = {"A layer without a bias is trained, too.": [p.detach() for p in with_bias.parameters()],
             "Every layer that is a key of `optimizers` is trained, not the Linear ones alone.": [p.detach() for p in linear.parameters()]}
    if kind == "batch":
        slips |= {"So it would be in eval mode: leave the network in its training mode.": train_plain(in_eval, OPTIMIZERS[name](in_eval.parameters()), batches)}
    layers = "Tanh, LayerNorm, Softmax and a layer without bias" if kind == "normed" else "BatchNorm1d, Sigmoid and a layer without bias"
    wanted = train_plain(mixed, OPTIMIZERS[name](mixed.parameters()), batches)
    assert_close(list(other_layers(kind, sizes, name, batches)), wanted,
                 f"the parameters with {layers}, widths {sizes}", of="any layers", hint="The layers may be any modules: let autograd compute their gradients.", rtol=1e-5, atol=1e-7, mistakes=slips)

@probe
def hand_peak(width, depth):
    net = deep_mlp((width,) * (depth + 1), seed=0)
    optimizers = {layer: OPTIMIZERS["SGD"](layer.parameters()) for layer in net if list(layer.parameters())}
    X, Y = torch.ones(1, width), torch.ones(1, width)
    fused_by_hand(net, optimizers, X, Y)
    return peak_bytes(lambda: fused_by_hand(net, optimizers, X, Y))

def check_peak(width, depth):
    one_layer = 4 * (width * width + width)
    layers = hand_peak(width, depth) / one_layer
    assert_true(layers < 3, f"the peak of new memory for {depth} layers of width {width} is below 3 layers' gradients; found {layers:.1f}", of="one layer at a time",
                hint="Gradients that are kept in a list take memory, too: compute a layer's gradients when it is its turn, "
                     "and keep none of them after its step.")

@probe
def layers_at_once(widths, batches):
    """Of how many layers a weight's gradient has memory, at most, at the moment in which one is computed."""
    net = nn.Sequential(*[nn.Linear(*pair) for pair in itertools.pairwise(widths)])
    optimizers = {layer: OPTIMIZERS["SGD"](layer.parameters()) for layer in net}
    references, most = [[] for layer in net], [0]

    def watch(own):
        def hook(gradient):
            own.append(weakref.ref(gradient.untyped_storage()))
            most.append(sum(any(reference() is not None for reference in one) for one in references))
        return hook

    for layer, own in zip(net, references):
        layer.weight.register_hook(watch(own))
    for X, Y in batches:
        fused_by_hand(net, optimizers, X, Y)
    return max(most)

def check_at_once(widths, batches):
    most = layers_at_once(widths, batches)
    assert_true(most <= 1, f"when a layer's gradient is computed, no other layer's has memory (Linear layers in a row, widths {widths}); "
                f"found {most} layers with gradients", of="one layer at a time", hint="A name that still holds the gradients of the "
                "layer above keeps their memory: delete it (`del`) before the next ones are computed.")

check_hand("SGD", [(5, 4, 3, 2), 0], random_batches(3, 6, 5, 2, seed=1))
check_mixed("normed", (3, 5, 2), "SGD", random_batches(2, 4, 3, 2, seed=11))
check_mixed("batch", (3, 5, 2), "SGD", random_batches(2, 6, 3, 2, seed=12))
check_peak(128, 8)
check_at_once((5, 4, 3, 2), random_batches(2, 6, 5, 2, seed=14))
### BEGIN HIDDEN TESTS
for name in ("SGD", "momentum", "Adam", "AdamW"):
    check_hand(name, [(7, 6, 5, 8, 3), 4], random_batches(5, 9, 7, 3, seed=2))
check_mixed("normed", (4, 6, 2), "momentum", random_batches(4, 5, 4, 2, seed=3))
check_mixed("batch", (4, 6, 3), "momentum", random_batches(3, 7, 4, 3, seed=13))
check_peak(160, 7)
check_at_once((4, 6, 5, 7, 3), random_batches(2, 5, 4, 3, seed=15))
### END HIDDEN TESTS

# %% [markdown] teaches="post-accumulate hook"
# ## 4. By hooks: a function that waits for a gradient
#
# The backward pass of autograd visits the layers in the right order by itself. It only has to tell us when a gradient is complete. A *hook* is a function that one leaves with a library, to be called at a certain moment. `p.register_post_accumulate_grad_hook(hook)` has `hook(p)` called during `backward()`, each time that the gradient of the leaf `p` has
# been added to `p.grad`. If `p` is used twice, its contributions are added up first, and the hook runs once. What it returns, the *handle*, has a method `remove()`, which takes the hook away again.

# %% teaches="post-accumulate hook"
p = nn.Parameter(torch.tensor([1., 2.]))
handle = p.register_post_accumulate_grad_hook(lambda p: print("the gradient has arrived:", p.grad))
(p * p + 3 * p).sum().backward()
handle.remove()
p.sum().backward()
print("no hook any more:", p.grad)

# %% [markdown]
# `p` occurs three times, in `p * p` and in `3 * p`, and the hook printed one line, the complete gradient $2p + 3$.
#
# May the hook change `p` at this moment? Whoever still needs the *old* number would be cheated. Whatever computes a gradient through `p`, as a node of the graph, also gives a share of the gradient *of* `p`. The gradient of `p` is complete only when all these have run. So none of them still needs the old weight.
#
# ⚠ That reasoning has a gap: a part of the graph may use the *numbers* of `p` without being connected to it, by `p.detach()`. Then the gradient of `p` does not wait for it:

# %% teaches="hook and detached weight"
def detached_weight(change):
    """The gradient by x of (x * w + 5 w), in which the first w is detached: 2. The hook changes w by `change`."""
    x, w = torch.tensor([3.], requires_grad=True), nn.Parameter(torch.tensor([2.]))
    w.register_post_accumulate_grad_hook(change)
    (x * w.detach() + 5 * w).sum().backward()
    return x.grad

def in_place(p):
    with torch.no_grad():
        p -= 1

def by_data(p):
    p.data -= 1

for change in (in_place, by_data):
    try:
        print(change.__name__, detached_weight(change))
    except RuntimeError as error:
        print(change.__name__, "RuntimeError:", str(error)[:77], "...")

# %% [markdown]
# The gradient should be 2. Changed in place, autograd notices that a number which it had saved is another one, and raises an error. Changed through `.data`, nobody notices, and the gradient is that of the new weight: 1. So write the update in place under `no_grad()`, not through `.data`; then the one case in which a fused update is wrong does not pass in silence. Ordinary networks do not have it.

# %% [markdown] task="B.2.C" kind="code" minutes=5 difficulty=2 core=true needs="post-accumulate hook"
# ### The order of arrival
#
# Write `arrival_order(net, X, Y)`: the names of the parameters (as `net.named_parameters()` gives them) in the order in which their gradients arrive in `backward_pass(net, X, Y)`, a function of the setup cell that runs forward, loss and `backward()`. Only a parameter that requires a gradient can have a hook.
#
# `net` may be any module. Its layers need not run in the order in which they are listed: in `CrossedNet` of the setup cell the last one runs first. So let hooks tell.
#
# **You are done when**
# - **order**: a list of the names, first that of the gradient which arrives first, for any module;
# - **trained ones only**: parameters that require no gradient are not in it, and require none afterwards;
# - **hooks removed**: no parameter has a hook of yours afterwards, of whatever kind.

# %% exercise="B.2.C"
def arrival_order(net, X, Y):
    """Names of the parameters in the order in which their gradients arrive."""
    ### BEGIN SOLUTION
    names, order = {p: name for name, p in net.named_parameters()}, []
    handles = [p.register_post_accumulate_grad_hook(lambda p: order.append(names[p])) for p in names if p.requires_grad]
    backward_pass(net, X, Y)
    for handle in handles:
        handle.remove()
    return order
    ### END SOLUTION

# %% [markdown] hints="B.2.C"
# 1. What does a hook know about the parameter that it is called for?
# 2. A parameter can be the key of a dictionary: `{p: name for name, p in net.named_parameters()}`. `order.append(...)` returns `None`.
# 3. Counting arrivals: `handles = [p.register_post_accumulate_grad_hook(lambda p: arrived.append(1)) for p in params]`, and afterwards `handle.remove()` for each.

# %% check="B.2.C" points=2
@probe
def recorded(kind, widths, X, Y, frozen):
    if kind == "twice":
        layer = nn.Linear(widths[0], widths[1])
        net = nn.Sequential(layer, nn.Tanh(), layer, nn.Linear(widths[1], widths[2]))
    else:
        d, h, q = widths[:3]
        net = {"deep_mlp": lambda: deep_mlp(widths, 1), "CrossedNet": lambda: CrossedNet(*widths, 1),
               "normed": lambda: nn.Sequential(nn.Linear(d, h), nn.LayerNorm(h), nn.Linear(h, q))}[kind]()
    for name, p in net.named_parameters():
        if name in frozen:
            p.requires_grad_(False)
    try:
        found = arrival_order(net, X, Y)
    except (RuntimeError, TypeError, AttributeError) as error:
        if "register a hook" not in str(error) and f"'{type(net).__name__}' object" not in str(error) and f"type '{type(net).__name__}'" not in str(error):
            raise
        return [f"{type(error).__name__}: {error}", 0, 0]
    left = [len(getattr(p, hooks, None) or {}) for p in net.parameters() for hooks in ("_post_accumulate_grad_hooks", "_backward_hooks")]
    woken = sum(int(p.requires_grad) for name, p in net.named_parameters() if name in frozen)
    return [list(found) if isinstance(found, (list, tuple)) else found, sum(left), woken]

def network_of(kind, widths):
    d, h, q = widths[:3]
    if kind == "twice":
        layer_ = nn.Linear(d, h)
        return nn.Sequential(layer_, nn.Tanh(), layer_, nn.Linear(h, q)), "a Linear that runs twice, Tanh between, and another Linear"
    if kind == "normed":
        return nn.Sequential(nn.Linear(d, h), nn.LayerNorm(h), nn.Linear(h, q)), "Linear, LayerNorm, Linear"
    return (CrossedNet(*widths, 1), "a CrossedNet") if kind == "CrossedNet" else (deep_mlp(widths, 1), "a deep_mlp")

def check_order(kind, widths, n_, frozen):
    (X_, Y_), = random_batches(1, n_, widths[0], widths[-1], seed=n_)
    (net_, about), wanted = network_of(kind, widths), []
    for name, p_ in net_.named_parameters():
        if name in frozen:
            p_.requires_grad_(False)
    for name, p_ in net_.named_parameters():
        if p_.requires_grad:
            p_.register_post_accumulate_grad_hook(lambda p, name=name: wanted.append(name))
    backward_pass(net_, X_, Y_)
    about += f", widths {widths}" + (f", {' and '.join(frozen)} frozen" if frozen else "")
    of = "trained ones only" if frozen else "order"
    found, left, woken = recorded(kind, widths, X_, Y_, frozen)
    names_ = [name for name, p_ in net_.named_parameters()]
    trained_ = [name for name in names_ if name not in frozen]
    by_layer = [name for at in range(len(names_) - 2, -1, -2) for name in names_[at:at + 2] if name in trained_]
    backwards = ("but these layers run in another order than they are listed: " if kind == "CrossedNet" else "but gradients need not arrive in this order: ") + "record the arrivals."
    trouble = found if isinstance(found, str) and "Error: " in found else "none"
    hooks = "register a hook" in trouble
    assert_true(trouble == "none", f"no error is raised, {about}; it raised {trouble}", of="trained ones only" if hooks else "order",
                hint="Only a parameter that requires a gradient can have a hook: pass over those whose p.requires_grad is false." if hooks else
                "`net` may be any module, not a Sequential alone, whose layers have places: what each module has are named_parameters().")
    assert_type(found, list, f"what arrival_order returns, {about}", of=of, hint="A list of names.")
    missing, more = [name for name in trained_ if name not in found], [name for name in found if not isinstance(name, str) or name not in trained_]
    twofold = [name for name in trained_ if found.count(name) > 1]
    words = (f"An entry is no name of a parameter that requires a gradient: {more[0]!r}." if more else f"{twofold[0]} stands there {found.count(twofold[0])} times; each name stands there once." + (
             f" {missing[0]} is missing: does each hook report the name of its own parameter?" if missing else "") if twofold else f"{missing[0]} is missing: each parameter that requires a gradient has a hook." if missing else "")
    assert_equal(woken, 0, f"how many of the frozen parameters require a gradient after the call, {about}", of="trained ones only",
                 hint="Leave them as they are: no hook where p.requires_grad is false.")
    assert_equal(found, wanted, f"the order of arrival, {about}", of=of, mistakes={
        "This is the order in which named_parameters() lists them; first comes the gradient that arrives first."
        + (" (It is also that of the arrivals, backwards.)" if trained_ == wanted[::-1] else ""): trained_,
        f"This is the list of named_parameters() backwards, {backwards}": trained_[::-1],
        "Within a layer the order is another one: record the arrivals, of each parameter by a hook of its own.": by_layer,
        "These are the weights alone; biases have gradients, too.": [name for name in wanted if name.endswith("weight")],
        "The list is empty: no hook of yours was called. Hooks are called while backward_pass(net, X, Y) runs, so they are to be there before it, and to go after it.": [],
        "In one backward pass each gradient arrives once: this is the order of two passes.": wanted * 2,
        "All hooks report the same name: the function looks it up when it is called, after the loop.": [names_[-1]] * len(wanted)}
        | ({"This is the order of the arrivals, backwards: the first is to stand first.": wanted[::-1]} if wanted[::-1] != trained_ else {})
        | ({"Parameters that are frozen get no gradient.": names_[::-1]} if frozen else {})
        | ({"These are the names in the order of the alphabet: record the arrivals.": sorted(trained_)} if sorted(trained_) != trained_[::-1] else {}),
        hint=words or ("A parameter that is used twice has one gradient, which arrives once, complete." if kind == "twice" else
        "A name for each parameter that requires a gradient, in the order in which the hooks are called."))
    assert_equal(left, 0, f"how many hooks are left after the call, {about}", of="hooks removed", hint="Keep the handles, and call remove() of each.")

check_order("normed", (4, 3, 2), 5, [])
check_order("CrossedNet", (4, 3, 2), 5, [])
check_order("deep_mlp", (4, 3, 2), 5, [])
check_order("twice", (3, 3, 2), 5, [])
check_order("deep_mlp", (4, 3, 3, 2), 6, ["2.weight"])
### BEGIN HIDDEN TESTS
check_order("deep_mlp", (5, 4, 3, 6, 2), 7, [])
check_order("CrossedNet", (3, 5, 4), 4, [])
check_order("normed", (3, 6, 4), 4, [])
check_order("twice", (5, 5, 3), 6, [])
check_order("deep_mlp", (5, 4, 3, 6, 2), 8, ["0.weight", "4.weight"])
check_order("CrossedNet", (2, 6, 3), 3, ["lower.weight"])
### END HIDDEN TESTS

# %% [markdown] teaches="late binding, function with a default argument"
# ### Three traps
#
# With hooks the training loop shrinks to forward and `backward()`. Many a forum post gives every parameter an optimizer of its own and steps it in a hook. That is what you will do in a moment. Three traps lie there.
#
# ⚠ *The loop's variable.* A function that is made in a loop does not keep the value of the loop's variable. It looks the variable up when it is *called*, and by then the loop is over:

# %% teaches="late binding, function with a default argument"
late = []
for name in ("first", "second", "third"):
    late.append(lambda: name)
print([f() for f in late])
bound = []
for name in ("first", "second", "third"):
    bound.append(lambda name=name: name)        # a default is computed when the function is made
print([f() for f in bound])

# %% [markdown]
# With hooks that say `lambda p: optimizer.step()`, the last optimizer steps at every parameter's turn, and no other ever does. Nothing raises an error; the network trains a single parameter. A default argument as above binds the right one; so does a function that makes the function, or a dictionary that is looked up by `p`.

# %% [markdown] task="B.2.D" kind="code" minutes=3 difficulty=1 core=true needs="late binding"
# ### Each its own number
#
# Write `multipliers(numbers)`: a list of functions, one for each entry of the list `numbers`; the function takes one argument and returns it times its number.
#
# **You are done when**
# - **own number**: each function uses its own number, in the order of the list;
# - **one for each**: there are as many functions as numbers: also none, also where a number is 0 or stands there twice.

# %% exercise="B.2.D"
def multipliers(numbers):
    """Functions x -> number * x, one for each number."""
    ### BEGIN SOLUTION
    return [lambda x, number=number: number * x for number in numbers]
    ### END SOLUTION

# %% [markdown] hints="B.2.D"
# 1. When does the function look its number up: when it is made, or when it is called?
# 2. A default argument is computed when the function is made.
# 3. `def adder(k): return lambda x: x + k` makes a function with its own `k` at each call.

# %% check="B.2.D" points=1
@probe
def multiplied(numbers, x):
    functions = multipliers(numbers)
    return [f(x) for f in functions if callable(f)], [int(callable(f)) for f in functions]

def check_multipliers(numbers_, x_):
    what = f"the results for {x_} of the functions of multipliers({numbers_})"
    of = "own number" if len(numbers_) > 1 else "one for each"
    assert_type(multipliers(list(numbers_)), (list, tuple), f"what multipliers({numbers_}) returns", of=of, hint="A list of functions, one for each number.")
    found, callable_ = multiplied(list(numbers_), x_)
    assert_equal(list(callable_), [1] * len(callable_), f"which entries of multipliers({numbers_}) are functions (1: it is one)", of=of, hint="The functions themselves are asked for, not what they return.")
    assert_equal(len(callable_), len(numbers_), f"how many functions multipliers({numbers_}) gives", of="one for each", hint="One for each entry, whatever it is.", mistakes={
        "A number that stands there several times has as many functions; here it has one.": len(set(numbers_)), "0 is a number as any other; here it has no function.": len(numbers_) - numbers_.count(0),
        "There is a single function, and each number has its own.": 1} if len(numbers_) > 1 else None)
    strayed = [(at, value / x_) for at, (value, k) in enumerate(zip(found, numbers_)) if isinstance(value, (int, float)) and not abs(value - k * x_) < 1e-9]
    own = "" if not strayed else (f"The function in place {strayed[0][0]} multiplies {x_:g} by {strayed[0][1]:g}, and not by numbers[{strayed[0][0]}]." + (
        f" ({strayed[0][1]:g} is the number in place {numbers_.index(strayed[0][1])}.)" if strayed[0][1] in numbers_ else ""))
    assert_close(list(found), [k * x_ for k in numbers_], what, of=of, hint=own or "The function in place i returns its argument times numbers[i].", mistakes={"It multiplies, it takes no power.": [x_ ** k for k in numbers_],
        "Each uses its number, not its place in the list.": [i * x_ for i in range(len(numbers_))], "All use the last number: they look it up when they are called.": [numbers_[-1] * x_] * len(numbers_),
                 "All use the first number.": [numbers_[0] * x_] * len(numbers_),
                 **({"0 is a number as any other; here 1 stands for it, as `k or 1` gives it.": [(k or 1) * x_ for k in numbers_]} if 0 in numbers_ else {}), "It multiplies, it does not add.": [k + x_ for k in numbers_],
        "The functions stand in the order of the list, not sorted.": [k * x_ for k in sorted(numbers_)], "The functions stand in the order of the list, not sorted from the largest.": [k * x_ for k in sorted(numbers_, reverse=True)],
        "The functions stand in the order of the list, not backwards.": [k * x_ for k in numbers_[::-1]], "The sign of a number is lost.": [abs(k) * x_ for k in numbers_],
        "Each uses its own number alone, not the product of all up to it.":
            [k * x_ for k in itertools.accumulate(numbers_, lambda one, other: one * other)]} if len(numbers_) > 1 else {})

check_multipliers([4., 0., 4., 3., 4., 2.], 3.)
check_multipliers([2., 5., -3.], 10.)
check_multipliers([], 4.)
check_multipliers([7.], 4.)
### BEGIN HIDDEN TESTS
check_multipliers([1., 0.5, 4., -6., 9.], -2.)
check_multipliers([0., -3., 2., -3., 0.], 5.)
check_multipliers([], 1.)
check_multipliers([0.], 3.)
check_multipliers([8.], 3.)
### END HIDDEN TESTS

# %% [markdown] teaches="what a hook returns"
# ⚠ *What it returns.* A hook of this kind must return `None` (or the parameter itself). A lambda that calls two methods in a tuple returns a tuple. ⚠ *What it gets.* It is called with one argument, the parameter. Other hooks of torch get more (a module's forward hook gets the module, its inputs and its output), and `p.register_hook`, without the long name, gets the
# *gradient* and is called before it has been added to `p.grad`.

# %% tags=["demo"]
for label, hook in (("returns a tuple", lambda p: (None, None)), ("returns a tensor", lambda p: torch.ones(2)), ("takes two arguments", lambda p, grad: None), ("returns None", lambda p: None)):
    p = nn.Parameter(torch.ones(2))
    p.register_post_accumulate_grad_hook(hook)
    try:
        p.sum().backward()
        print(f"{label:20} all is well")
    except (TypeError, RuntimeError) as error:
        print(f"{label:20} {type(error).__name__}: {error}")

# %% [markdown] task="B.2.2" kind="code" minutes=15 difficulty=3 core=true needs="post-accumulate hook, late binding, what a hook returns, fused update"
# ### The backward pass trains
#
# Write `attach(optimizers)`. `optimizers` is a dictionary from a parameter to an optimizer for this one parameter. Afterwards a mere `loss.backward()` trains: as soon as the gradient of such a parameter is complete, its optimizer steps, and the gradient is freed (`p.grad` is `None`).
#
# **You are done when**
# - **steps**: in a backward pass each optimizer steps once, without an error, also where the gradient is zero;
# - **same bits**: the parameters are the plain loop's, in every bit;
# - **freed**: when an optimizer steps, its parameter's gradient is the only one, and after the pass there is none (a name or a list that still holds a gradient keeps its memory);
# - **others untouched**: parameters that are not in the dictionary do not move and keep their gradients;
# - **handles**: returned is the list of the hooks' handles, one for each parameter of the dictionary; after their `remove()` nothing trains and nothing is freed any more.

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
    zeros = sum(p.grad is not None and not p.grad.any() for p in params)
    return [trouble, steps, [p.detach() for p in params], left, zeros, max([0, *alive])]

def a_pass_late(network, batches):
    net, late = deep_mlp(*network), None
    for X, Y in batches:
        arrived = torch.autograd.grad(F.mse_loss(net(X), Y), list(net.parameters()))
        for p, g in zip(net.parameters(), late or ()):
            p.data -= 0.1 * g
        late = arrived
    return [p.detach() for p in net.parameters()]

def why_trouble(trouble):
    if "argument" in trouble and "return" not in trouble:
        return "A hook of this kind is called with one argument, the parameter."
    if "return" in trouble or "expected to be" in trouble:
        return "A hook has to return None: a lambda returns the value of its expression."
    return ""

@probe
def hooks_alive(network, batches):
    """How many gradients still have memory when the next one has arrived, at most."""
    net, references, alive = deep_mlp(*network), [], []

    def count(p):
        references.append(weakref.ref(p.grad.untyped_storage()))
        alive.append(sum(reference() is not None for reference in references))

    for p in net.parameters():
        p.register_post_accumulate_grad_hook(count)
    attach({p: OPTIMIZERS["SGD"]([p]) for p in net.parameters()})
    for batch in batches:
        backward_pass(net, *batch)
    return max([0, *alive])

def check_alive_grads(network, batches):
    most = hooks_alive(network, batches)
    assert_true(1 <= most <= 2, f"of how many gradients the memory is in use at once, at most 2, widths {network[0]}; found {most}", of="freed",
                hint="A gradient that is still named somewhere keeps its memory, also if p.grad is None.")

@probe
def one_weight(gradients):
    p, after = nn.Parameter(torch.tensor([1.])), []
    attach({p: torch.optim.SGD([p], lr=0.1)})
    try:
        for g in gradients:
            (g * p).sum().backward()
            after.append(p.item())
    except (TypeError, RuntimeError):
        pass
    return after

@probe
def two_entries():
    p = nn.Parameter(torch.tensor([1., 1.]))
    attach({p: torch.optim.SGD([p], lr=0.1)})
    try:
        (torch.tensor([4., 2.]) * p).sum().backward()
    except (TypeError, RuntimeError):
        pass
    return p.detach()

def which_pass():
    """A weight 1 with the gradients 4 and 2, worked out; then both at once, in one parameter."""
    after = [*one_weight([4., 2.]), None, None][:2]
    if after[0] is None or not abs(after[0] - 0.6) < 1e-5:
        return f"A single weight 1 with the gradient 4 and SGD of rate 0.1 is 1 - 0.1 · 4 = 0.6 after the first pass; yours is {'not there' if after[0] is None else f'{after[0]:.4g}'}."
    if after[1] is None or not abs(after[1] - 0.4) < 1e-5:
        return f"A single weight 1 with SGD of rate 0.1 and the gradients 4, then 2, is 0.6 after the first pass, as yours, and 0.6 - 0.1 · 2 = 0.4 after the second; yours is {'not there' if after[1] is None else f'{after[1]:.4g}'}."
    first, second = (float(value) for value in two_entries())
    if not (abs(first - 0.6) < 1e-5 and abs(second - 0.8) < 1e-5):
        return (f"A single weight is trained as it should be. One parameter of two entries, both 1, with the gradients 4 and 2 and SGD of rate 0.1 is 0.6 and 0.8 after a pass; yours is {first:.4g} and {second:.4g}. "
                "Each entry loses 0.1 times its own gradient: p.grad goes into step() as it arrived.")
    return "A single parameter is trained as it should be: with several, each is to be moved by its own optimizer, by its own gradient, as it arrived."

def check_hooks(name, network, batches):
    trouble, steps, after, left, zeros, most = hook_run(name, network, batches)
    dead = " (a batch X of zeros among them)" if not all(X.any() for X, Y in batches) else ""
    about = f"{len(batches)} steps of {name}, widths {network[0]}{dead}"
    number = 2 * (len(network[0]) - 1)
    assert_true(trouble == "", f"backward() raises no error; it raised {trouble or 'none'}", of="steps", hint=lambda: why_trouble(trouble))
    last = [0] * (number - 1) + [number * len(batches)]
    alike = [tuple(p.shape) for p in deep_mlp(*network).parameters()]
    by_shape = {"Parameters of one shape share an optimizer here: the others' never step. An optimizer is found by the parameter itself, which is the key, and the hook's argument.":
                [len(batches) * alike.count(shape) * (shape not in alike[i + 1:]) for i, shape in enumerate(alike)]} if len(set(alike)) < number else {}
    assert_equal(list(steps), [len(batches)] * number, f"how often each optimizer steps in {about}", of="steps",
                 hint="A gradient of zeros has arrived, too: its optimizer steps." if dead else "", mistakes={
        "Every hook steps the last optimizer: it looks the loop's variable up when it is called, after the loop.": last,
        "Each optimizer is to step once in a pass, not twice.": [2 * len(batches)] * number,
        "Each optimizer steps as often as a gradient arrives, not at its own parameter's turn only.": [number * len(batches)] * number,
        "Each optimizer steps in one pass only: the hooks are to stay for the passes that follow.": [1] * number,
        "No optimizer steps: does each parameter have a hook that calls its optimizer's step()?": [0] * number} | by_shape)
    twin = deep_mlp(*network)
    plain = train_plain(twin, OPTIMIZERS[name](twin.parameters()), batches)
    summed = deep_mlp(*network)
    keeps = OPTIMIZERS[name](summed.parameters())
    keeps.zero_grad = lambda: None
    near = all(torch.allclose(one, other, rtol=1e-4, atol=1e-6) for one, other in zip(after, plain))
    assert_close(list(after), plain, f"the parameters after {about}", of="same bits", hint=lambda: "" if near else which_pass(), mistakes={
        "The parameters have not changed: is the gradient freed only after the step?": [p.detach() for p in deep_mlp(*network).parameters()],
        "The step came before the gradient was in .grad, as with register_hook: each gradient is used a pass late.": a_pass_late(network, batches),
        "The gradients of earlier steps are still in it: free them in the hook.": train_plain(summed, keeps, batches)})
    assert_close(list(after), plain, f"the parameters after {about}, in every bit", of="same bits", rtol=0, atol=0, hint="They are right up to rounding: let step() work with p.grad as it arrived.")
    hint = ("They are zeros, which take as much memory: set p.grad to None." if zeros else
            "Each hook frees its own, after the step: p.grad = None. (A hook of register_hook runs too early for that: "
            "the gradient comes into .grad after it.)")
    assert_equal(left, 0, f"how many gradients are left after {about}", of="freed", hint=hint)
    assert_equal(most, 1, f"how many gradients are alive, at most, when an optimizer steps, {about}", of="freed",
                 hint="Each parameter's hook steps and frees at once, before the next gradient arrives.", mistakes={
        "All gradients have arrived before an optimizer steps: each parameter's hook is to step and free at once.": number})

HANDLES = {"Return the list of the handles alone, and nothing beside it.": -2, "A handle stands in the list twice: each hook has its own, which register_post_accumulate_grad_hook returns.": -3,
           "The list is empty when it is returned: what register_post_accumulate_grad_hook returns goes into it, for each parameter.": 0}

@probe
def some_parameters(widths, chosen, frozen, X, Y):
    net = deep_mlp(widths, seed=6)
    params = list(net.parameters())
    for i in frozen:
        params[i].requires_grad_(False)
    start = [p.detach().clone() for p in params]
    handles = attach({params[i]: OPTIMIZERS["SGD"]([params[i]]) for i in chosen})
    count = -1 if not isinstance(handles, (list, tuple)) else -2 if any(isinstance(one, (list, tuple, set, dict)) for one in handles) else (
        len(handles) if len({id(one) for one in handles}) == len(handles) else -3)
    backward_pass(net, X, Y)
    moved = [(p.detach() - s).abs().max() for p, s in zip(params, start)]
    kept = [int(p.grad is not None) for p in params]
    for handle in handles if count >= 0 else ():
        if hasattr(handle, "remove"):
            handle.remove()
    before = [params[i].detach().clone() for i in chosen]
    backward_pass(net, X, Y)
    return {"moved": moved, "kept": kept, "handles": count, "moved after remove": [(params[i].detach() - b).abs().max() for i, b in zip(chosen, before)], "kept after remove": [int(params[i].grad is not None) for i in chosen]}

def check_some(widths, chosen, frozen):
    (X6, Y6), = random_batches(1, 5, widths[0], widths[-1], seed=6)
    found, number = some_parameters(widths, chosen, frozen, X6, Y6), 2 * (len(widths) - 1)
    about = f"widths {widths}, the parameters {chosen} of {number} in the dictionary"
    assert_close([found["moved"][i] for i in range(number) if i not in chosen], [0.] * (number - len(chosen)), f"how far the other parameters move, {about}", of="others untouched", hint="Only a parameter that is a key of the dictionary gets a hook, and its optimizer has it alone.")
    assert_equal([found["kept"][i] for i in range(number)], [int(i not in chosen and i not in frozen) for i in range(number)], f"which parameters have a gradient after the pass (0: none), {about}", of="others untouched", hint="Only those in the dictionary are freed.")
    assert_equal(found["handles"], len(chosen), f"how many handles are returned (-1: no list; -2: a list with lists or dictionaries in it; -3: one stands there twice), {about}", of="handles", hint="Return the handles, one for each parameter of the dictionary.",
                 mistakes=HANDLES | {"These are two for each parameter: let one hook do both, step and free.": 2 * len(chosen)})
    assert_close(list(found["moved after remove"]), [0.] * len(chosen), f"how far parameters move in a pass after remove() of the handles, {about}", of="handles", hint="Return the handles of all your hooks.")
    assert_equal(list(found["kept after remove"]), [1] * len(chosen), f"whether the gradient stays in .grad after remove() of the handles (1: yes), {about}", of="handles", hint="Return the handles of all your hooks.")

def with_zeros(batches):
    (X, Y), *others = batches
    return [*others, (0 * X, Y), others[0]]

check_hooks("SGD", [(5, 4, 3, 2), 0], random_batches(3, 6, 5, 2, seed=4))
check_hooks("momentum", [(5, 4, 3, 2), 0], with_zeros(random_batches(3, 6, 5, 2, seed=16)))
check_hooks("SGD", [(4, 4, 4), 0], random_batches(3, 6, 4, 4, seed=18))
check_alive_grads([(5, 4, 3, 2), 0], random_batches(2, 6, 5, 2, seed=4))
check_some((4, 3, 2), [1, 2], [0])
### BEGIN HIDDEN TESTS
for name in ("momentum", "Adam", "AdamW"):
    check_hooks(name, [(7, 6, 5, 8, 3), 5], random_batches(5, 9, 7, 3, seed=5))
check_hooks("Adam", [(4, 6, 5, 3), 5], with_zeros(random_batches(4, 7, 4, 3, seed=17)))
check_hooks("momentum", [(5, 6, 6, 6, 5), 5], random_batches(4, 7, 5, 5, seed=19))
check_alive_grads([(7, 6, 5, 8, 3), 5], random_batches(3, 9, 7, 3, seed=5))
check_some((5, 3, 4, 2), [1, 4], [2])
### END HIDDEN TESTS

# %% [markdown] teaches="cost of an optimizer for each parameter"
# ## 5. Without an optimizer for each parameter
#
# An optimizer object is made for many parameters. Its `step()` looks for hooks, opens a profiler region, checks whether a GPU records, sorts the parameters and their states into lists, and then loops. With an optimizer for each parameter all this is done for a single line of arithmetic. The number of Python function calls tells it, for a network of 10 layers (20 parameters).
# `cProfile` counts them:

# %% tags=["demo"]
def calls(f):
    f()
    profile = cProfile.Profile()
    profile.runcall(f)
    return pstats.Stats(profile).total_calls


X, Y = random_batches(1, 5, 16, 16, seed=1)[0]
net = deep_mlp((16,) * 11, seed=0)
optimizer = OPTIMIZERS["SGD"](net.parameters())
print("the whole plain step:                        ", calls(lambda: train_plain(net, optimizer, [(X, Y)])))
owns = {p: OPTIMIZERS["SGD"]([p]) for p in net.parameters()}
for p in owns:
    p.grad = torch.zeros_like(p)
print("20 optimizers, step() and zero_grad() alone: ", calls(lambda: [(own.step(), own.zero_grad(set_to_none=False)) for own in owns.values()]))

# %% [markdown] teaches="update rule in a hook"
# `step()` and `zero_grad()` of twenty optimizers take about three times as many calls as the whole plain step, in which forward, loss, `backward()` and one optimizer's update are counted. So most of a small network's time would go into bookkeeping.
#
# The remedy is to write the update rule into the hook. One hook, a dictionary with the state of each parameter, two lines of arithmetic. It also meets the gradient while it is still in the processor's cache; the plain loop comes back for it when the whole network has passed through. B.3 and `benchmarks/fused.py` measure the difference (the latter on a CUDA device, too, where there is one; the pages of this book run without).
#
# Inside of `backward()` autograd does not record, so a parameter may be changed in place. (It does record with `create_graph=True`; `@torch.no_grad()` above the function is the safe way.) Here is a rule of another kind, which moves each weight by the learning rate in the direction of the sign of its gradient, and remembers for each parameter how often it was called:

# %% teaches="update rule in a hook"
def attach_sign(net, lr):
    counts = {}                                 # the state: one entry for each parameter

    @torch.no_grad()
    def hook(p):
        counts[p] = counts.get(p, 0) + 1        # .get(p, 0): the entry, or 0 where there is none yet
        p.sub_(lr * p.grad.sign())              # in place: p = p - ... would only give a local name to a new tensor
        p.grad = None                           # frees the gradient
    handles = [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]
    return handles, counts

net = deep_mlp((3, 2), seed=0)
before = net[0].weight.detach().clone()
handles, counts = attach_sign(net, 0.1)
backward_pass(net, *random_batches(1, 4, 3, 2, seed=0)[0])
print("change of the weights:", net[0].weight.detach() - before)
print("calls:", list(counts.values()), "  gradient afterwards:", net[0].weight.grad)

# %%
net, batch = deep_mlp((64,) * 7, seed=0), random_batches(1, 2, 64, 64, seed=0)[0]
print("peak of new memory, plain:           ", peak_bytes(lambda: backward_pass(net, *batch)))
net.zero_grad()
attach_sign(net, 0.1)
print("peak of new memory, rule in the hook:", peak_bytes(lambda: backward_pass(net, *batch)))

# %% [markdown]
# 100,868 bytes became 52,740: not a sixth, for the rule makes two more arrays of the size of a layer's weight beside the gradient (its sign, and that times the rate; 3 · 16,384 bytes), but the number no longer grows with the depth of the network.

# %% [markdown] task="B.2.3" kind="code" minutes=12 difficulty=3 core=true needs="update rule in a hook, stochastic gradient descent with momentum, memory of training"
# ### SGD in a hook
#
# Write `attach_sgd(net, lr, momentum=0.0)`: afterwards `loss.backward()` trains every parameter of `net` that requires a gradient, by the rule of `torch.optim.SGD`: with a momentum $\mu > 0$ each parameter has a buffer $v$,
#
# $$v_1 = g_1, \qquad v_t = \mu\, v_{t-1} + g_t, \qquad w_t = w_{t-1} - \eta\, v_t;$$
#
# without momentum $w_t = w_{t-1} - \eta\, g_t$.
#
# **You are done when**
# - **rule**: without momentum the parameters are those of `torch.optim.SGD`;
# - **momentum**: with momentum, too, and each parameter of each network has a buffer of its own;
# - **no buffer**: without momentum nothing is kept for a parameter from one pass to the next;
# - **freed**: `p.grad` is `None` after the pass, and within it each gradient's memory is given back before the next but one arrives (with momentum from the second pass on: the first gradient may become the buffer);
# - **no optimizer**: no optimizer object is made;
# - **trained ones only**: a parameter that requires no gradient is left alone;
# - **handles**: returned is the list of the handles, one for each trained parameter; after their `remove()` nothing trains and nothing is freed any more.

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

# %% check="B.2.3" points=4
HANDLES = {"Return the list of the handles alone, and nothing beside it.": -2, "A handle stands in the list twice: each hook has its own, which register_post_accumulate_grad_hook returns.": -3,
           "The list is empty when it is returned: what register_post_accumulate_grad_hook returns goes into it, for each parameter.": 0}

@probe
def rule_run(networks, batches, options, frozen):
    """Networks in turn, each with its options; what is left of them."""
    nets = [deep_mlp(*network).double() for network in networks]
    for net in nets:
        for i in frozen:
            list(net.parameters())[i].requires_grad_(False)
    made, trouble, handles, counts = [], "", [], []
    start = torch.optim.Optimizer.__init__
    torch.optim.Optimizer.__init__ = lambda self, *args, **kwargs: (made.append(1), start(self, *args, **kwargs))[1]
    try:
        for net, one in zip(nets, options):
            h = attach_sgd(net, **one)
            handles.append(h)
            counts.append(-1 if not isinstance(h, (list, tuple)) else -2 if any(isinstance(one, (list, tuple, set, dict)) for one in h) else
                          len(h) if len({id(one) for one in h}) == len(h) else -3)
        for batch in batches:
            for net in nets:
                backward_pass(net, *batch)
    except (TypeError, RuntimeError) as error:
        trouble = f"{type(error).__name__}: {error}"
    finally:
        torch.optim.Optimizer.__init__ = start
    left = sum(p.grad is not None for net in nets for p in net.parameters())
    after = [p.detach().clone() for net in nets for p in net.parameters()]
    for handle in itertools.chain(*(h for h in handles if isinstance(h, (list, tuple)))):
        if hasattr(handle, "remove") and not isinstance(handle, (list, tuple, set, dict)):
            handle.remove()
    for net in nets if not trouble else ():
        backward_pass(net, *batches[0])
    params = [p for net in nets for p in net.parameters()]
    moved = [(p.detach() - old).abs().max() for p, old in zip(params, after)]
    kept = sum(int(p.grad is not None) for p in params)
    return [trouble, after, left, len(made), counts, moved, kept]

def by_torch(networks, batches, options, frozen=()):
    params = []
    for network, one in zip(networks, options):
        twin = deep_mlp(*network).double()
        for i in frozen:
            list(twin.parameters())[i].requires_grad_(False)
        params += train_plain(twin, torch.optim.SGD([p for p in twin.parameters() if p.requires_grad], **one), batches)
    return params

def not_freed(networks, batches, options, frozen):
    """by_torch without zero_grad: the gradients of all passes add up."""
    params = []
    for network, one in zip(networks, options):
        twin = deep_mlp(*network).double()
        for i in frozen:
            list(twin.parameters())[i].requires_grad_(False)
        keeps = torch.optim.SGD([p for p in twin.parameters() if p.requires_grad], **one)
        keeps.zero_grad = lambda: None
        params += train_plain(twin, keeps, batches)
    return params

def a_pass_behind(networks, batches, options, frozen, first):
    """The step goes by the buffer of the pass before; in the first pass by `first` times the gradient."""
    params = []
    for network, one in zip(networks, options):
        twin, v = deep_mlp(*network).double(), {}
        trained_ = [p for i, p in enumerate(twin.parameters()) if i not in frozen]
        for X, Y in batches:
            for p, g in zip(trained_, torch.autograd.grad(F.mse_loss(twin(X), Y), trained_)):
                old = v.get(p, first * g)
                p.data -= one["lr"] * old
                v[p] = one["momentum"] * old + g
        params += [p.detach() for p in twin.parameters()]
    return params

def other_buffer(networks, batches, options, frozen, slip):
    """SGD with another buffer; the slips are named below, where they are used."""
    params = []
    for network, one in zip(networks, options):
        twin, v = deep_mlp(*network).double(), {}
        trained_ = [p for i, p in enumerate(twin.parameters()) if i not in frozen]
        for X, Y in batches:
            for p, g in zip(trained_, torch.autograd.grad(F.mse_loss(twin(X), Y), trained_)):
                mu, old, lr = one["momentum"], v.get(p, 0 * g), one["lr"]
                step = {"new gradient, too": mu * (old + g) if p in v else g, "taken off": g - mu * old, "rate again": g + lr * mu * old, "last gradient": g + mu * old}[slip]
                v[p] = g if slip == "last gradient" else step
                p.data -= lr * step
        params += [p.detach() for p in twin.parameters()]
    return params

@probe
def sgd_weight(gradients, lr, momentum):
    net, after = nn.ParameterList([nn.Parameter(torch.tensor([1.], dtype=torch.float64))]), []
    try:
        attach_sgd(net, lr, momentum)
        for g in gradients:
            (g * net[0]).sum().backward()
            after.append(net[0].item())
    except (TypeError, RuntimeError):
        pass
    return after

def which_sgd(momentum):
    """The steps of a single weight 1 with the gradients 4, 2 and 4, worked out as far as the answer is right."""
    first, double, none = ([*sgd_weight([g], 0.1, 0.), None][0] for g in (4., 8., 0.))
    if none is not None and abs(none - 1) > 1e-6:
        return f"A single weight 1 with the gradient 0, without momentum, stays 1: the step is lr times the gradient, and nothing else. Yours is {none:.4g}."
    if first is not None and double is not None and abs(first - double) < 1e-6:
        return f"A single weight 1, lr 0.1, without momentum: with the gradient 4 it becomes {first:.4g} in yours, and with 8, too. The step is lr times the gradient itself, 0.4 and 0.8."
    for mu, way, shown in ((0., (0.6, 0.4, 0.), ("1 - 0.1 · 4 = 0.6", "0.6 - 0.1 · 2 = 0.4", "0.4 - 0.1 · 4 = 0")), (0.25, (0.6, 0.3, -0.175), ("1 - 0.1 · 4 = 0.6, for the first v is the first gradient", "0.6 - 0.1 · (0.25 · 4 + 2) = 0.3", "0.3 - 0.1 · (0.25 · 3 + 4) = -0.175, for v was 0.25 · 4 + 2 = 3")))[:2 if momentum else 1]:
        after = sgd_weight([4., 2., 4.], 0.1, mu)
        for at, (value, words) in enumerate(zip(way, shown)):
            if len(after) <= at or not abs(after[at] - value) < 1e-5:
                return f"A single weight 1 with lr 0.1, momentum {mu:g} and the gradients 4, 2 and 4: after the {('first', 'second', 'third')[at]} pass it is {words}; yours is {f'{after[at]:.4g}' if len(after) > at else 'not there'}." + (
                    " So the first gradient stands in the first v twice."
                    if len(after) > at == 0 and abs(after[0] - 0.5) < 1e-5 else
                    " So the old v has no part in it: has it been kept, and not overwritten, as by zeros where it is p.grad itself?"
                    if mu and len(after) > at == 1 and abs(after[1] - 0.4) < 1e-5 else "")
    return "The first three steps of a single weight are right: " + ("each parameter of each network has a buffer of its own, which goes on from pass to pass." if momentum else "each parameter loses lr times its own gradient.")

def check_sgd(networks, batches, options, frozen=()):
    trouble, after, left, made, handles, moved, kept = rule_run(networks, batches, options, list(frozen))
    momentum = options[0].get("momentum", 0.)
    lr = options[0]["lr"]
    of = "trained ones only" if frozen else "momentum" if momentum else "rule"
    about = f"{len(batches)} passes, widths {networks[0][0]}, lr {lr}, momentum {momentum}" + (", two networks in turn" if len(networks) > 1 else "") + (", some parameters frozen" if frozen else "")
    hint = ("Only a parameter that requires a gradient can have a hook." if "register a hook" in trouble else "Change the parameter in place under torch.no_grad()." if "in-place" in trouble else
            "A hook of this kind is called with one argument, the parameter." if "positional argument" in trouble else "A hook has to return None: a lambda returns the value of its expression." if "return" in trouble else
            "" if "size of tensor" not in trouble else "Is a buffer found by something that two networks share, such as a name or a place in a list?" if len(networks) > 1 else
            "Numbers of two shapes have met: each parameter has a buffer of its own, of its own shape.")
    assert_true(trouble == "", f"no error is raised, {about}; it raised {trouble or 'none'}", of=of, hint=hint)
    slips = {"The parameters have not changed: a hook changes `p` itself, in place, while its gradient is there.": [p.detach() for network in networks for p in deep_mlp(*network).double().parameters()], "The step went uphill.": by_torch(networks, batches, [one | {"lr": lr, "maximize": True} for one in options], frozen),
             "The gradients of earlier passes are still in it: free them in the hook.": not_freed(networks, batches, options, frozen),
             "Biases are trained, too: every parameter that requires a gradient gets a hook.": by_torch(networks, batches, options, {*frozen, *range(1, 2 * len(networks[0][0]), 2)} & set(range(2 * len(networks[0][0]) - 2)))}
    if lr != 0.1:
        slips |= {"The argument `lr` has no effect: this is the step with 0.1.": by_torch(networks, batches, [one | {"lr": 0.1} for one in options], frozen), "The learning rate is missing.": by_torch(networks, batches, [one | {"lr": 1.} for one in options], frozen)}
    if momentum:
        slips |= {"The learning rate is lr as it is, not lr / (1 - momentum).": by_torch(networks, batches, [one | {"lr": one["lr"] / (1 - momentum)} for one in options], frozen)}
    if frozen:
        slips |= {"A parameter that requires no gradient was trained, too.": by_torch(networks, batches, options)}
    if momentum:
        slips |= {"The momentum has no effect.": by_torch(networks, batches, [{"lr": one["lr"]} for one in options], frozen),
                  "The buffer is a running mean: gradients enter with the factor 1, not 1 - momentum.": by_torch(networks, batches, [one | {"lr": one["lr"] * (1 - momentum)} for one in options], frozen),
                  "Only the first gradient enters with the factor 1 here, the others with 1 - momentum: all enter with 1.": by_torch(networks, batches, [one | {"dampening": momentum} for one in options], frozen),
                  "The momentum multiplies the old buffer alone, not the new gradient.": other_buffer(networks, batches, options, frozen, "new gradient, too"),
                  "The remembered step holds the learning rate already; here the old one is multiplied by it once more.": other_buffer(networks, batches, options, frozen, "rate again"),
                  "The buffer holds all gradients so far, older ones with smaller factors; here it holds the last one alone.": other_buffer(networks, batches, options, frozen, "last gradient"),
                  "The momentum multiplies the old buffer alone; here it multiplies every gradient, the first one, too.": by_torch(networks, batches, [one | {"lr": one["lr"] * momentum} for one in options], frozen),
                  "The old buffer times the momentum is added to the new gradient; here it is taken off.": other_buffer(networks, batches, options, frozen, "taken off"),
                  "The buffer takes in the new gradient before the step, not after it.": a_pass_behind(networks, batches, options, frozen, 1),
                  "In each pass the buffer takes in the new gradient first, then the step goes by it.": a_pass_behind(networks, batches, options, frozen, 0),
                  "The learning rate stands in the buffer already, and is multiplied in once more.": by_torch(networks, batches, [one | {"lr": one["lr"] ** 2} for one in options], frozen),
                  "This is Nesterov's momentum: the step is the buffer itself.": by_torch(networks, batches, [one | {"nesterov": True} for one in options], frozen)}
    by = by_torch(networks, batches, options, frozen)
    near = all(torch.allclose(one, other, rtol=1e-5, atol=1e-8) for one, other in zip(after, by))
    assert_close(list(after), by, f"the parameters after {about}", of=of, rtol=1e-5, mistakes=slips, hint=lambda: "" if near else which_sgd(momentum))
    assert_equal(left, 0, f"how many gradients are left after {about}", of="freed", hint="Free them in the hook: p.grad = None. Zeros take as much memory.")
    assert_equal(made, 0, f"how many optimizer objects were made, {about}", of="no optimizer", hint="Write the rule into the hook, without an optimizer.")
    trained = [2 * (len(network[0]) - 1) - len(frozen) for network in networks]
    assert_equal(list(handles), trained, f"how many handles each call of attach_sgd returns (-1: no list; -2: a list with lists or dictionaries in it; -3: one stands there twice), {about}", of="handles",
                 hint="Return the handles, one for each parameter that requires a gradient.", mistakes={words: [count] * len(trained) for words, count in HANDLES.items()})
    assert_close(list(moved), [0.] * len(after), f"how far parameters move in a pass after remove() of the handles, {about}", of="handles",
                 hint="Return the handle of each hook, as register_post_accumulate_grad_hook gives it.")
    assert_equal(kept, sum(trained), f"how many parameters have a gradient after a pass without hooks, after remove() of the handles, {about}",
                 of="handles", hint="Return the handles of all your hooks, also of one that frees.")

@probe
def gradients_alive(network, batches, momentum):
    """How many of a pass's gradients still have memory when the next has arrived: the most; from the second pass on."""
    net, references, alive = deep_mlp(*network), [], []

    def count(p):
        references.append(weakref.ref(p.grad.untyped_storage()))
        alive.append(sum(reference() is not None for reference in references))

    for p in net.parameters():
        p.register_post_accumulate_grad_hook(count)
    attach_sgd(net, 0.1, momentum)
    for batch in batches:
        backward_pass(net, *batch)
        if batch is batches[0]:
            references.clear()
            alive.clear()
    return max([0, *alive])

@probe
def kept_share(network, batches):
    """Bytes that are kept beside the parameters after passes without momentum, as a share of the parameters' bytes."""
    net = deep_mlp(*network)

    def passes():
        attach_sgd(net, 0.1)
        for batch in batches:
            backward_pass(net, *batch)

    return held_bytes(passes, net) / sum(p.nbytes for p in net.parameters())

def check_memory(widths, seed_):
    batches = random_batches(3, 4, widths[0], widths[-1], seed_)
    for mu in (0., 0.9):
        most = gradients_alive([widths, seed_], batches, mu)
        hint = ("The gradients of a whole pass live at once: each hook is to step and free its own." if most == 2 * len(widths) - 2 else
                "A gradient that is still named somewhere keeps its memory: free it in its hook.")
        assert_true(1 <= most <= 2, f"how many gradients have memory at once is at most 2, widths {widths}, momentum {mu}; found {most}",
                    of="freed", hint=hint)
    share = kept_share([widths, seed_], batches)
    assert_true(share < 0.02, f"without momentum nothing is kept beside the parameters, widths {widths}; found {share:.0%} of their size", of="no buffer", hint="Make buffers only where the momentum is not 0, and keep no gradient.")

net_a, few = ((5, 4, 3, 2), 0), random_batches(3, 6, 5, 2, 7, torch.float64)
check_sgd([net_a], few, [{"lr": 0.2}])
check_sgd([net_a], few, [{"lr": 0.2, "momentum": 0.9}])
check_sgd([net_a], few, [{"lr": 0.1}], frozen=[2])
check_sgd([((4, 4, 4), 3), ((4, 4, 4), 4)], random_batches(3, 5, 4, 4, 17, torch.float64), [{"lr": 0.1, "momentum": 0.2}, {"lr": 0.2, "momentum": 0.2}])
check_memory((16, 16, 16, 16), 18)
### BEGIN HIDDEN TESTS
check_sgd([((4, 4, 4, 4), 1)], random_batches(6, 5, 4, 4, 8, torch.float64), [{"lr": 0.05, "momentum": 0.05}])
check_sgd([((7, 6, 5, 3), 2)], random_batches(5, 9, 7, 3, 9, torch.float64), [{"lr": 0.3}])
check_sgd([((4, 3, 2), 10), ((4, 3, 2), 10)], random_batches(4, 5, 4, 2, 10, torch.float64), [{"lr": 0.1, "momentum": 0.8}, {"lr": 0.2, "momentum": 0.8}])
check_sgd([((4, 3, 5, 2), 11)], random_batches(4, 5, 4, 2, 12, torch.float64), [{"lr": 0.2, "momentum": 0.7}], frozen=[0, 3])
check_memory((24, 20, 28, 16), 19)
### END HIDDEN TESTS

# %% [markdown] teaches="adamw"
# ### Adam, and why it counts
#
# Adam remembers two averages for each weight: $m$, of the gradients, and $v$, of their squares. The step is $\eta$ times $m / \sqrt v$: a weight whose gradients agree moves by about $\eta$, one whose gradients contradict each other hardly moves. Both averages start at 0, so in the beginning they are too small: after one step with gradient $g$, $m = (1 - \beta_1) g$. Divided by
# $1 - \beta_1^t$, where $t$ counts the steps *of this parameter*, they are right: $m / (1 - \beta_1) = g$. AdamW adds weight decay, which shrinks the weight itself by $1 - \eta\lambda$ before the step, and does not go through the averages. For a single number:

# %% teaches="adamw"
w, m, v = 1., 0., 0.
for t, g in enumerate((4., 4., -4.), start=1):
    w -= 0.1 * 0.5 * w                          # weight decay: lr = 0.1, λ = 0.5
    m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g ** 2
    step = 0.1 * (m / (1 - 0.9 ** t)) / ((v / (1 - 0.999 ** t)) ** 0.5 + 1e-8)
    w -= step
    print(f"t = {t}: m = {m:.2f}, corrected {m / (1 - 0.9 ** t):.2f}; the step is {step:.3f}, w = {w:.3f}")

# %% [markdown] task="B.2.4" kind="code" minutes=18 difficulty=4 needs="update rule in a hook, adamw, state of an optimizer"
# ### AdamW in a hook
#
# Write `attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0)`: as before, by the rule of `torch.optim.AdamW`. At the $t$-th step of a parameter $w$ with gradient $g$:
#
# $$w \leftarrow w - \eta \lambda w, \quad m \leftarrow \beta_1 m + (1 - \beta_1)\, g, \quad v \leftarrow \beta_2 v + (1 - \beta_2)\, g^2, \quad
# w \leftarrow w - \eta\, \frac{m / (1 - \beta_1^t)}{\sqrt{v / (1 - \beta_2^t)} + \epsilon},$$
#
# with $m = v = 0$ at the start, $\eta$ = `lr`, $\lambda$ = `weight_decay`. With $\lambda = 0$ this is Adam.
#
# **You are done when**
# - **rule**: a single parameter without decay takes these steps, for any `betas` and `eps`, and for those of the `def` line where none are given;
# - **weight decay**: with decay, too: it shrinks the weight before the step, and does not enter $m$ and $v$;
# - **own t**: each parameter of each network has its own $m$, $v$ and $t$; in a pass that gives it no gradient nothing happens to it, and its $t$ does not count that pass (a gradient of zeros is a gradient);
# - **freed**: `p.grad` is `None` after the pass;
# - **no optimizer**: no optimizer object is made;
# - **handles**: returned is the list of the handles, one for each parameter that requires a gradient; after their `remove()` nothing trains and nothing is freed any more; the other parameters are left alone.

# %% exercise="B.2.4"
def attach_adamw(net, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    """Trains each parameter inside of backward() by AdamW, without optimizer objects. Returns the handles."""
    ### BEGIN SOLUTION
    states = {}

    @torch.no_grad()
    def hook(p):
        m, v, t = states.get(p, (0., 0., 0))
        m, v, t = betas[0] * m + (1 - betas[0]) * p.grad, betas[1] * v + (1 - betas[1]) * p.grad ** 2, t + 1
        states[p] = m, v, t
        p.sub_(lr * weight_decay * p)
        p.sub_(lr * (m / (1 - betas[0] ** t)) / ((v / (1 - betas[1] ** t)).sqrt() + eps))
        p.grad = None

    return [p.register_post_accumulate_grad_hook(hook) for p in net.parameters() if p.requires_grad]
    ### END SOLUTION

# %% [markdown] hints="B.2.4"
# 1. How many hooks run in one training step, and how often may $t$ of a parameter grow in it?
# 2. The state of a parameter is $m$, $v$ and its own $t$. One $t$ for the whole network, raised in each hook, would run ahead.
# 3. First step with $g = 4$: $m / (1 - \beta_1) = 4$, $\sqrt{v / (1 - \beta_2)} = 4$, so the step is $\eta$, whatever the size of $g$.

# %% check="B.2.4" points=4
HANDLES = {"Return the list of the handles alone, and nothing beside it.": -2, "A handle stands in the list twice: each hook has its own, which register_post_accumulate_grad_hook returns.": -3,
           "The list is empty when it is returned: what register_post_accumulate_grad_hook returns goes into it, for each parameter.": 0}

def adam_by_hand(starts, gradients, lr, betas, eps, decay, slip=""):
    values = [s.clone() for s in starts]
    m, v, top, own, t = [0 * s for s in starts], [0 * s for s in starts], [0 * s for s in starts], [0 for s in starts], 0
    for number, step_gradients in enumerate(gradients, 1):
        pairs = [(i, g) for i, g in enumerate(step_gradients) if g is not None]
        if slip == "decays always":
            values = [value * (1 - lr * decay) if g is None else value for value, g in zip(values, step_gradients)]
        for i, g in reversed(pairs) if slip == "one t, from the end" else pairs:
            t, own[i] = t + 1, own[i] + 1
            count = t if slip.startswith("one t") else number if slip == "passes" else 1 if slip == "t stays" else own[i] + (slip == "t ahead")
            if slip == "coupled":
                g = g + decay * values[i]
            elif slip == "constant":
                values[i] = values[i] - lr * decay
            elif slip not in ("decay last", "in the step"):
                values[i] = values[i] * (1 - lr * decay)
            m[i] = betas[0] * m[i] + (1 if slip == "whole" else 1 - betas[0]) * g
            v[i] = betas[1] * v[i] + (1 if slip == "whole" else 1 - betas[1]) * (m[i] * m[i] if slip == "square of m" else (g * g).mean() if slip == "mean of squares" else g * g)
            one = 1. if slip in ("no correction", "v alone") else 1 - betas[0] ** count
            two = 1. if slip in ("no correction", "m alone") else 1 - betas[1] ** count
            if slip == "starts with g" and own[i] == 1:
                m[i], v[i] = g, g * g
            if slip == "starts with g":
                one = two = 1.
            if slip == "written back":
                m[i], v[i], one, two = m[i] / one, v[i] / two, 1., 1.
            top[i] = torch.maximum(top[i], v[i])
            square = top[i] if slip == "largest" else v[i]
            root = (square / two + eps if slip == "no root" else (square / two + eps).sqrt() if slip == "eps inside" else (square.sqrt() + eps) / two ** 0.5 if slip == "eps early" else square.sqrt() / two + eps if slip == "root corrected" else (square / two).sqrt() + eps)
            values[i] = values[i] - (-lr if slip == "uphill" else lr) * (m[i] / one + (decay * values[i] if slip == "in the step" else 0)) / root
            values[i] = values[i] * (1 - lr * decay) if slip == "decay last" else values[i]
    return values

@probe
def adam_steps(starts, gradients, options, frozen):
    net = nn.ParameterList([nn.Parameter(s.clone(), requires_grad=i not in frozen) for i, s in enumerate(starts)])
    made, trouble, handles, count = [], "", None, -1
    start = torch.optim.Optimizer.__init__
    torch.optim.Optimizer.__init__ = lambda self, *args, **kwargs: (made.append(1), start(self, *args, **kwargs))[1]
    try:
        handles = attach_adamw(net, **options)
        if isinstance(handles, (list, tuple)):
            count = -2 if any(isinstance(one, (list, tuple, set, dict)) for one in handles) else len(handles) if len({id(one) for one in handles}) == len(handles) else -3
        for step in gradients:
            sum((p * g).sum() for p, g in zip(net, step) if g is not None).backward()
    except (TypeError, RuntimeError) as error:
        trouble = f"{type(error).__name__}: {error}"
    finally:
        torch.optim.Optimizer.__init__ = start
    after, left = [p.detach().clone() for p in net], sum(p.grad is not None for p in net)
    for handle in handles if isinstance(handles, (list, tuple)) else ():
        if hasattr(handle, "remove") and not isinstance(handle, (list, tuple, set, dict)):
            handle.remove()
    if not trouble:
        sum((p * g).sum() for p, g in zip(net, gradients[0]) if g is not None).backward()
    moved = [(p.detach() - old).abs().max() for p, old in zip(net, after)]
    kept = sum(int(p.grad is not None) for p in net)
    return [trouble, after, left, len(made), count, moved, kept]

@probe
def adam_weight(gradients, betas, eps, decay):
    net, after = nn.ParameterList([nn.Parameter(torch.tensor([1.], dtype=torch.float64))]), []
    try:
        attach_adamw(net, 0.1, betas, eps, decay)
        for g in gradients:
            (g * net[0]).sum().backward()
            after.append(net[0].item())
    except (TypeError, RuntimeError):
        pass
    return after

@probe
def adam_pair():
    net = nn.ParameterList([nn.Parameter(torch.tensor([1., 1.], dtype=torch.float64))])
    attach_adamw(net, 0.1, (0.8, 0.6), 1., 0.)
    (torch.tensor([4., 1.]) * net[0]).sum().backward()
    return net[0].detach()

# the weight after a first gradient of 4, and after a second of 2, lr 0.1, betas (0.8, 0.6), ε = 0, as it comes out by a mistake
FIRST_STEP = {"g² goes into v with the factor 1, not 1 - β₂": 1 - 0.1 * 4 / 40 ** 0.5, "g goes into m with the factor 1, not 1 - β₁": 1 - 0.1 * 20 / 4,
              "m is divided by 1 - β₂^t, and v by 1 - β₁^t": 1 - 0.1 * 2 / 32 ** 0.5, "m is averaged with β₂, and v with β₁": 1 - 0.1 * 8 / 8 ** 0.5,
              "g goes into v, not g²": 1 - 0.1 * 4 / 2, "the step is not multiplied by lr": 0., "the step is multiplied by lr twice": 1 - 0.01 * 4 / 4}
SECOND_STEP = {"t is still 1 in the second step": 0.9 - 0.1 * 5.2 / 13.6 ** 0.5, "m is remembered with its correction": 0.9 - 0.1 * 10 / 8.5 ** 0.5, "v is remembered with its correction": 0.9 - 0.1 * (1.04 / 0.36) / 17.5 ** 0.5,
               "m is the new gradient alone times 1 - β₁, without the old m": 0.9 - 0.1 * (0.4 / 0.36) / 8.5 ** 0.5, "v is the new square alone times 1 - β₂, without the old v": 0.9 - 0.1 * (1.04 / 0.36) / 2.5 ** 0.5}

def which_adam(decay):
    """What a single weight 1 with the gradients 4 and 2 shows, worked out as far as the answer is right; nothing where all of it is (or a nan)."""
    one = "A single weight 1, lr 0.1, betas (0.8, 0.6)"
    def shown(value, slips=()):
        words = [words for words, other in dict(slips).items() if value is not None and abs(value - other) < 1e-6]
        return ("not there" if value is None else f"{value:.4g}") + (f", which is what comes out where {words[0]}" if words else "")
    after = [*adam_weight([4., 2.], (0.8, 0.6), 0., 0.), None, None][:2]
    if after[0] is not None and after[0] != after[0]:
        still = [*adam_weight([0.], (0.8, 0.6), 1., 0.), 0.][0]
        return (f"{one}, is nan after a first gradient of 4, and also, with ε = 1, after one of 0: something is divided by 0, as by 1 - β^t where t is 0. In the first step of a parameter t is 1." if still != still else
                f"{one}, is nan after a first gradient of 4: is the root that of a negative number? v averages squares, and 1 - β₂^t, by which it is divided, is positive.")
    if after[0] is None or not abs(after[0] - 0.9) < 1e-6:
        return "m and v are one tensor in yours: what is put into one is in the other, too. Make two." if after[0] is not None and abs(after[0] - (1 - 3.44 / 17.2 ** 0.5)) < 1e-6 else (
            f"{one}, ε = 0, first gradient 4: m = 0.2 · 4 = 0.8 and v = 0.4 · 16 = 6.4, corrected 0.8 / 0.2 = 4 and 6.4 / 0.4 = 16, the step is 0.1 · 4 / √16 = 0.1, and the weight 0.9. Yours is {shown(after[0], FIRST_STEP)}.")
    if after[1] is None or not abs(after[1] - (1 - 0.1 - 0.1 * 1.04 / 0.36 / 8.5 ** 0.5)) < 1e-6:
        power = " The root of a negative number is nan: 1 - 0.6² is positive, 1 - 0.6 · 2 is not." if after[1] is not None and after[1] != after[1] else ""
        return (f"{one}, ε = 0, gradients 4 and 2: after the first pass yours is right, 0.9. In the second m = 0.8 · 0.8 + 0.2 · 2 = 1.04 and v = 0.6 · 6.4 + 0.4 · 4 = 5.44, corrected "
                f"1.04 / (1 - 0.8²) = 2.889 and 5.44 / (1 - 0.6²) = 8.5, the step is 0.1 · 2.889 / √8.5 = 0.0991, and the weight 0.8009. Yours is {shown(after[1], SECOND_STEP)}.{power}")
    after = [*adam_weight([4.], (0.8, 0.6), 1., 0.), None][0]
    if after is None or not abs(after - 0.92) < 1e-6:
        return f"With ε = 0 the first two steps of a single weight are right. With ε = 1, lr 0.1 and the first gradient 4 the step is 0.1 · 4 / (√16 + 1) = 0.08, and the weight 1 becomes 0.92. Yours is {shown(after)}."
    after = [*adam_weight([0.], (0.8, 0.6), 1., 0.5), None][0]
    if decay and (after is None or not abs(after - 0.95) < 1e-6):
        return f"Without decay the first steps of a single weight are right. With decay 0.5, lr 0.1 and a gradient of 0 a weight 1 shrinks by the factor 1 - 0.1 · 0.5, to 0.95. Yours is {shown(after)}."
    four, one = (float(value) for value in adam_pair())
    if not (abs(four - 0.92) < 1e-6 and abs(one - 0.95) < 1e-6):
        return ("The first steps of a single weight are right. One parameter of two entries, both 1, with the gradients 4 and 1, lr 0.1 and ε = 1 becomes 1 - 0.1 · 4 / (√16 + 1) = 0.92 and 1 - 0.1 · 1 / (√1 + 1) = 0.95; "
                f"yours is {four:.4g} and {one:.4g}. Each entry has its own m and v.")
    return ""

def check_adam(of, starts, gradients, lr, betas, eps, decay, about, frozen=(), anew="", given=("lr", "betas", "eps", "weight_decay")):
    options = {name: value for name, value in zip(("lr", "betas", "eps", "weight_decay"), (lr, betas, eps, decay)) if name in given}
    trouble, after, left, made, handles, moved, kept = adam_steps(starts, gradients, options, list(frozen))
    hint = ("Only a parameter that requires a gradient can have a hook." if "register a hook" in trouble else "Change the parameter in place under torch.no_grad()." if "in-place" in trouble else
            "A hook of this kind is called with one argument, the parameter." if "positional argument" in trouble else "A hook has to return None: a lambda returns the value of its expression." if "return" in trouble else
            "Are m and v found by something that two networks share, such as a name or a place in a list?" if "size of tensor" in trouble else "")
    assert_true(trouble == "", f"no error is raised, {about}; it raised {trouble or 'none'}", of=of, hint=hint)
    right = {slip: adam_by_hand(starts, gradients, lr, betas, eps, decay, slip) for slip in (
        "", "one t", "coupled", "no correction", "eps inside", "eps early", "largest", "passes", "one t, from the end", "decay last",
        "decays always", "t ahead", "t stays", "square of m", "m alone", "v alone", "no root", "uphill", "whole", "written back", "starts with g", "root corrected", "constant", "in the step", "mean of squares")}
    right |= {"default betas": adam_by_hand(starts, gradients, lr, (0.9, 0.999), eps, decay), "default eps": adam_by_hand(starts, gradients, lr, betas, 1e-8, decay),
              "no decay": adam_by_hand(starts, gradients, lr, betas, eps, 0.), "decay without rate": adam_by_hand(starts, gradients, lr, betas, eps, decay / lr), "rate twice": adam_by_hand(starts, gradients, lr, betas, eps, decay * lr)}
    sums, added = [0 * s for s in starts], []
    for step_gradients in gradients:
        sums = [total if g is None else total + g for total, g in zip(sums, step_gradients)]
        added.append([None if g is None else total for total, g in zip(sums, step_gradients)])
    right["betas swapped"] = adam_by_hand(starts, gradients, lr, betas[::-1], eps, decay)
    without = [[None if g is None or not g.any() else g for g in step] for step in gradients]
    right["zeros skipped"] = adam_by_hand(starts, without, lr, betas, eps, decay)
    right["added up"] = adam_by_hand(starts, added, lr, betas, eps, decay)
    right["matrices"] = [one if one.ndim > 1 else other for one, other in zip(right[""], right["no decay"])]
    right["no m"] = adam_by_hand(starts, gradients, lr, (0., betas[1]), eps, decay)
    slips = {"The correction by 1 - β^t is missing.": right["no correction"], "The step goes by m, the average, not by the last gradient.": right["no m"], "The parameters have not changed.": starts,
             "The gradients of earlier passes are still in it: free them in the hook.": right["added up"], "v itself is used, which may fall again, not the largest v so far.": right["largest"],
             "m is corrected by 1 - β^t, v is not: both are.": right["m alone"],
             "v is corrected by 1 - β^t, m is not: both are.": right["v alone"],
             "The two betas are exchanged: the first is that of m, the second that of v.": right["betas swapped"],
             "t is one too large: in the first step of a parameter it is 1.": right["t ahead"],
             "The corrections are those of the first step in each step: t grows with each step of the parameter.": right["t stays"],
             "v averages the squares of the gradients, not those of m.": right["square of m"],
             "v is divided by 1 - β₂^t, and then its root is taken; here the root is divided by it.": right["root corrected"],
             "m and v are 0 at the start, and corrected; here they start as the first gradient and its square.": right["starts with g"],
             "Each entry of a parameter has its own v; here the squares are averaged over all entries.": right["mean of squares"],
             "The root of v is missing.": right["no root"], "The step went uphill.": right["uphill"],
             "The new gradient enters m with the factor 1 - β₁, and its square enters v with 1 - β₂; here both have the factor 1.": right["whole"],
             "The corrected averages are for this step alone: what is remembered is m and v without the correction.": right["written back"],
             "A gradient of zeros is a gradient: the step counts, and m moves the weight.": right["zeros skipped"]}
    if len(starts) > 1:
        slips |= {"The count of steps is shared: it grew with each parameter. Each has its own t.": right["one t"], "The count of steps is shared by the parameters. Each has its own t.": right["one t, from the end"],
                  "t counts the passes. It is to count the steps of this parameter, which takes no part in some.": right["passes"]}
    if decay:
        slips |= {"The weight shrinks before the step, not after it.": right["decay last"], "The weight decay went into the gradient. In AdamW it shrinks the weight itself.": right["coupled"],
                  "The weight decay has no effect.": right["no decay"], "The weight shrinks by the learning rate times the decay; the rate is missing.": right["decay without rate"],
                  "The weight shrinks by the factor 1 - lr · weight_decay; here the rate stands in it twice.": right["rate twice"],
                  "The weight shrinks by the factor 1 - lr · weight_decay; here it grows, by 1 + lr · weight_decay.": adam_by_hand(starts, gradients, lr, betas, eps, -decay),
                  "The weight loses lr · weight_decay times itself; here it loses lr · weight_decay, however large it is.": right["constant"],
                  "The decay does not go through the division by the root: it shrinks the weight itself.": right["in the step"],
                  "The weight shrinks also in a pass that gives it no gradient.": right["decays always"]}
        if len(starts) > 1:
            slips |= {"The weight decay is for every parameter, also for one with a single axis.": right["matrices"]}
    if "weight_decay" not in given:
        slips |= {"Where no weight_decay is given it is 0, as the `def` line says; 0.01 is what torch.optim.AdamW takes.": adam_by_hand(starts, gradients, lr, betas, eps, 0.01)}
    if eps > 1e-4:
        slips |= {"ε is added to the root, not under it.": right["eps inside"], "ε is added to the root of the corrected v.": right["eps early"], "The argument `eps` has no effect.": right["default eps"]}
    if betas != (0.9, 0.999):
        slips |= {"The argument `betas` has no effect.": right["default betas"]}
    for i in frozen:
        for values in right.values():
            values[i] = starts[i]
    near = all(torch.allclose(torch.as_tensor(one), other, rtol=1e-5, atol=1e-8) for one, other in zip(after, right[""]))
    single = "" if near else which_adam(decay)
    if not isinstance(anew, str):
        anew = next((words for words, yours, other in zip(anew, after, right[""]) if not torch.allclose(torch.as_tensor(yours), other, rtol=1e-5, atol=1e-8)), "")
    if single:
        anew = anew or single
    elif any(torch.isnan(torch.as_tensor(value)).any() for value in after):
        anew = "The root of a negative number is nan, and so is 0 / 0: v averages the squares of the gradients, m and v are two tensors, and t is 1 in the first step."
    assert_close(list(after), right[""], f"the parameters after {about}", of=of, rtol=1e-5, mistakes=slips, hint=anew or "A step of a parameter: w shrinks by the factor 1 - lr · weight_decay, "
                 "g goes into m and g² into v, and then w loses lr · (m / (1 - β₁^t)) / (√(v / (1 - β₂^t)) + ε), with the parameter's own m, v and t.")
    assert_equal(left, 0, f"how many gradients are left after {about}", of="freed", hint="Free them in the hook: p.grad = None.")
    assert_equal(made, 0, f"how many optimizer objects were made, {about}", of="no optimizer", hint="Write the rule into the hook, without an optimizer.")
    assert_equal(handles, len(starts) - len(frozen), f"how many handles are returned (-1: no list; -2: a list with lists or dictionaries in it; -3: one stands there twice), {about}", of="handles",
                 hint="Return the handles, one for each parameter that requires a gradient.", mistakes=HANDLES)
    assert_close(list(moved), [0.] * len(after), f"how far parameters move in a pass after remove() of the handles, {about}", of="handles",
                 hint="Return the handle of each hook, as register_post_accumulate_grad_hook gives it.")
    assert_equal(kept, len(starts) - len(frozen), f"how many parameters have a gradient after a pass without hooks, after remove() of the handles, {about}",
                 of="handles", hint="Return the handles of all your hooks, also of one that frees.")

def few_gradients():
    starts = [torch.tensor([1., -2., 3.], dtype=torch.float64), torch.tensor([[0.5, 4.]], dtype=torch.float64)]
    given = [[torch.tensor([4., -1., 0.5], dtype=torch.float64), torch.tensor([[2., -8.]], dtype=torch.float64)],
             [torch.tensor([-2., -1., 3.], dtype=torch.float64), torch.tensor([[1., 5.]], dtype=torch.float64)],
             [torch.tensor([0.25, 0., -0.5], dtype=torch.float64), torch.tensor([[-3., 0.125]], dtype=torch.float64)]]
    at_times = [given[0], [given[1][0], None], [given[2][0], None], given[1]]
    return starts, given, [g[:1] for g in given], at_times, [given[0], [0 * g for g in given[1]], given[2]]

DEFAULTS = "Where betas, eps and weight_decay are given, one parameter is trained as it should be; where they are not, they are those of the `def` line: (0.9, 0.999), 1e-8 and 0."
SECOND = "A second network begins anew: make m, v and t inside of attach_adamw, in each call."
starts_, given_, first_, at_times_, zeros_ = few_gradients()
check_adam("rule", starts_[:1], first_, 0.1, (0.8, 0.95), 0.1, 0., "three passes of one parameter, betas (0.8, 0.95), ε = 0.1")
check_adam("own t", starts_[:1], first_, 0.1, (0.8, 0.95), 0.1, 0., "the same three passes of a second network", anew=SECOND)
check_adam("rule", starts_[:1], first_, 0.1, (0.9, 0.999), 1e-8, 0., "three passes of one parameter, attached by attach_adamw(net, 0.1)", given=("lr",), anew=DEFAULTS)
check_adam("own t", starts_, given_, 0.1, (0.9, 0.999), 1e-8, 0., "three passes of two parameters")
AT_TIMES = "the second takes part in the first and the last only"
check_adam("own t", starts_, at_times_, 0.1, (0.9, 0.999), 1e-8, 0., f"four passes of two parameters; {AT_TIMES}",
           anew=("The first parameter has a gradient in all four passes: its t is 1, 2, 3, 4, whatever the second one does.", "In the fourth pass the second parameter takes its second step: its t is 2."))
check_adam("own t", starts_, zeros_, 0.1, (0.9, 0.999), 1e-8, 0., "three passes of two parameters, with gradients of zeros in the second")
check_adam("weight decay", starts_, given_, 0.1, (0.9, 0.999), 1e-8, 0.3, "three passes of two parameters, decay 0.3")
check_adam("own t", starts_, at_times_, 0.1, (0.9, 0.999), 1e-8, 0.3, f"four passes of two parameters, decay 0.3; {AT_TIMES}")
check_adam("handles", starts_, given_, 0.1, (0.9, 0.999), 1e-8, 0., "three passes of two parameters, the second frozen", frozen=[1])
### BEGIN HIDDEN TESTS
def more_gradients(sizes, count, seed_):
    rng = torch.Generator().manual_seed(seed_)
    return [torch.randn(size, generator=rng, dtype=torch.float64) for size in sizes], [[torch.randn(size, generator=rng, dtype=torch.float64) for size in sizes] for i in range(count)]

check_adam("rule", *more_gradients([(3, 2)], 5, 24), 0.05, (0.7, 0.9), 1e-2, 0., "five passes of one parameter, ε = 0.01")
check_adam("rule", *more_gradients([(2, 2)], 4, 23), 0.05, (0.9, 0.999), 1e-8, 0., "four passes of one parameter, attached by attach_adamw(net, 0.05)", given=("lr",), anew=DEFAULTS)
check_adam("weight decay", *more_gradients([(4,)], 6, 25), 0.05, (0.8, 0.95), 1e-8, 0.2, "six passes of one parameter with decay")
check_adam("own t", *more_gradients([(3, 2), (4,), (3, 2)], 6, 26), 0.05, (0.8, 0.95), 1e-2, 0.1, "six passes of three parameters, two of one shape")
def now_and_then():
    begin, steps = more_gradients([(2,), (2, 3), (2,)], 6, 28)
    return begin, [[g if number % (i + 1) == 0 else None for i, g in enumerate(step)] for number, step in enumerate(steps)]

def zeros_between():
    begin, steps = more_gradients([(3,), (2, 2)], 3, 29)
    return begin, [[g * (number != 1) for g in step] for number, step in enumerate(steps)]

check_adam("own t", *zeros_between(), 0.05, (0.8, 0.95), 1e-8, 0., "three passes of two parameters, with gradients of zeros in the second")
check_adam("own t", *now_and_then(), 0.05, (0.8, 0.95), 1e-8, 0.1, "six passes of three parameters, the second in every second pass only, the third in every third")
check_adam("own t", *more_gradients([(3, 2), (4,), (3, 2)], 6, 26), 0.05, (0.8, 0.95), 1e-2, 0.1, "the same six passes of three parameters in a second network", anew=SECOND)
check_adam("handles", *more_gradients([(2, 2), (3,), (1,)], 3, 27), 0.02, (0.9, 0.99), 1e-8, 0., "three passes, the first of three frozen", frozen=[0])

@probe
def adam_network(network, batches):
    net = deep_mlp(*network).double()
    attach_adamw(net, 0.01, weight_decay=0.1)
    for X, Y in batches:
        backward_pass(net, X, Y)
    return [p.detach() for p in net.parameters()]

def against_torch():
    some = random_batches(8, 6, 5, 2, 25, torch.float64)
    twin = deep_mlp((5, 4, 4, 2), 3).double()
    assert_close(list(adam_network([(5, 4, 4, 2), 3], some)), train_plain(twin, OPTIMIZERS["AdamW"](twin.parameters()), some), "eight passes of a network, against torch.optim.AdamW", of="weight decay", rtol=1e-5, hint="w shrinks by the factor 1 - lr · weight_decay before the step, for every parameter, and each has its own m, v and t.")

against_torch()
### END HIDDEN TESTS

# %% [markdown] teaches="release of activations, weak reference"
# ## 6. Activations go, too
#
# The pass frees more than gradients. When a node of the graph has run its backward, it lets go of the tensors that it saved. So the activations disappear from the end to the beginning while the pass goes on, and the memory can take the gradients.
#
# To see that, one needs a name that does not itself keep its object alive: a *weak reference*. Called, it gives the object, or `None` if it is gone. The next cell makes a network whose Tanh layers leave weak references to the memory of their outputs.

# %% tags=["setup"]
def tanh_network(depth):
    """`depth` times Linear and Tanh, 8 units each, and a list that will hold weak references to the outputs of Tanh."""
    torch.manual_seed(0)
    net = nn.Sequential(*[layer for i in range(depth) for layer in (nn.Linear(8, 8), nn.Tanh())])
    references = []
    for layer in net[1::2]:
        layer.register_forward_hook(lambda module, args, output: references.append(weakref.ref(output.untyped_storage())))
    return net, references


def count_alive(references):
    """How many of the objects are still there."""
    return sum(reference() is not None for reference in references)

# %% [markdown]
# How many of five outputs are alive after the pass, if it is run in one way or another, and the `loss` is kept or not?

# %% tags=["demo"]
for name, options, keep in (("backward()", {}, False), ("backward(), loss kept", {}, True), ("retain_graph, loss kept", {"retain_graph": True}, True),
                            ("retain_graph, loss dropped", {"retain_graph": True}, False), ("no backward, loss kept", None, True)):
    tanh_net, references = tanh_network(5)
    loss = tanh_net(torch.ones(3, 8)).sum()
    if options is not None:
        loss.backward(**options)
    if not keep:
        del loss
    print(f"{name:28}", count_alive(references), "of 5 alive")

# %% [markdown] teaches="release of activations"
# ⚠ `retain_graph=True` switches the release off: all five stay until the graph itself is dropped. Dropping `loss`, the last name that led to the graph, does that.
#
# ⚠ It is said that a `loss` which is kept holds the activations, too. That is so as long as `backward()` was not called: the last line of the table, and the reason why losses of a validation run should be computed under `no_grad` or kept as numbers. After `backward()` a kept `loss` holds the nodes of the graph, but no activation.

# %% [markdown] task="B.2.5" kind="answer" minutes=10 difficulty=3 needs="release of activations, saved tensors, retain_graph, post-accumulate hook"
# ### Alive at what moment?
#
# The network of `tanh_network(k)`, in the cell above the table, has `k` times Linear and Tanh. Number the Linear layers 0 … `k` − 1 from the input. In the backward pass of `net(X).sum()`, stop at the moment in which the gradient of the *weight of layer `i`* has arrived (a hook
# on the weight would run now). How many of the `k` outputs of Tanh are alive?
#
# Write `alive_at(i, k, way)`, an integer, for four ways to run the pass:
#
# - `"plain"`: `net(X).sum().backward()`
# - `"retain"`: `net(X).sum().backward(retain_graph=True)`
# - `"output"`: `out = net(X)`, then `out.sum().backward()`; the name `out` lives on
# - `"collected"`: the outputs of all Tanh layers are also put into a list that lives on, then as `"plain"`
#
# Tanh saves its output for its own backward; a Linear saves its input, for the gradient of its weight. Measure, if you like: `tanh_network(k)` gives the network and a list, which its forward pass fills with weak references to the outputs; `count_alive` counts those that are alive.
#
# **You are done when** the number is right for every layer `i` from 0 to `k` − 1 and every `k`,
# - **plain**: for `"plain"`;
# - **retain**: for `"retain"`;
# - **output**: for `"output"`;
# - **collected**: for `"collected"`.

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
REASONS = {"plain": "What has run its backward has let go of what it saved, and what has not holds on: Linear i and all above it have run, Tanh i - 1 and all below it have not.", "retain": "retain_graph holds everything: all k outputs, at every moment.",
           "output": "Beside what the graph still holds, the name out holds one tensor, the last output.", "collected": "The list holds every output: all k, at every moment."}

def check_alive(i_, k_, way, right):
    slips = {"plain": {
        "When the gradient of layer i's weight has arrived, Tanh i and what lies above it have run their backward: output i is gone.": i_ + 1,
        "Tanh i - 1 has not run its backward yet: it still holds its output i - 1.": i_ - 1, "The pass goes from the last layer to the first: it has let go of what lies above.": k_ - i_ - 1,
        "The pass goes from the last layer to the first, so what lies above is gone.": k_ - i_, "The pass lets go on its way, not at its end.": k_, "What lies below has not run yet, and holds on.": 0},
        "output": {"As many as with \"plain\", and one more: the last output, which the name out holds. The graph has let go of that one by now, also where i is k - 1.": i_,
        "The name out holds one tensor, the last output, and not the graph's other ones.": k_, "The name out holds one output more than with \"plain\", not two.": i_ + 2,
        "The name out holds the last output; those that the graph holds, as with \"plain\", are there, too.": 1}}
    assert_equal(alive_at(i_, k_, way), right, f"alive_at({i_}, {k_}, {way!r})", of=way, hint=REASONS[way], mistakes=slips.get(way, {}) | {"This is the number for \"plain\"; here all k are held, by " + {"retain": "the graph that is retained.", "collected": "the list."}[way]: i_} if way in ("retain", "collected") else slips[way])

for way, right in (("plain", 2), ("retain", 10), ("output", 3), ("collected", 10)):
    check_alive(2, 10, way, right)
for way, right in (("plain", 4), ("retain", 5), ("output", 5), ("collected", 5)):
    check_alive(4, 5, way, right)
for way, right in (("plain", 0), ("retain", 3), ("output", 1), ("collected", 3)):
    check_alive(0, 3, way, right)
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

for way in REASONS:
    for k in (1, 3, 6):
        for i, right in counted(k, way).items():
            check_alive(i, k, way, right)
### END HIDDEN TESTS

# %% [markdown] teaches="limits of the fused update"
# ## 7. What does not fit into one pass
#
# The fused update decides about a parameter when its gradient arrives. At that moment the gradients above it are gone, and those below do not exist yet. A rule that wants to know something about *all* gradients comes too late or too early. Clipping by the global norm is such a rule (5.4): all gradients are multiplied by one factor, which depends on all of them.
#
# The same holds for a rule that needs several *passes*. A batch that is too large for the memory can be cut into micro-batches, whose gradients are added in `.grad` before a single step. A gradient that is to wait for the next pass cannot be freed in this one.
#
# And a parameter that is used twice, in two layers? Autograd adds up both contributions before it calls the hook:

# %%
shared = nn.Linear(2, 2, bias=False)
twice = nn.Sequential(shared, nn.Tanh(), shared)
arrivals = []
handle = shared.weight.register_post_accumulate_grad_hook(lambda p: arrivals.append(p.grad.norm().item()))
twice(torch.ones(1, 2)).sum().backward()
print("calls of the hook:", len(arrivals))
handle.remove()

# %% [markdown]
# Our form by hand goes layer by layer. It visits this weight twice, and at its first visit it has half of the gradient.

# %% [markdown] task="B.2.6" kind="explain" minutes=15 difficulty=3 needs="limits of the fused update, updates of parameters are independent, gradient clipping"
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
# **You are done when**
# - **names**: `one_pass` is a set (or list, or tuple) of names from the list above;
# - **fits**: every rule that can be had in one pass is in it;
# - **does not fit**: no other one is.
#
# The words are complete when they answer all three questions with a reason each.

# %% exercise="B.2.6"
### BEGIN SOLUTION
one_pass = {"SGD", "momentum", "AdamW", "clip each entry to [-c, c]", "clip each parameter's gradient by its own norm"}
### END SOLUTION

# %% [markdown] hints="B.2.6"
# 1. What must be known at the moment in which a parameter is updated?
# 2. A condition on *all* gradients is known only when the last of them has arrived, and by then the first are gone. A mean over two passes is known in the second.
# 3. Dividing each student's marks by that student's best can be done as the papers come in. Dividing by the best of the class cannot.

# %% check="B.2.6" points=2 hidden_only="which of the eight fit is the question: the visible part asks for one that is easy, and that not all are taken"
OFFERED = {"SGD", "momentum", "AdamW", "clip each entry to [-c, c]", "clip each parameter's gradient by its own norm",
           "clip by the norm of all gradients", "skip the step if any gradient is not finite", "mean over two micro-batches"}
assert_type(one_pass, (set, frozenset, list, tuple), "one_pass", of="names", hint="A set of strings, each a name of its own: one_pass = {\"...\", \"...\"}.")
assert_equal([name for name in one_pass if name not in list(OFFERED)], [], "names in one_pass that were not offered", of="names", hint="Copy the names as they are written in the task.")
assert_equal("SGD" in one_pass, True, "whether 'SGD' is in one_pass", of="fits", hint="It can be had in one pass: that is what this section did. Asked for are the rules that can be had, not the others.")
assert_equal(len(set(one_pass)) == 8, False, "whether all eight names are in one_pass", of="does not fit", hint="Is all that each one needs known when the first gradient arrives?")
### BEGIN HIDDEN TESTS
LOCAL = {"SGD", "momentum", "AdamW", "clip each entry to [-c, c]", "clip each parameter's gradient by its own norm"}
assert_true(set(one_pass) <= OFFERED, "all names were offered", of="names", hint="Copy the names as they are written in the task.")
with part(1, "the rules that fit", of="fits"):
    for name in sorted(LOCAL):
        assert_equal(name in one_pass, True, f"whether {name!r} is in one_pass", hint="It needs this parameter's gradient and state, and nothing else.")
with part(1, "the rules that do not fit", of="does not fit"):
    for name in sorted(OFFERED - LOCAL):
        assert_equal(name in one_pass, False, f"whether {name!r} is in one_pass", hint={
            "clip by the norm of all gradients": "The factor is known when the last gradient has arrived, and the first ones are gone by then.",
            "skip the step if any gradient is not finite": "It is known when the last gradient has arrived, and the first steps are done by then.",
            "mean over two micro-batches": "It needs the gradients of a second pass, and those of the first are freed by then."}[name])
total()
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

# %% [markdown]
# ## Summary
#
# - Training holds parameters, gradients and the optimizer's state. The gradients are a half of this with SGD, a quarter with Adam: freeing them early is worth most where there is no state.
# - Update rules look at one parameter each, so it can be updated inside of the backward pass; if gradients go through the old weights, the result is the plain loop's in every bit.
# - By hand: cut the graph by `detach()` and send the gradient from piece to piece. By hooks: `register_post_accumulate_grad_hook`, with one argument, returning `None`, each with its own state.
# - The pass lets go of activations on its way, unless `retain_graph`, a name or a list holds them; a kept `loss` holds them only as long as `backward()` has not run.
# - What needs all gradients at once, or several passes, does not fit. B.3 measures what the fused update saves, and what clipping by the global norm costs then.
