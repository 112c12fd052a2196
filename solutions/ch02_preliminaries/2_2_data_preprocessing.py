# %% [markdown]
# # 2.2 Data preprocessing
#
# A network computes with tensors of numbers. Data arrive as tables: with gaps, with words, with zeros that
# mean "not measured", and with columns that only number the rows. This section reads three real tables with
# pandas, finds out what is in them, mends them and turns them into tensors. First comes a recap with code to
# run, then the exercises.

# %% tags=["setup"]
import numpy as np
import pandas as pd
import torch

import d2l_utils as d2l
from d2l_utils.check import *

abalone = pd.read_csv(d2l.data_file('abalone.csv'))
penguins = pd.read_csv(d2l.data_file('penguins.csv'))
houses = pd.read_csv(d2l.data_file('house_tiny.csv'))
ames = pd.read_csv(d2l.data_file('ames.csv'))

# %% [markdown]
# The tables: `abalone` (sea snails: sex, seven measures, a class), `penguins` (three species on three
# islands), `houses` (four rows, small enough to check by hand) and `ames` (house sales).
# `d2l.data_file(name)` is the path of a data file of the book, whatever folder the notebook lies in.
#
# ## Recap
#
# ### Reading
#
# A CSV file is text: a line of column names, then a line for each row, the values between commas.

# %%
with open(d2l.data_file('house_tiny.csv')) as file:
    print(file.read())
houses

# %% [markdown]
# `pd.read_csv` chose a dtype for each column. The entries `NA` became `NaN`, pandas' mark for a missing
# value; that is a floating-point number, so `NumRooms` is `float64` although rooms come in whole numbers.
# Text has the dtype `str`. (Before pandas 3 it was `object`; code that asks for `dtype == object` no longer
# finds text.)

# %%
houses.dtypes

# %% [markdown]
# An empty field and words such as `NA`, `nan`, `null` and `None` are all read as missing. That can be wrong:
# in a column "kind of fence", `None` may be an answer. `keep_default_na=False` turns the rule off,
# `na_values=[...]` sets your own.

# %%
import io

text = 'house,fence\n1,wood\n2,None\n3,\n'
print(pd.read_csv(io.StringIO(text)).fence.tolist())
print(pd.read_csv(io.StringIO(text), keep_default_na=False, na_values=['']).fence.tolist())

# %% [markdown]
# ### A first look
#
# `shape`, `head`, `isna` and `describe` show most of what one needs to know. `isna()` is a table of `True`
# and `False`; its sums count, its means are fractions.

# %%
print(penguins.shape)
penguins.head(4)

# %%
penguins.isna().sum()

# %%
penguins.describe().round(1)

# %% [markdown]
# In a picture: each black line is a missing value. Two rows lack every measurement, and nine more lack the
# sex.

# %% tags=["demo"]
d2l.set_figsize((6, 2))
d2l.plt.imshow(penguins.isna().T, aspect='auto', cmap='Greys', interpolation='none')
d2l.plt.yticks(range(penguins.shape[1]), penguins.columns)
d2l.plt.xlabel('row');

# %% [markdown]
# ### Picking out by name
#
# `table['column']` is one column, a `Series`; `table[['a', 'b']]` is a table. `loc` selects by **label**,
# `iloc` by **position**. The labels of the rows are the table's *index*. They need not be 0, 1, 2, ...: after
# sorting or filtering, a row keeps its label.

# %%
big = penguins.sort_values('body_mass_g', ascending=False).head(4)
big[['species', 'body_mass_g']]

# %%
print(big.loc[229, 'body_mass_g'], big.iloc[1]['body_mass_g'])

# %% [markdown]
# A slice of labels **includes** its end; a slice of positions does not.

# %%
print(penguins.loc[2:4, 'species'].size, penguins.iloc[2:4]['species'].size)

# %% [markdown]
# A condition on a column is a Boolean `Series`, a *mask*; `loc[mask, columns]` keeps the rows where it is
# `True`. Combine masks with `&`, `|` and `~`, each comparison in parentheses. A comparison with a missing
# value is `False`.

# %%
heavy = penguins.loc[(penguins.body_mass_g > 5500) & ~(penguins.island == 'Dream'), ['island', 'body_mass_g']]
print(len(heavy))
print((penguins.body_mass_g > 0).sum(), 'of', len(penguins), 'rows weigh more than 0 g')

# %% [markdown]
# Two mistakes that everyone makes once. The word `and` asks a whole column for one truth value. And an
# assignment through two pairs of brackets changes a temporary copy: the table stays as it was.

# %% tags=["demo"]
import warnings

try:
    penguins[(penguins.year == 2007) and (penguins.island == 'Dream')]
except ValueError as error:
    print('ValueError:', error)
trial = penguins.copy()
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter('always')
    trial[trial.year == 2007]['year'] = 0
print([w.category.__name__ for w in caught], (trial.year == 0).sum(), 'rows changed')
trial.loc[trial.year == 2007, 'year'] = 0
print((trial.year == 0).sum(), 'rows changed with loc')

# %% [markdown]
# ### From a table to tensors
#
# Three steps, on a table of our own. Numbers: a gap gets the mean of its column (*imputation*). Words: each
# value gets a column of its own that says yes or no (*one-hot*), and so does "missing". Then everything
# becomes floating point.

# %%
bikes = pd.DataFrame({'gears': [3., np.nan, 21., 6.], 'brake': ['rim', 'disc', None, 'rim'],
                      'euros': [90, 410, 700, 220]})
inputs, target = bikes.drop(columns='euros'), bikes['euros']
inputs = pd.get_dummies(inputs, columns=['brake'], dummy_na=True, dtype=float)
inputs['gears'] = inputs['gears'].fillna(inputs['gears'].mean())
inputs

# %%
torch.tensor(inputs.to_numpy()), torch.tensor(target.to_numpy(dtype=float))

# %% [markdown]
# `inputs.to_numpy()` is one array with one dtype. Where a column holds words, that dtype is `object`, and
# `torch.tensor` refuses it.

# %% tags=["demo"]
try:
    torch.tensor(bikes.to_numpy())
except TypeError as error:
    print('TypeError:', error)

# %% [markdown]
# ## Exercises
#
# ### 1. What is in a table

# %% [markdown] task="2.2.1a" kind="code" minutes=5 difficulty=1 core=true
# ### How much is missing
#
# The first question about a table that somebody hands you: how complete is each column?
#
# Write `missing_fractions(table)`. It returns a `Series`: for each column of `table`, in the table's order,
# the fraction (0 to 1) of its values that are missing. Complete columns belong to the answer, with 0. The
# argument stays as it is.
#
# **You are done when** the check shows the right fractions for the four houses: 2 of 4, 3 of 4 and 0 of 4.

# %% exercise="2.2.1a"
def missing_fractions(table):
    """The fraction of missing values of each column: a Series of floats, indexed by column name."""
    ### BEGIN SOLUTION
    return table.isna().mean()
    ### END SOLUTION

# %% [markdown] hints="2.2.1a"
# 1. What is the mean of a column that holds 1 where a value is missing and 0 elsewhere?
# 2. `isna()` gives a table of `True` and `False` of the same shape; `True` counts as 1.
# 3. Another case: `(table == 0).sum()` counts the zeros of each column.

# %% check="2.2.1a" points=1
assert_type(missing_fractions(houses.copy()), pd.Series, "the type of the result")
assert_table(missing_fractions(houses.copy()),
             pd.Series([0.5, 0.75, 0.], index=['NumRooms', 'RoofType', 'Price']),
             "the missing fractions of the four houses",
             hint="Of each column: how many values are missing, divided by how many rows there are.")
### BEGIN HIDDEN TESTS
gaps = pd.DataFrame({'z': [0., np.nan, 0., -1., np.nan], 'word': ['', 'NA', None, 'x', 'y'],
                     'a': [0, 1, 2, 3, 4],
                     'none': [np.nan] * 5}, index=[7, 3, 9, 1, 4])
assert_table(missing_fractions(gaps), pd.Series([0.4, 0.2, 0., 1.], index=['z', 'word', 'a', 'none']),
             "the missing fractions of five rows with zeros, empty words and an empty column")
assert_table(missing_fractions(penguins), penguins.isna().sum() / len(penguins),
             "the missing fractions of the penguins")

@probe
def table_after_missing(table):
    missing_fractions(table)
    return table

assert_table(table_after_missing(gaps.copy()), gaps, "the table after the call: it must stay as it is")
### END HIDDEN TESTS

# %% [markdown]
# The answer for the penguins as a picture, and for Abalone, where every fraction is 0.

# %% tags=["demo"]
d2l.set_figsize((5, 2))
penguins.isna().mean().plot.barh(xlabel='fraction missing');
print('Abalone:', abalone.isna().sum().sum(), 'missing values in', abalone.shape)

# %% [markdown] task="2.2.1b" kind="code" minutes=10 difficulty=2
# ### Numbers, categories, texts
#
# What a column needs before it can be learned from depends on its kind.
#
# Write `column_kinds(table, limit)`. It sorts the columns into three kinds: `'numeric'` where the dtype is an
# integer or floating-point one; else `'categorical'` where the column has at most `limit` different values, a
# missing one not counted; else `'text'`. It returns a dictionary with the keys `'numeric'`, `'categorical'`
# and `'text'` and the **share** (0 to 1) of the table's columns that are of this kind.
#
# No column of the tests is Boolean. A column of dtype `category` is not numeric, whatever its values.
#
# **You are done when** the check shows the shares of Abalone (7 of 9 columns are numbers) and those of a
# guest book.

# %% exercise="2.2.1b"
def column_kinds(table, limit):
    """The shares of numeric, categorical and text columns: a dict of three floats that add up to 1."""
    ### BEGIN SOLUTION
    counts = {'numeric': 0, 'categorical': 0, 'text': 0}
    for name in table:
        if pd.api.types.is_numeric_dtype(table[name]):
            counts['numeric'] += 1
        else:
            counts['categorical' if table[name].nunique() <= limit else 'text'] += 1
    return {kind: count / table.shape[1] for kind, count in counts.items()}
    ### END SOLUTION

# %% [markdown] hints="2.2.1b"
# 1. Which of the three questions must be asked first, and of what: of the dtype or of the values?
# 2. `pd.api.types.is_numeric_dtype(column)` answers for a dtype, `column.nunique()` counts the different
#    values.
# 3. Another case: `sum(penguins[c].nunique() == 3 for c in penguins) / penguins.shape[1]` is the share of the
#    columns with exactly three values.

# %% check="2.2.1b" points=2
assert_close(column_kinds(abalone.copy(), 10), {'numeric': 7 / 9, 'categorical': 2 / 9, 'text': 0.},
             "the shares of Abalone",
             mistakes={"These are counts; divide by the number of columns.":
                       {'numeric': 7, 'categorical': 2, 'text': 0}})
guests = pd.DataFrame({'night': [1, 1, 2, 2], 'room': ['A', 'B', 'A', None],
                       'note': ['cold', 'fine', 'loud', 'late'],
                       'age': [31, 40, 28, 55]})
assert_close(column_kinds(guests, 2), {'numeric': 0.5, 'categorical': 0.25, 'text': 0.25},
             "the shares of a guest book with limit 2: room has two values and a gap",
             mistakes={"A column of numbers is numeric, however few its values: ask for the dtype first.":
                       {'numeric': 0.25, 'categorical': 0.5, 'text': 0.25},
                       "Room is categorical: its gap is no value of its own, and two values are at most 2.":
                       {'numeric': 0.5, 'categorical': 0., 'text': 0.5}})
### BEGIN HIDDEN TESTS
mixed = pd.DataFrame({'grade': pd.Categorical([1, 2, 3, 1, 2]), 'x': [1., np.nan, 3., 4., 5.],
                      'city': pd.Series(['a', 'b', 'c', None, 'a'], dtype=object), 'name': list('pqrst'),
                      'n': [1, 1, 1, 1, 1]})
assert_close(column_kinds(mixed, 3), {'numeric': 0.4, 'categorical': 0.4, 'text': 0.2},
             "a table with a column of dtype category, one of dtype object, and a number that never changes")
assert_close(column_kinds(mixed, 5), {'numeric': 0.4, 'categorical': 0.6, 'text': 0.},
             "the same table with limit 5")
assert_close(column_kinds(mixed[['name', 'city']], 2), {'numeric': 0., 'categorical': 0., 'text': 1.},
             "a table of texts only")
assert_close(column_kinds(penguins, 3), {'numeric': 5 / 8, 'categorical': 3 / 8, 'text': 0.},
             "the shares of the penguins")
### END HIDDEN TESTS

# %% [markdown]
# A dtype is not a meaning. The penguins' `year` is an integer with three values; whether it is a quantity or
# a label is for you to decide.
#
# ### Missing in disguise
#
# Abalone has no missing values, says `isna`. The picture says otherwise: two animals have a height of 0, and
# one is higher than it is long.

# %% tags=["demo"]
d2l.set_figsize((5, 3))
d2l.plt.plot(abalone.length, abalone.height, '.', markersize=2)
odd = abalone[(abalone.height == 0) | (abalone.height > abalone.length)]
d2l.plt.plot(odd.length, odd.height, 'rx')
d2l.plt.gca().set(xlabel='length', ylabel='height');
print(odd[['sex', 'length', 'height', 'whole_weight']])
print('missing, says isna:', abalone.isna().sum().sum())

# %% [markdown] task="2.2.1c" kind="code" minutes=8 difficulty=2 core=true
# ### Zeros that mean "not measured"
#
# A mean over a height of 0 is wrong, and no function warns you. First the false zeros must become honest
# gaps.
#
# Write `unmask(table, columns)`. In the columns that the list `columns` names, a value of 0 or below is
# impossible. The function returns a new table in which these values are `NaN`. All other values, other
# columns, rows and labels are as in `table`, and `table` itself is not changed.
#
# **You are done when** the check shows two gaps in Abalone's height and none elsewhere, and an argument that is as
# it was.

# %% exercise="2.2.1c"
def unmask(table, columns):
    """A copy of the table in which the values <= 0 of the named columns are NaN."""
    ### BEGIN SOLUTION
    table = table.copy()
    table[columns] = table[columns].where(table[columns] > 0)
    return table
    ### END SOLUTION

# %% [markdown] hints="2.2.1c"
# 1. Which table do you change: the one that you were given, or a copy?
# 2. `column.where(mask)` keeps the values where the mask is `True` and puts `NaN` elsewhere; `mask` does the
#    reverse.
# 3. Another case: `pd.Series([3, -1, 5]).mask(pd.Series([3, -1, 5]) > 4)` is 3, -1, NaN.

# %% check="2.2.1c" points=2
unmasked = unmask(abalone.copy(), ['height', 'length'])
assert_type(unmasked, pd.DataFrame, "the type of the result")
assert_equal(int(unmasked['height'].isna().sum()), 2, "the gaps in Abalone's height")
assert_equal(int(unmasked.isna().sum().sum()), 2, "the gaps in the whole table")
assert_equal(len(unmasked), 4174, "the number of rows")

@probe
def table_after_unmask(table, columns):
    unmask(table, columns)
    return table

snails = pd.DataFrame({'height': [0.1, 0., 0.2]})
assert_table(table_after_unmask(snails.copy(), ['height']), snails,
             "the argument after the call: it must not be changed", hint="Change a copy, and return that.")
### BEGIN HIDDEN TESTS
raw = pd.DataFrame({'level': [3, 0, -2, 5], 'change': [0., -1., 2., 0.], 'mass': [0., np.nan, 1e-9, 7.],
                    'tag': list('abcd')},
                   index=[4, 2, 9, 0])
wanted = pd.DataFrame({'level': [3., np.nan, np.nan, 5.], 'change': [0., -1., 2., 0.],
                       'mass': [np.nan, np.nan, 1e-9, 7.],
                       'tag': list('abcd')}, index=[4, 2, 9, 0])
assert_table(unmask(raw.copy(), ['level', 'mass']), wanted,
             "integers, negative values, a tiny positive value, zeros elsewhere",
             atol=0)
assert_table(unmask(raw, []), raw, "no column named: the table as it was")

assert_table(table_after_unmask(raw.copy(), ['level', 'mass']), raw,
             "the argument after the call: it must not be changed")
### END HIDDEN TESTS

# %% [markdown]
# The height of 1.13 cannot be found by such a rule: it is possible for a number, not for a snail. Look at the
# largest and smallest values of each column before you trust its mean.
#
# ### 2. Selection by name

# %% [markdown] task="2.2.2a" kind="code" minutes=5 difficulty=1
# ### Rows and columns by their labels
#
# After sorting, filtering or a join, positions mean nothing any more; labels still do.
#
# Write `pick(table, rows, columns)`: `rows` is a list of row labels, `columns` a list of column names. It
# returns the table of these rows and columns, **in the order in which the lists name them**.
#
# **You are done when** the check shows two penguins, by label, from a table that was sorted by weight.

# %% exercise="2.2.2a"
def pick(table, rows, columns):
    """The part of the table with these row labels and column names, in the lists' order."""
    ### BEGIN SOLUTION
    return table.loc[rows, columns]
    ### END SOLUTION

# %% [markdown] hints="2.2.2a"
# 1. Which of `loc` and `iloc` reads labels?
# 2. `loc` takes the rows first, then the columns, and each may be a list.
# 3. Another case: `penguins.loc[[5], ['year', 'sex']]` is a table of one row and two columns.

# %% check="2.2.2a" points=1
by_mass = penguins.sort_values('body_mass_g')
picked = pick(by_mass, [3, 0], ['body_mass_g', 'species'])
assert_equal(list(picked.index), [3, 0], "the row labels, in the order asked for",
             mistakes={"These rows stand at the positions 3 and 0. Asked for are the labels 3 and 0.":
                       list(by_mass.index[[3, 0]]),
                       "The rows are right, their order is not that of the list.": [0, 3]})
assert_equal(list(picked.columns), ['body_mass_g', 'species'], "the column names, in the order asked for")
assert_table(picked, penguins.loc[[3, 0], ['body_mass_g', 'species']], "the values of the penguins 3 and 0")
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(221)
shuffled = pd.DataFrame(rng.normal(size=(6, 4)), index=[30, 10, 5, 0, 2, 1], columns=['w', 'b', 'x', 'a'])
assert_table(pick(shuffled, [1, 30, 0, 2], ['a', 'w', 'x']),
             shuffled.reindex(index=[1, 30, 0, 2], columns=['a', 'w', 'x']), "labels that are not positions")
named = shuffled.set_axis(['one', 'two', 'three', 'four', 'five', 'six'])
assert_table(pick(named, ['five', 'one'], ['b']), named.reindex(index=['five', 'one'], columns=['b']),
             "rows with words as labels, one column: still a table")
### END HIDDEN TESTS

# %% [markdown] task="2.2.2b" kind="code" minutes=8 difficulty=2 core=true
# ### Rows by a condition
#
# Write `heavier(table, species, grams)`: from a table like `penguins`, the rows whose `species` is in the
# list `species` **and** whose `body_mass_g` is more than `grams`. A penguin that was not weighed is not
# heavier than anything. The result is a table with the columns `island`, `body_mass_g` and `sex`, in this
# order; the rows keep their order and their labels.
#
# **You are done when** the check shows the right number of rows for Gentoo and Chinstrap penguins above 4.5
# kg.

# %% exercise="2.2.2b"
def heavier(table, species, grams):
    """Island, mass and sex of the rows of these species with a mass above `grams`."""
    ### BEGIN SOLUTION
    return table.loc[table['species'].isin(species) & (table['body_mass_g'] > grams),
                     ['island', 'body_mass_g', 'sex']]
    ### END SOLUTION

# %% [markdown] hints="2.2.2b"
# 1. What is the mask for "the species is one of these"? `==` compares with one value.
# 2. `column.isin(list)` is a mask. Combine masks with `&`, comparisons in parentheses.
# 3. Another case: `penguins.loc[penguins.year.isin([2007, 2009]) | (penguins.sex == 'male'), ['year']]`.

# %% check="2.2.2b" points=2
heavy_birds = heavier(penguins.copy(), ['Gentoo', 'Chinstrap'], 4500)
assert_equal(list(heavy_birds.columns), ['island', 'body_mass_g', 'sex'], "the columns")
assert_equal(len(heavy_birds), 108, "the number of Gentoo and Chinstrap penguins above 4500 g",
             mistakes={"A bird of exactly 4500 g is not above 4500 g.": 110})
### BEGIN HIDDEN TESTS
flock = pd.DataFrame({'sex': ['f', None, 'm', 'm', 'f', 'f'],
                      'body_mass_g': [3000., 4000., np.nan, 4000.5, 9000., 100.],
                      'species': ['X', 'Y', 'X', 'X', 'Z', 'Y'], 'island': list('abcdef')},
                     index=[5, 3, 8, 1, 0, 2])
columns = ['island', 'body_mass_g', 'sex']
assert_table(heavier(flock, ['X', 'Y'], 3000), flock.loc[[3, 1], columns],
             "a bird at the limit, one not weighed, one of unknown sex")
assert_table(heavier(flock, ['Y'], 0), flock.loc[[3, 2], columns], "one species, limit 0")
assert_table(heavier(flock, ['X'], -1), flock.loc[[5, 1], columns],
             "a negative limit: a bird that was not weighed stays out")
assert_equal(heavier(flock, ['Z'], 9000).shape, (0, 3), "the shape when no bird is heavy enough")
### END HIDDEN TESTS

# %% [markdown]
# ### 3. How large a table fits
#
# A table in memory costs, for each row, the bytes of its dtypes: 8 for `float64` and `int64`, 4 for
# `float32`, 1 for `int8` and for `bool`. Text costs more: each different Python string has its own object.
# `memory_usage(deep=True)` counts that too; the first line of the output is the index.

# %%
print(abalone.memory_usage(deep=True))
print(abalone['sex'].astype('category').memory_usage(deep=True), 'bytes for sex as a category')

# %% [markdown]
# The work in between needs memory as well: a sort, a one-hot encoding or `to_numpy()` makes a second table,
# and the first is still there. Two or three copies at once are normal.

# %% [markdown] task="2.2.3a" kind="code" minutes=6 difficulty=2
# ### Rows that fit
#
# Write `rows_that_fit(memory, dtypes, copies)`: the largest number of rows (an `int`) such that `copies`
# copies of a table fit into `memory` bytes at the same time. `dtypes` lists the NumPy dtype of each column by
# name, such as `['float64', 'int8']`. Leave the index out of the account.
#
# **You are done when** the check shows how many rows of eight `float64` columns fit into 8 GiB, once and
# three times.

# %% exercise="2.2.3a"
def rows_that_fit(memory, dtypes, copies):
    """How many rows of a table with these dtypes fit `copies` times into `memory` bytes; an int."""
    ### BEGIN SOLUTION
    row = sum(np.dtype(name).itemsize for name in dtypes)
    return memory // (row * copies)
    ### END SOLUTION

# %% [markdown] hints="2.2.3a"
# 1. How many bytes does one row of one copy take?
# 2. `np.dtype('int16').itemsize` is the size of one value in bytes. A row that fits in part does not fit.
# 3. Another case: 100 bytes hold 100 // 12 = 8 pairs of a `float64` and a `float32`.

# %% check="2.2.3a" points=1
gib = 2 ** 30
assert_equal(rows_that_fit(8 * gib, ['float64'] * 8, 1), 134_217_728,
             "rows of eight float64 columns in 8 GiB")
assert_equal(rows_that_fit(8 * gib, ['float64'] * 8, 3), 44_739_242, "the same, three copies at once",
             mistakes={"One copy more than this does not fit: round down.": 44_739_243,
                       "This is the number for one copy.": 134_217_728})
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(223)
for sizes, amount, times in ((['bool', 'int8', 'float32'], 1000, 1),
                             (['int16'] * 3 + ['complex128', 'uint8'], 123_457, 2),
                             (['float16', 'int64'], 9, 1), (['uint8'], 7, 3)):
    held = sum(np.zeros(1, name).nbytes for name in sizes)
    rows = max(n for n in range(amount + 1) if n * held * times <= amount)
    assert_equal(rows_that_fit(amount, sizes, times), rows,
                 f"columns {sizes}, {amount} bytes, {times} copies")
### END HIDDEN TESTS

# %% [markdown] task="2.2.3b" kind="code" minutes=12 difficulty=3
# ### The same values in less memory
#
# Write `shrink(table)`. It returns a new table with the same values in which
#
# - each column of integers has the smallest of the dtypes `int8`, `int16`, `int32`, `int64` that holds all
#   its values (`int8` goes from -128 to 127, `int16` from -32768 to 32767);
# - each text column with fewer different values than half the number of rows has the dtype `category`;
# - all other columns are as they were. Floats stay: fewer digits would be other values.
#
# **You are done when** the check shows the penguins with the same values in less than a fifth of the memory.

# %% exercise="2.2.3b"
def shrink(table):
    """A copy with the smallest signed integer dtypes, and category for text that repeats."""
    ### BEGIN SOLUTION
    table = table.copy()
    for name in table:
        column = table[name]
        if pd.api.types.is_integer_dtype(column):
            table[name] = pd.to_numeric(column, downcast='signed')
        elif pd.api.types.is_string_dtype(column) and column.nunique() < len(column) / 2:
            table[name] = column.astype('category')
    return table
    ### END SOLUTION

# %% [markdown] hints="2.2.3b"
# 1. Which two values of a column decide whether `int8` is enough?
# 2. `np.iinfo('int8').min` and `.max` are the limits; `pd.to_numeric` has an argument `downcast`.
# 3. Another case: the values -40000 and 3 need `int32`, since -40000 lies below -32768.

# %% check="2.2.3b" points=2
small = shrink(penguins.copy())
assert_table(small, penguins, "the values of the penguins")
assert_equal(str(small['year'].dtype), 'int16', "the dtype of year, for values around 2008")
assert_equal(str(small['island'].dtype), 'category', "the dtype of island, three values in 344 rows")
sizes = [t.memory_usage(index=False, deep=True).sum() for t in (small, penguins)]
assert_true(bool(sizes[0] < sizes[1] / 5),
            "the penguins take less than a fifth of the memory")
### BEGIN HIDDEN TESTS
edges = pd.DataFrame({'low8': [-128, 127, 0, 1, 5], 'past8': [-129, 0, 3, 4, 5], 'top8': [128, 0, 0, 0, 1],
                      'low16': [-32768, 0, 0, 0, 0], 'past16': [32768, 0, 0, 0, 0],
                      'wide': [2 ** 40, 0, 0, 0, 0],
                      'exact': [1.123456789, 2., 3., np.nan, 4.], 'whole': [1., 2., 3., 4., 5.],
                      'rare': ['a', 'b', 'c', 'a', 'b'], 'often': ['a', 'b', 'a', None, 'a']},
                     index=[3, 1, 4, 15, 9])
shrunk = shrink(edges.copy())
assert_table(shrunk, edges, "the values at the limits of the dtypes", rtol=0, atol=0)
for name, dtype in {'low8': 'int8', 'past8': 'int16', 'top8': 'int16', 'low16': 'int16', 'past16': 'int32',
                    'wide': 'int64', 'exact': 'float64', 'whole': 'float64', 'often': 'category'}.items():
    assert_equal(str(shrunk[name].dtype), dtype,
                 f"the dtype of a column with the values {edges[name].tolist()}")
assert_true(str(shrunk['rare'].dtype) != 'category',
            "a text column with 3 different values in 5 rows is not made a category")

@probe
def dtypes_after_shrink(table):
    shrink(table)
    return [str(dtype) for dtype in table.dtypes]

assert_equal(dtypes_after_shrink(edges.copy()), [str(d) for d in edges.dtypes],
             "the argument's dtypes after the call")
### END HIDDEN TESTS

# %% [markdown] task="2.2.3c" kind="code" minutes=12 difficulty=3
# ### A file larger than the memory
#
# A file that does not fit can still be read piece by piece: `pd.read_csv(path, chunksize=r)` is an iterator
# over tables of `r` rows, of which only one is in memory.
#
# Write `chunked_mean(path, column, rows)`: the mean of the values of the column that are not missing, reading
# at most `rows` rows at a time. It must be the mean that reading the whole file gives, for every `rows`, and
# the memory in use must not grow with the file.
#
# **You are done when** the check shows the same mean flipper length for pieces of 344, 100 and 1 rows.

# %% exercise="2.2.3c"
def chunked_mean(path, column, rows):
    """The mean of a column of a CSV file without its missing values, read in pieces of `rows` rows."""
    ### BEGIN SOLUTION
    total, count = 0., 0
    for chunk in pd.read_csv(path, usecols=[column], chunksize=rows):
        total += chunk[column].sum()
        count += chunk[column].count()
    return total / count
    ### END SOLUTION

# %% [markdown] hints="2.2.3c"
# 1. Two pieces have the means 1 and 3, and one has more rows than the other. What else must you know for the
#    whole mean?
# 2. Carry two numbers from piece to piece. `column.sum()` and `column.count()` both leave missing values out.
# 3. Another case: the largest value of a file is the largest of the pieces' largest values; for a mean it is
#    not so.

# %% check="2.2.3c" points=2
path = d2l.data_file('penguins.csv')
flipper = 200.91520467836258
lengths = penguins['flipper_length_mm']
for r in (344, 100, 1):
    mean_of_means = float(np.mean([lengths[i:i + r].mean() for i in range(0, 344, r)]))
    assert_close(chunked_mean(path, 'flipper_length_mm', r), flipper,
                 f"the mean flipper length in mm, {r} rows at a time",
                 mistakes={"The rows without a length were counted, too.": float(lengths.sum() / 344),
                           "This is the mean of the pieces' means; the pieces hold different numbers of values.":
                           mean_of_means})
### BEGIN HIDDEN TESTS
@probe
def mean_of_text(text, column, rows):
    import os
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, 'table.csv')
        with open(name, 'w') as file:
            file.write(text)
        return chunked_mean(name, column, rows)

text = 'a,b,name\n1,5,x\n,2.5,y\n-4,0,z\n7,,w\n9,-1,v\n0,100,u\n,,t\n'
for r in (1, 2, 3, 4, 50):
    assert_close(mean_of_text(text, 'a', r), 13 / 5, f"five numbers and two gaps, {r} rows at a time")
    assert_close(mean_of_text(text, 'b', r), 106.5 / 5,
                 f"another column of the same file, {r} rows at a time")

@probe
def peak_memory(path, column, rows, times):
    import os
    import tempfile
    import tracemalloc
    with open(path) as file:
        head, *lines = file.readlines()
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, 'long.csv')
        with open(name, 'w') as file:
            file.write(head)
            for _ in range(times):
                file.writelines(lines)
        tracemalloc.start()
        value = chunked_mean(name, column, rows)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return value, peak

long_mean, peak = peak_memory(d2l.data_file('abalone.csv'), 'length', 1000, 60)
assert_close(long_mean, abalone['length'].mean(), "a file of 250,440 rows")
assert_true(peak < 250_440 * 8 / 2,
            "the memory in use stays small for a file of 250,440 rows, read 1000 at a time",
            hint="At least half a column stood in memory at once. Keep two numbers of each piece, not the piece.")
### END HIDDEN TESTS

# %% [markdown]
# ### 4. Too many categories, and none at all
#
# One-hot encoding makes a column for each value. The houses in Ames lie in 28 neighbourhoods, most of them
# small.

# %%
print(ames['Neighborhood'].nunique(), 'neighbourhoods')
ames['Neighborhood'].value_counts().head(4)

# %% [markdown] task="2.2.4a" kind="code" minutes=12 difficulty=3
# ### The frequent ones, and the rest
#
# A common way out: a column for each of the `k` most frequent values, and one for all others. What is
# frequent is learned from the training data; the same columns are then used for new data, in which there may
# be values that nobody has seen.
#
# Write `encode_frequent(train, new, k)` for two `Series` of text. It returns a table of 0 and 1 with the
# index of `new` and `k + 1` columns: the `k` most frequent values of `train`, most frequent first, then
# `'other'`. In each row exactly one entry is 1. A missing value counts as `'other'`. No two values of `train`
# are equally frequent in the tests, and none is called `'other'`.
#
# **You are done when** the check shows the columns for the four most frequent neighbourhoods of Ames, and
# that every row adds up to 1.

# %% exercise="2.2.4a"
def encode_frequent(train, new, k):
    """One-hot columns for the k most frequent values of `train`, and 'other'; rows as in `new`."""
    ### BEGIN SOLUTION
    frequent = list(train.value_counts().index[:k])
    known = new.where(new.isin(frequent), 'other')
    return pd.DataFrame({value: (known == value).astype(int) for value in frequent + ['other']},
                        index=new.index)
    ### END SOLUTION

# %% [markdown] hints="2.2.4a"
# 1. Which of the two `Series` decides on the columns, and which on the rows?
# 2. `value_counts()` sorts by frequency, the largest first, and leaves missing values out.
# 3. Another case: `colours.where(colours.isin(['red', 'blue']), 'rest')` keeps red and blue and calls all
#    else `rest`.

# %% check="2.2.4a" points=2
places = ames['Neighborhood']
encoded = encode_frequent(places[:2000], places[2000:], 4)
frequent = list(places[:2000].value_counts().index[:4])
assert_equal(list(encoded.columns), frequent + ['other'], "the columns",
             mistakes={"The names are right; their order is that of the alphabet, not that of the frequencies.":
                       sorted(frequent) + ['other'],
                       "These are the frequent values of `new`. Which are frequent is learned from `train`.":
                       list(places[2000:].value_counts().index[:4]) + ['other']})
assert_equal(list(encoded.index), list(range(2000, 2930)), "the index of the result")
assert_true(bool((encoded.sum(axis=1) == 1).all()), "exactly one 1 in each row")
### BEGIN HIDDEN TESTS
old = pd.Series(['z'] * 4 + ['b'] * 3 + ['a'] * 2 + ['c'] + [None] * 6)
fresh = pd.Series(['a', 'b', 'never seen', None, 'c', 'z', 'c', 'c'], index=[9, 4, 2, 7, 1, 0, 3, 5])
assert_table(encode_frequent(old, fresh, 2),
             pd.DataFrame({'z': [0, 0, 0, 0, 0, 1, 0, 0], 'b': [0, 1, 0, 0, 0, 0, 0, 0],
                           'other': [1, 0, 1, 1, 1, 0, 1, 1]},
                          index=fresh.index),
             "a value that was never seen, a missing one, and one that is frequent only in the new data")
assert_table(encode_frequent(old, pd.Series(['x', 'x']), 1), pd.DataFrame({'z': [0, 0], 'other': [1, 1]}),
             "new data without any known value")
### END HIDDEN TESTS

# %% [markdown] task="2.2.4b" kind="code" minutes=10 difficulty=3
# ### Columns that only name the row
#
# A customer number, a name: where every row has a value of its own, a one-hot encoding makes a column for
# each row, and a model learns the training rows by heart. Such a column is dropped. A measurement is another
# matter: with enough digits all its values differ, too.
#
# Write `drop_identifiers(table)`. It returns the table without the columns that name the row. A column names
# the row if it is not of a floating-point dtype, no value is missing, and no value stands twice. The argument
# stays as it is.
#
# **You are done when** the check shows that of an order list the number is dropped, and the price is kept.

# %% exercise="2.2.4b"
def drop_identifiers(table):
    """The table without the columns, other than floating-point ones, whose values are all there and all different."""
    ### BEGIN SOLUTION
    names = [c for c in table if not pd.api.types.is_float_dtype(table[c])
             and table[c].notna().all() and table[c].is_unique]
    return table.drop(columns=names)
    ### END SOLUTION

# %% [markdown] hints="2.2.4b"
# 1. How many different values has a column in which every row has its own?
# 2. `column.is_unique`, `column.isna().any()` and `pd.api.types.is_float_dtype(column)` each answer one
#    question.
# 3. Another case: `table.drop(columns=[c for c in table if table[c].nunique() == 1])` drops the columns that
#    never change.

# %% check="2.2.4b" points=2
orders = pd.DataFrame({'order': [901, 902, 903, 904], 'price': [9.5, 3.2, 7.75, 1.1],
                       'town': ['Ghent', 'Bonn', 'Bonn', 'Lille']})
assert_equal(list(drop_identifiers(orders).columns), ['price', 'town'], "the columns kept of an order list",
             mistakes={"Prices are measurements: floating-point columns are kept.": ['town']})
assert_table(drop_identifiers(abalone.copy()), abalone, "Abalone, which has no such column")
### BEGIN HIDDEN TESTS
people = pd.DataFrame({'name': ['Ann', 'Bob', 'Cem', 'Dot', 'Eve'], 'height': [1.5, 1.6, 1.7, 1.8, 1.9],
                       'rank': [5, 3, 1, 2, 4],
                       'nick': ['a', 'b', None, 'c', 'd'], 'id': [7, 7, 8, 9, 10],
                       'code': pd.Categorical(list('vwxyz'))},
                      index=[8, 6, 7, 5, 3])
assert_table(drop_identifiers(people.copy()), people[['height', 'nick', 'id']],
             "five people: a column with a gap, a repeated id, identifiers of text, number and category")

@probe
def columns_after_drop(table):
    drop_identifiers(table)
    return list(table.columns)

assert_equal(columns_after_drop(people.copy()), list(people.columns), "the argument's columns after the call")
### END HIDDEN TESTS

# %% [markdown]
# ### 5. Other files: arrays and pictures
#
# `np.save` writes an array with its dtype and shape; `np.load` gives back the same. Pillow's
# `Image.fromarray(array)` makes a picture, `picture.save(file, 'PNG')` writes it,
# `np.asarray(Image.open(file))` reads it. A file may be one in memory, an `io.BytesIO`.

# %%
from PIL import Image

file = io.BytesIO()
np.save(file, np.array([[1, 2], [3, 4]], dtype=np.int16))
file.seek(0)
again = np.load(file)
print(again.dtype, again.tolist(), len(file.getvalue()), 'bytes')

ramp = np.arange(0, 240, 2, dtype=np.uint8).reshape(8, 15)
for kind in ('PNG', 'JPEG'):
    file = io.BytesIO()
    Image.fromarray(ramp).save(file, kind)
    back = np.asarray(Image.open(file))
    print(kind, back.dtype, back.shape, 'largest difference', np.abs(back.astype(int) - ramp).max())

# %% [markdown] task="2.2.5a" kind="code" minutes=6 difficulty=1
# ### A tensor to disk and back
#
# Write `save_and_load(X, path)`: it writes the tensor `X` with `np.save` to the file `path` (a name that ends
# in `.npy`), reads the file with `np.load`, and returns a tensor of the same dtype, shape and values as `X`.
#
# **You are done when** the check shows a tensor of shape (2, 1, 3) that comes back with its dtype.

# %% exercise="2.2.5a"
def save_and_load(X, path):
    """X written to `path` in NumPy's format and read back: a tensor of the same dtype, shape and values."""
    ### BEGIN SOLUTION
    np.save(path, X.numpy())
    return torch.from_numpy(np.load(path))
    ### END SOLUTION

# %% [markdown] hints="2.2.5a"
# 1. What does `np.load` return, and what are you asked for?
# 2. `X.numpy()` and `torch.from_numpy(array)` go to and fro and keep the dtype.
# 3. Another case, as text: `np.savetxt` writes a 2-D array, and `np.loadtxt` reads `float64`, whatever was
#    written.

# %% check="2.2.5a" points=1
@probe
def travel(X):
    import os
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'x.npy')
        back = save_and_load(X, path)
        found = torch.from_numpy(np.load(path)) if os.path.exists(path) else torch.zeros(0)
        return (back.clone() if torch.is_tensor(back) else back), found

small_one = torch.tensor([[[1, -2, 3]], [[4, 5, -6]]], dtype=torch.int16)
back, on_disk = travel(small_one)
assert_type(back, torch.Tensor, "the type of what comes back")
assert_shape(back, (2, 1, 3), "the shape of what comes back")
assert_dtype(back, torch.int16, "the dtype of what comes back")
assert_close(back, small_one, "the values of what comes back")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(225)
for sent in (torch.randn(3, 4, 2, generator=rng), torch.randn(5, generator=rng, dtype=torch.float64),
             torch.tensor(2.5), torch.zeros(0, 3, dtype=torch.uint8), torch.tensor([True, False]),
             torch.randn(2, 3, generator=rng).half()):
    back, on_disk = travel(sent)
    label = f"a {str(sent.dtype).removeprefix('torch.')} tensor of shape {tuple(sent.shape)}"
    assert_shape(on_disk, tuple(sent.shape), f"the shape in the file `path`, for {label}")
    assert_shape(back, tuple(sent.shape), f"the shape of {label}")
    assert_dtype(back, sent.dtype, f"the dtype of {label}")
    assert_close(back, sent, f"the values of {label}", rtol=0, atol=0)
    assert_close(on_disk, sent, f"the values in the file, for {label}", rtol=0, atol=0)
### END HIDDEN TESTS

# %% [markdown] task="2.2.5b" kind="code" minutes=10 difficulty=3
# ### Pixels into a PNG
#
# Write `through_png(pixels)`. `pixels` is a `uint8` array of shape `(H, W)`, `(H, W, 1)` or `(H, W, 3)`. The
# function makes a PNG of it with Pillow, decodes that again, and returns a tuple: the PNG file as `bytes`,
# and the decoded array, of the same dtype and **shape** as `pixels`.
#
# **You are done when** the check shows that a picture with one channel keeps its third axis.

# %% exercise="2.2.5b"
def through_png(pixels):
    """The PNG of an (H, W), (H, W, 1) or (H, W, 3) uint8 array as bytes, and the array decoded from it."""
    ### BEGIN SOLUTION
    from PIL import Image
    # Pillow has no pictures with an axis for one channel
    flat = pixels[:, :, 0] if pixels.shape[2:] == (1,) else pixels
    file = io.BytesIO()
    Image.fromarray(flat).save(file, 'PNG')
    return file.getvalue(), np.asarray(Image.open(file)).reshape(pixels.shape)
    ### END SOLUTION

# %% [markdown] hints="2.2.5b"
# 1. Which of the three shapes does `Image.fromarray` refuse?
# 2. `pixels[:, :, 0]` drops the last axis, `array.reshape(shape)` brings an axis of length 1 back.
#    `squeeze()` without an axis drops more than you want when H or W is 1.
# 3. Another case: a bytes object of a JPEG:
#    `file = io.BytesIO(); picture.save(file, 'JPEG'); file.getvalue()`.

# %% check="2.2.5b" points=2
checks = np.array([[0, 255, 7], [255, 1, 128]], dtype=np.uint8)
for shape in ((2, 3), (2, 3, 1)):
    png, decoded = through_png(checks.reshape(shape))
    assert_type(png, bytes, f"the first result for shape {shape}")
    assert_equal(png[:4], b'\x89PNG', f"the first bytes of the file for shape {shape}")
    assert_close(decoded, checks.reshape(shape), f"the decoded picture of shape {shape}")
### BEGIN HIDDEN TESTS
import io as memory

from PIL import Image as Pictures

rng = np.random.default_rng(2251)
for shape in ((5, 7), (6, 4, 1), (5, 4, 3), (1, 9), (8, 1, 1), (1, 6, 1), (3, 3, 3)):
    photo = rng.integers(0, 256, shape, dtype=np.uint8)
    png, decoded = through_png(photo)
    assert_equal(png[:4], b'\x89PNG', f"the first bytes of the file, shape {shape}")
    assert_close(decoded, photo, f"the decoded picture, shape {shape}")
    assert_close(np.asarray(Pictures.open(memory.BytesIO(png))).reshape(-1), photo.reshape(-1),
                 f"the PNG itself, shape {shape}")
### END HIDDEN TESTS

# %% tags=["setup"]
def from_pixels(pixels):
    """uint8 in 0 ... 255 -> float32 in [0, 1]."""
    return pixels.float() / 255

# %% [markdown] task="2.2.5c" kind="code" minutes=10 difficulty=3
# ### Grey values from 0 to 1
#
# PNG cannot hold `float32`; a picture of numbers from 0 to 1 must be rounded to 256 steps. What is lost, and
# how much?
#
# The way back is given: `from_pixels(pixels)` divides by 255. Write `to_pixels(values)`: it takes a `float32`
# tensor with entries from 0 to 1 and returns `uint8` of the same shape, 0 for 0 and 255 for 1, such that the
# error of going there and back is at most 1/510, half a step.
#
# **You are done when** the check shows that 0, 0.25 and 1 come back within half a step, and 0 and 1 exactly.

# %% exercise="2.2.5c"
def to_pixels(values):
    """float32 in [0, 1] -> uint8 in 0 ... 255, rounded to the nearest step."""
    ### BEGIN SOLUTION
    return (values * 255).round().to(torch.uint8)
    ### END SOLUTION

# %% [markdown] hints="2.2.5c"
# 1. What does `.to(torch.uint8)` do with 127.5, and with 256?
# 2. A conversion to integers cuts the fraction off; `round()` goes to the nearest whole number first.
# 3. Another case: five steps from 0 to 4: 0.7 is 2.8, nearest 3, which goes back to 0.75, an error of 0.05 <
#    1/8.

# %% check="2.2.5c" points=2
greys = torch.tensor([0., 0.25, 1.])
assert_dtype(to_pixels(greys), torch.uint8, "the dtype of the pixels")
assert_equal(to_pixels(greys)[::2], [0, 255], "the pixels for 0 and 1",
             mistakes={"256 does not fit into uint8 and wraps to 0: there are 256 values, but 255 steps.":
                       [0, 0]})
assert_close(from_pixels(to_pixels(greys)), greys, "0, 0.25 and 1, there and back, within half a step", rtol=0,
             atol=1 / 509,
             mistakes={"The fraction was cut off: 63.75 is nearer to 64 than to 63.":
                       torch.tensor([0., 63 / 255, 1.])})
### BEGIN HIDDEN TESTS
fine = torch.rand(60, 50, generator=torch.Generator().manual_seed(2252))
assert_shape(to_pixels(fine), (60, 50), "the shape of the pixels for (60, 50)")
assert_close(from_pixels(to_pixels(fine.clone())), fine,
             "3,000 random values, there and back, within half a step of 1/255", rtol=0,
             atol=1 / 509, hint="Is the value cut off where it should be rounded?")
levels = torch.arange(256, dtype=torch.uint8)
assert_close(to_pixels(from_pixels(levels)), levels, "each of the 256 pixel values, to a float and back")

@probe
def values_after(values):
    to_pixels(values)
    return values

assert_close(values_after(fine.clone()), fine, "the argument after the call")
### END HIDDEN TESTS

# %% [markdown]
# Six arrays to send through files:

# %% tags=["setup"]
parcels = {
    'a': ('npy', np.zeros((0, 3), dtype=np.int16)),
    'b': ('png', np.zeros((5, 7), dtype=bool)),
    'c': ('png', np.zeros((5, 7), dtype=np.float32)),
    'd': ('jpeg', np.zeros((5, 7), dtype=bool)),
    'e': ('png', np.zeros(7, dtype=np.uint8)),
    'f': ('csv', np.ones((4, 3), dtype=np.float32)),
}

# %% [markdown] task="2.2.5d" kind="answer" minutes=10 difficulty=3
# ### What arrives
#
# Each parcel of `parcels` is a format and an array. It is written in this format and read again: `npy` by
# `np.save` and `np.load`; `png` and `jpeg` by Pillow, as above; `csv` by
# `pd.DataFrame(array).to_csv(file, index=False)` and `pd.read_csv(file).to_numpy()`. Predict what arrives,
# then try it.
#
# Set `arrives` to a dictionary with the keys `'a'` to `'f'`. Each value is a pair: the name of the dtype that
# arrives, and the shape, such as `('int16', (2, 3))`; or the word `'error'` where the array cannot be
# written.
#
# **You are done when** the check shows parcel `a` right, and six answers.

# %% exercise="2.2.5d"
### BEGIN SOLUTION
arrives = {
    'a': ('int16', (0, 3)),
    'b': ('bool', (5, 7)),
    'c': 'error',
    'd': ('uint8', (5, 7)),
    'e': ('uint8', (7, 1)),
    'f': ('float64', (4, 3)),
}
### END SOLUTION

# %% [markdown] hints="2.2.5d"
# 1. Which of these formats store a dtype, and which only text or pixels?
# 2. A picture always has a height and a width. PNG has black-and-white pictures, JPEG has not; neither has
#    floats.
# 3. Another case: a `float64` picture sent as `tiff` arrives as `('float32', (5, 7))`: Pillow's only float
#    mode has 32 bits.

# %% check="2.2.5d" points=3
assert_equal(sorted(arrives), ['a', 'b', 'c', 'd', 'e', 'f'], "the keys of `arrives`")
assert_equal(arrives['a'], ('int16', (0, 3)), "parcel a, an empty int16 array in NumPy's format")
### BEGIN HIDDEN TESTS
import io as memory

from PIL import Image as Pictures


def delivered(kind, array):
    file = memory.StringIO() if kind == 'csv' else memory.BytesIO()
    try:
        if kind == 'npy':
            np.save(file, array)
        elif kind == 'csv':
            pd.DataFrame(array).to_csv(file, index=False)
        else:
            Pictures.fromarray(array).save(file, kind.upper())
    except (OSError, TypeError):
        return 'error'
    file.seek(0)
    read = {'npy': np.load, 'csv': lambda file: pd.read_csv(file).to_numpy()}
    got = read.get(kind, lambda file: np.asarray(Pictures.open(file)))(file)
    return str(got.dtype), got.shape

for key, about in {'b': 'a bool picture as PNG', 'c': 'a float32 picture as PNG',
                   'd': 'a bool picture as JPEG',
                   'e': 'a uint8 vector as PNG', 'f': 'a float32 table as CSV'}.items():
    found = delivered(*parcels[key])
    if found == 'error' or arrives[key] == 'error':
        assert_equal(arrives[key], found, f"parcel {key}, {about}")
    else:
        assert_equal(str(arrives[key][0]).removeprefix('torch.'), found[0],
                     f"the dtype of parcel {key}, {about}")
        assert_equal(arrives[key][1], found[1], f"the shape of parcel {key}, {about}")
### END HIDDEN TESTS

# %% [markdown]
# A note on names: `np.save('x', array)` writes the file `x.npy`; a name without the ending gets one. Whoever
# then opens `x` finds nothing.

# %% tags=["demo"]
import os
import tempfile

with tempfile.TemporaryDirectory() as folder:
    np.save(os.path.join(folder, 'x'), np.zeros(3))
    print(os.listdir(folder))

# %% [markdown]
# ### 6. From the table to the tensors

# %% [markdown] task="2.2.6" kind="code" minutes=15 difficulty=3 core=true
# ### The whole way
#
# Write `prepare(table, target)`: `target` is the name of the column to predict. It returns two `float64`
# tensors `X` and `y`.
#
# - `y`, shape `(n,)`, is the target column. It is no part of `X`. It has no gaps.
# - `X` has a row for each row of the table. Its first columns are the numeric inputs, in the table's order; a
#   gap is filled with the mean of the column's other values.
# - Then comes each text column, in the table's order, one-hot: a column of 0 and 1 for each of its values in
#   alphabetical order, and last one for "missing", also where nothing is missing.
#
# The argument stays as it is.
#
# **You are done when** the check shows a point for each part, for the four houses: there are two of unknown
# size, and the mean of the others is 4 rooms.

# %% exercise="2.2.6"
def prepare(table, target):
    """Inputs (n, columns) and target (n,) as float64 tensors: means for gaps, one-hot with a column for missing."""
    ### BEGIN SOLUTION
    inputs = table.drop(columns=target)
    words = [c for c in inputs if not pd.api.types.is_numeric_dtype(inputs[c])]
    inputs = pd.get_dummies(inputs, columns=words, dummy_na=True, dtype=float)
    inputs = inputs.fillna(inputs.mean())
    return torch.tensor(inputs.to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))
    ### END SOLUTION

# %% [markdown] hints="2.2.6"
# 1. In which order do you do it: split, encode, fill? Which of the steps needs only numbers?
# 2. `pd.get_dummies(inputs, dummy_na=True)` encodes the text columns and puts them behind the numeric ones.
#    `table.fillna(table.mean())` fills each column with its own mean.
# 3. Another case: the recap does all of it for the four bicycles.

# %% check="2.2.6" points=5
with part(1, "the target: float64, a vector"):
    X, y = prepare(houses.copy(), 'Price')
    assert_close(y, torch.tensor([131000., 98500., 189900., 142300.], dtype=torch.float64),
                 "the prices of the four houses")
    assert_dtype(y, torch.float64, "the dtype of y")
    assert_dtype(X, torch.float64, "the dtype of X")
with part(1, "the shape of the inputs"):
    X, y = prepare(houses.copy(), 'Price')
    assert_shape(X, (4, 3), "the shape of X: rooms, Slate, missing",
                 hint="Is the target still among the columns? Has missing text a column of its own?")
with part(1, "the rooms: the mean, 4, for the two gaps"):
    X, y = prepare(houses.copy(), 'Price')
    assert_close(X[:, 0], torch.tensor([4., 3., 5., 4.], dtype=torch.float64), "the rooms of the four houses")
### BEGIN HIDDEN TESTS
shop = pd.DataFrame({'kind': ['b', 'c', None, 'a', 'b'], 'sold': [3, 1, 4, 1, 5],
                     'size': [1., np.nan, 5., 0., 0.],
                     'town': ['q', 'q', 'p', 'p', 'q'], 'age': [7, -2, 0, 1, 2]}, index=[4, 1, 8, 2, 6])
with part(1, "the one-hot columns of a shop's table"):
    X, y = prepare(shop.copy(), 'sold')
    assert_shape(X, (5, 9), "the shape of X for two numeric columns and text columns of 3 and 2 values")
    ones = torch.tensor([[0, 1, 0, 0, 0, 1, 0], [0, 0, 1, 0, 0, 1, 0], [0, 0, 0, 1, 1, 0, 0],
                         [1, 0, 0, 0, 1, 0, 0], [0, 1, 0, 0, 0, 1, 0]], dtype=torch.float64)
    assert_close(X[:, 2:], ones, "the one-hot columns: alphabetical, then missing")

@probe
def table_after_prepare(table, target):
    prepare(table, target)
    return table

with part(1, "the numbers of a shop's table, and the table itself"):
    X, y = prepare(shop.copy(), 'sold')
    assert_close(X[:, 0], torch.tensor([1., 1.5, 5., 0., 0.], dtype=torch.float64),
                 "sizes with a gap and two zeros",
                 mistakes={"The median was put in, not the mean.": X.new_tensor([1., 0.5, 5., 0., 0.]),
                           "A gap was filled with 0.": X.new_tensor([1., 0., 5., 0., 0.])})
    assert_close(X[:, 1], torch.tensor([7., -2., 0., 1., 2.], dtype=torch.float64),
                 "whole numbers become float64")
    assert_close(y, torch.tensor([3., 1., 4., 1., 5.], dtype=torch.float64), "the target column")
    assert_table(table_after_prepare(shop.copy(), 'sold'), shop, "the table after the call")
### END HIDDEN TESTS
total()

# %% [markdown]
# ### Means from the training rows only
#
# A model is judged on rows that it has not seen. If their values went into the means, the model has seen
# something of them: a *leak*, and the judgement is too kind. The same holds for every number that
# preprocessing learns: means, standard deviations, the list of frequent values.

# %% [markdown] task="2.2.7" kind="code" minutes=8 difficulty=2 core=true
# ### Fill in without a leak
#
# Write `impute(train, test)` for two tables with the same columns, all numeric. It returns a tuple of two new
# tables, in which each gap is filled with the mean of its column **in `train`**, in both tables. The
# arguments stay as they are.
#
# **You are done when** the check shows that a gap in the test rows gets the mean of the training rows, and that
# the arguments stay as they are.

# %% exercise="2.2.7"
def impute(train, test):
    """Both tables with their gaps filled with the training rows' means."""
    ### BEGIN SOLUTION
    means = train.mean()
    return train.fillna(means), test.fillna(means)
    ### END SOLUTION

# %% [markdown] hints="2.2.7"
# 1. How often do you compute the means?
# 2. `table.fillna(series)` fills each column with the entry of the series that has the column's name.
# 3. Another case, to shift all values: `train - train.min()` and `test - train.min()`, never
#    `test - test.min()`.

# %% check="2.2.7" points=2
known = pd.DataFrame({'h': [1., 3., np.nan], 'w': [10., 20., 60.]})
fresh = pd.DataFrame({'h': [np.nan, 8.], 'w': [np.nan, 0.]})
filled, filled_fresh = impute(known, fresh)
assert_table(filled, pd.DataFrame({'h': [1., 3., 2.], 'w': [10., 20., 60.]}), "the training rows")
assert_close(filled_fresh['h'].tolist(), [2., 8.], "column h of the test rows",
             mistakes={"The gap got the mean of the test rows: that is a leak.": [8., 8.],
                       "The mean was taken over training and test rows together: that is a leak.": [4., 8.]})
assert_close(filled_fresh['w'].tolist(), [30., 0.],
             "column w of the test rows, which has no gap in the training rows")

@probe
def tables_after_impute(train, test):
    impute(train, test)
    return train, test

known_later, fresh_later = tables_after_impute(known.copy(), fresh.copy())
assert_table(known_later, known, "the argument `train` after the call", hint="Both arguments stay as they are.")
assert_table(fresh_later, fresh, "the argument `test` after the call", hint="Both arguments stay as they are.")
### BEGIN HIDDEN TESTS
numbers = penguins[['bill_length_mm', 'body_mass_g', 'year']]
first, rest = numbers.iloc[1:300:2], numbers.iloc[::3]
hole = rest.assign(bill_length_mm=np.nan)
for sample, name in ((rest, "every third penguin"), (hole, "test rows without any bill length"),
                     (rest.iloc[:1], "one test row")):
    a, b = impute(first.copy(), sample.copy())
    means = {c: float(np.nanmean(first[c].to_numpy())) for c in first}
    assert_table(a, first.fillna(means), f"the training rows, with {name}")
    assert_table(b, sample.fillna(means), f"the test rows: {name}")

a, b = tables_after_impute(first.copy(), hole.copy())
assert_table(a, first, "the argument `train` after the call")
assert_table(b, hole, "the argument `test` after the call")
### END HIDDEN TESTS

# %% [markdown] task="2.2.8" kind="code" minutes=8 difficulty=2
# ### Rows worth keeping
#
# A gap can be filled; a row without any measurement tells nothing. `dropna()` does not know the difference:
# it throws away every row with a gap, 11 of the penguins where 2 would do.
#
# Write `drop_empty(table, measured)`: the table without the rows in which **every** column of the list
# `measured` is missing. Other gaps stay. The rows that are kept stay in order and get the labels 0, 1, 2, ...
# The argument stays as it is.
#
# **You are done when** the check shows 342 penguins, nine of them of unknown sex, with the old columns and new
# labels.

# %% exercise="2.2.8"
def drop_empty(table, measured):
    """The rows with at least one of the measured values, labelled anew from 0."""
    ### BEGIN SOLUTION
    return table.dropna(how='all', subset=measured).reset_index(drop=True)
    ### END SOLUTION

# %% [markdown] hints="2.2.8"
# 1. For one row: how do "any value is missing" and "all values are missing" differ?
# 2. `isna().all(axis=1)` is a mask over the rows. `reset_index` has an argument that keeps the old labels out
#    of the table.
# 3. Another case: `table[table['a'].notna()]` keeps the rows that have an `a`, with their old labels.

# %% check="2.2.8" points=2
measures = ['bill_length_mm', 'bill_depth_mm', 'flipper_length_mm', 'body_mass_g']
kept = drop_empty(penguins.copy(), measures)
assert_equal(len(kept), 342, "the number of penguins kept",
             mistakes={"Rows with any gap were dropped: nine penguins of unknown sex were measured.": 333,
                       "No row was dropped. Is every column asked, or only the measured ones?": 344})
assert_equal(int(kept['sex'].isna().sum()), 9, "the penguins of unknown sex")
assert_equal(list(kept.columns), list(penguins.columns), "the columns",
             mistakes={"The old labels have become a column.": ['index'] + list(penguins.columns)})
assert_equal(list(kept.index[:5]), [0, 1, 2, 3, 4], "the first five labels",
             mistakes={"These are the old labels; the rows are to be labelled anew.": [0, 1, 2, 4, 5]})
### BEGIN HIDDEN TESTS
gappy = pd.DataFrame({'who': ['a', 'b', None, 'd', 'e'], 'u': [1., np.nan, np.nan, np.nan, 0.],
                      'v': [np.nan, np.nan, 2., np.nan, np.nan], 'w': [np.nan] * 5}, index=[5, 4, 3, 2, 2])
wanted = pd.DataFrame({'who': ['a', None, 'e'], 'u': [1., np.nan, 0.], 'v': [np.nan, 2., np.nan],
                       'w': [np.nan] * 3})
assert_table(drop_empty(gappy.copy(), ['u', 'v']), wanted, "five rows, two of them without any measurement")
assert_table(drop_empty(gappy.copy(), ['u']), wanted.iloc[[0, 2]].reset_index(drop=True),
             "one measured column")

@probe
def rows_after_drop(table, measured):
    drop_empty(table, measured)
    return len(table), list(table.columns)

assert_equal(rows_after_drop(gappy.copy(), ['u', 'v']), (5, ['who', 'u', 'v', 'w']),
             "rows and columns of the argument after the call")
### END HIDDEN TESTS

# %% [markdown]
# All of it together: the penguins, cleaned and ready. Rows without measurements are gone, 240 random rows are
# for training, gaps are filled with their means, sex is one-hot with a column for "missing".

# %% tags=["demo"]
measured = ['bill_length_mm', 'bill_depth_mm', 'flipper_length_mm', 'body_mass_g']
clean = penguins.dropna(how='all', subset=measured).reset_index(drop=True)
order = np.random.default_rng(0).permutation(len(clean))
train, test = clean.loc[order[:240]], clean.loc[order[240:]]
means, spread = train[measured].mean(), train[measured].std()
sex = [pd.get_dummies(t['sex'], dummy_na=True, dtype=float) for t in (train, test)]
train_X = ((train[measured].fillna(means) - means) / spread).join(sex[0])
test_X = ((test[measured].fillna(means) - means) / spread).join(sex[1])
print(torch.tensor(train_X.to_numpy()).shape, torch.tensor(test_X.to_numpy()).shape)
d2l.set_figsize((5, 3.5))
for name, part_of in train.groupby('species'):
    d2l.plt.plot(part_of.bill_length_mm, part_of.bill_depth_mm, '.', label=name)
d2l.plt.gca().set(xlabel='bill length (mm)', ylabel='bill depth (mm)')
d2l.plt.legend();
