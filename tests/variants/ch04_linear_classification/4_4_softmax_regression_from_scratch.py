# Variants of the answers of solutions/ch04_linear_classification/4_4_softmax_regression_from_scratch.py.

# %% right="4.4.A" how="flatten and addmm"
def class_scores(X, W, b):
    return torch.addmm(b, X.flatten(1), W)

# %% right="4.4.A" how="one example after the other"
def class_scores(X, W, b):
    return torch.stack([x.flatten() @ W for x in X]) + b

# %% wrong="4.4.A" why="mixes the examples" breaks="values" says="the first axis has to stay"
def class_scores(X, W, b):
    return X.reshape(W.shape[0], -1).T @ W + b

# %% wrong="4.4.A" why="no bias" breaks="values" says="The bias is missing"
def class_scores(X, W, b):
    return X.flatten(1) @ W

# %% wrong="4.4.A" why="only the last axis" breaks="shape" says="class_scores"
def class_scores(X, W, b):
    return X.reshape(-1, X.shape[-1]) @ W + b

# %% wrong="4.4.A" why="784, whatever the pictures are" breaks="shape" says="class_scores"
def class_scores(X, W, b):
    return X.reshape(-1, 784) @ W + b

# %% wrong="4.4.A" why="classes in the rows" breaks="shape" says="here it is the other way round"
def class_scores(X, W, b):
    return (X.flatten(1) @ W + b).T

# %% wrong="4.4.A" why="probabilities" breaks="values" says="These are probabilities"
def class_scores(X, W, b):
    return torch.softmax(X.flatten(1) @ W + b, dim=1)

# %% wrong="4.4.A" why="column by column" breaks="values" says="stand in another order"
def class_scores(X, W, b):
    return X.transpose(1, -1).reshape(len(X), -1) @ W + b

# %% wrong="4.4.A" why="negative scores cut off" breaks="values" says="Negative scores were cut off"
def class_scores(X, W, b):
    return (X.reshape(len(X), -1) @ W + b).clamp(min=0)

# %% wrong="4.4.A" why="a single example loses its axis" breaks="shape" says="The axis of the single example is gone"
def class_scores(X, W, b):
    return (X.reshape(len(X), -1) @ W + b).squeeze()

# %% wrong="4.4.A" why="the result is rounded to whole numbers" breaks="values" says="The scores were rounded"
def class_scores(X, W, b):
    return (X.reshape(len(X), -1) @ W + b).round()

# %% right="4.4.A" how="reshape(-1, d), a reader's"
def class_scores(X, W, b):
    return torch.einsum("nd,dq->nq", X.reshape(-1, W.shape[0]), W).add(b)

# %% right="4.4.A" how="the weight laid out like a picture, tensordot, a reader's"
def class_scores(X, W, b):
    return torch.tensordot(X, W.reshape(*X.shape[1:], -1), dims=X.dim() - 1) + b

# %% wrong="4.4.A" why="the two last axes only are joined" breaks="shape" says="Only the last two axes were joined"
def class_scores(X, W, b):
    return (X.flatten(start_dim=-2) if X.dim() > 2 else X) @ W + b

# %% right="4.4.B" how="a loop with math.log"
def costliest(P, y):
    losses = [-math.log(row[c]) for row, c in zip(P.tolist(), y.tolist())]
    return losses.index(max(losses)), max(losses)

# %% right="4.4.B" how="gather and min, tensors"
def costliest(P, y):
    smallest, i = P.gather(1, y[:, None])[:, 0].min(dim=0)
    given = P.gather(1, y[:, None])[:, 0]
    return [(given == smallest).nonzero()[0, 0], -smallest.log()]

# %% wrong="4.4.B" why="the cheapest" breaks="example" says="costs least"
def costliest(P, y):
    given = P[range(len(y)), y]
    return given.argmax().item(), -given.min().log().item()

# %% wrong="4.4.B" why="the surest row" breaks="example" says="surest"
def costliest(P, y):
    return P.max(dim=1).values.argmax().item(), -P[range(len(y)), y].min().log().item()

# %% wrong="4.4.B" why="the last of several" breaks="example" says="the last of several"
def costliest(P, y):
    given = P[range(len(y)), y].tolist()
    i = max(range(len(given)), key=lambda k: (-given[k], k))
    return i, -math.log(given[i])

# %% wrong="4.4.B" why="the probability" breaks="loss" says="not yet its logarithm"
def costliest(P, y):
    given = P[range(len(y)), y]
    return given.argmin().item(), given.min().item()

# %% wrong="4.4.B" why="no minus" breaks="loss" says="minus sign is missing"
def costliest(P, y):
    given = P[range(len(y)), y]
    return given.argmin().item(), given.min().log().item()

# %% wrong="4.4.B" why="the mean" breaks="loss" says="mean loss of all examples"
def costliest(P, y):
    given = P[range(len(y)), y]
    return given.argmin().item(), -given.log().mean().item()

# %% wrong="4.4.B" why="base 2" breaks="loss" says="base 2"
def costliest(P, y):
    given = P[range(len(y)), y]
    return given.argmin().item(), -given.log2().min().item()

# %% wrong="4.4.B" why="1e-9 under the logarithm" breaks="loss" says="with the probabilities 0.9, 1e-9 and 1e-12"
def costliest(P, y):
    losses = -torch.log(P[torch.arange(len(y)), y] + 1e-9)
    i = losses.argmax()
    return int(i), float(losses[i])

# %% wrong="4.4.B" why="the smallest probability of the row, of any class" breaks="example" says="the smallest probability of any class"
def costliest(P, y):
    losses = -torch.log(P.min(dim=1).values)
    i = losses.argmax()
    return int(i), float(losses[i])

# %% wrong="4.4.B" why="the loss first, the number second" breaks="example" says="Its number comes first in the pair"
def costliest(P, y):
    losses = -torch.log(P[torch.arange(len(y)), y])
    i = losses.argmax()
    return float(losses[i]), int(i)

# %% wrong="4.4.B" why="only mistaken examples count" breaks="example" says="three examples in which the label is the most probable class"
def costliest(P, y):
    losses = torch.where(P.argmax(dim=1) == y, 0.0, -P[torch.arange(len(y)), y].log())
    return losses.argmax().item(), losses.max().item()

# %% wrong="4.4.B" why="probabilities bounded at 1e-7" breaks="example" says="A bound on the probabilities"
def costliest(P, y):
    losses = -P[torch.arange(len(y)), y].clamp(min=1e-7).log()
    return losses.argmax().item(), losses.max().item()

# %% right="4.4.C" how="floor division upside down"
def number_of_updates(n, batch_size, epochs):
    return -(-n // batch_size) * epochs

# %% right="4.4.C" how="counts the batches"
def number_of_updates(n, batch_size, epochs):
    return len(torch.arange(n).split(batch_size)) * epochs

# %% wrong="4.4.C" why="the last batch dropped" breaks="last batch" says="smaller last batch makes a step"
def number_of_updates(n, batch_size, epochs):
    return n // batch_size * epochs

# %% wrong="4.4.C" why="always one more" breaks="last batch" says="nothing is left"
def number_of_updates(n, batch_size, epochs):
    return (n // batch_size + 1) * epochs

# %% wrong="4.4.C" why="rounded at the very end" breaks="epochs" says="Each epoch begins anew"
def number_of_updates(n, batch_size, epochs):
    return math.ceil(n * epochs / batch_size)

# %% wrong="4.4.C" why="a fraction" breaks="last batch" says="counted whole"
def number_of_updates(n, batch_size, epochs):
    return n / batch_size * epochs

# %% wrong="4.4.C" why="one epoch" breaks="epochs" says="This is one epoch"
def number_of_updates(n, batch_size, epochs):
    return math.ceil(n / batch_size)

# %% wrong="4.4.C" why="rounds to the nearest" breaks="last batch" says="A batch that is not full"
def number_of_updates(n, batch_size, epochs):
    return round(n / batch_size) * epochs if n > 100 else n // batch_size * epochs

# %% right="4.4.7" how="sorted with a key"
def worst_mistakes(P, y, k):
    rows = [i for i in range(len(y)) if P[i].argmax() != y[i]]
    return sorted(rows, key=lambda i: P[i].max().item(), reverse=True)[:k]

# %% right="4.4.7" how="topk of a score that is minus 1 where the row is right"
def worst_mistakes(P, y, k):
    sure, predicted = P.max(dim=1)
    sure = torch.where(predicted == y, -1.0, sure)
    return sure.topk(min(k, int((predicted != y).sum()))).indices

# %% wrong="4.4.7" why="places among the mistakes" breaks="mistakes only" says="places among the mistakes, not numbers of rows"
def worst_mistakes(P, y, k):
    sure, predicted = P.max(dim=1)
    return sure[predicted != y].argsort(descending=True)[:k]

# %% wrong="4.4.7" why="the least sure first" breaks="order" says="The surest comes first"
def worst_mistakes(P, y, k):
    sure, predicted = P.max(dim=1)
    rows = (predicted != y).nonzero().flatten()
    return rows[sure[rows].argsort()][:k]

# %% wrong="4.4.7" why="right rows, too" breaks="mistakes only" says="only mistaken ones count"
def worst_mistakes(P, y, k):
    wrong = int((P.argmax(dim=1) != y).sum())
    return P.max(dim=1).values.argsort(descending=True)[:min(k, wrong)]

# %% wrong="4.4.7" why="sorted by the probability of the label" breaks="order" says="Sorted by the probability of the label"
def worst_mistakes(P, y, k):
    rows = (P.argmax(dim=1) != y).nonzero().flatten()
    return rows[P[rows, y[rows]].argsort()][:k]

# %% wrong="4.4.7" why="in the order of the rows" breaks="order" says="in the order of the rows"
def worst_mistakes(P, y, k):
    return (P.argmax(dim=1) != y).nonzero().flatten()[:k]

# %% wrong="4.4.7" why="the first k mistakes, sorted" breaks="order" says="The first k mistakes were sorted"
def worst_mistakes(P, y, k):
    sure, predicted = P.max(dim=1)
    rows = (predicted != y).nonzero().flatten()[:k]
    return rows[sure[rows].argsort(descending=True)]

# %% wrong="4.4.7" why="a column of row numbers" breaks="form" says="on a single axis"
def worst_mistakes(P, y, k):
    sure, predicted = P.max(dim=1)
    rows = (predicted != y).nonzero()
    return rows[sure[rows[:, 0]].argsort(descending=True)][:k]

# %% wrong="4.4.7" why="filled up to k" breaks="at most k" says="Rows that are not mistaken"
def worst_mistakes(P, y, k):
    sure, predicted = P.max(dim=1)
    return torch.where(predicted == y, -1.0, sure).argsort(descending=True)[:k]

# %% wrong="4.4.7" why="all of them" breaks="at most k" says="mistakes; the first 4 of them"
def worst_mistakes(P, y, k):
    sure, predicted = P.max(dim=1)
    rows = (predicted != y).nonzero().flatten()
    return rows[sure[rows].argsort(descending=True)]

# %% wrong="4.4.7" why="sure by the distance from the second class" breaks="order" says="the lead over the second class"
def worst_mistakes(P, y, k):
    top = P.topk(2, dim=1).values
    gap = top[:, 0] - top[:, 1]
    rows = (P.argmax(dim=1) != y).nonzero().flatten()
    return rows[gap[rows].argsort(descending=True)][:k]

# %% right="4.4.7" how="a loop; of equal ones the later first, a reader's"
def worst_mistakes(P, y, k):
    found = []
    for i, row in enumerate(P.tolist()):
        if row.index(max(row)) != int(y[i]):
            found.append((max(row), i))
    return [i for _, i in sorted(found, reverse=True)][:k]

# %% wrong="4.4.7" why="a pair of numbers and probabilities" breaks="at most k" says="The row numbers alone"
def worst_mistakes(P, y, k):
    sure, guess = P.max(dim=1)
    places = (guess != y).nonzero().flatten()
    best = places[sure[places].argsort(descending=True)][:k]
    return best, sure[best]

# %% right="4.4.7" how="a list of tensors, sorted before they are chosen, a reader's"
def worst_mistakes(P, y, k):
    return [i for i in P.amax(dim=1).argsort(descending=True) if P[i].argmax() != y[i]][:k]

# %% wrong="4.4.7" why="floating-point numbers" breaks="form" says="wrong dtype"
def worst_mistakes(P, y, k):
    sure, guess = P.max(dim=1)
    places = (guess != y).nonzero().flatten()
    return places[sure[places].argsort(descending=True)][:k].float()

# %% wrong="4.4.7" why="each number with its probability" breaks="form" says="The row numbers alone"
def worst_mistakes(P, y, k):
    sure, guess = P.max(dim=1)
    places = (guess != y).nonzero().flatten()
    return [(int(i), float(sure[i])) for i in places[sure[places].argsort(descending=True)][:k]]

# %% wrong="4.4.7" why="surer than one half only" breaks="at most k" says="Some mistaken rows are missing"
def worst_mistakes(P, y, k):
    sure, guess = P.max(dim=1)
    places = ((guess != y) & (sure > 0.5)).nonzero().flatten()
    return places[sure[places].argsort(descending=True)][:k]

# %% right="4.4.8" how="one number for each pair"
def confusion_matrix(predicted, y, num_classes):
    return (y * num_classes + predicted).bincount(minlength=num_classes ** 2).reshape(num_classes, num_classes)

# %% right="4.4.8" how="the product of one-hot matrices"
def confusion_matrix(predicted, y, num_classes):
    return F.one_hot(y, num_classes).T @ F.one_hot(predicted, num_classes)

# %% right="4.4.8" how="index_put with accumulate"
def confusion_matrix(predicted, y, num_classes):
    C = torch.zeros(num_classes, num_classes, dtype=torch.int64)
    return C.index_put((y, predicted), torch.ones_like(y), accumulate=True)

# %% wrong="4.4.8" why="predictions in the rows" breaks="counts" says="Rows are labels, columns are predictions"
def confusion_matrix(predicted, y, num_classes):
    return F.one_hot(predicted, num_classes).T @ F.one_hot(y, num_classes)

# %% wrong="4.4.8" why="an index assignment counts a pair once" breaks="counts" says="counted once"
def confusion_matrix(predicted, y, num_classes):
    C = torch.zeros(num_classes, num_classes, dtype=torch.int64)
    C[y, predicted] += 1
    return C

# %% wrong="4.4.8" why="only the classes that occur" breaks="shape" says="whether it occurs or not"
def confusion_matrix(predicted, y, num_classes):
    size = max([*y.tolist(), *predicted.tolist(), 0]) + 1
    C = torch.zeros(size, size, dtype=torch.int64)
    for label, guess in zip(y.tolist(), predicted.tolist()):
        C[label, guess] += 1
    return C

# %% wrong="4.4.8" why="shares of the rows" breaks="dtype" says="wrong dtype"
def confusion_matrix(predicted, y, num_classes):
    C = F.one_hot(y, num_classes).T @ F.one_hot(predicted, num_classes)
    return C / C.sum(dim=1, keepdim=True)

# %% wrong="4.4.8" why="floating point" breaks="dtype" says="wrong dtype"
def confusion_matrix(predicted, y, num_classes):
    C = torch.zeros(num_classes, num_classes)
    for label, guess in zip(y.tolist(), predicted.tolist()):
        C[label, guess] += 1
    return C

# %% wrong="4.4.8" why="only the mistakes" breaks="counts" says="Only the mistakes"
def confusion_matrix(predicted, y, num_classes):
    C = F.one_hot(y, num_classes).T @ F.one_hot(predicted, num_classes)
    return C.fill_diagonal_(0)

# %% right="4.4.8" how="one-hot rows multiplied, a reader's"
def confusion_matrix(predicted, y, num_classes):
    return F.one_hot(y, num_classes).T @ F.one_hot(predicted, num_classes)

# %% wrong="4.4.8" why="counts in uint8 overflow" breaks="counts" says="299 of them alike"
def confusion_matrix(predicted, y, num_classes):
    table = torch.zeros(num_classes, num_classes, dtype=torch.uint8)
    for i, j in zip(y.tolist(), predicted.tolist()):
        table[i, j] += 1
    return table.long()

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

# %% right="4.4.1a" how="masks added up"
def softmax_health(X):
    found, right = d2l.softmax(X), d2l.softmax(X.double())
    bad = found.isnan().any(1) | found.isinf().any(1)
    return 2 * bad.int() + (~bad & ((found - right).abs() > 1e-4).any(1)).int()

# %% wrong="4.4.1a" why="broken only if all entries are nan" breaks="broken rows" says="one nan is enough"
def softmax_health(X):
    found, right = d2l.softmax(X), torch.softmax(X.double(), dim=1)
    off = ((found - right).abs() > 1e-4).any(dim=1)
    return torch.where(found.isnan().all(dim=1), 2, off.long())

# %% wrong="4.4.1a" why="looks for nan only" breaks="wrong rows" says="All of them were found right"
def softmax_health(X):
    return 2 * (~d2l.softmax(X).isfinite().all(dim=1)).long()

# %% wrong="4.4.1a" why="a test for overflow" breaks="wrong rows" says="Neither overflow nor a sum"
def softmax_health(X):
    found = d2l.softmax(X)
    broken = ~found.isfinite().all(dim=1)
    return torch.where(broken, 2, (X.max(dim=1).values > 88).long())

# %% wrong="4.4.1a" why="judges by the rows' sums" breaks="wrong rows" says="Neither overflow nor a sum"
def softmax_health(X):
    sums = d2l.softmax(X).sum(dim=1)
    return torch.where(sums.isfinite(), ((sums - 1).abs() > 1e-4).long(), 2)

# %% wrong="4.4.1a" why="relative differences" breaks="right rows" says="Differences relative to the probability"
def softmax_health(X):
    found, right = d2l.softmax(X), torch.softmax(X.double(), dim=1)
    off = ((found - right).abs() > 1e-4 * right).any(dim=1)
    return torch.where(found.isfinite().all(dim=1), off.long(), 2)

# %% wrong="4.4.1a" why="one verdict for the whole batch" breaks="right rows" says="Each row gets a verdict of its own"
def softmax_health(X):
    found, right = d2l.softmax(X), torch.softmax(X.double(), dim=1)
    verdict = 2 if not found.isfinite().all() else int(((found - right).abs() > 1e-4).any())
    return [verdict] * len(X)

# %% wrong="4.4.1a" why="one number" breaks="n numbers" says="One for each row"
def softmax_health(X):
    found, right = d2l.softmax(X), torch.softmax(X.double(), dim=1)
    return [2 if not found.isfinite().all() else int(((found - right).abs() > 1e-4).any())]

# %% wrong="4.4.1a" why="a column" breaks="n numbers" says="the number of axes"
def softmax_health(X):
    found, right = d2l.softmax(X), torch.softmax(X.double(), dim=1)
    off = ((found - right).abs() > 1e-4).any(dim=1, keepdim=True)
    return torch.where(found.isfinite().all(dim=1, keepdim=True), off.long(), 2)

# %% wrong="4.4.1a" why="the first entry stands for the row" breaks="wrong rows" says="only the first entry was compared"
def softmax_health(X):
    found, right = d2l.softmax(X), torch.softmax(X.double(), dim=1)
    off = ((found - right).abs() > 1e-4)[:, 0]
    return torch.where(found.isfinite().all(dim=1), off.long(), 2)

# %% wrong="4.4.1a" why="off by a hundredth counts as right" breaks="wrong rows" says="Off by more than 1e-4"
def softmax_health(X):
    found, right = softmax(X), softmax(X.double())
    off = ((found - right).abs() > 1e-2).any(dim=1)
    return torch.where(found.isfinite().all(dim=1), off.long(), 2)

# %% wrong="4.4.1a" why="an infinite sum counts as broken" breaks="wrong rows" says="only the sum on the way"
def softmax_health(X):
    found, right = softmax(X), softmax(X.double())
    off = ((found - right).abs() > 1e-4).any(dim=1)
    bad = ~found.isfinite().all(dim=1) | X.exp().sum(1).isinf()
    return torch.where(bad, 2, off.long())

# %% right="4.4.1a" how="NumPy, a reader's"
def softmax_health(X):
    import numpy as np
    a = X.numpy()
    with np.errstate(all="ignore"):
        p = softmax(X).numpy()
        e = np.exp(a.astype("float64"))
        off = np.abs(p - e / e.sum(1, keepdims=True)).max(1)
    return np.where(np.isnan(off), 2, (off > 1e-4).astype(int)).tolist()

# %% wrong="4.4.1a" why="tolerance 1e-3" breaks="wrong rows" says="More than 1e-4 off is wrong"
def softmax_health(X):
    p, right = softmax(X), torch.softmax(X.double(), 1)
    off = (p - right).abs().max(dim=1).values
    return torch.where(p.isfinite().all(dim=1), (off > 1e-3).long(), 2)

# %% wrong="4.4.1a" why="tolerance 1e-6" breaks="right rows" says="up to 1e-4 is right"
def softmax_health(X):
    p, right = softmax(X), torch.softmax(X.double(), 1)
    off = (p - right).abs().max(dim=1).values
    return torch.where(p.isfinite().all(dim=1), (off > 1e-6).long(), 2)

# %% wrong="4.4.1a" why="only the largest probability is compared" breaks="wrong rows" says="compare every entry"
def softmax_health(X):
    p, right = softmax(X), torch.softmax(X.double(), 1)
    off = (p.max(1).values - right.max(1).values).abs()
    return torch.where(p.isfinite().all(dim=1), (off > 1e-4).long(), 2)

# %% right="4.4.1a" how="allclose row by row, a reader's"
def softmax_health(X):
    return [2 if p.isnan().any() else int(not torch.allclose(p, q, rtol=0, atol=1e-4)) for p, q in zip(d2l.softmax(X), torch.softmax(X, dim=1))]

# %% wrong="4.4.1a" why="allclose with a relative tolerance, too" breaks="wrong rows" says="1e-4 is absolute"
def softmax_health(X):
    return [2 if p.isnan().any() else int(not torch.allclose(p, q, rtol=1e-2, atol=1e-4)) for p, q in zip(d2l.softmax(X), torch.softmax(X, dim=1))]

# %% wrong="4.4.1a" why="the sum of the differences" breaks="right rows" says="are not added up"
def softmax_health(X):
    found = d2l.softmax(X)
    off = (found - torch.softmax(X.double(), dim=1)).abs().sum(dim=1) > 1e-4
    return torch.where(found.isfinite().all(dim=1), off.long(), 2)

# %% wrong="4.4.1a" why="the mean of the differences" breaks="wrong rows" says="mean of the differences"
def softmax_health(X):
    found = d2l.softmax(X)
    off = (found - torch.softmax(X.double(), dim=1)).abs().mean(dim=1) > 1e-4
    return torch.where(found.isfinite().all(dim=1), off.long(), 2)

# %% wrong="4.4.1a" why="differences with their sign" breaks="wrong rows" says="the bare formula gives (0, 0, 0)"
def softmax_health(X):
    found = d2l.softmax(X)
    off = (found - torch.softmax(X.double(), dim=1) > 1e-4).any(dim=1)
    return torch.where(found.isfinite().all(dim=1), off.long(), 2)

# %% right="4.4.1b" how="torch.softmax"
def stable_softmax(X):
    return torch.softmax(X, dim=1)

# %% right="4.4.1b" how="exp of log_softmax, a reader's"
def stable_softmax(X):
    return torch.log_softmax(X, dim=1).exp()

# %% right="4.4.1b" how="row by row"
def stable_softmax(X):
    rows = []
    for row in X:
        e = torch.exp(row - row.max())
        rows.append(e / e.sum())
    return torch.stack(rows)

# %% wrong="4.4.1b" why="the bare formula" breaks="large and small" says="this shift by the row's largest score, 100, is what is missing"
def stable_softmax(X):
    return torch.exp(X) / torch.exp(X).sum(1, keepdim=True)

# %% wrong="4.4.1b" why="the largest of the whole batch" breaks="large and small" says="Each of these rows is right where it is the only one"
def stable_softmax(X):
    e = torch.exp(X - X.max())
    return e / e.sum(1, keepdim=True)

# %% wrong="4.4.1b" why="a check for overflow, none for underflow" breaks="large and small" says="(-100, -100 - log 3)"
def stable_softmax(X):
    shift = X.max(dim=1, keepdim=True).values
    e = torch.exp(X - torch.where(shift > 80, shift, 0))
    return e / e.sum(1, keepdim=True)

# %% wrong="4.4.1b" why="cuts the scores at 80" breaks="large and small" says="(-100, -100 - log 3)"
def stable_softmax(X):
    e = torch.exp(X.clamp(-80, 80)) * (X > -math.inf)
    return e / e.sum(1, keepdim=True)

# %% wrong="4.4.1b" why="subtracts the mean of the row" breaks="large and small" says="is it the largest score that you subtract"
def stable_softmax(X):
    finite = X.isfinite()
    mean = torch.where(finite, X, 0).sum(dim=1, keepdim=True) / finite.sum(dim=1, keepdim=True)
    e = torch.exp(X - mean)
    return e / e.sum(1, keepdim=True)

# %% wrong="4.4.1b" why="the largest of the column" breaks="values" says="largest score of each column was subtracted"
def stable_softmax(X):
    e = torch.exp(X - X.max(dim=0).values.clamp(min=-1e9))
    return e / e.sum(1, keepdim=True)

# %% wrong="4.4.1b" why="float64 inside, which only moves the limit" breaks="large and small" says="equal scores of 100"
def stable_softmax(X):
    e = torch.exp(X.double())
    return (e / e.sum(1, keepdim=True)).to(X.dtype)

# %% wrong="4.4.1b" why="float64 outside" breaks="shape and dtype" says="the dtype for float32"
def stable_softmax(X):
    return torch.softmax(X.double(), dim=1)

# %% wrong="4.4.1b" why="float32 inside" breaks="values" says="there is a step in float32"
def stable_softmax(X):
    return torch.softmax(X.float(), dim=1).to(X.dtype)

# %% wrong="4.4.1b" why="over the columns" breaks="values" says="The columns add up to 1"
def stable_softmax(X):
    return torch.softmax(X, dim=0)

# %% wrong="4.4.1b" why="subtracts in place" breaks="arguments kept" says="writes into its argument"
def stable_softmax(X):
    X -= X.max(dim=1, keepdim=True).values
    e = X.exp()
    return e / e.sum(1, keepdim=True)

# %% wrong="4.4.1b" why="minus infinity replaced by the smallest of the others" breaks="minus infinity" says="the row (0, -inf, log 3)"
def stable_softmax(X):
    finite = torch.where(X.isfinite(), X, X[X.isfinite()].min())
    return torch.softmax(finite, dim=1)

# %% wrong="4.4.1b" why="shift by the smallest and the largest" breaks="minus infinity" says="exp(-inf) is 0"
def stable_softmax(X):
    low = X.min(dim=1, keepdim=True).values
    high = X.max(dim=1, keepdim=True).values
    e = torch.exp(X - low + low - high)
    return e / e.sum(1, keepdim=True)

# %% wrong="4.4.1b" why="shifts by the first entry" breaks="large and small" says="is it the largest score that you subtract"
def stable_softmax(X):
    E = torch.exp(X - X[:, :1].clamp(min=-1e9))
    return E / E.sum(dim=1, keepdim=True)

# %% wrong="4.4.1b" why="exp of X minus the log-sum-exp, which loses digits" breaks="large and small" says="the log-sum-exp loses digits at large scores: subtract the largest score first"
def stable_softmax(X):
    return torch.exp(X - torch.logsumexp(X, dim=1, keepdim=True))

# %% right="4.4.1b" how="row by row, a reader's"
def stable_softmax(X):
    out = torch.empty_like(X)
    for i, row in enumerate(X):
        e = torch.exp(row - row.max())
        out[i] = e / e.sum()
    return out

# %% wrong="4.4.1b" why="minus infinity becomes -10000" breaks="minus infinity" says="replaced by a number"
def stable_softmax(X):
    X = X.nan_to_num(neginf=-1e4)
    E = torch.exp(X - X.max(dim=1, keepdim=True).values)
    return E / E.sum(dim=1, keepdim=True)

# %% wrong="4.4.1b" why="scores bounded to +-10000" breaks="large and small" says="Are the scores bounded"
def stable_softmax(X):
    X = X.clamp(-1e4, 1e4)
    E = torch.exp(X - X.max(dim=1, keepdim=True).values)
    return E / E.sum(dim=1, keepdim=True)

# %% wrong="4.4.1b" why="1e-8 below the line" breaks="values" says="Nothing is to be added to it"
def stable_softmax(X):
    E = torch.exp(X - X.max(dim=1, keepdim=True).values)
    return E / (E.sum(dim=1, keepdim=True) + 1e-8)

# %% wrong="4.4.1b" why="writes minus infinity over" breaks="arguments kept" says="writes over the minus infinity"
def stable_softmax(X):
    X[X == -math.inf] = -1e30
    E = torch.exp(X - X.max(dim=1, keepdim=True).values)
    return E / E.sum(dim=1, keepdim=True)

# %% wrong="4.4.1b" why="probabilities under 1e-4 cut to 0" breaks="values" says="A small probability is no zero"
def stable_softmax(X):
    P = torch.softmax(X, dim=1)
    return torch.where(P < 1e-4, 0.0, P)

# %% wrong="4.4.1b" why="rounded to six decimals" breaks="values" says="sixteen digits"
def stable_softmax(X):
    return torch.softmax(X, dim=1).round(decimals=6)

# %% wrong="4.4.1b" why="subtracts the largest size of the row" breaks="large and small" says="(-5000, -5000)"
def stable_softmax(X):
    E = torch.exp(X - X.abs().amax(dim=1, keepdim=True))
    return E / E.sum(dim=1, keepdim=True)

# %% right="4.4.2a" how="1 in place of the probabilities that do not count"
def one_hot_cross_entropy(Y_hat, Y):
    safe = torch.where(Y > 0, Y_hat, 1.0)
    return -(Y * safe.log()).sum() / len(Y)

# %% right="4.4.2a" how="xlogy"
def one_hot_cross_entropy(Y_hat, Y):
    return -torch.xlogy(Y, Y_hat).sum(dim=1).mean()

# %% right="4.4.2a" how="a mask, then a sum"
def one_hot_cross_entropy(Y_hat, Y):
    used = Y != 0
    return (-(Y[used] * torch.log(Y_hat[used]))).sum() / Y.shape[0]

# %% wrong="4.4.2a" why="no minus sign" breaks="value" says="The minus sign is missing"
def one_hot_cross_entropy(Y_hat, Y):
    return (Y * torch.log(Y_hat)).sum(dim=1).mean()

# %% wrong="4.4.2a" why="0 times log 0" breaks="zeros" says="here it has to count 0"
def one_hot_cross_entropy(Y_hat, Y):
    return -(Y * torch.log(Y_hat)).sum(dim=1).mean()

# %% wrong="4.4.2a" why="the mean over all entries" breaks="value" says="the mean over all entries"
def one_hot_cross_entropy(Y_hat, Y):
    return -torch.xlogy(Y, Y_hat).mean()

# %% wrong="4.4.2a" why="a sum over the rows" breaks="value" says="the sum over the examples"
def one_hot_cross_entropy(Y_hat, Y):
    return -torch.xlogy(Y, Y_hat).sum()

# %% wrong="4.4.2a" why="soft labels are made hard" breaks="soft labels" says="This label was made hard"
def one_hot_cross_entropy(Y_hat, Y):
    return -Y_hat[torch.arange(len(Y)), Y.argmax(dim=1)].log().mean()

# %% wrong="4.4.2a" why="shares counted as 1" breaks="soft labels" says="as if their share were 1"
def one_hot_cross_entropy(Y_hat, Y):
    return -torch.where(Y > 0, Y_hat, 1.0).log().sum(dim=1).mean()

# %% wrong="4.4.2a" why="probabilities bounded at 1e-8" breaks="infinite" says="costs infinitely much"
def one_hot_cross_entropy(Y_hat, Y):
    return -(Y * Y_hat.clamp(min=1e-8).log()).sum(dim=1).mean()

# %% wrong="4.4.2a" why="1e-12 under the logarithm" breaks="infinite" says="costs infinitely much"
def one_hot_cross_entropy(Y_hat, Y):
    return -(Y * (Y_hat + 1e-12).log()).sum(dim=1).mean()

# %% wrong="4.4.2a" why="a bound, except where it is 0" breaks="small probabilities" says="without a bound"
def one_hot_cross_entropy(Y_hat, Y):
    bounded = torch.where(Y_hat > 0, Y_hat.clamp(min=1e-9), 0)
    return -torch.xlogy(Y, bounded).sum(dim=1).mean()

# %% wrong="4.4.2a" why="takes them for logits" breaks="value" says="takes scores"
def one_hot_cross_entropy(Y_hat, Y):
    return F.cross_entropy(Y_hat, Y)

# %% wrong="4.4.2a" why="replaces nan and infinity by 0" breaks="infinite" says="costs infinitely much"
def one_hot_cross_entropy(Y_hat, Y):
    return -(Y * Y_hat.log()).nan_to_num(nan=0.0, neginf=0.0).sum(dim=1).mean()

# %% wrong="4.4.2a" why="infinite only for hard labels" breaks="infinite" says="the soft label (1/2, 1/2)"
def one_hot_cross_entropy(Y_hat, Y):
    terms = torch.where(Y_hat > 0, Y * Y_hat.log(), torch.where(Y == 1, -math.inf, 0.0))
    return -terms.sum(dim=1).mean()

# %% wrong="4.4.2a" why="writes into the probabilities" breaks="arguments kept" says="Y_hat after the call"
def one_hot_cross_entropy(Y_hat, Y):
    Y_hat[Y == 0] = 1.0
    return -(Y * Y_hat.log()).sum(dim=1).mean()

# %% wrong="4.4.2a" why="impossible classes left out" breaks="infinite" says="costs infinitely much"
def one_hot_cross_entropy(Y_hat, Y):
    return -torch.where(Y_hat > 0, Y * torch.log(Y_hat), 0.0).sum(dim=1).mean()

# %% right="4.4.2a" how="nansum of the products, a reader's"
def one_hot_cross_entropy(Y_hat, Y):
    return -(Y * Y_hat.log()).nansum(dim=1).mean()

# %% wrong="4.4.2a" why="the sum of the examples over the number of entries above 0" breaks="soft labels" says="divided by the number of classes with a share"
def one_hot_cross_entropy(Y_hat, Y):
    return -torch.where(Y > 0, Y * torch.log(Y_hat), 0.0).sum() / (Y > 0).sum()

# %% right="4.4.2a" how="Python's numbers, a reader's"
def one_hot_cross_entropy(Y_hat, Y):
    total = 0.0
    for p, y in zip(Y_hat.tolist(), Y.tolist()):
        total += sum(b * (-math.log(a) if a > 0 else math.inf) for a, b in zip(p, y) if b > 0)
    return total / len(Y)

# %% wrong="4.4.2a" why="the two largest shares" breaks="soft labels" says="Only the two largest shares"
def one_hot_cross_entropy(Y_hat, Y):
    share, place = Y.topk(2, dim=1)
    return -torch.xlogy(share, Y_hat.gather(1, place)).sum(dim=1).mean()

# %% wrong="4.4.2a" why="shares under a tenth do not count" breaks="soft labels" says="Every share counts, however small"
def one_hot_cross_entropy(Y_hat, Y):
    return -torch.xlogy(torch.where(Y < 0.1, 0.0, Y), Y_hat).sum(dim=1).mean()

# %% wrong="4.4.2a" why="the divergence from the label" breaks="soft labels" says="The logarithm of the label itself"
def one_hot_cross_entropy(Y_hat, Y):
    return (torch.xlogy(Y, Y) - torch.xlogy(Y, Y_hat)).sum(dim=1).mean()

# %% wrong="4.4.2a" why="the logarithm of the mean" breaks="soft labels" says="the mean of the logarithms is asked for"
def one_hot_cross_entropy(Y_hat, Y):
    return -(Y * Y_hat).sum(dim=1).log().mean()

# %% wrong="4.4.2a" why="the binary form: every class counts" breaks="value" says="The other classes count here, too"
def one_hot_cross_entropy(Y_hat, Y):
    return -(torch.xlogy(Y, Y_hat) + torch.xlogy(1 - Y, 1 - Y_hat)).sum(dim=1).mean()

# %% right="4.4.2b" how="from tensors without data"
def label_costs(n, q):
    index = torch.empty(n, dtype=torch.int64, device="meta")
    one_hot = torch.empty(n, q, device="meta")
    return {"index": [index.numel(), index.nbytes], "one_hot": [one_hot.numel(), one_hot.nbytes]}

# %% right="4.4.2b" how="bits divided by 8"
def label_costs(n, q):
    return dict(index=(n, n * 64 // 8), one_hot=(q * n, q * n * 32 // 8))

# %% wrong="4.4.2b" why="entries, not bytes" breaks="bytes" says="int64 takes 8 bytes"
def label_costs(n, q):
    return {"index": (n, n), "one_hot": (n * q, n * q)}

# %% wrong="4.4.2b" why="bits, not bytes" breaks="bytes" says="These are bits"
def label_costs(n, q):
    return {"index": (n, 64 * n), "one_hot": (n * q, 32 * n * q)}

# %% wrong="4.4.2b" why="one-hot labels as int64" breaks="bytes" says="twice as many bytes as the labels take"
def label_costs(n, q):
    return {"index": (n, 8 * n), "one_hot": (n * q, 8 * n * q)}

# %% wrong="4.4.2b" why="the zeros need no logarithm" breaks="logarithms" says="before the zeros come in"
def label_costs(n, q):
    return {"index": (n, 8 * n), "one_hot": (n, 4 * n * q)}

# %% wrong="4.4.2b" why="ten classes whatever q is" breaks="logarithms" says="7 examples of 3 classes"
def label_costs(n, q):
    return {"index": (n, 8 * n), "one_hot": (n * 10, 4 * n * 10)}

# %% wrong="4.4.2b" why="another key" breaks="keys" says="the keys"
def label_costs(n, q):
    return {"index": (n, 8 * n), "sum": (n * q, 4 * n * q)}

# %% wrong="4.4.2b" why="bytes alone" breaks="keys" says="the value of index"
def label_costs(n, q):
    return {"index": 8 * n, "one_hot": 4 * n * q}

# %% wrong="4.4.2b" why="pairs the other way round" breaks="logarithms" says="the number of logarithms comes first"
def label_costs(n, q):
    return {"index": (8 * n, n), "one_hot": (4 * n * q, n * q)}

# %% right="4.4.2c" how="F.cross_entropy with probabilities"
def cross_entropy_from_logits(O, Y):
    return F.cross_entropy(O, Y)

# %% right="4.4.2c" how="log_softmax"
def cross_entropy_from_logits(O, Y):
    return -(Y * torch.log_softmax(O, dim=1)).sum() / len(O)

# %% right="4.4.2c" how="logsumexp minus the score of the label, shifted by a constant"
def cross_entropy_from_logits(O, Y):
    shifted = O - O.max(dim=1, keepdim=True).values.detach()
    return (torch.logsumexp(shifted, dim=1) - (Y * shifted).sum(dim=1)).mean()

# %% right="4.4.2c" how="torch.logsumexp, a reader's"
def cross_entropy_from_logits(O, Y):
    return (Y * (torch.logsumexp(O, dim=1, keepdim=True) - O)).sum() / len(O)

# %% right="4.4.2c" how="class after class, by logaddexp, a reader's"
def cross_entropy_from_logits(O, Y):
    log_sum = O[:, 0]
    for j in range(1, O.shape[1]):
        log_sum = torch.logaddexp(log_sum, O[:, j])
    return (Y * (log_sum[:, None] - O)).sum(dim=1).mean()

# %% wrong="4.4.2c" why="the log-sum-exp cut from the graph" breaks="gradient" says="The softmax is missing in it"
def cross_entropy_from_logits(O, Y):
    return (Y * (torch.logsumexp(O, dim=1, keepdim=True).detach() - O)).sum(dim=1).mean()

# %% wrong="4.4.2c" why="the formula without a shift" breaks="any size" says="Is the largest score of each row"
def cross_entropy_from_logits(O, Y):
    return (Y * (O.exp().sum(dim=1, keepdim=True).log() - O)).sum(dim=1).mean()

# %% wrong="4.4.2c" why="beyond 500 the largest score stands for the log-sum-exp" breaks="any size" says="the rows (900, -900, 0)"
def cross_entropy_from_logits(O, Y):
    largest = O.max(dim=1, keepdim=True).values
    log_sum = torch.where(largest.abs() > 500, largest, torch.logsumexp(O, dim=1, keepdim=True))
    return (Y * (log_sum - O)).sum(dim=1).mean()

# %% wrong="4.4.2c" why="the logarithm of the softmax" breaks="any size" says="compute no probability"
def cross_entropy_from_logits(O, Y):
    return -(Y * torch.log(torch.softmax(O, dim=1))).sum(dim=1).mean()

# %% wrong="4.4.2c" why="a small number under the logarithm" breaks="any size" says="the row (-1000, 1000)"
def cross_entropy_from_logits(O, Y):
    return -(Y * torch.log(torch.softmax(O, dim=1) + 1e-12)).sum(dim=1).mean()

# %% wrong="4.4.2c" why="scores cut at 100" breaks="any size" says="the row (-1000, 1000)"
def cross_entropy_from_logits(O, Y):
    return F.cross_entropy(O.clamp(-100, 100), Y)

# %% wrong="4.4.2c" why="the shift is not added back" breaks="value" says="has to be added outside"
def cross_entropy_from_logits(O, Y):
    largest = O.max(dim=1, keepdim=True).values
    log_sum = torch.log(torch.exp(O - largest).sum(dim=1, keepdim=True))
    return (Y * (log_sum - O)).sum(dim=1).mean()

# %% wrong="4.4.2c" why="the largest score of the whole batch" breaks="any size" says="Each of these rows is right where it is the only one"
def cross_entropy_from_logits(O, Y):
    largest = O.max()
    log_sum = largest + torch.log(torch.exp(O - largest).sum(dim=1, keepdim=True))
    return (Y * (log_sum - O)).sum(dim=1).mean()

# %% wrong="4.4.2c" why="detached from the graph" breaks="gradient" says="is cut from the graph"
def cross_entropy_from_logits(O, Y):
    with torch.no_grad():
        return -(Y * torch.log_softmax(O, dim=1)).sum(dim=1).mean()

# %% wrong="4.4.2c" why="a number" breaks="gradient" says="is cut from the graph"
def cross_entropy_from_logits(O, Y):
    return F.cross_entropy(O, Y).item()

# %% wrong="4.4.2c" why="the shift detached, but added back, which loses a part of the gradient" breaks="gradient" says="two places, outside the logarithm"
def cross_entropy_from_logits(O, Y):
    largest = O.max(dim=1, keepdim=True).values
    log_sum = largest.detach() + torch.log(torch.exp(O - largest).sum(dim=1, keepdim=True))
    return (Y * (log_sum - O)).sum(dim=1).mean()

# %% wrong="4.4.2c" why="the mean over all entries" breaks="value" says="not over the examples"
def cross_entropy_from_logits(O, Y):
    return -(Y * torch.log_softmax(O, dim=1)).mean()

# %% wrong="4.4.2c" why="soft labels made hard" breaks="soft labels" says="This label was made hard"
def cross_entropy_from_logits(O, Y):
    return F.cross_entropy(O, Y.argmax(dim=1))

# %% wrong="4.4.2c" why="weights the labels in place" breaks="arguments kept" says="Y after the call"
def cross_entropy_from_logits(O, Y):
    value = F.cross_entropy(O, Y.clone())
    Y *= -torch.log_softmax(O.detach(), dim=1)
    return value

# %% wrong="4.4.2c" why="shifts the scores in place" breaks="arguments kept" says="O after the call"
def cross_entropy_from_logits(O, Y):
    if O.requires_grad:
        return F.cross_entropy(O, Y)
    O -= O.max(dim=1, keepdim=True).values
    return F.cross_entropy(O, Y)

# %% wrong="4.4.2c" why="float64 in between, which only moves the limit" breaks="any size" says="compute no probability"
def cross_entropy_from_logits(O, Y):
    return -(torch.xlogy(Y.double(), torch.softmax(O.double(), 1))).sum(1).mean()

# %% wrong="4.4.2c" why="scores bounded to +-10000" breaks="any size" says="the row (-1e6, 3e6)"
def cross_entropy_from_logits(O, Y):
    return F.cross_entropy(O.clamp(-1e4, 1e4), Y)

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

# %% wrong="4.4.6" why="new tensors under local names" breaks="weight" says="your result is in new memory"
def step_by_hand(W, b, X, y, lr):
    P = torch.softmax(X @ W + b, dim=1)
    G = (P - F.one_hot(y, P.shape[1])) / len(y)
    loss = F.cross_entropy(X @ W + b, y)
    W = W - lr * X.T @ G
    b = b - lr * G.sum(dim=0)
    return loss

# %% wrong="4.4.6" why="uphill" breaks="weight" says="It went the other way, uphill"
def step_by_hand(W, b, X, y, lr):
    O = X @ W + b
    loss = F.cross_entropy(O, y)
    G = (F.one_hot(y, O.shape[1]) - torch.softmax(O, dim=1)) / len(y)
    W -= lr * X.T @ G
    b -= lr * G.sum(dim=0)
    return loss

# %% wrong="4.4.6" why="the sum over the batch in place of the mean" breaks="weight" says="the step for the sum of the losses"
def step_by_hand(W, b, X, y, lr):
    O = X @ W + b
    loss = F.cross_entropy(O, y)
    G = torch.softmax(O, dim=1) - F.one_hot(y, O.shape[1])
    W -= lr * X.T @ G
    b -= lr * G.sum(dim=0)
    return loss

# %% wrong="4.4.6" why="forgets the bias" breaks="bias" says="It is unchanged. Either"
def step_by_hand(W, b, X, y, lr):
    O = X @ W + b
    loss = F.cross_entropy(O, y)
    G = (torch.softmax(O, dim=1) - F.one_hot(y, O.shape[1])) / len(y)
    W -= lr * X.T @ G
    return loss

# %% wrong="4.4.6" why="the gradient of b after W has moved" breaks="bias" says="after W had moved"
def step_by_hand(W, b, X, y, lr):
    loss = F.cross_entropy(X @ W + b, y)
    Y = F.one_hot(y, len(b))
    W -= lr * X.T @ (torch.softmax(X @ W + b, dim=1) - Y) / len(y)
    b -= lr * (torch.softmax(X @ W + b, dim=1) - Y).mean(dim=0)
    return loss

# %% wrong="4.4.6" why="divides by the number of rows twice for the bias" breaks="bias" says="If G is divided by n already"
def step_by_hand(W, b, X, y, lr):
    O = X @ W + b
    loss = F.cross_entropy(O, y)
    G = (torch.softmax(O, dim=1) - F.one_hot(y, W.shape[1])) / len(X)
    W -= lr * X.T @ G
    b -= lr * G.mean(dim=0)
    return loss

# %% wrong="4.4.6" why="the bare softmax" breaks="any size" says="the loss for scores from -250 to 400"
def step_by_hand(W, b, X, y, lr):
    P = d2l.softmax(X @ W + b)
    loss = d2l.cross_entropy(P, y)
    G = (P - F.one_hot(y, P.shape[1])) / len(y)
    W -= lr * X.T @ G
    b -= lr * G.sum(dim=0)
    return loss

# %% wrong="4.4.6" why="a safe loss, the bare softmax in the gradient" breaks="any size" says="W after the step, for scores from -250 to 400"
def step_by_hand(W, b, X, y, lr):
    O = X @ W + b
    loss = F.cross_entropy(O, y)
    G = (d2l.softmax(O) - F.one_hot(y, O.shape[1])) / len(y)
    W -= lr * X.T @ G
    b -= lr * G.sum(dim=0)
    return loss

# %% wrong="4.4.6" why="the loss after the step" breaks="loss" says="the loss after the step"
def step_by_hand(W, b, X, y, lr):
    O = X @ W + b
    G = (torch.softmax(O, dim=1) - F.one_hot(y, O.shape[1])) / len(y)
    W -= lr * X.T @ G
    b -= lr * G.sum(dim=0)
    return F.cross_entropy(X @ W + b, y)

# %% wrong="4.4.6" why="three classes, always" breaks="weight" says="raised"
def step_by_hand(W, b, X, y, lr):
    O = X @ W + b
    loss = F.cross_entropy(O, y)
    G = (torch.softmax(O, dim=1) - F.one_hot(y, 3)) / len(y)
    W -= lr * X.T @ G
    b -= lr * G.sum(dim=0)
    return loss

# %% wrong="4.4.6" why="by autograd" breaks="without autograd" says="by their formulas"
def step_by_hand(W, b, X, y, lr):
    V, c = W.clone().requires_grad_(), b.clone().requires_grad_()
    loss = F.cross_entropy(X @ V + c, y)
    slopes = torch.autograd.grad(loss, (V, c))
    W -= lr * slopes[0]
    b -= lr * slopes[1]
    return loss.detach()

# %% wrong="4.4.6" why="scales the features in place" breaks="arguments kept" says="X after the call"
def step_by_hand(W, b, X, y, lr):
    O = X @ W + b
    loss = F.cross_entropy(O, y)
    G = torch.softmax(O, dim=1) - F.one_hot(y, O.shape[1])
    X *= lr / len(y)
    W -= X.T @ G
    b -= lr * G.mean(dim=0)
    return loss

# %% wrong="4.4.6" why="the loss of the sum" breaks="loss" says="sum over the batch"
def step_by_hand(W, b, X, y, lr):
    O = X @ W + b
    loss = F.cross_entropy(O, y, reduction="sum")
    G = (torch.softmax(O, dim=1) - F.one_hot(y, O.shape[1])) / len(y)
    W -= lr * X.T @ G
    b -= lr * G.sum(dim=0)
    return loss

# %% right="4.4.6" how="outer products in a loop"
def step_by_hand(W, b, X, y, lr):
    dW, db, total = torch.zeros_like(W), torch.zeros_like(b), 0.0
    for x, c in zip(X, y.tolist()):
        o = x @ W + b
        o = o - o.max()
        p = o.exp() / o.exp().sum()
        total += (o.exp().sum().log() - o[c]).item()
        p[c] -= 1
        dW += torch.outer(x, p)
        db += p
    W.copy_(W - lr * dW / len(y))
    b.copy_(b - lr * db / len(y))
    return total / len(y)

# %% wrong="4.4.6" why="the sum over the rows for the bias" breaks="bias" says="the step for the sum of the losses"
def step_by_hand(W, b, X, y, lr):
    O = X @ W + b
    loss = F.cross_entropy(O, y)
    G = torch.softmax(O, 1) - F.one_hot(y, O.shape[1])
    W -= lr * X.T @ G / len(y)
    b -= lr * G.sum(0)
    return loss

# %% wrong="4.4.6" why="W's gradient after b has moved" breaks="weight" says="after b had moved"
def step_by_hand(W, b, X, y, lr):
    log_p = torch.log_softmax(X @ W + b, 1)
    loss = F.nll_loss(log_p, y)
    Y = F.one_hot(y, len(b))
    b -= lr * (log_p.exp() - Y).mean(0)
    W -= lr * X.T @ (torch.softmax(X @ W + b, 1) - Y) / len(y)
    return loss

# %% wrong="4.4.6" why="a safe softmax, then its logarithm" breaks="any size" says="go from the scores to the logarithm"
def step_by_hand(W, b, X, y, lr):
    P = torch.softmax(X @ W + b, dim=1)
    loss = -P[torch.arange(len(y)), y].log().mean()
    G = (P - F.one_hot(y, len(b))) / len(y)
    W -= lr * X.T @ G
    b -= lr * G.sum(dim=0)
    return loss

# %% wrong="4.4.6" why="W.data gets new memory" breaks="weight" says="your result is in new memory"
def step_by_hand(W, b, X, y, lr):
    O = X @ W + b
    G = (torch.softmax(O, dim=1) - F.one_hot(y, len(b))) / len(y)
    W.data = W - lr * X.T @ G
    b -= lr * G.sum(dim=0)
    return F.cross_entropy(O, y)

# %% wrong="4.4.6" why="the gradient cut to length 1" breaks="weight" says="The step is lr times"
def step_by_hand(W, b, X, y, lr):
    O = X @ W + b
    G = (torch.softmax(O, dim=1) - F.one_hot(y, len(b))) / len(y)
    slope = X.T @ G
    W -= lr * slope / max(1.0, slope.norm().item())
    b -= lr * G.sum(dim=0)
    return F.cross_entropy(O, y)

# %% right="4.4.5a" how="torch's layers and optimizer"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    net = torch.nn.Linear(train[0].shape[1], 10)
    torch.nn.init.zeros_(net.weight)
    torch.nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(epochs):
        order = torch.randperm(len(train[1]), generator=g)
        for start in range(0, len(order), batch_size):
            rows = order[start:start + batch_size]
            optimizer.zero_grad()
            F.cross_entropy(net(train[0][rows]), train[1][rows]).backward()
            optimizer.step()
    losses = [F.cross_entropy(net(X), y).item() for X, y in (train, val)]
    return {"train_loss": losses[0], "val_loss": losses[1], "val_acc": (net(val[0]).argmax(1) == val[1]).double().mean().item()}

# %% right="4.4.5a" how="the gradient by hand, tensors of one entry"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            G = torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10)
            W = W - lr / len(rows) * X[rows].T @ G
            b = b - lr * G.mean(0)
    out = val[0] @ W + b
    return {"val_acc": (out.argmax(1) == val[1]).float().mean(), "val_loss": F.cross_entropy(out, val[1]),
            "train_loss": F.cross_entropy(X @ W + b, y)}

# %% right="4.4.5a" how="the page's loop, by backward"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    W, b = torch.zeros(train[0].shape[1], 10, requires_grad=True), torch.zeros(10, requires_grad=True)
    g = torch.Generator()
    g.manual_seed(seed)
    n = len(train[0])
    for _ in range(epochs):
        order = torch.randperm(n, generator=g)
        start = 0
        while start < n:
            picked = order[start:start + batch_size]
            F.nll_loss(torch.log_softmax(train[0][picked] @ W + b, 1), train[1][picked]).backward()
            with torch.no_grad():
                for parameter in (W, b):
                    parameter -= lr * parameter.grad
                    parameter.grad.zero_()
            start += batch_size
    with torch.no_grad():
        scores = val[0] @ W + b
        return dict(train_loss=F.cross_entropy(train[0] @ W + b, train[1]), val_loss=F.cross_entropy(scores, val[1]),
                    val_acc=(scores.argmax(dim=1) == val[1]).float().mean())

# %% wrong="4.4.5a" why="never shuffles" breaks="orders" says="as they stand"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    for _ in range(epochs):
        for rows in torch.arange(len(y)).split(batch_size):
            G = (torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10)) / len(rows)
            W = W - lr * X[rows].T @ G
            b = b - lr * G.sum(0)
    out = val[0] @ W + b
    return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
            "val_acc": (out.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="one order for all epochs" breaks="orders" says="Every epoch has the same order"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    order = torch.randperm(len(y), generator=g)
    for _ in range(epochs):
        for rows in order.split(batch_size):
            G = (torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10)) / len(rows)
            W = W - lr * X[rows].T @ G
            b = b - lr * G.sum(0)
    out = val[0] @ W + b
    return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
            "val_acc": (out.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="the generator made anew in each epoch" breaks="orders" says="Every epoch has the same order"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    for _ in range(epochs):
        g = torch.Generator().manual_seed(seed)
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            G = (torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10)) / len(rows)
            W = W - lr * X[rows].T @ G
            b = b - lr * G.sum(0)
    out = val[0] @ W + b
    return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
            "val_acc": (out.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="another generator: the seed is ignored" breaks="orders" says="Steps, order and batches as the task has them"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    for _ in range(epochs):
        for rows in torch.randperm(len(y)).split(batch_size):
            G = (torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10)) / len(rows)
            W = W - lr * X[rows].T @ G
            b = b - lr * G.sum(0)
    out = val[0] @ W + b
    return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
            "val_acc": (out.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="seed 0, whatever is given" breaks="orders" says="The orders are those of seed 0"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    g, n = torch.Generator().manual_seed(0), len(y)
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    for _ in range(epochs):
        for r in torch.randperm(n, generator=g).split(batch_size):
            G = (torch.softmax(X[r] @ W + b, 1) - F.one_hot(y[r], 10)) / len(r)
            W -= lr * X[r].T @ G
            b -= lr * G.sum(0)
    O, V = X @ W + b, val[0] @ W + b
    return {"train_loss": F.cross_entropy(O, y).item(), "val_loss": F.cross_entropy(V, val[1]).item(), "val_acc": (V.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="momentum" breaks="steps" says="Is something of the first step carried over"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    g, net = torch.Generator().manual_seed(seed), torch.nn.Linear(X.shape[1], 10)
    for p in net.parameters():
        torch.nn.init.zeros_(p)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)
    for _ in range(epochs):
        for r in torch.randperm(len(y), generator=g).split(batch_size):
            optimizer.zero_grad()
            F.cross_entropy(net(X[r]), y[r]).backward()
            optimizer.step()
    with torch.no_grad():
        V = net(val[0])
        return {"train_loss": F.cross_entropy(net(X), y).item(), "val_loss": F.cross_entropy(V, val[1]).item(), "val_acc": (V.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="the last batch dropped" breaks="batches" says="The smaller last batch was left out"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            if len(rows) < batch_size:
                continue
            G = (torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10)) / len(rows)
            W = W - lr * X[rows].T @ G
            b = b - lr * G.sum(0)
    out = val[0] @ W + b
    return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
            "val_acc": (out.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="the last batch divided by the full size" breaks="batches" says="divided by its own number of rows"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            G = (torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10)) / batch_size
            W = W - lr * X[rows].T @ G
            b = b - lr * G.sum(0)
    out = val[0] @ W + b
    return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
            "val_acc": (out.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="the sum over the batch" breaks="steps" says="the sum over the batch"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            G = (torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10))
            W = W - lr * X[rows].T @ G
            b = b - lr * G.sum(0)
    out = val[0] @ W + b
    return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
            "val_acc": (out.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="no bias" breaks="steps" says="The bias was not trained"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            G = (torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10)) / len(rows)
            W = W - lr * X[rows].T @ G
    out = val[0] @ W + b
    return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
            "val_acc": (out.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="all rows as one batch" breaks="batches" says="as one batch"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(len(y)):
            G = (torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10)) / len(rows)
            W = W - lr * X[rows].T @ G
            b = b - lr * G.sum(0)
    out = val[0] @ W + b
    return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
            "val_acc": (out.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="uphill" breaks="steps" says="The steps go uphill"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            G = (torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10)) / len(rows)
            W = W + lr * X[rows].T @ G
            b = b + lr * G.sum(0)
    out = val[0] @ W + b
    return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
            "val_acc": (out.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="mean of the batch losses on the way" breaks="measured at the end" says="losses of the batches on the way"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    for _ in range(epochs):
        seen = []
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            seen.append(F.cross_entropy(X[rows] @ W + b, y[rows]).item())
            G = (torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10)) / len(rows)
            W = W - lr * X[rows].T @ G
            b = b - lr * G.sum(0)
    out = val[0] @ W + b
    return {"train_loss": sum(seen) / len(seen), "val_loss": F.cross_entropy(out, val[1]).item(),
            "val_acc": (out.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="the loss of the last batch" breaks="measured at the end" says="the loss of the last batch"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            last = F.cross_entropy(X[rows] @ W + b, y[rows]).item()
            G = (torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10)) / len(rows)
            W = W - lr * X[rows].T @ G
            b = b - lr * G.sum(0)
    out = val[0] @ W + b
    return {"train_loss": last, "val_loss": F.cross_entropy(out, val[1]).item(),
            "val_acc": (out.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="validation measured on the training rows" breaks="measured at the end" says="This is the loss on `train`"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            G = (torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10)) / len(rows)
            W = W - lr * X[rows].T @ G
            b = b - lr * G.sum(0)
    val = train
    out = val[0] @ W + b
    return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
            "val_acc": (out.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="accuracy on the training rows" breaks="measured at the end" says="This is the accuracy on `train`"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            G = (torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10)) / len(rows)
            W = W - lr * X[rows].T @ G
            b = b - lr * G.sum(0)
    out = val[0] @ W + b
    return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
            "val_acc": ((X @ W + b).argmax(1) == y).float().mean().item()}

# %% wrong="4.4.5a" why="losses exchanged" breaks="measured at the end" says="This is the loss on `val`"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            G = (torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10)) / len(rows)
            W = W - lr * X[rows].T @ G
            b = b - lr * G.sum(0)
    out = val[0] @ W + b
    return {"val_loss": F.cross_entropy(X @ W + b, y).item(), "train_loss": F.cross_entropy(out, val[1]).item(),
            "val_acc": (out.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="percent" breaks="measured at the end" says="These are percent"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            G = (torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10)) / len(rows)
            W = W - lr * X[rows].T @ G
            b = b - lr * G.sum(0)
    out = val[0] @ W + b
    return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
            "val_acc": (out.argmax(1) == val[1]).float().mean().item() * 100}

# %% wrong="4.4.5a" why="another key" breaks="keys" says="the keys for"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            G = (torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10)) / len(rows)
            W = W - lr * X[rows].T @ G
            b = b - lr * G.sum(0)
    out = val[0] @ W + b
    return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
            "accuracy": (out.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="one epoch too many" breaks="steps" says="one epoch too many"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    for _ in range(epochs + 1):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            G = (torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10)) / len(rows)
            W = W - lr * X[rows].T @ G
            b = b - lr * G.sum(0)
    out = val[0] @ W + b
    return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
            "val_acc": (out.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="a random start" breaks="steps" says="With the rate 0 nothing moves"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    W, b = 0.5 * torch.randn(X.shape[1], 10), torch.zeros(10)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            G = (torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10)) / len(rows)
            W = W - lr * X[rows].T @ G
            b = b - lr * G.sum(0)
    out = val[0] @ W + b
    return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
            "val_acc": (out.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="the softmax done twice" breaks="steps" says="The softmax was done twice"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            P = torch.softmax(X[rows] @ W + b, 1)
            G = P * (torch.softmax(P, 1) - F.one_hot(y[rows], 10)) / len(rows)
            G = G - P * G.sum(1, keepdim=True)
            W = W - lr * X[rows].T @ G
            b = b - lr * G.sum(0)
    out = val[0] @ W + b
    return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(),
            "val_acc": (out.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="each epoch begins with new weights" breaks="steps" says="Each epoch begins with new weights"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    g = torch.Generator().manual_seed(seed)
    X, y = train
    for _ in range(epochs):
        W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            G = (torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10)) / len(rows)
            W = W - lr * X[rows].T @ G
            b = b - lr * G.sum(0)
    out = val[0] @ W + b
    return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(out, val[1]).item(), "val_acc": (out.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="val_loss is a mean of batch means" breaks="measured at the end" says="a mean of batch means"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    g = torch.Generator().manual_seed(seed)
    for _ in range(epochs):
        for r in torch.randperm(len(y), generator=g).split(batch_size):
            G = (torch.softmax(X[r] @ W + b, 1) - F.one_hot(y[r], 10)) / len(r)
            W, b = W - lr * X[r].T @ G, b - lr * G.sum(0)
    def means(A, c):
        return torch.stack([F.cross_entropy(A[s:s + batch_size] @ W + b, c[s:s + batch_size]) for s in range(0, len(c), batch_size)]).mean().item()
    return {"train_loss": means(X, y), "val_loss": means(*val), "val_acc": accuracy(val[0] @ W + b, val[1])}

# %% wrong="4.4.5a" why="as many classes as occur in train" breaks="steps" says="ten columns"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    q = max(int(y.max()), int(val[1].max())) + 1
    W, b = torch.zeros(X.shape[1], q), torch.zeros(q)
    g = torch.Generator().manual_seed(seed)
    for _ in range(epochs):
        for r in torch.randperm(len(y), generator=g).split(batch_size):
            G = (torch.softmax(X[r] @ W + b, 1) - F.one_hot(y[r], q)) / len(r)
            W, b = W - lr * X[r].T @ G, b - lr * G.sum(0)
    return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(val[0] @ W + b, val[1]).item(), "val_acc": accuracy(val[0] @ W + b, val[1])}

# %% wrong="4.4.5a" why="gradients are never set back to zero" breaks="steps" says="set them to zero"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    W, b = torch.zeros(X.shape[1], 10, requires_grad=True), torch.zeros(10, requires_grad=True)
    g = torch.Generator().manual_seed(seed)
    for _ in range(epochs):
        for r in torch.randperm(len(y), generator=g).split(batch_size):
            F.cross_entropy(X[r] @ W + b, y[r]).backward()
            with torch.no_grad():
                W -= lr * W.grad
                b -= lr * b.grad
    with torch.no_grad():
        return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(val[0] @ W + b, val[1]).item(), "val_acc": accuracy(val[0] @ W + b, val[1])}

# %% wrong="4.4.5a" why="the rate falls from epoch to epoch" breaks="steps" says="it does not go far enough"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    g = torch.Generator().manual_seed(seed)
    for epoch in range(epochs):
        for r in torch.randperm(len(y), generator=g).split(batch_size):
            G = (torch.softmax(X[r] @ W + b, 1) - F.one_hot(y[r], 10)) / len(r)
            W, b = W - lr / (1 + epoch) * X[r].T @ G, b - lr / (1 + epoch) * G.sum(0)
    return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(val[0] @ W + b, val[1]).item(), "val_acc": accuracy(val[0] @ W + b, val[1])}

# %% right="4.4.5c" how="computed in the cell, by hand, best_lr between the grid points"
def mean_validation_loss(lr):
    found = []
    for seed in range(3):
        g = torch.Generator().manual_seed(seed)
        W, b = torch.zeros(784, 10), torch.zeros(10)
        for _ in range(5):
            for rows in torch.randperm(3000, generator=g).split(256):
                G = (torch.softmax(small[0][rows] @ W + b, 1) - F.one_hot(small[1][rows], 10)) / len(rows)
                W = W - lr * small[0][rows].T @ G
                b = b - lr * G.sum(0)
        found.append(F.cross_entropy(held_out[0] @ W + b, held_out[1]).item())
    return sum(found) / 3


rate_losses = {lr: mean_validation_loss(lr) for lr in (0.001, 0.01, 0.1, 1)}
best_lr = 0.15

# %% right="4.4.5c" how="written down, another order, a tensor"
rate_losses = {1: 3.09, 0.1: 0.7845, 0.01: 1.517, 0.001: 2.1645}
best_lr = torch.tensor(0.1)

# %% right="4.4.5c" how="by the answer of 4.4.5a"
rate_losses = {lr: sum(train_softmax(small, held_out, lr, 256, 5, seed)["val_loss"] for seed in range(3)) / 3 for lr in (0.001, 0.01, 0.1, 1)}
best_lr = min(rate_losses, key=rate_losses.get)

# %% wrong="4.4.5c" why="sums over the seeds" breaks="losses" says="This is the sum over the seeds"
rate_losses = {0.001: 6.4935, 0.01: 4.551, 0.1: 2.3535, 1: 5.58}
best_lr = 0.1

# %% wrong="4.4.5c" why="ten epochs" breaks="losses" says="batches of 256 and 5 epochs"
rate_losses = {0.001: 2.04, 0.01: 1.23, 0.1: 0.66, 1: 1.6}
best_lr = 0.1

# %% wrong="4.4.5c" why="two rates are missing" breaks="losses" says="The four rates themselves"
rate_losses = {0.01: 1.517, 0.1: 0.7845}
best_lr = 0.1

# %% wrong="4.4.5c" why="accuracy" breaks="losses" says="rate_losses at 0.001"
rate_losses = {0.001: 0.499, 0.01: 0.676, 0.1: 0.736, 1: 0.73}
best_lr = 0.1

# %% wrong="4.4.5c" why="too large" breaks="best rate" says="between which rates does the loss turn"
rate_losses = {0.001: 2.164, 0.01: 1.517, 0.1: 0.784, 1: 1.860}
best_lr = 1

# %% wrong="4.4.5c" why="too small" breaks="best rate" says="between which rates does the loss turn"
rate_losses = {0.001: 2.164, 0.01: 1.517, 0.1: 0.784, 1: 1.860}
best_lr = 0.01

# %% wrong="4.4.5c" why="negative" breaks="best rate" says="a positive number"
rate_losses = {0.001: 2.164, 0.01: 1.517, 0.1: 0.784, 1: 1.860}
best_lr = -0.1

# %% wrong="4.4.5c" why="infinite at rate 1" breaks="losses" says="finite and above 1.2"
rate_losses, best_lr = {0.001: 2.164, 0.01: 1.517, 0.1: 0.784, 1: math.inf}, 0.1

# %% right="4.4.5b" how="made with dict and zip, 19 epochs"
batch_losses = dict(zip((1024, 256, 64, 16, 4, 1), (1.7948, 1.2237, 0.8258, 0.6308, 0.5557, 0.6487)))
epochs_256 = 19

# %% right="4.4.5b" how="two decimals, a calculated number of epochs"
batch_losses = {1: 0.65, 4: 0.56, 16: 0.63, 64: 0.83, 256: 1.22, 1024: 1.79}
epochs_256 = round(5 * math.ceil(3000 / 64) / math.ceil(3000 / 256))

# %% wrong="4.4.5b" why="the same number of epochs is enough" breaks="epochs" says="more epochs"
batch_losses = {1: 0.65, 4: 0.56, 16: 0.63, 64: 0.83, 256: 1.22, 1024: 1.79}
epochs_256 = 5

# %% wrong="4.4.5b" why="the yardstick is batch size 4" breaks="epochs" says="fewer epochs"
batch_losses = {1: 0.65, 4: 0.56, 16: 0.63, 64: 0.83, 256: 1.22, 1024: 1.79}
epochs_256 = 100

# %% wrong="4.4.5b" why="twice the root" breaks="epochs" says="more epochs"
batch_losses = {1: 0.65, 4: 0.56, 16: 0.63, 64: 0.83, 256: 1.22, 1024: 1.79}
epochs_256 = 10

# %% wrong="4.4.5b" why="not a whole number" breaks="epochs" says="epochs_256"
batch_losses = {1: 0.65, 4: 0.56, 16: 0.63, 64: 0.83, 256: 1.22, 1024: 1.79}
epochs_256 = 19.5

# %% wrong="4.4.5b" why="the training losses" breaks="losses" says="mean of the training losses"
batch_losses = {1: 0.4407, 4: 0.4774, 16: 0.6042, 64: 0.8258, 256: 1.2307, 1024: 1.7945}
epochs_256 = 20

# %% wrong="4.4.5b" why="the number of updates kept, so that the size hardly matters" breaks="losses" says="batch_losses at 1024"
batch_losses = {1: 0.65, 4: 0.56, 16: 0.6, 64: 0.62, 256: 0.63, 1024: 0.63}
epochs_256 = 20

# %% wrong="4.4.5b" why="size 1 is not measured" breaks="losses" says="The six batch sizes"
batch_losses = {4: 0.56, 16: 0.63, 64: 0.83, 256: 1.22, 1024: 1.79}
epochs_256 = 20

# %% wrong="4.4.5b" why="learning rate 0.1" breaks="losses" says="with rate 0.02"
batch_losses = {1: 3.1, 4: 1.0, 16: 0.6, 64: 0.6, 256: 0.784, 1024: 1.2}
epochs_256 = 20

# %% right="4.4.3" how="the right place among the sorted sick"
def recall_threshold(p, sick, recall):
    of_sick = p[sick.bool()].sort(descending=True).values
    needed = math.ceil(recall * len(of_sick) - 1e-9)
    return of_sick[needed - 1].item()

# %% right="4.4.3" how="max over a list comprehension"
def recall_threshold(p, sick, recall):
    number = int(sick.sum())
    return max(t for t in p.tolist() if int(((p >= t) & (sick == 1)).sum()) / number >= recall)

# %% right="4.4.3" how="a tensor, without a loop"
def recall_threshold(p, sick, recall):
    values = p.sort(descending=True).values
    shares = (p[sick == 1][None] >= values[:, None]).double().mean(dim=1)
    return values[(shares >= recall).nonzero()[0, 0]]

# %% wrong="4.4.3" why="one half, the most probable label" breaks="share of the sick" says="The most probable label is not asked for"
def recall_threshold(p, sick, recall):
    return torch.tensor(0.5)

# %% wrong="4.4.3" why="the share of all people" breaks="share of the sick" says="The share is one of the sick, not of all people"
def recall_threshold(p, sick, recall):
    ordered = p.sort(descending=True).values
    return ordered[math.ceil(recall * len(p)) - 1]

# %% wrong="4.4.3" why="the sick among those sent" breaks="share of the sick" says="the threshold for"
def recall_threshold(p, sick, recall):
    for t in sorted(p.tolist()):
        if sick[p >= t].double().mean() >= recall:
            return t
    return p.min().item()

# %% wrong="4.4.3" why="rounds the number of sick people down" breaks="largest" says="fewer than the wanted share"
def recall_threshold(p, sick, recall):
    of_sick = p[sick == 1].sort(descending=True).values
    return of_sick[max(int(recall * len(of_sick)), 1) - 1]

# %% wrong="4.4.3" why="rounds to the nearest" breaks="largest" says="fewer than the wanted share"
def recall_threshold(p, sick, recall):
    of_sick = p[sick == 1].sort(descending=True).values
    return of_sick[max(round(recall * len(of_sick)), 1) - 1]

# %% right="4.4.3" how="counted from the smallest of the sick"
def recall_threshold(p, sick, recall):
    of_sick = p[sick == 1].sort().values
    return of_sick[int((1 - recall) * len(of_sick) + 1e-9)]

# %% wrong="4.4.3" why="one more than needed where it fits exactly" breaks="exactly enough" says="A share that equals the recall is enough"
def recall_threshold(p, sick, recall):
    of_sick = p[sick == 1].sort(descending=True).values
    return of_sick[min(int(recall * len(of_sick)) + 1, len(of_sick)) - 1]

# %% wrong="4.4.3" why="more than the recall" breaks="exactly enough" says="A share that equals the recall is enough"
def recall_threshold(p, sick, recall):
    of_sick = p[sick == 1]
    for t in sorted(p.tolist(), reverse=True):
        share = (of_sick >= t).double().mean()
        if share > recall or share == 1:
            return t

# %% wrong="4.4.3" why="the smallest threshold that does it" breaks="largest" says="the smallest value of all"
def recall_threshold(p, sick, recall):
    return p.min()

# %% wrong="4.4.3" why="p > t in place of p >= t" breaks="exactly enough" says="whoever has exactly t is sent, too"
def recall_threshold(p, sick, recall):
    of_sick = p[sick == 1]
    for t in p.sort(descending=True).values:
        if (of_sick > t).float().mean() >= recall:
            return t
    return p.min()

# %% wrong="4.4.3" why="a quantile that interpolates" breaks="largest" says="A quantile counts the steps between people"
def recall_threshold(p, sick, recall):
    return torch.quantile(p[sick == 1], 1 - recall)

# %% wrong="4.4.3" why="takes p to be sorted" breaks="share of the sick" says="the threshold for"
def recall_threshold(p, sick, recall):
    of_sick = p[sick == 1]
    return of_sick[math.ceil(recall * len(of_sick)) - 1]

# %% wrong="4.4.3" why="never quite everybody" breaks="everybody" says="recall 1"
def recall_threshold(p, sick, recall):
    of_sick = p[sick == 1].sort(descending=True).values
    needed = math.ceil(recall * len(of_sick) - 1e-9)
    return of_sick[min(needed, max(len(of_sick) - 1, 1)) - 1]

# %% wrong="4.4.3" why="precision in place of recall" breaks="share of the sick" says="This counts the sick among those sent"
def recall_threshold(p, sick, recall):
    for t in p.sort(descending=True).values:
        if (sick[p >= t] == 1).double().mean() >= recall:
            return t
    return p.min()

# %% right="4.4.3" how="running shares of all people in order, a reader's"
def recall_threshold(p, sick, recall):
    ordered, places = p.sort(descending=True)
    shares = sick[places].double().cumsum(0) / sick.sum()
    return ordered[(shares >= recall).nonzero()[0, 0]]

# %% wrong="4.4.3" why="rounds a product up" breaks="exactly enough" says="Here rounding decided"
def recall_threshold(p, sick, recall):
    of_sick = p[sick == 1].sort(descending=True).values
    return of_sick[math.ceil(recall * len(of_sick)) - 1]

# %% wrong="4.4.3" why="a share in float32" breaks="exactly enough" says="Here rounding decided"
def recall_threshold(p, sick, recall):
    of_sick = p[sick == 1]
    return max(t for t in p.tolist() if (of_sick >= t).float().mean().item() >= recall)

# %% wrong="4.4.3" why="the lower one at a quantile" breaks="largest" says="the threshold for recall 0.3"
def recall_threshold(p, sick, recall):
    return p[sick == 1].quantile(1 - recall, interpolation="lower")

# %% wrong="4.4.3" why="equal values counted once" breaks="exactly enough" says="count one by one"
def recall_threshold(p, sick, recall):
    values = sorted(set(p[sick == 1].tolist()), reverse=True)
    return next(t for k, t in enumerate(values, 1) if k / len(values) >= recall)

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

# %% right="4.4.4" how="bmm and gather"
def two_level_log_probability(h, A, B, words):
    M = B.shape[2]
    kind, place = words // M, words % M
    log_class = torch.log_softmax(h @ A, dim=1).gather(1, kind[:, None]).squeeze(1)
    scores = torch.bmm(h[:, None, :], B[kind]).squeeze(1)
    return log_class + torch.log_softmax(scores, dim=1).gather(1, place[:, None]).squeeze(1)

# %% wrong="4.4.4" why="one softmax over all words" breaks="values" says="This is one softmax over all words"
def two_level_log_probability(h, A, B, words):
    scores = (h @ A)[:, :, None] + torch.einsum("nd,cdm->ncm", h, B)
    return torch.log_softmax(scores.flatten(1), dim=1).gather(1, words[:, None]).squeeze(1)

# %% wrong="4.4.4" why="class and place swapped" breaks="values" says="raised"
def two_level_log_probability(h, A, B, words):
    M = B.shape[2]
    kind, place = words % M, words // M
    log_class = torch.log_softmax(h @ A, dim=1).gather(1, kind[:, None]).squeeze(1)
    scores = torch.bmm(h[:, None, :], B[kind]).squeeze(1)
    return log_class + torch.log_softmax(scores, dim=1).gather(1, place[:, None]).squeeze(1)

# %% wrong="4.4.4" why="the probability, not its logarithm" breaks="values" says="This is a probability, not its logarithm"
def two_level_log_probability(h, A, B, words):
    M = B.shape[2]
    kind, place = words // M, words % M
    p = torch.softmax(h @ A, dim=1).gather(1, kind[:, None]).squeeze(1)
    return p * torch.softmax(torch.bmm(h[:, None, :], B[kind]).squeeze(1), dim=1).gather(1, place[:, None]).squeeze(1)

# %% wrong="4.4.4" why="the negative logarithm" breaks="values" says="The sign is wrong"
def two_level_log_probability(h, A, B, words):
    M = B.shape[2]
    kind, place = words // M, words % M
    scores = torch.bmm(h[:, None, :], B[kind]).squeeze(1)
    return F.cross_entropy(h @ A, kind, reduction="none") + F.cross_entropy(scores, place, reduction="none")

# %% wrong="4.4.4" why="the logarithm of the softmax, which underflows" breaks="any size" says="features of size 300"
def two_level_log_probability(h, A, B, words):
    M = B.shape[2]
    kind, place = words // M, words % M
    p = torch.softmax(h @ A, dim=1).gather(1, kind[:, None]).squeeze(1)
    q = torch.softmax(torch.bmm(h[:, None, :], B[kind]).squeeze(1), dim=1).gather(1, place[:, None]).squeeze(1)
    return (p * q).log()

# %% wrong="4.4.4" why="a small number under the logarithm" breaks="any size" says="features of size 300"
def two_level_log_probability(h, A, B, words):
    M = B.shape[2]
    kind, place = words // M, words % M
    p = torch.softmax(h @ A, dim=1).gather(1, kind[:, None]).squeeze(1)
    q = torch.softmax(torch.bmm(h[:, None, :], B[kind]).squeeze(1), dim=1).gather(1, place[:, None]).squeeze(1)
    return (p + 1e-12).log() + (q + 1e-12).log()

# %% wrong="4.4.4" why="scores every word of every class" breaks="few scores" says="numbers are computed on the way"
def two_level_log_probability(h, A, B, words):
    n, (C, _, M) = len(h), B.shape
    everything = torch.log_softmax(h @ A, 1)[:, :, None] + torch.log_softmax(torch.einsum("nd,cdm->ncm", h, B), 2)
    return everything.reshape(n, C * M)[torch.arange(n), words]

# %% wrong="4.4.4" why="places of the first class for all" breaks="values" says="The places of class 0"
def two_level_log_probability(h, A, B, words):
    M = B.shape[2]
    kind, place = words // M, words % M
    log_class = torch.log_softmax(h @ A, dim=1).gather(1, kind[:, None]).squeeze(1)
    return log_class + torch.log_softmax(h @ B[0], dim=1).gather(1, place[:, None]).squeeze(1)

# %% wrong="4.4.4" why="the sum over the words" breaks="shape" says="One number for each word"
def two_level_log_probability(h, A, B, words):
    M = B.shape[2]
    kind, place = words // M, words % M
    scores = torch.bmm(h[:, None, :], B[kind]).squeeze(1)
    return -F.cross_entropy(h @ A, kind) - F.cross_entropy(scores, place)

# %% wrong="4.4.4" why="a column" breaks="shape" says="One number for each word"
def two_level_log_probability(h, A, B, words):
    M = B.shape[2]
    kind, place = words // M, words % M
    scores = torch.bmm(h[:, None, :], B[kind]).squeeze(1)
    return torch.log_softmax(h @ A, dim=1).gather(1, kind[:, None]) + torch.log_softmax(scores, dim=1).gather(1, place[:, None])

# %% wrong="4.4.4" why="the words turned into places in place" breaks="arguments kept" says="words after the call"
def two_level_log_probability(h, A, B, words):
    M = B.shape[2]
    kind = words // M
    words %= M
    scores = torch.bmm(h[:, None, :], B[kind]).squeeze(1)
    return -F.cross_entropy(h @ A, kind, reduction="none") - F.cross_entropy(scores, words, reduction="none")

# %% right="4.4.4" how="a view of B with its axes exchanged, a reader's"
def two_level_log_probability(h, A, B, words):
    M, each = B.shape[2], torch.arange(len(words))
    scores = (B.transpose(1, 2)[words // M] @ h[:, :, None])[:, :, 0]
    return torch.log_softmax(h @ A, 1)[each, words // M] + torch.log_softmax(scores, 1)[each, words % M]

# %% right="4.4.4" how="class by class, of those that occur, a reader's"
def two_level_log_probability(h, A, B, words):
    M = B.shape[2]
    kind, place = words // M, words % M
    first = torch.log_softmax(h @ A, 1)[torch.arange(len(words)), kind]
    second = torch.zeros_like(first)
    for c in kind.unique():
        at = (kind == c).nonzero().flatten()
        second[at] = torch.log_softmax(h[at] @ B[c], 1)[torch.arange(len(at)), place[at]]
    return first + second

# %% wrong="4.4.4" why="the scores of every class, one class after the other" breaks="few scores" says="numbers are computed on the way"
def two_level_log_probability(h, A, B, words):
    M, each = B.shape[2], torch.arange(len(words))
    second = torch.zeros(len(words))
    for c in range(len(B)):
        second = torch.where(words // M == c, torch.log_softmax(h @ B[c], 1)[each, words % M], second)
    return torch.log_softmax(h @ A, 1)[each, words // M] + second

# %% wrong="4.4.4" why="every score, in NumPy" breaks="few scores" says="numbers are computed on the way"
def two_level_log_probability(h, A, B, words):
    import numpy as np
    S = np.einsum("nd,cdm->ncm", h.numpy(), B.numpy())
    S = S - S.max(axis=2, keepdims=True)
    S = S - np.log(np.exp(S).sum(axis=2, keepdims=True))
    every = (torch.log_softmax(h @ A, 1).numpy()[:, :, None] + S).reshape(len(words), -1)
    return torch.from_numpy(every[np.arange(len(words)), words.numpy()])

# %% wrong="4.4.4" why="C and M exchanged" breaks="values" says="here C was taken for M"
def two_level_log_probability(h, A, B, words):
    C, each = len(B), torch.arange(len(words))
    return torch.log_softmax(h @ A, 1)[each, words % C] + torch.log_softmax((h[:, None] @ B[words % C])[:, 0], 1)[each, words // C]

# %% wrong="4.4.4" why="words counted from 1" breaks="values" says="Words are counted from 0"
def two_level_log_probability(h, A, B, words):
    M, each = B.shape[2], torch.arange(len(words))
    w = (words - 1).clamp(min=0)
    return torch.log_softmax(h @ A, 1)[each, w // M] + torch.log_softmax((h[:, None] @ B[w // M])[:, 0], 1)[each, w % M]

# %% wrong="4.4.4" why="scores in half precision" breaks="any size" says="features of size 300"
def two_level_log_probability(h, A, B, words):
    M, each = B.shape[2], torch.arange(len(words))
    scores = (h[:, None] @ B[words // M])[:, 0].half().float()
    return torch.log_softmax((h @ A).half().float(), 1)[each, words // M] + torch.log_softmax(scores, 1)[each, words % M]

# %% wrong="4.4.B" why="the row in which the model is least sure" breaks="example" says="least sure"
def costliest(P, y):
    i = P.max(dim=1).values.argmin()
    return i, -math.log(P[i, y[i]])

# %% wrong="4.4.B" why="1 - p as the loss" breaks="loss" says="This is 1 - p"
def costliest(P, y):
    losses = 1 - P[torch.arange(len(y)), y]
    return losses.argmax(), losses.max()

# %% wrong="4.4.C" why="a float" breaks="epochs" says="steps are counted in whole numbers"
def number_of_updates(n, batch_size, epochs):
    return float(math.ceil(n / batch_size) * epochs)

# %% wrong="4.4.C" why="the smaller batch once for all epochs" breaks="epochs" says="in every epoch, not once"
def number_of_updates(n, batch_size, epochs):
    return n // batch_size * epochs + (1 if n % batch_size else 0)

# %% wrong="4.4.C" why="as many steps as examples are left over" breaks="last batch" says="one batch, not 56"
def number_of_updates(n, batch_size, epochs):
    return (n // batch_size + n % batch_size) * epochs

# %% wrong="4.4.7" why="the k surest rows first, then the mistaken of them" breaks="at most k" says="the other way round"
def worst_mistakes(P, y, k):
    sure, guess = P.max(dim=1)
    order = sure.argsort(descending=True)[:k]
    return [int(i) for i in order if guess[i] != y[i]]

# %% wrong="4.4.7" why="a label under one half counts as a mistake" breaks="mistakes only" says="A label under 1/2"
def worst_mistakes(P, y, k):
    sure = P.max(dim=1).values
    wrong = (P[torch.arange(len(y)), y] < 0.5).nonzero().flatten()
    return wrong[sure[wrong].argsort(descending=True)][:k]

# %% wrong="4.4.7" why="sorted by the lead over the label" breaks="order" says="the lead over"
def worst_mistakes(P, y, k):
    sure, guess = P.max(dim=1)
    lead = sure - P[torch.arange(len(y)), y]
    wrong = (guess != y).nonzero().flatten()
    return wrong[lead[wrong].argsort(descending=True)][:k].tolist()

# %% wrong="4.4.8" why="one row under several names" breaks="counts" says="All rows are alike"
def confusion_matrix(predicted, y, num_classes):
    table = [[0] * num_classes] * num_classes
    for a, b in zip(y.tolist(), predicted.tolist()):
        table[a][b] += 1
    return torch.tensor(table)

# %% wrong="4.4.8" why="shares of the rows, rounded down" breaks="counts" says="rounded down"
def confusion_matrix(predicted, y, num_classes):
    table = F.one_hot(y, num_classes).T @ F.one_hot(predicted, num_classes)
    return table // table.sum(dim=1, keepdim=True).clamp(min=1)

# %% wrong="4.4.8" why="counts from 1" breaks="counts" says="one too large"
def confusion_matrix(predicted, y, num_classes):
    table = torch.ones(num_classes, num_classes, dtype=torch.int64)
    for a, b in zip(y.tolist(), predicted.tolist()):
        table[a, b] += 1
    return table

# %% wrong="4.4.1a" why="nan compared first" breaks="broken rows" says="a comparison with nan is False"
def softmax_health(X):
    P, Q = d2l.softmax(X), torch.softmax(X.double(), dim=1)
    off = ((P - Q).abs() > 1e-4).any(dim=1)
    return torch.where(off, torch.where(P.isfinite().all(dim=1), 1, 2), 0)

# %% wrong="4.4.1a" why="the bare formula in float64" breaks="wrong rows" says="computed in float32"
def softmax_health(X):
    E = X.double().exp()
    P, Q = E / E.sum(dim=1, keepdim=True), torch.softmax(X.double(), dim=1)
    bad = ~P.isfinite().all(dim=1)
    return torch.where(bad, 2, ((P - Q).abs() > 1e-4).any(dim=1).long())

# %% wrong="4.4.1a" why="wrong only if all entries are off" breaks="wrong rows" says="here all have to be"
def softmax_health(X):
    P, Q = d2l.softmax(X), torch.softmax(X.double(), dim=1)
    bad = ~P.isfinite().all(dim=1)
    return torch.where(bad, 2, ((P - Q).abs() > 1e-4).all(dim=1).long())

# %% wrong="4.4.1b" why="minus infinity becomes -1e9" breaks="minus infinity" says="replaced by a number"
def stable_softmax(X):
    X = X.masked_fill(X == -math.inf, -1e9)
    E = torch.exp(X - X.max(dim=1, keepdim=True).values)
    return E / E.sum(dim=1, keepdim=True)

# %% wrong="4.4.1b" why="nan replaced by 1" breaks="large and small" says="Was nan replaced by 1"
def stable_softmax(X):
    E = torch.exp(X)
    return (E / E.sum(dim=1, keepdim=True)).nan_to_num(1.0)

# %% wrong="4.4.2a" why="nan_to_num, which bounds infinity, too" breaks="infinite" says="as `nan_to_num` does"
def one_hot_cross_entropy(Y_hat, Y):
    return -(Y * Y_hat.log()).nan_to_num(0.0).sum(dim=1).mean()

# %% wrong="4.4.2a" why="bounded at the smallest normal number" breaks="infinite" says="The probability 0 counts as"
def one_hot_cross_entropy(Y_hat, Y):
    return -(Y * Y_hat.clamp(min=torch.finfo(torch.float32).tiny).log()).sum(dim=1).mean()

# %% wrong="4.4.2b" why="bytes as floats" breaks="keys" says="a count is an int"
def label_costs(n, q):
    return {"index": (n, 64 * n / 8), "one_hot": (n * q, 32 * n * q / 8)}

# %% wrong="4.4.2b" why="one example's logarithms" breaks="logarithms" says="Each of the n examples"
def label_costs(n, q):
    return {"index": (1, 8 * n), "one_hot": (q, 4 * n * q)}

# %% wrong="4.4.6" why="no bias in the scores" breaks="loss" says="The bias is missing in the scores"
def step_by_hand(W, b, X, y, lr):
    loss = F.cross_entropy(X @ W, y)
    G = (torch.softmax(X @ W, dim=1) - F.one_hot(y, len(b))) / len(y)
    W -= lr * X.T @ G
    b -= lr * G.sum(dim=0)
    return loss

# %% wrong="4.4.6" why="one_hot counts the classes from the labels" breaks="weight" says="raised"
def step_by_hand(W, b, X, y, lr):
    loss = F.cross_entropy(X @ W + b, y)
    G = (torch.softmax(X @ W + b, dim=1) - F.one_hot(y)) / len(y)
    W -= lr * X.T @ G
    b -= lr * G.sum(dim=0)
    return loss

# %% wrong="4.4.5a" why="Adam" breaks="steps" says="These are the steps of Adam"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    (X, y), (Xv, yv) = train, val
    net = torch.nn.Linear(X.shape[1], 10)
    torch.nn.init.zeros_(net.weight), torch.nn.init.zeros_(net.bias)
    optimizer = torch.optim.Adam(net.parameters(), lr=lr)
    g = torch.Generator().manual_seed(seed)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            optimizer.zero_grad()
            F.cross_entropy(net(X[rows]), y[rows]).backward()
            optimizer.step()
    with torch.no_grad():
        return {"train_loss": F.cross_entropy(net(X), y).item(), "val_loss": F.cross_entropy(net(Xv), yv).item(),
                "val_acc": (net(Xv).argmax(1) == yv).float().mean().item()}

# %% wrong="4.4.5a" why="a DataLoader with the generator" breaks="orders" says="orders of a DataLoader"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    (X, y), (Xv, yv) = train, val
    net = torch.nn.Linear(X.shape[1], 10)
    torch.nn.init.zeros_(net.weight), torch.nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    g = torch.Generator().manual_seed(seed)
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(X, y), batch_size=batch_size, shuffle=True, generator=g)
    for _ in range(epochs):
        for rows, labels_ in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(rows), labels_).backward()
            optimizer.step()
    with torch.no_grad():
        return {"train_loss": F.cross_entropy(net(X), y).item(), "val_loss": F.cross_entropy(net(Xv), yv).item(),
                "val_acc": (net(Xv).argmax(1) == yv).float().mean().item()}

# %% wrong="4.4.5a" why="the best epoch" breaks="measured at the end" says="the best epoch"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    (X, y), (Xv, yv) = train, val
    net = torch.nn.Linear(X.shape[1], 10)
    torch.nn.init.zeros_(net.weight), torch.nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    g = torch.Generator().manual_seed(seed)
    best = None
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            optimizer.zero_grad()
            F.cross_entropy(net(X[rows]), y[rows]).backward()
            optimizer.step()
        with torch.no_grad():
            now = {"train_loss": F.cross_entropy(net(X), y).item(), "val_loss": F.cross_entropy(net(Xv), yv).item(),
                   "val_acc": (net(Xv).argmax(1) == yv).float().mean().item()}
        if best is None or now["val_loss"] < best["val_loss"]:
            best = now
    return best

# %% wrong="4.4.5a" why="weights that decay" breaks="steps" says="as weight decay does it"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    (X, y), (Xv, yv) = train, val
    net = torch.nn.Linear(X.shape[1], 10)
    torch.nn.init.zeros_(net.weight), torch.nn.init.zeros_(net.bias)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr, weight_decay=0.01)
    g = torch.Generator().manual_seed(seed)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            optimizer.zero_grad()
            F.cross_entropy(net(X[rows]), y[rows]).backward()
            optimizer.step()
    with torch.no_grad():
        return {"train_loss": F.cross_entropy(net(X), y).item(), "val_loss": F.cross_entropy(net(Xv), yv).item(),
                "val_acc": (net(Xv).argmax(1) == yv).float().mean().item()}

# %% wrong="4.4.3" why="the states as an index" breaks="share of the sick" says="takes p[1] and p[0]"
def recall_threshold(p, sick, recall):
    q = p[sick]
    return max(t for t in p.tolist() if (q >= t).double().mean() >= recall)

# %% wrong="4.4.3" why="the place in p" breaks="largest" says="the value is asked for"
def recall_threshold(p, sick, recall):
    q = p[sick == 1]
    fit = [(t, i) for i, t in enumerate(p.tolist()) if (q >= t).double().mean() >= recall]
    return max(fit)[1]

# %% wrong="4.4.3" why="halfway to the next value" breaks="largest" says="one of the values in p"
def recall_threshold(p, sick, recall):
    q = p[sick == 1]
    t = max(t for t in p.tolist() if (q >= t).double().mean() >= recall)
    lower = [x for x in p.tolist() if x < t]
    return (t + max(lower)) / 2 if lower else t

# %% wrong="4.4.3" why="only the healthy people's values are tried" breaks="largest" says="Only the values of healthy people"
def recall_threshold(p, sick, recall):
    q = p[sick == 1]
    fit = [t for t in p[sick == 0].tolist() if (q >= t).double().mean() >= recall]
    return max(fit) if fit else p.min()

# %% wrong="4.4.4" why="the softmax over the examples" breaks="values" says="runs over the examples"
def two_level_log_probability(h, A, B, words):
    M, each = B.shape[2], torch.arange(len(words))
    kind, place = words // M, words % M
    first = torch.log_softmax(h @ A, 0)[each, kind]
    second = torch.log_softmax((h[:, None] @ B[kind])[:, 0], 0)[each, place]
    return first + second

# %% wrong="4.4.4" why="the whole row added up" breaks="values" says="The places were not picked"
def two_level_log_probability(h, A, B, words):
    M, each = B.shape[2], torch.arange(len(words))
    kind = words // M
    return torch.log_softmax(h @ A, 1)[each, kind] + torch.log_softmax((h[:, None] @ B[kind])[:, 0], 1).sum(dim=1)

# %% wrong="4.4.4" why="the score of the class, not normalised" breaks="values" says="classes are not normalised"
def two_level_log_probability(h, A, B, words):
    M, each = B.shape[2], torch.arange(len(words))
    kind, place = words // M, words % M
    return (h @ A)[each, kind] + torch.log_softmax((h[:, None] @ B[kind])[:, 0], 1)[each, place]

# %% wrong="4.4.4" why="the first word's class for all" breaks="values" says="The class of the first word"
def two_level_log_probability(h, A, B, words):
    M, each = B.shape[2], torch.arange(len(words))
    kind, place = words // M, words % M
    return torch.log_softmax(h @ A, 1)[each, kind] + torch.log_softmax(h @ B[kind[0]], 1)[each, place]

# %% wrong="4.4.4" why="all of B in float64" breaks="few scores" says="no copy of all of B"
def two_level_log_probability(h, A, B, words):
    h, A, B = h.double(), A.double(), B.double()
    M, each = B.shape[2], torch.arange(len(words))
    kind, place = words // M, words % M
    return torch.log_softmax(h @ A, 1)[each, kind] + torch.log_softmax((h[:, None] @ B[kind])[:, 0], 1)[each, place]

# %% right="4.4.1a" how="the largest difference of a row, which is nan where an entry is"
def softmax_health(X):
    worst = (softmax(X).double() - torch.softmax(X.double(), 1)).abs().amax(dim=1)
    return torch.where(worst.isnan(), 2, torch.where(worst > 1e-4, 1, 0))

# %% right="4.4.5a" how="the bias as a column of ones"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    def widened(X):
        return torch.cat([X, torch.ones(len(X), 1)], dim=1)
    X, Xv, y = widened(train[0]), widened(val[0]), train[1]
    W = torch.zeros(X.shape[1], 10, requires_grad=True)
    g = torch.Generator().manual_seed(seed)
    for _ in range(epochs):
        order = torch.randperm(len(X), generator=g)
        X_, y_ = X[order], y[order]
        for xb, yb in zip(X_.split(batch_size), y_.split(batch_size)):
            W.grad = None
            F.cross_entropy(xb @ W, yb).backward()
            W.data -= lr * W.grad
    with torch.no_grad():
        return {"train_loss": F.cross_entropy(X @ W, y).item(), "val_loss": F.cross_entropy(Xv @ W, val[1]).item(), "val_acc": accuracy(Xv @ W, val[1])}

# %% right="4.4.2c" how="the shift cut from the graph in both places"
def cross_entropy_from_logits(O, Y):
    Z = O - O.detach().amax(dim=1, keepdim=True)
    return ((Z.exp().sum(dim=1, keepdim=True).log() - Z) * Y).sum() / O.shape[0]

# %% right="4.4.4" how="class by class in float64"
def two_level_log_probability(h, A, B, words):
    M = B.shape[2]
    O = h.double() @ A.double()
    out = O.gather(1, (words // M)[:, None])[:, 0] - O.logsumexp(1)
    for c in (words // M).unique().tolist():
        here = (words // M == c).nonzero().flatten()
        S = torch.einsum("nd,dm->nm", h[here].double(), B[c].double())
        out[here] += S[torch.arange(len(here)), words[here] % M] - S.logsumexp(1)
    return out

# %% wrong="4.4.5c" why="training losses, close to those of validation" breaks="losses" says="mean of the training losses"
rate_losses = {0.001: 2.1632, 0.01: 1.5201, 0.1: 0.7809, 1: 1.9}
best_lr = 0.1

# %% wrong="4.4.5c" why="keys are strings" breaks="losses" says="as numbers"
rate_losses = {"0.001": 2.1645, "0.01": 1.517, "0.1": 0.7845, "1": 1.9}
best_lr = 0.1

# %% wrong="4.4.5c" why="batch size 64, ten epochs" breaks="losses" says="rate_losses at 0.001"
rate_losses = {0.001: 1.6, 0.01: 0.9, 0.1: 0.6, 1: 1.9}
best_lr = 0.1

# %% wrong="4.4.5b" why="updates, not epochs" breaks="epochs" says="12 updates in an epoch"
batch_losses = {1: 0.649, 4: 0.556, 16: 0.631, 64: 0.826, 256: 1.224, 1024: 1.795}
epochs_256 = 235

# %% wrong="4.4.1a" why="off is asked before broken" breaks="broken rows" says="nan beside a wrong finite entry: 2 comes first"
def softmax_health(X):
    P, Q = softmax(X), softmax(X.double())
    off = ((P - Q).abs() > 1e-4).any(dim=1)
    return torch.where(off, 1, (~P.isfinite().all(dim=1)).long() * 2)

# %% wrong="4.4.4" why="squeeze takes the axis of a single example" breaks="shape" says="The result for one example has shape (1,), too"
def two_level_log_probability(h, A, B, words):
    M = B.shape[2]
    c, m = words // M, words % M
    i = torch.arange(len(h))
    S = (h[:, None] @ B[c]).squeeze()
    return torch.log_softmax(h @ A, dim=1)[i, c] + torch.log_softmax(S, dim=1)[i, m]

# %% wrong="4.4.B" why="examples counted from 1" breaks="example" says="Examples are counted from 0"
def costliest(P, y):
    losses = -P[torch.arange(len(y)), y].log()
    return losses.argmax().item() + 1, losses.max().item()

# %% wrong="4.4.7" why="predicted classes in place of rows" breaks="order" says="These are the predicted classes; the row numbers are asked for"
def worst_mistakes(P, y, k):
    sure, guess = P.max(dim=1)
    wrong = (guess != y).nonzero().flatten()
    return guess[wrong[sure[wrong].argsort(descending=True)]][:k]

# %% wrong="4.4.7" why="the probabilities in place of rows" breaks="form" says="These are probabilities; row numbers are asked for"
def worst_mistakes(P, y, k):
    sure, guess = P.max(dim=1)
    return sure[guess != y].sort(descending=True).values[:k]

# %% wrong="4.4.5a" why="a list with an entry for each epoch" breaks="keys" says="train_loss is a list: one number, after the last epoch"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    g = torch.Generator().manual_seed(seed)
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    out = {"train_loss": [], "val_loss": [], "val_acc": []}
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            G = (torch.softmax(X[rows] @ W + b, 1) - F.one_hot(y[rows], 10)) / len(rows)
            W -= lr * X[rows].T @ G
            b -= lr * G.sum(dim=0)
        S = val[0] @ W + b
        out["train_loss"].append(F.cross_entropy(X @ W + b, y).item())
        out["val_loss"].append(F.cross_entropy(S, val[1]).item())
        out["val_acc"].append((S.argmax(1) == val[1]).float().mean().item())
    return out

# %% wrong="4.4.5a" why="the bias's gradient taken after the weight has moved" breaks="steps" says="both gradients from the same point"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    g = torch.Generator().manual_seed(seed)
    W, b = torch.zeros(X.shape[1], 10), torch.zeros(10)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            Y = F.one_hot(y[rows], 10)
            W -= lr * X[rows].T @ (torch.softmax(X[rows] @ W + b, 1) - Y) / len(rows)
            b -= lr * (torch.softmax(X[rows] @ W + b, 1) - Y).mean(dim=0)
    S = val[0] @ W + b
    return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(S, val[1]).item(), "val_acc": (S.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5c" why="lists of three losses" breaks="losses" says="is a list; the mean of the three is asked for"
rate_losses = {lr: [train_softmax(small, held_out, lr, 256, 5, s)["val_loss"] for s in range(3)] for lr in (0.001, 0.01, 0.1, 1)}
best_lr = 0.1

# %% wrong="4.4.5c" why="trained on held_out, measured on small" breaks="losses" says="Train on `small`, measure on `held_out`"
rate_losses = {lr: sum(train_softmax(held_out, small, lr, 256, 5, s)["val_loss"] for s in range(3)) / 3 for lr in (0.001, 0.01, 0.1, 1)}
best_lr = 0.1

# %% wrong="4.4.A" why="the values brought to mean 0 and deviation 1 first" breaks="values" says="get the same scores"
def class_scores(X, W, b):
    rows = X.reshape(len(X), -1)
    rows = (rows - rows.mean()) / rows.std()
    return rows @ W + b

# %% wrong="4.4.A" why="the values divided by 255" breaks="values" says="times what it has to be"
def class_scores(X, W, b):
    return (X.reshape(len(X), -1) / 255) @ W + b

# %% wrong="4.4.B" why="F.cross_entropy of probabilities" breaks="loss" says="The softmax was done once more"
def costliest(P, y):
    losses = F.cross_entropy(P, y, reduction="none")
    i = losses.argmax().item()
    return i, losses[i].item()

# %% wrong="4.4.C" why="a step for each example" breaks="last batch" says="not for each example"
def number_of_updates(n, batch_size, epochs):
    return n * epochs

# %% wrong="4.4.C" why="epochs from 0 on, the last number included" breaks="epochs" says="twice as many"
def number_of_updates(n, batch_size, epochs):
    steps = 0
    for epoch in range(0, epochs + 1):
        steps += math.ceil(n / batch_size)
    return steps

# %% wrong="4.4.7" why="sure by the entropy of the row" breaks="order" says="as by the entropy"
def worst_mistakes(P, y, k):
    wrong = (P.argmax(dim=1) != y).nonzero().flatten()
    entropy = -(P * (P + 1e-12).log()).sum(dim=1)
    return wrong[entropy[wrong].argsort()][:k]

# %% wrong="4.4.7" why="one more than k" breaks="at most k" says="mistakes; the first 4 of them"
def worst_mistakes(P, y, k):
    sure, guess = P.max(dim=1)
    wrong = (guess != y).nonzero().flatten()
    return wrong[sure[wrong].argsort(descending=True)][:k + 1].tolist()

# %% wrong="4.4.8" why="adds to a copy of the rows" breaks="counts" says="as empty as it was"
def confusion_matrix(predicted, y, num_classes):
    table = torch.zeros(num_classes, num_classes, dtype=torch.int64)
    table[y][:, predicted] += 1
    return table

# %% wrong="4.4.8" why="bincount without a least length" breaks="shape" says="has 25 entries"
def confusion_matrix(predicted, y, num_classes):
    return torch.bincount(y * num_classes + predicted).reshape(num_classes, num_classes)

# %% wrong="4.4.1a" why="judges by the largest score alone" breaks="wrong rows" says="the bare formula gives (0, 0, 0)"
def softmax_health(X):
    health = []
    for row in X:
        if row.max() > 88.7:
            health.append(2)
        elif row.max() < -87.3:
            health.append(1)
        else:
            health.append(0)
    return health

# %% wrong="4.4.2a" why="only a share of 1 counts" breaks="soft labels" says="0.25 · 2.0794 = 1.0397"
def one_hot_cross_entropy(Y_hat, Y):
    return -torch.where(Y == 1, Y_hat.log(), 0.0).sum(dim=1).mean()

# %% wrong="4.4.2b" why="an int64 for each class" breaks="bytes" says="a label is one number"
def label_costs(n, q):
    return {"index": (n, 8 * n * q), "one_hot": (n * q, 4 * n * q)}

# %% wrong="4.4.2c" why="the binary loss, added up over the classes" breaks="value" says="What the score is subtracted from"
def cross_entropy_from_logits(O, Y):
    return F.binary_cross_entropy_with_logits(O, Y, reduction="sum") / len(O)

# %% wrong="4.4.2c" why="smoothed labels" breaks="value" says="log 2 = 0.6931 apart"
def cross_entropy_from_logits(O, Y):
    return F.cross_entropy(O, Y, label_smoothing=0.1)

# %% wrong="4.4.6" why="all entries added up for the bias" breaks="bias" says="the sum of all entries of G is always 0"
def step_by_hand(W, b, X, y, lr):
    log_p = torch.log_softmax(X @ W + b, dim=1)
    G = (log_p.exp() - F.one_hot(y, len(b))) / len(y)
    loss = -log_p[torch.arange(len(y)), y].mean()
    W -= lr * X.T @ G
    b -= lr * G.sum()
    return loss

# %% wrong="4.4.6" why="the number of the label in place of its one-hot row" breaks="weight" says="yours becomes (1.75"
def step_by_hand(W, b, X, y, lr):
    log_p = torch.log_softmax(X @ W + b, dim=1)
    loss = -log_p[torch.arange(len(y)), y].mean()
    G = (log_p.exp() - y.reshape(-1, 1)) / len(y)
    W -= lr * X.T @ G
    b -= lr * G.sum(dim=0)
    return loss

# %% wrong="4.4.6" why="twice the gradient" breaks="weight" says="yours becomes (-0.5"
def step_by_hand(W, b, X, y, lr):
    log_p = torch.log_softmax(X @ W + b, dim=1)
    loss = -log_p[torch.arange(len(y)), y].mean()
    G = 2 * (log_p.exp() - F.one_hot(y, len(b))) / len(y)
    W -= lr * X.T @ G
    b -= lr * G.sum(dim=0)
    return loss

# %% wrong="4.4.3" why="the place after the right one" breaks="largest" says="one person further down"
def recall_threshold(p, sick, recall):
    q = p[sick == 1].sort(descending=True).values
    return q[min(math.ceil(recall * len(q)), len(q) - 1)]

# %% wrong="4.4.4" why="the logarithms multiplied" breaks="values" says="a sum of two logarithms"
def two_level_log_probability(h, A, B, words):
    M = B.shape[2]
    kind, place = words // M, words % M
    rows = torch.arange(len(words))
    first = torch.log_softmax(h @ A, dim=1)[rows, kind]
    second = torch.log_softmax((h[:, None, :] @ B[kind])[:, 0], dim=1)[rows, place]
    return first * second

# %% wrong="4.4.B" why="the label in place of the number" breaks="example" says="the label of the example that costs most"
def costliest(P, y):
    losses = -P[torch.arange(len(y)), y].log()
    i = losses.argmax()
    return y[i].item(), losses[i].item()

# %% wrong="4.4.C" why="the number of epochs as an exponent" breaks="epochs" says="3 to the power of 5"
def number_of_updates(n, batch_size, epochs):
    return math.ceil(n / batch_size) ** epochs

# %% wrong="4.4.8" why="the loop begins at 1" breaks="counts" says="The first example, number 0, is not counted"
def confusion_matrix(predicted, y, num_classes):
    table = torch.zeros(num_classes, num_classes, dtype=torch.int64)
    for i in range(1, len(y)):
        table[y[i], predicted[i]] += 1
    return table

# %% wrong="4.4.8" why="or in place of and" breaks="counts" says="both have to hold for the same example"
def confusion_matrix(predicted, y, num_classes):
    table = torch.zeros(num_classes, num_classes, dtype=torch.int64)
    for i in range(num_classes):
        for j in range(num_classes):
            table[i, j] = ((y == i) | (predicted == j)).sum()
    return table

# %% wrong="4.4.1a" why="bounds on the largest score" breaks="right rows" says="no bound on the largest score decides"
def softmax_health(X):
    out = []
    for row in X:
        if row.max() > 88.7 or row.max() < -104:
            out.append(2)
        elif row.max() < -90 or row.max() > 87.5:
            out.append(1)
        else:
            out.append(0)
    return out

# %% wrong="4.4.1b" why="the shift above the line only" breaks="values" says="below the line the same shift has to be made"
def stable_softmax(X):
    m = X.max(dim=1, keepdim=True).values
    return torch.exp(X - m) / torch.exp(X).sum(dim=1, keepdim=True)

# %% wrong="4.4.1b" why="divides by the largest score" breaks="values" says="it has to be subtracted"
def stable_softmax(X):
    E = torch.exp(X / X.abs().max(dim=1, keepdim=True).values)
    return E / E.sum(dim=1, keepdim=True)

# %% wrong="4.4.1b" why="minus infinity taken for 70 below the largest score" breaks="minus infinity" says="is not raised to a number"
def stable_softmax(X):
    m = X.max(dim=1, keepdim=True).values
    E = torch.exp(torch.where(X == -torch.inf, m - 70, X) - m)
    return E / E.sum(dim=1, keepdim=True)

# %% wrong="4.4.1b" why="clamps the exponent at -50: minus infinity gets a little" breaks="values" says="exp of -50"
def stable_softmax(X):
    E = torch.exp((X - X.max(dim=1, keepdim=True).values).clamp(min=-50))
    return E / E.sum(dim=1, keepdim=True)

# %% wrong="4.4.1b" why="max shift added to divide: epsilon in the denominator" breaks="values" says="Nothing is to be added to it"
def stable_softmax(X):
    E = torch.exp(X - X.max(dim=1, keepdim=True).values)
    return E / (E.sum(dim=1, keepdim=True) + 1e-3)

# %% wrong="4.4.2a" why="F.binary_cross_entropy" breaks="value" says="both as in `F.binary_cross_entropy`"
def one_hot_cross_entropy(Y_hat, Y):
    return F.binary_cross_entropy(Y_hat, Y)

# %% wrong="4.4.2b" why="kilobytes" breaks="bytes" says="1,024 times too small"
def label_costs(n, q):
    return {"index": (n, 8 * n // 1024), "one_hot": (n * q, 4 * n * q // 1024)}

# %% wrong="4.4.2c" why="softmax before F.cross_entropy" breaks="value" says="The softmax was done twice"
def cross_entropy_from_logits(O, Y):
    return F.cross_entropy(torch.softmax(O, dim=1), Y)

# %% wrong="4.4.6" why="P[:, y] -= 1" breaks="weight" says="the step for `P[:, y] -= 1`"
def step_by_hand(W, b, X, y, lr):
    L = torch.log_softmax(X @ W + b, dim=1)
    G = L.exp()
    G[:, y] -= 1
    G /= len(y)
    W -= lr * X.T @ G
    b -= lr * G.sum(dim=0)
    return -L[torch.arange(len(y)), y].mean()

# %% wrong="4.4.6" why="the loss from P[:, y]" breaks="loss" says="with the columns of all labels"
def step_by_hand(W, b, X, y, lr):
    L = torch.log_softmax(X @ W + b, dim=1)
    G = (L.exp() - F.one_hot(y, len(b))) / len(y)
    W -= lr * X.T @ G
    b -= lr * G.sum(dim=0)
    return -L[:, y].mean()

# %% wrong="4.4.6" why="softmax over the examples" breaks="weight" says="a softmax over the examples"
def step_by_hand(W, b, X, y, lr):
    O = X @ W + b
    loss = F.cross_entropy(O, y)
    G = (torch.softmax(O, dim=0) - F.one_hot(y, len(b))) / len(y)
    W -= lr * X.T @ G
    b -= lr * G.sum(dim=0)
    return loss

# %% wrong="4.4.5a" why="a generator for each epoch, seed + epoch" breaks="orders" says="with the seed `seed + epoch`"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    W, b = torch.zeros(X.shape[1], 10, requires_grad=True), torch.zeros(10, requires_grad=True)
    for epoch in range(epochs):
        g = torch.Generator().manual_seed(seed + epoch)
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            gw, gb = torch.autograd.grad(F.cross_entropy(X[rows] @ W + b, y[rows]), (W, b))
            with torch.no_grad():
                W -= lr * gw
                b -= lr * gb
    with torch.no_grad():
        O, V = X @ W + b, val[0] @ W + b
        return {"train_loss": F.cross_entropy(O, y).item(), "val_loss": F.cross_entropy(V, val[1]).item(), "val_acc": (V.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="one epoch too few" breaks="steps" says="this is one epoch too few"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    g = torch.Generator().manual_seed(seed)
    W, b = torch.zeros(X.shape[1], 10, requires_grad=True), torch.zeros(10, requires_grad=True)
    for _ in range(1, epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            gw, gb = torch.autograd.grad(F.cross_entropy(X[rows] @ W + b, y[rows]), (W, b))
            with torch.no_grad():
                W -= lr * gw
                b -= lr * gb
    with torch.no_grad():
        O, V = X @ W + b, val[0] @ W + b
        return {"train_loss": F.cross_entropy(O, y).item(), "val_loss": F.cross_entropy(V, val[1]).item(), "val_acc": (V.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="an order drawn for each step" breaks="steps" says="Each step draws an order of its own"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    n = len(y)
    g = torch.Generator().manual_seed(seed)
    W, b = torch.zeros(X.shape[1], 10, requires_grad=True), torch.zeros(10, requires_grad=True)
    for _ in range(epochs):
        for _ in range(math.ceil(n / batch_size)):
            rows = torch.randperm(n, generator=g)[:batch_size]
            gw, gb = torch.autograd.grad(F.cross_entropy(X[rows] @ W + b, y[rows]), (W, b))
            with torch.no_grad():
                W -= lr * gw
                b -= lr * gb
    with torch.no_grad():
        O, V = X @ W + b, val[0] @ W + b
        return {"train_loss": F.cross_entropy(O, y).item(), "val_loss": F.cross_entropy(V, val[1]).item(), "val_acc": (V.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="the labels keep their order" breaks="steps" says="the labels were not"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    n = len(y)
    g = torch.Generator().manual_seed(seed)
    W, b = torch.zeros(X.shape[1], 10, requires_grad=True), torch.zeros(10, requires_grad=True)
    for _ in range(epochs):
        order = torch.randperm(n, generator=g)
        Xs = X[order]
        for s in range(0, n, batch_size):
            gw, gb = torch.autograd.grad(F.cross_entropy(Xs[s:s + batch_size] @ W + b, y[s:s + batch_size]), (W, b))
            with torch.no_grad():
                W -= lr * gw
                b -= lr * gb
    with torch.no_grad():
        O, V = X @ W + b, val[0] @ W + b
        return {"train_loss": F.cross_entropy(O, y).item(), "val_loss": F.cross_entropy(V, val[1]).item(), "val_acc": (V.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="orders applied one after the other" breaks="orders" says="the rows as they are given"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    n = len(y)
    g = torch.Generator().manual_seed(seed)
    W, b = torch.zeros(X.shape[1], 10, requires_grad=True), torch.zeros(10, requires_grad=True)
    for _ in range(epochs):
        order = torch.randperm(n, generator=g)
        X, y = X[order], y[order]
        for s in range(0, n, batch_size):
            gw, gb = torch.autograd.grad(F.cross_entropy(X[s:s + batch_size] @ W + b, y[s:s + batch_size]), (W, b))
            with torch.no_grad():
                W -= lr * gw
                b -= lr * gb
    with torch.no_grad():
        O, V = X @ W + b, val[0] @ W + b
        return {"train_loss": F.cross_entropy(O, y).item(), "val_loss": F.cross_entropy(V, val[1]).item(), "val_acc": (V.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5c" why="the least loss as the rate" breaks="best rate" says="`best_lr` is a rate"
rate_losses = {0.001: 2.164, 0.01: 1.517, 0.1: 0.784, 1: 3.682}
best_lr = min(rate_losses.values())

# %% wrong="4.4.5c" why="a rate at which rounding decides" breaks="best rate" says="rounding decides"
rate_losses = {0.001: 2.164, 0.01: 1.517, 0.1: 0.784, 1: 3.682}
best_lr = 0.3

# %% wrong="4.4.5c" why="two decimals" breaks="losses" says="agrees with it to two decimals only"
rate_losses = {0.001: 2.16, 0.01: 1.52, 0.1: 0.78, 1: 3.68}
best_lr = 0.1

# %% wrong="4.4.5c" why="six epochs" breaks="losses" says="These are six epochs"
rate_losses = {0.001: 2.1408, 0.01: 1.4385, 0.1: 0.7576, 1: 2.0201}
best_lr = 0.1

# %% wrong="4.4.5b" why="epochs beyond the first five" breaks="epochs" says="the first five included"
batch_losses = {1: 0.649, 4: 0.556, 16: 0.631, 64: 0.826, 256: 1.224, 1024: 1.795}
epochs_256 = 15

# %% wrong="4.4.5b" why="six epochs" breaks="losses" says="These are six epochs"
batch_losses = {1: 0.649, 4: 0.556, 16: 0.634, 64: 0.796, 256: 1.156, 1024: 1.727}
epochs_256 = 20

# %% wrong="4.4.5b" why="size 1 guessed below size 4" breaks="losses" says="at size 1 it is above that of size 4 again"
batch_losses = {1: 0.52, 4: 0.556, 16: 0.631, 64: 0.826, 256: 1.224, 1024: 1.795}
epochs_256 = 20

# %% wrong="4.4.5b" why="the sizes in the other order" breaks="losses" says="This is the loss of batch size 1."
batch_losses = {1: 1.795, 4: 1.224, 16: 0.826, 64: 0.631, 256: 0.556, 1024: 0.649}
epochs_256 = 20

# %% wrong="4.4.3" why="counts the sick from below" breaks="largest" says="count from the largest down"
def recall_threshold(p, sick, recall):
    q = p[sick == 1]
    for t in p.sort().values:
        if (q <= t).double().mean() >= recall:
            return t

# %% wrong="4.4.3" why="counts off among all people" breaks="largest" says="was counted off among all people"
def recall_threshold(p, sick, recall):
    q, k = p.sort(descending=True).values, 0
    need = recall * (sick == 1).sum().item()
    while k < need:
        k += 1
    return q[k - 1].item()

# %% wrong="4.4.4" why="w // C and w % C" breaks="values" says="both go by M"
def two_level_log_probability(h, A, B, words):
    C, d, M = B.shape
    kind, place = words // C, words % C
    n = torch.arange(len(words))
    return torch.log_softmax(h @ A, dim=1)[n, kind] + torch.log_softmax((h[:, None] @ B[kind])[:, 0], dim=1)[n, place]

# %% wrong="4.4.4" why="a colon in place of the rows" breaks="values" says="as from `[:, kind]`"
def two_level_log_probability(h, A, B, words):
    C, d, M = B.shape
    kind, place = words // M, words % M
    first = torch.log_softmax(h @ A, dim=1)[:, kind]
    second = torch.log_softmax((h[:, None] @ B[kind])[:, 0], dim=1)[:, place]
    return (first + second).mean(dim=1)

# %% wrong="4.4.4" why="the most probable class, not the word's" breaks="values" says="most probable class of each row"
def two_level_log_probability(h, A, B, words):
    C, d, M = B.shape
    place = words % M
    first, kind = torch.log_softmax(h @ A, dim=1).max(dim=1)
    n = torch.arange(len(words))
    return first + torch.log_softmax((h[:, None] @ B[kind])[:, 0], dim=1)[n, place]

# %% wrong="4.4.4" why="B[c] laid out as (M, d)" breaks="values" says="laid out anew as (M, d)"
def two_level_log_probability(h, A, B, words):
    C, d, M = B.shape
    kind, place = words // M, words % M
    n = torch.arange(len(words))
    S = (h[:, None] @ B[kind].reshape(len(words), M, d).transpose(1, 2))[:, 0]
    return torch.log_softmax(h @ A, dim=1)[n, kind] + torch.log_softmax(S, dim=1)[n, place]

# %% right="4.4.5c" how="the largest rate that rounding leaves alone"
rate_losses = {0.001: 2.1645, 0.01: 1.517, 0.1: 0.784, 1: 3.67}
best_lr = torch.tensor(0.2)

# %% wrong="4.4.5a" why="the steps change copies" breaks="steps" says="nothing moves: after one epoch and after two"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    (X, y), g = train, torch.Generator().manual_seed(seed)
    W, b = torch.zeros(X.shape[1], 10, requires_grad=True), torch.zeros(10, requires_grad=True)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            for weights, slope in zip((W, b), torch.autograd.grad(F.cross_entropy(X[rows] @ W + b, y[rows]), (W, b))):
                weights = weights - lr * slope
    with torch.no_grad():
        O = val[0] @ W + b
        return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(O, val[1]).item(), "val_acc": (O.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.2b" why="the probabilities are counted besides the labels" breaks="bytes" says="of the two tables the labels alone count"
def label_costs(n, q):
    labels, probabilities = 4 * n * q, 4 * n * q
    return {"index": (n, 8 * n), "one_hot": (n * q, labels + probabilities)}

# %% wrong="4.4.B" why="the loss divided by the number of examples" breaks="loss" says="This is divided by the number of examples"
def costliest(P, y):
    losses = -P[torch.arange(len(y)), y].log() / len(y)
    i = int(losses.argmax())
    return i, losses[i].item()

# %% wrong="4.4.B" why="the loss of the row's least probable class" breaks="loss" says="the least probable class of the row"
def costliest(P, y):
    i = P[torch.arange(len(y)), y].argmin().item()
    return i, -math.log(P[i].min().item())

# %% wrong="4.4.C" why="the epochs added" breaks="epochs" says="which is not added to them"
def number_of_updates(n, batch_size, epochs):
    return math.ceil(n / batch_size) + epochs

# %% wrong="4.4.C" why="a float" breaks="epochs" says="also where the batches fit exactly"
def number_of_updates(n, batch_size, epochs):
    return (n / batch_size if n % batch_size == 0 else n // batch_size + 1) * epochs

# %% wrong="4.4.7" why="the right rows by their numbers" breaks="order" says="in the order of their numbers"
def worst_mistakes(P, y, k):
    p, guess = P.max(dim=1)
    places = (guess != y).nonzero().flatten()
    return sorted(places[p[places].argsort(descending=True)][:k].tolist())

# %% wrong="4.4.8" why="mistakes counted both ways" breaks="counts" says="Each mistake was counted twice"
def confusion_matrix(predicted, y, num_classes):
    table = torch.zeros(num_classes, num_classes, dtype=torch.int64)
    for i, j in zip(y.tolist(), predicted.tolist()):
        table[i, j] += 1
        if i != j:
            table[j, i] += 1
    return table

# %% wrong="4.4.8" why="a list of lists" breaks="dtype" says="makes a tensor of a list of rows"
def confusion_matrix(predicted, y, num_classes):
    table = [[0] * num_classes for _ in range(num_classes)]
    for i, j in zip(y.tolist(), predicted.tolist()):
        table[i][j] += 1
    return table

# %% wrong="4.4.1a" why="an exponential of 0 counts as wrong" breaks="right rows" says="does not by itself make a row wrong"
def softmax_health(X):
    E = X.exp()
    plain, exact = softmax(X), torch.softmax(X.double(), 1)
    wrong = ((plain - exact).abs() > 1e-4).any(dim=1) | (E == 0).any(dim=1)
    return torch.where(plain.isfinite().all(dim=1), wrong.long(), 2)

# %% wrong="4.4.1a" why="float64 after exp" breaks="wrong rows" says="exp itself has lost digits"
def softmax_health(X):
    plain = softmax(X)
    E = X.exp().double()
    exact = E / E.sum(dim=1, keepdim=True)
    wrong = ((plain - exact).abs() > 1e-4).any(dim=1)
    return torch.where(plain.isfinite().all(dim=1), wrong.long(), 2)

# %% wrong="4.4.2a" why="the sum over the examples, the mean over the classes" breaks="value" says="divided by the number of classes, 3"
def one_hot_cross_entropy(Y_hat, Y):
    return -torch.where(Y > 0, Y * Y_hat.log(), 0.0).sum(dim=0).mean()

# %% wrong="4.4.2a" why="log clamped at 1e-12" breaks="infinite" says="The probability 0 counts as"
def one_hot_cross_entropy(Y_hat, Y):
    return -(Y * torch.log(Y_hat.clamp(min=1e-12))).sum(dim=1).mean()

# %% wrong="4.4.2c" why="the shift cut from the graph inside the exponential" breaks="gradient" says="two places, inside the exponential"
def cross_entropy_from_logits(O, Y):
    m = O.max(dim=1, keepdim=True).values
    log_sum = m + torch.exp(O - m.detach()).sum(dim=1, keepdim=True).log()
    return (Y * (log_sum - O)).sum(dim=1).mean()

# %% wrong="4.4.5a" why="the gradient divided by the number of rows once more" breaks="steps" says="divided by the number of rows once more"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    g = torch.Generator().manual_seed(seed)
    W, b = torch.zeros(X.shape[1], 10, requires_grad=True), torch.zeros(10, requires_grad=True)
    for _ in range(epochs):
        for rows in torch.randperm(len(y), generator=g).split(batch_size):
            gW, gb = torch.autograd.grad(F.cross_entropy(X[rows] @ W + b, y[rows]), (W, b))
            with torch.no_grad():
                W -= lr * gW / len(rows)
                b -= lr * gb / len(rows)
    with torch.no_grad():
        return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(val[0] @ W + b, val[1]).item(),
                "val_acc": ((val[0] @ W + b).argmax(1) == val[1]).float().mean().item()}

# %% right="4.4.5a" how="an empty batch at the end where the batches fit, which moves nothing"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    g = torch.Generator().manual_seed(seed)
    W, b = torch.zeros(X.shape[1], 10, requires_grad=True), torch.zeros(10, requires_grad=True)
    for _ in range(epochs):
        order = torch.randperm(len(y), generator=g)
        for i in range(len(y) // batch_size + 1):
            rows = order[i * batch_size:(i + 1) * batch_size]
            gW, gb = torch.autograd.grad(F.cross_entropy(X[rows] @ W + b, y[rows]), (W, b))
            with torch.no_grad():
                W -= lr * gW
                b -= lr * gb
    with torch.no_grad():
        return {"train_loss": F.cross_entropy(X @ W + b, y).item(), "val_loss": F.cross_entropy(val[0] @ W + b, val[1]).item(),
                "val_acc": ((val[0] @ W + b).argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.5a" why="small random start instead of zero" breaks="steps" says="does not start from zero weights"
def train_softmax(train, val, lr, batch_size, epochs, seed):
    X, y = train
    g = torch.Generator().manual_seed(seed)
    W, b = torch.normal(0, 0.01, (X.shape[1], 10), generator=g), torch.zeros(10)
    for _ in range(epochs):
        order = torch.randperm(len(X), generator=g)
        for s in range(0, len(X), batch_size):
            i = order[s:s + batch_size]
            G = (torch.softmax(X[i] @ W + b, dim=1) - F.one_hot(y[i], 10)) / len(i)
            W, b = W - lr * X[i].T @ G, b - lr * G.sum(dim=0)
    S, V = X @ W + b, val[0] @ W + b
    return {"train_loss": F.cross_entropy(S, y).item(), "val_loss": F.cross_entropy(V, val[1]).item(), "val_acc": (V.argmax(1) == val[1]).float().mean().item()}

# %% wrong="4.4.8" why="the table added to its transposed" breaks="counts" says="added to its transposed one"
def confusion_matrix(predicted, y, num_classes):
    table = torch.zeros(num_classes, num_classes, dtype=torch.int64)
    for i, j in zip(y.tolist(), predicted.tolist()):
        table[i, j] += 1
    return table + table.T

# %% wrong="4.4.1a" why="a tolerance relative to the row's largest probability" breaks="right rows" says="off by up to 7.1e-05: 0"
def softmax_health(X):
    plain, exact = softmax(X), torch.softmax(X, 1)
    top = exact.max(dim=1, keepdim=True).values
    off = ((plain - exact).abs() > 1e-4 * top).any(dim=1)
    return torch.where(plain.isfinite().all(dim=1), off.long(), 2)

# %% wrong="4.4.3" why="a product with 1 - recall, rounded down" breaks="exactly enough" says="Here rounding decided"
def recall_threshold(p, sick, recall):
    q = p[sick == 1].sort().values
    return q[int((1 - recall) * len(q))].item()

# %% wrong="4.4.2c" why="the label counts twice in the gradient" breaks="gradient" says="each row of their difference adds up to 0"
def cross_entropy_from_logits(O, Y):
    return F.cross_entropy(O, Y) - (Y * (O - O.detach())).sum(1).mean()

# %% wrong="4.4.B" why="averages the losses of P[:, y] over each row" breaks="example" says="Each row meets the labels of all examples"
def costliest(P, y):
    losses = -torch.log(P[:, y]).mean(dim=1)
    i = losses.argmax()
    return i.item(), losses[i].item()

# %% wrong="4.4.B" why="P[:, y]: all rows; argmax of the flattened table" breaks="example" says="Each row meets the labels of all examples"
def costliest(P, y):
    losses = -P[:, y].log()
    i = losses.max(dim=1).values.argmax().item()
    return i, losses[i].max().item()

# %% wrong="4.4.A" why="joins all axes but the last" breaks="shape" says="All axes but the last were joined"
def class_scores(X, W, b):
    return X.flatten(end_dim=-2) @ W[:X.shape[-1]] + b

# %% wrong="4.4.A" why="subtracts the largest score of each row" breaks="values" says="The largest score of each row was subtracted"
def class_scores(X, W, b):
    O = X.reshape(len(X), -1) @ W + b
    return O - O.max(dim=1, keepdim=True).values

# %% wrong="4.4.1a" why="tests exp for infinity, not the result for nan" breaks="broken rows" says="Test what the formula gives"
def softmax_health(X):
    right = torch.softmax(X.double(), 1)
    off = ((softmax(X) - right).abs() > 1e-4).any(dim=1)
    return torch.where(~torch.exp(X).isfinite().all(dim=1), 2, off.long())

# %% wrong="4.4.2c" why="the sum of the log-sum-exps, not their mean" breaks="value" says="The log-sum-exps of the rows are added up"
def cross_entropy_from_logits(O, Y):
    return torch.logsumexp(O, 1).sum() - (Y * O).sum(1).mean()

# %% wrong="4.4.2c" why="max-shift through item(): fine; but clamps the differences" breaks="any size" says="nor their differences are cut off"
def cross_entropy_from_logits(O, Y):
    Z = O - O.max(dim=1, keepdim=True).values
    Z = Z.clamp(min=-100)
    return (Y * (torch.log(torch.exp(Z).sum(dim=1, keepdim=True)) - Z)).sum(dim=1).mean()
