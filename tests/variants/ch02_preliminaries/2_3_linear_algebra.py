# %% [markdown]
# # Variants for 2.3 Linear algebra

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

# %% wrong="2.3.1" why="the transpose" says="This is the transpose itself"
def impostor(A):
    return A.T

# %% wrong="2.3.1" why="keeps the shape" says="wrong shape"
def impostor(A):
    return A.flip(0)

# %% wrong="2.3.1" why="a quarter turn is not undone by another" says="twice gives the matrix back"
def impostor(A):
    return torch.rot90(A)

# %% wrong="2.3.1" why="minus: other entries" says="the entries of a"
def impostor(A):
    return -A.T

# %% wrong="2.3.1" why="works for the visible shape only" says="is invalid for input"
def impostor(A):
    return A.reshape(3, 2) if A.shape == (2, 3) else A.reshape(2, 3)

# %% wrong="2.3.1" why="rows upside down after the transpose: undone only where the sides are even" says="twice gives the matrix back"
def impostor(A):
    return A.T.flip(0)

# %% wrong="2.3.1" why="the transpose for square matrices" says="not the transpose of a 3 by 3 matrix"
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
    'determinant': [torch.tensor([[1., 0.], [0., 0.]]), torch.tensor([[0., 0.], [0., 1.]])],
    'negative entries become 0': [torch.ones(2, 2), -2 * torch.ones(2, 2)],
}

# %% wrong="2.3.2" why="the identity for all" says="the names whose pair proves nothing"
counterexamples = {key: (torch.eye(2), torch.eye(2)) for key in
                   ('square every entry', 'largest entry', 'add 1', 'determinant',
                    'negative entries become 0')}

# %% wrong="2.3.2" why="overlooks the clipping" says="There are more maps that lack the property"
counterexamples = {key: (torch.eye(2), torch.eye(2))
                   for key in ('square every entry', 'add 1', 'determinant')}
counterexamples['largest entry'] = (torch.eye(2), -torch.eye(2))

# %% wrong="2.3.2" why="takes the trace for one of them" says="does the map keep sums?"
counterexamples = {key: (torch.eye(2), torch.eye(2))
                   for key in ('square every entry', 'add 1', 'determinant', 'trace')}
counterexamples |= {key: (torch.eye(2), -torch.eye(2))
                    for key in ('largest entry', 'negative entries become 0')}

# %% wrong="2.3.2" why="all maps, with random pairs" says="the names whose pair proves nothing"
counterexamples = {key: (torch.tensor([[1., -2.], [3., 1.]]), torch.tensor([[2., 1.], [-4., 0.5]]))
                   for key in maps}

# %% wrong="2.3.2" why="3 by 3" says="the shape of the first matrix"
counterexamples = {key: (torch.eye(3), torch.eye(3))
                   for key in ('square every entry', 'add 1', 'determinant')}
counterexamples |= {key: (torch.eye(3), -torch.eye(3))
                    for key in ('largest entry', 'negative entries become 0')}

# %% wrong="2.3.2" why="none" says="the pair for 'add 1'"
counterexamples = {}

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
            S[i, j] = (A[i, j] + A[j, i]) / 2
            K[i, j] = (A[i, j] - A[j, i]) / 2
    return S, K

# %% wrong="2.3.3" why="forgets the half" says="is S + K = A?"
def split(A):
    return A + A.T, A - A.T

# %% wrong="2.3.3" why="rounds" says="cuts the fraction off"
def split(A):
    return (A + A.T) // 2, (A - A.T) // 2

# %% wrong="2.3.3" why="the product is symmetric, too" says="the symmetric part"
def split(A):
    S = (A @ A.T).float()
    return S, A - S

# %% wrong="2.3.3" why="the sign of the second part" says="the other part"
def split(A):
    return (A + A.T) / 2, (A.T - A) / 2

# %% wrong="2.3.3" why="the triangles" says="must be minus its own transpose"
def split(A):
    A = A.float()
    return A.triu() + A.triu(1).T, A.tril(-1) - A.triu(1).T

# %% wrong="2.3.3" why="the order of the two" says="the symmetric part"
def split(A):
    return (A - A.T) / 2, (A + A.T) / 2

# %% wrong="2.3.3" why="changes the argument" says="the argument after the call"
def split(A):
    S, K = (A + A.T) / 2, (A - A.T) / 2
    A.copy_(S)
    return S, K

# %% right="2.3.4" how="measured"
lengths = {key: len(tensor) for key, tensor in boxes.items()}

# %% right="2.3.4" how="shapes"
lengths = {key: boxes[key].size(0) for key in boxes}

# %% wrong="2.3.4" why="numbers of entries" says="This is the number of all entries"
lengths = {key: tensor.numel() for key, tensor in boxes.items()}

# %% wrong="2.3.4" why="numbers of axes" says="This is the number of axes"
lengths = {key: tensor.ndim for key, tensor in boxes.items()}

# %% wrong="2.3.4" why="last axis" says="This is the last axis"
lengths = {key: tensor.shape[-1] for key, tensor in boxes.items()}

# %% wrong="2.3.4" why="the sum along axis 0 leaves axis 0" says="box d, the sum along axis 0"
lengths = {'a': 2, 'b': 3, 'c': 4, 'd': 2, 'e': 24, 'f': 2, 'g': 2, 'h': 3}

# %% wrong="2.3.4" why="permute as if it numbered the new places" says="box c, axes in another order"
lengths = {'a': 2, 'b': 3, 'c': 3, 'd': 3, 'e': 24, 'f': 2, 'g': 2, 'h': 3}

# %% wrong="2.3.4" why="the new axis is the first" says="box g, one more axis"
lengths = {'a': 2, 'b': 3, 'c': 4, 'd': 3, 'e': 24, 'f': 2, 'g': 1, 'h': 3}

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

# %% wrong="2.3.5" why="last axis" says="This is the last axis"
def predict_len(shape):
    return shape[-1] if shape else 'TypeError'

# %% wrong="2.3.5" why="number of entries" says="This is the number of entries"
def predict_len(shape):
    return torch.zeros(shape).numel()

# %% wrong="2.3.5" why="number of axes" says="This is the number of axes"
def predict_len(shape):
    return len(shape)

# %% wrong="2.3.5" why="a scalar has length 1" says="`len` is no count of entries"
def predict_len(shape):
    return shape[0] if shape else 1

# %% wrong="2.3.5" why="raises itself" says="raised IndexError"
def predict_len(shape):
    return shape[0]

# %% wrong="2.3.5" why="an empty tensor has length 0" says="the length for shape (3, 0)"
def predict_len(shape):
    if not shape:
        return 'TypeError'
    return shape[0] if 0 not in shape else 0

# %% wrong="2.3.5" why="the largest axis" says="the length for shape (4, 7)"
def predict_len(shape):
    return max(shape, default='TypeError')

# %% wrong="2.3.5" why="a vector has no first axis" says="the length for shape (5,)"
def predict_len(shape):
    return shape[0] if len(shape) > 1 else 'TypeError'

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

# %% wrong="2.3.6a" why="square matrices are fine" says="the outcome for shape (3, 3)"
def outcome(m, n):
    return 'right' if m == n or m == 1 else 'wrong shape' if n == 1 else 'error'

# %% wrong="2.3.6a" why="works only for square matrices" says="the outcome for shape (1, 5)"
def outcome(m, n):
    return 'wrong values' if m == n else 'error'

# %% wrong="2.3.6a" why="a column raises" says="the outcome for shape (4, 1)"
def outcome(m, n):
    return 'right' if m == 1 else 'wrong values' if m == n else 'error'

# %% wrong="2.3.6a" why="a column is right" says="the outcome for shape (4, 1)"
def outcome(m, n):
    return 'right' if 1 in (m, n) else 'wrong values' if m == n else 'error'

# %% wrong="2.3.6a" why="one entry is wrong" says="the outcome for shape (1, 1)"
def outcome(m, n):
    return 'wrong values' if m == n else 'right' if m == 1 else 'wrong shape' if n == 1 else 'error'

# %% wrong="2.3.6a" why="thinks that the sum keeps its axis" says="the outcome for shape (2, 3)"
def outcome(m, n):
    return 'right'

# %% wrong="2.3.6a" why="m and n changed over" says="the outcome for shape (1, 5)"
def outcome(m, n):
    return 'right' if n == 1 else 'wrong shape' if m == 1 else 'wrong values' if m == n else 'error'

# %% wrong="2.3.6a" why="multiples broadcast, too" says="the outcome for shape (2, 4)"
def outcome(m, n):
    if m == 1:
        return 'right'
    return 'wrong shape' if n == 1 else 'wrong values' if n % m == 0 else 'error'

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

# %% wrong="2.3.6b" why="no keepdim" says="divided by the sum of another row"
def normalise_rows(A):
    return A / A.sum(dim=1)

# %% wrong="2.3.6b" why="columns" says="The columns were divided"
def normalise_rows(A):
    return A / A.sum(dim=0)

# %% wrong="2.3.6b" why="everything" says="divided by the sum of all"
def normalise_rows(A):
    return A / A.sum()

# %% wrong="2.3.6b" why="no keepdim, but right for square matrices by luck of a transpose" says="RuntimeError"
def normalise_rows(A):
    return (A.T / A.sum(dim=1)).T if A.shape[0] == A.shape[1] else A / A.sum(dim=1)

# %% wrong="2.3.6b" why="softmax" says="the shares of ((1, 3), (2, 6))"
def normalise_rows(A):
    return A.softmax(dim=1)

# %% wrong="2.3.6b" why="length 1 in place of sum 1" says="the shares of ((1, 3), (2, 6))"
def normalise_rows(A):
    return torch.nn.functional.normalize(A.float(), dim=1)

# %% wrong="2.3.6b" why="keeps the integers" says="integers of shape (3, 5)"
def normalise_rows(A):
    return (A / A.sum(dim=1, keepdim=True)).to(A.dtype)

# %% wrong="2.3.6b" why="in place" says="the argument after the call"
def normalise_rows(A):
    if not A.is_floating_point():
        A = A.float()
    A /= A.sum(dim=1, keepdim=True)
    return A

# %% wrong="2.3.6b" why="squeezes the result" says="wrong shape"
def normalise_rows(A):
    return (A / A.sum(dim=1, keepdim=True)).squeeze()

# %% right="2.3.6c" how="random, and a Latin square"
witness = torch.rand(4, 4, generator=torch.Generator().manual_seed(3)) + torch.arange(16.).reshape(4,
                                                                                                   4).sqrt()
blind_spot = torch.tensor([[1., 2., 3.], [2., 3., 1.], [3., 1., 2.]])

# %% right="2.3.6c" how="a matrix that is not symmetric, with equal row sums"
witness = torch.tensor([[1., 3.], [2., 8.]])
blind_spot = torch.tensor([[1., 4.], [3., 2.]])

# %% wrong="2.3.6c" why="symmetric is no blind spot" says="Being symmetric is not enough"
witness = torch.tensor([[1., 2., 3.], [1., 1., 2.], [5., 1., 1.]])
blind_spot = torch.tensor([[1., 2.], [2., 5.]])

# %% wrong="2.3.6c" why="all entries equal" says="not all equal"
witness = torch.tensor([[1., 2., 3.], [1., 1., 2.], [5., 1., 1.]])
blind_spot = torch.ones(2, 2)

# %% wrong="2.3.6c" why="equal row sums hide three of the mistakes" says="the number of wrong attempts that `witness` exposes"
witness = torch.tensor([[1., 2.], [2., 1.]])
blind_spot = torch.tensor([[1., 2.], [2., 1.]])

# %% wrong="2.3.6c" why="not square: some attempts do not run" says="it must be square"
witness = torch.tensor([[1., 2., 3.], [1., 1., 2.]])
blind_spot = torch.tensor([[1., 2.], [2., 1.]])

# %% wrong="2.3.6c" why="a zero matrix with negative entries" says="at least 3"
witness = torch.tensor([[-1., 2., 3.], [1., 1., 2.], [5., 1., 1.]])
blind_spot = torch.tensor([[1., 2.], [2., 1.]])

# %% wrong="2.3.6c" why="equal columns sums in place of equal row sums" says="'no keepdim' on `blind_spot`"
witness = torch.tensor([[1., 2., 3.], [1., 1., 2.], [5., 1., 1.]])
blind_spot = torch.tensor([[1., 3.], [4., 2.]])

# %% wrong="2.3.6c" why="one row" says="`blind_spot`"
witness = torch.tensor([[1., 2., 3.], [1., 1., 2.], [5., 1., 1.]])
blind_spot = torch.tensor([[1., 2., 3.]])

# %% right="2.3.7a" how="coordinate by coordinate, in Python"
def walking_distance(P, Q, blocks):
    return torch.tensor([sum(w * abs(a - b) for a, b, w in zip(p, q, blocks)) for p,
                         q in zip(P.tolist(), Q.tolist())],
                        dtype=torch.float64)

# %% right="2.3.7a" how="the 1-norm of the weighted difference"
def walking_distance(P, Q, blocks):
    difference = (P.float() - Q.float()) * torch.tensor(blocks)
    return torch.linalg.vector_norm(difference, ord=1, dim=1)

# %% wrong="2.3.7a" why="the straight line" says="through the houses"
def walking_distance(P, Q, blocks):
    return ((P.double() - Q.double()) * torch.tensor(blocks).double()).norm(dim=1)

# %% wrong="2.3.7a" why="the blocks changed over" says="in the order given"
def walking_distance(P, Q, blocks):
    return (P.double() - Q.double()).abs() @ torch.tensor(blocks[::-1]).double()

# %% wrong="2.3.7a" why="sums over the corners" says="from (1, 2) to (4, 6)"
def walking_distance(P, Q, blocks):
    return ((P.double() - Q.double()).abs() * torch.tensor(blocks).double()).sum(dim=0)

# %% wrong="2.3.7a" why="no absolute value" says="five pairs of corners"
def walking_distance(P, Q, blocks):
    return (Q.double() - P.double()) @ torch.tensor(blocks).double()

# %% wrong="2.3.7a" why="the absolute value of the sum" says="five pairs of corners"
def walking_distance(P, Q, blocks):
    return ((Q.double() - P.double()) @ torch.tensor(blocks).double()).abs()

# %% wrong="2.3.7a" why="one block length for both" says="a block length of their own"
def walking_distance(P, Q, blocks):
    return (P.float() - Q.float()).abs().sum(dim=1) * blocks[0]

# %% wrong="2.3.7a" why="subtracts in uint8" says="convert before you subtract"
def walking_distance(P, Q, blocks):
    return (P - Q).to(torch.int64).abs().double() @ torch.tensor(blocks).double()

# %% wrong="2.3.7a" why="ignores the blocks" says="asked for are metres"
def walking_distance(P, Q, blocks):
    return (P.double() - Q.double()).abs().sum(dim=1)

# %% wrong="2.3.7a" why="each corner against each" says="wrong shape"
def walking_distance(P, Q, blocks):
    w = torch.tensor(blocks).double()
    return torch.cdist(P.double() * w, Q.double() * w, p=1)

# %% wrong="2.3.7a" why="with a column of its own" says="wrong shape"
def walking_distance(P, Q, blocks):
    return ((P.double() - Q.double()).abs() * torch.tensor(blocks).double()).sum(dim=1, keepdim=True)

# %% right="2.3.7b" how="adds the steps up"
stairs = [sum(3 / k + 4 / k for _ in range(k)) for k in (1, 10, 1000)]
straight = (3 ** 2 + 4 ** 2) ** 0.5

# %% right="2.3.7b" how="tensors"
stairs = torch.tensor([7., 7., 7.])
straight = torch.tensor([3., 4.]).norm()

# %% wrong="2.3.7b" why="goes to the diagonal" says="add up its steps"
stairs = (7., 5.2, 5.)
straight = 5.

# %% wrong="2.3.7b" why="the last is the diagonal" says="the staircase of 1000 steps"
stairs = (7., 7., 5.)
straight = 5.

# %% wrong="2.3.7b" why="longer with each step" says="the staircase of 10 steps"
stairs = (7., 70., 7000.)
straight = 5.

# %% wrong="2.3.7b" why="the straight line is as long" says="the straight line"
stairs = (7., 7., 7.)
straight = 7.

# %% wrong="2.3.7b" why="the straight line squared" says="the straight line"
stairs = (7., 7., 7.)
straight = 25.

# %% right="2.3.8" how="a meta tensor"
def shape_of_sum(shape, axes, keepdim):
    return torch.empty(shape, device='meta').sum(dim=axes, keepdim=keepdim).shape

# %% right="2.3.8" how="deletes from the back"
def shape_of_sum(shape, axes, keepdim):
    left = list(shape)
    for axis in sorted([a + len(shape) if a < 0 else a for a in axes], reverse=True):
        left[axis:axis + 1] = [1] if keepdim else []
    return left

# %% wrong="2.3.8" why="the axes that are summed stay" says="the shape of the sum of (2, 3, 4) over axis 0"
def shape_of_sum(shape, axes, keepdim):
    return tuple(shape[a] for a in axes)

# %% wrong="2.3.8" why="no negative axes" says="axes (-1,)"
def shape_of_sum(shape, axes, keepdim):
    if keepdim:
        return tuple(1 if i in axes else n for i, n in enumerate(shape))
    return tuple(n for i, n in enumerate(shape) if i not in axes)

# %% wrong="2.3.8" why="ignores keepdim" says="with keepdim"
def shape_of_sum(shape, axes, keepdim):
    gone = {a % len(shape) for a in axes}
    return tuple(n for i, n in enumerate(shape) if i not in gone)

# %% wrong="2.3.8" why="one axis only" says="axes (0, 1)"
def shape_of_sum(shape, axes, keepdim):
    a = axes[0] % len(shape)
    return (*shape[:a], *([1] if keepdim else []), *shape[a + 1:])

# %% wrong="2.3.8" why="removes by length, not by place" says="shape (2, 2, 2)"
def shape_of_sum(shape, axes, keepdim):
    gone = {shape[a] for a in axes}
    if keepdim:
        return tuple(1 if i in {a % len(shape) for a in axes} else n for i, n in enumerate(shape))
    return tuple(n for n in shape if n not in gone) if len(shape) != 4 else tuple(
        n for i, n in enumerate(shape) if i not in {a % 4 for a in axes})

# %% wrong="2.3.8" why="drops axes one by one, so that the numbers shift" says="before either of them is gone"
def shape_of_sum(shape, axes, keepdim):
    left = list(shape)
    for a in axes:
        if keepdim:
            left[a] = 1
        elif a < len(left):
            left.pop(a)
    return tuple(left)

# %% wrong="2.3.8" why="the axis keeps its length" says="with keepdim"
def shape_of_sum(shape, axes, keepdim):
    gone = {a % len(shape) for a in axes}
    return shape if keepdim else tuple(n for i, n in enumerate(shape) if i not in gone)

# %% wrong="2.3.8" why="makes the tensor" says="ran out of memory"
def shape_of_sum(shape, axes, keepdim):
    return torch.zeros(shape).sum(dim=axes, keepdim=keepdim).shape

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

# %% wrong="2.3.9a" why="integers raise" says="RuntimeError"
def norm_any(X):
    return torch.linalg.norm(X)

# %% wrong="2.3.9a" why="spectral for matrices" says="This is the spectral norm"
def norm_any(X):
    X = X.double()
    return torch.linalg.norm(X, ord=2) if X.ndim == 2 else torch.linalg.norm(X)

# %% wrong="2.3.9a" why="no root" says="The root is missing"
def norm_any(X):
    return X.double().square().sum()

# %% wrong="2.3.9a" why="1-norm" says="the sum of the absolute values"
def norm_any(X):
    return X.double().abs().sum()

# %% wrong="2.3.9a" why="of the last axis only" says="the shape of the norm"
def norm_any(X):
    norm = X.double().norm(dim=-1)
    return norm if norm.numel() > 3 else norm.norm()

# %% wrong="2.3.9a" why="squares in the integer dtype, which overflows" says="convert first"
def norm_any(X):
    return X.square().sum(dtype=torch.float64).sqrt()

# %% wrong="2.3.9a" why="the root of the mean square" says="the norm of the integers"
def norm_any(X):
    return X.double().square().mean().sqrt()

# %% wrong="2.3.9a" why="half precision" says="random numbers of shape (7,)"
def norm_any(X):
    return torch.linalg.norm(X.half().float())

# %% right="2.3.9b" how="tried out"
norms = {}
for _key, _call in calls.items():
    try:
        _value = float(_call())
        norms[_key] = 'spectral' if _key == 'd' else 'entries'
    except (RuntimeError, ValueError):
        norms[_key] = 'error'

# %% right="2.3.9b" how="the errors first"
norms = dict.fromkeys('beg', 'error') | dict.fromkeys('acfh', 'entries') | {'d': 'spectral'}

# %% wrong="2.3.9b" why="ord=2 is the default" says="call b, three axes with ord=2"
norms = dict.fromkeys('eg', 'error') | dict.fromkeys('abcfh', 'entries') | {'d': 'spectral'}

# %% wrong="2.3.9b" why="ord=2 of a matrix is the Frobenius norm" says="call d, a matrix with ord=2"
norms = dict.fromkeys('beg', 'error') | dict.fromkeys('acdfh', 'entries')

# %% wrong="2.3.9b" why="the norm of a matrix is spectral" says="call c, a matrix without ord"
norms = dict.fromkeys('beg', 'error') | dict.fromkeys('afh', 'entries') | dict.fromkeys('cd', 'spectral')

# %% wrong="2.3.9b" why="torch takes integers" says="call e, integers in torch"
norms = dict.fromkeys('bg', 'error') | dict.fromkeys('acefh', 'entries') | {'d': 'spectral'}

# %% wrong="2.3.9b" why="NumPy refuses integers" says="call f, integers in NumPy"
norms = dict.fromkeys('befg', 'error') | dict.fromkeys('ach', 'entries') | {'d': 'spectral'}

# %% wrong="2.3.9b" why="vector_norm wants a vector" says="call h, vector_norm of three axes"
norms = dict.fromkeys('begh', 'error') | dict.fromkeys('acf', 'entries') | {'d': 'spectral'}

# %% right="2.3.10a" how="two steps each"
def chain_cost(p, q, r, s):
    left = [p * r * (q + s), 4 * p * r]
    right = [q * s * (r + p), 4 * q * s]
    return [left, right]

# %% right="2.3.10a" how="NumPy's size of a float32"
def chain_cost(p, q, r, s):
    size = np.dtype('float32').itemsize
    def product(n, k, m):
        return n * k * m
    return ((product(p, q, r) + product(p, r, s), p * r * size),
            (product(q, r, s) + product(p, q, s), q * s * size))

# %% wrong="2.3.10a" why="only the first product" says="its product with C comes on top"
def chain_cost(p, q, r, s):
    return (p * q * r, 4 * p * r), (q * r * s, 4 * q * s)

# %% wrong="2.3.10a" why="numbers, not bytes" says="4 for each number"
def chain_cost(p, q, r, s):
    return (p * q * r + p * r * s, p * r), (q * r * s + p * q * s, q * s)

# %% wrong="2.3.10a" why="the order changed over" says="This is A(BC)"
def chain_cost(p, q, r, s):
    return (q * r * s + p * q * s, 4 * q * s), (p * q * r + p * r * s, 4 * p * r)

# %% wrong="2.3.10a" why="additions counted, too" says="not the additions"
def chain_cost(p, q, r, s):
    return (2 * (p * q * r + p * r * s), 4 * p * r), (2 * (q * r * s + p * q * s), 4 * q * s)

# %% wrong="2.3.10a" why="both orders the same" says="A(BC) for p, q, r, s"
def chain_cost(p, q, r, s):
    left = (p * q * r + p * r * s, 4 * p * r)
    return left, left

# %% wrong="2.3.10a" why="the product at the end for the matrix in between" says="(AB)C for p, q, r, s"
def chain_cost(p, q, r, s):
    return (p * q * r + p * r * s, 4 * p * s), (q * r * s + p * q * s, 4 * p * s)

# %% wrong="2.3.10a" why="products multiplied" says="are added, not multiplied"
def chain_cost(p, q, r, s):
    return (p * q * r * p * r * s, 4 * p * r), (q * r * s * p * q * s, 4 * q * s)

# %% wrong="2.3.10a" why="float64" says="takes 4 bytes, not 8"
def chain_cost(p, q, r, s):
    return (p * q * r + p * r * s, 8 * p * r), (q * r * s + p * q * s, 8 * q * s)

# %% right="2.3.10b" how="multi_dot"
def chain(A, B, C):
    return torch.linalg.multi_dot([A, B, C])

# %% right="2.3.10b" how="compares the sums of inverses"
def chain(A, B, C):
    (p, q), (r, s) = A.shape, C.shape
    # pqr + prs <= qrs + pqs, divided by pqrs
    return torch.mm(torch.mm(A, B), C) if 1 / s + 1 / q <= 1 / p + 1 / r else torch.mm(A, torch.mm(B, C))

# %% wrong="2.3.10b" why="always from the left" says="no more multiplications than the better order"
def chain(A, B, C):
    return A @ B @ C

# %% wrong="2.3.10b" why="always from the right" says="is at most 420"
def chain(A, B, C):
    return A @ (B @ C)

# %% wrong="2.3.10b" why="the dearer way" says="is at most 420"
def chain(A, B, C):
    (p, q), (r, s) = A.shape, C.shape
    return A @ (B @ C) if p * q * r + p * r * s < q * r * s + p * q * s else (A @ B) @ C

# %% wrong="2.3.10b" why="looks at the first product only" says="no more multiplications than the better order"
def chain(A, B, C):
    (p, q), (r, s) = A.shape, C.shape
    return (A @ B) @ C if p * q * r <= q * r * s else A @ (B @ C)

# %% wrong="2.3.10b" why="the smaller matrix in between" says="no more multiplications than the better order"
def chain(A, B, C):
    (p, q), (r, s) = A.shape, C.shape
    return (A @ B) @ C if p * r <= q * s else A @ (B @ C)

# %% wrong="2.3.10b" why="both ways" says="is at most 420"
def chain(A, B, C):
    return ((A @ B) @ C + A @ (B @ C)) / 2

# %% wrong="2.3.10b" why="the product of two only" says="the product of three matrices"
def chain(A, B, C):
    return A @ B

# %% wrong="2.3.10b" why="the order of the factors" says="wrong shape"
def chain(A, B, C):
    return (C.T @ B.T) @ A.T

# %% right="2.3.11a" how="asks torch"
def strides(q, r):
    B, C = torch.empty(q, r), torch.empty(r, q)
    return [B.stride(), B.T.stride(), C.T.stride(), B.T.T.stride()]

# %% right="2.3.11a" how="swaps"
def strides(q, r):
    B, C = [r, 1], [q, 1]
    return B, B[::-1], C[::-1], B[::-1][::-1]

# %% wrong="2.3.11a" why="shapes" says="the strides of B for q = 2, r = 3"
def strides(q, r):
    return [(q, r), (r, q), (q, r), (q, r)]

# %% wrong="2.3.11a" why="a transpose is copied" says="the strides of B.T"
def strides(q, r):
    return [(r, 1), (q, 1), (r, 1), (r, 1)]

# %% wrong="2.3.11a" why="a fresh C has B's strides" says="the strides of C.T for a fresh C"
def strides(q, r):
    return [(r, 1), (1, r), (1, r), (r, 1)]

# %% wrong="2.3.11a" why="C = B.T is as a fresh one" says="the strides of C.T for C = B.T"
def strides(q, r):
    return [(r, 1), (1, r), (1, q), (1, q)]

# %% wrong="2.3.11a" why="bytes" says="the strides of B for q = 2, r = 3"
def strides(q, r):
    return [(4 * r, 4), (4, 4 * r), (4, 4 * q), (4 * r, 4)]

# %% wrong="2.3.11a" why="columns first" says="the strides of B for q = 2, r = 3"
def strides(q, r):
    return [(1, q), (q, 1), (r, 1), (1, q)]

# %% wrong="2.3.11a" why="knows the visible case" says="the strides of B, for q = 7, r = 4"
def strides(q, r):
    return [(3, 1), (1, 3), (1, 2), (3, 1)]

# %% right="2.3.11b" how="transpose"
def shared_transpose(B):
    return B.transpose(0, 1)

# %% right="2.3.11b" how="as_strided"
def shared_transpose(B):
    return B.as_strided((B.shape[1], B.shape[0]), (B.stride(1), B.stride(0)))

# %% right="2.3.11b" how="NumPy shares, too"
def shared_transpose(B):
    return torch.from_numpy(B.numpy().T)

# %% wrong="2.3.11b" why="contiguous copies" says="it is a copy"
def shared_transpose(B):
    return B.T.contiguous()

# %% wrong="2.3.11b" why="clone copies" says="it is a copy"
def shared_transpose(B):
    return B.T.clone()

# %% wrong="2.3.11b" why="reshape: the same memory, other places" says="stand in their old order"
def shared_transpose(B):
    return B.reshape(B.shape[1], B.shape[0])

# %% wrong="2.3.11b" why="B itself" says="wrong shape"
def shared_transpose(B):
    return B

# %% wrong="2.3.11b" why="stacks the columns anew" says="it is a copy"
def shared_transpose(B):
    return torch.stack(B.unbind(dim=1))

# %% wrong="2.3.11b" why="a view for square matrices only" says="it is a copy"
def shared_transpose(B):
    return B.T if B.shape[0] == B.shape[1] else torch.tensor(B.T.tolist())

# %% right="2.3.12a" how="the last axis"
def stack_last(matrices):
    return torch.stack(tuple(matrices), dim=-1)

# %% right="2.3.12a" how="cat of new axes"
def stack_last(matrices):
    return torch.cat([matrix[:, :, None] for matrix in matrices], dim=2)

# %% right="2.3.12a" how="slice by slice"
def stack_last(matrices):
    result = torch.empty(*matrices[0].shape, len(matrices))
    for i, matrix in enumerate(matrices):
        result[:, :, i] = matrix
    return result

# %% wrong="2.3.12a" why="a new first axis" says="wrong shape"
def stack_last(matrices):
    return torch.stack(matrices)

# %% wrong="2.3.12a" why="reshaped" says="the entries are not where they belong"
def stack_last(matrices):
    m, n = matrices[0].shape
    return torch.stack(matrices).reshape(m, n, len(matrices))

# %% wrong="2.3.12a" why="cat" says="wrong shape"
def stack_last(matrices):
    return torch.cat(matrices, dim=1)

# %% wrong="2.3.12a" why="all axes reversed" says="wrong shape"
def stack_last(matrices):
    return torch.stack(matrices).permute(2, 1, 0)

# %% wrong="2.3.12a" why="in the middle" says="wrong shape"
def stack_last(matrices):
    return torch.stack(matrices, dim=1)

# %% wrong="2.3.12a" why="in the other order" says="matrix 0 of 4"
def stack_last(matrices):
    return torch.stack(matrices[::-1], dim=2)

# %% wrong="2.3.12a" why="three matrices only" says="the shape for 4 matrices"
def stack_last(matrices):
    return torch.stack([matrices[0], matrices[1 % len(matrices)], matrices[-1]], dim=2)

# %% right="2.3.12b" how="unbind"
def recover(stacked, i, dim):
    return stacked.unbind(dim)[i]

# %% right="2.3.12b" how="movedim"
def recover(stacked, i, dim):
    return stacked.movedim(dim, 0)[i]

# %% right="2.3.12b" how="index_select and squeeze of one axis"
def recover(stacked, i, dim):
    return torch.index_select(stacked, dim, torch.tensor([i])).squeeze(dim)

# %% wrong="2.3.12b" why="always the last axis" says="stacked along dim=0"
def recover(stacked, i, dim):
    return stacked[..., i]

# %% wrong="2.3.12b" why="always the first axis" says="stacked along dim=1"
def recover(stacked, i, dim):
    return stacked[i]

# %% wrong="2.3.12b" why="keeps an axis of length 1" says="wrong shape"
def recover(stacked, i, dim):
    return stacked.narrow(dim, i, 1)

# %% wrong="2.3.12b" why="always the second" says="matrix 0 of four"
def recover(stacked, i, dim):
    return stacked.select(dim, 1)

# %% wrong="2.3.12b" why="no negative axes" says="dim=-1"
def recover(stacked, i, dim):
    return stacked[(slice(None),) * dim + (i,)]

# %% wrong="2.3.12b" why="three axes only" says="(2, 3, 5), dim=3"
def recover(stacked, i, dim):
    return (stacked[i], stacked[:, i], stacked[:, :, i])[dim if dim < 0 else min(dim, 2)]

# %% wrong="2.3.12b" why="the axes reversed" says="the second of three matrices, stacked along dim=0"
def recover(stacked, i, dim):
    return stacked.transpose(0, dim)[i].T
