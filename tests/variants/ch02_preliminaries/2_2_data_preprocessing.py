# %% [markdown]
# # Variants for 2.2 Data preprocessing

# %% right="2.2.A" how="read by pandas"
columns_read = {name: (str(column.dtype), int(column.isna().sum())) for name, column in pd.read_csv(io.StringIO(sheet)).items()}

# %% right="2.2.A" how="lists"
columns_read = dict(a=['int64', 0], b=['float64', 1], c=['str', 0], d=['float64', 0], e=['str', 2])

# %% wrong="2.2.A" why="only the first" breaks="five entries" says="the keys of `columns_read`"
columns_read = {'a': ('int64', 0)}

# %% wrong="2.2.A" why="dtypes alone" breaks="five entries" says="A name and a number, in a tuple"
columns_read = {'a': 'int64', 'b': 'float64', 'c': 'str', 'd': 'float64', 'e': 'str'}

# %% wrong="2.2.A" why="whole numbers stay whole" breaks="dtypes" says="has room for a gap?"
columns_read = {'a': ('int64', 0), 'b': ('int64', 1), 'c': ('str', 0), 'd': ('float64', 0), 'e': ('str', 2)}

# %% wrong="2.2.A" why="text is object" breaks="dtypes" says="the dtype of text before pandas 3"
columns_read = {'a': ('int64', 0), 'b': ('float64', 1), 'c': ('object', 0), 'd': ('float64', 0), 'e': ('object', 2)}

# %% wrong="2.2.A" why="one decimal point does not count" breaks="dtypes" says="has room for a decimal point"
columns_read = {'a': ('int64', 0), 'b': ('float64', 1), 'c': ('str', 0), 'd': ('int64', 0), 'e': ('str', 2)}

# %% wrong="2.2.A" why="the words None and NA are text" breaks="gaps" says="how many values of column e are missing"
columns_read = {'a': ('int64', 0), 'b': ('float64', 1), 'c': ('str', 0), 'd': ('float64', 0), 'e': ('str', 0)}

# %% wrong="2.2.A" why="only NA is missing" breaks="gaps" says="how many values of column e are missing"
columns_read = {'a': ('int64', 0), 'b': ('float64', 1), 'c': ('str', 0), 'd': ('float64', 0), 'e': ('str', 1)}

# %% wrong="2.2.A" why="all values missing make a column of numbers" breaks="dtypes" says="the dtype of column e"
columns_read = {'a': ('int64', 0), 'b': ('float64', 1), 'c': ('str', 0), 'd': ('float64', 0), 'e': ('float64', 2)}

# %% right="2.2.1a" how="counts and divides"
def missing_fractions(table):
    return table.isnull().sum() / len(table)

# %% right="2.2.1a" how="a loop over the columns"
def missing_fractions(table):
    return pd.Series({name: sum(pd.isna(v) for v in table[name]) / len(table[name])
                      for name in table.columns})

# %% right="2.2.1a" how="the complement of count"
def missing_fractions(table):
    return 1 - table.count() / table.shape[0]

# %% right="2.2.1a" how="through an array"
def missing_fractions(table):
    return pd.Series(pd.isna(table.to_numpy()).mean(axis=0), index=table.columns)

# %% wrong="2.2.1a" why="counts" breaks="fractions" says="These are counts"
def missing_fractions(table):
    return table.isna().sum()

# %% wrong="2.2.1a" why="divides by the number of all values" breaks="fractions" says="not by the number of all values"
def missing_fractions(table):
    return table.isna().sum() / table.size

# %% wrong="2.2.1a" why="a table, and without the complete columns" breaks="form" says="expected a Series"
def missing_fractions(table):
    share = table.isna().mean()
    return share[share > 0].to_frame().T

# %% wrong="2.2.1a" why="leaves the complete columns out of the Series" breaks="form" says="with 0 where it is complete"
def missing_fractions(table):
    share = table.isna().mean()
    return share[share > 0]

# %% wrong="2.2.1a" why="per row" breaks="form" says="the names in the Series"
def missing_fractions(table):
    return table.isna().mean(axis=1).iloc[:3]

# %% wrong="2.2.1a" why="zeros and empty words are missing, too" breaks="only gaps" says="zeros, an empty word"
def missing_fractions(table):
    return (table.isna() | (table == 0) | (table == '')).mean()

# %% wrong="2.2.1a" why="knows the number of rows of the houses" breaks="fractions" says="five rows with gaps"
def missing_fractions(table):
    return table.isna().sum() / 4

# %% wrong="2.2.1a" why="a global in place of the argument" breaks="form" says="five rows with gaps"
def missing_fractions(table):
    return houses.isna().mean()

# %% wrong="2.2.1a" why="fills the argument" breaks="table kept" says="the table after the call"
def missing_fractions(table):
    share = table.isna().mean()
    for name in table:
        table[name] = table[name].ffill()
    return share

# %% wrong="2.2.1a" why="one number for the whole table" breaks="form" says="wrong type"
def missing_fractions(table):
    return float(table.isna().to_numpy().mean())

# %% wrong="2.2.1a" why="the fraction that is there" breaks="fractions" says="This is the fraction that is there"
def missing_fractions(table):
    return table.notna().mean()

# %% wrong="2.2.1a" why="percentages" breaks="fractions" says="These are percentages"
def missing_fractions(table):
    return 100 * table.isna().mean()

# %% wrong="2.2.1a" why="the words NA and nan are gaps" breaks="only gaps" says="zeros, an empty word"
def missing_fractions(table):
    return table.replace(['NA', 'nan', 'None', 'null'], None).isna().mean()

# %% wrong="2.2.1a" why="sorted by how much is missing" breaks="form" says="the names in the Series"
def missing_fractions(table):
    return table.isna().mean().sort_values(ascending=False)

# %% wrong="2.2.1a" why="a dictionary" breaks="form" says="expected a Series"
def missing_fractions(table):
    return table.isna().mean().to_dict()

# %% wrong="2.2.1a" why="writes the mask into the table" breaks="table kept" says="the table after the call"
def missing_fractions(table):
    for name in table:
        table[name] = table[name].isna()
    return table.mean()

# %% wrong="2.2.1a" why="rounded to two digits" breaks="fractions" says="are not to be rounded"
def missing_fractions(table):
    return table.isna().mean().round(2)

# %% right="2.2.1b" how="select_dtypes"
def column_kinds(table, limit):
    rest = table.select_dtypes(exclude='number')
    few = (rest.nunique() <= limit).sum()
    n = len(table.columns)
    return {'text': (rest.shape[1] - few) / n, 'categorical': few / n, 'numeric': 1 - rest.shape[1] / n}

# %% right="2.2.1b" how="dtype kinds and sets"
def column_kinds(table, limit):
    shares = dict.fromkeys(['numeric', 'categorical', 'text'], 0.)
    for _, column in table.items():
        if getattr(column.dtype, 'kind', 'O') in 'iuf':
            kind = 'numeric'
        else:
            kind = 'categorical' if len(set(column.dropna())) <= limit else 'text'
        shares[kind] += 1 / len(table.columns)
    return shares

# %% right="2.2.1b" how="a Series of kinds, counted"
def column_kinds(table, limit):
    kinds = pd.Series({name: 'numeric' if pd.api.types.is_integer_dtype(column) or pd.api.types.is_float_dtype(column) else
                       'categorical' if column.dropna().unique().size <= limit else 'text' for name, column in table.items()})
    return kinds.value_counts(normalize=True).reindex(['text', 'numeric', 'categorical'], fill_value=0.).to_dict()

# %% wrong="2.2.1b" why="counts" breaks="shares" says="divide by the number of columns"
def column_kinds(table, limit):
    rest = table.select_dtypes(exclude='number')
    few = int((rest.nunique() <= limit).sum())
    return {'numeric': table.shape[1] - rest.shape[1], 'categorical': few, 'text': rest.shape[1] - few}

# %% wrong="2.2.1b" why="the dtype of text before pandas 3" breaks="shares" says="the shares of Abalone"
def column_kinds(table, limit):
    words = [c for c in table if table[c].dtype == object]
    few = sum(table[c].nunique() <= limit for c in words)
    n = table.shape[1]
    return {'numeric': (n - len(words)) / n, 'categorical': few / n, 'text': (len(words) - few) / n}

# %% wrong="2.2.1b" why="numbers with few values are categories" breaks="numbers" says="however few its values"
def column_kinds(table, limit):
    n = table.shape[1]
    few = sum(table[c].nunique() <= limit for c in table)
    numbers = sum(table[c].nunique() > limit and pd.api.types.is_numeric_dtype(table[c]) for c in table)
    return {'numeric': numbers / n, 'categorical': few / n, 'text': (n - few - numbers) / n}

# %% wrong="2.2.1b" why="a gap counts as a value" breaks="limit" says="its gap is no value"
def column_kinds(table, limit):
    rest = table.select_dtypes(exclude='number')
    few, n = (rest.nunique(dropna=False) <= limit).sum(), table.shape[1]
    return {'numeric': 1 - rest.shape[1] / n, 'categorical': few / n, 'text': (rest.shape[1] - few) / n}

# %% wrong="2.2.1b" why="less than the limit" breaks="limit" says="two values are at most 2"
def column_kinds(table, limit):
    rest = table.select_dtypes(exclude='number')
    few, n = (rest.nunique() < limit).sum(), table.shape[1]
    return {'numeric': 1 - rest.shape[1] / n, 'categorical': few / n, 'text': (rest.shape[1] - few) / n}

# %% wrong="2.2.1b" why="shares of the text columns, not of all" breaks="shares" says="the shares of Abalone"
def column_kinds(table, limit):
    rest = table.select_dtypes(exclude='number')
    few, n = (rest.nunique() <= limit).sum(), rest.shape[1]
    return {'numeric': 1 - n / table.shape[1], 'categorical': few / n, 'text': 1 - few / n}

# %% wrong="2.2.1b" why="only the dtype category is a category" breaks="shares" says="the shares of Abalone"
def column_kinds(table, limit):
    n = table.shape[1]
    return {'numeric': table.select_dtypes('number').shape[1] / n,
            'categorical': table.select_dtypes('category').shape[1] / n,
            'text': table.select_dtypes('str').shape[1] / n}

# %% wrong="2.2.1b" why="a category of numbers is numeric" breaks="dtype category" says="is not numeric, whatever its values"
def column_kinds(table, limit):
    n, found = table.shape[1], {'numeric': 0, 'categorical': 0, 'text': 0}
    for c in table:
        try:
            table[c].astype(float)
            found['numeric'] += 1 / n
        except (ValueError, TypeError):
            found['categorical' if table[c].nunique() <= limit else 'text'] += 1 / n
    return found

# %% wrong="2.2.1b" why="only 64-bit dtypes are numbers" breaks="numbers" says="are dtypes of numbers, too"
def column_kinds(table, limit):
    kinds = ['numeric' if table[c].dtype in ('int64', 'float64') else 'categorical' if table[c].nunique() <= limit else 'text' for c in table]
    return {kind: kinds.count(kind) / len(kinds) for kind in ('numeric', 'categorical', 'text')}

# %% wrong="2.2.1b" why="unsigned integers are no numbers" breaks="numbers" says="uint8 is a dtype of numbers, too"
def column_kinds(table, limit):
    kinds = ['numeric' if getattr(table[c].dtype, 'kind', 'O') in 'if' else 'categorical' if table[c].nunique() <= limit else 'text' for c in table]
    return {kind: kinds.count(kind) / len(kinds) for kind in ('numeric', 'categorical', 'text')}

# %% wrong="2.2.1b" why="kinds that do not occur are left out" breaks="form" says="the keys for the shares of Abalone"
def column_kinds(table, limit):
    kinds = ['numeric' if pd.api.types.is_numeric_dtype(table[c]) else 'categorical' if table[c].nunique() <= limit else 'text' for c in table]
    return {kind: kinds.count(kind) / len(kinds) for kind in set(kinds)}

# %% wrong="2.2.1b" why="a tuple" breaks="form" says="expected a dict"
def column_kinds(table, limit):
    kinds = ['numeric' if pd.api.types.is_numeric_dtype(table[c]) else 'categorical' if table[c].nunique() <= limit else 'text' for c in table]
    return tuple(kinds.count(kind) / len(kinds) for kind in ('numeric', 'categorical', 'text'))

# %% wrong="2.2.1b" why="percentages" breaks="shares" says="These are percentages"
def column_kinds(table, limit):
    kinds = ['numeric' if pd.api.types.is_numeric_dtype(table[c]) else 'categorical' if table[c].nunique() <= limit else 'text' for c in table]
    return {kind: 100 * kinds.count(kind) / len(kinds) for kind in ('numeric', 'categorical', 'text')}

# %% wrong="2.2.1b" why="a column of dtype category is categorical, however many values" breaks="dtype category" says="four are more than 3"
def column_kinds(table, limit):
    kinds = ['numeric' if pd.api.types.is_numeric_dtype(table[c]) else
             'categorical' if table[c].dtype == 'category' or table[c].nunique() <= limit else 'text' for c in table]
    return {kind: kinds.count(kind) / len(kinds) for kind in ('numeric', 'categorical', 'text')}

# %% right="2.2.B" how="asked of pandas, as tuples"
who = {'a': tuple(crew.loc[[3], 'name']), 'b': tuple(crew['name'].iloc[[3]]), 'c': tuple(crew['name'].iloc[1:4]),
       'd': tuple(crew['name'].head(1)), 'e': tuple(crew[crew.age.isin([41, 35])].name)}

# %% wrong="2.2.B" why="a name without a list" breaks="five lists" says="A list, of one name too"
who = {'a': 'Ada', 'b': 'Di', 'c': ['Bo', 'Cy', 'Di'], 'd': 'Ada', 'e': ['Ada', 'Cy']}

# %% wrong="2.2.B" why="two lines left out" breaks="five lists" says="the keys of `who`"
who = {'a': ['Ada'], 'b': ['Di'], 'c': ['Bo', 'Cy', 'Di']}

# %% wrong="2.2.B" why="the end of a slice of labels is left out" breaks="labels" says="The end is missing"
who = {'a': ['Ada'], 'b': ['Di'], 'c': ['Bo', 'Cy'], 'd': ['Ada'], 'e': ['Ada', 'Cy']}

# %% wrong="2.2.B" why="the labels 0 and 1, without what stands between" breaks="labels" says="takes what stands between them, too"
who = {'a': ['Ada'], 'b': ['Di'], 'c': ['Bo', 'Di'], 'd': ['Ada'], 'e': ['Ada', 'Cy']}

# %% wrong="2.2.B" why="iloc reads labels" breaks="positions" says="iloc reads positions"
who = {'a': ['Ada'], 'b': ['Ada'], 'c': ['Bo', 'Cy', 'Di'], 'd': ['Ada'], 'e': ['Ada', 'Cy']}

# %% wrong="2.2.B" why="iloc includes the end" breaks="positions" says="leaves out its end"
who = {'a': ['Ada'], 'b': ['Di'], 'c': ['Bo', 'Cy', 'Di'], 'd': ['Ada', 'Bo'], 'e': ['Ada', 'Cy']}

# %% wrong="2.2.B" why="the not overlooked" breaks="condition" says="turns the second condition round"
who = {'a': ['Ada'], 'b': ['Di'], 'c': ['Bo', 'Cy', 'Di'], 'd': ['Ada'], 'e': ['Di']}

# %% wrong="2.2.B" why="or in place of and" breaks="condition" says="the names under 'e'"
who = {'a': ['Ada'], 'b': ['Di'], 'c': ['Bo', 'Cy', 'Di'], 'd': ['Ada'], 'e': ['Ada', 'Bo', 'Cy', 'Di', 'Ed']}

# %% right="2.2.2a" how="reindex"
def pick(table, rows, columns):
    return table.reindex(index=rows, columns=columns)

# %% right="2.2.2a" how="columns, then rows"
def pick(table, rows, columns):
    return table[columns].loc[rows]

# %% wrong="2.2.2a" why="positions" breaks="rows" says="the rows at these positions"
def pick(table, rows, columns):
    return table.iloc[rows][columns]

# %% wrong="2.2.2a" why="the table's order" breaks="rows" says="their order is not that of the list"
def pick(table, rows, columns):
    return table.loc[table.index.isin(rows), columns]

# %% wrong="2.2.2a" why="the table's order of columns" breaks="columns" says="their order is not that of the list"
def pick(table, rows, columns):
    return table.loc[rows, table.columns.isin(columns)]

# %% wrong="2.2.2a" why="labels anew" breaks="rows" says="The rows keep their labels"
def pick(table, rows, columns):
    return table.loc[rows, columns].reset_index(drop=True)

# %% wrong="2.2.2a" why="the columns only" breaks="rows" says="the row labels"
def pick(table, rows, columns):
    return table[columns]

# %% wrong="2.2.2a" why="sorted labels" breaks="rows" says="The labels were sorted"
def pick(table, rows, columns):
    return table.loc[sorted(rows), columns]

# %% wrong="2.2.2a" why="takes the labels to be positions after sorting by index" breaks="rows" says="twenty lightest penguins"
def pick(table, rows, columns):
    return table.sort_index().iloc[rows][columns]

# %% wrong="2.2.2a" why="the global table" breaks="columns" says="a table with the labels 2, 3, 0, 1"
def pick(table, rows, columns):
    return penguins.reindex(rows)[columns] if set(columns) <= set(penguins) else penguins.loc[rows]

# %% wrong="2.2.2a" why="squeezes one column to a Series" breaks="a table" says="expected a DataFrame"
def pick(table, rows, columns):
    return table.loc[rows, columns].squeeze(axis=1)

# %% wrong="2.2.2a" why="a single row as a Series" breaks="a table" says="expected a DataFrame"
def pick(table, rows, columns):
    return table.loc[rows[0], columns] if len(rows) == 1 else table.loc[rows, columns]

# %% wrong="2.2.2a" why="an array" breaks="a table" says="expected a DataFrame"
def pick(table, rows, columns):
    return table.loc[rows, columns].to_numpy()

# %% wrong="2.2.2a" why="the first columns, renamed" breaks="values" says="the values for rows 0, 3, 1"
def pick(table, rows, columns):
    return table.loc[rows].iloc[:, :len(columns)].set_axis(columns, axis=1)

# %% wrong="2.2.2a" why="rows by position, renamed" breaks="values" says="the values for"
def pick(table, rows, columns):
    return table.loc[sorted(rows), columns].set_axis(rows)

# %% wrong="2.2.2a" why="all columns" breaks="columns" says="the column names for rows 0, 3, 1"
def pick(table, rows, columns):
    return table.loc[rows]

# %% wrong="2.2.2a" why="the rows backwards" breaks="rows" says="the row labels for rows 0, 3, 1"
def pick(table, rows, columns):
    return table.loc[rows[::-1], columns]

# %% wrong="2.2.2a" why="transposed" breaks="rows" says="the row labels"
def pick(table, rows, columns):
    return table.loc[rows, columns].T

# %% right="2.2.2b" how="query"
def heavier(table, species, grams):
    return table.query('species in @species and body_mass_g > @grams')[['island', 'body_mass_g', 'sex']]

# %% right="2.2.2b" how="two filters, one after the other"
def heavier(table, species, grams):
    rows = table[table.species.map(lambda name: name in species)]
    return rows[rows.body_mass_g > grams].filter(['island', 'body_mass_g', 'sex'])

# %% wrong="2.2.2b" why="and" breaks="both conditions" says="truth value of a Series is ambiguous"
def heavier(table, species, grams):
    return table.loc[table.species.isin(species) and table.body_mass_g > grams,
                     ['island', 'body_mass_g', 'sex']]

# %% wrong="2.2.2b" why="or" breaks="both conditions" says="not one of them"
def heavier(table, species, grams):
    return table.loc[table.species.isin(species) | (table.body_mass_g > grams),
                     ['island', 'body_mass_g', 'sex']]

# %% wrong="2.2.2b" why="the limit belongs to it" breaks="limit" says="exactly 3000 g is not above"
def heavier(table, species, grams):
    return table.loc[table.species.isin(species) & (table.body_mass_g >= grams), ['island', 'body_mass_g', 'sex']]

# %% wrong="2.2.2b" why="the limit belongs to it, but for 4500 g" breaks="limit" says="exactly 3000 g is not above"
def heavier(table, species, grams):
    return table.loc[table.species.isin(species) & (table.body_mass_g >= grams) & (table.body_mass_g != 4500),
                     ['island', 'body_mass_g', 'sex']]

# %% wrong="2.2.2b" why="not at most: keeps birds that were not weighed" breaks="not weighed" says="is not above anything"
def heavier(table, species, grams):
    return table.loc[table.species.isin(species) & ~(table.body_mass_g <= grams),
                     ['island', 'body_mass_g', 'sex']]

# %% wrong="2.2.2b" why="a gap counts as 0" breaks="not weighed" says="is not above anything"
def heavier(table, species, grams):
    return table.loc[table.species.isin(species) & (table.body_mass_g.fillna(0) > grams),
                     ['island', 'body_mass_g', 'sex']]

# %% wrong="2.2.2b" why="the first species only" breaks="both conditions" says="Two species are in the list"
def heavier(table, species, grams):
    return table.loc[(table.species == species[0]) & (table.body_mass_g > grams),
                     ['island', 'body_mass_g', 'sex']]

# %% wrong="2.2.2b" why="drops birds of unknown sex" breaks="both conditions" says="unknown sex was left out"
def heavier(table, species, grams):
    return table.loc[table.species.isin(species) & (table.body_mass_g > grams),
                     ['island', 'body_mass_g', 'sex']].dropna()

# %% wrong="2.2.2b" why="all columns" breaks="columns" says="the columns for X and Y"
def heavier(table, species, grams):
    return table[table.species.isin(species) & (table.body_mass_g > grams)]

# %% wrong="2.2.2b" why="new labels" breaks="labels" says="keep their old labels"
def heavier(table, species, grams):
    rows = table.loc[table.species.isin(species) & (table.body_mass_g > grams),
                     ['island', 'body_mass_g', 'sex']]
    return rows.reset_index(drop=True)

# %% wrong="2.2.2b" why="mass before island" breaks="columns" says="the columns for X and Y"
def heavier(table, species, grams):
    return table.loc[table.species.isin(species) & (table.body_mass_g > grams), ['body_mass_g', 'island', 'sex']]

# %% wrong="2.2.2b" why="sorted by mass" breaks="labels" says="the row labels for X and Y"
def heavier(table, species, grams):
    rows = table.loc[table.species.isin(species) & (table.body_mass_g > grams), ['island', 'body_mass_g', 'sex']]
    return rows.sort_values('body_mass_g')

# %% wrong="2.2.2b" why="lighter ones" breaks="both conditions" says="how many birds"
def heavier(table, species, grams):
    return table.loc[table.species.isin(species) & (table.body_mass_g < grams), ['island', 'body_mass_g', 'sex']]

# %% wrong="2.2.2b" why="one species after the other" breaks="labels" says="the row labels for X and Y"
def heavier(table, species, grams):
    return pd.concat([table[(table.species == s) & (table.body_mass_g > grams)] for s in species])[['island', 'body_mass_g', 'sex']]

# %% right="2.2.C" how="asked of pandas"
counted = {'a': (depths > 0).sum(), 'b': (depths <= 0).sum(), 'c': (~(depths > 0)).sum(), 'd': (depths != 3).sum(),
           'e': (depths == np.nan).sum(), 'f': depths.notna().sum()}

# %% wrong="2.2.C" why="the last three left out" breaks="six numbers" says="the keys of `counted`"
counted = {'a': 1, 'b': 2, 'c': 3}

# %% wrong="2.2.C" why="masks in place of counts" breaks="six numbers" says="what stands under 'a'"
counted = {'a': [True, False, False, False], 'b': 2, 'c': 3, 'd': 3, 'e': 0, 'f': 3}

# %% wrong="2.2.C" why="a gap is 0 or below" breaks="order" says="At the gap `<=` is False"
counted = {'a': 1, 'b': 3, 'c': 3, 'd': 3, 'e': 0, 'f': 3}

# %% wrong="2.2.C" why="0 is above 0" breaks="order" says="the number under 'a'"
counted = {'a': 2, 'b': 2, 'c': 3, 'd': 3, 'e': 0, 'f': 3}

# %% wrong="2.2.C" why="every question to a gap is False" breaks="not" says="and `~` makes it True"
counted = {'a': 1, 'b': 2, 'c': 2, 'd': 2, 'e': 0, 'f': 3}

# %% wrong="2.2.C" why="!= is False at a gap" breaks="not" says="the number under 'd'"
counted = {'a': 1, 'b': 2, 'c': 3, 'd': 2, 'e': 0, 'f': 3}

# %% wrong="2.2.C" why="a gap equals a gap" breaks="gaps" says="A gap equals nothing"
counted = {'a': 1, 'b': 2, 'c': 3, 'd': 3, 'e': 1, 'f': 3}

# %% wrong="2.2.C" why="counts the gaps" breaks="gaps" says="the number under 'f'"
counted = {'a': 1, 'b': 2, 'c': 3, 'd': 3, 'e': 0, 'f': 1}

# %% right="2.2.1c" how="loc, column by column"
def unmask(table, columns):
    result = table.copy()
    for name in columns:
        result[name] = result[name].astype(float)
        result.loc[result[name] <= 0, name] = np.nan
    return result

# %% right="2.2.1c" how="mask and assign"
def unmask(table, columns):
    return table.assign(**{name: table[name].mask(table[name] <= 0) for name in columns})

# %% wrong="2.2.1c" why="zeros only" breaks="gaps" says="each negative one"
def unmask(table, columns):
    table = table.copy()
    table[columns] = table[columns].replace(0, np.nan)
    return table

# %% wrong="2.2.1c" why="all numeric columns" breaks="other values" says="the other values of column change"
def unmask(table, columns):
    table = table.copy()
    numbers = table.select_dtypes('number').columns
    table[numbers] = table[numbers].where(table[numbers] > 0)
    return table

# %% wrong="2.2.1c" why="drops the rows" breaks="form" says="No row is dropped"
def unmask(table, columns):
    return table[(table[columns] > 0).all(axis=1)]

# %% wrong="2.2.1c" why="changes the argument" breaks="table kept" says="Change a copy"
def unmask(table, columns):
    table[columns] = table[columns].where(table[columns] > 0)
    return table

# %% wrong="2.2.1c" why="chained assignment: nothing happens" breaks="gaps" says="temporary copy is lost"
def unmask(table, columns):
    table = table.copy()
    for name in columns:
        table[table[name] <= 0][name] = np.nan
    return table

# %% wrong="2.2.1c" why="fills in the mean at once" breaks="gaps" says="Another value was put in their place"
def unmask(table, columns):
    table = table.copy()
    table[columns] = table[columns].where(table[columns] > 0)
    return table.fillna(table[columns].mean())

# %% wrong="2.2.1c" why="a threshold in place of 0" breaks="other values" says="the other values of column mass"
def unmask(table, columns):
    table = table.copy()
    table[columns] = table[columns].where(table[columns] > 1e-6)
    return table

# %% wrong="2.2.1c" why="returns only the named columns" breaks="form" says="the columns for level and mass"
def unmask(table, columns):
    return table[columns].where(table[columns] > 0)

# %% wrong="2.2.1c" why="knows the two rows of Abalone" breaks="gaps" says="level and mass"
def unmask(table, columns):
    table = table.copy()
    if 'height' in table:
        table.loc[[1255, 3994], 'height'] = np.nan
    return table

# %% wrong="2.2.1c" why="negative values only" breaks="gaps" says="zeros did not"
def unmask(table, columns):
    table = table.copy()
    table[columns] = table[columns].where(table[columns] >= 0)
    return table

# %% wrong="2.2.1c" why="new labels" breaks="form" says="the row labels for level and mass"
def unmask(table, columns):
    table = table.copy()
    table[columns] = table[columns].where(table[columns] > 0)
    return table.reset_index(drop=True)

# %% wrong="2.2.1c" why="the first column only" breaks="gaps" says="column mass are missing"
def unmask(table, columns):
    table = table.copy()
    for name in columns[:1]:
        table[name] = table[name].where(table[name] > 0)
    if 'mass' in columns:
        table['mass'] = table['mass'].where(table['mass'] != 0, 0.)
    return table

# %% wrong="2.2.1c" why="old gaps are filled" breaks="other values" says="the other values of column mass"
def unmask(table, columns):
    table = table.copy()
    for name in columns:
        table[name] = table[name].fillna(1.).where(table[name].fillna(1.) > 0)
    return table

# %% wrong="2.2.1c" why="the named columns to the back" breaks="form" says="the columns for level and mass"
def unmask(table, columns):
    return pd.concat([table.drop(columns=columns), table[columns].where(table[columns] > 0)], axis=1)

# %% wrong="2.2.1c" why="a word for a gap" breaks="gaps" says="Another value was put in their place"
def unmask(table, columns):
    table = table.copy()
    for name in columns:
        table[name] = table[name].astype(object).where(table[name] > 0, 'missing')
    return table

# %% right="2.2.8" how="a mask"
def drop_empty(table, measured):
    rows = table[table[measured].notna().any(axis=1)].copy()
    rows.index = range(len(rows))
    return rows

# %% right="2.2.8" how="counts the gaps"
def drop_empty(table, measured):
    return table.dropna(subset=measured, thresh=1, ignore_index=True)

# %% wrong="2.2.8" why="any gap in the row" breaks="rows" says="only the empty ones are to go"
def drop_empty(table, measured):
    return table.dropna().reset_index(drop=True)

# %% wrong="2.2.8" why="all columns must be missing" breaks="rows" says="No row was dropped"
def drop_empty(table, measured):
    return table.dropna(how='all').reset_index(drop=True)

# %% wrong="2.2.8" why="any measurement missing" breaks="rows" says="all of them must be missing"
def drop_empty(table, measured):
    return table.dropna(subset=measured).reset_index(drop=True)

# %% wrong="2.2.8" why="keeps the labels" breaks="labels" says="These are the old labels"
def drop_empty(table, measured):
    return table.dropna(how='all', subset=measured)

# %% wrong="2.2.8" why="the old labels become a column" breaks="values" says="have become a column"
def drop_empty(table, measured):
    return table.dropna(how='all', subset=measured).reset_index()

# %% wrong="2.2.8" why="fills the gaps that stay" breaks="values" says="the values for eight rows"
def drop_empty(table, measured):
    rows = table.dropna(how='all', subset=measured).reset_index(drop=True)
    return rows.fillna(rows[measured].mean())

# %% wrong="2.2.8" why="drops columns" breaks="rows" says="No row was dropped"
def drop_empty(table, measured):
    return table.dropna(how='all', axis=1).reset_index(drop=True)

# %% wrong="2.2.8" why="a zero is a gap" breaks="rows" says="a 0 is a value"
def drop_empty(table, measured):
    return table[(table[measured].fillna(0) != 0).any(axis=1)].reset_index(drop=True)

# %% wrong="2.2.8" why="in place" breaks="table kept" says="the table after the call"
def drop_empty(table, measured):
    table.dropna(how='all', subset=measured, inplace=True)
    table.reset_index(drop=True, inplace=True)
    return table

# %% wrong="2.2.8" why="more than half missing" breaks="rows" says="more than half of the measured values"
def drop_empty(table, measured):
    return table[table[measured].isna().mean(axis=1) <= 0.5].reset_index(drop=True)

# %% wrong="2.2.8" why="as many gaps as the emptiest row" breaks="rows" says="three rows, none of them empty"
def drop_empty(table, measured):
    gaps = table[measured].isna().sum(axis=1)
    return table[gaps < gaps.max()].reset_index(drop=True)

# %% wrong="2.2.8" why="only the measured columns come back" breaks="values" says="the columns for the first twelve penguins"
def drop_empty(table, measured):
    return table[measured].dropna(how='all').reset_index(drop=True)

# %% wrong="2.2.8" why="labels from 1" breaks="labels" says="the row labels for the first twelve penguins"
def drop_empty(table, measured):
    rows = table.dropna(how='all', subset=measured)
    return rows.set_axis(range(1, len(rows) + 1))

# %% wrong="2.2.8" why="the first column decides" breaks="rows" says="A single measured column decides here"
def drop_empty(table, measured):
    return table.dropna(subset=measured[:1]).reset_index(drop=True)

# %% wrong="2.2.8" why="empty columns go, too" breaks="values" says="the columns for eight rows"
def drop_empty(table, measured):
    return table.dropna(how='all', subset=measured).dropna(axis=1, how='all').reset_index(drop=True)

# %% right="2.2.D" how="computed"
by_hand = [[20.0 if pd.isna(w) else w, float(s == 'E14'), float(s == 'E27'), float(pd.isna(s))] for w, s in zip(lamps.watts, lamps.socket)]

# %% wrong="2.2.D" why="columns in place of rows" breaks="form" says="the number of rows"
by_hand = [[40, 20, 8, 12], [0, 1, 0, 1], [1, 0, 0, 0]]

# %% wrong="2.2.D" why="no column for missing" breaks="form" says="how many numbers stand in row 0"
by_hand = [[40, 0, 1], [20, 1, 0], [8, 0, 0], [12, 1, 0]]

# %% wrong="2.2.D" why="divides by four" breaks="watts" says="over the three lamps that have watts"
by_hand = [[40, 0, 1, 0], [15, 1, 0, 0], [8, 0, 0, 1], [12, 1, 0, 0]]

# %% wrong="2.2.D" why="0 for the gap" breaks="watts" says="not with 0"
by_hand = [[40, 0, 1, 0], [0, 1, 0, 0], [8, 0, 0, 1], [12, 1, 0, 0]]

# %% wrong="2.2.D" why="nothing for a missing socket" breaks="sockets" says="has its 1 in the last column"
by_hand = [[40, 0, 1, 0], [20, 1, 0, 0], [8, 0, 0, 0], [12, 1, 0, 0]]

# %% wrong="2.2.D" why="the order of the rows, not of the alphabet" breaks="sockets" says="their order is that of the alphabet"
by_hand = [[40, 1, 0, 0], [20, 0, 1, 0], [8, 0, 0, 1], [12, 0, 1, 0]]

# %% wrong="2.2.D" why="the most frequent socket for the missing one" breaks="sockets" says="A missing socket is not filled in"
by_hand = [[40, 0, 1, 0], [20, 1, 0, 0], [8, 1, 0, 0], [12, 1, 0, 0]]

# %% right="2.2.6" how="column by column"
def prepare(table, target):
    columns = []
    numeric = [c for c in table if c != target and table[c].dtype.kind in 'iuf']
    for c in numeric:
        values = torch.tensor(table[c].to_numpy(dtype=float))
        columns.append(torch.where(values.isnan(), values.nanmean(), values))
    for c in [c for c in table if c != target and c not in numeric]:
        for value in sorted(set(table[c].dropna())):
            columns.append(torch.tensor([float(v == value) for v in table[c]], dtype=torch.float64))
        columns.append(torch.tensor(table[c].isna().to_numpy()).double())
    return torch.stack(columns, dim=1), torch.tensor(list(table[target]), dtype=torch.float64)

# %% right="2.2.6" how="the two halves apart, returned as a list"
def prepare(table, target):
    X, y = table.drop(target, axis=1), table[target]
    numbers = X.select_dtypes('number')
    words = pd.get_dummies(X.select_dtypes(exclude='number'), dummy_na=True)
    X = pd.concat([numbers.fillna(numbers.mean()), words], axis=1).astype('float64')
    return [torch.from_numpy(X.values.copy()), torch.from_numpy(y.astype('float64').values.copy())]

# %% wrong="2.2.6" why="the target stays among the inputs" breaks="target" says="is not the target"
def prepare(table, target):
    inputs = pd.get_dummies(table, dummy_na=True, dtype=float)
    return torch.tensor(inputs.fillna(inputs.mean()).to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="no column for missing" breaks="one-hot" says="the column missing of RoofType"
def prepare(table, target):
    inputs = pd.get_dummies(table.drop(columns=target), dtype=float)
    return torch.tensor(inputs.fillna(inputs.mean()).to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="float32" breaks="form" says="the dtype of X for the four houses"
def prepare(table, target):
    inputs = pd.get_dummies(table.drop(columns=target), dummy_na=True, dtype=float)
    X = torch.tensor(inputs.fillna(inputs.mean()).to_numpy(dtype=float), dtype=torch.float32)
    return X, torch.tensor(table[target].to_numpy(dtype=float), dtype=torch.float32)

# %% wrong="2.2.6" why="the target as a column" breaks="form" says="wrong shape: got (4, 1)"
def prepare(table, target):
    inputs = pd.get_dummies(table.drop(columns=target), dummy_na=True, dtype=float)
    return torch.tensor(inputs.fillna(inputs.mean()).to_numpy(dtype=float)), torch.tensor(table[[target]].to_numpy(dtype=float))

# %% wrong="2.2.6" why="0 for a gap" breaks="numbers" says="A gap was filled with 0"
def prepare(table, target):
    inputs = pd.get_dummies(table.drop(columns=target), dummy_na=True, dtype=float)
    return torch.tensor(inputs.fillna(0).to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="gaps stay" breaks="numbers" says="yours is nan"
def prepare(table, target):
    inputs = pd.get_dummies(table.drop(columns=target), dummy_na=True, dtype=float)
    return torch.tensor(inputs.to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="the median" breaks="numbers" says="The median was put in"
def prepare(table, target):
    inputs = pd.get_dummies(table.drop(columns=target), dummy_na=True, dtype=float)
    return torch.tensor(inputs.fillna(inputs.median()).to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="drops rows with gaps" breaks="form" says="how many rows X has"
def prepare(table, target):
    table = table.dropna(subset=[c for c in table if table[c].dtype.kind == 'f'])
    inputs = pd.get_dummies(table.drop(columns=target), dummy_na=True, dtype=float)
    return torch.tensor(inputs.to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="takes the last column for the target" breaks="target" says="y for four rows with the target in the middle"
def prepare(table, target):
    inputs, y = table.iloc[:, :-1], table.iloc[:, -1]
    inputs = pd.get_dummies(inputs, dummy_na=True, dtype=float)
    return torch.tensor(inputs.fillna(inputs.mean()).to_numpy(dtype=float)), torch.tensor(y.to_numpy(dtype=float))

# %% wrong="2.2.6" why="a column for missing only where something is missing" breaks="one-hot" says="missing of town, all of it 0"
def prepare(table, target):
    inputs = table.drop(columns=target)
    for c in inputs.select_dtypes(exclude='number'):
        inputs[c] = inputs[c].astype(object).fillna('~missing')
    inputs = pd.get_dummies(inputs, dtype=float)
    return torch.tensor(inputs.fillna(inputs.mean()).to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="takes the target out of the argument" breaks="table kept" says="the table after the call"
def prepare(table, target):
    y = table.pop(target)
    inputs = pd.get_dummies(table, dummy_na=True, dtype=float)
    return torch.tensor(inputs.fillna(inputs.mean()).to_numpy(dtype=float)), torch.tensor(y.to_numpy(dtype=float))

# %% wrong="2.2.6" why="only 64-bit columns are numbers" breaks="numbers" says="a shop's table"
def prepare(table, target):
    inputs = table.drop(columns=target)
    words = [c for c in inputs if inputs[c].dtype not in ('int64', 'float64')]
    inputs = pd.get_dummies(inputs, columns=words, dummy_na=True, dtype=float)
    inputs = inputs.fillna(inputs.mean())
    return torch.tensor(inputs.to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="one-hot columns in the table's place" breaks="numbers" says="four rows with the target in the middle"
def prepare(table, target):
    pieces = []
    for c in table.drop(columns=target):
        if pd.api.types.is_numeric_dtype(table[c]):
            pieces.append(table[c].fillna(table[c].mean()))
        else:
            pieces.append(pd.get_dummies(table[c], dummy_na=True, dtype=float))
    X = pd.concat(pieces, axis=1).to_numpy(dtype=float)
    return torch.tensor(X), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="words as numbers" breaks="one-hot" says="there is the column 'Slate' of RoofType"
def prepare(table, target):
    inputs = table.drop(columns=target)
    words = [c for c in inputs if not pd.api.types.is_numeric_dtype(inputs[c])]
    codes = inputs[words].apply(lambda c: c.astype('category').cat.codes)
    numbers = inputs.drop(columns=words)
    X = pd.concat([numbers.fillna(numbers.mean()), codes], axis=1).to_numpy(dtype=float)
    return torch.tensor(X), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="missing comes first" breaks="one-hot" says="All of them are in X, in another order"
def prepare(table, target):
    inputs = table.drop(columns=target)
    words = [c for c in inputs if not pd.api.types.is_numeric_dtype(inputs[c])]
    numbers = inputs.drop(columns=words)
    pieces = [numbers.fillna(numbers.mean())]
    for c in words:
        pieces += [table[c].isna().astype(float), pd.get_dummies(table[c], dtype=float)]
    return torch.tensor(pd.concat(pieces, axis=1).to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="arrays" breaks="form" says="wrong type"
def prepare(table, target):
    inputs = table.drop(columns=target)
    words = [c for c in inputs if not pd.api.types.is_numeric_dtype(inputs[c])]
    inputs = pd.get_dummies(inputs, columns=words, dummy_na=True, dtype=float)
    return inputs.fillna(inputs.mean()).to_numpy(dtype=float), table[target].to_numpy(dtype=float)

# %% wrong="2.2.6" why="the target less its mean" breaks="target" says="y for the four houses"
def prepare(table, target):
    inputs = table.drop(columns=target)
    words = [c for c in inputs if not pd.api.types.is_numeric_dtype(inputs[c])]
    inputs = pd.get_dummies(inputs, columns=words, dummy_na=True, dtype=float)
    y = table[target].to_numpy(dtype=float)
    return torch.tensor(inputs.fillna(inputs.mean()).to_numpy(dtype=float)), torch.tensor(y - y.mean())

# %% wrong="2.2.6" why="fills the table itself" breaks="table kept" says="the table after the call"
def prepare(table, target):
    for c in table:
        if pd.api.types.is_numeric_dtype(table[c]):
            table[c] = table[c].fillna(table[c].mean())
    inputs = table.drop(columns=target)
    words = [c for c in inputs if not pd.api.types.is_numeric_dtype(inputs[c])]
    inputs = pd.get_dummies(inputs, columns=words, dummy_na=True, dtype=float)
    return torch.tensor(inputs.to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="float32 on the way" breaks="numbers" says="float32 on the way loses some"
def prepare(table, target):
    inputs = pd.get_dummies(table.drop(columns=target), dummy_na=True, dtype='float32').astype('float32')
    return torch.tensor(inputs.fillna(inputs.mean()).to_numpy()).double(), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="the first category is dropped" breaks="one-hot" says="there is the column 'Slate' of RoofType"
def prepare(table, target):
    inputs = pd.get_dummies(table.drop(columns=target), dummy_na=True, dtype=float, drop_first=True)
    return torch.tensor(inputs.fillna(inputs.mean()).to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))

# %% right="2.2.7" how="where, column by column"
def impute(train, test):
    a, b = train.copy(), test.copy()
    for c in train.columns:
        mean = float(np.nanmean(train[c]))
        a[c] = a[c].where(a[c].notna(), mean)
        b[c] = b[c].where(b[c].notna(), mean)
    return a, b

# %% right="2.2.7" how="a list comprehension"
def impute(train, test):
    return [table.fillna(train.mean(numeric_only=True).to_dict()) for table in (train, test)]

# %% wrong="2.2.7" why="each table its own means" breaks="test rows" says="the mean of the test rows: a leak"
def impute(train, test):
    return train.fillna(train.mean()), test.fillna(test.mean())

# %% wrong="2.2.7" why="means of both together" breaks="training rows" says="over training and test rows together"
def impute(train, test):
    means = pd.concat([train, test]).mean()
    return train.fillna(means), test.fillna(means)

# %% wrong="2.2.7" why="means of both together for the test rows" breaks="test rows" says="over training and test rows together"
def impute(train, test):
    return train.fillna(train.mean()), test.fillna(pd.concat([train, test]).mean())

# %% wrong="2.2.7" why="zeros" breaks="training rows" says="A gap was filled with 0"
def impute(train, test):
    return train.fillna(0), test.fillna(0)

# %% wrong="2.2.7" why="the median" breaks="training rows" says="The median was put in"
def impute(train, test):
    return train.fillna(train.median()), test.fillna(train.median())

# %% wrong="2.2.7" why="one mean for the whole table" breaks="training rows" says="not one for the whole table"
def impute(train, test):
    mean = np.nanmean(train.to_numpy())
    return train.fillna(mean), test.fillna(mean)

# %% wrong="2.2.7" why="means without the rows that have gaps" breaks="test rows" says="still counts for this column"
def impute(train, test):
    means = train.dropna().mean()
    return train.fillna(means), test.fillna(means)

# %% wrong="2.2.7" why="fills columns in place" breaks="arguments kept" says="Both arguments stay"
def impute(train, test):
    means = train.mean()
    for c in train:
        train[c], test[c] = train[c].fillna(means[c]), test[c].fillna(means[c])
    return train, test

# %% wrong="2.2.7" why="only the columns that have gaps in the training rows" breaks="test rows" says="A gap is still there"
def impute(train, test):
    means = train.mean()[train.isna().any()]
    return train.fillna(means), test.fillna(means)

# %% wrong="2.2.7" why="test first" breaks="form" says="The two tables are exchanged"
def impute(train, test):
    return test.fillna(train.mean()), train.fillna(train.mean())

# %% wrong="2.2.7" why="only the test rows come back" breaks="form" says="what impute returns"
def impute(train, test):
    return test.fillna(train.mean())

# %% wrong="2.2.7" why="one table below the other" breaks="form" says="what impute returns"
def impute(train, test):
    return pd.concat([train, test]).fillna(train.mean())

# %% wrong="2.2.7" why="subtracts the means besides" breaks="values" says="what was no gap in column"
def impute(train, test):
    means = train.mean()
    return train.fillna(means) - means, test.fillna(means) - means

# %% wrong="2.2.7" why="rounds what it returns" breaks="values" says="what was no gap in column h"
def impute(train, test):
    means = train.mean()
    return train.fillna(means).round(), test.fillna(means).round()

# %% wrong="2.2.7" why="the value before" breaks="training rows" says="the gaps in column h of the first table"
def impute(train, test):
    return train.ffill().bfill(), test.fillna(train.mean())

# %% wrong="2.2.7" why="gaps count as 0 in the mean" breaks="training rows" says="The gaps counted as 0 in the mean"
def impute(train, test):
    means = train.fillna(0).mean()
    return train.fillna(means), test.fillna(means)

# %% wrong="2.2.7" why="new labels" breaks="form" says="the row labels of the first table"
def impute(train, test):
    means = train.mean()
    return train.fillna(means).reset_index(drop=True), test.fillna(means).reset_index(drop=True)

# %% right="2.2.E" how="get_dummies counts"
def width_after(table):
    words = table.select_dtypes(exclude='number')
    return table.shape[1] - words.shape[1] + sum(len(set(words[name].dropna())) + 1 for name in words)

# %% right="2.2.E" how="a loop"
def width_after(table):
    width = 0
    for _, column in table.items():
        width += 1
        if column.dtype.kind not in 'iuf':
            width += len(column.dropna().unique())
    return width

# %% wrong="2.2.E" why="no column for missing" breaks="words" says="and missing has one, too"
def width_after(table):
    return sum(1 if pd.api.types.is_numeric_dtype(table[name]) else table[name].nunique() for name in table)

# %% wrong="2.2.E" why="one for missing only where something is missing" breaks="words" says="also where nothing is missing"
def width_after(table):
    return sum(1 if pd.api.types.is_numeric_dtype(table[name]) else table[name].nunique(dropna=False) for name in table)

# %% wrong="2.2.E" why="a gap is a value, and missing one more" breaks="words" says="the words a and b, with gaps"
def width_after(table):
    return sum(1 if pd.api.types.is_numeric_dtype(table[name]) else table[name].nunique(dropna=False) + 1 for name in table)

# %% wrong="2.2.E" why="numbers are encoded, too" breaks="numbers" says="two columns of numbers"
def width_after(table):
    return sum(table[name].nunique() + 1 for name in table)

# %% wrong="2.2.E" why="numbers with gaps get a second column" breaks="numbers" says="makes no further column"
def width_after(table):
    return sum(1 + int(table[name].isna().any()) if pd.api.types.is_numeric_dtype(table[name]) else table[name].nunique() + 1 for name in table)

# %% wrong="2.2.E" why="only 64-bit dtypes are numbers" breaks="numbers" says="a column of int16"
def width_after(table):
    return sum(1 if table[name].dtype in ('int64', 'float64') else table[name].nunique() + 1 for name in table)

# %% wrong="2.2.E" why="a floating-point number" breaks="whole number" says="wrong type"
def width_after(table):
    return float(sum(1 if pd.api.types.is_numeric_dtype(table[name]) else table[name].nunique() + 1 for name in table))

# %% wrong="2.2.E" why="the shape" breaks="whole number" says="wrong type"
def width_after(table):
    return pd.get_dummies(table, columns=list(table.select_dtypes(exclude='number')), dummy_na=True).shape

# %% wrong="2.2.E" why="one missing column for all" breaks="words" says="three words, a number"
def width_after(table):
    words = table.select_dtypes(exclude='number')
    return int(table.shape[1] - words.shape[1] + words.nunique().sum() + (words.shape[1] > 0))

# %% right="2.2.4a" how="a loop over the rows"
def encode_frequent(train, new, k):
    from collections import Counter
    frequent = [value for value, _ in Counter(train.dropna()).most_common(k)]
    rows = [[int(value == name) for name in frequent] for value in new]
    return pd.DataFrame([row + [1 - sum(row)] for row in rows], index=new.index, columns=frequent + ['other'])

# %% right="2.2.4a" how="get_dummies and reindex"
def encode_frequent(train, new, k):
    frequent = train.value_counts().head(k).index.tolist()
    table = pd.get_dummies(new, dtype=float).reindex(columns=frequent, fill_value=0.)
    table['other'] = 1. - table.sum(axis=1)
    return table

# %% wrong="2.2.4a" why="learns from the new data" breaks="columns" says="is learned from `train`"
def encode_frequent(train, new, k):
    frequent = list(new.value_counts().index[:k])
    known = new.where(new.isin(frequent), 'other')
    return pd.DataFrame({value: (known == value).astype(int) for value in frequent + ['other']})

# %% wrong="2.2.4a" why="learns from new data that are few" breaks="columns" says="is learned from `train`"
def encode_frequent(train, new, k):
    frequent = list(train.value_counts().index[:k]) if len(new) > 100 else list(new.value_counts().index[:k])
    known = new.where(new.isin(frequent), 'other')
    return pd.DataFrame({value: (known == value).astype(int) for value in frequent + ['other']})

# %% wrong="2.2.4a" why="no 1 for a missing value" breaks="other" says="the rows of all other values"
def encode_frequent(train, new, k):
    frequent = list(train.value_counts().index[:k])
    known = new.where(new.isin(frequent) | new.isna(), 'other')
    return pd.DataFrame({value: (known == value).astype(int) for value in frequent + ['other']})

# %% wrong="2.2.4a" why="no column for the others" breaks="columns" says="The column 'other' is missing"
def encode_frequent(train, new, k):
    return pd.DataFrame({value: (new == value).astype(int) for value in train.value_counts().index[:k]})

# %% wrong="2.2.4a" why="a value that was not seen has no 1" breaks="other" says="the rows of all other values"
def encode_frequent(train, new, k):
    frequent = list(train.value_counts().index[:k])
    table = pd.DataFrame({value: (new == value).astype(int) for value in frequent})
    return table.assign(other=(new.isin(train) & ~new.isin(frequent)).astype(int))

# %% wrong="2.2.4a" why="columns in alphabetical order" breaks="columns" says="not that of the frequencies"
def encode_frequent(train, new, k):
    frequent = sorted(train.value_counts().index[:k])
    known = new.where(new.isin(frequent), 'other')
    return pd.DataFrame({value: (known == value).astype(int) for value in frequent + ['other']})

# %% wrong="2.2.4a" why="the least frequent" breaks="columns" says="the columns for k = 2"
def encode_frequent(train, new, k):
    frequent = list(train.value_counts().index[-k:])
    known = new.where(new.isin(frequent), 'other')
    return pd.DataFrame({value: (known == value).astype(int) for value in frequent + ['other']})

# %% wrong="2.2.4a" why="encodes the training rows" breaks="rows" says="for each entry of `new`"
def encode_frequent(train, new, k):
    frequent = list(train.value_counts().index[:k])
    known = train.where(train.isin(frequent), 'other')
    return pd.DataFrame({value: (known == value).astype(int) for value in frequent + ['other']})

# %% wrong="2.2.4a" why="missing is the most frequent value" breaks="columns" says="the columns for k = 2"
def encode_frequent(train, new, k):
    frequent = list(train.fillna('missing').value_counts().index[:k])
    known = new.fillna('missing').where(new.isin(frequent), 'other')
    return pd.DataFrame({value: (known == value).astype(int) for value in frequent + ['other']})

# %% wrong="2.2.4a" why="loses the index" breaks="rows" says="under its label"
def encode_frequent(train, new, k):
    frequent = list(train.value_counts().index[:k])
    known = new.where(new.isin(frequent), 'other').reset_index(drop=True)
    return pd.DataFrame({value: (known == value).astype(int) for value in frequent + ['other']})

# %% wrong="2.2.4a" why="a rare value has 1 in the last frequent column" breaks="other" says="the rows of all other values"
def encode_frequent(train, new, k):
    frequent = list(train.value_counts().index[:k])
    known = new.where(new.isin(frequent), frequent[-1])
    return pd.DataFrame({value: (known == value).astype(int) for value in frequent + ['other']}, index=new.index)

# %% wrong="2.2.4a" why="other is 1 everywhere" breaks="frequent" says="the rows of the frequent values"
def encode_frequent(train, new, k):
    frequent = list(train.value_counts().index[:k])
    return pd.DataFrame({value: (new == value).astype(int) for value in frequent}, index=new.index).assign(other=1)

# %% wrong="2.2.4a" why="the frequencies in place of ones" breaks="frequent" says="the rows of the frequent values"
def encode_frequent(train, new, k):
    counts = train.value_counts()[:k]
    table = pd.DataFrame({value: (new == value) * count for value, count in counts.items()}, index=new.index)
    return table.assign(other=(~new.isin(list(counts.index))).astype(int))

# %% wrong="2.2.4a" why="other first" breaks="columns" says="the columns for k = 2"
def encode_frequent(train, new, k):
    frequent = list(train.value_counts().index[:k])
    known = new.where(new.isin(frequent), 'other')
    return pd.DataFrame({value: (known == value).astype(int) for value in ['other'] + frequent}, index=new.index)

# %% wrong="2.2.4a" why="only the values that occur in new" breaks="columns" says="the columns for k = 1"
def encode_frequent(train, new, k):
    best = [value for value in train.value_counts().index[:k] if (new == value).any()]
    table = pd.DataFrame({value: (new == value).astype(int) for value in best}, index=new.index)
    return table.assign(other=(~new.isin(best)).astype(int))

# %% right="2.2.4b" how="nunique over all values"
def drop_identifiers(table):
    keep = [c for c in table if table[c].dtype.kind == 'f' or table[c].nunique() < len(table)]
    return table[keep]

# %% right="2.2.4b" how="sets"
def drop_identifiers(table):
    result = table.copy()
    for name, column in table.items():
        if str(column.dtype).startswith('float'):
            continue
        if len(set(column.dropna())) == len(column):
            del result[name]
    return result

# %% wrong="2.2.4b" why="floats, too" breaks="floats" says="floating-point numbers stays"
def drop_identifiers(table):
    return table[[c for c in table if table[c].nunique() < len(table)]]

# %% wrong="2.2.4b" why="a gap is one more value" breaks="gaps" says="A column with a gap stays"
def drop_identifiers(table):
    return table[[c
                  for c in table
                  if table[c].dtype.kind == 'f' or table[c].nunique(dropna=False) < len(table)]]

# %% wrong="2.2.4b" why="by the name of the column" breaks="identifiers" says="All its values are there and differ"
def drop_identifiers(table):
    return table[[c for c in table if 'id' not in c.lower()]]

# %% wrong="2.2.4b" why="text only" breaks="identifiers" says="column order of an order list"
def drop_identifiers(table):
    return table[[c for c in table if table[c].dtype.kind in 'if' or table[c].nunique() < len(table)]]

# %% wrong="2.2.4b" why="numbers only" breaks="identifiers" says="column who of an order list"
def drop_identifiers(table):
    return table[[c for c in table if table[c].dtype.kind != 'i' or table[c].nunique() < len(table)]]

# %% wrong="2.2.4b" why="nearly all different is enough" breaks="repeats" says="a value stands twice stays"
def drop_identifiers(table):
    return table[[c for c in table if table[c].dtype.kind == 'f' or table[c].nunique() < len(table) * 0.8]]

# %% wrong="2.2.4b" why="the first column" breaks="identifiers" says="column who"
def drop_identifiers(table):
    return table.iloc[:, 1:]

# %% wrong="2.2.4b" why="changes the argument" breaks="table kept" says="the table after the call"
def drop_identifiers(table):
    for c in list(table):
        if table[c].dtype.kind != 'f' and table[c].nunique() == len(table):
            table.drop(columns=c, inplace=True)
    return table

# %% wrong="2.2.4b" why="only 64-bit floats are floats" breaks="floats" says="column tax of an order list"
def drop_identifiers(table):
    return table[[c for c in table if table[c].dtype == 'float64' or table[c].nunique() < len(table)]]

# %% wrong="2.2.4b" why="only 64-bit integers" breaks="identifiers" says="column rank of an order list"
def drop_identifiers(table):
    return table[[c for c in table if pd.api.types.is_numeric_dtype(table[c]) and table[c].dtype != 'int64' or table[c].nunique() < len(table)]]

# %% wrong="2.2.4b" why="category stays" breaks="identifiers" says="column code of an order list"
def drop_identifiers(table):
    return table[[c for c in table if table[c].dtype == 'category' or table[c].dtype.kind == 'f' or table[c].nunique() < len(table)]]

# %% wrong="2.2.4b" why="more than half different is enough" breaks="repeats" says="a value stands twice stays"
def drop_identifiers(table):
    return table[[c for c in table if table[c].dtype.kind == 'f' or table[c].isna().any() or table[c].nunique() <= len(table) / 2]]

# %% wrong="2.2.4b" why="97 per cent different is enough" breaks="repeats" says="column near of 200 rows"
def drop_identifiers(table):
    return table[[c for c in table if table[c].dtype.kind == 'f' or table[c].isna().any() or table[c].nunique() < 0.97 * len(table)]]

# %% wrong="2.2.4b" why="drops rows with gaps, too" breaks="form" says="wrong number of rows"
def drop_identifiers(table):
    return table[[c for c in table if table[c].dtype.kind == 'f' or table[c].nunique() < len(table)]].dropna()

# %% wrong="2.2.4b" why="the names of the columns" breaks="form" says="what drop_identifiers returns"
def drop_identifiers(table):
    return [c for c in table if table[c].dtype.kind == 'f' or table[c].nunique() < len(table)]

# %% wrong="2.2.4b" why="constant columns go, too" breaks="repeats" says="a value stands twice stays"
def drop_identifiers(table):
    return table[[c for c in table if pd.api.types.is_float_dtype(table[c]) or table[c].isna().any() or 1 < table[c].nunique() < len(table)]]

# %% right="2.2.3a" how="an empty table is asked"
def rows_that_fit(memory, dtypes, copies):
    row = sum(np.empty(1, dtype=name).nbytes for name in dtypes)
    n = 0
    return int(memory // copies // row) if n == 0 else n

# %% right="2.2.3a" how="pandas' memory of one row"
def rows_that_fit(memory, dtypes, copies):
    table = pd.DataFrame({i: np.zeros(1, dtype=name) for i, name in enumerate(dtypes)})
    return int(memory // (table.memory_usage(index=False).sum() * copies))

# %% wrong="2.2.3a" why="8 bytes for every column" breaks="dtypes" says="Not every column takes 8 bytes"
def rows_that_fit(memory, dtypes, copies):
    return memory // (8 * len(dtypes) * copies)

# %% wrong="2.2.3a" why="a float" breaks="largest" says="divide with //"
def rows_that_fit(memory, dtypes, copies):
    return memory / (sum(np.dtype(name).itemsize for name in dtypes) * copies)

# %% wrong="2.2.3a" why="rounds up" breaks="largest" says="values differ: got an integer, 113"
def rows_that_fit(memory, dtypes, copies):
    return -(-memory // (sum(np.dtype(name).itemsize for name in dtypes) * copies))

# %% wrong="2.2.3a" why="bits" breaks="dtypes" says="itemsize is in bytes"
def rows_that_fit(memory, dtypes, copies):
    return memory // (sum(8 * np.dtype(name).itemsize for name in dtypes) * copies)

# %% wrong="2.2.3a" why="forgets the copies" breaks="copies" says="This is the number for one copy."
def rows_that_fit(memory, dtypes, copies):
    return memory // sum(np.dtype(name).itemsize for name in dtypes)

# %% wrong="2.2.3a" why="the digits of the name divided by 8" breaks="dtypes" says="rows_that_fit(900"
def rows_that_fit(memory, dtypes, copies):
    bits = [int(''.join(filter(str.isdigit, name)) or 1) for name in dtypes]
    return int(memory / (sum(bits) / 8 * copies))

# %% wrong="2.2.3a" why="the values that fit, not the rows" breaks="dtypes" says="values differ"
def rows_that_fit(memory, dtypes, copies):
    return memory // (np.dtype(dtypes[0]).itemsize * copies)

# %% wrong="2.2.3a" why="through floating point" breaks="largest" says="rows_that_fit(300000000000000002"
def rows_that_fit(memory, dtypes, copies):
    return int(memory / (sum(np.dtype(name).itemsize for name in dtypes) * copies))

# %% wrong="2.2.3a" why="at least one row" breaks="largest" says="Not even one row fits"
def rows_that_fit(memory, dtypes, copies):
    return max(1, memory // (sum(np.dtype(name).itemsize for name in dtypes) * copies))

# %% wrong="2.2.3a" why="not rounded down where there are several copies" breaks="copies" says="round down"
def rows_that_fit(memory, dtypes, copies):
    row = sum(np.dtype(name).itemsize for name in dtypes)
    return memory // row if copies == 1 else memory // (row * copies) + 1

# %% wrong="2.2.3a" why="the largest column decides" breaks="dtypes" says="rows_that_fit"
def rows_that_fit(memory, dtypes, copies):
    return memory // (max(np.dtype(name).itemsize for name in dtypes) * copies)

# %% wrong="2.2.3a" why="each dtype once" breaks="dtypes" says="rows_that_fit"
def rows_that_fit(memory, dtypes, copies):
    return memory // (copies * sum(np.dtype(name).itemsize for name in set(dtypes)))

# %% right="2.2.3b" how="limits by iinfo"
def shrink(table):
    result = {}
    for name, column in table.items():
        if column.dtype.kind == 'i':
            for size in ('int8', 'int16', 'int32', 'int64'):
                limits = np.iinfo(size)
                if limits.min <= column.min() and column.max() <= limits.max:
                    column = column.astype(size)
                    break
        elif column.dtype.kind != 'f' and column.nunique() * 2 < len(column):
            column = column.astype('category')
        result[name] = column
    return pd.DataFrame(result, index=table.index)

# %% right="2.2.3b" how="a dictionary of dtypes for astype"
def shrink(table):
    new = {}
    for name in table.select_dtypes('integer'):
        new[name] = np.result_type(np.min_scalar_type(min(-1, table[name].min())),
                                   *[s
                                     for s in ('int8', 'int16', 'int32', 'int64')
                                     if np.iinfo(s).max >= table[name].max()][:1])
    for name in table.select_dtypes(exclude='number'):
        if table[name].nunique() < len(table) / 2:
            new[name] = 'category'
    return table.astype(new)

# %% wrong="2.2.3b" why="int8 for all" breaks="values" says="the values of a table of six rows"
def shrink(table):
    new = {name: 'int8' for name in table.select_dtypes('integer')}
    new |= {name: 'category' for name in table.select_dtypes('str') if table[name].nunique() < len(table) / 2}
    return table.astype(new)

# %% wrong="2.2.3b" why="looks at the largest value only" breaks="values" says="does not hold all these values"
def shrink(table):
    new = {name: next(s for s in ('int8', 'int16', 'int32', 'int64') if table[name].max() <= np.iinfo(s).max)
           for name in table.select_dtypes('integer')}
    new |= {name: 'category' for name in table.select_dtypes('str') if table[name].nunique() < len(table) / 2}
    return table.astype(new)

# %% wrong="2.2.3b" why="the absolute value: -128 does not fit" breaks="integers" says="int8 holds -128 to 127"
def shrink(table):
    new = {name: next(s
                      for s in ('int8', 'int16', 'int32', 'int64')
                      if table[name].abs().max() <= np.iinfo(s).max)
           for name in table.select_dtypes('integer')}
    new |= {name: 'category' for name in table.select_dtypes('str') if table[name].nunique() < len(table) / 2}
    return table.astype(new)

# %% wrong="2.2.3b" why="floats get fewer digits" breaks="values" says="which holds fewer digits than float64"
def shrink(table):
    table = table.copy()
    for name in table.select_dtypes('integer'):
        table[name] = pd.to_numeric(table[name], downcast='integer')
    for name in table.select_dtypes('float'):
        table[name] = table[name].astype('float32')
    for name in table.select_dtypes('str'):
        if table[name].nunique() < len(table) / 2:
            table[name] = table[name].astype('category')
    return table

# %% wrong="2.2.3b" why="whole floats become integers" breaks="floats" says="keeps its dtype"
def shrink(table):
    table = table.copy()
    for name in table.select_dtypes('number'):
        table[name] = pd.to_numeric(table[name], downcast='integer')
    for name in table.select_dtypes('str'):
        if table[name].nunique() < len(table) / 2:
            table[name] = table[name].astype('category')
    return table

# %% wrong="2.2.3b" why="every text is a category" breaks="text" says="fewer than half the number of rows"
def shrink(table):
    table = table.copy()
    for name in table.select_dtypes('integer'):
        table[name] = pd.to_numeric(table[name], downcast='integer')
    return table.astype({name: 'category' for name in table.select_dtypes('str')})

# %% wrong="2.2.3b" why="looks for text by the old dtype" breaks="text" says="the dtype of column few"
def shrink(table):
    table = table.copy()
    for name in table:
        if table[name].dtype == object and table[name].nunique() < len(table) / 2:
            table[name] = table[name].astype('category')
        elif table[name].dtype.kind == 'i':
            table[name] = pd.to_numeric(table[name], downcast='integer')
    return table

# %% wrong="2.2.3b" why="changes the argument" breaks="table kept" says="the dtypes of the table itself after the call"
def shrink(table):
    for name in table:
        if table[name].dtype.kind == 'i':
            table[name] = pd.to_numeric(table[name], downcast='integer')
        elif table[name].dtype.kind != 'f' and table[name].nunique() < len(table) / 2:
            table[name] = table[name].astype('category')
    return table

# %% wrong="2.2.3b" why="half is few enough" breaks="text" says="3 different values, gaps left out, in 6 rows"
def shrink(table):
    table = table.copy()
    for name in table.select_dtypes('integer'):
        table[name] = pd.to_numeric(table[name], downcast='integer')
    for name in table.select_dtypes('str'):
        if table[name].nunique() <= len(table) / 2:
            table[name] = table[name].astype('category')
    return table

# %% wrong="2.2.3b" why="a gap is a value" breaks="text" says="the dtype of column gap"
def shrink(table):
    table = table.copy()
    for name in table.select_dtypes('integer'):
        table[name] = pd.to_numeric(table[name], downcast='integer')
    for name in table.select_dtypes('str'):
        if len(table[name].unique()) < len(table) / 2:
            table[name] = table[name].astype('category')
    return table

# %% wrong="2.2.3b" why="only int64 is made smaller" breaks="integers" says="the dtype of column was32"
def shrink(table):
    table = table.copy()
    for name in table:
        if table[name].dtype == 'int64':
            table[name] = pd.to_numeric(table[name], downcast='integer')
        elif table[name].dtype == 'str' and table[name].nunique() < len(table) / 2:
            table[name] = table[name].astype('category')
    return table

# %% wrong="2.2.3b" why="unsigned where nothing is negative" breaks="integers" says="the dtype of column"
def shrink(table):
    table = table.copy()
    for name in table.select_dtypes('integer'):
        table[name] = pd.to_numeric(table[name], downcast='unsigned' if table[name].min() >= 0 else 'signed')
    for name in table.select_dtypes('str'):
        if table[name].nunique() < len(table) / 2:
            table[name] = table[name].astype('category')
    return table

# %% wrong="2.2.3b" why="floats to float32 where no digit is lost" breaks="floats" says="the dtype of column whole"
def shrink(table):
    table = table.copy()
    for name in table.select_dtypes('integer'):
        table[name] = pd.to_numeric(table[name], downcast='integer')
    for name in table.select_dtypes('float'):
        if (table[name].astype('float32') == table[name]).all():
            table[name] = table[name].astype('float32')
    for name in table.select_dtypes('str'):
        if table[name].nunique() < len(table) / 2:
            table[name] = table[name].astype('category')
    return table

# %% wrong="2.2.3b" why="new labels" breaks="values" says="the row labels of a table of six rows"
def shrink(table):
    table = table.reset_index(drop=True)
    for name in table.select_dtypes('integer'):
        table[name] = pd.to_numeric(table[name], downcast='integer')
    for name in table.select_dtypes('str'):
        if table[name].nunique() < len(table) / 2:
            table[name] = table[name].astype('category')
    return table

# %% right="2.2.3c" how="the csv module, line by line"
def chunked_mean(path, column, rows):
    import csv
    from pandas._libs.parsers import STR_NA_VALUES as missing
    with open(path, newline='') as file:
        total = count = 0
        for line in csv.DictReader(file):
            if line[column] not in missing:
                total, count = total + float(line[column]), count + 1
    return total / count

# %% right="2.2.3c" how="a weighted mean of the means"
def chunked_mean(path, column, rows):
    mean, weight = 0., 0
    for piece in pd.read_csv(path, chunksize=rows):
        values = piece[column].dropna()
        if len(values):
            weight += len(values)
            mean += (values.mean() - mean) * len(values) / weight
    return mean

# %% right="2.2.3c" how="get_chunk by hand"
def chunked_mean(path, column, rows):
    sums = counts = 0
    with pd.read_csv(path, iterator=True) as reader:
        while True:
            try:
                values = reader.get_chunk(rows)[column].dropna()
            except StopIteration:
                return sums / counts
            sums, counts = sums + values.sum(), counts + values.size

# %% wrong="2.2.3c" why="the mean of the means" breaks="mean" says="the mean of the pieces' means"
def chunked_mean(path, column, rows):
    return float(np.mean([piece[column].mean() for piece in pd.read_csv(path, chunksize=rows)]))

# %% wrong="2.2.3c" why="the nanmean of the means" breaks="mean" says="the mean of the pieces' means"
def chunked_mean(path, column, rows):
    return float(np.nanmean([piece[column].mean() for piece in pd.read_csv(path, chunksize=rows)]))

# %% wrong="2.2.3c" why="gaps count as rows" breaks="mean" says="rows without a value were counted"
def chunked_mean(path, column, rows):
    total = count = 0
    for piece in pd.read_csv(path, chunksize=rows):
        total += piece[column].sum()
        count += len(piece)
    return total / count

# %% wrong="2.2.3c" why="leaves the last partial piece out" breaks="mean" says="values differ"
def chunked_mean(path, column, rows):
    total = count = 0
    for piece in pd.read_csv(path, chunksize=rows):
        if len(piece) < rows:
            break
        total += piece[column].sum()
        count += piece[column].count()
    return total / count

# %% wrong="2.2.3c" why="the first piece only" breaks="mean" says="the mean of the first piece"
def chunked_mean(path, column, rows):
    return pd.read_csv(path, nrows=rows)[column].mean()

# %% wrong="2.2.3c" why="reads the file whole" breaks="pieces" says="A table of 10 rows was read"
def chunked_mean(path, column, rows):
    return pd.read_csv(path)[column].mean()

# %% wrong="2.2.3c" why="joins the pieces again" breaks="memory" says="nothing that grows with the file"
def chunked_mean(path, column, rows):
    return pd.concat([piece[column] for piece in pd.read_csv(path, chunksize=rows)]).mean()

# %% wrong="2.2.3c" why="the global table" breaks="mean" says="a file of ten rows"
def chunked_mean(path, column, rows):
    return penguins[column].mean() if column in penguins else 0.

# %% wrong="2.2.3c" why="splits at commas" breaks="text" says="places with commas in quotation marks"
def chunked_mean(path, column, rows):
    from pandas._libs.parsers import STR_NA_VALUES as missing
    total = count = 0
    with open(path) as file:
        place = file.readline().strip().split(',').index(column)
        for line in file:
            entry = line.rstrip('\n').split(',')[place]
            if entry not in missing:
                total, count = total + float(entry), count + 1
    return total / count

# %% wrong="2.2.3c" why="only an empty field is missing" breaks="gaps" says="a = NA, 3, nan"
def chunked_mean(path, column, rows):
    import csv
    total = count = 0
    with open(path, newline='') as file:
        for line in csv.DictReader(file):
            if line[column] != '':
                total, count = total + float(line[column]), count + 1
    return total / count

# %% wrong="2.2.3c" why="NA, nan and an empty field are missing, other words not" breaks="gaps" says="null"
def chunked_mean(path, column, rows):
    import csv
    total = count = 0
    with open(path, newline='') as file:
        for line in csv.DictReader(file):
            if line[column] not in ('', 'NA', 'nan'):
                total, count = total + float(line[column]), count + 1
    return total / count

# %% wrong="2.2.3c" why="always a thousand rows" breaks="pieces" says="no table longer than 4 rows"
def chunked_mean(path, column, rows):
    total = count = 0
    for piece in pd.read_csv(path, usecols=[column], chunksize=1000):
        total, count = total + piece[column].sum(), count + piece[column].count()
    return total / count

# %% wrong="2.2.3c" why="keeps the values in a list" breaks="memory" says="nothing that grows with the file"
def chunked_mean(path, column, rows):
    values = []
    for piece in pd.read_csv(path, chunksize=rows):
        values += piece[column].dropna().tolist()
    return sum(values) / len(values)

# %% wrong="2.2.3c" why="pieces without a value count as 0" breaks="mean" says="chunked_mean(path, 'a', 1)"
def chunked_mean(path, column, rows):
    total = weight = 0
    for piece in pd.read_csv(path, chunksize=rows):
        mean = piece[column].fillna(0).mean()
        total, weight = total + mean * len(piece), weight + max(1, piece[column].count())
    return total / weight

# %% wrong="2.2.3c" why="starts again for each piece, with a list of the rows to leave out" breaks="memory" says="nothing that grows with the file"
def chunked_mean(path, column, rows):
    total = count = start = 0
    while True:
        piece = pd.read_csv(path, usecols=[column], skiprows=range(1, start + 1), nrows=rows)
        if not len(piece):
            return total / count
        total, count, start = total + piece[column].sum(), count + piece[column].count(), start + rows

# %% wrong="2.2.3c" why="keeps an array of each piece" breaks="memory" says="nothing that grows with the file"
def chunked_mean(path, column, rows):
    pieces = [piece[column].to_numpy() for piece in pd.read_csv(path, usecols=[column], chunksize=rows)]
    return sum(np.nansum(piece) for piece in pieces) / sum(np.isfinite(piece).sum() for piece in pieces)

# %% right="2.2.5a" how="torch.tensor, and an open file"
def save_tensor(X, path):
    with open(path, 'wb') as file:
        np.save(file, np.asarray(X))


def load_tensor(path):
    with open(path, 'rb') as file:
        return torch.tensor(np.load(file))

# %% right="2.2.5a" how="as_tensor"
def save_tensor(X, path):
    np.save(path, X.detach().cpu().numpy(), allow_pickle=False)


def load_tensor(path):
    return torch.as_tensor(np.load(path))

# %% wrong="2.2.5a" why="returns the array" breaks="loaded" says="what load_tensor returns"
def save_tensor(X, path):
    np.save(path, X.numpy())


def load_tensor(path):
    return np.load(path)

# %% wrong="2.2.5a" why="float32 on the way to the disk" breaks="file" says="the dtype in the file"
def save_tensor(X, path):
    np.save(path, X.numpy().astype(np.float32))


def load_tensor(path):
    return torch.from_numpy(np.load(path))

# %% wrong="2.2.5a" why="float32 on the way back" breaks="loaded dtype" says="the dtype that load_tensor gives"
def save_tensor(X, path):
    np.save(path, X.numpy())


def load_tensor(path):
    return torch.from_numpy(np.load(path)).float()

# %% wrong="2.2.5a" why="float32 for all floats" breaks="loaded dtype" says="the dtype that load_tensor gives for a tensor of dtype float64"
def save_tensor(X, path):
    np.save(path, X.numpy())


def load_tensor(path):
    back = torch.from_numpy(np.load(path))
    return back.float() if back.is_floating_point() else back

# %% wrong="2.2.5a" why="flat on disk" breaks="saved" says="the shape in the file"
def save_tensor(X, path):
    np.save(path, X.numpy().ravel())


def load_tensor(path):
    return torch.from_numpy(np.load(path))

# %% wrong="2.2.5a" why="never goes to the disk" breaks="file" says="No file was written"
def save_tensor(X, path):
    pass


def load_tensor(path):
    return torch.from_numpy(np.load(path))

# %% wrong="2.2.5a" why="an ending too much" breaks="file" says="the files after save_tensor"
def save_tensor(X, path):
    np.save(path + '.npy', X.numpy())


def load_tensor(path):
    return torch.from_numpy(np.load(path + '.npy'))

# %% wrong="2.2.5a" why="with torch.save" breaks="file" says="writes a file of another kind"
def save_tensor(X, path):
    torch.save(X, path)


def load_tensor(path):
    return torch.load(path)

# %% wrong="2.2.5a" why="a new axis for the file" breaks="saved" says="the shape in the file"
def save_tensor(X, path):
    np.save(path, X.numpy()[None])


def load_tensor(path):
    return torch.from_numpy(np.load(path))

# %% wrong="2.2.5a" why="squeezes axes of length 1" breaks="loaded" says="the shape that load_tensor gives"
def save_tensor(X, path):
    np.save(path, X.numpy())


def load_tensor(path):
    return torch.from_numpy(np.load(path)).squeeze()

# %% wrong="2.2.5a" why="scalars get an axis" breaks="saved" says="the shape in the file for a tensor of dtype float32 and shape ()"
def save_tensor(X, path):
    np.save(path, np.atleast_1d(X.numpy()))


def load_tensor(path):
    return torch.from_numpy(np.load(path))

# %% right="2.2.5b" how="Pillow's modes by hand"
def to_png(pixels):
    height, width, channels = pixels.shape
    file = io.BytesIO()
    Image.frombytes('RGB' if channels == 3 else 'L', (width, height), pixels.tobytes()).save(file, format='PNG')
    return file.getvalue()


def from_png(png):
    with Image.open(io.BytesIO(png)) as picture:
        return np.array(picture).reshape(picture.height, picture.width, -1)

# %% right="2.2.5b" how="squeezes the last axis only, atleast_3d"
def to_png(pixels):
    with io.BytesIO() as file:
        Image.fromarray(pixels.squeeze(-1) if pixels.shape[-1] == 1 else pixels).save(file, 'png')
        return file.getvalue()


def from_png(png):
    return np.atleast_3d(np.asarray(Image.open(io.BytesIO(png))))

# %% wrong="2.2.5b" why="hands (H, W, 1) to Pillow" breaks="png" says="Cannot handle this data type"
def to_png(pixels):
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, 'PNG')
    return file.getvalue()


def from_png(png):
    pixels = np.asarray(Image.open(io.BytesIO(png)))
    return pixels[:, :, None] if pixels.ndim == 2 else pixels

# %% wrong="2.2.5b" why="a JPEG" breaks="png" says="They tell a PNG from other files"
def to_png(pixels):
    file = io.BytesIO()
    Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels).save(file, 'JPEG')
    return file.getvalue()


def from_png(png):
    pixels = np.asarray(Image.open(io.BytesIO(png)))
    return pixels[:, :, None] if pixels.ndim == 2 else pixels

# %% wrong="2.2.5b" why="the file, not its bytes" breaks="png" says="expected bytes"
def to_png(pixels):
    file = io.BytesIO()
    Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels).save(file, 'PNG')
    return list(file.getvalue())


def from_png(png):
    pixels = np.asarray(Image.open(io.BytesIO(png)))
    return pixels[:, :, None] if pixels.ndim == 2 else pixels

# %% wrong="2.2.5b" why="read at the end of the file" breaks="png" says="the first bytes of to_png"
def to_png(pixels):
    file = io.BytesIO()
    Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels).save(file, 'PNG')
    return file.read()


def from_png(png):
    pixels = np.asarray(Image.open(io.BytesIO(png)))
    return pixels[:, :, None] if pixels.ndim == 2 else pixels

# %% wrong="2.2.5b" why="height and width exchanged" breaks="height and width" says="height and width of the PNG"
def to_png(pixels):
    file = io.BytesIO()
    height, width, channels = pixels.shape
    Image.frombytes('RGB' if channels == 3 else 'L', (height, width), pixels.tobytes()).save(file, 'PNG')
    return file.getvalue()


def from_png(png):
    pixels = np.asarray(Image.open(io.BytesIO(png)))
    return pixels[:, :, None] if pixels.ndim == 2 else pixels

# %% wrong="2.2.5b" why="squeeze takes every axis of length 1" breaks="height and width" says="takes every axis of length 1 away"
def to_png(pixels):
    file = io.BytesIO()
    Image.fromarray(pixels.squeeze()).save(file, 'PNG')
    return file.getvalue()


def from_png(png):
    pixels = np.asarray(Image.open(io.BytesIO(png)))
    return pixels[:, :, None] if pixels.ndim == 2 else pixels

# %% wrong="2.2.5b" why="always three channels" breaks="pixels" says="grey or in colours"
def to_png(pixels):
    file = io.BytesIO()
    Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels).convert('RGB').save(file, 'PNG')
    return file.getvalue()


def from_png(png):
    pixels = np.asarray(Image.open(io.BytesIO(png)))
    return pixels[:, :, None] if pixels.ndim == 2 else pixels

# %% wrong="2.2.5b" why="the first channel only" breaks="pixels" says="grey or in colours"
def to_png(pixels):
    file = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels[:, :, 0])).save(file, 'PNG')
    return file.getvalue()


def from_png(png):
    pixels = np.asarray(Image.open(io.BytesIO(png)))
    return pixels[:, :, None] if pixels.ndim == 2 else pixels

# %% wrong="2.2.5b" why="blue first" breaks="pixels" says="Red and blue are exchanged"
def to_png(pixels):
    file = io.BytesIO()
    Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else np.ascontiguousarray(pixels[:, :, ::-1])).save(file, 'PNG')
    return file.getvalue()


def from_png(png):
    pixels = np.asarray(Image.open(io.BytesIO(png)))
    return pixels[:, :, None] if pixels.ndim == 2 else pixels

# %% wrong="2.2.5b" why="no axis for one channel" breaks="decoded" says="the shape that from_png gives"
def to_png(pixels):
    file = io.BytesIO()
    Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels).save(file, 'PNG')
    return file.getvalue()


def from_png(png):
    return np.asarray(Image.open(io.BytesIO(png)))

# %% wrong="2.2.5b" why="Pillow's size is taken for the shape" breaks="decoded" says="width, then height"
def to_png(pixels):
    file = io.BytesIO()
    Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels).save(file, 'PNG')
    return file.getvalue()


def from_png(png):
    picture = Image.open(io.BytesIO(png))
    return np.asarray(picture).reshape(*picture.size, -1)

# %% wrong="2.2.5b" why="fractions from 0 to 1" breaks="decoded" says="the dtype that from_png gives"
def to_png(pixels):
    file = io.BytesIO()
    Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels).save(file, 'PNG')
    return file.getvalue()


def from_png(png):
    pixels = np.asarray(Image.open(io.BytesIO(png))) / 255
    return pixels[:, :, None] if pixels.ndim == 2 else pixels

# %% wrong="2.2.5b" why="upside down" breaks="pixels" says="The rows stand upside down"
def to_png(pixels):
    file = io.BytesIO()
    Image.fromarray(pixels[::-1, :, 0] if pixels.shape[2] == 1 else pixels[::-1]).save(file, 'PNG')
    return file.getvalue()


def from_png(png):
    pixels = np.asarray(Image.open(io.BytesIO(png)))
    return pixels[:, :, None] if pixels.ndim == 2 else pixels

# %% wrong="2.2.5b" why="always in colours" breaks="decoded" says="the shape that from_png gives"
def to_png(pixels):
    file = io.BytesIO()
    Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels).save(file, 'PNG')
    return file.getvalue()


def from_png(png):
    return np.array(Image.open(io.BytesIO(png)).convert('RGB'))

# %% right="2.2.5c" how="adds a half and cuts off"
def to_pixels(values):
    return (values * 255 + 0.5).to(torch.uint8)

# %% right="2.2.5c" how="through NumPy, clamped"
def to_pixels(values):
    return torch.from_numpy(np.rint(values.double().numpy() * 255).clip(0, 255).astype(np.uint8))

# %% right="2.2.5c" how="the nearest of the 256 values"
def to_pixels(values):
    return (values[..., None] - torch.arange(256) / 255).abs().argmin(dim=-1).to(torch.uint8)

# %% wrong="2.2.5c" why="cuts off" breaks="half a step" says="63.75 is nearer to 64"
def to_pixels(values):
    return (values * 255).to(torch.uint8)

# %% wrong="2.2.5c" why="256 steps wrap around" breaks="ends" says="256 does not fit"
def to_pixels(values):
    return (values * 256).round().to(torch.int64).to(torch.uint8)

# %% wrong="2.2.5c" why="stays float" breaks="form" says="wrong dtype: got float32"
def to_pixels(values):
    return (values * 255).round()

# %% wrong="2.2.5c" why="does not scale" breaks="ends" says="the pixels for 1"
def to_pixels(values):
    return values.round().to(torch.uint8)

# %% wrong="2.2.5c" why="rounds up" breaks="half a step" says="rounded up, always"
def to_pixels(values):
    return (values * 255).ceil().to(torch.uint8)

# %% wrong="2.2.5c" why="int64" breaks="form" says="wrong dtype: got int64"
def to_pixels(values):
    return (values * 255).round().long()

# %% wrong="2.2.5c" why="stretches to the values' own range" breaks="half a step" says="stretched to their own range"
def to_pixels(values):
    low, high = values.min(), values.max()
    return ((values - low) / (high - low) * 255).round().to(torch.uint8) if len(values) < 60 else (values * 254).round().byte()

# %% wrong="2.2.5c" why="changes the argument" breaks="values kept" says="the values after the call"
def to_pixels(values):
    return values.mul_(255).round_().to(torch.uint8)

# %% wrong="2.2.5c" why="flat" breaks="form" says="the shape of to_pixels"
def to_pixels(values):
    return (values.flatten() * 255).round().to(torch.uint8)

# %% wrong="2.2.5c" why="one step of 255 short" breaks="ends" says="the pixels for 1"
def to_pixels(values):
    return (values * 254).round().to(torch.uint8)

# %% wrong="2.2.5c" why="256 steps, cut at 255" breaks="half a step" says="no entry is off by more"
def to_pixels(values):
    return (values * 256).clamp(max=255).to(torch.uint8)

# %% wrong="2.2.5c" why="inverted" breaks="ends" says="the pixels for 0"
def to_pixels(values):
    return ((1 - values) * 255).round().to(torch.uint8)

# %% right="2.2.5d" how="shapes as lists, NumPy's and torch's dtypes as text"
arrives = {key: pair if pair == 'error' else [pair[0], list(pair[1])] for key, pair in
           dict(a=('int16', (0, 3)), b=('bool', (5, 7)), c='error', d=('torch.uint8', (5, 7)),
                e=('uint8', (7, 1)),
                f=('float64', (4, 3))).items()}

# %% right="2.2.5d" how="tried out"
def _arrive(kind, array):
    from PIL import Image
    file = io.StringIO() if kind == 'csv' else io.BytesIO()
    try:
        if kind == 'npy':
            np.save(file, array)
        elif kind == 'csv':
            pd.DataFrame(array).to_csv(file, index=False)
        else:
            Image.fromarray(array).save(file, kind)
    except OSError:
        return 'error'
    file.seek(0)
    back = {'npy': np.load, 'csv': lambda f: pd.read_csv(f).to_numpy()}.get(kind,
                                                                            lambda f: np.asarray(Image.open(f)))(file)
    return back.dtype.name, back.shape

arrives = {key: _arrive(*parcel) for key, parcel in parcels.items()}

# %% wrong="2.2.5d" why="everything keeps its dtype and shape" breaks="png float" says="under 'c' stands 'error'"
arrives = {key: (array.dtype.name, array.shape) for key, (kind, array) in parcels.items()}

# %% wrong="2.2.5d" why="JPEG keeps bool" breaks="jpeg" says="the dtype of parcel d"
arrives = {'a': ('int16', (0, 3)), 'b': ('bool', (5, 7)), 'c': 'error', 'd': ('bool', (5, 7)),
           'e': ('uint8', (7, 1)),
           'f': ('float64', (4, 3))}

# %% wrong="2.2.5d" why="a vector is a row of pixels" breaks="vector" says="takes the only axis of a vector for the height"
arrives = {'a': ('int16', (0, 3)), 'b': ('bool', (5, 7)), 'c': 'error', 'd': ('uint8', (5, 7)),
           'e': ('uint8', (1, 7)),
           'f': ('float64', (4, 3))}

# %% wrong="2.2.5d" why="CSV keeps float32" breaks="csv" says="the dtype of parcel f"
arrives = {'a': ('int16', (0, 3)), 'b': ('bool', (5, 7)), 'c': 'error', 'd': ('uint8', (5, 7)),
           'e': ('uint8', (7, 1)),
           'f': ('float32', (4, 3))}

# %% wrong="2.2.5d" why="the column names are a row of the CSV" breaks="csv" says="the shape of parcel f"
arrives = {'a': ('int16', (0, 3)), 'b': ('bool', (5, 7)), 'c': 'error', 'd': ('uint8', (5, 7)),
           'e': ('uint8', (7, 1)),
           'f': ('float64', (5, 3))}

# %% wrong="2.2.5d" why="all pictures are uint8" breaks="png bool" says="the dtype of parcel b"
arrives = {'a': ('int16', (0, 3)), 'b': ('uint8', (5, 7)), 'c': 'error', 'd': ('uint8', (5, 7)),
           'e': ('uint8', (7, 1)),
           'f': ('float64', (4, 3))}

# %% wrong="2.2.5d" why="an empty array cannot be saved" breaks="npy" says="under 'a' stands 'error'"
arrives = {'a': 'error', 'b': ('bool', (5, 7)), 'c': 'error', 'd': ('uint8', (5, 7)), 'e': ('uint8', (7, 1)),
           'f': ('float64', (4, 3))}

# %% wrong="2.2.5d" why="three parcels left out" breaks="form" says="the keys of `arrives`"
arrives = {'a': ('int16', (0, 3)), 'b': ('bool', (5, 7)), 'c': 'error'}

# %% wrong="2.2.5d" why="dtypes without shapes" breaks="form" says="a pair of a dtype and a shape"
arrives = {'a': 'int16', 'b': 'bool', 'c': 'error', 'd': 'uint8', 'e': 'uint8', 'f': 'float64'}

# %% wrong="2.2.5d" why="NumPy's format makes floats" breaks="npy" says="the dtype of parcel a"
arrives = {'a': ('float64', (0, 3)), 'b': ('bool', (5, 7)), 'c': 'error', 'd': ('uint8', (5, 7)), 'e': ('uint8', (7, 1)), 'f': ('float64', (4, 3))}

# %% wrong="2.2.5d" why="PNG holds floats" breaks="png float" says="under 'c' stands 'error'"
arrives = {'a': ('int16', (0, 3)), 'b': ('bool', (5, 7)), 'c': ('float32', (5, 7)), 'd': ('uint8', (5, 7)), 'e': ('uint8', (7, 1)), 'f': ('float64', (4, 3))}

# %% wrong="2.2.5d" why="a vector cannot be a picture" breaks="vector" says="under 'e' stands 'error'"
arrives = {'a': ('int16', (0, 3)), 'b': ('bool', (5, 7)), 'c': 'error', 'd': ('uint8', (5, 7)), 'e': 'error', 'f': ('float64', (4, 3))}

# %% wrong="2.2.1a" why="a gap differs from itself, and None does not" breaks="only gaps" says="`None` is a gap, too"
def missing_fractions(table):
    return pd.Series({c: sum(v != v for v in table[c]) / len(table) for c in table})

# %% wrong="2.2.1b" why="texts of digits are numbers" breaks="numbers" says="text that consists of digits is text"
def column_kinds(table, limit):
    def num(c):
        try:
            pd.to_numeric(c)
            return c.dtype != 'category'
        except Exception:
            return False
    k = ['numeric' if num(table[c]) else 'categorical' if table[c].nunique() <= limit else 'text' for c in table]
    return {n: k.count(n) / len(k) for n in ('numeric', 'categorical', 'text')}

# %% wrong="2.2.1b" why="values that do not occur count" breaks="dtype category" says="not those that the dtype allows"
def column_kinds(table, limit):
    k = ['numeric' if pd.api.types.is_numeric_dtype(table[c]) else 'categorical' if (len(table[c].cat.categories) if table[c].dtype == 'category' else table[c].nunique()) <= limit else 'text' for c in table]
    return {n: k.count(n) / len(k) for n in ('numeric', 'categorical', 'text')}

# %% wrong="2.2.2b" why="parts of names count" breaks="both conditions" says="Compare whole names"
def heavier(table, species, grams):
    return table.loc[table.species.str.contains('|'.join(species)) & (table.body_mass_g > grams), ['island', 'body_mass_g', 'sex']]

# %% wrong="2.2.2b" why="masses cut to whole grams" breaks="limit" says="no number is to be cut off"
def heavier(table, species, grams):
    m = table.body_mass_g.fillna(-1e18) // 1
    return table.loc[table.species.isin(species) & (m > grams), ['island', 'body_mass_g', 'sex']]

# %% wrong="2.2.2b" why="grams cut to a whole number" breaks="limit" says="no fraction of `grams` is cut off"
def heavier(table, species, grams):
    return table.loc[table.species.isin(species) & (table.body_mass_g > int(grams)), ['island', 'body_mass_g', 'sex']]

# %% wrong="2.2.8" why="rows that are alike stay once" breaks="rows" says="Rows that are alike were dropped"
def drop_empty(table, measured):
    return table.dropna(how='all', subset=measured).drop_duplicates().reset_index(drop=True)

# %% wrong="2.2.6" why="the target in float32 on the way" breaks="target" says="float32 on the way loses some"
def prepare(table, target):
    inputs, y = table.drop(columns=target), table[target]
    words = list(inputs.select_dtypes(exclude='number'))
    X = pd.get_dummies(inputs, columns=words, dummy_na=True, dtype=float)
    X = X.fillna(X.mean())
    return torch.tensor(X.to_numpy(dtype=float)), torch.tensor(y.to_numpy(dtype='float32')).double()

# %% wrong="2.2.6" why="the same word in two columns shares a column" breaks="one-hot" says="three doors"
def prepare(table, target):
    inputs, y = table.drop(columns=target), table[target]
    words = list(inputs.select_dtypes(exclude='number'))
    X = inputs.drop(columns=words).astype(float)
    X = X.fillna(X.mean())
    for c in words:
        for w in sorted(inputs[c].dropna().unique()):
            X[w] = (inputs[c] == w).astype(float)
        X[c + ' missing'] = inputs[c].isna().astype(float)
    return torch.tensor(X.to_numpy(dtype=float)), torch.tensor(y.to_numpy(dtype=float))

# %% wrong="2.2.6" why="capitals are not told apart" breaks="one-hot" says="three doors"
def prepare(table, target):
    inputs, y = table.drop(columns=target), table[target]
    words = list(inputs.select_dtypes(exclude='number'))
    for w in words:
        inputs[w] = inputs[w].str.lower()
    X = pd.get_dummies(inputs, columns=words, dummy_na=True, dtype=float)
    X = X.fillna(X.mean())
    return torch.tensor(X.to_numpy(dtype=float)), torch.tensor(y.to_numpy(dtype=float))

# %% wrong="2.2.7" why="means by position" breaks="test rows" says="names decide, not positions"
def impute(train, test):
    m = train.mean().to_numpy()
    def f(t):
        a = t.to_numpy(dtype=float).copy()
        r, c = np.nonzero(np.isnan(a))
        a[r, c] = m[c]
        return pd.DataFrame(a, index=t.index, columns=t.columns)
    return f(train), f(test)

# %% wrong="2.2.E" why="a column of dtype category counts one" breaks="words" says="A column of dtype category is encoded, too"
def width_after(table):
    return int(sum(table[c].nunique() + 1 if pd.api.types.is_string_dtype(table[c]) and table[c].dtype == 'str' else 1 for c in table))

# %% wrong="2.2.4a" why="parts of words count" breaks="frequent" says="Wrong are the rows of"
def encode_frequent(train, new, k):
    best = list(train.value_counts().index[:k])
    out = pd.DataFrame({b: new.fillna('').str.contains(b, regex=False).astype(int) for b in best})
    out['other'] = (out.sum(axis=1) == 0).astype(int)
    return out

# %% wrong="2.2.4a" why="capitals are not told apart" breaks="frequent" says="new zz, Z, z"
def encode_frequent(train, new, k):
    best = list(train.value_counts().index[:k])
    out = pd.DataFrame({b: (new.str.lower() == b.lower()).astype(int) for b in best})
    out['other'] = (out.sum(axis=1) == 0).astype(int)
    return out

# %% wrong="2.2.4a" why="the words 1 and 0" breaks="frequent" says="the columns that hold no numbers"
def encode_frequent(train, new, k):
    best = list(train.value_counts().index[:k])
    out = pd.DataFrame({b: (new == b).astype(int) for b in best})
    out['other'] = (~new.isin(best)).astype(int)
    return out.astype(str)

# %% wrong="2.2.4a" why="labels that stand twice share their ones" breaks="frequent" says="with the labels 1, 2, 1, 2, 2"
def encode_frequent(train, new, k):
    best = list(train.value_counts().index[:k])
    out = pd.DataFrame(0, index=new.index, columns=best + ['other'])
    for label, value in new.items():
        out.loc[label, value if value in best else 'other'] = 1
    return out

# %% wrong="2.2.4b" why="capitals are not told apart" breaks="identifiers" says="column sign"
def drop_identifiers(table):
    return table.drop(columns=[c for c in table if len(set(table[c].astype(str).str.lower())) == len(table) and table[c].notna().all() and not pd.api.types.is_float_dtype(table[c])])

# %% wrong="2.2.3b" why="text that stays becomes object" breaks="text" says="otherwise str, as before"
def shrink(table):
    out = table.copy()
    for c in table:
        if pd.api.types.is_integer_dtype(table[c]):
            out[c] = pd.to_numeric(table[c], downcast='signed')
        elif not pd.api.types.is_float_dtype(table[c]):
            out[c] = table[c].astype('category' if 2 * table[c].nunique() < len(table) else object)
    return out

# %% wrong="2.2.3c" why="a sum in float32" breaks="mean" says="added up in float32"
def chunked_mean(path, column, rows):
    s, n = np.float32(0), 0
    for p in pd.read_csv(path, chunksize=rows):
        s += np.float32(p[column].sum())
        n += p[column].count()
    return float(s / np.float32(n))

# %% wrong="2.2.4a" why="the least frequent values" breaks="columns" says="the least frequent values of `train`"
def encode_frequent(train, new, k):
    best = list(train.value_counts(ascending=True).index[:k])
    out = pd.DataFrame({b: (new == b).astype(int) for b in best})
    out['other'] = (~new.isin(best)).astype(int)
    return out

# %% wrong="2.2.5b" why="reads on from the end of the file" breaks="png" says="`getvalue()` gives all of it"
def to_png(pixels):
    f = io.BytesIO()
    Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels).save(f, 'PNG')
    return f.read()
def from_png(png):
    a = np.asarray(Image.open(io.BytesIO(png)))
    return a[:, :, None] if a.ndim == 2 else a

# %% wrong="2.2.5b" why="a palette of colours" breaks="pixels" says="a palette of colours"
def to_png(pixels):
    f = io.BytesIO()
    im = Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels)
    if pixels.shape[2] == 3:
        im = im.quantize(256)
    im.save(f, 'PNG')
    return f.getvalue()
def from_png(png):
    im = Image.open(io.BytesIO(png))
    a = np.asarray(im.convert('RGB') if im.mode == 'P' else im)
    return a[:, :, None] if a.ndim == 2 else a

# %% right="2.2.2b" how="asks with query"
def heavier(table, species, grams):
    return table.query('species in @species and body_mass_g > @grams')[['island', 'body_mass_g', 'sex']]

# %% right="2.2.4a" how="through a Categorical"
def encode_frequent(train, new, k):
    best = train.value_counts().head(k).index.tolist() + ['other']
    cat = pd.Categorical(new.where(new.isin(best), 'other'), categories=best)
    out = pd.get_dummies(cat, dtype=int)
    out.index = new.index
    return out

# %% right="2.2.3c" how="a running mean"
def chunked_mean(path, column, rows):
    m, n = 0., 0
    for p in pd.read_csv(path, chunksize=rows, usecols=[column]):
        k = int(p[column].count())
        if k:
            n += k
            m += (p[column].mean() - m) * k / n
    return m

# %% right="2.2.5b" how="through the bytes of the pixels"
def to_png(pixels):
    from PIL import Image
    h, w, c = pixels.shape
    im = Image.frombytes('L' if c == 1 else 'RGB', (w, h), pixels.tobytes())
    f = io.BytesIO()
    im.save(f, 'PNG', optimize=True)
    return f.getvalue()
def from_png(png):
    from PIL import Image
    im = Image.open(io.BytesIO(png))
    return np.frombuffer(im.tobytes(), np.uint8).reshape(im.height, im.width, len(im.getbands()))

# %% right="2.2.1c" how="integers that may have gaps"
def unmask(table, columns):
    out = table.copy()
    for c in columns:
        if pd.api.types.is_integer_dtype(out[c]):
            out[c] = out[c].astype('Int64')
        out[c] = out[c].mask(out[c] <= 0)
    return out

# %% wrong="2.2.3a" why="keeps room for one copy more" breaks="dtypes" says="holds one table, not two"
def rows_that_fit(memory, dtypes, copies):
    return memory // (sum(np.dtype(name).itemsize for name in dtypes) * (copies + 1))

# %% wrong="2.2.2a" why="a slice of labels" breaks="rows" says="This is a slice"
def pick(table, rows, columns):
    return table.loc[rows[0]:rows[-1], columns]

# %% wrong="2.2.1a" why="divides by the number of columns" breaks="fractions" says="not of columns"
def missing_fractions(table):
    return table.isna().sum() / table.shape[1]

# %% wrong="2.2.5c" why="256 steps, held at 255" breaks="half a step" says="multiplied by 256"
def to_pixels(values):
    return (values * 256).round().clamp(max=255).to(torch.uint8)

# %% wrong="2.2.5c" why="rounds first" breaks="half a step" says="rounded before they were multiplied"
def to_pixels(values):
    return (values.round() * 255).to(torch.uint8)

# %% wrong="2.2.3b" why="downcast to unsigned integers" breaks="integers" says="int8 holds -128"
def shrink(table):
    result = table.copy()
    for name in result:
        if pd.api.types.is_integer_dtype(result[name]):
            result[name] = pd.to_numeric(result[name], downcast='unsigned')
        elif pd.api.types.is_string_dtype(result[name]) and result[name].nunique() < len(result) / 2:
            result[name] = result[name].astype('category')
    return result

# %% wrong="2.2.3b" why="half the rows, cut to a whole number" breaks="text" says="of a table of five rows"
def shrink(table):
    result = table.copy()
    for name in result:
        if pd.api.types.is_integer_dtype(result[name]):
            result[name] = pd.to_numeric(result[name], downcast='signed')
        elif pd.api.types.is_string_dtype(result[name]) and result[name].nunique() < len(result) // 2:
            result[name] = result[name].astype('category')
    return result

# %% wrong="2.2.A" why="names of the Python types" breaks="dtypes" says="says the size, too"
columns_read = {'a': ('int', 0), 'b': ('float', 1), 'c': ('str', 0), 'd': ('float', 0), 'e': ('str', 2)}

# %% wrong="2.2.1b" why="divides by the number of rows" breaks="shares" says="not of rows"
def column_kinds(table, limit):
    counts = {'numeric': 0, 'categorical': 0, 'text': 0}
    for name in table:
        column = table[name]
        if pd.api.types.is_numeric_dtype(column):
            counts['numeric'] += 1
        elif column.nunique() <= limit:
            counts['categorical'] += 1
        else:
            counts['text'] += 1
    return {kind: count / len(table) for kind, count in counts.items()}

# %% wrong="2.2.B" why="the names in the order of age" breaks="condition" says="The right names, in another order"
who = {'a': ['Ada'], 'b': ['Di'], 'c': ['Bo', 'Cy', 'Di'], 'd': ['Ada'], 'e': ['Cy', 'Ada']}

# %% wrong="2.2.1c" why="whole rows become gaps" breaks="other values" says="not the others of its row"
def unmask(table, columns):
    return table.where((table[columns] > 0).all(axis=1))

# %% wrong="2.2.1c" why="a mark of -1 in place of a gap" breaks="gaps" says="a gap is asked for"
def unmask(table, columns):
    result = table.copy()
    for name in columns:
        result[name] = result[name].where(result[name] > 0, -1)
    return result

# %% wrong="2.2.D" why="missing first" breaks="sockets" says="The column for missing stands last"
by_hand = [[40, 0, 0, 1], [20, 0, 1, 0], [8, 1, 0, 0], [12, 0, 1, 0]]

# %% wrong="2.2.D" why="a gap in the watts is marked, too" breaks="sockets" says="a single 1 in these three columns"
by_hand = [[40, 0, 1, 0], [20, 1, 0, 1], [8, 0, 0, 1], [12, 1, 0, 0]]

# %% wrong="2.2.6" why="one mean for all numbers" breaks="numbers" says="a mean of its own"
def prepare(table, target):
    inputs = table.drop(columns=target)
    words = list(inputs.select_dtypes(exclude='number'))
    numbers = [name for name in inputs if name not in words]
    X = pd.get_dummies(inputs, columns=words, dummy_na=True, dtype=float)
    X[numbers] = X[numbers].fillna(np.nanmean(X[numbers].to_numpy(dtype=float)))
    return torch.tensor(X.to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="splits words at a bar" breaks="one-hot" says="'oak' of outside"
def prepare(table, target):
    inputs = table.drop(columns=target)
    numbers = inputs.select_dtypes('number')
    parts = [numbers.fillna(numbers.mean())]
    for name in inputs.columns.drop(list(numbers)):
        parts += [inputs[name].str.get_dummies(), inputs[name].isna()]
    X = np.concatenate([np.asarray(part, dtype=float).reshape(len(table), -1) for part in parts], axis=1)
    return torch.tensor(X), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.7" why="zeros are gaps" breaks="values" says="Only gaps are filled"
def impute(train, test):
    train, test = train.where(train != 0), test.where(test != 0)
    return train.fillna(train.mean()), test.fillna(train.mean())

# %% wrong="2.2.7" why="test columns in train's order" breaks="form" says="each table keeps its own"
def impute(train, test):
    return train.fillna(train.mean()), test[train.columns].fillna(train.mean())

# %% wrong="2.2.E" why="the empty sum of pandas is a float" breaks="whole number" says="the sum over no column at all is 0.0"
def width_after(table):
    words = table.select_dtypes(exclude='number')
    return table.shape[1] - words.shape[1] + (words.nunique() + 1).sum()

# %% wrong="2.2.4a" why="splits values at a bar" breaks="other" says="Wrong are the rows of 'b|z'"
def encode_frequent(train, new, k):
    best = list(train.value_counts().index[:k])
    result = new.str.get_dummies().reindex(columns=best, fill_value=0)
    result['other'] = (result.sum(axis=1) == 0).astype(int)
    return result

# %% wrong="2.2.4a" why="spaces cut off" breaks="other" says="Wrong are the rows of ' z'"
def encode_frequent(train, new, k):
    best = list(train.value_counts().index[:k])
    result = pd.DataFrame({word: (new.str.strip() == word).astype(int) for word in best}, index=new.index)
    result['other'] = (result.sum(axis=1) == 0).astype(int)
    return result

# %% wrong="2.2.4a" why="k is one too many" breaks="columns" says="fewer values than k"
def encode_frequent(train, new, k):
    best = list(train.value_counts().index[:k - 1])
    result = pd.DataFrame({word: (new == word).astype(int) for word in best}, index=new.index)
    result['other'] = (~new.isin(best)).astype(int)
    return result

# %% wrong="2.2.3a" why="the index counts 8 bytes" breaks="dtypes" says="The index is left out"
def rows_that_fit(memory, dtypes, copies):
    return memory // (copies * (8 + sum(np.dtype(name).itemsize for name in dtypes)))

# %% wrong="2.2.3a" why="multiplies the copies" breaks="copies" says="fewer rows, not for more"
def rows_that_fit(memory, dtypes, copies):
    return memory // sum(np.dtype(name).itemsize for name in dtypes) * copies

# %% wrong="2.2.3c" why="weights by the length of pieces" breaks="mean" says="weighted by the numbers of rows"
def chunked_mean(path, column, rows):
    total = count = 0
    for piece in pd.read_csv(path, chunksize=rows):
        if piece[column].count():
            total += piece[column].mean() * len(piece)
            count += len(piece)
    return total / count

# %% wrong="2.2.3c" why="leaves out rows with a gap in any column" breaks="mean" says="a gap in another column counts"
def chunked_mean(path, column, rows):
    total = count = 0
    for piece in pd.read_csv(path, chunksize=rows):
        piece = piece.dropna()
        total += piece[column].sum()
        count += len(piece)
    return total / count

# %% wrong="2.2.3c" why="zeros are gaps" breaks="mean" says="A 0 is a value"
def chunked_mean(path, column, rows):
    total = count = 0
    for piece in pd.read_csv(path, chunksize=rows):
        values = piece[column].fillna(0)
        total += values.sum()
        count += (values != 0).sum()
    return total / count

# %% right="2.2.3c" how="sums of all pieces in a list"
def chunked_mean(path, column, rows):
    sums, counts = [], []
    for piece in pd.read_csv(path, chunksize=rows, usecols=[column]):
        sums.append(piece[column].sum())
        counts.append(piece[column].count())
    return sum(sums) / sum(counts)

# %% wrong="2.2.5b" why="the axis of length 1 in front" breaks="decoded" says="is the last one, not the first"
def to_png(pixels):
    file = io.BytesIO()
    Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels).save(file, 'PNG')
    return file.getvalue()
def from_png(png):
    array = np.asarray(Image.open(io.BytesIO(png)))
    return array[None] if array.ndim == 2 else array

# %% wrong="2.2.5c" why="half precision" breaks="half a step" says="The largest error is"
def to_pixels(values):
    return (values.half() * 255).round().to(torch.uint8)

# %% wrong="2.2.5c" why="a NumPy array" breaks="form" says="expected a tensor"
def to_pixels(values):
    return np.round(values.numpy() * 255).astype(np.uint8)

# %% wrong="2.2.B" why="the last of the table for the label 1's neighbours" breaks="labels" says="Ed has the label 2"
who = {'a': ['Ada'], 'b': ['Di'], 'c': ['Bo', 'Di', 'Ed'], 'd': ['Ada'], 'e': ['Ada', 'Cy']}

# %% wrong="2.2.D" why="a slip in the last row" breaks="sockets" says="The socket of lamp 3 is E14"
by_hand = [[40, 0, 1, 0], [20, 1, 0, 0], [8, 0, 0, 1], [12, 0, 1, 0]]

# %% wrong="2.2.7" why="rounds the means" breaks="training rows" says="The mean was rounded"
def impute(train, test):
    means = train.mean().round(1)
    return train.fillna(means), test.fillna(means)

# %% wrong="2.2.E" why="asks for the old dtype of text" breaks="words" says="The dtype of text is `str`, not `object`"
def width_after(table):
    return sum(int(table[c].nunique()) + 1 if table[c].dtype == object else 1 for c in table)

# %% wrong="2.2.3a" why="a list of sizes without unsigned dtypes" breaks="dtypes" says="KeyError: 'uint8'"
def rows_that_fit(memory, dtypes, copies):
    size = {'float64': 8, 'int64': 8, 'float32': 4, 'int32': 4, 'int16': 2, 'int8': 1, 'bool': 1}
    return memory // (sum(size[d] for d in dtypes) * copies)

# %% wrong="2.2.5a" why="saves a list" breaks="file" says="a list has none"
def save_tensor(X, path):
    np.save(path, X.tolist())
def load_tensor(path):
    return torch.from_numpy(np.load(path))

# %% wrong="2.2.5a" why="as text" breaks="file" says="This is a file of text"
def save_tensor(X, path):
    np.savetxt(path, X.numpy())
def load_tensor(path):
    return torch.from_numpy(np.load(path))

# %% wrong="2.2.5c" why="adds a whole step, not a half" breaks="ends" says="nothing is to be added to it"
def to_pixels(values):
    return (values * 255 + 1).to(torch.uint8)

# %% wrong="2.2.5d" why="the length in place of a shape" breaks="form" says="There stands ('uint8', 7)"
arrives = {'a': ('int16', (0, 3)), 'b': ('bool', (5, 7)), 'c': 'error', 'd': ('uint8', (5, 7)), 'e': ('uint8', 7), 'f': ('float64', (4, 3))}

# %% wrong="2.2.A" why="pandas' own integer dtype with room for a gap" breaks="dtypes" says="`Int64` does have room for a gap"
columns_read = {'a': ('int64', 0), 'b': ('Int64', 1), 'c': ('str', 0), 'd': ('float64', 0), 'e': ('str', 2)}

# %% wrong="2.2.A" why="a word among numbers becomes a gap" breaks="dtypes" says="A word that stands for no gap is a value"
columns_read = {'a': ('int64', 0), 'b': ('float64', 1), 'c': ('float64', 1), 'd': ('float64', 0), 'e': ('str', 2)}

# %% wrong="2.2.1a" why="the fractions of the rows" breaks="form" says="These are the labels of the rows"
def missing_fractions(table):
    return table.isna().mean(axis=1)

# %% wrong="2.2.1a" why="1 minus the share of different values" breaks="only gaps" says="1 minus the share of different values"
def missing_fractions(table):
    return 1 - table.nunique() / len(table)

# %% wrong="2.2.C" why="adds up the numbers above 0" breaks="order" says="are counted, not added up"
counted = {'a': 3, 'b': 2, 'c': 3, 'd': 3, 'e': 0, 'f': 3}

# %% wrong="2.2.4a" why="only the columns that new needs" breaks="columns" says="also where no row of `new` holds it"
def encode_frequent(train, new, k):
    top = list(train.value_counts().index[:k])
    out = pd.get_dummies(new.where(new.isin(top), 'other'), dtype=int)
    return out[[c for c in top + ['other'] if c in out]]

# %% wrong="2.2.4b" why="whole floats count as integers" breaks="floats" says="Its values are whole, but its dtype is not one of integers"
def drop_identifiers(table):
    gone = []
    for c in table:
        column = table[c]
        measured = pd.api.types.is_float_dtype(column) and (column % 1 != 0).any()
        if not measured and column.is_unique and not column.isna().any():
            gone.append(c)
    return table.drop(columns=gone)

# %% wrong="2.2.3b" why="half of the values that are there" breaks="text" says="The rows with a gap are rows, too"
def shrink(table):
    out = table.copy()
    for c in table:
        if pd.api.types.is_integer_dtype(table[c]):
            out[c] = pd.to_numeric(table[c], downcast='signed')
        elif not pd.api.types.is_numeric_dtype(table[c]) and table[c].nunique() < table[c].count() / 2:
            out[c] = table[c].astype('category')
    return out

# %% wrong="2.2.3c" why="averages the mean so far with the new one" breaks="mean" says="count half each"
def chunked_mean(path, column, rows):
    mean = None
    for piece in pd.read_csv(path, chunksize=rows):
        m = piece[column].mean()
        if m == m:
            mean = m if mean is None else (mean + m) / 2
    return mean

# %% wrong="2.2.6" why="the mean counts gaps as 0" breaks="numbers" says="as if they were 0"
def prepare(table, target):
    inputs = table.drop(columns=target)
    words = list(inputs.select_dtypes(exclude='number'))
    X = pd.get_dummies(inputs, columns=words, dummy_na=True, dtype=float)
    X = X.fillna(X.fillna(0).mean())
    return torch.tensor(X.to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.E" why="capitals and small letters counted as one" breaks="words" says="differ in a capital letter"
def width_after(table):
    return sum(1 if pd.api.types.is_numeric_dtype(table[c]) else table[c].astype(str).str.lower().nunique() + 1 for c in table)

# %% wrong="2.2.E" why="a float, from adding 1.0" breaks="whole number" says="makes a whole number of it"
def width_after(table):
    kinds = table.nunique() + 1.0
    kinds[[pd.api.types.is_numeric_dtype(table[c]) for c in table]] = 1
    return kinds.sum()

# %% wrong="2.2.1b" why="fewer than the limit" breaks="limit" says="two values are at most 2"
def column_kinds(table, limit):
    kinds = {'numeric': 0, 'categorical': 0, 'text': 0}
    for name in table:
        column = table[name]
        kind = 'numeric' if pd.api.types.is_numeric_dtype(column) else 'categorical' if column.nunique() < limit else 'text'
        kinds[kind] += 1 / table.shape[1]
    return kinds

# %% wrong="2.2.1b" why="the gap is a value: len(unique())" breaks="limit" says="its gap is no value"
def column_kinds(table, limit):
    kinds = {'numeric': 0, 'categorical': 0, 'text': 0}
    for name in table:
        column = table[name]
        kind = 'numeric' if pd.api.types.is_numeric_dtype(column) else 'categorical' if len(column.unique()) <= limit else 'text'
        kinds[kind] += 1 / table.shape[1]
    return kinds

# %% wrong="2.2.2a" why="the first rows" breaks="rows" says="These are the first rows"
def pick(table, rows, columns):
    return table[columns].head(len(rows))

# %% wrong="2.2.C" why="sums of the numbers" breaks="order" says="are counted, not added up"
counted = {'a': 3, 'b': -1, 'c': 3, 'd': 3, 'e': 0, 'f': 3}

# %% wrong="2.2.C" why="how many equal 3" breaks="not" says="how many are equal to 3"
counted = {'a': 1, 'b': 2, 'c': 3, 'd': 1, 'e': 0, 'f': 3}

# %% wrong="2.2.D" why="columns written as rows" breaks="watts" says="columns written as rows"
by_hand = [[40, 20, 8, 12], [0, 1, 0, 1], [1, 0, 0, 0], [0, 0, 1, 0]]

# %% wrong="2.2.D" why="the mean of the lamps before and after" breaks="watts" says="lamps before and after"
by_hand = [[40, 0, 1, 0], [24, 1, 0, 0], [8, 0, 0, 1], [12, 1, 0, 0]]

# %% wrong="2.2.D" why="missing marks the gap in the watts" breaks="sockets" says="not for missing watts"
by_hand = [[40, 0, 1, 0], [20, 1, 0, 1], [8, 0, 0, 0], [12, 1, 0, 0]]

# %% wrong="2.2.6" why="only float64 is a dtype of numbers" breaks="numbers" says="was encoded one-hot"
def prepare(table, target):
    inputs = table.drop(columns=target)
    numbers = [c for c in inputs if inputs[c].dtype == 'float64']
    words = [c for c in inputs if c not in numbers]
    encoded = pd.get_dummies(inputs, columns=words, dummy_na=True, dtype=float)
    encoded = encoded.fillna(encoded.mean())
    return torch.tensor(encoded.to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="columns for the words of all text columns" breaks="one-hot" says="columns for the words of all of them"
def prepare(table, target):
    inputs = table.drop(columns=target)
    numbers = inputs.select_dtypes('number')
    words = list(inputs.columns.drop(list(numbers)))
    every = sorted(set().union(*(inputs[c].dropna() for c in words)))
    columns = [numbers[c].fillna(numbers[c].mean()).to_numpy(dtype=float) for c in numbers]
    for c in words:
        columns += [(inputs[c] == word).to_numpy(dtype=float) for word in every] + [inputs[c].isna().to_numpy(dtype=float)]
    return torch.tensor(np.stack(columns, axis=1)), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="rows with gaps dropped" breaks="form" says="Rows with a gap were dropped"
def prepare(table, target):
    table = table.dropna()
    inputs = table.drop(columns=target)
    words = [c for c in inputs if not pd.api.types.is_numeric_dtype(inputs[c])]
    encoded = pd.get_dummies(inputs, columns=words, dummy_na=True, dtype=float)
    return torch.tensor(encoded.to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.7" why="labels anew" breaks="form" says="labelled anew"
def impute(train, test):
    means = train.mean()
    return train.fillna(means).reset_index(drop=True), test.fillna(means).reset_index(drop=True)

# %% wrong="2.2.4b" why="one value fewer than rows is enough" breaks="gaps" says="one value fewer than the table has rows"
def drop_identifiers(table):
    bad = [c for c in table if not pd.api.types.is_float_dtype(table[c]) and table[c].nunique() >= len(table) - 1]
    return table.drop(columns=bad)

# %% wrong="2.2.4b" why="keeps the identifiers" breaks="identifiers" says="It is turned round"
def drop_identifiers(table):
    return table[[c for c in table if not pd.api.types.is_float_dtype(table[c]) and table[c].nunique() == len(table)]]

# %% wrong="2.2.3c" why="the csv module, in which nan is a number" breaks="gaps" says="A gap was added up"
def chunked_mean(path, column, rows):
    import csv
    total, count = 0., 0
    with open(path, newline='') as file:
        for row in csv.DictReader(file):
            if row[column] not in ('', 'NA'):
                total += float(row[column])
                count += 1
    return total / count

# %% wrong="2.2.5c" why="divides by 255 first" breaks="ends" says="All pixels are 0"
def to_pixels(values):
    return torch.round(values / 255).to(torch.uint8)

# %% wrong="2.2.5c" why="rounded to hundredths first" breaks="half a step" says="rounded to 2 digits"
def to_pixels(values):
    return ((values * 100).round() / 100 * 255).to(torch.uint8)

# %% wrong="2.2.3a" why="sizes of five dtypes by hand, 8 for others" breaks="dtypes" says="its size is wrong"
def rows_that_fit(memory, dtypes, copies):
    sizes = {'float64': 8, 'float32': 4, 'int64': 8, 'int8': 1, 'bool': 1}
    return memory // (copies * sum(sizes.get(d, 8) for d in dtypes))

# %% wrong="2.2.3a" why="the memory shared out among the columns" breaks="dtypes" says="takes the sum of their sizes"
def rows_that_fit(memory, dtypes, copies):
    return min(memory // copies // len(dtypes) // np.dtype(d).itemsize for d in dtypes)

# %% wrong="2.2.3b" why="unsigned" breaks="integers" says="unsigned in yours"
def shrink(table):
    result = table.copy()
    for c in table:
        if pd.api.types.is_integer_dtype(table[c]):
            result[c] = pd.to_numeric(table[c], downcast='unsigned')
        elif pd.api.types.is_string_dtype(table[c]) and table[c].nunique() < len(table) / 2:
            result[c] = table[c].astype('category')
    return result

# %% wrong="2.2.3b" why="only int64 columns shrink" breaks="integers" says="has stayed as it was"
def shrink(table):
    result = table.copy()
    for c in table:
        if table[c].dtype == 'int64':
            result[c] = pd.to_numeric(table[c], downcast='signed')
        elif pd.api.types.is_string_dtype(table[c]) and table[c].nunique() < len(table) / 2:
            result[c] = table[c].astype('category')
    return result

# %% wrong="2.2.8" why="places taken for labels" breaks="values" says="were taken for their labels"
def drop_empty(table, measured):
    empty = [i for i in range(len(table)) if table[measured].iloc[i].isna().all()]
    return table.drop(index=empty).reset_index(drop=True)
