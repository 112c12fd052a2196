# %% [markdown]
# # 2.2 Data preprocessing
#
# A network computes with tensors of numbers. Data arrive as tables: with gaps, with words, with zeros that mean "not
# measured", and with columns that only number the rows. Between the file and the first tensor lies work that nobody
# sees in the finished model, and in which most projects spend most of their time.
#
# After this page you can read a table from a file, say how complete it is, pick out rows and columns by name, find gaps
# that do not look like gaps, and turn all of it into two tensors, inputs and target, without using what you must not
# know yet. You also know how large a table your memory holds, and which file formats give back what you put in. The tool is the
# library *pandas*. You need section 2.1, no more.

# %% tags=["setup"]
from d2l_utils.check import *
import io
import numpy as np
import pandas as pd
import torch
import d2l_utils as d2l

houses = pd.read_csv(d2l.data_file('house_tiny.csv'))
penguins = pd.read_csv(d2l.data_file('penguins.csv'))
abalone = pd.read_csv(d2l.data_file('abalone.csv'))
ames = pd.read_csv(d2l.data_file('ames.csv'))

# %% [markdown] teaches="data frame, reading a csv file"
# ## From text to a table
#
# What does a table look like before a program has read it? Nearly always like this: a text file, a line of column names, then
# a line for each row, the values between commas. The format is called CSV, *comma-separated values*.

# %% teaches="reading a csv file"
with open(d2l.data_file('house_tiny.csv')) as file:
    print(file.read())

# %% [markdown] teaches="data frame, reading a csv file"
# Four houses: how many rooms, what kind of roof, which price. `d2l.data_file(name)` is the path of a data file of this
# book. The cell at the top has read four files with `pd.read_csv(path)`. Here is what became of the houses:

# %% teaches="data frame, reading a csv file"
print(houses)
print(houses.dtypes)

# %% [markdown] teaches="data frame, reading a csv file, missing value"
# A table is a `DataFrame`. It has *columns* with names, and *rows*. The numbers 0 to 3 at the left are no column: they are the
# row labels, together called the *index*. A single column, `houses['Price']`, is a `Series`: values with labels. A Python dictionary makes a table
# too, as `pd.DataFrame({'Price': [131000, 98500]})` does.
#
# Each column has one dtype, chosen by what stood in it. Whole numbers become `int64`, numbers with a fraction `float64`, text
# becomes `str`. (Before pandas 3 that was `object`. Old code that asks for `dtype == object` finds no text any more.)
#
# And the entries `NA` became `NaN`, *not a number*. That is pandas' mark for a *missing value*, a gap. It is a floating-point number. So
# `NumRooms` became `float64`, although rooms come in whole numbers: `int64` has no room for a gap.
#
# ⚠ Not only `NA` and an empty field count as missing. So do the words `nan`, `null`, `None` and some others. That may be wrong:
# in a column "kind of fence", `None` is an answer. `keep_default_na=False` turns the rule off, and `na_values=[...]` sets
# one of your own. (`io.StringIO(text)` lets a text play the part of a file.)

# %% teaches="reading a csv file, missing value"
fences = 'house,fence\n1,wood\n2,None\n3,\n'
print(pd.read_csv(io.StringIO(fences))['fence'].tolist())
print(pd.read_csv(io.StringIO(fences), keep_default_na=False, na_values=[''])['fence'].tolist())

# %% [markdown]
# In the first list the house without a fence and the house that nobody looked at are the same. In the second they are
# not.

# %% tags=["setup"]
sheet = """a,b,c,d,e
1,1,1,1.0,None
2,,two,2.0,NA
3,3,3,3.0,x
"""

# %% [markdown] task="2.2.A" kind="answer" minutes=3 difficulty=1 core=true needs="reading a csv file, missing value, dtype"
# ### What will pandas make of it
#
# `sheet`, above, is the text of a CSV file with five columns. Say of each, before you read it with pandas, which dtype it gets, and
# how many of its three values are missing. Set `columns_read` to a dictionary with the keys `'a'` to `'e'`. Under each key
# stands the name of the dtype as a string, then the number of gaps; for a column `z` of `True` and `False` that would be
# `'z': ('bool', 0)`.
#
# **You are done when**
# - **five entries**: `columns_read` has the five keys, and a name and a number under each;
# - **dtypes**: the five names are right;
# - **gaps**: the five numbers are right.

# %% exercise="2.2.A"
### BEGIN SOLUTION
columns_read = {'a': ('int64', 0), 'b': ('float64', 1), 'c': ('str', 0), 'd': ('float64', 0), 'e': ('str', 2)}
### END SOLUTION

# %% [markdown] hints="2.2.A"
# 1. What happens to a column of whole numbers when one of them is missing? And when one value is a word?
# 2. One dtype serves the whole column. A gap needs a floating-point dtype or text; a decimal point is one of `float64`.
# 3. Another case: the column `null, 7, 8` is `float64` with one gap, the column `yes, 7, 8` is `str` without any.

# %% check="2.2.A" points=1
def sheet_described():
    read = pd.read_csv(io.StringIO(sheet))
    for key in 'abcde':
        assert_type(columns_read[key], (tuple, list), f"what stands under {key!r}", of="five entries",
                    hint="A name and a number, in a tuple: `('bool', 0)`.")
        assert_equal(len(columns_read[key]), 2, f"how many things stand under {key!r}", of="five entries")
        assert_type(columns_read[key][0], str, f"the first thing under {key!r}", of="five entries",
                    hint="The name of the dtype, as a string: `'bool'`.")
        assert_type(columns_read[key][1], int, f"the second thing under {key!r}", of="five entries", hint="How many values are missing, a whole number.")
    for key in 'abcde':
        why = {'a': "Its three values are whole numbers, and all are there.",
               'b': "Which dtype of numbers has room for a gap? The whole column gets it.",
               'c': "One dtype serves the whole column: which has room for a word?",
               'd': "Which dtype has room for a decimal point, also in `2.0`?",
               'e': "One dtype serves the whole column: which has room for `x`?"}[key]
        assert_equal(columns_read[key][0], str(read[key].dtype), f"the dtype of column {key}", of="dtypes", hint=why,
                     mistakes={"The name of the dtype says the size, too, in bits.": 'float' if read[key].dtype == 'float64' else 'int',
                               **({"That was the dtype of text before pandas 3.": 'object'} if read[key].dtype == 'str' else {}),
                               **({"`Int64` does have room for a gap, but `read_csv` chooses it only where it is told to.": 'Int64'} if key == 'b' else {}),
                               **({"A word that stands for no gap is a value, and a column of numbers has no room for it.": 'float64'} if key == 'c' else {})})
    for key in 'abcde':
        why = {'a': "Is one of its fields empty, or a word for a gap?", 'b': "Does an empty field count as missing?",
               'c': "Is a word among numbers a value, or a gap?", 'd': "Is one of its fields empty, or a word for a gap?",
               'e': "Which of its three words does pandas read as a gap? The text before this exercise names some."}[key]
        assert_equal(columns_read[key][1], int(read[key].isna().sum()), f"how many values of column {key} are missing", of="gaps", hint=why,
                     mistakes={'a': {"These are the values that are there; asked for are the missing ones.": 3},
                               'e': {"Both `None` and `NA` stand for a gap.": 1}}.get(key))

assert_type(columns_read, dict, "`columns_read`", of="five entries")
assert_equal(sorted(map(str, columns_read)), list('abcde'), "the keys of `columns_read`", of="five entries")
sheet_described()
### BEGIN HIDDEN TESTS
assert_equal(len(columns_read), 5, "the number of keys", of="five entries")
sheet_described()
### END HIDDEN TESTS

# %% [markdown] teaches="fraction of missing values"
# ## What is in it
#
# Somebody hands you a table. What do you ask first? How large it is, what the first rows look like, and where it has
# gaps. The table `penguins` holds three species of penguins, measured on three islands.

# %% teaches="fraction of missing values"
print(penguins.shape, len(penguins), list(penguins))
print(penguins.head(4).to_string())

# %% [markdown] teaches="fraction of missing values"
# As with tensors, `shape` is rows, then columns. `len` counts the rows, a loop over a table goes through the column names, and
# `head(4)` is the first four rows. (`to_string()` prints all columns.) Row 3 has gaps. `isna()` makes a table of the same shape,
# `True` where a value is missing. `True` counts as 1. So a sum counts the gaps, and a mean is the fraction of them:

# %% teaches="fraction of missing values"
print(penguins.isna().sum().to_dict())
print(f"{penguins['sex'].isna().mean():.4f} = {penguins['sex'].isna().sum()} / {len(penguins)}")

# %% [markdown] teaches="fraction of missing values"
# Functions such as `sum` and `mean` go down each column of a table and give a `Series` with an entry for each; `to_dict()` is there only to print it in a line. With `axis=1` they
# go along the rows. `notna()` is the opposite of `isna()`, and `count()` counts what is there. To see whether gaps come together, draw `isna()`:

# %% tags=["demo"]
import matplotlib.pyplot as plt

figure, ax = plt.subplots(figsize=(7, 2.3), layout='constrained')
ax.imshow(penguins.isna().T, aspect='auto', cmap='Greys', interpolation='none')
ax.set_yticks(range(penguins.shape[1]), penguins.columns)
ax.set_xlabel('row')
plt.show()
print('gaps in a row, and how many rows have so many:', penguins.isna().sum(axis=1).value_counts().to_dict())

# %% [markdown]
# Each black mark is a missing value. Two rows, near the left end and near 270, lack every measurement, and the sex too: five marks below each other. Nine more lack the sex alone. So
# the gaps are of two kinds, and will want two treatments.

# %% [markdown] task="2.2.1a" kind="code" minutes=5 difficulty=1 core=true needs="fraction of missing values, data frame"
# ### How much is missing
#
# Write `missing_fractions(table)`: how incomplete each column is. The table has at least one row.
#
# **You are done when**
# - **form**: the result is a `Series` with an entry for each column of `table`, complete ones too, under the column's name, in
#   the table's order;
# - **fractions**: each entry is the fraction, from 0 to 1, of the column's values that are missing;
# - **only gaps**: 0, the empty word `''` and the word `'NA'` in a table are values, not gaps; `None` is a gap, as for `isna()`;
# - **table kept**: `table` itself is as it was.

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
@probe
def table_after_missing(table):
    missing_fractions(table)
    return table

def fractions_of(table, what, of='fractions'):
    found, rows = missing_fractions(table.copy()), len(table)
    gaps = [sum(pd.isna(value) for value in table[name]) for name in table.columns]
    with_too = {sentence: [sum(pd.isna(value) or also(value) for value in table[name]) / rows for name in table.columns]
                for sentence, also in (("The empty word '' is a value, not a gap.", lambda value: isinstance(value, str) and value == ''),
                                       ("The word 'NA' in a table is a value, not a gap.", lambda value: isinstance(value, str) and value == 'NA'),
                                       ("0 is a value, not a gap.", lambda value: not isinstance(value, str) and value == 0))}
    with_too["`None` is a gap, too."] = [sum(value is not None and pd.isna(value) for value in table[name]) / rows for name in table.columns]
    with_too["The words '' and 'NA' in a table are values, not gaps."] = [sum(pd.isna(value) or value in ('', 'NA') for value in table[name]) / rows
                                                                         for name in table.columns]
    with_too["Divide by the number of rows, not by that of all gaps."] = [count / max(sum(gaps), 1) for count in gaps]
    with_too["This is 1 minus the share of different values; a value that stands twice is no gap."] = [1 - table[name].nunique() / rows for name in table.columns]
    with_too["The fractions are not to be rounded."] = [round(count / rows, 2) for count in gaps]
    assert_type(found, pd.Series, f"what missing_fractions returns for {what}", of='form')
    assert_equal(list(found.index), list(table.columns), f"the names in the Series for {what}", of='form',
                 hint="Each column has an entry, in the table's order, with 0 where it is complete.",
                 mistakes={"These are the labels of the rows: the fraction is taken down each column, not along the rows.": list(table.index)})
    amiss = [name for name, value, count in zip(table.columns, found, gaps) if pd.api.types.is_number(value) and not abs(value - count / rows) < 1e-9]
    assert_close(found.tolist(), [count / rows for count in gaps], f"the fractions for {what}", of=of,
                 hint=f"Wrong {'is the entry' if len(amiss) == 1 else 'are the entries'} of {', '.join(map(str, amiss))}: "
                      f"a fraction of the {rows} rows is asked for, those that `isna()` calls missing."
                 if amiss else "",
                 mistakes={"These are counts: divide by the number of rows.": gaps,
                           "Divide by the number of rows, not by the number of all values.": [count / table.size for count in gaps],
                           "Divide by the number of rows, not of columns.": [count / table.shape[1] for count in gaps],
                           "Divide by the number of all rows, not of those that have a value.": [count / max(rows - count, 0.5) for count in gaps],
                           "This is the fraction that is there.": [1 - count / rows for count in gaps],
                           "These are percentages; a fraction goes from 0 to 1.": [100 * count / rows for count in gaps], **with_too})
    assert_table(table_after_missing(table.copy()), table, f"the table after the call, for {what}", of='table kept')

fractions_of(houses, "the four houses")
fractions_of(pd.DataFrame({'x': [1., np.nan, 3., 4., 5.], 'y': list('abcd') + [None], 'z': [np.nan] * 5}, index=[4, 2, 8, 0, 1]),
             "five rows with gaps in x and y and an empty column z")
fractions_of(pd.DataFrame({'level': [0., np.nan, 0., 0.], 'word': ['', 'NA', 'NA', None], 'thing': pd.Series([None, 1, 'x', 'y'], dtype=object)}),
             "zeros, an empty word, twice the word NA, and a column of dtype object that holds None, 1, x and y", 'only gaps')
### BEGIN HIDDEN TESTS
fractions_of(penguins, "the penguins")
fractions_of(pd.DataFrame({'b': [np.nan], 'a': [-1]}, index=['only']), "a single row")
fractions_of(pd.DataFrame({'z': [0., np.nan, 0., -1., np.nan, np.nan, 0.], 'word': ['', 'NA', None, 'x', 'y', 'nan', ''], 'a': range(7)},
                          index=[7, 3, 9, 1, 4, 0, 2]).assign(thing=pd.Series([None, 'nan', None], dtype=object, index=[7, 9, 0])), "seven rows with zeros, empty words and words such as NA", 'only gaps')
### END HIDDEN TESTS

# %% [markdown] teaches="kinds of columns"
# ### Numbers, categories, texts
#
# What a column needs before anything can be learned from it depends on its kind. Numbers can be used as they are. A few words
# that repeat, such as the species, are a *category*, and each will become a column (below). Text that is different in every
# row needs a network of its own. How can one tell them apart? By the dtype, and by the number of different values:

# %% teaches="kinds of columns"
print(penguins.nunique().to_dict())
print(list(penguins['island'].unique()), penguins['island'].value_counts().to_dict())
print([pd.api.types.is_numeric_dtype(penguins[name]) for name in penguins])
print(pd.api.types.is_integer_dtype(penguins['year']), pd.api.types.is_float_dtype(penguins['year']), pd.api.types.is_string_dtype(penguins['sex']))

# %% [markdown] teaches="kinds of columns"
# `nunique()` counts the different values, gaps left out; `unique()` lists them; `value_counts()` says how often each occurs, the
# most frequent first. `pd.api.types.is_numeric_dtype(column)` asks the dtype, and so do its relatives `is_integer_dtype`,
# `is_float_dtype` and `is_string_dtype`. They know every size of number, `int8` and `float32` too. Comparing names of dtypes, `column.dtype ==
# 'float64'`, misses these.
#
# There is one more dtype, `category`. It stores each different value once, and in each row only its number. Its values may be words or
# numbers; a column made by `astype('category')` is a category, whatever stands in it:

# %% teaches="kinds of columns"
years = penguins['year'].astype('category')
print(years.dtype, years.nunique(), pd.api.types.is_numeric_dtype(years))

# %% [markdown] task="2.2.1b" kind="code" minutes=10 difficulty=2 needs="kinds of columns, data frame"
# ### The shares of the kinds
#
# Write `column_kinds(table, limit)`. It sorts the columns into three kinds. A column is `'numeric'` if its dtype is an integer or
# floating-point one. Another one is `'categorical'` if it has at most `limit` different values, and `'text'` if it has more. No column is
# Boolean.
#
# **You are done when**
# - **form**: the result is a dictionary with the keys `'numeric'`, `'categorical'`, `'text'`, also where a kind does not occur;
# - **shares**: under each stands the share, from 0 to 1, of the table's columns that are of this kind;
# - **numbers**: integers and floating-point numbers of every size are numeric, however few values they have;
# - **limit**: exactly `limit` values are still categorical, and a gap is no value;
# - **dtype category**: a column of this dtype is not numeric, even if its values are numbers; those that occur in it are counted, as in any other column.

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
# 1. Which of the questions must be asked first, and of what: of the dtype or of the values?
# 2. `pd.api.types.is_numeric_dtype(column)` answers for a dtype, `column.nunique()` counts the different
#    values.
# 3. Another case: `sum(penguins[c].nunique() == 3 for c in penguins) / penguins.shape[1]` is the share of the
#    columns with exactly three values.

# %% check="2.2.1b" points=2
@probe
def kinds_of_category(values, possible, limit):
    """The shares for one column of dtype category with these values, whose dtype allows `possible`."""
    return column_kinds(pd.DataFrame({'grade': pd.Categorical(values, categories=possible)}), limit)

def occurring(values, possible, limit, kind):
    found = kinds_of_category(values, possible, limit)
    assert_close(found, {name: float(name == kind) for name in ('numeric', 'categorical', 'text')},
                 f"one column of dtype category with the values {values}, whose dtype allows {possible}, limit {limit}", of='dtype category',
                 mistakes={"Count the values that occur, not those that the dtype allows.": {'numeric': 0., 'categorical': 0., 'text': 1.}} if kind == 'categorical' else None)

def kinds_alone(table, limit):
    """A sentence on the first column that, alone in a table, is put under another kind than its own."""
    for name in table:
        column, alone = table[name], column_kinds(table[[name]].copy(), limit)
        numeric = pd.api.types.is_numeric_dtype(column)
        kind = 'numeric' if numeric else 'categorical' if column.nunique() <= limit else 'text'
        got = [key for key in ('numeric', 'categorical', 'text') if alone.get(key) == 1]
        if got and got[0] != kind:
            return (f"A table of column {name} alone is {got[0]} in yours: its dtype is {column.dtype}"
                    + (", one of numbers." if numeric else f", none of numbers, and it has {column.nunique()} different values, gaps left out: is this at most {limit}?"))
    return ""

def shares_of(table, limit, wanted, what, of='shares', mistakes=None):
    found = column_kinds(table.copy(), limit)
    assert_type(found, dict, f"what column_kinds returns for {what}", of='form')
    assert_equal(sorted(map(str, found)), ['categorical', 'numeric', 'text'], f"the keys for {what}", of='form')
    shares = dict(zip(('numeric', 'categorical', 'text'), wanted))
    assert_close(dict(found), shares, f"{what}, limit {limit}", of=of,
                 hint=lambda: "" if all(abs(found[name] - share) < 1e-9 for name, share in shares.items()) else kinds_alone(table, limit),
                 mistakes={sentence: dict(zip(('numeric', 'categorical', 'text'), value)) for sentence, value in (mistakes or {}).items()})

shares_of(abalone, 10, (7 / 9, 2 / 9, 0.), "the shares of Abalone", 'shares',
          {"These are counts: divide by the number of columns.": (7, 2, 0),
           "These are percentages; a share goes from 0 to 1.": (700 / 9, 200 / 9, 0.),
           "Divide by the number of columns, not of rows.": (7 / len(abalone), 2 / len(abalone), 0.),
           "The two columns of words have at most 10 different values: they are categorical.": (7 / 9, 0., 2 / 9)})
shares_of(pd.DataFrame({'night': [1, 1, 2, 2], 'floor': np.array([0, 1, 1, 1], dtype='int8'), 'warm': np.array([20, 21, 20, 20], dtype='float32'),
                        'beds': np.array([1, 2, 2, 1], dtype='uint8'),
                        'note': ['cold', 'fine', 'loud', 'late']}), 3, (0.8, 0., 0.2), "columns of int64, int8, float32 and uint8, and texts", 'numbers',
          {"A column of numbers is numeric, however few its values.": (0., 0.8, 0.2),
           "int8, uint8 and float32 are dtypes of numbers, too.": (0.2, 0.6, 0.2), "uint8 is a dtype of numbers, too.": (0.6, 0.2, 0.2)})
shares_of(pd.DataFrame({'room': ['A', 'B', 'A', 'A'], 'note': ['cold', 'fine', 'loud', 'late'], 'day': ['Mo', 'Mo', 'Tu', 'We']}),
          2, (0., 1 / 3, 2 / 3), "a column with two values, two with more", 'limit',
          {"Room is categorical: two values are at most 2.": (0., 0., 1.), "Day has three values, more than 2: it is text.": (0., 2 / 3, 1 / 3)})
shares_of(pd.DataFrame({'room': ['A', 'B', 'A', None], 'note': ['cold', 'fine', 'loud', 'late'], 'day': ['Mo', 'Mo', 'Tu', 'We']}),
          2, (0., 1 / 3, 2 / 3), "a column with two values and a gap, two with more values", 'limit',
          {"Room has two values and is categorical: its gap is no value.": (0., 0., 1.)})
shares_of(pd.DataFrame({'grade': pd.Categorical([1, 2, 3, 1]), 'x': [1., 2., np.nan, 4.], 'code': pd.Categorical(list('pqrs'))}), 3, (1 / 3, 1 / 3, 1 / 3),
          "columns of dtype category with the values 1, 2, 3 and p, q, r, s, and one of numbers", 'dtype category',
          {"A column of dtype category is not numeric, whatever its values.": (2 / 3, 0., 1 / 3),
           "In a column of dtype category, too, the values are counted: four are more than 3.": (1 / 3, 2 / 3, 0.)})
shares_of(pd.DataFrame({'door': ['7', '8', '7', '9'], 'key': ['1', '2', '2', '1'], 'x': [1, 2, 3, 4]}), 2, (1 / 3, 1 / 3, 1 / 3),
          "texts that consist of digits, and a column of numbers", 'numbers', {"The dtype decides: a text that consists of digits is text.": (1., 0., 0.)})
occurring(['p', 'p', 'q', 'q'], ['p', 'q', 'r', 's', 't'], 2, 'categorical')
### BEGIN HIDDEN TESTS
shares_of(penguins, 3, (5 / 8, 3 / 8, 0.), "the shares of the penguins")
shares_of(ames, 8, (34 / 74, float((ames.select_dtypes(exclude='number').nunique() <= 8).sum()) / 74,
                    float((ames.select_dtypes(exclude='number').nunique() > 8).sum()) / 74), "the shares of Ames")
shares_of(pd.DataFrame({'a': np.array([1, 1, 1], dtype='uint8'), 'b': np.array([1, 2, 1], dtype='float16'), 'c': np.array([1, 2, 1], dtype='int32')}),
          2, (1., 0., 0.), "columns of uint8, float16 and int32", 'numbers')
shares_of(pd.DataFrame({'city': pd.Series(['a', 'b', 'c', None, 'a'], dtype=object), 'name': list('pqrst')}), 3, (0., 0.5, 0.5),
          "three values and a gap, and five values", 'limit')
shares_of(pd.DataFrame({'city': ['a', 'b', 'c', None, 'a'], 'name': list('pqrst')}), 2, (0., 0., 1.), "three values and a gap, and five values", 'limit')
shares_of(pd.DataFrame({'size': pd.Categorical([0.5, 1.5, 0.5]), 'code': pd.Categorical(list('xyz')), 'n': [1, 2, 3]}), 2, (1 / 3, 1 / 3, 1 / 3),
          "two columns of dtype category and one of numbers", 'dtype category')
shares_of(pd.DataFrame({'size': pd.Categorical([0.5, 1.5, None]), 'code': ['10', '11', '12'], 'zip': ['0', '0', '1']}), 2, (0., 2 / 3, 1 / 3),
          "a category of two values and a gap, and texts of digits", 'numbers')
occurring([2, 1, 3, 1], [1, 2, 3, 4], 3, 'categorical')
occurring([2, 1, 3, 1], [1, 2, 3, 4], 2, 'text')
### END HIDDEN TESTS

# %% [markdown]
# A dtype is not a meaning. The penguins' `year` is an integer with three values. Whether it is a quantity or a label is for you
# to decide.

# %% [markdown] teaches="selection by label, selection by position"
# ## Picking out by name
#
# `penguins['species']` is one column, `penguins[['species', 'island']]` with a list of names is a table. (`penguins.species` is a shorter way to write a column whose name is a plain word.) And rows? Sort the
# table by the length of the bill, the longest first, and look at the labels at the left:

# %% teaches="selection by label, selection by position"
long_bills = penguins.sort_values('bill_length_mm', ascending=False).head(4)
print(long_bills[['species', 'bill_length_mm']])

# %% [markdown] teaches="selection by label, selection by position"
# A row keeps its *label* when the table is sorted or shortened; only its *position* changes. So there are two ways to name a
# row. `loc` goes by labels, `iloc` by positions, counted from 0. Both take the rows first, then the columns, and either may be a list.

# %% teaches="selection by label, selection by position"
print(long_bills.loc[253, 'bill_length_mm'], long_bills.iloc[1]['bill_length_mm'])
print(long_bills.loc[[253, 185], ['year', 'island']])

# %% [markdown] teaches="selection by label, selection by position"
# The row labelled 253 stands third, with 55.9 mm; position 1 is the second row, with 58.0 mm. A list gives the rows in the order of the list. ⚠ A slice of labels *includes* its end, unlike every other slice in Python. It means
# "from this label to that one, as they stand in the table":

# %% teaches="selection by label, selection by position"
print(list(penguins.loc[2:4].index), list(penguins.iloc[2:4].index))
print(list(long_bills.loc[293:339].index))

# %% [markdown] teaches="selection by condition"
# More often rows are picked by what is in them. A comparison with a column is a Boolean `Series`, a mask as in section 2.1. `loc[mask, columns]`
# keeps the rows where it is `True`; `table[mask]` keeps them with all columns. Combine masks with `&` (and), `|` (or) and `~` (not), each comparison in parentheses. `isin` asks
# whether a value is one of a list.

# %% teaches="selection by condition"
print(penguins.loc[(penguins.body_mass_g > 6000) & ~(penguins.island == 'Dream'), ['island', 'body_mass_g']])
print(penguins.species.isin(['Adelie', 'Gentoo']).sum(), 'Adelies and Gentoos')

# %% [markdown] teaches="selection by condition"
# ⚠ Two mistakes that everyone makes once. The word `and` asks a whole column for one truth value, and fails. And an assignment through
# two pairs of brackets goes into a temporary copy: the table stays as it was. `loc` with both, rows and column, writes into the table.

# %% tags=["demo"] teaches="selection by condition"
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
# pandas warned of the lost assignment by a `ChainedAssignmentError`, which the cell caught and named. `penguins.copy()` is a table of its own. Without it, `trial` would be a second name for the same table.

# %% tags=["setup"]
crew = pd.DataFrame({'name': ['Ada', 'Bo', 'Cy', 'Di', 'Ed'], 'age': [41, 29, 35, 52, 23]}, index=[3, 0, 4, 1, 2])

# %% [markdown] task="2.2.B" kind="answer" minutes=4 difficulty=1 core=true needs="selection by label, selection by position, selection by condition"
# ### Who is it
#
# The cell above makes a table of five people, whose labels are 3, 0, 4, 1, 2, in this order. Predict whom each line picks:
#
# | key | line |
# |---|---|
# | `'a'` | `crew.loc[[3], 'name']` |
# | `'b'` | `crew.iloc[[3]]['name']` |
# | `'c'` | `crew.loc[0:1, 'name']` |
# | `'d'` | `crew.iloc[0:1]['name']` |
# | `'e'` | `crew.loc[(crew.age > 30) & ~(crew.age > 50), 'name']` |
#
# Set `who` to a dictionary from the five keys to lists of names, such as `{'a': ['Zoe', ...], ...}`.
#
# **You are done when**
# - **five lists**: `who` has the five keys, and a list of names under each;
# - **labels**: the lists under `'a'` and `'c'` are right, in the table's order;
# - **positions**: the lists under `'b'` and `'d'` are right;
# - **condition**: the list under `'e'` is right, in the table's order.

# %% exercise="2.2.B"
### BEGIN SOLUTION
who = {'a': ['Ada'], 'b': ['Di'], 'c': ['Bo', 'Cy', 'Di'], 'd': ['Ada'], 'e': ['Ada', 'Cy']}
### END SOLUTION

# %% [markdown] hints="2.2.B"
# 1. Write the table down with its labels. Is the number in the line one of these labels, or a place counted from 0?
# 2. `loc` reads labels and includes the end of a slice; `iloc` reads positions and leaves it out.
# 3. Another case: `crew.loc[4:2, 'name']` is Cy, Di, Ed; `crew.iloc[4:2]` is empty.

# %% check="2.2.B" points=1
def lists_of_names():
    assert_type(who, dict, "`who`", of="five lists")
    assert_equal(sorted(map(str, who)), list('abcde'), "the keys of `who`", of="five lists")
    for key in 'abcde':
        assert_type(who[key], (list, tuple), f"what stands under {key!r}", of="five lists",
                    hint="A list, of one name too: `['Zoe']`.")

def names_picked():
    picked_by = {'a': crew.loc[[3], 'name'], 'b': crew.iloc[[3]]['name'], 'c': crew.loc[0:1, 'name'], 'd': crew.iloc[0:1]['name'],
                 'e': crew.loc[(crew.age > 30) & ~(crew.age > 50), 'name']}
    names = crew['name'].tolist()
    heard = {'a': [("This name stands at position 3. loc reads labels.", crew.iloc[[3]]['name'])],
             'b': [("This name has the label 3. iloc reads positions, counted from 0.", crew.loc[[3], 'name']),
                   ("This is the third row. iloc reads positions, counted from 0: position 3 is the fourth.", names[2:3])],
             'c': [("The end is missing: a slice of labels includes its end.", names[1:3]),
                   ("The two ends are right; the slice takes what stands between them, too.", [names[1], names[3]]),
                   ("Here the slice was read as positions. loc reads labels.", names[:1]), ("Here the slice was read as positions. loc reads labels.", names[:2]),
                   ("The right names, in another order: they stand as in the table.", sorted(names[1:4], reverse=True))],
             'd': [("A slice of positions leaves out its end.", names[:2]),
                   ("Here the slice was read as labels. iloc reads positions, counted from 0.", names[1:4]),
                   ("This is the second row. iloc reads positions, counted from 0.", names[1:2])],
             'e': [("The right names, in another order: they stand as in the table.", ['Cy', 'Ada']),
                   ("She is above 50: `~` turns the second condition round.", ['Di']),
                   ("Di is 52, more than 50, and `~` leaves her out.", ['Ada', 'Cy', 'Di']), ("`&` asks for both conditions, not for one of them.", names)]}
    for key, of in (('a', 'labels'), ('c', 'labels'), ('b', 'positions'), ('d', 'positions'), ('e', 'condition')):
        rule = {'labels': "loc reads labels; a slice of labels includes its end and follows the table's order.",
                'positions': "iloc reads positions, counted from 0; a slice of positions leaves out its end.",
                'condition': "Both must hold: more than 30, and not more than 50."}[of]
        strange = [crew.index[names.index(name)] for name in who[key] if name in names and name not in picked_by[key].tolist()]
        facts = (f" {crew.loc[strange[0], 'name']} has the label {strange[0]}, stands at position {list(crew.index).index(strange[0])}, is {crew.loc[strange[0], 'age']} years old, "
                 "and is not picked here." if strange else " Every name that you give is picked; others are missing." if len(who[key]) < len(picked_by[key]) else "")
        hint = next((sentence for sentence, given in heard[key] if list(given) == list(who[key])), rule + facts)
        assert_true(list(who[key]) == picked_by[key].tolist(), f"the names under {key!r} are right", of=of, hint=hint)

lists_of_names()
names_picked()
### BEGIN HIDDEN TESTS
lists_of_names()
names_picked()
### END HIDDEN TESTS

# %% [markdown] task="2.2.2a" kind="code" minutes=5 difficulty=1 core=true needs="selection by label, data frame"
# ### Rows and columns by their labels
#
# After sorting and filtering, positions mean nothing any more; labels still do.
#
# Write `pick(table, rows, columns)`: `rows` is a list of row labels, `columns` a list of column names, each of one entry or more. All of them occur in the table, and
# none twice.
#
# **You are done when**
# - **a table**: the result is a table (a `DataFrame`), for a single row or column too;
# - **rows**: it has the rows with these labels, in the order of the list `rows`, under their labels;
# - **columns**: it has these columns, in the order of the list `columns`;
# - **values**: each value is the one that stands in the row and column of these names.

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
def picked_from(table, rows, columns, what):
    found = pick(table.copy(), list(rows), list(columns))
    assert_type(found, pd.DataFrame, f"what pick returns for {what}", of='a table')
    mistakes = {"The rows are right, their order is not that of the list.": [label for label in table.index if label in rows],
                "The labels were sorted; their order is that of the list.": sorted(rows),
                "The rows keep their labels.": list(range(len(rows))), "Rows and columns are exchanged.": list(columns)}
    if len(rows) < len(table):
        mistakes["These are the first rows of the table: those with the labels of the list are asked for."] = list(table.index[:len(rows)])
    if all(isinstance(label, int) and label < len(table) for label in rows):
        mistakes["These are the rows at these positions; asked for are labels."] = list(table.index[list(rows)])
    if len(rows) > 2:
        mistakes["This is a slice, all that stands between the first label and the last: only the labels of the list are asked for."] = list(table.loc[rows[0]:rows[-1]].index)
    assert_equal(list(found.index), list(rows), f"the row labels for {what}", of='rows', mistakes=mistakes)
    assert_equal(list(found.columns), list(columns), f"the column names for {what}", of='columns',
                 mistakes={"The columns are right, their order is not that of the list.": [name for name in table if name in columns],
                           **({"These are all columns of `table`.": list(table.columns)} if len(columns) < table.shape[1] else {})})
    wanted = pd.DataFrame({name: [table[name][label] for label in rows] for name in columns}, index=list(rows))
    assert_table(found, wanted, f"the values for {what}", of='values', rtol=0, atol=0,
                 hint="Labels and names are right, what stands there is not what `table` has under them.")

picked_from(pd.DataFrame({'w': [1, 2, 3, 4], 'b': [5, 6, 7, 8], 'x': list('pqrs')}, index=[2, 3, 0, 1]), [0, 3, 1], ['x', 'w'],
            "rows 0, 3, 1 of a table with the labels 2, 3, 0, 1")
picked_from(penguins.sort_values('body_mass_g').head(20), [98, 314, 64], ['body_mass_g', 'species'], "rows 98, 314, 64 of the twenty lightest penguins")
picked_from(pd.DataFrame({'w': [1, 2], 'b': [5, 6]}, index=['one', 'two']), ['two', 'one'], ['b'], "one column")
picked_from(pd.DataFrame({'w': [1, 2], 'b': [5, 6]}, index=['one', 'two']), ['two'], ['b', 'w'], "one row")
### BEGIN HIDDEN TESTS
shuffled = pd.DataFrame(np.random.default_rng(221).normal(size=(6, 4)), index=[30, 10, 5, 0, 2, 1], columns=['w', 'b', 'x', 'a'])
picked_from(shuffled, [1, 30, 0, 2], ['a', 'w', 'x'], "labels that are not positions")
picked_from(shuffled, [0, 1], ['b', 'x'], "labels 0 and 1")
picked_from(shuffled.set_axis(['one', 'two', 'three', 'four', 'five', 'six']), ['five', 'one'], ['b'], "rows with words as labels, one column")
picked_from(shuffled, [10], ['x', 'w'], "a single row")
picked_from(shuffled, [2], ['a'], "a single value")
### END HIDDEN TESTS

# %% [markdown] task="2.2.2b" kind="code" minutes=8 difficulty=2 core=true needs="selection by condition, missing value"
# ### Rows by a condition
#
# Write `heavier(table, species, grams)`: from a table like `penguins`, the birds of some species above a certain mass. `species` is a list of
# names, `grams` a number.
#
# **You are done when**
# - **columns**: the result is a table with the columns `island`, `body_mass_g` and `sex`, in this order;
# - **both conditions**: it has the rows whose `species` is in the list *and* whose `body_mass_g` is more than `grams`, birds of
#   unknown sex too;
# - **limit**: a bird of exactly `grams` is not among them;
# - **not weighed**: a bird whose mass is missing is never among them, whatever `grams` is;
# - **labels**: the rows keep their order and their labels.

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
# 3. Another case: `penguins.loc[penguins.year.isin([2007, 2009]) | (penguins.island == 'Dream'), ['year']]`.

# %% check="2.2.2b" points=2
def birds_above(table, species, grams, what, of='both conditions', mistakes=None):
    found = heavier(table.copy(), list(species), grams)
    assert_type(found, pd.DataFrame, f"what heavier returns for {what}", of='columns')
    assert_equal(list(found.columns), ['island', 'body_mass_g', 'sex'], f"the columns for {what}", of='columns',
                 mistakes={"These are all columns of `table`; only three are asked for.": list(table.columns)})
    places = [i for i, (kind, mass) in enumerate(zip(table['species'], table['body_mass_g'])) if kind in species and mass > grams]
    wanted = table.iloc[places][['island', 'body_mass_g', 'sex']]
    masses = found['body_mass_g']
    assert_equal(len(found), len(wanted), f"how many birds, for {what}", of=of, mistakes=mistakes,
                 hint="A bird that was not weighed is not above anything." if masses.isna().any()
                 else f"A bird of exactly {grams:g} g is not above {grams:g} g." if (masses == grams).any()
                 else f"Birds of less than {grams:g} g are among them." if (masses < grams).any()
                 else "Birds of other species are among them." if len(found) > len(wanted)
                 else "A bird of unknown sex was left out." if found['sex'].notna().all() and len(found) == wanted['sex'].count() else "Some are missing that fulfil both conditions.")
    if len(wanted):
        assert_equal(sorted(found['body_mass_g'].tolist()), sorted(wanted['body_mass_g'].tolist()), f"the masses, sorted, for {what}", of=of,
                     hint="These are as many birds as asked for, and not all the same ones.")
    assert_equal(list(found.index), list(wanted.index), f"the row labels for {what}", of='labels',
                 hint="They stand in the order of the table." if sorted(found.index) == sorted(wanted.index) else "",
                 mistakes={"The rows keep their old labels.": list(range(len(wanted)))} if list(wanted.index) != list(range(len(wanted))) else None)
    assert_table(found, wanted, f"the values for {what}", of=of, hint="The rows are the right ones; what stands in them is not what `table` has there.")

some_birds = pd.DataFrame({'sex': ['f', None, 'm', 'm', 'f', 'f', 'f'], 'body_mass_g': [3000., 4000., np.nan, 4000.5, 9000., 100., 3600.],
                           'species': ['X', 'Y', 'X', 'X', 'Z', 'Y', 'Y'], 'island': list('abcdefg')}, index=[5, 3, 8, 1, 0, 2, 7])
birds_above(some_birds.drop(index=8), ['X', 'Y'], 2999, "X and Y above 2999 g among six birds",
            mistakes={"Both conditions must hold, not one of them.": 6, "Two species are in the list.": 2})
birds_above(some_birds.drop(index=8), ['X', 'Y'], 3000, "X and Y above 3000 g, with a bird of 3000 g", 'limit')
birds_above(some_birds, ['X'], -1, "X above -1 g, with a bird that was not weighed", 'not weighed')
birds_above(some_birds, ['X', 'Y'], 3500, "X and Y above 3500 g, with a bird that was not weighed", 'not weighed')
birds_above(penguins, ['Gentoo', 'Chinstrap'], 4500, "Gentoo and Chinstrap above 4500 g")
mixed_birds = some_birds.drop(index=8).assign(species=['X', 'XY', 'X', 'x', 'Y', 'X Y'])
birds_above(mixed_birds, ['X', 'Y'], 99, "X and Y above 99 g, with birds of the species XY, x and X Y", 'both conditions',
            {"Compare whole names: XY and X Y are other species than X and Y.": 5, "x is another species than X.": 4})
birds_above(some_birds, ['X', 'Y'], 4000, "X and Y above 4000 g, with a bird of 4000.5 g", 'limit', {"4000.5 is more than 4000; no number is to be cut off or rounded.": 0})
birds_above(some_birds, ['X', 'Y'], 4000.5, "X and Y above 4000.5 g, with a bird of 4000.5 g", 'limit', {"A bird of exactly 4000.5 g is not above it, and no fraction of `grams` is cut off.": 1})
### BEGIN HIDDEN TESTS
birds_above(penguins, ['Adelie'], 4000, "Adelies above 4000 g")
birds_above(penguins, ['Adelie', 'Gentoo', 'Chinstrap'], 2700, "all species above the mass of the lightest", 'limit')
birds_above(penguins, ['Gentoo', 'Adelie'], -5, "two species, a negative limit", 'not weighed')
birds_above(some_birds.iloc[::-1], ['Y', 'Z'], 99.5, "Y and Z above 99.5 g")
birds_above(penguins.assign(species=penguins['species'].where(penguins['year'] > 2007, 'young ' + penguins['species'])), ['Gentoo', 'Adelie'], 4000, "Gentoo and Adelie, with young Gentoo and young Adelie")
birds_above(some_birds.assign(body_mass_g=some_birds['body_mass_g'] + 0.25), ['X', 'Y'], 3600, "X and Y above 3600 g, masses with a fraction", 'limit')
birds_above(some_birds.assign(body_mass_g=[3000.5, 4000., np.nan, 4000.5, 9000., 100., 3600.]), ['X'], 3000.75, "X above 3000.75 g, with a bird of 3000.5 g", 'limit')
birds_above(some_birds, ['Z'], 9000, "no bird is heavy enough", 'limit')
### END HIDDEN TESTS

# %% [markdown] teaches="comparison with a gap"
# ## Gaps, seen and unseen
#
# Is a penguin that was not weighed heavier than 0 g? pandas cannot know, and says `False`, as every `<`, `>`, `<=`, `>=` and `==` with a gap
# does. ⚠ That sounds harmless and is not, since `!=` and `~` turn it round:

# %% teaches="comparison with a gap"
mass = penguins['body_mass_g']
print('all', len(mass), '| > 0:', (mass > 0).sum(), '| <= 0:', (mass <= 0).sum(), '| not > 0:', (~(mass > 0)).sum())
print('== 3750:', (mass == 3750).sum(), '| != 3750:', (mass != 3750).sum(), '| equal to itself:', (mass == mass).sum())

# %% [markdown] teaches="comparison with a gap"
# No penguin weighs 0 g or less, and yet two are "not above 0 g": the gaps. They are also among those that differ from 3750 g.
# A gap does not even equal itself, so `== np.nan` finds nothing. Ask with `isna()`, and say what is to become of the gaps before you write
# `~` or `!=`.

# %% tags=["setup"]
depths = pd.Series([3., np.nan, -1., 0.])

# %% [markdown] task="2.2.C" kind="answer" minutes=3 difficulty=1 core=true needs="comparison with a gap"
# ### Count with a gap
#
# `depths` holds 3, a gap, -1 and 0. Predict, before you run anything, these six numbers:
#
# | key | number | key | number |
# |---|---|---|---|
# | `'a'` | `(depths > 0).sum()` | `'d'` | `(depths != 3).sum()` |
# | `'b'` | `(depths <= 0).sum()` | `'e'` | `(depths == np.nan).sum()` |
# | `'c'` | `(~(depths > 0)).sum()` | `'f'` | `depths.notna().sum()` |
#
# Set `counted` to a dictionary from the six keys to whole numbers.
#
# **You are done when**
# - **six numbers**: `counted` has the six keys, and a whole number under each;
# - **order**: `'a'` and `'b'` are right;
# - **not**: `'c'` and `'d'` are right;
# - **gaps**: `'e'` and `'f'` are right.

# %% exercise="2.2.C"
### BEGIN SOLUTION
counted = {'a': 1, 'b': 2, 'c': 3, 'd': 3, 'e': 0, 'f': 3}
### END SOLUTION

# %% [markdown] hints="2.2.C"
# 1. Write the four truth values of each mask down, one for each entry. Which one stands at the gap?
# 2. At a gap `>`, `<=` and `==` are `False`, `!=` is `True`, and `~` exchanges the two.
# 3. Another case: for 5 and a gap, `(x < 9).sum()` is 1 and `(~(x < 9)).sum()` is 1.

# %% check="2.2.C" points=1
def six_numbers():
    assert_type(counted, dict, "`counted`", of="six numbers")
    assert_equal(sorted(map(str, counted)), list('abcdef'), "the keys of `counted`", of="six numbers")
    for key in 'abcdef':
        assert_type(counted[key], int, f"what stands under {key!r}", of="six numbers")

def counts_right():
    truth = {'a': (depths > 0).sum(), 'b': (depths <= 0).sum(), 'c': (~(depths > 0)).sum(), 'd': (depths != 3).sum(),
             'e': (depths == np.nan).sum(), 'f': depths.notna().sum()}
    added = "The entries for which it holds are counted, not added up."
    by_number = {'a': {3: added, 2: "0 is not above 0." if counted['b'] == 1 else ""},
                 'b': {-1: added, 3: "At the gap `<=` is False.", 1: "0 is one of the numbers `<= 0`."},
                 'c': {2: "At the gap `depths > 0` is False, and `~` makes it True."},
                 'd': {2: "At the gap `!=` is True.",
                       1: "This is how many are equal to 3: `!=` asks which differ from it.", 4: "3 does not differ from 3."},
                 'e': {1: "A gap equals nothing, not even a gap."},
                 'f': {4: "notna() is False at the gap.", 1: "This is the number of gaps: notna() is True where a value is.", 2: added}}
    for key, of in (('a', 'order'), ('b', 'order'), ('c', 'not'), ('d', 'not'), ('e', 'gaps'), ('f', 'gaps')):
        hint = by_number[key].get(int(counted[key])) or {
            'a': "Go through the four: of each, is it above 0? At the gap `>` is False.",
            'b': "Go through the four: of each, is it 0 or below? At the gap `<=` is False.",
            'c': "`~` turns each of the four answers to `depths > 0` round, that at the gap, too.",
            'd': "Go through the four: of each, does it differ from 3? At the gap `!=` is True.",
            'e': "`==` is False at a gap, whatever stands on the other side.",
            'f': "notna() is True where a value is."}[key]
        assert_true(counted[key] == int(truth[key]), f"the number under {key!r} is right", of=of, hint=hint)

six_numbers()
counts_right()
### BEGIN HIDDEN TESTS
six_numbers()
counts_right()
### END HIDDEN TESTS

# %% [markdown] teaches="missing value in disguise"
# ### Missing in disguise
#
# Abalones are sea snails. The table `abalone` holds sex, seven measures and a class for 4,174 of them. Lengths are in units of 200 mm. How many values are missing?

# %% teaches="missing value in disguise"
print('missing, says isna:', abalone.isna().sum().sum())
print(abalone.describe().loc[['count', 'min', 'mean', 'max']].round(3).to_string())

# %% [markdown] teaches="missing value in disguise"
# None, says `isna`. `describe()` says more. It gives, for each column of numbers, how many there are, the mean, the standard deviation, the smallest, the largest and the quartiles; we
# look at four of these. The smallest height is 0, and there is no snail of height 0. Someone had to write a number, and wrote 0. Such
# values are *missing in disguise*. The largest height, 1.13, is more than the largest length. Draw the two against each other:

# %% tags=["demo"] teaches="missing value in disguise"
odd = abalone[(abalone.height == 0) | (abalone.height > abalone.length)]
figure, ax = plt.subplots(figsize=(5.5, 3), layout='constrained')
ax.plot(abalone.length, abalone.height, '.', markersize=2, color='C0')
ax.plot(odd.length, odd.height, 'o', markersize=11, markerfacecolor='none', color='C3')
ax.set(xlabel='length', ylabel='height')
plt.show()
print(odd[['sex', 'length', 'height', 'whole_weight']])

# %% [markdown] teaches="missing value in disguise"
# Nearly all snails lie along one band. Three that cannot be are circled: two on the line of height 0, and one far above, higher than it is long. (Two more stand off the band. Are they rare snails or mistakes? The
# table does not say.) A mean over a false 0 is wrong, and no function warns you. First the false numbers must become honest gaps. `where` does that: `column.where(mask)` keeps
# the values where the mask is `True`, and puts a gap elsewhere. With a second argument it puts that there instead. It works for tables too.

# %% teaches="missing value in disguise"
readings = pd.Series([12, 999, 7, 999])
print(readings.where(readings < 100).tolist(), readings.mean(), readings.where(readings < 100).mean())
print(readings.where(readings < 100, -1).tolist(), readings.tolist())

# %% [markdown] teaches="missing value in disguise"
# Means and sums leave gaps out: from 504.25, which nobody measured, the mean falls to 9.5. The integers became floating-point numbers, which have room for a gap. `readings` itself is as it was.

# %% [markdown] task="2.2.1c" kind="code" minutes=8 difficulty=2 core=true needs="missing value in disguise, data frame"
# ### Zeros that mean "not measured"
#
# Write `unmask(table, columns)`. `columns` is a list of names of columns of numbers, in which a value of 0 or below is
# impossible; it may be empty.
#
# **You are done when**
# - **gaps**: the result is a table in which the values of 0 and below in these columns are missing;
# - **other values**: positive values in these columns, however small, and all values of other columns are those of `table`; a gap stays a gap;
# - **form**: rows, labels and columns are those of `table`, in their order;
# - **table kept**: `table` itself is as it was.

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
# 2. `column.where(mask)` keeps the values where the mask is `True` and puts a gap elsewhere; `table[names].where(...)` does
#    it for several columns.
# 3. Another case: `readings.where(readings != 12)` is a gap, 999, 7, 999.

# %% check="2.2.1c" points=2
@probe
def table_after_unmask(table, columns):
    unmask(table, columns)
    return table

def unmasked(table, columns, what):
    found = unmask(table.copy(), list(columns))
    assert_type(found, pd.DataFrame, f"what unmask returns for {what}", of='form')
    assert_equal(list(found.columns), list(table.columns), f"the columns for {what}", of='form', hint="All columns of `table` stay, also those that are not in the list, in their order.")
    assert_equal(len(found), len(table), f"the number of rows for {what}", of='form', hint="No row is dropped.")
    assert_equal(list(found.index), list(table.index), f"the row labels for {what}", of='form', hint="The rows keep their labels and their order.")
    for name in columns:
        impossible = [value <= 0 for value in table[name]]
        old, new = table[name][impossible].tolist(), found[name][impossible].tolist()
        stayed = [before for before, after in zip(old, new) if not pd.isna(after) and before == after]
        became = found[name].isna() & table[name].notna()
        assert_equal([bool(pd.isna(value)) for value in new], [True] * len(old),
                     f"whether the values of 0 and below in column {name} are missing, for {what}", of='gaps',
                     hint="It is turned round: the positive values became gaps, and the others stayed."
                     if became.any() and stayed == old and not became[impossible].any()
                     else "Another value was put in their place; a gap is asked for." if not stayed
                     else "None of them became a gap; what is written into a temporary copy is lost." if stayed == old
                     else "Zeros became gaps, negative values did not: each negative one is impossible, too." if all(value < 0 for value in stayed)
                     else "Negative values became gaps, zeros did not." if not any(stayed)
                     else "Some became gaps, others did not.")
    kept = [(name, [not (name in columns and value <= 0) for value in table[name]]) for name in table]
    for name, rows in kept:
        lost, filled = (found[name].isna() & table[name].notna()).to_numpy() & rows, (found[name].notna() & table[name].isna()).to_numpy()
        beside = [any(table[other].iloc[i] <= 0 for other in columns if other != name) for i in range(len(table))]
        assert_table(found[name][rows], table[name][rows], f"the other values of column {name}, for {what}", of='other values', rtol=0, atol=0,
                     hint="A gap stays a gap." if filled.any() else "" if not lost.any()
                     else "Only the value of 0 or below becomes a gap, not the others of its row."
                     if all(near for near, gone in zip(beside, lost) if gone)
                     else "A positive value, however small, stays." if name in columns else "Only in the columns of the list do values become gaps.")
    assert_table(table_after_unmask(table.copy(), list(columns)), table, f"the table after the call, for {what}", of='table kept',
                 hint="Change a copy, and return that.")

unmasked(pd.DataFrame({'level': [3, 0, -2, 5], 'change': [0., -1., 2., 0.], 'mass': [0., np.nan, 7., 1e-9], 'tag': list('abcd')}, index=[4, 2, 9, 0]),
         ['level', 'mass'], "level and mass of a table of four rows")
unmasked(abalone.iloc[[0, 1255, 1, 3994, 2]][['sex', 'height', 'length']], ['height', 'length'], "five snails")
unmasked(pd.DataFrame({'level': [3, 0, -2], 'tag': list('abc')}), [], "a table and no column")
### BEGIN HIDDEN TESTS
unmasked(abalone.iloc[1200:1300], ['height'], "a hundred snails")
unmasked(pd.DataFrame({'z': [-0.5, 1e-12, np.nan, 4., 0.], 'y': [0, 0, 1, 2, -3], 'x': [0, 5, -1, 0, 2]}, index=list('pqrst')), ['x', 'z'],
         "x and z of a table of five rows")
unmasked(pd.DataFrame({'y': [-1., 0., np.nan], 'x': ['a', None, '']}, index=[2, 2, 1]), [], "another table and no column")
### END HIDDEN TESTS

# %% [markdown] teaches="dropping rows"
# The height of 1.13 cannot be found by such a rule. It is possible for a number, not for a snail. Look at the largest and
# smallest values of each column before you trust its mean.
#
# ### Rows worth keeping
#
# A gap can be filled, as the next lesson does. A row without any measurement tells nothing. `dropna()` throws out every row that has a gap
# anywhere. `subset=` names the columns that it looks at, and `how='all'` asks for gaps in all of them.

# %% teaches="dropping rows"
walks = pd.DataFrame({'who': ['Ann', 'Ben', None, 'Dov'], 'km': [3., np.nan, 8., np.nan], 'hours': [1., np.nan, np.nan, 2.]})
print(len(walks.dropna()), len(walks.dropna(how='all')), len(walks.dropna(subset=['km'])))
print(walks.dropna(how='all', subset=['km', 'hours']).reset_index(drop=True))

# %% [markdown] teaches="dropping rows"
# One complete row; no row that is empty altogether; two with a distance; three with a distance or a time. `reset_index` gives new labels 0, 1, 2 and so on.
# `drop=True` throws the old ones away; without it they become a column named `index`. `dropna` makes a new table, as most functions of pandas do.

# %% [markdown] task="2.2.8" kind="code" minutes=8 difficulty=2 needs="dropping rows, missing value"
# ### Drop what is empty
#
# Write `drop_empty(table, measured)`: the table without its empty rows. A row is empty if *every* column of the list `measured` is missing in
# it. The list has at least one name.
#
# **You are done when**
# - **rows**: the empty rows are gone, and no other; if none is empty, all rows stay;
# - **values**: the rows that stay are in their order and as they were, other gaps included, with all columns;
# - **labels**: they are labelled 0, 1, 2, ...;
# - **table kept**: `table` itself is as it was.

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
@probe
def table_after_drop_empty(table, measured):
    drop_empty(table, measured)
    return table

def rows_kept(table, measured, what):
    found = drop_empty(table.copy(), list(measured))
    places = [i for i in range(len(table)) if any(not pd.isna(table[name].iloc[i]) for name in measured)]
    wanted = table.iloc[places]
    assert_type(found, pd.DataFrame, f"what drop_empty returns for {what}", of='rows')
    assert_equal(list(found.columns), list(table.columns), f"the columns for {what}", of='values',
                 mistakes={"The old labels have become a column.": ['index'] + list(table.columns)}, hint="All columns stay, in the order of `table`.")
    there = table[measured].notna()
    stay = {"Rows with any gap were dropped; only the empty ones are to go.": table.notna().all(axis=1),
            "Rows with a gap in one of the measured columns were dropped; all of them must be missing.": there.all(axis=1),
            "Rows in which more than half of the measured values are missing were dropped; all of them must be.": there.mean(axis=1) >= 0.5,
            **{f"A single measured column decides here, {name}; all of them must be missing.": there[name] for name in measured},
            "These are the empty rows; they are to go, and the others stay.": ~there.any(axis=1),
            "A row whose values add up to 0 was dropped; a 0 is a value.": table[measured].sum(axis=1, numeric_only=True) != 0,
            "Rows that are alike were dropped; only the empty ones are to go.": there.any(axis=1) & ~table.duplicated(),
            "The places of the empty rows were taken for their labels, so other rows went.":
            ~table.index.isin([i for i in range(len(table)) if i not in places]),
            "No row was dropped. Is every column asked, or only the measured ones?": there.any(axis=1) | True}
    heard = [sentence for sentence, rows in stay.items() if table[rows.tolist()].reset_index(drop=True).equals(found.reset_index(drop=True))]
    assert_equal(len(found), len(places), f"how many rows stay of {what}", of='rows', hint=heard[0] if len(heard) == 1 else "")
    assert_equal(list(found.index), list(range(len(places))), f"the row labels for {what}", of='labels',
                 mistakes={"These are the old labels; the rows are to be labelled anew.": list(wanted.index)})
    assert_table(found, wanted.set_axis(range(len(places))), f"the values for {what}", of='values', rtol=0, atol=0,
                 hint=heard[0] if len(heard) == 1 else "The rows that stay are in their order, with every value and every other gap as it was.")
    assert_table(table_after_drop_empty(table.copy(), list(measured)), table, f"the table after the call, for {what}", of='table kept')

measures = ['bill_length_mm', 'bill_depth_mm', 'flipper_length_mm', 'body_mass_g']
rows_kept(penguins.iloc[:12], measures, "the first twelve penguins")
rows_kept(pd.DataFrame({'who': ['a', 'b', None, 'd', 'e', 'f', 'g', 'h'], 'u': [1., np.nan, 5., np.nan, 0., np.nan, np.nan, 7.],
                        'v': [np.nan, np.nan, 2., np.nan, np.nan, 5., np.nan, np.nan], 'w': [np.nan, np.nan, 3., np.nan, np.nan, 6., 8., 4.],
                        'note': [None] * 8}, index=[5, 4, 3, 2, 1, 9, 8, 0]), ['u', 'v', 'w'], "eight rows, two of them empty in u, v and w")
rows_kept(pd.DataFrame({'who': ['a', None, 'c'], 'u': [1., np.nan, 4.], 'v': [np.nan, 2., 1.], 'w': [np.nan, np.nan, 5.]}, index=[7, 8, 6]),
          ['u', 'v', 'w'], "three rows, none of them empty")
rows_kept(pd.DataFrame({'u': [2., np.nan, 2., 2., np.nan], 'w': [1., 7., 1., 1., np.nan]}, index=[4, 0, 3, 2, 1]), ['u', 'w'], "five rows, three of them alike and one empty")
### BEGIN HIDDEN TESTS
rows_kept(penguins, measures, "the penguins")
gappy = pd.DataFrame({'k': [None, 'x', 'y', None, 'z', 'x'], 'p': [np.nan, 1., np.nan, 3., np.nan, np.nan], 'q': [np.nan, np.nan, np.nan, 0., 5., np.nan],
                      'r': [-1., np.nan, np.nan, 2., np.nan, np.nan], 's': [np.nan, np.nan, np.nan, 2., np.nan, np.nan], 't': [np.nan] * 6}, index=[3, 3, 0, 9, 1, 2])
rows_kept(gappy, ['s', 'q', 'p', 'r'], "six rows with one value in four, or none")
rows_kept(pd.concat([gappy, gappy, gappy.iloc[:2]]), ['k', 'p'], "fourteen rows, most of them twice, a text column among the measured ones")
rows_kept(gappy, ['q'], "six rows and one measured column")
rows_kept(gappy.iloc[[0, 1, 3]], ['p', 'q', 'r', 's'], "three rows, none of them empty")
### END HIDDEN TESTS

# %% [markdown] teaches="imputation, one-hot encoding, missing value as a category"
# ## From the table to tensors
#
# A model wants two tensors: *inputs*, a row for each example, and the *target*, the number that it is to predict. Three
# things stand in the way: gaps, words, and dtypes. Here is a small table, in which the price is to be predicted:

# %% teaches="imputation, one-hot encoding"
bikes = pd.DataFrame({'gears': [3., np.nan, 21., 6.], 'brake': ['rim', 'disc', None, 'rim'], 'euros': [90, 410, 700, 220]})
inputs, target = bikes.drop(columns='euros'), bikes['euros']
print(inputs)

# %% [markdown] teaches="imputation"
# `drop(columns=...)` is the table without that column. *First, numbers.* A gap in a column of numbers gets the mean of the values that are there. That is called *imputation*. It is a guess; of all
# single numbers, the mean has the smallest sum of squared distances from the values that are there. Here it is (3 + 21 + 6) / 3 = 10. `fillna` puts it in:

# %% teaches="imputation"
filled = inputs['gears'].fillna(inputs['gears'].mean())
print(filled.tolist())
print(pd.DataFrame({'p': [1., np.nan], 'q': [np.nan, 5.]}).fillna(pd.Series({'p': 7., 'q': 8.})).to_numpy().tolist())

# %% [markdown] teaches="imputation, one-hot encoding, missing value as a category"
# `fillna` takes one number for a column. For a table it takes a `Series`, and fills each column with the entry of its own name; `table.mean()` is such a `Series`.
#
# *Second, words.* Could `disc` be 0, `rim` 1 and a third kind 2? Then the third would be "twice as much brake" as the second, and a model that multiplies by weights would
# believe it. Instead each word gets a column of its own, which holds 1 in the rows of this word and 0 elsewhere. This is
# *one-hot encoding*: in each row, one of these columns is 1. And a missing word? To fill in the most frequent one would be to invent something. That nothing was
# written down may mean something, so "missing" becomes one more category. `pd.get_dummies` does it all:

# %% teaches="one-hot encoding, missing value as a category"
encoded = pd.get_dummies(inputs, columns=['brake'], dummy_na=True, dtype=float)
encoded['gears'] = filled
print(encoded)

# %% [markdown] teaches="one-hot encoding, missing value as a category"
# `columns=` says which columns are to be encoded. Their new columns, in alphabetical order, stand behind all the others. `dummy_na=True` adds the column for "missing", also where nothing is missing. Without `dtype=float` the entries would be `True` and `False`.
#
# *Third, dtypes.* `to_numpy()` makes one array of the table, and an array has one dtype. With `dtype=float` it is `float64`. ⚠ Where words are left, the dtype is `object`, "any Python thing", and torch refuses it:

# %% teaches="one-hot encoding"
print(torch.tensor(encoded.to_numpy(dtype=float)))
print(torch.tensor(target.to_numpy(dtype=float)))

# %% tags=["demo"]
try:
    torch.tensor(bikes.to_numpy())
except TypeError as error:
    print('TypeError:', error)

# %% tags=["setup"]
lamps = pd.DataFrame({'watts': [40., np.nan, 8., 12.], 'socket': ['E27', 'E14', None, 'E14']})

# %% [markdown] task="2.2.D" kind="answer" minutes=3 difficulty=1 core=true needs="imputation, one-hot encoding, missing value as a category"
# ### By hand
#
# The cell above makes a table of four lamps. Encode it with pencil and paper, as the bikes were. Set `by_hand` to a list of four
# rows, each a list of four numbers: the watts, then the columns of `E14`, of `E27` and of "missing".
#
# **You are done when**
# - **form**: `by_hand` has four rows of four numbers;
# - **watts**: the first number of each row is the watts, with the mean of the others for the gap;
# - **sockets**: the other three are the one-hot columns.

# %% exercise="2.2.D"
### BEGIN SOLUTION
by_hand = [[40, 0, 1, 0], [20, 1, 0, 0], [8, 0, 0, 1], [12, 1, 0, 0]]
### END SOLUTION

# %% [markdown] hints="2.2.D"
# 1. How many numbers are in the mean: three or four? In which of the three columns does each lamp have its 1?
# 2. The mean is over the values that are there. Each row has exactly one 1 in the three columns, a lamp without a socket too.
# 3. Another case: a lamp of 5 watts with the socket `E27` is `[5, 0, 1, 0]`.

# %% check="2.2.D" points=1
def four_rows():
    assert_type(by_hand, (list, tuple), "`by_hand`", of='form')
    assert_equal(len(by_hand), 4, "the number of rows", of='form')
    for i, row in enumerate(by_hand):
        assert_type(row, (list, tuple), f"row {i}", of='form')
        assert_equal(len(row), 4, f"how many numbers stand in row {i}", of='form')
        for entry in row:
            assert_type(entry, (int, float), f"an entry of row {i}", of='form')

def lamps_encoded():
    assert_close([float(row[0]) for row in by_hand], [40., sum([40., 8., 12.]) / 3, 8., 12.], "the watts of the four lamps", of='watts',
                 hint="The watts that are there stay as they are: 40, 8 and 12. The gap gets their mean: their sum, divided by how many they are.",
                 mistakes={"The mean is over the three lamps that have watts.": [40., 15., 8., 12.], "The mean is meant, not the median.": [40., 12., 8., 12.],
                           "The gap is filled with the mean, not with 0.": [40., 0., 8., 12.],
                           "This is the mean of the lamps before and after: that of all three with watts is asked for.": [40., 24., 8., 12.],
                           "These are columns written as rows: a row holds the four numbers of one lamp.": [40., 0., 1., 0.],
                           "The watts are the first number of a row, not the last.": [0., 1., 0., 1.]})
    right = [[float(word == 'E14'), float(word == 'E27'), float(pd.isna(word))] for word in lamps['socket']]
    seen = [[float(entry) for entry in row[1:]] for row in by_hand]
    heard = [("The columns of E14 and E27 are exchanged: their order is that of the alphabet.", [[b, a, c] for a, b, c in right]),
             ("The column for missing stands last, not first.", [[c, a, b] for a, b, c in right]),
             ("0 and 1 are exchanged: 1 stands in the column of the lamp's socket.", [[1 - one for one in row] for row in right])]
    for i, word in enumerate(lamps['socket']):
        assert_equal(seen[i], right[i], f"the columns E14, E27, missing of lamp {i}", of='sockets',
                     hint="A lamp has a single 1 in these three columns: the last one is for a missing socket, not for missing watts."
                     if i == 1 and seen[1] == [1., 0., 1.] else
                     next((sentence for sentence, given in heard if given == seen),
                               ("" if sum(seen[i]) == 1 else "Each lamp has a single 1 in these three columns. ")
                              + (f"The socket of lamp {i} is not written down." if pd.isna(word) else f"The socket of lamp {i} is {word}.")),
                     mistakes={"A missing socket has its 1 in the last column.": [0., 0., 0.],
                               "A missing socket is not filled in: it has a column of its own.": [1., 0., 0.],
                               "No socket is written down for this lamp: its 1 stands in the column for missing.": [0., 1., 0.]}
                     if pd.isna(word) and seen[:i] == right[:i] else None)

four_rows()
lamps_encoded()
### BEGIN HIDDEN TESTS
four_rows()
lamps_encoded()
### END HIDDEN TESTS

# %% [markdown] task="2.2.6" kind="code" minutes=15 difficulty=3 core=true needs="imputation, one-hot encoding, missing value as a category, kinds of columns"
# ### The whole way
#
# Write `prepare(table, target)`, which turns a table into inputs and target. `target` is the name of the column to predict: numbers, without
# gaps, and anywhere in the table. Every other column holds numbers (integers or floating-point) or text, perhaps with gaps; none is altogether empty, and there
# is at least one of each kind.
#
# **You are done when**
# - **form**: two tensors `X` and `y` come back, both `float64`; `X` has a row for each row of the table, `y` has the shape `(n,)`;
# - **target**: `y` is the target column, all digits kept, and `X` does not hold it;
# - **numbers**: the first columns of `X` are the columns of numbers, in the table's order, with the mean of a column's other values for a gap, all digits kept;
# - **one-hot**: then comes, for each text column in the table's order, a column of 0 and 1 for each of its values, in the order of `sorted`, and
#   one for "missing", also where nothing is missing; two text columns may hold the same words, and `'Pine'` and `'pine'` are two;
# - **table kept**: `table` itself is as it was.

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
# 2. `pd.get_dummies(inputs, columns=words, dummy_na=True)` puts the encoded columns behind the others.
#    `table.fillna(table.mean())` fills each column with its own mean.
# 3. Another case: the worked code above does all of it for the four bicycles, column by column.

# %% check="2.2.6" points=5
@probe
def table_after_prepare(table, target):
    prepare(table, target)
    return table

class Prepared:
    """What must come out of a table, worked out cell by cell."""
    def __init__(self, table, target):
        self.y = [float(value) for value in table[target]]
        rest = [name for name in table if name != target]
        self.words = [name for name in rest if any(isinstance(value, str) for value in table[name])]
        self.names = [name for name in rest if name not in self.words]
        self.mean, self.median, self.zero, self.common, self.too_low = [], [], [], [], []
        every = [float(value) for name in self.names for value in table[name] if not pd.isna(value)]
        for name in self.names:
            there = [float(value) for value in table[name] if not pd.isna(value)]
            for columns, filler in ((self.mean, sum(there) / len(there)), (self.median, float(np.median(there))), (self.zero, 0.),
                                    (self.common, sum(every) / len(every)), (self.too_low, sum(there) / len(table))):
                columns.append([filler if pd.isna(value) else float(value) for value in table[name]])
        self.ones, self.titles = [], []
        for name in self.words:
            for word in sorted({value for value in table[name] if isinstance(value, str)}):
                self.ones.append([float(isinstance(value, str) and value == word) for value in table[name]])
                self.titles.append(f"{word!r} of {name}")
            self.ones.append([float(pd.isna(value)) for value in table[name]])
            self.titles.append(f"missing of {name}" + ("" if table[name].isna().any() else ", all of it 0"))

def given_back(table, target, what):
    both = prepare(table.copy(), target)
    assert_type(both, (tuple, list), f"what prepare returns for {what}", of='form')
    assert_equal(len(both), 2, f"how many things prepare returns for {what}", of='form')
    for tensor, name in zip(both, ('X', 'y')):
        assert_type(tensor, torch.Tensor, f"what {name} is, for {what}", of='form')
        assert_dtype(tensor, torch.float64, f"the dtype of {name} for {what}", of='form')
    return both

def one_axis(outputs):
    return "`table[target]` is a column, with one axis; `table[[target]]` is a table, with two." if outputs.ndim == 2 else "One number for each row of the table."

def check_form(table, target, what):
    inputs, outputs = given_back(table, target, what)
    assert_equal(inputs.ndim, 2, f"how many axes X has, for {what}", of='form')
    complete = len(table.dropna())
    assert_equal(len(inputs), len(table), f"how many rows X has, for {what}", of='form',
                 mistakes={"Rows with a gap were dropped: every row stays, and its gaps are filled.": complete} if complete < len(table) else None)
    assert_shape(outputs, (len(table),), f"the shape of y for {what}", of='form', hint=lambda: one_axis(outputs))

def check_target(table, target, what):
    inputs, outputs = given_back(table, target, what)
    wanted = Prepared(table, target)
    assert_shape(outputs, (len(table),), f"the shape of y for {what}", of='target', hint=lambda: one_axis(outputs))
    right = torch.tensor(wanted.y, dtype=torch.float64)
    assert_close(outputs, right, f"y for {what}", of='target', rtol=1e-10, atol=1e-14,
                 hint="Check the digits, too: float32 on the way loses some." if torch.allclose(outputs, right, rtol=1e-6) else "",
                 mistakes={"This is the last column of the table: the target is the one of this name.": torch.tensor(table.iloc[:, -1].to_numpy(dtype=float))}
                 if pd.api.types.is_numeric_dtype(table.iloc[:, -1]) and table.columns[-1] != target and table.iloc[:, -1].notna().all() else None)
    for k in range(inputs.shape[1]):
        assert_true(inputs[:, k].tolist() != wanted.y, f"column {k} of X, for {what}, is not the target", of='target',
                    hint="A model that is given what it is to predict learns nothing: the inputs are the table without this column.")

def encoded_numbers(table, target, columns):
    """A sentence on a column of integers that stands in X as one-hot columns and not as it is, if there is one."""
    for name in table.columns.drop(target):
        if pd.api.types.is_integer_dtype(table[name]) and [float(value) for value in table[name]] not in columns:
            if all([float(value == one) for value in table[name]] in columns for one in set(table[name])):
                return f"Column {name} was encoded one-hot: its dtype, {table[name].dtype}, is one of numbers."
    return ""

def check_numbers(table, target, what):
    inputs, _ = given_back(table, target, what)
    wanted = Prepared(table, target)
    count = len(wanted.names)
    assert_true(inputs.shape[1] >= count, f"X has at least a column for each column of numbers, for {what}", of='numbers')
    for k, name in enumerate(wanted.names):
        by_mean, by_median, by_zero, by_common, by_too_low = (torch.tensor(columns[k], dtype=torch.float64)
                                                              for columns in (wanted.mean, wanted.median, wanted.zero, wanted.common, wanted.too_low))
        elsewhere = [j for j in range(inputs.shape[1])
                     if j != k and inputs.shape[0] == len(table) and torch.allclose(inputs[:, j], by_mean, rtol=1e-10)]
        gap = torch.tensor(table[name].isna().to_numpy())
        assert_close(inputs[:, k], by_mean, f"column {k} of X, {name}, for {what}", of='numbers', rtol=1e-10,
                     hint=lambda: f"Column {k} of X is the target, which does not belong into X." if inputs[:, k].tolist() == wanted.y
                     else encoded if (encoded := encoded_numbers(table, target, inputs.T.tolist())) else f"These numbers stand in column {elsewhere[0]} of X: the columns of numbers come first, in the table's order." if elsewhere
                     else "" if inputs.shape[0] != len(table) else "A gap is still there." if inputs[gap, k].isnan().any()
                     else "Check the digits, too: float32 on the way loses some." if torch.allclose(inputs[:, k], by_mean, rtol=1e-6)
                     else "The values that are there are right; what was put into the gap is not the mean of the others in this column."
                     if torch.equal(inputs[~gap, k], by_mean[~gap]) else "Only gaps are filled; the numbers that are there stay as they are.",
                     mistakes={"The median was put in, not the mean.": by_median, "A gap was filled with 0.": by_zero,
                               "The mean is over the values that are there: here the gaps were counted, too, as if they were 0.": by_too_low,
                               "Each column has a mean of its own, not one for all numbers.": by_common})

def check_ones(table, target, what):
    inputs, _ = given_back(table, target, what)
    wanted = Prepared(table, target)
    count = len(wanted.names)
    assert_equal(len(inputs), len(table), f"how many rows X has, for {what}", of='one-hot')
    columns = [inputs[:, j].tolist() for j in range(inputs.shape[1])]
    for title, ones in zip(wanted.titles, wanted.ones):
        assert_true(any(column == ones for column in columns), f"somewhere in X there is the column {title}, for {what}", of='one-hot',
                    hint="Each text column has a column for each of its values, and one for missing, with gaps or without.")
    assert_equal(inputs.shape[1], count + len(wanted.ones), f"the number of columns of X for {what}", of='one-hot',
                 hint=lambda: "One of them is the target, which does not belong into X." if wanted.y in columns else encoded_numbers(table, target, columns)
                 or ("Here each text column has columns for the words of all of them: it has one for each of its own, and one for missing."
                     if inputs.shape[1] == count + len(wanted.words) * (1 + len({title.split("' of ")[0] for title in wanted.titles if "' of " in title}))
                     else "") or "Each text column has a column for each of its values, and one for missing, with gaps or without.")
    if wanted.ones:
        assert_close(inputs[:, count:], torch.tensor(wanted.ones, dtype=torch.float64).T, f"the one-hot columns for {what}", of='one-hot',
                     hint="All of them are in X, in another order. After the numbers come, for each text column, its values in the order of `sorted`, "
                          "then missing.")

def check_kept(table, target, what):
    given_back(table, target, what)
    assert_table(table_after_prepare(table.copy(), target), table, f"the table after the call, for {what}", of='table kept')

few = pd.DataFrame({'town': ['q', 'p', 'q', 'p'], 'cost': [5, 7, 9, 8], 'size': [1.1, np.nan, 6., 2.], 'kind': [None, 'b', 'a', 'b'], 'age': np.array([3, -1, 1, 0], dtype='int8')}, index=[2, 0, 1, 3])
doors = pd.DataFrame({'inside': ['oak', 'Oak', None], 'cost': [0.1, 12.7, 3.3], 'height': [2., np.nan, 2.5], 'outside': ['oak', 'oak|pine', 'oak']})
shown = ((houses, 'Price', "the four houses"), (few, 'cost', "four rows with the target in the middle"),
         (doors, 'cost', "three doors, oak or Oak inside, oak or 'oak|pine' outside"))
with part(0.5, "two float64 tensors", of='form'):
    for case in shown:
        check_form(*case)
with part(0.5, "the target", of='target'):
    for case in shown:
        check_target(*case)
with part(0.5, "the numbers, means for gaps", of='numbers'):
    for case in shown:
        check_numbers(*case)
with part(0.5, "the one-hot columns", of='one-hot'):
    for case in shown:
        check_ones(*case)
with part(0.5, "the table itself", of='table kept'):
    for case in shown:
        check_kept(*case)
### BEGIN HIDDEN TESTS
shop = pd.DataFrame({'kind': ['b', 'c', None, 'a', 'b'], 'sold': [3, 1, 4, 1, 5], 'size': [1.1, np.nan, 5., 0., 0.], 'town': ['q', 'q', 'p', 'p', 'q'],
                     'age': np.array([7, -2, 0, 1, 2], dtype='int8'), 'tax': np.array([0.5, np.nan, np.nan, 2, 0.5], dtype='float32')}, index=[4, 1, 8, 2, 6])
flock = penguins.iloc[[0, 3, 8, 150, 271, 200, 300]].drop(columns='year').assign(mass=[3750., 1., 2., 5., 7., 3., 4.])
gates_sold = pd.DataFrame({'top': ['tin', None, 'Tin', 'tin'], 'wide': [1, 2, 4, 3], 'foot': ['zinc|tin', 'tin', 'tin', 'Zinc'], 'kilos': [1 / 3, 123456.789, -0.7, 1e-3]}, index=[1, 0, 5, 3])
hidden_cases = ((gates_sold, 'kilos', "four gates, tin at top and foot"), (shop, 'sold', "a shop's table"), (flock, 'mass', "seven penguins"), (shop[['sold', 'kind', 'age', 'size']], 'age', "a shop's table, age the target"))
with part(0.5, "two float64 tensors, at grading", of='form'):
    for case in hidden_cases:
        check_form(*case)
with part(0.5, "the target, at grading", of='target'):
    for case in hidden_cases:
        check_target(*case)
with part(0.5, "the numbers, at grading", of='numbers'):
    for case in hidden_cases:
        check_numbers(*case)
with part(0.5, "the one-hot columns, at grading", of='one-hot'):
    for case in hidden_cases:
        check_ones(*case)
with part(0.5, "the table itself, at grading", of='table kept'):
    for case in hidden_cases:
        check_kept(*case)
### END HIDDEN TESTS
total()

# %% [markdown] teaches="preparation from training rows alone, leakage in preparation"
# ## Means from the training rows only
#
# A model is judged on rows that it has not seen, the *test rows*. It learns from the others, the *training rows*. Now a test row has a gap. Whose mean goes in?
#
# Suppose that the test rows' own values count. Then the number that stands in one test row depends on the other test rows, and a model that was judged with
# it has seen something of them. That is a *leak*. In use, a single new row arrives, and there is nothing else to take a mean of. So there is one rule for everything that
# preparation learns, means, standard deviations, lists of words: learn it from the training rows, use it for all rows.

# %% tags=["demo"] teaches="preparation from training rows alone, leakage in preparation"
learn, judge = np.array([2., 3., 3.5, 4.5]), np.array([9., 10., 12.])
together = np.concatenate((learn, judge))
figure, ax = plt.subplots(figsize=(6.5, 1.9), layout='constrained')
ax.plot(learn, 0 * learn, 'o', color='C0')
ax.plot(judge, 0 * judge, 's', color='#a34a00')
for place, colour, text in ((learn.mean(), 'C0', 'mean of the\ntraining rows'), (together.mean(), 'black', 'mean of\nall rows'),
                            (judge.mean(), '#a34a00', 'mean of the\ntest rows')):
    ax.annotate(text, (place, 0.1), (place, 1), ha='center', va='bottom', color=colour, arrowprops=dict(arrowstyle='->', color=colour))
ax.set(xlim=(0, 14), ylim=(-0.6, 3), yticks=[], xlabel='value of a column; circles: training rows, squares: test rows')
for side in ('left', 'right', 'top'):
    ax.spines[side].set_visible(False)
plt.show()
print('means: training', learn.mean(), ' all', round(together.mean(), 2), ' test', round(judge.mean(), 2))

# %% [markdown] teaches="preparation from training rows alone, leakage in preparation"
# The three candidates are 3.25, 6.29 and 10.33. The right one to put into a gap among the squares is 3.25, although it is a bad guess. What is bad about it
# is true: the test rows are unlike the training rows, and the model will do badly on them. The other two hide that.

# %% [markdown] task="2.2.7" kind="code" minutes=8 difficulty=2 core=true needs="preparation from training rows alone, imputation"
# ### Fill in without a leak
#
# Write `impute(train, test)` for two tables with the same columns, perhaps in another order, all of numbers. No column of `train` is altogether empty.
#
# **You are done when**
# - **form**: two tables come back, first the filled `train`, then the filled `test`, each with its own rows, labels and columns;
# - **training rows**: each gap in the first table is filled with the mean of its column in `train`;
# - **test rows**: each gap in the second is filled with the mean of its column in `train`, too;
# - **values**: what was no gap is as it was;
# - **arguments kept**: `train` and `test` themselves are as they were.

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
@probe
def tables_after_impute(train, test):
    impute(train, test)
    return train, test

def mean_there(values):
    return float(values.sum() / values.count()) if values.count() else -1e99

def filled_in(train, test, what):
    both = impute(train.copy(), test.copy())
    assert_type(both, (tuple, list), f"what impute returns for {what}", of='form')
    assert_equal(len(both), 2, f"how many tables come back for {what}", of='form', hint="The filled `train`, then the filled `test`.")
    for found, given, name in zip(both, (train, test), ('first', 'second')):
        assert_type(found, pd.DataFrame, f"what the {name} table is, for {what}", of='form')
        assert_equal(list(found.columns), list(given.columns), f"the columns of the {name} table for {what}", of='form',
                     mistakes={"These are the columns in the order of the other table; each table keeps its own.": list((test if given is train else train).columns)})
        assert_equal(list(found.index), list(given.index), f"the row labels of the {name} table for {what}", of='form',
                     mistakes={"The two tables are exchanged.": list((test if given is train else train).index)}
                     | ({} if list(given.index) == list(range(len(given))) else {"The rows were labelled anew: each keeps its label.": list(range(len(given)))}),
                     hint="Each table keeps all its rows, under their labels.")
    for found, given, name, of in zip(both, (train, test), ('first', 'second'), ('training rows', 'test rows')):
        for column in given:
            there = given[column].notna().tolist()
            assert_close(found[column][there].tolist(), given[column][there].tolist(), f"what was no gap in column {column} of the {name} table, for {what}", of='values',
                         rtol=0, atol=0, hint="Only gaps are filled; every other number stays as it was.")
            gaps = len(there) - sum(there)
            if gaps:
                mistakes = {"This is the mean of the test rows: a leak.": mean_there(test[column]),
                            "This is the mean over training and test rows together: a leak.": mean_there(pd.concat([train[column], test[column]])),
                            "The median was put in, not the mean.": float(train[column].median()), "A gap was filled with 0.": 0.,
                            "The gaps counted as 0 in the mean: it is over the values that are there.": float(train[column].fillna(0).mean()),
                            "A row with a gap elsewhere still counts for this column.": mean_there(train.dropna()[column]),
                            "Each column has its own mean, not one for the whole table.": float(np.nanmean(train.to_numpy(dtype=float))),
                            "Each column has its own mean, not that of all columns' means.": float(train.mean().mean())}
                right = mean_there(train[column])
                rounded = [round(right, digits) for digits in range(4) if abs(round(right, digits) - right) > 1e-6]
                if list(test) != list(train):
                    mistakes["This is the mean of another column: names decide, not positions."] = mean_there(train.iloc[:, list(test).index(column)])
                put_in = found[column][[not value for value in there]].tolist()
                assert_close(put_in, [right] * gaps, f"the gaps in column {column} of the {name} table, for {what}", of=of,
                             hint="A gap is still there." if any(value != value for value in put_in)
                             else "The mean was rounded: it goes in with all its digits." if any(abs(value - put_in[0]) < 1e-9 for value in rounded)
                             else f"This is one of the values of column {column}; asked for is the mean of all that are there in train."
                             if put_in[0] in train[column].tolist() else f"Asked for is the mean of column {column} in train.",
                             mistakes={sentence: [value] * gaps for sentence, value in mistakes.items() if abs(value - right) > 1e-6})
    for after, before, name in zip(tables_after_impute(train.copy(), test.copy()), (train, test), ('train', 'test')):
        assert_table(after, before, f"{name} after the call, for {what}", of='arguments kept', hint="Both arguments stay as they are.")

filled_in(pd.DataFrame({'h': [1., 3., np.nan, 10., 6.], 'w': [10., 20., 70., 90., 60.]}, index=[3, 0, 1, 2, 8]), pd.DataFrame({'h': [np.nan, 8.5], 'w': [np.nan, 0.]}, index=[9, 7]),
          "training rows h: 1, 3, gap, 10, 6 and w: 10, 20, 70, 90, 60")
filled_in(pd.DataFrame({'a': [np.nan, 5., 9., 16.], 'b': [2., np.nan, np.nan, 7.]}), pd.DataFrame({'a': [1.], 'b': [np.nan]}), "a single test row")
filled_in(pd.DataFrame({'a': [np.nan, 1., 9., 3.], 'b': [1., 2., 4., 3.]}), pd.DataFrame({'a': [np.nan], 'b': [0.]}), "training rows a: gap, 1, 9, 3")
filled_in(pd.DataFrame({'a': [np.nan, 6.], 'b': [200., 400.], 'c': [np.nan, 70.]}), pd.DataFrame({'c': [np.nan, 3.], 'a': [np.nan, 8.], 'b': [1., np.nan]}),
          "training columns a, b, c, test columns c, a, b")
### BEGIN HIDDEN TESTS
numbers = penguins[['bill_length_mm', 'body_mass_g', 'year']]
first, rest = numbers.iloc[1:300:2], numbers.iloc[::3]
filled_in(first, rest, "every third penguin as test rows")
filled_in(first.iloc[:40], rest.assign(bill_length_mm=np.nan).iloc[:5], "test rows without any bill length")
filled_in(pd.DataFrame({'u': [np.nan, -4., 1.], 'v': [0, 5, 1], 'w': [np.nan, np.nan, 2.]}), pd.DataFrame({'u': [np.nan] * 2, 'v': [np.nan, 3.], 'w': [4., np.nan]}, index=[1, 0]),
          "three training rows, two test rows")
filled_in(first.iloc[:30], rest[['year', 'bill_length_mm', 'body_mass_g']], "test rows of penguins with the columns in another order")
### END HIDDEN TESTS

# %% [markdown] teaches="rare category"
# ## Too many categories, and none at all
#
# One-hot encoding makes a column for each value. How many does that make? The houses of Ames lie in many
# neighbourhoods:

# %% teaches="rare category"
places = ames['Neighborhood'].value_counts()
print(len(places), 'neighbourhoods;', (places < 50).sum(), 'of them with fewer than 50 of the', len(ames), 'houses')
print(places.head(4).to_dict(), '...', places.tail(3).to_dict())

# %% tags=["demo"] teaches="rare category"
figure, ax = plt.subplots(figsize=(6.5, 2.6), layout='constrained')
ax.bar(range(len(places)), places, color=['C0'] * 4 + ['C7'] * (len(places) - 4))
ax.set(xlabel='neighbourhood, the most frequent first', ylabel='houses')
plt.show()

# %% [markdown] teaches="rare category"
# The four blue bars at the left are large neighbourhoods; at the right end stand some with hardly a house. A column that is 1 in a single row teaches nothing that holds elsewhere, and it costs as much memory and as many weights as every
# other.

# %% [markdown] task="2.2.E" kind="code" minutes=4 difficulty=1 needs="one-hot encoding, kinds of columns, rare category"
# ### How wide does it get
#
# Write `width_after(table)`: how many columns of numbers a table of inputs turns into if every column of numbers stays one
# column, and every other column is encoded one-hot, with a column for "missing". No column is Boolean, and in a column of
# dtype `category` each value that the dtype allows occurs.
#
# **You are done when**
# - **numbers**: a column of integers or floating-point numbers counts 1, whatever its values and gaps;
# - **words**: every other column counts its different values, and one more for "missing", also where nothing is missing; a column of dtype `category` does so, too;
# - **whole number**: the result is an `int`, Python's or NumPy's.

# %% exercise="2.2.E"
def width_after(table):
    """The number of columns after one-hot encoding with a column for missing; an int."""
    ### BEGIN SOLUTION
    return sum(1 if pd.api.types.is_numeric_dtype(table[name]) else table[name].nunique() + 1 for name in table)
    ### END SOLUTION

# %% [markdown] hints="2.2.E"
# 1. How many columns does a column of three words and a gap turn into? And one of three words without a gap?
# 2. `nunique()` counts the different values, gaps left out.
# 3. Another case: `inputs` of the bikes has one column of numbers and the words `disc` and `rim`. That makes 1 + 2 + 1 = 4.

# %% check="2.2.E" points=1
def widths_alone(table):
    """A sentence on the first column that counts wrongly, alone in a table."""
    for name in table:
        column, alone = table[name], width_after(table[[name]].copy())
        numeric = pd.api.types.is_numeric_dtype(column)
        if alone != (1 if numeric else column.nunique() + 1):
            return (f"Alone, column {name} counts {alone} in yours: its dtype is {column.dtype}, "
                    + ("one of numbers." if numeric else f"none of numbers, with {column.nunique()} different values; and one column more is for missing."))
    return "Each column alone counts rightly: these numbers are added."

def wide(table, what, of):
    found = width_after(table.copy())
    assert_type(found, int, f"what width_after returns for {what}", of='whole number',
                hint=lambda: "`int(...)` makes a whole number of it." + (
                    " In pandas the sum over no column at all is 0.0."
                    if isinstance(width_after(pd.DataFrame({'town': ['a', 'b']})), (int, np.integer)) else ""))
    words = table.select_dtypes(exclude='number')
    encoded_width = pd.get_dummies(table, columns=list(words), dummy_na=True).shape[1]
    gappy, kinds = words.isna().any(), {name: words[name].nunique() for name in words}
    known = [("A column of numbers counts 1.", encoded_width - table.shape[1] + words.shape[1]),
             ("Columns of numbers, of every size, are not encoded; they count 1 each.", int(table.nunique().sum()) + table.shape[1]),
             ("A gap in a column of numbers makes no further column: columns of numbers count 1 each.",
              encoded_width + int(table.drop(columns=list(words)).isna().any().sum()))]
    if not words.shape[1]:
        known.append(("Each text column has a column for missing of its own, and here there is no text column.", encoded_width + 1))
    else:
        if not any(words[name].dtype == 'category' for name in words):
            known.append(("A column that is none of numbers counts its different values, and one more. (The dtype of text is `str`, not `object`.)", table.shape[1]))
        known += [("Each of the different values has a column, and missing has one, too." if gappy.all() else "There is a column for missing, also where nothing is missing.",
                   encoded_width - words.shape[1]),
                  ("There is a column for missing, also where nothing is missing.", encoded_width - int((~gappy).sum())),
                  ("Each text column has a column for missing of its own.", encoded_width - words.shape[1] + 1),
                  ("Missing has one column, not two: a gap is no value besides.", encoded_width + int(gappy.sum())),
                  ("A column of dtype category is encoded, also if its values are numbers.",
                   encoded_width - sum(kinds[name] for name in words if words[name].dtype == 'category' and pd.api.types.is_numeric_dtype(words[name].cat.categories))),
                  ("Words that differ in a capital letter are different values.",
                   table.shape[1] + sum(words[name].dropna().astype(str).str.lower().nunique() for name in words)),
                  ("It is the different values that are counted, not the rows.", table.shape[1] + len(table) * words.shape[1]),
                  ("A column of dtype category is encoded, too.", encoded_width - sum(kinds[name] for name in words if words[name].dtype == 'category'))]
    by_width = {}
    for sentence, width in known:
        by_width.setdefault(width, set()).add(sentence)
    assert_equal(found, encoded_width, f"the width for {what}", of=of,
                 hint=lambda: "" if found == encoded_width else "Columns of numbers count 1 each, of every size, with gaps or without." if not words.shape[1] and found > encoded_width
                 else widths_alone(table),
                 mistakes={sentence: width for width, sentences in by_width.items() for sentence in sentences if width != encoded_width and len(sentences) == 1})

wide(pd.DataFrame({'x': [1., np.nan, 2.], 'y': [0.5, np.nan, 3.]}), "two columns of numbers, each with a gap", 'numbers')
wide(pd.DataFrame({'x': np.array([1, 2, 2], dtype='int16')}), "a column of int16", 'numbers')
wide(pd.DataFrame({'town': ['a', 'b', None, 'b', None]}), "the words a and b, with gaps", 'words')
wide(pd.DataFrame({'town': ['a', 'b', 'c', 'b'], 'x': [1, 2, 3, 4], 'kind': list('pqrs')}), "three words, a number, and four words", 'words')
wide(pd.DataFrame({'wood': ['pine', 'Pine', 'oak', 'Oak', 'pine', 'oak']}), "the words pine, Pine, oak and Oak", 'words')
wide(ames.drop(columns='Sale_Price'), "Ames without the price", 'words')
wide(pd.DataFrame({'floor': pd.Categorical([1, 2, 1, 3]), 'side': pd.Categorical(['l', 'r', None, 'l'])}), "two columns of dtype category, of 1, 2, 3 and of l, r and a gap", 'words')
### BEGIN HIDDEN TESTS
wide(abalone.select_dtypes('number'), "the numbers of Abalone", 'numbers')
wide(pd.DataFrame({'x': np.array([1, 2, 2], dtype='float32'), 'z': np.array([1, 9, 2], dtype='uint8')}), "columns of float32 and uint8", 'numbers')
wide(penguins, "the penguins", 'words')
wide(penguins.assign(year=penguins['year'].astype('category'), sex=penguins['sex'].astype('category')), "the penguins, year and sex of dtype category", 'words')
wide(penguins[['sex', 'island']].iloc[:3], "words of three penguins", 'words')
wide(pd.DataFrame({'x': [1, 2, 3], 'code': ['a1', 'A1', None], 'side': ['l ', 'l', 'L']}), "words that differ in a capital letter or a space", 'words')
### END HIDDEN TESTS

# %% [markdown] teaches="rare category, unseen category"
# A common way out: a column for each of the few most frequent values, and one for all others, `other`. Which are frequent is
# learned from the training rows, like a mean. The same columns are then used for new rows. A value may stand there that nobody has seen in training, an *unseen category*: it
# goes to `other`. The `index` of a `value_counts()` holds the values themselves, and a comparison makes a column:

# %% teaches="rare category, unseen category"
colours = pd.Series(['red', 'blue', 'red', 'teal', None, 'red', 'blue'])
print(list(colours.value_counts().index))
print((colours == 'red').astype(int).tolist(), colours.where(colours.isin(['red']), 'rest').tolist())

# %% [markdown] task="2.2.4a" kind="code" minutes=12 difficulty=3 needs="rare category, unseen category, one-hot encoding, preparation from training rows alone"
# ### The frequent ones, and the rest
#
# Write `encode_frequent(train, new, k)` for two `Series` of text. k is from 1 to the number of different values of `train`. No two values of `train` are
# equally frequent, and no value is called `'other'`. Labels of `new` may stand twice.
#
# **You are done when**
# - **columns**: the result is a table with `k + 1` columns: the `k` most frequent values of `train`, most frequent first, then `'other'`. A gap
#   is no value, however frequent;
# - **rows**: it has the index of `new`;
# - **frequent**: a row in which `new` holds one of the `k` values has 1 in the column of this value, and 0 elsewhere, as numbers or as
#   `True` and `False`; values are the same only if all their characters are, capitals and spaces too;
# - **other**: every other row, rarer values, unseen ones and gaps, has 1 in `'other'` and 0 elsewhere.

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
def in_order_of_frequency(values):
    counts = {}
    for value in values:
        if isinstance(value, str):
            counts[value] = counts.get(value, 0) + 1
    return sorted(counts, key=lambda value: -counts[value])

def frequent_ones(train, new, k, what):
    found = encode_frequent(train.copy(), new.copy(), k)
    best = in_order_of_frequency(train)[:k]
    assert_type(found, pd.DataFrame, f"what encode_frequent returns for {what}", of='columns')
    counted_gaps = sorted(in_order_of_frequency(train) + [None], key=lambda value: -sum(pd.isna(entry) if value is None else entry == value for entry in train))
    mistakes = {"A gap is no value, however frequent.": [str(value) if value is not None else 'nan' for value in counted_gaps[:k]] + ['other'],
                "These are the least frequent values of `train`.": in_order_of_frequency(train)[::-1][:k] + ['other'],
                "The names are right; their order is not that of the frequencies in `train`.": sorted(best) + ['other'],
                "These are the frequent values of `new`. Which are frequent is learned from `train`.": in_order_of_frequency(new)[:k] + ['other'],
                "The column 'other' is missing.": best,
                f"These are fewer values than k.{'' if best[-1] in list(new) else ' A value has its column also where no row of `new` holds it.'}": best[:-1] + ['other'], "These are more values than k.": in_order_of_frequency(train)[:k + 1] + ['other'],
                "All columns were sorted by their names; 'other' is the last, and the values come by their frequency.": sorted(best + ['other'])}
    assert_equal([str(name) for name in found.columns], best + ['other'], f"the columns for {what}", of='columns',
                 mistakes={sentence: value for sentence, value in mistakes.items() if value != best + ['other']})
    assert_equal(list(found.index), list(new.index), f"the index for {what}", of='rows', hint="There is a row for each entry of `new`, under its label.")
    assert_equal([str(name) for name in found if not pd.api.types.is_numeric_dtype(found[name])], [], f"the columns that hold no numbers, for {what}", of='frequent',
                 hint="They hold the numbers 1 and 0, or True and False.")
    for of, rows in (('frequent', [value in best for value in new]), ('other', [value not in best for value in new])):
        wanted = [[float(value == name) if value in best else float(name == 'other') for name in best + ['other']] for value in new]
        seen, right = found[rows].astype(float).to_numpy().tolist(), [row for row, kept in zip(wanted, rows) if kept]
        amiss = sorted({'a gap' if pd.isna(value) else repr(value) for value, got, row in zip(new[rows], seen, right) if got != row})
        filled = {sum(entry != 0 for entry in got) for got, row in zip(seen, right) if got != row}
        assert_equal(seen, right, f"the rows of {'the frequent values' if of == 'frequent' else 'all other values'} for {what}", of=of,
                     hint=f"Wrong are the rows of {', '.join(amiss)}."
                     + (" They have no 1 at all." if filled == {0} else " They have more than one entry that is not 0." if filled and min(filled) > 1 else "")
                     + (" Rows with the same label are still different rows." if of == 'frequent' and new.index.has_duplicates and filled and min(filled) > 1
                        else "" if of == 'frequent'
                        else " Rarer values, unseen ones and gaps have their 1 in 'other'. A longer word, or one with other capitals or spaces, is another value."))

def some_words(counts, gaps=0):
    return pd.Series([word for word, times in counts.items() for _ in range(times)] + [None] * gaps)

shown_train = some_words({'z': 4, 'b': 3, 'a': 2, 'c': 1}, gaps=6)
frequent_ones(shown_train, pd.Series(['a', 'b', 'never seen', None, 'never seen', 'z', 'c', 'c', 'never seen'], index=[9, 4, 2, 7, 1, 0, 3, 5, 8]), 2,
              "k = 2, train 4 z, 3 b, 2 a, 1 c, 6 gaps, new a, b, never seen, a gap, never seen, z, c, c, never seen")
frequent_ones(shown_train, pd.Series(['x', 'x', 'y']), 1, "k = 1, the same train, new x, x, y")
frequent_ones(shown_train, pd.Series(['c', 'a', 'b', 'z', 'a'], index=list('pqrst')), 4, "k = 4, the same train, new c, a, b, z, a")
frequent_ones(shown_train, pd.Series(['zz', 'Z', 'z', 'b', 'a b', ' z', 'b|z'], index=[1, 2, 1, 2, 2, 1, 2]), 2,
              "k = 2, the same train, new zz, Z, z, b, 'a b', ' z', 'b|z' with the labels 1, 2, 1, 2, 2, 1, 2")
### BEGIN HIDDEN TESTS
frequent_ones(ames['Neighborhood'][:2000], ames['Neighborhood'][2000:2200], 4, "neighbourhoods of Ames, k = 4")
frequent_ones(some_words({'nan': 2, 'm': 7, 'other one': 5, 'b': 3}, gaps=9), pd.Series([None, 'm', 'm', 'q', 'nan', 'b', 'other one'], index=range(7, 0, -1)), 3,
              "four words and nine gaps, k = 3")
frequent_ones(some_words({'Oak': 5, 'oak': 3, 'ash': 1}), pd.Series(['oak', 'oak tree', 'OAK', None, 'Oak', 'ash', 'oak ', 'ash|oak'], index=[0, 0, 7, 7, 3, 0, 1, 7]),
              2, "Oak, oak and ash, labels of new that stand twice, k = 2")
frequent_ones(some_words({'b': 1, 'a': 2}), pd.Series(['b', None, 'b', 'b']), 1, "two words, k = 1")
### END HIDDEN TESTS

# %% [markdown] teaches="identifier column"
# ### Columns that only name the row
#
# The extreme case: a customer number, a name. Each row has a value of its own. One-hot encoding makes a column for each row, and a model
# learns the training rows by heart: "customer 4711 pays". In new rows all of these columns are 0. Such a column is an *identifier*, and it is dropped.
# A measurement is another matter. With enough digits all its values differ too, and it means something.

# %% teaches="identifier column"
stock = pd.DataFrame({'item': ['nut', 'bolt', 'cap', 'pin'], 'grams': [2.5, 11., 4.25, 1.75], 'box': [3, 3, 1, 2]})
print({name: stock[name].is_unique for name in stock})
print(stock.drop(columns=['item']).head(2))

# %% [markdown] teaches="identifier column"
# `is_unique` says whether no value stands twice. `item` and `grams` both pass, and only the first is to go: the dtype decides.

# %% [markdown] task="2.2.4b" kind="code" minutes=10 difficulty=3 needs="identifier column, kinds of columns, missing value"
# ### Drop the identifiers
#
# Write `drop_identifiers(table)`. A column is an identifier if it is not of a floating-point dtype, no value is missing, and no value stands twice.
# The table has at least two rows.
#
# **You are done when**
# - **identifiers**: columns of text, of integers of any size, and of dtype `category` are dropped if they are identifiers;
# - **floats**: columns of floating-point numbers of any size stay;
# - **gaps**: a column with a gap stays, even if all its values differ;
# - **repeats**: a column in which a single value stands twice stays;
# - **form**: the result is a table with all rows, and the other columns in their order with their values;
# - **table kept**: `table` itself is as it was.

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
@probe
def table_after_identifiers(table):
    drop_identifiers(table)
    return table

IDENTIFIER_HINTS = {'identifiers': "All its values are there and differ, and it is no column of floating-point numbers.", 'floats': "A column of floating-point numbers stays.",
                    'gaps': "A column with a gap stays.", 'repeats': "A column in which a value stands twice stays."}

def without_identifiers(table, groups, what):
    """groups: requirement -> (columns to look at, whether they stay)."""
    found = drop_identifiers(table.copy())
    assert_type(found, pd.DataFrame, f"what drop_identifiers returns for {what}", of='form')
    gone = {name: name not in list(found.columns) for name in table}
    staying = [name for name in table if any(name in names and stay for names, stay in groups.values())]
    turned = all(gone[name] == (name in staying) for name in table)
    others = [name for name in table if not pd.api.types.is_float_dtype(table[name])]
    nearly = {name: table[name].nunique() >= len(table) - 1 for name in others}
    one_short = {bool(table[name].isna().any()) for name in staying if nearly.get(name)} == {True, False} and all(gone[name] == nearly[name] for name in others)
    for of, (names, stay) in groups.items():
        for name in names:
            column = table[name]
            assert_equal('kept' if name in list(found.columns) else 'dropped', 'kept' if stay else 'dropped',
                         f"column {name} of {what}, {str(column.dtype)}, {column.tolist()}" if len(table) < 8 else f"column {name} of {what}", of=of,
                         hint="It is turned round, for all columns: the identifiers are to be dropped, and the others stay." if turned
                         else "Here a column goes that has one value fewer than the table has rows: an identifier has one for each row." if stay and one_short
                         else IDENTIFIER_HINTS[of] + (" Its values are whole, but its dtype is not one of integers." if of == 'floats' and (column.dropna() % 1 == 0).all() else ""))
    assert_table(found, table[staying], f"the other columns of {what}", of='form', rtol=0, atol=0,
                 hint="The columns that stay are as they were, in the order of `table`, with all rows and labels.")
    assert_table(table_after_identifiers(table.copy()), table, f"the table after the call, for {what}", of='table kept')

without_identifiers(pd.DataFrame({'order': [901, 902, 903, 904], 'price': [9.5, 3.2, 7.75, 1.1], 'town': ['Ghent', 'Bonn', 'Bonn', 'Lille'], 'phone': ['a', None, 'b', 'c'],
                                  'who': list('vwxy'), 'rank': np.array([4, 1, 2, 3], dtype='int8'), 'tax': np.array([1.5, 2, 3, 4], dtype='float32'), 'hours': [8., 7., 6., 5.],
                                  'code': pd.Categorical(list('pqrs')), 'sign': ['a', 'A', 'b', 'B'], 'land': ['BE'] * 4}, index=[3, 1, 0, 2]),
                    {'identifiers': (['order', 'who', 'rank', 'code', 'sign'], False), 'floats': (['price', 'tax', 'hours'], True), 'gaps': (['phone'], True), 'repeats': (['town', 'land'], True)},
                    "an order list")
without_identifiers(pd.DataFrame({'seat': [f's{k}' for k in range(30)], 'tag': [f't{k % 29}' for k in range(30)]}), {'identifiers': (['seat'], False), 'repeats': (['tag'], True)},
                    "30 rows, the word t0 twice")
### BEGIN HIDDEN TESTS
without_identifiers(pd.DataFrame({'nick': ['a', 'b', None, 'c', 'd'], 'name': ['Ann', 'Bob', 'Cem', 'Dot', 'Eve'], 'height': [1.5, 1.6, np.nan, 1.8, 1.9], 'id': [7, 7, 8, 9, 10], 'one': [1] * 5,
                                  'seat': np.array([5, 3, 1, 2, 4], dtype='uint16'), 'half': np.array([1, 2, 3, 4, 5], dtype='float16'),
                                  'card': pd.Categorical([1, 2, 3, 4, 5]), 'step': [-2, -1, 0, 1, 2], 'mark': pd.Categorical(['k', 'l', None, 'm', 'n'])}, index=[8, 6, 7, 5, 3]),
                    {'identifiers': (['name', 'seat', 'card', 'step'], False), 'floats': (['height', 'half'], True), 'gaps': (['nick', 'mark'], True), 'repeats': (['id', 'one'], True)},
                    "five people")
many_words = pd.DataFrame({'near': [f'w{k}' for k in range(200)], 'all': [f'v{k}' for k in range(200)], 'x': np.arange(200.)})
many_words.loc[199, 'near'] = 'w0'
without_identifiers(many_words, {'identifiers': (['all'], False), 'repeats': (['near'], True), 'floats': (['x'], True)}, "200 rows, one word twice")
### END HIDDEN TESTS

# %% [markdown] teaches="memory of a table"
# ## How large a table fits
#
# Tables grow. Before you read one with a billion rows: how much memory does a row take? Each value takes the bytes of its dtype:
# 8 for `float64` and `int64`, 4 for `float32`, 1 for `int8` and for `bool`. A row takes the sum over the columns. `itemsize` says it for a dtype, `memory_usage` for a table:

# %% teaches="memory of a table"
print({name: np.dtype(name).itemsize for name in ('float64', 'float32', 'int64', 'int8', 'bool')})
print(abalone[['length', 'height']].memory_usage(index=False).to_dict(), '= 8 times', len(abalone))

# %% [markdown] teaches="memory of a table"
# Text is different. A column of text holds 8 bytes for each row, which say where in memory the string lies; the strings come on top. ⚠ `memory_usage(deep=True)` is
# meant to count these too. But it counts a string once for each *row*, even where all rows share it:

# %% teaches="memory of a table"
import sys

strings = {id(word): word for word in abalone['sex']}
print('deep=True says     ', abalone['sex'].memory_usage(index=False, deep=True), 'bytes')
print('there are          ', len(strings), 'strings for', len(abalone), 'rows')
print('so it takes about  ', 8 * len(abalone) + sum(sys.getsizeof(word) for word in strings.values()), 'bytes')
as_category = abalone['sex'].astype('category')
print('as a category      ', as_category.memory_usage(index=False, deep=True), 'bytes; numbers of dtype', as_category.cat.codes.dtype)

# %% [markdown] teaches="memory of a table"
# `read_csv` made three strings, and the 4,174 rows point at them. `deep=True` says seven times as much. It is an upper bound, right where all strings differ. A category holds
# each word once and an `int8` for each row: about an eighth of what the pointers take.
#
# Integers can be made smaller too. `int8` holds -128 to 127, `int16` -32,768 to 32,767. `pd.to_numeric(column, downcast='signed')` finds the
# smallest dtype that holds all values of a column of integers. For floating-point numbers there is no such gift: fewer bytes mean fewer digits, other values.

# %% teaches="memory of a table"
print(np.iinfo('int16').min, np.iinfo('int16').max)
print(pd.to_numeric(pd.Series([3, -40000]), downcast='signed').dtype, float(np.float32(0.1)))

# %% [markdown] teaches="memory of a table"
# The work in between needs memory as well. A sort, a one-hot encoding or `to_numpy()` makes a second table, and the first is
# still there. Two or three copies at once are normal.

# %% [markdown] task="2.2.3a" kind="code" minutes=6 difficulty=2 needs="memory of a table"
# ### Rows that fit
#
# Write `rows_that_fit(memory, dtypes, copies)`: how many rows may a table have? `memory` is a whole number of bytes, `dtypes` lists the NumPy dtype of each column by name, such as `['float64', 'int8']`, and `copies` ≥ 1 tables of
# this kind must fit into the memory at the same time. Leave the index out of the account.
#
# **You are done when**
# - **dtypes**: each column counts with the size of its own dtype, for every dtype of numbers and for `bool`;
# - **copies**: the memory is enough for that many whole copies;
# - **largest**: the result is the largest whole number of rows that fits, an `int`, and exact for any amount of memory; 0 if not even one row fits.

# %% exercise="2.2.3a"
def rows_that_fit(memory, dtypes, copies):
    """How many rows of a table with these dtypes fit `copies` times into `memory` bytes; an int."""
    ### BEGIN SOLUTION
    row = sum(np.dtype(name).itemsize for name in dtypes)
    return memory // (row * copies)
    ### END SOLUTION

# %% [markdown] hints="2.2.3a"
# 1. How many bytes does one row of one copy take?
# 2. `np.dtype('int16').itemsize` is the size of one value in bytes. A row that fits in part does not fit, so divide with `//`.
# 3. Another case: 100 bytes hold 100 // 12 = 8 pairs of a `float64` and a `float32`.

# %% check="2.2.3a" points=1
def column_alone(sizes, copies, row):
    """Whether it is the size of one dtype that is wrong, or what is made of the sizes."""
    counts = {name: rows_that_fit(1600, [name], 1) for name in sizes}
    wrong = [name for name in counts if counts[name] != 1600 // np.dtype(name).itemsize]
    if wrong and len(wrong) < len(counts):
        return f"1600 bytes hold {1600 // np.dtype(wrong[0]).itemsize} rows of a single column of {wrong[0]}, and in yours {counts[wrong[0]]}: its size is wrong."
    if not wrong and copies == 1 and len(counts) > 1:
        return f"For each of these columns alone yours is right: a row of all of them takes the sum of their sizes, {row} bytes."
    return ""

def fitting(memory, sizes, copies, of, mistakes=None):
    what = f"rows_that_fit({memory}, {list(sizes)}, {copies})"
    found = rows_that_fit(memory, list(sizes), copies)
    assert_type(found, int, f"the rows of the dtypes {', '.join(dict.fromkeys(sizes))} (`np.dtype(name).itemsize` knows the size of each)", of='largest',
                hint="A whole number: divide with //, not with /.")
    row = sum(len(np.zeros(1, name).tobytes()) for name in sizes)
    best = 0
    for step in reversed(range(memory.bit_length() + 1)):       # the largest number of rows, bit by bit
        if (best + 2 ** step) * row * copies <= memory:
            best += 2 ** step
    assert_equal(found, best, what, of=of, mistakes=mistakes,
                 hint=lambda: column_alone(sizes, copies, row) or (
                     "A number of rows is 0 or more." if found < 0 else f"A row of a copy takes {row} byte{'s' * (row != 1)}: "
                 + ("so many rows do not fit." if found * row * copies > memory else "one row more still fits.")))

fitting(8 * 2 ** 30, ['float64'] * 8, 1, 'dtypes', {"itemsize is in bytes: 8 for float64.": 2 ** 24, "With one copy the memory holds one table, not two.": 2 ** 26,
                                                 "Each column counts: a row takes the bytes of all eight.": 2 ** 30, "The index is left out of the account.": 2 ** 33 // 72})
fitting(900, ['float32', 'int16', 'bool', 'int8'], 1, 'dtypes', {"Not every column takes 8 bytes.": 28, "bool takes a byte, too.": 128,
                                                               "bool takes a whole byte, not a bit.": 126, "A row that fits in part does not fit.": 113,
                                                               "The sizes of all columns are added; the largest alone does not decide.": 225})
fitting(95, ['uint8', 'float16', 'complex64', 'int32'], 1, 'dtypes', {"Not every column takes 8 bytes.": 2, "A row that fits in part does not fit.": 7})
fitting(8 * 2 ** 30, ['float64'] * 8, 3, 'copies', {"One copy more than this does not fit: round down.": 44_739_243, "This is the number for one copy.": 134_217_728,
                                                 "More copies leave room for fewer rows, not for more.": 402_653_184})
fitting(29, ['float64'], 2, 'largest', {"A row that fits in part does not fit.": 2})
fitting(9, ['float64', 'int64'], 1, 'largest', {"Not even one row fits.": 1})
fitting(3 * 10 ** 17 + 2, ['int8'], 1, 'largest', {"`/` gives a floating-point number, which holds some 16 digits; `//` is exact.": 3 * 10 ** 17})
### BEGIN HIDDEN TESTS
fitting(1000, ['bool', 'int8', 'float32'], 1, 'dtypes')
fitting(123_457, ['int16'] * 3 + ['complex128', 'uint8', 'float16'], 2, 'dtypes')
fitting(1_000_003, ['uint8', 'int32'], 7, 'copies')
fitting(9, ['float16', 'int64'], 1, 'largest')
fitting(7, ['uint8'], 3, 'largest')
fitting(10 ** 18 - 1, ['int8'], 1, 'largest')
### END HIDDEN TESTS

# %% [markdown] task="2.2.3b" kind="code" minutes=12 difficulty=3 needs="memory of a table, kinds of columns"
# ### The same values in less memory
#
# Write `shrink(table)`. Its columns hold integers (`int8` to `int64`), floating-point numbers, or text (dtype `str`); no column of integers has a gap.
#
# **You are done when**
# - **integers**: in the result each column of integers has the smallest of `int8`, `int16`, `int32`, `int64` that holds all its values;
# - **text**: a text column has the dtype `category` if its different values are fewer than half the number of rows, and is text as before if not. A gap is no value;
# - **floats**: columns of floating-point numbers keep their dtype, also where all values are whole;
# - **values**: all values, labels and columns are those of `table`;
# - **table kept**: `table` itself is as it was, in its dtypes too.

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
@probe
def table_after_shrink(table):
    shrink(table)
    return table, [str(dtype) for dtype in table.dtypes]

@probe
def dtypes_after_shrink(table):
    """The names of the dtypes of the result."""
    return {str(name): str(column.dtype) for name, column in shrink(table).items()}

def smaller(table, dtypes, what):
    """dtypes: requirement -> {column: dtype}."""
    found = shrink(table.copy())
    assert_type(found, pd.DataFrame, f"what shrink returns for {what}", of='values')
    names_found = dtypes_after_shrink(table.copy())
    assert_equal(list(found.columns), list(table.columns), f"the columns of {what}", of='values')
    assert_equal(list(found.index), list(table.index), f"the row labels of {what}", of='values')
    for name in table:
        dtype, now = str(table[name].dtype), names_found[name]
        limits = np.iinfo(now) if now in ('int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64') and dtype.startswith('int') else None
        assert_table(found[[name]], table[[name]], f"the values of {what}", of='values', rtol=0, atol=0,
                     hint=f"Its dtype is now {now}, which holds fewer digits than {dtype}." if dtype.startswith('float') and now.startswith('float') and now != dtype
                     else f"Its dtype is now {now}, which does not hold all these values." if limits and not table[name].between(limits.min, limits.max).all()
                     else "A gap stays a gap." if table[name].isna().any() and not found[name].isna().any() else "")
    for of, columns in dtypes.items():
        for name, dtype in columns.items():
            shown_values = f", {table[name].tolist()}" if len(table) < 8 else ""
            kinds, now = table[name].nunique(), names_found[name]
            assert_equal(names_found[name], dtype, f"the dtype of column {name} of {what}{shown_values}", of=of,
                         hint={'integers': ("Columns without a negative number have become unsigned in yours: signed dtypes are asked for. "
                                            if any(other.startswith('uint') for other in names_found.values()) else
                                            f"This column of {now} has stayed as it was, and a smaller dtype holds all its values. "
                                            if now == str(table[name].dtype) != 'int64' else
                                            "A smaller dtype holds all its values. " if now.startswith('int')
                                            else "A column of integers gets a signed dtype: its name begins with `int`. " if now.startswith('uint')
                                            else "A column of integers stays one. ")
                               + "int8 holds -128 to 127, int16 -32768 to 32767, int32 about two thousand million on both sides of 0.",
                               'floats': "A column of floating-point numbers keeps its dtype.",
                               'text': f"It has {kinds} different value{'s' * (kinds != 1)}, gaps left out, in {len(table)} rows: "
                                       f"{'fewer' if 2 * kinds < len(table) else 'not fewer'} than half. category where they are fewer than half the number of rows; otherwise str, as before."
                                       + (" The rows with a gap are rows, too." if len(table) % 2 == 0 and table[name].count() <= 2 * kinds < len(table) else "")
                                       + (f" Half of {len(table)} is {len(table) / 2}." if len(table) % 2 and len(table) < 8 else "")}[of])
    after, after_dtypes = table_after_shrink(table.copy())
    assert_equal(after_dtypes, [str(dtype) for dtype in table.dtypes], f"the dtypes of the table itself after the call, for {what}", of='table kept',
                 hint="Setting a column of `table` changes the caller's table: set those of a copy.")
    assert_table(after, table, f"the table after the call, for {what}", of='table kept')

smaller(pd.DataFrame({'low': [-128, 127, 0, 1, 5, 6], 'past': [-129, 0, 3, 4, 5, 6], 'top': [128, 0, 0, 0, 1, 1], 'was32': np.array([9, -9, 0, 0, 0, 0], dtype='int32'), 'wide': [2 ** 40, 0, 0, 0, 0, 0],
                      'whole': [1., 2., 3., 4., 5., 6.], 'exact': [1.123456789, 2., 3., np.nan, 4., 5.], 'half': ['a', 'b', 'c', 'a', 'b', 'c'], 'few': ['a', 'b', 'a', 'b', 'b', 'b'],
                      'gap': ['a', 'b', None, 'a', 'b', 'b'], 'holes': ['a', 'b', None, 'a', 'b', None], 'names': list('pqrstu')}, index=[3, 1, 4, 15, 9, 2]),
        {'integers': {'low': 'int8', 'past': 'int16', 'top': 'int16', 'was32': 'int8', 'wide': 'int64'}, 'floats': {'whole': 'float64', 'exact': 'float64'},
         'text': {'half': 'str', 'few': 'category', 'gap': 'category', 'holes': 'category', 'names': 'str'}}, "a table of six rows")
smaller(penguins, {'integers': {'year': 'int16'}, 'floats': {'body_mass_g': 'float64'}, 'text': {'island': 'category', 'sex': 'category'}}, "the penguins")
### BEGIN HIDDEN TESTS
smaller(pd.DataFrame({'low16': [-32768, 0, 0, 32767, 0], 'past16': [32768, 0, 0, 0, 0], 'under16': [-32769, 0, 0, 0, 0], 'low32': [-2 ** 31, 2 ** 31 - 1, 0, 0, 0], 'past32': [2 ** 31, 0, 0, 0, 0],
                      'under8': np.array([-129, 0, 0, 0, 0], dtype='int16'), 'was8': np.array([1, 2, 3, 4, 5], dtype='int8'), 'single': np.array([1, 2.5, 3, 4, 5], dtype='float32'),
                      'zeros': [0., 0., 0., 0., 0.], 'rare': ['a', 'b', 'c', 'a', 'b'], 'often': ['a', 'b', None, None, 'a'], 'blank': ['', 'a', '', 'a', '']}, index=list('vwxyz')),
        {'integers': {'low16': 'int16', 'past16': 'int32', 'under16': 'int32', 'low32': 'int32', 'past32': 'int64', 'under8': 'int16', 'was8': 'int8'},
         'floats': {'single': 'float32', 'zeros': 'float64'}, 'text': {'rare': 'str', 'often': 'category', 'blank': 'category'}}, "a table of five rows")
smaller(pd.DataFrame({'half': ['a', 'b', None, 'a'], 'one': ['x', 'x', 'x', None], 'n': [127, 126, 0, -128]}),
        {'integers': {'n': 'int8'}, 'text': {'half': 'str', 'one': 'category'}}, "a table of four rows")
smaller(abalone, {'floats': {'length': 'float64', 'height': 'float64'}, 'text': {'sex': 'category', 'class': 'category'}}, "Abalone")
### END HIDDEN TESTS

# %% [markdown] teaches="reading in pieces"
# ### A file larger than the memory
#
# A file that does not fit can still be read piece by piece. `pd.read_csv(path, chunksize=r)` gives no table. It gives an iterator, something that a `for` loop can go through:
# table after table, of `r` rows each, and a shorter one at the end. Only one of them is in memory. `usecols=` leaves out columns that nobody needs.

# %% teaches="reading in pieces"
heaviest = 0.
for piece in pd.read_csv(d2l.data_file('penguins.csv'), chunksize=100, usecols=['body_mass_g']):
    print(len(piece), piece['body_mass_g'].max(), piece['body_mass_g'].count(), piece['body_mass_g'].mean().round(2))
    heaviest = max(heaviest, piece['body_mass_g'].max())
print('heaviest of all:', heaviest)

# %% [markdown] teaches="reading in pieces"
# The largest value of a file is the largest of the pieces' largest values. ⚠ For a mean it is not so: the pieces hold 99, 100, 99 and 44 values. The mean of their four means
# would give the 44 values of the last piece as much weight as the 100 of the second.

# %% [markdown] task="2.2.3c" kind="code" minutes=12 difficulty=3 needs="reading in pieces, missing value"
# ### A mean in pieces
#
# Write `chunked_mean(path, column, rows)`: the mean of a column of numbers of the CSV file `path`, over the values that are not missing. There is at least one such value.
#
# **You are done when**
# - **mean**: for every `rows` ≥ 1 it is the mean that reading the whole file with `pd.read_csv` gives, where single pieces are empty of values, too;
# - **gaps**: missing values are left out, as `pd.read_csv` sees them;
# - **text**: other columns may hold any text, commas in quotation marks too;
# - **pieces**: at most `rows` rows are read at a time;
# - **memory**: the memory in use does not grow with the file, but for a few numbers for each piece at most.

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
# 1. Two pieces have the means 1 and 3, and one has more values than the other. What else must you know for the
#    whole mean?
# 2. Carry two numbers from piece to piece. `column.sum()` and `column.count()` both leave missing values out.
# 3. Another case: for the largest value one number is carried, as above.

# %% check="2.2.3c" points=2
@probe
def mean_of_text(text, column, rows):
    """The mean, and the length of every table that pandas reads for it."""
    import os
    import tempfile
    from pandas.io.parsers.readers import TextFileReader
    lengths, read = [], TextFileReader.read

    def noted(self, *args, **kwargs):
        table = read(self, *args, **kwargs)
        lengths.append(len(table))
        return table

    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, 'table.csv')
        with open(name, 'w') as file:
            file.write(text)
        TextFileReader.read = noted
        try:
            return chunked_mean(name, column, rows), lengths
        finally:
            TextFileReader.read = read

@probe
def peak_memory(column, rows, times):
    """The mean over a long file, and the most bytes that were in use at once meanwhile."""
    import os
    import tempfile
    import tracemalloc
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, 'long.csv')
        with open(name, 'w') as file:
            file.write('a,b\n' + f'{1.5:.20f},2\n{0.5:.20f},\n{4:.20f},6\n,8\n' * times)      # longer than a reader's buffer
        tracemalloc.start()
        try:
            value = chunked_mean(name, column, rows)
            return value, tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

def mean_in_pieces(text, column, rows, what, of='mean'):
    call = f"chunked_mean(path, '{column}', {rows}) for {what}"
    found, lengths = mean_of_text(text, column, rows)
    assert_type(found, (float, int), f"what {call} returns", of='mean')
    read = pd.read_csv(io.StringIO(text))
    values = read[column].tolist()
    there = [value for value in values if value == value]
    cut = [[value for value in values[i:i + rows] if value == value] for i in range(0, len(values), rows)]
    right = sum(there) / len(there)
    in_float32 = np.float32(0)
    for value in there:
        in_float32 += np.float32(value)
    filled, complete = [piece for piece in cut if piece], read.dropna()[column].tolist()
    halved = float(np.mean(filled[0]))
    for piece in filled[1:]:
        halved = (halved + float(np.mean(piece))) / 2
    lengths_cut = [len(values[i:i + rows]) for i in range(0, len(values), rows)]
    mistakes = {"The rows without a value were counted, too.": sum(there) / len(values),
                "This is the sum of the values; divide by how many they are.": sum(there),
                "A 0 is a value, it counts.": sum(there) / (sum(value != 0 for value in there) or 1),
                "A row with a gap in another column counts, too.": sum(complete) / len(complete) if complete else 1e99,
                "The pieces' means were weighted by the numbers of rows, not of values.":
                float(np.average([np.mean(piece) for piece in filled], weights=[many for piece, many in zip(cut, lengths_cut) if piece])),
                "The numbers were added up in float32, which holds some 7 digits.": float(in_float32) / len(there),
                "This is the mean of the pieces' means; the pieces hold different numbers of values.":
                float(np.mean([np.mean(piece) for piece in filled])),
                "Here the mean so far and that of the new piece count half each: the last piece counts as much as all before it.": halved,
                "This is the mean of the first piece.": float(np.mean(cut[0])) if cut[0] else 1e99,
                "The last, shorter piece is missing.": float(np.mean(sum(cut[:-1], []))) if sum(cut[:-1], []) else 1e99}
    assert_close(float(found), right, call, of=of, hint="It is the sum of all values, divided by how many they are: both are carried from piece to piece." if found == found
                 else "A gap was added up, and nan plus a number is nan." if len(filled) == len(cut)
                 else "A piece without a single value has no mean, its mean is nan: carry sums and counts from piece to piece.",
                 mistakes={sentence: value for sentence, value in mistakes.items() if abs(value - right) > 1e-7})
    if lengths:
        assert_true(max(lengths) <= rows, f"no table longer than {rows} rows is read in {call}", of='pieces', hint=f"A table of {max(lengths)} rows was read.")

def small_memory(column, rows, times, right):
    small_file, large_file = peak_memory(column, rows, times), peak_memory(column, rows, 3 * times)
    for found, many in ((small_file[0], 4 * times), (large_file[0], 12 * times)):
        assert_close(float(found), right, f"the mean of column {column} of a file of {many} rows, read {rows} at a time", of='mean')
    grown = large_file[1] - small_file[1]        # for each further row: less than 1 byte in pieces, 8 and more if one column is kept
    assert_true(grown < 4 * 8 * times, f"a file of {12 * times} rows takes hardly more memory than one of {4 * times}, read {rows} at a time", of='memory',
                hint=f"{grown} bytes more were in use at once, {grown / (8 * times):.0f} for each row more. Carry two numbers from piece to piece, and nothing that grows with the file.")

mean_in_pieces('a,b\n1,5\n,2\n-4,0\n-7,\n,1\n,1\n9,-1\n5,6\n0,2\n5,\n', 'a', 4, "a file of ten rows, a = 1, gap, -4, -7, gap, gap, 9, 5, 0, 5")
seven_rows = 'a,b,name\n1,5,x\n,2.5,y\n-4,0,z\n7,,w\n9,-1,v\n0,100,u\n,,t\n'
for r in (1, 2, 3, 5, 50):
    mean_in_pieces(seven_rows, 'a', r, "a file of seven rows, a = 1, gap, -4, 7, 9, 0, gap")
mean_in_pieces('a,b\nNA,1\n3,1\nnan,1\n5,2\n,9\n10,0\n', 'a', 4, "a = NA, 3, nan, 5, nothing, 10", 'gaps')
mean_in_pieces('place,n\n"Paris, Texas",4\n"Rome",\n"a,b,c",8\nOslo,6\n', 'n', 2, "places with commas in quotation marks, n = 4, gap, 8, 6", 'text')
mean_in_pieces('a\n16777217\n-16777214\n3\n', 'a', 1, "a = 16777217, -16777214, 3")
small_memory('a', 4000, 4000, 2.)
### BEGIN HIDDEN TESTS
for r in (1, 2, 3, 4, 6, 50):
    mean_in_pieces(seven_rows, 'b', r, "another column of the file of seven rows")
with open(d2l.data_file('penguins.csv')) as penguin_file:
    penguin_text = penguin_file.read()
for r in (344, 100, 7):
    mean_in_pieces(penguin_text, 'flipper_length_mm', r, "the penguins")
mean_in_pieces('x,y\n1,null\n1,N/A\n2,-3\n5,None\n0,7\n0,#N/A\n', 'y', 2, "y = null, N/A, -3, None, 7, #N/A", 'gaps')
mean_in_pieces('note,z\n"one, ""two"", three",1\n"line\nbreak",2\nplain,\n",",9.5\n', 'z', 3, "notes with commas, quotation marks and a line break", 'text')
mean_in_pieces('b,c\n1,-33554433\n1,33554438\n1,\n1,10.5\n', 'c', 1, "c = -33554433, 33554438, gap, 10.5")
small_memory('b', 4000, 5000, 16 / 3)
### END HIDDEN TESTS

# %% [markdown] teaches="array file"
# ## Other files: arrays and pictures
#
# Not all data are tables. What survives a trip to the disk? CSV keeps digits, and neither dtypes nor shapes of more than two axes. `np.save` writes an array with its dtype and shape, and `np.load` gives back
# the same. A file may be one in memory, an `io.BytesIO`; `seek(0)` goes back to its beginning, and `getvalue()` is its content, a string of *bytes*.

# %% teaches="array file"
file = io.BytesIO()
np.save(file, np.array([[1, 2], [3, 4]], dtype=np.int16))
file.seek(0)
again = np.load(file)
print(again.dtype, again.tolist(), len(file.getvalue()), 'bytes, the first of them', file.getvalue()[:6])

# %% [markdown] teaches="array file"
# ⚠ `np.save('x', array)` writes the file `x.npy`: a name without the ending gets one. Whoever then opens `x` finds nothing. And `np.load` gives an array, not a tensor; section 2.1 has the way to and fro.

# %% [markdown] task="2.2.5a" kind="code" minutes=6 difficulty=1 needs="array file, numpy and torch"
# ### A tensor to disk and back
#
# Write two functions. `save_tensor(X, path)` writes a tensor of any dtype that NumPy knows to the file `path`, a name that ends in `.npy`. `load_tensor(path)` reads such a
# file.
#
# **You are done when**
# - **file**: after `save_tensor` the file `path` is there, and no other; `np.load` reads from it an array of the dtype of `X`;
# - **saved**: this array has the shape and the values of `X`, for tensors without axes and without entries too;
# - **loaded**: `load_tensor` returns a tensor with the shape and the values of the array in the file;
# - **loaded dtype**: it has the array's dtype.

# %% exercise="2.2.5a"
### BEGIN SOLUTION
def save_tensor(X, path):
    np.save(path, X.numpy())


def load_tensor(path):
    return torch.from_numpy(np.load(path))
### END SOLUTION

# %% [markdown] hints="2.2.5a"
# 1. What does `np.load` return, and what are you asked for?
# 2. `X.numpy()` and `torch.from_numpy(array)` go to and fro and keep the dtype.
# 3. Another case: an array in a file in memory is written and read in the worked code above.

# %% check="2.2.5a" points=1
@probe
def files_after_saving(X):
    """The names of the files that save_tensor(X, 'x.npy') makes."""
    import os
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        save_tensor(X, os.path.join(folder, 'x.npy'))
        return sorted(os.listdir(folder))

@probe
def bytes_after_saving(X):
    """The first bytes of the file."""
    import os
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'x.npy')
        save_tensor(X, path)
        with open(path, 'rb') as file:
            return file.read(6)

@probe
def array_after_saving(X):
    """What np.load finds in the file."""
    import os
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'x.npy')
        save_tensor(X, path)
        return np.load(path)

@probe
def after_loading(array):
    """load_tensor(path) of a file that np.save has made."""
    import os
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'x.npy')
        np.save(path, array)
        found = load_tensor(path)
        return found.clone() if torch.is_tensor(found) else found

def to_disk_and_back(X):
    what = f"a tensor of dtype {str(X.dtype).removeprefix('torch.')} and shape {tuple(X.shape)}"
    assert_equal(files_after_saving(X.clone()), ['x.npy'], f"the files after save_tensor(X, 'x.npy') for {what}", of='file',
                 mistakes={"No file was written.": [], "The ending stands twice: `path` has it already.": ['x.npy.npy'], "The ending of the name is missing.": ['x']},
                 hint="There is to be this file, and no other.")
    assert_equal(bytes_after_saving(X.clone()), b'\x93NUMPY', f"the first bytes of the file for {what}", of='file',
                 hint=lambda: ("`torch.save` writes a file of another kind. " if bytes_after_saving(X.clone()).startswith(b'PK') else
                               "This is a file of text. " if bytes_after_saving(X.clone()).isascii() else "")
                 + "So begins a file that np.save has written, and that np.load reads as an array.")
    array = array_after_saving(X.clone())
    assert_dtype(array, X.numpy().dtype, f"the dtype in the file for {what}", of='file', hint="It was lost on the way to the file: `X.numpy()` has the dtype of `X`, a list has none.")
    assert_shape(array, tuple(X.shape), f"the shape in the file for {what}", of='saved')
    assert_equal(array.tolist(), X.tolist(), f"the values in the file for {what}", of='saved', hint="Dtype and shape are right; the values are to be those of `X`, in their order.")
    found = after_loading(X.numpy().copy())
    assert_type(found, torch.Tensor, f"what load_tensor returns for a file of {what}", of='loaded')
    assert_dtype(found, X.dtype, f"the dtype that load_tensor gives for {what}", of='loaded dtype',
                 hint="The array in the file has the right dtype; it was lost on the way to the tensor.")
    assert_shape(found, tuple(X.shape), f"the shape that load_tensor gives for {what}", of='loaded')
    assert_equal(found.tolist(), X.tolist(), f"the values that load_tensor gives for {what}", of='loaded', hint="Dtype and shape are right; the values are to be those of the array in the file.")

for sent in (torch.tensor([0.5, 2., -1.], dtype=torch.float64), torch.tensor([[[1, -2, 3]], [[4, 5, -6]]], dtype=torch.int16), torch.tensor(2.5), torch.zeros(0, 3),
             torch.tensor([[True], [False]])):
    to_disk_and_back(sent)
### BEGIN HIDDEN TESTS
rng_225 = torch.Generator().manual_seed(225)
for sent in (torch.randn(3, 4, 2, generator=rng_225), torch.randn(5, 1, generator=rng_225, dtype=torch.float64), torch.tensor(7), torch.zeros(2, 0, dtype=torch.uint8),
             torch.tensor([True, False]), torch.randn(1, 3, generator=rng_225).half()):
    to_disk_and_back(sent)
### END HIDDEN TESTS

# %% [markdown] teaches="image file"
# ### Pictures
#
# A grey picture is a table of `uint8` numbers, 0 black and 255 white; a colour picture has a third axis for red, green and blue. The library Pillow reads and writes picture files.
# `Image.fromarray(array)` makes a picture of an array of shape `(H, W)` or `(H, W, 3)`, H rows and W columns. `picture.save(file, 'PNG')` writes it, and `np.asarray(Image.open(file))` reads it.

# %% teaches="image file"
from PIL import Image

ramp = np.arange(0, 240, 2, dtype=np.uint8).reshape(8, 15)
for kind in ('PNG', 'JPEG'):
    file = io.BytesIO()
    Image.fromarray(ramp).save(file, kind)
    back = np.asarray(Image.open(file))
    print(kind, back.dtype, back.shape, '| largest difference', np.abs(back.astype(int) - ramp).max(), '| size for Pillow', Image.open(file).size)

# %% [markdown] teaches="image file"
# PNG gives back every number. JPEG does not, and is not meant to: it stores what looks alike in fewer bytes. ⚠ Pillow's `size` is width, then height, the reverse of `shape`.
#
# ⚠ Networks want the axis for the colours also where there is only one, `(H, W, 1)`. Pillow has no such pictures, and refuses:

# %% tags=["demo"] teaches="image file"
try:
    Image.fromarray(ramp[:, :, None])
except TypeError as error:
    print('TypeError:', str(error)[:60])
print(ramp[:, :, None][:, :, 0].shape, np.zeros((1, 6, 1)).squeeze().shape)

# %% [markdown]
# `[:, :, 0]` takes the last axis away, and `None` puts one back. `squeeze()` takes *all* axes of length 1 away: from a picture of a single row, too much.

# %% [markdown] task="2.2.5b" kind="code" minutes=10 difficulty=3 needs="image file, new axis"
# ### Pixels into a PNG
#
# Write two functions. `to_png(pixels)` makes a PNG of a `uint8` array of shape `(H, W, 1)`, grey, or `(H, W, 3)`, in colours. `from_png(png)` makes such an array of a PNG. H and W are at least 1.
#
# **You are done when**
# - **png**: `to_png` returns a PNG file as `bytes`;
# - **height and width**: the picture in it has H rows and W columns, each of which may be 1;
# - **pixels**: decoded by Pillow it has the pixels of `pixels`, grey or in colours as they are, none of them changed;
# - **decoded**: `from_png` returns an array of dtype `uint8` and shape `(H, W, 1)` for a grey PNG, `(H, W, 3)` for one in colours, with its pixels.

# %% exercise="2.2.5b"
### BEGIN SOLUTION
def to_png(pixels):
    file = io.BytesIO()
    # Pillow has no pictures with an axis for one channel
    Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels).save(file, 'PNG')
    return file.getvalue()


def from_png(png):
    pixels = np.asarray(Image.open(io.BytesIO(png)))
    return pixels[:, :, None] if pixels.ndim == 2 else pixels
### END SOLUTION

# %% [markdown] hints="2.2.5b"
# 1. Which of the two shapes does `Image.fromarray` refuse? How many axes does Pillow give you back for it?
# 2. `pixels[:, :, 0]` drops the last axis, `array[:, :, None]` brings it back. `io.BytesIO(png)` makes a file of bytes.
# 3. Another case, the bytes of a JPEG: `file = io.BytesIO(); picture.save(file, 'JPEG'); file.getvalue()`.

# %% check="2.2.5b" points=2
import base64

def turned_round(photo):
    return {"Red and blue are exchanged.": photo[:, :, ::-1].copy(), "The rows stand upside down.": photo[::-1].copy(),
            "Left and right are exchanged.": photo[:, ::-1].copy(),
            "Black and white are exchanged.": 255 - photo}

def where_they_differ(found, photo):
    """How many pixels are wrong, or that they are the right ones in other places."""
    amiss = int((found != photo).any(axis=2).sum())
    return ("The numbers are the right ones, in other places." if np.array_equal(np.sort(found, axis=None), np.sort(photo, axis=None))
            else f"{amiss} of {photo.shape[0] * photo.shape[1]} pixels differ: PNG itself changes none.")

def as_png(photo):
    from PIL import Image as Pictures
    what = f"pixels of shape {photo.shape}"
    png = to_png(photo.copy())
    assert_type(png, bytes, f"what to_png returns for {what}", of='png')
    assert_equal(png[:8], b'\x89PNG\r\n\x1a\n', f"the first bytes of to_png for {what}", of='png', hint="They tell a PNG from other files.",
                 mistakes={"No bytes came: after writing, `read()` begins at the end of the file; `getvalue()` gives all of it.": b''})
    picture = Pictures.open(io.BytesIO(png))
    assert_equal((picture.height, picture.width), photo.shape[:2], f"height and width of the PNG for {what}", of='height and width',
                 hint="`squeeze()` takes every axis of length 1 away, not the last alone." if 1 in photo.shape[:2] else "H is the number of rows, W the number of columns.")
    assert_true(picture.mode != 'P', f"the PNG for {what} holds the pixels themselves", of='pixels', hint="It holds numbers of a palette of colours.")
    read_back = np.asarray(picture)
    assert_equal('grey' if read_back.ndim == 2 else 'in colours', 'grey' if photo.shape[2] == 1 else 'in colours', f"whether the PNG is grey or in colours for {what}", of='pixels',
                 hint="One channel makes a grey picture, without a copy for red, green and blue." if photo.shape[2] == 1 else "Three channels make a picture in colours: all three go in.")
    assert_equal(read_back.shape[2:], photo.shape[2:] if photo.shape[2] == 3 else (), f"the channels in the PNG for {what}", of='pixels', hint="Red, green and blue; a fourth channel is not asked for.")
    assert_close(read_back.reshape(photo.shape), photo, f"the pixels in the PNG for {what}", of='pixels', mistakes=turned_round(photo), hint=lambda: where_they_differ(read_back.reshape(photo.shape), photo))

def from_a_png(photo, png):
    found = from_png(png)
    what = f"a PNG of {photo.shape[0]} rows and {photo.shape[1]} columns, {'grey' if photo.shape[2] == 1 else 'in colours'}"
    assert_type(found, np.ndarray, f"what from_png returns for {what}", of='decoded')
    height, width, channels = photo.shape
    heard = {(height, width): "The third axis is missing, of length 1 for a grey picture.",
             (1, height, width): "The axis of length 1 is the last one, not the first.",
             (width, height, channels): "Pillow's `size` is width, then height; here H comes first.",
             (height, width, 1, channels): "A picture in colours has its third axis already.",
             (height, width, 3): "A grey picture has one channel, not three.", (height, width, 4): "A fourth channel says how opaque a pixel is; it is not asked for."}
    assert_shape(found, photo.shape, f"the shape that from_png gives for {what}", of='decoded', hint=heard.get(tuple(found.shape), ""))
    assert_dtype(found, np.uint8, f"the dtype that from_png gives for {what}", of='decoded')
    assert_close(found, photo, f"the pixels that from_png gives for {what}", of='decoded', mistakes=turned_round(photo), hint=lambda: where_they_differ(found, photo))

def some_pixels(*shape):
    return np.random.default_rng(sum(shape)).integers(0, 256, shape, dtype=np.uint8)

pngs = {    # the pixels of these shapes as PNGs, in base 64
    (2, 3, 1): "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAAAAAC4HznGAAAAEElEQVR4nGP41/SOqZjfFAAQYAMox3/eQwAAAABJRU5ErkJggg==",
    (2, 4, 3): "iVBORw0KGgoAAAANSUhEUgAAAAQAAAACCAIAAADwyuo0AAAAI0lEQVR4nGNQbH+VfW/ZiXsKLOzfGF1u5bA+Mf8br7HE6zwAoWsMNeERrogA"
               "AAAASUVORK5CYII=",
    (1, 6, 1): "iVBORw0KGgoAAAANSUhEUgAAAAYAAAABCAAAAADYooAsAAAAD0lEQVR4nGP8kn+x5dQnAA9HBHZtPpW4AAAAAElFTkSuQmCC",
    (5, 1, 3): "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAFCAIAAAAL5hHIAAAAHElEQVR4nGNQbH/F5BW+h+HEPQUGFvZvDC63cgBItwdDVQ2b6gAAAABJRU5ErkJg"
               "gg=="}
for size, png in pngs.items():
    as_png(some_pixels(*size))
    from_a_png(some_pixels(*size), base64.b64decode(png))
### BEGIN HIDDEN TESTS
def png_of(photo):
    from PIL import Image as Pictures
    there = io.BytesIO()
    Pictures.fromarray(photo.reshape(photo.shape[:2]) if photo.shape[2] == 1 else photo).save(there, 'PNG')
    return there.getvalue()

for size in ((6, 4, 1), (5, 4, 3), (8, 1, 1), (1, 1, 1), (1, 7, 3), (3, 3, 3), (3, 3, 1)):
    as_png(some_pixels(*size))
    from_a_png(some_pixels(*size), png_of(some_pixels(*size)))
### END HIDDEN TESTS

# %% [markdown] teaches="quantisation"
# ### From real numbers to 256 steps
#
# A network computes with numbers from 0 to 1, and PNG holds whole numbers from 0 to 255. So the numbers must be mapped to
# 256 values, with 255 equal steps between the first and the last: *quantisation*. The way back divides by 255. A conversion to
# integers cuts the fraction off; `round()` goes to the nearest whole number. How much is lost?

# %% tags=["setup"]
def from_pixels(pixels):
    """uint8 in 0 ... 255 -> float32 in [0, 1]."""
    return pixels.float() / 255

# %% teaches="quantisation"
five = torch.tensor([0., 0.1, 0.7, 0.9, 1.])                    # to five values, 0 to 4: four steps
print((five * 4).tolist())
print('cut off:', (five * 4).to(torch.uint8).tolist(), ' rounded:', (five * 4).round().tolist())

# %% [markdown] teaches="quantisation"
# By cutting off, 2.8 and 3.6 lose most of a step; by rounding, no number is moved by more than half a step.

# %% [markdown] task="2.2.5c" kind="code" minutes=8 difficulty=3 needs="quantisation, dtype"
# ### Grey values from 0 to 1
#
# Write `to_pixels(values)`, the way to the pixels. `values` is a `float32` tensor with entries from 0 to 1. The way back is `from_pixels`, above.
#
# **You are done when**
# - **form**: the result is a tensor with the shape of `values` and the dtype `uint8`;
# - **ends**: 0 becomes 0 and 1 becomes 255;
# - **half a step**: there and back, no entry is off by more than 1/510, half a step;
# - **values kept**: `values` itself is as it was.

# %% exercise="2.2.5c"
def to_pixels(values):
    """float32 in [0, 1] -> uint8 in 0 ... 255, rounded to the nearest step."""
    ### BEGIN SOLUTION
    return (values * 255).round().to(torch.uint8)
    ### END SOLUTION

# %% [markdown] hints="2.2.5c"
# 1. What does `.to(torch.uint8)` do with 127.5, and with 256?
# 2. A conversion to integers cuts the fraction off; `round()` goes to the nearest whole number first.
# 3. Another case: five values from 0 to 4: 0.7 is 2.8, nearest 3, which goes back to 0.75, an error of 0.05 <
#    1/8.

# %% check="2.2.5c" points=2
@probe
def values_after_to_pixels(values):
    to_pixels(values)
    return values

def there_and_back(values, what):
    found = to_pixels(values.clone())
    assert_type(found, torch.Tensor, f"what to_pixels returns for {what}", of='form')
    assert_shape(found, tuple(values.shape), f"the shape of to_pixels for {what}", of='form')
    assert_dtype(found, torch.uint8, f"the dtype of to_pixels for {what}", of='form',
                 hint="`round()` keeps the dtype: whole numbers of dtype uint8 come of `.to(torch.uint8)`." if found.is_floating_point() else "")
    for end, wanted in ((0., 0), (1., 255)):
        if (values == end).any():
            assert_equal(sorted(set(found[values == end].flatten().tolist())), [wanted], f"the pixels for {end:g}, in {what}", of='ends',
                         hint=f"{end:g} · 255 is {wanted}, without a fraction: nothing is to be added to it or taken away, and there is nothing to round.",
                         mistakes={"1 is white, 255, and 0 is black.": [255]} if not wanted
                         else {"256 does not fit into uint8 and wraps to 0: there are 256 values, but 255 steps." if found.any() else
                               "All pixels are 0 here: the values from 0 to 1 are to be spread over 0 to 255.": [0], "The values are to be multiplied by 255.": [1],
                               "There are 255 steps, not 254.": [254]})
    again = found.double() / 255
    off = (again - values.double()).abs().max().item()
    cut, by_256 = ((values * 255).to(torch.uint8).double() / 255), (values * 256).round().clamp(max=255).to(torch.uint8)
    worst = int((again - values.double()).abs().argmax())
    spread = values.max() - values.min()
    stretched = torch.equal(found, ((values - values.min()) / (spread if spread else 1.) * 255).round().to(torch.uint8))
    rough = next((f"The values were rounded to {digits} digit{'s' * (digits > 1)} after the point first: round once, at the end."
                  for digits in (1, 2) for last in (torch.floor, torch.round)
                  if torch.equal(found, last((values * 10 ** digits).round() / 10 ** digits * 255).to(torch.uint8))), "")
    assert_true(off <= 1 / 510 + 1e-6, f"there and back, no entry is off by more than 1/510 = 0.00196, for {what}", of='half a step',
                hint="The fraction was cut off: 63.75 is nearer to 64 than to 63." if torch.equal(again, cut)
                else "These were multiplied by 256: from 0 to 255 there are 255 steps." if torch.equal(found, by_256)
                else "All are 0 or 255: here the values were rounded before they were multiplied." if set(found.flatten().tolist()) <= {0, 255}
                else "The fraction was rounded up, always." if torch.equal(found, (values * 255).ceil().to(torch.uint8))
                else "The values were stretched to their own range, from the smallest to the largest; "
                     "0 becomes 0 and 1 becomes 255, whether they occur or not." if stretched
                else rough or f"The largest error is {off:.5f}: {values.flatten()[worst]:.5f} became {found.flatten()[worst].item()}.")
    assert_close(values_after_to_pixels(values.clone()), values, f"the values after the call, for {what}", of='values kept',
                 hint="`*=` and functions with an underscore at the end write into `values`.")

there_and_back(torch.tensor([0., 0.25, 1., 0.998, 0.02]), "0, 0.25, 1, 0.998, 0.02")
there_and_back(torch.rand(5, 4, generator=torch.Generator().manual_seed(2251)), "20 random values in shape (5, 4)")
there_and_back(torch.tensor([[0.3], [0.31], [0.32]]), "0.3, 0.31, 0.32 in shape (3, 1)")
### BEGIN HIDDEN TESTS
there_and_back(torch.rand(60, 50, generator=torch.Generator().manual_seed(2252)), "3,000 random values")
there_and_back(torch.arange(256).float() / 255, "the 256 values that pixels can have")
there_and_back(torch.tensor([[[1., 0.6, 0.7]], [[0.5, 0.4, 0.]]]), "six values in shape (2, 1, 3)")
### END HIDDEN TESTS

# %% tags=["setup"]
parcels = {
    'a': ('npy', np.zeros((0, 3), dtype=np.int16)),
    'b': ('png', np.zeros((5, 7), dtype=bool)),
    'c': ('png', np.zeros((5, 7), dtype=np.float32)),
    'd': ('jpeg', np.zeros((5, 7), dtype=bool)),
    'e': ('png', np.zeros(7, dtype=np.uint8)),
    'f': ('csv', np.ones((4, 3), dtype=np.float32)),
}

# %% [markdown] task="2.2.5d" kind="answer" minutes=10 difficulty=3 needs="array file, image file, reading a csv file"
# ### What arrives
#
# `parcels`, above, sends six arrays through files. Each parcel is a format and an array. It is written in this format and read again: `npy` by
# `np.save` and `np.load`; `png` and `jpeg` by Pillow, as above; `csv` by `pd.DataFrame(array).to_csv(file, index=False)`, which writes a line of column names and a line for each row, and `pd.read_csv(file).to_numpy()`. Predict what arrives,
# then try it.
#
# Set `arrives` to a dictionary with the keys `'a'` to `'f'`. Each value is a pair: the name of the dtype that arrives, and the shape as a tuple, such as `('int32', (2, 9))`; or
# the word `'error'` where the array cannot be written.
#
# **You are done when**
# - **form**: `arrives` has the six keys, and a pair or `'error'` under each;
# - **npy**: parcel `'a'` is right, an empty array;
# - **png bool**: parcel `'b'` is right, a picture of black and white;
# - **png float**: parcel `'c'` is right, a picture of numbers with a fraction;
# - **jpeg**: parcel `'d'` is right, black and white as JPEG;
# - **vector**: parcel `'e'` is right, an array of one axis as a picture;
# - **csv**: parcel `'f'` is right, a table of `float32`.

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
def delivered(kind, array):
    from PIL import Image as Pictures
    there = io.StringIO() if kind == 'csv' else io.BytesIO()
    try:
        if kind == 'npy':
            np.save(there, array)
        elif kind == 'csv':
            pd.DataFrame(array).to_csv(there, index=False)
        else:
            Pictures.fromarray(array).save(there, kind.upper())
    except (OSError, TypeError):
        return 'error'
    there.seek(0)
    got = np.load(there) if kind == 'npy' else pd.read_csv(there).to_numpy() if kind == 'csv' else np.asarray(Pictures.open(there))
    return str(got.dtype), got.shape

def pairs_given():
    assert_type(arrives, dict, "`arrives`", of='form')
    assert_equal(sorted(map(str, arrives)), list('abcdef'), "the keys of `arrives`", of='form')
    for key in 'abcdef':
        assert_true(arrives[key] == 'error' or isinstance(arrives[key], (tuple, list)) and len(arrives[key]) == 2 and isinstance(arrives[key][1], (tuple, list)),
                    f"under {key!r} stands a pair of a dtype and a shape, or the word 'error'", of='form',
                    hint=f"There stands {arrives[key]!r}. A shape is a tuple, of a single axis too: `(9,)`.")

def parcel_right(key, of):
    found = delivered(*parcels[key])
    assert_true((arrives[key] == 'error') == (found == 'error'), f"under {key!r} stands 'error' if the array cannot be written, and a pair if it can", of=of,
                hint="This can be written, though it may come back as something else." if arrives[key] == 'error' else "This dtype cannot be written as such a picture.")
    if found != 'error':
        kept = {'f': "A CSV file holds text and no dtypes: `read_csv` chooses one by what it reads."
                     + (" `to_csv` writes these ones as 1.0." if 'int' in str(arrives[key][0]) else ""),
                'a': "`np.save` writes the dtype down.", 'd': "JPEG has no pictures of single bits.", 'b': "Black and white is a kind of picture of its own for PNG.",
                'e': "A grey picture holds whole numbers from 0 to 255."}
        assert_true(str(arrives[key][0]).removeprefix('torch.') == found[0], f"the dtype of parcel {key} is right", of=of, hint=kept.get(key, ""))
        assert_true(list(arrives[key][1]) == list(found[1]), f"the shape of parcel {key} is right", of=of,
                    hint={'f': "The line of names is read as names, it is no row." if arrives[key][1][:1] in ((5,), [5])
                          else "`index=False` leaves the row labels out." if tuple(arrives[key][1]) == (4, 4) else "The table has the rows and columns of the array.",
                          'e': "A picture has two axes at least." if len(arrives[key][1]) < 2 else "Pillow takes the only axis of a vector for the height.",
                          'a': "`np.save` writes the shape down, a 0 in it too."}.get(key, "`np.asarray` of a picture has rows, then columns, as the array had."))

about = {'a': 'npy', 'b': 'png bool', 'c': 'png float', 'd': 'jpeg', 'e': 'vector', 'f': 'csv'}
pairs_given()
for key, of in about.items():
    with part(0.25, f"parcel {key}", of=of):
        parcel_right(key, of)
### BEGIN HIDDEN TESTS
pairs_given()
for key, of in about.items():
    with part(0.25, f"parcel {key}, at grading", of=of):
        parcel_right(key, of)
### END HIDDEN TESTS
total()

# %% [markdown]
# ## All of it together
#
# The penguins, from the file to the inputs of a model that is to predict the species: a tensor for training, one for testing. Rows without measurements are gone. 240 random rows are for training, the other 102 for testing. From each number the training mean is subtracted, and it is divided by the
# training standard deviation, so that millimetres and grams become comparable. Sex is one-hot, with a column for "missing". The words for it are learned from the training rows, like the means; two calls of `get_dummies` would take each table's own words.

# %% tags=["demo"]
measured = ['bill_length_mm', 'bill_depth_mm', 'flipper_length_mm', 'body_mass_g']
clean = penguins.dropna(how='all', subset=measured).reset_index(drop=True)
order = np.random.default_rng(0).permutation(len(clean))
train, test = clean.loc[order[:240]], clean.loc[order[240:]]
means, spread = train[measured].mean(), train[measured].std()
sexes = sorted(train['sex'].dropna().unique())

def as_inputs(birds):
    X = (birds[measured].fillna(means) - means) / spread
    for word in sexes:
        X[word] = (birds['sex'] == word).astype(float)
    X['missing'] = birds['sex'].isna().astype(float)
    return torch.tensor(X.to_numpy())

print(as_inputs(train).shape, as_inputs(test).shape)
figure, ax = plt.subplots(figsize=(5.5, 3.2), layout='constrained')
for name, marker in (('Adelie', 'o'), ('Chinstrap', '^'), ('Gentoo', 's')):
    rows = train[train.species == name]
    ax.plot(rows.bill_length_mm, rows.bill_depth_mm, marker, markersize=3, label=name)
ax.set(xlabel='bill length (mm)', ylabel='bill depth (mm)')
ax.legend(loc='center left', bbox_to_anchor=(1, 0.5))
plt.show()

# %% [markdown]
# Each point is a training penguin. The three species form three heaps, which hardly overlap. A model that is given these two numbers alone can tell most of the species
# apart; how it learns to is the rest of this book.
#
# ## Summary
#
# - `read_csv` makes a table of a text file. Its columns have one dtype each, its rows have labels; `loc` reads labels, `iloc` positions.
# - A gap is `NaN`. `isna` finds it, `==` does not, and `!=` and `~` count it in. Gaps also hide as 0 or 999: look at the smallest and largest values.
# - Numbers get the mean for a gap, words become one-hot columns with one for "missing". Everything that preparation learns, it learns from the
#   training rows alone.
# - A row of a table takes the bytes of its dtypes. What does not fit is read in pieces, carrying sums and counts.
# - `np.save` and PNG give back what was put in. CSV forgets the dtype, JPEG changes values, and quantisation costs half a step.
#
# The calls, to look up later (`t` is a table, `c` a column):
#
# | question | call |
# |---|---|
# | How large, and of which dtypes? | `t.shape`, `t.dtypes` |
# | Which rows and columns, by label or by position? | `t.loc[rows, columns]`, `t.iloc[i, j]` |
# | Which rows fulfil a condition? | `t[c == 3]`, `t[c.isin(values)]`; for not `~`, for and `&` |
# | Where are gaps, and how many? | `t.isna()`, `t.isna().sum()` |
# | Rid of gaps? | `t.dropna()` drops rows, `t.fillna(t.mean())` fills each column with its own mean |
# | How many different values, which, how often? | `c.nunique()`, `c.unique()`, `c.value_counts()` |
# | Are these numbers? | `pd.api.types.is_numeric_dtype(c)`, `t.select_dtypes(exclude='number')` |
# | Words as columns of 0 and 1? | `pd.get_dummies(t, columns=words, dummy_na=True, dtype=float)` |
# | A tensor? | `torch.tensor(t.to_numpy(dtype=float))` |
# | More rows than memory? | `for piece in pd.read_csv(path, chunksize=rows)` |
#
# Section 2.3 calculates with the rows and columns of such tensors. Section 5.7 does all of this again, on a competition.
