# %% [markdown]
# # 4.3 The classifier base class
#
# Section 4.1 built one classifier. Many follow in this book, with other networks inside. Some things are the same in all of them: scores become a class, a batch gets a loss and an *accuracy*, and after every epoch the model is measured on the validation data.
# It pays to write that once, with care: a slip in an accuracy raises no error, it only makes every experiment after it a little false.
#
# At the end you can
# - turn scores into an accuracy that is right for labels of any shape, and find the bug in five that are not;
# - say why a network is trained on the cross-entropy and judged by the accuracy, and what the one promises about the other;
# - write the base class that all classifiers of this book share;
# - average over batches of unequal length;
# - choose what to *do* when mistakes do not all cost the same.

# %% tags=["setup"]
from d2l_utils.check import *
import itertools
import math
import torch
from torch import nn
from torch.nn import functional as F
import d2l_utils as d2l

# %% [markdown] teaches="predicted class, accuracy"
# ## 1. How often is it right?
#
# A classifier with q classes gives each example a row of q scores. A batch of n examples gives a table `Y_hat` of shape (n, q). The scores may be logits, any numbers, or probabilities. The *predicted class* is the place of the largest score in the row.
# The *accuracy* is the share of rows whose predicted class is the label. Five examples, three classes:

# %% tags=["setup"]
scores = torch.tensor([[2.0, -1.0, 0.5], [0.1, 0.2, -0.3], [-4.0, -3.0, -3.5], [1.0, 0.0, 3.0], [0.4, 0.3, -2.0]])     # (5, 3)
labels = torch.tensor([0, 2, 1, 2, 0])                                                                              # (5,)

# %% teaches="predicted class, accuracy"
predicted = scores.argmax(dim=1)        # (5, 3) -> (5,): along axis 1, the classes
hits = predicted == labels              # (5,), True where the two agree
print("predicted:", predicted)
print("hits:     ", hits)
print(f"accuracy:  {hits.float().mean():.3f}")

# %% [markdown]
# Four of five rows are right: 0.8. `hits` holds True and False, which have no mean, so `float()` makes ones and zeros of them first.
#
# Look at the third row. All its scores are negative, and -3.0 is the largest: class 1. Scores are compared with each other only, within their row. So adding the same number to a whole row changes no prediction, nor does the softmax, which keeps the order (as long as rounding makes no two scores equal, a trap of its own further down):

# %%
print("scores + 100:", (scores + 100).argmax(dim=1))
print("softmax:     ", torch.softmax(scores, dim=1).argmax(dim=1))

# %% [markdown] task="4.3.A" kind="code" minutes=3 difficulty=1 core=true needs="predicted class, accuracy"
# ### The share of mistakes
#
# Papers often print the *error rate*, the share of rows that are wrong. Write `error_rate(Y_hat, Y)` for scores of shape (n, q), `float32` or `float64`, and labels of shape (n,). It returns a number, or a tensor with one entry.
#
# **You are done when**
# - **share**: it is the number of wrong rows divided by n: 0 if all rows are right, 1 if none is;
# - **largest score**: the predicted class has the largest score of its row, also where scores are negative or close together;
# - **arguments kept**: `Y_hat` and `Y` are as they were.

# %% exercise="4.3.A"
def error_rate(Y_hat, Y):
    """The share of rows whose largest score is not at the label: (n, q), (n,) -> a number."""
    ### BEGIN SOLUTION
    return (Y_hat.argmax(dim=1) != Y).float().mean()
    ### END SOLUTION

# %% [markdown] hints="4.3.A"
# 1. Which comparison is True for a wrong row?
# 2. Accuracy and error rate add up to 1.
# 3. The share of days without rain, for `rain` a vector of millimetres: `(rain == 0).float().mean()`.

# %% check="4.3.A" points=1
@probe
def after_error_rate(Y_hat, Y):
    error_rate(Y_hat, Y)
    return Y_hat, Y

def rows_alone_(S, L, shown=True):
    """What the answer says of each row alone; `shown`: with the row and its value."""
    right = [float(row.index(max(row)) != int(c)) for row, c in zip(S.tolist(), L)]
    found = [float(error_rate(S[i:i + 1].clone(), L[i:i + 1].clone())) for i in range(len(L))]
    off = [i for i in range(len(L)) if abs(found[i] - right[i]) > 1e-4]
    if not off:
        return "For each row alone yours is right, 0 or 1: it is their mean, the sum divided by n, that is not."
    if not shown:
        place = sum(score > S[off[0], int(L[off[0]])] for score in S[off[0]]) + 1
        return ("Already for a single row yours is wrong, one whose label has " + ("the largest score." if place == 1 else f"the score of rank {place}, not the largest one.")
                + ("" if min(found[off[0]], abs(found[off[0]] - 1)) < 1e-4 else " A row alone has the error rate 0 or 1."))
    return f"Row {off[0]} alone, ({', '.join(f'{s:g}' for s in S[off[0]].tolist())}) with the label {int(L[off[0]])}, is {'wrong' if right[off[0]] else 'right'} and has the error rate {right[off[0]]:g}; yours is {found[off[0]]:.4g}."

rows_ = torch.tensor([0.3, 0.0, 0.1, 0.2]).repeat(11, 1)
rows_[torch.arange(11), torch.arange(11) % 4] = 9.0           # predicted: 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2
rows_[0, 0] = 12.0
theirs_ = torch.tensor([3, 1, 2, 3, 0, 0, 2, 3, 3, 0, 1])
assert_close(error_rate(rows_.clone(), theirs_.clone()), 5 / 11, "the error rate of eleven rows that predict 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, for the labels 3, 1, 2, 3, 0, 0, 2, 3, 3, 0, 1", of="share", rtol=1e-5,
             mistakes={"This is the accuracy: wrong rows are asked for.": 6 / 11, "This is the number of wrong rows, not yet their share.": 5.0, "Divide by the number of rows, not by the number of classes.": 1.25, "Divide by the number of rows, not by the number of scores.": 5 / 44, "A share, not a percentage.": 500 / 11, "This is the mean in float16, which has about three digits: make the comparison float32 before its mean is taken.": torch.tensor(5 / 11).half().item(),
                       "Every prediction was compared with every label: a column against a row broadcasts.": (rows_.argmax(1)[:, None] != theirs_).double().mean().item(),
                       "You may have looked at the first five rows only: there are eleven.": 0.2, "These are the smallest scores.": 10 / 11, "One row was counted, the one whose label has the smallest score, 0. A row is wrong as soon as its label does not have the largest score, also where the label's score is the second largest, or above 0.": 1 / 11, "The share is 5/11, not 0.5: divide by n, not by n - 1, and do not round.": 0.5, **{f"This is 5/11 rounded to {k_} digits: do not round.": round(5 / 11, k_) for k_ in (2, 3, 4)}, "Divide by the number of all rows, not by that of the right ones.": 5 / 6, "A row is right or wrong, however far the two class numbers are from each other.": 9 / 11,
                       "1 would say that every row is wrong, and five of eleven are: compare the place of the largest score with the label, row by row, and divide by the number of rows.": 1.0, "You may have rounded the share down, with `//` or `int`.": 0.0,
                       "You may have subtracted the number of hits from 1, not their share.": -5.0, "The hits are divided by the number of rows, not by that of classes, before they are subtracted from 1.": -0.5, "Each row has a largest score of its own: `argmax(dim=1)`.": 8 / 11, "You may have taken the largest scores of the columns: those of the rows are `argmax(dim=1)`.": 0.25,
                       "One wrong row fewer was counted than there are. The first row is wrong, and so is the last one.": 4 / 11, "One wrong row fewer was counted than there are, and one row fewer. The first row is wrong, and so is the last one.": 0.4,
                       "Three of the five wrong rows were counted. A row is wrong whether the predicted number is larger or smaller than the label, and each row is compared with its own label: nothing is sorted first.": 3 / 11, "You may have counted only rows whose predicted number is smaller than the label; a larger one is wrong, too.": 2 / 11,
                       "A row counts once: you may have compared tables of zeros and ones, in which a wrong row has two wrong entries of q.": 10 / 44, "Numbers too large and numbers too small cancel here: compare, do not subtract.": -3 / 11,
                       "A row counts 0 or 1; this is the mean of 1 minus the label's probability.": (1 - torch.softmax(rows_, 1)[torch.arange(11), theirs_]).mean().item()},
             hint=lambda: rows_alone_(rows_, theirs_) + " Five of the eleven rows are wrong: the first, the sixth and the last three.")
assert_close(error_rate(torch.tensor([[2.1, 2.4], [0.6, 0.9]]), torch.tensor([1, 1])), 0.0, "the error rate for the rows (2.1, 2.4), (0.6, 0.9) and the labels 1, 1", of="largest score", rtol=1e-5,
             mistakes={"You may have made whole numbers of the scores, by cutting or rounding: compare them as they are.": 1.0}, hint="Both rows predict class 1.")
assert_close(error_rate(scores.clone(), torch.tensor([1, 1, 0, 0, 2])), 0.8, "the error rate of the five rows above for the labels 1, 1, 0, 0, 2", of="share", rtol=1e-5,
             mistakes={"These are the smallest scores.": 0.4, "Negative scores are scores like others: they keep their sign, and none is cut off.": 0.6, "The largest score decides, also where its probability is under 1/2.": 1.0},
             hint=lambda: rows_alone_(scores, torch.tensor([1, 1, 0, 0, 2])) + " The five rows predict the classes 0, 1, 1, 2, 0: only the second row is right.")
assert_close(error_rate(scores.clone(), torch.tensor([0, 1, 1, 2, 0])), 0.0, "the error rate of the five rows above where all are right", of="share", rtol=1e-5, hint=lambda: rows_alone_(scores, torch.tensor([0, 1, 1, 2, 0])))
assert_close(error_rate(scores[:3].clone(), torch.tensor([0, 2, 1])), 1 / 3, "the error rate of the first three rows above for the labels 0, 2, 1", of="share", rtol=1e-5, hint="One of three is wrong. The share is not rounded.")
assert_close(error_rate(torch.tensor([[-5.0, -0.25, 0.25, 0.0], [-1.0, -7.0, -2.0, -3.0]]), torch.tensor([2, 0])), 0.0, "the error rate for the rows (-5, -0.25, 0.25, 0), (-1, -7, -2, -3) and the labels 2, 0", of="largest score", rtol=1e-5,
             hint="The row (-5, -0.25, 0.25, 0) predicts class 2, the row (-1, -7, -2, -3) class 0.")
assert_close(error_rate(torch.tensor([[1.0, 4.0, 3.0, 0.0], [2.0, 0.0, 5.0, 3.0]]), torch.tensor([2, 3])), 1.0, "the error rate for the rows (1, 4, 3, 0), (2, 0, 5, 3) and the labels 2, 3", of="largest score", rtol=1e-5,
             hint="Both rows are wrong: their labels have the second largest score, above the mean of the row and above 0, but not the largest.")
assert_close(error_rate(torch.tensor([[0.5, 0.5001], [-3.0, -2.9999], [0.0, 1e-9]]), torch.tensor([1, 1, 1])), 0.0, "the error rate for the rows (0.5, 0.5001), (-3, -2.9999), (0, 1e-9) and the labels 1, 1, 1", of="largest score", rtol=1e-5,
             hint="Compare the scores as they are: whatever rounds them, a softmax too, makes neighbours equal.")
assert_close(error_rate(torch.tensor([[0.5, 0.5001], [-3.0, -2.9999], [0.0, 1e-9]]), torch.tensor([0, 0, 0])), 1.0, "the error rate for the rows (0.5, 0.5001), (-3, -2.9999), (0, 1e-9) and the labels 0, 0, 0", of="largest score", rtol=1e-5,
             hint="All three rows are wrong: a score that is nearly the largest is not the largest.")
assert_close(error_rate(torch.tensor([[1., 1 + 1e-12, 0.], [-3., -5., -3 + 1e-12]], dtype=torch.float64), torch.tensor([1, 2])), 0.0, "the error rate for the rows (1, 1 + 1e-12, 0), (-3, -5, -3 + 1e-12) in float64 and the labels 1, 2", of="largest score", rtol=1e-5,
             hint="Compare the scores in the dtype that they have: in float32 these neighbours become equal.")
kept_scores, kept_labels = after_error_rate(torch.tensor([[3., -1.], [0., 5.]]), torch.tensor([0, 0]))
assert_close(kept_scores, torch.tensor([[3., -1.], [0., 5.]]), "Y_hat after the call of error_rate", of="arguments kept", hint="A step of the function writes into Y_hat.")
assert_equal(kept_labels, torch.tensor([0, 0]), "Y after the call of error_rate", of="arguments kept", hint="A step of the function writes into Y.")
assert_close(after_error_rate(torch.tensor([[3., -1.], [0., 5.]], dtype=torch.float64), torch.tensor([0, 0]))[0], torch.tensor([[3., -1.], [0., 5.]], dtype=torch.float64), "Y_hat in float64 after the call of error_rate",
             of="arguments kept", hint="A step of the function writes into Y_hat; of a float64 tensor `.double()` makes no copy.")
### BEGIN HIDDEN TESTS
source = torch.Generator().manual_seed(430)
for n_, q_, scale_ in ((7, 4, 1.0), (50, 3, 0.05), (12, 9, 30.0)):
    table_ = torch.randn(n_, q_, generator=source) * scale_
    classes_ = torch.where(torch.rand(n_, generator=source) < 0.6, table_.argmax(1), torch.randint(0, q_, (n_,), generator=source))
    wrong_ = sum(row.index(max(row)) != int(c) for row, c in zip(table_.tolist(), classes_)) / n_
    assert_close(error_rate(table_.clone(), classes_.clone()), wrong_, f"the error rate of {n_} rows of {q_} classes", of="share", rtol=1e-5, hint=lambda: rows_alone_(table_, classes_, False))
    assert_close(error_rate(table_ - table_.max() - 1, classes_), wrong_, f"the error rate of {n_} rows of {q_} negative scores", of="largest score", rtol=1e-5,
                 hint=lambda: "With the same scores, of which not all are negative, yours is right: only their order counts." if abs(float(error_rate(table_.clone(), classes_.clone())) - wrong_) < 1e-5 else "")
    kept_scores, kept_labels = after_error_rate(table_.clone(), classes_.clone())
    assert_close(kept_scores, table_, f"Y_hat after the call of error_rate, {n_} rows of {q_} classes", of="arguments kept", hint="A step of the function writes into Y_hat.")
    assert_equal(kept_labels, classes_, f"Y after the call of error_rate, {n_} rows of {q_} classes", of="arguments kept", hint="A step of the function writes into Y.")
near_ = torch.tensor([[0.7, 0.70005, -1.0], [2e-9, 0.0, 1e-9]])
assert_close(error_rate(near_, torch.tensor([1, 0])), 0.0, "the error rate of two rows of neighbouring scores", of="largest score", rtol=1e-5, hint="Compare the scores as they are: whatever rounds them, a softmax too, makes neighbours equal.")
assert_close(error_rate(near_, torch.tensor([0, 2])), 1.0, "the error rate of two rows whose labels have nearly the largest score", of="largest score", rtol=1e-5, hint="A score that is nearly the largest is not the largest.")
near_ = torch.tensor([[0.5, 0.5 - 1e-13, -1.0, 0.5 + 1e-13], [-2e-14 - 7, -9.0, -8.0, -7.0]], dtype=torch.float64)
assert_close(error_rate(near_, torch.tensor([3, 3])), 0.0, "the error rate of two rows of neighbouring scores in float64", of="largest score", rtol=1e-5, hint="Compare the scores in the dtype that they have: in float32 these neighbours become equal.")
### END HIDDEN TESTS

# %% [markdown] teaches="labels as a column"
# ### Labels as a column
#
# Labels that come from a table often have the shape (n, 1), a column, in place of (n,). ⚠ Nothing is raised then. The shapes (5,) and (5, 1) broadcast to (5, 5): *every* prediction is compared with *every* label, and the mean is a number that looks like an accuracy.

# %% teaches="labels as a column"
column = labels.reshape(-1, 1)                       # (5, 1)
square = predicted == column                         # (5,) against (5, 1) -> (5, 5)
print("shape of the comparison:", tuple(square.shape), " mean:", round(square.float().mean().item(), 4))
print("after reshape(-1):      ", tuple((predicted == column.reshape(-1)).shape), " mean:", round((predicted == column.reshape(-1)).float().mean().item(), 4))

# %% [markdown] teaches="scores with more axes"
# 0.32 in place of 0.8. `reshape(-1)` makes one axis of whatever is there, and the pairs are right again.
#
# ⚠ `squeeze()` looks like a remedy, too: it removes axes of length 1. But it removes *all* of them, also those that belong there. A model that gives a class to each word of a sentence has scores of shape (sentences, words, q) and labels of shape (sentences, words). If every sentence
# of a batch has one word, `squeeze()` makes (n,) of the labels (n, 1), while the predictions are (n, 1): the square is back. Flatten both sides in the same way instead: the scores to a table with q columns, the labels to one axis.

# %% teaches="scores with more axes"
word_scores = torch.arange(24.).reshape(4, 2, 3).cos()                # 4 sentences, 2 words, 3 classes
word_labels = torch.tensor([[0, 0], [1, 1], [2, 2], [0, 1]])          # (4, 2)
flat_scores = word_scores.reshape(-1, word_scores.shape[-1])          # (8, 3): a row for each word
flat_labels = word_labels.reshape(-1)                                 # (8,), in the same order
print("hits of the 8 words:", (flat_scores.argmax(dim=1) == flat_labels).float())
one_word = word_scores[:, :1]                                         # (4, 1, 3): sentences of one word
print("with squeeze:", tuple((one_word.argmax(dim=-1) == word_labels[:, :1].squeeze()).shape), " flattened:", tuple((one_word.reshape(-1, 3).argmax(dim=1) == word_labels[:, :1].reshape(-1)).shape))

# %% [markdown] teaches="precision of a mean"
# ⚠ More traps hide in the dtype. Large models compute their scores in `float16`, which has about three digits. Whoever converts the hits to the dtype of the scores, `hits.to(Y_hat.dtype)`, gets an accuracy with no more than these. Scores that are neighbours become equal as soon as a step rounds them:
# a conversion to a dtype with fewer digits does, and in `float16` so does a softmax. And labels may be kept in few bits: `uint8` holds 0 to 255. A prediction converted to the dtype of the labels, as in D2L's accuracy, begins again at 0 there: class 256 becomes class 0.

# %% teaches="precision of a mean"
many_hits = torch.arange(3000) % 3 > 0                                # 2000 of 3000 are True
print("mean in float16:", many_hits.to(torch.float16).mean().item(), " in float32:", many_hits.float().mean().item())
neighbours = torch.tensor([[0.1, 0.1001]], dtype=torch.float16)
after_softmax = torch.softmax(neighbours, dim=1)
print("scores:", neighbours, " class:", neighbours.argmax(dim=1).item())
print("softmax:", after_softmax, " class:", after_softmax.argmax(dim=1).item())
print("classes 255, 256, 300 in uint8:", torch.tensor([255, 256, 300]).to(torch.uint8).tolist())

# %% [markdown]
# The remedy for all three: take the mean in `float32`, compare the scores as they come, and leave the predictions in the `int64` that `argmax` gives. Labels in `uint8` can be compared with them as they are.

# %% [markdown] task="4.3.4" kind="code" minutes=10 difficulty=2 core=true needs="accuracy, labels as a column, scores with more axes, precision of a mean, reshape"
# ### Accuracy, averaged or not
#
# Write `accuracy(Y_hat, Y, averaged=True)`. `Y_hat` has shape (n, q), or more axes with the classes in the last one, as (sentences, words, q). The shape of the labels `Y` is that of `Y_hat` without the last axis; for scores of shape (n, q) it may also be a column (n, 1).
# With `averaged=True` it returns the accuracy, as a tensor with one entry or a number; with `averaged=False` the hits, a 1 or 0 for each label.
#
# **You are done when**
# - **share**: the accuracy is the share of all labels that are predicted rightly;
# - **each label**: with `averaged=False` a floating point tensor with a single axis comes back: 1 for a hit, 0 for a miss, label by label in their order;
# - **column**: labels of shape (n, 1) give what labels of shape (n,) give, for scores (n, q);
# - **more axes**: scores (a, b, q) with labels (a, b), and those with more axes, are compared label by label, also where a or b is 1;
# - **any dtype**: scores may be `float16`, `float32` or `float64`, and the largest one counts, however close the next one is; labels may have any integer dtype, and there may be more classes than it has numbers; the accuracy is right to four digits for thousands of labels, too;
# - **arguments kept**: `Y_hat` and `Y` are as they were, their shapes too.

# %% exercise="4.3.4"
def accuracy(Y_hat, Y, averaged=True):
    """The share of labels with the largest score, or 1 and 0 for each label."""
    ### BEGIN SOLUTION
    hits = (Y_hat.reshape(-1, Y_hat.shape[-1]).argmax(dim=1) == Y.reshape(-1)).float()
    return hits.mean() if averaged else hits
    ### END SOLUTION

# %% [markdown] hints="4.3.4"
# 1. Which shape do predictions and labels need, so that comparing them compares pairs?
# 2. `reshape(-1)` makes one axis of all; `reshape(-1, k)` keeps the last axis if its length is k. A mask has no mean: `float()` first.
# 3. The share of even numbers in a table: `(t.reshape(-1) % 2 == 0).float().mean()`.

# %% check="4.3.4" points=3
@probe
def after_accuracy(Y_hat, Y):
    accuracy(Y_hat, Y)
    accuracy(Y_hat, Y, averaged=False)
    return Y_hat, Y

def labels_alone_(S, L):
    """What the answer says of each label alone, with its row of scores."""
    rows, classes = S.reshape(-1, S.shape[-1]), L.reshape(-1)
    right = [float(row.index(max(row)) == int(c)) for row, c in zip(rows.tolist(), classes)]
    found = [float(accuracy(rows[i:i + 1].clone(), classes[i:i + 1].clone())) for i in range(len(classes))]
    if all(abs(a - b) < 1e-4 for a, b in zip(found, right)):
        return "For each label alone, with its row of scores, yours is right: it is the way in which they are put together that is not. " + (
            "Each label belongs to the row of q scores at its own place, and the classes are on the last axis." if S.ndim > 2 or L.ndim > 1 else "The accuracy is the number of hits divided by that of labels.")
    return "Already for a label alone, with its row of scores, yours is wrong: it is 1 where the largest score of the row stands at the label, else 0."

def check_accuracy(S, L, words, of, hint=None):
    """Both forms of `accuracy` for scores S and labels L, against a loop over the rows; with a hint the share alone."""
    wanted = torch.tensor([float(row.index(max(row)) == int(c)) for row, c in zip(S.reshape(-1, S.shape[-1]).tolist(), L.reshape(-1))])
    share, predicted_ = wanted.double().mean().item(), S.argmax(-1).reshape(-1, 1)
    flat_ = S.reshape(-1, S.shape[-1])
    slips = {"These are the hits added up, not their share.": wanted.sum().item(), "This is the share of mistakes.": 1 - share}
    if S.ndim == 2:
        slips["Negative scores are scores like others: they keep their sign, and none is cut off."] = (flat_.abs().argmax(1) == L.reshape(-1)).double().mean().item()
    if L.ndim > 1 and 1 in L.shape:
        slips["Every prediction was compared with every label: a row against a column broadcasts."] = (predicted_ == L.reshape(-1)).double().mean().item()
    if S.ndim > 2:
        slips["Divide by the number of all labels: a sentence may have several words."] = wanted.sum().item() / len(S)
        slips["Each word counts: a sentence is not right or wrong as a whole."] = wanted.reshape(len(S), -1).min(dim=1).values.double().mean().item()
    if S.ndim == 3 and len(set(S.shape)) == 1:
        slips["The classes are on the last axis: `argmax(dim=-1)`, not `argmax(dim=1)`."] = (S.argmax(1) == L).double().mean().item()
        slips["Labels with two axes are not always a column: here each of them counts, not the first of each row."] = (S.argmax(-1) == L[:, 0]).double().mean().item()
    slips = {sentence: value for sentence, value in slips.items() if abs(value - share) > 1e-3 and not hint and sum(abs(value - other) < 1e-3 for other in slips.values()) == 1}
    rough = wanted.half().mean().item()
    if not hint and 1e-4 < abs(rough - share) < 1e-3:
        slips["This is the mean in float16, which has about three digits: make the hits float32 before their mean is taken."] = rough
    assert_close(accuracy(S.clone(), L.clone()), share, f"the accuracy for {words}", of=of, rtol=0, atol=5e-5, mistakes=slips,
                 hint=hint or (lambda: labels_alone_(S, L)))
    if hint:
        return
    each = accuracy(S.clone(), L.clone(), averaged=False)
    of = "each label" if of == "share" else of
    assert_type(each, torch.Tensor, f"what comes back for {words} with averaged=False", of=of)
    assert_shape(each, (len(wanted),), f"the shape of the hits for {words}", of=of, hint="A single axis, with an entry for each label.",
                 mistakes={"With averaged=False the hits come back, one for each label, not their mean.": ()} | ({"The hits are in the shape of the labels; here they have a single axis.": tuple(L.shape)} if L.ndim > 1 else {}))
    assert_true(each.is_floating_point(), f"the hits for {words} have a floating point dtype", of=of, hint=f"They are {str(each.dtype)[6:]}: `float()` makes ones and zeros of a comparison.")
    assert_close(each.double(), wanted.double(), f"the hits for {words}", of=of, mistakes={"Only a mean is divided by the number of labels: a hit is 1.": wanted.double() / len(wanted), "A hit is 1 and a miss 0: these are the misses.": 1 - wanted.double()} if len(wanted) > 1 and wanted.any() else {},
                 hint="Label by label: all words of the first sentence, then those of the second." if S.ndim > 2 else "The accuracy is right here: with averaged=False the hits themselves come back, in the order of the rows.")

as_they_are = "Compare the scores as they are: a dtype with fewer digits makes neighbours equal, and so does a softmax."
nearly = "Both are misses: a score that is nearly the largest is not the largest."
no_conversion = "Is a class number converted to a smaller dtype? uint8 ends at 255, and 256 becomes 0 in it."
no_float16 = "Is a class number converted to float16? It has no 2049: that becomes 2048."

check_accuracy(scores, labels, "the five rows above", "share")
check_accuracy(scores[1:4], labels[1:4], "rows 1 to 3 of these", "share")
check_accuracy(scores, labels.reshape(-1, 1), "the five rows above, labels of shape (5, 1)", "column")
cube_ = torch.tensor([[[23., 12., 8.], [15., 11., 14.], [26., 16., 25.]], [[4., 21., 24.], [3., 1., 13.], [10., 6., 22.]], [[9., 2., 0.], [7., 19., 5.], [20., 18., 17.]]])
check_accuracy(cube_, torch.tensor([[1, 1, 0], [0, 2, 0], [0, 2, 0]]), "3 sentences of 3 words: scores (3, 3, 3), labels (3, 3)", "more axes")
words_ = -torch.tensor([[[0.5, 1., 3., 2.], [4., 2., 1., 3.], [2., 5., 6., 0.]], [[7., 1., 3., 2.], [1., 2., 5., 6.], [3., 4., 2., 1.]]])         # (2, 3, 4)
check_accuracy(words_, torch.tensor([[0, 2, 1], [1, 3, 3]]), "scores (2, 3, 4), labels (2, 3)", "more axes")
check_accuracy(words_[:, :, None][0], torch.tensor([[0], [2], [1]]), "scores (3, 1, 4), labels (3, 1)", "more axes")
check_accuracy(words_[:, :, None], torch.tensor([[[0], [2], [1]], [[1], [3], [3]]]), "scores (2, 3, 1, 4), labels (2, 3, 1)", "more axes")
check_accuracy(scores.repeat(601, 1)[:3001].half(), labels.repeat(601)[:3001].to(torch.uint8), "3001 rows in float16, labels in uint8", "any dtype")
check_accuracy(torch.tensor([[0.1, 0.1001, -1.], [-2., -3., -1.999]]).half(), torch.tensor([1, 2]), "the rows (0.1, 0.1001, -1) and (-2, -3, -1.999) in float16", "any dtype", as_they_are)
check_accuracy(torch.tensor([[0., 1e-9], [-3., -2.9999]]), torch.tensor([1, 1]), "the rows (0, 1e-9) and (-3, -2.9999) in float32", "any dtype", as_they_are)
check_accuracy(torch.tensor([[0., 1e-9], [-3., -2.9999]]), torch.tensor([0, 0]), "the rows (0, 1e-9) and (-3, -2.9999) with the labels 0 and 0", "any dtype", nearly)
check_accuracy(torch.tensor([[1., 1 + 1e-12, 0.]], dtype=torch.float64), torch.tensor([1]), "the row (1, 1 + 1e-12, 0) in float64", "any dtype", as_they_are)
for kind_ in (torch.uint8, torch.int64):
    check_accuracy(torch.eye(300)[[256, 5, 299]], torch.tensor([0, 5, 43]).to(kind_), f"300 classes, of which 256, 5 and 299 are predicted, labels 0, 5 and 43 in {str(kind_)[6:]}", "any dtype", no_conversion)
check_accuracy(F.one_hot(torch.tensor([2049, 7]), 2060).half(), torch.tensor([2048, 7]), "2060 classes in float16, of which 2049 and 7 are predicted, labels 2048 and 7", "any dtype", no_float16)
kept_scores, kept_labels = after_accuracy(words_.clone(), torch.tensor([[0, 2, 1], [1, 3, 3]]))
assert_close(kept_scores, words_, "Y_hat after the call of accuracy", of="arguments kept", hint="A step of the function writes into Y_hat.")
assert_equal(kept_labels, torch.tensor([[0, 2, 1], [1, 3, 3]]), "Y after the call of accuracy", of="arguments kept", hint="A step of the function changes Y.")
assert_close(after_accuracy(words_.double(), torch.tensor([[0, 2, 1], [1, 3, 3]]))[0], words_.double(), "Y_hat in float64 after the call of accuracy", of="arguments kept",
             hint="A step of the function writes into Y_hat; of a float64 tensor `.double()` makes no copy.")
kept_scores, kept_labels = after_accuracy(scores.clone(), labels.reshape(-1, 1).clone())
assert_equal(kept_labels, labels.reshape(-1, 1), "Y after the call of accuracy, labels of shape (5, 1)", of="arguments kept", hint="A step of the function changes Y, or its shape: methods that end in _ work in place.")
### BEGIN HIDDEN TESTS
source = torch.Generator().manual_seed(435)
for n_, q_, of_ in ((7, 4, "share"), (40, 6, "share"), (9, 5, "column"), (4, 4, "column"), (1, 3, "column")):
    table_ = torch.randn(n_, q_, generator=source) - 1.5
    classes_ = torch.where(torch.rand(n_, generator=source) < 0.6, table_.argmax(1), torch.randint(0, q_, (n_,), generator=source))
    check_accuracy(table_, classes_.reshape(-1, 1) if of_ == "column" else classes_, f"{n_} rows of {q_} classes, labels {'(n, 1)' if of_ == 'column' else '(n,)'}", of_)
for shape_ in ((4, 3, 6), (5, 1, 3), (1, 7, 2), (3, 3, 3), (2, 3, 2, 5)):
    table_ = torch.randn(shape_, generator=source) - 1.5
    classes_ = torch.where(torch.rand(shape_[:-1], generator=source) < 0.6, table_.argmax(-1), torch.randint(0, shape_[-1], shape_[:-1], generator=source))
    check_accuracy(table_, classes_, f"scores {shape_}, labels {shape_[:-1]}", "more axes")
for n_, kind_, dtype_ in ((4099, torch.int64, torch.float16), (2053, torch.int32, torch.float16), (60, torch.int8, torch.float64), (33, torch.int16, torch.float32)):
    table_ = torch.rand(n_, 5, generator=source).argsort(dim=1).to(dtype_)
    classes_ = torch.where(torch.rand(n_, generator=source) < 0.6, table_.argmax(1), torch.randint(0, 5, (n_,), generator=source)).to(kind_)
    check_accuracy(table_, classes_, f"{n_} rows in {str(dtype_)[6:]}, labels in {str(kind_)[6:]}", "any dtype")
    kept_scores, kept_labels = after_accuracy(table_.clone(), classes_.reshape(-1, 1).clone())
    assert_close(kept_scores, table_, f"Y_hat after the call of accuracy, {n_} rows", of="arguments kept", hint="A step of the function writes into Y_hat.")
    assert_equal(kept_labels, classes_.reshape(-1, 1), f"Y after the call of accuracy, labels of shape ({n_}, 1)", of="arguments kept", hint="A step of the function changes Y.")
for dtype_, gap_ in ((torch.float16, 1e-3), (torch.float32, 1e-7), (torch.float64, 1e-13)):
    near_ = torch.tensor([[0.75, 0.75 * (1 + gap_), 0.5], [-0.5, -1.5, -0.5 * (1 - gap_)], [-gap_ / 8, -gap_ / 4, 0.0]], dtype=torch.float64).to(dtype_)
    check_accuracy(near_, torch.tensor([1, 2, 2]), f"three rows of neighbouring scores in {str(dtype_)[6:]}", "any dtype", as_they_are)
    check_accuracy(near_, torch.tensor([0, 0, 0]), f"three rows of neighbouring scores in {str(dtype_)[6:]}, none right", "any dtype", "A score that is nearly the largest is not the largest.")
check_accuracy(F.one_hot(torch.tensor([3, 2051, 2057]), 2100).half(), torch.tensor([3, 2052, 2056]), "2100 classes in float16, of which 3, 2051 and 2057 are predicted", "any dtype", no_float16)
for kind_ in (torch.uint8, torch.int8, torch.int32):
    check_accuracy(torch.eye(700)[[512, 256, 44, 99, 300]] - 0.5, torch.tensor([0, 0, 44, 99, 44]).to(kind_), f"700 classes, of which 512, 256, 44, 99 and 300 are predicted, labels in {str(kind_)[6:]}", "any dtype", no_conversion)
### END HIDDEN TESTS

# %% [markdown]
# ### A zoo of accuracies
#
# Six people wrote the accuracy for scores (n, q), and tried it on the examples that they had. All six agreed there. (`exposes` tells whether a function gives another number than the true accuracy.)

# %% tags=["setup"]
def accuracy_1(Y_hat, Y):
    return (Y_hat.argmax(dim=1) == Y.reshape(-1)).float().mean()


def accuracy_2(Y_hat, Y):
    return (Y_hat.argmax(dim=1) == Y).float().mean()


def accuracy_3(Y_hat, Y):
    return (Y_hat.argmax(dim=1) == Y.reshape(-1)).float().sum() / Y_hat.shape[1]


def accuracy_4(Y_hat, Y):
    return (Y_hat.abs().argmax(dim=1) == Y.reshape(-1)).float().mean()


def accuracy_5(Y_hat, Y):
    return (Y_hat.round().argmax(dim=1) == Y.reshape(-1)).float().mean()


def accuracy_6(Y_hat, Y):
    P = torch.softmax(Y_hat, dim=1)
    return (P[torch.arange(len(P)), Y.reshape(-1)] > 0.5).float().mean()


def exposes(function, Y_hat, Y):
    """Whether the function gives another number than the share of hits for (Y_hat, Y)."""
    truth = sum(row.index(max(row)) == int(label) for row, label in zip(Y_hat.tolist(), Y.reshape(-1))) / len(Y_hat)
    return abs(float(function(Y_hat, Y)) - truth) > 1e-6

# %%
their_scores, their_labels = torch.tensor([[3.0, 0.0], [0.0, 2.0]]), torch.tensor([0, 1])
for function in (accuracy_1, accuracy_2, accuracy_3, accuracy_4, accuracy_5, accuracy_6):
    print(function.__name__, function(their_scores, their_labels).item(), " exposed:", exposes(function, their_scores, their_labels))

# %% [markdown]
# A test on which every version is right tests nothing. Good test data have unequal lengths on all axes, negative and close numbers, and labels in every shape that is allowed.
#
# (In `accuracy_6`, `P[torch.arange(len(P)), Y]` picks one entry from each row i, the one in column Y[i]. In `accuracy_5`, `round` gives the nearest whole number.)

# %% [markdown] task="4.3.6" kind="break it" minutes=12 difficulty=3 needs="accuracy, labels as a column, softmax, broadcasting"
# ### Five wrong accuracies
#
# `accuracy_1` is right. Each of the other five is wrong for some scores and labels, by another mistake. Hand in `cases`, a list of one to three pairs `(Y_hat, Y)`, such that each wrong function gives a wrong number for at least one of the pairs. (The *number* must be wrong: a hit lost in one row and one gained in another cancel.)
#
# `Y_hat` is a finite `float32` tensor of shape (n, q) with 1 ≤ n ≤ 20 and 2 ≤ q ≤ 10, and in no row does the largest score occur twice. `Y` is `int64`, of shape (n,) or (n, 1), with labels from 0 to q - 1. Half a point is earned for each function that is exposed, and nothing while a pair breaks these rules.
#
# **You are done when**
# - **rules**: there are one to three pairs, and each keeps to the rules above;
# - **accuracy_2**: a pair exposes it;
# - **accuracy_3**: a pair exposes it;
# - **accuracy_4**: a pair exposes it;
# - **accuracy_5**: a pair exposes it;
# - **accuracy_6**: a pair exposes it.

# %% exercise="4.3.6"
### BEGIN SOLUTION
cases = [(torch.tensor([[0.1, 0.2, 0.0], [-3.0, 1.0, 2.0]]), torch.tensor([[1], [2]]))]
### END SOLUTION

# %% [markdown] hints="4.3.6"
# 1. Take the functions one by one. In which step does each differ from `accuracy_1`, and when does the step not matter?
# 2. A label of shape (n,) never exposes `accuracy_2`. Scores may be negative, close together, and spread over several classes; n and q may differ.
# 3. For two versions of a mean, `x.sum() / len(x)` and `x.sum() / 4`, any vector of length other than 4 whose sum is not 0 tells them apart.

# %% check="4.3.6" points=2.5
assert_type(cases, (list, tuple), "cases", of="rules")
assert_true(1 <= len(cases) <= 3, "cases holds one to three pairs", of="rules")
for number_, pair_ in enumerate(cases, 1):
    assert_type(pair_, (list, tuple), f"pair {number_} of cases", of="rules", hint="cases is a list of pairs: [(Y_hat, Y)], not (Y_hat, Y).")
    assert_equal(len(pair_), 2, f"the length of pair {number_}", of="rules")
    S, L = pair_
    assert_type(S, torch.Tensor, f"Y_hat in pair {number_}", of="rules")
    assert_type(L, torch.Tensor, f"Y in pair {number_}", of="rules")
    assert_dtype(S, torch.float32, f"the dtype of Y_hat in pair {number_}", of="rules")
    assert_dtype(L, torch.int64, f"the dtype of Y in pair {number_}", of="rules")
    assert_true(S.ndim == 2 and 1 <= S.shape[0] <= 20 and 2 <= S.shape[1] <= 10, f"pair {number_}: Y_hat has shape (n, q), n from 1 to 20, q from 2 to 10", of="rules")
    assert_true(tuple(L.shape) in ((len(S),), (len(S), 1)), f"pair {number_}: Y has shape (n,) or (n, 1)", of="rules")
    assert_true(bool(S.isfinite().all()), f"pair {number_}: the scores are finite", of="rules")
    assert_true(bool(((L >= 0) & (L < S.shape[1])).all()), f"pair {number_}: the labels are from 0 to q - 1", of="rules", hint=f"Classes are counted from 0: with {S.shape[1]} columns they are 0 to {S.shape[1] - 1}. Yours go from {int(L.min())} to {int(L.max())}.")
    assert_true(bool(((S == S.max(dim=1, keepdim=True).values).sum(dim=1) == 1).all()), f"pair {number_}: no row has its largest score twice", of="rules",
                hint=lambda: f"Row {int(((S == S.max(dim=1, keepdim=True).values).sum(dim=1) > 1).nonzero()[0])} has.")
advice_ = {"accuracy_2": "It compares with Y as it comes. All your labels have shape (n,), and with them it is right: which other shape may Y have?", "accuracy_4": "It takes absolute values: which sign must the scores have?",
           "accuracy_5": "It rounds: which scores become equal, and which of them does argmax take then?", "accuracy_6": "It wants more than 0.5: can a class with less be the most probable one?"}
def advice_for(function_, pairs_):
    """What to say of a function that no pair exposes, after what the pairs already have."""
    name_ = function_.__name__
    if name_ == "accuracy_3":
        return "It divides by q, not by n: " + ("in each of your pairs n is q." if all(len(S) == S.shape[1] for S, _ in pairs_) else
                                                "where the two differ, your pairs have no hit, and 0 is 0 by any divisor.")
    columns_ = [len(L) for _, L in pairs_ if L.ndim == 2]
    if name_ == "accuracy_2" and columns_ and max(columns_) == 1:
        return "A column of one label is compared with one prediction: the trap needs more rows."
    if name_ == "accuracy_2" and columns_:
        if all(len(S.argmax(1).unique()) == 1 or len(L.unique()) == 1 for S, L in pairs_ if L.ndim == 2 and len(L) > 1):
            return "It compares every prediction with every label. Where all predictions are one class, or all labels, that has the same mean: let a pair with a column have different predictions and different labels."
        return "It compares every prediction with every label, and for your pairs that has the same mean: change a label."
    rows_ = [(S[i:i + 1], L[i:i + 1]) for S, L in pairs_ for i in range(len(S))] if name_ in ("accuracy_4", "accuracy_5", "accuracy_6") else []
    if any(exposes(function_, S, L) for S, L in rows_):
        return "It judges some of your rows wrongly, but what it gains in one row it loses in another: change a label, or use fewer rows."
    if name_ == "accuracy_6" and any(torch.softmax(S, 1).max() <= 0.5 for S, _ in rows_):
        return "In a row of yours no class has more than 0.5: there the label must be the class with the largest score, so that the row is a hit."
    if name_ == "accuracy_6" and any(S.argmax() != L.reshape(()) for S, L in rows_):
        return "Where a label of yours has at most 0.5, the row is a miss anyway: the label must have the largest score of its row, one of three or more."
    change_ = {"accuracy_4": torch.abs, "accuracy_5": torch.round}.get(name_)
    if change_ and any(S.argmax() != change_(S).argmax() for S, _ in rows_):
        return "In a row of yours it predicts another class than argmax, but the label is neither of the two: a miss for both."
    if name_ == "accuracy_4" and any((S < 0).any() for S, _ in rows_):
        return "A negative score changes its prediction only where its absolute value is the largest of the row."
    return advice_[name_]

for function_ in (accuracy_2, accuracy_3, accuracy_4, accuracy_5, accuracy_6):
    with part(0.25, f"{function_.__name__}, by exposes"):
        assert_true(any(exposes(function_, S, L) for S, L in cases), f"one of the pairs exposes {function_.__name__}", of=function_.__name__, hint=lambda: advice_for(function_, cases))
### BEGIN HIDDEN TESTS
assert_true(all(S.isfinite().all() and 0 <= int(L.min()) and int(L.max()) < S.shape[1] and S.shape[0] <= 20 for S, L in cases) and len(cases) <= 3, "the pairs keep to the rules", of="rules")
for function_ in (accuracy_2, accuracy_3, accuracy_4, accuracy_5, accuracy_6):
    with part(0.25, f"{function_.__name__}, counted anew"):
        gaps_ = [abs(float(function_(S, L)) - float((S.numpy().argmax(1) == L.numpy().reshape(-1)).mean())) for S, L in cases]
        assert_true(max(gaps_) > 1e-6, f"one of the pairs exposes {function_.__name__}, by a count with NumPy", of=function_.__name__, hint=lambda: advice_for(function_, cases))
total()
### END HIDDEN TESTS

# %% [markdown] teaches="tie"
# ## 2. When scores are equal
#
# Two classes with the same largest score are a *tie*. `argmax` has to choose one. ⚠ In torch it takes the first of them, so the accuracy depends on how the classes are numbered. A model that always gives the same scores shows it best:

# %% teaches="tie"
constant = torch.zeros(6, 3)
for numbers in ([0, 0, 0, 1, 1, 2], [2, 2, 2, 1, 1, 0]):
    print("labels", numbers, f"accuracy of the constant: {(constant.argmax(dim=1) == torch.tensor(numbers)).float().mean():.3f}")

# %% [markdown] teaches="mask of the largest scores, advanced indexing"
# The second line is the first with classes 0 and 2 renamed. The model knows nothing in either case, and has an accuracy of 0.5 or of 0.17.
#
# Are ties rare? With 32 bits, yes. With scores rounded to one digit, or kept in 8 bits, no. A fair rule breaks a tie by lot: if t classes share the largest score, and the label is one of them, the row is right with probability 1/t. Three lines find out who shares the largest score:

# %% teaches="mask of the largest scores, advanced indexing"
rounded = torch.tensor([[0.3, 0.3, 0.1], [0.2, 0.5, 0.4], [0.1, 0.1, 0.1]])
best = rounded == rounded.max(dim=1, keepdim=True).values       # (3, 3) against (3, 1): True where the row's largest score stands
print(best)
print("classes that share it:", best.sum(dim=1))
print("is the label among them?", best[torch.arange(3), torch.tensor([1, 2, 0])])      # entry 1 of row 0, 2 of row 1, 0 of row 2

# %% [markdown]
# Row 0 has a tie of two and its label, 1, is in it: it counts 1/2. Row 1 is a miss: 0. Row 2 is a tie of three: 1/3. The fair accuracy of the three rows is (1/2 + 0 + 1/3) / 3 ≈ 0.278.

# %% [markdown] task="4.3.5" kind="code" minutes=8 difficulty=3 needs="tie, mask of the largest scores, advanced indexing, keepdim"
# ### Ties by lot
#
# Write `fair_accuracy(Y_hat, Y)` for scores of shape (n, q), `float32` or `float64`, and labels of shape (n,): the mean over the rows of what each row counts. It returns a number or a tensor with one entry.
#
# **You are done when**
# - **no tie**: a row without a tie counts 1 if its largest score is at the label, else 0; scores that differ at all are no tie;
# - **label in the tie**: a row whose largest score occurs t times, once at the label, counts 1/t, whatever q is;
# - **label outside**: a row with a tie of other classes counts 0;
# - **arguments kept**: `Y_hat` and `Y` are as they were.

# %% exercise="4.3.5"
def fair_accuracy(Y_hat, Y):
    """The expected accuracy if ties are broken by lot: (n, q), (n,) -> a number."""
    ### BEGIN SOLUTION
    best = Y_hat == Y_hat.max(dim=1, keepdim=True).values
    hit = best[torch.arange(len(Y)), Y]
    return (hit / best.sum(dim=1)).mean()
    ### END SOLUTION

# %% [markdown] hints="4.3.5"
# 1. Which mask of shape (n, q) says where the largest score of its row stands?
# 2. `X.max(dim=1, keepdim=True).values` has shape (n, 1), so it compares with every entry of its row. `X[torch.arange(n), Y]` picks the entry Y[i] of each row i.
# 3. For the *smallest*: `(X == X.min(dim=1, keepdim=True).values).sum(dim=1)` counts how often it occurs.

# %% check="4.3.5" points=2
@probe
def after_fair_accuracy(Y_hat, Y):
    fair_accuracy(Y_hat, Y)
    return Y_hat, Y

def lots_alone_(S, L):
    """What the answer says of each row alone."""
    right = [(row[c] == max(row)) / row.count(max(row)) for row, c in zip(S.tolist(), L.tolist())]
    found = [float(fair_accuracy(S[i:i + 1].clone(), L[i:i + 1].clone())) for i in range(len(L))]
    off = [i for i in range(len(L)) if abs(found[i] - right[i]) > 1e-4]
    if not off:
        return "For each row alone yours is right: it is their mean, over all rows, that is not."
    row, label = S[off[0]].tolist(), int(L[off[0]])
    kind = ("without a tie whose label has the largest score" if row.count(max(row)) == 1 else f"with a tie of {row.count(max(row))} and the label in it") if row[label] == max(row) else (
        "without a tie whose label does not have the largest score" if row.count(max(row)) == 1 else "with a tie of other classes than the label")
    return f"Already a row alone {kind} does not count as it should."

assert_close(fair_accuracy(scores.clone(), torch.tensor([0, 2, 2, 2, 1])), 0.4, "the five rows of part 1, without ties, for the labels 0, 2, 2, 2, 1", of="no tie", rtol=1e-5,
             mistakes={"This is the sum over the rows; their mean is asked for.": 2.0, "Without a tie a row counts 1 or 0: nothing is divided by the number of classes.": 0.4 / 3, "Each row has a largest score of its own; this compares with the largest of the whole table.": 0.2, "This is the share of mistakes.": 0.6, "Every row was paired with every label (`best[:, Y]` does that): take one entry of each row.": 0.28, "1 would say that every row counts: a row counts only where its label has the largest score.": 1.0}, hint=lambda: lots_alone_(scores, torch.tensor([0, 2, 2, 2, 1])) + " Without ties each row counts 1 or 0: two of the five are right.")
assert_close(fair_accuracy(torch.tensor([[2., 2., 5.], [3., -1., -1.]]), torch.tensor([0, 0])), 0.5, "rows (2, 2, 5) and (3, -1, -1), labels 0 and 0", of="no tie", rtol=1e-5, hint="Equal scores below the largest are no tie: the first row counts 0, the second 1.")
assert_close(fair_accuracy(torch.zeros(200, 3), torch.tensor([0, 1, 2]).repeat_interleave(torch.tensor([20, 150, 30]))), 1 / 3, "a constant model of three classes for 200 labels: 20 times 0, 150 times 1, 30 times 2", of="label in the tie", rtol=1e-5,
             mistakes={"A tie counts 1/t wherever in it the label stands.": 0.1 / 3, "The first of equal scores gives this value.": 0.1, "The last of equal scores gives this value.": 0.15, "Every tie counts 1/2 here; a tie of three counts 1/3.": 0.5, "Here every tie counts as a hit.": 1.0, "Here a tie counts nothing, as if it were a miss or left out.": 0.0,
                       "Here only the classes 0 and 1 share the tie, with 1/2 each: all three do, with 1/3 each.": 0.425, "Here only the first and the last class share the tie, with 1/2 each: all three do, with 1/3 each.": 0.125, "Here only the classes 1 and 2 share the tie, with 1/2 each: all three do, with 1/3 each.": 0.45},
             hint=lambda: lots_alone_(torch.zeros(1, 3), torch.tensor([1])) + " In each row three classes share the largest score, and the label is one of them: the row counts 1/3. (No lot is drawn; the result is the same in each run.)")
assert_close(fair_accuracy(torch.tensor([[1., 4., 4., 0., 4.], [2., 2., -1., 0., 1.]]), torch.tensor([4, 1])), 5 / 12, "rows (1, 4, 4, 0, 4) and (2, 2, -1, 0, 1), labels 4 and 1", of="label in the tie", rtol=1e-5,
             mistakes={"Divide by the number of classes that share the largest score, not by the number of classes.": 0.2, "Every tie counts 1/2 here; a tie of three counts 1/3.": 0.5, "Each row is divided by its own t first; then the mean over the rows is taken.": 0.4}, hint=lambda: lots_alone_(torch.tensor([[1., 4., 4., 0., 4.], [2., 2., -1., 0., 1.]]), torch.tensor([4, 1])) + " The first row counts 1/3, the second 1/2: their mean is 5/12.")
assert_close(fair_accuracy(torch.tensor([[-5., -1., -1., -2.], [3., 3., 2., 1.], [7., 0., 7., 7.]]), torch.tensor([0, 2, 1])), 0.0, "rows (-5, -1, -1, -2), (3, 3, 2, 1), (7, 0, 7, 7), labels 0, 2, 1", of="label outside", rtol=1e-5, hint="The label has no part in the tie: the row counts 0.")
assert_close(fair_accuracy(torch.tensor([[0., 1e-9, -1.], [-2e-9, -1e-9, -3.]]), torch.tensor([1, 1])), 1.0, "the rows (0, 1e-9, -1) and (-2e-9, -1e-9, -3), labels 1, 1", of="no tie", rtol=1e-5, mistakes={"Scores that differ at all are no tie: compare them as they are, without rounding and without a softmax.": 0.5})
assert_close(fair_accuracy(torch.tensor([[1., 1 + 1e-12, 0.], [-3 - 1e-12, -5., -3.]], dtype=torch.float64), torch.tensor([1, 2])), 1.0, "the rows (1, 1 + 1e-12, 0) and (-3 - 1e-12, -5, -3) in float64, labels 1, 2", of="no tie", rtol=1e-5,
             mistakes={"Scores that differ at all are no tie: compare them in the dtype that they have. In float32 these neighbours become equal.": 0.5}, hint="In both rows the label has the largest score, alone.")
assert_close(fair_accuracy(torch.tensor([[1., 1., 0.], [0., 2., 1.], [3., 0., 0.], [0., 4., 5.]]), torch.tensor([1, 1, 0, 1])), 0.625, "rows (1, 1, 0), (0, 2, 1), (3, 0, 0), (0, 4, 5), labels 1, 1, 0, 1", of="no tie", rtol=1e-5,
             mistakes={"The mean is over all rows: those without a tie count, too.": 0.5, "The mean is over all rows: those with a tie count, too.": 2 / 3}, hint="The first row has a tie and counts 1/2, the others have none and count 1, 1, 0.")
assert_close(fair_accuracy(torch.tensor([[2., 2., 0.], [1., 3., 0.]]), torch.tensor([2, 1])), 0.5, "rows (2, 2, 0) and (1, 3, 0), labels 2 and 1", of="label outside", rtol=1e-5,
             mistakes={"A row with a tie of other classes counts 0, and it is one of the n rows over which the mean is taken: do not leave it out.": 1.0}, hint="The first row counts 0, the second 1.")
kept_scores, kept_labels = after_fair_accuracy(torch.tensor([[3., 3.], [0., 5.]]), torch.tensor([0, 0]))
assert_close(kept_scores, torch.tensor([[3., 3.], [0., 5.]]), "Y_hat after the call of fair_accuracy", of="arguments kept", hint="A step of the function writes into Y_hat.")
assert_equal(kept_labels, torch.tensor([0, 0]), "Y after the call of fair_accuracy", of="arguments kept", hint="A step of the function writes into Y.")
assert_close(after_fair_accuracy(torch.tensor([[3., 3.], [0., 5.]], dtype=torch.float64), torch.tensor([0, 0]))[0], torch.tensor([[3., 3.], [0., 5.]], dtype=torch.float64), "Y_hat in float64 after the call of fair_accuracy",
             of="arguments kept", hint="A step of the function writes into Y_hat; of a float64 tensor `.double()` makes no copy.")
### BEGIN HIDDEN TESTS
source = torch.Generator().manual_seed(436)
def lot_accuracy(table, classes):
    return sum((row[c] == max(row)) / row.count(max(row)) for row, c in zip(table.tolist(), classes.tolist())) / len(classes)

smooth_ = torch.randn(11, 4, generator=source)
picks_ = torch.where(torch.rand(11, generator=source) < 0.5, smooth_.argmax(1), torch.randint(0, 4, (11,), generator=source))
assert_close(fair_accuracy(smooth_.clone(), picks_.clone()), lot_accuracy(smooth_, picks_), "11 rows without ties", of="no tie", rtol=1e-5, hint=lambda: lots_alone_(smooth_, picks_))
assert_close(fair_accuracy(smooth_ * 1e-3 - 5, picks_), lot_accuracy(smooth_ * 1e-3 - 5, picks_), "11 rows of scores that are close together", of="no tie", rtol=1e-5, hint="Scores that differ at all are no tie: compare them as they are.")
assert_close(fair_accuracy(smooth_ * 1e-9, picks_), lot_accuracy(smooth_ * 1e-9, picks_), "11 rows of tiny scores", of="no tie", rtol=1e-5, hint="Scores that differ at all are no tie: compare them as they are.")
fine_ = smooth_.double() * 1e-10 + 3
assert_close(fair_accuracy(fine_.clone(), picks_.clone()), lot_accuracy(fine_, picks_), "11 rows of float64 scores that are close together", of="no tie", rtol=1e-5, hint="Scores that differ at all are no tie: compare them in the dtype that they have.")
for n_, q_ in ((9, 4), (40, 3), (5, 6), (200, 7)):
    table_ = torch.randint(-2, 2, (n_, q_), generator=source).float()
    classes_ = torch.randint(0, q_, (n_,), generator=source)
    assert_close(fair_accuracy(table_.clone(), classes_.clone()), lot_accuracy(table_, classes_), f"{n_} rows of {q_} scores from -2 to 1", of="label in the tie", rtol=1e-5, hint=lambda: lots_alone_(table_, classes_))
    kept_scores, kept_labels = after_fair_accuracy(table_.clone(), classes_.clone())
    assert_close(kept_scores, table_, f"Y_hat after the call of fair_accuracy, {n_} rows", of="arguments kept", hint="A step of the function writes into Y_hat.")
    assert_equal(kept_labels, classes_, f"Y after the call of fair_accuracy, {n_} rows", of="arguments kept", hint="A step of the function writes into Y.")
below_ = torch.tensor([[4., 4., 6., 1.], [0., -3., -3., -3.], [9., 9., 9., 9.5], [1., 1., 0., 2.]])
assert_close(fair_accuracy(below_, torch.tensor([1, 0, 3, 3])), 0.75, "four rows with equal scores below the largest", of="no tie", rtol=1e-5, hint="Equal scores below the largest are no tie.")
apart_ = torch.tensor([[0., 7., 7., 7.], [7., 0., 7., 7.], [1., 1., 1., 0.5], [-1., -2., -1., -1.]])
assert_close(fair_accuracy(apart_, torch.tensor([0, 1, 3, 1])), 0.0, "four rows with ties of three other classes", of="label outside", rtol=1e-5, hint="The label has no part in the tie: the row counts 0.")
### END HIDDEN TESTS

# %% [markdown] teaches="slope of the accuracy"
# ## 3. Why not train on the accuracy?
#
# Accuracy is what we want. Why not let gradient descent raise it? Take a model with a single number to learn. Thirty people have a height x, counted from the average in units of ten centimetres, and the label says whether they play in the team. The model gives class 0 the score 0 and class 1 the score 3 (x - t): it says "team" above the threshold t.
#
# Turn t, and watch the accuracy and the cross-entropy of section 4.1. `F.cross_entropy(Y_hat, Y)` takes logits (n, q) and labels (n,), and returns the mean of $-\log p_{\text{label}}$ over the rows, p being the softmax of the row; with `reduction="none"` it returns the n values. (Section 4.5 looks inside.)

# %% tags=["demo"] teaches="slope of the accuracy"
import matplotlib.pyplot as plt

luck = torch.Generator().manual_seed(3)
height = torch.randn(30, generator=luck)
team = (height + 0.6 * torch.randn(30, generator=luck) > 0.3).long()
thresholds = torch.linspace(-2, 2, 401)
accuracies, losses_t = [], []
for t in thresholds:
    two_scores = torch.stack([torch.zeros(30), 3 * (height - t)], dim=1)              # (30, 2)
    accuracies.append((two_scores.argmax(dim=1) == team).float().mean())
    losses_t.append(F.cross_entropy(two_scores, team))
figure, axes = plt.subplots(1, 2, figsize=(8, 2.8), layout="constrained")
axes[0].plot(thresholds, accuracies)
axes[0].set(xlabel="threshold t", ylabel="accuracy")
axes[1].plot(thresholds, losses_t)
axes[1].set(xlabel="threshold t", ylabel="cross-entropy")
for ax in axes:
    ax.grid(alpha=0.3)
plt.show()

# %% [markdown]
# What to see: *left*, a staircase. Between two steps t can be moved and no prediction changes, so the slope is zero; at a step there is no slope. Gradient descent stands still on every stair. *Right*, a smooth valley that shows at every t in which direction to go. Its bottom lies near the highest stair, though not exactly there.
#
# Autograd says the same in its way. A comparison and an `argmax` have no derivative, so the graph ends there:

# %% teaches="cross-entropy from logits"
with_graph = scores.clone().requires_grad_()
smooth, counted = F.cross_entropy(with_graph, labels), (with_graph.argmax(dim=1) == labels).float().mean()
print(f"cross-entropy: {smooth:.3f}, can be differentiated: {smooth.requires_grad}")
print(f"accuracy:      {counted:.3f}, can be differentiated: {counted.requires_grad}")
print("each row:     ", F.cross_entropy(scores, labels, reduction="none"))

# %% [markdown] teaches="what the loss promises"
# ### What a small loss promises
#
# We train one thing and want another. Is a small loss at least a guarantee? Yes. Take a row that is wrong: some other class has at least as large a score as the label, so at least as large a probability. The two together have at most 1. So the label has at most 1/2, and the row's loss is
#
# $$-\log p_{\text{label}} \;\ge\; -\log \tfrac12 = \log 2 \approx 0.693 .$$
#
# Rows that are right have a loss of at least 0. Let n be the number of rows, m of them wrong, and L the mean loss. Then the sum of all losses is
#
# $$n L \;\ge\; m \log 2, \qquad\text{so}\qquad \text{error rate} = \frac mn \;\le\; \frac{L}{\log 2} .$$
#
# For two classes, as a function of the *margin*, the score of the label minus the other score:

# %% tags=["demo"]
margin = torch.linspace(-3, 3, 601)
figure, ax = plt.subplots(figsize=(5.6, 2.8), layout="constrained")
ax.plot(margin, torch.log1p(torch.exp(-margin)) / math.log(2), label="cross-entropy / log 2")
ax.plot(margin, (margin <= 0).float(), "--", label="1 if wrong, 0 if right")
ax.set(xlabel="margin", ylabel="cost of one row")
ax.grid(alpha=0.3)
ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
plt.show()

# %% [markdown]
# What to see: the curve lies above the step everywhere and touches it at margin 0, so no better factor than 1/log 2 is possible. The promise works in one direction only: a single row with a margin of -30 costs one mistake but a loss of 30. So in a training the loss may rise while the accuracy stays, or even rises with it.

# %% [markdown] task="4.3.B" kind="code" minutes=3 difficulty=1 needs="what the loss promises, cross-entropy from logits"
# ### A promise
#
# A colleague tells you a mean cross-entropy, in natural logarithms, and nothing else. Write `least_accuracy(L)`: for the mean loss `L` ≥ 0, a float, it returns the accuracy that is certain by the argument above.
#
# **You are done when**
# - **bound**: the result is 1 minus the largest error rate that `L` allows;
# - **no promise**: a large loss promises nothing: an accuracy of 0, never a negative one.

# %% exercise="4.3.B"
def least_accuracy(L):
    """The accuracy that a mean cross-entropy of L (in nats) guarantees: a float from 0 to 1."""
    ### BEGIN SOLUTION
    return max(0.0, 1 - L / math.log(2))
    ### END SOLUTION

# %% [markdown] hints="4.3.B"
# 1. Which error rate is possible at most?
# 2. `math.log(2)` is 0.693...; `max(0, x)` cuts off what is negative.
# 3. A loss of 0.2 allows 0.2 / 0.693 = 0.289 of the rows to be wrong.

# %% check="4.3.B" points=1
for loss_ in (0.1, 0.45, 0.6, 0.0):
    slips_ = {"This is the largest error rate; the accuracy is asked for.": loss_ / math.log(2), "`L` is in natural logarithms: divide by log 2.": 1 - loss_, "This is 1 - 0.693 L: L is to be divided by log 2 = 0.693.": 1 - loss_ * math.log(2),
              "This is exp(-L), a mean of probabilities, not a bound of the accuracy.": math.exp(-loss_), "You may have rounded log 2 to 0.69: take `math.log(2)`, or at least 0.693.": 1 - loss_ / 0.69} if loss_ else {"This is the largest error rate; the accuracy is asked for.": 0.0}
    if loss_ == 0.1:
        slips_ |= {"Divide by log 2, not by 2.": 1 - 0.1 / 2, "log is the natural logarithm, `math.log`; this is the one to base 10.": 1 - 0.1 / math.log10(2), "The result was rounded.": 0.86, "You may have rounded log 2 to 0.7: take `math.log(2)`.": 1 - 0.1 / 0.7, "This loss does allow mistakes: an accuracy of 1 is not certain. (`L` is a logarithm already: take none of it.)": 1.0,
                   "0 would say that nothing is certain: a loss below log 2 does promise something.": 0.0, "Divide by log 2, however many classes there are: in a wrong row the label has at most 1/2. (This divides by log 10.)": 1 - 0.1 / math.log(10), "Divide by log 2, however many classes there are: in a wrong row the label has at most 1/2. (This divides by log 3.)": 1 - 0.1 / math.log(3),
                   "`L` is a logarithm already: divide it by log 2, and take no logarithm of it. (This is 1 - log2(1 + L).)": 1 - math.log2(1.1), "`L` is a logarithm already: divide it by log 2, and take no logarithm of it. (This is 1 - log2(L).)": 1 - math.log2(0.1), "This is 1 - 2(1 - exp(-L)): it is safe, but by the argument above more is certain.": 2 * math.exp(-0.1) - 1}
    assert_close(least_accuracy(loss_), 1 - loss_ / math.log(2), f"the accuracy that a loss of {loss_} guarantees", of="bound", rtol=0, atol=1e-3, mistakes=slips_,
                 hint="The error rate is at most 0.1 / log 2, about 0.144; the accuracy is what is left of 1." if loss_ == 0.1 else "Between 0 and log 2 it is a straight line, and 1/2 is nothing special.")
for loss_ in (0.8, 30.0):
    assert_close(least_accuracy(loss_), 0.0, f"the accuracy that a loss of {loss_} guarantees", of="no promise", atol=1e-6, mistakes={"An accuracy is never negative.": 1 - loss_ / math.log(2), "A negative bound is no promise: it becomes 0, not its absolute value.": loss_ / math.log(2) - 1},
                 hint="A loss above log 2 promises nothing: an accuracy of 0.")
### BEGIN HIDDEN TESTS
for loss_ in (0.02, 0.3, 0.55, 0.66, 0.69):
    assert_close(least_accuracy(loss_), 1 - math.log2(math.exp(loss_)), f"the accuracy that a loss of {loss_} guarantees", of="bound", rtol=0, atol=1e-3, hint="Between 0 and log 2 it is a straight line, from 1 down to 0.")
for loss_ in (0.7, 2.5, 1e6):
    assert_close(least_accuracy(loss_), 0.0, f"the accuracy that a loss of {loss_} guarantees", of="no promise", atol=1e-6, hint="A loss above log 2 promises nothing.")
### END HIDDEN TESTS

# %% [markdown] teaches="classifier base class, validation step"
# ## 4. What all classifiers share
#
# Now the class. In section 3.2 the `Trainer` went through the data and called two methods of the model for each batch: `training_step(batch)`, which returns the loss to be differentiated, and `validation_step(batch)`, which reports. `d2l.Module` has simple versions of both; they need a method `loss`. It also has `configure_optimizers`, which takes stochastic gradient descent with the rate `self.lr`. A network in `self.net` is used by calling the model: `self(X)`, not `self.net(X)`. At this call the trainer counts the rows of the batch, which it needs for its averages (part 5).
#
# For classification three methods are new. Here they are, one after the other:
#
# - `loss(Y_hat, Y)`, the cross-entropy. Labels may be a column, so they are flattened; with `averaged=False` one loss for each row comes back.
# - `accuracy(Y_hat, Y)`, as in exercise 4.3.4.
# - `validation_step(batch)`. A batch is a list, inputs first and labels last, so `batch[-1]` are the labels and `batch[:-1]` is all before them. `self.plot(key, value, train=False)` reports a number of this batch: it is drawn under the name `val_` + key, and the trainer keeps it.

# %% teaches="classifier base class, validation step, cross-entropy from logits"
class Classifier(d2l.Module):
    def loss(self, Y_hat, Y, averaged=True):
        rows = Y_hat.reshape(-1, Y_hat.shape[-1])                                   # (n, q)
        return F.cross_entropy(rows, Y.reshape(-1), reduction="mean" if averaged else "none")

    def accuracy(self, Y_hat, Y, averaged=True):
        rows = Y_hat.reshape(-1, Y_hat.shape[-1])
        right = (rows.argmax(dim=1) == Y.reshape(-1)).float()                       # (n,)
        return right.mean() if averaged else right

    def validation_step(self, batch):
        Y_hat = self(*batch[:-1])
        self.plot("loss", self.loss(Y_hat, batch[-1]), train=False)
        self.plot("acc", self.accuracy(Y_hat, batch[-1]), train=False)

# %% [markdown] teaches="subclass of the classifier"
# That is all; `d2l.Classifier` in the book's framework has these three methods. Whoever wants a classifier now says only what its network is, and with which rate it learns. A linear layer on the 28 · 28 pixels of Fashion-MNIST, three times through the 60,000 pictures:

# %% tags=["demo"] teaches="subclass of the classifier"
class LinearClassifier(Classifier):
    def __init__(self, inputs, classes, lr):
        super().__init__()
        self.save_hyperparameters()                                                 # self.lr and the others
        self.net = nn.Sequential(nn.Flatten(), nn.Linear(inputs, classes))          # (n, 1, 28, 28) -> (n, 784) -> (n, 10)

torch.manual_seed(0)
data = d2l.FashionMNIST(batch_size=256)
model, trainer = LinearClassifier(784, 10, lr=0.1), d2l.Trainer(max_epochs=3, verbose=False)
trainer.fit(model, data)
trainer.history.to_frame().round(4)

# %% [markdown]
# The columns are the keys that were reported, with `train_` or `val_` before them. After three epochs 81 of 100 of the validation pictures are right. By part 3 the validation loss of 0.54 alone guarantees only 1 - 0.54 / 0.693 = 0.22: a promise is not a forecast.
#
# Why does `training_step` not report the accuracy? It could. But it would be measured on batches between which the model changes, while `validation_step` measures one model on all the validation data. To compare the two, as one does to see overfitting (section 3.6), measure the training data in the same way: after the epoch, with the model held still.

# %% [markdown] teaches="top-k accuracy"
# ### Nearly right
#
# With a thousand classes, three kinds of terrier among them, a model that ranks the right one second is not useless. The *top-k accuracy* counts a row as right if its label is among the k classes with the largest scores. `topk` finds these:

# %% teaches="top-k accuracy"
values, places = scores.topk(2, dim=1)               # both (5, 2), the largest first
true_classes = torch.tensor([2, 2, 1, 2, 1])         # other labels than above, for this example
print(places.tolist(), " labels:", true_classes.tolist())
found = places == true_classes.reshape(-1, 1)        # (5, 2) against (5, 1): here the column is what we want
print("found at rank 1:", found[:, 0], " at rank 1 or 2:", found.any(dim=1))     # any: True where the row holds a True

# %% [markdown]
# Rows 0 and 4 have their label at the second place. So the accuracy is 2/5 here, and the top-2 accuracy 4/5. The label of row 1 has the smallest score of three; only with k = 3 it would count, and then every row does.

# %% [markdown] task="4.3.C" kind="code" minutes=3 difficulty=2 core=true needs="top-k accuracy, labels as a column"
# ### Among the first k
#
# Write `top_k_accuracy(Y_hat, Y, k)` for scores of shape (n, q), `float32` or `float64`, without ties, labels of shape (n,), and k from 1 to q. It returns a number or a tensor with one entry.
#
# **You are done when**
# - **k largest**: a row counts if its label is one of the k classes with the largest scores, however close the scores are;
# - **share**: the number of such rows is divided by n, so that k = q gives 1;
# - **arguments kept**: `Y_hat` and `Y` are as they were.

# %% exercise="4.3.C"
def top_k_accuracy(Y_hat, Y, k):
    """The share of rows whose label has one of the k largest scores: (n, q), (n,), k -> a number."""
    ### BEGIN SOLUTION
    return (Y_hat.topk(k, dim=1).indices == Y.reshape(-1, 1)).any(dim=1).float().mean()
    ### END SOLUTION

# %% [markdown] hints="4.3.C"
# 1. What is the shape of the places of the k largest scores, and to which shape of the labels can it be compared?
# 2. `any(dim=1)` makes one True or False of each row. What would the mean without it divide by?
# 3. In how many rows is 7 one of two guesses: `(guesses == 7).any(dim=1).sum()` for guesses of shape (n, 2).

# %% check="4.3.C" points=1
others_ = torch.tensor([[5., 3., 4., 1., 2.], [1., 5., 3., 2., 4.], [4., 5., 1., 2., 3.], [1., 5., 4., 3., 2.], [3., 4., 5., 2., 1.]])
assert_close(top_k_accuracy(others_.clone(), torch.tensor([1, 2, 3, 3, 3]), 1), 0.0, "five rows that predict 0, 1, 1, 1, 2, for the labels 1, 2, 3, 3, 3, k = 1", of="k largest", rtol=1e-4,
             mistakes={"Each label is looked for in its own row only; you may have looked for it in all rows.": 0.4, "Each row has a label of its own; you may have compared it with all labels: make them a column.": 0.8, "Each row has a label of its own; you may have compared every row with the first k labels.": 0.6,
                       "Each row has a label of its own; this is a mean over every row with every label.": 0.16, "1 would say that every row counts: here none does.": 1.0}, hint="No label has the largest score of its own row: no row counts.")
def ranks_that_count_(S, L, ranks, k):
    """Which ranks the answer counts where it gets a row alone."""
    found = [float(top_k_accuracy(S[i:i + 1].clone(), L[i:i + 1].clone(), k)) for i in range(len(L))]
    if any(abs(value) > 1e-4 and abs(value - 1) > 1e-4 for value in found):
        return f"A row alone counts 0 or 1; yours gives {next(value for value in found if abs(value) > 1e-4 and abs(value - 1) > 1e-4):.4g} for one."
    wrong = sorted({rank for rank, value in zip(ranks, found) if (value > 0.5) != (rank <= k)})
    if not wrong:
        return "For each row alone yours is right: it is the share of them, their number divided by n, that is not."
    return f"A row alone whose label has the rank {wrong[0]} counts in yours: with k = {k} it does not." if wrong[0] > k else f"A row alone whose label has the rank {wrong[0]} does not count in yours: with k = {k} it does."

ranked_ = [5, 1, 1, 2, 1, 1, 1, 3, 4, 3, 3, 1]                # the ranks of the labels
table_ = torch.stack([torch.tensor([-1., -5., -2., -4., -3.]).roll(shift_) * scale_ for shift_, scale_ in zip((0, 0, 2, 4, 1, 1, 1, 1, 3, 1, 0, 3), (3, 3, 3, 3, 3, 4, 4, 3, 3, 4, 3, 4))])
aims_ = torch.tensor([table_[i_].argsort(descending=True)[rank_ - 1].item() for i_, rank_ in enumerate(ranked_)])
for k_ in (2, 1, 3, 5):
    right_ = sum(rank_ <= k_ for rank_ in ranked_) / 12
    slips_ = {"Divide by n, not by n · k: a label stands at one of the k places at most.": right_ / k_, "This is the number of rows, not yet their share.": right_ * 12, "Divide by n, not by q.": right_ * 12 / 5, "Divide by n, not by k.": right_ * 12 / k_, "This is the share of the rows that do not count.": 1 - right_,
              "Only the k-th place counts here; all of the first k places do.": ranked_.count(k_) / 12, "Only the first place counts here; all of the first k places do, the k-th, too (where you compare with its score: `>=`, not `>`).": 6 / 12, "This is the share for k = 2: does k count?": 7 / 12, "This is the share for k = 3: one place too many?": 10 / 12,
              "No row counts here: compare the `indices` of topk, not its `values`, and ask `any`, not `all`.": 0.0, "These are the labels below k: a place is that of a score, not a class number.": (aims_ < k_).double().mean().item(),
              "Each row has k largest scores of its own; these are the k largest of the whole table.": (table_[torch.arange(12), aims_] >= table_.flatten().topk(k_).values[-1]).double().mean().item(),
              "You may have asked `any` of each place, over the rows; each row is asked, over its places: `any(dim=1)`.": (table_.topk(k_, dim=1).indices == aims_[:, None]).any(dim=0).double().mean().item(),
              "This looks up which class stands at the place with the label's number; asked for is the place at which the label stands.": (table_.argsort(dim=1, descending=True).gather(1, aims_[:, None])[:, 0] < k_).double().mean().item(),
              "These are the places 2 to k + 1: the first place counts, and the (k + 1)-th does not.": sum(2 <= rank_ <= k_ + 1 for rank_ in ranked_) / 12,
              "So many labels have one of the k smallest scores (all scores are negative here: their sign counts).": sum(rank_ > 5 - k_ for rank_ in ranked_) / 12}
    slips_ = {sentence_: value_ for sentence_, value_ in slips_.items() if abs(value_ - right_) > 1e-6 and sum(abs(value_ - other_) < 1e-6 for other_ in slips_.values()) == 1}
    assert_close(top_k_accuracy(table_.clone(), aims_.clone(), k_), right_, f"twelve rows whose labels have the ranks 5, 1, 1, 2, 1, 1, 1, 3, 4, 3, 3, 1, k = {k_}", of="share" if k_ == 5 else "k largest", rtol=1e-4, mistakes=slips_,
                 hint=lambda: ranks_that_count_(table_, aims_, ranked_, k_) + f" The rows count whose label has a rank of at most {k_}: {round(12 * right_)} of 12.")
square_, own_ = torch.tensor([[4., 3., 2., 1.], [9., 8., 0., 7.], [1., 2., 3., 4.]]), torch.tensor([3, 0, 1])
assert_close(top_k_accuracy(square_.clone(), own_.clone(), 3), 2 / 3, "three rows whose labels have the ranks 4, 1, 3, k = 3", of="share", rtol=1e-4, mistakes={"Each row is compared with its own label: make the labels a column.": 1 / 3}, hint="Two of the three rows count: divide by 3.")
assert_close(top_k_accuracy(torch.tensor([[0.5, 0.5001, 0.5002], [2e-9, 0.0, 1e-9], [-3.0, -2.9999, -2.9998]]), torch.tensor([1, 1, 0]), 2), 1 / 3, "the rows (0.5, 0.5001, 0.5002), (2e-9, 0, 1e-9), (-3, -2.9999, -2.9998), labels 1, 1, 0, k = 2", of="k largest", rtol=1e-4,
             hint="Compare the scores as they are: whatever rounds them makes neighbours equal. The labels have the ranks 2, 3, 3.")
assert_close(top_k_accuracy(torch.tensor([[1., 1 + 1e-12, 1 + 2e-12], [1., 1 - 1e-12, 1 - 2e-12]], dtype=torch.float64), torch.tensor([2, 2]), 1), 0.5, "the rows (1, 1 + 1e-12, 1 + 2e-12), (1, 1 - 1e-12, 1 - 2e-12) in float64, labels 2, 2, k = 1", of="k largest", rtol=1e-4,
             hint="Compare the scores in the dtype that they have: in float32 these neighbours become equal. The labels have the ranks 1, 3.")

@probe
def after_top_k(Y_hat, Y, k):
    top_k_accuracy(Y_hat, Y, k)
    return Y_hat, Y

kept_scores, kept_labels = after_top_k(square_.clone(), own_.clone(), 2)
assert_close(kept_scores, square_, "Y_hat after the call of top_k_accuracy, k = 2", of="arguments kept", hint="A step of the function writes into Y_hat: strike classes out in a copy.")
assert_equal(kept_labels, own_, "Y after the call of top_k_accuracy, k = 2", of="arguments kept", hint="A step of the function writes into Y.")
assert_close(after_top_k(square_.double(), own_.clone(), 2)[0], square_.double(), "Y_hat in float64 after the call of top_k_accuracy, k = 2", of="arguments kept",
             hint="A step of the function writes into Y_hat; of a float64 tensor `.double()` makes no copy.")
### BEGIN HIDDEN TESTS
source = torch.Generator().manual_seed(437)
for n_, q_, k_ in ((30, 5, 2), (11, 7, 4), (40, 10, 1), (9, 12, 6)):
    table_ = torch.randn(n_, q_, generator=source) - 1
    classes_ = torch.randint(0, q_, (n_,), generator=source)
    places_ = [sorted(row, reverse=True).index(row[c]) + 1 for row, c in zip(table_.tolist(), classes_.tolist())]
    share_ = sum(place_ <= k_ for place_ in places_) / n_
    assert_close(top_k_accuracy(table_.clone(), classes_.clone(), k_), share_, f"{n_} rows of {q_} classes, k = {k_}", of="k largest", rtol=1e-4, hint=lambda: ranks_that_count_(table_, classes_, places_, k_))
    assert_close(top_k_accuracy(table_ * 1e-9, classes_.clone(), k_), share_, f"{n_} rows of {q_} tiny scores, k = {k_}", of="k largest", rtol=1e-4, hint="With scores that are 10⁹ times as large yours is right: whatever rounds the scores makes neighbours equal.")
    assert_close(top_k_accuracy(table_.double() * 1e-10 - 2, classes_.clone(), k_), share_, f"{n_} rows of {q_} float64 scores that are close together, k = {k_}", of="k largest", rtol=1e-4, hint="Compare the scores in the dtype that they have: in float32 these neighbours become equal.")
    assert_close(top_k_accuracy(table_.clone(), classes_.clone(), q_), 1.0, f"{n_} rows of {q_} classes, k = {q_}", of="share", rtol=1e-4, hint="With k = q every label is among the first k.")
    kept_scores, kept_labels = after_top_k(table_.clone(), classes_.clone(), k_)
    assert_close(kept_scores, table_, f"Y_hat after the call of top_k_accuracy, {n_} rows, k = {k_}", of="arguments kept", hint="A step of the function writes into Y_hat: strike classes out in a copy.")
    assert_equal(kept_labels, classes_, f"Y after the call of top_k_accuracy, {n_} rows, k = {k_}", of="arguments kept", hint="A step of the function writes into Y.")
### END HIDDEN TESTS

# %% [markdown] task="4.3.7" kind="code" minutes=18 difficulty=4 core=true needs="classifier base class, validation step, cross-entropy from logits, top-k accuracy, labels as a column"
# ### A classifier that reports two accuracies
#
# Write the class `TopTwoClassifier(d2l.Module)`. Its scores `Y_hat` are logits from -20 to 20 of shape (n, q), its labels have shape (n,) or (n, 1).
#
# - `loss(self, Y_hat, Y, averaged=True)` is the cross-entropy of logits.
# - `validation_step(self, batch)` reports three numbers of the batch with `self.plot(key, value, train=False)`, in any order: `"loss"`; `"acc"`, the accuracy; `"top2"`, the top-2 accuracy.
#
# A subclass sets `self.net` and `self.lr`; training step and optimizer come from `d2l.Module`, and the trainer weights the batches.
#
# **You are done when**
# - **base**: `d2l.Module` is the only base class, so that everything new is your own;
# - **loss**: it is the mean over the rows, with its graph, so that training follows its gradient;
# - **each row**: with `averaged=False` there is one loss for each row, shape (n,);
# - **reported**: after `fit` the history has `val_loss`, `val_acc` and `val_top2` for each epoch;
# - **values**: these are the mean loss, the accuracy and the top-2 accuracy over the validation data;
# - **columns**: labels of shape (n, 1) give the same losses and the same numbers as labels of shape (n,).

# %% exercise="4.3.7"
class TopTwoClassifier(d2l.Module):
    """A base class of classifiers that reports loss, accuracy and top-two accuracy in validation."""
    ### BEGIN SOLUTION
    def loss(self, Y_hat, Y, averaged=True):
        return F.cross_entropy(Y_hat, Y.reshape(-1), reduction="mean" if averaged else "none")

    def validation_step(self, batch):
        Y_hat, Y = self(*batch[:-1]), batch[-1].reshape(-1, 1)
        top = Y_hat.topk(2, dim=1).indices == Y
        self.plot("loss", self.loss(Y_hat, Y), train=False)
        self.plot("acc", top[:, 0].float().mean(), train=False)
        self.plot("top2", top.any(dim=1).float().mean(), train=False)
    ### END SOLUTION

# %% [markdown] hints="4.3.7"
# 1. What does `validation_step` of the class `Classifier` above do, line by line? Which line is missing?
# 2. `F.cross_entropy` takes `reduction="mean"` or `"none"`, and labels of shape (n,). `Y_hat.topk(2, dim=1).indices` has shape (n, 2); compared with a column (n, 1) it broadcasts the way you want.
# 3. A base class for regression that reports the largest error of a batch has `self.plot("worst", (self(*batch[:-1]) - batch[-1]).abs().max(), train=False)` in its `validation_step`.

# %% check="4.3.7" points=3
@probe
def bases():
    return [base.__name__ for base in TopTwoClassifier.__bases__]

@probe
def both_losses(logits, classes):
    model = TopTwoClassifier()
    return model.loss(logits, classes), model.loss(logits, classes, averaged=False)

@probe
def slope_of_the_loss(logits, classes):
    logits = logits.clone().requires_grad_()
    TopTwoClassifier().loss(logits, classes).backward()
    return logits.grad

@probe
def history_of(X, Y, weight, batch_size, epochs):
    class Small(TopTwoClassifier):
        def __init__(self):
            super().__init__()
            self.lr = 0.2
            self.net = nn.Linear(weight.shape[1], weight.shape[0], bias=False)
            self.net.weight.data.copy_(weight)

    class Rows(d2l.DataModule):
        def get_dataloader(self, train):
            return self.get_tensorloader((X, Y), False)

    model, rows = Small(), Rows()
    rows.batch_size = batch_size
    model.board.display = False
    trainer = d2l.Trainer(epochs, device="cpu", verbose=False)
    trainer.fit(model, rows)
    return [dict(row) for row in trainer.history]

def check_loss(n_, q_, seed_, column_alone_=False):
    source_ = torch.Generator().manual_seed(seed_)
    logits_, classes_ = 3 * torch.randn(n_, q_, generator=source_), torch.randint(0, q_, (n_,), generator=source_)
    rows_ = torch.logsumexp(logits_.double(), 1) - logits_.double()[torch.arange(n_), classes_]
    for shape_, of_ in (((n_,), ""), ((n_, 1), "columns"))[column_alone_:]:
        words_ = f"TopTwoClassifier().loss for {n_} row{'s' * (n_ > 1)} of {q_} classes, labels of shape {shape_}"
        mean_, each_ = both_losses(logits_.clone(), classes_.reshape(shape_).clone())
        def one_by_one_():
            alone_ = [float(both_losses(logits_[i_:i_ + 1].clone(), classes_[i_:i_ + 1].clone().reshape(1, *shape_[1:]))[0]) for i_ in range(n_)]
            return "For each row alone your loss is right: it is their mean that is not." if all(abs(a_ - b_) < 1e-3 for a_, b_ in zip(alone_, rows_.tolist())) else (
                "Already for a row alone your loss is wrong: it is minus the logarithm of the label's probability, that is, the logarithm of the sum of exp over all logits, minus the logit of the label.")
        assert_type(mean_, torch.Tensor, words_, of=of_ or "loss")
        assert_close(mean_, rows_.mean().item(), words_, of=of_ or "loss", rtol=1e-4, hint=one_by_one_,
                     mistakes={"This is the sum; the mean over the rows is asked for.": rows_.sum().item(), "Divide by the number of rows, not by rows times classes.": rows_.mean().item() / q_, "`F.cross_entropy` takes the softmax itself: give it the logits.": F.cross_entropy(torch.softmax(logits_, 1), classes_).item(),
                               "The sign: the loss is minus the logarithm of the probability.": -rows_.mean().item(), "The logarithm is the natural one, not that to base 2.": rows_.mean().item() / math.log(2),
                               "This is the cross-entropy with label_smoothing=0.1: here the label alone counts.": F.cross_entropy(logits_, classes_, label_smoothing=0.1).item(),
                               "This is minus the mean of the labels' logits: `F.nll_loss` wants logarithms of probabilities, `F.log_softmax` of the logits.": -logits_[torch.arange(n_), classes_].mean().item(),
                               "Every row was paired with every label: row numbers of shape (n,) and labels of shape (n, 1) broadcast.": -torch.log_softmax(logits_, 1)[:, classes_].mean().item()} if n_ > 1 else {})
        assert_type(each_, torch.Tensor, f"{words_}, averaged=False", of=of_ or "each row")
        assert_shape(each_, (n_,), f"{words_}, averaged=False: the shape", of=of_ or "each row", hint="One loss for each row, and a single axis.",
                     mistakes={"With averaged=False nothing is averaged: one loss for each row comes back.": (), "The losses of the rows come back in a single axis, also where the labels are a column.": (n_, 1), "One loss for each row: only the label of a row counts in it.": (n_, q_)})
        assert_close(each_, rows_.float(), f"{words_}, averaged=False", of=of_ or "each row", hint="With averaged=True it is right: here the losses stand row by row, in their order, and are not divided by anything.",
                     mistakes={"The losses of the rows are not divided by their number.": rows_.float() / n_} if n_ > 1 else {})
    slope_ = (torch.softmax(logits_, 1) - torch.eye(q_)[classes_]) / n_
    assert_close(slope_of_the_loss(logits_.clone(), classes_.clone()), slope_, f"the gradient of the loss for {n_} row{'s' * (n_ > 1)} of {q_} classes", of="loss", hint="From the loss back to the scores: without its graph no gradient comes there.")

def check_history(n_, d_, q_, size_, epochs_, seed_, column_=False):
    source_ = torch.Generator().manual_seed(seed_)
    X_, Y_, weight_ = torch.randn(n_, d_, generator=source_), torch.randint(0, q_, (n_,), generator=source_), torch.randn(q_, d_, generator=source_)
    words_ = f"{n_} examples of {q_} classes in batches of {size_}, labels of shape {(n_, 1) if column_ else (n_,)}"
    history_ = history_of(X_.clone(), Y_.reshape(-1, 1).clone() if column_ else Y_.clone(), weight_.clone(), size_, epochs_)
    assert_equal(len(history_), epochs_, f"how many epochs the history has for {words_}", of="reported")
    for key_ in ("val_loss", "val_acc", "val_top2"):
        assert_true(all(key_ in row_ for row_ in history_), f"{key_} is in the history after fit, in every epoch", of="reported",
                    hint=f"The history has {also_}: the key is \"{key_[4:]}\", and `val_` is put before it." if (also_ := f"val_{key_}") in history_[0] else
                    f"The history has {also_}: say train=False." if (also_ := f"train_{key_[4:]}") in history_[0] and key_ != "val_loss" else
                    f"Report it in validation_step: self.plot(\"{key_[4:]}\", ..., train=False). The history has {', '.join(sorted(set(history_[0]) - {'epoch'}))}.")
    weight_.requires_grad_()
    for epoch_ in range(epochs_):
        for rows_ in torch.arange(n_).split(size_):
            grad_, = torch.autograd.grad(F.cross_entropy(X_[rows_] @ weight_.T, Y_[rows_]), weight_)
            weight_ = (weight_ - 0.2 * grad_).detach().requires_grad_()
        result_ = (X_ @ weight_.T).detach()
        rank_ = (result_ > result_[torch.arange(n_), Y_][:, None]).sum(1)
        each_ = {"val_loss": F.cross_entropy(result_, Y_, reduction="none"), "val_acc": (rank_ == 0).float(), "val_top2": (rank_ < 2).float()}
        wanted_ = {key_: rows_.mean().item() for key_, rows_ in each_.items()}
        for key_, value_ in wanted_.items():
            pieces_ = each_[key_].split(size_)
            sums_ = sum(len(piece_) * piece_.sum() for piece_ in pieces_).item() / n_
            slips_ = {"val_top2": {"Only the second largest score counts here; the largest does, too.": (rank_ == 1).float().mean().item(), "This is the accuracy.": wanted_["val_acc"], "This is the share of labels among the first three: `topk` takes the number, here 2.": (rank_ < 3).float().mean().item(), "These are the two smallest scores; `topk` finds the largest, and `argsort` begins with the smallest.": (rank_ >= q_ - 2).float().mean().item(), "Divide by the number of rows, not by that of places.": value_ / 2,
                                   "Hits at the first place are counted twice: each row counts once.": value_ + wanted_["val_acc"]},
                      "val_acc": {"This is the top-2 accuracy.": wanted_["val_top2"], "The largest score decides, also where its probability is under 1/2.": (torch.softmax(result_, 1)[torch.arange(n_), Y_] > 0.5).float().mean().item(), "This is the share of mistakes.": 1 - value_},
                      "val_loss": {"The batches were averaged as if all were equally long. The trainer counts the rows when the model is called: `self(X)`, not `self.net(X)`.": torch.stack([piece_.mean() for piece_ in pieces_]).mean().item(),
                                   "The trainer weights the batches itself: report the plain mean over the rows of the batch.": sums_ / size_}}[key_]
            slips_["Report the mean over the rows of the batch, not their sum: the trainer weights the batches itself."] = sums_
            slips_["This is the mean of the first batch alone: validation_step reports for each batch."] = pieces_[0].mean().item()
            if epoch_ == 0:
                slips_["Report each batch by itself: the trainer averages over the batches. You may have counted the batches before along."] = sum(
                    len(piece_) * torch.cat(pieces_[:number_ + 1]).mean().item() for number_, piece_ in enumerate(pieces_)) / n_
            if column_ and key_ != "val_loss":
                slips_["Every prediction was compared with every label: a row against a column broadcasts."] = sum(
                    (result_[rows_].topk(1 if key_ == "val_acc" else 2).indices[None] == Y_[rows_][:, None, None]).any(2).float().sum().item() / len(rows_) for rows_ in torch.arange(n_).split(size_)) / n_
            if column_ and key_ == "val_top2":
                slips_["The labels are a column already: with one axis more, (n, 1, 1), each is compared with the places of every row."] = sum(
                    (result_[rows_].topk(2).indices[None] == Y_[rows_][:, None, None]).any(1).float().sum().item() / 2 for rows_ in torch.arange(n_).split(size_)) / n_
            slips_ = {s_: v_ for s_, v_ in slips_.items() if abs(v_ - value_) > 2e-3 and sum(abs(v_ - o_) < 2e-3 for o_ in slips_.values()) == 1}
            assert_close(history_[epoch_][key_], value_, f"{key_} of epoch {epoch_ + 1}, {words_}", of="columns" if column_ else "values", rtol=1e-3, atol=1e-5, mistakes=slips_,
                         hint="If the loss passes its own check, look at the training: step and optimizer come from d2l.Module, and validation must not change the model." if key_ == "val_loss" else
                         f"val_loss is right, so the model is trained as it should be. {key_} is the share of all {n_} rows whose label has " + ("the largest score." if key_ == "val_acc" else "one of the two largest scores."))

with part(0.5, "base and loss"):
    assert_equal(bases(), ["Module"], "the base classes of TopTwoClassifier", of="base", hint="Write class TopTwoClassifier(d2l.Module), and in it all that is new.")
    check_loss(4, 3, 1)
    for logits_, size_ in ((torch.tensor([[0.0, 9.0], [9.0, 0.0]]), 9), (torch.tensor([[20.0, -20.0], [-20.0, 20.0]]), 40)):
        assert_close(both_losses(logits_, torch.tensor([0, 0]))[0], F.cross_entropy(logits_, torch.tensor([0, 0])).item(), f"TopTwoClassifier().loss for two rows, in one of them the label's logit is {size_} below the other", of="loss", rtol=1e-4,
                     hint="The label's probability is small in this row. A number added to it, or a least value for it, makes the loss too small: take the logarithm of the probability as it is.")
    check_loss(1, 3, 4, column_alone_=True)
with part(1, "validation"):
    check_history(11, 4, 4, 4, 1, 7)
    check_history(9, 3, 4, 4, 2, 42, column_=True)
### BEGIN HIDDEN TESTS
with part(0.5, "base and loss, other numbers"):
    assert_equal(bases(), ["Module"], "the base classes of TopTwoClassifier", of="base")
    check_loss(7, 5, 2)
    check_loss(1, 4, 3)
    far_ = torch.tensor([[17.0, -19.0, 3.0], [-12.0, 20.0, 2.0]])
    assert_close(both_losses(far_, torch.tensor([1, 0]))[0], F.cross_entropy(far_, torch.tensor([1, 0])).item(), "TopTwoClassifier().loss for two rows in which the label has a small probability", of="loss", rtol=1e-4,
                 hint="A number added to the probability, or a least value for it, makes the loss too small.")
with part(1, "validation, other numbers"):
    check_history(11, 3, 5, 4, 2, 38)
    check_history(30, 6, 8, 30, 1, 39)
    check_history(13, 2, 6, 4, 2, 88, column_=True)
total()
### END HIDDEN TESTS

# %% [markdown] teaches="mean of batch means, exact mean over batches"
# ## 5. Averages of averages
#
# The validation data come in batches, and each batch reports a mean. How do they become one number? The obvious way is the mean of the batch means; call it the *quick* mean. ⚠ It is the mean over the examples only if all batches are equally long.
# Four examples with the losses 1, 1, 1, 5 in batches of three: the batch means are 1 and 5, so the quick mean is 3. The mean of the four losses is 2. The last example made up a batch alone, and weighed as much as the other three together.
#
# The remedy: a batch of r examples with the mean m adds r · m to the sum over all examples. The *exact* mean is the sum of all r · m, divided by the number of all examples: (3 · 1 + 1 · 5) / 4 = 2.
#
# How much does that matter for 10,000 pictures? Here is the one model of part 4, measured with several batch sizes:

# %% tags=["demo"] teaches="mean of batch means, exact mean over batches"
X, y = data.val[torch.arange(10_000)]                             # a data set takes a tensor of row numbers: all pictures, all labels
with torch.no_grad():
    losses = model.loss(model(X), y, averaged=False)              # (10000,), a loss for each picture
print(f"mean over the 10,000 pictures: {losses.mean():.4f}")
for batch_size in (16, 64, 256, 3000, 9999):
    batches = losses.split(batch_size)                            # a tuple of tensors, the last one may be shorter
    quick_mean = torch.stack([b.mean() for b in batches]).mean()
    exact = sum(len(b) * b.mean() for b in batches) / len(losses)
    print(f"batches of {batch_size:4}, last one {len(batches[-1]):4}: quick {quick_mean:.4f}, exact {exact:.4f}")

# %% [markdown]
# The model is the same in every line, and the quick mean is not. In the last line a single picture decides half of it. Two people who compare their models by quick means with different batch sizes compare batch sizes, too.
#
# `d2l.Trainer` weights each batch by its number of examples, so `val_loss` and `val_acc` are exact. Many training loops on the web do not.

# %% [markdown] task="4.3.D" kind="code" minutes=2 difficulty=1 core=true needs="exact mean over batches, weighted average"
# ### From batch means to the mean
#
# Write `mean_of_batches(means, counts)`: `means` is a list of batch means, `counts` a list with the number of examples in each batch. It returns the mean over all examples.
#
# **You are done when**
# - **weights**: each batch counts with its number of examples, whichever batch is the short one;
# - **mean**: the sum is divided by the number of examples, also for a single batch;
# - **arguments kept**: both lists are as they were.

# %% exercise="4.3.D"
def mean_of_batches(means, counts):
    """The mean over all examples from the means and the sizes of the batches."""
    ### BEGIN SOLUTION
    return sum(r * m for m, r in zip(means, counts)) / sum(counts)
    ### END SOLUTION

# %% [markdown] hints="4.3.D"
# 1. What does a batch of r examples with mean m add to the sum over all examples?
# 2. `zip(means, counts)` goes through both lists together.
# 3. Three classes of 10, 10 and 4 pupils have the mean ages 30, 42 and 18: (300 + 420 + 72) / 24 = 33.

# %% check="4.3.D" points=1
@probe
def after_mean_of_batches(means, counts):
    mean_of_batches(means, counts)
    return means, counts

def batches_alone_(means, counts):
    """What the answer says of each batch alone."""
    alone = [float(mean_of_batches([m], [c])) for m, c in zip(means, counts)]
    return "For each batch alone yours is right, its mean: it is the weights, r examples of all, that are not." if all(abs(a - m) < 1e-4 for a, m in zip(alone, means)) else (
        "Already for one batch alone yours is wrong: its mean is the mean of all examples there.")

assert_close(mean_of_batches([2.0, 2.0, 2.0], [4, 4, 1]), 2.0, "three batches with mean 2", of="mean", rtol=1e-5, mistakes={"This is the sum: divide by the number of examples.": 18.0, "Divide by the number of examples, not of batches.": 6.0, "Divide by the number of examples: the last batch is not full.": 1.5, "The means were added up without their weights.": 2 / 3})
assert_close(mean_of_batches([0.5], [6]), 0.5, "a single batch of 6 examples with mean 0.5", of="mean", rtol=1e-5, mistakes={"This is the sum: divide by the number of examples.": 3.0, "The result became a whole number: `//` rounds down, and so does an integer dtype.": 0.0})
assert_close(mean_of_batches([1.0, 4.0, 7.0], [5, 5, 2]), 3.25, "batch means 1, 4, 7 of 5, 5, 2 examples", of="weights", rtol=1e-5, mistakes={"This is the quick mean.": 4.0, "This is the sum: divide by the number of examples.": 39.0, "Divide by the number of examples, not of batches.": 13.0, "The weights are upside down: a long batch counts more, not less.": 5.0, "Each mean has the count at its own place: the first belongs to the first.": 4.75,
             "This is the mean of the first batch: all batches count. Is the `return` inside the loop?": 1.0, "The last batch was left out.": 2.5, "The first batch was left out.": 34 / 7, "You may have a running mean that counts the batches before as one example.": 35 / 6, "You may have a running mean that does not count all examples so far.": 26.5 / 7, "The mean is not rounded.": 3.2},
             hint=lambda: batches_alone_([1.0, 4.0, 7.0], [5, 5, 2]) + " The sums of the batches are 5, 20 and 14; they have 12 examples in all.")
assert_close(mean_of_batches([1.0, 4.0], [3, 1]), 1.75, "batch means 1 and 4 of 3 and 1 examples", of="weights", rtol=1e-5, hint="The sums of the batches are 3 and 4; they have 4 examples in all.")
assert_close(mean_of_batches([5.0, -3.0, 2.0], [1, 7, 2]), -1.2, "batch means 5, -3, 2 of 1, 7, 2 examples", of="weights", rtol=1e-5, atol=1e-6, mistakes={"This is the quick mean.": 4 / 3, "This is the sum: divide by the number of examples.": -12.0, "Divide by the number of examples, not of batches.": -4.0, "Each batch has a length of its own: the short one may stand first.": 0.6, "You may have given all batches but the last the length of the first.": 1.5, "You may have a running mean that does not count all examples so far.": 2 / 3, "A mean may be negative: keep its sign, and that of each batch.": 3.0, "A mean may be negative: keep its sign.": 1.2,
             "Each mean has the count at its own place: you may have sorted the counts.": 3.1, "Each mean has the count at its own place: you may have turned the counts round.": -0.9},
             hint=lambda: batches_alone_([5.0, -3.0, 2.0], [1, 7, 2]) + " The sums of the batches are 5, -21 and 4; they have 10 examples in all.")
assert_close(mean_of_batches([0.25, 1.5], [3, 2]), 0.75, "batch means 0.25 and 1.5 of 3 and 2 examples", of="mean", rtol=1e-5, mistakes={"The sum of a batch, here 0.75, is not a whole number: do not cut it.": 0.6, "The sum of a batch, here 0.75, is not a whole number: do not round it.": 0.8})
assert_close(mean_of_batches([0.0, 1.0], [2, 1]), 1 / 3, "batch means 0 and 1 of 2 and 1 examples", of="mean", rtol=1e-5, hint="The mean is not rounded.")
kept_means, kept_counts = after_mean_of_batches([1.0, 4.0], [3, 1])
assert_equal(kept_means, [1.0, 4.0], "means after the call of mean_of_batches", of="arguments kept", mistakes={
    "It is empty now: what takes entries out of a list, as `pop` does, takes them out of the caller's list.": []}, hint="A step of the function changes the list means.")
assert_equal(kept_counts, [3, 1], "counts after the call of mean_of_batches", of="arguments kept", hint="A step of the function changes the list counts.")
### BEGIN HIDDEN TESTS
source = torch.Generator().manual_seed(441)
for sizes_ in ((4, 4, 2), (1, 9), (3, 8, 1, 5, 2)):
    pieces_ = [torch.randn(r_, generator=source, dtype=torch.float64) + r_ for r_ in sizes_]
    assert_close(mean_of_batches([p_.mean().item() for p_ in pieces_], list(sizes_)), torch.cat(pieces_).mean().item(), f"batches of {sizes_} examples", of="weights", rtol=1e-4,
                 hint=lambda: batches_alone_([p_.mean().item() for p_ in pieces_], list(sizes_)))
kept_means, kept_counts = after_mean_of_batches([5.0, -2.0, 0.5], [4, 4, 3])
assert_equal(kept_means, [5.0, -2.0, 0.5], "means after the call of mean_of_batches, three batches", of="arguments kept", hint="A step of the function changes the list means.")
assert_equal(kept_counts, [4, 4, 3], "counts after the call of mean_of_batches, three batches", of="arguments kept", hint="A step of the function changes the list counts.")
assert_close(mean_of_batches([-1.25], [11]), -1.25, "a single batch of 11 examples", of="mean", rtol=1e-4, hint="The mean of a single batch is the mean of all examples.")
assert_close(mean_of_batches([0.25] * 5, [7, 7, 7, 7, 3]), 0.25, "five batches with mean 0.25", of="mean", rtol=1e-4, hint="Where all batches have the same mean, all examples have it: divide by their number.")
### END HIDDEN TESTS

# %% [markdown] task="4.3.1" kind="code" minutes=10 difficulty=3 core=true needs="mean of batch means, exact mean over batches"
# ### From the quick mean to the exact one
#
# A program has printed the quick mean, and the batch means are gone. You still know the mean of the last batch, and that every batch but the last is full. That is enough.
#
# Write `exact_mean(quick, last, num_examples, batch_size)`: `quick` is the mean of the batch means and `last` the mean of the last batch, both floats; it returns the mean over all examples, as a number. No example is dropped.
#
# **You are done when**
# - **short last batch**: the result is the exact mean where the last batch is shorter than the others;
# - **full batches**: it is `quick` where `batch_size` divides `num_examples`: then the last batch is full, too;
# - **one batch**: it is right where `num_examples` is smaller than `batch_size`: the last batch is the only one.

# %% exercise="4.3.1"
def exact_mean(quick, last, num_examples, batch_size):
    """The mean over all examples, from the mean of the batch means and the mean of the last batch."""
    ### BEGIN SOLUTION
    batches = math.ceil(num_examples / batch_size)
    in_last = num_examples - (batches - 1) * batch_size
    others = batches * quick - last                 # the sum of the means of the full batches
    return (batch_size * others + in_last * last) / num_examples
    ### END SOLUTION

# %% [markdown] hints="4.3.1"
# 1. How do you get the *sum* of the batch means from `quick`, and from that the sum over the full batches?
# 2. There are `math.ceil(num_examples / batch_size)` batches: `math.ceil(2.3)` is 3. Mind `n % b`, the remainder: it is 0, not b, where b divides n.
# 3. Three groups of 10, 10 and 4 people have mean ages whose mean is 30; the small group's mean is 18. The other two means add up to 90 - 18 = 72, so the ages add up to 10 · 72 + 4 · 18 = 792, and the mean age is 33.

# %% check="4.3.1" points=2
assert_close(exact_mean(3.0, 5.0, 4, 3), 2.0, "losses (1, 1, 1, 5) in batches of 3: quick = 3, last = 5", of="short last batch", rtol=1e-5,
             mistakes={"This is the quick mean.": 3.0, "The last batch lacks two examples: what is too much is taken off for each of them, not once.": 3.25, "`quick` is the mean over all batches, the last one included: how many are there?": 3.5, "Weight the last batch by its one example, not like a full one.": 4.5, "Divide by the number of examples, not by batches times batch size.": 8 / 6,
                       "There are two batches here: the short one counts as a batch, too.": -0.25, "This is the mean of the full batches alone; the last batch belongs to all examples, too.": 1.0, "You may have given the last batch the weight of the two examples that it lacks; it has one.": 2.6, "`quick` counts the last batch as if it were full: what is too much is taken off, not added.": 7.0, "`quick` is a mean: only times the number of batches is it the sum from which `last` can be subtracted.": 1.625,
                       "In `quick` the last batch already counts too much: the exact mean is farther from `last` than `quick`, not nearer.": 4.0},
             hint=lambda: ("With `last` = 0, all else the same, yours is right: it is the part of the last batch that is not. " if abs(float(exact_mean(3.0, 0.0, 4, 3)) - 4.5) < 1e-4 else "") + "There are two batches, so their means add up to 2 · 3 = 6, and the full one has the mean 6 - 5 = 1.")
assert_close(exact_mean(4.0, 1.0, 9, 4), 5.0, "three batches of 4, 4 and 1 examples: quick = 4, last = 1", of="short last batch", rtol=1e-5, mistakes={"This is the quick mean.": 4.0}, hint="The means of the two full batches add up to 3 · 4 - 1 = 11.")
assert_close(exact_mean(4.0, 6.0, 5, 3), 3.6, "losses (1, 2, 3) and (4, 8), in batches of 3: quick = 4, last = 6", of="short last batch", rtol=1e-5, mistakes={"This is the quick mean.": 4.0, "The last batch has two examples here, not one.": 2.4}, hint="The last batch has two examples here.")
assert_close(exact_mean(4.0, 10.0, 7, 2), 22 / 7, "losses (1, 1), (2, 2), (3, 3) and (10), in batches of 2: quick = 4, last = 10", of="short last batch", rtol=1e-5, mistakes={"This is the quick mean.": 4.0}, hint="There are four batches here: three full ones and one with a single example.")
for given_ in ((1.5, 2.0, 4, 2), (2.0, 1.0, 9, 3)):
    assert_close(exact_mean(*given_), given_[0], f"quick = {given_[0]}, last = {given_[1]}, {given_[2]} examples in batches of {given_[3]}", of="full batches", rtol=1e-5, hint="How many examples has the last batch if the batch size divides their number?",
                 mistakes={"You may have counted one batch too many. How many examples has the last batch if the batch size divides their number?": ((given_[2] + given_[3]) * given_[0] - given_[3] * given_[1]) / given_[2],
                           "How many examples has the last batch if the batch size divides their number? It is full: `n % b` is 0 there, and b is meant.": given_[0] - given_[3] * given_[1] / given_[2]})
for given_ in ((0.75, 0.75, 3, 8), (2.5, 2.5, 6, 7)):
    assert_close(exact_mean(*given_), given_[0], f"{given_[2]} examples in batches of {given_[3]}, quick = last = {given_[0]}", of="one batch", rtol=1e-5, hint="There is one batch, and it holds all examples.",
                 mistakes={"There is one batch, and it is not full: divide its sum by its own number of examples.": given_[0] * given_[2] / given_[3], "There is one batch, and it is not full: its sum is its mean times its own number of examples.": given_[0] * given_[3] / given_[2]})
### BEGIN HIDDEN TESTS
def exact_oracle_(quick, last, num_examples, batch_size):
    missing = -num_examples % batch_size
    return (quick * (num_examples + missing) - last * missing) / num_examples

source = torch.Generator().manual_seed(31)
for n_, b_, of_ in ((10, 4, "short last batch"), (11, 1, "full batches"), (12, 5, "short last batch"), (7, 7, "full batches"), (3, 11, "one batch"), (24, 6, "full batches"), (1, 2, "one batch"), (1000, 256, "short last batch")):
    sample_ = torch.randn(n_, generator=source, dtype=torch.float64).square() - 0.3
    means_ = [piece_.mean().item() for piece_ in sample_.split(b_)]
    quick_ = sum(means_) / len(means_)
    assert_close(exact_mean(quick_, means_[-1], n_, b_), sample_.mean().item(), f"{n_} examples in batches of {b_}", of=of_, rtol=1e-4, mistakes={"This is the quick mean.": quick_} if of_ == "short last batch" else {},
                 hint=lambda: where_they_part(exact_mean, exact_oracle_, quick=quick_, last=means_[-1], num_examples=n_, batch_size=b_) if of_ == "short last batch" else
                 "All batches are full: the mean of their means is that of all examples." if of_ == "full batches" else "There is one batch, and it holds all examples: its mean is the mean.")
### END HIDDEN TESTS

# %% [markdown] teaches="all orders of a set, weights of the examples in a mean"
# ### Wrong, but not to one side
#
# Is the quick mean systematically too large or too small? Let us try all orders of a small set. `itertools.permutations` lists them, and a list of orders as an index gives all rearranged losses at once:

# %% teaches="all orders of a set"
orders = torch.tensor(list(itertools.permutations(range(3))))       # (6, 3): the 3! = 6 orders of three examples
three = torch.tensor([1., 2., 6.])
print(three[orders].tolist())                                       # each row is the same three losses in another order
first_of = three[orders][:, 0]                                      # the first loss of each order
print("mean:", first_of.mean().item(), " variance:", first_of.var(correction=0).item())

# %% [markdown]
# The first loss of an order, as an estimate of the mean, is now too large and now too small; over all orders its mean is 3, that of the three losses. (`var(correction=0)` divides by the number of values, here 6; without it `var` divides by one less, which is for samples.)
#
# The quick mean, too, is a sum of the losses, each with a *weight*. With m batches, an example in a full batch of b has the weight 1/(m b), one in a last batch of r has 1/(m r). The weights add up to 1, since there are (m - 1) b examples of the first kind and r of the second: (m - 1)/m + 1/m = 1. In the exact mean every weight is 1/n.
#
# Let the losses be independent draws with variance σ². A draw times a number w has the variance w² σ², and the variances of independent draws add up (section 2.6): a sum with the weights $w_1, \dots, w_n$ has the variance $\sigma^2 \sum_i w_i^2$.
#
# How small can it be, if the weights add up to 1? Look at their distances from 1/n. A sum of squares is not negative, so
#
# $$0 \;\le\; \sum_i \Big(w_i - \frac1n\Big)^2 = \sum_i w_i^2 - \frac2n \sum_i w_i + n \cdot \frac1{n^2} = \sum_i w_i^2 - \frac1n .$$
#
# So the squares add up to at least 1/n, and to exactly that if all weights are 1/n: no weighted mean scatters less than the exact one.

# %% teaches="weights of the examples in a mean"
quick_weights = torch.tensor([1 / 6, 1 / 6, 1 / 6, 1 / 2])          # n = 4 in batches of 3: m = 2, b = 3, r = 1
equal_weights = torch.full((4,), 1 / 4)
for name, w in (("quick", quick_weights), ("exact", equal_weights)):
    print(f"{name}: sum of the weights {w.sum():.3f}, of their squares {w.square().sum():.4f}")

# %% [markdown] task="4.3.2a" kind="code" minutes=10 difficulty=3 needs="all orders of a set, mean of batch means, variance"
# ### Over all orders
#
# Write `quick_over_orders(losses, batch_size)`: `losses` is a `float64` tensor of shape (n,), 2 ≤ n ≤ 7. In each of the n! orders the examples are cut into batches of `batch_size`, the last one possibly smaller, and the quick mean is taken. Return a pair: the mean and the variance of these n! quick means.
#
# **You are done when**
# - **mean**: it stands first;
# - **variance**: it stands second: the mean squared deviation, so divide by n!, not by n! - 1;
# - **last batch**: it is a batch like the others, however short it is; with equal batches the variance is 0;
# - **argument kept**: `losses` is as it was.

# %% exercise="4.3.2a"
def quick_over_orders(losses, batch_size):
    """Mean and variance of the mean of batch means over all orders of the examples."""
    ### BEGIN SOLUTION
    orders = torch.tensor(list(itertools.permutations(range(len(losses)))))
    batches = losses[orders].split(batch_size, dim=1)
    quick = torch.stack([batch.mean(dim=1) for batch in batches]).mean(dim=0)
    return quick.mean(), quick.var(correction=0)
    ### END SOLUTION

# %% [markdown] hints="4.3.2a"
# 1. What does `losses[orders]` hold if `orders` is a table with an order in each row? Along which axis are batches cut?
# 2. `t.split(2, dim=1)` cuts the columns of a table into groups of 2. Or loop over the orders, and keep each quick mean in a list.
# 3. The mean of the *first* of three values over all orders: each value comes first in 2 of 6 orders, so it is the mean of the values. Its variance is that of the values.

# %% check="4.3.2a" points=2
@probe
def after_quick_over_orders(losses, batch_size):
    quick_over_orders(losses, batch_size)
    return losses

said_ = {"all": "This is the variance of all the batch means: take each order's quick mean first, one number for each order.",
         "independent": "This is for losses that are drawn independently; here they are fixed, and each occurs once in every order.",
         "left out": "The short last batch was left out: it is a batch, too.",
         "as given": "This is the quick mean of the losses as they are given: the examples are put into all orders (not the batches).",
         "set": "Equal quick means of different orders count one by one: a set keeps one of them.",
         "full": "Divide each batch by its own number of examples: the last one is shorter."}

def how_it_grows_(losses_, b_):
    """What becomes of the variance where all losses are doubled, or 10 larger, in words, if it is not what should."""
    once_, doubled_, raised_ = (float(quick_over_orders(each_, b_)[1]) for each_ in (losses_, 2 * losses_, losses_ + 10))
    if abs(doubled_ - 4 * once_) > 1e-3 * abs(once_):
        return f" With all losses doubled the variance should become 4 times as large, {4 * once_:.4g}; yours becomes {doubled_:.4g}."
    return " With 10 added to each loss the variance should stay; yours does not." if abs(raised_ - once_) > 1e-3 * abs(once_) else ""

def check_orders(values_, b_, of_, words_, variance_, others_, hint_, rtol_=1e-4):
    """`others_`: the variance, or the mean, that comes out by a known mistake."""
    losses_ = torch.tensor(values_, dtype=torch.float64)
    answer_ = quick_over_orders(losses_, b_)
    assert_type(answer_, (tuple, list, torch.Tensor), f"the pair of mean and variance for {words_}", of="mean", hint="Return both: the mean, then the variance.")
    if isinstance(answer_, torch.Tensor):
        assert_shape(answer_, (2,), f"the pair of mean and variance for {words_}", of="mean")
    assert_equal(len(answer_), 2, f"how many numbers come back for {words_}: a mean and a variance", of="mean", hint="Two numbers for all orders together, not one for each order.")
    n_, mean_ = len(values_), sum(values_) / len(values_)
    count_, sizes_ = math.factorial(n_), [str(len(batch_)) for batch_ in losses_.split(b_)]
    means_ = {"The mean stands first, the variance second.": variance_, "The losses are numbers as they are: do not round them.": sum(round(v_) for v_ in values_) / n_,
              **{said_[name_]: others_[name_] for name_ in ("as given", "set", "full") if name_ in others_}}
    slips_ = {"This divides by the number of orders minus 1.": variance_ * count_ / (count_ - 1), "This is the standard deviation: the variance is its square.": variance_ ** 0.5,
              f"A variance of 0: yours is the mean over all {n_} losses, the same in every order. The quick mean of an order is the mean of its {len(sizes_)} batch means, of {' and '.join(sizes_)} losses of that order, and depends on the order." if n_ != 4 else "A variance of 0: are the batches here three losses and one? You may have used `chunk`, which takes the number of batches; `split` takes their length.": 0.0,
              "This is the mean of the squares: subtract the mean before you square.": variance_ + mean_ ** 2, "This is the variance of the losses.": losses_.var(correction=0).item()} if variance_ > 1e-9 else {}
    slips_ |= {said_[name_]: others_[name_] for name_ in ("all", "independent", "left out") if name_ in others_}
    slips_ = {s_: v_ for s_, v_ in slips_.items() if abs(v_ - variance_) > 1e-6}
    means_ = {s_: v_ for s_, v_ in means_.items() if abs(v_ - mean_) > 1e-3}
    assert_close(answer_[0], mean_, f"the mean for {words_}", of=of_ if of_ == "last batch" else "mean", rtol=1e-4, atol=1e-5, mistakes=means_, hint=f"Each of the {count_} orders counts once; a random choice of orders has another mean.")
    assert_close(answer_[1], variance_, f"the variance for {words_}", of=of_, rtol=rtol_, atol=1e-5, mistakes=slips_, hint=lambda: hint_() if callable(hint_) else hint_ + (how_it_grows_(losses_, b_) if variance_ else ""))

check_orders([0., 0., 3.], 2, "variance", "the losses (0, 0, 3) in batches of 2", 0.125, {"all": 1.25, "independent": 0.75, "left out": 0.5, "as given": 1.5, "set": 1.125, "full": 0.75},
             "Of the 6 quick means two are 1.5 and four are 0.75, with the mean 1: the variance is the mean of their squared distances from 1.")
check_orders([1., 2., 4., 8.], 3, "variance", "the losses (1, 2, 4, 8) in batches of 3", 115 / 144, {"all": 3.993056, "independent": 2.395833, "as given": 31 / 6, "full": 2.5},
             "The mean is right. The loss that stands last, alone in its batch, decides: with 1 there the quick mean is (14/3 + 1) / 2 = 2.833, with 2 it is 3.167, with 4 3.833, with 8 5.167, "
             "each in 6 of the 24 orders. The variance is the mean of the squared distances of all 24 from 3.75.")
check_orders([1., 2., 4., 8.], 2, "last batch", "the losses (1, 2, 4, 8) in batches of 2", 0.0, {},
             "The mean is right. Two batches of two: in every order the mean of their means is the mean of all four, 3.75, so all distances from it are 0.")
check_orders([1.5, -0.25, 5.], 4, "last batch", "the losses (1.5, -0.25, 5) in batches of 4", 0.0, {"full": 1.5625},
             "The mean is right. There is one batch, of three losses: its mean is the same in every order, and all distances from it are 0.")
check_orders([2., 0., 1., 3., 7.], 2, "last batch", "the losses (2, 0, 1, 3, 7) in batches of 2", 73 / 450, {"all": 3.406667, "independent": 1.297778, "left out": 0.365, "as given": 10 / 3, "full": 13 / 6},
             "The mean is right. There are three batches, of two, two and one. With 7 last the first two means add up to 6 / 2 = 3, and the quick mean is (3 + 7) / 3 = 3.333; "
             "with 0 last it is 6.5 / 3 = 2.167. The variance is the mean of the squared distances of the quick means, one for each order, from 2.6.")
check_orders([1., 2., 4., 8., 0.], 3, "variance", "the losses (1, 2, 4, 8, 0) in batches of 3", 1 / 12, {"all": 13 / 6, "independent": 5 / 3, "left out": 4 / 3, "as given": 19 / 6, "full": 2.5},
             "Every order counts, 120 of five losses: in some of them any two losses stand last.")
digits_ = "The difference of two large squares loses its digits in float32: subtract the mean before you square, or stay in float64."
check_orders([300., 301., 303., 308.], 3, "variance", "the losses (300, 301, 303, 308) in batches of 3", 19 / 18, {"all": 95 / 18, "independent": 19 / 6, "as given": 914 / 3, "full": 202.},
             lambda: digits_, rtol_=1e-3)
assert_equal(after_quick_over_orders(torch.tensor([1., 5., 2.], dtype=torch.float64), 2), torch.tensor([1., 5., 2.], dtype=torch.float64), "losses after the call of quick_over_orders", of="argument kept", hint="A step of the function writes into losses.")
### BEGIN HIDDEN TESTS
def by_weights_(losses, batch_size):
    """The mean, and the variance of a weighted sum under a random permutation."""
    sizes = [min(batch_size, len(losses) - i) for i in range(0, len(losses), batch_size)]
    return losses.mean(), losses.var(correction=0) * len(losses) / max(len(losses) - 1, 1) * (sum(1 / r for r in sizes) / len(sizes) ** 2 - 1 / len(losses))

def check_by_weights_(values_, b_, of_, words_, hint_=None, rtol_=1e-4):
    losses_, n_ = torch.tensor(values_, dtype=torch.float64), len(values_)
    (mean_, variance_), spread_ = (part_.item() for part_ in by_weights_(losses_, b_)), losses_.var().item()
    batches_, full_ = losses_.split(b_), n_ // b_ * b_
    shares_ = [1 / len(batch_) for batch_ in batches_]
    different_ = {round(sum(sum(order_[i_:i_ + b_]) / len(order_[i_:i_ + b_]) for i_ in range(0, n_, b_)) / len(batches_), 9) for order_ in itertools.permutations(values_)}
    others_ = {"as given": sum(batch_.mean().item() for batch_ in batches_) / len(batches_), "set": sum(different_) / len(different_), "full": mean_ * n_ / b_ / len(batches_)}
    if variance_ > 1e-9:
        others_ |= {"all": spread_ * (sum(shares_) / len(shares_) - 1 / n_), "independent": spread_ * (n_ - 1) / n_ * sum(shares_) / len(shares_) ** 2}
    if 0 < full_ < n_:
        others_ |= {"left out": spread_ * (1 / full_ - 1 / n_)}
    check_orders(values_, b_, of_, words_, variance_, others_, hint_ or (lambda: where_they_part(quick_over_orders, by_weights_, losses=losses_, batch_size=b_) or
                 "The mean is right: the variance is the mean of the squared distances of the quick means, one for each order, from it."), rtol_)

source = torch.Generator().manual_seed(32)
for n_, b_, of_ in ((4, 3, "variance"), (5, 2, "variance"), (6, 4, "last batch"), (7, 5, "variance"), (6, 3, "last batch"), (2, 5, "last batch"), (7, 3, "last batch")):
    values_ = (torch.randn(n_, generator=source, dtype=torch.float64) * 2 + 1).tolist()
    check_by_weights_(values_, b_, of_, f"{n_} losses in batches of {b_}")
    given_ = torch.tensor(values_, dtype=torch.float64)
    assert_equal(after_quick_over_orders(given_.clone(), b_), given_, f"losses after the call of quick_over_orders, {n_} losses in batches of {b_}", of="argument kept", hint="A step of the function writes into losses.")
check_by_weights_([-410., -411.5, -409., -410.5, -412.], 2, "variance", "five losses near -410 in batches of 2", lambda: digits_, 1e-3)
### END HIDDEN TESTS

# %% [markdown] task="4.3.2b" kind="explain" minutes=15 difficulty=4 needs="weights of the examples in a mean, mean of batch means, expectation, variance of a sum, independence"
# ### Right on average
#
# An estimate is *unbiased* if its expectation is what it estimates. Write `variance_ratio(n, batch_size)`: the losses of n examples are independent draws from one distribution; it returns the variance of their quick mean divided by the variance of their exact mean, a number.
#
# Then answer in words:
# 1. Show that the quick mean and the exact mean have the same expectation, if the n losses are drawn from one distribution.
# 2. In exercise 4.3.2a the losses were fixed, and only the order was drawn. What do its results say about the quick mean then? (If you have not done it: try the order by hand, for the losses 0, 0, 3 in batches of 2.)
# 3. Why is the exact mean preferred all the same? Give two reasons, one of them with a number.
#
# **You are done when**
# - **ratio**: it is right where the last batch is shorter than the others;
# - **equal batches**: it is 1 where all batches are equally long, and where there is only one batch.
#
# The words are complete when the first answer says what holds for a batch of any length, and the third names two different reasons.

# %% exercise="4.3.2b"
def variance_ratio(n, batch_size):
    """Variance of the mean of batch means over that of the mean, for n independent losses."""
    ### BEGIN SOLUTION
    m = math.ceil(n / batch_size)
    r = n - (m - 1) * batch_size
    squares = ((m - 1) / batch_size + 1 / r) / m ** 2
    return n * squares
    ### END SOLUTION

# %% [markdown] written="4.3.2b" points=4
# ### BEGIN SOLUTION
# 1. Let each loss have the expectation μ. A batch of r examples has the mean (1/r) Σ lᵢ, whose expectation is (1/r) · r · μ = μ, whatever r is. The mean of m such means has the expectation (1/m) · m · μ = μ. The exact mean has it too: (1/n) · n · μ = μ. Shorter: both are weighted sums of the losses with weights that add up to 1. Only the linearity of the expectation was used, so a short last batch does no harm, and even independence is not needed.
# 2. For *fixed* losses the mean of the quick mean over all orders is the exact mean of these losses, so a quick mean of shuffled data is unbiased without any assumption about where the losses come from: each example is equally likely to stand in each place. But its variance over the orders is not 0. For the losses 0, 0, 3 in batches of 2 the quick mean is 1.5 if the 3 comes last (in 2 of 6 orders), else 0.75; the mean is 1, the variance 0.125. For one fixed order, without shuffling, it is simply off.
# 3. *It scatters more.* For independent losses its variance is larger by the factor n Σ wᵢ², which is above 1 as soon as the weights differ: 4/3 for 4 examples in batches of 3, 1.34 for 10,000 in batches of 256, 2,500 for 10,000 in batches of 9,999. And over the orders of fixed losses the exact mean does not vary at all. *It depends on what it should not depend on*: the batch size and the order. Two models, or one model on two machines, are then measured with two yardsticks. The exact mean costs nothing more; one only has to count the examples of each batch.
#
# **Rubric**
# - [1] The expectation of a batch mean is μ for a batch of any length, and then that of the mean of the means is μ by linearity, in words or in symbols; also accepted: both are weighted sums whose weights add up to 1; lost by an argument that needs batches of equal length.
# - [1] For fixed losses, the mean of the quick mean over all orders is the exact mean: shuffling alone makes it right on average; lost by "it equals the exact mean in every order".
# - [1] It scatters more than the exact mean, with a number for it: a ratio or a variance, from a function or by hand; also accepted for the number: a quick mean in one order that differs from the exact mean, as 1.5 against 1; lost by "because the quick mean is biased".
# - [1] Another reason: it depends on the batch size or on the order, so that two measurements cannot be compared; also accepted: single examples of a short batch weigh far more than others, or the exact mean needs nothing but the counts.
# ### END SOLUTION

# %% [markdown] hints="4.3.2b"
# 1. Which weight has an example in a full batch, and which one in the last batch? How many are there of each?
# 2. Variance of a weighted sum of independent draws: σ² Σ wᵢ². The exact mean has σ²/n.
# 3. Five people in groups of 2, 2 and 1: weights 1/6, 1/6, 1/6, 1/6, 1/3; their squares add up to 4/36 + 1/9 = 2/9; the ratio is 5 · 2/9 = 10/9.

# %% check="4.3.2b" points=2
def check_ratio(n_, b_, of_):
    w_ = [1 / (math.ceil(n_ / b_) * min(b_, n_ - start_)) for start_ in range(0, n_, b_) for _ in range(min(b_, n_ - start_))]
    right_ = n_ * sum(v_ ** 2 for v_ in w_)
    batches_ = math.ceil(n_ / b_)
    last_ = n_ - (batches_ - 1) * b_
    slips_ = {"The number of batches is whole: n / b is rounded up.": right_ * (batches_ * b_ / n_) ** 2,
              f"The last batch adds {last_} · (1/({batches_} · {last_}))² to the sum of the squares: its weight is squared, with the number of batches in it.": n_ * ((batches_ - 1) / (batches_ ** 2 * b_) + 1 / (batches_ * last_)),
              "You may have left the short batch out of the number of batches.": right_ * (batches_ / (batches_ - 1)) ** 2, "This is as if a batch mean scattered as much as one loss: a mean of r losses has 1/r of its variance.": n_ / batches_,
              "The square of a weight is added once for each example, not once for each batch.": n_ * ((batches_ - 1) / b_ ** 2 + 1 / last_ ** 2) / batches_ ** 2, f"The last batch has {last_} examples here, not one.": n_ * ((batches_ - 1) / b_ + 1) / batches_ ** 2,
              f"The last batch has {last_} examples: the square of the weight is added for each of them.": n_ * ((batches_ - 1) / b_ + 1 / last_ ** 2) / batches_ ** 2,
              "This is by how much the ratio exceeds 1.": right_ - 1, "This is the inverse.": 1 / right_, "This is the ratio of the standard deviations.": right_ ** 0.5, "This is the sum of the squared weights: divide by the variance of the exact mean, 1/n.": right_ / n_,
              "1 would say that every example has the same weight, or it is the sum of the weights: in a short batch the weight is larger, and the squares of the weights are added.": 1.0, "The number of batches is squared, too, as part of each weight.": right_ * batches_, "An example has the weight 1/(m · b) in a full batch, 1/(m · r) in the last one: the number of batches m, too, is in it.": right_ * batches_ ** 2,
              "This gives all examples the weight of those in a full batch; in the last one it is larger.": (n_ / (batches_ * b_)) ** 2, "You may have joined the short batch to the one before: it is a batch of its own.": n_ * ((batches_ - 2) / b_ + 1 / (b_ + last_)) / (batches_ - 1) ** 2, "This is for a fixed set of losses in random order, as in 4.3.2a; here the losses are drawn.": (right_ - 1) * n_ / (n_ - 1)} if right_ > 1.001 else {}
    if n_ % b_ == 0:
        slips_ = {"You may have counted one batch too many: where the batch size divides n, there are n / b batches.": (batches_ / (batches_ + 1)) ** 2,
                  "You may have counted one batch too many: where the batch size divides n, there are n / b batches. ": batches_ / (batches_ + 1),
                  "The last batch is full here: where n % b is 0, it has b examples, not one.": n_ * ((batches_ - 1) / b_ + 1) / batches_ ** 2}
    if n_ < b_:
        slips_ = {"There is one batch, with n examples: each has the weight 1/n. (The batch size is larger, and plays no part.)": n_ / b_,
                  "There is one batch, with n examples: each has the weight 1/n. (The batch size is larger, and plays no part.) ": (n_ / b_) ** 2,
                  "There is one batch, with n examples: each has the weight 1/n. (The batch size is larger, and plays no part.)  ": b_ / n_}
    slips_ = {s_: v_ for s_, v_ in slips_.items() if abs(v_ - right_) > 1e-3}
    found_ = variance_ratio(n_, b_)
    assert_type(found_, (int, float, torch.Tensor), f"the ratio for {n_} examples in batches of {b_}", of=of_)
    assert_close(found_, right_, f"the ratio for {n_} examples in batches of {b_}", of=of_, rtol=1e-4, mistakes=slips_,
                 hint="Each of the six examples in full batches has the weight 1/9, the one in the last batch 1/3: the sum of their squares is 6/81 + 1/9. In the exact mean all have 1/7, and the sum is 1/7." + (
                     " (Yours is near the ratio, and not it. Drawn losses give no exact ratio.)" if n_ == 7 and abs(float(found_) - right_) < 0.1 * right_ else "") if n_ == 7 else "Each weight is squared, then they are added: how many examples have which weight?" if of_ == "ratio" else "All batches are equally long here. How many are there, and how many examples has the last one?")

check_ratio(7, 3, "ratio")
check_ratio(4, 3, "ratio")
check_ratio(10, 4, "ratio")
check_ratio(9999, 9998, "ratio")
check_ratio(12, 4, "equal batches")
check_ratio(6, 9, "equal batches")
check_ratio(5, 5, "equal batches")
### BEGIN HIDDEN TESTS
for n_, b_, of_ in ((10_000, 256, "ratio"), (9, 2, "ratio"), (100, 99, "ratio"), (23, 5, "ratio"), (8, 1, "equal batches"), (3, 100, "equal batches"), (60, 20, "equal batches")):
    check_ratio(n_, b_, of_)
### END HIDDEN TESTS

# %% [markdown] teaches="expected cost of a decision"
# ## 6. The class to choose
#
# A classifier gives probabilities. What to *do* is another question. Naming the most probable class makes few mistakes, as if all mistakes were equally bad. They seldom are.
#
# A patient is ill with probability p. There are three actions, and their costs depend on the truth: a missed illness costs 10, a needless treatment 2, a further test 1 in either case, and the right decision nothing. Written as a table, a row for each class and a column for each action:
#
# | who comes | send home | treat | test again |
# |---|---|---|---|
# | **healthy** | 0 | 2 | 1 |
# | **ill** | 10 | 0 | 1 |
#
# Nobody knows the class, but the *expected cost* of each action can be computed: each cost times the probability that it has to be paid. For p = 0.3, sending home costs 0.7 · 0 + 0.3 · 10 = 3 on average.

# %% teaches="expected cost of a decision"
cost_table = torch.tensor([[0., 2., 1.], [10., 0., 1.]])        # (2, 3): rows healthy, ill; columns home, treat, test
belief = torch.tensor([0.7, 0.3])                               # (2,): probabilities of healthy and ill
for action, name in enumerate(("send home", "treat", "test again")):
    print(f"{name:10}: {(belief * cost_table[:, action]).sum():.1f}")

# %% tags=["demo"]
chance_ill = torch.linspace(0, 1, 101)
figure, ax = plt.subplots(figsize=(5.8, 2.8), layout="constrained")
for curve, name, style in ((10 * chance_ill, "send home", "-"), (2 * (1 - chance_ill), "treat", "--"), (torch.ones(101), "test again", ":")):
    ax.plot(chance_ill, curve, style, label=name)
ax.set(xlabel="probability p of the illness", ylabel="expected cost", ylim=(0, 4))
ax.grid(alpha=0.3)
ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
plt.show()

# %% [markdown]
# What to see: the expected costs are straight lines in p, and the best action is the lowest one: send home up to p = 0.1, then test, and treat from p = 0.5 on. At p = 0.3 the best action is the test, though "healthy" is more than twice as probable as "ill". And "test again" is no class at all: there may be more actions than classes, or fewer.

# %% [markdown] task="4.3.E" kind="code" minutes=2 difficulty=1 needs="expected cost of a decision, weighted sum"
# ### What each action costs
#
# Write `expected_costs(p, cost)` for one example: `p` of shape (q,) holds the probabilities of the classes, `cost` of shape (q, a) the cost of each action for each class, both `float32`. It returns a tensor with the expected cost of each action.
#
# **You are done when**
# - **shape**: the result has shape (a,), an entry for each action;
# - **values**: each cost is weighted with the probability of its class;
# - **arguments kept**: `p` and `cost` are as they were.

# %% exercise="4.3.E"
def expected_costs(p, cost):
    """The expected cost of each action: (q,), (q, a) -> (a,)."""
    ### BEGIN SOLUTION
    return p @ cost
    ### END SOLUTION

# %% [markdown] hints="4.3.E"
# 1. Over which axis of `cost` is summed?
# 2. `p[:, None] * cost` weights each row; `sum(dim=0)` adds the rows. A vector times a matrix, `p @ cost`, does both.
# 3. Rain with probability 0.4; an umbrella costs 1 in any weather, getting wet 3: with the umbrella 1, without it 0.4 · 3 = 1.2.

# %% check="4.3.E" points=1
@probe
def after_expected_costs(p, cost):
    expected_costs(p, cost)
    return p, cost

@probe
def error_of_expected_costs(p, cost):
    """The text of the error with which the call ends because shapes do not fit, or ""."""
    try:
        expected_costs(p, cost)
    except RuntimeError as error:
        if "must match the size" not in str(error):
            raise
        return f"{type(error).__name__}: {error}"
    return ""

clinic_ = torch.tensor([[0., 2., 1.], [10., 0., 1.]])
stopped_ = error_of_expected_costs(torch.tensor([0.7, 0.3]), clinic_.clone())
assert_true(stopped_ == "", f"expected_costs ends without an error for p = (0.7, 0.3) and the cost table (2, 3) of the clinic; yours with {stopped_}", of="shape",
             hint="p has an entry for each row of cost, but axes are compared from the right, where cost has its columns: as a column, `p[:, None]`, p goes with the rows.")
got_ = expected_costs(torch.tensor([0.7, 0.3]), clinic_.clone())
assert_type(got_, torch.Tensor, "what expected_costs returns for the clinic, p = (0.7, 0.3)", of="shape")
assert_shape(got_, (3,), "the shape for 2 classes and 3 actions", of="shape",
             hint={(2,): "This is one number for each class: the sum for an action runs over the classes.", (2, 3): "These are the weighted costs; those of an action are added up.", (): "This is a single number: each action has a sum of its own.",
                   (1, 3): "This is a table with one row; a tensor with one axis is asked for.", (3, 1): "This is a column; a tensor with one axis is asked for."}.get(tuple(got_.shape), ""))
assert_close(got_, torch.tensor([3., 1.4, 1.]), "the expected costs in the clinic for p = (0.7, 0.3)", of="values", mistakes={"Each cost is weighted with the probability of its class.": torch.tensor([10., 2., 2.]), "A mean over the classes is not weighted.": torch.tensor([5., 1., 1.]), "The probabilities belong to the other class.": torch.tensor([7., 0.6, 1.]), "Add up the weighted costs; do not divide by the number of classes.": torch.tensor([1.5, 0.7, 0.5]),
             "These are the costs for the most probable class; every class counts with its probability.": torch.tensor([0., 2., 1.]), "The result was rounded.": torch.tensor([3., 1., 1.]), "The probabilities are the weights as they are, not squared.": torch.tensor([0.49, 0.09]) @ clinic_,
             "All classes are added up; these are the largest of the weighted costs.": torch.tensor([3., 1.4, 0.7]), "`p` holds probabilities already: no softmax.": torch.softmax(torch.tensor([0.7, 0.3]), 0) @ clinic_},
             hint="Action 0 costs 0.7 · 0 + 0.3 · 10, action 1 costs 0.7 · 2 + 0.3 · 0.")
square_ = expected_costs(torch.tensor([0.5, 0.25, 0.25]), torch.tensor([[0., 4., 8.], [1., 0., 2.], [3., 1., 0.]]))
assert_shape(square_, (3,), "the shape for 3 classes and 3 actions", of="shape")
assert_close(square_, torch.tensor([1., 2.25, 4.5]), "p = (0.5, 0.25, 0.25), costs (0, 4, 8), (1, 0, 2), (3, 1, 0)", of="values", mistakes={"Rows of `cost` are classes, columns are actions.": torch.tensor([3., 1., 1.75]), "`p * cost` weights the columns; the probabilities belong to the rows.": torch.tensor([2., 1.25, 2.5]), "This is one number for each class: the sum for an action runs over the classes.": torch.tensor([6., 0.75, 1.])}, hint="There are three classes here, and each counts with its own probability.")
assert_close(expected_costs(torch.tensor([0.5, 0.5]), torch.tensor([[-4., 2.], [1., -6.]])), torch.tensor([-1.5, -2.]), "p = (0.5, 0.5), costs (-4, 2), (1, -6)", of="values", hint="A negative cost is a gain: it keeps its sign.")
kept_p, kept_cost = after_expected_costs(torch.tensor([0.7, 0.3]), clinic_.clone())
assert_close(kept_p, torch.tensor([0.7, 0.3]), "p after the call of expected_costs", of="arguments kept", hint="A step of the function writes into p.")
assert_close(kept_cost, clinic_, "cost after the call of expected_costs", of="arguments kept", hint="A step of the function writes into cost.")
### BEGIN HIDDEN TESTS
source = torch.Generator().manual_seed(442)
for q_, a_ in ((4, 2), (3, 5), (4, 4), (6, 1)):
    p_, cost_ = torch.softmax(torch.randn(q_, generator=source), 0), torch.rand(q_, a_, generator=source) * 9 - 2
    kept_p, kept_cost = after_expected_costs(p_.clone(), cost_.clone())
    assert_close(kept_p, p_, f"p after the call of expected_costs, {q_} classes and {a_} actions", of="arguments kept", hint="A step of the function writes into p.")
    assert_close(kept_cost, cost_, f"cost after the call of expected_costs, {q_} classes and {a_} actions", of="arguments kept", hint="A step of the function writes into cost.")
    got_ = expected_costs(p_.clone(), cost_.clone())
    assert_shape(got_, (a_,), f"the shape for {q_} classes and {a_} actions", of="shape")
    assert_close(got_, torch.tensor([sum(p_[c].item() * cost_[c, j].item() for c in range(q_)) for j in range(a_)]), f"{q_} classes and {a_} actions", of="values",
                 hint=lambda: where_they_part(expected_costs, lambda p, cost: (p[:, None] * cost).sum(dim=0), p=p_, cost=cost_))
### END HIDDEN TESTS

# %% [markdown] task="4.3.3a" kind="code" minutes=6 difficulty=2 core=true needs="expected cost of a decision, matrix product"
# ### The smallest expected cost
#
# Now for a batch. Write `best_actions(P, cost)`. Each row of `P`, of shape (n, q), holds the probabilities of the classes for one example. `cost`, of shape (q, a) and the same dtype, is a table as above: `cost[y, j]` is the cost of action j when the class is y; a gain is a negative cost. It returns the number of the best action for each example.
#
# **You are done when**
# - **shape**: the result is an `int64` tensor of shape (n,), also for n = 1;
# - **cheapest**: each entry is the action with the smallest expected cost for its row;
# - **rows are classes**: that holds for a square `cost`, too;
# - **all actions**: any of the actions can be chosen, whether there are more or fewer than classes;
# - **arguments kept**: `P` and `cost` are as they were.

# %% exercise="4.3.3a"
def best_actions(P, cost):
    """The action with the smallest expected cost for each example: (n, q), (q, a) -> (n,)."""
    ### BEGIN SOLUTION
    return (P @ cost).argmin(dim=1)
    ### END SOLUTION

# %% [markdown] hints="4.3.3a"
# 1. What is the expected cost of action j for one example, as a sum over the classes?
# 2. The sum over a shared axis, for all examples and all actions at once, is a matrix product (n, q) @ (q, a). `argmin(dim=1)` gives the place of the smallest entry of each row.
# 3. The umbrella again, for rain with the probabilities 0.2, 0.4: without it the expected costs are 0.6 and 1.2, with it 1 and 1. Leave it at home on the first day, take it on the second, though that will probably stay dry.

# %% check="4.3.3a" points=2
@probe
def after_best_actions(P, cost):
    best_actions(P, cost)
    return P, cost

@probe
def error_of_best_actions(P, cost):
    """The text of the error with which the call ends because shapes do not fit, or ""."""
    try:
        best_actions(P, cost)
    except RuntimeError as error:
        return f"{type(error).__name__}: {error}"
    return ""

def check_actions(P_, cost_, words_, of_, mistakes_=None, hint_=None):
    got_ = best_actions(P_.clone(), cost_.clone())
    assert_type(got_, torch.Tensor, f"what best_actions returns for {words_}", of="shape")
    assert_shape(got_, (len(P_),), f"the shape for {words_}", of="shape",
                 hint={(cost_.shape[1],): "This is one number for each action: each row of P has an action of its own.", (len(P_), 1): "This is a column; a tensor with one axis is asked for.", (): "This is a single number: each row of P has an action of its own, and a batch of one keeps its axis.",
                       (len(P_), cost_.shape[1]): "This has an entry for each action; the number of the best one is asked for."}.get(tuple(got_.shape), ""))
    assert_dtype(got_, torch.int64, f"the dtype of the actions' numbers (not their costs) for {words_}", of="shape", hint="`argmin` gives the places of the smallest entries, int64; `min` gives the smallest entries, too.")
    best_ = [min(range(cost_.shape[1]), key=lambda j: sum(a_ * b_ for a_, b_ in zip(row_, cost_[:, j].tolist()))) for row_ in P_.tolist()]
    slips_ = mistakes_ if mistakes_ is not None else {}
    def which_action_():
        row_ = next(i for i, (one, other) in enumerate(zip(got_.tolist(), best_)) if one != other)
        if not 0 <= got_[row_] < cost_.shape[1]:
            return f"For example {row_} yours is {int(got_[row_])}: there are the actions 0 to {cost_.shape[1] - 1}."
        return f"For example {row_} another action has a smaller expected cost than action {int(got_[row_])}, which yours is: the sum over the classes of probability times cost."
    assert_equal(got_, best_, f"the actions for {words_}", of=of_, mistakes={s_: v_ for s_, v_ in slips_.items() if v_ != best_}, hint=hint_ or which_action_)
    kept_P, kept_cost = after_best_actions(P_.clone(), cost_.clone())
    assert_close(kept_P, P_, f"P after the call of best_actions for {words_}", of="arguments kept", hint="A step of the function writes into P.")
    assert_close(kept_cost, cost_, f"cost after the call of best_actions for {words_}", of="arguments kept", hint="A step of the function writes into cost.")

clinic = torch.tensor([[0., 2., 1.], [10., 0., 1.]])        # rows: healthy, ill; columns: home, treat, test
people = torch.tensor([[0.95, 0.05], [0.7, 0.3], [0.4, 0.6], [0.8, 0.2]])
stopped_ = error_of_best_actions(people.clone(), clinic.clone())
assert_true(stopped_ == "", f"best_actions ends without an error for P of shape (4, 2) and the cost table (2, 3) of the clinic; yours with {stopped_}", of="rows are classes",
            hint=lambda: "Rows of `cost` are classes, columns are actions. For a square table yours ends without an error, and takes the rows for actions." if best_actions(people.clone(), torch.tensor([[1., 8.], [2., 0.]])).tolist() == [0, 1, 1, 1] else
            "The shared axis is that of the classes: the columns of P, the rows of cost.")
check_actions(people, clinic, "the clinic, 4 people with p = 0.05, 0.3, 0.6, 0.2", "cheapest", {"The costs of the less probable class count, too.": [0, 0, 1, 0], "The probabilities are the weights as they are, not squared.": [0, 2, 1, 0], "This is the dearest action.": [1, 0, 0, 0], "Action 2, test again, can be chosen, too: there are three actions for two classes.": [0, 1, 1, 1],
              "Here all have action 2, which is the best for the second and the fourth person only.": [2, 2, 2, 2], "You may have taken a softmax of `P`: its rows are probabilities already.": [2, 2, 1, 2], "Each person has a best action of their own; here all have action 1.": [1, 1, 1, 1], "The weighted costs of an action are added up; this compares the larger of them.": [0, 2, 2, 2], "Action 0 for all: its cost of 0 for the healthy is only one of two costs, which are weighted and added up.": [0, 0, 0, 0]},
              "The expected costs are 0.5, 1.9, 1 for the first person, 3, 1.4, 1 for the second, 6, 0.8, 1 for the third, 2, 1.6, 1 for the fourth.")
check_actions(people[1:2], clinic, "a single person, p = 0.3", "cheapest")
check_actions(people, torch.tensor([[1., 8.], [2., 0.]]), "p = 0.05, 0.3, 0.6, 0.2, costs (1, 8), (2, 0)", "rows are classes", {"Rows of `cost` are classes, columns are actions.": [0, 1, 1, 1]})
gain_ = "A negative cost is a gain: -3 is less than -1, and both are less than 0."
check_actions(people, torch.tensor([[-3., 1.], [2., -4.]]), "p = 0.05, 0.3, 0.6, 0.2, costs (-3, 1), (2, -4)", "cheapest", None, gain_)
check_actions(people, torch.tensor([[-3., -1.], [2., -4.]]), "p = 0.05, 0.3, 0.6, 0.2, costs (-3, -1), (2, -4)", "cheapest", None, gain_)
check_actions(torch.tensor([[0.2, 0.8], [0.8, 0.2]]), torch.tensor([[5., 1., 4., 0.], [2., 6., 0.5, 9.]]), "2 classes and 4 actions", "all actions", {"There are four actions, and the last one can be chosen, too.": [2, 1], "There are four actions; you may have looked at the first two only, as many as there are classes.": [0, 1]})
check_actions(torch.tensor([[0.4, 0.1, 0.5], [0.1, 0.8, 0.1], [0.1, 0.2, 0.7]]), torch.tensor([[1., -4.], [1., 2.], [1., 3.]]), "3 classes and 2 actions", "all actions", {}, "All classes count, each with its own probability: the sum is over the rows of cost, three here.")
check_actions(torch.tensor([[0.5, 0.5], [0.25, 0.75]]), torch.tensor([[1.02, 1.0], [1.0, 1.01]]), "2 examples, p = 0.5 and 0.75, costs (1.02, 1), (1, 1.01)", "cheapest", {"Expected costs that are close are not equal: do not round them.": [0, 0]}, "The expected costs are 1.01 and 1.005 for the first example, 1.005 and 1.0075 for the second.")
### BEGIN HIDDEN TESTS
source = torch.Generator().manual_seed(33)
for n_, q_, a_, kind_, of_ in ((6, 3, 5, torch.float32, "all actions"), (40, 4, 2, torch.float64, "all actions"), (30, 3, 3, torch.float32, "rows are classes"), (1, 5, 4, torch.float64, "shape"), (25, 6, 4, torch.float32, "cheapest")):
    P_ = torch.rand(n_, q_, generator=source, dtype=torch.float64)
    P_ = (P_ / P_.sum(dim=1, keepdim=True)).to(kind_)
    cost_ = (torch.rand(q_, a_, generator=source, dtype=torch.float64) * 9 - 2).to(kind_)
    check_actions(P_, cost_, f"{n_} examples, {q_} classes, {a_} actions", of_)
check_actions(torch.eye(3)[[2, 0, 1, 1]], 1 - torch.eye(3), "cost 1 for any mistake, and certain predictions", "cheapest")
gains_ = torch.softmax(torch.randn(20, 4, generator=source), 1)
check_actions(gains_, torch.rand(4, 3, generator=source) * 8 - 6, "20 examples, 4 classes, 3 actions, mostly gains", "cheapest")
### END HIDDEN TESTS

# %% [markdown] teaches="decision threshold"
# ### Two classes, two actions
#
# With two classes and two actions the picture has two lines, and they cross once. Left of the crossing action 0 is the cheaper one, right of it action 1. So the whole rule is one number, a *threshold* t: do action 1 if p, the probability of class 1, is above t. Here, where a false alarm costs 1 and a miss 3:

# %% teaches="decision threshold"
small_cost = torch.tensor([[0., 1.], [3., 0.]])                 # rows: class 0, class 1; columns: action 0, action 1
for p in (0.2, 0.25, 0.3):
    print(f"p = {p}: action 0 costs {(1 - p) * small_cost[0, 0] + p * small_cost[1, 0]:.2f}, action 1 costs {(1 - p) * small_cost[0, 1] + p * small_cost[1, 1]:.2f}")

# %% [markdown] task="4.3.3b" kind="code" minutes=8 difficulty=3 needs="decision threshold, expected cost of a decision"
# ### The threshold of two classes
#
# Write `threshold(cost)` for a `float32` table `cost` of shape (2, 2), rows classes, columns actions. It returns the probability of class 1 at which both actions have the same expected cost, as a number or a tensor with one entry. You may take for granted that the wrong action costs more than the right one: `cost[0, 1] > cost[0, 0]` and `cost[1, 0] > cost[1, 1]`.
#
# **You are done when**
# - **free right actions**: it is right where the right actions cost nothing: 1/4 for the table above;
# - **dear right actions**: it is right where they cost or bring something, too;
# - **argument kept**: `cost` is as it was.

# %% exercise="4.3.3b"
def threshold(cost):
    """The probability of class 1 from which on action 1 is the cheaper one; cost is (2, 2)."""
    ### BEGIN SOLUTION
    false_alarm = cost[0, 1] - cost[0, 0]
    miss = cost[1, 0] - cost[1, 1]
    return false_alarm / (false_alarm + miss)
    ### END SOLUTION

# %% [markdown] hints="4.3.3b"
# 1. What are the two expected costs as functions of p? Where are they equal?
# 2. Action 0 costs (1 - p) · cost[0, 0] + p · cost[1, 0]. An equation a + p · b = c + p · d has the solution p = (c - a) / (b - d).
# 3. For the umbrella: 1 = 3p gives the threshold 1/3.

# %% check="4.3.3b" points=1
@probe
def after_threshold(cost):
    threshold(cost)
    return cost

def costs_there_(table):
    """The expected costs of both actions at the p that the answer gives."""
    p = float(threshold(table.clone()))
    zero, one = ((1 - p) * float(table[0, j]) + p * float(table[1, j]) for j in (0, 1))
    return f"At your p = {p:.4g} action 0 costs {zero:.4g} and action 1 costs {one:.4g} on average: at the threshold they are equal."

assert_close(threshold(torch.tensor([[0., 2.], [9., 0.]])), 2 / 11, "costs (0, 2), (9, 0)", of="free right actions", rtol=1e-4,
             mistakes={"This is 2/9, the odds; a probability of 2/11 is odds of 2 to 9.": 2 / 9, "These are odds of the other class; a probability is asked for.": 4.5, "It is not always 1/2: it depends on the costs.": 0.5, "This is 2/11 in whole percents: solve the equation exactly.": 0.18, "This is the next whole percent above 2/11: solve the equation exactly.": 0.19, "This is the expected cost at the crossing; the probability there is asked for.": 18 / 11, "1/4 is for the table of the page: it depends on the costs.": 0.25,
                       "Check the signs: 2(1 - p) = 9p gives 2 = 9p + 2p, so the two costs are added in the denominator.": 2 / 7,
                       "Check the signs: 2(1 - p) = 9p gives 2 = 9p + 2p, so the two costs are added in the denominator. ": -2 / 7},
             hint=lambda: costs_there_(torch.tensor([[0., 2.], [9., 0.]])) + {
                 0.625: " Yours is the threshold for the probability of class 0, here and for the costs (1, 4), (8, 3).",
                 0.875: " Yours takes rows for actions and columns for classes, here and for the costs (1, 4), (8, 3): rows are classes, columns are actions.",
             }.get(round(float(threshold(torch.tensor([[1., 4.], [8., 3.]]))), 4), " They are where 9p = 2(1 - p)."))
assert_close(threshold(torch.tensor([[0., 1.], [1., 0.]])), 0.5, "costs (0, 1), (1, 0)", of="free right actions", rtol=1e-4, hint=lambda: costs_there_(torch.tensor([[0., 1.], [1., 0.]])))
assert_close(threshold(torch.tensor([[0., 6.], [2., 0.]])), 0.75, "costs (0, 6), (2, 0)", of="free right actions", rtol=1e-4, hint=lambda: costs_there_(torch.tensor([[0., 6.], [2., 0.]])))
assert_close(threshold(torch.tensor([[1., 4.], [8., 3.]])), 0.375, "costs (1, 4), (8, 3)", of="dear right actions", rtol=1e-4, mistakes={"What counts is how much more the wrong action costs than the right one.": 1 / 3, "This is the threshold for the other class.": 0.625, "Subtract from each row the cost of its own right action.": 0.3,
             "The right action of class 1 costs something, too: cost[1, 1].": 3 / 11, "The right action of class 0 costs something, too: cost[0, 0].": 4 / 9, "Rows are classes, columns are actions.": 0.875, "cost[1, 1], the cost of the right action of class 1, is subtracted from that of the wrong one, not added.": 3 / 14, "The denominator, too, is made of differences: the right actions cost something.": 0.25, "In the denominator, too, the costs of the right actions are subtracted, not added.": 3 / 16,
             "The numerator is the difference of the costs for class 0, cost[0, 1] - cost[0, 0], and the denominator begins with it.": 0.5, "The costs of the right actions are subtracted from those of the wrong ones, not added.": 5 / 16,
             "Compare the two actions for the same class: their costs stand in one row.": 0.125},
             hint=lambda: costs_there_(torch.tensor([[1., 4.], [8., 3.]])) + " That is where 1 + 7p = 4 - p.")
assert_close(threshold(torch.tensor([[-2., 1.], [3., -6.]])), 0.25, "costs (-2, 1), (3, -6)", of="dear right actions", rtol=1e-4, hint=lambda: costs_there_(torch.tensor([[-2., 1.], [3., -6.]])) + " What counts is how much more the wrong action costs than the right one.")
assert_close(threshold(torch.tensor([[-3., 1.], [2., -1.]])), 4 / 7, "costs (-3, 1), (2, -1)", of="dear right actions", rtol=1e-4, hint=lambda: costs_there_(torch.tensor([[-3., 1.], [2., -1.]])) + " A negative cost keeps its sign: 1 is 4 more than -3.")
assert_close(after_threshold(torch.tensor([[1., 4.], [8., 3.]])), torch.tensor([[1., 4.], [8., 3.]]), "cost after the call of threshold", of="argument kept", hint="A step of the function writes into cost.")
### BEGIN HIDDEN TESTS
source = torch.Generator().manual_seed(34)
for number_ in range(6):
    base_ = torch.rand(2, 2, generator=source, dtype=torch.float64) * 3 - 1
    if number_ < 2:
        base_ = torch.zeros(2, 2, dtype=torch.float64)
    base_[0, 1] = base_[0, 0] + 0.2 + 4 * torch.rand((), generator=source).item()
    base_[1, 0] = base_[1, 1] + 0.2 + 4 * torch.rand((), generator=source).item()
    low_, high_ = 0.0, 1.0
    for _ in range(60):
        middle_ = (low_ + high_) / 2
        both_ = torch.tensor([1 - middle_, middle_], dtype=torch.float64) @ base_
        low_, high_ = (middle_, high_) if both_[0] < both_[1] else (low_, middle_)
    base_ = base_.float()
    assert_close(threshold(base_.clone()), low_, "other costs, the right actions free" if number_ < 2 else "other costs, the right actions not free", of="free right actions" if number_ < 2 else "dear right actions", rtol=1e-4, hint=lambda: costs_there_(base_))
    assert_close(after_threshold(base_.clone()), base_, "cost after the call of threshold, other costs", of="argument kept", hint="A step of the function writes into cost.")
### END HIDDEN TESTS

# %% [markdown]
# ## Summary
#
# - The predicted class is the place of the largest score; the accuracy is the share of hits. Flatten labels and predictions in the same way before you compare, know what happens to ties, and test with lengths that all differ.
# - The accuracy has slope zero or none, so training uses the cross-entropy. A mean loss of L guarantees an error rate of at most L / log 2.
# - A classifier is a `d2l.Module` with a loss, an accuracy and a validation step that reports both; a subclass adds only its network and its rate.
# - Batches of unequal length are averaged with their numbers of examples. The mean of batch means is right on average, but scatters more and depends on the batch size.
# - What to do is decided by the smallest expected cost, not by the most probable class. Next, sections 4.4 and 4.5 train such classifiers, from scratch and with the library; 4.7 asks what happens when the world changes after the training.
