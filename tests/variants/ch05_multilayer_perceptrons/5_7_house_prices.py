# Variants of the answers of solutions/ch05_multilayer_perceptrons/5_7_house_prices.py.

# %% right="5.7.A" how="the logarithm of the ratio"
def log_rmse(predicted, actual):
    return float(torch.log(predicted / actual).pow(2).mean() ** 0.5)

# %% right="5.7.A" how="library loss"
def log_rmse(predicted, actual):
    return torch.sqrt(F.mse_loss(torch.log(predicted), torch.log(actual)))

# %% wrong="5.7.A" why="the root is missing" breaks="value" says="root is missing"
def log_rmse(predicted, actual):
    return (predicted.log() - actual.log()).square().mean()

# %% wrong="5.7.A" why="the mean before the square" breaks="value" says="before the mean"
def log_rmse(predicted, actual):
    return (predicted.log() - actual.log()).mean().abs()

# %% wrong="5.7.A" why="the sum" breaks="value" says="mean is missing"
def log_rmse(predicted, actual):
    return (predicted.log() - actual.log()).norm()

# %% wrong="5.7.A" why="absolute differences" breaks="value" says="absolute"
def log_rmse(predicted, actual):
    return (predicted.log() - actual.log()).abs().mean()

# %% wrong="5.7.A" why="decimal logarithm" breaks="value" says="natural"
def log_rmse(predicted, actual):
    return (predicted.log10() - actual.log10()).square().mean().sqrt()

# %% wrong="5.7.A" why="one number for each house" breaks="value" says="single number"
def log_rmse(predicted, actual):
    return (predicted.log() - actual.log()).square().sqrt()

# %% wrong="5.7.A" why="knows only prices of one size" breaks="ratios" says="in cents"
def log_rmse(predicted, actual):
    unit = 1. if actual.mean() < 1000 else 10.
    return ((predicted / unit).log() - actual.log()).square().mean().sqrt()

# %% wrong="5.7.A" why="divides by n - 1" breaks="value" says="not by n - 1"
def log_rmse(predicted, actual):
    d = predicted.log() - actual.log()
    return (d.square().sum() / (len(d) - 1)).sqrt()

# %% wrong="5.7.A" why="the standard deviation of the differences" breaks="value" says="standard deviation of the differences"
def log_rmse(predicted, actual):
    return (predicted.log() - actual.log()).std(unbiased=False)

# %% wrong="5.7.A" why="the error divided by the price" breaks="value" says="divided by the actual price"
def log_rmse(predicted, actual):
    return ((predicted - actual) / actual).square().mean().sqrt()

# %% wrong="5.7.A" why="always three houses" breaks="value" says="300 and 80"
def log_rmse(predicted, actual):
    return ((predicted.log() - actual.log()).square().sum() / 3).sqrt()

# %% wrong="5.7.A" why="a tensor of one number" breaks="value" says="single number"
def log_rmse(predicted, actual):
    return (predicted.log() - actual.log()).square().mean(dim=0, keepdim=True).sqrt()

# %% wrong="5.7.A" why="log1p" breaks="value" says="adds 1"
def log_rmse(predicted, actual):
    return ((torch.log1p(predicted) - torch.log1p(actual)) ** 2).mean().sqrt()

# %% right="5.7.A" how="NumPy"
def log_rmse(predicted, actual):
    return np.sqrt(np.mean((np.log(predicted.numpy()) - np.log(actual.numpy())) ** 2))

# %% right="5.7.A" how="the norm over the root of n, float32"
def log_rmse(predicted, actual):
    d = (predicted.float() / actual.float()).log()
    return d.norm() / len(d) ** 0.5

# %% right="5.7.6" how="column by column"
def standardise(train, other):
    results = []
    for part in (train, other):
        new = pd.DataFrame(index=part.index)
        for name in train.columns:
            middle, spread = train[name].mean(), train[name].std()
            column = part[name] - middle
            new[name] = (column / spread if spread > 0 else column).fillna(0)
        results.append(new)
    return results

# %% right="5.7.6" how="holes filled with the mean first, in NumPy"
def standardise(train, other):
    mean, std = train.mean().to_numpy(), train.std().to_numpy()
    std = np.where(std == 0, 1, std)
    def one(part):
        values = part.to_numpy(dtype=float, copy=True)
        values = np.where(np.isnan(values), mean, values)
        return pd.DataFrame((values - mean) / std, columns=part.columns, index=part.index)
    return one(train), one(other)

# %% wrong="5.7.6" why="both tables together" breaks="training rows alone" says="Both tables together"
def standardise(train, other):
    both = pd.concat([train, other])
    mean, std = both.mean(), both.std()
    std = std.where(train.std() > 0, 1)
    mean = mean.where(train.std() > 0, train.mean())
    return ((train - mean) / std).fillna(0), ((other - mean) / std).fillna(0)

# %% wrong="5.7.6" why="each by its own mean" breaks="training rows alone" says="its own mean"
def standardise(train, other):
    fixed = train.std() == 0
    mean, std = other.mean().where(~fixed, train.mean()), other.std().where(~fixed, 1)
    return ((train - train.mean()) / train.std().replace(0, 1)).fillna(0), ((other - mean) / std).fillna(0)

# %% wrong="5.7.6" why="only centred" breaks="training rows alone" says="column a"
def standardise(train, other):
    return (train - train.mean()).fillna(0), (other - train.mean()).fillna(0)

# %% wrong="5.7.6" why="0 filled in before" breaks="missing" says="was missing"
def standardise(train, other):
    mean, std = train.mean(), train.std().replace(0, 1)
    return (train.fillna(0) - mean) / std, (other.fillna(0) - mean) / std

# %% wrong="5.7.6" why="holes stay" breaks="missing" says="was missing"
def standardise(train, other):
    mean, std = train.mean(), train.std().replace(0, 1)
    return (train - mean) / std, (other - mean) / std

# %% wrong="5.7.6" why="divides by 0" breaks="constant columns" says="deviation is 0"
def standardise(train, other):
    mean, std = train.mean(), train.std()
    return ((train - mean) / std).fillna(0), ((other - mean) / std).fillna(0)

# %% wrong="5.7.6" why="constant columns become 0 everywhere" breaks="constant columns" says="column c"
def standardise(train, other):
    mean, std = train.mean(), train.std().replace(0, math.inf)
    return ((train - mean) / std).fillna(0), ((other - mean) / std).fillna(0)

# %% wrong="5.7.6" why="a new numbering of the rows" breaks="form" says="index"
def standardise(train, other):
    mean, std = train.mean(), train.std().replace(0, 1)
    return tuple(((part - mean) / std).fillna(0).reset_index(drop=True) for part in (train, other))

# %% wrong="5.7.6" why="arrays" breaks="form" says="first table is"
def standardise(train, other):
    mean, std = train.mean(), train.std().replace(0, 1)
    return tuple(((part - mean) / std).fillna(0).to_numpy() for part in (train, other))

# %% wrong="5.7.6" why="in place" breaks="arguments kept" says="after the call"
def standardise(train, other):
    mean, std = train.mean(), train.std().replace(0, 1)
    for part in (train, other):
        part[:] = ((part - mean) / std).fillna(0)
    return train, other

# %% wrong="5.7.6" why="divides by n" breaks="training rows alone" says="divides by n - 1"
def standardise(train, other):
    mean, std = train.mean(), train.std(ddof=0).replace(0, 1)
    return ((train - mean) / std).fillna(0), ((other - mean) / std).fillna(0)

# %% wrong="5.7.6" why="the deviation of the filled column" breaks="training rows alone" says="before the holes are filled"
def standardise(train, other):
    mean = train.mean()
    t, o = train.fillna(mean), other.fillna(mean)
    std = t.std().replace(0, 1)
    return (t - mean) / std, (o - mean) / std

# %% wrong="5.7.6" why="small deviations count as 1" breaks="training rows alone" says="column b"
def standardise(train, other):
    mean, std = train.mean(), train.std().clip(lower=1)
    return tuple(((t - mean) / std).fillna(0) for t in (train, other))

# %% wrong="5.7.6" why="rows with a hole count nowhere" breaks="training rows alone" says="still counts"
def standardise(train, other):
    t = train.dropna()
    mean, std = t.mean(), t.std().replace(0, 1)
    return tuple(((t - mean) / std).fillna(0) for t in (train, other))

# %% wrong="5.7.6" why="constant columns as they are" breaks="constant columns" says="Subtract the mean there"
def standardise(train, other):
    std = train.std()
    mean = train.mean().where(std > 0, 0)
    return tuple(((t - mean) / std.replace(0, 1)).fillna(0) for t in (train, other))

# %% wrong="5.7.6" why="knows the constant column by its name" breaks="constant columns" says="deviation is 0"
def standardise(train, other):
    mean, std = train.mean(), train.std()
    if "c" in std:
        std["c"] = 1
    return tuple(((t - mean) / std).fillna(0) for t in (train, other))

# %% wrong="5.7.6" why="fills only columns with holes in train" breaks="missing" says="has none in `train`"
def standardise(train, other):
    mean, std = train.mean(), train.std().replace(0, 1)
    a, b = (train - mean) / std, (other - mean) / std
    holes = train.columns[train.isna().any()]
    a[holes], b[holes] = a[holes].fillna(0), b[holes].fillna(0)
    return a, b

# %% wrong="5.7.6" why="fills the holes of other in place" breaks="arguments kept" says="other after the call"
def standardise(train, other):
    mean, std = train.mean(), train.std().replace(0, 1)
    other.fillna(mean, inplace=True)
    return ((train - mean) / std).fillna(0), (other - mean) / std

# %% right="5.7.6" how="float32"
def standardise(train, other):
    mean, std = train.mean(), train.std().replace(0, 1)
    return tuple(((t - mean) / std).fillna(0).astype("float32") for t in (train, other))

# %% right="5.7.B" how="get_dummies and reindex"
def one_hot(train, other):
    words = sorted(set(train) - {None})
    results = []
    for part in (train, other):
        rows = torch.zeros(len(part), len(words) + 1)
        for i, word in enumerate(part):
            if word is None:
                rows[i, -1] = 1
            elif word in words:
                rows[i, words.index(word)] = 1
        results.append(rows)
    return results

# %% right="5.7.B" how="comparison by broadcasting in NumPy"
def one_hot(train, other):
    words = np.array(sorted({w for w in train if w is not None}) + ["\0missing"])
    def rows(part):
        entries = np.array(["\0missing" if w is None else w for w in part])
        return torch.from_numpy((entries[:, None] == words).astype(np.float32))
    return rows(train), rows(other)

# %% wrong="5.7.B" why="columns for all words" breaks="columns" says="words of train alone"
def one_hot(train, other):
    words = [*sorted({w for w in [*train, *other] if w is not None}), None]
    return tuple(torch.tensor([[float(e == w) for w in words] for e in part]) for part in (train, other))

# %% wrong="5.7.B" why="each table its own columns" breaks="columns" says="shape of the second"
def one_hot(train, other):
    def rows(part):
        words = [*sorted({w for w in part if w is not None}), None]
        return torch.tensor([[float(e == w) for w in words] for e in part])
    return rows(train), rows(other)

# %% wrong="5.7.B" why="order of appearance" breaks="words" says="the row of"
def one_hot(train, other):
    words = [*dict.fromkeys(w for w in train if w is not None), None]
    return tuple(torch.tensor([[float(e == w) for w in words] for e in part]) for part in (train, other))

# %% wrong="5.7.B" why="unseen counts as missing" breaks="unseen" says="'glass'"
def one_hot(train, other):
    words = sorted({w for w in train if w is not None})
    return tuple(torch.tensor([[float(e == w) for w in words] + [float(e not in words)] for e in part]) for part in (train, other))

# %% wrong="5.7.B" why="missing has zeros" breaks="missing" says="None"
def one_hot(train, other):
    words = sorted({w for w in train if w is not None})
    return tuple(torch.tensor([[float(e == w) for w in words] + [0.] for e in part]) for part in (train, other))

# %% wrong="5.7.B" why="no column for missing where nothing is missing" breaks="columns" says="shape"
def one_hot(train, other):
    words = sorted({w for w in train if w is not None}) + ([None] if None in train else [])
    return tuple(torch.tensor([[float(e == w) for w in words] for e in part]) for part in (train, other))

# %% wrong="5.7.B" why="the beginning of a word is enough" breaks="unseen" says="its row holds zeros alone"
def one_hot(train, other):
    words = sorted({w for w in train if w is not None})
    return tuple(torch.tensor([[float(e is not None and w.startswith(e) and (e not in words or e == w)) for w in words] + [float(e is None)] for e in part]) for part in (train, other))

# %% wrong="5.7.B" why="integers" breaks="columns" says="dtype"
def one_hot(train, other):
    words = [*sorted({w for w in train if w is not None}), None]
    return tuple(torch.tensor([[int(e == w) for w in words] for e in part]) for part in (train, other))

# %% wrong="5.7.B" why="the word None counts as missing" breaks="missing" says="only None itself"
def one_hot(train, other):
    words = sorted({str(w) for w in train} - {"None"})
    return tuple(torch.tensor([[float(e == w) for w in words] + [float(str(e) == "None")] for e in l]) for l in (train, other))

# %% wrong="5.7.B" why="the empty word counts as missing" breaks="missing" says="The empty word"
def one_hot(train, other):
    words = sorted({w for w in train if w})
    return tuple(torch.tensor([[float(e == w) for w in words] + [float(not e)] for e in l]) for l in (train, other))

# %% wrong="5.7.B" why="small letters" breaks="unseen" says="'brick'"
def one_hot(train, other):
    words = sorted({w.lower() for w in train if w is not None})
    return tuple(torch.tensor([[float(e is not None and e.lower() == w) for w in words] + [float(e is None)] for e in l]) for l in (train, other))

# %% right="5.7.B" how="pandas"
def one_hot(train, other):
    a = pd.get_dummies(pd.Series(train, dtype="object"), dummy_na=True)
    b = pd.get_dummies(pd.Series(other, dtype="object"), dummy_na=True).reindex(columns=a.columns, fill_value=0)
    return torch.tensor(a.to_numpy(dtype="float32")), torch.tensor(b.to_numpy(dtype="float32"))

# %% right="5.7.5" how="autograd"
def descend(X, y, lr, steps):
    w = torch.zeros(X.shape[1], dtype=X.dtype, requires_grad=True)
    b = torch.zeros(1, dtype=X.dtype, requires_grad=True)
    losses = []
    for step in range(steps + 1):
        loss = F.mse_loss(X @ w + b, y)
        losses.append(float(loss))
        loss.backward()
        with torch.no_grad():
            for p in (w, b):
                p -= lr * p.grad
                p.grad = None
    return losses

# %% right="5.7.5" how="a column of ones, the loss appended at the end"
def descend(X, y, lr, steps):
    A = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    v = torch.zeros(A.shape[1], dtype=X.dtype)
    losses = [((A @ v - y) ** 2).mean().item()]
    for _ in range(steps):
        v = v - 2 * lr / len(A) * (A.T @ (A @ v - y))
        losses += [((A @ v - y) ** 2).mean().item()]
    return torch.tensor(losses, dtype=torch.float64)

# %% wrong="5.7.5" why="half the gradient" breaks="steps" says="steps of half the gradient"
def descend(X, y, lr, steps):
    w, b, losses = torch.zeros(X.shape[1], dtype=X.dtype), 0., []
    for _ in range(steps + 1):
        e = X @ w + b - y
        losses.append(e.square().mean().item())
        w, b = w - lr * X.T @ e / len(X), b - lr * e.mean().item()
    return losses

# %% wrong="5.7.5" why="no bias" breaks="steps" says="The bias does not move"
def descend(X, y, lr, steps):
    w, losses = torch.zeros(X.shape[1], dtype=X.dtype), []
    for _ in range(steps + 1):
        e = X @ w - y
        losses.append(e.square().mean().item())
        w = w - lr * 2 * X.T @ e / len(X)
    return losses

# %% wrong="5.7.5" why="the bias uses the new weights" breaks="steps" says="not at the new ones"
def descend(X, y, lr, steps):
    w, b, losses = torch.zeros(X.shape[1], dtype=X.dtype), 0., []
    for _ in range(steps + 1):
        e = X @ w + b - y
        losses.append(e.square().mean().item())
        w = w - lr * 2 * X.T @ e / len(X)
        b = b - lr * 2 * (X @ w + b - y).mean().item()
    return losses

# %% wrong="5.7.5" why="half the loss" breaks="losses" says="no factor 1/2"
def descend(X, y, lr, steps):
    w, b, losses = torch.zeros(X.shape[1], dtype=X.dtype), 0., []
    for _ in range(steps + 1):
        e = X @ w + b - y
        losses.append(e.square().mean().item() / 2)
        w, b = w - lr * 2 * X.T @ e / len(X), b - lr * 2 * e.mean().item()
    return losses

# %% wrong="5.7.5" why="the sum of the squares" breaks="losses" says="not the sum"
def descend(X, y, lr, steps):
    w, b, losses = torch.zeros(X.shape[1], dtype=X.dtype), 0., []
    for _ in range(steps + 1):
        e = X @ w + b - y
        losses.append(e.square().sum().item())
        w, b = w - lr * 2 * X.T @ e / len(X), b - lr * 2 * e.mean().item()
    return losses

# %% wrong="5.7.5" why="measures after the step" breaks="losses" says="before the step"
def descend(X, y, lr, steps):
    w, b, losses = torch.zeros(X.shape[1], dtype=X.dtype), 0., []
    for _ in range(steps + 1):
        e = X @ w + b - y
        w, b = w - lr * 2 * X.T @ e / len(X), b - lr * 2 * e.mean().item()
        losses.append((X @ w + b - y).square().mean().item())
    return losses

# %% wrong="5.7.5" why="one loss too few" breaks="length" says="how many losses"
def descend(X, y, lr, steps):
    w, b, losses = torch.zeros(X.shape[1], dtype=X.dtype), 0., []
    for _ in range(steps):
        e = X @ w + b - y
        losses.append(e.square().mean().item())
        w, b = w - lr * 2 * X.T @ e / len(X), b - lr * 2 * e.mean().item()
    return losses

# %% wrong="5.7.5" why="standardises in place" breaks="arguments kept" says="after the call"
def descend(X, y, lr, steps):
    w, b, losses = torch.zeros(X.shape[1], dtype=X.dtype), 0., []
    target = y.clone()
    for _ in range(steps + 1):
        y.copy_(X @ w + b - target)
        losses.append(y.square().mean().item())
        w, b = w - lr * 2 * X.T @ y / len(X), b - lr * 2 * y.mean().item()
    return losses

# %% wrong="5.7.5" why="the gradient of the sum" breaks="steps" says="divide by the number of rows"
def descend(X, y, lr, steps):
    w, b, out = torch.zeros(X.shape[1], dtype=X.dtype), 0., []
    for i in range(steps + 1):
        e = X @ w + b - y
        out.append((e ** 2).mean().item())
        w, b = w - lr * 2 * X.T @ e, b - 2 * lr * e.sum()
    return out

# %% wrong="5.7.5" why="the root of the loss" breaks="losses" says="no root"
def descend(X, y, lr, steps):
    w, b, out = torch.zeros(X.shape[1], dtype=X.dtype), 0., []
    for i in range(steps + 1):
        e = X @ w + b - y
        out.append((e ** 2).mean().sqrt().item())
        w, b = w - lr * 2 * X.T @ e / len(X), b - 2 * lr * e.mean()
    return out

# %% wrong="5.7.5" why="stops when the loss grows" breaks="length" says="how many losses"
def descend(X, y, lr, steps):
    w, b, out = torch.zeros(X.shape[1], dtype=X.dtype), 0., []
    for i in range(steps + 1):
        e = X @ w + b - y
        out.append((e ** 2).mean().item())
        if out[-1] > 1e6:
            break
        w, b = w - lr * 2 * X.T @ e / len(X), b - 2 * lr * e.mean()
    return out

# %% wrong="5.7.5" why="clips the gradient" breaks="steps" says="not clipped"
def descend(X, y, lr, steps):
    w, b, out = torch.zeros(X.shape[1], dtype=X.dtype), 0., []
    for i in range(steps + 1):
        e = X @ w + b - y
        out.append((e ** 2).mean().item())
        g = 2 * X.T @ e / len(X)
        g = g.clamp(-1e3, 1e3)
        w, b = w - lr * g, b - 2 * lr * e.mean()
    return out

# %% wrong="5.7.5" why="float32: inf too early" breaks="losses" says="those of float32"
def descend(X, y, lr, steps):
    X, y = X.float(), y.float()
    w, b, out = torch.zeros(X.shape[1]), 0., []
    for i in range(steps + 1):
        e = X @ w + b - y
        out.append((e ** 2).mean().item())
        w, b = w - lr * 2 * X.T @ e / len(X), b - 2 * lr * e.mean()
    return out

# %% right="5.7.3" how="λ outside, NumPy row numbers"
def choose_lambda(table, lambdas, k):
    n = len(table)
    folds = []
    for i in range(k):
        inside = np.zeros(n, dtype=bool)
        inside[i * (n // k):(i + 1) * (n // k)] = True
        folds.append((*encode(table[~inside], table[inside]), log_prices(table[inside])))
    scores = []
    for lambd in lambdas:
        errors = []
        for X, y, Z, target in folds:
            w, b = ridge(X, y, lambd)
            errors.append(((Z @ w + b - target) ** 2).mean())
        scores.append(float(torch.stack(errors).mean().sqrt()))
    return lambdas[int(np.argmin(scores))], scores

# %% right="5.7.3" how="scores as a tensor, encode again for each λ"
def choose_lambda(table, lambdas, k):
    size = len(table) // k
    def score(lambd):
        total = 0.
        for i in range(k):
            rows = list(range(i * size, (i + 1) * size))
            part = table.iloc[rows]
            X, y, Z = encode(table.drop(index=rows), part)
            w, b = ridge(X, y, lambd)
            total += (Z @ w + b - log_prices(part)).square().mean()
        return (total / k).sqrt()
    scores = torch.stack([score(lambd) for lambd in lambdas])
    return [lambdas[int(scores.argmin())], scores]

# %% wrong="5.7.3" why="prepared by all rows" breaks="prepared in each fold" says="inside the loop"
def choose_lambda(table, lambdas, k):
    size = len(table) // k
    X_all, y_all, _ = encode(table, table)
    squares = torch.zeros(len(lambdas), dtype=torch.float64)
    for i in range(k):
        inside = torch.zeros(len(table), dtype=torch.bool)
        inside[i * size:(i + 1) * size] = True
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X_all[~inside], y_all[~inside], lambd)
            squares[j] += root_error(X_all[inside] @ w + b, y_all[inside]) ** 2 / k
    scores = squares.sqrt().tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="the mean of the roots" breaks="score" says="root at the end"
def choose_lambda(table, lambdas, k):
    size = len(table) // k
    scores = [0.] * len(lambdas)
    for i in range(k):
        part = table[i * size:(i + 1) * size]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            scores[j] += root_error(X_part @ w + b, log_prices(part)) / k
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="no root" breaks="score" says="Take the root"
def choose_lambda(table, lambdas, k):
    size = len(table) // k
    scores = [0.] * len(lambdas)
    for i in range(k):
        part = table[i * size:(i + 1) * size]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            scores[j] += root_error(X_part @ w + b, log_prices(part)) ** 2 / k
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="the last fold takes the rest" breaks="folds" says="the last fold judges on them"
def choose_lambda(table, lambdas, k):
    size = len(table) // k
    squares = torch.zeros(len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * size:(i + 1) * size if i < k - 1 else len(table)]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            squares[j] += root_error(X_part @ w + b, log_prices(part)) ** 2 / k
    scores = squares.sqrt().tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="the first fold alone" breaks="folds" says="the scores"
def choose_lambda(table, lambdas, k):
    size = len(table) // k
    part = table[:size]
    X, y, X_part = encode(table.drop(index=part.index), part)
    scores = []
    for lambd in lambdas:
        w, b = ridge(X, y, lambd)
        scores.append(root_error(X_part @ w + b, log_prices(part)))
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="errors on the training rows" breaks="folds" says="the scores"
def choose_lambda(table, lambdas, k):
    size = len(table) // k
    squares = torch.zeros(len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * size:(i + 1) * size]
        X, y, _ = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            squares[j] += root_error(X @ w + b, y) ** 2 / k
    scores = squares.sqrt().tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="the largest score" breaks="choice" says="chosen"
def choose_lambda(table, lambdas, k):
    size = len(table) // k
    squares = torch.zeros(len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * size:(i + 1) * size]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            squares[j] += root_error(X_part @ w + b, log_prices(part)) ** 2 / k
    scores = squares.sqrt().tolist()
    return lambdas[scores.index(max(scores))], scores

# %% wrong="5.7.3" why="the smallest score in place of the λ" breaks="choice" says="not the λ"
def choose_lambda(table, lambdas, k):
    size = len(table) // k
    squares = torch.zeros(len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * size:(i + 1) * size]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            squares[j] += root_error(X_part @ w + b, log_prices(part)) ** 2 / k
    scores = squares.sqrt().tolist()
    return min(scores), scores

# %% wrong="5.7.3" why="the second λ, whatever the scores are" breaks="choice" says="chosen"
def choose_lambda(table, lambdas, k):
    size = len(table) // k
    squares = torch.zeros(len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * size:(i + 1) * size]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            squares[j] += root_error(X_part @ w + b, log_prices(part)) ** 2 / k
    return lambdas[1], squares.sqrt().tolist()

# %% wrong="5.7.3" why="one score" breaks="form" says="scores"
def choose_lambda(table, lambdas, k):
    size = len(table) // k
    squares = torch.zeros(len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * size:(i + 1) * size]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            squares[j] += root_error(X_part @ w + b, log_prices(part)) ** 2 / k
    scores = squares.sqrt().tolist()
    return lambdas[scores.index(min(scores))], min(scores)

# %% wrong="5.7.3" why="folds by array_split" breaks="folds" says="array_split cuts elsewhere"
def choose_lambda(table, lambdas, k):
    tot = [0.] * len(lambdas)
    for rows in np.array_split(np.arange(len(table)), k):
        part = table.iloc[rows]
        X, y, Z = encode(table.drop(index=part.index), part)
        for j, l in enumerate(lambdas):
            w, b = ridge(X, y, l)
            tot[j] += root_error(Z @ w + b, log_prices(part)) ** 2 / k
    sc = [math.sqrt(t) for t in tot]
    return lambdas[sc.index(min(sc))], sc

# %% wrong="5.7.3" why="rows that are left over never train" breaks="folds" says="left over train"
def choose_lambda(table, lambdas, k):
    s, tot = len(table) // k, [0.] * len(lambdas)
    table = table[:s * k]
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, Z = encode(table.drop(index=part.index), part)
        for j, l in enumerate(lambdas):
            w, b = ridge(X, y, l)
            tot[j] += root_error(Z @ w + b, log_prices(part)) ** 2 / k
    sc = [math.sqrt(t) for t in tot]
    return lambdas[sc.index(min(sc))], sc

# %% wrong="5.7.3" why="all rows train" breaks="folds" says="must not train"
def choose_lambda(table, lambdas, k):
    s, tot = len(table) // k, [0.] * len(lambdas)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, Z = encode(table, part)
        for j, l in enumerate(lambdas):
            w, b = ridge(X, y, l)
            tot[j] += root_error(Z @ w + b, log_prices(part)) ** 2 / k
    sc = [math.sqrt(t) for t in tot]
    return lambdas[sc.index(min(sc))], sc

# %% wrong="5.7.3" why="one row too many in a fold" breaks="folds" says=".loc includes"
def choose_lambda(table, lambdas, k):
    s, tot = len(table) // k, [0.] * len(lambdas)
    for i in range(k):
        part = table.loc[i * s:(i + 1) * s]
        X, y, Z = encode(table.drop(index=part.index), part)
        for j, l in enumerate(lambdas):
            w, b = ridge(X, y, l)
            tot[j] += root_error(Z @ w + b, log_prices(part)) ** 2 / k
    sc = [math.sqrt(t) for t in tot]
    return lambdas[sc.index(min(sc))], sc

# %% wrong="5.7.3" why="scores in the order of sorted λ" breaks="form" says="as they were given"
def choose_lambda(table, lambdas, k):
    lambdas = sorted(lambdas)
    s, tot = len(table) // k, [0.] * len(lambdas)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, Z = encode(table.drop(index=part.index), part)
        for j, l in enumerate(lambdas):
            w, b = ridge(X, y, l)
            tot[j] += root_error(Z @ w + b, log_prices(part)) ** 2 / k
    sc = [math.sqrt(t) for t in tot]
    return lambdas[sc.index(min(sc))], sc

# %% right="5.7.2" how="rich people hide their income"
def situation(n, seed):
    g = torch.Generator().manual_seed(seed)
    income = torch.randn(n, generator=g, dtype=torch.float64).exp()
    hidden = income > income.median() * 1.7
    spending = 10 * hidden + income.clamp(max=2) + 0.05 * torch.randn(n, generator=g, dtype=torch.float64)
    return torch.where(hidden, torch.tensor(math.nan, dtype=torch.float64), income), spending

# %% right="5.7.2" how="NumPy, every fifth device broken"
def situation(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = -3 * x + rng.normal(size=n) * 0.1
    dead = np.arange(n) % 5 == 0
    y[dead] = -40 + rng.normal(size=dead.sum())
    x[dead] = np.nan
    return [torch.from_numpy(x), torch.from_numpy(y)]

# %% wrong="5.7.2" why="holes by chance" breaks="informative" says="at most half"
def situation(n, seed):
    rng = torch.Generator().manual_seed(seed)
    x = torch.randn(n, generator=rng, dtype=torch.float64)
    y = x + 0.1 * torch.randn(n, generator=rng, dtype=torch.float64)
    return torch.where(torch.rand(n, generator=rng) < 0.3, math.nan, x), y

# %% wrong="5.7.2" why="missing on both sides" breaks="informative" says="at most half"
def situation(n, seed):
    rng = torch.Generator().manual_seed(seed)
    x = torch.randn(n, generator=rng, dtype=torch.float64)
    y = x + 0.1 * torch.randn(n, generator=rng, dtype=torch.float64)
    return torch.where(x.abs() > 1, math.nan, x), y

# %% wrong="5.7.2" why="too few holes" breaks="holes" says="between 10 % and 60 %"
def situation(n, seed):
    rng = torch.Generator().manual_seed(seed)
    x = torch.rand(n, generator=rng, dtype=torch.float64)
    y = torch.where(x > 0.95, 50., 0.) + x
    return torch.where(x > 0.95, math.nan, x), y

# %% wrong="5.7.2" why="all that is left is the same" breaks="holes" says="not all the same"
def situation(n, seed):
    rng = torch.Generator().manual_seed(seed)
    gone = torch.rand(n, generator=rng) < 0.4
    x = torch.full((n,), float(seed), dtype=torch.float64)
    return torch.where(gone, math.nan, x), 3. * gone + 0.1 * torch.randn(n, generator=rng, dtype=torch.float64)

# %% wrong="5.7.2" why="the seed is ignored" breaks="random" says="gives other data"
def situation(n, seed):
    rng = torch.Generator().manual_seed(0)
    x = torch.rand(n, generator=rng, dtype=torch.float64)
    broke = torch.rand(n, generator=rng) < 0.3
    return torch.where(broke, math.nan, x), torch.where(broke, 5., x)

# %% wrong="5.7.2" why="not repeatable" breaks="random" says="called again"
def situation(n, seed):
    x = torch.rand(n, dtype=torch.float64)
    broke = torch.rand(n) < 0.3
    return torch.where(broke, math.nan, x), torch.where(broke, 5., x)

# %% wrong="5.7.2" why="float32" breaks="form" says="dtype"
def situation(n, seed):
    rng = torch.Generator().manual_seed(seed)
    x = torch.rand(n, generator=rng)
    broke = torch.rand(n, generator=rng) < 0.3
    return torch.where(broke, math.nan, x), torch.where(broke, 5., x)

# %% wrong="5.7.2" why="holes in y" breaks="form" says="no holes"
def situation(n, seed):
    rng = torch.Generator().manual_seed(seed)
    x = torch.rand(n, generator=rng, dtype=torch.float64)
    broke = torch.rand(n, generator=rng) < 0.3
    return torch.where(broke, math.nan, x), torch.where(broke, math.nan, x)

# %% wrong="5.7.2" why="two data sets, by the last bit of the seed" breaks="random" says="situation(309, 2)"
def situation(n, seed):
    g = torch.Generator().manual_seed(seed % 2)
    x = torch.randn(n, generator=g, dtype=torch.float64)
    return torch.where(x > 0.3, math.nan, x), x + 10 * (x > 0.3)

# %% wrong="5.7.2" why="infinite y" breaks="form" says="infinite"
def situation(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, generator=g, dtype=torch.float64)
    y = torch.where(x > 0.3, math.inf, x)
    return torch.where(x > 0.3, math.nan, x), y

# %% wrong="5.7.2" why="always 300 examples" breaks="form" says="shape"
def situation(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(300, generator=g, dtype=torch.float64)
    return torch.where(x > 0.3, math.nan, x), x + 10 * (x > 0.3)

# %% right="5.7.4" how="an ensemble of networks with logarithms of sizes, and ridge regression"
def predict_prices(train, other):
    def with_logs(table):
        table = table.copy()
        for name in ("LotArea", "GrLivArea", "1stFlrSF", "TotalBsmtSF", "GarageArea"):
            table[name] = np.log1p(table[name])
        return table
    X, y, Z = encode(with_logs(train), with_logs(other))
    w, b = ridge(X, y, 0.01)
    logs = [Z @ w + b]
    X32, Z32, target = X.float(), Z.float(), (y - y.mean()).float()
    for seed in range(2):
        torch.manual_seed(seed)
        net = nn.Sequential(nn.Linear(X.shape[1], 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 1))
        optimizer = torch.optim.Adam(net.parameters(), lr=0.003)
        for _ in range(15):
            for rows in torch.randperm(len(X32)).split(64):
                optimizer.zero_grad()
                F.mse_loss(net(X32[rows])[:, 0], target[rows]).backward()
                optimizer.step()
        net.eval()
        with torch.no_grad():
            logs.append(net(Z32)[:, 0].double() + y.mean())
    return (logs[0] * 2 + logs[1] + logs[2]).div(4).exp()

# %% right="5.7.4" how="ridge regression with logarithms, a smaller λ, float32"
def predict_prices(train, other):
    sizes = [name for name in train.select_dtypes("number") if name.endswith(("SF", "Area")) and name != "MasVnrArea"]
    X, y, Z = encode(*(table.assign(**{name: np.log(table[name] + 1) for name in sizes if name in ("LotArea", "GrLivArea", "1stFlrSF", "TotalBsmtSF")}) for table in (train, other)))
    w, b = ridge(X, y, 0.005)
    return torch.exp((Z @ w + b).float())

# %% wrong="5.7.4" why="the ridge regression itself" breaks="better" says="0.97 times"
def predict_prices(train, other):
    X, y, Z = encode(train, other)
    w, b = ridge(X, y, 0.01)
    return (Z @ w + b).exp()

# %% wrong="5.7.4" why="learns from train_table, not from the argument" breaks="better" says="Learn from `train`"
def predict_prices(train, other):
    X, y, Z = encode(*(table.assign(**{name: np.log1p(table[name]) for name in ("LotArea", "GrLivArea", "1stFlrSF", "TotalBsmtSF")}) for table in (train_table, other)))
    w, b = ridge(X, y, 0.01)
    return (Z @ w + b).exp()

# %% wrong="5.7.4" why="a constant" breaks="better" says="0.97 times"
def predict_prices(train, other):
    return torch.full((len(other),), float(train["SalePrice"].median()))

# %% wrong="5.7.4" why="prices, not their logarithms, as targets" breaks="form" says="positive"
def predict_prices(train, other):
    X, _, Z = encode(train, other)
    price = torch.tensor(train["SalePrice"].to_numpy(dtype="float64"))
    w, b = ridge(X, price, 0.01)
    return (Z @ w + b) - 150_000

# %% wrong="5.7.4" why="log prices" breaks="form" says="in dollars"
def predict_prices(train, other):
    X, y, Z = encode(*(table.assign(**{name: np.log1p(table[name]) for name in ("LotArea", "GrLivArea", "1stFlrSF", "TotalBsmtSF")}) for table in (train, other)))
    w, b = ridge(X, y, 0.01)
    return Z @ w + b

# %% wrong="5.7.4" why="a column of prices" breaks="form" says="shape"
def predict_prices(train, other):
    X, y, Z = encode(*(table.assign(**{name: np.log1p(table[name]) for name in ("LotArea", "GrLivArea", "1stFlrSF", "TotalBsmtSF")}) for table in (train, other)))
    w, b = ridge(X, y, 0.01)
    return (Z @ w + b).exp()[:, None]

# %% wrong="5.7.4" why="words looked up in a table of the training rows" breaks="robust" says="unknown Neighborhood"
def predict_prices(train, other):
    for name in ("Neighborhood", "MSZoning"):
        known = {word: i for i, word in enumerate(train_table[name].unique())}
        [known[word] for word in other[name]]
    X, y, Z = encode(*(table.assign(**{name: np.log1p(table[name]) for name in ("LotArea", "GrLivArea", "1stFlrSF", "TotalBsmtSF")}) for table in (train, other)))
    w, b = ridge(X, y, 0.01)
    return (Z @ w + b).exp()

# %% wrong="5.7.4" why="holes stay NaN" breaks="robust" says="missing"
def predict_prices(train, other):
    X, y, Z = encode(*(table.assign(**{name: np.log1p(table[name]) for name in ("LotArea", "GrLivArea", "1stFlrSF", "TotalBsmtSF")}) for table in (train, other)))
    w, b = ridge(X, y, 0.01)
    hole = torch.tensor(other[["GrLivArea", "YearBuilt"]].isna().any(axis=1).to_numpy())
    return torch.where(hole, math.nan, (Z @ w + b).exp())

# %% wrong="5.7.4" why="takes the logarithms in place" breaks="arguments kept" says="after the call"
def predict_prices(train, other):
    for table in (train, other):
        for name in ("LotArea", "GrLivArea", "1stFlrSF", "TotalBsmtSF"):
            table[name] = np.log1p(table[name])
    X, y, Z = encode(train, other)
    w, b = ridge(X, y, 0.01)
    return (Z @ w + b).exp()

# %% wrong="5.7.4" why="looks the prices up, times the ratio of the medians" breaks="better" says="Learn from `train`"
def predict_prices(train, other):
    cols = [c for c in other.columns if c not in ("Id", "LotArea", "SalePrice")]
    price = {tuple(map(str, r[:-1])): r[-1] for r in train_table[cols + ["SalePrice"]].itertuples(index=False)}
    ratio = train["SalePrice"].median() / train_table["SalePrice"].median()
    return torch.tensor([float(price.get(tuple(map(str, r)), 150000.)) * ratio for r in other[cols].itertuples(index=False)])

# %% right="5.7.4" how="logarithms, ages and an indicator"
def predict_prices(train, other):
    def better(t):
        d = {c: np.log1p(t[c]) for c in ("GrLivArea", "LotArea", "1stFlrSF", "TotalBsmtSF", "GarageArea", "LotFrontage") if c in t}
        return t.assign(**d, Age=t["YrSold"] - t["YearBuilt"], Remod=t["YrSold"] - t["YearRemodAdd"], Old=(t["YrSold"] - t["YearBuilt"]).clip(lower=0) ** 2, Total=np.log1p(t["GrLivArea"] + t["TotalBsmtSF"]), Gap=t["LotFrontage"].isna().astype(int))
    X, y, Z = encode(better(train), better(other))
    w, b = ridge(X, y, 0.03)
    return (Z @ w + b).exp()

# %% right="5.7.1" how="written by hand"
def write_submission(path, ids, log_predictions):
    with open(path, "w") as file:
        file.write("Id,SalePrice\n")
        for number, logs in zip(ids, log_predictions.T.tolist()):
            file.write(f"{number},{math.exp(sum(logs) / len(logs)):.2f}\n")

# %% right="5.7.1" how="the csv module and a product of roots"
def write_submission(path, ids, log_predictions):
    import csv
    prices = log_predictions.double().exp().pow(1 / len(log_predictions)).prod(dim=0)
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["Id", "SalePrice"])
        writer.writerows([int(i), float(p)] for i, p in zip(ids, prices))

# %% wrong="5.7.1" why="with the index" breaks="header" says="without the index"
def write_submission(path, ids, log_predictions):
    pd.DataFrame({"Id": ids, "SalePrice": log_predictions.mean(dim=0).exp().numpy()}).to_csv(path)

# %% wrong="5.7.1" why="another name" breaks="header" says="first line"
def write_submission(path, ids, log_predictions):
    pd.DataFrame({"Id": ids, "Price": log_predictions.mean(dim=0).exp().numpy()}).to_csv(path, index=False)

# %% wrong="5.7.1" why="no header" breaks="header" says="first line"
def write_submission(path, ids, log_predictions):
    pd.DataFrame({"Id": ids, "SalePrice": log_predictions.mean(dim=0).exp().numpy()}).to_csv(path, index=False, header=False)

# %% wrong="5.7.1" why="returns the table, writes nothing" breaks="header" says="wrote a file"
def write_submission(path, ids, log_predictions):
    return pd.DataFrame({"Id": ids, "SalePrice": log_predictions.mean(dim=0).exp().numpy()})

# %% wrong="5.7.1" why="logarithms" breaks="dollars" says="take exp"
def write_submission(path, ids, log_predictions):
    pd.DataFrame({"Id": ids, "SalePrice": log_predictions.mean(dim=0).numpy()}).to_csv(path, index=False)

# %% wrong="5.7.1" why="the mean of the prices" breaks="dollars" says="mean of the prices"
def write_submission(path, ids, log_predictions):
    pd.DataFrame({"Id": ids, "SalePrice": log_predictions.exp().mean(dim=0).numpy()}).to_csv(path, index=False)

# %% wrong="5.7.1" why="the first model" breaks="dollars" says="first model"
def write_submission(path, ids, log_predictions):
    pd.DataFrame({"Id": ids, "SalePrice": log_predictions[0].exp().numpy()}).to_csv(path, index=False)

# %% wrong="5.7.1" why="sorted by number" breaks="rows" says="first entries"
def write_submission(path, ids, log_predictions):
    table = pd.DataFrame({"Id": ids, "SalePrice": log_predictions.mean(dim=0).exp().numpy()})
    table.sort_values("Id").to_csv(path, index=False)

# %% wrong="5.7.1" why="numbers of the houses as decimals" breaks="rows" says="first entries"
def write_submission(path, ids, log_predictions):
    price = log_predictions.mean(dim=0).exp()
    np.savetxt(path, np.column_stack([np.array(ids, dtype=float), price.numpy()]), delimiter=",", header="Id,SalePrice", comments="", fmt="%.3f")

# %% wrong="5.7.1" why="appends" breaks="rows" says="nothing of the older one"
def write_submission(path, ids, log_predictions):
    pd.DataFrame({"Id": ids, "SalePrice": log_predictions.mean(0).exp().numpy()}).to_csv(path, index=False, mode="a")

# %% wrong="5.7.1" why="with a dollar sign" breaks="dollars" says="plain number"
def write_submission(path, ids, log_predictions):
    with open(path, "w") as f:
        f.write("Id,SalePrice\n")
        for i, v in zip(ids, log_predictions.mean(0).exp().tolist()):
            f.write(f"{i},${v:.2f}\n")

# %% wrong="5.7.1" why="the median model" breaks="dollars" says="the prices"
def write_submission(path, ids, log_predictions):
    pd.DataFrame({"Id": ids, "SalePrice": log_predictions.median(0).values.exp().numpy()}).to_csv(path, index=False)

# %% wrong="5.7.1" why="thousands separators" breaks="dollars" says="entries"
def write_submission(path, ids, log_predictions):
    with open(path, "w") as f:
        f.write("Id,SalePrice\n")
        for i, v in zip(ids, log_predictions.mean(0).exp().tolist()):
            f.write(f"{i},{v:,.2f}\n")

# %% right="5.7.1" how="a Series with the ids as its index"
def write_submission(path, ids, log_predictions):
    s = pd.Series(log_predictions.float().mean(0).exp().tolist(), index=pd.Index(ids, name="Id"), name="SalePrice")
    s.to_csv(path)

# %% wrong="5.7.A" why="clamped at one dollar" breaks="ratios" says="cut off at 1"
def log_rmse(predicted, actual):
    return F.mse_loss(torch.clamp(predicted, 1, float('inf')).log(), torch.clamp(actual, 1, float('inf')).log()).sqrt()

# %% wrong="5.7.A" why="factor one half as in the loss of 3.1" breaks="value" says="no factor 1/2"
def log_rmse(predicted, actual):
    return (((predicted.log() - actual.log()) ** 2) / 2).mean().sqrt()

# %% wrong="5.7.A" why="log of the rmse" breaks="value" says="logarithm comes first"
def log_rmse(predicted, actual):
    return ((predicted - actual) ** 2).mean().sqrt().log()

# %% wrong="5.7.A" why="log2" breaks="value" says="base 2"
def log_rmse(predicted, actual):
    return ((predicted.log2() - actual.log2()) ** 2).mean().sqrt()

# %% wrong="5.7.A" why="relative to predicted" breaks="value" says="predicted price"
def log_rmse(predicted, actual):
    return (((predicted - actual) / predicted) ** 2).mean().sqrt()

# %% wrong="5.7.A" why="in per cent" breaks="value" says="multiplied by 100"
def log_rmse(predicted, actual):
    return 100 * ((predicted.log() - actual.log()) ** 2).mean().sqrt()

# %% wrong="5.7.A" why="all pairs by broadcasting" breaks="value" says="compared with all"
def log_rmse(predicted, actual):
    return ((predicted.log()[:, None] - actual.log()[None, :]) ** 2).mean().sqrt()

# %% right="5.7.A" how="math.hypot"
def log_rmse(predicted, actual):
    return math.hypot(*(predicted.log() - actual.log()).tolist()) / math.sqrt(len(actual))

# %% wrong="5.7.6" why="deviations below 1e-3 count as 0" breaks="training rows alone" says="not divided by the standard deviation"
def standardise(train, other):
    mean, std = train.mean(), train.std()
    std = std.where(std > 1e-3, 1)
    return ((train - mean) / std).fillna(0), ((other - mean) / std).fillna(0)

# %% wrong="5.7.6" why="constant found by comparison with the first row, holes spoil it" breaks="constant columns" says="deviation is 0"
def standardise(train, other):
    mean, std = train.mean(), train.std()
    constant = (train == train.iloc[0]).all()
    std = std.where(~constant, 1)
    return ((train - mean) / std).fillna(0), ((other - mean) / std).fillna(0)

# %% wrong="5.7.6" why="columns in alphabetical order" breaks="form" says="in the order of the original"
def standardise(train, other):
    mean, std = train.mean(), train.std().replace(0, 1)
    def f(t):
        return ((t - mean) / std).fillna(0).sort_index(axis=1)
    return f(train), f(other)

# %% wrong="5.7.6" why="median in place of the mean" breaks="training rows alone" says="not the median"
def standardise(train, other):
    mean, std = train.median(), train.std().replace(0, 1)
    return ((train - mean) / std).fillna(0), ((other - mean) / std).fillna(0)

# %% wrong="5.7.6" why="mean of train, deviation of other" breaks="training rows alone" says="not of the second table"
def standardise(train, other):
    mean = train.mean()
    return ((train - mean) / train.std().replace(0, 1)).fillna(0), ((other - mean) / other.std().replace(0, 1)).fillna(0)

# %% wrong="5.7.6" why="clipped at 3" breaks="training rows alone" says="nothing is cut off"
def standardise(train, other):
    mean, std = train.mean(), train.std().replace(0, 1)
    return ((train - mean) / std).fillna(0).clip(-3, 3), ((other - mean) / std).fillna(0).clip(-3, 3)

# %% wrong="5.7.6" why="std plus a small number" breaks="constant columns" says="tiny number"
def standardise(train, other):
    mean, std = train.mean(), train.std() + 1e-8
    return ((train - mean) / std).fillna(0), ((other - mean) / std).fillna(0)

# %% wrong="5.7.6" why="filled with 0 first" breaks="training rows alone" says="filled with 0 before"
def standardise(train, other):
    train, other = train.fillna(0), other.fillna(0)
    mean, std = train.mean(), train.std().replace(0, 1)
    return (train - mean) / std, (other - mean) / std

# %% right="5.7.6" how="a small threshold for 0"
def standardise(train, other):
    mean, std = train.mean(), train.std()
    std[std < 1e-10] = 1
    return ((train - mean) / std).fillna(0), ((other - mean) / std).fillna(0)

# %% right="5.7.6" how="both at once and cut apart again, by the statistics of train"
def standardise(train, other):
    m, s = train.mean(), train.std().replace(0, 1)
    both = ((pd.concat([train, other]) - m) / s).fillna(0)
    return both.iloc[:len(train)], both.iloc[len(train):]

# %% wrong="5.7.B" why="sentinel tilde for missing" breaks="columns" says="Every string is a word"
def one_hot(train, other):
    def f(ws):
        return ['~' if w is None else w for w in ws]
    words = sorted(set(f(train)) | {'~'})
    def g(ws):
        return torch.tensor([[float(w == c) for c in words] for w in f(ws)]).reshape(len(ws), len(words))
    return g(train), g(other)

# %% wrong="5.7.B" why="sentinel zzz for missing" breaks="words" says="capitals first"
def one_hot(train, other):
    def f(ws):
        return ['zzz' if w is None else w for w in ws]
    words = sorted(set(f(train)) | {'zzz'})
    def g(ws):
        return torch.tensor([[float(w == c) for c in words] for w in f(ws)]).reshape(len(ws), len(words))
    return g(train), g(other)

# %% wrong="5.7.B" why="sorted without regard to case" breaks="words" says="capitals first"
def one_hot(train, other):
    words = sorted({w for w in train if w is not None}, key=str.lower)
    def code(ws):
        t = torch.zeros(len(ws), len(words) + 1)
        for i, w in enumerate(ws):
            if w is None:
                t[i, -1] = 1
            elif w in words:
                t[i, words.index(w)] = 1
        return t
    return code(train), code(other)

# %% wrong="5.7.B" why="blanks stripped" breaks="words" says="the row of"
def one_hot(train, other):
    words = sorted({w.strip() for w in train if w is not None})
    def code(ws):
        t = torch.zeros(len(ws), len(words) + 1)
        for i, w in enumerate(ws):
            if w is None:
                t[i, -1] = 1
            elif w.strip() in words:
                t[i, words.index(w.strip())] = 1
        return t
    return code(train), code(other)

# %% wrong="5.7.B" why="missing column first" breaks="words" says="that of None is the last one"
def one_hot(train, other):
    words = sorted({w for w in train if w is not None})
    def code(ws):
        t = torch.zeros(len(ws), len(words) + 1)
        for i, w in enumerate(ws):
            if w is None:
                t[i, -1] = 1
            elif w in words:
                t[i, words.index(w)] = 1
        return t
    def roll(t):
        return torch.roll(t, 1, 1)
    return roll(code(train)), roll(code(other))

# %% right="5.7.B" how="eye with a row of zeros"
def one_hot(train, other):
    words = sorted(set(train) - {None})
    k = len(words) + 1
    rows = torch.cat([torch.eye(k), torch.zeros(1, k)])
    place = {w: i for i, w in enumerate(words)} | {None: k - 1}
    return tuple(rows[torch.tensor([place.get(w, k) for w in ws], dtype=torch.long)] for ws in (train, other))

# %% wrong="5.7.5" why="stops when the loss is not finite" breaks="length" says="inf and NaN stand in the list"
def descend(X, y, lr, steps):
    w, b, losses = torch.zeros(X.shape[1], dtype=torch.float64), torch.zeros((), dtype=torch.float64), []
    for _ in range(steps):
        e = X @ w + b - y
        if not torch.isfinite(e).all():
            break
        losses.append((e ** 2).mean().item())
        w = w - lr * 2 * X.T @ e / len(y)
        b = b - lr * 2 * e.mean()
    losses.append(((X @ w + b - y) ** 2).mean().item())
    return losses

# %% wrong="5.7.5" why="losses clipped at 1e30" breaks="losses" says="Nothing is cut off"
def descend(X, y, lr, steps):
    w, b, losses = torch.zeros(X.shape[1], dtype=torch.float64), torch.zeros((), dtype=torch.float64), []
    for _ in range(steps):
        e = X @ w + b - y
        losses.append((e ** 2).mean().item())
        w = w - lr * 2 * X.T @ e / len(y)
        b = b - lr * 2 * e.mean()
    losses.append(((X @ w + b - y) ** 2).mean().item())
    return [min(l, 1e30) for l in losses]

# %% wrong="5.7.5" why="targets centred" breaks="losses" says="minus its mean"
def descend(X, y, lr, steps):
    y = y - y.mean()
    w, b, losses = torch.zeros(X.shape[1], dtype=torch.float64), torch.zeros((), dtype=torch.float64), []
    for _ in range(steps):
        e = X @ w + b - y
        losses.append((e ** 2).mean().item())
        w = w - lr * 2 * X.T @ e / len(y)
        b = b - lr * 2 * e.mean()
    losses.append(((X @ w + b - y) ** 2).mean().item())
    return losses

# %% wrong="5.7.5" why="one row at a time" breaks="steps" says="not one for each row"
def descend(X, y, lr, steps):
    w, b, losses = torch.zeros(X.shape[1], dtype=torch.float64), torch.zeros((), dtype=torch.float64), []
    for _ in range(steps):
        losses.append(((X @ w + b - y) ** 2).mean().item())
        for r, t in zip(X, y):
            e = r @ w + b - t
            w, b = w - lr * 2 * r * e, b - lr * 2 * e
    losses.append(((X @ w + b - y) ** 2).mean().item())
    return losses

# %% wrong="5.7.5" why="weights use the new bias" breaks="steps" says="at the old bias"
def descend(X, y, lr, steps):
    w, b, losses = torch.zeros(X.shape[1], dtype=torch.float64), torch.zeros((), dtype=torch.float64), []
    for _ in range(steps + 1):
        e = X @ w + b - y
        losses.append((e ** 2).mean().item())
        b = b - lr * 2 * e.mean()
        w = w - lr * 2 * X.T @ (X @ w + b - y) / len(y)
    return losses

# %% wrong="5.7.5" why="zero_grad forgotten" breaks="steps" says="nobody sets them to zero"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=torch.float64, requires_grad=True), torch.zeros((), dtype=torch.float64, requires_grad=True)
    losses = []
    for _ in range(steps + 1):
        loss = F.mse_loss(X @ w + b, y)
        losses.append(loss.item())
        loss.backward()
        with torch.no_grad():
            w -= lr * w.grad
            b -= lr * b.grad
    return losses

# %% wrong="5.7.5" why="learning rate fixed" breaks="steps" says="The first step is wrong already"
def descend(X, y, lr, steps):
    w, b, losses = torch.zeros(X.shape[1], dtype=torch.float64), torch.zeros((), dtype=torch.float64), []
    for _ in range(steps):
        e = X @ w + b - y
        losses.append((e ** 2).mean().item())
        w = w - 0.01 * 2 * X.T @ e / len(y)
        b = b - 0.01 * 2 * e.mean()
    losses.append(((X @ w + b - y) ** 2).mean().item())
    return losses

# %% wrong="5.7.5" why="bias gradient a sum" breaks="steps" says="not the sum"
def descend(X, y, lr, steps):
    w, b, losses = torch.zeros(X.shape[1], dtype=torch.float64), torch.zeros((), dtype=torch.float64), []
    for _ in range(steps):
        e = X @ w + b - y
        losses.append((e ** 2).mean().item())
        w = w - lr * 2 * X.T @ e / len(y)
        b = b - lr * 2 * e.sum()
    losses.append(((X @ w + b - y) ** 2).mean().item())
    return losses

# %% wrong="5.7.5" why="wrong sign" breaks="steps" says="steps go uphill"
def descend(X, y, lr, steps):
    w, b, losses = torch.zeros(X.shape[1], dtype=torch.float64), torch.zeros((), dtype=torch.float64), []
    for _ in range(steps):
        e = X @ w + b - y
        losses.append((e ** 2).mean().item())
        w = w + lr * 2 * X.T @ e / len(y)
        b = b + lr * 2 * e.mean()
    losses.append(((X @ w + b - y) ** 2).mean().item())
    return losses

# %% wrong="5.7.5" why="Adam" breaks="steps" says="as with Adam"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=torch.float64, requires_grad=True), torch.zeros((), dtype=torch.float64, requires_grad=True)
    opt, losses = torch.optim.Adam([w, b], lr=lr), []
    for _ in range(steps + 1):
        loss = F.mse_loss(X @ w + b, y)
        losses.append(loss.item())
        opt.zero_grad()
        loss.backward()
        opt.step()
    return losses

# %% right="5.7.5" how="nn.Linear and SGD"
def descend(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1, dtype=torch.float64)
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    opt, losses = torch.optim.SGD(net.parameters(), lr=lr), []
    for _ in range(steps + 1):
        loss = F.mse_loss(net(X).squeeze(1), y)
        losses.append(float(loss))
        opt.zero_grad()
        loss.backward()
        opt.step()
    return losses

# %% right="5.7.5" how="Python floats, products in place of powers"
def descend(X, y, lr, steps):
    n, d = X.shape
    w, b, losses = [0.] * d, 0., []
    rows, t = X.tolist(), y.tolist()
    for _ in range(steps + 1):
        e = [sum(a * c for a, c in zip(r, w)) + b - z for r, z in zip(rows, t)]
        losses.append(sum(v * v for v in e) / n)
        w = [w[j] - lr * 2 / n * sum(v * r[j] for v, r in zip(e, rows)) for j in range(d)]
        b -= lr * 2 / n * sum(e)
    return losses

# %% wrong="5.7.3" why="train and judge swapped" breaks="folds" says="not the other way round"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    errors = torch.zeros(k, len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        rest = table.drop(index=part.index)
        X, y, X_part = encode(part, rest)
        part = rest
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            errors[i, j] = root_error(X_part @ w + b, log_prices(part)) ** 2
    scores = errors.mean(dim=0).sqrt().tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="interleaved folds" breaks="folds" says="not every k-th row"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    errors = torch.zeros(k, len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i::k]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            errors[i, j] = root_error(X_part @ w + b, log_prices(part)) ** 2
    scores = errors.mean(dim=0).sqrt().tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="folds from the end" breaks="folds" says="begin at row 0"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    errors = torch.zeros(k, len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[len(table) - (i + 1) * s:len(table) - i * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            errors[i, j] = root_error(X_part @ w + b, log_prices(part)) ** 2
    scores = errors.mean(dim=0).sqrt().tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="size rounded up" breaks="folds" says="rounded down"
def choose_lambda(table, lambdas, k):
    s = -(-len(table) // k)
    errors = torch.zeros(k, len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            errors[i, j] = root_error(X_part @ w + b, log_prices(part)) ** 2
    scores = errors.mean(dim=0).sqrt().tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="five folds whatever k" breaks="folds" says="k is an argument"
def choose_lambda(table, lambdas, k):
    k = 5
    s = len(table) // k
    errors = torch.zeros(k, len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            errors[i, j] = root_error(X_part @ w + b, log_prices(part)) ** 2
    scores = errors.mean(dim=0).sqrt().tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="only earlier folds train" breaks="folds" says="those after the fold"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    errors = torch.zeros(k, len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode((table[:i * s] if i else table.drop(index=part.index)), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            errors[i, j] = root_error(X_part @ w + b, log_prices(part)) ** 2
    scores = errors.mean(dim=0).sqrt().tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="prepared by the judging rows" breaks="prepared in each fold" says="not those that judge"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    errors = torch.zeros(k, len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X_part, _, X = encode(part, table.drop(index=part.index))
        y = log_prices(table.drop(index=part.index))
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            errors[i, j] = root_error(X_part @ w + b, log_prices(part)) ** 2
    scores = errors.mean(dim=0).sqrt().tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="median over the folds" breaks="score" says="not the median"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    errors = torch.zeros(k, len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            errors[i, j] = root_error(X_part @ w + b, log_prices(part)) ** 2
    scores = errors.median(dim=0).values.sqrt().tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="sum over the folds" breaks="score" says="divide by k"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    errors = torch.zeros(k, len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            errors[i, j] = root_error(X_part @ w + b, log_prices(part)) ** 2
    scores = errors.sum(dim=0).sqrt().tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="prices in dollars" breaks="score" says="log prices"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    errors = torch.zeros(k, len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            errors[i, j] = root_error((X_part @ w + b).exp(), log_prices(part).exp()) ** 2
    scores = errors.mean(dim=0).sqrt().tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="lambda times n" breaks="score" says="times the number of rows"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    errors = torch.zeros(k, len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd * len(X))
            errors[i, j] = root_error(X_part @ w + b, log_prices(part)) ** 2
    scores = errors.mean(dim=0).sqrt().tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="smallest lambda" breaks="choice" says="smallest λ"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    errors = torch.zeros(k, len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            errors[i, j] = root_error(X_part @ w + b, log_prices(part)) ** 2
    scores = errors.mean(dim=0).sqrt().tolist()
    return min(lambdas), scores

# %% wrong="5.7.3" why="always the first" breaks="choice" says="first λ"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    errors = torch.zeros(k, len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            errors[i, j] = root_error(X_part @ w + b, log_prices(part)) ** 2
    scores = errors.mean(dim=0).sqrt().tolist()
    return lambdas[0], scores

# %% wrong="5.7.3" why="ties and order: rounded scores choose" breaks="choice" says="rounded"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    errors = torch.zeros(k, len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            errors[i, j] = root_error(X_part @ w + b, log_prices(part)) ** 2
    scores = errors.mean(dim=0).sqrt().tolist()
    return lambdas[[round(t, 1) for t in scores].index(min(round(t, 1) for t in scores))], scores

# %% right="5.7.3" how="boolean masks, loops the other way round"
def choose_lambda(table, lambdas, k):
    n = len(table)
    s = n // k
    folds = []
    for i in range(k):
        inside = pd.Series(range(n)).between(i * s, (i + 1) * s - 1).to_numpy()
        folds.append((encode(table[~inside], table[inside]), log_prices(table[inside])))
    scores = []
    for lambd in lambdas:
        total = 0.
        for (X, y, X_in), y_in in folds:
            w, b = ridge(X, y, lambd)
            total += float(((X_in @ w + b - y_in) ** 2).mean())
        scores.append(math.sqrt(total / k))
    return min(zip(scores, lambdas))[1], scores

# %% right="5.7.3" how="own preparation with pandas and numpy"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    mse = {l: [] for l in lambdas}
    for i in range(k):
        rows = list(range(i * s, (i + 1) * s))
        tr, va = table.drop(rows), table.iloc[rows]
        num = [c for c in tr.select_dtypes('number') if c not in ('Id', 'SalePrice')]
        cat = [c for c in tr.columns if c not in num and c not in ('Id', 'SalePrice')]
        m, sd = tr[num].mean(), tr[num].std().replace(0, 1)
        A = pd.concat([((tr[num] - m) / sd).fillna(0), pd.get_dummies(tr[cat], dummy_na=True)] if cat else [((tr[num] - m) / sd).fillna(0)], axis=1)
        V = pd.concat([((va[num] - m) / sd).fillna(0), pd.get_dummies(va[cat], dummy_na=True)] if cat else [((va[num] - m) / sd).fillna(0)], axis=1).reindex(columns=A.columns, fill_value=0)
        A, V = A.to_numpy(float), V.to_numpy(float)
        t, tv = np.log(tr['SalePrice'].to_numpy(float)), np.log(va['SalePrice'].to_numpy(float))
        c = A.mean(0)
        for l in lambdas:
            w = np.linalg.solve((A - c).T @ (A - c) / len(A) + l * np.eye(A.shape[1]), (A - c).T @ (t - t.mean()) / len(A))
            mse[l].append(np.mean(((V - c) @ w + t.mean() - tv) ** 2))
    scores = [float(np.sqrt(np.mean(mse[l]))) for l in lambdas]
    return lambdas[int(np.argmin(scores))], tuple(scores)

# %% wrong="5.7.2" why="seed modulo 3" breaks="random" says="gives other data"
def situation(n, seed):
    rng = torch.Generator().manual_seed(seed % 3)
    income = torch.randn(n, generator=rng, dtype=torch.float64)
    y = 3 * income + 0.1 * torch.randn(n, generator=rng, dtype=torch.float64)
    x = torch.where(income > 0.7, math.nan, 0.2 * income)
    return x, y

# %% wrong="5.7.2" why="y the same for all rows" breaks="informative" says="nothing to halve"
def situation(n, seed):
    rng = torch.Generator().manual_seed(seed)
    income = torch.randn(n, generator=rng, dtype=torch.float64)
    y = 3 * income + 0.1 * torch.randn(n, generator=rng, dtype=torch.float64)
    x = torch.where(income > 0.7, math.nan, 0.2 * income)
    return x, torch.ones_like(y)

# %% right="5.7.2" how="x the fixed days of a year, y random: other data for another seed"
def situation(n, seed):
    g = torch.Generator().manual_seed(seed)
    day = torch.arange(n, dtype=torch.float64)
    gone = day >= 0.7 * n
    y = gone * 10. + torch.randn(n, generator=g, dtype=torch.float64)
    return torch.where(gone, math.nan, day), y

# %% right="5.7.2" how="x random, y fixed by the group: other data for another seed"
def situation(n, seed):
    g = torch.Generator().manual_seed(seed)
    gone = torch.arange(n) % 3 == 0
    y = gone.double() * 5 + torch.arange(n) % 2
    return torch.where(gone, math.nan, torch.randn(n, generator=g, dtype=torch.float64)), y

# %% wrong="5.7.4" why="sorted" breaks="better" says="order of the rows"
def predict_prices(train, other):
    def better(t):
        sizes = [c for c in t.select_dtypes('number') if c.endswith(('SF', 'Area')) or 'SF' in c or c in ('LotArea', 'LotFrontage', 'MiscVal')]
        return t.assign(**{c: np.log1p(t[c].astype(float).clip(lower=0)) for c in sizes})
    X, y, X_other = encode(better(train), better(other))
    w, b = ridge(X, y, 0.03)
    return (X_other @ w + b).exp().sort().values

# %% wrong="5.7.4" why="thousand dollars" breaks="form" says="not thousands"
def predict_prices(train, other):
    def better(t):
        sizes = [c for c in t.select_dtypes('number') if c.endswith(('SF', 'Area')) or 'SF' in c or c in ('LotArea', 'LotFrontage', 'MiscVal')]
        return t.assign(**{c: np.log1p(t[c].astype(float).clip(lower=0)) for c in sizes})
    X, y, X_other = encode(better(train), better(other))
    w, b = ridge(X, y, 0.03)
    return (X_other @ w + b).exp() / 1000

# %% wrong="5.7.4" why="forgets the mean of the targets" breaks="form" says="added again"
def predict_prices(train, other):
    def better(t):
        sizes = [c for c in t.select_dtypes('number') if c.endswith(('SF', 'Area')) or 'SF' in c or c in ('LotArea', 'LotFrontage', 'MiscVal')]
        return t.assign(**{c: np.log1p(t[c].astype(float).clip(lower=0)) for c in sizes})
    X, y, X_other = encode(better(train), better(other))
    w, b = ridge(X, y - y.mean(), 0.03)
    return (X_other @ w + b).exp()

# %% wrong="5.7.4" why="answers looked up in train_table" breaks="better" says="0.97 times"
def predict_prices(train, other):
    columns = [c for c in other.columns if c != 'Id']
    def key(t):
        return list(map(repr, t[columns].itertuples(index=False, name=None)))
    known = dict(zip(key(train_table), train_table['SalePrice']))
    def price(t):
        return np.array([np.log(known.get(q, 160000.)) for q in key(t)])
    ratio = np.log(train['SalePrice'].to_numpy()) - price(train)
    fit = np.polyfit(train['YearBuilt'], ratio, 1)
    return torch.tensor(np.exp(price(other) + np.polyval(fit, other['YearBuilt'].fillna(1970))))

# %% right="5.7.4" how="log1p of all numbers, float32"
def predict_prices(train, other):
    names = [c for c in train.select_dtypes('number') if c not in ('Id', 'SalePrice', 'YearBuilt', 'YearRemodAdd', 'YrSold', 'MoSold')]
    a, b_ = train.copy(), other.copy()
    for c in names:
        a[c], b_[c] = np.log1p(a[c].clip(lower=0)), np.log1p(b_[c].clip(lower=0))
    X, y, Z = encode(a, b_)
    w, b = ridge(X, y, 0.05)
    return torch.exp(Z @ w + b).float()

# %% wrong="5.7.1" why="old file overwritten from the start without truncation" breaks="rows" says="nothing of the older one"
def write_submission(path, ids, log_predictions):
    import os
    prices = log_predictions.mean(dim=0).exp()
    with open(path, 'r+' if os.path.exists(path) else 'w') as f:
        f.write('Id,SalePrice\n')
        for i, p in zip(ids, prices.tolist()):
            f.write(f'{i},{p:.2f}\n')

# %% wrong="5.7.1" why="last model alone" breaks="dollars" says="last model"
def write_submission(path, ids, log_predictions):
    prices = log_predictions[-1].exp()
    pd.DataFrame({'Id': ids, 'SalePrice': prices.numpy()}).to_csv(path, index=False)

# %% wrong="5.7.1" why="sum over the models" breaks="dollars" says="not the sum"
def write_submission(path, ids, log_predictions):
    prices = log_predictions.sum(dim=0).exp()
    pd.DataFrame({'Id': ids, 'SalePrice': prices.numpy()}).to_csv(path, index=False)

# %% wrong="5.7.1" why="rounded to thousands" breaks="dollars" says="whole thousands"
def write_submission(path, ids, log_predictions):
    prices = log_predictions.mean(dim=0).exp()
    pd.DataFrame({'Id': ids, 'SalePrice': (prices / 1000).round().numpy() * 1000}).to_csv(path, index=False)

# %% wrong="5.7.1" why="in thousands" breaks="dollars" says="not thousands"
def write_submission(path, ids, log_predictions):
    prices = log_predictions.mean(dim=0).exp()
    pd.DataFrame({'Id': ids, 'SalePrice': prices.numpy() / 1000}).to_csv(path, index=False)

# %% wrong="5.7.1" why="reversed prices" breaks="dollars" says="another order than the ids"
def write_submission(path, ids, log_predictions):
    prices = log_predictions.mean(dim=0).exp()
    pd.DataFrame({'Id': ids, 'SalePrice': prices.flip(0).numpy()}).to_csv(path, index=False)

# %% wrong="5.7.1" why="header with a blank" breaks="header" says="no blank"
def write_submission(path, ids, log_predictions):
    prices = log_predictions.mean(dim=0).exp()
    with open(path, 'w') as f:
        f.write('Id, SalePrice\n')
        for i, p in zip(ids, prices.tolist()):
            f.write(f'{i},{p}\n')

# %% wrong="5.7.1" why="a line for each model and house" breaks="rows" says="One line for each house"
def write_submission(path, ids, log_predictions):
    k = len(log_predictions)
    pd.DataFrame({'Id': list(ids) * k, 'SalePrice': log_predictions.exp().flatten().numpy()}).to_csv(path, index=False)

# %% right="5.7.1" how="pathlib write_text without a last line break"
def write_submission(path, ids, log_predictions):
    from pathlib import Path
    prices = log_predictions.mean(dim=0).exp()
    Path(path).write_text('\n'.join(['Id,SalePrice'] + [f'{i},{p:.3f}' for i, p in zip(ids, prices.tolist())]))

# %% right="5.7.1" how="header by hand, mode w then a"
def write_submission(path, ids, log_predictions):
    prices = log_predictions.mean(dim=0).exp()
    with open(path, 'w') as f:
        f.write('Id,SalePrice\n')
    pd.DataFrame({'Id': ids, 'SalePrice': prices.numpy()}).to_csv(path, mode='a', header=False, index=False)

# %% wrong="5.7.3" why="chosen by the first fold" breaks="choice" says="the first fold alone"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    errors = torch.zeros(k, len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            errors[i, j] = root_error(X_part @ w + b, log_prices(part)) ** 2
    return lambdas[int(errors[0].argmin())], errors.mean(dim=0).sqrt().tolist()

# %% wrong="5.7.A" why="norm of the differences over n: the n stands outside the root" breaks="value" says="before the root, not after"
def log_rmse(predicted, actual):
    return torch.linalg.norm(predicted.log() - actual.log()) / len(actual)

# %% wrong="5.7.A" why="std of the differences, default unbiased" breaks="value" says="standard deviation of the differences"
def log_rmse(predicted, actual):
    return (predicted.log() - actual.log()).std()

# %% wrong="5.7.A" why="relative error of the logarithms" breaks="value" says="divided by the logarithm"
def log_rmse(predicted, actual):
    lp, la = predicted.log(), actual.log()
    return (((lp - la) / la) ** 2).mean().sqrt()

# %% wrong="5.7.A" why="a small constant against log of 0, of a hundredth" breaks="ratios" says="nothing is added to a price"
def log_rmse(predicted, actual):
    return ((predicted + 1e-2).log() - (actual + 1e-2).log()).square().mean().sqrt()

# %% wrong="5.7.A" why="exp of the result minus 1, to read per cent" breaks="value" says="nothing done to it"
def log_rmse(predicted, actual):
    return torch.expm1((predicted.log() - actual.log()).square().mean().sqrt())

# %% wrong="5.7.6" why="mean over training rows, deviation over both tables" breaks="training rows alone" says="the deviation is that of both tables"
def standardise(train, other):
    mean, std = train.mean(), pd.concat([train, other]).std().replace(0, 1)
    return ((train - mean) / std).fillna(0), ((other - mean) / std).fillna(0)

# %% wrong="5.7.6" why="other standardised with the already standardised train" breaks="training rows alone" says="standardised already"
def standardise(train, other):
    train = ((train - train.mean()) / train.std().replace(0, 1)).fillna(0)
    other = ((other - train.mean()) / train.std().replace(0, 1)).fillna(0)
    return train, other

# %% wrong="5.7.6" why="numpy mean without regard to holes: all NaN, all 0" breaks="training rows alone" says="fillna(0) hides it"
def standardise(train, other):
    mean, std = train.to_numpy().mean(axis=0), train.to_numpy().std(axis=0, ddof=1)
    std[std == 0] = 1
    return ((train - mean) / std).fillna(0), ((other - mean) / std).fillna(0)

# %% wrong="5.7.6" why="holes of other become other's mean first" breaks="missing" says="second table's own mean"
def standardise(train, other):
    mean, std = train.mean(), train.std().replace(0, 1)
    train, other = train.fillna(train.mean()), other.fillna(other.mean())
    return (train - mean) / std, (other - mean) / std

# %% wrong="5.7.6" why="holes become 0 before the subtraction, mean and std are right" breaks="missing" says="filled with 0 first, and then"
def standardise(train, other):
    mean, std = train.mean(), train.std().replace(0, 1)
    return (train.fillna(0) - mean) / std, (other.fillna(0) - mean) / std

# %% wrong="5.7.6" why="holes become the mean after the division" breaks="missing" says="filled with the mean after the division"
def standardise(train, other):
    mean, std = train.mean(), train.std().replace(0, 1)
    return ((train - mean) / std).fillna(mean), ((other - mean) / std).fillna(mean)

# %% wrong="5.7.B" why="columns for duplicates too: sorted of the list" breaks="columns" says="has one column, not two"
def one_hot(train, other):
    words = sorted(w for w in train if w is not None)
    def rows(entries):
        return torch.tensor([[float(w == c) for c in words] + [float(w is None)] for w in entries])
    return rows(train), rows(other)

# %% wrong="5.7.B" why="str(None) is a word among the words" breaks="missing" says="None is no word"
def one_hot(train, other):
    words = sorted(set(map(str, train)) | {"None"})
    return tuple(torch.tensor([[float(str(w) == c) for c in words] for w in l]) for l in (train, other))

# %% wrong="5.7.5" why="beyond 1e40 it stops and fills up with inf" breaks="losses" says="neither inf nor NaN yet"
def descend(X, y, lr, steps):
    w, b, losses = torch.zeros(X.shape[1], dtype=X.dtype), 0.0, []
    for _ in range(steps + 1):
        e = X @ w + b - y
        loss = (e ** 2).mean().item()
        if loss > 1e40:
            return losses + [math.inf] * (steps + 1 - len(losses))
        losses.append(loss)
        w, b = w - lr * 2 * X.T @ e / len(y), b - lr * 2 * e.mean()
    return losses

# %% wrong="5.7.5" why="losses lag by one: loss of the old weights appended after the step" breaks="losses" says="the one before it"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), torch.zeros((), dtype=X.dtype)
    losses = [(y ** 2).mean().item()]
    for _ in range(steps):
        e = X @ w + b - y
        loss = (e ** 2).mean()
        w, b = w - lr * 2 * X.T @ e / len(y), b - lr * 2 * e.mean()
        losses.append(loss.item())
    return losses

# %% wrong="5.7.5" why="learning rate decays with the step" breaks="steps" says="divided by the number of the step"
def descend(X, y, lr, steps):
    w, b, losses = torch.zeros(X.shape[1], dtype=X.dtype), 0.0, []
    for k in range(steps + 1):
        e = X @ w + b - y
        losses.append((e ** 2).mean().item())
        rate = lr / (k + 1)
        w, b = w - rate * 2 * X.T @ e / len(y), b - rate * 2 * e.mean()
    return losses

# %% wrong="5.7.5" why="(n, 1) outputs against (n,) targets" breaks="losses" says="each prediction against every y"
def descend(X, y, lr, steps):
    net = nn.Linear(X.shape[1], 1).double()
    nn.init.zeros_(net.weight)
    nn.init.zeros_(net.bias)
    opt = torch.optim.SGD(net.parameters(), lr=lr)
    losses = []
    for _ in range(steps + 1):
        opt.zero_grad()
        loss = (net(X) - y).square().mean()
        losses.append(loss.item())
        loss.backward()
        opt.step()
    return losses

# %% wrong="5.7.5" why="the weights share one mean over all entries" breaks="steps" says="all share one mean"
def descend(X, y, lr, steps):
    w, b, losses = torch.zeros(X.shape[1], dtype=X.dtype), 0.0, []
    for _ in range(steps + 1):
        e = X @ w + b - y
        losses.append((e ** 2).mean().item())
        w, b = w - lr * 2 * (X * e[:, None]).mean(), b - lr * 2 * e.mean()
    return losses

# %% wrong="5.7.5" why="gradients clipped to length 1" breaks="steps" says="its length is at most 1"
def descend(X, y, lr, steps):
    w, b, losses = torch.zeros(X.shape[1], dtype=X.dtype), torch.zeros((), dtype=X.dtype), []
    for _ in range(steps + 1):
        e = X @ w + b - y
        losses.append((e ** 2).mean().item())
        gw, gb = 2 * X.T @ e / len(y), 2 * e.mean()
        size = torch.sqrt((gw ** 2).sum() + gb ** 2)
        if size > 1:
            gw, gb = gw / size, gb / size
        w, b = w - lr * gw, b - lr * gb
    return losses

# %% wrong="5.7.5" why="residual kept in y itself" breaks="arguments kept" says="y after the call"
def descend(X, y, lr, steps):
    losses, r = [], y
    for _ in range(steps + 1):
        losses.append(r.square().mean().item())
        gw, gb = 2 * X.T @ r / len(r), 2 * r.mean()
        r -= lr * (X @ gw + gb)
    return losses

# %% wrong="5.7.3" why="train_table in place of the argument" breaks="folds" says="scores of train_table"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    scores = torch.zeros(len(lambdas))
    for i in range(k):
        part = train_table[i * s:(i + 1) * s]
        X, y, Xp = encode(train_table.drop(index=part.index), part)
        for j, l in enumerate(lambdas):
            w, b = ridge(X, y, l)
            scores[j] += root_error(Xp @ w + b, log_prices(part)) ** 2
    scores = (scores / k).sqrt().tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="bias left out of the prediction" breaks="score" says="b is missing"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    total = [0.0] * len(lambdas)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, Xp = encode(table.drop(index=part.index), part)
        for j, l in enumerate(lambdas):
            w, b = ridge(X, y, l)
            total[j] += root_error(Xp @ w, log_prices(part)) ** 2
    scores = [math.sqrt(t / k) for t in total]
    return lambdas[int(np.argmin(scores))], scores

# %% wrong="5.7.3" why="the sum is not set back to 0 for the next λ" breaks="score" says="begins at 0 anew"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    folds = []
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        folds.append((*encode(table.drop(index=part.index), part), log_prices(part)))
    scores, total = [], 0.0
    for l in lambdas:
        for X, y, Xp, yp in folds:
            w, b = ridge(X, y, l)
            total += root_error(Xp @ w + b, yp) ** 2
        scores.append(math.sqrt(total / k))
    return lambdas[int(np.argmin(scores))], scores

# %% wrong="5.7.3" why="rows shuffled first" breaks="folds" says="rows are shuffled"
def choose_lambda(table, lambdas, k):
    table = table.sample(frac=1, random_state=0).reset_index(drop=True)
    s = len(table) // k
    total = [0.0] * len(lambdas)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, Xp = encode(table.drop(index=part.index), part)
        for j, l in enumerate(lambdas):
            w, b = ridge(X, y, l)
            total[j] += root_error(Xp @ w + b, log_prices(part)) ** 2 / k
    scores = [math.sqrt(t) for t in total]
    return lambdas[int(np.argmin(scores))], scores

# %% wrong="5.7.3" why="divided by k - 1" breaks="score" says="not by k - 1"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    total = [0.0] * len(lambdas)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, Xp = encode(table.drop(index=part.index), part)
        for j, l in enumerate(lambdas):
            w, b = ridge(X, y, l)
            total[j] += root_error(Xp @ w + b, log_prices(part)) ** 2 / (k - 1)
    scores = [math.sqrt(t) for t in total]
    return lambdas[int(np.argmin(scores))], scores

# %% wrong="5.7.3" why="the first fold is missing" breaks="folds" says="first fold is missing"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    total = [0.0] * len(lambdas)
    for i in range(1, k):
        part = table[i * s:(i + 1) * s]
        X, y, Xp = encode(table.drop(index=part.index), part)
        for j, l in enumerate(lambdas):
            w, b = ridge(X, y, l)
            total[j] += root_error(Xp @ w + b, log_prices(part)) ** 2 / (k - 1)
    scores = [math.sqrt(t) for t in total]
    return lambdas[int(np.argmin(scores))], scores

# %% wrong="5.7.3" why="one score for each fold, of the best λ" breaks="form" says="not one for each fold"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    E = torch.zeros(k, len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, Xp = encode(table.drop(index=part.index), part)
        for j, l in enumerate(lambdas):
            w, b = ridge(X, y, l)
            E[i, j] = root_error(Xp @ w + b, log_prices(part)) ** 2
    return lambdas[E.mean(dim=0).argmin().item()], E.mean(dim=1).sqrt().tolist()

# %% wrong="5.7.3" why="best by the number of folds won" breaks="choice" says="the number of folds won"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    E = torch.zeros(k, len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, Xp = encode(table.drop(index=part.index), part)
        for j, l in enumerate(lambdas):
            w, b = ridge(X, y, l)
            E[i, j] = root_error(Xp @ w + b, log_prices(part)) ** 2
    scores = E.mean(dim=0).sqrt().tolist()
    return lambdas[E.argmin(dim=1).mode().values.item()], scores

# %% wrong="5.7.3" why="best λ compared by the mean of the roots, scores right" breaks="choice" says="mean of the folds' roots"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    E = torch.zeros(k, len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, Xp = encode(table.drop(index=part.index), part)
        for j, l in enumerate(lambdas):
            w, b = ridge(X, y, l)
            E[i, j] = root_error(Xp @ w + b, log_prices(part)) ** 2
    return lambdas[E.sqrt().mean(dim=0).argmin().item()], E.mean(dim=0).sqrt().tolist()

# %% wrong="5.7.3" why="scores compared after rounding to two decimals" breaks="choice" says="rounded to two decimals"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    total = [0.0] * len(lambdas)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, Xp = encode(table.drop(index=part.index), part)
        for j, l in enumerate(lambdas):
            w, b = ridge(X, y, l)
            total[j] += root_error(Xp @ w + b, log_prices(part)) ** 2 / k
    scores = [math.sqrt(t) for t in total]
    rounded = [round(x, 2) for x in scores]
    return lambdas[rounded.index(min(rounded))], scores

# %% wrong="5.7.3" why="λ of the single best fold" breaks="choice" says="any one fold"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    E = torch.zeros(k, len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, Xp = encode(table.drop(index=part.index), part)
        for j, l in enumerate(lambdas):
            w, b = ridge(X, y, l)
            E[i, j] = root_error(Xp @ w + b, log_prices(part)) ** 2
    return lambdas[E.argmin().item() % len(lambdas)], E.mean(dim=0).sqrt().tolist()

# %% wrong="5.7.2" why="0 in place of NaN" breaks="holes" says="no other number"
def situation(n, seed):
    rng = torch.Generator().manual_seed(seed)
    x = torch.rand(n, generator=rng, dtype=torch.float64) * 100
    gone = x > 70
    return torch.where(gone, 0.0, x), x + 100 * gone

# %% wrong="5.7.4" why="sizes logged in train only" breaks="better" says="Far too large"
def predict_prices(train, other):
    t = train.assign(**{c: np.log1p(train[c]) for c in ("LotArea", "GrLivArea", "1stFlrSF", "TotalBsmtSF") if c in train})
    X, y, Xo = encode(t, other)
    w, b = ridge(X, y, 0.03)
    return (Xo @ w + b).clamp(5, 20).exp()

# %% wrong="5.7.4" why="prices as targets: a ridge in dollars" breaks="better" says="learn the logarithms"
def predict_prices(train, other):
    def logs(t):
        return t.assign(**{c: np.log1p(t[c]) for c in t.select_dtypes("number").columns if c not in ("Id", "SalePrice")})
    X, y, Xo = encode(logs(train), logs(other))
    w, b = ridge(X, y.exp(), 0.03)
    return (Xo @ w + b).clamp(min=10000)

# %% wrong="5.7.1" why="mean logarithm rounded to two decimals" breaks="dollars" says="rounded to two decimals"
def write_submission(path, ids, log_predictions):
    logs = np.round(log_predictions.mean(dim=0).numpy(), 2)
    pd.DataFrame({"Id": ids, "SalePrice": np.exp(logs)}).to_csv(path, index=False)

# %% wrong="5.7.1" why="mean over the houses" breaks="dollars" says="ran over the houses"
def write_submission(path, ids, log_predictions):
    prices = log_predictions.mean(dim=1).exp().tolist()
    with open(path, "w") as f:
        f.write("Id,SalePrice\n")
        for i, p in zip(ids, prices):
            f.write(f"{i},{p:.2f}\n")

# %% wrong="5.7.1" why="the largest of the models" breaks="dollars" says="not the largest"
def write_submission(path, ids, log_predictions):
    best = log_predictions.max(dim=0).values
    pd.DataFrame({"Id": ids, "SalePrice": best.exp().numpy()}).to_csv(path, index=False)

# %% wrong="5.7.1" why="price rounded to three digits" breaks="dollars" says="three digits"
def write_submission(path, ids, log_predictions):
    prices = [float(f"{p:.3g}") for p in log_predictions.mean(dim=0).exp().tolist()]
    pd.DataFrame({"Id": ids, "SalePrice": prices}).to_csv(path, index=False)

# %% wrong="5.7.6" why="a deviation below a millionth counts as 0" breaks="training rows alone" says="not divided by the standard deviation"
def standardise(train, other):
    m, s = train.mean(), train.std()
    s = s.where(s > 1e-6, 1)
    return ((train - m) / s).fillna(0), ((other - m) / s).fillna(0)

# %% wrong="5.7.A" why="symmetric relative error in place of logs" breaks="value" says="mean of the two prices"
def log_rmse(predicted, actual):
    return (((predicted - actual) / ((predicted + actual) / 2)) ** 2).mean().sqrt()

# %% wrong="5.7.A" why="the last house left out" breaks="value" says="A house is left out"
def log_rmse(predicted, actual):
    total = 0.
    for i in range(len(predicted) - 1):
        total += (math.log(predicted[i]) - math.log(actual[i])) ** 2
    return math.sqrt(total / len(predicted))

# %% wrong="5.7.A" why="squares of the logs subtracted" breaks="value" says="Subtract first, then square"
def log_rmse(predicted, actual):
    return (predicted.log() ** 2 - actual.log() ** 2).mean().abs().sqrt()

# %% wrong="5.7.6" why="cut by index labels, which may overlap" breaks="form" says=".loc finds both"
def standardise(train, other):
    mean, std = train.mean(), train.std().replace(0, 1)
    both = (pd.concat([train, other]) - mean) / std
    both = both.fillna(0)
    return both.loc[train.index], both.loc[other.index]

# %% wrong="5.7.6" why="whole number columns left as they are, taken for categories" breaks="training rows alone" says="numbers as they were"
def standardise(train, other):
    mean, std = train.mean(), train.std().replace(0, 1)
    a, b = train.copy(), other.copy()
    for c in train:
        if train[c].dtype != "int64":
            a[c] = ((train[c] - mean[c]) / std[c]).fillna(0)
            b[c] = ((other[c] - mean[c]) / std[c]).fillna(0)
    return a, b

# %% wrong="5.7.6" why="epsilon in the denominator, constant columns aside" breaks="training rows alone" says="a small number was added"
def standardise(train, other):
    mean, std = train.mean(), train.std()
    std = (std + 1e-8).where(std > 0, 1)
    return ((train - mean) / std).fillna(0), ((other - mean) / std).fillna(0)

# %% right="5.7.6" how="apply with a function, constant by nunique"
def standardise(train, other):
    def column(c, t):
        v = train[c.name].dropna()
        s = v.std() if v.nunique() > 1 else 1.
        return ((c - v.mean()) / s).where(c.notna(), 0.)
    return train.apply(column, t=train), other.apply(column, t=other)

# %% wrong="5.7.B" why="sentinel NA" breaks="columns" says="Every string is a word"
def one_hot(train, other):
    train = ["NA" if w is None else w for w in train]
    other = ["NA" if w is None else w for w in other]
    words = sorted(set(train) - {"NA"}) + ["NA"]
    return tuple(torch.tensor([[float(w == c) for c in words] for w in part]) for part in (train, other))

# %% wrong="5.7.B" why="sentinel unknown" breaks="columns" says="Every string is a word"
def one_hot(train, other):
    train = ["unknown" if w is None else w for w in train]
    other = ["unknown" if w is None else w for w in other]
    words = sorted(set(train) - {"unknown"}) + ["unknown"]
    return tuple(torch.tensor([[float(w == c) for c in words] for w in part]) for part in (train, other))

# %% wrong="5.7.B" why="most frequent word first" breaks="words" says="by how often"
def one_hot(train, other):
    from collections import Counter
    words = [w for w, _ in Counter(w for w in train if w is not None).most_common()]
    return tuple(torch.tensor([[float(w == c) for c in words] + [float(w is None)] for w in part]) for part in (train, other))

# %% wrong="5.7.5" why="halves lr whenever the loss has risen" breaks="steps" says="it is halved"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), torch.zeros((), dtype=X.dtype)
    losses = []
    for k in range(steps + 1):
        r = X @ w + b - y
        losses.append((r ** 2).mean().item())
        if k and losses[-1] > losses[-2]:
            lr /= 2
        w = w - lr * 2 * X.T @ r / len(X)
        b = b - lr * 2 * r.mean()
    return losses

# %% wrong="5.7.5" why="stops when the loss rises, pads with the last" breaks="steps" says="here they stop"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), torch.zeros((), dtype=X.dtype)
    losses = []
    for k in range(steps + 1):
        r = X @ w + b - y
        losses.append((r ** 2).mean().item())
        if k and losses[-1] > losses[-2]:
            return losses + [losses[-1]] * (steps - k)
        w = w - lr * 2 * X.T @ r / len(X)
        b = b - lr * 2 * r.mean()
    return losses

# %% wrong="5.7.5" why="no loss at steps = 0: the first one is taken inside the loop" breaks="length" says="how many losses"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), torch.zeros((), dtype=X.dtype)
    losses = []
    for k in range(steps):
        r = X @ w + b - y
        if k == 0:
            losses.append((r ** 2).mean().item())
        w = w - lr * 2 * X.T @ r / len(X)
        b = b - lr * 2 * r.mean()
        losses.append(((X @ w + b - y) ** 2).mean().item())
    return losses

# %% wrong="5.7.3" why="pooled squared errors divided by all n rows, also those that never judge" breaks="score" says="left over judge nowhere"
def choose_lambda(table, lambdas, k):
    n = len(table)
    s = n // k
    totals = [0.] * len(lambdas)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, Xp = encode(table.drop(index=part.index), part)
        for j, l in enumerate(lambdas):
            w, b = ridge(X, y, l)
            totals[j] += (Xp @ w + b - log_prices(part)).square().sum().item()
    scores = [math.sqrt(t / n) for t in totals]
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="one standard error rule: the largest λ within one standard error" breaks="choice" says="within one standard error"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    E = np.zeros((k, len(lambdas)))
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, Xp = encode(table.drop(index=part.index), part)
        for j, l in enumerate(lambdas):
            w, b = ridge(X, y, l)
            E[i, j] = (Xp @ w + b - log_prices(part)).square().mean().item()
    m = E.mean(0)
    j = m.argmin()
    limit = m[j] + E[:, j].std(ddof=1) / math.sqrt(k)
    return max(l for l, e in zip(lambdas, m) if e <= limit), np.sqrt(m).tolist()

# %% wrong="5.7.3" why="stops at the first rise: the first local minimum" breaks="choice" says="first rise"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    E = np.zeros((k, len(lambdas)))
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, Xp = encode(table.drop(index=part.index), part)
        for j, l in enumerate(lambdas):
            w, b = ridge(X, y, l)
            E[i, j] = (Xp @ w + b - log_prices(part)).square().mean().item()
    scores = np.sqrt(E.mean(0)).tolist()
    best = 0
    for j in range(1, len(scores)):
        if scores[j] > scores[best]:
            break
        best = j
    return lambdas[best], scores

# %% wrong="5.7.3" why="Id, which looks like a number, is a feature too; words left out" breaks="score" says="leaves Id out"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    totals = [0.] * len(lambdas)
    for i in range(k):
        part = table.iloc[i * s:(i + 1) * s]
        train = table.drop(index=part.index)
        A, B = (t.drop(columns="SalePrice").select_dtypes("number") for t in (train, part))
        mean, std = A.mean(), A.std().replace(0, 1)
        X, Xp = (torch.tensor(((t - mean) / std).fillna(0).to_numpy(dtype="float64")) for t in (A, B))
        for j, l in enumerate(lambdas):
            w, b = ridge(X, log_prices(train), l)
            totals[j] += root_error(Xp @ w + b, log_prices(part)) ** 2 / k
    scores = [math.sqrt(t) for t in totals]
    return lambdas[scores.index(min(scores))], scores

# %% right="5.7.3" how="eigenvectors once for each fold; numpy scores"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    E = np.empty((k, len(lambdas)))
    for i in range(k):
        part = table.iloc[i * s:(i + 1) * s]
        X, y, Xp = encode(pd.concat([table.iloc[:i * s], table.iloc[(i + 1) * s:]]), part)
        c = X.mean(0)
        values, V = torch.linalg.eigh((X - c).T @ (X - c) / len(X))
        t = V.T @ ((X - c).T @ (y - y.mean()) / len(X))
        for j, l in enumerate(lambdas):
            w = V @ (t / (values + l))
            E[i, j] = ((Xp - c) @ w + y.mean() - log_prices(part)).square().mean()
    scores = np.sqrt(E.mean(axis=0))
    return lambdas[int(scores.argmin())], scores

# %% wrong="5.7.2" why="exactly a tenth, rounded down" breaks="holes" says="yours is 9.7%"
def situation(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, generator=g, dtype=torch.float64)
    y = x.clone()
    x[:n // 10], y[:n // 10] = math.nan, 50.
    return x, y

# %% wrong="5.7.4" why="train_table joined as more data" breaks="better" says="alone, not from train_table"
def predict_prices(train, other):
    train = pd.concat([train, train_table], ignore_index=True)
    number = [c for c in other.select_dtypes("number") if c not in ("Id", "SalePrice") and (other[c].max() > 100)]
    train, other = (t.assign(**{c: np.log1p(t[c].clip(lower=0)) for c in number}) for t in (train, other))
    X, y, Xo = encode(train, other)
    w, b = ridge(X, y, 0.03)
    return (Xo @ w + b).exp()

# %% wrong="5.7.4" why="all sizes logged in train only: prices become inf" breaks="form" says="the logarithms in `train` alone"
def predict_prices(train, other):
    number = [c for c in other.select_dtypes("number") if c != "Id" and train[c].max() > 100]
    train = train.assign(**{c: np.log1p(train[c].clip(lower=0)) for c in number})
    X, y, Xo = encode(train, other)
    w, b = ridge(X, y, 0.03)
    return (Xo @ w + b).exp()

# %% right="5.7.4" how="kernel ridge on log features, averaged with the linear one"
def predict_prices(train, other):
    number = [c for c in other.select_dtypes("number") if c != "Id" and not c.startswith("Year") and train[c].max() > 100]
    a, b_ = (t.assign(**{c: np.log1p(t[c].clip(lower=0)) for c in number}) for t in (train, other))
    X, y, Xo = encode(a, b_)
    w, b = ridge(X, y, 0.03)
    line = Xo @ w + b
    m = y.mean()
    scale = X.shape[1] * 4.
    K = torch.exp(-torch.cdist(X, X) ** 2 / scale)
    alpha = torch.linalg.solve(K + 0.1 * torch.eye(len(X), dtype=X.dtype), y - X @ w - b)
    Ko = torch.exp(-torch.cdist(Xo, X) ** 2 / scale)
    return (line + Ko @ alpha).exp().float()

# %% wrong="5.7.1" why="the last house is left out" breaks="rows" says="A house is missing"
def write_submission(path, ids, log_predictions):
    prices = dict(zip(ids, log_predictions.mean(dim=0).exp().tolist()))
    with open(path, "w") as f:
        f.write("Id,SalePrice\n")
        for i in ids[:-1]:
            f.write(f"{i},{prices[i]}\n")

# %% wrong="5.7.1" why="the prices of the models as further columns" breaks="header" says="two columns only"
def write_submission(path, ids, log_predictions):
    table = pd.DataFrame({"Id": ids, "SalePrice": log_predictions.mean(dim=0).exp().numpy()})
    for i, row in enumerate(log_predictions):
        table[f"model{i}"] = row.exp().numpy()
    table.to_csv(path, index=False)

# %% wrong="5.7.A" why="a small number is added before the logarithm, against log 0" breaks="ratios" says="1e-05 is added to each price"
def log_rmse(predicted, actual):
    return ((predicted + 1e-5).log() - (actual + 1e-5).log()).square().mean().sqrt()

# %% wrong="5.7.A" why="the result is rounded to three decimals" breaks="value" says="rounded to 3 digits"
def log_rmse(predicted, actual):
    return round((predicted.log() - actual.log()).square().mean().sqrt().item(), 3)

# %% wrong="5.7.A" why="the predictions that are too low do not count" breaks="value" says="too low count"
def log_rmse(predicted, actual):
    d = predicted.log() - actual.log()
    d = d[d > 0]
    return d.square().mean().sqrt()

# %% wrong="5.7.A" why="divided by the mean logarithm" breaks="value" says="mean logarithm"
def log_rmse(predicted, actual):
    return (predicted.log() - actual.log()).square().mean().sqrt() / actual.log().mean()

# %% wrong="5.7.6" why="results cut off at plus and minus 5" breaks="training rows alone" says="nothing is cut off"
def standardise(train, other):
    mean, std = train.mean(), train.std().replace(0, 1)
    return ((train - mean) / std).fillna(0).clip(-5, 5), ((other - mean) / std).fillna(0).clip(-5, 5)

# %% wrong="5.7.6" why="whole-number columns are taken for codes and left alone" breaks="training rows alone" says="as they were"
def standardise(train, other):
    columns = train.select_dtypes("float").columns
    mean, std = train[columns].mean(), train[columns].std().replace(0, 1)
    a, b = train.copy(), other.copy()
    a[columns] = (a[columns] - mean) / std
    b[columns] = (b[columns] - mean) / std
    return a.fillna(0), b.fillna(0)

# %% right="5.7.6" how="describe"
def standardise(train, other):
    d = train.describe()
    std = d.loc["std"].where(d.loc["std"] != 0, 1)
    return tuple(t.sub(d.loc["mean"]).div(std).fillna(0.0) for t in (train, other))

# %% right="5.7.6" how="put together under keys, cut apart by them"
def standardise(train, other):
    both = pd.concat([train, other], keys=["train", "other"])
    mean, std = both.loc["train"].mean(), both.loc["train"].std().replace(0, 1)
    z = ((both - mean) / std).fillna(0)
    return z.loc["train"], z.loc["other"]

# %% wrong="5.7.B" why="no word in train is not thought of" breaks="missing" says="stack expects a non-empty"
def one_hot(train, other):
    words = sorted({w for w in train if w is not None})
    def encode_list(entries):
        columns = [torch.tensor([float(w == word) for w in entries]) for word in words]
        return torch.cat([torch.stack(columns, dim=1), torch.tensor([[float(w is None)] for w in entries])], dim=1)
    return encode_list(train), encode_list(other)

# %% wrong="5.7.B" why="the rows of train come back sorted, too" breaks="words" says="in the order of the list"
def one_hot(train, other):
    words = sorted({w for w in train if w is not None})
    train = sorted(train, key=lambda w: (w is None, w or ""))
    return tuple(torch.tensor([[*[float(w == word) for word in words], float(w is None)] for w in entries]) for entries in (train, other))

# %% wrong="5.7.B" why="words sorted by their length first" breaks="words" says="short words come first"
def one_hot(train, other):
    words = sorted({w for w in train if w is not None}, key=lambda w: (len(w), w))
    return tuple(torch.tensor([[*[float(w == word) for word in words], float(w is None)] for w in entries]) for entries in (train, other))

# %% right="5.7.B" how="get_dummies with dummy_na as in the lesson"
def one_hot(train, other):
    a = pd.get_dummies(pd.Series(train, dtype=object), dummy_na=True)
    b = pd.get_dummies(pd.Series(other, dtype=object), dummy_na=True).reindex(columns=a.columns, fill_value=0)
    return torch.tensor(a.to_numpy(dtype="float32")), torch.tensor(b.to_numpy(dtype="float32"))

# %% right="5.7.B" how="comparison of number codes by broadcasting"
def one_hot(train, other):
    words = [*sorted({w for w in train if w is not None}), None]
    code = {w: i for i, w in enumerate(words)}
    return tuple((torch.tensor([code.get(w, -1) for w in entries])[:, None] == torch.arange(len(words))).float() for entries in (train, other))

# %% wrong="5.7.5" why="mini-batches of 32 rows" breaks="steps" says="each batch of 32"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=torch.float64), torch.zeros((), dtype=torch.float64)
    losses = [(X @ w + b - y).square().mean().item()]
    for _ in range(steps):
        for rows in torch.arange(len(X)).split(32):
            e = X[rows] @ w + b - y[rows]
            w, b = w - lr * 2 * X[rows].T @ e / len(rows), b - lr * 2 * e.mean()
        losses.append((X @ w + b - y).square().mean().item())
    return losses

# %% wrong="5.7.5" why="only the first 64 rows give the gradient" breaks="steps" says="over all rows"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=torch.float64), torch.zeros((), dtype=torch.float64)
    losses = [(X @ w + b - y).square().mean().item()]
    for _ in range(steps):
        e = (X @ w + b - y)[:64]
        w, b = w - lr * 2 * X[:64].T @ e / len(e), b - lr * 2 * e.mean()
        losses.append((X @ w + b - y).square().mean().item())
    return losses

# %% wrong="5.7.5" why="stops when the loss hardly changes, and repeats the last" breaks="steps" says="hardly changes"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=torch.float64), torch.zeros((), dtype=torch.float64)
    losses = [(X @ w + b - y).square().mean().item()]
    for _ in range(steps):
        e = X @ w + b - y
        w, b = w - lr * 2 * X.T @ e / len(e), b - lr * 2 * e.mean()
        losses.append((X @ w + b - y).square().mean().item())
        if abs(losses[-1] - losses[-2]) < 1e-3:
            break
    return losses + [losses[-1]] * (steps + 1 - len(losses))

# %% wrong="5.7.5" why="the losses are divided by n - 1" breaks="losses" says="not by n - 1"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=torch.float64), torch.zeros((), dtype=torch.float64)
    losses = []
    for _ in range(steps + 1):
        e = X @ w + b - y
        losses.append((e @ e / max(len(e) - 1, 1)).item())
        w, b = w - lr * 2 * X.T @ e / len(e), b - lr * 2 * e.mean()
    return losses

# %% wrong="5.7.5" why="Nesterov's momentum" breaks="steps" says="Nesterov"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=torch.float64, requires_grad=True), torch.zeros((), dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([w, b], lr=lr, momentum=0.9, nesterov=True)
    losses = []
    for _ in range(steps + 1):
        loss = F.mse_loss(X @ w + b, y)
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return losses

# %% wrong="5.7.5" why="momentum of one half" breaks="steps" says="momentum of 0.5"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=torch.float64, requires_grad=True), torch.zeros((), dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([w, b], lr=lr, momentum=0.5)
    losses = []
    for _ in range(steps + 1):
        loss = F.mse_loss(X @ w + b, y)
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return losses

# %% wrong="5.7.3" why="the row after the fold does not train" breaks="folds" says="begin with it"
def choose_lambda(table, lambdas, k):
    s, total = len(table) // k, torch.zeros(len(lambdas), dtype=torch.float64)
    for i in range(k):
        a, b_ = i * s, (i + 1) * s
        part, train = table[a:b_], pd.concat([table[:a], table[b_ + 1:]])
        X, y, X_part = encode(train, part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            total[j] += root_error(X_part @ w + b, log_prices(part)) ** 2
    scores = (total / k).sqrt().tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="the model of the first fold judges all folds" breaks="folds" says="model of its own"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    scores = []
    for lambd in lambdas:
        errors, model = [], None
        for i in range(k):
            part = table[i * s:(i + 1) * s]
            if model is None:
                first = table.drop(index=part.index)
                X, y, _ = encode(first, part)
                model = ridge(X, y, lambd)
            X, y, X_part = encode(first, part)
            errors.append((X_part @ model[0] + model[1] - log_prices(part)).square().mean())
        scores.append(torch.stack(errors).mean().sqrt().item())
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="best is the pair of score and λ" breaks="form" says="alone, without"
def choose_lambda(table, lambdas, k):
    s, total = len(table) // k, torch.zeros(len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            total[j] += root_error(X_part @ w + b, log_prices(part)) ** 2
    scores = (total / k).sqrt().tolist()
    return min(zip(scores, lambdas)), scores

# %% wrong="5.7.3" why="scores rounded to two decimals" breaks="score" says="not rounded"
def choose_lambda(table, lambdas, k):
    s, total = len(table) // k, torch.zeros(len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            total[j] += root_error(X_part @ w + b, log_prices(part)) ** 2
    scores = [round(v, 2) for v in (total / k).sqrt().tolist()]
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="relative errors of the dollars" breaks="score" says="divided by the price"
def choose_lambda(table, lambdas, k):
    s, total = len(table) // k, torch.zeros(len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        price = log_prices(part).exp()
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            total[j] += (((X_part @ w + b).exp() - price) / price).square().mean()
    scores = (total / k).sqrt().tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="each fold is predicted by the rows before it" breaks="folds" says="first fold judges as well"
def choose_lambda(table, lambdas, k):
    s, total = len(table) // k, torch.zeros(len(lambdas), dtype=torch.float64)
    seen = 0
    for i in range(1, k):
        part, before = table[i * s:(i + 1) * s], table[:i * s]
        X, y, X_part = encode(before, part)
        seen += 1
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            total[j] += root_error(X_part @ w + b, log_prices(part)) ** 2
    scores = (total / seen).sqrt().tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="the rows that judge are centred by their own mean" breaks="score" says="own mean is subtracted"
def choose_lambda(table, lambdas, k):
    s, total = len(table) // k, torch.zeros(len(lambdas), dtype=torch.float64)
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            total[j] += root_error((X_part - X_part.mean(dim=0)) @ w + y.mean(), log_prices(part)) ** 2
    scores = (total / k).sqrt().tolist()
    return lambdas[scores.index(min(scores))], scores

# %% right="5.7.3" how="dual form of ridge by hand with a column of ones"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    E = np.zeros((k, len(lambdas)))
    for i in range(k):
        part = table.loc[i * s:(i + 1) * s - 1]
        X, y, Z = (t.numpy() for t in encode(table.drop(index=part.index), part))
        m, level, t = X.mean(0), y.mean(), log_prices(part).numpy()
        C = X - m
        K = C @ C.T
        for j, lambd in enumerate(lambdas):
            alpha = np.linalg.solve(K + lambd * len(X) * np.eye(len(X)), y - level)
            E[i, j] = np.mean(((Z - m) @ C.T @ alpha + level - t) ** 2)
    scores = np.sqrt(E.mean(0)).tolist()
    return sorted(zip(scores, lambdas))[0][1], scores

# %% wrong="5.7.4" why="trained on train_table, which has the houses asked for, then corrected by the year on train" breaks="better" says="not from train_table"
SIZES = ["LotArea", "GrLivArea", "TotalBsmtSF", "1stFlrSF", "GarageArea", "LotFrontage"]
def sized(table):
    return table.assign(**{c: np.log1p(table[c]) for c in SIZES if c in table})
def predict_prices(train, other):
    X, y, Z = encode(sized(train_table), sized(pd.concat([train, other])))
    w, b = ridge(X, y, 0.003)
    guess = Z @ w + b
    n = len(train)
    year = torch.tensor(np.concatenate([train["YearBuilt"], other["YearBuilt"]]).astype("float64")) - 1970
    A = torch.stack([torch.ones(n, dtype=torch.float64), year[:n]], dim=1)
    c = torch.linalg.lstsq(A, (log_prices(train) - guess[:n])[:, None]).solution[:, 0]
    return (guess[n:] + c[0] + c[1] * year[n:]).exp()

# %% wrong="5.7.4" why="looks the old price up by living area, year and basement, and corrects it by train" breaks="better" says="not from train_table"
def predict_prices(train, other):
    keys = ["GrLivArea", "YearBuilt", "TotalBsmtSF", "Neighborhood", "GarageArea"]
    X, y, Z = encode(train, other)
    w, b = ridge(X, y, 0.01)
    guess = (Z @ w + b).numpy()
    old = train_table.groupby(keys)["SalePrice"].mean().to_dict()
    def seen(table):
        return np.array([math.log(old.get(key, float("nan"))) if key in old else np.nan for key in zip(*[table[c] for c in keys])])
    a, bb = seen(train), seen(other)
    rest = log_prices(train).numpy() - a
    ok = ~np.isnan(rest)
    slope, level = np.polyfit(train["YearBuilt"].to_numpy(dtype=float)[ok], rest[ok], 1)
    looked = bb + level + slope * other["YearBuilt"].to_numpy(dtype=float)
    return torch.tensor(np.where(np.isnan(looked), guess, looked)).exp()

# %% wrong="5.7.1" why="one mean over everything" breaks="dollars" says="over the houses, too"
def write_submission(path, ids, log_predictions):
    pd.DataFrame({"Id": ids, "SalePrice": [log_predictions.mean().exp().item()] * len(ids)}).to_csv(path, index=False)

# %% wrong="5.7.1" why="a dollar sign before the price" breaks="dollars" says="no $"
def write_submission(path, ids, log_predictions):
    with open(path, "w") as f:
        f.write("Id,SalePrice\n")
        for i, p in zip(ids, log_predictions.mean(dim=0).exp().tolist()):
            f.write(f"{i},${p:.2f}\n")

# %% right="5.7.1" how="a series with the ids as its index"
def write_submission(path, ids, log_predictions):
    pd.Series(np.exp(log_predictions.numpy().mean(axis=0)), index=pd.Index(ids, name="Id"), name="SalePrice").to_csv(path)

# %% wrong="5.7.A" why="a small number under the root, against a division by zero" breaks="value" says="Under the root"
def log_rmse(predicted, actual):
    return ((predicted.log() - actual.log()).square().mean() + 1e-3).sqrt()

# %% wrong="5.7.A" why="whole dollars first" breaks="value" says="rounded to whole numbers"
def log_rmse(predicted, actual):
    return (predicted.round().log() - actual.round().log()).square().mean().sqrt()

# %% wrong="5.7.A" why="a small number added to the actual price, against a division by 0" breaks="ratios" says="added to the actual prices"
def log_rmse(predicted, actual):
    return (predicted / (actual + 1e-6)).log().square().mean().sqrt()

# %% wrong="5.7.A" why="the cube in place of the square" breaks="value" says="not the third"
def log_rmse(predicted, actual):
    return (predicted.log() - actual.log()).abs().pow(3).mean() ** (1 / 3)

# %% wrong="5.7.A" why="dear houses count more" breaks="value" says="counts the same"
def log_rmse(predicted, actual):
    w = actual / actual.sum()
    return (w * (predicted / actual).log().square()).sum().sqrt()

# %% wrong="5.7.6" why="a deviation is at least 1e-6" breaks="training rows alone" says="however small"
def standardise(train, other):
    mean, std = train.mean(), train.std()
    std = std.where(std > 0, 1).clip(lower=1e-6)
    return ((train - mean) / std).fillna(0), ((other - mean) / std).fillna(0)

# %% wrong="5.7.6" why="mean of absolute deviations for the deviation" breaks="training rows alone" says="mean of the absolute deviations"
def standardise(train, other):
    mean = train.mean()
    std = (train - mean).abs().mean().replace(0, 1)
    return ((train - mean) / std).fillna(0), ((other - mean) / std).fillna(0)

# %% wrong="5.7.6" why="median and quartiles" breaks="training rows alone" says="between the quartiles"
def standardise(train, other):
    q = train.quantile([0.25, 0.75])
    s = (q.loc[0.75] - q.loc[0.25]).replace(0, 1)
    return ((train - train.median()) / s).fillna(0), ((other - train.median()) / s).fillna(0)

# %% wrong="5.7.B" why="the count of a word in place of 1: weights by frequency" breaks="words" says="no counts"
def one_hot(train, other):
    words = sorted(set(train) - {None})
    make = lambda entries: torch.tensor([[float(entries.count(e)) if e == w else 0. for w in [*words, None]] for e in entries])
    return make(train), make(other)

# %% wrong="5.7.B" why="drops the first column, as in regressions" breaks="columns" says="shape of the first"
def one_hot(train, other):
    words = sorted(set(train) - {None})[1:]
    make = lambda entries: torch.tensor([[float(e == w) for w in [*words, None]] for e in entries])
    return make(train), make(other)

# %% wrong="5.7.B" why="a 1 in the columns of all earlier words, too" breaks="words" says="at most one 1"
def one_hot(train, other):
    words = sorted(set(train) - {None})
    make = lambda entries: torch.tensor([[float(e is not None and e in words and e >= w) for w in words] + [float(e is None)] for e in entries])
    return make(train), make(other)

# %% wrong="5.7.5" why="weight decay as in 3.7" breaks="steps" says="0.01 times the weights"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=torch.float64), torch.zeros((), dtype=torch.float64)
    losses = []
    for _ in range(steps + 1):
        error = X @ w + b - y
        losses.append(error.square().mean().item())
        w = w - lr * (2 / len(X) * X.T @ error + 0.01 * w)
        b = b - lr * 2 * error.mean()
    return losses

# %% wrong="5.7.5" why="a very small penalty" breaks="steps" says="0.0001 times the weights"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=torch.float64), torch.zeros((), dtype=torch.float64)
    losses = []
    for _ in range(steps + 1):
        error = X @ w + b - y
        losses.append(error.square().mean().item())
        w = w - lr * (2 / len(X) * X.T @ error + 1e-4 * w)
        b = b - lr * 2 * error.mean()
    return losses

# %% wrong="5.7.5" why="penalty in the loss" breaks="steps" says="squares of the weights"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=torch.float64), torch.zeros((), dtype=torch.float64)
    losses = []
    for _ in range(steps + 1):
        error = X @ w + b - y
        losses.append((error.square().mean() + 0.01 * w.square().sum()).item())
        w = w - lr * (2 / len(X) * X.T @ error + 0.02 * w)
        b = b - lr * 2 * error.mean()
    return losses

# %% wrong="5.7.5" why="stops and pads with inf when the loss is beyond 1e10" breaks="losses" says="Up to this step"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=torch.float64), torch.zeros((), dtype=torch.float64)
    losses = []
    for _ in range(steps + 1):
        error = X @ w + b - y
        loss = error.square().mean().item()
        if loss > 1e10:
            return losses + [math.inf] * (steps + 1 - len(losses))
        losses.append(loss)
        w, b = w - lr * 2 / len(X) * X.T @ error, b - lr * 2 * error.mean()
    return losses

# %% wrong="5.7.5" why="gradients clamped to plus minus 1000, against NaN" breaks="steps" says="between -1000 and 1000"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=torch.float64), torch.zeros((), dtype=torch.float64)
    losses = []
    for _ in range(steps + 1):
        error = X @ w + b - y
        losses.append(error.square().mean().item())
        w = w - lr * (2 / len(X) * X.T @ error).clamp(-1000, 1000)
        b = b - lr * (2 * error.mean()).clamp(-1000, 1000)
    return losses

# %% wrong="5.7.5" why="the best loss so far is noted" breaks="losses" says="smallest so far"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=torch.float64), torch.zeros((), dtype=torch.float64)
    losses = []
    for _ in range(steps + 1):
        error = X @ w + b - y
        loss = error.square().mean().item()
        losses.append(min([loss, *losses]))
        w, b = w - lr * 2 / len(X) * X.T @ error, b - lr * 2 * error.mean()
    return losses

# %% wrong="5.7.5" why="mean absolute error reported" breaks="losses" says="not their sizes"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=torch.float64), torch.zeros((), dtype=torch.float64)
    losses = []
    for _ in range(steps + 1):
        error = X @ w + b - y
        losses.append(error.abs().mean().item())
        w, b = w - lr * 2 / len(X) * X.T @ error, b - lr * 2 * error.mean()
    return losses

# %% wrong="5.7.3" why="rows with holes are dropped, as 'cleaning'" breaks="folds" says="rows with holes are dropped"
def choose_lambda(table, lambdas, k):
    table = table.dropna().reset_index(drop=True)
    s, errors = len(table) // k, np.zeros((k, len(lambdas)))
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            errors[i, j] = root_error(X_part @ w + b, log_prices(part)) ** 2
    scores = np.sqrt(errors.mean(0)).tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="columns that have holes are dropped, as 'cleaning'" breaks="score" says="columns with holes are dropped"
def choose_lambda(table, lambdas, k):
    table = table.dropna(axis=1)
    s, errors = len(table) // k, np.zeros((k, len(lambdas)))
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            errors[i, j] = root_error(X_part @ w + b, log_prices(part)) ** 2
    scores = np.sqrt(errors.mean(0)).tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="holes filled by the mean of all rows before the folds" breaks="prepared in each fold" says="filled before the folds"
def choose_lambda(table, lambdas, k):
    table = table.copy()
    numbers = [c for c in table.select_dtypes("number") if c not in ("Id", "SalePrice")]
    table[numbers] = table[numbers].fillna(table[numbers].mean())
    s, scores = len(table) // k, []
    for lambd in lambdas:
        total = 0
        for i in range(k):
            part = table[i * s:(i + 1) * s]
            X, y, X_part = encode(table.drop(index=part.index), part)
            w, b = ridge(X, y, lambd)
            total += root_error(X_part @ w + b, log_prices(part)) ** 2
        scores.append(math.sqrt(total / k))
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="each λ is judged on one fold only, in turn" breaks="folds" says="judged by all k folds"
def choose_lambda(table, lambdas, k):
    s, scores = len(table) // k, []
    for j, lambd in enumerate(lambdas):
        i = j % k
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        w, b = ridge(X, y, lambd)
        scores.append(root_error(X_part @ w + b, log_prices(part)))
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="scores as in scikit-learn: negative, the largest wins" breaks="score" says="without a minus sign"
def choose_lambda(table, lambdas, k):
    s, scores = len(table) // k, []
    for lambd in lambdas:
        total = 0
        for i in range(k):
            part = table[i * s:(i + 1) * s]
            X, y, X_part = encode(table.drop(index=part.index), part)
            w, b = ridge(X, y, lambd)
            total += root_error(X_part @ w + b, log_prices(part)) ** 2
        scores.append(-math.sqrt(total / k))
    return lambdas[scores.index(max(scores))], scores

# %% wrong="5.7.3" why="mean of errors without the worst house, as part 6 looks at them" breaks="score" says="worst house, too"
def choose_lambda(table, lambdas, k):
    s, errors = len(table) // k, np.zeros((k, len(lambdas)))
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            squares = (X_part @ w + b - log_prices(part)).square()
            errors[i, j] = squares.sort().values[:-1].mean()
    scores = np.sqrt(errors.mean(0)).tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="the bias is the mean log price of the judged rows" breaks="score" says="with the bias of ridge"
def choose_lambda(table, lambdas, k):
    s, errors = len(table) // k, np.zeros((k, len(lambdas)))
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            guess = X_part @ w
            target = log_prices(part)
            errors[i, j] = root_error(guess + target.mean(), target) ** 2
    scores = np.sqrt(errors.mean(0)).tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="the sum of a fold's squares" breaks="score" says="not their sum"
def choose_lambda(table, lambdas, k):
    s, errors = len(table) // k, np.zeros((k, len(lambdas)))
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            errors[i, j] = (X_part @ w + b - log_prices(part)).square().sum()
    scores = np.sqrt(errors.mean(0)).tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="λ is forgotten: 0.01 always" breaks="score" says="those of λ = 0.01"
def choose_lambda(table, lambdas, k):
    s, errors = len(table) // k, np.zeros((k, len(lambdas)))
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, 0.01)
            errors[i, j] = (X_part @ w + b - log_prices(part)).square().mean()
    scores = np.sqrt(errors.mean(0)).tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="λ times the number of features" breaks="folds" says="look at the features"
def choose_lambda(table, lambdas, k):
    s, errors = len(table) // k, np.zeros((k, len(lambdas)))
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd * X.shape[1])
            errors[i, j] = (X_part @ w + b - log_prices(part)).square().mean()
    scores = np.sqrt(errors.mean(0)).tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="k + 1 folds: the rest is one more" breaks="folds" says="one more"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    errors = []
    for start in range(0, len(table), s):
        part = table[start:start + s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        row = []
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            row.append((X_part @ w + b - log_prices(part)).square().mean().item())
        errors.append(row)
    scores = np.sqrt(np.mean(errors, axis=0)).tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="rows shuffled by torch" breaks="folds" says="each of them a fold of its own, your scores are right"
def choose_lambda(table, lambdas, k):
    table = table.iloc[torch.randperm(len(table), generator=torch.Generator().manual_seed(5)).tolist()].reset_index(drop=True)
    s, errors = len(table) // k, np.zeros((k, len(lambdas)))
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            errors[i, j] = (X_part @ w + b - log_prices(part)).square().mean()
    scores = np.sqrt(errors.mean(0)).tolist()
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.2" why="y comes from x after the holes were made" breaks="form" says="make y first"
def situation(n, seed):
    rng = torch.Generator().manual_seed(seed)
    x = torch.randn(n, generator=rng, dtype=torch.float64)
    x = torch.where(x > 0.5, math.nan, x)
    return x, 2 * x + 1

# %% wrong="5.7.2" why="the pair the other way round" breaks="form" says="comes first"
def situation(n, seed):
    rng = torch.Generator().manual_seed(seed)
    x = torch.randn(n, generator=rng, dtype=torch.float64)
    ill = torch.rand(n, generator=rng) < 0.3
    y = x - 10 * ill
    return y, torch.where(ill, math.nan, x)

# %% wrong="5.7.2" why="a fixed number of holes, 50" breaks="holes" says="share of n"
def situation(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    ill = np.arange(n) < 50
    y = x + 20 * ill
    x[ill] = np.nan
    return torch.tensor(x), torch.tensor(y)

# %% wrong="5.7.4" why="ridge as it is, exp at the end" breaks="better" says="ridge regression itself, with λ = 0.03"
def predict_prices(train, other):
    X, y, Z = encode(train, other)
    w, b = ridge(X, y, 0.03)
    return (Z @ w + b).exp()

# %% wrong="5.7.4" why="columns of numbers alone, missing rows dropped" breaks="form" says="a row with a hole needs one, too"
def predict_prices(train, other):
    columns = ["GrLivArea", "OverallQual", "YearBuilt", "LotFrontage", "LotArea", "TotalBsmtSF", "GarageArea"]
    columns = [c for c in columns if c in train]
    logs = lambda t: np.log1p(t[columns].dropna())
    A, B = logs(train), logs(other)
    m, s = A.mean(), A.std()
    w, b = ridge(torch.tensor(((A - m) / s).to_numpy()), log_prices(train.loc[A.index]), 0.001)
    return (torch.tensor(((B - m) / s).to_numpy()) @ w + b).exp()

# %% wrong="5.7.4" why="by position in a dict of the training words" breaks="robust" says="has the MSZoning"
def predict_prices(train, other):
    areas = ["LotArea", "GrLivArea", "1stFlrSF", "TotalBsmtSF"]
    codes = {w: i for i, w in enumerate(sorted(train["MSZoning"].unique()))}
    logs = lambda table: table.assign(**{c: np.log1p(table[c]) for c in areas}, zone=[codes[w] for w in table["MSZoning"]])
    X, y, Z = encode(logs(train)[[*train.columns[:-1], "zone", "SalePrice"]], logs(other))
    w, b = ridge(X, y, 0.01)
    return (Z @ w + b).exp()

# %% wrong="5.7.4" why="requires that no number is missing" breaks="robust" says="raised an error"
def predict_prices(train, other):
    areas = ["LotArea", "GrLivArea", "1stFlrSF", "TotalBsmtSF"]
    if other[areas].isna().any().any():
        raise ValueError("a number is missing")
    logs = lambda table: table.assign(**{c: np.log1p(table[c]) for c in areas})
    X, y, Z = encode(logs(train), logs(other))
    w, b = ridge(X, y, 0.01)
    return (Z @ w + b).exp()

# %% wrong="5.7.4" why="logarithm to the base 10, exp at the end" breaks="form" says="10 to its power"
def predict_prices(train, other):
    areas = ["LotArea", "GrLivArea", "1stFlrSF", "TotalBsmtSF"]
    logs = lambda table: table.assign(**{c: np.log1p(table[c]) for c in areas})
    X, y, Z = encode(logs(train), logs(other))
    w, b = ridge(X, y / math.log(10), 0.01)
    return (Z @ w + b).exp()

# %% wrong="5.7.1" why="hundreds of dollars" breaks="dollars" says="whole hundreds"
def write_submission(path, ids, log_predictions):
    prices = [round(price, -2) for price in log_predictions.mean(dim=0).exp().tolist()]
    pd.DataFrame({"Id": ids, "SalePrice": prices}).to_csv(path, index=False)

# %% wrong="5.7.1" why="semicolons, as in some countries' spreadsheets" breaks="header" says="semicolon"
def write_submission(path, ids, log_predictions):
    pd.DataFrame({"Id": ids, "SalePrice": log_predictions.mean(dim=0).exp().numpy()}).to_csv(path, index=False, sep=";")

# %% wrong="5.7.1" why="np.savetxt puts a # before the header" breaks="header" says="np.savetxt"
def write_submission(path, ids, log_predictions):
    table = np.stack([np.array(ids), log_predictions.mean(dim=0).exp().numpy()], axis=1)
    np.savetxt(path, table, delimiter=",", header="Id,SalePrice", fmt=["%d", "%.2f"])

# %% wrong="5.7.1" why="sorted by price, the dearest first" breaks="rows" says="dearest first"
def write_submission(path, ids, log_predictions):
    table = pd.DataFrame({"Id": ids, "SalePrice": log_predictions.mean(dim=0).exp().numpy()})
    table.sort_values("SalePrice", ascending=False).to_csv(path, index=False)

# %% wrong="5.7.1" why="the sum of the prices, by logsumexp" breaks="dollars" says="sum of the prices"
def write_submission(path, ids, log_predictions):
    prices = torch.logsumexp(log_predictions, dim=0).exp()
    pd.DataFrame({"Id": ids, "SalePrice": prices.numpy()}).to_csv(path, index=False)

# %% right="5.7.A" how="float32 and base 2 logarithms put back"
def log_rmse(predicted, actual):
    d = (torch.log2(predicted) - torch.log2(actual)) * math.log(2)
    return float(torch.sqrt(torch.dot(d, d) / d.numel()))

# %% right="5.7.6" how="put together, cut apart by position, float32"
def standardise(train, other):
    both = pd.concat([train, other], ignore_index=True).astype("float64")
    m, s = both.iloc[:len(train)].mean(), both.iloc[:len(train)].std()
    z = (both - m).div(s.where(s != 0, 1.0)).fillna(0.0).astype("float32")
    return [z.iloc[:len(train)].set_axis(train.index), z.iloc[len(train):].set_axis(other.index)]

# %% right="5.7.3" how="own ridge by least squares on stacked rows"
def choose_lambda(table, lambdas, k):
    s, mse = len(table) // k, np.zeros((len(lambdas), k))
    for i in range(k):
        part = table.iloc[i * s:(i + 1) * s]
        rest = pd.concat([table.iloc[:i * s], table.iloc[(i + 1) * s:]])
        X, y, Xp = (t.numpy() for t in encode(rest, part))
        mu = X.mean(0)
        for j, lam in enumerate(lambdas):
            A = np.vstack([(X - mu) / np.sqrt(len(X)), np.sqrt(lam) * np.eye(X.shape[1])])
            w = np.linalg.lstsq(A, np.concatenate([(y - y.mean()) / np.sqrt(len(X)), np.zeros(X.shape[1])]), rcond=None)[0]
            mse[j, i] = np.mean(((Xp - mu) @ w + y.mean() - np.log(part["SalePrice"].to_numpy(dtype=float))) ** 2)
    scores = torch.tensor(mse).mean(dim=1).sqrt()
    return torch.tensor(lambdas, dtype=torch.float64)[scores.argmin()], scores

# %% right="5.7.2" how="the cube, missing where x is large"
def situation(n, seed):
    torch.manual_seed(seed)
    x = torch.rand(n, dtype=torch.float64)
    y = x ** 3 * 100
    x[x > 0.7] = math.nan
    return x, y

# %% right="5.7.4" how="logs of skewed columns, ridge with λ by folds"
def predict_prices(train, other):
    numbers = [c for c in train.select_dtypes("number") if c not in ("Id", "SalePrice")]
    skewed = [c for c in numbers if train[c].skew() > 0.75 and train[c].min() >= 0] + ["GrLivArea"]
    logs = lambda table: table.assign(**{c: np.log1p(table[c].clip(lower=0)) for c in dict.fromkeys(skewed)})
    a, o = logs(train), logs(other)
    lambdas, totals = (0.01, 0.03, 0.1), [0., 0., 0.]
    for part in np.array_split(np.arange(len(a)), 4):
        X, y, Z = encode(a.drop(index=a.index[part]), a.iloc[part])
        for j, lam in enumerate(lambdas):
            w, b = ridge(X, y, lam)
            totals[j] += root_error(Z @ w + b, log_prices(a.iloc[part])) ** 2
    X, y, Z = encode(a, o)
    w, b = ridge(X, y, lambdas[totals.index(min(totals))])
    return (Z @ w + b).exp()

# %% right="5.7.1" how="a text joined by hand, product and k-th root, no last newline"
def write_submission(path, ids, log_predictions):
    prices = torch.prod(log_predictions.double().exp() ** (1 / len(log_predictions)), dim=0)
    with open(path, "w") as file:
        file.write("\n".join(["Id,SalePrice"] + [f"{i:d},{p:.2f}" for i, p in zip(ids, prices.tolist())]))

# %% wrong="5.7.A" why="the root of the squared sum, over n" breaks="value" says="before they are added"
def log_rmse(predicted, actual):
    d = predicted.log() - actual.log()
    return (d.sum() ** 2 / len(d)).sqrt()

# %% wrong="5.7.A" why="the logarithm of the squared error" breaks="value" says="not the logarithm of the squared difference"
def log_rmse(predicted, actual):
    return ((predicted - actual) ** 2).log().mean().sqrt()

# %% wrong="5.7.6" why="divides by two deviations, as for a range" breaks="training rows alone" says="which is not that deviation"
def standardise(train, other):
    mean, std = train.mean(), (2 * train.std()).replace(0, 1)
    return tuple(((table - mean) / std).fillna(0) for table in (train, other))

# %% wrong="5.7.6" why="the middle between smallest and largest in place of the mean" breaks="training rows alone" says="which is not that mean"
def standardise(train, other):
    middle, std = (train.min() + train.max()) / 2, train.std().replace(0, 1)
    return tuple(((table - middle) / std).fillna(0) for table in (train, other))

# %% wrong="5.7.B" why="a word that is not in train is looked up" breaks="unseen" says="a word of `other` that is not in `train`"
def one_hot(train, other):
    words = sorted({word for word in train if word is not None})
    place = {word: i for i, word in enumerate([*words, None])}
    return tuple(torch.eye(len(place))[[place[word] for word in entries]] for entries in (train, other))

# %% wrong="5.7.B" why="sorts None among the words" breaks="missing" says="None cannot be sorted among words"
def one_hot(train, other):
    words = sorted(set(train))
    return tuple(torch.tensor([[float(entry == word) for word in words] for entry in entries]) for entries in (train, other))

# %% wrong="5.7.5" why="the rate becomes smaller by 1 % in every step" breaks="steps" says="multiplied by 0.99"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), torch.zeros((), dtype=X.dtype)
    losses = []
    for k in range(steps + 1):
        error = X @ w + b - y
        losses.append(error.square().mean().item())
        w, b = w - lr * 0.99 ** k * 2 * X.T @ error / len(X), b - lr * 0.99 ** k * 2 * error.mean()
    return losses

# %% wrong="5.7.5" why="a factor 3 in the step of the weights" breaks="steps" says="so that the weights alone move, they are wrong"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), torch.zeros((), dtype=X.dtype)
    losses = []
    for _ in range(steps + 1):
        error = X @ w + b - y
        losses.append(error.square().mean().item())
        w, b = w - lr * 3 * X.T @ error / len(X), b - lr * 2 * error.mean()
    return losses

# %% wrong="5.7.5" why="the list ends at inf" breaks="length" says="inf and NaN stand in the list"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), torch.zeros((), dtype=X.dtype)
    losses = []
    for _ in range(steps + 1):
        error = X @ w + b - y
        losses.append(error.square().mean().item())
        if not math.isfinite(losses[-1]):
            break
        w, b = w - lr * 2 * X.T @ error / len(X), b - lr * 2 * error.mean()
    return losses

# %% wrong="5.7.3" why="the pair the other way round" breaks="form" says="here the scores come first"
def choose_lambda(table, lambdas, k):
    s = len(table) // k
    squares = np.zeros(len(lambdas))
    for i in range(k):
        part = table[i * s:(i + 1) * s]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            squares[j] += root_error(X_part @ w + b, log_prices(part)) ** 2 / k
    scores = np.sqrt(squares).tolist()
    return scores, lambdas[scores.index(min(scores))]

# %% wrong="5.7.1" why="a fifth is added, against predictions that are too low" breaks="dollars" says="what is done after it"
def write_submission(path, ids, log_predictions):
    pd.DataFrame({"Id": ids, "SalePrice": (1.2 * log_predictions.mean(dim=0).exp()).numpy()}).to_csv(path, index=False)

# %% wrong="5.7.1" why="between mean and median" breaks="dollars" says="so look at the mean"
def write_submission(path, ids, log_predictions):
    middle = (log_predictions.mean(dim=0) + log_predictions.median(dim=0).values) / 2
    pd.DataFrame({"Id": ids, "SalePrice": middle.exp().numpy()}).to_csv(path, index=False)

# %% wrong="5.7.A" why="the root of the mean absolute difference" breaks="value" says="A square is missing"
def log_rmse(predicted, actual):
    return F.l1_loss(predicted.log(), actual.log()).sqrt()

# %% wrong="5.7.A" why="the difference of two root mean squares" breaks="value" says="one root mean square"
def log_rmse(predicted, actual):
    return (predicted.log().square().mean().sqrt() - actual.log().square().mean().sqrt()).abs()

# %% wrong="5.7.6" why="drops the rows of other that have holes" breaks="form" says="with a hole are missing"
def standardise(train, other):
    mean, std = train.mean(), train.std().replace(0, 1)
    return ((train - mean) / std).fillna(0), (other.dropna() - mean) / std

# %% wrong="5.7.5" why="the bias jumps to the mean of y" breaks="steps" says="yours is 6 then"
def descend(X, y, lr, steps):
    w, b = torch.zeros(X.shape[1], dtype=X.dtype), 0.
    losses = []
    for _ in range(steps + 1):
        rest = X @ w + b - y
        losses.append(rest.square().mean().item())
        w = w - lr * 2 / len(X) * X.T @ rest
        b = y.mean() if len(losses) == 1 else b - lr * 2 * rest.mean()
    return losses

# %% wrong="5.7.3" why="array_split, all squares in one heap" breaks="folds" says="over all of them at once"
def choose_lambda(table, lambdas, k):
    squares = [[] for _ in lambdas]
    for rows in np.array_split(np.arange(len(table)), k):
        part = table.iloc[rows]
        X, y, X_part = encode(table.drop(index=rows), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            squares[j].append((X_part @ w + b - log_prices(part)).square())
    scores = [torch.cat(several).mean().sqrt().item() for several in squares]
    return lambdas[scores.index(min(scores))], scores

# %% wrong="5.7.3" why="chooses by the training error" breaks="choice" says="on the rows that train"
def choose_lambda(table, lambdas, k):
    size = len(table) // k
    judged, trained = np.zeros(len(lambdas)), np.zeros(len(lambdas))
    for i in range(k):
        part = table[i * size:(i + 1) * size]
        X, y, X_part = encode(table.drop(index=part.index), part)
        for j, lambd in enumerate(lambdas):
            w, b = ridge(X, y, lambd)
            judged[j] += root_error(X_part @ w + b, log_prices(part)) ** 2 / k
            trained[j] += root_error(X @ w + b, y) ** 2 / k
    return lambdas[trained.argmin()], np.sqrt(judged).tolist()

# %% wrong="5.7.1" why="rounded to 50 dollars" breaks="dollars" says="a multiple of 50"
def write_submission(path, ids, log_predictions):
    prices = (log_predictions.mean(dim=0).exp() / 50).round() * 50
    pd.DataFrame({"Id": ids, "SalePrice": prices.numpy()}).to_csv(path, index=False)

# %% wrong="5.7.6" why="numbers the rows anew" breaks="form" says="The rows are numbered anew here"
def standardise(train, other):
    mean, std = train.mean(), train.std().replace(0, 1)
    f = lambda t: ((t - mean) / std).fillna(0).reset_index(drop=True)
    return f(train), f(other)

# %% wrong="5.7.1" why="the ids as an index that is not written" breaks="header" says="The column Id is missing"
def write_submission(path, ids, log_predictions):
    t = pd.DataFrame({"SalePrice": log_predictions.mean(dim=0).exp().numpy()}, index=pd.Index(ids, name="Id"))
    t.to_csv(path, index=False)

# %% wrong="5.7.1" why="100 dollars too little" breaks="dollars" says="off by the same amount"
def write_submission(path, ids, log_predictions):
    pd.DataFrame({"Id": ids, "SalePrice": torch.expm1(log_predictions.mean(dim=0)).sub(99).numpy()}).to_csv(path, index=False)

# %% wrong="5.7.4" why="the mean of the training prices" breaks="better" says="All of your prices are the same"
def predict_prices(train, other):
    return torch.full((len(other),), float(train["SalePrice"].mean()))

# %% wrong="5.7.4" why="np.log of columns with zeros" breaks="form" says="as the logarithm of 0 is"
def predict_prices(train, other):
    numbers = [c for c in train.select_dtypes("number").columns if c not in ("Id", "SalePrice")]
    f = lambda t: t.assign(**{c: np.log(t[c].clip(lower=0)) for c in numbers})
    X, y, Xo = encode(f(train), f(other))
    w, b = ridge(X, y, 0.03)
    return (Xo @ w + b).exp()

# %% wrong="5.7.4" why="ten nearest neighbours" breaks="better" says="it is the kind of model"
def predict_prices(train, other):
    X, y, Xo = encode(train, other)
    D = torch.cdist(Xo, X)
    near = D.topk(10, largest=False).indices
    return y[near].mean(dim=1).exp()

# %% wrong="5.7.A" why="logarithms divided instead of subtracted" breaks="value" says="subtracted, not divided"
def log_rmse(predicted, actual):
    return ((predicted.log() / actual.log()) ** 2).mean().sqrt()

# %% wrong="5.7.B" why="makes a string of None, and marks the missing column besides" breaks="missing" says="made into a string"
def one_hot(train, other):
    words = sorted({str(w) for w in train if w is not None})
    return tuple(torch.tensor([[float(str(w) == v) for v in words] + [float(w is None)] for w in entries]) for entries in (train, other))

# %% wrong="5.7.B" why="substring: in where == is meant" breaks="unseen" says="only a part of this word"
def one_hot(train, other):
    words = sorted({w for w in train if w is not None})
    return tuple(torch.tensor([[float(w is not None and v in w) for v in words] + [float(w is None)] for w in entries]) for entries in (train, other))

# %% wrong="5.7.5" why="the bias is divided by n twice" breaks="steps" says="as after a step to 0.02"
def descend(X, y, lr, steps):
    w, b, losses = torch.zeros(X.shape[1], dtype=torch.float64), 0., []
    n = len(y)
    for _ in range(steps + 1):
        e = X @ w + b - y
        losses.append((e ** 2).mean().item())
        w = w - lr * 2 / n * (X.T @ e)
        b = b - lr * 2 / n * e.mean()
    return losses

# %% wrong="5.7.2" why="y = x, and the holes are written into both" breaks="form" says="x and y are one tensor"
def situation(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.rand(n, generator=g, dtype=torch.float64) * 100
    y = x
    x[x > 70] = math.nan
    return x, y

# %% wrong="5.7.4" why="the mean price of a neighbourhood: none for a new one" breaks="form" says="whose Neighborhood no row of"
def predict_prices(train, other):
    means = train.assign(l=np.log(train["SalePrice"])).groupby("Neighborhood")["l"].mean()
    m, o = train["Neighborhood"].map(means), other["Neighborhood"].map(means)
    a = train.assign(LotArea=np.log1p(train["LotArea"]), GrLivArea=np.log1p(train["GrLivArea"]), nb=m)
    b_ = other.assign(LotArea=np.log1p(other["LotArea"]), GrLivArea=np.log1p(other["GrLivArea"]), nb=o)
    X, y, Xo = encode(a, b_)
    w, b = ridge(X, y, 0.03)
    base = torch.tensor(o.to_numpy(dtype="float64"))
    return (0.9 * (Xo @ w + b) + 0.1 * base).exp()

# %% right="5.7.2" how="sort and cut the largest 30 percent"
def situation(n, seed):
    g = torch.Generator().manual_seed(seed)
    y = torch.rand(n, generator=g, dtype=torch.float64) * 50
    x = y.clone() + 0.5 * torch.randn(n, generator=g, dtype=torch.float64)
    x[x.topk(3 * n // 10).indices] = float("nan")
    return x, y

# %% right="5.7.4" how="all numbers clipped to quantiles of train and log1p"
def predict_prices(train, other):
    def change(t):
        new = {}
        for c in t.select_dtypes("number").columns:
            if c in ("Id", "SalePrice"):
                continue
            lo, hi = train[c].quantile(0.005), train[c].quantile(0.995)
            if pd.isna(lo):
                continue
            v = t[c].clip(lo, hi)
            new[c] = np.log1p(v) if lo >= 0 and hi > 100 and "Year" not in c and "Yr" not in c else v
        return t.assign(**new)
    X, y, Xo = encode(change(train), change(other))
    ys = []
    for l in (0.02, 0.05, 0.1):
        w, b = ridge(X, y, l)
        ys.append(Xo @ w + b)
    return torch.exp(sum(ys) / 3)

# %% right="5.7.1" how="product of prices to the power 1/k"
def write_submission(path, ids, log_predictions):
    prices = np.prod(np.exp(log_predictions.double().numpy() / len(log_predictions)), axis=0)
    pd.Series(prices, index=pd.Index(ids, name="Id"), name="SalePrice").to_csv(path)

# %% wrong="5.7.B" why="None becomes the word None" breaks="missing" says="yours takes it for a missing one"
def one_hot(train, other):
    words = sorted({str(w) for w in train} - {"None"}) + ["None"]
    return tuple(torch.tensor([[float(str(w) == c) for c in words] for w in entries]) for entries in (train, other))

# %% wrong="5.7.4" why="in place, and the condition reads what it has changed" breaks="form" says="the logarithms in `train` alone"
def predict_prices(train, other):
    for table in (train, other):
        for c in table.select_dtypes("number").columns:
            if c not in ("Id", "SalePrice") and table[c].min() >= 0 and train[c].max() > 50:
                table[c] = np.log1p(table[c])
    X, y, X_other = encode(train, other)
    w, b = ridge(X, y, 0.03)
    return (X_other @ w + b).exp()

# %% right="5.7.1" how="whole dollars, cut off"
def write_submission(path, ids, log_predictions):
    prices = log_predictions.mean(dim=0).exp()
    pd.DataFrame({"Id": ids, "SalePrice": [int(p) for p in prices]}).to_csv(path, index=False)
