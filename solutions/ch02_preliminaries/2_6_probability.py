# %% [markdown]
# # 2.6 Probability and statistics
#
# Three questions. (1) Model A labels 91 of 100 test pictures correctly, model B 89: is A better? (2) A detector finds 95 of 100
# faulty welds. It goes off at one: is this weld faulty? (3) A loss is called the *negative log-likelihood*: the likelihood of what?
#
# A model never sees the world. It sees a few observations of it, and everything that we say about the rest is a
# conclusion from few to many. *Probability* goes one way: from a known mechanism to what it will produce.
# *Statistics* goes back: from what was produced to the mechanism. You need both in every later section.
#
# After this page you can draw samples from a distribution of your choice, read any probability you want off a joint table,
# turn a probability around with Bayes' theorem, measure centre and spread, write down the likelihood from which the losses
# of chapters 3 and 4 come, and put an error bar on an accuracy. The page answers the second question first, then the third, and
# the first one last.

# %% tags=["setup"]
from d2l_utils.check import *
import math
import torch

# %% [markdown] teaches="probability, sample, seed, random generator"
# ## Drawing samples
#
# How can a program, which always does the same, behave like a die?
#
# An experiment has one *outcome* out of a list. Each outcome has a **probability**: a number between 0 and 1, which says in
# which share of very many repetitions it comes up. Over the whole list they add up to 1. A fair die gives each of its six
# faces 1/6. One draw is a **sample** of size 1; n draws are a sample of size n.
#
# A *random generator* produces numbers that look as if they were drawn by chance, but follow from a starting number, the
# *seed*. The same seed gives the same numbers again, so an experiment can be repeated exactly. `torch.multinomial` draws
# outcomes 0, 1, 2, ... with the probabilities in a tensor:

# %% teaches="sampling"
loaded = torch.tensor([0.1, 0.2, 0.3, 0.4])             # the probabilities of the outcomes 0, 1, 2, 3
generator = torch.Generator().manual_seed(7)
draws = torch.multinomial(loaded, 20, replacement=True, generator=generator)
print("draws:         ", draws.tolist())
print("how often each:", draws.bincount(minlength=4).tolist())
repeated = torch.multinomial(loaded, 20, replacement=True, generator=torch.Generator().manual_seed(7))
print("same seed, same draws:", torch.equal(draws, repeated))

# %% [markdown]
# Outcome 3 should come 8 times in 20; it came 9 times, and outcome 0 came 4 times in place of 2. Chance does that.
# `bincount` counts how often each whole number occurs.
#
# `replacement=True` puts each drawn outcome back before the next draw. Without it torch draws as from a hat, each outcome at
# most once, and 20 draws from four outcomes are an error:

# %% tags=["demo"]
try:
    torch.multinomial(loaded, 20)
except RuntimeError as error:
    print("RuntimeError:", error)

# %% [markdown]
# The other tool is `torch.rand`: numbers from 0 up to 1 (0 may come, 1 never does), every stretch as likely as it is long. So "below 0.3" happens with
# probability 0.3, which makes a coin of it. Give each experiment a generator of its own. Without one, torch uses
# a *global* generator that all code of the program shares, and a call somewhere else changes your numbers.

# %%
u = torch.rand(8, generator=generator)
print(u)
print(u < 0.3)                                          # a coin that shows heads with probability 0.3

# %% [markdown] task="2.6.A" kind="code" minutes=3 difficulty=1 core=true needs="probability, sample, sampling, seed, random generator"
# ### A loaded die
#
# Write `rolls(p, n, seed)`. `p` is a float tensor of shape (k,), the probabilities of the faces 0 to k - 1, which add up to 1.
# Return n independent rolls of this die as a tensor.
#
# **You are done when**
# - **shape**: the result has shape `(n,)` and dtype int64, for n smaller than k and larger;
# - **distribution**: each roll is face i with probability `p[i]`, whatever the other rolls were (so in n rolls the number of
#   a face is not fixed: it varies from seed to seed);
# - **seed**: the same seed gives the same rolls again, another seed gives others;
# - **own generator**: torch's global generator goes on as if `rolls` had not been called.

# %% exercise="2.6.A"
def rolls(p, n, seed):
    """n independent draws of 0..k-1 with probabilities p (k,), all randomness from seed: int64 (n,)."""
    ### BEGIN SOLUTION
    generator = torch.Generator().manual_seed(seed)
    return torch.multinomial(p, n, replacement=True, generator=generator)
    ### END SOLUTION

# %% [markdown] hints="2.6.A"
# 1. Which call above draws outcomes with given probabilities, and which argument lets it draw the same outcome twice?
# 2. `torch.manual_seed(seed)` sets the global generator. A generator of your own is made by `torch.Generator()`.
# 3. Three numbers between 0 and 1 from a generator of their own: `torch.rand(3, generator=torch.Generator().manual_seed(5))`.

# %% check="2.6.A" points=1
def which_faces(rolled, p):
    try:
        counts = rolled.bincount(minlength=len(p))
        off = [(counts / len(rolled) - p)[i].abs().item() > 0.013 for i in range(len(p))]
        never = [i for i in range(len(p)) if p[i] > 0 and counts[i] == 0]
        if never:
            return f"Face {never[0]} never comes: every face whose probability is not 0 must be able to come."
        if not off[0]:
            return f"Face 0 comes as often as it must, face {off.index(True)} does not: look at how the faces after the first are told apart."
        return f"In your rolls the faces have the shares {', '.join(f'{count / len(rolled):.3f}' for count in counts.tolist())}: face i must come with probability `p[i]`."
    except Exception:
        return ""

die = torch.tensor([0.1, 0.2, 0.7])
assert_shape(rolls(die, 50, 1), (50,), "50 rolls of a die with 3 faces", of="shape",
             mistakes={"One roll is asked for each of the n: this has an entry for each face.": (3,),
                       "The 50 rolls were added up: what is left has an entry for each of the two bounds between the faces.":
                           (2,)},
             hint="The n rolls stand along one axis.")
assert_dtype(rolls(die, 50, 1), torch.int64, "the dtype of the rolls", of="shape",
             hint="Faces are whole numbers: `torch.multinomial` gives them as int64, and `.long()` makes them.")
many = rolls(die, 60_000, 2)
assert_true(0 <= int(many.min()) and int(many.max()) <= 2, "the faces of a die with 3 faces are 0, 1 and 2",
            of="distribution", hint=f"The smallest is {int(many.min())}, the largest {int(many.max())}.")
assert_close(many.bincount(minlength=3) / 60_000, die, "the shares of the faces in 60,000 rolls with p = (0.1, 0.2, 0.7)",
             of="distribution", rtol=0, atol=0.013,
             mistakes={"All faces are equally likely: is `p` used?": torch.full((3,), 1 / 3),
                       "You may have compared a number with each `p[i]` by itself: face i ends at the sum of `p` up to i.":
                           torch.tensor([0.1, 0.1, 0.8]),
                       "The largest of `p[i]` times a random number is face i too often where `p[i]` is large.":
                           torch.tensor([0.0238, 0.131, 0.8452])} |
                      {f"Every roll is face {face}, as where all are made from one random number: "
                       "each roll needs the next one of the generator.":
                          torch.eye(3)[face] for face in range(3)},
             hint=lambda: which_faces(many, die))
assert_close((many[1:] == many[:-1]).double().mean().item(), 0.54, "the share of rolls that equal the roll before them",
             of="distribution", rtol=0, atol=0.015, hint="One roll must not depend on another: is the order random?")
three, again, four = rolls(die, 50, 3), rolls(die, 50, 3), rolls(die, 50, 4)
assert_true(bool((three == again).all()), "a second call with seed 3 gives the same 50 rolls", of="seed",
            hint="All randomness must come from `seed`: is a generator made with it in each call, and given to what draws?")
assert_true(bool((three != four).any()), "seeds 3 and 4 give different rolls", of="seed",
            hint="They give the same 50 rolls: does `seed` reach the generator?")
assert_true(len({tuple(rolls(die, 50, seed_).tolist()) for seed_ in (3, 13, 103, 259, 1003)}) == 5, "the seeds 3, 13, 103, 259 and 1003 give five different samples",
            of="seed", hint="Is the whole number `seed` used, and not a part of it?")

@probe
def numbers_of_face(face, p, n, seeds):
    return torch.stack([(rolls(p, n, seed) == face).sum() for seed in range(seeds)])

assert_close(numbers_of_face(2, die, 60, 300).double().var().item(), 12.6,
             "the variance, over 300 seeds, of the number of faces 2 in 60 rolls with p = (0.1, 0.2, 0.7)", of="distribution", rtol=0.4, atol=0.0,
             mistakes={"Every seed gives the same number of each face: the rolls are shuffled, not drawn.": 0.0},
             hint="For independent rolls it is about 12.6. Is each roll drawn by itself?")
assert_close((numbers_of_face(2, die, 2, 400) == 2).double().mean().item(), 0.49,
             "the share of 400 seeds that give face 2 twice in 2 rolls, with p = (0.1, 0.2, 0.7)", of="distribution", rtol=0, atol=0.11,
             mistakes={"Both rolls may show the same face, however few rolls there are.": 0.0},
             hint="Each roll is face 2 with probability 0.7, whatever the other is: both are with 0.7 times 0.7.")

@probe
def global_number_after(p, n, seed):
    torch.manual_seed(11)
    torch.rand(1)
    rolls(p, n, seed)
    return torch.rand(1)

first_number, untouched = torch.rand(2, generator=torch.Generator().manual_seed(11)).split(1)
assert_close(global_number_after(die, 5, 3), untouched, "torch.rand(1) after torch.manual_seed(11), torch.rand(1) and a call of rolls",
             of="own generator", hint="`rolls` must make a generator of its own.",
             mistakes={"The global numbers have begun again from their seed. To set the old seed again does not put back how far they "
                       "had come.": first_number})
### BEGIN HIDDEN TESTS
die = torch.tensor([0.05, 0.25, 0.4, 0.3, 0.0])
assert_shape(rolls(die, 1, 5), (1,), "a single roll of a die with 5 faces", of="shape", hint="One roll stands along one axis, too.")
many = rolls(die, 80_000, 6)
assert_shape(many, (80_000,), "80,000 rolls of a die with 5 faces", of="shape", hint="The n rolls stand along one axis.")
assert_close(many.bincount(minlength=5) / 80_000, die, "the shares of 5 faces in 80,000 rolls", of="distribution",
             rtol=0, atol=0.012, hint=lambda: "A die has as many faces as `p` has entries. " + which_faces(many, die))
assert_close((many[1:] == many[:-1]).double().mean().item(), die.double().square().sum().item(),
             "the share of rolls that equal the roll before them", of="distribution", rtol=0, atol=0.015,
             hint="One roll must not depend on another.")
assert_close(numbers_of_face(1, die, 40, 300).double().var().item(), 7.5,
             "the variance, over 300 seeds, of the number of faces 1 in 40 rolls", of="distribution", rtol=0.4, atol=0.0,
             hint="The number of a face is not fixed, nor held near its expectation: each roll is drawn by itself.")
assert_close((numbers_of_face(2, die, 3, 400) >= 2).double().mean().item(), 0.352, "the share of 400 seeds that give face 2 at least twice in 3 rolls",
             of="distribution", rtol=0, atol=0.11, hint="A face may come again, however few rolls there are.")
sixty, again = rolls(die, 70, 60), rolls(die, 70, 60)
assert_true(bool((sixty == again).all()), "a second call with seed 60 gives the same 70 rolls", of="seed",
            hint="All randomness must come from `seed`.")
assert_true(len({tuple(rolls(die, 70, seed_).tolist()) for seed_ in (60, 61, 62, 0, 160, 10_060, 65_596)}) == 7, "seven seeds give seven samples", of="seed",
            hint="Is the whole number `seed` used, and not a part of it?")
assert_close(global_number_after(die, 9, 8), untouched, "the global generator after a call of rolls", of="own generator",
             hint="`rolls` must make a generator of its own.")
### END HIDDEN TESTS

# %% [markdown] teaches="law of large numbers"
# ## Shares settle
#
# Why may we call 0.3 "the" probability, when eight tosses show anything from 0 to 8 heads? Because the share of heads among n
# tosses settles as n grows. Eight coins with P(heads) = 0.3, ten thousand tosses each; after every toss the share so far.
# (`cumsum` adds up as it goes along: it makes 1, 1, 2, 3 of 1, 0, 1, 1. With `dim=1` it does so along each row.)

# %% tags=["demo"]
import matplotlib.pyplot as plt

generator = torch.Generator().manual_seed(1)
is_head = torch.rand(8, 10_000, generator=generator) < 0.3
so_far = torch.arange(1, 10_001)                        # the number of tosses so far
shares = is_head.cumsum(dim=1) / so_far                 # (8, 10000) / (10000,): a row for each coin

fig, ax = plt.subplots(figsize=(6, 3), layout="constrained")
ax.plot(so_far, shares.T, linewidth=1)
ax.axhline(0.3, color="black", linestyle="--")
ax.set(xscale="log", xlabel="number of tosses n", ylabel="share of heads so far", title="eight coins, P(heads) = 0.3")
plt.show()
print("after    10 tosses:", [f"{s:.2f}" for s in shares[:, 9]])
print("after 10000 tosses:", [f"{s:.3f}" for s in shares[:, -1]])

# %% [markdown]
# *What to see:* on the left anything goes; on the right all eight lines lie on the dashed one. This is the **law of large
# numbers**: the share of an outcome among n independent draws tends to its probability as n grows. (More generally the
# mean of n draws tends to a fixed number, the expectation, if it has one; more of that below.) It is why training on many
# examples can work at all.
#
# The law does not say that heads and tails even out. A coin has no memory, and never makes up for a run of heads. Look at
# the *number* of heads of 400 fair coins, and how far it is from n/2 on average:

# %%
generator = torch.Generator().manual_seed(2)
heads_so_far = (torch.rand(400, 10_000, generator=generator) < 0.5).cumsum(dim=1)
for n in (100, 1_000, 10_000):
    off = (heads_so_far[:, n - 1] - n / 2).abs().mean()
    print(f"n = {n:6}: the number is off by {off:5.1f}, the share by {off / n:.4f}")

# %% [markdown]
# A hundred times as many tosses: the number of heads is *farther* from n/2, by a factor of about 10, while the share is
# *nearer* to 1/2, by the same factor. Why it is 10 and not 100, the section on variance will show.

# %% [markdown] task="2.6.B" kind="code" minutes=2 difficulty=1 core=true needs="law of large numbers"
# ### The share so far
#
# Write `running_share(x)`. `x` is a tensor of shape (n,) that holds zeros and ones (or False and True); entry i of
# the result is the share of ones among the first i + 1 entries.
#
# **You are done when**
# - **shape**: the result has shape `(n,)`, for n = 1 too;
# - **values**: each entry is a share of the entries so far, not of all n;
# - **any dtype**: `x` may be bool, int64 or float32; the result is a floating point tensor.

# %% exercise="2.6.B"
def running_share(x):
    """Share of ones among the first 1, 2, ..., n entries: (n,) -> (n,), floating point."""
    ### BEGIN SOLUTION
    return x.cumsum(dim=0) / torch.arange(1, len(x) + 1)
    ### END SOLUTION

# %% [markdown] hints="2.6.B"
# 1. How many ones are there among the first 1, 2, 3, ... entries? The figure above needed the same.
# 2. `cumsum` adds up as it goes along; the number of entries so far is 1, 2, ..., n.
# 3. For 0, 1, 1 the numbers of ones are 0, 1, 2 and the shares 0/1, 1/2, 2/3.

# %% check="2.6.B" points=1
def where_off(shares, right):
    try:
        first = ((shares - right).abs() > 1e-4).nonzero()[0].item()
        return f"Entry {first} is the first one that is wrong; up to there yours is right. " if first > 0 else "Already entry 0 is wrong. "
    except Exception:
        return ""

tosses = torch.tensor([1., 1., 0., 0., 1.])
assert_type(running_share(tosses), torch.Tensor, "the shares for five tosses", of="shape", hint="Return a tensor: `torch.tensor` makes one of a list of numbers.")
assert_shape(running_share(tosses), (5,), "the shares for five tosses", of="shape",
             mistakes={"One share is missing: there is one after each toss, the first and the last included.": (4,),
                       "There is one share too many: before the first toss there is none.": (6,),
                       "This is a single share: one is asked for after each toss.": ()},
             hint="There is a share after each toss, and they stand along one axis.")
assert_shape(running_share(tosses[:1]), (1,), "the shares for a single toss", of="shape",
             hint="One toss has one share, and the result has one axis, also where it is of length 1.")
assert_close(running_share(tosses), torch.tensor([1., 1., 2 / 3, 1 / 2, 3 / 5]), "the shares for 1, 1, 0, 0, 1", of="values",
             mistakes={"Divide by the number of entries so far, not by all n.": torch.tensor([0.2, 0.4, 0.4, 0.4, 0.6]),
                       "The first entry is a share of 1 toss, not of 0: count from 1.": torch.tensor([math.inf, 2., 1., 2 / 3, 3 / 4]),
                       "The second entry is a share of 2 tosses, not of 1: divide by 1, 2, 3, and so on.": torch.tensor([1., 2., 1., 2 / 3, 3 / 4]),
                       "The first entry is a share of 1 toss, not of 2: count from 1.": torch.tensor([1 / 2, 2 / 3, 1 / 2, 2 / 5, 1 / 2]),
                       "`//` drops everything after the point: divide with `/`.": torch.tensor([1., 1., 0., 0., 0.]),
                       "Start at the first toss, not at the last.": torch.tensor([1., 1 / 2, 1 / 3, 1 / 2, 3 / 5]),
                       "Entry i is the share from toss i to the end here: asked is that from the first toss to toss i.":
                           torch.tensor([3 / 5, 1 / 2, 1 / 3, 1 / 2, 1.]),
                       "A new toss counts here as much as all before it together; they all count alike.":
                           torch.tensor([1., 1., 1 / 2, 1 / 4, 5 / 8]),
                       "Entry i counts the first i + 1 tosses: the toss at place i is one of them.": torch.tensor([0., 1 / 2, 2 / 3, 1 / 2, 2 / 5]),
                       "This is the share of zeros.": torch.tensor([0., 0., 1 / 3, 1 / 2, 2 / 5]),
                       "Divide by the number of entries so far, not by that of all ones.": torch.tensor([1 / 3, 2 / 3, 2 / 3, 2 / 3, 1.]),
                       "This is the share of all five tosses, at every place: entry i counts the first i + 1.": torch.full((5,), 3 / 5),
                       "This is the mean of the shares so far: each entry counts the tosses anew.": torch.tensor([1., 1., 8 / 9, 19 / 24, 113 / 150]),
                       "These are numbers of ones, not shares.": torch.tensor([1., 2., 2., 2., 3.])},
             hint=lambda: where_off(running_share(tosses), torch.tensor([1., 1., 2 / 3, 1 / 2, 3 / 5])) +
                          "The numbers of ones so far are 1, 2, 2, 2, 3; each is divided by its place, counted from 1, and not rounded.")
for dtype in (torch.bool, torch.int64):
    assert_type(running_share(tosses.to(dtype)), torch.Tensor, f"the shares for a tensor of dtype {dtype}", of="any dtype", hint="Return a tensor.")
    parts_ = running_share(tosses.to(dtype))
    assert_true(parts_.is_floating_point(), f"the result is floating point for {dtype}", of="any dtype",
                hint="Divide with `/`, and leave the quotients as they are: in a tensor with the dtype of `x` they are rounded.")
    assert_close(parts_, torch.tensor([1., 1., 2 / 3, 1 / 2, 3 / 5]), f"the shares for 1, 1, 0, 0, 1 as {dtype}", of="any dtype",
                 hint="The shares are the same as for float32; nothing is rounded.")
### BEGIN HIDDEN TESTS
coin = torch.rand(1217, generator=torch.Generator().manual_seed(61)) < 0.4
wanted = torch.tensor([coin[:i].double().mean() for i in range(1, 1218)])
assert_shape(running_share(coin.float()), (1217,), "the shares for 1,217 tosses", of="shape",
             hint="There is a share after each toss, and they stand along one axis.")
assert_close(running_share(coin.float()), wanted, "the shares for 1,217 tosses", of="values",
             hint=lambda: where_off(running_share(coin.float()), wanted) + "Entry i is the share among the first i + 1 tosses, however many there are.")
assert_close(running_share(torch.zeros(3)), torch.zeros(3), "the shares where no toss is 1", of="values", hint="It is the share of ones, whatever the first entry is.")
for dtype in (torch.bool, torch.int64):
    assert_close(running_share(coin.to(dtype)), wanted, f"the shares for 1,217 tosses as {dtype}", of="any dtype",
                 hint="The shares are the same as for float32; nothing is rounded.")
### END HIDDEN TESTS

# %% [markdown] teaches="sample space, event, complement, axioms of probability"
# ## Events
#
# Throw two dice. There are 36 outcomes, all equally likely. The set of all outcomes is the **sample space**, written $\Omega$. Usually
# we do not want one outcome but a statement: "the first die shows 6", "the sum is at least 10". Such a statement is an
# **event**: the set of outcomes for which it is true.
#
# What may be called a probability? Whatever obeys three rules, the **axioms of probability**:
#
# 1. $P(A) \ge 0$ for every event A.
# 2. $P(\Omega) = 1$: something happens.
# 3. If no two of the events $A_1, A_2, \dots$ have an outcome in common, $P(A_1 \cup A_2 \cup \cdots) = P(A_1) + P(A_2) + \cdots$.
#
# ($A \cup B$ reads "A or B": at least one happens. $A \cap B$ reads "A and B": both happen.) Everything else follows. The
# probability of an event is the sum of those of its outcomes; if all outcomes are equally likely, that is a matter of counting.
# The **complement** of A, "not A", shares nothing with A, and the two together are Ω, so $P(\text{not } A) = 1 - P(A)$.
#
# In code an event is a tensor of True and False, one entry for each outcome. `&` is "and", `|` is "or", `~` is "not", entry by
# entry. `torch.cartesian_prod(u, v)` lists all pairs of an entry of `u` and an entry of `v`:

# %%
faces = torch.arange(1, 7)
pairs = torch.cartesian_prod(faces, faces)              # (36, 2): all pairs of faces
first_die, S = pairs[:, 0], pairs.sum(dim=1)            # S: the sum of the two
A, B = first_die == 6, S >= 10                          # two events: True where the outcome belongs to it
print("outcomes in A, in B, in both, in at least one:", A.sum().item(), B.sum().item(), (A & B).sum().item(), (A | B).sum().item())
print("outcomes not in A:", (~A).sum().item(), "of", len(pairs))

# %% [markdown] teaches="random variable, distribution"
# The counts 6 + 6 - 3 = 9 show a rule that follows from the axioms:
#
# $$P(A \cup B) = P(A) + P(B) - P(A \cap B).$$
#
# What lies in both was counted twice, so it is taken off once.
#
# ### Random variables
#
# A **random variable** is a number that the outcome decides, such as the sum of the two dice. We write it with a capital
# letter, $S$, and its values with small ones, $s$. The probabilities $P(S = s)$ for all $s$ are its **distribution**.

# %%
print("P(S = s) times 36, for s = 0, 1, ..., 12:", S.bincount().tolist())

# %% tags=["demo"]
fig, ax = plt.subplots(figsize=(5, 2.6), layout="constrained")
ax.bar(range(2, 13), S.bincount()[2:] / 36)
ax.set(xlabel="s", ylabel="P(S = s)", title="sum of two dice", xticks=range(2, 13))
plt.show()

# %% [markdown]
# *What to see:* equally likely outcomes, but a distribution with a peak: six pairs add up to 7, only one to 12.

# %% [markdown] task="2.6.C" kind="code" minutes=3 difficulty=1 needs="random variable, distribution"
# ### The larger of two
#
# Two fair dice with k sides, 1 to k, are thrown. $M$ is the larger of the two numbers (their common value, where they are
# equal). Write `largest_of_two(k)`: the distribution of $M$.
#
# **You are done when**
# - **shape**: the result is a floating point tensor of shape `(k,)`;
# - **values**: entry i is $P(M = i + 1)$.

# %% exercise="2.6.C"
def largest_of_two(k):
    """P(M = 1), ..., P(M = k) for the larger M of two fair dice with k sides: (k,)."""
    ### BEGIN SOLUTION
    faces = torch.arange(1, k + 1)
    pairs = torch.cartesian_prod(faces, faces)
    return pairs.max(dim=1).values.bincount()[1:] / k ** 2
    ### END SOLUTION

# %% [markdown] hints="2.6.C"
# 1. For a die with 3 sides, write down the nine pairs, and under each the larger number. How often do 1, 2, 3 occur?
# 2. The pairs with $M = m$: both are at most m, but not both at most m - 1.
# 3. The *smaller* of two dice with 2 sides is 1 for three of the four pairs, so its distribution is 3/4, 1/4.

# %% check="2.6.C" points=1
def sum_of_chances(chances):
    try:
        total = chances.double().sum().item()
        if abs(total - 1) > 1e-4:
            return f"Your probabilities add up to {total:.4g}: they must make 1. "
        k = len(chances)
        if all(abs(chances[i].item() - (2 * i + 1) / k ** 2) < 0.01 for i in range(k)):
            return "Yours are near, but not the probabilities themselves: no pair is drawn, and nothing is rounded. "
        return "Your probabilities make 1, but are shared out in another way. "
    except Exception:
        return ""

assert_shape(largest_of_two(3), (3,), "the distribution for two dice with 3 sides", of="shape",
             mistakes={"`k` is the number of sides, here 3: this is for a die with 6.": (6,),
                       "These are four entries: the larger number is never 0, so the first entry belongs to 1, and the last to 3.": (4,),
                       "The larger of the two is asked, which is 1, 2 or 3: five values, 2 to 6, has the sum.": (5,),
                       "This has an entry for each of the nine pairs: how many of them have the larger number 1, how many 2, how many 3?": (9,),
                       "This has an entry for each of the nine pairs: how many of them have the larger number 1, 2 and 3?": (3, 3)},
             hint="The larger number is 1, 2 or 3: an entry for each.")
assert_close(largest_of_two(3), torch.tensor([1., 3., 5.]) / 9, "the distribution for two dice with 3 sides", of="values",
             mistakes={"This is the distribution of the smaller number.": torch.tensor([5., 3., 1.]) / 9,
                       "These are counts: divide by the number of pairs.": torch.tensor([1., 3., 5.]),
                       "This is P(M ≤ i + 1), not P(M = i + 1).": torch.tensor([1., 4., 9.]) / 9,
                       "Pairs of equal numbers count too.": torch.tensor([0., 1., 2.]) / 3,
                       "Pairs of equal numbers count too: (m, m) is one of the nine.": torch.tensor([0., 2., 4.]) / 9,
                       "(m, m) is one outcome: this counts it twice.": torch.tensor([2., 4., 6.]) / 9,
                       "The values of M are not equally likely: the nine pairs are.": torch.ones(3) / 3,
                       "Entry i belongs to the number i + 1, not to i.": torch.tensor([-1., 1., 3.]) / 9,
                       "Entry i is P(M = i) here, which begins with 0: it is to be P(M = i + 1).": torch.tensor([0., 1., 3.]) / 9,
                       "Each is two pairs too many: entry i belongs to the number i + 1, not to i + 2.":
                           torch.tensor([3., 5., 7.]) / 9,
                       "There are k · k pairs, here 9, not 36.": torch.tensor([1., 3., 5.]) / 36,
                       "There are k · k pairs, here 9, not 3: divide by k².": torch.tensor([1., 3., 5.]) / 3,
                       "Three of the nine pairs have the larger number 2: (1, 2), (2, 1) and (2, 2).": torch.tensor([1., 2., 3.]) / 9,
                       "(1, 2) and (2, 1) are two outcomes.": torch.tensor([1., 2., 3.]) / 6},
             hint=lambda: sum_of_chances(largest_of_two(3)) + "Two dice with 3 sides have nine pairs, all equally likely. In one of them "
                                  "the larger number is 1, in three it is 2, in five it is 3: count exactly.")
assert_close(largest_of_two(2), torch.tensor([1., 3.]) / 4, "the distribution for two dice with 2 sides", of="values",
             hint=lambda: sum_of_chances(largest_of_two(2)) + "Two dice with k sides have k · k pairs, here four, and in three of them the larger number is 2.")
### BEGIN HIDDEN TESTS
for k in (1, 2, 6, 11):
    larger = torch.tensor([max(i, j) for i in range(1, k + 1) for j in range(1, k + 1)])
    assert_shape(largest_of_two(k), (k,), f"the distribution for k = {k}", of="shape", hint="There is an entry for each number from 1 to k.")
    assert_close(largest_of_two(k), torch.stack([(larger == m).double().mean() for m in range(1, k + 1)]),
                 f"the distribution for k = {k}", of="values",
                 hint=lambda: sum_of_chances(largest_of_two(k)) + "Two dice with k sides have k · k pairs, all equally likely: count exactly.")
### END HIDDEN TESTS

# %% [markdown]
# Do $P(A)$ and $P(B)$ alone decide $P(A \cup B)$? Let chance pick a point between 0 and 1, and let each event be a stretch of
# this line. Here are stretches of length 0.5 and 0.3 in three positions:

# %% tags=["demo"]
fig, axes = plt.subplots(1, 3, figsize=(8, 1.8), layout="constrained")
for ax, start, title in zip(axes, (0.6, 0.35, 0.1), ("apart", "overlapping", "one inside the other")):
    ax.barh([1, 0], [0.5, 0.3], left=[0, start], color=["C0", "C1"])
    ax.set(xlim=(0, 1), yticks=[1, 0], yticklabels=["A", "B"], title=title)
plt.show()

# %% [markdown]
# *What to see:* the lengths never change, but what the two cover together does. It can be moved between a least and a greatest
# value, and no farther, because B cannot leave the line.

# %% [markdown] task="2.6.5a" kind="code" minutes=2 difficulty=2 needs="probability, event"
# ### At least one of two
#
# Write `union_bounds(p, q)`: for two events with $P(A) = p$ and $P(B) = q$, the smallest and the largest value that
# $P(A \cup B)$ can have, as a tuple `(low, high)` of two numbers.
#
# **You are done when**
# - **low**: the first number is the smallest possible value;
# - **high**: the second one is the largest possible value, for small and for large p and q.

# %% exercise="2.6.5a"
def union_bounds(p, q):
    """(low, high): the least and the greatest P(A or B) for P(A) = p, P(B) = q."""
    ### BEGIN SOLUTION
    return max(p, q), min(1, p + q)
    ### END SOLUTION

# %% [markdown] hints="2.6.5a"
# 1. In which of the three pictures do the two stretches cover least together, and in which most?
# 2. Together they cover at least as much as each one alone. And the line has length 1.
# 3. For $p = 0.9$ and $q = 0.3$ the two cannot be kept apart; the whole line can be covered, so the largest value is 1.

# %% check="2.6.5a" points=1
pair = union_bounds(0.5, 0.25)
assert_type(pair, (tuple, list), "what union_bounds returns", of="low", hint="Return both numbers, with a comma between them: `return low, high`.")
assert_equal(len(pair), 2, "how many numbers union_bounds returns", of="low", hint="Return two numbers: `return low, high`.")
assert_true(float(pair[0]) <= float(pair[1]), "the first number is not larger than the second, for p = 0.5, q = 0.25", of="low", hint="The order is (low, high).")
assert_close(pair[0], 0.5, "low for p = 0.5, q = 0.25", of="low", rtol=1e-5,
             mistakes={"One event may lie inside the other.": 0.75,
                       "All of A is covered, and all of B: it is at least as probable as the likelier one.": 0.25,
                       "These may be the bounds of P(A and B): asked are those of P(A or B)." if float(pair[1]) == 0.25 else
                       "Even where the two overlap most, they cover as much as the longer stretch.": 0.0,
                       "p + q - pq is one possible value, not the smallest.": 0.625},
             hint="Move the stretch of length 0.25 until the two cover as little as they can together.")
assert_close(pair[1], 0.75, "high for p = 0.5, q = 0.25", of="high", rtol=1e-5,
             mistakes={"p + q - pq is one possible value, not the largest.": 0.625, "It cannot be that much with p + q < 1.": 1.0},
             hint="Move the two apart, until they cover as much as they can together.")
assert_close(union_bounds(0.5, 0.75)[0], 0.75, "low for p = 0.5, q = 0.75", of="low", rtol=1e-5,
             mistakes={"This is p, 0.5: here q is larger, all of B is covered, and B alone has the probability 0.75.": 0.5},
             hint="Let the shorter stretch lie inside the longer one: together they cover as much as the longer one.")
assert_close(union_bounds(0.5, 0.75)[1], 1.0, "high for p = 0.5, q = 0.75", of="high", rtol=1e-5,
             mistakes={"A probability cannot be larger than 1.": 1.25,
                       "p + q - pq is one possible value, not the largest.": 0.875,
                       "p + q - 1 is what the two must share here: asked is what they can cover.": 0.25,
                       "The two stretches can be moved until they cover more than the longer one.": 0.75},
             hint="Stretches of 0.5 and 0.75 can be moved until they cover the whole line, of length 1.")
assert_close(union_bounds(0.375, 0.375)[0], 0.375, "low for p = 0.375, q = 0.375", of="low", rtol=1e-5,
             hint="Two stretches of equal length may lie one on the other: together they cover as much as one.")
assert_close(union_bounds(0.75, 0.125)[1], 0.875, "high for p = 0.75, q = 0.125", of="high", rtol=1e-5,
             hint="How much of the line can the two cover, if they overlap as little as they can?")
### BEGIN HIDDEN TESTS
for p_, q_ in ((0.3, 0.2), (0.9, 0.6), (0.0, 0.4), (1.0, 0.7), (0.05, 0.9), (0.4, 0.6), (0.8, 0.8), (0.15, 0.15), (0.95, 0.3)):
    pair = union_bounds(p_, q_)
    assert_close(pair[0], float(torch.tensor([p_, q_], dtype=torch.float64).max()), f"low for p = {p_}, q = {q_}", of="low", rtol=1e-5,
                 hint=("Here A is the longer one. " if p_ > q_ else "Here B is the longer one. " if q_ > p_ else "Here both are equally long. ") +
                      "Together they cover at least as much as the longer one, whichever that is.")
    assert_close(pair[1], 1.0 if p_ + q_ > 1 else p_ + q_, f"high for p = {p_}, q = {q_}", of="high", rtol=1e-5,
                 hint=("Here p + q is above 1: they cannot be kept apart. " if p_ + q_ > 1 else "Here p + q is not above 1: they can be kept apart. ") +
                      "How much of the line can the two cover, if they overlap as little as they can?")
### END HIDDEN TESTS

# %% [markdown] task="2.6.5b" kind="code" minutes=2 difficulty=2 needs="probability, event"
# ### Both of two
#
# Write `intersection_bounds(p, q)`: the same for $P(A \cap B)$, as a tuple `(low, high)` of two numbers.
#
# **You are done when**
# - **low**: the first number is the smallest possible value, for small and for large p and q;
# - **high**: the second one is the largest possible value.

# %% exercise="2.6.5b"
def intersection_bounds(p, q):
    """(low, high): the least and the greatest P(A and B) for P(A) = p, P(B) = q."""
    ### BEGIN SOLUTION
    return max(0, p + q - 1), min(p, q)
    ### END SOLUTION

# %% [markdown] hints="2.6.5b"
# 1. When can the two stretches be kept apart, and how much must they share when they cannot?
# 2. $P(A \cap B) = P(A) + P(B) - P(A \cup B)$: the overlap is smallest where the union is largest.
# 3. Of 10 seats, 8 are by a window or the aisle and 7 are free: at least 8 + 7 - 10 = 5 are both.

# %% check="2.6.5b" points=1
pair = intersection_bounds(0.5, 0.75)
turned = str(intersection_bounds(0.25, 0.125)).startswith("(0.625")          # 1 - p - q
assert_type(pair, (tuple, list), "what intersection_bounds returns", of="low", hint="Return both numbers, with a comma between them: `return low, high`.")
assert_equal(len(pair), 2, "how many numbers intersection_bounds returns", of="low", hint="Return two numbers: `return low, high`.")
assert_true(float(pair[0]) <= float(pair[1]), "the first number is not larger than the second, for p = 0.5, q = 0.75", of="low", hint="The order is (low, high).")
assert_close(pair[0], 0.25, "low for p = 0.5, q = 0.75", of="low", rtol=1e-5,
             mistakes={"Two stretches of 0.5 and 0.75 cannot be kept apart on a line of length 1"
                       f"{' (and the sign is turned: where p + q is above 1, they must share something).' if turned else '.'}": 0.0,
                       "p times q is one possible value, not the smallest.": 0.375,
                       "Can the two be moved so that they share less than this?": 0.5,
                       "These may be the bounds of P(A or B): asked are those of P(A and B)." if float(pair[1]) == 1.0 else
                       "Both cannot happen more often than A, which has probability 0.5.": 0.75},
             hint="Move the two apart as far as the line allows: they share what does not fit side by side.")
assert_close(pair[1], 0.5, "high for p = 0.5, q = 0.75", of="high", rtol=1e-5,
             mistakes={"Both happen at most as often as the rarer of the two.": 0.75,
                       "p times q is one possible value, not the largest.": 0.375,
                       "What the two share belongs to A, which has probability 0.5: the mean of p and q is too much.": 0.625},
             hint="What the two share belongs to each of them: at most it is the whole of the shorter one.")
assert_close(intersection_bounds(0.375, 0.125)[0], 0.0, "low for p = 0.375, q = 0.125", of="low", atol=1e-6,
             mistakes={"A probability cannot be negative.": -0.5,
                       "Where p + q - 1 is negative, the smallest value is 0, and not the size of p + q - 1.": 0.5,
                       "Two stretches of 0.375 and 0.125 can be kept apart; this is the difference of their lengths.": 0.25,
                       "The shorter stretch need not lie in the longer one: the two can be kept apart.": 0.125},
             hint="Two stretches of 0.375 and 0.125 fit side by side on a line of length 1: then they share nothing.")
assert_close(intersection_bounds(0.5, 0.25)[1], 0.25, "high for p = 0.5, q = 0.25", of="high", rtol=1e-5,
             mistakes={"Both happen at most as often as the rarer of the two, and here that is B.": 0.5},
             hint="What the two share belongs to each of them.")
assert_close(intersection_bounds(0.875, 0.25)[0], 0.125, "low for p = 0.875, q = 0.25", of="low", rtol=1e-5,
             mistakes={"Two stretches of 0.875 and 0.25 cannot be kept apart on a line of length 1.": 0.0},
             hint="Move the two apart as far as the line allows: they share what does not fit side by side.")
assert_close(intersection_bounds(0.875, 0.625)[0], 0.5, "low for p = 0.875, q = 0.625", of="low", rtol=1e-5,
             mistakes={"Two stretches of 0.875 and 0.625 cannot be kept apart on a line of length 1.": 0.0,
                       "So much of the line the longer stretch leaves free: they share what does not fit there.": 0.125,
                       "This is the difference of the two lengths: they share what does not fit side by side.": 0.25,
                       "p times q is one possible value, not the smallest.": 0.546875,
                       "The shorter stretch need not lie in the longer one: a part of it fits beside it.": 0.625},
             hint="Move the two apart as far as the line allows: they share what does not fit side by side.")
assert_close(intersection_bounds(0.375, 0.375)[1], 0.375, "high for p = 0.375, q = 0.375", of="high", rtol=1e-5,
             hint="Two stretches of equal length may lie one on the other.")
### BEGIN HIDDEN TESTS
for p_, q_ in ((0.3, 0.2), (0.9, 0.6), (0.0, 0.4), (1.0, 0.7), (0.05, 0.9), (0.4, 0.6), (0.8, 0.8), (0.15, 0.15), (0.95, 0.3)):
    pair = intersection_bounds(p_, q_)
    assert_close(pair[0], p_ + q_ - 1 if p_ + q_ > 1 else 0.0, f"low for p = {p_}, q = {q_}", of="low", rtol=1e-5, atol=1e-6,
                 hint=("Here p + q is above 1: they must share what of the shorter one does not fit beside the longer one. " if p_ + q_ > 1 else
                       "Here p + q is not above 1. ") + "How much must they share, if they overlap as little as they can?")
    assert_close(pair[1], float(torch.tensor([p_, q_], dtype=torch.float64).min()), f"high for p = {p_}, q = {q_}", of="high", rtol=1e-5,
                 hint="What the two share belongs to each of them, and it may be all of the shorter one.")
### END HIDDEN TESTS

# %% [markdown] teaches="joint probability, marginal probability, conditional probability"
# ## Two things at once: joint, marginal, conditional
#
# Is your train late because it snows? Somebody kept a list for 200 days: the weather (rows: sun, rain, snow), and whether
# the train was on time or late (columns). Divided by 200, the counts become **joint probabilities** $P(W = w, L = l)$: the
# probability that both hold. All entries together make 1.
#
# Sum each row, and you have the probabilities of the weather alone; sum each column, and you have those of the train. These
# are **marginal probabilities**; they used to be written in the margin of the table.

# %%
counts = torch.tensor([[96., 4.], [56., 24.], [6., 14.]])       # (3, 2): sun, rain, snow by on time, late
joint = counts / counts.sum()
weather, late = joint.sum(dim=1), joint.sum(dim=0)              # (3,) and (2,)
print("P(weather, train):\n", joint)
print("P(weather):", weather)
print("P(train):  ", late)

# %% [markdown]
# How likely is a late train *if it snows*? Keep the snow row, forget the rest, and rescale, so that the row makes 1 again:
# this is the **conditional probability**
#
# $$P(L = l \mid W = w) = \frac{P(W = w, L = l)}{P(W = w)},$$
#
# read "probability of $l$ given $w$". In code: divide each row by its sum. `keepdim=True` keeps the sums in shape (3, 1),
# so that they broadcast along the rows.

# %%
train_given_weather = joint / joint.sum(dim=1, keepdim=True)    # each row makes 1
weather_given_train = joint / joint.sum(dim=0, keepdim=True)    # each column makes 1
print("P(train | weather):\n", train_given_weather)
print("P(weather | train):\n", weather_given_train)

# %% tags=["demo"]
fig, ax = plt.subplots(figsize=(5, 3), layout="constrained")
start_at = weather.cumsum(dim=0) - weather              # 0, 0.5, 0.9: each column begins where the last one ends
ax.bar(start_at, train_given_weather[:, 1], width=weather, align="edge", edgecolor="white", label="late")
ax.bar(start_at, train_given_weather[:, 0], width=weather, align="edge", edgecolor="white",
       bottom=train_given_weather[:, 1], color="lightgrey", label="on time")
ax.set(xlabel="P(weather) is the width", ylabel="P(train | weather) is the height",
       xticks=start_at + weather / 2, xticklabels=["sun", "rain", "snow"])
fig.legend(loc="outside right upper")
plt.show()

# %% [markdown]
# *What to see:* width times height is area, and the area is the joint probability:
# $P(W, L) = P(W)\,P(L \mid W)$. This is the *product rule*. Snow is the narrow column with the highest blue part.
#
# $P(\text{late} \mid \text{snow}) = 0.7$, but $P(\text{snow} \mid \text{late}) = 0.33$: most late trains run in the rain,
# because it rains so much more often. To exchange the two is the most frequent mistake with probabilities.
# The product rule goes on for as many variables as you like:
# $P(A, B, C) = P(A)\,P(B \mid A)\,P(C \mid A, B)$.

# %% [markdown] task="2.6.D" kind="code" minutes=2 difficulty=1 core=true needs="joint probability, conditional probability, broadcasting"
# ### Given the row
#
# Write `given_row(joint)`. `joint` has shape (m, n), entry (i, j) is $P(A = i, B = j)$, and no row is all zeros. Entry (i, j)
# of the result is $P(B = j \mid A = i)$.
#
# **You are done when**
# - **shape**: the result has the shape of `joint`, square or not;
# - **values**: each entry is conditional on its row;
# - **argument kept**: `joint` is as it was.

# %% exercise="2.6.D"
def given_row(joint):
    """P(B = j | A = i) from P(A = i, B = j): (m, n) -> (m, n)."""
    ### BEGIN SOLUTION
    return joint / joint.sum(dim=1, keepdim=True)
    ### END SOLUTION

# %% [markdown] hints="2.6.D"
# 1. What must each row of the result add up to?
# 2. Row i is divided by its own sum, $P(A = i)$. In which shape must the sums be, to be the divisors of rows?
# 3. For a row (0.1, 0.3) the sum is 0.4, and the row becomes (0.25, 0.75).

# %% check="2.6.D" points=1
def slips(table):
    return {"This is conditional on the column.": table / table.sum(0), "Each row must make 1, not the whole table.": table / table.sum(),
            "Divide by the sum of the row, not by its largest entry.": table / table.amax(1, keepdim=True),
            "Divide by the sum of the row, not by its mean.": table / table.mean(1, keepdim=True),
            "Divide by the sum of the row, not by its norm.": table / table.norm(dim=1, keepdim=True),
            "Divide by the sum of the row: this multiplies with it.": table * table.sum(1, keepdim=True),
            "This is P(B = j), the same in every row: what is known of the row is not used.": table.sum(0).expand(table.shape),
            "Divide by the sum of the row alone: the sum of the column does not count here.":
                table / (table.sum(1, keepdim=True) * table.sum(0)),
            "This is P(A = i) P(B = j), the table of independent variables: divide the joint probability by that of the row.":
                table.sum(1, keepdim=True) * table.sum(0),
            "This is softmax, which takes exponentials first: divide the entries themselves by the sum of their row.": table.softmax(1)}

def which_row(yours, table):
    try:
        for i, row in enumerate(yours):
            if abs(row.sum().item() - 1) > 1e-4:
                return f"Row {i} of yours adds up to {row.sum().item():.4g}, and must make 1: its entries are divided by something else than their own sum."
        for i, (row, given) in enumerate(zip(yours, table)):
            if not torch.allclose(row * given[0], given * row[0], atol=1e-5):
                return f"Row {i} of yours makes 1, but its entries are not to each other as those of `joint`: divide them all by one number."
        return ""
    except Exception:
        return ""

square = torch.tensor([[0.1, 0.1], [0.2, 0.6]])
assert_shape(given_row(square.clone()), (2, 2), "the square table with rows (0.1, 0.1), (0.2, 0.6)", of="shape",
             hint="There is a probability for each pair (i, j); the sums of the rows are only divisors.")
assert_close(given_row(square.clone()), torch.tensor([[0.5, 0.5], [0.25, 0.75]]), "the square table with rows (0.1, 0.1), (0.2, 0.6)", of="values",
             mistakes=slips(square) | {"Without keepdim the sums of the rows become divisors of columns.": square / square.sum(1),
                                       "Rows and columns are exchanged: row i of the result belongs to A = i.": torch.tensor([[0.5, 0.25], [0.5, 0.75]])},
             hint=lambda: which_row(given_row(square.clone()), square) + " The rows of `joint` have the sums 0.2 and 0.8: row 1 becomes 0.2 / 0.8 and 0.6 / 0.8.")
table = torch.tensor([[0.1, 0.1, 0.2], [0.3, 0.1, 0.2]])
assert_shape(given_row(table.clone()), (2, 3), "a table with 2 rows and 3 columns", of="shape",
             hint="There is a probability for each pair (i, j); the sums of the rows are only divisors.")
assert_close(given_row(table.clone()), torch.tensor([[1 / 4, 1 / 4, 1 / 2], [1 / 2, 1 / 6, 1 / 3]]), "the table with rows (0.1, 0.1, 0.2), (0.3, 0.1, 0.2)",
             of="values", mistakes=slips(table),
             hint=lambda: which_row(given_row(table.clone()), table) + " The rows of `joint` have the sums 0.4 and 0.6: each entry is divided by that of its row.")

@probe
def joint_after(table):
    try:
        given_row(table)
    except RuntimeError:            # float64 is not asked for elsewhere
        if table.dtype != torch.float64:
            raise
    return table

assert_close(joint_after(table.clone()), table, "joint after the call", of="argument kept", hint="Do not work in place: make a new tensor.")
assert_close(joint_after(table.double()), table.double(), "joint after the call, for a table in float64", of="argument kept",
             hint="`.double()` makes no copy of what is float64 already, and then in place it is `joint` itself that changes: "
                  "make a new tensor.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(62)
for m, n in ((4, 2), (3, 3), (1, 5), (5, 1)):
    table = torch.rand(m, n, generator=rng)
    table = table / table.sum()
    assert_shape(given_row(table.clone()), (m, n), f"a table of shape ({m}, {n})", of="shape", hint="The result has the shape of `joint`.")
    wanted = torch.stack([row / row.sum() for row in table])
    assert_close(given_row(table.clone()), wanted, f"a table of shape ({m}, {n})", of="values",
                 hint=lambda: which_row(given_row(table.clone()), table) + " Each row is divided by its own sum, however many rows and columns there are.")
    assert_close(joint_after(table.clone()), table, f"joint after the call, for shape ({m}, {n})", of="argument kept",
                 hint="Do not work in place: make a new tensor.")
### END HIDDEN TESTS

# %% [markdown] teaches="independence"
# ## Independence
#
# Two variables are **independent** if knowing the one says nothing about the other: $P(B \mid A) = P(B)$ for all values. With
# the product rule this becomes
#
# $$P(A, B) = P(A)\,P(B)\quad\text{for all pairs of values.}$$
#
# Two dice are independent. Are weather and train? If they were, the two marginals would give the whole table:

# %%
if_independent = weather[:, None] * late[None, :]               # (3, 1) * (1, 2) -> (3, 2)
print("the table if they were independent:\n", if_independent)
print("what the real one has more:\n", joint - if_independent)

# %% [markdown]
# Snow and late is 0.049 more probable than it would be for independent variables, sun and late 0.085 less: the two depend on
# each other.

# %% [markdown] task="2.6.E" kind="code" minutes=2 difficulty=2 needs="joint probability, marginal probability, independence"
# ### How far from independent
#
# Write `independence_gap(joint)`, for a table of shape (m, n) as in 2.6.D: the largest absolute difference between an entry
# $P(A = i, B = j)$ and $P(A = i)\,P(B = j)$, as a number.
#
# **You are done when**
# - **independent tables**: it is 0 for independent variables, whatever their marginals are;
# - **largest**: it is the largest difference from the product of the two marginals, not a sum or a mean;
# - **absolute**: an entry below the product counts as much as one above.

# %% exercise="2.6.E"
def independence_gap(joint):
    """The largest |P(A, B) - P(A) P(B)| of a joint table (m, n)."""
    ### BEGIN SOLUTION
    product = joint.sum(dim=1)[:, None] * joint.sum(dim=0)[None, :]
    return (joint - product).abs().max()
    ### END SOLUTION

# %% [markdown] hints="2.6.E"
# 1. Which two vectors does a joint table have in its margins, and which table do they make?
# 2. `u[:, None] * v[None, :]` holds all products of an entry of `u` and an entry of `v`.
# 3. For the train the differences are between -0.085 and 0.085.

# %% check="2.6.E" points=1
product = torch.tensor([[0.06, 0.14], [0.24, 0.56]])
assert_close(independence_gap(product), 0.0, "the table with rows (0.06, 0.14), (0.24, 0.56)", of="independent tables", atol=1e-6,
             mistakes={"This may be the largest ratio of an entry and its product, which is 1 here: the difference is asked.":
                           1.0,
                       "A margin holds the sums of rows or columns, not their means.": 0.42,
                       "Compare with the product of the margins, not with a table of equal entries.": 0.31,
                       "The margins may be exchanged: P(A = i) is the sum of row i, P(B = j) that of column j.": 0.1,
                       "The second factor is P(B = j), the sum of column j: this takes the sums of the rows twice.": 0.08,
                       "The first factor is P(A = i), the sum of row i: this takes the sums of the columns twice.": 0.07},
             hint="Its entries are 0.2 and 0.8 times 0.3 and 0.7, so every difference is 0; one number is asked, the largest.")
skew = torch.tensor([[0.1, 0.05, 0.4, 0.05], [0.05, 0.075, 0.0, 0.075], [0.05, 0.075, 0.0, 0.075]])
differences = torch.tensor([[-0.02, -0.07, 0.16, -0.07], [0.01, 0.035, -0.08, 0.035], [0.01, 0.035, -0.08, 0.035]])

def which_gap(yours, differences):
    try:
        where = ((differences.abs() - abs(float(yours))).abs() < 1e-4).nonzero().tolist()
        if where:
            return f"Yours is the size of the difference at row {where[0][0]}, column {where[0][1]}: another entry differs by more."
        return f"Yours is the size of none of the {differences.numel()} differences of an entry from its product: one of them is asked, as it is."
    except Exception:
        return ""

assert_close(independence_gap(skew), 0.16, "the table with rows (0.1, 0.05, 0.4, 0.05), (0.05, 0.075, 0, 0.075), (0.05, 0.075, 0, 0.075)", of="largest",
             rtol=1e-4, atol=1e-6,
             mistakes={"This is the place of the largest difference: its size is asked.": 2.0,
                       "This is the largest ratio of an entry and its product: the difference is asked.": 5 / 3,
                       "This is the sum of the differences.": 0.64, "This is the mean of the differences.": 0.64 / 12,
                       "This is the square of the difference.": 0.0256, "Another entry differs by more.": 0.035,
                       "Another entry differs by more than this one.": 0.02,
                       "An entry above the product and off the diagonal differs by more, in row 0 and column 2.": 0.08,
                       "This compares a conditional probability with a marginal one: compare the joint one with the product.": 0.4,
                       "Do not divide by the product: the difference itself is asked.": 1.0,
                       "One difference is asked, not the sum of those in a row or a column, nor half the sum of all.": 0.32,
                       "One difference is asked, not a norm of the whole table of differences.": 0.0537 ** 0.5,
                       "One difference is asked, the largest in size, not how far the largest is from the smallest.": 0.24},
             hint=lambda: which_gap(independence_gap(skew), differences) +
                          " The product of the margins has the rows (0.12, 0.12, 0.24, 0.12), (0.04, 0.04, 0.08, 0.04), (0.04, 0.04, 0.08, 0.04).")
block = torch.tensor([[0.2, 0.0, 0.0], [0.0, 0.4, 0.2], [0.0, 0.2, 0.0]])
assert_close(independence_gap(block), 0.16,
             "the table with rows (0.2, 0, 0), (0, 0.4, 0.2), (0, 0.2, 0)", of="largest", rtol=1e-4, atol=1e-6,
             mistakes={"Take the difference entry by entry: this is the largest entry less the largest product.": 0.04},
             hint="The entry of row 0, column 0 is 0.2, its product 0.2 · 0.2 = 0.04. The product of the margins has the rows (0.04, 0.12, 0.04), (0.12, 0.36, 0.12), (0.04, 0.12, 0.04).")
low = (torch.ones(3, 3) - torch.eye(3)) / 6
assert_close(independence_gap(low), 1 / 9, "the table of shape (3, 3) with 0 on its diagonal and 1/6 elsewhere", of="absolute",
             rtol=1e-4, atol=1e-6,
             mistakes={"An entry may also be smaller than the product: take the size of every difference, then the largest.":
                           1 / 18,
                       "This is a difference with its sign: take its size.": -1 / 9},
             hint="All margins are 1/3 here, all products 1/9: on the diagonal the entries are 0, elsewhere 1/6.")
assert_close(independence_gap(torch.diag(torch.tensor([0.2, 0.2, 0.6]))), 0.24, "the table of shape (3, 3) with 0.2, 0.2, 0.6 on its diagonal and 0 elsewhere",
             of="absolute", rtol=1e-4, atol=1e-6, mistakes={"An entry may also be larger than the product.": 0.12, "Another entry differs by more.": 0.16,
                                                            "This is a difference with its sign: take its size.": -0.12},
             hint="On the diagonal the differences are 0.2 - 0.04, 0.2 - 0.04 and 0.6 - 0.36, elsewhere -0.04, -0.12 and -0.12.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(63)
for m, n in ((2, 4), (5, 3), (4, 4)):
    table = torch.rand(m, n, generator=rng)
    table = table / table.sum()
    gaps = [[abs(table[i, j].item() - table[i].sum().item() * table[:, j].sum().item()) for j in range(n)] for i in range(m)]
    assert_close(independence_gap(table), max(map(max, gaps)), f"a random table of shape ({m}, {n})", of="largest", rtol=1e-4, atol=1e-6,
                 hint=lambda: which_gap(independence_gap(table), torch.tensor(gaps)) +
                              " The largest difference may stand anywhere in the table, above or below the product.")
    margins = table.sum(dim=1)[:, None] * table.sum(dim=0)[None, :]
    assert_close(independence_gap(margins), 0.0, f"an independent table of shape ({m}, {n})", of="independent tables", atol=1e-6,
                 hint="This table is the product of its two margins, so no entry differs from it.")
low = (torch.ones(5, 5) - torch.eye(5)) / 20     # diagonal 0, the rest above the product
assert_close(independence_gap(low), 0.04, "a table of shape (5, 5) with zeros on its diagonal", of="absolute", rtol=1e-4, atol=1e-6,
             hint="Here the entries below their product differ most: take the size of every difference.")
assert_close(independence_gap(torch.eye(4) / 4), 0.1875, "a table of shape (4, 4) with zeros off its diagonal", of="absolute", rtol=1e-4, atol=1e-6,
             hint="Here the entries above their product differ most: take the size of every difference.")
### END HIDDEN TESTS

# %% [markdown] teaches="conditional independence"
# ### Independent, once you know the reason
#
# Two trains on two lines know nothing of each other. In given weather each is late with the probabilities above, whatever
# the other does: they are **conditionally independent given** the weather, $P(L_1, L_2 \mid W) = P(L_1 \mid W)\,P(L_2 \mid W)$.
# Are they independent for somebody who has not looked out of the window?

# %%
late_given_weather = train_given_weather[:, 1]                  # (3,)
both_late = (weather * late_given_weather * late_given_weather).sum()
print(f"P(second late) = {late[1]:.2f}")
print(f"P(second late | first late) = {both_late / late[1]:.2f}")

# %% [markdown]
# No: when the first train is late, snow or rain has become more likely, and with it a second late train. A common cause makes
# things dependent that do not touch each other. The other way round, to know the cause cuts the tie.
#
# A chain is the most useful case. $A$ acts on $B$, and $B$ acts on $C$, but $A$ has no other way to $C$:
#
# $$A \rightarrow B \rightarrow C,\qquad P(C \mid A, B) = P(C \mid B).$$
#
# A morning train that is late delays the noon train, and that one delays the evening train. Who knows how late the noon train
# is, learns nothing more about the evening from the morning. Such a *Markov chain* is the simplest model of the weather
# from day to day, or of a text from letter to letter.

# %% [markdown] task="2.6.6" kind="answer" minutes=3 difficulty=2 needs="conditional probability, conditional independence"
# ### Factor a chain
#
# In $A \rightarrow B \rightarrow C$, variable B depends only on A, and C only on B. Write $P(A, B, C)$ as a product of three
# factors that are as simple as possible. Hand in `factors`, a list of three strings, each of the form `"P(X)"` or `"P(X|Y)"`
# with A, B, C for X and Y. More than one answer is right: you may begin at any link of the chain.
#
# **You are done when**
# - **form**: there are three factors of this form, at most one letter stands behind a bar, and each of A, B and C stands
#   once before it;
# - **product**: in every such chain the product of the three is $P(A, B, C)$.

# %% exercise="2.6.6"
### BEGIN SOLUTION
factors = ["P(A)", "P(B|A)", "P(C|B)"]
### END SOLUTION

# %% [markdown] hints="2.6.6"
# 1. What does the product rule give for three variables, with no assumption at all?
# 2. Which of its factors becomes simpler, because C depends only on B?
# 3. For two independent variables, $P(A, B) = P(A)\,P(B \mid A)$ becomes $P(A)\,P(B)$.

# %% check="2.6.6" points=1
import re

def parsed(text):
    """("B", "A") for "P(B|A)", ("A", None) for "P(A)", None for anything else."""
    match = re.fullmatch(r"P\(([ABC])(?:\|([ABC]))?\)", str(text).replace(" ", ""))
    return match and match.groups()

def table_of(letters, joint):
    """The probability of these letters, from joint with the axes A, B, C; the other axes have length 1."""
    return joint.sum(dim=[axis for axis, letter in enumerate("ABC") if letter not in letters], keepdim=True)

def product_of(factors, joint):
    result = torch.ones_like(joint)
    for left, right in map(parsed, factors):
        result = result * (table_of(left + right, joint) / table_of(right, joint) if right else table_of(left, joint))
    return result

@probe
def handed_in():
    return globals().get("factors")

assert_type(handed_in(), (list, tuple, set), "factors", of="form", hint="The answer cell makes a list of three strings with the name `factors`.")
texts = sorted(map(str, factors))
assert_equal(len(texts), 3, "the number of factors", of="form",
             hint=lambda: "Each factor is a string of its own in the list; one of yours holds several." if any(text.count("P(") > 1 for text in texts) else
                          "Each of the letters A, B and C has a factor of its own.")
assert_equal([text for text in texts if parsed(text) is None], [], "entries of factors that have another form", of="form",
             hint=lambda: ('The arrow of the chain is no bar: that B depends on A is written "P(B|A)".'
                   if any("-" in text or "→" in text for text in texts) else
                   "P, A, B and C are capital letters." if all(parsed(text.upper()) for text in texts) else
                   'At most one letter stands behind the bar, as in "P(X|Y)", and one before it.'))
assert_equal(sorted(parsed(text)[0] for text in texts), ["A", "B", "C"], "the letters before the bar", of="form",
             hint="A letter behind a bar needs a factor of its own, too. That B depends on A is written P(B|A), with B before the bar.")
links = [set(parsed(text)) for text in texts]
starts = sum(None in link for link in links)
why = ("A letter stands before and behind the same bar." if any(len(link) == 1 for link in links) else
       "No factor is without a bar: the product must begin somewhere, with P(X)." if not starts else
       "Two of your factors have no bar, so these two letters would be independent." if starts == 2 else
       "None of your factors has a bar, so the three letters would be independent." if starts == 3 else
       "One of your factors joins A and C directly; they touch only through B." if {"A", "C"} in links else
       "Two of your factors stand for the same link, once each way: each of the two links is needed once.")
chain = torch.tensor([[[0.1, 0.05, 0.05], [0.03, 0.06, 0.21]], [[0.2, 0.1, 0.1], [0.01, 0.02, 0.07]]])
assert_close(product_of(texts, chain), chain, "the product of the three, in a chain with 2, 2 and 3 values", of="product", hint=why)
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(64)
assert_equal([parsed(text) is None for text in texts], [False] * 3, "entries of factors that have another form", of="form",
             hint='Each factor is written "P(X)" or "P(X|Y)".')
for a, b, c in ((2, 3, 2), (3, 4, 2)):
    start, step, last = (torch.rand(shape, generator=rng, dtype=torch.float64) + 0.1 for shape in ((a, 1, 1), (a, b, 1), (1, b, c)))
    chain = start / start.sum() * step / step.sum(1, keepdim=True) * last / last.sum(2, keepdim=True)
    assert_close(product_of(texts, chain), chain, f"the product of the three, in a chain with {a}, {b} and {c} values", of="product", hint=why)
### END HIDDEN TESTS

# %% [markdown]
# That one may begin anywhere is no accident: a table of probabilities knows no direction, and says nothing of what acts on what.
#
# What is gained? With ten values each, the full table has 999 free numbers (1,000, less one, because they make 1). The
# three factors have 9 + 90 + 90 = 189. The longer the chain, the larger the difference.

# %% [markdown] teaches="bayes' theorem, prior, posterior"
# ## Turning a probability around: Bayes' theorem
#
# Question (2) of the opening. A detector looks at the welds of a pipeline. One weld in 500 is faulty. The detector finds 95 % of the faulty ones, and it
# gives a false alarm at 4 % of the good ones. It has just gone off. Is this weld faulty? Guess before you read on.
#
# We know how likely the *data* are under each *hypothesis*: $P(\text{alarm} \mid \text{faulty}) = 0.95$. We want to know
# $P(\text{faulty} \mid \text{alarm})$. The product rule can be written both ways, $P(H, D) = P(H)\,P(D \mid H) = P(D)\,P(H \mid D)$.
# Divide by $P(D)$:
#
# $$P(H \mid D) = \frac{P(H)\,P(D \mid H)}{P(D)},\qquad P(D) = \sum_h P(H = h)\,P(D \mid H = h).$$
#
# This is **Bayes' theorem**. $P(H)$ is the *prior*, what we believed before; $P(D \mid H)$ says how well the hypothesis predicts
# the data; $P(H \mid D)$ is the *posterior*. In practice: multiply for each hypothesis, then divide by the sum. (A weld is faulty or it is
# not; nothing is repeated here. The prior says how far *we* should believe it, and such degrees of belief obey the same axioms.)

# %%
prior = torch.tensor([0.998, 0.002])                    # good, faulty
alarm = torch.tensor([0.04, 0.95])                      # P(alarm | good), P(alarm | faulty)
with_alarm = prior * alarm                              # P(good, alarm), P(faulty, alarm)
posterior = with_alarm / with_alarm.sum()               # the sum is P(alarm)
print("P(good, alarm), P(faulty, alarm):", with_alarm)
print("P(good | alarm), P(faulty | alarm):", posterior)

# %% tags=["demo"]
from matplotlib.colors import ListedColormap

welds = torch.zeros(500)                                # 500 of the 10,000 welds; 0: good, no alarm
welds[-419:-20] = 1                                     # 399 good ones with an alarm
welds[-20:-1] = 2                                       # 19 faulty ones with an alarm
welds[-1] = 3                                           # 1 faulty one that is missed
fig, ax = plt.subplots(figsize=(8, 1.9), layout="constrained")
colours, labels = ["gainsboro", "orange", "red", "black"], ["good, quiet (9,581)", "good, alarm (399)", "faulty, alarm (19)", "faulty, missed (1)"]
ax.imshow(welds.reshape(50, 10).T, cmap=ListedColormap(colours), interpolation="nearest")
ax.set(xticks=[], yticks=[])
fig.legend(handles=[plt.Rectangle((0, 0), 1, 1, color=c) for c in colours], labels=labels, loc="outside right upper")
plt.show()

# %% [markdown]
# *What to see:* each weld has the same small area. Of 10,000 welds 20 are faulty; the picture shows 500 of them, and leaves 9,500 grey ones out. The 19 red ones drown in 399 orange ones, which are good and have an alarm
# all the same. Among the 418 alarms 19 are right: 4.5 %. So the answer to question (2) is: probably not. The detector is not bad; there are just very
# few faults to find.
#
# A second detector, another make, finds 90 % of the faults, with 5 % false alarms. It goes off too. Suppose that the two are
# conditionally independent given the state of the weld. Then there are two ways to the answer. *In one step*: both alarms are one
# piece of data, and its probability under each hypothesis is a product, $P(D_1, D_2 \mid H) = P(D_1 \mid H)\,P(D_2 \mid H)$. Multiply by
# the prior, and sum over the hypotheses for $P(D_1, D_2)$. *In two steps*: the posterior of the first alarm is the prior of the second.

# %%
second_alarm = torch.tensor([0.05, 0.90])               # P(second alarm | good), P(second alarm | faulty)
two_alarms = alarm * second_alarm                       # P(both alarms | good), P(both alarms | faulty)
with_two = prior * two_alarms                           # P(good, both alarms), P(faulty, both alarms)
print("P(both alarms | H):", two_alarms)
print(f"P(both alarms) = {with_two[0]:.6f} + {with_two[1]:.6f} = {with_two.sum():.6f}")
print("in one step: ", with_two / with_two.sum())
then = posterior * second_alarm
print("in two steps:", then / then.sum())
print(f"P(second alarm) = {prior @ second_alarm:.3f}, P(second alarm | first alarm) = {then.sum():.3f}")

# %% [markdown]
# From 0.2 % to 4.5 % to 46 %. The last line is the sum in the second step: after one alarm, another has become more likely, since both
# have the same cause. Mind the "suppose". When the same scratch fools both detectors, their false alarms come together, and
# the second alarm teaches much less. Exercise 2.6.7 works that case out.

# %% [markdown] task="2.6.F" kind="code" minutes=2 difficulty=1 core=true needs="bayes' theorem, prior, posterior"
# ### Bayes for any number of hypotheses
#
# Write `posterior_of(prior, likelihood)`. Both are tensors of shape (k,): `prior[h]` is $P(H = h)$, and `likelihood[h]` is
# $P(D \mid H = h)$ for the data that were seen. Return the posterior, a tensor of shape (k,).
#
# **You are done when**
# - **ratios**: the entries are to each other as prior times likelihood;
# - **sum**: they add up to 1;
# - **arguments kept**: `prior` and `likelihood` are as they were.

# %% exercise="2.6.F"
def posterior_of(prior, likelihood):
    """P(H = h | D) for all h: (k,), (k,) -> (k,)."""
    ### BEGIN SOLUTION
    both = prior * likelihood
    return both / both.sum()
    ### END SOLUTION

# %% [markdown] hints="2.6.F"
# 1. Which two numbers are multiplied for each hypothesis, and by what is the result divided?
# 2. The likelihoods of different hypotheses need not add up to 1. The posterior must.
# 3. Priors 1/2, 1/2 and likelihoods 0.2, 0.6: the products are 0.1 and 0.3, so the posterior is 1/4 and 3/4.

# %% check="2.6.F" points=1
before, fits = torch.tensor([0.5, 0.25, 0.25]), torch.tensor([0.1, 0.4, 0.0])
after = posterior_of(before.clone(), fits.clone())
assert_shape(after, (3,), "the posterior of three hypotheses", of="ratios",
             hint="There is a probability for each hypothesis: prior and likelihood are multiplied entry by entry.")
assert_close(after[1] / after[0], torch.tensor(2.), "posterior[1] / posterior[0] for prior (0.5, 0.25, 0.25), likelihood (0.1, 0.4, 0)",
             of="ratios", mistakes={"The prior does not count in your answer.": torch.tensor(4.),
                                    "The likelihood does not count in your answer.": torch.tensor(0.5),
                                    "Prior and likelihood are multiplied, not added.": torch.tensor(0.65 / 0.6),
                                    "The prior is multiplied with the likelihood, not divided by it.": torch.tensor(0.125),
                                    "The likelihood is multiplied with the prior, not divided by it.": torch.tensor(8.0),
                                    "1 - likelihood does not occur in P(D): divide all products by one number, their sum.":
                                        torch.tensor((0.1 / 0.55) / (0.05 / 0.5)),
                                    "This is softmax of the products: divide the products themselves by one number.":
                                        torch.tensor(math.exp(0.05)),
                                    "Here softmax takes the exponential of the likelihood: the prior is multiplied with the "
                                    "likelihood itself.":
                                        torch.tensor(0.5 * math.exp(0.3)),
                                    "Here softmax takes the exponential of the prior: the likelihood is multiplied with the "
                                    "prior itself.":
                                        torch.tensor(4 * math.exp(-0.25))},
             hint=lambda: f"In the prior this ratio is 1/2, in the likelihood 4, and the two ratios are multiplied; yours is {float(after[1] / after[0]):.4g}. "
                          "The products of prior and likelihood are 0.05, 0.1 and 0; dividing all by one number keeps their ratios.")
assert_close(after[2], torch.tensor(0.), "the posterior of the hypothesis with likelihood 0", of="ratios", atol=1e-7,
             hint="Its product of prior and likelihood is 0: under it the data could not have come.")
assert_close(after.sum(), torch.tensor(1.), "the sum of the posterior", of="sum",
             mistakes={"Divide by the sum of the products, P(D).": torch.tensor(0.15), "Divide by the sum of the products, not by that of the likelihoods.": torch.tensor(0.3),
                       "Divide by the sum of the products, not by the largest of them.": torch.tensor(1.5),
                       "Divide by the sum of the products, not by their norm.": torch.tensor(0.15 / 0.0125 ** 0.5)},
             hint="All products are divided by one number: which one makes their sum 1?")

@probe
def arguments_after(prior, likelihood):
    try:
        posterior_of(prior, likelihood)
    except RuntimeError:            # float64 is not asked for elsewhere
        if prior.dtype != torch.float64:
            raise
    return prior, likelihood

prior_after, likelihood_after = arguments_after(before.clone(), fits.clone())
assert_close(prior_after, before, "prior after the call", of="arguments kept", hint="Do not work in place: make new tensors.")
assert_close(likelihood_after, fits, "likelihood after the call", of="arguments kept", hint="Do not work in place: make new tensors.")
for name, kept, given in zip(("prior", "likelihood"), arguments_after(before.double(), fits.double()),
                             (before.double(), fits.double())):
    assert_close(kept, given, f"{name} after the call, in float64", of="arguments kept",
                 hint="`.double()` makes no copy of what is float64 already, and then in place it is the argument itself "
                      "that changes: make new tensors.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(65)
for k in (2, 5, 40):
    before, fits = torch.rand(k, generator=rng) + 0.1, torch.rand(k, generator=rng) + 0.1
    before = before / before.sum()
    after = posterior_of(before.clone(), fits.clone())
    assert_close(after / after[0], before * fits / (before[0] * fits[0]), f"the ratios of the posterior of {k} hypotheses", of="ratios",
                 hint=lambda: where_they_part(lambda p, l: posterior_of(p, l) / posterior_of(p, l)[0], lambda p, l: p * l / (p[0] * l[0]),
                                              prior=before, likelihood=fits) +
                              " Every hypothesis counts with the product of its prior and its likelihood.")
    assert_close(after.sum().item(), 1.0, f"the sum of the posterior of {k} hypotheses", of="sum", rtol=1e-5,
                 hint="All products are divided by one number, their sum.")
    prior_after, likelihood_after = arguments_after(before.clone(), fits.clone())
    assert_close(prior_after, before, f"the prior of {k} hypotheses after the call", of="arguments kept", hint="Do not work in place: make new tensors.")
    assert_close(likelihood_after, fits, f"the likelihood of {k} hypotheses after the call", of="arguments kept", hint="Do not work in place: make new tensors.")
### END HIDDEN TESTS

# %% [markdown]
# ### Two tests that are wrong together
#
# A disease ($H = 1$: ill) has two tests; $D_1, D_2$ are 1 for a positive result. Each by itself is positive for an ill patient
# with probability 1 - `miss`, and for a healthy one with probability `false_alarm`. For an *ill* patient the two are conditionally
# independent. For a *healthy* one they are not: both are positive with probability `both`, which need not be `false_alarm`
# squared. The next three exercises use the names `miss`, `false_alarm` and `both`, and `prior` for $P(H = 1)$ before any test. `miss` is
# below 1 and `false_alarm` above 0, so a test can be positive whoever takes it; `prior` lies between 0 and 1, and may be very near to them.

# %% [markdown] task="2.6.7a" kind="code" minutes=3 difficulty=2 needs="joint probability, marginal probability, conditional independence"
# ### The table of a healthy patient
#
# Write `healthy_table(false_alarm, both)`: a tensor of shape (2, 2) whose entry (i, j) is $P(D_1 = i, D_2 = j \mid H = 0)$. Try
# it with `false_alarm = 0.1`, `both = 0.02`.
#
# **You are done when**
# - **shape**: the result is a tensor of shape (2, 2);
# - **both positive**: entry (1, 1) is right;
# - **one positive**: entries (0, 1) and (1, 0) are right: each test alone is positive with probability `false_alarm`;
# - **none positive**: entry (0, 0) is right: the table makes 1.

# %% exercise="2.6.7a"
def healthy_table(false_alarm, both):
    """P(D1 = i, D2 = j | H = 0) as a tensor (2, 2)."""
    ### BEGIN SOLUTION
    one = false_alarm - both
    return torch.tensor([[1 - 2 * one - both, one], [one, both]])
    ### END SOLUTION

# %% [markdown] hints="2.6.7a"
# 1. Which entries add up to $P(D_1 = 1 \mid H = 0)$, and what is that sum?
# 2. One entry is given. A margin gives the second and the third; the total gives the last.
# 3. With margins 0.5 and 0.5 and entry (1, 1) = 0.4: the neighbours are 0.1 each, and 0.4 is left for entry (0, 0).

# %% check="2.6.7a" points=2
table = healthy_table(0.1, 0.02)
assert_shape(table, (2, 2), "the table for false_alarm = 0.1, both = 0.02", of="shape",
             hint="The result is a tensor with two rows and two columns: `torch.tensor` makes one of a list of two lists.")
assert_close(table[1, 1].item(), 0.02, "entry (1, 1) for false_alarm = 0.1, both = 0.02", of="both positive", rtol=1e-4,
             mistakes={"For a healthy patient the tests are not independent.": 0.01,
                       "Index 1 stands for a positive result: two negative ones belong to entry (0, 0).": 0.82,
                       "Entry (i, j) says how often both results come; 0.2 is how often "
                       "the second is positive once the first is.":
                           0.2,
                       "`both` is the probability of two positive results already: it is not multiplied with `false_alarm`.":
                           0.002},
             hint="Which argument is the probability that both results are positive?")
assert_close(table[[0, 1], [1, 0]].double(), torch.tensor([0.08, 0.08], dtype=torch.float64),
             "entries (0, 1) and (1, 0) for false_alarm = 0.1, both = 0.02", of="one positive", rtol=1e-4,
             mistakes={"0.1 is what the row (1, 0), (1, 1) adds up to.": torch.tensor([0.1, 0.1], dtype=torch.float64),
                       "For a healthy patient the tests are not independent.": torch.tensor([0.09, 0.09], dtype=torch.float64),
                       "(1 - `false_alarm`)² would be entry (0, 0) of independent tests: begin with the row (1, 0), (1, 1).":
                           torch.tensor([0.085, 0.085], dtype=torch.float64),
                       "The other three entries are not equally probable: the row (1, 0), (1, 1) adds up to 0.1.":
                           torch.tensor([0.98 / 3, 0.98 / 3], dtype=torch.float64),
                       "The second test alone may be positive, too: entry (0, 1) is not 0.":
                           torch.tensor([0.0, 0.08], dtype=torch.float64),
                       "The first test alone may be positive, too: entry (1, 0) is not 0.":
                           torch.tensor([0.08, 0.0], dtype=torch.float64),
                       "To be taken off is `both` itself, not a part of it.": torch.tensor([0.098, 0.098], dtype=torch.float64),
                       "Each test alone has the probability 0.1: it is not shared between the two entries.": torch.tensor([0.04, 0.04], dtype=torch.float64)},
             hint="The row (1, 0), (1, 1) adds up to 0.1, and so does the column (0, 1), (1, 1).")
assert_close(table[0, 0].item(), 0.82, "entry (0, 0) for false_alarm = 0.1, both = 0.02", of="none positive", rtol=1e-4,
             mistakes={"For a healthy patient the tests are not independent.": 0.81,
                       "All four entries make 1: two of them have one positive test.": 0.9,
                       "1 - 2 · `false_alarm` takes entry (1, 1) off twice, with its row and with its column.": 0.8,
                       "Entry (1, 1) lies in its row and in its column: this takes it off three times.": 0.78,
                       "1 - `both` leaves the two entries with one positive test in: take them off as well.": 0.98},
             hint=lambda: f"The other three entries are 0.08, 0.08 and 0.02; all four make 1, and yours {table.double().sum().item():.4g}.")
### BEGIN HIDDEN TESTS
for rate, together in ((0.3, 0.2), (0.04, 0.04), (0.25, 0.07)):
    table, words = healthy_table(rate, together), f"for false_alarm = {rate}, both = {together}"
    assert_shape(table, (2, 2), f"the table {words}", of="shape", hint="There is an entry for each pair of results.")
    assert_close(table[1, 1].item(), together, f"entry (1, 1) {words}", of="both positive", rtol=1e-4,
                 hint="This entry is given: it is an argument, as it stands in the call.")
    assert_close(table[0, 1].item(), rate - together, f"entry (0, 1) {words}", of="one positive", rtol=1e-4, atol=1e-6,
                 hint="The column (0, 1), (1, 1) adds up to `false_alarm`.")
    assert_close(table[1, 0].item(), rate - together, f"entry (1, 0) {words}", of="one positive", rtol=1e-4, atol=1e-6,
                 hint="The row (1, 0), (1, 1) adds up to `false_alarm`.")
    assert_close(table[0, 0].item(), 1 - 2 * rate + together, f"entry (0, 0) {words}", of="none positive", rtol=1e-4,
                 hint=lambda: f"All four entries make 1; yours add up to {table.double().sum().item():.4g}.")
### END HIDDEN TESTS

# %% [markdown] task="2.6.7b" kind="code" minutes=2 difficulty=2 core=true needs="bayes' theorem"
# ### After one positive test
#
# Write `after_one(prior, miss, false_alarm)`: $P(H = 1 \mid D_1 = 1)$ as a number, where `prior` is $P(H = 1)$. Try
# `prior = 0.0015`, `miss = 0.01`, `false_alarm = 0.1`.
#
# **You are done when**
# - **value**: the posterior of the disease is right for any prior and any error rates (do not round it).

# %% exercise="2.6.7b"
def after_one(prior, miss, false_alarm):
    """P(ill | first test positive)."""
    ### BEGIN SOLUTION
    ill = prior * (1 - miss)
    return ill / (ill + (1 - prior) * false_alarm)
    ### END SOLUTION

# %% [markdown] hints="2.6.7b"
# 1. What are the two hypotheses, and how probable is a positive test under each?
# 2. $P(D_1 = 1)$ has two terms: ill and found, healthy and false alarm.
# 3. For the weld: 0.002 · 0.95 / (0.002 · 0.95 + 0.998 · 0.04) = 0.045.

# %% check="2.6.7b" points=1
def what_counts():
    try:
        here = after_one(0.2, 0.25, 0.1)
        if abs(here - 0.15 / 0.23) < 0.005:
            return "Yours is near, but nothing is to be rounded. "
        for name, other in (("prior", (0.6, 0.25, 0.1)), ("miss", (0.2, 0.5, 0.1)), ("false_alarm", (0.2, 0.25, 0.3))):
            if after_one(*other) == here:
                return f"For the arguments {other} the result is another one; yours stays {here:.4g}: does `{name}` count in it? "
        if abs(after_one(0.2, 0.01, 0.99) - 0.2) > 1e-4:
            return (f"Where `miss` is 0.01 and `false_alarm` 0.99, the test is positive as often for the healthy as for the ill, and says nothing: "
                    f"the result is `prior`, 0.2; yours is {after_one(0.2, 0.01, 0.99):.4g}. ")
        if abs(after_one(0.2, 0.25, 1e-9) - 1) > 1e-4:
            return f"Where `false_alarm` is nearly 0, a positive test is a proof, and the result nearly 1; yours is {after_one(0.2, 0.25, 1e-9):.4g}. "
        return "Where a test says nothing, and where it is a proof, yours is right: look at how `miss` and `false_alarm` count between. "
    except Exception:
        return ""

assert_close(after_one(0.2, 0.25, 0.1), 0.15 / 0.23, "prior 0.2, miss 0.25, false_alarm 0.1", of="value", rtol=1e-4,
             mistakes={"Each hypothesis has its own prior: `prior` for ill, 1 - `prior` for healthy.": 0.75 / 0.85,
                       "This is P(D₁ = 1 | H = 1): turn it around.": 0.75,
                       "This is P(H = 1, D₁ = 1): divide by P(D₁ = 1).": 0.15,
                       "This is P(D₁ = 1), the divisor.": 0.23,
                       "A healthy patient has the prior 1 - `prior`; it counts in the divisor too.": 0.6,
                       "This is the posterior of a healthy patient.": 0.08 / 0.23,
                       "An ill patient has a positive test with probability 1 - miss.": 0.05 / 0.13,
                       "`false_alarm` is the probability of a positive test for the healthy: the divisor is that for everybody, "
                       "P(D₁ = 1).": 1.5,
                       "These are the odds, ill to healthy: P(D₁ = 1), the divisor, has both terms.": 0.15 / 0.08,
                       "The two error rates are exchanged: `miss` belongs to the ill, `false_alarm` to the healthy.": 0.18 / 0.38,
                       "A healthy patient has a positive test with probability `false_alarm`.": 0.15 / 0.87,
                       "Not every ill patient has a positive test: what does `miss` say?": 0.2 / 0.28,
                       "The terms of the divisor have priors, too: P(D₁ = 1) is not the sum of the two test rates.": 0.15 / 0.85,
                       "A healthy patient has a positive test with probability `false_alarm`; `miss` belongs to the ill.":
                           0.15 / 0.35,
                       "This is the posterior after a negative test.": 0.05 / 0.77,
                       "`a / b * c + d` is a · c / b + d: put brackets around the whole divisor.": 0.15 / 0.2 * 0.75 + 0.08,
                       "`a / b + c` is not a / (b + c): put brackets around the whole divisor.": 1.08,
                       "1 - `false_alarm` has no part in it: a test of the ill is positive with probability 1 - `miss`, one of the healthy with `false_alarm`.":
                           0.135 / 0.215,
                       "The two error rates are never taken off together: a false alarm belongs to the healthy.": 0.13 / 0.23},
             hint=lambda: what_counts() + "Here P(ill, positive) = 0.2 · 0.75 = 0.15 and P(healthy, positive) = 0.8 · 0.1 = 0.08: which share of their sum is the first, as one number?")
assert_close(after_one(0.0015, 0.01, 0.1), 0.001485 / 0.101335, "prior 0.0015, miss 0.01, false_alarm 0.1", of="value", rtol=1e-4,
             hint="Here P(ill, positive) = 0.001485 and P(healthy, positive) = 0.09985; nothing is rounded.")
### BEGIN HIDDEN TESTS
for before, miss_, false_ in ((0.3, 0.05, 0.2), (0.5, 0.5, 0.01), (0.9, 0.0, 0.6), (1e-6, 0.1, 0.1), (0.99, 0.6, 0.5)):
    people = torch.tensor([(1 - before) * false_, before * (1 - miss_)], dtype=torch.float64)
    assert_close(after_one(before, miss_, false_), (people[1] / people.sum()).item(),
                 f"prior {before}, miss {miss_}, false_alarm {false_}", of="value", rtol=1e-4, atol=1e-9,
                 hint=lambda: what_counts() + "P(ill, positive) is divided by P(positive), both with these three numbers; nothing is rounded.")
### END HIDDEN TESTS

# %% [markdown] task="2.6.7c" kind="code" minutes=3 difficulty=3 needs="bayes' theorem, conditional independence"
# ### After two positive tests
#
# Write `after_both(prior, miss, false_alarm, both)`: $P(H = 1 \mid D_1 = 1, D_2 = 1)$ as a number (do not round it). Try it
# with the numbers from above, once with `both = 0.02`, and once with `both = 0.01`, as for independent tests.
#
# **You are done when**
# - **prior**: before the tests the patient is ill with probability `prior`;
# - **ill patients**: their two results are conditionally independent;
# - **healthy patients**: their two results are coupled by `both`.

# %% exercise="2.6.7c"
def after_both(prior, miss, false_alarm, both):
    """P(ill | both tests positive), where both is P(both positive | healthy)."""
    ### BEGIN SOLUTION
    ill = prior * (1 - miss) ** 2
    return ill / (ill + (1 - prior) * both)
    ### END SOLUTION

# %% [markdown] hints="2.6.7c"
# 1. Take "both tests positive" as one piece of data. How probable is it for an ill, and for a healthy patient?
# 2. For a healthy patient it is an entry of the table of 2.6.7a. Is every argument needed?
# 3. Two alarms at a weld, when half of the false alarms of the first make the second go off: 0.02 in place of 0.04 · 0.05.

# %% check="2.6.7c" points=2
def parts_of(yours, ill, healthy):
    """What the posterior `yours` says of one part where the other is right."""
    try:
        if not 0 < float(yours) < 1:
            return f"P(ill, both positive) is {ill:g} here, and P(healthy, both positive) {healthy:g}: neither is 0, so the result is neither 0 nor 1."
        odds = float(yours) / (1 - float(yours))
        return (f"If P(healthy, both positive) is right in your answer, its P(ill, both positive) is {healthy * odds:.4g} and should be {ill:g}; "
                f"if P(ill, both positive) is right, its P(healthy, both positive) is {ill / odds:.4g} and should be {healthy:g}. Nothing is rounded.")
    except Exception:
        return ""

assert_close(after_both(0.99999, 0.3, 0.2, 0.1), 0.49 / 0.490001, "prior 0.99999, miss 0.3, false_alarm 0.2, both 0.1", of="prior", rtol=1e-4,
             mistakes={"Each hypothesis has its own prior: `prior` for ill, 1 - `prior` for healthy.": 0.49 / 0.59,
                       "This is P(H = 1, D₁ = 1, D₂ = 1): divide by P(D₁ = 1, D₂ = 1).": 0.49},
             hint="One number is asked, the posterior of the ill, not of the healthy: who was ill almost for certain before the tests "
                  "is so after them.")
assert_close(after_both(0.00001, 0.3, 0.2, 0.1), 0.0000049 / 0.1000039, "prior 0.00001, miss 0.3, false_alarm 0.2, both 0.1", of="prior", rtol=0, atol=1e-3,
             hint="Two tests are not enough to make so rare a disease likely.")
assert_close(after_both(0.5, 0.4, 1.0, 1.0), 0.18 / 0.68, "prior 0.5, miss 0.4, false_alarm 1, both 1", of="ill patients", rtol=1e-4,
             mistakes={"Both tests of an ill patient are positive with probability (1 - miss) squared.": 0.3 / 0.8,
                       "Each test of an ill patient is positive with probability 1 - miss.": 0.08 / 0.58,
                       "This is the prior: in your answer two positive tests come to the ill as often as to the healthy.": 0.5,
                       "1 - miss² is the probability that at least one test finds the illness; both do with (1 - miss)².": 0.42 / 0.92,
                       "For a healthy patient `both` is the probability of two positive tests: nothing is taken off.": 1.0,
                       "Two positive tests of an ill patient have probability (1 - miss)², not 1 - 2 · miss.": 0.1 / 0.6,
                       "The patient is ill once, with probability `prior`: the prior is not squared.": 0.09 / 0.59,
                       "Whatever `both` is, for an ill patient the two results are independent: both are positive "
                       "with (1 - miss)².": 0.6 / 1.1},
             hint=lambda: parts_of(after_both(0.5, 0.4, 1.0, 1.0), 0.18, 0.5))
assert_close(after_both(0.2, 0.4, 0.5, 0.4), 0.072 / 0.392, "prior 0.2, miss 0.4, false_alarm 0.5, both 0.4", of="healthy patients", rtol=1e-4,
             mistakes={"For healthy patients the tests are not independent.": 0.072 / 0.272,
                       "`false_alarm` is the probability of one positive test of a healthy patient: that of two is `both`.":
                           0.072 / 0.472,
                       "The patient is ill once, with probability `prior`: the priors are not squared.": 0.0144 / 0.2704,
                       "Given H = 0, both are positive with probability `both`, not `both` times `false_alarm` "
                       "(in two steps, the second has `both` / `false_alarm`).": 0.072 / 0.232,
                       "`both` is the probability of two positive tests already: it is not squared.": 0.072 / 0.2,
                       "For a healthy patient, too, both tests must be positive, not at least one.": 0.072 / 0.552},
             hint=lambda: parts_of(after_both(0.2, 0.4, 0.5, 0.4), 0.072, 0.32))
assert_close(after_both(0.0015, 0.01, 0.1, 0.02), 0.00147015 / 0.02144015, "prior 0.0015, miss 0.01, false_alarm 0.1, both 0.02",
             of="healthy patients", rtol=1e-4,
             hint="Here P(ill, both positive) = 0.00147015 and P(healthy, both positive) = 0.01997; nothing is rounded.")
### BEGIN HIDDEN TESTS
for before, miss_, false_, together in ((0.3, 0.25, 0.2, 0.1), (0.6, 0.4, 0.3, 0.3), (0.01, 0.7, 0.1, 0.03)):
    people = torch.tensor([(1 - before) * together, before * (1 - miss_) ** 2], dtype=torch.float64)
    words = f"prior {before}, miss {miss_}, false_alarm {false_}, both {together}"
    assert_close(after_both(before, miss_, false_, together), (people[1] / people.sum()).item(), words, of="ill patients", rtol=1e-4,
                 hint=lambda: where_they_part(after_both, lambda p, miss, alarm, both: p * (1 - miss) ** 2 / (p * (1 - miss) ** 2 + (1 - p) * both),
                                              prior=before, miss=miss_, false_alarm=false_, both=together) if before < 0.5 else
                 "P(ill, both positive) is divided by P(both positive), both with these four numbers; nothing is rounded.")
assert_close(after_both(0.7, 0.3, 0.2, 0.0), 1.0, "prior 0.7, miss 0.3, false_alarm 0.2, both 0", of="healthy patients", rtol=1e-4,
             hint="With `both` = 0 two positive tests never come to a healthy patient.")
assert_close(after_both(1e-6, 0.45, 0.3, 0.05), 0.0, "prior 0.000001, miss 0.45, false_alarm 0.3, both 0.05", of="prior", rtol=0, atol=1e-3,
             hint="Two tests are not enough to make so rare a disease likely.")
assert_close(after_both(0.999999, 0.1, 0.4, 0.3), 1.0, "prior 0.999999, miss 0.1, false_alarm 0.4, both 0.3", of="prior", rtol=1e-4,
             hint="Who was ill almost for certain before the tests is so after them.")
### END HIDDEN TESTS

# %% [markdown] teaches="expectation"
# ## Expectation
#
# A distribution is a whole list of numbers. Which single number says where it lies?
#
# The delay $X$ of a train in minutes is 0, 5, 20 or 60, with probabilities 0.7, 0.2, 0.08 and 0.02. In 100 rides you expect 70 times 0
# minutes, 20 times 5, 8 times 20 and 2 times 60, together 380, so 3.8 minutes a ride. This average, each value weighted with
# its probability, is the **expectation** (or *mean*) of $X$:
#
# $$E[X] = \sum_x x\,P(X = x).$$
#
# It is a dot product of values and probabilities. By the law of large numbers it is also what the mean of many draws tends to:

# %%
minutes, chance = torch.tensor([0., 5., 20., 60.]), torch.tensor([0.7, 0.2, 0.08, 0.02])
generator = torch.Generator().manual_seed(3)
rides = minutes[torch.multinomial(chance, 100_000, replacement=True, generator=generator)]
print(f"E[X] = {minutes @ chance:.2f}, mean of 100,000 rides: {rides.mean():.2f}")
print(f"E[X²] = {minutes ** 2 @ chance:.1f}, but E[X]² = {(minutes @ chance) ** 2:.1f}")

# %% [markdown]
# No train is ever 3.8 minutes late: the expected value need not be a value that occurs. Three rules are used all the time.
#
# - The expectation of a function: $E[f(X)] = \sum_x f(x)\,P(X = x)$. In general this is *not* $f(E[X])$, as the last line shows.
# - Constants: $E[aX + b] = a\,E[X] + b$.
# - Sums: $E[X + Y] = E[X] + E[Y]$, whether X and Y are independent or not.
#
# Decisions are made with expectations. Your appointment costs nothing if the train is on time or 5 minutes late, 40 at 20 minutes and
# 200 at 60. An earlier train would always cost you 15 in lost sleep. One row for each choice, one column for each delay:

# %%
costs = torch.tensor([[0., 0., 40., 200.], [15., 15., 15., 15.]])       # (2, 4): usual train, earlier train
expected_costs = costs @ chance                                         # (2, 4) @ (4,) -> (2,)
print("expected cost of the usual and of the earlier train:", expected_costs)
print(f"the cheaper choice is row {expected_costs.argmin()}, with {expected_costs.min():.1f}")

# %% [markdown] task="2.6.G" kind="code" minutes=2 difficulty=1 core=true needs="expectation, matrix-vector product"
# ### The cheapest choice
#
# Write `cheapest(costs, p)`. `costs` has shape (m, k): the cost of each of m choices for each of k outcomes; `p`, of shape (k,), holds
# the probabilities of the outcomes. A cost may be negative (a gain). Return `(choice, cost)`: the row with the smallest expected
# cost, and that cost.
#
# **You are done when**
# - **cost**: the second number is the smallest expected cost;
# - **choice**: the first one is its row, counted from 0.

# %% exercise="2.6.G"
def cheapest(costs, p):
    """(row, expected cost) of the choice with the smallest expected cost: (m, k), (k,) -> two numbers."""
    ### BEGIN SOLUTION
    expected = costs @ p
    return expected.argmin(), expected.min()
    ### END SOLUTION

# %% [markdown] hints="2.6.G"
# 1. What is the expected cost of one row?
# 2. All expected costs at once are a matrix-vector product. `argmin` gives the place of the smallest entry, `min` its value.
# 3. For expected costs 7.2 and 15 the answer is `(0, 7.2)`.

# %% check="2.6.G" points=1
def which_row_costs(cost, expected):
    try:
        rows = [i for i, value in enumerate(expected) if abs(float(cost) - value) < 1e-3 * max(1, abs(value))]
        smallest = expected.index(min(expected))
        if rows:
            return f"This is the expected cost of row {rows[0]}; that of row {smallest} is smaller: by what is the row chosen? "
        return f"No row has the expected cost {float(cost):.6g}: if the first row is compared with it, costs may be larger. "
    except Exception:
        return ""

prices = torch.tensor([[7.5, 3., 0.25], [0.5, 2., 20.], [3., 5., 2.], [1., 2., 9.], [5., 9., 6.]])      # expected: 4.7, 4.85, 3.4, 2.9, 6.4
chances = torch.tensor([0.5, 0.3, 0.2])
answer = cheapest(prices, chances)
assert_type(answer, (tuple, list), "what cheapest returns", of="cost", hint="Return both numbers, with a comma between them: `return choice, cost`.")
assert_equal(len(answer), 2, "how many numbers cheapest returns", of="cost", hint="Return two numbers: `return choice, cost`.")
words = "rows (7.5, 3, 0.25), (0.5, 2, 20), (3, 5, 2), (1, 2, 9), (5, 9, 6) and p = (0.5, 0.3, 0.2)"
assert_close(answer[1], 2.9, f"the cost for {words}", of="cost", rtol=1e-4,
             mistakes={"This is the largest expected cost, that of row 4.": 6.4,
                       "This is the expected cost of row 1, which is the cheapest for the likeliest outcome; row 3 is cheaper on average.": 4.85, "No row has the expected cost 0: with what is the first row compared?": 0.0,
                       "An expected cost need not be a whole number: leave it as it is.": 2.0,
                       "Row 3 is cheaper. Row 2 has the mildest worst case, and is the best of the first three: compare the expected costs of all rows.": 3.4,
                       "This is one cost times its probability: the expected cost of a row is the sum over the whole row.": 0.05,
                       "This is the cost of row 1 for the likeliest outcome: weight the whole row with `p`.": 0.5,
                       "The order is (choice, cost).": 3.0, "Weight the costs with their probabilities.": 10 / 3, "The probabilities make 1: do not divide by k.": 2.9 / 3,
                       "A single cost is not an expected one: weight the whole row with `p`.": 0.25, "This is the smallest cost in row 3: its expected cost is asked.": 1.0,
                       "This is the expected cost of row 0, which holds the smallest single cost; row 3 is cheaper.": 4.7,
                       "This is the sum of a column, each cost times its probability: the expected cost of a choice is the sum along its row.": 6.3,
                       "This is a single cost, the largest one of row 2: compare the expected costs of the rows.": 5.0},
             hint="The expected cost of row 3 is 0.5 · 1 + 0.3 · 2 + 0.2 · 9 = 2.9, those of the others are 4.7, 4.85, 3.4 and 6.4; the smallest is asked.")
assert_equal(answer[0], 3, f"the choice for {words}", of="choice",
             mistakes={"Row 1 is the cheapest for the likeliest outcome, but not on average.": 1,
                       "Row 2 has the smallest plain mean and the mildest worst case, but not the smallest expected cost.": 2,
                       "Rows are counted from 0.": 4, "Row 0 holds the smallest single cost, but not the smallest expected one.": 0},
             hint="The cost is right: the first number is the row that has it, counted from 0, as a whole number.")
fair = torch.tensor([0.5, 0.5])
gains = cheapest(torch.tensor([[-5., 1.], [2., -3.], [4., -1.]]), fair)        # expected: -2, -0.5, 1.5
assert_close(gains[1], -2.0, "the cost for rows (-5, 1), (2, -3), (4, -1) and p = (0.5, 0.5)", of="cost", rtol=1e-4,
             mistakes={"A cost may be negative: leave its sign.": 2.5, "A cost may be negative: leave the sign of the expected cost.": 0.5,
                       "An expected cost may be negative: it is not compared with 0, nor cut off there.": 0.0,
                       "Row 1 has the expected cost nearest to 0; the smallest is the one farthest below 0: leave the signs.": -0.5,
                       "This is the largest of the three.": 1.5},
             hint="The expected costs of the rows are -2, -0.5 and 1.5: the smallest is asked.")
assert_equal(gains[0], 0, "the choice for rows (-5, 1), (2, -3), (4, -1) and p = (0.5, 0.5)", of="choice",
             hint="Row 0 has the smallest expected cost, -2.")
dear = cheapest(torch.tensor([[4e6, 5e6], [1e6, 3e6]]), fair)
assert_close(dear[1], 2e6, "the cost for rows (4000000, 5000000), (1000000, 3000000) and p = (0.5, 0.5)", of="cost", rtol=1e-4,
             mistakes={"This is the expected cost of row 0; the last row is cheaper.": 4.5e6,
                       "No row has the expected cost 1,000,000: is the first row compared with a number that costs may exceed?":
                           1e6},
             hint=lambda: which_row_costs(dear[1], [4.5e6, 2e6]) + "With what is the first row compared?")
assert_equal(dear[0], 1, "the choice for rows (4000000, 5000000), (1000000, 3000000) and p = (0.5, 0.5)", of="choice",
             hint="Row 1 has the smallest expected cost, 2,000,000.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(66)
for m, k in ((5, 3), (2, 6), (7, 7)):
    for shift, unit in ((0, 10), (-6, 10), (-20, 15), (3e4, 2e4)):
        prices, chances = shift + unit * torch.rand(m, k, generator=rng), torch.rand(k, generator=rng)
        chances = chances / chances.sum()
        sums = [sum(c * q for c, q in zip(row, chances.tolist())) for row in prices.tolist()]
        answer, words = cheapest(prices, chances), f"{m} choices and {k} outcomes, costs from {shift:g} to {shift + unit:g}"
        assert_close(answer[1], min(sums), f"the cost for {words}", of="cost", rtol=1e-3, atol=1e-5,
                     hint=lambda: "Costs may be negative, and of any size; compare the expected costs of all rows." if any(abs(float(answer[1]) - s) < 1e-3 for s in sums) else
                                  "No row has this expected cost: weight each cost with its probability, and begin the comparison with the first row.")
        assert_equal(answer[0], sums.index(min(sums)), f"the choice for {words}", of="choice",
                     hint="The row with the smallest expected cost is asked, counted from 0.")
### END HIDDEN TESTS

# %% [markdown] teaches="variance, standard deviation"
# ## Variance and standard deviation
#
# A train that is always 3.8 minutes late has the same expectation as the one above. You would plan for it differently. What is
# missing is how far $X$ strays from its mean $\mu = E[X]$. The difference $X - \mu$ is 0 on average, so square it first:
#
# $$\operatorname{Var}(X) = E[(X - \mu)^2],\qquad \sigma = \sqrt{\operatorname{Var}(X)}.$$
#
# The **variance** is in squared minutes; its root, the **standard deviation** σ, is in minutes again, and says how far from the mean
# is usual. Multiplied out, $E[X^2 - 2\mu X + \mu^2] = E[X^2] - 2\mu\mu + \mu^2$, so
# $\operatorname{Var}(X) = E[X^2] - \mu^2$. From the definition, $\operatorname{Var}(aX + b) = a^2 \operatorname{Var}(X)$: a
# shift changes no distances, a factor changes their squares.

# %%
mean_delay = minutes @ chance
variance = (minutes - mean_delay) ** 2 @ chance
print(f"variance {variance:.2f}, also {minutes ** 2 @ chance - mean_delay ** 2:.2f}; standard deviation {variance.sqrt():.2f} minutes")

# %% [markdown]
# Those are the variance and mean of a *distribution*. A *sample* has them too, with a trap. `var()` of torch divides by $n - 1$, not
# by n. Distances are taken from the sample's own mean, which lies as close to the sample as possible, so their squares are too
# small on average; $n - 1$ makes up for that. With `correction=0` torch divides by n. Twenty thousand samples of size 3 from
# a die, whose variance is 35/12 = 2.917:

# %%
few = torch.tensor([1., 2., 3., 6.])                    # squared distances from the mean 3: 4, 1, 0, 9
print(f"divided by n - 1: {few.var():.3f}, by n: {few.var(correction=0):.3f}")
throws = torch.randint(1, 7, (20_000, 3), generator=generator).float()
print(f"average of var(): {throws.var(dim=1).mean():.3f}, with correction=0: {throws.var(dim=1, correction=0).mean():.3f}")

# %% [markdown] task="2.6.H" kind="code" minutes=3 difficulty=1 core=true needs="expectation, variance, standard deviation"
# ### Centre and spread
#
# Write `mean_and_deviation(values, p)`: for a random variable with the given values and their probabilities, both of shape (k,),
# return `(mean, deviation)`, its expectation and its standard deviation.
#
# **You are done when**
# - **mean**: the first number is the expectation;
# - **deviation**: the second one is the standard deviation of this distribution, not of the list of values.

# %% exercise="2.6.H"
def mean_and_deviation(values, p):
    """(expectation, standard deviation) of a random variable: (k,), (k,) -> two numbers."""
    ### BEGIN SOLUTION
    mean = values @ p
    return mean, ((values - mean) ** 2 @ p).sqrt()
    ### END SOLUTION

# %% [markdown] hints="2.6.H"
# 1. Which two lines of worked code above compute these for the train?
# 2. Every average here is weighted with `p`: of the values, and of their squared distances from the mean.
# 3. A fair coin that pays 0 or 10: the mean is 5, both squared distances are 25, so the standard deviation is 5.

# %% check="2.6.H" points=1
def deviation_elsewhere():
    try:
        x, p = torch.tensor([-1., 0., 5.]), torch.tensor([0.25, 0.25, 0.5])
        here, shifted, doubled = (float(mean_and_deviation(v, p)[1]) for v in (x, x + 100, 2 * x))
        even = float(mean_and_deviation(torch.tensor([-6., 0., 6.]), torch.ones(3) / 3)[1])
        if abs(here - 7.6875 ** 0.5) < 0.05 and 1e-4 < abs(even - 24 ** 0.5) < 0.05:
            return "Yours is near, but not the deviation itself: it is worked out from all values, and neither drawn nor rounded. "
        if abs(shifted - here) > 0.01:
            return f"Where 100 is added to all values, no distance from the mean changes; yours becomes {shifted:.4g}: what is measured is not that distance. "
        if abs(doubled - 2 * here) > 0.01:
            return f"Where all values are twice as large, the deviation is, too; yours becomes {doubled / here:.3g} times as large: is each distance squared, and the root taken at the end? "
        if abs(even - 24 ** 0.5) < 0.01:
            return "Where the probabilities are equal (values -6, 0 and 6), yours is right: look at where `p` counts in the mean, and in the average of the squares. "
        return f"For the values -6, 0 and 6, equally likely, the squared distances from the mean are 36, 0 and 36, on average 24, so the deviation is 4.899; yours is {even:.4g}. "
    except Exception:
        return ""

pair = mean_and_deviation(torch.tensor([-1., 0., 5.]), torch.tensor([0.25, 0.25, 0.5]))
assert_type(pair, (tuple, list), "what mean_and_deviation returns", of="mean", hint="Return both numbers, with a comma between them: `return mean, deviation`.")
assert_equal(len(pair), 2, "how many numbers mean_and_deviation returns", of="mean", hint="Return two numbers: `return mean, deviation`.")
assert_close(pair[0], 2.25, "the mean for values -1, 0, 5 and p = (0.25, 0.25, 0.5)", of="mean", rtol=1e-4,
             mistakes={"The order is (mean, deviation).": 7.6875 ** 0.5, "Weight the values with `p`.": 4 / 3, "One value is not the mean: all three count, with their `p`.": 5.0, "The probabilities make 1: do not divide by k.": 0.75,
                       "A value may be negative: leave its sign.": 2.75},
             hint=lambda: ("Yours is near, but not the expectation itself: it is worked out from all values, and neither drawn nor rounded. " if abs(float(pair[0]) - 2.25) < 0.05 else "") +
                          "It is -1 · 0.25 + 0 · 0.25 + 5 · 0.5.")
assert_close(pair[1], 7.6875 ** 0.5, "the standard deviation for values -1, 0, 5 and p = (0.25, 0.25, 0.5)", of="deviation", rtol=1e-4,
             mistakes={"Take the root of the sum, not the sum of the roots.": 3.25 * 0.5 + 2.25 * 0.5 + 2.75 * 0.5 ** 0.5,
                       "The square of the mean is taken off E[X²], not added.": (12.75 + 2.25 ** 2) ** 0.5,
                       "Measure the distances from the mean, not from the most probable value.": (0.25 * 36 + 0.25 * 25) ** 0.5,
                       "The distances are those of the values: `p` weights their squares, not the values.":
                           (2.5 ** 2 + 2.25 ** 2 + 0.25 ** 2) ** 0.5,
                       "The distances themselves make 0 on average: square each one before it is weighted.": 0.0,
                       "This is the variance.": 7.6875, "This is the root of E[X²], so the distances are those from 0: the mean is missing.": 12.75 ** 0.5,
                       "E[X²] - E[X]² has the square of the mean.": 10.5 ** 0.5,
                       "Weight the squared distances with `p`.": ((3.25 ** 2 + 2.25 ** 2 + 2.75 ** 2) / 3) ** 0.5,
                       "Square the distances: this is their absolute size, averaged.": 2.75,
                       "This is the deviation of the list of values, without `p`.": torch.tensor([-1., 0., 5.]).std().item(),
                       "This is the deviation of the values, without `p`.": torch.tensor([-1., 0., 5.]).std(correction=0).item(),
                       "Weight the squared distances, not the values before they are squared.": torch.tensor([-0.25, 0., 2.5]).std().item(),
                       "Weight the squared distances, not the values themselves.": torch.tensor([-0.25, 0., 2.5]).std(correction=0).item(),
                       "`p` is not squared: weight the squared distances.": ((0.25 * 3.25) ** 2 + (0.25 * 2.25) ** 2 + (0.5 * 2.75) ** 2) ** 0.5,
                       "The squared distances are added up without their probabilities.": 23.1875 ** 0.5,
                       "Measure the distances from the weighted mean, 2.25.": ((7 / 3) ** 2 / 4 + (4 / 3) ** 2 / 4 + (11 / 3) ** 2 / 2) ** 0.5,
                       "The probabilities make 1: do not divide by k, nor by k - 1.": (7.6875 / 3) ** 0.5,
                       "No sample is used here, so there is nothing to make up for with k - 1.": (7.6875 * 1.5) ** 0.5},
             hint=lambda: deviation_elsewhere() + "The distances from the mean are -3.25, -2.25 and 2.75: square them, weight them with `p`, add them up, then take the root.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(67)
for k in (1, 2, 9):
    x, chances = 3 * torch.randn(k, generator=rng) - 4, torch.rand(k, generator=rng)
    chances = chances / chances.sum()
    pairs_ = list(zip(x.tolist(), chances.tolist()))
    m = sum(v * q for v, q in pairs_)
    pair = mean_and_deviation(x, chances)
    assert_close(pair[0], m, f"the mean of a variable with {k} values", of="mean", rtol=1e-4, atol=1e-6,
                 hint="Entry i of `values` counts with entry i of `p`, in the order of the call.")
    assert_close(pair[1], math.sqrt(sum((v - m) ** 2 * q for v, q in pairs_)), f"the standard deviation of a variable with {k} values",
                 of="deviation", rtol=1e-3, atol=3e-3, hint=lambda: deviation_elsewhere() + "Entry i counts with its squared distance from the mean, and with entry i of `p`.")
### END HIDDEN TESTS

# %% [markdown] teaches="covariance, correlation"
# ### Covariance: do two variables stray together?
#
# The **covariance** multiplies the two distances from the mean:
#
# $$\operatorname{Cov}(X, Y) = E[(X - \mu_X)(Y - \mu_Y)] = E[XY] - \mu_X\,\mu_Y.$$
#
# It is positive where X and Y tend to be large together, negative where one is large when the other is small, and 0 for independent
# variables, because then $\sum_{x,y} x\,y\,P(x)\,P(y)$ splits into two factors, $E[XY] = E[X]\,E[Y]$. The covariance of X with itself is its variance.
# Divided by both standard deviations, the covariance becomes the *correlation*, a number from -1 to 1 that has no unit: minutes or hours, it is the same.

# %% tags=["demo"]
generator = torch.Generator().manual_seed(4)
x, noise = torch.randn(300, generator=generator), torch.randn(300, generator=generator)
fig, axes = plt.subplots(1, 4, figsize=(9, 2.6), sharex=True, sharey=True, layout="constrained")
for ax, y in zip(axes, (-0.9 * x + 0.4 * noise, noise, 0.9 * x + 0.4 * noise, 0.5 * (x ** 2 - 1))):
    ax.plot(x, y, ".", markersize=3)
    ax.set(xlabel="x", title=f"covariance {((x - x.mean()) * (y - y.mean())).mean():.2f}", xticks=(-3, 0, 3))
axes[0].set_ylabel("y")
plt.show()

# %% [markdown]
# *What to see:* the cloud falls, has no direction, rises. The fourth picture is a warning. Its covariance is small as in the second,
# but y is *computed* from x. Covariance sees straight lines only: independent variables have covariance 0, but covariance 0 does not
# make variables independent. The exact table for $X \in \{-1, 0, 1\}$, all equally likely, and $Y = X^2$:

# %%
x_values, y_values = torch.tensor([-1., 0., 1.]), torch.tensor([0., 1.])
square_table = torch.tensor([[0., 1.], [1., 0.], [0., 1.]]) / 3   # P(X = x, Y = y): (3, 2)
x_chance, y_chance = square_table.sum(dim=1), square_table.sum(dim=0)
mean_x, mean_y = x_values @ x_chance, y_values @ y_chance
print("Cov(X, Y) =", ((x_values - mean_x)[:, None] * (y_values - mean_y)[None, :] * square_table).sum().item())
print(f"P(X = 0, Y = 1) = {square_table[1, 1]:.2f}, but P(X = 0) P(Y = 1) = {x_chance[1] * y_chance[1]:.2f}")

# %% [markdown] task="2.6.I" kind="code" minutes=3 difficulty=2 needs="joint probability, covariance"
# ### Covariance from a table
#
# Write `covariance(joint, x, y)`. `joint` has shape (m, n), entry (i, j) is the probability that X is `x[i]` and Y is `y[j]`; `x` has
# shape (m,), `y` has shape (n,). Return $\operatorname{Cov}(X, Y)$ as a number.
#
# **You are done when**
# - **weights**: every pair of values counts with its joint probability;
# - **centre**: X and Y are measured from their own means: adding 100 to all of `x` changes nothing.

# %% exercise="2.6.I"
def covariance(joint, x, y):
    """Cov(X, Y) from P(X = x[i], Y = y[j]): (m, n), (m,), (n,) -> a number."""
    ### BEGIN SOLUTION
    mean_x, mean_y = x @ joint.sum(dim=1), y @ joint.sum(dim=0)
    return ((x - mean_x)[:, None] * (y - mean_y)[None, :] * joint).sum()
    ### END SOLUTION

# %% [markdown] hints="2.6.I"
# 1. You need three expectations. From which distribution does each come: the joint one, or a marginal one?
# 2. `x[:, None] * y[None, :]` is the table of all products; weighted with `joint`, its sum is $E[XY]$.
# 3. For two values each, 0 and 1, with P(1, 1) = 0.4 and margins 0.5 and 0.5: 0.4 - 0.5 · 0.5 = 0.15.

# %% check="2.6.I" points=1
def which_weights():
    try:
        signs = torch.tensor([-1., 1.])
        alike, apart = (float(covariance(pairs, signs, signs)) for pairs in (torch.eye(2) / 2, torch.eye(2).flip(0) / 2))
        if abs(alike) < 1e-4 and abs(apart) < 1e-4:
            return ("Where X and Y are always equal (-1 and -1, or 1 and 1, equally likely) the covariance is 1, where one is always minus the other it is -1; yours is 0 both times. "
                    "Of each pair, multiply the distance of X from its mean and that of Y from its own, weight the product with its own entry of `joint` "
                    "(the margins alone are the same in both cases), and add up. ")
        if abs(alike) < 1e-4:
            return ("Also where X and Y are always equal (-1 and -1, or 1 and 1) yours is 0, and should be 1: of each pair, "
                    "multiply the distance of X from its mean and that of Y from its own, weight the product with its joint probability, and add up. ")
        if abs(alike - 1) > 1e-4:
            return f"Where X and Y are always equal (-1 and -1, or 1 and 1, equally likely), the covariance is 1; yours is {alike:.4g}. "
        return ""
    except Exception:
        return ""

def which_centre(table, x, y):
    try:
        here = float(covariance(table, x, y))
        moved = [abs(float(covariance(table, x + a, y + b)) - here) > 0.01 for a, b in ((10, 0), (0, 10))]
        if any(moved):
            return f"Where 10 is added to {' or to '.join(name for name, off in zip(('all of x', 'all of y'), moved) if off)}, yours changes: it is not measured from its own mean. "
        return "A shift of x or of y does not change yours: look at the weights of the products. "
    except Exception:
        return ""

even, x_, y_ = torch.tensor([[0.3, 0.45], [0.2, 0.05]]), torch.tensor([-1., 3.]), torch.tensor([-1., 1.])      # means 0 and 0
assert_close(covariance(even, x_, y_), -0.6,
             "the table with rows (0.3, 0.45), (0.2, 0.05), x = (-1, 3), y = (-1, 1)", of="weights",
             rtol=1e-4, mistakes={"Every value of X makes a pair with every value of Y: this counts pairs in the same place only.":
                                      0.45,
                                  "A covariance is divided by nothing: not by a number of entries less 1, nor by the variance of X.":
                                      -0.2,
                                  "A table of probabilities is no sample: there is no factor such as n/(n - 1), here 4/3.": -0.8,
                                  "This is the correlation: do not divide by the standard deviations.": -0.6 / 3 ** 0.5,
                                  "A distance from the mean has a sign: leave it.": 1.5,
                                  "A covariance can be negative.": 0.6,
                                  "Measure X and Y from their means, not from their first values.": 0.4,
                                  "The probabilities make 1: do not divide by the number of entries.": -0.15,
                                  "The margins are exchanged: the sums of the rows belong to X, those of the columns to Y.": -0.1,
                                  "The margins may be exchanged: the sums of the rows belong to X, those of the columns to Y.":
                                      -1.1,
                                  "Each product counts with its probability once: the probabilities are not squared.": -0.225,
                                  "This is the variance of X: the second factor comes from Y.": 3.0,
                                  "This is the covariance of the lists `x` and `y`, as `torch.cov` gives it: `joint`, which says how likely each pair is, does not count in it.": 4.0,
                                  "This is the covariance of the lists `x` and `y`, divided by n: `joint`, which says how likely each pair is, does not count in it.": 2.0},
             hint=lambda: which_weights() + "Both means are 0 here, so it is (-1)(-1) · 0.3 + (-1)(1) · 0.45 + 3(-1) · 0.2 + 3(1) · 0.05, one number.")
table, x_, y_ = torch.tensor([[0.3, 0.1, 0.0], [0.1, 0.1, 0.4]]), torch.tensor([1., 3.]), torch.tensor([1., 2., 4.])
words = "the table with rows (0.3, 0.1, 0), (0.1, 0.1, 0.4), x = (1, 3), y = (1, 2, 4)"
assert_close(covariance(table, x_, y_), 0.92, words, of="centre", rtol=1e-4,
             mistakes={"This is E[XY]: the product of the means is missing.": 6.2,
                       "From E[XY] the product of both means is taken off, not one mean alone.": 4.0,
                       "From E[XY] the product of both means is taken off, not the mean of Y alone.": 3.8,
                       "From E[XY] the product of the means is taken off, not their sum.": 1.6,
                       "The product of the means is taken off E[XY], not added.": 11.48,
                       "The probabilities make 1: a mean is the sum of the weighted values, divided by nothing.":
                           0.92 + 5 / 6 * 2.2 * 5 / 6 * 2.4,
                       "The means of X and Y are weighted with their probabilities.": 0.92 + 0.2 * (2.4 - 7 / 3),
                       "Measure X and Y from their means, not from their first values.": 2.6},
             hint=lambda: which_centre(table, x_, y_) + "X is measured from its mean 2.2 and Y from its mean 2.4, and each product is weighted with `joint`.")
assert_close(covariance(table, x_ + 100, y_), 0.92, "the same table, with 100 added to x", of="centre", rtol=1e-3,
             hint="A shift must not change it: X is measured from its own mean, which has moved by 100, too.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(68)
for m, n in ((2, 5), (4, 3), (3, 3)):
    table = torch.rand(m, n, generator=rng)
    table = table / table.sum()
    x_, y_ = torch.randn(m, generator=rng), 2 * torch.randn(n, generator=rng) + 1
    cells = [(table[i, j].item(), x_[i].item(), y_[j].item()) for i in range(m) for j in range(n)]
    mx, my = sum(q * a for q, a, b in cells), sum(q * b for q, a, b in cells)
    wanted = sum(q * (a - mx) * (b - my) for q, a, b in cells)
    assert_close(covariance(table, x_, y_), wanted, f"a random table of shape ({m}, {n})", of="weights", rtol=1e-4, atol=1e-6,
                 hint=lambda: which_centre(table, x_, y_) + "Every pair of a value of X and a value of Y counts, with its own entry of `joint`.")
    assert_close(covariance(table, x_ - 30, y_ + 20), wanted, "the same table, with x and y shifted", of="centre", rtol=1e-3, atol=1e-3,
                 hint=lambda: which_centre(table, x_, y_) + "X and Y are measured from their own means.")
### END HIDDEN TESTS

# %% [markdown] teaches="covariance matrix"
# ### All covariances in one matrix
#
# Three variables or more are written as one vector $\mathbf x = (X_1, \dots, X_d)$ with the vector of means $\boldsymbol\mu$. Their **covariance matrix** is
#
# $$\Sigma = E\big[(\mathbf x - \boldsymbol\mu)(\mathbf x - \boldsymbol\mu)^\top\big].$$
#
# A column of shape (d, 1) times a row of shape (1, d) is a table of all products, so entry (i, j) of Σ is
# $\operatorname{Cov}(X_i, X_j)$. The variances stand on the diagonal, and Σ equals its transpose. From a sample of n vectors, the rows of a table
# of shape (n, d), the estimate is $C^\top C / (n - 1)$, where $C$ holds the rows less their mean. `torch.cov` does the same; *its*
# argument has a *row* for each variable.

# %%
sample = torch.tensor([[1., 2., 0.], [2., 4., 1.], [3., 3., -1.], [6., 7., 0.]])      # n = 4 observations of d = 3 variables
C = sample - sample.mean(dim=0)                         # (4, 3)
print(C.T @ C / (len(sample) - 1))                      # (3, 4) @ (4, 3) -> (3, 3)
print("the same by torch.cov:", torch.allclose(torch.cov(sample.T), C.T @ C / (len(sample) - 1)))

# %% [markdown] teaches="variance of a sum, variance of a mean"
# ### Sums and means
#
# With $a = X - \mu_X$ and $b = Y - \mu_Y$, $(a + b)^2 = a^2 + b^2 + 2ab$. Take expectations:
#
# $$\operatorname{Var}(X + Y) = \operatorname{Var}(X) + \operatorname{Var}(Y) + 2\operatorname{Cov}(X, Y).$$
#
# For independent variables the last term is 0: *variances add, standard deviations do not*. Now the most useful line of this page.
# The mean of n independent draws, each with variance σ², has variance
#
# $$\operatorname{Var}\Big(\tfrac1n \sum_{i=1}^n X_i\Big) = \frac1{n^2} \sum_{i=1}^n \operatorname{Var}(X_i) = \frac{n\sigma^2}{n^2} = \frac{\sigma^2}{n},
# \qquad\text{standard deviation } \frac{\sigma}{\sqrt n}.$$
#
# Four times the data halve the error; one more digit costs a hundred times the data. With the delays, σ = 9.72:

# %%
generator = torch.Generator().manual_seed(5)
for n in (1, 4, 16, 64, 256):
    rides = minutes[torch.multinomial(chance, 5_000 * n, replacement=True, generator=generator)].reshape(5_000, n)
    print(f"n = {n:3}: deviation of 5,000 means {rides.mean(dim=1).std():.2f}, predicted {9.72 / n ** 0.5:.2f}")

# %% [markdown]
# This is also why 10,000 tosses were ten times as far off in number as 100, and ten times nearer in share. Turned round, the formula
# says how many draws a target takes. For a deviation of half a minute, $\sigma^2/n \le 0.5^2$, so $n \ge 94.56 / 0.25$:

# %%
print("rides for a deviation of 0.5 minutes:", 94.56 / 0.5 ** 2, "so", math.ceil(94.56 / 0.5 ** 2))      # ceil rounds up

# %% [markdown] task="2.6.3a" kind="code" minutes=2 difficulty=1 core=true needs="variance, variance of a mean"
# ### How much a share strays
#
# A coin shows heads with probability p. Write `share_variance(p, n)`: the variance of the share of heads among n independent tosses.
# How does it scale with n?
#
# **You are done when**
# - **one toss**: for n = 1 it is the variance of a variable that is 1 with probability p and 0 otherwise;
# - **scaling**: it depends on n as it must.

# %% exercise="2.6.3a"
def share_variance(p, n):
    """The variance of the share of heads in n tosses of a coin with P(heads) = p."""
    ### BEGIN SOLUTION
    return p * (1 - p) / n
    ### END SOLUTION

# %% [markdown] hints="2.6.3a"
# 1. Let $X$ be 1 for heads and 0 for tails. What are $E[X]$ and $E[X^2]$?
# 2. The share of heads is the mean of n such variables.
# 3. A variable that is 10 with probability 0.2 and 0 otherwise has mean 2 and variance 20 - 4 = 16; the mean of 8 of them has 2.

# %% check="2.6.3a" points=1
assert_close(share_variance(0.2, 1), 0.16, "p = 0.2, one toss", of="one toss", rtol=1e-4,
             mistakes={"This is the standard deviation.": 0.4, "This is E[X²]: subtract the square of the mean.": 0.2,
                       "This is the variance for a fair coin: it depends on p.": 0.25,
                       "This is the squared distance of the value 1 from the mean: weight it, and add that of the value 0.":
                           0.64,
                       "This is the square of the mean, E[X]²: it is taken off E[X²].": 0.04,
                       "This counts p twice: a head has the factor p once, and a tail the factor 1 - p once.": 0.032,
                       "A variance of 0 means that every toss gives the same. (`p * 1 - p` is p - p: are there brackets?)": 0.0},
             hint="The values 1 and 0 have the probabilities 0.2 and 0.8; their squared distances from the mean 0.2 are "
                  "0.64 and 0.04. Nothing is drawn.")
assert_close(share_variance(0.75, 1), 0.1875, "p = 0.75, one toss", of="one toss", rtol=1e-4,
             mistakes={"It depends on p.": 0.16, "This is the square of the smaller probability.": 0.0625,
                       "This is the smaller of the two probabilities.": 0.25},
             hint=lambda: "The values 1 and 0 have the probabilities 0.75 and 0.25, the mean is 0.75, and nothing is rounded. "
                          + ("" if abs(share_variance(0.25, 1) - share_variance(0.75, 1)) < 1e-6 else
                             "Where heads and tails change places, p = 0.25, the variance is the same; "
                             f"yours is {share_variance(0.25, 1):.4g} there."))
assert_close(share_variance(0.2, 6), 0.16 / 6, "p = 0.2, 6 tosses", of="scaling", rtol=1e-4,
             mistakes={"This is the variance of the number of heads, not of the share.": 0.96,
                       "The variance falls like 1/n; it is the standard deviation that falls like the root.": 0.16 / 6 ** 0.5,
                       "The variance falls like 1/n, not like its square.": 0.16 / 36,
                       "Divide the whole variance of one toss by n, not p alone.": 0.2 / 6 - 0.04,
                       "Divide the whole variance of one toss by n, not p² alone.": 0.2 - 0.04 / 6,
                       "The variance of the mean of n draws is that of one draw divided by n.": 0.16,
                       "The variance of one toss is divided by n; p itself is not.": 0.2 / 6 * (1 - 0.2 / 6),
                       "This has n - 1 for n.": 0.16 / 5},
             hint=lambda: f"Where n is 12 in place of 6, the variance is half as large; yours is {share_variance(0.2, 12) / share_variance(0.2, 6):.4g} times as large. "
                          "One toss has variance 0.16, and the share is the mean of 6 tosses.")
### BEGIN HIDDEN TESTS
for p_ in (0.5, 0.9, 0.03, 1.0):
    assert_close(share_variance(p_, 1), sum(q * (v - p_) ** 2 for v, q in ((0, 1 - p_), (1, p_))), f"p = {p_}, one toss",
                 of="one toss", rtol=1e-4, atol=1e-9, hint="The variance of one toss follows from its two values, 1 and 0, and from p, for every p.")
for p_, n_ in ((0.5, 3), (0.9, 50), (0.03, 7)):
    exact = sum(math.comb(n_, k) * p_ ** k * (1 - p_) ** (n_ - k) * (k / n_ - p_) ** 2 for k in range(n_ + 1))
    assert_close(share_variance(p_, n_), exact, f"p = {p_}, {n_} tosses", of="scaling", rtol=1e-4,
                 hint="The share is the mean of n independent variables with the variance of one toss.")
### END HIDDEN TESTS

# %% [markdown] teaches="epistemic uncertainty, aleatoric uncertainty"
# ### Two kinds of uncertainty
#
# Does more data always make us more certain? Take n delays, and use their mean twice: as an estimate of the expectation 3.8, and as a prediction of the
# *next* delay. How far off is each, as the root of the mean square of 5,000 repetitions?

# %%
generator = torch.Generator().manual_seed(12)
for n in (4, 64, 1024):
    rides = minutes[torch.multinomial(chance, 5_000 * (n + 1), replacement=True, generator=generator)].reshape(5_000, n + 1)
    means, next_delay = rides[:, :n].mean(dim=1), rides[:, n]
    print(f"n = {n:4}: off from 3.8 by {(means - 3.8).square().mean().sqrt():.2f}, from the next delay by {(means - next_delay).square().mean().sqrt():.2f}")

# %% [markdown]
# The first column goes to 0: this uncertainty is ours, for want of data, and is called **epistemic** (of what we know). The second one stops falling
# near σ = 9.72 (up to the chance in 5,000 repetitions): this uncertainty is that of the trains, and no list of old delays removes it. It is called **aleatoric** (of the dice).
# A network that gives a class the probability 0.5 may mean either: it has seen too little, or the picture shows a coin in the air.

# %% [markdown] task="2.6.1" kind="explain" minutes=8 difficulty=3 needs="variance of a mean, standard deviation, epistemic uncertainty"
# ### Uncertainty that data can remove
#
# First a number. Write `tosses_for(deviation)`: the smallest number of tosses of a coin after which the standard deviation of the share of
# heads is at most `deviation`, *whatever* the coin's p is. `deviation` is a number larger than 0; it may be larger than 0.5.
#
# Then describe in the second cell, in five to ten sentences, one situation of your own in which more and more observations make the
# uncertainty about something as small as you like. Say (1) what the unknown thing is and what is observed, (2) by which number you measure the uncertainty, how it depends on n, and
# how many observations one target of your choice takes, (3) what must hold for the observations, so that this works.
#
# **You are done when**
# - **enough**: after so many tosses the standard deviation is at most `deviation`, for every p between 0 and 1;
# - **smallest**: it is a whole number, and with one toss fewer this would not hold (at most: a deviation that equals the target is enough);
#
# and your text has all three points, (2) with a rate and a number, (3) with a reason: each earns one point.

# %% exercise="2.6.1"
def tosses_for(deviation):
    """The least n for which the share of heads has at most this standard deviation, for every coin."""
    ### BEGIN SOLUTION
    return math.ceil(1 / (4 * deviation ** 2))
    ### END SOLUTION

# %% [markdown] hints="2.6.1"
# 1. For which p is the variance of one toss largest? Draw $p(1 - p)$, or set its derivative to zero.
# 2. Set the standard deviation of the share equal to the target, solve for n, and round up: `math.ceil(2.1)` is 3.
# 3. For a variable with variance 9 at most, and a target of 0.5: 9 / n ≤ 0.25, so n = 36.

# %% check="2.6.1" points=1
for target, least in ((0.03, 278), (0.2, 7), (0.25, 4), (0.8, 1)):
    n_ = tosses_for(target)
    assert_type(n_, (int, float, torch.Tensor), f"tosses for a deviation of {target}", of="enough", hint="Return a number.")
    assert_true(float(n_) > 0.5, f"the number of tosses for a deviation of {target} is at least 1", of="enough",
                hint="Without a toss there is no share: one toss is needed, however large `deviation` is.")
    assert_true(float(n_) >= 0.25 / target ** 2 - 1e-6, f"a fair coin strays by at most {target} after {float(n_):g} tosses", of="enough",
                hint=("Round up, not down or to the nearest. " if float(n_) == 0.25 // target ** 2 else
                      "It is the variance that falls like 1/n: the deviation must be squared. " if float(n_) in (math.ceil(0.25 / target), math.ceil(0.5 / target))
                      else f"Of all coins the fair one strays most: one toss has the variance 0.25, and {float(n_):g} · {target}² is only {float(n_) * target ** 2:.4g}. ") +
                     f"Its standard deviation is then {0.5 / max(float(n_), 1) ** 0.5:.6f}.")
    assert_close(n_, least, f"tosses for a deviation of {target}", of="smallest",
                 mistakes={"This is not a whole number: round up.": 0.25 / target ** 2 if target != 0.25 else -1.0,
                           "After 4 tosses the deviation is exactly 0.25, and that is allowed.": 5 if target == 0.25 else -1,
                           "Square first, and round up at the end.":
                               math.ceil(0.5 / target) ** 2 if target in (0.03, 0.2) and float(tosses_for(0.2)) > 7 else -4,
                           "One toss has a variance of at most 0.25, not 0.5.":
                               math.ceil(0.5 / target ** 2) if target < 0.5 else -5,
                           "One standard deviation is asked, not 1.96 of them.": math.ceil((0.98 / target) ** 2) if target < 0.5 else -3,
                           "This number belongs to a deviation of 1 for one toss; no coin strays so much, and one deviation is asked, not two.": math.ceil(1 / target ** 2) if target < 0.5 else -2},
                 hint=f"With one toss fewer the deviation would still be small enough. {float(n_):g} · {target}² = {float(n_) * target ** 2:.4g}, "
                      "and no toss has a variance above 0.25.")
### BEGIN HIDDEN TESTS
for target in (0.3, 0.013, 0.5, 0.11, 0.125, 0.006, 1.7):
    least = 1
    while 0.5 / least ** 0.5 > target:
        least += 1
    assert_true(float(tosses_for(target)) >= 0.25 / target ** 2 - 1e-6, f"enough tosses of a fair coin for a deviation of {target}", of="enough",
                hint="Of all coins the fair one strays most; round up, and take one toss at least.")
    assert_close(tosses_for(target), least, f"tosses for a deviation of {target}", of="smallest",
                 hint="Is it a whole number, is it at least 1, and would one toss fewer not be enough?")
### END HIDDEN TESTS

# %% [markdown] written="2.6.1" points=3
# ### BEGIN SOLUTION
# The unknown is a fixed number: the p of a coin, the accuracy of a trained network on the pictures that a camera will take, the mass of
# a stone. Each observation is a draw whose expectation is that number: a toss, a picture labelled rightly or not, a weighing.
#
# The uncertainty of the mean of n observations is its standard deviation σ/√n. It has no lower limit: for every target there is an
# n that reaches it. For a coin σ is at most 1/2, so that 278 tosses are enough for 0.03 and 2,500 for 0.01. Chebyshev's
# inequality, further down, turns it into a probability, and that probability too falls to 0.
#
# It works because the observations are independent, all have the same distribution, and this distribution has the unknown as its mean, with
# a finite variance. Then their errors differ in sign and cancel. Errors that all observations share do not cancel.
#
# **Rubric**
# - [1] A fixed unknown quantity, and observations whose distribution depends on it; also accepted: hypotheses of which one is true, or a finite population that is examined completely; lost by predicting the next single outcome.
# - [1] A measure of uncertainty that goes to 0 with n, with its rate, and the n for one target; also accepted: σ/√n, a variance σ²/n, an interval, a posterior, Chebyshev's bound, a share not yet examined; lost by "it gets small" without a rate or a number.
# - [1] What must hold: independent (or not all wrong in the same way) observations of the right quantity; also accepted: no systematic error, same distribution, finite variance; lost by "any large data set will do".
# ### END SOLUTION

# %% [markdown] task="2.6.2" kind="explain" minutes=8 difficulty=3 needs="variance of a sum, variance of a mean, independence, aleatoric uncertainty"
# ### Uncertainty that stays
#
# You have n independent draws of a variable with variance σ², and predict the *next* draw by their mean. Write
# `prediction_variance(variance, n)`: the variance of the difference between the next draw and the mean of the n earlier ones.
#
# Then describe in the second cell, in five to ten sentences, one situation of your own in which more observations reduce the uncertainty
# only up to a point. Say
# (1) what is observed and what remains uncertain, (2) why data cannot remove the rest, (3) at which value the uncertainty stops falling,
# and from about which n on more data is hardly worth it.
#
# **You are done when**
# - **value**: `prediction_variance` is right for small and for large n, also for n = 1;
#
# and your text has all three points, (2) with a reason, (3) with the value: each earns one point.

# %% exercise="2.6.2"
def prediction_variance(variance, n):
    """Var(next draw - mean of n earlier draws), all independent with this variance."""
    ### BEGIN SOLUTION
    return variance + variance / n
    ### END SOLUTION

# %% [markdown] hints="2.6.2"
# 1. Which two independent variables is the difference made of, and what are their variances?
# 2. $\operatorname{Var}(X - Y)$ for independent X and Y is a sum too: the minus is squared.
# 3. For two independent scales with variances 4 and 9, the difference of their readings has variance 13.

# %% check="2.6.2" points=1
def who_strays():
    try:
        far, here = float(prediction_variance(20.0, 10_000)), float(prediction_variance(20.0, 8))
        if abs(far - 20) > 0.01:
            return f"For n = 10,000 the mean hardly strays, and little more than the next draw's 20 is left; yours is {far:.5g}. "
        return f"For very large n yours is right: the next draw's 20 is in it. To that the mean of 8 draws adds its own variance, 2.5; yours adds {here - 20:.4g}. "
    except Exception:
        return ""

assert_close(prediction_variance(20.0, 8), 22.5, "variance 20, n = 8", of="value", rtol=1e-4,
             mistakes={"This is the variance of the mean alone: the next draw strays too.": 2.5,
                       "This is the variance of the next draw alone: the mean strays too, and its variance is added.": 20.0,
                       "The variance of a difference of independent variables is the sum.": 17.5,
                       "This is the standard deviation.": 22.5 ** 0.5,
                       "Divide with `/`: `//` drops what stands after the point.": 22.0,
                       "The variance of the mean falls like 1/n, not like its square.": 20 + 20 / 64,
                       "The variance of the mean falls like 1/n, not like its root.": 20 + 20 / 8 ** 0.5,
                       "The mean of n draws strays less than one draw does.": 40.0,
                       "The mean is that of n draws: its variance has n, not n - 1.": 20 + 20 / 7,
                       "The mean is that of n draws: its variance has n, not n + 1.": 20 + 20 / 9,
                       "This is the variance for the sum of the n draws; their mean strays much less.": 180.0,
                       "This is the variance of the mean of n + 1 draws; asked is that of a difference.": 20 / 9,
                       "The next draw is one draw: its variance is not divided by n.": 5.0,
                       "`variance` is σ² already: it is not squared.": 450.0,
                       "The two variances are added: this is their mean.": 11.25,
                       "These are the two standard deviations, added: it is the variances that add, and a variance is asked.": 20 ** 0.5 + 2.5 ** 0.5,
                       "Deviations do not add, variances do.": (20 ** 0.5 + 2.5 ** 0.5) ** 2},
             hint=lambda: who_strays() + "The next draw strays, and the mean of the earlier ones, too: how much each?")
assert_close(prediction_variance(3.0, 1), 6.0, "variance 3, n = 1", of="value", rtol=1e-4,
             hint=lambda: who_strays() + "The mean of one draw is that draw, so this is the variance of the difference of two draws.")
### BEGIN HIDDEN TESTS
for variance_, n_ in ((1.0, 3), (0.2, 50), (7.5, 10_000), (2.5, 1)):
    weights = torch.full((n_ + 1,), -1 / n_, dtype=torch.float64)
    weights[0] = 1.0
    assert_close(prediction_variance(variance_, n_), variance_ * weights.square().sum().item(), f"variance {variance_}, n = {n_}",
                 of="value", rtol=1e-5, hint=lambda: who_strays() + "The next draw strays, and the mean of the n draws too, however large n is; nothing is rounded.")
### END HIDDEN TESTS

# %% [markdown] written="2.6.2" points=3
# ### BEGIN SOLUTION
# Predict the next toss of a coin, or tomorrow's delay, from n earlier ones. What remains uncertain is the outcome of one
# new draw, not the mean.
#
# Data tell more and more about the mean, but the new draw is independent of all earlier ones: whatever they are, it has its own
# variance σ². The other kind of rest is an error that all observations share: a scale that shows 2 g too much, pictures from
# one camera only, labels that are wrong. Averaging leaves it as it is, because it has the same sign everywhere.
#
# The variance of the prediction error is σ² + σ²/n, so it stops at σ² (in the second case at the square of the shared error). At n = 100 the
# second part is 1 % of the first; ten times more data would gain less than 1 %. So look for the place where the part that falls, σ/√n, becomes
# small against the part that stays. To go lower takes other data: a further feature that explains the delay, another instrument.
#
# **Rubric**
# - [1] A situation with what is observed and what remains uncertain: a new outcome, or a quantity behind a shared error; also accepted: a systematic error of an instrument, an observed data set with biased sampling, label noise, quantum randomness; lost by an example in which the uncertainty does fall to 0.
# - [1] Why data cannot remove the rest: the new draw is independent of the old ones, or the error is the same in all observations; also accepted: "irreducible noise", with one of these reasons; lost by "there is never enough data".
# - [1] The value at which it stops (σ², σ, the shared error) and about when: where σ²/n is small against it; also accepted: a number of observations with that reason; lost by naming no value.
# ### END SOLUTION

# %% [markdown]
# **Half of the way**, and a good place to stop for today. When you come back, try to say the following without looking, and look where you cannot:
# - how the probabilities of a joint table give those of one variable alone, and those of one variable once the other is known; what is special about the table if the two are independent;
# - why a detector that finds nearly every fault can still be wrong most of the times that it goes off (the second question of the beginning);
# - what happens to expectation and variance where independent variables are added, and so to the mean of n draws.
#
# What follows goes from tables to curves (density), from the data back to the mechanism (likelihood, the third question), and asks how far off a mean can be (the first question).

# %% [markdown] teaches="density"
# ## Density: when any number can come
#
# `torch.rand` can give any number from 0 to 1. With which probability does it give exactly 0.5? With so many numbers to share,
# each single one has probability 0. Only stretches have a positive one. So a continuous variable is described by a **density**
# $f$, a function with $f(x) \ge 0$, and probability is the *area* under it:
#
# $$P(a \le X \le b) = \int_a^b f(x)\,dx,\qquad \int_{-\infty}^{\infty} f(x)\,dx = 1.$$
#
# On a short stretch of width $dx$ the area is about $f(x)\,dx$. Everything from above carries over, with areas in place of sums:
# $E[X] = \int x\,f(x)\,dx$, and so on.
#
# How does one see a density? Draw a large sample, count in bins, and divide each share by the width of its bin. That is
# a histogram with `density=True`. As an example, let X be the larger of two numbers from `torch.rand`. It is at most x if both are, so
# $P(X \le x) = x \cdot x$. Its density is $f(x) = 2x$ for x from 0 to 1: the triangle under it from 0 to x has the area $x \cdot 2x / 2 = x^2$.

# %% tags=["demo"]
generator = torch.Generator().manual_seed(8)
maxima = torch.rand(50_000, 2, generator=generator).max(dim=1).values
unit = torch.linspace(0, 1, 101)
fig, ax = plt.subplots(figsize=(5.5, 2.8), layout="constrained")
ax.hist(maxima.numpy(), bins=40, range=(0, 1), density=True, histtype="stepfilled", color="lightgrey", label="50,000 draws")
ax.plot(unit, 2 * unit, color="C3", label="f(x) = 2x")
ax.fill_between(unit[unit <= 0.5], 2 * unit[unit <= 0.5], color="C3", alpha=0.3, label="P(X ≤ 0.5)")
ax.set(xlabel="x", ylabel="density")
fig.legend(loc="outside right upper")
plt.show()
print(f"share of draws up to 0.5: {(maxima <= 0.5).double().mean():.3f}, mean of the draws: {maxima.mean():.3f}")

# %%
dx = 0.001
places = torch.arange(0, 1000) * dx + dx / 2            # the middles of 1,000 stretches of width dx
areas = 2 * places * dx                                 # f(x) dx for each
print(f"P(X ≤ 0.5) = {areas[places <= 0.5].sum():.3f}, all areas: {areas.sum():.3f}, E[X] = {(places * areas).sum():.3f}")

# %% [markdown]
# *What to see:* the bars follow the line. From 0.5 on the density is larger than 1: *a density is not a probability*, only its area is. The integrals are
# sums of many thin areas $f(x)\,dx$, and give 0.25 for $P(X \le 0.5)$ and 2/3 for $E[X]$, close to what the draws show.

# %% [markdown] teaches="normal distribution"
# ### The normal distribution
#
# One density turns up everywhere, for a reason that comes further down. The **normal distribution** (or *Gaussian*) with mean μ and standard
# deviation σ has the density
#
# $$f(x) = \frac{1}{\sigma\sqrt{2\pi}}\,\exp\Big(-\frac{(x - \mu)^2}{2\sigma^2}\Big).$$
#
# Read it from inside: the distance of x from the mean, measured in standard deviations, is $z = (x - \mu)/\sigma$. The density falls with
# $\exp(-z^2/2)$, alike on both sides. The factor in front makes the area 1: a wide bell must be a low one. `torch.randn` draws with μ = 0,
# σ = 1; then `mu + sigma * torch.randn(n)` has mean μ and standard deviation σ. `torch.distributions.Normal` knows the density (as its logarithm,
# `log_prob`) and the area to the left of x (`cdf`).

# %% tags=["demo"]
line = torch.linspace(-6, 8, 400)
fig, ax = plt.subplots(figsize=(6, 2.8), layout="constrained")
for mu, sigma in ((0., 1.), (0., 2.), (4., 0.7)):
    ax.plot(line, torch.distributions.Normal(mu, sigma).log_prob(line).exp(), label=f"μ = {mu:g}, σ = {sigma:g}")
middle = line[(line >= -1) & (line <= 1)]
ax.fill_between(middle, torch.distributions.Normal(0., 1.).log_prob(middle).exp(), alpha=0.2)
ax.set(xlabel="x", ylabel="density f(x)")
fig.legend(loc="outside right upper")
plt.show()

# %%
standard = torch.distributions.Normal(0., 1.)           # mean 0, standard deviation 1
for k in (1., 2., 3.):
    inside = standard.cdf(torch.tensor(k)) - standard.cdf(torch.tensor(-k))
    print(f"nearer to the mean than {k:g}σ: {inside:.4f}, farther away: {1 - inside:.4f}")

# %% [markdown]
# *What to see:* μ shifts the bell, σ stretches it. The shaded part is the area within one σ, about two thirds. One draw in 22 is more than 2σ away,
# one in 370 more than 3σ. (The second argument of `Normal` is σ, not the variance σ².)

# %% [markdown] task="2.6.J" kind="code" minutes=3 difficulty=1 core=true needs="density, normal distribution"
# ### The bell
#
# Write `normal_density(x, mu, sigma)`, the density by the formula above: for a tensor `x` of any shape, a number `mu`, and a
# number `sigma` > 0.
#
# **You are done when**
# - **shape**: the result is a tensor of the shape of `x`;
# - **values**: each entry is the density at that x, not its logarithm.

# %% exercise="2.6.J"
def normal_density(x, mu, sigma):
    """The density of the normal distribution with mean mu and standard deviation sigma, entry by entry."""
    ### BEGIN SOLUTION
    z = (x - mu) / sigma
    return torch.exp(-z ** 2 / 2) / (sigma * math.sqrt(2 * math.pi))
    ### END SOLUTION

# %% [markdown] hints="2.6.J"
# 1. Which part of the formula depends on x, and which is one number for all x?
# 2. Compute $z = (x - \mu)/\sigma$ first. `math.pi` is π, `math.sqrt` works on numbers, `torch.exp` on tensors.
# 3. The density $\lambda e^{-\lambda x}$ would be `rate * torch.exp(-rate * x)`.

# %% check="2.6.J" points=1
x_ = torch.tensor([1., 4., -5.])
d_ = x_ - 1
assert_shape(normal_density(x_, 1.0, 3.0), (3,), "the density at three places", of="shape",
             hint="There is a density for each entry of `x`.")
assert_shape(normal_density(torch.zeros(2, 4), 1.0, 3.0), (2, 4), "the density for x of shape (2, 4)", of="shape",
             hint="There is a density for each entry of `x`, in the same place, whatever the shape.")
def which_factor():
    try:
        top, near, far = normal_density(x_, 1.0, 3.0).tolist()
        wide = normal_density(torch.tensor([1.0]), 1.0, 6.0).item()
        if abs(near / top - math.exp(-0.5)) < 1e-3 and abs(far / top - math.exp(-2)) < 1e-3:
            return (f"The fall from x = mu to both sides is right: it is the factor in front that is not. It is 0.133 for σ = 3 and half of that for σ = 6; "
                    f"yours are {top:.4g} and {wide:.4g}. ")
        if abs(top - 0.13298) < 1e-4:
            return (f"At x = mu yours is right, so the factor in front is: it is the exponent that is not. From x = mu to 4 the density falls by the factor exp(-1/2) = 0.607, "
                    f"in yours by {near / top:.4g}; to -5 it is exp(-2) = 0.135, in yours {far / top:.4g}. ")
        return f"At x = mu the exponent is 0, and the factor in front, 0.133, alone is left: yours is {top:.4g}. "
    except Exception:
        return ""

right = torch.tensor([0.13298076, 0.08065691, 0.01799699])
assert_close(normal_density(x_, 1.0, 3.0), right, "the density at 1, 4, -5 for mu = 1, sigma = 3", of="values",
             mistakes={"The factor 1/σ is missing: the area would be 3.": 3 * right,
                       "The factor 1/√(2π) is missing.": right * (2 * math.pi) ** 0.5,
                       "The factor 1/(σ√(2π)) is missing.": right * 3 * (2 * math.pi) ** 0.5,
                       "This is the logarithm of the density.": right.log(),
                       "The 2 in the exponent is missing.": torch.exp(-d_ ** 2 / 9) / (3 * (2 * math.pi) ** 0.5),
                       "σ is squared in the exponent.": torch.exp(-d_ ** 2 / 6) / (3 * (2 * math.pi) ** 0.5),
                       "`sigma` is the standard deviation, not the variance.": torch.exp(-d_ ** 2 / 6) / (6 * math.pi) ** 0.5,
                       "This uses σ² in place of σ: `sigma` is the standard deviation.": torch.distributions.Normal(1.0, 9.0).log_prob(x_).exp(),
                       "The 2 in the exponent is not squared: z² is divided by 2.": torch.exp(-d_ ** 2 / 36) / (3 * (2 * math.pi) ** 0.5),
                       "σ stands outside the root.": right * 3 ** 0.5,
                       "The exponent is negative.": torch.exp(d_ ** 2 / 18) / (3 * (2 * math.pi) ** 0.5),
                       "This is the area to the left of x (`cdf`), not the density at x.": torch.distributions.Normal(1.0, 3.0).cdf(x_),
                       "The distance is measured from `mu`.": torch.exp(-x_ ** 2 / 18) / (3 * (2 * math.pi) ** 0.5),
                       "The factor in front has σ, not σ².": right / 3,
                       "`1 / a * b` is b / a: put brackets around the divisor.": right * 2 * math.pi,
                       "`a / 2 * b` is a · b / 2: put brackets around the divisor of the exponent.": torch.exp(-d_ ** 2 / 2 * 9) / (3 * (2 * math.pi) ** 0.5),
                       "π stands under the root, as 2 does.": right / math.pi ** 0.5,
                       "The factor in front has the root √(2π), not 2π.": right / (2 * math.pi) ** 0.5,
                       "The distance of x from the mean is x - `mu`, not a sum.": torch.exp(-(x_ + 1) ** 2 / 18) / (3 * (2 * math.pi) ** 0.5),
                       "z is squared in the exponent.": torch.exp(-d_ / 6) / (3 * (2 * math.pi) ** 0.5),
                       "z is squared in the exponent: its absolute size is not enough.": torch.exp(-d_.abs() / 6) / (3 * (2 * math.pi) ** 0.5),
                       "`mu` and `sigma` are given: do not take them from `x`.":
                           torch.distributions.Normal(x_.mean(), x_.std()).log_prob(x_).exp(),
                       "A density is not divided by its sum over the places asked for: its area is 1.": right / right.sum()},
             hint=lambda: which_factor() + "At x = mu only the factor in front counts; at 4 the exponent is -1/2, at -5 it is -2.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(72)
for shape, mu_, sigma_ in (((5, 3), -2.0, 0.3), ((7,), 10.0, 5.0), ((2, 1, 4), 0.0, 1.0)):
    x_ = mu_ + 2 * sigma_ * torch.randn(shape, generator=rng)
    assert_shape(normal_density(x_, mu_, sigma_), shape, f"the density for x of shape {shape}", of="shape",
                 hint="There is a density for each entry of `x`, in the same place, whatever the shape.")
    assert_close(normal_density(x_, mu_, sigma_), torch.distributions.Normal(mu_, sigma_).log_prob(x_).exp(),
                 f"the density for mu = {mu_}, sigma = {sigma_}", of="values", rtol=1e-3, atol=1e-6,
                 hint=lambda: where_they_part(normal_density, lambda x, m, s: torch.distributions.Normal(m, s).log_prob(x).exp(), x=x_, mu=mu_, sigma=sigma_) +
                              " Each entry of `x` has its own density, with the mu and sigma of the call.")
### END HIDDEN TESTS

# %% [markdown] teaches="likelihood, log-likelihood, maximum likelihood"
# ## Likelihood: from the data back to the mechanism
#
# Question (3) of the opening: the likelihood of what? A coin showed heads, heads, tails, heads, ...: 7 heads in 10 tosses. What is its p?
#
# Suppose we knew p. The tosses are independent, so the probability of exactly this sequence is a product with one factor for each toss,
#
# $$L(p) = p \cdot p \cdot (1 - p) \cdot p \cdots = p^7 (1 - p)^3.$$
#
# Now turn the view round: the data are fixed, and p varies. Read like this, $L$ is the **likelihood** of p. That answers question (3): it is the likelihood of
# the *parameter*, here p, later the weights of a network, given the data that were seen. A p under which the data would
# have been a miracle explains them badly. The p for which the data are as probable as possible is the **maximum likelihood** estimate.
#
# A likelihood is a product of n factors. For many data it becomes too small for a computer, so everybody uses its logarithm, the
# **log-likelihood**. The logarithm turns the product into a sum. It also grows with its argument, so it leaves the maximum in its place:
#
# $$\log L(p) = 7 \log p + 3 \log(1 - p).$$

# %%
h, t = 7, 3                                             # heads and tails
p = torch.linspace(0.001, 0.999, 999, dtype=torch.float64)
likelihood = p ** h * (1 - p) ** t
log_likelihood = h * p.log() + t * (1 - p).log()
print(f"largest at p = {p[likelihood.argmax()]:.3f} and p = {p[log_likelihood.argmax()]:.3f}")
print(f"area under L: {(likelihood * 0.001).sum():.6f}")
fair_p = torch.tensor(0.5, dtype=torch.float64)
print(f"1,000 heads and 1,000 tails, p = 0.5: L = {fair_p ** 1000 * fair_p ** 1000}, log L = {2000 * fair_p.log():.1f}")

# %% tags=["demo"]
fig, axes = plt.subplots(1, 2, figsize=(7.5, 2.8), layout="constrained")
axes[0].plot(p, likelihood)
axes[0].set(xlabel="p", ylabel="likelihood L(p)")
axes[1].plot(p, log_likelihood)
axes[1].set(xlabel="p", ylabel="log L(p)", ylim=(-25, -5))
for ax in axes:
    ax.axvline(0.7, color="C3", linestyle="--")
plt.show()

# %% [markdown]
# *What to see:* one peak, at the same p = 0.7, in both pictures. The area under L is far from 1: a likelihood is *not* a density of p, since each
# of its values is a probability of the same data under another p. And 2,000 tosses already have a likelihood that is 0 in float64, while its logarithm is
# a harmless number.
#
# At the peak the slope is zero. With h heads and t tails, $\log L(p) = h \log p + t \log(1 - p)$ has the derivative
#
# $$\frac hp - \frac t{1 - p} = 0 \quad\Longleftrightarrow\quad h(1 - p) = t\,p \quad\Longleftrightarrow\quad p = \frac h{h + t}.$$
#
# The maximum likelihood estimate of a probability is the share observed. Autograd agrees:

# %%
for value in (0.5, 0.7, 0.8):
    q = torch.tensor(value, requires_grad=True)
    (7 * q.log() + 3 * (1 - q).log()).backward()
    print(f"slope of log L at p = {value}: {q.grad:.3f}")

# %% [markdown] task="2.6.K" kind="code" minutes=3 difficulty=1 core=true needs="likelihood, log-likelihood"
# ### The log-likelihood of a coin
#
# Write `coin_log_likelihood(p, heads, tails)`: the (natural) logarithm of the probability of one given sequence with so many heads and
# tails, for a coin with 0 < p < 1, as a number.
#
# **You are done when**
# - **value**: it is the logarithm of the product, for one sequence in its order;
# - **many tosses**: it is finite for thousands of tosses.

# %% exercise="2.6.K"
def coin_log_likelihood(p, heads, tails):
    """log of p^heads (1 - p)^tails for a number p, without computing the power."""
    ### BEGIN SOLUTION
    return heads * math.log(p) + tails * math.log(1 - p)
    ### END SOLUTION

# %% [markdown] hints="2.6.K"
# 1. What is the logarithm of a product, and of a power?
# 2. Take the logarithm first, on paper. Do not compute the power in code: it would be 0. `math.log` takes a number.
# 3. $\log(2^{3000} \cdot 5^{4000}) = 3000 \log 2 + 4000 \log 5$, about 8517; the product itself is too large for float64.

# %% check="2.6.K" points=1
def which_tosses():
    for heads, tails, right, words in ((1, 0, math.log(0.3), "1 head alone it is log 0.3"), (0, 1, math.log(0.7), "1 tail alone it is log 0.7"),
                                       (2, 0, math.log(0.09), "2 heads alone it is log(0.3 · 0.3)"), (0, 3, math.log(0.343), "3 tails alone it is log(0.7 · 0.7 · 0.7)"),
                                       (1, 1, math.log(0.21), "1 head and 1 tail it is log(0.3 · 0.7)")):
        try:
            yours = float(coin_log_likelihood(0.3, heads, tails))
        except Exception:
            return ""
        if abs(yours - right) > 1e-3:
            return f"For {words} = {right:.4g}; yours is {yours:.4g}. "
    return "For heads alone, for tails alone, and for one of each yours is right: look at how their numbers count together. "

heads_part, tails_part = 2 * math.log(0.3), math.log(0.7)
assert_close(coin_log_likelihood(0.3, 2, 1), heads_part + tails_part, "p = 0.3, 2 heads, 1 tail", of="value", rtol=1e-4,
             mistakes={"This is the likelihood: take its logarithm.": 0.063, "The sign is wrong: probabilities have negative logarithms.": -heads_part - tails_part,
                       "The order is given: do not count how many sequences there are.": math.log(3 * 0.063),
                       "This is the mean for each toss, not the sum.": (heads_part + tails_part) / 3,
                       "The number of heads is a factor of log p, and does not stand inside the logarithm.": math.log(0.6) + math.log(0.7),
                       "The tails are missing.": heads_part, "The heads are missing.": tails_part,
                       "A tail has probability 1 - p.": 3 * math.log(0.3),
                       "A tail has probability 1 - p, not 1 + p (`math.log1p(p)` is log(1 + p)).": heads_part + math.log(1.3),
                       "A tail adds log(1 - p), not 1 - log p.": heads_part + 1 - math.log(0.3),
                       "A tail adds log(1 - p): here the logarithm is missing.": heads_part + 0.7,
                       "A head adds log p: here the logarithm is missing.": 0.6 + tails_part,
                       "Each head adds log p, each tail log(1 - p): here the logarithms are missing.": 1.3,
                       "The term of the tails is added, not subtracted.": heads_part - tails_part,
                       "Heads have probability p, tails 1 - p.": 2 * math.log(0.7) + math.log(0.3),
                       "Each toss counts: multiply the logarithms by the numbers of heads and tails.": math.log(0.21),
                       "This is the slope of the log-likelihood, not its value.": 2 / 0.3 - 1 / 0.7,
                       "This is the p for which the likelihood is largest: asked is the log-likelihood of the given p.": 2 / 3,
                       "Use the p of the call, not the share of heads.": 2 * math.log(2 / 3) + math.log(1 / 3),
                       "A head has the factor p alone, a tail the factor 1 - p alone.": 3 * math.log(0.21),
                       "The logarithm of a product is a sum of logarithms.": 2 * math.log(0.3) * math.log(0.7),
                       "The number of heads is a factor of log p, not an exponent.": math.log(0.3) ** 2 + math.log(0.7),
                       "Use the natural logarithm.": math.log10(0.063), "Use the natural logarithm, not that to base 2.": math.log2(0.063)},
             hint=lambda: which_tosses() + "The probability of such a sequence has two factors p and one factor 1 - p, with the p of the call: the logarithm has a term for each.")
assert_close(coin_log_likelihood(0.9, 1, 2), math.log(0.009), "p = 0.9, 1 head, 2 tails", of="value", rtol=1e-4,
             mistakes={"Heads have probability p, tails 1 - p.": math.log(0.081)},
             hint=lambda: which_tosses() + "Here it is log(0.9 · 0.1 · 0.1).")
assert_close(coin_log_likelihood(0.0001, 1, 0), math.log(0.0001), "p = 0.0001, 1 head, no tail", of="value", rtol=1e-4,
             hint=lambda: "It is log 0.0001; yours is the logarithm of "
                          f"{math.exp(float(coin_log_likelihood(0.0001, 1, 0))):.3g}. "
                          "p may be very near to 0 or 1: nothing is added to it, and it is not held away from them.")
assert_close(coin_log_likelihood(0.5, 1000, 1500), 2500 * math.log(0.5),
             "p = 0.5, 1,000 heads, 1,500 tails (a power or product of so many factors is 0 in floating point)", of="many tosses", rtol=1e-4,
             hint="Take the logarithms before anything is multiplied.")
### BEGIN HIDDEN TESTS
for p_, h, t in ((0.3, 0, 4), (0.8, 5, 0), (0.25, 11, 7), (1 - 2 ** -12, 3, 2)):
    wanted = torch.tensor([p_] * h + [1 - p_] * t, dtype=torch.float64).log().sum().item()
    assert_close(coin_log_likelihood(p_, h, t), wanted, f"p = {p_}, {h} heads, {t} tails", of="value", rtol=1e-4, atol=1e-6,
                 hint=lambda: which_tosses() + "Each head adds log p, each tail log(1 - p), also if there are none of the other kind.")
wanted = torch.tensor([0.2] * 4000 + [0.8] * 9000, dtype=torch.float64).log().sum().item()
assert_close(coin_log_likelihood(0.2, 4000, 9000), wanted, "p = 0.2, 4,000 heads, 9,000 tails", of="many tosses", rtol=1e-4,
             hint="Take the logarithms before anything is multiplied.")
### END HIDDEN TESTS

# %% [markdown]
# ### The mean of a normal distribution
#
# For a continuous variable each factor of the likelihood is a *density*, taken at an observation. Suppose that $x_1, \dots, x_n$ are independent draws
# from a normal distribution with known σ and unknown μ. Five observations, and two candidates for μ:

# %% tags=["demo"]
observed = torch.tensor([1.2, 2.9, 3.1, 4.0, 4.8])
bell_x = torch.linspace(-3, 9, 300)
fig, axes = plt.subplots(1, 2, figsize=(8, 2.6), sharey=True, layout="constrained")
for ax, mu in zip(axes, (1.0, 3.2)):
    bell = torch.distributions.Normal(mu, 1.2)
    ax.plot(bell_x, bell.log_prob(bell_x).exp())
    ax.vlines(observed, 0, bell.log_prob(observed).exp(), color="C3")
    ax.plot(observed, 0 * observed, "o", color="C3")
    ax.set(xlabel="x", title=f"μ = {mu:g}: log-likelihood {bell.log_prob(observed).sum():.1f}")
axes[0].set_ylabel("density")
plt.show()

# %% [markdown]
# *What to see:* the red heights are the factors. On the left the last ones are nearly 0, and so is their product. On the right none of the five is near 0.
#
# The log-likelihood is the sum of the logarithms of the densities:
#
# $$\log L(\mu) = \sum_{i=1}^n \log f(x_i) = -n \log(\sigma\sqrt{2\pi}) - \frac{1}{2\sigma^2} \sum_{i=1}^n (x_i - \mu)^2.$$
#
# The first term does not depend on μ. The second is minus the sum of *squared distances*, times a positive constant. So to make the likelihood
# large is to make the sum of squares small: **least squares is maximum likelihood with normal noise.** The derivative
# $\frac{1}{\sigma^2} \sum_i (x_i - \mu)$ is zero where $\sum_i x_i = n\mu$: the estimate is the mean of the sample, here 3.2.
#
# Training minimises, so one takes the *negative log-likelihood* as loss, usually divided by n. Section 3.1 puts a line in place of μ, and 4.1 the
# outputs of a network in place of p.

# %% [markdown] task="2.6.L" kind="code" minutes=3 difficulty=2 core=true needs="normal distribution, log-likelihood"
# ### The log-likelihood of a mean
#
# Write `normal_log_likelihood(mu, x, sigma)`: the log-likelihood of `mu` for the observations `x`, a tensor of shape (n,), and a known number
# `sigma`, as a number.
#
# **You are done when**
# - **value**: it is the sum of the logarithms of the n densities, constants included;
# - **many observations**: it is finite also for thousands of observations, and far from the mean.

# %% exercise="2.6.L"
def normal_log_likelihood(mu, x, sigma):
    """The sum of log f(x_i) for the normal density with mean mu and standard deviation sigma: a number."""
    ### BEGIN SOLUTION
    return -len(x) * math.log(sigma * math.sqrt(2 * math.pi)) - ((x - mu) ** 2).sum() / (2 * sigma ** 2)
    ### END SOLUTION

# %% [markdown] hints="2.6.L"
# 1. Which two terms does the formula have, and how many times does the first one occur?
# 2. Do not compute a density and then its logarithm: $\exp(-800)$ is 0 in floating point, and its logarithm is lost.
# 3. For the density $\lambda e^{-\lambda x}$ the log-likelihood of n observations is $n \log \lambda - \lambda \sum_i x_i$.

# %% check="2.6.L" points=1
def which_term():
    try:
        flat, spread = float(normal_log_likelihood(1.0, torch.ones(3), 5.0)), float(normal_log_likelihood(1.0, x_, 5.0))
        if abs(flat + 7.585) < 0.002:
            return (f"Where all three observations are mu, yours is right: the first term is. From there to (0, 2, 4) the second term takes off 11 / 50 = 0.22; "
                    f"in yours the change is {spread - flat:.4g}. ")
        if abs(spread - flat + 0.22) < 0.002:
            return f"The second term is right: the squared distances take off 11 / 50. Where all three observations are mu, only the first term is left, -7.585; yours is {flat:.4g}. "
        return (f"Where all three observations are mu, only the first term is left, -7.585; yours is {flat:.4g}. From there to (0, 2, 4) the second term takes off 0.22; "
                f"in yours the change is {spread - flat:.4g}. ")
    except Exception:
        return ""

x_ = torch.tensor([0., 2., 4.])
constant = math.log(5 * math.sqrt(2 * math.pi))         # sigma = 5; the squared distances from 1 are 1, 1, 9
assert_close(normal_log_likelihood(1.0, x_, 5.0), -3 * constant - 11 / 50, "mu = 1, x = (0, 2, 4), sigma = 5", of="value", rtol=1e-4,
             mistakes={"The first term occurs once for each observation.": -constant - 11 / 50, "The constants are missing.": -11 / 50,
                       "This is the mean, not the sum.": -constant - 11 / 150, "The sign is wrong: this is the loss.": 3 * constant + 11 / 50,
                       "σ is squared in the second term.": -3 * constant - 11 / 10,
                       "The squared distances are added up once: the second term is not multiplied by n.": -3 * constant - 33 / 50,
                       "The second term has a factor 1/2.": -3 * constant - 11 / 25,
                       "σ is missing in the first term.": -3 * math.log(math.sqrt(2 * math.pi)) - 11 / 50,
                       "This is the likelihood, not its logarithm.": math.exp(-3 * constant - 11 / 50),
                       "√(2πσ²) has σ²: under the root of the first term σ stands squared.": -3 * math.log(math.sqrt(2 * math.pi * 5)) - 11 / 50,
                       "The first term has σ, not σ².": -3 * math.log(25 * math.sqrt(2 * math.pi)) - 11 / 50,
                       "The factor in the first term is √(2π), not 2π.": -3 * math.log(5 * 2 * math.pi) - 11 / 50,
                       "`sigma` is the standard deviation, not the variance.": -3 * math.log(math.sqrt(2 * math.pi * 5)) - 11 / 10,
                       "This uses σ² in place of σ: `sigma` is the standard deviation.":
                           torch.distributions.Normal(1.0, 25.0).log_prob(x_).sum().item(),
                       "The distances are measured from `mu`, not from the mean of `x`.": -3 * constant - 8 / 50,
                       "The second term is taken off: far observations make the likelihood small.": -3 * constant + 11 / 50,
                       "The first term has a minus: the factor in front of the density is a divisor.": 3 * constant - 11 / 50,
                       "Use the natural logarithm.": -3 * math.log10(5 * math.sqrt(2 * math.pi)) - 11 / 50,
                       "Square the distances: this takes their absolute sizes.": -3 * constant - 5 / 50,
                       "`sigma` is given: do not estimate it from `x`.": -3 * math.log(math.sqrt(22 * math.pi / 3)) - 3 / 2,
                       "The logarithm of a product is the sum of the logarithms, not the logarithm of the sum.":
                           math.log(2 * math.exp(-1 / 50) + math.exp(-9 / 50)) - constant,
                       "Square each distance, then add them up.": -3 * constant - 9 / 50,
                       "In the first term σ is a factor under the logarithm, not a divisor.": -3 * math.log(math.sqrt(2 * math.pi) / 5) - 11 / 50,
                       "The squared distances are added up; this takes their mean.": -3 * constant - 11 / 150,
                       "The factor √(2π) in the first term is missing.": -3 * math.log(5) - 11 / 50,
                       "√(2π) stands under the logarithm, too.": -3 * math.log(5) * math.sqrt(2 * math.pi) - 11 / 50,
                       "log(2πσ²) is twice log(σ√(2π)): with it the first term is n/2 times as large, not n times.":
                           -6 * constant - 11 / 50,
                       "Each observation has a term: this is the last one's alone.": -constant - 9 / 50,
                       "`a / 2 * b` is a · b / 2: put brackets around the divisor.": -3 * constant - 11 / 2 * 25},
             hint=lambda: which_term() + "The squared distances from mu add up to 11, and the first term occurs three times; together they make one number.")
assert_close(normal_log_likelihood(1.0, torch.tensor([0., 2., 4., 1., -1.]), 5.0), -5 * constant - 15 / 50, "mu = 1, x = (0, 2, 4, 1, -1), sigma = 5",
             of="value", rtol=1e-4, mistakes={"There are five observations here, so the first term occurs five times.": -3 * constant - 15 / 50},
             hint=lambda: which_term() + "Here the first term occurs five times, and the squared distances from mu add up to 15.")
assert_close(normal_log_likelihood(0.0, torch.full((2000,), 60.0), 1.0), -2000 * (math.log(math.sqrt(2 * math.pi)) + 1800),
             "mu = 0, 2,000 observations at 60, sigma = 1", of="many observations", rtol=1e-4,
             hint="These densities are 0 in floating point: take the logarithm on paper.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(73)
for n_, mu_, sigma_ in ((1, 0.5, 0.3), (7, -2.0, 4.0), (60, 3.0, 1.7)):
    x_ = torch.randn(n_, generator=rng)
    assert_close(normal_log_likelihood(mu_, x_, sigma_), torch.distributions.Normal(mu_, sigma_).log_prob(x_.double()).sum().item(),
                 f"{n_} observations, mu = {mu_}, sigma = {sigma_}", of="value", rtol=1e-4, atol=1e-4,
                 hint=lambda: where_they_part(lambda m, x, s: normal_log_likelihood(m, x, s),
                                              lambda m, x, s: torch.distributions.Normal(m, s).log_prob(x.double()).sum(), mu=mu_, x=x_, sigma=sigma_) +
                              " There is a term for each observation, with the mu and sigma of the call.")
x_ = 3 * torch.randn(9000, generator=rng)
assert_close(normal_log_likelihood(-200.0, x_, 2.5), torch.distributions.Normal(-200.0, 2.5).log_prob(x_.double()).sum().item(),
             "9,000 observations far from mu", of="many observations", rtol=1e-4,
             hint="These densities are 0 in floating point: take the logarithm on paper.")
### END HIDDEN TESTS

# %% [markdown] task="2.6.M" kind="code" minutes=4 difficulty=3 needs="maximum likelihood, log-likelihood, density, derivative"
# ### The rate of waiting times
#
# The waiting times between two calls often have the density $f(x) = \lambda e^{-\lambda x}$ for $x \ge 0$, with a rate $\lambda > 0$: on average
# λ calls for each unit of time. Derive the maximum likelihood estimate of λ from independent waiting times, as above for the coin
# and the normal mean. Then write `best_rate(x)`: the estimate as a number, for `x` of shape (n,), whose entries are positive.
#
# **You are done when**
# - **maximum**: at this rate the log-likelihood of `x` is largest;
# - **any scale**: it is right for microseconds and for days (values of about 0.000001 or 100,000) too.

# %% exercise="2.6.M"
def best_rate(x):
    """The maximum likelihood estimate of the rate of exponential waiting times (n,): a number."""
    ### BEGIN SOLUTION
    return len(x) / x.sum()
    ### END SOLUTION

# %% [markdown] hints="2.6.M"
# 1. What is the logarithm of one density, and what is the sum over all n observations?
# 2. It has a term with $\log\lambda$ and one with λ. Where is its derivative with respect to λ zero?
# 3. For $5 \log p - 20 p$ the derivative $5/p - 20$ is zero at $p = 1/4$.

# %% check="2.6.M" points=1
def rate_elsewhere(waits):
    try:
        here, long, twice = (float(best_rate(x)) for x in (waits, 2 * waits, torch.cat([waits, waits])))
        if abs(long / here - 0.5) > 0.002:
            return f"Where all waiting times are twice as long, the rate is half as large; yours is {long / here:.4g} times as large. "
        if abs(twice / here - 1) > 0.002:
            return f"Where each waiting time occurs twice, the rate stays the same; yours becomes {twice / here:.4g} times as large: how many densities are multiplied? "
        if abs(float(best_rate(torch.tensor([3., 3., 9.]))) / float(best_rate(torch.tensor([2., 4., 9.]))) - 1) > 0.002:
            return "With 3, 3, 9 in place of 2, 4, 9 the likelihood of every rate stays the same, and so does the best rate; yours changes. "
        return ""
    except Exception:
        return ""

def which_scale(scale):
    """What is wrong with times of this scale, where the rate for 2, 4 and 9 is right."""
    try:
        times = torch.tensor([2., 4., 9.])
        here, beyond, between = (float(best_rate(one * times)) for one in (scale, scale ** 1.5, scale ** 0.5))
        if here == 0:
            return "Yours is 0, and a rate is positive: is it rounded? "
        if abs(beyond / here - 1) < 0.01:
            return (f"Yours is {here:.4g} for these times, and {beyond:.4g} for times that are {'shorter' if scale < 1 else 'longer'} still: it does not follow the times, "
                    "as where a search ends before it is there. ")
        more, less = 1 / here - 5 * scale, 1 / between - 5 * scale ** 0.5
        if abs(more) > 1e-3 * 5 * scale and abs(more - less) < 0.05 * abs(more):
            return f"One over yours is the mean waiting time and {more:.3g} more, here as with times of another scale: nothing is added, not even a small number. "
        return f"The right rate is {1 / scale:,.10g} times that for 2, 4 and 9, yours {here / float(best_rate(times)):.6g} times. "
    except Exception:
        return ""

waits = torch.tensor([2., 4., 9.])
assert_close(best_rate(waits), 1 / 5, "the rate for waiting times 2, 4, 9", of="maximum", rtol=1e-3,
             mistakes={"This is the mean waiting time: solve for the rate.": 5.0,
                       "This is one over the median: what does the derivative say?": 1 / 4,
                       "This is the mean of 1/x; the sum over the observations stands elsewhere.": (1 / 2 + 1 / 4 + 1 / 9) / 3,
                       "This is one over the standard deviation: what does the derivative say?": 13 ** -0.5,
                       "Each of the n densities has a factor λ.": 1 / 15, "The likelihood asks for n, not for n - 1.": 2 / 15,
                       "This is log 2 over the median: what does the derivative say?": math.log(2) / 4,
                       "This is log 2 over the mean: what does the derivative say?": math.log(2) / 5,
                       "This is one over the longest waiting time: all of them count.": 1 / 9,
                       "This is one over the shortest waiting time: all of them count.": 1 / 2,
                       "A rate is positive: n/λ and the sum of x have opposite signs in the derivative.": -1 / 5,
                       "The sum of x belongs in the divisor: set n/λ equal to it, and solve for λ.": 15 / 9,
                       "This is the largest log-likelihood: asked is the rate at which it is reached.": 3 * math.log(1 / 5) - 3,
                       "This divides by the sum of the squares: the density has x, not x².": 3 / 101,
                       "This comes from the mean of the squares; the density has x, not x²: what does the derivative say?":
                           (6 / 101) ** 0.5,
                       "Here n / λ less the sum of x is 0: λ stands there as it is, not squared, so no root is taken.": 0.2 ** 0.5},
             hint=lambda: rate_elsewhere(waits) + "Set the derivative of the log-likelihood to zero, and solve for the rate on paper: it is one number; a search among given rates comes near only.")
assert_close(best_rate(1e-6 * waits), 1e6 / 5, "the rate for waiting times 0.000002, 0.000004, 0.000009", of="any scale",
             rtol=1e-3, hint=lambda: which_scale(1e-6) + "The formula that the derivative gives holds at every scale: nothing is added, rounded, or searched for.")
assert_close(best_rate(1e5 * waits), 1e-5 / 5, "the rate for waiting times 200,000, 400,000, 900,000", of="any scale",
             rtol=1e-3, atol=0, hint=lambda: which_scale(1e5) + "The formula that the derivative gives holds at every scale: nothing is added, rounded, or searched for.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(76)
for n_, unit in ((7, 1.0), (1, 1.0), (400, 0.2), (25, 4e-7), (12, 3e5)):
    waits = -unit * (1 - torch.rand(n_, generator=rng)).log()
    assert_close(best_rate(waits), 1 / (sum(waits.tolist()) / n_), f"the rate for {n_} waiting times of about {unit:g}",
                 of="maximum" if 0.1 < unit < 10 else "any scale", rtol=1e-3, atol=0,
                 hint=lambda: rate_elsewhere(waits) + "The formula that the derivative gives holds for any number of times and at every scale.")
### END HIDDEN TESTS

# %% [markdown]
# One step more leads to chapter 4. A die with k faces has probabilities $p_0, \dots, p_{k-1}$. The probability of observed faces is the product of
# $p$ at these faces. Indexing with a tensor of whole numbers picks them. In a table it takes two index tensors of equal length, row
# numbers and column numbers, and picks one entry for each pair:

# %%
face_p, rolled = torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0, 2, 0, 1])
print("p at the faces:", face_p[rolled], f" log-likelihood: {face_p[rolled].log().sum():.3f}")
six = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
print(six[torch.arange(2), torch.tensor([2, 0])])       # row 0, column 2 and row 1, column 0

# %% [markdown] task="2.6.9" kind="code" minutes=4 difficulty=2 core=true needs="likelihood, log-likelihood, independence"
# ### The likelihood of labels
#
# A network looks at n pictures. Row i of its output `probabilities`, of shape (n, k), holds the probabilities it gives to the k classes for picture i;
# `labels`, int64 of shape (n,), holds the true classes. The pictures are independent.
#
# Write `label_loss(probabilities, labels)`: the negative log-likelihood of the labels, divided by n, as a number. (You have
# written the *cross-entropy* of chapter 4.)
#
# **You are done when**
# - **labels**: each picture counts with the probability of its own true class;
# - **loss**: the result is minus the mean, over the pictures, of the logarithms;
# - **many pictures**: it is finite for thousands of pictures (no probability is 0).

# %% exercise="2.6.9"
def label_loss(probabilities, labels):
    """Mean negative log-likelihood of labels (n,) under probabilities (n, k): a number."""
    ### BEGIN SOLUTION
    return -probabilities[torch.arange(len(labels)), labels].log().mean()
    ### END SOLUTION

# %% [markdown] hints="2.6.9"
# 1. What is the probability of label 2 for the first picture, and what is that of all labels together, as the pictures are independent?
# 2. `probabilities[torch.arange(n), labels]` has shape (n,). What becomes of the product when you take its logarithm?
# 3. For two pictures whose true classes have probabilities 0.5 and 0.25: -(log 0.5 + log 0.25) / 2 = 1.04.

# %% check="2.6.9" points=2
def one_picture():
    try:
        yours = float(label_loss(torch.full((1, 4), 0.25), torch.zeros(1, dtype=torch.int64)))
        if abs(yours - math.log(4)) < 1e-3:
            return "For a single picture yours is right: look at how the pictures are put together. "
        return f"For a single picture, whose label has the probability 0.25, the loss is -log 0.25 = 1.386; yours is {yours:.4g}. "
    except Exception:
        return ""

def a_quarter():
    """What a quarter of the loss comes from: 4 classes, or the probability 1/4."""
    try:
        by_entries = abs(float(label_loss(torch.tensor([[0.5, 0.2, 0.2, 0.1]]), torch.tensor([0]))) - math.log(2) / 4) < 1e-3
        return ("Divide by n alone, not by the number of entries." if by_entries else
                "The logarithms are not weighted with p: each picture counts once.")
    except Exception:
        return "This is a quarter of the loss."

assert_close(label_loss(torch.full((6, 4), 0.25), torch.zeros(6, dtype=torch.int64)), math.log(4), "6 pictures, 4 classes, every probability 0.25",
             of="loss", rtol=1e-4, mistakes={"This is the sum: divide by n.": 6 * math.log(4),
                                             a_quarter(): math.log(4) / 4,
                                             "Divide by the number of pictures, 6, not by that of classes, 4.":
                                                 6 * math.log(4) / 4,
                                             "A loss of 0 means that each label has probability 1; no guesses are counted.": 0.0,
                                             "No guesses are counted: take the logarithms of the probabilities.": 1.0,
                                             "The sign is wrong: a loss is small where the likelihood is large.": -math.log(4),
                                             "This is the exponential of the loss.": 4.0, "This is 1 - p: the logarithm is asked.": 0.75,
                                             "The logarithm is missing.": -0.25, "Take the natural logarithm.": math.log10(4),
                                             "Take the natural logarithm, not that to base 2.": 2.0,
                                             "Only the true class counts, not what the others were given.": -(math.log(0.25) + 3 * math.log(0.75)) / 4,
                                             "Only the true class counts: no log(1 - p) of the three others is added.":
                                                 -math.log(0.25) - 3 * math.log(0.75)},
             hint=lambda: one_picture() + "Each label has probability 0.25 here, so each picture counts with -log 0.25, and with nothing else; the mean "
                  "over the pictures is one number.")
outputs, classes = torch.tensor([[0.5, 0.25, 0.25], [0.1, 0.25, 0.65]]), torch.tensor([2, 1])
assert_close(label_loss(outputs, classes), math.log(4), "rows (0.5, 0.25, 0.25), (0.1, 0.25, 0.65), labels 2, 1", of="labels", rtol=1e-4,
             mistakes={"This takes the largest probability of each row, not that of the label.": -(math.log(0.5) + math.log(0.65)) / 2,
                       "These are probabilities already: no softmax.": -outputs.log_softmax(dim=1)[torch.arange(2), classes].mean().item(),
                       "Each row with its own label: columns 2 and 1 of all rows are too many.": -outputs[:, classes].log().mean().item(),
                       "Classes are counted from 0, as columns are.": -(math.log(0.25) + math.log(0.1)) / 2,
                       "This takes the first column of each row, not that of the label.": -(math.log(0.5) + math.log(0.1)) / 2,
                       "This takes the last column of each row, which is that of the first label alone: each row has its own.": -(math.log(0.25) + math.log(0.65)) / 2,
                       "The true class counts with its probability p, not with 1 - p.": -math.log(0.75),
                       "Only the true class counts: this weights the logarithms of all classes with their probabilities.":
                           -(outputs * outputs.log()).sum(dim=1).mean().item()},
             hint="Row 0 counts with its column 2, row 1 with its column 1.")
outputs = torch.tensor([[0.5, 0.25, 0.25], [0.1, 0.8, 0.1]])
assert_close(label_loss(outputs, classes), -(math.log(0.25) + math.log(0.8)) / 2, "rows (0.5, 0.25, 0.25), (0.1, 0.8, 0.1), labels 2, 1", of="loss", rtol=1e-4,
             mistakes={"The likelihood is a product: this is the logarithm of a mean.": -math.log(0.525),
                       "This is the term of row 0 alone, which the median picks, too: asked is the mean over all pictures.":
                           -math.log(0.25),
                       "This is the term of the last row alone: asked is the mean over all pictures.": -math.log(0.8)},
             hint="Row 0 counts with -log 0.25, row 1 with -log 0.8, and the loss is their mean.")
assert_close(label_loss(torch.full((3000, 2), 0.5), torch.ones(3000, dtype=torch.int64)), math.log(2), "3,000 pictures, 2 classes, every probability 0.5",
             of="many pictures", rtol=1e-4, hint="The product of 3,000 probabilities is 0 in floating point.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(74)
for n_, k in ((5, 3), (3, 7), (1, 2), (4, 4)):
    outputs = torch.rand(n_, k, generator=rng) + 0.05
    outputs, classes = outputs / outputs.sum(dim=1, keepdim=True), torch.randint(k, (n_,), generator=rng)
    wanted = -sum(math.log(outputs[i, c].item()) for i, c in enumerate(classes.tolist())) / n_
    assert_close(label_loss(outputs, classes), wanted, f"{n_} pictures, {k} classes", of="labels", rtol=1e-4,
                 hint=lambda: where_they_part(label_loss, lambda p, y: -p.double()[torch.arange(len(y)), y].log().mean(), probabilities=outputs, labels=classes) +
                              " Each picture counts once, with its own label, whatever the labels of the others are.")
assert_close(label_loss(torch.full((9, 5), 0.2), torch.arange(9) % 5), math.log(5), "9 pictures, 5 classes, every probability 0.2", of="loss", rtol=1e-4,
             hint="Each picture counts with minus the logarithm of 0.2, and their mean is asked.")
assert_close(label_loss(torch.full((7000, 3), 1 / 3), torch.arange(7000) % 3), math.log(3), "7,000 pictures, 3 classes", of="many pictures", rtol=1e-4,
             hint="The product of 7,000 probabilities is 0 in floating point: add up logarithms.")
### END HIDDEN TESTS

# %% [markdown] teaches="chebyshev's inequality"
# ## How far off can a mean be?
#
# Now for question (1) of the opening: 91 and 89 of 100. A share strays from its probability, but how far? We know its standard deviation. We want a *probability*:
# how often is it off by more than so much?
#
# **Chebyshev's inequality** answers for every distribution at once. Let $X$ have mean μ and a finite standard deviation σ > 0. Then for every $k > 0$
#
# $$P(|X - \mu| \ge k\sigma) \le \frac1{k^2}.$$
#
# The proof takes one line. In $\sigma^2 = \sum_x (x - \mu)^2 P(X = x)$, keep only the x that lie at least $k\sigma$ from μ. Each of their
# squares is at least $k^2\sigma^2$, so $\sigma^2 \ge k^2\sigma^2\,P(|X - \mu| \ge k\sigma)$. Divide by $k^2\sigma^2$. (With a density the sum is an integral,
# and the proof is the same.) In other words: whatever is far away costs much variance,
# so there cannot be much of it. With a distance ε in place of $k\sigma$ the bound reads $\sigma^2/\varepsilon^2$.
#
# For the mean of n independent draws (with a finite variance) the variance is $\sigma^2/n$, and the bound becomes $\sigma^2/(n\varepsilon^2)$. For every ε, as small as you like, it goes to 0
# as n grows. This proves the law of large numbers in its *weak* form: at a fixed large n, few of many experiments have a mean that is far off. That the mean of a single
# experiment, watched for ever, settles for good (as each line in the figure with the eight coins seems to do) is its *strong* form. That is true too, but says more, and takes another
# proof. How far the two are apart, exercise 2.6.4b will show.

# %%
distance = (minutes - 3.8).abs() / 9.72                 # of the delays from their mean, in standard deviations
for k in (1.5, 2., 3., 5.):
    normal = 2 * (1 - torch.distributions.Normal(0., 1.).cdf(torch.tensor(k)))
    print(f"k = {k:3}: bound {1 / k ** 2:.3f}, one delay {chance[distance >= k].sum():.3f}, a normal variable {normal:.6f}")

# %% [markdown]
# The bound always holds. It is far above the truth, the more so for a normal variable: it must hold for the worst of all distributions.

# %% [markdown] task="2.6.3b" kind="code" minutes=3 difficulty=2 needs="chebyshev's inequality, variance of a mean"
# ### A bound for the coin
#
# Write `chebyshev_bound(p, n, eps)`: the bound that Chebyshev's inequality gives for the probability that the share of heads in n tosses
# is at least `eps` away from p (0 < p < 1, n ≥ 1, eps > 0).
#
# **You are done when**
# - **bound**: it is Chebyshev's, for the share and with the variance of this coin;
# - **at most 1**: it is never above 1, since every probability is at most 1.

# %% exercise="2.6.3b"
def chebyshev_bound(p, n, eps):
    """Chebyshev's bound for P(|share of heads - p| >= eps) after n tosses, at most 1."""
    ### BEGIN SOLUTION
    return min(1.0, p * (1 - p) / (n * eps ** 2))
    ### END SOLUTION

# %% [markdown] hints="2.6.3b"
# 1. What is the variance of the share of heads (2.6.3a)?
# 2. Use the form with a distance ε: variance by ε squared.
# 3. For a variable with variance 3 and a distance of 10: at most 0.03; for a distance of 1 the formula gives 3, and the bound says nothing, so 1.

# %% check="2.6.3b" points=1
def how_it_falls():
    try:
        far, farther, more = (float(chebyshev_bound(0.1, n, eps)) for n, eps in ((3, 2000.0), (3, 4000.0), (12, 2000.0)))
        if far == 1:
            return "The bound is far below 1 here, and for eps = 2000, too; yours is 1: is 1 the largest value that may be returned (`min`), not the smallest? "
        if abs(far * 2000 ** 2 - 1) < 1e-3:
            return "`eps` is a distance, not a number k of standard deviations, and 1/`eps`² no bound. "
        if abs(far * 2000 ** 2 * 0.03 - 1) < 1e-3:
            return "k is `eps` divided by the standard deviation of the share; in yours it is multiplied with it. "
        if abs(farther / far - 0.25) > 0.003:
            return f"Where `eps` is twice as large, the bound is a quarter as large; yours becomes {farther / far:.4g} times as large (tried with 2000 and 4000, n = 3). "
        if abs(more / far - 0.25) > 0.003:
            return f"Where n is 4 times as large, the bound is a quarter as large; yours becomes {more / far:.4g} times as large (tried with 3 and 12, eps = 2000). "
        small, fair = far * 2000 ** 2 / 0.03, float(chebyshev_bound(0.5, 3, 2000.0)) * 2000 ** 2 * 12
        if abs(small - 1) < 1e-3 and abs(fair - 1) < 1e-3:
            return ("For eps = 2000 yours is right, and the formula is the same for every eps: "
                    "nothing is added above or below the line. ")
        if abs(small - fair) < 1e-3 * small:
            return f"n, `eps` and p count as they must, but yours is {small:.4g} times Chebyshev's bound. "
        return "n and `eps` count as they must: look at the variance of one toss. "
    except Exception:
        return ""

assert_close(chebyshev_bound(0.1, 3, 0.6), 1 / 12, "p = 0.1, n = 3, eps = 0.6", of="bound", rtol=1e-4,
             mistakes={"This is the bound for the worst coin: use the variance of this one.": 0.25 / 3 / 0.36, "The distance is squared.": 0.05,
                       "This uses the standard deviation in place of the variance.": 0.03 ** 0.5 / 0.36,
                       "The variance of the share is that of one toss, divided by n.": 0.25,
                       "This uses the variance of the number of heads, not of the share.": 0.75,
                       "The variance of the share falls like 1/n, not like its square.": 0.01 / 0.36,
                       "The variance of one toss is p(1 - p), not p.": 0.1 / 3 / 0.36,
                       "This is the exact probability; the task asks for the bound.": 0.001,
                       "This is 1 minus the bound, for a share that is near: asked is the bound for one that is far.": 11 / 12,
                       "k is the distance divided by the standard deviation of the share, not by its variance.": 0.0025,
                       "With k = eps/σ the bound is 1/k², not 1/k.": 0.03 ** 0.5 / 0.6,
                       "`a / n * b` is a · b / n: put brackets around the divisor.": 0.03 * 0.36,
                       "`a / n * b` is a · b / n: put brackets around the whole divisor.": 0.09 * 3 * 0.36,
                       "This is the normal estimate: asked is Chebyshev's bound.": math.erfc(0.6 / 0.03 ** 0.5 / 2 ** 0.5),
                       "`eps` is a distance, not a number k of standard deviations.": 1 / 0.36,
                       "Chebyshev's bound is for both sides together: do not halve it.": 1 / 24},
             hint=lambda: how_it_falls() + "The bound is the variance of the share, 0.1 · 0.9 / 3 = 0.03, divided by the square of the distance, 0.36.")
assert_close(chebyshev_bound(0.5, 1000, 0.05), 0.1, "p = 0.5, n = 1000, eps = 0.05", of="bound", rtol=1e-4,
             hint=lambda: how_it_falls() + "The variance of this share is 0.00025, and the square of the distance 0.0025.")
assert_close(chebyshev_bound(0.5, 4, 0.1), 1.0, "p = 0.5, n = 4, eps = 0.1", of="at most 1", rtol=1e-4,
             mistakes={"A probability is never above 1: a larger bound says nothing more.": 6.25,
                       "Where the formula gives more than 1, the bound is 1: it says nothing, and does not promise 0.": 0.0},
             hint="The formula gives 6.25 here, and a bound above 1 says nothing.")
### BEGIN HIDDEN TESTS
for p_, n_, e in ((0.9, 30, 0.2), (0.04, 500, 0.03), (0.5, 10, 0.25)):
    spread = sum(q * (v - p_) ** 2 for v, q in ((0, 1 - p_), (1, p_))) / n_
    assert_close(chebyshev_bound(p_, n_, e), spread / e ** 2, f"p = {p_}, n = {n_}, eps = {e}", of="bound", rtol=1e-4,
                 hint=lambda: how_it_falls() + "The bound is the variance of the share, for this coin and this n, divided by the square of this "
                      "distance; nothing is rounded.")
assert_close(chebyshev_bound(0.3, 2, 0.01), 1.0, "p = 0.3, n = 2, eps = 0.01", of="at most 1", rtol=1e-4,
             hint="The formula gives more than 1 here: what is the largest value that a probability can have?")
### END HIDDEN TESTS

# %% [markdown] teaches="central limit theorem"
# ### Means become normal
#
# Chebyshev knows σ and nothing else. About *means* more is known. The **central limit theorem** says: take n independent draws from one distribution with mean μ and
# standard deviation σ, whatever its shape. Then
#
# $$Z_n = \frac{\bar X_n - \mu}{\sigma/\sqrt n}$$
#
# ($\bar X_n$ is their mean) is for large n distributed nearly as a normal variable with mean 0 and standard deviation 1. Look at waiting times, whose density $e^{-x}$ is
# as lopsided as can be, with μ = σ = 1. (They are drawn as $X = -\log(1 - U)$ with U from `torch.rand`: X > x means $1 - U < e^{-x}$, which has probability
# $e^{-x}$, the area under the density to the right of x. And 1 - U is never 0, so its logarithm is finite.)

# %% tags=["demo"]
generator = torch.Generator().manual_seed(10)
z_line = torch.linspace(-3.5, 3.5, 200)
fig, axes = plt.subplots(1, 3, figsize=(9, 2.6), sharex=True, sharey=True, layout="constrained")
for ax, n in zip(axes, (1, 5, 50)):
    waits = -(1 - torch.rand(20_000, n, generator=generator)).log()
    Z = (waits.mean(dim=1) - 1) / (1 / n ** 0.5)
    ax.hist(Z.numpy(), bins=60, range=(-3.5, 3.5), density=True, histtype="stepfilled", color="lightgrey")
    ax.plot(z_line, torch.distributions.Normal(0., 1.).log_prob(z_line).exp(), color="C3")
    ax.set(xlabel="Z", title=f"n = {n}")
    print(f"n = {n:2}: P(Z ≥ 2) is {(Z >= 2).double().mean():.4f}, P(Z ≤ -2) is {(Z <= -2).double().mean():.4f}; normal: 0.0228")
axes[0].set_ylabel("density")
plt.show()

# %% [markdown]
# *What to see:* for n = 1 the grey bars are the waiting times themselves, moved to mean 0. For n = 5 a bell begins to show, for n = 50 the bars fill the red curve. This is
# the reason why normal distributions turn up everywhere: much of what we measure is a sum of many small independent parts. The tails are slowest: at n = 50
# the right one is still a little too heavy, the left one too light.

# %% [markdown] task="2.6.3c" kind="code" minutes=3 difficulty=2 needs="central limit theorem, normal distribution, variance of a mean"
# ### The same by the central limit theorem
#
# Write `normal_estimate(p, n, eps)`: what the central limit theorem gives for the probability that the share of heads in n tosses is at least `eps`
# away from p (0 < p < 1, eps ≥ 0). Take the normal distribution as it is, without any correction for whole numbers.
#
# **You are done when**
# - **scale**: the distance is measured in standard deviations of the share;
# - **two sides**: shares that are too small count as well as those that are too large.

# %% exercise="2.6.3c"
def normal_estimate(p, n, eps):
    """The normal approximation of P(|share of heads - p| >= eps) after n tosses."""
    ### BEGIN SOLUTION
    k = eps / (p * (1 - p) / n) ** 0.5
    return 2 * (1 - torch.distributions.Normal(0., 1.).cdf(torch.tensor(k)))
    ### END SOLUTION

# %% [markdown] hints="2.6.3c"
# 1. How many standard deviations of the share is `eps`?
# 2. `torch.distributions.Normal(0., 1.).cdf(torch.tensor(k))` is the area to the left of k. What is left on the right, and on both sides?
# 3. For a standard deviation of 3 and a distance of 6, so k = 2: 2 · (1 - 0.9772) = 0.0455.

# %% check="2.6.3c" points=1
def scale_or_area():
    try:
        here, larger, fair, one = (float(normal_estimate(p, n, eps)) for p, n, eps in ((0.2, 4, 0.24), (0.2, 16, 0.12), (0.5, 4, 0.3), (0.5, 1, 0.5)))
        if abs(here - 0.2301393) < 0.01:
            return "Yours is near, but not the area itself: nothing is drawn, added up in steps or rounded. "
        if 1e-9 < here < 3e-9:
            return ("By yours eps is 6 standard deviations: this is eps divided by the variance of the share, 0.04, "
                    "and not by its root. ")
        if 1e-6 < here < 3e-6:
            return ("By yours eps is 4.8 standard deviations, n times too many: either eps is multiplied by n, or the standard "
                    "deviation is divided by n once too often. ")
        if abs(larger - here) > 0.003:
            return f"Where n is 4 times as large and eps half as large, eps is 1.2 standard deviations again, so the result stays; yours becomes {larger:.4g}: how does n count? "
        if abs(fair - here) > 0.003:
            return f"For p = 0.5, n = 4, eps = 0.3, eps is 1.2 standard deviations again, so the result stays; yours becomes {fair:.4g}: how does p count? "
        if abs(one - 0.3173105) < 0.001:
            return "Where eps is one standard deviation, yours is right: how is eps divided by it elsewhere? "
        return (f"n and p count as they must. Where eps is one standard deviation, the area beyond it is 0.1587 on each side; yours for both together is {one:.4g}: "
                "look at how far eps is said to be, in standard deviations, and which area is taken. ")
    except Exception:
        return ""

assert_close(normal_estimate(0.5, 4, 0.0), 1.0,
             "p = 0.5, n = 4, eps = 0: every share is at least 0 away", of="two sides", rtol=1e-4,
             mistakes={"This counts one side only.": 0.5, "This is the probability to be nearer than eps.": 0.0,
                       "This is twice the density at 0: asked is an area.": 2 / math.sqrt(2 * math.pi), "This is the density at 0: asked is an area.": 1 / math.sqrt(2 * math.pi),
                       "The share cannot lie on both sides at once, so the two areas just add up.": 0.75,
                       "`eps` is the distance from p: it is divided by the standard deviation as it is, without p added.":
                           0.0455003,
                       "Leave the correction for whole numbers out.": 1.3829249,
                       "Leave the correction for whole numbers out, here eps + 1/(2n).": 0.6170751},
             hint="Half of the area lies on each side here, and the two together are 1.")
assert_close(normal_estimate(0.2, 4, 0.24), 0.2301393, "p = 0.2, n = 4, eps = 0.24", of="scale", rtol=1e-3,
             mistakes={"Divide by the standard deviation of the share, not by its variance.": 0.0,
                       "The standard deviation is that of the share of n tosses, not of one toss.": 0.5485062,
                       "The standard deviation is that of the share, not of the number of heads.": 0.7641772,
                       "The standard deviation of one toss is divided by √n, not by n.": 0.0163951,
                       "Use the standard deviation of this coin, not of a fair one.": 0.3370552,
                       "The variance of one toss is p(1 - p), not p.": 0.2831309,
                       "This is the exact probability: asked is the normal approximation.": 0.1808,
                       "This is Chebyshev's bound: asked is the normal approximation.": 0.04 / 0.24 ** 2,
                       "`eps` is a distance: how many standard deviations of the share is it?": 0.8103303,
                       "This doubles the area to the left of the limit: what lies beyond it, on both sides, is asked.": 1.7698607,
                       "`eps` is the distance from p: it is divided by the standard deviation as it is, without p added.":
                           0.0278069,
                       "The area beyond k on both sides is `math.erfc(k / 2 ** 0.5)`: the √2 is missing.": 0.0896860,
                       "Half of the area is missing: the normal distribution is taken as it is, also below 0 and above 1, where "
                       "no share lies.":
                           0.1150697,
                       "Leave the correction for whole numbers out.": 0.5652913,
                       "Leave the correction for whole numbers out, here eps + 1/(2n).": 0.0680010},
             hint=lambda: scale_or_area() + "Here the standard deviation of the share is 0.4 / 2 = 0.2, and eps is 1.2 of them.")
### BEGIN HIDDEN TESTS
for p_, n_, e in ((0.9, 30, 0.05), (0.04, 500, 0.02), (0.3, 12, 0.2)):
    spread = (sum(q * (v - p_) ** 2 for v, q in ((0, 1 - p_), (1, p_))) / n_) ** 0.5
    assert_close(normal_estimate(p_, n_, e), math.erfc(e / spread / 2 ** 0.5), f"p = {p_}, n = {n_}, eps = {e}", of="scale", rtol=1e-3, atol=1e-6,
                 hint=lambda: scale_or_area() + "k is eps divided by the standard deviation of the share for these p and n; it is not rounded.")
assert_close(normal_estimate(0.7, 50, 0.0), 1.0, "p = 0.7, n = 50, eps = 0", of="two sides", rtol=1e-4,
             hint="Every share is at least 0 away.")
assert_close(normal_estimate(0.7, 50, 0.03), math.erfc(0.03 / (0.21 / 50) ** 0.5 / 2 ** 0.5), "p = 0.7, n = 50, eps = 0.03", of="scale", rtol=1e-3,
             hint=scale_or_area)
### END HIDDEN TESTS

# %% [markdown]
# The two answer the same question in different ways. Which one can you rely on? The exact probability can be computed: $\binom nk$ (`math.comb`) of all sequences
# have k heads, and each of these has probability $p^k (1 - p)^{n-k}$. `exact_tail` adds up those k whose share is far away.

# %% tags=["setup"]
def exact_tail(p, n, eps):
    """The exact probability that the share of heads in n tosses is at least eps away from p."""
    far = [k for k in range(n + 1) if abs(k / n - p) >= eps - 1e-9]
    return sum(math.comb(n, k) * p ** k * (1 - p) ** (n - k) for k in far)

# %%
print(f"p = 0.5, n = 100, eps = 0.1: exactly {exact_tail(0.5, 100, 0.1):.4f}")

# %% [markdown] task="2.6.3d" kind="break it" minutes=4 difficulty=3 needs="chebyshev's inequality, central limit theorem"
# ### Where the approximation is too small
#
# The exact probability is never above Chebyshev's bound. Is it also never above the estimate from the central limit theorem? Sometimes it is, and by much: find a case. Hand in `surprise`, a
# tuple `(p, n, eps)` for which the exact probability is larger than the estimate by at least 0.1.
#
# **You are done when**
# - **form**: `surprise` holds three numbers, 0 < p < 1, a whole number n from 1 to 500, and eps > 0;
# - **gap**: the exact probability is larger than the normal estimate by at least 0.1.

# %% exercise="2.6.3d"
### BEGIN SOLUTION
surprise = (0.5, 4, 0.25)
### END SOLUTION

# %% [markdown] hints="2.6.3d"
# 1. For which n is "n is large" least true? A share of few tosses can take few values only.
# 2. A normal variable takes every value. If much probability sits on one value of the share, choose eps so that it just counts.
# 3. One throw of a die, "at least 2.5 from 3.5", is exactly 1/3 (faces 1 and 6); a normal variable with the same mean and deviation gives 0.14.

# %% check="2.6.3d" points=1
@probe
def case_handed_in():
    return globals().get("surprise")

assert_type(case_handed_in(), (tuple, list), "surprise", of="form", hint="The answer cell makes a tuple (p, n, eps) with the name `surprise`.")
assert_equal(len(surprise), 3, "how many numbers surprise holds", of="form", hint="They are p, n and eps, in this order.")
p_, n_, eps_ = surprise
for name, value in (("p", p_), ("n", n_), ("eps", eps_)):
    assert_type(value, (int, float), f"{name} in surprise", of="form", hint="Three plain numbers are asked for.")
assert_true(0 < p_ < 1, "p in surprise lies between 0 and 1", of="form", hint="The order is p, n, eps." if p_ >= 1 and 0 < n_ < 1 else "")
assert_true(1 <= n_ <= 500 and n_ == int(n_), "n in surprise is a whole number from 1 to 500", of="form",
            hint="The order is p, n, eps." if 0 < n_ < 1 and eps_ >= 1 else "")
assert_true(eps_ > 0, "eps in surprise is positive", of="form", hint="At a distance of 0 both are 1: choose a share, and say how far from p it is.")
exact, estimate = exact_tail(p_, int(n_), eps_), math.erfc(eps_ / (p_ * (1 - p_) / n_) ** 0.5 / 2 ** 0.5)
assert_true(exact - estimate >= 0.1, f"the exact probability, {exact:.4f}, is larger than the estimate, {estimate:.4f}, by at least 0.1", of="gap",
            hint="No share of n tosses is so far from p (eps is a distance of shares, not a number of heads)." if exact == 0 else
            "It is smaller here: the estimate holds." if exact < estimate else f"It is larger by {exact - estimate:.4f} only.")
### BEGIN HIDDEN TESTS
assert_true(0 < p_ < 1 and 1 <= n_ <= 500 and eps_ > 0, "p, n and eps in surprise are in their ranges", of="form", hint="0 < p < 1, n from 1 to 500, eps > 0.")
half = [math.comb(int(n_), k) * p_ ** k * (1 - p_) ** (int(n_) - k) for k in range(int(n_) + 1) if p_ - eps_ + 1e-9 < k / n_ < p_ + eps_ - 1e-9]
assert_true(1 - sum(half) - estimate >= 0.1 - 1e-9, "the gap, computed from the shares that are near p", of="gap", hint="It must be at least 0.1.")
### END HIDDEN TESTS

# %% [markdown]
# So Chebyshev's bound is a promise, for every n and every distribution, but a wide one. The central limit theorem is a sharp statement about large n, and none about
# your n. In practice one uses it to see the size of an error, and a bound where a guarantee is asked for (section 4.6).
#
# Now the models. Suppose that each is right on 90 % of all pictures: neither is better. Both look at the *same* pictures, and what is hard for one is mostly hard
# for the other. Let 12 % of the pictures be hard, and each model right there with probability 0.24, on the other 88 % with 0.99. Together that is
# 0.12 · 0.24 + 0.88 · 0.99 = 0.9. Given the picture the two are independent. How often do they differ by 2 percentage points or more, in 500 repetitions? For
# comparison: the same with a test set for each model, so that they share nothing.

# %%
generator = torch.Generator().manual_seed(11)
print("pictures | an accuracy strays by | the two differ by 0.02 or more: on the same pictures, on different ones")
for n in (100, 1_000, 4_000):
    hard = torch.rand(2, 500, n, generator=generator) < 0.12            # two test sets in each of 500 repetitions
    correct = torch.rand(3, 500, n, generator=generator)
    first_model = (correct[0] < torch.where(hard[0], 0.24, 0.99)).sum(dim=1)        # number of pictures labelled rightly
    same_pictures = (correct[1] < torch.where(hard[0], 0.24, 0.99)).sum(dim=1)
    other_pictures = (correct[2] < torch.where(hard[1], 0.24, 0.99)).sum(dim=1)
    same = ((first_model - same_pictures).abs() >= 0.02 * n).double().mean()        # the share of the 500 repetitions
    different = ((first_model - other_pictures).abs() >= 0.02 * n).double().mean()
    print(f"{n:8} | {(first_model / n).std():21.4f} | {same:48.3f}, {different:17.3f}")

# %% [markdown]
# (`torch.where(hard, 0.24, 0.99)` is 0.24 where `hard` is True, else 0.99.) On the same 100 pictures two equally good models differ by that much in more than half of
# all cases: 91 against 89 is no evidence that A is better. On 4,000 pictures such a difference would be hard to explain by chance. An accuracy without the number of
# pictures is half a result. And the same pictures are the better comparison: the two shares have a positive covariance, and
# $\operatorname{Var}(X - Y) = \operatorname{Var}(X) + \operatorname{Var}(Y) - 2\operatorname{Cov}(X, Y)$.

# %% [markdown]
# ### Looking again and again
#
# Let $x_1, x_2, \dots$ be independent draws with mean 0 and variance 1, and $z_m = \frac1m \sum_{i=1}^m x_i$ the mean of the first m. You watch $z_m$ after every draw.
# For each m, Chebyshev's inequality holds: $P(|z_m| \ge k/\sqrt m) \le 1/k^2$. May you treat these statements as independent, or as one statement about all m? The next two exercises
# find out. (In training, you look at a validation loss after every epoch.)
#
# A tool for it: where each row of a table of True and False is one experiment, `any(dim=1)` says for each row whether it holds a True.

# %%
lateness = torch.tensor([[False, True], [False, False], [True, False]])     # three weeks, two trains
print("late at least once:", lateness.any(dim=1))
print("the last one late: ", lateness[:, -1])

# %% [markdown] task="2.6.4a" kind="code" minutes=4 difficulty=3 needs="covariance, variance of a mean, independence"
# ### Averages that share their data
#
# Write `covariance_of_averages(m, n)`: $\operatorname{Cov}(z_m, z_n)$ for the averages above, for whole numbers m and n from 1 on.
#
# **You are done when**
# - **variance**: for m = n it is the variance of $z_m$;
# - **different m and n**: it is right for m < n and for m > n.

# %% exercise="2.6.4a"
def covariance_of_averages(m, n):
    """Cov(z_m, z_n) for averages of the first m and the first n of independent draws with variance 1."""
    ### BEGIN SOLUTION
    return min(m, n) / (m * n)
    ### END SOLUTION

# %% [markdown] hints="2.6.4a"
# 1. Put both sums into the covariance. Which pairs $(x_i, x_j)$ have a covariance that is not 0?
# 2. $\operatorname{Cov}(x_i, x_j)$ is 1 for i = j and 0 otherwise, because the draws are independent. How many i occur in both averages?
# 3. $\operatorname{Cov}(x_1 + x_2,\; x_2 + x_3) = 1$: one draw is shared.

# %% check="2.6.4a" points=1
shared = "This is 1 / (m · n), the covariance for a single draw in both averages: how many draws occur in both?"
def one_for_equal():
    """What a covariance of 1 for m = n comes from."""
    try:
        if abs(float(covariance_of_averages(2, 5)) - 0.4 ** 0.5) < 1e-4:
            return "This is the correlation, which is 1 for m = n: asked is the covariance."
        return "For m = n it is the variance of a mean of m draws, which is less than the 1 of one draw."
    except Exception:
        return ""

assert_close(covariance_of_averages(5, 5), 0.2, "m = 5, n = 5", of="variance", rtol=1e-4,
             mistakes={shared: 0.04, "These are averages: each sum is divided by its number of draws.": 5.0,
                                        one_for_equal(): 1.0,
                                        "`//` drops what stands after the point: divide with `/`.": 0.0},
             hint="It is the variance of the mean of 5 draws with variance 1: a formula gives it exactly.")
assert_close(covariance_of_averages(2, 5), 0.2, "m = 2, n = 5", of="different m and n", rtol=1e-4,
             mistakes={"They share draws, so they are not independent.": 0.0, shared: 0.1,
                       "1/2 is the variance of the shorter average, as if the longer one held no other draws: of its 5 only 2 "
                       "occur in both.": 0.5,
                       "This is the product of the standard deviations, the covariance of averages that always agree.": 0.1 ** 0.5,
                       "This is the correlation: asked is the covariance.": 0.4 ** 0.5,
                       "These are the two variances added, as for a sum of independent averages; the covariance is asked.": 0.7,
                       "One sum is divided by m, the other by n: not both by the longer one's number.": 0.08,
                       "A sum of m draws and one of n draws are divided by m and by n, so the divisor is m · n.": 2 / 7,
                       "These are averages: each sum is divided by its number of draws.": 2.0},
             hint=lambda: f"They share 2 draws, and the divisor is 2 · 5; multiplied by 10, yours is {10 * float(covariance_of_averages(2, 5)):.4g}. "
                          "How many draws occur in both averages, and by what is each sum divided?")
assert_close(covariance_of_averages(8, 4), 0.125, "m = 8, n = 4", of="different m and n", rtol=1e-4,
             mistakes={"1/4 is the variance of the shorter average. For m = 2, n = 5 yours is 1/5, that of the longer one, as "
                       "it should be.": 0.25,
                       shared: 1 / 32},
             hint=lambda: f"They share 4 draws; one sum is divided by 8, the other by 4. Multiplied by 8 · 4, yours is {32 * float(covariance_of_averages(8, 4)):.4g}.")
### BEGIN HIDDEN TESTS
for m_, n_ in ((1, 1), (7, 7), (3, 11), (20, 6), (1, 9)):
    first, second = torch.zeros(30, dtype=torch.float64), torch.zeros(30, dtype=torch.float64)
    first[:m_], second[:n_] = 1 / m_, 1 / n_
    assert_close(covariance_of_averages(m_, n_), (first @ second).item(), f"m = {m_}, n = {n_}", of="variance" if m_ == n_ else "different m and n",
                 rtol=1e-4, hint="How many draws occur in both averages, and by what is each sum divided?")
### END HIDDEN TESTS

# %% [markdown] task="2.6.4b" kind="explain" minutes=10 difficulty=4 needs="chebyshev's inequality, independence, covariance"
# ### One promise each, no promise for all
#
# Write `share_outside(x, k)`. `x` has shape (paths, M); each row is one experiment with draws $x_1, \dots, x_M$. Return two shares of the rows, `(last, ever)`:
#
# - `last`: rows with $|z_M| \ge k/\sqrt M$, after the last draw;
# - `ever`: rows with $|z_m| \ge k/\sqrt m$ for at least one m from 1 to M.
#
# Run it for k = 2 on `torch.randn(2000, 1000, generator=torch.Generator().manual_seed(1))`. Then explain in the second cell, in about ten sentences: (1) what Chebyshev's inequality does promise
# about $z_1, z_2, \dots$, (2) why these statements are not independent, (3) what follows for somebody who looks at every m and stops when $|z_m|$ is
# large, with your numbers.
#
# **You are done when**
# - **last**: the first share is right, and equality counts as outside;
# - **ever**: the second one is right, and each m has its own limit;
#
# and your text has all three points, (1) with the variance of $z_m$, (2) with a reason, (3) with the two numbers of your run: each earns one point.

# %% exercise="2.6.4b"
def share_outside(x, k):
    """(share of rows outside after the last draw, share of rows outside at some draw): (paths, M) -> two numbers."""
    ### BEGIN SOLUTION
    m = torch.arange(1, x.shape[1] + 1)
    outside = (x.cumsum(dim=1) / m).abs() >= k / m.sqrt()
    return outside[:, -1].double().mean(), outside.any(dim=1).double().mean()
    ### END SOLUTION

# %% [markdown] hints="2.6.4b"
# 1. How did the section on shares compute the mean so far for all rows at once? What is the limit for each m?
# 2. A table of shape (paths, M) of True and False says all: its last column gives `last`, and `any(dim=1)` gives `ever`.
# 3. The table of the three weeks above gives last 1/3 and ever 2/3.

# %% check="2.6.4b" points=2
paths = torch.tensor([[0., 0., 0., -4.], [3., 3., 3., 3.], [1.5, 1.5, 1.5, 1.5], [0., 0., 0., 1.5], [0., 0., 0., 9.], [1., 1., 1., 1.], [0., 0., 0., 0.],
                      [0.65, 0.65, 0.65, 0.65], [0.7, 0.7, 0.7, 0.7], [1.2, -1.2, 0., 0.], [2., -1.5, 0., 0.], [0., 2.85, -1.1, 0.], [0.6, 0.6, 0.6, 0.6],
                      [0., 0., 0., 4.2], [1.5, 1.5, -1.5, -1.5], [0.55, 0.55, 0.55, 0.55]])
def which_path(entry, right):
    try:
        for i, row in enumerate(paths):
            if (yours := float(share_outside(row[None], 2)[entry])) != (i in right):
                return (f"Row {i} alone, {tuple(round(v, 2) for v in row.tolist())}, is {'outside' if i in right else 'not outside'} "
                        f"{('after the last draw', 'at any draw' if i not in right else 'at one draw or more')[entry]}, so its share is {int(i in right)}; yours is {yours:.3g}. ")
        return "For each row alone yours is right: how are the rows put together? "
    except Exception:
        return ""

def which_limit(row, k, yes, no):
    """The sentence for an answer that takes this row alone as outside after the last draw, and the one for an answer that does not."""
    try:
        return yes if float(share_outside(torch.tensor([row]), k)[0]) == 1 else no
    except Exception:
        return no

pair = share_outside(paths, 2)
assert_type(pair, (tuple, list), "what share_outside returns", of="last", hint="Return both numbers, with a comma between them: `return last, ever`.")
assert_equal(len(pair), 2, "how many numbers share_outside returns", of="last", hint="Return two numbers: `return last, ever`.")
assert_close(pair[0], 6 / 16, "last for the sixteen rows in this check, k = 2", of="last", rtol=1e-4, atol=1e-6,
             mistakes={"Equality counts as outside.": 4 / 16,
                       which_limit([0., 0., 0., 1.2], 2, "These are the draws: compare the means so far with k/√m.",
                                   "Compare the means so far with k/√m, as they are: the draws have the deviation 1."): 8 / 16,
                       "Means far below 0 are outside, too.": 5 / 16,
                       which_limit([0.7, 0.7, 0.7, 0.7], 2, "The limit after 4 draws is k/√4; yours is k/4, without the root.",
                                   "The limit after 4 draws is k/√4; yours is k/√16, from the number of rows."): 10 / 16,
                       "This is a number of rows, not a share.": 6.0,
                       "The order is (last, ever).": 9 / 16, "These are sums so far: divide them by m for the means.": 12 / 16,
                       "The limit for m draws is k/√m, for the means as they are: yours have a larger limit, or are divided by "
                       "a deviation.": 2 / 16,
                       "By yours no row is outside: the limit for m draws is k divided by √m, not multiplied by it.": 0.0,
                       "Means far above 0 are outside, too.": 1 / 16,
                       "The first mean is that of one draw: m counts from 1, not from 2.": 3 / 16,
                       "Take the size of the mean, not the mean of the sizes.": 7 / 16,
                       "Add up along each row, `cumsum(dim=1)`: this adds up down the columns.": 13 / 16},
             hint=lambda: which_path(0, {0, 1, 2, 4, 5, 13}))
assert_close(pair[1], 9 / 16, "ever for the sixteen rows in this check, k = 2", of="ever", rtol=1e-4, atol=1e-6,
             mistakes={"Each m has its own limit, k/√m.": 10 / 16, "The limit for m draws is k/√m, not k/m.": 13 / 16, "This is a number of rows, not a share.": 9.0, "One m is enough, it need not be all.": 1 / 16,
                       "Each m has its own limit, k/√m, and not that of the first draw.": 3 / 16,
                       "The last draw counts, too.": 5 / 16,
                       "The first mean is that of one draw: m counts from 1, not from 0.": 14 / 16,
                       "Count the rows that are outside at least once, not the entries.": 14 / 64,
                       "Ask along each row, `any(dim=1)`: not along the columns, nor in the whole table.": 1.0,
                       "This is the largest share at any one m: count each row that is outside at some m.": 6 / 16},
             hint=lambda: which_path(1, {0, 1, 2, 4, 5, 10, 11, 13, 14}) + "A row counts as soon as it is outside at one m, whichever that is, the first and the last included.")
assert_close(share_outside(torch.full((1, 4), 0.95), 2)[0], 0., "last for a single row, 0.95 four times, k = 2", of="last",
             rtol=0, atol=1e-6,
             hint="The limit after 4 draws is k/√4 = 1: in the divisor stands the number of draws itself.")
assert_close(share_outside(paths, 3)[0], 3 / 16, "last for the same rows, k = 3", of="last", rtol=1e-4, atol=1e-6,
             mistakes={"Take the k of the call: this is the share for k = 2.": 6 / 16},
             hint="For k = 2 yours is right: where does k count? The limit after 4 draws is k/√4 = 1.5.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(75)
for shape, k_ in (((400, 60), 2), ((150, 7), 1.5), ((30, 1), 1)):
    x_ = torch.randn(shape, generator=rng)
    z = torch.stack([x_[:, :m].double().mean(dim=1) for m in range(1, shape[1] + 1)], dim=1)
    limits = torch.tensor([k_ / m ** 0.5 for m in range(1, shape[1] + 1)], dtype=torch.float64)
    pair = share_outside(x_, k_)
    assert_close(pair[0], (z[:, -1].abs() >= limits[-1]).double().mean().item(), f"last for x of shape {shape}, k = {k_}", of="last", rtol=1e-4, atol=1e-6,
                 hint="The limit after M draws is k/√M; the share is one of all rows of `x`. Take k, M and the number of rows from the call.")
    assert_close(pair[1], (z.abs() >= limits).any(dim=1).double().mean().item(), f"ever for x of shape {shape}, k = {k_}", of="ever", rtol=1e-4, atol=1e-6,
                 hint="Each m from 1 to M has its own limit, k/√m, with the k and the M of the call, and a row counts once.")
### END HIDDEN TESTS

# %% [markdown] written="2.6.4b" points=3
# ### BEGIN SOLUTION
# For each single m that was fixed beforehand, Chebyshev's inequality holds: $P(|z_m| \ge k/\sqrt m) \le 1/k^2$, since $z_m$ has mean 0 and variance 1/m. For k = 2 that is at most
# 0.25. In the run, `last` is 0.0425, well below.
#
# The statements for different m are about the same draws. $z_m$ and $z_n$ share the first min(m, n) of them, and their covariance is 1/max(m, n), not 0. After
# a large $z_{100}$, $z_{101}$ is almost surely large too. So probabilities may not be multiplied as for independent events: neither "all inside with probability
# $(1 - 1/k^2)^M$" nor "each look is a new chance" is right.
#
# Nor is a bound for each m a bound for all m together. The probability that some $z_m$ is outside can be much larger: in the run, `ever` is 0.485, above 0.25, and it
# grows with the number of looks. Who looks after every draw and stops at a large value finds one about half of the time, though there is nothing to find. What holds without any
# independence is the sum of the bounds, $M/k^2$; so choose m beforehand, or make each bound so small that their sum is.
#
# **Rubric**
# - [1] For each fixed m the inequality holds, with the variance 1/m; also accepted: the same with ε: at most 1/(mε²); lost by "Chebyshev does not hold for z_m".
# - [1] The averages share draws, so they are dependent, with a reason such as Cov = 1/max(m, n); also accepted: z_{m+1} = (m z_m + x_{m+1})/(m + 1); lost by "they are independent because the x are".
# - [1] A bound for each m is none for all m at once: looking at every m raises the probability, with the numbers of a run (about 0.04 and 0.49 for k = 2); also accepted: the union bound, or stopping at a chosen moment; lost by "more looks make it safer".
# ### END SOLUTION

# %% [markdown]
# ## An application: a mixture with less risk
#
# Means, variances and the covariance matrix at work, in a decision. You can split money between d stocks: the share $\alpha_i \ge 0$ goes into stock i, and $\alpha_1 + \dots + \alpha_d = 1$. In a year stock i
# returns $s_i$ for each unit of money, a random variable. The vector of means is $\mu$, of shape (d,), the covariance matrix is Σ, of
# shape (d, d). The portfolio returns $\alpha_1 s_1 + \dots + \alpha_d s_d$. Three invented stocks, 5,000 years, and the returns of 400 portfolios
# picked at random:

# %% tags=["demo"]
generator = torch.Generator().manual_seed(6)
market, own = torch.randn(5_000, 1, generator=generator), torch.randn(5_000, 3, generator=generator)
returns = torch.tensor([0.03, 0.06, 0.09]) + market * torch.tensor([0.01, 0.07, -0.06]) + own * torch.tensor([0.06, 0.09, 0.18])
mixes = torch.rand(400, 3, generator=generator)
mixes = mixes / mixes.sum(dim=1, keepdim=True)                  # (400, 3), rows make 1
outcomes = returns @ mixes.T                                    # (5000, 400)
fig, ax = plt.subplots(figsize=(5.5, 3), layout="constrained")
ax.plot(outcomes.std(dim=0), outcomes.mean(dim=0), ".", color="0.6", label="a mixture")
ax.plot(returns.std(dim=0), returns.mean(dim=0), "o", color="C3", label="a single stock")
ax.set(xlabel="standard deviation of the return", ylabel="mean return")
fig.legend(loc="outside right upper")
plt.show()

# %% [markdown]
# *What to see:* the mean of a mixture lies between those of the stocks. Its standard deviation does not: there are grey points to the
# left of all three red ones. Stocks that do not move together take the edge off each other.

# %% [markdown] task="2.6.8a" kind="code" minutes=2 difficulty=1 needs="expectation, dot product"
# ### The mean return
#
# Write `mean_return(alpha, mu)`: the expectation of the portfolio's return, for `alpha` and `mu` of shape (d,).
#
# **You are done when**
# - **value**: it is the expectation of the sum, weighted with `alpha`, as a number.

# %% exercise="2.6.8a"
def mean_return(alpha, mu):
    """E[alpha_1 s_1 + ... + alpha_d s_d]: (d,), (d,) -> a number."""
    ### BEGIN SOLUTION
    return alpha @ mu
    ### END SOLUTION

# %% [markdown] hints="2.6.8a"
# 1. Which of the rules for expectations apply to $\alpha_1 s_1 + \alpha_2 s_2$?
# 2. Factors and sums may be taken out of an expectation, dependent or not.
# 3. $E[2X - 3Y] = 2E[X] - 3E[Y]$.

# %% check="2.6.8a" points=1
def one_stock_alone():
    """Which stock alone makes 0.02: the one with the largest weight, or the one that adds most."""
    try:
        if abs(float(mean_return(torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.02, 0.05, 0.30]))) - 0.06) < 1e-4:
            return "This is the largest of the products alone: they are added up."
        return "This is the mean return of the stock with the largest weight alone: the others count, too."
    except Exception:
        return ""

assert_close(mean_return(torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.02, 0.05, 0.10])), 0.045,
             "alpha = (0.5, 0.3, 0.2), mu = (0.02, 0.05, 0.10)", of="value", rtol=1e-4,
             mistakes={"The money itself is no return: nothing is added to the mean of the returns.": 1.045,
                       "The weights count as they are: no softmax.":
                           (torch.tensor([0.5, 0.3, 0.2]).softmax(0) @ torch.tensor([0.02, 0.05, 0.10])).item(),
                       "Weight the returns with alpha.": 0.17 / 3, "The weights make 1: do not divide by d.": 0.015,
                       "The weights must not be left out.": 0.17, "The third stock is missing.": 0.025,
                       "0.05 is the mean return of the second stock alone, and the right one rounded: asked is neither.": 0.05,
                       "Returns are weighted and added, not multiplied with one another.":
                           1.02 ** 0.5 * 1.05 ** 0.3 * 1.1 ** 0.2 - 1,
                       "This is the largest mean return alone: the other stocks count with their weights, too.": 0.1,
                       one_stock_alone(): 0.02, "The weights are not squared in a mean.": 0.25 * 0.02 + 0.09 * 0.05 + 0.04 * 0.1},
             hint="It is 0.5 · 0.02 + 0.3 · 0.05 + 0.2 · 0.10, one number: every stock counts, with its weight. Nothing is drawn.")
assert_close(mean_return(torch.tensor([0.5, 0.25, 0.125, 0.125]), torch.tensor([-0.2, 0.04, -0.08, 0.08])), -0.09,
             "alpha = (0.5, 0.25, 0.125, 0.125), mu = (-0.2, 0.04, -0.08, 0.08)", of="value", rtol=1e-4,
             mistakes={"A mean return may be negative: leave its sign.": 0.13,
                       "The mean of the portfolio may be negative: leave its sign.": 0.09,
                       "A stock that loses counts, too.": 0.02, "All four stocks count, not only the first three.": -0.1},
             hint="Each of the four stocks counts with its weight, also where its mean return is negative.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(69)
for d in (4, 9, 1):
    alpha, means = torch.rand(d, generator=rng), 0.1 * torch.randn(d, generator=rng)
    alpha = alpha / alpha.sum()
    assert_close(mean_return(alpha, means), sum(a * m for a, m in zip(alpha.tolist(), means.tolist())), f"the mean return of {d} {'stock' if d == 1 else 'stocks'}", of="value",
                 rtol=1e-3, atol=1e-6, hint=lambda: where_they_part(mean_return, lambda a, m: (a.double() * m.double()).sum(), alpha=alpha, mu=means) +
                              " However many stocks there are, each counts with its weight, and its mean return may be negative.")
### END HIDDEN TESTS

# %% [markdown] task="2.6.8b" kind="code" minutes=2 difficulty=1 needs="expectation"
# ### Only the mean counts
#
# Suppose that you care for the mean return only, and for no risk. Write `boldest(mu)`: the weights `alpha` with the largest mean return.
#
# **You are done when**
# - **weights**: the result is a tensor of shape (d,), no entry is negative, and they add up to 1;
# - **largest**: no other such weights have a larger mean return.

# %% exercise="2.6.8b"
def boldest(mu):
    """Weights of shape (d,) with the largest mean return."""
    ### BEGIN SOLUTION
    alpha = torch.zeros(len(mu))
    alpha[mu.argmax()] = 1
    return alpha
    ### END SOLUTION

# %% [markdown] hints="2.6.8b"
# 1. The mean return of a mixture is an average of `mu`. How large can an average be?
# 2. Any money that is not in the best stock could be moved there, and would earn more.
# 3. To make the *smallest* entry of (3, 1, 2) count alone, the weights are (0, 1, 0).

# %% check="2.6.8b" points=1
for means_, best in (((0.02, 0.07, 0.10, 0.05), 0.10), ((-0.10, -0.05, -0.20), -0.05), ((0.04, 0.10, 0.10), 0.10)):
    words = f"mu = ({', '.join(f'{mean:.2f}' for mean in means_)})"
    alpha = boldest(torch.tensor(means_))
    assert_type(alpha, torch.Tensor, f"the weights for {words}", of="weights", hint="Return a tensor.")
    assert_shape(alpha, (len(means_),), f"the weights for {words}", of="weights",
                 hint="There is a weight for each stock, and one axis: not the largest return itself, "
                      "nor the number of its stock.")
    assert_true(bool((alpha >= -1e-6).all()), f"no weight is negative, for {words}", of="weights", hint="No money may be borrowed.")
    assert_close(alpha.double().sum().item(), 1.0, f"the sum of the weights for {words}", of="weights", rtol=1e-4,
                 mistakes={"All money must be in some stock, even if every mean return is negative.": 0.0} if best < 0 else
                 {"Two stocks are equally good here: together they have the weight 1, not each of them.": 2.0} if means_[1] == means_[2] else {},
                 hint="The weights are shares of the money, not returns, and all of it is given out.")
    assert_close((alpha.double() * torch.tensor(means_)).sum().item(), best, f"the mean return for {words}", of="largest", rtol=1e-3,
                 mistakes={"-0.20 is the least return: compare the returns with their signs.": -0.20,
                           "Stock 1, with -0.05, is better than stock 0: was each return compared with 0?": -0.10,
                           "This is the mean return of equal weights: all money belongs in the best stock.":
                               sum(means_) / len(means_)} if best < 0 else
                 {"All money is in the stock with the smallest mean return, not in the best one.": min(means_),
                  "This is the mean return of equal weights: all money belongs in the best stock.": sum(means_) / len(means_)},
                 hint=lambda: "Is there money in a stock that is not the best one? "
                              f"Yours puts {alpha[torch.tensor(means_) == best].sum().item():.3g} of it where the mean return is {best:.2f}.")
### BEGIN HIDDEN TESTS
for means in (torch.tensor([-0.3, -0.1, -0.2]), torch.tensor([0.04]), torch.tensor([0.3, 0.1, 0.1, 0.29, 0.0]), torch.tensor([0.1, 0.4, 0.4])):
    words = f"mu = {[round(m, 2) for m in means.tolist()]}"
    alpha = boldest(means)
    assert_shape(alpha, (len(means),), f"the weights for {words}", of="weights", hint="There is a weight for each stock, along one axis.")
    assert_true(bool((alpha >= -1e-6).all()), f"no weight is negative, for {words}", of="weights", hint="No money may be borrowed.")
    assert_close(alpha.double().sum().item(), 1.0, f"the sum of the weights for {words}", of="weights", rtol=1e-4,
                 hint="The weights share out all the money, once, also among stocks that are equally good.")
    assert_close((alpha.double() * means).sum().item(), max(means.tolist()), f"the mean return for {words}", of="largest", rtol=1e-3, atol=1e-6,
                 hint="All the money belongs in the stocks with the largest mean return, with its sign; what lies in another one earns less.")
### END HIDDEN TESTS

# %% [markdown] task="2.6.8c" kind="code" minutes=3 difficulty=2 needs="covariance matrix, variance of a sum, matrix-vector product"
# ### The variance of a portfolio
#
# Write `portfolio_variance(alpha, Sigma)`: the variance of the portfolio's return, for `alpha` of shape (d,) and the covariance matrix
# `Sigma` of shape (d, d).
#
# **You are done when**
# - **variances**: the variance of each stock counts with the square of its weight;
# - **covariances**: each pair of stocks counts too, in both orders.

# %% exercise="2.6.8c"
def portfolio_variance(alpha, Sigma):
    """Var(alpha_1 s_1 + ... + alpha_d s_d): (d,), (d, d) -> a number."""
    ### BEGIN SOLUTION
    return alpha @ Sigma @ alpha
    ### END SOLUTION

# %% [markdown] hints="2.6.8c"
# 1. Write it out for two stocks, $\operatorname{Var}(\alpha_1 s_1 + \alpha_2 s_2)$, with the rule for sums. Which entries of Σ appear, with which factors?
# 2. It is the sum over all i and j of $\alpha_i \alpha_j \Sigma_{ij}$. What does the matrix-vector product `Sigma @ alpha` hold?
# 3. $\operatorname{Var}(X - Y)$ has the factors 1 and -1. For Σ with rows (4, 1), (1, 9) it is 4 + 9 - 1 - 1 = 11.

# %% check="2.6.8c" points=1
def how_it_grows():
    try:
        mix, plain_ = torch.tensor([0.75, 0.25]), torch.tensor([[4.0, 0.0], [0.0, 12.0]])
        here, weights, matrix, first = (float(portfolio_variance(a, S)) for a, S in ((mix, plain_), (2 * mix, plain_), (mix, 2 * plain_), (torch.tensor([1.0, 0.0]), plain_)))
        if abs(first - 4) > 1e-3:
            return f"With all the money in the first stock the variance is that of this stock, 4; yours is {first:.4g}. "
        if abs(weights / here - 4) > 1e-2:
            return f"Where all weights are twice as large, the variance is 4 times as large; yours is {weights / here:.4g} times as large. "
        if abs(matrix / here - 2) > 1e-2:
            return f"Where Sigma is twice as large, the variance is, too; yours is {matrix / here:.4g} times as large. "
        return ""
    except Exception:
        return ""

assert_close(portfolio_variance(torch.tensor([0.75, 0.25]), torch.tensor([[4.0, 0.0], [0.0, 12.0]])), 3.0,
             "alpha = (0.75, 0.25), Sigma with rows (4, 0), (0, 12)", of="variances", rtol=1e-4,
             mistakes={"The weights are squared in a variance.": 6.0, "This is the standard deviation.": 3 ** 0.5,
                       "The weights are missing.": 16.0,
                       "The terms of the sum are added up: this is their mean.": 0.75,
                       "The weights are squared once: here they have the power 4.": 2.25 * 0.5625 + 0.75 * 0.0625,
                       "Each variance counts as it is: only its weight is squared.": 18.0,
                       "A variance may be larger than 1.": 1.0,
                       "Deviations do not add: variances do, each with the square of its weight.":
                           (0.75 * 2 + 0.25 * 12 ** 0.5) ** 2},
             hint=lambda: how_it_grows() + "Each variance counts with the square of its weight: 0.5625 · 4 + 0.0625 · 12 = 3, one number.")
assert_close(portfolio_variance(torch.tensor([0.25, 0.75]), torch.tensor([[0.16, -0.08], [-0.08, 0.32]])), 0.16,
             "alpha = (0.25, 0.75), Sigma with rows (0.16, -0.08), (-0.08, 0.32)", of="covariances", rtol=1e-4,
             mistakes={"The covariances are missing.": 0.19, "Each pair counts twice: (i, j) and (j, i).": 0.175,
                       "A covariance may be negative: leave its sign.": 0.22, "Each pair counts twice, not four times.": 0.13,
                       "A covariance counts with the weights of both stocks.": 0.03, "A covariance counts with the product of the two weights, not with one of them alone.": 0.11,
                       "A covariance counts with the product of the two weights, not with the square of one.": 0.14},
             hint=lambda: how_it_grows() + "The variances give 0.01 + 0.18 = 0.19, and the pair of stocks takes 0.25 · 0.75 · 0.08 = 0.015 off, in both orders.")
assert_close(portfolio_variance(torch.tensor([0.5, 0.25, 0.25]), torch.tensor([[0.16, 0.04, 0.08], [0.04, 0.16, -0.02], [0.08, -0.02, 0.36]])), 0.1,
             "alpha = (0.5, 0.25, 0.25), Sigma with rows (0.16, 0.04, 0.08), (0.04, 0.16, -0.02), (0.08, -0.02, 0.36)", of="covariances", rtol=1e-4,
             mistakes={"The third stock is missing: Sigma may have any number of rows.": 0.06,
                       "The covariances are missing.": 0.0725,
                       "The first and the third stock are a pair, too, though they do not stand side by side.": 0.08,
                       "Stocks that stand side by side are pairs, too, not only the first and the last.": 0.0925,
                       "Each pair counts twice: (i, j) and (j, i).": 0.08625},
             hint="The variances give 0.0725, the pairs 2 · 0.005, 2 · 0.01 and 2 · (-0.00125): every entry of Sigma counts, with the weights of its row and of its column.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(70)
for d in (3, 7, 1):
    alpha, root = torch.rand(d, generator=rng), 0.2 * torch.randn(d, d, generator=rng)
    alpha, Sigma_, words = alpha / alpha.sum(), root @ root.T, f"{d} {'stock' if d == 1 else 'stocks'}"
    wanted = sum(alpha[i].item() * alpha[j].item() * Sigma_[i, j].item() for i in range(d) for j in range(d))
    assert_close(portfolio_variance(alpha, Sigma_), wanted, f"the variance of {words}", of="covariances", rtol=1e-3, atol=1e-7,
                 hint=lambda: where_they_part(portfolio_variance, lambda a, S: (a.double()[:, None] * a.double() * S.double()).sum(), alpha=alpha, Sigma=Sigma_) +
                              " Every entry of Sigma counts once, with the weights of its row and of its column.")
    assert_close(portfolio_variance(alpha, 900 * Sigma_), 900 * wanted, f"the variance of {words}, which may be larger than 1", of="covariances", rtol=1e-3, atol=1e-4,
                 hint="A variance may have any size: nothing is cut off or rounded.")
    spread = Sigma_.diagonal()
    wanted = sum(a ** 2 * v for a, v in zip(alpha.tolist(), spread.tolist()))
    assert_close(portfolio_variance(alpha, torch.diag(spread)), wanted, f"the variance of {words} with covariance 0", of="variances", rtol=1e-3, atol=1e-7,
                 hint="Each variance counts with the square of its weight.")
### END HIDDEN TESTS

# %% [markdown] task="2.6.8d" kind="code" minutes=14 difficulty=3 needs="expectation, variance, covariance matrix"
# ### As much as the risk allows
#
# Now with a limit on the risk: among all portfolios whose variance is at most a bound, take the one with the largest mean return. Put this
# problem down as a formula first: what is maximised, over what, under which conditions? A solver (for *quadratic programs*) wants
# exactly that. The first lines of the answer cell, comments, are the place for it; they are for you, and nobody grades them. Then make the
# formula run, with a list of candidates in place of the solver.
#
# Write `best_allowed(candidates, mu, Sigma, bound)`. `candidates` has shape (m, d), a row for each portfolio. Return the number of the row (from 0)
# that is allowed and has the largest mean return. Return -1 if no row is allowed. A row is allowed if it satisfies all conditions on
# weights and variance.
#
# **You are done when**
# - **largest return**: of the allowed rows, the one with the largest mean return is chosen (where several have it, any of them), also
#   if all returns are negative, however large the loss;
# - **bound**: a row whose *variance* is larger than `bound` is not allowed; equal is allowed;
# - **sum**: a row whose weights do not make 1 is not allowed; a sum that is off by at most 0.0001 counts as 1, because sums in floating
#   point are rarely exact;
# - **no negative weight**: a row with a negative weight, however small, is not allowed; a weight of 0 is;
# - **none allowed**: the result is then -1.

# %% exercise="2.6.8d"
# maximise ...
# over ...
# such that ...
def best_allowed(candidates, mu, Sigma, bound):
    """The row of candidates (m, d) with the largest mean return among those that are allowed, or -1."""
    ### BEGIN SOLUTION
    # maximise mu @ alpha over alpha, such that alpha >= 0, sum(alpha) = 1, alpha @ Sigma @ alpha <= bound
    best, best_return = -1, None
    for row, alpha in enumerate(candidates):
        allowed = alpha.min() >= 0 and abs(alpha.sum() - 1) <= 1e-4 and alpha @ Sigma @ alpha <= bound
        if allowed and (best_return is None or alpha @ mu > best_return):
            best, best_return = row, alpha @ mu
    return best
    ### END SOLUTION

# %% [markdown] hints="2.6.8d"
# 1. The formula: maximise $\mu^\top\alpha$ over $\alpha$, such that ... Which three conditions follow?
# 2. Go through the rows. Skip those that break a condition; keep the number and the return of the best so far. What should the first allowed row be compared with?
# 3. The largest even number in a list, or -1: start with `best = -1` as "nothing found yet", and replace it if it is -1 or smaller.

# %% check="2.6.8d" points=2
two, plain = torch.tensor([[1., 0.], [0., 1.]]), torch.tensor([[4., 0.], [0., 16.]])
half_each = torch.tensor([[1., 0.], [0.5, 0.5]])
assert_equal(best_allowed(half_each, torch.tensor([2., 1.]), plain, 20.0), 0, "the rows (1, 0), (0.5, 0.5), the first with the larger return, bound 20",
             of="no negative weight", mistakes={"A weight of 0 is not negative: row 0 is allowed.": 1},
             hint="Both rows are allowed: their variances are 4 and 5. Row 0 has the larger mean return, 2.")
assert_equal(best_allowed(two, torch.tensor([1., 2.]), plain, 5.0), 0, "the rows (1, 0), (0, 1) with variances 4 and 16, bound 5", of="bound",
             mistakes={"Row 1 has variance 16, more than the bound (16 is the variance, 4 the standard deviation).": 1,
                       "Row 0 is allowed, and stays to be chosen where the row with the larger return is not allowed.": -1},
             hint="Row 0 alone is allowed.")
assert_equal(best_allowed(two[1:], torch.tensor([1., 2.]), plain, 16.0), 0, "the row (0, 1) alone, with variance 16, bound 16", of="bound",
             mistakes={"A variance equal to the bound is allowed.": -1}, hint="The one row is allowed: its number is asked.")
together = torch.tensor([[0.02, 0.015], [0.015, 0.04]])
assert_equal(best_allowed(half_each, torch.tensor([1., 2.]), together, 0.021), 0,
             "the rows (1, 0), (0.5, 0.5), Sigma with rows (0.02, 0.015), (0.015, 0.04), bound 0.021", of="bound",
             mistakes={"Row 1 has variance 0.0225, more than the bound: the covariances count, too.": 1,
                       "Row 0 has variance 0.02: it is allowed.": -1}, hint="Row 0 alone is allowed.")
means, Sigma_ = torch.tensor([0.02, 0.05, 0.10]), torch.diag(torch.tensor([0.01, 0.04, 0.25]))
rows = torch.tensor([[1., 0., 0.], [0., 1., 0.], [0., 0.5, 0.5], [0., 0., 1.]])
facts = "Rows (1, 0, 0), (0, 1, 0), (0, 0.5, 0.5), (0, 0, 1) have the variances 0.01, 0.04, 0.0725, 0.25, and the later ones the larger mean returns."
assert_equal(best_allowed(rows, means, Sigma_, 0.1), 2, "the rows (1, 0, 0), (0, 1, 0), (0, 0.5, 0.5), (0, 0, 1), bound 0.1",
             of="largest return", mistakes={"Row 0 is allowed, but it is the mean return that counts: neither the smallest variance nor the first place.": 0,
                                            "Row 3 has variance 0.25 (rows are counted from 0).": 3}, hint=facts)
assert_equal(best_allowed(rows, 1e6 * (means - 5), Sigma_, 0.1), 2, "the same rows, all mean returns below -4,000,000", of="largest return",
             mistakes={"All returns are far below 0 here: is the first allowed row compared with a number such as 0 or -1?": -1,
                       "Row 3 is not allowed, and must not win by being given a return such as 0 or -1,000,000.": 3}, hint=facts)
assert_equal(best_allowed(rows[[3, 0, 1]], means, Sigma_, 0.1), 2, "the rows (0, 0, 1), (1, 0, 0), (0, 1, 0), bound 0.1", of="largest return",
             mistakes={"Count all rows, not the allowed ones only.": 1,
                       "Row 0 has variance 0.25: it is neither allowed, nor the one that the others are compared with.": 0}, hint=facts)
assert_equal(best_allowed(rows, means, Sigma_, 0.24999), 2, "the same rows, bound 0.24999", of="bound",
             mistakes={"Row 3 has variance 0.25, more than the bound, if only by a little: the 0.0001 are for the sum of the weights.": 3}, hint=facts)
more = torch.cat([rows, torch.tensor([[0.25, 0.25, 0.75]])])
assert_equal(best_allowed(more, means, Sigma_, 0.2), 2, "a further row (0.25, 0.25, 0.75), bound 0.2", of="sum",
             mistakes={"Its weights make 1.25.": 4}, hint=facts)
more = torch.cat([rows, torch.tensor([[0.25, 0.25, 0.0]])])
assert_equal(best_allowed(more, means - 1, Sigma_, 0.1), 2, "a further row (0.25, 0.25, 0), all mean returns negative, bound 0.1", of="sum",
             mistakes={"Its weights make 0.5.": 4}, hint=facts)
more = torch.cat([rows, torch.tensor([[0.0, 0.5, 0.505]])])
assert_equal(best_allowed(more, means, Sigma_, 0.2), 2, "a further row (0, 0.5, 0.505), bound 0.2", of="sum",
             mistakes={"Its weights make 1.005, which is off by more than 0.0001.": 4}, hint=facts)
for half in (0.50015, 0.49985):
    more = torch.cat([rows[:2], torch.tensor([[0.0, 0.5, half]])])
    assert_equal(best_allowed(more, means, Sigma_, 0.2), 1, f"the rows (1, 0, 0), (0, 1, 0), (0, 0.5, {half}), bound 0.2", of="sum",
                 mistakes={f"The weights of row 2 make {0.5 + half:.5f}, which is off by more than 0.0001.": 2},
                 hint="Rows 0 and 1 are allowed, with the mean returns 0.02 and 0.05.")
tenths = torch.tensor([[1., 0., 0.], [0.15, 0.65, 0.2], [0., 1., 0.]])
assert_equal(best_allowed(tenths, means, Sigma_, 0.3), 1, "the rows (1, 0, 0), (0.15, 0.65, 0.2), (0, 1, 0), bound 0.3", of="sum",
             mistakes={"Row 1 is allowed: in float32 its weights add up to 0.99999994, which is near enough to 1.": 2},
             hint="All three are allowed, and row 1 has the largest mean return, 0.0555.")
for half in (0.50005, 0.49995):
    more = torch.cat([rows[:2], torch.tensor([[0.0, 0.5, half]])])
    assert_equal(best_allowed(more, means, Sigma_, 0.2), 2, f"the rows (1, 0, 0), (0, 1, 0), (0, 0.5, {half}), bound 0.2", of="sum",
                 mistakes={f"The weights of row 2 make {0.5 + half:.5f}, which is off by less than 0.0001: it is allowed.": 1},
                 hint="All three rows are allowed, and row 2 has the largest mean return.")
more = torch.cat([torch.tensor([[-0.25, 0.25, 1.0]]), rows])
assert_equal(best_allowed(more, means, Sigma_, 0.3), 4, "a further row (-0.25, 0.25, 1) before the others, bound 0.3", of="no negative weight",
             mistakes={"It has a negative weight: it is neither allowed, nor the one that the others are compared with.": 0,
                       "Count all rows, not the allowed ones only.": 3}, hint=facts)
for little, words in ((0.005, "(-0.005, 0, 1.005)"), (0.00008, "(-0.00008, 0, 1.00008)")):
    more = torch.cat([torch.tensor([[-little, 0.0, 1 + little]]), rows])
    assert_equal(best_allowed(more, means, Sigma_, 0.3), 4,
                 f"a further row {words} before the others, bound 0.3", of="no negative weight",
                 mistakes={"It has a negative weight, though a small one: the 0.0001 are for the sum of the weights.": 0,
                           "Count all rows, not the allowed ones only.": 3}, hint=facts)
more = torch.cat([rows, torch.tensor([[0.0, -0.25, 0.75]])])
assert_equal(best_allowed(more, means - 1, Sigma_, 0.3), 3, "a further row (0, -0.25, 0.75), all mean returns negative, bound 0.3", of="no negative weight",
             mistakes={"It has a negative weight; that the sizes of its weights make 1 does not help.": 4}, hint=facts)
assert_equal(best_allowed(rows, means, Sigma_, 0.001), -1,
             "the four rows of before, bound 0.001: no row is allowed", of="none allowed",
             mistakes={"Row 0 is not allowed either: where no row is, the result is -1.": 0}, hint="All four variances are larger than 0.001: 0.01, 0.04, 0.0725 and 0.25.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(71)
for d, m in ((2, 9), (4, 40), (3, 25)):
    root = 0.3 * torch.randn(d, d, generator=rng)
    Sigma_, means = root @ root.T, 0.1 * torch.randn(d, generator=rng) - 0.2
    rows = torch.rand(m, d, generator=rng)
    rows = rows / rows.sum(dim=1, keepdim=True)
    variances, gains = ((rows @ Sigma_) * rows).sum(dim=1), rows @ means
    bound = variances.median().item() * 1.0001
    wanted = max((g, i) for i, (g, v) in enumerate(zip(gains.tolist(), variances.tolist())) if v <= bound)[1]
    assert_equal(best_allowed(rows, means, Sigma_, bound), wanted, f"{m} portfolios of {d} stocks", of="largest return",
                 hint="Of the rows whose variance is not above the bound (here the weights of all are fine), the one with the largest mean return is asked.")
    tight = sorted(variances.tolist())[1] * 1.0001
    wanted = max((g, i) for i, (g, v) in enumerate(zip(gains.tolist(), variances.tolist())) if v <= tight)[1]
    assert_equal(best_allowed(rows, means, Sigma_, tight), wanted, f"{m} portfolios of {d} stocks, a tight bound", of="bound",
                 hint="Here two rows are allowed: all others have a variance above the bound, covariances included.")
    free = 100 * Sigma_.abs().sum().item()
    top = gains.argmax().item()
    assert_equal(best_allowed(torch.cat([rows[:3] * 0.5, rows]), means, Sigma_, free), top + 3, "three rows more, whose weights make 0.5", of="sum",
                 hint="They stand first and are not allowed; the rows after them keep their numbers.")
    just = variances[top].item() - 3e-5
    wanted = max((g, i) for i, (g, v) in enumerate(zip(gains.tolist(), variances.tolist())) if v <= just)[1]
    assert_equal(best_allowed(rows, means, Sigma_, just), wanted, "a bound just below the variance of the best row", of="bound",
                 hint="The 0.0001 are for the sum of the weights, not for the variance.")
    for off in (0.996, 0.9996, 1.0004, 1.004):
        near = torch.cat([rows, off * rows[top:top + 1]])
        assert_equal(best_allowed(near, means + (1 if off > 1 else -1), Sigma_, free), top, f"one row more, whose weights make {off}", of="sum",
                     hint="They are off by more than 0.0001: the row is not allowed.")
    assert_equal(best_allowed(rows, 1e9 * (means - 2), Sigma_, free), top, f"{m} portfolios of {d} stocks, all mean returns far below 0", of="largest return",
                 hint="No number is small enough for all returns: with what is the first allowed row compared?")
    lean = torch.zeros(1, d)
    lean[0, means.argmax()], lean[0, means.argmin()] = 1.5, -0.5
    assert_equal(best_allowed(torch.cat([lean, rows]), means, Sigma_, free), top + 1, "one row more, with a negative weight", of="no negative weight",
                 hint="It stands first and is not allowed; the rows after it keep their numbers.")
    for little in (0.3, 0.001, 0.00006):
        lean[0] = 0.0
        lean[0, means.argmax()], lean[0, means.argmin()] = 1 + little, -little
        assert_equal(best_allowed(torch.cat([rows, lean]), means, Sigma_, free), top, f"one row more, with the weight -{little}", of="no negative weight",
                     hint="A negative weight is not allowed, however small; the 0.0001 are for the sum.")
    lean[0] = 0.0
    lean[0, means.argmax()], lean[0, means.argmin()] = 0.7, -0.3
    assert_equal(best_allowed(torch.cat([rows, lean]), means - 1, Sigma_, free), top, "one row more, with the weights 0.7 and -0.3", of="no negative weight",
                 hint="That the sizes of its weights make 1 does not help: one of them is negative.")
    best_alone = torch.zeros(1, d)
    best_alone[0, means.argmax()] = 1
    for off in (0.99993, 1.00007):
        assert_equal(best_allowed(torch.cat([rows, off * best_alone]), means + 1, Sigma_, free), m, f"one row more, whose weights make {off}", of="sum",
                     hint="They are off by less than 0.0001: the row is allowed, and it is the last one.")
    assert_equal(best_allowed(lean, means, Sigma_, free), -1, "a single row, with a negative weight", of="none allowed", hint="Where no row is allowed, the result is -1.")
### END HIDDEN TESTS

# %% [markdown]
# ## Summary
#
# - Three axioms say what a probability is. A distribution gives probabilities to outcomes; draws from a seeded generator show them, and shares settle (law of large numbers). Densities do the same with areas.
# - From a joint table come marginals (sum), conditionals (divide by a marginal) and, with Bayes' theorem, the way back from data to hypotheses. Independent means: the table is the product of its margins.
# - Expectations are linear; variances of independent variables add; the mean of n draws has standard deviation σ/√n. Data remove epistemic uncertainty, not aleatoric.
# - The likelihood is the probability of the data as a function of the parameters. Its negative logarithm is the loss: squares for normal noise (3.1), cross-entropy for labels (4.1).
# - Chebyshev bounds every mean, the central limit theorem describes those of many draws: each accuracy has an error bar, and a test set wears out when it is looked at again and again (3.6, 4.6).
