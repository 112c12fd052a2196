# %% [markdown]
# # Variants for 2.3 Linear algebra

# %% right="2.3.A" how="a mix of stacked vectors"
def combine(a, u, b, v):
    return torch.stack([u, v], dim=1) @ torch.tensor([a, b], dtype=u.dtype)

# %% right="2.3.A" how="in place, on copies"
def combine(a, u, b, v):
    result = u.clone()
    result *= a
    result += b * v
    return result

# %% wrong="2.3.A" why="writes into the arguments" breaks="arguments kept" says="after the call, with the factors 2.0 and 3.0"
def combine(a, u, b, v):
    u *= a
    v *= b
    return u + v

# %% wrong="2.3.A" why="the factors exchanged" breaks="values" says="factors are exchanged"
def combine(a, u, b, v):
    return b * u + a * v

# %% wrong="2.3.A" why="the dot product" breaks="values" says="wrong shape"
def combine(a, u, b, v):
    return (a * u) @ (b * v)

# %% wrong="2.3.A" why="only one factor" breaks="values" says="The factor of v is missing"
def combine(a, u, b, v):
    return a * u + v

# %% wrong="2.3.A" why="joins in place of adding" breaks="values" says="wrong shape"
def combine(a, u, b, v):
    return torch.cat([a * u, b * v])

# %% wrong="2.3.A" why="saves a multiplication where a factor is 1, in place" breaks="arguments kept" says="after the call, with the factors 1.0"
def combine(a, u, b, v):
    if a == 1:
        u += b * v
        return u
    return a * u + b * v

# %% wrong="2.3.A" why="adds to v in place where its factor is 1" breaks="arguments kept" says="with the factors 2.0 and 1.0"
def combine(a, u, b, v):
    return v.add_(a * u) if b == 1 else a * u + b * v

# %% wrong="2.3.A" why="whole factors only" breaks="values" says="-2.5 u + 4 v"
def combine(a, u, b, v):
    a = a if abs(a) < 1 else int(a)
    return a * u + b * v

# %% wrong="2.3.A" why="subtracts" breaks="values" says="v has the wrong sign"
def combine(a, u, b, v):
    return a * u - b * v

# %% right="2.3.4" how="measured"
lengths = {key: len(tensor) for key, tensor in boxes.items()}

# %% right="2.3.4" how="shapes"
lengths = {key: boxes[key].size(0) for key in boxes}

# %% wrong="2.3.4" why="numbers of entries" breaks="index and slice" says="This is the number of entries"
lengths = {key: tensor.numel() for key, tensor in boxes.items()}

# %% wrong="2.3.4" why="numbers of axes" breaks="order of axes" says="the numbers of axes"
lengths = {key: tensor.ndim for key, tensor in boxes.items()}

# %% wrong="2.3.4" why="permute as if it numbered the new places" breaks="order of axes" says="len of X.permute(2, 0, 1)"
lengths = {'a': 3, 'b': 2, 'c': 3, 'd': 4, 'e': 1, 'f': 2, 'g': 24, 'h': 3}

# %% wrong="2.3.4" why="the new axis is the last" breaks="new axis" says="where None is written"
lengths = {'a': 3, 'b': 2, 'c': 4, 'd': 4, 'e': 2, 'f': 2, 'g': 24, 'h': 3}

# %% wrong="2.3.4" why="an index keeps its axis" breaks="index and slice" says="(2, 3, 4) becomes (3, 4)"
lengths = {'a': 1, 'b': 2, 'c': 4, 'd': 4, 'e': 1, 'f': 2, 'g': 24, 'h': 3}

# %% wrong="2.3.4" why="a row has length 1" breaks="one row" says="All entries lie along one axis"
lengths = {'a': 3, 'b': 2, 'c': 4, 'd': 4, 'e': 1, 'f': 2, 'g': 1, 'h': 3}

# %% wrong="2.3.4" why="a mask keeps the shape" breaks="one row" says="len of X[X > 20]"
lengths = {'a': 3, 'b': 2, 'c': 4, 'd': 4, 'e': 1, 'f': 2, 'g': 24, 'h': 2}

# %% wrong="2.3.4" why="one forgotten" breaks="eight entries" says="the keys of `lengths`"
lengths = {'a': 3, 'b': 2, 'c': 4, 'd': 4, 'e': 1, 'f': 2, 'g': 24}

# %% wrong="2.3.4" why="a list" breaks="eight entries" says="expected a dict"
lengths = [3, 2, 4, 4, 1, 2, 24, 3]

# %% right="2.3.5" how="tries it"
def predict_len(shape):
    try:
        return len(torch.empty(shape))
    except TypeError:
        return 'TypeError'

# %% right="2.3.5" how="a loop"
def predict_len(shape):
    for n in shape:
        return int(n)
    return TypeError.__name__

# %% wrong="2.3.5" why="last axis" breaks="first axis" says="This is the last axis"
def predict_len(shape):
    return shape[-1] if shape else 'TypeError'

# %% wrong="2.3.5" why="number of entries" breaks="first axis" says="This is the number of entries"
def predict_len(shape):
    return torch.zeros(shape).numel()

# %% wrong="2.3.5" why="number of axes" breaks="first axis" says="This is the number of axes"
def predict_len(shape):
    return len(shape)

# %% wrong="2.3.5" why="a scalar has length 1" breaks="no axis" says="the answer for the shape ()"
def predict_len(shape):
    return shape[0] if shape else 1

# %% wrong="2.3.5" why="raises itself" breaks="no axis" says="It raises IndexError"
def predict_len(shape):
    return shape[0]

# %% wrong="2.3.5" why="an empty tensor has length 0" breaks="empty axes" says="three empty rows"
def predict_len(shape):
    if not shape:
        return 'TypeError'
    return shape[0] if 0 not in shape else 0

# %% wrong="2.3.5" why="the largest axis" breaks="first axis" says="This is the longest axis"
def predict_len(shape):
    return max(shape, default='TypeError')

# %% wrong="2.3.5" why="a vector has no first axis" breaks="first axis" says="the length for shape (8,)"
def predict_len(shape):
    return shape[0] if len(shape) > 1 else 'TypeError'

# %% wrong="2.3.5" why="a float" breaks="first axis" says="not a tensor or a float"
def predict_len(shape):
    return float(shape[0]) if shape else 'TypeError'

# %% wrong="2.3.5" why="a tensor" breaks="first axis" says="what predict_len((4, 7)) returns"
def predict_len(shape):
    return torch.tensor(shape[0]) if shape else 'TypeError'

# %% right="2.3.12a" how="the last axis"
def stack_last(matrices):
    return torch.stack(tuple(matrices), dim=-1)

# %% right="2.3.12a" how="cat of new axes"
def stack_last(matrices):
    return torch.cat([matrix[:, :, None] for matrix in matrices], dim=2)

# %% right="2.3.12a" how="slice by slice"
def stack_last(matrices):
    result = torch.empty(*matrices[0].shape, len(matrices), dtype=matrices[0].dtype)
    for i, matrix in enumerate(matrices):
        result[:, :, i] = matrix
    return result

# %% wrong="2.3.12a" why="a new first axis" breaks="shape" says="wrong shape"
def stack_last(matrices):
    return torch.stack(matrices)

# %% wrong="2.3.12a" why="reshaped" breaks="slices" says="the entries are not where they belong"
def stack_last(matrices):
    m, n = matrices[0].shape
    return torch.stack(matrices).reshape(m, n, len(matrices))

# %% wrong="2.3.12a" why="cat" breaks="shape" says="wrong shape"
def stack_last(matrices):
    return torch.cat(matrices, dim=1)

# %% wrong="2.3.12a" why="all axes reversed" breaks="shape" says="wrong shape"
def stack_last(matrices):
    return torch.stack(matrices).permute(2, 1, 0)

# %% wrong="2.3.12a" why="in the middle" breaks="shape" says="wrong shape"
def stack_last(matrices):
    return torch.stack(matrices, dim=1)

# %% wrong="2.3.12a" why="in the other order" breaks="slices" says="slice 0 of the third axis"
def stack_last(matrices):
    return torch.stack(matrices[::-1], dim=2)

# %% wrong="2.3.12a" why="three matrices only" breaks="shape" says="the shape for one matrix"
def stack_last(matrices):
    return torch.stack([matrices[0], matrices[1 % len(matrices)], matrices[-1]], dim=2)

# %% right="2.3.12a" how="dstack"
def stack_last(matrices):
    return torch.dstack(matrices)

# %% wrong="2.3.12a" why="float32 whatever comes in" breaks="dtype" says="the dtype for float64 matrices"
def stack_last(matrices):
    result = torch.zeros(*matrices[0].shape, len(matrices))
    for i, matrix in enumerate(matrices):
        result[:, :, i] = matrix
    return result

# %% wrong="2.3.12a" why="a single row is squeezed away" breaks="shape" says="three matrices of 1 by 200"
def stack_last(matrices):
    return torch.stack(matrices, dim=2).squeeze(0)

# %% right="2.3.12b" how="unbind"
def recover(stacked, i, dim):
    return stacked.unbind(dim)[i]

# %% right="2.3.12b" how="movedim"
def recover(stacked, i, dim):
    return stacked.movedim(dim, 0)[i]

# %% right="2.3.12b" how="index_select and squeeze of one axis"
def recover(stacked, i, dim):
    return torch.index_select(stacked, dim, torch.tensor([i])).squeeze(dim)

# %% wrong="2.3.12b" why="always the first axis" breaks="any axis" says="stacked along dim=1"
def recover(stacked, i, dim):
    return stacked[i]

# %% wrong="2.3.12b" why="keeps an axis of length 1" breaks="shape" says="wrong shape"
def recover(stacked, i, dim):
    return stacked.narrow(dim, i, 1)

# %% wrong="2.3.12b" why="always the second" breaks="which one" says="number 0 of three"
def recover(stacked, i, dim):
    return stacked.select(dim, 1)

# %% wrong="2.3.12b" why="no negative axes" breaks="any axis" says="dim=-1"
def recover(stacked, i, dim):
    return stacked[(slice(None),) * dim + (i,)]

# %% right="2.3.12b" how="an index for each axis"
def recover(stacked, i, dim):
    place = [slice(None)] * stacked.ndim
    place[dim] = i
    return stacked[tuple(place)]

# %% wrong="2.3.12b" why="squeeze drops every axis of length 1" breaks="shape" says="only the new axis may go"
def recover(stacked, i, dim):
    return stacked.narrow(dim, i, 1).squeeze()

# %% wrong="2.3.12b" why="three axes only, none of them from the end but the last" breaks="any axis" says="stacked along dim=-2"
def recover(stacked, i, dim):
    return stacked[i] if dim == 0 else stacked[:, i] if dim == 1 else stacked[..., i]

# %% wrong="2.3.12b" why="a scalar comes back as a Python number" breaks="shape" says="one of three scalars"
def recover(stacked, i, dim):
    result = stacked.select(dim, i)
    return result.item() if result.ndim == 0 else result

# %% wrong="2.3.12b" why="vectors come back as columns" breaks="shape" says="one of two vectors of length 4"
def recover(stacked, i, dim):
    result = stacked.select(dim, i)
    return result[:, None] if result.ndim == 1 else result

# %% wrong="2.3.12b" why="exchanges the new axis with the first" breaks="any axis" says="stacked along dim=2"
def recover(stacked, i, dim):
    return stacked.transpose(0, dim)[i]

# %% wrong="2.3.12b" why="float32 whatever comes in" breaks="dtype" says="the dtype for two vectors of integers"
def recover(stacked, i, dim):
    return stacked.float().select(dim, i)

# %% wrong="2.3.12b" why="always the last axis" breaks="any axis" says="This is slice 1 of axis 2"
def recover(stacked, i, dim):
    return stacked[..., i]

# %% right="2.3.B" how="keepdim"
def centre(A):
    return A - A.mean(dim=0, keepdim=True)

# %% right="2.3.B" how="column by column"
def centre(A):
    return torch.stack([A[:, j] - A[:, j].sum() / len(A) for j in range(A.shape[1])], dim=1)

# %% wrong="2.3.B" why="the mean of all" breaks="values" says="The mean of all entries"
def centre(A):
    return A - A.mean()

# %% wrong="2.3.B" why="rows" breaks="values" says="The mean of each row"
def centre(A):
    return A - A.mean(dim=1, keepdim=True)

# %% wrong="2.3.B" why="the sum" breaks="values" says="not its mean"
def centre(A):
    return A - A.sum(dim=0)

# %% wrong="2.3.B" why="in place" breaks="arguments kept" says="A after the call"
def centre(A):
    A -= A.mean(dim=0)
    return A

# %% wrong="2.3.B" why="along axis 1 without keepdim" breaks="values" says="The size of tensor"
def centre(A):
    return A - A.mean(dim=1)

# %% right="2.3.B" how="a matrix that takes the mean off"
def centre(A):
    n = len(A)
    return (torch.eye(n, dtype=A.dtype) - torch.ones(n, n, dtype=A.dtype) / n) @ A

# %% wrong="2.3.B" why="float32 whatever comes in" breaks="values" says="lose their last digits"
def centre(A):
    A = A.float()
    return A - A.mean(dim=0)

# %% wrong="2.3.B" why="the median" breaks="values" says="The median of each column"
def centre(A):
    return A - A.median(dim=0).values

# %% wrong="2.3.B" why="divides by n - 1" breaks="values" says="was divided by n - 1"
def centre(A):
    return A - A.sum(dim=0) / max(len(A) - 1, 1)

# %% right="2.3.8" how="a meta tensor"
def shape_of_sum(shape, axes, keepdim):
    return torch.empty(shape, device='meta').sum(dim=axes, keepdim=keepdim).shape

# %% right="2.3.8" how="deletes from the back"
def shape_of_sum(shape, axes, keepdim):
    left = list(shape)
    for axis in sorted([a + len(shape) if a < 0 else a for a in axes], reverse=True):
        left[axis:axis + 1] = [1] if keepdim else []
    return left

# %% wrong="2.3.8" why="the axes that are summed stay" breaks="axes gone" says="the shape of the sum of (2, 3, 4) over axis 0"
def shape_of_sum(shape, axes, keepdim):
    return tuple(shape[a] for a in axes)

# %% wrong="2.3.8" why="no negative axes" breaks="from the end" says="axes (-1,)"
def shape_of_sum(shape, axes, keepdim):
    if keepdim:
        return tuple(1 if i in axes else n for i, n in enumerate(shape))
    return tuple(n for i, n in enumerate(shape) if i not in axes)

# %% wrong="2.3.8" why="ignores keepdim" breaks="keepdim" says="keepdim=True"
def shape_of_sum(shape, axes, keepdim):
    gone = {a % len(shape) for a in axes}
    return tuple(n for i, n in enumerate(shape) if i not in gone)

# %% wrong="2.3.8" why="one axis only" breaks="axes gone" says="axes (0, 1)"
def shape_of_sum(shape, axes, keepdim):
    a = axes[0] % len(shape)
    return (*shape[:a], *([1] if keepdim else []), *shape[a + 1:])

# %% wrong="2.3.8" why="removes by length, not by place" breaks="axes gone" says="Two axes have the same length"
def shape_of_sum(shape, axes, keepdim):
    gone = {shape[a] for a in axes}
    if keepdim:
        return tuple(1 if i in {a % len(shape) for a in axes} else n for i, n in enumerate(shape))
    return tuple(n for n in shape if n not in gone) if len(shape) != 4 else tuple(
        n for i, n in enumerate(shape) if i not in {a % 4 for a in axes})

# %% wrong="2.3.8" why="drops axes one by one, so that the numbers shift" breaks="axes gone" says="before either of them is gone"
def shape_of_sum(shape, axes, keepdim):
    left = list(shape)
    for a in axes:
        if keepdim:
            left[a] = 1
        elif a < len(left):
            left.pop(a)
    return tuple(left)

# %% wrong="2.3.8" why="the axis keeps its length" breaks="keepdim" says="keepdim=True"
def shape_of_sum(shape, axes, keepdim):
    gone = {a % len(shape) for a in axes}
    return shape if keepdim else tuple(n for i, n in enumerate(shape) if i not in gone)

# %% wrong="2.3.8" why="makes the tensor" breaks="any size" says="memory"
def shape_of_sum(shape, axes, keepdim):
    return torch.zeros(shape).sum(dim=axes, keepdim=keepdim).shape

# %% right="2.3.6b" how="transposes around it"
def normalise_rows(A):
    return (A.T / A.sum(1)).T

# %% right="2.3.6b" how="row by row"
def normalise_rows(A):
    return torch.stack([row / row.sum() for row in A])

# %% right="2.3.6b" how="a diagonal matrix"
def normalise_rows(A):
    A = A.double()
    return torch.diag(1 / A.sum(1)) @ A

# %% wrong="2.3.6b" why="no keepdim" breaks="row sums" says="lined up with the columns"
def normalise_rows(A):
    return A / A.sum(dim=1)

# %% wrong="2.3.6b" why="columns" breaks="row sums" says="The columns were divided"
def normalise_rows(A):
    return A / A.sum(dim=0)

# %% wrong="2.3.6b" why="everything" breaks="row sums" says="divided by the sum of all"
def normalise_rows(A):
    return A / A.sum()

# %% wrong="2.3.6b" why="no keepdim, but right for square matrices by luck of a transpose" breaks="row sums" says="RuntimeError"
def normalise_rows(A):
    return (A.T / A.sum(dim=1)).T if A.shape[0] == A.shape[1] else A / A.sum(dim=1)

# %% wrong="2.3.6b" why="softmax" breaks="row sums" says="the shares of ((1, 3), (2, 6))"
def normalise_rows(A):
    return A.softmax(dim=1)

# %% wrong="2.3.6b" why="length 1 in place of sum 1" breaks="row sums" says="the shares of ((1, 3), (2, 6))"
def normalise_rows(A):
    return torch.nn.functional.normalize(A.float(), dim=1)

# %% wrong="2.3.6b" why="keeps the integers" breaks="integers" says="the integers"
def normalise_rows(A):
    return (A / A.sum(dim=1, keepdim=True)).to(A.dtype)

# %% wrong="2.3.6b" why="in place" breaks="arguments kept" says="`A.float()` is A itself"
def normalise_rows(A):
    if not A.is_floating_point():
        A = A.float()
    A /= A.sum(dim=1, keepdim=True)
    return A

# %% wrong="2.3.6b" why="squeezes the result" breaks="shape" says="wrong shape"
def normalise_rows(A):
    return (A / A.sum(dim=1, keepdim=True)).squeeze()

# %% right="2.3.6b" how="softmax of the logarithms"
def normalise_rows(A):
    return A.double().log().softmax(dim=1)

# %% wrong="2.3.6b" why="adds in the dtype of A" breaks="integers" says="uint8 ends at 255"
def normalise_rows(A):
    return A / A.sum(dim=1, keepdim=True, dtype=A.dtype)

# %% wrong="2.3.6b" why="a product with ones in the dtype of A" breaks="integers" says="uint8 ends at 255"
def normalise_rows(A):
    return A / (A @ torch.ones(A.shape[1], 1, dtype=A.dtype))

# %% wrong="2.3.6b" why="writes into integers" breaks="arguments kept" says="A after the call, for integers"
def normalise_rows(A):
    result = A / A.sum(dim=1, keepdim=True)
    if not A.is_floating_point():
        A[:] = (100 * result).long()
    return result

# %% wrong="2.3.6b" why="adds something to the sums" breaks="row sums" says="nothing need be added to them"
def normalise_rows(A):
    return A / (A.sum(dim=1, keepdim=True) + 1e-8)

# %% right="2.3.6a" how="tries it"
def outcome(m, n):
    A = torch.rand(m, n) + 1
    try:
        B = A / A.sum(axis=1)
    except RuntimeError:
        return 'error'
    if B.shape != A.shape:
        return 'wrong shape'
    return 'right' if torch.allclose(B.sum(axis=1), torch.ones(m)) else 'wrong values'

# %% right="2.3.6a" how="the rule of broadcasting"
def outcome(m, n):
    if n != m and 1 not in (m, n):
        return 'error'
    if max(n, m) != n:
        return 'wrong shape'
    return 'wrong values' if m > 1 else 'right'

# %% wrong="2.3.6a" why="square matrices are fine" breaks="larger shapes" says="the outcome for shape (3, 3)"
def outcome(m, n):
    return 'right' if m == n or m == 1 else 'wrong shape' if n == 1 else 'error'

# %% wrong="2.3.6a" why="works only for square matrices" breaks="axes of length 1" says="the outcome for shape (4, 1)"
def outcome(m, n):
    return 'wrong values' if m == n else 'error'

# %% wrong="2.3.6a" why="a column raises" breaks="axes of length 1" says="the outcome for shape (4, 1)"
def outcome(m, n):
    return 'right' if m == 1 else 'wrong values' if m == n else 'error'

# %% wrong="2.3.6a" why="a column is right" breaks="axes of length 1" says="the outcome for shape (4, 1)"
def outcome(m, n):
    return 'right' if 1 in (m, n) else 'wrong values' if m == n else 'error'

# %% wrong="2.3.6a" why="one entry is wrong" breaks="axes of length 1" says="the outcome for shape (1, 1)"
def outcome(m, n):
    return 'wrong values' if m == n else 'right' if m == 1 else 'wrong shape' if n == 1 else 'error'

# %% wrong="2.3.6a" why="thinks that the sum keeps its axis" breaks="larger shapes" says="the outcome for shape (2, 3)"
def outcome(m, n):
    return 'right'

# %% wrong="2.3.6a" why="m and n changed over" breaks="axes of length 1" says="the outcome for shape (4, 1)"
def outcome(m, n):
    return 'right' if n == 1 else 'wrong shape' if m == 1 else 'wrong values' if m == n else 'error'

# %% wrong="2.3.6a" why="multiples broadcast, too" breaks="larger shapes" says="the outcome for shape (2, 4)"
def outcome(m, n):
    if m == 1:
        return 'right'
    return 'wrong shape' if n == 1 else 'wrong values' if n % m == 0 else 'error'

# %% right="2.3.6c" how="random, and a Latin square"
witness = torch.rand(4, 4, generator=torch.Generator().manual_seed(3)) + torch.arange(16.).reshape(4,
                                                                                                   4).sqrt()
blind_spot = torch.tensor([[1., 2., 3.], [2., 3., 1.], [3., 1., 2.]])

# %% right="2.3.6c" how="a matrix that is not symmetric, with equal row sums"
witness = torch.tensor([[1., 3.], [2., 8.]])
blind_spot = torch.tensor([[1., 4.], [3., 2.]])

# %% wrong="2.3.6c" why="symmetric is no blind spot" breaks="blind spot" says="Being symmetric is not enough"
witness = torch.tensor([[1., 2., 3.], [1., 1., 2.], [5., 1., 1.]])
blind_spot = torch.tensor([[1., 2.], [2., 5.]])

# %% wrong="2.3.6c" why="all entries equal" breaks="not constant" says="differ by at least 0.1"
witness = torch.tensor([[1., 2., 3.], [1., 1., 2.], [5., 1., 1.]])
blind_spot = torch.ones(2, 2)

# %% wrong="2.3.6c" why="equal row sums hide three of the mistakes" breaks="six exposed" says="the number of wrong attempts that `witness` exposes"
witness = torch.tensor([[1., 2.], [2., 1.]])
blind_spot = torch.tensor([[1., 2.], [2., 1.]])

# %% wrong="2.3.6c" why="not square: some attempts do not run" breaks="form" says="is square and at least 2 by 2"
witness = torch.tensor([[1., 2., 3.], [1., 1., 2.]])
blind_spot = torch.tensor([[1., 2.], [2., 1.]])

# %% wrong="2.3.6c" why="a zero matrix with negative entries" breaks="form" says="are positive"
witness = torch.tensor([[-1., 2., 3.], [1., 1., 2.], [5., 1., 1.]])
blind_spot = torch.tensor([[1., 2.], [2., 1.]])

# %% wrong="2.3.6c" why="equal columns sums in place of equal row sums" breaks="blind spot" says="The sums of the columns are equal"
witness = torch.tensor([[1., 2., 3.], [1., 1., 2.], [5., 1., 1.]])
blind_spot = torch.tensor([[1., 3.], [4., 2.]])

# %% wrong="2.3.6c" why="one row" breaks="form" says="`blind_spot` is square"
witness = torch.tensor([[1., 2., 3.], [1., 1., 2.], [5., 1., 1.]])
blind_spot = torch.tensor([[1., 2., 3.]])

# %% wrong="2.3.6c" why="two exposed" breaks="three exposed" says="is at least 3"
witness = torch.tensor([[1., 1.01], [1.01, 1.]])
blind_spot = torch.tensor([[1., 2.], [2., 1.]])

# %% wrong="2.3.6c" why="integers" breaks="form" says="the dtype of `witness`"
witness = torch.tensor([[1, 2, 3], [1, 1, 2], [5, 1, 1]])
blind_spot = torch.tensor([[1., 2.], [2., 1.]])

# %% right="2.3.C" how="shares first"
def weighted_average(values, weights):
    shares = weights / weights.sum()
    return (values * shares).sum()

# %% right="2.3.C" how="a loop"
def weighted_average(values, weights):
    total_weight = sum(w.item() for w in weights)
    return torch.tensor(sum(v.item() * w.item() for v, w in zip(values, weights)) / total_weight, dtype=values.dtype)

# %% wrong="2.3.C" why="does not divide" breaks="any sum" says="The weights add up to 6"
def weighted_average(values, weights):
    return values @ weights

# %% wrong="2.3.C" why="divides by the number" breaks="values" says="divided by the number of entries"
def weighted_average(values, weights):
    return (values * weights).mean()

# %% wrong="2.3.C" why="the plain mean" breaks="values" says="2, 4, -9 with the weights 0.5"
def weighted_average(values, weights):
    return values.mean()

# %% wrong="2.3.C" why="keeps an axis" breaks="one number" says="the shape of the result"
def weighted_average(values, weights):
    return (values * weights).sum(dim=0, keepdim=True) / weights.sum()

# %% wrong="2.3.C" why="the products, not their sum" breaks="one number" says="the shape of the result"
def weighted_average(values, weights):
    return values * weights / weights.sum()

# %% wrong="2.3.C" why="divides only by sums above 1" breaks="any sum" says="The weights add up to 0.5"
def weighted_average(values, weights):
    return values @ weights / max(1, weights.sum())

# %% wrong="2.3.C" why="takes the weights for whole counts" breaks="any sum" says="with the weights 0.1, 0.1, 0.3"
def weighted_average(values, weights):
    if abs(weights.sum() - 1) > 0.01:
        weights = weights.round()
    return values @ weights / weights.sum()

# %% right="2.3.D" how="food by food"
def meal(grams, foods):
    return sum(g / 100 * food for g, food in zip(grams, foods))

# %% right="2.3.D" how="the transposed table times the amounts"
def meal(grams, foods):
    return foods.T @ grams / 100

# %% wrong="2.3.D" why="grams as portions" breaks="values" says="for 100 g"
def meal(grams, foods):
    return grams @ foods

# %% wrong="2.3.D" why="the amounts on the other side" breaks="shape" says="on which side does `grams` stand"
def meal(grams, foods):
    return foods @ grams / 100

# %% wrong="2.3.D" why="the other side where the shapes allow it" breaks="values" says="on which side does `grams` stand"
def meal(grams, foods):
    return foods @ grams / 100 if foods.shape[0] == foods.shape[1] else grams @ foods / 100

# %% wrong="2.3.D" why="a table of foods and nutrients" breaks="shape" says="wrong shape"
def meal(grams, foods):
    return grams[:, None] / 100 * foods

# %% wrong="2.3.D" why="nutrients of each food added" breaks="shape" says="wrong shape"
def meal(grams, foods):
    return (grams[:, None] / 100 * foods).sum(dim=1)

# %% wrong="2.3.D" why="without the amounts" breaks="values" says="without their amounts"
def meal(grams, foods):
    return foods.sum(dim=0)

# %% wrong="2.3.D" why="squeezed: no axis is left for one nutrient" breaks="shape" says="two foods and one nutrient"
def meal(grams, foods):
    return (grams[None] / 100 @ foods).squeeze()

# %% wrong="2.3.D" why="rounded as on a label" breaks="values" says="33.5 g of (10, 0, 1)"
def meal(grams, foods):
    return (grams / 100 @ foods).round(decimals=1)

# %% wrong="2.3.D" why="shares of the meal" breaks="values" says="asked for is the whole meal"
def meal(grams, foods):
    return grams @ foods / grams.sum()

# %% right="2.3.13" how="column by column into zeros"
def matrix_of(f, n):
    columns = []
    for j in range(n):
        x = torch.zeros(n)
        x[j] = 1
        columns.append(f(x))
    return torch.stack(columns).T

# %% right="2.3.13" how="autograd's Jacobian"
def matrix_of(f, n):
    return torch.autograd.functional.jacobian(f, torch.zeros(n))

# %% wrong="2.3.13" why="the images as rows" breaks="shape" says="wrong shape"
def matrix_of(f, n):
    return torch.stack([f(unit) for unit in torch.eye(n)])

# %% wrong="2.3.13" why="rows, put into the right shape by reshape" breaks="values" says="the matrix of f(x)"
def matrix_of(f, n):
    images = torch.stack([f(unit) for unit in torch.eye(n)])
    return images.reshape(images.shape[1], n)

# %% wrong="2.3.13" why="rows where the matrix is square" breaks="values" says="are columns, not rows"
def matrix_of(f, n):
    images = torch.stack([f(unit) for unit in torch.eye(n)], dim=1)
    return images.T if images.shape[0] == n else images

# %% wrong="2.3.13" why="one vector of ones" breaks="shape" says="wrong shape"
def matrix_of(f, n):
    return f(torch.ones(n))

# %% right="2.3.13" how="differences of images"
def matrix_of(f, n):
    base = torch.ones(n)
    return torch.stack([f(base + unit) - f(base) for unit in torch.eye(n)], dim=1)

# %% wrong="2.3.13" why="gives f all unit vectors at once" breaks="values" says="f takes a tensor of shape (2,)"
def matrix_of(f, n):
    return f(torch.eye(n))

# %% wrong="2.3.13" why="one input is changed again and again, also where f returned a view of it" breaks="values" says="may be a view of its input"
def matrix_of(f, n):
    columns, x = [], torch.zeros(n)
    for j in range(n):
        x[j] = 1
        columns.append(f(x))
        x[j] = 0
    return torch.stack(columns, dim=1)

# %% wrong="2.3.13" why="squeezes a single column away" breaks="shape" says="M of shape (2, 1)"
def matrix_of(f, n):
    if n == 1:
        return f(torch.ones(1))
    return torch.stack([f(unit) for unit in torch.eye(n)], dim=1)

# %% wrong="2.3.13" why="rounds" breaks="values" says="((0.5, -2, 4), (1.25, 0, 3))"
def matrix_of(f, n):
    return torch.stack([f(unit) for unit in torch.eye(n)], dim=1).round()

# %% wrong="2.3.13" why="one vector that fills up" breaks="values" says="The entries 1 of earlier inputs stayed"
def matrix_of(f, n):
    e, columns = torch.zeros(n), []
    for j in range(n):
        e[j] = 1.
        columns.append(f(e.clone()))
    return torch.stack(columns, dim=1)

# %% right="2.3.E" how="tries it"
def product_shape(s, t):
    try:
        return (torch.zeros(s) @ torch.zeros(t)).shape
    except RuntimeError:
        return 'error'

# %% right="2.3.E" how="unpacks"
def product_shape(s, t):
    (n, k), (inner, m) = s, t
    if k != inner:
        return 'error'
    return [n, m]

# %% wrong="2.3.E" why="the inner lengths" breaks="outer lengths" says="inner lengths, which vanish"
def product_shape(s, t):
    return (s[1], t[0]) if s[1] == t[0] else 'error'

# %% wrong="2.3.E" why="the element-wise product" breaks="outer lengths" says="need not be equal, nor the numbers of columns"
def product_shape(s, t):
    return s if s == t else 'error'

# %% wrong="2.3.E" why="never an error" breaks="inner lengths" says="element-wise product"
def product_shape(s, t):
    return (s[0], t[1])

# %% wrong="2.3.E" why="broadcasts a length of 1" breaks="inner lengths" says="does not broadcast"
def product_shape(s, t):
    return (s[0], t[1]) if s[1] == t[0] or 1 in (s[1], t[0]) else 'error'

# %% wrong="2.3.E" why="the order exchanged" breaks="outer lengths" says="shapes (2, 3) and (3, 4)"
def product_shape(s, t):
    return (t[1], s[0]) if s[1] == t[0] else 'error'

# %% right="2.3.E" how="a list"
def product_shape(s, t):
    return [s[0], t[1]] if s[1] == t[0] else 'error'

# %% wrong="2.3.E" why="an empty sum is an error" breaks="outer lengths" says="a sum of no products"
def product_shape(s, t):
    return (s[0], t[1]) if s[1] and s[1] == t[0] else 'error'

# %% wrong="2.3.E" why="multiples fit, too" breaks="inner lengths" says="They have to be equal"
def product_shape(s, t):
    small, large = sorted((s[1], t[0]))
    return (s[0], t[1]) if small == large or small > 1 and large % small == 0 else 'error'

# %% wrong="2.3.E" why="compares the outer lengths" breaks="outer lengths" says="need not be equal"
def product_shape(s, t):
    return (s[0], t[1]) if s[0] == t[1] else 'error'

# %% right="2.3.F" how="torch's own"
def layer(X, W, b):
    return torch.nn.functional.linear(X, W, b)

# %% right="2.3.F" how="row by row"
def layer(X, W, b):
    return torch.stack([W @ x + b for x in X])

# %% wrong="2.3.F" why="the columns as units" breaks="shape" says="The columns of W were taken for the units"
def layer(X, W, b):
    return X @ W + b

# %% wrong="2.3.F" why="the columns as units where the shapes allow it" breaks="weights" says="here each row is one"
def layer(X, W, b):
    return X @ W + b if W.shape[0] == W.shape[1] else X @ W.T + b

# %% wrong="2.3.F" why="the bias of example i" breaks="bias" says="it belongs to a unit"
def layer(X, W, b):
    return X @ W.T + b[:, None] if len(X) == len(b) else X @ W.T + b

# %% wrong="2.3.F" why="no bias" breaks="bias" says="The biases are missing"
def layer(X, W, b):
    return X @ W.T

# %% wrong="2.3.F" why="units as rows of the result" breaks="shape" says="Rows and columns of the result are exchanged"
def layer(X, W, b):
    return (X @ W.T + b).T

# %% wrong="2.3.F" why="the batch is summed" breaks="shape" says="wrong shape"
def layer(X, W, b):
    return X.sum(dim=0) @ W.T + b

# %% wrong="2.3.F" why="a single unit is squeezed away" breaks="shape" says="n = 3, d = 2, h = 1"
def layer(X, W, b):
    return (X @ W.T + b).squeeze(1)

# %% wrong="2.3.F" why="reshape for the transpose" breaks="weights" says="`reshape` does not exchange them"
def layer(X, W, b):
    return X @ W.reshape(W.shape[1], W.shape[0]) + b

# %% wrong="2.3.F" why="a function behind the layer" breaks="weights" says="Negative entries became 0"
def layer(X, W, b):
    return (X @ W.T + b).clamp(min=0)

# %% right="2.3.10a" how="two steps each"
def chain_cost(p, q, r, s):
    return [p * r * (q + s), q * s * (r + p)]

# %% right="2.3.10a" how="a function for one product"
def chain_cost(p, q, r, s):
    def product(n, k, m):
        return n * k * m
    return product(p, q, r) + product(p, r, s), product(q, r, s) + product(p, q, s)

# %% wrong="2.3.10a" why="only the first product" breaks="(AB)C" says="its product with C comes on top"
def chain_cost(p, q, r, s):
    return p * q * r, q * r * s

# %% wrong="2.3.10a" why="the order exchanged" breaks="(AB)C" says="This is A(BC)"
def chain_cost(p, q, r, s):
    return q * r * s + p * q * s, p * q * r + p * r * s

# %% wrong="2.3.10a" why="additions counted, too" breaks="(AB)C" says="not the additions"
def chain_cost(p, q, r, s):
    return 2 * (p * q * r + p * r * s), 2 * (q * r * s + p * q * s)

# %% wrong="2.3.10a" why="both orders the same" breaks="A(BC)" says="This is (AB)C"
def chain_cost(p, q, r, s):
    return (p * q * r + p * r * s,) * 2

# %% wrong="2.3.10a" why="products multiplied" breaks="(AB)C" says="are added, not multiplied"
def chain_cost(p, q, r, s):
    return p * q * r * p * r * s, q * r * s + p * q * s

# %% wrong="2.3.10a" why="A with BC forgotten" breaks="A(BC)" says="the product of A with it comes on top"
def chain_cost(p, q, r, s):
    return p * q * r + p * r * s, q * r * s

# %% right="2.3.10a" how="a tensor of whole numbers"
def chain_cost(p, q, r, s):
    return torch.tensor([p * r * (q + s), q * s * (p + r)])

# %% wrong="2.3.10a" why="float32 rounds" breaks="(AB)C" says="float32 keeps about seven digits"
def chain_cost(p, q, r, s):
    return torch.tensor([p * r * (q + s), q * s * (p + r)], dtype=torch.float32)

# %% wrong="2.3.10a" why="the cheaper one first" breaks="(AB)C" says="the larger one here"
def chain_cost(p, q, r, s):
    return tuple(sorted((p * r * (q + s), q * s * (p + r))))

# %% right="2.3.10b" how="NumPy's size of a float32"
def bytes_between(p, q, r, s):
    size = np.dtype('float32').itemsize
    return [p * r * size, q * s * size]

# %% right="2.3.10b" how="measured"
def bytes_between(p, q, r, s):
    return torch.empty(p, r, device='meta').nbytes, torch.empty(q, s, device='meta').nbytes

# %% wrong="2.3.10b" why="numbers, not bytes" breaks="AB" says="each takes 4 bytes"
def bytes_between(p, q, r, s):
    return p * r, q * s

# %% wrong="2.3.10b" why="float64" breaks="AB" says="4 bytes, not 8"
def bytes_between(p, q, r, s):
    return 8 * p * r, 8 * q * s

# %% wrong="2.3.10b" why="the whole product" breaks="BC" says="the whole product, ABC"
def bytes_between(p, q, r, s):
    return 4 * p * r, 4 * p * s

# %% wrong="2.3.10b" why="the order exchanged" breaks="AB" says="This is BC"
def bytes_between(p, q, r, s):
    return 4 * q * s, 4 * p * r

# %% wrong="2.3.10b" why="kibibytes where there are many" breaks="AB" says="Asked for are bytes"
def bytes_between(p, q, r, s):
    return tuple(size if size < 10 ** 6 else size / 1024 for size in (4 * p * r, 4 * q * s))

# %% right="2.3.10c" how="multi_dot"
def chain(A, B, C):
    return torch.linalg.multi_dot([A, B, C])

# %% right="2.3.10c" how="compares the sums of inverses"
def chain(A, B, C):
    (p, q), (r, s) = A.shape, C.shape
    # pqr + prs <= qrs + pqs, divided by pqrs
    return torch.mm(torch.mm(A, B), C) if 1 / s + 1 / q <= 1 / p + 1 / r else torch.mm(A, torch.mm(B, C))

# %% wrong="2.3.10c" why="always from the left" breaks="cheaper order" says="This is (AB)C,"
def chain(A, B, C):
    return A @ B @ C

# %% wrong="2.3.10c" why="always from the right" breaks="cheaper order" says="This is A(BC),"
def chain(A, B, C):
    return A @ (B @ C)

# %% wrong="2.3.10c" why="the dearer way" breaks="cheaper order" says="is at most"
def chain(A, B, C):
    (p, q), (r, s) = A.shape, C.shape
    return A @ (B @ C) if p * q * r + p * r * s < q * r * s + p * q * s else (A @ B) @ C

# %% wrong="2.3.10c" why="looks at the first product only" breaks="cheaper order" says="is at most"
def chain(A, B, C):
    (p, q), (r, s) = A.shape, C.shape
    return (A @ B) @ C if p * q * r <= q * r * s else A @ (B @ C)

# %% wrong="2.3.10c" why="the smaller matrix in between" breaks="cheaper order" says="is at most"
def chain(A, B, C):
    (p, q), (r, s) = A.shape, C.shape
    return (A @ B) @ C if p * r <= q * s else A @ (B @ C)

# %% wrong="2.3.10c" why="both ways" breaks="cheaper order" says="Both ways were computed"
def chain(A, B, C):
    return ((A @ B) @ C + A @ (B @ C)) / 2

# %% wrong="2.3.10c" why="the product of two only" breaks="product" says="the shape of the product"
def chain(A, B, C):
    return A @ B

# %% wrong="2.3.10c" why="the order of the factors" breaks="product" says="the shape of the product"
def chain(A, B, C):
    return (C.T @ B.T) @ A.T

# %% wrong="2.3.10c" why="compares one product of each order" breaks="cheaper order" says="Each order has two products"
def chain(A, B, C):
    p, q = A.shape
    r, s = C.shape
    return (A @ B) @ C if p * q * r <= q * r * s else A @ (B @ C)

# %% wrong="2.3.10c" why="compares without the larger of the last products" breaks="cheaper order" says="p, q, r, s = 10, 8, 3, 4"
def chain(A, B, C):
    p, q = A.shape
    r, s = C.shape
    return (A @ B) @ C if p * q * r + p * r * s <= q * r * s + p * q / s else A @ (B @ C)

# %% right="2.3.G" how="multiplies with the inverse"
def unit(x):
    return x * (1 / torch.sqrt(x @ x))

# %% right="2.3.G" how="torch's normalize"
def unit(x):
    return torch.nn.functional.normalize(x, dim=0)

# %% wrong="2.3.G" why="the 1-norm" breaks="values" says="sum of the absolute values"
def unit(x):
    return x / x.abs().sum()

# %% wrong="2.3.G" why="the square of the norm" breaks="values" says="the square of the norm"
def unit(x):
    return x / (x @ x)

# %% wrong="2.3.G" why="the largest entry" breaks="values" says="the largest absolute value"
def unit(x):
    return x / x.abs().max()

# %% wrong="2.3.G" why="sums to 1" breaks="values" says="the sum of the entries"
def unit(x):
    return x / x.sum()

# %% wrong="2.3.G" why="in place" breaks="arguments kept" says="x after the call"
def unit(x):
    x /= x.norm()
    return x

# %% wrong="2.3.G" why="loses the signs" breaks="values" says="the vector (3, -4)"
def unit(x):
    return x.abs() / x.norm()

# %% wrong="2.3.G" why="shortens long vectors only" breaks="values" says="it becomes longer"
def unit(x):
    return x / x.norm().clamp(min=1)

# %% wrong="2.3.G" why="adds something to the norm" breaks="values" says="nothing need be added to its norm"
def unit(x):
    return x / (x.norm() + 1e-8)

# %% right="2.3.7a" how="coordinate by coordinate, in Python"
def walking_distance(P, Q, blocks):
    return torch.tensor([sum(w * abs(a - b) for a, b, w in zip(p, q, blocks)) for p,
                         q in zip(P.tolist(), Q.tolist())],
                        dtype=torch.float64)

# %% right="2.3.7a" how="the 1-norm of the weighted difference"
def walking_distance(P, Q, blocks):
    difference = (P.double() - Q.double()) * torch.tensor(blocks)
    return torch.linalg.vector_norm(difference, ord=1, dim=1)

# %% wrong="2.3.7a" why="the straight line" breaks="metres" says="through the houses"
def walking_distance(P, Q, blocks):
    return ((P.double() - Q.double()) * torch.tensor(blocks).double()).norm(dim=1)

# %% wrong="2.3.7a" why="the blocks changed over" breaks="metres" says="in the order given"
def walking_distance(P, Q, blocks):
    return (P.double() - Q.double()).abs() @ torch.tensor(blocks[::-1]).double()

# %% wrong="2.3.7a" why="sums over the corners" breaks="shape" says="the shape for three pairs"
def walking_distance(P, Q, blocks):
    return ((P.double() - Q.double()).abs() * torch.tensor(blocks).double()).sum(dim=0)

# %% wrong="2.3.7a" why="no absolute value" breaks="metres" says="take absolute values"
def walking_distance(P, Q, blocks):
    return (Q.double() - P.double()) @ torch.tensor(blocks).double()

# %% wrong="2.3.7a" why="the absolute value of the sum" breaks="metres" says="not set off against each other"
def walking_distance(P, Q, blocks):
    return ((Q.double() - P.double()) @ torch.tensor(blocks).double()).abs()

# %% wrong="2.3.7a" why="one block length for both" breaks="metres" says="a block length of their own"
def walking_distance(P, Q, blocks):
    return (P.float() - Q.float()).abs().sum(dim=1) * blocks[0]

# %% wrong="2.3.7a" why="subtracts in uint8" breaks="any integers" says="convert to floating point before you subtract"
def walking_distance(P, Q, blocks):
    return (P - Q).to(torch.int64).abs().double() @ torch.tensor(blocks).double()

# %% wrong="2.3.7a" why="ignores the blocks" breaks="metres" says="asked for are metres"
def walking_distance(P, Q, blocks):
    return (P.double() - Q.double()).abs().sum(dim=1)

# %% wrong="2.3.7a" why="each corner against each" breaks="shape" says="wrong shape"
def walking_distance(P, Q, blocks):
    w = torch.tensor(blocks).double()
    return torch.cdist(P.double() * w, Q.double() * w, p=1)

# %% wrong="2.3.7a" why="with a column of its own" breaks="shape" says="wrong shape"
def walking_distance(P, Q, blocks):
    return ((P.double() - Q.double()).abs() * torch.tensor(blocks).double()).sum(dim=1, keepdim=True)

# %% wrong="2.3.7a" why="int16 on the way" breaks="any integers" says="int16 ends at 32767"
def walking_distance(P, Q, blocks):
    return (P.to(torch.int16) - Q.to(torch.int16)).abs().double() @ torch.tensor(blocks, dtype=torch.float64)

# %% wrong="2.3.7a" why="converts uint8 only" breaks="any integers" says="int8 ends at 127, and the difference is 200"
def walking_distance(P, Q, blocks):
    if P.dtype == torch.uint8:
        P, Q = P.long(), Q.long()
    return (P - Q).abs().double() @ torch.tensor(blocks, dtype=torch.float64)

# %% wrong="2.3.7a" why="whole numbers where the blocks are whole" breaks="floating point" says="the whole numbers (280, 80)"
def walking_distance(P, Q, blocks):
    return ((P.long() - Q.long()).abs() * torch.tensor(blocks)).sum(dim=1)

# %% wrong="2.3.7a" why="one walk is squeezed to a number" breaks="shape" says="one pair of corners"
def walking_distance(P, Q, blocks):
    return ((P.double() - Q.double()).abs() @ torch.tensor(blocks, dtype=torch.float64)[:, None]).squeeze()

# %% wrong="2.3.7a" why="float32, which has no room for large corners" breaks="any integers" says="float32 keeps about seven digits"
def walking_distance(P, Q, blocks):
    return (P.float() - Q.double()).abs() @ torch.tensor(blocks, dtype=torch.float64)

# %% wrong="2.3.7a" why="whole metres" breaks="metres" says="need not be whole"
def walking_distance(P, Q, blocks):
    return ((P.long() - Q.long()).abs() * torch.tensor(blocks).long()).sum(dim=1).double()

# %% right="2.3.7b" how="adds the steps up"
def two_ways(east, north, k):
    stairs = 0
    for _ in range(k):
        stairs += abs(east / k) + abs(north / k)
    return stairs, float(np.hypot(east, north))

# %% right="2.3.7b" how="norms"
def two_ways(east, north, k):
    way = torch.tensor([east, north])
    return [torch.linalg.norm(way, ord=1), torch.linalg.norm(way)]

# %% wrong="2.3.7b" why="goes to the diagonal" breaks="staircase" says="does not come nearer to 5"
def two_ways(east, north, k):
    straight = (east ** 2 + north ** 2) ** 0.5
    return straight + (abs(east) + abs(north) - straight) / k, straight

# %% wrong="2.3.7b" why="longer with each step" breaks="staircase" says="with 10 steps"
def two_ways(east, north, k):
    return k * (abs(east) + abs(north)), (east ** 2 + north ** 2) ** 0.5

# %% wrong="2.3.7b" why="one step only" breaks="staircase" says="with 10 steps"
def two_ways(east, north, k):
    return (abs(east) + abs(north)) / k, (east ** 2 + north ** 2) ** 0.5

# %% wrong="2.3.7b" why="no absolute values" breaks="staircase" says="it is added, not subtracted"
def two_ways(east, north, k):
    return east + north, (east ** 2 + north ** 2) ** 0.5

# %% wrong="2.3.7b" why="no root" breaks="straight line" says="The root is missing"
def two_ways(east, north, k):
    return abs(east) + abs(north), east ** 2 + north ** 2

# %% wrong="2.3.7b" why="the straight line is as long" breaks="straight line" says="This is the staircase"
def two_ways(east, north, k):
    return abs(east) + abs(north), abs(east) + abs(north)

# %% wrong="2.3.7b" why="the straight lines of the steps" breaks="staircase" says="This is the straight line, the second number"
def two_ways(east, north, k):
    straight = (east ** 2 + north ** 2) ** 0.5
    return k * ((east / k) ** 2 + (north / k) ** 2) ** 0.5, straight

# %% wrong="2.3.7b" why="whole blocks only" breaks="staircase" says="the staircase to (1.5, 2)"
def two_ways(east, north, k):
    return abs(int(east)) + abs(int(north)), (east ** 2 + north ** 2) ** 0.5

# %% wrong="2.3.7b" why="negative to the south-west" breaks="staircase" says="to the west or to the south"
def two_ways(east, north, k):
    stairs = abs(east) + abs(north) if max(east, north) > 0 else east + north
    return stairs, (east ** 2 + north ** 2) ** 0.5

# %% right="2.3.14" how="in another order"
broken = dict.fromkeys('hg', 'zero') | dict.fromkeys('fe', 'triangle') | dict.fromkeys('dc', 'scaling') | dict.fromkeys('ba', 'none')

# %% wrong="2.3.14" why="a weighted norm is none" breaks="weights and sums" says="for function a is right"
broken = {'a': 'scaling', 'b': 'none', 'c': 'scaling', 'd': 'scaling', 'e': 'triangle', 'f': 'triangle', 'g': 'zero', 'h': 'zero'}

# %% wrong="2.3.14" why="counting is a norm" breaks="counting and capping" says="for function c is right"
broken = {'a': 'none', 'b': 'none', 'c': 'none', 'd': 'scaling', 'e': 'triangle', 'f': 'triangle', 'g': 'zero', 'h': 'zero'}

# %% wrong="2.3.14" why="roots break scaling" breaks="roots and minima" says="for function e is right"
broken = {'a': 'none', 'b': 'none', 'c': 'scaling', 'd': 'scaling', 'e': 'scaling', 'f': 'triangle', 'g': 'zero', 'h': 'zero'}

# %% wrong="2.3.14" why="the range breaks the triangle" breaks="differences" says="for function g is right"
broken = {'a': 'none', 'b': 'none', 'c': 'scaling', 'd': 'scaling', 'e': 'triangle', 'f': 'triangle', 'g': 'triangle', 'h': 'zero'}

# %% wrong="2.3.14" why="a minimum of norms is a norm" breaks="roots and minima" says="smaller one of two norms"
broken = {'a': 'none', 'b': 'none', 'c': 'scaling', 'd': 'scaling', 'e': 'triangle', 'f': 'none', 'g': 'zero', 'h': 'zero'}

# %% wrong="2.3.14" why="only those that are none" breaks="eight entries" says="the keys of `broken`"
broken = {'c': 'scaling', 'd': 'scaling', 'e': 'triangle', 'f': 'triangle', 'g': 'zero', 'h': 'zero'}

# %% right="2.3.9a" how="flat, by hand"
def norm_any(X):
    x = X.reshape(-1).to(torch.float64)
    return (x @ x).sqrt()

# %% right="2.3.9a" how="vector_norm"
def norm_any(X):
    return torch.linalg.vector_norm(X.double())

# %% right="2.3.9a" how="NumPy"
def norm_any(X):
    return torch.tensor(np.linalg.norm(X.numpy().astype(float)))

# %% wrong="2.3.9a" why="integers raise" breaks="integers" says="RuntimeError"
def norm_any(X):
    return torch.linalg.norm(X)

# %% wrong="2.3.9a" why="spectral for matrices" breaks="values" says="This is the spectral norm"
def norm_any(X):
    X = X.double()
    return torch.linalg.norm(X, ord=2) if X.ndim == 2 else torch.linalg.norm(X)

# %% wrong="2.3.9a" why="no root" breaks="values" says="The root is missing"
def norm_any(X):
    return X.double().square().sum()

# %% wrong="2.3.9a" why="1-norm" breaks="values" says="the sum of the absolute values"
def norm_any(X):
    return X.double().abs().sum()

# %% wrong="2.3.9a" why="of the last axis only" breaks="shape" says="the shape of the norm for three axes"
def norm_any(X):
    norm = X.double().norm(dim=-1)
    return norm if norm.numel() > 3 else norm.norm()

# %% wrong="2.3.9a" why="squares in the integer dtype, which overflows" breaks="integers" says="convert first"
def norm_any(X):
    return X.square().sum(dtype=torch.float64).sqrt()

# %% wrong="2.3.9a" why="the root of the mean square" breaks="values" says="root of the mean square"
def norm_any(X):
    return X.double().square().mean().sqrt()

# %% wrong="2.3.9a" why="a Python number" breaks="shape" says="wrong type"
def norm_any(X):
    return float(X.double().norm())

# %% right="2.3.9a" how="float32"
def norm_any(X):
    return X.float().reshape(-1).norm()

# %% wrong="2.3.9a" why="squares in int64, which overflow for large numbers" breaks="integers" says="as int64"
def norm_any(X):
    return X.norm() if X.is_floating_point() else X.long().square().sum().double().sqrt()

# %% wrong="2.3.9a" why="squares in int32" breaks="integers" says="as int32"
def norm_any(X):
    return X.norm() if X.is_floating_point() else X.int().square().sum(dtype=torch.int32).double().sqrt()

# %% wrong="2.3.9a" why="half precision" breaks="integers" says="float16 is too coarse"
def norm_any(X):
    return X.half().norm()

# %% wrong="2.3.9a" why="a norm for each column" breaks="shape" says="One norm for all entries together"
def norm_any(X):
    return X.double().norm(dim=0)

# %% right="2.3.9b" how="tried out"
norms = {}
for _key, _call in calls.items():
    try:
        _value = float(_call())
        norms[_key] = 'spectral' if _key == 'e' else 'entries'
    except (RuntimeError, ValueError):
        norms[_key] = 'error'

# %% wrong="2.3.9b" why="ord=2 is the default" breaks="three axes with ord" says="call c"
norms = {'a': 'entries', 'b': 'entries', 'c': 'entries', 'd': 'error', 'e': 'spectral', 'f': 'entries', 'g': 'error', 'h': 'entries'}

# %% wrong="2.3.9b" why="ord=2 of a matrix is the Frobenius norm" breaks="a matrix with ord" says="call e"
norms = {'a': 'entries', 'b': 'entries', 'c': 'error', 'd': 'error', 'e': 'entries', 'f': 'entries', 'g': 'error', 'h': 'entries'}

# %% wrong="2.3.9b" why="the norm of a matrix is spectral" breaks="without ord" says="call b"
norms = {'a': 'entries', 'b': 'spectral', 'c': 'error', 'd': 'error', 'e': 'spectral', 'f': 'entries', 'g': 'error', 'h': 'entries'}

# %% wrong="2.3.9b" why="torch takes integers" breaks="integers" says="call g"
norms = {'a': 'entries', 'b': 'entries', 'c': 'error', 'd': 'error', 'e': 'spectral', 'f': 'entries', 'g': 'entries', 'h': 'entries'}

# %% wrong="2.3.9b" why="vector_norm takes the matrix for a map" breaks="a matrix with ord" says="call f"
norms = {'a': 'entries', 'b': 'entries', 'c': 'error', 'd': 'error', 'e': 'spectral', 'f': 'spectral', 'g': 'error', 'h': 'entries'}

# %% wrong="2.3.9b" why="the first four" breaks="eight entries" says="the keys of `norms`"
norms = {'a': 'entries', 'b': 'entries', 'c': 'error', 'd': 'error'}

# %% right="2.3.H" how="unit vectors"
def cosine(x, y):
    return (x / x.norm()) @ (y / y.norm())

# %% right="2.3.H" how="torch's own"
def cosine(x, y):
    return torch.nn.functional.cosine_similarity(x, y, dim=0, eps=0.)

# %% wrong="2.3.H" why="the dot product" breaks="values" says="This is the dot product"
def cosine(x, y):
    return x @ y

# %% wrong="2.3.H" why="no parentheses" breaks="values" says="put parentheses"
def cosine(x, y):
    return x @ y / x.norm() * y.norm()

# %% wrong="2.3.H" why="the angle" breaks="values" says="This is the angle"
def cosine(x, y):
    return torch.acos(x @ y / (x.norm() * y.norm()))

# %% wrong="2.3.H" why="squares of the norms" breaks="values" says="The norms were squared"
def cosine(x, y):
    return x @ y / ((x @ x) * (y @ y))

# %% wrong="2.3.H" why="adds a number that is not small for short vectors" breaks="lengths" says="change the lengths, not the angle"
def cosine(x, y):
    return x @ y / (x.norm() * y.norm() + 1e-3)

# %% wrong="2.3.H" why="entry by entry" breaks="one number" says="the shape of the result"
def cosine(x, y):
    return x * y / (x.norm() * y.norm())

# %% wrong="2.3.H" why="loses the sign" breaks="values" says="opposite directions"
def cosine(x, y):
    return (x @ y).abs() / (x.norm() * y.norm())

# %% wrong="2.3.H" why="adds something to the product of the norms" breaks="lengths" says="nothing need be added to the product"
def cosine(x, y):
    return x @ y / (x.norm() * y.norm() + 1e-8)

# %% right="2.3.J" how="a multiple"
vanishing = torch.tensor([-1., 0.5, 0.5])

# %% wrong="2.3.J" why="zero" breaks="not zero" says="is not 0"
vanishing = torch.zeros(3)

# %% wrong="2.3.J" why="the sign of the last" breaks="vanishes" says="@ vanishing"
vanishing = torch.tensor([2., -1., 1.])

# %% wrong="2.3.J" why="right for one row only" breaks="vanishes" says="@ vanishing"
vanishing = torch.tensor([2., 5., -1.])

# %% wrong="2.3.J" why="integers" breaks="three entries" says="the dtype of `vanishing`"
vanishing = torch.tensor([2, -1, -1])

# %% wrong="2.3.J" why="a column" breaks="three entries" says="wrong shape"
vanishing = torch.tensor([[2.], [-1.], [-1.]])

# %% right="2.3.J" how="a small multiple"
vanishing = torch.tensor([0.0002, -0.0001, -0.0001])

# %% right="2.3.J" how="length 1"
vanishing = torch.tensor([-2., 1., 1.]) / 6 ** 0.5

# %% wrong="2.3.J" why="small, and off by half a per cent" breaks="vanishes" says="@ vanishing"
vanishing = torch.tensor([0.00201, -0.001, -0.001])

# %% right="2.3.15" how="matrix by matrix"
def largest_rank(widths):
    return min(min(before, after) for before, after in zip(widths, widths[1:]))

# %% right="2.3.15" how="random matrices"
def largest_rank(widths):
    product = torch.eye(widths[0]).double()
    generator = torch.Generator().manual_seed(0)
    for before, after in zip(widths, widths[1:]):
        product = product @ torch.randn(before, after, generator=generator).double()
    return int(torch.linalg.matrix_rank(product))

# %% wrong="2.3.15" why="the shape of the product" breaks="several layers" says="what is lost in between stays lost"
def largest_rank(widths):
    return min(widths[0], widths[-1])

# %% wrong="2.3.15" why="the largest" breaks="one layer" says="than it has rows"
def largest_rank(widths):
    return max(widths)

# %% wrong="2.3.15" why="rows only" breaks="one layer" says="than it has columns"
def largest_rank(widths):
    return min(widths[:-1])

# %% wrong="2.3.15" why="inner widths only" breaks="several layers" says="the inputs and the outputs count, too"
def largest_rank(widths):
    return min(widths[1:-1]) if len(widths) > 2 else min(widths)

# %% wrong="2.3.15" why="looks at both ends and the middle" breaks="several layers" says="The gap may be anywhere"
def largest_rank(widths):
    return min(widths[0], widths[1], widths[-1], widths[len(widths) // 2])

# %% right="2.3.I" how="dot products one by one"
def gram(X):
    return torch.stack([torch.stack([a @ b for a in X.T]) for b in X.T])

# %% right="2.3.I" how="broadcasting and a sum"
def gram(X):
    return (X[:, :, None] * X[:, None, :]).sum(dim=0)

# %% wrong="2.3.I" why="the rows" breaks="shape" says="wrong shape"
def gram(X):
    return X @ X.T

# %% wrong="2.3.I" why="the rows where the matrix is square" breaks="values" says="dot products of the rows"
def gram(X):
    return X @ X.T if X.shape[0] == X.shape[1] else X.T @ X

# %% wrong="2.3.I" why="no transpose" breaks="shape" says="shapes cannot be multiplied"
def gram(X):
    return X @ X

# %% wrong="2.3.I" why="the squared lengths only" breaks="shape" says="wrong shape"
def gram(X):
    return (X * X).sum(dim=0)

# %% wrong="2.3.I" why="means, not sums" breaks="values" says="the dot products of the columns"
def gram(X):
    return X.T @ X / len(X)

# %% wrong="2.3.I" why="without the dot products of different columns" breaks="values" says="the dot products of the columns"
def gram(X):
    return torch.diag((X * X).sum(dim=0))

# %% wrong="2.3.I" why="a single column is squeezed away" breaks="shape" says="a 1 by 1 matrix"
def gram(X):
    return (X.T @ X).squeeze()

# %% wrong="2.3.I" why="centred first" breaks="values" says="The mean of each column was subtracted"
def gram(X):
    X = X - X.mean(dim=0)
    return X.T @ X

# %% wrong="2.3.I" why="cosines" breaks="values" says="These are cosines"
def gram(X):
    X = X / X.norm(dim=0)
    return X.T @ X

# %% right="2.3.11b" how="transpose"
def shared_transpose(B):
    return B.transpose(0, 1)

# %% right="2.3.11b" how="as_strided"
def shared_transpose(B):
    return B.as_strided((B.shape[1], B.shape[0]), (B.stride(1), B.stride(0)))

# %% right="2.3.11b" how="NumPy shares, too"
def shared_transpose(B):
    return torch.from_numpy(B.numpy().T)

# %% wrong="2.3.11b" why="contiguous copies" breaks="same memory" says="it is a copy"
def shared_transpose(B):
    return B.T.contiguous()

# %% wrong="2.3.11b" why="clone copies" breaks="same memory" says="it is a copy"
def shared_transpose(B):
    return B.T.clone()

# %% wrong="2.3.11b" why="reshape: the same memory, other places" breaks="values" says="stand in their old order"
def shared_transpose(B):
    return B.reshape(B.shape[1], B.shape[0])

# %% wrong="2.3.11b" why="B itself" breaks="values" says="wrong shape"
def shared_transpose(B):
    return B

# %% wrong="2.3.11b" why="stacks the columns anew" breaks="same memory" says="it is a copy"
def shared_transpose(B):
    return torch.stack(B.unbind(dim=1))

# %% wrong="2.3.11b" why="copies what does not lie row after row" breaks="views" says="it was copied"
def shared_transpose(B):
    return B.contiguous().T

# %% wrong="2.3.11b" why="the strides of a fresh matrix" breaks="views" says="The strides are those of a fresh matrix"
def shared_transpose(B):
    return B.as_strided((B.shape[1], B.shape[0]), (1, B.shape[1]))

# %% wrong="2.3.11b" why="floats only" breaks="same memory" says="Another dtype means other memory"
def shared_transpose(B):
    return B.float().T

# %% right="2.3.11a" how="asks torch"
def strides(q, r):
    B, C = torch.empty(q, r), torch.empty(r, q)
    return [B.stride(), B.T.stride(), C.T.stride(), B.T.T.stride()]

# %% right="2.3.11a" how="swaps"
def strides(q, r):
    B, C = [r, 1], [q, 1]
    return B, B[::-1], C[::-1], B[::-1][::-1]

# %% wrong="2.3.11a" why="shapes" breaks="B" says="pair 0"
def strides(q, r):
    return [(q, r), (r, q), (q, r), (q, r)]

# %% wrong="2.3.11a" why="a transpose is copied" breaks="B.T" says="pair 1"
def strides(q, r):
    return [(r, 1), (q, 1), (r, 1), (r, 1)]

# %% wrong="2.3.11a" why="a fresh C has B's strides" breaks="fresh C" says="pair 2"
def strides(q, r):
    return [(r, 1), (1, r), (1, r), (r, 1)]

# %% wrong="2.3.11a" why="C = B.T is as a fresh one" breaks="C = B.T" says="pair 3"
def strides(q, r):
    return [(r, 1), (1, r), (1, q), (1, q)]

# %% wrong="2.3.11a" why="bytes" breaks="B" says="pair 0"
def strides(q, r):
    return [(4 * r, 4), (4, 4 * r), (4, 4 * q), (4 * r, 4)]

# %% wrong="2.3.11a" why="columns first" breaks="B" says="lies row after row"
def strides(q, r):
    return [(1, q), (q, 1), (r, 1), (1, q)]

# %% wrong="2.3.11a" why="knows the visible case" breaks="B" says="the strides for B, q = 7, r = 4"
def strides(q, r):
    return [(3, 1), (1, 3), (1, 2), (3, 1)]

# %% right="2.3.1" how="the transpose, turned by half a turn"
def impostor(A):
    return A.T.flip(0, 1)

# %% right="2.3.1" how="the anti-transpose, entry by entry"
def impostor(A):
    m, n = A.shape
    B = torch.empty(n, m, dtype=A.dtype)
    for i in range(m):
        for j in range(n):
            B[n - 1 - j, m - 1 - i] = A[i, j]
    return B

# %% right="2.3.1" how="view"
def impostor(A):
    return A.contiguous().view(A.size(1), -1)

# %% wrong="2.3.1" why="the transpose" breaks="impostor" says="This is the transpose itself"
def impostor(A):
    return A.T

# %% wrong="2.3.1" why="keeps the shape" breaks="shape" says="wrong shape"
def impostor(A):
    return A.flip(0)

# %% wrong="2.3.1" why="a quarter turn is not undone by another" breaks="undone" says="twice, for a"
def impostor(A):
    return torch.rot90(A)

# %% wrong="2.3.1" why="minus: other entries" breaks="same entries" says="the entries of a"
def impostor(A):
    return -A.T

# %% wrong="2.3.1" why="reshapes as in the 2 by 3 example" breaks="shape" says="is invalid for input"
def impostor(A):
    return A.reshape(3, 2) if A.shape == (2, 3) else A.reshape(2, 3)

# %% wrong="2.3.1" why="rows upside down after the transpose: undone only where the sides are even" breaks="undone" says="twice, for a"
def impostor(A):
    return A.T.flip(0)

# %% wrong="2.3.1" why="the transpose for square matrices" breaks="impostor" says="not the transpose of a 3 by 3 matrix"
def impostor(A):
    return A.T if A.shape[0] == A.shape[1] else A.reshape(A.shape[1], A.shape[0])

# %% right="2.3.2" how="one pair for all, found by trying"
_rng = torch.Generator().manual_seed(5)
counterexamples = {}
for _key, _f in maps.items():
    for _ in range(200):
        _P, _Q = torch.randn(2, 2, generator=_rng), torch.randn(2, 2, generator=_rng)
        if (_f(_P) + _f(_Q) - _f(_P + _Q)).abs().max() > 0.3:
            counterexamples[_key] = (_P, _Q)
            break

# %% right="2.3.2" how="by hand, as lists of two"
counterexamples = {
    'square every entry': [torch.ones(2, 2), torch.ones(2, 2)],
    'largest entry': [torch.tensor([[1., 0.], [0., 0.]]), torch.tensor([[0., 1.], [0., 0.]])],
    'add 1': [torch.zeros(2, 2), torch.zeros(2, 2)],
    'product of the diagonal': [torch.tensor([[1., 0.], [0., 0.]]), torch.tensor([[0., 0.], [0., 1.]])],
    'negative entries become 0': [torch.ones(2, 2), -2 * torch.ones(2, 2)],
}

# %% wrong="2.3.2" why="overlooks the clipping" breaks="none missing" says="There are more maps that lack the property"
counterexamples = {key: (torch.eye(2), torch.eye(2))
                   for key in ('square every entry', 'add 1', 'product of the diagonal')}
counterexamples['largest entry'] = (torch.eye(2), -torch.eye(2))

# %% wrong="2.3.2" why="takes the trace for one of them" breaks="pairs prove" says="it keeps sums"
counterexamples = {key: (torch.eye(2), torch.eye(2))
                   for key in ('square every entry', 'add 1', 'product of the diagonal', 'trace')}
counterexamples |= {key: (torch.eye(2), -torch.eye(2))
                    for key in ('largest entry', 'negative entries become 0')}

# %% wrong="2.3.2" why="all maps, with random pairs" breaks="pairs prove" says="the names whose pair proves nothing"
counterexamples = {key: (torch.tensor([[1., -2.], [3., 1.]]), torch.tensor([[2., 1.], [-4., 0.5]]))
                   for key in maps}

# %% wrong="2.3.2" why="3 by 3" breaks="form" says="the shape of the matrices"
counterexamples = {key: (torch.eye(3), torch.eye(3))
                   for key in ('square every entry', 'add 1', 'product of the diagonal')}
counterexamples |= {key: (torch.eye(3), -torch.eye(3))
                    for key in ('largest entry', 'negative entries become 0')}

# %% wrong="2.3.2" why="none" breaks="none missing" says="at least one pair"
counterexamples = {}

# %% wrong="2.3.2" why="the identity for all" breaks="pairs prove" says="the names whose pair proves nothing"
counterexamples = {key: (torch.eye(2), torch.eye(2)) for key in
                   ('square every entry', 'largest entry', 'add 1', 'product of the diagonal',
                    'negative entries become 0')}

# %% wrong="2.3.2" why="float64" breaks="form" says="the dtype of the matrices"
counterexamples = {key: (torch.eye(2).double(), torch.eye(2).double())
                   for key in ('square every entry', 'add 1', 'product of the diagonal')}
counterexamples |= {key: (torch.eye(2).double(), -torch.eye(2).double())
                    for key in ('largest entry', 'negative entries become 0')}

# %% right="2.3.3" how="halves, and the rest"
def split(A):
    A = A.double()
    S = 0.5 * (A + A.transpose(0, 1))
    return [S, A - S]

# %% right="2.3.3" how="entry by entry"
def split(A):
    n = len(A)
    S, K = torch.zeros(n, n), torch.zeros(n, n)
    for i in range(n):
        for j in range(n):
            S[i, j] = A[i, j] / 2 + A[j, i] / 2
            K[i, j] = A[i, j] / 2 - A[j, i] / 2
    return S, K

# %% wrong="2.3.3" why="forgets the half" breaks="sum" says="This is twice A"
def split(A):
    return A + A.T, A - A.T

# %% wrong="2.3.3" why="rounds" breaks="integers" says="have fractions, 3.5 and -1.5"
def split(A):
    return (A + A.T) // 2, (A - A.T) // 2

# %% wrong="2.3.3" why="the product is symmetric, too" breaks="the rest" says="minus its own transpose"
def split(A):
    S = (A @ A.T).float()
    return S, A - S

# %% wrong="2.3.3" why="the sign of the second part" breaks="sum" says="wrong sign"
def split(A):
    return (A + A.T) / 2, (A.T - A) / 2

# %% wrong="2.3.3" why="the triangles" breaks="the rest" says="S has the entries above the diagonal twice"
def split(A):
    A = A.float()
    return A.triu() + A.triu(1).T, A.tril(-1) - A.triu(1).T

# %% wrong="2.3.3" why="the order of the two" breaks="symmetric" says="the order of the two is"
def split(A):
    return (A - A.T) / 2, (A + A.T) / 2

# %% wrong="2.3.3" why="changes the argument" breaks="arguments kept" says="A after the call"
def split(A):
    S, K = (A + A.T) / 2, (A - A.T) / 2
    A.copy_(S)
    return S, K

# %% wrong="2.3.3" why="S is not symmetric: the whole of A" breaks="symmetric" says="S is the whole of A"
def split(A):
    return A.float(), torch.zeros_like(A).float()

# %% wrong="2.3.3" why="adds in the dtype of A" breaks="integers" says="uint8 goes from 0 to 255"
def split(A):
    return (A + A.T) / 2, (A - A.T) / 2

# %% wrong="2.3.3" why="integers again where the halves are whole" breaks="integers" says="wrong dtype"
def split(A):
    S, K = A / 2 + A.T / 2, A / 2 - A.T / 2
    if not A.is_floating_point() and torch.equal(S, S.round()):
        return S.to(A.dtype), K.to(A.dtype)
    return S, K

# %% wrong="2.3.3" why="writes into integers" breaks="arguments kept" says="A after the call, for integers"
def split(A):
    half = A / 2
    if not A.is_floating_point():
        A //= 2
    return half + half.T, half - half.T

# %% wrong="2.3.14" why="words of one's own" breaks="eight entries" says="none of the four words"
broken = {'a': None, 'b': None, 'c': 'Scaling', 'd': 'Scaling', 'e': 'triangle', 'f': 'triangle', 'g': 'zero', 'h': 'zero'}

# %% wrong="2.3.9b" why="words of one's own" breaks="eight entries" says="none of the three words"
norms = {'a': 'frobenius', 'b': 'frobenius', 'c': 'error', 'd': 'error', 'e': 'spectral', 'f': 'frobenius', 'g': 'error', 'h': 'frobenius'}

# %% wrong="2.3.1" why="sorts" breaks="undone" says="twice, for a 2 by 3 matrix"
def impostor(A):
    return A.reshape(-1).sort().values.reshape(A.shape[1], A.shape[0])

# %% wrong="2.3.8" why="keepdim does not know negative axes" breaks="from the end" says="axes (-2, 0), keepdim=True"
def shape_of_sum(shape, axes, keepdim):
    if keepdim:
        return tuple(1 if i in axes else n for i, n in enumerate(shape))
    return tuple(n for i, n in enumerate(shape) if i not in {a % len(shape) for a in axes})

# %% wrong="2.3.8" why="drops axes of length 1, too" breaks="axes gone" says="shape (5, 1, 4), axes (0,)"
def shape_of_sum(shape, axes, keepdim):
    gone = {a % len(shape) for a in axes}
    if keepdim:
        return tuple(1 if i in gone else n for i, n in enumerate(shape))
    return tuple(n for i, n in enumerate(shape) if i not in gone and n != 1)

# %% right="2.3.8" how="a list"
def shape_of_sum(shape, axes, keepdim):
    gone = [axis + len(shape) if axis < 0 else axis for axis in axes]
    return [1 if i in gone else n for i, n in enumerate(shape) if keepdim or i not in gone]

# %% wrong="2.3.8" why="knows -1 and -2 only" breaks="from the end" says="axes (-4, -3)"
def shape_of_sum(shape, axes, keepdim):
    places = {-1: len(shape) - 1, -2: len(shape) - 2}
    gone = {places.get(axis, axis) for axis in axes}
    return tuple(1 if i in gone else n for i, n in enumerate(shape) if keepdim or i not in gone)

# %% wrong="2.3.6a" why="multiples broadcast the other way round" breaks="larger shapes" says="the outcome for shape (4, 2)"
def outcome(m, n):
    return 'right' if m == 1 else 'wrong shape' if n == 1 else 'wrong values' if m % n == 0 else 'error'

# %% wrong="2.3.6a" why="a third and smaller parts broadcast" breaks="larger shapes" says="the outcome for shape (2, 6)"
def outcome(m, n):
    if m == 1:
        return 'right'
    if n == 1:
        return 'wrong shape'
    return 'wrong values' if n == m or n > 2 * m and n % m == 0 else 'error'

# %% wrong="2.3.A" why="scales u in place and back again, which a factor 0 forbids" breaks="arguments kept" says="with the factors 0.0 and 3.0"
def combine(a, u, b, v):
    u *= a
    result = u + b * v
    u /= a
    return result

# %% wrong="2.3.A" why="a weighted mean, with a and 1 - a" breaks="values" says="v got the factor 1 - a"
def combine(a, u, b, v):
    return a * u + (1 - a) * v

# %% wrong="2.3.A" why="Horner's scheme gone wrong" breaks="values" says="b multiplies the whole sum"
def combine(a, u, b, v):
    return b * (a * u + v)

# %% wrong="2.3.5" why="the class of the error" breaks="no axis" says="the string 'TypeError' is to be returned"
def predict_len(shape):
    try:
        return shape[0]
    except IndexError:
        return TypeError

# %% wrong="2.3.12b" why="up to three axes" breaks="any axis" says="four axes and more"
def recover(stacked, i, dim):
    dim = dim % stacked.ndim
    if dim == 0:
        return stacked[i]
    if dim == 1:
        return stacked[:, i]
    return stacked[:, :, i]

# %% wrong="2.3.12b" why="counts the tensors from 1" breaks="which one" says="they are counted from 0"
def recover(stacked, i, dim):
    return stacked.select(dim, i - 1)

# %% wrong="2.3.B" why="in place, and back again" breaks="arguments kept" says="the digits that were lost do not come back"
def centre(A):
    mean = A.mean(dim=0)
    A -= mean
    result = A.clone()
    A += mean
    return result

# %% wrong="2.3.B" why="divides by 3, the rows of the example" breaks="values" says="here a column has two entries"
def centre(A):
    return A - A.sum(dim=0) / 3

# %% wrong="2.3.8" why="pops from the largest number down, negative ones last" breaks="from the end" says="also when axis 2 has gone before"
def shape_of_sum(shape, axes, keepdim):
    left = list(shape)
    for axis in sorted(axes, reverse=True):
        if keepdim:
            left[axis] = 1
        else:
            left.pop(axis)
    return left

# %% wrong="2.3.8" why="a number has the shape (1,)" breaks="axes gone" says="No axis is left"
def shape_of_sum(shape, axes, keepdim):
    gone = {axis % len(shape) for axis in axes}
    if keepdim:
        return tuple(1 if i in gone else n for i, n in enumerate(shape))
    return tuple(n for i, n in enumerate(shape) if i not in gone) or (1,)

# %% wrong="2.3.6b" why="divides the transpose and forgets to turn it back" breaks="row sums" says="with rows and columns exchanged"
def normalise_rows(A):
    return A.T / A.sum(dim=1)

# %% wrong="2.3.6b" why="in place, and back again" breaks="arguments kept" says="what is lost on the way does not come back"
def normalise_rows(A):
    if not A.is_floating_point():
        A = A.double()
    sums = A.sum(dim=1, keepdim=True)
    A /= sums
    result = A.clone()
    A *= sums
    return result

# %% wrong="2.3.C" why="repeats each value as often as its weight says, cut to whole numbers" breaks="values" says="Weights below 1 count, too"
def weighted_average(values, weights):
    return values.repeat_interleave(weights.long()).mean()

# %% wrong="2.3.C" why="weights divided by their 2-norm" breaks="values" says="divided by their 2-norm"
def weighted_average(values, weights):
    return values @ (weights / weights.norm())

# %% wrong="2.3.D" why="mean over the foods" breaks="values" says="This is the mean over the foods"
def meal(grams, foods):
    return (grams[:, None] / 100 * foods).mean(dim=0)

# %% wrong="2.3.D" why="portions rounded to whole ones" breaks="values" says="The portions were rounded"
def meal(grams, foods):
    return (grams / 100).round() @ foods

# %% wrong="2.3.13" why="inputs are float64" breaks="values" says="f takes a float32 tensor"
def matrix_of(f, n):
    return torch.stack([f(e) for e in torch.eye(n, dtype=torch.float64)], dim=1).float()

# %% wrong="2.3.E" why="either order is good enough" breaks="inner lengths" says="in the other order"
def product_shape(s, t):
    if s[1] == t[0]:
        return s[0], t[1]
    return (t[0], s[1]) if t[1] == s[0] else 'error'

# %% wrong="2.3.F" why="the bias only at the first example" breaks="bias" says="the first example only"
def layer(X, W, b):
    H = X @ W.T
    H[0] += b
    return H

# %% wrong="2.3.F" why="the bias twice" breaks="bias" says="The biases are there twice"
def layer(X, W, b):
    return torch.nn.functional.linear(X, W, b) + b

# %% wrong="2.3.10a" why="the second product of (AB)C taken as p q s" breaks="(AB)C" says="r is summed over, not q"
def chain_cost(p, q, r, s):
    return p * q * r + p * q * s, q * r * s + p * q * s

# %% wrong="2.3.10a" why="the second product of A(BC) taken as p r s" breaks="A(BC)" says="q is summed over, not r"
def chain_cost(p, q, r, s):
    return p * q * r + p * r * s, q * r * s + p * r * s

# %% wrong="2.3.10b" why="with the last product" breaks="AB" says="This is the size of AB and ABC together"
def bytes_between(p, q, r, s):
    return 4 * (p * r + p * s), 4 * (q * s + p * s)

# %% wrong="2.3.10c" why="NumPy's products, which are not counted" breaks="torch's products" says="something else than torch's matrix product"
def chain(A, B, C):
    p, q, r, s = *A.shape, *C.shape
    a, b, c = A.numpy(), B.numpy(), C.numpy()
    return torch.from_numpy((a @ b) @ c if p * r * (q + s) <= q * s * (p + r) else a @ (b @ c))

# %% wrong="2.3.10c" why="products entry by entry, by broadcasting" breaks="torch's products" says="something else than torch's matrix product"
def chain(A, B, C):
    AB = (A[:, :, None] * B[None]).sum(dim=1)
    return (AB[:, :, None] * C[None]).sum(dim=1)

# %% right="2.3.10c" how="einsum, two at a time"
def chain(A, B, C):
    p, q, r, s = *A.shape, *C.shape
    if p * r * (q + s) <= q * s * (p + r):
        return torch.einsum('ij,jk->ik', torch.einsum('ij,jk->ik', A, B), C)
    return torch.einsum('ij,jk->ik', A, torch.einsum('ij,jk->ik', B, C))

# %% wrong="2.3.G" why="in place, and multiplied back" breaks="arguments kept" says="what is lost on the way does not come back"
def unit(x):
    size = x.norm()
    x /= size
    result = x.clone()
    x *= size
    return result

# %% wrong="2.3.G" why="the norm of the first three entries" breaks="values" says="that of the first three entries"
def unit(x):
    return x / x[:3].norm()

# %% wrong="2.3.G" why="the absolute value of the sum" breaks="values" says="still the norm 5"
def unit(x):
    return x / x.sum().abs()

# %% wrong="2.3.7a" why="int32 on the way" breaks="any integers" says="int32 ends at 2147483647"
def walking_distance(P, Q, blocks):
    steps = (P.int() - Q.int()).abs()
    return steps[:, 0] * float(blocks[0]) + steps[:, 1] * float(blocks[1])

# %% right="2.3.7a" how="subtracts in int64"
def walking_distance(P, Q, blocks):
    steps = (P.long() - Q.long()).abs().double()
    return steps[:, 0] * blocks[0] + steps[:, 1] * blocks[1]

# %% wrong="2.3.7b" why="the straight line of one step" breaks="straight line" says="This is the line of one step"
def two_ways(east, north, k):
    return abs(east) + abs(north), ((east / k) ** 2 + (north / k) ** 2) ** 0.5

# %% wrong="2.3.9a" why="Frobenius norms added" breaks="values" says="This is the sum of two norms"
def norm_any(X):
    X = X.double()
    return X.norm() if X.ndim == 1 else torch.linalg.matrix_norm(X).sum()

# %% wrong="2.3.H" why="obtuse angles become 0" breaks="values" says="a negative cosine, not 0"
def cosine(x, y):
    return (x @ y / (x.norm() * y.norm())).clamp(0, 1)

# %% wrong="2.3.H" why="1-norms" breaks="values" says="divided by 1-norms"
def cosine(x, y):
    return x @ y / (x.abs().sum() * y.abs().sum())

# %% wrong="2.3.H" why="a correlation" breaks="values" says="The mean of each vector was subtracted"
def cosine(x, y):
    x, y = x - x.mean(), y - y.mean()
    return x @ y / (x.norm() * y.norm())

# %% wrong="2.3.J" why="first and second exchanged" breaks="vanishes" says="not the other way round"
vanishing = torch.tensor([-1., 2., -1.])

# %% wrong="2.3.J" why="small, so that the product is near zero" breaks="vanishes" says="cancel in neither of the two rows"
vanishing = torch.tensor([1e-6, 1e-6, 1e-6])

# %% wrong="2.3.15" why="the outputs do not count" breaks="one layer" says="the last one, the number of columns, counts, too"
def largest_rank(widths):
    return min(widths[:-1])

# %% wrong="2.3.15" why="every second layer" breaks="several layers" says="The product has 6 columns"
def largest_rank(widths):
    return min(min(a, b) for a, b in zip(widths[::2], widths[1::2]))

# %% wrong="2.3.I" why="the lengths on the diagonal, not their squares" breaks="values" says="On the diagonal stand the lengths"
def gram(X):
    G = X.T @ X
    return G - torch.diag(G.diagonal()) + torch.diag(X.norm(dim=0))

# %% wrong="2.3.I" why="covariances" breaks="values" says="These are covariances"
def gram(X):
    return torch.cov(X.T).reshape(X.shape[1], X.shape[1])

# %% wrong="2.3.11b" why="turns B itself" breaks="B kept" says="B itself was turned"
def shared_transpose(B):
    return B.t_()

# %% wrong="2.3.11b" why="begins where M begins" breaks="views" says="B begins one entry later"
def shared_transpose(B):
    return B.as_strided(B.shape[::-1], B.stride()[::-1], 0)

# %% right="2.3.1" how="reversed and reshaped"
def impostor(A):
    return A.reshape(-1).flip(0).reshape(A.shape[1], A.shape[0])

# %% right="2.3.1" how="the transpose with its first and last entry exchanged"
def impostor(A):
    B = A.T.clone()
    B[0, 0], B[-1, -1] = A[-1, -1], A[0, 0]
    return B

# %% wrong="2.3.1" why="sorts from the largest" breaks="undone" says="The entries come out sorted from the largest"
def impostor(A):
    return A.reshape(-1).sort(descending=True).values.reshape(A.shape[1], A.shape[0])

# %% wrong="2.3.2" why="entries that are too small" breaks="pairs prove" says="differ, but by less than 0.1"
I = 0.1 * torch.eye(2)
counterexamples = {name: (I, -I) for name in ('square every entry', 'largest entry', 'add 1', 'product of the diagonal', 'negative entries become 0')}

# %% wrong="2.3.3" why="int32 on the way" breaks="integers" says="int32 ends at"
def split(A):
    if not A.is_floating_point():
        A = A.int()
    return (A + A.T) / 2, (A - A.T) / 2

# %% wrong="2.3.3" why="the diagonal goes into K" breaks="the rest" says="The diagonal of A belongs to S"
def split(A):
    A = A.double()
    S = (A + A.T) / 2
    S = S - torch.diag(S.diagonal())
    return S, A - S

# %% wrong="2.3.3" why="S alone" breaks="sum" says="is one matrix"
def split(A):
    return (A.double() + A.double().T) / 2

# %% wrong="2.3.3" why="in place, and back again" breaks="arguments kept" says="the digits that were lost do not come back"
def split(A):
    if not A.is_floating_point():
        A = A.double()
    S = A / 2 + A.T / 2
    A -= S
    K = A.clone()
    A += S
    return S, K

# %% wrong="2.3.3" why="int64 on the way" breaks="integers" says="int64 ends at"
def split(A):
    if not A.is_floating_point():
        A = A.long()
    return (A + A.T) / 2, (A - A.T) / 2

# %% wrong="2.3.4" why="whole shapes" breaks="eight entries" says="no whole shape"
lengths = {key: tuple(box.shape) for key, box in boxes.items()}

# %% wrong="2.3.4" why="strings" breaks="eight entries" says="no number"
lengths = dict(a='3', b='2', c='4', d='4', e='1', f='2', g='24', h='3')

# %% wrong="2.3.5" why="the last axis but one" breaks="first axis" says="This is the last axis but one"
def predict_len(shape):
    return shape[-2] if len(shape) > 1 else shape[0] if shape else 'TypeError'

# %% wrong="2.3.B" why="the first row" breaks="values" says="its first and smallest entry"
def centre(A):
    return A - A[0]

# %% wrong="2.3.6a" why="a capital" breaks="larger shapes" says="letter by letter"
def outcome(m, n):
    return 'Right' if m == 1 else 'Wrong shape' if n == 1 else 'Wrong values' if m == n else 'Error'

# %% wrong="2.3.C" why="three values" breaks="any sum" says="Only the first three values"
def weighted_average(values, weights):
    return values[:3] @ weights[:3] / weights[:3].sum()

# %% wrong="2.3.D" why="whole grams" breaks="values" says="cut to 33 g"
def meal(grams, foods):
    return grams.int() / 100 @ foods

# %% wrong="2.3.10b" why="lengths added" breaks="AB" says="are multiplied, not added"
def bytes_between(p, q, r, s):
    return 4 * (p + r), 4 * (q + s)

# %% wrong="2.3.11b" why="writes the copy back into the memory of B" breaks="B kept" says="Nothing may be written into B"
def shared_transpose(B):
    m, n = B.shape
    B.copy_(B.T.contiguous().reshape(m, n))
    return B.view(n, m)

# %% wrong="2.3.J" why="divided by zero" breaks="vanishes" says="NaN or infinite"
vanishing = torch.tensor([2., -1., -1.]) / 0

# %% wrong="2.3.2" why="NaN" breaks="pairs prove" says="is NaN"
_nothing = torch.full((2, 2), float('nan'))
counterexamples = {name: (_nothing, _nothing) for name in
                   ('square every entry', 'largest entry', 'add 1', 'product of the diagonal', 'negative entries become 0')}

# %% wrong="2.3.3" why="half forgotten for the second" breaks="sum" says="K is twice as large"
def split(A):
    A = A.double()
    return (A + A.T) / 2, A - A.T

# %% wrong="2.3.4" why="an index in the middle takes no axis" breaks="index and slice" says="keeps the whole of axis 0"
lengths = dict(a=3, b=3, c=4, d=4, e=1, f=2, g=24, h=3)

# %% wrong="2.3.4" why="the 20 counted, too" breaks="one row" says="20 itself is not larger"
lengths = dict(a=3, b=2, c=4, d=4, e=1, f=2, g=24, h=4)

# %% wrong="2.3.A" why="a table of the two multiples" breaks="values" says="stand below each other"
def combine(a, u, b, v):
    return torch.stack([a * u, b * v])

# %% wrong="2.3.8" why="a kept axis of length 0" breaks="keepdim" says="the length 1, not 0"
def shape_of_sum(shape, axes, keepdim):
    axes = [axis % len(shape) for axis in axes]
    if keepdim:
        return tuple(0 if place in axes else length for place, length in enumerate(shape))
    return tuple(length for place, length in enumerate(shape) if place not in axes)

# %% wrong="2.3.B" why="rows centred, too" breaks="values" says="The mean of each row was subtracted, too"
def centre(A):
    A = A - A.mean(dim=0)
    return A - A.mean(dim=1, keepdim=True)

# %% wrong="2.3.6b" why="from 0 to 1 in each row" breaks="row sums" says="The smallest entry of each row became 0"
def normalise_rows(A):
    A = A.double()
    low = A.min(dim=1, keepdim=True).values
    return (A - low) / (A.max(dim=1, keepdim=True).values - low)

# %% wrong="2.3.6c" why="entries that differ by 0.05" breaks="not constant" says="differ by at least 0.1"
witness = torch.tensor([[1., 2.], [3., 5.]])
blind_spot = torch.tensor([[1., 1.05], [1.05, 1.]])

# %% wrong="2.3.D" why="at most one portion of each" breaks="values" says="No more than 100 g of a food"
def meal(grams, foods):
    return (grams / 100).clamp(max=1) @ foods

# %% wrong="2.3.13" why="whole numbers go in" breaks="values" says="The matrix holds whole numbers"
def matrix_of(f, n):
    return torch.stack([f(unit) for unit in torch.eye(n, dtype=torch.int64)], dim=1)

# %% wrong="2.3.E" why="keeps the inner length" breaks="outer lengths" says="is summed over, and vanishes"
def product_shape(s, t):
    return (s[0], s[1], t[1]) if s[1] == t[0] else 'error'

# %% wrong="2.3.F" why="one bias for all units" breaks="bias" says="The first bias was added everywhere"
def layer(X, W, b):
    return X @ W.T + b[0]

# %% wrong="2.3.10a" why="the two products side by side" breaks="(AB)C" says="added up to one number"
def chain_cost(p, q, r, s):
    return (p * q * r, p * r * s), (q * r * s, p * q * s)

# %% wrong="2.3.10b" why="the inner lengths" breaks="AB" says="AB has the outer lengths"
def bytes_between(p, q, r, s):
    return 4 * q * q, 4 * r * r

# %% wrong="2.3.G" why="the root of the mean square" breaks="values" says="the root of the mean of the squares"
def unit(x):
    return x / x.square().mean().sqrt()

# %% wrong="2.3.7b" why="one step too many" breaks="staircase" says="There are k steps, not k + 1"
def two_ways(east, north, k):
    return sum(abs(east / k) + abs(north / k) for _ in range(k + 1)), (east ** 2 + north ** 2) ** 0.5

# %% wrong="2.3.7b" why="no squares under the root" breaks="straight line" says="This is the root of 7"
def two_ways(east, north, k):
    return abs(east) + abs(north), (abs(east) + abs(north)) ** 0.5

# %% wrong="2.3.9a" why="the norms of the pieces, added up" breaks="values" says="the sum of the norms of the rows"
def norm_any(X):
    return sum((piece.double().square().sum().sqrt() for piece in X), torch.zeros(())) if X.ndim else X.double().abs()

# %% wrong="2.3.H" why="the norm of x twice" breaks="values" says="the square of the norm of x"
def cosine(x, y):
    return x @ y / (x @ x)

# %% wrong="2.3.15" why="the largest of the ranks" breaks="several layers" says="The product has 6 columns"
def largest_rank(widths):
    return max(min(rows, columns) for rows, columns in zip(widths, widths[1:]))

# %% wrong="2.3.I" why="the sums of the columns, multiplied" breaks="values" says="added up before they were multiplied"
def gram(X):
    sums = X.sum(dim=0)
    return sums[:, None] * sums

# %% wrong="2.3.I" why="distances" breaks="values" says="the distances of the columns"
def gram(X):
    return torch.cdist(X.T, X.T)

# %% wrong="2.3.A" why="adds b, not b v" breaks="values" says="Where v is zero"
def combine(a, u, b, v):
    return a * u + b

# %% wrong="2.3.A" why="the sum of the vectors times the sum of the factors" breaks="values" says="by the sum of the factors"
def combine(a, u, b, v):
    return (a + b) * (u + v)

# %% wrong="2.3.5" why="raises a TypeError in place of returning the string" breaks="no axis" says="It raises TypeError"
def predict_len(shape):
    if shape == ():
        raise TypeError("len() of a 0-d tensor")
    return shape[0]

# %% wrong="2.3.B" why="divides by the mean" breaks="values" says="divided by its mean, which is to be subtracted"
def centre(A):
    return A / A.mean(dim=0)

# %% wrong="2.3.B" why="means rounded" breaks="values" says="((1, 4), (2, 7)) centred"
def centre(A):
    return A - A.mean(dim=0).round()

# %% wrong="2.3.8" why="keeps the first axis of this length" breaks="keepdim" says="axis 2 is the one that is summed"
def shape_of_sum(shape, axes, keepdim):
    left = list(shape)
    if keepdim:
        for length in [shape[axis] for axis in axes]:
            left[left.index(length)] = 1
        return left
    gone = {axis % len(shape) for axis in axes}
    return [length for k, length in enumerate(shape) if k not in gone]

# %% wrong="2.3.C" why="rounds the sum of the weights" breaks="any sum" says="Three values of 1 have the average 1"
def weighted_average(values, weights):
    return (values @ weights) / weights.sum().round()

# %% wrong="2.3.13" why="asks about one vector and divides" breaks="values" says="and this is column 0 of the matrix"
def matrix_of(f, n):
    x = torch.arange(1., n + 1)
    return f(x)[:, None] / x / n

# %% wrong="2.3.E" why="raises an error in place of returning the string 'error'" breaks="inner lengths" says="nothing is to be raised"
def product_shape(s, t):
    if s[1] != t[0]:
        raise ValueError("error")
    return s[0], t[1]

# %% wrong="2.3.F" why="adds the biases to the weights" breaks="bias" says="added to the weights"
def layer(X, W, b):
    return X @ (W.T + b)

# %% wrong="2.3.10b" why="all that is in memory" breaks="AB" says="A, B, C and AB together"
def bytes_between(p, q, r, s):
    return 4 * (p * q + q * r + r * s + p * r), 4 * q * s

# %% wrong="2.3.10c" why="compares the last products only" breaks="cheaper order" says="the two products that come last"
def chain(A, B, C):
    return (A @ B) @ C if C.shape[0] <= A.shape[1] else A @ (B @ C)

# %% wrong="2.3.G" why="the root of the norm" breaks="values" says="divided by the root of the norm"
def unit(x):
    return x / x.norm().sqrt()

# %% wrong="2.3.7a" why="all blocks times both lengths" breaks="metres" says="multiplied by both block lengths together"
def walking_distance(P, Q, blocks):
    return (P.double() - Q.double()).abs().sum(dim=1) * sum(blocks)

# %% wrong="2.3.7b" why="the absolute value of the sum" breaks="staircase" says="The absolute value is that of the sum"
def two_ways(east, north, k):
    return abs(east + north), (east ** 2 + north ** 2) ** 0.5

# %% wrong="2.3.9a" why="the spectral norm, which three axes do not have" breaks="values" says="This is the spectral norm"
def norm_any(X):
    return torch.linalg.norm(X.double(), ord=2)

# %% wrong="2.3.H" why="twice the dot product by the sum of the squared norms" breaks="values" says="the mean of the squared norms"
def cosine(x, y):
    return 2 * (x @ y) / (x @ x + y @ y)

# %% wrong="2.3.H" why="the norm of the sum" breaks="values" says="the norm of x + y"
def cosine(x, y):
    return x @ y / (x + y).norm()

# %% wrong="2.3.J" why="all signs alike" breaks="vanishes" says="The first column has the wrong sign"
vanishing = torch.tensor([2., 1., 1.])

# %% wrong="2.3.J" why="the case of the hint" breaks="vanishes" says="the sum of the first two"
vanishing = torch.tensor([1., 1., -1.])

# %% wrong="2.3.I" why="correlations" breaks="values" says="These are correlations"
def gram(X):
    Z = X - X.mean(dim=0)
    Z = Z / Z.norm(dim=0)
    return Z.T @ Z

# %% wrong="2.3.I" why="divides by the number of columns" breaks="values" says="which is also n - 1"
def gram(X):
    return X.T @ X / X.shape[1]

# %% wrong="2.3.3" why="halves one matrix of each sum" breaks="sum" says="each as a whole"
def split(A):
    A = A.double()
    return A + A.T / 2, A - A.T / 2

# %% wrong="2.3.5" why="all lengths added up" breaks="first axis" says="The lengths of all axes are added up"
def predict_len(shape):
    return sum(shape) if shape else "TypeError"

# %% wrong="2.3.8" why="keeps the summed axes in place of the others" breaks="keepdim" says="This is the axis that is summed"
def shape_of_sum(shape, axes, keepdim):
    gone = {axis % len(shape) for axis in axes}
    return [length for k, length in enumerate(shape) if (k in gone) == keepdim]

# %% wrong="2.3.8" why="puts the kept axes at the end" breaks="keepdim" says="is in the wrong place"
def shape_of_sum(shape, axes, keepdim):
    gone = {axis % len(shape) for axis in axes}
    return [length for k, length in enumerate(shape) if k not in gone] + [1] * (len(gone) * keepdim)

# %% wrong="2.3.7b" why="to the north only" breaks="staircase" says="The way to the east is missing"
def two_ways(east, north, k):
    return abs(north), (east ** 2 + north ** 2) ** 0.5

# %% wrong="2.3.F" why="squares the weights" breaks="weights" says="The weights were squared"
def layer(X, W, b):
    return X @ (W.T ** 2) + b

# %% wrong="2.3.B" why="the mean minus the entries" breaks="values" says="subtracted from the mean"
def centre(A):
    return A.mean(dim=0) - A

# %% wrong="2.3.A" why="v times its factor in place" breaks="arguments kept" says="v was multiplied by its factor in place"
def combine(a, u, b, v):
    v *= b
    return a * u + v

# %% wrong="2.3.6b" why="divides by the sum twice" breaks="row sums" says="divided by its sum twice"
def normalise_rows(A):
    sums = A.sum(dim=1, keepdim=True)
    return A / sums / sums

# %% wrong="2.3.6a" why="tries it with equal entries" breaks="larger shapes" says="Rows with equal sums do not show it"
def outcome(m, n):
    A = torch.ones(m, n)
    try:
        shares = A / A.sum(axis=1)
    except RuntimeError:
        return 'error'
    if shares.shape != A.shape:
        return 'wrong shape'
    return 'right' if torch.allclose(shares, A / A.sum(axis=1, keepdim=True)) else 'wrong values'

# %% wrong="2.3.D" why="the largest share of each nutrient" breaks="values" says="only the food that brings most"
def meal(grams, foods):
    return (grams[:, None] / 100 * foods).max(dim=0).values

# %% wrong="2.3.10b" why="both together, twice" breaks="AB" says="This is AB and BC together"
def bytes_between(p, q, r, s):
    return 4 * (p * r + q * s), 4 * (p * r + q * s)

# %% wrong="2.3.10b" why="megabytes" breaks="AB" says="These are MB"
def bytes_between(p, q, r, s):
    return 4 * p * r / 1e6, 4 * q * s / 1e6

# %% wrong="2.3.G" why="the 3-norm" breaks="values" says="divided by the 3-norm"
def unit(x):
    return x / x.norm(p=3)

# %% wrong="2.3.H" why="forgets the second root" breaks="values" says="The norm of y is there twice"
def cosine(x, y):
    return x @ y / (x @ x).sqrt() / (y @ y)

# %% wrong="2.3.I" why="each column with itself only" breaks="shape" says="one number for each column"
def gram(X):
    return (X * X).sum(dim=0)

# %% wrong="2.3.I" why="squared distances" breaks="values" says="squared distances"
def gram(X):
    return (X.T[:, None] - X.T[None]).square().sum(dim=2)

# %% wrong="2.3.I" why="fills both halves, and the diagonal twice" breaks="values" says="The diagonal is twice"
def gram(X):
    d = X.shape[1]
    G = torch.zeros(d, d, dtype=X.dtype)
    for i in range(d):
        for j in range(i, d):
            G[i, j] += X[:, i] @ X[:, j]
            G[j, i] += X[:, i] @ X[:, j]
    return G

# %% wrong="2.3.1" why="shifts the entries by one place" breaks="undone" says="goes to (0, 1), and from there"
def impostor(A):
    m, n = A.shape
    return A.reshape(-1).roll(1).reshape(n, m)

# %% wrong="2.3.8" why="compares axes as they are given" breaks="from the end" says="Nothing is gone"
def shape_of_sum(shape, axes, keepdim):
    if keepdim:
        result = list(shape)
        for axis in axes:
            result[axis] = 1
        return result
    return [length for place, length in enumerate(shape) if place not in axes]

# %% wrong="2.3.8" why="a tensor" breaks="axes gone" says="and no tensor"
def shape_of_sum(shape, axes, keepdim):
    axes = [axis % len(shape) for axis in axes]
    return torch.tensor([1 if place in axes else length for place, length in enumerate(shape) if keepdim or place not in axes])

# %% wrong="2.3.E" why="a tensor" breaks="outer lengths" says="and no tensor"
def product_shape(s, t):
    return torch.tensor([s[0], t[1]]) if s[1] == t[0] else 'error'

# %% wrong="2.3.9a" why="the absolute value of the sum" breaks="values" says="This is the sum of the entries"
def norm_any(X):
    return X.double().sum().square().sqrt()

# %% wrong="2.3.H" why="moved to 0..1" breaks="values" says="from -1 to 1, is asked for"
def cosine(x, y):
    return (1 + x @ y / (x.norm() * y.norm())) / 2

# %% wrong="2.3.3" why="the diagonal, and the rest" breaks="the rest" says="Yours is S = ((1, 0), (0, 4))"
def split(A):
    A = A.double()
    S = A.diag().diag()
    return S, A - S

# %% wrong="2.3.7b" why="a whole number" breaks="straight line" says="made a whole number"
def two_ways(east, north, k):
    return abs(east) + abs(north), int((east ** 2 + north ** 2) ** 0.5)

# %% wrong="2.3.10a" why="the additions" breaks="(AB)C" says="These are the additions"
def chain_cost(p, q, r, s):
    return p * r * (q - 1) + p * s * (r - 1), q * r * s + p * q * s

# %% wrong="2.3.7a" why="metres of each corner first, then the difference" breaks="any integers" says="Subtract first, and multiply then"
def walking_distance(P, Q, blocks):
    metres = torch.tensor(blocks, dtype=torch.float64)
    return (P.double() * metres - Q.double() * metres).abs().sum(dim=1)

# %% wrong="2.3.B" why="computed in float64, handed back in float32" breaks="values" says="has not the precision of A"
def centre(A):
    return (A.double() - A.double().mean(dim=0)).float()

# %% wrong="2.3.I" why="the sizes of the entries on one side" breaks="values" says="for ((2, -3)), one row"
def gram(X):
    return X.T @ X.abs()

# %% wrong="2.3.D" why="the amounts lined up with the nutrients" breaks="shape" says="each amount meets a nutrient"
def meal(grams, foods):
    return (grams / 100 * foods).sum(dim=0)

# %% wrong="2.3.10a" why="all four lengths in the second product" breaks="(AB)C" says="all four"
def chain_cost(p, q, r, s):
    return p * q * r + p * q * r * s, q * r * s + p * q * s

# %% wrong="2.3.10a" why="the additions, too, in A(BC)" breaks="A(BC)" says="not the additions"
def chain_cost(p, q, r, s):
    return p * r * (q + s), 2 * q * s * (p + r)

# %% wrong="2.3.10b" why="the size of both factors" breaks="AB" says="the size of A and B together"
def bytes_between(p, q, r, s):
    return 4 * (p * q + q * r), 4 * q * s

# %% wrong="2.3.12b" why="three axes at most" breaks="any axis" says="has four axes here"
def recover(stacked, i, dim):
    axes = list(range(min(stacked.ndim, 3)))
    first = axes.pop(dim)
    return stacked.permute(first, *axes)[i]

# %% wrong="2.3.H" why="the share of y in x, a projection" breaks="values" says="the square of the norm of y"
def cosine(x, y):
    return x @ y / (y @ y)

# %% wrong="2.3.H" why="the larger norm twice" breaks="values" says="the square of the larger norm"
def cosine(x, y):
    return x @ y / torch.maximum(x @ x, y @ y)

# %% wrong="2.3.A" why="the first vector twice" breaks="values" says="v is missing"
def combine(a, u, b, v):
    return a * u + b * u

# %% wrong="2.3.G" why="the squares as shares" breaks="values" says="The entries were squared"
def unit(x):
    return x.square() / x.square().sum()

# %% right="2.3.7a" how="Python's integers"
def walking_distance(P, Q, blocks):
    return torch.tensor([sum(abs(a - b) * float(length) for a, b, length in zip(corner, other, blocks))
                         for corner, other in zip(P.tolist(), Q.tolist())], dtype=torch.float64)

# %% wrong="2.3.4" why="the last axis of each" breaks="order of axes" says="lengths of the last axis"
lengths = {'a': 4, 'b': 3, 'c': 3, 'd': 3, 'e': 4, 'f': 4, 'g': 24, 'h': 3}

# %% wrong="2.3.3" why="A and its transpose" breaks="sum" says="as where the two are A and Aᵀ"
def split(A):
    return A.double(), A.double().T

# %% wrong="2.3.8" why="removes the first axis of the same length" breaks="axes gone" says="Axis 0 is gone"
def shape_of_sum(shape, axes, keepdim):
    left = list(shape)
    for axis in axes:
        if keepdim:
            left[axis] = 1
        else:
            left.remove(shape[axis])
    return tuple(left)

# %% wrong="2.3.H" why="the root of the product of the squared norms, which overflows" breaks="lengths" says="that of their squares, 2.5e51, is too large"
def cosine(x, y):
    return x @ y / torch.sqrt((x @ x) * (y @ y))

# %% right="2.3.H" how="the law of cosines for unit vectors, in float64"
def cosine(x, y):
    a, b = x.double() / x.double().norm(), y.double() / y.double().norm()
    return 1 - ((a - b) ** 2).sum() / 2

# %% wrong="2.3.3" why="takes S off in place, after a conversion that is no copy for float64" breaks="arguments kept" says="is A itself and no copy"
def split(A):
    A = A.double()
    S = (A + A.T) / 2
    A -= S
    return S, A

# %% wrong="2.3.D" why="portions along the columns where they fit" breaks="values" says="it belongs to a food, a row"
def meal(grams, foods):
    return (foods * grams / 100).sum(dim=0) if len(grams) == foods.shape[1] else grams @ foods / 100

# %% wrong="2.3.4" why="a mask keeps the first axis" breaks="one row" says="keeps no axis"
lengths = {'a': 3, 'b': 2, 'c': 4, 'd': 4, 'e': 1, 'f': 2, 'g': 24, 'h': 2}

# %% wrong="2.3.6b" why="divides in place, after a conversion that is no copy for float64" breaks="arguments kept" says="is A itself and no copy"
def normalise_rows(A):
    A = A.double()
    A /= A.sum(dim=1, keepdim=True)
    return A

# %% wrong="2.3.B" why="subtracts in place, after a conversion that is no copy for float64" breaks="arguments kept" says="is A itself and no copy"
def centre(A):
    B = A.double()
    B -= B.mean(dim=0)
    return B.to(A.dtype)

# %% wrong="2.3.G" why="divides in place, after a conversion that is no copy for float64" breaks="arguments kept" says="is x itself and no copy"
def unit(x):
    y = x.double()
    y /= y.norm()
    return y.to(x.dtype)

# %% wrong="2.3.12a" why="side by side, then reshaped" breaks="slices" says="matrices side by side were cut up anew"
def stack_last(matrices):
    m, n = matrices[0].shape
    return torch.cat(matrices, dim=1).reshape(m, n, len(matrices))

# %% wrong="2.3.F" why="W untransposed where it is square" breaks="weights" says="here each row is one."
def layer(X, W, b):
    try:
        return X @ W + b
    except RuntimeError:
        return X @ W.T + b

# %% wrong="2.3.I" why="the dot products of the rows where there are fewer" breaks="shape" says="more columns than rows"
def gram(X):
    return X.T @ X if X.shape[0] >= X.shape[1] else X @ X.T

# %% wrong="2.3.I" why="divides by the diagonal" breaks="values" says="by its entry on the diagonal"
def gram(X):
    G = X.T @ X
    return G / G.diag()

# %% wrong="2.3.2" why="a pair that does not show it" breaks="pairs prove" says="another pair has to show it"
I = torch.eye(2)
counterexamples = {name: (I, I) for name in ('square every entry', 'add 1', 'product of the diagonal', 'largest entry')} | {
    'negative entries become 0': (I, -I)}

# %% wrong="2.3.G" why="adds a thousandth to the norm" breaks="values" says="x was divided by 5.001"
def unit(x):
    return x / (x.norm() + 1e-3)

# %% wrong="2.3.5" why="asks with any whether there is an axis" breaks="empty axes" says="An axis of length 0 is an axis, too"
def predict_len(shape):
    return shape[0] if any(shape) else 'TypeError'

# %% wrong="2.3.B" why="divides by the number of columns" breaks="values" says="was divided by the number of columns"
def centre(A):
    return A - A.sum(dim=0) / A.shape[1]

# %% wrong="2.3.10c" why="the same second product on both sides" breaks="cheaper order" says="added on both sides, or multiplied, cancels"
def chain(A, B, C):
    (p, q), (r, s) = A.shape, C.shape
    left = p * q * r + p * r * s
    right = q * r * s + p * r * s
    return (A @ B) @ C if left <= right else A @ (B @ C)

# %% wrong="2.3.I" why="reshape in place of the transpose" breaks="values" says="keeps the order of the entries"
def gram(X):
    n, d = X.shape
    return X.reshape(d, n) @ X

# %% wrong="2.3.1" why="exchanges two entries through views" breaks="same entries" says="there more than once: 4"
def impostor(A):
    out = A.T.clone()
    out[0, 0], out[-1, -1] = out[-1, -1], out[0, 0]
    return out
