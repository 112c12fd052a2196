# %% [markdown]
# # 5.7 Predicting house prices
#
# Up to now the data came clean: numbers, all there, all of one size. This section takes a table as it comes from an office: 2,930 sales of
# houses in Ames, Iowa, from 2006 to 2010, with 71 columns besides the price, words among numbers, holes among both. From it we want a price for houses that have none yet.
#
# Nothing in it is new mathematics. Regression, one-hot encoding, validation, weight decay and dropout have all been taught. What is new is to do *everything*, in
# the right order, without fooling oneself. Most ways of fooling oneself make the result look better.
#
# At the end you can
# - say why prices are predicted as logarithms, and read the error as per cent;
# - turn a table of words, numbers and holes into features, using nothing that belongs to the rows one is judged by;
# - choose a model by k-fold cross-validation, with the preparation inside each fold;
# - write the predictions to a file as a competition wants them, and know beforehand about how good they are.

# %% tags=["setup"]
from d2l_utils.check import *
import math
import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.nn import functional as F
import d2l_utils as d2l
from d2l_utils.houses import shipped_sales

torch.set_num_threads(1)        # products this small are slower with several threads, which wait for each other

# %% [markdown]
# ## 1. The table
#
# A competition on the website Kaggle uses these sales: everyone gets one half with prices and the other half without, and sends in predictions for the second half. `data/ames.csv` of this book has them all. `shipped_sales` cuts it in two in the same manner, under the
# competition's column names: `train_table` has 1,465 sales, their number `Id` first and the price `SalePrice` in dollars last; `test_table` has 1,465 without the price. `test_price` holds the prices that a competition would keep to itself. We touch them once, at the end.

# %% tags=["setup"]
train_table, test_table, test_price = shipped_sales()

# %%
print(train_table.shape, test_table.shape)
print(train_table.iloc[:4, [0, 1, 3, 4, 11, 41, -1]].to_string(index=False))
print("columns of words:", len(train_table.select_dtypes(exclude="number").columns), " of numbers:", len(train_table.select_dtypes("number").columns))
print("missing words:  ", train_table.isna().sum()[train_table.isna().any()].to_dict())
frontage = train_table["LotFrontage"]
print("houses whose plot meets the street on 0 feet:", (frontage == 0).sum(), "; the smallest other frontage:", frontage[frontage > 0].min())
print("BsmtFinSF1, by its name square feet of finished basement:", train_table["BsmtFinSF1"].min(), "to", train_table["BsmtFinSF1"].max())

# %% [markdown] teaches="missing value in disguise"
# `select_dtypes("number")` picks the columns of numbers, and `isna()` marks what is missing.
#
# ⚠ *A 0 that is not a number.* By `isna()` no number is missing. But 234 houses with a street frontage of 0 feet? The smallest of all others has 21. In this copy of the table 0 stands for "unknown". Nothing fails if one overlooks it: the mean is too low, and a model learns that
# such houses lie far from any street. Look at the smallest, the largest and the most frequent value of each column before anything else. Whoever does finds more: `BsmtFinSF1` should hold square feet and runs from 0 to 7. It looks like the number of a grade, whatever its name says; we leave it as it is.
#
# With the words it is the other way round. 897 houses have no `MasVnrType`, the stone on their walls, and 1,409 no `MiscFeature`, such as a shed: most of these fields are empty because there *is* no such thing. These are hardly holes, and part 4 will treat "nothing written" as one more word. The frontage we write as what it is, a missing value:

# %% tags=["setup"]
for table in (train_table, test_table):
    table["LotFrontage"] = table["LotFrontage"].where(table["LotFrontage"] > 0)        # NaN where the condition is false

# %% [markdown] teaches="log price, relative error, rmse of logarithms"
# ## 2. What is a good price?
#
# Is it bad to be wrong by 10,000 dollars? For a house of 40,000 it is, for one of 400,000 it is hardly worth mentioning. What counts is the *ratio* of the predicted to the actual price. A loss in dollars, squared, would be ruled by a few expensive houses.
#
# Logarithms turn ratios into differences: $\log \hat y - \log y = \log (\hat y / y)$. If $\hat y = (1 + r)\, y$ with a small relative error r, the difference is $\log(1 + r) \approx r$. So predict $\log y$ with the squared loss. The competition measures in the same way, by the root of the mean
# squared error of the logarithms:
#
# $$\sqrt{\frac1n \sum_{i=1}^n \big(\log \hat y_i - \log y_i\big)^2}.$$
#
# A value of 0.1 says: wrong by about 10 %, in the sense of a root mean square, in which large errors count most (part 6 looks at them). It does not matter whether the prices are in dollars or in cents.

# %% tags=["demo"] teaches="log price"
import matplotlib.pyplot as plt

dollars = torch.tensor(train_table["SalePrice"].to_numpy(dtype="float64"))
figure, axes = plt.subplots(1, 2, figsize=(7.5, 2.8), layout="constrained")
axes[0].hist(dollars / 1000, bins=40)
axes[0].set(xlabel="price in 1000 dollars", ylabel="houses")
axes[1].hist(dollars.log(), bins=40)
axes[1].set(xlabel="log of the price")
plt.show()
print(f"mean {dollars.mean():.0f}, median {dollars.median():.0f}; standard deviation of the logarithm {dollars.log().std():.3f}")
for guess, actual in ((110., 100.), (90., 100.), (200., 100.), (50., 100.)):
    print(f"{guess:.0f} for {actual:.0f}: difference of logarithms {math.log(guess / actual):+.3f}")

# %% [markdown]
# What to see: in dollars the heap has a long tail to the right, as logarithms it is nearly symmetric. Who answers every question with the mean logarithm has the error 0.402: that is the one to beat.
#
# Small errors are read as per cent: +0.095 for 10 % too much. Large ones are read as factors: twice too much and half of it are equally bad, ±0.693, and 0.402 says typically wrong by a factor of $e^{0.402} \approx 1.5$.

# %% [markdown] task="5.7.A" kind="code" minutes=3 difficulty=1 core=true needs="rmse of logarithms, log price"
# ### The competition's measure
#
# Write `log_rmse(predicted, actual)`: both are tensors of prices in dollars, shape (n,), all positive.
#
# **You are done when**
# - **value**: it returns the root of the mean squared difference of the natural logarithms, a single number;
# - **ratios**: if all prices, predicted and actual, are given in another unit, in cents or in millions of dollars, the result is the same.

# %% exercise="5.7.A"
def log_rmse(predicted, actual):
    """Root of the mean squared difference of the logarithms: (n,), (n,) -> number."""
    ### BEGIN SOLUTION
    return (predicted.log() - actual.log()).square().mean().sqrt()
    ### END SOLUTION

# %% [markdown] hints="5.7.A"
# 1. In which order: root, mean, square, difference, logarithm?
# 2. From the inside to the outside of the formula. `tensor.log()` is the natural logarithm.
# 3. Differences 0.3 and -0.4 give the squares 0.09 and 0.16, their mean 0.125, the root 0.354.

# %% check="5.7.A" points=1
def for_one_house():
    """The hint that parts the steps for each house from those over the houses."""
    for price, paid in ((30., 10.), (10., 30.)):
        alone = float(log_rmse(torch.tensor([price], dtype=torch.float64), torch.tensor([paid], dtype=torch.float64)))
        if not abs(alone - math.log(3)) <= 1e-4:
            return f"Already for a single house, {price:g} predicted where {paid:g} were paid, the result is not |log {price:g} - log {paid:g}| = 1.0986: yours is {alone:.4f}."
    against = float(log_rmse(torch.tensor([30., 10.], dtype=torch.float64), torch.tensor([10., 30.], dtype=torch.float64)))
    if not abs(against - math.log(3)) <= 1e-4:
        return f"For a single house your result is right. With two houses, 30 predicted for 10 and 10 for 30, both squares are that of log 3, and the result is 1.0986; yours is {against:.4f}."
    both = float(log_rmse(torch.tensor([30., 10.], dtype=torch.float64), torch.tensor([10., 10.], dtype=torch.float64)))
    if not abs(both - math.log(3) / math.sqrt(2)) <= 1e-4:
        return f"For a single house your result is right. With a second one, predicted exactly, it is the root of half the square of log 3, 0.7768; yours is {both:.4f}: look at the mean over the houses, and at what is done before and after it."
    return "The logarithm of each price, the differences, their squares, the mean, the root: in this order, and nothing else."

def check_log_rmse(predicted, actual, what, hint=""):
    found = log_rmse(predicted.clone(), actual.clone())
    assert_type(found, (float, torch.Tensor, np.ndarray, np.generic), f"what log_rmse returns for {what}", of="value")
    assert_equal(tuple(getattr(found, "shape", ())), (), f"the shape of log_rmse for {what}", of="value", hint="A single number.")
    pairs = list(zip(predicted.tolist(), actual.tolist()))
    d, n = [math.log(p_ / q_) for p_, q_ in pairs], len(pairs)
    squares = math.fsum(e * e for e in d)
    dollars_ = math.sqrt(math.fsum((p_ - q_) ** 2 for p_, q_ in pairs) / n)
    mean_p, mean_q = (math.fsum(column) / n for column in zip(*pairs))
    middle = sorted(e * e for e in d)[(n - 1) // 2]
    right_ = math.sqrt(squares / n)
    spread = max(0., squares - math.fsum(d) ** 2 / n)
    relative = math.sqrt(math.fsum((p_ / q_ - 1) ** 2 for p_, q_ in pairs) / n)
    of_logs = math.sqrt(math.fsum((math.log(p_) / math.log(q_) - 1) ** 2 for p_, q_ in pairs) / n) if all(q_ != 1 for _, q_ in pairs) else -1.
    too_high, too_low = [e for e in d if e > 0], [e for e in d if e < 0]
    mean_log = math.fsum(math.log(q_) for _, q_ in pairs) / n
    plus_one = math.sqrt(math.fsum(math.log((p_ + 1) / (q_ + 1)) ** 2 for p_, q_ in pairs) / n)
    cancel = abs(float(log_rmse(torch.tensor([30., 10.], dtype=torch.float64), torch.tensor([10., 30.], dtype=torch.float64)))) < 1e-6      # whether errors of both signs do
    assert_close(float(found), right_, what, of="value", rtol=1e-4, hint=lambda: hint + for_one_house(),
                 mistakes={**{f"Under the root {extra:g} is added: nothing is.": math.sqrt(squares / n + extra) for extra in (0.1, 0.01, 0.001, 1e-4)},
                           **{f"Here {extra:g} is added to each price: nothing is added to a price.": math.sqrt(math.fsum(math.log((p_ + extra) / (q_ + extra)) ** 2 for p_, q_ in pairs) / n) for extra in (0.1, 0.01, 0.001)},
                           **{f"The prices are {done} first: take them as they are.": math.sqrt(math.fsum(math.log(cut(p_) / cut(q_)) ** 2 for p_, q_ in pairs) / n) for done, cut in (("rounded to whole numbers", round), ("cut off to whole numbers", int))
                              if all(min(map(cut, pair)) > 0 for pair in pairs)},
                           "The root is missing.": squares / n, "Square each difference before the mean: errors of both signs must not cancel.": abs(math.fsum(d)) / n,
                           **({"Square each difference before they are added: errors of both signs must not cancel.": abs(math.fsum(d)) / math.sqrt(n)} if n > 1 and cancel else {"The mean is missing.": math.sqrt(squares)}),
                           "The difference of the logarithms is meant, not the logarithm of the squared difference.": math.sqrt(max(0., math.fsum(math.log((p_ - q_) ** 2) for p_, q_ in pairs) / n)) if all(p_ != q_ for p_, q_ in pairs) else -1.,
                           "The logarithm comes first, of each price; here it is taken of the mean square.": math.sqrt(2 * math.log(dollars_)) if dollars_ > 1 else -1.,
                           "The mean divides by n, not by n - 1.": math.sqrt(squares / (n - 1)) if n > 1 else -1.,
                           "This is the mean of the absolute differences.": math.fsum(map(abs, d)) / n, "This is the standard deviation of the differences: do not subtract their mean.": math.sqrt(spread / n) if n > 1 else -1.,
                           "This is .std(), the standard deviation of the differences: do not subtract their mean.": math.sqrt(spread / (n - 1)) if n > 1 and spread > 1e-9 else -1.,
                           "Divide by n before the root, not after it.": math.sqrt(squares) / n if n > 1 else -1., "log1p is not the logarithm: it adds 1 to each price.": plus_one,
                           "This is divided by the logarithm of the actual price: the difference alone is meant.": of_logs,
                           "This is exp of the result, minus 1: the error stays one of logarithms.": math.expm1(right_) if abs(math.expm1(right_) - relative) > 1e-9 else -1.,
                           "This is in dollars: take the logarithms first.": dollars_, "The logarithm comes first, of each price; here it is taken of the result.": math.log(dollars_) if dollars_ > 0 else -1.,
                           "This is the relative error, that divided by the actual price: the difference of the logarithms is meant, and nothing done to it.": relative,
                           "This is the difference divided by the mean of the two prices: the difference of the logarithms is meant.": math.sqrt(math.fsum((2 * (p_ - q_) / (p_ + q_)) ** 2 for p_, q_ in pairs) / n),
                           "A house is left out: all n pairs count.": math.sqrt(math.fsum(e * e for e in d[:-1]) / n) if n > 1 else -1.,
                           "A square is missing, or a second root is taken: square each difference, take the mean of the squares, and one root of it.": math.sqrt(math.fsum(map(abs, d)) / n),
                           "The difference is that of each pair of prices; here one root mean square of the logarithms is subtracted from the other.": abs(math.sqrt(math.fsum(math.log(p_) ** 2 for p_, _ in pairs) / n) - math.sqrt(math.fsum(math.log(q_) ** 2 for _, q_ in pairs) / n)),
                           "Subtract first, then square: these are the differences of the squared logarithms.": math.sqrt(abs(math.fsum(math.log(p_) ** 2 - math.log(q_) ** 2 for p_, q_ in pairs)) / n),
                           "This is the error divided by the predicted price: take the difference of the logarithms.": math.sqrt(math.fsum((1 - q_ / p_) ** 2 for p_, q_ in pairs) / n),
                           "This is the error in dollars divided by the mean price: take the logarithm of each price.": dollars_ / mean_q if abs(mean_q - pairs[0][1]) > 1e-9 else -1.,
                           "One difference for each house: this is the logarithm of the ratio of the mean prices.": abs(math.log(mean_p / mean_q)),
                           "The difference of the logarithms is meant, not the logarithm of the difference.": math.sqrt(math.fsum(math.log(abs(p_ - q_)) ** 2 for p_, q_ in pairs) / n) if all(p_ != q_ for p_, q_ in pairs) else -1.,
                           "Each prediction belongs to one actual price; here every one is compared with all.": math.sqrt(math.fsum(math.log(p_ / q_) ** 2 for p_, _ in pairs for _, q_ in pairs) / n ** 2) if any(q_ != pairs[0][1] for _, q_ in pairs) else -1.,
                           "The mean of the squares is meant, not their median.": math.sqrt(middle),
                           "The second power of the differences is meant, not the third.": (math.fsum(abs(e) ** 3 for e in d) / n) ** (1 / 3), "The second power of the differences is meant, not the fourth.": (math.fsum(e ** 4 for e in d) / n) ** 0.25,
                           "Each house counts the same; here the dear ones count more.": math.sqrt(math.fsum(q_ * e * e for (_, q_), e in zip(pairs, d)) / math.fsum(q_ for _, q_ in pairs)),
                           "Predictions that are too low count, too.": math.sqrt(math.fsum(e * e for e in too_high) / len(too_high)) if too_high else -1.,
                           "Predictions that are too high count, too.": math.sqrt(math.fsum(e * e for e in too_low) / len(too_low)) if too_low else -1.,
                           "This is divided by the mean logarithm of the actual prices: nothing is divided by it.": right_ / mean_log if mean_log else -1., "The mean is meant, not the largest difference.": max(map(abs, d)), "There is no factor 1/2.": math.sqrt(squares / n / 2),
                           "The result is not multiplied by 100.": 100 * right_, "There is no exp at the end: the error stays one of logarithms.": math.exp(right_),
                           "The logarithms are subtracted, not divided.": math.sqrt(math.fsum((math.log(p_) / math.log(q_)) ** 2 for p_, q_ in pairs) / n) if all(q_ != 1 for _, q_ in pairs) else -1.,
                           "The natural logarithm is meant, not that to the base 10.": right_ / math.log(10), "The natural logarithm is meant, not that to the base 2.": right_ / math.log(2)})

check_log_rmse(torch.tensor([15., 45., 7.5], dtype=torch.float64), torch.tensor([10., 30., 5.], dtype=torch.float64), "15, 45 and 7.5 predicted where 10, 30 and 5 were paid, each time 1.5 times the price",
               hint="Each difference of the logarithms is log 1.5 = 0.405 here, and so is the result: nothing is added to a price, and nothing done to a difference or to the result but what the formula says. ")
made_up = torch.tensor([130., 50., 20.], dtype=torch.float64), torch.tensor([100., 100., 100.], dtype=torch.float64)
check_log_rmse(*made_up, "130, 50, 20 predicted where all were sold for 100")
check_log_rmse(torch.tensor([300., 80.], dtype=torch.float64), torch.tensor([100., 160.], dtype=torch.float64), "300 and 80 predicted where 100 and 160 were paid")
for factor, unit in ((100, "in cents"), (1e-3, "in thousands of dollars"), (1e-6, "in millions of dollars")):
    assert_close(float(log_rmse(factor * made_up[0], factor * made_up[1])), math.sqrt((math.log(1.3) ** 2 + math.log(2) ** 2 + math.log(5) ** 2) / 3), f"130, 50, 20 predicted where all were sold for 100, all of it {unit}", of="ratios", rtol=1e-3 if factor == 1e-3 else 1e-4,
                 hint="log1p or another number added to a price, a difference in dollars, prices that are rounded or cut off at 1: all of these depend on the unit.",
                 mistakes={"Prices below 1 are prices, too: here the predicted ones are cut off at 1.": math.sqrt(sum(math.log(max(factor * p_, 1) / (factor * q_)) ** 2 for p_, q_ in zip(*map(torch.Tensor.tolist, made_up))) / 3),
                           **{f"Here {extra:g} is added to each price: nothing is added to a price, and what is little beside dollars is much beside millions of them.": math.sqrt(sum(math.log((factor * p_ + extra) / (factor * q_ + extra)) ** 2 for p_, q_ in zip(*map(torch.Tensor.tolist, made_up))) / 3)
                              for extra in (1., 0.1, 0.01, 0.001, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)},
                           **{f"Here {extra:g} is added to the {name} prices: nothing is added to a price, and what is little beside dollars is much beside millions of them.": math.sqrt(sum(math.log((factor * p_ + a_ * extra) / (factor * q_ + (1 - a_) * extra)) ** 2 for p_, q_ in zip(*map(torch.Tensor.tolist, made_up))) / 3)
                              for extra in (1., 0.1, 0.01, 0.001, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8) for a_, name in ((1, "predicted"), (0, "actual"))},
                           "Prices below 1 are prices, too: here all of them are cut off at 1.": math.sqrt(sum(math.log(max(factor * p_, 1) / max(factor * q_, 1)) ** 2 for p_, q_ in zip(*map(torch.Tensor.tolist, made_up))) / 3)})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(571)
for n in (1, 8):
    a, b = (torch.exp(12 + torch.randn(n, generator=rng, dtype=torch.float64)) for _ in range(2))
    wanted = math.sqrt(sum(math.log(p / q) ** 2 for p, q in zip(a.tolist(), b.tolist())) / n)
    check_log_rmse(a, b, "a single house" if n == 1 else f"{n} houses")
    assert_close(float(log_rmse(a / 1e5, b / 1e5)), wanted, f"prices in another unit, how many: {n}", of="ratios", rtol=1e-4, hint="Prices below 1 are prices, too: neither round them nor cut them off.")
### END HIDDEN TESTS

# %% [markdown] teaches="preparation from training rows alone, standardisation"
# ## 3. Numbers
#
# A plot has 10,000 square feet, a house 3 bedrooms. As in 3.6 we *standardise*: subtract a column's mean and divide by its standard deviation, so that all columns speak with the same voice. A missing number is then set to 0, the column's mean. (Whether that is wise is exercise 5.7.2.)
#
# The question is: the mean of *which* rows? Of the training rows alone, and the same two numbers are used for all other rows. Here are four training rows and two others:

# %% teaches="preparation from training rows alone, standardisation"
known = pd.DataFrame({"LotArea": [8000., 10000., 12000., 10000.], "Pools": [0, 0, 0, 0], "LotFrontage": [60., None, 80., 70.]})
fresh = pd.DataFrame({"LotArea": [10000., 30000.], "Pools": [0, 1], "LotFrontage": [None, 70.]})
mean, std = known.mean(), known.std()                 # a number for each column; missing entries are left out
print(pd.DataFrame({"mean": mean, "std": std}).T)
print((fresh - mean) / std)

# %% [markdown]
# Two things are left to do. The missing frontage is to become 0: `table.fillna(0)`. And a column that is the same in all training rows, such as `Pools`, has the standard deviation 0: 0 / 0 is NaN, 1 / 0 infinite. `std.replace(0, 1)` puts 1 in place of 0, and such a column is only shifted.
#
# ⚠ *Training and test rows standardised together.* It is convenient: put both tables on top of each other, standardise once, cut them apart again. The well-known book of which this one follows the numbers does so. But then the training features depend on the test rows. Add one absurd row, and see who notices:

# %% teaches="leakage in preparation"
absurd = pd.concat([fresh, pd.DataFrame({"LotArea": [1e6], "Pools": [0], "LotFrontage": [70.]})])
together = pd.concat([known, absurd])
print("LotArea of the training rows, by their own mean:", ((known - known.mean()) / known.std())["LotArea"].round(2).tolist())
print("by the mean of all seven rows:                  ", ((known - together.mean()) / together.std())["LotArea"].round(2).tolist())

# %% [markdown] teaches="target encoding"
# In the second line the four training houses have become nearly the same house, because of a row that nobody may know yet. Without an absurd row the damage may be small. The habit is the damage: the estimate of the error is no longer one for *unseen* houses, and nobody can say by how much it is wrong. Where the *answers* leak it is worse.
# A popular trick replaces a word by the mean price of the houses with this word, *target encoding*. Let us do it with a column that certainly says nothing, a random number from 0 to 399 for each house:

# %% teaches="leakage in preparation, target encoding"
log_price = train_table["SalePrice"].map(math.log)
nonsense = pd.Series(np.random.default_rng(0).integers(0, 400, len(train_table)))
past, later = slice(0, 999), slice(1000, None)                                 # .loc includes both ends
leaked = log_price.groupby(nonsense).mean()                                    # mean log price of each number, over all rows
honest = log_price.loc[past].groupby(nonsense.loc[past]).mean()                # over the first 1,000 rows
for name, means in (("all rows", leaked), ("training rows alone", honest)):
    guess = nonsense.loc[later].map(means).fillna(log_price.loc[past].mean())
    print(f"means over {name}: error on the later rows {math.sqrt(((guess - log_price.loc[later]) ** 2).mean()):.3f}")
print(f"a constant, the mean of the training rows:  {math.sqrt(((log_price.loc[past].mean() - log_price.loc[later]) ** 2).mean()):.3f}")

# %% [markdown]
# By the leaked means the nonsense seems to be worth something: 0.330 against 0.373 for a constant. Each later house carried a piece of its own price into the mean. By honest means, the nonsense is what it is, worse than a constant: 0.454.

# %% [markdown] task="5.7.6" kind="code" minutes=8 difficulty=2 core=true needs="preparation from training rows alone, standardisation"
# ### Standardise two tables
#
# Write `standardise(train, other)`. Both are tables (pandas `DataFrame`s) of numbers, whole ones in some columns, with the same columns, with holes; each column of `train` has at least two numbers. As in our tables, a row of `other` may have the same index as one of `train`. It returns two tables, the standardised `train` and the standardised `other`.
#
# **You are done when**
# - **form**: a pair of tables comes back, each with the columns, in their order, and the rows (index) of its original;
# - **training rows alone**: both are standardised by the mean and the standard deviation (`.std()`) of `train`'s columns, also where the deviation is as small as 1e-9;
# - **missing**: a missing number becomes 0 in the result;
# - **constant columns**: a column with standard deviation 0 in `train` has the mean subtracted and is not divided;
# - **arguments kept**: `train` and `other` are as they were.

# %% exercise="5.7.6"
def standardise(train, other):
    """(train, other) as tables with mean 0 and standard deviation 1 on train, without holes."""
    ### BEGIN SOLUTION
    centre, scale = train.mean(), train.std().replace(0, 1)
    return tuple(((part - centre) / scale).fillna(0) for part in (train, other))
    ### END SOLUTION

# %% [markdown] hints="5.7.6"
# 1. Which two numbers for each column do you need, and which table may they come from?
# 2. `fillna` after the division, not before: a 0 in the original would be a value, not the mean.
# 3. Training column 2, missing, 4: mean 3, standard deviation 1.414. It becomes -0.707, 0, 0.707; and a 6 elsewhere becomes 2.121.

# %% check="5.7.6" points=2
def made_up_tables(seed, n, m, names=("a", "b", "c"), order=(0, 1, 2), level=7., small=0.02, gap=False, first_rows=(100, 7), whole=False):
    """Two tables: a column of large numbers, one of small ones (or `whole` ones, without holes), one that is the same in all rows of the first; with holes."""
    rng = np.random.default_rng(seed)
    tables = [pd.DataFrame({names[0]: 50 + 10 * rng.normal(size=size), names[1]: rng.permutation(size) if whole else small * rng.permutation(size), names[2]: np.full(size, level)}, index=start + np.arange(size))
              for size, start in zip((n, m), first_rows)]
    tables[0].iloc[1, 0] = tables[0].iloc[3, 0] = tables[1].iloc[0, 0] = tables[1].iloc[1, 2] = np.nan
    if not whole:
        tables[0].iloc[2, 1] = tables[1].iloc[1, 1] = np.nan
    tables[1].iloc[2:, 0] += 40
    tables[1].iloc[-1, 2] = level + 2
    if gap:
        tables[0].iloc[0, 2] = np.nan
    return [table_[[names[i] for i in order]] for table_ in tables]

def check_standardise(seed, n, m, names=("a", "b", "c"), order=(0, 1, 2), level=7., **settings):
    train_in, other_in = made_up_tables(seed, n, m, names, order, level, **settings)
    result = standardise(train_in.copy(), other_in.copy())
    assert_type(result, (tuple, list), "what standardise returns", of="form", hint="A pair: return first, second.")
    assert_equal(len(result), 2, "how many tables come back", of="form", hint="A pair: the standardised train, and the standardised other.")
    joint = pd.concat([train_in, other_in])
    for found, given, name in zip(result, (train_in, other_in), ("the first table", "the second table")):
        assert_type(found, pd.DataFrame, f"what {name} is", of="form", hint="A table has its columns' names and its rows' numbers: pd.DataFrame(numbers, columns=..., index=...).")
        assert_equal(list(found.columns), list(given.columns), f"the columns of {name}", of="form", hint="All columns, in the order of the original.")
        assert_equal(list(found.index), list(given.index), f"the index of {name}", of="form", mistakes={"The two tables are swapped: that of train comes first.": list((other_in if name == "the first table" else train_in).index),
                               "A row of the other table may have the same number: .loc finds both of them; cut by position, or never put the tables together.": [row for row in given.index for row_ in joint.index if row == row_],
                               "The rows are numbered anew here, from 0: each keeps the number that it has.": list(range(len(given))),
                               "The rows with a hole are missing: each of them stays, with 0 in place of the hole.": list(given.dropna().index)},
                     hint="Every row comes back, under its own number.")
    for found, given, name in zip(result, (train_in, other_in), ("the first table", "the second table")):
        for column in names[:2]:
            numbers = train_in[column].dropna().to_numpy()
            m_, s_ = math.fsum(numbers) / len(numbers), float(np.std(numbers, ddof=1))
            there = given[column].notna().to_numpy()
            values, whole = given[column].to_numpy(dtype=float)[there], train_in.dropna()[column].to_numpy()
            mistakes = {"Both tables together give the mean and the deviation; only the training rows may.": (values - joint[column].mean()) / joint[column].std(),
                        "The standard deviation is that of .std(), which divides by n - 1, not by n.": (values - m_) / np.std(numbers),
                        "Take the standard deviation before the holes are filled: the filled-in means make it too small.": (values - m_) / train_in[column].fillna(m_).std(),
                        f"The mean is subtracted, but not divided by the standard deviation, which is {s_:.2g} here.": values - m_,
                        "The mean is meant, not the median.": (values - np.median(numbers)) / s_, "The standard deviation is meant, not the variance.": (values - m_) / s_ ** 2,
                        "Mean and standard deviation are meant, not the smallest and the largest number.": (values - numbers.min()) / (numbers.max() - numbers.min()),
                        "The holes were filled with 0 before mean and deviation were taken.": (values - train_in[column].fillna(0).mean()) / train_in[column].fillna(0).std(),
                        "The standard deviation is meant, not the mean of the absolute deviations.": (values - m_) / np.abs(numbers - m_).mean(), "The standard deviation is meant, not the largest deviation.": (values - m_) / np.abs(numbers - m_).max(),
                        "The standard deviation is meant, not the distance from the smallest to the largest number.": (values - m_) / (numbers.max() - numbers.min()),
                        "Mean and standard deviation are meant, not the median and the distance between the quartiles.": (values - np.median(numbers)) / np.subtract(*np.percentile(numbers, [75, 25])),
                        "One mean and one deviation for each column, not for the whole table.": (values - np.nanmean(train_in)) / np.nanstd(train_in, ddof=1),
                        "The mean is that of train, but the deviation is that of both tables together.": (values - m_) / joint[column].std(),
                        "The deviation is that of train, but the mean is that of both tables together.": (values - joint[column].mean()) / s_,
                        "All of them became 0: a mean or a deviation that does not leave the holes out is NaN, and fillna(0) hides it.": 0 * values,
                        "These are the numbers as they were.": values}
            if len(whole) > 1 and np.std(whole) > 0:
                mistakes["A row with a hole in one column still counts for the others."] = (values - whole.mean()) / np.std(whole, ddof=1)
            if name == "the second table":
                mistakes["The second table is standardised by its own mean and deviation."] = (values - given[column].mean()) / given[column].std()
                mistakes["The deviation, too, is that of train, not of the second table."] = (values - m_) / given[column].std()
                mistakes["The mean, too, is that of train, not of the second table."] = (values - given[column].mean()) / s_
                mistakes["Mean and deviation are those of train as it was, not of the table that is standardised already."] = values / ((train_in[column] - m_) / s_).fillna(0).std()
            given_back = found[column].to_numpy(dtype=float)[there]
            far, limit = np.abs(values - m_).argmax(), np.abs(given_back).max()
            if 1 <= limit < 0.99 * np.abs((values - m_) / s_).max():
                mistakes["Large results stay: nothing is cut off."] = np.clip((values - m_) / s_, -limit, limit)
            divisor = abs((values[far] - m_) / given_back[far]) if given_back[far] else 0.
            floor = 10. ** round(math.log10(divisor)) if divisor > 1.01 * s_ else 0.
            if 0 < floor < 1 and abs(divisor / floor - 1) < 2e-7:
                mistakes[f"Divide by the standard deviation, however small it is, {s_:.2g} here; where it is smaller than {floor:g}, these are divided by {floor:g}."] = (values - m_) / floor
            for root in (1, 2):         # a small number added to the deviation, or to the variance
                added = 0. if floor and abs(divisor / floor - 1) < 2e-7 else divisor ** root - s_ ** root
                if 1e-14 < added < 1e-2 and abs(added / 10. ** round(math.log10(added)) - 1) < 1e-3:
                    mistakes["Divide by the standard deviation alone: a small number was added, and this deviation is small, too."] = (values - m_) / (s_ ** root + added) ** (1 / root)
            line, level_ = np.polyfit(values - values.mean(), given_back, 1) if np.isfinite(given_back).all() else (0., 0.)
            used = ""               # what this answer subtracts and divides by, where it does both in this column
            if abs(line) > 1e-12 and np.allclose(line * (values - values.mean()) + level_, given_back, rtol=1e-5, atol=1e-6):
                off, by = values.mean() - level_ / line, 1 / line
                used = f" Here {off:.5g} is subtracted, " + ("which is right" if abs(off - m_) < 1e-4 * s_ else "which is not that mean") + f", and then divided by {by:.5g}, " + ("which is right." if abs(by / s_ - 1) < 1e-4 else "which is not that deviation.")
            mistakes = {sentence: value for sentence, value in mistakes.items() if np.allclose(given_back, value, rtol=1e-3, atol=1e-3 * np.abs(value).max())}      # where all numbers are tiny, too
            assert_close(torch.tensor(given_back), torch.tensor((values - m_) / s_), f"column {column} of {name}, where a number was given", of="training rows alone", rtol=1e-4, atol=1e-6,
                         hint="In each column: the number minus the mean of train's numbers, divided by their .std()." + used, mistakes={sentence: torch.tensor(value) for sentence, value in mistakes.items()})
            assert_close(torch.tensor(found[column].to_numpy(dtype=float)[~there]), torch.zeros(int((~there).sum()), dtype=torch.float64), f"column {column} of {name}, where the number was missing", of="missing",
                         hint="Nothing but 0 stands where a number was missing: fill the holes after the division, in both tables.",
                         mistakes={sentence: torch.full((int((~there).sum()),), value, dtype=torch.float64) for sentence, value in (
                             ("The hole was filled with 0 first, and then the mean was subtracted.", -m_ / s_), ("The hole was filled with 0 first, and then the mean was subtracted, without a division.", -m_),
                             ("The hole was filled with the second table's own mean: the mean of train is the one that becomes 0.", (given[column].mean() - m_) / s_ if name == "the second table" else -1e9),
                             ("The hole was filled with the mean after the division: there the mean is 0.", m_), ("The hole was filled with train's median: 0 is asked for, which is its mean.", (np.median(numbers) - m_) / s_))})
    for found, given, name in zip(result, (train_in, other_in), ("the first table", "the second table")):
        numbers, there = given[names[2]].to_numpy(dtype=float), given[names[2]].notna().to_numpy(copy=True)
        given_back = torch.tensor(found[names[2]].to_numpy(dtype=float))
        assert_close(given_back[there], torch.tensor(numbers[there] - level), f"column {names[2]} of {name}, where a number was given (in all training rows it is {level:g})", of="constant columns",
                     hint="Train's mean is subtracted, and 1 stands in place of the deviation 0; not a tiny number, which would make the result huge.",
                     mistakes={"Subtract the mean there, too.": torch.tensor(numbers[there]), "Divide by 1 where the deviation is 0.": torch.tensor([math.inf if number != level else math.nan for number in numbers[there]]),
                               "Divide by 1 where the deviation is 0; fillna(0) hides 0 / 0, but not the infinite numbers.": torch.tensor([math.inf if number != level else 0. for number in numbers[there]]),
                               **({"Only where the number is train's mean does it become 0; here a row has another number.": torch.zeros(int(there.sum()), dtype=torch.float64)} if (numbers[there] != level).any() else {})})
        assert_close(given_back[~there], torch.zeros(int((~there).sum()), dtype=torch.float64), f"column {names[2]} of {name}, where the number was missing (in all training rows it is {level:g})", of="missing", atol=1e-8,
                     hint="Nothing but 0 stands where a number was missing: fill the holes of both tables, also in a column of `other` that has none in `train`." if name == "the second table" else "Nothing but 0 stands where a number was missing.",
                     mistakes={"The hole was filled with 0 first, and then the mean was subtracted.": torch.full((int((~there).sum()),), -level, dtype=torch.float64),
                               "The hole was filled with the mean after the division: there the mean is 0.": torch.full((int((~there).sum()),), level, dtype=torch.float64)} if level else {})

@probe
def tables_after_the_call(train, other):
    """Both arguments after the call."""
    standardise(train, other)
    return train, other

check_standardise(1, 6, 5)
check_standardise(4, 8, 6, ("z", "a", "d"), level=3., small=2e-9, gap=True)
given_pair = made_up_tables(3, 5, 4)
for after, before, name in zip(tables_after_the_call(*(table_.copy() for table_ in given_pair)), given_pair, ("train", "other")):
    assert_table(after, before, f"{name} after the call", of="arguments kept", hint="Make new tables: -=, inplace=True or an assignment to a column changes the argument itself.")
check_standardise(9, 7, 5, first_rows=(0, 0), whole=True)
### BEGIN HIDDEN TESTS
check_standardise(2, 9, 6, ("rooms", "share", "floors"), (2, 0, 1), -2.)
check_standardise(5, 5, 12, ("c", "a", "b"), (1, 2, 0), 0., small=3e-4)
check_standardise(6, 7, 9, ("z", "y", "x"), (0, 2, 1), 4., small=1e-9, gap=True)
check_standardise(10, 6, 8, ("lots", "rooms", "year"), (1, 0, 2), 9., first_rows=(3, 5), whole=True)
given_pair = made_up_tables(8, 7, 6, ("x", "y", "z"))
for after, before, name in zip(tables_after_the_call(*(table_.copy() for table_ in given_pair)), given_pair, ("train", "other")):
    assert_table(after, before, f"{name} after the call", of="arguments kept", hint="Make new tables: -=, inplace=True or an assignment to a column changes the argument itself.")
### END HIDDEN TESTS

# %% [markdown] teaches="one-hot columns of training rows, unseen category, missing value as a category"
# ## 4. Words
#
# A column of words becomes one column for each word, 1 where the house has it and 0 elsewhere (4.1). Two houses in the test table may bring trouble: one with a word that no training house has, and one without any. `pd.get_dummies` makes the columns of one table; `dummy_na=True` adds a column for "missing", which is the natural
# thing to do with words: that nothing was written down is a fact, too. `reindex(columns=...)` brings the second table into the columns of the first:

# %% teaches="one-hot columns of training rows, unseen category, missing value as a category"
known = pd.DataFrame({"Garage": ["Attchd", "None", None, "Attchd"]})
fresh = pd.DataFrame({"Garage": ["None", "CarPort"]})
columns = pd.get_dummies(known, dummy_na=True)
print(columns.astype(int).to_string())
print(pd.get_dummies(fresh, dummy_na=True).reindex(columns=columns.columns, fill_value=0).astype(int).to_string())

# %% [markdown]
# The car port, unknown in training, has zeros everywhere: the model has no weight for it, and predicts from the house's other columns alone. Without `reindex` the two tables would have different columns, and a weight learnt for "Attchd" would be multiplied with "CarPort".

# %% [markdown] task="5.7.B" kind="code" minutes=5 difficulty=2 core=true needs="one-hot columns of training rows, unseen category, missing value as a category"
# ### The columns belong to the training rows
#
# Write `one_hot(train, other)` for two lists with at least one entry each: words, and `None` for a missing word. A word is any string, and two words are the same only if they agree letter by letter, blanks and capitals included. It returns two tensors of dtype float32.
#
# **You are done when**
# - **columns**: each tensor has a row for each entry of its list, and a column for each different word of `train`, in the order of `sorted`, and one more;
# - **words**: 1 in the column of the word, 0 elsewhere;
# - **missing**: `None`, and nothing else (not the word "None", not ""), has its 1 in the last column, which is there even if nothing is missing in `train`, and is the only one if `train` has no word at all;
# - **unseen**: a word of `other` that is not in `train` has a row of zeros.

# %% exercise="5.7.B"
def one_hot(train, other):
    """Two float32 tensors with a column for each word of train, in the order of sorted, and a last one for None."""
    ### BEGIN SOLUTION
    words = [*sorted({word for word in train if word is not None}), None]
    return tuple(torch.tensor([[float(entry == word) for word in words] for entry in part]) for part in (train, other))
    ### END SOLUTION

# %% [markdown] hints="5.7.B"
# 1. Which list of words decides on the columns of both tensors?
# 2. `sorted({...})` sorts the different entries of a list; `None` cannot be sorted among words, so leave it out first.
# 3. Training list b, a, b: the columns are a, b, missing. In another list c becomes 0, 0, 0 and `None` becomes 0, 0, 1.

# %% check="5.7.B" points=1
STAND_INS = ["zzz", "unknown", "NA", "null", "?", "N/A", "NaN", "missing", "<NA>", "-", "Unknown", "\uffff"]      # all of them are words

def inside(word, entry):
    """Whether a word counts as `word` because it holds it."""
    return word is not None and word != entry and word in entry and bool(one_hot([word], [f"x{word}x"])[1].any())

def none_alone():
    """Which of the words "" and "None" is taken for a missing one, in words."""
    taken = [word for word in ("", "None") if one_hot(["a"], [word])[1][0, -1] == 1]
    if len(taken) == 1:
        return (f"The {'empty word' if taken == [''] else 'word'} {taken[0]!r} is a word like any other; yours takes it for "
                "a missing one, and only None itself is missing.")
    return 'The word "None" and the empty word "" are words; only None itself says that nothing is there.'

def check_one_hot(train_in, other_in):
    try:
        result = one_hot(list(train_in), list(other_in))
    except Exception as error:
        new = [word for word in other_in if word is not None and word not in train_in and repr(word) in str(error)]
        if new:
            assert_true(False, f"train = {train_in}, other = {other_in}: two tensors come back", of="unseen",
                        hint=f"The error that your code raised names {new[0]!r}, a word of `other` that is not in `train`: its row holds zeros alone.")
        if "not supported between instances" in str(error) and "NoneType" in str(error):
            assert_true(False, f"train = {train_in}, other = {other_in}: two tensors come back", of="missing",
                        hint=f"Your code raised an error: {error}. None cannot be sorted among words: leave it out first; its column is the last one.")
        raise
    assert_type(result, (tuple, list), "what one_hot returns", of="columns", hint="Two tensors: return first, second.")
    assert_equal(len(result), 2, "how many tensors come back", of="columns", hint="One for train, one for other.")
    order = sorted(set(train_in) - {None})
    for found, entries, name in zip(result, (train_in, other_in), ("first", "second")):
        assert_type(found, torch.Tensor, f"the {name} result", of="columns", hint="torch.tensor makes a tensor of lists, torch.from_numpy one of an array.")
        odd_words = {"None", "", "missing", "nan", "~", *STAND_INS} & set(train_in)
        said = [entry for entry in train_in if entry is not None]
        said_by_other = [entry for entry in other_in if entry is not None]
        widths = {"A word that comes twice in `train` has one column, not two.": len(said) + 1, "The words of train alone have columns, not those of other as well.": len({*said, *said_by_other}) + 1,
                  "The last column, that of None, is there even if nothing is missing in `train`.": len(order) if None not in train_in else -2}
        if name == "second":
            widths["The words of train alone make the columns of both tensors; these are the columns of other."] = len(set(said_by_other)) + 1
        width = found.shape[1] if found.ndim == 2 and found.shape[0] == len(entries) else -1
        width_hints = [sentence for sentence, columns_ in widths.items() if columns_ == width != len(order) + 1]
        assert_shape(found, (len(entries), len(order) + 1), f"the shape of the {name} result for train = {train_in}, other = {other_in}", of="columns",
                     hint=lambda: (none_alone() if {"None", ""} & odd_words
                                   else "Every string is a word; only None itself says that nothing is there.") if odd_words
                     else width_hints[0] if len(width_hints) == 1 else "A row for each entry of this list; a column for each different word of train alone, and one for missing.")
        assert_dtype(found, torch.float32, f"the dtype of the {name} result", of="columns", hint=".float() makes float32 of 0 and 1 of any other dtype.")
        columns_in_order = {"The columns stand in the order of sorted, not in that of their first appearance.": [*dict.fromkeys(said), None],
                            "sorted, which puts capitals first, gives the order of the columns; this is the order without regard to capitals.": [*sorted(order, key=str.lower), None],
                            "The columns stand in the order of sorted, and that of None is the last one; here it is the first.": [None, *order],
                            "None is no word: its column is the last one, not one among the words.": [None if word == "None" else word for word in sorted([*order, "None"])] if "None" not in order else [*order, None],
                            "The columns stand in the order of sorted, not by how often the words come.": [*sorted(dict.fromkeys(said), key=said.count, reverse=True), None],
                            "The columns stand in the order of sorted, letter by letter; here the short words come first.": [*sorted(order, key=lambda word: (len(word), word)), None],
                            "The columns stand in the order of sorted; here they stand the other way round.": [*order[::-1], None]}
        by_order = {sentence: torch.tensor([[float(entry == word) for word in columns_] for entry in entries]) for sentence, columns_ in columns_in_order.items() if columns_ != [*order, None]}
        order_hints = [sentence for sentence, matrix in by_order.items() if torch.equal(found, matrix)]
        by_columns = [[float(entry == word) for word in [*order, None]] for entry in entries]
        if len(said) > len(order) > 2 and not order_hints and found.tolist() != by_columns and sorted(found.tolist()) == sorted(by_columns):
            order_hints = ["The rows stand in the order of the list; here they stand in another one."]
        assert_true(bool(((found == 0) | (found == 1)).all()), f"train = {train_in}, other = {other_in}: each entry of the {name} result is 0 or 1", of="words", hint="1 in the column of the word and 0 elsewhere: no counts, shares or codes.")
        for row, entry in zip(found, entries):
            wanted = torch.zeros(len(order) + 1)
            if entry is None or entry in order:
                wanted[-1 if entry is None else order.index(entry)] = 1
            place = "missing" if entry in (None, "None", "") else "words" if entry in order else "unseen"
            ones = [([*order, None])[j] for j in row.nonzero()[:, 0].tolist()]         # the words in whose columns there is a 1
            what_of_it = ("A word that is not in train is not missing: the last column is that of None alone." if entry is not None and entry not in order and ones == [None]
                          else "This word is in train: it has a 1 in its column. Here its row holds zeros alone." if entry in order and not ones
                          else 'None has a 1 in the column of the word "None", too: it was made into a string.' if entry is None and ones == ["None", None]
                          else f"A row has at most one 1; here there are {len(ones)}." if len(ones) > 1
                          else f"The 1 stands in the column of {ones[0]!r}, which is only a part of this word: compare whole words, with =="
                          if entry not in order and ones and inside(ones[0], entry) else "")
            assert_close(row, wanted, f"train = {train_in}: the row of {entry!r} in the {name} result", of=place,
                         hint=lambda: order_hints[0] if len(order_hints) == 1 else none_alone() if entry in ("None", "") else what_of_it or {"missing": "None has its 1 in the last column, and zeros before it.", "words": "The columns stand in the order of sorted, which puts capitals first, and that of None is the last one; 1 for the very same word.",
                                                                        "unseen": "This word is not in train, letter by letter, blanks and capitals included: its row holds zeros alone."}[place])

check_one_hot(["timber", "Adobe", "slate", None, "slate"], ["slate", None, "glass", "brick", "clay", "reed", "Adobe"])
check_one_hot(["oak", "tin "], ["tin", "tin ", " oak"])
check_one_hot(["b", "a"], ["c", "a", None, "b", "aa"])
check_one_hot(["tinned", "tin", "slate"], ["slat", "tin"])
check_one_hot(["None", "Brick", "", "None"], ["Brick", None, "None", "", "brick"])
check_one_hot([None, None], ["a", None, ""])
check_one_hot(["zinc", "~", "missing", "Tin", "nan", " tin"], ["nan", "tin", None, "Tin", "zzz", "missing", "~"])
check_one_hot(STAND_INS, [None, *STAND_INS[::-1]])
### BEGIN HIDDEN TESTS
check_one_hot(["Norm", "Feedr", "Artery", "Norm", "Feedr", "PosN"], [None, "RRAe", "PosN", None])
check_one_hot([None], [None, "None", "slate"])
check_one_hot([None, "zinc", None], ["y", "zin", "zinc", "Zinc", "ZINC"])
check_one_hot(["Zinc", "Tin", "None"], ["None", "", "zinc", None])
check_one_hot(["~~", "alu", "zzzz", "Bark ", "missing", "Nan"], ["Bark", "Bark ", "~", "missing", None, "bark "])
check_one_hot(["UNK", "none", "NA", "_", "<missing>", "NULL", "na", "MISSING", "unknown", "<unk>", "zzzzzz", "__missing__", "\uffff\uffff"], ["NA", None, "unknown", "_", "NULL", "none", "<missing>"])
### END HIDDEN TESTS

# %% [markdown] teaches="ridge regression on a table, bias not penalised"
# ## 5. A first model, and what it is worth
#
# `d2l.KaggleHouse` prepares a whole table as parts 3 and 4 did, from its training rows alone. `encode` below hands it two tables and returns tensors: the features of both, and the log prices of the first. `ridge` is the ridge regression of 3.7, exact and in one step: it minimises the mean squared error plus λ times the squared norm of the weights; the bias is not penalised.

# %% tags=["setup"]
def encode(train, other):
    """Features (n, d) and log prices (n,) of `train`, features (m, d) of `other`, prepared by `train` alone; float64."""
    data = d2l.KaggleHouse(64, train, other)        # tables given: it reads no files; 64 is a batch size, not used here
    data.raw_train, data.raw_val = train, other     # what preprocess() starts from; the results are data.train and data.val
    data.preprocess()
    X, X_other = (torch.tensor(part.drop(columns="SalePrice", errors="ignore").to_numpy(dtype="float64")) for part in (data.train, data.val))
    return X, log_prices(train), X_other

def log_prices(table):
    """The logarithms of the column SalePrice: (n,)."""
    return torch.tensor(table["SalePrice"].to_numpy(dtype="float64")).log()

def ridge(X, y, lambd):
    """Weights (d,) and bias of the ridge regression with λ = lambd."""
    centre, level = X.mean(dim=0), y.mean()
    Z = X - centre
    w = torch.linalg.solve(Z.T @ Z / len(Z) + lambd * torch.eye(Z.shape[1], dtype=Z.dtype), Z.T @ (y - level) / len(Z))
    return w, level - centre @ w

def root_error(y_hat, y):
    """Root of the mean squared error of log prices, a float."""
    return (y_hat - y).square().mean().sqrt().item()

# %% [markdown]
# The first 1,000 rows train, the other 465 judge:

# %% tags=["demo"] teaches="ridge regression on a table"
head, tail = train_table[:1000], train_table[1000:]
X, y, X_tail = encode(head, tail)
print("features:", X.shape[1])
for lambd in (1e-6, 0.001, 0.01, 0.1, 1., 10.):
    w, b = ridge(X, y, lambd)
    print(f"λ = {lambd:<6g} training error {root_error(X @ w + b, y):.3f}, on the other rows {root_error(X_tail @ w + b, log_prices(tail)):.3f}")

# %% [markdown] teaches="start of the bias"
# With hardly any penalty the training error is smallest; on new rows a moderate λ is best. 0.119 means: wrong by some 12 per cent, where the constant is wrong by a factor of 1.5.
#
# ⚠ *A network that is worse than a constant.* The same linear model can be trained by gradient descent. Here is what the recipe of the original book gives for our table: five folds, ten epochs, learning rate 0.01. The features are prepared once, by all training rows (what is wrong with that is the question of part 6). It prints the mean *squared* error.

# %% tags=["demo"] teaches="start of the bias"
torch.manual_seed(0)
data = d2l.KaggleHouse(64)          # says whether it found the competition's own files
data.preprocess()
models = d2l.k_fold(d2l.Trainer(max_epochs=10, verbose=False), data, k=5, lr=0.01)
print(f"mean squared error of a constant, the mean log price: {log_prices(train_table).var():.3f}")
weights = dict(zip(data.train.columns, models[-1].net.weight[0].tolist()))
print(f"last model: bias {models[-1].net.bias.item():.2f}, weights of a paved street {weights['Street_Pave']:.2f}, of a gravel street {weights['Street_Grvl']:.2f}")

# %% [markdown]
# 0.19 looks small, and from epoch to epoch it falls nicely. But the constant has 0.161! The bias started at 0 and the weights near it, while the log prices are about 12. Who has to climb there? Not the bias alone: it has come to 0.56. Each house has one 1 in each of the 40 groups of word columns, so the words' weights climb, too, and together they reach 12. But they climb at
# their own speed: a paved street, which nearly every house has, has learnt its share, and a gravel street, seen a few times, next to nothing. A house with several rare words is predicted far too low, and this has nothing to do with its worth.
#
# The remedy is one line: subtract the mean from the targets before training, and add it to the predictions. (Or set the bias to it at the start.) Prices in units of their geometric mean, $e$ to the mean log price, have the mean log 0:

# %% tags=["demo"] teaches="start of the bias"
torch.manual_seed(0)
data.train["SalePrice"] /= math.exp(log_prices(data.train).mean())
models = d2l.k_fold(d2l.Trainer(max_epochs=10, verbose=False), data, k=5, lr=0.01)

# %% [markdown]
# 0.029 in place of 0.192; its root, 0.17, can be compared with the errors above. A second remedy helps always: compare with the simplest rule there is, in the same units.

# %% [markdown] task="5.7.5" kind="experiment" minutes=14 difficulty=3 needs="standardisation, gradient descent, divergence, learning rate, ridge regression on a table"
# ### Without standardising
#
# What happens if the numbers are used as they are? Write `descend(X, y, lr, steps)`: linear regression by gradient descent on *all* rows at each step. Weights and bias start at 0; the loss is the mean squared error of $\mathbf X \mathbf w + b$ against y; each step changes both by -lr times their gradients. `X` is (n, d), `y` is (n,), both float64; compute in float64, too.
# It returns the list of the losses, before the first step and after each one: `steps + 1` numbers. (A loss may grow beyond all bounds, to inf and NaN; let it.)
#
# Then try it in a cell of your own (the button **+** above the notebook) on the columns LotArea and BedroomAbvGr of `train_table`, with the log prices minus their mean as targets, 200 steps: once as they are, once standardised. Find for both, by trial, the largest power of ten for lr at which the loss still falls, and the loss after 200 steps. Explain the difference; and say
# what the lack of standardising does to ridge regression, which needs no learning rate.
#
# **You are done when**
# - **length**: `steps + 1` losses come back, the first with weights and bias 0, also where they grow to inf and NaN;
# - **losses**: each is the mean squared error over all rows, without a factor 1/2, and stays what it is, small, large, inf or NaN;
# - **steps**: weights and bias both follow their gradients, from the same old values;
# - **arguments kept**: `X` and `y` are as they were.
#
# The words are complete with the two rates and losses, a reason, and a sentence on the penalty.

# %% exercise="5.7.5"
def descend(X, y, lr, steps):
    """The losses of gradient descent from zero: a list of steps + 1 numbers."""
    ### BEGIN SOLUTION
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), 0.
    losses = []
    for _ in range(steps + 1):
        error = X @ w + b - y
        losses.append(error.square().mean().item())
        w, b = w - lr * 2 * X.T @ error / len(X), b - lr * 2 * error.mean().item()
    return losses
    ### END SOLUTION

# %% [markdown] written="5.7.5" points=3
# ### BEGIN SOLUTION
# On the raw columns the loss still falls at lr = 10⁻⁹ (0.1575 after 200 steps; it began at 0.1613) and grows beyond all bounds at 10⁻⁸. On the standardised columns lr = 0.1 works (0.1451, which is also what least squares reaches), and 1 diverges.
#
# The gradient in a weight is proportional to its feature. LotArea is about 10,000, BedroomAbvGr about 3, the bias's feature 1. So the loss is steep along the weight of LotArea, some 10⁷ times as steep as along that of the bedrooms, and the rate has to suit the steepest direction. With such a rate the other weight and the bias do not
# move: 0.1575 is what LotArea alone can do. Standardised, all directions are about equally steep, and one rate suits all.
#
# Ridge regression needs no rate, but its penalty adds up the squares of the weights as if they were comparable. A weight of LotArea of 0.0001 is a large effect (10,000 square feet make a difference of 1 in the log price), a weight of a bedroom of 0.0001 is none. So without standardising the penalty hits the features with small numbers and spares those with large ones; and the result would
# change if the area were given in acres.
#
# **Rubric**
# - [1] Raw columns allow only a tiny rate (about 1e-9) and then hardly learn within 200 steps, standardised ones take 0.1 and get close to the best, with numbers; also accepted: the loss diverges at usual rates, with a number.
# - [1] The reason: the columns' different sizes make the loss steep in one direction and flat in another, and a single rate must suit the steepest; also accepted: the gradient is proportional to the feature's size; lost by "large numbers overflow" alone.
# - [1] The penalty is unfair without standardising: a weight's size depends on its feature's unit, so small-valued features are penalised more; also accepted: ridge's result changes with the unit, least squares without penalty does not.
# ### END SOLUTION

# %% [markdown] hints="5.7.5"
# 1. What is the derivative of the mean of $(\mathbf x^\top \mathbf w + b - y)^2$ in one weight?
# 2. The gradient in w is $\frac2n \mathbf X^\top (\mathbf X \mathbf w + b - \mathbf y)$, in b twice the mean error. Autograd gives the same.
# 3. One row, x = 3, y = 6, lr = 0.05: the error is -6, the loss 36; w = 0.05 · 2 · 3 · 6 = 1.8, b = 0.6; then the error is 3 · 1.8 + 0.6 - 6 = 0, the loss 0.

# %% check="5.7.5" points=2
def which_gradient(n):
    """The hint where the first step is wrong: one of the two moves alone."""
    def found_by(X, y):
        try:
            return [float(loss) for loss in descend(torch.tensor(X, dtype=torch.float64), torch.tensor(y, dtype=torch.float64), 0.03, 3)]
        except Exception:
            return []
    def said(found, losses, step, curve):
        """`curve` holds a, b, c of the loss a t² + b t + c, where the first step leads from t = 0 to t."""
        if len(found) == len(losses) and np.allclose(found, losses, rtol=1e-5):
            return "right"
        if len(found) < 2 or abs(found[1] - losses[1]) <= 1e-5 * losses[1]:
            return "wrong"
        a, b, c = curve
        root = b * b - 4 * a * (c - found[1])
        t = f", as after a step to {(-b - math.sqrt(root)) / (2 * a):.4g}" if root >= 0 else ""
        return (f"wrong (with lr = 0.03 the first step takes {step}, and the loss from {losses[0]:g} to {losses[1]:g}; "
                f"yours is {found[1]:.6g} then{t})")
    bias = said(found_by([[0., 0.], [0., 0.], [0., 0.]], [4., 1., -2.]), [7., 6.8836, 6.78074896, 6.689869781], "b from 0 to 2 · 0.03 · 1 = 0.06, where 1 is the mean of y = 4, 1, -2", (1, -2, 7))
    weights = said(found_by([[2., 0.], [-1., 3.], [-1., -3.]], [3., 0., -3.]), [6., 4.0992, 2.95028736, 2.192897606], "both weights from 0 to 2 · 0.03 / 3 · 9 = 0.18, where X is (2, 0), (-1, 3), (-1, -3) and y is 3, 0, -3", (8, -12, 6))
    if bias == weights == "right" and n > 3:
        return f"With 3 rows yours is right, here there are {n}: the mean runs over all rows."
    return f"Where X is 0 everywhere, so that the bias alone moves, your losses are {bias}; where y and each column have the mean 0, so that the weights alone move, they are {weights}."

def check_descend(X, y, lr, steps, wanted, early=None, slips=lambda: {}):
    """`early` holds the losses after one and after two steps that known mistakes give, `slips()` all of their losses."""
    found = descend(X.clone(), y.clone(), lr, steps)
    n, d = X.shape
    what = f"{n} rows, {d} columns, {'all of y below 1e-7, ' if y.abs().max() < 1e-7 else ''}lr = {lr}, {steps} steps"
    assert_type(found, (list, tuple, torch.Tensor, np.ndarray), f"what descend returns, {what}", of="length")
    where_it_ends = "The list of losses alone comes back: one before the first step and one after each, whatever they are."
    if 1 < len(found) < steps + 1 and all(isinstance(loss, (int, float)) or getattr(loss, "shape", (1,)) == () for loss in found[-2:]):
        before_last, last = (float(loss) for loss in found[-2:])
        if not math.isfinite(last) or not math.isfinite(wanted[len(found)]):
            where_it_ends = "Your list ends at an inf or NaN, or just before one: the steps go on, and inf and NaN stand in the list."
        elif len(found) < steps and last > before_last:
            where_it_ends = "Your list ends where the loss rises: the steps go on."
        elif len(found) == steps and np.allclose([float(loss) for loss in found], wanted[:-1], rtol=1e-4):
            where_it_ends = "What is there is right; the loss after the last step is missing: one before the first step, and one after each."
        elif len(found) == steps and np.allclose([float(loss) for loss in found], wanted[1:], rtol=1e-4):
            where_it_ends = "What is there is right; the loss before the first step is missing."
    assert_equal(len(found), steps + 1, f"how many losses, {what}", of="length", hint=where_it_ends)
    assert_equal([tuple(getattr(loss, "shape", ())) if not isinstance(loss, (list, tuple)) else (len(loss),) for loss in found], [()] * (steps + 1), f"the shapes of the losses, {what}", of="length", hint="Each loss is a single number.")
    found = [float(loss) for loss in found]
    assert_close(found[0], wanted[0], f"the first loss, {what}", of="losses", rtol=1e-4, hint="Weights and bias are exactly 0 there: it is the mean of the squares of y.",
                 mistakes={"There is no factor 1/2.": wanted[0] / 2, "The mean, not the sum.": wanted[0] * n, "The mean divides by n, not by n - 1.": wanted[0] * n / (n - 1) if n > 1 else -1., "The mean of the squares itself, no root.": math.sqrt(wanted[0]), "The squares of the errors, not their sizes.": y.abs().mean().item(),
                           "The first loss belongs to weights and bias 0: measure before the step.": wanted[1] if steps else -1.,
                           "This is the mean square of y minus its mean: y is used as it is, and the bias begins at 0.": y.var(unbiased=False).item()})
    bounded = [k for k, loss in enumerate(wanted) if math.isfinite(loss) and loss < 1e30]
    reported = {"Each loss after the first belongs to the weights after that step; here it is the one before it.": [wanted[0], *wanted[:-1]],
                "Each loss is that of its own step; here it is the smallest so far.": [min(wanted[:k + 1]) for k in range(steps + 1)],
                "Each loss is that of its own step; here it is the mean of all so far.": [sum(wanted[:k + 1]) / (k + 1) for k in range(steps + 1)],
                "There is no factor 1/2, in none of the losses.": [wanted[0], *[loss / 2 for loss in wanted[1:]]]}
    same = lambda losses: all(abs(losses[k] - wanted[k]) <= 1e-4 * wanted[k] for k in bounded)
    told = [sentence for sentence, losses in reported.items() if not same(losses) and all(abs(found[k] - losses[k]) <= 1e-4 * losses[k] for k in bounded)]
    assert_true(not told, f"the loss after each step is that of its weights and bias, {what}", of="losses", hint=told[0] if len(told) == 1 else "")
    broken = next((k for k in bounded if not math.isfinite(found[k])), None)
    if broken and all(abs(found[k] - wanted[k]) <= 1e-3 * wanted[k] for k in range(broken)):
        assert_true(False, f"the loss after step {broken} is a number, {what}", of="losses",
                    hint="Up to this step your losses are right, and this one is still far from the largest number of float64, about 1e308. It stays what it is: nothing is cut off, replaced or left out because it is large.")
    agrees = all(abs(found[k] - wanted[k]) <= 1e-6 * wanted[k] for k in bounded)         # then no known mistake need be computed
    others = {} if agrees else slips()
    hint = ("The first step is wrong already: from 0, the weights become 2 lr / n times the transpose of X times y, and the bias 2 lr times the mean of y. ",
            "The first step is right, a later one is not: so look at what changes between them. Each is lr, as it is given, times the gradient at the weights and bias of that time, and nothing else.")
    which_step = lambda: hint[1] if len(bounded) > 2 and abs(found[1] - wanted[1]) <= 1e-5 * wanted[1] + 1e-8 * wanted[0] else hint[0] + which_gradient(n)
    if early:
        assert_close(found[1:3], wanted[1:3], f"the losses after one and after two steps, {what}", of="steps", rtol=1e-5, atol=1e-8 * wanted[0], hint=which_step, mistakes=early)
    assert_close([found[k] for k in bounded], [wanted[k] for k in bounded], f"all losses{'' if len(bounded) > steps else ' up to 1e30'}, {what}", of="steps", rtol=1e-5, atol=1e-8 * wanted[0],
                 hint=which_step,
                 mistakes={sentence: [losses[k] for k in bounded] for sentence, losses in others.items() if losses and all(math.isfinite(losses[k]) for k in bounded)})
    little = [k for k, loss in enumerate(wanted) if 1e-11 * wanted[0] < loss < 1e-5 * wanted[0]]
    close_by = {sentence: [losses[k] for k in little] for sentence, losses in others.items() if losses and all(math.isfinite(losses[k]) for k in little)}
    assert_close([found[k] for k in little], [wanted[k] for k in little], f"the losses below a hundred-thousandth of the first one, {what}", of="steps", rtol=1e-3,
                 hint="The larger losses are right; these are not. Each step is lr times the gradient and nothing else, in float64: no penalty, however small, and the steps go on.", mistakes=close_by)
    large = [k for k, loss in enumerate(wanted) if 1e30 <= loss < 1e300]
    if large:
        assert_close([found[k] for k in large], [wanted[k] for k in large], f"the losses between 1e30 and 1e300, {what}", of="losses", rtol=1e-3,
                     hint="The smaller losses are as inexact as those of float32, which ends at 3e38: compute in float64." if any(abs(found[k] - wanted[k]) > 1e-10 * wanted[k] for k in bounded)
                     else "Large losses stay what they are, and are neither inf nor NaN yet: in float64 there is room up to 1e308. Nothing is cut off or replaced.")
    beyond = [k for k, loss in enumerate(wanted) if not math.isfinite(loss)]
    assert_true(not any(math.isfinite(found[k]) for k in beyond), f"the losses are inf or NaN where they have grown beyond all bounds, {what}", of="losses", hint="Let inf and NaN be: nothing is replaced, cut off or left out.")

tiny = torch.tensor([[3.], [1.], [-2.]], dtype=torch.float64)
check_descend(torch.cat([tiny, torch.tensor([[1., -1.], [4., 2.], [0., 0.5]], dtype=torch.float64)], dim=1), torch.tensor([2., -1., 5.], dtype=torch.float64), 0.03, 4, [10., 9.159708333, 8.476288373, 7.875804618, 7.331640223], {
    "The derivative of a square has a factor 2: these are steps of half the gradient.": [9.565760417, 9.178781513],
    "The gradient is that of the mean: divide by the number of rows.": [7.817375, 6.274203189],
    "The bias does not move.": [9.660908333, 9.509189084],
    "The bias follows the gradient at the old weights, not at the new ones.": [9.12368321, 8.418070733],
    "The weights follow the gradient at the old bias, not at the new one.": [9.137975893, 8.448364343],
    "The factor 2 is missing in the step of the bias.": [9.406708333, 8.973209276],
    "The factor 2 is missing in the step of the weights, or they are divided by more than the number of rows.": [9.327660417, 8.714097893],
    "The weights' gradient is divided by the number of rows alone, not by that of the columns.": [9.392263889, 8.827045872],
    "The bias follows the mean error, not the sum.": [8.243708333, 6.834330609],
    "The weights' gradient is not divided by the number of rows.": [8.875775, 8.116685679],
    "The steps go uphill: minus lr times the gradient.": [10.95304167, 12.21735671],
    "The bias goes uphill: minus lr times its gradient.": [10.19090833, 10.70792014],
    "The weights go uphill: minus lr times their gradient.": [10.06424167, 10.8696258],
    "One step for all rows together, not one for each row.": [8.20635119, 6.099556975],
    "The gradients of earlier steps are still in there: they add up if nobody sets them to zero.": [9.159708333, 7.822896289],
    "X is used as it is: nothing is standardised in here.": [8.823689069, 7.787414506],
    "The shapes are (n, 1) for the predictions and (n,) for y: their difference is (n, n), each prediction against every y.": [8.354833333, 7.843741231],
    "Each weight has a gradient of its own, the mean over the rows; here all share one mean.": [9.23924537, 8.593912891],
    "The rate is lr in every step; here it is lr divided by the number of the step.": [9.159708333, 8.811411572],
    "The rate is lr in every step; here it is multiplied by 0.9 after each.": [9.159708333, 8.542259128],
    "The rate is lr in every step; here it is multiplied by 0.95 after each.": [9.159708333, 8.509207882],
    "The rate is lr in every step; here it is multiplied by 0.99 after each.": [9.159708333, 8.482861736],
    "The rate is lr in every step; here it is multiplied by 0.999 after each.": [9.159708333, 8.476945472],
    "The gradient is neither clipped nor divided by its length: here its length is at most 1.": [9.837873958, 9.679294516],
    "The gradient is neither clipped nor divided by its length: here its length is at most 5.": [9.227092837, 8.532616947],
    "The gradient is not clipped: here each of its entries lies between -1 and 1.": [9.723875, 9.480918308],
    "There is no penalty: here 0.005 times the squares of the weights are added to the loss.": [9.159770833, 8.476541076],
    "There is no penalty: here 0.01 times the squares of the weights are added to the loss.": [9.159833333, 8.476793664],
    "There is no penalty: here 0.05 times the squares of the weights are added to the loss.": [9.160333333, 8.478810256],
    "There is no penalty: here 0.1 times the squares of the weights are added to the loss.": [9.160958333, 8.481320721],
    "There is no penalty: here 0.5 times the squares of the weights are added to the loss.": [9.165958333, 8.500997444],
    "There is no penalty: here 1 times the squares of the weights are added to the loss.": [9.172208333, 8.52459509],
    "There is no penalty: here 0.02 times the weights is added to their gradient.": [9.159708333, 8.47642583],
    "There is no penalty: here 0.1 times the weights is added to their gradient.": [9.159708333, 8.476976218],
    "There is no penalty: here 0.2 times the weights is added to their gradient.": [9.159708333, 8.47766546],
    "There is no penalty: here 1 times the weights is added to their gradient.": [9.159708333, 8.483229663],
    "There is no penalty: here 2 times the weights is added to their gradient.": [9.159708333, 8.490310588],
    "All weights move by nearly lr, as with Adam, or with a gradient that is clipped at 1; lr times the gradient is meant.": [9.723875001, 9.476311949],
    "Earlier steps are remembered, a momentum of 0.9; lr times the gradient is meant.": [9.159708333, 7.883161748],
    "Earlier steps are remembered, a momentum of 0.5; lr times the gradient is meant.": [9.159708333, 8.135498581],
    "This is Nesterov's momentum of 0.9; lr times the gradient is meant.": [8.499847083, 6.9408075]}, lambda: {
    "There is no penalty: here 0.001 times the squares of the weights are added to the loss.": [10., 9.159720833, 8.476338922, 7.875898916, 7.331781073],
    "There is no penalty: here 0.01 times the weights is added to their gradient.": [10., 9.159708333, 8.476357094, 7.875952231, 7.33187258]})
check_descend(tiny[:1], torch.tensor([6.], dtype=torch.float64), 0.05, 1, [36., 0.])
check_descend(tiny, torch.tensor([2., -1., 5.], dtype=torch.float64), 0.1, 0, [10.])
check_descend(1000 * tiny, torch.tensor([2., -1., 5.], dtype=torch.float64), 0.01, 3, [10., 5185072306., 4.516677487e+19, 3.934443794e+29], {
    "The rate is lr in every step, also where the loss rises; here it is halved then.": [5185072306., 1.129145175e+19],
    "The steps go on where the loss rises; here they stop.": [5185072306., 5185072306.],
    "The gradient is neither clipped nor divided by its length: here its length is at most 1.": [443.3324773, 9.999967679],
    "The gradient is neither clipped nor divided by its length: here its length is at most 5.": [11509.97908, 9.999847572],
    "The gradient is neither clipped nor divided by its length: here its length is at most 10.": [46343.24989, 9.999697352],
    "The gradient is neither clipped nor divided by its length: here its length is at most 100.": [4663335.011, 9.996997838],
    "The gradient is neither clipped nor divided by its length: here its length is at most 1000.": [466632511.3, 9.970485986],
    "The gradient is not clipped: here each of its entries lies between -1 and 1.": [443.1601, 9.9204],
    "The gradient is not clipped: here each of its entries lies between -5 and 5.": [11507.17493, 9.6481],
    "The gradient is not clipped: here each of its entries lies between -10 and 10.": [46337.8416, 9.4596],
    "The gradient is not clipped: here each of its entries lies between -100 and 100.": [4663289.842, 6.9216],
    "The gradient is not clipped: here each of its entries lies between -1000 and 1000.": [466632809.8, 70.6416],
    "The gradient is not clipped: here each entry of the weights' gradient lies between -10 and 10.": [46337.8416, 6.345117084],
    "The gradient is not clipped: here each entry of the weights' gradient lies between -100 and 100.": [4663289.842, 136.2459171],
    "The gradient is not clipped: here each entry of the weights' gradient lies between -1000 and 1000.": [466632809.8, 17275.25392],
    "All weights move by nearly lr, as with Adam, or with a gradient that is clipped at 1; lr times the gradient is meant.": [443.1601, 37.374338]})
check_descend(1000 * tiny, torch.tensor([2., -1., 5.], dtype=torch.float64), 0.02, 75, [10, 20740511417.0938, 7.22683883902243e+20, 2.51812496700782e+31, 8.77417290009177e+41, 3.05727916959515e+52, 1.06528057143057e+63, 3.71187135003352e+73, 1.29336714558655e+84, 4.50661786343318e+94, 1.57028919717955e+105, 5.47152706863928e+115, 1.90650286053195e+126, 6.64303239592753e+136, 2.31470302651576e+147, 8.06536801513392e+157, 2.81030268135359e+168, 9.79223904724954e+178, 3.41201487635822e+189, 1.18888493840025e+200, 4.14255930285861e+210, 1.44343636826552e+221, 5.0295201514528e+231, 1.75248964970076e+242, 6.10638764698288e+252, 2.12771414094184e+263, 7.41382258592885e+273, 2.58327771940729e+284, 9.00119162313359e+294, 3.13638173811834e+305] + [math.inf] * 46)
check_descend(tiny, 1e-8 * torch.tensor([2., -1., 5.], dtype=torch.float64), 0.03, 6, [1e-15, 9.231733333e-16, 8.60959104e-16, 8.085605652e-16, 7.632932971e-16, 7.235719658e-16, 6.883926742e-16], {
    "The steps go on where the loss hardly changes; here they stop.": [9.231733333e-16, 9.231733333e-16],
    "The steps go on where the loss is small; here they stop.": [1e-15, 1e-15]})
check_descend(torch.tensor([[1., 2.], [2., -1.]], dtype=torch.float64), torch.tensor([3., 1.], dtype=torch.float64), 0.1, 60, [4 * 0.09 ** k + 0.25 ** k for k in range(61)], {
    "There is no penalty: here 0.0001 times the weights is added to their gradient.": [0.61, 0.09490610013],
    "There is no penalty: here 0.0002 times the weights is added to their gradient.": [0.61, 0.0949122005]})
many = torch.sin(torch.arange(600, dtype=torch.float64)).reshape(200, 3)
check_descend(many[:, :2] + 1, many[:, 2] + many[:, 0], 0.1, 4, [0.5843125246, 0.4702196394, 0.4245683258, 0.3876841394, 0.3543689345], {
    "One step for all rows together, not one for each batch of 4 rows.": [0.006137368328, 6.602257279e-05],
    "One step for all rows together, not one for each batch of 5 rows.": [0.01415612505, 0.00034403776],
    "One step for all rows together, not one for each batch of 8 rows.": [0.05276592162, 0.005194537745],
    "One step for all rows together, not one for each batch of 10 rows.": [0.08348664676, 0.01319584618],
    "One step for all rows together, not one for each batch of 16 rows.": [0.1587828747, 0.04744575584],
    "One step for all rows together, not one for each batch of 20 rows.": [0.2070995746, 0.08444801282],
    "One step for all rows together, not one for each batch of 32 rows.": [0.2700980631, 0.1368996101],
    "One step for all rows together, not one for each batch of 50 rows.": [0.3548231432, 0.2478202905],
    "One step for all rows together, not one for each batch of 64 rows.": [0.3511365871, 0.23224415],
    "One step for all rows together, not one for each batch of 100 rows.": [0.4244871663, 0.3546002536],
    "One step for all rows together, not one for each batch of 128 rows.": [0.4233967904, 0.3530734932],
    "There is no penalty: here 0.0005 times the squares of the weights are added to the loss.": [0.4702273442, 0.4245904273],
    "There is no penalty: here 0.001 times the squares of the weights are added to the loss.": [0.470235049, 0.424612525],
    "There is no penalty: here 0.001 times the weights is added to their gradient.": [0.4702196394, 0.4245733421],
    "There is no penalty: here 0.002 times the weights is added to their gradient.": [0.4702196394, 0.4245783591],
    "There is no penalty: here 0.01 times the weights is added to their gradient.": [0.4702196394, 0.4246185242]})

@probe
def arguments_after_descend(X, y):
    """X and y after the call."""
    descend(X, y, 0.1, 2)
    return X, y

for after, before, name in zip(arguments_after_descend(tiny.clone(), tiny[:, 0].clone()), (tiny, tiny[:, 0]), "Xy"):
    assert_close(after, before, f"{name} after the call", of="arguments kept", hint=f"-=, *= or a method whose name ends in _ changes {name} itself, also under another name: make a new tensor.")
### BEGIN HIDDEN TESTS
def by_autograd(X, y, lr, steps, rate_w=1., rate_b=1., late="", batch=0, keep=0., kept_b=0., decay=0., at_most=math.inf, how="", shrink=1.):
    """The losses; the other arguments change the steps as a known mistake does."""
    w, b = torch.zeros(X.shape[1], dtype=torch.float64, requires_grad=True), torch.zeros((), dtype=torch.float64, requires_grad=True)
    losses, before, full_rate = [], [torch.zeros_like(w), torch.zeros_like(b)], lr
    optimizer = torch.optim.Adam([w, b], lr=lr) if how == "Adam" else torch.optim.SGD([w, b], lr=lr, momentum=0.9, nesterov=True) if how == "Nesterov" else None
    for k in range(steps + 1):
        loss = ((X @ w + b)[:, None] - y).square().mean() if how == "all pairs" else (X @ w + b - y).square().mean() + (decay * w.square().sum() / 2 if how == "penalty" else 0.)
        losses.append(loss.item())
        risen = len(losses) > 1 and losses[-1] > losses[-2]
        if how == "stops" and risen or how == "settled" and k and abs(losses[-1] - losses[-2]) < 1e-10 or how == "small" and losses[-1] < 1e-10:
            return losses + losses[-1:] * (steps - k)
        lr = full_rate / (k + 1) if how == "ever smaller" else lr / 2 if how == "halved" and risen else lr if how == "halved" else full_rate * shrink ** k
        if optimizer:
            w.grad, b.grad = torch.autograd.grad(loss, (w, b))
            optimizer.step()
            continue
        for rows in torch.arange(len(y)).split(batch or len(y)):
            grads = torch.autograd.grad(loss if how == "all pairs" else (X[rows] @ w + b - y[rows]).square().mean(), (w, b))
            if how == "one for all":
                grads = grads[0].mean().expand_as(w), grads[1]
            elif how == "length":
                grads = [grad / max(1., math.sqrt(grads[0].square().sum().item() + grads[1].item() ** 2) / at_most) for grad in grads]
            elif decay or at_most < math.inf:
                grads = (grads[0] + decay * w.detach()).clamp(-at_most, at_most), grads[1].clamp(-at_most, at_most)
            before = [keep * before[0] + grads[0], kept_b * before[1] + grads[1]]
            with torch.no_grad():
                if late == "w":
                    b -= lr * rate_b * before[1]
                    w -= lr * rate_w * 2 * X.T @ (X @ w + b - y) / len(X)
                else:
                    w -= lr * rate_w * before[0]
                    b -= lr * rate_b * (2 * (X @ w + b - y).mean() if late == "b" else before[1])
    return losses

def hidden_descend(X, y, lr, steps):
    n, d = X.shape
    Z = (X - X.mean(dim=0)) / X.std(dim=0) if n > 1 and bool((X.std(dim=0) > 0).all()) else None

    def slips():
        return {"The derivative of a square has a factor 2: these are steps of half the gradient.": by_autograd(X, y, lr / 2, steps), "The gradient is that of the mean: divide by the number of rows.": by_autograd(X, y, lr * n, steps),
              "The bias does not move.": by_autograd(X, y, lr, steps, rate_b=0.), "The bias follows the gradient at the old weights, not at the new ones.": by_autograd(X, y, lr, steps, late="b"),
              "The weights follow the gradient at the old bias, not at the new one.": by_autograd(X, y, lr, steps, late="w"), "The factor 2 is missing in the step of the bias.": by_autograd(X, y, lr, steps, rate_b=0.5),
              "The factor 2 is missing in the step of the weights, or they are divided by more than the number of rows.": by_autograd(X, y, lr, steps, rate_w=0.5), "The weights' gradient is divided by the number of rows alone, not by that of the columns.": by_autograd(X, y, lr, steps, rate_w=1 / d) if d > 2 else [],
              "The bias follows the mean error, not the sum.": by_autograd(X, y, lr, steps, rate_b=n), "The weights' gradient is not divided by the number of rows.": by_autograd(X, y, lr, steps, rate_w=n),
              "The steps go uphill: minus lr times the gradient.": by_autograd(X, y, -lr, steps), "The bias goes uphill: minus lr times its gradient.": by_autograd(X, y, lr, steps, rate_b=-1.), "The weights go uphill: minus lr times their gradient.": by_autograd(X, y, lr, steps, rate_w=-1.),
              "One step for all rows together, not one for each row.": by_autograd(X, y, lr, steps, batch=1),
              **{f"One step for all rows together, not one for each batch of {size} rows.": by_autograd(X, y, lr, steps, batch=size) for size in (4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128) if size < n}, "The gradients of earlier steps are still in there: they add up if nobody sets them to zero.": by_autograd(X, y, lr, steps, keep=1., kept_b=1.),
              "X is used as it is: nothing is standardised in here.": by_autograd(Z, y, lr, steps) if Z is not None else [],
              "The shapes are (n, 1) for the predictions and (n,) for y: their difference is (n, n), each prediction against every y.": by_autograd(X, y, lr, steps, how="all pairs"),
              "Each weight has a gradient of its own, the mean over the rows; here all share one mean.": by_autograd(X, y, lr, steps, how="one for all"),
              "The rate is lr in every step; here it is lr divided by the number of the step.": by_autograd(X, y, lr, steps, how="ever smaller"),
              **{f"The rate is lr in every step; here it is multiplied by {factor_:g} after each.": by_autograd(X, y, lr, steps, shrink=factor_) for factor_ in (0.9, 0.95, 0.99, 0.999)},
              "The rate is lr in every step, also where the loss rises; here it is halved then.": by_autograd(X, y, lr, steps, how="halved"),
              "The steps go on where the loss rises; here they stop.": by_autograd(X, y, lr, steps, how="stops"),
              "The steps go on where the loss hardly changes; here they stop.": by_autograd(X, y, lr, steps, how="settled"), "The steps go on where the loss is small; here they stop.": by_autograd(X, y, lr, steps, how="small"),
              **{f"The gradient is neither clipped nor divided by its length: here its length is at most {limit:g}.": by_autograd(X, y, lr, steps, at_most=limit, how="length") for limit in (1, 5, 10, 100, 1000)},
              **{f"The gradient is not clipped: here each of its entries lies between -{limit:g} and {limit:g}.": by_autograd(X, y, lr, steps, at_most=limit) for limit in (1, 5, 10, 100, 1000)},
              **{f"There is no penalty: here {rate / 2:g} times the squares of the weights are added to the loss.": by_autograd(X, y, lr, steps, decay=rate, how="penalty") for rate in (0.001, 0.002, 0.01, 0.02, 0.1, 0.2, 1., 2.)},
              **{f"There is no penalty: here {rate:g} times the weights is added to their gradient.": by_autograd(X, y, lr, steps, decay=rate) for rate in (1e-4, 2e-4, 0.001, 0.002, 0.01, 0.02, 0.1, 0.2, 1., 2.)},
              "All weights move by nearly lr, as with Adam, or with a gradient that is clipped at 1; lr times the gradient is meant.": by_autograd(X, y, lr, steps, how="Adam"), "Earlier steps are remembered, a momentum of 0.9; lr times the gradient is meant.": by_autograd(X, y, lr, steps, keep=0.9, kept_b=0.9),
              "Earlier steps are remembered, a momentum of 0.5; lr times the gradient is meant.": by_autograd(X, y, lr, steps, keep=0.5, kept_b=0.5), "This is Nesterov's momentum of 0.9; lr times the gradient is meant.": by_autograd(X, y, lr, steps, how="Nesterov")}

    check_descend(X, y, lr, steps, by_autograd(X, y, lr, steps), None, slips)

rng = torch.Generator().manual_seed(575)
for n, d, lr_, steps_ in ((7, 4, 0.03, 10), (20, 2, 0.3, 0), (5, 6, 0.5, 6), (4, 3, 1e6, 60), (300, 2, 0.05, 5)):
    hidden_descend(2 * torch.randn(n, d, generator=rng, dtype=torch.float64) + 1, torch.randn(n, generator=rng, dtype=torch.float64), lr_, steps_)
hidden_descend(torch.tensor([[1., -1., 2.], [0., 2., 1.], [2., 1., -1.]], dtype=torch.float64), torch.tensor([2., -1., 4.], dtype=torch.float64), 0.15, 90)
hidden_descend(tiny - 1, 1e-9 * torch.tensor([3., -2., 4.], dtype=torch.float64), 0.05, 9)
for after, before, name in zip(arguments_after_descend(tiny.clone() + 5, tiny[:, 0].clone() - 2), (tiny + 5, tiny[:, 0] - 2), "Xy"):
    assert_close(after, before, f"{name} after the call", of="arguments kept", hint=f"-=, *= or a method whose name ends in _ changes {name} itself, also under another name: make a new tensor.")
### END HIDDEN TESTS

# %% [markdown] teaches="cross-validation with the preparation inside"
# ## 6. Choosing by k folds
#
# On one split of 465 rows λ = 0.001 gave 0.122 and λ = 0.01 gave 0.119. Is that chance? In *k-fold cross-validation* (3.6) every row is used for judging once: k trainings, each without one of k parts, and the mean of the k errors.
#
# The preparation is part of the training. So it belongs *inside* the loop: for each fold, means, deviations and columns of words come from the other folds' rows alone. Here are five folds of one λ:

# %% tags=["demo"] teaches="cross-validation with the preparation inside"
parts = np.array_split(np.arange(len(train_table)), 5)
errors, differences = [], []
for judged in parts:
    X, y, X_judged = encode(train_table.drop(index=judged), train_table.iloc[judged])
    w, b = ridge(X, y, 0.03)
    differences.append(X_judged @ w + b - log_prices(train_table.iloc[judged]))          # (293,) in each fold
    errors.append(differences[-1].square().mean().sqrt().item())
print("the five errors:", [round(error, 3) for error in errors], " their mean:", round(sum(errors) / 5, 3), " features of the last fold:", X.shape[1])

# %% [markdown]
# `np.array_split` cuts the row numbers into five parts. One split alone would have promised 0.12 or 0.19, as luck has it; that of part 5 was a lucky one. The mean of all five, 0.151, is the better promise. And the errors of the folds differ by more than those of two values of λ differed in part 5, so candidates must be compared on the *same* folds.
#
# What makes a fold unlucky? Look at its worst house, and at the error without it:

# %% tags=["demo"] teaches="worst errors first"
for i, (judged, difference) in enumerate(zip(parts, differences)):
    worst = difference.abs().argmax().item()
    house = train_table.iloc[judged[worst]]
    others = torch.cat([difference[:worst], difference[worst + 1:]])
    print(f"fold {i}: error {errors[i]:.3f}, without its worst house {others.square().mean().sqrt():.3f}, median of the sizes {difference.abs().median():.3f};",
          f"the worst: number {house['Id']}, {house['GrLivArea']} square feet, sold for {house['SalePrice']}, predicted {house['SalePrice'] * difference[worst].exp():.0f}")

# %% [markdown]
# One house of 293 makes most of the difference. House 572 is the largest of all, 5,095 square feet, and was sold for 183,850 dollars; the line, drawn on through sizes that it has never seen, says 1.9 million. Without it fold 1 has 0.134 in place of 0.190. In each fold half of the houses are predicted within 6 to 8 %: the root of the mean square is not the error of a typical house.
# So read the worst rows before you tune anything. They tell of slips in the table, of sales that were no ordinary ones, and of features in the wrong form (part 8). And never remove such a row from those that judge: the next table has its own.

# %% [markdown] task="5.7.3" kind="code" minutes=14 difficulty=3 core=true needs="cross-validation with the preparation inside, ridge regression on a table, k-fold cross-validation"
# ### Tune by k folds
#
# Write `choose_lambda(table, lambdas, k)`. `table` is a table such as `train_table`, its rows numbered 0, 1, ..., in random order already. Fold i validates on the rows from i · s to (i + 1) · s - 1, with s = n // k; all others train, also the few that are left over at the end. The score of a λ is the root of the mean,
# over the k folds, of the mean squared error of the log prices.
#
# Return the pair `(best, scores)`: the λ with the smallest score, and the list of scores in the order of `lambdas`.
#
# Try it on `train_table` with five folds and λ = 0.001, 0.003, 0.01, 0.03, 0.1, 0.3 (a few seconds: `encode` each fold once, not once for each λ).
#
# **You are done when**
# - **form**: a pair comes back, with as many scores as `lambdas`, in their order;
# - **folds**: these rows, and no others, are validated on in each fold, and all others train;
# - **prepared in each fold**: features are prepared by the training rows of the fold alone;
# - **score**: the mean runs over the squared errors, and the root is taken at the end;
# - **choice**: `best` is the entry of `lambdas` with the smallest score.

# %% exercise="5.7.3"
def choose_lambda(table, lambdas, k):
    """(λ with the smallest score, scores): k-fold cross-validation of ridge regression on log prices."""
    ### BEGIN SOLUTION
    size = len(table) // k
    squares = torch.zeros(len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * size:(i + 1) * size]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            squares[j] += root_error(X_part @ w + b, log_prices(part)) ** 2 / k
    scores = squares.sqrt().tolist()
    return lambdas[scores.index(min(scores))], scores
    ### END SOLUTION

# %% [markdown] hints="5.7.3"
# 1. What of a fold does not depend on λ? Do it once.
# 2. `table[a:b]` are rows a to b - 1, `table.drop(index=part.index)` all rows but those of `part`.
# 3. With 7 rows and k = 3, s = 2: the folds validate on rows 0-1, 2-3, 4-5; row 6 always trains. Errors 0.1 and 0.3 of two folds: √((0.01 + 0.09) / 2) = 0.224, not 0.2.

# %% check="5.7.3" points=3
def small_table(seed, n, columns):
    rows = np.random.default_rng(seed).permutation(len(train_table))[:n]
    return train_table.iloc[rows][["Id", *columns, "SalePrice"]].reset_index(drop=True)

def oracle_features(train, rows_to_encode, wrong=""):
    """Standardised numbers and one-hot words as arrays, by the rows of `train`, written out; `wrong` names what is changed."""
    parts_ = []
    for name in [column for column in train if column != "SalePrice" and (column != "Id" or "Id" in wrong)]:
        column, target = train[name], rows_to_encode[name]
        if pd.api.types.is_numeric_dtype(column):
            parts_.append(np.nan_to_num((target.to_numpy(dtype=float) - np.nanmean(column)) / (np.nanstd(column, ddof=1) or 1.))[:, None])
        elif "no words" not in wrong:
            parts_ += [(target == word).to_numpy(dtype=float)[:, None] for word in sorted(column.dropna().unique())] + [target.isna().to_numpy(dtype=float)[:, None]]
    return np.hstack(parts_)

def oracle_errors(table_, lambdas, k, wrong=""):
    """The mean squared errors, (folds, λ); `wrong` names what is changed, as a known mistake does."""
    n, size = len(table_), -(-len(table_) // k) if wrong == "ceil" else len(table_) // k
    folds_ = -(-n // size) if wrong == "rest judges" else k
    rows, errors_ = np.arange(n), np.zeros((folds_, len(lambdas)))
    for i in range(folds_):
        start, stop = i * size, n if wrong == "last" and i == k - 1 else (i + 1) * size + {"one more": 1, "one less": -1}.get(wrong, 0)
        if wrong == "end":
            start, stop = n - stop, n - start
        inside = rows % k == i if wrong == "every kth" else np.isin(rows, np.array_split(rows, k)[i]) if wrong == "even" else (rows >= start) & (rows < stop)
        training = rows >= 0 if wrong == "all train" else rows < start if wrong == "earlier" and i else ~inside & ((rows < k * size) | (wrong != "dropped"))
        if wrong == "gap":
            training = training & (rows != stop)
        elif wrong == "first model":
            training = rows >= size
        elif wrong == "swapped":
            inside, training = training, inside
        train, part = table_[training], table_ if wrong == "both" else table_[training] if wrong == "training error" else table_[inside]
        A, B = (oracle_features(table_ if wrong == "leak" else part if wrong == "judges" else train, rows_, wrong) for rows_ in (train, part))
        target, wanted = np.log(train["SalePrice"].to_numpy(dtype=float)), np.log(part["SalePrice"].to_numpy(dtype=float))
        shift = A.mean(0)
        A, B, level = A - shift, B - (B.mean(0) if wrong == "own mean" else shift), target.mean()
        for j, lambd in enumerate(lambdas):
            factor_ = {"times n": len(A), "over n": 1 / len(A)}.get(wrong, 1)
            weights = np.linalg.solve(A.T @ A / len(A) + factor_ * lambd * np.eye(A.shape[1]), A.T @ (target - level) / len(A))
            guess = (B + shift) @ weights if wrong == "no bias" else B @ weights + level
            if wrong == "level of the judged":
                guess = (B + shift) @ weights + wanted.mean()
            rest = np.exp(guess) - np.exp(wanted) if wrong == "dollars" else np.expm1(guess - wanted) if wrong == "relative" else guess - wanted
            if wrong == "without the worst":
                rest = np.delete(rest, np.abs(rest).argmax())
            errors_[i, j] = np.sum(rest ** 2) if wrong == "sum of squares" else np.median(rest ** 2) if wrong == "median of squares" else np.mean(np.abs(rest)) ** 2 if wrong == "absolute" else np.var(rest) if wrong == "spread" else np.mean(rest ** 2)
    return errors_

OF_THE_JUDGED = "The fold's mean difference is missing in your score: predict X_part @ w + b, with the bias of ridge, not the mean log price of the rows that judge, and square the differences as they are, without subtracting their mean."       # the two are the same where the weights are 0
WRONG_FOLDS = (("prepared in each fold", "leak", "Call encode inside the loop, with the fold's training rows."), ("prepared in each fold", "judges", "The training rows prepare, not those that judge."),
               ("folds", "last", "Rows that are left over train in every fold; here the last fold judges on them."), ("folds", "dropped", "Rows that are left over train in every fold."), ("folds", "rest judges", "There are k folds; here the rows that are left over are one more."),
               ("folds", "even", "Fold i judges on the rows i · s to (i + 1) · s - 1, with s = n // k; array_split cuts elsewhere."), ("folds", "one more", "Fold i ends before row (i + 1) · s; .loc includes both ends."),
               ("folds", "one less", "Fold i ends with row (i + 1) · s - 1; a slice a:b leaves b out already."), ("folds", "ceil", "s = n // k is rounded down."), ("folds", "end", "The folds begin at row 0; what is left over stands at the end."),
               ("folds", "every kth", "A fold is a run of neighbouring rows, from i · s on, not every k-th row."), ("folds", "earlier", "All other rows train, those after the fold, too."), ("folds", "swapped", "One part judges and all the others train, not the other way round."),
               ("folds", "gap", "Row (i + 1) · s trains in fold i: the rows after the fold begin with it."), ("folds", "first model", "Each fold has a model of its own; here the first one, whose training rows are all but the first fold's, judges every fold."),
               ("folds", "all train", "The rows that judge must not train."), ("folds", "training error", "Judge on the rows of the fold, not on those that train."), ("folds", "both", "Judge on the rows of the fold alone, not on those that train."),
               ("score", "dollars", "Compare the log prices; these are dollars."), ("score", "relative", "Compare the log prices; these are errors divided by the price."), ("score", "own mean", "The rows that judge are used as encode returns them; here their own mean is subtracted."),
               ("score", "without the worst", "All rows of a fold judge, its worst house, too."), ("score", "sum of squares", "The error of a fold is the mean of its squared errors, not their sum."), ("score", "median of squares", "The error of a fold is the mean of its squared errors, not their median."), ("score", "level of the judged", OF_THE_JUDGED),
               ("score", "absolute", "The squares of the differences, not their sizes."), ("score", "spread", OF_THE_JUDGED),
               ("score", "no bias", "The prediction is X @ w + b; here b is missing."), ("score", "times n", "ridge takes λ as it is, not times the number of rows."), ("score", "over n", "ridge takes λ as it is, not divided by the number of rows."),
               ("score", "Id", "Id is the number of a house and no feature; encode leaves it out."), ("score", "no words", "The columns of words are features, too; encode makes them."),
               ("score", "Id, no words", "These are the features of the columns of numbers, with Id among them: encode leaves Id out and makes features of the words, too."))

def known_slips(table_, lambdas, k):
    """(requirement, scores, sentence) of the known mistakes."""
    E = oracle_errors(table_, lambdas, k)
    yield from (("score", np.sqrt(E).mean(0), "Mean of the squared errors first, the root at the end."), ("score", E.mean(0), "Take the root."), ("score", np.sqrt(np.median(E, 0)), "The mean over the folds, not the median, nor a single one of them."), ("score", np.sqrt(np.sort(E, 0)[(k - 1) // 2]), "The mean over the folds, not the median, nor a single one of them."),
                ("score", np.sqrt(E.sum(0)), "The mean over the folds, not the sum: divide by k."), ("score", np.sqrt(E.max(0)), "The mean over the folds, not the worst one."), ("score", np.sqrt(np.sqrt(E).mean(0)), "These are roots twice: square the errors of the folds before their mean."),
                ("folds", np.sqrt(E[0]), "This is the first fold alone."), ("folds", np.sqrt(E[0] / k), "This is the first fold alone, divided by k."), ("folds", np.sqrt(E[-1]), "This is the last fold alone."), ("folds", np.sqrt(E[:-1].sum(0) / k), "The last fold is missing."), ("folds", np.sqrt(E[:-1].mean(0)), "The last fold is missing."),
                ("folds", np.sqrt(E[1:].sum(0) / k), "The first fold is missing."), ("folds", np.sqrt(E[1:].mean(0)), "The first fold is missing."),
                ("score", np.sqrt(E.sum(0) * (len(table_) // k) / len(table_)), "The mean is that over the k folds: the rows that are left over judge nowhere and do not count in it."),
                ("score", np.sqrt(E.sum(0) / (k - 1)), "The mean over the folds: divide by k, not by k - 1."),
                ("score", np.sqrt(np.cumsum(E.mean(0))), "The sum of the errors begins at 0 anew for each λ; here it goes on from the one before."), ("score", np.sqrt(np.cumsum(E.mean(0)) / np.arange(1, len(lambdas) + 1)), "Each λ has a mean of its own; here the errors of the earlier ones are in it."),
                ("form", np.sqrt(E.mean(0))[np.argsort(lambdas)], "The scores stand in the order of `lambdas`, as they were given."), ("form", np.sort(np.sqrt(E.mean(0))), "The scores stand in the order of `lambdas`, not sorted."),
                ("score", np.full(len(lambdas), np.sqrt(E.mean(0))[-1]), "Each λ has a model and a score of its own; here all have the score of the last."))
    yield "folds", np.sqrt([E[j % k, j] for j in range(len(lambdas))]), "Each λ is judged by all k folds; here the first λ is judged by the first fold alone, the second by the second, and so on."
    for lambd in (1e-6, 1e-4, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1., 10.):
        yield "score", np.full(len(lambdas), np.sqrt(oracle_errors(table_, [lambd], k).mean())), f"ridge is given each λ of `lambdas`; here all scores are those of λ = {lambd:g}."
    numbers_ = table_.select_dtypes("number").columns.drop("SalePrice")
    gaps_ = [name for name in numbers_ if table_[name].isna().any()]
    changed = [("folds", table_.dropna().reset_index(drop=True), "The rows with holes are dropped: all rows of `table` take part, and encode fills their holes."),
               ("score", table_.dropna(axis=1), "The columns with holes are dropped: encode makes features of all columns, and fills their holes."),
               *(("prepared in each fold", table_.fillna({name: getattr(table_[name], middle)() for name in numbers_}), f"The holes are filled before the folds, with {', '.join(f'{getattr(table_[name], middle)():.4g}' for name in gaps_)}, which is the {middle} of all rows: hand them to encode, which fills them by the training rows of the fold.") for middle in ("mean", "median")),
               ("score", table_.fillna({name: 0 for name in numbers_}), "The holes are filled with 0: hand them to encode, which fills them by the mean of the training rows."),
               *(("folds", table_.sample(frac=1, random_state=seed_).reset_index(drop=True), "The rows are shuffled: `table` is in random order already, and a fold is a run of its rows as they stand.") for seed_ in (0, 1, 42)),
               *(("folds", table_.iloc[np.random.default_rng(seed_).permutation(len(table_))].reset_index(drop=True), "The rows are shuffled: `table` is in random order already, and a fold is a run of its rows as they stand.") for seed_ in (0, 42))]
    for name, other_table, sentence in changed:
        if len(other_table) >= 4 * k and not other_table.equals(table_):
            yield name, np.sqrt(oracle_errors(other_table, lambdas, k).mean(0)), sentence
    for places in (1, 2, 3, 4):
        yield "score", np.round(np.sqrt(E.mean(0)), places), "The scores are not rounded."
    sizes, s_ = [len(part_) for part_ in np.array_split(np.arange(len(table_)), k)], len(table_) // k
    yield ("folds", np.sqrt(np.average(oracle_errors(table_, lambdas, k, "even"), axis=0, weights=sizes)),
           "Fold i judges on the rows i · s to (i + 1) · s - 1, with s = n // k; array_split cuts elsewhere, so that all rows judge. Here the mean runs over all of them at once.")
    yield ("folds", np.sqrt(np.average(oracle_errors(table_, lambdas, k, "last"), axis=0, weights=[s_] * (k - 1) + [len(table_) - (k - 1) * s_])),
           "Rows that are left over train in every fold; here the last fold judges on them, too, and the mean runs over all rows at once.")
    yield "folds", np.sqrt(oracle_errors(table_, lambdas, k, "earlier")[1:].mean(0)), "All other rows train, those after the fold, too; and the first fold judges as well."
    for k_ in (5, 10):
        if k_ != k:
            yield "folds", np.sqrt(oracle_errors(table_, lambdas, k_).mean(0)), f"k is an argument; these are {k_} folds."
    for name, wrong, sentence in WRONG_FOLDS:
        yield name, np.sqrt(oracle_errors(table_, lambdas, k, wrong).mean(0)), sentence

FAR_TOO_LARGE = [1e12, 2e12]         # with such a λ the weights are 0, and each fold predicts the mean log price of its training rows
excluded = set()             # choices that an earlier call has told from the right one

def by_train_table(size, k):
    """The score at FAR_TOO_LARGE if train_table is taken in place of the argument, with folds of `size` rows."""
    y_ = np.log(train_table["SalePrice"].to_numpy(dtype=float))
    folds_ = [np.arange(i * size, (i + 1) * size) for i in range(k)]
    return np.sqrt(np.mean([np.mean((y_[rows] - np.delete(y_, rows).mean()) ** 2) for rows in folds_]))

def holds_for(table_, lambdas, k):
    """Whether the scores of this table are right: an easier case, which parts the causes of a mistake."""
    try:
        scores = [float(score) for score in choose_lambda(table_.copy(), list(lambdas), k)[1]]
    except Exception:
        return False
    right = np.sqrt(oracle_errors(table_, lambdas, k).mean(0))
    return len(scores) == len(right) and np.allclose(scores, right, rtol=1e-3, atol=0)

def where_to_look(only_means):
    """The hint where the scores are wrong and no known mistake fits."""
    only_bias = "So large a λ leaves only the bias, the mean log price of the fold's training rows. "
    if only_means and holds_for(small_table(7, 8, ["GrLivArea", "HouseStyle"]), FAR_TOO_LARGE, 8):
        return only_bias + ("With 8 houses and k = 8, each of them a fold of its own, your scores are right: so look at which rows a fold has, those from i · s to (i + 1) · s - 1 of `table` as it stands, not shuffled and none left out, while all others train; and at the mean over these rows.")
    if only_means:
        return only_bias + ("With 8 houses and k = 8, each of them a fold of its own, your scores are wrong, too: so it is not the order of the rows. Look at the size of a fold, n // k, at the λ that ridge is given, and at the way from the errors to the score, the root of the mean, over the k folds, of the mean squared error of the log prices.")
    if holds_for(small_table(5, 40, ["GrLivArea", "YearBuilt", "Street"]), [1., 0.01], 4):
        return ("With λ = 1e12, where the features say nothing, the scores were right, and so they are with GrLivArea, YearBuilt and Street, columns without holes and with one word alone: so look at the words and the holes. encode is given all columns of the fold's rows as they are, the training rows first.")
    return ("With λ = 1e12, where the features say nothing, the scores were right; with GrLivArea, YearBuilt and Street, columns without holes and with one word alone, they are wrong: so look at the features, which are those of encode, the training rows first, and no others, at ridge, which is given each λ as it is, on X and y of the fold, and at X_part @ w + b.")

def check_choice(table_, lambdas, k):
    what = f"{len(table_)} houses, {len(table_.columns) - 2} columns, λ = {'[1e12, 2e12]' if lambdas == FAR_TOO_LARGE else lambdas}, k = {k}"
    only_means = lambdas == FAR_TOO_LARGE
    answer = choose_lambda(table_.copy(), list(lambdas), k)
    assert_type(answer, (tuple, list), f"what choose_lambda returns, {what}", of="form")
    assert_equal(len(answer), 2, f"how many things choose_lambda returns, {what}", of="form")
    best, scores = answer
    assert_true(isinstance(best, (int, float, np.number, np.ndarray, torch.Tensor)) and math.prod(getattr(best, "shape", ())) == 1, f"the first of the pair is a single number, {what}", of="form",
                hint="The pair is (best, scores): here the scores come first." if isinstance(best, (list, tuple, np.ndarray, torch.Tensor)) and getattr(best, "shape", (1,)) != () and len(best) == len(lambdas) and not isinstance(scores, (list, tuple)) and math.prod(getattr(scores, "shape", ())) == 1
                else "It is one of `lambdas`, alone, without anything besides.")
    assert_type(scores, (list, tuple, torch.Tensor, np.ndarray), f"the scores, which are the second of the pair, {what}", of="form")
    assert_equal(len(scores), len(lambdas), f"how many scores, {what}", of="form", hint="One score for each λ.", mistakes={"One score for each λ, the mean over the folds, not one for each fold.": k} if k != len(lambdas) else {})
    assert_true(all(float(score) >= 0 or math.isnan(float(score)) for score in scores), f"no score is negative, {what}", of="score", hint="A score is a root of squared errors, as it is, without a minus sign; the smallest one is the best.")
    E = oracle_errors(table_, lambdas, k)
    scores, right = np.array([float(score) for score in scores]), np.sqrt(E.mean(0))
    slip = ("", "")
    if not np.allclose(scores, right, rtol=1e-5, atol=0):
        slip = next(((name, sentence) for name, values, sentence in known_slips(table_, lambdas, k) if np.allclose(scores, values, rtol=1e-6, atol=0) and not np.allclose(values, right, rtol=1e-5, atol=0)), slip)
    if only_means and any(np.allclose(scores, by_train_table(len(rows_) // k, k), rtol=1e-6, atol=0) for rows_ in (table_, train_table)):
        slip = "folds", "These are the scores of train_table; the argument is `table`."
    for name in ("form", "prepared in each fold", "score", "folds"):
        assert_true(slip[0] != name, f"the scores are those that the task describes, {what}", of=name, hint=slip[1])
    assert_close(scores.tolist(), right.tolist(), f"the scores, {what}", of="folds", rtol=1e-3,
                 hint=lambda: "" if np.allclose(scores, right, rtol=1e-3) else where_to_look(only_means))
    if only_means:          # the two scores are the same but for rounding: either λ will do
        return
    right, first_best = right.tolist(), lambda errors_: lambdas[int(np.argmin(errors_))]
    wins = np.bincount(E.argmin(1), minlength=len(lambdas))
    rises = [j for j in range(1, len(right)) if right[j] > right[j - 1]]
    nearly = E.mean(0) <= E.mean(0).min() + E[:, right.index(min(right))].std(ddof=1) / math.sqrt(k)
    choices = {"the first fold alone": first_best(E[0]), "the last fold alone": first_best(E[-1]), "the number of folds won": first_best(-wins), "the mean of the folds' roots": first_best(np.sqrt(E).mean(0)),
               "the smallest error in any one fold": first_best(E.min(0)), **{f"scores rounded to {digits}": first_best(np.round(right, places)) for places, digits in ((1, "one decimal"), (2, "two decimals"), (3, "three decimals"))},
               "the largest score": first_best(-np.array(right)), "taking the first λ": lambdas[0], "taking the last λ": lambdas[-1], "taking the smallest λ": min(lambdas), "the smallest error on the rows that train": first_best(oracle_errors(table_, lambdas, k, "training error").mean(0)), "taking the largest λ": max(lambdas),
               "stopping at the first rise": lambdas[rises[0] - 1 if rises else len(lambdas) - 1], "the largest λ within one standard error of the best": max(lambdas[j] for j in np.flatnonzero(nearly))}
    ways = {}
    for way, value in choices.items():
        if way not in excluded:
            ways.setdefault(value, []).append(way)
    excluded.update(way for way, value in choices.items() if value != lambdas[right.index(min(right))])
    assert_close(float(best), lambdas[right.index(min(right))], f"the λ chosen, {what}", of="choice", hint="The smallest score decides, and nothing else: no single fold, no rounding, no tolerance.",
                 mistakes={"This is the score of the best, not the λ.": min(right), "This is its place in the list.": float(right.index(min(right))),
                           **{f"This λ would be chosen by {' or by '.join(names)}; the smallest score decides.": value for value, names in ways.items()}})

check_choice(small_table(1, 41, ["GrLivArea", "LotFrontage", "HouseStyle"]), FAR_TOO_LARGE, 4)
check_choice(small_table(1, 41, ["GrLivArea", "LotFrontage", "HouseStyle"]), [0.5, 10., 0.1, 0.0001, 2.], 4)
check_choice(small_table(62, 60, ["YearBuilt", "BldgType", "LotArea", "Neighborhood"]), [30., 0.001, 0.03, 1.], 3)
check_choice(small_table(56, 53, ["MSZoning", "YearBuilt", "TotalBsmtSF", "LotFrontage"]), [30., 1., 0.2, 0.05, 3., 0.5, 0.001], 5)
### BEGIN HIDDEN TESTS
check_choice(small_table(53, 53, ["MSZoning", "YearBuilt", "TotalBsmtSF", "LotFrontage"]), [4., 0.2, 1., 0.02], 5)
check_choice(small_table(6, 61, ["YearBuilt", "BldgType", "LotArea", "Neighborhood"]), [30., 0.2, 0.03, 1., 0.07, 5., 0.001], 3)
check_choice(small_table(4, 80, ["GarageArea", "Foundation", "KitchenAbvGr"]), [5., 0.05, 1., 0.3, 0.001], 2)
### END HIDDEN TESTS

# %% [markdown] teaches="missing not at random, missing indicator"
# ## 7. When a hole speaks
#
# A hole in a column of numbers became the mean. Is that harmless? It depends on *why* the number is missing. If somebody spilt coffee on random pages, the mean is a fair guess. But who leaves the field "income" empty? Perhaps those who earn most. Then the hole itself says something, and the mean says the contrary.
#
# The remedy costs one column: a *missing indicator*, 1 where the number was missing and 0 elsewhere. The model then has a weight of its own for "unknown". Two cases with 1,000 examples each, y = x plus a little noise. In the first, 30 % are missing by chance; in the second, those above 0.5:

# %% tags=["setup"]
def two_fits(x, y):
    """Mean squared errors of a line in x with holes at the mean, and of one with a missing indicator besides: floats."""
    hole = x.isnan()
    filled = torch.where(hole, x[~hole].mean(), x)
    errors = []
    for columns in ([filled], [filled, hole.double()]):
        A = torch.stack([*columns, torch.ones(len(x), dtype=torch.float64)], dim=1)                     # (n, 2) or (n, 3)
        errors.append((A @ torch.linalg.lstsq(A, y[:, None]).solution[:, 0] - y).square().mean().item())
    return errors

# %% teaches="missing not at random, missing indicator"
rng = torch.Generator().manual_seed(0)
x = torch.randn(1000, generator=rng, dtype=torch.float64)
y = x + 0.1 * torch.randn(1000, generator=rng, dtype=torch.float64)
by_chance = torch.rand(1000, generator=rng) < 0.3
for name, gone in (("by chance", by_chance), ("above 0.5", x > 0.5)):
    x_seen = torch.where(gone, math.nan, x)
    print(f"missing {name} ({gone.double().mean():.0%}): mean alone {two_fits(x_seen, y)[0]:.3f}, with an indicator {two_fits(x_seen, y)[1]:.3f}")

# %% [markdown] task="5.7.2" kind="explain" minutes=14 difficulty=3 core=true needs="missing not at random, missing indicator"
# ### A situation in which the mean misleads
#
# Is it always a good idea to replace missing numbers by the mean? Construct a situation in which it is a bad one, and bad by a wide margin.
#
# Write `situation(n, seed)`: it returns `(x, y)`, two float64 tensors of shape (n,), with NaN in x where a number is missing, for n of 200 and more. Think of one of your own: such that the indicator at least *halves* the error of the mean alone, by `two_fits`.
#
# Then describe in words what your situation means (what is measured, and why it is missing), why the mean misleads there, in which situation it does not, and what one can do besides an indicator.
#
# **You are done when**
# - **form**: two float64 tensors of shape (n,) come back, y without holes, no number infinite;
# - **holes**: between 10 % and 60 % of x are missing, and the rest are not all the same;
# - **informative**: `two_fits(x, y)` gives a second error of at most half the first, and the first is above 0;
# - **random**: every seed gives data of its own (x, y or both differ), the same seed the same data.
#
# The words are complete with a situation, the reason, the harmless case, and a remedy.

# %% exercise="5.7.2"
def situation(n, seed):
    """(x with holes, y), both (n,) float64, in which a missing indicator at least halves the error."""
    ### BEGIN SOLUTION
    rng = torch.Generator().manual_seed(seed)
    x = torch.rand(n, generator=rng, dtype=torch.float64)
    broke = torch.rand(n, generator=rng) < 0.3                     # the meter breaks in some houses
    y = torch.where(broke, 5., x) + 0.1 * torch.randn(n, generator=rng, dtype=torch.float64)
    return torch.where(broke, math.nan, x), y
    ### END SOLUTION

# %% [markdown] written="5.7.2" points=3
# ### BEGIN SOLUTION
# My situation: x is what a water meter shows, y the damage in the house in the following year. In three houses of ten the pipe has burst, and the meter with it: no reading, and a damage of 5 instead of something between 0 and 1. The mean of the readings, 0.5, stands for an average house. But the houses without a reading are anything but average: the *cause* of
# the hole is the cause of the damage. The line through the filled points predicts about 1.9 for a reading of 0.5, too much for the sound houses and far too little for the others. With an indicator the line has an extra weight for "no reading", and the error falls to that of the noise.
#
# On the page both cases can be compared: numbers missing above 0.5 cost 0.647 with the mean and 0.082 with an indicator; with holes by chance the indicator changes nothing (0.317 both times).
#
# So the mean is harmless if the holes have nothing to do with the target (given the other columns): missing at random, and few. Even then it makes the column look less spread out than it is. It misleads if the fact that the number is missing is information.
#
# Remedies: an indicator column; for words a category "missing", as in part 4; finding out why it is missing, and writing what is meant (no garage: garage area 0); predicting the missing number from the other columns.
#
# **Rubric**
# - [1] A situation with a cause for the holes that is connected with the target or with the value itself; lost by holes that are merely numerous or random.
# - [1] Why the mean misleads there: the rows with holes differ systematically from the average row, and the model cannot tell them from average ones; also accepted: the evidence of both errors for the situation.
# - [1] The harmless case (missing by chance, or independent of the target) and at least one remedy (indicator, category of its own, model of the missing value, asking why); lost by "drop all rows with holes" as the only remedy.
# ### END SOLUTION

# %% [markdown] hints="5.7.2"
# 1. What would have to be true of the examples *with* a hole, so that "average" is the worst that can be said of them?
# 2. The indicator gives the rows with holes a level of their own. So let their y lie far from that of the others. `torch.where(condition, math.nan, x)` puts holes where the condition holds.
# 3. x: how often a patient came to the check-up, y: health. Missing for those who moved into a hospital.

# %% check="5.7.2" points=2
@probe
def addresses(n, seed):
    """Where the numbers of x and of y begin."""
    x, y = situation(n, seed)
    return [x.data_ptr(), y.data_ptr()]

def check_situation(n, seed):
    pair = situation(n, seed)
    assert_type(pair, (tuple, list), f"what situation({n}, {seed}) returns", of="form", hint="A pair: return x, y.")
    assert_equal(len(pair), 2, f"how many tensors situation({n}, {seed}) returns", of="form", hint="A pair: x, which has the holes, and y.")
    for tensor, name in zip(pair, ("x", "y")):
        assert_type(tensor, torch.Tensor, f"{name} of situation({n}, {seed})", of="form", hint="torch.from_numpy makes a tensor of an array.")
        assert_shape(tensor, (n,), f"the shape of {name} of situation({n}, {seed})", of="form", hint="n examples, the argument, in a single axis.",
                     mistakes={"A single axis: (n,), not (n, 1).": (n, 1), "A single axis: (n,), not (1, n).": (1, n)})
        assert_dtype(tensor, torch.float64, f"the dtype of {name} of situation({n}, {seed})", of="form", hint="torch makes float32 if dtype=torch.float64 is not given; .double() changes it.")
    x_, y_ = pair
    assert_true(not bool(y_.isnan().any()), f"y of situation({n}, {seed}) has no holes", of="form",
                hint="x, which has the holes, comes first; here the second tensor has them, and the first has none." if not bool(x_.isnan().any()) else "Only x has holes." if not bool(y_.isnan()[x_.isnan()].all())
                else "x and y are one tensor, as after y = x: a hole written into x is in y, too. .clone() makes another one." if len(set(addresses(n, seed))) == 1
                else "y has a hole wherever x has one: make y first, without holes, and then those of x.")
    assert_true(not bool(y_.isinf().any() or x_.isinf().any()), f"no number of situation({n}, {seed}) is infinite", of="form",
                hint=f"Here {'y' if bool(y_.isinf().any()) else 'x'} has one, as 1 / 0, the logarithm of 0 or exp of a large number gives it.")
    share = x_.isnan().double().mean().item()
    assert_true(0.1 <= share <= 0.6, f"the share of missing numbers in x of situation({n}, {seed}) is between 10 % and 60 %; yours is {share:.1%}", of="holes",
                hint="A hole is NaN, math.nan, and no other number." if share == 0
                else f"Here {int(x_.isnan().sum())} of {n} numbers are missing, which is far too {'few' if share < 0.1 else 'many'}: let the condition for a hole hold for {'more' if share < 0.1 else 'fewer'} of them, for a share of n and not for a fixed number." if not 0.07 <= share <= 0.63
                else "It is a share of n, for every n and every seed: not a fixed number of holes, and not so near to a bound that chance decides.")
    assert_true(x_[~x_.isnan()].std().item() > 0, f"the numbers of x of situation({n}, {seed}) that are there are not all the same", of="holes", hint="Besides the holes, x says something: it has different numbers.")
    alone, indicated = two_fits(x_, y_)
    assert_true(alone > 1e-9, f"situation({n}, {seed}): the error with the mean alone, {alone:.4g}, is above 0", of="informative", hint="A y that is the same for all, or lies on a line with x, leaves nothing to halve.")
    assert_true(indicated <= 0.5 * alone, f"situation({n}, {seed}): the error with an indicator, {indicated:.4g}, is at most half of that with the mean alone, {alone:.4g}", of="informative",
                hint="The indicator hardly helps: but for what x says, the y of the rows with holes are about as large as the others'. Let them lie far from these." if indicated > 0.95 * alone
                else "The indicator helps, but not enough: what is left is the scatter of y around the line and around the level of the holes. Let it be smaller, or the y of the rows with holes lie farther from the others'.")
    again = situation(n, seed)
    changed = [name for name, a, b in zip("xy", again, pair) if not torch.equal(torch.nan_to_num(a, -7.), torch.nan_to_num(b, -7.))]
    assert_true(not changed, f"situation({n}, {seed}) called again gives the same x and y", of="random",
                hint=f"Here {changed[0]} differs from call to call: something in it does not come from the seed alone. A generator that is made anew in each call, by torch.Generator().manual_seed(seed), and makes all random numbers, would give the same ones." if len(changed) == 1
                else "Here x and y differ from call to call: something in them does not come from the seed alone. A generator that is made anew in each call, by torch.Generator().manual_seed(seed), and makes all random numbers, would give the same ones.")
    for another in (*range(seed + 1, seed + 13), seed + 100, seed + 1000):
        other = situation(n, another)
        assert_true(any(bool((torch.nan_to_num(new, -7.) != torch.nan_to_num(old, -7.)).any()) for new, old in zip(other, pair)), f"situation({n}, {another}) gives other data than situation({n}, {seed})", of="random",
                    hint="Each seed begins random numbers of its own: give it to the generator as it is.")

check_situation(309, 0)
check_situation(1000, 5)
### BEGIN HIDDEN TESTS
check_situation(200, 77)
check_situation(2509, 31)
### END HIDDEN TESTS

# %% [markdown] teaches="feature engineering, ensemble"
# ## 8. A better model
#
# What can be improved? Three kinds of things, and one can measure each by the same folds:
#
# - *the features*: a size acts on the price as a ratio, too, so its logarithm may be the better feature (`np.log1p(x)` is log(1 + x), which is finite at 0); ages instead of years; a missing indicator;
# - *the model*: a network with a hidden layer can let one feature change what another one means; weight decay and dropout (5.6) hold it back;
# - *the average of several models*: networks trained from different seeds err differently, and their mean, an *ensemble*, errs less.
#
# `table.assign(...)` gives a table with some columns changed, and leaves the old one alone. Then a network with one hidden layer, on the split of part 5. The targets are centred, as the warning there demands:

# %% tags=["demo"] teaches="ensemble, feature engineering"
print("LotArea as it is:", head["LotArea"].head(3).tolist(), " as logarithm:", head.assign(LotArea=np.log1p(head["LotArea"]))["LotArea"].head(3).round(2).tolist())
X, y, X_tail = (tensor.float() for tensor in encode(head, tail))

def predictions_of(seed, p):
    """Log prices of the other rows by a network trained from this seed."""
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Linear(X.shape[1], 64), nn.ReLU(), nn.Dropout(p), nn.Linear(64, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.003)
    for _ in range(25):
        for rows in torch.randperm(len(X)).split(64):
            optimizer.zero_grad()
            F.mse_loss(net(X[rows])[:, 0], y[rows] - y.mean()).backward()
            optimizer.step()
    net.eval()
    with torch.no_grad():
        return net(X_tail)[:, 0] + y.mean()

tail_y = log_prices(tail).float()
for p in (0., 0.2):
    several = torch.stack([predictions_of(seed, p) for seed in range(3)])                       # (3, 465)
    print(f"dropout {p}: single networks {[round(root_error(one, tail_y), 3) for one in several]}, their mean {root_error(several.mean(dim=0), tail_y):.3f}")

# %% [markdown]
# Single networks reach 0.115 to 0.123, and the ridge regression had 0.119: the network alone is hardly worth its trouble here. The mean of three is as good as the best of them, without our having to know which one that would be. Between dropout 0.2 and none these few rows see no difference. Which of the
# three kinds of improvement is worth most for this table? Find out.

# %% [markdown] task="5.7.4" kind="code" minutes=18 difficulty=4 needs="feature engineering, ensemble, cross-validation with the preparation inside, log price"
# ### Beat ridge regression
#
# Write `predict_prices(train, other)`. `train` is a table like `train_table`, of two hundred to fifteen hundred rows, `other` one like `test_table`, which has no prices, of 40 rows to fifteen hundred; it returns a tensor (m,) with a price in dollars for each row of `other`. How is up to you: features, model, ensemble. `encode` and `ridge` may be used. The check calls it three times, with the hidden tests seven times, on at most 900 rows of `train`, and all calls together may take 20 seconds: stay below 2 seconds for 900 rows.
#
# The check measures the root of the mean squared error of the logarithms on rows whose prices it kept, on one split, with the hidden tests on three, and compares with `ridge` at λ = 0.01 on `encode`'s features. The prices of a split are changed first, as after some years: all multiplied by a number, and newer houses have risen more than old ones; and each plot has been measured again and is some square feet larger. And while it runs, the prices in `train_table` are exchanged among its houses. So learn from `train`, whatever `train_table` says. Choose by cross-validation on `train_table`; do not tune on the check.
#
# **You are done when**
# - **form**: a tensor of m finite, positive numbers comes back, in dollars;
# - **better**: the error is at most 0.97 times that of the ridge regression, on each split;
# - **robust**: finite, positive prices come back for houses with a word that no training row has, and with holes where there were none in training, too;
# - **arguments kept**: both tables are as they were.

# %% exercise="5.7.4"
def predict_prices(train, other):
    """Prices in dollars for the rows of `other`: (m,)."""
    ### BEGIN SOLUTION
    def with_logs(table):
        sizes = ["LotArea", "GrLivArea", "1stFlrSF", "TotalBsmtSF"]
        return table.assign(**{name: np.log1p(table[name]) for name in sizes})

    X, y, X_other = encode(with_logs(train), with_logs(other))
    w, b = ridge(X, y, 0.01)
    return (X_other @ w + b).exp()
    ### END SOLUTION

# %% [markdown] hints="5.7.4"
# 1. Which columns are sizes, for which "twice as large" matters more than "1,000 more"?
# 2. `table.assign(LotArea=np.log1p(table["LotArea"]))` is a new table with that column changed. Predictions are log prices until `.exp()`.
# 3. Price against living area as ratios: from 1,000 to 2,000 square feet is the same step as from 2,000 to 4,000, in logarithms 0.693 both times.

# %% check="5.7.4" points=3
def split_of(seed, n, m, inflation=1., rise=0.):
    """n and m different rows, numbered anew, all prices multiplied by `inflation` and by e to `rise` times the year of building since 1970, each plot some square feet larger."""
    rng = np.random.default_rng(seed)
    rows = rng.permutation(len(train_table))
    tables = [train_table.iloc[part].reset_index(drop=True) for part in (rows[:n], rows[n:n + m])]
    return [table_.assign(Id=range(1, len(table_) + 1), LotArea=table_["LotArea"] + rng.integers(1, 40, len(table_)), SalePrice=table_["SalePrice"] * inflation * np.exp(rise * (table_["YearBuilt"] - 1970))) for table_ in tables]

exchanged = np.random.default_rng(57).permutation(train_table["SalePrice"].to_numpy())

@probe
def prices_of(train, other, exchanged):
    """What predict_prices(train, other) returns while train_table has other prices."""
    kept = train_table["SalePrice"].copy()
    train_table["SalePrice"] = exchanged
    try:
        return predict_prices(train, other)
    finally:
        train_table["SalePrice"] = kept

def unknown_words(error, train, other, what):
    """Fails where `error` names a word of `other` that `train` has not."""
    new = [(name, word) for name in other.select_dtypes(exclude="number") for word in sorted(set(other[name].dropna()) - set(train[name].dropna())) if repr(word) in str(error)]
    if new:
        assert_true(False, f"prices come back where a house of `other` has a word that no row of `train` has, {what}", of="robust", hint=f"No row of `train` has the {new[0][0]} {new[0][1]!r}; the error that your code raised names it.")

def whose_nan(found, train, other):
    """The hint for NaN among the prices: what those houses, and no others, have in common."""
    gone, words = found.isnan().numpy(), list(train.select_dtypes(exclude="number"))
    for name in other.columns:
        if (other[name].isna() == gone).all():
            return f"These are the {gone.sum()} houses of `other` without a {name}, and no others."
        if name in words and (~other[name].isin(train[name]) == gone).all():
            return (f"These are the {gone.sum()} houses whose {name} no row of `train` has, and no others: "
                    f"{sorted(set(other[name][gone].dropna()))}.")
    return f"Here {gone.sum()} of {len(gone)} are NaN, as what is computed with a hole, or the logarithm of a negative number."

def logs_missing_in_other(train, other):
    """A sentence, where the prices are sensible if the sizes in `other` are logarithms already."""
    numbers = [name for name in other.select_dtypes("number") if name not in ("Id", "SalePrice") and train[name].max() > 50]
    for names in (numbers, [name for name in numbers if "Y" not in name]):              # with the years, and without them
        logs = other.drop(columns="SalePrice").assign(**{name: np.log1p(other[name].clip(lower=0)) for name in names})
        if 20_000 < prices_of(train.copy(), logs, exchanged).double().median() < 2_000_000:
            return ("Where the sizes in `other` are logarithms already, your prices are sensible: so you take the logarithms in "
                    "`train` alone. Take them in both, each time of its own column as it was given.")
    return ""

def priced(train, other, what):
    try:
        found = prices_of(train.copy(), other.drop(columns="SalePrice"), exchanged)
    except Exception as error:
        unknown_words(error, train, other, what)
        raise
    assert_type(found, torch.Tensor, f"what predict_prices returns, {what}", of="form", hint="torch.tensor makes a tensor of a list, torch.from_numpy one of an array.")
    assert_shape(found, (len(other),), f"the shape of the prices, {what}", of="form", hint="A single axis: (m,), not (m, 1), which [:, 0] makes of it." if tuple(found.shape) == (len(other), 1)
                 else "One price for each row of `other`: a row with a hole needs one, too." if found.ndim == 1 and len(found) < len(other) else "One price for each row of `other`.")
    found = found.double()
    assert_true(bool(found.isfinite().all()) and bool((found > 0).all()), f"all prices are finite and positive, {what}", of="form", hint=lambda: logs_missing_in_other(train, other) or "exp of a log price is positive and finite. inf is exp of a price, or of a log price that is far too large, as where the same columns are not changed in the same way in `train` and in `other`, or where a feature is infinite, as the logarithm of 0 is." if bool((found == math.inf).any())
                else "A line through prices in dollars can fall below 0; exp of a log price cannot." if not bool(found.isnan().any()) else whose_nan(found, train, other))
    middle = found.median().item()
    assert_true(20_000 < middle < 2_000_000, f"the prices are in dollars, {what}; your median is {middle:.4g}", of="form",
                hint=lambda: "exp turns log prices into prices." if 9 < middle < 16 else "Is the mean log price added again, if you have subtracted it from the targets?" if middle < 5 else "A logarithm to the base 10 is undone by 10 to its power, not by exp." if 40 < middle < 2000 and root_error(found.log() * math.log(10), log_prices(other)) < min(0.3, root_error((1000 * found).log(), log_prices(other)))
                else "Dollars, not thousands of them." if 40 < middle < 2000 and root_error((1000 * found).log(), log_prices(other)) < 0.3
                else "Far too large: are the same columns changed in the same way in `train` and in `other`?" if middle >= 2_000_000 else "A price is e to the power of its logarithm.")
    return found

def check_prices(seed, n, m, inflation, rise):
    train_, other_ = split_of(seed, n, m, inflation, rise)
    what = f"{n} houses known, {m} others without prices, all prices multiplied by {inflation}, those of newer houses by more"
    found = priced(train_, other_, what)
    X_, y_, X_other_ = encode(train_, other_)
    w_, b_ = ridge(X_, y_, 0.01)
    to_beat, yours = root_error(X_other_ @ w_ + b_, log_prices(other_)), root_error(found.log(), log_prices(other_))
    rest = found.log() - log_prices(other_)
    itself = next((lambd for lambd in (1e-4, 3e-4, 0.001, 0.003, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.) for u, c in [ridge(X_, y_, lambd)] if torch.allclose(found.log(), X_other_ @ u + c, rtol=0, atol=1e-4)), None)
    newer = torch.tensor(other_["YearBuilt"].to_numpy(dtype="float64") - other_["YearBuilt"].mean())
    slope = (newer @ rest / (newer @ newer)).item()
    told = np.log(exchanged)[np.random.default_rng(seed).permutation(len(train_table))[n:n + m]]       # what train_table says of these houses
    A_ = torch.stack([torch.ones(m, dtype=torch.float64), newer, log_prices(other_)], dim=1)
    unexplained = (found.log() - A_ @ torch.linalg.lstsq(A_, found.log()[:, None]).solution[:, 0]).numpy()
    copied = bool(unexplained.std() > 1e-9) and np.corrcoef(unexplained, told)[0, 1] > 0.2
    old = copied or slope < -0.3 * rise and (rest - rest.mean() - slope * newer).square().mean() < 0.25 * rest.square().mean()     # prices before the change have a part in it
    assert_true(yours <= 0.97 * to_beat, f"{what}: your error, {yours:.4f}, is at most 0.97 times that of the ridge regression, {to_beat:.4f}", of="better",
                hint=lambda: f"This is the ridge regression itself, with λ = {itself:g}, on encode's features of the columns as they are. Which of them are sizes, whose ratios matter?" if itself else "All of your prices are the same: no feature of a house has a part in them." if found.max() - found.min() < 1e-6 * found.max() else "Learn from `train`, the argument, alone, not from train_table: here the prices are others." if old else "This is no better than one price for all houses. Do the prices stand in the order of the rows of `other`?" if yours > 0.95 * log_prices(other_).std().item()
                else "Much worse than the ridge regression: does the model learn the logarithms of the prices, and are `train` and `other` prepared in the same way? If so, it is the kind of model: compare others by cross-validation." if yours > 1.3 * to_beat else f"Yours is {1 - yours / to_beat:.1%} below that of the ridge regression; 3 % are asked for. Are all sizes logarithms, with log1p where a 0 occurs, whose log is -inf? Compare candidates by cross-validation." if yours < to_beat
                else "Which features are sizes, whose ratios matter? Compare candidates by cross-validation.")

def check_robust(seed, column, number):
    train_, other_ = split_of(seed, 250, 60)
    other_.loc[3, column], other_.loc[5, number] = "never seen", np.nan
    raised = ""
    try:
        found = predict_prices(train_.copy(), other_.drop(columns="SalePrice"))
    except Exception as error:
        raised = str(error)[:80]
    assert_true(not raised, f"prices come back if a house of `other` has an unknown {column}, and another one no {number}", of="robust",
                hint=f"No row of `train` has the {column} 'never seen': the error that your code raised names it." if "never seen" in raised else f"Your code raised an error: {raised}. A column of words, or one with a hole, may have others in `other` than in `train`: its features are those of the training rows.")
    assert_type(found, torch.Tensor, f"what predict_prices returns if a house of `other` has an unknown {column}, and another one no {number}", of="robust")
    assert_shape(found, (60,), f"the shape of the prices with an unknown {column} and a missing {number}", of="robust")
    assert_true(bool(found.isfinite().all()) and bool((found > 0).all()), f"all prices are finite and positive with an unknown {column} and a missing {number}", of="robust",
                hint=" ".join(f"Row {row}, with {its}, has none." for row, its in ((3, f"the unknown {column}"), (5, f"the missing {number}"))
                              if not 0 < found[row].item() < math.inf))

@probe
def tables_after_predicting(train, other):
    """Both tables after the call."""
    predict_prices(train, other)
    return train, other

def predicted_with(given):
    try:
        return tables_after_predicting(*(table_.copy() for table_ in given))
    except Exception as error:
        unknown_words(error, *given, f"{len(given[0])} houses known, {len(given[1])} others")
        raise

check_prices(4, 900, 500, 1.6, 0.01)
check_robust(3, "Neighborhood", "GrLivArea")
given = split_of(4, 200, 50)
given[1] = given[1].drop(columns="SalePrice")
for after, before, name in zip(predicted_with(given), given, ("train", "other")):
    assert_table(after, before, f"{name} after the call", of="arguments kept", hint="Change a copy: table.copy(), or assign.")
### BEGIN HIDDEN TESTS
check_prices(3, 900, 500, 0.7, 0.008)
check_prices(10, 900, 500, 2.5, 0.012)
check_robust(6, "MSZoning", "YearBuilt")
given = split_of(9, 250, 40)
given[1] = given[1].drop(columns="SalePrice")
for after, before, name in zip(predicted_with(given), given, ("train", "other")):
    assert_table(after, before, f"{name} after the call", of="arguments kept", hint="Change a copy: table.copy(), or assign.")
### END HIDDEN TESTS

# %% [markdown] teaches="submission file"
# ## 9. Handing in
#
# The competition wants a text file in CSV form: a first line `Id,SalePrice`, then a line for each test house, its number and the price in dollars. Three small slips make such a file useless:

# %% teaches="submission file"
ids, logs = [1466, 1467], torch.tensor([12.0, 11.5])
print(pd.DataFrame({"Id": ids, "SalePrice": logs}).to_csv())                                    # ⚠ an index column, and logarithms
print(pd.DataFrame({"Id": ids, "SalePrice": logs.exp().numpy()}).to_csv(index=False))

# %% [markdown]
# ⚠ `to_csv` writes the row numbers as a first column without a name, if it is not told `index=False`. ⚠ The model's outputs are logarithms: 12 dollars for a house is a bargain. And the order of the rows must be that of the ids: a shuffled loader in between gives every house a neighbour's price. None of the three raises an error here. Given a path as first argument, `to_csv(path, index=False)` writes the file.

# %% [markdown] task="5.7.1" kind="explain" minutes=14 difficulty=2 core=true needs="submission file, rmse of logarithms, cross-validation with the preparation inside, test set"
# ### Submit
#
# Write `write_submission(path, ids, log_predictions)`: it writes a file in the competition's form. `ids` is a list of n house numbers; `log_predictions` is a tensor of shape (k, n): the log prices by k models, such as those of k folds. The price of a house is e to the *mean* of its k log prices.
#
# Then submit: train on all of `train_table` with the λ that your cross-validation chose (or with your `predict_prices`), predict `test_table`, and judge yourself with `test_price`, once. (With an account at Kaggle you can train on the competition's own files and hand in there.) Say in words: the error that cross-validation promised, the one that came true, what it means in per cent, and how sure it is.
#
# **You are done when**
# - **header**: the first line is `Id,SalePrice`, and there are no other columns;
# - **rows**: one line for each house, in the order of `ids`, the number written as a whole number; a file that was there before is replaced;
# - **dollars**: the prices are dollars, within 0.1 % of e to the mean of the log prices, for cheap houses, too, down to 1,000 dollars.
#
# The words are complete with both errors, the reading in per cent, and a reason why they differ.

# %% exercise="5.7.1"
def write_submission(path, ids, log_predictions):
    """Writes Id,SalePrice: the geometric mean of the k predictions (k, n) for each house."""
    ### BEGIN SOLUTION
    price = log_predictions.mean(dim=0).exp()
    pd.DataFrame({"Id": list(ids), "SalePrice": price.tolist()}).to_csv(path, index=False)
    ### END SOLUTION

# %% [markdown] written="5.7.1" points=3
# ### BEGIN SOLUTION
# Ridge regression: five folds chose λ = 0.003, with the score 0.150 (0.001, 0.01 and 0.03 had 0.152, 0.150 and 0.153). Trained on all 1,465 rows it has the error 0.147 on `test_price`. With logarithms of the four sizes, as in 5.7.4, the folds promised 0.135 for λ = 0.003, and 0.137 came true.
#
# Read as per cent: typically wrong by about 14 %, against a factor of 1.5 (an error of 0.40) for a constant. But "typically" hides two kinds of houses. Half of all test houses are predicted within 6.5 %, and two are wrong by factors of 6 and 11 (errors of 1.8 and 2.4). Without the five worst of 1,465 houses the first model's error would be 0.121. So the number depends on a handful of strange sales, and the folds show it, too: from 0.119 to 0.190
# for the same model. A difference of 0.003 between promise and truth is chance. What else pulls them apart: the winner of a choice is judged too kindly, which makes the truth worse; training on all rows instead of four fifths makes it better.
#
# **Rubric**
# - [1] Both numbers: the cross-validated error and the error on the test prices (or Kaggle's score), each with the model it belongs to; lost by the training error.
# - [1] The reading: about so many per cent typically, compared with the constant's 0.40, or with another simple rule.
# - [1] Why they differ: chance of the rows (some houses with large errors decide), the winner of a choice looks too good, and other reasons of this kind; also accepted: full training set helps a little; lost by "the model is overfitted" without evidence.
# ### END SOLUTION

# %% [markdown] hints="5.7.1"
# 1. What comes first, the mean or exp?
# 2. `mean(dim=0)` runs over the models. `pd.DataFrame({...}).to_csv(path, index=False)` writes without row numbers.
# 3. Two models say log 100,000 and log 400,000: the mean of the logarithms belongs to 200,000.

# %% check="5.7.1" points=2
@probe
def written_file(ids, log_predictions, before):
    """The text that write_submission writes, as lines; `before` is in the file already, unless it is empty."""
    import os
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "submission.csv")
        if before:
            with open(path, "w") as file:
                file.write(before)
        write_submission(path, ids, log_predictions)
        if not os.path.exists(path):
            return []
        with open(path) as file:
            return file.read().splitlines()

def check_submission(ids, logs):
    what = f"{len(ids)} houses, {len(logs)} models"
    lines = written_file(ids, logs, "")
    assert_true(len(lines) > 0, f"write_submission wrote a file, {what}", of="header", hint="The file belongs under the very path that is given; to_csv without a path only returns the text.")
    first = lines[0].replace('"', "")
    assert_equal(first, "Id,SalePrice", f"the first line, {what}", of="header", hint="Exactly Id,SalePrice, in a line of its own: a comma between them, no blank, nothing before or after.",
                 mistakes={"Write without the index: index=False.": ",Id,SalePrice", "np.savetxt puts # before the header, if it is not told comments=''.": "# Id,SalePrice", "The entries are separated by a comma, not by a semicolon.": "Id;SalePrice",
                           "The entries are separated by a comma, not by a tab.": "Id\tSalePrice", "There is no blank after the comma.": "Id, SalePrice", "Id and SalePrice, with these capitals.": "id,saleprice", "Id comes first, then SalePrice.": "SalePrice,Id",
                           "The column Id is missing: index=False leaves the index out, so that the ids belong into a column.": "SalePrice", "The header is missing: this line is a house's.": first if first.split(",")[0] in map(str, ids) else "",
                           "There are two columns only, Id and SalePrice; here are more.": first if first.startswith("Id,SalePrice,") else ""})
    assert_equal(len([line for line in lines[1:] if line]), len(ids), f"how many lines follow the first, {what}", of="rows", hint="One line for each house, whatever the number of models, and one header.",
                 mistakes={"The mean runs over the models, which are the rows, dim=0; here it ran over the houses.": len(logs), "A house is missing.": len(ids) - 1} if len(logs) < len(ids) else {})
    cells = [line.split(",") for line in lines[1:] if line]
    assert_equal(sorted({len(cell) for cell in cells}), [2], f"how many entries the lines have, {what}", of="header", hint="The number, a comma, the price; a price has no comma of its own.")
    by_price = [str(number) for _, number in sorted(zip(torch.tensor(logs.tolist()).mean(dim=0).tolist(), ids))]
    assert_equal([cell[0] for cell in cells], [str(number) for number in ids], f"the first entries of the lines, {what}", of="rows", hint="These are the numbers in `ids`, as they stand there, written as whole numbers.",
                 mistakes={"They are written with a decimal point; whole numbers have none.": [f"{number}.0" for number in ids], "They are sorted here; the order is that of `ids`.": [str(number) for number in sorted(ids)],
                           "The lines are sorted by the price; the order is that of `ids`.": by_price if by_price != [str(number) for number in sorted(ids)] else [],
                           "The lines are sorted by the price, the dearest first; the order is that of `ids`.": by_price[::-1],
                           "These are row numbers, counted from 0, not the numbers in `ids`.": [str(j) for j in range(len(ids))]})
    means = [math.fsum(column) / len(logs) for column in zip(*logs.tolist())]
    for cell in cells:
        assert_true(cell[1].strip().replace(".", "", 1).replace("e+", "", 1).replace("-", "").isdigit(), f"a plain number stands after the comma in {','.join(cell)!r}, {what}", of="dollars", hint="Digits and a decimal point, as Python writes a number; no $ and no other words or signs.")
    found = [float(cell[1]) for cell in cells]
    wanted = [math.exp(mean_) for mean_ in means]
    one_model = written_file([7, 3], torch.tensor([[11., 12.]], dtype=torch.float64), "")
    try:
        alone = all(abs(float(line.split(",")[1]) / math.exp(value) - 1) < 1e-3 for line, value in zip(one_model[1:3], (11., 12.), strict=True))
    except (ValueError, IndexError):
        alone = False
    places = [[abs(value / price - 1) < 1e-3 for price in wanted] for value in found]
    hint = "Each price is e to the mean, over the models, of the house's log prices. " + (
        "With a single model your prices are right: so look at the mean, which is taken of the logarithms." if alone else
        "With a single model, where that is e to the log price, your prices are wrong, too: so look at exp, and at what is done after it.")
    off = [value - price for value, price in zip(found, wanted)]
    if all(map(any, places)):
        hint = "The prices are in another order than the ids."
    elif len(off) > 1 and max(off) - min(off) < 0.01 * abs(off[0]):
        hint = "All of your prices are off by the same amount of dollars: to e to the mean nothing is added."
    elif all(0.95 < value / price < 1.05 for value, price in zip(found, wanted)):
        coarse = next((step_ for step_ in (1000, 500, 200, 100, 50, 25, 20) if len(found) > 1 and all(value % step_ == 0 for value in found)), 0)
        hint = f"Near, but not within 0.1 %: each of your prices is a multiple of {coarse}, and of a cheap house that much rounding is more than 0.1 %." if coarse else "Near, but not within 0.1 %: neither the logarithms nor the prices may be rounded so coarsely, or kept in float16 or bfloat16, which have three digits."
    columns_ = list(zip(*logs.tolist()))
    assert_close(found, wanted, f"the prices, {what}", of="dollars", rtol=1e-3, hint=hint,
                 mistakes={"These are the logarithms: take exp.": means, "First the mean of the logarithms, then exp: this is the mean of the prices.": [math.fsum(map(math.exp, column)) / len(logs) for column in columns_],
                           "These are the first model's prices alone.": [math.exp(value) for value in logs[0].tolist()], "These are the last model's prices alone.": [math.exp(value) for value in logs[-1].tolist()],
                           "Each house has a mean of its own, over the models; here one mean runs over the houses, too.": [math.exp(math.fsum(means) / len(means))] * len(means),
                           "The mean over the models, not the sum.": [math.exp(math.fsum(column)) for column in columns_], "First the mean of the logarithms, then exp: this is the sum of the prices.": [math.fsum(map(math.exp, column)) for column in columns_], "The mean over the models, not the median.": [math.exp(sorted(column)[(len(column) - 1) // 2]) for column in columns_],
                           "The mean logarithm was rounded to two decimals: that is up to half a per cent of the price.": [math.exp(round(mean_, 2)) for mean_ in means],
                           "The mean logarithm was rounded to one decimal: that is up to 5 % of the price.": [math.exp(round(mean_, 1)) for mean_ in means],
                           "The prices were rounded to whole thousands: that can be more than 0.1 % of them.": [round(price, -3) for price in wanted],
                           "The prices were rounded to whole hundreds: of a cheap house that is more than 0.1 %.": [round(price, -2) for price in wanted],
                           "The prices were rounded to three digits: that can be more than 0.1 % of them.": [float(f"{price:.3g}") for price in wanted],
                           "The mean over the models, not the largest.": [math.exp(max(column)) for column in columns_], "The mean over the models, not the smallest.": [math.exp(min(column)) for column in columns_],
                           "Dollars, not thousands of them.": [price / 1000 for price in wanted], "The logarithms are natural: e to their mean, not 10.": [10 ** mean_ for mean_ in means]})
    again = written_file(ids, logs, "an older file\n" + "1,2,3,4,5,6,7,8,9\n" * (10 * len(ids)))
    assert_equal([line.replace('"', "").split(",")[0] for line in again if line], ["Id", *map(str, ids)], f"the first entries of all lines where another, longer file was under this path before, {what}", of="rows", hint="Replace the file: nothing of the older one stays, before or after the new lines.")

check_submission([1470, 1466, 1999, 1501, 1467], torch.tensor([[12., 10.4, 9.2, 11.72, 11.9], [12.413, 11.627, 9.9, 12.13, 12.3], [11.2, 12.1, 9.3296, 12.6, 11.55]], dtype=torch.float64))
check_submission([7], torch.tensor([[11.], [12.], [13.]]))
### BEGIN HIDDEN TESTS
check_submission([3, 2, 9, 11, 5], 12 + torch.randn(4, 5, generator=torch.Generator().manual_seed(577), dtype=torch.float64))
check_submission(list(range(1466, 1496)), 9.4 + 2.4 * torch.rand(1, 30, generator=torch.Generator().manual_seed(578)))
### END HIDDEN TESTS

# %% [markdown]
# ## Summary
#
# - Prices are predicted as logarithms: their differences are ratios, and an error of 0.1 is about 10 %. Compare with the simplest rule in the same units, and look at the worst rows: one house can decide an error.
# - A table becomes features by standardising numbers and one-hot encoding words. Means, deviations and columns come from the training rows alone, in every fold anew; whatever has seen the rows that judge has seen the answer.
# - A hole may speak. Look for values that mean "unknown", ask why they are missing, and give the model a column that says so.
# - Candidates are compared by k-fold cross-validation on the same folds, features count as much as models, and averages of models err less.
# - The file that is handed in has the right header, dollars, and the order of the ids. With that, the whole way from a raw table to a judged prediction has been gone once; larger networks in later chapters change the model on this way, and little else.
