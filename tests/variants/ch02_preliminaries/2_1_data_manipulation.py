# %% right="2.1.1a" how="torch.lt, torch.eq, torch.gt"
def compare(X, Y):
    return torch.lt(X, Y), torch.eq(X, Y), torch.gt(X, Y)

# %% right="2.1.1a" how="a list, with the sides swapped"
def compare(X, Y):
    return [Y > X, Y == X, Y < X]

# %% wrong="2.1.1a" why="greater means not less" says="greater, for (1, 2, 5, -1)"
def compare(X, Y):
    return X < Y, X == Y, ~(X < Y)

# %% wrong="2.1.1a" why="greater is what the others leave, so nan is greater" says="`greater` where an entry is nan"
def compare(X, Y):
    return X < Y, X == Y, ~((X < Y) | (X == Y))

# %% wrong="2.1.1a" why="masks of 0 and 1" says="wrong dtype: got int64"
def compare(X, Y):
    return (X < Y).long(), (X == Y).long(), (X > Y).long()

# %% wrong="2.1.1a" why="less and greater swapped" says="less, for (1, 2, 5, -1)"
def compare(X, Y):
    return X > Y, X == Y, X < Y

# %% wrong="2.1.1a" why="one answer for the whole tensor" says="less, for (1, 2, 5, -1)"
def compare(X, Y):
    return (X < Y).any(), torch.tensor(torch.equal(X, Y)), (X > Y).any()

# %% wrong="2.1.1a" why="broadcasts by hand to the shape of X" says="the shape of `less`"
def compare(X, Y):
    Y = Y.expand_as(X) if Y.numel() <= X.numel() else Y[:1].expand_as(X)
    return X < Y, X == Y, X > Y

# %% right="2.1.1b" how="torch.logical_and"
def inside(X, low, high):
    return torch.logical_and(X >= low, X < high)

# %% right="2.1.1b" how="neither below nor above"
def inside(X, low, high):
    return ~((X < low) | (X >= high))

# %% right="2.1.1b" how="the product of two masks"
def inside(X, low, high):
    return (low <= X) * (high > X)

# %% wrong="2.1.1b" why="Python's chained comparison" says="Boolean value of Tensor"
def inside(X, low, high):
    return low <= X < high

# %% wrong="2.1.1b" why="the word and" says="Boolean value of Tensor"
def inside(X, low, high):
    return X >= low and X < high

# %% wrong="2.1.1b" why="without parentheses, & binds first" says="raised"
def inside(X, low, high):
    return X >= low & X < high

# %% wrong="2.1.1b" why="or in place of and" says="This is *or*"
def inside(X, low, high):
    return (X >= low) | (X < high)

# %% wrong="2.1.1b" why="strict at the lower bound" says="The lower bound belongs"
def inside(X, low, high):
    return (X > low) & (X < high)

# %% wrong="2.1.1b" why="the upper bound counted" says="The upper bound does not belong"
def inside(X, low, high):
    return (X >= low) & (X <= high)

# %% wrong="2.1.1b" why="the numbers, not the mask" says="wrong shape"
def inside(X, low, high):
    return X[(X >= low) & (X < high)]

# %% wrong="2.1.1b" why="hard-coded for the visible numbers" says="integers of shape (4, 3, 5)"
def inside(X, low, high):
    return (X >= 0) & (X < 2)
# %% right="2.1.2a" how="lists, and torch.Size"
import torch
predicted = dict(A=[4, 3, 2], B=torch.Size([2, 3, 4]), C=None, D=[5, 1, 6], E=None, F=(7, 8, 5), G=None)

# %% right="2.1.2a" how="computed with tensors of zeros"
predicted = {}
for letter in pairs:
    try:
        predicted[letter] = (torch.zeros(pairs[letter][0]) * torch.zeros(pairs[letter][1])).shape
    except RuntimeError:
        predicted[letter] = None

# %% wrong="2.1.2a" why="aligns the shapes at the left" says="the letters with None"
predicted = {"A": (4, 3, 2), "B": (2, 3, 4), "C": None, "D": None, "E": (3, 2, 4), "F": (7, 8, 5), "G": None}

# %% wrong="2.1.2a" why="every pair with as many axes can be added, by the larger length" says="the letters with None"
predicted = {"A": (4, 3, 2), "B": (2, 3, 4), "C": (3, 4, 4), "D": (5, 1, 6), "E": None, "F": (7, 8, 5), "G": (4, 4, 2)}

# %% wrong="2.1.2a" why="the shape of the longer operand" says="the shapes of the other sums"
predicted = {"A": (4, 3, 2), "B": (2, 1, 4), "C": None, "D": (5, 1, 1), "E": None, "F": (7, 1, 5), "G": None}

# %% wrong="2.1.2a" why="drops an axis of length 1" says="the shape of pair D"
predicted = {"A": (4, 3, 2), "B": (2, 3, 4), "C": None, "D": (5, 6), "E": None, "F": (7, 8, 5), "G": None}

# %% wrong="2.1.2a" why="not all letters" says="the letters in predicted"
predicted = {"A": (4, 3, 2), "B": (2, 3, 4), "D": (5, 1, 6), "F": (7, 8, 5)}

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

# %% wrong="2.1.2b" why="the larger length, though 0 and 1 give 0" says="shapes (2, 0, 3) and (1, 1, 3)"
def broadcast_shape(s, t):
    axes = max(len(s), len(t))
    s, t = (1,) * (axes - len(s)) + s, (1,) * (axes - len(t)) + t
    if any(m != n and m != 1 and n != 1 for m, n in zip(s, t)):
        return None
    return tuple(max(m, n) for m, n in zip(s, t))

# %% wrong="2.1.2b" why="aligns the shapes at the left" says="shapes (4, 3, 2) and (3, 1)"
def broadcast_shape(s, t):
    axes = max(len(s), len(t))
    s, t = s + (1,) * (axes - len(s)), t + (1,) * (axes - len(t))
    if any(m != n and m != 1 and n != 1 for m, n in zip(s, t)):
        return None
    return tuple(n if m == 1 else m for m, n in zip(s, t))

# %% wrong="2.1.2b" why="forgets the axes that only one shape has" says="values differ: got the tuple (3, 2)"
def broadcast_shape(s, t):
    if any(m != n and m != 1 and n != 1 for m, n in zip(s[::-1], t[::-1])):
        return None
    return tuple(n if m == 1 else m for m, n in zip(s[::-1], t[::-1]))[::-1]

# %% wrong="2.1.2b" why="repeats a length that divides the other" says="which do not fit"
def broadcast_shape(s, t):
    axes = max(len(s), len(t))
    s, t = (1,) * (axes - len(s)) + s, (1,) * (axes - len(t)) + t
    if any(max(m, n) % max(min(m, n), 1) for m, n in zip(s, t)):
        return None
    return tuple(max(m, n) for m, n in zip(s, t))

# %% wrong="2.1.2b" why="lets the torch error out" says="raised RuntimeError"
def broadcast_shape(s, t):
    return torch.broadcast_shapes(s, t)

# %% wrong="2.1.2b" why="only the second shape may have missing axes" says="shapes (3,) and (2, 4, 3)"
def broadcast_shape(s, t):
    t = (1,) * (len(s) - len(t)) + t
    if any(m != n and m != 1 and n != 1 for m, n in zip(s, t)):
        return None
    return tuple(n if m == 1 else m for m, n in zip(s, t))

# %% wrong="2.1.2b" why="only the first shape may be repeated" says="shapes (2, 1) and (1, 3)"
def broadcast_shape(s, t):
    axes = max(len(s), len(t))
    s, t = (1,) * (axes - len(s)) + s, (1,) * (axes - len(t)) + t
    return None if any(m != n and m != 1 for m, n in zip(s, t)) else t

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

# %% wrong="2.1.2c" why="mean meets the last axis" says="raised RuntimeError"
def standardise(images, mean, std):
    return (images - mean) / std

# %% wrong="2.1.2c" why="mean meets the last axis where that fits" says="where any axis fits"
def standardise(images, mean, std):
    if images.shape[-1] == len(mean):
        return (images - mean) / std
    return (images - mean[:, None, None]) / std[:, None, None]

# %% wrong="2.1.2c" why="mean meets the rows" says="wrong shape: got (2, 3, 3, 2)"
def standardise(images, mean, std):
    return (images - mean[:, None].expand(-1, images.shape[-1])) / std[:, None]

# %% wrong="2.1.2c" why="does not divide" says="The division by the standard deviation is missing"
def standardise(images, mean, std):
    return images - mean[:, None, None]

# %% wrong="2.1.2c" why="works in the caller's memory" says="the images are left as they were"
def standardise(images, mean, std):
    if images.is_floating_point():
        images -= mean[:, None, None]
        images /= std[:, None, None]
        return images
    return (images - mean[:, None, None]) / std[:, None, None]

# %% wrong="2.1.2c" why="divides by the variance" says="the first image"
def standardise(images, mean, std):
    return (images - mean[:, None, None]) / std[:, None, None] ** 2

# %% wrong="2.1.2c" why="keeps the dtype uint8" says="uint8 images"
def standardise(images, mean, std):
    return ((images - mean[:, None, None]) / std[:, None, None]).to(images.dtype)

# %% right="2.1.3a" how="cat, new_ones and a stack"
evens = 2 * torch.cat([torch.arange(6), torch.arange(6, 11)])
cube = torch.zeros(()).double().new_ones((2, 3, 4))
entries = torch.stack([torch.tensor([1., 2.5]), torch.tensor([0., -3.])])

# %% wrong="2.1.3a" why="arange leaves out its end" says="the shape of evens: wrong shape: got (10,)"
evens = torch.arange(0, 20, 2)
cube = torch.ones(2, 3, 4, dtype=torch.float64)
entries = torch.tensor([[1, 2.5], [0, -3]])

# %% wrong="2.1.3a" why="ones of the default dtype" says="the dtype of cube: wrong dtype: got float32"
evens = torch.arange(0, 21, 2)
cube = torch.ones(2, 3, 4)
entries = torch.tensor([[1, 2.5], [0, -3]])

# %% wrong="2.1.3a" why="linspace gives floating point" says="the dtype of evens: wrong dtype: got float32"
evens = torch.linspace(0, 20, 11)
cube = torch.ones(2, 3, 4, dtype=torch.float64)
entries = torch.tensor([[1, 2.5], [0, -3]])

# %% wrong="2.1.3a" why="rows and columns swapped" says="entries: values differ"
evens = torch.arange(0, 21, 2)
cube = torch.ones(2, 3, 4, dtype=torch.float64)
entries = torch.tensor([[1, 0], [2.5, -3]])

# %% wrong="2.1.3a" why="the numbers 0 to 10" says="evens: values differ"
evens = torch.arange(11)
cube = torch.ones(2, 3, 4, dtype=torch.float64)
entries = torch.tensor([[1, 2.5], [0, -3]])

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

# %% wrong="2.1.3b" why="scale as the variance" says="is the standard deviation, not the variance"
def initial_parameters(n, m, scale):
    return torch.randn(n, m) * scale ** 0.5, torch.zeros(m)

# %% wrong="2.1.3b" why="uniform draws" says="the mean of 30000 weights"
def initial_parameters(n, m, scale):
    return torch.rand(n, m) * scale, torch.zeros(m)

# %% wrong="2.1.3b" why="uniform draws of the right mean and deviation" says="Are the draws normal?"
def initial_parameters(n, m, scale):
    return (2 * torch.rand(n, m) - 1) * 3 ** 0.5 * scale, torch.zeros(m)

# %% wrong="2.1.3b" why="the transposed shape" says="the shape of W for n = 3, m = 2: wrong shape: got (2, 3)"
def initial_parameters(n, m, scale):
    return torch.randn(m, n) * scale, torch.zeros(m)

# %% wrong="2.1.3b" why="a bias with two axes" says="the shape of b for m = 2: wrong shape: got (1, 2)"
def initial_parameters(n, m, scale):
    return torch.randn(n, m) * scale, torch.zeros(1, m)

# %% wrong="2.1.3b" why="a fixed seed" says="two calls draw different weights"
def initial_parameters(n, m, scale):
    generator = torch.Generator().manual_seed(0)
    return torch.randn(n, m, generator=generator) * scale, torch.zeros(m)

# %% wrong="2.1.3b" why="ignores scale" says="the standard deviation of 30000 weights"
def initial_parameters(n, m, scale):
    return torch.randn(n, m) * 0.1, torch.zeros(m)

# %% wrong="2.1.3b" why="one row of draws for all" says="Is every weight a draw of its own?"
def initial_parameters(n, m, scale):
    row = torch.randn(m)
    return ((row - row.mean()) / row.std() * scale).expand(n, m).clone(), torch.zeros(m)

# %% wrong="2.1.3b" why="double precision" says="the dtype of W: wrong dtype: got float64"
def initial_parameters(n, m, scale):
    return torch.randn(n, m, dtype=torch.float64) * scale, torch.zeros(m)

# %% right="2.1.4a" how="flatten"
def flatten_batch(X):
    return torch.flatten(X, start_dim=1)

# %% right="2.1.4a" how="a row at a time"
def flatten_batch(X):
    return torch.stack([example.reshape(-1) for example in X])

# %% right="2.1.4a" how="NumPy"
def flatten_batch(X):
    return torch.from_numpy(X.numpy().reshape(len(X), -1))

# %% wrong="2.1.4a" why="everything in one axis" says="got (24,)"
def flatten_batch(X):
    return X.reshape(-1)

# %% wrong="2.1.4a" why="one column for each example" says="got (6, 4)"
def flatten_batch(X):
    return X.reshape(-1, X.shape[0])

# %% wrong="2.1.4a" why="lengths written in" says="raised RuntimeError"
def flatten_batch(X):
    return X.reshape(4, 6)

# %% wrong="2.1.4a" why="two axes too few joined" says="tensor (3, 2, 5, 4)"
def flatten_batch(X):
    return X.reshape(X.shape[0], X.shape[1] * X.shape[2])

# %% wrong="2.1.4a" why="the entries of an example in another order" says="the first row"
def flatten_batch(X):
    return X.transpose(1, -1).reshape(X.shape[0], -1)

# %% wrong="2.1.4a" why="view wants memory in order" says="raised RuntimeError"
def flatten_batch(X):
    return X.view(X.shape[0], -1)

# %% wrong="2.1.4a" why="the examples along the last axis" says="the shape for four examples"
def flatten_batch(X):
    return X.reshape(X.shape[-1], -1)

# %% right="2.1.4b" how="every so-many-th entry is a row"
def by_columns(v, rows):
    return torch.stack([v[k::rows] for k in range(rows)])

# %% right="2.1.4b" how="NumPy's order F"
def by_columns(v, rows):
    return torch.from_numpy(v.numpy().reshape((rows, -1), order="F"))

# %% wrong="2.1.4b" why="row by row" says="This is filled row by row"
def by_columns(v, rows):
    return v.reshape(rows, -1)

# %% wrong="2.1.4b" why="the number of rows as that of columns" says="got (3, 2)"
def by_columns(v, rows):
    return v.reshape(-1, rows)

# %% wrong="2.1.4b" why="transposes the matrix filled row by row" says="got (3, 2)"
def by_columns(v, rows):
    return v.reshape(rows, -1).T

# %% wrong="2.1.4b" why="upside down" says="the vector 0, ..., 5 in two rows: values differ"
def by_columns(v, rows):
    return v.reshape(-1, rows).T.flip(0)

# %% right="2.1.5a" how="or None"
def crop(X, k):
    return X[k:-k or None, k:-k or None]

# %% right="2.1.5a" how="narrow"
def crop(X, k):
    return X.narrow(0, k, X.shape[0] - 2 * k).narrow(1, k, X.shape[1] - 2 * k)

# %% wrong="2.1.5a" why="-0 is 0" says="k = 0: wrong shape: got (0, 0)"
def crop(X, k):
    return X[k:-k, k:-k]

# %% wrong="2.1.5a" why="only the rows" says="wrong shape: got (2, 5)"
def crop(X, k):
    return X[k:len(X) - k]

# %% wrong="2.1.5a" why="the number of rows for both axes" says="for X of shape (4, 5) and k = 1"
def crop(X, k):
    n = X.shape[0]
    return X[k:n - k, k:n - k]

# %% wrong="2.1.5a" why="one row and column too few at the end" says="wrong shape: got (1, 2)"
def crop(X, k):
    return X[k:len(X) - k - 1, k:X.shape[1] - k - 1]

# %% wrong="2.1.5a" why="always one" says="k = 0"
def crop(X, k):
    return X[1:-1, 1:-1]

# %% wrong="2.1.5a" why="indexes with one slice after another on the same axis" says="wrong shape"
def crop(X, k):
    return X[k:len(X) - k][k:X.shape[1] - k]

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

# %% wrong="2.1.5b" why="overwrites the argument" says="X after the call"
def with_frame(X, value):
    X[0] = X[-1] = value
    X[:, 0] = X[:, -1] = value
    return X

# %% wrong="2.1.5b" why="a second name is no copy" says="wrote into the memory of X"
def with_frame(X, value):
    Y = X
    Y[[0, -1]] = value
    Y[:, [0, -1]] = value
    return Y

# %% wrong="2.1.5b" why="only rows" says="1 to 9 in 3 rows, framed by 0: values differ"
def with_frame(X, value):
    Y = X.clone()
    Y[0] = Y[-1] = value
    return Y

# %% wrong="2.1.5b" why="the inside in place of the frame" says="1 to 9 in 3 rows, framed by 0: values differ"
def with_frame(X, value):
    Y = X.clone()
    Y[1:-1, 1:-1] = value
    return Y

# %% wrong="2.1.5b" why="the frame around, not within" says="wrong shape: got (5, 5)"
def with_frame(X, value):
    Y = torch.full((X.shape[0] + 2, X.shape[1] + 2), float(value))
    Y[1:-1, 1:-1] = X
    return Y

# %% wrong="2.1.5b" why="the dtype of value" says="wrong dtype: got int64"
def with_frame(X, value):
    Y = torch.full(X.shape, value)
    Y[1:-1, 1:-1] = X[1:-1, 1:-1].to(Y.dtype)
    return Y

# %% wrong="2.1.5b" why="zeros, not value" says="value -2: values differ"
def with_frame(X, value):
    Y = torch.zeros_like(X)
    Y[1:-1, 1:-1] = X[1:-1, 1:-1]
    return Y

# %% wrong="2.1.5b" why="rows 0 to 2 as the frame of every matrix" says="X of shape (4, 7)"
def with_frame(X, value):
    Y = X.clone()
    Y[[0, 2]] = value
    Y[:, [0, 2]] = value
    return Y

# %% right="2.1.6" how="slices of an empty matrix"
def join_blocks(A, B, C, D):
    h, w = A.shape
    result = A.new_empty(h + C.shape[0], w + B.shape[1])
    result[:h, :w], result[:h, w:], result[h:, :w], result[h:, w:] = A, B, C, D
    return result

# %% right="2.1.6" how="vstack and hstack"
def join_blocks(A, B, C, D):
    return torch.hstack((torch.vstack((A, C)), torch.vstack((B, D))))

# %% wrong="2.1.6" why="axes exchanged" says="raised RuntimeError"
def join_blocks(A, B, C, D):
    return torch.cat([torch.cat([A, B], dim=0), torch.cat([C, D], dim=0)], dim=1)

# %% wrong="2.1.6" why="axes exchanged where square blocks allow it" says="blocks of shapes (2, 2)"
def join_blocks(A, B, C, D):
    if A.shape == B.shape == C.shape:
        return torch.cat([torch.cat([A, B], dim=0), torch.cat([C, D], dim=0)], dim=1)
    return torch.cat([torch.cat([A, B], dim=1), torch.cat([C, D], dim=1)], dim=0)

# %% wrong="2.1.6" why="all below each other" says="raised RuntimeError"
def join_blocks(A, B, C, D):
    return torch.cat([A, B, C, D], dim=0)

# %% wrong="2.1.6" why="forgets a block" says="the shape for blocks (1, 2), (1, 3), (2, 2), (2, 3)"
def join_blocks(A, B, C, D):
    return torch.cat([A, C], dim=0)

# %% wrong="2.1.6" why="B and D swapped upside down" says="blocks filled with 1, 2, 3 and 4"
def join_blocks(A, B, C, D):
    return torch.cat([torch.cat([A, C], dim=0), torch.cat([D, B], dim=0)], dim=1)

# %% wrong="2.1.6" why="an empty matrix of the default dtype" says="wrong dtype: got float32"
def join_blocks(A, B, C, D):
    h, w = A.shape
    result = torch.empty(h + C.shape[0], w + B.shape[1])
    result[:h, :w], result[:h, w:], result[h:, :w], result[h:, w:] = A, B, C, D
    return result

# %% right="2.1.7" how="slice assignment"
def update_mean(mean, count, x):
    mean[:] = (mean * count + x) / (count + 1)
    return mean

# %% right="2.1.7" how="lerp_"
def update_mean(mean, count, x):
    return mean.lerp_(x, 1 / (count + 1))

# %% right="2.1.7" how="three methods in place"
def update_mean(mean, count, x):
    mean.mul_(count).add_(x).div_(count + 1)
    return mean.clone()

# %% wrong="2.1.7" why="a new tensor under the local name" says="your result is in new memory"
def update_mean(mean, count, x):
    mean = mean + (x - mean) / (count + 1)
    return mean

# %% wrong="2.1.7" why="the tensor moved to other memory" says="your result is in new memory"
def update_mean(mean, count, x):
    mean.data = mean + (x - mean) / (count + 1)
    return mean

# %% wrong="2.1.7" why="the mean of the two" says="what is returned for the mean (2, 4) of 3"
def update_mean(mean, count, x):
    mean += x
    mean /= 2
    return mean

# %% wrong="2.1.7" why="divides by count" says="what is returned"
def update_mean(mean, count, x):
    mean += (x - mean) / max(count, 1)
    return mean

# %% wrong="2.1.7" why="works in the memory of x" says="x after the call"
def update_mean(mean, count, x):
    x -= mean
    x /= count + 1
    mean += x
    return mean

# %% wrong="2.1.7" why="returns nothing" says="what is returned for the mean (2, 4) of 3 and the new (6, 0): got None"
def update_mean(mean, count, x):
    mean += (x - mean) / (count + 1)

# %% wrong="2.1.7" why="whole numbers" says="what is returned for shape"
def update_mean(mean, count, x):
    mean += (x - mean) // (count + 1)
    return mean

# %% right="2.1.8" how="as_tensor and clone"
def shared(array):
    return torch.as_tensor(array)

def separate(array):
    return torch.from_numpy(array).clone()

# %% right="2.1.8" how="DLPack, and a copy by NumPy"
def shared(array):
    return torch.from_dlpack(array)

def separate(array):
    return torch.from_numpy(array.copy())

# %% wrong="2.1.8" why="both copy" says="It does not see the 7"
def shared(array):
    return torch.tensor(array)

def separate(array):
    return torch.tensor(array)

# %% wrong="2.1.8" why="both share" says="It sees the 7"
def shared(array):
    return torch.from_numpy(array)

def separate(array):
    return torch.as_tensor(array)

# %% wrong="2.1.8" why="exchanged" says="It does not see the 7"
def shared(array):
    return torch.tensor(array)

def separate(array):
    return torch.from_numpy(array)

# %% wrong="2.1.8" why="torch.Tensor makes float32" says="the dtype of separate for int64: wrong dtype: got float32"
def shared(array):
    return torch.from_numpy(array)

def separate(array):
    return torch.Tensor(array)

# %% wrong="2.1.8" why="ascontiguousarray copies only where it must" says="It sees the 7"
def shared(array):
    return torch.from_numpy(array)

def separate(array):
    return torch.from_numpy(np.ascontiguousarray(array))

# %% wrong="2.1.8" why="shares only what lies in order in memory" says="shared, for every other column"
def shared(array):
    return torch.from_numpy(np.ascontiguousarray(array))

def separate(array):
    return torch.tensor(array)

# %% wrong="2.1.8" why="a change of dtype copies" says="wrong dtype: got int64"
def shared(array):
    return torch.from_numpy(array).double()

def separate(array):
    return torch.tensor(array, dtype=torch.int64)

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

# %% wrong="2.1.9" why="always a float" says="the type for an integer without axes: wrong type"
def as_number(X):
    if X.numel() != 1:
        raise ValueError(f"shape {tuple(X.shape)}")
    return float(X)

# %% wrong="2.1.9" why="item raises a RuntimeError" says="expected ValueError"
def as_number(X):
    return X.item()

# %% wrong="2.1.9" why="still a tensor" says="wrong type: got a tensor"
def as_number(X):
    if X.numel() != 1:
        raise ValueError(f"shape {tuple(X.shape)}")
    return X.squeeze()

# %% wrong="2.1.9" why="adds up what there is" says="two entries: returned"
def as_number(X):
    return X.sum().item()

# %% wrong="2.1.9" why="counts the axes, not the entries" says="raised ValueError"
def as_number(X):
    if X.ndim > 0:
        raise ValueError(f"shape {tuple(X.shape)}")
    return X.item()

# %% wrong="2.1.9" why="len knows axis 0 only" says="raised"
def as_number(X):
    if len(X) != 1:
        raise ValueError(f"shape {tuple(X.shape)}")
    return X.item()

# %% wrong="2.1.9" why="integers through a float" says="Did it pass through a float?"
def as_number(X):
    if X.numel() != 1:
        raise ValueError(f"shape {tuple(X.shape)}")
    return float(X) if X.is_floating_point() else int(float(X))

# %% wrong="2.1.9" why="only several entries are refused, not none" says="no entry"
def as_number(X):
    if X.numel() > 1:
        raise ValueError(f"shape {tuple(X.shape)}")
    return X.sum().item()

# %% wrong="2.1.9" why="equal entries taken for one" says="five equal entries: returned"
def as_number(X):
    if X.numel() == 0 or (X != X.flatten()[0]).any():
        raise ValueError(f"shape {tuple(X.shape)}")
    return X.flatten()[0].item()

# %% wrong="2.1.9" why="the message does not name the shape" says="without '0' in its message"
def as_number(X):
    if X.numel() != 1:
        raise ValueError("exactly one entry, please")
    return X.item()

# %% right="2.1.10" how="three matrices of one bug or two each"
inputs = [torch.ones(1, 1, dtype=torch.float64), torch.randn(5, 3), torch.tensor([[0.5], [0.25]])]

# %% right="2.1.10" how="a tuple of bools and complex numbers"
inputs = (torch.tensor([[True], [False], [True], [False]]), torch.tensor([[1j, 2]]))

# %% wrong="2.1.10" why="three rows of float32" says="the bug of swap_3"
inputs = [torch.arange(6.).reshape(3, 2)]

# %% wrong="2.1.10" why="never a single row" says="the bug of swap_4"
inputs = [torch.arange(8).reshape(4, 2), torch.randn(6, 3)]

# %% wrong="2.1.10" why="only the default dtype" says="the bug of swap_5"
inputs = [torch.randn(1, 3), torch.randn(5, 2), torch.randn(2, 2)]

# %% wrong="2.1.10" why="all rows equal" says="one of the inputs gives swap_2 away"
inputs = [torch.ones(4, 3), torch.zeros(5, 2), torch.ones(2, 2)]

# %% wrong="2.1.10" why="nan differs from itself" says="A nan equals nothing"
inputs = [torch.full((2, 2), float("nan"))]

# %% wrong="2.1.10" why="more than three matrices" says="inputs holds one to three matrices"
inputs = [torch.randn(rows, 2) for rows in range(1, 9)]

# %% wrong="2.1.10" why="a matrix, not a list of matrices" says="wrong type: got a tensor"
inputs = torch.arange(8).reshape(4, 2)

# %% wrong="2.1.10" why="no rows" says="an entry of inputs has two axes"
inputs = [torch.zeros(0, 3), torch.arange(8).reshape(4, 2)]
