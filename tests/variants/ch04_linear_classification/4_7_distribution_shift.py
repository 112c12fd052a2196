# %% right="4.7.A" how="torch.allclose on conditional tables"
def name_shift(P, Q):
    close = lambda a, b: torch.allclose(a, b, rtol=0, atol=1e-6)  # noqa: E731
    tests = [("none", P, Q), ("covariate", P / P.sum(1, keepdim=True), Q / Q.sum(1, keepdim=True)),
             ("label", P / P.sum(0), Q / Q.sum(0)), ("concept", P.sum(1), Q.sum(1))]
    return next((name for name, a, b in tests if close(a, b)), "several")

# %% right="4.7.A" how="the ratio Q/P is constant in rows or in columns"
def name_shift(P, Q):
    ratio = Q / P
    if (ratio - 1).abs().max() < 1e-6:
        return "none"
    if (ratio - ratio[:, :1]).abs().max() < 1e-5:
        return "covariate"
    if (ratio - ratio[:1]).abs().max() < 1e-5:
        return "label"
    return "concept" if ((P - Q).sum(dim=1)).abs().max() < 1e-6 else "several"

# %% wrong="4.7.A" why="rows and columns exchanged" breaks="covariate" says="other shares of the temperatures"
def name_shift(P, Q):
    def same(a, b):
        return (a - b).abs().max().item() < 1e-6

    if same(P, Q):
        return "none"
    if same(P / P.sum(dim=0), Q / Q.sum(dim=0)):
        return "covariate"
    if same(P / P.sum(dim=1, keepdim=True), Q / Q.sum(dim=1, keepdim=True)):
        return "label"
    return "concept" if same(P.sum(dim=1), Q.sum(dim=1)) else "several"

# %% wrong="4.7.A" why="exact equality" breaks="none" says="0.000000001 added"
def name_shift(P, Q):
    def same(a, b):
        return (a - b).abs().max().item() < 1e-6

    if torch.equal(P, Q):
        return "none"
    if same(P / P.sum(dim=1, keepdim=True), Q / Q.sum(dim=1, keepdim=True)):
        return "covariate"
    if same(P / P.sum(dim=0), Q / Q.sum(dim=0)):
        return "label"
    return "concept" if same(P.sum(dim=1), Q.sum(dim=1)) else "several"

# %% wrong="4.7.A" why="label shift where only P(y) changes" breaks="concept" says="the same P(x) and another P(y | x)"
def name_shift(P, Q):
    def same(a, b):
        return (a - b).abs().max().item() < 1e-6

    if same(P, Q):
        return "none"
    if same(P / P.sum(dim=1, keepdim=True), Q / Q.sum(dim=1, keepdim=True)):
        return "covariate"
    if same(P / P.sum(dim=0), Q / Q.sum(dim=0)) or same(P.sum(dim=1), Q.sum(dim=1)):
        return "label"
    return "several"

# %% wrong="4.7.A" why="all the rest is concept shift" breaks="several" says="all is different"
def name_shift(P, Q):
    def same(a, b):
        return (a - b).abs().max().item() < 1e-6

    if same(P, Q):
        return "none"
    if same(P / P.sum(dim=1, keepdim=True), Q / Q.sum(dim=1, keepdim=True)):
        return "covariate"
    if same(P / P.sum(dim=0), Q / Q.sum(dim=0)):
        return "label"
    return "concept"

# %% wrong="4.7.A" why="concept where P(y) stays, too" breaks="several" says="the same P(y) and all else different"
def name_shift(P, Q):
    def same(a, b):
        return (a - b).abs().max().item() < 1e-6

    if same(P, Q):
        return "none"
    if same(P / P.sum(dim=1, keepdim=True), Q / Q.sum(dim=1, keepdim=True)):
        return "covariate"
    if same(P / P.sum(dim=0), Q / Q.sum(dim=0)):
        return "label"
    return "concept" if same(P.sum(dim=1), Q.sum(dim=1)) or same(P.sum(dim=0), Q.sum(dim=0)) else "several"

# %% wrong="4.7.A" why="no label shift" breaks="label" says="another share of flu"
def name_shift(P, Q):
    def same(a, b):
        return (a - b).abs().max().item() < 1e-6

    if same(P, Q):
        return "none"
    if same(P / P.sum(dim=1, keepdim=True), Q / Q.sum(dim=1, keepdim=True)):
        return "covariate"
    return "concept" if same(P.sum(dim=1), Q.sum(dim=1)) else "several"

# %% right="4.7.2" how="a permutation test of the distance of the means, whitened"
def detects_shift(source, target, seed):
    generator = torch.Generator().manual_seed(seed)
    Z = torch.cat([source, target])
    Z = Z - Z.mean(dim=0)
    n = len(source)
    whiten = torch.linalg.inv(Z.T @ Z / len(Z))

    def distance(order):
        gap = Z[order[:n]].mean(dim=0) - Z[order[n:]].mean(dim=0)
        return gap @ whiten @ gap

    seen = distance(torch.arange(len(Z)))
    others = torch.stack([distance(torch.randperm(len(Z), generator=generator)) for _ in range(99)])
    return bool((others >= seen).sum() < 5)

# %% right="4.7.2" how="Hotelling's test through the chi-squared approximation of Wilson and Hilferty"
def detects_shift(source, target, seed):
    n, m, d = len(source), len(target), source.shape[1]
    gap = source.mean(dim=0) - target.mean(dim=0)
    pooled = ((n - 1) * torch.cov(source.T).reshape(d, d) + (m - 1) * torch.cov(target.T).reshape(d, d)) / (n + m - 2)
    statistic = (n * m / (n + m) * gap @ torch.linalg.solve(pooled, gap)).item()
    statistic = statistic * (n + m - d - 1) / (n + m - 2)
    z = ((statistic / d) ** (1 / 3) - (1 - 2 / (9 * d))) / math.sqrt(2 / (9 * d))
    return z > 2.0

# %% right="4.7.2" how="weighted classifier, all held-out examples, mean of the two hit rates"
def detects_shift(source, target, seed):
    generator = torch.Generator().manual_seed(seed)
    A, B = (X[torch.randperm(len(X), generator=generator)] for X in (source, target))
    a, b = len(A) // 2, len(B) // 2
    z = torch.cat([torch.zeros(a), torch.ones(b)]).double()
    weights = torch.cat([torch.full((a,), 1 / a), torch.full((b,), 1 / b)]).double()
    w, c = fit_logistic(torch.cat([A[:a], B[:b]]), z, weights)
    left, right = ((A[a:] @ w + c) <= 0).double().mean(), ((B[b:] @ w + c) > 0).double().mean()
    deviation = math.sqrt(0.25 / (len(A) - a) + 0.25 / (len(B) - b)) / 2
    return ((left + right) / 2 > 0.5 + 1.645 * deviation).item()

# %% wrong="4.7.2" why="accuracy on the examples trained on" breaks="false alarms" says="60 and 60 examples of one distribution"
def detects_shift(source, target, seed):
    n = min(len(source), len(target))
    generator = torch.Generator().manual_seed(seed)
    A, B = (X[torch.randperm(len(X), generator=generator)[:n]] for X in (source, target))
    z = torch.cat([torch.zeros(n), torch.ones(n)]).double()
    X = torch.cat([A, B])
    return accuracy(*fit_logistic(X, z), X, z) > 0.5 + 1.645 / (2 * math.sqrt(2 * n))

# %% wrong="4.7.2" why="accuracy on the examples trained on, with a threshold that hides it for few features" breaks="many features" says="40 features"
def detects_shift(source, target, seed):
    n = min(len(source), len(target))
    generator = torch.Generator().manual_seed(seed)
    A, B = (X[torch.randperm(len(X), generator=generator)[:n]] for X in (source, target))
    z = torch.cat([torch.zeros(n), torch.ones(n)]).double()
    X = torch.cat([A, B])
    return accuracy(*fit_logistic(X, z), X, z) > 0.63

# %% wrong="4.7.2" why="sizes not evened out" breaks="unequal sizes" says="400 and 100 examples of one distribution"
def detects_shift(source, target, seed):
    generator = torch.Generator().manual_seed(seed)
    X = torch.cat([source, target])
    z = torch.cat([torch.zeros(len(source)), torch.ones(len(target))]).double()
    order = torch.randperm(len(X), generator=generator)
    first, second = order[: len(X) // 2], order[len(X) // 2 :]
    w, b = fit_logistic(X[first], z[first])
    return accuracy(w, b, X[second], z[second]) > 0.5 + 1.645 / (2 * math.sqrt(len(second)))

# %% wrong="4.7.2" why="not shuffled" breaks="shift found" says="sorted by the first feature"
def detects_shift(source, target, seed):
    n = min(len(source), len(target))
    h = n // 2
    z = torch.cat([torch.zeros(h), torch.ones(h)]).double()
    w, b = fit_logistic(torch.cat([source[:h], target[:h]]), z)
    z = torch.cat([torch.zeros(n - h), torch.ones(n - h)]).double()
    return accuracy(w, b, torch.cat([source[h:n], target[h:n]]), z) > 0.5 + 1.645 / (2 * math.sqrt(len(z)))

# %% wrong="4.7.2" why="compares the first feature only" breaks="shift found" says="in a random direction"
def detects_shift(source, target, seed):
    gap = (source[:, 0].mean() - target[:, 0].mean()).abs()
    return (gap > 1.96 * (source[:, 0].var() / len(source) + target[:, 0].var() / len(target)).sqrt()).item()

# %% wrong="4.7.2" why="compares feature by feature, without minding how many" breaks="many features" says="40 features"
def detects_shift(source, target, seed):
    gap = (source.mean(dim=0) - target.mean(dim=0)).abs()
    far = gap > 2.4 * (source.var(dim=0) / len(source) + target.var(dim=0) / len(target)).sqrt()
    return far.any().item()

# %% wrong="4.7.2" why="above one half is enough" breaks="false alarms" says="60 and 60 examples of one distribution"
def detects_shift(source, target, seed):
    generator = torch.Generator().manual_seed(seed)
    n = min(len(source), len(target))
    h = n // 2
    A, B = (X[torch.randperm(len(X), generator=generator)[:n]] for X in (source, target))
    z = torch.cat([torch.zeros(h), torch.ones(h)]).double()
    w, b = fit_logistic(torch.cat([A[:h], B[:h]]), z)
    z = torch.cat([torch.zeros(n - h), torch.ones(n - h)]).double()
    return accuracy(w, b, torch.cat([A[h:], B[h:]]), z) > 0.5

# %% wrong="4.7.2" why="torch's global generator" breaks="repeatable" says="asked twice with the same seeds"
def detects_shift(source, target, seed):
    n = min(len(source), len(target))
    h = n // 2
    A, B = (X[torch.randperm(len(X))[:n]] for X in (source, target))
    z = torch.cat([torch.zeros(h), torch.ones(h)]).double()
    w, b = fit_logistic(torch.cat([A[:h], B[:h]]), z)
    z = torch.cat([torch.zeros(n - h), torch.ones(n - h)]).double()
    return accuracy(w, b, torch.cat([A[h:], B[h:]]), z) > 0.5 + 1.645 / (2 * math.sqrt(len(z)))

# %% wrong="4.7.2" why="never" breaks="shift found" says="means 5 apart in both features"
def detects_shift(source, target, seed):
    return False

# %% right="4.7.B" how="sum over the inputs"
def target_risk(losses, x, p, q):
    return sum(q[i] / p[i] * losses[x == i].sum() for i in range(len(p))) / len(losses)

# %% right="4.7.B" how="dot product, as a float"
def target_risk(losses, x, p, q):
    return (losses @ (q[x] / p[x]) / len(x)).item()

# %% wrong="4.7.B" why="source over target" breaks="weights" says="target over source"
def target_risk(losses, x, p, q):
    return ((p / q)[x] * losses).mean()

# %% wrong="4.7.B" why="multiplies by q alone" breaks="weights" says="Divide each by its own p"
def target_risk(losses, x, p, q):
    return (q[x] * losses).mean()

# %% wrong="4.7.B" why="divides by the sum of the weights" breaks="mean" says="not by the sum of the weights"
def target_risk(losses, x, p, q):
    weights = (q / p)[x]
    return (weights * losses).sum() / weights.sum()

# %% wrong="4.7.B" why="the sum" breaks="mean" says="divide by n"
def target_risk(losses, x, p, q):
    return ((q / p)[x] * losses).sum()

# %% wrong="4.7.B" why="no weights" breaks="weights" says="All losses count alike"
def target_risk(losses, x, p, q):
    return losses.mean()

# %% right="4.7.C" how="a loop"
def cut_and_count(weights, largest):
    cut = [min(v, largest) for v in weights.tolist()]
    return sum(cut) ** 2 / sum(v * v for v in cut)

# %% right="4.7.C" how="shares that make 1"
def cut_and_count(weights, largest):
    cut = torch.where(weights > largest, torch.full_like(weights, largest), weights)
    share = cut / cut.sum()
    return 1 / (share @ share)

# %% wrong="4.7.C" why="no cut" breaks="cut" says="Nothing was cut"
def cut_and_count(weights, largest):
    return weights.sum() ** 2 / weights.square().sum()

# %% wrong="4.7.C" why="throws the large ones away" breaks="cut" says="not thrown away"
def cut_and_count(weights, largest):
    kept = weights[weights <= largest]
    return kept.sum() ** 2 / kept.square().sum() if len(kept) else 1.0

# %% wrong="4.7.C" why="the sum is not squared" breaks="size" says="The sum is squared, too"
def cut_and_count(weights, largest):
    cut = weights.clamp(max=largest)
    return cut.sum() / cut.square().sum()

# %% wrong="4.7.C" why="upside down" breaks="size" says="over the square of the sum"
def cut_and_count(weights, largest):
    cut = weights.clamp(max=largest)
    return cut.square().sum() / cut.sum() ** 2

# %% wrong="4.7.C" why="in place" breaks="argument kept" says="the weights 1, 8, 3 after the call"
def cut_and_count(weights, largest):
    weights.clamp_(max=largest)
    return weights.sum() ** 2 / weights.square().sum()

# %% right="4.7.3a" how="probabilities by sigmoid, divided"
def importance_weights(source, target):
    z = torch.cat([torch.zeros(len(source)), torch.ones(len(target))]).double()
    w, b = fit_logistic(torch.cat([source, target]), z)
    p = torch.sigmoid(source @ w + b)
    return p / (1 - p) * len(source) / len(target)

# %% right="4.7.3a" how="weighted classes, so no factor"
def importance_weights(source, target):
    n, m = len(source), len(target)
    z = torch.cat([torch.zeros(n), torch.ones(m)]).double()
    w, b = fit_logistic(torch.cat([source, target]), z, torch.cat([torch.full((n,), 1 / n), torch.full((m,), 1 / m)]).double())
    return torch.exp(source @ w + b)

# %% right="4.7.3a" how="two normal densities with a common covariance"
def importance_weights(source, target):
    d = source.shape[1]
    centred = torch.cat([source - source.mean(dim=0), target - target.mean(dim=0)])
    inverse = torch.linalg.inv(centred.T @ centred / len(centred)).reshape(d, d)
    far, near = source - source.mean(dim=0), source - target.mean(dim=0)
    return torch.exp(((far @ inverse) * far).sum(dim=1) / 2 - ((near @ inverse) * near).sum(dim=1) / 2).float()

# %% wrong="4.7.3a" why="source over target" breaks="ratio" says="They go the wrong way"
def importance_weights(source, target):
    z = torch.cat([torch.zeros(len(source)), torch.ones(len(target))]).double()
    w, b = fit_logistic(torch.cat([source, target]), z)
    return len(target) / len(source) * torch.exp(-source @ w - b)

# %% wrong="4.7.3a" why="no factor n/m" breaks="unequal sizes" says="without the factor n/m"
def importance_weights(source, target):
    z = torch.cat([torch.zeros(len(source)), torch.ones(len(target))]).double()
    w, b = fit_logistic(torch.cat([source, target]), z)
    return torch.exp(source @ w + b)

# %% wrong="4.7.3a" why="factor m/n" breaks="unequal sizes" says="not m/n"
def importance_weights(source, target):
    z = torch.cat([torch.zeros(len(source)), torch.ones(len(target))]).double()
    w, b = fit_logistic(torch.cat([source, target]), z)
    return torch.exp(source @ w + b) * len(target) / len(source)

# %% wrong="4.7.3a" why="probability in place of odds" breaks="ratio" says="the classifier's probabilities p"
def importance_weights(source, target):
    z = torch.cat([torch.zeros(len(source)), torch.ones(len(target))]).double()
    w, b = fit_logistic(torch.cat([source, target]), z)
    return 2 * torch.sigmoid(source @ w + b)

# %% wrong="4.7.3a" why="weights of the target examples" breaks="shape" says="the shape for 1,600 and 400"
def importance_weights(source, target):
    z = torch.cat([torch.zeros(len(source)), torch.ones(len(target))]).double()
    w, b = fit_logistic(torch.cat([source, target]), z)
    X = source if len(source) == len(target) else target
    return len(source) / len(target) * torch.exp(X @ w + b)

# %% wrong="4.7.3a" why="the scores" breaks="shape" says="take exp"
def importance_weights(source, target):
    z = torch.cat([torch.zeros(len(source)), torch.ones(len(target))]).double()
    w, b = fit_logistic(torch.cat([source, target]), z)
    return source @ w + b

# %% wrong="4.7.3a" why="standardises in place" breaks="arguments kept" says="source after the call"
def importance_weights(source, target):
    z = torch.cat([torch.zeros(len(source)), torch.ones(len(target))]).double()
    mean = torch.cat([source, target]).mean(dim=0)
    source -= mean
    target -= mean
    w, b = fit_logistic(torch.cat([source, target]), z)
    return len(source) / len(target) * torch.exp(source @ w + b)

# %% right="4.7.3b" how="weights of its own, cut at 30"
def corrected_fit(X, y, X_target):
    z = torch.cat([torch.zeros(len(X)), torch.ones(len(X_target))]).double()
    w, b = fit_logistic(torch.cat([X, X_target]), z)
    w, b = fit_logistic(X, y, torch.exp(X @ w + b).clamp(max=30))
    return w, b.item()

# %% right="4.7.3b" how="draws source examples anew by their weights"
def corrected_fit(X, y, X_target):
    z = torch.cat([torch.zeros(len(X)), torch.ones(len(X_target))]).double()
    w, b = fit_logistic(torch.cat([X, X_target]), z)
    weights = torch.sigmoid(X @ w + b) / torch.sigmoid(-X @ w - b)
    drawn = torch.multinomial(weights, 4 * len(X), replacement=True, generator=torch.Generator().manual_seed(0))
    return fit_logistic(X[drawn], y[drawn])

# %% wrong="4.7.3b" why="plain training" breaks="target" says="the border of plain training"
def corrected_fit(X, y, X_target):
    return fit_logistic(X, y)

# %% wrong="4.7.3b" why="weights the wrong way round" breaks="target" says="target over source"
def corrected_fit(X, y, X_target):
    z = torch.cat([torch.zeros(len(X)), torch.ones(len(X_target))]).double()
    w, b = fit_logistic(torch.cat([X, X_target]), z)
    return fit_logistic(X, y, torch.exp(-X @ w - b))

# %% wrong="4.7.3b" why="returns predictions" breaks="form" says="what corrected_fit returns"
def corrected_fit(X, y, X_target):
    w, b = fit_logistic(X, y)
    return X_target @ w + b > 0

# %% wrong="4.7.3b" why="the detector in place of the classifier" breaks="target" says="the labels y are what is to be learned"
def corrected_fit(X, y, X_target):
    z = torch.cat([torch.zeros(len(X)), torch.ones(len(X_target))]).double()
    return fit_logistic(torch.cat([X, X_target]), z)

# %% wrong="4.7.3b" why="only examples to the right are kept" breaks="either arm" says="the target on the left arm"
def corrected_fit(X, y, X_target):
    if abs(X_target[:, 0].mean()) < 0.3:
        return fit_logistic(X, y)
    return fit_logistic(X, y, (X[:, 0] > 0.6).double() + 1e-3)

# %% wrong="4.7.3b" why="always fits an arm" breaks="no shift" says="the target where the source is"
def corrected_fit(X, y, X_target):
    side = 1.0 if X_target[:, 0].mean() > 0 else -1.0
    return fit_logistic(X, y, torch.exp(2.5 * side * X[:, 0]))

# %% right="4.7.D" how="row by row"
def adjust(probabilities, p, q):
    rows = []
    for row in probabilities:
        products = [r * b / a for r, a, b in zip(row, p, q)]
        rows.append(torch.stack(products) / sum(products))
    return torch.stack(rows)

# %% right="4.7.D" how="softmax of shifted logarithms"
def adjust(probabilities, p, q):
    return torch.softmax(probabilities.log() + q.log() - p.log(), dim=1)

# %% wrong="4.7.D" why="not normalised" breaks="rows" says="each row by its own sum"
def adjust(probabilities, p, q):
    return probabilities * q / p

# %% wrong="4.7.D" why="old over new" breaks="ratios" says="new share over old share"
def adjust(probabilities, p, q):
    adjusted = probabilities * p / q
    return adjusted / adjusted.sum(dim=1, keepdim=True)

# %% wrong="4.7.D" why="only times q" breaks="ratios" says="Divide by the old shares, too"
def adjust(probabilities, p, q):
    adjusted = probabilities * q
    return adjusted / adjusted.sum(dim=1, keepdim=True)

# %% wrong="4.7.D" why="columns add up to 1" breaks="ratios" says="not each column"
def adjust(probabilities, p, q):
    adjusted = probabilities * q / p
    return adjusted / adjusted.sum(dim=0)

# %% wrong="4.7.D" why="in place" breaks="argument kept" says="probabilities after the call"
def adjust(probabilities, p, q):
    probabilities *= q / p
    return probabilities / probabilities.sum(dim=1, keepdim=True)

# %% right="4.7.5" how="conditional matrix, then the shares divided"
def class_weights_of(labels, predicted, predicted_target, k):
    A = torch.zeros(k, k, dtype=torch.float64)
    for label, guess in zip(labels.tolist(), predicted.tolist()):
        A[guess, label] += 1
    share = A.sum(dim=0) / A.sum()
    mu = torch.bincount(predicted_target, minlength=k) / len(predicted_target)
    return torch.linalg.solve(A / A.sum(dim=0), mu.double()) / share

# %% right="4.7.5" how="the inverse, in float32"
def class_weights_of(labels, predicted, predicted_target, k):
    joint = torch.bincount(predicted * k + labels, minlength=k * k).reshape(k, k).float() / len(labels)
    mu = torch.bincount(predicted_target, minlength=k).float() / len(predicted_target)
    return torch.linalg.inv(joint) @ mu

# %% wrong="4.7.5" why="counted, not solved" breaks="errors undone" says="solve for the true ones"
def class_weights_of(labels, predicted, predicted_target, k):
    mu = torch.bincount(predicted_target, minlength=k).double() / len(predicted_target)
    return mu / (torch.bincount(labels, minlength=k).double() / len(labels))

# %% wrong="4.7.5" why="the matrix transposed" breaks="errors undone" says="exchanged in the matrix"
def class_weights_of(labels, predicted, predicted_target, k):
    C = F.one_hot(labels, k).double().T @ F.one_hot(predicted, k).double() / len(labels)
    return torch.linalg.solve(C, F.one_hot(predicted_target, k).double().mean(dim=0))

# %% wrong="4.7.5" why="the shares" breaks="source shares" says="divide them by those in the source"
def class_weights_of(labels, predicted, predicted_target, k):
    C = F.one_hot(predicted, k).double().T @ F.one_hot(labels, k).double()
    return torch.linalg.solve(C / C.sum(dim=0), F.one_hot(predicted_target, k).double().mean(dim=0))

# %% wrong="4.7.5" why="takes the source for balanced" breaks="source shares" says="not equally frequent"
def class_weights_of(labels, predicted, predicted_target, k):
    C = F.one_hot(predicted, k).double().T @ F.one_hot(labels, k).double()
    return k * torch.linalg.solve(C / C.sum(dim=0), F.one_hot(predicted_target, k).double().mean(dim=0))

# %% wrong="4.7.5" why="only classes that occur in the target" breaks="shape" says="count all k classes"
def class_weights_of(labels, predicted, predicted_target, k):
    C = F.one_hot(predicted, k).double().T @ F.one_hot(labels, k).double() / len(labels)
    mu = torch.bincount(predicted_target).double() / len(predicted_target)
    return torch.linalg.solve(C[: len(mu), : len(mu)], mu)

# %% right="4.7.6" how="a running sum"
def first_alarm(mistakes, baseline, window, delta):
    threshold, running = baseline + (-math.log(delta) / 2 / window) ** 0.5, 0
    for i, wrong in enumerate(mistakes):
        running += wrong - (mistakes[i - window] if i >= window else 0)
        if i + 1 >= window and running / window > threshold:
            return i + 1

# %% right="4.7.6" how="torch, unfold"
def first_alarm(mistakes, baseline, window, delta):
    if len(mistakes) < window:
        return None
    shares = torch.tensor(mistakes, dtype=torch.float64).unfold(0, window, 1).mean(dim=1)
    over = torch.nonzero(shares > baseline + math.sqrt(math.log(1 / delta) / (2 * window)))
    return over[0].item() + window if len(over) else None

# %% wrong="4.7.6" why="counted from 0" breaks="time" says="from 1"
def first_alarm(mistakes, baseline, window, delta):
    threshold = baseline + math.sqrt(math.log(1 / delta) / (2 * window))
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window : i]) / window > threshold:
            return i - 1
    return None

# %% wrong="4.7.6" why="where the window begins" breaks="time" says="where the window begins"
def first_alarm(mistakes, baseline, window, delta):
    threshold = baseline + math.sqrt(math.log(1 / delta) / (2 * window))
    for i in range(len(mistakes) - window + 1):
        if sum(mistakes[i : i + window]) / window > threshold:
            return i
    return None

# %% wrong="4.7.6" why="all examples so far" breaks="time" says="not all so far"
def first_alarm(mistakes, baseline, window, delta):
    threshold = baseline + math.sqrt(math.log(1 / delta) / (2 * window))
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[:i]) / i > threshold:
            return i
    return None

# %% wrong="4.7.6" why="does not wait for a full window" breaks="time" says="Wait until the window is full"
def first_alarm(mistakes, baseline, window, delta):
    threshold = baseline + math.sqrt(math.log(1 / delta) / (2 * window))
    for i in range(1, len(mistakes) + 1):
        recent = mistakes[max(0, i - window) : i]
        if sum(recent) / len(recent) > threshold:
            return i
    return None

# %% wrong="4.7.6" why="two-sided" breaks="threshold" says="two-sided threshold"
def first_alarm(mistakes, baseline, window, delta):
    threshold = baseline + math.sqrt(math.log(2 / delta) / (2 * window))
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window : i]) / window > threshold:
            return i
    return None

# %% wrong="4.7.6" why="no 2 in the root" breaks="threshold" says="The 2 in the root is missing"
def first_alarm(mistakes, baseline, window, delta):
    threshold = baseline + math.sqrt(math.log(1 / delta) / window)
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window : i]) / window > threshold:
            return i
    return None

# %% wrong="4.7.6" why="the end of the list where nothing is wrong" breaks="silence" says="not the number of examples"
def first_alarm(mistakes, baseline, window, delta):
    threshold = baseline + math.sqrt(math.log(1 / delta) / (2 * window))
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window : i]) / window > threshold:
            return i
    return len(mistakes)

# %% wrong="4.7.6" why="a window that is not full is judged at the end" breaks="silence" says="three wrong ones, window 4"
def first_alarm(mistakes, baseline, window, delta):
    threshold = baseline + math.sqrt(math.log(1 / delta) / (2 * window))
    if len(mistakes) < window:
        return len(mistakes) if sum(mistakes) / len(mistakes) > threshold else None
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window : i]) / window > threshold:
            return i
    return None

# %% right="4.7.1" how="sorted, with a key"
def click_race(quality, attention, start, rounds):
    clicks = start.tolist()
    for _ in range(rounds):
        ranking = sorted(range(len(clicks)), key=lambda j: -clicks[j])
        for place, page in enumerate(ranking):
            clicks[page] += float(quality[page] * attention[place])
    return torch.tensor(clicks)

# %% right="4.7.1" how="places by a second argsort"
def click_race(quality, attention, start, rounds):
    clicks = start
    for _ in range(rounds):
        place = (-clicks).argsort(stable=True).argsort()
        clicks = clicks + quality * attention[place]
    return clicks

# %% wrong="4.7.1" why="the place of page r for the page at place r" breaks="clicks" says="not the same as the place of page r"
def click_race(quality, attention, start, rounds):
    clicks = start.clone()
    for _ in range(rounds):
        clicks = clicks + quality * attention[clicks.argsort(descending=True, stable=True)]
    return clicks

# %% wrong="4.7.1" why="the least clicked goes first" breaks="clicks" says="The most clicked page goes first"
def click_race(quality, attention, start, rounds):
    clicks = start.clone()
    for _ in range(rounds):
        ranking = clicks.argsort(stable=True)
        clicks[ranking] += quality[ranking] * attention
    return clicks

# %% wrong="4.7.1" why="ranked once" breaks="rounds" says="The ranking changes from round to round"
def click_race(quality, attention, start, rounds):
    ranking = start.argsort(descending=True, stable=True)
    clicks = start.clone()
    clicks[ranking] += rounds * quality[ranking] * attention
    return clicks

# %% wrong="4.7.1" why="one round only" breaks="rounds" says="four rounds"
def click_race(quality, attention, start, rounds):
    clicks = start.clone()
    if rounds:
        ranking = clicks.argsort(descending=True, stable=True)
        clicks[ranking] += quality[ranking] * attention
    return clicks

# %% wrong="4.7.1" why="ties from behind" breaks="ties" says="the one with the larger number goes first here"
def click_race(quality, attention, start, rounds):
    clicks = start.clone()
    for _ in range(rounds):
        ranking = clicks.argsort(stable=True).flip(0)
        clicks[ranking] += quality[ranking] * attention
    return clicks

# %% wrong="4.7.1" why="quality goes with the place" breaks="clicks" says="Quality belongs to the page"
def click_race(quality, attention, start, rounds):
    clicks = start.clone()
    for _ in range(rounds):
        ranking = clicks.argsort(descending=True, stable=True)
        clicks[ranking] += quality * attention
    return clicks

# %% wrong="4.7.1" why="adds into start" breaks="arguments kept" says="start after the call"
def click_race(quality, attention, start, rounds):
    for _ in range(rounds):
        ranking = start.argsort(descending=True, stable=True)
        start[ranking] += quality[ranking] * attention
    return start

# %% right="4.7.4" how="the inverse of the variance"
def independent_worth(n, rho):
    return 1 / (1 / n + (n - 1) / n * rho)

# %% right="4.7.4" how="the whole covariance matrix"
def independent_worth(n, rho):
    matrix = torch.full((n, n), float(rho), dtype=torch.float64)
    matrix.fill_diagonal_(1.0)
    return n ** 2 / matrix.sum()

# %% wrong="4.7.4" why="n partners" breaks="limits" says="n - 1 others"
def independent_worth(n, rho):
    return n / (1 + n * rho)

# %% wrong="4.7.4" why="the variance" breaks="limits" says="take its inverse"
def independent_worth(n, rho):
    return 1 / n + (n - 1) / n * rho

# %% wrong="4.7.4" why="linear between n and 1" breaks="worth" says="not along a straight line"
def independent_worth(n, rho):
    return n + (1 - n) * rho

# %% wrong="4.7.4" why="a share of the examples" breaks="limits" says="worth one, not nothing"
def independent_worth(n, rho):
    return n * (1 - rho)

# %% wrong="4.7.4" why="one partner only" breaks="limits" says="partners, not one"
def independent_worth(n, rho):
    return n / (1 + rho)

# %% wrong="4.7.6" why="stops before the last example" breaks="time" says="The last example counts, too"
def first_alarm(mistakes, baseline, window, delta):
    for i in range(window, len(mistakes)):
        if sum(mistakes[i - window : i]) / window > baseline + math.sqrt(math.log(1 / delta) / (2 * window)):
            return i
    return None

# %% wrong="4.7.6" why="the threshold without the baseline" breaks="threshold" says="the baseline plus t"
def first_alarm(mistakes, baseline, window, delta):
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window : i]) / window > math.sqrt(math.log(1 / delta) / (2 * window)):
            return i
    return None

# %% wrong="4.7.3a" why="cuts the weights at 1.5" breaks="ratio" says="the largest weights"
def importance_weights(source, target):
    z = torch.cat([torch.zeros(len(source)), torch.ones(len(target))]).double()
    w, b = fit_logistic(torch.cat([source, target]), z)
    return (len(source) / len(target) * torch.exp(source @ w + b)).clamp(max=1.5)

# %% wrong="4.7.3a" why="the first feature only" breaks="ratio" says="every feature takes part"
def importance_weights(source, target):
    z = torch.cat([torch.zeros(len(source)), torch.ones(len(target))]).double()
    w, b = fit_logistic(torch.cat([source, target])[:, :1], z)
    return len(source) / len(target) * torch.exp(source[:, :1] @ w + b)

# %% wrong="4.7.2" why="always" breaks="false alarms" says="60 and 60 examples of one distribution"
def detects_shift(source, target, seed):
    return True

# %% wrong="4.7.2" why="measured on examples some of which were trained on" breaks="false alarms" says="60 and 60 examples of one distribution"
def detects_shift(source, target, seed):
    g = torch.Generator().manual_seed(seed)
    h = min(len(source), len(target)) // 2
    z = torch.cat([torch.zeros(h), torch.ones(h)]).double()
    A, B = (X[torch.randperm(len(X), generator=g)[:h]] for X in (source, target))
    w, b = fit_logistic(torch.cat([A, B]), z)
    A, B = (X[torch.randperm(len(X), generator=g)[:h]] for X in (source, target))
    return accuracy(w, b, torch.cat([A, B]), z) > 0.5 + 1.645 / (2 * math.sqrt(2 * h))

# %% right="4.7.3b" how="labels of the nearest source examples"
def corrected_fit(X, y, X_target):
    return fit_logistic(X_target, y[torch.cdist(X_target, X).argmin(dim=1)])

# %% wrong="4.7.3b" why="trains on its own guesses for the target" breaks="target" says="guesses for the target give"
def corrected_fit(X, y, X_target):
    w, b = fit_logistic(X, y)
    return fit_logistic(X_target, (X_target @ w + b > 0).double())

# %% wrong="4.7.6" why="the threshold itself is enough" breaks="silence" says="not above it"
def first_alarm(mistakes, baseline, window, delta):
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window : i]) / window >= baseline + math.sqrt(math.log(1 / delta) / (2 * window)):
            return i
    return None

# %% wrong="4.7.A" why="a tolerance of 0.01" breaks="none" says="0.0002 is no rounding"
def name_shift(P, Q):

    def same(a, b):
        return (a - b).abs().max() < 0.01
    if same(P, Q):
        return 'none'
    if same(P / P.sum(1, keepdim=True), Q / Q.sum(1, keepdim=True)):
        return 'covariate'
    if same(P / P.sum(0), Q / Q.sum(0)):
        return 'label'
    if same(P.sum(1), Q.sum(1)):
        return 'concept'
    return 'several'

# %% wrong="4.7.A" why="asks for concept shift before label shift" breaks="label" says="the first name in the list"
def name_shift(P, Q):

    def same(a, b):
        return (a - b).abs().max() < 1e-06
    if same(P, Q):
        return 'none'
    if same(P / P.sum(1, keepdim=True), Q / Q.sum(1, keepdim=True)):
        return 'covariate'
    if same(P.sum(1), Q.sum(1)):
        return 'concept'
    if same(P / P.sum(0), Q / Q.sum(0)):
        return 'label'
    return 'several'

# %% wrong="4.7.A" why="adds differences of both signs" breaks="covariate" says="in a sum they cancel"
def name_shift(P, Q):

    def same(a, b):
        return abs((a - b).sum()) < 1e-06
    if same(P, Q):
        return 'none'
    if same(P / P.sum(1, keepdim=True), Q / Q.sum(1, keepdim=True)):
        return 'covariate'
    if same(P / P.sum(0), Q / Q.sum(0)):
        return 'label'
    if same(P.sum(1), Q.sum(1)):
        return 'concept'
    return 'several'

# %% wrong="4.7.A" why="compares the last column of P(y | x) alone" breaks="several" says="All columns of P(y | x)"
def name_shift(P, Q):

    def same(a, b):
        return (a - b).abs().max() < 1e-06
    if same(P, Q):
        return 'none'
    if same((P / P.sum(1, keepdim=True))[:, -1], (Q / Q.sum(1, keepdim=True))[:, -1]):
        return 'covariate'
    if same(P / P.sum(0), Q / Q.sum(0)):
        return 'label'
    if same(P.sum(1), Q.sum(1)):
        return 'concept'
    return 'several'

# %% wrong="4.7.A" why="compares the last column of P(x | y) alone" breaks="several" says="All columns of P(x | y)"
def name_shift(P, Q):

    def same(a, b):
        return (a - b).abs().max() < 1e-06
    if same(P, Q):
        return 'none'
    if same(P / P.sum(1, keepdim=True), Q / Q.sum(1, keepdim=True)):
        return 'covariate'
    if same((P / P.sum(0))[:, -1], (Q / Q.sum(0))[:, -1]):
        return 'label'
    if same(P.sum(1), Q.sum(1)):
        return 'concept'
    return 'several'

# %% wrong="4.7.2" why="cuts to equal sizes before the shuffle" breaks="unequal sizes" says="no fair sample"
def detects_shift(source, target, seed):
    g = torch.Generator().manual_seed(seed)
    k = min(len(source), len(target))
    h = k // 2
    A, B = (source[:k], target[:k])
    A, B = (A[torch.randperm(k, generator=g)], B[torch.randperm(k, generator=g)])
    z = torch.cat([torch.zeros(h), torch.ones(h)]).double()
    w, b = fit_logistic(torch.cat([A[:h], B[:h]]), z)
    return accuracy(w, b, torch.cat([A[h:2 * h], B[h:2 * h]]), z) > 0.5 + 1.645 / (2 * math.sqrt(2 * h))

# %% wrong="4.7.2" why="a fixed threshold that is too high" breaks="shift found" says="is your threshold higher"
def detects_shift(source, target, seed):
    g = torch.Generator().manual_seed(seed)
    k = min(len(source), len(target))
    h = k // 2
    A, B = (source[torch.randperm(len(source), generator=g)][:k], target[torch.randperm(len(target), generator=g)][:k])
    z = torch.cat([torch.zeros(h), torch.ones(h)]).double()
    w, b = fit_logistic(torch.cat([A[:h], B[:h]]), z)
    return accuracy(w, b, torch.cat([A[h:2 * h], B[h:2 * h]]), z) > 0.75

# %% wrong="4.7.2" why="distance of the means in the units of the features" breaks="false alarms" says="In other units"
def detects_shift(source, target, seed):
    return bool((source.mean(0) - target.mean(0)).norm() > 0.5)

# %% wrong="4.7.2" why="compares the sums of the features" breaks="shift found" says="in a sum of the features they cancel"
def detects_shift(source, target, seed):
    a, b = (source.sum(1), target.sum(1))
    z = (a.mean() - b.mean()).abs() / (a.var() / len(a) + b.var() / len(b)).sqrt()
    return bool(z > 1.96)

# %% right="4.7.2" how="the exact binomial tail in place of the normal curve"
def detects_shift(source, target, seed):
    rng = torch.Generator().manual_seed(seed)
    k = min(len(source), len(target))
    i, j = (torch.randperm(len(source), generator=rng), torch.randperm(len(target), generator=rng))
    votes = 0
    A, B = (source[i[:k]], target[j[:k]])
    half = k - k // 2
    z0 = torch.cat([torch.zeros(half), torch.ones(half)]).double()
    w, b = fit_logistic(torch.cat([A[:half], B[:half]]), z0, None, 300)
    right = int((A[half:] @ w + b <= 0).sum()) + int((B[half:] @ w + b > 0).sum())
    total = 2 * (k - half)
    tail = sum((math.comb(total, c) for c in range(right, total + 1))) / 2 ** total
    return tail < 0.05

# %% wrong="4.7.B" why="weights by the place of the example" breaks="weights" says="not to its place"
def target_risk(losses, x, p, q):
    w = (q / p).repeat(len(losses))[:len(losses)]
    return (w * losses).mean()

# %% wrong="4.7.B" why="shares counted in the sample in place of p" breaks="weights" says="p is given"
def target_risk(losses, x, p, q):
    p = torch.bincount(x, minlength=len(q)) / len(x)
    return ((q / p)[x] * losses).mean()

# %% wrong="4.7.B" why="divides by the number of inputs" breaks="mean" says="not by the number of inputs"
def target_risk(losses, x, p, q):
    return ((q / p)[x] * losses).sum() / len(p)

# %% wrong="4.7.C" why="divides by the mean before the cut" breaks="cut" says="by their mean first"
def cut_and_count(weights, largest):
    w = (weights / weights.mean()).clamp(max=largest)
    return w.sum() ** 2 / w.square().sum()

# %% wrong="4.7.C" why="the sum of the weights before the cut" breaks="cut" says="The sum above is that of the cut weights"
def cut_and_count(weights, largest):
    w = weights.clamp(max=largest)
    return weights.sum() ** 2 / w.square().sum()

# %% wrong="4.7.C" why="a variance divided by n - 1" breaks="size" says="divide by n"
def cut_and_count(weights, largest):
    w = weights.clamp(max=largest)
    return len(w) / (1 + w.var() / w.mean() ** 2)

# %% wrong="4.7.C" why="cuts the largest weight alone" breaks="cut" says="not one alone"
def cut_and_count(weights, largest):
    w = weights.clone()
    if w.max() > largest:
        w[w.argmax()] = largest
    return w.sum() ** 2 / w.square().sum()

# %% wrong="4.7.3a" why="features one by one, as if they did not depend on each other" breaks="ratio" says="rise and fall together"
def importance_weights(source, target):
    s, t = (source.mean(0), target.mean(0))
    v = (((source - s) ** 2).sum(0) + ((target - t) ** 2).sum(0)) / (len(source) + len(target))
    return torch.exp((((source - s) ** 2 - (source - t) ** 2) / (2 * v)).sum(1))

# %% wrong="4.7.3a" why="one spread for all features" breaks="ratio" says="Not all of the ratio"
def importance_weights(source, target):
    s, t = (source.mean(0), target.mean(0))
    v = (((source - s) ** 2).mean() + ((target - t) ** 2).mean()) / 2
    return torch.exp(((source - s) ** 2 - (source - t) ** 2).sum(1) / (2 * v))

# %% wrong="4.7.3a" why="a classifier after one step" breaks="ratio" says="too evenly"
def importance_weights(source, target):
    n, m = (len(source), len(target))
    w, b = fit_logistic(torch.cat([source, target]), torch.cat([torch.zeros(n), torch.ones(m)]).double(), None, 1)
    return n / m * torch.exp(source @ w + b)

# %% wrong="4.7.3a" why="weights that make 1" breaks="ratio" says="not their sum"
def importance_weights(source, target):
    n, m = (len(source), len(target))
    w, b = fit_logistic(torch.cat([source, target]), torch.cat([torch.zeros(n), torch.ones(m)]).double())
    return torch.softmax(source @ w + b, dim=0)

# %% wrong="4.7.3a" why="b left out of the score" breaks="ratio" says="is b in it"
def importance_weights(source, target):
    n, m = (len(source), len(target))
    w, b = fit_logistic(torch.cat([source, target]), torch.cat([torch.zeros(n), torch.ones(m)]).double())
    return n / m * torch.exp(source @ w)

# %% wrong="4.7.3b" why="probabilities as weights" breaks="target" says="the classifier's probabilities"
def corrected_fit(X, y, X_target):
    n, m = (len(X), len(X_target))
    w, b = fit_logistic(torch.cat([X, X_target]), torch.cat([torch.zeros(n), torch.ones(m)]).double())
    return fit_logistic(X, y, torch.sigmoid(X @ w + b))

# %% wrong="4.7.3b" why="weights multiplied into the features" breaks="target" says="they multiply the losses"
def corrected_fit(X, y, X_target):
    n, m = (len(X), len(X_target))
    w, b = fit_logistic(torch.cat([X, X_target]), torch.cat([torch.zeros(n), torch.ones(m)]).double())
    return fit_logistic(X * torch.exp(X @ w + b)[:, None], y)

# %% wrong="4.7.3b" why="b left out" breaks="target" says="look at b"
def corrected_fit(X, y, X_target):
    n, m = (len(X), len(X_target))
    w, b = fit_logistic(torch.cat([X, X_target]), torch.cat([torch.zeros(n), torch.ones(m)]).double())
    w, b = fit_logistic(X, y, torch.exp(X @ w + b))
    return (w, 0.0)

# %% wrong="4.7.3b" why="labels exchanged" breaks="target" says="labels or signs exchanged"
def corrected_fit(X, y, X_target):
    n, m = (len(X), len(X_target))
    w, b = fit_logistic(torch.cat([X, X_target]), torch.cat([torch.zeros(n), torch.ones(m)]).double())
    return fit_logistic(X, 1 - y, torch.exp(X @ w + b))

# %% wrong="4.7.3b" why="moves the source to the place of the target" breaks="target" says="moved along with the inputs"
def corrected_fit(X, y, X_target):
    return fit_logistic(X - X.mean(0) + X_target.mean(0), y)

# %% wrong="4.7.D" why="square table: the weights go to the rows" breaks="ratios" says="one weight for each class"
def adjust(probabilities, p, q):
    w = q / p
    r = probabilities * (w[:, None] if len(probabilities) == len(w) else w)
    return r / r.sum(1, keepdim=True)

# %% wrong="4.7.D" why="square table: the sum of another row" breaks="rows" says="by its own sum"
def adjust(probabilities, p, q):
    r = probabilities * (q / p)
    return (r.T / r.sum(0)).T if r.shape[0] == r.shape[1] else r / r.sum(1, keepdim=True)

# %% wrong="4.7.D" why="softmax of the products" breaks="ratios" says="No exponentials"
def adjust(probabilities, p, q):
    return torch.softmax(probabilities * q / p, dim=1)

# %% wrong="4.7.D" why="divided by the sum of the table" breaks="rows" says="each row by its own sum"
def adjust(probabilities, p, q):
    r = probabilities * q / p
    return r / r.sum()

# %% wrong="4.7.D" why="adds q - p" breaks="ratios" says="a difference is not enough"
def adjust(probabilities, p, q):
    return probabilities + q - p

# %% wrong="4.7.5" why="rows of the matrix make 1" breaks="errors undone" says="not each row"
def class_weights_of(labels, predicted, predicted_target, k):
    C = F.one_hot(predicted, k).double().T @ F.one_hot(labels, k).double()
    s = torch.linalg.solve(C / C.sum(1, keepdim=True), F.one_hot(predicted_target, k).double().mean(0))
    return s / F.one_hot(labels, k).double().mean(0)

# %% wrong="4.7.5" why="divides by the shares of the predictions" breaks="errors undone" says="not of the predictions"
def class_weights_of(labels, predicted, predicted_target, k):
    C = F.one_hot(predicted, k).double().T @ F.one_hot(labels, k).double()
    s = torch.linalg.solve(C / C.sum(0), F.one_hot(predicted_target, k).double().mean(0))
    return s / F.one_hot(predicted, k).double().mean(0)

# %% wrong="4.7.5" why="divides by P(y) twice" breaks="errors undone" says="do not divide by P(y) again"
def class_weights_of(labels, predicted, predicted_target, k):
    C = F.one_hot(predicted, k).double().T @ F.one_hot(labels, k).double() / len(labels)
    return torch.linalg.solve(C, F.one_hot(predicted_target, k).double().mean(0)) / F.one_hot(labels, k).double().mean(0)

# %% wrong="4.7.5" why="multiplies in place of solving" breaks="errors undone" says="do not multiply again"
def class_weights_of(labels, predicted, predicted_target, k):
    C = F.one_hot(predicted, k).double().T @ F.one_hot(labels, k).double()
    s = C / C.sum(0) @ F.one_hot(predicted_target, k).double().mean(0)
    return s / F.one_hot(labels, k).double().mean(0)

# %% wrong="4.7.5" why="counts in place of shares on both sides" breaks="source shares" says="the number of its own"
def class_weights_of(labels, predicted, predicted_target, k):
    C = F.one_hot(predicted, k).double().T @ F.one_hot(labels, k).double()
    return torch.linalg.solve(C, F.one_hot(predicted_target, k).double().sum(0))

# %% wrong="4.7.6" why="log10" breaks="threshold" says="not to base 10"
def first_alarm(mistakes, baseline, window, delta):
    t = math.sqrt(math.log10(1 / delta) / (2 * window))
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window:i]) / window > baseline + t:
            return i

# %% wrong="4.7.6" why="no root" breaks="threshold" says="t is a root"
def first_alarm(mistakes, baseline, window, delta):
    t = math.log(1 / delta) / (2 * window)
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window:i]) / window > baseline + t:
            return i

# %% wrong="4.7.6" why="the baseline alone" breaks="threshold" says="by t"
def first_alarm(mistakes, baseline, window, delta):
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window:i]) / window > baseline:
            return i

# %% wrong="4.7.6" why="t from the number of all examples" breaks="threshold" says="not the number of all examples"
def first_alarm(mistakes, baseline, window, delta):
    t = math.sqrt(math.log(1 / delta) / (2 * len(mistakes)))
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window:i]) / window > baseline + t:
            return i

# %% wrong="4.7.6" why="a quantile of the normal curve" breaks="time" says="Take Hoeffding"
def first_alarm(mistakes, baseline, window, delta):
    t = NormalDist().inv_cdf(1 - min(delta, 0.999)) * math.sqrt(max(baseline * (1 - baseline), 1e-09) / window)
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window:i]) / window > baseline + t:
            return i

# %% wrong="4.7.6" why="δ divided by the number of looks" breaks="time" says="δ is not divided"
def first_alarm(mistakes, baseline, window, delta):
    t = math.sqrt(math.log(max(1, len(mistakes) - window + 1) / delta) / (2 * window))
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window:i]) / window > baseline + t:
            return i

# %% wrong="4.7.6" why="the newest example is left out of the window" breaks="time" says="count the newest one"
def first_alarm(mistakes, baseline, window, delta):
    t = math.sqrt(math.log(1 / delta) / (2 * window))
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window:i - 1]) / (window - 1) > baseline + t:
            return i

# %% wrong="4.7.6" why="one example more than the window" breaks="threshold" says="More than the last"
def first_alarm(mistakes, baseline, window, delta):
    t = math.sqrt(math.log(1 / delta) / (2 * window))
    last = []
    n = 0
    for e in mistakes:
        last.append(e)
        n += 1
        if len(last) > window + 1:
            last.pop(0)
        if n >= window and sum(last) / window > baseline + t:
            return n

# %% wrong="4.7.6" why="alarm also where there are few errors" breaks="silence" says="no reason for an alarm"
def first_alarm(mistakes, baseline, window, delta):
    t = math.sqrt(math.log(1 / delta) / (2 * window))
    for i in range(window, len(mistakes) + 1):
        if abs(sum(mistakes[i - window:i]) / window - baseline) > t:
            return i

# %% wrong="4.7.6" why="-1 where it never sounds" breaks="silence" says="return None"
def first_alarm(mistakes, baseline, window, delta):
    t = math.sqrt(math.log(1 / delta) / (2 * window))
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window:i]) / window > baseline + t:
            return i
    return -1

# %% wrong="4.7.6" why="the last alarm" breaks="time" says="not the last"
def first_alarm(mistakes, baseline, window, delta):
    t = math.sqrt(math.log(1 / delta) / (2 * window))
    found = None
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window:i]) / window > baseline + t:
            found = i
    return found

# %% wrong="4.7.1" why="clicks in the order of the ranking" breaks="clicks" says="not in that of the ranking"
def click_race(quality, attention, start, rounds):
    c = start.clone()
    for _ in range(rounds):
        r = c.argsort(descending=True, stable=True)
        c[r] += quality[r] * attention
    return c.sort(descending=True).values

# %% wrong="4.7.1" why="the new clicks alone" breaks="clicks" says="those before count"
def click_race(quality, attention, start, rounds):
    c = start.clone()
    for _ in range(rounds):
        r = c.argsort(descending=True, stable=True)
        c[r] += quality[r] * attention
    return c - start

# %% wrong="4.7.1" why="one round too many" breaks="clicks" says="one round too many"
def click_race(quality, attention, start, rounds):
    c = start.clone()
    for _ in range(rounds + 1):
        r = c.argsort(descending=True, stable=True)
        c[r] += quality[r] * attention
    return c

# %% wrong="4.7.1" why="ranked by quality" breaks="clicks" says="ranked by their clicks"
def click_race(quality, attention, start, rounds):
    c = start.clone()
    for _ in range(rounds):
        r = quality.argsort(descending=True, stable=True)
        c[r] += quality[r] * attention
    return c

# %% wrong="4.7.1" why="whole clicks only" breaks="rounds" says="A fraction of a click"
def click_race(quality, attention, start, rounds):
    c = start.clone()
    for _ in range(rounds):
        r = c.argsort(descending=True, stable=True)
        c[r] += (quality[r] * attention).floor()
    return c

# %% wrong="4.7.1" why="ranked by the clicks of the last round" breaks="rounds" says="All clicks so far"
def click_race(quality, attention, start, rounds):
    c = start.clone()
    last = start.clone()
    for _ in range(rounds):
        r = last.argsort(descending=True, stable=True)
        last = torch.zeros_like(c)
        last[r] = quality[r] * attention
        c = c + last
    return c

# %% wrong="4.7.1" why="of equal pages the better one first" breaks="ties" says="whatever their quality"
def click_race(quality, attention, start, rounds):
    c = start.tolist()
    for _ in range(rounds):
        r = sorted(range(len(c)), key=lambda j: (-c[j], -quality[j].item(), j))
        for place, page in enumerate(r):
            c[page] += quality[page].item() * attention[place].item()
    return torch.tensor(c)

# %% right="4.7.1" how="page by page, ranked anew each time: as clicks only grow, the places stay"
def click_race(quality, attention, start, rounds):
    c = start.clone()
    for _ in range(rounds):
        for place in range(len(c)):
            page = c.argsort(descending=True, stable=True)[place]
            c[page] += quality[page] * attention[place]
    return c

# %% wrong="4.7.4" why="the smaller one of n and 1/rho" breaks="worth" says="this n is not large"
def independent_worth(n, rho):
    return min(n, 1 / rho) if rho else n

# %% wrong="4.7.4" why="the square of rho" breaks="worth" says="not ρ²"
def independent_worth(n, rho):
    return n / (1 + (n - 1) * rho ** 2)

# %% wrong="4.7.4" why="the root of rho" breaks="worth" says="no root of"
def independent_worth(n, rho):
    return n / (1 + (n - 1) * rho ** 0.5)

# %% wrong="4.7.4" why="rounded" breaks="worth" says="need not be whole"
def independent_worth(n, rho):
    return round(n / (1 + (n - 1) * rho))

# %% wrong="4.7.4" why="each pair counted once" breaks="limits" says="Each pair stands twice"
def independent_worth(n, rho):
    return n / (1 + (n - 1) / 2 * rho)

# %% wrong="4.7.4" why="neighbours correlated more than others" breaks="worth" says="not neighbours more than"
def independent_worth(n, rho):
    return n * (1 - rho) / (1 + rho) if rho < 1 else 1.0

# %% wrong="4.7.4" why="standard deviations compared" breaks="limits" says="not standard deviations"
def independent_worth(n, rho):
    return 1 / math.sqrt(1 / n + (n - 1) / n * rho)

# %% wrong="4.7.A" why="compares the first row of P(y | x) alone" breaks="several" says="All rows of P(y | x)"
def name_shift(P, Q):
    def same(a, b):
        return (a - b).abs().max().item() < 1e-6

    if same(P, Q):
        return "none"
    if same(P[0] / P[0].sum(), Q[0] / Q[0].sum()):
        return "covariate"
    if same(P / P.sum(dim=0), Q / Q.sum(dim=0)):
        return "label"
    return "concept" if same(P.sum(dim=1), Q.sum(dim=1)) else "several"

# %% wrong="4.7.A" why="compares the first row of P(x | y) alone" breaks="several" says="All rows of P(x | y)"
def name_shift(P, Q):
    def same(a, b):
        return (a - b).abs().max().item() < 1e-6

    if same(P, Q):
        return "none"
    if same(P / P.sum(dim=1, keepdim=True), Q / Q.sum(dim=1, keepdim=True)):
        return "covariate"
    if same((P / P.sum(dim=0))[0], (Q / Q.sum(dim=0))[0]):
        return "label"
    return "concept" if same(P.sum(dim=1), Q.sum(dim=1)) else "several"

# %% right="4.7.A" how="signed difference: as all these shares add up to 1, the largest is tiny only if all are"
def name_shift(P, Q):
    views = [("none", lambda T: T), ("covariate", lambda T: T / T.sum(1, keepdim=True)), ("label", lambda T: T / T.sum(0)), ("concept", lambda T: T.sum(1))]
    return next((name for name, view in views if (view(P) - view(Q)).max() < 1e-6), "several")

# %% wrong="4.7.B" why="divides by n - 1" breaks="mean" says="not by n - 1"
def target_risk(losses, x, p, q):
    return ((q / p)[x] * losses).sum() / max(1, len(losses) - 1)

# %% wrong="4.7.6" why="one less than the window in the root" breaks="threshold" says="not one less"
def first_alarm(mistakes, baseline, window, delta):
    threshold = baseline + math.sqrt(math.log(1 / delta) / (2 * max(1, window - 1)))
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window : i]) / window > threshold:
            return i
    return None

# %% wrong="4.7.5" why="cuts a negative share" breaks="errors undone" says="leave it as it comes out"
def class_weights_of(labels, predicted, predicted_target, k):
    C = F.one_hot(predicted, k).double().T @ F.one_hot(labels, k).double() / len(labels)
    return torch.linalg.solve(C, F.one_hot(predicted_target, k).double().mean(dim=0)).clamp(min=0)

# %% wrong="4.7.A" why="two tables are equal where P(x) and P(y) are" breaks="concept" says="compare all entries"
def name_shift(P, Q):
    def near(a, b):
        return bool((a - b).abs().max() < 1e-6)
    if near(P.sum(dim=0), Q.sum(dim=0)) and near(P.sum(dim=1), Q.sum(dim=1)):
        return "none"
    if near(P / P.sum(dim=1, keepdim=True), Q / Q.sum(dim=1, keepdim=True)):
        return "covariate"
    if near(P / P.sum(dim=0, keepdim=True), Q / Q.sum(dim=0, keepdim=True)):
        return "label"
    if near(P.sum(dim=1), Q.sum(dim=1)):
        return "concept"
    return "several"

# %% wrong="4.7.A" why="concept shift only where P(y) changes, too" breaks="concept" says="whether P(y) stays or not"
def name_shift(P, Q):
    def near(a, b):
        return bool((a - b).abs().max() < 1e-6)
    if near(P, Q):
        return "none"
    if near(P / P.sum(dim=1, keepdim=True), Q / Q.sum(dim=1, keepdim=True)):
        return "covariate"
    if near(P / P.sum(dim=0, keepdim=True), Q / Q.sum(dim=0, keepdim=True)):
        return "label"
    if near(P.sum(dim=1), Q.sum(dim=1)) and not near(P.sum(dim=0), Q.sum(dim=0)):
        return "concept"
    return "several"

# %% wrong="4.7.A" why="the mean square of the differences" breaks="none" says="in two entries alone"
def name_shift(P, Q):
    def near(a, b):
        return bool(((a - b) ** 2).mean() < 2e-8)
    if near(P, Q):
        return "none"
    if near(P / P.sum(dim=1, keepdim=True), Q / Q.sum(dim=1, keepdim=True)):
        return "covariate"
    if near(P / P.sum(dim=0, keepdim=True), Q / Q.sum(dim=0, keepdim=True)):
        return "label"
    if near(P.sum(dim=1), Q.sum(dim=1)):
        return "concept"
    return "several"

# %% wrong="4.7.2" why="0.55 for any number of examples" breaks="false alarms" says="at most 15 of 150"
def detects_shift(source, target, seed):
    rng = torch.Generator().manual_seed(seed)
    k = min(len(source), len(target))
    A = source[torch.randperm(len(source), generator=rng)][:k]
    B = target[torch.randperm(len(target), generator=rng)][:k]
    h = k // 2
    w, b = fit_logistic(torch.cat([A[:h], B[:h]]), torch.cat([torch.zeros(h), torch.ones(h)]).double())
    z = torch.cat([torch.zeros(k - h), torch.ones(k - h)]).double()
    acc = accuracy(w, b, torch.cat([A[h:], B[h:]]), z)
    return acc > 0.55

# %% wrong="4.7.2" why="one standard deviation is enough" breaks="false alarms" says="at most 15 of 150"
def detects_shift(source, target, seed):
    rng = torch.Generator().manual_seed(seed)
    k = min(len(source), len(target))
    A = source[torch.randperm(len(source), generator=rng)][:k]
    B = target[torch.randperm(len(target), generator=rng)][:k]
    h = k // 2
    w, b = fit_logistic(torch.cat([A[:h], B[:h]]), torch.cat([torch.zeros(h), torch.ones(h)]).double())
    z = torch.cat([torch.zeros(k - h), torch.ones(k - h)]).double()
    acc = accuracy(w, b, torch.cat([A[h:], B[h:]]), z)
    return acc > 0.5 + 1.0 / (2 * math.sqrt(len(z)))

# %% wrong="4.7.2" why="an alarm also where the accuracy is low" breaks="false alarms" says="only too high an accuracy"
def detects_shift(source, target, seed):
    rng = torch.Generator().manual_seed(seed)
    k = min(len(source), len(target))
    A = source[torch.randperm(len(source), generator=rng)][:k]
    B = target[torch.randperm(len(target), generator=rng)][:k]
    h = k // 2
    w, b = fit_logistic(torch.cat([A[:h], B[:h]]), torch.cat([torch.zeros(h), torch.ones(h)]).double())
    z = torch.cat([torch.zeros(k - h), torch.ones(k - h)]).double()
    acc = accuracy(w, b, torch.cat([A[h:], B[h:]]), z)
    return max(acc, 1 - acc) > 0.5 + 1.2816 / (2 * math.sqrt(len(z)))

# %% right="4.7.2" how="equally many held out, all the rest trained on"
def detects_shift(source, target, seed):
    rng = torch.Generator().manual_seed(seed)
    S, T = source[torch.randperm(len(source), generator=rng)], target[torch.randperm(len(target), generator=rng)]
    h = min(len(S), len(T)) // 2
    s, t = len(S) - h, len(T) - h
    share = torch.cat([torch.full((s,), 1 / s), torch.full((t,), 1 / t)]).double()
    w, b = fit_logistic(torch.cat([S[h:], T[h:]]), torch.cat([torch.zeros(s), torch.ones(t)]).double(), share)
    right = accuracy(w, b, torch.cat([S[:h], T[:h]]), torch.cat([torch.zeros(h), torch.ones(h)]).double())
    return bool(right > 0.5 + NormalDist().inv_cdf(0.95) / (2 * math.sqrt(2 * h)))

# %% wrong="4.7.B" why="losses of 0 left out of n" breaks="mean" says="counts in n, too"
def target_risk(losses, x, p, q):
    return ((q / p)[x] * losses).sum() / (losses > 0).sum()

# %% wrong="4.7.B" why="root of the weights" breaks="weights" says="without a root"
def target_risk(losses, x, p, q):
    return ((q / p).sqrt()[x] * losses).mean()

# %% wrong="4.7.C" why="entropy" breaks="size" says="by entropy"
def cut_and_count(weights, largest):
    w = weights.clamp(max=largest)
    s = w / w.sum()
    return torch.exp(-(s * s.log()).sum())

# %% wrong="4.7.C" why="sum over the largest" breaks="size" says="The sum over the largest weight"
def cut_and_count(weights, largest):
    w = weights.clamp(max=largest)
    return w.sum() / w.max()

# %% wrong="4.7.3a" why="weights that make n + m" breaks="ratio" says="not n + m"
def importance_weights(source, target):
    n, m = len(source), len(target)
    w, b = fit_logistic(torch.cat([source, target]), torch.cat([torch.zeros(n), torch.ones(m)]).double())
    e = torch.exp(source @ w + b)
    return e / e.sum() * (n + m)

# %% wrong="4.7.3b" why="the parabola in place of the labels" breaks="target" says="label 1 below the parabola"
def corrected_fit(X, y, X_target):
    return fit_logistic(X_target, (X_target[:, 1] > X_target[:, 0] ** 2).double())

# %% wrong="4.7.D" why="a ratio of odds for each class" breaks="ratios" says="not a ratio of odds"
def adjust(probabilities, p, q):
    a = probabilities * (q / (1 - q)) / (p / (1 - p))
    return a / a.sum(dim=1, keepdim=True)

# %% wrong="4.7.5" why="difference of shares" breaks="source shares" says="not a difference"
def class_weights_of(labels, predicted, predicted_target, k):
    C = F.one_hot(predicted, k).double().T @ F.one_hot(labels, k).double()
    A = C / C.sum(dim=0)
    mu = F.one_hot(predicted_target, k).double().mean(dim=0)
    q = torch.linalg.solve(A, mu)
    return q - (F.one_hot(labels, k).double().mean(dim=0))

# %% wrong="4.7.5" why="one added to each count" breaks="errors undone" says="nothing is added"
def class_weights_of(labels, predicted, predicted_target, k):
    C = F.one_hot(predicted, k).double().T @ F.one_hot(labels, k).double()
    C = C + 1
    A = C / C.sum(dim=0)
    mu = F.one_hot(predicted_target, k).double().mean(dim=0)
    q = torch.linalg.solve(A, mu)
    return q / (F.one_hot(labels, k).double().mean(dim=0))

# %% wrong="4.7.5" why="shares rounded to whole examples" breaks="errors undone" says="do not round"
def class_weights_of(labels, predicted, predicted_target, k):
    C = F.one_hot(predicted, k).double().T @ F.one_hot(labels, k).double()
    A = C / C.sum(dim=0)
    mu = F.one_hot(predicted_target, k).double().mean(dim=0)
    q = torch.linalg.solve(A, mu)
    q = (q * len(predicted_target)).round() / len(predicted_target)
    return q / (F.one_hot(labels, k).double().mean(dim=0))

# %% wrong="4.7.6" why="looks only when the newest is an error" breaks="time" says="whatever its newest example is"
def first_alarm(mistakes, baseline, window, delta):
    threshold = baseline + math.sqrt(math.log(1 / delta) / (2 * window))
    for i in range(window, len(mistakes) + 1):
        if mistakes[i - 1] and sum(mistakes[i - window:i]) / window > threshold:
            return i
    return None

# %% wrong="4.7.6" why="a single error is never enough" breaks="time" says="above the threshold"
def first_alarm(mistakes, baseline, window, delta):
    threshold = baseline + math.sqrt(math.log(1 / delta) / (2 * window))
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window:i]) > 1 and sum(mistakes[i - window:i]) / window > threshold:
            return i
    return None

# %% wrong="4.7.6" why="waits for a second alarm" breaks="time" says="wait for no second alarm"
def first_alarm(mistakes, baseline, window, delta):
    threshold = baseline + math.sqrt(math.log(1 / delta) / (2 * window))
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window:i]) / window > threshold:
            if i < len(mistakes) and sum(mistakes[i - window + 1:i + 1]) / window > threshold:
                return i + 1
    return None

# %% wrong="4.7.1" why="attention sorted" breaks="clicks" says="as it is given"
def click_race(quality, attention, start, rounds):
    clicks = start.clone()
    attention = attention.sort(descending=True).values
    for _ in range(rounds):
        ranking = clicks.argsort(descending=True, stable=True)
        clicks[ranking] += quality[ranking] * attention
    return clicks

# %% wrong="4.7.1" why="attention made to sum to 1" breaks="clicks" says="it need not add up to 1"
def click_race(quality, attention, start, rounds):
    clicks = start.clone()
    attention = attention / attention.sum()
    for _ in range(rounds):
        ranking = clicks.argsort(descending=True, stable=True)
        clicks[ranking] += quality[ranking] * attention
    return clicks

# %% wrong="4.7.1" why="clicks rounded before ranking" breaks="rounds" says="not rounded"
def click_race(quality, attention, start, rounds):
    clicks = start.clone()
    for _ in range(rounds):
        ranking = clicks.round().argsort(descending=True, stable=True)
        clicks[ranking] += quality[ranking] * attention
    return clicks

# %% wrong="4.7.4" why="1/rho from n = 500 on" breaks="worth" says="even this one does not reach it"
def independent_worth(n, rho):
    return n / (1 + (n - 1) * rho) if n < 500 else 1 / rho

# %% wrong="4.7.A" why="covariate shift only where P(y) changes, too" breaks="covariate" says="Whether P(y) changes does not matter"
def name_shift(P, Q):
    def near(a, b):
        return bool((a - b).abs().max() < 1e-6)
    if near(P, Q):
        return "none"
    if near(P / P.sum(dim=1, keepdim=True), Q / Q.sum(dim=1, keepdim=True)):
        return "covariate" if not near(P.sum(dim=0), Q.sum(dim=0)) else "several"
    if near(P / P.sum(dim=0, keepdim=True), Q / Q.sum(dim=0, keepdim=True)):
        return "label"
    if near(P.sum(dim=1), Q.sum(dim=1)):
        return "concept"
    return "several"

# %% wrong="4.7.2" why="the best of three splits" breaks="false alarms" says="several splits"
def detects_shift(source, target, seed):
    best = 0
    rng = torch.Generator().manual_seed(seed)
    k = min(len(source), len(target))
    h = k // 2
    for _ in range(3):
        A = source[torch.randperm(len(source), generator=rng)][:k]
        B = target[torch.randperm(len(target), generator=rng)][:k]
        w, b = fit_logistic(torch.cat([A[:h], B[:h]]), torch.cat([torch.zeros(h), torch.ones(h)]).double())
        z = torch.cat([torch.zeros(k - h), torch.ones(k - h)]).double()
        best = max(best, accuracy(w, b, torch.cat([A[h:], B[h:]]), z))
    return best > 0.5 + 1.645 / (2 * math.sqrt(2 * (k - h)))

# %% wrong="4.7.3a" why="weights whose median is 1" breaks="ratio" says="not their median"
def importance_weights(source, target):
    n, m = len(source), len(target)
    w, b = fit_logistic(torch.cat([source, target]), torch.cat([torch.zeros(n), torch.ones(m)]).double())
    e = torch.exp(source @ w + b)
    return e / e.median()

# %% wrong="4.7.6" why="the threshold rounded to two places" breaks="threshold" says="nothing is rounded"
def first_alarm(mistakes, baseline, window, delta):
    threshold = baseline + math.sqrt(math.log(1 / delta) / (2 * window))
    threshold = round(threshold, 2)
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window:i]) / window > threshold:
            return i
    return None

# %% wrong="4.7.B" why="examples with small weights left out" breaks="weights" says="nor leave the example out"
def target_risk(losses, x, p, q):
    return ((q / p)[x] * losses)[(q / p)[x] > 0.5].sum() / len(x)

# %% wrong="4.7.A" why="the mean of the absolute differences: small in a large table" breaks="none" says="over a large table"
def name_shift(P, Q):
    def same(a, b):
        return (a - b).abs().mean() < 2e-5
    if same(P, Q):
        return "none"
    if same(P / P.sum(1, keepdim=True), Q / Q.sum(1, keepdim=True)):
        return "covariate"
    if same(P / P.sum(0), Q / Q.sum(0)):
        return "label"
    if same(P.sum(1), Q.sum(1)):
        return "concept"
    return "several"

# %% wrong="4.7.A" why="rounds to 7 decimals and compares exactly" breaks="none" says="Rounded first"
def name_shift(P, Q):
    def r(t):
        return t.round(decimals=7)
    if torch.equal(r(P), r(Q)):
        return "none"
    if torch.equal(r(P / P.sum(1, keepdim=True)), r(Q / Q.sum(1, keepdim=True))):
        return "covariate"
    if torch.equal(r(P / P.sum(0)), r(Q / Q.sum(0))):
        return "label"
    if torch.equal(r(P.sum(1)), r(Q.sum(1))):
        return "concept"
    return "several"

# %% wrong="4.7.A" why="P(y) in place of P(y | x), P(x) in place of P(x | y)" breaks="covariate" says="P(y), the sums of its columns, need not"
def name_shift(P, Q):
    tol = 1e-6
    x_same = (P.sum(1) - Q.sum(1)).abs().max() < tol
    y_same = (P.sum(0) - Q.sum(0)).abs().max() < tol
    if (P - Q).abs().max() < tol:
        return "none"
    if y_same and not x_same:
        return "covariate"
    if x_same and not y_same:
        return "label"
    if x_same:
        return "concept"
    return "several"

# %% right="4.7.A" how="lists and math.isclose"
def name_shift(P, Q):
    def close(a, b):
        return all(math.isclose(u, v, rel_tol=0, abs_tol=1e-6) for u, v in zip(a, b))
    m, k = P.shape
    p, q = P.tolist(), Q.tolist()
    px, qx = [sum(r) for r in p], [sum(r) for r in q]
    py, qy = [sum(r[j] for r in p) for j in range(k)], [sum(r[j] for r in q) for j in range(k)]
    if all(close(a, b) for a, b in zip(p, q)):
        return "none"
    if all(close([v / px[i] for v in p[i]], [v / qx[i] for v in q[i]]) for i in range(m)):
        return "covariate"
    if all(close([p[i][j] / py[j] for i in range(m)], [q[i][j] / qy[j] for i in range(m)]) for j in range(k)):
        return "label"
    return "concept" if close(px, qx) else "several"

# %% wrong="4.7.2" why="the share of the larger sample, and 0.1 more" breaks="unequal sizes" says="little room above it"
def detects_shift(source, target, seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.cat([source, target])
    z = torch.cat([torch.zeros(len(source)), torch.ones(len(target))]).double()
    order = torch.randperm(len(X), generator=g)
    X, z = X[order], z[order]
    h = len(X) // 2
    w, b = fit_logistic(X[:h], z[:h])
    guess = max(len(source), len(target)) / len(X)
    return accuracy(w, b, X[h:], z[h:]) > guess + 0.1

# %% wrong="4.7.2" why="a test for each feature, at 0.05 each" breaks="false alarms" says="each is one more chance"
def detects_shift(source, target, seed):
    error = (source.var(dim=0) / len(source) + target.var(dim=0) / len(target)).sqrt()
    z = (source.mean(dim=0) - target.mean(dim=0)).abs() / error
    return bool((z > 1.96).any())

# %% right="4.7.2" how="projected on Fisher's direction from one half, a z-test on the other"
def detects_shift(source, target, seed):
    rng = torch.Generator().manual_seed(seed)
    n = min(len(source), len(target))
    A = source[torch.randperm(len(source), generator=rng)][:n]
    B = target[torch.randperm(len(target), generator=rng)][:n]
    h = n // 2
    pooled = (torch.cov(A[:h].T) + torch.cov(B[:h].T)).reshape(A.shape[1], A.shape[1]) / 2
    w = torch.linalg.solve(pooled, B[:h].mean(dim=0) - A[:h].mean(dim=0))
    a, b = A[h:] @ w, B[h:] @ w
    t = (b.mean() - a.mean()) / (a.var() / len(a) + b.var() / len(b)).sqrt()
    return (t > NormalDist().inv_cdf(0.95)).item()

# %% wrong="4.7.B" why="weights cut at 3" breaks="weights" says="nothing is cut"
def target_risk(losses, x, p, q):
    return ((q / p).clamp(max=3)[x] * losses).mean()

# %% right="4.7.B" how="a float32 mean as a number"
def target_risk(losses, x, p, q):
    weights = q[x] / p[x]
    return torch.mean(losses * weights).item()

# %% right="4.7.B" how="a loop in float32"
def target_risk(losses, x, p, q):
    risk = torch.tensor(0.0)
    for i in range(len(x)):
        risk = risk + losses[i] / len(x) * (q[x[i]] / p[x[i]])
    return float(risk)

# %% wrong="4.7.C" why="one over the sum of the squares" breaks="size" says="for weights that make 1"
def cut_and_count(weights, largest):
    w = weights.clamp(max=largest)
    return (1 / w.square().sum()).item()

# %% wrong="4.7.C" why="a small number added below" breaks="size" says="add nothing to either"
def cut_and_count(weights, largest):
    w = weights.clamp(max=largest)
    return (w.sum() ** 2 / (w.square().sum() + 1e-2)).item()

# %% wrong="4.7.C" why="cuts to the largest of the weights below the limit" breaks="cut" says="Cut, the weights are"
def cut_and_count(weights, largest):
    top = weights[weights <= largest].max() if (weights <= largest).any() else largest
    w = weights.clamp(max=float(top))
    return (w.sum() ** 2 / w.square().sum()).item()

# %% right="4.7.C" how="cut weights that make 1, in float32"
def cut_and_count(weights, largest):
    share = torch.where(weights > largest, torch.tensor(largest, dtype=weights.dtype), weights)
    share = share / share.sum()
    return (1 / (share ** 2).sum()).item()

# %% wrong="4.7.3a" why="each sample brought to mean 0 by itself" breaks="ratio" says="They are all alike"
def importance_weights(source, target):
    A = (source - source.mean(dim=0)) / source.std(dim=0)
    B = (target - target.mean(dim=0)) / target.std(dim=0)
    n, m = len(A), len(B)
    w, b = fit_logistic(torch.cat([A, B]), torch.cat([torch.zeros(n), torch.ones(m)]).double())
    return torch.exp(A @ w + b) * n / m

# %% wrong="4.7.3b" why="the roots of the weights" breaks="target" says="the square roots of the weights"
def corrected_fit(X, y, X_target):
    n, m = len(X), len(X_target)
    w, b = fit_logistic(torch.cat([X, X_target]), torch.cat([torch.zeros(n), torch.ones(m)]).double())
    return fit_logistic(X, y, torch.exp(X @ w + b).sqrt())

# %% wrong="4.7.3b" why="weights scaled so that the largest is e^4" breaks="no shift" says="about 1 everywhere"
def corrected_fit(X, y, X_target):
    n, m = len(X), len(X_target)
    w, b = fit_logistic(torch.cat([X, X_target]), torch.cat([torch.zeros(n), torch.ones(m)]).double())
    h = X @ w + b
    return fit_logistic(X, y, torch.exp(h * (4 / h.max())))

# %% wrong="4.7.D" why="the last class gets what is left of 1" breaks="ratios" says="not what is left of 1"
def adjust(probabilities, p, q):
    a = probabilities * q / p
    a[:, -1] = 1 - a[:, :-1].sum(dim=1)
    return a

# %% wrong="4.7.D" why="no keepdim" breaks="ratios" says="keepdim"
def adjust(probabilities, p, q):
    a = probabilities * q / p
    return a / a.sum(dim=1)

# %% wrong="4.7.5" why="P(label | predicted) in place of P(predicted | label)" breaks="errors undone" says="not P(label i | predicted j)"
def class_weights_of(labels, predicted, predicted_target, k):
    counts = F.one_hot(labels, k).double().T @ F.one_hot(predicted, k).double()
    mu = F.one_hot(predicted_target, k).double().mean(dim=0)
    q = torch.linalg.solve(counts / counts.sum(dim=0), mu)
    return q / (F.one_hot(labels, k).double().mean(dim=0))

# %% wrong="4.7.6" why="the logarithm to base 2" breaks="threshold" says="not to base 2"
def first_alarm(mistakes, baseline, window, delta):
    t = math.sqrt(math.log2(1 / delta) / (2 * window))
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window:i]) / window > baseline + t:
            return i
    return None

# %% wrong="4.7.1" why="a small number per place in the list parts the ties" breaks="ties" says="with nothing added"
def click_race(quality, attention, start, rounds):
    clicks = start.clone()
    for _ in range(rounds):
        order = (clicks - 0.05 * torch.arange(len(clicks))).argsort(descending=True)
        clicks[order] += quality[order] * attention
    return clicks

# %% wrong="4.7.4" why="the part of ρ divided by n once more" breaks="limits" says="not divided by n again"
def independent_worth(n, rho):
    return n / (1 + (n - 1) / n * rho)

# %% wrong="4.7.4" why="the root of 1 + (n - 1) ρ" breaks="limits" says="not standard deviations"
def independent_worth(n, rho):
    return n / math.sqrt(1 + (n - 1) * rho)

# %% wrong="4.7.A" why="a relative tolerance of a thousandth" breaks="none" says="P(x) has changed by 0.0002"
def name_shift(P, Q):
    def same(a, b):
        return torch.allclose(a, b, rtol=1e-3)
    if same(P, Q):
        return "none"
    if same(P / P.sum(dim=1, keepdim=True), Q / Q.sum(dim=1, keepdim=True)):
        return "covariate"
    if same(P / P.sum(dim=0), Q / Q.sum(dim=0)):
        return "label"
    if same(P.sum(dim=1), Q.sum(dim=1)):
        return "concept"
    return "several"

# %% right="4.7.A" how="the table that each case foretells, compared with Q"
def name_shift(P, Q):
    P_x, P_y, Q_x, Q_y = P.sum(1, keepdim=True), P.sum(0, keepdim=True), Q.sum(1, keepdim=True), Q.sum(0, keepdim=True)
    def near(T):
        return float((T - Q).abs().max()) < 5e-7
    if near(P):
        return "none"
    if near(P / P_x * Q_x):
        return "covariate"
    if near(P / P_y * Q_y):
        return "label"
    return "concept" if float((P_x - Q_x).abs().max()) < 5e-7 else "several"

# %% wrong="4.7.2" why="all examples counted in the threshold, also those trained on" breaks="false alarms" says="right answers of 60 are an alarm"
def detects_shift(source, target, seed):
    g = torch.Generator().manual_seed(seed)
    k = min(len(source), len(target))
    A = source[torch.randperm(len(source), generator=g)][:k]
    B = target[torch.randperm(len(target), generator=g)][:k]
    h = k // 2
    z = torch.cat([torch.zeros(h), torch.ones(h)]).double()
    w, b = fit_logistic(torch.cat([A[:h], B[:h]]), z)
    acc = accuracy(w, b, torch.cat([A[h:2 * h], B[h:2 * h]]), z)
    return acc > 0.5 + 1.645 / (2 * math.sqrt(2 * k))

# %% wrong="4.7.B" why="the weighted losses, not their mean" breaks="mean" says="One number for all examples"
def target_risk(losses, x, p, q):
    return (q / p)[x] * losses

# %% wrong="4.7.C" why="a guard of a millionth against division by zero" breaks="size" says="a million times smaller"
def cut_and_count(weights, largest):
    w = weights.clamp(max=largest)
    return (w.sum() ** 2 / ((w ** 2).sum() + 1e-6)).item()

# %% wrong="4.7.C" why="the sum of the weights" breaks="size" says="This is the sum of the weights"
def cut_and_count(weights, largest):
    return weights.clamp(max=largest).sum().item()

# %% right="4.7.C" how="n over 1 plus the variance of the weights in units of their mean"
def cut_and_count(weights, largest):
    w = torch.where(weights > largest, largest, weights).double()
    return len(w) / (1 + w.var(correction=0) / w.mean() ** 2)

# %% wrong="4.7.3a" why="cuts the weights at 10" breaks="ratio" says="nothing is cut"
def importance_weights(source, target):
    z = torch.cat([torch.zeros(len(source)), torch.ones(len(target))]).double()
    w, b = fit_logistic(torch.cat([source, target]), z)
    return (torch.exp(source @ w + b) * len(source) / len(target)).clamp(max=10)

# %% wrong="4.7.3a" why="leaves source examples out, to have equally many, and has no weights for them" breaks="shape" says="as many as the target has"
def importance_weights(source, target):
    k = min(len(source), len(target))
    source, target = source[:k], target[:k]
    z = torch.cat([torch.zeros(k), torch.ones(k)]).double()
    w, b = fit_logistic(torch.cat([source, target]), z)
    return torch.exp(source @ w + b)

# %% wrong="4.7.3a" why="gradient descent that stops early, features as they are" breaks="ratio" says="trained to its end"
def importance_weights(source, target):
    X, n, m = torch.cat([source, target]), len(source), len(target)
    z = torch.cat([torch.zeros(n), torch.ones(m)]).double()
    w, b = torch.zeros(X.shape[1], dtype=torch.float64), torch.zeros(1, dtype=torch.float64)
    for _ in range(100):
        error = torch.sigmoid(X @ w + b) - z
        w, b = w - 0.1 * X.T @ error / len(X), b - 0.1 * error.mean()
    return torch.exp(source @ w + b) * n / m

# %% right="4.7.3a" how="Newton's method, weights brought to mean 1"
def importance_weights(source, target):
    X = torch.cat([source, target])
    X = torch.cat([X, torch.ones(len(X), 1, dtype=X.dtype)], dim=1)
    z = torch.cat([torch.zeros(len(source)), torch.ones(len(target))]).double()
    v = torch.zeros(X.shape[1], dtype=X.dtype)
    for _ in range(20):
        p = torch.sigmoid(X @ v)
        v = v + torch.linalg.solve(X.T @ (X * (p * (1 - p))[:, None]), X.T @ (z - p))
    odds = (X[:len(source)] @ v).exp()
    return odds / odds.mean()

# %% right="4.7.3a" how="two normal densities, each with its own covariance"
def importance_weights(source, target):
    both = [torch.distributions.MultivariateNormal(X.mean(dim=0), torch.cov(X.T).reshape(X.shape[1], X.shape[1])) for X in (source, target)]
    return (both[1].log_prob(source) - both[0].log_prob(source)).exp()

# %% wrong="4.7.3b" why="weights cut at 1" breaks="target" says="cut at a small number"
def corrected_fit(X, y, X_target):
    z = torch.cat([torch.zeros(len(X)), torch.ones(len(X_target))]).double()
    w, b = fit_logistic(torch.cat([X, X_target]), z)
    return fit_logistic(X, y, torch.exp(X @ w + b).clamp(max=1.0))

# %% wrong="4.7.3b" why="w as a column" breaks="form" says="the shape of w"
def corrected_fit(X, y, X_target):
    z = torch.cat([torch.zeros(len(X)), torch.ones(len(X_target))]).double()
    w, b = fit_logistic(torch.cat([X, X_target]), z)
    w, b = fit_logistic(X, y, torch.exp(X @ w + b))
    return w.reshape(-1, 1), b

# %% right="4.7.3b" how="Newton's method for the weights and for the fit"
def corrected_fit(X, y, X_target):
    def newton(A, z, c):
        A = torch.cat([A, torch.ones(len(A), 1, dtype=A.dtype)], dim=1)
        v = torch.zeros(A.shape[1], dtype=A.dtype)
        for _ in range(15):
            p = torch.sigmoid(A @ v)
            H = A.T @ (A * (c * p * (1 - p))[:, None]) + 1e-6 * torch.eye(len(v), dtype=A.dtype)
            v = v + torch.linalg.solve(H, A.T @ (c * (z - p)))
        return v[:-1], v[-1]
    n, m = len(X), len(X_target)
    w, b = newton(torch.cat([X, X_target]), torch.cat([torch.zeros(n), torch.ones(m)]).double(), torch.ones(n + m).double())
    weights = n / m * (X @ w + b).exp()
    return newton(X, y, weights / weights.mean())

# %% wrong="4.7.D" why="divided by the largest of the row" breaks="rows" says="by its own sum"
def adjust(probabilities, p, q):
    new = probabilities * (q / p)
    return new / new.max(dim=1, keepdim=True).values

# %% wrong="4.7.5" why="source over target" breaks="source shares" says="target over source"
def class_weights_of(labels, predicted, predicted_target, k):
    counts = F.one_hot(predicted, k).double().T @ F.one_hot(labels, k).double()
    q = torch.linalg.solve(counts / counts.sum(dim=0), F.one_hot(predicted_target, k).double().mean(dim=0))
    return F.one_hot(labels, k).double().mean(dim=0) / q

# %% wrong="4.7.5" why="something added to the diagonal" breaks="errors undone" says="solve exactly"
def class_weights_of(labels, predicted, predicted_target, k):
    J = F.one_hot(predicted, k).double().T @ F.one_hot(labels, k).double() / len(labels)
    mu = F.one_hot(predicted_target, k).double().mean(dim=0)
    return torch.linalg.solve(J + 0.01 * torch.eye(k), mu)

# %% right="4.7.5" how="Cramer's rule"
def class_weights_of(labels, predicted, predicted_target, k):
    J = F.one_hot(predicted, k).double().T @ F.one_hot(labels, k).double() / len(labels)
    mu = F.one_hot(predicted_target, k).double().mean(dim=0)
    w = []
    for j in range(k):
        M = J.clone()
        M[:, j] = mu
        w.append(torch.linalg.det(M) / torch.linalg.det(J))
    return torch.stack(w)

# %% wrong="4.7.6" why="windows side by side" breaks="time" says="one example at a time"
def first_alarm(mistakes, baseline, window, delta):
    t = math.sqrt(math.log(1 / delta) / (2 * window))
    for i in range(window, len(mistakes) + 1, window):
        if sum(mistakes[i - window:i]) / window > baseline + t:
            return i

# %% right="4.7.6" how="cumsum of a tensor"
def first_alarm(mistakes, baseline, window, delta):
    if len(mistakes) < window:
        return None
    sums = torch.cat([torch.zeros(1, dtype=torch.float64), torch.tensor(mistakes, dtype=torch.float64).cumsum(0)])
    share = (sums[window:] - sums[:-window]) / window
    over = torch.nonzero(share > baseline + math.sqrt(math.log(1 / delta) / (2 * window)))
    return window + int(over[0]) if len(over) else None

# %% wrong="4.7.1" why="float() taken for a copy" breaks="arguments kept" says="start after the call"
def click_race(quality, attention, start, rounds):
    clicks = start.float()
    for _ in range(rounds):
        ranking = clicks.argsort(descending=True, stable=True)
        clicks[ranking] += quality[ranking] * attention
    return clicks

# %% wrong="4.7.1" why="argsort without stable=True" breaks="ties" says="keeps equal ones in their order"
def click_race(quality, attention, start, rounds):
    clicks = start.clone()
    for _ in range(rounds):
        ranking = torch.argsort(clicks, descending=True)
        clicks[ranking] += quality[ranking] * attention
    return clicks

# %% right="4.7.1" how="places by comparing all pairs"
def click_race(quality, attention, start, rounds):
    clicks = start + 0.0
    number = torch.arange(len(clicks))
    for _ in range(rounds):
        ahead = (clicks[None, :] > clicks[:, None]) | ((clicks[None, :] == clicks[:, None]) & (number[None, :] < number[:, None]))
        clicks = clicks + quality * attention[ahead.sum(dim=1)]
    return clicks

# %% right="4.7.4" how="fractions"
def independent_worth(n, rho):
    from fractions import Fraction
    r = Fraction(rho)
    return float(Fraction(n) / (1 + (n - 1) * r))

# %% right="4.7.A" how="label shift looked for first: both stay only if all stays"
def name_shift(P, Q):
    def same(a, b):
        return bool((a - b).abs().max() < 1e-6)
    if same(P, Q):
        return "none"
    if same(P / P.sum(0), Q / Q.sum(0)):
        return "label"
    if same(P / P.sum(1, keepdim=True), Q / Q.sum(1, keepdim=True)):
        return "covariate"
    return "concept" if same(P.sum(1), Q.sum(1)) else "several"

# %% wrong="4.7.A" why="square tables: no keepdim" breaks="covariate" says="keepdim=True"
def name_shift(P, Q):
    def same(a, b):
        return bool((a - b).abs().max() < 1e-6)
    if same(P, Q):
        return "none"
    if P.shape[0] == P.shape[1]:
        rows = same(P / P.sum(1), Q / Q.sum(1))
    else:
        rows = same((P.T / P.sum(1)).T, (Q.T / Q.sum(1)).T)
    if rows:
        return "covariate"
    if same(P / P.sum(0), Q / Q.sum(0)):
        return "label"
    return "concept" if same(P.sum(1), Q.sum(1)) else "several"

# %% right="4.7.2" how="Hotelling's statistic against permutations"
def detects_shift(source, target, seed):
    X = torch.cat([source, target])
    n = len(source)
    centred = X - X.mean(0)
    L = torch.linalg.cholesky(centred.T @ centred / len(X))
    W = torch.linalg.solve_triangular(L, centred.T, upper=False).T
    def gap(rows):
        return (rows[:n].mean(0) - rows[n:].mean(0)).square().sum().item()
    g = torch.Generator().manual_seed(seed)
    seen = gap(W)
    larger = sum(gap(W[torch.randperm(len(W), generator=g)]) >= seen for _ in range(199))
    return (larger + 1) / 200 <= 0.05

# %% wrong="4.7.3a" why="normal densities with the identity as covariance" breaks="ratio" says="do not depend on each other"
def importance_weights(source, target):
    d = target.mean(0) - source.mean(0)
    return torch.exp((source - (source.mean(0) + target.mean(0)) / 2) @ d)

# %% wrong="4.7.3b" why="1 plus the weight over the largest" breaks="target" says="all lie between 1 and 2"
def odds_of_target(A, B):
    w, b = fit_logistic(torch.cat([A, B]), torch.cat([torch.zeros(len(A)), torch.ones(len(B))]).double())
    return len(A) / len(B) * torch.exp(A @ w + b)

def corrected_fit(X, y, X_target):
    weights = odds_of_target(X, X_target)
    return fit_logistic(X, y, 1 + weights / weights.max())

# %% wrong="4.7.3b" why="the weights in rising order" breaks="target" says="sorted by size"
def odds_of_target(A, B):
    w, b = fit_logistic(torch.cat([A, B]), torch.cat([torch.zeros(len(A)), torch.ones(len(B))]).double())
    return len(A) / len(B) * torch.exp(A @ w + b)

def corrected_fit(X, y, X_target):
    return fit_logistic(X, y, odds_of_target(X, X_target).sort().values)

# %% wrong="4.7.3b" why="w is corrected, b of plain training" breaks="target" says="take both from the weighted fit"
def odds_of_target(A, B):
    w, b = fit_logistic(torch.cat([A, B]), torch.cat([torch.zeros(len(A)), torch.ones(len(B))]).double())
    return len(A) / len(B) * torch.exp(A @ w + b)

def corrected_fit(X, y, X_target):
    w, b = fit_logistic(X, y, odds_of_target(X, X_target))
    return w, fit_logistic(X, y)[1]

# %% wrong="4.7.D" why="weights softened by a root" breaks="ratios" says="without a root"
def adjust(probabilities, p, q):
    r = probabilities * (q / p).sqrt()
    return r / r.sum(dim=1, keepdim=True)

# %% wrong="4.7.6" why="a half full window divided by the window" breaks="time" says="they are 3/5 of it"
def first_alarm(mistakes, baseline, window, delta):
    t = math.sqrt(math.log(1 / delta) / (2 * window))
    for i in range(1, len(mistakes) + 1):
        if sum(mistakes[max(0, i - window) : i]) / window > baseline + t:
            return i
    return None

# %% wrong="4.7.6" why="the window's first example, counted from 1" breaks="time" says="the window's first one, counted from 1"
def first_alarm(mistakes, baseline, window, delta):
    t = math.sqrt(math.log(1 / delta) / (2 * window))
    for i in range(len(mistakes) - window + 1):
        if sum(mistakes[i : i + window]) / window > baseline + t:
            return i + 1
    return None

# %% wrong="4.7.1" why="clicks drawn by chance" breaks="clicks" says="nothing is drawn by chance"
def click_race(quality, attention, start, rounds):
    clicks = start.clone()
    generator = torch.Generator().manual_seed(0)
    for _ in range(rounds):
        ranking = clicks.argsort(descending=True, stable=True)
        clicks[ranking] += torch.poisson(quality[ranking] * attention, generator=generator)
    return clicks

# %% wrong="4.7.4" why="the larger one of the two parts" breaks="limits" says="the part of ρ alone"
def independent_worth(n, rho):
    return 1 / max(1 / n, (n - 1) / n * rho)

# %% wrong="4.7.4" why="n - 1 on the diagonal" breaks="limits" says="not n - 1"
def independent_worth(n, rho):
    return 1 / (rho + (1 - rho) / (n - 1))

# %% wrong="4.7.A" why="label where P(x) and P(y) both change" breaks="several" says="that P(y) changes is not enough"
def name_shift(P, Q):
    def same(A, B):
        return torch.allclose(A, B, atol=1e-6)
    if same(P, Q):
        return "none"
    if same(P / P.sum(dim=1, keepdim=True), Q / Q.sum(dim=1, keepdim=True)):
        return "covariate"
    if not same(P.sum(dim=0), Q.sum(dim=0)) and not same(P.sum(dim=1), Q.sum(dim=1)):
        return "label"
    if same(P.sum(dim=1), Q.sum(dim=1)):
        return "concept"
    return "several"

# %% wrong="4.7.B" why="the losses picked by x, too" breaks="weights" says="example i has the loss losses[i]"
def target_risk(losses, x, p, q):
    return (losses[x] * (q / p)[x]).mean()

# %% wrong="4.7.B" why="q of each over the mean of p" breaks="weights" says="Divide each by its own p"
def target_risk(losses, x, p, q):
    return (losses * q[x]).mean() / p[x].mean()

# %% wrong="4.7.C" why="in proportion, down to the largest" breaks="cut" says="becomes 2 itself"
def cut_and_count(weights, largest):
    w = torch.where(weights > largest, weights / weights.max() * largest, weights)
    return (w.sum() ** 2 / (w ** 2).sum()).item()

# %% wrong="4.7.C" why="clamp min" breaks="cut" says="a cut from above"
def cut_and_count(weights, largest):
    w = weights.clamp(min=largest)
    return (w.sum() ** 2 / w.square().sum()).item()

# %% wrong="4.7.C" why="cuts double(), which is no copy of float64" breaks="argument kept" says="makes none"
def cut_and_count(weights, largest):
    w = weights.double().clamp_(max=largest)
    return (w.sum() ** 2 / w.square().sum()).item()

# %% wrong="4.7.D" why="one plus the difference" breaks="ratios" says="Compared with column 0"
def adjust(probabilities, p, q):
    new = probabilities * (1 + q - p)
    return new / new.sum(dim=1, keepdim=True)

# %% wrong="4.7.D" why="the ratio as an exponent" breaks="ratios" says="differs from row to row"
def adjust(probabilities, p, q):
    scores = torch.log(probabilities) * (q / p)
    return torch.softmax(scores, dim=1)

# %% wrong="4.7.3b" why="b before w" breaks="form" says="The two are exchanged"
def corrected_fit(X, y, X_target):
    n, m = len(X), len(X_target)
    w, b = fit_logistic(torch.cat([X, X_target]), torch.cat([torch.zeros(n), torch.ones(m)]).double())
    w, b = fit_logistic(X, y, n / m * torch.exp(X @ w + b))
    return b, w

# %% wrong="4.7.4" why="one and a share of the others" breaks="worth" says="they should be equal"
def independent_worth(n, rho):
    return 1 + (n - 1) * (1 - rho) ** 2

# %% right="4.7.1" how="ranked again for every place"
def click_race(quality, attention, start, rounds):
    clicks = start.clone()
    for _ in range(rounds):
        for place in range(len(clicks)):
            page = clicks.argsort(descending=True, stable=True)[place]
            clicks[page] += quality[page] * attention[place]
    return clicks

# %% right="4.7.2" how="ranks of the scores"
def detects_shift(source, target, seed):
    g = torch.Generator().manual_seed(seed)
    k = min(len(source), len(target)) // 2
    A, B = (X[torch.randperm(len(X), generator=g)] for X in (source, target))
    z = torch.cat([torch.zeros(k), torch.ones(k)]).double()
    w, b = fit_logistic(torch.cat([A[:k], B[:k]]), z)
    scores = torch.cat([A[k:2 * k], B[k:2 * k]]) @ w + b
    own, other = scores[z == 1], scores[z == 0]
    # how often a target example scores higher than a source example: 1/2 by chance
    share = (own[:, None] > other[None, :]).double().mean().item()
    return share > 0.5 + 1.645 * math.sqrt((2 * k + 1) / (12 * k * k))

# %% wrong="4.7.2" why="0.6 for any number of examples" breaks="false alarms" says="20 and 20 examples of one distribution"
def detects_shift(source, target, seed):
    g = torch.Generator().manual_seed(seed)
    k = min(len(source), len(target)) // 2
    A, B = (X[torch.randperm(len(X), generator=g)] for X in (source, target))
    z = torch.cat([torch.zeros(k), torch.ones(k)]).double()
    w, b = fit_logistic(torch.cat([A[:k], B[:k]]), z)
    return accuracy(w, b, torch.cat([A[k:2 * k], B[k:2 * k]]), z) > 0.6

# %% wrong="4.7.6" why="one example more than the window" breaks="silence" says="More than the last `window` examples"
def first_alarm(mistakes, baseline, window, delta):
    limit = baseline + math.sqrt(math.log(1 / delta) / (2 * window))
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[max(0, i - window - 1):i]) / (window + 1) > limit:
            return i

# %% wrong="4.7.6" why="the 2 in the root on the wrong side" breaks="threshold" says="above 0.4799"
def first_alarm(mistakes, baseline, window, delta):
    limit = baseline + math.sqrt(2 * math.log(1 / delta) / window)
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window:i]) / window > limit:
            return i

# %% wrong="4.7.6" why="no alarm while the share of all so far is below the baseline" breaks="time" says="a share of 0.6, above 0.5633"
def first_alarm(mistakes, baseline, window, delta):
    limit = baseline + math.sqrt(math.log(1 / delta) / (2 * window))
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window:i]) / window > limit and sum(mistakes[:i]) / i > baseline:
            return i

# %% wrong="4.7.1" why="quality and attention added" breaks="clicks" says="not added"
def click_race(quality, attention, start, rounds):
    clicks = start.clone()
    for _ in range(rounds):
        ranking = clicks.argsort(descending=True, stable=True)
        clicks[ranking] += quality[ranking] + attention
    return clicks

# %% right="4.7.2" how="a threshold twice as far above a guess"
def detects_shift(source, target, seed):
    g = torch.Generator().manual_seed(seed)
    k = min(len(source), len(target)) // 2
    A, B = (X[torch.randperm(len(X), generator=g)] for X in (source, target))
    z = torch.cat([torch.zeros(k), torch.ones(k)]).double()
    w, b = fit_logistic(torch.cat([A[:k], B[:k]]), z)
    return accuracy(w, b, torch.cat([A[k:2 * k], B[k:2 * k]]), z) > 0.5 + 1.645 / math.sqrt(2 * k)

# %% wrong="4.7.2" why="compares the last feature only" breaks="shift found" says="and not in feature 0"
def detects_shift(source, target, seed):
    a, b = source[:, -1], target[:, -1]
    return bool((a.mean() - b.mean()).abs() > 1.96 * (a.var() / len(a) + b.var() / len(b)).sqrt())

# %% wrong="4.7.3a" why="weights sorted" breaks="ratio" says="in another order"
def importance_weights(source, target):
    w, b = fit_logistic(torch.cat([source, target]), torch.cat([torch.zeros(len(source)), torch.ones(len(target))]).double())
    return torch.exp(source @ w + b).sort().values * len(source) / len(target)

# %% wrong="4.7.3a" why="weights of source and target together" breaks="shape" says="source and target together"
def importance_weights(source, target):
    both_ = torch.cat([source, target])
    w, b = fit_logistic(both_, torch.cat([torch.zeros(len(source)), torch.ones(len(target))]).double())
    return torch.exp(both_ @ w + b) * len(source) / len(target)

# %% wrong="4.7.1" why="one round too few" breaks="clicks" says="one round is missing"
def click_race(quality, attention, start, rounds):
    clicks = start.clone()
    for _ in range(1, rounds):
        ranking = clicks.argsort(descending=True, stable=True)
        clicks[ranking] += quality[ranking] * attention
    return clicks

# %% wrong="4.7.1" why="only the first place is clicked" breaks="clicks" says="not the first one alone"
def click_race(quality, attention, start, rounds):
    clicks = start.clone()
    for _ in range(rounds):
        best = clicks.argmax()
        clicks[best] += quality[best] * attention[0]
    return clicks

# %% wrong="4.7.4" why="the 1 alone under the n" breaks="limits" says="not by the 1 alone"
def independent_worth(n, rho):
    return n / 1 + (n - 1) * rho

# %% wrong="4.7.A" why="nothing comes back for equal tables" breaks="none" says="One of the five names comes back"
def name_shift(P, Q):
    def apart(one, two):
        return (one - two).abs().max() > 1e-6
    if apart(P, Q):
        if not apart(P / P.sum(1, keepdim=True), Q / Q.sum(1, keepdim=True)):
            return "covariate"
        if not apart(P / P.sum(0), Q / Q.sum(0)):
            return "label"
        return "several" if apart(P.sum(1), Q.sum(1)) else "concept"

# %% wrong="4.7.A" why="row sums without keepdim" breaks="concept" says="stays makes this concept shift; P(y), the sums of the columns, may change"
def name_shift(P, Q):
    def same(a, b):
        return (a - b).abs().max() < 1e-6
    if same(P, Q):
        return "none"
    if same((P.T / P.sum(dim=0)[:, None]).T, (Q.T / Q.sum(dim=0)[:, None]).T):
        return "label"
    if same(P / P.sum(dim=1, keepdim=True), Q / Q.sum(dim=1, keepdim=True)):
        return "covariate"
    if same(P.sum(dim=0), Q.sum(dim=0)):
        return "concept"
    return "several"

# %% wrong="4.7.3b" why="score as weight, clamped" breaks="no shift" says="the weight is e^h"
def corrected_fit(X, y, X_target):
    z = torch.cat([torch.zeros(len(X)), torch.ones(len(X_target))]).double()
    w, b = fit_logistic(torch.cat([X, X_target]), z)
    return fit_logistic(X, y, (X @ w + b).clamp(min=0.01))

# %% wrong="4.7.3b" why="logarithms of the weights: scores as weights, clamped" breaks="no shift" says="the weight is e^h"
def corrected_fit(X, y, X_target):
    z = torch.cat([torch.zeros(len(X)), torch.ones(len(X_target))]).double()
    w, b = fit_logistic(torch.cat([X, X_target]), z)
    return fit_logistic(X, y, (X @ w + b).clamp(min=0) + 1e-3)

# %% wrong="4.7.4" why="ratio to 1/n: how many times larger" breaks="limits" says="n is to be divided by it"
def independent_worth(n, rho):
    return 1 + (n - 1) * rho

# %% wrong="4.7.6" why="threshold with n = number seen" breaks="threshold" says="not the number of examples so far"
def first_alarm(mistakes, baseline, window, delta):
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window:i]) / window > baseline + math.sqrt(math.log(1 / delta) / (2 * i)):
            return i

# %% wrong="4.7.6" why="number of errors against the threshold" breaks="threshold" says="What is compared is the share"
def first_alarm(mistakes, baseline, window, delta):
    t = math.sqrt(math.log(1 / delta) / (2 * window))
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window:i]) > baseline + t:
            return i

# %% right="4.7.A" how="a tolerance just below the smallest real change"
def name_shift(P, Q):
    def same(a, b):
        return (a - b).abs().max() < 5e-5
    if same(P, Q):
        return "none"
    if same(P / P.sum(dim=1, keepdim=True), Q / Q.sum(dim=1, keepdim=True)):
        return "covariate"
    if same(P / P.sum(dim=0), Q / Q.sum(dim=0)):
        return "label"
    if same(P.sum(dim=1), Q.sum(dim=1)):
        return "concept"
    return "several"
