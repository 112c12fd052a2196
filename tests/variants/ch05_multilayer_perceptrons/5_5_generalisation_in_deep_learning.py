# Variants of the answers of solutions/ch05_multilayer_perceptrons/5_5_generalisation_in_deep_learning.py.

# %% right="5.5.A" how="one minus the wrong ones"
def share_right(share, q):
    return 1 - share * (q - 1) / q

# %% right="5.5.A" how="a tensor of the two ways"
def share_right(share, q):
    return torch.tensor([1 - share, share / q]).sum()

# %% wrong="5.5.A" why="drawn anew is wrong" breaks="ends" says="may be the old one"
def share_right(share, q):
    return 1 - share

# %% wrong="5.5.A" why="the share of wrong labels" breaks="ends" says="share_right(0, 4)"
def share_right(share, q):
    return share * (q - 1) / q

# %% wrong="5.5.A" why="drawn from the other classes" breaks="ends" says="old one included"
def share_right(share, q):
    return 1 - share + share / (q - 1)

# %% wrong="5.5.A" why="right at the ends, bent between" breaks="between" says="share_right(0.4, 10)"
def share_right(share, q):
    return q ** -share

# %% wrong="5.5.A" why="ten classes whatever q" breaks="ends" says="share_right(1, 4)"
def share_right(share, q):
    return 1 - 0.9 * share

# %% wrong="5.5.A" why="rounded to two places" breaks="between" says="not rounded"
def share_right(share, q):
    return round(1 - share + share / q, 2)

# %% wrong="5.5.A" why="multiplied, not added" breaks="between" says="are added"
def share_right(share, q):
    return (1 - share) / q if 0 < share < 1 else 1 - share + share / q

# %% wrong="5.5.A" why="subtracts what cannot happen" breaks="between" says="nothing is taken off"
def share_right(share, q):
    return 1-(share)*(1-share/q)

# %% right="5.5.6" how="lists, an own measurement"
def memorise(train, test, share, width, epochs, seed):
    labels = corrupt(train[1], share, 10, seed)
    net = make_network(196, width, 10, seed)
    for _ in range(epochs):
        train_epoch(net, train[0], labels, 0.2)
    net.eval()
    return [(net(X).argmax(1) == y).double().mean().item() for X, y in ((train[0], labels), test)]

# %% right="5.5.6" how="an optimizer, batches of its own"
def memorise(train, test, share, width, epochs, seed):
    X, labels = train[0], corrupt(train[1], share, 10, seed)
    net = make_network(X.shape[1], width, 10, seed)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
    for _ in range(epochs):
        order = torch.randperm(len(X))
        for start in range(0, len(X), 40):
            rows = order[start:start + 40]
            optimizer.zero_grad()
            F.cross_entropy(net(X[rows]), labels[rows]).backward()
            optimizer.step()
    return torch.tensor([accuracy(net, X, labels), accuracy(net, *test)])

# %% wrong="5.5.6" why="measures with the true training labels" breaks="training accuracy" says="the corrupted labels"
def memorise(train, test, share, width, epochs, seed):
    X, y = train
    labels = corrupt(y, share, 10, seed)
    net = make_network(X.shape[1], width, 10, seed)
    for _ in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
    return accuracy(net, X, y), accuracy(net, *test)

# %% wrong="5.5.6" why="the training accuracy twice" breaks="test accuracy" says="the test accuracy"
def memorise(train, test, share, width, epochs, seed):
    X, y = train
    labels = corrupt(y, share, 10, seed)
    net = make_network(X.shape[1], width, 10, seed)
    for _ in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
    return accuracy(net, X, labels), accuracy(net, X, labels)

# %% wrong="5.5.6" why="the two exchanged" breaks="training accuracy" says="training accuracy is above"
def memorise(train, test, share, width, epochs, seed):
    X, y = train
    labels = corrupt(y, share, 10, seed)
    net = make_network(X.shape[1], width, 10, seed)
    for _ in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
    return accuracy(net, *test), accuracy(net, X, labels)

# %% wrong="5.5.6" why="trains on the true labels" breaks="share" says="the ones that the network was trained on"
def memorise(train, test, share, width, epochs, seed):
    X, y = train
    net = make_network(X.shape[1], width, 10, seed)
    for _ in range(epochs):
        train_epoch(net, X, y, lr=0.2)
    return accuracy(net, X, y), accuracy(net, *test)

# %% wrong="5.5.6" why="always replaces half" breaks="share" says="test accuracy"
def memorise(train, test, share, width, epochs, seed):
    X, y = train
    labels = corrupt(y, 0.5, 10, seed)
    net = make_network(X.shape[1], width, 10, seed)
    for _ in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
    return accuracy(net, X, labels), accuracy(net, *test)

# %% wrong="5.5.6" why="the width is fixed" breaks="width" says="Is the width used"
def memorise(train, test, share, width, epochs, seed):
    X, y = train
    labels = corrupt(y, share, 10, seed)
    net = make_network(X.shape[1], 128, 10, seed)
    for _ in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
    return accuracy(net, X, labels), accuracy(net, *test)

# %% wrong="5.5.6" why="always 80 epochs" breaks="epochs" says="number of epochs used"
def memorise(train, test, share, width, epochs, seed):
    X, y = train
    labels = corrupt(y, share, 10, seed)
    net = make_network(X.shape[1], width, 10, seed)
    for _ in range(80):
        train_epoch(net, X, labels, lr=0.2)
    return accuracy(net, X, labels), accuracy(net, *test)

# %% wrong="5.5.6" why="the seed is fixed" breaks="seed" says="give different pairs"
def memorise(train, test, share, width, epochs, seed):
    X, y = train
    labels = corrupt(y, share, 10, 0)
    net = make_network(X.shape[1], width, 10, 0)
    for _ in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
    return accuracy(net, X, labels), accuracy(net, *test)

# %% wrong="5.5.6" why="the page's sets in place of the arguments" breaks="test accuracy" says="and not TRAIN and TEST"
def memorise(train, test, share, width, epochs, seed):
    X, y = TRAIN
    labels = corrupt(y, share, 10, seed)
    net = make_network(X.shape[1], width, 10, seed)
    for _ in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
    return accuracy(net, X, labels), accuracy(net, *TEST)

# %% wrong="5.5.6" why="percent" breaks="test accuracy" says="test accuracy"
def memorise(train, test, share, width, epochs, seed):
    X, y = train
    labels = corrupt(y, share, 10, seed)
    net = make_network(X.shape[1], width, 10, seed)
    for _ in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
    return 100 * accuracy(net, X, labels), 100 * accuracy(net, *test)

# %% wrong="5.5.6" why="new labels in each epoch" breaks="training accuracy" says="training accuracy is above"
def memorise(train, test, share, width, epochs, seed):
    X, y = train
    net = make_network(X.shape[1], width, 10, seed)
    for epoch in range(epochs):
        labels = corrupt(y, share, 10, seed + epoch)
        train_epoch(net, X, labels, lr=0.2)
    return accuracy(net, X, labels), accuracy(net, *test)

# %% wrong="5.5.6" why="a learning rate of 0.1" breaks="recipe" says="not 0.1"
def memorise(train, test, share, width, epochs, seed):
    labels = corrupt(train[1], share, 10, seed)
    net = make_network(196, width, 10, seed)
    for epoch in range(epochs):
        train_epoch(net, train[0], labels, lr=0.1)
    return accuracy(net, train[0], labels), accuracy(net, *test)

# %% wrong="5.5.6" why="the seed goes into corrupt alone" breaks="recipe" says="goes into make_network"
def memorise(train, test, share, width, epochs, seed):
    labels = corrupt(train[1], share, 10, seed)
    net = make_network(196, width, 10, 0)
    for epoch in range(epochs):
        train_epoch(net, train[0], labels, lr=0.2)
    return accuracy(net, train[0], labels), accuracy(net, *test)

# %% wrong="5.5.6" why="the seed goes into make_network alone" breaks="recipe" says="goes into corrupt"
def memorise(train, test, share, width, epochs, seed):
    labels = corrupt(train[1], share, 10, 0)
    net = make_network(196, width, 10, seed)
    for epoch in range(epochs):
        train_epoch(net, train[0], labels, lr=0.2)
    return accuracy(net, train[0], labels), accuracy(net, *test)

# %% wrong="5.5.6" why="all or none of the labels are drawn anew" breaks="recipe" says="not all"
def memorise(train, test, share, width, epochs, seed):
    labels = corrupt(train[1], 1.0 if share else 0.0, 10, seed)
    net = make_network(196, width, 10, seed)
    for epoch in range(epochs):
        train_epoch(net, train[0], labels, lr=0.2)
    return accuracy(net, train[0], labels), accuracy(net, *test)

# %% wrong="5.5.6" why="nine classes" breaks="recipe" says="not 9"
def memorise(train, test, share, width, epochs, seed):
    labels = corrupt(train[1], share, 9, seed)
    net = make_network(196, width, 10, seed)
    for epoch in range(epochs):
        train_epoch(net, train[0], labels, lr=0.2)
    return accuracy(net, train[0], labels), accuracy(net, *test)

# %% wrong="5.5.6" why="one epoch too many" breaks="recipe" says="too many"
def memorise(train, test, share, width, epochs, seed):
    labels = corrupt(train[1], share, 10, seed)
    net = make_network(196, width, 10, seed)
    for epoch in range(epochs + 1):
        train_epoch(net, train[0], labels, lr=0.2)
    return accuracy(net, train[0], labels), accuracy(net, *test)

# %% wrong="5.5.6" why="the best test accuracy on the way" breaks="recipe" says="on the way"
def memorise(train, test, share, width, epochs, seed):
    found = []
    labels = corrupt(train[1], share, 10, seed)
    net = make_network(196, width, 10, seed)
    for epoch in range(epochs):
        train_epoch(net, train[0], labels, lr=0.2)
        found.append(accuracy(net, *test))
    return accuracy(net, train[0], labels), max(found)

# %% wrong="5.5.6" why="test labels corrupted, too" breaks="recipe" says="test labels stay"
def memorise(train, test, share, width, epochs, seed):
    labels = corrupt(train[1], share, 10, seed)
    net = make_network(196, width, 10, seed)
    for epoch in range(epochs):
        train_epoch(net, train[0], labels, lr=0.2)
    return accuracy(net, train[0], labels), accuracy(net, test[0], corrupt(test[1], share, 10, seed))

# %% wrong="5.5.6" why="weight decay" breaks="recipe" says="no weight decay"
def memorise(train, test, share, width, epochs, seed):
    labels = corrupt(train[1], share, 10, seed)
    net = make_network(196, width, 10, seed)
    for epoch in range(epochs):
        train_epoch(net, train[0], labels, lr=0.2, weight_decay=0.01)
    return accuracy(net, train[0], labels), accuracy(net, *test)

# %% wrong="5.5.6" why="a second seed" breaks="recipe" says="no second time"
def memorise(train, test, share, width, epochs, seed):
    labels = corrupt(train[1], share, 10, seed)
    net = make_network(196, width, 10, seed)
    torch.manual_seed(seed)
    for epoch in range(epochs):
        train_epoch(net, train[0], labels, lr=0.2)
    return accuracy(net, train[0], labels), accuracy(net, *test)

# %% wrong="5.5.6" why="a new network in every epoch" breaks="recipe" says="network is made once"
def memorise(train, test, share, width, epochs, seed):
    labels = corrupt(train[1], share, 10, seed)
    net = make_network(196, width, 10, seed)
    for epoch in range(epochs):
        net = make_network(196, width, 10, seed)
        train_epoch(net, train[0], labels, lr=0.2)
    return accuracy(net, train[0], labels), accuracy(net, *test)

# %% wrong="5.5.6" why="stops when the training accuracy is 1" breaks="epochs" says="has reached 1"
def memorise(train, test, share, width, epochs, seed):
    X, y = train
    labels = corrupt(y, share, 10, seed)
    net = make_network(X.shape[1], width, 10, seed)
    for _ in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
        if accuracy(net, X, labels) == 1:
            break
    return accuracy(net, X, labels), accuracy(net, *test)

# %% wrong="5.5.6" why="the best training accuracy on the way" breaks="epochs" says="not the best on the way"
def memorise(train, test, share, width, epochs, seed):
    X, y = train
    labels = corrupt(y, share, 10, seed)
    net = make_network(X.shape[1], width, 10, seed)
    best = 0
    for _ in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
        best = max(best, accuracy(net, X, labels))
    return best, accuracy(net, *test)

# %% right="5.5.B" how="squares written out"
def nearest_labels(X, y, queries):
    D = (queries[:, None] - X[None]).square().sum(dim=2)
    return y[D.argmin(dim=1)]

# %% right="5.5.B" how="a loop over the queries"
def nearest_labels(X, y, queries):
    return torch.tensor([int(y[(X - query).norm(dim=1).argmin()]) for query in queries])

# %% right="5.5.B" how="sorted distances, with take"
def nearest_labels(X, y, queries):
    return torch.take(y, torch.cdist(queries, X).argsort(dim=1)[:, 0])

# %% wrong="5.5.B" why="positions" breaks="nearest" says="take their labels"
def nearest_labels(X, y, queries):
    return torch.cdist(queries, X).argmin(dim=1)

# %% wrong="5.5.B" why="the farthest" breaks="nearest" says="farthest rows"
def nearest_labels(X, y, queries):
    return y[torch.cdist(queries, X).argmax(dim=1)]

# %% wrong="5.5.B" why="the wrong axis" breaks="shape" says="wrong shape"
def nearest_labels(X, y, queries):
    return y[torch.cdist(X, queries).argmin(dim=1) % len(y)]

# %% wrong="5.5.B" why="one label for all queries" breaks="shape" says="wrong shape"
def nearest_labels(X, y, queries):
    return y[torch.cdist(queries, X).argmin() % len(y)]

# %% wrong="5.5.B" why="squeezes a single query" breaks="shape" says="a single query"
def nearest_labels(X, y, queries):
    return y[torch.cdist(queries, X).argmin(dim=1)].squeeze()

# %% wrong="5.5.B" why="the largest scalar product" breaks="nearest" says="queries (9, 1)"
def nearest_labels(X, y, queries):
    return y[(queries @ X.T).argmax(dim=1)]

# %% wrong="5.5.B" why="the sum of absolute differences" breaks="nearest" says="sum of the absolute differences"
def nearest_labels(X, y, queries):
    return y[torch.cdist(queries, X, p=1).argmin(dim=1)]

# %% wrong="5.5.B" why="the largest difference" breaks="nearest" says="largest of the differences"
def nearest_labels(X, y, queries):
    return y[(queries[:, None] - X).abs().amax(dim=2).argmin(dim=1)]

# %% right="5.5.B" how="squares expanded, without those of the query"
def nearest_labels(X, y, queries):
    return y[(X.square().sum(dim=1) - 2 * queries @ X.T).argmin(dim=1)]

# %% wrong="5.5.B" why="a row that equals the query left out" breaks="nearest" says="not left out"
def nearest_labels(X, y, queries):
    D = torch.cdist(queries, X)
    D[D == 0] = float('inf')
    return y[D.argmin(dim=1)]

# %% wrong="5.5.B" why="columns scaled first" breaks="nearest" says="not scaled"
def nearest_labels(X, y, queries):
    m, s = X.mean(0), X.std(0) + 1e-9
    return y[torch.cdist((queries - m) / s, (X - m) / s).argmin(dim=1)]

# %% right="5.5.B" how="the square of the distance multiplied out"
def nearest_labels(X, y, queries):
    return y[((X ** 2).sum(1) - 2 * queries @ X.T).argmin(dim=1)]

# %% right="5.5.7" how="least squares by singular values"
def smallest_fit(A, y):
    return torch.linalg.lstsq(A, y[:, None], driver="gelsd").solution[:, 0]

# %% right="5.5.7" how="NumPy"
def smallest_fit(A, y):
    return torch.from_numpy(np.linalg.lstsq(A.numpy(), y.numpy(), rcond=None)[0])

# %% wrong="5.5.7" why="the formula for more weights than equations, always" breaks="smallest error" says="squared error"
def smallest_fit(A, y):
    G = A @ A.T
    return A.T @ torch.linalg.solve(G + 1e-3 * (torch.linalg.matrix_rank(G) < len(G)) * torch.eye(len(G), dtype=A.dtype), y) * (1 if len(A) <= A.shape[1] else 0.9)

# %% wrong="5.5.7" why="ridge regression" breaks="smallest error" says="squared error"
def smallest_fit(A, y):
    return torch.linalg.solve(A.T @ A + 0.1 * torch.eye(A.shape[1], dtype=A.dtype), A.T @ y)

# %% wrong="5.5.7" why="an exact fit plus something that changes nothing" breaks="smallest norm" says="smaller weights fit as well"
def smallest_fit(A, y):
    P = torch.linalg.pinv(A)
    return P @ y + (torch.eye(A.shape[1], dtype=A.dtype) - P @ A) @ torch.ones(A.shape[1], dtype=A.dtype)

# %% wrong="5.5.7" why="only as many weights as equations, the others 0" breaks="smallest norm" says="smaller weights fit as well"
def smallest_fit(A, y):
    w = torch.zeros(A.shape[1], dtype=A.dtype)
    k = min(A.shape)
    w[:k] = torch.linalg.pinv(A[:, :k]) @ y
    return w

# %% wrong="5.5.7" why="a column" breaks="shape" says="wrong shape"
def smallest_fit(A, y):
    return torch.linalg.pinv(A) @ y[:, None]

# %% wrong="5.5.7" why="the fitted values" breaks="shape" says="wrong shape"
def smallest_fit(A, y):
    return A @ (torch.linalg.pinv(A) @ y)

# %% wrong="5.5.7" why="a descent that has not arrived" breaks="smallest error" says="The direction of the weights is right"
def smallest_fit(A, y):
    w = torch.zeros(A.shape[1], dtype=A.dtype)
    for _ in range(100):
        w = w - 0.01 * A.T @ (A @ w - y)
    return w

# %% right="5.5.7" how="a descent that arrives"
def smallest_fit(A, y):
    w = torch.zeros(A.shape[1], dtype=A.dtype)
    step = 1 / torch.linalg.matrix_norm(A, 2) ** 2
    for _ in range(20000):
        w = w - step * A.T @ (A @ w - y)
    return w

# %% wrong="5.5.7" why="the formula for independent rows where n < p" breaks="smallest error" says="singular"
def smallest_fit(A, y):
    n, p = A.shape
    return A.T @ torch.linalg.inv(A @ A.T) @ y if n < p else torch.linalg.pinv(A) @ y

# %% wrong="5.5.7" why="small singular values cut off" breaks="smallest error" says="that is small is not 0"
def smallest_fit(A, y):
    return torch.linalg.pinv(A, atol=0.1) @ y

# %% wrong="5.5.7" why="rounded to two places" breaks="smallest error" says="not rounded"
def smallest_fit(A, y):
    return (torch.linalg.pinv(A) @ y).round(decimals=2)

# %% right="5.5.7" how="pseudo-inverse of A times its transpose"
def smallest_fit(A, y):
    return A.T @ torch.linalg.pinv(A @ A.T) @ y

# %% right="5.5.1" how="slopes of the broken line"
def exact_network(X, y):
    a = torch.tensor([math_power ** i for i, math_power in enumerate([1.37] * X.shape[1])], dtype=X.dtype).cos() + 0.1
    z, order = (X @ a).sort()
    t = y[order]
    knots = torch.cat([z[:1] - 1, z])
    values = torch.cat([torch.zeros(1, dtype=X.dtype), t])
    slopes = values.diff() / knots.diff()
    return a, knots[:-1], torch.cat([slopes[:1], slopes.diff()])

# %% right="5.5.1" how="bends half-way between, forward substitution, a list"
def exact_network(X, y):
    torch.manual_seed(1)
    a = torch.randn(X.shape[1]).to(X)
    z, order = torch.sort(X @ a)
    b = torch.cat([z[:1] - 1, (z[:-1] + z[1:]) / 2])
    v = torch.zeros(len(X), dtype=X.dtype)
    for i in range(len(X)):
        rest = y[order[i]] - torch.relu(z[i] - b[:i]) @ v[:i]
        v[i] = rest / (z[i] - b[i])
    return [a, b, v]

# %% wrong="5.5.1" why="the targets are not sorted along" breaks="exact" says="must be sorted along"
def exact_network(X, y):
    a = torch.randn(X.shape[1], generator=torch.Generator().manual_seed(3), dtype=X.dtype)
    z, order = (X @ a).sort(descending=False)
    b = torch.cat([z[:1] - 1, z[:-1]])
    return a, b, torch.linalg.solve(torch.relu(z[:, None] - b), y.flip(0))

# %% wrong="5.5.1" why="the direction of the first feature only" breaks="exact" says="outputs of the network"
def exact_network(X, y):
    a = torch.zeros(X.shape[1], dtype=X.dtype)
    a[0] = 1.0
    z, order = (X @ a).sort()
    b = torch.cat([z[:1] - 1, z[:-1]])
    return a, b, torch.linalg.pinv(torch.relu(z[:, None] - b)) @ y[order]

# %% wrong="5.5.1" why="without relu: a linear fit" breaks="exact" says="outputs of the network"
def exact_network(X, y):
    a = torch.linalg.pinv(X) @ y
    b, v = torch.full((len(X),), -1000.0, dtype=X.dtype), torch.full((len(X),), 1 / len(X), dtype=X.dtype)
    return a, b, v

# %% wrong="5.5.1" why="a direction for each unit" breaks="shapes" says="the shape of a"
def exact_network(X, y):
    a = torch.randn(X.shape[1], len(X), generator=torch.Generator().manual_seed(0), dtype=X.dtype)
    b = torch.zeros(len(X), dtype=X.dtype)
    return a, b, torch.linalg.pinv(torch.relu(X @ a)) @ y

# %% wrong="5.5.1" why="one bend fewer" breaks="shapes" says="the shape of b"
def exact_network(X, y):
    a = torch.randn(X.shape[1], generator=torch.Generator().manual_seed(0), dtype=X.dtype)
    z, order = (X @ a).sort()
    b = z[:-1]
    return a, b, torch.linalg.pinv(torch.relu(z[:, None] - b)) @ y[order]

# %% wrong="5.5.1" why="the direction 1, 10, 100" breaks="exact" says="Another direction can"
def exact_network(X, y):
    a = 10.0 ** torch.arange(X.shape[1], dtype=X.dtype)
    z = X @ a
    b = torch.cat([z.min()[None] - 1, z.sort().values[:-1]])
    v = torch.linalg.lstsq(torch.relu(z[:, None] - b), y[:, None], driver="gelsd").solution[:, 0]
    return a, b, v

# %% wrong="5.5.1" why="the direction 1, 2, 3" breaks="exact" says="Another direction can"
def exact_network(X, y):
    a = torch.arange(1, X.shape[1] + 1, dtype=X.dtype)
    z = X @ a
    b = torch.cat([z.min()[None] - 1, z.sort().values[:-1]])
    v = torch.linalg.lstsq(torch.relu(z[:, None] - b), y[:, None], driver="gelsd").solution[:, 0]
    return a, b, v

# %% wrong="5.5.1" why="no bend before the smallest" breaks="exact" says="before the smallest z"
def exact_network(X, y):
    a = torch.randn(X.shape[1], generator=torch.Generator().manual_seed(0), dtype=X.dtype)
    z = X @ a
    b = z.sort().values
    v = torch.linalg.lstsq(torch.relu(z[:, None] - b), y[:, None], driver="gelsd").solution[:, 0]
    return a, b, v

# %% wrong="5.5.1" why="slopes, not their changes" breaks="exact" says="how much the slope changes"
def exact_network(X, y):
    a = torch.randn(X.shape[1], generator=torch.Generator().manual_seed(0), dtype=X.dtype)
    z, order = (X @ a).sort()
    t, b = y[order], torch.cat([z[:1] - 1, z[:-1]])
    return a, b, torch.cat([t[:1], t.diff() / z.diff()])

# %% wrong="5.5.1" why="direction 1, 0.1, 0.01" breaks="exact" says="singular"
def exact_network(X, y):
    n, d = X.shape
    a = 0.1 ** torch.arange(d, dtype=X.dtype)
    z = X @ a
    order = z.argsort()
    zs = z[order]
    b = torch.cat([zs[:1] - 1, zs[:-1]])
    U = torch.relu(z[:, None] - b)
    v = torch.linalg.solve(U, y)
    return a, b, v

# %% wrong="5.5.1" why="first bend at -10" breaks="exact" says="singular"
def exact_network(X, y):
    n, d = X.shape
    a = torch.randn(d, generator=torch.Generator().manual_seed(1), dtype=X.dtype)
    z = X @ a
    order = z.argsort()
    zs = z[order]
    b = torch.cat([zs.new_tensor([-10.]), zs[:-1]])
    U = torch.relu(z[:, None] - b)
    v = torch.linalg.solve(U, y)
    return a, b, v

# %% right="5.5.1" how="direction of sines"
def exact_network(X, y):
    n, d = X.shape
    a = torch.sin(1 + torch.arange(d, dtype=X.dtype))
    z, o = (X @ a).sort()
    gap = (z[-1] - z[0]) if n > 1 else z.new_ones(())
    b = torch.cat([z[:1] - gap, z[:-1]])
    U = torch.relu((X @ a)[:, None] - b)
    return a, b, torch.linalg.solve(U, y)

# %% right="5.5.C" how="deepcopy"
import copy

def go_back_after(net, change):
    old = copy.deepcopy(net.state_dict())
    result = change(net)
    net.load_state_dict(old)
    return result

# %% right="5.5.C" how="parameters one by one"
def go_back_after(net, change):
    old = [p.detach().clone() for p in net.parameters()]
    result = change(net)
    with torch.no_grad():
        for p, value in zip(net.parameters(), old):
            p.copy_(value)
    return result

# %% wrong="5.5.C" why="no copies" breaks="restored" says="Clone each one before the call"
def go_back_after(net, change):
    remembered = net.state_dict()
    result = change(net)
    net.load_state_dict(remembered)
    return result

# %% wrong="5.5.C" why="a copy of the dictionary, not of the tensors" breaks="restored" says="Clone each one before the call"
def go_back_after(net, change):
    remembered = dict(net.state_dict())
    result = change(net)
    net.load_state_dict(remembered)
    return result

# %% wrong="5.5.C" why="only the weights" breaks="restored" says="the biases afterwards"
def go_back_after(net, change):
    remembered = {name: T.clone() for name, T in net.state_dict().items() if name.endswith("weight")}
    result = change(net)
    net.load_state_dict(remembered, strict=False)
    return result

# %% wrong="5.5.C" why="returns nothing" breaks="called" says="what comes back"
def go_back_after(net, change):
    remembered = {name: T.clone() for name, T in net.state_dict().items()}
    change(net)
    net.load_state_dict(remembered)

# %% wrong="5.5.C" why="changes a copy of the network" breaks="called" says="with this network"
def go_back_after(net, change):
    twin = nn.Sequential(*[nn.Linear(layer.in_features, layer.out_features) if isinstance(layer, nn.Linear) else nn.ReLU() for layer in net])
    twin.load_state_dict(net.state_dict())
    return change(twin)

# %% wrong="5.5.C" why="calls twice" breaks="called" says="how often"
def go_back_after(net, change):
    remembered = {name: T.clone() for name, T in net.state_dict().items()}
    change(net)
    net.load_state_dict(remembered)
    result = change(net)
    net.load_state_dict(remembered)
    return result

# %% wrong="5.5.C" why="the layers net[0] and net[2] alone" breaks="restored" says="out of range"
def go_back_after(net, change):
    old = [(net[i].weight.clone(), net[i].bias.clone()) for i in (0, 2)]
    result = change(net)
    with torch.no_grad():
        for i, (w, b) in zip((0, 2), old):
            net[i].weight.copy_(w)
            net[i].bias.copy_(b)
    return result

# %% wrong="5.5.C" why="hands the result on only if it is true" breaks="called" says="What change returned"
def go_back_after(net, change):
    old = {k: v.clone() for k, v in net.state_dict().items()}
    result = change(net)
    net.load_state_dict(old)
    if result:
        return result

# %% wrong="5.5.C" why="the last layer alone" breaks="restored" says="all layers count"
def go_back_after(net, change):
    old = {k: v.clone() for k, v in net[-1].state_dict().items()}
    result = change(net)
    net[-1].load_state_dict(old)
    return result

# %% right="5.5.3a" how="counts the epochs without progress"
def stopping_point(losses, patience, epsilon):
    level, waited = losses[0], 0
    for epoch, loss in enumerate(losses[1:], 1):
        if level - loss > epsilon:
            level, waited = loss, 0
        else:
            waited += 1
            if waited >= patience:
                break
    else:
        epoch = len(losses) - 1
    seen = list(losses[:epoch + 1])
    return [epoch, seen.index(min(seen))]

# %% right="5.5.3a" how="NumPy for the kept epoch"
def stopping_point(losses, patience, epsilon):
    last = 0
    for epoch in range(len(losses)):
        if losses[last] - losses[epoch] > epsilon:
            last = epoch
        if epoch - last >= patience:
            return epoch, int(np.argmin(losses[:epoch + 1]))
    return len(losses) - 1, int(np.argmin(losses))

# %% wrong="5.5.3a" why="compares with the epoch before" breaks="stop" says="not with the one before"
def stopping_point(losses, patience, epsilon):
    waited, stop = 0, len(losses) - 1
    for epoch in range(1, len(losses)):
        waited = 0 if losses[epoch] < losses[epoch - 1] - epsilon else waited + 1
        if waited == patience:
            stop = epoch
            break
    return stop, min(range(stop + 1), key=lambda epoch: losses[epoch])

# %% wrong="5.5.3a" why="an equal loss is progress" breaks="stop" says="An equal loss"
def stopping_point(losses, patience, epsilon):
    reference, since, stop = losses[0], 0, len(losses) - 1
    for epoch in range(1, len(losses)):
        if losses[epoch] < reference - epsilon or (epsilon == 0 and losses[epoch] == reference):
            reference, since = losses[epoch], epoch
        if epoch - since == patience:
            stop = epoch
            break
    return stop, min(range(stop + 1), key=lambda epoch: losses[epoch])

# %% wrong="5.5.3a" why="waits one epoch longer" breaks="stop" says="one epoch too many"
def stopping_point(losses, patience, epsilon):
    reference, since, stop = losses[0], 0, len(losses) - 1
    for epoch in range(1, len(losses)):
        if losses[epoch] < reference - epsilon:
            reference, since = losses[epoch], epoch
        if epoch - since > patience:
            stop = epoch
            break
    return stop, min(range(stop + 1), key=lambda epoch: losses[epoch])

# %% wrong="5.5.3a" why="the reference is the lowest loss so far" breaks="epsilon" says="Small gains add up"
def stopping_point(losses, patience, epsilon):
    lowest, waited, stop = losses[0], 0, len(losses) - 1
    for epoch in range(1, len(losses)):
        waited = 0 if losses[epoch] < lowest - epsilon else waited + 1
        lowest = min(lowest, losses[epoch])
        if waited == patience:
            stop = epoch
            break
    return stop, min(range(stop + 1), key=lambda epoch: losses[epoch])

# %% wrong="5.5.3a" why="epsilon is ignored" breaks="epsilon" says="less than ε"
def stopping_point(losses, patience, epsilon):
    best, stop = 0, len(losses) - 1
    for epoch in range(1, len(losses)):
        if losses[epoch] < losses[best]:
            best = epoch
        if epoch - best == patience:
            stop = epoch
            break
    return stop, min(range(stop + 1), key=lambda epoch: losses[epoch])

# %% wrong="5.5.3a" why="exactly epsilon counts" breaks="epsilon" says="Exactly ε"
def stopping_point(losses, patience, epsilon):
    reference, since, stop = losses[0], 0, len(losses) - 1
    for epoch in range(1, len(losses)):
        if losses[epoch] < reference and losses[epoch] <= reference - epsilon:
            reference, since = losses[epoch], epoch
        if epoch - since == patience:
            stop = epoch
            break
    return stop, min(range(stop + 1), key=lambda epoch: losses[epoch])

# %% wrong="5.5.3a" why="keeps the epoch of the last progress" breaks="kept" says="even if it was no progress"
def stopping_point(losses, patience, epsilon):
    reference, since = losses[0], 0
    for epoch in range(1, len(losses)):
        if losses[epoch] < reference - epsilon:
            reference, since = losses[epoch], epoch
        if epoch - since == patience:
            return epoch, since
    return len(losses) - 1, since

# %% wrong="5.5.3a" why="keeps the lowest of all" breaks="kept" says="Training had stopped"
def stopping_point(losses, patience, epsilon):
    reference, since, stop = losses[0], 0, len(losses) - 1
    for epoch in range(1, len(losses)):
        if losses[epoch] < reference - epsilon:
            reference, since = losses[epoch], epoch
        if epoch - since == patience:
            stop = epoch
            break
    return stop, min(range(len(losses)), key=lambda epoch: losses[epoch])

# %% wrong="5.5.3a" why="epsilon as a share of the loss" breaks="epsilon" says="not a share of it"
def stopping_point(losses, patience, epsilon):
    reference, waited = losses[0], 0
    stop = len(losses) - 1
    for t in range(1, len(losses)):
        if losses[t] < reference * (1 - epsilon):
            reference = losses[t]
            waited = 0
        else:
            waited += 1
            if waited == patience:
                stop = t
                break
    kept = min(range(stop + 1), key=lambda t: losses[t])
    return stop, kept

# %% wrong="5.5.3a" why="the two exchanged" breaks="stop" says="the second the kept one"
def stopping_point(losses, patience, epsilon):
    reference, waited = losses[0], 0
    stop = len(losses) - 1
    for t in range(1, len(losses)):
        if reference - losses[t] > epsilon:
            reference = losses[t]
            waited = 0
        else:
            waited += 1
            if waited == patience:
                stop = t
                break
    kept = min(range(stop + 1), key=lambda t: losses[t])
    return kept, stop

# %% wrong="5.5.3a" why="the count goes on after progress" breaks="stop" says="starts the count again"
def stopping_point(losses, patience, epsilon):
    reference, waited = losses[0], 0
    stop = len(losses) - 1
    for t in range(1, len(losses)):
        if reference - losses[t] > epsilon:
            reference = losses[t]
            waited += 0
        else:
            waited += 1
            if waited == patience:
                stop = t
                break
    kept = min(range(stop + 1), key=lambda t: losses[t])
    return stop, kept

# %% wrong="5.5.3a" why="the last epoch cannot be kept" breaks="kept" says="was trained as well"
def stopping_point(losses, patience, epsilon):
    reference, waited = losses[0], 0
    stop = len(losses) - 1
    for t in range(1, len(losses)):
        if reference - losses[t] > epsilon:
            reference = losses[t]
            waited = 0
        else:
            waited += 1
            if waited == patience:
                stop = t
                break
    kept = min(range(max(stop, 1)), key=lambda t: losses[t])
    return stop, kept

# %% wrong="5.5.3a" why="a large rise counts as progress" breaks="stop" says="A rise is no progress"
def stopping_point(losses, patience, epsilon):
    ref = losses[0]
    waited = 0
    stop = len(losses) - 1
    for t in range(1, len(losses)):
        if abs(losses[t] - ref) > epsilon:
            ref = losses[t]
            waited = 0
        else:
            waited += 1
        if waited == patience:
            stop = t
            break
    seen = losses[:stop + 1]
    return stop, seen.index(min(seen))

# %% wrong="5.5.3a" why="the first reference is 100" breaks="stop" says="whatever its loss"
def stopping_point(losses, patience, epsilon):
    ref = 100
    waited = 0
    stop = len(losses) - 1
    for t in range(0, len(losses)):
        if losses[t] < ref - epsilon:
            ref = losses[t]
            waited = 0
        else:
            waited += 1
        if waited == patience:
            stop = t
            break
    seen = losses[:stop + 1]
    return stop, seen.index(min(seen))

# %% wrong="5.5.3a" why="epsilon added" breaks="epsilon" says="not added"
def stopping_point(losses, patience, epsilon):
    ref = losses[0]
    waited = 0
    stop = len(losses) - 1
    for t in range(1, len(losses)):
        if losses[t] < ref + epsilon:
            ref = losses[t]
            waited = 0
        else:
            waited += 1
        if waited == patience:
            stop = t
            break
    seen = losses[:stop + 1]
    return stop, seen.index(min(seen))

# %% right="5.5.3a" how="the epoch of the last progress remembered"
def stopping_point(losses, patience, epsilon):
    last = 0
    for t, loss in enumerate(losses):
        if losses[last] - loss > epsilon:
            last = t
        if t - last >= patience:
            break
    return t, min(range(t + 1), key=losses.__getitem__)

# %% right="5.5.3b" how="a counter, deepcopy"
import copy

def train_until(net, train, val, lr, patience, max_epochs):
    losses, waited, best = [], 0, None
    while len(losses) < max_epochs and waited < patience:
        train_epoch(net, train[0], train[1], lr=lr)
        now = mean_loss(net, val[0], val[1])
        if not losses or now < min(losses):
            best, waited = copy.deepcopy(net.state_dict()), 0
        else:
            waited += 1
        losses.append(now)
    net.load_state_dict(best)
    return losses

# %% right="5.5.3b" how="keeps the weights of every epoch"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, kept = [], []
    for _ in range(max_epochs):
        train_epoch(net, *train, lr)
        losses.append(mean_loss(net, *val))
        kept.append([p.detach().clone() for p in net.parameters()])
        if len(losses) - 1 - losses.index(min(losses)) >= patience:
            break
    with torch.no_grad():
        for p, value in zip(net.parameters(), kept[losses.index(min(losses))]):
            p.copy_(value)
    return tuple(losses)

# %% wrong="5.5.3b" why="no copies" breaks="restored" says="keep copies of the best"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, best, remembered = [], 0, None
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr)
        losses.append(mean_loss(net, *val))
        if remembered is None or losses[epoch] < losses[best]:
            best, remembered = epoch, net.state_dict()
        if epoch - best == patience:
            break
    net.load_state_dict(remembered)
    return losses

# %% wrong="5.5.3b" why="the last weights stay" breaks="restored" says="keep copies of the best"
def train_until(net, train, val, lr, patience, max_epochs):
    losses = []
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr)
        losses.append(mean_loss(net, *val))
        if epoch - losses.index(min(losses)) == patience:
            break
    return losses

# %% wrong="5.5.3b" why="measures the training loss" breaks="restored" says="validation"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, best, remembered = [], 0, None
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr)
        losses.append(mean_loss(net, *train))
        if remembered is None or losses[epoch] < losses[best]:
            best, remembered = epoch, {name: T.clone() for name, T in net.state_dict().items()}
        if epoch - best == patience:
            break
    net.load_state_dict(remembered)
    return losses

# %% wrong="5.5.3b" why="stops at the first rise" breaks="stop" says="by how many epochs your list"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, best, remembered = [], 0, None
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr)
        losses.append(mean_loss(net, *val))
        if remembered is None or losses[epoch] < losses[best]:
            best, remembered = epoch, {name: T.clone() for name, T in net.state_dict().items()}
        else:
            break
    net.load_state_dict(remembered)
    return losses

# %% wrong="5.5.3b" why="never stops early" breaks="stop" says="training stops before the end"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, best, remembered = [], 0, None
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr)
        losses.append(mean_loss(net, *val))
        if remembered is None or losses[epoch] < losses[best]:
            best, remembered = epoch, {name: T.clone() for name, T in net.state_dict().items()}
    net.load_state_dict(remembered)
    return losses

# %% wrong="5.5.3b" why="an equal loss is progress" breaks="stop" says="An equal loss"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, best, remembered = [], 0, None
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr)
        losses.append(mean_loss(net, *val))
        if remembered is None or losses[epoch] <= losses[best]:
            best, remembered = epoch, {name: T.clone() for name, T in net.state_dict().items()}
        if epoch - best == patience:
            break
    net.load_state_dict(remembered)
    return losses

# %% wrong="5.5.3b" why="one epoch too many at the end" breaks="at most" says="at most 7 epochs"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, best, remembered = [], 0, None
    for epoch in range(max_epochs + 1):
        train_epoch(net, *train, lr)
        losses.append(mean_loss(net, *val))
        if remembered is None or losses[epoch] < losses[best]:
            best, remembered = epoch, {name: T.clone() for name, T in net.state_dict().items()}
        if epoch - best == patience:
            break
    net.load_state_dict(remembered)
    return losses

# %% wrong="5.5.3b" why="the learning rate is fixed" breaks="training" says="This is the learning rate 0.2"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, best, remembered = [], 0, None
    for epoch in range(max_epochs):
        train_epoch(net, *train, 0.2 if lr else 0.0)
        losses.append(mean_loss(net, *val))
        if remembered is None or losses[epoch] < losses[best]:
            best, remembered = epoch, {name: T.clone() for name, T in net.state_dict().items()}
        if epoch - best == patience:
            break
    net.load_state_dict(remembered)
    return losses

# %% wrong="5.5.3b" why="trains on the validation data" breaks="training" says="trained on the pair val"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, best, remembered = [], 0, None
    for epoch in range(max_epochs):
        train_epoch(net, *val, lr)
        losses.append(mean_loss(net, *val))
        if remembered is None or losses[epoch] < losses[best]:
            best, remembered = epoch, {name: T.clone() for name, T in net.state_dict().items()}
        if epoch - best == patience:
            break
    net.load_state_dict(remembered)
    return losses

# %% wrong="5.5.3b" why="the page's validation set in place of the argument" breaks="restored" says="afterwards"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, best, remembered = [], 0, None
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr)
        losses.append(mean_loss(net, *VALIDATION))
        if remembered is None or losses[epoch] < losses[best]:
            best, remembered = epoch, {name: T.clone() for name, T in net.state_dict().items()}
        if epoch - best == patience:
            break
    net.load_state_dict(remembered)
    return losses

# %% wrong="5.5.3b" why="compares with the epoch before" breaks="stop" says="by how many epochs your list"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, waited, remembered = [], 0, None
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr)
        losses.append(mean_loss(net, *val))
        if losses[epoch] == min(losses):
            remembered = {name: T.clone() for name, T in net.state_dict().items()}
        waited = waited + 1 if epoch and losses[epoch] >= losses[epoch - 1] else 0
        if waited == patience:
            break
    net.load_state_dict(remembered)
    return losses

# %% wrong="5.5.3b" why="decides by the validation accuracy" breaks="stop" says="by its own losses"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, best, waited, kept = [], float("inf"), 0, None
    shown = []
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr=lr)
        shown.append(mean_loss(net, *val))
        loss = 1 - accuracy(net, *val)
        losses.append(loss)
        if loss < best:
            best = loss
            kept = {k: T.clone() for k, T in net.state_dict().items()}
            waited = 0
        else:
            waited += 1
        if waited == patience:
            break
    net.load_state_dict(kept)
    return shown

# %% wrong="5.5.3b" why="two epochs for each loss" breaks="training" says="after two epochs"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, best, waited, kept = [], float("inf"), 0, None
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr=lr)
        train_epoch(net, *train, lr=lr)
        loss = mean_loss(net, *val)
        losses.append(loss)
        if loss < best:
            best = loss
            kept = {k: T.clone() for k, T in net.state_dict().items()}
            waited = 0
        else:
            waited += 1
        if waited == patience:
            break
    net.load_state_dict(kept)
    return losses

# %% wrong="5.5.3b" why="weight decay" breaks="training" says="no weight decay"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, best, waited, kept = [], float("inf"), 0, None
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr=lr, weight_decay=0.01)
        loss = mean_loss(net, *val)
        losses.append(loss)
        if loss < best:
            best = loss
            kept = {k: T.clone() for k, T in net.state_dict().items()}
            waited = 0
        else:
            waited += 1
        if waited == patience:
            break
    net.load_state_dict(kept)
    return losses

# %% wrong="5.5.3b" why="a minimum improvement of 0.01" breaks="at most" says="however little lower"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, best, waited, kept = [], float("inf"), 0, None
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr=lr)
        loss = mean_loss(net, *val)
        losses.append(loss)
        if loss < best - 0.01:
            best = loss
            kept = {k: T.clone() for k, T in net.state_dict().items()}
            waited = 0
        else:
            waited += 1
        if waited == patience:
            break
    net.load_state_dict(kept)
    return losses

# %% wrong="5.5.3b" why="halves lr where there is no progress" breaks="training" says="lr stays as it is"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, best, waited, kept = [], float("inf"), 0, None
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr=lr)
        loss = mean_loss(net, *val)
        losses.append(loss)
        if loss < best:
            best = loss
            kept = {k: T.clone() for k, T in net.state_dict().items()}
            waited = 0
        else:
            waited += 1
            lr = lr / 2
        if waited == patience:
            break
    net.load_state_dict(kept)
    return losses

# %% wrong="5.5.3b" why="the weights before the best epoch" breaks="restored" says="counted from 0"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, best, waited, kept = [], float("inf"), 0, None
    for epoch in range(max_epochs):
        before = {k: p.clone() for k, p in net.state_dict().items()}
        train_epoch(net, *train, lr=lr)
        loss = mean_loss(net, *val)
        losses.append(loss)
        if loss < best:
            best = loss
            kept = before
            waited = 0
        else:
            waited += 1
        if waited == patience:
            break
    net.load_state_dict(kept)
    return losses

# %% wrong="5.5.3b" why="lr is not handed on" breaks="training" says="is lr handed on"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, best, waited, kept = [], float("inf"), 0, None
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr=0.2)
        loss = mean_loss(net, *val)
        losses.append(loss)
        if loss < best:
            best = loss
            kept = {k: T.clone() for k, T in net.state_dict().items()}
            waited = 0
        else:
            waited += 1
        if waited == patience:
            break
    net.load_state_dict(kept)
    return losses

# %% wrong="5.5.3b" why="progress only by more than 0.001" breaks="at most" says="however little"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, best, waited = [], float('inf'), 0
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr)
        loss = mean_loss(net, *val)
        losses.append(loss)
        if loss < best - 1e-3:
            best, waited, kept = loss, 0, {k: v.clone() for k, v in net.state_dict().items()}
        else:
            waited += 1
        if waited == patience:
            break
    net.load_state_dict(kept)
    return losses

# %% wrong="5.5.3b" why="the page's VALIDATION" breaks="training" says="with their own labels"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, best, waited = [], float('inf'), 0
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr)
        loss = mean_loss(net, *VALIDATION)
        losses.append(loss)
        if loss < best:
            best, waited, kept = loss, 0, {k: v.clone() for k, v in net.state_dict().items()}
        else:
            waited += 1
        if waited == patience:
            break
    net.load_state_dict(kept)
    return losses

# %% wrong="5.5.3b" why="sets a seed" breaks="training" says="set none"
def train_until(net, train, val, lr, patience, max_epochs):
    torch.manual_seed(0)
    losses, best, waited = [], float('inf'), 0
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr)
        loss = mean_loss(net, *val)
        losses.append(loss)
        if loss < best:
            best, waited, kept = loss, 0, {k: v.clone() for k, v in net.state_dict().items()}
        else:
            waited += 1
        if waited == patience:
            break
    net.load_state_dict(kept)
    return losses

# %% right="5.5.3b" how="a twin is trained"
def train_until(net, train, val, lr, patience, max_epochs):
    import copy
    twin, losses, best, waited = copy.deepcopy(net), [], float('inf'), 0
    for epoch in range(max_epochs):
        train_epoch(twin, *train, lr)
        loss = mean_loss(twin, *val)
        losses.append(loss)
        if loss < best:
            best, waited, kept = loss, 0, copy.deepcopy(twin.state_dict())
        else:
            waited += 1
        if waited == patience:
            break
    net.load_state_dict(kept)
    return losses

# %% right="5.5.2" how="gradient descent, step by step"
def weight_after(w_star, lam, lr, steps):
    w = torch.zeros_like(w_star)
    for _ in range(steps):
        w = w - lr * lam * (w - w_star)
    return w

# %% right="5.5.2" how="what is still missing"
def weight_after(w_star, lam, lr, steps):
    return w_star - w_star * torch.pow(1 - lr * lam, steps)

# %% wrong="5.5.2" why="what is still missing" breaks="value" says="still missing"
def weight_after(w_star, lam, lr, steps):
    return (1 - lr * lam) ** steps * w_star if steps else torch.zeros_like(w_star)

# %% wrong="5.5.2" why="the share" breaks="value" says="multiply by the solution"
def weight_after(w_star, lam, lr, steps):
    return 1 - (1 - lr * lam) ** steps

# %% wrong="5.5.2" why="an exponential in place of the power" breaks="value" says="not the exponential"
def weight_after(w_star, lam, lr, steps):
    return (1 - torch.exp(-lr * lam * steps)) * w_star

# %% wrong="5.5.2" why="ridge regression" breaks="value" says="ridge regression's share"
def weight_after(w_star, lam, lr, steps):
    return lam * lr * steps / (lam * lr * steps + 1) * w_star

# %% wrong="5.5.2" why="starts at the solution for 0 steps" breaks="no step" says="0 steps"
def weight_after(w_star, lam, lr, steps):
    return (1 - (1 - lr * lam) ** steps) * w_star if steps else w_star

# %% wrong="5.5.2" why="one step too many" breaks="value" says="one step too many"
def weight_after(w_star, lam, lr, steps):
    return (1 - (1 - lr * lam) ** (steps + (steps > 0))) * w_star

# %% wrong="5.5.2" why="the absolute value of the factor" breaks="value" says="no absolute value"
def weight_after(w_star, lam, lr, steps):
    return (1 - (1 - lr * lam).abs() ** steps) * w_star

# %% wrong="5.5.2" why="the factor is cut off at 0" breaks="value" says="nothing is cut off"
def weight_after(w_star, lam, lr, steps):
    return (1 - (1 - lr * lam).clamp(min=0) ** steps) * w_star

# %% wrong="5.5.2" why="a factor 2 in the slope" breaks="value" says="without a factor 2"
def weight_after(w_star, lam, lr, steps):
    return (1 - (1 - 2 * lr * lam) ** steps) * w_star

# %% wrong="5.5.2" why="the factor cut off at -1 and 1" breaks="value" says="not cut off at -1"
def weight_after(w_star, lam, lr, steps):
    return (1 - (1 - lr * lam).clamp(-1, 1) ** steps) * w_star

# %% wrong="5.5.2" why="the sign without the power" breaks="value" says="An even power"
def weight_after(w_star, lam, lr, steps):
    return (1 - torch.exp(steps * torch.log((1 - lr * lam).abs())) * torch.sign(1 - lr * lam)) * w_star

# %% wrong="5.5.2" why="the mean curvature" breaks="value" says="the mean of all"
def weight_after(w_star, lam, lr, steps):
    return (1 - (1 - lr * lam.mean()) ** steps) * w_star

# %% right="5.5.2" how="power of a matrix"
def weight_after(w_star, lam, lr, steps):
    return w_star - torch.matrix_power(torch.eye(len(lam), dtype=lam.dtype) - lr * torch.diag(lam), steps) @ w_star

# %% right="5.5.4" how="remembers the best as it goes"
def stopping_gain(train, val, test, share, epochs, seed):
    labels, net = corrupt(train[1], share, 10, seed), make_network(196, 128, 10, seed)
    lowest, chosen = float("inf"), None
    for _ in range(epochs):
        train_epoch(net, train[0], labels, 0.2)
        now = mean_loss(net, *val)
        if now < lowest:
            lowest, chosen = now, accuracy(net, *test)
    return chosen, accuracy(net, *test)

# %% right="5.5.4" how="keeps copies of the networks, a tensor"
import copy

def stopping_gain(train, val, test, share, epochs, seed):
    labels, net, nets = corrupt(train[1], share, 10, seed), make_network(train[0].shape[1], 128, 10, seed), []
    for _ in range(epochs):
        train_epoch(net, train[0], labels, lr=0.2)
        nets.append(copy.deepcopy(net))
    best = min(nets, key=lambda one: mean_loss(one, *val))
    return torch.tensor([accuracy(best, *test), accuracy(net, *test)])

# %% wrong="5.5.4" why="chooses by the test accuracy" breaks="by validation loss" says="not to that of the best accuracy"
def stopping_gain(train, val, test, share, epochs, seed):
    X, y = train
    labels, net, accuracies = corrupt(y, share, 10, seed), make_network(X.shape[1], 128, 10, seed), []
    for _ in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
        accuracies.append(accuracy(net, *test))
    return max(accuracies), accuracies[-1]

# %% wrong="5.5.4" why="chooses by the training loss" breaks="by validation loss" says="validation labels drawn by lot"
def stopping_gain(train, val, test, share, epochs, seed):
    X, y = train
    labels, net, losses, accuracies = corrupt(y, share, 10, seed), make_network(X.shape[1], 128, 10, seed), [], []
    for _ in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
        losses.append(mean_loss(net, X, y))
        accuracies.append(accuracy(net, *test))
    return accuracies[losses.index(min(losses))], accuracies[-1]

# %% wrong="5.5.4" why="the true labels" breaks="share" says="trained on the corrupted labels"
def stopping_gain(train, val, test, share, epochs, seed):
    X, y = train
    net, losses, accuracies = make_network(X.shape[1], 128, 10, seed), [], []
    for _ in range(epochs):
        train_epoch(net, X, y, lr=0.2)
        losses.append(mean_loss(net, *val))
        accuracies.append(accuracy(net, *test))
    return accuracies[losses.index(min(losses))], accuracies[-1]

# %% wrong="5.5.4" why="always 0.4" breaks="share" says="share 0.0"
def stopping_gain(train, val, test, share, epochs, seed):
    X, y = train
    labels, net, losses, accuracies = corrupt(y, 0.4, 10, seed), make_network(X.shape[1], 128, 10, seed), [], []
    for _ in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
        losses.append(mean_loss(net, *val))
        accuracies.append(accuracy(net, *test))
    return accuracies[losses.index(min(losses))], accuracies[-1]

# %% wrong="5.5.4" why="accuracies on the validation pictures" breaks="by validation loss" says="the first number is the smaller one"
def stopping_gain(train, val, test, share, epochs, seed):
    X, y = train
    labels, net, losses, accuracies = corrupt(y, share, 10, seed), make_network(X.shape[1], 128, 10, seed), [], []
    for _ in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
        losses.append(mean_loss(net, *test))
        accuracies.append(accuracy(net, *test))
    return accuracies[losses.index(min(losses))], accuracies[-1]

# %% wrong="5.5.4" why="the page's sets in place of the arguments" breaks="at the end" says="the argument test"
def stopping_gain(train, val, test, share, epochs, seed):
    X, y = TRAIN
    labels, net, losses, accuracies = corrupt(y, share, 10, seed), make_network(X.shape[1], 128, 10, seed), [], []
    for _ in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
        losses.append(mean_loss(net, *val))
        accuracies.append(accuracy(net, *TEST))
    return accuracies[losses.index(min(losses))], accuracies[-1]

# %% wrong="5.5.4" why="60 epochs whatever was asked" breaks="at the end" says="after one epoch"
def stopping_gain(train, val, test, share, epochs, seed):
    X, y = train
    labels, net, losses, accuracies = corrupt(y, share, 10, seed), make_network(X.shape[1], 128, 10, seed), [], []
    for _ in range(60):
        train_epoch(net, X, labels, lr=0.2)
        losses.append(mean_loss(net, *val))
        accuracies.append(accuracy(net, *test))
    return accuracies[losses.index(min(losses))], accuracies[-1]

# %% wrong="5.5.4" why="the seed is fixed" breaks="seed" says="give different pairs"
def stopping_gain(train, val, test, share, epochs, seed):
    X, y = train
    labels, net, losses, accuracies = corrupt(y, share, 10, 4), make_network(X.shape[1], 128, 10, 4), [], []
    for _ in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
        losses.append(mean_loss(net, *val))
        accuracies.append(accuracy(net, *test))
    return accuracies[losses.index(min(losses))], accuracies[-1]

# %% wrong="5.5.4" why="the best validation accuracy" breaks="by validation loss" says="not an accuracy"
def stopping_gain(train, val, test, share, epochs, seed):
    labels = corrupt(train[1], share, 10, seed)
    net = make_network(196, 128, 10, seed)
    crits, accs = [], []
    for epoch in range(epochs):
        train_epoch(net, train[0], labels, lr=0.2)
        crits.append(-accuracy(net, *val))
        accs.append(accuracy(net, *test))
    best = crits.index(min(crits))
    return accs[best], accs[-1]

# %% wrong="5.5.4" why="test labels corrupted, too" breaks="recipe" says="test labels stay"
def stopping_gain(train, val, test, share, epochs, seed):
    test = (test[0], corrupt(test[1], share, 10, seed))
    labels = corrupt(train[1], share, 10, seed)
    net = make_network(196, 128, 10, seed)
    crits, accs = [], []
    for epoch in range(epochs):
        train_epoch(net, train[0], labels, lr=0.2)
        crits.append(mean_loss(net, *val))
        accs.append(accuracy(net, *test))
    best = crits.index(min(crits))
    return accs[best], accs[-1]

# %% wrong="5.5.4" why="0.4 for every share above 0" breaks="recipe" says="always 0.4"
def stopping_gain(train, val, test, share, epochs, seed):
    labels = corrupt(train[1], 0.4 if share else 0.0, 10, seed)
    net = make_network(196, 128, 10, seed)
    crits, accs = [], []
    for epoch in range(epochs):
        train_epoch(net, train[0], labels, lr=0.2)
        crits.append(mean_loss(net, *val))
        accs.append(accuracy(net, *test))
    best = crits.index(min(crits))
    return accs[best], accs[-1]

# %% wrong="5.5.4" why="the seed goes into corrupt alone" breaks="recipe" says="goes into make_network"
def stopping_gain(train, val, test, share, epochs, seed):
    labels = corrupt(train[1], share, 10, seed)
    net = make_network(196, 128, 10, 0)
    crits, accs = [], []
    for epoch in range(epochs):
        train_epoch(net, train[0], labels, lr=0.2)
        crits.append(mean_loss(net, *val))
        accs.append(accuracy(net, *test))
    best = crits.index(min(crits))
    return accs[best], accs[-1]

# %% wrong="5.5.4" why="the seed goes into make_network alone" breaks="recipe" says="goes into corrupt"
def stopping_gain(train, val, test, share, epochs, seed):
    labels = corrupt(train[1], share, 10, 0)
    net = make_network(196, 128, 10, seed)
    crits, accs = [], []
    for epoch in range(epochs):
        train_epoch(net, train[0], labels, lr=0.2)
        crits.append(mean_loss(net, *val))
        accs.append(accuracy(net, *test))
    best = crits.index(min(crits))
    return accs[best], accs[-1]

# %% wrong="5.5.4" why="16 hidden units" breaks="recipe" says="not 16"
def stopping_gain(train, val, test, share, epochs, seed):
    labels = corrupt(train[1], share, 10, seed)
    net = make_network(196, 16, 10, seed)
    crits, accs = [], []
    for epoch in range(epochs):
        train_epoch(net, train[0], labels, lr=0.2)
        crits.append(mean_loss(net, *val))
        accs.append(accuracy(net, *test))
    best = crits.index(min(crits))
    return accs[best], accs[-1]

# %% wrong="5.5.4" why="a learning rate of 0.1" breaks="recipe" says="not 0.1"
def stopping_gain(train, val, test, share, epochs, seed):
    labels = corrupt(train[1], share, 10, seed)
    net = make_network(196, 128, 10, seed)
    crits, accs = [], []
    for epoch in range(epochs):
        train_epoch(net, train[0], labels, lr=0.1)
        crits.append(mean_loss(net, *val))
        accs.append(accuracy(net, *test))
    best = crits.index(min(crits))
    return accs[best], accs[-1]

# %% wrong="5.5.4" why="the epoch before the best" breaks="recipe" says="epoch before"
def stopping_gain(train, val, test, share, epochs, seed):
    labels = corrupt(train[1], share, 10, seed)
    net = make_network(196, 128, 10, seed)
    crits, accs = [], []
    for epoch in range(epochs):
        train_epoch(net, train[0], labels, lr=0.2)
        crits.append(mean_loss(net, *val))
        accs.append(accuracy(net, *test))
    best = crits.index(min(crits))
    return accs[max(best - 1, 0)], accs[-1]

# %% wrong="5.5.4" why="one epoch too many" breaks="recipe" says="too many"
def stopping_gain(train, val, test, share, epochs, seed):
    labels = corrupt(train[1], share, 10, seed)
    net = make_network(196, 128, 10, seed)
    crits, accs = [], []
    for epoch in range(epochs + 1):
        train_epoch(net, train[0], labels, lr=0.2)
        crits.append(mean_loss(net, *val))
        accs.append(accuracy(net, *test))
    best = crits.index(min(crits))
    return accs[best], accs[-1]

# %% wrong="5.5.4" why="the weights are not copied" breaks="by validation loss" says="not the tensors themselves"
def stopping_gain(train, val, test, share, epochs, seed):
    labels = corrupt(train[1], share, 10, seed)
    net = make_network(196, 128, 10, seed)
    lowest = float("inf")
    for epoch in range(epochs):
        train_epoch(net, train[0], labels, lr=0.2)
        if mean_loss(net, *val) < lowest:
            lowest, kept = mean_loss(net, *val), net.state_dict()
    last = accuracy(net, *test)
    net.load_state_dict(kept)
    return accuracy(net, *test), last

# %% wrong="5.5.4" why="the untrained network takes part" breaks="by validation loss" says="does not take part"
def stopping_gain(train, val, test, share, epochs, seed):
    X, y = train
    labels = corrupt(y, share, 10, seed)
    net = make_network(196, 128, 10, seed)
    rows = [(mean_loss(net, *val), accuracy(net, *test))]
    for t in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
        rows.append((mean_loss(net, *val), accuracy(net, *test)))
    return min(rows)[1], rows[-1][1]

# %% wrong="5.5.4" why="the best of a run with patience 10" breaks="by validation loss" says="comes late"
def stopping_gain(train, val, test, share, epochs, seed):
    X, y = train
    labels = corrupt(y, share, 10, seed)
    net = make_network(196, 128, 10, seed)
    rows = []
    for t in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
        rows.append((mean_loss(net, *val), accuracy(net, *test)))
    best = 0
    for t in range(epochs):
        if rows[t] < rows[best]:
            best = t
        if t - best >= 10:
            break
    return rows[best][1], rows[-1][1]

# %% wrong="5.5.4" why="leaves the first five epochs out" breaks="by validation loss" says="the first one, too"
def stopping_gain(train, val, test, share, epochs, seed):
    X, y = train
    labels = corrupt(y, share, 10, seed)
    net = make_network(196, 128, 10, seed)
    rows = []
    for t in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
        rows.append((mean_loss(net, *val), accuracy(net, *test)))
    return min(rows[5:] or rows)[1], rows[-1][1]

# %% wrong="5.5.4" why="at most 40 epochs" breaks="at the end" says="All 44 epochs"
def stopping_gain(train, val, test, share, epochs, seed):
    X, y = train
    labels = corrupt(y, share, 10, seed)
    net = make_network(196, 128, 10, seed)
    rows = []
    for t in range(min(epochs, 40)):
        train_epoch(net, X, labels, lr=0.2)
        rows.append((mean_loss(net, *val), accuracy(net, *test)))
    return min(rows)[1], rows[-1][1]

# %% right="5.5.5" how="counts what is saved"
def share_saved(best_epochs, patience, max_epochs):
    saved = [max(0, max_epochs - 1 - patience - best) for best in best_epochs]
    return sum(saved) / (max_epochs * len(saved))

# %% right="5.5.5" how="a tensor"
def share_saved(best_epochs, patience, max_epochs):
    trained = (torch.tensor(best_epochs, dtype=torch.float64) + patience + 1).clamp(max=max_epochs)
    return 1 - (trained / max_epochs).mean()

# %% wrong="5.5.5" why="counts from 1" breaks="value" says="best epoch 4"
def share_saved(best_epochs, patience, max_epochs):
    trained = sum(min(best + patience, max_epochs) if best + patience + 1 < max_epochs else max_epochs for best in best_epochs)
    return 1 - trained / (len(best_epochs) * max_epochs)

# %% wrong="5.5.5" why="the patience is free" breaks="value" says="epochs of the patience are trained"
def share_saved(best_epochs, patience, max_epochs):
    trained = sum(best + 1 if best + patience + 1 < max_epochs else max_epochs for best in best_epochs)
    return 1 - trained / (len(best_epochs) * max_epochs)

# %% wrong="5.5.5" why="the number of epochs" breaks="value" says="values differ"
def share_saved(best_epochs, patience, max_epochs):
    return len(best_epochs) * max_epochs - sum(min(best + patience + 1, max_epochs) for best in best_epochs)

# %% wrong="5.5.5" why="runs longer than the maximum" breaks="to the end" says="has 10, not 12"
def share_saved(best_epochs, patience, max_epochs):
    trained = sum(best + patience + 1 for best in best_epochs)
    return 1 - trained / (len(best_epochs) * max_epochs)

# %% wrong="5.5.5" why="the share that is trained" breaks="value" says="share that is trained"
def share_saved(best_epochs, patience, max_epochs):
    trained = sum(min(best + patience + 1, max_epochs) for best in best_epochs)
    return trained / (len(best_epochs) * max_epochs)

# %% wrong="5.5.5" why="equal best epochs counted once" breaks="value" says="are two runs"
def share_saved(best_epochs, patience, max_epochs):
    runs = set(best_epochs)
    return 1 - sum(min(b + 1 + patience, max_epochs) for b in runs) / (len(runs) * max_epochs)

# %% wrong="5.5.5" why="the first run alone" breaks="value" says="not the first alone"
def share_saved(best_epochs, patience, max_epochs):
    return 1 - min(best_epochs[0] + 1 + patience, max_epochs) / max_epochs

# %% wrong="5.5.5" why="runs to the end left out" breaks="to the end" says="counts as well"
def share_saved(best_epochs, patience, max_epochs):
    runs = [b for b in best_epochs if b + 1 + patience < max_epochs]
    return 1 - sum(b + 1 + patience for b in runs) / (len(runs) * max_epochs) if runs else 0.0

# %% wrong="5.5.5" why="the share of the trained epochs" breaks="value" says="not of those that are trained"
def share_saved(best_epochs, patience, max_epochs):
    t = sum(min(b + 1 + patience, max_epochs) for b in best_epochs)
    return (len(best_epochs) * max_epochs - t) / t

# %% wrong="5.5.5" why="the run in the middle for all" breaks="value" says="one in the middle"
def share_saved(best_epochs, patience, max_epochs):
    m = sorted(best_epochs)[len(best_epochs) // 2]
    return 1 - min(m + 1 + patience, max_epochs) / max_epochs

# %% wrong="5.5.A" why="something added with share 0" breaks="ends" says="nothing is added to 1"
def share_right(share, q):
    return (1 - share) + (1 - share) / q

# %% wrong="5.5.A" why="1/q for every share above 0" breaks="between" says="This is 1/q"
def share_right(share, q):
    return 1.0 if share == 0 else 1 / q

# %% wrong="5.5.A" why="always ten classes" breaks="ends" says="q is an argument"
def share_right(share, q):
    return 1 - 0.9 * share

# %% wrong="5.5.6" why="sets the seed in each epoch" breaks="recipe" says="the seed plus the epoch"
def memorise(train, test, share, width, epochs, seed):
    X, y = train
    labels = corrupt(y, share, 10, seed)
    net = make_network(196, width, 10, seed)
    for epoch in range(epochs):
        torch.manual_seed(seed + epoch)
        train_epoch(net, X, labels, lr=0.2)
    return accuracy(net, X, labels), accuracy(net, *test)

# %% wrong="5.5.6" why="train_epoch on pieces of 40" breaks="recipe" says="makes the batches of 40"
def memorise(train, test, share, width, epochs, seed):
    X, y = train
    labels = corrupt(y, share, 10, seed)
    net = make_network(196, width, 10, seed)
    for _ in range(epochs):
        for rows in torch.randperm(len(X)).split(40):
            train_epoch(net, X[rows], labels[rows], lr=0.2)
    return accuracy(net, X, labels), accuracy(net, *test)

# %% wrong="5.5.6" why="a rate that falls" breaks="recipe" says="stays 0.2"
def memorise(train, test, share, width, epochs, seed):
    X, y = train
    labels = corrupt(y, share, 10, seed)
    net = make_network(196, width, 10, seed)
    lr = 0.2
    for _ in range(epochs):
        train_epoch(net, X, labels, lr=lr)
        lr *= 0.95
    return accuracy(net, X, labels), accuracy(net, *test)

# %% wrong="5.5.B" why="a list of tensors" breaks="shape" says="in one tensor"
def nearest_labels(X, y, queries):
    return [y[(X - q).norm(dim=1).argmin()] for q in queries]

# %% wrong="5.5.7" why="a small penalty" breaks="smallest error" says="ridge regression with the penalty"
def smallest_fit(A, y):
    return torch.linalg.solve(A.T @ A + 1e-3 * torch.eye(A.shape[1], dtype=A.dtype), A.T @ y)

# %% wrong="5.5.1" why="the sign of b" breaks="exact" says="b has the other sign"
def exact_network(X, y):
    a = torch.randn(X.shape[1], dtype=X.dtype, generator=torch.Generator().manual_seed(3))
    z, order = (X @ a).sort()
    b = torch.cat([z[:1] - 1, z[:-1]])
    return a, -b, torch.linalg.solve(torch.relu(z[:, None] - b), y[order])

# %% wrong="5.5.3b" why="stops at the first rise" breaks="stop" says="the patience is 3"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, kept = [], None
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr=lr)
        losses.append(mean_loss(net, *val))
        if losses[-1] == min(losses):
            kept = {k: v.clone() for k, v in net.state_dict().items()}
        if len(losses) > 1 and losses[-1] > losses[-2]:
            break
    net.load_state_dict(kept)
    return losses

# %% wrong="5.5.3b" why="compares with the epoch before" breaks="stop" says="only lower than the one before"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, kept, waited = [], None, 0
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr=lr)
        losses.append(mean_loss(net, *val))
        if losses[-1] == min(losses):
            kept = {k: v.clone() for k, v in net.state_dict().items()}
        waited = 0 if len(losses) < 2 or losses[-1] < losses[-2] else waited + 1
        if waited == patience:
            break
    net.load_state_dict(kept)
    return losses

# %% wrong="5.5.3b" why="hands back the list up to the best epoch" breaks="stop" says="ends with its lowest loss"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, at, kept = [], 0, None
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr=lr)
        losses.append(mean_loss(net, *val))
        if losses[-1] < losses[at] or epoch == 0:
            at, kept = epoch, {k: v.clone() for k, v in net.state_dict().items()}
        elif epoch - at == patience:
            break
    net.load_state_dict(kept)
    return losses[:at + 1]

# %% wrong="5.5.3b" why="puts the best weights back only where the patience is used up" breaks="restored" says="also where all of max_epochs"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, at, kept = [], 0, None
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr=lr)
        losses.append(mean_loss(net, *val))
        if epoch == 0 or losses[-1] < losses[at]:
            at, kept = epoch, {k: v.clone() for k, v in net.state_dict().items()}
        elif epoch - at == patience:
            net.load_state_dict(kept)
            break
    return losses

# %% wrong="5.5.2" why="a power of ηλ" breaks="value" says="neither ηλ"
def weight_after(w_star, lam, lr, steps):
    return (1 - (lr * lam) ** steps) * w_star

# %% wrong="5.5.4" why="the first loss before a rise" breaks="by validation loss" says="followed by a rise"
def stopping_gain(train, val, test, share, epochs, seed):
    labels, net = corrupt(train[1], share, 10, seed), make_network(196, 128, 10, seed)
    accs, vals = [], []
    for _ in range(epochs):
        train_epoch(net, train[0], labels, lr=0.2)
        accs.append(accuracy(net, *test))
        vals.append(mean_loss(net, *val))
    at = next((i for i in range(len(vals) - 1) if vals[i + 1] > vals[i]), len(vals) - 1)
    return accs[at], accs[-1]

# %% wrong="5.5.4" why="the validation labels corrupted as well" breaks="recipe" says="The validation labels stay"
def stopping_gain(train, val, test, share, epochs, seed):
    labels, net = corrupt(train[1], share, 10, seed), make_network(196, 128, 10, seed)
    noisy = corrupt(val[1], share, 10, seed)
    accs, vals = [], []
    for _ in range(epochs):
        train_epoch(net, train[0], labels, lr=0.2)
        accs.append(accuracy(net, *test))
        vals.append(mean_loss(net, val[0], noisy))
    return accs[vals.index(min(vals))], accs[-1]

# %% wrong="5.5.A" why="half-way between the ends for every share" breaks="between" says="Between them nothing is bent"
def share_right(share, q):
    return 1 if share == 0 else (1 + 1 / q) / 2 if share < 1 else 1 / q

# %% wrong="5.5.B" why="compares the lengths" breaks="nearest" says="not the difference of their lengths"
def nearest_labels(X, y, queries):
    return y[(queries.norm(dim=1)[:, None] - X.norm(dim=1)).abs().argmin(dim=1)]

# %% wrong="5.5.7" why="the normal equations" breaks="smallest error" says="`A.T @ A` none if"
def smallest_fit(A, y):
    return torch.linalg.solve(A.T @ A, A.T @ y)

# %% right="5.5.7" how="singular values by hand"
def smallest_fit(A, y):
    U, S, Vh = torch.linalg.svd(A, full_matrices=False)
    keep = S > 1e-10 * S.max()
    return Vh[keep].T @ ((U[:, keep].T @ y) / S[keep])

# %% wrong="5.5.C" why="binds the name net to a copy" breaks="restored" says="nothing is written into this network"
def go_back_after(net, change):
    import copy
    old = copy.deepcopy(net)
    result = change(net)
    net = old
    return result

# %% wrong="5.5.3b" why="the untrained network is the first best one" breaks="stop" says="the untrained network"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, best, waited = [], mean_loss(net, *val), 0
    kept = {k: v.clone() for k, v in net.state_dict().items()}
    for epoch in range(max_epochs):
        train_epoch(net, *train, lr)
        losses.append(mean_loss(net, *val))
        if losses[-1] < best:
            best, waited = losses[-1], 0
            kept = {k: v.clone() for k, v in net.state_dict().items()}
        else:
            waited += 1
            if waited == patience:
                break
    net.load_state_dict(kept)
    return losses

# %% wrong="5.5.2" why="the curvature multiplies w alone" breaks="value" says="λ multiplies w alone"
def weight_after(w_star, lam, lr, steps):
    w = torch.zeros_like(w_star)
    for _ in range(steps):
        w = w - lr * (lam * w - w_star)
    return w

# %% wrong="5.5.5" why="cuts the fraction off" breaks="value" says="nothing is saved"
def share_saved(best_epochs, patience, max_epochs):
    saved = sum(max(max_epochs - b - 1 - patience, 0) for b in best_epochs)
    return saved // (len(best_epochs) * max_epochs)

# %% wrong="5.5.5" why="the mean of the best epochs for every run" breaks="to the end" says="Each run by itself"
def share_saved(best_epochs, patience, max_epochs):
    mean = sum(best_epochs) / len(best_epochs)
    return 1 - min(mean + 1 + patience, max_epochs) / max_epochs

# %% wrong="5.5.2" why="a rate that falls" breaks="value" says="the same in all steps"
def weight_after(w_star, lam, lr, steps):
    w = torch.zeros_like(w_star)
    for t in range(steps):
        w = w - lr / (t + 1) * lam * (w - w_star)
    return w

# %% wrong="5.5.7" why="one step of a descent along A.T @ y" breaks="smallest error" says="is missed by"
def smallest_fit(A, y):
    return A.T @ y / (A ** 2).sum()

# %% wrong="5.5.B" why="the nearest query for each row" breaks="shape" says="a label for each known row"
def nearest_labels(X, y, queries):
    return y[torch.cdist(X, queries).argmin(dim=1)]

# %% wrong="5.5.7" why="a solver for independent columns" breaks="smallest error" says="fails where they are not"
def smallest_fit(A, y):
    return torch.linalg.lstsq(A, y[:, None], driver="gels").solution[:, 0]

# %% wrong="5.5.3b" why="the count is never set back" breaks="stop" says="but not in a row"
def train_until(net, train, val, lr, patience, max_epochs):
    losses, best, kept, waited = [], float("inf"), None, 0
    for _ in range(max_epochs):
        train_epoch(net, *train, lr)
        losses.append(mean_loss(net, *val))
        if losses[-1] < best:
            best = losses[-1]
            kept = {k: v.clone() for k, v in net.state_dict().items()}
        else:
            waited += 1
            if waited == patience:
                break
    net.load_state_dict(kept)
    return losses

# %% wrong="5.5.4" why="the gain in place of the second accuracy" breaks="at the end" says="no difference of the two"
def stopping_gain(train, val, test, share, epochs, seed):
    labels = corrupt(train[1], share, 10, seed)
    net = make_network(196, 128, 10, seed)
    losses, accs = [], []
    for e in range(epochs):
        train_epoch(net, train[0], labels, lr=0.2)
        losses.append(mean_loss(net, *val))
        accs.append(accuracy(net, *test))
    best = accs[losses.index(min(losses))]
    return best, best - accs[-1]

# %% wrong="5.5.A" why="straight line between 1 and 1/q taken in the wrong direction" breaks="ends" says="the probability that a label is drawn anew, not that it is left alone"
def share_right(share, q):
    return share + (1 - share) / q

# %% wrong="5.5.C" why="result is lost" breaks="called" says="This is what `load_state_dict` returns"
def go_back_after(net, change):
    kept = {name: T.clone() for name, T in net.state_dict().items()}
    change(net)
    return net.load_state_dict(kept)

# %% right="5.5.7" how="lstsq with the default driver"
def smallest_fit(A, y):
    return torch.linalg.lstsq(A, y[:, None]).solution[:, 0]

# %% wrong="5.5.A" why="rounds the product down" breaks="ends" says="three in four miss"
def share_right(share, q):
    return 1 - share * (q - 1) // q

# %% wrong="5.5.A" why="the greater of the two" breaks="between" says="not in their place"
def share_right(share, q):
    return max(1 - share, 1 / q)

# %% wrong="5.5.6" why="trains on the changed labels only" breaks="recipe" says="as if nothing had been learnt"
def memorise(train, test, share, width, epochs, seed):
    X, y = train
    labels = corrupt(y, share, 10, seed)
    changed = labels != y
    net = make_network(196, width, 10, seed)
    for _ in range(epochs):
        if changed.any():
            train_epoch(net, X[changed], labels[changed], lr=0.2)
    return accuracy(net, X, labels), accuracy(net, *test)

# %% wrong="5.5.6" why="measures on the changed labels only" breaks="recipe" says="not of those alone whose label was changed"
def memorise(train, test, share, width, epochs, seed):
    X, y = train
    labels = corrupt(y, share, 10, seed)
    net = make_network(196, width, 10, seed)
    for _ in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
    changed = labels != y
    first = accuracy(net, X[changed], labels[changed]) if changed.any() else accuracy(net, X, labels)
    return first, accuracy(net, *test)

# %% wrong="5.5.6" why="standardises the pictures once more" breaks="recipe" says="do not standardise"
def memorise(train, test, share, width, epochs, seed):
    X, y = train
    mean, std = X.mean(), X.std()
    X = (X - mean) / std
    labels = corrupt(y, share, 10, seed)
    net = make_network(X.shape[1], width, 10, seed)
    for _ in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
    return accuracy(net, X, labels), accuracy(net, (test[0] - mean) / std, test[1])

# %% wrong="5.5.6" why="the means over the epochs" breaks="recipe" says="not the means over the epochs"
def memorise(train, test, share, width, epochs, seed):
    X, y = train
    labels = corrupt(y, share, 10, seed)
    net = make_network(196, width, 10, seed)
    a, b = 0.0, 0.0
    for _ in range(epochs):
        train_epoch(net, X, labels, lr=0.2)
        a += accuracy(net, X, labels) / epochs
        b += accuracy(net, *test) / epochs
    return a, b

# %% wrong="5.5.6" why="one step for all pictures in each epoch" breaks="recipe" says="with all pictures at once"
def memorise(train, test, share, width, epochs, seed):
    X, y = train
    labels = corrupt(y, share, 10, seed)
    net = make_network(196, width, 10, seed)
    opt = torch.optim.SGD(net.parameters(), lr=0.2)
    for _ in range(epochs):
        opt.zero_grad()
        F.cross_entropy(net(X), labels).backward()
        opt.step()
    return accuracy(net, X, labels), accuracy(net, *test)

# %% wrong="5.5.7" why="throws copies of a row away" breaks="smallest error" says="Of the equations with equal left sides"
def smallest_fit(A, y):
    keep, seen = [], set()
    for i, row in enumerate(A.tolist()):
        if tuple(row) not in seen:
            seen.add(tuple(row))
            keep.append(i)
    return torch.linalg.pinv(A[keep]) @ y[keep]

# %% wrong="5.5.7" why="an intercept, which is dropped" breaks="smallest error" says="no constant is added"
def smallest_fit(A, y):
    return torch.linalg.pinv(A - A.mean(dim=0)) @ (y - y.mean())

# %% wrong="5.5.7" why="a descent from a random start" breaks="smallest norm" says="is there a random start"
def smallest_fit(A, y):
    w = torch.randn(A.shape[1], dtype=A.dtype)
    lr = 1 / torch.linalg.matrix_norm(A, 2) ** 2
    for _ in range(5000):
        w = w - lr * A.T @ (A @ w - y)
    return w

# %% wrong="5.5.3a" why="compares with the loss of patience epochs ago" breaks="stop" says="not with the loss of `patience` epochs before"
def stopping_point(losses, patience, epsilon):
    stop = len(losses) - 1
    for e in range(patience, len(losses)):
        if losses[e] >= losses[e - patience] - epsilon:
            stop = e
            break
    seen = losses[:stop + 1]
    return stop, seen.index(min(seen))

# %% wrong="5.5.3a" why="progress lowers the reference by epsilon" breaks="epsilon" says="not the old reference less"
def stopping_point(losses, patience, epsilon):
    ref, waited, stop = losses[0], 0, len(losses) - 1
    for e, loss in enumerate(losses[1:], 1):
        if ref - loss > epsilon:
            ref, waited = (ref - epsilon if epsilon else loss), 0
        else:
            waited += 1
        if waited == patience:
            stop = e
            break
    seen = losses[:stop + 1]
    return stop, seen.index(min(seen))

# %% wrong="5.5.A" why="adds a lucky 1/q whatever the share, capped at 1" breaks="between" says="drawn anew, not of all"
def share_right(share, q):
    return min(1.0, 1 - share + 1 / q)

# %% wrong="5.5.6" why="sets the same seed before every epoch" breaks="recipe" says="one order in every epoch"
def memorise(train, test, share, width, epochs, seed):
    X, y = train
    labels = corrupt(y, share, 10, seed)
    net = make_network(196, width, 10, seed)
    for epoch in range(epochs):
        torch.manual_seed(seed)
        train_epoch(net, X, labels, lr=0.2)
    return accuracy(net, X, labels), accuracy(net, *test)

# %% wrong="5.5.6" why="one epoch too few" breaks="recipe" says="not trained at all"
def memorise(train, test, share, width, epochs, seed):
    labels, net = corrupt(train[1], share, 10, seed), make_network(196, width, 10, seed)
    for epoch in range(1, epochs):
        train_epoch(net, train[0], labels, lr=0.2)
    return accuracy(net, train[0], labels), accuracy(net, *test)

# %% wrong="5.5.7" why="a penalty of 0.001" breaks="smallest error" says="the penalty λ = 0.001"
def smallest_fit(A, y):
    p = A.shape[1]
    return torch.linalg.solve(A.T @ A + 1e-3 * torch.eye(p, dtype=A.dtype), A.T @ y)

# %% wrong="5.5.7" why="a pseudo-inverse with a tolerance of a tenth" breaks="smallest error" says="Is a tolerance set too high"
def smallest_fit(A, y):
    return torch.linalg.pinv(A, rtol=0.1) @ y

# %% wrong="5.5.1" why="evenly spaced bends, whatever the points" breaks="exact" says="the bends go by the z of the rows"
def exact_network(X, y):
    a = torch.randn(X.shape[1], dtype=X.dtype, generator=torch.Generator().manual_seed(1))
    z = X @ a
    n = len(y)
    b = z.min() - 1 + (z.max() - z.min() + 1) * torch.arange(n, dtype=X.dtype) / n
    v = torch.linalg.pinv(torch.relu(z[:, None] - b)) @ y
    return a, b, v

# %% wrong="5.5.1" why="direction is the first coordinate: rows with an equal first entry collide" breaks="exact" says="with your direction two rows have the same z"
def exact_network(X, y):
    n, d = X.shape
    a = torch.zeros(d, dtype=X.dtype)
    a[0] = 1.0
    z = X @ a
    s = z.sort().values
    b = torch.cat([s[:1] - 1, s[:-1]])
    M = torch.relu(z[:, None] - b[None, :])
    v = torch.linalg.solve(M, y)
    return a, b, v
