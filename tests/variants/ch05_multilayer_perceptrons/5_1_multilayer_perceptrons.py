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

# %% wrong="5.1.1a" why="keeps only the last bias" says="The biases of the first layer do not pass"
def collapse(Ws, bs):
    W = Ws[0]
    for more in Ws[1:]:
        W = W @ more
    return W, bs[-1]

# %% wrong="5.1.1a" why="multiplies in the wrong order" says="raised RuntimeError"
def collapse(Ws, bs):
    W, b = Ws[0], bs[0]
    for more_W, more_b in zip(Ws[1:], bs[1:]):
        W, b = more_W @ W, more_W @ b + more_b
    return W, b

# %% wrong="5.1.1a" why="handles two layers only" says="raised RuntimeError"
def collapse(Ws, bs):
    W1, W2 = Ws[0], Ws[-1]
    return W1 @ W2, bs[0] @ W2 + bs[-1]

# %% wrong="5.1.1a" why="the bias as a matrix with one row" says="the shape of b for layers of 3, 4 and 2 units"
def collapse(Ws, bs):
    W, b = Ws[0], bs[0][None]
    for more_W, more_b in zip(Ws[1:], bs[1:]):
        W, b = W @ more_W, b @ more_W + more_b
    return W, b

# %% wrong="5.1.1a" why="writes into the caller's list" says="are left as they were"
def collapse(Ws, bs):
    while len(Ws) > 1:
        W, b = Ws.pop(0), bs.pop(0)
        bs[0] = b @ Ws[0] + bs[0]
        Ws[0] = W @ Ws[0]
    return Ws[0], bs[0]

# %% right="5.1.1b" how="eigenvalues of M transposed times M"
def smallest_error(M, h):
    values = torch.linalg.eigvalsh(M.T @ M).clamp(min=0)
    return values[:max(len(M) - h, 0)].sum().item()

# %% right="5.1.1b" how="the truncated matrix itself"
def smallest_error(M, h):
    U, S, Vh = torch.linalg.svd(M)
    S[h:] = 0
    return torch.linalg.matrix_norm(M - U @ torch.diag(S) @ Vh) ** 2

# %% wrong="5.1.1b" why="sum of the values without the square" says="The square is missing"
def smallest_error(M, h):
    return torch.linalg.svdvals(M)[h:].sum()

# %% wrong="5.1.1b" why="the square of the sum" says="add up the squares"
def smallest_error(M, h):
    return torch.linalg.svdvals(M)[h:].sum() ** 2

# %% wrong="5.1.1b" why="the norm, not its square" says="its square was asked for"
def smallest_error(M, h):
    return torch.linalg.svdvals(M)[h:].square().sum().sqrt()

# %% wrong="5.1.1b" why="keeps the first h rows" says="two hidden units for the diagonal 1, 3, -2"
def smallest_error(M, h):
    return M[h:].square().sum()

# %% wrong="5.1.1b" why="eigenvalues of a matrix that is not symmetric" says="that is not symmetric"
def smallest_error(M, h):
    values = torch.linalg.eigvals(M).abs().sort(descending=True).values
    return values[h:].square().sum()

# %% wrong="5.1.1b" why="the part that is kept" says="three hidden units for a 3 × 3 matrix"
def smallest_error(M, h):
    return torch.linalg.svdvals(M)[:h].square().sum()

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

# %% wrong="5.1.2" why="x for positive entries too" says="For x > 0 the output does not depend"
def prelu_derivatives(x, alpha):
    return torch.where(x > 0, 1.0, alpha).to(x.dtype), x.clone()

# %% wrong="5.1.2" why="an indicator for α" says="The factor of α is min(0, x)"
def prelu_derivatives(x, alpha):
    return torch.where(x > 0, 1.0, alpha).to(x.dtype), (x < 0).to(x.dtype)

# %% wrong="5.1.2" why="the other term's factor for α" says="This is max(0, x)"
def prelu_derivatives(x, alpha):
    return torch.where(x > 0, 1.0, alpha).to(x.dtype), x.clamp(min=0)

# %% wrong="5.1.2" why="the derivative of ReLU" says="with respect to x at -2, 3, -0.5"
def prelu_derivatives(x, alpha):
    return (x > 0).to(x.dtype), x.clamp(max=0)

# %% wrong="5.1.2" why="max(x, αx), which is pReLU only for α up to 1" says="α = 1.8"
def prelu_derivatives(x, alpha):
    x = x.clone().requires_grad_()
    a = torch.full_like(x, alpha, requires_grad=True)
    return torch.autograd.grad(torch.maximum(x, a * x).sum(), (x, a))

# %% wrong="5.1.2" why="sums over the entries for α" says="with respect to α"
def prelu_derivatives(x, alpha):
    return torch.where(x > 0, 1.0, alpha).to(x.dtype), x.clamp(max=0).sum()

# %% wrong="5.1.2" why="overwrites x" says="x is left as it was"
def prelu_derivatives(x, alpha):
    by_x = torch.where(x > 0, torch.ones_like(x), alpha * torch.ones_like(x))
    return by_x, x.clamp_(max=0)

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

# %% wrong="5.1.3" why="the first term only" says="The second term of the product rule"
def swish_derivative(x, beta):
    return torch.sigmoid(beta * x)

# %% wrong="5.1.3" why="Swish itself" says="the derivative at 0, -1000 and 1000"
def swish_derivative(x, beta):
    return x * torch.sigmoid(beta * x)

# %% wrong="5.1.3" why="forgets the inner derivative β" says="The inner derivative"
def swish_derivative(x, beta):
    s = torch.sigmoid(beta * x)
    return s + x * s * (1 - s)

# %% wrong="5.1.3" why="exp overflows to inf, and inf / inf is nan" says="an exp that overflows"
def swish_derivative(x, beta):
    e = torch.exp(-beta * x)
    return 1 / (1 + e) + beta * x * e / (1 + e) ** 2

# %% wrong="5.1.3" why="ignores β" says="β = 2.5"
def swish_derivative(x, beta):
    s = torch.sigmoid(x)
    return s + x * s * (1 - s)

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

# %% wrong="5.1.4a" why="every unit makes a kink" says="the kinks of ReLU(x) - ReLU(-x)"
def kinks(w, b, v):
    return (-b / w).sort().values

# %% wrong="5.1.4a" why="each place once, but no look at the change" says="add up the changes of the slope"
def kinks(w, b, v):
    return torch.unique(-b[w != 0] / w[w != 0])

# %% wrong="5.1.4a" why="units with w = 0 give infinite places" says="a unit with w = 0"
def kinks(w, b, v):
    places, where = torch.unique(-b / w, return_inverse=True)
    change = torch.zeros_like(places).index_add_(0, where, v * (w.abs() + (w == 0)))
    return places[change != 0]

# %% wrong="5.1.4a" why="the change of the slope is v w, with its sign" says="the kinks of ReLU(x) - ReLU(-x)"
def kinks(w, b, v):
    used = w != 0
    places, where = torch.unique(-b[used] / w[used], return_inverse=True)
    change = torch.zeros_like(places).index_add_(0, where, v[used] * w[used])
    return places[change != 0]

# %% wrong="5.1.4a" why="the change of the slope is v, without w" says="two units whose changes cancel"
def kinks(w, b, v):
    used = w != 0
    places, where = torch.unique(-b[used] / w[used], return_inverse=True)
    change = torch.zeros_like(places).index_add_(0, where, v[used])
    return places[change != 0]

# %% wrong="5.1.4a" why="the sign of the place is wrong" says="the kinks of a hat"
def kinks(w, b, v):
    used = w != 0
    places, where = torch.unique(b[used] / w[used], return_inverse=True)
    change = torch.zeros_like(places).index_add_(0, where, v[used] * w[used].abs())
    return places[change != 0]

# %% wrong="5.1.4a" why="in the order of the units" says="out of order"
def kinks(w, b, v):
    result = []
    for i in range(len(w)):
        if w[i] != 0:
            place = -b[i] / w[i]
            same = (w != 0) & (-b == place * w)
            if (v * w.abs())[same].sum() != 0 and place not in result:
                result.append(place)
    return torch.stack(result) if result else torch.zeros(0)

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

# %% wrong="5.1.4b" why="folds once, whatever k" says="T applied twice"
def sawtooth(k):
    eye = torch.eye(2)
    return ([torch.tensor([[1., 1.]])] + [eye] * (k - 1) + [torch.tensor([[2.], [-4.]])],
            [torch.tensor([0., -0.5])] + [torch.zeros(2)] * (k - 1) + [torch.zeros(1)])

# %% wrong="5.1.4b" why="slope falls by 2, not by 4" says="T at 0, 1/4, 1/2, 3/4, 1"
def sawtooth(k):
    into, fold = torch.tensor([[1., 1.]]), torch.tensor([[2.], [-2.]])
    return [into] + [fold @ into] * (k - 1) + [fold], [torch.tensor([0., -0.5])] * k + [torch.zeros(1)]

# %% wrong="5.1.4b" why="one wide hidden layer" says="the number of weight matrices for k ="
def sawtooth(k):
    n = 2 ** k
    bends = torch.tensor([n] + [-2 * n * (-1) ** i for i in range(n - 1)], dtype=torch.float32)
    return [torch.ones(1, n), bends[:, None]], [-torch.arange(n) / n, torch.zeros(1)]

# %% wrong="5.1.4b" why="2k layers, one of one unit after each fold" says="nothing stands between the map"
def sawtooth(k):
    into, fold, b = torch.tensor([[1., 1.]]), torch.tensor([[2.], [-4.]]), torch.tensor([0., -0.5])
    return [into, fold] * k, [b, torch.zeros(1)] * k

# %% wrong="5.1.4b" why="a layer of one unit with a ReLU after each fold" says="the number of weight matrices for k = 3"
def sawtooth(k):
    into, fold, b = torch.tensor([[1., 1.]]), torch.tensor([[2.], [-4.]]), torch.tensor([0., -0.5])
    if k <= 2:
        return [into] + [fold @ into] * (k - 1) + [fold], [b] * k + [torch.zeros(1)]
    return [into, fold] * k, [b, torch.zeros(1)] * k

# %% wrong="5.1.4b" why="hard-coded for k = 1 and 2" says="for k = 3"
def sawtooth(k):
    into, fold, b = torch.tensor([[1., 1.]]), torch.tensor([[2.], [-4.]]), torch.tensor([0., -0.5])
    if k == 1:
        return [into, fold], [b, torch.zeros(1)]
    return [into, fold @ into, fold], [b, b, torch.zeros(1)]

# %% right="5.1.5a" how="both sigmoids"
def tanh_by_sigmoid(x):
    return torch.sigmoid(2 * x) - torch.sigmoid(-2 * x)

# %% right="5.1.5a" how="torch.tanh"
def tanh_by_sigmoid(x):
    return x.tanh()

# %% wrong="5.1.5a" why="does not stretch the argument" says="The argument of the sigmoid is 2x"
def tanh_by_sigmoid(x):
    return 2 * torch.sigmoid(x) - 1

# %% wrong="5.1.5a" why="forgets the shift" says="tanh of 0, -1000, 1000 and 0.5"
def tanh_by_sigmoid(x):
    return 2 * torch.sigmoid(2 * x)

# %% wrong="5.1.5a" why="exp overflows" says="yours is nan"
def tanh_by_sigmoid(x):
    return (1 - torch.exp(-2 * x)) / (1 + torch.exp(-2 * x))

# %% wrong="5.1.5a" why="float32 inside" says="wrong dtype: got float32"
def tanh_by_sigmoid(x):
    return 2 * torch.sigmoid(2 * x.float()) - 1

# %% right="5.1.5b" how="a bias as ones times weights"
def as_sigmoid_network(W1, b1, W2, b2):
    return W1 * 2, b1 + b1, W2 + W2, b2 - torch.ones(len(W2), dtype=W2.dtype) @ W2

# %% right="5.1.5b" how="the mirrored unit: tanh(z) = 1 - 2σ(-2z)"
def as_sigmoid_network(W1, b1, W2, b2):
    return [-2 * W1, -2 * b1, -2 * W2, b2 + W2.sum(0)]

# %% wrong="5.1.5b" why="the output bias stays" says="the -1 is missing"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, 2 * b1, 2 * W2, b2

# %% wrong="5.1.5b" why="subtracts 1 from the bias" says="multiplied by the weight"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, 2 * b1, 2 * W2, b2 - 1

# %% wrong="5.1.5b" why="sums over the outputs" says="raised RuntimeError"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, 2 * b1, 2 * W2, b2 - W2.sum(dim=1)

# %% wrong="5.1.5b" why="forgets to double b1" says="5 tanh(3x + 4) + 7"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, b1, 2 * W2, b2 - W2.sum(dim=0)

# %% wrong="5.1.5b" why="sums all of W2" says="two inputs, three hidden units, two outputs"
def as_sigmoid_network(W1, b1, W2, b2):
    return 2 * W1, 2 * b1, 2 * W2, b2 - W2.sum()

# %% wrong="5.1.5b" why="in the caller's memory" says="are left as they were"
def as_sigmoid_network(W1, b1, W2, b2):
    b2 -= W2.sum(dim=0)
    W1 *= 2
    b1 *= 2
    W2 *= 2
    return W1.clone(), b1.clone(), W2.clone(), b2.clone()

# %% right="5.1.6" how="four rows, another example"
first = torch.tensor([[4., -4.], [1., -7.], [1., -7.], [1., -7.]])
second = torch.tensor([[4., -4.], [10., 10.], [10., 10.]])

# %% right="5.1.6" how="drawn at random around the example"
generator = torch.Generator().manual_seed(1)
first = torch.cat([torch.zeros(1, 2), -1 - torch.rand(6, 2, generator=generator)]).double()
second = -first

# %% wrong="5.1.6" why="one batch is the other shuffled" says="row 0 of the second batch"
first = torch.tensor([[0., 0.], [-1., -1.], [-1., -2.]])
second = torch.tensor([[0., 0.], [-1., -2.], [-1., -1.]])

# %% wrong="5.1.6" why="different examples in row 0" says="row 0 of first and of second"
first = torch.tensor([[1., 1.], [-1., -1.], [-1., -1.]])
second = torch.tensor([[-1., -1.], [1., 1.], [1., 1.]])

# %% wrong="5.1.6" why="one column only" says="row 0 of the second batch"
first = torch.tensor([[0., 0.], [-1., -1.], [-1., -1.]])
second = torch.tensor([[0., 0.], [1., -1.], [1., -1.]])

# %% wrong="5.1.6" why="integers have no mean" says="holds floating point numbers"
first = torch.tensor([[0, 0], [-1, -1], [-1, -1]])
second = torch.tensor([[0, 0], [1, 1], [1, 1]])

# %% wrong="5.1.6" why="batches of two give a little less than 1" says="row 0 of the first batch"
first = torch.tensor([[0., 0.], [-1., -1.]])
second = torch.tensor([[0., 0.], [1., 1.]])

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

# %% wrong="5.1.7a" why="forgets the weights" says="The weights are factors"
def chain_gradient(x, weights):
    a, gradient = torch.tensor(x, dtype=torch.float64), 1.0
    for w in weights:
        a = torch.sigmoid(w * a)
        gradient = gradient * a * (1 - a)
    return float(gradient)

# %% wrong="5.1.7a" why="the slope of every layer at x" says="taken at its input"
def chain_gradient(x, weights):
    gradient = torch.ones((), dtype=torch.float64)
    for w in weights:
        s = torch.sigmoid(torch.tensor(w * x, dtype=torch.float64))
        gradient = gradient * w * s * (1 - s)
    return gradient

# %% wrong="5.1.7a" why="the weights in reversed order" says="two layers, w = 2 and 1"
def chain_gradient(x, weights):
    a, gradient = torch.tensor(x, dtype=torch.float64), 1.0
    for w in reversed(weights):
        a = torch.sigmoid(w * a)
        gradient = gradient * w * a * (1 - a)
    return float(gradient)

# %% wrong="5.1.7a" why="the last layer only" says="two layers, w = 2 and 1"
def chain_gradient(x, weights):
    a, gradient = torch.tensor(x, dtype=torch.float64), 1.0
    for w in weights:
        a = torch.sigmoid(w * a)
        gradient = w * a * (1 - a)
    return float(gradient)

# %% wrong="5.1.7a" why="a difference quotient loses the digits of small derivatives" says="layers at x ="
def chain_gradient(x, weights):
    if not weights:
        return 1.0

    def value(x):
        a = torch.tensor(x, dtype=torch.float64)
        for w in weights:
            a = torch.sigmoid(w * a)
        return a.item()

    return (value(x + 1e-6) - value(x - 1e-6)) / 2e-6

# %% right="5.1.7b" how="alternating signs, and two layers that saturate"
by_depth = (-0.5, 0.5) * 5
by_saturation = (30, -20)

# %% right="5.1.7b" how="eleven layers; a negative weight"
by_depth = [0.9] * 11
by_saturation = [-30.]

# %% wrong="5.1.7b" why="too few layers" says="are there enough of them?"
by_depth = [1.0] * 6
by_saturation = [25.0]

# %% wrong="5.1.7b" why="so far out that the slope is exactly 0" says="rounds to exactly 1"
by_depth = [1.0] * 12
by_saturation = [40.0]

# %% wrong="5.1.7b" why="a weight of 0 in place of depth" says="by_depth has at most 12 weights, of size 0.5 to 1"
by_depth = [0.0]
by_saturation = [25.0]

# %% wrong="5.1.7b" why="not far enough out" says="on the flat part"
by_depth = [1.0] * 12
by_saturation = [8.0]
