# %% [markdown]
# # 5.1 Multilayer perceptrons
#
# A linear model adds up: so much for this feature, so much for that one. It cannot say "this one, but only if not that one", and
# that is how most things are. This section puts a *hidden layer* between the inputs and the outputs. It takes
# one small idea, a bend, and gets from it everything that a neural network can compute.
#
# At the end you can
# - say what no linear model can do, and prove it in one line;
# - write down a network with a hidden layer, with the shape of everything in it, and choose its weights by hand for a small task;
# - show that depth is worth nothing without an *activation function*, and say what a narrow layer loses;
# - differentiate the activation functions that are in use: ReLU, sigmoid, tanh, pReLU, Swish;
# - count the straight pieces of a network's function, and say what depth does to their number;
# - see a gradient vanish, and name both reasons.

# %% tags=["setup"]
from d2l_utils.check import *
import math
import torch

# %% [markdown] teaches="limits of linear models, score of a linear model"
# ## 1. What a linear model cannot say
#
# A linear model gives an input $\mathbf x$ with d features the score $s(\mathbf x) = w_1 x_1 + \dots + w_d x_d + b$. One step more in feature j
# changes the score by $w_j$, *wherever* the step is taken, and *whatever* the other features are. Both are strong claims.
#
# - **Wherever.** From 36 to 37 degrees a patient gets better, from 39 to 40 worse. A linear model in the temperature
#   has one slope for both steps. Here one can help by hand: use the distance from 37 as the feature.
# - **Whatever the others are.** In a picture, is a bright pixel at row 13, column 17 a sign of a cat? It depends on all the pixels around it. Turn black and white
#   round, and a cat stays a cat. By hand there is no way to list the features that would help.
#
# What does a linear model make of the negative of a picture, black and white exchanged? Let x be its pixels, from 0 to 1; the negative has the
# pixels 1 - x. Two pictures of noise, and a linear model with random weights:

# %% teaches="score of a linear model"
generator = torch.Generator().manual_seed(1)
two_pictures = torch.rand(2, 784, generator=generator)              # two pictures of 28 by 28 pixels, as rows
mask_weights, mask_bias = torch.randn(784, generator=generator), 0.5
for name, picture in zip(("A", "B"), two_pictures):
    score, score_of_negative = picture @ mask_weights + mask_bias, (1 - picture) @ mask_weights + mask_bias
    print(f"picture {name}: score {score:.2f}, its negative {score_of_negative:.2f}, together {score + score_of_negative:.2f}")

# %% [markdown] teaches="exclusive or"
# The two scores of a picture and its negative have the same sum for *every* picture: $s(\mathbf x) + s(\mathbf 1 - \mathbf x) = w_1 + \dots + w_d + 2b$, since the
# x cancel. So if the model puts A above B, it puts the negative of A *below* the negative of B. It cannot find that both A and its negative are cats,
# and neither B nor its negative is, no matter how it is trained.
#
# The smallest task of this kind has two features, each 0 or 1. The class is +1 if exactly one of them is 1, else -1. This is the **exclusive or**, XOR:
#
# | $x_1$ | $x_2$ | class |
# |---|---|---|
# | 0 | 0 | -1 |
# | 0 | 1 | +1 |
# | 1 | 0 | +1 |
# | 1 | 1 | -1 |
#
# (0, 0) and (1, 1) are negatives of each other, and so are (0, 1) and (1, 0). So for a linear score
#
# $$s(0,0) + s(1,1) = s(0,1) + s(1,0) .$$
#
# If the two on the left are negative and the two on the right positive, a negative number equals a positive one. That cannot be: no line has the two classes on its two sides.
# What does least squares (3.1) do then?

# %%
corners = torch.tensor([[0., 0.], [0., 1.], [1., 0.], [1., 1.]])        # (4, 2)
classes = torch.tensor([-1., 1., 1., -1.])                              # (4,)
with_ones = torch.cat([corners, torch.ones(4, 1)], dim=1)               # the bias as a weight, (4, 3)
best = torch.linalg.solve(with_ones.T @ with_ones, with_ones.T @ classes)
print("weights and bias:", best.tolist(), " scores:", (with_ones @ best).tolist())

# %% [markdown]
# It gives up: the best linear score is 0 at all four corners.

# %% [markdown] task="5.1.A" kind="code" minutes=2 difficulty=1 core=true needs="score of a linear model, exclusive or"
# ### Three corners fix the fourth
#
# Of a linear model with two features you know three scores: `s00` at (0, 0), `s01` at (0, 1) and `s10` at (1, 0). All are numbers.
# Write `fourth_corner(s00, s01, s10)`, which returns its score at (1, 1).
#
# **You are done when**
# - **value**: the score at (1, 1) is right, whatever the three numbers are.

# %% exercise="5.1.A"
def fourth_corner(s00, s01, s10):
    """The score of a linear model at (1, 1), from its scores at (0, 0), (0, 1) and (1, 0)."""
    ### BEGIN SOLUTION
    return s01 + s10 - s00
    ### END SOLUTION

# %% [markdown] hints="5.1.A"
# 1. Which two pairs of corners have the same sum?
# 2. Or find the model: what is b, if the score at (0, 0) is known? And then $w_1$ and $w_2$?
# 3. On a line, two scores fix the third: with 5 at x = 0 and 8 at x = 1 it is 11 at x = 2.

# %% check="5.1.A" points=1
def case_of_51A():
    """The first of some simple models whose fourth score the answer has wrong, in words."""
    for scores, right, why in (((5., 5., 5.), 5., "no step changes the score, so it is 5 at the fourth corner, too"),
                               ((0., 0., 3.), 3., "a step in the first feature adds 3 and one in the second changes nothing: 3 at the fourth corner"),
                               ((0., 2., 0.), 2., "a step in the second feature adds 2 and one in the first changes nothing: 2 at the fourth corner"),
                               ((0., -2., -3.), -5., "the two steps take off 3 and 2: -5 at the fourth corner")):
        found = float(fourth_corner(*scores))
        if abs(found - right) > 1e-6:
            return f"Try fourth_corner({scores[0]:g}, {scores[1]:g}, {scores[2]:g}): {why}. Yours is {found:g}."
    return "With 1 at (0, 0), 3 at (0, 1) and 6 at (1, 0) the steps add 5 and 2, so the fourth score is 1 + 5 + 2 = 8."

def test_of_51A(w1, w2, b, hint=case_of_51A):
    s00, s01, s10 = b, w2 + b, w1 + b
    answer = fourth_corner(s00, s01, s10)
    either = str(fourth_corner(s00, s10, s01)) == str(answer)          # neither neighbour is preferred
    assert_close(answer, w1 + w2 + b, f"fourth_corner({s00}, {s01}, {s10})", of="value",
                 mistakes={"The bias is in both scores, so the sum of the two counts it twice.": s01 + s10, "This is w₁ + w₂, without the bias: the score at (0, 0) is subtracted once, not twice.": s01 + s10 - 2 * s00,
                           "All three scores added count the bias three times.": s00 + s01 + s10, "The corners (0, 0) and (1, 1) have together what (0, 1) and (1, 0) have: the sign is the other one.": s00 - s01 - s10,
                           "The mean of the three scores lies between the corners.": (s00 + s01 + s10) / 3,
                           "The mean of (0, 1) and (1, 0) is the score in the middle of the square, not at the fourth corner.": (s01 + s10) / 2,
                           **({"(1, 1) lies opposite (0, 0), so the score at (0, 0) is the one with a minus; here it is that at (0, 1).": s00 + s10 - s01,
                               "(1, 1) lies opposite (0, 0), so the score at (0, 0) is the one with a minus; here it is that at (1, 0).": s00 + s01 - s10}
                              if w1 > 0 and w2 > 0 else {"A change of the score has a sign, which stays; this adds the sizes of the changes.": b + abs(w1) + abs(w2)}),
                           **({"Scores may be fractions; this is cut off to a whole number.": math.trunc(w1 + w2 + b)} if (w1 + w2 + b) % 1 else {}),
                           **({"Scores may be fractions; this is rounded to a whole number.": round(w1 + w2 + b)} if round(w1 + w2 + b) != math.trunc(w1 + w2 + b) else {}),
                           "The scores of a linear model add up: none is multiplied by another.": s01 * s10 - s00, "This copies the score at (0, 0): XOR does that, a linear model does not.": s00,
                           **({"The scores of a linear model add up: none is multiplied or divided by another.": s01 * s10 / s00} if s00 else {}),
                           "This is the score at (0, 0) with the other sign: the scores at (0, 1) and (1, 0) do not occur in it.": -s00,
                           **({"Both changes are added; this has the larger one alone, as max takes it.": max(s01, s10),
                               "Both changes are added; this has the smaller one alone, as min takes it.": min(s01, s10)} if either else
                              {"This is the score at (0, 1) as it was given: the step to (1, 1) adds w₁.": s01,
                               "This is the score at (1, 0) as it was given: the step to (1, 1) adds w₂.": s10}),
                           "This goes two steps in each feature, to (2, 2).": 2 * s01 + 2 * s10 - 3 * s00,
                           "This is w₁ + w₂, and the score at (0, 0) is taken off it: it is the bias, and is added.": s01 + s10 - 3 * s00,
                           "The two changes are added, not multiplied.": w1 * w2 + b, "The two changes are added; this is the length of a diagonal, by Pythagoras.": math.hypot(w1, w2) + b,
                           "The step from (0, 1) to (1, 0) changes both features: it is not the step in one of them.": 2 * s10 - s01, "The step from (1, 0) to (0, 1) changes both features: it is not the step in one of them.": 2 * s01 - s10,
                           "The score at (0, 0) is taken off the sum of the other two, not added to half of it.": s00 + (s01 + s10) / 2,
                           "This goes two steps in the first feature, to (2, 0).": 2 * s10 - s00, "This goes two steps in the second feature, to (0, 2).": 2 * s01 - s00},
                 hint=lambda: "" if answer is None else f"From (0, 0) to (1, 0) this score changes by {w1:g}. A step in the first feature changes a linear score by the same amount everywhere, so from (0, 1) to (1, 1), too. " + hint())

test_of_51A(1.75, 3., 1.)
test_of_51A(-4., 0.5, 7.)
test_of_51A(-4., 0.5, 1.)
test_of_51A(3., 2.25, 0.)
### BEGIN HIDDEN TESTS
def hidden_of_51A(w1, w2, b):
    test_of_51A(w1, w2, b, lambda: where_they_part(fourth_corner, lambda s00, s01, s10: s01 + s10 - s00, s00=b, s01=w2 + b, s10=w1 + b))

hidden_of_51A(0.25, -3., -2.5)
hidden_of_51A(6., 6., -11.)
### END HIDDEN TESTS

# %% [markdown] teaches="multilayer perceptron, hidden layer, hidden unit, activation function, relu"
# ## 2. A layer in between
#
# By hand one would help the linear model with better features: *how many ones are there?* and *are there two?* With these two numbers, XOR is linear. The idea
# of this chapter: let such features be computed by a layer of the network, with weights that are learnt like all others.
#
# Take a batch $\mathbf X$ of n examples with d features, shape (n, d). Step one makes h new numbers of each example, the **hidden units**:
#
# $$\mathbf H = \sigma(\mathbf X \mathbf W_1 + \mathbf b_1), \qquad \mathbf W_1: (d, h), \quad \mathbf b_1: (h,), \quad \mathbf H: (n, h) .$$
#
# Step two is an ordinary linear layer on them:
#
# $$\mathbf O = \mathbf H \mathbf W_2 + \mathbf b_2, \qquad \mathbf W_2: (h, q), \quad \mathbf b_2: (q,), \quad \mathbf O: (n, q) .$$
#
# The function σ is the **activation function**. It acts on each entry by itself. The most common one is **ReLU** (*rectified linear unit*): $\operatorname{ReLU}(z) = \max(z, 0)$,
# negative numbers become 0, others stay. A network of such layers is a **multilayer perceptron**, MLP; all layers before the output are **hidden layers**.
# The output has no activation function: scores may be any numbers. And each example keeps to its row: no row of $\mathbf H$ or $\mathbf O$ looks at another.
#
# For XOR, two hidden units will do. The first counts the ones, $h_1 = \operatorname{ReLU}(x_1 + x_2)$. The second notices two of them, $h_2 = \operatorname{ReLU}(x_1 + x_2 - 1)$. Then
# $2 h_1 - 4 h_2 - 1$ is -1 where no input is 1, 2 - 1 = 1 where one is, and 4 - 4 - 1 = -1 where both are:

# %% teaches="multilayer perceptron, relu"
W1_xor, b1_xor = torch.tensor([[1., 1.], [1., 1.]]), torch.tensor([0., -1.])
W2_xor, b2_xor = torch.tensor([[2.], [-4.]]), torch.tensor([-1.])
H_xor = torch.relu(corners @ W1_xor + b1_xor)               # (4, 2); each column is one hidden unit
O_xor = H_xor @ W2_xor + b2_xor                             # (4, 1)
print("inputs", corners.tolist())
print("hidden", H_xor.tolist())
print("scores", O_xor.tolist())

# %% tags=["demo"]
import matplotlib.pyplot as plt

colours = ["C0" if c < 0 else "C1" for c in classes]
grid = torch.linspace(-0.5, 1.5, 201)
points = torch.cartesian_prod(grid, grid)                   # all pairs of two grid values, (40401, 2)
hidden_of_points = torch.relu(points @ W1_xor + b1_xor)
scores_of_points = (hidden_of_points @ W2_xor + b2_xor).reshape(201, 201)
figure, (left, right) = plt.subplots(1, 2, figsize=(7.5, 3.4), layout="constrained")
left.contourf(grid, grid, scores_of_points.T, levels=[-9, 0, 9], colors=["C0", "C1"], alpha=0.3)
left.scatter(*corners.T, c=colours, s=60, edgecolor="black", zorder=3)
left.set(xlabel="$x_1$", ylabel="$x_2$", title="inputs")
line = torch.linspace(-0.3, 2.3, 50)
right.fill_between(line, (2 * line - 1) / 4, -1, color="C1", alpha=0.3, linewidth=0)
right.fill_between(line, (2 * line - 1) / 4, 2, color="C0", alpha=0.3, linewidth=0)
right.scatter(*H_xor.T, c=colours, s=60, edgecolor="black", zorder=3)
right.set(xlabel="$h_1$", ylabel="$h_2$", title="hidden units", ylim=(-0.4, 1.4), xlim=(-0.3, 2.3))
plt.show()

# %% [markdown]
# Left: the network says +1 in a strip, which two lines bound. Right: the same four points by their hidden units. The two orange points
# have become one, at (1, 0), and a single straight line separates the colours. That is what a hidden layer is for: it moves the points until a line is enough.

# %% [markdown] task="5.1.B" kind="code" minutes=4 difficulty=1 core=true needs="multilayer perceptron, hidden layer, relu, broadcasting"
# ### The whole network
#
# Write `mlp(X, W1, b1, W2, b2)`: the outputs of a multilayer perceptron with one hidden layer and ReLU, for a batch `X` of shape (n, d). The parameters have the
# shapes (d, h), (h,), (h, q) and (q,).
#
# **You are done when**
# - **shape**: the result has shape (n, q), for a single example, too;
# - **hidden layer**: ReLU acts on the hidden units after their bias has been added;
# - **output**: the outputs have their bias, and no activation function: they may be negative.

# %% exercise="5.1.B"
def mlp(X, W1, b1, W2, b2):
    """The outputs of a network with one hidden layer and ReLU: (n, d) -> (n, q)."""
    ### BEGIN SOLUTION
    return torch.relu(X @ W1 + b1) @ W2 + b2
    ### END SOLUTION

# %% [markdown] hints="5.1.B"
# 1. Which of the two formulas of the lesson has σ in it?
# 2. Write both formulas down as they stand: `@` multiplies matrices, and broadcasting adds a bias to each row.
# 3. One input, one hidden unit: with weights 2 and 5 and biases -1 and 3 the input 4 gives ReLU(8 - 1) = 7, then 35 + 3 = 38.

# %% check="5.1.B" points=1
def numbers_of_51B(seed, *shapes):
    rng = torch.Generator().manual_seed(seed)
    return [torch.randint(-3, 4, shape, generator=rng).float() for shape in shapes]

def shape_of_51B(seed, n, d, h, q):
    result = mlp(*numbers_of_51B(seed, (n, d), (d, h), (h,), (h, q), (q,)))
    assert_type(result, torch.Tensor, f"the outputs for n = {n}, d = {d}, h = {h}, q = {q}", of="shape")
    assert_shape(result, (n, q), f"the shape of the outputs for n = {n}, d = {d}, h = {h}, q = {q}", of="shape", hint="A single example is a batch of one: both axes stay." if n == 1 else "A row for each example, a column for each output.")

def pair_of_51B():
    """The first of some examples with two hidden units that the answer has wrong, in words."""
    for z, right, why in (([3., 4.], [3., 4.], "both are positive and stay"), ([-2., -1.], [0., 0.], "both are negative and become 0"),
                          ([2., -1.], [2., 0.], "the first stays, the second becomes 0: neither looks at the other"), ([-3., 4.], [0., 4.], "the first becomes 0, the second stays: neither looks at the other")):
        found = mlp(torch.tensor([z]), torch.eye(2), torch.zeros(2), torch.eye(2), torch.zeros(2))[0].tolist()
        if max(abs(a - b) for a, b in zip(found, right)) > 1e-4:
            return f"Where z is ({z[0]:g}, {z[1]:g}), {why}; yours are ({found[0]:g}, {found[1]:g})."
    examples = torch.tensor([[3., 4.], [-2., -1.]])
    found = mlp(examples, torch.eye(2), torch.zeros(2), torch.eye(2), torch.zeros(2))
    return "" if torch.allclose(found, torch.tensor([[3., 4.], [0., 0.]])) else "For a single example, with the unit matrix for W1 and 0 for b1, yours are right; for two of them they are not: each example keeps to its row."

def sides_of_51B(result, Z):
    """Where the hidden units are right and where not, in words; Z is what enters ReLU."""
    wrong = (result - Z.clamp(min=0)).abs() > 1e-4
    above, below = bool(wrong[Z > 0].any()), bool(wrong[Z <= 0].any())
    return "Where z = X @ W1 + b1 is positive, they are right; where it is negative, they are not 0: ReLU acts on each entry by itself." if below and not above else "Where z = X @ W1 + b1 is negative, they are 0, and that is right; where it is positive, they are not z." if above and not below else \
        "They are right neither where z = X @ W1 + b1 is positive nor where it is negative. Each hidden unit is max(z, 0): ReLU acts on each entry by itself."

def hidden_of_51B(seed, n, d, h):
    X_in, W1_in, b1_in = numbers_of_51B(seed, (n, d), (d, h), (h,))
    X_in, b1_in[0] = X_in / 2 + 0.25, 2.
    Z = X_in @ W1_in
    right, what = torch.where(Z + b1_in > 0, Z + b1_in, torch.zeros(n, h)), f"the outputs for n = {n}, d = {d}, h = {h}, where W2 is the unit matrix and b2 is 0, so that they are the hidden units"
    result = mlp(X_in, W1_in, b1_in, torch.eye(h), torch.zeros(h))
    assert_type(result, torch.Tensor, what, of="shape")
    assert_shape(result, (n, h), f"the shape of {what}", of="shape", hint="A row for each example, a column for each output.")
    for name, bent in (("a sigmoid", torch.sigmoid(right)), ("tanh", torch.tanh(right)), ("a softmax", torch.softmax(right, dim=1))):
        assert_true(not torch.allclose(result.double(), bent.double(), rtol=1e-4, atol=1e-5), f"{what}, have no activation function", of="output", hint=f"The hidden units are right, and {name} acts on the outputs: they are scores.")
    assert_close(result, right, what, of="hidden layer",
                 mistakes={"ReLU is missing: negative hidden units become 0.": Z + b1_in, "The bias b1 is missing.": Z.clamp(min=0), "The bias b1 is added before ReLU, not after.": Z.clamp(min=0) + b1_in,
                           "This is a sigmoid, not ReLU.": torch.sigmoid(Z + b1_in), "The sign of b1 is +.": (Z - b1_in).clamp(min=0), "Negative hidden units become 0; this is the absolute value.": (Z + b1_in).abs(),
                           "ReLU acts on the hidden units, not on the inputs.": X_in.clamp(min=0) @ W1_in + b1_in, "ReLU acts on the hidden units, not on the weights.": X_in @ W1_in.clamp(min=0) + b1_in,
                           "ReLU acts on the hidden units alone, not on the weights, too.": (X_in @ W1_in.clamp(min=0) + b1_in).clamp(min=0), "ReLU acts on the hidden units alone, not on the inputs, too.": (X_in.clamp(min=0) @ W1_in + b1_in).clamp(min=0),
                           "This is a leaky ReLU: negative hidden units become 0.": torch.where(Z + b1_in > 0, Z + b1_in, 0.01 * (Z + b1_in)),
                           "Positive hidden units stay as they are; here they are cut off at 6.": (Z + b1_in).clamp(0, 6), "Positive hidden units stay as they are; here they are cut off at 1.": (Z + b1_in).clamp(0, 1),
                           "This is a step, 0 or 1: ReLU leaves a positive hidden unit as it is.": (Z + b1_in > 0).float(),
                           "Here the negative hidden units stay and the positive ones become 0: it is the other way round.": (Z + b1_in).clamp(max=0), "ReLU of a negative hidden unit is 0; here its sign is turned, and the positive ones become 0.": (-Z - b1_in).clamp(min=0),
                           "ReLU acts once, after the bias; here it acts before the bias, too.": (Z.clamp(min=0) + b1_in).clamp(min=0),
                           "This is tanh, not ReLU.": torch.tanh(Z + b1_in), "This is a smooth function, z times its sigmoid, not ReLU.": (Z + b1_in) * torch.sigmoid(Z + b1_in),
                           "This is a smooth function, log(1 + exp(z)), not ReLU.": torch.nn.functional.softplus(Z + b1_in), "This is GELU, a smooth function, not ReLU.": torch.nn.functional.gelu(Z + b1_in),
                           "b1 is added to the products X @ W1, not to the weights.": (X_in @ (W1_in + b1_in)).clamp(min=0),
                           "ReLU acts on the sum X @ W1 + b1, not on each of its two terms.": Z.clamp(min=0) + b1_in.clamp(min=0)},
                 hint=(lambda: sides_of_51B(result, Z + b1_in), pair_of_51B))

def step_of_51B():
    """The first step that the answer has wrong on one example with two hidden units of 4 and 1, in words."""
    for W2_in, b2_in, right, why in (([[5.], [0.]], [0.], 20., "W2 = [[5], [0]] and b2 = [0] give 4 · 5 + 1 · 0 = 20"),
                                     ([[5.], [2.]], [0.], 22., "W2 = [[5], [2]] and b2 = [0] give 4 · 5 + 1 · 2 = 22"),
                                     ([[0.], [0.]], [3.], 3., "W2 = [[0], [0]] and b2 = [3] give 0 + 3 = 3"),
                                     ([[-5.], [2.]], [0.], -18., "W2 = [[-5], [2]] and b2 = [0] give -20 + 2 = -18")):
        found = mlp(torch.tensor([[4., 1.]]), torch.eye(2), torch.zeros(2), torch.tensor(W2_in), torch.tensor(b2_in)).item()
        if abs(found - right) > 1e-4:
            return f"With two hidden units, 4 and 1, {why}; yours is {found:g}."
    return "With two hidden units, 4 and 1, W2 = [[5], [2]] and b2 = [3] give 20 + 2 + 3 = 25. Each row and each column is worked out like this."

def output_of_51B(seed, n, h, q, hint=step_of_51B):
    X_in, W2_in, b2_in = numbers_of_51B(seed, (n, h), (h, q), (q,))
    X_in, b2_in[0] = X_in.abs() + 1, -2.
    right = X_in @ W2_in + b2_in
    assert_close(mlp(X_in, torch.eye(h), torch.zeros(h), W2_in, b2_in), right,
                 f"the outputs for n = {n}, h = {h}, q = {q}, where W1 is the unit matrix, b1 is 0 and X is positive, so that the hidden units are X", of="output",
                 mistakes={"The outputs have no activation function: they may be negative.": right.clamp(min=0), "The bias b2 is missing.": X_in @ W2_in, "The sign of b2 is +.": X_in @ W2_in - b2_in,
                           **({"Each output, so each column, has its entry of b2: add b2 to every row.": X_in @ W2_in + b2_in[:, None]} if n == q else {}),
                           "b2 is added to the products H @ W2, not to the weights.": X_in @ (W2_in + b2_in)},
                 hint=lambda: "Here the outputs are X @ W2 + b2, and nothing acts on them. " + hint())

shape_of_51B(1, 4, 3, 5, 2)
shape_of_51B(2, 1, 2, 3, 4)
hidden_of_51B(3, 4, 3, 5)
hidden_of_51B(4, 1, 4, 3)
output_of_51B(15, 4, 3, 2)
output_of_51B(6, 1, 4, 5)
hidden_of_51B(11, 3, 2, 3)
output_of_51B(12, 4, 3, 4)
### BEGIN HIDDEN TESTS
shape_of_51B(7, 6, 4, 2, 3)
shape_of_51B(8, 1, 5, 7, 1)
hidden_of_51B(9, 5, 2, 6)
X_51B, W2_51B, b2_51B = numbers_of_51B(16, (7, 5), (5, 3), (3,))
output_of_51B(10, 7, 5, 3, lambda: where_they_part(lambda X, W2, b2: mlp(X, torch.eye(5), torch.zeros(5), W2, b2), lambda X, W2, b2: X.clamp(min=0) @ W2 + b2,
                                                   X=X_51B.abs() + 1, W2=W2_51B, b2=b2_51B))
### END HIDDEN TESTS

# %% [markdown]
# We *chose* these weights. Would training find them? That is another question. Here are 100 random starts of gradient descent (2.5) on the mean squared error of the four corners, all trained at once: the
# parameters have one axis more, in front, for the starts.

# %% tags=["demo"]
def solved_starts(units, starts=100, steps=3000, lr=0.02):
    """How many starts classify all four corners correctly in the end, and how many of the others have a unit that is 0 on all four."""
    rng = torch.Generator().manual_seed(0)
    parameters = [torch.randn(shape, generator=rng).requires_grad_() for shape in ((starts, 2, units), (starts, 1, units), (starts, units, 1), (starts, 1, 1))]
    for _ in range(steps):
        V1, c1, V2, c2 = parameters
        H = torch.relu(corners @ V1 + c1)                           # (starts, 4, units)
        scores = (H @ V2 + c2)[:, :, 0]                             # (starts, 4)
        loss = (scores - classes).square().mean(dim=1).sum()        # a sum, so each start gets its own gradient
        gradients = torch.autograd.grad(loss, parameters)
        with torch.no_grad():
            for parameter, gradient in zip(parameters, gradients):
                parameter -= lr * gradient
    solved = ((scores > 0) == (classes > 0)).all(dim=1)
    silent = (H == 0).all(dim=1).any(dim=1)
    return solved.sum().item(), (silent & ~solved).sum().item()

for units in (2, 4, 8, 16):
    solved, silent = solved_starts(units)
    print(f"{units:2} hidden units: {solved} of 100 starts solve XOR; of the others {silent} have a unit that is 0 on all corners")

# %% [markdown] teaches="existence of weights and training"
# ⚠ *That weights exist does not say that training finds them.* Two units are enough, and yet 72 of 100 starts with two units fail. In 55 of these a unit is 0 on all four corners in the end; there ReLU is flat, no gradient reaches
# its weights, and it never comes back. With 16 units every start works: some die, enough are left. This is a reason why networks are made wider than their task needs.

# %% [markdown] teaches="product of layers, bias through the layers"
# ## 3. Why the bend is needed
#
# Leave σ out, and the two layers are
#
# $$(\mathbf X \mathbf W_1 + \mathbf b_1) \mathbf W_2 + \mathbf b_2 = \mathbf X \underbrace{\mathbf W_1 \mathbf W_2}_{(d,\, q)} + \underbrace{\mathbf b_1 \mathbf W_2 + \mathbf b_2}_{(q,)} .$$
#
# That is one linear layer, with the weights $\mathbf W_1 \mathbf W_2$. All the new parameters have bought nothing. (3.1.6 has this for two layers.) With numbers:

# %% teaches="product of layers"
x_row, first_weight, second_weight = torch.tensor([[1., 2.]]), torch.tensor([[1., 0., 2.], [0., 1., 1.]]), torch.tensor([[1.], [2.], [3.]])
print("one after the other:", (x_row @ first_weight) @ second_weight, " at once:", x_row @ (first_weight @ second_weight))

# %% [markdown] task="5.1.1a" kind="code" minutes=8 difficulty=2 core=true needs="product of layers, bias through the layers, matrix product"
# ### One layer is enough
#
# The proof for any number of layers is a program that writes the single layer down.
#
# Write `collapse(Ws, bs)`. `Ws` and `bs` are lists with one entry for each layer, from the input on; layer i maps `X` to
# `X @ Ws[i] + bs[i]`, with `Ws[i]` of shape (n_i, n_{i+1}) and `bs[i]` of shape (n_{i+1},). There is at least one layer, and there are no activation functions. It returns the pair `(W, b)`
# such that `X @ W + b` is the output of all layers, one after the other. All numbers are float32, those of `W` and `b`, too.
#
# **You are done when**
# - **shape**: `W` has shape (n_0, n_k) and `b` shape (n_k,), where k is the number of layers, and both are float32;
# - **weight**: `W` is the weight of the single layer;
# - **bias**: `b` is its bias;
# - **any depth**: both are right for a single layer, and for more than two;
# - **arguments kept**: the lists and their tensors are as they were.

# %% exercise="5.1.1a"
def collapse(Ws, bs):
    """One affine map for a chain of them: lists of (n_i, n_{i+1}) and (n_{i+1},) -> (n_0, n_k), (n_k,)."""
    ### BEGIN SOLUTION
    W, b = Ws[0], bs[0]
    for more_W, more_b in zip(Ws[1:], bs[1:]):
        W, b = W @ more_W, b @ more_W + more_b
    return W, b
    ### END SOLUTION

# %% [markdown] hints="5.1.1a"
# 1. The lesson has the answer for two layers. What do you do with the result and a third layer?
# 2. The bias of a layer passes through all later weights, in their order.
# 3. With numbers: x → 2x + 1 → 3(2x + 1) + 5 = 6x + 8. The 8 is 1 · 3 + 5.

# %% check="5.1.1a" points=2
def layers_of_511a(seed, sizes):
    rng = torch.Generator().manual_seed(seed)
    return ([torch.randint(-3, 4, (n, m), generator=rng).float() for n, m in zip(sizes, sizes[1:])],
            [torch.randint(1, 5, (m,), generator=rng).float() for m in sizes[1:]])

def pair_of_511a(seed, sizes):
    """The answer, with its type and shapes looked at."""
    Ws_in, bs_in = layers_of_511a(seed, sizes)
    what, pair = f"collapse for layers of the sizes {sizes}", collapse(Ws_in, bs_in)
    assert_type(pair, (tuple, list), f"what is returned by {what}", of="shape", hint="The pair (W, b): one weight and one bias.")
    assert_equal(len(pair), 2, f"how many tensors are returned by {what}", of="shape", hint="The pair (W, b), whatever the number of layers.")
    for tensor, name, shape in zip(pair, ("W", "b"), ((sizes[0], sizes[-1]), (sizes[-1],))):
        assert_shape(tensor, shape, f"the shape of {name} from {what}", of="shape",
                     hint="b has one axis, as each of the biases." if name == "b" and getattr(tensor, "ndim", 1) == 2 else "This stops after two layers: go on to the last." if len(sizes) > 3 and sizes[2] != sizes[-1] and getattr(tensor, "shape", ())[-1:] == (sizes[2],) else "")
        assert_dtype(tensor, torch.float32, f"the dtype of {name} from {what}", of="shape", hint="All given numbers are float32, and so are those of W and b.")
    return pair

@probe
def trouble_of_511a(Ws_in, bs_in):
    """The error that collapse raises, as text."""
    try:
        collapse(Ws_in, bs_in)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""

def single_of_511a(seed, sizes):
    trouble = trouble_of_511a(*layers_of_511a(seed, sizes))
    if trouble and trouble_of_511a(*layers_of_511a(seed, [4, 3, 2])):
        return                                  # two layers do not come through, either: it is no matter of the single one
    assert_true(not trouble, f"collapse of a single layer of the sizes {sizes} raises no error; yours raised {trouble}", of="any depth",
                hint="There is at least one layer, so Ws[0] and bs[0] are there, but perhaps no Ws[1]: begin with the first layer alone.")

def outputs_of_511a(X, Ws_in, bs_in):
    """What the layers compute, one after the other, in float64."""
    X = X.double()
    for more_W, more_b in zip(Ws_in, bs_in):
        X = X @ more_W.double() + more_b.double()
    return X

def alone_of_511a(Ws_in, bs_in):
    """With which biases, each given alone, b is right and with which not, in words."""
    zeros, start = [0 * v for v in bs_in], torch.zeros(1, len(Ws_in[0]))
    if bool(collapse(Ws_in, zeros)[1].abs().max() > 1e-4):
        return " Where all biases are 0, b is 0; yours is not."
    alone = [[*zeros[:i], v, *zeros[i + 1:]] for i, v in enumerate(bs_in)]
    wrong = [i for i, only in enumerate(alone) if not torch.allclose(collapse(Ws_in, only)[1].double(), outputs_of_511a(start, Ws_in, only)[0], rtol=1e-4, atol=1e-4)]
    if len(wrong) in (0, len(alone)):
        return ""
    yours = "yours is not right" if collapse(Ws_in, alone[wrong[0]])[1].any() else f"your b is 0: bs[{wrong[0]}] is left out"
    good = min(set(range(len(alone))) - set(wrong))
    return f" Where all biases but bs[{wrong[0]}] are 0, {yours}; where all but bs[{good}] are 0, it is right."

def weight_of_511a(seed, sizes):
    Ws_in, bs_in = layers_of_511a(seed, sizes)
    assert_close(pair_of_511a(seed, sizes)[0], outputs_of_511a(torch.eye(sizes[0]), Ws_in, [0 * v for v in bs_in]).float(), f"W for layers of the sizes {sizes}", of="weight", rtol=1e-4,
                 mistakes={"The weights are multiplied in the wrong order: X meets the weight of the first layer first, so this one stands on the left.": torch.linalg.multi_dot(Ws_in[::-1]),
                           "Weights of layers one after the other are multiplied, not added.": sum(Ws_in), "`@` multiplies matrices; `*` multiplies entry by entry.": torch.stack(Ws_in).prod(dim=0)} if len(set(sizes)) == 1 else {},
                 hint="The product of all weights, from the input on.")

def bias_of_511a(seed, sizes):
    Ws_in, bs_in = layers_of_511a(seed, sizes)
    through, unmoved = outputs_of_511a(torch.zeros(1, sizes[0]), Ws_in, [*bs_in[:-1], 0 * bs_in[-1]])[0].float(), bs_in[-1]
    assert_close(pair_of_511a(seed, sizes)[1], through + unmoved, f"b for layers of the sizes {sizes}", of="bias", rtol=1e-4,
                 mistakes={"An earlier bias enters each output by the weights of the later layers; here the sum of its entries is added to all.": unmoved + sum(v.sum() for v in bs_in[:-1]),
                           "The biases of the earlier layers pass through the later ones; they are missing.": unmoved, "The last bias is missing.": through}
                 | ({"The biases do not simply add up: each passes through the later weights.": sum(bs_in)} if len({len(v) for v in bs_in}) == 1 else {}), hint=lambda: "The output for X = 0 is b." + alone_of_511a(Ws_in, bs_in))

def depth_of_511a(seed, sizes):
    Ws_in, bs_in = layers_of_511a(seed, sizes)
    W_out, b_out = pair_of_511a(seed, sizes)
    X_in = torch.eye(sizes[0]) - 2
    word = "one layer" if len(sizes) == 2 else f"{len(sizes) - 1} layers"
    assert_close(W_out, outputs_of_511a(torch.eye(sizes[0]), Ws_in, [0 * v for v in bs_in]).float(), f"W for {word} of the sizes {sizes}", of="any depth", rtol=1e-4,
                 hint="A single layer is the answer itself." if len(sizes) <= 3 else "W is the product of the weights of all layers, the middle ones, too.")
    bent = torch.zeros(1, sizes[0])
    for V, c in zip(Ws_in, bs_in):
        bent = torch.relu(bent @ V + c)
    slips = {} if len(sizes) <= 3 else {"W is right; in b the biases of the last two layers are used alone: every bias passes through the weights after its own.": bs_in[-2] @ Ws_in[-1] + bs_in[-1],
                                        "W is right; b has gone through ReLU, but there are no activation functions.": bent[0]}
    assert_close(b_out, outputs_of_511a(torch.zeros(1, sizes[0]), Ws_in, bs_in)[0].float(), f"b for {word} of the sizes {sizes}", of="any depth", rtol=1e-4, mistakes=slips,
                 hint=lambda: "A single layer is the answer itself." if len(sizes) <= 3 else "W is right, b is not: each bias passes through the weights of the layers after its own, and through no others." + alone_of_511a(Ws_in, bs_in))
    assert_close(X_in @ W_out + b_out, outputs_of_511a(X_in, Ws_in, bs_in).float(), f"X @ W + b for {word} of the sizes {sizes}", of="any depth", rtol=1e-4)

@probe
def lists_after_collapse(Ws_in, bs_in):
    collapse(Ws_in, bs_in)
    return list(Ws_in), list(bs_in)

def kept_of_511a(seed, sizes):
    after = lists_after_collapse(*layers_of_511a(seed, sizes))
    for name, lists, before in zip(("Ws", "bs"), after, layers_of_511a(seed, sizes)):
        assert_equal(len(lists), len(before), f"the length of {name} after the call, sizes {sizes}", of="arguments kept", hint="pop, append and insert change the caller's list.")
        assert_close(list(lists), before, f"the tensors of {name} after the call, sizes {sizes}", of="arguments kept", hint="Write into no list and no tensor of the caller's: +=, pop and X[...] = do.")

single_of_511a(1, [3, 2])
pair_of_511a(1, [3, 2])
weight_of_511a(8, [3, 3, 3])
for sizes in ([3, 4, 2], [5, 2, 2]):
    weight_of_511a(1, sizes)
    bias_of_511a(1, sizes)
for sizes in ([3, 2], [2, 3, 4, 2], [3, 3, 3, 3, 3]):
    depth_of_511a(2, sizes)
for sizes in ([2, 3, 2], [2, 2, 2, 2]):
    kept_of_511a(3, sizes)
### BEGIN HIDDEN TESTS
pair_of_511a(4, [1, 6, 5])
single_of_511a(4, [6, 5])
weight_of_511a(5, [4, 3, 5])
bias_of_511a(5, [4, 3, 5])
for sizes in ([2, 5], [1, 7, 2, 3, 4], [4, 4, 4, 4], [2, 2, 2, 2, 2, 2, 2]):
    depth_of_511a(6, sizes)
for sizes in ([3, 4, 4, 3], [4, 2, 3]):
    kept_of_511a(7, sizes)
### END HIDDEN TESTS

# %% [markdown] teaches="narrow linear layer"
# ## 4. What a narrow layer loses
#
# A linear layer more never adds anything. It can take something away. Let a network without activation functions and biases have d inputs, h hidden units and d outputs.
# Its matrix is $\mathbf W_1 \mathbf W_2$, with shapes (d, h) and (h, d). The rank of a product is at most that of each factor (2.3), and a matrix with h columns has rank h at most. So
# with h < d the network computes only maps of rank h or less. The identity, which has rank d, is out of reach.

# %% [markdown] task="5.1.C" kind="code" minutes=2 difficulty=1 needs="rank of a product, narrow linear layer"
# ### The narrowest layer decides
#
# A network without activation functions has layers of the sizes `sizes`, a list of at least two numbers: inputs, hidden widths (if any), outputs. Write `largest_rank(sizes)`: the largest rank that the product of its weight matrices can have.
#
# **You are done when**
# - **hidden layers**: it is right where a hidden layer is the narrowest;
# - **ends**: it is right where inputs or outputs are the fewest, and without a hidden layer.

# %% exercise="5.1.C"
def largest_rank(sizes):
    """The largest rank of the product of matrices (sizes[0], sizes[1]), (sizes[1], sizes[2]), ..."""
    ### BEGIN SOLUTION
    return min(sizes)
    ### END SOLUTION

# %% [markdown] hints="5.1.C"
# 1. What is the largest rank of a single matrix of shape (5, 3)?
# 2. No factor can raise the rank again.
# 3. Water through pipes one after the other: which pipe decides how much comes out?

# %% check="5.1.C" points=1
def case_of_51C():
    """The first of some small networks whose rank the answer has wrong, in words."""
    for sizes, right, why in (([3, 5], 3, "a single matrix with 3 rows has rank 3 at most"), ([5, 3], 3, "a single matrix with 3 columns has rank 3 at most"), ([4, 2, 4], 2, "the first matrix has 2 columns, so its rank, and that of the product, is 2 at most"),
                              ([2, 4, 4], 2, "the first matrix has 2 rows, so its rank, and that of the product, is 2 at most"), ([4, 4, 2], 2, "the last matrix has 2 columns, so its rank, and that of the product, is 2 at most"),
                              ([6, 3, 6, 2, 6], 2, "in the middle there are 2 units, and nothing behind them raises the rank again"), ([6, 2, 6, 3, 6], 2, "after 2 units nothing raises the rank again")):
        found = largest_rank(list(sizes))
        if found != right:
            return f"Try largest_rank({sizes}): {why}. Yours is {found}."
    return ""

def test_of_51C(sizes, of):
    rng = torch.Generator().manual_seed(0)
    product = torch.eye(sizes[0], dtype=torch.float64)
    for n, m in zip(sizes, sizes[1:]):
        product = product @ torch.randn(n, m, generator=rng, dtype=torch.float64)
    answer = largest_rank(list(sizes))
    assert_equal(answer, int(torch.linalg.matrix_rank(product)), f"largest_rank({sizes})", of=of,
                 mistakes={sentence: value for sentence, value in (("Without a hidden layer there is one matrix, and its rank is at most its shorter side; this is the longer one.", max(sizes)), ("Without a hidden layer there is one matrix, and its rank is at most its shorter side; its sides are not multiplied.", math.prod(sizes)),
                                                                   ("Without a hidden layer there is one matrix, whose rank is at most its shorter side: it may be above 0.", 0), ("Without a hidden layer there is one matrix, whose rank is at most its shorter side: it may be above 1.", 1)) if value != min(sizes)} if len(sizes) == 2 else
                 {sentence: value for sentence, value in (("The hidden layers count, too; these are the ends alone.", min(sizes[0], sizes[-1])), ("Inputs and outputs count, too; these are the hidden layers alone.", min(sizes[1:-1] or [-1])),
                                                                   ("The narrowest layer decides, not the widest.", max(sizes)), ("A hidden layer further on is narrower: look at all of them.", min(sizes[:3])), ("The outputs count, too.", min(sizes[:-1])),
                                                                   ("The inputs count, too.", min(sizes[1:])), ("This is one less than the size of the narrowest layer: nothing is taken off.", min(sizes) - 1),
                                                                   ("This is the place of the narrowest layer in the list: its size was asked for.", sizes.index(min(sizes))), *(() if len(sizes) < 7 else (
                                                                    ("Of the hidden layers this looks at the first alone: a later one is narrower.", sizes[1]), ("All matrices are factors, not the last alone.", min(sizes[-2:])),
                                                                    ("Of each matrix the shorter side counts, not the longer.", min(map(max, zip(sizes, sizes[1:])))), ("The factor with the least rank decides, not that with the largest.", max(map(min, zip(sizes, sizes[1:])))),
                                                                    ("Ranks are not added: the factor with the least rank decides.", sum(map(min, zip(sizes, sizes[1:])))),
                                                                    ("This is the second smallest size: the smallest one decides.", sorted(sizes)[1]), ("Where the sizes grow again it is not over: a layer further on is narrower.", next((one for one, other in zip(sizes, sizes[1:]) if other > one), -1)), ("Here the last hidden layer alone is looked at: an earlier one is narrower.", sizes[-2]), ("This is the mean size: the narrowest layer decides.", sum(sizes) / len(sizes)),
                                                                    ("This is the size of the layer in the middle: the narrowest may stand anywhere.", sizes[len(sizes) // 2]), ("This is the size in the middle of the sorted list: the smallest decides.", sorted(sizes)[len(sizes) // 2]),
                                                                    ("The sides of a matrix are not multiplied: its rank is at most the shorter one.", min(n * m for n, m in zip(sizes, sizes[1:]))), ("This is the number of matrices; the size of the narrowest layer decides.", len(sizes) - 1)))) if value != min(sizes)},
                 hint="" if answer is None else ("Each matrix has at most the rank of its shorter side, and a product at most that of each factor.", case_of_51C))

test_of_51C([10, 8, 6, 4, 5, 13, 11, 7, 17, 2, 12, 3, 22, 16, 18, 14], "hidden layers")
test_of_51C([7, 4, 5], "hidden layers")
test_of_51C([6, 5, 7, 3, 6], "hidden layers")
test_of_51C([2, 5, 7, 4], "ends")
test_of_51C([6, 7, 3], "ends")
test_of_51C([4, 6], "ends")
### BEGIN HIDDEN TESTS
test_of_51C([9, 8, 1, 5], "hidden layers")
test_of_51C([4, 3, 6, 2, 5], "hidden layers")
for sizes in ([8, 9, 7, 4], [1, 3, 2], [7, 3], [3, 3, 3]):
    test_of_51C(sizes, "ends")
### END HIDDEN TESTS

# %% [markdown] teaches="singular values, best approximation of low rank"
# How much is lost? For that, take a matrix apart. Every matrix $\mathbf M$ of shape (d, d) is a sum of d simple pieces,
#
# $$\mathbf M = s_1 \mathbf u_1 \mathbf v_1^\top + s_2 \mathbf u_2 \mathbf v_2^\top + \dots + s_d \mathbf u_d \mathbf v_d^\top , \qquad s_1 \ge s_2 \ge \dots \ge s_d \ge 0 .$$
#
# The vectors $\mathbf u_i$ have length 1 and are orthogonal to each other, and so are the $\mathbf v_i$. Each piece has rank 1. The numbers $s_i$, the **singular values**, say how much of each piece there is.
# `torch.linalg.svd(M)` gives the $\mathbf u_i$ as columns, the $s_i$, largest first, and the $\mathbf v_i$ as rows. (`torch.linalg.svdvals(M)` gives only the $s_i$.)
#
# Two facts make this useful. Since the pieces are orthogonal, Pythagoras holds for them: the squared Frobenius norm, the sum of the squares of all entries, is $s_1^2 + \dots + s_d^2$, and the same holds for a sum of some of the pieces.
# And (Eckart and Young, 1936) of all matrices of rank at most h, the one nearest to $\mathbf M$ consists of its h largest pieces.

# %% teaches="singular values, best approximation of low rank"
M_example = torch.tensor([[2., 2., 0.], [-1., 1., 0.], [0., 0., 1.]])
U, s, Vh = torch.linalg.svd(M_example)
pieces = [s[i] * torch.outer(U[:, i], Vh[i]) for i in range(3)]
print("singular values:", s.tolist())
print("all three pieces:", (pieces[0] + pieces[1] + pieces[2]).round(decimals=4).tolist())
print("squared Frobenius norm:", M_example.square().sum().item(), " sum of squares of the singular values:", s.square().sum().item())
print("the largest piece:", pieces[0].round(decimals=4).tolist())

# %% [markdown]
# The largest piece is the first row of $\mathbf M$, the best that one hidden unit can do. What a network with one hidden unit really learns, by gradient descent on $\|\mathbf M - \mathbf W_1 \mathbf W_2\|^2$:

# %% tags=["demo"]
rng = torch.Generator().manual_seed(0)
narrow = [torch.randn(3, 1, generator=rng).requires_grad_(), torch.randn(1, 3, generator=rng).requires_grad_()]
for step in range(1000):
    error = (M_example - narrow[0] @ narrow[1]).square().sum()
    gradients = torch.autograd.grad(error, narrow)
    with torch.no_grad():
        for parameter, gradient in zip(narrow, gradients):
            parameter -= 0.02 * gradient
print("squared error that remains:", round(error.item(), 4))
print("W1 @ W2:", [[round(v, 3) + 0.0 for v in row] for row in (narrow[0] @ narrow[1]).tolist()])

# %% [markdown]
# It has found that piece, and no training will get below an error of 3 with one hidden unit.

# %% [markdown] task="5.1.1b" kind="explain" minutes=15 difficulty=3 needs="singular values, best approximation of low rank, narrow linear layer, product of layers, frobenius norm"
# ### Where a deep linear network is weaker
#
# Write `smallest_error(M, h)`: the smallest possible value of the squared Frobenius norm of `M - W1 @ W2` over all
# `W1` of shape (d, h) and `W2` of shape (h, d), as a number or a tensor of one entry. `M` has shape (d, d), and h ≥ 0 is a whole number; with h = 0 the product is the matrix of zeros.
#
# Then explain in the second cell: (1) why more linear layers never enlarge the set of functions; (2) when they make it
# smaller, with one example in numbers; (3) what an activation function changes in the argument.
#
# **You are done when**
# - **value**: the error is the smallest one, squared, for diagonal matrices;
# - **any matrix**: it is right for matrices that are neither diagonal nor symmetric, and for negative entries;
# - **ends**: with h = 0 nothing of `M` is kept, with h ≥ d nothing is lost;
# - **argument kept**: `M` is as it was;
#
# and your text has all three points.

# %% exercise="5.1.1b"
def smallest_error(M, h):
    """The least squared error of a matrix (d, d) approximated by rank at most h."""
    ### BEGIN SOLUTION
    return torch.linalg.svdvals(M)[h:].square().sum()
    ### END SOLUTION

# %% [markdown] written="5.1.1b" points=3
# ### BEGIN SOLUTION
# A chain of linear layers multiplies out to one layer, with the weights W₁W₂...W_k and a bias that has passed through the later layers (5.1.1a writes it down). A single layer can have this product
# as its weights, so every function of the deep network is one of the single layer, too. Depth adds parameters, not functions.
#
# It takes functions away where a hidden layer is narrower than both inputs and outputs: the rank of the product is at most the width of the narrowest layer. With three
# inputs, three outputs and one hidden unit the network cannot be the identity. Its matrix has rank 1, and of the three singular values 1, 1, 1 two are lost: the least
# squared error is 2. Where no hidden layer is narrower than the smaller of inputs and outputs, nothing is lost.
#
# With a nonlinear function in between, σ(XW₁)W₂ is not X times one matrix: σ(XW₁) depends on X in another way on each side of the bend, so nothing can be multiplied out. The set of functions
# grows with width and depth; XOR, which no single layer can do, needs two hidden units.
#
# **Rubric**
# - [1] The product of the layers' matrices (with the biases worked in) is the weight of one layer, so nothing is gained; also accepted: compositions of affine maps are affine; lost by "deeper is always more expressive".
# - [1] A hidden layer narrower than inputs and outputs bounds the rank of the matrix, with an example in numbers (any matrix of higher rank that is missed); lost without an example, and by "a narrow layer is only slower to train".
# - [1] With a nonlinear activation function the product cannot be multiplied out; also accepted: XOR or another function that no affine map computes becomes possible; lost by "the activation function keeps the numbers small".
# ### END SOLUTION

# %% [markdown] hints="5.1.1b"
# 1. What is the largest rank that `W1 @ W2` can have? Which pieces of `M` does the nearest matrix of that rank lack?
# 2. The squared Frobenius norm of the missing pieces is the sum of the squares of their singular values.
# 3. For the diagonal matrix with 5, 2, 1 and one hidden unit, 5 is kept, and the error is 2² + 1² = 5.

# %% check="5.1.1b" points=2
@probe
def trouble_of_511b(M_in, h):
    """The IndexError or ValueError that smallest_error raises, as text."""
    try:
        smallest_error(M_in, h)
    except (IndexError, ValueError, RuntimeError) as error:
        return f"{type(error).__name__}: {error}"
    return ""

def test_of_511b(M_in, h, what, of):
    S = sorted((max(v, 0.) ** 0.5 for v in torch.linalg.eigvalsh(M_in.double().T @ M_in.double()).tolist()), reverse=True)
    squares = [v ** 2 for v in S]
    eigen = sorted((abs(v) ** 2 for v in torch.linalg.eigvals(M_in.double()).tolist()), reverse=True)
    on_diagonal = sorted((v ** 2 for v in M_in.diagonal().tolist()), reverse=True)
    lower = sorted((v ** 2 for v in torch.linalg.eigvalsh(M_in.double()).tolist()), reverse=True)
    U_in, s_in, Vh_in = torch.linalg.svd(M_in)
    turned, transposed = ((M_in - sum(s_in[i] * torch.outer(u[i], v[i]) for i in range(min(h, len(S))))).square().sum().item() for u, v in ((U_in.T, Vh_in.T), (Vh_in, U_in.T)))
    if not 0 < h < len(M_in):
        trouble = trouble_of_511b(M_in.clone(), h)
        assert_true(not trouble, f"the smallest error of {what}, {h} hidden units, comes without an error; yours raised {trouble}", of=of,
                    hint=f"M has {len(M_in)} pieces, the last one with the number {len(M_in) - 1}, and with h = {h} all of them are kept." if h else "With h = 0 nothing is kept: the product is the matrix of zeros.")
    answer = smallest_error(M_in.clone(), h)
    assert_type(answer, (int, float, torch.Tensor), f"the smallest error of {what}, {h} hidden unit{'' if h == 1 else 's'}", of=of)
    assert_shape(torch.as_tensor(answer).reshape(-1), (1,), f"the smallest error of {what}, one number", of=of, hint="The squares of all lost singular values are added up to one number.")
    hint = "The h largest singular values are kept; add up the squares of the others."
    if h < len(S) and not torch.as_tensor(answer).is_complex():
        hint = ("Some W1 and W2 come nearer to M than this, so it is not the smallest error. " if float(answer) > sum(squares[h:]) else "No W1 and W2 come as near to M as this. " if float(answer) < sum(squares[h:]) else "") + hint
    entries = sorted((v ** 2 for v in M_in.flatten().tolist()), reverse=True)
    at_none = {} if h else {"With h = 0 the product is the matrix of zeros, and nothing of M is kept: all of M is the error.": 0.}
    assert_close(answer, sum(squares[h:]), f"the smallest error of {what}, {h} hidden unit{'' if h == 1 else 's'}", of=of, rtol=1e-3, atol=1e-4 * max(1., sum(squares)),
                 mistakes=at_none if not h and float(torch.as_tensor(answer).real) == 0 else {"This is the part that is kept." if h < len(S) else "With h ≥ d nothing is lost; this is all of M. In a slice that counts from the end, s[-0:] is the whole of s.": sum(squares[:h]),
                           "These are eigenvalues; the pieces of M have singular values, which are others.": sum(eigen[h:]) if abs(sum(eigen[h:]) - sum(squares[h:])) > 1e-3 else -1.,
                           "These are entries of the diagonal; only of a diagonal matrix are they the singular values.": sum(on_diagonal[h:]) if abs(sum(on_diagonal[h:]) - sum(squares[h:])) > 1e-3 else -1.,
                           "These are the h smallest pieces; all but the h largest are lost.": sum(squares[len(S) - h:]) if h < len(S) else -1., "This is a sum of singular values: they enter squared.": sum(S[h:]), "This is the square of a sum: add up the squares.": sum(S[h:]) ** 2,
                           "This is the norm: its square was asked for.": sum(squares[h:]) ** 0.5, "The largest pieces are kept, the smallest are lost.": sum(squares[:len(S) - h]) if h < len(S) else -1.,
                           "This is the mean over the lost pieces: the squared norm is a sum.": sum(squares[h:]) / max(1, len(S) - h),
                           "This leaves out the first h columns of M: the pieces of M are not its columns." if of != "value" else "This is what M has outside its first h rows or columns: the pieces of M are others, those of `torch.linalg.svd`.": M_in[:, h:].square().sum().item() if 0 < h < len(S) else -1., "The h largest entries of M are left out here: a piece of M is a whole matrix of rank 1, not an entry.": sum(entries[h:]) if 0 < h < len(S) and of != "value" else -1., "This leaves out the first h rows of M: the pieces of M are not its rows.": M_in[h:].square().sum().item() if 0 < h < len(S) and of != "value" else -1.,
                           "The singular values that are kept are squared, too, before they are taken away.": sum(squares) - sum(S[:h]) if 0 < h < len(S) else -1.,
                           "These are fourth powers: the eigenvalues of MᵀM are the squares of the singular values already.": sum(v ** 2 for v in squares[h:]),
                           "Pieces are taken away that M does not have. `torch.linalg.svd` gives the u_i as columns, U[:, i], and the v_i as rows, Vh[i].": turned if 0 < h < len(S) else -1., "Each piece is u_i v_iᵀ, u_i standing first; these pieces are transposed.": transposed if 0 < h < len(S) and of != "value" else -1., "Divide by nothing: this is the mean over all entries.": sum(squares[h:]) / len(S) ** 2,
                           "One piece too many is lost: h pieces are kept.": sum(squares[max(h - 1, 0):]), "One piece too many is kept: with h hidden units there are h pieces.": sum(squares[h + 1:]),
                           "This is the largest lost piece alone: all lost pieces count.": squares[h] if h < len(S) - 1 else -1., "This is the share of the whole that is lost: do not divide by it.": sum(squares[h:]) / sum(squares),
                           "`eigvalsh` takes M for symmetric, and looks at one half of it alone: singular values are wanted.": sum(lower[h:]) if abs(sum(lower[h:]) - sum(squares[h:])) > 1e-3 else -1.},
                 hint=hint)

def random_of_511b(seed, d):
    return 2 * torch.randn(d, d, generator=torch.Generator().manual_seed(seed))

diagonal = torch.diag(torch.tensor([-1.5, 4., 1., -3.]))
for h in (1, 2, 3):
    test_of_511b(diagonal, h, "the diagonal matrix with -1.5, 4, 1, -3", "value")
shear = torch.tensor([[0., 5., 1.], [0., 0., -2.], [1., 0., 0.]])
test_of_511b(random_of_511b(1, 5), 2, "a random matrix of shape (5, 5)", "any matrix")
test_of_511b(shear, 1, "the matrix with the rows (0, 5, 1), (0, 0, -2), (1, 0, 0)", "any matrix")
for h in (0, 3, 4, 7):
    test_of_511b(shear, h, "the matrix with the rows (0, 5, 1), (0, 0, -2), (1, 0, 0)", "ends")

@probe
def matrix_after(M_in, h):
    smallest_error(M_in, h)
    return M_in

assert_close(matrix_after(shear.clone(), 1), torch.tensor([[0., 5., 1.], [0., 0., -2.], [1., 0., 0.]]), "M after smallest_error(M, 1)", of="argument kept", hint="`M -= ...` and `M[...] = ...` write into the caller's matrix.")
### BEGIN HIDDEN TESTS
for h in (1, 4):
    test_of_511b(torch.diag(torch.tensor([-7., 0.5, 2., 6., 1.])), h, "a diagonal matrix of shape (5, 5)", "value")
for seed, d, h in ((2, 6, 1), (3, 4, 2), (4, 7, 5)):
    test_of_511b(random_of_511b(seed, d), h, f"a random matrix of shape ({d}, {d})", "any matrix")
test_of_511b(random_of_511b(5, 6)[:, :2] @ random_of_511b(6, 6)[:2], 2, "a matrix of shape (6, 6) with rank 2", "any matrix")
for h in (0, 4, 9):
    test_of_511b(random_of_511b(7, 4), h, "a random matrix of shape (4, 4)", "ends")
assert_close(matrix_after(random_of_511b(8, 5), 2), random_of_511b(8, 5), "M after smallest_error(M, 2), shape (5, 5)", of="argument kept", hint="`M -= ...` and `M[...] = ...` write into the caller's matrix.")
### END HIDDEN TESTS

# %% [markdown] teaches="sigmoid, tanh, slope of the sigmoid, slope of tanh, saturation"
# ## 5. Three bends and their slopes
#
# Training goes by derivatives, so an activation function is as good as its slope. The three classics:
#
# **ReLU**, max(z, 0). The slope is 1 for z > 0 and 0 for z < 0. At z = 0 there is none.
#
# **Sigmoid** (4.1; from here on σ stands for it alone), $\sigma(z) = \dfrac{1}{1 + e^{-z}}$, between 0 and 1. By the chain rule (2.4), and then by splitting the fraction,
#
# $$\sigma'(z) = \frac{e^{-z}}{(1 + e^{-z})^2} = \frac{1}{1 + e^{-z}} \cdot \frac{e^{-z}}{1 + e^{-z}} = \sigma(z)\,\big(1 - \sigma(z)\big) .$$
#
# The last step uses $1 - \sigma(z) = \frac{e^{-z}}{1 + e^{-z}}$. A product of two numbers that add up to 1 is at most 1/4; this happens at z = 0.
#
# **tanh**, $\tanh(z) = \dfrac{1 - e^{-2z}}{1 + e^{-2z}}$, between -1 and 1. In the same way one finds the slope $1 - \tanh^2(z)$, at most 1.
#
# Sigmoid and tanh are flat far out on both sides. A unit whose z lies there is **saturated**: whatever reaches it, its output hardly moves, and its slope is nearly 0.

# %% teaches="slope of the sigmoid, slope of tanh"
z = torch.tensor([-4., -1., 0., 1., 4.], requires_grad=True)
for name, function, formula in (("sigmoid", torch.sigmoid, lambda a: a * (1 - a)), ("tanh", torch.tanh, lambda a: 1 - a ** 2)):
    a = function(z)
    by_autograd = torch.autograd.grad(a.sum(), z)[0]
    print(f"{name:8} slope by autograd {[round(v, 4) for v in by_autograd.tolist()]}  by the formula {[round(v, 4) for v in formula(a).tolist()]}")

# %% tags=["demo"]
def slopes_of(function, x):
    """The derivative of an entry-wise function at each entry of x."""
    x = x.clone().requires_grad_()
    return torch.autograd.grad(function(x).sum(), x)[0]

x_axis = torch.arange(-6, 6.01, 0.02)
figure, axes = plt.subplots(2, 3, figsize=(9, 4.2), sharex=True, layout="constrained")
for (upper, lower), name in zip(axes.T, ("relu", "sigmoid", "tanh")):
    function = getattr(torch, name)
    upper.plot(x_axis, function(x_axis))
    lower.plot(x_axis, slopes_of(function, x_axis), color="C1")
    upper.set_title(name)
    lower.set(xlabel="z", ylim=(-0.1, 1.1))
    for panel in (upper, lower):
        panel.grid(alpha=0.3)
axes[0, 0].set_ylabel("function")
axes[1, 0].set_ylabel("slope")
plt.show()

# %% [markdown] teaches="slope of relu at zero"
# Above the functions, below their slopes. ReLU's slope is a step. The sigmoid's is a low hill, never above 0.25; that of tanh reaches 1. Beyond 5 on either side both hills are flat: saturation.
#
# ⚠ *What is the slope at 0?* ReLU has a corner there, and any number from 0 to 1 would be a fair answer (2.4 calls it a subgradient). The library has to return something, and what it returns depends on how one writes ReLU:

# %% teaches="slope of relu at zero"
for text, function in (("torch.relu(x)", torch.relu), ("torch.max(x, zeros)", lambda x: torch.max(x, torch.zeros_like(x))), ("x.clamp(min=0)", lambda x: x.clamp(min=0))):
    at_zero = torch.zeros(1, requires_grad=True)
    print(f"{text:20} slope at 0: {torch.autograd.grad(function(at_zero).sum(), at_zero)[0].item()}")

# %% [markdown] teaches="overflow in an activation function"
# All three are ReLU. In training it hardly matters: a sum is rarely exactly 0. It matters if you compare two programs entry by entry.
#
# ⚠ *A formula is not yet a program.* In float32 exp(89) is already infinite. So the formula of the slope, typed as it stands, is inf / inf far out on the left, which is `nan`, not the right answer 0:

# %% teaches="overflow in an activation function"
far = torch.tensor([-1000., -50., 50., 1000.])
print("e^-z / (1 + e^-z)^2:  ", (torch.exp(-far) / (1 + torch.exp(-far)) ** 2).tolist())
print("by the output, a(1-a):", (torch.sigmoid(far) * (1 - torch.sigmoid(far))).tolist())

# %% [markdown]
# One `nan` is enough to spoil every weight at the next step. `torch.sigmoid` and `torch.tanh` are right for all z. (At 50 the exact slope is $2 \cdot 10^{-22}$; float32 rounds σ(50) to 1.)

# %% [markdown] task="5.1.D" kind="code" minutes=2 difficulty=1 core=true needs="slope of the sigmoid"
# ### The slope from the output
#
# On the way back through a network the output of each layer is at hand. Write `slope_from_output(a)`: `a` is a tensor of floating point, the *output* of a sigmoid, a = σ(z). It returns
# the slope σ'(z), entry by entry, without knowing z.
#
# **You are done when**
# - **values**: each entry is the slope of the sigmoid where its output is that entry of `a`;
# - **shape and dtype**: both are those of `a`.

# %% exercise="5.1.D"
def slope_from_output(a):
    """sigma'(z) from a = sigma(z), entry by entry."""
    ### BEGIN SOLUTION
    return a * (1 - a)
    ### END SOLUTION

# %% [markdown] hints="5.1.D"
# 1. In which form of σ'(z) does z occur only inside σ(z)?
# 2. That form is in the lesson, after the last equals sign. Do not apply the sigmoid again.
# 3. For tanh: with the output a = 0.6 the slope is 1 - 0.6² = 0.64.

# %% check="5.1.D" points=1
def test_of_51D(a_in, of):
    result = slope_from_output(a_in.clone())
    what = f"slope_from_output of a tensor of shape {tuple(a_in.shape)} and dtype {str(a_in.dtype)[6:]}"
    assert_type(result, torch.Tensor, what, of="shape and dtype")
    assert_shape(result, tuple(a_in.shape), f"the shape of {what}", of="shape and dtype", hint="Entry by entry: `*` multiplies so; `@`, `sum` and `mean` make one number of several.")
    assert_dtype(result, a_in.dtype, f"the dtype of {what}", of="shape and dtype", hint="Compute with a itself: torch.tensor of Python's numbers, and .float(), make float32." if a_in.dtype == torch.float64 else "")
    again = torch.sigmoid(a_in)
    assert_close(result, 0.25 - (a_in - 0.5) ** 2, what, of="values", rtol=1e-4, atol=1e-6,
                 mistakes={"a is the output already: do not apply the sigmoid again.": again * (1 - again), "This is the slope of tanh.": 1 - a_in ** 2, "This is 1 - a: a factor is missing.": 1 - a_in,
                           "This is a² - a: the slope is never negative.": a_in ** 2 - a_in, "This is a / 4: 1/4 is the slope where it is largest, at a = 1/2, and no factor of it.": a_in / 4,
                           "This is a²: one of the two factors is 1 - a.": a_in ** 2,
                           "This is 2 a (1 - a): nothing is doubled.": 2 * a_in * (1 - a_in), "This is 1 - 2a, the slope of the slope.": 1 - 2 * a_in, "This is 1 / (a (1 - a)), how fast z grows with a; how fast a grows with z was asked for.": 1 / (a_in * (1 - a_in)),
                           "This is a (1 + a): the second factor is 1 - a.": a_in * (1 + a_in), "This is the slope of ReLU, 0 or 1: a is the output of a sigmoid.": (a_in > 0).to(a_in.dtype), "This is a itself, not the slope.": a_in, "This is the inverse of the sigmoid, z itself: its slope was asked for.": torch.logit(a_in)},
                 hint="Of a saturated unit a is 0 or 1: do not divide by a or 1 - a, and take no logarithm of them." if bool(result.isnan().any() or result.isinf().any()) else
                 "The slope is 1/4 where a = 1/2, where the sigmoid is steepest; yours is not." if bool((result - 0.25).abs()[a_in == 0.5].gt(1e-4).any()) else "Where a is 0 or 1, the sigmoid is flat: the slope there is 0; yours is not." if bool(result.abs()[a_in * (1 - a_in) == 0].gt(1e-4).any()) else
                 "The slope is the same at a and at 1 - a, and lower the farther a is from 1/2: the form of σ' in the lesson has only σ(z) in it, and that is a.")

test_of_51D(torch.tensor([0.5, 0.9, 0.2]), "values")
test_of_51D(torch.tensor([[0.0, 0.75], [1.0, 0.1]], dtype=torch.float64), "shape and dtype")
### BEGIN HIDDEN TESTS
test_of_51D(torch.rand(3, 1, 4, generator=torch.Generator().manual_seed(1), dtype=torch.float64), "shape and dtype")
test_of_51D(torch.rand(6, generator=torch.Generator().manual_seed(2)), "values")
### END HIDDEN TESTS

# %% [markdown]
# The curves of sigmoid and tanh have the same shape. Are they the same curve, stretched and shifted?

# %% [markdown] task="5.1.5a" kind="answer" minutes=5 difficulty=2 core=true needs="sigmoid, tanh"
# ### tanh from the sigmoid
#
# Find three numbers a, b, c with tanh(x) = a σ(bx) + c for *every* x. Hand in `stretch_and_shift = (a, b, c)`.
#
# **You are done when**
# - **three numbers**: it is a tuple, list or tensor of three finite numbers, in the order a, b, c;
# - **every x**: a σ(bx) + c equals tanh(x), near 0 and far out.

# %% exercise="5.1.5a"
### BEGIN SOLUTION
stretch_and_shift = (2, 2, -1)
### END SOLUTION

# %% [markdown] hints="5.1.5a"
# 1. What are both sides far out on the right, far out on the left, and at 0? Their slopes at 0?
# 2. Call $q = e^{-2x}$. Then $\frac{1 - q}{1 + q} = \frac{2}{1 + q} - 1$. For which argument is the sigmoid $\frac{1}{1 + q}$?
# 3. In the same way $1 - \sigma(x) = \sigma(-x)$ is an equation a σ(bx) + c with the numbers -1, 1, 1 on its left side.

# %% check="5.1.5a" points=1
def test_of_515a(at):
    assert_type(stretch_and_shift, (tuple, list, torch.Tensor), "stretch_and_shift", of="three numbers")
    assert_equal(len(stretch_and_shift), 3, "how many numbers stretch_and_shift has", of="three numbers", hint="(a, b, c): the factor before σ, the factor inside it, and what is added; one that is 0 or 1 stands there, too.")
    for number, name in zip(stretch_and_shift, "abc"):
        assert_type(number, (int, float, torch.Tensor), f"{name} in stretch_and_shift", of="three numbers")
    a, b, c = (float(number) for number in stretch_and_shift)
    assert_true(all(abs(number) < 1e6 for number in (a, b, c)), "the three numbers are finite, and below a million in size", of="three numbers")
    left, slope, right = (a * torch.sigmoid(b * torch.tensor(place, dtype=torch.float64)).item() + c for place in (-1000., 1e-4, 1000.))
    hint = ("Both ends and the middle are right, but the curve is too steep." if slope > 1e-4 else "Both ends and the middle are right, but the curve is too flat: look at the slope at 0.") if abs(left + 1) + abs(right - 1) < 1e-6 else \
        f"Far out on the left this comes to {left:g}, and far out on the right to {right:g}; tanh goes to -1 and to 1."
    assert_close(a * torch.sigmoid(b * at) + c, torch.tanh(at), f"a σ(bx) + c at the {len(at)} places from {at.min().item():g} to {at.max().item():g}", of="every x", rtol=1e-5, atol=1e-6,
                 mistakes={"Both ends and the middle are right, but the curve is too flat: look at the slope at 0.": 2 * torch.sigmoid(at) - 1, "Far out on the left tanh is -1.": 2 * torch.sigmoid(2 * at),
                           "The curve of the sigmoid has height 1, that of tanh has height 2.": torch.sigmoid(2 * at) - 1, "This falls where tanh rises.": -torch.tanh(at), "These numbers turn it round: σ(x) is tanh(x / 2) / 2 + 1/2, and tanh was to be written with σ.": 0.5 * torch.sigmoid(0.5 * at) + 0.5,
                           "The slope at 0 is right, but this goes from -1/2 to 1/2, and tanh from -1 to 1: it is too low.": torch.sigmoid(4 * at) - 0.5,
                           "This rises from -1/2 to 1/2: tanh has height 2.": torch.sigmoid(2 * at) - 0.5, "Both ends and the middle are right, but the curve is too steep.": 2 * torch.sigmoid(4 * at) - 1,
                           "The slope at 0 is right, but this goes from -2 to 2, and tanh from -1 to 1: it is too high and too flat.": 4 * torch.sigmoid(at) - 2,
                           "The order is a, b, c: here the shift stands first.": 2 - torch.sigmoid(2 * at), "The order is a, b, c: here the last two are exchanged.": 2 * torch.sigmoid(-at) + 2,
                           "The order is a, b, c: the last two of (-2, -2, 1) are exchanged here.": -2 * torch.sigmoid(at) - 2, "The order is a, b, c: the shift 1 of (-2, -2, 1) stands first here.": torch.sigmoid(-2 * at) - 2}, hint=hint)

test_of_515a(torch.tensor([0., -1000., 1000., 0.5, -2.], dtype=torch.float64))
### BEGIN HIDDEN TESTS
test_of_515a(torch.linspace(-4, 5, 37, dtype=torch.float64))
### END HIDDEN TESTS

# %% [markdown] task="5.1.5b" kind="code" minutes=12 difficulty=3 needs="multilayer perceptron, sigmoid, tanh"
# ### The same class of functions
#
# So networks with tanh and networks with the sigmoid can compute the same functions. To show it, turn the one into the other.
#
# Write `as_sigmoid_network(W1, b1, W2, b2)`. The arguments, of shapes (d, h), (h,), (h, q), (q,), belong to the
# network tanh(X W1 + b1) W2 + b2. It returns four tensors V1, c1, V2, c2, such that the network σ(X V1 + c1) V2 + c2
# computes the same outputs for every `X`.
#
# **You are done when**
# - **shapes**: there are four tensors, of the shapes of `W1`, `b1`, `W2`, `b2`;
# - **one unit**: the outputs agree for networks with one hidden unit;
# - **several units**: they agree for any number of inputs, hidden units and outputs;
# - **arguments kept**: the given tensors are as they were.

# %% exercise="5.1.5b"
def as_sigmoid_network(W1, b1, W2, b2):
    """The parameters with which a sigmoid network equals the given tanh network: four tensors of the same shapes."""
    ### BEGIN SOLUTION
    return 2 * W1, 2 * b1, 2 * W2, b2 - W2.sum(dim=0)
    ### END SOLUTION

# %% [markdown] hints="5.1.5b"
# 1. Replace tanh(z) in H W2 + b2 by a σ(bz) + c, with the numbers of 5.1.5a. What becomes of each number?
# 2. The c is added to every hidden unit, so each output gets c times the sum of the weights from all hidden units to it. `t.sum(dim=0)` adds up the rows.
# 3. With another function: if every hidden unit u becomes 3u + 4, then u v is ((3u + 4) - 4) v / 3, so the weight v is divided by 3, and 4v / 3 is taken from the bias.

# %% check="5.1.5b" points=2
def given_of_515b(seed, d, h, q):
    rng = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=rng) for shape in ((d, h), (h,), (h, q), (q,))]

def share_of_515b(given, converted):
    """Which of the four are right, in words; a hidden unit may have its signs turned."""
    (W1, b1, W2, b2), (V1, c1, V2, c2) = given, converted
    near = lambda a, b: torch.allclose(a, b, rtol=1e-3, atol=1e-4)
    twice = 2 * torch.sign((V1 * W1).sum(dim=0))
    if not near(V1, twice * W1):
        return "V1 is not right: with tanh(z) = a σ(bz) + c and z = x W1 + b1 it is b W1."
    if not near(c1, twice * b1):
        return "V1 is right, c1 is not: with z = x W1 + b1, all of z is multiplied by b, and nothing is added to it."
    return "V1 and c1 are right, V2 is not: each tanh(z) is a σ(bz) + c, and its weight multiplies all of that." if not near(V2, twice[:, None] * W2) else \
        "V1, c1 and V2 are right, c2 is not: each tanh(z) is a σ(bz) + c, and its weight multiplies the c, too." + moved_of_515b(given, c2)

def moved_of_515b(given, c2):
    """Whether the new output bias changes with what should not move it, in words."""
    for i, name in ((0, "W1"), (1, "b1")):
        changed = as_sigmoid_network(*((2 * p if i == j else p).float() for j, p in enumerate(given)))[3]
        if not torch.allclose(changed.double(), c2, rtol=1e-3, atol=1e-4):
            return f" Yours changes with {name}: but a, b and c are three numbers, the same for all z."
    return ""

def test_of_515b(seed, n, d, h, q, of):
    given = given_of_515b(seed, d, h, q)
    converted = as_sigmoid_network(*(p.clone() for p in given))
    assert_type(converted, (tuple, list), f"what as_sigmoid_network returns for d = {d}, h = {h}, q = {q}", of="shapes")
    assert_equal(len(converted), 4, "how many tensors as_sigmoid_network returns", of="shapes", hint="V1, c1, V2, c2: one in place of each of the four arguments, also where it stays as it was.")
    for tensor, name, old in zip(converted, ("W1", "b1", "W2", "b2"), given):
        assert_shape(tensor, tuple(old.shape), f"the shape of what stands in place of {name}, d = {d}, h = {h}, q = {q}", of="shapes", hint="The order is V1, c1, V2, c2, and a bias has one axis." if getattr(tensor, "ndim", old.ndim) != old.ndim else "")
    V1, c1, V2, c2 = (tensor.double() for tensor in converted)
    W1, b1, W2, b2 = (tensor.double() for tensor in given)
    X_in = torch.randn(n, d, generator=torch.Generator().manual_seed(seed + 100)).double()
    right = torch.tanh(X_in @ W1 + b1) @ W2 + b2
    assert_close(torch.sigmoid(X_in @ V1 + c1) @ V2 + c2, right, f"the outputs of the sigmoid network for {n} examples, d = {d}, h = {h}, q = {q}", of=of, rtol=1e-4, atol=1e-4,
                 mistakes={"The weights that go out of the hidden units are doubled, too: tanh(z) is 2 σ(2z) - 1.": torch.sigmoid(2 * (X_in @ W1 + b1)) @ W2 + b2 - W2.sum(dim=0),
                           "The weights out of the hidden units are not doubled, and the shift is missing: tanh(z) is 2 σ(2z) - 1.": torch.sigmoid(2 * (X_in @ W1 + b1)) @ W2 + b2,
                           "What goes into the hidden units, W1 and b1, is doubled, too: tanh(z) is 2 σ(2z) - 1.": torch.sigmoid(X_in @ W1 + b1) @ (2 * W2) + b2 - W2.sum(dim=0),
                           "These are the parameters of the tanh network as they were.": torch.sigmoid(X_in @ W1 + b1) @ W2 + b2,
                           "This turns it round, σ(z) = tanh(z / 2) / 2 + 1/2; here tanh(z) becomes 2 σ(2z) - 1.": torch.sigmoid((X_in @ W1 + b1) / 2) @ (W2 / 2) + b2 + W2.sum(dim=0) / 2,
                           "The shift belongs behind the σ, where it is multiplied by the outgoing weights; here it stands in the bias of the hidden units.": torch.sigmoid(2 * (X_in @ W1 + b1) - 1) @ (2 * W2) + b2,
                           "The bias of the output is not stretched, and the shift is multiplied by the outgoing weights.": torch.sigmoid(2 * (X_in @ W1 + b1)) @ (2 * W2) + 2 * b2 - 1,
                           "The old bias b2 is missing in the new one.": right - b2, "The shift goes into the bias of the outputs, not into the weights W2.": torch.sigmoid(2 * (X_in @ W1 + b1)) @ (2 * W2 - 1) + b2,
                           **({"The bias takes the sum of the weights to an output, not their mean.": right + W2.sum(dim=0) - W2.mean(dim=0)} if len(W2) > 1 else {}),
                           "The shift of every hidden unit is missing in the output's bias.": right + W2.sum(dim=0),
                           "The shift of a hidden unit is multiplied by its outgoing weight, too.": right + W2.sum(dim=0) - 1,
                           "Take the sum of the given weights, not of the stretched ones.": right - W2.sum(dim=0),
                           "The shift goes into the bias with the other sign.": right + 2 * W2.sum(dim=0),
                           "Each output has its own sum of weights: add up over the hidden units alone.": right + W2.sum(dim=0) - W2.sum() if q > 1 else right - 1e6,
                           "The bias of the hidden layer is stretched, too.": torch.sigmoid(X_in @ (2 * W1) + b1) @ (2 * W2) - W2.sum(dim=0) + b2,
                           "The bias of the output is not stretched.": right + b2,
                           **({"Add up the weights from all hidden units to one output, a column of W2; these are its rows.": right + W2.sum(dim=0) - W2.sum(dim=1)} if 1 < h == q else {}),
                           "With z = x W1 + b1, tanh(z) is 2 σ(2z) - 1: the weights are doubled, not halved.": torch.sigmoid(X_in @ (W1 / 2) + b1 / 2) @ (W2 / 2) + b2 - W2.sum(dim=0)},
                 hint=lambda: share_of_515b((W1, b1, W2, b2), (V1, c1, V2, c2)))

test_of_515b(1, 4, 1, 1, 1, "one unit")
test_of_515b(2, 3, 2, 1, 3, "one unit")
test_of_515b(3, 4, 2, 3, 2, "several units")
test_of_515b(4, 5, 3, 3, 3, "several units")

@probe
def parameters_after(parameters):
    as_sigmoid_network(*parameters)
    return list(parameters)

for name, before, after in zip(("W1", "b1", "W2", "b2"), given_of_515b(5, 2, 3, 2), parameters_after(given_of_515b(5, 2, 3, 2))):
    assert_close(after, before, f"{name} after as_sigmoid_network", of="arguments kept", hint="*= and -= write into the caller's tensor.")
### BEGIN HIDDEN TESTS
test_of_515b(6, 6, 3, 1, 2, "one unit")
test_of_515b(7, 5, 4, 4, 4, "several units")
test_of_515b(8, 6, 2, 7, 3, "several units")
assert_close(parameters_after(given_of_515b(9, 3, 4, 1)), given_of_515b(9, 3, 4, 1), "the four given tensors after the call", of="arguments kept")
### END HIDDEN TESTS

# %% [markdown] teaches="dead unit, prelu, swish"
# ## 6. Bends with a number to learn
#
# ReLU has a weakness. If a unit's z is negative for every example, its output is 0 and its slope is 0. No gradient reaches its weights, and it stays so: the unit is **dead**. (Most of the failed starts of XOR in lesson 2 ended like this.) Two remedies let something through on the left side.
#
# - **pReLU**, max(0, z) + α min(0, z): a straight line of slope α for z < 0. The p is for *parametric*: α is learnt together with the weights. With α = 0 it is ReLU, with α = 1 it does nothing.
# - **Swish**, z σ(βz): the input times a gate between 0 and 1, which opens where z is large. Smooth everywhere. For β = 1 the library calls it `torch.nn.functional.silu`. For large β the gate is a switch, and Swish is nearly ReLU.

# %% tags=["demo"] teaches="prelu, swish"
x_axis = torch.arange(-4, 3.01, 0.02)
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.3), layout="constrained")
curves = {"ReLU": torch.relu, "pReLU, α = 0.25": lambda t: t.clamp(min=0) + 0.25 * t.clamp(max=0), "Swish, β = 1": lambda t: t * torch.sigmoid(t), "Swish, β = 8": lambda t: t * torch.sigmoid(8 * t)}
for (name, function), style in zip(curves.items(), ("-", "--", "-", ":")):
    left.plot(x_axis, function(x_axis), style, label=name)
    right.plot(x_axis, slopes_of(function, x_axis), style, label=name)
left.set(xlabel="z", title="function")
right.set(xlabel="z", title="slope")
figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=4)
plt.show()
swish_slope = slopes_of(curves["Swish, β = 1"], x_axis)
swish_values = curves["Swish, β = 1"](x_axis)
print(f"Swish, β = 1: smallest value {swish_values.min():.3f}, at z = {x_axis[swish_values.argmin()]:.2f}; slopes from {swish_slope.min():.3f} to {swish_slope.max():.3f}")

# %% [markdown]
# Swish with β = 1 first falls, to -0.278 at z = -1.28, and then rises; so its slope is negative on the far left, and slightly above 1 for z around 2.4. With β = 8 (dotted) the function can hardly be told from ReLU. Its slope goes just as far below 0 and above 1, but only close to z = 0.
#
# A learnt α needs a derivative of its own. pReLU has two: with respect to its input, which goes on to the layer before, and with respect to α. Hold one fixed, differentiate by the other (partial derivatives, 2.4).

# %% [markdown] task="5.1.2" kind="code" minutes=8 difficulty=2 core=true needs="prelu, partial derivative, slope of relu at zero"
# ### pReLU
#
# Write `prelu_derivatives(x, alpha)` for pReLU(x) = max(0, x) + α min(0, x). `x` is a tensor of floating point and `alpha` a number, any real one. It
# returns a tuple of two tensors: entry by entry the derivative with respect to x, and that with respect to α. At x = 0 the function has a corner, and the first may hold any number there, but a finite one; the second is what the formula gives.
#
# **You are done when**
# - **shape and dtype**: there are two tensors, each of the shape and dtype of `x`;
# - **by x**: the first is right for positive and negative entries;
# - **by alpha**: the second is right for positive and negative entries;
# - **any alpha**: both are right for α below 0, equal to 0, and above 1, too;
# - **at zero**: where x = 0, the first is a finite number, and the second is right;
# - **argument kept**: `x` is as it was.

# %% exercise="5.1.2"
def prelu_derivatives(x, alpha):
    """d pReLU / dx and d pReLU / d alpha, entry by entry, each of the shape of x."""
    ### BEGIN SOLUTION
    ones = torch.ones_like(x)
    return torch.where(x > 0, ones, alpha * ones), x.clamp(max=0)
    ### END SOLUTION

# %% [markdown] hints="5.1.2"
# 1. Which of the two terms is not zero for x > 0, and which for x < 0?
# 2. In α, the function is a straight line through max(0, x). What is its slope?
# 3. For c · |x|: the derivative with respect to x is c · sign(x), that with respect to c is |x|.

# %% check="5.1.2" points=2
def pair_of_512(x_in, alpha):
    """The answer, with its types, shapes and dtypes looked at."""
    what, pair = f"prelu_derivatives for a tensor of shape {tuple(x_in.shape)} and dtype {str(x_in.dtype)[6:]}, α = {alpha}", prelu_derivatives(x_in.clone(), alpha)
    assert_type(pair, (tuple, list), f"what is returned by {what}", of="shape and dtype")
    assert_equal(len(pair), 2, f"how many tensors are returned by {what}", of="shape and dtype", hint="Two tensors: the derivative with respect to x, and that with respect to α.")
    for tensor, name in zip(pair, ("first", "second")):
        assert_shape(tensor, tuple(x_in.shape), f"the shape of the {name} of {what}", of="shape and dtype", hint="Entry by entry: a number for each entry of x, also for α, and no sum over them.")
        assert_dtype(tensor, x_in.dtype, f"the dtype of the {name} of {what}", of="shape and dtype", hint="torch.where with two Python numbers makes float32, a comparison makes True and False: compute with tensors of the dtype of x.")
    return pair

def sides_of_512(result, right, x_in):
    """Where a derivative is right and where not, in words."""
    wrong = (torch.as_tensor(result) - right).abs() > 1e-5 + 1e-4 * right.abs()
    left, rest = bool(wrong[x_in < 0].any()), bool(wrong[x_in > 0].any())
    return "It is right where x < 0, and wrong where x > 0." if rest and not left else "It is right where x > 0, and wrong where x < 0." if left and not rest else "It is wrong for both signs of x."

def alone_of_512(which, alpha, dtype):
    """Whether the derivative is right for one entry alone, and for two, in words; `which` is 0 for x, 1 for alpha."""
    for entries, by_x, by_alpha, why in (([3.], [1.], [0.], "x, whatever α is"), ([-2.], [alpha], [-2.], f"-2α, with α = {alpha:g}"), ([3., -2.], [1., alpha], [0., -2.], "")):
        right, found = (by_x, by_alpha)[which], prelu_derivatives(torch.tensor(entries, dtype=dtype), alpha)[which].tolist()
        if max(abs(a - b) for a, b in zip(found, right)) > 1e-4:
            return f" For x = {entries[0]:g} alone yours is {found[0]:.4g}: there pReLU is {why}." if why else f" For x = 3 alone and for x = -2 alone yours is right, for (3, -2) it is ({found[0]:.4g}, {found[1]:.4g}): entry by entry, so neither looks at the other."
    return ""

def test_of_512(x_in, alpha, of_x, of_alpha):
    """Both derivatives at entries that are not 0."""
    by_x, by_alpha = pair_of_512(x_in, alpha)
    where = f"at {x_in.tolist()}" if x_in.numel() < 5 else f"for shape {tuple(x_in.shape)}"
    sign = torch.sign(x_in)
    assert_close(by_x, (1 + sign) / 2 + alpha * (1 - sign) / 2, f"the derivative with respect to x {where}, α = {alpha}", of=of_x,
                 mistakes=({"For x > 0 the slope is 1: α is added to it here.": (1 + sign) / 2 + alpha,
                            "For x < 0 this is αx, the value of the function: its slope is α.": torch.where(x_in > 0, 1., alpha * x_in)} if alpha else {})
                 | {"This is a leaky ReLU with the slope 0.01: the slope for negative x is the argument alpha.": (1 + sign) / 2 + 0.01 * (1 - sign) / 2,
                           "This is the slope of ReLU: for negative x the slope is α.": (1 + sign) / 2,
                           ("For negative x the slope is α, not -α." if alpha > 0 else
                            "For negative x the slope is α with its sign; this has its size, |α|."): (1 + sign) / 2 - alpha * (1 - sign) / 2,
                           "The derivative with respect to x stands first.": (x_in - x_in.abs()) / 2, "This is pReLU itself.": (x_in + x_in.abs()) / 2 + alpha * (x_in - x_in.abs()) / 2,
                           "The formula holds for every α; this is the slope of max(x, αx).": torch.where((x_in > alpha * x_in), torch.ones_like(x_in), alpha * torch.ones_like(x_in))}
                 | ({"1 and α are exchanged.": (1 - sign) / 2 + alpha * (1 + sign) / 2} if alpha < 1 else {}), hint=lambda: sides_of_512(by_x, (1 + sign) / 2 + alpha * (1 - sign) / 2, x_in) + " For x > 0 the function is x, for x < 0 it is α x." + alone_of_512(0, alpha, x_in.dtype))
    assert_close(by_alpha, (x_in - x_in.abs()) / 2, f"the derivative with respect to α {where}, α = {alpha}", of=of_alpha,
                 mistakes={"For x > 0 the output does not depend on α.": x_in, "This is max(0, x): the factor of α is min(0, x).": (x_in + x_in.abs()) / 2, "The factor of α is min(0, x), not 1.": (1 - sign) / 2,
                           "The sign is wrong: for negative x more α makes the output smaller.": (x_in.abs() - x_in) / 2, "The derivative with respect to α does not contain α.": alpha * (x_in - x_in.abs()) / 2,
                           "For x > 0 the output does not depend on α: 0 stands there, not -x.": -x_in.abs(), "For x > 0 the output does not depend on α, and for x < 0 the factor is x, not |x|.": x_in.abs(),
                           "For x > 0 the output does not depend on α: 0 stands there, not 1.": torch.where(x_in < 0, x_in, torch.ones_like(x_in)),
                           "The formula holds for every α; this is the derivative of max(x, αx).": torch.where(alpha * x_in > x_in, x_in, torch.zeros_like(x_in))}, hint=lambda: sides_of_512(by_alpha, (x_in - x_in.abs()) / 2, x_in) + " For x > 0 the function is x, whatever α is; for x < 0 it is α x." + alone_of_512(1, alpha, x_in.dtype))

def zero_of_512(alpha, dtype):
    x_in = torch.tensor([[0., -2.], [0., 3.]], dtype=dtype)
    by_x, by_alpha = (tensor[:, 0].double() for tensor in pair_of_512(x_in, alpha))
    assert_true(bool(by_x.isfinite().all()), f"the derivative with respect to x at 0 is a finite number, for α = {alpha}; yours is {by_x[0].item():g}", of="at zero",
                hint="A division by 0 gives nan or inf: decide by comparison which of the two lines holds at x.")
    assert_close(by_alpha, torch.zeros(2, dtype=torch.float64), f"the derivative with respect to α at 0, for α = {alpha}", of="at zero", hint="min(0, x) at x = 0")

test_of_512(torch.tensor([-2., 3., -0.5]), 0.25, "by x", "by alpha")
test_of_512(torch.tensor([[-2., 3., -0.5, 1.5, -4.]], dtype=torch.float64), 0.5, "by x", "by alpha")
for alpha in (-0.75, 0.0, 1.75):
    test_of_512(torch.tensor([-2., 3., -0.5]), alpha, "any alpha", "any alpha")
for alpha in (0.25, 2.5, -1.5):
    zero_of_512(alpha, torch.float32)

@probe
def x_after_prelu(x_in, alpha):
    prelu_derivatives(x_in, alpha)
    return x_in.detach()

assert_close(x_after_prelu(torch.tensor([-2., 3., 0., 5.]), 0.25), torch.tensor([-2., 3., 0., 5.]), "x = (-2, 3, 0, 5) after prelu_derivatives(x, 0.25)", of="argument kept", hint="clamp_ and x[...] = write into the caller's tensor.")
assert_close(x_after_prelu(torch.tensor([-2., 3., 0., 5.], dtype=torch.float64), 0.25), torch.tensor([-2., 3., 0., 5.], dtype=torch.float64), "x = (-2, 3, 0, 5) in float64 after prelu_derivatives(x, 0.25)", of="argument kept",
             hint="clamp_ and x[...] = write into the caller's tensor; of a float64 tensor `.double()` makes no copy.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(513)
test_of_512(torch.randn(2, 1, 6, generator=rng, dtype=torch.float64), 0.1, "by x", "by alpha")
pair_of_512(torch.randn(3, generator=rng, dtype=torch.float64), 0.3)
for alpha in (-2.5, 0.0, 3.0):
    test_of_512(torch.randn(4, 3, generator=rng), alpha, "any alpha", "any alpha")
for alpha in (0.6, 1.25, -0.4):
    zero_of_512(alpha, torch.float64)
assert_close(x_after_prelu(torch.tensor([[4., -1.], [-3., 0.]]), -1.), torch.tensor([[4., -1.], [-3., 0.]]), "x of shape (2, 2) after the call", of="argument kept")
### END HIDDEN TESTS

# %% [markdown] task="5.1.3" kind="code" minutes=10 difficulty=3 needs="swish, product rule, chain rule, slope of the sigmoid, overflow in an activation function"
# ### Swish
#
# Write `swish_derivative(x, beta)`: the derivative of Swish(x) = x σ(βx) with respect to x, entry by entry, for a tensor `x` of
# floating point and a number `beta`.
#
# **You are done when**
# - **beta = 1**: the values are right for β = 1;
# - **other beta**: they are right for other β, negative ones and 0, too;
# - **far out**: they are right for large |x|, and where exp overflows;
# - **shape and dtype**: both are those of `x`.

# %% exercise="5.1.3"
def swish_derivative(x, beta):
    """d/dx of x * sigmoid(beta * x), entry by entry, the shape of x."""
    ### BEGIN SOLUTION
    s = torch.sigmoid(beta * x)
    return s + beta * x * s * (1 - s)
    ### END SOLUTION

# %% [markdown] hints="5.1.3"
# 1. Which two rules does the derivative of x · σ(βx) need?
# 2. σ'(z) = σ(z) (1 - σ(z)). `torch.sigmoid` does not overflow.
# 3. For x · sin(3x) the derivative is sin(3x) + 3x cos(3x).

# %% check="5.1.3" points=2
def test_of_513(x_in, beta, of):
    result = swish_derivative(x_in.clone(), beta)
    where = f"swish_derivative(x, {beta}) " + (f"for x = {x_in.tolist()}" if x_in.numel() < 6 else f"for x of shape {tuple(x_in.shape)}")
    assert_type(result, torch.Tensor, where, of="shape and dtype")
    assert_shape(result, tuple(x_in.shape), f"the shape of {where}", of="shape and dtype")
    assert_dtype(result, x_in.dtype, f"the dtype of {where}", of="shape and dtype")
    assert_true(not bool(result.isnan().any()), f"{where} holds no nan", of=of, hint="0 / 0 is nan, and all other entries are numbers: something is divided by x, which is 0 there." if beta and bool((result.isnan() == (x_in == 0)).all()) else
                "inf / inf or inf · 0 is nan. torch.sigmoid is right for all numbers." if beta else "With β = 0 nothing overflows, and 0 / 0 is nan: whoever divides by β finds it here. Swish is x / 2 for this β.")
    leaf = x_in.double().requires_grad_()
    (right,) = torch.autograd.grad((leaf * torch.sigmoid(beta * leaf)).sum(), leaf)
    x, s, s1 = x_in.double(), torch.sigmoid(beta * x_in.double()), torch.sigmoid(x_in.double())
    assert_close(result, right.to(x_in.dtype), where, of=of, rtol=1e-4, atol=1e-5,
                 mistakes={} if of == "far out" else {"This is Swish itself.": (x * s).to(x_in.dtype), "The second term of the product rule is missing.": s.to(x_in.dtype), "The first term of the product rule is missing." if beta else "For β = 0 the gate is 1/2 and Swish is x / 2: its slope is not 0.": (beta * x * s * (1 - s)).to(x_in.dtype),
                           "σ' is σ (1 - σ); 1 - σ² is the form of tanh's slope.": (s + beta * x * (1 - s * s)).to(x_in.dtype),
                           "The second term has the factor x.": (s + beta * s * (1 - s)).to(x_in.dtype), "This is the derivative with respect to β; that with respect to x was asked for.": (x * x * s * (1 - s)).to(x_in.dtype)}
                 | ({"σ' is σ (1 - σ): this has σ² in its place.": (s + beta * x * s * s).to(x_in.dtype), "σ' is σ (1 - σ): the factor 1 - σ is missing.": (s + beta * x * s).to(x_in.dtype),
                     "σ' is σ (1 - σ): the factor σ is missing.": (s + beta * x * (1 - s)).to(x_in.dtype), "The second term is added, not subtracted.": (s - beta * x * s * (1 - s)).to(x_in.dtype),
                     "The second term has the factor x once; here it has x².": (s + beta * x * x * s * (1 - s)).to(x_in.dtype), **({"The second term has the factor β once; here it has β².": (s + beta * beta * x * s * (1 - s)).to(x_in.dtype)} if beta != 1 else {}),
                     "The derivative of a product is not the product of the derivatives.": (beta * s * (1 - s)).to(x_in.dtype)} if beta else {})
                 | ({"The second term has the factor β, the inner derivative of σ(βx), and the first has none; here it is the other way round.": (beta * s + x * s * (1 - s)).to(x_in.dtype),
                     "Here β multiplies both terms; only the second has it, as the inner derivative of σ(βx).": (beta * (s + x * s * (1 - s))).to(x_in.dtype)} if beta not in (0, 1) else {})
                 | ({"The inner derivative, β, is missing.": (s + x * s * (1 - s)).to(x_in.dtype), "Is β used? This is the derivative for β = 1.": (s1 + x * s1 * (1 - s1)).to(x_in.dtype),
                    "The gate is σ(βx), with β inside: this takes σ at x.": (s1 + beta * x * s1 * (1 - s1)).to(x_in.dtype),
                     "This is β f + σ (1 - f), where f is Swish(x): the second f has the factor β, too.": (beta * x * s + s * (1 - x * s)).to(x_in.dtype), "This is f + σ (1 - β f), where f is Swish(x): the first f has the factor β, too.": (x * s + s * (1 - beta * x * s)).to(x_in.dtype)} if beta != 1 else {})
                 | ({"This is the derivative of βx σ(βx): the factor in front of the gate is x.": (beta * right).to(x_in.dtype),
                     "σ' is taken at βx, as the gate itself: here it is taken at x.": (s + beta * x * s1 * (1 - s1)).to(x_in.dtype), "The gate σ(βx) stands alone in the first term: here σ is taken at x there.": (s1 + beta * x * s * (1 - s)).to(x_in.dtype)} if beta not in (0, 1) else {})
                 | ({"β has a sign; this is the derivative for its size, |β|.": (1 - s - beta * x * s * (1 - s)).to(x_in.dtype)} if beta < 0 else {}),
                 hint="Far out the slope is 1 on one side and 0 on the other, and here it is 0 on both. (So a 0 in place of nan is not always right.)" if of == "far out" and abs(beta) >= 0.1 and bool(((result == 0) & (right.abs() > 0.5)).any())
                 else "This is near the derivative, but has few right digits: a difference quotient loses them where x is large." if bool(((result - right).abs() < 0.03).all())
                 else "Take x as it is: where x is large and β small, βx may be anything." if of == "far out" and abs(beta) < 0.1 else "At x = 0 the second term of the product rule is 0 and the gate is 1/2, so the slope is 1/2 for every β; yours is not." if bool((result - 0.5).abs()[x_in == 0].gt(1e-4).any())
                 else "At x = 0 the second term of the product rule is 0, and there yours is right: look at this term, x times the derivative of σ(βx), with β as its inner derivative." if bool((x_in == 0).any())
                 else "The product rule for x times σ(βx), and the chain rule for σ(βx): two terms, σ(βx), and x times the derivative of σ(βx), with β as its inner derivative.")

test_of_513(torch.tensor([0., 2., -1., 0.5]), 1.0, "beta = 1")
test_of_513(torch.tensor([0., 2., -1., 0.5]), 2.5, "other beta")
test_of_513(torch.tensor([1.5, -0.75, 3.]), -0.5, "other beta")
test_of_513(torch.tensor([1.5, -4., 3.]), 0.0, "other beta")
test_of_513(torch.tensor([-1000., 1000., -60., 60.]), 1.0, "far out")
test_of_513(torch.tensor([-300., 400.]), 4.0, "far out")
test_of_513(torch.tensor([-400., 150., 700.]), 0.01, "far out")
test_of_513(torch.tensor([[1., -2., 0.25]], dtype=torch.float64), 1.0, "shape and dtype")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(514)
test_of_513(2 * torch.randn(4, 5, generator=rng), 1.0, "beta = 1")
for shape, rate in (((7,), 1.7), ((3, 1, 2), -0.6), ((6,), 0.0)):
    test_of_513(2 * torch.randn(shape, generator=rng, dtype=torch.float64), rate, "other beta")
test_of_513(torch.tensor([-500., 500., 2000., -2000., 95., -95.]), -3.0, "far out")
test_of_513(torch.tensor([-3000., 1200., 5000.]), -0.001, "far out")
test_of_513(torch.randn(2, 3, 1, generator=rng, dtype=torch.float64), 1.0, "shape and dtype")
### END HIDDEN TESTS

# %% [markdown] teaches="piecewise linear function, kink of a relu unit"
# ## 7. Straight pieces
#
# What functions can a ReLU network compute? Take one input x and one output. A single hidden unit with outgoing weight v contributes $v \operatorname{ReLU}(wx + b)$. That is two straight pieces which meet
# where wx + b = 0, at $x = -b/w$. The network adds up such functions:
#
# $$f(x) = \sum_j v_j \operatorname{ReLU}(w_j x + b_j) .$$
#
# So f is continuous and made of straight pieces: it is **piecewise linear**. A place where the slope changes is a **kink**. How much does the slope change there, from left to right? Two cases:
#
# | sign | slope left of $-b/w$ | slope right of it | change |
# |---|---|---|---|
# | w > 0 | 0 | vw | vw |
# | w < 0 | vw | 0 | -vw |
#
# Let us look at a unit with w = -2, b = 3, v = 5: a kink at 1.5, and slopes -10 and 0.

# %% teaches="kink of a relu unit"
x_three = torch.tensor([0.5, 1.0, 1.5, 2.0, 2.5])
f_three = 5 * torch.relu(-2 * x_three + 3)
print("values", f_three.tolist(), " slopes between them", (f_three.diff() / x_three.diff()).tolist())

# %% [markdown] task="5.1.E" kind="code" minutes=3 difficulty=1 needs="kink of a relu unit"
# ### One unit, one bend
#
# Write `bend(w, b, v)`: for the function v ReLU(wx + b), with w ≠ 0, the pair (place, change). All are numbers: `place` is where the slope changes, `change` is the slope on the right minus the slope on the left.
#
# **You are done when**
# - **place**: the first number is right, for w of both signs;
# - **change**: the second number is right, for w and v of both signs.

# %% exercise="5.1.E"
def bend(w, b, v):
    """(place, change of the slope) of v * relu(w x + b), for w != 0."""
    ### BEGIN SOLUTION
    return -b / w, v * abs(w)
    ### END SOLUTION

# %% [markdown] hints="5.1.E"
# 1. For which x is wx + b = 0?
# 2. The two lines of the table can be written as one, with `abs`.
# 3. 4 ReLU(3x - 6) bends at 2 and its slope grows by 12.

# %% check="5.1.E" points=1
def case_of_51E():
    """The first of some simple functions whose change of slope the answer has wrong, in words."""
    for w, b, v, right, why in ((1., 0., 1., 1., "for ReLU(x) the slope is 0 on the left and 1 on the right: 1 - 0 = 1"),
                                (1., 4., 1., 1., "ReLU(x + 4) is ReLU(x), moved to the left: the change of the slope is 1, as without the 4"),
                                (3., 0., 1., 3., "for ReLU(3x) the slope is 0 on the left and 3 on the right: 3 - 0 = 3"),
                                (1., 0., -2., -2., "for -2 ReLU(x) the slope is 0 on the left and -2 on the right: -2 - 0 = -2"),
                                (-1., 0., 1., 1., "for ReLU(-x) the slope is -1 on the left and 0 on the right: 0 - (-1) = 1")):
        found = float(bend(w, b, v)[1])
        if abs(found - right) > 1e-6:
            return f"Try bend({w:g}, {b:g}, {v:g}): {why}; yours is {found:g}."
    return "For -2 ReLU(-x) the slope is 2 on the left and 0 on the right: 0 - 2 = -2."

def test_of_51E(w, b, v, place, change, hint=case_of_51E):
    pair = bend(w, b, v)
    assert_type(pair, (tuple, list, torch.Tensor), f"bend({w}, {b}, {v})", of="place")
    assert_equal(len(pair), 2, f"how many numbers bend({w}, {b}, {v}) returns", of="place", hint="The pair (place, change).")
    assert_close(pair[0], place, f"the place in bend({w}, {b}, {v})", of="place", hint=f"At the place wx + b is 0; put yours in for x, and it comes to {w * float(pair[0]) + b:g}." if isinstance(pair[0], (int, float, torch.Tensor)) else "",
                 mistakes={"The sign is wrong: put the place into wx + b." if w > 0 else
                           "The sign is wrong here, where w < 0: divide by w itself, not by |w|.": -place,
                           "Solve wx + b = 0 for x; this is -w / b.": -w / b, "This is where the line crosses the other axis.": b, "Divide by w.": -b, "The place stands first, the change second.": change,
                           "v makes the function steeper, but does not move the place.": place / v, **({"// rounds down; / divides.": -b // w} if b % w else {})})
    assert_close(pair[1], change, f"the change in bend({w}, {b}, {v})", of="change",
                 mistakes={"v is missing: the slope of v ReLU(wx + b) has it as a factor.": abs(w), "The slope changes by the factor w, too.": v, "b moves the place; it is not part of a slope.": change + b, "w is a factor of the slope once; this has its square.": v * w * w,
                           "The place bends the function, but is not a factor of the slope.": v * place, "v is a factor of the slope once; this has its square.": change * v}
                 | ({"This is the slope on the left minus the slope on the right.": -change} if w > 0 and v > 0 else {}) | ({"For w < 0 the slope is vw on the left and 0 on the right.": v * w, "This is the slope on the right alone: subtract the slope on the left.": 0.} if w < 0 else {"The sign of v stays.": -v * w} if v < 0 else {}),
                 hint=lambda: "On one side of the place the slope of v ReLU(wx + b) is 0, on the other side it is vw. " + hint())

test_of_51E(2., -6., 5., 3., 10.)
test_of_51E(-2., -5., 3., -2.5, 6.)
test_of_51E(0.5, 2., -4., -4., -2.)
test_of_51E(-4., 1., -3., 0.25, -12.)
### BEGIN HIDDEN TESTS
def hidden_of_51E(w, b, v):
    test_of_51E(w, b, v, -b / w, v * abs(w), lambda: where_they_part(bend, lambda w, b, v: (-b / w, v * abs(w)), w=w, b=b, v=v))

hidden_of_51E(-0.5, 3., 7.)
hidden_of_51E(8., 3., -2.5)
hidden_of_51E(-5., -2., -6.)
hidden_of_51E(3., 4.5, 2.)
### END HIDDEN TESTS

# %% [markdown] teaches="piecewise linear function"
# Now the sum of several units (w, b, v), the thick line; thin are the units themselves. Where a unit bends, so does the sum, as long as no other unit bends there, too: then the changes add up.

# %% tags=["demo"] teaches="piecewise linear function"
sums = {"three places": [(1, 1, 1), (1, -1, -3), (-2, -4, -1)],
        "one place: 1 + 2 = 3": [(1, -1, 1), (2, -2, 1)],
        "one place: 1 - 1 = 0": [(1, -1, 1), (-1, 1, -1)]}
x_axis = torch.linspace(-3, 3, 601)
figure, axes = plt.subplots(1, 3, figsize=(9, 2.8), sharex=True, sharey=True, layout="constrained")
for axis, (title, units) in zip(axes, sums.items()):
    together = torch.zeros_like(x_axis)
    for w, b, v in units:
        unit = v * torch.relu(w * x_axis + b)
        together += unit
        axis.plot(x_axis, unit, lw=1, label=f"{v} ReLU({w}x {'+' if b > 0 else '-'} {abs(b)})")
    axis.plot(x_axis, together, lw=3, color="black", alpha=0.6)
    axis.set(title=title, xlabel="x", ylim=(-4.5, 6.5))
    axis.legend(loc="upper center", fontsize="small", ncols=1)
plt.show()

# %% [markdown]
# On the left there are three kinks, at -2, -1 and 1. In the middle both units bend at 1: one kink, and its change is $1 \cdot 1 + 1 \cdot 2 = 3$. On the right they bend at 1, too, but the changes 1 and -1 add up to 0, and the sum is a straight line, $x - 1$.

# %% [markdown] teaches="universal approximation"
# Every unit bends the line once. With enough bends one can follow any curve: put a kink at each of m places, and choose the changes of the slope so that f runs through the curve there. With one hidden layer of m units this comes as close as you like to any
# continuous function on an interval, if m is large enough. Networks with one hidden layer are **universal approximators**; this holds for more inputs, too, and for sigmoid and tanh. Here the sine, followed by 4, 8 and 16 units:

# %% tags=["demo"] teaches="universal approximation"
def through_points(knots, values, x):
    """The piecewise linear function through the points (knots, values), written as a sum of ReLU units."""
    slopes = values.diff() / knots.diff()                               # one for each piece
    changes = torch.cat([slopes[:1], slopes.diff()])                    # one for each unit
    return values[0] + (torch.relu(x[:, None] - knots[None, :-1]) * changes).sum(dim=1)

x_axis = torch.linspace(-1, 9, 1001)
inside = (x_axis >= 0) & (x_axis <= 6.28)
figure, axis = plt.subplots(figsize=(7, 3), layout="constrained")
axis.plot(x_axis, x_axis.sin(), color="black", label="sin x")
for units, style in ((4, "--"), (8, "-."), (16, ":")):
    knots = torch.linspace(0, 6.28, units + 1)
    fitted = through_points(knots, knots.sin(), x_axis)
    axis.plot(x_axis, fitted, style, label=f"{units} units")
    error = (fitted - x_axis.sin()).abs()
    print(f"{units:2} units: largest error inside {error[inside].max():.4f}, at x = 9 {error[-1]:.2f}")
axis.axvspan(0, 6.28, color="0.92", zorder=0)
axis.set(xlabel="x", ylim=(-3.5, 3.5))
figure.legend(loc="outside right center")
plt.show()

# %% [markdown]
# Inside the grey interval, 16 units in place of 8 leave about a quarter of the error.
#
# ⚠ *"Universal" promises less than it sounds.* Outside the interval there are no kinks; the network goes straight on, and more units make it no better: with 16 it is wrong by 2.23 at x = 9. And as with XOR: that such weights exist does not say that training finds them, nor that an affordable number of units is enough.

# %% [markdown] task="5.1.4a" kind="code" minutes=15 difficulty=3 needs="piecewise linear function, kink of a relu unit"
# ### Kinks of one hidden layer
#
# How many pieces does f(x) = Σ v_j ReLU(w_j x + b_j) have? One more than it has kinks. Not every unit makes one: a unit may not depend on x, or not be used by the
# output, and the changes of several units at one place may add up to 0.
#
# Write `kinks(w, b, v)` for three tensors of shape (h,), float32: the places where the slope of f changes, as a tensor of one
# axis. Each w is 0, or a power of 2, or minus a power of 2, and b and v are small whole numbers; so all quotients and sums are exact, and you may compare with `==`.
# (A quotient with w = 0 is infinite, and 0/0 is nan, which equals nothing, not even itself, and puts a sorted list into disorder.)
#
# **You are done when**
# - **places**: the places are right, for w of both signs;
# - **ascending**: they stand in ascending order, whatever the order of the units;
# - **each once**: where several units change the slope at one place, it is listed once;
# - **cancelled**: a place where the changes add up to 0 is not listed, nor one of units with v = 0 alone;
# - **w = 0**: units with w = 0 make no kink, and where there is none at all, the result has shape (0,);
# - **arguments kept**: the three tensors are as they were.

# %% exercise="5.1.4a"
def kinks(w, b, v):
    """Where the slope of sum_j v_j relu(w_j x + b_j) changes: three tensors (h,) -> (k,), ascending."""
    ### BEGIN SOLUTION
    used = w != 0
    places = -b[used] / w[used]
    changes = v[used] * w[used].abs()
    found = [place for place in sorted(set(places.tolist())) if changes[places == place].sum() != 0]
    return torch.tensor(found)
    ### END SOLUTION

# %% [markdown] hints="5.1.4a"
# 1. What are the place and the change of each single unit? (5.1.E)
# 2. Two units that change the slope at one place: add up their changes. A boolean mask `places == place` picks them. `sorted(set(...))` of a list has each number once, in order.
# 3. ReLU(x) - ReLU(-x): both bend at 0, the changes 1 and -1 add up to 0, and indeed the sum is x, without a kink.

# %% check="5.1.4a" points=3
from fractions import Fraction

def kinks_by_slopes(units):
    """The places at which the slopes on both sides, in exact arithmetic, differ."""
    units = [tuple(map(Fraction, unit)) for unit in units]
    places = sorted({-b / w for w, b, _ in units if w})
    if not places:
        return torch.zeros(0)
    between = [places[0] - 1, *((p + q) / 2 for p, q in zip(places, places[1:])), places[-1] + 1]
    slopes = [sum(v * w for w, b, v in units if w * x + b > 0) for x in between]
    return torch.tensor([float(p) for p, left, right in zip(places, slopes, slopes[1:]) if left != right])

def result_of_514a(units, of):
    """The answer for a list of units (w, b, v), with its type and number of axes looked at."""
    w_in, b_in, v_in = (torch.tensor(column, dtype=torch.float32) for column in zip(*units))
    what, result = f"kinks for the units (w, b, v) = {units}", kinks(w_in, b_in, v_in)
    assert_type(result, torch.Tensor, what, of=of)
    assert_equal(result.ndim, 1, f"the number of axes of the result of {what}", of=of, hint="The places stand along one axis: shape (k,), and (0,) where there is none.")
    return what, result

def cause_of_514a():
    """Whether changes at one place are added up, and with which sign those of w < 0 count, in words."""
    def listed(*units):
        return kinks(*(torch.tensor(column) for column in zip(*units))).tolist()

    if listed((1., -2., 1.), (1., -2., -1.)):
        return "ReLU(x - 2) - ReLU(x - 2) is 0 everywhere, and yours has a kink there: changes at one place are to be added up."
    if not listed((-1., 2., 3.)):
        return "3 ReLU(-x + 2) has a kink at 2, and yours has none: a unit with w < 0 makes one like any other."
    if not listed((1., -2., 1.), (1., -2., 3.)):
        return "ReLU(x - 2) + 3 ReLU(x - 2) has a kink at 2, and yours has none: where several units bend at one place, their changes are added up, and the place stays."
    if not listed((1., -2., 1.), (-1., 2., 1.)):
        return "ReLU(x - 2) + ReLU(-x + 2) goes down to 0 at x = 2 and up again, and yours has no kink there: where w < 0, the change is not v w, but -v w."
    if listed((1., -2., 1.), (-1., 2., -1.)):
        return "ReLU(x - 2) - ReLU(-x + 2) is x - 2, a straight line, and yours has a kink: where w < 0, the change is not v w, but -v w."
    if not listed((2., -4., 1.), (1., -2., -1.)):
        return ("ReLU(2x - 4) - ReLU(x - 2) is ReLU(x - 2), and yours has no kink at 2: the changes are v |w|, 2 and -1; "
                "v alone would add up to 0.")
    return ""

def test_of_514a(units, of, hint):
    what, result = result_of_514a(units, of)
    right = kinks_by_slopes(units)
    assert_true(not (result.tolist() == [0.] and not len(right) and all(b for w, b, _ in units if w)), f"where there is no kink at all, {what} is empty, of shape (0,)", of="w = 0", hint="0 is a place like any other, not a word for none.")
    if len(set(result.tolist())) < len(result):
        hint = "A place stands there more than once" + (": 0.0 and -0.0 are the same number." if 0. in result.tolist() else f". {hint}")
    elif of in ("cancelled", "each once"):
        hint = (hint, cause_of_514a)
    assert_shape(result, tuple(right.shape), f"the shape of {what}", of=of, hint=hint)
    assert_close(result.float(), right, what, of=of, hint=hint)

def places_of_514a(units):
    """The right places in any order."""
    what, result = result_of_514a(units, "places")
    right = kinks_by_slopes(units)
    assert_shape(result, tuple(right.shape), f"the shape of {what}", of="places", hint="Each of these units makes a kink of its own, "
                 + ("and the one at 0 is missing: a unit with b = 0 bends at 0." if set(right.tolist()) - set(result.tolist()) == {0.} else
                    "whether the slope grows there or falls."))
    assert_close(result.float().sort().values, right, what + ", sorted", of="places", mistakes={"The sign is wrong: put the place into wx + b.": (-right).sort().values}, hint="The place of a unit is where wx + b = 0, and is not rounded.")

places_of_514a([(1, 0, 1), (1, -1, -2), (1, -2, 1)])
places_of_514a([(-2, -3, 1), (4, 1, 2), (-0.5, 1, 3)])
test_of_514a([(1, -3, 2), (2, 2, 1), (-1, 1, 5)], "ascending", "Sort the places.")
none_ = ""
try:
    kinks(torch.tensor([1., -1.]), torch.tensor([-2., 2.]), torch.tensor([1., -1.]))
except Exception as error_:
    none_ = str(error_) or "without a message"
assert_true(not none_, "kinks for the units (w, b, v) = [(1, -2, 1), (-1, 2, -1)] has a result; yours raised an error",
            of="w = 0", hint="f is x - 2 here, without a kink, so no place is left: return an empty tensor, torch.tensor([]). "
            f"(The error: {none_})")
test_of_514a([(1, -1, 1), (2, -2, 3), (-4, 4, 1), (1, -3, 2)], "each once", "Three of the units bend at x = 1: their changes v |w| are 1, 6 and 4, so the slope changes by 11 there.")
test_of_514a([(1, -2, 1), (-1, 2, -1)], "cancelled", "Both units bend at 2, and f goes straight through: add up the changes, which are v |w|.")
test_of_514a([(1, 0, 1), (-1, 0, -1)], "cancelled", "Both units bend at 0, and f goes straight through: add up the changes, which are v |w|.")
test_of_514a([(1, -1, 2), (-2, 2, -1), (1, 3, 1)], "cancelled", "At x = 1 the change is 2 · 1 - 1 · 2 = 0.")
test_of_514a([(1, -1, 2), (-2, 2, 1), (1, 3, 1)], "each once", "At x = 1 the change is 2 · 1 + 1 · 2 = 4: with w < 0 the slope grows by v |w|.")
test_of_514a([(1, -1, 1), (2, -2, -1), (1, 3, 1)], "each once", "At x = 1 the change is 1 · 1 - 1 · 2 = -1, which is not 0.")
test_of_514a([(1, -1, 2), (1, 3, 1), (-2, 2, -1)], "cancelled", "The first and the last unit bend at x = 1, and their changes add up to 0, whatever stands between them.")
test_of_514a([(0.25, 1, 1), (1, 3, 1)], "places", "The first unit changes the slope by 0.25: small, but a kink.")
test_of_514a([(16, -3, 1), (4, -1, 1), (8, -1, 1)], "each once", "0.1875 and 0.25 are near to each other, but two places.")
test_of_514a([(1, -1, 1), (1, 4, 0)], "cancelled", "A unit with v = 0 is not used.")
test_of_514a([(1, -1, 1), (0, 3, 2), (0, 0, 1)], "w = 0", "A unit with w = 0 is constant; -b / w would be infinite or nan.")
test_of_514a([(0, 3, 2)], "w = 0", "No kink: an empty tensor of one axis.")
test_of_514a([unit for v in (1, 2, 3, 4) for unit in ((0, 0, v), (1, v, 1), (0, 0, -v), (1, -v, 2))], "w = 0", "Half of these units have w = 0 and b = 0: 0 / 0 is nan, and sorted() leaves a list in disorder where nan stands in it. Take the units with w = 0 out first.")

@probe
def units_after(w_in, b_in, v_in):
    kinks(w_in, b_in, v_in)
    return w_in, b_in, v_in

def kept_of_514a(units):
    columns = [torch.tensor(column, dtype=torch.float32) for column in zip(*units)]
    for name, before, after in zip("wbv", columns, units_after(*(column.clone() for column in columns))):
        assert_close(after, before, f"{name} after kinks for the units (w, b, v) = {units}", of="arguments kept", hint=f"`{name}[...] = ...` writes into the caller's tensor.")

kept_of_514a([(2, 4, -1), (0, 3, 2), (-1, 1, 5)])
### BEGIN HIDDEN TESTS
test_of_514a([(4, 8, 1), (0.125, -3, 1), (-2, -4, -2), (1, 0, 3)], "cancelled", "Add up the changes at one place, wherever the units stand.")
test_of_514a([(0.0625, 1, 1), (64, 3, 1), (-32, -1, 1)], "places", "Any change that is not 0 makes a kink, however small.")
places_of_514a([(0.25, 1, -3), (-8, 2, 1), (2, 5, 2), (-1, 6, -4)])
test_of_514a([(4, -1, -1), (2, 6, 1), (-1, -2, 2), (8, 4, 3), (0.5, 3, -2)], "ascending", "Sort the places.")
test_of_514a([(-1, 2, 1), (2, -4, 1), (4, -8, -2), (1, 1, 1)], "each once", "Several units bend at one place.")
test_of_514a([(2, 4, 3), (-4, -8, 1), (1, 2, 2), (1, 0, 1)], "each once", "Several units bend at one place.")
test_of_514a([(1, 5, 4), (-2, -10, -1), (-2, -10, -1), (4, 2, 0), (1, -2, 1)], "cancelled", "Add up the changes at one place.")
test_of_514a([(0, 0, 1), (0, -3, 2), (-2, 3, 1)], "w = 0", "Units with w = 0 are constant.")
test_of_514a([(0, 1, 1), (0, -1, 4)], "w = 0", "No kink: an empty tensor of one axis.")
test_of_514a([unit for v in (2, 3, 5, 6, 7) for unit in ((0, 0, v), (2, 2 * v, -1), (0, 0, -v), (0, 0, 1), (-1, v, 1))], "w = 0", "0 / 0 is nan, and sorted() leaves a list in disorder where nan stands in it.")
rng = torch.Generator().manual_seed(515)
powers, whole = [0., 1., -1., 2., -2., 4., -4., 0.5, -0.5], lambda low, high: torch.randint(low, high, (12,), generator=rng).tolist()
test_of_514a([(powers[i], b, v) for i, b, v in zip(whole(0, 9), whole(-4, 5), whole(-4, 5))], "cancelled", "")
kept_of_514a([(-1, 3, 0), (0, 1, 1), (4, 4, 2), (1, -2, 1)])
### END HIDDEN TESTS

# %% [markdown] teaches="folding by depth"
# ## 8. Depth folds
#
# With h units, one hidden layer makes h kinks and h + 1 pieces at most. What does a second layer do? Think of a strip of paper. Fold it in the middle, cut a corner, unfold: the cut occurs twice. Whatever the later layers draw is drawn on both halves.
#
# The function that folds the interval [0, 1] is the **tent**: T(x) = 2x up to x = 1/2, from there 2 - 2x. It goes up and down once. Applied to its own output, it goes up and down twice, then four times:

# %% tags=["demo"] teaches="folding by depth"
x_axis = torch.linspace(0, 1, 513)
folded, figure = x_axis, plt.figure(figsize=(8, 2.4), layout="constrained")
for k in range(1, 7):
    folded = torch.where(folded <= 0.5, 2 * folded, 2 - 2 * folded)
    pieces_of_folded = 1 + int((folded.diff().diff().abs() > 1e-4).sum())
    print(f"k = {k}: {pieces_of_folded} pieces")
    if k in (1, 3, 6):
        panel = figure.add_subplot(1, 3, (1, 3, 6).index(k) + 1)
        panel.plot(x_axis, folded)
        panel.set(title=f"k = {k}", xlabel="x")
plt.show()

# %% [markdown]
# Each further T doubles the number of pieces: k folds make $2^k$. And a fold is cheap: T is a sum of ReLU units like those of lesson 7. A wide layer buys pieces one by one; a deep network multiplies them. That is the simplest answer to the question what depth is good for.

# %% [markdown] task="5.1.4b" kind="code" minutes=20 difficulty=4 needs="folding by depth, kink of a relu unit, product of layers"
# ### Depth multiplies pieces
#
# Write `sawtooth(k)` for k ≥ 1: a ReLU network with k hidden layers that computes the tent T applied k times. It returns the pair `(Ws, bs)` of two lists of tensors. Layer i maps `X` to `X @ Ws[i] + bs[i]`; there is a
# ReLU after each layer but the last. Input and output have one unit each.
#
# **You are done when**
# - **layers**: there are k + 1 matrices and k + 1 biases, whose shapes fit, with one input and one output;
# - **width**: no hidden layer has more than 4 units;
# - **one fold**: for k = 1 the output is T(x) for x in [0, 1];
# - **many folds**: for larger k it is T applied k times, for x in [0, 1].

# %% exercise="5.1.4b"
def sawtooth(k):
    """Weights and biases of a ReLU network, k hidden layers of at most 4 units, for the k-fold tent on [0, 1]."""
    ### BEGIN SOLUTION
    into, fold = torch.tensor([[1., 1.]]), torch.tensor([[2.], [-4.]])
    Ws = [into] + [fold @ into] * (k - 1) + [fold]
    bs = [torch.tensor([0., -0.5])] * k + [torch.zeros(1)]
    return Ws, bs
    ### END SOLUTION

# %% [markdown] hints="5.1.4b"
# 1. How do you write T on [0, 1] as a sum of two ReLU units? Where does its slope change, and by how much?
# 2. The linear map out of one hidden layer and the linear map into the next have no ReLU between them, so they
#    multiply out to one matrix, as in 5.1.1a.
# 3. |x| = ReLU(x) + ReLU(-x). Two of it in a row: from 1 to 2 units with (1, -1), from 2 to 2 with
#    [[1, -1], [1, -1]], from 2 to 1 with (1, 1).

# %% check="5.1.4b" points=3
def network_of_514b(k):
    """The answer for k, with everything but its values looked at."""
    network = sawtooth(k)
    assert_type(network, (tuple, list), f"sawtooth({k})", of="layers")
    problem, sizes = "", [1]
    if len(network) != 2 or not all(isinstance(things, (tuple, list)) for things in network):
        problem = "Two lists are wanted, the matrices and the biases."
    elif len(network[0]) != k + 1 or len(network[1]) != k + 1:
        problem = f"Yours has {len(network[0])} matrices and {len(network[1])} biases. " + ("Each fold has a hidden layer of its own, and a last layer makes the output." if max(map(len, network)) <= k else "Nothing stands between the map out of one hidden layer and the map into the next: multiply them out." if max(map(len, network)) == 2 * k else
                                                                                                         f"There {'is 1 hidden layer' if k == 1 else f'are {k} hidden layers'}, one for each fold, and a matrix more than hidden layers." if max(map(len, network)) > k + 1 else "Each matrix has its bias.")
    elif not all(isinstance(tensor, torch.Tensor) for things in network for tensor in things):
        problem = "An entry of the lists is no tensor."
    elif all(len(layer) == 2 and layer[0].ndim == 2 and layer[1].ndim == 1 for layer in network):
        problem = "These are pairs, a matrix and its bias for each layer. Two lists are wanted: all matrices, and all biases."
    else:
        for i, (W_i, b_i) in enumerate(zip(*network)):
            if not problem and (W_i.ndim != 2 or W_i.shape[0] != sizes[-1] or tuple(b_i.shape) != (W_i.shape[1],)):
                problem = f"Ws[{i}] has shape {tuple(W_i.shape)} and bs[{i}] {tuple(b_i.shape)}, and {sizes[-1]} unit{'s come' if sizes[-1] > 1 else ' comes'} in. A matrix has a row for each, and a bias one axis."
            sizes.append(W_i.shape[-1])
        if not problem and sizes[-1] != 1:
            problem = f"There is one output; yours has {sizes[-1]}."
    assert_true(not problem, f"sawtooth({k}) has {k + 1} matrices and {k + 1} biases whose shapes fit", of="layers", hint=problem)
    assert_true(max(sizes) <= 4, f"no hidden layer of sawtooth({k}) has more than 4 units; the largest has {max(sizes)}", of="width", hint="Fold again with each layer, in place of many kinks in one.")
    return network

def values_of_514b(k, of):
    x_in = torch.arange(4 * 2 ** k + 1, dtype=torch.float64) / (4 * 2 ** k)
    H, (Ws_out, bs_out) = x_in[:, None], network_of_514b(k)
    for i, (W_i, b_i) in enumerate(zip(Ws_out, bs_out)):
        H = H @ W_i.double() + b_i.double()
        H = H.clamp(min=0) if i < k else H
    tents = [x_in]
    for _ in range(k):
        tents.append(1 - (2 * tents[-1] - 1).abs())
    word, (into, start, out, last) = "", (tensor.double() for tensor in (Ws_out[0], bs_out[0], Ws_out[-1], bs_out[-1]))
    if k > 1 and into.shape[1] == out.shape[0] and torch.allclose(((x_in[:, None] @ into + start).clamp(min=0) @ out + last)[:, 0], tents[1], rtol=0, atol=1e-3):
        turned = all(W.shape == (len(out), len(out)) and torch.allclose(W.double(), (out @ into).T, rtol=1e-3, atol=1e-4)
                     for W in Ws_out[1:-1])
        product = all(W.shape == (len(out), len(out)) and torch.allclose(W.double(), out @ into, rtol=1e-3, atol=1e-4) for W in Ws_out[1:-1])
        word = "The first layer and the last make one fold, but between two folds "
        if product:
            word += "the biases are not right: the map out of a hidden layer and the map into the next have together a bias, too."
        else:
            word += ("a matrix is not the map out of one hidden layer times the map into the next, in this order" +
                     (", but the transpose of it" if turned else "") + ": with that product it would fold again.")
    seen = [round(H[i, 0].item(), 4) for i in (0, 4, 8)]
    if not word:
        top = f"{'T' if k == 1 else f'T applied {k} times'} is 0 at x = 0, 1 at x = 1/{2 ** k} and 0 at x = {f'1/{2 ** (k - 1)}' if k > 1 else 1}; yours is {seen[0]:g}, {seen[1]:g} and {seen[2]:g} there."
        word = top if max(abs(seen[0]), abs(seen[1] - 1), abs(seen[2])) > 1e-3 else "It is right at both ends and at the top, but not straight between them: a kink stands in the wrong place." if k == 1 else "The first tooth ends and peaks where it should: look further on."
    assert_close(H[:, 0], tents[k], f"T applied {k} time{'s' if k > 1 else ''}: the output of sawtooth({k}) at {len(x_in)} places from 0 to 1", of=of, atol=1e-3, rtol=0.,
                 mistakes={"The slope goes from 2 to -2, so it changes by -4.": torch.minimum(2 * x_in, torch.ones(len(x_in), dtype=torch.float64)),
                           "This rises all the way: the top is at x = 1/2.": 2 * x_in,
                           "From x = 1/2 on the slope is -2; here it is -1.": torch.minimum(2 * x_in, 1.5 - x_in)} if k == 1 else
                          {"It folds one time only, whatever k is.": tents[1]} | ({"It folds one time too few.": tents[k - 1]} if k > 2 else {}), hint=word)

values_of_514b(1, "one fold")
for k in (2, 3, 5):
    values_of_514b(k, "many folds")
### BEGIN HIDDEN TESTS
values_of_514b(1, "one fold")
for k in (4, 6, 9):
    values_of_514b(k, "many folds")
### END HIDDEN TESTS

# %% [markdown] teaches="factor of a layer, vanishing gradient"
# ## 9. Depth kills gradients
#
# Depth has a price, and it comes with the sigmoid. Look at the smallest deep network, a chain of layers with one unit each:
#
# $$a_0 = x, \qquad a_i = \sigma(w_i a_{i-1}), \quad i = 1, \dots, k .$$
#
# How much does the last output move if x moves? By the chain rule the derivative is a product, with one factor for each layer:
#
# $$\frac{d a_k}{d x} = \frac{d a_k}{d a_{k-1}} \cdots \frac{d a_2}{d a_1} \cdot \frac{d a_1}{d a_0}, \qquad \frac{d a_i}{d a_{i-1}} = w_i \, \sigma'(w_i a_{i-1}) .$$
#
# The second factor, σ', is at most 1/4. So with weights of size 1 or less each layer makes the derivative at least four times smaller. The gradient **vanishes** on its way back: the first layers get next to none of it, and learn next to nothing. Two layers with numbers, w = 2 and 1 at x = 0.5:

# %% teaches="factor of a layer"
x_start = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
a_first = torch.sigmoid(2 * x_start)
a_second = torch.sigmoid(1 * a_first)
a_second.backward()
print("outputs:", a_first.item(), a_second.item())
print("derivative by autograd:", x_start.grad.item())

# %% [markdown] task="5.1.F" kind="code" minutes=2 difficulty=1 core=true needs="factor of a layer, slope of the sigmoid"
# ### One factor
#
# Write `layer_factor(w, a)`: the derivative of σ(w a) with respect to `a`, the input of the layer. Both are numbers (Python floats), and so is the result, or a tensor of one entry.
#
# **You are done when**
# - **factor**: the derivative is right, for numbers of both signs.

# %% exercise="5.1.F"
def layer_factor(w, a):
    """The derivative of sigmoid(w a) with respect to a."""
    ### BEGIN SOLUTION
    s = torch.sigmoid(torch.tensor(w * a)).item()
    return w * s * (1 - s)
    ### END SOLUTION

# %% [markdown] hints="5.1.F"
# 1. What is the inner derivative, of w a with respect to a?
# 2. σ'(z) = σ(z) (1 - σ(z)), taken at z = w a. `torch.sigmoid` wants a tensor: `torch.tensor(number)`.
# 3. For tanh(3a) the derivative is 3 (1 - tanh²(3a)).

# %% check="5.1.F" points=1
def case_of_51F():
    """The first of some simple layers whose derivative the answer has wrong, in words."""
    for w, a, right, why in ((1., 0., 0.25, "σ(0) = 0.5, so σ'(0) = 0.5 · 0.5 = 0.25, and the inner derivative is 1"),
                             (4., 0., 1., "σ'(0) = 0.25 again, and the inner derivative is 4: 0.25 · 4 = 1"),
                             (-4., 0., -1., "σ'(0) = 0.25, and the inner derivative is -4: -1, for this output falls where a grows"),
                             (1., 3., 0.0451767, "σ(3) = 0.952574, so σ'(3) = 0.952574 · 0.047426 = 0.045177, and the inner derivative is 1"),
                             (1., -3., 0.0451767, "σ(-3) = 0.047426, so σ'(-3) = 0.047426 · 0.952574 = 0.045177, and the inner derivative is 1")):
        found = float(layer_factor(w, a))
        if abs(found - right) > 1e-5:
            return f"Try layer_factor({w:g}, {a:g}): {why}. Yours is {found:.6g}."
    return "For w = 2 and a = 0.5 it is taken at z = 1: σ(1) = 0.731059, σ'(1) = 0.196612, and 2 · 0.196612 = 0.393224."

def test_of_51F(w, a, right, hint=case_of_51F):
    s, s_a = (1 / (1 + 2.718281828459045 ** -z) for z in (w * a, a))
    answer = layer_factor(w, a)
    assert_type(answer, (int, float, torch.Tensor), f"layer_factor({w}, {a})", of="factor")
    assert_shape(torch.as_tensor(answer).reshape(-1), (1,), f"layer_factor({w}, {a}), one number", of="factor")
    assert_close(answer, right, f"layer_factor({w}, {a})", of="factor", rtol=1e-4, atol=1e-7,
                 mistakes={**({"The inner derivative, w, is missing.": right / w, "This is the derivative with respect to w.": right / w * a, "The inner derivative, w, is a factor; here it divides.": right / w / w} if w else {}),
                           "σ' is taken at w a, not at a.": w * s_a * (1 - s_a), "This is the output.": s,
                           **({"The sign of w stays: the derivative may be negative.": -right} if w < 0 else {}), "σ' is σ (1 - σ): a factor is missing.": w * s, "σ' is σ (1 - σ): this lacks σ.": w * (1 - s),
                           "σ' is σ (1 - σ), and σ is the output of the layer: this puts its input a in place of it.": w * a * (1 - a), "1/4 is the most that σ' can be, at 0: this layer is not there.": w / 4,
                           "σ' is taken at w a, not at w.": w / (2 + math.exp(w) + math.exp(-w)), **({"The two factors are multiplied, not added.": w + right / w} if w else {}), **({"The sign is wrong: σ rises, and so does σ(w a) for positive w.": -right} if w > 0 else {}),
                           "The factor is 1 - σ, where σ is the output of the layer; here it is 1 - a, with the input a.": w * s * (1 - a),
                           "This is the factor of a layer with ReLU, w or 0: this layer has a sigmoid.": w if w * a > 0 else 0.,
                           "This is the derivative of tanh(w a): the layer has a sigmoid.": w * (1 - math.tanh(w * a) ** 2),
                           "σ is taken at w a: here it is taken at a, and its output is multiplied by w.": w * (w * s_a) * (1 - w * s_a),
                           "The inner derivative, of w a with respect to a, is w, not w a.": right * a, "σ' is σ (1 - σ), not 1 - σ²: that is the form for tanh.": w * (1 - s * s), "σ' is σ (1 - σ): this has σ² in its place.": w * s * s,
                           "This takes the sigmoid of the sigmoid: σ' at z is s (1 - s) with s = σ(z).": w / (2 + math.exp(s) + math.exp(-s)), "The inner derivative, w, stands there once.": w * right},
                 hint="This is near the derivative, but not equal to it: a difference quotient is not exact, and nothing is rounded." if abs(float(answer) - right) < 0.08 * abs(right) else
                 (lambda: "The chain rule: the inner derivative, w, times σ' at z = w a, which is σ(z) (1 - σ(z)). " + hint()))

test_of_51F(2., 0.75, 0.29829290)
test_of_51F(-3., 0.4, -0.53368332)
test_of_51F(0.5, -1.5, 0.10894750)
### BEGIN HIDDEN TESTS
def hidden_of_51F(w, a):
    def right(w, a):
        return w / (2 + math.exp(w * a) + math.exp(-w * a))
    test_of_51F(w, a, right(w, a), lambda: where_they_part(layer_factor, right, w=w, a=a))

hidden_of_51F(-1.25, -2.)
hidden_of_51F(4., 0.75)
hidden_of_51F(0., 3.)
### END HIDDEN TESTS

# %% [markdown] task="5.1.7a" kind="code" minutes=10 difficulty=3 core=true needs="factor of a layer, slope of the sigmoid, vanishing gradient"
# ### The gradient of a chain
#
# Write `chain_gradient(x, weights)`: the derivative of a_k with respect to x in the chain of the lesson, a number or a tensor of one entry, for a
# number `x` and a list `weights` of the numbers w₁, ..., w_k.
#
# **You are done when**
# - **one layer**: it is right for a single layer;
# - **several layers**: it is right for more, with weights of both signs or 0, however small the derivative is;
# - **no layer**: for an empty list it is 1, since a₀ = x;
# - **double precision**: it is computed in float64 (or Python's floats), with nine right digits.

# %% exercise="5.1.7a"
def chain_gradient(x, weights):
    """d a_k / dx for a_0 = x, a_i = sigmoid(w_i a_{i-1}), as a float."""
    ### BEGIN SOLUTION
    a, gradient = torch.tensor(x, dtype=torch.float64), 1.0
    for w in weights:
        a = torch.sigmoid(w * a)
        gradient = gradient * w * a * (1 - a)
    return float(gradient)
    ### END SOLUTION

# %% [markdown] hints="5.1.7a"
# 1. The chain rule gives a product. At which place is the σ' of layer i taken?
# 2. σ'(z) = σ(z) (1 - σ(z)), and σ(z) is the layer's output, which you need for the next layer anyway. `torch.tensor(x, dtype=torch.float64)` is in double precision.
# 3. For sin(2 sin(3x)): 3 cos(3x), times 2 cos(2 sin(3x)).

# %% check="5.1.7a" points=2
def outputs_of_517a(x, weights):
    """a_0, ..., a_k in Python's floats."""
    outputs = [x]
    for w in weights:
        outputs.append(1 / (1 + math.exp(-w * outputs[-1])))
    return outputs

def product_of_517a(weights, outputs):
    return math.prod(w / (2 + math.exp(w * a) + math.exp(-w * a)) for w, a in zip(weights, outputs))

def shorter_of_517a(x, weights):
    """How many layers of the chain are right, in words."""
    right = [abs(float(chain_gradient(x, weights[:i])) - product_of_517a(weights[:i], outputs_of_517a(x, weights))) < 1e-4 * abs(product_of_517a(weights[:i], outputs_of_517a(x, weights))) for i in range(1, len(weights))]
    return "" if not right else " For the first of these weights alone yours is not right, either." if not right[0] else \
        f" For the first weight{'' if len(right) == 1 else f' and for the first {len(right)}'} alone yours is right: look at the factor of the last one." if all(right) else f" For the first {right.index(False)} of these weights alone yours is right, for the first {right.index(False) + 1} it is not."

def near_517a():
    """What an answer near the derivative, but not equal to it, makes of two single weights."""
    cut, steepest = float(chain_gradient(0.6, [0.0])), float(chain_gradient(0.0, [1.0]))
    if cut != 0:
        return f"For x = 0.6 and the single weight 0 the derivative is 0, and yours is {cut:.3g}: nothing is added to a factor, however small it is."
    if steepest != 0.25:
        return "This is near the derivative, but has few right digits, as the difference of two numbers near each other has. Multiply the factors of the layers."
    return "This is near the derivative, but has few right digits. Python's floats are in double precision; torch.tensor(x) alone is float32."

def test_of_517a(x, weights, of, rtol=1e-4):
    right, backwards = product_of_517a(weights, outputs_of_517a(x, weights)), list(reversed(weights))
    answer = chain_gradient(x, list(weights))
    assert_type(answer, (int, float, torch.Tensor), f"chain_gradient({x}, {weights})", of=of)
    assert_shape(torch.as_tensor(answer).reshape(-1), (1,), f"chain_gradient({x}, {weights}), one number", of=of)
    assert_close(float(answer), right, f"chain_gradient({x}, {weights})", of=of, rtol=rtol, atol=0.,
                 mistakes={} if of in ("no layer", "double precision") else {"The weights are factors of the derivative, too.": right / math.prod(weights), "σ' of a layer is taken at the input of that layer, not at x.": product_of_517a(weights, [x] * len(weights)),
                           "The first weight belongs to the first layer.": product_of_517a(backwards, outputs_of_517a(x, backwards)),
                           "This is the last layer's factor: multiply the factors of all layers.": product_of_517a(weights[-1:], outputs_of_517a(x, weights)[-2:-1]),
                           **({"The layer's own factor is missing: this is the derivative without a layer.": 1.} if len(weights) == 1 else {"The last layer's factor is missing.": product_of_517a(weights[:-1], outputs_of_517a(x, weights)), "The first layer's factor is missing.": product_of_517a(weights[1:], outputs_of_517a(x, weights)[1:])} if len(weights) > 2 else
                              {"This is the first layer's factor alone: multiply the factors of all layers.": product_of_517a(weights[:-1], outputs_of_517a(x, weights))}),
                           **({"This is x times the derivative: neither the input x nor what enters the layer is a factor.": right * x} if len(weights) == 1 and x not in (0, 1) else
                              {"The inner derivative, of w a with respect to a, is w, not w a.": math.prod(w * a * a_next * (1 - a_next) for w, a, a_next in zip(weights, outputs_of_517a(x, weights), outputs_of_517a(x, weights)[1:])),
                               "This is x times the derivative: the product of the factors begins with 1.": right * x} if x not in (0, 1) else {}),
                           "σ' is σ (1 - σ): the factor 1 - σ is missing in each layer.": math.prod(w * a for w, a in zip(weights, outputs_of_517a(x, weights)[1:])), "σ' is σ (1 - σ): the factor σ is missing in each layer.": math.prod(w * (1 - a) for w, a in zip(weights, outputs_of_517a(x, weights)[1:])),
                           "This is the output a_k, not its derivative.": outputs_of_517a(x, weights)[-1],
                           "The factors of the layers are multiplied, not added.": sum(product_of_517a([w], [a]) for w, a in zip(weights, outputs_of_517a(x, weights))),
                           **({"σ' is σ (1 - σ), and σ is the output of the layer: this puts its input in place of it.": math.prod(w * a * (1 - a) for w, a in zip(weights, outputs_of_517a(x, weights)))} if x not in (0, 1) else {}),
                           **({"This is the weight alone: σ' at w a is a factor, too.": weights[0]} if len(weights) == 1 else {"The last layer has a sigmoid, too: its factor is w σ'(w a); here it is w alone.": product_of_517a(weights[:-1], outputs_of_517a(x, weights)) * weights[-1]}),
                           **({"The sign of a weight stays: the derivative may be negative.": -right} if right < 0 else {}),
                           "σ' of a layer is taken at w a, where a enters it; this takes it at what comes out.": product_of_517a(weights, outputs_of_517a(x, weights)[1:]),
                           "σ' of a layer is taken at w a, not at a.": math.prod(w / (2 + math.exp(a) + math.exp(-a)) for w, a in zip(weights, outputs_of_517a(x, weights))),
                           **({"What enters a layer is the output of the layer before, with its σ: this goes on with w a.": product_of_517a(weights, [x * math.prod(weights[:i]) for i in range(len(weights))])} if 1 < len(weights) < 5 else {})},
                 hint=near_517a if of == "double precision" and abs(float(answer) / right - 1) < 0.01 else "Without a layer, a_k is x itself." if of == "no layer" else "The derivative is tiny, but it is not 0." if float(answer) == 0 and abs(right) < 1e-6 else
                 (lambda: near_517a() if abs(float(answer) / right - 1) < 0.1 else "One factor w σ'(w a) for each layer, with the a that enters it." + shorter_of_517a(x, weights)))

assert_close(chain_gradient(0.3, []), 1.0, "chain_gradient(0.3, [])", of="no layer", hint="Without a layer, a_k is x itself.")
test_of_517a(0.5, [-3.0], "one layer")
test_of_517a(0.0, [1.0], "one layer")
test_of_517a(0.5, [2.0, 1.5], "several layers")
test_of_517a(-1.5, [0.5, -4.0, 2.5], "several layers")
test_of_517a(1.0, [2.0, -30.0], "several layers")
assert_close(float(chain_gradient(0.6, [2.0, 0.0, -1.5])), 0.0, "chain_gradient(0.6, [2.0, 0.0, -1.5])", of="several layers", atol=1e-12, hint="A weight of 0 cuts the chain: its factor is 0.")
test_of_517a(0.7, [2.0, -1.5, 0.5, 2.5, 1.5], "double precision", rtol=1e-9)
test_of_517a(1.0, [0.5] * 11 + [-0.75], "several layers")
### BEGIN HIDDEN TESTS
assert_close(chain_gradient(-4.0, []), 1.0, "chain_gradient for no layer, another x", of="no layer")
test_of_517a(-0.8, [2.5], "one layer")
test_of_517a(0.8, [1.5, -40.0, 0.5], "several layers")
for start, layers in ((0.7, 3), (-1.3, 6), (-0.2, 12)):
    test_of_517a(start, (3 * torch.randn(layers, generator=torch.Generator().manual_seed(layers), dtype=torch.float64)).tolist(), "several layers")
test_of_517a(-0.4, [1.3, 0.6, -2.2, 1.1, 0.8, 0.9], "double precision", rtol=1e-9)
### END HIDDEN TESTS

# %% [markdown]
# How fast does it go? Chains with all weights equal, at x = 1:

# %% tags=["demo"] teaches="vanishing gradient"
depths = list(range(1, 31))
figure, axis = plt.subplots(figsize=(6.5, 3.4), layout="constrained")
for weight, style in ((1., "-"), (4., "--"), (10., "-.")):
    decay = []
    for depth in depths:
        start = torch.tensor(1., dtype=torch.float64, requires_grad=True)
        a = start
        for _ in range(depth):
            a = torch.sigmoid(weight * a)
        a.backward()
        decay.append(start.grad.item())
    axis.plot(depths, decay, style, label=f"sigmoid, w = {weight:g}")
    print(f"w = {weight:g}: after 1 layer {decay[0]:.2g}, after 10 layers {decay[9]:.2g}, after 30 layers {decay[29]:.2g}")
axis.plot(depths, [1.] * 30, color="black", label="ReLU, w = 1")
axis.set(xlabel="layers", ylabel="derivative", yscale="log")
figure.legend(loc="outside right center")
plt.show()

# %% [markdown]
# The axis is logarithmic, so a straight line is a constant factor per layer. Larger positive weights do not help: with w = 4 and w = 10 the factor 1/4 could be made good, but the larger z saturates the units, and σ' is far below 1/4 there. A ReLU with a
# positive input and w = 1 has the factor 1 in each layer. This is one reason why ReLU took the sigmoid's place in hidden layers.

# %% [markdown] task="5.1.7b" kind="answer" minutes=8 difficulty=2 needs="vanishing gradient, saturation, factor of a layer"
# ### Two ways to lose a gradient
#
# A gradient vanishes because there are many layers, or because a single unit is far out on the flat part of σ.
#
# Hand in two lists of weights for the chain above, at x = 1, for each of which the derivative is smaller than one
# millionth in size. (Your 5.1.7a computes it.)
#
# **You are done when**
# - **depth**: `by_depth` has at most 12 weights, each of size 0.5 to 1, positive or negative;
# - **small by depth**: the derivative of `by_depth` is below one millionth in size;
# - **saturation**: `by_saturation` has one or two weights, each of size at most 40, and none is 0, which would cut the chain;
# - **small by saturation**: the derivative of `by_saturation` is below one millionth in size, and a unit is saturated: the w a that enters its σ is beyond 10 in size.

# %% exercise="5.1.7b"
### BEGIN SOLUTION
by_depth = [1.0] * 12
by_saturation = [25.0]
### END SOLUTION

# %% [markdown] hints="5.1.7b"
# 1. How small is a factor w σ'(...) at most, if |w| ≤ 1? How often does it take that to get to 10⁻⁶?
# 2. (1/4)¹⁰ is just below 10⁻⁶. For a single layer, the factor is w σ'(w), and σ'(w) is about exp(-|w|).
# 3. With tanh, one layer with w = 10 at x = 1: 10 (1 - tanh²(10)) is about 8 · 10⁻⁸.

# %% check="5.1.7b" points=2
def list_of_517b(weights, name, of):
    """The list as Python's floats, after a look at what it is."""
    assert_type(weights, (list, tuple, torch.Tensor), name, of=of)
    assert_true(len(weights) >= 1, f"{name} has at least one weight", of=of)
    for weight in weights:
        assert_type(weight, (int, float, torch.Tensor), f"a weight in {name}", of=of)
    return [float(weight) for weight in weights]

def size_of_517b(weights):
    """The size of the derivative at x = 1, without rounding it to 0."""
    a, product = 1.0, 1.0
    for w in weights:
        product, a = product * abs(w) / (2 + math.exp(w * a) + math.exp(-w * a)), 1 / (1 + math.exp(-w * a))
    return product

def depth_of_517b():
    weights = list_of_517b(by_depth, "by_depth", "depth")
    assert_true(len(weights) <= 12, f"by_depth has at most 12 weights; yours has {len(weights)}", of="depth")
    outside = [w for w in weights if not 0.5 <= abs(w) <= 1]
    assert_true(not outside, "each weight in by_depth has a size from 0.5 to 1" + (f"; yours has {outside[0]:g}" if outside else ""), of="depth", hint="Here many layers make the derivative small, not a single weight.")
    assert_true(size_of_517b(weights) < 1e-6, f"the derivative of by_depth is below one millionth in size; yours is {size_of_517b(weights):.3g}", of="small by depth", hint="Each layer gives a factor of at most 1/4: are there enough of them?")

def saturation_of_517b():
    weights = list_of_517b(by_saturation, "by_saturation", "saturation")
    assert_true(len(weights) <= 2, f"by_saturation has one or two weights; yours has {len(weights)}", of="saturation")
    outside = [w for w in weights if not 0 < abs(w) <= 40]
    assert_true(not outside, "each weight in by_saturation has a size of at most 40 and is not 0" + (f"; yours has {outside[0]:g}" if outside else ""), of="saturation", hint="A weight of 0 cuts the chain; a tiny one is no saturation either." if 0. in weights else "")
    assert_true(size_of_517b(weights) < 1e-6, f"the derivative of by_saturation is below one millionth in size; yours is {size_of_517b(weights):.3g}", of="small by saturation", hint="A unit of yours is saturated, but its factor w σ'(w a) is not small enough yet: go farther out." if max(abs(w * a) for w, a in zip(weights, outputs_of_517b(weights))) > 10 else "No unit is far enough out on the flat part of σ: σ' at w a is about exp(-|w a|) there.")
    largest = max(abs(w * a) for w, a in zip(weights, outputs_of_517b(weights)))
    assert_true(largest > 10, f"a unit of by_saturation is saturated: its w a is beyond 10 in size; the largest of yours is {largest:.6g}", of="small by saturation",
                hint="A small weight makes the derivative small, but no unit is on the flat part of σ." if min(map(abs, weights)) < 0.1 else "The derivative is small, but no unit is far enough out on the flat part of σ.")

def outputs_of_517b(weights):
    """What enters each layer, at x = 1."""
    a, entering = 1.0, []
    for w in weights:
        entering, a = [*entering, a], 1 / (1 + math.exp(-w * a))
    return entering

given_517b = by_depth                  # without any answer the check says so, and stops here
with part(0.5, "by depth"):
    depth_of_517b()
with part(0.5, "by saturation"):
    saturation_of_517b()
### BEGIN HIDDEN TESTS
with part(0.5, "by depth, again"):
    depth_of_517b()
with part(0.5, "by saturation, again"):
    saturation_of_517b()
total()
### END HIDDEN TESTS

# %% [markdown] teaches="activation function of a whole batch"
# ## 10. An activation function that looks at the whole batch
#
# Every function so far acts on each entry by itself. This one does not: it gives each column of a batch mean 0 and
# standard deviation 1. (Batch normalisation, of which you may have heard, begins like this.) At first sight that is attractive: nothing is ever saturated.

# %% tags=["setup"]
def batch_standardise(X):
    """Each column of X (n, d) with mean 0 and standard deviation 1; 1e-5 guards the division."""
    return (X - X.mean(dim=0)) / (X.std(dim=0, unbiased=False) + 1e-5)

# %% teaches="activation function of a whole batch"
batch_standardise(torch.tensor([[1., 10.], [2., 20.], [3., 60.]]))

# %% [markdown]
# (`unbiased=False` divides by n, not by n - 1.) The exercise finds out what is wrong with it.

# %% [markdown] task="5.1.6" kind="explain" minutes=15 difficulty=3 needs="activation function of a whole batch, activation function, standard deviation, gradient"
# ### One example, two answers
#
# First break it. Hand in `first` and `second`, two batches that share an example: their row 0 is equal. Yet this row comes out at the top of one batch and at the bottom of the other.
#
# Then explain in the second cell what goes wrong with such a function in a network: (1) what the prediction for an example
# depends on, (2) what happens with a batch of one example, (3) what happens at test time, and a remedy, (4) what
# it means for the gradient of an example's loss.
#
# **You are done when**
# - **batches**: `first` and `second` are tensors of floating point, of shape (n, 2) with 2 ≤ n ≤ 8 (n may differ), with entries from -10 to 10;
# - **same example**: row 0 of `first` equals row 0 of `second`;
# - **top**: in row 0 of `batch_standardise(first)` both entries are at least 1;
# - **bottom**: in row 0 of `batch_standardise(second)` both entries are at most -1;
#
# and your text has all four points.

# %% exercise="5.1.6"
### BEGIN SOLUTION
first = torch.tensor([[0., 0.], [-1., -1.], [-1., -1.]])
second = torch.tensor([[0., 0.], [1., 1.], [1., 1.]])
### END SOLUTION

# %% [markdown] written="5.1.6" points=4
# ### BEGIN SOLUTION
# The prediction for an example depends on the other examples that happen to be in its batch: in `first` and `second` the
# same row becomes positive once and negative once. The model is no longer a function of one input, and the random order
# of the batches adds noise.
#
# With one example the mean is the example itself: all outputs are 0, whatever the input. The layer forgets what it was given, and no gradient tells one input from another. (Without the guard in the divisor it
# would be 0 / 0, `nan`.)
#
# At test time there may be a single example, or batches that are put together otherwise (sorted by class, say), and the answers change with them. The usual
# remedy is to keep running averages of mean and deviation from training, and to use these as constants at test time;
# then training and test compute different functions, and the model needs a switch between them.
#
# The loss of one example depends on the inputs of all others of the batch, so its gradient runs through all of them, and
# the gradient of the batch is not the mean of the gradients that the examples have alone. Splitting a batch over devices or
# accumulating gradients over smaller batches changes the result.
#
# **Rubric**
# - [1] The output for an example depends on the rest of its batch, with two batches as evidence; also accepted: it is no function of one input; lost by "only the scale changes".
# - [1] A batch of one example gives zeros whatever the input is (or division by zero without the guard), so the input is lost; lost where only noise of small batches, or their speed, is named.
# - [1] Test time: the answer depends on the company, or there is only one example; and a remedy: running averages as constants, statistics of the training set, or normalising over the features of one example; lost by "nothing changes at test time", and without a remedy.
# - [1] Gradients couple the examples of a batch; also accepted: splitting the batch or accumulating gradients changes the result; lost by "the gradient is still the mean over the single examples".
# ### END SOLUTION

# %% [markdown] hints="5.1.6"
# 1. If all other rows are smaller than row 0, on which side of the mean does row 0 lie?
# 2. With two different values in a batch of two, the results are always 1 and -1 up to the 1e-5, so a little less than
#    1 in size. Three rows leave room.
# 3. In the batch 4, 1, 1, 1 the first number becomes about 1.73, in 4, 5, 4, 5 it becomes about -1.

# %% check="5.1.6" points=2
def batches_of_516():
    for name, batch in (("first", first), ("second", second)):
        assert_type(batch, torch.Tensor, name, of="batches")
        assert_true(batch.ndim == 2 and batch.shape[-1] == 2 and 2 <= batch.shape[0] <= 8, f"{name} has the shape (n, 2), with n from 2 to 8; yours is {tuple(batch.shape)}", of="batches")
        assert_true(batch.is_floating_point(), f"{name} holds floating point numbers", of="batches", hint="Integers have no mean in torch: write 4.0, not 4.")
        assert_true(bool((batch.abs() <= 10).all()), f"the entries of {name} are numbers from -10 to 10; the largest of yours in size is {batch.abs().max().item():g}", of="batches")
    assert_close(second[0].double(), first[0].double(), "row 0 of second, compared with row 0 of first", of="same example", rtol=0., atol=1e-6,
                 hint="The two batches share a row, but the shared example stands in row 0 of both." if bool((first.double()[:, None] == second.double()).all(dim=2).any()) else "Row 0 is the same example in both batches; the other rows are what differs.")

def row_of_516(batch):
    """Row 0 of the result, in float64."""
    X_in = batch.double()
    centre = X_in.sum(dim=0) / len(X_in)
    return ((X_in - centre)[0] / (((X_in - centre) ** 2).sum(dim=0).div(len(X_in)).sqrt() + 1e-5)).tolist()

def top_of_516():
    row = row_of_516(first)
    assert_true(min(row) >= 1, f"both entries of row 0 of batch_standardise(first) are at least 1; yours are {row[0]:.7f} and {row[1]:.7f}", of="top",
                hint=lambda: "Two rows give a little less than 1." if len(first) == 2 and min(row) > 0.9 else "Row 0 is at the bottom of first and at the top of second: the two batches are exchanged." if max(row) <= -1 and min(row_of_516(second)) >= 1 else "Row 0 must lie far above the mean, in both columns.")

def bottom_of_516():
    row = row_of_516(second)
    assert_true(max(row) <= -1, f"both entries of row 0 of batch_standardise(second) are at most -1; yours are {row[0]:.7f} and {row[1]:.7f}", of="bottom",
                hint=lambda: "Two rows give a little less than 1 in size." if len(second) == 2 and max(row) < -0.9 else "Row 0 is at the bottom of first and at the top of second: the two batches are exchanged." if min(row) >= 1 and max(row_of_516(first)) <= -1 else "Row 0 must lie far below the mean, in both columns.")

batches_of_516()
with part(0.5, "top"):
    top_of_516()
with part(0.5, "bottom"):
    bottom_of_516()
### BEGIN HIDDEN TESTS
batches_of_516()
with part(0.5, "top, again"):
    top_of_516()
with part(0.5, "bottom, again"):
    bottom_of_516()
total()
### END HIDDEN TESTS

# %% [markdown]
# ## Summary
#
# - A linear score changes by the same amount for each step, wherever and whatever else; so it cannot do XOR, nor tell a picture and its negative from the rest.
# - A hidden layer with an activation function makes new features, which are learnt; without that function all layers multiply out to one, and a narrow one only loses rank.
# - ReLU, sigmoid and tanh differ in their slopes: ReLU's is 0 or 1, the sigmoid's σ(1 - σ) at most 1/4, that of tanh at most 1; pReLU and Swish let something through on the left. Slopes are best computed from outputs: formulas with exp overflow.
# - A ReLU network is piecewise linear. Each unit of one hidden layer gives one kink, and enough of them follow any curve on an interval; depth multiplies the pieces.
# - The gradient through a chain of layers is a product of factors w σ'(wa). It vanishes by depth and by saturation. Section 5.2 builds and trains such networks on real pictures, 5.3 computes all their gradients, and 5.4 chooses starts with which they do not vanish.
