# %% [markdown]
# # 4.7 Distribution shift
#
# A model that tells male from female penguins is right nine times in ten. The next season it is carried to another colony, and is right six times in ten. Nobody changed
# a line of code. What changed is where the examples come from.
#
# Every promise of section 4.6 began with "test examples from the source on which the classifier will be used". This section takes the sentence away. At its end you can
# - name what changed: the inputs, the shares of the classes, or the meaning of the labels;
# - notice a change without a single label, by training a classifier to see it;
# - correct for changed inputs with weights, and for changed shares of the classes with a small linear system;
# - say when no correction can help, and watch a model in use;
# - see how a model changes the world that it will be trained on next.

# %% tags=["setup"]
from d2l_utils.check import *
import math
from statistics import NormalDist
import pandas as pd
import torch
from torch.nn import functional as F
import d2l_utils as d2l

# %% [markdown] teaches="source and target distribution, covariate shift, label shift, concept shift"
# ## 1. Three ways to change
#
# A clinic wants to recognise the flu from the temperature. $X$ is the temperature: normal, raised or high. $Y$ is 1 for flu and 0 for no flu. The training examples come from one joint distribution P, the **source**; the patients on
# whom the model is used come from another one, Q, the **target**. A joint table can be written in two ways, by the product rule of section 2.6:
#
# $$P(x, y) = P(x)\,P(y \mid x) = P(y)\,P(x \mid y).$$
#
# If everything may change, nothing can be learned: Q might give flu to all with a normal temperature. Something must stay. There are three classical cases.
#
# - **Covariate shift**: $P(x)$ changes, $P(y \mid x)$ stays. Other patients come, but a given temperature means what it meant. (A *covariate* is a feature.)
# - **Label shift**: $P(y)$ changes, $P(x \mid y)$ stays. There is more flu in winter, but a flu looks as it did. This fits where y is the cause of x.
# - **Concept shift**: $P(y \mid x)$ changes, and not because the shares of the classes did: x and y now belong together in another way. A new virus causes no fever; or the doctors now call something else a flu. In the purest case $P(x)$ stays.

# %% teaches="covariate shift, label shift"
P = torch.tensor([[0.56, 0.04], [0.18, 0.06], [0.06, 0.10]], dtype=torch.float64)     # rows: normal, raised, high; columns: no flu, flu
P_x, P_y = P.sum(dim=1), P.sum(dim=0)
print("P(x) =", P_x, " P(y) =", P_y)
older = torch.tensor([0.3, 0.4, 0.3], dtype=torch.float64)[:, None] * P / P_x[:, None]      # other shares of temperatures
winter = P / P_y * torch.tensor([0.5, 0.5], dtype=torch.float64)                            # half of all have the flu
for name, Q in (("source", P), ("covariate shift", older), ("label shift", winter)):
    print(f"{name:16} P(flu | x) =", (Q[:, 1] / Q.sum(dim=1)).round(decimals=3), " P(x | flu) =", (Q[:, 1] / Q[:, 1].sum()).round(decimals=3))

# %% [markdown]
# Under covariate shift the column P(flu | x) is that of the source, and P(x | flu) has changed. Under label shift it is the other way round: in winter a high temperature means flu with probability
# 0.87 instead of 0.625, though flu and fever are as they were. So a model of $P(y \mid x)$ survives the first unharmed, *if it is right everywhere*, and is off after the second.

# %% [markdown] task="4.7.A" kind="code" minutes=6 difficulty=2 core=true needs="covariate shift, label shift, concept shift, conditional probability"
# ### Name the change
#
# Write `name_shift(P, Q)`. Both are `float64` tensors of shape (m, k), joint tables with positive entries, as above: a row for each x, a column for each y. It returns a string, the first of these that fits:
#
# - `"none"`: the tables are equal;
# - `"covariate"`: P(y | x) stays;
# - `"label"`: P(x | y) stays;
# - `"concept"`: P(x) stays (so that P(y | x) has changed);
# - `"several"`: nothing of this.
#
# Numbers (the entries, and the shares made from them) that differ by rounding only, by 0.00000001 at most, count as equal. Where the entries, P(y | x),
# P(x | y) or P(x) really change, some number of them differs by 0.0001 or more: any tolerance in between will do.
#
# **You are done when**
# - **none**: equal tables are recognised, also where they differ by rounding, and no others;
# - **covariate**: so are changed shares of the x;
# - **label**: so are changed shares of the y, also where P(x) stays, too;
# - **concept**: so is a changed P(y | x) with the same P(x);
# - **several**: so is the rest.

# %% exercise="4.7.A"
def name_shift(P, Q):
    """"none", "covariate", "label", "concept" or "several", for joint tables (m, k)."""
    ### BEGIN SOLUTION
    def same(a, b):
        return (a - b).abs().max().item() < 1e-6

    if same(P, Q):
        return "none"
    if same(P / P.sum(dim=1, keepdim=True), Q / Q.sum(dim=1, keepdim=True)):
        return "covariate"
    if same(P / P.sum(dim=0), Q / Q.sum(dim=0)):
        return "label"
    if same(P.sum(dim=1), Q.sum(dim=1)):
        return "concept"
    return "several"
    ### END SOLUTION

# %% [markdown] hints="4.7.A"
# 1. Which sums of a table are P(x) and P(y), and what must it be divided by to give P(y | x)?
# 2. `P / P.sum(dim=1, keepdim=True)` has rows that make 1. Two tables are equal if the largest absolute difference is tiny.
# 3. For the table with the rows (0.1, 0.3), (0.2, 0.4): P(x) is (0.4, 0.6), P(y) is (0.3, 0.7), and the first row of P(y | x) is (0.25, 0.75).

# %% check="4.7.A" points=2
def shifted(table, kind, seed):
    """A table that differs from this one in one way."""
    rng = torch.Generator().manual_seed(seed)
    rows = (torch.rand(table.shape[0], 1, generator=rng, dtype=torch.float64) + 0.2)
    columns = (torch.rand(1, table.shape[1], generator=rng, dtype=torch.float64) + 0.2)
    if kind == "none":
        return table + 1e-9
    if kind == "covariate":
        return table / table.sum(dim=1, keepdim=True) * rows / rows.sum()
    if kind == "label":
        return table / table.sum(dim=0, keepdim=True) * columns / columns.sum()
    noise = torch.rand(table.shape, generator=rng, dtype=torch.float64) + 0.2
    if kind == "concept":
        return noise / noise.sum(dim=1, keepdim=True) * table.sum(dim=1, keepdim=True)
    return noise / noise.sum()

def one_stays(table, by_rows, place, seed):
    """Another table, in which one column of the table divided by its row sums is as before (or of that divided by its column sums), and nothing else."""
    rng = torch.Generator().manual_seed(seed)
    dim = 1 if by_rows else 0
    noise = torch.rand(table.shape, generator=rng, dtype=torch.float64) + 0.2
    old, weights = table / table.sum(dim=dim, keepdim=True), noise.sum(dim=dim, keepdim=True)
    new = noise.clone()
    new[:, place] = 0
    if by_rows:
        new = new / new.sum(dim=1, keepdim=True) * (1 - old[:, place : place + 1])
        new[:, place] = old[:, place]
    else:
        new = noise / noise.sum(dim=0)
        new[:, place] = old[:, place]
    return new * weights / weights.sum()

def why_name_not(P, Q):
    """What stays and what does not between two tables, as far as it speaks against the name that the answer gives."""
    called = name_shift(P, Q)
    views = {"none": ("The tables", P, Q), "covariate": ("P(y | x), the rows divided by their sums,", P / P.sum(dim=1, keepdim=True), Q / Q.sum(dim=1, keepdim=True)),
             "label": ("P(x | y), the columns divided by their sums,", P / P.sum(dim=0), Q / Q.sum(dim=0)), "concept": ("P(x), the sums of the rows,", P.sum(dim=1), Q.sum(dim=1))}
    apart = {name: (one - other).abs().max().item() for name, (_, one, other) in views.items()}
    if called not in (*views, "several"):
        return f"{called!r} is none of the five names."
    if apart.get(called, 0) > 5e-5:
        return (f"The tables are not equal: some entries differ by {apart[called]:.2g}." if called == "none" else
                f"{views[called][0]} would have to stay for the name {called!r}: here some numbers of it differ by {apart[called]:.2g}.")
    first = next((name for name in views if apart[name] < 5e-5), called)
    return "" if first == called else f"{views[first][0]} stay{'' if first == 'none' else 's'} here, and that comes before {called!r} in the list."

flu = torch.tensor([[0.56, 0.04], [0.18, 0.06], [0.06, 0.10]], dtype=torch.float64)
described = {"none": "a table and the same with 0.000000001 added", "covariate": "the table of the clinic, with other shares of the temperatures", "label": "the table of the clinic, with another share of flu",
             "concept": "the table of the clinic, and one with the same P(x) and another P(y | x)", "several": "the table of the clinic, and one in which all is different"}
rows_are_x = "Each row belongs to an x, each column to a y."
wrong_names = {"none": {"Rounding makes a tiny difference: two tables are equal if no entries differ by more than a small tolerance.": "several", "Rounding makes a tiny difference: allow for it in the first comparison, too.": "covariate"},
               "covariate": {rows_are_x + " The rows divided by their sums are as before, so P(y | x) stays.": "label", "Look at the size of each difference: in a sum they cancel, and the largest one with its sign may be small.": "none"},
               "label": {rows_are_x + " The columns divided by their sums are as before, so P(x | y) stays.": "covariate"},
               "concept": {"Label shift is more than a change of P(y): P(x | y) would have to stay.": "label", "That P(x), the sums of the rows, stays makes this concept shift; P(y), the sums of the columns, may change.": "several",
                           "P(y | x), the rows divided by their sums, is not as before.": "covariate"},
               "several": {"For concept shift P(x) would have to stay.": "concept", "For label shift P(x | y) would have to stay, the columns divided by their sums: that P(y) changes is not enough.": "label",
                           "For covariate shift P(y | x) would have to stay, the rows divided by their sums: that P(x) changes is not enough.": "covariate"}}
staying = {"none": "Nothing has changed but the rounding.", "covariate": "Here P(y | x) stays, the table divided by the sums of its rows; P(y), the sums of its columns, need not.", "label": "Here P(x | y) stays, the table divided by the sums of its columns; P(x), the sums of its rows, need not.",
           "concept": "Here P(x) stays, the sums of the rows, and neither P(y | x) nor P(x | y).", "several": "Here nothing stays, neither P(y | x) nor P(x | y) nor P(x)."}
assert_type(name_shift(flu, flu.clone()), str, "what name_shift returns for the same table twice", of="none", hint='One of the five names comes back, as a string: "none" where the tables are equal.')
for kind_, words_ in described.items():
    assert_equal(name_shift(flu, shifted(flu, kind_, 2)), kind_, words_, of=kind_, mistakes=wrong_names[kind_], hint=lambda: f"{why_name_not(flu, shifted(flu, kind_, 2))} {staying[kind_]}".strip())
    assert_equal(name_shift(flu.T.contiguous(), shifted(flu.T, kind_, 3)), kind_, words_ + " (here the rows are flu and no flu, the columns temperatures)", of=kind_, mistakes=wrong_names[kind_],
                 hint=lambda: f"{why_name_not(flu.T.contiguous(), shifted(flu.T, kind_, 3))} {staying[kind_]}".strip())
same_y = torch.tensor([[0.46, 0.06], [0.18, 0.08], [0.16, 0.06]], dtype=torch.float64)
assert_equal(name_shift(flu, same_y), "several", "the table of the clinic, and one with the same P(y) and all else different", of="several", hint="That P(y) stays is none of the cases.",
             mistakes={"Some numbers are as before, but not all: two tables are equal only if the largest difference is tiny.": "none"})
same_both = torch.tensor([[0.58, 0.02], [0.16, 0.08], [0.06, 0.10]], dtype=torch.float64)
assert_equal(name_shift(flu, same_both), "concept", "the table of the clinic, and one with the same P(x), the same P(y) and other entries", of="concept", hint=staying["concept"],
             mistakes={"That P(x) and P(y) both stay does not make the tables equal: compare all entries.": "none", "P(x) stays, so this is concept shift, whether P(y) stays or not.": "several"})
assert_equal(name_shift(flu, flu + torch.tensor([[0.0002, 0.0], [0.0, -0.0002], [0.0, 0.0]])), "several", "the table of the clinic, and one in which 0.0002 has moved from one entry to another", of="none",
             mistakes={"0.0002 is no rounding: a real change of that size, in two entries alone, counts as none here.": "none",
                       "P(x) has changed by 0.0002, from 0.6 to 0.6002, and that is no rounding: P(x) counts as equal here, and should not.": "concept"},
             hint=staying["several"])
border = torch.tensor([[0.5605, 0.04005], [0.180005, 0.0600005], [0.06000005, 0.0994444]], dtype=torch.float64)
tiny = torch.tensor([[1.0, -1.0], [1.0, -1.0], [1.0, -1.0]], dtype=torch.float64) * 0.000000002
assert_equal(name_shift(border - tiny, border + tiny), "none", "two tables whose entries differ by 0.000000004, among them 0.560499998 and 0.560500002", of="none",
             hint="Rounded first, such numbers may differ by a whole step (0.560 and 0.561): take the difference, and ask whether it is 0.00000001 or less.")
apart = torch.tensor([[0.2], [0.5], [0.3]], dtype=torch.float64)
assert_equal(name_shift(apart * torch.tensor([0.8, 0.2], dtype=torch.float64), apart * torch.tensor([0.4, 0.6], dtype=torch.float64)), "label",
             "x and y independent, P(x) = (0.2, 0.5, 0.3), and P(y) changes from (0.8, 0.2) to (0.4, 0.6)", of="label", hint="Both P(x | y) and P(x) stay here: the first name in the list that fits is wanted.")
assert_equal(name_shift(apart * torch.tensor([0.8, 0.2], dtype=torch.float64), apart.flip(0) * torch.tensor([0.8, 0.2], dtype=torch.float64)), "covariate",
             "x and y independent, P(y) = (0.8, 0.2), and P(x) changes from (0.2, 0.5, 0.3) to (0.3, 0.5, 0.2)", of="covariate", hint="P(y | x) stays here. Whether P(y) changes does not matter.")
three = torch.tensor([[0.10, 0.05, 0.15], [0.12, 0.20, 0.08], [0.03, 0.17, 0.10]], dtype=torch.float64)
for kind_ in described:
    assert_equal(name_shift(three, shifted(three, kind_, 4)), kind_, f"two tables with three rows and three columns, case {kind_}", of=kind_, hint=lambda: f"{why_name_not(three, shifted(three, kind_, 4))} {staying[kind_]}".strip() + (
                 " With as many rows as columns, `P / P.sum(dim=1)` divides the columns and nobody complains: for the rows the sums have to stand in a column, by `keepdim=True`." if kind_ == "covariate" else ""))
for place_ in range(3):
    for by_rows_, sort_ in ((True, "P(y | x)"), (False, "P(x | y)")):
        assert_equal(name_shift(three, one_stays(three, by_rows_, place_, 5 + place_)), "several", f"tables with three rows and three columns; column {place_} of {sort_} stays, the others do not", of="several", hint=f"All columns of {sort_} have to stay, not one of them.")
    for by_rows_, sort_ in ((False, "P(y | x)"), (True, "P(x | y)")):
        assert_equal(name_shift(three, one_stays(three.T, by_rows_, place_, 15 + place_).T.contiguous()), "several", f"tables with three rows and three columns; row {place_} of {sort_} stays, the others do not", of="several", hint=f"All rows of {sort_} have to stay, not one of them.")
large = torch.outer(torch.arange(40, 80), torch.arange(20, 30)).double() / (2380 * 245)
other_large = large.clone()
other_large[3, 4], other_large[20, 7] = large[3, 4] + 0.00012, large[20, 7] - 0.00012
assert_equal(name_shift(large, other_large), "several", "two tables of 40 rows and 10 columns, alike but for 0.00012 that has moved from one entry to another", of="none", hint=staying["several"],
             mistakes={"One real difference is enough, and 0.00012 is one: a mean over a large table makes it small, so compare the largest difference.": "none"})
### BEGIN HIDDEN TESTS
for seed_, shape_ in ((1, (4, 3)), (2, (2, 5)), (3, (3, 3))):
    table_ = torch.rand(shape_, generator=torch.Generator().manual_seed(470 + seed_), dtype=torch.float64) + 0.1
    table_ = table_ / table_.sum()
    for kind_ in described:
        assert_equal(name_shift(table_, shifted(table_, kind_, 10 + seed_)), kind_, f"two tables of shape {shape_}, case {kind_}", of=kind_, hint=lambda: why_name_not(table_, shifted(table_, kind_, 10 + seed_)))
    other_ = shifted(table_, "several", 20 + seed_)
    other_ = other_ / other_.sum(dim=0) * table_.sum(dim=0)
    assert_equal(name_shift(table_, other_), "several", f"two tables of shape {shape_} with the same P(y)", of="several", hint=lambda: why_name_not(table_, other_))
    for place_ in range(shape_[1]):
        assert_equal(name_shift(table_, one_stays(table_, False, place_, 30 + seed_)), "several", f"two tables of shape {shape_}, one column of P(x | y) stays", of="several")
        if shape_[1] > 2:
            assert_equal(name_shift(table_, one_stays(table_, True, place_, 30 + seed_)), "several", f"two tables of shape {shape_}, one column of P(y | x) stays", of="several")
    for place_ in range(shape_[0]):
        assert_equal(name_shift(table_, one_stays(table_.T, False, place_, 40 + seed_).T.contiguous()), "several", f"two tables of shape {shape_}, one row of P(y | x) stays", of="several")
        if shape_[0] > 2:
            assert_equal(name_shift(table_, one_stays(table_.T, True, place_, 40 + seed_).T.contiguous()), "several", f"two tables of shape {shape_}, one row of P(x | y) stays", of="several")
    moved_ = table_.clone()
    moved_[0, 0], moved_[1, 1] = moved_[0, 0] + 0.00015, moved_[1, 1] - 0.00015
    assert_equal(name_shift(table_, moved_), "several", f"two tables of shape {shape_} that differ by 0.00015 in two entries", of="none", mistakes={"0.00015 is no rounding: a real change of that size, in two entries alone, counts as none here.": "none"})
    both_ = table_.clone()
    both_[:2, :2] += torch.tensor([[1.0, -1.0], [-1.0, 1.0]], dtype=torch.float64) * table_[:2, :2].min() / 2
    assert_equal(name_shift(table_, both_), "concept", f"two tables of shape {shape_} with the same P(x) and the same P(y)", of="concept", hint=lambda: why_name_not(table_, both_))
    x_, y_ = table_.sum(dim=1, keepdim=True), table_.sum(dim=0)
    assert_equal(name_shift(x_ * y_, x_.roll(1, 0) * y_), "covariate", f"two tables of shape {shape_}, x and y independent, another P(x)", of="covariate", hint="Whether P(y) changes does not matter.")
    assert_equal(name_shift(x_ * y_, x_ * y_.roll(1)), "label", f"two tables of shape {shape_}, x and y independent, another P(y)", of="label", hint=lambda: why_name_not(x_ * y_, x_ * y_.roll(1)))
### END HIDDEN TESTS

# %% [markdown] teaches="logistic regression"
# ## 2. Penguins that move
#
# Now real animals: 333 penguins of three species, with their body mass, the depth of their bill, and their sex. To tell the sex we use *logistic regression*: softmax regression with two classes. Only the difference of the two scores counts (section 4.1), so
# one score $h = \mathbf x^\top \mathbf w + b$ is enough, and the probability of class 1 is the sigmoid of h. The gradient is what it was: features times (probability - label), averaged. Here it is with a weight for each example, which we shall need soon.
# The features are first brought to mean 0 and mean square 1. Then the step 4/(d + 1), for d features, is always small enough. `fit_logistic` returns w and b in the old units.

# %% tags=["setup"]
def fit_logistic(X, z, weights=None, steps=150):
    """(w, b) of logistic regression: X (n, d) float64, z (n,) of zeros and ones, weights (n,) or None for equal ones."""
    weights = torch.ones(len(X), dtype=X.dtype) if weights is None else weights
    share = weights / weights.sum()                                   # (n,), makes 1
    mean = share @ X
    scale = (share @ (X - mean) ** 2).sqrt()                          # features in comparable units
    A = torch.cat([(X - mean) / scale, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    v = torch.zeros(A.shape[1], dtype=X.dtype)
    for _ in range(steps):
        v = v - 4 / len(v) * A.T @ (share * (torch.sigmoid(A @ v) - z))
    return v[:-1] / scale, v[-1] - v[:-1] / scale @ mean              # back in the old units

def accuracy(w, b, X, z):
    """The share of examples on the right side of the border x w + b = 0."""
    return ((X @ w + b > 0) == (z > 0.5)).double().mean().item()

# %% tags=["demo"]
import matplotlib.pyplot as plt

birds = pd.read_csv(d2l.data_file("penguins.csv")).dropna()
both = torch.tensor(birds[["body_mass_g", "bill_depth_mm"]].to_numpy()).double()      # (333, 2)
male = torch.tensor((birds["sex"] == "male").to_numpy()).double()                     # (333,)
adelie = torch.tensor((birds["species"] == "Adelie").to_numpy())
gentoo = torch.tensor((birds["species"] == "Gentoo").to_numpy())

on_adelie, on_all = fit_logistic(both[adelie], male[adelie]), fit_logistic(both, male)
for name, rule in (("trained on Adelie penguins", on_adelie), ("trained on all penguins", on_all)):
    print(f"{name:27} accuracy on Adelie {accuracy(*rule, both[adelie], male[adelie]):.3f}, on Gentoo {accuracy(*rule, both[gentoo], male[gentoo]):.3f}")

figure, ax = plt.subplots(figsize=(6.5, 3.4), layout="constrained")
for species, marks, group in (("Adelie", "o", adelie), ("Gentoo", "^", gentoo)):
    for sex, color in ((0, "C1"), (1, "C0")):
        chosen = group & (male == sex)
        ax.plot(both[chosen, 0], both[chosen, 1], marks, color=color, markersize=4, alpha=0.7, label=f"{species}, {'male' if sex else 'female'}")
masses = torch.tensor([2800.0, 6400.0], dtype=torch.float64)
for (w, b), style, label in ((on_adelie, "--", "border, trained on Adelie"), (on_all, "-", "border, trained on all")):
    ax.plot(masses, -(masses * w[0] + b) / w[1], style, color="black", label=label)
ax.set(xlabel="body mass in g", ylabel="bill depth in mm", xlim=(2800, 6400), ylim=(12.5, 22))
figure.legend(loc="outside right upper")
plt.show()

# %% [markdown]
# *What to see:* the dashed border parts the sexes of the Adelie penguins (circles), where it was trained. Among the Gentoos (triangles), which are heavier and have flatter bills, it takes nearly all for male. The solid border does well for both. So there *is* one rule for both species:
# given mass *and* bill, the sex hardly depends on the species. What changed is where the birds lie. This is **covariate shift**. The Adelies alone did not tell how the border goes on beyond them.
#
# Now throw away the bill. The same birds, the same sexes, only the mass:

# %% tags=["demo"]
mass = both[:, :1]
on_adelie, on_all = fit_logistic(mass[adelie], male[adelie]), fit_logistic(mass[adelie | gentoo], male[adelie | gentoo])
for name, rule in (("trained on Adelie penguins", on_adelie), ("trained on Adelie and Gentoo", on_all)):
    print(f"{name:28} accuracy on Adelie {accuracy(*rule, mass[adelie], male[adelie]):.3f}, on Gentoo {accuracy(*rule, mass[gentoo], male[gentoo]):.3f}")
for name, group in (("Adelie", adelie), ("Gentoo", gentoo)):
    middle = group & (mass[:, 0] > 4200) & (mass[:, 0] < 4800)
    print(f"{name}: {int(middle.sum())} birds between 4,200 and 4,800 g, {male[middle].mean():.2f} of them male")
figure, axes = plt.subplots(2, 1, figsize=(6, 3.2), sharex=True, layout="constrained")
for ax, name, group in zip(axes, ("Adelie", "Gentoo"), (adelie, gentoo)):
    for sex, color in ((0, "C1"), (1, "C0")):
        ax.hist(mass[group & (male == sex), 0].numpy(), bins=range(2800, 6401, 200), color=color, alpha=0.6, label="male" if sex else "female")
    ax.axvspan(4200, 4800, color="grey", alpha=0.25)
    ax.set(ylabel=name)
axes[1].set_xlabel("body mass in g")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right upper")
plt.show()

# %% [markdown]
# *What to see:* in the grey stripe stand the heaviest Adelies, all male, and the lightest Gentoos, nearly all female. The same mass means the opposite: $P(y \mid x)$ has changed. This is **concept shift**, and no border in the mass alone serves both: the one trained on both is right for 63 of 100 Adelies and 56 of 100 Gentoos.
#
# ⚠ So "covariate shift" or "concept shift" is no property of the birds alone. It depends on what is measured. With a feature that explains the difference (here the bill, which gives the species away) a concept shift becomes a covariate shift.

# %% [markdown] teaches="shift detector, classifier two-sample test"
# ## 3. Noticing a shift without labels
#
# In use, there are inputs, and no labels yet. Can we notice that the inputs have changed? With one feature, compare two histograms. With many features that may look the same one by one, let a classifier look. Give the source examples the label 0 and
# the target examples the label 1, mix them, and train a classifier to tell which is which. If the two come from one distribution, nobody can do better than guess. If it does better on examples *that it was not trained on*, there is a difference.
#
# Half of the birds for training, half for measuring. First the Adelies of two islands, then the same birds divided by chance, then pure noise with 40 features:

# %% teaches="classifier two-sample test"
generator = torch.Generator().manual_seed(0)
table = pd.read_csv(d2l.data_file("penguins.csv")).dropna()
measures = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]

def rows_of(species, island):
    X = torch.tensor(table[(table["species"] == species) & (table["island"] == island)][measures].to_numpy()).double()
    return X[torch.randperm(len(X), generator=generator)][:44]             # 44 of them, in random order

def told_apart(A, B):
    """Accuracies in telling A from B, on the examples trained on and on the others."""
    half = len(A) // 2
    z = torch.cat([torch.zeros(half), torch.ones(half)]).double()
    w, b = fit_logistic(torch.cat([A[:half], B[:half]]), z)
    return accuracy(w, b, torch.cat([A[:half], B[:half]]), z), accuracy(w, b, torch.cat([A[half:2 * half], B[half:2 * half]]), z)

biscoe, dream = rows_of("Adelie", "Biscoe"), rows_of("Adelie", "Dream")
mixed = torch.cat([biscoe, dream])[torch.randperm(88, generator=generator)]
noise = torch.randn(88, 40, generator=generator, dtype=torch.float64)
for name, A, B in (("Adelie on two islands", biscoe, dream), ("the same, mixed", mixed[:44], mixed[44:]),
                   ("Adelie against Gentoo", biscoe, rows_of("Gentoo", "Biscoe")), ("noise, 40 features", noise[:44], noise[44:])):
    seen, held_out = told_apart(A, B)
    print(f"{name:22} on the examples trained on {seen:.3f}, on the others {held_out:.3f}")
print(f"guessing on 44 examples: 0.5, with standard deviation {0.5 / math.sqrt(44):.3f}")

A, B = torch.randn(400, 4, generator=generator, dtype=torch.float64), torch.randn(100, 4, generator=generator, dtype=torch.float64)
z = torch.cat([torch.zeros(200), torch.ones(50)]).double()                 # noise again, 400 against 100
w, b = fit_logistic(torch.cat([A[:200], B[:50]]), z)
print(f"noise, 400 against 100: on the others {accuracy(w, b, torch.cat([A[200:], B[50:]]), z):.3f}")

# %% [markdown]
# Read the last column of the first four lines. Adelies of two islands: no better than a guess, as far as 44 examples can tell. Adelies against Gentoos: always right. The noise: a guess.
#
# ⚠ Now read the column before. On the examples that it was trained on, the classifier "tells" two samples of the same noise apart. With 40 features and 44 examples it nearly always can: it overfits. A detector that looks there raises an alarm every time.
#
# ⚠ And mind the sizes: the last line. With 400 source and 100 target examples, "source" for everything is right in 80 of 100 cases, without any shift. Take equally many of both; then a guess is right with probability 1/2.
#
# When is an accuracy better than a guess? That is the question of section 4.6. With m held-out examples and no shift, it is a share of heads of a fair coin: mean 1/2, standard deviation $\frac{1}{2\sqrt m}$, nearly normal. Only too *high* an accuracy speaks for a shift, so one side: raise an alarm if the
# accuracy is above $\frac12 + \frac{z}{2\sqrt m}$, where z is the quantile for the rate of false alarms that you accept. For 0.05, z = 1.645.

# %%
for m in (44, 200, 2000):
    print(f"{m:4} held-out examples: alarm above {0.5 + NormalDist().inv_cdf(0.95) / (2 * math.sqrt(m)):.3f}")

# %% [markdown] task="4.7.2" kind="code" minutes=15 difficulty=4 core=true needs="classifier two-sample test, logistic regression, quantile of the normal distribution"
# ### A covariate-shift detector
#
# Write `detects_shift(source, target, seed)`. Both are `float64` tensors, of shapes `(n, d)` and `(m, d)`, inputs without labels; their rows may stand in any order. It returns `True` if they seem to come from different distributions, `False` otherwise. A false
# alarm in about one of twenty cases is acceptable. It must find differences of the means, in whatever direction; other differences may escape it. `seed` is a whole number for whatever you draw by chance.
#
# `fit_logistic` and `accuracy` are there for you. Any other method that meets the requirements is fine.
#
# **You are done when**
# - **shift found**: means that are a standard deviation apart are noticed with 300 examples of each, whichever features they are in, also where the rows are sorted;
# - **false alarms**: among pairs from the same distribution there are few alarms, in the long run less than one in ten, whatever its mean and scale, also where there are only 20 examples of each;
# - **many features**: alarms are as rare with 40 features and 100 examples of each;
# - **unequal sizes**: they are as rare where one has four times as many rows as the other, in whatever order; and with about 100 and 400 rows, means 1.6 standard deviations apart are noticed;
# - **repeatable**: the same arguments give the same answer.

# %% exercise="4.7.2"
def detects_shift(source, target, seed):
    """Whether source (n, d) and target (m, d) seem to come from different distributions."""
    ### BEGIN SOLUTION
    generator = torch.Generator().manual_seed(seed)
    n = min(len(source), len(target))
    half = n // 2
    parts = [X[torch.randperm(len(X), generator=generator)[:n]] for X in (source, target)]
    z = torch.cat([torch.zeros(half), torch.ones(half)]).double()
    w, b = fit_logistic(torch.cat([X[:half] for X in parts]), z)
    z = torch.cat([torch.zeros(n - half), torch.ones(n - half)]).double()
    held_out = accuracy(w, b, torch.cat([X[half:] for X in parts]), z)
    return held_out > 0.5 + NormalDist().inv_cdf(0.95) / (2 * math.sqrt(len(z)))
    ### END SOLUTION

# %% [markdown] hints="4.7.2"
# 1. Which examples get which label, which of them are trained on, and on which do you measure?
# 2. Shuffle the rows of each with `torch.randperm(len(X), generator=...)`, and take equally many of both. Train on one half of each, measure on the other half, and compare with the threshold above, with m the number of *all* held-out examples.
# 3. With 100 held-out examples, 50 of each, the threshold is 0.582: 60 right answers are an alarm, 57 are none.

# %% check="4.7.2" points=4
@probe
def alarm_count(kind, pairs, n, m, d, distance, first_seed):
    """How many of so many pairs raise an alarm; the means are `distance` apart, in random directions (kind "each": 0.75 in each feature; kind "twins": both are the same rows)."""
    count = 0
    for i in range(pairs):
        rng = torch.Generator().manual_seed(first_seed + i)
        mix = torch.randn(d, d, generator=rng, dtype=torch.float64) if kind == "mixed" else torch.eye(d, dtype=torch.float64)
        A, B = (torch.randn(rows, d, generator=rng, dtype=torch.float64) for rows in (n, m))
        direction = torch.randn(d, generator=rng, dtype=torch.float64)
        B = B + distance * direction / direction.norm()
        if kind != "unit":
            A, B = (50 * i + (1 + i) * (X @ mix) for X in (A, B))
        if kind == "twins":
            B = A.clone()
        if kind == "each":
            B = B + 0.75 * (1 + i)
        if kind == "sorted":
            A, B = A[A[:, 0].argsort()], B[B[:, 0].argsort()]
        count += int(bool(detects_shift(A, B, i)))
    return count

@probe
def pattern(n, distance, first_seed, repetitions):
    """The answers for borderline pairs, asked several times."""
    rows = []
    for _ in range(repetitions):
        answers = []
        for i in range(12):
            rng = torch.Generator().manual_seed(first_seed + i)
            A, B = (torch.randn(n, 3, generator=rng, dtype=torch.float64) for _ in range(2))
            answers.append(int(bool(detects_shift(A, B + distance, i))))
        rows.append(answers)
    return rows

@probe
def accuracies_heard():
    """For sixty pairs of one distribution, where the answer asks `accuracy` once: what it says, of how many examples, and the alarm."""
    known, asked, heard = detects_shift.__globals__, [], []
    real = known["accuracy"]

    def listening(w, b, X, z):
        asked.append([real(w, b, X, z), len(z)])
        return asked[-1][0]

    known["accuracy"] = listening
    try:
        for i in range(60):
            rng = torch.Generator().manual_seed(6400 + i)
            A, B = (torch.randn(60, 3, generator=rng, dtype=torch.float64) for _ in range(2))
            asked.clear()
            alarm = int(bool(detects_shift(A, B, i)))
            if len(asked) != 1:
                return []
            heard.append([*asked[0], alarm])
    finally:
        known["accuracy"] = real
    return heard

def where_it_begins():
    """From which accuracy on an alarm is raised, if that is too low."""
    heard = accuracies_heard()
    alarms, quiet = ([share for share, _, alarm in heard if alarm == raised] for raised in (1, 0))
    if not alarms or len({size for _, size, _ in heard}) != 1 or max(quiet, default=0.0) >= min(alarms):
        return ""
    m = heard[0][1]
    wanted = 0.5 + NormalDist().inv_cdf(0.95) / (2 * math.sqrt(m))
    if min(alarms) > wanted:
        return ""
    return (f"Of 60 and 60 such examples you measure on {m}, and {round(min(alarms) * m)} right answers of {m} are an alarm, an accuracy of {min(alarms):.3f}: "
            f"the threshold for m = {m} is 0.5 + 1.645 / (2 √{m}) = {wanted:.3f}.")

def which_features():
    """Which differences of means are noticed: of one feature alone, and of two that cancel in a sum."""
    def noticed(*shift):
        hits = 0
        for i in range(5):
            rng = torch.Generator().manual_seed(6500 + i)
            A, B = (torch.randn(300, 3, generator=rng, dtype=torch.float64) for _ in range(2))
            hits += bool(detects_shift(A, B + torch.tensor(shift, dtype=torch.float64), i))
        return hits
    alone = [noticed(*(1.5 * (at == j) for at in range(3))) for j in range(3)]
    seen, missed = ([j for j in range(3) if found(alone[j])] for found in (lambda hits: hits >= 4, lambda hits: hits <= 1))
    if seen and missed:
        return (f"Where one feature of three differs by 1.5 standard deviations and the others do not, the difference is noticed in feature {seen[0]}, "
                f"and not in feature {missed[0]}: each feature counts.")
    if len(seen) == 3 and noticed(1.5, -1.5, 0.0) <= 1:
        return "Where one feature is larger in the target and another smaller by as much, nothing is noticed: in a sum of the features they cancel."
    if len(seen) == 3:
        return "A difference of any single feature is noticed, so none is left out: with eight features, is the threshold higher than chance asks for with so many examples?"
    return ("One feature, or a fixed sum of them, may not show the difference: which direction does is to be learned from the examples. "
            "If it is learned, the threshold is too high for so many examples.")

def why_alarms(count, pairs):
    """What may cause so many false alarms, from those of other sizes."""
    if count == pairs:
        return "Every pair raises an alarm: is False ever returned?"
    many = alarm_count("plain", 40, 100, 100, 40, 0.0, 6100)
    if many == 40:
        return "With 40 features all of 40 such pairs raise an alarm. So it is where the accuracy is measured on examples that were trained on: measure on others."
    if many >= 32:
        return (f"With 40 features {many} of 40 such pairs raise an alarm: the more features there are, the larger is the largest difference that chance alone makes, "
                "since each is one more chance. Here nothing allows for that.")
    twins = alarm_count("twins", 20, 60, 60, 40, 0.0, 6200)
    if twins >= 12:
        return (f"Where source and target are the very same 60 rows, with 40 features, {twins} of 20 such pairs raise an alarm. Nobody can tell these apart, and who has learned a row takes its twin for the other sample: "
                "the accuracy is low. A low one is no reason for an alarm: only too high an accuracy speaks for a shift.")
    long = alarm_count("unit", 30, 1000, 1000, 1, 0.0, 6300)
    if long == 0:
        return "With 1,000 examples of each no pair of 30 raises an alarm: the fewer examples, the more chance can do, so the threshold has to depend on their number."
    if heard := where_it_begins():
        return heard
    return ("How far above 1/2 may a guess be, on so few examples? In the threshold m counts those that were not trained on, and no others. "
            "(A low accuracy is no reason for an alarm. And where several splits are tried, each is one more chance of a false one.)")

answer_ = detects_shift(torch.zeros(60, 2, dtype=torch.float64) + torch.randn(60, 2, generator=torch.Generator().manual_seed(1), dtype=torch.float64),
                        torch.randn(60, 2, generator=torch.Generator().manual_seed(2), dtype=torch.float64) + 5, 0)
assert_type(answer_, (bool, torch.Tensor), "what detects_shift returns", of="shift found")
assert_true(bool(answer_), "two clouds of 60 points with means 5 apart in both features raise an alarm", of="shift found", hint="Nothing could be clearer. Is True ever returned, and does each row keep its label?")
found_ = alarm_count("each", 12, 300, 300, 2, 0.0, 4680)
assert_true(found_ >= 11, f"300 and 300 examples with 2 features, means 0.75 standard deviations apart in each: at least 11 of 12 pairs raise an alarm; yours: {found_}", of="shift found", hint="An accuracy of about 0.7 can be had here: is your threshold higher?")
for kind_, d_, words_ in (("mixed", 8, "means one standard deviation apart in a random direction"), ("sorted", 2, "means one standard deviation apart, rows sorted by the first feature")):
    found_ = alarm_count(kind_, 12, 300, 300, d_, 1.0, 4700)
    assert_true(found_ >= 11, f"300 and 300 examples with {d_} features, {words_}: at least 11 of 12 pairs raise an alarm; yours: {found_}", of="shift found",
                hint="Is the half for training a fair sample? Shuffle first." if kind_ == "sorted" else which_features)
false_ = alarm_count("unit", 150, 60, 60, 3, 0.0, 4750)
assert_true(false_ <= 15, f"60 and 60 examples of one distribution: at most 15 of 150 pairs raise an alarm; yours: {false_}", of="false alarms", hint=lambda: why_alarms(false_, 150) if false_ > 15 else "")
false_ = alarm_count("mixed", 16, 200, 200, 4, 0.0, 4750)
assert_true(false_ <= 4, f"200 and 200 examples of one distribution, with other means and larger scales: at most 4 of 16 pairs raise an alarm; yours: {false_}", of="false alarms", hint="In other units a distance of means is larger, and no surprise: compare it with the scale.")
false_ = alarm_count("plain", 12, 100, 100, 40, 0.0, 4800)
assert_true(false_ <= 3, f"100 and 100 examples of one distribution with 40 features: at most 3 of 12 pairs raise an alarm; yours: {false_}", of="many features", hint="With so many features some differ by chance. Measure on examples that took no part in the training, or ask how large the largest of 40 accidents is.")
false_ = alarm_count("mixed", 12, 400, 100, 4, 0.0, 4850)
assert_true(false_ <= 3, f"400 and 100 examples of one distribution: at most 3 of 12 pairs raise an alarm; yours: {false_}", of="unequal sizes", hint="Always saying \"source\" is right in 80 of 100 cases: take equally many of both.")
false_ = alarm_count("sorted", 12, 400, 100, 2, 0.0, 4870)
assert_true(false_ <= 3, f"400 and 100 examples of one distribution, both sorted: at most 3 of 12 pairs raise an alarm; yours: {false_}", of="unequal sizes", hint="The first 100 of 400 sorted rows are no fair sample: shuffle before you leave any out.")
found_ = alarm_count("mixed", 8, 400, 100, 4, 1.6, 4900)
assert_true(found_ >= 7, f"400 and 100 examples, means 1.6 standard deviations apart: at least 7 of 8 pairs raise an alarm; yours: {found_}", of="unequal sizes",
            hint='"Source" for everything is right in 80 of 100 cases, so that there is little room above it: keep equally many of both, and take the threshold for the number of those held out.')
false_ = alarm_count("unit", 80, 20, 20, 2, 0.0, 4400)
assert_true(false_ <= 9, f"20 and 20 examples of one distribution: at most 9 of 80 pairs raise an alarm; yours: {false_}", of="false alarms", hint=lambda: why_alarms(false_, 80))
twice_ = pattern(150, 0.2, 4950, 2)
assert_true(twice_[0] == twice_[1], "twelve pairs with a small shift, asked twice with the same seeds, get the same answers", of="repeatable", hint="Draw from a `torch.Generator()` of your own with this seed.")
### BEGIN HIDDEN TESTS
found_ = alarm_count("mixed", 10, 350, 250, 6, 1.1, 5700)
assert_true(found_ >= 9, "350 and 250 examples with 6 features, shifted means: nearly all pairs raise an alarm", of="shift found", hint="Means are shifted in a random direction here, and one sample is larger: is the direction learned, and the threshold that for all examples held out?")
found_ = alarm_count("sorted", 10, 260, 260, 2, 1.1, 5720)
assert_true(found_ >= 9, "260 and 260 examples with 2 features, sorted, shifted means: nearly all pairs raise an alarm", of="shift found", hint="The rows are sorted here: shuffle before they are divided.")
false_ = alarm_count("mixed", 80, 62, 62, 2, 0.0, 5750)
assert_true(false_ <= 9, "62 and 62 examples of one distribution: at most 9 of 80 pairs raise an alarm", of="false alarms",
            hint="How far from 1/2 may a guess be? And where several features or several splits are tried one by one, each is one more chance of a false alarm.")
false_ = alarm_count("plain", 12, 120, 120, 50, 0.0, 5800)
assert_true(false_ <= 3, "120 and 120 examples of one distribution with 50 features: few alarms", of="many features", hint="With so many features some differ by chance. Measure on examples that took no part in the training.")
false_ = alarm_count("mixed", 12, 90, 360, 3, 0.0, 5850)
assert_true(false_ <= 3, "90 and 360 examples of one distribution: few alarms", of="unequal sizes", hint="Here the target is the larger one: always saying \"target\" is right in 80 of 100 cases. Take equally many of both.")
false_ = alarm_count("sorted", 12, 90, 360, 3, 0.0, 5870)
assert_true(false_ <= 3, "90 and 360 examples of one distribution, sorted: few alarms", of="unequal sizes", hint="Here the target is the larger one, and sorted: shuffle before you leave any out.")
found_ = alarm_count("mixed", 8, 90, 360, 3, 1.7, 5900)
assert_true(found_ >= 7, "90 and 360 examples with shifted means: nearly all pairs raise an alarm", of="unequal sizes",
            hint="Here the target is the larger one: keep equally many of both, and take the threshold for the number of those held out.")
thrice_ = pattern(130, 0.22, 5950, 2)
assert_true(thrice_[0] == thrice_[1], "pairs with a small shift, asked again with the same seeds, get the same answers", of="repeatable", hint="Draw from a `torch.Generator()` of your own with this seed.")
### END HIDDEN TESTS

# %% [markdown] teaches="importance weights, effective sample size"
# ## 4. Correcting covariate shift: weights
#
# What we minimise in training is the mean loss over *source* examples. What we want small is the expected loss on the *target*. If $P(y \mid x)$ stays, the one can be turned into the other. Write P for the source, Q for the target, and $\ell(x, y)$ for the loss of an example:
#
# $$E_Q[\ell] = \sum_{x, y} Q(x)\,P(y \mid x)\,\ell(x, y) = \sum_{x, y} \underbrace{\frac{Q(x)}{P(x)}}_{w(x)} P(x)\,P(y \mid x)\,\ell(x, y) = E_P[w\,\ell].$$
#
# So give each source example the weight $w(x) = Q(x)/P(x)$, called its *importance weight*: inputs that are more frequent in the target count more. The mean of $w_i \ell_i$ over source examples is right on average for the target. The mean of the weights is 1 on average, since $E_P[w] = \sum_x Q(x) = 1$.
#
# In the clinic: a model errs with probability 0.07, 0.25 and 0.38 at normal, raised and high temperature. Its error in the source and among the older patients:

# %% teaches="importance weights"
error_at = torch.tensor([0.07, 0.25, 0.38], dtype=torch.float64)
P_x, Q_x = torch.tensor([0.60, 0.24, 0.16], dtype=torch.float64), torch.tensor([0.3, 0.4, 0.3], dtype=torch.float64)
weight_of = Q_x / P_x
print("weights:", weight_of, " their mean in the source:", P_x @ weight_of)
print("error in the source:", P_x @ error_at, " in the target:", Q_x @ error_at, " source errors, weighted:", P_x @ (weight_of * error_at))

# %% [markdown] task="4.7.B" kind="code" minutes=3 difficulty=1 core=true needs="importance weights, expectation"
# ### The target's risk from source examples
#
# Each source example i has an input `x[i]`, one of the whole numbers 0 to m - 1, and a loss `losses[i]`. `p` and `q`, of shape `(m,)`, hold the probabilities of the inputs in the source and in the target. Write `target_risk(losses, x, p, q)`: the estimate of the expected loss in the target, the
# mean of weight times loss.
#
# **You are done when**
# - **weights**: each example has the weight that belongs to its input;
# - **mean**: the result is the mean over all n examples, a number.

# %% exercise="4.7.B"
def target_risk(losses, x, p, q):
    """Estimate of the target's expected loss: losses (n,), x (n,) int64, p and q (m,)."""
    ### BEGIN SOLUTION
    return ((q / p)[x] * losses).mean()
    ### END SOLUTION

# %% [markdown] hints="4.7.B"
# 1. What is the weight of an example with input 2?
# 2. `(q / p)[x]` picks one weight for each example.
# 3. With weights 2 and 0.5 for the inputs 0 and 1, and losses 1, 3 at the inputs 0, 1: (2 · 1 + 0.5 · 3) / 2 = 1.75.

# %% check="4.7.B" points=1
p_, q_ = torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.1, 0.3, 0.6])
x_ = torch.tensor([0, 2, 2, 1, 1])

def implied_weights():
    """Five times the result for a loss of 1 at one example alone, for the inputs 0, 1, 2."""
    found = [5 * float(target_risk(torch.eye(5)[place], x_, p_, q_)) for place in (0, 3, 1)]
    return "A loss of 1 at a single one of five examples should give a fifth of its weight. So yours are " + ", ".join(f"{one:.4g}" for one in found) + " for the inputs 0, 1, 2; q/p is 0.2, 1, 3."

first_, second_ = (target_risk(torch.eye(5)[place], x_, p_, q_) for place in (0, 1))
for found_, words_ in ((first_, "1, 0, 0, 0, 0"), (second_, "0, 1, 0, 0, 0")):
    assert_type(found_, (float, int, torch.Tensor), f"p = (0.5, 0.3, 0.2), q = (0.1, 0.3, 0.6), losses {words_} at the inputs 0, 2, 2, 1, 1", of="mean")
    assert_shape(torch.as_tensor(found_), (), f"the shape for p = (0.5, 0.3, 0.2), q = (0.1, 0.3, 0.6), losses {words_} at the inputs 0, 2, 2, 1, 1", of="mean", hint="One number for all examples: the mean.")
assert_close(torch.as_tensor(second_) / torch.as_tensor(first_), torch.tensor(15.0), "p = (0.5, 0.3, 0.2), q = (0.1, 0.3, 0.6), inputs 0, 2, 2, 1, 1: the result for the losses 0, 1, 0, 0, 0 over that for 1, 0, 0, 0, 0", rtol=1e-3, of="weights",
             mistakes={"The weight is target over source.": torch.tensor(1 / 15), "All losses count alike: each has to be multiplied by its own weight before the mean.": torch.tensor(1.0), "Divide each by its own p: the example is in the sample because of p.": torch.tensor(6.0),
                       "The weight of example i belongs to its input x[i], not to its place i.": torch.tensor(5.0),
                       "The weight is picked by x[i], the loss is not: example i has the loss losses[i].": torch.tensor(10.0), "The weight is a ratio, not a difference.": torch.tensor(7 / 3),
                       "Each example counts by itself, and p is given: shares counted in the sample are not asked for.": torch.tensor(3.0), "The weight of the input 0 is 0.2, not 0: do not round it, nor leave the example out.": torch.tensor(math.inf),
                       "The weight is q/p itself, without a root.": torch.tensor(15.0 ** 0.5), "The weight is q/p itself, without a logarithm.": torch.tensor(math.log(3.0) / math.log(0.2))},
             hint=implied_weights)
assert_close(target_risk(torch.tensor([2.0, 4.0, 1.0, 5.0, 3.0]), torch.tensor([0, 2, 2, 1, 1]), p_, q_), (0.2 * 2 + 3 * 4 + 3 * 1 + 5 + 3) / 5, "losses 2, 4, 1, 5, 3 at the inputs 0, 2, 2, 1, 1", rtol=1e-5, of="mean",
             hint="The weights are 0.2, 3, 3, 1, 1. Multiply each loss by its own, add up, and divide by 5.",
             mistakes={"This is the sum: divide by n.": 23.4, "Divide by n, not by the sum of the weights.": 23.4 / 8.2, "Divide by n, the number of examples, not by the number of inputs.": 7.8, "Divide by n, not by n - 1.": 5.85})
assert_close(target_risk(torch.tensor([0.0, 4.0, 0.0, 5.0, 0.0]), x_, p_, q_), 3.4, "losses 0, 4, 0, 5, 0 at the inputs 0, 2, 2, 1, 1", rtol=1e-5, of="mean", hint="Multiplied by their weights the losses are 0, 12, 0, 5, 0; there are 5 of them.",
             mistakes={"An example whose loss is 0 counts in n, too.": 8.5})
assert_close(target_risk(torch.tensor([1.0, 0.0]), torch.tensor([0, 1]), torch.tensor([0.02, 0.98]), torch.tensor([0.8, 0.2])), 20.0, "p = (0.02, 0.98), q = (0.8, 0.2), losses 1, 0 at the inputs 0, 1", rtol=1e-5, of="weights",
             hint="The weight of the input 0 is 0.8/0.02 = 40. It is taken as it is, however large: nothing is cut.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(472)
for n_, m_ in ((9, 4), (1, 2), (50, 6)):
    p_, q_ = (torch.rand(m_, generator=rng, dtype=torch.float64) + 0.1 for _ in range(2))
    p_, q_ = p_ / p_.sum(), q_ / q_.sum()
    x_, losses_ = torch.randint(m_, (n_,), generator=rng), torch.rand(n_, generator=rng, dtype=torch.float64)
    losses_[1::3] = 0.0
    wanted_ = sum(l * q_[i].item() / p_[i].item() for l, i in zip(losses_.tolist(), x_.tolist())) / n_
    assert_close(target_risk(losses_, x_, p_, q_), wanted_, f"{n_} examples with {m_} different inputs", of="mean",
                 hint=lambda: where_they_part(lambda losses: target_risk(losses, x_, p_, q_), lambda losses: (losses * q_[x_] / p_[x_]).mean(), losses=losses_))
    assert_close(target_risk(torch.ones(1, dtype=torch.float64), x_[:1], p_, q_), (q_[x_[0]] / p_[x_[0]]).item(), f"the first of these {n_} examples alone, with loss 1", of="weights")
### END HIDDEN TESTS

# %% [markdown]
# ### Where the weights come from
#
# With continuous features nobody knows P(x) and Q(x). But we only need their *ratio*, and the classifier of part 3 has it. It tells source (z = 0) from target (z = 1) in a mixture of n source and m target examples. By Bayes' theorem its odds at a place x are
#
# $$\frac{P(z = 1 \mid x)}{P(z = 0 \mid x)} = \frac{m\,Q(x)}{n\,P(x)}, \qquad\text{so}\qquad w(x) = \frac{Q(x)}{P(x)} = \frac nm \cdot \frac{P(z = 1 \mid x)}{P(z = 0 \mid x)} = \frac nm\,e^{h(x)},$$
#
# since in logistic regression the odds are $e^h$. So: train a classifier to see the shift, and its scores are the logarithms of the weights, up to the factor n/m. ⚠ With unequal sizes the factor must not be forgotten. Here are 900 and 100 draws of the same noise, so that every weight should be about 1:

# %%
generator = torch.Generator().manual_seed(1)
A, B = torch.randn(900, 2, generator=generator, dtype=torch.float64), torch.randn(100, 2, generator=generator, dtype=torch.float64)
w, b = fit_logistic(torch.cat([A, B]), torch.cat([torch.zeros(900), torch.ones(100)]).double())
odds = torch.exp(A @ w + b)
print(f"mean of the odds {odds.mean():.3f}, of the weights {(900 / 100 * odds).mean():.3f}")

# %% [markdown]
# Let us correct a fit. We predict the mass of an abalone, a sea snail, from its length by a straight line, which is too stiff for the bent cloud. The source are mostly small animals, the target mostly large ones. (The data call the mass `whole_weight`; here *weight* always means importance weight.)

# %% tags=["demo"]
snails = pd.read_csv(d2l.data_file("abalone.csv"))
length, grams = (torch.tensor(snails[name].to_numpy()) * 200 for name in ("length", "whole_weight"))      # mm and g
generator = torch.Generator().manual_seed(0)
small = torch.multinomial(torch.exp(-(length - 105) / 16), 400, generator=generator)       # source: small ones are likelier
large = torch.multinomial(torch.exp((length - 105) / 24), 400, generator=generator)        # target: large ones are
print(f"mean length in the source {length[small].mean():.1f} mm, in the target {length[large].mean():.1f} mm")

slope, shift = fit_logistic(torch.cat([length[small], length[large]])[:, None], torch.cat([torch.zeros(400), torch.ones(400)]).double())
snail_weights = torch.exp(length[small] * slope + shift)                                   # n = m, so no factor

def line_through(x, y, weights):
    """Intercept and slope with the smallest weighted squared error."""
    x_mean, y_mean = (weights * x).sum() / weights.sum(), (weights * y).sum() / weights.sum()
    slope = (weights * (x - x_mean) * (y - y_mean)).sum() / (weights * (x - x_mean) ** 2).sum()
    return y_mean - slope * x_mean, slope

lines = {"plain": line_through(length[small], grams[small], torch.ones(400)), "weighted": line_through(length[small], grams[small], snail_weights),
         "fitted on the target (for comparison)": line_through(length[large], grams[large], torch.ones(400))}
for name, (a, c) in lines.items():
    print(f"{name:38} error on the target {(a + c * length[large] - grams[large]).square().mean():7.0f} g²")
print(f"largest weight {snail_weights.max():.1f}, mean {snail_weights.mean():.2f}")

figure, ax = plt.subplots(figsize=(6.5, 3.4), layout="constrained")
ax.plot(length[large], grams[large], ".", color="lightgrey", label="target (its masses are not used)")
ax.scatter(length[small], grams[small], s=2 + 8 * snail_weights, color="C0", alpha=0.6, label="source, area: importance weight")
ends = torch.tensor([30.0, 160.0], dtype=torch.float64)
for (name, (a, c)), style in zip(lines.items(), ("C1-", "C0-", "k:")):
    ax.plot(ends, a + c * ends, style, label=name)
ax.set(xlabel="length in mm", ylabel="mass in g", ylim=(-60, 480))
figure.legend(loc="outside lower center", ncols=2)
plt.show()

# %% [markdown]
# *What to see:* the plain line (orange) follows the many small animals and runs far below the large ones. The weighted line (blue) is fitted to the same 400 animals, and has not seen the mass of a single target animal. But the few large ones among the 400, the big dots, now count up to 28-fold. It is nearly the line that the target itself would give.
#
# There is a price. The fit now hangs on a few animals. How few? If a share of the examples has the same weight and the others weight 0, we have just that share. In general one computes the **effective sample size** $\frac{(\sum_i w_i)^2}{\sum_i w_i^2}$. It is n for equal weights, and 1 if one weight
# is all. The reason is the variance of a weighted mean: for independent losses with variance σ² it is $\sigma^2 \frac{\sum_i w_i^2}{(\sum_i w_i)^2}$, just as for that many unweighted ones.

# %% teaches="effective sample size"
for example in ([1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 0.0, 0.0], [3.7, 0.1, 0.1, 0.1]):
    weights = torch.tensor(example)
    print(example, "count as", round((weights.sum() ** 2 / weights.square().sum()).item(), 2))

# %% tags=["demo"]
print(f"the 400 snails count as {(snail_weights.sum() ** 2 / snail_weights.square().sum()):.1f}")

# %% [markdown]
# 400 labelled animals do the work of 33. Often one cuts the weights at a largest value c, `weights.clamp(max=c)`: the result is off a little on average, and strays less.
#
# ⚠ And weights cannot make what is not there. If the source has *no* example where the target has many, then P(x) = 0 there, and no weight is large enough. Take the penguins of part 2, Adelies as the source and Gentoos as the target, with mass and bill:

# %% tags=["demo"]
w, b = fit_logistic(torch.cat([both[adelie], both[gentoo]]), torch.cat([torch.zeros(int(adelie.sum())), torch.ones(int(gentoo.sum()))]).double())
bird_weights = torch.exp(both[adelie] @ w + b) * int(adelie.sum()) / int(gentoo.sum())
plain, mended = fit_logistic(both[adelie], male[adelie]), fit_logistic(both[adelie], male[adelie], bird_weights)
plain_wrong = ((both[adelie] @ plain[0] + plain[1] > 0) != (male[adelie] > 0.5)).double()
print(f"{len(bird_weights)} Adelies count as {(bird_weights.sum() ** 2 / bird_weights.square().sum()):.1f}; their weights have the mean {bird_weights.mean():.4f}")
print(f"error of the plain rule on Gentoo: foretold from weighted Adelies {(bird_weights * plain_wrong).mean():.4f}, in truth {1 - accuracy(*plain, both[gentoo], male[gentoo]):.3f}")
print(f"error of the weighted rule on Gentoo: {1 - accuracy(*mended, both[gentoo], male[gentoo]):.3f}")

# %% [markdown]
# The foretold error is not even of the right size. The mean of the weights gives the warning: it should be 1, and is about 1/80, since there is no Adelie of 5,500 g, whatever its weight. (That the weighted rule is better here is owed to the nine Adelies nearest to the Gentoos. They happen to lie well. Without labels of Gentoos
# nobody could know.) First see whether the source covers the target.

# %% [markdown] task="4.7.C" kind="code" minutes=3 difficulty=2 needs="effective sample size, importance weights"
# ### How many are left?
#
# Write `cut_and_count(weights, largest)`: the effective sample size after every weight above `largest` has been cut to `largest`, as a number. `weights` is a float tensor of shape `(n,)` with positive entries.
#
# **You are done when**
# - **cut**: weights above `largest` count as `largest`, the others as they are;
# - **size**: the result is the effective sample size of the cut weights; multiplying all weights and `largest` by the same number changes nothing;
# - **argument kept**: `weights` is as it was.

# %% exercise="4.7.C"
def cut_and_count(weights, largest):
    """Effective sample size of weights (n,) cut at `largest`."""
    ### BEGIN SOLUTION
    cut = weights.clamp(max=largest)
    return cut.sum() ** 2 / cut.square().sum()
    ### END SOLUTION

# %% [markdown] hints="4.7.C"
# 1. What does `clamp(max=c)` do with an entry above c, and what with one below?
# 2. Square of the sum, divided by the sum of the squares.
# 3. For the weights 3, 1, 1 without a cut: 25 / 11 = 2.27.

# %% check="4.7.C" points=1
weights_ = torch.tensor([1.0, 8.0, 3.0, 2.0])
assert_close(cut_and_count(weights_, 100.0), 196 / 78, "weights 1, 8, 3, 2, cut at 100", rtol=1e-5, of="size",
             mistakes={"The sum is squared, too.": 14 / 78, "This is the sum of the weights: the size is its square, divided by the sum of the squares.": 14.0, "One over the sum of the squares is right for weights that make 1; these make 14: the square of the sum stands above.": 1 / 78, "This is the sum of squares over the square of the sum.": 78 / 196, "Divide by the sum of the squares, not by their mean.": 196 / 19.5, "n over the mean of the squares is right for weights of mean 1; these have the mean 3.5: the square of the sum stands above.": 4 / 19.5, "Below stands the sum of the squares, not the square of the sum.": 1.0,
                       "Do not round: the number need not be whole.": 3.0, "This is n, as for four equal weights; these are 1, 8, 3, 2, and a cut from above, at 100, leaves them so.": 4.0, "A variance that divides by n - 1 does not give this formula: divide by n.": 4 / (1 + 29 / 3 / 12.25),
                       "A number of examples is asked for, not a share of them: n is not divided by.": 49 / 78, "The sum over the largest weight is another measure: divide the square of the sum by the sum of the squares.": 14 / 8,
                       "The sum over `largest` is another measure: divide the square of the sum by the sum of the squares.": 0.14, "Do not cut the decimals off: the number need not be whole.": 2.0,
                       "That is another measure, by entropy: divide the square of the sum by the sum of the squares.": 3.05374},
             hint="No weight is above 100, so all stay as they are. The square of the sum is 196, the sum of the squares 78: divide one by the other, and add nothing to either.")
assert_close(cut_and_count(weights_ / 10, 0.4), 100 / 30, "weights 0.1, 0.8, 0.3, 0.2, cut at 0.4", rtol=1e-5, of="cut",
             mistakes={"Nothing was cut.": 196 / 78, "A weight above the largest is cut to it, not thrown away.": 36 / 14, "Weights below the largest stay as they are: cut from above.": 196 / 112, "All weights have become equal: only those above `largest` are set to it, once.": 4.0,
                       "Cut the weights as they are: dividing them by their mean first changes what the cut means.": 3.93023, "Cut the weights as they are: dividing them by their sum first changes what the cut means.": 2.96649,
                       "The sum above is that of the cut weights, too.": 196 / 30, "The squares below are those of the cut weights, too.": 100 / 78}, hint="Cut, the weights are 0.1, 0.4, 0.3, 0.2.")
assert_close(cut_and_count(torch.tensor([5.0, 1.0, 9.0]), 2.0), 25 / 9, "weights 5, 1, 9, cut at 2", rtol=1e-5, of="cut", mistakes={"Every weight above the largest is cut, not one alone.": 64 / 30},
             hint="Each weight above 2 becomes 2 itself, whatever it was: cut, the weights are 2, 1, 2. The square of their sum is 25, the sum of their squares 9.")
assert_close(cut_and_count(weights_ / 1000000, 4 / 1000000), 100 / 30, "weights 1, 8, 3, 2, cut at 4, all of these a million times smaller", rtol=1e-5, of="size",
             hint="The weights 1, 8, 3, 2, cut at 4, give 3.333, and so do these: with a fixed small number added to a sum, or as a bound, they do not.")

@probe
def weights_after(weights, largest):
    cut_and_count(weights, largest)
    return weights

assert_close(weights_after(torch.tensor([1.0, 8.0, 3.0]), 2.0), torch.tensor([1.0, 8.0, 3.0]), "the weights 1, 8, 3 after the call", of="argument kept", hint="Cut a copy, not the argument.")
assert_close(weights_after(torch.tensor([1.0, 8.0, 3.0], dtype=torch.float64), 2.0), torch.tensor([1.0, 8.0, 3.0], dtype=torch.float64), "the weights 1, 8, 3 in float64 after the call", of="argument kept",
             hint="Cut a copy, not the argument; of a float64 tensor `.double()` makes none.")
### BEGIN HIDDEN TESTS
def size_of(weights, largest):
    cut = weights.clamp(max=largest)
    return cut.sum() ** 2 / cut.square().sum()

rng = torch.Generator().manual_seed(473)
for n_, largest_ in ((7, 1.5), (1, 0.2), (60, 2.0)):
    w_ = (1.5 * torch.randn(n_, generator=rng, dtype=torch.float64)).exp()
    cut_ = [min(v, largest_) for v in w_.tolist()]
    assert_close(cut_and_count(w_, largest_), sum(cut_) ** 2 / sum(v * v for v in cut_), f"{n_} weights, cut at {largest_}", of="cut", hint=lambda: where_they_part(cut_and_count, size_of, weights=w_, largest=largest_))
    assert_close(cut_and_count(w_ * 2.0 ** -20, largest_ * 2.0 ** -20), sum(cut_) ** 2 / sum(v * v for v in cut_), f"{n_} small weights, cut at {largest_ / 2 ** 20:.2g}", of="size")
    assert_close(cut_and_count(w_, 1e9), sum(w_.tolist()) ** 2 / sum(v * v for v in w_.tolist()), f"{n_} weights, not cut", of="size", hint=lambda: where_they_part(cut_and_count, size_of, weights=w_, largest=1e9))
    assert_close(weights_after(w_.clone(), largest_), w_, f"{n_} weights after the call", of="argument kept")
### END HIDDEN TESTS

# %% [markdown] task="4.7.3a" kind="code" minutes=8 difficulty=3 core=true needs="importance weights, logistic regression, bayes' theorem"
# ### The corrector, first half: weights
#
# Write `importance_weights(source, target)`. Both are `float64` tensors of inputs, `(n, d)` and `(m, d)`, n and m may differ. It returns the importance weights of the *source* examples.
#
# `fit_logistic` is there for you; any other way is fine.
#
# **You are done when**
# - **shape**: the result has shape `(n,)`, and every weight is positive;
# - **ratio**: with a thousand examples the weights are near Q(x)/P(x), to within a quarter or so, where both are normal with the same covariance, whatever it is: the features may differ in size and depend on each other, and there may be any number of them; large weights, too: nothing is cut;
# - **unequal sizes**: their mean is about 1, also if one sample is several times as large as the other;
# - **arguments kept**: `source` and `target` are as they were.

# %% exercise="4.7.3a"
def importance_weights(source, target):
    """Estimates (n,) of Q(x)/P(x) at the source examples (n, d), from target examples (m, d)."""
    ### BEGIN SOLUTION
    z = torch.cat([torch.zeros(len(source)), torch.ones(len(target))]).to(source.dtype)
    w, b = fit_logistic(torch.cat([source, target]), z)
    return len(source) / len(target) * torch.exp(source @ w + b)
    ### END SOLUTION

# %% [markdown] hints="4.7.3a"
# 1. Which classifier knows the ratio? Which of its two classes is z = 1?
# 2. The odds of the classifier are $e^{h(x)}$ with $h(x) = \mathbf x^\top \mathbf w + b$. Which factor turns them into w(x)?
# 3. Among 30 red and 10 blue marbles from two machines the odds for blue are 1/3, even if both machines spread their marbles in the same way; times 30/10 that is 1.

# %% check="4.7.3a" points=3
def two_clouds(n, m, centre, seed, spread=1.0, mix=None):
    """Normal inputs around 3 and around 3 + centre, and the logarithm of the true ratio at the first ones."""
    rng = torch.Generator().manual_seed(seed)
    centre = torch.tensor(centre, dtype=torch.float64)
    mix = spread * (torch.eye(len(centre), dtype=torch.float64) if mix is None else torch.tensor(mix, dtype=torch.float64))
    A, B = (torch.randn(rows, len(centre), generator=rng, dtype=torch.float64) @ mix for rows in (n, m))
    slope = torch.linalg.solve(mix.T @ mix, centre)
    return A + 3, B + 3 + centre, A @ slope - centre @ slope / 2

@probe
def inputs_after(A, B):
    importance_weights(A, B)
    return A, B

def why_not(A, B, found, log_ratio, special):
    """What may be wrong with weights, from their logarithms and those of the true ratio."""
    if found.std().item() < 1e-6:
        return "They are all alike, as where source and target are each brought to mean 0 by itself: bring both by the same numbers, or neither."
    together = torch.corrcoef(torch.stack([found, log_ratio]))[0, 1].item()
    rise = torch.cov(torch.stack([found, log_ratio]))[0, 1].item() / log_ratio.var().item()
    if together < -0.5:
        return "They go the wrong way: the weight is target over source."
    if abs(together) < 0.3:
        line = torch.cat([A, torch.ones(len(A), 1, dtype=A.dtype)], dim=1)
        at_target = torch.cat([B, torch.ones(len(B), 1, dtype=B.dtype)], dim=1) @ torch.linalg.lstsq(line, log_ratio[:, None]).solution[:, 0]
        if len(A) == len(B) and torch.corrcoef(torch.stack([found, at_target]))[0, 1].item() > 0.9:
            return "These are Q(x)/P(x) at the target examples: it is the source examples that have weights."
        if torch.corrcoef(torch.stack([found.sort().values, log_ratio.sort().values]))[0, 1].item() > 0.98 and abs(found.std().item() / log_ratio.std().item() - 1) < 0.2:
            return "They are as many and as large as they should be, but in another order: each weight stands at the place of its source example."
        return "They have nothing to do with it: does each weight belong to the source example at its place?"
    if cut := why_cut(found):
        return cut
    w, b = fit_logistic(torch.cat([A, B]), torch.cat([torch.zeros(len(A)), torch.ones(len(B))]).double())
    h = A @ w + b
    known = {"They are as large, to each other, as the classifier's probabilities p: the weight goes with the odds, p/(1 - p).": F.logsigmoid(h),
             "They are as large, to each other, as the square roots of the odds: the weight goes with the odds themselves.": h / 2,
             "They are as large, to each other, as the squares of the odds: the weight goes with the odds themselves.": 2 * h}
    near = [words for words, logs in known.items() if (found - found.mean() - logs + logs.mean()).abs().mean().item() < 0.02]
    if len(near) == 1:
        return near[0]
    if together > 0.93:
        return f"They go with the ratio, but too {'evenly' if rise < 1 else 'steeply'}: take the odds themselves, of a classifier that has been trained long enough."
    columns = torch.cat([A, torch.ones(len(A), 1, dtype=A.dtype)], dim=1)
    slopes, wanted = (torch.linalg.lstsq(columns, logs[:, None]).solution[:-1, 0] for logs in (found, log_ratio))
    means = B.mean(dim=0) - A.mean(dim=0)
    alone = means / ((A.var(dim=0) + B.var(dim=0)) / 2)
    far_off = (slopes - wanted).norm().item() > 0.1 * slopes.norm().item()
    if far_off and (slopes - alone).norm().item() < 0.03 * slopes.norm().item():
        return f"Not all of the ratio is in them: their logarithms rise as those of features that do not depend on each other; {special or 'here they do'}."
    if far_off and (slopes - means).norm().item() < 0.03 * slopes.norm().item():
        return f"Not all of the ratio is in them: their logarithms rise by the difference of the two means. That is right for features of variance 1 that do not depend on each other; {special or 'here the covariance counts, too'}."
    if (found - found.mean() - (A - A.mean(dim=0)) @ slopes).abs().max().item() > 0.01:
        return "Not all of the ratio is in them: every feature takes part, and no weight is flattened."
    for place, (slope, truth) in enumerate(zip(slopes.tolist(), wanted.tolist())):
        if abs(slope) < 1e-6 < abs(truth):
            return f"Not all of the ratio is in them: every feature takes part, and they do not depend on feature {place} at all."
    return (f"Where a feature rises by 1, their logarithms rise by {', '.join(f'{slope:.2f}' for slope in slopes.tolist())} (a number for each feature), "
            f"those of Q(x)/P(x) by {', '.join(f'{slope:.2f}' for slope in wanted.tolist())}: was the classifier trained to its end? Where the features are far from mean 0, that takes many steps." + (f" ({special.capitalize()}.)" if special else ""))

def why_cut(found):
    """What to say where many of the largest weights are one number."""
    alike = int((found > found.max() - 1e-6).sum())
    return f"The largest {alike} weights are all {math.exp(found.max().item()):.2f}: the weight is Q(x)/P(x) however large it is, and nothing is cut." if alike > 10 else ""

def why_level(factor, n, m):
    """What may be wrong with the level of weights, from the mean logarithm of found over true."""
    known = {"They make 1 together: it is their mean that is about 1, not their sum.": -math.log(n), "It is the mean of the source weights that is about 1, not their median, and together they make n, not n + m.": math.log((n + m) / n)}
    if n != m:
        known |= {"The odds are these, without the factor n/m: n source, m target examples.": math.log(m / n), "The factor that turns odds into weights is n/m, n source and m target examples, not m/n.": 2 * math.log(m / n)}
    near = [words for words, value in known.items() if abs(factor - value) < 0.15]
    return near[0] if len(near) == 1 else "The score has two parts: is b in it?" if n == m else "The factor that turns odds into weights is n/m, n source and m target examples."

def look_at_weights(n, m, centre, seed, words, spread=1.0, mix=None, special="", far=False):
    A, B, log_ratio = two_clouds(n, m, centre, seed, spread, mix)
    found = importance_weights(A, B)
    assert_type(found, torch.Tensor, f"what importance_weights returns for {words}", of="shape")
    assert_shape(found, (n,), f"the shape for {words}", of="shape",
                 hint=f"Each of the {n} source examples has its weight; these are {m}, as many as the target has examples." if tuple(found.shape) == (m,) and m != n
                 else f"These are weights of source and target together: those of the {n} source examples are asked for." if tuple(found.shape) == (n + m,)
                 else "One axis, with an entry for each source example: here an axis of length 1 stands beside it." if tuple(found.shape) in ((n, 1), (1, n))
                 else "A weight for each example, not for each feature: the score of an example is one number." if tuple(found.shape) == tuple(A.shape)
                 else "One axis, with an entry for each source example.")
    assert_true(found.min().item() > 0, f"every weight is positive for {words}", of="shape", hint="These may be the scores: take exp." if found.min().item() < 0 else "")
    found = found.double().log()
    factor = (found - log_ratio).mean().item()
    level = f"on average the weights are {math.exp(factor):.2g} times the true ratio, for {words}; that should be 1"
    assert_true(((found - factor) - log_ratio).abs().mean().item() < 0.22, f"the weights grow and fall with Q(x)/P(x), for {words}", of="ratio", hint=lambda: why_not(A, B, found, log_ratio, special))
    for share in (10, 100) if far else (10,):
        strays = (found - log_ratio - factor)[log_ratio.argsort()[-n // share:]].mean().item()
        assert_true(abs(strays) < 0.4, f"the largest weights, {n // share} of them, are as large as Q(x)/P(x) is there, for {words}", of="ratio",
                    hint=lambda: why_cut(found) or f"The largest are too {'small' if strays < 0 else 'large'}: nothing is cut, flattened or squared.")
    assert_true(abs(factor) < 0.3, level, of="ratio" if n == m else "unequal sizes", hint=lambda: why_level(factor, n, m))

look_at_weights(1500, 1500, [1.0, -0.5], 31, "1,500 and 1,500 examples with 2 features")
look_at_weights(1200, 1200, [0.8], 32, "1,200 and 1,200 examples with 1 feature")
look_at_weights(1500, 1500, [0.7, 0.0], 36, "1,500 and 1,500 examples with 2 features that rise and fall together", mix=[[1.0, 0.8], [0.0, 0.6]],
                special="here the features depend on each other, so the ratio is no product of one for each feature")
look_at_weights(1500, 1500, [0.5, 3.0], 37, "1,500 and 1,500 examples with 2 features, one five times as large as the other", mix=[[1.0, 0.0], [0.0, 5.0]],
                special="here one feature is five times as large as the other, so they have not one spread, and a step that suits one does not suit the other")
look_at_weights(2000, 2000, [2.0], 40, "2,000 and 2,000 examples with 1 feature, means 2 standard deviations apart", far=True)
look_at_weights(1600, 400, [0.0, 0.7, 0.0], 33, "1,600 and 400 examples with 3 features")
look_at_weights(400, 1600, [0.6, 0.0], 34, "400 and 1,600 examples with 2 features")
A_, B_, _ = two_clouds(40, 30, [0.5, 0.5], 35)
after_ = inputs_after(A_.clone(), B_.clone())
assert_close(after_[0], A_, "source after the call", of="arguments kept", hint="The argument itself was changed: `-=` and the like work in place.")
assert_close(after_[1], B_, "target after the call", of="arguments kept", hint="The argument itself was changed: `-=` and the like work in place.")
### BEGIN HIDDEN TESTS
look_at_weights(1400, 1400, [0.3, 0.6, -0.6, 0.2], 41, "examples with 4 features", 0.9)
look_at_weights(1600, 1600, [0.0, 3.0, 0.1], 46, "examples with 3 features that differ in size and depend on each other", mix=[[2.0, 3.0, 0.1], [0.0, 4.0, -0.2], [0.0, 0.0, 0.3]])
look_at_weights(2200, 2200, [-1.7, 1.0], 44, "examples with 2 features and means that are far apart", far=True)
look_at_weights(2000, 500, [-8.0], 42, "four times as many source examples", 10.0)
look_at_weights(500, 1800, [0.0, -0.07], 43, "more target than source examples", 0.1)
A_, B_, _ = two_clouds(25, 70, [0.5, 0.1, -0.5], 45)
after_ = inputs_after(A_.clone(), B_.clone())
assert_close(after_[0], A_, "source after the call, 3 features", of="arguments kept")
assert_close(after_[1], B_, "target after the call, 3 features", of="arguments kept")
### END HIDDEN TESTS

# %% [markdown]
# For the second half, a case where one sees everything. The label is 1 above a parabola, with no doubt about it: $P(y \mid x)$ never changes. The source lies around the bottom of the parabola, the target on its right arm. A straight border can follow only one of the two.

# %% tags=["setup"]
def above_the_parabola(n, centre, seed):
    """Inputs (n, 2) around x1 = centre, and labels (n,): 1 above the parabola x2 = x1², 0 below."""
    generator = torch.Generator().manual_seed(seed)
    x1 = centre + 0.7 * torch.randn(n, generator=generator, dtype=torch.float64)
    x2 = x1 ** 2 + 1.2 * torch.randn(n, generator=generator, dtype=torch.float64)
    return torch.stack([x1, x2], dim=1), (x2 > x1 ** 2).double()

# %% tags=["demo"]
X_source, y_source = above_the_parabola(1000, 0.0, 0)
X_target, y_target = above_the_parabola(1000, 1.2, 1)
plain, best = fit_logistic(X_source, y_source), fit_logistic(X_target, y_target)
print(f"trained on the source: accuracy on the source {accuracy(*plain, X_source, y_source):.3f}, on the target {accuracy(*plain, X_target, y_target):.3f}")
print(f"trained on the target, for comparison: {accuracy(*best, X_target, y_target):.3f}")
figure, ax = plt.subplots(figsize=(6.2, 3.4), layout="constrained")
for X, y, marks, name in ((X_source, y_source, "o", "source"), (X_target, y_target, "x", "target")):
    for label, color in ((0, "C1"), (1, "C0")):
        ax.plot(X[y == label][:250, 0], X[y == label][:250, 1], marks, color=color, markersize=3.5, alpha=0.6, label=f"{name}, label {label}")
line = torch.tensor([-2.0, 3.2], dtype=torch.float64)
for (w, b), style, name in ((plain, "--", "trained on the source"), (best, "-", "trained on the target")):
    ax.plot(line, -(line * w[0] + b) / w[1], style, color="black", label=name)
ax.set(xlabel="$x_1$", ylabel="$x_2$", ylim=(-4, 9))
figure.legend(loc="outside right upper")
plt.show()

# %% [markdown]
# *What to see:* the dashed border is nearly level, as the bottom of the parabola is. On the right arm it calls nearly everything 1, and the solid border would be right. The target's labels are not ours to use. But the source has some examples on the right arm.

# %% [markdown] task="4.7.3b" kind="code" minutes=8 difficulty=3 core=true needs="importance weights, covariate shift, logistic regression"
# ### The corrector, second half: training
#
# Write `corrected_fit(X, y, X_target)`. `X`, `y` are labelled source examples, `(n, d)` and `(n,)` of zeros and ones; `X_target`, `(m, d)`, are inputs of the target, without labels. All are `float64`. It returns `(w, b)`, `w` of shape `(d,)` and `b` a number: a linear classifier ("1 where $\mathbf x^\top \mathbf w + b > 0$") for the target.
#
# **You are done when**
# - **form**: a pair comes back, `w` of shape `(d,)` and a single number;
# - **target**: with 1,500 examples of each, the source around 0 and the target around 1.2, its accuracy on the target is 0.845 or more on average over some pairs of samples, where plain training has about 0.71 and training on labelled target examples 0.867;
# - **either arm**: the same holds for a target around -1.2, and wherever the source reaches there is such a gain;
# - **no shift**: where source and target are alike, it is as good as plain training.

# %% exercise="4.7.3b" uses="4.7.3a"
def corrected_fit(X, y, X_target):
    """(w, b) of a linear classifier for the target, from labelled source examples and target inputs."""
    ### BEGIN SOLUTION
    return fit_logistic(X, y, importance_weights(X, X_target))
    ### END SOLUTION

# %% [markdown] hints="4.7.3b"
# 1. Which examples have labels, and which of them look like the target?
# 2. The third argument of `fit_logistic` is a weight for each example.
# 3. For the snails: a classifier of small against large gave the weights, and a weighted fit gave the line.

# %% check="4.7.3b" points=3
def corrected_accuracy(n, m, source_centre, target_centre, seed, below=False):
    """Accuracies on fresh target examples: corrected, trained on the source plainly, and corrected with the best b; label 1 above or below the parabola."""
    X, y = above_the_parabola(n, source_centre, seed)
    X_new, _ = above_the_parabola(m, target_centre, seed + 1)
    X_fresh, y_fresh = above_the_parabola(4000, target_centre, seed + 2)
    if below:
        y, y_fresh = 1 - y, 1 - y_fresh
    found = corrected_fit(X, y, X_new)
    assert_type(found, (tuple, list), "what corrected_fit returns", of="form", hint="A pair comes back, `return w, b`." if hasattr(found, "shape") else "")
    assert_equal(len(found), 2, "how many things come back", of="form", hint="`w` and `b`, and nothing else.")
    assert_type(found[0], torch.Tensor, "w", of="form")
    shapes = [tuple(getattr(one, "shape", ())) for one in found]
    assert_shape(found[0], (2,), "the shape of w for 2 features", of="form",
                 hint="The two are exchanged: `w` comes first, then `b`." if shapes[1] == (2,) else "It has one axis, of length d." if shapes[0] in ((2, 1), (1, 2)) else
                 "Three numbers stand in it: take the last one out, it is `b`." if shapes[0] == (3,) else "It has a number for each feature.")
    assert_type(found[1], (float, torch.Tensor), "b", of="form")
    assert_equal(torch.as_tensor(found[1]).numel(), 1, "how many numbers b holds", of="form", hint="`b` is one number for all examples.")

    def hits(w, b):
        return ((X_fresh @ w.double() + float(b) > 0) == (y_fresh > 0.5)).double().mean().item()

    A = torch.cat([X, torch.ones(n, 1, dtype=torch.float64)], dim=1)
    v = torch.zeros(3, dtype=torch.float64)
    for _ in range(30):
        p = torch.sigmoid(A @ v)
        v = v - torch.linalg.solve((A * (p * (1 - p))[:, None]).T @ A, A.T @ (p - y))
    scores = X_fresh @ found[0].double()
    best_b = max(hits(found[0], -place) for place in scores.quantile(torch.linspace(0.02, 0.98, 33, dtype=torch.float64)).tolist())
    return hits(*found), hits(v[:2], v[2]), best_b

def mean_accuracies(n, m, source_centre, target_centre, seeds, below=False):
    return [sum(numbers) / len(seeds) for numbers in zip(*(corrected_accuracy(n, m, source_centre, target_centre, seed, below) for seed in seeds))]

scores = "This is the border that the classifier's scores h give as weights, those below 0 cut or without their sign: the weight is e^h."

def known_border(n, m, source_centre, target_centre, seed):
    """What the border is that corrected_fit draws: that of a known mistake, or nothing."""
    X, y = above_the_parabola(n, source_centre, seed)
    X_new, _ = above_the_parabola(m, target_centre, seed + 1)

    def unit(w, b):
        return torch.cat([w.double(), torch.as_tensor(b).double().reshape(1)]) / w.double().norm()

    found = unit(*corrected_fit(X, y, X_new))
    w, b = detector = fit_logistic(torch.cat([X, X_new]), torch.cat([torch.zeros(n), torch.ones(m)]).double())
    h, plain = X @ w + b, fit_logistic(X, y)
    guesses = (X_new @ plain[0] + plain[1] > 0).double()
    taught = "This is the border that the plain model's guesses for the target give, taken for labels: they teach nothing new."
    cut = "This is the border of weights that are cut at a small number: Q(x)/P(x) counts in full."
    weighted = fit_logistic(X, y, torch.exp(h))
    rising = "This is the border of the right weights in another order: sorted by size. Weight i belongs to example i."
    known = [(rising, fit_logistic(X, y, torch.exp(h).sort().values)), (rising, fit_logistic(X, y, torch.exp(h).sort(descending=True).values)),
             ("This w is that of the weighted fit, this b that of plain training: take both from the weighted fit.", (weighted[0], plain[1])),
             ("This is the border of weights that all lie between 1 and 2, Q(x)/P(x) divided by the largest, plus 1: nothing is added to them.", fit_logistic(X, y, 1 + torch.exp(h) / torch.exp(h).max())),
             ("This is the border that the squares of the weights give: the loss of an example is multiplied by Q(x)/P(x) itself.", fit_logistic(X, y, torch.exp(2 * h))),
             ("This is the border that the square roots of the weights give: the loss of an example is multiplied by Q(x)/P(x) itself.", fit_logistic(X, y, torch.exp(h / 2))),
             ("This is the border that the classifier's probabilities give as weights: Q(x)/P(x) goes with its odds.", fit_logistic(X, y, torch.sigmoid(h))),
             ("This is the border that 1 + Q(x)/P(x) gives: the source examples by themselves do not count once more.", fit_logistic(X, y, 1 + torch.exp(h))),
             ("This is the border of plain training: the weights do not reach the fit.", plain),
             ("This is the border that P(x)/Q(x) gives: the weight is target over source.", fit_logistic(X, y, torch.exp(-h))),
             ("This is the border between source and target: it gives the weights, but the labels y are what is to be learned.", detector),
             ("This is the border of plain training, moved along with the inputs. What a label says belongs to the place of its example: weigh the examples, and leave them where they are.",
              fit_logistic(X - X.mean(dim=0) + X_new.mean(dim=0), y)),
             ("This is the border that comes of weights multiplied into the features: they multiply the losses.", fit_logistic(X * torch.exp(h)[:, None], y)),
             *((scores, fit_logistic(X, y, h.clamp(min=least))) for least in (0.01, 1e-3, 1e-6)), (scores, fit_logistic(X, y, h.abs())),
             (taught, fit_logistic(torch.cat([X, X_new]), torch.cat([y, guesses]))), (taught, fit_logistic(X_new, guesses)),
             (cut, fit_logistic(X, y, torch.exp(h).clamp(max=1.0))), (cut, fit_logistic(X, y, torch.exp(h).clamp(max=2.0)))]
    near = {words for words, rule in known if (unit(*rule) - found).norm().item() < 0.012}
    return near.pop() if len(near) == 1 else ""

def why_so_few(good, plain, best_b, least, border=""):
    if border:
        return border
    if good < 0.3:
        return "Most are on the wrong side of the border: are labels or signs exchanged?"
    if best_b >= least:
        return "With this w and another b it would do: look at b, and at what the weights multiply: the losses, not the features."
    if good < plain - 0.03:
        return "This is worse than plain training: which way do the weights go, and are the labels y what is learned?"
    if good < plain + 0.03:
        return "This is hardly better than plain training: are the weights Q(x)/P(x), and do they reach the fit, each one its own example? (A plain model's guesses for the target teach nothing new.)"
    return "This is better than plain training, but less than weights can do: an example's share of the loss is multiplied by Q(x)/P(x), all of it and nothing else."

for centre_, of_, words_, seeds_ in ((1.2, "target", "the target on the right arm", (74, 82, 86, 90)), (-1.2, "either arm", "the target on the left arm", (74, 82, 86)), (0.0, "no shift", "the target where the source is", (109, 124))):
    good_, plain_, best_b_ = mean_accuracies(1500, 1500, 0.0, centre_, seeds_)
    least_ = 0.845 if centre_ else plain_ - 0.015
    assert_true(good_ >= least_, f"{words_}: the accuracy on it is at least {least_:.3f}; yours is {good_:.3f}, plain training's {plain_:.3f}", of=of_,
                hint=lambda: (scores if known_border(1500, 1500, 0.0, 0.0, 109) == scores else "Without a shift Q(x)/P(x) is about 1 everywhere, and the border is nearly that of plain training.") if not centre_ else
                "The right arm comes out, the left one does not: which examples count has to follow from X_target." if centre_ < 0 and good_ < plain_ + 0.03 else why_so_few(good_, plain_, best_b_, least_, known_border(1500, 1500, 0.0, centre_, 74) if good_ < least_ else ""))
good_, plain_, best_b_ = mean_accuracies(1500, 1500, 0.0, 1.2, (74, 82), True)
assert_true(good_ >= 0.84, f"the target on the right arm, with label 1 below the parabola and 0 above: the accuracy on it is at least 0.840; yours is {good_:.3f}, plain training's {plain_:.3f}", of="target",
            hint="The labels y say what is right: learn from them, not from where the parabola is.")
### BEGIN HIDDEN TESTS
for n_, m_, source_, target_, of_, least_, below_ in ((1800, 900, 0.2, 1.3, "target", 0.79, False), (1500, 600, 0.0, -1.1, "either arm", 0.843, True), (1200, 1500, 1.0, 1.0, "no shift", None, False), (1500, 1500, -1.1, 0.1, "either arm", 0.843, False)):
    good_, plain_, best_b_ = mean_accuracies(n_, m_, source_, target_, (200 + n_ + m_, 7 + n_ + m_), below_)
    least_ = least_ or plain_ - 0.02
    assert_true(good_ >= least_, f"the accuracy for {n_} source and {m_} target examples, around {source_} and {target_}", of=of_, hint=lambda: "" if of_ == "no shift" else why_so_few(good_, plain_, best_b_, least_))
### END HIDDEN TESTS

# %% [markdown] teaches="label shift correction, confusion matrix"
# ## 5. Correcting label shift: the shares of the classes
#
# A shop has a classifier of clothes, and six kinds of clothes to sort, equally many of each. In summer mostly t-shirts, dresses and sandals come in. $P(x \mid y)$ stays: a sandal looks like a sandal. $P(y)$ changes. Nobody labels the new pictures. How many sandals are there?
#
# ⚠ "As many as the classifier finds" is wrong. It errs, and its errors come in known proportions: it takes some sneakers for sandals, and some sandals for sneakers. Count them on labelled validation examples of the source. Let $A_{ij} = P(\text{predicted } i \mid \text{label } j)$, a matrix of shape (k, k) for k classes whose *columns* make 1; up to that
# scaling it is the **confusion matrix**. As $P(x \mid y)$ stays, so does A: a prediction is a function of x. In the target, the share of predictions i is therefore
#
# $$\mu_i = \sum_j A_{ij}\,Q(y = j), \qquad\text{or}\qquad \boldsymbol\mu = \mathbf A\,\mathbf q.$$
#
# $\boldsymbol\mu$ can be counted without labels. $\mathbf A$ is known. Solve for $\mathbf q$. With two classes, by hand: the source says that of true sandals 0.9 are called sandals, and of other things 0.2. In summer 0.55 of all pictures are called sandals. If s is their true share, $0.55 = 0.9\,s + 0.2\,(1 - s)$, so s = 0.5.

# %% teaches="label shift correction"
A = torch.tensor([[0.9, 0.2], [0.1, 0.8]])                       # columns: true sandal, true other; rows: what it is called
print("true shares:", torch.linalg.solve(A, torch.tensor([0.55, 0.45])))

# %% [markdown]
# Now the shop. The classifier is softmax regression on 2,000 pictures of all ten classes of Fashion-MNIST, not trained for long; its scores are compared among the classes that the shop sells. Of the validation pictures of these classes some, with labels, are the source. From the others we
# make a summer: 450 each of t-shirts, dresses and sandals, 60 of every other class.

# %% tags=["demo"]
torch.set_num_threads(1)
clothes = d2l.FashionMNIST(batch_size=256)
pictures, kinds = clothes.train[torch.arange(2000)]
pictures = pictures.flatten(1)
W, b = torch.zeros(784, 10), torch.zeros(10)
for step in range(80):                                           # softmax regression, as in 4.6
    G = (torch.softmax(pictures @ W + b, dim=1) - F.one_hot(kinds, 10)) / len(kinds)
    W, b = W - 0.3 * pictures.T @ G, b - 0.3 * G.sum(dim=0)

def summer_shares(kept):
    """For a shop with these classes: true, counted and solved shares in summer; probabilities and labels (one-hot) of the summer."""
    kept, labels = torch.tensor(kept), clothes.val.targets
    sold = torch.nonzero((labels[:, None] == kept).any(dim=1))[:, 0]      # numbers of the pictures of these classes
    source, rest = sold[sold < 5000], sold[sold >= 5000]
    summer = torch.cat([rest[labels[rest] == j][: 450 if j in (0, 3, 5) else 60] for j in kept])
    (X_val, y_val), (X_new, y_new) = clothes.val[source], clothes.val[summer]
    p_val, p_new = (torch.softmax((X.flatten(1) @ W + b)[:, kept], dim=1) for X in (X_val, X_new))
    called_val, called_new = (F.one_hot(p.argmax(dim=1), len(kept)).double() for p in (p_val, p_new))
    true_val, true_new = ((y[:, None] == kept).double() for y in (y_val, y_new))
    counts = called_val.T @ true_val                                 # (k, k): predicted, label
    A, mu = counts / counts.sum(dim=0), called_new.mean(dim=0)
    return true_new.mean(dim=0), mu, torch.linalg.solve(A, mu), p_new, true_new

six = [0, 1, 3, 5, 7, 9]
truth, counted, solved, p_summer, true_summer = summer_shares(six)   # the labels of the summer serve only to judge
print(f"largest error of the counted shares {(counted - truth).abs().max():.3f}, of the solved ones {(solved - truth).abs().max():.3f}")

figure, ax = plt.subplots(figsize=(7, 2.9), layout="constrained")
spots = torch.arange(6)
for offset, shares, name, color in ((-0.27, truth, "true", "lightgrey"), (0.0, counted, "counted predictions", "C1"), (0.27, solved, "solved", "C0")):
    ax.bar(spots + offset, shares, width=0.26, color=color, label=name)
ax.set_xticks(spots.tolist(), clothes.text_labels(six), rotation=20)
ax.set_ylabel("share in summer")
figure.legend(loc="outside right upper")
plt.show()

truth10, counted10, solved10, *_ = summer_shares(list(range(10)))
print(f"all ten classes: share of the pictures called shirts {counted10[6]:.4f}; solved shares from {solved10.min():.2f} to {solved10.max():.2f}, true ones from {truth10.min():.2f} to {truth10.max():.2f}")

# %% [markdown]
# *What to see:* the orange bars are wrong by up to 0.07: too few sandals, since many are taken for sneakers and ankle boots, and too many of these. The blue ones are close to the grey truth, without one label of the summer.
#
# ⚠ The last line of output: with all ten classes the method breaks down. This classifier, hardly trained, says "shirt" of not one picture of the summer. So a row of $\mathbf A$ is nearly 0, the system is nearly singular, and the smallest accident in the counts is blown up: a share below 0, and another of 0.81 where none is above 0.25. A class that is never predicted cannot be counted. Look
# at the confusion matrix first.
#
# What use are the shares? They mend the classifier. By Bayes' theorem $Q(y \mid x)$ is proportional to $Q(y)\,P(x \mid y)$, and $P(x \mid y)$ is proportional to $P(y \mid x) / P(y)$. So multiply each probability of the softmax by the weight $w_y = Q(y)/P(y)$ of its class, and divide the row by its sum:

# %% tags=["demo"]
class_weights = solved.clamp(min=0) * 6                           # the source has each of the six classes with probability 1/6
for name, probabilities in (("as trained", p_summer), ("with the weights", p_summer * class_weights)):
    print(f"accuracy in summer, {name}: {(probabilities.argmax(dim=1) == true_summer.argmax(dim=1)).double().mean():.3f}")

# %% [markdown] task="4.7.D" kind="code" minutes=3 difficulty=1 needs="label shift, bayes' theorem, keepdim"
# ### Other shares, other probabilities
#
# A classifier, trained where the classes have the probabilities `p`, gives `probabilities` of shape `(n, k)`. Write `adjust(probabilities, p, q)`: the probabilities where the classes have the probabilities `q` instead, under label shift. `p` and `q` have shape `(k,)`.
#
# **You are done when**
# - **ratios**: in each row the entries are to each other as probability times weight of the class;
# - **rows**: each row adds up to 1;
# - **argument kept**: `probabilities` is as it was.

# %% exercise="4.7.D"
def adjust(probabilities, p, q):
    """Probabilities (n, k) under the class shares q in place of p."""
    ### BEGIN SOLUTION
    adjusted = probabilities * q / p
    return adjusted / adjusted.sum(dim=1, keepdim=True)
    ### END SOLUTION

# %% [markdown] hints="4.7.D"
# 1. What is the weight of class j?
# 2. `probabilities * q / p` broadcasts along the rows: column j is multiplied by `q[j] / p[j]`. What does a row add up to then?
# 3. For the row (0.5, 0.5) and weights (3, 1): (1.5, 0.5), divided by 2: (0.75, 0.25).

# %% check="4.7.D" points=1
old_, p_, q_ = torch.tensor([[0.6, 0.3, 0.1], [0.2, 0.2, 0.6], [0.5, 0.4, 0.1]]), torch.tensor([0.5, 0.25, 0.25]), torch.tensor([0.1, 0.3, 0.6])
times_ = torch.tensor([[0.12, 0.36, 0.24], [0.04, 0.24, 1.44], [0.1, 0.48, 0.24]])

def over_first(rows):
    return rows / rows[:, :1]

def factors(found, before):
    """What the columns were multiplied by, in relation to column 0."""
    by = over_first(found) / over_first(before)
    if not by.isfinite().all():
        return ""
    return ("What the columns are multiplied by, compared with column 0, differs from row to row: it is to be one weight for each class, the same in all rows." if (by - by[0]).abs().max() > 1e-3 else
            f"Compared with column 0, columns 1 and 2 are multiplied by {by[0, 1].item():.3g} and {by[0, 2].item():.3g}: by the weights q/p it is {1.2 / 0.2:.3g} and {2.4 / 0.2:.3g}.")

new_ = adjust(old_, p_, q_)
assert_type(new_, torch.Tensor, "what adjust returns", of="ratios")
assert_shape(new_, (3, 3), "the shape for 3 examples and 3 classes", of="ratios", hint="A row for each example, a column for each class.")
assert_close(over_first(new_), torch.tensor([[1.0, 3.0, 2.0], [1.0, 6.0, 36.0], [1.0, 4.8, 2.4]]), "for the rows (0.6, 0.3, 0.1), (0.2, 0.2, 0.6), (0.5, 0.4, 0.1), p = (0.5, 0.25, 0.25), q = (0.1, 0.3, 0.6): each entry over the first of its row", rtol=1e-3, of="ratios",
             mistakes={"The ratios are as before: q/p multiplies the columns, one weight for each class.": over_first(old_), "The weight is new share over old share.": over_first(old_ * p_ / q_), "Divide by the old shares, too.": over_first(old_ * q_),
                       "It is each row that is divided by its sum, not each column.": over_first(times_ / times_.sum(dim=0)), "No exponentials: these are probabilities already.": over_first(torch.softmax(times_, dim=1)),
                       "The sums of the rows are to stand in a column: without `keepdim=True` they divide the columns.": over_first(times_ / times_.sum(dim=1)),
                       "The weight is q/p itself, without a root.": over_first(old_ * (q_ / p_) ** 0.5), "The weight is q/p itself, not its square.": over_first(old_ * (q_ / p_) ** 2),
                       "Multiply by q/p; a difference is not enough.": over_first(old_ + q_ - p_), "These are the new shares, whatever the classifier has said about the example.": over_first(q_.expand(3, 3)),
                       "p is given: the mean of these rows is not asked for.": over_first(old_ * q_ / old_.mean(dim=0)), "Do not round the probabilities.": over_first(torch.tensor([[0.17, 0.5, 0.33], [0.02, 0.14, 0.84], [0.12, 0.59, 0.29]])),
                       "The last class gets its own weight, too, not what is left of 1.": over_first(torch.tensor([[0.12, 0.36, 0.52], [0.04, 0.24, 0.72], [0.1, 0.48, 0.42]])),
                       "The weight is q/p, not a ratio of odds q/(1 - q) and p/(1 - p).": over_first(old_ * q_ / (1 - q_) / (p_ / (1 - p_)))},
             hint=lambda: factors(new_, old_) + " The weights are 0.2, 1.2, 2.4. Multiplied by them the first row is (0.12, 0.36, 0.24), the second one (0.04, 0.24, 1.44), the third one (0.1, 0.48, 0.24).")
assert_close(new_.sum(dim=1), torch.ones(3), "the sums of the three rows", rtol=1e-4, of="rows", hint="Divide each row by its own sum.")
new_ = adjust(old_[:2], p_, q_)
assert_shape(new_, (2, 3), "the shape for 2 examples and 3 classes", of="ratios", hint="A row for each example, a column for each class.")
assert_close(over_first(new_), torch.tensor([[1.0, 3.0, 2.0], [1.0, 6.0, 36.0]]), "the first two of these rows alone: each entry over the first of its row", rtol=1e-3, of="ratios", hint="The result for a row does not depend on the other rows.")
assert_close(new_.sum(dim=1), torch.ones(2), "the sums of the first two rows alone", rtol=1e-4, of="rows", hint="Divide each row by its own sum.")

@probe
def probabilities_after(probabilities, p, q):
    adjust(probabilities, p, q)
    return probabilities

assert_close(probabilities_after(old_.clone(), p_, q_), old_, "probabilities after the call", of="argument kept", hint="The argument itself was changed: `*=` works in place.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(474)
for n_, k_ in ((5, 4), (1, 2), (3, 7), (4, 4)):
    likelihood_, p_, q_ = torch.rand(n_, k_, generator=rng, dtype=torch.float64) + 0.05, torch.rand(k_, generator=rng, dtype=torch.float64) + 0.1, torch.rand(k_, generator=rng, dtype=torch.float64) + 0.1
    p_, q_ = p_ / p_.sum(), q_ / q_.sum()
    before_, wanted_ = (likelihood_ * s / (likelihood_ @ s)[:, None] for s in (p_, q_))
    found_ = adjust(before_.clone(), p_, q_)
    assert_shape(found_, (n_, k_), f"the shape for {n_} examples and {k_} classes", of="ratios")
    assert_close(found_ / found_.sum(dim=1, keepdim=True), wanted_, f"{n_} examples, {k_} classes, each row divided by its sum", rtol=1e-4, of="ratios")
    assert_close(found_.sum(dim=1), torch.ones(n_, dtype=torch.float64), f"the sums of {n_} rows", rtol=1e-4, of="rows")
    assert_close(probabilities_after(before_.clone(), p_, q_), before_, f"probabilities after the call, {n_} examples", of="argument kept")
### END HIDDEN TESTS

# %% [markdown] task="4.7.5" kind="code" minutes=8 difficulty=3 needs="label shift correction, confusion matrix"
# ### The weights of the classes
#
# Write `class_weights_of(labels, predicted, predicted_target, k)`. `labels` and `predicted`, `int64` of shape `(n,)`, are the true and the predicted classes of labelled source examples, in which each of the classes 0 to k - 1 occurs; `predicted_target`, `int64` of shape `(m,)`, are the predicted classes in the target. It
# returns the weights $w_j = Q(y = j) / P(y = j)$ as a floating point tensor of shape `(k,)`, with P(y) counted in `labels`. You may take for granted that the linear system has one solution.
#
# **You are done when**
# - **shape**: the result has shape `(k,)`, also where some class is never predicted in the target;
# - **errors undone**: the shares in the target are solved for, not counted, and taken as they come out, even below 0;
# - **source shares**: they are divided by the shares of the classes in the source, which need not be equal.

# %% exercise="4.7.5"
def class_weights_of(labels, predicted, predicted_target, k):
    """Q(y)/P(y), shape (k,), from source labels and predictions (n,) and target predictions (m,)."""
    ### BEGIN SOLUTION
    C = F.one_hot(predicted, k).double().T @ F.one_hot(labels, k).double() / len(labels)     # P(predicted i, label j)
    mu = F.one_hot(predicted_target, k).double().mean(dim=0)
    return torch.linalg.solve(C, mu)                                                          # sum_j P(i, j) w_j = mu_i
    ### END SOLUTION

# %% [markdown] hints="4.7.5"
# 1. Which matrix of shares, and which vector of shares, do you get by counting?
# 2. `F.one_hot(predicted, k).double()` has a row for each example. Its transpose times the same for `labels` counts all pairs. With the *joint* shares $P(i, j)$ in place of $A_{ij}$ the system gives w at once, since $A_{ij} Q(j) = P(i, j)\,Q(j)/P(j)$.
# 3. Two classes, 100 source examples: counts (45, 10) called 0 and (5, 40) called 1, by true class. In the target 0.55 are called 0: the shares are (0.5, 0.5), and as the source had (0.5, 0.5) the weights are (1, 1).

# %% check="4.7.5" points=2
def from_counts(counts):
    """(labels, predicted) with counts[i][j] examples that are predicted i and have label j."""
    pairs = [(j, i) for i, row in enumerate(counts) for j, count in enumerate(row) for _ in range(count)]
    pairs = torch.tensor(pairs)[torch.randperm(len(pairs), generator=torch.Generator().manual_seed(7))]
    return pairs[:, 0].contiguous(), pairs[:, 1].contiguous()

def classes_of(counts):
    return torch.cat([torch.full((count,), i) for i, count in enumerate(counts)])

labels_, predicted_ = from_counts([[45, 10], [5, 40]])
found_ = class_weights_of(labels_, predicted_, classes_of([34, 66]), 2)
assert_type(found_, torch.Tensor, "what class_weights_of returns", of="shape")
assert_shape(found_, (2,), "the shape for 2 classes", of="shape", hint="A number for each class, in one axis.")
two_words = "source counts (45, 10), (5, 40), by predicted class and true class; of 100 target examples 34 are called 0"
assert_close(found_, torch.tensor([0.4, 1.6]), two_words, rtol=1e-4, of="errors undone",
             mistakes={"These are the shares that were counted, over those of the source: solve for the true ones.": torch.tensor([0.68, 1.32]), "These are the shares in the target: divide them by those in the source.": torch.tensor([0.2, 0.8]),
                       "Predicted classes and labels are exchanged in the matrix.": torch.tensor([0.588571, 1.502857]),
                       "Entry (i, j) of the matrix is P(predicted i | label j), not P(label i | predicted j).": torch.tensor([0.6474286, 1.3525714]), "Each column of the matrix belongs to a true class and makes 1, not each row.": torch.tensor([0.515429, 1.420571]),
                       "The shares in the source are those of the labels, not of the predictions.": torch.tensor([0.363636, 1.777778]), "Joint shares give w at once: do not divide by P(y) again.": torch.tensor([0.8, 3.2]), "This is P(y)/Q(y): the weight is target over source.": torch.tensor([2.5, 0.625]),
                       "mu is the matrix times the unknown shares: solve, do not multiply again.": torch.tensor([0.876, 1.124]), "The true classes among the predicted ones have other shares in the target: solve the system.": torch.tensor([0.70303, 1.29697]),
                       "The weight is a ratio of shares, not a difference.": torch.tensor([-0.3, 0.3]),
                       "Divided by its own share of right ones, a class keeps the others' examples that are called so: solve the system.": torch.tensor([0.68 / 0.9, 1.32 / 0.8]), "Count as it is: nothing is added to the counts.": torch.tensor([0.381714, 1.618286])},
             hint="The matrix has the columns (0.9, 0.1) and (0.2, 0.8), mu is (0.34, 0.66): solve exactly, then divide by the shares in the source.")
labels_, predicted_ = from_counts([[16, 12, 3], [2, 42, 3], [2, 6, 24]])
found_ = class_weights_of(labels_, predicted_, classes_of([54, 22, 24]), 3)
assert_shape(found_, (3,), "the shape for 3 classes", of="shape", hint="A number for each class, in one axis.")
assert_close(found_, torch.tensor([0.6, 0.2, 0.2]) * 110 / torch.tensor([20.0, 60.0, 30.0]), "three classes, 20, 60 and 30 of them in the source, 100 examples in the target", rtol=1e-4, of="source shares",
             mistakes={"These are the shares in the target: divide them by those in the source.": torch.tensor([0.6, 0.2, 0.2]), "The classes are not equally frequent in the source.": torch.tensor([1.8, 0.6, 0.6]),
                       "The source has 110 examples, the target 100: divide each count by the number of its own.": torch.tensor([3.0, 1 / 3, 2 / 3]), "The mean of the weights over the classes need not be 1.": torch.tensor([2.25, 0.25, 0.5])},
             hint="The shares in the target come out as 0.6, 0.2, 0.2, in the order of the classes.")
labels_, predicted_ = from_counts([[10, 0, 2], [0, 10, 0], [0, 0, 8]])
raised_ = ""
try:
    class_weights_of(labels_, predicted_, classes_of([3, 7]), 3)
except Exception as error_:
    raised_ = str(error_)
assert_true(not raised_, "three classes, class 2 is never predicted in the target: weights come back, and no error", of="shape",
            hint=f"A class that is never predicted has the share 0: mu has k entries, also here. (`torch.bincount` counts only up to the largest number that occurs, unless `minlength=` says more. The error: {raised_})")
found_ = class_weights_of(labels_, predicted_, classes_of([3, 7]), 3)
assert_shape(found_, (3,), "the shape where class 2 is never predicted in the target", of="shape", hint="A class that is never predicted has the share 0: count all k classes, not only those that occur.")
assert_close(found_, torch.tensor([0.9, 2.1, 0.0]), "class 2 is never predicted in the target: the weights", atol=1e-6, of="errors undone",
             hint="The matrix has the columns (1, 0, 0), (0, 1, 0), (0.2, 0, 0.8), and mu is (0.3, 0.7, 0). The shares come out as 0.3, 0.7, 0: a share of 0 is a solution as others are. No logarithm, and nothing is divided by mu.")
labels_, predicted_ = from_counts([[30, 9], [10, 31]])
assert_close(class_weights_of(labels_, predicted_, classes_of([70, 10]), 2), torch.tensor([52 / 21, -10 / 21]), "source counts (30, 9), (10, 31); of 80 target examples 70 are called 0, more than can be: the weights as they come out", rtol=1e-4, of="errors undone",
             mistakes={"A weight below 0 is a warning: leave it as it comes out.": torch.tensor([52 / 21, 0.0]), "A weight below 0 is a warning: do not turn its sign.": torch.tensor([52 / 21, 10 / 21]), "A weight below 0 is a warning: leave all as they come out.": torch.tensor([2.0, 0.0]), "Shares need not be whole numbers of examples: do not round.": torch.tensor([2.475, -0.475])},
             hint="The shares come out as 26/21 and -5/21: nothing is cut, rounded or rescaled.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(475)
for k_, of_ in ((4, "source shares"), (2, "errors undone"), (6, "source shares")):
    counts_ = torch.randint(0, 6, (k_, k_), generator=rng) + 15 * torch.eye(k_, dtype=torch.int64)
    truth_ = torch.randint(1, 4, (k_,), generator=rng)
    labels_, predicted_ = from_counts(counts_.tolist())
    if of_ == "errors undone":
        counts_ = torch.tensor([[30, 9], [10, 31]])
        labels_, predicted_ = from_counts(counts_.tolist())
    found_ = class_weights_of(labels_, predicted_, classes_of((counts_ @ truth_).tolist()), k_)
    assert_shape(found_, (k_,), f"the shape for {k_} classes", of="shape")
    assert_close(found_, truth_.double() * counts_.sum() / (counts_ @ truth_).sum(), f"the weights for {k_} classes", rtol=1e-3, of=of_)
### END HIDDEN TESTS

# %% [markdown] teaches="monitoring a model in use"
# ## 6. Concept shift: only new labels help
#
# If $P(y \mid x)$ itself changes, the inputs may look as they always did. No detector of part 3 can see it, and no weight of the old examples mends it: the old labels are answers to another question. What is left is to *get new labels*, a few at a time: let a doctor look at every hundredth patient, wait until the
# loan is paid back or not. Then watch the error.
#
# Of each labelled example we note 1 if the model was wrong and 0 if it was right. It had the error `baseline` on its test set. Look at the last k noted examples. If their share of errors is above the baseline by more than chance explains, sound the alarm. Section 4.6 says what chance explains: by Hoeffding, one-sided, and with the baseline taken for exact, a distance of
#
# $$t = \sqrt{\frac{\log(1/\delta)}{2k}}$$
#
# is passed with probability δ at most, in one look. (One looks often: choose δ small. Part 4 of that section says how small.) And when the change is slow, go on training on the newest labelled examples, and let the old ones fade.

# %% tags=["demo"]
generator = torch.Generator().manual_seed(4)
true_error = torch.where(torch.arange(3000) < 1800, 0.10, 0.28)                     # the concept changes at example 1,800
mistakes = (torch.rand(3000, generator=generator) < true_error).double()
window = 200
summed = torch.cat([torch.zeros(1).double(), mistakes.cumsum(dim=0)])
running = (summed[window:] - summed[:-window]) / window                               # share of errors in the last 200
threshold = 0.10 + math.sqrt(math.log(1 / 0.001) / (2 * window))
first = window + int(torch.nonzero(running > threshold)[0, 0])
figure, ax = plt.subplots(figsize=(6, 2.7), layout="constrained")
ax.plot(torch.arange(window, 3001), running, label="error of the last 200")
ax.axhline(threshold, color="C3", linestyle="--", label="alarm")
ax.axvline(1800, color="grey", linestyle=":", label="the concept changes")
ax.set(xlabel="labelled examples so far", ylabel="share of errors", ylim=(0, 0.4))
ax.legend(loc="upper left")
plt.show()
print(f"threshold {threshold:.3f}, first alarm after {first} examples")

# %% [markdown]
# *What to see:* before the change the curve wanders around 0.10 and stays below the dashed line. After it the curve climbs, since more and more of the last 200 examples are new ones. A shorter window reacts sooner, and needs a higher threshold.

# %% [markdown] task="4.7.6" kind="code" minutes=7 difficulty=3 needs="monitoring a model in use, hoeffding's inequality"
# ### The alarm
#
# Write `first_alarm(mistakes, baseline, window, delta)`. `mistakes` is a list of zeros and ones in the order of time. It returns after how many examples the alarm sounds for the first time: the smallest i for which the last `window` of the first i examples have a share of errors above `baseline` + t, with t as above. If it never sounds, `None`.
#
# **You are done when**
# - **time**: the number of examples seen at the first alarm is right, and no alarm sounds before `window` examples have been seen;
# - **threshold**: it is Hoeffding's, one-sided, for this window and this δ;
# - **silence**: `None` comes back where the share never rises above the threshold, however low it is, also where there are fewer than `window` examples.

# %% exercise="4.7.6"
def first_alarm(mistakes, baseline, window, delta):
    """Examples seen when the error of the last `window` first passes the threshold, or None."""
    ### BEGIN SOLUTION
    threshold = baseline + math.sqrt(math.log(1 / delta) / (2 * window))
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window : i]) / window > threshold:
            return i
    return None
    ### END SOLUTION

# %% [markdown] hints="4.7.6"
# 1. Which examples are the last `window` of the first i?
# 2. `mistakes[i - window : i]`, for i from `window` to the length of the list, that one included.
# 3. For 0, 0, 1, 1 with a window of 2 and a threshold of 0.6: the shares after 2, 3 and 4 examples are 0, 0.5 and 1, so the alarm sounds after 4.

# %% check="4.7.6" points=2
def wrong_moment(noted, baseline, window, delta, tell=True):
    """What the share of errors is where the answer sounds, or where it should."""
    found, limit = first_alarm(noted, baseline, window, delta), baseline + math.sqrt(math.log(1 / delta) / (2 * window))
    wrong = [sum(noted[i - window : i]) for i in range(window, len(noted) + 1)]
    if isinstance(found, int) and 0 <= found - window < len(wrong) and wrong[found - window] / window <= limit + 1e-9:
        return f"After {found} examples {wrong[found - window]} of the last {window} were wrong: a share of {wrong[found - window] / window:.4g}, which is not above {limit:.4g}. "
    first = next((k for k, errors in enumerate(wrong) if errors / window > limit + 1e-9), None)
    if tell and first is not None and (found is None or found > first + window):
        return f"After {first + window} examples {wrong[first]} of the last {window} are wrong: a share of {wrong[first] / window:.4g}, above {limit:.4g}. "
    return ""

in_five_ = first_alarm([1] * 8, 0.0, 5, 0.1)          # 13 below may be the last example's place, counted from 0, or that of the window's first one, counted from 1
thirteen_ = ("Count the examples seen, those in the window, too: this is the place of the window's first one, counted from 1." if in_five_ == 1 else
             "Count the examples seen, from 1: this is the place of the last one.")

assert_equal(first_alarm([0] * 13 + [1, 0, 1, 1, 1, 1], 0.05, 2, 0.9), 14, "thirteen zeros, then 1, 0, 1, 1, 1, 1, baseline 0.05, window 2, δ = 0.9 (threshold 0.212)", of="time", hint=lambda: wrong_moment([0] * 13 + [1, 0, 1, 1, 1, 1], 0.05, 2, 0.9),
             mistakes={thirteen_: 13, "This is where the window begins.": 12, "Only the last `window` examples count, not all so far.": 18, "Look after every example, count the newest one, too, and wait for no second alarm.": 15,
                       "Here a share of 1/2 is above the threshold: compare shares, unrounded, and t is for one look: δ is not divided.": 17, "The first alarm is asked for, not the last.": 19, "Take Hoeffding's t: a quantile of the normal curve promises less.": 2})
assert_equal(first_alarm([0, 0, 0, 0, 0, 1], 0.05, 2, 0.9), 6, "five zeros, then 1, baseline 0.05, window 2, δ = 0.9 (threshold 0.212)", hint=lambda: wrong_moment([0, 0, 0, 0, 0, 1], 0.05, 2, 0.9) + "The last example counts, too.", of="time")
assert_equal(first_alarm([0, 0, 1, 0, 0, 0, 0, 1], 0.05, 2, 0.9), 3, "0, 0, 1, 0, 0, 0, 0, 1, baseline 0.05, window 2, δ = 0.9 (threshold 0.212)", of="time", hint=lambda: wrong_moment([0, 0, 1, 0, 0, 0, 0, 1], 0.05, 2, 0.9),
             mistakes={"The window moves on by one example at a time: look after each, not only where one window ends and the next one begins.": 4})
assert_equal(first_alarm([1] * 8, 0.0, 5, 0.1), 5, "eight wrong ones, baseline 0, window 5, δ = 0.1", of="time",
             mistakes={"Wait until the window is full.": 1, "Wait until the window is full: 3 wrong ones, though they are 3/5 of it, are not 5 examples.": 3, "The first full window counts, too.": 6},
             hint="No alarm sounds before 5 examples have been seen; then it does, since all 5 are wrong.")
assert_equal(first_alarm([1, 1, 1, 1, 0, 1], 0.0, 5, 0.1), 5, "1, 1, 1, 1, 0, 1, baseline 0, window 5, δ = 0.1 (threshold 0.48)", of="time", hint=lambda: wrong_moment([1, 1, 1, 1, 0, 1], 0.0, 5, 0.1),
             mistakes={"The share of the window decides: each of its examples counts alike, whatever its newest example is.": 6})
a_little_ = ("More than the last `window` examples have been counted." if first_alarm([1, 0, 1, 0, 1, 0], 0.5, 2, 1.0) == 3 else
             "The threshold is a little off: the k in the root is the window itself, not one less, and nothing is rounded.")
rising_ = [0] * 100 + [1] * 100 + [0] * 60
second_ = [0, 0, 0, 0, 1] * 20 + [1, 1, 0, 1, 1] * 20
at_second_ = first_alarm(second_, 0.2, 40, 0.001)
at_ = first_alarm(rising_, 0.1075, 100, 0.03)

def sounds_at(noted, window, limit):
    return next((i for i in range(window, len(noted) + 1) if sum(noted[i - window : i]) > limit * window + 1e-9), None)

limits = {"The threshold is the baseline plus t.": lambda base, k, d: math.sqrt(math.log(1 / d) / 2 / k), "The logarithm is the natural one, not to base 10.": lambda base, k, d: base + math.sqrt(math.log10(1 / d) / 2 / k),
          "The logarithm is the natural one, not to base 2.": lambda base, k, d: base + math.sqrt(math.log2(1 / d) / 2 / k), "t is a root.": lambda base, k, d: base + math.log(1 / d) / 2 / k,
          "This is the two-sided threshold.": lambda base, k, d: base + math.sqrt(math.log(2 / d) / 2 / k), "The 2 in the root is missing.": lambda base, k, d: base + math.sqrt(math.log(1 / d) / k),
          "The threshold is higher than the baseline, by t.": lambda base, k, d: base, "The baseline is added to t, not taken away.": lambda base, k, d: math.sqrt(math.log(1 / d) / 2 / k) - base,
          "What is compared is the share, the errors divided by `window`.":
          lambda base, k, d: (base + math.sqrt(math.log(1 / d) / 2 / k)) / k}

def sounds_with_all(noted, base, window, delta):
    """Where it sounds if the number of examples so far stands in the root."""
    return next((i for i in range(window, len(noted) + 1)
                 if sum(noted[i - window : i]) / window > base + math.sqrt(math.log(1 / delta) / 2 / i)), None)

named_ = {words: sounds_at(rising_, 100, limit(0.1075, 100, 0.03)) for words, limit in limits.items() if sounds_at(second_, 40, limit(0.2, 40, 0.001)) == at_second_}
if sounds_with_all(second_, 0.2, 40, 0.001) == at_second_:
    named_["The k in the root is `window`, not the number of examples so far."] = sounds_with_all(rising_, 0.1075, 100, 0.03)
between_ = f"Yours sounds at a share of {at_ - 100}/100, and not yet at {at_ - 101}/100; it should at 24/100." if isinstance(at_, int) and 100 < at_ <= 200 else ""
assert_equal(at_, 124, "100 zeros, 100 ones, 60 zeros, baseline 0.1075, window 100, δ = 0.03 (threshold 0.2399)", of="threshold",
             hint="The logarithm of 1/0.03 is 3.507, the root of 3.507/200 is 0.1324, and 0.1075 is added. " + between_,
             mistakes=named_ | {
                       "In the root stands log(1/δ) over twice the window: not the number of all examples, and no variance.": 119, a_little_: 125, "Hoeffding's t does not come from the normal curve.": 117, "t is for one look: δ is not divided.": 132})
assert_equal(first_alarm([0, 0, 0, 0, 1] * 20 + [1, 1, 0, 1, 1] * 20, 0.2, 40, 0.001), 119, "errors at a rate of 0.2, then 0.8, baseline 0.2, window 40, δ = 0.001 (threshold 0.494)", of="threshold",
             hint="The logarithm of 1/0.001 is 6.908, the root of 6.908/80 is 0.294, and 0.2 is added: 19 of the last 40 are not enough, 20 are.")
assert_equal(first_alarm([0, 0, 0, 0, 1] * 20, 0.2, 20, 0.05), None, "errors at the rate of the baseline, 100 examples, window 20, δ = 0.05", of="silence",
             hint="Every window of 20 has a share of 0.2 here, and the threshold is 0.474: the alarm never sounds.",
             mistakes={"Where it never sounds, return None.": -1, "Where it never sounds, return None, not the number of examples.": 100, "Where it never sounds, return None, not 0.": 0})
assert_equal(first_alarm([1, 0, 1, 0, 1, 0], 0.5, 2, 1.0), None, "1, 0, 1, 0, 1, 0, baseline 0.5, window 2, δ = 1 (threshold 0.5)", of="silence", hint=lambda: wrong_moment([1, 0, 1, 0, 1, 0], 0.5, 2, 1.0), mistakes={"A share that equals the threshold is not above it.": 2, "More than the last `window` examples have been counted.": 3})
assert_equal(first_alarm([0] * 30, 0.5, 20, 0.1), None, "thirty right ones, baseline 0.5, window 20, δ = 0.1", of="silence", hint=lambda: wrong_moment([0] * 30, 0.5, 20, 0.1), mistakes={"Fewer errors than the baseline are no reason for an alarm.": 20})
assert_equal(first_alarm([0] * 40 + [1] * 5, 0.3, 5, 0.5), 43, "forty zeros, then five ones, baseline 0.3, window 5, δ = 0.5 (threshold 0.563)", of="time",
             hint=lambda: wrong_moment([0] * 40 + [1] * 5, 0.3, 5, 0.5))
assert_equal(first_alarm([1, 1, 1], 0.1, 4, 0.1), None, "three wrong ones, window 4", of="silence", hint="Wait until the window is full.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(476)
for n_, change_, base_, window_, delta_ in ((400, 200, 0.1, 50, 0.01), (300, 120, 0.05, 30, 0.1), (900, 500, 0.2, 100, 0.0001), (200, 190, 0.1, 40, 0.001), (60, 0, 0.0, 60, 0.2)):
    noted_ = (torch.rand(n_, generator=rng) < torch.where(torch.arange(n_) < change_, base_, base_ + 0.45)).long()
    shares_ = noted_.double().unfold(0, window_, 1).mean(dim=1) - base_
    over_ = torch.nonzero(shares_ > (-math.log(delta_) / 2 / window_) ** 0.5)
    wanted_ = int(over_[0, 0]) + window_ if len(over_) else None
    assert_equal(first_alarm(noted_.tolist(), base_, window_, delta_), wanted_, f"{n_} examples, a window of {window_}, δ = {delta_}", of="silence" if wanted_ is None else "threshold" if n_ == 900 else "time", hint=lambda: wrong_moment(noted_.tolist(), base_, window_, delta_, False))
assert_equal(first_alarm([1] * 9, 0.1, 10, 0.1), None, "nine wrong ones, window 10", of="silence")
assert_equal(first_alarm([0] * 50 + [1] * 50, 0.108, 50, 0.1), 63, "50 zeros, then 50 ones, baseline 0.108, window 50, δ = 0.1", of="threshold")
assert_equal(first_alarm([0] * 50 + [1] * 2, 0.7, 25, 0.2), None, "fifty right ones, then two wrong ones, baseline 0.7, window 25", of="silence")
### END HIDDEN TESTS

# %% [markdown] teaches="feedback loop"
# ## 7. When the model moves the world
#
# So far the world changed by itself. Often the model changes it. A bank lends to whom its model trusts; it never learns what the others would have done. A map sends all cars along the empty road. A search engine shows the pages that were clicked most, and pages are clicked because they are shown.
#
# Watch the last one. Five pages are *equally good*. The engine ranks them by their clicks so far. A user looks at the first place with probability 0.5, at the second with 0.25, then 0.12, 0.08, 0.05, and clicks what they look at. Three histories of 3,000 users:

# %% teaches="feedback loop"
attention = torch.tensor([0.5, 0.25, 0.12, 0.08, 0.05])
for history in range(3):
    generator = torch.Generator().manual_seed(history)
    clicks = torch.ones(5)                                            # one click each to begin with
    for user in range(3000):
        ranking = (clicks + 0.1 * torch.rand(5, generator=generator)).argsort(descending=True)     # ties are broken by chance
        place = torch.multinomial(attention, 1, generator=generator)
        clicks[ranking[place]] += 1
    print(f"history {history}: shares of the clicks", ", ".join(f"{share:.2f}" for share in clicks / clicks.sum()))

# %% [markdown]
# Each time one page wins half of all clicks, the second page in two histories and the fourth in one, for no reason but early luck. Then its lead feeds itself. And a model trained on these clicks "learns" with great certainty that this page is the best. The data are a picture of the model's own choices: a **feedback loop**. More data of this kind do not help. What helps
# is to let chance choose now and then: show some users a random order, and learn from their clicks only.
#
# The history of the data matters, then, and the ways to learn differ in it. In *batch learning* a model is fitted once to a fixed sample, as in most of this book. In *online learning* examples come one by one, and each answer is followed by the truth. In a *bandit* problem, such as this ranking,
# one sees only what the chosen action brought, never what another would have brought. In *reinforcement learning* the actions also change the states that come next. The more the model chooses, the less its data can be taken for a sample of the world.
#
# And people live with the choices. An accuracy says nothing about who bears the errors, which may lie in one group of patients or borrowers; and what is refused leaves no label that could prove the refusal wrong. Measure the errors for each group, and let somebody question a decision.
#
# (Without chance, ties are broken by `argsort(descending=True, stable=True)`: from large to small, and equal ones stay in their order.)

# %% [markdown] task="4.7.1" kind="explain" minutes=15 difficulty=3 needs="feedback loop, covariate shift, concept shift"
# ### A search engine changes
#
# First a small model, without chance. Write `click_race(quality, attention, start, rounds)`. There are k pages. In each round they are ranked by their clicks so far, the most clicked first; where two have equally many, the one with the smaller number goes first. Then the page at place r gets `quality` of the page times `attention[r]` more clicks (a fraction is
# fine). `quality`, `attention` and `start`, the clicks before the first round, are float tensors of shape `(k,)` without negative entries. It returns the clicks after all rounds, shape `(k,)`.
#
# Then write about this: a search engine changes the way in which it ranks pages. (1) What might its users do, and what does that do to the data? (2) What might advertisers and the owners of pages do? (3) Which kinds of shift are these, and what follows for testing a new ranking on old data? (4) Two things that the engine's makers could
# do about it.
#
# **You are done when**
# - **clicks**: each page gets the clicks for its quality and its place, in the order of the pages;
# - **rounds**: the ranking is made anew in each round, from the clicks so far;
# - **ties**: where clicks are equal, the smaller number goes first;
# - **arguments kept**: `start` is as it was;
#
# and your text has all four points.

# %% exercise="4.7.1"
def click_race(quality, attention, start, rounds):
    """Clicks (k,) after so many rounds of ranking by clicks."""
    ### BEGIN SOLUTION
    clicks = start.clone()
    for _ in range(rounds):
        ranking = clicks.argsort(descending=True, stable=True)        # ranking[r] is the page at place r
        clicks[ranking] += quality[ranking] * attention
    return clicks
    ### END SOLUTION

# %% [markdown] hints="4.7.1"
# 1. Which page stands at place r, and which place has page j? These are two different lists.
# 2. `clicks.argsort(descending=True, stable=True)` is the ranking; `stable=True` keeps equal ones in their order. `clicks[ranking] += ...` adds the r-th number to the page at place r.
# 3. Pages with 5, 9, 7 clicks rank as 1, 2, 0. With quality 1 and attention 3, 2, 1 they have 6, 12, 9 after one round.

# %% check="4.7.1" points=2
ones_ = torch.ones(3)
look_ = torch.tensor([4.0, 2.0, 1.0])
found_ = click_race(torch.tensor([1.0, 0.5, 2.0]), look_, torch.tensor([5.0, 7.0, 9.0]), 1)
assert_type(found_, torch.Tensor, "what click_race returns", of="clicks")
assert_shape(found_, (3,), "the shape for 3 pages", of="clicks", hint="The clicks of each page after the last round, in one axis.")
assert_close(found_, torch.tensor([6.0, 8.0, 17.0]), "quality 1, 0.5, 2, attention 4, 2, 1, start 5, 7, 9, one round", of="clicks",
             mistakes={"The most clicked page goes first, and gets the most attention.": torch.tensor([9.0, 8.0, 11.0]),
                       "Quality belongs to the page.": torch.tensor([7.0, 8.0, 13.0]), "Quality and attention are multiplied, not added.": torch.tensor([7.0, 9.5, 15.0]), "Quality is left out.": torch.tensor([6.0, 9.0, 13.0]), "Return the clicks in the order of the pages, not in that of the ranking.": torch.tensor([17.0, 8.0, 6.0]),
                       "These are the clicks of the rounds alone: those before count, too.": torch.tensor([1.0, 1.0, 8.0]), "That is one round too many.": torch.tensor([7.0, 9.0, 25.0]), "These are the clicks of before: one round is missing.": torch.tensor([5.0, 7.0, 9.0]),
                       "Every place gets its clicks, not the first one alone.": torch.tensor([5.0, 7.0, 17.0]), "Pages are ranked by their clicks; quality only says how many more they get.": torch.tensor([7.0, 7.5, 17.0]),
                       "Attention is taken as it is: it need not add up to 1.": torch.tensor([36 / 7, 50 / 7, 71 / 7]), "Quality is taken as it is, above 1, too.": torch.tensor([6.0, 8.0, 13.0])},
             hint="Page 2 stands first and gets 2 · 4, page 1 gets 0.5 · 2, page 0 gets 1 · 1: just these numbers, nothing is drawn by chance.")
found_ = click_race(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([4.0, 2.0, 1.0]), torch.tensor([7.0, 9.0, 8.0]), 1)
assert_close(found_, torch.tensor([8.0, 17.0, 14.0]), "quality 1, 2, 3, attention 4, 2, 1, start 7, 9, 8, one round", of="clicks",
             mistakes={"Which page stands at place r? That is not the same as the place of page r.": torch.tensor([9.0, 11.0, 20.0])})
assert_close(click_race(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.0, 4.0, 2.0]), torch.tensor([7.0, 9.0, 8.0]), 1), torch.tensor([9.0, 11.0, 20.0]), "quality 1, 2, 3, attention 1, 4, 2, start 7, 9, 8, one round", of="clicks",
             mistakes={"`attention[r]` belongs to place r as it is given: here the second place gets the most.": torch.tensor([8.0, 17.0, 14.0])})
assert_close(click_race(torch.tensor([0.1, 3.0, 1.0]), look_, torch.tensor([2.0, 1.0, 0.0]), 4), torch.tensor([2.9, 43.0, 5.0]), "quality 0.1, 3, 1, attention 4, 2, 1, start 2, 1, 0, four rounds", of="rounds",
             mistakes={"The ranking changes from round to round.": torch.tensor([3.6, 25.0, 4.0]), "This is the state after one round.": torch.tensor([2.4, 7.0, 1.0]), "A fraction of a click is fine: do not round.": torch.tensor([2.0, 43.0, 5.0]), "All clicks so far make the ranking, not those of the last round alone.": torch.tensor([2.7, 43.0, 7.0]), "Rank by the clicks as they are, not rounded.": torch.tensor([3.0, 43.0, 4.0])},
             hint="After one round there are 2.4, 7, 1 clicks, after two 2.6, 19, 2, after three 2.8, 31, 3.")
assert_close(click_race(torch.full((20,), 1.0), torch.arange(20, 0, -1.0), torch.zeros(20), 1), torch.arange(20, 0, -1.0), "20 equal pages without a click, attention 20, 19, ..., 1, one round", of="ties", hint="`stable=True` keeps equal ones in their order.",
             mistakes={"Of equal pages the one with the larger number goes first here, as where a ranking from small to large is turned round: equal ones are turned round, too.": torch.arange(1.0, 21.0)})
assert_close(click_race(torch.tensor([1.0, 1.0, 2.0]), look_, torch.tensor([0.0, 3.0, 3.0]), 1), torch.tensor([1.0, 7.0, 7.0]), "pages with 0, 3, 3 clicks and quality 1, 1, 2, attention 4, 2, 1, one round", of="ties",
             mistakes={"Of two with equally many clicks the smaller number goes first, whatever their quality.": torch.tensor([1.0, 5.0, 11.0])})
assert_close(click_race(ones_, look_, torch.tensor([2.0, 2.0001, 2.0002]), 1), torch.tensor([3.0, 4.0001, 6.0002]), "pages with 2, 2.0001, 2.0002 clicks and quality 1, attention 4, 2, 1, one round", of="ties",
             mistakes={"These clicks are not equal, so their numbers do not matter: rank by the clicks as they are, with nothing added and not rounded.": torch.tensor([6.0, 4.0001, 3.0002])})

@probe
def start_after(quality, attention, start, rounds):
    click_race(quality, attention, start, rounds)
    return start

assert_close(start_after(ones_, look_, torch.tensor([5.0, 7.0, 9.0]), 2), torch.tensor([5.0, 7.0, 9.0]), "start after the call", of="arguments kept", hint="The argument itself was changed: begin with a copy.")
assert_close(click_race(ones_, look_, torch.tensor([5.0, 7.0, 9.0]), 0), torch.tensor([5.0, 7.0, 9.0]), "start 5, 7, 9, no round at all", of="rounds", hint="Without a round there are no new clicks.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(477)
for k_, rounds_, of_ in ((5, 1, "clicks"), (4, 25, "rounds"), (30, 3, "ties"), (2, 7, "rounds"), (6, 0, "clicks")):
    quality_ = torch.randint(1, 8, (k_,), generator=rng) / 4 if of_ != "ties" else torch.ones(k_)
    look_ = torch.randint(1, 9, (k_,), generator=rng) / 2
    look_ = look_.sort(descending=of_ != "rounds").values
    start_ = torch.randint(0, 6, (k_,), generator=rng).float()
    clicks_ = start_.tolist()
    for _ in range(rounds_):
        for place_, page_ in enumerate(sorted(range(k_), key=lambda j: (-clicks_[j], j))):
            clicks_[page_] += quality_[page_].item() * look_[place_].item()
    found_ = click_race(quality_, look_, start_.clone(), rounds_)
    assert_shape(found_, (k_,), f"the shape for {k_} pages", of="clicks")
    assert_close(found_, torch.tensor(clicks_), f"{k_} pages, {rounds_} round(s)", rtol=1e-4, of=of_)
    assert_close(start_after(quality_, look_, start_.clone(), rounds_), start_, f"start after the call, {k_} pages", of="arguments kept")
### END HIDDEN TESTS

# %% [markdown] written="4.7.1" points=4
# ### BEGIN SOLUTION
# *Users* adapt. They click what stands at the top, because it stands there; they learn which words work and phrase their queries differently; if the new results please them less, they ask twice, or leave for another engine, and those who stay are another group than before. All this changes the inputs, and the clicks,
# which serve as labels, say as much about the old ranking as about the pages.
#
# *Advertisers and owners of pages* adapt on purpose. Whatever the ranking rewards, links, words, length, fresh dates, they will produce, whether or not the page is better for it. Bids move to the places that now get the attention. A feature that told good pages from bad ones loses its meaning as soon as it is used: what was a sign becomes a
# target.
#
# So there is covariate shift (other queries, other users, other pages), and concept shift (the same feature no longer means the same quality). Both are caused by the model, so they come with every change again. Old logs cannot test a new ranking: they hold no clicks on what the old one did not show, which is where P(x) = 0 and no weight helps, and they do not show
# how anybody will react. In `click_race` a good page that starts last may stay there for ever, and the clicks seem to prove that it belongs there.
#
# *What to do*: test the new ranking on a small random part of the users, long enough for their habits to change; show random orders now and then, and weight clicks by how likely the place was to be looked at; watch measures that are hard to game, and have people judge a sample of results; retrain, and expect the answer of the other side.
#
# **Rubric**
# - [1] A reaction of users (clicks follow places, other queries, leaving) *and* what it does to the data (who asks, what the clicks mean); lost by a reaction without any effect on data.
# - [1] A strategic reaction of advertisers or owners of pages (optimising for the ranking, moving bids, spam), so that a feature loses its meaning; also accepted: advertisers pay by clicks and follow the attention.
# - [1] Names covariate or concept shift rightly for at least one of these, and says that old data were collected under the old ranking (no data on what was not shown, or reactions are missing), so that they do not test the new one; lost by "test it on the old logs" alone.
# - [1] Two measures that fit, for example random tests on part of the users, random orders, correction for the place, human judgements, monitoring, retraining; lost by "collect more clicks" alone.
# ### END SOLUTION

# %% [markdown] teaches="variance of the mean of correlated losses"
# ## 8. Not everything is a shift
#
# The mean loss on a sample (the *empirical risk*) approximates the expected loss (the *risk*) badly for other reasons, too, even if source and target are one. One of them hides well: examples that are not independent. Take n losses, each with variance σ², of which any two have the covariance ρσ² with the same ρ ≥ 0
# (rho, their *correlation*). By section 2.6 the variance of their sum is the sum of all entries of the covariance matrix: n times σ² on the diagonal, and n(n - 1) times ρσ² off it. For the mean, divide by n²:
#
# $$\operatorname{Var}\Big(\tfrac1n\sum_i \ell_i\Big) = \frac{\sigma^2}{n} + \frac{n - 1}{n}\,\rho\,\sigma^2.$$
#
# The first part falls with n. The second does not.

# %% teaches="variance of the mean of correlated losses"
generator = torch.Generator().manual_seed(8)
for n in (10, 100, 1000):
    shared, own = torch.randn(2000, 1, generator=generator), torch.randn(2000, n, generator=generator)
    losses = math.sqrt(0.1) * shared + math.sqrt(0.9) * own           # variance 1, correlation 0.1
    print(f"n = {n:4}: variance of the mean, measured {losses.mean(dim=1).var():.4f}, formula {1 / n + (n - 1) / n * 0.1:.4f}, if independent {1 / n:.4f}")

# %% [markdown]
# With a correlation of only 0.1, a thousand examples know no more than ten independent ones. Frames of one film, cells of one patient, sentences of one author are of this kind.

# %% [markdown] task="4.7.4" kind="explain" minutes=12 difficulty=3 needs="variance of the mean of correlated losses, generalisation error, overfitting"
# ### What else
#
# First: to how many *independent* examples are n correlated ones equal? Write `independent_worth(n, rho)`: the number for which the variance of the mean of so many independent losses is that of n losses with the correlation `rho` above. It need not be whole.
#
# Then write: besides a shift, what else can make the empirical risk a bad approximation of the risk? Give at least four different things, each with the reason, with the direction of the error where there is one (is the empirical risk too small, too large, or only uncertain?), and with a remedy.
#
# **You are done when**
# - **worth**: the number is right for any n from 1 on and any `rho` from 0 to 1;
# - **limits**: independent examples are worth n, and copies of one example are worth 1;
#
# and your text has its four things.

# %% exercise="4.7.4"
def independent_worth(n, rho):
    """How many independent losses have a mean as certain as that of n losses with correlation rho."""
    ### BEGIN SOLUTION
    return n / (1 + (n - 1) * rho)
    ### END SOLUTION

# %% [markdown] hints="4.7.4"
# 1. For m independent losses the variance of the mean is σ²/m. Set it equal to the formula above.
# 2. Solve for m, and multiply above and below by n.
# 3. With n = 1,000 and ρ = 0.1: 1000 / 100.9 = 9.9.

# %% check="4.7.4" points=1
def as_variances(n, rho, variance):
    worth = float(independent_worth(n, rho))
    return f"The mean of {worth:.4g} independent losses has the variance σ²/{worth:.4g} = {1 / worth:.4f} σ², that of these {n} has {variance} σ²: they should be equal. "

def worth_of_50():
    """The hint where 50 independent examples are worth another number than 50."""
    independent, copies = float(independent_worth(50, 0.0)), float(independent_worth(50, 1.0))
    if independent == 1 < copies:
        return ("Yours is 1 for ρ = 0 and grows with ρ, as 1 + (n - 1) ρ does, by which the variance is larger than that of n "
                "independent losses: n is to be divided by it.")
    if copies < independent == 1:
        return "This is a share of n: multiply by n."
    return "With ρ = 0 the variance of the mean is σ²/50, that of 50 independent losses."

assert_close(independent_worth(50, 0.0), 50.0, "n = 50, rho = 0", of="limits", rtol=1e-4,
             hint=lambda: worth_of_50(),
             mistakes={"This is the variance of the mean: take its inverse.": 0.02, "The first part of the variance is σ²/n: all n examples count in it, not n - 1.": 49.0, "Compare variances, not standard deviations.": 50 ** 0.5, "Mind the brackets: n is divided by all of 1 + (n - 1) ρ.": 0.0})
assert_close(independent_worth(50, 1.0), 1.0, "n = 50, rho = 1", of="limits", rtol=1e-4,
             mistakes={"There are n - 1 others, not n.": 50 / 51, "This is the part of ρ alone: the part σ²/n is added to it.": 50 / 49, "The variance of the mean is that of the sum over n²: ρ's part is n (n - 1) ρ over n², too.": 50 / 2451, "Compare variances, not standard deviations.": 50 ** 0.5, "Mind the brackets: n is divided by all of 1 + (n - 1) ρ, not by the 1 alone.": 99.0, "The whole of 1 + (n - 1) ρ stands over one n: ρ's part is not divided by n again.": 50 / (1 + 49 / 50), "Each example has n - 1 partners, not one.": 25.0, "Each pair stands twice in the covariance matrix, as (i, j) and as (j, i).": 50 / 25.5, "Copies of one example are worth one, not nothing.": 0.0}, hint="With ρ = 1 the variance of the mean is σ², that of a single loss.")
assert_close(independent_worth(11, 0.2), 11 / 3, "n = 11, rho = 0.2", of="worth", rtol=1e-4,
             mistakes={"1/rho is the limit for a large n; this n is not large.": 5.0, "Do not round: the number need not be whole.": 4.0, "Do not cut to a whole number: it need not be whole.": 3.0, "There are n - 1 others, not n.": 11 / 3.2, "This is the variance of the mean: take its inverse.": 3 / 11,
                       "The worth falls as one over a sum, not along a straight line: solve the formula.": 9.0, "The covariance is ρσ², not ρ²σ².": 11 / 1.4, "The covariance is ρσ²: no root of ρ.": 11 / (1 + 10 * 0.2 ** 0.5), "Each example has n - 1 partners, not one.": 11 / 1.2,
                       "Each pair stands twice in the covariance matrix, as (i, j) and as (j, i).": 5.5, "All pairs are correlated alike here, not neighbours more than others.": 11 * 0.8 / 1.2, "The formula is not a power of n: solve it for m.": 11 ** 0.8, "Compare variances, not standard deviations.": (11 / 3) ** 0.5,
                       "Do not round: the number has as many decimals as it has.": 3.67}, hint=lambda: as_variances(11, 0.2, 0.2727) + "For m independent losses it is σ²/m: set 1/m equal to 1/11 + (10/11) · 0.2, and solve for m.")
assert_close(independent_worth(1, 0.7), 1.0, "n = 1, rho = 0.7", of="worth", rtol=1e-4, hint="A single example is worth one.")
assert_close(independent_worth(2000, 0.05), 2000 / 100.95, "n = 2,000, rho = 0.05", of="worth", rtol=1e-4, hint=lambda: as_variances(2000, 0.05, 0.0505) + "The formula is the same for a large n.", mistakes={"1/rho is the limit for ever larger n; even this one does not reach it.": 20.0})
### BEGIN HIDDEN TESTS
def worth_of(n, rho):
    return 1 / (1 / n + (n - 1) / n * rho)

for n_, rho_ in ((8, 0.5), (300, 0.03), (1700, 0.02), (2, 0.9), (1, 0.2)):
    matrix_ = torch.full((n_, n_), rho_, dtype=torch.float64) + (1 - rho_) * torch.eye(n_, dtype=torch.float64)
    assert_close(independent_worth(n_, rho_), n_ ** 2 / matrix_.sum().item(), f"n = {n_}, rho = {rho_}", of="worth", rtol=1e-4, hint=lambda: where_they_part(independent_worth, worth_of, n=n_, rho=rho_))
assert_close(independent_worth(7, 0.0), 7.0, "n = 7, rho = 0", of="limits", rtol=1e-4)
assert_close(independent_worth(7, 1.0), 1.0, "n = 7, rho = 1", of="limits", rtol=1e-4)
### END HIDDEN TESTS

# %% [markdown] written="4.7.4" points=4
# ### BEGIN SOLUTION
# 1. *Too few examples.* The mean of n independent losses strays by σ/√n. It is uncertain, not too small or too large. Remedy: more examples, an error bar (section 4.6).
# 2. *Choosing on the same data.* The weights, or the model, were chosen because they make this very mean small; a flexible class follows the noise (overfitting), and repeated use of a test set does the same slowly. The empirical risk is too small. Remedy: examples that took no part in any choice, a less flexible class, weight decay.
# 3. *Dependent examples.* Frames of one film or rows of one patient share their accidents, so that n examples are worth fewer: n / (1 + (n - 1)ρ). More uncertain than σ/√n says; and if relatives stand on both sides of a split, the validation error is too small. Remedy: split by group, count groups.
# 4. *Rare, large losses.* If one example in ten thousand costs a thousand times as much, most samples do not hold it, and the mean is usually too small; σ is large, and for very heavy tails the law of large numbers sets in late. Remedy: a bounded or robust loss, special care for rare cases.
# 5. *Wrong labels and measurements.* Noise in labels adds a floor that no model gets under, and systematic errors measure another risk than the one we want. Remedy: label a sample twice, check the instruments.
# 6. *Another quantity.* Cross-entropy is minimised though accuracy, or cost, is wanted; leakage gives the model at test time what it will not have in use (too small). Remedy: measure what you want, with the inputs that there will be.
#
# **Rubric**
# - [1] The size of the sample (or the variance of the loss, heavy tails): the mean is uncertain by about σ/√n; lost by "few data" without a reason.
# - [1] Choice on the same data: overfitting, a too flexible class, selection or repeated use of a test set, with the direction: the empirical risk is too small.
# - [1] A third and a fourth thing of another kind with a reason, such as dependence, leakage, noisy labels, heavy tails or outliers, another loss than the one wanted; lost by naming covariate, label or concept shift as one of the four.
# - [1] A fitting remedy for at least three of them.
# ### END SOLUTION

# %% [markdown]
# ## Summary
#
# - A shift has a name by what stays: $P(y \mid x)$ (covariate shift) or $P(x \mid y)$ (label shift). If neither does, because x and y belong together in another way, it is a concept shift. The name depends on the features that are measured.
# - A classifier that tells old inputs from new ones on held-out examples, better than a guess, has detected a shift. Its odds, times n/m, are the importance weights that correct training. Few large weights mean few effective examples, and what the source does not cover no weight brings back.
# - Under label shift the confusion matrix and the counted predictions give the new shares of the classes, and these mend the probabilities.
# - Against concept shift only new labels help: watch the error of a sliding window.
# - A model in use changes its own future data. Chapter 5 builds stronger models, and they overfit and drift as these do.
