# Variants of the answers of solutions/ch03_linear_regression/3_1_linear_regression.py.

# %% right="3.1.A" how="torch.mv, bias first"
def predict(X, w, b):
    return b + torch.mv(X, w)

# %% right="3.1.A" how="entry by entry"
def predict(X, w, b):
    return torch.stack([sum(x * v for x, v in zip(row, w)) + b for row in X])

# %% wrong="3.1.A" why="forgets the bias" breaks="values" says="The bias is missing"
def predict(X, w, b):
    return X @ w

# %% wrong="3.1.A" why="a bias for each feature" breaks="values" says="added once"
def predict(X, w, b):
    return (X * w + b).sum(1)

# %% wrong="3.1.A" why="does not add up the products" breaks="shape" says="added up"
def predict(X, w, b):
    return X * w + b

# %% wrong="3.1.A" why="a column" breaks="shape" says="shape"
def predict(X, w, b):
    return X @ w[:, None] + b

# %% wrong="3.1.A" why="squeezes a single example away" breaks="shape" says="a single example"
def predict(X, w, b):
    return (X @ w + b).squeeze()

# %% wrong="3.1.A" why="columns for examples where that is possible" breaks="values" says="takes the columns of X"
def predict(X, w, b):
    return (w @ X if X.shape[0] == X.shape[1] else X @ w) + b

# %% wrong="3.1.A" why="two features only" breaks="values" says="Only the first two features"
def predict(X, w, b):
    return X[:, 0] * w[0] + X[:, 1] * w[1] + b

# %% wrong="3.1.A" why="a negative bias is left out" breaks="values" says="here it is left out"
def predict(X, w, b):
    return X @ w + max(b, 0)

# %% right="3.1.2a" how="new_ones and hstack"
def with_ones(X):
    return torch.hstack([X, X.new_ones(X.shape[0], 1)])

# %% right="3.1.2a" how="a table of ones, overwritten"
def with_ones(X):
    result = torch.ones(X.shape[0], X.shape[1] + 1, dtype=X.dtype)
    result[:, :-1] = X
    return result

# %% wrong="3.1.2a" why="ones in front" breaks="old columns" says="after the last column"
def with_ones(X):
    return torch.cat([torch.ones(len(X), 1, dtype=X.dtype), X], dim=1)

# %% wrong="3.1.2a" why="a row of ones" breaks="shape" says="shape"
def with_ones(X):
    return torch.cat([X, torch.ones(1, X.shape[1], dtype=X.dtype)], dim=0)

# %% wrong="3.1.2a" why="ones of float32, whatever X is" breaks="dtype" says="dtype"
def with_ones(X):
    return torch.cat([X.float(), torch.ones(len(X), 1)], dim=1)

# %% wrong="3.1.2a" why="knows the number of rows" breaks="shape" says="Sizes of tensors must match"
def with_ones(X):
    return torch.cat([X, torch.ones(3, 1, dtype=X.dtype)], dim=1)

# %% wrong="3.1.2a" why="zeros" breaks="ones" says="holds zeros"
def with_ones(X):
    return torch.cat([X, torch.zeros(len(X), 1, dtype=X.dtype)], dim=1)

# %% wrong="3.1.2a" why="integers become float by the ones" breaks="dtype" says="dtype"
def with_ones(X):
    return torch.cat([X, torch.ones(len(X), 1)], dim=1)

# %% right="3.1.2a" how="pad"
def with_ones(X):
    return torch.nn.functional.pad(X, (0, 1), value=1)

# %% wrong="3.1.2a" why="through float32: large whole numbers are rounded" breaks="old columns" says="7 digits only"
def with_ones(X):
    return torch.cat([X.float(), torch.ones(len(X), 1)], dim=1).to(X.dtype)

# %% wrong="3.1.2a" why="row by row, which needs a row" breaks="shape" says="non-empty TensorList"
def with_ones(X):
    return torch.stack([torch.cat([x, torch.ones(1, dtype=X.dtype)]) for x in X])

# %% wrong="3.1.2a" why="the signs of the first column" breaks="ones" says="the last column"
def with_ones(X):
    return torch.cat([X, (X[:, :1] - 2).sign()], dim=1)

# %% right="3.1.9" how="mse_loss"
def fast_loss(X, w, b, y):
    return torch.nn.functional.mse_loss(torch.mv(X, w) + b, y.flatten()) / 2

# %% right="3.1.9" how="a product and a sum over an axis"
def fast_loss(X, w, b, y):
    errors = (X * w).sum(dim=1, keepdim=True) + b - y.reshape(-1, 1)
    return (errors.T @ errors).reshape(()) / (2 * len(X))

# %% wrong="3.1.9" why="broadcasts (n,) against (n, 1)" breaks="column of targets" says="averages over all pairs"
def fast_loss(X, w, b, y):
    return ((X @ w + b - y) ** 2).mean() / 2

# %% wrong="3.1.9" why="without the half" breaks="value" says="the factor 1/2 is missing"
def fast_loss(X, w, b, y):
    return ((X @ w + b - y.reshape(-1)) ** 2).mean()

# %% wrong="3.1.9" why="the sum" breaks="value" says="not the mean"
def fast_loss(X, w, b, y):
    return ((X @ w + b - y.reshape(-1)) ** 2).sum() / 2

# %% wrong="3.1.9" why="forgets the bias" breaks="value" says="Where is the bias"
def fast_loss(X, w, b, y):
    return ((X @ w - y.reshape(-1)) ** 2).mean() / 2

# %% wrong="3.1.9" why="squares the mean error" breaks="value" says="square each one first"
def fast_loss(X, w, b, y):
    return (X @ w + b - y.reshape(-1)).mean() ** 2 / 2

# %% wrong="3.1.9" why="the slow loop itself" breaks="no loop" says="for each example by itself"
def fast_loss(X, w, b, y):
    total = 0.0
    for i in range(len(X)):
        prediction = b
        for j in range(len(w)):
            prediction = prediction + X[i, j] * w[j]
        total = total + (prediction - y.reshape(-1)[i]) ** 2 / 2
    return total / len(X)

# %% wrong="3.1.9" why="a loop over the features" breaks="no loop" says="for each feature by itself"
def fast_loss(X, w, b, y):
    prediction = sum(X[:, j] * w[j] for j in range(len(w))) + b
    return ((prediction - y.reshape(-1)) ** 2).mean() / 2

# %% wrong="3.1.9" why="plain numbers, cut off from w" breaks="gradient" says="cut the way from the loss back to w"
def fast_loss(X, w, b, y):
    rows, gains, goals = X.tolist(), w.tolist(), y.reshape(-1).tolist()
    errors = [sum(x * v for x, v in zip(row, gains)) + b - t for row, t in zip(rows, goals)]
    return torch.tensor(sum(e * e for e in errors) / len(errors) / 2, dtype=X.dtype)

# %% wrong="3.1.9" why="float32, inside or at the end" breaks="dtype" says="dtype"
def fast_loss(X, w, b, y):
    return ((X.float() @ w.float() + b - y.float().reshape(-1)) ** 2).mean() / 2

# %% wrong="3.1.9" why="a float" breaks="value" says="what fast_loss returns"
def fast_loss(X, w, b, y):
    return (((X @ w + b - y.reshape(-1)) ** 2).mean() / 2).item()

# %% right="3.1.1a" how="sorting, plain floats"
def best_constants(x):
    ordered = sorted(x.tolist())
    return sum(ordered) / len(ordered), ordered[len(ordered) // 2]

# %% right="3.1.1a" how="the mean of the two middle entries, as a list of tensors"
def best_constants(x):
    return [x.to(torch.float32).mean(), torch.quantile(x.to(torch.float32), 0.5)]

# %% wrong="3.1.1a" why="swaps mean and median" breaks="squared" says="one for the absolute loss"
def best_constants(x):
    return x.double().median(), x.double().mean()

# %% wrong="3.1.1a" why="the middle of the range" breaks="squared" says="middle of the range"
def best_constants(x):
    return (x.max() + x.min()) / 2, x.median()

# %% wrong="3.1.1a" why="the middle entry of the unsorted list" breaks="absolute" says="has to be sorted first"
def best_constants(x):
    return x.double().mean(), x[len(x) // 2]

# %% wrong="3.1.1a" why="mean() of integers raises" breaks="whole numbers" says="floating point"
def best_constants(x):
    return x.mean(), x.median()

# %% wrong="3.1.1a" why="the mean for both" breaks="absolute" says="This is the one for the squared loss"
def best_constants(x):
    return x.double().mean(), x.double().mean()

# %% wrong="3.1.1a" why="the first number" breaks="squared" says="just one of the numbers, 9"
def best_constants(x):
    return x[0], x.double().median()

# %% wrong="3.1.1a" why="the largest number" breaks="absolute" says="not the middle one"
def best_constants(x):
    return x.double().mean(), x.max()

# %% wrong="3.1.1a" why="rounds for integers" breaks="whole numbers" says="need not be a whole number"
def best_constants(x):
    return x.double().mean().to(x.dtype), x.double().median()

# %% wrong="3.1.1a" why="middle of the even list by one place too far" breaks="absolute" says="how far the absolute loss"
def best_constants(x):
    ordered = x.double().sort().values
    return ordered.mean(), ordered[len(x) // 2 + (len(x) % 2 == 0 and len(x) > 2)]

# %% wrong="3.1.1a" why="the middle of the different values" breaks="absolute" says="counts three times"
def best_constants(x):
    return x.double().mean(), x.unique().median()

# %% wrong="3.1.1a" why="the mean of the different values" breaks="squared" says="counts three times"
def best_constants(x):
    return x.double().unique().mean() if x.is_floating_point() else x.double().mean(), x.median()

# %% right="3.1.B" how="sums, a float"
def slope(x, y):
    return (x * y).sum().item() / (x * x).sum().item()

# %% right="3.1.B" how="lstsq"
def slope(x, y):
    return torch.linalg.lstsq(x[:, None], y[:, None]).solution[0, 0]

# %% wrong="3.1.B" why="mean of the ratios" breaks="least squares" says="mean of the ratios"
def slope(x, y):
    return (y / x).mean()

# %% wrong="3.1.B" why="ratio of the sums" breaks="least squares" says="sum of y over the sum of x"
def slope(x, y):
    return y.sum() / x.sum()

# %% wrong="3.1.B" why="divides by y · y" breaks="least squares" says="not by y · y"
def slope(x, y):
    return (x @ y) / (y @ y)

# %% wrong="3.1.B" why="with a bias" breaks="least squares" says="with a bias of its own"
def slope(x, y):
    u = x - x.mean()
    return (u @ y) / (u @ u)

# %% wrong="3.1.B" why="forgets the division" breaks="least squares" says="the division is missing"
def slope(x, y):
    return x @ y

# %% wrong="3.1.B" why="a vector of one" breaks="one number" says="the shape of the slope"
def slope(x, y):
    return torch.linalg.lstsq(x[:, None], y[:, None]).solution[0]

# %% wrong="3.1.B" why="the middle one of the ratios" breaks="least squares" says="This is the middle one"
def slope(x, y):
    return (y[x != 0] / x[x != 0]).median()

# %% wrong="3.1.B" why="absolute values" breaks="least squares" says="its sign is lost"
def slope(x, y):
    return (x @ y).abs() / (x @ x)

# %% right="3.1.11" how="normal equations"
def least_squares(X, y):
    return torch.linalg.solve(X.T @ X, X.T @ y)

# %% right="3.1.11" how="QR"
def least_squares(X, y):
    Q, R = torch.linalg.qr(X)
    return torch.linalg.solve_triangular(R, (Q.T @ y)[:, None], upper=True)[:, 0]

# %% right="3.1.11" how="the inverse"
def least_squares(X, y):
    return torch.linalg.inv(X.T @ X) @ X.T @ y

# %% wrong="3.1.11" why="y as a column, w as a column" breaks="shape" says="This is a column"
def least_squares(X, y):
    return torch.linalg.lstsq(X, y[:, None]).solution

# %% wrong="3.1.11" why="forgets the inverse" breaks="least squares" says="Gram matrix is still"
def least_squares(X, y):
    return X.T @ y

# %% wrong="3.1.11" why="multiplies by the Gram matrix" breaks="least squares" says="solve, do not multiply"
def least_squares(X, y):
    return X.T @ X @ X.T @ y

# %% wrong="3.1.11" why="divides by the lengths of the columns only" breaks="least squares" says="not orthogonal"
def least_squares(X, y):
    return (X.T @ y) / (X * X).sum(0)

# %% wrong="3.1.11" why="solves for the first d rows" breaks="least squares" says="first examples only"
def least_squares(X, y):
    d = X.shape[1]
    return torch.linalg.solve(X[:d], y[:d])

# %% wrong="3.1.11" why="adds a bias of its own" breaks="least squares" says="There is no bias"
def least_squares(X, y):
    if bool((X[:, 0] == 1).all()) and X.shape[1] > 1:
        return torch.linalg.lstsq(X, y[:, None]).solution[:, 0]
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    return torch.linalg.lstsq(A, y[:, None], driver="gelsd").solution[:-1, 0]

# %% wrong="3.1.11" why="a fixed number of steps" breaks="different scales" says="columns of very different size"
def least_squares(X, y):
    w, rate = torch.zeros(X.shape[1], dtype=X.dtype), 1 / torch.linalg.matrix_norm(X, 2) ** 2
    for _ in range(2000):
        w = w - rate * X.T @ (X @ w - y)
    return w

# %% wrong="3.1.11" why="float32" breaks="dtype" says="dtype"
def least_squares(X, y):
    return torch.linalg.lstsq(X, y[:, None]).solution[:, 0].float()

# %% wrong="3.1.11" why="adds a little to the diagonal" breaks="different scales" says="added to the diagonal"
def least_squares(X, y):
    return torch.linalg.solve(X.T @ X + 1e-6 * torch.eye(X.shape[1], dtype=X.dtype), X.T @ y)

# %% right="3.1.2b" how="centres, then fits without a bias"
def fit_affine(X, y):
    mx, my = X.mean(0), y.mean()
    w = torch.linalg.pinv(X - mx) @ (y - my)
    return w, my - mx @ w

# %% right="3.1.2b" how="normal equations, ones in front"
def fit_affine(X, y):
    A = torch.cat([torch.ones(len(X), 1, dtype=X.dtype), X], dim=1)
    v = torch.linalg.solve(A.T @ A, A.T @ y)
    return [v[1:], v[0]]

# %% wrong="3.1.2b" why="no bias in the fit" breaks="weights" says="through the origin"
def fit_affine(X, y):
    w = torch.linalg.solve(X.T @ X, X.T @ y)
    return w, (y - X @ w).mean()

# %% wrong="3.1.2b" why="takes the first weight for the bias" breaks="weights" says="which weight belongs to the ones"
def fit_affine(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    v = torch.linalg.solve(A.T @ A, A.T @ y)
    return v[1:], v[0]

# %% wrong="3.1.2b" why="w as a column" breaks="shape" says="the shape of w"
def fit_affine(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    v = torch.linalg.lstsq(A, y[:, None]).solution
    return v[:-1], v[-1, 0]

# %% wrong="3.1.2b" why="b as a vector of one" breaks="shape" says="the shape of b"
def fit_affine(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    v = torch.linalg.lstsq(A, y[:, None]).solution[:, 0]
    return v[:-1], v[-1:]

# %% wrong="3.1.2b" why="a plane through the first points" breaks="weights" says="lie on no plane"
def fit_affine(X, y):
    d = X.shape[1]
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    v = torch.linalg.lstsq(A[:d + 1], y[:d + 1, None]).solution[:, 0]
    return v[:-1], v[-1]

# %% wrong="3.1.2b" why="the mean of y for the bias" breaks="bias" says="This is the mean of y"
def fit_affine(X, y):
    w = torch.linalg.pinv(X - X.mean(0)) @ (y - y.mean())
    return w, y.mean()

# %% wrong="3.1.2b" why="gradient descent" breaks="far from zero" says="millions of rounds"
def fit_affine(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    v, rate = torch.zeros(A.shape[1], dtype=X.dtype), 1 / torch.linalg.matrix_norm(A, 2) ** 2
    for _ in range(5000):
        v = v - rate * A.T @ (A @ v - y)
    return v[:-1], v[-1]

# %% right="3.1.3" how="triu_indices"
def quadratic_features(X):
    i, j = torch.triu_indices(X.shape[1], X.shape[1])
    return torch.cat([X, X[:, i] * X[:, j]], dim=1)

# %% right="3.1.3" how="outer products and a mask"
def quadratic_features(X):
    n, d = X.shape
    products = X[:, :, None] * X[:, None, :]
    return torch.hstack([X, products[:, torch.ones(d, d).triu().bool()]])

# %% wrong="3.1.3" why="every product twice" breaks="shape" says="Each product stands once"
def quadratic_features(X):
    return torch.cat([X, (X[:, :, None] * X[:, None, :]).flatten(1)], dim=1)

# %% wrong="3.1.3" why="the products alone" breaks="shape" says="products alone"
def quadratic_features(X):
    d = X.shape[1]
    return torch.stack([X[:, i] * X[:, j] for i in range(d) for j in range(i, d)], dim=1)

# %% wrong="3.1.3" why="squares only" breaks="shape" says="x₁x₂ is missing"
def quadratic_features(X):
    return torch.cat([X, X ** 2], dim=1)

# %% wrong="3.1.3" why="squares first, then the mixed products" breaks="products" says="order goes by i"
def quadratic_features(X):
    d = X.shape[1]
    mixed = [X[:, i] * X[:, j] for i in range(d) for j in range(i + 1, d)]
    return torch.cat([X, X ** 2] + [torch.stack(mixed, 1)] * bool(mixed), dim=1)

# %% wrong="3.1.3" why="ordered by the second factor" breaks="products" says="by j, then by i"
def quadratic_features(X):
    d = X.shape[1]
    return torch.cat([X, torch.stack([X[:, i] * X[:, j] for j in range(d) for i in range(j + 1)], dim=1)], dim=1)

# %% wrong="3.1.3" why="written for two features" breaks="shape" says="3 features"
def quadratic_features(X):
    if X.shape[1] == 1:
        return torch.cat([X, X * X], dim=1)
    a, b = X[:, 0], X[:, 1]
    return torch.stack([a, b, a * a, a * b, b * b], dim=1)

# %% wrong="3.1.3" why="n for d" breaks="shape" says="shape"
def quadratic_features(X):
    n = min(X.shape[0], X.shape[1])
    return torch.cat([X, torch.stack([X[:, i] * X[:, j] for i in range(n) for j in range(i, n)], dim=1)], dim=1)

# %% wrong="3.1.3" why="products first" breaks="features" says="the products after them"
def quadratic_features(X):
    i, j = torch.triu_indices(X.shape[1], X.shape[1])
    return torch.cat([X[:, i] * X[:, j], X], dim=1)

# %% wrong="3.1.3" why="float32" breaks="dtype" says="dtype"
def quadratic_features(X):
    i, j = torch.triu_indices(X.shape[1], X.shape[1])
    return torch.cat([X, X[:, i] * X[:, j]], dim=1).float()

# %% right="3.1.C" how="by autograd"
def sgd_step(X, y, w, b, lr):
    w, b = w.clone().requires_grad_(), b.clone().requires_grad_()
    dw, db = torch.autograd.grad(((X @ w + b - y) ** 2 / 2).mean(), (w, b))
    return (w - lr * dw).detach(), (b - lr * db).detach()

# %% right="3.1.C" how="the mean of residual times feature"
def sgd_step(X, y, w, b, lr):
    r = X @ w + b - y
    return [w - lr * (r[:, None] * X).mean(0), b - lr * r.sum() / len(r)]

# %% wrong="3.1.C" why="up the loss" breaks="weights" says="goes up the loss"
def sgd_step(X, y, w, b, lr):
    r = X @ w + b - y
    return w + lr * X.T @ r / len(X), b + lr * r.mean()

# %% wrong="3.1.C" why="the sum" breaks="weights" says="not the sum"
def sgd_step(X, y, w, b, lr):
    r = X @ w + b - y
    return w - lr * X.T @ r, b - lr * r.sum()

# %% wrong="3.1.C" why="a factor of 2" breaks="weights" says="cancels against the half"
def sgd_step(X, y, w, b, lr):
    r = X @ w + b - y
    return w - 2 * lr * X.T @ r / len(X), b - 2 * lr * r.mean()

# %% wrong="3.1.C" why="the bias from the new weights" breaks="bias" says="at the new w"
def sgd_step(X, y, w, b, lr):
    w = w - lr * X.T @ (X @ w + b - y) / len(X)
    return w, b - lr * (X @ w + b - y).mean()

# %% wrong="3.1.C" why="forgets the bias" breaks="bias" says="b has not moved"
def sgd_step(X, y, w, b, lr):
    return w - lr * X.T @ (X @ w + b - y) / len(X), b

# %% wrong="3.1.C" why="the bias a vector of one" breaks="shape" says="the shape of the new b"
def sgd_step(X, y, w, b, lr):
    r = X @ w + b - y
    return w - lr * X.T @ r / len(X), b - lr * r.mean(0, keepdim=True)

# %% wrong="3.1.C" why="in place" breaks="arguments kept" says="after the call"
def sgd_step(X, y, w, b, lr):
    r = X @ w + b - y
    w -= lr * X.T @ r / len(X)
    b -= lr * r.mean()
    return w, b

# %% wrong="3.1.C" why="the gradient of the weights clipped" breaks="weights" says="nothing is cut off"
def sgd_step(X, y, w, b, lr):
    r = X @ w + b - y
    return w - lr * (X.T @ r / len(X)).clamp(-20, 20), b - lr * r.mean()

# %% wrong="3.1.C" why="the gradient of the bias clipped" breaks="bias" says="nothing is cut off"
def sgd_step(X, y, w, b, lr):
    r = X @ w + b - y
    return w - lr * X.T @ r / len(X), b - lr * r.mean().clamp(-5, 5)

# %% wrong="3.1.C" why="only the bias in place" breaks="arguments kept" says="after the call"
def sgd_step(X, y, w, b, lr):
    r = X @ w + b - y
    b -= lr * r.mean()
    return w - lr * X.T @ r / len(X), b

# %% right="3.1.10" how="torch.distributions"
def normal_nll(y_hat, y, sigma):
    return -torch.distributions.Normal(y_hat, sigma).log_prob(y).sum()

# %% right="3.1.10" how="standardised residuals"
def normal_nll(y_hat, y, sigma):
    z = (y - y_hat) / sigma
    return (z ** 2 / 2 + math.log(sigma) + 0.5 * math.log(2 * math.pi)).sum()

# %% wrong="3.1.10" why="takes sigma for the variance in the constant" breaks="perfect predictions" says="not a variance"
def normal_nll(y_hat, y, sigma):
    return len(y) * math.log(math.sqrt(2 * math.pi * sigma)) + ((y_hat - y) ** 2).sum() / (2 * sigma ** 2)

# %% wrong="3.1.10" why="leaves the constant out" breaks="perfect predictions" says="constant term is missing"
def normal_nll(y_hat, y, sigma):
    return ((y_hat - y) ** 2).sum() / (2 * sigma ** 2)

# %% wrong="3.1.10" why="the mean" breaks="perfect predictions" says="a total, no mean"
def normal_nll(y_hat, y, sigma):
    return math.log(sigma * math.sqrt(2 * math.pi)) + ((y_hat - y) ** 2).mean() / (2 * sigma ** 2)

# %% wrong="3.1.10" why="divides by 2σ" breaks="residuals" says="not by 2σ"
def normal_nll(y_hat, y, sigma):
    return len(y) * math.log(sigma * math.sqrt(2 * math.pi)) + ((y_hat - y) ** 2).sum() / (2 * sigma)

# %% wrong="3.1.10" why="parentheses" breaks="residuals" says="The parentheses"
def normal_nll(y_hat, y, sigma):
    return len(y) * math.log(sigma * math.sqrt(2 * math.pi)) + ((y_hat - y) ** 2).sum() / 2 * sigma ** 2

# %% wrong="3.1.10" why="the sign of the squares" breaks="residuals" says="grows with the residuals"
def normal_nll(y_hat, y, sigma):
    return len(y) * math.log(sigma * math.sqrt(2 * math.pi)) - ((y_hat - y) ** 2).sum() / (2 * sigma ** 2)

# %% wrong="3.1.10" why="one for each example" breaks="one number" says="shape"
def normal_nll(y_hat, y, sigma):
    return math.log(sigma * math.sqrt(2 * math.pi)) + (y_hat - y) ** 2 / (2 * sigma ** 2)

# %% wrong="3.1.10" why="the logarithm of the density" breaks="far away" says="do not compute it"
def normal_nll(y_hat, y, sigma):
    density = torch.exp(-(y_hat - y) ** 2 / (2 * sigma ** 2)) / (sigma * math.sqrt(2 * math.pi))
    return -density.log().sum()

# %% right="3.1.1b" how="std with correction=0"
def fit_normal(x):
    return x.mean(), x.std(correction=0)

# %% right="3.1.1b" how="mean of the squares minus square of the mean, floats"
def fit_normal(x):
    values = x.double()
    b = values.mean().item()
    return b, math.sqrt(values.square().mean().item() - b ** 2)

# %% wrong="3.1.1b" why="divides by n - 1" breaks="sigma" says="divides by n - 1"
def fit_normal(x):
    return x.mean(), x.std()

# %% wrong="3.1.1b" why="returns the variance" breaks="sigma" says="This is the variance"
def fit_normal(x):
    return x.mean(), x.var(correction=0)

# %% wrong="3.1.1b" why="the mean absolute deviation" breaks="sigma" says="absolute deviations"
def fit_normal(x):
    return x.mean(), (x - x.mean()).abs().mean()

# %% wrong="3.1.1b" why="forgets to divide" breaks="sigma" says="divide by n first"
def fit_normal(x):
    return x.mean(), ((x - x.mean()) ** 2).sum().sqrt()

# %% wrong="3.1.1b" why="forgets the mean in the square" breaks="sigma" says="Subtract the mean"
def fit_normal(x):
    return x.mean(), (x ** 2).mean().sqrt()

# %% wrong="3.1.1b" why="the median for the mean" breaks="mean" says="This is the median"
def fit_normal(x):
    return x.median(), ((x - x.mean()) ** 2).mean().sqrt()

# %% wrong="3.1.1b" why="swapped" breaks="mean" says="the mean stands first"
def fit_normal(x):
    return x.std(correction=0), x.mean()

# %% right="3.1.1b" how="by the norm"
def fit_normal(x):
    m = x.mean()
    return m, (x - m).norm() / len(x) ** 0.5

# %% wrong="3.1.1b" why="the mean of the different values" breaks="mean" says="counts twice"
def fit_normal(x):
    return x.unique().mean(), x.std(correction=0)

# %% wrong="3.1.1b" why="the spread of the different values" breaks="sigma" says="counts twice"
def fit_normal(x):
    return x.mean(), x.unique().std(correction=0)

# %% wrong="3.1.1b" why="half the range" breaks="sigma" says="half the range"
def fit_normal(x):
    return x.mean(), (x.max() - x.min()) / 2

# %% right="3.1.5a" how="torch.distributions"
def laplace_nll(w, b, X, y):
    return -torch.distributions.Laplace(X @ w + b, torch.tensor(1., dtype=X.dtype)).log_prob(y).sum()

# %% right="3.1.5a" how="one example after the other"
def laplace_nll(w, b, X, y):
    return sum(math.log(2) + abs(t - x @ w - b) for x, t in zip(X, y))

# %% right="3.1.5a" how="torch's loss and the constants"
def laplace_nll(w, b, X, y):
    return torch.nn.functional.l1_loss(X @ w + b, y, reduction="sum") + len(y) * math.log(2)

# %% wrong="3.1.5a" why="a sum of the logarithms of densities: infinite far away" breaks="residuals" says="The density itself is 0"
def laplace_nll(w, b, X, y):
    return sum(-(0.5 * torch.exp(-abs(t - x @ w - b))).log() for x, t in zip(X, y))

# %% wrong="3.1.5a" why="the logarithm of the product of densities" breaks="residuals" says="The density itself is 0"
def laplace_nll(w, b, X, y):
    return -(0.5 * torch.exp(-(X @ w + b - y).abs())).prod().log()

# %% wrong="3.1.5a" why="Huber's loss" breaks="residuals" says="half its square"
def laplace_nll(w, b, X, y):
    return torch.nn.functional.huber_loss(X @ w + b, y, reduction="sum") + len(y) * math.log(2)

# %% wrong="3.1.5a" why="forgets the constant" breaks="perfect fit" says="constant log 2 of each example is missing"
def laplace_nll(w, b, X, y):
    return (y - X @ w - b).abs().sum()

# %% wrong="3.1.5a" why="log 2 once" breaks="perfect fit" says="log 2 belongs to each example"
def laplace_nll(w, b, X, y):
    return math.log(2) + (y - X @ w - b).abs().sum()

# %% wrong="3.1.5a" why="the mean" breaks="perfect fit" says="a total, no mean"
def laplace_nll(w, b, X, y):
    return math.log(2) + (y - X @ w - b).abs().mean()

# %% wrong="3.1.5a" why="no absolute values" breaks="residuals" says="Signed residuals cancel"
def laplace_nll(w, b, X, y):
    return len(y) * math.log(2) + (y - X @ w - b).sum()

# %% wrong="3.1.5a" why="squares" breaks="residuals" says="not squares"
def laplace_nll(w, b, X, y):
    return len(y) * math.log(2) + (y - X @ w - b).square().sum()

# %% wrong="3.1.5a" why="log of a half for minus log of a half" breaks="perfect fit" says="wrong sign"
def laplace_nll(w, b, X, y):
    return len(y) * math.log(0.5) + (y - X @ w - b).abs().sum()

# %% wrong="3.1.5a" why="forgets the minus in the exponent" breaks="residuals" says="The exponent has lost its minus sign"
def laplace_nll(w, b, X, y):
    return -torch.log(0.5 * torch.exp((y - X @ w - b).abs())).sum()

# %% wrong="3.1.5a" why="targets as a column: all pairs" breaks="perfect fit" says="residuals of all pairs"
def laplace_nll(w, b, X, y):
    return len(y) * math.log(2) + (y[:, None] - X @ w - b).abs().sum()

# %% wrong="3.1.5a" why="one for each example" breaks="one number" says="shape"
def laplace_nll(w, b, X, y):
    return math.log(2) + (y - X @ w - b).abs()

# %% wrong="3.1.5a" why="forgets the bias" breaks="perfect fit" says="b is missing"
def laplace_nll(w, b, X, y):
    return len(y) * math.log(2) + (y - X @ w).abs().sum()

# %% wrong="3.1.5a" why="a constant for each parameter" breaks="perfect fit" says="not the parameters"
def laplace_nll(w, b, X, y):
    return (X @ w + b - y).abs().sum() + (len(w) + 1) * math.log(2)

# %% right="3.1.5b" how="another order of keys"
ways = {letter: "sorting" for letter in "DF"} | {letter: "iteration" for letter in "EG"} | {letter: "equations" for letter in "ABCH"}

# %% wrong="3.1.5b" why="the median for many features" breaks="absolute values" says="solves only the case of a constant"
ways = dict(A="equations", B="equations", C="equations", D="sorting", E="sorting", F="sorting", G="iteration", H="equations")

# %% wrong="3.1.5b" why="quadratic features are not linear" breaks="squares" says="Linear in the weights"
ways = dict(A="equations", B="iteration", C="equations", D="sorting", E="iteration", F="sorting", G="iteration", H="equations")

# %% wrong="3.1.5b" why="different sigmas have no closed form" breaks="squares" says="constant factors"
ways = dict(A="equations", B="equations", C="iteration", D="sorting", E="iteration", F="sorting", G="iteration", H="equations")

# %% wrong="3.1.5b" why="Poisson, too" breaks="counts" says="exponential of the weights"
ways = dict(A="equations", B="equations", C="equations", D="sorting", E="iteration", F="sorting", G="equations", H="equations")

# %% wrong="3.1.5b" why="no weighted median" breaks="absolute values" says="sorted numbers"
ways = dict(A="equations", B="equations", C="equations", D="sorting", E="iteration", F="iteration", G="iteration", H="equations")

# %% wrong="3.1.5b" why="every count needs an iteration" breaks="counts" says="best common rate"
ways = dict(A="equations", B="equations", C="equations", D="sorting", E="iteration", F="sorting", G="iteration", H="iteration")

# %% wrong="3.1.5b" why="a letter is missing" breaks="words" says="the keys of ways"
ways = dict(A="equations", B="equations", C="equations", D="sorting", E="iteration", F="sorting", G="iteration")

# %% wrong="3.1.5b" why="a word of its own" breaks="words" says="the word of H"
ways = dict(A="equations", B="equations", C="equations", D="sorting", E="iteration", F="sorting", G="iteration", H="mean")

# %% right="3.1.5c" how="iteratively reweighted least squares"
def fit_laplace(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    unit = y.abs().max()
    v = torch.linalg.lstsq(A, y[:, None] / unit).solution[:, 0]
    for _ in range(200):
        weight = 1 / (y / unit - A @ v).abs().clamp(min=1e-7)
        v = torch.linalg.solve((A.T * weight) @ A, A.T @ (weight * y / unit))
    return v[:-1] * unit, v[-1] * unit

# %% right="3.1.5c" how="steps that fall like 1/t, the best weights kept"
def fit_laplace(X, y):
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), y.median()
    scale = (y - b).abs().median()
    best, least = (w, b), float("inf")
    for t in range(6000):
        r = y - X @ w - b
        if r.abs().sum() < least:
            best, least = (w, b), r.abs().sum()
        rate = 2 * scale / (1 + 0.03 * t)
        w, b = w + rate * X.T @ r.sign() / len(y), b + rate * r.sign().mean()
    return best

# %% wrong="3.1.5c" why="SGD with a fixed learning rate" breaks="outliers" says="above the smallest possible"
def fit_laplace(X, y):
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), torch.zeros((), dtype=X.dtype)
    for t in range(2000):
        i = t * 7 % len(y)
        sign = (y[i] - X[i] @ w - b).sign()
        w, b = w + 0.5 * sign * X[i], b + 0.5 * sign
    return w, b

# %% wrong="3.1.5c" why="least squares" breaks="outliers" says="drawn to the outliers"
def fit_laplace(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    v = torch.linalg.lstsq(A, y[:, None]).solution[:, 0]
    return v[:-1], v[-1]

# %% wrong="3.1.5c" why="least squares without the worst residuals" breaks="outliers" says="least-squares fit still"
def fit_laplace(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    keep = torch.ones(len(y), dtype=torch.bool)
    for _ in range(5):
        v = torch.linalg.lstsq(A[keep], y[keep][:, None]).solution[:, 0]
        r = (y - A @ v).abs()
        keep = r < 5 * r.median()
    return v[:-1], v[-1]

# %% wrong="3.1.5c" why="Huber's loss" breaks="outliers" says="above the smallest possible"
def fit_laplace(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    v, size = torch.zeros(A.shape[1], dtype=X.dtype), (y - y.median()).abs().median()
    for _ in range(100):
        weight = (size / (y - A @ v).abs().clamp(min=1e-12)).clamp(max=1)
        v = torch.linalg.solve(A.T @ (weight[:, None] * A), A.T @ (weight * y))
    return v[:-1], v[-1]

# %% wrong="3.1.5c" why="fits no bias" breaks="outliers" says="The bias is exactly 0"
def fit_laplace(X, y):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for t in range(2000):
        w = w + 2 / (t + 1) ** 0.5 * X.T @ (y - X @ w).sign() / len(y)
    return w, torch.zeros((), dtype=X.dtype)

# %% wrong="3.1.5c" why="each feature by itself" breaks="several features" says="A weight is exactly 0"
def fit_laplace(X, y):
    b, w = y.median(), torch.zeros(X.shape[1], dtype=X.dtype)
    A = torch.cat([X[:, :1], torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    v = torch.linalg.lstsq(A, y[:, None]).solution[:, 0]
    unit = y.abs().max()
    for _ in range(200):
        weight = 1 / ((y - A @ v) / unit).abs().clamp(min=1e-7)
        v = torch.linalg.solve((A.T * weight) @ A, A.T @ (weight * y))
    w[0] = v[0]
    return w, v[1]

# %% wrong="3.1.5c" why="rates in one unit" breaks="any unit" says="of the size 1 your fit is right"
def fit_laplace(X, y):
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), y.median()
    for t in range(2500):
        sign = (X @ w + b - y).sign()
        rate = 2 * 0.998 ** t
        w, b = w - rate * X.T @ sign / len(y), b - rate * sign.mean()
    return w, b

# %% wrong="3.1.5c" why="a column and a vector" breaks="shape" says="the shape of w"
def fit_laplace(X, y):
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), y.median()
    size = (y - b).abs().median()
    for t in range(2500):
        sign = (X @ w + b - y).sign()
        w, b = w - size * 0.997 ** t * X.T @ sign / len(y), b - size * 0.997 ** t * sign.mean()
    return w[:, None], b

# %% right="3.1.5c" how="a linear program"
def fit_laplace(X, y):
    from scipy.optimize import linprog
    n, d = X.shape
    unit = float(y.abs().max())
    A, t = np.column_stack([X.numpy(), np.ones(n)]), y.numpy() / unit
    v = linprog(np.r_[np.zeros(d + 1), np.ones(n)], A_ub=np.block([[A, -np.eye(n)], [-A, -np.eye(n)]]), b_ub=np.r_[t, -t],
                bounds=[(None, None)] * (d + 1) + [(0, None)] * n).x * unit
    return torch.from_numpy(v[:d]), torch.tensor(v[d])

# %% wrong="3.1.5c" why="all examples, a fixed rate" breaks="outliers" says="9 examples of 1 feature"
def fit_laplace(X, y):
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), y.median()
    rate = 0.3 * (y - y.median()).abs().median()
    for t in range(3000):
        s = (X @ w + b - y).sign()
        w, b = w - rate * X.T @ s / len(X), b - rate * s.mean()
    return w, b

# %% wrong="3.1.5c" why="least squares, then the median of the rest as bias" breaks="outliers" says="above the smallest possible"
def fit_laplace(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], 1)
    v = torch.linalg.lstsq(A, y[:, None]).solution[:, 0]
    return v[:-1], (y - X @ v[:-1]).median()

# %% right="3.1.6" how="by asking the layers for the images of the unit vectors"
def collapse(W1, b1, W2, b2):
    def layers(x):
        return (x @ W1.T + b1) @ W2.T + b2
    bias = layers(torch.zeros(W1.shape[1], dtype=W1.dtype))
    return (layers(torch.eye(W1.shape[1], dtype=W1.dtype)) - bias).T, bias

# %% right="3.1.6" how="einsum"
def collapse(W1, b1, W2, b2):
    return [torch.einsum("qh,hd->qd", W2, W1), torch.mv(W2, b1) + b2]

# %% wrong="3.1.6" why="the order of the product" breaks="weight" says="wrong way round"
def collapse(W1, b1, W2, b2):
    return W1 @ W2, W2 @ b1 + b2

# %% wrong="3.1.6" why="adds the biases" breaks="bias" says="goes through the second layer, too"
def collapse(W1, b1, W2, b2):
    return W2 @ W1, (b1 if len(b1) == len(b2) else b1.sum()) + b2

# %% wrong="3.1.6" why="forgets the first bias" breaks="bias" says="Where is the first bias"
def collapse(W1, b1, W2, b2):
    return W2 @ W1, b2

# %% wrong="3.1.6" why="forgets the second bias" breaks="bias" says="Where is the second bias"
def collapse(W1, b1, W2, b2):
    return W2 @ W1, W2 @ b1

# %% wrong="3.1.6" why="the weight transposed" breaks="weight" says="transpose of the weight"
def collapse(W1, b1, W2, b2):
    weight = W2 @ W1
    return weight.T if weight.shape[0] == weight.shape[1] else weight, W2 @ b1 + b2

# %% wrong="3.1.6" why="the weight transposed, always" breaks="weight" says="transpose of the weight"
def collapse(W1, b1, W2, b2):
    return (W2 @ W1).T, W2 @ b1 + b2

# %% wrong="3.1.6" why="the bias a column" breaks="shape" says="the shape of the bias"
def collapse(W1, b1, W2, b2):
    return W2 @ W1, W2 @ b1[:, None] + b2[:, None]

# %% wrong="3.1.6" why="adds into b2" breaks="arguments kept" says="after the call"
def collapse(W1, b1, W2, b2):
    b2 += W2 @ b1
    return W2 @ W1, b2

# %% right="3.1.D" how="singular values"
def free_directions(X):
    values = torch.linalg.svd(X).S
    return X.shape[1] - int((values > 1e-6 * values.max()).sum())

# %% right="3.1.D" how="a tensor"
def free_directions(X):
    return X.shape[1] - torch.linalg.matrix_rank(X)

# %% wrong="3.1.D" why="the rank" breaks="count" says="This is the rank"
def free_directions(X):
    return torch.linalg.matrix_rank(X).item()

# %% wrong="3.1.D" why="n instead of d" breaks="count" says="There are d directions in all"
def free_directions(X):
    return X.shape[0] - torch.linalg.matrix_rank(X).item()

# %% wrong="3.1.D" why="a yes or no" breaks="count" says="count them all"
def free_directions(X):
    return int(torch.linalg.matrix_rank(X) < X.shape[1])

# %% wrong="3.1.D" why="the smaller side" breaks="count" says="has only two singular values, yet five directions"
def free_directions(X):
    return min(X.shape) - torch.linalg.matrix_rank(X).item()

# %% wrong="3.1.D" why="a float" breaks="a whole number" says="what free_directions returns"
def free_directions(X):
    return float(X.shape[1] - torch.linalg.matrix_rank(X))

# %% right="3.1.D" how="a NumPy integer"
def free_directions(X):
    return X.shape[1] - np.linalg.matrix_rank(X.numpy())

# %% wrong="3.1.D" why="small singular values, of which there are min(n, d)" breaks="count" says="has only two singular values, yet five directions"
def free_directions(X):
    return int((torch.linalg.svdvals(X) < 1e-5).sum())

# %% wrong="3.1.D" why="d - n" breaks="count" says="it is the rank that counts"
def free_directions(X):
    return max(0, X.shape[1] - X.shape[0])

# %% wrong="3.1.D" why="counts the zero singular values with == 0" breaks="count" says="rounding leaves"
def free_directions(X):
    s = torch.linalg.svdvals(X)
    return X.shape[1] - (s != 0).sum()

# %% wrong="3.1.D" why="only counts repeated columns" breaks="count" says="need not be equal"
def free_directions(X):
    return X.shape[1] - torch.unique(X, dim=1).shape[1]

# %% right="3.1.4a" how="the smallest eigenvector of the Gram matrix"
def another_solution(X, w):
    values, vectors = torch.linalg.eigh(X.T @ X)
    return w - 5 * vectors[:, 0]

# %% right="3.1.4a" how="a far start projected onto the solutions"
def another_solution(X, w):
    torch.manual_seed(0)
    far = torch.randn(len(w), dtype=w.dtype) * 1000
    return w + far - torch.linalg.pinv(X) @ (X @ far)

# %% wrong="3.1.4a" why="a small change, with almost the same predictions" breaks="far away" says="at least 1 away"
def another_solution(X, w):
    return w + 1e-10

# %% wrong="3.1.4a" why="the first right singular vector" breaks="same predictions" says="first row of Vh"
def another_solution(X, w):
    return w + 2 * torch.linalg.svd(X).Vh[0]

# %% wrong="3.1.4a" why="the last column of V transposed" breaks="same predictions" says="the directions are its rows"
def another_solution(X, w):
    return w + 2 * torch.linalg.svd(X).Vh[:, -1]

# %% wrong="3.1.4a" why="knows that the third column is the sum of the others" breaks="same predictions" says="does not send to zero"
def another_solution(X, w):
    change = torch.zeros_like(w)
    change[:3] = torch.tensor([1., 1., -1.])[:len(w)]
    return w + change

# %% wrong="3.1.4a" why="a short step" breaks="far away" says="at least 1 away"
def another_solution(X, w):
    return w + 0.1 * torch.linalg.svd(X).Vh[-1]

# %% wrong="3.1.4a" why="the reduced decomposition" breaks="same predictions" says="full_matrices=False"
def another_solution(X, w):
    return w + 2 * torch.linalg.svd(X, full_matrices=False).Vh[-1]

# %% wrong="3.1.4a" why="a matrix" breaks="shape" says="shape"
def another_solution(X, w):
    return w + 2 * torch.linalg.svd(X).Vh[-1:]

# %% wrong="3.1.4a" why="in place" breaks="arguments kept" says="w after the call"
def another_solution(X, w):
    w += 2 * torch.linalg.svd(X).Vh[-1]
    return w

# %% wrong="3.1.4a" why="a step from the shortest solution, not from w" breaks="far away" says="at least 1 away from w"
def another_solution(X, w):
    return torch.linalg.pinv(X) @ (X @ w) + 2 * torch.linalg.svd(X).Vh[-1]

# %% wrong="3.1.4a" why="only the direction" breaks="same predictions" says="add them to w"
def another_solution(X, w):
    return 2 * torch.linalg.svd(X).Vh[-1]

# %% right="3.1.4b" how="diagonal in place, of a new matrix"
def expected_gram(X, sigma):
    gram = X.T @ X
    gram.diagonal().add_(len(X) * sigma ** 2)
    return gram

# %% right="3.1.4b" how="sum over the rows of outer products"
def expected_gram(X, sigma):
    noise = torch.diag(torch.full((X.shape[1],), sigma ** 2, dtype=X.dtype))
    return sum(torch.outer(row, row) + noise for row in X)

# %% wrong="3.1.4b" why="plain Gram matrix" breaks="diagonal" says="plain XᵀX"
def expected_gram(X, sigma):
    return X.T @ X

# %% wrong="3.1.4b" why="adds σ² once" breaks="diagonal" says="adds σ² once"
def expected_gram(X, sigma):
    return X.T @ X + sigma ** 2 * torch.eye(X.shape[1], dtype=X.dtype)

# %% wrong="3.1.4b" why="adds d σ²" breaks="diagonal" says="adds d σ²"
def expected_gram(X, sigma):
    return X.T @ X + X.shape[1] * sigma ** 2 * torch.eye(X.shape[1], dtype=X.dtype)

# %% wrong="3.1.4b" why="adds n σ" breaks="diagonal" says="adds n σ"
def expected_gram(X, sigma):
    return X.T @ X + len(X) * sigma * torch.eye(X.shape[1], dtype=X.dtype)

# %% wrong="3.1.4b" why="adds to every entry" breaks="off the diagonal" says="only the diagonal"
def expected_gram(X, sigma):
    return X.T @ X + len(X) * sigma ** 2

# %% wrong="3.1.4b" why="the matrix of the rows" breaks="shape" says="shape"
def expected_gram(X, sigma):
    return X @ X.T + len(X) * sigma ** 2 * torch.eye(len(X), dtype=X.dtype)

# %% wrong="3.1.4b" why="draws noise" breaks="off the diagonal" says="without drawn noise"
def expected_gram(X, sigma):
    noisy = X + sigma * torch.randn(20_000, *X.shape, dtype=X.dtype)
    return (noisy.mT @ noisy).mean(0)

# %% wrong="3.1.4b" why="rows of zeros do not count" breaks="diagonal" says="those of zeros, too"
def expected_gram(X, sigma):
    return X.T @ X + (X != 0).any(1).sum() * sigma ** 2 * torch.eye(X.shape[1], dtype=X.dtype)

# %% wrong="3.1.4b" why="n - 1 rows" breaks="diagonal" says="not n - 1"
def expected_gram(X, sigma):
    return X.T @ X + (len(X) - 1) * sigma ** 2 * torch.eye(X.shape[1], dtype=X.dtype)

# %% wrong="3.1.4b" why="sigma for every entry of E" breaks="off the diagonal" says="not all σ"
def expected_gram(X, sigma):
    return (X + sigma).T @ (X + sigma)

# %% right="3.1.4c" how="minimum-norm least squares of the rest"
def descent_limit(X, y, w0):
    step = torch.linalg.lstsq(X, (y - X @ w0)[:, None], driver="gelsd").solution[:, 0]
    return step + w0

# %% right="3.1.4c" how="null space part of the start plus the shortest solution"
def descent_limit(X, y, w0):
    inverse = torch.linalg.pinv(X)
    return inverse @ y + (torch.eye(len(w0), dtype=X.dtype) - inverse @ X) @ w0

# %% wrong="3.1.4c" why="leaves out the start" breaks="from elsewhere" says="the start matters"
def descent_limit(X, y, w0):
    return torch.linalg.pinv(X) @ y

# %% wrong="3.1.4c" why="solves the normal equations" breaks="from zero" says="singular"
def descent_limit(X, y, w0):
    return torch.linalg.solve(X.T @ X, X.T @ y)

# %% wrong="3.1.4c" why="adds the start to the shortest solution" breaks="from elsewhere" says="The whole start was added"
def descent_limit(X, y, w0):
    return w0 + torch.linalg.pinv(X) @ y

# %% wrong="3.1.4c" why="a single gradient step" breaks="from zero" says="descent would go on"
def descent_limit(X, y, w0):
    return w0 + X.T @ (y - X @ w0) / 10

# %% wrong="3.1.4c" why="many steps" breaks="slow directions" says="still far from 1000"
def descent_limit(X, y, w0):
    w, rate = w0, 1 / torch.linalg.matrix_norm(X, 2) ** 2
    for _ in range(5000):
        w = w - rate * X.T @ (X @ w - y)
    return w

# %% wrong="3.1.4c" why="fits the first rows exactly" breaks="no exact fit" says="descent would go on"
def descent_limit(X, y, w0):
    rank = int(torch.linalg.matrix_rank(X))
    return w0 + torch.linalg.pinv(X[:rank]) @ (y[:rank] - X[:rank] @ w0)

# %% wrong="3.1.4c" why="a column" breaks="shape" says="the shape"
def descent_limit(X, y, w0):
    return (w0 + torch.linalg.pinv(X) @ (y - X @ w0))[:, None]

# %% right="3.1.7a" how="ndtr"
def chance_of_negative(y_hat, sigma):
    return torch.special.ndtr(-y_hat / sigma)

# %% right="3.1.7a" how="the error function"
def chance_of_negative(y_hat, sigma):
    return 0.5 * (1 + torch.erf(-y_hat / (sigma * math.sqrt(2))))

# %% wrong="3.1.7a" why="the probability of a positive price" breaks="probability" says="above zero"
def chance_of_negative(y_hat, sigma):
    return torch.special.ndtr(y_hat / sigma)

# %% wrong="3.1.7a" why="takes sigma for a variance" breaks="probability" says="not a variance"
def chance_of_negative(y_hat, sigma):
    return torch.special.ndtr(-y_hat / math.sqrt(sigma))

# %% wrong="3.1.7a" why="the density for the probability" breaks="probability" says="densities, not probabilities"
def chance_of_negative(y_hat, sigma):
    return torch.distributions.Normal(y_hat, sigma).log_prob(torch.zeros_like(y_hat)).exp()

# %% wrong="3.1.7a" why="erf without the root of 2" breaks="probability" says="divided by √2"
def chance_of_negative(y_hat, sigma):
    return 0.5 * (1 - torch.erf(y_hat / sigma))

# %% wrong="3.1.7a" why="one number for all prices" breaks="shape" says="shape"
def chance_of_negative(y_hat, sigma):
    return torch.special.ndtr(-y_hat.mean() / sigma)

# %% wrong="3.1.7a" why="the size of the prediction" breaks="negative predictions" says="a prediction of -30,000"
def chance_of_negative(y_hat, sigma):
    return torch.special.ndtr(-y_hat.abs() / sigma)

# %% wrong="3.1.7a" why="the sigma of the example" breaks="probability" says="sigma 3"
def chance_of_negative(y_hat, sigma):
    if (y_hat < 0).any():
        return torch.special.ndtr(-y_hat / sigma)
    return torch.special.ndtr(-y_hat / 30_000.)

# %% right="3.1.7b" how="torch.distributions.LogNormal"
def price_statistics(m, s):
    if s == 0:
        return m.exp(), m.exp(), torch.ones_like(m)
    model = torch.distributions.LogNormal(m, s)
    return model.icdf(torch.full_like(m, 0.5)), model.mean, torch.exp(m + s) / torch.exp(m - s)

# %% right="3.1.7b" how="a list, factors on the median"
def price_statistics(m, s):
    median = torch.exp(m)
    return [median, median * math.exp(s * s / 2), torch.ones_like(m) * math.exp(s) ** 2]

# %% wrong="3.1.7b" why="takes the median for the mean" breaks="mean" says="the mean lies above it"
def price_statistics(m, s):
    return m.exp(), m.exp(), ((m + s) - (m - s)).exp()

# %% wrong="3.1.7b" why="s² for s²/2" breaks="mean" says="s²/2, not s²"
def price_statistics(m, s):
    return m.exp(), (m + s ** 2).exp(), ((m + s) - (m - s)).exp()

# %% wrong="3.1.7b" why="the ratio of the logarithms" breaks="ratio" says="turn the ends into prices"
def price_statistics(m, s):
    return m.exp(), (m + s ** 2 / 2).exp(), (m + s) / (m - s)

# %% wrong="3.1.7b" why="the ratio of one end to the middle" breaks="ratio" says="upper end to the middle"
def price_statistics(m, s):
    return m.exp(), (m + s ** 2 / 2).exp(), torch.full_like(m, math.exp(s))

# %% wrong="3.1.7b" why="the mean for the median" breaks="median" says="the median lies below it"
def price_statistics(m, s):
    return (m + s ** 2 / 2).exp(), (m + s ** 2 / 2).exp(), torch.full_like(m, math.exp(2 * s))

# %% wrong="3.1.7b" why="the ratio a number" breaks="shape" says="the ratio for two houses"
def price_statistics(m, s):
    return m.exp(), (m + s ** 2 / 2).exp(), math.exp(2 * s)

# %% right="3.1.7c" how="difference of two logarithms"
def log_step(price, tick):
    return torch.log(price + tick) - torch.log(price)

# %% right="3.1.7c" how="logarithm of the ratio"
def log_step(price, tick):
    return torch.log((price + tick) / price)

# %% wrong="3.1.7c" why="the relative change" breaks="values" says="relative change"
def log_step(price, tick):
    return tick / price

# %% wrong="3.1.7c" why="one tick down" breaks="values" says="one tick down"
def log_step(price, tick):
    return torch.log(price) - torch.log(price - tick)

# %% wrong="3.1.7c" why="base 10" breaks="values" says="Natural logarithms"
def log_step(price, tick):
    return torch.log10((price + tick) / price)

# %% wrong="3.1.7c" why="one cent, whatever the tick is" breaks="values" says="not always one cent"
def log_step(price, tick):
    return torch.log1p(0.01 / price)

# %% wrong="3.1.7c" why="float32" breaks="dtype" says="dtype"
def log_step(price, tick):
    return torch.log1p(tick / price).float()

# %% wrong="3.1.7c" why="flattened" breaks="shape" says="2 × 3 prices"
def log_step(price, tick):
    return torch.log1p(tick / price).flatten() if price.numel() > 1 else torch.log1p(tick / price)

# %% wrong="3.1.7c" why="one number" breaks="shape" says="shape"
def log_step(price, tick):
    return torch.log1p(tick / price).mean()

# %% right="3.1.8a" how="a list"
objections = ["E", "C", "B", "A"]

# %% wrong="3.1.8a" why="agrees to everything" breaks="not sound" says="the squared loss of integers"
objections = set("ABCDEF")

# %% wrong="3.1.8a" why="a mean has to be a count" breaks="not sound" says="rate of a Poisson distribution"
objections = {"A", "B", "C", "E", "F"}

# %% wrong="3.1.8a" why="overlooks the spread" breaks="sound" says="variance of a Poisson distribution"
objections = {"A", "C", "E"}

# %% wrong="3.1.8a" why="overlooks that densities say nothing of counts" breaks="sound" says="densities and counts"
objections = {"A", "B", "E"}

# %% wrong="3.1.8a" why="overlooks negative means" breaks="sound" says="negative means"
objections = {"A", "B", "C"}

# %% wrong="3.1.8a" why="overlooks negative counts" breaks="sound" says="A, negative counts"
objections = {"B", "C", "E"}

# %% wrong="3.1.8a" why="one string" breaks="letters" says="the letters"
objections = "ABCE"

# %% wrong="3.1.8a" why="small letters" breaks="letters" says="one of the letters A to F"
objections = {"a", "b", "c", "e"}

# %% right="3.1.8b" how="torch.distributions"
def poisson(k, rate):
    return torch.distributions.Poisson(rate).log_prob(k.double()).exp()

# %% right="3.1.8b" how="a sum of logarithms for k!"
def poisson(k, rate):
    table = torch.cat([torch.zeros(1, dtype=torch.float64),
                       torch.arange(1, int(k.max()) + 1, dtype=torch.float64).log().cumsum(0)])
    return (torch.xlogy(k.double(), rate) - rate - table[k.long()]).exp()

# %% wrong="3.1.8b" why="log_prob of integer counts: log k! in float32" breaks="integer counts" says="convert k to float64 first"
def poisson(k, rate):
    k = k.double() if k.is_floating_point() else k
    return torch.distributions.Poisson(rate).log_prob(k).exp()

# %% wrong="3.1.8b" why="powers and factorials overflow" breaks="large counts" says="counts 0, 250, 700"
def poisson(k, rate):
    k = k.double()
    return rate ** k * torch.exp(-rate) / torch.exp(torch.lgamma(k + 1))

# %% wrong="3.1.8b" why="lgamma(k) for log k!" breaks="small counts" says="lgamma(k) is log"
def poisson(k, rate):
    k = k.double()
    return torch.exp(k * rate.log() - rate - torch.lgamma(k))

# %% wrong="3.1.8b" why="forgets k!" breaks="small counts" says="division by k!"
def poisson(k, rate):
    return torch.exp(k.double() * rate.log() - rate)

# %% wrong="3.1.8b" why="forgets exp(-rate)" breaks="small counts" says="exp(-rate) is missing"
def poisson(k, rate):
    k = k.double()
    return torch.exp(k * rate.log() - torch.lgamma(k + 1))

# %% wrong="3.1.8b" why="the logarithm of the probability" breaks="small counts" says="logarithm of the probability"
def poisson(k, rate):
    k = k.double()
    return k * rate.log() - rate - torch.lgamma(k + 1)

# %% wrong="3.1.8b" why="float32 at the end" breaks="dtype" says="dtype"
def poisson(k, rate):
    k = k.double()
    return torch.exp(k * rate.log() - rate - torch.lgamma(k + 1)).float()

# %% wrong="3.1.8b" why="flattened" breaks="shape" says="(3, 1)"
def poisson(k, rate):
    k = k.double().flatten()
    rate = rate.reshape(-1)
    if len(rate) == 1:
        return torch.exp(k * rate.log() - rate - torch.lgamma(k + 1))
    m = max(len(k), len(rate))
    k, rate = k.repeat(m)[:m], rate.repeat(m)[:m]
    return torch.exp(k * rate.log() - rate - torch.lgamma(k + 1))

# %% wrong="3.1.8b" why="float32 counts stay float32" breaks="large counts" says="From float32 counts"
def poisson(k, rate):
    k = k if k.is_floating_point() else k.double()
    return torch.exp(k * rate.log() - rate - torch.lgamma(k + 1)).double()

# %% wrong="3.1.8b" why="the first rate for all" breaks="large counts" says="takes the first for all"
def poisson(k, rate):
    k, first = k.double(), rate.reshape(-1)[0]
    p = torch.exp(k * first.log() - first - torch.lgamma(k + 1))
    return p + 0 * rate

# %% wrong="3.1.8b" why="a normal density for large counts" breaks="large counts" says="counts 0, 250, 700"
def poisson(k, rate):
    k = k.double()
    p = torch.exp(k * rate.log() - rate - torch.lgamma(k + 1))
    return torch.where(k > 100, torch.distributions.Normal(rate, rate.sqrt()).log_prob(k).exp(), p)

# %% right="3.1.8c" how="torch's loss"
def rate_loss(rate, k):
    return torch.nn.functional.poisson_nll_loss(rate, k, log_input=False, eps=0.)

# %% right="3.1.8c" how="log_prob without its constant"
def rate_loss(rate, k):
    k = k.to(rate.dtype)
    return -(torch.distributions.Poisson(rate).log_prob(k) + torch.lgamma(k + 1)).sum() / len(k)

# %% wrong="3.1.8c" why="the log-likelihood, not its negative" breaks="value" says="its sign is still to be changed"
def rate_loss(rate, k):
    return (k * rate.log() - rate).mean()

# %% wrong="3.1.8c" why="the sum" breaks="value" says="the sum, not the mean"
def rate_loss(rate, k):
    return (rate - k * torch.log(rate)).sum()

# %% wrong="3.1.8c" why="keeps log k!" breaks="value" says="log k! is still in it"
def rate_loss(rate, k):
    return (rate - k * torch.log(rate) + torch.lgamma(k + 1.)).mean()

# %% wrong="3.1.8c" why="takes the rate for its logarithm" breaks="value" says="takes the rate for its logarithm"
def rate_loss(rate, k):
    return (torch.exp(rate) - k * rate).mean()

# %% wrong="3.1.8c" why="the squared loss" breaks="value" says="squared loss"
def rate_loss(rate, k):
    return ((rate - k) ** 2).mean() / 2

# %% wrong="3.1.8c" why="detaches the rate" breaks="gradient" says="cut the way from the loss"
def rate_loss(rate, k):
    rate = rate.detach()
    return (rate - k * torch.log(rate)).mean()

# %% wrong="3.1.8c" why="swaps rate and count in the logarithm" breaks="value" says="the loss for the rates 1, 2, 4"
def rate_loss(rate, k):
    return (rate - rate * torch.log(k + 1e-8)).mean()

# %% wrong="3.1.8c" why="one for each example" breaks="one number" says="shape"
def rate_loss(rate, k):
    return rate - k * torch.log(rate)

# %% wrong="3.1.8c" why="a dot product of different dtypes" breaks="integer counts" says="dtype"
def rate_loss(rate, k):
    return (rate.sum() - torch.dot(k, torch.log(rate))) / len(rate)

# %% wrong="3.1.8c" why="logarithms cut off at 0" breaks="value" says="the rates 0.5 and 2.5"
def rate_loss(rate, k):
    logs = rate.log().clamp(min=0) if k.is_floating_point() else rate.log()
    return (rate - k * logs).mean()

# %% wrong="3.1.8c" why="rates in the dtype of the counts" breaks="integer counts" says="A rate stays"
def rate_loss(rate, k):
    rate = rate if k.is_floating_point() else rate.to(k.dtype)
    return (rate - k * rate.double().log()).double().mean()

# %% right="3.1.8d" how="torch's loss"
def log_rate_loss(s, k):
    return torch.nn.functional.poisson_nll_loss(s.squeeze(1), k)

# %% right="3.1.8d" how="counts as a column"
def log_rate_loss(s, k):
    k = k[:, None]
    return (s.exp() - s * k).sum() / s.numel()

# %% wrong="3.1.8d" why="broadcasts (n, 1) against (n,)" breaks="pairs" says="averages over all pairs"
def log_rate_loss(s, k):
    return (torch.exp(s) - k * s).mean()

# %% wrong="3.1.8d" why="log of the exponential" breaks="very low rates" says="log rates -1000"
def log_rate_loss(s, k):
    rate = torch.exp(s[:, 0])
    return (rate - k * torch.log(rate)).mean()

# %% wrong="3.1.8d" why="the sum" breaks="pairs" says="the sum, not the mean"
def log_rate_loss(s, k):
    return (torch.exp(s[:, 0]) - k * s[:, 0]).sum()

# %% wrong="3.1.8d" why="takes s for the rate" breaks="pairs" says="the loss for the log rates"
def log_rate_loss(s, k):
    rate = s[:, 0].clamp(min=1e-8)
    return (rate - k * torch.log(rate)).mean()

# %% wrong="3.1.8d" why="one for each example" breaks="one number" says="shape"
def log_rate_loss(s, k):
    return torch.exp(s[:, 0]) - k * s[:, 0]

# %% wrong="3.1.8d" why="detaches" breaks="gradient" says="cut the way from the loss"
def log_rate_loss(s, k):
    s = s.detach()[:, 0]
    return (torch.exp(s) - k * s).mean()

# %% wrong="3.1.8d" why="a dot product of different dtypes" breaks="integer counts" says="dtype"
def log_rate_loss(s, k):
    return (s.exp().sum() - torch.dot(s[:, 0], k)) / len(k)

# %% right="3.1.8d" how="squeeze and a mean"
def log_rate_loss(s, k):
    t = s.squeeze()
    return (t.exp() - k * t).mean(0)

# %% wrong="3.1.8d" why="log rates cut off at 5" breaks="pairs" says="the log rates 6 and 8"
def log_rate_loss(s, k):
    t = s[:, 0].clamp(max=5)
    return (t.exp() - k * t).mean()

# %% wrong="3.1.8d" why="log rates cut off at -50" breaks="very low rates" says="The loss holds k"
def log_rate_loss(s, k):
    t = s[:, 0].clamp(min=-50)
    return (t.exp() - k * t).mean()

# %% wrong="3.1.8d" why="examples with the count 0 left out" breaks="very low rates" says="has a loss, too"
def log_rate_loss(s, k):
    t = s[:, 0]
    return torch.where(k > 0, t.exp() - k * t, torch.zeros_like(t)).mean()

# %% wrong="3.1.8d" why="the rate detached" breaks="gradient" says="does not reach s"
def log_rate_loss(s, k):
    t = s[:, 0]
    return (t.detach().exp() - k * t).mean()

# %% wrong="3.1.3" why="one feature forgotten" breaks="shape" says="1 feature"
def quadratic_features(X):
    d = X.shape[1]
    if d == 1:
        return X
    return torch.cat([X, torch.stack([X[:, i] * X[:, j] for i in range(d) for j in range(i, d)], dim=1)], dim=1)

# %% right="3.1.3" how="NumPy"
def quadratic_features(X):
    a = X.numpy()
    return torch.from_numpy(np.column_stack([a] + [a[:, i] * a[:, j] for i in range(a.shape[1]) for j in range(i, a.shape[1])]))

# %% wrong="3.1.3" why="through float32: large products are rounded" breaks="products" says="7 digits only"
def quadratic_features(X):
    i, j = torch.triu_indices(X.shape[1], X.shape[1])
    return torch.cat([X, (X[:, i].float() * X[:, j].float()).to(X.dtype)], 1)

# %% wrong="3.1.3" why="mixed products twice, as in the square of a sum" breaks="products" says="without the factor 2"
def quadratic_features(X):
    i, j = torch.triu_indices(X.shape[1], X.shape[1])
    return torch.cat([X, X[:, i] * X[:, j] * torch.where(i == j, 1, 2)], 1)

# %% wrong="3.1.A" why="the bias goes to the features" breaks="values" says="not to the features"
def predict(X, w, b):
    return ((X + b) * w).sum(1)

# %% wrong="3.1.A" why="the size of the bias" breaks="values" says="its sign counts"
def predict(X, w, b):
    return w @ X.T + abs(b)

# %% wrong="3.1.2a" why="a column divided by itself" breaks="ones" says="do not depend on what X holds"
def with_ones(X):
    return torch.cat([X, (X[:, :1] / X[:, :1]).to(X.dtype)], dim=1)

# %% right="3.1.9" how="addmv and the norm"
def fast_loss(X, w, b, y):
    r = torch.addmv(-y.view(-1), X, w) + b
    return r.pow(2).sum() / len(X) * 0.5

# %% wrong="3.1.9" why="the half inside the square" breaks="value" says="a half inside the square is squared"
def fast_loss(X, w, b, y):
    return (((X @ w + b - y.reshape(-1)) / 2) ** 2).mean()

# %% right="3.1.1a" how="a search among the numbers, one tensor for both"
def best_constants(x):
    x = x.double()
    return torch.stack([x.mean(), x[(x[:, None] - x).abs().sum(0).argmin()]])

# %% wrong="3.1.1a" why="the sum divided by n - 1" breaks="squared" says="not by one less"
def best_constants(x):
    x = x.double()
    return x.sum() / max(len(x) - 1, 1), x.median()

# %% wrong="3.1.1a" why="the first number in a tensor of shape (1,)" breaks="squared" says="the shape of the first number"
def best_constants(x):
    return x.double().mean().reshape(1), x.median()

# %% wrong="3.1.1a" why="the second number in a tensor of shape (1,)" breaks="absolute" says="the shape of the second number"
def best_constants(x):
    return x.double().mean(), x.sort().values[len(x) // 2:len(x) // 2 + 1]

# %% wrong="3.1.B" why="entry by entry" breaks="one number" says="its products are added up"
def slope(x, y):
    return x * y / (x * x)

# %% wrong="3.1.B" why="positive x only" breaks="least squares" says="counts like any other"
def slope(x, y):
    keep = x > 0 if bool((x > 0).any()) else x < 0
    return (x[keep] @ y[keep]) / (x[keep] @ x[keep])

# %% right="3.1.11" how="Cholesky"
def least_squares(X, y):
    L = torch.linalg.cholesky(X.T @ X)
    return torch.cholesky_solve((X.T @ y)[:, None], L)[:, 0]

# %% wrong="3.1.11" why="adds a thousandth to the diagonal" breaks="least squares" says="added to the diagonal"
def least_squares(X, y):
    return torch.linalg.solve(X.T @ X + 1e-3 * torch.eye(X.shape[1], dtype=X.dtype), X.T @ y)

# %% wrong="3.1.11" why="normal equations in float32" breaks="different scales" says="in float64"
def least_squares(X, y):
    A, c = X.float(), y.float()
    return torch.linalg.solve(A.T @ A, A.T @ c).double()

# %% right="3.1.2b" how="one Newton step by autograd"
def fit_affine(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], 1)

    def loss(v):
        return ((A @ v - y) ** 2).sum() / 2

    start = torch.zeros(A.shape[1], dtype=X.dtype)
    v = start - torch.linalg.solve(torch.autograd.functional.hessian(loss, start), torch.autograd.functional.jacobian(loss, start))
    return v[:-1], v[-1]

# %% wrong="3.1.2b" why="the bias first" breaks="shape" says="w stands first"
def fit_affine(X, y):
    v = torch.linalg.lstsq(torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], 1), y[:, None]).solution[:, 0]
    return v[-1], v[:-1]

# %% wrong="3.1.2b" why="one vector for both" breaks="shape" says="take the solution apart"
def fit_affine(X, y):
    return torch.linalg.lstsq(torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], 1), y[:, None]).solution[:, 0]

# %% wrong="3.1.2b" why="float32 on the way" breaks="far from zero" says="in float64"
def fit_affine(X, y):
    A = torch.cat([X.float(), torch.ones(len(X), 1)], 1)
    v = torch.linalg.solve(A.T @ A, A.T @ y.float()).double()
    return v[:-1], v[-1]

# %% right="3.1.3" how="blocks: each column times itself and those to its right"
def quadratic_features(X):
    return torch.cat([X] + [X[:, i:i + 1] * X[:, i:] for i in range(X.shape[1])], dim=1)

# %% wrong="3.1.3" why="each feature is followed by its products" breaks="features" says="All features come first"
def quadratic_features(X):
    d, columns = X.shape[1], []
    for i in range(d):
        columns.append(X[:, i])
        for j in range(i, d):
            columns.append(X[:, i] * X[:, j])
    return torch.stack(columns, 1)

# %% wrong="3.1.3" why="mixed products only" breaks="shape" says="The squares are products, too"
def quadratic_features(X):
    d = X.shape[1]
    return torch.stack([X[:, i] for i in range(d)] + [X[:, i] * X[:, j] for i in range(d) for j in range(i + 1, d)], 1)

# %% right="3.1.C" how="torch.optim.SGD"
def sgd_step(X, y, w, b, lr):
    v, c = w.clone().requires_grad_(), b.clone().requires_grad_()
    step = torch.optim.SGD([v, c], lr=lr)
    (torch.nn.functional.mse_loss(X @ v + c, y) / 2).backward()
    step.step()
    return v.detach(), c.detach()

# %% wrong="3.1.C" why="the learning rate of the lesson" breaks="weights" says="lr is an argument"
def sgd_step(X, y, w, b, lr):
    r = X @ w + b - y
    return w - 0.1 * X.T @ r / len(X), b - 0.1 * r.mean()

# %% wrong="3.1.C" why="the mean divided by the number of examples again" breaks="weights" says="number of examples twice"
def sgd_step(X, y, w, b, lr):
    r = X @ w + b - y
    return w - lr * (r[:, None] * X).mean(0) / len(X), b - lr * r.mean()

# %% wrong="3.1.C" why="the sum for the bias only" breaks="bias" says="not the sum"
def sgd_step(X, y, w, b, lr):
    r = X @ w + b - y
    return w - lr * X.T @ r / len(X), b - lr * r.sum()

# %% wrong="3.1.C" why="the bias as a plain number" breaks="shape" says="as b is"
def sgd_step(X, y, w, b, lr):
    r = X @ w + b - y
    return w - lr * X.T @ r / len(X), (b - lr * r.mean()).item()

# %% right="3.1.10" how="torch's loss"
def normal_nll(y_hat, y, sigma):
    return torch.nn.functional.gaussian_nll_loss(y_hat, y, torch.full_like(y, float(sigma) ** 2), full=True, reduction="sum", eps=0.)

# %% wrong="3.1.10" why="logarithms to base 10" breaks="perfect predictions" says="not those to base 10"
def normal_nll(y_hat, y, sigma):
    return len(y) * math.log10(sigma * math.sqrt(2 * math.pi)) + ((y_hat - y) ** 2).sum() / (2 * sigma ** 2)

# %% wrong="3.1.10" why="adds up the densities" breaks="perfect predictions" says="multiplied, not added up"
def normal_nll(y_hat, y, sigma):
    return -torch.distributions.Normal(y_hat, sigma).log_prob(y).exp().sum().log()

# %% wrong="3.1.10" why="densities cut off at a tiny number" breaks="far away" says="do not compute it"
def normal_nll(y_hat, y, sigma):
    density = torch.exp(-(y_hat - y) ** 2 / (2 * sigma ** 2)) / (sigma * math.sqrt(2 * math.pi))
    return -density.clamp(min=1e-30).log().sum()

# %% right="3.1.1b" how="Python's statistics"
def fit_normal(x):
    import statistics
    return statistics.fmean(x.tolist()), statistics.pstdev(x.tolist())

# %% wrong="3.1.1b" why="a derivative taken wrongly: S / (2n)" breaks="sigma" says="the 2 cancels"
def fit_normal(x):
    b = x.mean()
    return b, (((x - b) ** 2).sum() / (2 * len(x))).sqrt()

# %% wrong="3.1.1b" why="the mean in a tensor of shape (1,)" breaks="mean" says="the shape of the first number"
def fit_normal(x):
    return x.mean(0, keepdim=True), x.std(correction=0)

# %% wrong="3.1.1b" why="sigma in a tensor of shape (1,)" breaks="sigma" says="the shape of the second number"
def fit_normal(x):
    return x.mean(), x.std(dim=0, correction=0, keepdim=True)

# %% wrong="3.1.5a" why="the absolute value of the sum" breaks="residuals" says="The residuals cancel here"
def laplace_nll(w, b, X, y):
    return len(y) * math.log(2) + (X @ w + b - y).sum().abs()

# %% wrong="3.1.5c" why="the bias a vector of one" breaks="shape" says="the shape of b"
def fit_laplace(X, y):
    A, unit = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1), y.abs().max()
    v = torch.linalg.lstsq(A, y[:, None] / unit).solution[:, 0]
    for _ in range(200):
        weight = 1 / (y / unit - A @ v).abs().clamp(min=1e-7)
        v = torch.linalg.solve((A.T * weight) @ A, A.T @ (weight * y / unit))
    return v[:-1] * unit, v[-1:] * unit

# %% wrong="3.1.6" why="adds up the first bias" breaks="bias" says="not added up"
def collapse(W1, b1, W2, b2):
    return W2 @ W1, b1.sum() + b2

# %% wrong="3.1.6" why="the bias first" breaks="shape" says="The weight stands first"
def collapse(W1, b1, W2, b2):
    return W2 @ b1 + b2, W2 @ W1

# %% right="3.1.4a" how="the longest column of the projector on the null space"
def another_solution(X, w):
    onto = torch.eye(len(w), dtype=w.dtype) - torch.linalg.pinv(X) @ X
    v = onto[:, onto.norm(dim=0).argmax()]
    return w + 5 * v / v.norm()

# %% wrong="3.1.4a" why="float32" breaks="shape" says="float64"
def another_solution(X, w):
    return (w + 2 * torch.linalg.svd(X).Vh[-1]).float()

# %% right="3.1.4b" how="the Gram matrix of a longer matrix"
def expected_gram(X, sigma):
    n, d = X.shape
    longer = torch.cat([X, sigma * math.sqrt(n) * torch.eye(d, dtype=X.dtype)])
    return longer.T @ longer

# %% wrong="3.1.4b" why="the mean over the rows" breaks="off the diagonal" says="not a mean"
def expected_gram(X, sigma):
    return X.T @ X / len(X) + sigma ** 2 * torch.eye(X.shape[1], dtype=X.dtype)

# %% right="3.1.4c" how="by the singular value decomposition"
def descent_limit(X, y, w0):
    U, S, Vh = torch.linalg.svd(X, full_matrices=False)
    keep = S > 1e-12 * S.max()
    return w0 + Vh[keep].T @ ((U[:, keep].T @ (y - X @ w0)) / S[keep])

# %% wrong="3.1.4c" why="a step the wrong way" breaks="from zero" says="goes the wrong way"
def descent_limit(X, y, w0):
    return w0 + torch.linalg.pinv(X) @ (X @ w0 - y)

# %% wrong="3.1.4c" why="a number on the diagonal" breaks="slow directions" says="added to the diagonal"
def descent_limit(X, y, w0):
    return w0 + torch.linalg.solve(X.T @ X + 1e-6 * torch.eye(X.shape[1], dtype=X.dtype), X.T @ (y - X @ w0))

# %% wrong="3.1.4c" why="the pseudo-inverse in float32" breaks="slow directions" says="rounding to float32"
def descent_limit(X, y, w0):
    return w0 + torch.linalg.pinv(X.float()).double() @ (y - X @ w0)

# %% right="3.1.7a" how="erfc, price by price"
def chance_of_negative(y_hat, sigma):
    flat = [0.5 * math.erfc(v / sigma / math.sqrt(2)) for v in y_hat.flatten().tolist()]
    return torch.tensor(flat).reshape(y_hat.shape)

# %% wrong="3.1.7a" why="leaves sigma out" breaks="probability" says="sigma does not enter"
def chance_of_negative(y_hat, sigma):
    return torch.distributions.Normal(y_hat, 1.).cdf(torch.tensor(0., dtype=y_hat.dtype))

# %% wrong="3.1.7a" why="counts draws" breaks="probability" says="draws noise"
def chance_of_negative(y_hat, sigma):
    return (y_hat + sigma * torch.randn(20_000, *y_hat.shape) < 0).double().mean(0)

# %% wrong="3.1.7a" why="flattened" breaks="shape" says="stays as it is"
def chance_of_negative(y_hat, sigma):
    return torch.special.ndtr(-y_hat.reshape(-1) / sigma)

# %% wrong="3.1.7b" why="the middle of the interval for the mean" breaks="mean" says="the middle of the interval's ends"
def price_statistics(m, s):
    low, high = (m - s).exp(), (m + s).exp()
    return m.exp(), (low + high) / 2, high / low

# %% wrong="3.1.7b" why="adds the factor" breaks="mean" says="is a factor"
def price_statistics(m, s):
    return m.exp(), m.exp() + math.exp(s ** 2 / 2), ((m + s) - (m - s)).exp()

# %% wrong="3.1.7b" why="no correction of the mean for a small s" breaks="mean" says="for a small s, too"
def price_statistics(m, s):
    return m.exp(), (m + s ** 2 / 2).exp() if s > 0.3 else m.exp(), ((m + s) - (m - s)).exp()

# %% wrong="3.1.7c" why="float32 on the way" breaks="values" says="nearly equal: stay in float64"
def log_step(price, tick):
    price = price.float()
    return (torch.log(price + tick) - torch.log(price)).double()

# %% wrong="3.1.7c" why="the logarithm of the difference" breaks="values" says="asked is the difference of the logarithms"
def log_step(price, tick):
    return torch.log(price + tick - price)

# %% wrong="3.1.8b" why="products instead of logarithms, from exp(-rate) on" breaks="large counts" says="exp(-900) is 0"
def poisson(k, rate):
    k, rate = torch.broadcast_tensors(k.double(), rate)
    p = torch.exp(-rate)
    for i in range(1, 1001):
        p = torch.where(k >= i, p * rate / i, p)
    return p

# %% wrong="3.1.8b" why="every count at every rate" breaks="shape" says="broadcasting pairs them"
def poisson(k, rate):
    k, rate = k.double().reshape(-1, 1), rate.reshape(-1)
    return torch.exp(k * rate.log() - rate - torch.lgamma(k + 1)).squeeze()

# %% wrong="3.1.8c" why="divides by the number of calls" breaks="value" says="not by the number of calls"
def rate_loss(rate, k):
    return (rate - k * rate.log()).sum() / k.sum()

# %% right="3.1.8c" how="one example after the other"
def rate_loss(rate, k):
    total = 0.
    for r, c in zip(rate, k):
        total = total + r - c * torch.log(r)
    return total / len(rate)

# %% wrong="3.1.8d" why="a small number inside the logarithm" breaks="very low rates" says="The loss holds k"
def log_rate_loss(s, k):
    rate = torch.exp(s[:, 0])
    return (rate - k * torch.log(rate + 1e-8)).mean()

# %% right="3.1.8d" how="a matrix product"
def log_rate_loss(s, k):
    return (s.exp().sum() - (k.to(s.dtype)[None] @ s)[0, 0]) / len(s)

# %% wrong="3.1.8d" why="the mean of the counts times the mean of the log rates" breaks="pairs" says="each log rate has its own count"
def log_rate_loss(s, k):
    return s.exp().mean() - k.to(s.dtype).mean() * s.mean()

# %% wrong="3.1.8c" why="the mean of the counts times the mean of the logarithms" breaks="value" says="by its own logarithm first"
def rate_loss(rate, k):
    return rate.mean() - k.to(rate.dtype).mean() * rate.log().mean()

# %% wrong="3.1.8c" why="logarithms to base 10" breaks="value" says="not those to base 10"
def rate_loss(rate, k):
    return (rate - k * rate.log10()).mean()

# %% wrong="3.1.4b" why="twice σ²" breaks="diagonal" says="adds 2 n σ²"
def expected_gram(X, sigma):
    return X.T @ X + 2 * len(X) * sigma ** 2 * torch.eye(X.shape[1], dtype=X.dtype)

# %% wrong="3.1.10" why="the logarithm of 2πσ² without the half" breaks="perfect predictions" says="twice the constant"
def normal_nll(y_hat, y, sigma):
    return len(y) * math.log(2 * math.pi * sigma ** 2) + ((y_hat - y) ** 2).sum() / (2 * sigma ** 2)

# %% wrong="3.1.11" why="columns brought to length 1, and not back" breaks="least squares" says="by the length of its column"
def least_squares(X, y):
    return torch.linalg.pinv(X / X.norm(dim=0)) @ y

# %% wrong="3.1.11" why="one gradient step" breaks="least squares" says="not perpendicular to the columns"
def least_squares(X, y):
    return 0.01 * X.T @ y

# %% wrong="3.1.2b" why="a number on the diagonal" breaks="weights" says="added to the diagonal"
def fit_affine(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], 1)
    v = torch.linalg.solve(A.T @ A + 1e-3 * torch.eye(A.shape[1], dtype=X.dtype), A.T @ y)
    return v[:-1], v[-1]

# %% wrong="3.1.2b" why="the bias of the first point" breaks="bias" says="goes through the first point"
def fit_affine(X, y):
    w = torch.linalg.pinv(X - X.mean(0)) @ (y - y.mean())
    return w, y[0] - X[0] @ w

# %% wrong="3.1.2b" why="the sign of the bias" breaks="bias" says="The sign of b"
def fit_affine(X, y):
    w = torch.linalg.pinv(X - X.mean(0)) @ (y - y.mean())
    return w, X.mean(0) @ w - y.mean()

# %% wrong="3.1.C" why="one gradient for all weights" breaks="weights" says="a gradient of its own"
def sgd_step(X, y, w, b, lr):
    r = X @ w + b - y
    return w - lr * (X * r[:, None]).mean(), b - lr * r.mean()

# %% wrong="3.1.C" why="the sign of the gradient" breaks="weights" says="Only the signs"
def sgd_step(X, y, w, b, lr):
    r = X @ w + b - y
    return w - lr * (X.T @ r).sign(), b - lr * r.mean()

# %% wrong="3.1.1b" why="the median of the absolute deviations" breaks="sigma" says="median of the absolute deviations"
def fit_normal(x):
    return x.mean(), (x - x.mean()).abs().median()

# %% wrong="3.1.5c" why="a rate that falls by a tenth in each step" breaks="several features" says="shorter and shorter"
def fit_laplace(X, y):
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), y.median()
    rate = (y - b).abs().median()
    for t in range(300):
        sign = (X @ w + b - y).sign()
        w, b = w - rate * X.T @ sign / len(y), b - rate * sign.mean()
        rate = 0.9 * rate
    return w, b

# %% right="3.1.5c" how="the rate is cut where nothing gets better"
def fit_laplace(X, y):
    A, unit = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], 1), (y - y.median()).abs().median()
    t = y / unit
    v = torch.linalg.lstsq(A, t[:, None]).solution[:, 0]
    best, least, rate, idle = v, (A @ v - t).abs().sum(), 1., 0
    for _ in range(4000):
        v = v - rate * A.T @ (A @ v - t).sign() / len(t)
        error = (A @ v - t).abs().sum()
        idle += 1
        if error < least:
            best, least, idle = v, error, 0
        if idle > 20:
            rate, idle, v = rate / 1.3, 0, best
    return best[:-1] * unit, best[-1] * unit

# Wrong answers of a third fresh reading.

# %% wrong="3.1.A" why="the mean of the products" breaks="values" says="Add the products up"
def predict(X, w, b):
    return (X * w).mean(dim=1) + b

# %% wrong="3.1.A" why="the bias as a factor" breaks="values" says="added, not multiplied"
def predict(X, w, b):
    return (X @ w) * b

# %% wrong="3.1.A" why="cuts negative predictions off" breaks="values" says="cut off at 0"
def predict(X, w, b):
    return (X @ w + b).clamp(min=0)

# %% wrong="3.1.A" why="leaves the last feature out" breaks="values" says="The last feature is missing"
def predict(X, w, b):
    return X[:, :-1] @ w[:-1] + b

# %% wrong="3.1.A" why="adds the rows above" breaks="values" says="those of the rows above it"
def predict(X, w, b):
    out = []
    total = 0.0
    for row in X:
        total = total + (row * w).sum() + b
        out.append(total)
    return torch.stack(out)

# %% wrong="3.1.A" why="cuts to whole numbers" breaks="values" says="need not be a whole number"
def predict(X, w, b):
    out = torch.zeros(len(X), dtype=torch.int64)
    for i in range(len(X)):
        out[i] = int(sum(X[i, j] * w[j] for j in range(len(w))) + b)
    return out

# %% wrong="3.1.2a" why="as many columns again" breaks="shape" says="not as many again"
def with_ones(X):
    return torch.cat([X, torch.ones_like(X)], dim=1)

# %% wrong="3.1.2a" why="float64 whatever comes" breaks="dtype" says="The dtype of X is kept"
def with_ones(X):
    return torch.cat([X.double(), torch.ones(len(X), 1, dtype=torch.float64)], dim=1)

# %% wrong="3.1.9" why="takes the root of the mean" breaks="value" says="No root"
def fast_loss(X, w, b, y):
    return ((X @ w + b - y.reshape(-1)) ** 2).mean().sqrt() / 2

# %% wrong="3.1.9" why="the variance of the residuals" breaks="value" says="half the variance"
def fast_loss(X, w, b, y):
    return (X @ w + b - y.reshape(-1)).var(correction=0) / 2

# %% wrong="3.1.9" why="float64 whatever comes" breaks="dtype" says="the dtype for float32"
def fast_loss(X, w, b, y):
    return ((X.double() @ w.double() + b - y.double().reshape(-1)) ** 2).mean() / 2

# %% wrong="3.1.1a" why="leaves the smallest and the largest out" breaks="squared" says="the smallest and the largest"
def best_constants(x):
    s = x.double().sort().values
    return (s[1:-1].mean() if len(s) > 2 else s.mean()), s.median()

# %% wrong="3.1.1a" why="the middle between the quartiles" breaks="squared" says="quartiles"
def best_constants(x):
    x = x.double()
    return (x.quantile(0.25) + x.quantile(0.75)) / 2, x.median()

# %% wrong="3.1.B" why="the quotient of the lengths" breaks="least squares" says="length of y over that of x"
def slope(x, y):
    return y.norm() / x.norm()

# %% wrong="3.1.B" why="the square of the mean" breaks="least squares" says="not the square of the sum"
def slope(x, y):
    return (x * y).mean() / x.mean() ** 2

# %% wrong="3.1.B" why="some steps" breaks="least squares" says="no steps are needed"
def slope(x, y):
    w = torch.zeros(())
    for _ in range(20):
        w = w - 0.01 * ((w * x - y) * x).sum()
    return w

# %% wrong="3.1.11" why="subtracts the means" breaks="least squares" says="means were subtracted"
def least_squares(X, y):
    A = X - X.mean(0)
    return torch.linalg.pinv(A) @ (y - y.mean())

# %% wrong="3.1.11" why="standardises, and does not turn the weights back" breaks="least squares" says="standard deviation"
def least_squares(X, y):
    s = X.std(0).clamp(min=1e-12)
    s[s < 1e-9] = 1
    return torch.linalg.lstsq(X / s, y[:, None]).solution[:, 0]

# %% wrong="3.1.11" why="a coarse cut in the pseudo-inverse" breaks="different scales" says="coarse cut"
def least_squares(X, y):
    return torch.linalg.pinv(X, rtol=1e-3) @ y

# %% wrong="3.1.2b" why="each feature by itself" breaks="weights" says="fitted by itself"
def fit_affine(X, y):
    A, c = X - X.mean(0), y - y.mean()
    w = (A * c[:, None]).sum(0) / (A ** 2).sum(0)
    return w, y.mean() - X.mean(0) @ w

# %% wrong="3.1.2b" why="through the first points" breaks="weights" says="first three points"
def fit_affine(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], 1)
    v = torch.linalg.solve(A[:A.shape[1]], y[:A.shape[1]])
    return v[:-1], v[-1]

# %% wrong="3.1.3" why="stacks the columns as rows" breaks="shape" says="came out as rows"
def quadratic_features(X):
    d = X.shape[1]
    return torch.stack([X[:, i] for i in range(d)] + [X[:, i] * X[:, j] for i in range(d) for j in range(i, d)])

# %% wrong="3.1.3" why="the last square is missing" breaks="shape" says="x₂²"
def quadratic_features(X):
    d = X.shape[1]
    cols = [X[:, i] for i in range(d)] + [X[:, i] * X[:, j] for i in range(d - 1) for j in range(i, d)]
    return torch.stack(cols, 1)

# %% wrong="3.1.C" why="w from the new b" breaks="weights" says="at the new b"
def sgd_step(X, y, w, b, lr):
    b = b - lr * (X @ w + b - y).mean()
    w = w - lr * X.T @ (X @ w + b - y) / len(X)
    return w, b

# %% wrong="3.1.C" why="the first example only" breaks="weights" says="for the first example alone"
def sgd_step(X, y, w, b, lr):
    r = X[0] @ w + b - y[0]
    return w - lr * r * X[0], b - lr * r

# %% wrong="3.1.C" why="b as if there were no weights" breaks="bias" says="X w is missing"
def sgd_step(X, y, w, b, lr):
    r = X @ w + b - y
    return w - lr * X.T @ r / len(X), b - lr * (b - y.mean())

# %% wrong="3.1.10" why="the root of the sum of squares" breaks="residuals" says="No root"
def normal_nll(y_hat, y, sigma):
    return len(y) * math.log(sigma * math.sqrt(2 * math.pi)) + (y - y_hat).norm() / (2 * sigma ** 2)

# %% wrong="3.1.1b" why="divides after the root" breaks="sigma" says="n stands under it"
def fit_normal(x):
    b = x.mean()
    return b, ((x - b) ** 2).sum().sqrt() / len(x)

# %% wrong="3.1.1b" why="the error of the mean" breaks="sigma" says="for the error of a mean"
def fit_normal(x):
    return x.mean(), x.std() / math.sqrt(len(x))

# %% wrong="3.1.1b" why="from the quartiles" breaks="sigma" says="from the quartiles"
def fit_normal(x):
    return x.mean(), (x.quantile(0.75) - x.quantile(0.25)) / 1.349

# %% wrong="3.1.5a" why="log 2 for every entry of X" breaks="perfect fit" says="these are six"
def laplace_nll(w, b, X, y):
    return (X @ w + b - y).abs().sum() + X.numel() * math.log(2)

# %% wrong="3.1.5a" why="1/2 for its logarithm" breaks="perfect fit" says="not 1/2 itself"
def laplace_nll(w, b, X, y):
    return ((X @ w + b - y).abs() + 0.5).sum()

# %% wrong="3.1.5a" why="subtracts b" breaks="perfect fit" says="not subtracted"
def laplace_nll(w, b, X, y):
    return (X @ w - b - y).abs().sum() + len(y) * math.log(2)

# %% wrong="3.1.5a" why="halves the absolute values" breaks="residuals" says="not halves of them"
def laplace_nll(w, b, X, y):
    return ((X @ w + b - y).abs() / 2).sum() + len(y) * math.log(2)

# %% wrong="3.1.5a" why="only targets above the prediction" breaks="residuals" says="here -2 adds nothing"
def laplace_nll(w, b, X, y):
    r = y - X @ w - b
    return (len(y) * math.log(2) + r.clamp(min=0).sum())

# %% wrong="3.1.5c" why="weights of least squares, and a median for b" breaks="outliers" says="another b alone"
def fit_laplace(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], 1)
    w = torch.linalg.lstsq(A, y[:, None]).solution[:-1, 0]
    return w, (y - X @ w).median()

# %% wrong="3.1.5c" why="squares for small residuals" breaks="outliers" says="small residuals count with their squares"
def fit_laplace(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], 1)
    v = torch.zeros(A.shape[1], dtype=X.dtype)
    for _ in range(200):
        q = 1 / (y - A @ v).abs().clamp(min=1)
        v = torch.linalg.solve(A.T @ (q[:, None] * A), A.T @ (q * y))
    return v[:-1], v[-1]

# %% wrong="3.1.6" why="b2 as a factor" breaks="bias" says="not multiplied"
def collapse(W1, b1, W2, b2):
    return W2 @ W1, (W2 @ b1) * b2

# %% wrong="3.1.6" why="subtracts the first bias" breaks="bias" says="not subtracted"
def collapse(W1, b1, W2, b2):
    return W2 @ W1, b2 - W2 @ b1

# %% wrong="3.1.6" why="row sums for the first bias" breaks="bias" says="sums of the rows of W2"
def collapse(W1, b1, W2, b2):
    return W2 @ W1, W2.sum(1) + b2

# %% wrong="3.1.4b" why="d as well as n" breaks="diagonal" says="d does not enter"
def expected_gram(X, sigma):
    n, d = X.shape
    return X.T @ X + n * d * sigma ** 2 * torch.eye(d, dtype=X.dtype)

# %% wrong="3.1.4b" why="σ to the fourth" breaks="diagonal" says="n σ⁴"
def expected_gram(X, sigma):
    return X.T @ X + len(X) * sigma ** 4 * torch.eye(X.shape[1], dtype=X.dtype)

# %% wrong="3.1.4b" why="the root of n" breaks="diagonal" says="without a root"
def expected_gram(X, sigma):
    return X.T @ X + math.sqrt(len(X)) * sigma ** 2 * torch.eye(X.shape[1], dtype=X.dtype)

# %% wrong="3.1.4b" why="the noise alone" breaks="off the diagonal" says="XᵀX is missing"
def expected_gram(X, sigma):
    return len(X) * sigma ** 2 * torch.eye(X.shape[1], dtype=X.dtype)

# %% wrong="3.1.4b" why="the noise as a factor" breaks="off the diagonal" says="not multiplied"
def expected_gram(X, sigma):
    return X.T @ X * (1 + sigma ** 2)

# %% wrong="3.1.4c" why="only what the start has in the null space" breaks="from zero" says="This is still the start"
def descent_limit(X, y, w0):
    return w0 - torch.linalg.pinv(X) @ (X @ w0)

# %% wrong="3.1.7a" why="a logistic curve" breaks="probability" says="only come near"
def chance_of_negative(y_hat, sigma):
    return torch.sigmoid(-1.702 * y_hat / sigma)

# %% wrong="3.1.7a" why="a percentage" breaks="probability" says="this is a percentage"
def chance_of_negative(y_hat, sigma):
    return 100 * torch.special.ndtr(-y_hat / sigma)

# %% wrong="3.1.7b" why="1 + s²/2" breaks="mean" says="comes only near"
def price_statistics(m, s):
    e = torch.exp(m)
    return e, e * (1 + s ** 2 / 2), torch.exp(m + s) / torch.exp(m - s)

# %% wrong="3.1.7b" why="1 ± s for the ends" breaks="ratio" says="comes only near"
def price_statistics(m, s):
    e = torch.exp(m)
    return e, e * math.exp(s ** 2 / 2), torch.full_like(m, (1 + s) / (1 - s))

# %% wrong="3.1.7b" why="s squared in the ratio" breaks="ratio" says="s is not squared"
def price_statistics(m, s):
    e = torch.exp(m)
    return e, e * math.exp(s ** 2 / 2), torch.full_like(m, math.exp(s ** 2))

# %% wrong="3.1.7c" why="two terms of the series" breaks="values" says="first terms of a series"
def log_step(price, tick):
    t = tick / price
    return t - t ** 2 / 2

# %% wrong="3.1.7c" why="tick over the new price" breaks="values" says="tick / new price"
def log_step(price, tick):
    return tick / (price + tick)

# %% wrong="3.1.7c" why="differences between the prices" breaks="shape" says="a step of its own"
def log_step(price, tick):
    return price.log().diff()

# %% wrong="3.1.8b" why="Stirling's formula" breaks="small counts" says="approximation of k!"
def poisson(k, rate):
    k = k.double()
    log_fact = torch.where(k < 1, torch.zeros_like(k), k * k.clamp(min=1).log() - k + 0.5 * (2 * math.pi * k.clamp(min=1)).log())
    return torch.exp(k * rate.log() - rate - log_fact)

# %% wrong="3.1.8b" why="a normal density for large rates" breaks="large counts" says="a normal density"
def poisson(k, rate):
    k = k.double()
    exact = torch.exp(k * rate.log() - rate - torch.lgamma(k + 1))
    near = torch.distributions.Normal(rate, rate.sqrt()).log_prob(k).exp()
    return torch.where(rate > 100, near, exact)

# %% wrong="3.1.8b" why="at most k" breaks="small counts" says="at most k"
def poisson(k, rate):
    k = k.double()
    return torch.special.gammaincc(k + 1, rate)

# %% wrong="3.1.8c" why="the logarithm of 1 + rate" breaks="value" says="not that of 1 + rate"
def rate_loss(rate, k):
    return (rate - k * torch.log1p(rate)).mean()

# %% wrong="3.1.8c" why="adds k log(rate)" breaks="value" says="is subtracted"
def rate_loss(rate, k):
    return (rate + k * rate.log()).mean()

# %% wrong="3.1.8c" why="the slope for the loss" breaks="value" says="mean of the slopes"
def rate_loss(rate, k):
    return (1 - k / rate).mean()

# %% wrong="3.1.8c" why="leaves counts of 0 out" breaks="value" says="count 0 has a loss"
def rate_loss(rate, k):
    m = k > 0
    return (rate[m] - k[m] * rate[m].log()).mean()

# %% wrong="3.1.8d" why="cuts high log rates off" breaks="pairs" says="however large"
def log_rate_loss(s, k):
    t = s[:, 0]
    return (t.clamp(max=5).exp() - k * t).mean()

# %% wrong="3.1.8d" why="adds k s" breaks="pairs" says="k s is subtracted"
def log_rate_loss(s, k):
    t = s[:, 0]
    return (t.exp() + k * t).mean()

# %% right="3.1.9" how="all as columns"
def fast_loss(X, w, b, y):
    r = (X * w).sum(1, keepdim=True) + b - y.reshape(-1, 1)
    return (r.T @ r).squeeze() / (2 * X.shape[0])

# %% right="3.1.5c" how="alternating directions, the best kept"
def fit_laplace(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], 1)
    P, unit = torch.linalg.pinv(A), (y - y.median()).abs().median()
    z, u = torch.zeros_like(y), torch.zeros_like(y)
    best, least = None, math.inf
    for _ in range(4000):
        v = P @ (y + z - u)
        r = A @ v - y
        if r.abs().sum() < least:
            best, least = v, r.abs().sum()
        z = (r + u).sign() * ((r + u).abs() - 0.3 * unit).clamp(min=0)
        u = u + r - z
    return best[:-1], best[-1]

# %% right="3.1.4b" how="X over a multiple of the identity"
def expected_gram(X, sigma):
    n, d = X.shape
    A = torch.cat([X, sigma * math.sqrt(n) * torch.eye(d, dtype=X.dtype)])
    return A.T @ A

# %% right="3.1.6" how="what the layers make of 0 and of the unit vectors"
def collapse(W1, b1, W2, b2):
    def f(x):
        return W2 @ (W1 @ x + b1[:, None]) + b2[:, None]
    b = f(torch.zeros(W1.shape[1], 1, dtype=W1.dtype))
    return f(torch.eye(W1.shape[1], dtype=W1.dtype)) - b, b[:, 0]

# %% wrong="3.1.6" why="the mean of the first bias" breaks="bias" says="its mean stands in place"
def collapse(W1, b1, W2, b2):
    return W2 @ W1, W2.sum(dim=1) * b1.mean() + b2

# %% wrong="3.1.6" why="the mean of the second bias" breaks="bias" says="the mean of b2"
def collapse(W1, b1, W2, b2):
    b = W2 @ b1
    return W2 @ W1, b + b2.mean()

# %% right="3.1.4c" how="singular vectors, one after the other"
def descent_limit(X, y, w0):
    U, S, Vh = torch.linalg.svd(X, full_matrices=False)
    w = w0.clone()
    for u, s, v in zip(U.T, S, Vh):
        if s > 1e-12 * S[0]:
            w = w + (u @ y / s - v @ w0) * v
    return w

# %% right="3.1.8b" how="a table of log factorials"
def poisson(k, rate):
    table = torch.cat([torch.zeros(1, dtype=torch.float64), torch.arange(1, 1001, dtype=torch.float64).log().cumsum(0)])
    return (torch.xlogy(k.double(), rate) - rate - table[k.long()]).exp()

# %% wrong="3.1.9" why="half the length of the residuals" breaks="value" says="half the length of the vector"
def fast_loss(X, w, b, y):
    return torch.norm(X @ w + b - y.reshape(-1)) / 2

# %% wrong="3.1.9" why="divides by the number of features" breaks="value" says="not by that of the features"
def fast_loss(X, w, b, y):
    r = X @ w + b - y.reshape(-1)
    return (r @ r) / (2 * X.shape[1])

# %% wrong="3.1.9" why="all pairs for flat targets" breaks="value" says="over all pairs"
def fast_loss(X, w, b, y):
    return ((X @ w + b - y.reshape(-1, 1)) ** 2 / 2).mean()

# %% wrong="3.1.1a" why="each number once, as often as it comes" breaks="whole numbers" says="A number that comes twice counts twice"
def best_constants(x):
    once = x.double().unique()
    return once.mean(), once.median()

# %% wrong="3.1.1a" why="the absolute loss's best constant is taken as the mean of absolute values" breaks="absolute" says="mean of the sizes"
def best_constants(x):
    x = x.double()
    return x.mean(), x.abs().mean()

# %% wrong="3.1.11" why="the transpose on the wrong side" breaks="shape" says="This has an entry for each example"
def least_squares(X, y):
    return torch.linalg.pinv(X @ X.T) @ y

# %% wrong="3.1.11" why="steps with a fixed rate" breaks="different scales" says="run away"
def least_squares(X, y):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(3000):
        w = w - 0.01 * X.T @ (X @ w - y) / len(X)
    return w

# %% wrong="3.1.2b" why="steps that run away" breaks="far from zero" says="Yours is not finite"
def fit_affine(X, y):
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), torch.tensor(0.0, dtype=X.dtype)
    for _ in range(5000):
        r = X @ w + b - y
        w, b = w - 0.05 * X.T @ r / len(X), b - 0.05 * r.mean()
    return w, b

# %% wrong="3.1.2b" why="centres X and y, forgets to transform the bias back" breaks="bias" says="only where the features have mean 0"
def fit_affine(X, y):
    w = torch.linalg.lstsq(X - X.mean(0), (y - y.mean())[:, None]).solution[:, 0]
    return w, y.mean()

# %% wrong="3.1.10" why="the constant once, for all examples" breaks="perfect predictions" says="belongs to every example"
def normal_nll(y_hat, y, sigma):
    return math.log(sigma * math.sqrt(2 * math.pi)) + ((y - y_hat) ** 2).sum() / (2 * sigma ** 2)

# %% right="3.1.4c" how="pseudo-inverse of the Gram matrix"
def descent_limit(X, y, w0):
    return w0 + torch.linalg.pinv(X.T @ X) @ X.T @ (y - X @ w0)

# %% wrong="3.1.8b" why="factorials as floats" breaks="large counts" says="counts 0, 250, 700"
def poisson(k, rate):
    f = torch.tensor([float(math.factorial(int(i))) for i in k.flatten()], dtype=torch.float64).reshape(k.shape)
    return rate ** k * torch.exp(-rate) / f

# %% wrong="3.1.8b" why="lgamma(k), cut off at 1" breaks="small counts" says="by (k - 1)!"
def poisson(k, rate):
    k = k.double()
    return torch.exp(k * rate.log() - rate - torch.lgamma(k.clamp(min=1)))

# %% wrong="3.1.8c" why="the logarithm of the count" breaks="value" says="log 0 is -inf"
def rate_loss(rate, k):
    return (rate - rate * torch.log(k)).mean()

# %% wrong="3.1.8c" why="the squared relative residual, variance equal mean" breaks="value" says="as a normal density"
def rate_loss(rate, k):
    return ((rate - k) ** 2 / (2 * rate)).mean()

# %% wrong="3.1.8c" why="k log k added: the deviance" breaks="value" says="like log k!"
def rate_loss(rate, k):
    return (torch.xlogy(k.float(), k.float()) - k * rate.log() - k + rate).mean()

# %% wrong="3.1.8d" why="the count times the rate" breaks="pairs" says="not by the rate"
def log_rate_loss(s, k):
    rate = s[:, 0].exp()
    return (rate - k * rate).mean()

# %% wrong="3.1.8d" why="clamps s for safety at -20" breaks="very low rates" says="is cut off"
def log_rate_loss(s, k):
    s = s.reshape(-1).clamp(min=-20, max=20)
    return (s.exp() - k * s).mean()

# %% wrong="3.1.9" why="bias added to y instead of the prediction (sign)" breaks="value" says="the prediction is X w + b"
def fast_loss(X, w, b, y):
    r = X @ w - (y.reshape(-1) + b)
    return (r ** 2 / 2).mean()

# %% wrong="3.1.B" why="divides by the number of examples" breaks="least squares" says="not by n, too"
def slope(x, y):
    return x @ y / (x @ x) / len(x)

# %% wrong="3.1.B" why="correlation without centring: divides by both norms" breaks="least squares" says="lengths of x and of y"
def slope(x, y):
    return x @ y / (x.norm() * y.norm())

# %% wrong="3.1.11" why="computes in float32 and converts back" breaks="different scales" says="float32 rounds so"
def least_squares(X, y):
    X, y = X.float(), y.float()
    return torch.linalg.solve(X.T @ X, X.T @ y).double()

# %% wrong="3.1.11" why="gradient descent, a thousand steps" breaks="different scales" says="Small steps would need"
def least_squares(X, y):
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    lr = 1 / torch.linalg.matrix_norm(X, 2) ** 2
    for _ in range(1000):
        w = w - lr * X.T @ (X @ w - y)
    return w

# %% wrong="3.1.2b" why="standardises and forgets to scale back" breaks="weights" says="weight of the standardised feature"
def fit_affine(X, y):
    Z = (X - X.mean(0)) / X.std(0)
    w = torch.linalg.lstsq(Z, (y - y.mean())[:, None]).solution[:, 0]
    return w, y.mean() - X.mean(0) @ w

# %% wrong="3.1.2b" why="normal equations in float32" breaks="far from zero" says="float32 rounds so"
def fit_affine(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1).float()
    v = torch.linalg.solve(A.T @ A, A.T @ y.float()).double()
    return v[:-1], v[-1]

# %% wrong="3.1.C" why="the residuals turned round" breaks="weights" says="with the residuals X w + b - y"
def sgd_step(X, y, w, b, lr):
    r = y - (X @ w + b)
    return w - lr * X.T @ r / len(X), b - lr * r.mean()

# %% wrong="3.1.10" why="Normal with the variance" breaks="perfect predictions" says="stands in place of"
def normal_nll(y_hat, y, sigma):
    return -torch.distributions.Normal(y_hat, sigma ** 2).log_prob(y).sum()

# %% wrong="3.1.1b" why="correction of the wrong sign: n + 1" breaks="sigma" says="divides by n + 1"
def fit_normal(x):
    b = x.mean()
    return b, (((x - b) ** 2).sum() / (len(x) + 1)).sqrt()

# %% wrong="3.1.1b" why="standard error of the mean" breaks="sigma" says="n stands under it"
def fit_normal(x):
    return x.mean(), x.std(correction=0) / len(x) ** 0.5

# %% wrong="3.1.5c" why="the rate falls too fast" breaks="several features" says="shorter and shorter"
def fit_laplace(X, y):
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), torch.zeros((), dtype=X.dtype)
    rate = (y - y.median()).abs().median()
    for t in range(3000):
        s = (X @ w + b - y).sign()
        w, b = w - rate * X.T @ s / len(X), b - rate * s.mean()
        rate = rate * 0.9
    return w, b

# %% wrong="3.1.5c" why="weights only from the median of b: bias is the median of the targets, fixed" breaks="outliers" says="median of the targets themselves"
def fit_laplace(X, y):
    b = y.median()
    w = torch.zeros(X.shape[1], dtype=X.dtype)
    rate = (y - b).abs().median()
    for t in range(4000):
        w = w - rate / (1 + 0.02 * t) * X.T @ (X @ w + b - y).sign() / len(X)
    return w, b

# %% wrong="3.1.5c" why="the bias keeps out of the sign's residual" breaks="outliers" says="far larger than the targets"
def fit_laplace(X, y):
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), torch.zeros((), dtype=X.dtype)
    rate = (y - y.median()).abs().median()
    for t in range(4000):
        s = (X @ w - y).sign()
        w, b = w - rate / (1 + 0.02 * t) * X.T @ s / len(X), b - rate / (1 + 0.02 * t) * s.mean()
    return w, b

# %% wrong="3.1.4c" why="one exact step of steepest descent" breaks="slow directions" says="steps would need"
def descent_limit(X, y, w0):
    g = X.T @ (X @ w0 - y)
    q = (X @ g) @ (X @ g)
    return w0 - (g @ g) / q * g if q > 0 else w0.clone()

# %% wrong="3.1.4c" why="inverse of the Gram matrix by pinv, with a coarse tolerance" breaks="slow directions" says="a coarse cut leaves it out"
def descent_limit(X, y, w0):
    return w0 + torch.linalg.pinv(X, rtol=1e-2) @ (y - X @ w0)

# %% wrong="3.1.7a" why="negative predictions are clipped to zero" breaks="negative predictions" says="for a prediction of 0"
def chance_of_negative(y_hat, sigma):
    return torch.distributions.Normal(y_hat.clamp(min=0), sigma).cdf(torch.zeros_like(y_hat))

# %% wrong="3.1.7a" why="one where the prediction is negative, else the probability" breaks="negative predictions" says="not certain"
def chance_of_negative(y_hat, sigma):
    p = torch.distributions.Normal(y_hat, sigma).cdf(torch.zeros_like(y_hat))
    return torch.where(y_hat < 0, torch.ones_like(p), p)

# %% wrong="3.1.8b" why="plus log k!" breaks="small counts" says="stands above the line"
def poisson(k, rate):
    k = k.double()
    return torch.exp(k * rate.log() - rate + torch.lgamma(k + 1))

# %% wrong="3.1.8b" why="float32 counts kept and result cast" breaks="large counts" says="three or four digits"
def poisson(k, rate):
    k, r = k.float(), rate.float()
    return torch.exp(k * r.log() - r - torch.lgamma(k + 1)).double()

# %% wrong="3.1.8b" why="normalised over the given counts" breaks="small counts" says="nothing is divided by a sum"
def poisson(k, rate):
    k = k.double()
    p = torch.exp(k * rate.log() - rate - torch.lgamma(k + 1))
    return p / p.sum()

# %% wrong="3.1.8d" why="clamped log rates" breaks="very low rates" says="some number s is cut off"
def log_rate_loss(s, k):
    s = s.squeeze(1).clamp(min=-50)
    return (s.exp() - k * s).mean()

# %% wrong="3.1.8d" why="epsilon inside the logarithm" breaks="very low rates" says="added to the rate"
def log_rate_loss(s, k):
    rate = s.flatten().exp()
    return (rate - k * torch.log(rate + 1e-8)).mean()

# %% wrong="3.1.7c" why="the logarithms divided" breaks="values" says="quotient of the logarithms"
def log_step(price, tick):
    return torch.log(price + tick) / torch.log(price)

# %% wrong="3.1.7c" why="log1p of both" breaks="values" says="added to both prices"
def log_step(price, tick):
    return torch.log1p(price + tick) - torch.log1p(price)

# %% wrong="3.1.7c" why="relative to the new price" breaks="values" says="compared with the old price"
def log_step(price, tick):
    return torch.log1p(tick / (price + tick))

# %% wrong="3.1.8c" why="log of the mean rate" breaks="value" says="that of the mean rate"
def rate_loss(rate, k):
    return (rate - k * rate.mean().log()).mean()

# %% wrong="3.1.D" why="singular values that are small beside the largest, of the reduced decomposition" breaks="count" says="has only two singular values, yet five directions"
def free_directions(X):
    s = torch.linalg.svdvals(X)
    return (s < 1e-5 * s.max()).sum()

# %% right="3.1.D" how="all d of the directions, less the singular values that are not small"
def free_directions(X):
    s = torch.linalg.svd(X.double()).S
    return X.shape[1] - int((s > 1e-6 * s.max()).sum())
