# %% right="4.4.1a" how="a loop over the rows"
def softmax_health(X):
    verdicts = []
    for row in X:
        found, right = d2l.softmax(row[None]), torch.softmax(row[None].double(), 1)
        if not torch.isfinite(found).all():
            verdicts.append(2)
        else:
            verdicts.append(int((found.double() - right).abs().max() > 1e-4))
    return verdicts

# %% right="4.4.1a" how="the bare formula in float64, where 600 is still safe"
def softmax_health(X):
    found, right = d2l.softmax(X), d2l.softmax(X.double())
    bad = found.isnan().any(1) | found.isinf().any(1)
    return 2 * bad.int() + (~bad & ((found - right).abs() > 1e-4).any(1)).int()

# %% wrong="4.4.1a" why="looks for nan only" says="At -100 all entries are finite. Are they right?"
def softmax_health(X):
    return 2 * (~d2l.softmax(X).isfinite().all(dim=1)).long()

# %% wrong="4.4.1a" why="judges by the largest score, as a test for overflow does" says="the verdicts for the shifts"
def softmax_health(X):
    return 2 * (X.max(dim=1).values > 88.7).long()

# %% wrong="4.4.1a" why="judges by the rows' sums" says="At -100 all entries are finite"
def softmax_health(X):
    sums = d2l.softmax(X).sum(dim=1)
    return torch.where(sums.isfinite(), ((sums - 1).abs() > 1e-4).long(), 2)

# %% wrong="4.4.1a" why="relative differences" says="harmless"
def softmax_health(X):
    found, right = d2l.softmax(X), torch.softmax(X.double(), dim=1)
    off = ((found - right).abs() > 1e-4 * right).any(dim=1)
    return torch.where(found.isfinite().all(dim=1), off.long(), 2)

# %% wrong="4.4.1a" why="one verdict for the whole batch" says="the verdicts for the shifts"
def softmax_health(X):
    found, right = d2l.softmax(X), torch.softmax(X.double(), dim=1)
    verdict = 2 if not found.isfinite().all() else int(((found - right).abs() > 1e-4).any())
    return [verdict] * len(X)

# %% wrong="4.4.1a" why="the first entry stands for the row" says="whose exp is finite and whose sum is not"
def softmax_health(X):
    found, right = d2l.softmax(X), torch.softmax(X.double(), dim=1)
    off = ((found - right).abs() > 1e-4)[:, 0]
    finite = found.isfinite().all(dim=1) & (X.exp().sum(dim=1) < math.inf)
    return torch.where(finite, off.long(), 2)

# %% right="4.4.1b" how="torch.softmax"
def stable_softmax(X):
    return torch.softmax(X, dim=1)

# %% right="4.4.1b" how="exp of X minus logsumexp"
def stable_softmax(X):
    return (X - torch.logsumexp(X, dim=1, keepdim=True)).exp()

# %% right="4.4.1b" how="row by row"
def stable_softmax(X):
    rows = []
    for row in X:
        e = torch.exp(row - row.max())
        rows.append(e / e.sum())
    return torch.stack(rows)

# %% wrong="4.4.1b" why="the bare formula" says="equal scores of 100"
def stable_softmax(X):
    return torch.exp(X) / torch.exp(X).sum(1, keepdim=True)

# %% wrong="4.4.1b" why="the largest of the whole batch" says="subtracted, from that row"
def stable_softmax(X):
    e = torch.exp(X - X.max())
    return e / e.sum(1, keepdim=True)

# %% wrong="4.4.1b" why="a check for overflow, none for underflow" says="rows of very different size"
def stable_softmax(X):
    shift = X.max(dim=1, keepdim=True).values
    e = torch.exp(X - torch.where(shift > 80, shift, 0))
    return e / e.sum(1, keepdim=True)

# %% wrong="4.4.1b" why="cuts the scores at 80" says="the probabilities for scores"
def stable_softmax(X):
    e = torch.exp(X.clamp(-80, 80))
    return e / e.sum(1, keepdim=True)

# %% wrong="4.4.1b" why="subtracts the mean of the row" says="the probabilities for scores"
def stable_softmax(X):
    e = torch.exp(X - X.mean(dim=1, keepdim=True))
    return e / e.sum(1, keepdim=True)

# %% wrong="4.4.1b" why="the largest of the column, which works on some square matrices" says="differ"
def stable_softmax(X):
    e = torch.exp(X - X.max(dim=0).values)
    return e / e.sum(1, keepdim=True)

# %% wrong="4.4.1b" why="float64 inside, which only moves the limit" says="equal scores of 100"
def stable_softmax(X):
    e = torch.exp(X.double())
    return (e / e.sum(1, keepdim=True)).to(X.dtype)

# %% wrong="4.4.1b" why="subtracts in place and changes the argument" says="Did you subtract in place"
def stable_softmax(X):
    X -= X.max(dim=1, keepdim=True).values
    e = X.exp()
    return e / e.sum(1, keepdim=True)

# %% wrong="4.4.1b" why="nan replaced by equal probabilities" says="differ"
def stable_softmax(X):
    e = torch.exp(X)
    P = e / e.sum(1, keepdim=True)
    return torch.where(P.isnan(), 1 / X.shape[1], P)

# %% right="4.4.2a" how="where"
def one_hot_cross_entropy(Y_hat, Y):
    safe = torch.where(Y > 0, Y_hat, 1.0)
    return -(Y * safe.log()).sum() / len(Y)

# %% right="4.4.2a" how="a mask, then a sum"
def one_hot_cross_entropy(Y_hat, Y):
    used = Y != 0
    return (-(Y[used] * torch.log(Y_hat[used]))).sum() / Y.shape[0]

# %% wrong="4.4.2a" why="no minus sign, as the exercise is printed" says="The minus sign is missing"
def one_hot_cross_entropy(Y_hat, Y):
    return torch.xlogy(Y, Y_hat).sum(dim=1).mean()

# %% wrong="4.4.2a" why="0 times log 0" says="Is 0 · log 0 counted as 0?"
def one_hot_cross_entropy(Y_hat, Y):
    return -(Y * torch.log(Y_hat)).sum(dim=1).mean()

# %% wrong="4.4.2a" why="the mean over all entries" says="the mean over all entries, not over the rows"
def one_hot_cross_entropy(Y_hat, Y):
    return -torch.xlogy(Y, Y_hat).mean()

# %% wrong="4.4.2a" why="a sum over the rows" says="the sum of the rows, not the mean"
def one_hot_cross_entropy(Y_hat, Y):
    return -torch.xlogy(Y, Y_hat).sum()

# %% wrong="4.4.2a" why="soft labels are made hard" says="both of its classes count"
def one_hot_cross_entropy(Y_hat, Y):
    return -Y_hat[torch.arange(len(Y)), Y.argmax(dim=1)].log().mean()

# %% wrong="4.4.2a" why="probabilities bounded at 1e-8" says="A bound on the probabilities"
def one_hot_cross_entropy(Y_hat, Y):
    return -(Y * Y_hat.clamp(min=1e-8).log()).sum(dim=1).mean()

# %% wrong="4.4.2a" why="takes them for logits" says="a sure row and one at 1/4"
def one_hot_cross_entropy(Y_hat, Y):
    return F.cross_entropy(Y_hat, Y)

# %% wrong="4.4.2a" why="replaces nan and infinity by 0" says="That loss is infinite"
def one_hot_cross_entropy(Y_hat, Y):
    return -(Y * Y_hat.log()).nan_to_num(nan=0.0, neginf=0.0).sum(dim=1).mean()

# %% wrong="4.4.2a" why="writes into the probabilities" says="the argument Y_hat after the call"
def one_hot_cross_entropy(Y_hat, Y):
    Y_hat[Y == 0] = 1.0
    return -(Y * Y_hat.log()).sum(dim=1).mean()

# %% right="4.4.2b" how="from tensors without data"
def label_costs(n, k):
    index = torch.empty(n, dtype=torch.int64, device="meta")
    one_hot = torch.empty(n, k, device="meta")
    return {"index": [index.numel(), index.nbytes], "one_hot": [one_hot.numel(), one_hot.nbytes]}

# %% right="4.4.2b" how="bits divided by 8"
def label_costs(n, k):
    return dict(index=(n, n * 64 // 8), one_hot=(k * n, k * n * 32 // 8))

# %% wrong="4.4.2b" why="entries, not bytes" says="int64 takes 8 bytes"
def label_costs(n, k):
    return {"index": (n, n), "one_hot": (n * k, n * k)}

# %% wrong="4.4.2b" why="bits, not bytes" says="These are bits"
def label_costs(n, k):
    return {"index": (n, 64 * n), "one_hot": (n * k, 32 * n * k)}

# %% wrong="4.4.2b" why="one-hot labels as int64" says="float32 takes 4 bytes"
def label_costs(n, k):
    return {"index": (n, 8 * n), "one_hot": (n * k, 8 * n * k)}

# %% wrong="4.4.2b" why="the zeros need no logarithm" says="The logarithm is taken of every probability"
def label_costs(n, k):
    return {"index": (n, 8 * n), "one_hot": (n, 4 * n * k)}

# %% wrong="4.4.2b" why="ten classes whatever k is" says="k = 3"
def label_costs(n, k):
    return {"index": (n, 8 * n), "one_hot": (n * 10, 4 * n * 10)}

# %% right="4.4.2c" how="F.cross_entropy with probabilities"
def cross_entropy_from_logits(O, Y):
    return F.cross_entropy(O, Y)

# %% right="4.4.2c" how="log_softmax"
def cross_entropy_from_logits(O, Y):
    return -(Y * torch.log_softmax(O, dim=1)).sum() / len(O)

# %% right="4.4.2c" how="logsumexp minus the score of the label, for rows that add up to 1"
def cross_entropy_from_logits(O, Y):
    shifted = O - O.max(dim=1, keepdim=True).values.detach()
    return (torch.logsumexp(shifted, dim=1) - (Y * shifted).sum(dim=1)).mean()

# %% wrong="4.4.2c" why="the logarithm of the softmax" says="must not go through it"
def cross_entropy_from_logits(O, Y):
    return -(Y * torch.log(torch.softmax(O, dim=1))).sum(dim=1).mean()

# %% wrong="4.4.2c" why="a small number under the logarithm" says="scores -1000 and 1000, label 0"
def cross_entropy_from_logits(O, Y):
    return -(Y * torch.log(torch.softmax(O, dim=1) + 1e-12)).sum(dim=1).mean()

# %% wrong="4.4.2c" why="the shift is not added back" says="differ"
def cross_entropy_from_logits(O, Y):
    largest = O.max(dim=1, keepdim=True).values
    log_sum = torch.log(torch.exp(O - largest).sum(dim=1, keepdim=True))
    return (Y * (log_sum - O)).sum(dim=1).mean()

# %% wrong="4.4.2c" why="the largest score of the whole batch" says="differ"
def cross_entropy_from_logits(O, Y):
    largest = O.max()
    log_sum = largest + torch.log(torch.exp(O - largest).sum(dim=1, keepdim=True))
    return (Y * (log_sum - O)).sum(dim=1).mean()

# %% wrong="4.4.2c" why="detached from the graph" says="is the value detached"
def cross_entropy_from_logits(O, Y):
    with torch.no_grad():
        return -(Y * torch.log_softmax(O, dim=1)).sum(dim=1).mean()

# %% wrong="4.4.2c" why="the shift detached, but added back, which loses a part of the gradient" says="the gradient for"
def cross_entropy_from_logits(O, Y):
    largest = O.max(dim=1, keepdim=True).values
    log_sum = largest.detach() + torch.log(torch.exp(O - largest).sum(dim=1, keepdim=True))
    return (Y * (log_sum - O)).sum(dim=1).mean()

# %% wrong="4.4.2c" why="the mean over all entries" says="not over the rows"
def cross_entropy_from_logits(O, Y):
    return -(Y * torch.log_softmax(O, dim=1)).mean()

# %% wrong="4.4.2c" why="soft labels made hard" says="soft labels"
def cross_entropy_from_logits(O, Y):
    return F.cross_entropy(O, Y.argmax(dim=1))

# %% right="4.4.3" how="the right place among the sorted sick"
def recall_threshold(p, sick, recall):
    of_sick = p[sick.bool()].sort(descending=True).values
    needed = math.ceil(recall * len(of_sick) - 1e-9)
    return of_sick[needed - 1].item()

# %% right="4.4.3" how="max over a list comprehension"
def recall_threshold(p, sick, recall):
    number = int(sick.sum())
    return max(t for t in p.tolist() if int(((p >= t) & (sick == 1)).sum()) >= recall * number)

# %% wrong="4.4.3" why="one half, the most probable label" says="The most probable label is not asked for"
def recall_threshold(p, sick, recall):
    return torch.tensor(0.5)

# %% wrong="4.4.3" why="the share of all people" says="half of all people, not of the sick"
def recall_threshold(p, sick, recall):
    ordered = p.sort(descending=True).values
    return ordered[math.ceil(recall * len(p)) - 1]

# %% wrong="4.4.3" why="rounds the number of sick people down" says="That finds one of three sick people"
def recall_threshold(p, sick, recall):
    of_sick = p[sick == 1].sort(descending=True).values
    return of_sick[max(int(recall * len(of_sick)), 1) - 1]

# %% wrong="4.4.3" why="the smallest threshold that does it" says="recall 0.5 for the sick"
def recall_threshold(p, sick, recall):
    return p.min()

# %% wrong="4.4.3" why="p > t in place of p >= t" says="recall 0.5 for the sick"
def recall_threshold(p, sick, recall):
    of_sick = p[sick == 1]
    for t in p.sort(descending=True).values:
        if (of_sick > t).float().mean() >= recall:
            return t
    return p.min()

# %% wrong="4.4.3" why="a quantile that interpolates" says="sick, recall"
def recall_threshold(p, sick, recall):
    return torch.quantile(p[sick == 1], 1 - recall)

# %% wrong="4.4.3" why="takes p to be sorted" says="recall 0.5 for the sick"
def recall_threshold(p, sick, recall):
    of_sick = p[sick == 1]
    return of_sick[math.ceil(recall * len(of_sick)) - 1]

# %% right="4.4.4" how="einsum and indices"
def two_level_log_probability(h, A, B, words):
    n, M = len(h), B.shape[-1]
    rows, kind, place = torch.arange(n), words.div(M, rounding_mode="floor"), words.remainder(M)
    first, second = h @ A, torch.einsum("nd,ndm->nm", h, B[kind])
    return (first[rows, kind] - first.logsumexp(1)) + (second[rows, place] - second.logsumexp(1))

# %% right="4.4.4" how="a loop over the examples, with cross_entropy"
def two_level_log_probability(h, A, B, words):
    M, found = B.shape[2], []
    for x, w in zip(h, words.tolist()):
        kind, place = divmod(w, M)
        found.append(-F.cross_entropy(x @ A, torch.tensor(kind)) - F.cross_entropy(x @ B[kind], torch.tensor(place)))
    return torch.stack(found)

# %% wrong="4.4.4" why="one softmax over all words" says="Class w // M, place w % M"
def two_level_log_probability(h, A, B, words):
    scores = (h @ A)[:, :, None] + torch.einsum("nd,cdm->ncm", h, B)
    return torch.log_softmax(scores.flatten(1), dim=1).gather(1, words[:, None]).squeeze(1)

# %% wrong="4.4.4" why="class and place swapped" says="raised"
def two_level_log_probability(h, A, B, words):
    M = B.shape[2]
    kind, place = words % M, words // M
    log_class = torch.log_softmax(h @ A, dim=1).gather(1, kind[:, None]).squeeze(1)
    scores = torch.bmm(h[:, None, :], B[kind]).squeeze(1)
    return log_class + torch.log_softmax(scores, dim=1).gather(1, place[:, None]).squeeze(1)

# %% wrong="4.4.4" why="the probability, not its logarithm" says="This is a probability, not its logarithm"
def two_level_log_probability(h, A, B, words):
    M = B.shape[2]
    kind, place = words // M, words % M
    p = torch.softmax(h @ A, dim=1).gather(1, kind[:, None]).squeeze(1)
    return p * torch.softmax(torch.bmm(h[:, None, :], B[kind]).squeeze(1), dim=1).gather(1, place[:, None]).squeeze(1)

# %% wrong="4.4.4" why="the negative logarithm" says="This is the negative logarithm"
def two_level_log_probability(h, A, B, words):
    M = B.shape[2]
    kind, place = words // M, words % M
    scores = torch.bmm(h[:, None, :], B[kind]).squeeze(1)
    return F.cross_entropy(h @ A, kind, reduction="none") + F.cross_entropy(scores, place, reduction="none")

# %% wrong="4.4.4" why="the logarithm of the softmax, which underflows" says="features of size 400"
def two_level_log_probability(h, A, B, words):
    M = B.shape[2]
    kind, place = words // M, words % M
    p = torch.softmax(h @ A, dim=1).gather(1, kind[:, None]).squeeze(1)
    q = torch.softmax(torch.bmm(h[:, None, :], B[kind]).squeeze(1), dim=1).gather(1, place[:, None]).squeeze(1)
    return (p * q).log()

# %% wrong="4.4.4" why="scores every word of every class" says="no tensor holds a score for every word"
def two_level_log_probability(h, A, B, words):
    n, (C, _, M) = len(h), B.shape
    everything = torch.log_softmax(h @ A, 1)[:, :, None] + torch.log_softmax(torch.einsum("nd,cdm->ncm", h, B), 2)
    return everything.reshape(n, C * M)[torch.arange(n), words]

# %% wrong="4.4.4" why="places of the first class for all" says="log p for 6 examples"
def two_level_log_probability(h, A, B, words):
    M = B.shape[2]
    kind, place = words // M, words % M
    log_class = torch.log_softmax(h @ A, dim=1).gather(1, kind[:, None]).squeeze(1)
    return log_class + torch.log_softmax(h @ B[0], dim=1).gather(1, place[:, None]).squeeze(1)

# %% right="4.4.5a" how="torch's layers, optimizer and global seed"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    torch.manual_seed(seed)
    net = torch.nn.Linear(train[0].shape[1], 10)
    torch.nn.init.normal_(net.weight, std=0.01)
    torch.nn.init.zeros_(net.bias)
    trainer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(epochs):
        order = torch.randperm(len(train[1]))
        for start in range(0, len(order), batch_size):
            rows = order[start:start + batch_size]
            trainer.zero_grad()
            F.cross_entropy(net(train[0][rows]), train[1][rows]).backward()
            trainer.step()
    losses = [F.cross_entropy(net(X), y).item() for X, y in (train, val)]
    return {"train_loss": losses[0], "val_loss": losses[1], "val_acc": (net(val[0]).argmax(1) == val[1]).double().mean().item()}


best_lr = 0.2

# %% right="4.4.5a" how="the gradient by hand, and best_lr as a tensor"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    W, b = 0.01 * torch.randn(X.shape[1], 10, generator=g), torch.zeros(10)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            G = torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10)
            W = W - lr / len(rows) * X[rows].T @ G
            b = b - lr * G.mean(0)
    out = val[0] @ W + b
    return {"val_acc": (out.argmax(1) == val[1]).float().mean().item(), "val_loss": F.cross_entropy(out, val[1]).item(),
            "train_loss": F.cross_entropy(X @ W + b, y).item()}


best_lr = torch.tensor(0.1)

# %% right="4.4.5a" how="the three numbers as tensors of one entry"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    torch.manual_seed(seed)
    X, y = train
    net = torch.nn.Linear(X.shape[1], 10)
    torch.nn.init.normal_(net.weight, std=0.01)
    torch.nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(epochs):
        for rows in torch.randperm(len(X)).split(batch_size):
            optimizer.zero_grad()
            F.cross_entropy(net(X[rows]), y[rows]).backward()
            optimizer.step()
    with torch.no_grad():
        scores = net(val[0])
        return {"train_loss": F.cross_entropy(net(X), y), "val_loss": F.cross_entropy(scores, val[1]),
                "val_acc": (scores.argmax(dim=1) == val[1]).float().mean()}

best_lr = 0.1

# %% wrong="4.4.5a" why="the sum of the losses in place of the mean" says="The mean loss over a batch"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    g = torch.Generator().manual_seed(seed)
    W, b = torch.zeros(X.shape[1], 10, requires_grad=True), torch.zeros(10, requires_grad=True)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            grads = torch.autograd.grad(F.cross_entropy(X[rows] @ W + b, y[rows], reduction="sum"), (W, b))
            with torch.no_grad():
                W -= lr / 20 * grads[0]
                b -= lr / 20 * grads[1]
    with torch.no_grad():
        out = val[0] @ W + b
        return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
                "val_acc": (out.argmax(1) == val[1]).float().mean().item()}


best_lr = 0.1

# %% wrong="4.4.5a" why="validation measured on the training rows" says="It is measured on the rows of val"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    g = torch.Generator().manual_seed(seed)
    W, b = torch.zeros(X.shape[1], 10, requires_grad=True), torch.zeros(10, requires_grad=True)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            grads = torch.autograd.grad(F.cross_entropy(X[rows] @ W + b, y[rows]), (W, b))
            with torch.no_grad():
                W -= lr * grads[0]
                b -= lr * grads[1]
    with torch.no_grad():
        out = X @ W + b
        return {"train_loss": F.cross_entropy(out, y).item(), "val_loss": F.cross_entropy(out, y).item(),
                "val_acc": (out.argmax(1) == y).float().mean().item()}


best_lr = 0.1

# %% wrong="4.4.5a" why="trains on `small`, not on the argument" says="mat1 and mat2 shapes cannot be multiplied"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = small
    g = torch.Generator().manual_seed(seed)
    W, b = torch.zeros(784, 10, requires_grad=True), torch.zeros(10, requires_grad=True)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            grads = torch.autograd.grad(F.cross_entropy(X[rows] @ W + b, y[rows]), (W, b))
            with torch.no_grad():
                W -= lr * grads[0]
                b -= lr * grads[1]
    with torch.no_grad():
        out = val[0] @ W + b
        return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
                "val_acc": (out.argmax(1) == val[1]).float().mean().item()}


best_lr = 0.1

# %% wrong="4.4.5a" why="ignores the seed" says="a second run with the same seed"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    W, b = torch.zeros(X.shape[1], 10, requires_grad=True), torch.zeros(10, requires_grad=True)
    for _ in range(epochs):
        for rows in torch.randperm(len(y)).split(batch_size):
            grads = torch.autograd.grad(F.cross_entropy(X[rows] @ W + b, y[rows]), (W, b))
            with torch.no_grad():
                W -= lr * grads[0]
                b -= lr * grads[1]
    with torch.no_grad():
        out = val[0] @ W + b
        return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
                "val_acc": (out.argmax(1) == val[1]).float().mean().item()}


best_lr = 0.1

# %% wrong="4.4.5a" why="no shuffle, so the seed changes nothing" says="Is the order of the rows random"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    W, b = torch.zeros(X.shape[1], 10, requires_grad=True), torch.zeros(10, requires_grad=True)
    for _ in range(epochs):
        for rows in torch.arange(len(y)).split(batch_size):
            grads = torch.autograd.grad(F.cross_entropy(X[rows] @ W + b, y[rows]), (W, b))
            with torch.no_grad():
                W -= lr * grads[0]
                b -= lr * grads[1]
    with torch.no_grad():
        out = val[0] @ W + b
        return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
                "val_acc": (out.argmax(1) == val[1]).float().mean().item()}


best_lr = 0.1

# %% wrong="4.4.5a" why="cross-entropy of probabilities taken for logits" says="train_loss for"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    g = torch.Generator().manual_seed(seed)
    W, b = torch.zeros(X.shape[1], 10, requires_grad=True), torch.zeros(10, requires_grad=True)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            grads = torch.autograd.grad(F.cross_entropy(d2l.softmax(X[rows] @ W + b), y[rows]), (W, b))
            with torch.no_grad():
                W -= lr * grads[0]
                b -= lr * grads[1]
    with torch.no_grad():
        out = d2l.softmax(val[0] @ W + b)
        return {"train_loss": F.cross_entropy(d2l.softmax(X @ W + b), y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
                "val_acc": (out.argmax(1) == val[1]).float().mean().item()}


best_lr = 0.1

# %% wrong="4.4.5a" why="a learning rate that is too large" says="with best_lr, over three seeds, is at most 0.88"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    g = torch.Generator().manual_seed(seed)
    W, b = torch.zeros(X.shape[1], 10, requires_grad=True), torch.zeros(10, requires_grad=True)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            grads = torch.autograd.grad(F.cross_entropy(X[rows] @ W + b, y[rows]), (W, b))
            with torch.no_grad():
                W -= lr * grads[0]
                b -= lr * grads[1]
    with torch.no_grad():
        out = val[0] @ W + b
        return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
                "val_acc": (out.argmax(1) == val[1]).float().mean().item()}


best_lr = 1

# %% wrong="4.4.5a" why="best_lr is too small" says="with best_lr, over three seeds, is at most 0.88"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    g = torch.Generator().manual_seed(seed)
    W, b = torch.zeros(X.shape[1], 10, requires_grad=True), torch.zeros(10, requires_grad=True)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            grads = torch.autograd.grad(F.cross_entropy(X[rows] @ W + b, y[rows]), (W, b))
            with torch.no_grad():
                W -= lr * grads[0]
                b -= lr * grads[1]
    with torch.no_grad():
        out = val[0] @ W + b
        return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
                "val_acc": (out.argmax(1) == val[1]).float().mean().item()}


best_lr = 0.01

# %% right="4.4.5b" how="made with dict, 19 epochs"
batch_effect = dict(epochs_256=19, large=64)

# %% right="4.4.5b" how="from a table of measured means, and equal updates"
means = {1: 0.65, 4: 0.56, 16: 0.63, 64: 0.83, 256: 1.22, 1024: 1.80}
batch_effect = {"large": min(s for s in means if s > 4 and means[s] > means[4] + 0.1),
                "epochs_256": round(5 * math.ceil(3000 / 64) / math.ceil(3000 / 256))}

# %% wrong="4.4.5b" why="the same number of epochs is enough" says="neither higher nor lower"
batch_effect = {"large": 64, "epochs_256": 5}

# %% wrong="4.4.5b" why="the yardstick for 256 is the loss of batch size 4" says="the epochs that batch size 256 needs"
batch_effect = {"large": 64, "epochs_256": 100}

# %% wrong="4.4.5b" why="an effect only where it is drastic" says="A smaller batch size shows an effect already"
batch_effect = {"large": 1024, "epochs_256": 20}

# %% wrong="4.4.5b" why="sees an effect at once" says="batch size 16 loses more than 0.1 against 4"
batch_effect = {"large": 16, "epochs_256": 20}

# %% wrong="4.4.5b" why="not on the grid" says="large is a batch size of the grid above 4"
batch_effect = {"large": 128, "epochs_256": 20}

# %% wrong="4.4.5b" why="twice the square root, as if noise were the reason" says="the epochs that batch size 256 needs"
batch_effect = {"large": 64, "epochs_256": 10}

# %% right="4.4.6" how="one_hot, logsumexp, sub_"
def step_by_hand(W, b, X, y, lr):
    O = X @ W + b
    shift = O - O.logsumexp(dim=1, keepdim=True)
    Y = F.one_hot(y, O.shape[1]).to(O.dtype)
    G = (shift.exp() - Y) / len(X)
    W.sub_(lr * X.T @ G)
    b.sub_(lr * G.sum(dim=0))
    return -(Y * shift).sum(dim=1).mean()

# %% right="4.4.6" how="einsum, and a slice on the left side"
def step_by_hand(W, b, X, y, lr):
    O = X @ W + b
    loss = F.cross_entropy(O, y).item()
    G = torch.softmax(O, dim=1)
    for i, label in enumerate(y.tolist()):
        G[i, label] -= 1
    W[:] = W - lr * torch.einsum("nd,nk->dk", X, G) / len(y)
    b[:] = b - lr * G.sum(dim=0) / len(y)
    return loss

# %% wrong="4.4.6" why="new tensors under local names" says="your result is in new memory"
def step_by_hand(W, b, X, y, lr):
    P = torch.softmax(X @ W + b, dim=1)
    G = (P - F.one_hot(y, P.shape[1])) / len(y)
    loss = F.cross_entropy(X @ W + b, y)
    W = W - lr * X.T @ G
    b = b - lr * G.sum(dim=0)
    return loss

# %% wrong="4.4.6" why="uphill" says="It went the other way, uphill"
def step_by_hand(W, b, X, y, lr):
    O = X @ W + b
    loss = F.cross_entropy(O, y)
    G = (F.one_hot(y, O.shape[1]) - torch.softmax(O, dim=1)) / len(y)
    W -= lr * X.T @ G
    b -= lr * G.sum(dim=0)
    return loss

# %% wrong="4.4.6" why="the sum over the batch in place of the mean" says="the step for the sum of the losses"
def step_by_hand(W, b, X, y, lr):
    O = X @ W + b
    loss = F.cross_entropy(O, y)
    G = torch.softmax(O, dim=1) - F.one_hot(y, O.shape[1])
    W -= lr * X.T @ G
    b -= lr * G.sum(dim=0)
    return loss

# %% wrong="4.4.6" why="forgets the bias" says="or b was forgotten"
def step_by_hand(W, b, X, y, lr):
    O = X @ W + b
    loss = F.cross_entropy(O, y)
    G = (torch.softmax(O, dim=1) - F.one_hot(y, O.shape[1])) / len(y)
    W -= lr * X.T @ G
    return loss

# %% wrong="4.4.6" why="the gradient of b after W has moved" says="b after"
def step_by_hand(W, b, X, y, lr):
    loss = F.cross_entropy(X @ W + b, y)
    Y = F.one_hot(y, len(b))
    W -= lr * X.T @ (torch.softmax(X @ W + b, dim=1) - Y) / len(y)
    b -= lr * (torch.softmax(X @ W + b, dim=1) - Y).mean(dim=0)
    return loss

# %% wrong="4.4.6" why="divides by the number of rows twice for the bias" says="G is divided by n already"
def step_by_hand(W, b, X, y, lr):
    O = X @ W + b
    loss = F.cross_entropy(O, y)
    G = (torch.softmax(O, dim=1) - F.one_hot(y, W.shape[1])) / len(X)
    W -= lr * X.T @ G
    b -= lr * G.mean(dim=0)
    return loss

# %% wrong="4.4.6" why="the bare softmax" says="the loss before the step, 6 rows of 2 numbers of size 300"
def step_by_hand(W, b, X, y, lr):
    P = d2l.softmax(X @ W + b)
    loss = d2l.cross_entropy(P, y)
    G = (P - F.one_hot(y, P.shape[1])) / len(y)
    W -= lr * X.T @ G
    b -= lr * G.sum(dim=0)
    return loss

# %% wrong="4.4.6" why="the loss after the step" says="the loss for zero weights"
def step_by_hand(W, b, X, y, lr):
    O = X @ W + b
    G = (torch.softmax(O, dim=1) - F.one_hot(y, O.shape[1])) / len(y)
    W -= lr * X.T @ G
    b -= lr * G.sum(dim=0)
    return F.cross_entropy(X @ W + b, y)

# %% wrong="4.4.6" why="three classes, always" says="raised"
def step_by_hand(W, b, X, y, lr):
    O = X @ W + b
    loss = F.cross_entropy(O, y)
    G = (torch.softmax(O, dim=1) - F.one_hot(y, 3)) / len(y)
    W -= lr * X.T @ G
    b -= lr * G.sum(dim=0)
    return loss

# %% right="4.4.7" how="sorted with a key"
def worst_mistakes(P, y, k):
    rows = [i for i in range(len(y)) if P[i].argmax() != y[i]]
    return sorted(rows, key=lambda i: P[i].max().item(), reverse=True)[:k]

# %% right="4.4.7" how="topk of a score that is minus 1 where the row is right"
def worst_mistakes(P, y, k):
    sure, predicted = P.max(dim=1)
    sure = torch.where(predicted == y, -1.0, sure)
    return sure.topk(min(k, int((predicted != y).sum()))).indices

# %% wrong="4.4.7" why="positions among the mistakes" says="positions among the mistakes, not numbers of rows"
def worst_mistakes(P, y, k):
    sure, predicted = P.max(dim=1)
    return sure[predicted != y].argsort(descending=True)[:k]

# %% wrong="4.4.7" why="the least sure first" says="The largest probability comes first"
def worst_mistakes(P, y, k):
    sure, predicted = P.max(dim=1)
    rows = (predicted != y).nonzero().flatten()
    return rows[sure[rows].argsort()][:k]

# %% wrong="4.4.7" why="right rows, too" says="whose most probable class is not the label"
def worst_mistakes(P, y, k):
    return P.max(dim=1).values.argsort(descending=True)[:k]

# %% wrong="4.4.7" why="sorted by the probability of the label" says="Only mistakes, sorted by"
def worst_mistakes(P, y, k):
    rows = (P.argmax(dim=1) != y).nonzero().flatten()
    return rows[P[rows, y[rows]].argsort()][:k]

# %% wrong="4.4.7" why="in the order of the rows" says="four rows, of which 1 and 3 are mistaken"
def worst_mistakes(P, y, k):
    return (P.argmax(dim=1) != y).nonzero().flatten()[:k]

# %% wrong="4.4.7" why="a column of row numbers" says="four rows, of which 1 and 3 are mistaken"
def worst_mistakes(P, y, k):
    sure, predicted = P.max(dim=1)
    rows = (predicted != y).nonzero()
    return rows[sure[rows[:, 0]].argsort(descending=True)][:k]

# %% wrong="4.4.7" why="always k rows" says="the number of rows"
def worst_mistakes(P, y, k):
    sure, predicted = P.max(dim=1)
    sure = torch.where(predicted == y, -1.0, sure)
    rows = sure.argsort(descending=True)
    return rows[:2] if k == 5 else rows[:3]

# %% right="4.4.8" how="a loop"
def confusion_matrix(predicted, y, num_classes):
    C = torch.zeros(num_classes, num_classes, dtype=torch.int64)
    for label, guess in zip(y.tolist(), predicted.tolist()):
        C[label, guess] += 1
    return C

# %% right="4.4.8" how="the product of one-hot matrices"
def confusion_matrix(predicted, y, num_classes):
    return F.one_hot(y, num_classes).T @ F.one_hot(predicted, num_classes)

# %% right="4.4.8" how="index_put with accumulate"
def confusion_matrix(predicted, y, num_classes):
    C = torch.zeros(num_classes, num_classes, dtype=torch.int64)
    return C.index_put((y, predicted), torch.ones_like(y), accumulate=True)

# %% wrong="4.4.8" why="predictions in the rows" says="Rows are labels, columns are predictions"
def confusion_matrix(predicted, y, num_classes):
    return F.one_hot(predicted, num_classes).T @ F.one_hot(y, num_classes)

# %% wrong="4.4.8" why="an index assignment counts a pair once" says="A pair that occurs twice was counted once"
def confusion_matrix(predicted, y, num_classes):
    C = torch.zeros(num_classes, num_classes, dtype=torch.int64)
    C[y, predicted] += 1
    return C

# %% wrong="4.4.8" why="only the classes that occur" says="raised"
def confusion_matrix(predicted, y, num_classes):
    return (y * num_classes + predicted).bincount().reshape(num_classes, num_classes)

# %% wrong="4.4.8" why="shares of the rows" says="six examples of three classes"
def confusion_matrix(predicted, y, num_classes):
    C = F.one_hot(y, num_classes).T @ F.one_hot(predicted, num_classes)
    return C / C.sum(dim=1, keepdim=True)

# %% wrong="4.4.8" why="floating point" says="wrong dtype"
def confusion_matrix(predicted, y, num_classes):
    C = torch.zeros(num_classes, num_classes)
    for label, guess in zip(y.tolist(), predicted.tolist()):
        C[label, guess] += 1
    return C

# %% wrong="4.4.8" why="three classes, always" says="another value was expected"
def confusion_matrix(predicted, y, num_classes):
    top = 3
    keep = (y < top) & (predicted < top)
    C = F.one_hot(y[keep], top).T @ F.one_hot(predicted[keep], top)
    return F.pad(C, (0, num_classes - 3, 0, num_classes - 3)) if num_classes > 3 else C[:num_classes, :num_classes]
