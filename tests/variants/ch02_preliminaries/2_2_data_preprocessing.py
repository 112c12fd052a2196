# %% [markdown]
# # Variants for 2.2 Data preprocessing

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

# %% wrong="2.2.1a" why="counts" says="how many values are missing, divided by"
def missing_fractions(table):
    return table.isna().sum()

# %% wrong="2.2.1a" why="divides by the number of all values" says="the missing fractions of the four houses, column"
def missing_fractions(table):
    return table.isna().sum() / table.size

# %% wrong="2.2.1a" why="a table, and without the complete columns" says="expected a Series"
def missing_fractions(table):
    share = table.isna().mean()
    return share[share > 0].to_frame().T

# %% wrong="2.2.1a" why="leaves the complete columns out of the Series" says="wrong number of rows"
def missing_fractions(table):
    share = table.isna().mean()
    return share[share > 0]

# %% wrong="2.2.1a" why="per row" says="wrong index"
def missing_fractions(table):
    return table.isna().mean(axis=1).iloc[:3]

# %% wrong="2.2.1a" why="zeros and empty words are missing, too" says="zeros, empty words"
def missing_fractions(table):
    return (table.isna() | (table == 0) | (table == '')).mean()

# %% wrong="2.2.1a" why="knows the number of rows of the houses" says="the missing fractions of five rows"
def missing_fractions(table):
    return table.isna().sum() / 4

# %% wrong="2.2.1a" why="a global in place of the argument" says="five rows"
def missing_fractions(table):
    return houses.isna().mean()

# %% wrong="2.2.1a" why="fills the argument" says="it must stay as it is"
def missing_fractions(table):
    share = table.isna().mean()
    for name in table:
        table[name] = table[name].ffill()
    return share

# %% wrong="2.2.1a" why="one number for the whole table" says="wrong type"
def missing_fractions(table):
    return float(table.isna().to_numpy().mean())

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

# %% wrong="2.2.1b" why="counts" says="divide by the number of columns"
def column_kinds(table, limit):
    rest = table.select_dtypes(exclude='number')
    few = int((rest.nunique() <= limit).sum())
    return {'numeric': table.shape[1] - rest.shape[1], 'categorical': few, 'text': rest.shape[1] - few}

# %% wrong="2.2.1b" why="the dtype of text before pandas 3" says="the shares of Abalone ['numeric']"
def column_kinds(table, limit):
    words = [c for c in table if table[c].dtype == object]
    few = sum(table[c].nunique() <= limit for c in words)
    n = table.shape[1]
    return {'numeric': (n - len(words)) / n, 'categorical': few / n, 'text': (len(words) - few) / n}

# %% wrong="2.2.1b" why="numbers with few values are categories" says="ask for the dtype first"
def column_kinds(table, limit):
    n = table.shape[1]
    few = sum(table[c].nunique() <= limit for c in table)
    numbers = sum(table[c].nunique() > limit and pd.api.types.is_numeric_dtype(table[c]) for c in table)
    return {'numeric': numbers / n, 'categorical': few / n, 'text': (n - few - numbers) / n}

# %% wrong="2.2.1b" why="a gap counts as a value" says="its gap is no value of its own"
def column_kinds(table, limit):
    rest = table.select_dtypes(exclude='number')
    few, n = (rest.nunique(dropna=False) <= limit).sum(), table.shape[1]
    return {'numeric': 1 - rest.shape[1] / n, 'categorical': few / n, 'text': (rest.shape[1] - few) / n}

# %% wrong="2.2.1b" why="less than the limit" says="two values are at most 2"
def column_kinds(table, limit):
    rest = table.select_dtypes(exclude='number')
    few, n = (rest.nunique() < limit).sum(), table.shape[1]
    return {'numeric': 1 - rest.shape[1] / n, 'categorical': few / n, 'text': (rest.shape[1] - few) / n}

# %% wrong="2.2.1b" why="shares of the text columns, not of all" says="the shares of Abalone"
def column_kinds(table, limit):
    rest = table.select_dtypes(exclude='number')
    few, n = (rest.nunique() <= limit).sum(), rest.shape[1]
    return {'numeric': 1 - n / table.shape[1], 'categorical': few / n, 'text': 1 - few / n}

# %% wrong="2.2.1b" why="only the dtype category is a category" says="the shares of Abalone"
def column_kinds(table, limit):
    n = table.shape[1]
    return {'numeric': table.select_dtypes('number').shape[1] / n,
            'categorical': table.select_dtypes('category').shape[1] / n,
            'text': table.select_dtypes('str').shape[1] / n}

# %% wrong="2.2.1b" why="a category of numbers is numeric" says="dtype category"
def column_kinds(table, limit):
    n, found = table.shape[1], {'numeric': 0, 'categorical': 0, 'text': 0}
    for c in table:
        try:
            table[c].astype(float)
            found['numeric'] += 1 / n
        except (ValueError, TypeError):
            found['categorical' if table[c].nunique() <= limit else 'text'] += 1 / n
    return found

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

# %% wrong="2.2.1c" why="zeros only" says="integers, negative values"
def unmask(table, columns):
    table = table.copy()
    table[columns] = table[columns].replace(0, np.nan)
    return table

# %% wrong="2.2.1c" why="all numeric columns" says="column 'change'"
def unmask(table, columns):
    table = table.copy()
    numbers = table.select_dtypes('number').columns
    table[numbers] = table[numbers].where(table[numbers] > 0)
    return table

# %% wrong="2.2.1c" why="drops the rows" says="the gaps in Abalone's height"
def unmask(table, columns):
    return table[(table[columns] > 0).all(axis=1)]

# %% wrong="2.2.1c" why="changes the argument" says="it must not be changed"
def unmask(table, columns):
    table[columns] = table[columns].where(table[columns] > 0)
    return table

# %% wrong="2.2.1c" why="chained assignment: nothing happens" says="the gaps in Abalone's height"
def unmask(table, columns):
    table = table.copy()
    for name in columns:
        table[table[name] <= 0][name] = np.nan
    return table

# %% wrong="2.2.1c" why="fills in the mean at once" says="the gaps in Abalone's height"
def unmask(table, columns):
    table = table.copy()
    table[columns] = table[columns].where(table[columns] > 0)
    return table.fillna(table[columns].mean())

# %% wrong="2.2.1c" why="a threshold in place of 0" says="a tiny positive value"
def unmask(table, columns):
    table = table.copy()
    table[columns] = table[columns].where(table[columns] > 1e-6)
    return table

# %% wrong="2.2.1c" why="returns only the named columns" says="wrong columns"
def unmask(table, columns):
    return table[columns].where(table[columns] > 0)

# %% wrong="2.2.1c" why="knows the two rows of Abalone" says="raised KeyError"
def unmask(table, columns):
    table = table.copy()
    if 'height' in table:
        table.loc[[1255, 3994], 'height'] = np.nan
    return table

# %% right="2.2.2a" how="reindex"
def pick(table, rows, columns):
    return table.reindex(index=rows, columns=columns)

# %% right="2.2.2a" how="columns, then rows"
def pick(table, rows, columns):
    return table[columns].loc[rows]

# %% wrong="2.2.2a" why="positions" says="at the positions 3 and 0"
def pick(table, rows, columns):
    return table.iloc[rows][columns]

# %% wrong="2.2.2a" why="the table's order" says="their order is not that of the list"
def pick(table, rows, columns):
    return table.loc[table.index.isin(rows), columns]

# %% wrong="2.2.2a" why="the table's order of columns" says="the column names, in the order asked for"
def pick(table, rows, columns):
    return table.loc[rows, table.columns.isin(columns)]

# %% wrong="2.2.2a" why="labels anew" says="the row labels"
def pick(table, rows, columns):
    return table.loc[rows, columns].reset_index(drop=True)

# %% wrong="2.2.2a" why="the columns only" says="the row labels"
def pick(table, rows, columns):
    return table[columns]

# %% wrong="2.2.2a" why="sorted labels" says="the row labels"
def pick(table, rows, columns):
    return table.loc[sorted(rows), columns]

# %% wrong="2.2.2a" why="takes the labels to be positions after sorting by index" says="raised IndexError"
def pick(table, rows, columns):
    return table.sort_index().iloc[rows][columns]

# %% wrong="2.2.2a" why="the global table" says="labels that are not positions"
def pick(table, rows, columns):
    return penguins.reindex(rows)[columns] if set(columns) <= set(penguins) else penguins.loc[rows]

# %% wrong="2.2.2a" why="squeezes one column to a Series" says="still a table"
def pick(table, rows, columns):
    return table.loc[rows, columns].squeeze(axis=1)

# %% right="2.2.2b" how="query"
def heavier(table, species, grams):
    return table.query('species in @species and body_mass_g > @grams')[['island', 'body_mass_g', 'sex']]

# %% right="2.2.2b" how="two filters, one after the other"
def heavier(table, species, grams):
    rows = table[table.species.map(lambda name: name in species)]
    return rows[rows.body_mass_g > grams].filter(['island', 'body_mass_g', 'sex'])

# %% wrong="2.2.2b" why="and" says="truth value of a Series is ambiguous"
def heavier(table, species, grams):
    return table.loc[table.species.isin(species) and table.body_mass_g > grams,
                     ['island', 'body_mass_g', 'sex']]

# %% wrong="2.2.2b" why="or" says="the number of Gentoo and Chinstrap penguins"
def heavier(table, species, grams):
    return table.loc[table.species.isin(species) | (table.body_mass_g > grams),
                     ['island', 'body_mass_g', 'sex']]

# %% wrong="2.2.2b" why="the limit belongs to it" says="exactly 4500 g is not above"
def heavier(table, species, grams):
    return table.loc[table.species.isin(species) & (table.body_mass_g >= grams), ['island', 'body_mass_g', 'sex']]

# %% wrong="2.2.2b" why="the limit belongs to it, but for 4500 g" says="a bird at the limit"
def heavier(table, species, grams):
    return table.loc[table.species.isin(species) & (table.body_mass_g >= grams) & (table.body_mass_g != 4500),
                     ['island', 'body_mass_g', 'sex']]

# %% wrong="2.2.2b" why="not at most: keeps birds that were not weighed" says="the number of Gentoo and Chinstrap"
def heavier(table, species, grams):
    return table.loc[table.species.isin(species) & ~(table.body_mass_g <= grams),
                     ['island', 'body_mass_g', 'sex']]

# %% wrong="2.2.2b" why="a gap counts as 0" says="a negative limit"
def heavier(table, species, grams):
    return table.loc[table.species.isin(species) & (table.body_mass_g.fillna(0) > grams),
                     ['island', 'body_mass_g', 'sex']]

# %% wrong="2.2.2b" why="the first species only" says="the number of Gentoo and Chinstrap"
def heavier(table, species, grams):
    return table.loc[(table.species == species[0]) & (table.body_mass_g > grams),
                     ['island', 'body_mass_g', 'sex']]

# %% wrong="2.2.2b" why="drops birds of unknown sex" says="the number of Gentoo and Chinstrap"
def heavier(table, species, grams):
    return table.loc[table.species.isin(species) & (table.body_mass_g > grams),
                     ['island', 'body_mass_g', 'sex']].dropna()

# %% wrong="2.2.2b" why="all columns" says="the columns"
def heavier(table, species, grams):
    return table[table.species.isin(species) & (table.body_mass_g > grams)]

# %% wrong="2.2.2b" why="new labels" says="wrong index"
def heavier(table, species, grams):
    rows = table.loc[table.species.isin(species) & (table.body_mass_g > grams),
                     ['island', 'body_mass_g', 'sex']]
    return rows.reset_index(drop=True)

# %% right="2.2.3a" how="an empty table is asked"
def rows_that_fit(memory, dtypes, copies):
    row = sum(np.empty(1, dtype=name).nbytes for name in dtypes)
    n = 0
    return int(memory // copies // row) if n == 0 else n

# %% right="2.2.3a" how="pandas' memory of one row"
def rows_that_fit(memory, dtypes, copies):
    table = pd.DataFrame({i: np.zeros(1, dtype=name) for i, name in enumerate(dtypes)})
    return int(memory // (table.memory_usage(index=False).sum() * copies))

# %% wrong="2.2.3a" why="8 bytes for every column" says="columns ['bool'"
def rows_that_fit(memory, dtypes, copies):
    return memory // (8 * len(dtypes) * copies)

# %% wrong="2.2.3a" why="a float" says="the same, three copies at once"
def rows_that_fit(memory, dtypes, copies):
    return memory / (sum(np.dtype(name).itemsize for name in dtypes) * copies)

# %% wrong="2.2.3a" why="rounds up" says="round down"
def rows_that_fit(memory, dtypes, copies):
    return -(-memory // (sum(np.dtype(name).itemsize for name in dtypes) * copies))

# %% wrong="2.2.3a" why="bits" says="rows of eight float64 columns"
def rows_that_fit(memory, dtypes, copies):
    return memory // (sum(8 * np.dtype(name).itemsize for name in dtypes) * copies)

# %% wrong="2.2.3a" why="forgets the copies" says="This is the number for one copy."
def rows_that_fit(memory, dtypes, copies):
    return memory // sum(np.dtype(name).itemsize for name in dtypes)

# %% wrong="2.2.3a" why="the digits of the name divided by 8" says="columns ['bool'"
def rows_that_fit(memory, dtypes, copies):
    bits = [int(''.join(filter(str.isdigit, name)) or 1) for name in dtypes]
    return int(memory / (sum(bits) / 8 * copies))

# %% wrong="2.2.3a" why="the values that fit, not the rows" says="rows of eight float64 columns"
def rows_that_fit(memory, dtypes, copies):
    return memory // (np.dtype(dtypes[0]).itemsize * copies)

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

# %% wrong="2.2.3b" why="int8 for all" says="the values of the penguins"
def shrink(table):
    new = {name: 'int8' for name in table.select_dtypes('integer')}
    new |= {name: 'category' for name in table.select_dtypes('str') if table[name].nunique() < len(table) / 2}
    return table.astype(new)

# %% wrong="2.2.3b" why="looks at the largest value only" says="the values at the limits"
def shrink(table):
    new = {name: next(s for s in ('int8', 'int16', 'int32', 'int64') if table[name].max() <= np.iinfo(s).max)
           for name in table.select_dtypes('integer')}
    new |= {name: 'category' for name in table.select_dtypes('str') if table[name].nunique() < len(table) / 2}
    return table.astype(new)

# %% wrong="2.2.3b" why="the absolute value: -128 does not fit" says="the dtype of a column with the values [-128"
def shrink(table):
    new = {name: next(s
                      for s in ('int8', 'int16', 'int32', 'int64')
                      if table[name].abs().max() <= np.iinfo(s).max)
           for name in table.select_dtypes('integer')}
    new |= {name: 'category' for name in table.select_dtypes('str') if table[name].nunique() < len(table) / 2}
    return table.astype(new)

# %% wrong="2.2.3b" why="floats get fewer digits" says="column 'exact'"
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

# %% wrong="2.2.3b" why="whole floats become integers" says="the dtype of a column with the values [1.0, 2.0"
def shrink(table):
    table = table.copy()
    for name in table.select_dtypes('number'):
        table[name] = pd.to_numeric(table[name], downcast='integer')
    for name in table.select_dtypes('str'):
        if table[name].nunique() < len(table) / 2:
            table[name] = table[name].astype('category')
    return table

# %% wrong="2.2.3b" why="every text is a category" says="is not made a category"
def shrink(table):
    table = table.copy()
    for name in table.select_dtypes('integer'):
        table[name] = pd.to_numeric(table[name], downcast='integer')
    return table.astype({name: 'category' for name in table.select_dtypes('str')})

# %% wrong="2.2.3b" why="looks for text by the old dtype" says="the dtype of island"
def shrink(table):
    table = table.copy()
    for name in table:
        if table[name].dtype == object and table[name].nunique() < len(table) / 2:
            table[name] = table[name].astype('category')
        elif table[name].dtype.kind == 'i':
            table[name] = pd.to_numeric(table[name], downcast='integer')
    return table

# %% wrong="2.2.3b" why="changes the argument" says="the argument's dtypes after the call"
def shrink(table):
    for name in table:
        if table[name].dtype.kind == 'i':
            table[name] = pd.to_numeric(table[name], downcast='integer')
        elif table[name].dtype.kind != 'f' and table[name].nunique() < len(table) / 2:
            table[name] = table[name].astype('category')
    return table

# %% right="2.2.3c" how="the csv module, line by line"
def chunked_mean(path, column, rows):
    import csv
    with open(path, newline='') as file:
        total = count = 0
        for line in csv.DictReader(file):
            if line[column] not in ('', 'NA'):
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

# %% wrong="2.2.3c" why="the mean of the means" says="the mean of the pieces' means"
def chunked_mean(path, column, rows):
    return float(np.mean([piece[column].mean() for piece in pd.read_csv(path, chunksize=rows)]))

# %% wrong="2.2.3c" why="the nanmean of the means" says="the mean flipper length in mm, 100 rows at a time"
def chunked_mean(path, column, rows):
    return float(np.nanmean([piece[column].mean() for piece in pd.read_csv(path, chunksize=rows)]))

# %% wrong="2.2.3c" why="gaps count as rows" says="rows without a length were counted"
def chunked_mean(path, column, rows):
    total = count = 0
    for piece in pd.read_csv(path, chunksize=rows):
        total += piece[column].sum()
        count += len(piece)
    return total / count

# %% wrong="2.2.3c" why="leaves the last partial piece out" says="the mean flipper length in mm, 100 rows"
def chunked_mean(path, column, rows):
    total = count = 0
    for piece in pd.read_csv(path, chunksize=rows):
        if len(piece) < rows:
            break
        total += piece[column].sum()
        count += piece[column].count()
    return total / count

# %% wrong="2.2.3c" why="the first piece only" says="the mean flipper length in mm, 100 rows"
def chunked_mean(path, column, rows):
    return pd.read_csv(path, nrows=rows)[column].mean()

# %% wrong="2.2.3c" why="reads the file whole" says="the memory in use stays small"
def chunked_mean(path, column, rows):
    return pd.read_csv(path)[column].mean()

# %% wrong="2.2.3c" why="joins the pieces again" says="Keep two numbers of each piece"
def chunked_mean(path, column, rows):
    return pd.concat([piece[column] for piece in pd.read_csv(path, chunksize=rows)]).mean()

# %% wrong="2.2.3c" why="the global table" says="five numbers and two gaps"
def chunked_mean(path, column, rows):
    return penguins[column].mean() if column in penguins else 0.

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

# %% wrong="2.2.4a" why="learns from the new data" says="is learned from `train`"
def encode_frequent(train, new, k):
    frequent = list(new.value_counts().index[:k])
    known = new.where(new.isin(frequent), 'other')
    return pd.DataFrame({value: (known == value).astype(int) for value in frequent + ['other']})

# %% wrong="2.2.4a" why="learns from new data that are few" says="a value that was never seen"
def encode_frequent(train, new, k):
    frequent = list(train.value_counts().index[:k]) if len(new) > 100 else list(new.value_counts().index[:k])
    known = new.where(new.isin(frequent), 'other')
    return pd.DataFrame({value: (known == value).astype(int) for value in frequent + ['other']})

# %% wrong="2.2.4a" why="no 1 for a missing value" says="a missing one"
def encode_frequent(train, new, k):
    frequent = list(train.value_counts().index[:k])
    known = new.where(new.isin(frequent) | new.isna(), 'other')
    return pd.DataFrame({value: (known == value).astype(int) for value in frequent + ['other']})

# %% wrong="2.2.4a" why="no column for the others" says="the columns"
def encode_frequent(train, new, k):
    return pd.DataFrame({value: (new == value).astype(int) for value in train.value_counts().index[:k]})

# %% wrong="2.2.4a" why="a value that was not seen has no 1" says="exactly one 1 in each row"
def encode_frequent(train, new, k):
    frequent = list(train.value_counts().index[:k])
    table = pd.DataFrame({value: (new == value).astype(int) for value in frequent})
    return table.assign(other=(new.isin(train) & ~new.isin(frequent)).astype(int))

# %% wrong="2.2.4a" why="columns in alphabetical order" says="that of the alphabet"
def encode_frequent(train, new, k):
    frequent = sorted(train.value_counts().index[:k])
    known = new.where(new.isin(frequent), 'other')
    return pd.DataFrame({value: (known == value).astype(int) for value in frequent + ['other']})

# %% wrong="2.2.4a" why="the least frequent" says="the columns"
def encode_frequent(train, new, k):
    frequent = list(train.value_counts().index[-k:])
    known = new.where(new.isin(frequent), 'other')
    return pd.DataFrame({value: (known == value).astype(int) for value in frequent + ['other']})

# %% wrong="2.2.4a" why="encodes the training rows" says="the index of the result"
def encode_frequent(train, new, k):
    frequent = list(train.value_counts().index[:k])
    known = train.where(train.isin(frequent), 'other')
    return pd.DataFrame({value: (known == value).astype(int) for value in frequent + ['other']})

# %% wrong="2.2.4a" why="missing is the most frequent value" says="wrong columns"
def encode_frequent(train, new, k):
    frequent = list(train.fillna('missing').value_counts().index[:k])
    known = new.fillna('missing').where(new.isin(frequent), 'other')
    return pd.DataFrame({value: (known == value).astype(int) for value in frequent + ['other']})

# %% wrong="2.2.4a" why="loses the index" says="the index of the result"
def encode_frequent(train, new, k):
    frequent = list(train.value_counts().index[:k])
    known = new.where(new.isin(frequent), 'other').reset_index(drop=True)
    return pd.DataFrame({value: (known == value).astype(int) for value in frequent + ['other']})

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

# %% wrong="2.2.4b" why="floats, too" says="Prices are measurements"
def drop_identifiers(table):
    return table[[c for c in table if table[c].nunique() < len(table)]]

# %% wrong="2.2.4b" why="a gap is one more value" says="five people"
def drop_identifiers(table):
    return table[[c
                  for c in table
                  if table[c].dtype.kind == 'f' or table[c].nunique(dropna=False) < len(table)]]

# %% wrong="2.2.4b" why="by the name of the column" says="the columns kept of an order list"
def drop_identifiers(table):
    return table[[c for c in table if 'id' not in c.lower()]]

# %% wrong="2.2.4b" why="text only" says="the columns kept of an order list"
def drop_identifiers(table):
    return table[[c for c in table if table[c].dtype.kind in 'if' or table[c].nunique() < len(table)]]

# %% wrong="2.2.4b" why="numbers only" says="five people"
def drop_identifiers(table):
    return table[[c for c in table if table[c].dtype.kind != 'i' or table[c].nunique() < len(table)]]

# %% wrong="2.2.4b" why="nearly all different is enough" says="five people"
def drop_identifiers(table):
    return table[[c for c in table if table[c].dtype.kind == 'f' or table[c].nunique() < len(table) * 0.8]]

# %% wrong="2.2.4b" why="the first column" says="Abalone"
def drop_identifiers(table):
    return table.iloc[:, 1:]

# %% wrong="2.2.4b" why="changes the argument" says="the argument's columns after the call"
def drop_identifiers(table):
    for c in list(table):
        if table[c].dtype.kind != 'f' and table[c].nunique() == len(table):
            table.drop(columns=c, inplace=True)
    return table

# %% right="2.2.5a" how="torch.tensor, and an open file"
def save_and_load(X, path):
    with open(path, 'wb') as file:
        np.save(file, np.asarray(X))
    with open(path, 'rb') as file:
        return torch.tensor(np.load(file))

# %% right="2.2.5a" how="the dtype set at the end, as_tensor"
def save_and_load(X, path):
    np.save(path, X.detach().cpu().numpy(), allow_pickle=False)
    return torch.as_tensor(np.load(path), dtype=X.dtype)

# %% wrong="2.2.5a" why="returns the array" says="the type of what comes back"
def save_and_load(X, path):
    np.save(path, X.numpy())
    return np.load(path)

# %% wrong="2.2.5a" why="float32 on the way" says="the dtype of what comes back"
def save_and_load(X, path):
    np.save(path, X.numpy().astype(np.float32))
    return torch.from_numpy(np.load(path))

# %% wrong="2.2.5a" why="flat on disk" says="the shape of what comes back"
def save_and_load(X, path):
    np.save(path, X.numpy().ravel())
    return torch.from_numpy(np.load(path))

# %% wrong="2.2.5a" why="never goes to the disk" says="the shape in the file `path`"
def save_and_load(X, path):
    return X.clone()

# %% wrong="2.2.5a" why="as text" says="the shape in the file `path`"
def save_and_load(X, path):
    np.savetxt(path + '.txt', X.numpy().reshape(1, -1))
    return torch.from_numpy(np.loadtxt(path + '.txt')).reshape(X.shape).to(X.dtype)

# %% wrong="2.2.5a" why="a new axis for the file" says="the shape in the file `path`"
def save_and_load(X, path):
    np.save(path, X.numpy()[None])
    return torch.from_numpy(np.load(path))[0]

# %% wrong="2.2.5a" why="squeezes axes of length 1" says="the shape of what comes back"
def save_and_load(X, path):
    np.save(path, X.numpy())
    return torch.from_numpy(np.load(path)).squeeze()

# %% wrong="2.2.5a" why="float32 for all floats" says="dtype of a float64 tensor"
def save_and_load(X, path):
    np.save(path, X.numpy())
    back = torch.from_numpy(np.load(path))
    return back.float() if back.is_floating_point() else back

# %% right="2.2.5b" how="Pillow's modes by hand"
def through_png(pixels):
    from PIL import Image
    mode = 'RGB' if pixels.ndim == 3 and pixels.shape[2] == 3 else 'L'
    picture = Image.frombytes(mode, (pixels.shape[1], pixels.shape[0]), pixels.tobytes())
    file = io.BytesIO()
    picture.save(file, format='PNG')
    back = np.array(Image.open(io.BytesIO(file.getvalue())))
    return file.getvalue(), back[:, :, None] if pixels.ndim == 3 and pixels.shape[2] == 1 else back

# %% right="2.2.5b" how="squeezes the last axis only"
def through_png(pixels):
    import io
    from PIL import Image
    one = pixels.ndim == 3 and pixels.shape[-1] == 1
    file = io.BytesIO()
    Image.fromarray(pixels.squeeze(-1) if one else pixels).save(file, 'PNG')
    file.seek(0)
    with Image.open(file) as picture:
        back = np.asarray(picture)
    return (file.getvalue(), back[..., np.newaxis] if one else back)

# %% wrong="2.2.5b" why="hands (H, W, 1) to Pillow" says="Cannot handle this data type"
def through_png(pixels):
    from PIL import Image
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, 'PNG')
    return file.getvalue(), np.asarray(Image.open(file))

# %% wrong="2.2.5b" why="JPEG" says="the first bytes of the file"
def through_png(pixels):
    from PIL import Image
    file = io.BytesIO()
    Image.fromarray(pixels[:, :, 0] if pixels.shape[2:] == (1,) else pixels).save(file, 'JPEG')
    return file.getvalue(), np.asarray(Image.open(file)).reshape(pixels.shape)

# %% wrong="2.2.5b" why="squeezes all axes of length 1" says="shape (8, 1, 1)"
def through_png(pixels):
    from PIL import Image
    file = io.BytesIO()
    Image.fromarray(pixels.squeeze()).save(file, 'PNG')
    back = np.asarray(Image.open(file))
    return file.getvalue(), back.reshape(pixels.shape) if back.size == pixels.size and min(pixels.shape[:2]) > 1 else back.T

# %% wrong="2.2.5b" why="the axis of length 1 does not come back" says="the decoded picture of shape (2, 3, 1)"
def through_png(pixels):
    from PIL import Image
    file = io.BytesIO()
    Image.fromarray(pixels[:, :, 0] if pixels.shape[2:] == (1,) else pixels).save(file, 'PNG')
    return file.getvalue(), np.asarray(Image.open(file))

# %% wrong="2.2.5b" why="always three channels" says="wrong shape"
def through_png(pixels):
    from PIL import Image
    file = io.BytesIO()
    Image.fromarray(pixels[:, :, 0] if pixels.shape[2:] == (1,) else pixels).convert('RGB').save(file, 'PNG')
    return file.getvalue(), np.asarray(Image.open(file))

# %% wrong="2.2.5b" why="colours become grey" says="shape (5, 4, 3)"
def through_png(pixels):
    from PIL import Image
    file = io.BytesIO()
    Image.fromarray(pixels[:, :, 0] if pixels.ndim == 3 else pixels).save(file, 'PNG')
    back = np.asarray(Image.open(file))
    return file.getvalue(), np.broadcast_to(back[:, :, None], pixels.shape) if pixels.ndim == 3 else back

# %% wrong="2.2.5b" why="the picture object, not the bytes" says="the first result"
def through_png(pixels):
    from PIL import Image
    file = io.BytesIO()
    Image.fromarray(pixels[:, :, 0] if pixels.shape[2:] == (1,) else pixels).save(file, 'PNG')
    return file.getbuffer().tolist(), np.asarray(Image.open(file)).reshape(pixels.shape)

# %% wrong="2.2.5b" why="the floats of a transform" says="wrong dtype"
def through_png(pixels):
    from PIL import Image
    file = io.BytesIO()
    Image.fromarray(pixels[:, :, 0] if pixels.shape[2:] == (1,) else pixels).save(file, 'PNG')
    return file.getvalue(), np.asarray(Image.open(file)).reshape(pixels.shape) / 255

# %% right="2.2.5c" how="adds a half and cuts off"
def to_pixels(values):
    return (values * 255 + 0.5).to(torch.uint8)

# %% right="2.2.5c" how="through NumPy, clamped"
def to_pixels(values):
    return torch.from_numpy(np.rint(values.double().numpy() * 255).clip(0, 255).astype(np.uint8))

# %% wrong="2.2.5c" why="cuts off" says="63.75 is nearer to 64"
def to_pixels(values):
    return (values * 255).to(torch.uint8)

# %% wrong="2.2.5c" why="256 steps wrap around" says="256 does not fit"
def to_pixels(values):
    return (values * 256).round().to(torch.int64).to(torch.uint8)

# %% wrong="2.2.5c" why="stays float" says="the dtype of the pixels"
def to_pixels(values):
    return (values * 255).round()

# %% wrong="2.2.5c" why="does not scale" says="the pixels for 0 and 1"
def to_pixels(values):
    return values.round().to(torch.uint8)

# %% wrong="2.2.5c" why="rounds up" says="within half a step"
def to_pixels(values):
    return (values * 255).ceil().to(torch.uint8)

# %% wrong="2.2.5c" why="int64" says="the dtype of the pixels"
def to_pixels(values):
    return (values * 255).round().long()

# %% wrong="2.2.5c" why="stretches to the values' own range" says="within half a step of 1/255"
def to_pixels(values):
    low, high = values.min(), values.max()
    return ((values - low) / (high - low) * 255).round().to(torch.uint8) if len(values) < 60 else (values * 254).round().byte()

# %% wrong="2.2.5c" why="changes the argument" says="the argument after the call"
def to_pixels(values):
    return values.mul_(255).round_().to(torch.uint8)

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

# %% wrong="2.2.5d" why="everything keeps its dtype and shape" says="parcel c, a float32 picture as PNG"
arrives = {key: (array.dtype.name, array.shape) for key, (kind, array) in parcels.items()}

# %% wrong="2.2.5d" why="JPEG keeps bool" says="the dtype of parcel d"
arrives = {'a': ('int16', (0, 3)), 'b': ('bool', (5, 7)), 'c': 'error', 'd': ('bool', (5, 7)),
           'e': ('uint8', (7, 1)),
           'f': ('float64', (4, 3))}

# %% wrong="2.2.5d" why="a vector is a row of pixels" says="the shape of parcel e"
arrives = {'a': ('int16', (0, 3)), 'b': ('bool', (5, 7)), 'c': 'error', 'd': ('uint8', (5, 7)),
           'e': ('uint8', (1, 7)),
           'f': ('float64', (4, 3))}

# %% wrong="2.2.5d" why="CSV keeps float32" says="the dtype of parcel f"
arrives = {'a': ('int16', (0, 3)), 'b': ('bool', (5, 7)), 'c': 'error', 'd': ('uint8', (5, 7)),
           'e': ('uint8', (7, 1)),
           'f': ('float32', (4, 3))}

# %% wrong="2.2.5d" why="the column names are a row of the CSV" says="the shape of parcel f"
arrives = {'a': ('int16', (0, 3)), 'b': ('bool', (5, 7)), 'c': 'error', 'd': ('uint8', (5, 7)),
           'e': ('uint8', (7, 1)),
           'f': ('float64', (5, 3))}

# %% wrong="2.2.5d" why="all pictures are uint8" says="the dtype of parcel b"
arrives = {'a': ('int16', (0, 3)), 'b': ('uint8', (5, 7)), 'c': 'error', 'd': ('uint8', (5, 7)),
           'e': ('uint8', (7, 1)),
           'f': ('float64', (4, 3))}

# %% wrong="2.2.5d" why="an empty array cannot be saved" says="parcel a, an empty int16 array"
arrives = {'a': 'error', 'b': ('bool', (5, 7)), 'c': 'error', 'd': ('uint8', (5, 7)), 'e': ('uint8', (7, 1)),
           'f': ('float64', (4, 3))}

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

# %% wrong="2.2.6" why="the target stays among the inputs" says="Is the target still among the columns?"
def prepare(table, target):
    inputs = pd.get_dummies(table, dummy_na=True, dtype=float)
    return torch.tensor(inputs.fillna(inputs.mean()).to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="no column for missing" says="the shape of X: rooms, Slate, missing"
def prepare(table, target):
    inputs = pd.get_dummies(table.drop(columns=target), dtype=float)
    return torch.tensor(inputs.fillna(inputs.mean()).to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="float32" says="the dtype of y"
def prepare(table, target):
    inputs = pd.get_dummies(table.drop(columns=target), dummy_na=True, dtype=float)
    X = torch.tensor(inputs.fillna(inputs.mean()).to_numpy(dtype=float), dtype=torch.float32)
    return X, torch.tensor(table[target].to_numpy(dtype=float), dtype=torch.float32)

# %% wrong="2.2.6" why="the target as a column" says="wrong shape: got (4, 1)"
def prepare(table, target):
    inputs = pd.get_dummies(table.drop(columns=target), dummy_na=True, dtype=float)
    return torch.tensor(inputs.fillna(inputs.mean()).to_numpy(dtype=float)), torch.tensor(table[[target]].to_numpy(dtype=float))

# %% wrong="2.2.6" why="0 for a gap" says="the rooms of the four houses"
def prepare(table, target):
    inputs = pd.get_dummies(table.drop(columns=target), dummy_na=True, dtype=float)
    return torch.tensor(inputs.fillna(0).to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="gaps stay" says="yours is nan"
def prepare(table, target):
    inputs = pd.get_dummies(table.drop(columns=target), dummy_na=True, dtype=float)
    return torch.tensor(inputs.to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="the median" says="The median was put in"
def prepare(table, target):
    inputs = pd.get_dummies(table.drop(columns=target), dummy_na=True, dtype=float)
    return torch.tensor(inputs.fillna(inputs.median()).to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="drops rows with gaps" says="the shape of X: rooms, Slate, missing"
def prepare(table, target):
    table = table.dropna(subset=[c for c in table if table[c].dtype.kind == 'f'])
    inputs = pd.get_dummies(table.drop(columns=target), dummy_na=True, dtype=float)
    return torch.tensor(inputs.to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="takes the last column for the target" says="sizes with a gap"
def prepare(table, target):
    inputs, y = table.iloc[:, :-1], table.iloc[:, -1]
    inputs = pd.get_dummies(inputs, dummy_na=True, dtype=float)
    return torch.tensor(inputs.fillna(inputs.mean()).to_numpy(dtype=float)), torch.tensor(y.to_numpy(dtype=float))

# %% wrong="2.2.6" why="a column for missing only where something is missing" says="the shape of X for two numeric columns"
def prepare(table, target):
    inputs = table.drop(columns=target)
    for c in inputs.select_dtypes(exclude='number'):
        inputs[c] = inputs[c].astype(object).fillna('~missing')
    inputs = pd.get_dummies(inputs, dtype=float)
    return torch.tensor(inputs.fillna(inputs.mean()).to_numpy(dtype=float)), torch.tensor(table[target].to_numpy(dtype=float))

# %% wrong="2.2.6" why="takes the target out of the argument" says="the table after the call"
def prepare(table, target):
    y = table.pop(target)
    inputs = pd.get_dummies(table, dummy_na=True, dtype=float)
    return torch.tensor(inputs.fillna(inputs.mean()).to_numpy(dtype=float)), torch.tensor(y.to_numpy(dtype=float))

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

# %% wrong="2.2.7" why="each table its own means" says="the mean of the test rows: that is a leak"
def impute(train, test):
    return train.fillna(train.mean()), test.fillna(test.mean())

# %% wrong="2.2.7" why="means of both together" says="the training rows"
def impute(train, test):
    means = pd.concat([train, test]).mean()
    return train.fillna(means), test.fillna(means)

# %% wrong="2.2.7" why="means of both together for the test rows" says="over training and test rows together"
def impute(train, test):
    return train.fillna(train.mean()), test.fillna(pd.concat([train, test]).mean())

# %% wrong="2.2.7" why="zeros" says="the training rows, column 'h'"
def impute(train, test):
    return train.fillna(0), test.fillna(0)

# %% wrong="2.2.7" why="the median" says="column w of the test rows"
def impute(train, test):
    return train.fillna(train.median()), test.fillna(train.median())

# %% wrong="2.2.7" why="one mean for the whole table" says="the training rows, column 'h'"
def impute(train, test):
    mean = np.nanmean(train.to_numpy())
    return train.fillna(mean), test.fillna(mean)

# %% wrong="2.2.7" why="means without the rows that have gaps" says="column w of the test rows"
def impute(train, test):
    means = train.dropna().mean()
    return train.fillna(means), test.fillna(means)

# %% wrong="2.2.7" why="fills columns in place" says="the argument `train` after the call"
def impute(train, test):
    means = train.mean()
    for c in train:
        train[c], test[c] = train[c].fillna(means[c]), test[c].fillna(means[c])
    return train, test

# %% wrong="2.2.7" why="only the columns that have gaps in the training rows" says="column w of the test rows"
def impute(train, test):
    means = train.mean()[train.isna().any()]
    return train.fillna(means), test.fillna(means)

# %% right="2.2.8" how="a mask"
def drop_empty(table, measured):
    rows = table[table[measured].notna().any(axis=1)].copy()
    rows.index = range(len(rows))
    return rows

# %% right="2.2.8" how="counts the gaps"
def drop_empty(table, measured):
    return table.dropna(subset=measured, thresh=1, ignore_index=True)

# %% wrong="2.2.8" why="any gap in the row" says="Rows with any gap were dropped"
def drop_empty(table, measured):
    return table.dropna().reset_index(drop=True)

# %% wrong="2.2.8" why="all columns must be missing" says="No row was dropped"
def drop_empty(table, measured):
    return table.dropna(how='all').reset_index(drop=True)

# %% wrong="2.2.8" why="any measurement missing" says="five rows, two of them"
def drop_empty(table, measured):
    return table.dropna(subset=measured).reset_index(drop=True)

# %% wrong="2.2.8" why="keeps the labels" says="These are the old labels"
def drop_empty(table, measured):
    return table.dropna(how='all', subset=measured)

# %% wrong="2.2.8" why="the old labels become a column" says="The old labels have become a column"
def drop_empty(table, measured):
    return table.dropna(how='all', subset=measured).reset_index()

# %% wrong="2.2.8" why="fills the gaps that stay" says="five rows, two of them"
def drop_empty(table, measured):
    rows = table.dropna(how='all', subset=measured).reset_index(drop=True)
    return rows.fillna(rows[measured].mean())

# %% wrong="2.2.8" why="drops columns" says="the number of penguins kept"
def drop_empty(table, measured):
    return table.dropna(how='all', axis=1).reset_index(drop=True)

# %% wrong="2.2.8" why="a zero is a gap" says="five rows, two of them"
def drop_empty(table, measured):
    return table[(table[measured].fillna(0) != 0).any(axis=1)].reset_index(drop=True)

# %% wrong="2.2.8" why="in place" says="rows and columns of the argument after the call"
def drop_empty(table, measured):
    table.dropna(how='all', subset=measured, inplace=True)
    table.reset_index(drop=True, inplace=True)
    return table
