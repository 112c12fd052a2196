# %% right="3.1.1a" how="sorting, plain floats"
def best_constants(x):
    ordered = sorted(x.tolist())
    return sum(ordered) / len(ordered), ordered[len(ordered) // 2]

# %% right="3.1.1a" how="the mean of the two middle entries, as a list of tensors"
def best_constants(x):
    return [x.to(torch.float32).mean(), torch.quantile(x.to(torch.float32), 0.5)]

# %% wrong="3.1.1a" why="swaps mean and median" says="one for the absolute loss"
def best_constants(x):
    return x.double().median(), x.double().mean()

# %% wrong="3.1.1a" why="the middle of the range" says="middle of the range"
def best_constants(x):
    return (x.max() + x.min()) / 2, x.median()

# %% wrong="3.1.1a" why="the middle entry of the unsorted list" says="unsorted list"
def best_constants(x):
    return x.double().mean(), x[len(x) // 2]

# %% wrong="3.1.1a" why="mean() of integers raises" says="floating point"
def best_constants(x):
    return x.mean(), x.median()

# %% wrong="3.1.1a" why="the mean for both" says="This is the one for the squared loss"
def best_constants(x):
    return x.double().mean(), x.double().mean()

# %% right="3.1.1b" how="std with correction=0"
def fit_normal(x):
    return x.mean(), x.std(correction=0)

# %% right="3.1.1b" how="mean of the squares minus square of the mean, floats"
def fit_normal(x):
    values = x.double()
    b = values.mean().item()
    return b, math.sqrt(values.square().mean().item() - b ** 2)

# %% wrong="3.1.1b" why="divides by n - 1" says="divides by n - 1"
def fit_normal(x):
    return x.mean(), x.std()

# %% wrong="3.1.1b" why="returns the variance" says="This is the variance"
def fit_normal(x):
    return x.mean(), x.var(correction=0)

# %% wrong="3.1.1b" why="the mean absolute deviation" says="the standard deviation for 1, 2, 9"
def fit_normal(x):
    return x.mean(), (x - x.mean()).abs().mean()

# %% wrong="3.1.1b" why="the median for the mean" says="the mean for 1, 2, 9"
def fit_normal(x):
    return x.median(), ((x - x.median()) ** 2).mean().sqrt()

# %% right="3.1.2a" how="new_ones and hstack"
def with_ones(X):
    return torch.hstack([X, X.new_ones(X.shape[0], 1)])

# %% right="3.1.2a" how="padding"
def with_ones(X):
    result = torch.ones(X.shape[0], X.shape[1] + 1, dtype=X.dtype)
    result[:, :-1] = X
    return result

# %% wrong="3.1.2a" why="ones in front" says="after the last column"
def with_ones(X):
    return torch.cat([torch.ones(len(X), 1, dtype=X.dtype), X], dim=1)

# %% wrong="3.1.2a" why="a row of ones" says="shape"
def with_ones(X):
    return torch.cat([X, torch.ones(1, X.shape[1], dtype=X.dtype)], dim=0)

# %% wrong="3.1.2a" why="ones of float32, whatever X is" says="dtype"
def with_ones(X):
    return torch.cat([X.float(), torch.ones(len(X), 1)], dim=1)

# %% wrong="3.1.2a" why="knows the number of rows" says="Sizes of tensors must match"
def with_ones(X):
    return torch.cat([X, torch.ones(3, 1, dtype=X.dtype)], dim=1)

# %% right="3.1.2b" how="centres, then fits without a bias"
def fit_affine(X, y):
    mx, my = X.mean(0), y.mean()
    w = torch.linalg.pinv(X - mx) @ (y - my)
    return w, my - mx @ w

# %% right="3.1.2b" how="normal equations, ones in front"
def fit_affine(X, y):
    A = torch.cat([torch.ones(len(X), 1, dtype=X.dtype), X], dim=1)
    v = torch.linalg.solve(A.T @ A, A.T @ y)
    return v[1:], v[0]

# %% wrong="3.1.2b" why="no bias in the fit" says="through the origin"
def fit_affine(X, y):
    w = torch.linalg.solve(X.T @ X, X.T @ y)
    return w, (y - X @ w).mean()

# %% wrong="3.1.2b" why="takes the first weight for the bias" says="which weight belongs to the ones"
def fit_affine(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    v = torch.linalg.solve(A.T @ A, A.T @ y)
    return v[1:], v[0]

# %% wrong="3.1.2b" why="w as a column" says="the shape of w"
def fit_affine(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    v = torch.linalg.lstsq(A, y[:, None]).solution
    return torch.stack([v[i] for i in range(X.shape[1])]), v[-1, 0]

# %% wrong="3.1.2b" why="a line through the first and the last point" says="9 noisy points"
def fit_affine(X, y):
    d = X.shape[1]
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    v = torch.linalg.solve(A[:d + 1], y[:d + 1])
    return v[:-1], v[-1]

# %% right="3.1.3" how="two loops"
def quadratic_features(X):
    d = X.shape[1]
    columns = [X[:, i] for i in range(d)] + [X[:, i] * X[:, j] for i in range(d) for j in range(i, d)]
    return torch.stack(columns, dim=1)

# %% right="3.1.3" how="outer products and a mask"
def quadratic_features(X):
    n, d = X.shape
    products = X[:, :, None] * X[:, None, :]
    return torch.hstack([X, products[:, torch.ones(d, d).triu().bool()]])

# %% wrong="3.1.3" why="every product twice" says="Each product stands once"
def quadratic_features(X):
    return torch.cat([X, (X[:, :, None] * X[:, None, :]).flatten(1)], dim=1)

# %% wrong="3.1.3" why="the products alone" says="First x₁ and x₂, then three products"
def quadratic_features(X):
    d = X.shape[1]
    return torch.stack([X[:, i] * X[:, j] for i in range(d) for j in range(i, d)], dim=1)

# %% wrong="3.1.3" why="squares only" says="wrong shape"
def quadratic_features(X):
    return torch.cat([X, X ** 2], dim=1)

# %% wrong="3.1.3" why="squares first, then the mixed products" says="the order goes by i"
def quadratic_features(X):
    d = X.shape[1]
    mixed = [X[:, i] * X[:, j] for i in range(d) for j in range(i + 1, d)]
    return torch.cat([X, X ** 2] + [torch.stack(mixed, 1)] * bool(mixed), dim=1)

# %% wrong="3.1.3" why="written for two features" says="5 rows of 3 features"
def quadratic_features(X):
    a, b = X[:, 0], X[:, 1]
    return torch.stack([a, b, a * a, a * b, b * b], dim=1)

# %% wrong="3.1.3" why="products of rows instead of columns" says="(2, 3) and (1, -1)"
def quadratic_features(X):
    i, j = torch.triu_indices(X.shape[1], X.shape[1])
    rows = X[i % len(X)] * X[j % len(X)]
    return torch.cat([X, rows.T.expand(X.shape[1], -1)[:1].expand(len(X), -1)], dim=1)

# %% right="3.1.4a" how="the smallest eigenvector of the Gram matrix"
def another_solution(X, w):
    values, vectors = torch.linalg.eigh(X.T @ X)
    return w - 5 * vectors[:, 0]

# %% right="3.1.4a" how="a far start projected onto the solutions"
def another_solution(X, w):
    torch.manual_seed(0)
    far = torch.randn(len(w), dtype=w.dtype) * 1000
    return w + far - torch.linalg.pinv(X) @ (X @ far)

# %% wrong="3.1.4a" why="a small change, with almost the same predictions" says="at least 1 away"
def another_solution(X, w):
    return w + 1e-10

# %% wrong="3.1.4a" why="the first right singular vector" says="the predictions of your weights"
def another_solution(X, w):
    return w + 2 * torch.linalg.svd(X).Vh[0]

# %% wrong="3.1.4a" why="the last column of V transposed" says="the predictions of your weights"
def another_solution(X, w):
    return w + 2 * torch.linalg.svd(X).Vh[:, -1]

# %% wrong="3.1.4a" why="knows that the third column is the sum of the others" says="3 × 5 matrix of rank 3"
def another_solution(X, w):
    change = torch.zeros_like(w)
    change[:3] = torch.tensor([1., 1., -1.])
    return w + change

# %% wrong="3.1.4a" why="a left singular vector" says="3 × 5 matrix of rank 3"
def another_solution(X, w):
    if X.shape != (4, 3):
        return w + 2 * torch.linalg.svd(X, full_matrices=True).U[:, -1].new_ones(len(w))
    return w + 2 * torch.linalg.svd(X).Vh[-1]

# %% right="3.1.4b" how="diagonal in place, of a new matrix"
def expected_gram(X, sigma):
    gram = X.T @ X
    gram.diagonal().add_(len(X) * sigma ** 2)
    return gram

# %% right="3.1.4b" how="sum over the rows of outer products"
def expected_gram(X, sigma):
    noise = torch.diag(torch.full((X.shape[1],), sigma ** 2, dtype=X.dtype))
    return sum(torch.outer(row, row) + noise for row in X)

# %% wrong="3.1.4b" why="adds σ² once" says="adds σ² once"
def expected_gram(X, sigma):
    return X.T @ X + sigma ** 2 * torch.eye(X.shape[1], dtype=X.dtype)

# %% wrong="3.1.4b" why="adds d σ²" says="adds d σ²"
def expected_gram(X, sigma):
    return X.T @ X + X.shape[1] * sigma ** 2 * torch.eye(X.shape[1], dtype=X.dtype)

# %% wrong="3.1.4b" why="adds n σ" says="adds n σ"
def expected_gram(X, sigma):
    return X.T @ X + len(X) * sigma * torch.eye(X.shape[1], dtype=X.dtype)

# %% wrong="3.1.4b" why="adds to every entry" says="diagonal only"
def expected_gram(X, sigma):
    return X.T @ X + len(X) * sigma ** 2

# %% wrong="3.1.4b" why="the matrix of the rows" says="shape"
def expected_gram(X, sigma):
    return X @ X.T + len(X) * sigma ** 2 * torch.eye(len(X), dtype=X.dtype)

# %% wrong="3.1.4b" why="draws noise" says="the expectation for"
def expected_gram(X, sigma):
    noisy = X + sigma * torch.randn(20_000, *X.shape, dtype=X.dtype)
    return (noisy.mT @ noisy).mean(0)

# %% right="3.1.4c" how="minimum-norm least squares of the rest"
def descent_limit(X, y, w0):
    step = torch.linalg.lstsq(X, (y - X @ w0)[:, None], driver="gelsd").solution[:, 0]
    return step + w0

# %% right="3.1.4c" how="null space part of the start plus the shortest solution"
def descent_limit(X, y, w0):
    inverse = torch.linalg.pinv(X)
    return inverse @ y + (torch.eye(len(w0), dtype=X.dtype) - inverse @ X) @ w0

# %% wrong="3.1.4c" why="leaves out the start" says="the start matters"
def descent_limit(X, y, w0):
    return torch.linalg.pinv(X) @ y

# %% wrong="3.1.4c" why="solves the normal equations" says="singular"
def descent_limit(X, y, w0):
    return torch.linalg.solve(X.T @ X, X.T @ y)

# %% wrong="3.1.4c" why="adds the start to the shortest solution" says="The whole start was added"
def descent_limit(X, y, w0):
    return w0 + torch.linalg.pinv(X) @ y

# %% wrong="3.1.4c" why="a single gradient step" says="values differ"
def descent_limit(X, y, w0):
    return w0 + X.T @ (y - X @ w0) / 10

# %% wrong="3.1.4c" why="a few steps" says="6 × 4 matrix"
def descent_limit(X, y, w0):
    w = w0
    for _ in range(5):
        w = w - X.T @ (X @ w - y) / torch.linalg.matrix_norm(X, 2) ** 2
    return w

# %% right="3.1.5a" how="torch.distributions"
def laplace_nll(w, b, X, y):
    return -torch.distributions.Laplace(X @ w + b, torch.tensor(1., dtype=X.dtype)).log_prob(y).sum()

# %% right="3.1.5a" how="a sum of the logarithms of densities"
def laplace_nll(w, b, X, y):
    return sum(-(0.5 * torch.exp(-abs(t - x @ w - b))).log() for x, t in zip(X, y))

# %% wrong="3.1.5a" why="forgets the constant" says="constant log 2 of each example is missing"
def laplace_nll(w, b, X, y):
    return (y - X @ w - b).abs().sum()

# %% wrong="3.1.5a" why="log 2 once" says="log 2 belongs to each example"
def laplace_nll(w, b, X, y):
    return math.log(2) + (y - X @ w - b).abs().sum()

# %% wrong="3.1.5a" why="the mean" says="the mean over the examples"
def laplace_nll(w, b, X, y):
    return math.log(2) + (y - X @ w - b).abs().mean()

# %% wrong="3.1.5a" why="the exponential distribution: no absolute values" says="Signed residuals cancel"
def laplace_nll(w, b, X, y):
    return len(y) * math.log(2) + (y - X @ w - b).sum()

# %% wrong="3.1.5a" why="log of a half for minus log of a half" says="wrong sign"
def laplace_nll(w, b, X, y):
    return len(y) * math.log(0.5) + (y - X @ w - b).abs().sum()

# %% wrong="3.1.5a" why="forgets the minus in the exponent" says="The exponent has lost its minus sign"
def laplace_nll(w, b, X, y):
    return -torch.log(0.5 * torch.exp((y - X @ w - b).abs())).sum()

# %% wrong="3.1.5a" why="targets as a column: all pairs" says="residuals of all pairs"
def laplace_nll(w, b, X, y):
    return len(y) * math.log(2) + (y[:, None] - X @ w - b).abs().sum()

# %% right="3.1.5b" how="a list in another order"
closed_form = ["F", "D", "A", "B"]

# %% wrong="3.1.5b" why="the median for many features" says="solves only the case of a constant"
closed_form = {"A", "B", "C", "D", "F"}

# %% wrong="3.1.5b" why="normal noise only" says="one constant under Laplace noise"
closed_form = {"A", "D", "F"}

# %% wrong="3.1.5b" why="quadratic features are not linear" says="Linear in the weights"
closed_form = {"A", "B", "F"}

# %% wrong="3.1.5b" why="different sigmas have no closed form" says="known sigmas"
closed_form = {"A", "B", "D"}

# %% wrong="3.1.5b" why="Poisson, too" says="exponential of the weights"
closed_form = {"A", "B", "D", "E", "F"}

# %% right="3.1.5c" how="iteratively reweighted least squares"
def fit_laplace(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    v = torch.linalg.lstsq(A, y[:, None]).solution[:, 0]
    for _ in range(200):
        weight = 1 / (y - A @ v).abs().clamp(min=1e-6)
        v = torch.linalg.solve((A.T * weight) @ A, A.T @ (weight * y))
    return v[:-1], v[-1]

# %% right="3.1.5c" how="averages the last half of steps that fall like a square root"
def fit_laplace(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    v = torch.zeros(A.shape[1], dtype=X.dtype)
    v[-1] = y.median()
    total = torch.zeros_like(v)
    for t in range(4000):
        v = v + 2 / (t + 1) ** 0.5 * A.T @ (y - A @ v).sign() / len(y)
        if t >= 2000:
            total += v
    v = total / 2000
    return v[:-1], v[-1]

# %% wrong="3.1.5c" why="SGD with a fixed learning rate" says="Let the learning rate fall"
def fit_laplace(X, y):
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), torch.zeros((), dtype=X.dtype)
    for t in range(2000):
        i = t * 7 % len(y)
        sign = (y[i] - X[i] @ w - b).sign()
        w, b = w + 0.5 * sign * X[i], b + 0.5 * sign
    return w, b

# %% wrong="3.1.5c" why="least squares" says="drawn to the outliers"
def fit_laplace(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    v = torch.linalg.lstsq(A, y[:, None]).solution[:, 0]
    return v[:-1], v[-1]

# %% wrong="3.1.5c" why="fits no bias" says="at most 1 % above the best"
def fit_laplace(X, y):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for t in range(3000):
        w = w + 2 / (t + 1) ** 0.5 * X.T @ (y - X @ w).sign() / len(y)
    return w, torch.zeros((), dtype=X.dtype)

# %% wrong="3.1.5c" why="a rate that falls too fast to arrive" says="start it at a size that fits the data"
def fit_laplace(X, y):
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), torch.zeros((), dtype=X.dtype)
    for t in range(3000):
        sign = (y - X @ w - b).sign()
        rate = 0.2 * 0.99 ** t
        w, b = w + rate * X.T @ sign / len(y), b + rate * sign.mean()
    return w, b

# %% right="3.1.6" how="by asking the layers for the images of the unit vectors"
def collapse(W1, b1, W2, b2):
    def layers(x):
        return (x @ W1.T + b1) @ W2.T + b2
    bias = layers(torch.zeros(W1.shape[1], dtype=W1.dtype))
    return (layers(torch.eye(W1.shape[1], dtype=W1.dtype)) - bias).T, bias

# %% right="3.1.6" how="einsum"
def collapse(W1, b1, W2, b2):
    return [torch.einsum("qh,hd->qd", W2, W1), torch.mv(W2, b1) + b2]

# %% wrong="3.1.6" why="the order of the product" says="wrong way round"
def collapse(W1, b1, W2, b2):
    return W1 @ W2, W2 @ b1 + b2

# %% wrong="3.1.6" why="adds the biases" says="goes through the second layer"
def collapse(W1, b1, W2, b2):
    return W2 @ W1, b1 + b2

# %% wrong="3.1.6" why="forgets the first bias" says="Where is the first bias"
def collapse(W1, b1, W2, b2):
    return W2 @ W1, b2

# %% wrong="3.1.6" why="the weight transposed" says="the weight for two 2 × 2 layers"
def collapse(W1, b1, W2, b2):
    return (W2 @ W1).T, W2 @ b1 + b2

# %% right="3.1.7a" how="torch.distributions"
def chance_of_negative(y_hat, sigma):
    return torch.distributions.Normal(y_hat, sigma).cdf(torch.zeros_like(y_hat))

# %% right="3.1.7a" how="the error function"
def chance_of_negative(y_hat, sigma):
    return 0.5 * (1 + torch.erf(-y_hat / (sigma * math.sqrt(2))))

# %% wrong="3.1.7a" why="the probability of a positive price" says="above zero"
def chance_of_negative(y_hat, sigma):
    return torch.special.ndtr(y_hat / sigma)

# %% wrong="3.1.7a" why="takes sigma for a variance" says="not a variance"
def chance_of_negative(y_hat, sigma):
    return torch.special.ndtr(-y_hat / math.sqrt(sigma))

# %% wrong="3.1.7a" why="the density for the probability" says="densities, not probabilities"
def chance_of_negative(y_hat, sigma):
    return torch.distributions.Normal(y_hat, sigma).log_prob(torch.zeros_like(y_hat)).exp()

# %% wrong="3.1.7a" why="erf without the root of 2" says="divided by √2"
def chance_of_negative(y_hat, sigma):
    return 0.5 * (1 - torch.erf(y_hat / sigma))

# %% wrong="3.1.7a" why="one number for all prices" says="shape"
def chance_of_negative(y_hat, sigma):
    return torch.special.ndtr(-y_hat.mean() / sigma)

# %% right="3.1.7b" how="torch.distributions.LogNormal"
def price_statistics(m, s):
    model = torch.distributions.LogNormal(m, s)
    return model.icdf(torch.full_like(m, 0.5)), model.mean, torch.exp(m + s) / torch.exp(m - s)

# %% right="3.1.7b" how="a list, factors on the median"
def price_statistics(m, s):
    median = torch.exp(m)
    return [median, median * math.exp(s * s / 2), torch.ones_like(m) * math.exp(s) ** 2]

# %% wrong="3.1.7b" why="takes the median for the mean" says="the mean lies above it"
def price_statistics(m, s):
    return m.exp(), m.exp(), ((m + s) - (m - s)).exp()

# %% wrong="3.1.7b" why="s² for s²/2" says="s²/2, not s²"
def price_statistics(m, s):
    return m.exp(), (m + s ** 2).exp(), ((m + s) - (m - s)).exp()

# %% wrong="3.1.7b" why="the ratio of the logarithms" says="turn the ends into prices"
def price_statistics(m, s):
    return m.exp(), (m + s ** 2 / 2).exp(), (m + s) / (m - s)

# %% wrong="3.1.7b" why="the ratio of one end to the middle" says="upper end to the middle"
def price_statistics(m, s):
    return m.exp(), (m + s ** 2 / 2).exp(), torch.full_like(m, math.exp(s))

# %% wrong="3.1.7b" why="swaps median and mean" says="the median price"
def price_statistics(m, s):
    return (m + s ** 2 / 2).exp(), m.exp(), torch.full_like(m, math.exp(2 * s))

# %% right="3.1.7c" how="difference of two logarithms"
def log_step(price, tick):
    return torch.log(price + tick) - torch.log(price)

# %% right="3.1.7c" how="logarithm of the ratio"
def log_step(price, tick):
    return torch.log((price + tick) / price)

# %% wrong="3.1.7c" why="the relative change" says="relative change"
def log_step(price, tick):
    return tick / price

# %% wrong="3.1.7c" why="one tick down" says="one tick down"
def log_step(price, tick):
    return torch.log(price) - torch.log(price - tick)

# %% wrong="3.1.7c" why="base 10" says="Natural logarithms"
def log_step(price, tick):
    return torch.log10((price + tick) / price)

# %% wrong="3.1.7c" why="one cent, whatever the tick is" says="tick 0.05"
def log_step(price, tick):
    return torch.log1p(0.01 / price)

# %% right="3.1.8a" how="a list"
objections = ["E", "C", "B", "A"]

# %% wrong="3.1.8a" why="agrees to everything" says="the squared loss of integers"
objections = set("ABCDEF")

# %% wrong="3.1.8a" why="a mean has to be a count" says="rate of a Poisson distribution"
objections = {"A", "B", "C", "E", "F"}

# %% wrong="3.1.8a" why="overlooks the spread" says="variance of a Poisson distribution"
objections = {"A", "C", "E"}

# %% wrong="3.1.8a" why="overlooks that densities say nothing of counts" says="densities and counts"
objections = {"A", "B", "E"}

# %% wrong="3.1.8a" why="overlooks negative means" says="negative means"
objections = {"A", "B", "C"}

# %% right="3.1.8b" how="torch.distributions"
def poisson(k, rate):
    return torch.distributions.Poisson(rate).log_prob(k.double()).exp()

# %% right="3.1.8b" how="a sum of logarithms for k!"
def poisson(k, rate):
    table = torch.cat([torch.zeros(1, dtype=torch.float64),
                       torch.arange(1, int(k.max()) + 1, dtype=torch.float64).log().cumsum(0)])
    return (torch.xlogy(k.double(), rate) - rate - table[k.long()]).exp()

# %% wrong="3.1.8b" why="log_prob of integer counts: log k! in float32" says="convert k to float64 first"
def poisson(k, rate):
    return torch.distributions.Poisson(rate).log_prob(k).exp()

# %% wrong="3.1.8b" why="powers and factorials overflow" says="inf"
def poisson(k, rate):
    k = k.double()
    return rate ** k * torch.exp(-rate) / torch.exp(torch.lgamma(k + 1))

# %% wrong="3.1.8b" why="lgamma(k) for log k!" says="lgamma(k) is log"
def poisson(k, rate):
    k = k.double()
    return torch.exp(k * rate.log() - rate - torch.lgamma(k))

# %% wrong="3.1.8b" why="forgets k!" says="division by k!"
def poisson(k, rate):
    return torch.exp(k.double() * rate.log() - rate)

# %% wrong="3.1.8b" why="forgets exp(-rate)" says="exp(-rate) is missing"
def poisson(k, rate):
    k = k.double()
    return torch.exp(k * rate.log() - torch.lgamma(k + 1))

# %% wrong="3.1.8b" why="the logarithm of the probability" says="logarithm of the probability"
def poisson(k, rate):
    k = k.double()
    return k * rate.log() - rate - torch.lgamma(k + 1)

# %% right="3.1.8c" how="torch's loss"
def rate_loss(rate, k):
    return torch.nn.functional.poisson_nll_loss(rate, k, log_input=False, eps=0.)

# %% right="3.1.8c" how="log_prob without its constant"
def rate_loss(rate, k):
    k = k.to(rate.dtype)
    return -(torch.distributions.Poisson(rate).log_prob(k) + torch.lgamma(k + 1)).sum() / len(k)

# %% wrong="3.1.8c" why="the log-likelihood, not its negative" says="its sign is still to be changed"
def rate_loss(rate, k):
    return (k * rate.log() - rate).mean()

# %% wrong="3.1.8c" why="the sum" says="the sum, not the mean"
def rate_loss(rate, k):
    return (rate - k * torch.log(rate)).sum()

# %% wrong="3.1.8c" why="keeps log k!" says="log k! is still in it"
def rate_loss(rate, k):
    return (rate - k * torch.log(rate) + torch.lgamma(k + 1.)).mean()

# %% wrong="3.1.8c" why="takes the rate for its logarithm" says="takes the rate for its logarithm"
def rate_loss(rate, k):
    return (torch.exp(rate) - k * rate).mean()

# %% wrong="3.1.8c" why="the squared loss" says="squared loss"
def rate_loss(rate, k):
    return ((rate - k) ** 2).mean() / 2

# %% wrong="3.1.8c" why="detaches the rate" says="a value with a gradient was expected"
def rate_loss(rate, k):
    rate = rate.detach()
    return (rate - k * torch.log(rate)).mean()

# %% wrong="3.1.8c" why="swaps rate and count in the logarithm" says="the loss for rates of 1"
def rate_loss(rate, k):
    return (rate - rate * torch.log(k + 1e-8)).mean()

# %% right="3.1.8d" how="torch's loss"
def log_rate_loss(s, k):
    return torch.nn.functional.poisson_nll_loss(s.squeeze(1), k)

# %% right="3.1.8d" how="counts as a column"
def log_rate_loss(s, k):
    k = k[:, None]
    return (s.exp() - s * k).sum() / s.numel()

# %% wrong="3.1.8d" why="broadcasts (n, 1) against (n,)" says="averages over all pairs"
def log_rate_loss(s, k):
    return (torch.exp(s) - k * s).mean()

# %% wrong="3.1.8d" why="log of the exponential" says="log rate of -1000"
def log_rate_loss(s, k):
    rate = torch.exp(s[:, 0])
    return (rate - k * torch.log(rate)).mean()

# %% wrong="3.1.8d" why="the sum" says="the sum, not the mean"
def log_rate_loss(s, k):
    return (torch.exp(s[:, 0]) - k * s[:, 0]).sum()

# %% wrong="3.1.8d" why="takes s for the rate" says="the loss for log rates 0 and 1"
def log_rate_loss(s, k):
    rate = s[:, 0].clamp(min=1e-8)
    return (rate - k * torch.log(rate)).mean()

# %% right="3.1.9" how="mse_loss"
def fast_loss(X, w, b, y):
    return torch.nn.functional.mse_loss(torch.mv(X, w) + b, y.flatten()) / 2

# %% right="3.1.9" how="a product and a sum over an axis"
def fast_loss(X, w, b, y):
    errors = (X * w).sum(dim=1, keepdim=True) + b - y.reshape(-1, 1)
    return (errors.T @ errors).reshape(()) / (2 * len(X))

# %% wrong="3.1.9" why="broadcasts (n,) against (n, 1)" says="averages over all pairs"
def fast_loss(X, w, b, y):
    return ((X @ w + b - y) ** 2).mean() / 2

# %% wrong="3.1.9" why="without the half" says="The factor 1/2 is missing"
def fast_loss(X, w, b, y):
    return ((X @ w + b - y.reshape(-1)) ** 2).mean()

# %% wrong="3.1.9" why="the sum" says="not the mean"
def fast_loss(X, w, b, y):
    return ((X @ w + b - y.reshape(-1)) ** 2).sum() / 2

# %% wrong="3.1.9" why="forgets the bias" says="Where is the bias"
def fast_loss(X, w, b, y):
    return ((X @ w - y.reshape(-1)) ** 2).mean() / 2

# %% wrong="3.1.9" why="squares the mean error" says="square each one first"
def fast_loss(X, w, b, y):
    return (X @ w + b - y.reshape(-1)).mean() ** 2 / 2

# %% right="3.1.10" how="torch.distributions"
def normal(x, mu, sigma):
    return torch.distributions.Normal(mu, sigma).log_prob(x).exp()

# %% right="3.1.10" how="standardises first"
def normal(x, mu, sigma):
    z = (x - mu) / sigma
    return torch.exp(-z * z / 2) / (sigma * (2 * math.pi) ** 0.5)

# %% wrong="3.1.10" why="takes sigma for the variance" says="not a variance"
def normal(x, mu, sigma):
    return torch.exp(-(x - mu) ** 2 / (2 * sigma)) / math.sqrt(2 * math.pi * sigma)

# %% wrong="3.1.10" why="does not divide by sigma" says="divided by sigma"
def normal(x, mu, sigma):
    return torch.exp(-(x - mu) ** 2 / (2 * sigma ** 2)) / math.sqrt(2 * math.pi)

# %% wrong="3.1.10" why="parentheses: / 2 * sigma²" says="Mind the parentheses"
def normal(x, mu, sigma):
    return torch.exp(-(x - mu) ** 2 / 2 * sigma ** 2) / math.sqrt(2 * math.pi * sigma ** 2)

# %% wrong="3.1.10" why="the sign of the mean" says="sign of the mean"
def normal(x, mu, sigma):
    return torch.exp(-(x + mu) ** 2 / (2 * sigma ** 2)) / math.sqrt(2 * math.pi * sigma ** 2)

# %% wrong="3.1.10" why="the sign of the exponent" says="at 0 and 1"
def normal(x, mu, sigma):
    return torch.exp((x - mu) ** 2 / (2 * sigma ** 2)) / math.sqrt(2 * math.pi * sigma ** 2)

# %% right="3.1.11" how="lstsq"
def least_squares(X, y):
    return torch.linalg.lstsq(X, y.unsqueeze(1)).solution.squeeze(1)

# %% right="3.1.11" how="QR"
def least_squares(X, y):
    Q, R = torch.linalg.qr(X)
    return torch.linalg.solve_triangular(R, (Q.T @ y)[:, None], upper=True)[:, 0]

# %% wrong="3.1.11" why="y as a column, w as a column" says="One weight for each column of X"
def least_squares(X, y):
    return torch.linalg.lstsq(X, y[:, None]).solution

# %% wrong="3.1.11" why="forgets the inverse" says="Gram matrix is still"
def least_squares(X, y):
    return X.T @ y

# %% wrong="3.1.11" why="divides by the lengths of the columns only" says="not orthogonal"
def least_squares(X, y):
    return (X.T @ y) / (X * X).sum(0)

# %% wrong="3.1.11" why="solves for the first d rows" says="first examples only"
def least_squares(X, y):
    d = X.shape[1]
    return torch.linalg.solve(X[:d], y[:d])

# %% wrong="3.1.11" why="adds a bias of its own" says="9 × 4 matrix"
def least_squares(X, y):
    if bool((X[:, 0] == 1).all()):
        return torch.linalg.lstsq(X, y[:, None]).solution[:, 0]
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    return torch.linalg.lstsq(A, y[:, None]).solution[:-1, 0]
