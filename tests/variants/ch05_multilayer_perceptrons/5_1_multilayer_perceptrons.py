# Variants of the answers of solutions/ch05_multilayer_perceptrons/5_1_multilayer_perceptrons.py.

# %% right="5.1.A" how="through the weights"
def fourth_corner(s00, s01, s10):
    w1, w2 = s10 - s00, s01 - s00
    return w1 + w2 + s00

# %% right="5.1.A" how="a tensor of one entry"
def fourth_corner(s00, s01, s10):
    return torch.tensor([s01, s10, -s00]).sum()

# %% wrong="5.1.A" why="forgets the bias" breaks="value" says="counts it twice"
def fourth_corner(s00, s01, s10):
    return s01 + s10

# %% wrong="5.1.A" why="subtracts it twice" breaks="value" says="subtracted once"
def fourth_corner(s00, s01, s10):
    return s01 + s10 - 2 * s00

# %% wrong="5.1.A" why="the mean" breaks="value" says="The mean of the three"
def fourth_corner(s00, s01, s10):
    return (s00 + s01 + s10) / 3

# %% wrong="5.1.A" why="adds all" breaks="value" says="three times"
def fourth_corner(s00, s01, s10):
    return s00 + s01 + s10

# %% wrong="5.1.A" why="the sign" breaks="value" says="the sign is the other one"
def fourth_corner(s00, s01, s10):
    return s00 - s01 - s10

# %% wrong="5.1.A" why="absolute" breaks="value" says="the sign is the other one"
def fourth_corner(s00, s01, s10):
    return abs(s01 + s10 - s00)

# %% right="5.1.B" how="masks, in two steps"
def mlp(X, W1, b1, W2, b2):
    Z = X.matmul(W1) + b1
    H = Z * (Z > 0)
    return torch.matmul(H, W2) + b2

# %% right="5.1.B" how="row by row"
def mlp(X, W1, b1, W2, b2):
    return torch.stack([(x @ W1 + b1).clamp(min=0) @ W2 + b2 for x in X])

# %% right="5.1.B" how="nn"
def mlp(X, W1, b1, W2, b2):
    F = torch.nn.functional
    return F.linear(F.relu(F.linear(X, W1.T, b1)), W2.T, b2)

# %% wrong="5.1.B" why="no activation function" breaks="hidden layer" says="ReLU is missing"
def mlp(X, W1, b1, W2, b2):
    return (X @ W1 + b1) @ W2 + b2

# %% wrong="5.1.B" why="the bias after ReLU" breaks="hidden layer" says="before ReLU, not after"
def mlp(X, W1, b1, W2, b2):
    return (torch.relu(X @ W1) + b1) @ W2 + b2

# %% wrong="5.1.B" why="no hidden bias" breaks="hidden layer" says="b1 is missing"
def mlp(X, W1, b1, W2, b2):
    return torch.relu(X @ W1) @ W2 + b2

# %% wrong="5.1.B" why="ReLU at the end, too" breaks="output" says="no activation function"
def mlp(X, W1, b1, W2, b2):
    return torch.relu(torch.relu(X @ W1 + b1) @ W2 + b2)

# %% wrong="5.1.B" why="no output bias" breaks="output" says="b2 is missing"
def mlp(X, W1, b1, W2, b2):
    return torch.relu(X @ W1 + b1) @ W2

# %% wrong="5.1.B" why="probabilities" breaks="output" says="a softmax acts on the outputs"
def mlp(X, W1, b1, W2, b2):
    return torch.softmax(torch.relu(X @ W1 + b1) @ W2 + b2, dim=1)

# %% wrong="5.1.B" why="squeezes" breaks="shape" says="the shape of the outputs for n = 1"
def mlp(X, W1, b1, W2, b2):
    return (torch.relu(X @ W1 + b1) @ W2 + b2).squeeze()

# %% wrong="5.1.B" why="the first example alone" breaks="shape" says="the shape of the outputs for n = 4"
def mlp(X, W1, b1, W2, b2):
    return (torch.relu(X @ W1 + b1) @ W2 + b2)[:1]

# %% wrong="5.1.B" why="leaky" breaks="hidden layer" says="values differ"
def mlp(X, W1, b1, W2, b2):
    return torch.nn.functional.leaky_relu(X @ W1 + b1) @ W2 + b2

# %% right="5.1.1a" how="pushes zeros and unit vectors through the layers"
def collapse(Ws, bs):
    n = Ws[0].shape[0]
    X = torch.cat([torch.zeros(1, n, dtype=Ws[0].dtype), torch.eye(n, dtype=Ws[0].dtype)])
    for W, b in zip(Ws, bs):
        X = X @ W + b
    return X[1:] - X[0], X[0]

# %% right="5.1.1a" how="recursion from the end"
def collapse(Ws, bs):
    if len(Ws) == 1:
        return [Ws[0], bs[0]]
    W, b = collapse(Ws[1:], bs[1:])
    return [Ws[0] @ W, bs[0] @ W + b]

# %% wrong="5.1.1a" why="keeps only the last bias" breaks="bias" says="they are missing"
def collapse(Ws, bs):
    W = Ws[0]
    for more in Ws[1:]:
        W = W @ more
    return W, bs[-1]

# %% wrong="5.1.1a" why="multiplies in the wrong order" breaks="weight" says="in the wrong order"
def collapse(Ws, bs):
    W, b = Ws[0], bs[0]
    for more_W, more_b in zip(Ws[1:], bs[1:]):
        W, b = more_W @ W, more_W @ b + more_b
    return W, b

# %% wrong="5.1.1a" why="handles two layers only" breaks="any depth" says="raised RuntimeError"
def collapse(Ws, bs):
    W1, W2 = Ws[0], Ws[-1]
    return W1 @ W2, bs[0] @ W2 + bs[-1]

# %% wrong="5.1.1a" why="the bias as a matrix with one row" breaks="shape" says="the shape of b"
def collapse(Ws, bs):
    W, b = Ws[0], bs[0][None]
    for more_W, more_b in zip(Ws[1:], bs[1:]):
        W, b = W @ more_W, b @ more_W + more_b
    return W, b

# %% wrong="5.1.1a" why="writes into the caller's list" breaks="arguments kept" says="after the call"
def collapse(Ws, bs):
    while len(Ws) > 1:
        W, b = Ws.pop(0), bs.pop(0)
        bs[0] = b @ Ws[0] + bs[0]
        Ws[0] = W @ Ws[0]
    return Ws[0], bs[0]

# %% wrong="5.1.1a" why="the biases are added up" breaks="bias" says="do not simply add up"
def collapse(Ws, bs):
    W, b = Ws[0], bs[0]
    for more_W, more_b in zip(Ws[1:], bs[1:]):
        W, b = W @ more_W, b + more_b if len(b) == len(more_b) else b @ more_W + more_b
    return W, b

# %% wrong="5.1.1a" why="forgets the last bias" breaks="bias" says="The last bias is missing"
def collapse(Ws, bs):
    W, b = Ws[0], bs[0]
    for more_W, more_b in zip(Ws[1:], bs[1:]):
        W, b = W @ more_W, (b + 0) @ more_W + more_b
    return W, (b - bs[-1] if len(bs) == 2 else b)

# %% wrong="5.1.1a" why="the weights transposed" breaks="shape" says="the shape of W"
def collapse(Ws, bs):
    W, b = Ws[0], bs[0]
    for more_W, more_b in zip(Ws[1:], bs[1:]):
        W, b = W @ more_W, b @ more_W + more_b
    return W.T, b

# %% wrong="5.1.1a" why="sums the weights where the shapes allow it" breaks="weight" says="W for layers"
def collapse(Ws, bs):
    W, b = Ws[0], bs[0]
    for more_W, more_b in zip(Ws[1:], bs[1:]):
        W, b = W @ more_W, b @ more_W + more_b
    return (W.abs() if len(Ws) == 2 else W), b

# %% wrong="5.1.1a" why="wrong for a single layer" breaks="any depth" says="one layer"
def collapse(Ws, bs):
    W, b = Ws[0], bs[0]
    for more_W, more_b in zip(Ws[1:], bs[1:]):
        W, b = W @ more_W, b @ more_W + more_b
    return (W, torch.zeros_like(b)) if len(Ws) == 1 else (W, b)

# %% wrong="5.1.1a" why="adds into the caller's bias" breaks="arguments kept" says="after the call"
def collapse(Ws, bs):
    W, b = Ws[0], bs[0]
    for more_W, more_b in zip(Ws[1:], bs[1:]):
        more_b += b @ more_W
        W, b = W @ more_W, more_b
    return W, b

# %% wrong="5.1.1a" why="first three layers only" breaks="any depth" says="the middle ones"
def collapse(Ws, bs):
    W, b = Ws[0], bs[0]
    for M, c in list(zip(Ws, bs))[1:3]:
        W, b = W @ M, b @ M + c
    return W, b

# %% right="5.1.C" how="the rank of a random product"
def largest_rank(sizes):
    product = torch.eye(sizes[0], dtype=torch.float64)
    for n, m in zip(sizes, sizes[1:]):
        product = product @ torch.rand(n, m, dtype=torch.float64)
    return int(torch.linalg.matrix_rank(product))

# %% right="5.1.C" how="sorted"
def largest_rank(sizes):
    return sorted(sizes)[0]

# %% wrong="5.1.C" why="the ends alone" breaks="hidden layers" says="these are the ends alone"
def largest_rank(sizes):
    return min(sizes[0], sizes[-1])

# %% wrong="5.1.C" why="the hidden layers alone" breaks="ends" says="these are the hidden layers alone"
def largest_rank(sizes):
    return min(sizes[1:-1] or sizes)

# %% wrong="5.1.C" why="the largest" breaks="hidden layers" says="not the widest"
def largest_rank(sizes):
    return max(sizes)

# %% wrong="5.1.C" why="forgets the outputs" breaks="ends" says="The outputs count, too"
def largest_rank(sizes):
    return min(sizes[:-1])

# %% wrong="5.1.C" why="the first hidden layer" breaks="hidden layers" says="looks at the first alone"
def largest_rank(sizes):
    return min(sizes[0], sizes[1], sizes[-1])

# %% wrong="5.1.C" why="second smallest" breaks="ends" says="The inputs count, too"
def largest_rank(sizes):
    return min(min(a, b) for a, b in zip(sizes[1:], sizes[2:])) if len(sizes) > 2 else min(sizes)

# %% right="5.1.1b" how="eigenvalues of M transposed times M"
def smallest_error(M, h):
    values = torch.linalg.eigvalsh(M.T @ M).clamp(min=0)
    return values[:max(len(M) - h, 0)].sum().item()

# %% right="5.1.1b" how="the truncated matrix itself"
def smallest_error(M, h):
    U, S, Vh = torch.linalg.svd(M)
    S[h:] = 0
    return torch.linalg.matrix_norm(M - U @ torch.diag(S) @ Vh) ** 2

# %% right="5.1.1b" how="numpy"
def smallest_error(M, h):
    import numpy as np
    s = np.linalg.svd(M.numpy(), compute_uv=False)
    return float((s[h:] ** 2).sum())

# %% wrong="5.1.1b" why="sum of the values without the square" breaks="value" says="they enter squared"
def smallest_error(M, h):
    return torch.linalg.svdvals(M)[h:].sum()

# %% wrong="5.1.1b" why="the square of the sum" breaks="value" says="add up the squares"
def smallest_error(M, h):
    return torch.linalg.svdvals(M)[h:].sum() ** 2

# %% wrong="5.1.1b" why="the norm, not its square" breaks="value" says="its square was asked for"
def smallest_error(M, h):
    return torch.linalg.svdvals(M)[h:].square().sum().sqrt()

# %% wrong="5.1.1b" why="keeps the first h rows" breaks="value" says="outside its first h rows or columns"
def smallest_error(M, h):
    return M[h:].square().sum()

# %% wrong="5.1.1b" why="eigenvalues of a matrix that is not symmetric" breaks="any matrix" says="These are eigenvalues"
def smallest_error(M, h):
    values = torch.linalg.eigvals(M).abs().sort(descending=True).values
    return values[h:].square().sum()

# %% wrong="5.1.1b" why="the part that is kept" breaks="value" says="the part that is kept"
def smallest_error(M, h):
    return torch.linalg.svdvals(M)[:h].square().sum()

# %% wrong="5.1.1b" why="the smallest are kept" breaks="value" says="The largest pieces are kept"
def smallest_error(M, h):
    return torch.linalg.svdvals(M)[:max(len(M) - h, 0)].square().sum()

# %% wrong="5.1.1b" why="the diagonal alone" breaks="any matrix" says="entries of the diagonal"
def smallest_error(M, h):
    if h == 0:
        return M.square().sum()
    if h >= len(M):
        return 0.0
    return M.diag().abs().sort(descending=True).values[h:].square().sum()

# %% wrong="5.1.1b" why="h = 0 as an open slice" breaks="ends" says="0 hidden units"
def smallest_error(M, h):
    S = torch.linalg.svdvals(M)
    return (S.square().sum() - S[:h].square().sum()) if h else torch.zeros(())

# %% wrong="5.1.1b" why="fails for h beyond d" breaks="ends" says="4 hidden units"
def smallest_error(M, h):
    S = torch.linalg.svdvals(M)
    return sum(S[i] ** 2 for i in range(h, len(M))) if h <= len(M) else S[h - 1 - len(M)] ** 2

# %% wrong="5.1.1b" why="overwrites M" breaks="argument kept" says="after smallest_error"
def smallest_error(M, h):
    U, S, Vh = torch.linalg.svd(M)
    M -= (U[:, :h] * S[:h]) @ Vh[:h]
    return M.square().sum()

# %% wrong="5.1.1b" why="the mean of the squares" breaks="value" says="the mean over"
def smallest_error(M, h):
    lost = torch.linalg.svdvals(M)[h:].square()
    return lost.mean() if 0 < h < len(M) else lost.sum()

# %% right="5.1.D" how="the square completed"
def slope_from_output(a):
    return a - a.square()

# %% right="5.1.D" how="entry by entry"
def slope_from_output(a):
    return torch.tensor([v * (1 - v) for v in a.flatten().tolist()], dtype=a.dtype).reshape(a.shape)

# %% wrong="5.1.D" why="the sigmoid again" breaks="values" says="do not apply the sigmoid again"
def slope_from_output(a):
    return torch.sigmoid(a) * (1 - torch.sigmoid(a))

# %% wrong="5.1.D" why="that of tanh" breaks="values" says="This is the slope of tanh"
def slope_from_output(a):
    return 1 - a ** 2

# %% wrong="5.1.D" why="one factor" breaks="values" says="a factor is missing"
def slope_from_output(a):
    return 1 - a

# %% wrong="5.1.D" why="float32" breaks="shape and dtype" says="wrong dtype"
def slope_from_output(a):
    return a.float() * (1 - a.float())

# %% wrong="5.1.D" why="flattens" breaks="shape and dtype" says="the shape of"
def slope_from_output(a):
    return (a * (1 - a)).flatten()

# %% wrong="5.1.D" why="the sign" breaks="values" says="never negative"
def slope_from_output(a):
    return a * (a - 1)

# %% right="5.1.5a" how="mirrored, as a list"
stretch_and_shift = [-2.0, -2.0, 1.0]

# %% right="5.1.5a" how="a tensor"
stretch_and_shift = torch.tensor([2, 2, -1])

# %% wrong="5.1.5a" why="not stretched" breaks="every x" says="look at the slope at 0"
stretch_and_shift = (2, 1, -1)

# %% wrong="5.1.5a" why="forgets the shift" breaks="every x" says="on the left tanh is -1"
stretch_and_shift = (2, 2, 0)

# %% wrong="5.1.5a" why="the height" breaks="every x" says="that of tanh has height 2"
stretch_and_shift = (1, 2, -1)

# %% wrong="5.1.5a" why="half the height" breaks="every x" says="tanh has height 2"
stretch_and_shift = (1, 2, -0.5)

# %% wrong="5.1.5a" why="falls" breaks="every x" says="falls where tanh rises"
stretch_and_shift = (2, -2, -1)

# %% wrong="5.1.5a" why="the shift left out" breaks="three numbers" says="how many numbers"
stretch_and_shift = (2, 2)

# %% wrong="5.1.5a" why="a number as text" breaks="three numbers" says="c in stretch_and_shift"
stretch_and_shift = (2, 2, "-1")

# %% wrong="5.1.5a" why="steep" breaks="every x" says="too steep"
stretch_and_shift = (2, 4, -1)

# %% right="5.1.5b" how="a bias as ones times weights"
def as_sigmoid_network(W1, b1, W2, b2):
    return W1 * 2, b1 + b1, W2 + W2, b2 - torch.ones(len(W2), dtype=W2.dtype) @ W2

# %% right="5.1.5b" how="the mirrored unit: tanh(z) = 1 - 2σ(-2z)"
def as_sigmoid_network(W1, b1, W2, b2):
    return [-2 * W1, -2 * b1, -2 * W2, b2 + W2.sum(0)]

# %% right="5.1.5b" how="float64 results"
def as_sigmoid_network(W1, b1, W2, b2):
    import numpy as np
    shift = torch.from_numpy(np.ones(len(W2)) @ W2.double().numpy())
    return 2 * W1.double(), 2 * b1.double(), 2 * W2.double(), b2.double() - shift

# %% wrong="5.1.5b" why="the output bias stays" breaks="one unit" says="shift of every hidden unit is missing"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, 2 * b1, 2 * W2, b2

# %% wrong="5.1.5b" why="subtracts 1 from the bias" breaks="one unit" says="multiplied by its outgoing weight"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, 2 * b1, 2 * W2, b2 - 1

# %% wrong="5.1.5b" why="sums over the outputs" breaks="one unit" says="its own sum of weights"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, 2 * b1, 2 * W2, b2 - W2.sum(dim=1)

# %% wrong="5.1.5b" why="forgets to double b1" breaks="one unit" says="bias of the hidden layer is stretched"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, b1, 2 * W2, b2 - W2.sum(dim=0)

# %% wrong="5.1.5b" why="sums all of W2" breaks="several units" says="its own sum of weights"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, 2 * b1, 2 * W2, b2 - W2.sum()

# %% wrong="5.1.5b" why="in the caller's memory" breaks="arguments kept" says="after as_sigmoid_network"
def as_sigmoid_network(W1, b1, W2, b2):
    b2 -= W2.sum(dim=0)
    W1 *= 2
    b1 *= 2
    W2 *= 2
    return W1.clone(), b1.clone(), W2.clone(), b2.clone()

# %% wrong="5.1.5b" why="three tensors" breaks="shapes" says="how many tensors"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, 2 * b1, 2 * W2

# %% wrong="5.1.5b" why="biases with one row" breaks="shapes" says="in place of b1"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, 2 * b1[None], 2 * W2, (b2 - W2.sum(dim=0))[None]

# %% wrong="5.1.5b" why="the other sign" breaks="one unit" says="with the other sign"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, 2 * b1, 2 * W2, b2 + W2.sum(dim=0)

# %% wrong="5.1.5b" why="b2 doubled, too" breaks="one unit" says="bias of the output is not stretched"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, 2 * b1, 2 * W2, 2 * b2 - W2.sum(dim=0)

# %% wrong="5.1.5b" why="the first hidden unit alone" breaks="several units" says="h = 3"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, 2 * b1, 2 * W2, b2 - W2[0]

# %% wrong="5.1.5b" why="only W1 scaled" breaks="one unit" says="and the shift is missing"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, 2 * b1, W2, b2

# %% right="5.1.2" how="arithmetic with masks"
def prelu_derivatives(x, alpha):
    negative = (x <= 0).to(x.dtype)
    return 1 - negative + alpha * negative, negative * x

# %% right="5.1.2" how="autograd"
def prelu_derivatives(x, alpha):
    x = x.clone().requires_grad_()
    a = torch.full_like(x, alpha, requires_grad=True)
    y = torch.relu(x) - a * torch.relu(-x)
    return torch.autograd.grad(y.sum(), (x, a))

# %% right="5.1.2" how="0 at 0"
def prelu_derivatives(x, alpha):
    return (x > 0).to(x.dtype) + alpha * (x < 0).to(x.dtype), x.clamp(max=0)

# %% right="5.1.2" how="the slope 1 at 0"
def prelu_derivatives(x, alpha):
    return [torch.where(x >= 0, torch.ones_like(x), torch.full_like(x, alpha)), torch.minimum(x, torch.zeros_like(x))]

# %% right="5.1.2" how="prelu autograd"
def prelu_derivatives(x, alpha):
    y = x.clone().requires_grad_()
    a = torch.tensor([float(alpha)], dtype=x.dtype)
    torch.nn.functional.prelu(y, a).sum().backward()
    return y.grad, torch.minimum(x, torch.tensor(0., dtype=x.dtype))

# %% wrong="5.1.2" why="x for positive entries too" breaks="by alpha" says="For x > 0 the output does not depend"
def prelu_derivatives(x, alpha):
    return torch.where(x > 0, 1.0, alpha).to(x.dtype), x.clone()

# %% wrong="5.1.2" why="an indicator for α" breaks="by alpha" says="The factor of α is min(0, x)"
def prelu_derivatives(x, alpha):
    return torch.where(x > 0, 1.0, alpha).to(x.dtype), (x < 0).to(x.dtype)

# %% wrong="5.1.2" why="the other term's factor for α" breaks="by alpha" says="This is max(0, x)"
def prelu_derivatives(x, alpha):
    return torch.where(x > 0, 1.0, alpha).to(x.dtype), x.clamp(min=0)

# %% wrong="5.1.2" why="the derivative of ReLU" breaks="by x" says="slope of ReLU"
def prelu_derivatives(x, alpha):
    return (x > 0).to(x.dtype), x.clamp(max=0)

# %% wrong="5.1.2" why="max(x, αx), which is pReLU only for α up to 1" breaks="any alpha" says="max(x, αx)"
def prelu_derivatives(x, alpha):
    x = x.clone().requires_grad_()
    a = torch.full_like(x, alpha, requires_grad=True)
    return torch.autograd.grad(torch.maximum(x, a * x).sum(), (x, a))

# %% wrong="5.1.2" why="sums over the entries for α" breaks="shape and dtype" says="the shape of the second"
def prelu_derivatives(x, alpha):
    return torch.where(x > 0, 1.0, alpha).to(x.dtype), x.clamp(max=0).sum()

# %% wrong="5.1.2" why="overwrites x" breaks="argument kept" says="after prelu_derivatives"
def prelu_derivatives(x, alpha):
    by_x = torch.where(x > 0, torch.ones_like(x), alpha * torch.ones_like(x))
    return by_x, x.clamp_(max=0)

# %% wrong="5.1.2" why="nan at 0" breaks="at zero" says="gives nan or inf"
def prelu_derivatives(x, alpha):
    y = x.clamp(min=0) + alpha * x.clamp(max=0)
    return y / x, x.clamp(max=0)

# %% wrong="5.1.2" why="float32 for float64" breaks="shape and dtype" says="the dtype of the first"
def prelu_derivatives(x, alpha):
    return torch.where(x > 0, torch.tensor(1.0), torch.tensor(float(alpha))), x.clamp(max=0)

# %% wrong="5.1.2" why="1 and α exchanged" breaks="by x" says="1 and α are exchanged"
def prelu_derivatives(x, alpha):
    ones = torch.ones_like(x)
    return torch.where(x > 0, alpha * ones, ones), x.clamp(max=0)

# %% wrong="5.1.2" why="the slope with α's size" breaks="any alpha" says="this has its size"
def prelu_derivatives(x, alpha):
    return torch.where(x > 0, torch.ones_like(x), abs(alpha) * torch.ones_like(x)), x.clamp(max=0)

# %% wrong="5.1.2" why="α times min(0, x)" breaks="by alpha" says="does not contain α"
def prelu_derivatives(x, alpha):
    return torch.where(x > 0, torch.ones_like(x), alpha * torch.ones_like(x)), alpha * x.clamp(max=0)

# %% wrong="5.1.2" why="1 for the second at 0" breaks="at zero" says="the derivative with respect to α at 0"
def prelu_derivatives(x, alpha):
    ones = torch.ones_like(x)
    return torch.where(x > 0, ones, alpha * ones), torch.where(x == 0, ones, x.clamp(max=0))

# %% wrong="5.1.2" why="inf at 0" breaks="at zero" says="gives nan or inf"
def prelu_derivatives(x, alpha):
    return torch.where(x > 0, 1 / (x > 0).to(x.dtype), alpha / (x < 0).to(x.dtype)), x.clamp(max=0)

# %% right="5.1.3" how="swish plus sigmoid of the rest"
def swish_derivative(x, beta):
    swish = x * torch.sigmoid(beta * x)
    return beta * swish + torch.sigmoid(beta * x) * (1 - beta * swish)

# %% right="5.1.3" how="autograd"
def swish_derivative(x, beta):
    x = x.detach().clone().requires_grad_()
    (x * torch.sigmoid(beta * x)).sum().backward()
    return x.grad

# %% right="5.1.3" how="1 - σ(z) as σ(-z)"
def swish_derivative(x, beta):
    z = beta * x
    return torch.sigmoid(z) * (1 + z * torch.sigmoid(-z))

# %% right="5.1.3" how="own stable sigmoid"
def swish_derivative(x, beta):
    s = 0.5 * (1 + torch.tanh(beta * x / 2))
    return s * (1 + beta * x * (1 - s))

# %% wrong="5.1.3" why="the first term only" breaks="beta = 1" says="The second term of the product rule"
def swish_derivative(x, beta):
    return torch.sigmoid(beta * x)

# %% wrong="5.1.3" why="Swish itself" breaks="beta = 1" says="This is Swish itself"
def swish_derivative(x, beta):
    return x * torch.sigmoid(beta * x)

# %% wrong="5.1.3" why="forgets the inner derivative β" breaks="other beta" says="The inner derivative"
def swish_derivative(x, beta):
    s = torch.sigmoid(beta * x)
    return s + x * s * (1 - s)

# %% wrong="5.1.3" why="exp overflows to inf, and inf / inf is nan" breaks="far out" says="inf / inf"
def swish_derivative(x, beta):
    e = torch.exp(-beta * x)
    return 1 / (1 + e) + beta * x * e / (1 + e) ** 2

# %% wrong="5.1.3" why="ignores β" breaks="other beta" says="Is β used?"
def swish_derivative(x, beta):
    s = torch.sigmoid(x)
    return s + x * s * (1 - s)

# %% wrong="5.1.3" why="x missing" breaks="beta = 1" says="has the factor x"
def swish_derivative(x, beta):
    s = torch.sigmoid(beta * x)
    return s + beta * s * (1 - s)

# %% wrong="5.1.3" why="float32" breaks="shape and dtype" says="the dtype of"
def swish_derivative(x, beta):
    x = x.float()
    s = torch.sigmoid(beta * x)
    return s + beta * x * s * (1 - s)

# %% wrong="5.1.3" why="β by its size" breaks="other beta" says="swish_derivative(x, -0.5)"
def swish_derivative(x, beta):
    s = torch.sigmoid(abs(beta) * x)
    return s + abs(beta) * x * s * (1 - s)

# %% wrong="5.1.3" why="cut at 30" breaks="far out" says="swish_derivative(x, 1.0)"
def swish_derivative(x, beta):
    z = (beta * x).clamp(-1.5e1, 1e1)
    return torch.sigmoid(z) + x * beta * torch.sigmoid(z) * (1 - torch.sigmoid(z))

# %% wrong="5.1.3" why="abs x" breaks="beta = 1" says="look at this term"
def swish_derivative(x, beta):
    s = torch.sigmoid(beta * x)
    return s + beta * x.abs() * s * (1 - s)

# %% right="5.1.E" how="by cases"
def bend(w, b, v):
    return [-(b / w), v * w if w > 0 else -v * w]

# %% right="5.1.E" how="slopes measured"
def bend(w, b, v):
    def f(x):
        return v * max(0.0, w * x + b)

    p = -b / w
    return torch.tensor([p, (f(p + 1) - f(p)) - (f(p) - f(p - 1))])

# %% wrong="5.1.E" why="the sign of the place" breaks="place" says="put the place into wx + b"
def bend(w, b, v):
    return b / w, v * abs(w)

# %% wrong="5.1.E" why="v w" breaks="change" says="For w < 0"
def bend(w, b, v):
    return -b / w, v * w

# %% wrong="5.1.E" why="v alone" breaks="change" says="by the factor w"
def bend(w, b, v):
    return -b / w, v

# %% wrong="5.1.E" why="the reciprocal" breaks="place" says="this is -w / b"
def bend(w, b, v):
    return -w / b, v * abs(w)

# %% wrong="5.1.E" why="without dividing" breaks="place" says="Divide by w"
def bend(w, b, v):
    return -b, v * abs(w)

# %% wrong="5.1.E" why="the size of v w" breaks="change" says="The sign of v stays"
def bend(w, b, v):
    return -b / w, abs(v) * w if w > 0 else v * -w

# %% right="5.1.4a" how="a dictionary of places"
def kinks(w, b, v):
    changes = {}
    for w_, b_, v_ in zip(w.tolist(), b.tolist(), v.tolist()):
        if w_ != 0:
            place = 0.0 - b_ / w_
            changes[place] = changes.get(place, 0.0) + v_ * abs(w_)
    return torch.tensor(sorted(p for p, c in changes.items() if c != 0), dtype=w.dtype)

# %% right="5.1.4a" how="compares the slopes on both sides of each place"
def kinks(w, b, v):
    places = torch.unique(-b[w != 0] / w[w != 0])
    if len(places) == 0:
        return places
    middle = torch.cat([places[:1] - 1, (places[1:] + places[:-1]) / 2, places[-1:] + 1])
    slopes = ((middle[:, None] * w + b > 0) * w * v).sum(1)
    return places[slopes.diff().abs() > 1e-6]

# %% wrong="5.1.4a" why="the sign of the place" breaks="places" says="put the place into wx + b"
def kinks(w, b, v):
    used = w != 0
    places, where = torch.unique(b[used] / w[used], return_inverse=True)
    change = torch.zeros_like(places).index_add_(0, where, v[used] * w[used].abs())
    return places[change != 0]

# %% wrong="5.1.4a" why="no look at the change" breaks="cancelled" says="add up the changes"
def kinks(w, b, v):
    return torch.unique(-b[w != 0] / w[w != 0])

# %% wrong="5.1.4a" why="the change of the slope is v, without w" breaks="cancelled" says="At x = 1"
def kinks(w, b, v):
    used = (w != 0) & (v != 0)
    places, where = torch.unique(-b[used] / w[used], return_inverse=True)
    change = torch.zeros_like(places).index_add_(0, where, v[used])
    return places[change != 0]

# %% wrong="5.1.4a" why="the change is v w, with its sign" breaks="cancelled" says="add up the changes"
def kinks(w, b, v):
    used = w != 0
    places, where = torch.unique(-b[used] / w[used], return_inverse=True)
    change = torch.zeros_like(places).index_add_(0, where, v[used] * w[used])
    return places[change != 0]

# %% wrong="5.1.4a" why="v = 0 counts" breaks="cancelled" says="A unit with v = 0"
def kinks(w, b, v):
    used = w != 0
    places, where = torch.unique(-b[used] / w[used], return_inverse=True)
    change = torch.zeros_like(places).index_add_(0, where, v[used] * w[used].abs())
    unused = torch.zeros_like(places).index_add_(0, where, v[used].abs()) == 0
    return places[(change != 0) | unused]

# %% wrong="5.1.4a" why="units with w = 0 give infinite places" breaks="w = 0" says="infinite or nan"
def kinks(w, b, v):
    places, where = torch.unique(-b / w, return_inverse=True)
    change = torch.zeros_like(places).index_add_(0, where, v * (w.abs() + (w == 0)))
    return places[change != 0]

# %% wrong="5.1.4a" why="crashes without a kink" breaks="w = 0" says="raised"
def kinks(w, b, v):
    changes = {}
    for w_, b_, v_ in zip(w.tolist(), b.tolist(), v.tolist()):
        if w_ != 0:
            changes[-b_ / w_ + 0.0] = changes.get(-b_ / w_ + 0.0, 0.0) + v_ * abs(w_)
    found = [torch.tensor(p) for p in sorted(changes) if changes[p] != 0]
    return torch.stack(found) if changes else torch.stack([])

# %% wrong="5.1.4a" why="in the order of the units" breaks="ascending" says="Sort the places"
def kinks(w, b, v):
    found = {}
    for w_, b_, v_ in zip(w.tolist(), b.tolist(), v.tolist()):
        if w_ != 0:
            found[-b_ / w_] = found.get(-b_ / w_, 0) + v_ * abs(w_)
    return torch.tensor([p for p, c in found.items() if c != 0])

# %% wrong="5.1.4a" why="a place for each unit" breaks="each once" says="bend at x = 1"
def kinks(w, b, v):
    used = (w != 0) & (v != 0)
    w, b, v = w[used], b[used], v[used]
    places = -b / w
    keep = [(v * w.abs())[places == p].sum() != 0 for p in places]
    return torch.sort(places[torch.tensor(keep, dtype=torch.bool)]).values

# %% wrong="5.1.4a" why="drops every place that several units share" breaks="each once" says="and the place stays"
def kinks(w, b, v):
    used = (w != 0) & (v != 0)
    places, counts = torch.unique(-b[used] / w[used], return_counts=True)
    return places[counts == 1]

# %% wrong="5.1.4a" why="mends w in place" breaks="arguments kept" says="after kinks"
def kinks(w, b, v):
    v *= (w != 0)
    w += (w == 0)
    places, where = torch.unique(-b / w, return_inverse=True)
    change = torch.zeros_like(places).index_add_(0, where, v * w.abs())
    return places[change != 0]

# %% wrong="5.1.4a" why="positive changes only" breaks="places" says="makes a kink of its own"
def kinks(w, b, v):
    u = w != 0
    p, i = torch.unique(-b[u] / w[u], return_inverse=True)
    c = torch.zeros_like(p).index_add_(0, i, v[u] * w[u].abs())
    return p[c > 0]

# %% wrong="5.1.4a" why="descending" breaks="ascending" says="Sort the places"
def kinks(w, b, v):
    u = w != 0
    p, i = torch.unique(-b[u] / w[u], return_inverse=True)
    c = torch.zeros_like(p).index_add_(0, i, v[u] * w[u].abs())
    return p[c != 0].flip(0)

# %% right="5.1.4b" how="1 - |2x - 1| with three units"
def sawtooth(k):
    into, out, shift = torch.tensor([[2., -2.]]), torch.tensor([[-1.], [-1.]]), torch.tensor([-1., 1.])
    Ws, bs = [into], [shift]
    for _ in range(k - 1):
        Ws.append(out @ into)
        bs.append(torch.ones(1) @ into + shift)
    return Ws + [out], bs + [torch.ones(1)]

# %% right="5.1.4b" how="float64, three units, one of which is not needed"
def sawtooth(k):
    into = torch.tensor([[1., 1., 1.]], dtype=torch.float64)
    fold = torch.tensor([[2.], [-4.], [2.]], dtype=torch.float64)
    b = torch.tensor([0., -0.5, -1.], dtype=torch.float64)
    return [into, *[fold @ into for _ in range(k - 1)], fold], [b for _ in range(k)] + [b[:1]]

# %% right="5.1.4b" how="3 units from 2x-1"
def sawtooth(k):
    # T = relu(2x) - relu(4x-2)
    A, o = torch.tensor([[2., 4.]]), torch.tensor([[1.], [-1.]])
    return [A] + [o @ A for _ in range(k - 1)] + [o], [torch.tensor([0., -2.]) for _ in range(k)] + [torch.tensor([0.])]

# %% wrong="5.1.4b" why="folds once, whatever k" breaks="many folds" says="one time only"
def sawtooth(k):
    eye = torch.eye(2)
    return ([torch.tensor([[1., 1.]])] + [eye] * (k - 1) + [torch.tensor([[2.], [-4.]])],
            [torch.tensor([0., -0.5])] + [torch.zeros(2)] * (k - 1) + [torch.zeros(1)])

# %% wrong="5.1.4b" why="slope falls by 2, not by 4" breaks="one fold" says="changes by -4"
def sawtooth(k):
    into, fold = torch.tensor([[1., 1.]]), torch.tensor([[2.], [-2.]])
    return [into] + [fold @ into] * (k - 1) + [fold], [torch.tensor([0., -0.5])] * k + [torch.zeros(1)]

# %% wrong="5.1.4b" why="one wide hidden layer" breaks="layers" says="a hidden layer of its own"
def sawtooth(k):
    n = 2 ** k
    bends = torch.tensor([n] + [-2 * n * (-1) ** i for i in range(n - 1)], dtype=torch.float32)
    return [torch.ones(1, n), bends[:, None]], [-torch.arange(n) / n, torch.zeros(1)]

# %% wrong="5.1.4b" why="2k layers, one of one unit after each fold" breaks="layers" says="Nothing stands between"
def sawtooth(k):
    into, fold, b = torch.tensor([[1., 1.]]), torch.tensor([[2.], [-4.]]), torch.tensor([0., -0.5])
    return [into, fold] * k, [b, torch.zeros(1)] * k

# %% wrong="5.1.4b" why="a layer of one unit with a ReLU after each fold" breaks="layers" says="Nothing stands between"
def sawtooth(k):
    into, fold, b = torch.tensor([[1., 1.]]), torch.tensor([[2.], [-4.]]), torch.tensor([0., -0.5])
    if k <= 2:
        return [into] + [fold @ into] * (k - 1) + [fold], [b] * k + [torch.zeros(1)]
    return [into, fold] * k, [b, torch.zeros(1)] * k

# %% wrong="5.1.4b" why="hard-coded for k = 1 and 2" breaks="layers" says="Yours has 3 matrices"
def sawtooth(k):
    into, fold, b = torch.tensor([[1., 1.]]), torch.tensor([[2.], [-4.]]), torch.tensor([0., -0.5])
    if k == 1:
        return [into, fold], [b, torch.zeros(1)]
    return [into, fold @ into, fold], [b, b, torch.zeros(1)]

# %% wrong="5.1.4b" why="five units in a layer" breaks="width" says="more than 4 units"
def sawtooth(k):
    into = torch.tensor([[1., 1., 1., 1., 1.]])
    fold = torch.tensor([[2.], [-4.], [0.], [0.], [0.]])
    return [into] + [fold @ into] * (k - 1) + [fold], [torch.tensor([0., -0.5, 0., 0., 0.])] * k + [torch.zeros(1)]

# %% wrong="5.1.4b" why="biases as rows" breaks="layers" says="a bias one axis"
def sawtooth(k):
    into, fold = torch.tensor([[1., 1.]]), torch.tensor([[2.], [-4.]])
    return [into] + [fold @ into] * (k - 1) + [fold], [torch.tensor([[0., -0.5]])] * k + [torch.zeros(1, 1)]

# %% wrong="5.1.4b" why="the tent of height 1/2" breaks="one fold" says="T applied 1 time"
def sawtooth(k):
    into, fold = torch.tensor([[1., 1.]]), torch.tensor([[2.], [-4.]])
    Ws, bs = [into] + [fold @ into] * (k - 1) + [fold], [torch.tensor([0., -0.5])] * k + [torch.zeros(1)]
    return ([into, fold / 2], bs) if k == 1 else (Ws, bs)

# %% wrong="5.1.4b" why="turns the tent round" breaks="one fold" says="T applied 1 time"
def sawtooth(k):
    into, fold = torch.tensor([[1., 1.]]), torch.tensor([[2.], [-4.]])
    Ws, bs = [into] + [fold @ into] * (k - 1) + [fold], [torch.tensor([0., -0.5])] * k + [torch.zeros(1)]
    return ([into, -fold], bs) if k == 1 else (Ws, bs)

# %% wrong="5.1.4b" why="folds at most twice" breaks="many folds" says="T applied 3 times"
def sawtooth(k):
    into, fold, b = torch.tensor([[1., 1.]]), torch.tensor([[2.], [-4.]]), torch.tensor([0., -0.5])
    Ws, bs = [into] + [fold @ into] * (min(k, 2) - 1) + [fold], [b] * min(k, 2) + [torch.zeros(1)]
    while len(Ws) < k + 1:
        Ws.append(torch.eye(1))
        bs.append(torch.zeros(1))
    return Ws, bs

# %% wrong="5.1.4b" why="bias scalar" breaks="layers" says="a bias one axis"
def sawtooth(k):
    A, o = torch.tensor([[2., 4.]]), torch.tensor([[1.], [-1.]])
    return [A] + [o @ A for _ in range(k - 1)] + [o], [torch.tensor([0., -2.]) for _ in range(k)] + [torch.tensor(0.)]

# %% right="5.1.F" how="math.exp"
def layer_factor(w, a):
    import math
    z = w * a
    return w * math.exp(-z) / (1 + math.exp(-z)) ** 2

# %% right="5.1.F" how="autograd, a tensor"
def layer_factor(w, a):
    a = torch.tensor(float(a), requires_grad=True)
    return torch.autograd.grad(torch.sigmoid(w * a), a)[0]

# %% wrong="5.1.F" why="w missing" breaks="factor" says="The inner derivative"
def layer_factor(w, a):
    s = torch.sigmoid(torch.tensor(w * a)).item()
    return s * (1 - s)

# %% wrong="5.1.F" why="at a" breaks="factor" says="taken at w a"
def layer_factor(w, a):
    s = torch.sigmoid(torch.tensor(a)).item()
    return w * s * (1 - s)

# %% wrong="5.1.F" why="with respect to w" breaks="factor" says="with respect to w"
def layer_factor(w, a):
    s = torch.sigmoid(torch.tensor(w * a)).item()
    return a * s * (1 - s)

# %% wrong="5.1.F" why="the output times w" breaks="factor" says="a factor is missing"
def layer_factor(w, a):
    return w * torch.sigmoid(torch.tensor(w * a)).item()

# %% right="5.1.7a" how="autograd"
def chain_gradient(x, weights):
    x = torch.tensor(float(x), dtype=torch.float64, requires_grad=True)
    a = x * 1
    for w in weights:
        a = torch.sigmoid(w * a)
    return torch.autograd.grad(a, x)[0]

# %% right="5.1.7a" how="plain Python, recursion over the outermost layer"
def chain_gradient(x, weights):
    import math

    def value(k):
        return x if k == 0 else 1 / (1 + math.exp(-weights[k - 1] * value(k - 1)))

    return math.prod(w * value(k) * (1 - value(k)) for k, w in enumerate(weights, 1))

# %% right="5.1.7a" how="numpy"
def chain_gradient(x, weights):
    import numpy as np
    g = np.float64(1)
    for w in weights:
        s = 1 / (1 + np.exp(-w * x))
        g, x = g * w * s * (1 - s), s
    return g

# %% wrong="5.1.7a" why="forgets the weights" breaks="several layers" says="The weights are factors"
def chain_gradient(x, weights):
    a, gradient = torch.tensor(x, dtype=torch.float64), 1.0
    for w in weights:
        a = torch.sigmoid(w * a)
        gradient = gradient * a * (1 - a)
    return float(gradient)

# %% wrong="5.1.7a" why="the slope of every layer at x" breaks="several layers" says="at the input of that layer"
def chain_gradient(x, weights):
    gradient = torch.ones((), dtype=torch.float64)
    for w in weights:
        s = torch.sigmoid(torch.tensor(w * x, dtype=torch.float64))
        gradient = gradient * w * s * (1 - s)
    return gradient

# %% wrong="5.1.7a" why="the weights in reversed order" breaks="several layers" says="first weight belongs"
def chain_gradient(x, weights):
    a, gradient = torch.tensor(x, dtype=torch.float64), 1.0
    for w in reversed(weights):
        a = torch.sigmoid(w * a)
        gradient = gradient * w * a * (1 - a)
    return float(gradient)

# %% wrong="5.1.7a" why="the last layer only" breaks="several layers" says="multiply the factors of all layers"
def chain_gradient(x, weights):
    a, gradient = torch.tensor(x, dtype=torch.float64), 1.0
    for w in weights:
        a = torch.sigmoid(w * a)
        gradient = w * a * (1 - a)
    return float(gradient)

# %% wrong="5.1.7a" why="a difference quotient loses the digits of small derivatives" breaks="double precision" says="difference of two numbers near each other"
def chain_gradient(x, weights):
    if not weights:
        return 1.0

    def value(x):
        a = torch.tensor(x, dtype=torch.float64)
        for w in weights:
            a = torch.sigmoid(w * a)
        return a.item()

    return (value(x + 1e-6) - value(x - 1e-6)) / 2e-6

# %% wrong="5.1.7a" why="float32" breaks="double precision" says="torch.tensor(x) alone is float32"
def chain_gradient(x, weights):
    a, gradient = torch.tensor(x), torch.tensor(1.0)
    for w in weights:
        a = torch.sigmoid(w * a)
        gradient = gradient * w * a * (1 - a)
    return gradient

# %% wrong="5.1.7a" why="0 for no layer" breaks="no layer" says="a_k is x itself"
def chain_gradient(x, weights):
    a, gradient = torch.tensor(x, dtype=torch.float64), 1.0
    for w in weights:
        a = torch.sigmoid(w * a)
        gradient = gradient * w * a * (1 - a)
    return float(gradient) if weights else 0.0

# %% wrong="5.1.7a" why="x for no layer" breaks="no layer" says="a_k is x itself"
def chain_gradient(x, weights):
    a, gradient = torch.tensor(x, dtype=torch.float64), 1.0
    for w in weights:
        a = torch.sigmoid(w * a)
        gradient = gradient * w * a * (1 - a)
    return float(gradient) if weights else x

# %% wrong="5.1.7a" why="the size alone" breaks="one layer" says="chain_gradient(0.5, [-3.0])"
def chain_gradient(x, weights):
    a, gradient = torch.tensor(x, dtype=torch.float64), 1.0
    for w in weights:
        a = torch.sigmoid(w * a)
        gradient = gradient * w * a * (1 - a)
    return abs(float(gradient)) if len(weights) == 1 else float(gradient)

# %% wrong="5.1.7a" why="without the weight for a single layer" breaks="one layer" says="The weights are factors"
def chain_gradient(x, weights):
    a, gradient = torch.tensor(x, dtype=torch.float64), 1.0
    for w in weights:
        a = torch.sigmoid(w * a)
        gradient = gradient * a * (1 - a) * (w if len(weights) > 1 else 1)
    return float(gradient)

# %% right="5.1.7b" how="alternating signs, and two layers that saturate"
by_depth = (-0.5, 0.5) * 5
by_saturation = (30, -20)

# %% right="5.1.7b" how="eleven layers; a negative weight"
by_depth = [0.9] * 11
by_saturation = [-30.]

# %% right="5.1.7b" how="exactly 37, where σ rounds to 1; a tensor"
by_depth = torch.full((10,), -1.0)
by_saturation = [37.]

# %% wrong="5.1.7b" why="too few layers" breaks="small by depth" says="are there enough of them?"
by_depth = [1.0] * 6
by_saturation = [25.0]

# %% wrong="5.1.7b" why="a weight of 0 in place of depth" breaks="depth" says="each weight in by_depth has a size from 0.5 to 1"
by_depth = [0.0]
by_saturation = [25.0]

# %% wrong="5.1.7b" why="twenty layers" breaks="depth" says="at most 12 weights"
by_depth = [0.5] * 20
by_saturation = [25.0]

# %% wrong="5.1.7b" why="large weights" breaks="depth" says="a size from 0.5 to 1"
by_depth = [2.0] * 12
by_saturation = [25.0]

# %% wrong="5.1.7b" why="not far enough out" breaks="small by saturation" says="on the flat part"
by_depth = [1.0] * 12
by_saturation = [8.0]

# %% wrong="5.1.7b" why="a weight of 0" breaks="saturation" says="cuts the chain"
by_depth = [1.0] * 12
by_saturation = [25.0, 0.0]

# %% wrong="5.1.7b" why="too large" breaks="saturation" says="a size of at most 40"
by_depth = [1.0] * 12
by_saturation = [100.0]

# %% wrong="5.1.7b" why="tiny weights" breaks="small by saturation" says="no unit is on the flat part"
by_depth = [1.0] * 12
by_saturation = [1e-7]

# %% right="5.1.6" how="four rows, another example"
first = torch.tensor([[4., -4.], [1., -7.], [1., -7.], [1., -7.]])
second = torch.tensor([[4., -4.], [10., 10.], [10., 10.]])

# %% right="5.1.6" how="drawn at random around the example"
generator = torch.Generator().manual_seed(1)
first = torch.cat([torch.zeros(1, 2), -1 - torch.rand(6, 2, generator=generator)]).double()
second = -first

# %% right="5.1.6" how="eight rows float64"
first = torch.tensor([[3., 3.]] + [[1., 1.]] * 7, dtype=torch.float64)
second = torch.tensor([[3., 3.]] + [[9., 9.]] * 7)

# %% wrong="5.1.6" why="one batch is the other shuffled" breaks="bottom" says="far below the mean"
first = torch.tensor([[0., 0.], [-1., -1.], [-1., -2.]])
second = torch.tensor([[0., 0.], [-1., -2.], [-1., -1.]])

# %% wrong="5.1.6" why="different examples in row 0" breaks="same example" says="row 0"
first = torch.tensor([[1., 1.], [-1., -1.], [-1., -1.]])
second = torch.tensor([[-1., -1.], [1., 1.], [1., 1.]])

# %% wrong="5.1.6" why="one column only" breaks="bottom" says="far below the mean"
first = torch.tensor([[0., 0.], [-1., -1.], [-1., -1.]])
second = torch.tensor([[0., 0.], [1., -1.], [1., -1.]])

# %% wrong="5.1.6" why="integers have no mean" breaks="batches" says="holds floating point numbers"
first = torch.tensor([[0, 0], [-1, -1], [-1, -1]])
second = torch.tensor([[0, 0], [1, 1], [1, 1]])

# %% wrong="5.1.6" why="batches of two give a little less than 1" breaks="top" says="Two rows give"
first = torch.tensor([[0., 0.], [-1., -1.]])
second = torch.tensor([[0., 0.], [1., 1.]])

# %% wrong="5.1.6" why="too many rows" breaks="batches" says="with n from 2 to 8"
first = torch.tensor([[0., 0.]] + [[-1., -1.]] * 9)
second = torch.tensor([[0., 0.], [1., 1.], [1., 1.]])

# %% wrong="5.1.6" why="first batch has row 0 in the middle" breaks="top" says="far above the mean"
first = torch.tensor([[0., 0.], [-1., -1.], [1., 1.]])
second = torch.tensor([[0., 0.], [1., 1.], [1., 1.]])

# %% wrong="5.1.6" why="entries too large" breaks="batches" says="from -10 to 10"
first = torch.tensor([[50., 50.], [-1., -1.], [-1., -1.]])
second = torch.tensor([[50., 50.], [99., 99.], [99., 99.]])

# %% wrong="5.1.6" why="rows of three" breaks="batches" says="the shape (n, 2)"
first = torch.tensor([[0., 0., 0.], [-1., -1., -1.], [-1., -1., -1.]])
second = torch.tensor([[0., 0., 0.], [1., 1., 1.], [1., 1., 1.]])

# %% wrong="5.1.6" why="lists" breaks="batches" says="expected a tensor"
first = [[0., 0.], [-1., -1.], [-1., -1.]]
second = [[0., 0.], [1., 1.], [1., 1.]]

# %% wrong="5.1.A" why="treats a bias of 0 as missing" breaks="value" says="Try fourth_corner(0, 0, 3)"
def fourth_corner(s00, s01, s10):
    return s01 + s10 - (s00 or 1.0)

# %% wrong="5.1.B" why="bias down the rows where shapes allow it" breaks="output" says="Each output, so each column"
def mlp(X, W1, b1, W2, b2):
    O = torch.relu(X @ W1 + b1) @ W2
    return O + (b2[:, None] if O.shape[0] == len(b2) else b2)

# %% wrong="5.1.1a" why="float64 results, which X of float32 cannot be multiplied with" breaks="shape" says="wrong dtype"
def collapse(Ws, bs):
    W, b = Ws[0].double(), bs[0].double()
    for V, c in zip(Ws[1:], bs[1:]):
        W, b = W @ V.double(), b @ V.double() + c
    return W, b

# %% wrong="5.1.5b" why="shift with the doubled weights" breaks="several units" says="not of the stretched ones"
def as_sigmoid_network(W1, b1, W2, b2):
    V2 = 2 * W2
    return 2 * W1, 2 * b1, V2, b2 - V2.sum(0)

# %% wrong="5.1.3" why="x clamped to 50, wrong for a small beta" breaks="far out" says="Take x as it is"
def swish_derivative(x, beta):
    x = x.clamp(-50, 50)
    s = torch.sigmoid(beta * x)
    return s + beta * x * s * (1 - s)

# %% wrong="5.1.4a" why="a threshold: small changes are lost" breaks="places" says="small, but a kink"
def kinks(w, b, v):
    out = {}
    for wi, bi, vi in zip(w.tolist(), b.tolist(), v.tolist()):
        if wi != 0:
            out[-bi / wi] = out.get(-bi / wi, 0) + vi * abs(wi)
    return torch.tensor(sorted(p for p, c in out.items() if abs(c) > 0.3))

# %% wrong="5.1.4a" why="places rounded to one digit are one place" breaks="each once" says="but two places"
def kinks(w, b, v):
    out = {}
    for wi, bi, vi in zip(w.tolist(), b.tolist(), v.tolist()):
        if wi != 0:
            p = round(-bi / wi, 1)
            q, c = out.get(p, (-bi / wi, 0))
            out[p] = (q, c + vi * abs(wi))
    return torch.tensor(sorted(q for q, c in out.values() if c != 0))

# %% wrong="5.1.4a" why="neighbours only: merged before sorting" breaks="cancelled" says="whatever stands between"
def kinks(w, b, v):
    places, changes = [], []
    for wi, bi, vi in zip(w.tolist(), b.tolist(), v.tolist()):
        if wi == 0:
            continue
        if places and places[-1] == -bi / wi:
            changes[-1] += vi * abs(wi)
        else:
            places.append(-bi / wi)
            changes.append(vi * abs(wi))
    return torch.tensor(sorted({p for p, c in zip(places, changes) if c}))

# %% wrong="5.1.F" why="size of w" breaks="factor" says="The sign of w stays"
def layer_factor(w, a):
    s = 1 / (1 + math.exp(-w * a))
    return abs(w) * s * (1 - s)

# %% wrong="5.1.7a" why="through logarithms: a weight 0 raises" breaks="several layers" says="math domain error"
def chain_gradient(x, weights):
    logs, sign, a = 0.0, 1.0, x
    for w in weights:
        a = 1 / (1 + math.exp(-w * a))
        logs += math.log(abs(w)) + math.log(a * (1 - a))
        sign *= 1 if w > 0 else -1
    return sign * math.exp(logs)

# %% wrong="5.1.7a" why="tiny derivatives become 0" breaks="several layers" says="tiny, but it is not 0"
def chain_gradient(x, weights):
    p, a = 1.0, x
    for w in weights:
        a = 1 / (1 + math.exp(-w * a))
        p *= w * a * (1 - a)
    return p if abs(p) > 1e-9 else 0.0

# %% wrong="5.1.A" why="a product in place of a sum" breaks="value" says="add up: none is multiplied"
def fourth_corner(s00, s01, s10):
    return s01 * s10 - s00

# %% wrong="5.1.A" why="opposite corners equal, as in XOR" breaks="value" says="XOR does that"
def fourth_corner(s00, s01, s10):
    return s00

# %% wrong="5.1.B" why="ReLU on the inputs" breaks="hidden layer" says="not on the inputs"
def mlp(X, W1, b1, W2, b2):
    return (torch.relu(X) @ W1 + b1) @ W2 + b2

# %% wrong="5.1.1a" why="the bias through the product of all weights so far" breaks="any depth" says="through no others"
def collapse(Ws, bs):
    W, b = Ws[0], bs[0]
    for more_W, more_b in zip(Ws[1:], bs[1:]):
        W = W @ more_W
        b = b @ W + more_b if len(b) == len(W) else b @ more_W + more_b
    return W, b

# %% wrong="5.1.1a" why="stops after two layers" breaks="shape" says="stops after two layers"
def collapse(Ws, bs):
    if len(Ws) == 1:
        return Ws[0], bs[0]
    return Ws[0] @ Ws[1], bs[0] @ Ws[1] + bs[1]

# %% wrong="5.1.5a" why="the sign of the shift" breaks="every x" says="on the left this comes to 1"
stretch_and_shift = (2, 2, 1)

# %% wrong="5.1.5a" why="the stretch inverted" breaks="every x" says="too flat"
stretch_and_shift = (2, 0.5, -1)

# %% wrong="5.1.5a" why="another order of the three" breaks="every x" says="the last two are exchanged"
stretch_and_shift = (2, -1, 2)

# %% wrong="5.1.3" why="the gate at x" breaks="other beta" says="this takes σ at x"
def swish_derivative(x, beta):
    s = torch.sigmoid(x)
    return s + beta * x * s * (1 - s)

# %% wrong="5.1.E" why="the slope on the right" breaks="change" says="subtract the slope on the left"
def bend(w, b, v):
    return -b / w, v * w if w > 0 else 0

# %% wrong="5.1.E" why="the two exchanged" breaks="place" says="The place stands first"
def bend(w, b, v):
    return v * abs(w), -b / w

# %% wrong="5.1.4b" why="the second kink at 1" breaks="one fold" says="rises all the way"
def sawtooth(k):
    into, fold = torch.tensor([[1., 1.]]), torch.tensor([[2.], [-4.]])
    return [into] + [fold @ into] * (k - 1) + [fold], [torch.tensor([0., -1.])] * k + [torch.zeros(1)]

# %% wrong="5.1.F" why="the input in place of the output" breaks="factor" says="its input a in place of it"
def layer_factor(w, a):
    return w * a * (1 - a)

# %% wrong="5.1.F" why="a bound in place of the slope" breaks="factor" says="the most that"
def layer_factor(w, a):
    return w / 4

# %% wrong="5.1.7a" why="adds the factors" breaks="several layers" says="multiplied, not added"
def chain_gradient(x, weights):
    total_of_factors, a = 0., x
    for w in weights:
        a = 1 / (1 + math.exp(-w * a))
        total_of_factors += w * a * (1 - a)
    return total_of_factors if weights else 1.

# %% wrong="5.1.7a" why="the slope at the output of each layer" breaks="one layer" says="at what comes out"
def chain_gradient(x, weights):
    gradient, a = 1., x
    for w in weights:
        a = 1 / (1 + math.exp(-w * a))
        s = 1 / (1 + math.exp(-w * a))
        gradient *= w * s * (1 - s)
    return gradient

# %% wrong="5.1.A" why="parallelogram in another order" breaks="value" says="lies opposite"
def fourth_corner(s00, s01, s10):
    return s00 + s10 - s01

# %% wrong="5.1.A" why="mean of the neighbours" breaks="value" says="middle of the square"
def fourth_corner(s00, s01, s10):
    return (s01 + s10) / 2

# %% wrong="5.1.A" why="whole number" breaks="value" says="may be fractions"
def fourth_corner(s00, s01, s10):
    return int(s01 + s10 - s00)

# %% wrong="5.1.B" why="ReLU by the sum of the row: whole rows off" breaks="hidden layer" says="each entry by itself"
def mlp(X, W1, b1, W2, b2):
    Z = X @ W1 + b1
    H = Z * (Z.sum(dim=1, keepdim=True) > 0)
    return H @ W2 + b2

# %% wrong="5.1.B" why="hidden units capped at 6" breaks="hidden layer" says="cut off at 6"
def mlp(X, W1, b1, W2, b2):
    return torch.nn.functional.relu6(X @ W1 + b1) @ W2 + b2

# %% wrong="5.1.1a" why="the sum of each earlier bias added to all outputs" breaks="bias" says="the sum of its entries"
def collapse(Ws, bs):
    W = Ws[0]
    for V in Ws[1:]:
        W = W @ V
    return W, bs[-1] + sum(b.sum() for b in bs[:-1])

# %% right="5.1.1a" how="homogeneous coordinates, multi_dot"
def collapse(Ws, bs):
    big = []
    for V, c in zip(Ws, bs):
        A = torch.zeros(V.shape[0] + 1, V.shape[1] + 1)
        A[:-1, :-1], A[-1, :-1], A[-1, -1] = V, c, 1.
        big.append(A)
    P = torch.linalg.multi_dot(big) if len(big) > 1 else big[0]
    return P[:-1, :-1], P[-1, :-1]

# %% wrong="5.1.C" why="first three layers" breaks="hidden layers" says="further on is narrower"
def largest_rank(sizes):
    return min(sizes[:3])

# %% wrong="5.1.1b" why="the smallest h pieces are dropped" breaks="value" says="the h smallest pieces"
def smallest_error(M, h):
    s = torch.linalg.svdvals(M)
    return (s[len(s) - h:] ** 2).sum()

# %% wrong="5.1.1b" why="a slice that counts from the end, all of it at h = d" breaks="ends" says="s[-0:]"
def smallest_error(M, h):
    s = torch.linalg.svdvals(M)
    k = len(s) - h
    return (s[-k:] ** 2).sum()

# %% wrong="5.1.D" why="back through the logit: nan at 0 and 1" breaks="values" says="Of a saturated unit"
def slope_from_output(a):
    z = torch.log(a / (1 - a))
    return torch.exp(-z) / (1 + torch.exp(-z)) ** 2

# %% wrong="5.1.D" why="a times 1/4" breaks="values" says="where it is largest"
def slope_from_output(a):
    return a / 4

# %% wrong="5.1.5b" why="sum over the wrong axis where q = h allows" breaks="several units" says="these are its rows"
def as_sigmoid_network(W1, b1, W2, b2):
    s = W2.sum(dim=1) if W2.shape[0] == W2.shape[1] else W2.sum(dim=0)
    return 2 * W1, 2 * b1, 2 * W2, b2 - s

# %% wrong="5.1.5b" why="weights halved" breaks="one unit" says="not halved"
def as_sigmoid_network(W1, b1, W2, b2):
    return W1 / 2, b1 / 2, W2 / 2, b2 - W2.sum(dim=0)

# %% wrong="5.1.2" why="minus the size of x everywhere" breaks="by alpha" says="not -x"
def prelu_derivatives(x, alpha):
    return torch.where(x > 0, torch.ones_like(x), torch.full_like(x, alpha)), -x.abs()

# %% wrong="5.1.3" why="nan replaced by 0 everywhere" breaks="far out" says="in place of nan"
def swish_derivative(x, beta):
    e = torch.exp(beta * x)
    s = e / (1 + e)
    return torch.nan_to_num(s + beta * x * s * (1 - s), nan=0.)

# %% wrong="5.1.E" why="integer division" breaks="place" says="rounds down"
def bend(w, b, v):
    return -b // w, v * abs(w)

# %% wrong="5.1.E" why="v inside the place" breaks="place" says="does not move the place"
def bend(w, b, v):
    return -b / (v * w), v * abs(w)

# %% wrong="5.1.4a" why="a dictionary whose keys are texts: 0.0 and -0.0 differ" breaks="cancelled" says="same number"
def kinks(w, b, v):
    change = {}
    for wi, bi, vi in zip(w.tolist(), b.tolist(), v.tolist()):
        if wi:
            key = str(-bi / wi)
            change[key] = change.get(key, 0) + vi * abs(wi)
    return torch.tensor(sorted(float(k) for k, c in change.items() if c))

# %% wrong="5.1.4a" why="an empty result of two axes" breaks="w = 0" says="number of axes"
def kinks(w, b, v):
    use = w != 0
    w, b, v = w[use], b[use], v[use]
    p = -b / w
    found = [q for q in sorted(set(p.tolist())) if (v * w.abs())[p == q].sum() != 0]
    return torch.tensor([found]) if not found else torch.tensor(found)

# %% wrong="5.1.4b" why="one fold too few" breaks="layers" says="a hidden layer of its own"
def sawtooth(k):
    A, B, c = torch.tensor([[1., 1.]]), torch.tensor([[2.], [-4.]]), torch.tensor([0., -0.5])
    k = max(1, k - 1)
    return [A] + [B @ A] * (k - 1) + [B], [c] * k + [torch.zeros(1)]

# %% wrong="5.1.4b" why="slope after the top is -1" breaks="one fold" says="here it is -1"
def sawtooth(k):
    A, B, c = torch.tensor([[1., 1.]]), torch.tensor([[2.], [-3.]]), torch.tensor([0., -0.5])
    return [A] + [B @ A] * (k - 1) + [B], [c] * k + [torch.zeros(1)]

# %% wrong="5.1.F" why="tanh" breaks="factor" says="tanh(w a)"
def layer_factor(w, a):
    return w * (1 - math.tanh(w * a) ** 2)

# %% wrong="5.1.7a" why="the input in the place of the output" breaks="one layer" says="puts its input in place"
def chain_gradient(x, weights):
    a, g = x, 1.
    for w in weights:
        g *= w * a * (1 - a)
        a = 1 / (1 + math.exp(-w * a))
    return g

# %% right="5.1.7a" how="sums of logarithms, signs apart"
def chain_gradient(x, weights):
    a, logs, sign = float(x), 0., 1.
    for w in weights:
        if w == 0:
            return 0.
        a = 1 / (1 + math.exp(-w * a))
        logs += math.log(abs(w)) + math.log(a) + math.log1p(-a)
        sign = sign if w > 0 else -sign
    return torch.tensor([sign * math.exp(logs)], dtype=torch.float64)

# %% wrong="5.1.A" why="two steps in one feature" breaks="value" says="two steps in the first feature"
def fourth_corner(s00, s01, s10):
    w = s10 - s00
    return s00 + 2 * w

# %% wrong="5.1.A" why="minus the score at (0, 0)" breaks="value" says="with the other sign"
def fourth_corner(s00, s01, s10):
    return -s00

# %% wrong="5.1.A" why="ratios" breaks="value" says="multiplied or divided"
def fourth_corner(s00, s01, s10):
    return s01 * s10 / s00 if s00 else 0.0

# %% wrong="5.1.A" why="the larger of the neighbours" breaks="value" says="the larger one alone"
def fourth_corner(s00, s01, s10):
    return max(s01, s10)

# %% wrong="5.1.B" why="b2 inside the product" breaks="output" says="not to the weights"
def mlp(X, W1, b1, W2, b2):
    return torch.relu(X @ W1 + b1) @ (W2 + b2)

# %% wrong="5.1.B" why="b1 inside the product" breaks="hidden layer" says="not to the weights"
def mlp(X, W1, b1, W2, b2):
    return torch.relu(X @ (W1 + b1)) @ W2 + b2

# %% wrong="5.1.B" why="tanh" breaks="hidden layer" says="This is tanh"
def mlp(X, W1, b1, W2, b2):
    return torch.tanh(X @ W1 + b1) @ W2 + b2

# %% wrong="5.1.B" why="sigmoid on the outputs" breaks="output" says="a sigmoid acts on the outputs"
def mlp(X, W1, b1, W2, b2):
    return torch.sigmoid(torch.relu(X @ W1 + b1) @ W2 + b2)

# %% wrong="5.1.B" why="ReLU on each term" breaks="hidden layer" says="not on each of its two terms"
def mlp(X, W1, b1, W2, b2):
    return (torch.relu(X @ W1) + torch.relu(b1)) @ W2 + b2

# %% wrong="5.1.1a" why="the last two biases alone" breaks="any depth" says="the last two layers"
def collapse(Ws, bs):
    W, b = Ws[0], bs[0]
    for i in range(1, len(Ws)):
        b = bs[0] @ Ws[i] + bs[i] if i == 1 else bs[i - 1] @ Ws[i] + bs[i]
        W = W @ Ws[i]
    return W, b

# %% wrong="5.1.1a" why="ReLU in the bias" breaks="any depth" says="no activation functions"
def collapse(Ws, bs):
    W, b = Ws[0], bs[0]
    for V, c in zip(Ws[1:], bs[1:]):
        W, b = W @ V, torch.relu(b) @ V + c
        b = torch.relu(b)
    return W, b

# %% wrong="5.1.C" why="the longer side of each matrix" breaks="hidden layers" says="the shorter side counts"
def largest_rank(sizes):
    return min(max(n, m) for n, m in zip(sizes, sizes[1:]))

# %% wrong="5.1.C" why="the last matrix" breaks="hidden layers" says="not the last alone"
def largest_rank(sizes):
    return min(sizes[-2:])

# %% wrong="5.1.C" why="the sum of the ranks" breaks="hidden layers" says="Ranks are not added"
def largest_rank(sizes):
    return sum(min(n, m) for n, m in zip(sizes, sizes[1:]))

# %% wrong="5.1.C" why="the factor with the largest rank" breaks="hidden layers" says="not that with the largest"
def largest_rank(sizes):
    return max(min(n, m) for n, m in zip(sizes, sizes[1:]))

# %% wrong="5.1.1b" why="the next piece alone" breaks="value" says="the largest lost piece alone"
def smallest_error(M, h):
    s = torch.linalg.svdvals(M)
    return s[h] ** 2 if h < len(s) else 0.0

# %% wrong="5.1.1b" why="eigvalsh of a matrix that is not symmetric" breaks="any matrix" says="one half of it alone"
def smallest_error(M, h):
    e = torch.linalg.eigvalsh(M).abs().sort(descending=True).values
    return (e[h:] ** 2).sum()

# %% wrong="5.1.1b" why="the share that is lost" breaks="value" says="share of the whole"
def smallest_error(M, h):
    s2 = torch.linalg.svdvals(M) ** 2
    return s2[h:].sum() / s2.sum()

# %% wrong="5.1.D" why="@ in place of *" breaks="shape and dtype" says="Entry by entry"
def slope_from_output(a):
    return a @ (1 - a)

# %% wrong="5.1.5a" why="the last two exchanged" breaks="every x" says="the last two are exchanged"
stretch_and_shift = (2, -1, 2)

# %% wrong="5.1.5b" why="the weights out not doubled" breaks="one unit" says="go out of the hidden units"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, 2 * b1, W2, b2 - W2.sum(dim=0)

# %% wrong="5.1.5b" why="what goes in not doubled" breaks="one unit" says="What goes into the hidden units"
def as_sigmoid_network(W1, b1, W2, b2):
    return W1, b1, 2 * W2, b2 - W2.sum(dim=0)

# %% wrong="5.1.5b" why="the mean of the weights" breaks="several units" says="not their mean"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, 2 * b1, 2 * W2, b2 - W2.mean(dim=0)

# %% wrong="5.1.5b" why="the old bias lost" breaks="one unit" says="The old bias b2"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, 2 * b1, 2 * W2, -W2.sum(dim=0)

# %% wrong="5.1.2" why="1 in the second for x > 0" breaks="by alpha" says="not 1"
def prelu_derivatives(x, alpha):
    by_x = (x > 0).to(x.dtype) + alpha * (x <= 0).to(x.dtype)
    return by_x, torch.where(x < 0, x, torch.ones_like(x))

# %% wrong="5.1.2" why="α added everywhere" breaks="by x" says="α is added to it here"
def prelu_derivatives(x, alpha):
    return (x > 0).to(x.dtype) + alpha, x.clamp(max=0)

# %% right="5.1.3" how="exp as typed, and 0 where it gives nan: there it is 0"
def swish_derivative(x, beta):
    e = torch.exp(-beta * x)
    return torch.nan_to_num((1 + e + beta * x * e) / (1 + e) ** 2)

# %% wrong="5.1.3" why="a difference quotient in float32" breaks="far out" says="few right digits"
def swish_derivative(x, beta):
    f = lambda t: t * torch.sigmoid(beta * t)
    return (f(x + 1e-3) - f(x - 1e-3)) / 2e-3

# %% wrong="5.1.3" why="σ² in place of σ'" breaks="beta = 1" says="has σ² in its place"
def swish_derivative(x, beta):
    s = torch.sigmoid(beta * x)
    return s + beta * x * s * s

# %% wrong="5.1.3" why="β = 0 as a case of its own, with slope 0" breaks="other beta" says="its slope is not 0"
def swish_derivative(x, beta):
    if beta == 0:
        return torch.zeros_like(x)
    s = torch.sigmoid(beta * x)
    return s + beta * x * s * (1 - s)

# %% right="5.1.3" how="by tanh, with a clamp far out where nothing changes"
def swish_derivative(x, beta):
    z = (beta * x.double()).clamp(-300, 300)
    t = torch.tanh(z / 2)
    return ((1 + t) / 2 + z * (1 - t * t) / 4).to(x.dtype)

# %% wrong="5.1.E" why="left minus right" breaks="change" says="left minus the slope on the right"
def bend(w, b, v):
    left, right = (0, v * w) if w > 0 else (v * w, 0)
    return -b / w, left - right

# %% wrong="5.1.E" why="b in the slope" breaks="change" says="not part of a slope"
def bend(w, b, v):
    return -b / w, v * abs(w) + b

# %% wrong="5.1.4a" why="0 for no kink" breaks="w = 0" says="not a word for none"
def kinks(w, b, v):
    keep = w != 0
    p, c = (-b / w)[keep], (v * w.abs())[keep]
    found = [q for q in sorted(set(p.tolist())) if c[p == q].sum() != 0]
    return torch.tensor(found if found else [0.])

# %% wrong="5.1.4a" why="any two units at one place cancel" breaks="each once" says="and the place stays"
def kinks(w, b, v):
    keep = (w != 0) & (v != 0)
    p, c = (-b / w)[keep].tolist(), (v * w.abs())[keep].tolist()
    units = sorted(zip(p, c))
    out = []
    for q, ch in units:
        if out and out[-1][0] == q:
            out.pop()
        else:
            out.append((q, ch))
    return torch.tensor([q for q, _ in out])

# %% wrong="5.1.4b" why="later biases missing" breaks="many folds" says="the biases are not right"
def sawtooth(k):
    Ws, bs = [torch.tensor([[1., 1.]])], [torch.tensor([0., -0.5])]
    for _ in range(k - 1):
        Ws.append(torch.tensor([[2., 2.], [-4., -4.]]))
        bs.append(torch.zeros(2))
    Ws.append(torch.tensor([[2.], [-4.]]))
    bs.append(torch.zeros(1))
    return Ws, bs

# %% wrong="5.1.4b" why="the product in the wrong order" breaks="many folds" says="but the transpose of it"
def sawtooth(k):
    Ws, bs = [torch.tensor([[1., 1.]])], [torch.tensor([0., -0.5])]
    for _ in range(k - 1):
        Ws.append(torch.tensor([[2., -4.], [2., -4.]]))
        bs.append(torch.tensor([0., -0.5]))
    Ws.append(torch.tensor([[2.], [-4.]]))
    bs.append(torch.zeros(1))
    return Ws, bs

# %% wrong="5.1.4b" why="pairs of matrix and bias" breaks="layers" says="These are pairs"
def sawtooth(k):
    layers = [(torch.tensor([[1., 1.]]), torch.tensor([0., -0.5]))]
    for _ in range(k - 1):
        layers.append((torch.tensor([[2., 2.], [-4., -4.]]), torch.tensor([0., -0.5])))
    layers.append((torch.tensor([[2.], [-4.]]), torch.zeros(1)))
    return layers

# %% wrong="5.1.4b" why="one fold too many" breaks="layers" says="a matrix more than hidden layers"
def sawtooth(k):
    Ws, bs = [torch.tensor([[1., 1.]])], [torch.tensor([0., -0.5])]
    for _ in range(k):
        Ws.append(torch.tensor([[2., 2.], [-4., -4.]]))
        bs.append(torch.tensor([0., -0.5]))
    return Ws + [torch.tensor([[2.], [-4.]])], bs + [torch.zeros(1)]

# %% right="5.1.4b" how="four units: 2x by two of them, one unused"
def sawtooth(k):
    Ws = [torch.tensor([[1., 0.5, 0., 1.]])]
    bs = [torch.tensor([0., 0., 0.5, -0.5])]
    out = torch.tensor([[1.], [2.], [0.], [-4.]])
    for _ in range(k - 1):
        Ws.append(out @ Ws[0])
        bs.append(bs[0].clone())
    return [*Ws, out], [*bs, torch.tensor([0.])]

# %% wrong="5.1.F" why="a coarse difference quotient" breaks="factor" says="near the derivative"
def layer_factor(w, a):
    f = lambda t: torch.sigmoid(torch.tensor(w * t)).item()
    return (f(a + 0.1) - f(a)) / 0.1

# %% wrong="5.1.F" why="w a as the inner derivative" breaks="factor" says="is w, not w a"
def layer_factor(w, a):
    s = torch.sigmoid(torch.tensor(w * a))
    return w * a * s * (1 - s)

# %% wrong="5.1.F" why="the sigmoid twice" breaks="factor" says="sigmoid of the sigmoid"
def layer_factor(w, a):
    s = torch.sigmoid(torch.sigmoid(torch.tensor(w * a)))
    return w * s * (1 - s)

# %% wrong="5.1.7a" why="a small number added to each factor" breaks="several layers" says="nothing is added to a factor"
def chain_gradient(x, weights):
    a, total, sign = x, 0.0, 1.0
    for w in weights:
        out = 1 / (1 + math.exp(-w * a))
        total += math.log(abs(w * out * (1 - out)) + 1e-12)
        sign *= -1 if w < 0 else 1
        a = out
    return sign * math.exp(total)

# %% wrong="5.1.7a" why="the slope at a" breaks="one layer" says="at w a, not at a"
def chain_gradient(x, weights):
    a, product = x, 1.0
    for w in weights:
        s = 1 / (1 + math.exp(-a))
        product *= w * s * (1 - s)
        a = 1 / (1 + math.exp(-w * a))
    return product

# %% wrong="5.1.7a" why="no sigmoid on the way" breaks="several layers" says="with its σ"
def chain_gradient(x, weights):
    a, product = x, 1.0
    for w in weights:
        out = 1 / (1 + math.exp(-w * a))
        product *= w * out * (1 - out)
        a = w * a
    return product

# %% right="5.1.7a" how="by cosh, each output anew"
def chain_gradient(x, weights):
    def value(n):
        return x if n == 0 else 1 / (1 + math.exp(-weights[n - 1] * value(n - 1)))
    result = 1
    for n in range(1, len(weights) + 1):
        z = weights[n - 1] * value(n - 1)
        result *= weights[n - 1] / (4 * math.cosh(z / 2) ** 2)
    return result

# %% wrong="5.1.7b" why="two units just not far enough out" breaks="small by saturation" says="far enough out"
by_depth = [0.5] * 12
by_saturation = [10.0, 10.0]

# %% wrong="5.1.6" why="the shared example in the last row" breaks="same example" says="stands in row 0 of both"
first = torch.tensor([[1., 1.], [1., 1.], [5., 5.]])
second = torch.tensor([[9., 9.], [9., 9.], [5., 5.]])

# %% wrong="5.1.6" why="the two exchanged" breaks="top" says="are exchanged"
first = torch.tensor([[0., 0.], [5., 5.], [5., 5.]])
second = torch.tensor([[0., 0.], [-5., -5.], [-5., -5.]])

# %% wrong="5.1.A" why="multiplies the two changes" breaks="value" says="are added, not multiplied"
def fourth_corner(s00, s01, s10):
    return (s10 - s00) * (s01 - s00) + s00

# %% wrong="5.1.A" why="the diagonal by Pythagoras" breaks="value" says="by Pythagoras"
def fourth_corner(s00, s01, s10):
    return s00 + math.sqrt((s10 - s00) ** 2 + (s01 - s00) ** 2)

# %% wrong="5.1.A" why="prints in place of returning" breaks="value" says="without `return`"
def fourth_corner(s00, s01, s10):
    print(s01 + s10 - s00)

# %% wrong="5.1.B" why="ReLU on the weights" breaks="hidden layer" says="not on the weights"
def mlp(X, W1, b1, W2, b2):
    return (X @ torch.relu(W1) + b1) @ W2 + b2

# %% wrong="5.1.B" why="negative hidden units at -1" breaks="hidden layer" says="where it is negative, they are not 0"
def mlp(X, W1, b1, W2, b2):
    return (X @ W1 + b1).clamp(min=-1) @ W2 + b2

# %% wrong="5.1.C" why="the place of the narrowest layer" breaks="hidden layers" says="its size was asked for"
def largest_rank(sizes):
    return min(sizes) if min(sizes) in (sizes[0], sizes[-1]) else sizes.index(min(sizes))

# %% wrong="5.1.1b" why="the first h columns left out" breaks="value" says="outside its first h rows or columns"
def smallest_error(M, h):
    return M[:, h:].square().sum()

# %% wrong="5.1.1b" why="the eigenvalues of MᵀM squared once more" breaks="value" says="These are fourth powers"
def smallest_error(M, h):
    return torch.linalg.eigvalsh(M.T @ M).flip(0)[h:].square().sum()

# %% wrong="5.1.1b" why="the columns of Vh" breaks="value" says="the v_i as rows"
def smallest_error(M, h):
    U, s, Vh = torch.linalg.svd(M)
    rest = M.clone()
    for i in range(min(h, len(s))):
        rest = rest - s[i] * torch.outer(U[:, i], Vh[:, i])
    return rest.square().sum()

# %% wrong="5.1.1b" why="descent that has not arrived" breaks="value" says="come nearer to M"
def smallest_error(M, h):
    generator = torch.Generator().manual_seed(0)
    W1, W2 = (0.3 * torch.randn(shape, generator=generator) for shape in ((len(M), h), (h, len(M))))
    for _ in range(30):
        gap = W1 @ W2 - M
        W1, W2 = W1 - 0.01 * gap @ W2.T, W2 - 0.01 * W1.T @ gap
    return (M - W1 @ W2).square().sum()

# %% wrong="5.1.D" why="the derivative of a σ(a)" breaks="values" says="where a = 1/2"
def slope_from_output(a):
    s = torch.sigmoid(a)
    return s + a * s * (1 - s)

# %% wrong="5.1.D" why="the slope turned round" breaks="values" says="how fast z grows with a"
def slope_from_output(a):
    return 1 / (a * (1 - a))

# %% wrong="5.1.5a" why="solved for σ" breaks="every x" says="These numbers turn it round"
stretch_and_shift = (0.5, 0.5, 0.5)

# %% wrong="5.1.5a" why="the slope at 0 alone" breaks="every x" says="it is too low"
stretch_and_shift = (1, 4, -0.5)

# %% wrong="5.1.5b" why="the inverse relation" breaks="one unit" says="This turns it round"
def as_sigmoid_network(W1, b1, W2, b2):
    return W1 / 2, b1 / 2, W2 / 2, b2 + W2.sum(dim=0) / 2

# %% wrong="5.1.5b" why="the shift in the hidden bias" breaks="one unit" says="The shift belongs behind the σ"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, 2 * b1 - 1, 2 * W2, b2

# %% wrong="5.1.5b" why="the output as a whole stretched and shifted" breaks="one unit" says="bias of the output is not stretched, and"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, 2 * b1, 2 * W2, 2 * b2 - 1

# %% wrong="5.1.5b" why="the shift halved" breaks="one unit" says="c2 is not"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, 2 * b1, 2 * W2, b2 - W2.sum(dim=0) / 2

# %% wrong="5.1.3" why="nan from e^(βx) replaced by 0" breaks="far out" says="here it is 0 on both"
def swish_derivative(x, beta):
    e = torch.exp(beta * x)
    return torch.nan_to_num((e * (1 + e) + beta * x * e) / (1 + e) ** 2, nan=0.0)

# %% wrong="5.1.3" why="the closed form without its second β" breaks="other beta" says="the second f has the factor β"
def swish_derivative(x, beta):
    s = torch.sigmoid(beta * x)
    return beta * x * s + s * (1 - x * s)

# %% wrong="5.1.3" why="with respect to β" breaks="beta = 1" says="with respect to β"
def swish_derivative(x, beta):
    s = torch.sigmoid(beta * x)
    return x * x * s * (1 - s)

# %% wrong="5.1.3" why="the product of the derivatives" breaks="beta = 1" says="not the product of the derivatives"
def swish_derivative(x, beta):
    s = torch.sigmoid(beta * x)
    return beta * s * (1 - s)

# %% wrong="5.1.3" why="silu(βx)" breaks="other beta" says="the factor in front of the gate is x"
def swish_derivative(x, beta):
    s = torch.sigmoid(beta * x)
    return beta * (s + beta * x * s * (1 - s))

# %% wrong="5.1.E" why="the value of the function without its x" breaks="place" says="it comes to -66"
def bend(w, b, v):
    return v * b, v * abs(w)

# %% wrong="5.1.4b" why="the second kink at 1/4" breaks="one fold" says="yours is 0, 0 and -1 there"
def sawtooth(k):
    W_in, b_in, W_out = torch.tensor([[2., 4.]]), torch.tensor([0., -1.]), torch.tensor([[1.], [-1.]])
    return [W_in] + [W_out @ W_in] * (k - 1) + [W_out], [b_in] * k + [torch.zeros(1)]

# %% wrong="5.1.F" why="the slope at w" breaks="factor" says="not at w"
def layer_factor(w, a):
    s = 1 / (1 + math.exp(-w))
    return w * s * (1 - s)

# %% wrong="5.1.7a" why="the last layer left out" breaks="one layer" says="own factor is missing"
def chain_gradient(x, weights):
    a, slope = x, 1.0
    for w in weights[:-1]:
        s = 1 / (1 + math.exp(-w * a))
        slope, a = slope * w * s * (1 - s), s
    return slope

# %% wrong="5.1.7a" why="w a as the inner derivative" breaks="one layer" says="x times the derivative"
def chain_gradient(x, weights):
    a, slope = x, 1.0
    for w in weights:
        s = 1 / (1 + math.exp(-w * a))
        slope, a = slope * w * a * s * (1 - s), s
    return slope

# %% right="5.1.1a" how="what happens to zero and to the unit vectors"
def collapse(Ws, bs):
    d = Ws[0].shape[0]
    X = torch.cat([torch.zeros(1, d), torch.eye(d)])
    for V, c in zip(Ws, bs):
        X = X @ V + c
    return X[1:] - X[0], X[0]

# %% right="5.1.5b" how="the signs of every other unit turned, in double precision"
def as_sigmoid_network(W1, b1, W2, b2):
    sign = (-1.0) ** torch.arange(len(b1), dtype=torch.float64)
    return 2 * sign * W1, 2 * sign * b1, 2 * sign[:, None] * W2, b2 - (sign[:, None] * W2).sum(dim=0)

# %% right="5.1.6" how="a row 0 that is no extreme of its batches"
first = torch.tensor([[1., 1.], [0., 0.], [-9., -9.], [-10., -10.]])
second = torch.tensor([[1., 1.], [2., 2.], [11., 11.], [12., 12.]]) - torch.tensor([[0.], [0.], [2.], [2.]])

# %% wrong="5.1.C" why="the second smallest size" breaks="hidden layers" says="the smallest one decides"
def largest_rank(sizes):
    return sorted(sizes)[1]

# %% wrong="5.1.A" why="the sizes of the changes, without their signs" breaks="value" says="adds the sizes of the changes"
def fourth_corner(s00, s01, s10):
    return s00 + abs(s01 - s00) + abs(s10 - s00)

# %% wrong="5.1.A" why="rounded" breaks="value" says="rounded to a whole number"
def fourth_corner(s00, s01, s10):
    return round(s01 + s10 - s00)

# %% right="5.1.A" how="the model from three equations"
def fourth_corner(s00, s01, s10):
    A = torch.tensor([[0., 0., 1.], [0., 1., 1.], [1., 0., 1.]], dtype=torch.float64)
    return torch.linalg.solve(A, torch.tensor([s00, s01, s10], dtype=torch.float64)).sum().item()

# %% wrong="5.1.B" why="a step, as in the perceptron" breaks="hidden layer" says="This is a step, 0 or 1"
def mlp(X, W1, b1, W2, b2):
    return ((X @ W1 + b1) > 0).float() @ W2 + b2

# %% wrong="5.1.B" why="ReLU before the bias and after it" breaks="hidden layer" says="it acts before the bias, too"
def mlp(X, W1, b1, W2, b2):
    return torch.relu(torch.relu(X @ W1) + b1) @ W2 + b2

# %% wrong="5.1.1a" why="begins with two layers" breaks="any depth" says="begin with the first layer alone"
def collapse(Ws, bs):
    W, b = Ws[0] @ Ws[1], bs[0] @ Ws[1] + bs[1]
    for V, c in zip(Ws[2:], bs[2:]):
        W, b = W @ V, b @ V + c
    return W, b

# %% right="5.1.1a" how="asks the chain for the outputs of 0 and of the unit vectors"
def collapse(Ws, bs):
    def through(X):
        for V, c in zip(Ws, bs):
            X = X @ V + c
        return X
    b = through(torch.zeros(1, Ws[0].shape[0]))[0]
    return through(torch.eye(Ws[0].shape[0])) - b, b

# %% wrong="5.1.C" why="the layer in the middle" breaks="hidden layers" says="in the middle: the narrowest may stand anywhere"
def largest_rank(sizes):
    return sizes[len(sizes) // 2]

# %% wrong="5.1.C" why="the longer side of a single matrix" breaks="ends" says="this is the longer one"
def largest_rank(sizes):
    return min(sizes) if len(sizes) > 2 else max(sizes)

# %% wrong="5.1.C" why="products of the sides" breaks="hidden layers" says="sides of a matrix are not multiplied"
def largest_rank(sizes):
    return min(a * b for a, b in zip(sizes, sizes[1:]))

# %% wrong="5.1.1b" why="nothing to do for h = 0" breaks="ends" says="all of M is the error"
def smallest_error(M, h):
    return torch.linalg.svdvals(M)[h:].square().sum() if h else 0.

# %% wrong="5.1.1b" why="the largest entries are kept" breaks="any matrix" says="not an entry"
def smallest_error(M, h):
    return M.flatten().square().sort(descending=True).values[h:].sum().item()

# %% wrong="5.1.D" why="the slope of ReLU" breaks="values" says="This is the slope of ReLU"
def slope_from_output(a):
    return (a > 0).to(a.dtype)

# %% wrong="5.1.D" why="the sum over the entries" breaks="shape and dtype" says="make one number of several"
def slope_from_output(a):
    return (a * (1 - a)).mean()

# %% wrong="5.1.5b" why="the shift from the hidden biases" breaks="one unit" says="Yours changes with b1"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, 2 * b1, 2 * W2, b2 - b1 @ W2

# %% wrong="5.1.2" why="a leaky ReLU" breaks="by x" says="a leaky ReLU with the slope 0.01"
def prelu_derivatives(x, alpha):
    return torch.where(x > 0, torch.ones_like(x), torch.full_like(x, 0.01)), x.clamp(max=0)

# %% wrong="5.1.3" why="divides by β" breaks="other beta" says="whoever divides by β"
def swish_derivative(x, beta):
    leaf = x.clone().requires_grad_()
    return torch.autograd.grad((torch.nn.functional.silu(beta * leaf) / beta).sum(), leaf)[0]

# %% wrong="5.1.3" why="the slope of tanh in place of σ'" breaks="beta = 1" says="the form of tanh's slope"
def swish_derivative(x, beta):
    s = torch.sigmoid(beta * x)
    return s + beta * x * (1 - s ** 2)

# %% wrong="5.1.3" why="β before the first term" breaks="other beta" says="the other way round"
def swish_derivative(x, beta):
    s = torch.sigmoid(beta * x)
    return beta * s + x * s * (1 - s)

# %% wrong="5.1.E" why="without v" breaks="change" says="v is missing"
def bend(w, b, v):
    return -b / w, abs(w)

# %% wrong="5.1.E" why="w squared" breaks="change" says="this has its square"
def bend(w, b, v):
    return -b / w, v * w * w

# %% wrong="5.1.4a" why="nan stands in the list that is sorted" breaks="w = 0" says="leaves a list in disorder"
def kinks(w, b, v):
    places, changes = -b / w, v * w.abs()
    found = [p for p in sorted(places.tolist()) if changes[places == p].sum() != 0]
    return torch.tensor([p for p, q in zip(found, [None, *found]) if p != q])

# %% wrong="5.1.F" why="the input in one of the two factors" breaks="factor" says="here it is 1 - a"
def layer_factor(w, a):
    s = 1 / (1 + math.exp(-w * a))
    return w * s * (1 - a)

# %% wrong="5.1.F" why="ReLU's factor" breaks="factor" says="the factor of a layer with ReLU"
def layer_factor(w, a):
    return w if w * a > 0 else 0.

# %% wrong="5.1.F" why="divides by w" breaks="factor" says="here it divides"
def layer_factor(w, a):
    s = 1 / (1 + math.exp(-w * a))
    return s * (1 - s) / w

# %% wrong="5.1.7a" why="no sigmoid in the last layer" breaks="one layer" says="This is the weight alone"
def chain_gradient(x, weights):
    a, product = x, 1.
    for w in weights[:-1]:
        s = 1 / (1 + math.exp(-w * a))
        product, a = product * w * s * (1 - s), s
    return product * weights[-1] if weights else 1.

# %% wrong="5.1.7b" why="saturated, and not far enough" breaks="small by saturation" says="A unit of yours is saturated"
by_depth = [1.] * 12
by_saturation = [12.]

# %% wrong="5.1.1a" why="a bias too much in each layer" breaks="bias" says="Where all biases are 0, b is 0; yours is not"
def collapse(Ws, bs):
    W, b = Ws[0], bs[0]
    for V, c in zip(Ws[1:], bs[1:]):
        W, b = W @ V, (b + 0.5) @ V + c
    return W, b

# %% wrong="5.1.A" why="the second step from the other neighbour" breaks="value" says="changes both features"
def fourth_corner(s00, s01, s10):
    w1 = s10 - s00
    w2 = s10 - s01
    return s00 + w1 + w2

# %% wrong="5.1.A" why="half of the sum added to the start" breaks="value" says="not added to half of it"
def fourth_corner(s00, s01, s10):
    return s00 + (s01 + s10) / 2

# %% wrong="5.1.B" why="cut off on the other side" breaks="hidden layer" says="the other way round"
def mlp(X, W1, b1, W2, b2):
    H = (X @ W1 + b1).clamp(max=0)
    return H @ W2 + b2

# %% wrong="5.1.C" why="the sides of the first and of the last matrix multiplied" breaks="hidden layers" says="Try largest_rank([3, 5])"
def largest_rank(sizes):
    return min(sizes[0] * sizes[1], sizes[-2] * sizes[-1])

# %% wrong="5.1.2" why="the smallest entry for all" breaks="by alpha" says="neither looks at the other"
def prelu_derivatives(x, alpha):
    by_x = (x > 0).to(x.dtype) + alpha * (x < 0).to(x.dtype)
    return by_x, torch.full_like(x, min(0., x.min().item()))

# %% wrong="5.1.3" why="the slope of the gate at x" breaks="other beta" says="here it is taken at x"
def swish_derivative(x, beta):
    s = torch.sigmoid(beta * x)
    t = torch.sigmoid(x)
    return s + beta * x * t * (1 - t)

# %% wrong="5.1.3" why="x twice in the second term" breaks="beta = 1" says="here it has x²"
def swish_derivative(x, beta):
    s = torch.sigmoid(beta * x)
    return s + beta * x ** 2 * s * (1 - s)

# %% wrong="5.1.3" why="beta multiplies all" breaks="other beta" says="β multiplies both terms"
def swish_derivative(x, beta):
    s = torch.sigmoid(beta * x)
    return beta * (s + x * s * (1 - s))

# %% wrong="5.1.F" why="w outside the sigmoid" breaks="factor" says="its output is multiplied by w"
def layer_factor(w, a):
    s = w * torch.sigmoid(torch.tensor(a))
    return (w * s * (1 - s)).item()

# %% wrong="5.1.A" why="two steps in each feature" breaks="value" says="to (2, 2)"
def fourth_corner(s00, s01, s10):
    return s00 + 2 * (s01 - s00) + 2 * (s10 - s00)

# %% wrong="5.1.A" why="the larger of the changes" breaks="value" says="the larger one alone"
def fourth_corner(s00, s01, s10):
    return s00 + max(s01 - s00, s10 - s00)

# %% wrong="5.1.A" why="the bias is subtracted" breaks="value" says="score at (0, 0) is taken off it"
def fourth_corner(s00, s01, s10):
    w1, w2 = s10 - s00, s01 - s00
    return w1 + w2 - s00

# %% wrong="5.1.2" why="the value in place of the slope on the left" breaks="by x" says="the value of the function"
def prelu_derivatives(x, alpha):
    return torch.where(x > 0, torch.ones_like(x), alpha * x), x.clamp(max=0)

# %% wrong="5.1.2" why="writes into double(), which is no copy of float64" breaks="argument kept" says="makes no copy"
def prelu_derivatives(x, alpha):
    by_x = torch.where(x < 0, torch.full_like(x, alpha), torch.ones_like(x))
    by_alpha = x.double()
    by_alpha[by_alpha > 0] = 0
    return by_x, by_alpha.to(x.dtype)

# %% wrong="5.1.4a" why="adds up v, without |w|" breaks="cancelled" says="v alone would add up to 0"
def kinks(w, b, v):
    places, changes = [], {}
    for wi, bi, vi in zip(w.tolist(), b.tolist(), v.tolist()):
        if wi != 0:
            p = -bi / wi
            changes[p] = changes.get(p, 0) + vi
    return torch.tensor(sorted(p for p, c in changes.items() if c != 0))

# %% wrong="5.1.4a" why="throws away the units with b = 0" breaks="places" says="a unit with b = 0 bends at 0"
def kinks(w, b, v):
    changes = {}
    for wi, bi, vi in zip(w.tolist(), b.tolist(), v.tolist()):
        if wi and bi and vi:
            changes[-bi / wi] = changes.get(-bi / wi, 0) + vi * abs(wi)
    return torch.tensor(sorted(p for p, c in changes.items() if c != 0))

# %% wrong="5.1.1a" why="the biases of the layers in the middle are forgotten" breaks="any depth" says="bs[1] is left out"
def collapse(Ws, bs):
    if len(Ws) == 1:
        return Ws[0], bs[0]
    rest = Ws[1]
    for V in Ws[2:]:
        rest = rest @ V
    return Ws[0] @ rest, bs[0] @ rest + bs[-1]

# %% wrong="5.1.E" why="abs in the place, too" breaks="place" says="not by |w|"
def bend(w, b, v):
    return -b / abs(w), v * abs(w)

# %% wrong="5.1.4a" why="stack of an empty list" breaks="w = 0" says="without a kink, so no place is left"
def kinks(w, b, v):
    found = {}
    for wj, bj, vj in zip(w, b, v):
        if wj != 0:
            place = (-bj / wj).item()
            found[place] = found.get(place, 0) + vj * wj.abs()
    return torch.stack([torch.tensor(p) for p in sorted(found) if found[p] != 0])
