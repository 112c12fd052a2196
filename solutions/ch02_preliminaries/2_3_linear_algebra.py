# %% [markdown]
# # 2.3 Linear algebra
#
# Layers of a network multiply matrices, losses add up and measure lengths. This section has the operations
# that the rest of the book uses: transpose, sums along axes, products, norms, and what each does to shapes,
# memory and time. First comes a recap with code to run, then the exercises.

# %% tags=["setup"]
import numpy as np
import torch

import d2l_utils as d2l
from d2l_utils.check import *

# %% [markdown]
# ## Recap
#
# ### Scalars, vectors, matrices, and more axes
#
# A scalar is a tensor without axes, a vector has one axis, a matrix two. `len(t)` and `t.shape[0]` are the
# length of the first axis; `t.ndim` is the number of axes; `t.numel()` the number of entries.

# %%
s, v, M = torch.tensor(2.5), torch.arange(3.), torch.arange(6.).reshape(2, 3)
print(s.ndim, v.ndim, M.ndim, '|', len(v), len(M), M.numel())
M

# %% [markdown]
# The *transpose* of a matrix has its rows as columns: entry (i, j) becomes entry (j, i). A matrix that equals
# its own transpose is *symmetric*. `M.T` copies nothing: it is another view of the same memory.

# %%
print(M.T)
M.T[0, 1] = 30.     # the entry (1, 0) of M
print(M)

# %% [markdown]
# An assignment through the view changed `M`. So a matrix cannot be added to its own transpose in place: some
# entries would be read after they were overwritten. Torch sees it and refuses; `S + S.T`, into new memory, is
# right.

# %% tags=["demo"]
S = torch.arange(9.).reshape(3, 3)
try:
    S.add_(S.T)
except RuntimeError as error:
    print('RuntimeError:', error)
print(S + S.T)

# %% [markdown]
# ### Sums along axes
#
# `sum()` adds everything. `sum(dim=k)` (or `axis=k`) adds **along** axis k, and this axis is gone: for shape
# (2, 3), `dim=0` adds the rows to each other and leaves 3 column sums. `keepdim=True` leaves an axis of
# length 1, so that the result broadcasts against the tensor that it came from.

# %%
M = torch.tensor([[1., 2., 3.], [10., 20., 30.]])
print(M.sum(), M.sum(dim=0), M.sum(dim=1))
print(M.sum(dim=1, keepdim=True).shape, M.sum(dim=(0, 1)), M.cumsum(dim=1)[1])

# %% [markdown]
# ### Products
#
# - `x * y`: entry by entry (the Hadamard product), for equal shapes, or shapes that broadcast.
# - `x @ y` of two vectors: the dot product, the sum of the entry-wise products.
# - `A @ x`: a vector with the dot product of each row of `A` with `x`.
# - `A @ B`: entry (i, j) is the dot product of row i of `A` and column j of `B`; (n, k) times (k, m) gives
#   (n, m), with n k m multiplications.

# %%
x, y, A = torch.tensor([1., 2., 3.]), torch.tensor([4., 0., -1.]), torch.tensor([[1., 0., 2.], [0., 3., 1.]])
print(x * y, x @ y, A @ x)
print((A @ A.T).shape, (A.T @ A).shape)

# %% [markdown]
# A matrix is a map of vectors to vectors. The picture shows what one does with the circle of all vectors of
# length 1: it becomes an ellipse. The largest stretch is 3.19; it is called the *spectral norm* of the
# matrix.

# %% tags=["demo"]
turn = torch.linspace(0, 2 * torch.pi, 200)
circle = torch.stack([turn.cos(), turn.sin()])
W = torch.tensor([[2., 1.], [-1., 3.]])
ellipse = W @ circle
d2l.set_figsize((4, 4))
d2l.plt.plot(*circle, *ellipse)
d2l.plt.legend(['all x of length 1', 'all W x'], loc='upper left')
d2l.plt.gca().set_aspect('equal')
print('largest stretch', ellipse.norm(dim=0).max().item(), 'spectral norm',
      torch.linalg.norm(W, ord=2).item())

# %% [markdown]
# ### Norms
#
# A norm measures how large a vector is. The 2-norm is the Euclidean length, the root of the sum of squares;
# the 1-norm adds absolute values; the ∞-norm is the largest absolute value. The picture shows all points of
# norm 1. For matrices the *Frobenius norm* is the 2-norm of all entries.

# %%
x = torch.tensor([3., -4.])
print(torch.linalg.norm(x), torch.linalg.norm(x, ord=1), torch.linalg.norm(x, ord=float('inf')))

# %% tags=["demo"]
d2l.set_figsize((3, 3))
for order in (1, 2, float('inf')):
    d2l.plt.plot(*(circle / torch.linalg.norm(circle, ord=order, dim=0)), label=f'{order}-norm')
d2l.plt.legend()
d2l.plt.gca().set_aspect('equal')

# %% [markdown]
# ### Written answers
#
# Some exercises ask *why*. A person reads these; the check beside them is read by the machine. Two or three
# sentences, or a line of formulas, are enough. Write $A_{ij}$ for the entry in row i and column j.
#
# ## Exercises
#
# ### Transposes

# %% [markdown] task="2.3.1" kind="explain" minutes=12 difficulty=3
# ### Transposing twice
#
# Explain why $(A^\top)^\top = A$ for every matrix.
#
# The property alone does not make a map the transpose. Show that: write `impostor(A)`, a function that turns
# each matrix of shape `(m, n)` into one of shape `(n, m)` with the same entries in other places, and gives
# `A` back when it is used twice, and yet is not the transpose for matrices with different entries and at
# least two rows and columns.
#
# **You are done when** the check shows the shape, the way back, and that some entry lies elsewhere than in
# the transpose.

# %% exercise="2.3.1"
def impostor(A):
    """(m, n) -> (n, m): undone by a second use, but not the transpose."""
    ### BEGIN SOLUTION
    return A.reshape(A.shape[1], A.shape[0])
    ### END SOLUTION

# %% [markdown] written="2.3.1" points=3
# ### BEGIN SOLUTION
# Entry (i, j) of $A^\top$ is $A_{ji}$. So entry (i, j) of $(A^\top)^\top$ is entry (j, i) of $A^\top$, which
# is $A_{ij}$. The shapes agree, too: (m, n) becomes (n, m) and then (m, n). All entries and the shape agree,
# so the matrices are equal.
#
# **Rubric**
# - [1] Says what transposing does to an entry, (Aᵀ)ᵢⱼ = Aⱼᵢ; also accepted: "rows become columns", said
#   exactly. An example alone does not count.
# - [1] Applies it twice, and arrives at Aᵢⱼ for all i, j. "It flips and flips back" without indices, rows or
#   columns loses the point.
# - [1] Covers matrices that are not square: the shape goes to (n, m) and back. "A is symmetric" is a
#   misconception that loses it.
# ### END SOLUTION

# %% [markdown] hints="2.3.1"
# 1. Where does the entry of row i, column j lie after one transpose? Where is that place sent by the next?
# 2. For the impostor: a tensor's entries have an order in memory. Which operation gives them another shape in
#    the same order?
# 3. Another case, for square matrices only: `A.flip(0)` turns the rows upside down, and a second use undoes
#    it.

# %% check="2.3.1" points=1
six = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
assert_shape(impostor(six), (3, 2), "the shape for a 2 by 3 matrix")
assert_close(impostor(impostor(six)), six, "twice gives the matrix back")
assert_true(not torch.equal(impostor(six), six.T), "it is not the transpose",
            hint="This is the transpose itself.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(231)
for m, n in ((2, 2), (3, 3), (4, 2), (5, 7), (2, 9)):
    sample = torch.randn(m, n, generator=rng)
    once = impostor(sample)
    assert_shape(once, (n, m), f"the shape for a {m} by {n} matrix")
    assert_close(once.flatten().sort().values, sample.flatten().sort().values,
                 f"the entries of a {m} by {n} matrix, in any order")
    assert_close(impostor(once), sample, f"twice, for a {m} by {n} matrix")
    if m > 2 or n > 2:
        assert_true(not torch.equal(once, sample.T), f"not the transpose of a {m} by {n} matrix")
### END HIDDEN TESTS

# %% [markdown]
# Maps for the next exercise. Each takes a square matrix to a matrix or a number.

# %% tags=["setup"]
maps = {
    'transpose': lambda A: A.T,
    'square every entry': lambda A: A ** 2,
    'sum of all entries': lambda A: A.sum(),
    'largest entry': lambda A: A.max(),
    'add 1': lambda A: A + 1,
    'trace': lambda A: A.trace(),
    'determinant': lambda A: torch.linalg.det(A),
    'times a fixed matrix': lambda A: A @ torch.tensor([[0., 2.], [-1., 3.]]),
    'negative entries become 0': lambda A: A.clamp(min=0),
}

# %% [markdown] task="2.3.2" kind="explain" minutes=15 difficulty=2
# ### Which maps go well with sums
#
# Explain why $A^\top + B^\top = (A + B)^\top$ for matrices of the same shape.
#
# Not every map f has this property, f(A) + f(B) = f(A + B). For each map of `maps` that lacks it, find two
# matrices that prove it. Set `counterexamples` to a dictionary: its keys are the names of exactly these maps,
# each value is a pair `(A, B)` of 2 by 2 tensors of `float32`, such that f(A) + f(B) and f(A + B) differ by
# at least 0.1 somewhere.
#
# **You are done when** the check finds no name whose pair proves nothing; whether a map is missing is graded.

# %% exercise="2.3.2"
### BEGIN SOLUTION
_one, _back = torch.eye(2), -torch.eye(2)
counterexamples = {key: (_one, _one) for key in ('square every entry', 'add 1', 'determinant')}
counterexamples |= {key: (_one, _back) for key in ('largest entry', 'negative entries become 0')}
### END SOLUTION

# %% [markdown] written="2.3.2" points=3
# ### BEGIN SOLUTION
# Entry (i, j) of $A^\top + B^\top$ is $A_{ji} + B_{ji}$. Entry (i, j) of $(A + B)^\top$ is entry (j, i) of
# $A + B$, that is $A_{ji} + B_{ji}$. Both sides have shape (n, m), so they are equal. The reason: the sum
# works place by place, and transposing moves both summands' entries to the same place.
#
# **Rubric**
# - [1] Writes the entry of the one side with indices or in exact words.
# - [1] Writes the entry of the other side and sees that they are equal, for all i and j; an example alone
#   does not count.
# - [1] Uses that the sum works entry by entry, and that the two shapes are equal. "Transposes are linear"
#   alone repeats the claim and loses the point.
# ### END SOLUTION

# %% [markdown] hints="2.3.2"
# 1. What are f(A) + f(B) and f(A + B) for A = B, the identity? And for B = -A?
# 2. A map that only moves, adds or scales entries keeps sums. Squares, products of entries, maxima and added
#    constants do not.
# 3. Another case: for f(x) = |x| on numbers, 1 and -1 are a proof: |1| + |-1| = 2, and |0| = 0.

# %% check="2.3.2" points=3
proved = [name for name, (P, Q) in counterexamples.items() if name in maps
          and bool((maps[name](P) + maps[name](Q) - maps[name](P + Q)).abs().max() >= 0.1)]
assert_true('add 1' in proved, "the pair for 'add 1' proves that it lacks the property")
assert_equal([name for name in counterexamples if name not in proved], [],
             "the names whose pair proves nothing",
             hint="For their pairs f(A) + f(B) and f(A + B) are equal. Try another pair; or does the map keep sums?")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(232)
tries = [(torch.randn(2, 2, generator=rng), torch.randn(2, 2, generator=rng)) for _ in range(50)]
lacking = [name for name, f in maps.items()
           if any((f(P) + f(Q) - f(P + Q)).abs().max() > 0.1 for P, Q in tries)]
for name, (P, Q) in counterexamples.items():
    assert_shape(P, (2, 2), f"the shape of the first matrix for {name!r}")
    assert_shape(Q, (2, 2), f"the shape of the second matrix for {name!r}")
assert_equal(len(set(proved) & set(lacking)), len(lacking),
             "the number of maps without the property that were found",
             hint="There are more maps that lack the property.")
### END HIDDEN TESTS

# %% [markdown] task="2.3.3" kind="explain" minutes=12 difficulty=2
# ### The symmetric part
#
# Explain, from the two exercises before, why $A + A^\top$ is symmetric for every square matrix.
#
# More is true: each square matrix is the sum of a symmetric one and one with $K^\top = -K$. Write `split(A)`,
# which returns these two as a tuple `(S, K)`: S + K = A. `A` may hold integers; it stays as it is.
#
# **You are done when** the check shows the two parts of a 2 by 2 matrix that you can work out by hand.

# %% exercise="2.3.3"
def split(A):
    """A square matrix as (S, K): S symmetric, K equal to minus its transpose, S + K = A; floating point."""
    ### BEGIN SOLUTION
    return (A + A.T) / 2, (A - A.T) / 2
    ### END SOLUTION

# %% [markdown] written="2.3.3" points=3
# ### BEGIN SOLUTION
# By exercise 2, $(A + A^\top)^\top = A^\top + (A^\top)^\top$; by exercise 1, this is $A^\top + A$; and sums
# of matrices do not depend on the order, so it is $A + A^\top$. The matrix equals its own transpose, and that
# is what symmetric means. A must be square, or the two shapes do not fit.
#
# **Rubric**
# - [1] Transposes the sum term by term, (A + Aᵀ)ᵀ = Aᵀ + (Aᵀ)ᵀ, with the reason (exercise 2).
# - [1] Uses (Aᵀ)ᵀ = A (exercise 1) and that addition may be done in either order. Also accepted: the entries,
#   Aᵢⱼ + Aⱼᵢ is the same for (i, j) and (j, i).
# - [1] Says what symmetric means, or why A must be square. Taking A to be symmetric already is the
#   misconception that loses it.
# ### END SOLUTION

# %% [markdown] hints="2.3.3"
# 1. What is the sum of $A + A^\top$ and $A - A^\top$?
# 2. `/` turns integers into floating-point numbers; `//` cuts the fraction off. `A += ...` changes the
#    argument.
# 3. Another case: every function is the sum of an even one, (f(x) + f(-x)) / 2, and an odd one,
#    (f(x) - f(-x)) / 2.

# %% check="2.3.3" points=2
parts_of = split(torch.tensor([[1, 2], [5, 4]]))
assert_close(parts_of[0], torch.tensor([[1., 3.5], [3.5, 4.]]), "the symmetric part of ((1, 2), (5, 4))",
             mistakes={"This is A + Aᵀ: is S + K = A?": torch.tensor([[2, 7], [7, 8]]),
                       "The halves were rounded: `//` cuts the fraction off.":
                       torch.tensor([[1, 3], [3, 4]]),
                       "This is symmetric; but what is left of A must be minus its own transpose.":
                       torch.tensor([[1., 2.], [2., 4.]])})
assert_close(parts_of[1], torch.tensor([[0., -1.5], [1.5, 0.]]), "the other part of ((1, 2), (5, 4))")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(233)
for sample in (torch.randn(5, 5, generator=rng), torch.randint(-9, 10, (4, 4), generator=rng),
               torch.randn(1, 1, generator=rng)):
    S, K = split(sample)
    about = f"a {len(sample)} by {len(sample)} matrix of {str(sample.dtype).removeprefix('torch.')}"
    assert_close(S, S.T, f"the first part is symmetric, for {about}")
    assert_close(K, -K.T, f"the second part is minus its transpose, for {about}")
    assert_close(S + K, sample.float(), f"the sum of the parts, for {about}")

@probe
def matrix_after_split(A):
    split(A)
    return A

kept = torch.randn(3, 3, generator=rng)
assert_close(matrix_after_split(kept.clone()), kept, "the argument after the call")
### END HIDDEN TESTS

# %% [markdown]
# ### Lengths and axes

# %% tags=["setup"]
X = torch.arange(24.).reshape(2, 3, 4)
boxes = {
    'a': X,
    'b': X[1],
    'c': X.permute(2, 0, 1),
    'd': X.sum(dim=0),
    'e': X.reshape(-1),
    'f': X[:, 0, 1:],
    'g': X.unsqueeze(1),
    'h': X[X > 20],
}

# %% [markdown] task="2.3.4" kind="answer" minutes=5 difficulty=1
# ### What `len` says
#
# `X` has the shape (2, 3, 4) and the entries 0, 1, ..., 23. The cell above makes eight tensors from it. What
# does `len` say of each?
#
# Set `lengths` to a dictionary with the keys `'a'` to `'h'` and the eight numbers.
#
# **You are done when** the check shows eight answers, and the first right.

# %% exercise="2.3.4"
### BEGIN SOLUTION
lengths = {'a': 2, 'b': 3, 'c': 4, 'd': 3, 'e': 24, 'f': 2, 'g': 2, 'h': 3}
### END SOLUTION

# %% [markdown] hints="2.3.4"
# 1. What is the shape of each of the eight?
# 2. `len` counts what you meet when you write `for part in tensor`.
# 3. Another case: `len(torch.zeros(5, 2)[1:].T)` is 2: `[1:]` makes (4, 2), `.T` makes (2, 4).

# %% check="2.3.4" points=2
assert_equal(sorted(lengths), list('abcdefgh'), "the keys of `lengths`")
assert_equal(lengths['a'], 2, "len of X itself, of shape (2, 3, 4)",
             mistakes={"This is the number of all entries.": 24, "This is the number of axes.": 3,
                       "This is the last axis.": 4})
### BEGIN HIDDEN TESTS
for key, about in {'b': "one entry of the first axis", 'c': "axes in another order",
                   'd': "the sum along axis 0",
                   'e': "all in one axis", 'f': "an index and a slice", 'g': "one more axis",
                   'h': "the entries under a mask"}.items():
    assert_equal(lengths[key], len(boxes[key]), f"len of box {key}, {about}")
### END HIDDEN TESTS

# %% [markdown] task="2.3.5" kind="code" minutes=6 difficulty=1
# ### The axis that `len` looks at
#
# Write `predict_len(shape)`: for a shape, given as a tuple, it returns what `len` says of a tensor of that
# shape, as an `int`; or the string `'TypeError'` where `len` raises one.
#
# **You are done when** the check shows the answers for (4, 7) and for one tensor whose first axis is empty.

# %% exercise="2.3.5"
def predict_len(shape):
    """len of a tensor of this shape: an int, or 'TypeError'."""
    ### BEGIN SOLUTION
    return shape[0] if shape else 'TypeError'
    ### END SOLUTION

# %% [markdown] hints="2.3.5"
# 1. Which of the axes stays the same in (4, 7), (4, 1) and (4, 2, 9), for all of which `len` says 4?
# 2. There is one shape that has no such axis. Try `len(torch.tensor(3.))`.
# 3. Another case: `torch.zeros(3, 0)` has no entries at all, and yet you can loop over it three times.

# %% check="2.3.5" points=1
assert_equal(predict_len((4, 7)), 4, "the length for shape (4, 7)",
             mistakes={"This is the last axis.": 7, "This is the number of entries.": 28,
                       "This is the number of axes.": 2})
assert_equal(predict_len((0, 3)), 0, "the length for shape (0, 3)")
### BEGIN HIDDEN TESTS
for shape in ((5,), (3, 0), (1, 6, 2), (2, 1, 1, 8), (), (0,), (6, 6), (9, 1, 3)):
    try:
        says = len(torch.zeros(shape))
    except TypeError:
        says = 'TypeError'
    assert_equal(predict_len(shape), says, f"the length for shape {shape}",
                 mistakes={"`len` is no count of entries: where is the first axis?": 1}
                 if shape == () else None)
### END HIDDEN TESTS

# %% [markdown]
# ### Rows that add up to 1
#
# Dividing each row by its sum makes shares of it. It looks like one short line, `A / A.sum(axis=1)`. Watch it
# for three shapes:

# %% tags=["demo"]
for shape in ((2, 3), (3, 3), (3, 1)):
    A = torch.arange(1., 1 + shape[0] * shape[1]).reshape(shape)
    try:
        shares = A / A.sum(axis=1)
        print(shape, '->', tuple(shares.shape), 'row sums', shares.sum(axis=1))
    except RuntimeError as error:
        print(shape, '-> RuntimeError:', error)

# %% [markdown] task="2.3.6a" kind="code" minutes=12 difficulty=3
# ### What `A / A.sum(axis=1)` does
#
# Write `outcome(m, n)`. For a matrix `A` of shape `(m, n)`, m and n at least 1, of random positive numbers,
# it says what `A / A.sum(axis=1)` gives:
#
# - `'right'`: the shape of `A`, and each row divided by its own sum;
# - `'wrong values'`: the shape of `A`, other values;
# - `'wrong shape'`: another shape;
# - `'error'`: an exception.
#
# **You are done when** the check shows the outcomes for (2, 3) and (3, 3), which you saw above.

# %% exercise="2.3.6a"
def outcome(m, n):
    """'right', 'wrong values', 'wrong shape' or 'error', for A / A.sum(axis=1) with A of shape (m, n)."""
    ### BEGIN SOLUTION
    if m == 1:
        return 'right'
    if n == 1:
        return 'wrong shape'
    return 'wrong values' if m == n else 'error'
    ### END SOLUTION

# %% [markdown] hints="2.3.6a"
# 1. What is the shape of `A.sum(axis=1)`, and how does it broadcast against (m, n)?
# 2. Shapes are lined up at the right: (m, n) against (m,) compares n with m. It works where they are equal or
#    one is 1.
# 3. Another case: `A - A.mean(axis=1)` for shape (5, 1): (5, 1) against (5,) is a (5, 5) table of
#    differences.

# %% check="2.3.6a" points=2
assert_equal(outcome(2, 3), 'error', "the outcome for shape (2, 3)")
assert_equal(outcome(3, 3), 'wrong values', "the outcome for shape (3, 3)")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(236)
for m, n in ((1, 5), (1, 1), (4, 1), (2, 2), (7, 7), (2, 4), (4, 2), (1, 2), (2, 1), (6, 3)):
    sample = torch.rand(m, n, generator=rng) + 0.1
    try:
        got = sample / sample.sum(axis=1)
        good = sample / sample.sum(axis=1, keepdim=True)
        same = got.shape == sample.shape
        found = 'wrong shape' if not same else 'right' if torch.allclose(got, good) else 'wrong values'
    except RuntimeError:
        found = 'error'
    assert_equal(outcome(m, n), found, f"the outcome for shape ({m}, {n})")
### END HIDDEN TESTS

# %% [markdown] task="2.3.6b" kind="code" minutes=5 difficulty=2 core=true
# ### Shares of each row
#
# Write `normalise_rows(A)`: for a matrix with positive entries, of any shape `(m, n)`, it returns the matrix
# with each row divided by its own sum. `A` may hold integers, and is not changed.
#
# **You are done when** the check shows that the rows add up to 1 for a square matrix and for one that is not.

# %% exercise="2.3.6b"
def normalise_rows(A):
    """Each row of A (m, n) divided by its sum: (m, n), floating point."""
    ### BEGIN SOLUTION
    return A / A.sum(dim=1, keepdim=True)
    ### END SOLUTION

# %% [markdown] hints="2.3.6b"
# 1. Which shape must the sums have, so that each row of (m, n) meets its own sum?
# 2. `keepdim=True` leaves an axis of length 1 where the sum was taken.
# 3. Another case: `A - A.mean(dim=0, keepdim=True)` subtracts from each column its own mean.

# %% check="2.3.6b" points=2
square, wide = torch.tensor([[1., 3.], [2., 6.]]), torch.tensor([[1., 1., 2.], [5., 3., 2.]])
assert_close(normalise_rows(square), torch.tensor([[0.25, 0.75], [0.25, 0.75]]),
             "the shares of ((1, 3), (2, 6))",
             mistakes={"Each entry was divided by the sum of another row: look at the shape of the sums.":
                       square / square.sum(dim=1),
                       "The columns were divided by their sums.": square / square.sum(dim=0),
                       "All were divided by the sum of all.": square / square.sum()})
assert_close(normalise_rows(wide), torch.tensor([[0.25, 0.25, 0.5], [0.5, 0.3, 0.2]]),
             "the shares of a 2 by 3 matrix")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2361)
for shape in ((4, 4), (5, 3), (6, 1), (1, 6), (2, 7)):
    sample = torch.rand(shape, generator=rng, dtype=torch.float64) + 0.05
    assert_close(normalise_rows(sample), torch.einsum('ij,i->ij', sample, 1 / torch.einsum('ij->i', sample)),
                 f"random positive numbers of shape {shape}")
whole = torch.randint(1, 9, (3, 5), generator=rng)
assert_close(normalise_rows(whole), whole.float() / whole.float().sum(1).reshape(3, 1),
             "integers of shape (3, 5)")

@probe
def matrix_after_normalising(A):
    normalise_rows(A)
    return A

kept = torch.rand(3, 4, generator=rng)
assert_close(matrix_after_normalising(kept.clone()), kept, "the argument after the call")
### END HIDDEN TESTS

# %% [markdown]
# Here are eight attempts at the same function. The first two are right.

# %% tags=["setup"]
attempts = {
    'keepdim': lambda A: A / A.sum(dim=1, keepdim=True),
    'None': lambda A: A / A.sum(dim=1)[:, None],
    'no keepdim': lambda A: A / A.sum(dim=1),
    'columns': lambda A: A / A.sum(dim=0),
    'all': lambda A: A / A.sum(),
    'first row': lambda A: A / A[0].sum(),
    'length': lambda A: A / A.square().sum(dim=1, keepdim=True).sqrt(),
    'exponentials': lambda A: A.softmax(dim=1),
}

# %% [markdown] task="2.3.6c" kind="break it" minutes=12 difficulty=3
# ### A matrix that tells them apart
#
# A test is as good as its input. Set two names, each to a square `float32` matrix of positive entries, at
# least 2 by 2:
#
# - `witness`: on it each of the six wrong attempts runs, and gives a result that differs from the right one
#   by at least 0.01 somewhere;
# - `blind_spot`: on it the attempt `'no keepdim'` is right (up to 0.00001), although its entries are not all
#   equal. Who tests with such a matrix never finds the mistake.
#
# **You are done when** the check shows how many wrong attempts `witness` exposes (a point for three, a second
# for all six) and that `blind_spot` has the right form.

# %% exercise="2.3.6c"
### BEGIN SOLUTION
witness = torch.tensor([[1., 2., 3.], [1., 1., 2.], [5., 1., 1.]])
blind_spot = torch.tensor([[1., 2.], [2., 1.]])
### END SOLUTION

# %% [markdown] hints="2.3.6c"
# 1. When is `A / A.sum(dim=1)` the same as `A / A.sum(dim=1)[:, None]`? Which sums must be equal?
# 2. A symmetric matrix is not enough for the blind spot: there `no keepdim` gives the transpose of the right
#    result.
# 3. Another case: to expose `A - A.mean(dim=0)` as a wrong way of centring the *rows*, any matrix will do
#    whose row means and column means differ.

# %% check="2.3.6c" points=3
exposed = []
side = len(witness)
if tuple(getattr(witness, 'shape', ())) == (side, side) and side >= 2 and bool((witness > 0).all()):
    exposed = [name for name in list(attempts)[2:]
               if bool((attempts[name](witness) - attempts['keepdim'](witness)).abs().max() >= 0.01)]
with part(1, "`witness` is a square positive matrix that exposes at least three of the six"):
    assert_shape(witness, (len(witness), len(witness)), "the shape of `witness`: it must be square")
    assert_true(len(exposed) >= 3, f"the number of attempts exposed, {len(exposed)}, is at least 3")
with part(1, "`witness` exposes all six"):
    assert_equal(len(exposed), 6, "the number of wrong attempts that `witness` exposes")
with part(1, "`blind_spot` has the right form; at grading: it hides the missing keepdim"):
    assert_shape(blind_spot, (len(blind_spot), len(blind_spot)),
                 "the shape of `blind_spot`: it must be square")
    assert_true(len(blind_spot) >= 2 and bool((blind_spot > 0).all()),
                "`blind_spot` is at least 2 by 2 and positive")
    assert_true(bool(blind_spot.max() - blind_spot.min() > 1e-3),
                "the entries of `blind_spot` are not all equal")
    ### BEGIN HIDDEN TESTS
    assert_close(attempts['no keepdim'](blind_spot), attempts['keepdim'](blind_spot),
                 "'no keepdim' on `blind_spot`",
                 rtol=0, atol=1e-5, hint="Being symmetric is not enough: compare the two results.")
    ### END HIDDEN TESTS
total()

# %% [markdown]
# For a symmetric matrix the sums along the two axes are equal, so the wrong result is the transpose of the
# right one: its columns add up to 1. Only where all rows have the same sum is nothing wrong to be seen.

# %% tags=["demo"]
A = torch.tensor([[1., 4.], [4., 2.]])
wrong, right = A / A.sum(axis=1), A / A.sum(axis=1, keepdim=True)
print('wrong = right:', torch.equal(wrong, right), '| wrong = right transposed:',
      torch.allclose(wrong, right.T))

# %% [markdown]
# ### Distances in a city

# %% [markdown] task="2.3.7a" kind="code" minutes=8 difficulty=2
# ### From corner to corner
#
# In a city of avenues and streets one walks along the blocks. A corner is a pair of whole numbers (avenue,
# street).
#
# Write `walking_distance(P, Q, blocks)`: `P` and `Q` have shape `(n, 2)`, one corner in each row, in any
# integer dtype, also `uint8`, which has no negative numbers. `blocks` is a pair: the distance in metres from
# one avenue to the next, and from one street to the next. It returns the lengths in metres of the shortest
# walks from each corner of `P` to the corner in the same row of `Q`: floating point, shape `(n,)`.
#
# **You are done when** the check shows the walk from (1, 2) to (4, 6) with blocks of 280 m and 80 m.

# %% exercise="2.3.7a"
def walking_distance(P, Q, blocks):
    """The shortest walks along the blocks between the corners P and Q, each (n, 2): metres, (n,)."""
    ### BEGIN SOLUTION
    return (P.double() - Q.double()).abs() @ torch.tensor(blocks, dtype=torch.float64)
    ### END SOLUTION

# %% [markdown] hints="2.3.7a"
# 1. How many avenues and how many streets lie between the two corners? Does the direction matter?
# 2. This is a 1-norm with a weight for each coordinate. Convert before you subtract: in `uint8`,
#    1 - 4 gives 253.
# 3. Another case: from (0, 0) to (-2, 1) with blocks of 100 m and 50 m it is 2 · 100 + 1 · 50 = 250 m.

# %% check="2.3.7a" points=2
start, goal = torch.tensor([[1, 2], [5, 5]]), torch.tensor([[4, 6], [5, 5]])
assert_shape(walking_distance(start, goal, (280., 80.)), (2,), "the shape for two pairs of corners")
assert_close([float(d) for d in walking_distance(start, goal, (280., 80.))], [1160., 0.],
             "from (1, 2) to (4, 6), and no walk at all",
             mistakes={"This is the straight line, through the houses.": [(840 ** 2 + 320 ** 2) ** 0.5, 0.],
                       "Avenues and streets have their own block lengths, in the order given.":
                       [3 * 80. + 4 * 280., 0.],
                       "Streets have a block length of their own.": [7 * 280., 0.],
                       "These are blocks; asked for are metres.": [7., 0.]})
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(237)
start, goal = (torch.randint(-20, 20, (5, 2), generator=rng) for _ in range(2))
metres = [sum(abs(int(a) - int(b)) * w for a, b, w in zip(p, q, (90.5, 210.))) for p, q in zip(start, goal)]
assert_close([float(d) for d in walking_distance(start, goal, (90.5, 210.))], metres,
             "five pairs of corners, some negative",
             rtol=1e-4)
small = torch.tensor([[1, 9], [200, 0]], dtype=torch.uint8)
assert_close([float(d) for d in walking_distance(small, small.flip(0), (1., 10.))], [289., 289.],
             "corners as uint8", rtol=1e-4, hint="uint8 has no negative numbers: convert before you subtract.")
same = torch.tensor([[0, 3], [4, 0]])
assert_close([float(d) for d in walking_distance(same, torch.zeros(2, 2, dtype=torch.int64), (1., 1.))],
             [3., 4.],
             "two walks from the origin, square blocks")
### END HIDDEN TESTS

# %% [markdown] task="2.3.7b" kind="answer" minutes=6 difficulty=2
# ### Can one walk diagonally?
#
# Blocks are 1 by 1. You go from (0, 0) to (3, 4) on a staircase of k equal steps: k times 3/k to the east and
# 4/k to the north. With many steps the staircase can hardly be told from the straight line.
#
# Set `stairs` to the lengths of the staircases with k = 1, 10 and 1000 steps, a tuple of three numbers, and
# `straight` to the length of the straight line.
#
# **You are done when** the check shows the length for k = 1, and numbers for the others.

# %% exercise="2.3.7b"
### BEGIN SOLUTION
stairs = (7., 7., 7.)
straight = 5.
### END SOLUTION

# %% [markdown] hints="2.3.7b"
# 1. How far do you go to the east in all, with k steps?
# 2. The 1-norm of a sum of steps in the same directions is the sum of their 1-norms.
# 3. Another case: from (0, 0) to (1, 1) each staircase has length 2, the straight line 1.414.

# %% check="2.3.7b" points=1
assert_equal(len(stairs), 3, "the number of staircases")
assert_close(stairs[0], 7., "the staircase of one step")
assert_type(straight, (int, float, torch.Tensor), "`straight`")
### BEGIN HIDDEN TESTS
for k, length in zip((10, 1000), stairs[1:]):
    assert_close(length, k * (3 / k + 4 / k), f"the staircase of {k} steps", rtol=1e-4,
                 hint="It looks like the diagonal, but add up its steps.")
assert_close(straight, float(torch.dist(torch.zeros(2), torch.tensor([3., 4.]))), "the straight line",
             rtol=1e-4)
### END HIDDEN TESTS

# %% [markdown]
# A staircase never becomes the diagonal, however fine it is: in the 1-norm there is no shorter way than the
# blocks. Only a street that runs diagonally would help.

# %% tags=["demo"]
d2l.set_figsize((4, 4))
for k in (1, 4, 40):
    east, north = (torch.arange(2 * k + 1) + 1) // 2 * 3 / k, torch.arange(2 * k + 1) // 2 * 4 / k
    length = (east.diff().abs() + north.diff().abs()).sum()
    d2l.plt.plot(east, north, label=f'{k} steps: {length:.3f}')
d2l.plt.plot([0, 3], [0, 4], 'k--', label='straight: 5')
d2l.plt.legend();

# %% [markdown]
# ### Sums over several axes

# %% [markdown] task="2.3.8" kind="code" minutes=10 difficulty=2 core=true
# ### The shape of a sum
#
# Write `shape_of_sum(shape, axes, keepdim)`: the shape, as a tuple, of `X.sum(dim=axes, keepdim=keepdim)` for
# a tensor `X` of this `shape`. `axes` is a tuple of one or more different axes; -1 is the last one. Make no
# tensor: a rule is asked for, which also works for shapes that would not fit into memory.
#
# **You are done when** the check shows the shapes for sums of (2, 3, 4) over each axis, and over the first two.

# %% exercise="2.3.8"
def shape_of_sum(shape, axes, keepdim):
    """The shape that is left of `shape` when the axes are summed; with keepdim they stay with length 1."""
    ### BEGIN SOLUTION
    gone = {axis % len(shape) for axis in axes}
    if keepdim:
        return tuple(1 if i in gone else n for i, n in enumerate(shape))
    return tuple(n for i, n in enumerate(shape) if i not in gone)
    ### END SOLUTION

# %% [markdown] hints="2.3.8"
# 1. Which axes are left when you sum along axis 1 of (2, 3, 4)?
# 2. `axis % len(shape)` turns -1 into the number of the last axis. `enumerate(shape)` gives each axis with
#    its number.
# 3. Another case: the mean over the axes (0, 2, 3) of images of shape (32, 3, 28, 28) has one number for each
#    channel: (3,).

# %% check="2.3.8" points=2
for axis, wanted in ((0, (3, 4)), (1, (2, 4)), (2, (2, 3))):
    assert_equal(shape_of_sum((2, 3, 4), (axis,), False), wanted,
                 f"the shape of the sum of (2, 3, 4) over axis {axis}")
assert_equal(shape_of_sum((2, 3, 4), (1,), True), (2, 1, 4), "the same over axis 1 with keepdim")
assert_equal(shape_of_sum((2, 3, 4), (0, 1), False), (4,), "shape (2, 3, 4), axes (0, 1), keepdim=False",
             hint="The numbers of both axes are those in (2, 3, 4), before either of them is gone.")
### BEGIN HIDDEN TESTS
for shape, axes in (((2, 3, 4), (0, 2)), ((2, 3, 4), (0, 1, 2)), ((5, 1, 4, 3), (-1,)),
                    ((5, 1, 4, 3), (-2, 0)), ((7,), (0,)),
                    ((3, 0, 2), (1,)), ((2, 2, 2), (2, 1)), ((6, 5), (-1, 0))):
    for keep in (False, True):
        truth = tuple(torch.zeros(shape).sum(dim=axes, keepdim=keep).shape)
        assert_equal(shape_of_sum(shape, axes, keep), truth, f"shape {shape}, axes {axes}, keepdim={keep}")
assert_equal(shape_of_sum((10 ** 6, 10 ** 6, 10 ** 6), (1,), False), (10 ** 6, 10 ** 6),
             "a tensor that fits into no memory")
### END HIDDEN TESTS

# %% [markdown]
# ### Norms of larger tensors

# %% [markdown] task="2.3.9a" kind="code" minutes=6 difficulty=2 core=true
# ### One length for any tensor
#
# `torch.linalg.norm(X)` of a tensor with three or more axes is the 2-norm of all its entries in one long
# vector. It wants floating-point numbers and raises on integers.
#
# Write `norm_any(X)`: this number, as a tensor without axes, for any number of axes and also for integer
# tensors.
#
# **You are done when** the check shows 3 for a tensor of shape (1, 3, 1) with the entries 2, -1 and 2, as
# integers.

# %% exercise="2.3.9a"
def norm_any(X):
    """The 2-norm of all entries of X, of any shape and any real dtype: a floating-point tensor without axes."""
    ### BEGIN SOLUTION
    return torch.linalg.norm(X if X.is_floating_point() else X.double())
    ### END SOLUTION

# %% [markdown] hints="2.3.9a"
# 1. What must be done with integers first?
# 2. The 2-norm is the root of the sum of the squares. `X.is_floating_point()` tells the dtype's kind.
# 3. Another case, the 1-norm of everything: `X.abs().sum()`, whatever the shape.

# %% check="2.3.9a" points=2
assert_close(float(norm_any(torch.tensor([[[2], [-1], [2]]]))), 3.,
             "the norm of the integers 2, -1, 2 in shape (1, 3, 1)", rtol=1e-5,
             mistakes={"This is the sum of the absolute values.": 5., "The root is missing.": 9.})
assert_close(float(norm_any(torch.tensor([[1., 2.], [4., 2.]]))), 5.,
             "the norm of the matrix ((1, 2), (4, 2))", rtol=1e-5,
             mistakes={"This is the spectral norm, the largest stretch.":
                       float(torch.linalg.norm(torch.tensor([[1., 2.], [4., 2.]]), 2))})
assert_shape(norm_any(torch.ones(2, 2, 3)), (), "the shape of the norm")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(239)
for shape in ((7,), (3, 5), (2, 3, 4), (2, 1, 3, 2), ()):
    sample = torch.randn(shape, generator=rng, dtype=torch.float64)
    assert_close(float(norm_any(sample)), float(np.sqrt((sample.numpy() ** 2).sum())),
                 f"random numbers of shape {shape}", rtol=1e-5)
for dtype in (torch.int64, torch.uint8, torch.int16):
    sample = torch.randint(0, 200, (4, 2, 5), generator=rng).to(dtype)
    truth = float(np.sqrt((sample.numpy().astype(float) ** 2).sum()))
    assert_close(float(norm_any(sample)), truth,
                 f"integers below 200 of dtype {str(dtype).removeprefix('torch.')}", rtol=1e-5,
                 hint="Squares and sums of small integer dtypes overflow: convert first.")
### END HIDDEN TESTS

# %% tags=["setup"]
_floats = torch.randn(2, 3, 4, generator=torch.Generator().manual_seed(0))
_wholes = torch.arange(24).reshape(2, 3, 4)
calls = {
    'a': lambda: torch.linalg.norm(_floats),
    'b': lambda: torch.linalg.norm(_floats, ord=2),
    'c': lambda: torch.linalg.norm(_floats[0]),
    'd': lambda: torch.linalg.norm(_floats[0], ord=2),
    'e': lambda: torch.linalg.norm(_wholes),
    'f': lambda: np.linalg.norm(_wholes.numpy()),
    'g': lambda: np.linalg.norm(_wholes.numpy(), ord=1),
    'h': lambda: torch.linalg.vector_norm(_floats, ord=2),
}

# %% [markdown] task="2.3.9b" kind="answer" minutes=10 difficulty=3
# ### Eight calls
#
# The cell above makes a floating-point and an integer tensor of shape (2, 3, 4), and eight calls;
# `calls['a']()` makes the first. Set `norms` to a dictionary with the keys `'a'` to `'h'`. Each value is
#
# - `'entries'`, where the call gives the 2-norm of all entries;
# - `'spectral'`, where it gives the spectral norm of a matrix, its largest stretch;
# - `'error'`, where it raises an error.
#
# Predict first, then try.
#
# **You are done when** the check shows eight answers, and the first right.

# %% exercise="2.3.9b"
### BEGIN SOLUTION
norms = {'a': 'entries', 'b': 'error', 'c': 'entries', 'd': 'spectral', 'e': 'error', 'f': 'entries',
         'g': 'error', 'h': 'entries'}
### END SOLUTION

# %% [markdown] hints="2.3.9b"
# 1. `ord` chooses a norm. For which numbers of axes does the documentation of `torch.linalg.norm` define one?
# 2. Without `ord`, the tensor is flattened. With `ord=2`, a matrix is taken for a map. NumPy turns integers
#    into floats.
# 3. Another case: `torch.linalg.norm(x, ord=1)` of a vector with 2 and -3 is 5; of a matrix it is the largest
#    column sum.

# %% check="2.3.9b" points=2
assert_equal(sorted(norms), list('abcdefgh'), "the keys of `norms`")
assert_equal(norms['a'], 'entries', "call a, a floating-point tensor with three axes")
### BEGIN HIDDEN TESTS
for key, about in {'b': "three axes with ord=2", 'c': "a matrix without ord", 'd': "a matrix with ord=2",
                   'e': "integers in torch", 'f': "integers in NumPy", 'g': "three axes with ord=1 in NumPy",
                   'h': "vector_norm of three axes"}.items():
    try:
        value = float(calls[key]())
        tensor = _floats[0] if key in 'cd' else _wholes.double() if key == 'f' else _floats
        found = 'entries' if abs(value - float(tensor.square().sum().sqrt())) < 1e-3 else 'spectral'
    except (RuntimeError, ValueError):
        found = 'error'
    assert_equal(norms[key], found, f"call {key}, {about}")
### END HIDDEN TESTS

# %% tags=["demo"]
for key in 'abeg':
    try:
        print(key, float(calls[key]()))
    except (RuntimeError, ValueError) as error:
        print(key, type(error).__name__, error)

# %% [markdown]
# ### The order of products
#
# (AB)C and A(BC) are the same matrix, and may cost very different amounts of work and memory. The product of
# (n, k) and (k, m) takes n k m multiplications and makes n m numbers.

# %% [markdown] task="2.3.10a" kind="code" minutes=10 difficulty=2 core=true
# ### Count before you multiply
#
# Write `chain_cost(p, q, r, s)` for matrices A, B, C of shapes (p, q), (q, r) and (r, s). It returns two
# pairs `(multiplications, bytes)`, the first for (AB)C, the second for A(BC): the number of multiplications
# of both products together, and the memory in bytes of the matrix in between, in `float32`. All are whole
# numbers.
#
# **You are done when** the check shows the two costs for 2 by 3, 3 by 4 and 4 by 5, which you can count by
# hand.

# %% exercise="2.3.10a"
def chain_cost(p, q, r, s):
    """((multiplications, bytes in between) of (AB)C, the same of A(BC)) for shapes (p, q), (q, r), (r, s)."""
    ### BEGIN SOLUTION
    return (p * q * r + p * r * s, 4 * p * r), (q * r * s + p * q * s, 4 * q * s)
    ### END SOLUTION

# %% [markdown] hints="2.3.10a"
# 1. Which shape has AB? How many multiplications does AB take, how many does its product with C take?
# 2. A `float32` number takes 4 bytes. The matrix in between is AB in the one case, BC in the other.
# 3. Another case: (2, 3) times (3, 4) takes 24 multiplications and makes 8 numbers of together 32 bytes.

# %% check="2.3.10a" points=2
assert_equal(chain_cost(2, 3, 4, 5)[0], (64, 32), "(AB)C for p, q, r, s = 2, 3, 4, 5",
             mistakes={"This is AB alone; its product with C comes on top.": (24, 32),
                       "The multiplications of the two products are added, not multiplied.": (960, 32),
                       "This is A(BC).": (90, 60),
                       "Only the multiplications are counted, not the additions.": (128, 32),
                       "The bytes: 4 for each number.": (64, 8),
                       "A `float32` number takes 4 bytes, not 8.": (64, 64)})
assert_equal(chain_cost(2, 3, 4, 5)[1], (90, 60), "A(BC) for p, q, r, s = 2, 3, 4, 5")
### BEGIN HIDDEN TESTS
def counted(n, k, m):
    return sum(1 for _ in range(n) for _ in range(m) for _ in range(k))

for p, q, r, s in ((5, 2, 7, 3), (1, 6, 1, 4), (8, 1, 3, 1)):
    first, second = chain_cost(p, q, r, s)
    between = [torch.zeros(p, q) @ torch.zeros(q, r), torch.zeros(q, r) @ torch.zeros(r, s)]
    assert_equal(first, (counted(p, q, r) + counted(p, r, s), between[0].nbytes), f"(AB)C for {(p, q, r, s)}")
    assert_equal(second, (counted(q, r, s) + counted(p, q, s), between[1].nbytes),
                 f"A(BC) for {(p, q, r, s)}")
large = chain_cost(2 ** 10, 2 ** 16, 2 ** 5, 2 ** 14)
assert_equal(large[0], (2_684_354_560, 131_072), "(AB)C for large matrices")
assert_equal(large[1], (1_133_871_366_144, 4_294_967_296), "A(BC) for large matrices")
### END HIDDEN TESTS

# %% [markdown]
# For shapes (1024, 65536), (65536, 32), (32, 16384): 2.684e9 multiplications and 128 KiB in between for
# (AB)C, 1.134e12 and 4 GiB for A(BC), 422 times as many. Do not run the second. Here is the ratio, and both
# ways for matrices that are small enough:

# %% tags=["demo"]
p, q, r, s = 2 ** 10, 2 ** 16, 2 ** 5, 2 ** 14
left, left_bytes = p * q * r + p * r * s, 4 * p * r
right, right_bytes = q * r * s + p * q * s, 4 * q * s
print(f'{left:.4g} and {right:.4g} multiplications, ratio {right / left:.1f};',
      f'{left_bytes / 2 ** 10:g} KiB and {right_bytes / 2 ** 30:g} GiB in between')
A, B, C = torch.randn(64, 2048), torch.randn(2048, 8), torch.randn(8, 1024)
threads = torch.get_num_threads()
torch.set_num_threads(1)    # on a busy machine, threads that wait for each other would be what is timed
for name, product in (('(AB)C', lambda: (A @ B) @ C), ('A(BC)', lambda: A @ (B @ C))):
    timer = d2l.Timer()
    for _ in range(20):
        timer.start()
        product()
        timer.stop()
    print(f'{name}: {min(timer.times) * 1000:.2f} ms, the best of 20')
torch.set_num_threads(threads)

# %% [markdown] task="2.3.10b" kind="code" minutes=8 difficulty=3
# ### The cheaper way
#
# Write `chain(A, B, C)`: the product ABC of three matrices, in the order that takes fewer multiplications.
# The check counts them.
#
# **You are done when** the check shows the right product, and that it took no more multiplications than the
# better order.

# %% exercise="2.3.10b"
def chain(A, B, C):
    """The matrix product A B C, by the cheaper of the two orders."""
    ### BEGIN SOLUTION
    (p, q), (r, s) = A.shape, C.shape
    if p * q * r + p * r * s <= q * r * s + p * q * s:
        return (A @ B) @ C
    return A @ (B @ C)
    ### END SOLUTION

# %% [markdown] hints="2.3.10b"
# 1. What do the shapes of A and C tell you before anything is multiplied?
# 2. Compare the two counts of the exercise before. `torch.linalg` has a function for it, too.
# 3. Another case: shapes (5, 1), (1, 5) and (5, 1) take 25 + 25 multiplications from the left and 5 + 5 from the
#    right.

# %% check="2.3.10b" points=2
@probe
def work(A, B, C):
    from torch.utils.flop_counter import FlopCounterMode
    with FlopCounterMode(display=False) as counter:
        product = chain(A, B, C)
    return product, counter.get_total_flops() // 2      # an addition goes with each multiplication

A1, B1, C1 = torch.ones(2, 30), torch.ones(30, 3), torch.ones(3, 40)
product, multiplications = work(A1, B1, C1)
assert_close(product, torch.full((2, 40), 90.), "the product of three matrices of ones")
assert_true(multiplications <= 420,
            f"the number of multiplications, {multiplications}, is at most 420, as for (AB)C")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2310)
for p, q, r, s in ((40, 3, 50, 2), (2, 60, 5, 70), (7, 9, 8, 6), (1, 30, 20, 10), (30, 4, 6, 1),
                   (3, 3, 50, 4), (10, 1, 10, 200)):
    matrices = [torch.randn(shape, generator=rng) for shape in ((p, q), (q, r), (r, s))]
    product, multiplications = work(*matrices)
    best = min(p * q * r + p * r * s, q * r * s + p * q * s)
    truth = matrices[0].double() @ matrices[1].double() @ matrices[2].double()
    assert_close(product.double(), truth, f"the product for p, q, r, s = {p}, {q}, {r}, {s}", rtol=1e-3,
                 atol=1e-3)
    assert_true(multiplications <= best,
                f"no more multiplications than the better order takes, for p, q, r, s = {p}, {q}, {r}, {s}")
### END HIDDEN TESTS

# %% [markdown]
# ### The order in memory
#
# A tensor's numbers lie in one long row in memory. The *strides* say how many numbers to step over to get to
# the next entry along each axis. A fresh (m, n) matrix has the strides (n, 1): the next column is one step
# away, the next row n steps. `B.T` has the same memory with the strides in the other order; `contiguous()`
# copies into rows again.

# %%
B = torch.arange(6.).reshape(2, 3)
print(B.stride(), B.T.stride(), B.T.contiguous().stride())
print('same memory:', B.T.data_ptr() == B.data_ptr(), B.T.contiguous().data_ptr() == B.data_ptr())

# %% [markdown] task="2.3.11a" kind="explain" minutes=15 difficulty=4
# ### AB against ACᵀ
#
# `A` has shape (p, q), `B` (q, r), and `C` (r, q). One program computes `A @ B`, another `A @ C.T`. Both do
# the same number of multiplications. Explain, in three or four sentences: what differs, and does it make one
# of them slower? What changes if `C` was made by `C = B.T`, without copying?
#
# For the machine: write `strides(q, r)`. For a fresh matrix `B` of shape (q, r) it returns a list of four
# pairs: the strides of `B`; of `B.T`; of `C.T`, where `C` is a *fresh* matrix of shape (r, q); and of `C.T`,
# where `C = B.T`. q and r are at least 2.
#
# **You are done when** the check shows the first pair for q = 2, r = 3, as in the cell above, and four pairs.

# %% exercise="2.3.11a"
def strides(q, r):
    """The strides of B (q, r); of B.T; of C.T for a fresh C (r, q); of C.T for C = B.T: a list of four pairs."""
    ### BEGIN SOLUTION
    return [(r, 1), (1, r), (1, q), (r, 1)]
    ### END SOLUTION

# %% [markdown] written="2.3.11a" points=4
# ### BEGIN SOLUTION
# The arithmetic is the same, p q r multiplications; the order of the second factor in memory differs. `C.T`
# is a view: the numbers that are summed, the columns of `C.T`, lie side by side in memory (they are rows of
# `C`), while columns of `B` have stride r. A naive triple loop therefore runs faster for ACᵀ, since it walks
# through memory in order. torch's matrix product does not: it copies blocks of both factors into the cache in
# the order that it needs and is told which factor is transposed, so no copy of `C.T` is made and the times
# are nearly equal; a measurement decides. With `C = B.T` without a copy, `C.T` has the shape, the strides and
# the memory of `B`: it is the same call as `A @ B`. A change of `C` then changes `B`, too.
#
# **Rubric**
# - [1] The same number of multiplications, but another order in memory: C.T is a view with swapped strides,
#   no copy.
# - [1] Says which order sums along neighbours (rows of C) and why that favours the cache; also accepted: "B
#   must be read column-wise".
# - [1] Says that a library that works in blocks hides most of it, or gives a measurement. "ACᵀ is slower
#   because the transpose takes time" is the misconception that loses it.
# - [1] C = B.T shares memory, and C.T then has B's strides, so that the two calls are the same.
# ### END SOLUTION

# %% [markdown] hints="2.3.11a"
# 1. Which entries of the second factor does one entry of the product need, and how far apart do they lie?
# 2. Transposing swaps the strides. Twice swapped is as before.
# 3. Another case: a fresh (5, 4) matrix has the strides (4, 1), its transpose (1, 4).

# %% check="2.3.11a" points=1
assert_equal(len(strides(2, 3)), 4, "the number of pairs")
assert_equal(strides(2, 3)[0], (3, 1), "the strides of B for q = 2, r = 3")
### BEGIN HIDDEN TESTS
for q, r in ((2, 3), (7, 4), (3, 9), (5, 5)):
    fresh, other = torch.zeros(q, r), torch.zeros(r, q)
    for pair, tensor, name in zip(strides(q, r), (fresh, fresh.T, other.T, fresh.T.T),
                                  ("B", "B.T", "C.T for a fresh C", "C.T for C = B.T")):
        assert_equal(pair, tensor.stride(), f"the strides of {name}, for q = {q}, r = {r}")
### END HIDDEN TESTS

# %% tags=["demo"]
A, B = torch.randn(256, 8192), torch.randn(8192, 32)
C = B.T.contiguous()
torch.set_num_threads(1)
for name, product in (('A @ B', lambda: A @ B), ('A @ C.T, C in rows', lambda: A @ C.T),
                      ('A @ C.T, C = B.T', lambda: A @ B.T.T)):
    timer = d2l.Timer()
    for _ in range(20):
        timer.start()
        product()
        timer.stop()
    print(f'{name:20} {min(timer.times) * 1000:.2f} ms, the best of 20')
torch.set_num_threads(threads)

# %% [markdown] task="2.3.11b" kind="code" minutes=5 difficulty=2
# ### A transpose without a copy
#
# Write `shared_transpose(B)`: the transpose of a matrix, in the **same memory**, so that a change of the one
# is seen in the other.
#
# **You are done when** the check shows the right values, and the address of the first entry unchanged.

# %% exercise="2.3.11b"
def shared_transpose(B):
    """The transpose of B (m, n) as a view (n, m) of the same memory."""
    ### BEGIN SOLUTION
    return B.T
    ### END SOLUTION

# %% [markdown] hints="2.3.11b"
# 1. Which operations of torch return a view?
# 2. `clone()`, `contiguous()` and `torch.tensor(...)` copy. `reshape` shares memory, but keeps the order of
#    the entries.
# 3. Another case: `t[:, 1]` is a view of the second column; `t[:, [1]]` is a copy.

# %% check="2.3.11b" points=1
@probe
def transpose_and_move(B):
    C = shared_transpose(B)
    values = C.clone()
    apart = C.data_ptr() - B.data_ptr()
    B[0, 1] = 99.
    return values, apart, C.clone()

table = torch.tensor([[1., 2., 3.], [4., 5., 6.]])
values, apart, later = transpose_and_move(table.clone())
assert_close(values, table.T, "the transpose of a 2 by 3 matrix",
             mistakes={"The shape is right, but the entries stand in their old order: (i, j) belongs at (j, i).":
                       table.reshape(3, 2)})
assert_equal(apart, 0, "the distance in bytes from the first entry of B to that of its transpose",
             hint="The transpose lies elsewhere: it is a copy.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2311)
for shape in ((3, 5), (4, 4), (1, 6)):
    sample = torch.randn(shape, generator=rng)
    values, apart, later = transpose_and_move(sample.clone())
    assert_close(values, sample.T, f"the transpose of a {shape[0]} by {shape[1]} matrix")
    assert_equal(apart, 0, f"the distance in bytes of the first entries, shape {shape}", hint="It is a copy.")
    sample[0, 1] = 99.
    assert_close(later, sample.T, f"the transpose after B was changed, shape {shape}")
### END HIDDEN TESTS

# %% [markdown]
# ### Stacking matrices
#
# `torch.stack(list, dim=d)` puts tensors of equal shape side by side along a **new** axis d. `torch.cat`
# joins along an axis that is there already. Three matrices of shape (100, 200) can be stacked in three ways.
# "The second slice of the third axis gives back the second matrix" is true for only one of them:

# %% tags=["demo"]
three = [torch.full((100, 200), float(k)) for k in (1, 2, 3)]
for d in range(3):
    stacked = torch.stack(three, dim=d)
    second = stacked[:, :, 1]
    same = second.shape == three[1].shape and torch.equal(second, three[1])
    print(f'dim={d}: stacked {tuple(stacked.shape)}, [:, :, 1] has shape {tuple(second.shape)}:',
          'the second matrix' if same else 'something else')

# %% [markdown] task="2.3.12a" kind="code" minutes=6 difficulty=2 core=true
# ### Stack so that the third axis counts
#
# Write `stack_last(matrices)`: for a list of k matrices of shape `(m, n)` it returns a tensor of shape
# `(m, n, k)`, in which `result[:, :, i]` is matrix number i.
#
# **You are done when** the check shows the shape for three matrices of 100 by 200, and that the second comes
# back.

# %% exercise="2.3.12a"
def stack_last(matrices):
    """k matrices (m, n) -> (m, n, k), where [:, :, i] is the i-th matrix."""
    ### BEGIN SOLUTION
    return torch.stack(matrices, dim=2)
    ### END SOLUTION

# %% [markdown] hints="2.3.12a"
# 1. Where is the new axis, and how long is it?
# 2. `torch.stack(tensors, dim=d)` makes the new axis number d. A `reshape` to (m, n, k) has the shape, but
#    mixes the entries.
# 3. Another case: two vectors of length 5, stacked along dim=1, make a (5, 2) matrix with the vectors as
#    columns.

# %% check="2.3.12a" points=1
rng = torch.Generator().manual_seed(1)
trio = [torch.randn(100, 200, generator=rng) for _ in range(3)]
assert_shape(stack_last(trio), (100, 200, 3), "the shape for three matrices of 100 by 200")
assert_close(stack_last(trio)[:, :, 1], trio[1], "the second slice of the third axis: the second matrix",
             hint="The shape is right, the entries are not where they belong.")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2312)
for m, n, k in ((3, 5, 4), (4, 4, 4), (2, 6, 1), (1, 3, 2)):
    pile = [torch.randn(m, n, generator=rng) for _ in range(k)]
    assert_shape(stack_last(pile), (m, n, k), f"the shape for {k} matrices of {m} by {n}")
    for i in range(k):
        assert_close(stack_last(pile)[:, :, i], pile[i], f"matrix {i} of {k} matrices of {m} by {n}")
### END HIDDEN TESTS

# %% [markdown] task="2.3.12b" kind="code" minutes=6 difficulty=2
# ### Take one out again
#
# Write `recover(stacked, i, dim)`: `stacked` was made by `torch.stack(tensors, dim=dim)`. It returns tensor
# number i. `dim` may be negative: -1 is the last axis of `stacked`.
#
# **You are done when** the check shows the second of three matrices for `dim` = 0, 1 and 2.

# %% exercise="2.3.12b"
def recover(stacked, i, dim):
    """The i-th of the tensors that were stacked along axis `dim`."""
    ### BEGIN SOLUTION
    return stacked.select(dim, i)
    ### END SOLUTION

# %% [markdown] hints="2.3.12b"
# 1. For `dim=1` you would write `stacked[:, i]`. What for any `dim`?
# 2. `tensor.select(dim, i)`, `tensor.movedim(dim, 0)[i]` and `tensor.unbind(dim)[i]` all take one slice of an
#    axis and drop it.
# 3. Another case: `t.narrow(1, 4, 2)` is `t[:, 4:6]`, for an axis whose number you have in a variable.

# %% check="2.3.12b" points=1
trio = [torch.arange(6.).reshape(2, 3) * k for k in (1, 10, 100)]
for d in range(3):
    assert_close(recover(torch.stack(trio, dim=d), 1, d), trio[1],
                 f"the second of three matrices, stacked along dim={d}")
### BEGIN HIDDEN TESTS
rng = torch.Generator().manual_seed(2313)
same = [torch.randn(4, 4, generator=rng) for _ in range(4)]
for d in (0, 1, 2, -1, -2, -3):
    for i in (0, 2, 3):
        assert_close(recover(torch.stack(same, dim=d), i, d), same[i],
                     f"matrix {i} of four 4 by 4 matrices, dim={d}")
cubes = [torch.randn(2, 3, 5, generator=rng) for _ in range(2)]
for d in (1, 3, -2):
    assert_close(recover(torch.stack(cubes, dim=d), 0, d), cubes[0],
                 f"the first of two tensors of shape (2, 3, 5), dim={d}")
### END HIDDEN TESTS
