# %% [markdown]
# # 5.4 Numerical stability and initialisation
#
# Every training so far began with some small random weights, and nobody asked which. With one hidden layer it hardly
# matters. With twenty it decides everything: from one start the network learns in seconds, from another nothing moves
# for a week, from a third the first step ends in `nan`. All three networks compute the same kind of function. Only the
# first numbers differ.
#
# This section finds out why. At its end you can
# - measure how large the signal and the gradient are in each layer of a network, and say which layers will learn;
# - predict these sizes before you run anything, with a book-keeping of variances on one line of paper;
# - derive from it the two starts that everybody uses, Xavier's and He's, and know what the library does by itself;
# - say why the start must be random at all, and where it need not be;
# - rescue a network whose start was wrong.

# %% tags=["setup"]
from d2l_utils.check import *
import math
import torch
from torch.nn import functional as F

ACTIVATIONS = {"identity": lambda Z: Z, "sigmoid": torch.sigmoid, "tanh": torch.tanh, "relu": torch.relu}

# %% [markdown] teaches="vanishing gradient, exploding gradient, product of factors along the layers"
# ## 1. A product of many factors
#
# A deep network is a chain. Each layer takes the output of the one before, multiplies it by its weights and bends it by an
# activation function. The chain rule (2.4) says what this does to a derivative: every layer puts in one factor, and the
# derivative of the loss with respect to something early is the *product* of all the factors that come later.
#
# A product of many factors hates to stay of ordinary size. The slope of the sigmoid is at most 1/4, so let each of twenty
# layers contribute 1/4. Or let each contribute 1.5:

# %% teaches="vanishing gradient, exploding gradient"
print("0.25 to the power 20:", 0.25 ** 20)
print("1.5 to the power 20: ", 1.5 ** 20)

generator = torch.Generator().manual_seed(0)
M = torch.eye(4)                                         # the unit matrix (4, 4)
for k in range(1, 101):
    M = M @ torch.randn(4, 4, generator=generator)       # entries from the normal distribution with variance 1
    if k in (1, 10, 50, 100):
        print(f"product of {k:3} matrices: largest entry {M.abs().max():.3g}")
print("largest number of float32: ", torch.finfo(torch.float32).max)

# %% [markdown]
# Twenty factors of 1/4 leave $10^{-12}$. Twenty factors of 1.5 make 3,325. With matrices it is the same: nothing in
# a random 4 by 4 matrix looks dangerous, and a hundred of them reach $10^{25}$. Sixty more, and float32 has no number
# for it.
#
# The two faults have names. A gradient **vanishes** if it becomes so small on its way back through the layers that the early
# weights do not move. It **explodes** if it becomes so large that one step throws the weights far away. They are one fault with
# two faces: a factor for each layer that is not near 1.

# %% [markdown] task="5.4.A" kind="code" minutes=2 difficulty=1 core=true needs="vanishing gradient, exploding gradient"
# ### How many layers until then
#
# Every layer multiplies the gradient by the same positive number `factor`, not 1. Write `layers_until(factor, limit)`: the
# smallest number of layers after which the gradient, 1 at first, is below `limit` (if `factor` is less than 1; then `limit` is, too)
# or above `limit` (if `factor` is greater than 1; then `limit` is, too). No power of `factor` meets the limit exactly.
#
# **You are done when**
# - **shrinking**: the number is right for factors below 1;
# - **growing**: the number is right for factors above 1;
# - **whole**: it is a whole number, an `int`.

# %% exercise="5.4.A"
def layers_until(factor, limit):
    """The smallest number of layers after which factor ** layers has passed the limit."""
    ### BEGIN SOLUTION
    layers, size = 0, 1.0
    while (size >= limit) if factor < 1 else (size <= limit):
        layers, size = layers + 1, size * factor
    return layers
    ### END SOLUTION

# %% [markdown] hints="5.4.A"
# 1. What is the gradient after one layer, after two, after three?
# 2. A `while` loop that multiplies and counts does it. (Or take logarithms: $f^n < t$ means $n \log f < \log t$, and dividing by a
#    negative number turns the sign round.)
# 3. With the factor 0.5 and the limit 0.2: 0.5, 0.25, 0.125, so three layers.

# %% check="5.4.A" points=1
def slips_of_54A(factor, limit, right):
    """What known mistakes give, each with its sentence."""
    small = factor < 1
    return {f"After that many layers the gradient is still {'above' if small else 'below'} the limit.": right - 1, "One layer fewer is enough.": right + 1,
            f"For a factor {'below' if small else 'above'} 1, go on as long as the gradient is {'above' if small else 'below'} the limit.": 0,
            "A number of layers is not negative: both logarithms have the same sign.": -right,
            "Each layer multiplies the gradient; it does not take the same amount off or add it each time.": math.ceil(abs(1 - limit) / abs(1 - factor)),
            "Both logarithms must have the same base.": math.ceil(math.log10(limit) / math.log(factor))}

def sure_of_54A(factor, limit, right):
    """The same, without formulas that give other numbers than the answer elsewhere: small whole numbers agree by chance."""
    slips = slips_of_54A(factor, limit, right)
    for sentence in [*slips][-2:] if layers_until(factor, limit) != right else []:
        if any(layers_until(f, l) != slips_of_54A(f, l, 0)[sentence] for f, l in (((0.97, 0.02), (0.8, 0.5)) if factor < 1 else ((1.03, 90.0), (7.0, 60.0)))):
            del slips[sentence]
    short = next(iter(slips))
    if layers_until(factor, limit) == right - 1 and layers_until(0.25, 1e-6) == 10 and layers_until(7.0, 60.0) == 2:
        slips[short + " The ratio of the logarithms was rounded to the nearest number: a part of a layer is a whole one."] = slips.pop(short)
    return slips

def test_of_54A(factor, limit, right, of):
    answer = layers_until(factor, limit)
    assert_type(answer, int, f"layers_until({factor}, {limit})", of="whole", hint="A whole number is asked for: `math.ceil(...)` or `int(...)` makes an int of a float, a counter is one.")
    assert_equal(answer, right, f"layers_until({factor}, {limit})", of=of, mistakes=sure_of_54A(factor, limit, right),
                 hint=f"After {max(answer, 0)} layers the gradient is {factor ** max(answer, 0):.3g}, still {'above' if factor < 1 else 'below'} the limit: each layer multiplies it by {factor}." if answer < right else
                 f"The limit is passed earlier: multiply by {factor} until then, and count.")

test_of_54A(0.25, 1e-6, 10, "shrinking")
test_of_54A(0.8, 0.5, 4, "shrinking")
test_of_54A(1.5, 3000, 20, "growing")
test_of_54A(7.0, 60.0, 3, "growing")
### BEGIN HIDDEN TESTS
for factor_, limit_ in ((0.1, 0.3), (0.99, 0.01), (0.6, 1e-9)):
    test_of_54A(factor_, limit_, math.ceil(math.log(limit_) / math.log(factor_)), "shrinking")
for factor_, limit_ in ((1.01, 2.5), (3.0, 1e8), (50.0, 1.2)):
    test_of_54A(factor_, limit_, math.ceil(math.log(limit_) / math.log(factor_)), "growing")
### END HIDDEN TESTS

# %% [markdown] teaches="hidden layer, activation function, signal of a layer, backward signal, gradient of each layer"
# ## 2. Look into every layer
#
# Guessing is not needed: one can measure. Here is a network of L layers, without biases, to keep the formulas short. The batch
# $\mathbf H^{(0)} = \mathbf X$ has shape $(n, d_0)$. Layer $l$ has weights $\mathbf W^{(l)}$ of shape $(d_{l-1}, d_l)$, and
#
# $$\mathbf Z^{(l)} = \mathbf H^{(l-1)} \mathbf W^{(l)}, \qquad \mathbf H^{(l)} = f(\mathbf Z^{(l)}), \qquad l = 1, \dots, L,$$
#
# with an activation function $f$ that acts on each entry. The layers between the first input and the last output are called hidden.
# What a layer passes on, $\mathbf H^{(l)}$ of shape $(n, d_l)$, is the forward signal.
#
# Training sends a second signal the other way. Call it $\mathbf G^{(l)}$, the derivative of the loss with respect to
# $\mathbf H^{(l)}$; it has the same shape, $(n, d_l)$. The chain rule takes it back through the layer in two moves, through
# the bend (a factor $f'$ for each entry) and through the weights:
#
# $$\mathbf G^{(l-1)} = \big(\mathbf G^{(l)} \circ f'(\mathbf Z^{(l)})\big)\, {\mathbf W^{(l)}}^\top .$$
#
# The circle means: entry by entry. Shapes: $(n, d_l)$ times $(d_l, d_{l-1})$ gives $(n, d_{l-1})$. And the gradient for
# the weights themselves is made of both signals,
#
# $$\frac{\partial \ell}{\partial \mathbf W^{(l)}} = {\mathbf H^{(l-1)}}^\top \big(\mathbf G^{(l)} \circ f'(\mathbf Z^{(l)})\big),
# \qquad (d_{l-1}, n) \text{ times } (n, d_l) .$$
#
# So a layer stops learning if *either* signal dies on its way there. To measure without choosing a task, we take a stand-in for
# a loss: $\ell = \frac1n \sum (\mathbf H^{(L)} \circ \mathbf C)$ with random numbers $\mathbf C$. Its derivative with respect to the output is
# $\mathbf C / n$, of an ordinary size, so whatever happens to the gradient happens in the layers. The size of a tensor is its *root mean square*, `rms`.

# %% teaches="gradient of each layer"
def rms(T):
    """The root of the mean of the squares of all entries."""
    return T.square().mean().sqrt().item()

def measure(Ws, X, C, activation):
    """The sizes of the forward and of the backward signal after each layer, two lists of L numbers."""
    H, forward = X, []
    for W in Ws:
        H = ACTIVATIONS[activation](H @ W)
        forward.append(H)
    loss = (H * C).sum() / len(X)
    backward = torch.autograd.grad(loss, forward)        # one derivative for each tensor of the list
    return [rms(H) for H in forward], [len(X) * rms(G) for G in backward]

def normal_start(widths, std, seed):
    """Weights with normal entries of standard deviation `std`, one matrix (a, b) for each two neighbouring widths."""
    generator = torch.Generator().manual_seed(seed)
    return [(std * torch.randn(a, b, generator=generator)).requires_grad_() for a, b in zip(widths, widths[1:])]

generator = torch.Generator().manual_seed(1)
X, C = torch.randn(100, 64, generator=generator), torch.randn(100, 64, generator=generator)
starts = [("sigmoid", 0.125), ("relu", 0.3), ("tanh", 0.5), ("relu", 0.177)]
sizes = {}
for activation, std in starts:
    sizes[activation, std] = measure(normal_start([64] * 21, std, seed=2), X, C, activation)
    forward, backward = sizes[activation, std]
    print(f"{activation:7} std {std:5}: forward, layers 1, 10, 20: {forward[0]:8.2g} {forward[9]:8.2g} {forward[19]:8.2g}"
          f"   backward: {backward[0]:8.2g} {backward[9]:8.2g} {backward[19]:8.2g}")

# %% [markdown]
# `torch.autograd.grad(loss, tensors)` returns the derivatives with respect to a list of tensors, and leaves every `.grad` alone. The
# measured backward signals were multiplied by n, so that the last one is the size of $\mathbf C$, about 1. Read each row from the last layer to the first. Here is the same for all twenty layers:

# %% tags=["demo"]
import matplotlib.pyplot as plt

figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
for (activation, std), style in zip(starts, ("-", "--", ":", "-.")):
    for ax, values in zip(axes, sizes[activation, std]):
        ax.plot(range(1, 21), values, style, label=f"{activation}, std {std}")
axes[0].set(xlabel="layer", ylabel="rms", yscale="log", title="forward signal", xticks=[1, 5, 10, 15, 20])
axes[1].set(xlabel="layer", yscale="log", title="backward signal", xticks=[1, 5, 10, 15, 20])
for ax in axes:
    ax.grid(alpha=0.3)
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
plt.show()

# %% [markdown]
# What to see: on the right every curve starts at the right end, near 1, and runs to the left, through the layers. The sigmoid (solid)
# looks healthy on the way forward, and its backward signal falls by a constant factor in each layer, down to about $10^{-12}$. ReLU with std 0.3
# (dashed) explodes both ways. tanh with std 0.5 (dotted) is the deceptive case: forward it is always between -1 and 1, backward it explodes.
# ReLU with std 0.177 (dash-dotted) stays, within a factor of 4 over twenty layers. That number is no accident; part 3 derives it.
#
# So a look at the outputs is not enough. Does it matter in training? Three classes of points in the plane, by their distance from the
# origin; 8 hidden layers of 32 units; 300 steps of gradient descent. For each layer, how far did its
# weights get, as a share of their size?

# %% tags=["setup"]
def ring_points(n, seed):
    """n points (n, 3), the last column 1 (it serves as a bias), and their classes (n,): 0, 1, 2 by distance from the origin."""
    points = torch.randn(n, 2, generator=torch.Generator().manual_seed(seed))
    distance = points.norm(dim=1)
    return torch.cat([points, torch.ones(n, 1)], dim=1), (distance > 0.8).long() + (distance > 1.5).long()

# %%
X_ring, y_ring = ring_points(300, seed=1)

def scores(Ws, X, activation):
    """The network's output without an activation at the end, logits for a softmax."""
    for W in Ws[:-1]:
        X = ACTIVATIONS[activation](X @ W)
    return X @ Ws[-1]

def train(Ws, activation, lr, steps, change=lambda Ws, gradients: gradients):
    """Gradient descent on the cross-entropy; returns the losses and the new weights. (`change` may alter the gradients before a step: part 6.)"""
    Ws, losses = [W.detach().clone().requires_grad_() for W in Ws], []
    for _ in range(steps):
        loss = F.cross_entropy(scores(Ws, X_ring, activation), y_ring)
        gradients = change(Ws, torch.autograd.grad(loss, Ws))
        losses.append(loss.item())
        with torch.no_grad():
            for W, gradient in zip(Ws, gradients):
                W -= lr * gradient
    return losses, Ws

def start_by(rule, widths, seed):
    """Normal weights whose standard deviation is rule(a, b) for a matrix of shape (a, b)."""
    generator = torch.Generator().manual_seed(seed)
    return [rule(a, b) * torch.randn(a, b, generator=generator) for a, b in zip(widths, widths[1:])]

# %% tags=["demo"]
widths = [3] + [32] * 8 + [3]
for activation, rule, lr in (("sigmoid", lambda a, b: math.sqrt(1 / a), 0.2), ("sigmoid", lambda a, b: math.sqrt(1 / a), 5.0), ("relu", lambda a, b: math.sqrt(2 / a), 0.2)):
    before = start_by(rule, widths, seed=0)
    losses, after = train(before, activation, lr=lr, steps=300)
    accuracy = (scores(after, X_ring, activation).argmax(dim=1) == y_ring).float().mean()
    print(f"{activation:7} rate {lr}: loss {losses[0]:.3f} to {losses[-1]:.3f}, accuracy {accuracy:.3f}; moved by",
          *(f"{((b - a).norm() / a.norm()).item():.0e}" for a, b in zip(before, after)))

# %% [markdown]
# In the sigmoid's network with rate 0.2 the last layer moved by 4 %, the first by 0.002 %: to move by a fifth, the first layer
# would need three million steps at this pace. A larger rate does not help: with rate 5 the last layer is thrown about by four times its size, and the first moved by 0.005 %. One rate cannot serve layers whose gradients differ so much. The ReLU network moved in every layer.
# (A loss of 1.095 is what one reaches without looking at the points: log 3 = 1.099 if the three classes are thought equally likely, a little less with their true shares.)
#
# This is why deep networks were thought impossible to train for a long time, and a reason why ReLU, whose slope is 1 wherever
# it is not 0, has replaced the sigmoid between the layers.

# %% [markdown] task="5.4.5" kind="code" minutes=10 difficulty=2 core=true needs="gradient of each layer, vanishing gradient, frobenius norm"
# ### The gradient of every weight matrix
#
# `measure` looked at signals. What moves the weights is the gradient with respect to each matrix. Write
# `gradient_sizes(Ws, X, C, activation)` for the network above: `Ws` is a list of L matrices that fit one after the other, `X` a batch of n
# rows, `C` has the shape of the output, and `activation` is a key of `ACTIVATIONS`; it acts after every layer, the last one included. The loss is
# $\ell = \frac1n \sum (\mathbf H^{(L)} \circ \mathbf C)$. The matrices in `Ws` may come with or without `requires_grad`.
#
# **You are done when**
# - **one for each layer**: a list of L numbers comes back, the first layer first;
# - **size**: each is the Frobenius norm of the derivative of ℓ with respect to that matrix;
# - **activation**: it is the one that was asked for, after every layer.

# %% exercise="5.4.5"
def gradient_sizes(Ws, X, C, activation):
    """The Frobenius norms of the gradients with respect to each matrix, a list of L numbers."""
    ### BEGIN SOLUTION
    leaves = [W.detach().clone().requires_grad_() for W in Ws]
    H = X
    for W in leaves:
        H = ACTIVATIONS[activation](H @ W)
    gradients = torch.autograd.grad((H * C).sum() / len(X), leaves)
    return [gradient.norm().item() for gradient in gradients]
    ### END SOLUTION

# %% [markdown] hints="5.4.5"
# 1. In `measure`, derivatives were taken with respect to the signals. With respect to what are they needed here?
# 2. `[W.detach().clone().requires_grad_() for W in Ws]` makes leaves of the matrices, whatever they were. Run the network with these.
# 3. For one layer with the identity, $\ell = \frac1n \sum (\mathbf X \mathbf W \circ \mathbf C)$ has the gradient $\mathbf X^\top \mathbf C / n$.

# %% check="5.4.5" points=2
from numpy import ndarray

def chain_for_545(sizes_, std, seed, dtype):
    rng = torch.Generator().manual_seed(seed)
    matrices = [std * torch.randn(a, b, generator=rng, dtype=dtype) for a, b in zip(sizes_, sizes_[1:])]
    return matrices, torch.randn(5 + seed % 3, sizes_[0], generator=rng, dtype=dtype), torch.randn(5 + seed % 3, sizes_[-1], generator=rng, dtype=dtype)

def by_hand_545(matrices, batch, direction, name, to_the_end=True, bend=True, from_the_start=True, behind=False, squares=False, own=True):
    """The gradients of the matrices and of the signals by the formulas of the page, backwards by hand."""
    slopes = {"identity": lambda Z: torch.ones_like(Z), "sigmoid": lambda Z: torch.sigmoid(Z) * torch.sigmoid(-Z), "tanh": lambda Z: 1 - torch.tanh(Z) ** 2, "relu": lambda Z: (Z > 0).to(Z.dtype)}
    Hs, Zs = [batch], []
    for W in matrices:
        Zs.append(Hs[-1] @ W)
        Hs.append(ACTIVATIONS[name](Zs[-1]) if from_the_start or len(Zs) > 1 else Zs[-1])
    G, found, signals = (2 * (Hs[-1] - direction) if squares else direction) / len(batch), [], []
    for i in reversed(range(len(matrices))):
        signals.insert(0, G)
        D = G * slopes[name](Hs[i + 1] if behind else Zs[i]) if bend and (to_the_end or i < len(matrices) - 1) and (from_the_start or i) else G
        found.insert(0, Hs[i].T @ (D if own else G))
        G = D @ matrices[i].T
    return found, signals

def slips_of_545(chain, name):
    """What known mistakes give, each with its sentence."""
    (matrices, batch, direction), (gradients, signals) = chain, by_hand_545(*chain, name)
    norms = [g.norm().item() for g in gradients]
    slips = {"These are n times as large: the loss is divided by the number of rows, and the norms are taken as they are.": [len(batch) * v for v in norms],
             "These are the norms of the matrices: those of the gradients are asked for.": [W.norm().item() for W in matrices], "These are the squares of the norms.": [v ** 2 for v in norms],
             "The sum over all entries is divided by n, the number of rows, and by nothing else.": [v / direction.shape[1] for v in norms],
             "n is the number of rows of X, not that of the columns of C.": [v * len(batch) / direction.shape[1] for v in norms],
             "n is the number of rows of X, not that of its columns.": [v * len(batch) / batch.shape[1] for v in norms],
             "This is the root mean square of each gradient: the norm does not divide.": [v / math.sqrt(g.numel()) for v, g in zip(norms, gradients)],
             "This is n times the root mean square, as `measure` has it for the signals: the norm itself is asked for.": [len(batch) * v / math.sqrt(g.numel()) for v, g in zip(norms, gradients)],
             "The circle is entry by entry: each row of H goes with its own row of C, not with those of all examples.": [g.norm().item() for g in by_hand_545(matrices, batch, direction.sum(dim=0).expand_as(direction), name)[0]],
             "This is the spectral norm: the Frobenius norm is the root of the sum of all squares.": [torch.linalg.norm(g, 2).item() for g in gradients],
             "This is the largest entry of each gradient, not its Frobenius norm.": [g.abs().max().item() for g in gradients],
             "The Frobenius norm adds squares, not sizes.": [g.abs().sum().item() for g in gradients],
             "Each matrix has a norm of its own: this is that of all gradients together.": [math.sqrt(sum(v ** 2 for v in norms))] * len(norms),
             "The norm is not divided by that of the weights.": [v / W.norm().item() for v, W in zip(norms, matrices)],
             "These are derivatives with respect to the signals: take them with respect to the matrices.": [g.norm().item() for g in signals],
             "These are twice the norms: did the gradient of two passes add up?": [2 * v for v in norms],
             "The loss weighs every output with its entry of C.": [g.norm().item() for g in by_hand_545(matrices, batch, torch.ones_like(direction), name)[0]],
             "The loss weighs every output with its entry of C, and is not divided by the number of columns.": [g.norm().item() / direction.shape[1] for g in by_hand_545(matrices, batch, torch.ones_like(direction), name)[0]],
             "The loss multiplies the outputs by C; it is no squared distance from C.": [g.norm().item() for g in by_hand_545(*chain, name, squares=True)[0]]}
    if name != "identity":
        slips |= {"The activation acts after the last layer, too.": [g.norm().item() for g in by_hand_545(*chain, name, to_the_end=False)[0]],
                  "The activation acts after the first layer, too.": [g.norm().item() for g in by_hand_545(*chain, name, from_the_start=False)[0]],
                  "The activation stands behind each product: here it stands in front, so that X goes through it, and the last Z does not.": in_front_545(*chain, name),
                  "f' is taken at Z, before the activation, not at H, behind it.": [g.norm().item() for g in by_hand_545(*chain, name, behind=True)[0]],
                  **({"What enters the gradient of a matrix is G ∘ f'(Z), with the f' of its own layer: here it is G without it.": [g.norm().item() for g in by_hand_545(*chain, name, own=False)[0]]} if len(matrices) > 1 else {}),
                  "On the way back the derivative of the activation is missing.": [g.norm().item() for g in by_hand_545(*chain, name, bend=False)[0]]}
    slips |= {f"This is the result with {other}: the activation is {name} here.": [g.norm().item() for g in by_hand_545(*chain, other)[0]] for other in ACTIVATIONS if other != name}
    return norms, slips

def in_front_545(matrices, batch, direction, name):
    """The norms where the activation stands in front of each layer, and none at the end."""
    leaves, H = [W.clone().requires_grad_() for W in matrices], batch
    for W in leaves:
        H = ACTIVATIONS[name](H) @ W
    return [g.norm().item() for g in torch.autograd.grad((H * direction).sum() / len(batch), leaves)]

def which_link_545(chain, name):
    """Which simpler networks are right."""
    matrices, batch, direction = chain

    def right(Ws, kind):
        C = direction if len(Ws) == len(matrices) else torch.linspace(-1, 2, len(batch) * Ws[0].shape[1], dtype=batch.dtype).view(len(batch), -1)
        wanted = [g.norm().item() for g in by_hand_545(Ws, batch, C, kind)[0]]
        return all(abs(float(a) - b) <= 1e-3 * b for a, b in zip(gradient_sizes([W.clone().requires_grad_() for W in Ws], batch.clone(), C, kind), wanted))

    if not right(matrices[:1], "identity"):
        return "For a single layer with the identity, too, yours is not right: it is the norm of Xᵀ C / n. Is it the loss of the task, with its 1/n and its C, and the Frobenius norm?"
    if not right(matrices[:1], name):
        return f"For a single layer with the identity yours is right, with {name} it is not: H = f(X W), with the activation behind the product, so that the gradient is Xᵀ (C ∘ f'(X W)) / n."
    if not right(matrices, "identity"):
        return f"For a single layer yours is right, for {len(matrices)} layers with the identity it is not: on its way back a gradient goes through the weights of all later layers."
    return f"For a single layer, and with the identity, yours is right: with {name} and several layers, what goes back has the factor f' in every layer that it passes."

@probe
def sizes_again_545(Ws, X, C, activation):
    """What a second call gives with the very same matrices."""
    gradient_sizes(Ws, X, C, activation)
    return [float(size) for size in gradient_sizes(Ws, X, C, activation)]

def test_of_545(chain, name, call, of, gradient=False):
    (matrices, batch, direction), (wanted, slips) = chain, slips_of_545(chain, name)
    answer = gradient_sizes([W.clone().requires_grad_(gradient) for W in matrices], batch.clone(), direction.clone(), name)
    assert_type(answer, (list, tuple, torch.Tensor, ndarray), f"what gradient_sizes returns, {call}", of="one for each layer", hint="A list with one number for each matrix.")
    assert_equal(len(answer), len(matrices), f"how many numbers come back, {call}", of="one for each layer", hint="One for each matrix.")
    for i, value in enumerate(answer):
        assert_true(math.prod(getattr(value, "shape", ())) == 1, f"{call}: entry {i} is a single number", of="size", hint="A gradient has the shape of its matrix: take its Frobenius norm.")
    answer = [float(v) for v in answer]
    if len(wanted) > 1:
        assert_true(not all(abs(a - b) < 1e-3 * b for a, b in zip(answer, wanted[::-1])), f"{call}: the first number is that of the first layer", of="one for each layer", hint="The order is the wrong way round.")
    bends = [value for sentence, value in slips.items() if sentence.startswith(("The activation acts", "This is the result with"))]
    if any(all(abs(a - b) < 1e-3 * abs(b) for a, b in zip(answer, value)) for value in bends):
        of = "activation"
    assert_close(answer, wanted, call, of=of, rtol=1e-3, mistakes=slips, hint=lambda: which_link_545(chain, name))
    assert_close(sizes_again_545([W.clone() for W in matrices], batch.clone(), direction.clone(), name), wanted, f"{call}, a second call with the same matrices", of="size", rtol=1e-3,
                 mistakes={"`backward()` adds to `.grad`, where the gradient of the first call still is: `torch.autograd.grad` leaves `.grad` alone.": [2 * value for value in wanted]},
                 hint="The first call was right: it has left something behind in the matrices.")

chain_545 = chain_for_545((3, 6, 4, 2), 0.8, 2, torch.float32)
test_of_545(chain_545, "tanh", "widths 3, 6, 4, 2, tanh", "size")
for name_545 in ("sigmoid", "relu", "identity"):
    test_of_545(chain_545, name_545, f"widths 3, 6, 4, 2, {name_545}", "activation", gradient=True)
### BEGIN HIDDEN TESTS
for sizes_545, seed_545, name_545 in (((4, 4, 4, 4, 4, 4), 2, "sigmoid"), ((7, 2), 3, "tanh"), ((2, 9, 5), 4, "relu"), ((5, 3, 6, 2), 6, "identity")):
    test_of_545(chain_for_545(sizes_545, 1.1, seed_545, torch.float64), name_545, f"widths {sizes_545}, {5 + seed_545 % 3} rows, {name_545}", "size" if name_545 == "tanh" else "activation")
### END HIDDEN TESTS

# %% [markdown] teaches="variance of a weighted sum with random weights, mean square of a signal"
# ## 3. Book-keeping of variances
#
# Can one know these sizes beforehand? Take a single unit. It has $m$ inputs $x_1, \dots, x_m$ and weights
# $w_1, \dots, w_m$, drawn independently with mean 0 and standard deviation $\sigma$, and computes
#
# $$z = w_1 x_1 + \dots + w_m x_m .$$
#
# Hold the inputs fixed and let the weights be random (section 2.6).
# 1. The mean: $\mathrm E[z] = \sum_j x_j\, \mathrm E[w_j] = 0$. So the variance of $z$ is the mean of its square.
# 2. The variance: the terms are independent, so their variances add up, and a factor $x_j$ comes out squared:
#    $\mathrm{Var}[z] = \sum_j x_j^2 \, \sigma^2 = \sigma^2 \lVert \mathbf x \rVert^2$.
# 3. Write $q$ for the *mean* square of the inputs, $q = \frac1m \sum_j x_j^2$. Then
#
# $$\mathrm E[z^2] = m\,\sigma^2\, q .$$
#
# That is the whole book-keeping: **a layer multiplies the mean square of its input by $m \sigma^2$**, with $m$ the number of
# inputs. Only mean 0 and independence of the weights were used, no normal distribution, and nothing of the inputs except their mean
# square. (Not their variance: inputs that are all 1 have variance 0, and make a signal all the same.)

# %% teaches="variance of a weighted sum with random weights"
generator = torch.Generator().manual_seed(0)
x = torch.tensor([3.0, -1.0, 0.0, 2.0])                          # q = (9 + 1 + 0 + 4) / 4 = 3.5
z = x @ (0.5 * torch.randn(4, 100_000, generator=generator))     # 100,000 units, sigma = 0.5
print("predicted:", 4 * 0.5 ** 2 * 3.5, " measured:", z.square().mean().item())
ones = torch.ones(4) @ (0.5 * torch.randn(4, 100_000, generator=generator))
print("inputs that are all 1: predicted", 4 * 0.5 ** 2 * 1.0, " measured:", ones.square().mean().item())

# %% [markdown] task="5.4.B" kind="code" minutes=3 difficulty=1 core=true needs="variance of a weighted sum with random weights, standard deviation"
# ### One batch, one number for each example
#
# Write `output_std(X, sigma)`: `X` of shape (n, d) is a batch of inputs, and a unit has d independent random weights with mean 0 and
# standard deviation `sigma`. For each example it returns the standard deviation of the unit's output over all draws of the weights. It is computed, not simulated.
#
# **You are done when**
# - **shape**: the result is a tensor of shape (n,);
# - **value**: it is exact, for inputs of any sign and any mean.

# %% exercise="5.4.B"
def output_std(X, sigma):
    """The standard deviation of x · w for each row x of X, shape (n,)."""
    ### BEGIN SOLUTION
    return sigma * X.square().sum(dim=1).sqrt()
    ### END SOLUTION

# %% [markdown] hints="5.4.B"
# 1. Which quantity of a row, besides σ, stands in step 2 above?
# 2. A standard deviation is the root of a variance.
# 3. For the row (3, 4) and σ = 2: the variance is 4 · 25 = 100, the standard deviation 10.

# %% check="5.4.B" points=1
def which_part_54B(rows, sigma):
    """What more of one thing makes of it, and what comes out for one input alone, and for one row alone."""
    def out(row, s):
        return output_std(torch.tensor([row], dtype=rows.dtype), s).item()

    for what, ratio, why in (("sigma is 4 times as large", out([2.], 4.) / out([2.], 1.), "σ enters the variance squared, and the root makes σ of it"), ("the inputs are 4 times as large", out([8.], 1.) / out([2.], 1.), "they enter the variance squared, and the root takes that back"),
                             ("there are 16 times as many inputs of the same size", out([2.] * 16, 1.) / out([2.], 1.), "the variances add up to 16 times as much, and the root of 16 is 4")):
        if abs(ratio - 4) > 1e-3:
            return f"Where {what}, the result is to be 4 times as large; yours is {ratio:.4g} times as large: {why}."
    for x, s in ((2., 1.), (2., 3.), (-2., 3.)):
        alone = output_std(torch.tensor([[x]], dtype=rows.dtype), s).item()
        if abs(alone - abs(x) * s) > 1e-3:
            return f"For the single input {x:g} and sigma = {s:g} yours is {alone:.4g}: the variance is {s:g}² · {f'({x:g})' if x < 0 else f'{x:g}'}² = {(s * x) ** 2:g}, its root {abs(s * x):g}."
    alone = output_std(torch.tensor([[3., 4.]], dtype=rows.dtype), 1.).item()
    if abs(alone - 5) > 1e-3:
        return f"For the single row (3, 4) and sigma = 1 yours is {alone:.4g}: the variance is 3² + 4² = 25, its root 5."
    if all(torch.allclose(output_std(rows[i:i + 1].clone(), sigma).double(), sigma * rows[i:i + 1].double().norm(dim=1), rtol=1e-4) for i in range(len(rows))):
        return "For each row alone yours is right: the rows have nothing to do with each other."
    return ""

def test_of_54B(rows, sigma, call):
    n, d = rows.shape
    answer = output_std(rows.clone(), sigma)
    assert_type(answer, torch.Tensor, f"what output_std returns, {call}", of="shape", hint="A tensor with one number for each row of X.")
    assert_shape(answer, (n,), f"the shape of the result, {call}", of="shape", hint="One number for each example.",
                 mistakes={"One axis is asked for: the axis of the inputs is summed away, and not kept with the length 1.": (n, 1), "This is one number for the whole batch: each example has its own.": (),
                           **({"This is one number for each input: add up along the rows, not down the columns.": (d,)} if d != n else {})})
    squares, size, mean = rows.square().sum(dim=1), sigma * rows.square().sum(dim=1).sqrt(), rows.mean(dim=1, keepdim=True)
    assert_close(answer, torch.tensor([sigma * math.hypot(*row) for row in rows.tolist()], dtype=rows.dtype), call, of="value", rtol=1e-4,
                 mistakes={"This is the variance.": size ** 2, "A factor comes out of a variance squared: is the root taken of both?": sigma * size, "The standard deviation of the weights is missing.": size / sigma,
                           "This uses the mean of the squares: it is their sum that counts.": size / math.sqrt(d), "The sum has a term for each of the d inputs already: nothing more is multiplied by √d.": size * math.sqrt(d),
                           "q is a mean square: the root is taken of the whole product m σ² q, of q as well.": sigma * squares / math.sqrt(d), "σ is squared in the variance, and it is the sum of the squares that counts, not their mean.": (sigma * squares / d).sqrt(), "Is sigma squared before the root is taken?": (sigma * squares).sqrt(),
                           "Add the squares, not the sizes.": sigma * rows.abs().sum(dim=1), "The inputs are added up before they are squared.": sigma * rows.sum(dim=1), "The inputs are added up before they are squared, and their signs cancel.": sigma * rows.sum(dim=1).abs(),
                           "The mean of a row is not taken off: equal inputs make a signal, too.": sigma * (rows - mean).square().sum(dim=1).sqrt(),
                           "This is the spread of a row about its mean: no mean is taken off here.": sigma * (rows - mean).square().sum(dim=1).sqrt() * math.sqrt(d / max(d - 1, 1)),
                           "These come from the mean of a row, in which signs cancel: add up the squares.": sigma * rows.sum(dim=1).abs() / math.sqrt(d),
                           "Each row has a number of its own: this is that of the whole batch.": (sigma * rows.norm()).expand(n),
                           "The inputs do not appear in it.": torch.full((n,), sigma * math.sqrt(d), dtype=rows.dtype), "All inputs count, not the largest alone.": sigma * rows.abs().amax(dim=1),
                           "Negative inputs count as much as positive ones.": sigma * rows.clamp(min=0).square().sum(dim=1).sqrt(), "Each row has a number of its own: this is that of the first.": size[0].expand(n),
                           "The variance is σ² times the sum of the squares: σ enters squared, and the root is missing.": sigma * squares, "This is the sum of the squares: σ is missing, and so is the root.": squares},
                 hint=lambda: "This is near the exact numbers: they are computed, not simulated." if torch.is_tensor(answer) and answer.shape == size.shape and bool(((answer - size).abs() < 0.15 * size).all()) else
                 (which_part_54B(rows, sigma) + " ").lstrip() + "Step 2 gives the variance for one row x, whatever its length d: σ² times the squared norm of x. Its root is asked for.")

test_of_54B(torch.tensor([[3., -4.], [-1., 0.], [1., 1.]]), 3.0, "the rows (3, -4), (-1, 0), (1, 1), sigma = 3")
test_of_54B(torch.tensor([[1., -2., 2., 4.]]), 0.5, "the single row (1, -2, 2, 4), sigma = 0.5")
### BEGIN HIDDEN TESTS
for n_54B, d_54B, sigma_54B in ((4, 7, 0.3), (1, 3, 1.7), (6, 1, 0.5)):
    test_of_54B(torch.randn(n_54B, d_54B, generator=torch.Generator().manual_seed(n_54B), dtype=torch.float64) + 2, sigma_54B, f"{n_54B} examples of {d_54B} numbers, sigma = {sigma_54B}")
### END HIDDEN TESTS

# %% [markdown] teaches="half of the mean square after relu, mean square of a signal"
# ### Through the bend
#
# Next comes the activation function. For three of them the factor is easy.
#
# - *identity*: nothing changes.
# - *tanh*: near 0 it is almost the identity, $\tanh(z) \approx z$. For small signals nothing changes; large ones are cut.
# - *ReLU*: the weights are as likely $-w$ as $w$, so $z$ is as likely $-z$ as $z$. Half of the squares become 0, the other half stays:
#   $\mathrm E[\mathrm{relu}(z)^2] = \frac12 \mathrm E[z^2]$. The mean square is halved. (The *variance* falls by more, because ReLU's output has a mean above 0. That is why
#   we keep books on mean squares.)
#
# In a network of such layers the factors multiply. With widths 100, 400, 50, 200 and standard deviations 0.1, 0.08, 0.2 (predicted is the mean over all draws of the weights; a single draw, as here,
# lies some percent beside it):

# %% teaches="half of the mean square after relu"
some_widths, some_stds = [100, 400, 50, 200], [0.1, 0.08, 0.2]
generator = torch.Generator().manual_seed(0)
H, q = torch.randn(2000, 100, generator=generator), 1.0          # the mean square of the input is 1
for m, width, std in zip(some_widths, some_widths[1:], some_stds):
    Z = H @ (std * torch.randn(m, width, generator=generator))
    q = m * std ** 2 * q                                         # before the bend
    print(f"{m} inputs: root mean square of Z predicted {math.sqrt(q):.3f}, measured {Z.square().mean().sqrt():.3f}", end="; ")
    H, q = torch.relu(Z), q / 2                                  # after it
    print(f"after ReLU predicted {math.sqrt(q):.3f}, measured {H.square().mean().sqrt():.3f}")

# %% [markdown] task="5.4.6" kind="code" minutes=8 difficulty=2 core=true needs="mean square of a signal, half of the mean square after relu"
# ### Predict every layer
#
# Write `predicted_rms(widths, stds, activation)` for a network without biases: `widths` has L + 1 entries, `stds` has L, the standard deviations of the weights of
# each layer, and `activation`, `"identity"` or `"relu"`, acts after each layer. The input has mean square 1. It returns the predicted root mean squares
# of $\mathbf Z^{(1)}, \dots, \mathbf Z^{(L)}$, each *before* the activation.
#
# **You are done when**
# - **one for each layer**: L numbers come back, from the first layer to the last;
# - **identity**: they are right without a bend;
# - **relu**: they are right with ReLU; the input X itself has not gone through it.

# %% exercise="5.4.6"
def predicted_rms(widths, stds, activation):
    """The predicted root mean squares of Z before the activation, one for each layer."""
    ### BEGIN SOLUTION
    q, result = 1.0, []
    for m, std in zip(widths, stds):
        q = m * std ** 2 * q
        result.append(math.sqrt(q))
        if activation == "relu":
            q = q / 2
    return result
    ### END SOLUTION

# %% [markdown] hints="5.4.6"
# 1. What is the mean square after one layer, and what does the next layer receive?
# 2. Keep the mean square in a variable and take the root only for the list. The number of inputs of layer 1 is the first entry of `widths`.
# 3. Widths 8, 2, 5, both std 0.5, ReLU: 8 · 0.25 = 2, after the bend 1, then 2 · 0.25 · 1 = 0.5. The list is √2, √0.5.

# %% check="5.4.6" points=2
from numpy import ndarray

def books_546(inputs, squares, keep, first=1.0):
    """The root mean squares before the bend: the mean square is multiplied by inputs * squares, and between the layers by keep."""
    q, found = first, []
    for m, s in zip(inputs, squares):
        q = q * m * s
        found.append(math.sqrt(q))
        q = q * keep
    return found

def slips_of_546(sizes, stds, name):
    """What known mistakes give, each with its sentence."""
    ins, outs, squares, keep, L = sizes[:-1], sizes[1:], [s ** 2 for s in stds], 0.5 if name == "relu" else 1.0, len(stds)
    right, roots = books_546(ins, squares, keep), []
    for m, s in zip(ins, squares):
        roots.append(math.sqrt(m * s * (roots[-1] * keep if roots else 1.0)))
    slips = {"These are the mean squares: take the root.": [v ** 2 for v in right], "The number of inputs of a layer counts, not that of its outputs.": books_546(outs, squares, keep),
             "It is the number of inputs alone that counts, not its mean with that of the outputs.": books_546([(m + k) / 2 for m, k in zip(ins, outs)], squares, keep),
             "The std stands squared in the factor.": books_546(ins, stds, keep), "Each layer has its own number of inputs: this takes the first for all.": books_546(ins[:1] * L, squares, keep), "Each layer has its own std: this takes the first for all.": books_546(ins, squares[:1] * L, keep),
             "Each layer before has put in its own factor: this raises the factor of this layer to a power.": [math.sqrt((m * s) ** (i + 1) * keep ** i) for i, (m, s) in enumerate(zip(ins, squares))],
             "Each layer's factor multiplies what the layer before gave.": [math.sqrt(m * s) for m, s in zip(ins, squares)], "The first layer comes first.": right[::-1],
             "Carry the mean square on to the next layer, and take the root only for the list.": roots}
    if name == "relu":
        slips |= {"The input has not gone through ReLU, and Z is taken before it.": books_546(ins, squares, 0.5, 0.5), "ReLU halves the mean square, not the root mean square.": books_546(ins, squares, 0.25),
                  "This is without ReLU.": books_546(ins, squares, 1.0), "ReLU halves the mean square; it does not double it.": books_546(ins, squares, 2.0), "The books are kept on mean squares, not on the variances after ReLU.": books_546(ins, squares, 0.5 - 0.5 / math.pi),
                  "ReLU acts after every layer: its factor 1/2 is missing after layer 2.": right[:2] + [v * math.sqrt(2) ** (i + 1) for i, v in enumerate(right[2:])]}
    else:
        slips |= {"This is with ReLU: here the activation is the identity.": books_546(ins, squares, 0.5)}
    return slips

def measured_546(name):
    """Whether a layer with many inputs and outputs comes near the prediction, as a measurement does, and not nearer."""
    many = float(predicted_rms([300, 500], [0.2], name)[0])
    return f"For 300 inputs, 500 outputs and std 0.2 yours is {many:.5g}, near √(300 · 0.2²) = 3.4641 and not equal: is it measured on a random draw? It is to be predicted, by the formula alone." if 2e-4 < abs(many / math.sqrt(12) - 1) < 0.03 else ""

def books_of_546(sizes, stds, name, first):
    """The entry of the books at which the answer parts from them."""
    q = 1.0
    for m, s in zip(sizes[:first], stds[:first]):
        q *= m * s ** 2 * (0.5 if name == "relu" else 1.0)
    entering = "The input has mean square 1" if not first else f"Layer {first} is right; what it leaves {'behind ReLU, half of its mean square, ' if name == 'relu' else ''}is the mean square {q:g}"
    return f"{entering}. Layer {first + 1} has {sizes[first]} inputs and std {stds[first]:g}: it multiplies by {sizes[first]} · {stds[first]:g}² = {sizes[first] * stds[first] ** 2:g}, and the root of that product is asked for."

def test_of_546(sizes, stds, name, call, shown=False):
    answer = predicted_rms(list(sizes), list(stds), name)
    assert_type(answer, (list, tuple, torch.Tensor, ndarray), f"what predicted_rms returns, {call}", of="one for each layer", hint="A list with one number for each layer.")
    assert_equal(len(answer), len(stds), f"how many numbers come back, {call}", of="one for each layer", hint="One for each Z: the input is not among them." if len(answer) == len(stds) + 1 else "One for each Z, not that of the last layer alone." if len(answer) == 1 else "One for each Z.")
    factors = torch.tensor(sizes[:-1], dtype=torch.float64) * torch.tensor(stds, dtype=torch.float64) ** 2
    wanted = (factors.cumprod(0) * (0.5 if name == "relu" else 1.0) ** torch.arange(len(stds))).sqrt().tolist()
    first = next((i for i, (a, b) in enumerate(zip(answer, wanted)) if not abs(float(a) - b) <= 1e-4 * b), 0)
    assert_close([float(v) for v in answer], wanted, call, of=name, rtol=1e-4, mistakes=slips_of_546(sizes, stds, name), hint=(lambda: measured_546(name), books_of_546(sizes, stds, name, first)) if shown else f"Up to layer {first} the books are right: what does layer {first + 1} receive, and by what does it multiply that?" if first else "Predicted, not simulated: by what does each layer multiply the mean square, and what does its activation leave for the next?")

for name_546, label_546 in (("identity", "identity"), ("relu", "ReLU")):
    test_of_546([4, 9, 2, 3], [1.0, 0.5, 2.0], name_546, f"widths 4, 9, 2, 3, stds 1, 0.5, 2, {label_546}", shown=True)
### BEGIN HIDDEN TESTS
for sizes_546, stds_546 in (([10, 3], [0.7]), ([2, 5, 5, 7, 1], [0.3, 1.2, 0.9, 0.1]), ([64] * 31, [0.2] * 30)):
    for name_546 in ("identity", "relu"):
        test_of_546(sizes_546, stds_546, name_546, f"stds {stds_546}, {name_546}" if len(stds_546) < 9 else f"30 layers of 64 units with std 0.2, {name_546}")
### END HIDDEN TESTS

# %% [markdown] teaches="xavier initialisation, he initialisation, fan-in and fan-out, variance of a uniform distribution"
# ### The start that keeps the size
#
# A signal keeps its size if each layer's factor is 1. Write $m$ for the inputs of the layer (*fan-in*) and $k$ for its outputs (*fan-out*).
#
# - **Forward**, identity or small tanh: $m \sigma^2 = 1$, so $\sigma^2 = 1/m$.
# - **Forward**, ReLU: $m \sigma^2 \cdot \frac12 = 1$, so $\sigma^2 = 2/m$. This is *He's* initialisation (He and others, 2015).
# - **Backward**: $\mathbf G^{(l-1)} = (\dots) {\mathbf W^{(l)}}^\top$ is again a weighted sum with random weights, this time of $k$ numbers, since each input feeds
#   $k$ outputs. The same three steps, with the incoming gradients taken as independent of this layer's weights, give the factor $k \sigma^2$: so $\sigma^2 = 1/k$ would keep the backward signal (for ReLU $2/k$, because the slope is 1 for half of the units and 0 for the others).
#
# Forward and backward agree only if $m = k$. *Xavier's* initialisation (Xavier Glorot and Bengio, 2010) takes the middle: the average of the factors, $\frac12 (m + k)\, \sigma^2$, shall be 1:
#
# $$\sigma^2 = \frac{2}{m + k} \quad \text{(Xavier, for tanh)}, \qquad\qquad \sigma^2 = \frac{2}{m} \quad \text{(He, for ReLU)}.$$
#
# With 64 inputs He's standard deviation is $\sqrt{2/64} = 0.177$: the number of part 2. And is He's start bad for the backward signal if $m \ne k$? Not much. Over all layers the
# factors $k/m$ multiply to (last width) / (first width): the inner widths cancel, once above and once below the line.
#
# ⚠ *The bound is not the standard deviation.* Weights may be uniform, too, all values between $-a$ and $a$ equally likely. Their variance is the mean of $w^2$:
# $\frac{1}{2a} \int_{-a}^{a} w^2 \,\mathrm dw = \frac{a^2}{3}$, not $a^2$. Who puts the standard deviation in for the bound loses a factor √3 in each layer.

# %% teaches="variance of a uniform distribution"
generator = torch.Generator().manual_seed(0)
a = 0.6
u = a * (2 * torch.rand(1_000_000, generator=generator) - 1)     # torch.rand: uniform between 0 and 1
print("bound", a, " standard deviation: predicted", round(a / math.sqrt(3), 4), " measured", round(u.std().item(), 4))

# %% [markdown] task="5.4.C" kind="code" minutes=3 difficulty=1 core=true needs="xavier initialisation, variance of a uniform distribution"
# ### Xavier's bound
#
# Write `xavier_bound(m, k)`: the number $a$ for which weights that are uniform between $-a$ and $a$ have Xavier's variance, for a layer of m inputs and k outputs.
#
# **You are done when**
# - **value**: weights with this bound have variance 2 / (m + k);
# - **both sides**: inputs and outputs count alike.

# %% exercise="5.4.C"
def xavier_bound(m, k):
    """The bound of the uniform distribution with variance 2 / (m + k)."""
    ### BEGIN SOLUTION
    return math.sqrt(6 / (m + k))
    ### END SOLUTION

# %% [markdown] hints="5.4.C"
# 1. What is the variance of a uniform distribution between -a and a?
# 2. Set it equal to 2 / (m + k) and solve for a.
# 3. For the variance 1/12: a² / 3 = 1/12, a² = 1/4, a = 0.5.

# %% check="5.4.C" points=1
def which_of_54C(m, k):
    """Which of the two numbers is counted, by a call with the two exchanged."""
    def is_near(value, v):
        return abs(value - math.sqrt(3 / v)) < 1e-4 * value

    def is_equal(value, other):
        return abs(value - other) < 1e-6 * other

    here, there = float(xavier_bound(m, k)), float(xavier_bound(k, m))
    for v, other, name in ((m, k, "inputs"), (k, m, "outputs")):
        if m != k and is_near(here, v):
            return f"Only the {name} are counted here." if not is_near(there, v) else f"Only the {'larger' if v > other else 'smaller'} one of the two numbers is counted: both count alike."
    for other, name in (((7 * m, k), "inputs"), ((m, 7 * k), "outputs")):
        if is_equal(float(xavier_bound(*other)), here) and not is_equal(here, there):
            return f"With 7 times as many {name} yours stays as it is: inputs and outputs both count."
    return ""

def test_of_54C(m, k, of, steps=""):
    call, right, std = f"xavier_bound({m}, {k})", math.sqrt(3 * (2 / (m + k))), math.sqrt(2 / (m + k))
    assert_type(xavier_bound(m, k), (int, float, torch.Tensor), call, of="value", hint="The bound is a single positive number.")
    assert_close(float(xavier_bound(m, k)), right, call, of=of, rtol=1e-4,
                 mistakes={"This is the standard deviation: the bound is larger.": std, "This is the variance.": std ** 2, "Take the root.": right ** 2, "The bound is √3 times the standard deviation: multiply, do not divide.": std / math.sqrt(3),
                           "The standard deviation is multiplied by √3, not by 3.": 3 * std, "The variance is 2 / (m + k), not 1 / (m + k).": right / math.sqrt(2), "The variance is 2 / (m + k), not 4 / (m + k).": right * math.sqrt(2),
                           "This is the whole width of the interval: a is half of it.": 2 * right, "The root is taken of the whole fraction.": math.sqrt(6) / (m + k), "a is the upper end of the interval, so it is positive.": -right,
                           "√3 times the standard deviation, not times the variance.": math.sqrt(3) * std ** 2, "The variance of weights between -a and a is a² / 3, not a² / 2.": std * math.sqrt(2),
                           "This has the library's gain for tanh, 5/3: Xavier's variance is 2 / (m + k) as it stands.": 5 / 3 * right}
                 | ({"Half of m + k may be a fraction: it is not cut to a whole number.": math.sqrt(3 / ((m + k) // 2))} if (m + k) % 2 else {})
                 | ({"This is the default of nn.Linear, 1 / √m: Xavier's bound has m + k in it.": 1 / math.sqrt(m)} if m > 1 else {})
                 | ({"This is the bound of He's rule: Xavier's variance has m + k below the line.": math.sqrt(6 / m), "The sum m + k stands below the line as a whole: it needs brackets.": math.sqrt(6 / m + k), "The root is taken of the 6, too.": 6 / math.sqrt(m + k),
                     "Xavier averages the factors m σ² and k σ², not the two variances 1/m and 1/k.": math.sqrt(3 * (1 / m + 1 / k) / 2), "The mean is taken of m and k, before the root.": (math.sqrt(3 / m) + math.sqrt(3 / k)) / 2, "The root of a sum is not the sum of the roots.": math.sqrt(6) / (math.sqrt(m) + math.sqrt(k)),
                     "The number is cut to a whole one before the root.": math.sqrt(6 // (m + k)), "m and k are added, not multiplied.": math.sqrt(3 / math.sqrt(m * k))} if m != k else {}),
                 hint=lambda: which_of_54C(m, k) or steps or (f"Inputs and outputs count alike: the same bound as for {k} inputs and {m} outputs." if of == "both sides" else "Weights that are uniform between -a and a have variance a² / 3: for which a is this 2 / (m + k)?"))

test_of_54C(19, 5, "value", "The variance is 2 / 24 = 1/12, so a² / 3 = 1/12, a² = 1/4 and a = 0.5.")
test_of_54C(1, 5, "value", "The variance is 2 / 6 = 1/3, so a² / 3 = 1/3 and a = 1.")
test_of_54C(23, 4, "value", "The variance is 2 / 27, so a² = 6 / 27 = 2/9 and a = √2 / 3 = 0.4714.")
test_of_54C(5, 19, "both sides")
### BEGIN HIDDEN TESTS
for m_54C, k_54C in ((784, 10), (3, 3), (1, 256)):
    test_of_54C(m_54C, k_54C, "value")
    test_of_54C(k_54C, m_54C, "both sides")
### END HIDDEN TESTS

# %% [markdown] teaches="default initialisation of a linear layer, order of the axes in the library's initialisers"
# ### What the library does
#
# `torch.nn.init` has these starts: `xavier_normal_`, `xavier_uniform_`, `kaiming_normal_`, `kaiming_uniform_` (Kaiming is He's first name); the underscore says that they
# fill a tensor in place. Two traps:
#
# ⚠ *They read the axes as (outputs, inputs).* That is how `nn.Linear` keeps its weights. Our matrices stand the other way, (inputs, outputs), for $\mathbf X \mathbf W$. Nothing complains if the two are mixed up:

# %% teaches="order of the axes in the library's initialisers"
torch.manual_seed(0)
W = torch.empty(784, 100)                                        # for X @ W: 784 inputs, 100 outputs
torch.nn.init.kaiming_normal_(W, nonlinearity="relu")
print(f"filled as it is: {W.std():.4f}", end="   ")
torch.nn.init.kaiming_normal_(W.T, nonlinearity="relu")          # W.T is a view, so W is filled
print(f"filled as W.T: {W.std():.4f}   wanted: {math.sqrt(2 / 784):.4f}")

# %% [markdown]
# Filled as it is, the weights are 2.8 times as large as they should be.
#
# ⚠ *A new `nn.Linear` has neither Xavier's start nor He's.* Its weights are uniform between $-1/\sqrt m$ and $1/\sqrt m$, so their variance is $\frac{1}{3m}$, a third of what even the identity needs. With ReLU the mean
# square falls to 1/6 in each layer:

# %% tags=["demo"]
def through_layers(W_of, layers=20, width=256):
    """The root mean square after each ReLU layer, with weights W_of() for X @ W."""
    H = torch.randn(500, width)
    found = []
    for _ in range(layers):
        H = torch.relu(H @ W_of())
        found.append(rms(H))
    return found

torch.manual_seed(0)
curves = {"He": through_layers(lambda: math.sqrt(2 / 256) * torch.randn(256, 256)),
          "Xavier": through_layers(lambda: math.sqrt(1 / 256) * torch.randn(256, 256)),
          "default of nn.Linear": through_layers(lambda: torch.nn.Linear(256, 256).weight.detach().T)}
figure, ax = plt.subplots(figsize=(5.6, 3.2), layout="constrained")
for (name, values), style in zip(curves.items(), ("-", "--", ":")):
    ax.plot(range(1, 21), values, style, label=name)
    print(f"{name:21} after layer 1: {values[0]:.3f}, after layer 20: {values[-1]:.2g}, factor of the mean square in each layer: {(values[-1] / values[0]) ** (2 / 19):.3f}")
ax.set(xlabel="layer", ylabel="rms after ReLU", yscale="log", xticks=[1, 5, 10, 15, 20])
ax.legend(loc="center left", bbox_to_anchor=(1.02, 0.5))
ax.grid(alpha=0.3)
plt.show()

# %% [markdown]
# What to see: three straight lines on a logarithmic scale, so a constant factor for each layer, near 1, 1/2 and 1/6, as the books say. The default is no disaster in networks of two or three layers; in deep ones it is.
#
# (The prediction is exact on average over the draws. One draw, with finitely many units, is a little beside it, and the deviations of the layers multiply: the He curve drifts.)

# %% [markdown] task="5.4.7" kind="code" minutes=10 difficulty=2 core=true needs="xavier initialisation, he initialisation, variance of a uniform distribution"
# ### Make the start
#
# Write `initial_weights(m, k, activation, distribution, seed)`: a random matrix for `X @ W` with m inputs and k outputs. `activation` is `"tanh"` (take Xavier's variance) or `"relu"` (take He's); `distribution` is `"normal"` or `"uniform"`.
# All randomness comes from `seed`.
#
# **You are done when**
# - **shape**: the matrix has shape (m, k);
# - **variance**: mean 0 and the variance of the rule, for both distributions; measured to 5 % on large matrices;
# - **distribution**: uniform entries fill their interval evenly and never leave it, normal ones have the tails of the normal distribution; every entry is a draw of its own, and nothing is corrected after the draw. (The check takes the mean fourth power, divided by the square of the variance: 3 for normal numbers, 1.8 for uniform ones, less where tails are cut off);
# - **seed**: the same seed gives the same matrix, any other seed another one.

# %% exercise="5.4.7"
def initial_weights(m, k, activation, distribution, seed):
    """A random matrix (m, k) by Xavier's rule for tanh, by He's for relu."""
    ### BEGIN SOLUTION
    std = math.sqrt(2 / (m + k)) if activation == "tanh" else math.sqrt(2 / m)
    generator = torch.Generator().manual_seed(seed)
    if distribution == "normal":
        return std * torch.randn(m, k, generator=generator)
    return math.sqrt(3) * std * (2 * torch.rand(m, k, generator=generator) - 1)
    ### END SOLUTION

# %% [markdown] hints="5.4.7"
# 1. Which standard deviation does the rule want? And which bound has a uniform distribution with this standard deviation?
# 2. `torch.rand(..., generator=generator)` is uniform between 0 and 1: stretch and shift it. The library's `nn.init` reads the axes the other way round.
# 3. Uniform with standard deviation 2: the bound is 2 √3 = 3.46.

# %% check="5.4.7" points=3
def draw_547(m, k, name, kind, seed, of):
    W = initial_weights(m, k, name, kind, seed)
    assert_shape(W, (m, k), f"the shape for {m} inputs, {k} outputs, {name}, {kind}", of=of, hint="The matrix stands in X @ W: a row for each input, a column for each output.")
    return torch.as_tensor(W).detach().double()

def rule_547(m, k, name):
    return 2 / (m + k) if name == "tanh" else 2 / m

def which_size_547(m, k, name, kind, seed):
    """What the variance makes of more inputs and of more outputs."""
    W = torch.as_tensor(initial_weights(m, k, name, kind, seed))
    if (W == W.max()).sum() > 3:
        return f"{int((W == W.max()).sum())} entries are equal to the largest one: they were cut off there, and that makes the variance smaller."
    if kind == "normal" and 1.8 < (farthest := (W.abs().max() / W.std()).item()) < 3:
        return f"None of the {W.numel():,} entries is farther out than {farthest:.2f} standard deviations: the tails of the normal distribution are missing, and where they are cut off the variance is smaller."
    for what, more, right in (("inputs", (4 * m, k), rule_547(4 * m, k, name) / rule_547(m, k, name)), ("outputs", (m, 4 * k), rule_547(m, 4 * k, name) / rule_547(m, k, name))):
        factor = torch.as_tensor(initial_weights(*more, name, kind, seed)).var().item() / W.var().item()
        if abs(factor - right) > 0.1 * right:
            return f"With 4 times as many {what} the variance is to become {right:.3g} times as large; yours becomes {factor:.3g} times as large."
    return f"With 4 times as many inputs, and with 4 times as many outputs, yours changes as it should: a constant factor is wrong. The rule for {name} is {'2 / (m + k)' if name == 'tanh' else '2 / m'}" + (", and the bound is √3 times its root." if kind == "uniform" else ".")

def variance_547(m, k, name, kind, seed):
    W, rule = draw_547(m, k, name, kind, seed, "variance"), rule_547(m, k, name)
    repeated = W.unique().numel() < 0.9 * W.numel() and kind == "normal" or W.unique().numel() < 0.5 * W.numel()
    assert_true(abs(W.mean().item()) < 0.03 * math.sqrt(rule), f"the mean for {m} inputs, {k} outputs, {name}, {kind}, is near 0", of="variance",
                hint="Entries are repeated, so there are too few draws for the mean to be near 0: draw each entry by itself." if repeated else "Weights are as often negative as positive.")
    slips = {"The variance is taken for the standard deviation: the root is missing.": rule, "This is the default of nn.Linear, variance 1 / (3 m).": 1 / (3 * m * rule)}
    slips |= {"This is He's rule: tanh takes Xavier's.": (m + k) / m, "This is 1/m: Xavier's rule has the outputs, too.": (m + k) / (2 * m), "This has the library's gain for tanh, 5/3: Xavier's variance is 2 / (m + k) as it stands.": 25 / 9} if name == "tanh" else {
              "This is He's variance with the outputs for the inputs.": m / k, "This is Xavier's rule: ReLU takes He's.": m / (m + k), "This is 1/m: ReLU halves the mean square, so He's rule has 2/m.": 0.5,
              "This is twice Xavier's variance: He's rule has the inputs alone.": 2 * m / (m + k)}
    if kind == "uniform":
        slips |= {"The bound is √3 times the standard deviation.": 1 / 3, "The interval is only half as wide as from -a to a.": 1 / 4}
    assert_close(W.var().item() / rule, 1.0, f"the variance, divided by that of the rule, for {m} inputs, {k} outputs, {name}, {kind}", of="variance", rtol=0.05, mistakes=slips,
                 hint=lambda: which_size_547(m, k, name, kind, seed))

def distribution_547(m, k, name, kind, seed):
    W = draw_547(25, 25, name, kind, seed, "distribution")
    for values, which in ((W, "the 625 entries of a matrix (25, 25) are different"), (W.abs(), "the sizes of the 625 entries of a matrix (25, 25) are different")):
        assert_true(values.unique().numel() > 615, f"{name}, {kind}: {which}", of="distribution",
                    hint="There are two values alone: uniform entries fill their interval evenly." if W.unique().numel() == 2 else
                    f"{int((W == W.max()).sum())} entries are equal to the largest one: they were cut off there. Nothing is corrected after the draw." if (W == W.max()).sum() > 3 and W.unique().numel() > 300 else "Draw each entry by itself: nothing is repeated, nothing is mirrored.")
    W = draw_547(m, k, name, kind, seed, "distribution")
    W = W - W.mean()                                     # where the mean is wrong, the part "variance" says so
    largest = (W.abs().max() / W.std()).item()
    fourth, wanted = (W.pow(4).mean() / W.square().mean() ** 2).item(), 3.0 if kind == "normal" else 1.8
    assert_close(fourth, wanted, f"{name}, {kind}: the mean fourth power divided by the squared mean square", of="distribution", rtol=0, atol=0.05,
                 hint=f"The tails of the normal distribution are not cut off: of these {W.numel():,} entries none is beyond {largest:.2f} standard deviations." if kind == "normal" and 1.8 < largest < 3.6 and not (fourth < 2.9 and largest > 3.2) else
                 f"3 is the normal distribution's number, and {fourth:.3g} is less: large entries are too rare, as where a few uniform draws are added up." if kind == "normal" and fourth < 3 else
                 "3 is the normal distribution's number, 1.8 that of the uniform one.",
                 mistakes={"That is the number of the normal distribution.": 3.0, "That is the number of a uniform distribution.": 1.8, "That is the number of two values, one negative, one positive.": 1.0})
    if kind == "normal":
        assert_true(largest > 3.7, f"{name}, normal, {W.numel():,} entries: one at least is beyond 3.7 standard deviations, the largest of yours is at {largest:.2f}", of="distribution", hint="The tails of the normal distribution are not cut off.")
    else:
        assert_true(largest < 1.76, f"{name}, uniform: no entry is beyond √3 = 1.732 standard deviations; the largest of yours is at {largest:.3f}", of="distribution", hint="Uniform entries never leave their interval.")
    small = [draw_547(4, 4, name, kind, 100 * seed + i, "distribution") for i in range(16)]
    if max((W - small[0]).abs().max().item() for W in small) > 1e-6:
        pile = torch.stack(small)
        for axes, what in (((1, 2), "matrices"), (2, "rows of 16 matrices"), (1, "columns of 16 matrices")):
            means, sizes, spreads = pile.mean(dim=axes), pile.square().mean(dim=axes).sqrt(), pile.std(dim=axes)
            for differ, how, slip in ((means.abs().max() > 0.01 * spreads.mean(), "means beside 0", "The mean of each is 0 to all digits here."),
                                      (sizes.max() > 1.02 * sizes.min(), "different lengths", "Each has the same root mean square here."),
                                      (spreads.max() > 1.02 * spreads.min(), "different spreads", "Each has the same standard deviation here.")):
                assert_true(bool(differ), f"{name}, {kind}: the {'16 ' if axes == (1, 2) else ''}{what} (4, 4) of other seeds have {how}", of="distribution",
                            hint=slip + " Every entry is a draw of its own, and nothing is corrected after the draw: mean, length and spread are left to chance, in the matrix and in each row and column.")

def seeds_547(m, k, name, kind, seeds):
    drawn = [draw_547(m, k, name, kind, s, "seed") for s in seeds]
    again = draw_547(m, k, name, kind, seeds[0], "seed")
    assert_close((drawn[0] - again).abs().max().item(), 0.0, f"{kind}: the largest difference of two matrices with the seed {seeds[0]}", of="seed", atol=1e-6, hint="All randomness begins with the seed, in each call anew.")
    for i, first in enumerate(seeds):
        for j in range(i):
            assert_true((drawn[i] - drawn[j]).abs().max().item() > 1e-3, f"{kind}: the seeds {seeds[j]} and {first} give different matrices", of="seed", hint="Each seed begins a sequence of its own.")

cases_547 = [("tanh", "normal"), ("tanh", "uniform"), ("relu", "normal"), ("relu", "uniform")]
with part(0.25, "shape"):
    for name_547, kind_547 in cases_547:
        draw_547(3, 5, name_547, kind_547, 0, "shape")
with part(0.5, "variance"):
    for name_547, kind_547 in cases_547:
        variance_547(500, 200, name_547, kind_547, 1)
with part(0.5, "distribution"):
    for name_547, kind_547 in cases_547:
        distribution_547(1000, 300, name_547, kind_547, 2)
with part(0.25, "seed"):
    for kind_547 in ("normal", "uniform"):
        seeds_547(4, 3, "tanh", kind_547, (7, 0, 1, 8, 107))
### BEGIN HIDDEN TESTS
with part(0.25, "shape, other sizes"):
    for name_547, kind_547 in cases_547:
        draw_547(9, 2, name_547, kind_547, 3, "shape")
with part(0.5, "variance, other sizes"):
    for name_547, kind_547 in cases_547:
        variance_547(150, 900, name_547, kind_547, 4)
with part(0.5, "distribution, other sizes"):
    for name_547, kind_547 in cases_547:
        distribution_547(600, 500, name_547, kind_547, 5)
with part(0.25, "seed, other seeds"):
    for kind_547 in ("normal", "uniform"):
        seeds_547(3, 6, "relu", kind_547, (100, 0, 2, 3, 10, 1000, 12345))
total()
### END HIDDEN TESTS

# %% [markdown] task="5.4.8" kind="code" minutes=6 difficulty=3 needs="half of the mean square after relu, he initialisation"
# ### Your own rule
#
# The *leaky ReLU* is $z$ for $z > 0$ and $s z$ for $z \le 0$, with a number $s$, the slope on the left. Keep the books for it, as for ReLU, and write `leaky_std(m, s)`: the standard deviation of the weights that keeps the mean square of the
# forward signal from layer to layer, for m inputs and any real slope `s`.
#
# **You are done when**
# - **known cases**: for s = 0 it is He's, for s = 1, the identity, it is √(1/m);
# - **any slope**: it is right for every other slope, negative ones included.

# %% exercise="5.4.8"
def leaky_std(m, s):
    """The standard deviation that keeps the forward mean square with a leaky ReLU of slope s."""
    ### BEGIN SOLUTION
    return math.sqrt(2 / (m * (1 + s ** 2)))
    ### END SOLUTION

# %% [markdown] hints="5.4.8"
# 1. For half of the draws z is positive. What becomes of its square there, and what in the other half?
# 2. The mean square is multiplied by $\frac12 (1 + s^2)$. The product of this and of the layer's $m \sigma^2$ shall be 1.
# 3. A function that is $3z$ for $z > 0$ and 0 elsewhere multiplies the mean square by 9/2, and wants σ² = 2 / (9 m).

# %% check="5.4.8" points=2
def which_factor_548(m, s):
    """The factor of the bend that would fit."""
    here = float(leaky_std(m, s))
    if all(abs(float(leaky_std(1, t)) - root) < 1e-3 for t, root in ((0., 0.70711), (3., 2.23607), (-7., 5.))):
        return "Yours is √((1 + s²) / 2), divided by √m: the larger the factor of the bend, the smaller the weights have to be, so it stands below the line, not above."
    for roots, sentence in (((2., 0.5, 0.33333), "Each half of the draws has its own factor, 1 and s²: their mean is not ((1 + s) / 2)²."),
                            ((2., 0.2, 0.04), "The mean of 1 and s² stands under the root, together with m."),
                            ((1., 1., 1.), "This is the rule of the identity, whatever s is."),
                            ((1., 0.31623, 0.14142), "For s = 0 this is √(1 / m), the rule of the identity: half of the squares become 0, so the factor of the bend is 1/2. For other s, too, it is a mean: (1 + s²) / 2.")):
        if all(abs(float(leaky_std(1, t)) - root) < 1e-3 for t, root in zip((0., 3., -7.), roots)):
            return sentence
    halves = [float(leaky_std(1, t)) for t in (0., 3., 7.)]
    if all(abs(found - root) < 1e-3 for found, root in zip(halves, (1.41421, 0.70711, 0.5))):
        return "For s = 3 yours would fit a bend with the factor 2 = (1 + 3) / 2: where z is negative, z becomes s z, but its square becomes s² z², so the factor is (1 + 9) / 2 = 5."
    if abs(float(leaky_std(4 * m, s)) / here - 0.5) > 1e-3:
        return f"With 4 times as many inputs σ is to be half as large; yours becomes {float(leaky_std(4 * m, s)) / here:.3g} times as large: it has the factor 1 / √m."
    return f"Yours would fit a bend that multiplies the mean square by {1 / (m * here ** 2):.4g}. Half of the squares stay as they are, half get the factor s²: the mean of 1 and s² is that of the bend."

def test_of_548(m, s, of):
    right = torch.nn.init.calculate_gain("leaky_relu", s) / math.sqrt(m)
    slips = {"This is the variance.": right ** 2, "m is missing.": right * math.sqrt(m), "The root is taken of m, too.": right / math.sqrt(m), "This is upside down.": 1 / right,
             "This is the bound of uniform weights: the standard deviation is asked for.": math.sqrt(3) * right}
    if s not in (0, 1):
        slips["This is the rule of the identity."] = math.sqrt(1 / m)
        slips["Each half of the draws has its own factor, 1 and s²: their mean is not ((1 + s) / 2)²."] = math.inf if s == -1 else math.sqrt(4 / (m * (1 + s) ** 2))
    if s:
        slips["The 1/2 stands for both halves of the draws: s² is halved, too."] = math.sqrt(1 / (m * (0.5 + s * s)))
        slips["This is He's rule: with s = 1 nothing is cut." if s == 1 else "This is He's rule: the negative half is not cut, it is multiplied by s."] = math.sqrt(2 / m)
        slips["The root is taken of 2 / m alone: 1 + s² belongs under it, too." if s == 1 and abs(float(leaky_std(1, 3.)) - 0.141421) < 1e-4 else
              "With s = 1 nothing is bent, and the factor of the bend is 1; here it is 2." if s == 1 else "Half of the draws get the factor s²: a mean of both halves is needed, not their sum."] = right / math.sqrt(2)
        slips["The larger the factor of the bend, the smaller the weights have to be."] = math.sqrt(2 * (1 + s * s) / m)
    if s not in (0, 1, -1):
        slips["The mean of 1 and s² stands under the root, together with m."] = 2 / (math.sqrt(m) * (1 + s * s))
    if abs(s) not in (0, 1):
        slips["The factor of the bend is (1 + s²) / 2, and σ² is divided by it: 2 - s² is not its inverse."] = math.sqrt(max(2 - s * s, 0) / m)
        slips["The square of s z has the factor s²."] = math.sqrt(2 / (m * (1 + abs(s))))
        if s > 0:
            slips["The rule is not halfway between He's and that of the identity: keep the books of the mean square."] = math.sqrt(max(2 - s, 0) / m)
    if abs(s) != 1:
        slips["The mean of the output is not taken off: the books are kept on mean squares."] = math.sqrt(1 / (m * ((1 + s * s) / 2 - (1 - s) ** 2 / (2 * math.pi))))
    assert_close(leaky_std(m, s), right, f"leaky_std({m}, {s})", of=of, rtol=1e-4, mistakes=slips, hint=lambda: which_factor_548(m, s))

test_of_548(7, 0.0, "known cases")
test_of_548(9, 1.0, "known cases")
test_of_548(3, 0.25, "any slope")
test_of_548(6, -2.0, "any slope")
### BEGIN HIDDEN TESTS
for m_548, s_548 in ((100, 0.0), (3, 1.0)):
    test_of_548(m_548, s_548, "known cases")
for m_548, s_548 in ((50, 0.01), (7, -1.0), (1, 3.0), (12, -0.3)):
    test_of_548(m_548, s_548, "any slope")
### END HIDDEN TESTS

# %% [markdown] teaches="permutation symmetry, symmetry breaking"
# ## 4. Why the start must be random
#
# The book-keeping asks for the right *size*. Why not give all weights of a layer the same value, of the right size? Take one hidden layer of four tanh units. Each entry of the first matrix is 0.5, each of the second 0.3:

# %% tags=["demo"]
equal_start = [torch.full((3, 4), 0.5), torch.full((4, 3), 0.3)]
losses, (W1, W2) = train(equal_start, "tanh", lr=0.5, steps=1000)
print("first matrix after 1000 steps; each column is one hidden unit:")
print(W1.detach())
losses_random, (W1, _) = train(start_by(lambda a, b: math.sqrt(2 / (a + b)), [3, 4, 3], seed=1), "tanh", lr=0.5, steps=1000)
losses_single, _ = train([torch.full((3, 1), 0.5), torch.full((1, 3), 0.3)], "tanh", lr=0.5, steps=1000)
print(f"loss: four units, equal start {losses[-1]:.3f}; four units, random start {losses_random[-1]:.3f}; a single unit {losses_single[-1]:.3f}")

# %% [markdown]
# The weights have moved, but the four columns are still equal. The four units compute the same number, so together they can do what one unit can do, and the loss is near that of a single unit (the four of them take longer steps, so the two losses are not the same).
# The random start does better by far.
#
# The reason is a symmetry. The units of a hidden layer are interchangeable: exchange two of them, the columns of the first matrix and the rows of the second, and the network computes the same function. This is its *permutation symmetry*.
# Now look at two units with equal weights, in and out. Whatever formula gives the gradient of the one gives the same for the other. So they take the same step, and are equal again. Gradient descent can never part them.
#
# **A symmetry that leaves the start as it is leaves every later step as it is.** That is why we *break* it: random weights make the units different at the first moment, and the gradients then drive them further apart.
#
# (The biases may begin at 0: the weights have broken the symmetry already. A *non-random* start will do, too, if it makes the units different; so will noise that treats them differently in training, such as dropout, section 5.6.)

# %% [markdown] task="5.4.D" kind="code" minutes=3 difficulty=1 core=true needs="permutation symmetry"
# ### Exchange the units
#
# A network computes $\tanh(\mathbf X \mathbf W_1 + \mathbf b_1)\, \mathbf W_2$, with shapes (d, h), (h,) and (h, q). Write `permuted(W1, b1, W2, order)`: the three tensors of the network in which hidden unit number i is the unit
# number `order[i]` of the old one. `order` is a list of the numbers 0 to h - 1 in some order. It returns a tuple of three tensors.
#
# **You are done when**
# - **units**: the weights and the bias of the units stand in the new order;
# - **same function**: the new network computes the same as the old one.

# %% exercise="5.4.D"
def permuted(W1, b1, W2, order):
    """(W1, b1, W2) with the hidden units in the new order."""
    ### BEGIN SOLUTION
    return W1[:, order], b1[order], W2[order]
    ### END SOLUTION

# %% [markdown] hints="5.4.D"
# 1. Which axis of each tensor belongs to the hidden units?
# 2. A list is an index: `v[[2, 0, 1]]` puts entry 2 first, and `M[:, [2, 0, 1]]` does so with columns.
# 3. With order [1, 0] and W1 of shape (5, 2): the two columns change places.

# %% check="5.4.D" points=1
def net_for_54D(d, h, q, seed):
    rng = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=rng) for shape in ((d, h), (h,), (h, q), (6, d))]

def which_unit_54D(new, T, axis, turn, where):
    """Which old unit stands at the first place that has another one than was asked for."""
    for i, j in enumerate(turn):
        if not torch.allclose(new.select(axis, i), T.select(axis, j)):
            found = [k for k in range(len(turn)) if torch.allclose(new.select(axis, i), T.select(axis, k))]
            return f"Of the {where}, old number {found[0]} stands at place {i}: order[{i}] is {j}, so that old number {j} is to stand there." if found else f"Of the {where}, none of the old ones stands at place {i}."
    return ""

def test_of_54D(d, q, turn, seed):
    old, h = net_for_54D(d, len(turn), q, seed), len(turn)
    call = f"{d} inputs, {h} units, {q} outputs, order {turn}"
    answer = permuted(*[T.clone() for T in old[:3]], list(turn))
    assert_type(answer, (tuple, list), f"what permuted returns, {call}", of="units", hint="A tuple of three tensors: W1, b1, W2.")
    assert_equal(len(answer), 3, f"how many tensors come back, {call}", of="units", hint="Three: W1, b1, W2.")
    for new, T, name, axis, where in zip(answer, old, ("W1", "b1", "W2"), (1, 0, 0), ("columns of W1", "entries of b1", "rows of W2")):
        assert_shape(new, tuple(T.shape), f"the shape of the new {name}, {call}", of="units", hint=f"The order of the three is W1, b1, W2; the units are the {where}.",
                     mistakes={f"The {'rows' if axis else 'columns'} of {name} were taken: the units are its {'columns' if axis else 'rows'}.": (h, h)} if T.ndim == 2 and h not in (d, q) else {})
        read_late = [T.index_select(axis, torch.tensor([i])) for i in range(h)]
        for i in range(h):
            read_late[i] = read_late[turn[i]]
        back = torch.tensor(turn).argsort()
        slips = {"Unit i of the new network is unit order[i] of the old one, not the other way round.": T.index_select(axis, back), "This one is still in the old order.": T, "This is the old order from behind: `order` is an argument.": T.flip(axis),
                 "`order` is read from its beginning, not from behind.": T.index_select(axis, torch.tensor(turn[::-1])),
                 "A unit was overwritten before it was read.": torch.cat(read_late, dim=axis), "The signs have changed.": -T.index_select(axis, torch.tensor(turn))}
        assert_close(new, T.index_select(axis, torch.tensor(turn)), f"the new {name} for the order {turn}", of="same function" if name == "W2" else "units", mistakes=slips,
                     hint=lambda: which_unit_54D(new, T, axis, turn, where))
    assert_close(torch.tanh(old[3] @ answer[0] + answer[1]) @ answer[2], torch.tanh(old[3] @ old[0] + old[1]) @ old[2], f"the output of the new network for six examples, {call}", of="same function")

test_of_54D(5, 6, [2, 3, 1, 0], 0)
### BEGIN HIDDEN TESTS
for d_54D, turn_54D in ((4, [3, 1, 4, 0, 2]), (1, [1, 2, 3, 0]), (3, [0])):
    test_of_54D(d_54D, 2, turn_54D, 10 + d_54D)
### END HIDDEN TESTS

# %% [markdown]
# ### And without a hidden layer?
#
# Do linear regression and softmax regression (chapters 3 and 4) need a random start? There are weights that could start equal: one for each feature, or one for each feature and class. Are they interchangeable?

# %% [markdown] task="5.4.2a" kind="code" minutes=7 difficulty=2 needs="gradient of the mean squared error, gradient descent, symmetry breaking"
# ### Linear regression from equal weights
#
# Write `regression_from(X, y, c, lr, steps)`: linear regression without a bias, by gradient descent on $\frac{1}{2n} \lVert \mathbf X \mathbf w - \mathbf y \rVert^2$ with all n rows at each step. `X` has shape (n, d), `y` shape (n,), both of float64; every weight begins at the number `c`.
# It returns the weights after `steps` steps.
#
# **You are done when**
# - **start**: with 0 steps a tensor of shape (d,) comes back, every entry c;
# - **descent**: the weights after any number of steps are right, for any learning rate `lr`, also for one that is too large and makes the loss grow.

# %% exercise="5.4.2a"
def regression_from(X, y, c, lr, steps):
    """The weights (d,) of linear regression after some steps from (c, ..., c)."""
    ### BEGIN SOLUTION
    w = torch.full((X.shape[1],), c, dtype=X.dtype)
    for _ in range(steps):
        w = w - lr * X.T @ (X @ w - y) / len(X)
    return w
    ### END SOLUTION

# %% [markdown] hints="5.4.2a"
# 1. What is the gradient of the loss? Each feature has its own entry in it.
# 2. $\frac1n \mathbf X^\top (\mathbf X \mathbf w - \mathbf y)$, shape (d,). `torch.full((d,), c, dtype=X.dtype)` makes a tensor with the same number everywhere.
# 3. One example, X = [[2, 1]], y = [4], c = 1: the error is 3 - 4 = -1, the gradient (-2, -1), so with lr = 0.1 the weights become 1.2 and 1.1.

# %% check="5.4.2a" points=2
X_542, y_542 = torch.tensor([[2., 1., 0.], [0., 1., -1.], [1., 0., 3.], [1., 2., 1.]], dtype=torch.float64), torch.tensor([4., -1., 2., 3.], dtype=torch.float64)

def first_step_542(c, lr):
    """Whether the first step from (c, c, c) is right already for the four rows, and how long it is."""
    slope = c * torch.tensor([3.5, 2.75, 4.], dtype=torch.float64) - torch.tensor([3.25, 2.25, 2.5], dtype=torch.float64)
    moved = c - regression_from(X_542.clone(), y_542.clone(), c, lr, 1).double()
    if torch.allclose(moved, lr * slope, rtol=1e-4, atol=1e-6):
        return "After one step yours is right, after more of them it is not: each step takes the gradient at the weights to which the step before has led, and nothing of the earlier ones."
    scores = c * torch.tensor([3., 0., 4., 4.], dtype=torch.float64)
    if torch.allclose(regression_from(X_542.clone(), scores + 0.01 * (y_542 - scores), c, lr, 1).double(), c - 0.01 * lr * slope, rtol=1e-6, atol=1e-7):
        return "Already the first step is wrong. Where all errors are a hundredth of these it is right: a large gradient is neither cut off nor limited."
    share = (moved @ slope / (slope @ slope)).item()
    if torch.allclose(moved, share * slope, rtol=1e-3, atol=1e-6):
        return f"Already the first step is wrong: it goes along the gradient, but {share / lr:.4g} times as far as lr times the gradient."
    row, error = regression_from(X_542[:1].clone(), y_542[:1].clone(), c, lr, 1).double(), 3 * c - 4
    if torch.allclose(c - row, lr * error * torch.tensor([2., 1., 0.], dtype=torch.float64), rtol=1e-4, atol=1e-6):
        return "Already the first step is wrong. With the first row alone it is right: the gradient is the mean of those of all rows."
    return f"Already the first step is wrong, and with the first row alone, too: from weights {c:g} its score is 2 · {c:g} + {c:g} = {3 * c:g}, the error {3 * c:g} - 4 = {error:g}, the gradient {error:g} times the row: ({2 * error:g}, {error:g}, 0). A step is lr times that."

def test_of_542(X, y, c, lr, steps, call, right, slips, hint):
    of = "descent" if steps else "start"
    answer = regression_from(X.clone(), y.clone(), c, lr, steps)
    assert_shape(answer, (X.shape[1],), f"the shape of the weights, {call}", of=of, hint="One number for each feature.")
    assert_close(answer, right, call, of=of, rtol=None if len(X) == 4 else 1e-4, mistakes=slips, hint=hint if steps else "Before the first step every weight is exactly c.")

slips_542 = {2: {
    "The loss is divided by n.": [1.18, 0.82, 0.52],
    "The loss has a half: the gradient has no factor 2.": [0.995, 0.855, 0.58],
    "The half of the loss and the 2 of the square cancel: the gradient has no factor 1/2.": [0.9809375, 0.9534375, 0.86125],
    "This walks uphill.": [1.07375, 1.11375, 1.345],
    "The mean is over the n rows alone, not over the features as well.": [0.9859722222, 0.9681944444, 0.905],
    "The loss is divided by n, the number of rows, not by that of the features.": [0.9755555556, 0.8911111111, 0.68],
    "That is one step too many.": [0.9868125, 0.8856875, 0.66990625],
    "That is one step too few.": [0.975, 0.95, 0.85],
    "The start is c, not 0.": [0.55375, 0.3775, 0.393125],
    "The steps begin at c; here they begin at 0, and c is added at the end.": [1.55375, 1.3775, 1.393125],
    "This is the minimum itself: the weights on the way to it are asked for.": [1.9, 0.2, 0.2],
    "The weights have not moved: every step is taken, also one that raises the loss.": [1., 1., 1.],
    "All weights take their step at once: the gradient is that at the weights before the step.": [0.97313125, 0.9159696875, 0.7487110703],
    "A step uses all rows together, not one row after the other.": [0.9725068683, 0.9227245405, 0.7331538769],
    "One step uses the mean over all rows, it is not a step for each row.": [1.08250624, 0.85034368, 0.28357504],
    "There is no bias in this model.": [0.98125, 0.92125, 0.750625],
    "Compute the gradient anew before each step.": [0.95, 0.9, 0.7],
    "This is descent with momentum: plain steps are asked for.": [0.95125, 0.86875, 0.61],
    "The step is lr times the gradient itself, not times its sign.": [1., 0.8, 0.8],
    "The step is lr times the gradient itself: its length is neither fixed nor limited.": [0.9765119795, 0.9366968552, 0.8119046884],
    "Each weight has its own entry of the gradient.": [0.875625, 0.875625, 0.875625],
    "X @ w and y must have the same shape: a column minus a row gives a matrix.": [1.3475, 0.5475, 1.310625],
    "Each row has its own label: this takes the mean of all labels, as a difference of a column and a row does.": [0.755, 0.8825, 0.585625],
    "The gradients of several steps add up: empty `.grad` before each.": [0.94875, 0.86375, 0.595],
    "The rate stays as it is: here it falls from step to step.": [0.974375, 0.931875, 0.7975],
    "The gradient is that at the present weights, not at those that the step would lead to.": [1.00585625, 0.9322804687, 0.8100460938],
    "These are Adam's steps: the step is lr times the gradient.": [0.8654394182, 0.8083516483, 0.8019557611]}, 3: {
    "This walks uphill.": [-143.75, -110.4375, -142.5625],
    "That is one step too many.": [-329.5, -227.53125, -442.875],
    "That is one step too few.": [-8., -7.75, -9.875],
    "The weights have not moved: every step is taken, also one that raises the loss.": [0.5, 0.5, 0.5],
    "The rate is taken as it is, also where it is above 1: these are the steps with rate 1.": [5.59375, 3.1171875, 5.5859375],
    "Compute the gradient anew before each step.": [9.5, 5.75, 3.5],
    "The step is lr times the gradient itself, not times its sign.": [2.5, 2.5, 2.5],
    "The step is lr times the gradient itself: its length is neither fixed nor limited.": [2.210947763, 0.9088492747, 1.315561859],
    "Every step is taken: this stops after a step that raised the loss.": [3.5, 2.25, 1.5]}}
for c_542, lr_542, steps_542, right_542 in ((0.7, 0.1, 0, [0.7, 0.7, 0.7]), (1.0, 0.1, 2, [0.97375, 0.91375, 0.745]), (-2.0, 0.25, 7, [1.48195079, 0.5112236701, 0.3513883278]), (0.5, 2.0, 3, [57.75, 40.9375, 69.3125])):
    test_of_542(X_542, y_542, c_542, lr_542, steps_542, f"four rows, {steps_542} steps with rate {lr_542} from {c_542}", torch.tensor(right_542, dtype=torch.float64),
                {sentence: torch.tensor(value, dtype=torch.float64) for sentence, value in slips_542.get(steps_542, {}).items()}, lambda: first_step_542(c_542, lr_542))
### BEGIN HIDDEN TESTS
def regression_by_powers(X, y, c, lr, steps):
    """The same without a loop: the distance from the minimum is multiplied by a matrix in each step."""
    H, best = X.T @ X / len(X), torch.linalg.solve(X.T @ X, X.T @ y)
    return best + torch.linalg.matrix_power(torch.eye(len(H), dtype=X.dtype) - lr * H, steps) @ (torch.full_like(best, c) - best)

def wrong_walk_542(X, y, c, lr, steps, kind):
    """The weights after steps of another kind."""
    w, first, momentum, piled, loss, b, (n, d) = torch.full((X.shape[1],), float(c), dtype=X.dtype), None, 0, 0, math.inf, 0, X.shape
    mean, spread = 0, 0                                  # Adam's averages of the gradients and of their squares
    for t in range(steps):
        e = X @ w + b - y
        g = X.T @ e / n
        first = g if first is None else first
        momentum, piled = 0.9 * momentum + g, piled + g
        loss, last = (e @ e).item(), loss
        if kind == "rise" and loss > last:
            break
        if kind == "columns":
            for j in range(d):
                w[j] -= lr * (X[:, j] @ (X @ w - y) / n)
        elif kind in ("rows", "rows, full"):
            for x, t in zip(X, y):
                w = w - lr * x * (x @ w - t) / (n if kind == "rows" else 1)
        elif kind == "bias":
            w, b = w - lr * g, b - lr * e.mean()
        elif kind == "adam":
            mean, spread = 0.9 * mean + 0.1 * g, 0.999 * spread + 0.001 * g ** 2
            w = w - lr * mean / (1 - 0.9 ** (t + 1)) / ((spread / (1 - 0.999 ** (t + 1))).sqrt() + 1e-8)
        else:
            w = w - lr * {"rise": g, "piled": piled, "decay": g / (1 + t), "ahead": X.T @ (X @ (w - lr * g) - y) / n, "first": first, "momentum": momentum, "sign": g.sign(), "unit": g / g.norm(), "mean": g.mean().expand(d), "broadcast": (X.T @ (X @ w - y[:, None])).mean(dim=1), "labels": X.T @ (X @ w - y.mean()) / n}[kind]
    return w

def which_of_542(X, y, c, lr, steps):
    """Whether the first step is right already, and how long it is."""
    start, slope = torch.full((X.shape[1],), float(c), dtype=X.dtype), X.T @ (X @ torch.full((X.shape[1],), float(c), dtype=X.dtype) - y) / len(X)
    moved = start - regression_from(X.clone(), y.clone(), c, lr, 1).double()
    if torch.allclose(moved, lr * slope, rtol=1e-4, atol=1e-6):
        return "After one step yours is right, after more of them it is not: each step takes the gradient at the weights to which the step before has led, and nothing of the earlier ones."
    near, less = X @ start + 0.01 * (y - X @ start), start - 0.01 * lr * slope
    if torch.allclose(regression_from(X.clone(), near.clone(), c, lr, 1).double(), less, rtol=1e-6, atol=1e-7):
        return "Already the first step is wrong. Where all errors are a hundredth of these it is right: a large gradient is neither cut off nor limited."
    share = (moved @ slope / (slope @ slope)).item()
    if torch.allclose(moved, share * slope, rtol=1e-3, atol=1e-6):
        return f"Already the first step is wrong: it goes along the gradient, but {share / lr:.4g} times as far as lr times the gradient."
    row = start - lr * X[0] * (X[0] @ start - y[0])
    if torch.allclose(regression_from(X[:1].clone(), y[:1].clone(), c, lr, 1).double(), row, rtol=1e-4, atol=1e-6):
        return "Already the first step is wrong. With the first row alone it is right: the gradient is the mean of those of all rows."
    return "Already the first step is wrong, and with the first row x alone, too: it is to be lr times (x · w - y) x."

def hidden_of_542(X, y, c, lr, steps, call):
    d, n = X.shape[1], len(X)
    right = {k: regression_by_powers(X, y, c, lr * k, steps) for k in (1, -1, 2, 0.5, n, -n, 1 / d, n / d)}
    slips = {"The loss is divided by n.": right[n], "The loss has a half: the gradient has no factor 2.": right[2], "The half of the loss and the 2 of the square cancel: the gradient has no factor 1/2.": right[0.5],
             "This walks uphill.": right[-1], "The mean is over the n rows alone, not over the features as well.": right[1 / d], "The loss is divided by n, the number of rows, not by that of the features.": right[n / d],
             "That is one step too many.": regression_by_powers(X, y, c, lr, steps + 1), "That is one step too few.": regression_by_powers(X, y, c, lr, max(steps - 1, 0)), "The start is c, not 0.": regression_by_powers(X, y, 0., lr, steps),
             **({"The steps begin at c; here they begin at 0, and c is added at the end.": regression_by_powers(X, y, 0., lr, steps) + c} if c else {}),
             "This is the minimum itself: the weights on the way to it are asked for.": torch.linalg.solve(X.T @ X, X.T @ y)}
    if steps:
        slips["The weights have not moved: every step is taken, also one that raises the loss."] = torch.full((d,), float(c), dtype=X.dtype)
        if lr > 1:                                       # a factor 1/2 would have shown at the smaller rates
            del slips["The half of the loss and the 2 of the square cancel: the gradient has no factor 1/2."]
            slips["The rate is taken as it is, also where it is above 1: these are the steps with rate 1."] = regression_by_powers(X, y, c, 1.0, steps)
        slips |= {sentence: wrong_walk_542(X, y, c, lr, steps, kind) for sentence, kind in (
            ("All weights take their step at once: the gradient is that at the weights before the step.", "columns"), ("A step uses all rows together, not one row after the other.", "rows"), ("One step uses the mean over all rows, it is not a step for each row.", "rows, full"),
            ("There is no bias in this model.", "bias"), ("Compute the gradient anew before each step.", "first"), ("This is descent with momentum: plain steps are asked for.", "momentum"), ("The step is lr times the gradient itself, not times its sign.", "sign"),
            ("The step is lr times the gradient itself: its length is neither fixed nor limited.", "unit"), ("Each weight has its own entry of the gradient.", "mean"), ("X @ w and y must have the same shape: a column minus a row gives a matrix.", "broadcast"),
            ("Each row has its own label: this takes the mean of all labels, as a difference of a column and a row does.", "labels"),
            ("Every step is taken: this stops after a step that raised the loss.", "rise"), ("The gradients of several steps add up: empty `.grad` before each.", "piled"), ("The rate stays as it is: here it falls from step to step.", "decay"),
            ("The gradient is that at the present weights, not at those that the step would lead to.", "ahead"), ("These are Adam's steps: the step is lr times the gradient.", "adam"))}
    test_of_542(X, y, c, lr, steps, call, right[1], slips if steps else {}, lambda: which_of_542(X, y, c, lr, steps))

for n_542, d_542, c_542, lr_542, steps_542 in ((9, 5, 3.0, 0.05, 30), (6, 1, -1.0, 0.3, 2), (12, 5, 0.0, 0.1, 100), (8, 3, 1.0, 2.5, 4)):
    rng = torch.Generator().manual_seed(n_542)
    X_542, y_542 = torch.randn(n_542, d_542, generator=rng, dtype=torch.float64) + 0.5, torch.randn(n_542, generator=rng, dtype=torch.float64)
    for count_542 in (0, steps_542):
        hidden_of_542(X_542, y_542, c_542, lr_542, count_542, f"{n_542} rows, {d_542} features, {count_542} steps with rate {lr_542} from {c_542}")
### END HIDDEN TESTS

# %% [markdown] task="5.4.2b" kind="code" minutes=8 difficulty=3 core=true needs="gradient of cross-entropy, symmetry breaking"
# ### Softmax regression from equal weights
#
# Write `softmax_from(X, y, q, c, lr, steps)`: softmax regression without biases, by gradient descent on the mean cross-entropy with all n rows at each step. `X` has shape (n, d) and is of float64, `y` holds the n class numbers, there are q classes, and every entry of the weights begins at `c`. It returns the weights (d, q)
# after `steps` steps.
#
# **You are done when**
# - **start**: with 0 steps a tensor of shape (d, q) comes back, every entry c;
# - **descent**: the weights after any number of steps are right, for any learning rate `lr` and any start `c`, also where the scores get too large for `exp` or the loss grows; a class that does not occur in `y` has its column, too.

# %% exercise="5.4.2b"
def softmax_from(X, y, q, c, lr, steps):
    """The weights (d, q) of softmax regression after some steps from equal entries c."""
    ### BEGIN SOLUTION
    W = torch.full((X.shape[1], q), c, dtype=X.dtype)
    Y = (y[:, None] == torch.arange(q)).to(X.dtype)
    for _ in range(steps):
        W = W - lr * X.T @ (torch.softmax(X @ W, dim=1) - Y) / len(X)
    return W
    ### END SOLUTION

# %% [markdown] hints="5.4.2b"
# 1. Section 4.1: the gradient of the cross-entropy in the scores is softmax minus one-hot. What is it in the weights?
# 2. $\frac1n \mathbf X^\top (\mathbf P - \mathbf Y)$ with the probabilities and the one-hot rows, (n, q) both. Or let autograd do it, with `F.cross_entropy`.
# 3. One example x = (1, 2) of class 0 of 2, c = 0: P - Y = (-0.5, 0.5), so the gradient is [[-0.5, 0.5], [-1, 1]].

# %% check="5.4.2b" points=2
X_542b, y_542b = torch.tensor([[1., 2.], [0., -1.], [2., 0.5], [-1., 1.], [1., 1.]], dtype=torch.float64), torch.tensor([0, 2, 0, 3, 2])

def first_step_542b(c, lr, steps, right):
    """Whether it is the size of the scores, the first step of the five rows or a later one."""
    def weights(rows, c, steps):
        return torch.as_tensor(softmax_from(X_542b[:rows].clone(), y_542b[:rows].clone(), 5, c, lr, steps)).double()

    def moved(rows, by):
        return torch.allclose(weights(rows, c, 1), c - lr * torch.tensor(by, dtype=torch.float64), rtol=1e-4, atol=1e-6)

    row_alone = moved(1, [[-0.8, 0.2, 0.2, 0.2, 0.2], [-1.6, 0.4, 0.4, 0.4, 0.4]])
    lost = not bool(weights(5, c, steps).isfinite().all())
    if lost and abs(c) > 50 and row_alone:
        return "For the first row alone yours is right: each row has its own largest score, and what is taken off before `exp` must be that of its row. `torch.softmax` and `F.cross_entropy` do so."
    if abs(c) > 50 and torch.allclose(weights(5, 0., steps), right - c, rtol=1e-4, atol=1e-6):
        return "From c = 0 the same steps are right: it is the large scores that get lost. Only the differences of a row's scores count, so nothing may be cut off; `torch.softmax` and `F.cross_entropy` work for them, too."
    if lost and abs(c) < 50:
        return "A probability is exactly 0 here, and its logarithm is -inf: `F.cross_entropy` and `F.log_softmax` take it without becoming infinite, and the gradient P - Y needs no logarithm."
    if lost:
        return "The scores are far from 0 here, where `exp` gives inf or 0: `torch.softmax` and `F.cross_entropy` work for them, too."
    once, twice = (weights(5, c, k)[:, 0] for k in (1, 2))
    if steps == 3 and torch.allclose(twice, once) and not torch.allclose(once, weights(5, c, 0)[:, 0]):
        return "The first step moves the weights of class 0, the second one leaves them where they are. Every step is taken, also where the loss has grown; and a probability that is nearly 0 stays as it is: a limit from below (`clamp`), or a number added to it, takes its gradient away."
    if moved(5, [[-0.48, 0.12, -0.08, 0.32, 0.12], [-0.36, 0.14, 0.14, -0.06, 0.14]]):
        return "After one step, from weights that are all equal, yours is right; after more of them it is not: the probabilities are the softmax of the scores X W at the weights to which the step before has led, as they are."
    if row_alone:
        return "Already the first step is wrong. With the first row alone it is right: the gradient is the mean of those of all rows."
    return "Already the first step is wrong, and with the first row alone, too. Equal weights give the probabilities 0.2, so with x = (1, 2) and class 0, p - one-hot is (-0.8, 0.2, 0.2, 0.2, 0.2), and the gradient has 1 times this in its first row and 2 times this in its second."

@probe
def trouble_of_542b(X, y, q, c, lr, steps):
    """The error that softmax_from raises, as text."""
    try:
        softmax_from(X, y, q, c, lr, steps)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""

def test_of_542b(X, y, q, c, lr, steps, call, right, slips, hint, of_column=None):
    n, d = X.shape
    of = "descent" if steps else "start"
    if steps and len(set(y.tolist())) < q:
        trouble = trouble_of_542b(X.clone(), y.clone(), q, c, lr, steps)
        assert_true(not trouble or trouble_of_542b(X.new_ones(q, d), torch.arange(q), q, c, lr, steps) != "", f"softmax_from raises no error, {call}; yours raised {trouble}", of=of,
                    hint="Where each of the q classes occurs in y, yours raises none. Here not all do, and W has q columns all the same: so have the one-hot rows, `F.one_hot(y, q)`.")
    answer = softmax_from(X.clone(), y.clone(), q, c, lr, steps)
    assert_shape(answer, (d, q), f"the shape of the weights, {call}", of=of, hint="A row for each feature and a column for each of the q classes, whether it occurs or not.")
    hint, rtol = hint if steps else "Before the first step every entry is exactly c.", None if n == 5 and d == 2 else 1e-4
    if of_column:
        assert_close(answer[:, 0], right[:, 0], f"the weights of class 0, {call}", of=of, rtol=rtol, mistakes=of_column, hint=hint)
    assert_close(answer, right, call, of=of, rtol=rtol, mistakes=slips, hint=hint)

def doubles_542b(values):
    return {sentence: torch.tensor(value, dtype=torch.float64) for sentence, value in values.items()}

two_steps_542b = torch.tensor([[0.6272868964, 0.09449202179, 0.2819785285, -0.09824946846, 0.09449202179], [0.5122513435, 0.0753181372, 0.0703217776, 0.2667906045, 0.0753181372]], dtype=torch.float64)
column_542b = {(0.2, 2): {
    "The loss is the mean over the rows, not the sum.": [1.24408707, 0.8063719632],
    "This walks uphill.": [-0.3160122335, -0.1932984722],
    "The mean is taken over the rows, not over all n times q entries.": [0.2941546349, 0.2703197534],
    "The mean is taken over the rows, not over the features as well.": [0.4278252768, 0.3689396654],
    "The loss is divided by n, the number of rows, not by that of the features.": [1.024279994, 0.7622865223],
    "The step is lr times the gradient: a factor 2 too much.": [0.9253972792, 0.708519677],
    "That is one step too many.": [0.7656038014, 0.6013089914],
    "That is one step too few.": [0.44, 0.38],
    "`F.cross_entropy` takes the scores: here the softmax was applied twice.": [0.2995616048, 0.274693847],
    "The softmax runs along the classes of one row, not down the rows.": [0.6154829078, 0.5059247051],
    "These are sigmoids: the q probabilities of a row add up to 1.": [0.3840962145, 0.2389001898],
    "The scores are not yet probabilities.": [0.3165, 0.227375],
    "The gradient takes the probabilities, not the most likely class.": [0.5, 0.45],
    "The gradient in the scores is P - Y: the one-hot rows are missing.": [0.08, 0.06],
    "The loss is minus the logarithm of the probability: here the logarithm is missing.": [0.2999628333, 0.2750579251],
    "The loss is the cross-entropy, not a squared error of the probabilities.": [0.3988653291, 0.3481161983],
    "The loss is the cross-entropy, not a mean squared error of the probabilities.": [0.2387374433, 0.2290190325],
    "There are no biases in this model.": [0.6187660634, 0.5028082685],
    "This is descent with momentum: plain steps are asked for.": [0.8432868964, 0.6742513435],
    "The rate stays as it is: here it falls from step to step.": [0.5336434482, 0.4461256718],
    "The gradients of several steps add up: empty `.grad` before each.": [0.8672868964, 0.6922513435],
    "Compute the probabilities anew before each step.": [0.68, 0.56],
    "A step uses all rows together, not one row after the other.": [0.5886585148, 0.4860662134],
    "Every entry is c too small: the start is c, not 0, and no mean is taken off.": [0.4272868964, 0.3122513435],
    "c is the start, it is not added once more.": [0.8272868964, 0.7122513435],
    "The weights have not moved: every step is taken, also one that raises the loss.": [0.2, 0.2]}, (0.3, 3): {
    "This walks uphill.": [-50.38321777, -52.21603636],
    "That is one step too many.": [21.05688212, 16.77659708],
    "That is one step too few.": [8.700001835, 5.099998776],
    "Every step is taken: this stops after a step that raised the loss.": [14.7, 11.1],
    "A small number, 1e-06, was added in the logarithm: where a probability is tiny, the gradient gets lost.": [14.69992018, 11.0999315],
    "A small number, 1e-07, was added in the logarithm: where a probability is tiny, the gradient gets lost.": [14.69988163, 11.09987675],
    "A small number, 1e-08, was added in the logarithm: where a probability is tiny, the gradient gets lost.": [14.69885472, 11.09884822],
    "A small number, 1e-09, was added in the logarithm: where a probability is tiny, the gradient gets lost.": [14.68853187, 11.08852522],
    "A small number, 1e-10, was added in the logarithm: where a probability is tiny, the gradient gets lost.": [14.58610345, 10.98609678],
    "A small number, 1e-12, was added in the logarithm: where a probability is tiny, the gradient gets lost.": [4.783717481, 1.183770293],
    "Compute the probabilities anew before each step.": [43.5, 32.7],
    "The weights have not moved: every step is taken, also one that raises the loss.": [0.3, 0.3]}}
slips_542b = {(0.2, 2): {
    "Every class has a column that learns, the last one, too.": [[0.6272868964, 0.09449202179, 0.2819785285, -0.09824946846, 0.2], [0.5122513435, 0.0753181372, 0.0703217776, 0.2667906045, 0.2]],
    "A class that does not occur has its gradient, too: its probability is above 0.": [[0.6342619696, 0.2, 0.2859287861, -0.09501266182, 0.2], [0.5194881412, 0.2, 0.07461088513, 0.270810346, 0.2]]}}
for c_542b, lr_542b, steps_542b, right_542b in ((0.3, 0.1, 0, torch.full((2, 5), 0.3, dtype=torch.float64)), (0.2, 0.5, 2, two_steps_542b),
                                                (1.5, 0.3, 6, torch.tensor([[2.110447582, 1.351931395, 1.659117536, 1.026572092, 1.351931395], [1.922211658, 1.31965681, 1.301703805, 1.636770916, 1.31965681]], dtype=torch.float64)),
                                                (400.0, 0.5, 2, two_steps_542b + 399.8),
                                                (0.3, 30.0, 3, torch.tensor([[3.056929967, -3.299692648, 14.34307386, -9.300618531, -3.299692648], [-0.8048605562, 0.08541045366, -0.007688531102, 2.14172818, 0.08541045366]], dtype=torch.float64)),
                                                (0.3, 4000.0, 2, torch.tensor([[1120.3, -479.7, 1120.3, -1279.7, -479.7], [640.3, -293.0333333333, -293.0333333333, 240.3, -293.0333333333]], dtype=torch.float64))):
    test_of_542b(X_542b, y_542b, 5, c_542b, lr_542b, steps_542b, f"five rows, 2 features, 5 classes, {steps_542b} steps with rate {lr_542b} from {c_542b}", right_542b,
                 doubles_542b(slips_542b.get((c_542b, steps_542b), {})), lambda: first_step_542b(c_542b, lr_542b, steps_542b, right_542b), doubles_542b(column_542b.get((c_542b, steps_542b), {})))
### BEGIN HIDDEN TESTS
def softmax_by_autograd(X, y, q, c, lr, steps, loss=lambda S, y: F.cross_entropy(S, y), kind=""):
    W, piled, momentum, height, b, Y = torch.full((X.shape[1], q), float(c), dtype=X.dtype, requires_grad=True), 0, 0, math.inf, torch.zeros(q, dtype=X.dtype), F.one_hot(y, q)
    for _ in range(steps):
        height, last = F.cross_entropy(X @ W, y).item(), height
        if kind == "rise" and height > last:
            break
        if kind == "bias":
            D = (torch.softmax((X @ W + b).detach(), dim=1) - Y) / len(X)
            W, b = (W - lr * X.T @ D).detach(), b - lr * D.sum(dim=0)
            continue
        if kind == "rows":
            for i in range(len(X)):
                W = (W - lr * torch.autograd.grad(loss(X[i:i + 1] @ W, y[i:i + 1]), W)[0] / len(X)).detach().requires_grad_()
            continue
        if kind != "first" or _ == 0:
            g = torch.autograd.grad(loss(X @ W, y), W)[0]
        piled, momentum = piled + g, 0.9 * momentum + g
        W = (W - lr * {"pile": piled, "momentum": momentum, "decay": g / (1 + _)}.get(kind, g)).detach().requires_grad_()
    return W.detach()

def which_of_542b(X, y, q, c, lr, steps):
    """Whether it is the size of the scores, the first step or a later one."""
    def right(X, y, c, steps):
        found = torch.as_tensor(softmax_from(X.clone(), y.clone(), q, c, lr, steps)).double()
        return torch.allclose(found, softmax_by_autograd(X, y, q, c, lr, steps), rtol=1e-4, atol=1e-6)

    if not bool(torch.as_tensor(softmax_from(X.clone(), y.clone(), q, c, lr, steps)).isfinite().all()) and right(X[:1], y[:1], c, steps):
        return "For the first row alone yours is right: each row has its own largest score, and what is taken off before `exp` must be that of its row. `torch.softmax` and `F.cross_entropy` do so."
    if abs(c) > 50 and right(X, y, 0., steps):
        return "From c = 0 the same steps are right: it is the large scores that get lost. Only the differences of a row's scores count, so nothing may be cut off; `torch.softmax` and `F.cross_entropy` work for them, too."
    lost = not bool(torch.as_tensor(softmax_from(X.clone(), y.clone(), q, c, lr, steps)).isfinite().all())
    if lost and abs(c) < 50 and right(X, y, c, 1):
        return "A probability is exactly 0 here, and its logarithm is -inf: `F.cross_entropy` and `F.log_softmax` take it without becoming infinite, and the gradient P - Y needs no logarithm."
    if lost:
        return "The scores are far from 0 here, where `exp` gives inf or 0: `torch.softmax` and `F.cross_entropy` work for them, too."
    if right(X, y, c, 1):
        return "After one step, from weights that are all equal, yours is right; after more of them it is not: the probabilities are the softmax of the scores X W at the weights to which the step before has led, as they are."
    if right(X[:1], y[:1], c, 1):
        return "Already the first step is wrong. With the first row alone it is right: the gradient is the mean of those of all rows."
    return "Already the first step is wrong, and with the first row x alone, too: it is to be lr times the outer product of x and (p - one-hot), p the softmax of x W."

def hidden_of_542b(X, y, q, c, lr, steps, call):
    n, d = X.shape
    walk, one_hot = lambda k=1., **other: softmax_by_autograd(X, y, q, c, lr * k, steps, **other), F.one_hot(y, q).to(X.dtype)
    wanted = walk()
    slips = {}
    if steps:
        missing = [k for k in range(q) if k not in y.tolist()]
        slips = {"The loss is the mean over the rows, not the sum.": walk(n), "This walks uphill.": walk(-1), "The mean is taken over the rows, not over all n times q entries.": walk(1 / q), "The mean is taken over the rows, not over the features as well.": walk(1 / d),
                 "The loss is divided by n, the number of rows, not by that of the features.": walk(n / d), "The step is lr times the gradient: a factor 2 too much.": walk(2), "That is one step too many.": softmax_by_autograd(X, y, q, c, lr, steps + 1), "That is one step too few.": softmax_by_autograd(X, y, q, c, lr, steps - 1),
                 "`F.cross_entropy` takes the scores: here the softmax was applied twice.": walk(loss=lambda S, y: F.cross_entropy(torch.softmax(S, dim=1), y)),
                 "The softmax runs along the classes of one row, not down the rows.": walk(loss=lambda S, y: ((torch.softmax(S, dim=0) - one_hot).detach() * S).sum() / n),
                 "These are sigmoids: the q probabilities of a row add up to 1.": walk(loss=lambda S, y: ((torch.sigmoid(S) - one_hot).detach() * S).sum() / n), "The scores are not yet probabilities.": walk(loss=lambda S, y: ((S - one_hot).detach() * S).sum() / n),
                 "The gradient takes the probabilities, not the most likely class.": walk(loss=lambda S, y: ((F.one_hot(S.argmax(dim=1), q) - one_hot).detach() * S).sum() / n),
                 "The gradient in the scores is P - Y: the one-hot rows are missing.": walk(loss=lambda S, y: (torch.softmax(S, dim=1).detach() * S).sum() / n),
                 "The loss is minus the logarithm of the probability: here the logarithm is missing.": walk(loss=lambda S, y: -torch.softmax(S, dim=1)[torch.arange(n), y].mean()),
                 "The loss is the cross-entropy, not a squared error of the probabilities.": walk(loss=lambda S, y: (torch.softmax(S, dim=1) - one_hot).square().sum() / n),
                 "The loss is the cross-entropy, not a mean squared error of the probabilities.": walk(loss=lambda S, y: (torch.softmax(S, dim=1) - one_hot).square().mean()),
                 "There are no biases in this model.": walk(kind="bias"), "Every step is taken: this stops after a step that raised the loss.": walk(kind="rise"), "This is descent with momentum: plain steps are asked for.": walk(kind="momentum"),
                 "The rate stays as it is: here it falls from step to step.": walk(kind="decay"),
                 **{f"A small number, {eps:g}, was added in the logarithm: where a probability is tiny, the gradient gets lost.": walk(loss=lambda S, y: -torch.log(torch.softmax(S, dim=1)[torch.arange(n), y] + eps).mean()) for eps in (1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12)},
                 "The gradients of several steps add up: empty `.grad` before each.": walk(kind="pile"), "Compute the probabilities anew before each step.": walk(kind="first"), "A step uses all rows together, not one row after the other.": walk(kind="rows"),
                 "Every entry is c too small: the start is c, not 0, and no mean is taken off.": wanted - c, "c is the start, it is not added once more.": wanted + c,
                 "The weights have not moved: every step is taken, also one that raises the loss.": torch.full((d, q), float(c), dtype=X.dtype),
                 "Every class has a column that learns, the last one, too.": torch.cat([wanted[:, :-1], torch.full((d, 1), float(c), dtype=X.dtype)], dim=1)}
        if missing:
            slips["A class that does not occur has its gradient, too: its probability is above 0."] = walk(loss=lambda S, y: ((torch.softmax(S, dim=1) - one_hot).index_fill(1, torch.tensor(missing), 0.0).detach() * S).sum() / n)
    test_of_542b(X, y, q, c, lr, steps, call, wanted, slips, lambda: which_of_542b(X, y, q, c, lr, steps))

for n_542b, d_542b, q_542b, c_542b, lr_542b, steps_542b in ((8, 3, 3, -0.4, 0.2, 25), (5, 6, 2, 2.0, 1.0, 3), (7, 1, 5, 0.0, 0.1, 40), (6, 3, 4, -700.0, 0.5, 3), (9, 2, 3, 0.1, 40.0, 4), (10, 2, 3, -0.3, 5000.0, 3)):
    rng = torch.Generator().manual_seed(n_542b)
    X_542b, y_542b = torch.randn(n_542b, d_542b, generator=rng, dtype=torch.float64), torch.randint(0, q_542b, (n_542b,), generator=rng)
    for count_542b in (0, steps_542b):
        hidden_of_542b(X_542b, y_542b, q_542b, c_542b, lr_542b, count_542b, f"{n_542b} rows, {d_542b} features, {q_542b} classes, {count_542b} steps with rate {lr_542b} from {c_542b}")
### END HIDDEN TESTS

# %% [markdown] teaches="constant start without a hidden layer"
# So: without a hidden layer, *yes*, all weights may begin with the same value. In linear regression the gradient for weight j is a mean of error times $x_j$: each weight has a feature of its own, and the features differ. In softmax
# regression each column has a class of its own, and the labels differ. Only what plays the same part everywhere is interchangeable: two features that are equal in every row, or two classes that never occur. Their weights stay equal, as they do in the best solution, so this does no harm. The loss is convex, too, so every start leads to the lowest value. For softmax regression the constant does not even matter:

# %% tags=["demo"]
results = {}
for c in (0.0, 5.0):
    losses, (W,) = train([torch.full((3, 3), c)], "identity", lr=0.5, steps=50)
    results[c] = W.detach()
    print(f"from {c}: first loss {losses[0]:.4f}, last loss {losses[-1]:.4f}")
print("W from 5 minus W from 0, smallest and largest entry:", (results[5.0] - results[0.0]).min().item(), (results[5.0] - results[0.0]).max().item())

# %% [markdown]
# The run from 5 is the run from 0 plus 5: a constant adds the same number to all scores of an example, and the softmax does not notice a shift (4.1). ⚠ "Never begin with equal weights" is thus too strong a rule. It holds where units are interchangeable: in hidden layers.

# %% [markdown] task="5.4.1" kind="explain" minutes=15 difficulty=4 needs="permutation symmetry, symmetry breaking, activation function"
# ### Other symmetries
#
# For the machine: a network computes $f(\mathbf X \mathbf W_1 + \mathbf b_1)\, \mathbf W_2$. Write `scaled_unit(W1, b1, W2, unit, c)`: the same network, except that everything that goes *into* hidden unit number `unit`, weights and bias, is multiplied by `c`, and what goes *out* of it is divided by `c`. It returns a tuple of three tensors.
# For ReLU and c > 0 the function of the network stays the same, and for tanh and c = -1 as well.
#
# Then in words:
# 1. Why do the two statements hold?
# 2. Which start does the sign change (tanh, c = -1, for all units at once) leave exactly as it is? What does gradient descent do from there?
# 3. Describe two cases in other architectures in which parts of a network are interchangeable, so that an equal start would keep them equal. How is each symmetry broken in practice?
# 4. Name a symmetry on this page that needs *no* breaking. Why does it need none?
#
# **You are done when**
# - **the unit**: its weights in and its bias are multiplied by c, its weights out divided by c, and the other units are as they were;
# - **same function**: with ReLU and c > 0, and with tanh and c = -1, the outputs do not change;
# - **arguments kept**: the three tensors that were passed in are as they were.
#
# The words are complete when each of the four questions has an answer with its reason.

# %% exercise="5.4.1"
def scaled_unit(W1, b1, W2, unit, c):
    """(W1, b1, W2) with one hidden unit multiplied by c going in and divided by c going out."""
    ### BEGIN SOLUTION
    W1, b1, W2 = W1.clone(), b1.clone(), W2.clone()
    W1[:, unit] *= c
    b1[unit] *= c
    W2[unit] /= c
    return W1, b1, W2
    ### END SOLUTION

# %% [markdown] written="5.4.1" points=4
# ### BEGIN SOLUTION
# 1. For c > 0, relu(c z) = c relu(z): the unit's value is multiplied by c, and its weights out by 1/c, so what the next layer receives is the same. tanh is odd, tanh(-z) = -tanh(z): both signs change, and cancel.
# 2. Only numbers that equal their own negative stay: all weights into and out of the units, and their biases, are 0. Then every hidden value is 0, so the gradient of W2 is 0; and W2 = 0 sends nothing back, so the gradient of W1 and b1 is 0. Gradient descent does not move at all (only an output bias would learn).
# 3. (a) *Parallel branches*, whose outputs are added, such as the heads of an attention layer or the experts of a mixture: with equal weights they get equal gradients for ever, and many branches are worth one. Random weights for each branch break it; for experts, noise in the choice of the expert as well. (b) *Channels of a
#    convolution*: the filters of a layer may be permuted like hidden units; random filters break it. (Also: the members of an ensemble that is trained together; the factors of a matrix U Vᵀ, whose columns may be permuted; the states of a recurrent network; dropout breaks the symmetry of hidden units by chance.)
# 4. The scale symmetry of ReLU. No start of ordinary weights is left as it is by c ≠ 1, so gradient descent is not caught anywhere. (It only makes many weights equally good, and an unfortunate choice, c huge, makes the gradients of the two layers very unequal.) Also the shift of all weights in softmax regression: whatever constant one adds, training is the same plus this constant.
#
# **Rubric**
# - [1] Both statements: ReLU commutes with positive factors, tanh is odd, and the factor out cancels the factor in; lost by an example in numbers only
# - [1] The all-zero start of the hidden layer's weights in and out, with gradients 0 (or: stays there for ever); lost by "equal weights", which the sign change does not leave as they are
# - [1] Two cases of interchangeable parts, each with how the symmetry is broken (random start, noise, dropout, different data); also accepted: other layers of the same kind if a named architecture is described; lost by one case only
# - [1] A symmetry that needs no breaking, with the reason that no ordinary start is left as it is, or that the symmetric part does not change the function or limit it; also accepted: equal weights in linear or softmax regression; lost by "all symmetries must be broken"
# ### END SOLUTION

# %% [markdown] hints="5.4.1"
# 1. Which column, which entry and which row belong to the hidden unit?
# 2. Work on clones: `W1.clone()`. For the words: a symmetry catches gradient descent where it leaves the *start* as it is.
# 3. Another symmetry, to compare: a network of two linear layers, X A B, computes the same with A M and M⁻¹ B for any invertible matrix M.

# %% check="5.4.1" points=2
def net_for_541(d, h, q, seed):
    rng = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=rng, dtype=torch.float64) for shape in ((d, h), (h,), (h, q), (7, d))]

@probe
def arguments_after_541(W1, b1, W2, unit, c):
    scaled_unit(W1, b1, W2, unit, c)
    return W1, b1, W2

def times_541(T, axis, place, factor):
    """T with the entries at one place of one axis multiplied by the factor, T itself where there is no such place."""
    return T.index_copy(axis, torch.tensor([place]), factor * T.select(axis, place).unsqueeze(axis)) if axis < T.ndim and place < T.shape[axis] else T

def what_changed_541(got, T, axis, unit, c, name):
    """Whether another unit changed, and by what this one was multiplied."""
    for other in range(T.shape[axis]):
        if other != unit and not torch.allclose(got.select(axis, other).double(), T.select(axis, other)):
            return f"In {name}, what belongs to unit {other} changed, too: only unit {unit} is to change."
    ratio = (got.select(axis, unit).double() / T.select(axis, unit)).flatten()
    if not torch.allclose(ratio, ratio[:1].expand_as(ratio)):
        return f"In {name}, the weights of unit {unit} were not all multiplied by the same number: all of them are to be {'divided' if name == 'W2' else 'multiplied'} by c."
    return f"In {name}, what belongs to unit {unit} was multiplied by {ratio[0].item():.4g}: it is to be {'divided' if name == 'W2' else 'multiplied'} by c, which is {c:g}."

def test_of_541(d, h, q, unit_, c_, seed):
    *old, batch = net_for_541(d, h, q, seed)
    call = f"{d} inputs, {h} units, {q} outputs, unit {unit_}, c = {c_}"
    answer = scaled_unit(*[T.clone() for T in old], unit_, c_)
    assert_type(answer, (tuple, list), f"what scaled_unit returns, {call}", of="the unit", hint="A tuple of three tensors: W1, b1, W2.")
    assert_equal(len(answer), 3, f"how many tensors come back, {call}", of="the unit", hint="Three: W1, b1, W2.")
    for got, T, axis, factor, name in zip(answer, old, (1, 0, 0), (c_, c_, 1 / c_), ("W1", "b1", "W2")):
        assert_shape(got, tuple(T.shape), f"the shape of the new {name}, {call}", of="the unit", hint=f"All {h} units stay, with their weights and biases: the shapes of W1, b1, W2 are as before, in this order.")
        slips = {"This one is as it was.": T, "All units were changed: only one was asked for.": T * factor, "The factor was used twice.": times_541(T, axis, unit_, factor ** 2)}
        slips |= {f"Unit {other} was changed: units are counted from 0, and number {unit_} was asked for.": times_541(T, axis, other, factor) for other in range(h) if other != unit_}
        if c_ != -1:
            slips["What goes out is divided by c." if name == "W2" else "What goes in is multiplied by c, the bias as well."] = times_541(T, axis, unit_, 1 / factor)
        if c_ < 0:
            slips["c counts with its sign."] = times_541(T, axis, unit_, abs(factor))
        if name != "b1":
            slips["Row `unit` of W2 goes out of the unit: this changed a column." if name == "W2" else "Column `unit` of W1 goes into the unit: this changed a row."] = times_541(T, 1 - axis, unit_, factor)
        if c_ == -1:
            slips = {sentence: value for sentence, value in slips.items() if sentence[0] != "c" and "twice" not in sentence}
        assert_close(got, T * torch.ones(h, dtype=T.dtype).index_fill(0, torch.tensor([unit_]), factor).view([-1 if i == axis else 1 for i in range(T.ndim)]), f"the new {name}, {call}",
                     of="same function" if name == "W2" else "the unit", mistakes=slips, hint=lambda: what_changed_541(got, T, axis, unit_, c_, name))
    for f, name in ((torch.relu, "ReLU"), (torch.tanh, "tanh")):
        if (name == "ReLU") == (c_ > 0):
            assert_close(f(batch @ answer[0] + answer[1]) @ answer[2], f(batch @ old[0] + old[1]) @ old[2], f"the outputs with {name}, {call}", of="same function")
    assert_close(arguments_after_541(*[T.clone() for T in old], unit_, c_), tuple(old), f"W1, b1 and W2 after the call, {call}", of="arguments kept", hint="The arguments were changed: work on clones.")

test_of_541(2, 3, 4, 1, 4.0, 0)
test_of_541(2, 3, 4, 2, -1.0, 1)
### BEGIN HIDDEN TESTS
test_of_541(5, 4, 2, 0, 0.3, 2)
test_of_541(3, 2, 3, 1, -1.0, 3)
test_of_541(1, 6, 1, 5, 7.0, 4)
### END HIDDEN TESTS

# %% [markdown] teaches="singular values of a product, condition number, orthogonal initialisation"
# ## 5. Not one size but many
#
# So far the size of a signal was a single number. A matrix, though, stretches different directions differently. Its *singular values* say by how much: the largest one, $s_{\max}$, is the most that any vector of length 1 can be stretched to (the spectral norm of 2.3), the smallest one, $s_{\min}$, the least.
# Their ratio is the *condition number*. If it is large, some directions of the gradient arrive multiplied by a million times more than others, and one learning rate cannot serve both.
#
# Layers multiply matrices. What happens to the singular values? Let $\mathbf A$ and $\mathbf B$ be square and $\mathbf v$ of length 1. Then $\mathbf B \mathbf v$ has at most the length $s_{\max}(\mathbf B)$, and $\mathbf A$ stretches that by at most $s_{\max}(\mathbf A)$. The same goes for the smallest:
#
# $$s_{\min}(\mathbf A)\, s_{\min}(\mathbf B) \;\le\; s(\mathbf A \mathbf B) \;\le\; s_{\max}(\mathbf A)\, s_{\max}(\mathbf B)$$
#
# for every singular value $s(\mathbf A \mathbf B)$ of the product. So the condition number of a product is at most the product of the condition numbers. And it does grow: compare normal matrices of the size-keeping standard deviation $\sqrt{1/32}$ with *orthogonal* matrices, whose columns have length 1 and are perpendicular to each other, so that they turn and mirror but stretch nothing.

# %% teaches="singular values of a product, orthogonal initialisation"
torch.manual_seed(0)
products = {"normal": torch.eye(32, dtype=torch.float64), "orthogonal": torch.eye(32, dtype=torch.float64)}
spread = {"normal": [], "orthogonal": []}
for layer in range(1, 11):
    products["normal"] = products["normal"] @ (math.sqrt(1 / 32) * torch.randn(32, 32, dtype=torch.float64))
    products["orthogonal"] = products["orthogonal"] @ torch.nn.init.orthogonal_(torch.empty(32, 32, dtype=torch.float64))
    for name, product in products.items():
        s = torch.linalg.svdvals(product)                        # from the largest to the smallest
        spread[name].append(s)
        if layer in (1, 10):
            print(f"{name:10} product of {layer:2}: largest {s[0]:.3g}, smallest {s[-1]:.3g}, condition number {s[0] / s[-1]:.3g}, rms {s.square().mean().sqrt():.3f}")

# %% tags=["demo"]
figure, axes = plt.subplots(1, 2, figsize=(8.5, 3.2), sharey=True, layout="constrained")
for ax, (name, values) in zip(axes, spread.items()):
    for layer, s in enumerate(values, start=1):
        ax.plot([layer] * 32, s, "_", color="C0", markersize=8)
    ax.set(title=name, xlabel="matrices in the product", yscale="log", xticks=range(1, 11))
    ax.grid(alpha=0.3)
axes[0].set_ylabel("the 32 singular values")
plt.show()

# %% [markdown]
# What to see: the root mean square of the singular values stays near 1 on both sides, as the book-keeping promised. On the left the values drift apart nevertheless: after ten layers a few directions are stretched, one of them to 3.5 times its length, many have shrunk to less than a hundredth, and one to $10^{-12}$. On the right all 32 stay at 1. Starts with orthogonal matrices, times the same factor as before, are in use for very deep and for recurrent networks.
#
# ⚠ *Eigenvalues do not multiply.* It is tempting to say: all eigenvalues of each matrix are below 1 in size, so the product must shrink. For symmetric matrices singular values are the sizes of the eigenvalues, and it is right. For others it is wrong, and exercise 5.4.3b asks for an example. (A number $\lambda$ is an *eigenvalue* of $\mathbf M$ if $\mathbf M \mathbf v = \lambda \mathbf v$ for a vector
# $\mathbf v$ that is not zero. For a triangular matrix they are the numbers on the diagonal; `torch.linalg.eigvals(M)` computes them.)

# %% teaches="eigenvalues"
M = torch.tensor([[0.5, 8.0], [0.0, 0.5]])
print("eigenvalues:", torch.linalg.eigvals(M), " singular values:", torch.linalg.svdvals(M))

# %% [markdown] task="5.4.3a" kind="code" minutes=6 difficulty=2 needs="singular values of a product"
# ### Bounds for a chain
#
# Write `product_bounds(Ws)`: `Ws` is a list of at least one square matrix, all of shape (n, n). It returns the pair `(low, high)` of numbers that the two-sided inequality gives, applied again and again: every singular value of the product lies between them. Use the matrices one by one, not their product.
#
# **You are done when**
# - **high**: the second number is the bound from above;
# - **low**: the first is the bound from below, 0 if one of the matrices sends a direction to 0.

# %% exercise="5.4.3a"
def product_bounds(Ws):
    """(low, high): bounds for all singular values of the product of the matrices."""
    ### BEGIN SOLUTION
    low, high = 1.0, 1.0
    for W in Ws:
        s = torch.linalg.svdvals(W)
        low, high = low * s.min().item(), high * s.max().item()
    return low, high
    ### END SOLUTION

# %% [markdown] hints="5.4.3a"
# 1. What do you know about the product of the first two matrices? And of these with the third?
# 2. `torch.linalg.svdvals(W)` gives the singular values of one matrix.
# 3. Two diagonal matrices, one with 3 and 2, one with -1 and 5: the bounds are 2 · 1 = 2 and 3 · 5 = 15.

# %% check="5.4.3a" points=2
from numpy import ndarray

def bounds_543(chain, values):
    """(low, high) if the sizes of one matrix were those that `values` gives."""
    return math.prod(min(values(W)) for W in chain), math.prod(max(values(W)) for W in chain)

def sizes_of_543(W):
    return torch.linalg.svdvals(W).tolist()

def which_matrix_543(chain, k):
    """Whether the bound is right for each matrix alone."""
    for i, W in enumerate(chain):
        alone, right = float(product_bounds([W.clone()])[k]), sizes_of_543(W)[-1 if k == 0 else 0]
        if abs(alone - right) > 1e-3 * right + 1e-6:
            return f"For matrix {i + 1} alone yours is {alone:.4g}: its {('smallest', 'largest')[k]} singular value is asked for, the {('least', 'most')[k]} to which it stretches a vector of length 1."
    return "For each matrix alone yours is right: these numbers, one for each matrix, are to be multiplied."

def test_of_543(chain, call):
    answer = product_bounds([W.clone() for W in chain])
    assert_type(answer, (tuple, list, torch.Tensor, ndarray), f"what product_bounds returns, {call}", of="high", hint="A pair, (low, high).")
    assert_equal(len(answer), 2, f"how many numbers come back, {call}", of="high", hint="Two: (low, high).")
    (low, high), product = bounds_543(chain, sizes_of_543), chain[0]
    for W in chain[1:]:
        product = product @ W
    slips = {"The lower bound stands first.": (high, low), "Singular values are never negative.": (-low, -high), "These are the squares: the root is missing.": (low ** 2, high ** 2), "The bounds multiply, they do not add up.": (sum(min(sizes_of_543(W)) for W in chain), sum(max(sizes_of_543(W)) for W in chain)),
             "Largest entries are not stretchings: singular values are.": bounds_543(chain, lambda W: W.abs().flatten().tolist()), "Entries of the diagonal are not stretchings: singular values are.": bounds_543(chain, lambda W: W.diagonal().abs().tolist())}
    if len(chain) > 1:
        slips |= {"These are the singular values of the product: bound them from the single matrices.": (min(sizes_of_543(product)), max(sizes_of_543(product))), "This is the bound for the first matrix alone.": bounds_543(chain[:1], sizes_of_543), "This is the bound of the last matrix alone.": bounds_543(chain[-1:], sizes_of_543), "This is the most extreme of all singular values: multiply those of all, one for each matrix.": (min(min(sizes_of_543(W)) for W in chain), max(max(sizes_of_543(W)) for W in chain)),
                  "Each matrix has its own extremes: this takes the most extreme of all, once for each matrix.": (min(min(sizes_of_543(W)) for W in chain) ** len(chain), max(max(sizes_of_543(W)) for W in chain) ** len(chain))}
    slips["The first matrix counts twice here."] = bounds_543([chain[0], *chain], sizes_of_543)
    if len(chain) > 2:
        slips |= {"This is the bound for the first two matrices: there are more.": bounds_543(chain[:2], sizes_of_543), "This is the bound for the first and the last matrix: there are more.": bounds_543([chain[0], chain[-1]], sizes_of_543)}
    if not all(torch.allclose(W, W.T) for W in chain):
        slips["`eigvalsh` is for symmetric matrices, and reads one half of a matrix only: take singular values."] = bounds_543(chain, lambda W: torch.linalg.eigvalsh(W).abs().tolist())
        slips["These are products of eigenvalues, which bound nothing here: take singular values."] = bounds_543(chain, lambda W: torch.linalg.eigvals(W).abs().tolist())
    ups = {sentence: pair[1] for sentence, pair in slips.items()} | {"Frobenius norms bound it, too, but not as closely: the inequality has the largest singular values.": math.prod(W.norm().item() for W in chain), "These are largest sums of the sizes in a column: a vector of length 1 is stretched by the largest singular value at most.": math.prod(torch.linalg.matrix_norm(W, 1).item() for W in chain), "This is a condition number: high is the bound itself.": high / low if low else math.inf}
    downs = {"This is the bound from above.": high} | {sentence: pair[0] for sentence, pair in slips.items() if "stands first" not in sentence} | {"A closer bound than 0 is known: every matrix stretches by its smallest singular value at least.": 0.0 if low else math.inf,
             "The lower bound has its own factors: it is not 1 / high.": 1 / high, "This is the size of the determinant, the product of all singular values.": abs(math.prod(torch.linalg.det(W).item() for W in chain))}
    if len(chain[0]) > 2:
        downs["The determinant over the largest singular value is the smallest one for two rows alone: here it is the product of all the others."] = abs(math.prod(torch.linalg.det(W).item() for W in chain)) / high
        downs["The second value is not the smallest: there are more than two."] = math.prod(sizes_of_543(W)[1] for W in chain)
    if not low:
        downs["A singular value 0 counts, too."] = math.prod(min(v for v in sizes_of_543(W) if v > 1e-9) for W in chain)
    assert_close(float(answer[1]), high, f"the upper bound, {call}", of="high", rtol=1e-3, mistakes=ups, hint=lambda: which_matrix_543(chain, 1))
    assert_close(float(answer[0]), low, f"the lower bound, {call}", of="low", rtol=1e-3, atol=0 if low else 1e-6, mistakes=downs,
                 hint=lambda: which_matrix_543(chain, 0) + (" However small the product gets, it is the bound." if low else " One of the matrices has the singular value 0, and the bound is a product."))

test_of_543([torch.tensor([[3., 0.], [0., 2.]]), torch.tensor([[-1.5, 0.], [0., 4.]]), torch.tensor([[2.5, 0.], [0., 1.6]])], "the diagonals (3, 2), (-1.5, 4) and (2.5, 1.6)")
test_of_543([torch.tensor([[0.5, 8.0], [0.0, 0.5]]), torch.tensor([[0., -2.], [1., 0.]]), torch.tensor([[1., 1.], [1., -1.]])], "three matrices that are not all symmetric")
test_of_543([torch.tensor([[0., 4., 0.], [-3., 0., 0.], [0., 0., 0.02]])] * 3, "three times the same matrix, with the singular values 4, 3 and 0.02")
test_of_543([torch.tensor([[0., 0., 0.], [3., 0., 0.], [0., 2., 0.]]), torch.tensor([[1., 1., 0.], [1., -1., 0.], [0., 0., 0.5]])], "a first matrix that is not invertible")
### BEGIN HIDDEN TESTS
for n_543, length_543 in ((4, 1), (3, 5), (6, 2)):
    rng = torch.Generator().manual_seed(10 * n_543 + length_543)
    chain_543 = [torch.randn(n_543, n_543, generator=rng, dtype=torch.float64) for _ in range(length_543)]
    test_of_543(chain_543, f"matrices of shape ({n_543}, {n_543}), {length_543} of them")
test_of_543([0.01 * torch.randn(3, 3, generator=torch.Generator().manual_seed(i), dtype=torch.float64) for i in range(4)], "four matrices with small entries")
test_of_543([torch.randn(3, 3, generator=torch.Generator().manual_seed(7), dtype=torch.float64), torch.diag(torch.tensor([2., 0., -5.], dtype=torch.float64))], "a last matrix that is not invertible")
### END HIDDEN TESTS

# %% [markdown] task="5.4.3b" kind="answer" minutes=8 difficulty=3 needs="eigenvalues, singular values of a product"
# ### Small eigenvalues, huge product
#
# Write `misleading_pair(size)`: two matrices of shape (2, 2), as tensors. All eigenvalues of each are at most 0.5 in size, and yet their product `A @ B` has an eigenvalue of at least `size` in size. `size` is a positive number up to 10,000. (The size of an eigenvalue is its absolute value: the sign does not matter.)
#
# **You are done when**
# - **shape**: a pair of two tensors of shape (2, 2) comes back;
# - **eigenvalues**: all four eigenvalues of the two matrices are at most 0.5 in size;
# - **product**: the product `A @ B` has an eigenvalue of at least `size` in size.

# %% exercise="5.4.3b"
def misleading_pair(size):
    """Two (2, 2) matrices with small eigenvalues whose product has an eigenvalue of at least `size`."""
    ### BEGIN SOLUTION
    A = torch.tensor([[0.0, float(size)], [0.0, 0.0]])
    B = torch.tensor([[0.0, 0.0], [1.0, 0.0]])
    return A, B
    ### END SOLUTION

# %% [markdown] hints="5.4.3b"
# 1. Where does a triangular matrix have its eigenvalues, and which of its entries do not matter for them?
# 2. One upper and one lower triangular matrix. Multiply them with letters: what stands at the top left?
# 3. Near miss: two *upper* triangular matrices have an upper triangular product, and on its diagonal stand the products of the diagonals, at most 0.25.

# %% check="5.4.3b" points=2
def test_of_543b(size_):
    answer = misleading_pair(size_)
    assert_type(answer, (tuple, list), f"what misleading_pair({size_}) returns", of="shape", hint="A pair of two tensors.")
    assert_equal(len(answer), 2, f"how many matrices misleading_pair({size_}) returns", of="shape", hint="Two, A and B.")
    for name, M in zip("AB", answer):
        assert_type(M, torch.Tensor, f"{name} for the size {size_}", of="shape", hint="Make a tensor of it.")
        assert_shape(M, (2, 2), f"the shape of {name} for the size {size_}", of="shape", hint="Two rows and two columns.")
        assert_true(bool(M.double().isfinite().all()), f"all entries of {name} for the size {size_} are ordinary numbers", of="shape", hint="There is an inf or a nan in it.")
        largest = torch.linalg.eigvals(M.double()).abs().max().item()
        assert_true(largest <= 0.5 * 1.001, f"the eigenvalues of {name} for the size {size_} are at most 0.5 in size; yours reach {largest:.4g}", of="eigenvalues", hint="The product is to be large by what stands beside the diagonals, not by the eigenvalues of the two.")
    A, B = (M.double() for M in answer)
    largest, stretch = torch.linalg.eigvals(A @ B).abs().max().item(), torch.linalg.svdvals(A @ B)[0].item()
    upper, lower = all(M[1, 0] == 0 for M in (A, B)), all(M[0, 1] == 0 for M in (A, B))
    beside = A[0, 1] * B[1, 0] if A[1, 0] == 0 == B[0, 1] else A[1, 0] * B[0, 1] if A[0, 1] == 0 == B[1, 0] else None
    assert_true(largest >= size_ * 0.999, f"A @ B for the size {size_} has an eigenvalue of at least {size_} in size; yours reach {largest:.4g}", of="product",
                hint="One of the two has only zeros beside its diagonal." if any(M[0, 1] == 0 == M[1, 0] for M in (A, B)) else
                     "Both matrices have their 0 on the same side, so the product has it there, too, and its diagonal is small." if upper or lower else
                     f"Its singular values reach {stretch:.4g}, but they are not its eigenvalues." if stretch >= size_ else
                     "The pair may depend on `size`." if beside is None else f"The two entries beside the diagonals have the product {beside.item():.4g}: it must come near `size`, on which the pair may depend.")

test_of_543b(10.0)
test_of_543b(2500.0)
test_of_543b(0.6)
### BEGIN HIDDEN TESTS
test_of_543b(0.2)
test_of_543b(700.0)
test_of_543b(10000.0)
### END HIDDEN TESTS

# %% [markdown]
# What follows for gradients? To keep them well conditioned, look at the *singular* values, of each layer with its bend: if all are near 1, so are those of the product. If only the largest are near 1, nothing explodes, but directions may still die.

# %% [markdown] teaches="gradient clipping, layer-wise step, data-dependent initialisation"
# ## 6. After the fact
#
# A network is given, its start is wrong, and the first gradient is huge. Can it be saved? Three ideas, from the cheapest to the most thorough.
#
# - *Clip the gradient.* If the norm of the whole gradient, all layers together, is above a limit, multiply it so that it becomes the limit. The direction stays, the step cannot be huge.
# - *A step for each layer.* Take from each layer only the direction of its gradient, and make the step a fixed share of the size of the weights: $\mathbf W \leftarrow \mathbf W - \eta\, \frac{\lVert \mathbf W \rVert}{\lVert \mathbf g \rVert}\, \mathbf g$, with Frobenius norms. Then a layer with a
#   gradient of $10^{10}$ and one with $10^{-10}$ move by the same share. This is the core of *LARS*, layer-wise adaptive rate scaling (You and others, 2017).
# - *Mend the weights.* Send one batch through, and divide the weights of each layer by the size of what comes out, one layer after the other. It is He's or Xavier's start, by measurement. (In the table below the fault is known, so the weights are simply halved; exercise 5.4.4a measures.)
#
# Thirteen layers, ReLU between them, with weights that are twice as large as He's. So the scores are $2^{13}$ times as large as they should be.

# %%
def clipped(Ws, gradients, limit=1.0):
    norm = math.sqrt(sum(g.square().sum().item() for g in gradients))
    return [g * min(1.0, limit / norm) for g in gradients]

def by_layer(Ws, gradients):
    return [g * W.norm() / g.norm() for W, g in zip(Ws, gradients)]

# %% tags=["demo"]
widths = [3] + [32] * 12 + [3]
too_large = start_by(lambda a, b: 2 * math.sqrt(2 / a), widths, seed=0)
mended = [W / 2 for W in too_large]
for name, start, lr, change in (("as it is, rate 0.1", too_large, 0.1, None), ("as it is, rate 0.001", too_large, 0.001, None), ("as it is, rate 0.000001", too_large, 1e-6, None),
                                ("clipped, rate 0.1", too_large, 0.1, clipped), ("layer by layer, rate 0.01", too_large, 0.01, by_layer), ("weights mended, rate 0.1", mended, 0.1, None)):
    losses, after = train(start, "relu", lr, 300, *([change] if change else []))
    right = (scores(after, X_ring, "relu").argmax(dim=1) == y_ring).float().mean()
    print(f"{name:26} loss at first {losses[0]:9.4g}, after one step {losses[1]:9.3g}, after 300 {losses[-1]:9.3g}; accuracy {right:.3f}")

# %% [markdown]
# Read the rows. As it is, the loss begins at 4,569 (an untrained classifier of three classes should have log 3 ≈ 1.1: a first loss far above is the sign of a wrong start). With ordinary rates it is `nan` at the end; all scores are `nan` then, `argmax` answers class 0 to every point, and 30 % of the points are of class 0. A rate of a millionth survives and crawls. Clipping survives at an ordinary rate;
# the scores stay huge, though, and so does the loss. Steps layer by layer bring the loss down to where it belongs. The mended weights need no trick at all.
#
# So: yes, much can be done after the fact, but the cheapest cure is the start. What no change of the *step* can mend: a forward signal that is already `inf`, a gradient that is exactly 0 or `nan`, and units that are equal.

# %% [markdown] task="5.4.4a" kind="code" minutes=10 difficulty=3 needs="data-dependent initialisation, signal of a layer"
# ### Mend by measurement
#
# Write `unit_scale(Ws, X, activation)` for the network of part 2: a new list of weights. Each matrix is the old one times a positive number, chosen such that on the batch `X` every $\mathbf Z^{(l)} = \mathbf H^{(l-1)} \mathbf W^{(l)}$, before the activation, has root mean square 1, *in the new network*. `activation` is a key of `ACTIVATIONS`.
# You may assume that no Z is all zero.
#
# **You are done when**
# - **positive multiples**: a list of L matrices comes back, each the old one times a positive number;
# - **unit size**: every Z of the new network has root mean square 1 on the batch, however small or large the old weights are;
# - **arguments kept**: the list that was passed in and its matrices are as they were.

# %% exercise="5.4.4a"
def unit_scale(Ws, X, activation):
    """New weights, multiples of the old ones, such that every Z has root mean square 1 on X."""
    ### BEGIN SOLUTION
    H, result = X, []
    for W in Ws:
        Z = H @ W
        size = Z.square().mean().sqrt()
        result.append(W / size)
        H = ACTIVATIONS[activation](Z / size)
    return result
    ### END SOLUTION

# %% [markdown] hints="5.4.4a"
# 1. What has to be known before layer 2 can be measured?
# 2. Go through the network once. Measure Z, divide the matrix by its root mean square, and go on with what the *new* layer gives.
# 3. One layer, X = [[3, 4]], W the unit matrix: Z = (3, 4) has root mean square √12.5 = 3.54, so the new matrix has 0.283 on its diagonal.

# %% check="5.4.4a" points=2
@probe
def matrices_after_544(Ws, X, activation):
    given = list(Ws)
    unit_scale(Ws, X, activation)
    return given, list(Ws)

def size_of_544(T):
    return T.square().mean().sqrt().item()

def walk_544(old, batch, name):
    """What comes into each layer of the network that is scaled rightly for this activation."""
    H, inputs = batch, []
    for W in old:
        inputs.append(H)
        Z = H @ W
        H = ACTIVATIONS[name](Z / size_of_544(Z))
    return inputs

def slips_of_544(old, batch, name, layer, Z):
    """The root mean square of the new Z of one layer if its matrix was divided by something else."""
    W, bent, size = old[layer], ACTIVATIONS[name](Z), size_of_544(Z)
    divisors = {"The matrix was divided by the root mean square after the activation: Z stands before it.": size_of_544(bent), "The matrix was divided by the standard deviation of Z: the mean is not taken off.": Z.std().item(),
                "The matrix was divided by the standard deviation of Z (that of all entries): the mean is not taken off.": Z.std(correction=0).item(), "The matrix was divided by the mean square: the root is missing.": size ** 2,
                "The matrix was divided by the norm of Z: the root mean square is wanted.": Z.norm().item(), "The matrix was divided by its own norm: Z on the batch is to have size 1.": W.norm().item(), "The matrix was divided by its own root mean square: Z on the batch is to have size 1.": size_of_544(W),
                "The matrix was divided by the mean size of Z: the root of the mean of the squares is wanted.": Z.abs().mean().item(), "The matrix was divided by the largest entry of Z.": Z.abs().max().item(), "The matrix was divided by the largest entry of Z (with its sign).": Z.max().item(),
                "The matrix was multiplied, not divided.": 1 / size, "This matrix still has its old size.": 1.0, "The measurement takes all rows of the batch, not the first alone.": size_of_544(Z[:1]), "The rows are not measured one by one.": Z.square().mean(dim=1).sqrt().mean().item(),
                "This is He's rule: the matrix is to be scaled by measurement on this batch.": size_of_544(W) / math.sqrt(2 / len(W)), "This is the rule 1/m: the matrix is to be scaled by measurement on this batch.": size_of_544(W) * math.sqrt(len(W))}
    divisors["What comes into the layer was scaled before Z was measured: Z itself is to have size 1, with the input as it is."] = size / size_of_544(walk_544(old, batch, name)[layer])
    if size < 1:
        divisors["This matrix still has its old size: a small signal has to grow, too."] = divisors.pop("This matrix still has its old size.")
    if size < 1e-3:
        for eps in (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12):
            divisors |= {f"A small number, {eps:g}, was added to the root mean square: beside a small signal it is not small.": size + eps, f"{eps:g} was taken where the root mean square is smaller.": max(eps, 1.01 * size), f"A small number, {eps:g}, was added under the root: beside a small signal it is not small.": math.sqrt(size ** 2 + eps)}
    slips = {sentence: size / abs(divisor) for sentence, divisor in divisors.items() if divisor}
    if layer:
        H = batch
        for V in old[:layer]:
            H = ACTIVATIONS[name](H @ V)
        slips[f"Layer {layer + 1} was measured in the old network: measure it behind the new layers before it."] = size / size_of_544(H @ W)
        slips |= {f"Layer {layer + 1} was measured behind {other} layers: the activation is {name} here.": size / size_of_544(walk_544(old, batch, other)[layer] @ W) for other in ACTIVATIONS if other != name}
    return slips

def which_scale_544(old, new, batch, name):
    """What all factors have in common, and whether the size of the old weights is without influence."""
    factors = [(V.double().norm() / W.norm()).item() for V, W in zip(new, old)]
    if len(factors) > 1 and max(factors) - min(factors) < 1e-6 * max(factors):
        return "All matrices were multiplied by the same number: each layer has a number of its own, which makes the root mean square of its own Z 1."
    if any(not torch.allclose(one.double(), V.double(), rtol=1e-3) for one, V in zip(unit_scale([2 * W for W in old], batch.clone(), name), new)):
        return "Where the old weights are twice as large, the new ones are to be the same; yours are not. Divide each matrix by the root mean square that its Z has in the new network, over the whole batch."
    return "Divide each matrix by the root mean square that its Z has in the new network, over the whole batch."

def test_of_544a(sizes, factor, name, seed):
    rng = torch.Generator().manual_seed(seed)
    old = [factor * torch.randn(a, b, generator=rng, dtype=torch.float64) for a, b in zip(sizes, sizes[1:])]
    batch = torch.randn(11, sizes[0], generator=rng, dtype=torch.float64) + 0.3
    call = f"widths {sizes}, {name}, weights with std {factor}"
    new = unit_scale([W.clone() for W in old], batch.clone(), name)
    assert_type(new, (list, tuple), f"what unit_scale returns, {call}", of="positive multiples", hint="A list of matrices.")
    assert_equal(len(new), len(old), f"how many matrices come back, {call}", of="positive multiples", hint="One for each layer.")
    for layer, (W, V) in enumerate(zip(old, new), start=1):
        assert_shape(V, tuple(W.shape), f"the shape of matrix {layer}, {call}", of="positive multiples", hint="The new matrices are asked for, not the signals and not the factors.")
        V = torch.as_tensor(V).detach().double()
        assert_close(V / V.norm(), W / W.norm(), f"matrix {layer} divided by its norm, new and old, {call}", of="positive multiples", rtol=1e-3, atol=1e-5, mistakes={"The sign has changed.": -W / W.norm()},
                     hint="One positive number for the whole matrix.")
    for layer, (H, W, V) in enumerate(zip(walk_544(old, batch, name), old, new), start=1):
        V = torch.as_tensor(V).detach().double()
        assert_close((H @ V).square().mean().sqrt().item(), 1.0, f"the root mean square of Z of layer {layer} in the new network, {call}", of="unit size", rtol=1e-3, mistakes=slips_of_544(old, batch, name, layer - 1, H @ W),
                     hint=lambda: which_scale_544(old, new, batch, name))
    given, in_the_list = matrices_after_544([W.clone() for W in old], batch.clone(), name)
    assert_close(given, old, f"the matrices after the call, {call}", of="arguments kept", hint="The matrices that were passed in were changed in place, as `/=` does: `W / number` makes a new one.")
    assert_close(in_the_list, old, f"the list of matrices after the call, {call}", of="arguments kept", hint="The entries of the list that was passed in were replaced: put the new matrices into a list of their own.")

test_of_544a((3, 5, 4, 2), 2.0, "tanh", 0)
test_of_544a((4, 6, 3), 0.1, "relu", 1)
test_of_544a((3, 4, 2), 1e-7, "identity", 5)
### BEGIN HIDDEN TESTS
test_of_544a((2, 8, 8, 8, 8, 3), 5.0, "sigmoid", 2)
test_of_544a((6, 3), 0.01, "identity", 3)
test_of_544a((5, 9, 7, 4), 3.0, "relu", 4)
test_of_544a((2, 5, 3), 1e-8, "tanh", 6)
### END HIDDEN TESTS

# %% [markdown] task="5.4.4b" kind="explain" minutes=15 difficulty=3 needs="layer-wise step, gradient clipping, exploding gradient, vanishing gradient"
# ### Rescue a start that diverges
#
# For the machine: write `layer_steps(Ws, gradients, lr)`: the new weights, a list, after the layer-wise step of this page, $\mathbf W - \eta\, \frac{\lVert \mathbf W \rVert}{\lVert \mathbf g \rVert}\, \mathbf g$ with Frobenius norms and η = `lr`. A layer whose gradient is exactly 0 everywhere keeps its weights; a layer with a gradient of $10^{-10}$ takes the full step, like any other.
#
# Then in words: suppose we know that the gradients of some layers are far too large at the start.
# 1. Why is a smaller learning rate for the whole network a poor cure?
# 2. What does the layer-wise step do about it, and at what price? Compare it with clipping by the global norm, with a number from the table above or from a run of your own.
# 3. Name two faults of a start that no rule for the *step* can mend, and say what can.
#
# **You are done when**
# - **step**: each layer moves against its gradient by `lr` times the norm of its weights, also where the gradient is as small as $10^{-10}$;
# - **each layer by itself**: the norms of one layer do not influence another;
# - **zero gradient**: a layer whose gradient is 0 everywhere keeps its weights, without `nan`, and no other layer does;
# - **arguments kept**: the list that was passed in and its weights are as they were.
#
# The words are complete when each question has its reason, and the second a number.

# %% exercise="5.4.4b"
def layer_steps(Ws, gradients, lr):
    """The weights after one step of lr times the norm of the weights in each layer."""
    ### BEGIN SOLUTION
    result = []
    for W, g in zip(Ws, gradients):
        size = g.norm()
        result.append(W - lr * W.norm() / size * g if size > 0 else W.clone())
    return result
    ### END SOLUTION

# %% [markdown] written="5.4.4b" points=4
# ### BEGIN SOLUTION
# 1. The sizes differ from layer to layer, by powers of ten, and one rate serves all. If it is small enough for the layer with the largest gradient, the others stand still. On this page the rate of one millionth survived, and had a loss of 81 after 300 steps; and as the weights change, so does the rate that is safe.
# 2. The layer-wise step takes only the direction from the gradient: each layer moves by the same share of its own size, whatever the gradient's scale. From the same start it came from 4,569 to 0.216 in 300 steps, with accuracy 0.937. Clipping by the global norm also limits the step, and survived with rate 0.1, but all layers are multiplied by one
#    number, so their *relative* sizes stay as unequal as they were; the loss was still 10.9. The price of the layer-wise step: the length of a step no longer falls near a minimum, where gradients become small, so the rate has to be lowered by a plan; a layer whose gradient is nothing but noise takes full steps, too; and a layer with weights 0 never moves.
# 3. (a) Overflow: if the forward signal is `inf` or the loss `nan`, there is no direction left; the weights must be rescaled, by He's rule or by measurement (5.4.4a), or the layers normalised. (b) A gradient that is exactly 0, because all ReLU units of a layer are off or the sigmoid is saturated to rounding: rescale or draw anew. (c) Equal units: their gradients are equal,
#    and so are their steps; only different weights part them. (Two of these are enough.)
#
# **Rubric**
# - [1] One rate for gradients of very different sizes: what is safe for the largest leaves the others unmoved; lost by "it only takes longer" without the difference between the layers
# - [1] The layer-wise step normalises each layer, so its scale does not matter, and a price (no smaller steps near the minimum, noise in full size, a further number to choose, zero weights); lost by no price
# - [1] Comparison with clipping by the global norm: clipping keeps the ratios between the layers; with a number from a run
# - [1] Two faults that no step mends (inf or nan forward, gradient exactly 0, equal units, bad conditioning inside a layer), each with its cure; also accepted: normalisation layers or residual connections as cures
# ### END SOLUTION

# %% [markdown] hints="5.4.4b"
# 1. How long is the step of one layer, if its gradient is multiplied by 1,000?
# 2. `g.norm()` is the Frobenius norm of a matrix. Ask whether it is 0 before you divide.
# 3. W = (3, 4) with norm 5, g = (0, 100), lr = 0.1: the step has length 0.5, so W becomes (3, 3.5).

# %% check="5.4.4b" points=2
@probe
def weights_after_544b(Ws, gradients, lr):
    given = list(Ws)
    layer_steps(Ws, gradients, lr)
    return given, list(Ws)

def slips_of_544b(matrices, slopes, lr, i):
    """What known mistakes give for matrix i, each with its sentence."""
    W, g = matrices[i], slopes[i]
    total_w, total_g = (math.sqrt(sum(T.square().sum().item() for T in Ts)) for Ts in (matrices, slopes))
    step = lr * math.sqrt((W ** 2).sum().item() / (g ** 2).sum().item()) * g
    slips = {"This is the plain step.": W - lr * g, "This walks uphill.": W + step, "The norm of the gradient is missing.": W - lr * W.norm() * g, "The two norms have changed places.": W - lr * g.norm() / W.norm() * g,
             "The ratio of the norms is not squared.": W - lr * (W.norm() / g.norm()) ** 2 * g, "This is the step alone: the new weights are asked for.": -step, "This is what is to be taken off the weights: the new weights are asked for.": step, "This layer has not moved: only a layer whose own gradient is 0 everywhere stays.": W,
             "These are largest entries: the Frobenius norm is the root of the sum of the squares.": W - lr * W.abs().max() / g.abs().max() * g, "The Frobenius norm adds squares, not sizes.": W - lr * W.abs().sum() / g.abs().sum() * g,
             "The step is lr times the norm: this one has another rate.": W - 0.1 * step / lr if lr != 0.1 else W - 0.3 * step / lr}
    slips["The norm of the weights is missing." if W.norm() > 1 else "The step has the length lr: it is lr times the norm of the weights, also where this is below 1."] = W - lr * g / g.norm()
    if (g != 0).sum() > 1:
        slips["The signs of the gradient are not enough: it is divided by its norm, and its entries keep their ratios."] = W - lr * W.norm() * g.sign()
    if min(W.shape) > 1:
        slips["The spectral norm of the weights was used: the Frobenius norm is the root of the sum of the squares."] = W - lr * torch.linalg.norm(W, 2) / g.norm() * g
        slips["These are spectral norms: the Frobenius norm is the root of the sum of the squares."] = W - lr * torch.linalg.norm(W, 2) / torch.linalg.norm(g, 2) * g
    if W.shape[1] > 1:
        slips["One norm for the whole matrix, not one for each column."] = W - lr * W.norm(dim=0) / g.norm(dim=0).clamp(min=1e-12) * g
    if W.shape[0] > 1:
        slips["One norm for the whole matrix, not one for each row."] = W - lr * W.norm(dim=1, keepdim=True) / g.norm(dim=1, keepdim=True).clamp(min=1e-12) * g
    if len(matrices) > 1:
        slips |= {"The norms of all layers together were used.": W - lr * total_w / total_g * g, "The norm of the gradient is that of all layers together.": W - lr * W.norm() / total_g * g, "The norm of the weights is that of all layers together.": W - lr * total_w / g.norm() * g}
        if i and slopes[0].any():
            slips |= {"The norm of the first layer's gradient was used.": W - lr * W.norm() / slopes[0].norm() * g, "The two norms are those of the first layer.": W - lr * matrices[0].norm() / slopes[0].norm() * g}
    return slips

def which_layer_544b(matrices, slopes, lr, i):
    """Whether the layer is right if it is alone."""
    def alone(W, g, lr):
        return layer_steps([W], [g], lr)[0]

    def right(W, g, lr):
        return W - lr * math.sqrt((W.double() ** 2).sum().item() / (g.double() ** 2).sum().item()) * g

    W, g = matrices[i], slopes[i]
    if len(matrices) > 1 and torch.allclose(alone(W, g, lr).double(), right(W, g, lr).double(), rtol=1e-4, atol=1e-6):
        return "For this layer alone yours is right: the other layers have no part in its step."
    step = W - alone(W, g, lr)
    if step.any() and (step * g).sum().abs() < 0.999 * step.norm() * g.norm():
        return "The step of yours has another direction than the gradient: all entries of the gradient are multiplied by one and the same number."
    ten = [(alone(W, factor * g, lr) - W).norm().item() for factor in (1., 10.)]
    if abs(ten[0] - ten[1]) > 1e-3 * max(ten):
        return f"Where the gradient is 10 times as large, the step is to be as long as before; yours becomes {ten[1] / ten[0]:.3g} times as long." if ten[0] else "This layer does not move at all."
    one = alone(torch.tensor([[2.]], dtype=W.dtype), torch.tensor([[5.]], dtype=W.dtype), lr).item()
    if abs(one - 2 * (1 - lr)) > 1e-4:
        return f"For the single weight 2 and the gradient 5 yours is {one:.4g}: the step is lr · 2 / 5 · 5 = {2 * lr:.4g}, so that the weight becomes {2 - 2 * lr:.4g}."
    for name, pair in (("gradient", (torch.tensor([[2.]], dtype=W.dtype), torch.tensor([[-5.]], dtype=W.dtype))), ("weight", (torch.tensor([[-2.]], dtype=W.dtype), torch.tensor([[5.]], dtype=W.dtype)))):
        if abs(alone(*pair, lr).item() - right(*pair, lr).item()) > 1e-4:
            return f"For a single weight 2 and the gradient 5 yours is right, but not where the {name} is negative: a norm is positive, and the step goes against the gradient."
    return "For a single weight yours is right: it is the norms of several entries that are not. Each is the root of the sum of the squares of all entries of the matrix, or of its gradient."

def test_of_544b(matrices, slopes, lr_, call):
    answer = layer_steps([W.clone() for W in matrices], [g.clone() for g in slopes], lr_)
    assert_type(answer, (list, tuple), f"what layer_steps returns, {call}", of="step", hint="A list of matrices.")
    assert_equal(len(answer), len(matrices), f"how many matrices come back, {call}", of="step", hint="One for each layer, whatever its gradient.")
    for i, (W, g) in enumerate(zip(matrices, slopes)):
        assert_shape(answer[i], tuple(W.shape), f"the shape of matrix {i + 1}, {call}", of="step", hint="The new weights are asked for: a matrix for each layer, with the shape of the old one.")
        if not g.any():
            assert_close(answer[i], W, f"matrix {i + 1} with gradient 0, {call}", of="zero gradient", hint="A layer with gradient 0 keeps its weights; 0 / 0 would be nan.")
            continue
        wanted = W - lr_ * math.sqrt((W.double() ** 2).sum().item() / (g.double() ** 2).sum().item()) * g
        assert_close(answer[i], wanted, f"matrix {i + 1} of {len(matrices)}, {call}", of="zero gradient" if abs(g.sum().item()) < 1e-12 * g.norm().item() else "step" if i == 0 else "each layer by itself", rtol=1e-4, mistakes=slips_of_544b(matrices, slopes, lr_, i),
                     hint=lambda: "A layer with a small gradient takes the full step, like any other: add nothing to its norm, and set no threshold." if g.norm() < 1e-6 else
                     which_layer_544b(matrices, slopes, lr_, i))
    given, in_the_list = weights_after_544b([W.clone() for W in matrices], [g.clone() for g in slopes], lr_)
    assert_close(given, matrices, f"the weights after the call, {call}", of="arguments kept", hint="The weights that were passed in were changed in place, as `-=` does: `W - step` makes new ones.")
    assert_close(in_the_list, matrices, f"the list of weights after the call, {call}", of="arguments kept", hint="The entries of the list that was passed in were replaced: put the new weights into a list of their own.")

test_of_544b([torch.tensor([[3., 4.]]), torch.tensor([[1.], [2.], [-2.]])], [torch.tensor([[28., 96.]]), torch.tensor([[28.], [0.], [21.]])], 0.1, "weights (3, 4) and (1, 2, -2), lr = 0.1")
test_of_544b([torch.tensor([[1., 3.], [0., -1.]]), torch.tensor([[5.], [1.]])], [torch.tensor([[0.5, 0.], [1., 2.]]), torch.zeros(2, 1)], 0.3, "a second layer with gradient 0, lr = 0.3")
test_of_544b([torch.tensor([[1., -3.]]), torch.tensor([[2.], [1.]])], [torch.tensor([[2e-10, 1e-10]]), torch.tensor([[0.5], [-0.5]])], 0.2, "gradients (2e-10, 1e-10) and (0.5, -0.5), lr = 0.2")
test_of_544b([torch.tensor([[0.03, -0.04]])], [torch.tensor([[3., 4.]])], 0.1, "weights (0.03, -0.04), lr = 0.1")
test_of_544b([torch.tensor([[2., -1.]]), torch.tensor([[4.], [3.]])], [torch.zeros(1, 2), torch.tensor([[-6.], [8.]])], 0.2, "a first layer with gradient 0, lr = 0.2")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(544)
for shapes_544 in (((3, 5), (5, 5), (5, 2)), ((2, 7), (7, 1))):
    test_of_544b([torch.randn(shape, generator=rng, dtype=torch.float64) for shape in shapes_544], [10. ** (4 - 7 * i) * torch.randn(shape, generator=rng, dtype=torch.float64) for i, shape in enumerate(shapes_544)], 0.02, f"{len(shapes_544)} layers, gradients of very different sizes")
test_of_544b([torch.randn(4, 3, generator=rng, dtype=torch.float64), torch.randn(3, 3, generator=rng, dtype=torch.float64)], [torch.zeros(4, 3, dtype=torch.float64), torch.randn(3, 3, generator=rng, dtype=torch.float64)], 0.5, "a first layer with gradient 0")
test_of_544b([0.01 * torch.randn(2, 3, generator=rng, dtype=torch.float64)], [torch.randn(2, 3, generator=rng, dtype=torch.float64)], 0.2, "small weights")
test_of_544b([torch.randn(2, 2, generator=rng, dtype=torch.float64)], [torch.tensor([[1., -1.], [-2., 2.]], dtype=torch.float64)], 0.1, "a gradient whose entries add up to 0")
### END HIDDEN TESTS

# %% [markdown]
# ## Summary
#
# - A gradient is a product with one factor for each layer. Factors away from 1 make it vanish or explode, and the forward signal need not show it: measure both, layer by layer.
# - A layer multiplies the mean square by fan-in times variance of the weights, ReLU halves it. Factor 1 gives He's start, 2/m, and the middle of forward and backward Xavier's, 2/(m + k). A uniform bound is √3 standard deviations; the library reads axes as (outputs, inputs), and its default layer has neither start.
# - Interchangeable units that begin equal stay equal, so hidden layers need a random start. Linear and softmax regression do not.
# - The singular values of a product lie between the products of the smallest and of the largest; eigenvalues say nothing of the kind. Orthogonal matrices keep every length, so no direction is lost.
# - A wrong start shows in the first loss. Clipping, layer-wise steps and rescaling by measurement save what can be saved. Now that deep networks train, 5.5 asks why they do well on data that they have not seen.
