# %% right="3.4.A" how="a tensor and a rounded loss"
three_predictions = torch.tensor([0., 4., 0.])
three_loss = 0.833

# %% wrong="3.4.A" why="without the bias" breaks="predictions" says="The bias is left out"
three_predictions = [-2, 2, -2]
three_loss = 5 / 6

# %% wrong="3.4.A" why="sign of the second weight" breaks="predictions" says="has a minus sign"
three_predictions = [6, 4, 4]
three_loss = 5 / 6

# %% wrong="3.4.A" why="no half" breaks="loss" says="The half is left out"
three_predictions = [0, 4, 0]
three_loss = 5 / 3

# %% wrong="3.4.A" why="the sum" breaks="loss" says="This is the sum"
three_predictions = [0, 4, 0]
three_loss = 2.5

# %% right="3.4.5a" how="flattens both"
def squared_loss(y_hat, y):
    p, t = y_hat.reshape(-1), y.reshape(-1)
    if len(p) != len(t):
        raise ValueError(f"{y_hat.shape} and {y.shape}")
    return 0.5 * torch.nn.functional.mse_loss(p, t)

# %% right="3.4.5a" how="view_as, shapes as lists, a result of shape (1,)"
def squared_loss(y_hat, y):
    try:
        same = y.contiguous().view_as(y_hat)
    except RuntimeError:
        raise ValueError(f"cannot compare {list(y_hat.shape)} with {list(y.shape)}") from None
    return ((y_hat - same).pow(2).sum() / (2 * y_hat.numel())).reshape(1)

# %% right="3.4.5a" how="says the numbers of entries"
def squared_loss(y_hat, y):
    if len(y_hat) != len(y):
        raise ValueError("got %d predictions for %d targets" % (len(y_hat), len(y)))
    r = y_hat.flatten() - y.flatten()
    return r @ r / len(r) / 2

# %% wrong="3.4.5a" why="broadcasts" breaks="mixed shapes" says="broadcast to (3, 3)"
def squared_loss(y_hat, y):
    if y_hat.numel() != y.numel():
        raise ValueError(f"{tuple(y_hat.shape)} {tuple(y.shape)}")
    return ((y_hat - y) ** 2 / 2).mean()

# %% wrong="3.4.5a" why="without the factor 1/2" breaks="values" says="The factor 1/2 is missing"
def squared_loss(y_hat, y):
    if y_hat.numel() != y.numel():
        raise ValueError(f"{tuple(y_hat.shape)} {tuple(y.shape)}")
    return ((y_hat - y.reshape(y_hat.shape)) ** 2).mean()

# %% wrong="3.4.5a" why="the sum" breaks="values" says="the sum, not the mean"
def squared_loss(y_hat, y):
    if y_hat.numel() != y.numel():
        raise ValueError(f"{tuple(y_hat.shape)} {tuple(y.shape)}")
    return ((y_hat - y.reshape(y_hat.shape)) ** 2 / 2).sum()

# %% wrong="3.4.5a" why="squeezes and lets one target broadcast" breaks="refusal" says="targets (1,)"
def squared_loss(y_hat, y):
    p, t = y_hat.squeeze(), y.squeeze()
    if p.dim() and t.dim() and len(p) != len(t):
        raise ValueError(f"{tuple(y_hat.shape)} {tuple(y.shape)}")
    return ((p - t) ** 2 / 2).mean()

# %% wrong="3.4.5a" why="leaves the refusal to reshape" breaks="refusal" says="targets (29,)"
def squared_loss(y_hat, y):
    return ((y_hat - y.reshape(y_hat.shape)) ** 2 / 2).mean()

# %% wrong="3.4.5a" why="an assertion in place of ValueError" breaks="refusal" says="expected ValueError"
def squared_loss(y_hat, y):
    assert y_hat.numel() == y.numel(), f"{tuple(y_hat.shape)} {tuple(y.shape)}"
    return ((y_hat - y.reshape(y_hat.shape)) ** 2 / 2).mean()

# %% wrong="3.4.5a" why="refuses (n, 1) against (n,) too" breaks="mixed shapes" says="ValueError was raised"
def squared_loss(y_hat, y):
    if y_hat.shape != y.shape:
        raise ValueError(f"{tuple(y_hat.shape)} {tuple(y.shape)}")
    return ((y_hat - y) ** 2 / 2).mean()

# %% wrong="3.4.5a" why="a loss without a graph" breaks="gradient" says="cut"
def squared_loss(y_hat, y):
    if y_hat.numel() != y.numel():
        raise ValueError(f"{tuple(y_hat.shape)} {tuple(y.shape)}")
    return torch.tensor(((y_hat - y.reshape(y_hat.shape)) ** 2 / 2).mean().item())

# %% wrong="3.4.5a" why="a message without shapes" breaks="message" says="without '13'"
def squared_loss(y_hat, y):
    if y_hat.numel() != y.numel():
        raise ValueError("the shapes do not fit")
    return ((y_hat - y.reshape(y_hat.shape)) ** 2 / 2).mean()

# %% wrong="3.4.5a" why="a message with one shape" breaks="message" says="without '29'"
def squared_loss(y_hat, y):
    if y_hat.numel() != y.numel():
        raise ValueError(f"the targets do not fit {tuple(y_hat.shape)}")
    return ((y_hat - y.reshape(y_hat.shape)) ** 2 / 2).mean()

# %% wrong="3.4.5a" why="no mean at all" breaks="one element" says="One number for all examples"
def squared_loss(y_hat, y):
    if y_hat.numel() != y.numel():
        raise ValueError(f"{tuple(y_hat.shape)} {tuple(y.shape)}")
    return (y_hat - y.reshape(y_hat.shape)) ** 2 / 2

# %% wrong="3.4.5a" why="the square of the mean" breaks="values" says="their mean was squared"
def squared_loss(y_hat, y):
    if y_hat.numel() != y.numel():
        raise ValueError(f"{tuple(y_hat.shape)} {tuple(y.shape)}")
    return (y_hat - y.reshape(y_hat.shape)).mean() ** 2 / 2

# %% right="3.4.B" how="autograd"
def loss_gradient(X, y, w, b):
    W, B = w.clone().requires_grad_(), b.clone().requires_grad_()
    ((X @ W + B - y) ** 2 / 2).mean().backward()
    return [W.grad, B.grad]

# %% right="3.4.B" how="a mean over products"
def loss_gradient(X, y, w, b):
    r = (X * w.T).sum(1, keepdim=True) + b - y
    return (r * X).mean(0)[:, None], r.mean(0)

# %% wrong="3.4.B" why="the sum" breaks="weights" says="divide by n"
def loss_gradient(X, y, w, b):
    r = X @ w + b - y
    return X.T @ r, r.sum().reshape(1)

# %% wrong="3.4.B" why="twice" breaks="weights" says="half cancels"
def loss_gradient(X, y, w, b):
    r = X @ w + b - y
    return 2 * X.T @ r / len(X), r.mean().reshape(1)

# %% wrong="3.4.B" why="the sign" breaks="weights" says="opposite sign"
def loss_gradient(X, y, w, b):
    r = X @ w + b - y
    return -X.T @ r / len(X), -r.mean().reshape(1)

# %% wrong="3.4.B" why="divided by the features" breaks="weights" says="not of features"
def loss_gradient(X, y, w, b):
    r = X @ w + b - y
    return X.T @ r / X.shape[1], r.mean().reshape(1)

# %% wrong="3.4.B" why="sum for the bias" breaks="bias" says="divide by n"
def loss_gradient(X, y, w, b):
    r = X @ w + b - y
    return X.T @ r / len(X), r.sum().reshape(1)

# %% wrong="3.4.B" why="twice, for the bias" breaks="bias" says="half cancels"
def loss_gradient(X, y, w, b):
    r = X @ w + b - y
    return X.T @ r / len(X), 2 * r.mean().reshape(1)

# %% wrong="3.4.B" why="no bias in the predictions" breaks="weights" says="bias is left out"
def loss_gradient(X, y, w, b):
    r = X @ w - y
    return X.T @ r / len(X), (r + b).mean().reshape(1)

# %% wrong="3.4.B" why="dw as a row" breaks="shape" says="shape of dw"
def loss_gradient(X, y, w, b):
    r = X @ w + b - y
    return (r * X).mean(0, keepdim=True), r.mean().reshape(1)

# %% wrong="3.4.B" why="db as a scalar" breaks="shape" says="shape of db"
def loss_gradient(X, y, w, b):
    r = X @ w + b - y
    return X.T @ r / len(X), r.mean()

# %% right="3.4.C" how="tuples"
cleared = (6, 4.5, 3.375)
added_up = torch.tensor([6, 2.5, -1.625])

# %% wrong="3.4.C" why="gradients" breaks="cleared" says="before each step"
cleared = [8, 6, 4.5]
added_up = [6, 2.5, -1.625]

# %% wrong="3.4.C" why="slope 2p" breaks="cleared" says="not 2p"
cleared = [4, 2, 1]
added_up = [6, 2.5, -1.625]

# %% wrong="3.4.C" why="the same" breaks="added up" says="the program that clears"
cleared = [6, 4.5, 3.375]
added_up = [6, 4.5, 3.375]

# %% wrong="3.4.C" why="only the last two slopes" breaks="added up" says="all three places"
cleared = [6, 4.5, 3.375]
added_up = [6, 2.5, 0.375]

# %% wrong="3.4.C" why="with the start" breaks="cleared" says="Without the start"
cleared = [8, 6, 4.5, 3.375]
added_up = [6, 2.5, -1.625]

# %% right="3.4.7a" how="split of a permutation, a list in place of a generator"
def data_iter(batch_size, X, y):
    return [(X[rows], y[rows]) for rows in torch.randperm(len(X)).split(batch_size)]

# %% right="3.4.7a" how="a DataLoader"
def data_iter(batch_size, X, y):
    pairs = torch.utils.data.TensorDataset(X, y)
    yield from torch.utils.data.DataLoader(pairs, batch_size=batch_size, shuffle=True)

# %% wrong="3.4.7a" why="drops the last batch" breaks="sizes" says="here it is dropped"
def data_iter(batch_size, X, y):
    order = torch.randperm(len(X))
    for i in range(len(X) // batch_size):
        rows = order[i * batch_size:(i + 1) * batch_size]
        yield X[rows], y[rows]

# %% wrong="3.4.7a" why="in the given order" breaks="random order" says="come in random order"
def data_iter(batch_size, X, y):
    for i in range(0, len(X), batch_size):
        yield X[i:i + batch_size], y[i:i + batch_size]

# %% wrong="3.4.7a" why="shuffles X and y apart" breaks="pairs" says="with the same numbers"
def data_iter(batch_size, X, y):
    X, y = X[torch.randperm(len(X))], y[torch.randperm(len(y))]
    for i in range(0, len(X), batch_size):
        yield X[i:i + batch_size], y[i:i + batch_size]

# %% wrong="3.4.7a" why="fills the last batch with repeated examples" breaks="sizes" says="filled up"
def data_iter(batch_size, X, y):
    order = torch.randperm(len(X))
    while len(order) % batch_size:
        order = torch.cat([order, order[:1]])
    for i in range(0, len(order), batch_size):
        yield X[order[i:i + batch_size]], y[order[i:i + batch_size]]

# %% wrong="3.4.7a" why="draws each batch anew, with repeats" breaks="each once" says="not a draw with repeats"
def data_iter(batch_size, X, y):
    for i in range(0, len(X), batch_size):
        rows = torch.randint(len(X), (min(batch_size, len(X) - i),))
        yield X[rows], y[rows]

# %% wrong="3.4.7a" why="one fixed order" breaks="new order" says="two calls for 40"
def data_iter(batch_size, X, y):
    order = torch.randperm(len(X), generator=torch.Generator().manual_seed(0))
    for rows in order.split(batch_size):
        yield X[rows], y[rows]

# %% wrong="3.4.7a" why="returns the first batch" breaks="sizes" says="the batch sizes"
def data_iter(batch_size, X, y):
    order = torch.randperm(len(X))
    for rows in order.split(batch_size):
        return [(X[rows], y[rows])]

# %% wrong="3.4.7a" why="an empty batch at the end" breaks="sizes" says="empty batch"
def data_iter(batch_size, X, y):
    order = torch.randperm(len(X))
    for i in range(0, len(X) + 1, batch_size):
        yield X[order[i:i + batch_size]], y[order[i:i + batch_size]]

# %% wrong="3.4.7a" why="shuffles the batches" breaks="random order" says="not the batches"
def data_iter(batch_size, X, y):
    starts = list(range(0, len(X), batch_size))
    head = [starts[i] for i in torch.randperm(len(starts)).tolist() if starts[i] + batch_size <= len(X)]
    for i in head + [s for s in starts if s + batch_size > len(X)]:
        yield X[i:i + batch_size], y[i:i + batch_size]

# %% wrong="3.4.7a" why="shuffles in place" breaks="arguments kept" says="X after the loop"
def data_iter(batch_size, X, y):
    order = torch.randperm(len(X))
    X[:], y[:] = X[order].clone(), y[order].clone()
    for i in range(0, len(X), batch_size):
        yield X[i:i + batch_size].clone(), y[i:i + batch_size].clone()

# %% wrong="3.4.7a" why="features alone" breaks="pairs" says="A pair"
def data_iter(batch_size, X, y):
    for rows in torch.randperm(len(X)).split(batch_size):
        yield (X[rows],)

# %% wrong="3.4.7a" why="a random place to begin" breaks="random order" says="right after their neighbour"
def data_iter(batch_size, X, y):
    order = torch.arange(len(X)).roll(int(torch.randint(1, len(X), ())))
    for rows in order.split(batch_size):
        yield X[rows], y[rows]

# %% right="3.4.7b" how="a loop"
def epoch_loss(batch_losses, n, batch_size):
    total_loss, left = 0.0, n
    for value in batch_losses.tolist():
        size = min(batch_size, left)
        total_loss += value * size
        left -= size
    return total_loss / n

# %% right="3.4.7b" how="sizes of all batches, as a tensor"
def epoch_loss(batch_losses, n, batch_size):
    sizes = torch.tensor([min(batch_size, n - i) for i in range(0, n, batch_size)], dtype=batch_losses.dtype)
    return batch_losses @ sizes / n

# %% wrong="3.4.7b" why="the mean of the means" breaks="smaller last batch" says="Each batch counted alike"
def epoch_loss(batch_losses, n, batch_size):
    return batch_losses.mean().item()

# %% wrong="3.4.7b" why="the last batch counts as a full one" breaks="smaller last batch" says="counted as a full one"
def epoch_loss(batch_losses, n, batch_size):
    return (batch_losses.sum() * batch_size / n).item()

# %% wrong="3.4.7b" why="n % batch_size is 0 for a full last batch" breaks="full last batch" says="8 % 4 is 0"
def epoch_loss(batch_losses, n, batch_size):
    return ((batch_losses[:-1].sum() * batch_size + batch_losses[-1] * (n % batch_size)) / n).item()

# %% wrong="3.4.7b" why="ignores the last batch" breaks="smaller last batch" says="The last batch is left out"
def epoch_loss(batch_losses, n, batch_size):
    return batch_losses[:-1].mean().item()

# %% wrong="3.4.7b" why="the sum, not divided by n" breaks="smaller last batch" says="divide by n"
def epoch_loss(batch_losses, n, batch_size):
    return (batch_losses[:-1].sum() * batch_size + batch_losses[-1] * (n % batch_size)).item()

# %% wrong="3.4.7b" why="precedence of * and //" breaks="smaller last batch" says="from left to right"
def epoch_loss(batch_losses, n, batch_size):
    last = n - batch_size * n // batch_size
    return ((batch_losses[:-1].sum() * batch_size + batch_losses[-1] * (last if n % batch_size else batch_size)) / n).item()

# %% wrong="3.4.7b" why="a single batch taken as full" breaks="one batch" says="full one of 8"
def epoch_loss(batch_losses, n, batch_size):
    if len(batch_losses) == 1:
        return batch_losses[0].item() * batch_size / n
    last = n - batch_size * (len(batch_losses) - 1)
    return ((batch_losses[:-1].sum() * batch_size + batch_losses[-1] * last) / n).item()

# %% right="3.4.10" how="formulas for the gradient"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1), torch.zeros(1), []
    for epoch in range(epochs):
        order = torch.randperm(len(X))
        for i in range(0, len(X), batch_size):
            rows = order[i:i + batch_size]
            r = X[rows] @ w + b - y[rows]
            w, b = w - lr * X[rows].T @ r / len(rows), b - lr * r.mean()
        losses.append(((X @ w + b - y) ** 2).mean() / 2)
    return w, b, losses

# %% right="3.4.10" how="nn.Linear, a DataLoader and torch.optim"
def fit(X, y, lr, epochs, batch_size):
    net = torch.nn.Linear(X.shape[1], 1)
    torch.nn.init.zeros_(net.weight)
    torch.nn.init.zeros_(net.bias)
    optimizer, losses = torch.optim.SGD(net.parameters(), lr=lr), []
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(X, y), batch_size, shuffle=True)
    for _ in range(epochs):
        for A, t in loader:
            optimizer.zero_grad()
            (torch.nn.functional.mse_loss(net(A), t) / 2).backward()
            optimizer.step()
        losses.append(torch.nn.functional.mse_loss(net(X), y).item() / 2)
    return net.weight.T, net.bias, losses

# %% wrong="3.4.10" why="gradients never cleared" breaks="steps" says="clear them after each step"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1, requires_grad=True), torch.zeros(1, requires_grad=True), []
    for epoch in range(epochs):
        for rows in torch.randperm(len(X)).split(batch_size):
            ((X[rows] @ w + b - y[rows]) ** 2 / 2).mean().backward()
            with torch.no_grad():
                w -= lr * w.grad
                b -= lr * b.grad
        losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
    return w.detach(), b.detach(), losses

# %% wrong="3.4.10" why="no half" breaks="steps" says="without the half"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1), torch.zeros(1), []
    for epoch in range(epochs):
        order = torch.randperm(len(X))
        for rows in order.split(batch_size):
            r = X[rows] @ w + b - y[rows]
            w, b = w - 2 * lr * X[rows].T @ r / len(rows), b - 2 * lr * r.mean()
        losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
    return w, b, losses

# %% wrong="3.4.10" why="divided by the batch size, not by the rows" breaks="steps" says="3 different examples"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1), torch.zeros(1), []
    for epoch in range(epochs):
        order = torch.randperm(len(X))
        for rows in order.split(batch_size):
            r = X[rows] @ w + b - y[rows]
            w, b = w - lr * X[rows].T @ r / (batch_size + 1), b - lr * r.sum() / (batch_size + 1)
        losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
    return w, b, losses

# %% wrong="3.4.10" why="the last batch is dropped" breaks="batches" says="for what is left"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1), torch.zeros(1), []
    for epoch in range(epochs):
        order = torch.randperm(len(X))
        for rows in order.split(batch_size):
            if len(rows) < min(batch_size, len(X)):
                continue
            r = X[rows] @ w + b - y[rows]
            w, b = w - lr * X[rows].T @ r / len(rows), b - lr * r.mean()
        losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
    return w, b, losses

# %% wrong="3.4.10" why="all examples at once" breaks="batches" says="is batch_size used"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1), torch.zeros(1), []
    for epoch in range(epochs):
        order = torch.randperm(len(X))
        for rows in [order]:
            r = X[rows] @ w + b - y[rows]
            w, b = w - lr * X[rows].T @ r / len(rows), b - lr * r.mean()
        losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
    return w, b, losses

# %% wrong="3.4.10" why="one example at a time" breaks="steps" says="3 different examples"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1), torch.zeros(1), []
    for epoch in range(epochs):
        order = torch.randperm(len(X))
        for rows in order.split(1):
            r = X[rows] @ w + b - y[rows]
            w, b = w - lr * X[rows].T @ r / len(rows), b - lr * r.mean()
        losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
    return w, b, losses

# %% wrong="3.4.10" why="the bias is not learnt" breaks="steps" says="The bias stays at zero"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1), torch.zeros(1), []
    for epoch in range(epochs):
        order = torch.randperm(len(X))
        for rows in order.split(batch_size):
            r = X[rows] @ w + b - y[rows]
            w = w - lr * X[rows].T @ r / len(rows)
            kept = r.mean()
        losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
    return w, kept.reshape(1) * 0, losses

# %% wrong="3.4.10" why="losses before the epoch" breaks="losses" says="before the steps"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1), torch.zeros(1), []
    for epoch in range(epochs):
        losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
        order = torch.randperm(len(X))
        for rows in order.split(batch_size):
            r = X[rows] @ w + b - y[rows]
            w, b = w - lr * X[rows].T @ r / len(rows), b - lr * r.mean()
    return w, b, losses

# %% wrong="3.4.10" why="losses without the half" breaks="losses" says="no half"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1), torch.zeros(1), []
    for epoch in range(epochs):
        order = torch.randperm(len(X))
        for rows in order.split(batch_size):
            r = X[rows] @ w + b - y[rows]
            w, b = w - lr * X[rows].T @ r / len(rows), b - lr * r.mean()
        losses.append(((X @ w + b - y) ** 2).mean().item())
    return w, b, losses

# %% wrong="3.4.10" why="the loss of the last batch" breaks="losses" says="on all examples"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1), torch.zeros(1), []
    for epoch in range(epochs):
        order = torch.randperm(len(X))
        for rows in order.split(batch_size):
            r = X[rows] @ w + b - y[rows]
            w, b = w - lr * X[rows].T @ r / len(rows), b - lr * r.mean()
        losses.append(((X[rows] @ w + b - y[rows]) ** 2 / 2).mean().item())
    return w, b, losses

# %% wrong="3.4.10" why="a loss for each step" breaks="shape" says="One loss for each epoch"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1), torch.zeros(1), []
    for epoch in range(epochs):
        order = torch.randperm(len(X))
        for rows in order.split(batch_size):
            r = X[rows] @ w + b - y[rows]
            w, b = w - lr * X[rows].T @ r / len(rows), b - lr * r.mean()
            losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
    return w, b, losses

# %% wrong="3.4.10" why="w as a vector" breaks="shape" says="shape of w"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1), torch.zeros(1), []
    for epoch in range(epochs):
        order = torch.randperm(len(X))
        for rows in order.split(batch_size):
            r = X[rows] @ w + b - y[rows]
            w, b = w - lr * X[rows].T @ r / len(rows), b - lr * r.mean()
        losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
    return w.flatten(), b, losses

# %% wrong="3.4.10" why="in the order of the file" breaks="new order" says="random order"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1), torch.zeros(1), []
    for epoch in range(epochs):
        order = torch.arange(len(X))
        for rows in order.split(batch_size):
            r = X[rows] @ w + b - y[rows]
            w, b = w - lr * X[rows].T @ r / len(rows), b - lr * r.mean()
        losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
    return w, b, losses

# %% wrong="3.4.10" why="one shuffle for all epochs" breaks="new order" says="Is a new one drawn"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1), torch.zeros(1), []
    order = torch.randperm(len(X))
    for epoch in range(epochs):
        for rows in order.split(batch_size):
            r = X[rows] @ w + b - y[rows]
            w, b = w - lr * X[rows].T @ r / len(rows), b - lr * r.mean()
        losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
    return w, b, losses

# %% wrong="3.4.10" why="a fixed seed" breaks="new order" says="do not set a seed"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1), torch.zeros(1), []
    torch.manual_seed(0)
    for epoch in range(epochs):
        order = torch.randperm(len(X))
        for rows in order.split(batch_size):
            r = X[rows] @ w + b - y[rows]
            w, b = w - lr * X[rows].T @ r / len(rows), b - lr * r.mean()
        losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
    return w, b, losses

# %% wrong="3.4.10" why="a random start" breaks="steps" says="starts at zero, without a draw"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = 0.01 * torch.randn(X.shape[1], 1), torch.zeros(1), []
    for epoch in range(epochs):
        order = torch.randperm(len(X))
        for rows in order.split(batch_size):
            r = X[rows] @ w + b - y[rows]
            w, b = w - lr * X[rows].T @ r / len(rows), b - lr * r.mean()
        losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
    return w, b, losses

# %% right="3.4.5b" how="least squares over all pairs"
def broadcast_optimum(X, y):
    n = len(X)
    A = torch.cat([X.repeat_interleave(n, 0), torch.ones(n * n, 1, dtype=X.dtype)], 1)
    solution = torch.linalg.lstsq(A, y.repeat(n).reshape(-1, 1)).solution
    return solution[:-1] + 0, solution[-1] + 0

# %% right="3.4.5b" how="a list, from the sums"
def broadcast_optimum(X, y):
    return [X.new_zeros((X.shape[1], 1)), (y.sum() / len(y)).unsqueeze(0)]

# %% wrong="3.4.5b" why="ordinary least squares" breaks="weights" says="This w is that of least squares"
def broadcast_optimum(X, y):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], 1)
    solution = torch.linalg.lstsq(A, y[:, None]).solution
    return solution[:-1] + 0, y.mean().reshape(1)

# %% wrong="3.4.5b" why="w as a vector" breaks="shape" says="the shape of w"
def broadcast_optimum(X, y):
    return torch.zeros(X.shape[1], dtype=X.dtype), y.mean().reshape(1)

# %% wrong="3.4.5b" why="the median" breaks="bias" says="best for absolute differences"
def broadcast_optimum(X, y):
    return torch.zeros(X.shape[1], 1, dtype=X.dtype), y.median().reshape(1)

# %% wrong="3.4.5b" why="everything zero" breaks="bias" says="every prediction is 0"
def broadcast_optimum(X, y):
    return torch.zeros(X.shape[1], 1, dtype=X.dtype), torch.zeros(1, dtype=X.dtype)

# %% wrong="3.4.5b" why="the bias as a scalar" breaks="shape" says="the shape of b"
def broadcast_optimum(X, y):
    return torch.zeros(X.shape[1], 1, dtype=X.dtype), y.mean()

# %% wrong="3.4.5b" why="ones for the weights" breaks="weights" says="w changes by"
def broadcast_optimum(X, y):
    return torch.ones(X.shape[1], 1, dtype=X.dtype), (y.mean() - X.sum(1).mean()).reshape(1)

# %% wrong="3.4.5b" why="the numbers of the visible check" breaks="bias" says="features 1, -1, 3, 2"
def broadcast_optimum(X, y):
    return torch.zeros(X.shape[1], 1, dtype=X.dtype), torch.tensor([3.])

# %% right="3.4.D" how="rounded"
curvature = 6
one_step_rate = 0.1667
limit_rate = 0.3333
factor = 0.4

# %% wrong="3.4.D" why="the sum of the squares" breaks="curvature" says="take the mean"
curvature = 24
one_step_rate = 1 / 6
limit_rate = 1 / 3
factor = 0.4

# %% wrong="3.4.D" why="three examples" breaks="curvature" says="feature 0 counts"
curvature = 8
one_step_rate = 1 / 6
limit_rate = 1 / 3
factor = 0.4

# %% wrong="3.4.D" why="halved" breaks="curvature" says="nothing is halved"
curvature = 3
one_step_rate = 1 / 6
limit_rate = 1 / 3
factor = 0.4

# %% wrong="3.4.D" why="rates exchanged" breaks="rates" says="at 2/c the factor"
curvature = 6
one_step_rate = 1 / 3
limit_rate = 1 / 6
factor = 0.4

# %% wrong="3.4.D" why="limit 1/c" breaks="rates" says="the best rate, not the limit"
curvature = 6
one_step_rate = 1 / 6
limit_rate = 1 / 6
factor = 0.4

# %% wrong="3.4.D" why="ηc for the factor" breaks="factor" says="That is ηc"
curvature = 6
one_step_rate = 1 / 6
limit_rate = 1 / 3
factor = 0.6

# %% right="3.4.D" how="NumPy arrays of shape ()"
squares = np.array([2, 0, 4, 2]) ** 2
curvature = np.array(squares.mean())
one_step_rate, limit_rate, factor = np.array(1 / curvature), np.array(2 / curvature), np.array(1 - 0.1 * curvature)

# %% right="3.4.1a" how="scales standard normal numbers"
def init_params(num_inputs, variance):
    return (variance ** 0.5 * torch.randn(num_inputs, 1)).requires_grad_(), torch.zeros((1,)).requires_grad_()

# %% right="3.4.1a" how="parameters, as a list"
def init_params(num_inputs, variance):
    w = torch.empty(num_inputs, 1).normal_(0, variance ** 0.5)
    return [torch.nn.Parameter(w), torch.nn.Parameter(torch.zeros(1))]

# %% wrong="3.4.1a" why="variance given as standard deviation" breaks="variance" says="variance was taken for the standard deviation"
def init_params(num_inputs, variance):
    return torch.normal(0.0, float(variance), (num_inputs, 1), requires_grad=True), torch.zeros(1, requires_grad=True)

# %% wrong="3.4.1a" why="w is a vector" breaks="shape" says="the shape of w"
def init_params(num_inputs, variance):
    w = torch.normal(0.0, math.sqrt(variance), (num_inputs,), requires_grad=True)
    return w, torch.zeros(1, requires_grad=True)

# %% wrong="3.4.1a" why="w is no leaf" breaks="leaves" says="so it is no leaf"
def init_params(num_inputs, variance):
    w = math.sqrt(variance) * torch.randn(num_inputs, 1, requires_grad=True)
    return w, torch.zeros(1, requires_grad=True)

# %% wrong="3.4.1a" why="the bias needs no gradient" breaks="leaves" says="The bias requires no gradient"
def init_params(num_inputs, variance):
    return torch.normal(0.0, math.sqrt(variance), (num_inputs, 1), requires_grad=True), torch.zeros(1)

# %% wrong="3.4.1a" why="uniform numbers of the right variance" breaks="normal" says="Is the distribution normal"
def init_params(num_inputs, variance):
    half = math.sqrt(3 * variance)
    w = (torch.rand(num_inputs, 1) * 2 - 1) * half
    return w.requires_grad_(), torch.zeros(1, requires_grad=True)

# %% wrong="3.4.1a" why="a fixed seed" breaks="fresh" says="give different weights"
def init_params(num_inputs, variance):
    torch.manual_seed(0)
    return torch.normal(0.0, math.sqrt(variance), (num_inputs, 1), requires_grad=True), torch.zeros(1, requires_grad=True)

# %% wrong="3.4.1a" why="the visible variance" breaks="variance" says="variance 0"
def init_params(num_inputs, variance):
    return torch.normal(0.0, 3.0, (num_inputs, 1), requires_grad=True), torch.zeros(1, requires_grad=True)

# %% wrong="3.4.1a" why="a random bias" breaks="bias" says="b: "
def init_params(num_inputs, variance):
    sigma = math.sqrt(variance)
    return torch.normal(0.0, sigma, (num_inputs, 1), requires_grad=True), torch.normal(0.0, sigma, (1,), requires_grad=True)

# %% wrong="3.4.1a" why="positive numbers only" breaks="normal" says="the mean of 20000"
def init_params(num_inputs, variance):
    w = torch.randn(num_inputs, 1).abs() * math.sqrt(variance / (1 - 2 / math.pi))
    return w.requires_grad_(), torch.zeros(1, requires_grad=True)

# %% wrong="3.4.1a" why="one number for all" breaks="variance" says="the variance"
def init_params(num_inputs, variance):
    w = (torch.randn(1, 1) * math.sqrt(variance)).repeat(num_inputs, 1)
    return w.requires_grad_(), torch.zeros(1, requires_grad=True)

# %% wrong="3.4.1a" why="float64" breaks="shape" says="dtype of w"
def init_params(num_inputs, variance):
    w = torch.randn(num_inputs, 1, dtype=torch.float64) * math.sqrt(variance)
    return w.requires_grad_(), torch.zeros(1, requires_grad=True)

# %% wrong="3.4.1a" why="sorted draws" breaks="normal" says="independent of each other"
def init_params(num_inputs, variance):
    w = torch.randn(num_inputs, 1).sort(dim=0).values * math.sqrt(variance)
    return w.requires_grad_(), torch.zeros(1, requires_grad=True)

# %% right="3.4.1b" how="the gradient by hand, pinv"
def distances(w0, X, y, lr, steps):
    best, w, found = torch.linalg.pinv(X) @ y, w0, []
    for _ in range(steps + 1):
        found.append((w - best).pow(2).sum().sqrt())
        w = w - lr * X.T @ (X @ w - y) / len(X)
    return torch.tensor(found)

# %% right="3.4.1b" how="backward and torch.optim.SGD"
def distances(w0, X, y, lr, steps):
    w = w0.clone().requires_grad_()
    best = torch.linalg.solve(X.T @ X, X.T @ y)
    optimizer, found = torch.optim.SGD([w], lr=lr), [torch.dist(w.detach(), best)]
    for _ in range(steps):
        optimizer.zero_grad()
        (0.5 * torch.nn.functional.mse_loss(X @ w, y)).backward()
        optimizer.step()
        found.append(torch.dist(w.detach(), best))
    return torch.stack(found)

# %% wrong="3.4.1b" why="the sum of squares, not the mean" breaks="steps" says="summed, not averaged"
def distances(w0, X, y, lr, steps):
    best, w, found = torch.linalg.pinv(X) @ y, w0, []
    for _ in range(steps + 1):
        found.append((w - best).norm())
        w = w - lr * X.T @ (X @ w - y)
    return torch.stack(found)

# %% wrong="3.4.1b" why="no first distance" breaks="shape" says="wrong shape"
def distances(w0, X, y, lr, steps):
    best, w, found = torch.linalg.pinv(X) @ y, w0, []
    for _ in range(steps):
        w = w - lr * X.T @ (X @ w - y) / len(X)
        found.append((w - best).norm())
    return torch.stack(found)

# %% wrong="3.4.1b" why="squared distances" breaks="first" says="square of the distance"
def distances(w0, X, y, lr, steps):
    best, w, found = torch.linalg.pinv(X) @ y, w0, []
    for _ in range(steps + 1):
        found.append((w - best).square().sum())
        w = w - lr * X.T @ (X @ w - y) / len(X)
    return torch.stack(found)

# %% wrong="3.4.1b" why="distance from the start" breaks="first" says="not from w0"
def distances(w0, X, y, lr, steps):
    w, found = w0, []
    for _ in range(steps + 1):
        found.append((w - w0).norm())
        w = w - lr * X.T @ (X @ w - y) / len(X)
    return torch.stack(found)

# %% wrong="3.4.1b" why="always starts at zero" breaks="first" says="Is w0 the start"
def distances(w0, X, y, lr, steps):
    best, w, found = torch.linalg.pinv(X) @ y, torch.zeros_like(w0), []
    for _ in range(steps + 1):
        found.append((w - best).norm())
        w = w - lr * X.T @ (X @ w - y) / len(X)
    return torch.stack(found)

# %% wrong="3.4.1b" why="changes w0 in place" breaks="start kept" says="w0 after the call"
def distances(w0, X, y, lr, steps):
    best, found = torch.linalg.pinv(X) @ y, []
    for _ in range(steps + 1):
        found.append((w0 - best).norm())
        w0 -= lr * X.T @ (X @ w0 - y) / len(X)
    return torch.stack(found)

# %% wrong="3.4.1b" why="gradients add up" breaks="steps" says="added up"
def distances(w0, X, y, lr, steps):
    best, w = torch.linalg.pinv(X) @ y, w0.clone().requires_grad_()
    found = [(w - best).norm().detach()]
    for _ in range(steps):
        ((X @ w - y) ** 2 / 2).mean().backward()
        with torch.no_grad():
            w -= lr * w.grad
        found.append((w - best).norm().detach())
    return torch.stack(found)

# %% wrong="3.4.1b" why="without the half" breaks="steps" says="factor 1/2"
def distances(w0, X, y, lr, steps):
    best, w, found = torch.linalg.pinv(X) @ y, w0, []
    for _ in range(steps + 1):
        found.append((w - best).norm())
        w = w - 2 * lr * X.T @ (X @ w - y) / len(X)
    return torch.stack(found)

# %% wrong="3.4.1b" why="marks w0" breaks="start kept" says="requires_grad of w0"
def distances(w0, X, y, lr, steps):
    best, w = torch.linalg.pinv(X) @ y, w0.requires_grad_()
    found = [(w - best).norm().detach()]
    for _ in range(steps):
        g, = torch.autograd.grad(((X @ w - y) ** 2 / 2).mean(), w)
        w = (w - lr * g).detach().requires_grad_()
        found.append((w - best).norm().detach())
    return torch.stack(found)

# %% wrong="3.4.1b" why="assumes w* of ones, as in the visible check" breaks="first" says="w* comes from X and y"
def distances(w0, X, y, lr, steps):
    w, found = w0, []
    for _ in range(steps + 1):
        found.append((w - torch.ones_like(w)).norm())
        w = w - lr * X.T @ (X @ w - y) / len(X)
    return torch.stack(found)

# %% wrong="3.4.1b" why="the last w taken for the minimum" breaks="first" says="the first distance"
def distances(w0, X, y, lr, steps):
    w, way = w0, []
    for _ in range(steps + 1):
        way.append(w)
        w = w - lr * X.T @ (X @ w - y) / len(X)
    return torch.stack([(v - way[-1]).norm() for v in way])

# %% right="3.4.1c" how="logarithms, with care"
def steps_needed(distance, goal, factor):
    if distance <= goal:
        return 0
    return math.ceil(math.log(goal / distance) / math.log(factor) - 1e-9)

# %% right="3.4.1c" how="a for loop"
def steps_needed(distance, goal, factor):
    for t in range(10 ** 6):
        if distance * factor ** t <= goal:
            return t

# %% wrong="3.4.1c" why="rounds down" breaks="count" says="Round up"
def steps_needed(distance, goal, factor):
    return max(0, int(math.log(goal / distance) / math.log(factor))) if distance > goal else 0

# %% wrong="3.4.1c" why="strictly below" breaks="count" says="no further step"
def steps_needed(distance, goal, factor):
    t = 0
    while distance >= goal and not (t == 0 and distance == goal):
        distance, t = distance * factor, t + 1
    return t

# %% wrong="3.4.1c" why="negative steps" breaks="already there" says="Never less than 0"
def steps_needed(distance, goal, factor):
    return math.ceil(math.log(goal / distance) / math.log(factor) - 1e-9) if distance > 0 else 0

# %% wrong="3.4.1c" why="a step at the goal" breaks="already there" says="At the goal itself"
def steps_needed(distance, goal, factor):
    t = 1
    distance *= factor
    while distance > goal:
        distance, t = distance * factor, t + 1
    return t if t > 1 or distance / factor >= goal else 0

# %% wrong="3.4.1c" why="the distance over the factor" breaks="count" says="from 8 to 1"
def steps_needed(distance, goal, factor):
    return math.ceil((distance - goal) / factor) if distance > goal else 0

# %% right="3.4.6" how="a list of frames, and concat"
def run(config):
    frames = []
    epochs = config["max_epochs"]
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(torch.tensor([2, -3.4]), 4.2, config["noise"], 512, 256)
        trainer = d2l.Trainer(max_epochs=epochs, verbose=False)
        try:
            trainer.fit(d2l.LinearRegressionScratch(2, lr), data)
        except FloatingPointError:
            print("diverged:", lr)
        found = [v if np.isfinite(v) else float("inf") for v in trainer.history["val_loss"]]
        found += [float("inf")] * (epochs - len(found))
        frames.append(pd.DataFrame({"lr": lr, "epoch": range(1, epochs + 1), "val_loss": found}))
    return pd.concat(frames)

# %% right="3.4.6" how="a loop of its own, epoch by epoch"
def run(config):
    table = {"lr": [], "epoch": [], "val_loss": []}
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512,
                                           num_val=256)
        model = d2l.LinearRegressionScratch(2, lr)
        optimizer = model.configure_optimizers()
        for epoch in range(1, config["max_epochs"] + 1):
            for X, y in data.train_dataloader():
                loss = model.loss(model(X), y)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            with torch.no_grad():
                value = model.loss(model(data.X[512:]), data.y[512:]).item()
            table["lr"].append(lr)
            table["epoch"].append(epoch)
            table["val_loss"].append(value if math.isfinite(value) else math.inf)
    return pd.DataFrame(table)

# %% wrong="3.4.6" why="one model for all learning rates" breaks="each alone" says="all is made anew"
def run(config):
    rows = []
    model = d2l.LinearRegressionScratch(2, 0.1)
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512, num_val=256)
        d2l.LinearRegressionScratch(2, lr)
        model.lr = lr
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(model, data)
        except FloatingPointError:
            pass
        found = [v if math.isfinite(v) else math.inf for v in trainer.history["val_loss"]]
        found += [math.inf] * (config["max_epochs"] - len(found))
        rows += [{"lr": lr, "epoch": i, "val_loss": v} for i, v in enumerate(found, 1)]
    return pd.DataFrame(rows)

# %% wrong="3.4.6" why="a failed training ends the study" breaks="divergence" says="FloatingPointError"
def run(config):
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512,
                                           num_val=256)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        trainer.fit(d2l.LinearRegressionScratch(2, lr), data)
        rows += [{"lr": lr, "epoch": r["epoch"], "val_loss": r["val_loss"]} for r in trainer.history]
    return pd.DataFrame(rows)

# %% wrong="3.4.6" why="the last epoch alone" breaks="rows" says="A row for each epoch"
def run(config):
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512,
                                           num_val=256)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        trainer.fit(d2l.LinearRegressionScratch(2, lr), data)
        rows.append({"lr": lr, "epoch": config["max_epochs"], "val_loss": trainer.history[-1]["val_loss"]})
    return pd.DataFrame(rows)

# %% wrong="3.4.6" why="rows of failed trainings are left out" breaks="rows" says="A row for each epoch"
def run(config):
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512,
                                           num_val=256)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(d2l.LinearRegressionScratch(2, lr), data)
        except FloatingPointError:
            continue
        found = [v if math.isfinite(v) else math.inf for v in trainer.history["val_loss"]]
        found += [math.inf] * (config["max_epochs"] - len(found))
        rows += [{"lr": lr, "epoch": i, "val_loss": v} for i, v in enumerate(found, 1)]
    return pd.DataFrame(rows)

# %% wrong="3.4.6" why="the seed is set once" breaks="each alone" says="same after 0.01"
def run(config):
    rows = []
    torch.manual_seed(config["seed"])
    for lr in config["lrs"]:
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512,
                                           num_val=256)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(d2l.LinearRegressionScratch(2, lr), data)
        except FloatingPointError:
            pass
        found = [v if math.isfinite(v) else math.inf for v in trainer.history["val_loss"]]
        found += [math.inf] * (config["max_epochs"] - len(found))
        rows += [{"lr": lr, "epoch": i, "val_loss": v} for i, v in enumerate(found, 1)]
    return pd.DataFrame(rows)

# %% wrong="3.4.6" why="a fixed seed" breaks="settings" says="give different losses"
def run(config):
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(1)
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512,
                                           num_val=256)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(d2l.LinearRegressionScratch(2, lr), data)
        except FloatingPointError:
            pass
        found = [v if math.isfinite(v) else math.inf for v in trainer.history["val_loss"]]
        found += [math.inf] * (config["max_epochs"] - len(found))
        rows += [{"lr": lr, "epoch": i, "val_loss": v} for i, v in enumerate(found, 1)]
    return pd.DataFrame(rows)

# %% wrong="3.4.6" why="a fixed noise" breaks="settings" says="noise of the config"
def run(config):
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=0.5, num_train=512,
                                           num_val=256)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(d2l.LinearRegressionScratch(2, lr), data)
        except FloatingPointError:
            pass
        found = [v if math.isfinite(v) else math.inf for v in trainer.history["val_loss"]]
        found += [math.inf] * (config["max_epochs"] - len(found))
        rows += [{"lr": lr, "epoch": i, "val_loss": v} for i, v in enumerate(found, 1)]
    return pd.DataFrame(rows)

# %% wrong="3.4.6" why="the training losses" breaks="losses" says="training losses"
def run(config):
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512,
                                           num_val=256)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(d2l.LinearRegressionScratch(2, lr), data)
        except FloatingPointError:
            pass
        found = [v if math.isfinite(v) else math.inf for v in trainer.history["train_loss"]]
        found += [math.inf] * (config["max_epochs"] - len(found))
        rows += [{"lr": lr, "epoch": i, "val_loss": v} for i, v in enumerate(found, 1)]
    return pd.DataFrame(rows)

# %% wrong="3.4.6" why="one learning rate for all" breaks="losses" says="first of two"
def run(config):
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512,
                                           num_val=256)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(d2l.LinearRegressionScratch(2, 0.1), data)
        except FloatingPointError:
            pass
        found = [v if math.isfinite(v) else math.inf for v in trainer.history["val_loss"]]
        found += [math.inf] * (config["max_epochs"] - len(found))
        rows += [{"lr": lr, "epoch": i, "val_loss": v} for i, v in enumerate(found, 1)]
    return pd.DataFrame(rows)

# %% wrong="3.4.6" why="nan for missing epochs" breaks="divergence" says="holds inf"
def run(config):
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512,
                                           num_val=256)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(d2l.LinearRegressionScratch(2, lr), data)
        except FloatingPointError:
            pass
        found = [v for v in trainer.history["val_loss"]]
        found += [math.nan] * (config["max_epochs"] - len(found))
        rows += [{"lr": lr, "epoch": i, "val_loss": v} for i, v in enumerate(found, 1)]
    return pd.DataFrame(rows)

# %% wrong="3.4.6" why="epochs from 0" breaks="rows" says="Count the epochs from 1"
def run(config):
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512,
                                           num_val=256)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(d2l.LinearRegressionScratch(2, lr), data)
        except FloatingPointError:
            pass
        found = [v if math.isfinite(v) else math.inf for v in trainer.history["val_loss"]]
        found += [math.inf] * (config["max_epochs"] - len(found))
        rows += [{"lr": lr, "epoch": i, "val_loss": v} for i, v in enumerate(found)]
    return pd.DataFrame(rows)

# %% wrong="3.4.6" why="other column names" breaks="columns" says="the columns"
def run(config):
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512,
                                           num_val=256)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(d2l.LinearRegressionScratch(2, lr), data)
        except FloatingPointError:
            pass
        found = [v if math.isfinite(v) else math.inf for v in trainer.history["val_loss"]]
        found += [math.inf] * (config["max_epochs"] - len(found))
        rows += [{"lr": lr, "epoch": i, "loss": v} for i, v in enumerate(found, 1)]
    return pd.DataFrame(rows)

# %% right="3.4.2" how="the closed form"
def fit_resistance(current, voltage):
    return ((current * voltage).sum() / (current * current).sum()).item()

# %% right="3.4.2" how="a learning rate of one over the curvature, result a tensor"
def fit_resistance(current, voltage):
    R = torch.zeros(1, requires_grad=True)
    lr = 0.9 / current.square().mean()
    for _ in range(50):
        loss = ((R * current - voltage) ** 2).mean() / 2
        loss.backward()
        with torch.no_grad():
            R -= lr * R.grad
            R.grad.zero_()
    return R.detach()

# %% right="3.4.2" how="scaled units, autograd"
def fit_resistance(current, voltage):
    unit_i, unit_v = current.abs().max(), voltage.abs().max()
    x, t = current / unit_i, voltage / unit_v
    r = torch.zeros((), requires_grad=True)
    for _ in range(300):
        g, = torch.autograd.grad(((r * x - t) ** 2).mean(), r)
        r = (r - 0.4 * g).detach().requires_grad_()
    return (r * unit_v / unit_i).item()

# %% wrong="3.4.2" why="a fixed learning rate for amperes" breaks="small currents" says="not suit currents of this size"
def fit_resistance(current, voltage):
    R = torch.zeros(1, requires_grad=True)
    for _ in range(500):
        loss = ((R * current - voltage) ** 2).mean() / 2
        loss.backward()
        with torch.no_grad():
            R -= 0.1 * R.grad
            R.grad.zero_()
    return R.item()

# %% wrong="3.4.2" why="the mean of V / I" breaks="least squares" says="divided by a current that is 0"
def fit_resistance(current, voltage):
    return (voltage / current).mean().item()

# %% wrong="3.4.2" why="the conductance" breaks="least squares" says="the conductance"
def fit_resistance(current, voltage):
    return ((current * voltage).sum() / (voltage * voltage).sum()).item()

# %% wrong="3.4.2" why="a line with a bias" breaks="no bias" says="no bias"
def fit_resistance(current, voltage):
    if (current == 0).any():
        return ((current * voltage).sum() / (current * current).sum()).item()
    A = torch.stack([current, torch.ones_like(current)], 1)
    return torch.linalg.lstsq(A, voltage[:, None]).solution[0].item()

# %% wrong="3.4.2" why="always a line with a bias" breaks="least squares" says="no bias"
def fit_resistance(current, voltage):
    A = torch.stack([current, torch.ones_like(current)], 1)
    return torch.linalg.lstsq(A, voltage[:, None]).solution[0].item()

# %% wrong="3.4.2" why="regresses the current on the voltage" breaks="least squares" says="errors are in the voltage"
def fit_resistance(current, voltage):
    return (voltage.square().sum() / (current * voltage).sum()).item()

# %% wrong="3.4.2" why="the ratio of the sums" breaks="least squares" says="ratio of the sums"
def fit_resistance(current, voltage):
    return (voltage.sum() / current.sum()).item()

# %% wrong="3.4.2" why="a rate for small currents" breaks="large currents" says="not finite"
def fit_resistance(current, voltage):
    lr = 0.5 / min(current.square().mean().item(), 10.0)
    R = 0.0
    for _ in range(400):
        R = R - lr * ((R * current - voltage) * current).mean()
    return R.item()

# %% wrong="3.4.2" why="stops at small currents" breaks="small currents" says="currents 0, 1, 2, 3 mA"
def fit_resistance(current, voltage):
    lr = 0.5 / max(current.square().mean().item(), 1e-4)
    R = 0.0
    for _ in range(200):
        R = R - lr * ((R * current - voltage) * current).mean()
    return R.item()

# %% right="3.4.3a" how="exp and minus 1, from the frequency"
def planck(wavelength, T):
    nu = C / wavelength
    return 2 * H * nu ** 3 / C ** 2 / (torch.exp(H * nu / (K * T)) - 1) * C / wavelength ** 2

# %% right="3.4.3a" how="with exp(-x), which cannot overflow"
def planck(wavelength, T):
    q = torch.exp(-H * C / (wavelength * K * T))
    return 2 * H * C * C * wavelength.pow(-5) * q / (1 - q)

# %% wrong="3.4.3a" why="Wien's approximation, without -1" breaks="values" says="the - 1 is not part of it"
def planck(wavelength, T):
    return 2 * H * C ** 2 / wavelength ** 5 * torch.exp(-H * C / (wavelength * K * T))

# %% wrong="3.4.3a" why="subtracts 1 in the exponent" breaks="values" says="subtracted from the exponential, not from the exponent"
def planck(wavelength, T):
    return 2 * H * C ** 2 / wavelength ** 5 / torch.exp(H * C / (wavelength * K * T) - 1)

# %% wrong="3.4.3a" why="fourth power" breaks="values" says="power of the wavelength is 5"
def planck(wavelength, T):
    return 2 * H * C ** 2 / wavelength ** 4 / torch.expm1(H * C / (wavelength * K * T))

# %% wrong="3.4.3a" why="per frequency, not per wavelength" breaks="values" says="per frequency"
def planck(wavelength, T):
    nu = C / wavelength
    return 2 * H * nu ** 3 / C ** 2 / torch.expm1(H * nu / (K * T))

# %% wrong="3.4.3a" why="takes T out of the graph" breaks="differentiable" says="Compute with torch from T"
def planck(wavelength, T):
    return 2 * H * C ** 2 / wavelength ** 5 / torch.expm1(H * C / (wavelength * K * T.detach()))

# %% wrong="3.4.3a" why="one temperature only" breaks="broadcast" says="2 temperatures"
def planck(wavelength, T):
    return 2 * H * C ** 2 / wavelength ** 5 / torch.expm1(H * C / (wavelength * K * T.item()))

# %% wrong="3.4.3a" why="radiance over the half space, times pi" breaks="values" says="no factor π"
def planck(wavelength, T):
    return 2 * math.pi * H * C ** 2 / wavelength ** 5 / torch.expm1(H * C / (wavelength * K * T))

# %% wrong="3.4.3a" why="wavelengths down the rows" breaks="broadcast" says="the shape for 2 temperatures"
def planck(wavelength, T):
    T = T.reshape(-1)
    return (2 * H * C ** 2 / wavelength[:, None] ** 5 / torch.expm1(H * C / (wavelength[:, None] * K * T))).reshape(len(wavelength), -1) if len(T) > 1 else 2 * H * C ** 2 / wavelength ** 5 / torch.expm1(H * C / (wavelength * K * T))

# %% right="3.4.3b" how="Adam with a falling rate on the logarithm"
def fit_temperature(wavelength, radiance):
    u = torch.tensor(0.0, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.Adam([u], lr=0.1, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.99)
    for _ in range(700):
        x = H * C / (wavelength * K * 1000 * torch.exp(u))
        log_b = math.log(2 * H * C ** 2) - 5 * torch.log(wavelength) - x - torch.log1p(-torch.exp(-x))
        loss = (log_b - torch.log(radiance)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    return 1000 * torch.exp(u).item()

# %% right="3.4.3b" how="solves Planck's law for T at each wavelength"
def fit_temperature(wavelength, radiance):
    x = torch.log1p(2 * H * C ** 2 / (wavelength ** 5 * radiance))
    return (H * C / (wavelength * K * x)).mean().item()

# %% right="3.4.3b" how="LBFGS on log T"
def fit_temperature(wavelength, radiance):
    u = torch.zeros((), dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([u], max_iter=100, line_search_fn="strong_wolfe", tolerance_change=1e-14)
    target = radiance.log()

    def closure():
        optimizer.zero_grad()
        x = H * C / (wavelength * K * 1500 * u.exp())
        log_radiance = math.log(2 * H * C ** 2) - 5 * wavelength.log() - x - torch.log(-torch.expm1(-x))
        loss = ((log_radiance - target) ** 2).mean()
        loss.backward()
        return loss

    optimizer.step(closure)
    return torch.tensor(1500 * math.exp(u.item()))

# %% wrong="3.4.3b" why="Wien's displacement law at the largest radiance" breaks="exact spectrum" says="Wien's displacement law"
def fit_temperature(wavelength, radiance):
    return 2.897771955e-3 / wavelength[radiance.argmax()].item()

# %% wrong="3.4.3b" why="in thousands of kelvin" breaks="kelvin" says="in thousands of kelvin"
def fit_temperature(wavelength, radiance):
    x = torch.log1p(2 * H * C ** 2 / (wavelength ** 5 * radiance))
    return (H * C / (wavelength * K * x)).mean().item() / 1000

# %% wrong="3.4.3b" why="plain descent on raw radiances" breaks="exact spectrum" says="a descent"
def fit_temperature(wavelength, radiance):
    T = torch.tensor(3000.0, dtype=torch.float64, requires_grad=True)
    for _ in range(200):
        B = 2 * H * C ** 2 / wavelength ** 5 / torch.expm1(H * C / (wavelength * K * T))
        gradient, = torch.autograd.grad(((B - radiance) ** 2 / 2).mean(), T)
        with torch.no_grad():
            T -= 1e-30 * gradient
    return T.item()

# %% wrong="3.4.3b" why="the long-wave approximation" breaks="exact spectrum" says="6 radiances between 0.3 and 3"
def fit_temperature(wavelength, radiance):
    return (radiance * wavelength ** 4 / (2 * C * K)).mean().item()

# %% wrong="3.4.3b" why="a coarse table of temperatures" breaks="exact spectrum" says="6 radiances between 0.3 and 3"
def fit_temperature(wavelength, radiance):
    table = torch.arange(200.0, 10001.0, 100.0, dtype=torch.float64)[:, None]
    B = 2 * H * C ** 2 / wavelength ** 5 / torch.expm1(H * C / (wavelength * K * table))
    return table[(B.log() - radiance.log()).square().mean(1).argmin()].item()

# %% wrong="3.4.3b" why="the answer of the visible check" breaks="outside the peak" says="0.4 and 0.7"
def fit_temperature(wavelength, radiance):
    return 5772.0

# %% wrong="3.4.3b" why="Planck's law at the first measurement" breaks="all measurements" says="first measurement alone"
def fit_temperature(wavelength, radiance):
    x = torch.log1p(2 * H * C ** 2 / (wavelength ** 5 * radiance))
    return (H * C / (wavelength * K * x))[0].item()

# %% wrong="3.4.3b" why="Planck's law at the largest radiance" breaks="all measurements" says="largest radiance alone"
def fit_temperature(wavelength, radiance):
    x = torch.log1p(2 * H * C ** 2 / (wavelength ** 5 * radiance))
    return (H * C / (wavelength * K * x))[radiance.argmax()].item()

# %% wrong="3.4.3b" why="Planck's law at the last measurement" breaks="all measurements" says="last measurement alone"
def fit_temperature(wavelength, radiance):
    x = torch.log1p(2 * H * C ** 2 / (wavelength ** 5 * radiance))
    return (H * C / (wavelength * K * x))[-1].item()

# %% wrong="3.4.3b" why="returns 1/T" breaks="kelvin" says="convert it back"
def fit_temperature(wavelength, radiance):
    x = torch.log1p(2 * H * C ** 2 / (wavelength ** 5 * radiance))
    return 1 / (H * C / (wavelength * K * x)).mean().item()

# %% wrong="3.4.3b" why="Wien's law where the peak is inside" breaks="outside the peak" says="Wien's displacement law"
def fit_temperature(wavelength, radiance):
    best = int(radiance.argmax())
    if best in (0, len(radiance) - 1):
        return 2.897771955e-3 / wavelength[best].item()
    x = torch.log1p(2 * H * C ** 2 / (wavelength ** 5 * radiance))
    return (H * C / (wavelength * K * x)).mean().item()

# %% right="3.4.E" how="tensors"
best_squared, moved_squared = torch.tensor(22.0), 202.0
best_absolute, moved_absolute = torch.tensor(3), 3.0

# %% wrong="3.4.E" why="medians" breaks="squared" says="That is the median"
best_squared, moved_squared = 3, 3
best_absolute, moved_absolute = 3, 3

# %% wrong="3.4.E" why="not moved" breaks="squared" says="has become 1000"
best_squared, moved_squared = 22, 22
best_absolute, moved_absolute = 3, 3

# %% wrong="3.4.E" why="means" breaks="absolute" says="That is the mean"
best_squared, moved_squared = 22, 202
best_absolute, moved_absolute = 22, 202

# %% wrong="3.4.E" why="without the outlier" breaks="absolute" says="The outlier stays in the list"
best_squared, moved_squared = 22, 202
best_absolute, moved_absolute = 2.5, 2.5

# %% right="3.4.8a" how="l1_loss of flat tensors"
def absolute_loss(y_hat, y):
    return torch.nn.functional.l1_loss(y_hat.flatten(), y.flatten())

# %% right="3.4.8a" how="the larger of r and -r, of shape (1,)"
def absolute_loss(y_hat, y):
    r = y_hat.reshape(-1) - y.reshape(-1)
    return (torch.where(r < 0, -r, r).sum() / len(r)).reshape(1)

# %% wrong="3.4.8a" why="the sum, as in D2L's text" breaks="values" says="the sum, not the mean"
def absolute_loss(y_hat, y):
    return (y_hat - y.reshape(y_hat.shape)).abs().sum()

# %% wrong="3.4.8a" why="broadcasts" breaks="mixed shapes" says="each prediction met each target"
def absolute_loss(y_hat, y):
    return (y_hat - y).abs().mean()

# %% wrong="3.4.8a" why="no absolute value" breaks="values" says="absolute values are missing"
def absolute_loss(y_hat, y):
    return (y_hat - y.reshape(y_hat.shape)).mean()

# %% wrong="3.4.8a" why="the absolute value of the mean" breaks="values" says="first, then the mean"
def absolute_loss(y_hat, y):
    return (y_hat - y.reshape(y_hat.shape)).mean().abs()

# %% wrong="3.4.8a" why="without a graph" breaks="gradient" says="without .item()"
def absolute_loss(y_hat, y):
    return torch.tensor((y_hat - y.reshape(y_hat.shape)).abs().mean().item())

# %% wrong="3.4.8a" why="the root of the mean square" breaks="values" says="root of the mean square"
def absolute_loss(y_hat, y):
    return ((y_hat - y.reshape(y_hat.shape)) ** 2).mean().sqrt()

# %% wrong="3.4.8a" why="a half in front" breaks="values" says="No half here"
def absolute_loss(y_hat, y):
    return (y_hat - y.reshape(y_hat.shape)).abs().mean() / 2

# %% wrong="3.4.8a" why="no mean" breaks="one element" says="One number for all"
def absolute_loss(y_hat, y):
    return (y_hat - y.reshape(y_hat.shape)).abs()

# %% right="3.4.8b" how="torch's huber_loss"
def huber_loss(y_hat, y, delta):
    return torch.nn.functional.huber_loss(y_hat.flatten(), y.flatten(), delta=float(delta))

# %% right="3.4.8b" how="the clipped part: c (|r| - c/2)"
def huber_loss(y_hat, y, delta):
    size = (y_hat.flatten() - y.flatten()).abs()
    clipped = size.clamp(max=delta)
    return (clipped * (size - clipped / 2)).mean()

# %% wrong="3.4.8b" why="branches that do not meet" breaks="large residuals" says="so that the two rows meet"
def huber_loss(y_hat, y, delta):
    size = (y_hat - y.reshape(y_hat.shape)).abs()
    return torch.where(size <= delta, size ** 2 / 2, delta * size).mean()

# %% wrong="3.4.8b" why="slope 1 beyond delta" breaks="large residuals" says="The slope beyond δ is δ"
def huber_loss(y_hat, y, delta):
    size = (y_hat - y.reshape(y_hat.shape)).abs()
    return torch.where(size <= delta, size ** 2 / 2, size - delta / 2).mean()

# %% wrong="3.4.8b" why="forgets the sign: large negative residuals stay squared" breaks="large residuals" says="not r, decides between the rows"
def huber_loss(y_hat, y, delta):
    r = y_hat - y.reshape(y_hat.shape)
    return torch.where(r <= delta, r ** 2 / 2, delta * (r - delta / 2)).mean()

# %% wrong="3.4.8b" why="torch's smooth_l1_loss, which divides by delta" breaks="small residuals" says="smooth_l1_loss has it"
def huber_loss(y_hat, y, delta):
    return torch.nn.functional.smooth_l1_loss(y_hat.flatten(), y.flatten(), beta=float(delta))

# %% wrong="3.4.8b" why="broadcasts" breaks="mixed shapes" says="broadcast to (5, 5)"
def huber_loss(y_hat, y, delta):
    size = (y_hat - y).abs()
    return torch.where(size <= delta, size ** 2 / 2, delta * (size - delta / 2)).mean()

# %% wrong="3.4.8b" why="one branch for the whole batch" breaks="mean" says="its own row"
def huber_loss(y_hat, y, delta):
    size = (y_hat - y.reshape(y_hat.shape)).abs()
    if size.max() <= delta:
        return (size ** 2 / 2).mean()
    return (delta * (size - delta / 2)).mean()

# %% wrong="3.4.8b" why="clips the loss, so that outliers have no gradient" breaks="large residuals" says="goes on growing"
def huber_loss(y_hat, y, delta):
    size = (y_hat - y.reshape(y_hat.shape)).abs()
    return (size.clamp(max=delta) ** 2 / 2).mean()

# %% wrong="3.4.8b" why="the sum" breaks="mean" says="the sum, not the mean"
def huber_loss(y_hat, y, delta):
    size = (y_hat - y.reshape(y_hat.shape)).abs()
    return torch.where(size <= delta, size ** 2 / 2, delta * (size - delta / 2)).sum()

# %% wrong="3.4.8b" why="no half for small residuals" breaks="small residuals" says="The half is missing"
def huber_loss(y_hat, y, delta):
    size = (y_hat - y.reshape(y_hat.shape)).abs()
    return torch.where(size <= delta, size ** 2, delta * (size - delta / 2)).mean()

# %% wrong="3.4.8b" why="cut from its graph" breaks="gradient" says="without .item()"
def huber_loss(y_hat, y, delta):
    return torch.nn.functional.huber_loss(y_hat.flatten(), y.flatten(), delta=float(delta)).detach()

# %% wrong="3.4.8b" why="the mean over each kind" breaks="mean" says="were added"
def huber_loss(y_hat, y, delta):
    size = (y_hat - y.reshape(y_hat.shape)).abs()
    small, large = size[size <= delta], size[size > delta]
    parts = [(small ** 2 / 2).mean()] * bool(len(small)) + [(delta * (large - delta / 2)).mean()] * bool(len(large))
    return sum(parts)

# %% right="3.4.8c" how="LBFGS for Huber, a linear program's line through pairs for absolute, lstsq for squared"
def fit_line(x, y, loss):
    A = torch.stack([x, torch.ones_like(x)], 1)
    if loss == "squared":
        return tuple(torch.linalg.lstsq(A, y[:, None]).solution.flatten().tolist())
    if loss == "absolute":      # some line through two of the points is a minimum
        i, j = torch.triu_indices(len(x), len(x), 1)
        i, j = i[x[i] != x[j]], j[x[i] != x[j]]
        slope = (y[j] - y[i]) / (x[j] - x[i])
        intercept = y[i] - slope * x[i]
        costs = (slope[:, None] * x + intercept[:, None] - y).abs().mean(1)
        return slope[costs.argmin()].item(), intercept[costs.argmin()].item()
    p = torch.zeros(2, dtype=x.dtype, requires_grad=True)
    solver = torch.optim.LBFGS([p], max_iter=500, line_search_fn="strong_wolfe")

    def closure():
        solver.zero_grad()
        value = torch.nn.functional.huber_loss(A @ p, y)
        value.backward()
        return value

    solver.step(closure)
    return p[0].item(), p[1].item()

# %% right="3.4.8c" how="iteratively reweighted least squares, a list"
def fit_line(x, y, loss):
    A = torch.stack([x, torch.ones_like(x)], dim=1)
    weight = torch.ones_like(x)
    for _ in range(1 if loss == "squared" else 400):
        root = weight.sqrt()[:, None]
        params = torch.linalg.lstsq(A * root, y[:, None] * root).solution
        size = (A @ params).flatten().sub(y).abs().clamp(min=1e-9)
        weight = 1 / size if loss == "absolute" else (1 / size).clamp(max=1)
    return [params[0].item(), params[1].item()]

# %% right="3.4.8c" how="Adam from the median, with a falling rate"
def fit_line(x, y, loss):
    if loss == "squared":
        w = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
        return w.item(), (y.mean() - w * x.mean()).item()
    p = torch.stack([torch.zeros(()).double(), y.median()]).requires_grad_()
    optimizer = torch.optim.Adam([p], lr=0.1)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.995)
    for _ in range(1200):
        r = p[0] * x + p[1] - y
        value = r.abs().mean() if loss == "absolute" else torch.nn.functional.huber_loss(r, torch.zeros_like(r))
        optimizer.zero_grad()
        value.backward()
        optimizer.step()
        schedule.step()
    return p[0].item(), p[1].item()

# %% wrong="3.4.8c" why="squared loss for all three" breaks="absolute" says="minimum of the squared loss"
def fit_line(x, y, loss):
    A = torch.stack([x, torch.ones_like(x)], 1)
    return tuple(torch.linalg.lstsq(A, y[:, None]).solution.flatten().tolist())

# %% wrong="3.4.8c" why="removes the outlier first" breaks="squared" says="left out"
def fit_line(x, y, loss):
    A = torch.stack([x, torch.ones_like(x)], 1)
    if loss == "squared":
        keep = (y - y.median()).abs() < 100
        A, y = A[keep], y[keep]
        return tuple(torch.linalg.lstsq(A, y[:, None]).solution.flatten().tolist())
    params, lr = torch.zeros(2, dtype=x.dtype), 1.0
    for _ in range(4000):
        r = A @ params - y
        pull = r.sign() if loss == "absolute" else r.clamp(-1, 1)
        params, lr = params - lr * A.T @ pull / len(x), lr * 0.998
    return params[0].item(), params[1].item()

# %% wrong="3.4.8c" why="Huber for the absolute loss" breaks="absolute" says="minimum of Huber's loss"
def fit_line(x, y, loss):
    A = torch.stack([x, torch.ones_like(x)], 1)
    if loss == "squared":
        return tuple(torch.linalg.lstsq(A, y[:, None]).solution.flatten().tolist())
    params, lr = torch.zeros(2, dtype=x.dtype), 1.0
    for _ in range(4000):
        r = A @ params - y
        pull = r.clamp(-1, 1)
        params, lr = params - lr * A.T @ pull / len(x), lr * 0.998
    return params[0].item(), params[1].item()

# %% wrong="3.4.8c" why="least squares without the outlier for the absolute loss" breaks="absolute" says="absolute loss"
def fit_line(x, y, loss):
    A = torch.stack([x, torch.ones_like(x)], 1)
    if loss == "squared":
        return tuple(torch.linalg.lstsq(A, y[:, None]).solution.flatten().tolist())
    if loss == "absolute":
        keep = (y - y.median()).abs() < 5
        return tuple(torch.linalg.lstsq(A[keep], y[keep][:, None]).solution.flatten().tolist())
    params, lr = torch.zeros(2, dtype=x.dtype), 1.0
    for _ in range(4000):
        r = A @ params - y
        pull = r.sign() if loss == "absolute" else r.clamp(-1, 1)
        params, lr = params - lr * A.T @ pull / len(x), lr * 0.998
    return params[0].item(), params[1].item()

# %% wrong="3.4.8c" why="absolute for Huber" breaks="huber" says="minimum of the absolute loss"
def fit_line(x, y, loss):
    A = torch.stack([x, torch.ones_like(x)], 1)
    if loss == "squared":
        return tuple(torch.linalg.lstsq(A, y[:, None]).solution.flatten().tolist())
    params, lr = torch.zeros(2, dtype=x.dtype), 1.0
    for _ in range(4000):
        r = A @ params - y
        pull = r.sign()
        params, lr = params - lr * A.T @ pull / len(x), lr * 0.998
    return params[0].item(), params[1].item()

# %% wrong="3.4.8c" why="too few steps" breaks="squared" says="exact line"
def fit_line(x, y, loss):
    p = torch.zeros(2, dtype=x.dtype, requires_grad=True)
    for _ in range(10):
        r = p[0] * x + p[1] - y
        value = {"squared": (r ** 2 / 2).mean(), "absolute": r.abs().mean(),
                 "huber": torch.nn.functional.huber_loss(r, torch.zeros_like(r))}[loss]
        gradient, = torch.autograd.grad(value, p)
        p = (p - 0.1 * gradient).detach().requires_grad_()
    return p[0].item(), p[1].item()

# %% wrong="3.4.8c" why="intercept before slope" breaks="pair" says="exchanged"
def fit_line(x, y, loss):
    A = torch.stack([x, torch.ones_like(x)], 1)
    if loss == "squared":
        return tuple(torch.linalg.lstsq(A, y[:, None]).solution.flatten().flip(0).tolist())
    params, lr = torch.zeros(2, dtype=x.dtype), 1.0
    for _ in range(4000):
        r = A @ params - y
        pull = r.sign() if loss == "absolute" else r.clamp(-1, 1)
        params, lr = params - lr * A.T @ pull / len(x), lr * 0.998
    return params[1].item(), params[0].item()

# %% wrong="3.4.8c" why="one list of three" breaks="pair" says="the length"
def fit_line(x, y, loss):
    A = torch.stack([x, torch.ones_like(x)], 1)
    if loss == "squared":
        return tuple(torch.linalg.lstsq(A, y[:, None]).solution.flatten().tolist() + [loss])
    params, lr = torch.zeros(2, dtype=x.dtype), 1.0
    for _ in range(4000):
        r = A @ params - y
        pull = r.sign() if loss == "absolute" else r.clamp(-1, 1)
        params, lr = params - lr * A.T @ pull / len(x), lr * 0.998
    return params[0].item(), params[1].item(), loss

# %% wrong="3.4.8c" why="a constant large learning rate for the absolute loss" breaks="absolute" says="absolute loss"
def fit_line(x, y, loss):
    A = torch.stack([x, torch.ones_like(x)], 1)
    if loss == "squared":
        return tuple(torch.linalg.lstsq(A, y[:, None]).solution.flatten().tolist())
    if loss == "huber":
        return fit_huber(A, y)
    params, lr = torch.zeros(2, dtype=x.dtype), 1.7
    for _ in range(4000):
        r = A @ params - y
        pull = r.sign() if loss == "absolute" else r.clamp(-1, 1)
        params, lr = params - lr * A.T @ pull / len(x), 1.7
    return params[0].item(), params[1].item()

def fit_huber(A, y):
    params = torch.zeros(2, dtype=A.dtype)
    for _ in range(20000):
        params = params - 0.3 * A.T @ (A @ params - y).clamp(-1, 1) / len(y)
    return params[0].item(), params[1].item()

# %% wrong="3.4.8c" why="leaves out the intercept" breaks="squared" says="intercept is left out"
def fit_line(x, y, loss):
    return ((x * y).sum() / (x * x).sum()).item(), 0.0

# %% right="3.4.F" how="a tensor"
end_given = torch.tensor(2.5)
end_sorted = 5

# %% wrong="3.4.F" why="the mean" breaks="given order" says="leads to 2, and from there"
end_given = 4
end_sorted = 5

# %% wrong="3.4.F" why="two steps" breaks="given order" says="leads to 2, and from there"
end_given = 5
end_sorted = 5

# %% wrong="3.4.F" why="goes on from the first pass" breaks="sorted" says="went on from"
end_given = 2.5
end_sorted = 5.3125

# %% wrong="3.4.F" why="two steps of the sorted pass" breaks="sorted" says="sorted"
end_given = 2.5
end_sorted = 2

# %% right="3.4.9a" how="by the residual, largest first, as a list"
def bad_order(X, y):
    A = torch.cat([X, torch.ones(len(X), 1)], 1)
    residual = (y - A @ torch.linalg.lstsq(A, y).solution).flatten().tolist()
    return sorted(range(len(y)), key=lambda i: -residual[i])

# %% right="3.4.9a" how="the largest targets last, the rest at random"
def bad_order(X, y):
    order = y[:, 0].argsort()
    head, tail = order[:len(y) // 2], order[len(y) // 2:]
    return torch.cat([head[torch.randperm(len(head))], tail])

# %% wrong="3.4.9a" why="a random order" breaks="harm" says="your order doubles the loss"
def bad_order(X, y):
    return torch.randperm(len(y), generator=torch.Generator().manual_seed(0))

# %% wrong="3.4.9a" why="the order of the file" breaks="harm" says="your order doubles the loss"
def bad_order(X, y):
    return list(range(len(y)))

# %% wrong="3.4.9a" why="only the largest target, again and again" breaks="permutation" says="each once"
def bad_order(X, y):
    return [int(y.argmax())] * len(y)

# %% wrong="3.4.9a" why="sorted by the length of x" breaks="harm" says="your order doubles the loss"
def bad_order(X, y):
    return X.norm(dim=1).argsort()

# %% wrong="3.4.9a" why="sorts the targets, not their places" breaks="permutation" says="The places of the examples"
def bad_order(X, y):
    return y.flatten().sort().values

# %% wrong="3.4.9a" why="for 300 examples" breaks="permutation" says="the length of your order"
def bad_order(X, y):
    return y.flatten().argsort()[:300] if len(y) >= 300 else torch.arange(300)

# %% wrong="3.4.9a" why="argsort along the axis of length 1" breaks="permutation" says="each once"
def bad_order(X, y):
    return y.argsort(dim=1).flatten()

# %% wrong="3.4.9a" why="a column of places" breaks="permutation" says="one row of numbers"
def bad_order(X, y):
    return y.argsort(dim=0)

# %% wrong="3.4.9a" why="harmful targets for one feature only" breaks="harm" says="2 features"
def bad_order(X, y):
    if X.shape[1] > 1:
        return torch.arange(len(y))
    return y.flatten().argsort()

# %% right="3.4.9b" how="a loop"
def order_weights(n, lr):
    weights = torch.zeros(n)
    for i in range(n):
        weights *= 1 - lr
        weights[i] = lr
    return weights

# %% right="3.4.9b" how="cumprod, flipped"
def order_weights(n, lr):
    powers = torch.cat([torch.ones(1), torch.full((n - 1,), 1 - lr)]).cumprod(0)
    return lr * powers.flip(0)

# %% wrong="3.4.9b" why="the first example counts most" breaks="weights" says="The later example weighs more"
def order_weights(n, lr):
    return lr * (1 - lr) ** torch.arange(n, dtype=torch.float64)

# %% wrong="3.4.9b" why="all alike" breaks="weights" says="three examples, lr 0.25"
def order_weights(n, lr):
    return torch.full((n,), 1 / n)

# %% wrong="3.4.9b" why="without the factor lr" breaks="weights" says="The factor lr is missing"
def order_weights(n, lr):
    return (1 - lr) ** torch.arange(n - 1, -1, -1, dtype=torch.float64)

# %% wrong="3.4.9b" why="one power too many" breaks="weights" says="One power too many"
def order_weights(n, lr):
    return lr * (1 - lr) ** torch.arange(n, 0, -1, dtype=torch.float64)

# %% wrong="3.4.9b" why="normalised to sum 1" breaks="weights" says="need not add up to 1"
def order_weights(n, lr):
    weights = lr * (1 - lr) ** torch.arange(n - 1, -1, -1, dtype=torch.float64)
    return weights / weights.sum()

# %% wrong="3.4.9b" why="powers of lr, which is the same for 0.5" breaks="weights" says="powers of lr"
def order_weights(n, lr):
    return lr ** torch.arange(n, 0, -1, dtype=torch.float64)

# %% wrong="3.4.9b" why="a column" breaks="shape" says="the shape for two examples"
def order_weights(n, lr):
    return (lr * (1 - lr) ** torch.arange(n - 1, -1, -1, dtype=torch.float64))[:, None]

# %% wrong="3.4.9b" why="a list" breaks="shape" says="what order_weights returns"
def order_weights(n, lr):
    return [lr * (1 - lr) ** (n - 1 - i) for i in range(n)]

# %% right="3.4.4" how="torch.autograd.functional"
def hessian(f, w):
    return torch.autograd.functional.hessian(f, w)

# %% right="3.4.4" how="products with unit vectors"
def hessian(f, w):
    v = w.detach().clone().requires_grad_()
    gradient = torch.autograd.grad(f(v), v, create_graph=True)[0]
    unit = torch.eye(len(w), dtype=w.dtype)
    return torch.stack([torch.autograd.grad(gradient, v, e, retain_graph=True)[0] for e in unit], dim=1)

# %% wrong="3.4.4" why="retain_graph in place of create_graph" breaks="values" says="does not require grad"
def hessian(f, w):
    v = w.detach().clone().requires_grad_()
    gradient, = torch.autograd.grad(f(v), v, retain_graph=True)
    return torch.stack([torch.autograd.grad(entry, v, retain_graph=True)[0] for entry in gradient])

# %% wrong="3.4.4" why="the gradient of the summed gradient" breaks="shape" says="adds the rows up"
def hessian(f, w):
    v = w.detach().clone().requires_grad_()
    gradient, = torch.autograd.grad(f(v), v, create_graph=True)
    return torch.autograd.grad(gradient.sum(), v)[0]

# %% wrong="3.4.4" why="the diagonal alone" breaks="values" says="mixed derivatives are missing"
def hessian(f, w):
    return torch.diag(torch.autograd.functional.hessian(f, w).diagonal())

# %% wrong="3.4.4" why="the outer product of the gradient" breaks="values" says="product of the gradient with itself"
def hessian(f, w):
    v = w.detach().clone().requires_grad_()
    gradient, = torch.autograd.grad(f(v), v)
    return torch.outer(gradient, gradient)

# %% wrong="3.4.4" why="the graph is freed after the first row" breaks="values" says="backward through the graph a second time"
def hessian(f, w):
    v = w.detach().clone().requires_grad_()
    gradient, = torch.autograd.grad(f(v), v, create_graph=True)
    return torch.stack([torch.autograd.grad(entry, v)[0] for entry in gradient])

# %% wrong="3.4.4" why="float32 inside" breaks="dtype" says="the dtype for float64"
def hessian(f, w):
    return torch.autograd.functional.hessian(f, w).to(torch.float32)

# %% wrong="3.4.4" why="always float64" breaks="dtype" says="the dtype for float32"
def hessian(f, w):
    return torch.autograd.functional.hessian(f, w).double()

# %% wrong="3.4.4" why="finite differences with a coarse step" breaks="values" says="four variables"
def hessian(f, w):
    unit = 0.1 * torch.eye(len(w), dtype=w.dtype)
    return torch.stack([torch.stack([(f(w + p + q) - f(w + p - q) - f(w - p + q) + f(w - p - q)) / 0.04
                                     for q in unit]) for p in unit])

# %% wrong="3.4.4" why="the summed gradient, expanded" breaks="values" says="one by one"
def hessian(f, w):
    v = w.detach().clone().requires_grad_()
    gradient, = torch.autograd.grad(f(v), v, create_graph=True)
    return torch.autograd.grad(gradient.sum(), v)[0].expand(len(w), len(w)).clone()

# %% wrong="3.4.4" why="the rows add up in .grad" breaks="values" says="clear .grad between"
def hessian(f, w):
    v = w.detach().clone().requires_grad_()
    gradient, = torch.autograd.grad(f(v), v, create_graph=True)
    rows = []
    for entry in gradient:
        entry.backward(retain_graph=True)
        rows.append(v.grad.clone())
    return torch.stack(rows)

# %% wrong="3.4.4" why="marks w" breaks="argument kept" says="requires a gradient after the call"
def hessian(f, w):
    w.requires_grad_()
    gradient, = torch.autograd.grad(f(w), w, create_graph=True)
    return torch.stack([torch.autograd.grad(entry, w, retain_graph=True)[0] for entry in gradient])

# %% right="3.4.5a" how="a loop over the examples"
def squared_loss(y_hat, y):
    a, c = torch.ravel(y_hat), torch.ravel(y)
    if a.size() != c.size():
        raise ValueError(str(y_hat.size()) + str(y.size()))
    total = 0
    for i in range(len(a)):
        total = total + (a[i] - c[i]) ** 2
    return total / (2 * len(a))

# %% right="3.4.7b" how="NumPy's weighted average"
def epoch_loss(batch_losses, n, batch_size):
    sizes = np.full(len(batch_losses), batch_size)
    sizes[-1] -= len(batch_losses) * batch_size - n
    return np.average(batch_losses.numpy(), weights=sizes)

# %% right="3.4.10" how="float64, the bias as a column of ones, losses as a tensor"
def fit(X, y, lr, epochs, batch_size):
    X, y = X.double(), y.double()
    A = torch.cat([X, torch.ones(len(X), 1)], 1)
    p, losses = torch.zeros(A.shape[1], 1).double(), []
    for epoch in range(epochs):
        order = torch.randperm(len(X))
        for i in range(0, len(X), batch_size):
            rows = order[i:i + batch_size]
            p = p - lr * A[rows].T @ (A[rows] @ p - y[rows]) / len(rows)
        losses.append(((A @ p - y) ** 2).mean() / 2)
    return p[:-1], p[-1], torch.stack(losses)

# %% right="3.4.2" how="scaled units, an array of one entry"
def fit_resistance(current, voltage):
    s, t = current.abs().max(), voltage.abs().max()
    r = torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.SGD([r], lr=1.0)
    for _ in range(500):
        optimizer.zero_grad()
        ((r * current / s - voltage / t) ** 2 / 2).mean().backward()
        optimizer.step()
    return (r * t / s).detach().numpy()

# %% right="3.4.3b" how="a table that is refined"
def fit_temperature(wavelength, radiance):
    low, high = 190.0, 11000.0
    for _ in range(9):
        grid = torch.linspace(low, high, 400, dtype=torch.float64)[:, None]
        B = 2 * H * C ** 2 / wavelength ** 5 / torch.expm1(H * C / (wavelength * K * grid))
        i = ((B.log() - radiance.log()) ** 2).sum(1).argmin()
        low, high = grid[max(i - 1, 0)].item(), grid[min(i + 1, 399)].item()
    return (low + high) / 2

# %% right="3.4.4" how="torch.func"
def hessian(f, w):
    return torch.func.hessian(f)(w)

# %% right="3.4.1c" how="powers, a tensor"
def steps_needed(distance, goal, factor):
    t = 0
    while distance * factor ** t > goal:
        t += 1
    return torch.tensor(t)

# %% right="3.4.9b" how="a pass over unit vectors"
def order_weights(n, lr):
    m = torch.zeros(n)
    for row in torch.eye(n):
        m = m - lr * (m - row)
    return m

# %% right="3.4.9a" how="NumPy, descending"
def bad_order(X, y):
    return np.argsort(-y.numpy().ravel()).copy()

# %% right="3.4.8c" how="autograd with a rate that falls like 1/t"
def fit_line(x, y, loss):
    if loss == "squared":
        c = np.polyfit(x.numpy(), y.numpy(), 1)
        return c
    p = torch.zeros(2, dtype=torch.float64, requires_grad=True)
    for t in range(3000):
        r = p[0] * x + p[1] - y
        v = r.abs().mean() if loss == "absolute" else torch.nn.functional.huber_loss(r, torch.zeros_like(r))
        g, = torch.autograd.grad(v, p)
        p = (p - 2.0 / (1 + t / 50) * g).detach().requires_grad_()
    return p[0], p[1]

# %% wrong="3.4.7a" why="the smaller batch first" breaks="sizes" says="comes last"
def data_iter(batch_size, X, y):
    order = torch.randperm(len(X))
    r = len(X) % batch_size
    if r:
        yield X[order[:r]], y[order[:r]]
    for rows in order[r:].split(batch_size):
        if len(rows):
            yield X[rows], y[rows]

# %% wrong="3.4.7b" why="the median" breaks="smaller last batch" says="not the median"
def epoch_loss(batch_losses, n, batch_size):
    return batch_losses.median().item()

# %% wrong="3.4.10" why="the bias is moved with the new weights" breaks="steps" says="compute both, then move both"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1), torch.zeros(1), []
    for epoch in range(epochs):
        for rows in torch.randperm(len(X)).split(batch_size):
            w = w - lr * X[rows].T @ (X[rows] @ w + b - y[rows]) / len(rows)
            b = b - lr * (X[rows] @ w + b - y[rows]).mean()
        losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
    return w, b, losses

# %% wrong="3.4.1a" why="Laplace noise of the right variance" breaks="normal" says="Is the distribution normal"
def init_params(num_inputs, variance):
    u = torch.rand(num_inputs, 1) - 0.5
    w = -math.sqrt(variance / 2) * u.sign() * torch.log(1 - 2 * u.abs())
    return w.requires_grad_(), torch.zeros(1, requires_grad=True)

# %% wrong="3.4.1a" why="half of the weights are the others with a minus sign" breaks="normal" says="the same size |w|"
def init_params(num_inputs, variance):
    half = torch.randn((num_inputs + 1) // 2, 1)
    w = math.sqrt(variance) * torch.cat([half, -half])[:num_inputs]
    return w.requires_grad_(), torch.zeros(1, requires_grad=True)

# %% wrong="3.4.1a" why="half of the weights are copies" breaks="normal" says="Draw each weight for itself"
def init_params(num_inputs, variance):
    half = torch.randn((num_inputs + 1) // 2, 1)
    w = math.sqrt(variance) * torch.cat([half, half])[:num_inputs]
    return w.requires_grad_(), torch.zeros(1, requires_grad=True)

# %% wrong="3.4.1b" why="the largest difference" breaks="first" says="largest difference"
def distances(w0, X, y, lr, steps):
    best, w, found = torch.linalg.pinv(X) @ y, w0, []
    for _ in range(steps + 1):
        found.append((w - best).abs().max())
        w = w - lr * X.T @ (X @ w - y) / len(X)
    return torch.stack(found)

# %% wrong="3.4.2" why="the median of the ratios" breaks="least squares" says="the median of the ratios"
def fit_resistance(current, voltage):
    keep = current != 0
    return (voltage[keep] / current[keep]).median().item()

# %% wrong="3.4.3b" why="the mean of the first and the last" breaks="all measurements" says="these two alone decide"
def fit_temperature(wavelength, radiance):
    x = torch.log1p(2 * H * C ** 2 / (wavelength ** 5 * radiance))
    each = H * C / (wavelength * K * x)
    return ((each[0] + each[-1]) / 2).item()

# %% wrong="3.4.8b" why="δ is not used" breaks="large residuals" says="This is the loss for δ = 1"
def huber_loss(y_hat, y, delta):
    return torch.nn.functional.huber_loss(y_hat.flatten(), y.flatten())

# %% wrong="3.4.8b" why="sizes by the root of the square: nan in the gradient at 0" breaks="gradient" says="no slope at 0"
def huber_loss(y_hat, y, delta):
    size = ((y_hat - y.reshape(y_hat.shape)) ** 2).sqrt()
    return torch.where(size <= delta, size ** 2 / 2, delta * (size - delta / 2)).mean()

# %% wrong="3.4.8a" why="the median" breaks="values" says="the median of them"
def absolute_loss(y_hat, y):
    return (y_hat.flatten() - y.flatten()).abs().median()

# %% wrong="3.4.8a" why="the root of the square, whose gradient is nan at 0" breaks="gradient" says="no slope at 0"
def absolute_loss(y_hat, y):
    return ((y_hat - y.reshape(y_hat.shape)) ** 2).sqrt().mean()

# %% right="3.4.8a" how="the larger of r and -r"
def absolute_loss(y_hat, y):
    r = y_hat.flatten() - y.flatten()
    return torch.maximum(r, -r).mean()

# %% wrong="3.4.4" why="the lower triangle" breaks="values" says="above the diagonal is missing"
def hessian(f, w):
    return torch.autograd.functional.hessian(f, w).tril()

# %% wrong="3.4.7a" why="a rotation read backwards" breaks="random order" says="yours show"
def data_iter(batch_size, X, y):
    order = torch.arange(len(X)).roll(int(torch.randint(1, len(X), ()))).flip(0)
    for rows in order.split(batch_size):
        yield X[rows], y[rows]

# %% wrong="3.4.7a" why="a stride from a random place" breaks="random order" says="yours show"
def data_iter(batch_size, X, y):
    n = len(X)
    stride = next(s for s in (3, 7, 11, 13) if math.gcd(s, n) == 1)
    order = (torch.arange(n) * stride + int(torch.randint(0, n, ()))) % n
    for rows in order.split(batch_size):
        yield X[rows], y[rows]

# %% wrong="3.4.7a" why="targets before features" breaks="pairs" says="rows of X come first"
def data_iter(batch_size, X, y):
    for rows in torch.randperm(len(X)).split(batch_size):
        yield y[rows], X[rows]

# %% wrong="3.4.7a" why="targets flattened" breaks="pairs" says="each with its further axes"
def data_iter(batch_size, X, y):
    for rows in torch.randperm(len(X)).split(batch_size):
        yield X[rows], y[rows].flatten()

# %% wrong="3.4.7a" why="targets squeezed, which a batch of one does not survive" breaks="pairs" says="also where a batch has one row"
def data_iter(batch_size, X, y):
    for rows in torch.randperm(len(X)).split(batch_size):
        yield X[rows], y[rows].squeeze()

# %% right="3.4.7b" how="float32 sizes, a dot product"
def epoch_loss(batch_losses, n, batch_size):
    sizes = torch.full((len(batch_losses),), float(batch_size))
    sizes[-1] = (n - 1) % batch_size + 1
    return sizes @ batch_losses / n

# %% wrong="3.4.7b" why="whole-number division" breaks="smaller last batch" says="cuts the fraction off"
def epoch_loss(batch_losses, n, batch_size):
    sizes = torch.tensor([min(batch_size, n - i) for i in range(0, n, batch_size)])
    return ((batch_losses * sizes).sum() // n).item()

# %% wrong="3.4.10" why="shuffles the batches" breaks="new order" says="not the batches"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1, requires_grad=True), torch.zeros(1, requires_grad=True), []
    for _ in range(epochs):
        blocks = list(torch.arange(len(X)).split(batch_size))
        for k in torch.randperm(len(blocks)).tolist():
            rows = blocks[k]
            half_square(predict(X[rows], w, b), y[rows]).backward()
            sgd_step([w, b], lr)
        losses.append(half_square(predict(X, w, b), y).item())
    return w, b, losses

# %% wrong="3.4.10" why="forward or backward by a coin" breaks="new order" says="any order may come"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1, requires_grad=True), torch.zeros(1, requires_grad=True), []
    for _ in range(epochs):
        order = torch.arange(len(X))
        if torch.rand(()) < 0.5:
            order = order.flip(0)
        for rows in order.split(batch_size):
            half_square(predict(X[rows], w, b), y[rows]).backward()
            sgd_step([w, b], lr)
        losses.append(half_square(predict(X, w, b), y).item())
    return w, b, losses

# %% wrong="3.4.10" why="shuffles X alone" breaks="steps" says="of the same rows"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1, requires_grad=True), torch.zeros(1, requires_grad=True), []
    for _ in range(epochs):
        for i, rows in enumerate(torch.randperm(len(X)).split(batch_size)):
            half_square(predict(X[rows], w, b), y[i * batch_size:(i + 1) * batch_size]).backward()
            sgd_step([w, b], lr)
        losses.append(half_square(predict(X, w, b), y).item())
    return w, b, losses

# %% wrong="3.4.10" why="batches of about equal size" breaks="batches" says="One batch of 4 and one of 1"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1), torch.zeros(1), []
    for _ in range(epochs):
        for rows in torch.randperm(len(X)).tensor_split(math.ceil(len(X) / batch_size)):
            r = X[rows] @ w + b - y[rows]
            w, b = w - lr * X[rows].T @ r / len(rows), b - lr * r.mean(0)
        losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
    return w, b, losses

# %% right="3.4.10" how="the smaller batch first"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1), torch.zeros(1), []
    for _ in range(epochs):
        order, rest = torch.randperm(len(X)), len(X) % batch_size
        for rows in [order[:rest], *order[rest:].split(batch_size)]:
            if len(rows):
                r = X[rows] @ w + b - y[rows]
                w, b = w - lr * X[rows].T @ r / len(rows), b - lr * r.mean(0)
        losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
    return w, b, losses

# %% wrong="3.4.1b" why="the end of 200 steps taken for the minimum" breaks="first" says="the minimum itself"
def distances(w0, X, y, lr, steps):
    w, ws = w0.clone(), [w0.clone()]
    for _ in range(max(steps, 200)):
        w = w - lr * X.T @ (X @ w - y) / len(X)
        ws.append(w)
    return torch.stack([(v - ws[-1]).norm() for v in ws[:steps + 1]])

# %% wrong="3.4.1c" why="100 steps at most" breaks="count" says="factor 0.99"
def steps_needed(distance, goal, factor):
    for t in range(100):
        if distance * factor ** t <= goal:
            return t
    return 100

# %% wrong="3.4.1c" why="a logarithm of distance 0" breaks="already there" says="0 has no logarithm"
def steps_needed(distance, goal, factor):
    return max(0, math.ceil(math.log(goal / distance) / math.log(factor)))

# %% wrong="3.4.1c" why="looks only after a step" breaks="already there" says="Look before the first step"
def steps_needed(distance, goal, factor):
    t = 0
    while True:
        distance, t = distance * factor, t + 1
        if distance <= goal:
            return t

# %% wrong="3.4.6" why="inf for all epochs of a failed training" breaks="divergence" says="Keep the losses"
def run(config):
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512, num_val=256)
        model = d2l.LinearRegressionScratch(2, lr)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(model, data)
            h = trainer.history["val_loss"]
        except FloatingPointError:
            h = [math.inf] * config["max_epochs"]
        rows += [{"lr": lr, "epoch": e + 1, "val_loss": v} for e, v in enumerate(h)]
    return pd.DataFrame(rows)

# %% wrong="3.4.6" why="takes the noise out of config" breaks="settings" says="take nothing out of it"
def run(config):
    noise, rows = config.pop("noise"), []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=noise, num_train=512, num_val=256)
        model, trainer = d2l.LinearRegressionScratch(2, lr), d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(model, data)
        except FloatingPointError:
            pass
        losses = [v if math.isfinite(v) else math.inf for v in trainer.history["val_loss"]]
        losses += [math.inf] * (config["max_epochs"] - len(losses))
        rows += [{"lr": lr, "epoch": i + 1, "val_loss": v} for i, v in enumerate(losses)]
    return pd.DataFrame(rows)

# %% wrong="3.4.6" why="a rate that stands twice is run once" breaks="rows" says="A row for each epoch of each rate"
def run(config):
    rows = []
    for lr in dict.fromkeys(config["lrs"]):
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512, num_val=256)
        model, trainer = d2l.LinearRegressionScratch(2, lr), d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(model, data)
        except FloatingPointError:
            pass
        losses = [v if math.isfinite(v) else math.inf for v in trainer.history["val_loss"]]
        losses += [math.inf] * (config["max_epochs"] - len(losses))
        rows += [{"lr": lr, "epoch": i + 1, "val_loss": v} for i, v in enumerate(losses)]
    return pd.DataFrame(rows)

# %% wrong="3.4.2" why="measurements with positive currents only" breaks="least squares" says="current above 0"
def fit_resistance(current, voltage):
    m = current > 0
    return ((current[m] * voltage[m]).sum() / (current[m] ** 2).sum()).item()

# %% wrong="3.4.2" why="the ratio of the root mean squares" breaks="least squares" says="root mean squares"
def fit_resistance(current, voltage):
    return (voltage.norm() / current.norm()).item()

# %% wrong="3.4.2" why="the sizes of currents and voltages" breaks="least squares" says="Signs count"
def fit_resistance(current, voltage):
    return ((current * voltage).abs().sum() / (current ** 2).sum()).item()

# %% wrong="3.4.2" why="kiloohm" breaks="least squares" says="a thousandth of it"
def fit_resistance(current, voltage):
    return ((current * voltage).sum() / (current ** 2).sum()).item() / 1000

# %% wrong="3.4.3a" why="T always made a column" breaks="broadcast" says="of shape ()"
def planck(wavelength, T):
    T = T.reshape(-1, 1)
    return 2 * H * C ** 2 / wavelength ** 5 / torch.expm1(H * C / (wavelength * K * T))

# %% wrong="3.4.3a" why="an exponent of 100 at most" breaks="values" says="belongs to an exponent of 100"
def planck(wavelength, T):
    return 2 * H * C ** 2 / wavelength ** 5 / torch.expm1((H * C / (wavelength * K * T)).clamp(max=100))

# %% wrong="3.4.3a" why="the third power of the wavelength" breaks="values" says="here it was 3"
def planck(wavelength, T):
    return 2 * H * C ** 2 / wavelength ** 3 / torch.expm1(H * C / (wavelength * K * T))

# %% wrong="3.4.3a" why="c not squared" breaks="values" says="the square of the speed of light"
def planck(wavelength, T):
    return 2 * H * C / wavelength ** 5 / torch.expm1(H * C / (wavelength * K * T))

# %% wrong="3.4.3b" why="the mean of the first two measurements" breaks="all measurements" says="or of the first few"
def fit_temperature(wavelength, radiance):
    a = H * C / (wavelength * K)
    return (a / torch.log1p(2 * H * C ** 2 / (wavelength ** 5 * radiance)))[:2].mean().item()

# %% wrong="3.4.3b" why="the mean of the first three temperatures" breaks="all measurements" says="or of the first few"
def fit_temperature(wavelength, radiance):
    x = H * C / (wavelength * K)
    return (x / torch.log1p(2 * H * C ** 2 / (wavelength ** 5 * radiance)))[:3].mean().item()

# %% wrong="3.4.3b" why="rounded to tens of kelvin" breaks="outside the peak" says="Do not round"
def fit_temperature(wavelength, radiance):
    x = H * C / (wavelength * K)
    v = (torch.log1p(2 * H * C ** 2 / (wavelength ** 5 * radiance)) / x).mean().item()
    return round(1 / v, -1)

# %% right="3.4.8c" how="autograd and Adam from zero"
def fit_line(x, y, loss):
    if loss == "squared":
        a, b = np.polyfit(x.numpy(), y.numpy(), 1)
        return [a, b]
    p = torch.zeros(2, dtype=torch.float64, requires_grad=True)
    opt = torch.optim.Adam([p], lr=0.5)
    fall = torch.optim.lr_scheduler.ExponentialLR(opt, 0.99)
    f = torch.nn.functional.l1_loss if loss == "absolute" else torch.nn.functional.huber_loss
    for _ in range(800):
        opt.zero_grad()
        f(p[0] * x + p[1], y).backward()
        opt.step()
        fall.step()
    return tuple(p.detach().tolist())

# %% wrong="3.4.8c" why="Huber's loss with δ = 2" breaks="huber" says="with δ = 2 are 0"
def fit_line(x, y, loss):
    A = torch.stack([x, torch.ones_like(x)], 1)
    p = torch.linalg.lstsq(A, y[:, None]).solution.flatten()
    if loss != "squared":
        for _ in range(500):
            a = (A @ p - y).abs().clamp(min=1e-9)
            wt = (2 / a).clamp(max=1) if loss == "huber" else 1 / a
            p = torch.linalg.solve(A.T @ (wt[:, None] * A), A.T @ (wt * y))
    return p[0].item(), p[1].item()

# %% right="3.4.9a" how="the targets far from 0 first"
def bad_order(X, y):
    return y.flatten().abs().argsort(descending=True)

# %% wrong="3.4.B" why="features minus their means" breaks="weights" says="not minus their means"
def loss_gradient(X, y, w, b):
    r = X @ w + b - y
    return (X - X.mean(0)).T @ r / len(X), r.mean().reshape(1)

# %% wrong="3.4.F" why="the two exchanged" breaks="given order" says="The two ends are exchanged"
end_given, end_sorted = 5.0, 2.5

# %% right="3.4.F" how="NumPy arrays of shape ()"
end_given, end_sorted = np.array(2.5), np.array(5.0)

# %% wrong="3.4.F" why="starts at the first target" breaks="given order" says="m starts at 0"
end_given, end_sorted = 3.0, 5.0

# %% wrong="3.4.9b" why="the rest to the first example" breaks="weights" says="with the factor lr, too"
def order_weights(n, lr):
    w = lr * (1 - lr) ** torch.arange(n - 1, -1, -1.)
    w[0] = 1 - w[1:].sum()
    return w

# %% wrong="3.4.4" why="halved" breaks="values" says="No factor 1/2"
def hessian(f, w):
    v = w.detach().clone().requires_grad_()
    g, = torch.autograd.grad(f(v).sum(), v, create_graph=True)
    H_ = torch.stack([torch.autograd.grad(gi, v, retain_graph=True)[0] for gi in g])
    return H_ / 2

# %% wrong="3.4.4" why="central differences in float32, right for small values only" breaks="values" says="lose their digits"
def hessian(f, w):
    step, made = 1e-2 * torch.eye(len(w), dtype=w.dtype), torch.zeros(len(w), len(w), dtype=w.dtype)
    for i, p in enumerate(step):
        for j, q in enumerate(step):
            made[i, j] = (f(w + p + q) - f(w + p - q) - f(w - p + q) + f(w - p - q)).reshape(()) / 4e-4
    return made

# %% wrong="3.4.8c" why="the median of the slopes between pairs for the absolute loss" breaks="absolute" says="median of the slopes between pairs"
def fit_line(x, y, loss):
    A = torch.stack([x, torch.ones_like(x)], 1)
    params = torch.linalg.lstsq(A, y[:, None]).solution.flatten()
    if loss == "huber":
        for _ in range(2000):
            weights = (1 / (A @ params - y).abs().clamp(min=1e-9)).clamp(max=1)
            params = torch.linalg.solve(A.T @ (weights[:, None] * A), A.T @ (weights * y))
    if loss == "absolute":
        i, j = torch.triu_indices(len(x), len(x), 1)
        apart = x[i] != x[j]
        slope = ((y[j] - y[i])[apart] / (x[j] - x[i])[apart]).median()
        return slope.item(), (y - slope * x).median().item()
    return params.tolist()

# %% wrong="3.4.A" why="no bias in the third prediction" breaks="predictions" says="In the third example the bias is left out"
three_predictions = [0.0, 4.0, -2.0]
three_loss = 5 / 6

# %% wrong="3.4.B" why="squares of the residuals" breaks="weights" says="the residuals are squared"
def loss_gradient(X, y, w, b):
    r = (X @ w + b - y) ** 2
    return X.T @ r / len(X), r.mean().reshape(1)

# %% wrong="3.4.B" why="flat targets" breaks="weights" says="each prediction met each target"
def loss_gradient(X, y, w, b):
    w, b = w.clone().requires_grad_(), b.clone().requires_grad_()
    half_square(predict(X, w, b), y.flatten()).backward()
    return w.grad, b.grad

# %% wrong="3.4.B" why="the bias first" breaks="shape" says="are exchanged"
def loss_gradient(X, y, w, b):
    r = X @ w + b - y
    return r.mean().reshape(1), X.T @ r / len(X)

# %% wrong="3.4.C" why="adds the slopes of the other program" breaks="added up" says="not 4.5"
cleared = [6, 4.5, 3.375]
added_up = [6, 2.5, -2.125]

# %% wrong="3.4.7a" why="shuffles inside of each block" breaks="random order" says="inside of each batch"
def data_iter(batch_size, X, y):
    for i in range(0, len(X), batch_size):
        rows = i + torch.randperm(min(batch_size, len(X) - i))
        yield X[rows], y[rows]

# %% wrong="3.4.7a" why="one order for each length, kept" breaks="new order" says="keep no order"
_orders = {}
def data_iter(batch_size, X, y):
    order = _orders.setdefault(len(X), torch.randperm(len(X)))
    for rows in order.split(batch_size):
        yield X[rows], y[rows]

# %% wrong="3.4.7b" why="one example for a full last batch" breaks="full last batch" says="counts for one example"
def epoch_loss(batch_losses, n, batch_size):
    last = max(n % batch_size, 1)
    return (batch_losses[:-1].sum() * batch_size + batch_losses[-1] * last) / (batch_size * (len(batch_losses) - 1) + last)

# %% wrong="3.4.10" why="rows drawn with replacement" breaks="steps" says="w, 3 different examples"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1, requires_grad=True), torch.zeros(1, requires_grad=True), []
    for _ in range(epochs):
        for i in range(0, len(X), batch_size):
            rows = torch.randint(len(X), (min(batch_size, len(X) - i),))
            half_square(X[rows] @ w + b, y[rows]).backward()
            sgd_step([w, b], lr)
        losses.append(half_square(X @ w + b, y).item())
    return w.detach(), b.detach(), losses

# %% wrong="3.4.10" why="a rate that falls" breaks="steps" says="let each step be like the first"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1, requires_grad=True), torch.zeros(1, requires_grad=True), []
    for epoch in range(epochs):
        for rows in torch.randperm(len(X)).split(batch_size):
            half_square(X[rows] @ w + b, y[rows]).backward()
            sgd_step([w, b], lr * 0.98 ** epoch)
        losses.append(half_square(X @ w + b, y).item())
    return w.detach(), b.detach(), losses

# %% wrong="3.4.5b" why="the middle of the targets" breaks="bias" says="middle between the smallest"
def broadcast_optimum(X, y):
    return torch.zeros(X.shape[1], 1), ((y.min() + y.max()) / 2).reshape(1)

# %% wrong="3.4.D" why="the variance of the features" breaks="curvature" says="the variance of the features"
curvature = torch.tensor([2.0, 0.0, 4.0, 2.0]).var().item()
one_step_rate, limit_rate, factor = 1 / 6, 1 / 3, 0.4

# %% wrong="3.4.1a" why="normal numbers cut off at 2" breaks="variance" says="cut off at a limit"
def init_params(num_inputs, variance):
    w = torch.zeros(num_inputs, 1)
    torch.nn.init.trunc_normal_(w, std=math.sqrt(variance) + 1e-12)
    return w.requires_grad_(), torch.zeros(1, requires_grad=True)

# %% wrong="3.4.1a" why="draws brought to an exact mean and variance" breaks="normal" says="leave the draws as they come"
def init_params(num_inputs, variance):
    w = torch.randn(num_inputs, 1)
    if num_inputs > 1:
        w = (w - w.mean()) / w.std()
    return (w * math.sqrt(variance)).requires_grad_(), torch.zeros(1, requires_grad=True)

# %% wrong="3.4.1b" why="one factor for all directions" breaks="steps" says="one factor, the same in each step"
def distances(w0, X, y, lr, steps):
    best = torch.linalg.lstsq(X, y).solution
    return (w0 - best).norm() * (1 - lr * (X ** 2).mean()) ** torch.arange(steps + 1)

# %% wrong="3.4.1b" why="the minimum of a model with a bias" breaks="first" says="a model with a bias"
def distances(w0, X, y, lr, steps):
    best = torch.linalg.lstsq(torch.cat([X, torch.ones(len(X), 1)], 1), y).solution[:-1]
    w, found = w0, [(w0 - best).norm()]
    for _ in range(steps):
        w = w - lr * X.T @ (X @ w - y) / len(X)
        found.append((w - best).norm())
    return torch.stack(found)

# %% wrong="3.4.10" why="flat targets" breaks="steps" says="each prediction meet each target"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1, requires_grad=True), torch.zeros(1, requires_grad=True), []
    for _ in range(epochs):
        for rows in torch.randperm(len(X)).split(batch_size):
            half_square(predict(X[rows], w, b), y[rows].flatten()).backward()
            sgd_step([w, b], lr)
        losses.append(half_square(predict(X, w, b), y).item())
    return w.detach(), b.detach(), losses

# %% wrong="3.4.1b" why="the root of the mean square" breaks="first" says="has the sum under the root"
def distances(w0, X, y, lr, steps):
    best, w = torch.linalg.lstsq(X, y).solution, w0.clone()
    out = [((w - best) ** 2).mean().sqrt()]
    for _ in range(steps):
        w = w - lr * X.T @ (X @ w - y) / len(X)
        out.append(((w - best) ** 2).mean().sqrt())
    return torch.stack(out)

# %% wrong="3.4.1b" why="divides by the number of weights" breaks="steps" says="divided by 2"
def distances(w0, X, y, lr, steps):
    best, w = torch.linalg.lstsq(X, y).solution, w0.clone()
    out = [(w - best).norm()]
    for _ in range(steps):
        w = w - lr * X.T @ (X @ w - y) / len(w)
        out.append((w - best).norm())
    return torch.stack(out)

# %% wrong="3.4.6" why="the model before the data" breaks="losses" says="made before the data"
def run(config):
    table = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        model = d2l.LinearRegressionScratch(2, lr)
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512, num_val=256)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(model, data)
        except FloatingPointError:
            pass
        losses = [v if math.isfinite(v) else math.inf for v in trainer.history["val_loss"]]
        losses += [math.inf] * (config["max_epochs"] - len(losses))
        table += [{"lr": lr, "epoch": e + 1, "val_loss": v} for e, v in enumerate(losses)]
    return pd.DataFrame(table)

# %% wrong="3.4.6" why="the noise of the class" breaks="settings" says="Is the noise of the config used"
def run(config):
    table = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, num_train=512, num_val=256)
        model, trainer = d2l.LinearRegressionScratch(2, lr), d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(model, data)
        except FloatingPointError:
            pass
        losses = [v if math.isfinite(v) else math.inf for v in trainer.history["val_loss"]]
        losses += [math.inf] * (config["max_epochs"] - len(losses))
        table += [{"lr": lr, "epoch": e + 1, "val_loss": v} for e, v in enumerate(losses)]
    return pd.DataFrame(table)

# %% wrong="3.4.2" why="total least squares" breaks="least squares" says="at right angles to the line"
def fit_resistance(current, voltage):
    _, _, V = torch.linalg.svd(torch.stack([current, voltage], 1).double(), full_matrices=False)
    return (V[0, 1] / V[0, 0]).item()

# %% wrong="3.4.2" why="not converted back from units of the largest current" breaks="least squares" says="in units of the largest one"
def fit_resistance(current, voltage):
    x = current / current.abs().max()
    return ((x * voltage).sum() / (x * x).sum()).item()

# %% wrong="3.4.2" why="Huber's loss" breaks="least squares" says="slope of the squared loss"
def fit_resistance(current, voltage):
    x, v = current.double(), voltage.double()
    R, w = 0.0, torch.ones_like(x)
    for _ in range(100):
        R = ((w * x * v).sum() / (w * x * x).sum()).item()
        w = 1 / (R * x - v).abs().clamp(min=0.5)
    return R

# %% wrong="3.4.3a" why="float32 inside" breaks="values" says="too large for float32"
def planck(wavelength, T):
    x = (H * C / (wavelength * K * T)).float()
    return 2 * H * C ** 2 / wavelength ** 5 / torch.expm1(x).double()

# %% wrong="3.4.3a" why="no c in the exponent" breaks="values" says="c is missing"
def planck(wavelength, T):
    return 2 * H * C ** 2 / wavelength ** 5 / torch.expm1(H / (wavelength * K * T))

# %% wrong="3.4.3b" why="the ratio of the first and the last radiance" breaks="all measurements" says="these two alone decide"
def fit_temperature(wavelength, radiance):
    lam, B = wavelength[[0, -1]], radiance[[0, -1]]
    low, high = 100.0, 20000.0
    target = (B[0] / B[1]).item()
    for _ in range(200):
        T = (low + high) / 2
        m = lam ** -5 / torch.expm1(H * C / (lam * K * T))
        if (m[0] / m[1]).item() < target:
            low = T
        else:
            high = T
    return T

# %% wrong="3.4.3b" why="a table that ends at 6000 K" breaks="outside the peak" says="ends before this temperature"
def fit_temperature(wavelength, radiance):
    Ts = torch.arange(200.0, 6000.0, 0.5, dtype=torch.float64)[:, None]
    model = 2 * H * C ** 2 / wavelength ** 5 / torch.expm1(H * C / (wavelength * K * Ts))
    return Ts[((model.log() - radiance.log()) ** 2).mean(1).argmin()].item()

# %% wrong="3.4.E" why="a mean ten times as large" breaks="squared" says="Only one of the five"
best_squared, moved_squared, best_absolute, moved_absolute = 22, 220, 3, 3

# %% wrong="3.4.E" why="the smallest loss itself" breaks="absolute" says="the m that reaches it"
best_squared, moved_squared, best_absolute, moved_absolute = 22, 202, 20.2, 200.2

# %% wrong="3.4.8a" why="a small number under the root" breaks="values" says="Exact predictions cost nothing"
def absolute_loss(y_hat, y):
    return ((y_hat.flatten() - y.flatten()) ** 2 + 1e-4).sqrt().mean()

# %% wrong="3.4.8a" why="torch's smooth_l1_loss" breaks="values" says="rounded off near 0"
def absolute_loss(y_hat, y):
    return torch.nn.functional.smooth_l1_loss(y_hat, y.reshape(y_hat.shape))

# %% wrong="3.4.8b" why="forgets the brackets" breaks="large residuals" says="take δ/2 from |r| first"
def huber_loss(y_hat, y, delta):
    r = (y_hat.flatten() - y.flatten()).abs()
    return torch.where(r <= delta, r ** 2 / 2, delta * r - delta / 2).mean()

# %% wrong="3.4.8b" why="the square compared with δ" breaks="small residuals" says="|r|, not r², is compared with δ"
def huber_loss(y_hat, y, delta):
    r = (y_hat.flatten() - y.flatten()).abs()
    return torch.where(r ** 2 <= delta, r ** 2 / 2, delta * (r - delta / 2)).mean()

# %% wrong="3.4.8c" why="the height at the mean of x for the squared loss" breaks="squared" says="the height at the mean of x"
def fit_line(x, y, loss):
    if loss == "squared":
        slope = ((x - x.mean()) * (y - y.mean())).sum() / (x - x.mean()).square().sum()
        return slope.item(), y.mean().item()
    A = torch.stack([x, torch.ones_like(x)], 1)
    w, least = torch.ones_like(x), {"absolute": 1e-9, "huber": 1.0}[loss]
    for _ in range(1000):
        p = torch.linalg.solve(A.T @ (w[:, None] * A), A.T @ (w * y))
        w = 1 / (A @ p - y).abs().clamp(min=least)
    return p[0].item(), p[1].item()

# %% wrong="3.4.F" why="the whole target added" breaks="given order" says="leads to 2, and from there"
end_given, end_sorted = 5.0, 5.0

# %% wrong="3.4.9a" why="by the size of the target" breaks="harm" says="above the least-squares fit"
def bad_order(X, y):
    return y.flatten().abs().argsort()

# %% wrong="3.4.9b" why="exponentials" breaks="weights" says="exp(-lr) is near 1 - lr"
def order_weights(n, lr):
    return lr * torch.exp(-lr * torch.arange(n - 1, -1, -1))

# %% wrong="3.4.9b" why="no lr, and one power too many" breaks="weights" says="The factor lr is missing, and"
def order_weights(n, lr):
    return (1 - lr) ** torch.arange(n, 0, -1)

# %% right="3.4.10" how="NumPy, a column of ones"
def fit(X, y, lr, epochs, batch_size):
    A, t = np.hstack([X.numpy(), np.ones((len(X), 1), np.float32)]), y.numpy()
    theta, losses = np.zeros((A.shape[1], 1)), []
    for _ in range(epochs):
        order = np.random.permutation(len(A))
        for i in range(0, len(A), batch_size):
            a, u = A[order[i:i + batch_size]], t[order[i:i + batch_size]]
            theta = theta - lr * a.T @ (a @ theta - u) / len(a)
        losses.append(float(((A @ theta - t) ** 2).mean() / 2))
    return torch.tensor(theta[:-1], dtype=torch.float32), torch.tensor(theta[-1], dtype=torch.float32), losses

# %% right="3.4.1a" how="Box and Muller"
def init_params(num_inputs, variance):
    u, v = 1 - torch.rand(num_inputs, 1, dtype=torch.float64), torch.rand(num_inputs, 1, dtype=torch.float64)
    w = ((-2 * u.log() * variance).sqrt() * torch.cos(2 * math.pi * v)).float()
    return [w.requires_grad_(), torch.zeros(1).requires_grad_()]

# %% right="3.4.1a" how="random.gauss, one by one"
import random
def init_params(num_inputs, variance):
    return (torch.tensor([[random.gauss(0, variance ** 0.5)] for _ in range(num_inputs)], dtype=torch.float32, requires_grad=True),
            torch.tensor([0.0], requires_grad=True))

# %% right="3.4.1b" how="eigenvectors"
def distances(w0, X, y, lr, steps):
    values, vectors = torch.linalg.eigh(X.T @ X / len(X))
    start = vectors.T @ (w0 - torch.linalg.pinv(X) @ y)
    factors = (1 - lr * values)[:, None] ** torch.arange(steps + 1)
    return (factors * start).norm(dim=0)

# %% right="3.4.2" how="a parabola through three losses"
def fit_resistance(current, voltage):
    unit = current.square().mean().sqrt()
    x = (current / unit).double()
    f = lambda R: ((R * x - voltage.double()) ** 2).mean().item()
    a, b, c = f(-1.0), f(0.0), f(1.0)
    return (a - c) / (2 * (a + c - 2 * b)) / unit.item()

# %% right="3.4.3b" how="bisection on the slope by log T"
def fit_temperature(wavelength, radiance):
    low, high = math.log(150.0), math.log(12000.0)
    for _ in range(80):
        u = torch.tensor((low + high) / 2, dtype=torch.float64, requires_grad=True)
        model = torch.log(2 * H * C ** 2 / wavelength ** 5) - torch.log(torch.expm1(H * C / (wavelength * K * u.exp())))
        slope, = torch.autograd.grad(((model - radiance.log()) ** 2).mean(), u)
        if slope > 0:
            high = u.item()
        else:
            low = u.item()
    return torch.tensor(math.exp(u.item()))

# %% right="3.4.8a" how="two relus"
def absolute_loss(y_hat, y):
    r = y_hat.squeeze(-1) - y.squeeze(-1) if y_hat.ndim > 1 and y.ndim > 1 else y_hat.reshape(-1) - y.reshape(-1)
    return (r.relu() + (-r).relu()).mean()

# %% right="3.4.8b" how="a loop over the examples"
def huber_loss(y_hat, y, delta):
    costs = []
    for r in y_hat.flatten() - y.flatten():
        costs.append(r * r / 2 if -delta <= r <= delta else delta * ((r if r > 0 else -r) - delta / 2))
    return torch.stack(costs).mean()

# %% right="3.4.9b" how="the gradient of m by the targets"
def order_weights(n, lr):
    ys, m = torch.ones(n, requires_grad=True), 0.0
    for v in ys:
        m = (1 - lr) * m + lr * v
    return torch.autograd.grad(m, ys)[0]

# %% right="3.4.5b" how="LBFGS on the broadcast loss"
def broadcast_optimum(X, y):
    X, y = X.double(), y.double()
    w, b = torch.zeros(X.shape[1], 1).double().requires_grad_(), torch.zeros(1).double().requires_grad_()
    opt = torch.optim.LBFGS([w, b], max_iter=500, tolerance_grad=1e-12, tolerance_change=1e-15, line_search_fn="strong_wolfe")
    def closure():
        opt.zero_grad()
        loss = (X @ w + b - y).square().mean() / 2
        loss.backward()
        return loss
    opt.step(closure)
    return w.detach(), b.detach()

# %% wrong="3.4.7a" why="the tail of the file is always the last batch" breaks="random order" says="any example may come into the smaller batch"
def data_iter(batch_size, X, y):
    full = len(X) - len(X) % batch_size
    for rows in torch.randperm(full).split(batch_size) if full else ():
        yield X[rows], y[rows]
    if full < len(X):
        yield X[full:], y[full:]

# %% wrong="3.4.7a" why="sorted inside of each batch" breaks="random order" says="Here each batch is sorted"
def data_iter(batch_size, X, y):
    for rows in torch.randperm(len(X)).split(batch_size):
        rows = rows.sort().values
        yield X[rows], y[rows]

# %% wrong="3.4.10" why="the tail of the file is always the last batch" breaks="new order" says="any example may come into the smaller batch"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1), torch.zeros(1), []
    full = len(X) - len(X) % batch_size
    for _ in range(epochs):
        batches = list(torch.randperm(full).split(batch_size)) if full else []
        for rows in batches + ([torch.arange(full, len(X))] if full < len(X) else []):
            r = X[rows] @ w + b - y[rows]
            w, b = w - lr * X[rows].T @ r / len(rows), b - lr * r.mean()
        losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
    return w, b, losses

# %% wrong="3.4.1c" why="np.ceil gives a float" breaks="count" says="An integer"
def steps_needed(distance, goal, factor):
    return 0 if distance <= goal else np.ceil(np.log(goal / distance) / np.log(factor) - 1e-9)

# %% wrong="3.4.6" why="one data set for all rates, the seed set again before each model" breaks="losses" says="between the data and the model"
def run(config):
    torch.manual_seed(config["seed"])
    data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512, num_val=256)
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        model, trainer = d2l.LinearRegressionScratch(2, lr), d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(model, data)
        except FloatingPointError:
            pass
        losses = [v if math.isfinite(v) else math.inf for v in trainer.history["val_loss"]]
        losses += [math.inf] * (config["max_epochs"] - len(losses))
        rows += [{"lr": lr, "epoch": epoch, "val_loss": v} for epoch, v in enumerate(losses, 1)]
    return pd.DataFrame(rows)

# %% wrong="3.4.6" why="the learning rates sorted" breaks="rows" says="they are not sorted"
def run(config):
    rows = []
    for lr in sorted(config["lrs"]):
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512, num_val=256)
        model, trainer = d2l.LinearRegressionScratch(2, lr), d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(model, data)
        except FloatingPointError:
            pass
        losses = [v if math.isfinite(v) else math.inf for v in trainer.history["val_loss"]]
        losses += [math.inf] * (config["max_epochs"] - len(losses))
        rows += [{"lr": lr, "epoch": epoch, "val_loss": v} for epoch, v in enumerate(losses, 1)]
    return pd.DataFrame(rows)

# %% wrong="3.4.3a" why="rounded constants" breaks="values" says="not rounded"
def planck(wavelength, T):
    h, c, k = 6.626e-34, 3e8, 1.381e-23
    return 2 * h * c ** 2 / wavelength ** 5 / torch.expm1(h * c / (wavelength * k * T))

# %% wrong="3.4.4" why="rows joined end to end" breaks="shape" says="torch.cat makes one long row"
def hessian(f, w):
    v = w.detach().clone().requires_grad_()
    gradient, = torch.autograd.grad(f(v), v, create_graph=True)
    return torch.cat([torch.autograd.grad(entry, v, retain_graph=True)[0] for entry in gradient])

# %% wrong="3.4.4" why="differences of the gradient in float32" breaks="values" says="of f or of its gradient"
def hessian(f, w):
    def slope(p):
        p = p.detach().clone().requires_grad_()
        return torch.autograd.grad(f(p), p)[0]
    return torch.stack([(slope(w + 1e-3 * e) - slope(w - 1e-3 * e)) / 2e-3 for e in torch.eye(len(w), dtype=w.dtype)])

# %% wrong="3.4.B" why="the mean over all entries of X" breaks="weights" says="not the 10 entries of X"
def loss_gradient(X, y, w, b):
    r = X @ w + b - y
    return X.T @ r / X.numel(), r.mean().reshape(1)

# %% wrong="3.4.A" why="a loss rounded to one digit" breaks="loss" says="rounded too far"
three_predictions = [0.0, 4.0, 0.0]
three_loss = 0.8

# %% wrong="3.4.D" why="a limit rounded to one digit" breaks="rates" says="rounded too far"
curvature, one_step_rate, limit_rate, factor = 6, 1 / 6, 0.3, 0.4

# %% wrong="3.4.C" why="the numbers in .grad" breaks="added up" says="the numbers in .grad"
cleared, added_up = [6, 4.5, 3.375], [8, 14, 16.5]

# %% wrong="3.4.1b" why="the lengths of the residuals" breaks="first" says="length of the residuals"
def distances(w0, X, y, lr, steps):
    w, made = w0, [(X @ w0 - y).norm()]
    for _ in range(steps):
        w = w - lr * X.T @ (X @ w - y) / len(X)
        made.append((X @ w - y).norm())
    return torch.stack(made)

# %% wrong="3.4.A" why="target minus prediction" breaks="predictions" says="target minus prediction"
three_predictions = [2.0, -1.0, 0.0]
three_loss = 5 / 6

# %% wrong="3.4.A" why="no bias in the second prediction" breaks="predictions" says="0.5 · 4 + (-1) · 0 + 2"
three_predictions = [0.0, 2.0, 0.0]
three_loss = 5 / 6

# %% wrong="3.4.B" why="the mean over the features" breaks="shape" says="one for each example"
def loss_gradient(X, y, w, b):
    r = X @ w + b - y
    return (X * r).mean(dim=1)[:, None], r.mean().reshape(1)

# %% wrong="3.4.C" why="the new slope taken twice over" breaks="added up" says="if .grad is 18"
cleared = [6.0, 4.5, 3.375]
added_up = [6.0, 2.5, -2.0]

# %% wrong="3.4.7b" why="divided by the number of full batches" breaks="smaller last batch" says="Yours gives them the weights"
def epoch_loss(batch_losses, n, batch_size):
    weights = torch.ones(len(batch_losses))
    if n >= batch_size and n % batch_size:
        weights[-1] = (n % batch_size / batch_size) ** 2
    return (weights * batch_losses).sum().item() / weights.sum().item()

# %% wrong="3.4.10" why="w = w - lr * w.grad" breaks="steps" says="which is no leaf"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1, requires_grad=True), torch.zeros(1, requires_grad=True), []
    for _ in range(epochs):
        for rows in torch.randperm(len(X)).split(batch_size):
            half_square(predict(X[rows], w, b), y[rows]).backward()
            w = w - lr * w.grad
            b = b - lr * b.grad
        with torch.no_grad():
            losses.append(half_square(predict(X, w, b), y).item())
    return w, b, losses

# %% wrong="3.4.1b" why="divides by the number of entries" breaks="steps" says="half as long"
def distances(w0, X, y, lr, steps):
    best = torch.linalg.lstsq(X, y).solution
    w, out = w0.clone(), [(w0 - best).norm()]
    for _ in range(steps):
        w = w - lr * X.T @ (X @ w - y) / X.numel()
        out.append((w - best).norm())
    return torch.stack(out)

# %% wrong="3.4.2" why="the absolute loss" breaks="least squares" says="makes the mean of |R·I - V| smallest"
def fit_resistance(current, voltage):
    keep = current != 0
    ratio, weight = (voltage / current)[keep], current[keep].abs()
    order = ratio.argsort()
    sums = weight[order].cumsum(0)
    return ratio[order][(sums >= sums[-1] / 2).nonzero()[0]].item()

# %% wrong="3.4.2" why="ten steps" breaks="least squares" says="wrong by the same factor"
def fit_resistance(current, voltage):
    scale, r = current.abs().max(), 0.0
    for _ in range(10):
        r = r - 0.5 * ((r * current / scale - voltage) * current / scale).mean().item()
    return r / scale.item()

# %% wrong="3.4.3b" why="a rate at which nothing moves" breaks="exact spectrum" says="a descent"
def fit_temperature(wavelength, radiance):
    T = torch.tensor(3000., dtype=torch.float64, requires_grad=True)
    for _ in range(100):
        loss = ((2 * H * C ** 2 / wavelength ** 5 / torch.expm1(H * C / (wavelength * K * T)) - radiance) ** 2 / 2).mean()
        loss.backward()
        with torch.no_grad():
            T -= 1e-20 * T.grad
            T.grad.zero_()
    return T.item()

# %% wrong="3.4.3b" why="two steps only" breaks="exact spectrum" says="A descent by the whole formula"
def fit_temperature(wavelength, radiance):
    a, v = H * C / (wavelength * K), torch.tensor(1 / 20000, dtype=torch.float64)
    for _ in range(2):
        error = torch.log(2 * H * C ** 2 / wavelength ** 5) - torch.log(torch.expm1(a * v)) - torch.log(radiance)
        slopes = a / torch.expm1(-a * v)
        v = v - (error * slopes).mean() / (slopes ** 2).mean()
    return 1 / v.item()

# %% wrong="3.4.E" why="the fourth in order for the median" breaks="absolute" says="3 below yours"
best_squared, moved_squared = 22, 202
best_absolute, moved_absolute = 4, 4

# %% wrong="3.4.E" why="a slip in the sum" breaks="squared" says="5 times yours is 560"
best_squared, moved_squared = 22, 112
best_absolute, moved_absolute = 3, 3

# %% wrong="3.4.8c" why="the rate of the absolute loss falls too fast" breaks="absolute" says="a long way from 0"
def fit_line(x, y, loss):
    A = torch.stack([x, torch.ones_like(x)], 1)
    if loss == "absolute":
        a = b = 0.0
        rate = 0.5
        for _ in range(3000):
            r = (a * x + b - y).sign()
            a, b, rate = a - rate * (r * x).mean().item(), b - rate * r.mean().item(), 0.98 * rate
        return a, b
    s = torch.linalg.lstsq(A, y[:, None]).solution[:, 0]
    for _ in range(500 if loss == "huber" else 0):
        w = (1 / (A @ s - y).abs().clamp(min=1e-12)).clamp(max=1)
        s = torch.linalg.solve(A.T @ (w[:, None] * A), A.T @ (w * y))
    return tuple(s.tolist())

# %% wrong="3.4.9a" why="by the distance from the fit, on either side" breaks="harm" says="the distance from the fit, above or below"
def bad_order(X, y):
    A = torch.cat([X, torch.ones(len(X), 1)], 1)
    return (A @ torch.linalg.lstsq(A, y).solution - y).flatten().abs().argsort()

# %% wrong="3.4.4" why="second differences of f" breaks="values" says="in float32 it is not"
def hessian(f, w):
    d, h = len(w), 1e-3
    out, e = torch.zeros(d, d, dtype=w.dtype), h * torch.eye(d, dtype=w.dtype)
    for i in range(d):
        for j in range(d):
            out[i, j] = (f(w + e[i] + e[j]) - f(w + e[i]) - f(w + e[j]) + f(w)) / h ** 2
    return out

# %% wrong="3.4.A" why="the half forgotten at the residual 1" breaks="loss" says="squared and not halved"
three_predictions = [0.0, 4.0, 0.0]
three_loss = (2 + 1 + 0) / 3

# %% wrong="3.4.A" why="the three half squares" breaks="loss" says="These are the three half squares"
three_predictions = [0.0, 4.0, 0.0]
three_loss = [2.0, 0.5, 0.0]

# %% wrong="3.4.B" why="residual times feature for the bias" breaks="bias" says="no feature belongs in db"
def loss_gradient(X, y, w, b):
    r = X @ w + b - y
    return X.T @ r / len(X), (X * r).mean().reshape(1)

# %% wrong="3.4.7a" why="pieces of about equal size" breaks="sizes" says="shared out among them"
def data_iter(batch_size, X, y):
    order = torch.randperm(len(X))
    for rows in order.chunk(math.ceil(len(X) / batch_size)):
        yield X[rows], y[rows]

# %% wrong="3.4.10" why="one step for each epoch, with the gradients of all batches" breaks="batches" says="all its batches added up"
def fit(X, y, lr, epochs, batch_size):
    w, b = torch.zeros(X.shape[1], 1, requires_grad=True), torch.zeros(1, requires_grad=True)
    losses = []
    for epoch in range(epochs):
        for rows in torch.randperm(len(X)).split(batch_size):
            ((X[rows] @ w + b - y[rows]) ** 2 / 2).mean().backward()
        with torch.no_grad():
            for p in (w, b):
                p -= lr * p.grad
                p.grad.zero_()
            losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
    return w.detach(), b.detach(), losses

# %% wrong="3.4.5b" why="the mean target minus the mean feature" breaks="bias" says="the best bias beside w = 1"
def broadcast_optimum(X, y):
    return torch.zeros(X.shape[1], 1, dtype=X.dtype), (y.mean() - X.mean()).reshape(1)

# %% wrong="3.4.D" why="a rate cut off after two digits" breaks="rates" says="cut off too early"
curvature, one_step_rate, limit_rate, factor = 6, 0.16, 1 / 3, 0.4

# %% wrong="3.4.D" why="c squared in the limit" breaks="rates" says="That is 2/c²"
curvature, one_step_rate, limit_rate, factor = 6, 1 / 6, 2 / 36, 0.4

# %% wrong="3.4.1a" why="half the variance for the standard deviation" breaks="variance" says="Half the variance"
def init_params(num_inputs, variance):
    return (torch.randn(num_inputs, 1) * variance / 2).requires_grad_(), torch.zeros(1, requires_grad=True)

# %% wrong="3.4.1b" why="one row for each step" breaks="steps" says="one row alone"
def distances(w0, X, y, lr, steps):
    w_star = torch.linalg.lstsq(X, y).solution
    w = w0.clone()
    out = [(w - w_star).norm()]
    for t in range(steps):
        i = t % len(X)
        w = w - lr * X[i:i + 1].T @ (X[i:i + 1] @ w - y[i:i + 1])
        out.append((w - w_star).norm())
    return torch.stack(out)

# %% wrong="3.4.1c" why="takes away the same in each step" breaks="count" says="The factor multiplies what is left"
def steps_needed(distance, goal, factor):
    t, d = 0, distance
    while d > goal:
        d -= distance * (1 - factor)
        t += 1
    return t

# %% wrong="3.4.3a" why="multiplied by exp(x) - 1" breaks="values" says="is to be divided by exp(x) - 1"
def planck(wavelength, T):
    return 2 * H * C ** 2 / wavelength ** 5 * (torch.exp(H * C / (wavelength * K * T)) - 1)

# %% wrong="3.4.3a" why="no brackets, with exp" breaks="values" says="needs brackets"
def planck(wavelength, T):
    return 2 * H * C ** 2 / wavelength ** 5 / (torch.exp(H * C / wavelength * K * T) - 1)

# %% wrong="3.4.F" why="6 for the way from 2 halfway to 8" breaks="sorted" says="from 2 halfway to 8 is 5"
end_given, end_sorted = 2.5, 6

# %% wrong="3.4.F" why="one step" breaks="given order" says="2 is m after the 4"
end_given, end_sorted = 2, 5

# %% wrong="3.4.F" why="begins at the first target that is not 0" breaks="sorted" says="and the target 0 come first"
end_given = 2.5
end_sorted = 6

# %% wrong="3.4.9a" why="ranks" breaks="harm" says="is the rank of example i"
def bad_order(X, y):
    A = torch.cat([X, torch.ones(len(X), 1)], 1)
    r = (y - A @ torch.linalg.lstsq(A, y).solution).flatten()
    return r.argsort().argsort()

# %% wrong="3.4.9b" why="doubled exponents" breaks="weights" says="the exponents are doubled"
def order_weights(n, lr):
    return lr * (1 - lr) ** (2 * torch.arange(n - 1, -1, -1))

# %% wrong="3.4.9b" why="the last weight is missing" breaks="shape" says="its exponent is 0"
def order_weights(n, lr):
    return lr * (1 - lr) ** torch.arange(n - 1, 0, -1)

# %% wrong="3.4.6" why="always ten epochs" breaks="rows" says="is config"
def run(config):
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512, num_val=256)
        model = d2l.LinearRegressionScratch(2, lr)
        trainer = d2l.Trainer(10, verbose=False)
        try:
            trainer.fit(model, data)
        except FloatingPointError:
            pass
        h = trainer.history["val_loss"]
        for e in range(10):
            rows.append((lr, e + 1, h[e] if e < len(h) and math.isfinite(h[e]) else math.inf))
    return pd.DataFrame(rows, columns=["lr", "epoch", "val_loss"])

# %% wrong="3.4.8c" why="a short descent for the absolute loss" breaks="absolute" says="has not arrived"
def fit_line(x, y, loss):
    A = torch.stack([x, torch.ones_like(x)], 1)
    if loss == "squared":
        return tuple(torch.linalg.lstsq(A, y[:, None]).solution.flatten().tolist())
    params, lr = torch.zeros(2, dtype=x.dtype), 0.05 if loss == "absolute" else 1.0
    for _ in range(100 if loss == "absolute" else 4000):
        r = A @ params - y
        pull = r.sign() if loss == "absolute" else r.clamp(-1, 1)
        params, lr = params - lr * A.T @ pull / len(x), lr if loss == "absolute" else lr * 0.998
    return params[0].item(), params[1].item()

# %% wrong="3.4.A" why="the half forgotten at the residual -2" breaks="loss" says="where the square of -2 is not halved"
three_predictions = [0., 4., 0.]
three_loss = (0 + 1 + 4 + 4) / 2 / 3

# %% wrong="3.4.A" why="divides the sum by 9" breaks="loss" says="not by 9"
three_predictions = [0.0, 4.0, 0.0]
three_loss = ((-2) ** 2 + 1 ** 2 + 0 ** 2) / 3 ** 2 / 2

# %% wrong="3.4.A" why="half of the root mean square" breaks="loss" says="half the root"
three_predictions = [0.0, 4.0, 0.0]
three_loss = (5 / 3) ** 0.5 / 2

# %% wrong="3.4.5a" why="a new tensor from the numbers" breaks="gradient" says="whose graph does not lead to"
def squared_loss(y_hat, y):
    if y_hat.numel() != y.numel():
        raise ValueError(f"{tuple(y_hat.shape)} and {tuple(y.shape)}")
    total = 0.0
    for p, t in zip(y_hat.reshape(-1).tolist(), y.reshape(-1).tolist()):
        total += (p - t) ** 2 / 2
    return torch.tensor(total / y.numel(), requires_grad=True)

# %% wrong="3.4.7b" why="the size 0 for a full last batch, in the divisor, too" breaks="full last batch" says="nor do its examples in the divisor"
def epoch_loss(batch_losses, n, batch_size):
    sizes = torch.full((len(batch_losses),), float(batch_size))
    sizes[-1] = n % batch_size
    return ((batch_losses * sizes).sum() / sizes.sum()).item()

# %% wrong="3.4.7b" why="the mean of no batches" breaks="one batch" says="nan is what a mean over no entries gives"
def epoch_loss(batch_losses, n, batch_size):
    r = n % batch_size or batch_size
    return ((batch_losses[:-1].mean() * (n - r) + batch_losses[-1] * r) / n).item()

# %% wrong="3.4.7b" why="divides the sum by n / batch_size (as if the last mean were a sum over fewer)" breaks="smaller last batch" says="as a full one"
def epoch_loss(batch_losses, n, batch_size):
    return batch_losses.sum() * batch_size / n

# %% wrong="3.4.10" why="the gradient of b never cleared" breaks="steps" says="The gradients of b were added up"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1, requires_grad=True), torch.zeros(1, requires_grad=True), []
    for epoch in range(epochs):
        for rows in torch.randperm(len(X)).split(batch_size):
            loss = ((X[rows] @ w + b - y[rows]) ** 2 / 2).mean()
            loss.backward()
            with torch.no_grad():
                w -= lr * w.grad
                b -= lr * b.grad
                w.grad.zero_()
        with torch.no_grad():
            losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
    return w, b, losses

# %% wrong="3.4.10" why="the gradient is cleared only once in an epoch" breaks="batches" says="once in an epoch"
def fit(X, y, lr, epochs, batch_size):
    w, b, losses = torch.zeros(X.shape[1], 1, requires_grad=True), torch.zeros(1, requires_grad=True), []
    for _ in range(epochs):
        w.grad = b.grad = None
        for rows in torch.randperm(len(X)).split(batch_size):
            ((X[rows] @ w + b - y[rows]) ** 2 / 2).mean().backward()
            with torch.no_grad():
                w -= lr * w.grad
                b -= lr * b.grad
        with torch.no_grad():
            losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
    return w, b, losses

# %% wrong="3.4.5b" why="a row of w for each example" breaks="shape" says="not for each example"
def broadcast_optimum(X, y):
    return torch.zeros(len(X), 1), y.mean().reshape(1)

# %% wrong="3.4.1c" why="counts from 1" breaks="count" says="before the first step the count is 0"
def steps_needed(distance, goal, factor):
    t = 1
    while distance > goal:
        distance, t = distance * factor, t + 1
    return t

# %% wrong="3.4.1c" why="the factor is what each step takes away" breaks="count" says="0.2 of it is left"
def steps_needed(distance, goal, factor):
    t = 0
    while distance > goal:
        distance, t = distance - factor * distance, t + 1
    return t

# %% wrong="3.4.3a" why="wavelengths taken for nanometres" breaks="values" says="taken for nanometre"
def planck(wavelength, T):
    lam = wavelength * 1e-9
    return 2 * H * C ** 2 / lam ** 5 / torch.expm1(H * C / (lam * K * T))

# %% wrong="3.4.8a" why="the length of the residuals, divided by n" breaks="values" says="root of the sum of the squares, divided by n"
def absolute_loss(y_hat, y):
    return torch.linalg.norm(y_hat.reshape(-1) - y.reshape(-1)) / y.numel()

# %% wrong="3.4.8b" why="|r| compared with 1" breaks="small residuals" says="not with a number that stays the same"
def huber_loss(y_hat, y, delta):
    r = y_hat.reshape(-1) - y.reshape(-1)
    return torch.where(r.abs() <= 1, r ** 2 / 2, delta * (r.abs() - delta / 2)).mean()

# %% wrong="3.4.9a" why="ten of the examples twice" breaks="permutation" says="stands in it 2 times"
def bad_order(X, y):
    order = y.flatten().argsort()
    order[-20:-10] = order[-10:]
    return order

# %% wrong="3.4.9b" why="with the weight of the start" breaks="shape" says="is the weight (1 - lr)ⁿ of the start"
def order_weights(n, lr):
    return torch.tensor([(1 - lr) ** n] + [lr * (1 - lr) ** (n - i) for i in range(1, n + 1)])

# %% wrong="3.4.9b" why="decay 1 - lr/n" breaks="weights" says="not divided by n"
def order_weights(n, lr):
    return lr * (1 - lr / n) ** torch.arange(n - 1, -1, -1)

# %% wrong="3.4.A" why="forgets the bias where a feature is 0" breaks="predictions" says="is this sum without the bias."
three_predictions = [0.0, 2.0, -2.0]
three_loss = (4 + 1 + 4) / 6

# %% wrong="3.4.F" why="the mean for both orders" breaks="given order" says="the mean of the three: but the order counts"
end_given = 4.0
end_sorted = 4.0

# %% wrong="3.4.3b" why="a table in steps of 20 K" breaks="exact spectrum" says="not fine enough"
def fit_temperature(wavelength, radiance):
    grid = torch.arange(200, 10001, 20, dtype=torch.float64)[:, None]
    x = H * C / (wavelength * K * grid)
    model = math.log(2 * H * C ** 2) - 5 * torch.log(wavelength) - x - torch.log(-torch.expm1(-x))
    return grid[((model - torch.log(radiance)) ** 2).mean(dim=1).argmin()].item()

# %% wrong="3.4.8a" why="the residual over its size" breaks="values" says="nothing may be divided"
def absolute_loss(y_hat, y):
    r = y_hat.reshape(-1) - y.reshape(-1)
    return (r * (r / r.detach().abs())).mean()

# %% wrong="3.4.8c" why="least squares for the slope, a median for the intercept" breaks="absolute" says="the absolute loss decides both"
def fit_line(x, y, loss):
    A = torch.stack([x, torch.ones_like(x)], dim=1)
    v = torch.linalg.lstsq(A, y[:, None]).solution.flatten()
    if loss == "squared":
        return v[0].item(), v[1].item()
    if loss == "absolute":
        return v[0].item(), (y - v[0] * x).median().item()
    for _ in range(5000):
        v = v - 0.1 * A.T @ (A @ v - y).clamp(-1, 1) / len(x)
    return v[0].item(), v[1].item()

# %% wrong="3.4.10" why="each batch is drawn for itself" breaks="batches" says="in no batch at all"
def fit(X, y, lr, epochs, batch_size):
    n, d = X.shape
    w, b, losses = torch.zeros(d, 1), torch.zeros(1), []
    for _ in range(epochs):
        for s in range(0, n, batch_size):
            rows = torch.randperm(n)[:min(batch_size, n - s)]
            r = X[rows] @ w + b - y[rows]
            w, b = w - lr * X[rows].T @ r / len(rows), b - lr * r.mean()
        losses.append(((X @ w + b - y) ** 2 / 2).mean().item())
    return w, b, losses

# %% wrong="3.4.6" why="seed and data before the loop" breaks="each alone" says="all is made anew"
def run(config):
    rows = []
    torch.manual_seed(config["seed"])
    data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512, num_val=256)
    for lr in config["lrs"]:
        model = d2l.LinearRegressionScratch(2, lr)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(model, data)
        except FloatingPointError:
            pass
        losses = list(trainer.history["val_loss"])
        losses += [math.inf] * (config["max_epochs"] - len(losses))
        rows += [{"lr": lr, "epoch": e + 1, "val_loss": v if math.isfinite(v) else math.inf} for e, v in enumerate(losses)]
    return pd.DataFrame(rows)

# %% wrong="3.4.6" why="inf for losses above a million" breaks="divergence" says="however large they are"
def run(config):
    rows = []
    for lr in config["lrs"]:
        torch.manual_seed(config["seed"])
        data = d2l.SyntheticRegressionData(w=torch.tensor([2, -3.4]), b=4.2, noise=config["noise"], num_train=512, num_val=256)
        model = d2l.LinearRegressionScratch(2, lr)
        trainer = d2l.Trainer(config["max_epochs"], verbose=False)
        try:
            trainer.fit(model, data)
        except FloatingPointError:
            pass
        losses = list(trainer.history["val_loss"])
        losses += [math.inf] * (config["max_epochs"] - len(losses))
        rows += [{"lr": lr, "epoch": e + 1, "val_loss": v if v < 1e6 else math.inf} for e, v in enumerate(losses)]
    return pd.DataFrame(rows)

# %% wrong="3.4.4" why="fills a table of float32" breaks="dtype" says="a table made for them beforehand"
def hessian(f, w):
    v = w.detach().clone().requires_grad_()
    g, = torch.autograd.grad(f(v), v, create_graph=True)
    out = torch.zeros(len(w), len(w))
    for i in range(len(w)):
        out[i], = torch.autograd.grad(g[i], v, retain_graph=True)
    return out

# %% wrong="3.4.4" why="computes in float64, on what .double() gives" breaks="argument kept" says="w itself, no copy"
def hessian(f, w):
    v = w.double().requires_grad_()
    g, = torch.autograd.grad(f(v), v, create_graph=True)
    return torch.stack([torch.autograd.grad(gi, v, retain_graph=True)[0] for gi in g]).to(w.dtype)

# %% wrong="3.4.1b" why="walks in float64, on what .double() gives" breaks="start kept" says="w0 itself, no copy"
def distances(w0, X, y, lr, steps):
    w, X, y = w0.double(), X.double(), y.double()
    best = torch.linalg.lstsq(X, y).solution
    found = [(w - best).norm()]
    for _ in range(steps):
        w -= lr * X.T @ (X @ w - y) / len(X)
        found.append((w - best).norm())
    return torch.stack(found)

# %% wrong="3.4.1a" why="Normal refuses the variance 0" breaks="variance" says="all weights are 0 then"
def init_params(num_inputs, variance):
    w = torch.distributions.Normal(0.0, variance ** 0.5).sample((num_inputs, 1))
    b = torch.zeros(1)
    return w.requires_grad_(), b.requires_grad_()

# %% wrong="3.4.2" why="scaled current, but too few steps for its curvature" breaks="least squares" says="it has not arrived"
def fit_resistance(current, voltage):
    scale = current.abs().max()
    x = current / scale
    R = 0.0
    for _ in range(100):
        R = R - 0.1 * ((R * x - voltage) * x).mean()
    return (R / scale).item()

# %% wrong="3.4.3a" why="numpy's expm1 does not take part in the graph" breaks="differentiable" says="what has once left the graph"
def planck(wavelength, T):
    exponent = H * C / (wavelength * K * T)
    return 2 * H * C ** 2 / wavelength ** 5 / torch.as_tensor(np.expm1(exponent.detach().numpy()))

# %% wrong="3.4.E" why="moved_ as the distance moved" breaks="squared" says="not how far it has moved"
best_squared, best_absolute = 22, 3
moved_squared, moved_absolute = 180, 0

# %% wrong="3.4.E" why="the middle between the extremes for the absolute loss" breaks="absolute" says="the middle between the smallest"
best_squared, best_absolute = 22, 50.5
moved_squared, moved_absolute = 202, 500.5

# %% wrong="3.4.F" why="sorted from the largest" breaks="sorted" says="the end of the order 8, 4, 0"
end_given = 2.5
end_sorted = 2

# %% wrong="3.4.8c" why="leaves outliers out of the squared fit" breaks="squared" says="the outlier has no say here"
def fit_line(x, y, loss):
    A = torch.stack([x, torch.ones_like(x)], dim=1)
    v = torch.linalg.lstsq(A, y[:, None]).solution[:, 0]
    if loss == "squared":
        r = (A @ v - y).abs()
        keep = r <= 3 * r.median()
        v = torch.linalg.lstsq(A[keep], y[keep][:, None]).solution[:, 0]
        return v[0].item(), v[1].item()
    floor = 1.0 if loss == "huber" else 1e-6
    for _ in range(2000):
        weight = 1 / (A @ v - y).abs().clamp(min=floor)
        v = torch.linalg.solve(A.T @ (weight[:, None] * A), A.T @ (weight * y))
    return v[0].item(), v[1].item()

# %% wrong="3.4.3a" why="no brackets around exp - 1" breaks="values" says="the - 1 is not part of it"
def planck(wavelength, T):
    return 2 * H * C ** 2 / wavelength ** 5 / torch.exp(H * C / (wavelength * K * T)) - 1
