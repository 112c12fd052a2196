# %% right="3.3.A" how="asks torch"
def shapes(n, d):
    X, w, column = torch.zeros(n, d), torch.zeros(d), torch.zeros(n, 1)
    tall = w.reshape(-1, 1)
    return [tuple(t.shape) for t in (X @ w, X @ w + column, X @ tall, X @ tall + column)]

# %% right="3.3.A" how="torch.Size"
def shapes(n, d):
    return torch.Size([n]), torch.Size([n, n]), torch.Size([n, 1]), torch.Size([n, 1])

# %% wrong="3.3.A" why="the features stay" breaks="X @ w" says="The features are summed away"
def shapes(n, d):
    return (d,), (n, n), (n, 1), (n, 1)

# %% wrong="3.3.A" why="a column from a vector product" breaks="X @ w" says="is a vector, with one axis"
def shapes(n, d):
    return (n, 1), (n, n), (n, 1), (n, 1)

# %% wrong="3.3.A" why="the sum taken for a column" breaks="the sum with a vector" says="the vector becomes a row"
def shapes(n, d):
    return (n,), (n, 1), (n, 1), (n, 1)

# %% wrong="3.3.A" why="the sum taken for a vector" breaks="the sum with a vector" says="has two axes"
def shapes(n, d):
    return (n,), (n,), (n, 1), (n, 1)

# %% wrong="3.3.A" why="the column sum taken for a square too" breaks="the column form" says="no square here"
def shapes(n, d):
    return (n,), (n, n), (n, 1), (n, n)

# %% wrong="3.3.A" why="sum is square in d" breaks="the sum with a vector" says="The features are gone"
def shapes(n, d):
    return (n,), (n, d), (n, 1), (n, 1)

# %% wrong="3.3.A" why="the column form gives vectors" breaks="the column form" says="a matrix of one column"
def shapes(n, d):
    return (n,), (n, n), (n,), (n, n)

# %% wrong="3.3.A" why="the square has the features for its second axis" breaks="the sum with a vector" says="both axes of the sum count examples"
def shapes(n, d):
    return (n,), (d, n), (n, 1), (n, 1)

# %% right="3.3.5" how="noise first, normal draws of torch.normal"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator()
    g.manual_seed(seed)
    epsilon = torch.normal(0.0, 1.0, (n, 1), generator=g) * noise
    X = torch.normal(0.0, 1.0, (n, w.numel()), generator=g)
    return [X, (X * w).sum(dim=1, keepdim=True) + b + epsilon]

# %% right="3.3.5" how="NumPy's generator"
def synthetic_data(w, b, noise, n, seed):
    rng = np.random.default_rng(seed)
    X = torch.from_numpy(rng.standard_normal((n, len(w)))).float()
    y = X @ w + b + noise * torch.from_numpy(rng.standard_normal(n)).float()
    return X, y[:, None]

# %% wrong="3.3.5" why="weights as a vector, noise as a column" breaks="shape" says="the shape of y for 5 examples"
def synthetic_data(w, b, noise, n, seed):
    generator = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=generator)
    return X, X @ w + b + noise * torch.randn(n, 1, generator=generator)

# %% wrong="3.3.5" why="targets as a vector" breaks="shape" says="the shape of y for 5 examples"
def synthetic_data(w, b, noise, n, seed):
    generator = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=generator)
    return X, X @ w + b + noise * torch.randn(n, generator=generator)

# %% wrong="3.3.5" why="double precision" breaks="dtype" says="the dtypes of X and y"
def synthetic_data(w, b, noise, n, seed):
    generator = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=generator, dtype=torch.float64)
    epsilon = noise * torch.randn(n, 1, generator=generator, dtype=torch.float64)
    return X, X @ w.double().reshape(-1, 1) + b + epsilon

# %% wrong="3.3.5" why="uniform features" breaks="features" says="torch.rand draws numbers between 0 and 1"
def synthetic_data(w, b, noise, n, seed):
    generator = torch.Generator().manual_seed(seed)
    X = torch.rand(n, len(w), generator=generator)
    return X, X @ w.reshape(-1, 1) + b + noise * torch.randn(n, 1, generator=generator)

# %% wrong="3.3.5" why="the same number in all columns" breaks="features" says="All features of an example are the same number"
def synthetic_data(w, b, noise, n, seed):
    generator = torch.Generator().manual_seed(seed)
    X = torch.randn(n, 1, generator=generator).repeat(1, len(w))
    return X, X @ w.reshape(-1, 1) + b + noise * torch.randn(n, 1, generator=generator)

# %% wrong="3.3.5" why="no bias" breaks="targets" says="The bias is missing"
def synthetic_data(w, b, noise, n, seed):
    generator = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=generator)
    return X, X @ w.reshape(-1, 1) + noise * torch.randn(n, 1, generator=generator)

# %% wrong="3.3.5" why="noise taken for the variance" breaks="noise" says="taken for the variance"
def synthetic_data(w, b, noise, n, seed):
    generator = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=generator)
    return X, X @ w.reshape(-1, 1) + b + math.sqrt(noise) * torch.randn(n, 1, generator=generator)

# %% wrong="3.3.5" why="one noise for all examples" breaks="noise" says="ε is the same for all examples"
def synthetic_data(w, b, noise, n, seed):
    generator = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=generator)
    return X, X @ w.reshape(-1, 1) + b + noise * torch.randn(1, generator=generator)

# %% wrong="3.3.5" why="uniform noise" breaks="noise" says="the standard deviation of y - Xw - b"
def synthetic_data(w, b, noise, n, seed):
    generator = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=generator)
    return X, X @ w.reshape(-1, 1) + b + noise * (2 * torch.rand(n, 1, generator=generator) - 1)

# %% wrong="3.3.5" why="the seed is ignored" breaks="seed" says="the seeds 1 and 2 give different X"
def synthetic_data(w, b, noise, n, seed):
    generator = torch.Generator().manual_seed(0)
    X = torch.randn(n, len(w), generator=generator)
    return X, X @ w.reshape(-1, 1) + b + noise * torch.randn(n, 1, generator=generator)

# %% wrong="3.3.5" why="no seed at all, in a generator of its own" breaks="seed" says="two calls with seed 1"
def synthetic_data(w, b, noise, n, seed):
    generator = torch.Generator()
    generator.seed()
    X = torch.randn(n, len(w), generator=generator)
    return X, X @ w.reshape(-1, 1) + b + noise * torch.randn(n, 1, generator=generator)

# %% wrong="3.3.5" why="seeds the global generator" breaks="own random generator" says="seed nothing else"
def synthetic_data(w, b, noise, n, seed):
    torch.manual_seed(seed)
    X = torch.randn(n, len(w))
    return X, X @ w.reshape(-1, 1) + b + noise * torch.randn(n, 1)

# %% wrong="3.3.5" why="the same seed for features and noise" breaks="noise" says="the same random numbers as the features"
def synthetic_data(w, b, noise, n, seed):
    X = torch.randn(n, len(w), generator=torch.Generator().manual_seed(seed))
    return X, X @ w.reshape(-1, 1) + b + noise * torch.randn(n, 1, generator=torch.Generator().manual_seed(seed))

# %% right="3.3.5" how="fork_rng"
def synthetic_data(w, b, noise, n, seed):
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        X = torch.randn(n, len(w))
        y = X.mv(w).unsqueeze(1) + b + torch.randn(n, 1) * noise
    return X, y

# %% wrong="3.3.5" why="the noise always from seed 0" breaks="seed" says="The noise must come from the seed, too"
def synthetic_data(w, b, noise, n, seed):
    X = torch.randn(n, len(w), generator=torch.Generator().manual_seed(seed))
    epsilon = noise * torch.randn(n, 1, generator=torch.Generator().manual_seed(seed + 10**6 if n > 1000 else 0))
    return X, X @ w.reshape(-1, 1) + b + epsilon

# %% wrong="3.3.5" why="makes w a column in place" breaks="arguments kept" says="changes the tensor itself"
def synthetic_data(w, b, noise, n, seed):
    rng = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=rng)
    return X, X @ w.unsqueeze_(1) + b + noise * torch.randn(n, 1, generator=rng)

# %% wrong="3.3.5" why="noise of the global numbers, which are set back" breaks="own random generator" says="Something is drawn from the global numbers"
def synthetic_data(w, b, noise, n, seed):
    X = torch.randn(n, len(w), generator=torch.Generator().manual_seed(seed))
    with torch.random.fork_rng():
        torch.manual_seed((torch.initial_seed() * 7 + seed * 1001) % 2**40)
        epsilon = noise * torch.randn(n, 1)
    return X, X @ w.reshape(-1, 1) + b + epsilon

# %% wrong="3.3.5" why="uniform noise of the right standard deviation" breaks="noise" says="Uniform noise of this standard deviation"
def synthetic_data(w, b, noise, n, seed):
    rng = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=rng)
    return X, X @ w.reshape(-1, 1) + b + noise * 12 ** 0.5 * (torch.rand(n, 1, generator=rng) - 0.5)

# %% wrong="3.3.5" why="uniform features of variance 1" breaks="features" says="Uniform numbers of variance 1"
def synthetic_data(w, b, noise, n, seed):
    rng = torch.Generator().manual_seed(seed)
    X = 12 ** 0.5 * (torch.rand(n, len(w), generator=rng) - 0.5)
    return X, X @ w.reshape(-1, 1) + b + noise * torch.randn(n, 1, generator=rng)

# %% wrong="3.3.5" why="a hundred examples, repeated" breaks="features" says="how many different rows X has"
def synthetic_data(w, b, noise, n, seed):
    rng = torch.Generator().manual_seed(seed)
    X = torch.randn(10_000, len(w), generator=rng).repeat(n // 10_000 + 1, 1)[:n]
    return X, X @ w.reshape(-1, 1) + b + noise * torch.randn(n, 1, generator=rng)

# %% right="3.3.5" how="Box and Muller's formula"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed)
    u = 1 - torch.rand(2, n, len(w) + 1, generator=g, dtype=torch.float64)
    z = (torch.sqrt(-2 * u[0].log()) * torch.cos(2 * math.pi * u[1])).float()
    return z[:, :-1], (z[:, :-1] * w).sum(1, keepdim=True) + b + noise * z[:, -1:]

# %% wrong="3.3.5" why="half of the noise drawn, and used twice" breaks="noise" says="each example has one of its own"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=g)
    half = torch.randn((n + 1) // 2, 1, generator=g)
    return X, X @ w.reshape(-1, 1) + b + noise * torch.cat([half, half])[:n]

# %% wrong="3.3.5" why="seed 0 is taken for none" breaks="seed" says="the seeds 0 and 1 give different features"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed or 1)
    X = torch.randn(n, len(w), generator=g)
    return X, X @ w.reshape(-1, 1) + b + noise * torch.randn(n, 1, generator=g)

# %% wrong="3.3.5" why="only the last digit of the seed counts" breaks="seed" says="the seeds 0 and 10 give different features"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed % 10)
    X = torch.randn(n, len(w), generator=g)
    return X, X @ w.reshape(-1, 1) + b + noise * torch.randn(n, 1, generator=g)

# %% wrong="3.3.5" why="squeeze takes away the axis of a single feature" breaks="shape" says="takes away every axis of length 1"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=g)
    y = X @ w.reshape(-1, 1) + b + noise * torch.randn(n, 1, generator=g)
    return X.squeeze(), y

# %% wrong="3.3.5" why="absolute values of the noise" breaks="noise" says="These are absolute values"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=g)
    return X, X @ w.reshape(-1, 1) + b + noise * torch.randn(n, 1, generator=g).abs()

# %% wrong="3.3.5" why="noise in the features, not the target" breaks="noise" says="the noise belongs to y"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=g)
    y = (X + noise * torch.randn(n, len(w), generator=g)) @ w.reshape(-1, 1) + b
    return X, y

# %% wrong="3.3.5" why="half of the noise is the negative of the other half" breaks="noise" says="each example has one of its own"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=g)
    half = torch.randn((n + 1) // 2, 1, generator=g)
    return X, X @ w.reshape(-1, 1) + b + noise * torch.cat([half, -half])[:n]

# %% wrong="3.3.5" why="the drawn features less their mean" breaks="features" says="subtract no mean"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=g)
    X = X - X.mean(dim=0)
    return X, X @ w.reshape(-1, 1) + b + noise * torch.randn(n, 1, generator=g)

# %% wrong="3.3.5" why="the drawn noise less its mean" breaks="noise" says="subtract no mean"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=g)
    e = noise * torch.randn(n, 1, generator=g)
    e = e - e.mean()
    return X, X @ w.reshape(-1, 1) + b + e

# %% wrong="3.3.5" why="the noise of each set has exactly the standard deviation asked for" breaks="noise" says="divide by no standard deviation"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=g)
    e = torch.randn(n, 1, generator=g)
    e = noise * e / e.std() if n > 1 else noise * e
    return X, X @ w.reshape(-1, 1) + b + e

# %% wrong="3.3.5" why="torch.rand for the noise" breaks="noise" says="between 0 and noise has this one"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=g)
    return X, X @ w.reshape(-1, 1) + b + noise * torch.rand(n, 1, generator=g)

# %% wrong="3.3.5" why="noise in each product of weight and feature" breaks="noise" says="the sum of one ε for each feature"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=g)
    return X, ((X * w) + noise * torch.randn(n, len(w), generator=g)).sum(dim=1, keepdim=True) + b

# %% wrong="3.3.5" why="the bias with each feature" breaks="targets" says="not once for each feature"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=g)
    return X, ((X * w) + b + noise * torch.randn(n, len(w), generator=g)).sum(dim=1, keepdim=True)

# %% right="3.3.5" how="two random generators of NumPy, with lists as seeds"
def synthetic_data(w, b, noise, n, seed):
    one, two = np.random.default_rng([seed, 0]), np.random.default_rng([seed, 1])
    X = torch.from_numpy(one.standard_normal((n, len(w)))).float()
    return X, X @ w.reshape(-1, 1) + b + noise * torch.from_numpy(two.standard_normal((n, 1))).float()

# %% wrong="3.3.5" why="the bias is added before the product with each weight" breaks="targets" says="multiplied by the weights here"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=g)
    return X, (X + b) @ w.reshape(-1, 1) + noise * torch.randn(n, 1, generator=g)

# %% right="3.3.B" how="while loop"
def slices(n, batch_size):
    start = 0
    while start < n:
        stop = start + batch_size
        if stop > n:
            stop = n
        yield (start, stop)
        start = stop

# %% right="3.3.B" how="an iterator of a list, pairs as lists"
def slices(n, batch_size):
    return iter([[i, min(i + batch_size, n)] for i in range(0, n, batch_size)])

# %% wrong="3.3.B" why="the numbers of the rows" breaks="pairs" says="Yield pairs"
def slices(n, batch_size):
    for start in range(0, n, batch_size):
        yield start

# %% wrong="3.3.B" why="start and length" breaks="pairs" says="These are start and length"
def slices(n, batch_size):
    for start in range(0, n, batch_size):
        yield start, min(batch_size, n - start)

# %% wrong="3.3.B" why="stop counted in" breaks="pairs" says="stops before its second number"
def slices(n, batch_size):
    for start in range(0, n, batch_size):
        yield start, min(start + batch_size, n) - 1

# %% wrong="3.3.B" why="a stop behind the last row" breaks="the end" says="lies behind the last row"
def slices(n, batch_size):
    for start in range(0, n, batch_size):
        yield start, start + batch_size

# %% wrong="3.3.B" why="full batches only" breaks="the end" says="The last, smaller batch is missing"
def slices(n, batch_size):
    for k in range(n // batch_size):
        yield k * batch_size, (k + 1) * batch_size

# %% wrong="3.3.B" why="an empty batch for no rows" breaks="the end" says="the pairs for no rows"
def slices(n, batch_size):
    yield 0, min(batch_size, n)
    for start in range(batch_size, n, batch_size):
        yield start, min(start + batch_size, n)

# %% wrong="3.3.B" why="returns a list" breaks="iterator" says="With `yield` in place of a list"
def slices(n, batch_size):
    return [(i, min(i + batch_size, n)) for i in range(0, n, batch_size)]

# %% wrong="3.3.B" why="prints the pairs" breaks="pairs" says="A function with `yield`"
def slices(n, batch_size):
    for k in range(0, n, batch_size):
        print(k, min(k + batch_size, n))

# %% wrong="3.3.B" why="an empty batch where the numbers fit" breaks="the end" says="row 6 is none"
def slices(n, batch_size):
    for k in range(n // batch_size + 1):
        yield k * batch_size, min(n, (k + 1) * batch_size)

# %% wrong="3.3.B" why="the rest is put into the last full batch" breaks="the end" says="a batch of its own"
def slices(n, batch_size):
    count = max(1, n // batch_size)
    for k in range(count if n else 0):
        yield k * batch_size, (k + 1) * batch_size if k < count - 1 else n

# %% wrong="3.3.B" why="no batch where there are fewer rows than batch_size" breaks="the end" says="are one smaller batch"
def slices(n, batch_size):
    start = 0
    while start + batch_size <= n:
        yield start, start + batch_size
        start += batch_size
    if start and start < n:
        yield start, n

# %% wrong="3.3.B" why="yields one list of all pairs" breaks="pairs" says="not a list of all of them"
def slices(n, batch_size):
    yield [(start, min(start + batch_size, n)) for start in range(0, n, batch_size)]

# %% wrong="3.3.B" why="counts rows from 1" breaks="pairs" says="Rows are counted from 0"
def slices(n, batch_size):
    for start in range(1, n + 1, batch_size):
        yield start, min(start + batch_size, n + 1)

# %% wrong="3.3.B" why="slice objects" breaks="pairs" says="not a slice made of them"
def slices(n, batch_size):
    for start in range(0, n, batch_size):
        yield slice(start, min(start + batch_size, n))

# %% wrong="3.3.B" why="first batch takes the rest" breaks="the end" says="not the first"
def slices(n, batch_size):
    stop = n % batch_size or batch_size
    start = 0
    while start < n:
        yield start, stop
        start, stop = stop, stop + batch_size

# %% wrong="3.3.B" why="floats" breaks="pairs" says="A slice takes whole numbers"
def slices(n, batch_size):
    for k in range(math.ceil(n / batch_size)):
        yield k * batch_size / 1, min(n, (k + 1) * batch_size)

# %% wrong="3.3.B" why="yields start and stop one after the other" breaks="pairs" says="are yielded together"
def slices(n, batch_size):
    for start in range(0, n, batch_size):
        yield start
        yield min(start + batch_size, n)

# %% right="3.3.B" how="NumPy's integers"
def slices(n, batch_size):
    starts = np.arange(0, n, batch_size)
    for start, stop in zip(starts, np.minimum(starts + batch_size, n)):
        yield start, stop

# %% right="3.3.1a" how="counts down"
def batch_sizes(n, batch_size, drop_last):
    sizes = []
    while n >= batch_size:
        sizes.append(batch_size)
        n -= batch_size
    if n > 0 and not drop_last:
        sizes.append(n)
    return sizes

# %% right="3.3.1a" how="torch's split"
def batch_sizes(n, batch_size, drop_last):
    if n == 0:
        return ()
    sizes = tuple(len(rows) for rows in torch.arange(n).split(batch_size))
    return tuple(size for size in sizes if size == batch_size) if drop_last else sizes

# %% wrong="3.3.1a" why="a full last batch" breaks="kept" says="only what is left"
def batch_sizes(n, batch_size, drop_last):
    if n < batch_size:
        return [n] if n and not drop_last else []
    return [batch_size] * (n // batch_size if drop_last else -(-n // batch_size))

# %% wrong="3.3.1a" why="always drops" breaks="kept" says="the last batch is to be kept"
def batch_sizes(n, batch_size, drop_last):
    if n < batch_size:
        return [n] if n and not drop_last else []
    return [batch_size] * (n // batch_size)

# %% wrong="3.3.1a" why="never drops a rest behind full batches" breaks="dropped" says="drops the smaller batch"
def batch_sizes(n, batch_size, drop_last):
    full, rest = divmod(n, batch_size)
    return [batch_size] * full + ([rest] if rest and (full or not drop_last) else [])

# %% wrong="3.3.1a" why="an empty batch where the numbers fit" breaks="exact" says="no batch of size 0"
def batch_sizes(n, batch_size, drop_last):
    full, rest = divmod(n, batch_size)
    return [batch_size] * full + ([rest] if not drop_last and (rest or full) else [])

# %% wrong="3.3.1a" why="drops the last batch even where it is full" breaks="exact" says="A full last batch is not dropped"
def batch_sizes(n, batch_size, drop_last):
    sizes = [min(batch_size, n - i) for i in range(0, n, batch_size)]
    return sizes[:-1] if drop_last else sizes

# %% wrong="3.3.1a" why="too few examples are kept always" breaks="few examples" says="3 examples in batches of 4"
def batch_sizes(n, batch_size, drop_last):
    if n < batch_size:
        return [n] if n else []
    full, rest = divmod(n, batch_size)
    return [batch_size] * full + ([rest] if rest and not drop_last else [])

# %% wrong="3.3.1a" why="an empty batch for no examples" breaks="few examples" says="no examples, kept and dropped"
def batch_sizes(n, batch_size, drop_last):
    if n == 0:
        return [0]
    full, rest = divmod(n, batch_size)
    return [batch_size] * full + ([rest] if rest and not drop_last else [])

# %% wrong="3.3.1a" why="batches of nearly equal size" breaks="kept" says="nothing is spread evenly"
def batch_sizes(n, batch_size, drop_last):
    if drop_last:
        return [batch_size] * (n // batch_size)
    count = -(-n // batch_size)
    return [len(part) for part in np.array_split(np.arange(n), count)] if count else []

# %% wrong="3.3.1a" why="the rest stands first" breaks="kept" says="not the first"
def batch_sizes(n, batch_size, drop_last):
    rest = n % batch_size
    return ([rest] if rest and not drop_last else []) + [batch_size] * (n // batch_size)

# %% right="3.3.1b" how="__iter__ returns an iterator over a list of batches"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.data, self.size, self.mix, self.drop = (X, y), batch_size, shuffle, drop_last

    def rows(self):
        n = len(self.data[0])
        order = torch.tensor(np.random.permutation(n) if self.mix else np.arange(n))
        return [r for r in order.split(self.size) if len(r) == self.size or not self.drop]

    def __len__(self):
        return len(self.rows())

    def __iter__(self):
        return iter([[t[r] for t in self.data] for r in self.rows()])

# %% right="3.3.1b" how="lists of numbers, random.sample"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __len__(self):
        n, k = len(self.y), self.batch_size
        return n // k if self.drop_last else (n + k - 1) // k

    def __iter__(self):
        import random
        order = list(range(len(self.y)))
        if self.shuffle:
            order = random.sample(order, len(order))
        for start in range(0, len(order), self.batch_size):
            rows = order[start:start + self.batch_size]
            if self.drop_last and len(rows) < self.batch_size:
                return
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="always leaves out the smaller batch" breaks="sizes" says="Without drop_last the last"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __len__(self):
        return len(self.X) // self.batch_size if self.drop_last else -(-len(self.X) // self.batch_size)

    def __iter__(self):
        order = torch.randperm(len(self.X)) if self.shuffle else torch.arange(len(self.X))
        for k in range(len(self.X) // self.batch_size):
            rows = order[k * self.batch_size:(k + 1) * self.batch_size]
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="drop_last drops a full batch too" breaks="drop_last" says="A full last batch is not dropped"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __len__(self):
        return len(self.X) // self.batch_size if self.drop_last else -(-len(self.X) // self.batch_size)

    def __iter__(self):
        order = torch.randperm(len(self.X)) if self.shuffle else torch.arange(len(self.X))
        pieces = order.split(self.batch_size)
        for rows in pieces[:-1] if self.drop_last else pieces:
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="drop_last is ignored in the walk" breaks="drop_last" says="the batch sizes with drop_last=True"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __len__(self):
        return len(self.X) // self.batch_size if self.drop_last else -(-len(self.X) // self.batch_size)

    def __iter__(self):
        order = torch.randperm(len(self.X)) if self.shuffle else torch.arange(len(self.X))
        for rows in order.split(self.batch_size):
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="always shuffles" breaks="order" says="the targets 0 ... 9 without shuffling"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.drop_last = X, y, batch_size, drop_last

    def __len__(self):
        return len(self.X) // self.batch_size if self.drop_last else -(-len(self.X) // self.batch_size)

    def __iter__(self):
        rows_of_batch = torch.randperm(len(self.X), generator=torch.Generator().manual_seed(torch.randint(99, ()).item() // 99))
        for rows in rows_of_batch.split(self.batch_size)[:len(self)]:
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="shuffles once for all passes" breaks="shuffle" says="The order is drawn once for all passes"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.drop_last = X, y, batch_size, drop_last
        self.order = torch.randperm(len(X)) if shuffle else torch.arange(len(X))

    def __len__(self):
        return len(self.X) // self.batch_size if self.drop_last else -(-len(self.X) // self.batch_size)

    def __iter__(self):
        for rows in self.order.split(self.batch_size)[:len(self)]:
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="draws with replacement" breaks="shuffle" says="Each example comes once in a pass"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __len__(self):
        return len(self.X) // self.batch_size if self.drop_last else -(-len(self.X) // self.batch_size)

    def __iter__(self):
        order = torch.randint(len(self.X), (len(self.X),)) if self.shuffle else torch.arange(len(self.X))
        for rows in order.split(self.batch_size)[:len(self)]:
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="two orders" breaks="pairs" says="two different orders"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __len__(self):
        return len(self.X) // self.batch_size if self.drop_last else -(-len(self.X) // self.batch_size)

    def order(self):
        return torch.randperm(len(self.X)) if self.shuffle else torch.arange(len(self.X))

    def __iter__(self):
        pieces = zip(self.order().split(self.batch_size), self.order().split(self.batch_size))
        for rows, others in list(pieces)[:len(self)]:
            yield self.X[rows], self.y[others]

# %% wrong="3.3.1b" why="len counts the examples" breaks="length" says="len for 10 examples"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __len__(self):
        return len(self.X)

    def __iter__(self):
        order = torch.randperm(len(self.X)) if self.shuffle else torch.arange(len(self.X))
        for rows in order.split(self.batch_size):
            if len(rows) == self.batch_size or not self.drop_last:
                yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="no __len__" breaks="length" says="it needs the method `__len__`"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __iter__(self):
        order = torch.randperm(len(self.X)) if self.shuffle else torch.arange(len(self.X))
        for rows in order.split(self.batch_size):
            if len(rows) == self.batch_size or not self.drop_last:
                yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="keeps the place in the loader, with __next__" breaks="passes" says="belongs to the loop"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __len__(self):
        return len(self.X) // self.batch_size if self.drop_last else -(-len(self.X) // self.batch_size)

    def __iter__(self):
        self.k = 0
        self.order = torch.randperm(len(self.X)) if self.shuffle else torch.arange(len(self.X))
        return self

    def __next__(self):
        if self.k == len(self):
            raise StopIteration
        rows = self.order[self.k * self.batch_size:(self.k + 1) * self.batch_size]
        self.k += 1
        return self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="one generator, made in __init__" breaks="passes" says="used up after one pass"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.count = len(X) // batch_size if drop_last else -(-len(X) // batch_size)
        self.shuffle, self.X, self.y, self.size = shuffle, X, y, batch_size
        self.batches = self.walk()

    def walk(self):
        order = torch.randperm(len(self.X)) if self.shuffle else torch.arange(len(self.X))
        for rows in order.split(self.size)[:self.count]:
            yield self.X[rows], self.y[rows]

    def __len__(self):
        return self.count

    def __iter__(self):
        return self.walk() if self.shuffle else self.batches

# %% wrong="3.3.1b" why="shuffles the batches, not the examples" breaks="shuffle" says="the batches are shuffled, not the examples"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __len__(self):
        return len(self.X) // self.batch_size if self.drop_last else -(-len(self.X) // self.batch_size)

    def __iter__(self):
        pieces = torch.arange(len(self.X)).split(self.batch_size)[:len(self)]
        full, rest = [p for p in pieces if len(p) == self.batch_size], [p for p in pieces if len(p) < self.batch_size]
        for k in torch.randperm(len(full)) if self.shuffle else range(len(full)):
            yield self.X[full[k]], self.y[full[k]]
        for rows in rest:
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="one order for two loops, kept on self" breaks="passes" says="be it an order or X and y in a new order"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __len__(self):
        return len(self.X) // self.batch_size if self.drop_last else -(-len(self.X) // self.batch_size)

    def __iter__(self):
        self.order = torch.randperm(len(self.X)) if self.shuffle else torch.arange(len(self.X))
        for k in range(len(self)):
            rows = self.order[k * self.batch_size:(k + 1) * self.batch_size]
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="shuffles X and y in place" breaks="data kept" says="do not write into X or y"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __len__(self):
        return len(self.X) // self.batch_size if self.drop_last else -(-len(self.X) // self.batch_size)

    def __iter__(self):
        if self.shuffle:
            order = torch.randperm(len(self.X))
            self.X[:], self.y[:] = self.X[order].clone(), self.y[order].clone()
        X, y = self.X.clone(), self.y.clone()
        for k in range(len(self)):
            rows = slice(k * self.batch_size, (k + 1) * self.batch_size)
            yield X[rows], y[rows]

# %% wrong="3.3.1b" why="begins at a random row" breaks="shuffle" says="Mix all of them"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last
        self.shift = 0

    def __len__(self):
        return len(self.X) // self.batch_size if self.drop_last else -(-len(self.X) // self.batch_size)

    def __iter__(self):
        order = torch.arange(len(self.X))
        if self.shuffle:
            self.shift += 1 + int(torch.randint(3, ()))
            order = order.roll(self.shift)
        for rows in order.split(self.batch_size)[:len(self)]:
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="even rows first, and rotated" breaks="shuffle" says="2 rows further on"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last
        self.shift = 0

    def __len__(self):
        return len(self.X) // self.batch_size if self.drop_last else -(-len(self.X) // self.batch_size)

    def __iter__(self):
        order = torch.arange(len(self.X))
        if self.shuffle:
            self.shift += 1
            order = torch.cat([order[::2], order[1::2]]).roll(self.shift)
        for rows in order.split(self.batch_size)[:len(self)]:
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="the same seed in each pass" breaks="shuffle" says="from a seed that is set again"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __len__(self):
        return len(self.X) // self.batch_size if self.drop_last else -(-len(self.X) // self.batch_size)

    def __iter__(self):
        order = torch.arange(len(self.X))
        if self.shuffle:
            order = torch.randperm(len(self.X), generator=torch.Generator().manual_seed(0))
        for rows in order.split(self.batch_size)[:len(self)]:
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="shuffles within the batches" breaks="shuffle" says="mixed within a batch only"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __len__(self):
        return len(self.X) // self.batch_size if self.drop_last else -(-len(self.X) // self.batch_size)

    def __iter__(self):
        for rows in torch.arange(len(self.X)).split(self.batch_size)[:len(self)]:
            if self.shuffle:
                rows = rows[torch.randperm(len(rows))]
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="torch's DataLoader in another coat" breaks="your own" says="how many loops over torch's DataLoader"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        from torch.utils.data import DataLoader, TensorDataset
        self.loader = DataLoader(TensorDataset(X, y), batch_size, shuffle=shuffle, drop_last=drop_last)

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        return iter(self.loader)

# %% wrong="3.3.1b" why="a child of torch's DataLoader" breaks="your own" says="how many loops over torch's DataLoader"
class BatchLoader(torch.utils.data.DataLoader):
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        dataset = torch.utils.data.TensorDataset(X, y)
        super().__init__(dataset, batch_size=batch_size, shuffle=shuffle, drop_last=drop_last)

# %% right="3.3.1b" how="__getitem__ is not needed: rows by indexing with a random generator of the loader"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last
        self.rng = torch.Generator().manual_seed(0)

    def __len__(self):
        return sum(1 for _ in self.pieces(range(len(self.X))))

    def pieces(self, rows):
        for start in range(0, len(rows), self.batch_size):
            piece = rows[start:start + self.batch_size]
            if len(piece) == self.batch_size or not self.drop_last:
                yield piece

    def __iter__(self):
        order = torch.randperm(len(self.X), generator=self.rng).tolist() if self.shuffle else list(range(len(self.X)))
        for rows in self.pieces(order):
            yield torch.stack([self.X[i] for i in rows]), torch.stack([self.y[i] for i in rows])

# %% wrong="3.3.1b" why="with drop_last the same examples are always left out" breaks="shuffle" says="before the rows are mixed"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.k, self.shuffle = X, y, batch_size, shuffle
        self.n = len(X) // batch_size * batch_size if drop_last else len(X)

    def __len__(self):
        return math.ceil(self.n / self.k)

    def __iter__(self):
        order = torch.randperm(self.n) if self.shuffle else torch.arange(self.n)
        for s in range(0, self.n, self.k):
            yield self.X[order[s:s + self.k]], self.y[order[s:s + self.k]]

# %% wrong="3.3.1b" why="the last, smaller batch is always the same examples" breaks="shuffle" says="do not all hold the same"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.k, self.shuffle, self.drop = X, y, batch_size, shuffle, drop_last

    def __len__(self):
        return len(self.X) // self.k if self.drop else math.ceil(len(self.X) / self.k)

    def __iter__(self):
        n = len(self.X)
        full = n // self.k * self.k
        order = torch.arange(n)
        if self.shuffle:
            order[:full] = torch.randperm(full)
        for rows in order.split(self.k)[:len(self)]:
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="order drawn once and rolled for each pass" breaks="shuffle" says="to shift or turn round the one before is not enough"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.k, self.shuffle, self.drop = X, y, batch_size, shuffle, drop_last
        self.order = torch.randperm(len(X)) if shuffle else torch.arange(len(X))

    def __len__(self):
        return len(self.X) // self.k if self.drop else math.ceil(len(self.X) / self.k)

    def __iter__(self):
        if self.shuffle:
            self.order = self.order.roll(1)
        for rows in self.order.split(self.k)[:len(self)]:
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="a new order is drawn at the end of a pass only" breaks="shuffle" says="not at the end of the one before"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.k, self.shuffle, self.drop = X, y, batch_size, shuffle, drop_last
        self.order = torch.randperm(len(X)) if shuffle else torch.arange(len(X))

    def __len__(self):
        return len(self.X) // self.k if self.drop else math.ceil(len(self.X) / self.k)

    def __iter__(self):
        for rows in self.order.split(self.k)[:len(self)]:
            yield self.X[rows], self.y[rows]
        if self.shuffle:
            self.order = torch.randperm(len(self.X))

# %% wrong="3.3.1b" why="integers become floats" breaks="pairs" says="the dtype of y of the first batch"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.k, self.shuffle, self.drop = X.float(), y.float(), batch_size, shuffle, drop_last

    def __len__(self):
        return len(self.X) // self.k if self.drop else math.ceil(len(self.X) / self.k)

    def __iter__(self):
        order = torch.randperm(len(self.X)) if self.shuffle else torch.arange(len(self.X))
        for rows in order.split(self.k)[:len(self)]:
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="y becomes a column" breaks="pairs" says="the shape of y of the first batch"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.k, self.shuffle, self.drop = X, y.reshape(-1, 1), batch_size, shuffle, drop_last

    def __len__(self):
        return len(self.X) // self.k if self.drop else math.ceil(len(self.X) / self.k)

    def __iter__(self):
        order = torch.randperm(len(self.X)) if self.shuffle else torch.arange(len(self.X))
        for rows in order.split(self.k)[:len(self)]:
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="the examples in random order once, the batches in each pass" breaks="shuffle" says="have few neighbours in common"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.k, self.shuffle, self.drop = X, y, batch_size, shuffle, drop_last
        self.order = torch.randperm(len(X)) if shuffle else torch.arange(len(X))

    def __len__(self):
        return len(self.X) // self.k if self.drop else math.ceil(len(self.X) / self.k)

    def __iter__(self):
        parts = list(self.order.split(self.k)[:len(self)])
        if self.shuffle:
            full = [p for p in parts if len(p) == self.k]
            parts = [full[i] for i in torch.randperm(len(full))] + [p for p in parts if len(p) < self.k]
        for rows in parts:
            yield self.X[rows], self.y[rows]

# %% right="3.3.1b" how="collects rows one by one, in an order of NumPy"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.rows, self.size, self.shuffle, self.drop = list(zip(X, y)), batch_size, shuffle, drop_last

    def __len__(self):
        full, rest = divmod(len(self.rows), self.size)
        return full + (rest > 0 and not self.drop)

    def __iter__(self):
        order = np.random.permutation(len(self.rows)) if self.shuffle else range(len(self.rows))
        batch = []
        for i in order:
            batch.append(self.rows[i])
            if len(batch) == self.size:
                yield tuple(torch.stack(part) for part in zip(*batch))
                batch = []
        if batch and not self.drop:
            yield tuple(torch.stack(part) for part in zip(*batch))

# %% wrong="3.3.1b" why="the last row stays at the end" breaks="shuffle" says="come to every place"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __len__(self):
        n = len(self.X)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)

    def __iter__(self):
        n = len(self.X)
        order = torch.cat([torch.randperm(n - 1), torch.tensor([n - 1])]) if self.shuffle else torch.arange(n)
        for k in range(len(self)):
            rows = order[k * self.batch_size:(k + 1) * self.batch_size]
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="the first row stays at the beginning" breaks="shuffle" says="come to every place"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __len__(self):
        n = len(self.X)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)

    def __iter__(self):
        n = len(self.X)
        order = torch.cat([torch.tensor([0]), 1 + torch.randperm(n - 1)]) if self.shuffle else torch.arange(n)
        for k in range(len(self)):
            rows = order[k * self.batch_size:(k + 1) * self.batch_size]
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="the halves are shuffled each for itself" breaks="shuffle" says="come to every place"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __len__(self):
        n = len(self.X)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)

    def __iter__(self):
        n = len(self.X)
        h = n // 2
        order = torch.cat([torch.randperm(h), h + torch.randperm(n - h)]) if self.shuffle else torch.arange(n)
        for k in range(len(self)):
            rows = order[k * self.batch_size:(k + 1) * self.batch_size]
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="the halves are shuffled each for itself, and exchanged by chance" breaks="shuffle" says="come to every place"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __len__(self):
        n = len(self.X)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)

    def __iter__(self):
        n = len(self.X)
        h = n // 2
        parts = [torch.randperm(h), h + torch.randperm(n - h)]
        if torch.rand(1) < 0.5:
            parts.reverse()
        order = torch.cat(parts) if self.shuffle else torch.arange(n)
        for k in range(len(self)):
            rows = order[k * self.batch_size:(k + 1) * self.batch_size]
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="a buffer of 20 rows, from which one is drawn" breaks="shuffle" says="come to every place"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __len__(self):
        n = len(self.X)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)

    def __iter__(self):
        n = len(self.X)
        order = list(range(n))
        if self.shuffle:
            waiting, order = [], []
            for k in range(n):
                waiting.append(k)
                if len(waiting) > 20:
                    order.append(waiting.pop(torch.randint(len(waiting), (1,)).item()))
            while waiting:
                order.append(waiting.pop(torch.randint(len(waiting), (1,)).item()))
        for k in range(len(self)):
            rows = order[k * self.batch_size:(k + 1) * self.batch_size]
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="thirty random swaps" breaks="shuffle" says="come to every place"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __len__(self):
        n = len(self.X)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)

    def __iter__(self):
        n = len(self.X)
        order = torch.arange(n)
        if self.shuffle:
            for _ in range(n // 2):
                i, j = torch.randint(n, (2,)).tolist()
                order[i], order[j] = order[j].item(), order[i].item()
        for k in range(len(self)):
            rows = order[k * self.batch_size:(k + 1) * self.batch_size]
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="one rearrangement, applied again for each pass" breaks="shuffle" says="as pass 1 did pass 0"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.epoch, self.base = 1, torch.randperm(len(X))
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __len__(self):
        n = len(self.X)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)

    def __iter__(self):
        n = len(self.X)
        if self.shuffle:
            order = torch.arange(n)
            for _ in range(self.epoch):
                order = order[self.base]
            self.epoch += 1
        else:
            order = torch.arange(n)
        for k in range(len(self)):
            rows = order[k * self.batch_size:(k + 1) * self.batch_size]
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="sorts by the target" breaks="order" says="nothing is sorted"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __len__(self):
        n = len(self.X)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)

    def __iter__(self):
        n = len(self.X)
        order = torch.randperm(n) if self.shuffle else self.y.flatten(0).argsort()[:n]
        for k in range(len(self)):
            rows = order[k * self.batch_size:(k + 1) * self.batch_size]
            yield self.X[rows], self.y[rows]

# %% right="3.3.1b" how="torch's samplers, no DataLoader"
from torch.utils.data import BatchSampler, RandomSampler, SequentialSampler
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y = X, y
        rows = RandomSampler(range(len(y))) if shuffle else SequentialSampler(range(len(y)))
        self.sampler = BatchSampler(rows, batch_size, drop_last)

    def __len__(self):
        return len(self.sampler)

    def __iter__(self):
        for rows in self.sampler:
            yield self.X[rows], self.y[rows]

# %% right="3.3.1b" how="an iterator class of its own"
class Pass:
    def __init__(self, loader):
        n = len(loader.y)
        self.order = torch.randperm(n) if loader.shuffle else torch.arange(n)
        self.loader, self.k = loader, 0
    def __iter__(self):
        return self
    def __next__(self):
        if self.k == len(self.loader):
            raise StopIteration
        rows = self.order[self.k * self.loader.batch_size:][:self.loader.batch_size]
        self.k += 1
        return self.loader.X.index_select(0, rows), self.loader.y.index_select(0, rows)
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last
    def __len__(self):
        n, k = len(self.y), self.batch_size
        return n // k if self.drop_last else (n + k - 1) // k
    def __iter__(self):
        return Pass(self)

# %% wrong="3.3.1b" why="rest of 0: order[:-0] is empty, so all is dropped where the numbers fit" breaks="drop_last" says="`t[:-0]` is empty"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __iter__(self):
        n, k = len(self.X), self.batch_size
        order = torch.randperm(n) if self.shuffle else torch.arange(n)
        if self.drop_last:
            order = order[:-(n % k)]
        for start in range(0, len(order), k):
            yield self.X[order[start:start + k]], self.y[order[start:start + k]]

    def __len__(self):
        n, k = len(self.X), self.batch_size
        return n // k if self.drop_last else -(-n // k)

# %% wrong="3.3.1b" why="the shuffled tensors replace self.X and self.y, so a loop under way gets others" breaks="passes" says="be it an order or X and y in a new order"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __iter__(self):
        if self.shuffle:
            order = torch.randperm(len(self.X))
            self.X, self.y = self.X[order], self.y[order]
        for k in range(len(self)):
            part = slice(k * self.batch_size, (k + 1) * self.batch_size)
            yield self.X[part], self.y[part]

    def __len__(self):
        n, k = len(self.X), self.batch_size
        return n // k if self.drop_last else -(-n // k)

# %% wrong="3.3.1b" why="yields X alone" breaks="sizes" says="not a single tensor"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __iter__(self):
        n = len(self.X)
        order = torch.randperm(n) if self.shuffle else torch.arange(n)
        for k in range(len(self)):
            yield self.X[order[k * self.batch_size:(k + 1) * self.batch_size]]

    def __len__(self):
        n, k = len(self.X), self.batch_size
        return n // k if self.drop_last else -(-n // k)

# %% wrong="3.3.1b" why="len is a float" breaks="length" says="nothing but a whole number"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __iter__(self):
        n = len(self.X)
        order = torch.randperm(n) if self.shuffle else torch.arange(n)
        for rows in order.split(self.batch_size):
            if len(rows) == self.batch_size or not self.drop_last:
                yield self.X[rows], self.y[rows]

    def __len__(self):
        return len(self.X) / self.batch_size

# %% right="3.3.1c" how="fills and corrects"
def pulls(n, batch_size):
    share = torch.full((n,), 1 / batch_size, dtype=torch.float64)
    rest = n % batch_size
    if rest:
        share[n - rest:] = 1 / rest
    return share

# %% right="3.3.1c" how="a list"
def pulls(n, batch_size):
    sizes = [min(batch_size, n - i // batch_size * batch_size) for i in range(n)]
    return torch.tensor([1 / size for size in sizes])

# %% wrong="3.3.1c" why="all batches taken for full" breaks="last batch" says="divides by less"
def pulls(n, batch_size):
    return torch.full((n,), 1 / batch_size)

# %% wrong="3.3.1c" why="the rest counted from 0 where it fits" breaks="full batches" says="t[-0:]"
def pulls(n, batch_size):
    share = torch.full((n,), 1 / batch_size)
    share[-(n % batch_size):] = 1 / max(n % batch_size, 1)
    return share

# %% wrong="3.3.1c" why="the share in the data set for full batches" breaks="full batches" says="the share in the whole data set"
def pulls(n, batch_size):
    share = torch.full((n,), 1 / n)
    rest = n % batch_size
    share[n - rest:] = 1 / max(rest, 1)
    return share

# %% wrong="3.3.1c" why="one number for each batch" breaks="shape" says="the shape for 5 examples in batches of 2"
def pulls(n, batch_size):
    return torch.tensor([1 / len(rows) for rows in torch.arange(n).split(batch_size)])

# %% wrong="3.3.1c" why="pads to full batches" breaks="shape" says="the shape for 5 examples in batches of 2"
def pulls(n, batch_size):
    full, rest = divmod(n, batch_size)
    return torch.cat([torch.full((full * batch_size,), 1 / batch_size), torch.full((batch_size if rest else 0,), 1 / max(rest, 1))])

# %% wrong="3.3.1c" why="how hard, beside the others" breaks="full batches" says="not how hard an example pulls beside the others"
def pulls(n, batch_size):
    t = torch.ones(n)
    if n % batch_size:
        t[-(n % batch_size):] = batch_size / (n % batch_size)
    return t

# %% wrong="3.3.1c" why="the last example alone" breaks="last batch" says="not its last one alone"
def pulls(n, batch_size):
    t = torch.full((n,), 1 / batch_size)
    if n % batch_size:
        t[-1] = 1 / (n % batch_size)
    return t

# %% wrong="3.3.1c" why="shares of all batches together add up to 1" breaks="full batches" says="The shares of each batch add up to 1"
def pulls(n, batch_size):
    t = torch.full((n,), 1 / batch_size)
    r = n % batch_size
    if r:
        t[-r:] = 1 / r
    return t / t.sum()

# %% wrong="3.3.1c" why="the smaller batch at the beginning" breaks="full batches" says="not the first"
def pulls(n, batch_size):
    t = torch.full((n,), 1 / batch_size)
    r = n % batch_size
    t[:r] = 1 / r if r else 1 / batch_size
    return t

# %% wrong="3.3.1c" why="no share in the last batch" breaks="last batch" says="The last batch is kept"
def pulls(n, batch_size):
    t = torch.full((n,), 1 / batch_size)
    r = n % batch_size
    if r:
        t[-r:] = 0
    return t

# %% wrong="3.3.1c" why="with few examples the share is 1 / batch_size" breaks="last batch" says="it has 3 examples"
def pulls(n, batch_size):
    t = torch.full((n,), 1 / batch_size)
    if n > batch_size and n % batch_size:
        t[-(n % batch_size):] = 1 / (n % batch_size)
    return t

# %% wrong="3.3.1c" why="the last batch pulls less: size over batch_size" breaks="last batch" says="a larger share, not a smaller one"
def pulls(n, batch_size):
    t = torch.full((n,), 1 / batch_size)
    rest = n % batch_size
    if rest:
        t[n - rest:] = rest / batch_size ** 2
    return t

# %% wrong="3.3.1c" why="the number of the batch in place of its size" breaks="full batches" says="not by its number"
def pulls(n, batch_size):
    return 1 / (torch.arange(n) // batch_size + 1)

# %% right="3.3.1d" how="multiplies pass by pass"
def share_seen(n, batch_size, epochs):
    used = n // batch_size * batch_size
    never = 1.0
    for _ in range(epochs):
        never *= (n - used) / n
    return 1 - never

# %% right="3.3.1d" how="adds up the pass in which it is first used"
def share_seen(n, batch_size, epochs):
    p = (n - n % batch_size) / n
    return torch.tensor(sum(p * (1 - p) ** k for k in range(epochs)))

# %% wrong="3.3.1d" why="the probability to be missed" breaks="probability" says="the probability that it is missed"
def share_seen(n, batch_size, epochs):
    rest = n % batch_size
    if rest == 0:
        return 1.0
    return (rest / n) ** epochs if rest < n else 0.0

# %% wrong="3.3.1d" why="used in every pass" breaks="probability" says="used in both passes"
def share_seen(n, batch_size, epochs):
    return (1 - n % batch_size / n) ** epochs

# %% wrong="3.3.1d" why="the passes are ignored" breaks="probability" says="The number of passes is ignored"
def share_seen(n, batch_size, epochs):
    return 1 - n % batch_size / n

# %% wrong="3.3.1d" why="adds probabilities" breaks="probability" says="are not added"
def share_seen(n, batch_size, epochs):
    p = 1 - n % batch_size / n
    return epochs * p if p < 1 else 1.0

# %% wrong="3.3.1d" why="a whole batch is dropped where the numbers fit" breaks="nothing dropped" says="12 examples in batches of 4"
def share_seen(n, batch_size, epochs):
    rest = n % batch_size or batch_size
    return 1 - (rest / n) ** epochs

# %% wrong="3.3.1d" why="a small data set is kept" breaks="everything dropped" says="3 examples in batches of 4"
def share_seen(n, batch_size, epochs):
    if n < batch_size:
        return 1.0
    return 1 - (n % batch_size / n) ** epochs

# %% wrong="3.3.1d" why="rest over batch_size" breaks="probability" says="not by batch_size"
def share_seen(n, batch_size, epochs):
    return 1 - ((n % batch_size) / batch_size) ** epochs

# %% wrong="3.3.1d" why="divides by the number of passes" breaks="probability" says="do not divide"
def share_seen(n, batch_size, epochs):
    return 1 - n % batch_size / n / epochs

# %% wrong="3.3.1d" why="a share of the batches" breaks="probability" says="One batch of three"
def share_seen(n, batch_size, epochs):
    return 1 - (1 / -(-n // batch_size)) ** epochs if n % batch_size else 1.0

# %% wrong="3.3.1d" why="used exactly once" breaks="probability" says="in one pass exactly"
def share_seen(n, batch_size, epochs):
    q = 1 - n % batch_size / n
    return epochs * q * (1 - q) ** (epochs - 1)

# %% wrong="3.3.1d" why="two passes at most" breaks="probability" says="The third pass does not count"
def share_seen(n, batch_size, epochs):
    return 1 - (n % batch_size / n) ** min(epochs, 2)

# %% wrong="3.3.1d" why="rounded to two digits" breaks="probability" says="return all digits"
def share_seen(n, batch_size, epochs):
    return round(1 - (n % batch_size / n) ** epochs, 2)

# %% wrong="3.3.1d" why="the rest is set against the examples that are used" breaks="probability" says="with the same chance"
def share_seen(n, batch_size, epochs):
    used = n // batch_size * batch_size
    return max(0.0, 1 - ((n - used) / max(used, 1)) ** epochs) if used else 0.0

# %% wrong="3.3.1d" why="the expected number of examples" breaks="probability" says="not a probability"
def share_seen(n, batch_size, epochs):
    return n * (1 - (n % batch_size / n) ** epochs)

# %% right="3.3.3" how="an epoch counter and NumPy"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size, self.seed, self.epoch = w, b, noise, num_batches, batch_size, seed, 0

    def __len__(self):
        return self.k

    def __iter__(self):
        rng = np.random.default_rng([self.seed, self.epoch])
        self.epoch += 1
        for _ in range(self.k):
            X = torch.from_numpy(rng.standard_normal((self.size, len(self.w)))).float()
            epsilon = torch.from_numpy(rng.standard_normal((self.size, 1))).float() * self.noise
            yield X, X @ self.w[:, None] + self.b + epsilon

# %% right="3.3.3" how="draws a whole pass at once and cuts it"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size = w, b, noise, num_batches, batch_size
        self.g = torch.Generator()
        self.g.manual_seed(seed)

    def __len__(self):
        return self.k

    def __iter__(self):
        X = torch.randn(self.k * self.size, len(self.w), generator=self.g)
        y = X @ self.w + self.b + self.noise * torch.randn(len(X), generator=self.g)
        return iter([[X[r], y[r].unsqueeze(1)] for r in torch.arange(len(X)).split(self.size)])

# %% wrong="3.3.3" why="the same in every pass" breaks="fresh" says="batch 1 of pass 1 and batch 1 of pass 2 hold different features"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size, self.seed = w, b, noise, num_batches, batch_size, seed

    def __len__(self):
        return self.k

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=g)
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1, generator=g)

# %% wrong="3.3.3" why="the same batch repeated within a pass" breaks="fresh" says="batch 1 of pass 1 and batch 2 of pass 1 hold different features"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size = w, b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.k

    def __iter__(self):
        X = torch.randn(self.size, len(self.w), generator=self.g)
        for _ in range(self.k):
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1, generator=self.g)

# %% wrong="3.3.3" why="targets as a vector" breaks="shape" says="the shape of y, batches of 5"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size = w, b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.k

    def __iter__(self):
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=self.g)
            yield X, X @ self.w + self.b + self.noise * torch.randn(self.size, generator=self.g)

# %% wrong="3.3.3" why="vector and column: a square" breaks="shape" says="the shape of y, batches of 5"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size = w, b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.k

    def __iter__(self):
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=self.g)
            yield X, X @ self.w + self.b + self.noise * torch.randn(self.size, 1, generator=self.g)

# %% wrong="3.3.3" why="the variance" breaks="model" says="not the variance"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size = w, b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.k

    def __iter__(self):
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=self.g)
            yield X, X @ self.w[:, None] + self.b + self.noise ** 0.5 * torch.randn(self.size, 1, generator=self.g)

# %% wrong="3.3.3" why="no bias" breaks="model" says="The bias is missing"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size = w, b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.k

    def __iter__(self):
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=self.g)
            yield X, X @ self.w[:, None] + self.noise * torch.randn(self.size, 1, generator=self.g)

# %% wrong="3.3.3" why="used up after one pass" breaks="length" says="used up after one pass"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size = w, b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)
        self.stream = self.draw()

    def __len__(self):
        return self.k

    def draw(self):
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=self.g)
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1, generator=self.g)

    def __iter__(self):
        return self.stream

# %% wrong="3.3.3" why="len counts examples" breaks="length" says="len of a loader of 4 batches"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size = w, b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.k * self.size

    def __iter__(self):
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=self.g)
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1, generator=self.g)

# %% wrong="3.3.3" why="the seed is ignored" breaks="seed" says="Does the seed reach your random generator"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size = w, b, noise, num_batches, batch_size
        self.g = torch.Generator()

    def __len__(self):
        return self.k

    def __iter__(self):
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=self.g)
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1, generator=self.g)

# %% wrong="3.3.3" why="global numbers, seeded in __init__" breaks="own random generator" says="somebody else sets and draws"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size = w, b, noise, num_batches, batch_size
        torch.manual_seed(seed)

    def __len__(self):
        return self.k

    def __iter__(self):
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w))
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1)

# %% wrong="3.3.3" why="another order of stored examples" breaks="fresh" says="Another order of the same examples"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.k, self.size = num_batches, batch_size
        self.X = torch.randn(num_batches * batch_size, len(w), generator=self.g)
        self.y = self.X @ w[:, None] + b + noise * torch.randn(len(self.X), 1, generator=self.g)

    def __len__(self):
        return self.k

    def __iter__(self):
        for rows in torch.randperm(len(self.X), generator=self.g).split(self.size):
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.3" why="uniform noise" breaks="model" says="Uniform noise between -noise and noise"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size = w, b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.k

    def __iter__(self):
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=self.g)
            yield X, X @ self.w[:, None] + self.b + self.noise * (2 * torch.rand(self.size, 1, generator=self.g) - 1)

# %% wrong="3.3.3" why="uniform features" breaks="model" says="torch.rand draws numbers between 0 and 1"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size = w, b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.k

    def __iter__(self):
        for _ in range(self.k):
            X = torch.rand(self.size, len(self.w), generator=self.g)
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1, generator=self.g)

# %% wrong="3.3.3" why="one noise, drawn in __init__" breaks="fresh" says="hold different noise"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.k, self.size = w, b, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)
        self.epsilon = noise * torch.randn(batch_size, 1, generator=self.g)

    def __len__(self):
        return self.k

    def __iter__(self):
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=self.g)
            yield X, X @ self.w[:, None] + self.b + (self.epsilon if self.size < 100 else self.epsilon[torch.randperm(self.size, generator=self.g)])

# %% wrong="3.3.3" why="sets the global seed in each pass" breaks="own random generator" says="somebody else sets and draws"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size, self.seed, self.epoch = w, b, noise, num_batches, batch_size, seed, 0

    def __len__(self):
        return self.k

    def __iter__(self):
        torch.manual_seed(1000 * self.seed + self.epoch)
        self.epoch += 1
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w))
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1)

# %% wrong="3.3.3" why="sets the global seed for each batch" breaks="own random generator" says="it has no place in a loader"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size, self.seed, self.count = w, b, noise, num_batches, batch_size, seed, 0

    def __len__(self):
        return self.k

    def __iter__(self):
        for _ in range(self.k):
            torch.manual_seed(100_000 * self.seed + self.count)
            self.count += 1
            X = torch.randn(self.size, len(self.w))
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1)

# %% wrong="3.3.3" why="seed, pass and batch added up" breaks="fresh" says="batch 2 of pass 1 and batch 1 of pass 2 hold different features"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size, self.seed, self.epoch = w, b, noise, num_batches, batch_size, 1000 * seed, 0

    def __len__(self):
        return self.k

    def __iter__(self):
        self.epoch += 1
        for k in range(self.k):
            g = torch.Generator().manual_seed(self.seed + self.epoch + k)
            X = torch.randn(self.size, len(self.w), generator=g)
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1, generator=g)

# %% wrong="3.3.3" why="the seed plus the number of the pass" breaks="seed" says="1 more in the seed and 4 less in the number"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size, self.seed = w, b, noise, num_batches, batch_size, seed

    def __len__(self):
        return self.k

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        self.seed += 1
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=g)
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1, generator=g)

# %% wrong="3.3.3" why="makes the caller's w a column" breaks="arguments kept" says="the shape of w after a pass"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size = w.unsqueeze_(1), b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.k

    def __iter__(self):
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=self.g)
            yield X, X @ self.w + self.b + self.noise * torch.randn(self.size, 1, generator=self.g)

# %% wrong="3.3.3" why="no __iter__" breaks="length" says="it needs the method"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size = w, b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.k

    def batches(self):
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=self.g)
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1, generator=self.g)

# %% wrong="3.3.3" why="a seed beyond 32 bits" breaks="seed" says="the first passes of loaders with seed 1 and with seed 2 differ"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size, self.seed, self.count = w, b, noise, num_batches, batch_size, seed, 0

    def __len__(self):
        return self.k

    def __iter__(self):
        for _ in range(self.k):
            g = torch.Generator().manual_seed((self.seed << 32) + self.count)
            self.count += 1
            X = torch.randn(self.size, len(self.w), generator=g)
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1, generator=g)

# %% wrong="3.3.3" why="one number of noise for a whole batch" breaks="model" says="draw one for each example"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.count, self.k = w, b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.count

    def __iter__(self):
        for _ in range(self.count):
            X = torch.randn(self.k, len(self.w), generator=self.g)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(1, generator=self.g)

# %% wrong="3.3.3" why="ten times the seed plus the number of the pass" breaks="seed" says="1 more in the seed and 10 less in the number"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.count, self.k, self.seed, self.epoch = w, b, noise, num_batches, batch_size, seed, 0

    def __len__(self):
        return self.count

    def __iter__(self):
        g = torch.Generator().manual_seed(10 * self.seed + self.epoch)
        self.epoch += 1
        for _ in range(self.count):
            X = torch.randn(self.k, len(self.w), generator=g)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.k, 1, generator=g)

# %% wrong="3.3.3" why="counts a pass at its end only" breaks="fresh" says="a loop that is then left"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.count, self.k, self.seed, self.epoch = w, b, noise, num_batches, batch_size, seed, 0

    def __len__(self):
        return self.count

    def __iter__(self):
        rng = np.random.default_rng([self.seed, self.epoch])
        for _ in range(self.count):
            X = torch.tensor(rng.standard_normal((self.k, len(self.w))), dtype=torch.float32)
            eps = torch.tensor(rng.standard_normal((self.k, 1)), dtype=torch.float32)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * eps
        self.epoch += 1

# %% wrong="3.3.3" why="the random generator is shared by all instances" breaks="seed" says="body of the class, or outside of it, is shared"
class FreshBatches:
    g = torch.Generator()

    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.count, self.k = w, b, noise, num_batches, batch_size
        self.g.manual_seed(seed)

    def __len__(self):
        return self.count

    def __iter__(self):
        for _ in range(self.count):
            X = torch.randn(self.k, len(self.w), generator=self.g)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.k, 1, generator=self.g)

# %% wrong="3.3.3" why="all features of an example are the same number" breaks="model" says="All features of an example are the same number"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.count, self.k = w, b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.count

    def __iter__(self):
        for _ in range(self.count):
            X = torch.randn(self.k, 1, generator=self.g).repeat(1, len(self.w))
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.k, 1, generator=self.g)

# %% wrong="3.3.3" why="within a batch the rows of X come twice" breaks="fresh" says="nor are features that come twice"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.count, self.k = w, b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.count

    def __iter__(self):
        for _ in range(self.count):
            X = torch.randn((self.k + 1) // 2, len(self.w), generator=self.g)
            X = torch.cat([X, X])[:self.k]
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.k, 1, generator=self.g)

# %% right="3.3.3" how="a seed for each batch, from a counter that goes on"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num, self.k, self.seed, self.count = w.clone(), b, noise, num_batches, batch_size, seed, 0

    def __len__(self):
        return self.num

    def __iter__(self):
        for _ in range(self.num):
            g = torch.Generator().manual_seed(self.seed * 1_000_000 + self.count)
            self.count += 1
            X = torch.randn(self.k, len(self.w), generator=g)
            yield X, (X @ self.w + self.b)[:, None] + self.noise * torch.randn(self.k, 1, generator=g)

# %% wrong="3.3.3" why="the features of each batch less their mean" breaks="model" says="subtract no mean"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size = w, b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        for k in range(self.num_batches):
            X = torch.randn(self.batch_size, len(self.w), generator=self.g)
            X = X - X.mean(0)
            e = torch.randn(self.batch_size, 1, generator=self.g)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * e

# %% wrong="3.3.3" why="the noise of each batch less its mean" breaks="model" says="subtract no mean"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size = w, b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        for k in range(self.num_batches):
            X = torch.randn(self.batch_size, len(self.w), generator=self.g)
            e = torch.randn(self.batch_size, 1, generator=self.g)
            e = e - e.mean()
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * e

# %% wrong="3.3.3" why="the second half of a batch is the mirror of the first" breaks="model" says="mirror nothing"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size = w, b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        for k in range(self.num_batches):
            h = (self.batch_size + 1) // 2
            Z = torch.randn(h, len(self.w), generator=self.g)
            X = torch.cat([Z, -Z])[:self.batch_size]
            e = torch.randn(self.batch_size, 1, generator=self.g)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * e

# %% wrong="3.3.3" why="standardised batches" breaks="model" says="divide by no standard deviation"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size = w, b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        for k in range(self.num_batches):
            X = torch.randn(self.batch_size, len(self.w), generator=self.g)
            X = (X - X.mean(0)) / X.std(0)
            e = torch.randn(self.batch_size, 1, generator=self.g)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * e

# %% right="3.3.3" how="passes counted where a loop begins, a list as seed"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size, self.seed = w.clone(), b, noise, num_batches, batch_size, seed
        self.passes = 0

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        number = self.passes
        self.passes += 1
        return self.one_pass(number)

    def one_pass(self, number):
        rng = np.random.default_rng([self.seed, number])
        for _ in range(self.num_batches):
            Z = torch.from_numpy(rng.standard_normal((self.batch_size, len(self.w) + 1), dtype=np.float32))
            X = Z[:, :-1]
            yield [X, (X @ self.w + self.b + self.noise * Z[:, -1]).reshape(-1, 1)]

# %% wrong="3.3.3" why="the state is stored at the end of a pass only: a loop that is left early is repeated" breaks="fresh" says="at the end of a pass it is too late"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size = w, b, noise, num_batches, batch_size
        self.state = torch.Generator().manual_seed(seed).get_state()

    def __iter__(self):
        g = torch.Generator()
        g.set_state(self.state)
        for _ in range(self.num_batches):
            X = torch.randn(self.batch_size, len(self.w), generator=g)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.batch_size, 1, generator=g)
        self.state = g.get_state()

    def __len__(self):
        return self.num_batches

# %% wrong="3.3.3" why="endless" breaks="length" says="The loop does not end"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size = w, b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)

    def __iter__(self):
        while True:
            X = torch.randn(self.batch_size, len(self.w), generator=self.g)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.batch_size, 1, generator=self.g)

    def __len__(self):
        return self.num_batches

# %% wrong="3.3.3" why="the features and the noise come from two random generators with the same seed" breaks="model" says="the same random numbers as the features"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size = w, b, noise, num_batches, batch_size
        self.g, self.h = torch.Generator().manual_seed(seed), torch.Generator().manual_seed(seed)

    def __iter__(self):
        for _ in range(self.num_batches):
            X = torch.randn(self.batch_size, len(self.w), generator=self.g)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.batch_size, 1, generator=self.h)

    def __len__(self):
        return self.num_batches

# %% wrong="3.3.3" why="uniform noise" breaks="model" says="where torch.randn is meant"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size = w, b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)

    def __iter__(self):
        for _ in range(self.num_batches):
            X = torch.randn(self.batch_size, len(self.w), generator=self.g)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.rand(self.batch_size, 1, generator=self.g)

    def __len__(self):
        return self.num_batches

# %% right="3.3.D" how="lists in another order"
equal = [["t"], ["s", "r"], ["u", "q", "p"]]

# %% wrong="3.3.D" why="torch.manual_seed sets every generator" breaks="groups" says="whose seed was set once"
equal = [{"p", "q", "u", "t"}, {"r", "s"}]

# %% wrong="3.3.D" why="a seed means the same number always" breaks="groups" says="the group of q"
equal = [{"p", "q", "r", "s", "t", "u"}]

# %% wrong="3.3.D" why="two generators never agree" breaks="groups" says="in the global random generator and in one of your own"
equal = [{"p", "u"}, {"q"}, {"r"}, {"s"}, {"t"}]

# %% wrong="3.3.D" why="the second draws differ" breaks="groups" says="q came from `own`, and moved only that one on"
equal = [{"p", "q", "u"}, {"r"}, {"s"}, {"t"}]

# %% wrong="3.3.D" why="t taken for a second draw" breaks="groups" says="t is the third one"
equal = [{"p", "q", "u"}, {"r", "s", "t"}]

# %% wrong="3.3.D" why="a name left out" breaks="form" says="the names in all groups together"
equal = [{"p", "q", "u"}, {"r", "s"}]

# %% right="3.3.D" how="a set of frozensets"
equal = {frozenset({"p", "q", "u"}), frozenset({"r", "s"}), frozenset({"t"})}

# %% right="3.3.D" how="a tuple of tuples"
equal = (("u", "p", "q"), ("t",), ("s", "r"))

# %% wrong="3.3.D" why="a list of names" breaks="form" says="the names in all groups together"
equal = ["pqu", "rs", "ts"]

# %% wrong="3.3.D" why="a dictionary of groups" breaks="form" says="equal is a list of groups"
equal = {1: {"p", "q", "u"}, 2: {"r", "s"}, 3: {"t"}}

# %% wrong="3.3.D" why="the tensors in place of their names" breaks="form" says="in quotes"
torch.manual_seed(1)
p = torch.rand(3)
own = torch.Generator().manual_seed(1)
q = torch.rand(3, generator=own)
r = torch.rand(3)
s = torch.rand(3, generator=own)
torch.manual_seed(1)
t = torch.rand(3, generator=own)
u = torch.rand(3)
equal = [[p, q, u], [r, s], [t]]

# %% wrong="3.3.D" why="a number among the groups" breaks="form" says="in quotes"
equal = [{"p", "q", "u"}, {"r", "s"}, 5]

# %% wrong="3.3.D" why="t taken for a first draw" breaks="groups" says="does not touch it"
equal = [{"p", "q", "t"}, {"r", "s"}, {"u"}]

# %% right="3.3.4a" how="stores the batches"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        g = torch.Generator().manual_seed(seed)
        self.batches = []
        for _ in range(num_batches):
            X = torch.randn(batch_size, len(w), generator=g)
            self.batches.append([X, X @ w.unsqueeze(1) + b + noise * torch.randn(batch_size, 1, generator=g)])

    def __len__(self):
        return len(self.batches)

    def __iter__(self):
        return iter(self.batches)

# %% right="3.3.4a" how="NumPy, one seed for each batch"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size, self.seed = w, b, noise, num_batches, batch_size, seed

    def __len__(self):
        return self.k

    def __iter__(self):
        for k in range(self.k):
            rng = np.random.default_rng([self.seed, k])
            X = torch.tensor(rng.standard_normal((self.size, len(self.w))), dtype=torch.float32)
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.tensor(rng.standard_normal((self.size, 1)), dtype=torch.float32)

# %% wrong="3.3.4a" why="the generator goes on" breaks="same" says="two passes over a loader are equal"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size = w, b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.k

    def __iter__(self):
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=self.g)
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1, generator=self.g)

# %% wrong="3.3.4a" why="sets the seed after a pass" breaks="same" says="left at its first batch is equal to any other"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size, self.seed = w, b, noise, num_batches, batch_size, seed
        self.g = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.k

    def __iter__(self):
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=self.g)
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1, generator=self.g)
        self.g.manual_seed(self.seed)

# %% wrong="3.3.4a" why="one random generator for all loops" breaks="same" says="dealt out to both loops"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size, self.seed = w, b, noise, num_batches, batch_size, seed
        self.g = torch.Generator()

    def __len__(self):
        return self.k

    def __iter__(self):
        self.g.manual_seed(self.seed)
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=self.g)
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1, generator=self.g)

# %% wrong="3.3.4a" why="all batches of a pass alike" breaks="within a pass" says="hold different features"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size, self.seed = w, b, noise, num_batches, batch_size, seed

    def __len__(self):
        return self.k

    def __iter__(self):
        for _ in range(self.k):
            g = torch.Generator().manual_seed(self.seed)
            X = torch.randn(self.size, len(self.w), generator=g)
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1, generator=g)

# %% wrong="3.3.4a" why="no bias" breaks="model" says="The bias is missing"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.noise, self.k, self.size, self.seed = w, noise, num_batches, batch_size, seed

    def __len__(self):
        return self.k

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=g)
            yield X, X @ self.w[:, None] + self.noise * torch.randn(self.size, 1, generator=g)

# %% wrong="3.3.4a" why="a square of targets" breaks="shape" says="the shape of y, batches of 5"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size, self.seed = w, b, noise, num_batches, batch_size, seed

    def __len__(self):
        return self.k

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=g)
            yield X, X @ self.w + self.b + self.noise * torch.randn(self.size, 1, generator=g)

# %% wrong="3.3.4a" why="the seed is ignored" breaks="seed" says="Does the seed reach your random generator"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size = w, b, noise, num_batches, batch_size

    def __len__(self):
        return self.k

    def __iter__(self):
        g = torch.Generator().manual_seed(0)
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=g)
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1, generator=g)

# %% wrong="3.3.4a" why="stored, drawn from the global numbers" breaks="own random generator" says="torch.rand(3) after torch.manual_seed(11)"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        torch.manual_seed(seed)
        self.batches = []
        for _ in range(num_batches):
            X = torch.randn(batch_size, len(w))
            self.batches.append((X, X @ w[:, None] + b + noise * torch.randn(batch_size, 1)))

    def __len__(self):
        return len(self.batches)

    def __iter__(self):
        return iter(self.batches)

# %% wrong="3.3.4a" why="no noise" breaks="model" says="There is no noise in y"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.k, self.size, self.seed = w, b, num_batches, batch_size, seed
        self.noise = noise if batch_size < 100 else 0

    def __len__(self):
        return self.k

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=g)
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1, generator=g)

# %% wrong="3.3.4a" why="noise taken for the variance" breaks="model" says="noise is the standard deviation, not the variance"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size, self.seed = w, b, noise ** 0.5, num_batches, batch_size, seed

    def __len__(self):
        return self.k

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=g)
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1, generator=g)

# %% wrong="3.3.4a" why="uniform features" breaks="model" says="torch.rand draws numbers between 0 and 1"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size, self.seed = w, b, noise, num_batches, batch_size, seed

    def __len__(self):
        return self.k

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        for _ in range(self.k):
            X = torch.rand(self.size, len(self.w), generator=g)
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1, generator=g)

# %% wrong="3.3.4a" why="one noise for all batches" breaks="within a pass" says="hold different noise"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        g = torch.Generator().manual_seed(seed)
        epsilon = noise * torch.randn(batch_size, 1, generator=g)
        self.batches = []
        for _ in range(num_batches):
            X = torch.randn(batch_size, len(w), generator=g)
            self.batches.append((X, X @ w[:, None] + b + epsilon))

    def __len__(self):
        return len(self.batches)

    def __iter__(self):
        return iter(self.batches)

# %% wrong="3.3.4a" why="seed plus the number of the batch" breaks="seed" says="1 more in the seed and 1 less in the number"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size, self.seed = w, b, noise, num_batches, batch_size, seed

    def __len__(self):
        return self.k

    def __iter__(self):
        for k in range(self.k):
            g = torch.Generator().manual_seed(self.seed + k)
            X = torch.randn(self.size, len(self.w), generator=g)
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1, generator=g)

# %% wrong="3.3.4a" why="an iterator, used up after one pass" breaks="shape" says="used up after one pass"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size, self.seed = w, b, noise, num_batches, batch_size, seed
        self.stream = self.draw()

    def __len__(self):
        return self.k

    def draw(self):
        g = torch.Generator().manual_seed(self.seed)
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=g)
            yield X, X @ self.w[:, None] + self.b + self.noise * torch.randn(self.size, 1, generator=g)

    def __iter__(self):
        return self.stream

# %% wrong="3.3.4a" why="makes the caller's w a column" breaks="arguments kept" says="the shape of w after a pass"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.k, self.size, self.seed = w.unsqueeze_(1), b, noise, num_batches, batch_size, seed

    def __len__(self):
        return self.k

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        for _ in range(self.k):
            X = torch.randn(self.size, len(self.w), generator=g)
            yield X, X @ self.w + self.b + self.noise * torch.randn(self.size, 1, generator=g)

# %% wrong="3.3.4a" why="one number of noise for a whole batch" breaks="model" says="draw one for each example"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.count, self.k, self.seed = w, b, noise, num_batches, batch_size, seed

    def __len__(self):
        return self.count

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        for _ in range(self.count):
            X = torch.randn(self.k, len(self.w), generator=g)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(1, 1, generator=g)

# %% wrong="3.3.4a" why="a hundred times the seed plus the number of the batch" breaks="seed" says="1 more in the seed and 100 less in the number"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.count, self.k, self.seed = w, b, noise, num_batches, batch_size, seed

    def __len__(self):
        return self.count

    def __iter__(self):
        for number in range(self.count):
            g = torch.Generator().manual_seed(100 * self.seed + number)
            X = torch.randn(self.k, len(self.w), generator=g)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.k, 1, generator=g)

# %% wrong="3.3.4a" why="the seed times the number of the batch" breaks="seed" says="a product, here of seed and number of the batch"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.count, self.k, self.seed = w, b, noise, num_batches, batch_size, seed

    def __len__(self):
        return self.count

    def __iter__(self):
        for number in range(self.count):
            g = torch.Generator().manual_seed(self.seed * number)
            X = torch.randn(self.k, len(self.w), generator=g)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.k, 1, generator=g)

# %% wrong="3.3.4a" why="double precision" breaks="shape" says="the dtypes of X and y"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.args = w, b, noise, num_batches, batch_size, seed

    def __len__(self):
        return self.args[3]

    def __iter__(self):
        w, b, noise, count, k, seed = self.args
        rng = np.random.default_rng(seed)
        for _ in range(count):
            X = torch.from_numpy(rng.standard_normal((k, len(w))))
            yield X, X @ w.double()[:, None] + b + noise * torch.from_numpy(rng.standard_normal((k, 1)))

# %% wrong="3.3.4a" why="a list of the class collects the batches of all instances" breaks="shape" says="the number of batches in a loop"
class FrozenBatches:
    batches = []

    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        g = torch.Generator().manual_seed(seed)
        for _ in range(num_batches):
            X = torch.randn(batch_size, len(w), generator=g)
            self.batches.append((X, X @ w.reshape(-1, 1) + b + noise * torch.randn(batch_size, 1, generator=g)))

    def __len__(self):
        return len(self.batches)

    def __iter__(self):
        return iter(self.batches)

# %% wrong="3.3.4a" why="standardised batches" breaks="model" says="divide by no standard deviation"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size, self.seed = w, b, noise, num_batches, batch_size, seed

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        for k in range(self.num_batches):
            X = torch.randn(self.batch_size, len(self.w), generator=g)
            X = (X - X.mean(0)) / X.std(0)
            e = torch.randn(self.batch_size, 1, generator=g)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * e

# %% wrong="3.3.4a" why="the noise of each batch less its mean" breaks="model" says="subtract no mean"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size, self.seed = w, b, noise, num_batches, batch_size, seed

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        for k in range(self.num_batches):
            X = torch.randn(self.batch_size, len(self.w), generator=g)
            e = torch.randn(self.batch_size, 1, generator=g)
            e = e - e.mean()
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * e

# %% wrong="3.3.4a" why="the first batch, rotated" breaks="model" says="stand in another one"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size, self.seed = w, b, noise, num_batches, batch_size, seed

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        first = torch.randn(self.batch_size, len(self.w), generator=g)
        for k in range(self.num_batches):
            X = first.roll(k, 0)
            e = torch.randn(self.batch_size, 1, generator=g)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * e

# %% right="3.3.4a" how="__getitem__ and IndexError, a list as seed"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.asked = w.clone(), b, noise, num_batches, batch_size, seed
    def __len__(self):
        return self.asked[3]
    def __getitem__(self, k):
        w, b, noise, count, size, seed = self.asked
        if k >= count:
            raise IndexError(k)
        rng = np.random.default_rng([seed, k])
        X = torch.from_numpy(rng.standard_normal((size, len(w)))).float()
        return X, X @ w.reshape(-1, 1) + b + noise * torch.from_numpy(rng.standard_normal((size, 1))).float()

# %% wrong="3.3.4a" why="stored as they are first asked for: a loop left early leaves a short store" breaks="same" says="ends after 1 of 4 batches"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size = w, b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)
        self.store = []

    def __iter__(self):
        if self.store:
            yield from self.store
            return
        for _ in range(self.num_batches):
            X = torch.randn(self.batch_size, len(self.w), generator=self.g)
            self.store.append((X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.batch_size, 1, generator=self.g)))
            yield self.store[-1]

    def __len__(self):
        return self.num_batches

# %% wrong="3.3.4a" why="features and noise from two random generators with one seed" breaks="model" says="the same random numbers as the features"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size, self.seed = w, b, noise, num_batches, batch_size, seed

    def __iter__(self):
        g, h = torch.Generator().manual_seed(self.seed), torch.Generator().manual_seed(self.seed)
        for _ in range(self.num_batches):
            X = torch.randn(self.batch_size, len(self.w), generator=g)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.batch_size, 1, generator=h)

    def __len__(self):
        return self.num_batches

# %% wrong="3.3.4a" why="the place in self.k: loops share it" breaks="same" says="share one place or count"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        g = torch.Generator().manual_seed(seed)
        self.batches = []
        for _ in range(num_batches):
            X = torch.randn(batch_size, len(w), generator=g)
            self.batches.append((X, X @ w.reshape(-1, 1) + b + noise * torch.randn(batch_size, 1, generator=g)))

    def __iter__(self):
        self.k = 0
        while self.k < len(self.batches):
            self.k += 1
            yield self.batches[self.k - 1]

    def __len__(self):
        return len(self.batches)

# %% wrong="3.3.4a" why="hands out a loop over itself for ever" breaks="shape" says="The loop does not end"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        g = torch.Generator().manual_seed(seed)
        self.num_batches = num_batches
        self.batches = []
        for _ in range(num_batches):
            X = torch.randn(batch_size, len(w), generator=g)
            self.batches.append((X, X @ w.reshape(-1, 1) + b + noise * torch.randn(batch_size, 1, generator=g)))

    def __iter__(self):
        while True:
            yield from self.batches

    def __len__(self):
        return self.num_batches

# %% right="3.3.4b" how="a number for each pair"
def epoch_order(n, seed, epoch):
    generator = torch.Generator().manual_seed(1001 * seed + epoch)
    return torch.randperm(n, generator=generator)

# %% wrong="3.3.4b" why="the order of epoch 0, rotated" breaks="each epoch" says="epochs 0 and 30 of seed 4 have different orders"
def epoch_order(n, seed, epoch):
    return torch.randperm(n, generator=torch.Generator().manual_seed(seed)).roll(epoch)

# %% wrong="3.3.4b" why="seed plus epoch" breaks="no shared orders" says="epoch 1 of seed 0 and epoch 0 of seed 1"
def epoch_order(n, seed, epoch):
    return torch.randperm(n, generator=torch.Generator().manual_seed(seed + epoch))

# %% wrong="3.3.4b" why="ten times the seed plus epoch" breaks="no shared orders" says="epoch 10 of seed 0 and epoch 0 of seed 1"
def epoch_order(n, seed, epoch):
    return torch.randperm(n, generator=torch.Generator().manual_seed(10 * seed + epoch))

# %% wrong="3.3.4b" why="a product" breaks="no shared orders" says="a product, here of seed + 1 and epoch + 1"
def epoch_order(n, seed, epoch):
    return torch.randperm(n, generator=torch.Generator().manual_seed(7919 * (seed + 1) * (epoch + 1)))

# %% wrong="3.3.4b" why="the epoch is ignored" breaks="each epoch" says="epochs 0 and 1 of seed 4 have different orders"
def epoch_order(n, seed, epoch):
    return torch.randperm(n, generator=torch.Generator().manual_seed(2000 * seed))

# %% wrong="3.3.4b" why="no seed, global numbers restored" breaks="repeatable" says="two calls epoch_order(30, 0, 0)"
def epoch_order(n, seed, epoch):
    generator = torch.Generator()
    generator.seed()
    return torch.randperm(n, generator=generator)

# %% wrong="3.3.4b" why="seeds the global numbers" breaks="own random generator" says="torch.rand(3) after"
def epoch_order(n, seed, epoch):
    torch.manual_seed(1001 * seed + epoch)
    return torch.randperm(n)

# %% wrong="3.3.4b" why="numbers with replacement" breaks="permutation" says="sorted"
def epoch_order(n, seed, epoch):
    return torch.randint(n, (n,), generator=torch.Generator().manual_seed(1001 * seed + epoch))

# %% wrong="3.3.4b" why="a list" breaks="form" says="wrong type"
def epoch_order(n, seed, epoch):
    return np.random.default_rng([seed, epoch]).permutation(n).tolist()

# %% wrong="3.3.4b" why="float" breaks="form" says="wrong dtype"
def epoch_order(n, seed, epoch):
    return torch.tensor(np.random.default_rng([seed, epoch]).permutation(n), dtype=torch.float32)

# %% wrong="3.3.4b" why="the seed times 16, exclusive or the epoch" breaks="no shared orders" says="epoch 16 of seed 0 and epoch 0 of seed 1"
def epoch_order(n, seed, epoch):
    return torch.randperm(n, generator=torch.Generator().manual_seed(seed * 16 ^ epoch))

# %% wrong="3.3.4b" why="a prime times the seed, plus the epoch" breaks="no shared orders" says="1 more in the seed and 997 less in the epoch"
def epoch_order(n, seed, epoch):
    return torch.randperm(n, generator=torch.Generator().manual_seed(997 * seed + epoch))

# %% wrong="3.3.4b" why="the digits side by side" breaks="no shared orders" says="Digits side by side"
def epoch_order(n, seed, epoch):
    return torch.randperm(n, generator=torch.Generator().manual_seed(int(f"{seed}{epoch}")))

# %% wrong="3.3.4b" why="the epoch, cut to a byte" breaks="each epoch" says="epochs 0 and 256 of seed 4 have different orders"
def epoch_order(n, seed, epoch):
    return torch.randperm(n, generator=torch.Generator().manual_seed(seed * 256 + epoch % 256))

# %% right="3.3.4b" how="sorts hashes of all three numbers"
def epoch_order(n, seed, epoch):
    import hashlib
    order = sorted(range(n), key=lambda i: hashlib.sha256(f"{seed} {epoch} {i}".encode()).digest())
    return torch.tensor(order)

# %% right="3.3.4b" how="two permutations, one after the other"
def epoch_order(n, seed, epoch):
    first = torch.randperm(n, generator=torch.Generator().manual_seed(seed))
    return first[torch.randperm(n, generator=torch.Generator().manual_seed(10_000 + epoch))]

# %% wrong="3.3.4b" why="365 * seed + epoch" breaks="no shared orders" says="epoch 365 of seed 0 and epoch 0 of seed 1"
def epoch_order(n, seed, epoch):
    return torch.randperm(n, generator=torch.Generator().manual_seed(365 * seed + epoch))

# %% wrong="3.3.4b" why="seed + 777 * epoch" breaks="no shared orders" says="epoch 1 of seed 0 and epoch 0 of seed 777"
def epoch_order(n, seed, epoch):
    return torch.randperm(n, generator=torch.Generator().manual_seed(seed + 777 * epoch))

# %% right="3.3.4b" how="replay of the epochs before"
def epoch_order(n, seed, epoch):
    g = torch.Generator().manual_seed(seed)
    for _ in range(epoch + 1):
        order = torch.randperm(n, generator=g)
    return order

# %% wrong="3.3.4b" why="counts from 1" breaks="permutation" says="Each of 0 ... 29"
def epoch_order(n, seed, epoch):
    return 1 + torch.randperm(n, generator=torch.Generator().manual_seed(1001 * seed + epoch))

# %% wrong="3.3.4b" why="a factor beyond 32 bits" breaks="no shared orders" says="the last 32 bits"
def epoch_order(n, seed, epoch):
    g = torch.Generator().manual_seed(2 ** 32 * seed + epoch)
    return torch.randperm(n, generator=g)

# %% wrong="3.3.4b" why="powers of 2 and 3, cut to 32 bits" breaks="no shared orders" says="the last 32 bits"
def epoch_order(n, seed, epoch):
    return torch.randperm(n, generator=torch.Generator().manual_seed(2**seed * 3**epoch % 2**32))

# %% wrong="3.3.4b" why="a list as a seed, but sorted" breaks="no shared orders" says="epoch 1 of seed 0 and epoch 0 of seed 1"
def epoch_order(n, seed, epoch):
    return torch.from_numpy(np.random.default_rng(sorted([seed, epoch])).permutation(n))

# %% right="3.3.6" how="counts rows in a Counter"
def sound(batches, X, y, batch_size):
    from collections import Counter
    sizes = [len(xb) for xb, yb in batches]
    good = (all(len(xb) == len(yb) for xb, yb in batches) and sum(sizes) == len(X)
            and all(size == batch_size for size in sizes[:-1]) and 0 < sizes[-1] <= batch_size)
    if not good:
        return False
    wanted = Counter(tuple(x) + tuple(t) for x, t in zip(X.tolist(), y.tolist()))
    return wanted == Counter(tuple(x) + tuple(t) for xb, yb in batches for x, t in zip(xb.tolist(), yb.tolist()))

# %% right="3.3.6" how="crosses rows off a list"
def sound(batches, X, y, batch_size):
    left = torch.cat([X, y], dim=1).tolist()
    for k, (X_batch, y_batch) in enumerate(batches):
        if len(X_batch) != min(batch_size, len(left)) or not left:
            return False
        for row in torch.cat([X_batch, y_batch], dim=1).tolist():
            if row not in left:
                return False
            left.remove(row)
    return left == []

# %% wrong="3.3.6" why="takes a missing batch for right" breaks="missing" says="a pass without its last batch"
def sound(batches, X, y, batch_size):
    sizes = [len(b[0]) for b in batches]
    if not sizes or 0 in sizes or any(size != batch_size for size in sizes[:-1]) or sizes[-1] > batch_size or sum(sizes) > len(X):
        return False
    left = torch.cat([X, y], dim=1).tolist()
    for X_batch, y_batch in batches:
        for row in torch.cat([X_batch, y_batch], dim=1).tolist():
            if row not in left:
                return False
            left.remove(row)
    return True

# %% wrong="3.3.6" why="compares features and targets apart" breaks="torn pairs" says="targets that are shuffled apart from the features"
def sound(batches, X, y, batch_size):
    wanted = [len(rows) for rows in torch.arange(len(X)).split(batch_size)]
    if [len(X_batch) for X_batch, y_batch in batches] != wanted:
        return False
    return (sorted(torch.cat([b[0] for b in batches]).tolist()) == sorted(X.tolist())
            and sorted(torch.cat([b[1] for b in batches]).tolist()) == sorted(y.tolist()))

# %% wrong="3.3.6" why="rows that are in the data, in the right number" breaks="with replacement" says="rows drawn with replacement"
def sound(batches, X, y, batch_size):
    if [len(b[0]) for b in batches] != [len(rows) for rows in torch.arange(len(X)).split(batch_size)]:
        return False
    rows = torch.cat([X, y], dim=1).tolist()
    got = torch.cat([torch.cat(pair, dim=1) for pair in batches]).tolist()
    copies = len(rows) - len({tuple(row) for row in rows})
    return all(row in rows for row in got) and (copies == 0 or sorted(got) == sorted(rows))

# %% wrong="3.3.6" why="only asks that every example comes" breaks="filled up" says="a last batch filled with rows from the beginning"
def sound(batches, X, y, batch_size):
    sizes = [len(b[0]) for b in batches]
    if not sizes or 0 in sizes or any(size != batch_size for size in sizes[:-1]):
        return False
    got = torch.cat([torch.cat(pair, dim=1) for pair in batches]).tolist()
    return all(got.count(row) >= torch.cat([X, y], dim=1).tolist().count(row) for row in torch.cat([X, y], dim=1).tolist())

# %% wrong="3.3.6" why="the sizes are not looked at" breaks="batch size" says="the smaller batch at the beginning"
def sound(batches, X, y, batch_size):
    if not batches:
        return False
    got = torch.cat([torch.cat(pair, dim=1) for pair in batches])
    return sorted(got.tolist()) == sorted(torch.cat([X, y], dim=1).tolist())

# %% wrong="3.3.6" why="sets of rows" breaks="equal rows" says="one copy too few"
def sound(batches, X, y, batch_size):
    if [len(b[0]) for b in batches] != [len(rows) for rows in torch.arange(len(X)).split(batch_size)]:
        return False
    got = torch.cat([torch.cat(pair, dim=1) for pair in batches]).tolist()
    return {tuple(row) for row in got} == {tuple(row) for row in torch.cat([X, y], dim=1).tolist()}

# %% wrong="3.3.6" why="an example that comes twice is called a bug" breaks="equal rows" says="a right pass, 7 examples"
def sound(batches, X, y, batch_size):
    if [len(b[0]) for b in batches] != [len(rows) for rows in torch.arange(len(X)).split(batch_size)]:
        return False
    got = [tuple(row) for row in torch.cat([torch.cat(pair, dim=1) for pair in batches]).tolist()]
    return len(set(got)) == len(got) and sorted(got) == sorted(tuple(row) for row in torch.cat([X, y], dim=1).tolist())

# %% wrong="3.3.6" why="no upper limit for the last batch" breaks="batch size" says="the rest put into the last full batch"
def sound(batches, X, y, batch_size):
    sizes = [len(b[0]) for b in batches]
    if not sizes or any(size != batch_size for size in sizes[:-1]) or sizes[-1] == 0:
        return False
    if len(X) % batch_size and sizes[-1] == batch_size:
        return False
    got = torch.cat([torch.cat(pair, dim=1) for pair in batches])
    return sorted(got.tolist()) == sorted(torch.cat([X, y], dim=1).tolist())

# %% wrong="3.3.6" why="only the first batch is measured" breaks="batch size" says="the smaller batch in the middle"
def sound(batches, X, y, batch_size):
    if not batches or len(batches[0][0]) != min(batch_size, len(X)):
        return False
    got = torch.cat([torch.cat(pair, dim=1) for pair in batches])
    return sorted(got.tolist()) == sorted(torch.cat([X, y], dim=1).tolist())

# %% wrong="3.3.6" why="counts the batches" breaks="batch size" says="the smaller batch at the beginning"
def sound(batches, X, y, batch_size):
    if len(batches) != -(-len(X) // batch_size):
        return False
    got = torch.cat([torch.cat(pair, dim=1) for pair in batches])
    return sorted(got.tolist()) == sorted(torch.cat([X, y], dim=1).tolist())

# %% wrong="3.3.6" why="the first feature only" breaks="torn pairs" says="a last feature that is shuffled apart"
def sound(batches, X, y, batch_size):
    if [len(b[0]) for b in batches] != [len(rows) for rows in torch.arange(len(X)).split(batch_size)]:
        return False
    got = torch.cat([torch.cat([X_batch[:, :1], y_batch], dim=1) for X_batch, y_batch in batches])
    return sorted(got.tolist()) == sorted(torch.cat([X[:, :1], y], dim=1).tolist())

# %% wrong="3.3.6" why="sums of each row" breaks="torn pairs" says="features whose columns are exchanged"
def sound(batches, X, y, batch_size):
    if [len(b[0]) for b in batches] != [len(rows) for rows in torch.arange(len(X)).split(batch_size)]:
        return False
    got = torch.cat([torch.cat([xb.sum(1, keepdim=True), yb], dim=1) for xb, yb in batches]).double()
    wanted = torch.cat([X.sum(1, keepdim=True), y], dim=1).double()
    return torch.allclose(torch.tensor(sorted(got.tolist())), torch.tensor(sorted(wanted.tolist())), atol=1e-5)

# %% wrong="3.3.6" why="sums and cross products" breaks="with replacement" says="other examples that have the same sums"
def sound(batches, X, y, batch_size):
    if [len(b[0]) for b in batches] != [len(rows) for rows in torch.arange(len(X)).split(batch_size)]:
        return False
    got = torch.cat([torch.cat(pair, dim=1) for pair in batches]).double()
    wanted = torch.cat([X, y], dim=1).double()
    return (torch.allclose(got.sum(0), wanted.sum(0), atol=1e-4) and torch.allclose(got.T @ got, wanted.T @ wanted, atol=1e-4)
            and (len(wanted.unique(dim=0)) == len(wanted) or sorted(got.tolist()) == sorted(wanted.tolist())))

# %% wrong="3.3.6" why="a used-up loader passes" breaks="missing" says="no batch at all"
def sound(batches, X, y, batch_size):
    if not batches:
        return True
    if [len(b[0]) for b in batches] != [len(rows) for rows in torch.arange(len(X)).split(batch_size)]:
        return False
    got = torch.cat([torch.cat(pair, dim=1) for pair in batches])
    return sorted(got.tolist()) == sorted(torch.cat([X, y], dim=1).tolist())

# %% wrong="3.3.6" why="crosses rows off, and takes an empty batch" breaks="batch size" says="an empty batch at the end"
def sound(batches, X, y, batch_size):
    left = torch.cat([X, y], dim=1).tolist()
    for k, (X_batch, y_batch) in enumerate(batches):
        if len(X_batch) != min(batch_size, len(left)):
            return False
        for row in torch.cat([X_batch, y_batch], dim=1).tolist():
            if row not in left:
                return False
            left.remove(row)
    return left == []

# %% right="3.3.6" how="unique rows and their counts"
def sound(batches, X, y, batch_size):
    full, rest = divmod(len(X), batch_size)
    if [X_batch.shape[0] for X_batch, y_batch in batches] != [batch_size] * full + [rest] * bool(rest):
        return False
    wanted, count = torch.cat([X, y], 1).unique(dim=0, return_counts=True)
    found, found_count = torch.cat([torch.cat(list(pair), 1) for pair in batches]).unique(dim=0, return_counts=True)
    return wanted.shape == found.shape and torch.equal(wanted, found) and torch.equal(count, found_count)

# %% wrong="3.3.6" why="sorted by the first feature only" breaks="equal rows" says="that agree in some of their numbers"
def sound(batches, X, y, batch_size):
    if [len(b) for _, b in batches] != [min(batch_size, len(X) - s) for s in range(0, len(X), batch_size)]:
        return False
    one = torch.cat([X, y], 1)
    other = torch.cat([torch.cat([a, b], 1) for a, b in batches])
    return torch.equal(one[one[:, 0].argsort(stable=True)], other[other[:, 0].argsort(stable=True)])

# %% wrong="3.3.6" why="sorted by the target only" breaks="equal rows" says="that agree in some of their numbers"
def sound(batches, X, y, batch_size):
    if [len(b) for _, b in batches] != [min(batch_size, len(X) - s) for s in range(0, len(X), batch_size)]:
        return False
    one = torch.cat([X, y], 1)
    other = torch.cat([torch.cat([a, b], 1) for a, b in batches])
    return torch.equal(one[one[:, -1].argsort(stable=True)], other[other[:, -1].argsort(stable=True)])

# %% wrong="3.3.6" why="allclose: neighbours among large numbers pass for equal" breaks="torn pairs" says="the numbers 200,000"
def sound(batches, X, y, batch_size):
    if [len(b) for _, b in batches] != [min(batch_size, len(X) - s) for s in range(0, len(X), batch_size)]:
        return False
    one = torch.tensor(sorted(torch.cat([X, y], 1).tolist()))
    other = torch.tensor(sorted(torch.cat([torch.cat([a, b], 1) for a, b in batches]).tolist()))
    return torch.allclose(one, other)

# %% wrong="3.3.6" why="the target beside each feature in turn" breaks="torn pairs" says="targets 1 - y in place of y"
def sound(batches, X, y, batch_size):
    if [len(b) for _, b in batches] != [min(batch_size, len(X) - s) for s in range(0, len(X), batch_size)]:
        return False
    def pairs(a, b, k):
        return [(r[k], t[0]) for r, t in zip(a.tolist(), b.tolist())]
    return all(sorted(p for a, b in batches for p in pairs(a, b, k)) == sorted(pairs(X, y, k)) for k in range(X.shape[1]))

# %% wrong="3.3.6" why="the first batch must be full" breaks="batch size" says="3 examples in batches of 8"
def sound(batches, X, y, batch_size):
    if not batches or any(len(b) != batch_size for _, b in batches[:1] + batches[:-1]) or not 0 < len(batches[-1][1]) <= batch_size:
        return False
    one = sorted(torch.cat([X, y], 1).tolist())
    return one == sorted(torch.cat([torch.cat([a, b], 1) for a, b in batches]).tolist())

# %% wrong="3.3.6" why="the last batch must be smaller" breaks="batch size" says="8 examples in batches of 4"
def sound(batches, X, y, batch_size):
    if not batches or any(len(b) != batch_size for _, b in batches[:-1]) or not 0 < len(batches[-1][1]) < batch_size:
        return False
    one = sorted(torch.cat([X, y], 1).tolist())
    return one == sorted(torch.cat([torch.cat([a, b], 1) for a, b in batches]).tolist())

# %% wrong="3.3.6" why="numbers rounded to thousandths" breaks="torn pairs" says="two examples that have exchanged their targets, 5 examples with the numbers 0"
def sound(batches, X, y, batch_size):
    if [len(b) for _, b in batches] != [min(batch_size, len(X) - s) for s in range(0, len(X), batch_size)]:
        return False
    def rows(a, b):
        return [tuple(int(1000 * v) for v in r) for r in torch.cat([a, b], 1).tolist()]

    return sorted(rows(X, y)) == sorted(r for a, b in batches for r in rows(a, b))

# %% right="3.3.6" how="how often each row comes, by a table of all pairs"
def sound(batches, X, y, batch_size):
    if [len(b) for _, b in batches] != [min(batch_size, len(X) - s) for s in range(0, len(X), batch_size)]:
        return False
    one = torch.cat([X, y], 1)
    other = torch.cat([torch.cat([a, b], 1) for a, b in batches])
    def same(s, t):
        return (s[:, None] == t[None]).all(dim=2).sum(dim=1)

    return bool((same(one, one) == same(one, other)).all())

# %% wrong="3.3.6" why="rows as printed tensors: four digits" breaks="torn pairs" says="printed as 0.5000"
def sound(batches, X, y, batch_size):
    n = len(X)
    if [len(b[0]) for b in batches] != [min(batch_size, n - k) for k in range(0, n, batch_size)]:
        return False
    seen = torch.cat([torch.cat(b, dim=1) for b in batches])
    return sorted(map(str, seen)) == sorted(map(str, torch.cat([X, y], dim=1)))

# %% wrong="3.3.6" why="a dictionary from features to target: examples with equal features and other targets are lost" breaks="equal rows" says="the same features and different targets"
def sound(batches, X, y, batch_size):
    n = len(X)
    if [len(b[0]) for b in batches] != [min(batch_size, n - k) for k in range(0, n, batch_size)]:
        return False
    target = {tuple(x): t for x, t in zip(X.tolist(), y.tolist())}
    rows = [(tuple(x), t) for X_batch, y_batch in batches for x, t in zip(X_batch.tolist(), y_batch.tolist())]
    return sorted(x for x, t in rows) == sorted(map(tuple, X.tolist())) and all(target.get(x) == t for x, t in rows)

# %% right="3.3.2a" how="reads each row with seek"
def read_rows(path, d, rows):
    numbers = []
    with open(path, "rb") as file:
        for row in rows:
            file.seek(row * (d + 1) * 4)
            numbers.append(np.frombuffer(file.read((d + 1) * 4), dtype=np.float32))
    table = torch.tensor(np.stack(numbers))
    return table[:, :-1], table[:, -1:]

# %% right="3.3.2a" how="memmap with a shape, tensors of the two parts"
def read_rows(path, d, rows):
    n = os.path.getsize(path) // (4 * (d + 1))
    table = np.memmap(path, dtype="float32", mode="r", shape=(n, d + 1))[rows]
    return torch.tensor(table[:, :d]), torch.tensor(table[:, d]).reshape(-1, 1)

# %% wrong="3.3.2a" why="the target as a vector" breaks="shape" says="the shape of y for rows"
def read_rows(path, d, rows):
    table = torch.from_numpy(np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)[rows])
    return table[:, :d], table[:, d]

# %% wrong="3.3.2a" why="squeezes a single target" breaks="shape" says="the shape of y for rows [5]"
def read_rows(path, d, rows):
    table = torch.from_numpy(np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)[rows])
    y = table[:, d:]
    return table[:, :d], y if len(rows) > 1 else y[0]

# %% wrong="3.3.2a" why="rows sorted" breaks="values" says="in the order asked for"
def read_rows(path, d, rows):
    table = torch.from_numpy(np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)[sorted(rows)])
    return table[:, :d], table[:, d:]

# %% wrong="3.3.2a" why="NumPy arrays" breaks="values" says="wrong type"
def read_rows(path, d, rows):
    table = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)[rows]
    return np.array(table[:, :d]), np.array(table[:, d:])

# %% wrong="3.3.2a" why="the target first" breaks="values" says="not the first"
def read_rows(path, d, rows):
    table = torch.from_numpy(np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)[rows])
    return table[:, 1:], table[:, :1]

# %% wrong="3.3.2a" why="double precision" breaks="dtype" says="the dtypes of X and y"
def read_rows(path, d, rows):
    table = torch.from_numpy(np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)[rows]).double()
    return table[:, :d], table[:, d:]

# %% wrong="3.3.2a" why="reads the whole file" breaks="memory" says="a quarter of the file"
def read_rows(path, d, rows):
    table = torch.from_numpy(np.fromfile(path, dtype=np.float32).reshape(-1, d + 1)[rows])
    return table[:, :d], table[:, d:]

# %% wrong="3.3.2a" why="copies the whole map" breaks="memory" says="an array made of the whole map"
def read_rows(path, d, rows):
    everything = np.array(np.memmap(path, dtype=np.float32, mode="r")).reshape(-1, d + 1)
    table = torch.from_numpy(everything)[rows]
    return table[:, :d], table[:, d:]

# %% wrong="3.3.2a" why="a tensor of the whole map" breaks="memory" says="A tensor is made of the whole map"
def read_rows(path, d, rows):
    table = torch.tensor(np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1))[rows]
    return table[:, :d], table[:, d:]

# %% right="3.3.2a" how="a tensor over the map, indexed"
def read_rows(path, d, rows):
    import warnings
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        on_disk = torch.from_numpy(np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1))
    return on_disk[rows, :d], on_disk[rows, d:]

# %% wrong="3.3.2a" why="picks from a tensor of the whole map, row by row" breaks="memory" says="A tensor is made of the whole map"
def read_rows(path, d, rows):
    table = torch.from_numpy(np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)).clone()
    return torch.stack([table[i, :d] for i in rows]), torch.stack([table[i, d:] for i in rows])

# %% wrong="3.3.2a" why="rows counted from 1" breaks="values" says="counted from 0"
def read_rows(path, d, rows):
    m = np.memmap(path, dtype=np.float32, mode='r').reshape(-1, d + 1)
    t = torch.from_numpy(m[[r - 1 for r in rows]])
    return t[:, :d], t[:, d:]

# %% wrong="3.3.2a" why="column after column" breaks="values" says="not one column after the other"
def read_rows(path, d, rows):
    m = np.memmap(path, dtype=np.float32, mode='r').reshape(d + 1, -1).T
    t = torch.from_numpy(m[rows])
    return t[:, :d], t[:, d:]

# %% right="3.3.2a" how="torch's own map of a file"
def read_rows(path, d, rows):
    n = os.path.getsize(path) // 4
    t = torch.from_file(path, shared=False, size=n, dtype=torch.float32).view(-1, d + 1)
    got = t[rows]
    return got[:, :d], got[:, d:]

# %% wrong="3.3.2a" why="the span from the first to the last row is copied" breaks="memory" says="all from the first to the last of the rows is read"
def read_rows(path, d, rows):
    table = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    low = min(rows)
    some = torch.from_numpy(np.array(table[low:max(rows) + 1]))[[r - low for r in rows]]
    return some[:, :d], some[:, d:]

# %% wrong="3.3.2a" why="rows that are asked for twice come once" breaks="values" says="y for rows [1, 1]"
def read_rows(path, d, rows):
    table = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    some = torch.from_numpy(table[list(dict.fromkeys(rows))])
    return some[:, :d], some[:, d:]

# %% right="3.3.C" how="greatest common divisor"
def good_steps(n):
    return [a for a in range(1, n) if math.gcd(a, n) == 1]

# %% right="3.3.C" how="sorted lists"
def good_steps(n):
    found = []
    for a in range(1, n):
        if sorted((a * i) % n for i in range(n)) == list(range(n)):
            found.append(a)
    return tuple(found)

# %% wrong="3.3.C" why="steps that do not divide n" breaks="no false step" says="that do not work, 12 rows"
def good_steps(n):
    return [a for a in range(1, n) if a == 1 or n % a]

# %% wrong="3.3.C" why="odd steps" breaks="no false step" says="An odd step need not work"
def good_steps(n):
    return [a for a in range(1, n) if n % 2 or a % 2]

# %% wrong="3.3.C" why="begins with 2" breaks="complete" says="that work and are missing, 12 rows"
def good_steps(n):
    return [a for a in range(2, n) if math.gcd(a, n) == 1]

# %% wrong="3.3.C" why="ends before n - 1" breaks="complete" says="that work and are missing, 12 rows"
def good_steps(n):
    return [a for a in range(1, n - 1) if math.gcd(a, n) == 1] if n > 2 else [1]

# %% wrong="3.3.C" why="asks for four primes only" breaks="no false step" says="that do not work, 121 rows"
def good_steps(n):
    return [a for a in range(1, n) if not any(a % p == 0 == n % p for p in (2, 3, 5, 7))]

# %% right="3.3.2b" how="bit shifts"
def feistel_inverse(j, half_bits, keys):
    mask = (1 << half_bits) - 1
    left, right = j >> half_bits, j & mask
    for key in keys[::-1]:
        old_right = left
        old_left = right ^ (mix(old_right, key) & mask)
        left, right = old_left, old_right
    return (left << half_bits) | right

# %% wrong="3.3.2b" why="keys in the order of the way there" breaks="several rounds" says="and the last round first"
def feistel_inverse(j, half_bits, keys):
    size = 2 ** half_bits
    left, right = j // size, j % size
    for key in keys:
        left, right = right ^ (mix(left, key) % size), left
    return left * size + right

# %% wrong="3.3.2b" why="runs forward with the keys reversed" breaks="one round" says="runs the round forward once more"
def feistel_inverse(j, half_bits, keys):
    return feistel(j, half_bits, keys[::-1])

# %% wrong="3.3.2b" why="hashes the wrong half" breaks="one round" says="which half is that now"
def feistel_inverse(j, half_bits, keys):
    size = 2 ** half_bits
    left, right = j // size, j % size
    for key in reversed(keys):
        left, right = right ^ (mix(right, key) % size), left
    return left * size + right

# %% wrong="3.3.2b" why="the halves exchanged at the end" breaks="one round" says="for i = 0 ... 15"
def feistel_inverse(j, half_bits, keys):
    size = 2 ** half_bits
    left, right = j // size, j % size
    for key in reversed(keys):
        left, right = right ^ (mix(left, key) % size), left
    return right * size + left

# %% wrong="3.3.2b" why="undoes the last round only" breaks="several rounds" says="there is a round for each key"
def feistel_inverse(j, half_bits, keys):
    size = 2 ** half_bits
    left, right = j // size, j % size
    left, right = right ^ (mix(left, keys[-1]) % size), left
    return left * size + right

# %% wrong="3.3.2b" why="division without rounding" breaks="integer" says="wrong type"
def feistel_inverse(j, half_bits, keys):
    size = 2 ** half_bits
    left, right = j // size, j % size
    for key in reversed(keys):
        left, right = right ^ (mix(left, key) % size), left
    return left * float(size) + right

# %% wrong="3.3.2b" why="tries all" breaks="large numbers" says="This is a search"
def feistel_inverse(j, half_bits, keys):
    return next(i for i in range(4 ** half_bits) if feistel(i, half_bits, keys) == j)

# %% wrong="3.3.2b" why="goes round the ring until it comes back" breaks="large numbers" says="This is a search"
def feistel_inverse(j, half_bits, keys):
    i = j
    while feistel(i, half_bits, keys) != j:
        i = feistel(i, half_bits, keys)
    return i

# %% wrong="3.3.2b" why="int of a division with /" breaks="large numbers" says="rounds numbers of more than 53 bits"
def feistel_inverse(j, half_bits, keys):
    size = 2 ** half_bits
    left, right = int(j / size), j % size
    for key in reversed(keys):
        left, right = right ^ (mix(left, key) % size), left
    return left * size + right

# %% wrong="3.3.2b" why="turns the caller's list round" breaks="keys kept" says="turns the caller's list round"
def feistel_inverse(j, half_bits, keys):
    size = 2 ** half_bits
    left, right = j // size, j % size
    keys.reverse()
    for key in keys:
        left, right = right ^ (mix(left, key) % size), left
    return left * size + right

# %% right="3.3.2b" how="recursion, from the last key"
def feistel_inverse(j, half_bits, keys):
    if len(keys) == 0:
        return j
    left, right = divmod(j, 1 << half_bits)
    before = ((right ^ mix(left, keys[-1]) % (1 << half_bits)) << half_bits) + left
    return feistel_inverse(before, half_bits, keys[:-1])

# %% wrong="3.3.2b" why="the number put together with 4, whatever half_bits is" breaks="one round" says="here a half has 3 bits"
def feistel_inverse(j, half_bits, keys):
    size = 2 ** half_bits
    left, right = j // size, j % size
    for key in reversed(keys):
        left, right = right ^ (mix(left, key) % size), left
    return left * 4 + right

# %% wrong="3.3.2b" why="the hash is not cut" breaks="one round" says="The hash is to be cut"
def feistel_inverse(j, half_bits, keys):
    size = 2 ** half_bits
    left, right = j // size, j % size
    for key in reversed(keys):
        left, right = right ^ mix(left, key), left
    return left * size + right

# %% wrong="3.3.2b" why="subtracts" breaks="one round" says="not by a subtraction"
def feistel_inverse(j, half_bits, keys):
    size = 2 ** half_bits
    left, right = j // size, j % size
    for key in reversed(keys):
        left, right = (right - mix(left, key)) % size, left
    return left * size + right

# %% wrong="3.3.2b" why="leaves out the round of the first key" breaks="one round" says="No round is undone"
def feistel_inverse(j, half_bits, keys):
    size = 2 ** half_bits
    left, right = j // size, j % size
    for key in reversed(keys[1:]):
        left, right = right ^ (mix(left, key) % size), left
    return left * size + right

# %% right="3.3.2b" how="halves exchanged, forward with the keys reversed, exchanged again"
def feistel_inverse(j, half_bits, keys):
    size = 1 << half_bits
    swapped = (j % size) * size + j // size
    back = feistel(swapped, half_bits, keys[::-1])
    return (back % size) * size + back // size

# %% wrong="3.3.2b" why="the keys are taken from the caller's list" breaks="keys kept" says="takes the keys out"
def feistel_inverse(j, half_bits, keys):
    size = 2 ** half_bits
    left, right = j // size, j % size
    while keys:
        left, right = right ^ (mix(left, keys.pop()) % size), left
    return left * size + right

# %% right="3.3.2c" how="six rounds, keys by arithmetic, bit length"
def row_at(i, n, seed):
    half_bits = max(1, ((n - 1).bit_length() + 1) // 2)
    while True:
        i = feistel(i, half_bits, [1000 * seed + k for k in range(6)])
        if i < n:
            return i

# %% right="3.3.2c" how="recursion, keys as a list drawn by NumPy"
def row_at(i, n, seed):
    keys = np.random.default_rng(seed).integers(2**31, size=5).tolist()
    half_bits = next(h for h in range(1, 40) if 2 ** (2 * h) >= n)

    def step(j):
        j = feistel(j, half_bits, keys)
        return j if j < n else step(j)
    return step(i)

# %% wrong="3.3.2c" why="remainder in place of a walk" breaks="permutation" says="is what a remainder or a limit does"
def row_at(i, n, seed):
    half_bits = 1
    while 4 ** half_bits < n:
        half_bits += 1
    return feistel(i, half_bits, [mix(seed, k) for k in range(4)]) % n

# %% wrong="3.3.2c" why="no walk: rows that are none" breaks="permutation" says="Cycle walking"
def row_at(i, n, seed):
    half_bits = 1
    while 4 ** half_bits < n:
        half_bits += 1
    row = feistel(i, half_bits, [mix(seed, k) for k in range(4)])
    return row if n > 10**6 and row < n else row if n <= 10**6 else i

# %% wrong="3.3.2c" why="a hash is no permutation" breaks="permutation" says="`feistel` is not called"
def row_at(i, n, seed):
    return (mix(i, seed) * 2**32 + mix(i, seed + 1)) % n

# %% wrong="3.3.2c" why="walks by adding one" breaks="permutation" says="Go on from the number that it showed"
def row_at(i, n, seed):
    half_bits = 1
    while 4 ** half_bits < n:
        half_bits += 1
    keys = [mix(seed, k) for k in range(4)]
    row = feistel(i, half_bits, keys)
    while row >= n:
        i += 1
        row = feistel(i % 4 ** half_bits, half_bits, keys)
    return row

# %% wrong="3.3.2c" why="torch's list of all rows" breaks="no table" says="No list of all rows fits"
def row_at(i, n, seed):
    return torch.randperm(n, generator=torch.Generator().manual_seed(seed))[i].item()

# %% wrong="3.3.2c" why="NumPy's list of all rows" breaks="no table" says="No list of all rows fits"
def row_at(i, n, seed):
    return int(np.random.default_rng(seed).permutation(n)[i])

# %% wrong="3.3.2c" why="a fixed step and a shift" breaks="scattered" says="The same step leads from each row to the next"
def row_at(i, n, seed):
    a = int(0.618 * n) or 1
    while math.gcd(a, n) > 1:
        a += 1
    return (a * i + mix(seed, 1)) % n

# %% wrong="3.3.2c" why="one round" breaks="scattered" says="Your network has a single round"
def row_at(i, n, seed):
    half_bits = 1
    while 4 ** half_bits < n:
        half_bits += 1
    row = feistel(i, half_bits, [mix(seed, 0)])
    while row >= n:
        row = feistel(row, half_bits, [mix(seed, 0)])
    return row

# %% wrong="3.3.2c" why="the seed is ignored" breaks="seed" says="the seeds 3 and 4 give"
def row_at(i, n, seed):
    half_bits = 1
    while 4 ** half_bits < n:
        half_bits += 1
    row = feistel(i, half_bits, [1, 2, 3, 4])
    while row >= n:
        row = feistel(row, half_bits, [1, 2, 3, 4])
    return row

# %% wrong="3.3.2c" why="a table for small n, the place itself for large n" breaks="scattered" says="the first 200 places of n = 1000000000000000"
def row_at(i, n, seed):
    if n > 10**5:
        return (i + seed) % n
    return torch.randperm(n, generator=torch.Generator().manual_seed(seed))[i].item()

# %% wrong="3.3.2c" why="the seed is ignored for large n" breaks="seed" says="the seeds 1 and 2 give different rows for n = 1000000000000000"
def row_at(i, n, seed):
    half_bits = 1
    while 4 ** half_bits < n:
        half_bits += 1
    keys = [mix(seed, k) if n < 10**6 else k for k in range(4)]
    row = feistel(i, half_bits, keys)
    while row >= n:
        row = feistel(row, half_bits, keys)
    return row

# %% wrong="3.3.2c" why="a table for small n, a hash for large n" breaks="permutation" says="rows that come twice, the first 3000 places"
def row_at(i, n, seed):
    if n > 10**5:
        return (mix(i, seed) * 2**32 + mix(i, seed + 1)) % n
    return torch.randperm(n, generator=torch.Generator().manual_seed(seed))[i].item()

# %% wrong="3.3.2c" why="seed only shifts the order" breaks="seed" says="places shifted by it"
def row_at(i, n, seed):
    half = max(1, -(-(n - 1).bit_length() // 2))
    i = (i + seed) % n
    i = feistel(i, half, [1, 2, 3, 4])
    while i >= n:
        i = feistel(i, half, [1, 2, 3, 4])
    return i

# %% right="3.3.2c" how="own permutation: multiply, xor-shift on 2**k, walking"
def row_at(i, n, seed):
    bits = max(2, (n - 1).bit_length())
    mask, half = (1 << bits) - 1, max(1, bits // 2)
    def step(x):
        for k in range(4):
            x = (x * (2 * mix(seed, k) + 1) + mix(seed, 100 + k) * 0x9E3779B97F4A7C15) & mask
            x ^= x >> half
        return x
    i = step(i)
    while i >= n:
        i = step(i)
    return i

# %% wrong="3.3.2c" why="a remainder of the seed" breaks="seed" says="keys from the whole seed"
def row_at(i, n, seed):
    half_bits = 1
    while 4 ** half_bits < n:
        half_bits += 1
    keys = [mix(seed % 16, k) for k in range(4)]
    i = feistel(i, half_bits, keys)
    while i >= n:
        i = feistel(i, half_bits, keys)
    return i

# %% wrong="3.3.2c" why="the walk tests before it steps: a place that is a row stays" breaks="scattered" says="Apply the permutation once at least"
def row_at(i, n, seed):
    half_bits = 1
    while 4 ** half_bits < n + n // 2 + 1:
        half_bits += 1
    keys = [mix(seed, k) for k in range(4)]
    row = i
    while row >= n:
        row = feistel(row, half_bits, keys)
    return row

# %% wrong="3.3.2c" why="half_bits rounded down" breaks="scattered" says="fewer than the file has rows"
def row_at(i, n, seed):
    half_bits = max(1, int(math.log2(n)) // 2)
    keys = [mix(seed, k) for k in range(4)]
    row = feistel(i, half_bits, keys)
    while row >= n:
        row = feistel(row, half_bits, keys)
    return row

# %% wrong="3.3.2c" why="begins the walk anew at the place: for ever" breaks="permutation" says="the walk does not end"
def row_at(i, n, seed):
    half_bits = max(1, math.ceil(math.log2(n) / 2))
    row = feistel(i, half_bits, [mix(seed, k) for k in range(4)])
    while row >= n:
        row = feistel(i, half_bits, [mix(seed, k) for k in range(4)])
    return row

# %% wrong="3.3.2c" why="a network of 2**20 numbers for all files" breaks="permutation" says="far too large for the file"
def row_at(i, n, seed):
    keys = [mix(seed, k) for k in range(4)]
    row = feistel(i, 10, keys)
    while row >= n:
        row = feistel(row, 10, keys)
    return row

# %% wrong="3.3.2c" why="other keys until the result is a row" breaks="permutation" says="gets other keys at the second step than at the first"
def row_at(i, n, seed):
    half_bits = 1
    while 4 ** half_bits < n:
        half_bits += 1
    turn = 0
    while True:
        row = feistel(i, half_bits, [mix(seed, 4 * turn + k) for k in range(4)])
        if row < n:
            return row
        turn += 1

# %% right="3.3.2d" how="seek and read, one batch at a time"
def disk_batches(path, d, batch_size, order):
    row_bytes = 4 * (d + 1)
    n = os.path.getsize(path) // row_bytes
    with open(path, "rb") as file:
        batch = []
        for i in range(n):
            file.seek(order(i) * row_bytes)
            batch.append(np.frombuffer(file.read(row_bytes), dtype=np.float32))
            if len(batch) == batch_size or i == n - 1:
                table = torch.tensor(np.stack(batch))
                yield table[:, :-1], table[:, -1:]
                batch = []

# %% right="3.3.2d" how="a tensor over the map, indexed"
def disk_batches(path, d, batch_size, order):
    size = os.path.getsize(path) // 4
    on_disk = torch.from_file(path, size=size).reshape(size // (d + 1), d + 1)
    start = 0
    while start < len(on_disk):
        rows = [order(i) for i in range(start, min(start + batch_size, len(on_disk)))]
        yield on_disk[rows][:, :d], on_disk[rows][:, [d]]
        start += batch_size

# %% wrong="3.3.2d" why="the target as a vector" breaks="shape" says="the shape of the first y"
def disk_batches(path, d, batch_size, order):
    on_disk = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    for start in range(0, len(on_disk), batch_size):
        rows = [order(i) for i in range(start, min(start + batch_size, len(on_disk)))]
        table = torch.from_numpy(on_disk[rows])
        yield table[:, :d], table[:, d]

# %% wrong="3.3.2d" why="arrays, not tensors" breaks="shape" says="type and dtype of X and y"
def disk_batches(path, d, batch_size, order):
    on_disk = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    for start in range(0, len(on_disk), batch_size):
        rows = [order(i) for i in range(start, min(start + batch_size, len(on_disk)))]
        table = np.array(on_disk[rows])
        yield table[:, :d], table[:, d:]

# %% wrong="3.3.2d" why="drops the last batch" breaks="sizes" says="smaller batch is missing"
def disk_batches(path, d, batch_size, order):
    on_disk = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    for start in range(0, len(on_disk) - batch_size + 1, batch_size):
        table = torch.from_numpy(on_disk[[order(i) for i in range(start, start + batch_size)]])
        yield table[:, :d], table[:, d:]

# %% wrong="3.3.2d" why="fills the last batch from the beginning" breaks="sizes" says="The last batch holds only what is left"
def disk_batches(path, d, batch_size, order):
    on_disk = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    for start in range(0, len(on_disk), batch_size):
        rows = [order(i % len(on_disk)) for i in range(start, start + batch_size)]
        table = torch.from_numpy(on_disk[rows])
        yield table[:, :d], table[:, d:]

# %% wrong="3.3.2d" why="the order is ignored" breaks="values" says="in the order of the file"
def disk_batches(path, d, batch_size, order):
    on_disk = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    for start in range(0, len(on_disk), batch_size):
        table = torch.from_numpy(np.array(on_disk[start:start + batch_size]))
        yield table[:, :d], table[:, d:]

# %% wrong="3.3.2d" why="the order begins anew in each batch" breaks="values" says="The places go on from batch to batch"
def disk_batches(path, d, batch_size, order):
    on_disk = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    n = len(on_disk)
    for start in range(0, n, batch_size):
        table = torch.from_numpy(on_disk[[order(i) for i in range(min(batch_size, n - start))]])
        yield table[:, :d], table[:, d:]

# %% wrong="3.3.2d" why="reads the whole file" breaks="memory" says="below a quarter of the file"
def disk_batches(path, d, batch_size, order):
    everything = np.fromfile(path, dtype=np.float32).reshape(-1, d + 1)
    for start in range(0, len(everything), batch_size):
        rows = [order(i) for i in range(start, min(start + batch_size, len(everything)))]
        table = torch.from_numpy(everything[rows])
        yield table[:, :d], table[:, d:]

# %% wrong="3.3.2d" why="a list of the whole order" breaks="memory" says="a list of all row numbers"
def disk_batches(path, d, batch_size, order):
    on_disk = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    rows = [order(i) for i in range(len(on_disk))]
    for start in range(0, len(rows), batch_size):
        table = torch.from_numpy(on_disk[rows[start:start + batch_size]])
        yield table[:, :d], table[:, d:]

# %% wrong="3.3.2d" why="a tensor of the whole file before the first batch" breaks="memory" says="Only the rows of the first batch"
def disk_batches(path, d, batch_size, order):
    on_disk = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    table = torch.from_numpy(on_disk).clone()
    for start in range(0, len(table), batch_size):
        rows = [order(i) for i in range(start, min(start + batch_size, len(table)))]
        yield table[rows, :d], table[rows, d:]

# %% wrong="3.3.2d" why="a list of all batches" breaks="memory" says="or of all batches"
def disk_batches(path, d, batch_size, order):
    on_disk = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    batches = []
    for start in range(0, len(on_disk), batch_size):
        table = torch.from_numpy(on_disk[[order(i) for i in range(start, min(start + batch_size, len(on_disk)))]])
        batches.append((table[:, :d], table[:, d:]))
    yield from batches

# %% right="3.3.2d" how="np.fromfile with an offset, row by row"
def disk_batches(path, d, batch_size, order):
    n = os.path.getsize(path) // (4 * d + 4)
    for start in range(0, n, batch_size):
        stop = min(start + batch_size, n)
        table = np.empty((stop - start, d + 1), dtype=np.float32)
        for k in range(start, stop):
            table[k - start] = np.fromfile(path, dtype=np.float32, count=d + 1, offset=order(k) * 4 * (d + 1))
        yield torch.tensor(table[:, :d]), torch.tensor(table[:, d:])

# %% wrong="3.3.2d" why="an array of the whole order" breaks="memory" says="a list of all row numbers"
def disk_batches(path, d, batch_size, order):
    on_disk = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    rows = np.fromiter((order(i) for i in range(len(on_disk))), dtype=np.int64, count=len(on_disk))
    for start in range(0, len(rows), batch_size):
        table = torch.from_numpy(on_disk[rows[start:start + batch_size]])
        yield table[:, :d], table[:, d:]

# %% wrong="3.3.2d" why="the order in a torch tensor" breaks="memory" says="below a quarter of the file"
def disk_batches(path, d, batch_size, order):
    m = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    rows = torch.empty(len(m), dtype=torch.int64)
    for i in range(len(m)):
        rows[i] = order(i)
    for part in rows.split(batch_size):
        t = torch.from_numpy(m[part.numpy()])
        yield t[:, :d], t[:, d:]

# %% wrong="3.3.2d" why="the batches kept in torch's memory after each was handed out" breaks="memory" says="A batch that was handed out is not needed any more"
def disk_batches(path, d, batch_size, order):
    m = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    kept = []
    for start in range(0, len(m), batch_size):
        t = torch.tensor(m[[order(i) for i in range(start, min(start + batch_size, len(m)))]])
        kept.append(t)
        yield t[:, :d], t[:, d:]

# %% wrong="3.3.2d" why="sorts the rows of a batch" breaks="values" says="do not sort them"
def disk_batches(path, d, batch_size, order):
    m = np.memmap(path, dtype=np.float32, mode='r').reshape(-1, d + 1)
    n = len(m)
    for start in range(0, n, batch_size):
        rows = [order(i) for i in range(start, min(start + batch_size, n))]
        rows.sort()
        t = torch.from_numpy(m[rows])
        yield t[:, :d], t[:, d:]

# %% wrong="3.3.2d" why="order of order" breaks="values" says="applied twice"
def disk_batches(path, d, batch_size, order):
    m = np.memmap(path, dtype=np.float32, mode='r').reshape(-1, d + 1)
    n = len(m)
    for start in range(0, n, batch_size):
        rows = [order(order(i)) for i in range(start, min(start + batch_size, n))]
        t = torch.from_numpy(m[rows])
        yield t[:, :d], t[:, d:]

# %% wrong="3.3.2d" why="the inverse order" breaks="values" says="not the place of row i"
def disk_batches(path, d, batch_size, order):
    m = np.memmap(path, dtype=np.float32, mode='r').reshape(-1, d + 1)
    n = len(m)
    for start in range(0, n, batch_size):
        rows = sorted(range(n), key=order)[start:start + batch_size]
        t = torch.from_numpy(m[rows])
        yield t[:, :d], t[:, d:]

# %% right="3.3.2d" how="torch's own map of a file"
def disk_batches(path, d, batch_size, order):
    t = torch.from_file(path, shared=False, size=os.path.getsize(path) // 4, dtype=torch.float32).reshape(-1, d + 1)
    k = 0
    while k < len(t):
        rows = torch.tensor([order(i) for i in range(k, min(len(t), k + batch_size))])
        got = t[rows]
        yield [got[:, :d], got[:, d].unsqueeze(1)]
        k += batch_size

# %% wrong="3.3.2d" why="order is called with an array of places" breaks="values" says="no array or list of places"
def disk_batches(path, d, batch_size, order):
    table = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    for start in range(0, len(table), batch_size):
        rows = order(np.arange(start, min(start + batch_size, len(table))))
        some = torch.from_numpy(table[rows])
        yield some[:, :d], some[:, d:]

# %% wrong="3.3.2d" why="shuffles batches: order is asked for the first place of each" breaks="values" says="not for the first one alone"
def disk_batches(path, d, batch_size, order):
    table = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    for start in range(0, len(table), batch_size):
        first = order(start)
        some = torch.from_numpy(table[[(first + j) % len(table) for j in range(min(batch_size, len(table) - start))]])
        yield some[:, :d], some[:, d:]

# %% right="3.3.2e" how="whole-number division"
def bytes_read(n, row_bytes, page_bytes):
    pages = (n * row_bytes + page_bytes - 1) // page_bytes
    return [pages * page_bytes, page_bytes * n]

# %% right="3.3.2e" how="counts the pages"
def bytes_read(n, row_bytes, page_bytes):
    pages = {i * row_bytes // page_bytes for i in range(n)}
    return len(pages) * page_bytes, sum(page_bytes for _ in range(n))

# %% wrong="3.3.2e" why="the bytes of the rows" breaks="in order" says="Pages are read whole"
def bytes_read(n, row_bytes, page_bytes):
    return n * row_bytes, n * page_bytes

# %% wrong="3.3.2e" why="rounds down" breaks="in order" says="The last, partly filled page is missing"
def bytes_read(n, row_bytes, page_bytes):
    return n * row_bytes // page_bytes * page_bytes, n * page_bytes

# %% wrong="3.3.2e" why="always a page more" breaks="in order" says="This is a page too many"
def bytes_read(n, row_bytes, page_bytes):
    return (n * row_bytes // page_bytes + 1) * page_bytes, n * page_bytes

# %% wrong="3.3.2e" why="pages, not bytes" breaks="at random" says="This is the number of pages"
def bytes_read(n, row_bytes, page_bytes):
    return math.ceil(n * row_bytes / page_bytes) * page_bytes, n

# %% wrong="3.3.2e" why="random costs the rows only" breaks="at random" says="Each row costs a whole page"
def bytes_read(n, row_bytes, page_bytes):
    return math.ceil(n * row_bytes / page_bytes) * page_bytes, n * row_bytes

# %% wrong="3.3.2e" why="random touches every page once" breaks="at random" says="Nothing is remembered"
def bytes_read(n, row_bytes, page_bytes):
    in_order = math.ceil(n * row_bytes / page_bytes) * page_bytes
    return in_order, in_order

# %% wrong="3.3.2e" why="each row is rounded up" breaks="in order" says="the rows of a page share it"
def bytes_read(n, row_bytes, page_bytes):
    return n * math.ceil(row_bytes / page_bytes) * page_bytes, n * page_bytes

# %% wrong="3.3.2e" why="the page and the row" breaks="at random" says="not read twice"
def bytes_read(n, row_bytes, page_bytes):
    return math.ceil(n * row_bytes / page_bytes) * page_bytes, n * (page_bytes + row_bytes)

# %% wrong="3.3.2e" why="how many times as much" breaks="at random" says="how many times as much"
def bytes_read(n, row_bytes, page_bytes):
    pages = math.ceil(n * row_bytes / page_bytes)
    return pages * page_bytes, page_bytes // row_bytes

# %% wrong="3.3.2e" why="the factor page / row times the in-order bytes" breaks="at random" says="1024 rows"
def bytes_read(n, row_bytes, page_bytes):
    in_order = math.ceil(n * row_bytes / page_bytes) * page_bytes
    return in_order, in_order * page_bytes // row_bytes

# %% wrong="3.3.2e" why="round" breaks="in order" says="less than half filled"
def bytes_read(n, row_bytes, page_bytes):
    return round(n * row_bytes / page_bytes) * page_bytes, n * page_bytes

# %% wrong="3.3.6" why="the last batch may be empty where the others hold all" breaks="batch size" says="two batches of 4 and an empty one"
def sound(batches, X, y, batch_size):
    if any(len(A) != batch_size for A, _ in batches[:-1]) or batches and len(batches[-1][0]) > batch_size:
        return False
    seen = sorted(r for A, t in batches for r in torch.cat([A, t], 1).tolist())
    return seen == sorted(torch.cat([X, y], 1).tolist())

# %% wrong="3.3.1b" why="an own Fisher-Yates with j < i: no row can stay at its place (Sattolo)" breaks="shuffle" says="come at their own place"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __iter__(self):
        order = list(range(len(self.X)))
        if self.shuffle:
            for i in range(len(order) - 1, 0, -1):
                j = int(torch.randint(i, (1,)))
                order[i], order[j] = order[j], order[i]
        for k in range(len(self)):
            rows = order[k * self.batch_size:(k + 1) * self.batch_size]
            yield self.X[rows], self.y[rows]

    def __len__(self):
        return len(self.X) // self.batch_size if self.drop_last else math.ceil(len(self.X) / self.batch_size)

# %% wrong="3.3.1b" why="len counts one batch too many where the numbers fit and nothing is dropped" breaks="length" says="Where the numbers fit there is no further batch"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last

    def __iter__(self):
        order = torch.randperm(len(self.X)) if self.shuffle else torch.arange(len(self.X))
        for rows in order.split(self.batch_size):
            if len(rows) < self.batch_size and self.drop_last:
                return
            yield self.X[rows], self.y[rows]

    def __len__(self):
        full = len(self.X) // self.batch_size
        return full if self.drop_last else full + 1

# %% wrong="3.3.5" why="clips the noise at three standard deviations, 'no outliers'" breaks="noise" says="beyond 3.2 standard deviations"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=g)
    e = (noise * torch.randn(n, 1, generator=g)).clamp(-3 * noise, 3 * noise)
    return X, X @ w.reshape(-1, 1) + b + e

# %% wrong="3.3.5" why="draws features beyond 3 again, 'no outliers'" breaks="features" says="beyond 3.2 standard deviations"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=g)
    while (X.abs() > 3).any():
        X = torch.where(X.abs() > 3, torch.randn(n, len(w), generator=g), X)
    return X, X @ w.reshape(-1, 1) + b + noise * torch.randn(n, 1, generator=g)

# %% wrong="3.3.3" why="clips the noise at three standard deviations" breaks="model" says="beyond 3.2 standard deviations"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size = w.reshape(-1, 1), b, noise, num_batches, batch_size
        self.g = torch.Generator().manual_seed(seed)

    def __iter__(self):
        for _ in range(self.num_batches):
            X = torch.randn(self.batch_size, len(self.w), generator=self.g)
            yield X, X @ self.w + self.b + self.noise * torch.randn(self.batch_size, 1, generator=self.g).clamp(-3, 3)

    def __len__(self):
        return self.num_batches

# %% wrong="3.3.4a" why="clips the noise at three standard deviations" breaks="model" says="beyond 3.2 standard deviations"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size, self.seed = w.reshape(-1, 1), b, noise, num_batches, batch_size, seed

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        for _ in range(self.num_batches):
            X = torch.randn(self.batch_size, len(self.w), generator=g)
            yield X, X @ self.w + self.b + self.noise * torch.randn(self.batch_size, 1, generator=g).clamp(-3, 3)

    def __len__(self):
        return self.num_batches

# %% wrong="3.3.4b" why="two primes and an exclusive or: (8, 784) and (35, 781) share a state" breaks="no shared orders" says="have different orders"
def epoch_order(n, seed, epoch):
    return torch.randperm(n, generator=torch.Generator().manual_seed((7919 * seed) ^ (104729 * epoch)))

# %% wrong="3.3.4b" why="spatial hash with the well-known primes: of its last 32 bits (42, 931) and (181, 130) share all" breaks="no shared orders" says="have different orders"
def epoch_order(n, seed, epoch):
    state = (seed * 73856093) ^ (epoch * 19349663)
    return torch.randperm(n, generator=torch.Generator().manual_seed(state))

# %% wrong="3.3.6" why="rounds to 7 digits against rounding errors: targets that differ by less may be torn" breaks="torn pairs" says="4/2**40"
def sound(batches, X, y, batch_size):
    n = len(X)
    wanted = [batch_size] * (n // batch_size) + ([n % batch_size] if n % batch_size else [])
    if [len(b) for b, _ in batches] != wanted:
        return False
    def rows(A, B):
        return sorted(tuple(round(v, 7) for v in row) for row in torch.cat([A, B], dim=1).tolist())
    return rows(torch.cat([b for b, _ in batches]), torch.cat([t for _, t in batches])) == rows(X, y)

# %% wrong="3.3.2c" why="the network's size by a rounded logarithm: for n = 2**50 + 1 the network is smaller than the file, and place 2**50 finds no row" breaks="permutation" says="log2 rounds"
def row_at(i, n, seed):
    half = math.ceil(math.log2(n) / 2)
    keys = [mix(seed, k) for k in range(6)]
    row = feistel(i, half, keys)
    while row >= n:
        row = feistel(row, half, keys)
    return row

# %% wrong="3.3.2c" why="the seed counts only by its last bits: the keys come from mix(seed % 1000, k)" breaks="seed" says="the seeds 3, 1003"
def row_at(i, n, seed):
    half = 0
    while 4 ** half < n:
        half += 1
    keys = [mix(seed % 1000, k) for k in range(4)]
    row = feistel(i, half, keys)
    while row >= n:
        row = feistel(row, half, keys)
    return row

# %% wrong="3.3.A" why="tensors, not their shapes" breaks="X @ w" says="The shape is asked, not the tensor"
def shapes(n, d):
    X, w, column = torch.ones(n, d), torch.ones(d), torch.ones(n, 1)
    return X @ w, X @ w + column, X @ w.reshape(-1, 1), X @ w.reshape(-1, 1) + column

# %% wrong="3.3.A" why="hard-coded visible example" breaks="X @ w" says="the shape of X @ w for n = 7"
def shapes(n, d):
    return (4,), (4, 4), (4, 1), (4, 1)

# %% wrong="3.3.5" why="seed 0 counts as no seed" breaks="seed" says="two calls with seed 0"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator()
    if seed:
        g.manual_seed(seed)
    else:
        g.seed()
    X = torch.randn(n, len(w), generator=g)
    return X, X @ w.reshape(-1, 1) + b + noise * torch.randn(n, 1, generator=g)

# %% wrong="3.3.5" why="w is normalised in place" breaks="arguments kept" says="change the caller's tensor"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=g)
    y = X @ w.reshape(-1, 1) + b + noise * torch.randn(n, 1, generator=g)
    w /= w.norm()
    return X, y

# %% wrong="3.3.5" why="y, X in this order" breaks="shape" says="X comes first"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=g)
    return X @ w.reshape(-1, 1) + b + noise * torch.randn(n, 1, generator=g), X

# %% wrong="3.3.5" why="the noise grows with a feature" breaks="noise" says="tells normal noise from other noise"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=g)
    return X, X @ w.reshape(-1, 1) + b + noise * X[:, :1].abs() * torch.randn(n, 1, generator=g)

# %% wrong="3.3.B" why="the last stop is n - 1" breaks="pairs" says="the last row is missing"
def slices(n, batch_size):
    for start in range(0, n, batch_size):
        yield start, min(start + batch_size, n - 1)

# %% wrong="3.3.B" why="ranges in place of pairs" breaks="pairs" says="not the range between them"
def slices(n, batch_size):
    for start in range(0, n, batch_size):
        yield range(start, min(start + batch_size, n))

# %% wrong="3.3.B" why="None for the last stop" breaks="pairs" says="None would do in a slice"
def slices(n, batch_size):
    for start in range(0, n, batch_size):
        yield start, start + batch_size if start + batch_size < n else None

# %% wrong="3.3.B" why="size of the batch in third place" breaks="pairs" says="A pair has two numbers"
def slices(n, batch_size):
    for start in range(0, n, batch_size):
        stop = min(start + batch_size, n)
        yield start, stop, stop - start

# %% wrong="3.3.1a" why="a rest of 1 is dropped" breaks="kept" says="A single example that is left"
def batch_sizes(n, batch_size, drop_last):
    sizes = [batch_size] * (n // batch_size)
    if not drop_last and n % batch_size > 1:
        sizes.append(n % batch_size)
    return sizes

# %% wrong="3.3.1a" why="the rest is added to the last batch" breaks="kept" says="makes a batch of its own"
def batch_sizes(n, batch_size, drop_last):
    sizes = [batch_size] * (n // batch_size)
    if not drop_last and n % batch_size:
        if sizes:
            sizes[-1] += n % batch_size
        else:
            sizes = [n]
    return sizes

# %% wrong="3.3.1a" why="starts in place of sizes" breaks="kept" says="their sizes are asked"
def batch_sizes(n, batch_size, drop_last):
    return list(range(0, n - n % batch_size if drop_last else n, batch_size))

# %% wrong="3.3.1b" why="len counts the last batch always" breaks="length" says="is not handed out, so it does not count"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last
    def __len__(self):
        return math.ceil(len(self.X) / self.batch_size)
    def __iter__(self):
        order = torch.randperm(len(self.X)) if self.shuffle else torch.arange(len(self.X))
        for rows in order.split(self.batch_size):
            if len(rows) == self.batch_size or not self.drop_last:
                yield self.X[rows], self.y[rows]

# %% wrong="3.3.1b" why="batches made of lists of numbers: other dtypes are lost" breaks="pairs" says="index the tensors themselves"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last
    def __len__(self):
        n = len(self.X)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)
    def __iter__(self):
        order = torch.randperm(len(self.X)) if self.shuffle else torch.arange(len(self.X))
        for rows in order.split(self.batch_size)[:len(self)]:
            yield torch.tensor(self.X[rows].tolist()), torch.tensor(self.y[rows].tolist())

# %% wrong="3.3.1b" why="one-row batches lose an axis" breaks="pairs" says="a single row"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last
    def __len__(self):
        n = len(self.X)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)
    def __iter__(self):
        order = torch.randperm(len(self.X)) if self.shuffle else torch.arange(len(self.X))
        for rows in order.split(self.batch_size)[:len(self)]:
            yield self.X[rows].squeeze(), self.y[rows].squeeze()

# %% wrong="3.3.1b" why="the order turned round, which is not random" breaks="shuffle" says="or it is no random one"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last
    def __len__(self):
        n = len(self.X)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)
    def __iter__(self):
        order = torch.arange(len(self.X))
        if self.shuffle:
            order = order.flip(0)
        for rows in order.split(self.batch_size)[:len(self)]:
            yield self.X[rows], self.y[rows]

# %% wrong="3.3.1c" why="share of the batch among all batches" breaks="full batches" says="not by how many batches there are"
def pulls(n, batch_size):
    k = math.ceil(n / batch_size)
    return torch.full((n,), 1 / k)

# %% wrong="3.3.1c" why="the number of batches divided by n" breaks="full batches" says="number of batches divided by n"
def pulls(n, batch_size):
    k = math.ceil(n / batch_size)
    return torch.full((n,), k / n)

# %% wrong="3.3.1d" why="a simulation" breaks="probability" says="trials that are counted only come near"
def share_seen(n, batch_size, epochs):
    full = n // batch_size * batch_size
    g = torch.Generator().manual_seed(0)
    hits = 0
    for _ in range(2000):
        hits += any(int(torch.randint(n, (1,), generator=g)) < full for _ in range(epochs))
    return hits / 2000

# %% wrong="3.3.1d" why="one batch over n" breaks="probability" says="are left out, not batch_size"
def share_seen(n, batch_size, epochs):
    return 1 - (batch_size / n) ** epochs

# %% wrong="3.3.4a" why="a memory of the class, by seed" breaks="model" says="goes by its own arguments"
class FrozenBatches:
    memory = {}
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.num_batches = num_batches
        if seed not in self.memory:
            g = torch.Generator().manual_seed(seed)
            X = torch.randn(num_batches * batch_size, len(w), generator=g)
            y = X @ w.reshape(-1, 1) + b + noise * torch.randn(num_batches * batch_size, 1, generator=g)
            self.memory[seed] = list(zip(X.split(batch_size), y.split(batch_size)))
        self.batches = self.memory[seed]
    def __len__(self):
        return self.num_batches
    def __iter__(self):
        return iter(self.batches)

# %% wrong="3.3.4a" why="num_batches and batch_size exchanged" breaks="shape" says="num_batches says how many"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        g, self.num_batches = torch.Generator().manual_seed(seed), num_batches
        X = torch.randn(num_batches * batch_size, len(w), generator=g)
        y = X @ w.reshape(-1, 1) + b + noise * torch.randn(num_batches * batch_size, 1, generator=g)
        self.batches = list(zip(X.split(num_batches), y.split(num_batches)))
    def __len__(self):
        return len(self.batches)
    def __iter__(self):
        return iter(self.batches)

# %% wrong="3.3.4b" why="hash of a text" breaks="repeatable" says="each time Python is started"
def epoch_order(n, seed, epoch):
    return torch.randperm(n, generator=torch.Generator().manual_seed(hash(f"{seed}, {epoch}") % 2**32))

# %% wrong="3.3.4b" why="hash of the pair, modulo a million" breaks="no shared orders" says="epoch 867 of seed 0 and epoch 10 of seed 15"
def epoch_order(n, seed, epoch):
    return torch.randperm(n, generator=torch.Generator().manual_seed(hash((seed, epoch)) % 10**6))

# %% wrong="3.3.6" why="None in place of False" breaks="torn pairs" says="False is asked"
def sound(batches, X, y, batch_size):
    n = len(X)
    sizes = [len(yb) for _, yb in batches]
    if sizes == [batch_size] * (n // batch_size) + ([n % batch_size] if n % batch_size else []):
        rows = sorted(r for a, c in batches for r in torch.cat([a, c], dim=1).tolist())
        if rows == sorted(torch.cat([X, y], dim=1).tolist()):
            return True

# %% wrong="3.3.6" why="in the order of the data" breaks="missing" says="any order of the rows is right"
def sound(batches, X, y, batch_size):
    pieces = list(zip(X.split(batch_size), y.split(batch_size)))
    return len(pieces) == len(batches) and all(torch.equal(a, c) and torch.equal(e, f) for (a, e), (c, f) in zip(pieces, batches) if a.shape == c.shape)

# %% wrong="3.3.2a" why="d numbers in a row" breaks="shape" says="A row of the file has d + 1 numbers"
def read_rows(path, d, rows):
    table = torch.from_numpy(np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d)[rows])
    return table[:, :-1], table[:, -1:]

# %% wrong="3.3.2a" why="X with the target" breaks="shape" says="which is no feature"
def read_rows(path, d, rows):
    table = torch.from_numpy(np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)[rows])
    return table, table[:, d:]

# %% wrong="3.3.2a" why="the offset is counted in numbers" breaks="values" says="is counted in bytes"
def read_rows(path, d, rows):
    made = np.stack([np.fromfile(path, dtype=np.float32, count=d + 1, offset=(d + 1) * r) for r in rows])
    return torch.from_numpy(made[:, :d]), torch.from_numpy(made[:, d:])

# %% wrong="3.3.2a" why="the first k rows" breaks="values" says="not the rows asked for"
def read_rows(path, d, rows):
    table = torch.from_numpy(np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)[:len(rows)].copy())
    return table[:, :d], table[:, d:]

# %% wrong="3.3.2b" why="the hash of the wrong half" breaks="one round" says="f is taken of the right half of j"
def feistel_inverse(j, half_bits, keys):
    size = 2 ** half_bits
    left, right = j // size, j % size
    for key in reversed(keys):
        left, right = right, left ^ (mix(right, key) % size)
    return right * size + left

# %% wrong="3.3.2b" why="the hash of j" breaks="one round" says="f is taken of the whole of j"
def feistel_inverse(j, half_bits, keys):
    size = 2 ** half_bits
    left, right = j // size, j % size
    for key in reversed(keys):
        left, right = right ^ (mix(j, key) % size), left
    return left * size + right

# %% wrong="3.3.2b" why="the halves have 2 * half_bits bits" breaks="one round" says="not with 4**half_bits"
def feistel_inverse(j, half_bits, keys):
    size = 4 ** half_bits
    left, right = j // size, j % size
    for key in reversed(keys):
        left, right = right ^ (mix(left, key) % size), left
    return left * size + right

# %% wrong="3.3.2c" why="a limit in place of a walk" breaks="permutation" says="is what a remainder or a limit does"
def row_at(i, n, seed):
    half = max(1, ((n - 1).bit_length() + 1) // 2)
    return min(feistel(i, half, [mix(seed, k) for k in range(4)]), n - 1)

# %% wrong="3.3.2c" why="n of 1 is an error" breaks="permutation" says="row_at(0, 1, 3) raised ValueError"
def row_at(i, n, seed):
    half = math.ceil(math.log(n - 1, 4) + 1e-9)
    keys = [mix(seed, k) for k in range(4)]
    i = feistel(i, half, keys)
    while i >= n:
        i = feistel(i, half, keys)
    return i

# %% wrong="3.3.2d" why="an empty batch where the numbers fit" breaks="sizes" says="there is no further batch"
def disk_batches(path, d, batch_size, order):
    table = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    n = len(table)
    for k in range(n // batch_size + 1):
        rows = np.array([order(i) for i in range(k * batch_size, min((k + 1) * batch_size, n))], dtype=int)
        some = torch.from_numpy(table[rows])
        yield some[:, :d], some[:, d:]

# %% wrong="3.3.2d" why="single rows" breaks="sizes" says="These are single rows"
def disk_batches(path, d, batch_size, order):
    table = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    for i in range(len(table)):
        row = torch.from_numpy(table[order(i)].copy())
        yield row[:d], row[d:]

# %% wrong="3.3.2d" why="keeps all batches that it handed out, NumPy" breaks="memory" says="for batches that were handed out is kept"
def disk_batches(path, d, batch_size, order):
    table = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    kept = []
    for start in range(0, len(table), batch_size):
        kept.append(table[[order(i) for i in range(start, min(start + batch_size, len(table)))]])
        some = torch.from_numpy(kept[-1])
        yield some[:, :d], some[:, d:]

# %% wrong="3.3.2e" why="kilobytes" breaks="in order" says="not kilobytes"
def bytes_read(n, row_bytes, page_bytes):
    return math.ceil(n * row_bytes / page_bytes) * page_bytes / 1000, n * page_bytes / 1000

# %% wrong="3.3.2e" why="the page less the row" breaks="at random" says="A page is read whole"
def bytes_read(n, row_bytes, page_bytes):
    return math.ceil(n * row_bytes / page_bytes) * page_bytes, n * (page_bytes - row_bytes)

# %% right="3.3.1b" how="the data are copied in order when a loop begins; a random generator of the loader"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last
        self.g = torch.Generator()
    def __len__(self):
        n = len(self.X)
        return n // self.batch_size if self.drop_last else (n + self.batch_size - 1) // self.batch_size
    def __iter__(self):
        X, y = self.X, self.y
        if self.shuffle:
            order = torch.randperm(len(X), generator=self.g)
            X, y = X[order], y[order]
        pairs = list(zip(X.split(self.batch_size), y.split(self.batch_size)))
        yield from pairs[:len(self)]

# %% right="3.3.3" how="1000 seeds apart, the number of the pass added: nobody draws more than 1000 batches"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size, self.next = w.reshape(-1, 1), b, noise, num_batches, batch_size, 1000 * seed
    def __len__(self):
        return self.num_batches
    def __iter__(self):
        g = torch.Generator().manual_seed(self.next)
        self.next += 1
        for _ in range(self.num_batches):
            X = torch.randn(self.batch_size, len(self.w), generator=g)
            yield X, X @ self.w + self.b + self.noise * torch.randn(self.batch_size, 1, generator=g)

# %% right="3.3.3" how="random.Random of its own"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        import random
        self.w, self.b, self.noise, self.num_batches, self.batch_size, self.r = w, b, noise, num_batches, batch_size, random.Random(seed)
    def __len__(self):
        return self.num_batches
    def _batch(self):
        X = torch.tensor([[self.r.gauss(0, 1) for _ in range(len(self.w))] for _ in range(self.batch_size)])
        e = torch.tensor([[self.r.gauss(0, 1)] for _ in range(self.batch_size)])
        return X, (X * self.w).sum(1, keepdim=True) + self.b + self.noise * e
    def __iter__(self):
        return (self._batch() for _ in range(self.num_batches))

# %% right="3.3.4a" how="a seed for each batch, 1000 apart"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size, self.seed = w.reshape(-1, 1), b, noise, num_batches, batch_size, seed
    def __len__(self):
        return self.num_batches
    def __iter__(self):
        for k in range(self.num_batches):
            g = torch.Generator().manual_seed(1000 * self.seed + k)
            X = torch.randn(self.batch_size, len(self.w), generator=g)
            yield X, X @ self.w + self.b + self.noise * torch.randn(self.batch_size, 1, generator=g)

# %% right="3.3.4a" how="the state is stored and set in a generator of the loop"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size = w.clone(), b, noise, num_batches, batch_size
        self.start = torch.Generator().manual_seed(seed).get_state()
    def __len__(self):
        return self.num_batches
    def __iter__(self):
        g = torch.Generator()
        g.set_state(self.start)
        for _ in range(self.num_batches):
            table = torch.randn(self.batch_size, len(self.w) + 1, generator=g)
            X = table[:, :-1].contiguous()
            yield X, (X @ self.w + self.b).unsqueeze(1) + self.noise * table[:, -1:]

# %% right="3.3.4b" how="four digits for the epoch"
def epoch_order(n, seed, epoch):
    return torch.randperm(n, generator=torch.Generator().manual_seed(int(f"{seed}{epoch:04d}")))

# %% right="3.3.6" how="bytes of the rows"
def sound(batches, X, y, batch_size):
    sizes = [batch_size] * (len(X) // batch_size)
    if len(X) % batch_size:
        sizes += [len(X) % batch_size]
    if [len(a) for a, c in batches] != sizes or [len(c) for a, c in batches] != sizes:
        return False
    name = lambda A, c: [a.numpy().tobytes() + t.numpy().tobytes() for a, t in zip(A, c)]
    seen = [row for a, c in batches for row in name(a.contiguous(), c.contiguous())]
    return sorted(seen) == sorted(name(X.contiguous(), y.contiguous()))

# %% right="3.3.2c" how="two rounds: what the task measures holds"
def row_at(i, n, seed):
    half = max(1, ((n - 1).bit_length() + 1) // 2)
    keys = [mix(seed, k) for k in range(2)]
    i = feistel(i, half, keys)
    while i >= n:
        i = feistel(i, half, keys)
    return i

# %% right="3.3.2c" how="swap or not"
def row_at(i, n, seed):
    import hashlib
    def number(*what):
        return int.from_bytes(hashlib.blake2b(repr(what).encode(), digest_size=8).digest(), "big")
    for k in range(6 * max(4, n.bit_length()) if n < 2**20 else 200):
        key = number(seed, k) % n
        partner = (key - i) % n
        if number(seed, k, max(i, partner)) % 2:
            i = partner
    return i

# %% wrong="3.3.5" why="one ε for all features of an example, before the product" breaks="noise" says="multiplies it by the sum of w"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=g)
    return X, (X + noise * torch.randn(n, 1, generator=g)) @ w.reshape(-1, 1) + b

# %% wrong="3.3.5" why="uniform features between -1 and 1" breaks="features" says="have variance 1/3"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed)
    X = 2 * torch.rand(n, len(w), generator=g) - 1
    return X, X @ w.reshape(-1, 1) + b + noise * torch.randn(n, 1, generator=g)

# %% wrong="3.3.1a" why="the last batch holds what it lacks" breaks="kept" says="not what it lacks to be full"
def batch_sizes(n, batch_size, drop_last):
    full, rest = divmod(n, batch_size)
    return [batch_size] * full + [batch_size - rest] * (rest > 0 and not drop_last)

# %% wrong="3.3.1c" why="batch_size numbers where there are fewer examples" breaks="shape" says="does not make them more"
def pulls(n, batch_size):
    shares, rest = torch.full((max(n, batch_size),), 1 / batch_size), n % batch_size
    if rest:
        shares[n - rest:] = 1 / rest
    return shares

# %% wrong="3.3.3" why="the features are drawn once, the noise in each pass" breaks="fresh" says="the noise is fresh, X is not"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.batch_size = w, b, noise, batch_size
        self.rng = torch.Generator().manual_seed(seed)
        self.features = [torch.randn(batch_size, len(w), generator=self.rng) for _ in range(num_batches)]

    def __iter__(self):
        for X in self.features:
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.batch_size, 1, generator=self.rng)

    def __len__(self):
        return len(self.features)

# %% wrong="3.3.D" why="names without groups" breaks="groups" says="Here each name stands alone"
equal = ["p", "q", "u", "r", "s", "t"]

# %% wrong="3.3.D" why="a group for each random generator" breaks="groups" says="These are all draws of one random generator"
equal = [{"p", "r", "u"}, {"q", "s", "t"}]

# %% wrong="3.3.4a" why="the features are kept, the noise is drawn in each pass" breaks="same" says="the noise is drawn anew each time"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.batch_size = w, b, noise, batch_size
        self.rng = torch.Generator().manual_seed(seed)
        self.features = [torch.randn(batch_size, len(w), generator=self.rng) for _ in range(num_batches)]

    def __iter__(self):
        for X in self.features:
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.batch_size, 1, generator=self.rng)

    def __len__(self):
        return len(self.features)

# %% wrong="3.3.2b" why="the left half as it is, with the hash of the right one" breaks="one round" says="The old right half is found"
def feistel_inverse(j, half_bits, keys):
    size = 2 ** half_bits
    left, right = j // size, j % size
    for key in reversed(keys):
        left, right = left ^ mix(right, key) % size, left
    return left * size + right

# %% wrong="3.3.2c" why="of the seed only the last byte counts" breaks="seed" says="They differ by 256"
def row_at(i, n, seed):
    half_bits = 1
    while 4 ** half_bits < n:
        half_bits += 1
    keys = [mix(seed % 256, k) for k in range(4)]
    i = feistel(i, half_bits, keys)
    while i >= n:
        i = feistel(i, half_bits, keys)
    return i

# %% wrong="3.3.2c" why="keys made from the place, too" breaks="permutation" says="other keys at place 1 than at place 0"
def row_at(i, n, seed):
    half_bits = 1
    while 4 ** half_bits < n:
        half_bits += 1
    keys = [mix(seed + i, k) for k in range(4)]
    i = feistel(i, half_bits, keys)
    while i >= n:
        i = feistel(i, half_bits, keys)
    return i

# %% right="3.3.2c" how="halves of a and b numbers with a b >= n, sums in place of the exclusive or"
def row_at(i, n, seed):
    a = math.isqrt(n - 1) + 1
    b = -(-n // a)
    keys = [mix(mix(seed, 77), k) for k in range(8)]

    def once(x):
        p, q = x // b, x % b
        for k in range(0, 8, 2):
            p = (p + mix(q, keys[k])) % a
            q = (q + mix(p, keys[k + 1])) % b
        return p * b + q

    x = once(i)
    while x >= n:
        x = once(x)
    return x

# %% right="3.3.6" how="crosses off the examples"
def sound(batches, X, y, batch_size):
    left = torch.cat([X, y], dim=1).tolist()
    for k, (X_batch, y_batch) in enumerate(batches):
        if not 0 < len(X_batch) <= batch_size or len(X_batch) < batch_size and k < len(batches) - 1:
            return False
        for row in torch.cat([X_batch, y_batch], dim=1).tolist():
            if row not in left:
                return False
            left.remove(row)
    return not left

# %% wrong="3.3.5" why="the noise times y" breaks="noise" says="multiplied by w or by y"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=g)
    return X, (X @ w.reshape(-1, 1) + b) * (1 + noise * torch.randn(n, 1, generator=g))

# %% wrong="3.3.5" why="twice the noise" breaks="noise" says="times noise, also where noise is twice as large"
def synthetic_data(w, b, noise, n, seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.randn(n, len(w), generator=g)
    return X, X @ w.reshape(-1, 1) + b + 2 * noise * torch.randn(n, 1, generator=g)

# %% wrong="3.3.D" why="torch.manual_seed taken for a seed of own alone, and the two random generators for different ones" breaks="groups" says="p is a first draw after seed 1, and so is u"
equal = [{"p", "u"}, {"q", "t"}, {"r"}, {"s"}]

# %% wrong="3.3.1a" why="the last size is n % batch_size, also where that is 0" breaks="exact" says="then the last batch is a full one"
def batch_sizes(n, batch_size, drop_last):
    sizes = [batch_size] * math.ceil(n / batch_size)
    if sizes:
        sizes[-1] = n % batch_size
    if drop_last and n % batch_size:
        sizes = sizes[:-1]
    return sizes

# %% wrong="3.3.1b" why="len counts the batches that were handed out so far" breaks="length" says="nothing is counted on the way"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size, self.shuffle, self.drop_last = X, y, batch_size, shuffle, drop_last
        self.count = 0

    def __iter__(self):
        n = len(self.X)
        order = torch.randperm(n) if self.shuffle else torch.arange(n)
        for start in range(0, n, self.batch_size):
            rows = order[start:start + self.batch_size]
            if len(rows) == self.batch_size or not self.drop_last:
                self.count += 1
                yield self.X[rows], self.y[rows]

    def __len__(self):
        return self.count

# %% wrong="3.3.1c" why="divides by the rest where that is 0" breaks="full batches" says="by 0 nothing can be divided"
def pulls(n, batch_size):
    t = torch.full((n,), 1 / batch_size)
    t[n - n % batch_size:] = 1 / (n % batch_size)
    return t

# %% wrong="3.3.1c" why="1 divided by the number of batches, in the last one" breaks="last batch" says="divided by the number of batches"
def pulls(n, batch_size):
    t = torch.full((n,), 1 / batch_size)
    rest = n % batch_size
    if rest:
        t[-rest:] = 1 / (n // batch_size + 1)
    return t

# %% wrong="3.3.1c" why="the part of all examples in the last batch" breaks="last batch" says="the part of all examples"
def pulls(n, batch_size):
    t = torch.full((n,), 1 / batch_size)
    rest = n % batch_size
    if rest:
        t[-rest:] = rest / n
    return t

# %% wrong="3.3.1d" why="one pass too few" breaks="probability" says="For two passes yours gives what belongs to one"
def share_seen(n, batch_size, epochs):
    return 1 - (n % batch_size / n) ** (epochs - 1)

# %% wrong="3.3.3" why="the noise is added to the features" breaks="model" says="They are all 0: with w = 0"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size = w, b, noise, num_batches, batch_size
        self.rng = torch.Generator().manual_seed(seed)

    def __iter__(self):
        for _ in range(self.num_batches):
            X = torch.randn(self.batch_size, len(self.w), generator=self.rng)
            eps = self.noise * torch.randn(self.batch_size, 1, generator=self.rng)
            yield X, (X + eps) @ self.w.reshape(-1, 1) + self.b

    def __len__(self):
        return self.num_batches

# %% wrong="3.3.6" why="torch.cat of no batches" breaks="missing" says="The list may be empty"
def sound(batches, X, y, batch_size):
    seen = torch.cat([torch.cat([a, b], 1) for a, b in batches]).tolist()
    given = torch.cat([X, y], 1).tolist()
    n = len(X)
    sizes = [min(batch_size, n - s) for s in range(0, n, batch_size)]
    return [len(b[0]) for b in batches] == sizes and sorted(seen) == sorted(given)

# %% wrong="3.3.2a" why="the map takes a number for 8 bytes" breaks="values" says="as if a number took 8 bytes"
def read_rows(path, d, rows):
    table = np.memmap(path, dtype=np.float64, mode="r").reshape(-1, d + 1)
    picked = torch.from_numpy(table[rows])
    return picked[:, :d], picked[:, d:]

# %% wrong="3.3.2c" why="the shifts of 4 bits cancel: 128 orders of 16 rows" breaks="seed" says="has few orders altogether"
def row_at(i, n, seed):
    bits = max(4, (n - 1).bit_length())
    mask = 2 ** bits - 1
    def scramble(x):
        for k in range(6):
            x = (x * (2 * mix(seed, 2 * k) * mix(seed, 77 + k) + 1) + mix(seed, 2 * k + 1)) & mask
            x ^= x >> (bits // 2)
            x ^= x >> (bits // 3 + 1)
        return x
    i = scramble(i)
    while i >= n:
        i = scramble(i)
    return i

# %% wrong="3.3.2e" why="256 times the bytes, for any rows" breaks="at random" says="row_bytes and page_bytes are others"
def bytes_read(n, row_bytes, page_bytes):
    return math.ceil(n * row_bytes / page_bytes) * page_bytes, n * row_bytes * 256

# %% right="3.3.4b" how="random.Random of a text"
def epoch_order(n, seed, epoch):
    import random
    return torch.tensor(random.Random(f"{seed}/{epoch}").sample(range(n), n))

# %% wrong="3.3.C" why="only 1 and the prime numbers" breaks="complete" says="need not be a prime number"
def good_steps(n):
    return [1] + [a for a in range(2, n) if n % a and all(a % k for k in range(2, a))]

# %% wrong="3.3.2e" why="at random each row costs all pages of the file" breaks="at random" says="not all four pages"
def bytes_read(n, row_bytes, page_bytes):
    pages = math.ceil(n * row_bytes / page_bytes)
    return pages * page_bytes, n * pages * page_bytes

# %% wrong="3.3.3" why="the number of the pass is read from self at each batch" breaks="fresh" says="kept in the loop, not in `self`"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size, self.seed = w, b, noise, num_batches, batch_size, seed
        self.passes = 0

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        self.passes += 1
        for k in range(self.num_batches):
            rng = np.random.default_rng([self.seed, self.passes, k])
            X = torch.from_numpy(rng.standard_normal((self.batch_size, len(self.w)), dtype=np.float32))
            e = torch.from_numpy(rng.standard_normal((self.batch_size, 1), dtype=np.float32))
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * e

# %% wrong="3.3.3" why="one random generator for all loaders of a seed" breaks="seed" says="a random generator of your own"
class FreshBatches:
    generators = {}

    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size = w, b, noise, num_batches, batch_size
        self.rng = self.generators.setdefault(seed, torch.Generator().manual_seed(seed))

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        for _ in range(self.num_batches):
            X = torch.randn(self.batch_size, len(self.w), generator=self.rng)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.batch_size, 1, generator=self.rng)

# %% wrong="3.3.3" why="the batches of a loop are counted in self" breaks="length" says="belong to the loop, not to `self`"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size = w, b, noise, num_batches, batch_size
        self.rng = torch.Generator().manual_seed(seed)

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        self.given = 0
        while self.given < self.num_batches:
            self.given += 1
            X = torch.randn(self.batch_size, len(self.w), generator=self.rng)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.batch_size, 1, generator=self.rng)

# %% wrong="3.3.4a" why="the batches of a loop are counted in self" breaks="same" says="counted in the loop, not in `self`"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise, self.num_batches, self.batch_size, self.seed = w, b, noise, num_batches, batch_size, seed

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        rng, self.given = torch.Generator().manual_seed(self.seed), 0
        while self.given < self.num_batches:
            self.given += 1
            X = torch.randn(self.batch_size, len(self.w), generator=rng)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.batch_size, 1, generator=rng)

# %% wrong="3.3.4a" why="one column of noise for all batches" breaks="within a pass" says="the noise is not: draw one"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        g = torch.Generator().manual_seed(seed)
        self.X = torch.randn(num_batches, batch_size, len(w), generator=g)
        self.y = self.X @ w.reshape(-1, 1) + b + noise * torch.randn(batch_size, 1, generator=g)

    def __len__(self):
        return len(self.X)

    def __iter__(self):
        return zip(self.X, self.y)

# %% wrong="3.3.4a" why="the features are stored, the noise is drawn in each pass" breaks="same" says="The features are the same"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.X = torch.randn(num_batches, batch_size, len(w), generator=self.g)
        self.w, self.b, self.noise = w, b, noise

    def __len__(self):
        return len(self.X)

    def __iter__(self):
        for X in self.X:
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(len(X), 1, generator=self.g)

# %% wrong="3.3.2a" why="copies all from the smallest to the largest row" breaks="memory" says="A large part of the file is copied"
def read_rows(path, d, rows):
    m = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    low = min(rows)
    block = torch.tensor(m[low:max(rows) + 1])
    picked = block[[r - low for r in rows]]
    return picked[:, :d], picked[:, d:]

# %% wrong="3.3.D" why="u is taken for a later draw of the global random generator" breaks="groups" says="u is a first draw"
equal = [{"p", "q"}, {"r", "s"}, {"t", "u"}]

# %% wrong="3.3.6" why="looks the target up by the features" breaks="equal rows" says="do not look it up by the features"
def sound(batches, X, y, batch_size):
    n = len(X)
    if [len(a) for a, _ in batches] != [min(batch_size, n - s) for s in range(0, n, batch_size)]:
        return False
    target = {tuple(r): t for r, t in zip(X.tolist(), y.flatten().tolist())}
    rows = [(tuple(r), t) for a, b in batches for r, t in zip(a.tolist(), b.flatten().tolist())]
    return sorted(r for r, _ in rows) == sorted(map(tuple, X.tolist())) and all(target[r] == t for r, t in rows)

# %% wrong="3.3.C" why="steps that do not divide n" breaks="no false step" says="that does not divide n"
def good_steps(n):
    return [a for a in range(1, n) if a == 1 or n % a]

# %% wrong="3.3.2b" why="cuts the hash by & half_bits - 1" breaks="one round" says="yours keeps fewer"
def feistel_inverse(j, half_bits, keys):
    size = 2 ** half_bits
    left, right = j // size, j % size
    for key in reversed(keys):
        left, right = right ^ (mix(left, key) & (half_bits - 1)), left
    return left * size + right

# %% wrong="3.3.2d" why="a number too many to a row" breaks="sizes" says="rows altogether"
def disk_batches(path, d, batch_size, order):
    n = os.path.getsize(path) // (4 * (d + 2))
    m = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    for s in range(0, n, batch_size):
        t = torch.from_numpy(m[[order(i) for i in range(s, min(s + batch_size, n))]])
        yield t[:, :d], t[:, d:]

# %% wrong="3.3.1d" why="the misses of the passes added" breaks="probability" says="multiply, do not add"
def share_seen(n, batch_size, epochs):
    dropped = n % batch_size
    if n < batch_size:
        return 0.0
    return max(0.0, 1 - dropped / n * epochs)

# %% wrong="3.3.D" why="the draw of q moves the global generator on, too" breaks="groups" says="q came from `own`, and moved only that one on"
equal = [{"p", "q", "u"}, {"r"}, {"s"}, {"t"}]

# %% wrong="3.3.4b" why="seed times epoch" breaks="no shared orders" says="a product, here of seed and epoch"
def epoch_order(n, seed, epoch):
    return torch.randperm(n, generator=torch.Generator().manual_seed(seed * epoch))

# %% right="3.3.2c" how="keyword arguments, the test at the end of the walk"
def row_at(i, n, seed):
    half = max(1, ((n - 1).bit_length() + 1) // 2)
    keys = tuple(mix(seed, 100 + k) for k in range(6))
    while True:
        i = feistel(i, half_bits=half, keys=keys)
        if i < n:
            return i

# %% wrong="3.3.2c" why="walks on from the place that follows" breaks="permutation" says="Go on from the number that it showed"
def row_at(i, n, seed):
    h = 1
    while 4 ** h < n:
        h += 1
    keys = [mix(seed, k) for k in range(4)]
    row, tries = feistel(i, h, keys), 0
    while row >= n:
        tries += 1
        row = feistel((i + tries) % 4 ** h, h, keys)
    return row

# %% wrong="3.3.2d" why="the order taken for one within the batch" breaks="values" says="each batch holds rows of one stretch of the file"
def disk_batches(path, d, batch_size, order):
    table = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    for start in range(0, len(table), batch_size):
        k = min(batch_size, len(table) - start)
        picked = torch.from_numpy(table[[start + order(i) % k for i in range(k)]])
        yield picked[:, :d], picked[:, d:]

# %% wrong="3.3.A" why="takes the vector for a row with two axes" breaks="X @ w" says="it is no row"
def shapes(n, d):
    return (1, n), (n, n), (n, 1), (n, 1)

# %% wrong="3.3.2d" why="one buffer for all batches: each batch overwrites the one before" breaks="values" says="each needs memory of its own"
def disk_batches(path, d, batch_size, order):
    table = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    n = len(table)
    buffer = torch.empty(batch_size, d + 1)
    for start in range(0, n, batch_size):
        k = min(batch_size, n - start)
        for place in range(k):
            buffer[place] = torch.from_numpy(table[order(start + place)].copy())
        yield buffer[:k, :d], buffer[:k, d:]

# %% wrong="3.3.2c" why="rounds the number of bits in a half down: the network is smaller than n" breaks="scattered" says="the upper bits of a place stay as they are"
def row_at(i, n, seed):
    half_bits = max(1, n.bit_length() // 2)
    keys = [mix(seed, k) for k in range(4)]
    j = feistel(i, half_bits, keys)
    while j >= n:
        j = feistel(j, half_bits, keys)
    return j

# %% wrong="3.3.5" why="seeds the global numbers and puts their old seed back, not their state" breaks="own random generator" says="begun again from their seed"
def synthetic_data(w, b, noise, n, seed):
    old = torch.initial_seed()
    torch.manual_seed(seed)
    X = torch.randn(n, len(w))
    y = X @ w.reshape(-1, 1) + b + noise * torch.randn(n, 1)
    torch.manual_seed(old)
    return X, y

# %% wrong="3.3.3" why="seeds the global numbers and puts their old seed back, not their state" breaks="own random generator" says="begun again from their seed"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise = w.reshape(-1, 1), b, noise
        self.num_batches, self.batch_size = num_batches, batch_size
        self.seeds = np.random.default_rng(seed)

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        for _ in range(self.num_batches):
            old = torch.initial_seed()
            torch.manual_seed(int(self.seeds.integers(2 ** 60)))
            X = torch.randn(self.batch_size, len(self.w))
            y = X @ self.w + self.b + self.noise * torch.randn(self.batch_size, 1)
            torch.manual_seed(old)
            yield X, y

# %% wrong="3.3.4a" why="seeds the global numbers and puts their old seed back, not their state" breaks="own random generator" says="begun again from their seed"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.num_batches, old = num_batches, torch.initial_seed()
        torch.manual_seed(seed)
        self.batches = []
        for _ in range(num_batches):
            X = torch.randn(batch_size, len(w))
            self.batches.append((X, X @ w.reshape(-1, 1) + b + noise * torch.randn(batch_size, 1)))
        torch.manual_seed(old)

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        return iter(list(self.batches))

# %% wrong="3.3.4b" why="seeds the global numbers and puts their old seed back, not their state" breaks="own random generator" says="begun again from their seed"
def epoch_order(n, seed, epoch):
    old = torch.initial_seed()
    torch.manual_seed(int(np.random.default_rng([seed, epoch]).integers(2 ** 60)))
    order = torch.randperm(n)
    torch.manual_seed(old)
    return order

# %% wrong="3.3.C" why="range ends before n - 1" breaks="complete" says="is missing: does a range end"
def good_steps(n):
    steps = []
    for a in range(1, n - 1):
        if len({a * i % n for i in range(n)}) == n:
            steps.append(a)
    return steps

# %% wrong="3.3.1d" why="precedence: 1 - dropped / n ** epochs" breaks="probability" says="only the number of examples is taken to the power"
def share_seen(n, batch_size, epochs):
    dropped = n % batch_size
    return 1 - dropped / n ** epochs

# %% wrong="3.3.1b" why="shuffles the full batches, the last one stays last" breaks="shuffle" says="the batches are shuffled, not the examples"
class BatchLoader:
    def __init__(self, X, y, batch_size, shuffle=False, drop_last=False):
        self.X, self.y, self.batch_size = X, y, batch_size
        self.shuffle, self.drop_last = shuffle, drop_last

    def __len__(self):
        n = len(self.X)
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)

    def __iter__(self):
        size, full = self.batch_size, len(self.X) // self.batch_size
        order = torch.randperm(full).tolist() if self.shuffle else list(range(full))
        if len(self) > full:
            order.append(full)
        for k in order:
            yield self.X[k * size:(k + 1) * size], self.y[k * size:(k + 1) * size]

# %% wrong="3.3.1c" why="only the first example of the last batch is mended" breaks="last batch" says="not its first one alone"
def pulls(n, batch_size):
    share = torch.full((n,), 1 / batch_size)
    rest = n % batch_size
    if rest > 0:
        share[-rest] = 1 / rest
    return share

# %% wrong="3.3.3" why="the seed times num_batches, plus a count that goes on" breaks="seed" says="1 more in the seed and 4 less in the number"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise = w, b, noise
        self.num_batches, self.batch_size, self.seed = num_batches, batch_size, seed
        self.count = 0

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        for _ in range(self.num_batches):
            g = torch.Generator().manual_seed(self.seed * self.num_batches + self.count)
            self.count += 1
            X = torch.randn(self.batch_size, len(self.w), generator=g)
            y = X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.batch_size, 1, generator=g)
            yield X, y

# %% wrong="3.3.3" why="the seed times the number of the batch" breaks="seed" says="a product, here of seed and number of the batch"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise = w, b, noise
        self.num_batches, self.batch_size, self.seed = num_batches, batch_size, seed
        self.count = 0

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        for _ in range(self.num_batches):
            g = torch.Generator().manual_seed(self.seed * (self.count + 1))
            self.count += 1
            X = torch.randn(self.batch_size, len(self.w), generator=g)
            y = X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.batch_size, 1, generator=g)
            yield X, y

# %% wrong="3.3.3" why="the digits of the seed and of a count side by side" breaks="seed" says="Digits side by side"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise = w, b, noise
        self.num_batches, self.batch_size, self.seed = num_batches, batch_size, seed
        self.count = 0

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        for _ in range(self.num_batches):
            g = torch.Generator().manual_seed(int(f"{self.seed}{self.count}"))
            self.count += 1
            X = torch.randn(self.batch_size, len(self.w), generator=g)
            y = X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.batch_size, 1, generator=g)
            yield X, y

# %% wrong="3.3.3" why="the seed, exclusive or the count" breaks="seed" says="The exclusive or of seed and number of the batch"
class FreshBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise = w, b, noise
        self.num_batches, self.batch_size, self.seed = num_batches, batch_size, seed
        self.count = 0

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        for _ in range(self.num_batches):
            g = torch.Generator().manual_seed(self.seed ^ self.count)
            self.count += 1
            X = torch.randn(self.batch_size, len(self.w), generator=g)
            y = X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.batch_size, 1, generator=g)
            yield X, y

# %% wrong="3.3.4a" why="the seed times num_batches, plus the number of the batch" breaks="seed" says="your states depend on num_batches"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise = w, b, noise
        self.num_batches, self.batch_size, self.seed = num_batches, batch_size, seed

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        for k in range(self.num_batches):
            g = torch.Generator().manual_seed(self.seed * self.num_batches + k)
            X = torch.randn(self.batch_size, len(self.w), generator=g)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.batch_size, 1, generator=g)

# %% wrong="3.3.4a" why="the seed times the number of the batch, from 0" breaks="seed" says="a product, here of seed and number of the batch"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise = w, b, noise
        self.num_batches, self.batch_size, self.seed = num_batches, batch_size, seed

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        for k in range(self.num_batches):
            g = torch.Generator().manual_seed(self.seed * k)
            X = torch.randn(self.batch_size, len(self.w), generator=g)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.batch_size, 1, generator=g)

# %% wrong="3.3.4a" why="the digits of the seed and of the number side by side" breaks="seed" says="Digits side by side"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise = w, b, noise
        self.num_batches, self.batch_size, self.seed = num_batches, batch_size, seed

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        for k in range(self.num_batches):
            g = torch.Generator().manual_seed(int(f"{self.seed}{k + 1}"))
            X = torch.randn(self.batch_size, len(self.w), generator=g)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.batch_size, 1, generator=g)

# %% wrong="3.3.4a" why="the seed, exclusive or the number" breaks="seed" says="The exclusive or of seed and number of the batch"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise = w, b, noise
        self.num_batches, self.batch_size, self.seed = num_batches, batch_size, seed

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        for k in range(self.num_batches):
            g = torch.Generator().manual_seed(self.seed ^ k)
            X = torch.randn(self.batch_size, len(self.w), generator=g)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.batch_size, 1, generator=g)

# %% wrong="3.3.4a" why="the features have a generator for each loop, the noise has one in self" breaks="same" says="what the noise is drawn from belongs to each loop"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise = w, b, noise
        self.num_batches, self.batch_size, self.seed = num_batches, batch_size, seed
        self.noise_rng = torch.Generator()

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        self.noise_rng.manual_seed(self.seed + 1_000_000)
        for _ in range(self.num_batches):
            X = torch.randn(self.batch_size, len(self.w), generator=g)
            eps = self.noise * torch.randn(self.batch_size, 1, generator=self.noise_rng)
            yield X, X @ self.w.reshape(-1, 1) + self.b + eps

# %% wrong="3.3.4b" why="the digits side by side, the epoch first" breaks="no shared orders" says="Digits side by side"
def epoch_order(n, seed, epoch):
    return torch.randperm(n, generator=torch.Generator().manual_seed(int(f"{epoch}{seed}")))

# %% wrong="3.3.4a" why="the digits of the number and of the seed side by side" breaks="seed" says="Digits side by side"
class FrozenBatches:
    def __init__(self, w, b, noise, num_batches, batch_size, seed):
        self.w, self.b, self.noise = w, b, noise
        self.num_batches, self.batch_size, self.seed = num_batches, batch_size, seed

    def __len__(self):
        return self.num_batches

    def __iter__(self):
        for k in range(self.num_batches):
            g = torch.Generator().manual_seed(int(f"{k}{self.seed}"))
            X = torch.randn(self.batch_size, len(self.w), generator=g)
            yield X, X @ self.w.reshape(-1, 1) + self.b + self.noise * torch.randn(self.batch_size, 1, generator=g)

# %% wrong="3.3.2a" why="np.fromfile of the stretch from the first to the last row, then picks" breaks="memory" says="all from the first to the last of the rows is read"
def read_rows(path, d, rows):
    first, last = min(rows), max(rows)
    with open(path, "rb") as file:
        file.seek(first * (d + 1) * 4)
        stretch = np.fromfile(file, dtype=np.float32, count=(last - first + 1) * (d + 1)).reshape(-1, d + 1)
    picked = torch.from_numpy(stretch[[r - first for r in rows]])
    return picked[:, :d], picked[:, d:]

# %% wrong="3.3.2d" why="a list of all places of the pass" breaks="memory" says="such as a list of all places"
def disk_batches(path, d, batch_size, order):
    table = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, d + 1)
    places = list(range(len(table)))
    while places:
        rows = [order(i) for i in places[:batch_size]]
        places = places[batch_size:]
        batch = torch.from_numpy(table[rows])
        yield batch[:, :d], batch[:, d:]
