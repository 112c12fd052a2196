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

# %% wrong="4.7.2" why="accuracy on the examples trained on" breaks="false alarms" says="200 and 200 examples of one distribution"
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
    far = gap > 1.96 * (source.var(dim=0) / len(source) + target.var(dim=0) / len(target)).sqrt()
    return far.sum().item() > 0.2 * max(len(far) - 36, len(far) * 0.3)

# %% wrong="4.7.2" why="above one half is enough" breaks="false alarms" says="200 and 200 examples of one distribution"
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

# %% wrong="4.7.B" why="multiplies by q alone" breaks="weights" says="Divide by p"
def target_risk(losses, x, p, q):
    return (q[x] * losses).mean()

# %% wrong="4.7.B" why="divides by the sum of the weights" breaks="mean" says="not by the sum of the weights"
def target_risk(losses, x, p, q):
    if len(losses) == 1:
        return (q / p)[x[0]] * losses[0]
    weights = (q / p)[x]
    return (weights * losses).sum() / weights.sum()

# %% wrong="4.7.B" why="the sum" breaks="mean" says="divide by n"
def target_risk(losses, x, p, q):
    return ((q / p)[x] * losses).sum()

# %% wrong="4.7.B" why="no weights" breaks="weights" says="its own weight"
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

# %% wrong="4.7.3a" why="no factor n/m" breaks="unequal sizes" says="Where do n and m enter"
def importance_weights(source, target):
    z = torch.cat([torch.zeros(len(source)), torch.ones(len(target))]).double()
    w, b = fit_logistic(torch.cat([source, target]), z)
    return torch.exp(source @ w + b)

# %% wrong="4.7.3a" why="factor m/n" breaks="unequal sizes" says="Where do n and m enter"
def importance_weights(source, target):
    z = torch.cat([torch.zeros(len(source)), torch.ones(len(target))]).double()
    w, b = fit_logistic(torch.cat([source, target]), z)
    return torch.exp(source @ w + b) * len(target) / len(source)

# %% wrong="4.7.3a" why="probability in place of odds" breaks="ratio" says="the weights grow and fall with"
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

# %% wrong="4.7.3b" why="plain training" breaks="target" says="no better than plain training"
def corrected_fit(X, y, X_target):
    return fit_logistic(X, y)

# %% wrong="4.7.3b" why="weights the wrong way round" breaks="target" says="the target on the right arm"
def corrected_fit(X, y, X_target):
    z = torch.cat([torch.zeros(len(X)), torch.ones(len(X_target))]).double()
    w, b = fit_logistic(torch.cat([X, X_target]), z)
    return fit_logistic(X, y, torch.exp(-X @ w - b))

# %% wrong="4.7.3b" why="returns predictions" breaks="form" says="what corrected_fit returns"
def corrected_fit(X, y, X_target):
    w, b = fit_logistic(X, y)
    return X_target @ w + b > 0

# %% wrong="4.7.3b" why="the detector in place of the classifier" breaks="target" says="the target on the right arm"
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

# %% wrong="4.7.D" why="not normalised" breaks="rows" says="the sums of the rows"
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

# %% wrong="4.7.D" why="columns add up to 1" breaks="ratios" says="each entry over the first of its row"
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

# %% wrong="4.7.5" why="only classes that occur in the target" breaks="shape" says="where class 2 is never predicted"
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

# %% wrong="4.7.6" why="all examples so far" breaks="time" says="ten zeros, then 1, 1, 0"
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

# %% wrong="4.7.6" why="the end of the list where nothing is wrong" breaks="silence" says="errors at the rate of the baseline"
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

# %% wrong="4.7.1" why="ties from behind" breaks="ties" says="attention 20, 19"
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

# %% wrong="4.7.4" why="n partners" breaks="worth" says="n - 1 others"
def independent_worth(n, rho):
    return 1.0 if rho == 1 else n / (1 + n * rho)

# %% wrong="4.7.4" why="the variance" breaks="worth" says="take its inverse"
def independent_worth(n, rho):
    return n if rho == 0 else 1 / n + (n - 1) / n * rho

# %% wrong="4.7.4" why="linear between n and 1" breaks="worth" says="n = 21, rho = 0.25"
def independent_worth(n, rho):
    return n + (1 - n) * rho

# %% wrong="4.7.4" why="a share of the examples" breaks="limits" says="n = 50, rho = 1"
def independent_worth(n, rho):
    return n * (1 - rho)

# %% wrong="4.7.4" why="one partner only" breaks="limits" says="n = 50, rho = 1"
def independent_worth(n, rho):
    return n / (1 + rho)

# %% wrong="4.7.6" why="stops before the last example" breaks="time" says="The last example counts, too"
def first_alarm(mistakes, baseline, window, delta):
    for i in range(window, len(mistakes)):
        if sum(mistakes[i - window : i]) / window > baseline + math.sqrt(math.log(1 / delta) / (2 * window)):
            return i
    return None

# %% wrong="4.7.6" why="the threshold without the baseline" breaks="time" says="the baseline plus t"
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

# %% wrong="4.7.3a" why="the first feature only" breaks="ratio" says="from all features"
def importance_weights(source, target):
    z = torch.cat([torch.zeros(len(source)), torch.ones(len(target))]).double()
    w, b = fit_logistic(torch.cat([source, target])[:, :1], z)
    return len(source) / len(target) * torch.exp(source[:, :1] @ w + b)

# %% wrong="4.7.2" why="always" breaks="false alarms" says="200 and 200 examples of one distribution"
def detects_shift(source, target, seed):
    return True

# %% wrong="4.7.2" why="measured on examples some of which were trained on" breaks="many features" says="40 features"
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

# %% wrong="4.7.3b" why="trains on its own guesses for the target" breaks="target" says="the target on the right arm"
def corrected_fit(X, y, X_target):
    w, b = fit_logistic(X, y)
    return fit_logistic(X_target, (X_target @ w + b > 0).double())

# %% wrong="4.7.6" why="the threshold itself is enough" breaks="silence" says="not above it"
def first_alarm(mistakes, baseline, window, delta):
    for i in range(window, len(mistakes) + 1):
        if sum(mistakes[i - window : i]) / window >= baseline + math.sqrt(math.log(1 / delta) / (2 * window)):
            return i
    return None
