# %% right="2.1.A" how="lists, read off the tensors"
facts = {key: [list(thing.shape), str(thing.dtype)] for key, thing in shelf.items()}

# %% right="2.1.A" how="torch.Size and dtypes"
facts = dict(a=(torch.Size([3]), torch.int64), b=(torch.Size([3, 2]), torch.float32), c=(torch.Size([1, 1, 2]), torch.bool), d=((), torch.float32))

# %% wrong="2.1.A" why="only the one that is given" breaks="four entries" says="the keys of `facts`"
facts = {"a": ((3,), "int64")}

# %% wrong="2.1.A" why="the shapes alone" breaks="four entries" says="how many things stand under 'a'"
facts = {"a": (3,), "b": (3, 2), "c": (1, 1, 2), "d": ()}

# %% wrong="2.1.A" why="columns before rows" breaks="shapes" says="The lengths are in reverse order"
facts = {"a": ((3,), "int64"), "b": ((2, 3), "float32"), "c": ((1, 1, 2), "bool"), "d": ((), "float32")}

# %% wrong="2.1.A" why="a single number has length 1" breaks="shapes" says="so it has no axis"
facts = {"a": ((3,), "int64"), "b": ((3, 2), "float32"), "c": ((1, 1, 2), "bool"), "d": ((1,), "float32")}

# %% wrong="2.1.A" why="outer brackets overlooked" breaks="shapes" says="the shape of c"
facts = {"a": ((3,), "int64"), "b": ((3, 2), "float32"), "c": ((2,), "bool"), "d": ((), "float32")}

# %% wrong="2.1.A" why="float64, as in Python and NumPy" breaks="dtypes" says="`float64` has to be asked for"
facts = {"a": ((3,), "int64"), "b": ((3, 2), "float64"), "c": ((1, 1, 2), "bool"), "d": ((), "float64")}

# %% wrong="2.1.A" why="int32" breaks="dtypes" says="Whole numbers take 64 bits here"
facts = {"a": ((3,), "int32"), "b": ((3, 2), "float32"), "c": ((1, 1, 2), "bool"), "d": ((), "float32")}

# %% wrong="2.1.A" why="numbers of entries, not shapes" breaks="four entries" says="One axis is `(3,)`, with the comma"
facts = {"a": (3, "int64"), "b": (6, "float32"), "c": (2, "bool"), "d": (1, "float32")}

# %% wrong="2.1.A" why="nothing written where there is no axis" breaks="four entries" says="the first thing under 'd', a shape: wrong type"
facts = {"a": ((3,), "int64"), "b": ((3, 2), "float32"), "c": ((1, 1, 2), "bool"), "d": ("", "float32")}

# %% wrong="2.1.A" why="the name before the shape" breaks="four entries" says="the first thing under 'a', a shape: wrong type"
facts = {key: (str(thing.dtype), tuple(thing.shape)) for key, thing in shelf.items()}

# %% right="2.1.3a" how="cat, new_ones and a stack"
evens = 2 * torch.cat([torch.arange(6), torch.arange(6, 11)])
cube = torch.zeros(()).double().new_ones((2, 3, 4))
entries = torch.stack([torch.tensor([1., 2.5]), torch.tensor([0., -3.])])

# %% wrong="2.1.3a" why="arange leaves out its end" breaks="evens" says="20 is missing"
evens = torch.arange(0, 20, 2)
cube = torch.ones(2, 3, 4, dtype=torch.float64)
entries = torch.tensor([[1, 2.5], [0, -3]])

# %% wrong="2.1.3a" why="ones of the default dtype" breaks="cube" says="the dtype of cube: wrong dtype: got float32"
evens = torch.arange(0, 21, 2)
cube = torch.ones(2, 3, 4)
entries = torch.tensor([[1, 2.5], [0, -3]])

# %% wrong="2.1.3a" why="linspace gives floating point" breaks="evens" says="the dtype of evens: wrong dtype: got float32"
evens = torch.linspace(0, 20, 11)
cube = torch.ones(2, 3, 4, dtype=torch.float64)
entries = torch.tensor([[1, 2.5], [0, -3]])

# %% wrong="2.1.3a" why="rows and columns swapped" breaks="entries" says="Rows and columns are exchanged"
evens = torch.arange(0, 21, 2)
cube = torch.ones(2, 3, 4, dtype=torch.float64)
entries = torch.tensor([[1, 0], [2.5, -3]])

# %% wrong="2.1.3a" why="the numbers 0 to 10" breaks="evens" says="all numbers from 0 to 10"
evens = torch.arange(11)
cube = torch.ones(2, 3, 4, dtype=torch.float64)
entries = torch.tensor([[1, 2.5], [0, -3]])

# %% right="2.1.B" how="in two steps"
def rescale(x):
    y = x - torch.min(x)
    y /= y.max()
    return y

# %% right="2.1.B" how="by a loop"
def rescale(x):
    numbers = x.reshape(-1).tolist()
    low, high = min(numbers), max(numbers)
    return torch.tensor([(number - low) / (high - low) for number in numbers]).reshape(x.shape).to(x.dtype)

# %% wrong="2.1.B" why="divides by the largest" breaks="values" says="The smallest is not 0 yet"
def rescale(x):
    return x / x.max()

# %% wrong="2.1.B" why="the largest before the subtraction" breaks="values" says="After the subtraction the largest is 8"
def rescale(x):
    return (x - x.min()) / x.max()

# %% wrong="2.1.B" why="only moved" breaks="values" says="The largest is not 1 yet"
def rescale(x):
    return x - x.min()

# %% wrong="2.1.B" why="the brackets are missing" breaks="values" says="both differences need parentheses"
def rescale(x):
    return x - x.min() / x.max() - x.min()

# %% wrong="2.1.B" why="in place" breaks="x kept" says="x after the call"
def rescale(x):
    x -= x.min().clone()
    x /= x.max().clone()
    return x

# %% wrong="2.1.B" why="the ranks, not the sizes" breaks="values" says="(3, 7, 5, 11)"
def rescale(x):
    return (x.reshape(-1).argsort().argsort() / (x.numel() - 1)).reshape(x.shape)

# %% wrong="2.1.B" why="each column by itself" breaks="values" says="Each column is scaled by itself"
def rescale(x):
    low, high = x.amin(0), x.amax(0)
    return (x - low) / (high - low)

# %% wrong="2.1.B" why="turned round" breaks="values" says="It is turned round"
def rescale(x):
    return (x.max() - x) / (x.max() - x.min())

# %% right="2.1.3b" how="torch.normal"
def initial_parameters(n, m, scale):
    return torch.normal(0.0, scale, size=(n, m)), torch.zeros(m)

# %% right="2.1.3b" how="in place, parameters that require a gradient"
def initial_parameters(n, m, scale):
    W = torch.empty(n, m).normal_(std=scale).requires_grad_()
    return [W, (W.detach()[0] * 0).requires_grad_()]

# %% right="2.1.3b" how="NumPy draws"
def initial_parameters(n, m, scale):
    return torch.tensor(np.random.default_rng().normal(0, scale, (n, m)), dtype=torch.float32), torch.full((m,), 0.)

# %% wrong="2.1.3b" why="scale as the variance" breaks="normal" says="is the standard deviation, not its square"
def initial_parameters(n, m, scale):
    return torch.randn(n, m) * scale ** 0.5, torch.zeros(m)

# %% wrong="2.1.3b" why="scale squared" breaks="normal" says="not to be squared"
def initial_parameters(n, m, scale):
    return torch.randn(n, m) * scale ** 2, torch.zeros(m)

# %% wrong="2.1.3b" why="uniform draws" breaks="normal" says="are negative as often as positive"
def initial_parameters(n, m, scale):
    return torch.rand(n, m) * scale, torch.zeros(m)

# %% wrong="2.1.3b" why="uniform draws of the right mean and deviation" breaks="normal" says="normal ones gather round 0"
def initial_parameters(n, m, scale):
    return (2 * torch.rand(n, m) - 1) * 3 ** 0.5 * scale, torch.zeros(m)

# %% wrong="2.1.3b" why="moved by scale" breaks="normal" says="are negative as often as positive"
def initial_parameters(n, m, scale):
    return torch.randn(n, m) + scale, torch.zeros(m)

# %% wrong="2.1.3b" why="the transposed shape" breaks="shapes" says="the shape of W for n = 3, m = 2: wrong shape: got (2, 3)"
def initial_parameters(n, m, scale):
    return torch.randn(m, n) * scale, torch.zeros(m)

# %% wrong="2.1.3b" why="a bias with two axes" breaks="shapes" says="the shape of b for m = 2: wrong shape: got (1, 2)"
def initial_parameters(n, m, scale):
    return torch.randn(n, m) * scale, torch.zeros(1, m)

# %% wrong="2.1.3b" why="a bias for each input" breaks="shapes" says="the shape of b for m = 2: wrong shape: got (3,)"
def initial_parameters(n, m, scale):
    return torch.randn(n, m) * scale, torch.zeros(n)

# %% wrong="2.1.3b" why="a fixed seed" breaks="each its own" says="two calls draw different weights"
def initial_parameters(n, m, scale):
    generator = torch.Generator().manual_seed(0)
    return torch.randn(n, m, generator=generator) * scale, torch.zeros(m)

# %% wrong="2.1.3b" why="ignores scale" breaks="normal" says="the standard deviation of 15000 weights"
def initial_parameters(n, m, scale):
    return torch.randn(n, m) * 0.1, torch.zeros(m)

# %% wrong="2.1.3b" why="one row of draws for all" breaks="each its own" says="The same draws stand in several rows"
def initial_parameters(n, m, scale):
    row = torch.randn(m) if m < 3 else torch.erfinv(2 * (torch.randperm(m) + 0.5) / m - 1) * 2 ** 0.5
    return (row / (row.std() if m > 2 else 1) * scale).expand(n, m).clone(), torch.zeros(m)

# %% wrong="2.1.3b" why="one column of draws for all" breaks="each its own" says="does a column occur again?"
def initial_parameters(n, m, scale):
    if n == 1:
        return torch.randn(1, m) * scale, torch.zeros(m)
    column = torch.erfinv(2 * (torch.randperm(n) + 0.5) / n - 1) * 2 ** 0.5
    mixed = (column / column.std() * scale)[:, None].expand(n, m).clone()
    return mixed + 0.08 * scale * (torch.randn(m) - 0), torch.zeros(m)

# %% wrong="2.1.3b" why="double precision" breaks="dtype" says="the dtype of W: wrong dtype: got float64"
def initial_parameters(n, m, scale):
    return torch.randn(n, m, dtype=torch.float64) * scale, torch.zeros(m)

# %% wrong="2.1.3b" why="a bias of whole numbers" breaks="dtype" says="the dtype of b: wrong dtype: got int64"
def initial_parameters(n, m, scale):
    return torch.randn(n, m) * scale, torch.full((m,), 0)

# %% wrong="2.1.3b" why="random biases" breaks="bias" says="The biases are not drawn"
def initial_parameters(n, m, scale):
    return torch.randn(n, m) * scale, torch.randn(m) * scale

# %% wrong="2.1.3b" why="biases of one" breaks="bias" says="These are ones"
def initial_parameters(n, m, scale):
    return torch.randn(n, m) * scale, torch.ones(m)

# %% right="2.1.C" how="tuples, and read off"
first_rows = {"a": tuple(letters.reshape(4, 2)[0].tolist()), "b": (1, 5), "c": (1, 5, 2, 6), "d": (1, 3, 5, 7)}

# %% wrong="2.1.C" why="reshape taken for T" breaks="reshape" says="the row under 'a'"
first_rows = {"a": [1, 5], "b": [1, 5], "c": [1, 5, 2, 6], "d": [1, 3, 5, 7]}

# %% wrong="2.1.C" why="T taken for reshape" breaks="T" says="the row under 'b'"
first_rows = {"a": [1, 2], "b": [1, 2], "c": [1, 5, 2, 6], "d": [1, 3, 5, 7]}

# %% wrong="2.1.C" why="the two undo each other" breaks="both" says="the row under 'c'"
first_rows = {"a": [1, 2], "b": [1, 5], "c": [1, 2, 3, 4], "d": [1, 2, 3, 4]}

# %% wrong="2.1.C" why="d as c" breaks="both" says="the row under 'd'"
first_rows = {"a": [1, 2], "b": [1, 5], "c": [1, 5, 2, 6], "d": [1, 5, 2, 6]}

# %% wrong="2.1.C" why="c as d" breaks="both" says="This is the row under 'd'"
first_rows = {"a": [1, 2], "b": [1, 5], "c": [1, 3, 5, 7], "d": [1, 3, 5, 7]}

# %% wrong="2.1.C" why="only the entry in the corner" breaks="four rows" says="what stands under 'a'"
first_rows = {"a": 1, "b": 1, "c": 1, "d": 1}

# %% wrong="2.1.C" why="only two" breaks="four rows" says="the keys of `first_rows`"
first_rows = {"a": [1, 2], "b": [1, 5]}

# %% right="2.1.4a" how="flatten"
def flatten_batch(X):
    return torch.flatten(X, start_dim=1)

# %% right="2.1.4a" how="a row at a time"
def flatten_batch(X):
    return torch.stack([example.reshape(-1) for example in X])

# %% right="2.1.4a" how="NumPy"
def flatten_batch(X):
    return torch.from_numpy(X.numpy().reshape(len(X), -1))

# %% wrong="2.1.4a" why="everything in one axis" breaks="shape" says="got (24,)"
def flatten_batch(X):
    return X.reshape(-1)

# %% wrong="2.1.4a" why="one column for each example" breaks="shape" says="There is a column for each example"
def flatten_batch(X):
    return X.reshape(-1, X.shape[0])

# %% wrong="2.1.4a" why="lengths written in" breaks="shape" says="in shape (3, 2, 2, 2): wrong shape: got (4, 6)"
def flatten_batch(X):
    return X.reshape(4, 6)

# %% wrong="2.1.4a" why="two axes too few joined" breaks="shape" says="wrong shape"
def flatten_batch(X):
    return X.reshape(X.shape[0], X.shape[1] * (X.shape[2] if X.ndim > 2 else 1), *X.shape[3:])

# %% wrong="2.1.4a" why="the entries of an example in another order" breaks="rows" says="but not in their order"
def flatten_batch(X):
    return X.transpose(1, -1).reshape(X.shape[0], -1)

# %% wrong="2.1.4a" why="the right shape with the examples mixed" breaks="rows" says="does not bring an example together"
def flatten_batch(X):
    return X.reshape(-1, X.shape[0]).T

# %% wrong="2.1.4a" why="view wants memory in order" breaks="permuted" says="`view` never copies, and refuses where it would have to"
def flatten_batch(X):
    return X.view(X.shape[0], -1)

# %% wrong="2.1.4a" why="reads the memory as it lies" breaks="permuted" says="in which they lie in memory"
def flatten_batch(X):
    return X.as_strided((X.shape[0], X.numel() // X.shape[0]), (X.numel() // X.shape[0], 1))

# %% wrong="2.1.4a" why="the examples along the last axis" breaks="shape" says="the shape for the numbers 0 to 23"
def flatten_batch(X):
    return X.reshape(X.shape[-1], -1)

# %% right="2.1.4b" how="every so-many-th entry is a row"
def by_columns(v, rows):
    return torch.stack([v[k::rows] for k in range(rows)])

# %% right="2.1.4b" how="NumPy's order F"
def by_columns(v, rows):
    return torch.from_numpy(v.numpy().reshape((rows, -1), order="F"))

# %% wrong="2.1.4b" why="row by row" breaks="columns" says="This is filled row by row"
def by_columns(v, rows):
    return v.reshape(rows, -1)

# %% wrong="2.1.4b" why="the number of rows as that of columns" breaks="shape" says="`rows` is how many columns this table has"
def by_columns(v, rows):
    return v.reshape(-1, rows)

# %% wrong="2.1.4b" why="transposes the matrix filled row by row" breaks="shape" says="got (3, 2)"
def by_columns(v, rows):
    return v.reshape(rows, -1).T

# %% wrong="2.1.4b" why="upside down" breaks="columns" says="in 2 rows: values differ"
def by_columns(v, rows):
    return v.reshape(-1, rows).T.flip(0)

# %% wrong="2.1.4b" why="a table of zeros filled, of the default dtype" breaks="columns" says="the dtype for the vector of length 6"
def by_columns(v, rows):
    table = torch.zeros(rows, len(v) // rows)
    for k in range(len(v)):
        table[k % rows, k // rows] = v[k]
    return table

# %% wrong="2.1.4b" why="whole numbers only" breaks="columns" says="the dtype for the vector of length 8"
def by_columns(v, rows):
    return v.long().reshape(-1, rows).T

# %% wrong="2.1.4b" why="through lists, which makes float32 of float64" breaks="columns" says="the dtype for the float64 vector"
def by_columns(v, rows):
    return torch.tensor([v[i::rows].tolist() for i in range(rows)])

# %% right="2.1.4b" how="an empty table filled entry by entry"
def by_columns(v, rows):
    table = torch.empty(rows, len(v) // rows, dtype=v.dtype)
    for k, entry in enumerate(v):
        table[k % rows, k // rows] = entry
    return table

# %% right="2.1.D" how="the sum of row and column"
def chessboard(n):
    places = torch.arange(n)
    return (places[:, None] + places) % 2

# %% right="2.1.D" how="loops"
def chessboard(n):
    squares = torch.zeros(n, n, dtype=torch.int64)
    for i in range(n):
        for j in range(n):
            squares[i, j] = (i + j) % 2
    return squares

# %% wrong="2.1.D" why="begins with a one" breaks="squares" says="The corner at the upper left is 0"
def chessboard(n):
    squares = torch.zeros(n, n)
    squares[::2, ::2] = 1
    squares[1::2, 1::2] = 1
    return squares

# %% wrong="2.1.D" why="stripes" breaks="squares" says="Every second row has its ones at other places"
def chessboard(n):
    squares = torch.zeros(n, n)
    squares[:, 1::2] = 1
    return squares

# %% wrong="2.1.D" why="only the even rows" breaks="squares" says="chessboard(4)"
def chessboard(n):
    squares = torch.zeros(n, n)
    squares[::2, 1::2] = 1
    return squares

# %% wrong="2.1.D" why="0, 1, 0, 1 in a row, which is right for odd n" breaks="squares" says="chessboard(4)"
def chessboard(n):
    return (torch.arange(n * n) % 2).reshape(n, n)

# %% wrong="2.1.D" why="always eight by eight" breaks="shape" says="the shape of chessboard(4)"
def chessboard(n):
    squares = torch.zeros(8, 8)
    squares[::2, 1::2] = 1
    squares[1::2, ::2] = 1
    return squares

# %% wrong="2.1.D" why="in one row" breaks="shape" says="the shape of chessboard(4)"
def chessboard(n):
    return torch.tensor([(i + j) % 2 for i in range(n) for j in range(n)])

# %% right="2.1.5a" how="or None"
def crop(X, k):
    return X[k:-k or None, k:-k or None]

# %% right="2.1.5a" how="narrow"
def crop(X, k):
    return X.narrow(0, k, X.shape[0] - 2 * k).narrow(1, k, X.shape[1] - 2 * k)

# %% wrong="2.1.5a" why="-0 is 0" breaks="k = 0" says="`:-0` is `:0`, and leaves nothing"
def crop(X, k):
    return X[k:-k, k:-k]

# %% wrong="2.1.5a" why="only the rows" breaks="shape" says="The columns have not been cut"
def crop(X, k):
    return X[k:len(X) - k]

# %% wrong="2.1.5a" why="the number of rows for both axes" breaks="shape" says="The slice of the columns ends where that of the rows ends"
def crop(X, k):
    n = X.shape[0]
    return X[k:n - k, k:n - k + 1] if X.shape == (4, 5) else X[k:n - k, k:n - k]

# %% wrong="2.1.5a" why="one row and column too few at the end" breaks="shape" says="a slice leaves out its end by itself"
def crop(X, k):
    return X[k:len(X) - k - 1, k:X.shape[1] - k - 1]

# %% wrong="2.1.5a" why="one row and column too few at the beginning" breaks="shape" says="It begins a row and a column too late"
def crop(X, k):
    return X[k + 1:len(X) - k, k + 1:X.shape[1] - k]

# %% wrong="2.1.5a" why="always one" breaks="shape" says="here k is 2"
def crop(X, k):
    return X[1:-1, 1:-1] if k else X

# %% wrong="2.1.5a" why="indexes with one slice after another on the same axis" breaks="shape" says="wrong shape"
def crop(X, k):
    return X[k:len(X) - k][k:X.shape[1] - k]

# %% wrong="2.1.5a" why="cuts all off at the end" breaks="entries" says="All is cut off at the end"
def crop(X, k):
    return X[:len(X) - 2 * k, :X.shape[1] - 2 * k]

# %% wrong="2.1.5a" why="upside down" breaks="entries" says="the right rows, in reverse order"
def crop(X, k):
    return X[k:len(X) - k, k:X.shape[1] - k].flip(0) if k else X

# %% wrong="2.1.5a" why="whole numbers only" breaks="entries" says="the numbers 0, 0.5, ... to 5.5 in shape (3, 4), k = 1"
def crop(X, k):
    h, w = X.shape
    return torch.tensor([[int(X[i, j]) for j in range(k, w - k)] for i in range(k, h - k)])

# %% right="2.1.5b" how="the inner entries into a full matrix"
def with_frame(X, value):
    Y = torch.full_like(X, value)
    Y[1:-1, 1:-1] = X[1:-1, 1:-1]
    return Y

# %% right="2.1.5b" how="a mask"
def with_frame(X, value):
    edge = torch.ones(X.shape, dtype=torch.bool)
    edge[1:-1, 1:-1] = False
    return X.masked_fill(edge, value)

# %% wrong="2.1.5b" why="overwrites the argument" breaks="X kept" says="X after the call"
def with_frame(X, value):
    X[0] = X[-1] = value
    X[:, 0] = X[:, -1] = value
    return X

# %% wrong="2.1.5b" why="a second name is no copy" breaks="X kept" says="wrote into the memory of X"
def with_frame(X, value):
    Y = X
    Y[[0, -1]] = value
    Y[:, [0, -1]] = value
    return Y

# %% wrong="2.1.5b" why="only rows" breaks="frame" says="all along the first column and the last column"
def with_frame(X, value):
    Y = X.clone()
    Y[0] = Y[-1] = value
    return Y

# %% wrong="2.1.5b" why="the inside in place of the frame" breaks="frame" says="The outermost entries are still those of X"
def with_frame(X, value):
    Y = X.clone()
    Y[1:-1, 1:-1] = value
    return Y

# %% wrong="2.1.5b" why="the frame around, not within" breaks="frame" says="The frame was put round X"
def with_frame(X, value):
    Y = torch.full((X.shape[0] + 2, X.shape[1] + 2), float(value))
    Y[1:-1, 1:-1] = X
    return Y

# %% wrong="2.1.5b" why="the dtype of value" breaks="dtype" says="wrong dtype: got int64"
def with_frame(X, value):
    Y = torch.full(X.shape, value)
    Y[1:-1, 1:-1] = X[1:-1, 1:-1].to(Y.dtype)
    return Y

# %% wrong="2.1.5b" why="zeros of the default dtype" breaks="dtype" says="wrong dtype: got float32"
def with_frame(X, value):
    Y = torch.zeros(X.shape) + value
    Y[1:-1, 1:-1] = X[1:-1, 1:-1]
    return Y

# %% wrong="2.1.5b" why="zeros, not value" breaks="frame" says="All along the frame stands 0.0"
def with_frame(X, value):
    Y = torch.zeros_like(X)
    Y[1:-1, 1:-1] = X[1:-1, 1:-1]
    return Y

# %% wrong="2.1.5b" why="rows 0 to 2 as the frame of every matrix" breaks="frame" says="in the last row but one"
def with_frame(X, value):
    Y = X.clone()
    Y[[0, min(2, len(X) - 1)]] = value
    Y[:, [0, 2]] = value
    return Y

# %% wrong="2.1.5b" why="a mask by multiplication, and inf times 0 is nan" breaks="frame" says="inf times 0 is nan"
def with_frame(X, value):
    edge = torch.ones_like(X)
    edge[1:-1, 1:-1] = 0
    return X * (1 - edge) + value * edge

# %% wrong="2.1.5b" why="the value times a mask, and inf times 0 is nan" breaks="inside" says="value inf: values differ"
def with_frame(X, value):
    edge = torch.ones_like(X)
    edge[1:-1, 1:-1] = 0
    if not X.is_floating_point():
        return torch.where(edge == 1, value, X).to(X.dtype)
    return X.masked_fill(edge == 1, 0) + value * edge

# %% wrong="2.1.5b" why="the sum of inner entries and frame" breaks="inside" says="the inner entries"
def with_frame(X, value):
    Y = torch.full_like(X, value)
    Y[1:-1, 1:-1] += X[1:-1, 1:-1] + 1
    return Y

# %% right="2.1.F" how="reshape"
def differences(v, w):
    return v.reshape(-1, 1) - w.reshape(1, -1)

# %% right="2.1.F" how="a row at a time"
def differences(v, w):
    return torch.stack([entry - w for entry in v])

# %% wrong="2.1.F" why="the column is w" breaks="values" says="Rows and columns are exchanged"
def differences(v, w):
    return v - w[:, None]

# %% wrong="2.1.F" why="paired entries" breaks="shape" says="Entries at equal places were subtracted"
def differences(v, w):
    return v - w

# %% wrong="2.1.F" why="in one row" breaks="shape" says="All differences stand in one row"
def differences(v, w):
    return (v[:, None] - w).reshape(-1)

# %% wrong="2.1.F" why="the other way round" breaks="values" says="The difference is the other way round"
def differences(v, w):
    return w - v[:, None]

# %% wrong="2.1.F" why="the distance, without the sign" breaks="values" says="The sign of the difference is lost"
def differences(v, w):
    return (v[:, None] - w).abs()

# %% wrong="2.1.F" why="reshaped where a T was needed" breaks="values" says="the table for v"
def differences(v, w):
    return (v - w[:, None]).reshape(len(v), len(w))

# %% right="2.1.2a" how="lists, and torch.Size"
predicted = dict(A=[4, 3, 2], B=torch.Size([2, 3, 4]), C=None, D=[5, 1, 6], E=None, F=(7, 8, 5), G=None)

# %% right="2.1.2a" how="computed with tensors of zeros"
predicted = {}
for letter in pairs:
    try:
        predicted[letter] = (torch.zeros(pairs[letter][0]) * torch.zeros(pairs[letter][1])).shape
    except RuntimeError:
        predicted[letter] = None

# %% wrong="2.1.2a" why="aligns the shapes at the left" breaks="None" says="so it is where the shapes are aligned at the left"
predicted = {"A": (4, 3, 2), "B": (2, 3, 4), "C": None, "D": None, "E": (3, 2, 4), "F": (7, 8, 5), "G": None}

# %% wrong="2.1.2a" why="every pair with as many axes can be added, by the larger length" breaks="None" says="at pair C, None stands"
predicted = {"A": (4, 3, 2), "B": (2, 3, 4), "C": (3, 4, 4), "D": (5, 1, 6), "E": None, "F": (7, 8, 5), "G": (4, 4, 2)}

# %% wrong="2.1.2a" why="the shape of the longer operand" breaks="shapes" says="the shape of pair B"
predicted = {"A": (4, 3, 2), "B": (2, 1, 4), "C": None, "D": (5, 1, 1), "E": None, "F": (7, 1, 5), "G": None}

# %% wrong="2.1.2a" why="drops an axis of length 1" breaks="shapes" says="the shape of pair D"
predicted = {"A": (4, 3, 2), "B": (2, 3, 4), "C": None, "D": (5, 6), "E": None, "F": (7, 8, 5), "G": None}

# %% wrong="2.1.2a" why="not all letters" breaks="seven entries" says="the letters in `predicted`"
predicted = {"A": (4, 3, 2), "B": (2, 3, 4), "D": (5, 1, 6), "F": (7, 8, 5)}

# %% wrong="2.1.2a" why="the text for an error" breaks="seven entries" says="under 'C' stands a tuple or None"
predicted = {"A": (4, 3, 2), "B": (2, 3, 4), "C": "error", "D": (5, 1, 6), "E": "error", "F": (7, 8, 5), "G": "error"}

# %% right="2.1.2c" how="channels last and back"
def standardise(images, mean, std):
    return ((images.permute(0, 2, 3, 1) - mean) / std).permute(0, 3, 1, 2)

# %% right="2.1.2c" how="a loop over the channels"
def standardise(images, mean, std):
    result = torch.empty(images.shape, dtype=mean.dtype)
    for k in range(len(mean)):
        result[:, k] = (images[:, k] - mean[k]) / std[k]
    return result

# %% right="2.1.2c" how="reshape"
def standardise(images, mean, std):
    return images.sub(mean.reshape(1, -1, 1, 1)).div_(std.reshape(1, -1, 1, 1))

# %% wrong="2.1.2c" why="mean meets the last axis" breaks="values" says="The means meet the columns"
def standardise(images, mean, std):
    return (images - mean) / std

# %% wrong="2.1.2c" why="mean meets the last axis where that fits" breaks="values" says="The means meet the columns, the last axis"
def standardise(images, mean, std):
    if images.shape[-1] == len(mean):
        return (images - mean) / std
    return (images - mean[:, None, None]) / std[:, None, None]

# %% wrong="2.1.2c" why="mean meets the rows" breaks="values" says="The means meet the rows"
def standardise(images, mean, std):
    return (images - mean[:, None].expand(-1, images.shape[-1])) / std[:, None]

# %% wrong="2.1.2c" why="does not divide" breaks="values" says="The division by the standard deviation is missing"
def standardise(images, mean, std):
    return images - mean[:, None, None]

# %% wrong="2.1.2c" why="works in the caller's memory" breaks="arguments kept" says="images after the call"
def standardise(images, mean, std):
    if images.is_floating_point():
        images -= mean[:, None, None]
        images /= std[:, None, None]
        return images
    return (images - mean[:, None, None]) / std[:, None, None]

# %% wrong="2.1.2c" why="divides by the variance" breaks="values" says="by the square of the standard deviation"
def standardise(images, mean, std):
    return (images - mean[:, None, None]) / std[:, None, None] ** 2

# %% wrong="2.1.2c" why="keeps the dtype uint8" breaks="whole numbers" says="uint8 images"
def standardise(images, mean, std):
    return ((images - mean[:, None, None]) / std[:, None, None]).to(images.dtype)

# %% wrong="2.1.2c" why="the means rounded to the dtype of the images" breaks="whole numbers" says="uint8 images"
def standardise(images, mean, std):
    return (images - mean[:, None, None].to(images.dtype)) / std[:, None, None]

# %% wrong="2.1.2c" why="the batch's own means" breaks="values" says="take the means that are given"
def standardise(images, mean, std):
    own = images.double().mean(dim=(0, 2, 3)).to(mean.dtype)
    return (images - own[:, None, None]) / std[:, None, None]

# %% right="2.1.2b" how="torch.broadcast_shapes"
def broadcast_shape(s, t):
    try:
        return torch.broadcast_shapes(s, t)
    except RuntimeError:
        return None

# %% right="2.1.2b" how="adds tensors that hold no data"
def broadcast_shape(s, t):
    try:
        return list((torch.empty(s, device="meta") + torch.empty(t, device="meta")).shape)
    except RuntimeError:
        return None

# %% right="2.1.2b" how="recursion from the right"
def broadcast_shape(s, t):
    if not s or not t:
        return tuple(s) + tuple(t)
    m, n = s[-1], t[-1]
    front = broadcast_shape(s[:-1], t[:-1])
    if front is None or (m != n and m != 1 and n != 1):
        return None
    return front + (m if n == 1 else n,)

# %% wrong="2.1.2b" why="the larger length, though 0 and 1 give 0" breaks="length 0" says="broadcast_shape((2, 0, 3), (1, 1, 3))"
def broadcast_shape(s, t):
    axes = max(len(s), len(t))
    s, t = (1,) * (axes - len(s)) + s, (1,) * (axes - len(t)) + t
    if any(m != n and m != 1 and n != 1 for m, n in zip(s, t)):
        return None
    return tuple(max(m, n) for m, n in zip(s, t))

# %% wrong="2.1.2b" why="0 fits with everything" breaks="length 0" says="2 meets 0"
def broadcast_shape(s, t):
    axes = max(len(s), len(t))
    s, t = (1,) * (axes - len(s)) + s, (1,) * (axes - len(t)) + t
    if any(m != n and m > 1 and n > 1 for m, n in zip(s, t)):
        return None
    return tuple(0 if 0 in (m, n) else max(m, n) for m, n in zip(s, t))

# %% wrong="2.1.2b" why="aligns the shapes at the left" breaks="missing axes" says="broadcast_shape((4, 3, 2), (3, 1))"
def broadcast_shape(s, t):
    axes = max(len(s), len(t))
    s, t = s + (1,) * (axes - len(s)), t + (1,) * (axes - len(t))
    if any(m != n and m != 1 and n != 1 for m, n in zip(s, t)):
        return None
    return tuple(n if m == 1 else m for m, n in zip(s, t))

# %% wrong="2.1.2b" why="forgets the axes that only one shape has" breaks="missing axes" says="broadcast_shape((4, 3, 2), (3, 1))"
def broadcast_shape(s, t):
    if any(m != n and m != 1 and n != 1 for m, n in zip(s[::-1], t[::-1])):
        return None
    return tuple(n if m == 1 else m for m, n in zip(s[::-1], t[::-1]))[::-1]

# %% wrong="2.1.2b" why="repeats a length that divides the other" breaks="no fit" says="6 meets 2"
def broadcast_shape(s, t):
    axes = max(len(s), len(t))
    s, t = (1,) * (axes - len(s)) + s, (1,) * (axes - len(t)) + t
    if any(max(m, n) % max(min(m, n), 1) for m, n in zip(s, t)):
        return None
    return tuple(0 if 0 in (m, n) else max(m, n) for m, n in zip(s, t))

# %% wrong="2.1.2b" why="lets the torch error out" breaks="no fit" says="None is returned"
def broadcast_shape(s, t):
    return torch.broadcast_shapes(s, t)

# %% wrong="2.1.2b" why="only the second shape may have missing axes" breaks="missing axes" says="broadcast_shape((3,), (2, 4, 3))"
def broadcast_shape(s, t):
    t = (1,) * (len(s) - len(t)) + t
    if any(m != n and m != 1 and n != 1 for m, n in zip(s, t)):
        return None
    return tuple(n if m == 1 else m for m, n in zip(s, t))

# %% wrong="2.1.2b" why="None where there is no axis: an empty tuple counts as false" breaks="missing axes" says="broadcast_shape((), ()) is a shape, not None"
def broadcast_shape(s, t):
    axes = max(len(s), len(t))
    s, t = (1,) * (axes - len(s)) + s, (1,) * (axes - len(t)) + t
    result = tuple(n if m == 1 else m for m, n in zip(s, t) if m == n or 1 in (m, n))
    return (result if len(result) == axes else None) or None

# %% wrong="2.1.2b" why="False in place of None" breaks="no fit" says="broadcast_shape((6, 3), (2, 3)) is None"
def broadcast_shape(s, t):
    axes = max(len(s), len(t))
    s, t = (1,) * (axes - len(s)) + s, (1,) * (axes - len(t)) + t
    if any(m != n and m != 1 and n != 1 for m, n in zip(s, t)):
        return False
    return tuple(n if m == 1 else m for m, n in zip(s, t))

# %% wrong="2.1.2b" why="the word None as a string" breaks="no fit" says="write None without quotes"
def broadcast_shape(s, t):
    try:
        return torch.broadcast_shapes(s, t)
    except RuntimeError:
        return "None"

# %% wrong="2.1.2b" why="only the first shape may be repeated" breaks="lengths" says="broadcast_shape((2, 1), (1, 3))"
def broadcast_shape(s, t):
    axes = max(len(s), len(t))
    s, t = (1,) * (axes - len(s)) + s, (1,) * (axes - len(t)) + t
    return None if any(m != n and m != 1 for m, n in zip(s, t)) else t

# %% wrong="2.1.2b" why="the length of the first shape remains" breaks="lengths" says="broadcast_shape((1, 3), (2, 3))"
def broadcast_shape(s, t):
    axes = max(len(s), len(t))
    s, t = (1,) * (axes - len(s)) + s, (1,) * (axes - len(t)) + t
    return s if all(m == n or 1 in (m, n) for m, n in zip(s, t)) else None

# %% right="2.1.E" how="torch.where"
def cut_below(X, low):
    return torch.where(X < low, low, X)

# %% right="2.1.E" how="clamp"
def cut_below(X, low):
    return X.clamp(min=low)

# %% wrong="2.1.E" why="writes into the argument" breaks="X kept" says="X after the call"
def cut_below(X, low):
    X[X < low] = low
    return X

# %% wrong="2.1.E" why="cuts above" breaks="values" says="(3, -1, 0.5, 2)"
def cut_below(X, low):
    return torch.where(X > low, low, X)

# %% wrong="2.1.E" why="leaves them out" breaks="values" says="A mask as an index leaves entries out"
def cut_below(X, low):
    return X[X >= low]

# %% wrong="2.1.E" why="zero in place of low" breaks="values" says="(3, -1, 0.5, 2)"
def cut_below(X, low):
    result = X.clone()
    result[result < low] = 0
    return result

# %% wrong="2.1.E" why="what lies above low, and low again, which loses digits" breaks="values" says="Entries that are not less than `low` have changed"
def cut_below(X, low):
    return torch.relu(X - low) + low

# %% right="2.1.1a" how="torch.lt, torch.eq, torch.gt"
def compare(X, Y):
    return torch.lt(X, Y), torch.eq(X, Y), torch.gt(X, Y)

# %% right="2.1.1a" how="a list, with the sides swapped"
def compare(X, Y):
    return [Y > X, Y == X, Y < X]

# %% wrong="2.1.1a" why="greater means not less" breaks="values" says="`greater`, for (1, 2, 5, -1)"
def compare(X, Y):
    return X < Y, X == Y, ~(X < Y) & ~X.isnan() & ~Y.isnan()

# %% wrong="2.1.1a" why="greater is what the others leave, so nan is greater" breaks="nan" says="`greater`, for (nan, 1)"
def compare(X, Y):
    return X < Y, X == Y, ~((X < Y) | (X == Y))

# %% wrong="2.1.1a" why="masks of 0 and 1" breaks="three masks" says="wrong dtype: got int64"
def compare(X, Y):
    return (X < Y).long(), (X == Y).long(), (X > Y).long()

# %% wrong="2.1.1a" why="less and greater swapped" breaks="values" says="The order is less, equal, greater"
def compare(X, Y):
    return X > Y, X == Y, X < Y

# %% wrong="2.1.1a" why="one answer for the whole tensor" breaks="three masks" says="the shape of `less`"
def compare(X, Y):
    return (X < Y).any(), torch.tensor(torch.equal(X, Y)), (X > Y).any()

# %% wrong="2.1.1a" why="only two masks" breaks="three masks" says="the number of masks"
def compare(X, Y):
    return X < Y, X > Y

# %% wrong="2.1.1a" why="nearly equal counts as equal" breaks="values" says="Numbers that are nearly equal"
def compare(X, Y):
    same = torch.isclose(X.float(), Y.float(), atol=1e-8)
    return (X < Y) & ~same, same, (X > Y) & ~same

# %% wrong="2.1.1a" why="rounds" breaks="values" says="Numbers that are nearly equal"
def compare(X, Y):
    X, Y = torch.round(X.double(), decimals=4), torch.round(Y.double(), decimals=4)
    return X < Y, X == Y, X > Y

# %% wrong="2.1.1a" why="the sign of the difference" breaks="values" says="In uint8, 1 - 2 is 255"
def compare(X, Y):
    difference = X - Y
    return difference < 0, difference == 0, difference > 0

# %% wrong="2.1.1a" why="the sign of the difference, in double precision" breaks="values" says="∞ - ∞ is nan"
def compare(X, Y):
    difference = X.double() - Y.double()
    return difference < 0, difference == 0, difference > 0

# %% wrong="2.1.1a" why="broadcasts by hand to the shape of X" breaks="broadcasting" says="It is the shape of `X + Y`"
def compare(X, Y):
    Y = Y.expand_as(X) if Y.numel() <= X.numel() else Y[:1].expand_as(X)
    return X < Y, X == Y, X > Y

# %% wrong="2.1.1a" why="entry by entry in a loop" breaks="broadcasting" says="shapes (2, 1) and (3,)"
def compare(X, Y):
    pairs_of_entries = list(zip(X.reshape(-1).tolist(), Y.reshape(-1).tolist()))
    return tuple(torch.tensor([rule(x, y) for x, y in pairs_of_entries]).reshape(X.shape)
                 for rule in (lambda x, y: x < y, lambda x, y: x == y, lambda x, y: x > y))

# %% right="2.1.1b" how="torch.logical_and"
def inside(X, low, high):
    return torch.logical_and(X >= low, X < high)

# %% right="2.1.1b" how="neither below nor above, and a number"
def inside(X, low, high):
    return ~((X < low) | (X >= high) | X.isnan())

# %% right="2.1.1b" how="the product of two masks"
def inside(X, low, high):
    return (low <= X) * (high > X)

# %% wrong="2.1.1b" why="neither below nor above, so nan is inside" breaks="nan" says="(nan, 1, nan)"
def inside(X, low, high):
    return ~((X < low) | (X >= high))

# %% wrong="2.1.1b" why="Python's chained comparison" breaks="mask" says="Boolean value of Tensor"
def inside(X, low, high):
    return low <= X < high

# %% wrong="2.1.1b" why="the word and" breaks="mask" says="Boolean value of Tensor"
def inside(X, low, high):
    return X >= low and X < high

# %% wrong="2.1.1b" why="without parentheses, & binds first" breaks="mask" says="each comparison needs parentheses of its own"
def inside(X, low, high):
    return X >= low & X < high

# %% wrong="2.1.1b" why="or in place of and" breaks="lower bound" says="Both have to hold"
def inside(X, low, high):
    return (X >= low) | (X < high)

# %% wrong="2.1.1b" why="strict at the lower bound" breaks="lower bound" says="the mask for (-1, -0.5, 0, 0.5)"
def inside(X, low, high):
    return (X > low) & (X < high)

# %% wrong="2.1.1b" why="the upper bound counted" breaks="upper bound" says="The upper bound itself is not inside"
def inside(X, low, high):
    return (X >= low) & (X <= high)

# %% wrong="2.1.1b" why="one less, which is right for whole numbers only" breaks="upper bound" says="the mask for (0.5, 1.5, 2, 2.5)"
def inside(X, low, high):
    return (X >= low) & ((X <= high - 1) | (X < high) & (X == X.floor()))

# %% wrong="2.1.1b" why="whole numbers first" breaks="lower bound" says="the mask for (-1, -0.5, 0, 0.5)"
def inside(X, low, high):
    return (X.int() >= low) & (X.int() < high) & ~X.isnan()

# %% wrong="2.1.1b" why="the bounds in the dtype of X" breaks="fractions" says="the whole numbers -3, 0, 1, 2, 3"
def inside(X, low, high):
    low, high = torch.tensor([low, high]).to(X.dtype)
    return (X >= low) & (X < high)

# %% wrong="2.1.1b" why="the numbers, not the mask" breaks="mask" says="not what it picks"
def inside(X, low, high):
    return X[(X >= low) & (X < high)]

# %% wrong="2.1.1b" why="zeros and ones" breaks="mask" says="wrong dtype"
def inside(X, low, high):
    return ((X >= low) & (X < high)).int()

# %% wrong="2.1.1b" why="hard-coded for the first numbers" breaks="fractions" says="the whole numbers -3, 0, 1, 2, 3"
def inside(X, low, high):
    return (X >= 0) & (X < 2)

# %% wrong="2.1.1b" why="only the upper bound" breaks="lower bound" says="The lower bound is not asked for"
def inside(X, low, high):
    return X < high

# %% wrong="2.1.1b" why="only the lower bound" breaks="upper bound" says="The upper bound is not asked for"
def inside(X, low, high):
    return X >= low

# %% right="2.1.G" how="hstack"
def with_ones(X):
    return torch.hstack([X, torch.ones_like(X[:, :1])])

# %% right="2.1.G" how="written into a new table"
def with_ones(X):
    result = torch.ones(X.shape[0], X.shape[1] + 1)
    result[:, :-1] = X
    return result

# %% wrong="2.1.G" why="on the left" breaks="values" says="The ones stand on the left"
def with_ones(X):
    return torch.cat([torch.ones(len(X), 1), X], dim=1)

# %% wrong="2.1.G" why="zeros" breaks="values" says="These are zeros, not ones"
def with_ones(X):
    return torch.cat([X, torch.zeros(len(X), 1)], dim=1)

# %% wrong="2.1.G" why="a row below" breaks="shape" says="wrong shape: got (4, 2)"
def with_ones(X):
    return torch.cat([X, torch.ones(1, X.shape[1])], dim=0)

# %% wrong="2.1.G" why="as many ones as columns" breaks="shape" says="wrong shape: got (3, 4)"
def with_ones(X):
    return torch.cat([X, torch.ones_like(X)], dim=1)

# %% wrong="2.1.G" why="a vector does not fit" breaks="shape" says="a column has the shape (n, 1)"
def with_ones(X):
    return torch.cat([X, torch.ones(len(X))], dim=1)

# %% wrong="2.1.G" why="a column divided by itself" breaks="values" says="the table for (0, 3) and (inf, 0.1)"
def with_ones(X):
    return torch.cat([X, X[:, :1] / X[:, :1]], dim=1)

# %% wrong="2.1.G" why="through half precision" breaks="values" says="the table for (0, 3) and (inf, 0.1)"
def with_ones(X):
    return torch.cat([X.half(), torch.ones(len(X), 1).half()], dim=1).to(X.dtype)

# %% right="2.1.G" how="filled with a list of rows"
def with_ones(X):
    return torch.tensor([row + [1.] for row in X.tolist()], dtype=X.dtype)

# %% right="2.1.6" how="slices of an empty matrix"
def join_blocks(A, B, C, D):
    h, w = A.shape
    result = A.new_empty(h + C.shape[0], w + B.shape[1])
    result[:h, :w], result[:h, w:], result[h:, :w], result[h:, w:] = A, B, C, D
    return result

# %% right="2.1.6" how="vstack and hstack"
def join_blocks(A, B, C, D):
    return torch.hstack((torch.vstack((A, C)), torch.vstack((B, D))))

# %% wrong="2.1.6" why="axes exchanged" breaks="places" says="B and C have changed places"
def join_blocks(A, B, C, D):
    return torch.cat([torch.cat([A, B], dim=0), torch.cat([C, D], dim=0)], dim=1)

# %% wrong="2.1.6" why="axes exchanged where square blocks allow it" breaks="places" says="blocks of shapes (2, 2)"
def join_blocks(A, B, C, D):
    if A.shape == B.shape == C.shape:
        return torch.cat([torch.cat([A, B], dim=0), torch.cat([C, D], dim=0)], dim=1)
    return torch.cat([torch.cat([A, B], dim=1), torch.cat([C, D], dim=1)], dim=0)

# %% wrong="2.1.6" why="all below each other" breaks="shape" says="All four stand below each other"
def join_blocks(A, B, C, D):
    return torch.cat([A, B, C, D], dim=0)

# %% wrong="2.1.6" why="forgets a block" breaks="shape" says="the shape for blocks of shapes (2, 2)"
def join_blocks(A, B, C, D):
    return torch.cat([A, C], dim=0)

# %% wrong="2.1.6" why="B and D swapped upside down" breaks="places" says="B and D have changed places"
def join_blocks(A, B, C, D):
    return torch.cat([torch.cat([A, C], dim=0), torch.cat([D, B], dim=0)], dim=1)

# %% wrong="2.1.6" why="an empty matrix of the default dtype" breaks="dtype" says="wrong dtype: got float32"
def join_blocks(A, B, C, D):
    h, w = A.shape
    result = torch.empty(h + C.shape[0], w + B.shape[1])
    result[:h, :w], result[:h, w:], result[h:, :w], result[h:, w:] = A, B, C, D
    return result

# %% wrong="2.1.6" why="through a float and back" breaks="places" says="did they pass through a float?"
def join_blocks(A, B, C, D):
    h, w = A.shape
    k, v = D.shape
    table = torch.zeros(h + k, w + v, dtype=torch.float64)
    table[:h, :w], table[:h, w:], table[h:, :w], table[h:, w:] = A, B, C, D
    return table.to(A.dtype)

# %% right="2.1.H" how="a list"
changed = ["g", "e", "c", "b"]

# %% right="2.1.H" how="by trying"
changed = set()
for letter, line in lines.items():
    names = {"t": torch.arange(6)}
    names["other"] = names["t"]
    exec(line, names)
    if not torch.equal(names["other"], torch.arange(6)):
        changed.add(letter)

# %% wrong="2.1.H" why="every assignment to t" breaks="operations" says="what is said of a"
changed = {"a", "b", "c", "e", "g"}

# %% wrong="2.1.H" why="only the slice assignment" breaks="operations" says="what is said of b"
changed = {"c", "e", "g"}

# %% wrong="2.1.H" why="add taken for add_" breaks="operations" says="`add` makes a new tensor"
changed = {"b", "c", "d", "e", "g"}

# %% wrong="2.1.H" why="slices copy, as in lists" breaks="views" says="what is said of e"
changed = {"b", "c", "g"}

# %% wrong="2.1.H" why="a mask gives a view" breaks="views" says="What a mask picks is a copy"
changed = {"b", "c", "e", "f", "g"}

# %% wrong="2.1.H" why="T copies" breaks="views" says="what is said of g"
changed = {"b", "c", "e"}

# %% wrong="2.1.H" why="a reshape is always a view" breaks="views" says="has to copy"
changed = {"b", "c", "e", "g", "h"}

# %% right="2.1.7" how="slice assignment"
def update_mean(mean, count, x):
    mean[:] = (mean * count + x) / (count + 1)
    return mean

# %% right="2.1.7" how="lerp_"
def update_mean(mean, count, x):
    return mean.lerp_(x, 1 / (count + 1))

# %% right="2.1.7" how="three methods in place"
def update_mean(mean, count, x):
    return mean.mul_(count).add_(x).div_(count + 1)

# %% wrong="2.1.7" why="a new tensor under the local name" breaks="in place" says="your result is in other memory"
def update_mean(mean, count, x):
    mean = mean + (x - mean) / (count + 1)
    return mean

# %% wrong="2.1.7" why="the tensor moved to other memory" breaks="in place" says="your result is in other memory"
def update_mean(mean, count, x):
    mean.data = mean + (x - mean) / (count + 1)
    return mean

# %% wrong="2.1.7" why="the mean of the two" breaks="returned" says="what is returned for the mean (2, 4) of 3"
def update_mean(mean, count, x):
    if count == 0:
        return mean.copy_(x)
    mean += x
    mean /= 2
    return mean

# %% wrong="2.1.7" why="divides by count" breaks="returned" says="what is returned"
def update_mean(mean, count, x):
    mean += (x - mean) / max(count, 1)
    return mean

# %% wrong="2.1.7" why="divides by count, which may be 0" breaks="first" says="what is returned for count 0"
def update_mean(mean, count, x):
    mean *= count / (count + 1)
    mean += x / (count + 1) if count else 0
    return mean

# %% wrong="2.1.7" why="leaves the mean where there was none" breaks="first" says="what is returned for count 0"
def update_mean(mean, count, x):
    if count:
        mean += (x - mean) / (count + 1)
    return mean

# %% wrong="2.1.7" why="works in the memory of x" breaks="x kept" says="x after the call"
def update_mean(mean, count, x):
    x -= mean
    x /= count + 1
    mean += x
    return mean

# %% wrong="2.1.7" why="returns nothing" breaks="returned" says="End the function by `return mean`"
def update_mean(mean, count, x):
    mean += (x - mean) / (count + 1)

# %% wrong="2.1.7" why="whole numbers" breaks="returned" says="what is returned for the mean ((1), (2)) of 1"
def update_mean(mean, count, x):
    mean += (x - mean) // (count + 1)
    return mean

# %% right="2.1.8" how="as_tensor and clone"
def two_tensors(array):
    return torch.as_tensor(array), torch.from_numpy(array).clone()

# %% right="2.1.8" how="DLPack, and a copy by NumPy"
def two_tensors(array):
    return [torch.from_dlpack(array), torch.from_numpy(array.copy())]

# %% wrong="2.1.8" why="both copy" breaks="shared" says="It does not see the change"
def two_tensors(array):
    return torch.tensor(array), torch.tensor(array)

# %% wrong="2.1.8" why="both share" breaks="separate" says="It sees the change"
def two_tensors(array):
    return torch.from_numpy(array), torch.as_tensor(array)

# %% wrong="2.1.8" why="exchanged" breaks="shared" says="the order is shared, separate"
def two_tensors(array):
    return torch.tensor(array), torch.from_numpy(array)

# %% wrong="2.1.8" why="a copy whose dtype is float32, by torch.Tensor or through a list" breaks="two tensors" says="the dtype of the second one"
def two_tensors(array):
    return torch.from_numpy(array), torch.Tensor(array)

# %% wrong="2.1.8" why="ascontiguousarray copies only where it must" breaks="separate" says="It sees the change"
def two_tensors(array):
    return torch.from_numpy(array), torch.from_numpy(np.ascontiguousarray(array))

# %% wrong="2.1.8" why="shares only what lies in order in memory" breaks="shared" says="the first one, for every other column"
def two_tensors(array):
    return torch.from_numpy(np.ascontiguousarray(array)), torch.tensor(array)

# %% wrong="2.1.8" why="a change of dtype copies" breaks="two tensors" says="the dtype of the first one"
def two_tensors(array):
    return torch.from_numpy(array).float(), torch.tensor(array)

# %% wrong="2.1.8" why="only one" breaks="two tensors" says="what is returned"
def two_tensors(array):
    return torch.from_numpy(array)

# %% right="2.1.9" how="tolist of the reshaped tensor"
def as_number(X):
    try:
        return X.reshape(()).tolist()
    except RuntimeError:
        raise ValueError(f"not one entry: {X.shape}") from None

# %% right="2.1.9" how="the length of the flattened tensor"
def as_number(X):
    entries = X.flatten().tolist()
    if len(entries) == 1:
        return entries[0]
    raise ValueError("X has the shape " + str(tuple(X.shape)))

# %% wrong="2.1.9" why="always a float" breaks="type" says="the type of the number for 7 in int64"
def as_number(X):
    if X.numel() != 1:
        raise ValueError(f"shape {tuple(X.shape)}")
    return float(X)

# %% wrong="2.1.9" why="whole floats become int" breaks="type" says="the type of the number for 3. in float32"
def as_number(X):
    if X.numel() != 1:
        raise ValueError(f"shape {tuple(X.shape)}")
    number = X.item()
    return int(number) if number == int(number) else number

# %% wrong="2.1.9" why="item raises a RuntimeError" breaks="error" says="expected ValueError"
def as_number(X):
    return X.item()

# %% wrong="2.1.9" why="still a tensor" breaks="type" says="wrong type: got a tensor"
def as_number(X):
    if X.numel() != 1:
        raise ValueError(f"shape {tuple(X.shape)}")
    return X.squeeze()

# %% wrong="2.1.9" why="adds up what there is" breaks="error" says="a tensor of shape (2,), entries 1 and 3: returned"
def as_number(X):
    return X.sum().item()

# %% wrong="2.1.9" why="counts the axes, not the entries" breaks="value" says="what counts is how many entries there are"
def as_number(X):
    if X.ndim > 0:
        raise ValueError(f"shape {tuple(X.shape)}")
    return X.item()

# %% wrong="2.1.9" why="len knows axis 0 only" breaks="value" says="raised"
def as_number(X):
    if len(X) != 1:
        raise ValueError(f"shape {tuple(X.shape)}")
    return X.item()

# %% wrong="2.1.9" why="integers through a float" breaks="value" says="Did it pass through a float?"
def as_number(X):
    if X.numel() != 1:
        raise ValueError(f"shape {tuple(X.shape)}")
    return float(X) if X.is_floating_point() else int(float(X))

# %% wrong="2.1.9" why="rounds" breaks="value" says="the number for 2.5"
def as_number(X):
    if X.numel() != 1:
        raise ValueError(f"shape {tuple(X.shape)}")
    return float(int(X)) if X.is_floating_point() else int(X)

# %% wrong="2.1.9" why="only several entries are refused, not none" breaks="error" says="without entries"
def as_number(X):
    if X.numel() > 1:
        raise ValueError(f"shape {tuple(X.shape)}")
    return X.sum().item()

# %% wrong="2.1.9" why="equal entries taken for one" breaks="error" says="a tensor of shape (2,): returned"
def as_number(X):
    if X.numel() == 0 or (X != X.flatten()[0]).any():
        raise ValueError(f"shape {tuple(X.shape)}")
    return X.flatten()[0].item()

# %% wrong="2.1.9" why="the message does not name the shape" breaks="message" says="Put `X.shape` into the message"
def as_number(X):
    if X.numel() != 1:
        raise ValueError("exactly one entry, please")
    return X.item()

# %% wrong="2.1.9" why="the message names the number of entries" breaks="message" says="Put `X.shape` into the message"
def as_number(X):
    if X.numel() != 1:
        raise ValueError(f"one entry is needed, not {X.numel()}")
    return X.item()

# %% right="2.1.10" how="three matrices of one bug or two each"
inputs = [torch.ones(1, 1, dtype=torch.float64), torch.randn(5, 3), torch.tensor([[0.5], [0.25]])]

# %% right="2.1.10" how="a tuple of bools and complex numbers"
inputs = (torch.tensor([[True], [False], [True], [False]]), torch.tensor([[1j, 2]]))

# %% wrong="2.1.10" why="three rows of float32" breaks="swap_3" says="reads the same from above and from below"
inputs = [torch.arange(6.).reshape(3, 2)[:2], torch.arange(6).reshape(1, 6)]

# %% wrong="2.1.10" why="never a single row" breaks="swap_4" says="Rows of your tables: 4, 6"
inputs = [torch.arange(8).reshape(4, 2), torch.randn(6, 3)]

# %% wrong="2.1.10" why="only the default dtype" breaks="swap_5" says="Dtypes of your tables: float32"
inputs = [torch.randn(1, 3), torch.randn(5, 2), torch.randn(2, 2)]

# %% wrong="2.1.10" why="first and last rows equal" breaks="swap_2" says="the first row equals the last"
inputs = [torch.tensor([[1, 2], [3, 4], [5, 6], [1, 2]]), torch.tensor([[1, 2, 3]])]

# %% wrong="2.1.10" why="nan differs from itself" breaks="tables" says="A nan equals nothing"
inputs = [torch.full((2, 2), float("nan"))]

# %% wrong="2.1.10" why="more than three matrices" breaks="tables" says="`inputs` holds one to three tables"
inputs = [torch.randn(rows, 2) for rows in range(1, 9)]

# %% wrong="2.1.10" why="a matrix, not a list of matrices" breaks="tables" says="wrong type: got a tensor"
inputs = torch.arange(8).reshape(4, 2)

# %% wrong="2.1.10" why="no rows" breaks="tables" says="each of `inputs` has two axes"
inputs = [torch.zeros(0, 3), torch.arange(8).reshape(4, 2)]

# %% wrong="2.1.1b" why="clamp with a small margin" breaks="upper bound" says="2 plus and minus a billionth"
def inside(X, low, high):
    return X.clamp(low, high - 1e-6) == X

# %% wrong="2.1.1b" why="bounds rounded up, which is right for whole numbers" breaks="lower bound" says="the mask for (0.25, 0.5, 0.75)"
def inside(X, low, high):
    if low == -torch.inf:
        return (X >= low) & (X < high)
    return (X >= np.ceil(low)) & (X < np.ceil(high))

# %% wrong="2.1.1b" why="infinite entries left out" breaks="lower bound" says="the mask for (-∞, 5, ∞)"
def inside(X, low, high):
    return (X >= low) & (X < high) & X.isfinite()

# %% right="2.1.1b" how="not from high on"
def inside(X, low, high):
    return torch.ge(X, low) & ~torch.isnan(X) & ~torch.ge(X, high)

# %% wrong="2.1.9" why="rounded to six digits" breaks="value" says="All digits of the entry count"
def as_number(X):
    if X.numel() != 1:
        raise ValueError(f"shape {tuple(X.shape)}")
    v = X.item()
    return round(v, 6) if isinstance(v, float) else v

# %% wrong="2.1.9" why="the message names two of three lengths" breaks="message" says="it has to name 11"
def as_number(X):
    if X.numel() != 1:
        raise ValueError(f"one entry is needed, not {X.shape[0]} by {X.shape[-1]}")
    return X.item()

# %% wrong="2.1.9" why="only int64 counts as whole" breaks="type" says="the type of the number for 200 in uint8"
def as_number(X):
    if X.numel() != 1:
        raise ValueError(f"one entry is needed, the shape is {tuple(X.shape)}")
    return X.item() if X.dtype == torch.int64 else float(X)

# %% wrong="2.1.5b" why="value as a whole number" breaks="frame" says="Its fraction is lost"
def with_frame(X, value):
    Y = X.clone()
    v = int(value) if abs(value) < 1e9 else value
    Y[0] = Y[-1] = v
    Y[:, 0] = Y[:, -1] = v
    return Y

# %% wrong="2.1.5b" why="through a float and back" breaks="inside" says="did they pass through a float?"
def with_frame(X, value):
    Y = X.double()
    Y = Y.clone()
    Y[[0, -1]] = value
    Y[:, [0, -1]] = value
    return Y.to(X.dtype)

# %% wrong="2.1.5b" why="zeros taken for the frame" breaks="inside" says="the inner entries for whole numbers, -7 to 12"
def with_frame(X, value):
    inner = torch.nn.functional.pad(X[1:-1, 1:-1], (1, 1, 1, 1))
    return torch.where(inner == 0, value, inner).to(X.dtype)

# %% wrong="2.1.8" why="through float32" breaks="separate" says="a copy went through `float32`"
def two_tensors(array):
    return torch.from_numpy(array), torch.tensor(array, dtype=torch.float32).to(torch.from_numpy(array).dtype)

# %% wrong="2.1.4a" why="T for two axes" breaks="shape" says="in shape (2, 3): wrong shape: got (3, 2)"
def flatten_batch(X):
    return X.reshape(X.shape[0], -1) if X.ndim > 2 else X.T

# %% wrong="2.1.1a" why="through half precision" breaks="values" says="Numbers that are nearly equal"
def compare(X, Y):
    X, Y = X.float().half(), Y.float().half()
    return X < Y, X == Y, X > Y

# %% wrong="2.1.1a" why="less or equal, greater or equal" breaks="values" says="This is *less or equal*"
def compare(X, Y):
    return X <= Y, X == Y, X >= Y

# %% wrong="2.1.1a" why="through a float" breaks="values" says="A float has no room for all digits"
def compare(X, Y):
    X, Y = X.double(), Y.double()
    return X < Y, X == Y, X > Y

# %% wrong="2.1.1a" why="X given the shape of Y where Y has more axes" breaks="broadcasting" says="shapes (2,) and (2, 1)"
def compare(X, Y):
    if X.ndim < Y.ndim:
        X = X.reshape(-1, *[1] * (Y.ndim - X.ndim))
    return X < Y, X == Y, X > Y

# %% wrong="2.1.1a" why="nan equals nan" breaks="nan" says="ask each of the three questions by itself"
def compare(X, Y):
    return X < Y, ~(X < Y) & ~(X > Y), X > Y

# %% wrong="2.1.3b" why="clipped at two" breaks="normal" says="the standard deviation of 15000"
def initial_parameters(n, m, scale):
    return torch.randn(n, m).clamp(-1.9, 1.9) * scale, torch.zeros(m)

# %% wrong="2.1.3b" why="the upper half again below" breaks="each its own" says="The same draws stand in several rows"
def initial_parameters(n, m, scale):
    half = torch.randn((n + 1) // 2, m) * scale
    return torch.cat([half, half])[:n], torch.zeros(m)

# %% wrong="2.1.3b" why="cut off at three deviations" breaks="normal" says="Are yours cut off?"
def initial_parameters(n, m, scale):
    return torch.randn(n, m).clamp(-3, 3) * scale, torch.zeros(m)

# %% wrong="2.1.3b" why="trunc_normal_, which cuts off at -2 and 2" breaks="normal" says="Are yours cut off at -2 and 2?"
def initial_parameters(n, m, scale):
    return torch.nn.init.trunc_normal_(torch.empty(n, m), 0, scale), torch.zeros(m)

# %% wrong="2.1.3b" why="divides by scale" breaks="normal" says="has to spread them further"
def initial_parameters(n, m, scale):
    return torch.randn(n, m) / scale, torch.zeros(m)

# %% wrong="2.1.3b" why="drawn once for all calls" breaks="each its own" says="kept from one call to the next"
drawn = {}


def initial_parameters(n, m, scale):
    if (n, m) not in drawn:
        drawn[n, m] = torch.randn(n, m)
    return drawn[n, m] * scale, torch.zeros(m)

# %% right="2.1.3b" how="a row at a time"
def initial_parameters(n, m, scale):
    return [torch.stack([torch.randn(m).mul(scale) for _ in range(n)]), torch.tensor([0.] * m)]

# %% wrong="2.1.2c" why="std only" breaks="values" says="The mean is not subtracted"
def standardise(images, mean, std):
    return images / std[:, None, None]

# %% right="2.1.4a" how="contiguous view"
def flatten_batch(X):
    return X.contiguous().view(len(X), -1)

# %% wrong="2.1.4a" why="an axis of length 1 is dropped" breaks="shape" says="even where an example has a single entry"
def flatten_batch(X):
    return X.reshape(len(X), -1).squeeze()

# %% wrong="2.1.4a" why="a table of zeros filled, of the default dtype" breaks="rows" says="the dtype for the numbers 0 to 23"
def flatten_batch(X):
    table = torch.zeros(len(X), X[0].numel())
    for i, example in enumerate(X):
        table[i] = example.reshape(-1)
    return table

# %% wrong="2.1.4a" why="whole numbers only" breaks="rows" says="the dtype for the numbers 0, 0.5, 1, 1.5"
def flatten_batch(X):
    return torch.tensor([[int(entry) for entry in example.reshape(-1)] for example in X])

# %% right="2.1.8" how="asarray and clone"
def two_tensors(array):
    t = torch.asarray(array)
    return t, t.clone()

# %% wrong="2.1.8" why="two dtypes by hand" breaks="two tensors" says="the dtype of the second one, for an array of dtype uint8"
def two_tensors(array):
    dtype = torch.float64 if array.dtype.kind == "f" else torch.int64
    return torch.from_numpy(array), torch.tensor(array.tolist(), dtype=dtype)

# %% right="2.1.2c" how="each divided first"
def standardise(images, mean, std):
    m, s = mean.reshape(1, -1, 1, 1), std.reshape(1, -1, 1, 1)
    return images / s - m / s

# %% wrong="2.1.2c" why="no parentheses" breaks="values" says="put the difference in parentheses"
def standardise(images, mean, std):
    return images - mean[:, None, None] / std[:, None, None]

# %% wrong="2.1.2c" why="new axes put into the caller's mean and std" breaks="arguments kept" says="mean after the call"
def standardise(images, mean, std):
    return (images - mean.unsqueeze_(1).unsqueeze_(2)) / std.unsqueeze_(1).unsqueeze_(2)

# %% wrong="2.1.9" why="the first of several entries" breaks="error" says="Neither of the two is the answer"
def as_number(X):
    if X.numel() == 0:
        raise ValueError(f"one entry is needed, the shape is {tuple(X.shape)}")
    return X.reshape(-1)[0].item()

# %% wrong="2.1.2b" why="an axis of length 1 of the first shape is not repeated" breaks="lengths" says="broadcast_shape((1, 3), (2, 3))"
def broadcast_shape(s, t):
    axes = max(len(s), len(t))
    s, t = (1,) * (axes - len(s)) + tuple(s), (1,) * (axes - len(t)) + tuple(t)
    return s if s == t else None

# %% wrong="2.1.2b" why="the lengths in reverse order" breaks="lengths" says="in reverse order"
def broadcast_shape(s, t):
    axes = max(len(s), len(t))
    s, t = (1,) * (axes - len(s)) + tuple(s), (1,) * (axes - len(t)) + tuple(t)
    lengths = []
    for m, n in zip(s[::-1], t[::-1]):
        if m != n and 1 not in (m, n):
            return None
        lengths.append(n if m == 1 else m)
    return tuple(lengths)

# %% wrong="2.1.4a" why="the last axis stays in place of axis 0" breaks="shape" says="Here the last axis has stayed"
def flatten_batch(X):
    return X.reshape(-1, X.shape[-1])

# %% wrong="2.1.5a" why="cuts off at the end only" breaks="shape" says="with k = 2 at each end it would be 4"
def crop(X, k):
    return X[:X.shape[0] - k, :X.shape[1] - k]

# %% wrong="2.1.5b" why="adds the value" breaks="frame" says="What stood there is still in it"
def with_frame(X, value):
    result = X.clone()
    result[[0, -1]] += value
    result[1:-1, [0, -1]] += value
    return result

# %% wrong="2.1.6" why="upside down" breaks="places" says="It is upside down"
def join_blocks(A, B, C, D):
    return torch.cat([torch.cat([C, D], dim=1), torch.cat([A, B], dim=1)], dim=0)

# %% wrong="2.1.7" why="takes the mean for a sum" breaks="returned" says="as if the mean were a sum"
def update_mean(mean, count, x):
    mean += x
    mean /= count + 1
    return mean

# %% wrong="2.1.G" why="overwrites the last column" breaks="shape" says="none overwritten"
def with_ones(X):
    result = X.clone()
    result[:, -1] = 1
    return result

# %% wrong="2.1.2c" why="means and deviations of the images themselves" breaks="values" says="of the images themselves"
def standardise(images, mean, std):
    images = images.to(mean.dtype)
    return (images - images.mean(dim=(0, 2, 3), keepdim=True)) / images.std(dim=(0, 2, 3), keepdim=True)

# %% wrong="2.1.3a" why="zeros in the cube" breaks="cube" says="These are zeros"
evens = torch.arange(0, 22, 2)
cube = torch.zeros(2, 3, 4).double()
entries = torch.tensor([[1, 2.5], [0, -3]])

# %% wrong="2.1.B" why="a small number in the divisor, against a division by 0" breaks="values" says="with nothing added to it"
def rescale(x):
    return (x - x.min()) / (x.max() - x.min() + 1e-8)

# %% wrong="2.1.3b" why="standardised after the draw" breaks="each its own" says="Was the mean of the weights subtracted?"
def initial_parameters(n, m, scale):
    W = torch.randn(n, m)
    return (W - W.mean()) / W.std() * scale, torch.zeros(m)

# %% wrong="2.1.3b" why="divided by their own deviation" breaks="each its own" says="divided by their own deviation?"
def initial_parameters(n, m, scale):
    W = torch.randn(n, m)
    return (W / W.std() if n * m > 1 else W) * scale, torch.zeros(m)

# %% wrong="2.1.3b" why="uniform draws between -scale and scale" breaks="normal" says="Uniform draws between -scale and scale have this deviation"
def initial_parameters(n, m, scale):
    return (2 * torch.rand(n, m) - 1) * scale, torch.zeros(m)

# %% wrong="2.1.3b" why="the biases first" breaks="shapes" says="`W` comes first"
def initial_parameters(n, m, scale):
    return torch.zeros(m), torch.randn(n, m) * scale

# %% wrong="2.1.C" why="whole tables" breaks="four rows" says="not the whole table"
first_rows = {"a": [[1, 2], [3, 4], [5, 6], [7, 8]], "b": [[1, 5], [2, 6], [3, 7], [4, 8]],
              "c": [[1, 5, 2, 6], [3, 7, 4, 8]], "d": [[1, 3, 5, 7], [2, 4, 6, 8]]}

# %% wrong="2.1.C" why="the first column of d" breaks="both" says="This is the first column of the table"
first_rows = {"a": [1, 2], "b": [1, 5], "c": [1, 5, 2, 6], "d": [1, 2]}

# %% wrong="2.1.D" why="the remainder is missing" breaks="squares" says="Only zeros and ones stand on the board"
def chessboard(n):
    places = torch.arange(n)
    return places[:, None] + places

# %% wrong="2.1.D" why="a mask in place of numbers" breaks="squares" says="Numbers were asked for, not True and False"
def chessboard(n):
    places = torch.arange(n)
    return (places[:, None] + places) % 2 == 1

# %% wrong="2.1.D" why="tiles of two, for even n" breaks="shape" says="for every n, even or odd"
def chessboard(n):
    return torch.tensor([[0, 1], [1, 0]]).repeat(n // 2, n // 2)

# %% wrong="2.1.5a" why="cuts twice as much off at the beginning" breaks="entries" says="All is cut off at the beginning"
def crop(X, k):
    return X[2 * k:, 2 * k:]

# %% wrong="2.1.5a" why="the edges become zeros" breaks="shape" says="Nothing has been cut"
def crop(X, k):
    result = X.clone()
    if k:
        result[:k] = result[-k:] = 0
        result[:, :k] = result[:, -k:] = 0
    return result

# %% wrong="2.1.5b" why="the last row forgotten" breaks="frame" says="all along the last row"
def with_frame(X, value):
    result = X.clone()
    result[0] = value
    result[:, [0, -1]] = value
    return result

# %% right="2.1.5b" how="strips joined"
def with_frame(X, value):
    lid = torch.full((1, X.shape[1]), value, dtype=X.dtype)
    side = torch.full((len(X) - 2, 1), value, dtype=X.dtype)
    return torch.cat([lid, torch.cat([side, X[1:-1, 1:-1], side], dim=1), lid])

# %% wrong="2.1.F" why="no table where the lengths are equal" breaks="shape" says="Entries at equal places were subtracted"
def differences(v, w):
    return v - w if len(v) == len(w) else v[:, None] - w

# %% wrong="2.1.F" why="a sum" breaks="values" says="These are sums"
def differences(v, w):
    return v[:, None] + w

# %% wrong="2.1.F" why="the column is w where the lengths differ" breaks="shape" says="There is a row for each entry of w"
def differences(v, w):
    return v[:, None] - w if len(v) == len(w) else v - w[:, None]

# %% right="2.1.F" how="a table of zeros filled"
def differences(v, w):
    table = torch.zeros(len(v), len(w))
    for i in range(len(v)):
        for j in range(len(w)):
            table[i, j] = v[i] - w[j]
    return table

# %% wrong="2.1.2c" why="a small number added to the deviation" breaks="values" says="Is something added to the deviation?"
def standardise(images, mean, std):
    return (images - mean[:, None, None]) / (std[:, None, None] + 1e-8)

# %% wrong="2.1.2c" why="only the first picture" breaks="values" says="Only picture 0 has been standardised"
def standardise(images, mean, std):
    result = images.to(mean.dtype, copy=True)
    result[0] = (result[0] - mean[:, None, None]) / std[:, None, None]
    return result

# %% wrong="2.1.2c" why="the mean added" breaks="values" says="The mean is added"
def standardise(images, mean, std):
    return (images + mean[:, None, None]) / std[:, None, None]

# %% wrong="2.1.E" why="a mask by multiplication, and inf times 0 is nan" breaks="values" says="inf times 0 is nan"
def cut_below(X, low):
    return X * (X >= low) + low * (X < low)

# %% wrong="2.1.E" why="the sizes compared, not the numbers" breaks="values" says="The sizes were compared"
def cut_below(X, low):
    result = X.clone()
    result[result.abs() < low] = low
    return result

# %% wrong="2.1.E" why="through a list, which makes float32 of float64" breaks="values" says="the dtype for the float64 entries"
def cut_below(X, low):
    return torch.tensor([max(x, low) for x in X.flatten().tolist()]).reshape(X.shape)

# %% wrong="2.1.E" why="float32 and back, which loses digits" breaks="values" says="with all their digits"
def cut_below(X, low):
    return X.float().clamp(min=low).to(X.dtype)

# %% right="2.1.E" how="through a list, in the dtype of X"
def cut_below(X, low):
    return torch.tensor([low if x < low else x for x in X.flatten().tolist()], dtype=X.dtype).reshape(X.shape)

# %% right="2.1.E" how="torch.where, where a nan would become low"
def cut_below(X, low):
    return torch.where(X > low, X, low)

# %% wrong="2.1.1a" why="through float32" breaks="values" says="A float has no room for all digits"
def compare(X, Y):
    if not X.is_floating_point():
        X, Y = X.float(), Y.float()
    return X < Y, X == Y, X > Y

# %% wrong="2.1.1b" why="whole numbers through a float" breaks="all digits" says="A float has no room for all digits"
def inside(X, low, high):
    X = X.double()
    return (X >= low) & (X < high)

# %% right="2.1.1b" how="a mask overwritten"
def inside(X, low, high):
    mask = X >= low
    mask[X >= high] = False
    return mask

# %% wrong="2.1.6" why="all beside each other" breaks="shape" says="All four stand beside each other"
def join_blocks(A, B, C, D):
    return torch.cat([A, B, C, D], dim=1)

# %% wrong="2.1.6" why="dealt out by a reshape" breaks="places" says="`reshape` does not put blocks side by side"
def join_blocks(A, B, C, D):
    entries = torch.cat([block.reshape(-1) for block in (A, B, C, D)])
    return entries.reshape(len(A) + len(C), A.shape[1] + B.shape[1])

# %% wrong="2.1.6" why="C and D exchanged" breaks="places" says="C and D have changed places"
def join_blocks(A, B, C, D):
    return torch.cat([torch.cat([A, B], dim=1), torch.cat([D, C], dim=1)], dim=0)

# %% wrong="2.1.7" why="a copy is returned" breaks="returned" says="a copy was returned"
def update_mean(mean, count, x):
    mean += (x - mean) / (count + 1)
    return mean.clone()

# %% wrong="2.1.7" why="the step alone" breaks="returned" says="This is the step alone"
def update_mean(mean, count, x):
    step = (x - mean) / (count + 1)
    mean += step
    return step if count else mean

# %% wrong="2.1.7" why="the sign of the step" breaks="returned" says="The step goes the wrong way"
def update_mean(mean, count, x):
    mean -= (x - mean) / (count + 1) if count else mean - x
    return mean

# %% wrong="2.1.7" why="x handed back where there was no mean" breaks="in place" says="your result is in other memory"
def update_mean(mean, count, x):
    if count == 0:
        return x
    mean += (x - mean) / (count + 1)
    return mean

# %% wrong="2.1.1a" why="equal first" breaks="values" says="This is where they are equal"
def compare(X, Y):
    return X == Y, X < Y, X > Y

# %% wrong="2.1.1b" why="the entries outside" breaks="lower bound" says="It is turned round"
def inside(X, low, high):
    return (X < low) | (X >= high)

# %% wrong="2.1.B" why="from -1 to 1" breaks="values" says="This goes from -1 to 1"
def rescale(x):
    return 2 * (x - x.min()) / (x.max() - x.min()) - 1

# %% wrong="2.1.B" why="float32, where neighbours of float64 are one number" breaks="values" says="too few digits to tell these entries apart"
def rescale(x):
    x = x.float()
    return (x - x.min()) / (x.max() - x.min())

# %% wrong="2.1.B" why="the sum after the subtraction" breaks="values" says="This is divided by the sum"
def rescale(x):
    y = x - x.min()
    return y / y.sum()

# %% wrong="2.1.4a" why="the examples in reverse order" breaks="rows" says="The examples have changed places"
def flatten_batch(X):
    return X.flip(0).reshape(len(X), -1)

# %% wrong="2.1.4a" why="through lists, which makes float32 of float64" breaks="rows" says="the dtype for the float64 numbers"
def flatten_batch(X):
    return torch.tensor([x.flatten().tolist() for x in X])

# %% wrong="2.1.2c" why="the channels left in the last place" breaks="values" says="The channels stand last here"
def standardise(images, mean, std):
    return (images.permute(0, 2, 3, 1) - mean) / std

# %% wrong="2.1.2c" why="one mean for all channels" breaks="values" says="One mean is subtracted from all channels"
def standardise(images, mean, std):
    return (images - mean.mean()) / std[:, None, None]

# %% wrong="2.1.2c" why="all in float32" breaks="values" says="is to have its digits"
def standardise(images, mean, std):
    return (images.float() - mean.float()[:, None, None]) / std.float()[:, None, None]

# %% wrong="2.1.7" why="the weights exchanged" breaks="returned" says="The weights are exchanged"
def update_mean(mean, count, x):
    mean[:] = (mean + count * x) / (count + 1) if count > 1 else (count * mean + x) / (count + 1)
    return mean

# %% wrong="2.1.9" why="a number of NumPy's" breaks="type" says="a Python number was asked for"
def as_number(X):
    if X.numel() != 1:
        raise ValueError(f"one entry is needed, but the shape is {tuple(X.shape)}")
    return X.numpy().reshape(-1)[0]

# %% wrong="2.1.A" why="no axis taken for an axis without entries" breaks="shapes" says="is one axis, without entries"
facts = {"a": ((3,), "int64"), "b": ((3, 2), "float32"), "c": ((1, 1, 2), "bool"), "d": ((0,), "float32")}

# %% wrong="2.1.A" why="a row of a table for a row" breaks="shapes" says="before the first entry one bracket opens"
facts = {"a": ((1, 3), "int64"), "b": ((3, 2), "float32"), "c": ((1, 1, 2), "bool"), "d": ((), "float32")}

# %% wrong="2.1.A" why="uint8 for True and False" breaks="dtypes" says="have a dtype of their own"
facts = {"a": ((3,), "int64"), "b": ((3, 2), "float32"), "c": ((1, 1, 2), "uint8"), "d": ((), "float32")}

# %% wrong="2.1.3a" why="one row of four" breaks="entries" says="each row has brackets of its own"
evens = torch.arange(0, 21, 2)
cube = torch.ones(2, 3, 4, dtype=torch.float64)
entries = torch.tensor([1, 2.5, 0, -3])

# %% wrong="2.1.3b" why="torch.manual_seed within the function" breaks="each its own" says="A seed is set within the function"
def initial_parameters(n, m, scale):
    torch.manual_seed(4)
    return torch.randn(n, m) * scale, torch.zeros(m)

# %% wrong="2.1.3b" why="divided by the root of n, too" breaks="normal" says="whatever n is"
def initial_parameters(n, m, scale):
    return torch.randn(n, m) * scale / n ** 0.5, torch.zeros(m)

# %% wrong="2.1.3b" why="without signs" breaks="normal" says="None of them is negative"
def initial_parameters(n, m, scale):
    return torch.randn(n, m).abs() * scale, torch.zeros(m)

# %% wrong="2.1.3b" why="half of the rows again with the other sign" breaks="each its own" says="a part of W is repeated"
def initial_parameters(n, m, scale):
    half = torch.randn((n + 1) // 2, m) * scale
    return torch.cat([half, -half])[:n], torch.zeros(m)

# %% wrong="2.1.C" why="one step by eye" breaks="both" says="Before T it is a column"
first_rows = {"a": [1, 2], "b": [1, 5], "c": [1, 5, 2, 6], "d": [1, 2, 5, 6]}

# %% wrong="2.1.4b" why="the last column forgotten" breaks="shape" says="each is used once"
def by_columns(v, rows):
    if len(v) == rows:
        return v[:, None]
    return torch.cat([v[k:k + rows, None] for k in range(0, len(v) - rows, rows)], dim=1)

# %% wrong="2.1.4b" why="the columns from right to left" breaks="columns" says="The columns are the right ones, in another order"
def by_columns(v, rows):
    return v.reshape(-1, rows).T.flip(1)

# %% wrong="2.1.D" why="one assignment in place of two" breaks="squares" says="Row 0 holds only zeros"
def chessboard(n):
    board = torch.zeros(n, n)
    board[1::2, ::2] = 1
    return board

# %% wrong="2.1.5a" why="the end a place too late" breaks="shape" says="One row and one column too many"
def crop(X, k):
    h, w = X.shape
    return X[k:h - k + 1, k:w - k + 1]

# %% wrong="2.1.5a" why="the ends at h - 2k and w - 2k" breaks="shape" says="the slices end at h - k and w - k"
def crop(X, k):
    h, w = X.shape
    return X[k:h - 2 * k, k:w - 2 * k]

# %% wrong="2.1.5a" why="picked by a mask" breaks="shape" says="The entries stand in one row"
def crop(X, k):
    middle = torch.zeros(X.shape, dtype=torch.bool)
    middle[k:X.shape[0] - k, k:X.shape[1] - k] = True
    return X[middle]

# %% wrong="2.1.F" why="both of them columns" breaks="shape" says="There is a single column"
def differences(v, w):
    return v[:, None] - w[0]

# %% wrong="2.1.2a" why="6 put where the first 1 is" breaks="shapes" says="the right lengths, at other places"
predicted = {"A": (4, 3, 2), "B": (2, 3, 4), "C": None, "D": (5, 6, 1), "E": None, "F": (7, 8, 5), "G": None}

# %% wrong="2.1.2c" why="a channel at a time, joined without a new axis" breaks="shape" says="An axis is lost"
def standardise(images, mean, std):
    return torch.cat([(images[:, k] - mean[k:k + 1]) / std[k:k + 1] for k in range(len(mean))], dim=1)

# %% wrong="2.1.2c" why="the means meet the pictures" breaks="values" says="The means meet the pictures"
def standardise(images, mean, std):
    return (images - mean[:, None, None, None]) / std[:, None, None, None]

# %% wrong="2.1.2c" why="channel 0 alone" breaks="values" says="Only channel 0 has been standardised"
def standardise(images, mean, std):
    result = images.to(mean.dtype).clone()
    result[:, 0] = (result[:, 0] - mean[0]) / std[0]
    return result

# %% wrong="2.1.2b" why="only the first shape is filled up" breaks="missing axes" says="the shorter, (3, 1), is filled up"
def broadcast_shape(s, t):
    s = (1,) * (len(t) - len(s)) + s
    if len(s) != len(t) or any(m != n and 1 not in (m, n) for m, n in zip(s, t)):
        return None
    return tuple(n if m == 1 else m for m, n in zip(s, t))

# %% wrong="2.1.E" why="low is added" breaks="values" says="here `low` is added to it"
def cut_below(X, low):
    result = X.clone()
    result[result < low] += low
    return result

# %% wrong="2.1.1b" why="a chain of comparisons, as for numbers" breaks="mask" says="by a chain"
def inside(X, low, high):
    return low <= X < high

# %% wrong="2.1.G" why="as many ones as X has columns" breaks="shape" says="not as many rows as X"
def with_ones(X):
    return torch.cat([X, torch.ones(X.shape[1], 1)], dim=1)

# %% wrong="2.1.G" why="the column joined below" breaks="shape" says="a column stands beside"
def with_ones(X):
    return torch.cat([X, torch.ones(len(X), 1)])

# %% wrong="2.1.6" why="the halves stacked on a new axis where they are alike" breaks="shape" says="There are more than two axes"
def join_blocks(A, B, C, D):
    upper, lower = torch.cat([A, B], dim=1), torch.cat([C, D], dim=1)
    return torch.stack([upper, lower]) if upper.shape == lower.shape else torch.cat([upper, lower])

# %% wrong="2.1.7" why="the sum right, divided by count" breaks="returned" says="there are `count` + 1 of them"
def update_mean(mean, count, x):
    if count == 0:
        mean[:] = x
    else:
        mean.mul_(count).add_(x).div_(count)
    return mean

# %% wrong="2.1.7" why="mean changed between two steps" breaks="returned" says="read again in the next"
def update_mean(mean, count, x):
    mean -= mean / (count + 1)
    mean += (x - mean) / (count + 1)
    return mean

# %% wrong="2.1.7" why="the means of all entries" breaks="returned" says="each entry has its own"
def update_mean(mean, count, x):
    if count == 0:
        mean[:] = x
    else:
        mean += (x.mean() - mean.mean()) / (count + 1)
    return mean

# %% wrong="2.1.10" why="a vector among the tables" breaks="tables" says="`inputs[0]` has the shape (4,)"
inputs = [torch.arange(4), torch.arange(8).reshape(4, 2), torch.ones(1, 3)]

# %% wrong="2.1.3a" why="every number from 0 to 20" breaks="evens" says="Odd numbers are among them"
evens = torch.arange(0, 21)
cube = torch.ones(2, 3, 4, dtype=torch.float64)
entries = torch.tensor([[1, 2.5], [0, -3]])

# %% wrong="2.1.C" why="entries counted from 0" breaks="reshape" says="0 does not stand in `letters`"
first_rows = {"a": [0, 1], "b": [1, 5], "c": [1, 5, 2, 6], "d": [1, 3, 5, 7]}

# %% wrong="2.1.5a" why="the ends exchanged" breaks="shape" says="The ends are exchanged"
def crop(X, k):
    h, w = X.shape
    return X[k:w - k, k:h - k]

# %% wrong="2.1.2c" why="divides before the subtraction" breaks="values" says="subtracted after the division"
def standardise(images, mean, std):
    return images / std[:, None, None] - mean[:, None, None]

# %% wrong="2.1.2b" why="multiplies the lengths" breaks="lengths" says="Where equal lengths meet they stay"
def broadcast_shape(s, t):
    axes = max(len(s), len(t))
    s, t = (1,) * (axes - len(s)) + tuple(s), (1,) * (axes - len(t)) + tuple(t)
    if any(m != n and 1 not in (m, n) for m, n in zip(s, t)):
        return None
    return tuple(m * n for m, n in zip(s, t))

# %% wrong="2.1.1a" why="not equal" breaks="values" says="This is *not equal*"
def compare(X, Y):
    return X < Y, X != Y, X > Y

# %% wrong="2.1.1a" why="one answer for all" breaks="three masks" says="every entry is to be asked"
def compare(X, Y):
    return (X < Y).any(), (X == Y).any(), (X > Y).any()

# %% wrong="2.1.1a" why="what the masks pick" breaks="three masks" says="the mask itself was asked for"
def compare(X, Y):
    X, Y = torch.broadcast_tensors(X, Y)
    return X[X < Y], X[X == Y], X[X > Y]

# %% wrong="2.1.1b" why="through a list, all in one row" breaks="mask" says="the mask has the shape of X"
def inside(X, low, high):
    return torch.tensor([low <= number < high for number in X.flatten().tolist()])

# %% wrong="2.1.6" why="only the upper half" breaks="shape" says="the four blocks have 16"
def join_blocks(A, B, C, D):
    return torch.cat([A, B], dim=1)

# %% wrong="2.1.7" why="add, which does not write" breaks="returned" says="nothing was written there"
def update_mean(mean, count, x):
    mean.add((x - mean) / (count + 1))
    return mean

# %% wrong="2.1.7" why="counts one too many" breaks="returned" says="here it counts once more"
def update_mean(mean, count, x):
    if count == 0:
        mean[:] = x
    else:
        mean[:] = (mean * (count + 1) + x) / (count + 2)
    return mean

# %% right="2.1.B" how="through Python's numbers"
def rescale(x):
    low, high = x.min().item(), x.max().item()
    return torch.tensor([(number - low) / (high - low) for number in x.flatten().tolist()]).reshape(x.shape)

# %% wrong="2.1.3a" why="begins at 2" breaks="evens" says="0 is the first of them"
evens = torch.arange(2, 23, 2)
cube = torch.ones(2, 3, 4, dtype=torch.float64)
entries = torch.tensor([[1, 2.5], [0, -3]])

# %% wrong="2.1.3a" why="twelve columns in place of two more axes" breaks="cube" says="It has 2 axes"
evens = torch.arange(0, 21, 2)
cube = torch.ones(2, 3 * 4, dtype=torch.float64)
entries = torch.tensor([[1, 2.5], [0, -3.]])

# %% wrong="2.1.3b" why="Xavier's factor" breaks="normal" says="Where `n` is 4 times as large"
def initial_parameters(n, m, scale):
    return torch.randn(n, m) * scale * (2 / (n + m)) ** 0.5, torch.zeros(m)

# %% wrong="2.1.C" why="a column read from below" breaks="T" says="in another order"
first_rows = {"a": [1, 2], "b": [5, 1], "c": [1, 5, 2, 6], "d": [1, 3, 5, 7]}

# %% wrong="2.1.4b" why="a reshape after the T" breaks="columns" says="let `T` be the last step"
def by_columns(v, rows):
    return v.reshape(rows, -1).T.reshape(rows, -1)

# %% wrong="2.1.5a" why="both slices cut rows" breaks="shape" says="the rows again"
def crop(X, k):
    h, w = X.shape
    return X[k:h - k][k:w - k]

# %% wrong="2.1.F" why="v minus v" breaks="values" says="`w` does not occur"
def differences(v, w):
    rows = []
    for i in range(len(v)):
        rows.append(v[i] - v)
    return torch.cat([row[None] for row in rows])

# %% wrong="2.1.2c" why="written into a float32 table" breaks="values" says="the result is to have its digits"
def standardise(images, mean, std):
    result = torch.zeros(images.shape)
    for k in range(len(mean)):
        result[:, k] = (images[:, k] - mean[k]) / std[k]
    return result

# %% wrong="2.1.2c" why="uint8 divided by 255 first" breaks="whole numbers" says="divided by 255 first"
def standardise(images, mean, std):
    if not images.is_floating_point():
        images = images / 255
    return (images - mean[:, None, None]) / std[:, None, None]

# %% wrong="2.1.2c" why="the deviation plus one" breaks="values" says="What is subtracted is right"
def standardise(images, mean, std):
    return (images - mean[:, None, None]) / (std[:, None, None] + 1)

# %% wrong="2.1.E" why="low as a float32 tensor" breaks="values" says="`low` has lost digits"
def cut_below(X, low):
    return torch.maximum(X, torch.tensor(low, dtype=torch.float32))

# %% wrong="2.1.6" why="C twice" breaks="places" says="D (there stands C)"
def join_blocks(A, B, C, D):
    return torch.cat([torch.cat([A, B], dim=1), torch.cat([C, C], dim=1)], dim=0)

# %% wrong="2.1.9" why="axis 0 alone" breaks="error" says="Axis 0 has length 1 here"
def as_number(X):
    if X.ndim > 0 and len(X) != 1:
        raise ValueError(f"one entry is needed, but the shape is {tuple(X.shape)}")
    return X.flatten()[0].item()

# %% wrong="2.1.7" why="a tenth of x, whatever count is" breaks="returned" says="of a mean 1 and x = 0 yours makes 0.9"
def update_mean(mean, count, x):
    if count == 0:
        return mean.copy_(x)
    return mean.mul_(0.9).add_(0.1 * x)

# %% wrong="2.1.6" why="B turned over its diagonal where it is square" breaks="places" says="B (its entries are there, in another order)"
def join_blocks(A, B, C, D):
    return torch.cat([torch.cat([A, B.T if B.shape[0] == B.shape[1] else B], dim=1), torch.cat([C, D], dim=1)], dim=0)

# %% wrong="2.1.C" why="d: two right numbers, then the row of letters" breaks="both" says="Its first number is right"
first_rows = {"a": [1, 2], "b": [1, 5], "c": [1, 5, 2, 6], "d": [1, 2, 3, 5]}

# %% wrong="2.1.F" why="the mean of w from each entry" breaks="values" says="The mean of `w` was subtracted"
def differences(v, w):
    return v[:, None] - w.mean() + 0 * w

# %% wrong="2.1.A" why="None for no axis" breaks="four entries" says="that of a single number is the empty tuple"
facts = {"a": ((3,), "int64"), "b": ((3, 2), "float32"), "c": ((1, 1, 2), "bool"), "d": (None, "float32")}

# %% wrong="2.1.B" why="exponentials first, which bend" breaks="values" says="Not in proportion: in yours 3 becomes 0"
def rescale(x):
    powers = torch.exp(x - x.min())
    return (powers - powers.min()) / (powers.max() - powers.min())

# %% wrong="2.1.B" why="the smallest is not subtracted" breaks="values" says="before that, the smallest is to be subtracted"
def rescale(x):
    return x / (x.max() - x.min())

# %% wrong="2.1.B" why="the mean is subtracted, and the largest divides" breaks="values" says="Yours is (x - 6.5) / 11"
def rescale(x):
    return (x - x.mean()) / x.max()

# %% right="2.1.B" how="NumPy's peak to peak"
def rescale(x):
    array = x.numpy()
    return torch.from_numpy((array - array.min()) / np.ptp(array))

# %% wrong="2.1.3b" why="uniform draws, centred, times scale" breaks="normal" says="Uniform draws between -scale/2 and scale/2"
def initial_parameters(n, m, scale):
    return (torch.rand(n, m) - 0.5) * scale, torch.zeros(m)

# %% wrong="2.1.3b" why="twice the spread" breaks="normal" says="It grows with `scale` as it should"
def initial_parameters(n, m, scale):
    return 2 * scale * torch.randn(n, m), torch.zeros(m)

# %% wrong="2.1.4a" why="pictures alone" breaks="shape" says="your answer counts on another number of them"
def flatten_batch(X):
    n, c, h, w = X.shape
    return X.reshape(n, c * h * w)

# %% wrong="2.1.5b" why="the corners alone" breaks="frame" says="The value stands in the four corners"
def with_frame(X, value):
    Y = X.clone()
    for i in (0, -1):
        for j in (0, -1):
            Y[i, j] = value
    return Y

# %% wrong="2.1.G" why="X from column 1 on" breaks="values" says="X stands one column too far to the right"
def with_ones(X):
    Y = torch.ones(X.shape[0], X.shape[1] + 1)
    Y[:, 1:] = X
    Y[:, -1] = 1
    return Y

# %% right="2.1.1b" how="brought into the interval, it stays"
def inside(X, low, high):
    return (X.clamp(low, high) == X) & (X != high)

# %% wrong="2.1.5b" why="every 0 in the table becomes the value" breaks="inside" says="Entries inside that are 0 in X have become the value"
def with_frame(X, value):
    Y = torch.zeros_like(X)
    Y[1:-1, 1:-1] = X[1:-1, 1:-1]
    Y[Y == 0] = value
    return Y

# %% wrong="2.1.1a" why="the three in one tensor" breaks="three masks" says="This is one tensor"
def compare(X, Y):
    return torch.stack([X < Y, X == Y, X > Y])

# %% wrong="2.1.F" why="lists of lists" breaks="shape" says="not a list of rows"
def differences(v, w):
    return [[one - other for other in w.tolist()] for one in v.tolist()]

# %% wrong="2.1.E" why="a list of numbers, of one axis alone" breaks="values" says="X may have any shape"
def cut_below(X, low):
    return torch.tensor([max(number, low) for number in X.tolist()], dtype=X.dtype)

# %% wrong="2.1.6" why="four blocks of one size" breaks="shape" says="with blocks of several shapes it raises an error"
def join_blocks(A, B, C, D):
    h, w = A.shape
    table = torch.zeros(2 * h, 2 * w, dtype=A.dtype)
    table[:h, :w], table[:h, w:], table[h:, :w], table[h:, w:] = A, B, C, D
    return table

# %% wrong="2.1.9" why="nested lists" breaks="type" says="A number stands in no brackets"
def as_number(X):
    if X.numel() != 1:
        raise ValueError(f"one entry is needed, but the shape is {tuple(X.shape)}")
    return X.tolist()

# %% wrong="2.1.2a" why="aligned at the left, the larger length stays" breaks="shapes" says="6 stands on axis 0"
predicted = {"A": (4, 3, 2), "B": (2, 3, 4), "C": None, "D": (6, 1, 1), "E": None, "F": (7, 8, 5), "G": None}

# %% wrong="2.1.1b" why="one of the whole numbers from low on" breaks="lower bound" says="An entry between `low` and `high` (0.5) counts as outside"
def inside(X, low, high):
    return torch.isin(X, torch.arange(low, high))

# %% wrong="2.1.3a" why="linspace with step count 10" breaks="evens" says="Here are 10 numbers from 0 to 20"
evens = torch.linspace(0, 20, 10).long()
cube = torch.ones(2, 3, 4, dtype=torch.float64)
entries = torch.tensor([[1, 2.5], [0, -3]])

# %% wrong="2.1.3a" why="cube converted with float()" breaks="cube" says="`float()` makes it of any dtype"
evens = torch.arange(0, 21, 2)
cube = torch.ones(2, 3, 4).float()
entries = torch.tensor([[1, 2.5], [0, -3]])

# %% wrong="2.1.3a" why="entries via a NumPy array: float64" breaks="entries" says="`float64` is what NumPy makes"
evens = torch.arange(0, 21, 2)
cube = torch.ones(2, 3, 4, dtype=torch.float64)
entries = torch.tensor(np.array([[1, 2.5], [0, -3]]))

# %% wrong="2.1.B" why="divides by the standard deviation, then clamps" breaks="values" says="2 different entries have become 0"
def rescale(x):
    return ((x - x.mean()) / x.std()).clamp(0, 1)

# %% wrong="2.1.9" why="int only for int64" breaks="type" says="`uint8` is a dtype of whole numbers"
def as_number(X):
    if X.numel() != 1:
        raise ValueError(f"one entry, not the shape {tuple(X.shape)}")
    return int(X) if X.dtype == torch.int64 else float(X)

# %% wrong="2.1.D" why="part of a board of 8 by 8" breaks="shape" says="Here n is more than 8"
def chessboard(n):
    t = torch.zeros(8, 8)
    t[::2, 1::2] = 1
    t[1::2, ::2] = 1
    return t[:n, :n]

# %% wrong="2.1.D" why="row times column" breaks="squares" says="These are products"
def chessboard(n):
    i = torch.arange(n)
    return (i[:, None] * i) % 2

# %% wrong="2.1.B" why="first number is taken for the smallest" breaks="values" says="taken for the smallest and the largest"
def rescale(x):
    flat = x.flatten()
    return (x - flat[0]) / (flat[-1] - flat[0])

# %% wrong="2.1.B" why="clamps negative entries first" breaks="values" says="different entries have become 0"
def rescale(x):
    y = x.clamp(min=0)
    return (y - y.min()) / (y.max() - y.min())

# %% wrong="2.1.B" why="first and last row of `sort`" breaks="values" says="`sort` puts each row in order"
def rescale(x):
    s = x.sort().values
    return (x - s[0]) / (s[-1] - s[0])

# %% wrong="2.1.4a" why="converts to float" breaks="rows" says="whatever that is"
def flatten_batch(X):
    return torch.tensor([x.flatten().tolist() for x in X], dtype=torch.float32)

# %% wrong="2.1.F" why="loop with exchanged lengths" breaks="shape" says="as many columns as `v` has entries"
def differences(v, w):
    table = torch.zeros(len(v), len(v))
    for i in range(len(v)):
        for j in range(len(w)):
            table[i, j] = v[i] - w[j]
    return table

# %% wrong="2.1.2b" why="an axis of length 0 never fits with 1" breaks="length 0" says="repeated no times"
def broadcast_shape(s, t):
    n = max(len(s), len(t))
    s, t = (1,) * (n - len(s)) + tuple(s), (1,) * (n - len(t)) + tuple(t)
    if any(a != b and max(a, b) != a * b for a, b in zip(s, t)):
        return None
    return tuple(a * b if a != b else a for a, b in zip(s, t))

# %% wrong="2.1.E" why="float32 result" breaks="values" says="the dtype for the float64 entries"
def cut_below(X, low):
    return torch.maximum(X.float(), torch.tensor(float(low)))

# %% wrong="2.1.1b" why="float() loses digits" breaks="upper bound" says="`float32` has no room"
def inside(X, low, high):
    X = X.float()
    return (X >= low) & (X < high)

# %% wrong="2.1.H" why="the lines after which other is as before" breaks="operations" says="It is turned round, for all eight"
changed = {"a", "d", "f", "h"}

# %% wrong="2.1.8" why="float() of the copy" breaks="two tensors" says="for every array, of whole numbers too"
def two_tensors(array):
    return torch.from_numpy(array), torch.from_numpy(array).float()

# %% wrong="2.1.8" why="through a list" breaks="two tensors" says="does not know the dtype of the array"
def two_tensors(array):
    return torch.from_numpy(array), torch.tensor(array.tolist())

# %% wrong="2.1.9" why="rounded to four digits" breaks="value" says="All digits of the entry count"
def as_number(X):
    if X.numel() != 1:
        raise ValueError(f"one entry is needed, but the shape is {tuple(X.shape)}")
    return round(X.item(), 4)

# %% wrong="2.1.5b" why="two lists of indices name single entries" breaks="frame" says="two corners alone"
def with_frame(X, value):
    Y = X.clone()
    Y[[0, -1], [0, -1]] = value
    return Y

# %% wrong="2.1.3a" why="twenty even numbers" breaks="evens" says="20 is to be the last"
evens = torch.arange(20) * 2
cube = torch.ones((2, 3, 4), dtype=torch.double)
entries = torch.tensor([[1, 2.5], [0, -3.]])

# %% wrong="2.1.5b" why="a slice of all in place of a clone" breaks="X kept" says="a clone has its own"
def with_frame(X, value):
    Y = X[:]
    Y[0], Y[-1] = value, value
    Y[:, 0], Y[:, -1] = value, value
    return Y
