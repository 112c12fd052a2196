# %% right="4.1.A" how="F.one_hot"
def one_hot_labels(names, classes):
    return F.one_hot(torch.tensor([classes.index(name) for name in names]), num_classes=len(classes)).float()

# %% right="4.1.A" how="rows of the unit matrix"
def one_hot_labels(names, classes):
    return torch.eye(len(classes))[[classes.index(name) for name in names]]

# %% right="4.1.A" how="a list of lists"
def one_hot_labels(names, classes):
    return torch.tensor([[1.0 if name == c else 0.0 for c in classes] for name in names])

# %% wrong="4.1.A" why="a column only for each class that occurs" breaks="shape" says="shape for 3 names and 4 classes"
def one_hot_labels(names, classes):
    found = [c for c in classes if c in names]
    return torch.tensor([[float(name == c) for c in found] for name in names])

# %% wrong="4.1.A" why="classes as rows" breaks="shape" says="shape for 3 names and 4 classes"
def one_hot_labels(names, classes):
    return torch.tensor([[float(name == c) for name in names] for c in classes])

# %% wrong="4.1.A" why="sorts the classes" breaks="values" says="not the alphabet"
def one_hot_labels(names, classes):
    return torch.tensor([[float(name == c) for c in sorted(classes)] for name in names])

# %% wrong="4.1.A" why="dtype of F.one_hot" breaks="dtype" says="wrong dtype: got int64"
def one_hot_labels(names, classes):
    return F.one_hot(torch.tensor([classes.index(name) for name in names]), len(classes))

# %% wrong="4.1.A" why="a table of True and False" breaks="dtype" says="wrong dtype: got bool"
def one_hot_labels(names, classes):
    y = torch.tensor([classes.index(name) for name in names])
    return y[:, None] == torch.arange(len(classes))

# %% right="4.1.B" how="counts the entries of a layer"
def parameter_count(shape, q):
    layer = torch.nn.Linear(torch.Size(shape).numel(), q)
    return sum(p.numel() for p in layer.parameters())

# %% right="4.1.B" how="a loop, a factor more for the bias"
def parameter_count(shape, q):
    d = 1
    for n in shape:
        d *= n
    return (d + 1) * q

# %% wrong="4.1.B" why="no biases" breaks="biases" says="The biases are missing"
def parameter_count(shape, q):
    return math.prod(shape) * q

# %% wrong="4.1.B" why="a single bias" breaks="biases" says="not a single one"
def parameter_count(shape, q):
    return math.prod(shape) * q + 1

# %% wrong="4.1.B" why="a bias for each feature" breaks="biases" says="not for each feature"
def parameter_count(shape, q):
    return math.prod(shape) * q + math.prod(shape)

# %% wrong="4.1.B" why="the first axis only" breaks="weights" says="The first axis alone"
def parameter_count(shape, q):
    return shape[0] * q + q

# %% wrong="4.1.B" why="two axes at most" breaks="weights" says="pictures (3, 32, 32)"
def parameter_count(shape, q):
    return math.prod(shape[:2]) * q + q

# %% wrong="4.1.B" why="the sum of the axes" breaks="weights" says="are multiplied, not added"
def parameter_count(shape, q):
    return sum(shape) * q + q

# %% right="4.1.C" how="difference of two logarithms"
def score_gap(p, j, k):
    return math.log(p[j]) - math.log(p[k])

# %% right="4.1.C" how="a tensor of scores"
def score_gap(p, j, k):
    scores = torch.log(torch.tensor(p))
    return scores[j] - scores[k]

# %% wrong="4.1.C" why="base 2" breaks="value" says="logarithm to base 2"
def score_gap(p, j, k):
    return math.log2(p[j] / p[k])

# %% wrong="4.1.C" why="forgets the logarithm" breaks="value" says="not yet its logarithm"
def score_gap(p, j, k):
    return p[j] / p[k]

# %% wrong="4.1.C" why="difference of probabilities" breaks="value" says="difference of the probabilities"
def score_gap(p, j, k):
    return p[j] - p[k]

# %% wrong="4.1.C" why="always positive" breaks="sign" says="the less probable one"
def score_gap(p, j, k):
    return abs(math.log(p[j] / p[k]))

# %% wrong="4.1.C" why="exchanges the classes" breaks="value" says="exchanged"
def score_gap(p, j, k):
    return math.log(p[k] / p[j])

# %% right="4.1.4a" how="torch.softmax of two scores"
def win_probability(a, b):
    return torch.softmax(torch.tensor([a, b], dtype=torch.float64), dim=0)[0]

# %% right="4.1.4a" how="one exponential of the difference, as a tensor"
def win_probability(a, b):
    return 1 / (1 + torch.exp(torch.tensor(b - a, dtype=torch.float64)))

# %% right="4.1.4a" how="two cases, so that math.exp never overflows"
def win_probability(a, b):
    if a >= b:
        return 1 / (1 + math.exp(b - a))
    return math.exp(a - b) / (1 + math.exp(a - b))

# %% wrong="4.1.4a" why="the bare formula" breaks="large scores" says="OverflowError"
def win_probability(a, b):
    return math.exp(a) / (math.exp(a) + math.exp(b))

# %% wrong="4.1.4a" why="the bare formula with tensors" breaks="large scores" says="inf / inf"
def win_probability(a, b):
    a, b = torch.tensor(a, dtype=torch.float64), torch.tensor(b, dtype=torch.float64)
    return torch.exp(a) / (torch.exp(a) + torch.exp(b))

# %% wrong="4.1.4a" why="cuts the scores at 500" breaks="large scores" says="800 + log 3"
def win_probability(a, b):
    a, b = min(max(a, -500), 500), min(max(b, -500), 500)
    return math.exp(a) / (math.exp(a) + math.exp(b))

# %% wrong="4.1.4a" why="probability of the other item" breaks="value" says="the other item"
def win_probability(a, b):
    return torch.sigmoid(torch.tensor(float(b) - float(a), dtype=torch.float64)).item()

# %% wrong="4.1.4a" why="share of the scores" breaks="value" says="scores 1 + log 3 and 1"
def win_probability(a, b):
    return a / (a + b)

# %% wrong="4.1.4a" why="to base 2" breaks="value" says="scores 1 + log 3 and 1"
def win_probability(a, b):
    return 1 / (1 + 2.0 ** (min(b - a, 1000)))

# %% right="4.1.4b" how="log-sum-exp plus log-odds"
def neither_score(scores, r):
    return torch.logsumexp(torch.tensor(scores, dtype=torch.float64), 0) + math.log(r) - math.log(1 - r)

# %% right="4.1.4b" how="torch.logit"
def neither_score(scores, r):
    total_weight = torch.exp(torch.tensor(scores, dtype=torch.float64)).sum()
    return (torch.logit(torch.tensor(r, dtype=torch.float64)) + torch.log(total_weight)).item()

# %% wrong="4.1.4b" why="one item's weight only" breaks="any number of items" says="Both items weigh"
def neither_score(scores, r):
    return math.log(r / (1 - r)) + max(scores)

# %% wrong="4.1.4b" why="the first two items only" breaks="any number of items" says="twenty items"
def neither_score(scores, r):
    return math.log(r / (1 - r) * (sum(math.exp(s) for s in scores[:2]) + (math.exp(scores[2]) if len(scores) == 3 else 0)))

# %% wrong="4.1.4b" why="r in place of r / (1 - r)" breaks="probability" says="exp(c) itself belongs to the sum"
def neither_score(scores, r):
    return math.log(r * sum(math.exp(s) for s in scores))

# %% wrong="4.1.4b" why="r and 1 - r exchanged" breaks="probability" says="are exchanged"
def neither_score(scores, r):
    return math.log((1 - r) / r * sum(math.exp(s) for s in scores))

# %% wrong="4.1.4b" why="the exponential of c" breaks="probability" says="single item"
def neither_score(scores, r):
    return r / (1 - r) * sum(math.exp(s) for s in scores)

# %% wrong="4.1.4b" why="the scores are added, not their exponentials" breaks="any number of items" says="not the scores"
def neither_score(scores, r):
    return math.log(r / (1 - r)) + sum(scores)

# %% right="4.1.7a" how="a power"
def power_for(factor):
    return factor ** -1

# %% wrong="4.1.7a" why="takes the power for the temperature" breaks="value" says="This is the factor itself"
def power_for(factor):
    return factor

# %% wrong="4.1.7a" why="root" breaks="value" says="α for"
def power_for(factor):
    return 1 / math.sqrt(factor)

# %% wrong="4.1.7a" why="only 2 and 1/2 in mind" breaks="value" says="four times"
def power_for(factor):
    return 0.5 if factor > 1 else 2.0

# %% wrong="4.1.7a" why="never below a fifth" breaks="value" says="values differ"
def power_for(factor):
    return max(1 / factor, 0.2)

# %% right="4.1.7b" how="max-shift by hand"
def at_power(p, alpha):
    scores = alpha * (p.log() - p.max().log())
    weights = scores.exp()
    return weights / weights.sum()

# %% right="4.1.7b" how="divides by the largest first"
def at_power(p, alpha):
    q = (p.double() / p.double().max()) ** alpha
    return q / q.sum()

# %% wrong="4.1.7b" why="the plain formula" breaks="large powers" says="power 2000"
def at_power(p, alpha):
    return p ** alpha / (p ** alpha).sum()

# %% wrong="4.1.7b" why="the plain formula in float64" breaks="large powers" says="power 2000"
def at_power(p, alpha):
    q = p.double() ** alpha
    return q / q.sum()

# %% wrong="4.1.7b" why="a small number under the logarithm" breaks="zeros" says="What is impossible"
def at_power(p, alpha):
    return torch.softmax(alpha * torch.log(p + 1e-9), dim=0)

# %% wrong="4.1.7b" why="takes alpha for a temperature" breaks="values" says="not a temperature"
def at_power(p, alpha):
    return torch.softmax(torch.log(p) / alpha, dim=0)

# %% wrong="4.1.7b" why="not divided by the sum" breaks="values" says="divided by their sum"
def at_power(p, alpha):
    return p ** alpha

# %% wrong="4.1.7b" why="probabilities taken for scores" breaks="values" says="the logarithms of p"
def at_power(p, alpha):
    return torch.softmax(alpha * p, dim=0)

# %% right="4.1.7c" how="counts"
def limits(p):
    top, possible = p == p.max(), p != 0
    return top / top.sum(), possible / possible.sum()

# %% right="4.1.7c" how="extreme temperatures"
def limits(p):
    scores = torch.log(p.double())
    return torch.softmax(scores * 1e12, dim=0), torch.softmax(scores * 1e-12, dim=0)

# %% wrong="4.1.7c" why="argmax" breaks="ties" says="The two largest must share"
def limits(p):
    cold = F.one_hot(p.argmax(), len(p)).float()
    hot = (p > 0).float()
    return cold, hot / hot.sum()

# %% wrong="4.1.7c" why="ties not divided" breaks="ties" says="cold, p = (0.4, 0, 0.4, 0.2)"
def limits(p):
    hot = (p > 0).float()
    return (p == p.max()).float(), hot / hot.sum()

# %% wrong="4.1.7c" why="uniform over all classes" breaks="zeros" says="It stays so"
def limits(p):
    cold = (p == p.max()).float()
    return cold / cold.sum(), torch.full_like(p, 1 / len(p))

# %% wrong="4.1.7c" why="exchanges the two" breaks="cold" says="for high temperatures"
def limits(p):
    cold, hot = (p == p.max()).float(), (p > 0).float()
    return hot / hot.sum(), cold / cold.sum()

# %% wrong="4.1.7c" why="p itself for the hot limit" breaks="hot" says="hot, p = (0.2, 0.5, 0.3)"
def limits(p):
    cold = (p == p.max()).float()
    return cold / cold.sum(), p

# %% wrong="4.1.7c" why="hot is not divided" breaks="hot" says="hot, p = (0.2, 0.5, 0.3)"
def limits(p):
    cold = (p == p.max()).float()
    return cold / cold.sum(), (p > 0).float()

# %% wrong="4.1.7c" why="the smallest class is the coldest" breaks="cold" says="cold, p = (0.2, 0.5, 0.3)"
def limits(p):
    cold, hot = (p == p.min()).float(), (p > 0).float()
    return cold / cold.sum(), hot / hot.sum()

# %% wrong="4.1.7c" why="those a little less probable share, too" breaks="cold" says="exactly as probable"
def limits(p):
    c = (p > p.max() - 0.05).float()
    return c / c.sum(), (p > 0).float() / (p > 0).sum()

# %% wrong="4.1.7c" why="very small probabilities taken for zero" breaks="hot" says="However improbable"
def limits(p):
    c = (p == p.max()).float()
    h = (p > 1e-3).float()
    return c / c.sum(), h / h.sum()

# %% right="4.1.D" how="gather"
def label_losses(P, y):
    return -P.gather(1, y[:, None]).squeeze(1).log()

# %% right="4.1.D" how="one-hot product before the logarithm"
def label_losses(P, y):
    Y = (y[:, None] == torch.arange(P.shape[1])).to(P.dtype)
    return -torch.log((P * Y).sum(dim=1))

# %% right="4.1.D" how="nll_loss"
def label_losses(P, y):
    return F.nll_loss(P.log(), y, reduction="none")

# %% wrong="4.1.D" why="the mean" breaks="shape" says="shape for 3 examples"
def label_losses(P, y):
    return -torch.log(P[torch.arange(len(y)), y]).mean()

# %% wrong="4.1.D" why="all rows for each label" breaks="shape" says="shape for 3 examples"
def label_losses(P, y):
    return -torch.log(P[:, y])

# %% wrong="4.1.D" why="the one-hot sum, where 0 times -inf is nan" breaks="zeros elsewhere" says="0 · log 0 is nan"
def label_losses(P, y):
    Y = (y[:, None] == torch.arange(P.shape[1])).to(P.dtype)
    return -(Y * torch.log(P)).sum(dim=1)

# %% wrong="4.1.D" why="no minus" breaks="values" says="The minus sign is missing"
def label_losses(P, y):
    return torch.log(P[torch.arange(len(y)), y])

# %% wrong="4.1.D" why="base 2" breaks="values" says="base 2"
def label_losses(P, y):
    return -torch.log2(P[torch.arange(len(y)), y])

# %% wrong="4.1.D" why="takes probabilities for scores" breaks="values" says="labels with the probabilities"
def label_losses(P, y):
    return F.cross_entropy(P, y, reduction="none")

# %% wrong="4.1.D" why="the largest probability, not the label's" breaks="values" says="labels with the probabilities"
def label_losses(P, y):
    return -torch.log(P.max(dim=1).values)

# %% right="4.1.E" how="autograd"
def logit_gradient(O, y):
    O = O.clone().requires_grad_(True)
    F.cross_entropy(O, y).backward()
    return O.grad

# %% right="4.1.E" how="subtracts 1 at the labels"
def logit_gradient(O, y):
    G = torch.softmax(O, dim=1)
    G[torch.arange(len(y)), y] -= 1
    return G / len(y)

# %% wrong="4.1.E" why="the sum" breaks="mean" says="gradient of the sum"
def logit_gradient(O, y):
    return torch.softmax(O, dim=1) - F.one_hot(y, O.shape[1])

# %% wrong="4.1.E" why="divided by all entries" breaks="mean" says="number of entries"
def logit_gradient(O, y):
    return (torch.softmax(O, dim=1) - F.one_hot(y, O.shape[1])) / O.numel()

# %% wrong="4.1.E" why="label minus prediction" breaks="values" says="The sign is turned round"
def logit_gradient(O, y):
    return (F.one_hot(y, O.shape[1]) - torch.softmax(O, dim=1)) / len(O)

# %% wrong="4.1.E" why="scores minus labels" breaks="values" says="softmax (1/4, 1/2, 1/4)"
def logit_gradient(O, y):
    return (O - F.one_hot(y, O.shape[1])) / len(O)

# %% wrong="4.1.E" why="softmax over the examples" breaks="values" says="softmax (1/4, 1/2, 1/4)"
def logit_gradient(O, y):
    return (torch.softmax(O, dim=0) - F.one_hot(y, O.shape[1])) / len(O)

# %% wrong="4.1.E" why="only the entries of the labels" breaks="shape" says="an entry for each score"
def logit_gradient(O, y):
    P = torch.softmax(O, dim=1)
    return (P[torch.arange(len(y)), y] - 1) / len(y)

# %% wrong="4.1.E" why="writes into its argument" breaks="arguments kept" says="O after the call"
def logit_gradient(O, y):
    O -= O.max(dim=1, keepdim=True).values
    P = O.exp() / O.exp().sum(dim=1, keepdim=True)
    return (P - F.one_hot(y, O.shape[1])) / len(O)

# %% right="4.1.1a" how="autograd twice"
def second_derivatives(o, y):
    H = torch.autograd.functional.hessian(lambda s: F.cross_entropy(s[None], torch.tensor([y])), o)
    return H.diag()

# %% right="4.1.1a" how="second differences"
def second_derivatives(o, y):
    o, h, found = o.double(), 1e-3, []

    def loss(s):
        return torch.logsumexp(s, 0) - s[y]

    for j in range(len(o)):
        e = torch.zeros(len(o), dtype=torch.float64)
        e[j] = h
        found.append((loss(o + e) - 2 * loss(o) + loss(o - e)) / h ** 2)
    return torch.stack(found)

# %% wrong="4.1.1a" why="the softmax" breaks="values" says="the first derivative of log S"
def second_derivatives(o, y):
    return torch.softmax(o, dim=0)

# %% wrong="4.1.1a" why="the gradient" breaks="values" says="This is the gradient"
def second_derivatives(o, y):
    p = torch.softmax(o, dim=0)
    p[y] -= 1
    return p

# %% wrong="4.1.1a" why="the square" breaks="values" says="the square of the softmax"
def second_derivatives(o, y):
    return torch.softmax(o, dim=0) ** 2

# %% wrong="4.1.1a" why="the label's part is derived, too" breaks="label" says="label 1"
def second_derivatives(o, y):
    p = torch.softmax(o, dim=0)
    return p * (1 - p) if y == 0 else (p - F.one_hot(torch.tensor(y), len(o))) * (1 - p)

# %% wrong="4.1.1a" why="the gradient's square" breaks="values" says="square of the gradient"
def second_derivatives(o, y):
    p = torch.softmax(o, dim=0)
    return (p - F.one_hot(torch.tensor(y), len(o))) ** 2

# %% wrong="4.1.1a" why="the whole matrix" breaks="shape" says="shape for 3 classes"
def second_derivatives(o, y):
    p = torch.softmax(o, dim=0)
    return torch.diag(p) - p[:, None] * p

# %% wrong="4.1.1a" why="added up" breaks="shape" says="shape for 3 classes"
def second_derivatives(o, y):
    p = torch.softmax(o, dim=0)
    return (p * (1 - p)).sum()

# %% right="4.1.1b" how="the covariance matrix between v and v"
def bend(o, v):
    p = torch.softmax(o, dim=0)
    return v @ (torch.diag(p) - torch.outer(p, p)) @ v

# %% right="4.1.1b" how="the mean squared deviation"
def bend(o, v):
    p = torch.softmax(o, dim=0)
    mean = p @ v
    return p @ (v - mean) ** 2

# %% right="4.1.1b" how="a second difference, the step in proportion to v"
def bend(o, v):
    v = v - v.mean()
    h = 1e-3 / max(v.abs().max().item(), 1e-9)

    def g(t):
        return torch.logsumexp(o + t * v, 0)

    return ((g(h) - 2 * g(0.0) + g(-h)) / h ** 2).item()

# %% wrong="4.1.1b" why="a second difference with a fixed step" breaks="value" says="fits the length of v"
def bend(o, v):
    def g(t):
        return torch.logsumexp(o + t * v, 0)

    return ((g(1e-3) - 2 * g(0.0) + g(-1e-3)) / 1e-6).item()

# %% wrong="4.1.1b" why="in float32, where a large mean takes all digits" breaks="value" says="loses the digits that count"
def bend(o, v):
    p, v = torch.softmax(o.float(), 0), v.float()
    return (p * v ** 2).sum() - (p * v).sum() ** 2

# %% wrong="4.1.1b" why="estimated from draws" breaks="value" says="draws are not exact enough"
def bend(o, v):
    return v[torch.multinomial(torch.softmax(o, 0), 10_000, replacement=True)].var()

# %% wrong="4.1.1b" why="the mean square" breaks="value" says="the square of E[v] is missing"
def bend(o, v):
    return (torch.softmax(o, dim=0) * v ** 2).sum()

# %% wrong="4.1.1b" why="the variance of v itself" breaks="value" says="not equally"
def bend(o, v):
    return v.var(correction=0)

# %% wrong="4.1.1b" why="the diagonal only" breaks="value" says="j ≠ k are missing"
def bend(o, v):
    p = torch.softmax(o, dim=0)
    return (p * (1 - p) * v ** 2).sum()

# %% wrong="4.1.1b" why="the standard deviation" breaks="value" says="standard deviation"
def bend(o, v):
    p = torch.softmax(o, dim=0)
    return ((p * v ** 2).sum() - (p * v).sum() ** 2).sqrt()

# %% wrong="4.1.1b" why="the direction made a unit vector" breaks="value" says="need not have length 1"
def bend(o, v):
    p, v = torch.softmax(o, dim=0), v / v.norm()
    return (p * v ** 2).sum() - (p * v).sum() ** 2

# %% wrong="4.1.1b" why="a tensor of shape (1,)" breaks="one number" says="shape of the result"
def bend(o, v):
    p = torch.softmax(o, dim=0)
    return (p * v ** 2).sum(dim=0, keepdim=True) - (p * v).sum(dim=0, keepdim=True) ** 2

# %% wrong="4.1.1b" why="a number for each class" breaks="one number" says="shape of the result"
def bend(o, v):
    p = torch.softmax(o, dim=0)
    return p * (v - (p * v).sum()) ** 2

# %% wrong="4.1.1b" why="the mean of v" breaks="value" says="mean of v"
def bend(o, v):
    return (torch.softmax(o, 0) * v).sum()

# %% right="4.1.F" how="xlogy"
def entropy_bits(p):
    return -torch.xlogy(p, p).sum() / math.log(2)

# %% right="4.1.F" how="a loop over plain numbers"
def entropy_bits(p):
    return -sum(v * math.log2(v) for v in p.tolist() if v > 0)

# %% wrong="4.1.F" why="nats" breaks="value" says="This is in nats"
def entropy_bits(p):
    return -torch.xlogy(p, p).sum()

# %% wrong="4.1.F" why="no minus" breaks="value" says="The minus sign is missing"
def entropy_bits(p):
    return torch.xlogy(p, p).sum() / math.log(2)

# %% wrong="4.1.F" why="the plain mean of the surprisals" breaks="value" says="counts with its probability"
def entropy_bits(p):
    return -torch.log2(p[p > 0]).mean()

# %% wrong="4.1.F" why="0 times log 0" breaks="zeros" says="0 · log 0 is nan"
def entropy_bits(p):
    return -(p * torch.log2(p)).sum()

# %% wrong="4.1.F" why="zeros counted as 1e-3" breaks="zeros" says="0, 1/2, 1/2"
def entropy_bits(p):
    q = p.clamp(min=1e-3)
    return -(q * torch.log2(q)).sum()

# %% wrong="4.1.F" why="a number for each class" breaks="one number" says="shape of the result"
def entropy_bits(p):
    return -torch.xlogy(p, p) / math.log(2)

# %% wrong="4.1.F" why="shape (1,)" breaks="one number" says="shape of the result"
def entropy_bits(p):
    return -torch.xlogy(p, p).sum(dim=0, keepdim=True) / math.log(2)

# %% wrong="4.1.F" why="leaves rare classes out" breaks="value" says="Rare classes count"
def entropy_bits(p):
    p = p[p > 0.02]
    return -(p * torch.log2(p)).sum()

# %% wrong="4.1.F" why="counts the classes" breaks="value" says="not equally probable"
def entropy_bits(p):
    return math.log2(len(p[p > 0]))

# %% right="4.1.2a" how="another shortest code, the waste to three decimals"
code3 = {"c": "1", "b": "00", "a": "01"}
waste = 0.082

# %% wrong="4.1.2a" why="two bits each" breaks="shortest" says="fewer than 6 letters"
code3 = {"a": "00", "b": "01", "c": "10"}
waste = 5 / 3 - math.log2(3)

# %% wrong="4.1.2a" why="a word that begins another" breaks="prefix-free" says="not the beginning"
code3 = {"a": "0", "b": "1", "c": "10"}
waste = 5 / 3 - math.log2(3)

# %% wrong="4.1.2a" why="numbers for words" breaks="words" says="strings of zeros and ones"
code3 = {"a": 0, "b": 10, "c": 11}
waste = 5 / 3 - math.log2(3)

# %% wrong="4.1.2a" why="a list of words" breaks="words" says="code3"
code3 = ["0", "10", "11"]
waste = 5 / 3 - math.log2(3)

# %% wrong="4.1.2a" why="an empty word" breaks="words" says="at least one"
code3 = {"a": "", "b": "0", "c": "1"}
waste = 5 / 3 - math.log2(3)

# %% wrong="4.1.2a" why="the average length for the waste" breaks="waste" says="has to be subtracted"
code3 = {"a": "0", "b": "10", "c": "11"}
waste = 5 / 3

# %% wrong="4.1.2a" why="the entropy in nats" breaks="waste" says="is to be in bits"
code3 = {"a": "0", "b": "10", "c": "11"}
waste = 5 / 3 - math.log(3)

# %% right="4.1.2b" how="a loop over whole numbers"
def bits_per_observation(n):
    bits = 0
    while 2 ** bits < 3 ** n:
        bits += 1
    return bits / n


short_block = 17

# %% right="4.1.2b" how="bit_length"
def bits_per_observation(n):
    return (3 ** n).bit_length() / n


short_block = torch.tensor([bits_per_observation(k) < 1.59 for k in range(1, 50)]).int().argmax().item() + 1

# %% wrong="4.1.2b" why="the whole word" breaks="value" says="divide by n"
def bits_per_observation(n):
    return math.ceil(n * math.log2(3))


short_block = 17

# %% wrong="4.1.2b" why="not rounded" breaks="value" says="round up"
def bits_per_observation(n):
    return math.log2(3 ** n) / n


short_block = 17

# %% wrong="4.1.2b" why="rounded down" breaks="value" says="less than 3 to the power n"
def bits_per_observation(n):
    return math.floor(n * math.log2(3)) / n


short_block = 17

# %% wrong="4.1.2b" why="rounded up after the division" breaks="value" says="not that of each observation"
def bits_per_observation(n):
    return math.ceil(math.log2(3))


short_block = 17

# %% wrong="4.1.2b" why="five, with its 1.6" breaks="short block" says="larger than 5"
def bits_per_observation(n):
    return math.ceil(n * math.log2(3)) / n


short_block = 5

# %% wrong="4.1.2b" why="a block that is not the smallest" breaks="short block" says="short_block"
def bits_per_observation(n):
    return math.ceil(n * math.log2(3)) / n


short_block = 29

# %% wrong="4.1.2b" why="the best of many, not the first" breaks="short block" says="short_block"
def bits_per_observation(n):
    return math.ceil(n * math.log2(3)) / n


short_block = min(range(1, 1001), key=bits_per_observation)

# %% right="4.1.3a" how="the length of the largest number, by division"
def digits_needed(values, levels):
    rest, digits = values - 1, 0
    while rest:
        rest //= levels
        digits += 1
    return digits

# %% right="4.1.3a" how="logarithm, then put right"
def digits_needed(values, levels):
    digits = round(math.log(values) / math.log(levels))
    return digits if levels ** digits >= values else digits + 1

# %% wrong="4.1.3a" why="trusts the logarithm" breaks="exact powers" says="A logarithm is rounded"
def digits_needed(values, levels):
    return math.ceil(math.log(values, levels))

# %% wrong="4.1.3a" why="floor plus 1" breaks="exact powers" says="one digit fewer"
def digits_needed(values, levels):
    return math.floor(math.log(values) / math.log(levels) + 1e-12) + 1

# %% wrong="4.1.3a" why="one value too many: from 0 to values" breaks="exact powers" says="one digit fewer"
def digits_needed(values, levels):
    digits = 1
    while levels ** digits <= values:
        digits += 1
    return digits

# %% wrong="4.1.3a" why="rounds down" breaks="count" says="only 81 values"
def digits_needed(values, levels):
    return max(1, math.floor(math.log(values) / math.log(levels) + 1e-12))

# %% wrong="4.1.3a" why="divides" breaks="count" says="multiplies the number"
def digits_needed(values, levels):
    return -(-values // levels)

# %% wrong="4.1.3a" why="digits with levels + 1, as 0 were not counted" breaks="count" says="values"
def digits_needed(values, levels):
    digits = 1
    while (levels + 1) ** digits < values:
        digits += 1
    return digits

# %% wrong="4.1.3a" why="a float" breaks="whole number" says="the result for 8 values"
def digits_needed(values, levels):
    digits, reach = 0.0, 1
    while reach < values:
        digits, reach = digits + 1, reach * levels
    return digits

# %% wrong="4.1.3a" why="subtracts a little before rounding up" breaks="count" says="only 1,000,000 values"
def digits_needed(values, levels):
    return max(1, math.ceil(math.log(values, levels) - 1e-4))

# %% wrong="4.1.3a" why="always two levels" breaks="count" says="two levels"
def digits_needed(values, levels):
    return (values - 1).bit_length()

# %% right="4.1.3b" how="natural logarithms"
def symbols_per_second(bits_per_second, levels):
    return bits_per_second * math.log(2) / math.log(levels)

# %% right="4.1.3b" how="logarithm to the base of the levels"
def symbols_per_second(bits_per_second, levels):
    return bits_per_second * math.log(2, levels)

# %% wrong="4.1.3b" why="divides by the levels" breaks="value" says="a billion bits a second, 2 levels"
def symbols_per_second(bits_per_second, levels):
    return bits_per_second / levels

# %% wrong="4.1.3b" why="multiplies" breaks="value" says="fewer symbols"
def symbols_per_second(bits_per_second, levels):
    return bits_per_second * math.log2(levels)

# %% wrong="4.1.3b" why="whole bits in a symbol, rounded up" breaks="value" says="not a whole number"
def symbols_per_second(bits_per_second, levels):
    return bits_per_second / math.ceil(math.log2(levels))

# %% wrong="4.1.3b" why="the steps between levels taken for bits" breaks="value" says="not three bits"
def symbols_per_second(bits_per_second, levels):
    return bits_per_second / (levels - 1)

# %% right="4.1.5a" how="torch, softplus of minus the distance"
def soft_gap(a, b):
    return F.softplus(torch.tensor(-abs(a - b), dtype=torch.float64)).item()

# %% right="4.1.5a" how="two cases"
def soft_gap(a, b):
    return math.log1p(math.exp(b - a)) if a > b else math.log1p(math.exp(a - b))

# %% wrong="4.1.5a" why="the plain formula" breaks="large numbers" says="OverflowError"
def soft_gap(a, b):
    if abs(a - b) > 30:
        return math.exp(-abs(a - b))
    return math.log(math.exp(a) + math.exp(b)) - max(a, b)

# %% wrong="4.1.5a" why="log of 1 plus something" breaks="tiny gaps" says="60 and 0"
def soft_gap(a, b):
    return math.log(1 + math.exp(-abs(a - b)))

# %% wrong="4.1.5a" why="logsumexp minus the maximum" breaks="tiny gaps" says="60 and 0"
def soft_gap(a, b):
    return torch.logsumexp(torch.tensor([a, b], dtype=torch.float64), 0).item() - max(a, b)

# %% wrong="4.1.5a" why="a is taken for the larger" breaks="either order" says="the larger number is b here"
def soft_gap(a, b):
    return math.log1p(math.exp(b - a)) if b - a < 700 else b - a

# %% wrong="4.1.5a" why="the soft maximum itself" breaks="value" says="subtract the maximum"
def soft_gap(a, b):
    return max(a, b) + math.log1p(math.exp(-abs(a - b)))

# %% wrong="4.1.5a" why="a plus sign in the exponent" breaks="value" says="a = log 3, b = log 2"
def soft_gap(a, b):
    return math.log1p(math.exp(min(abs(a - b), 700)))

# %% right="4.1.5b" how="torch"
def sharpness(n, eps):
    return (torch.log(torch.tensor(float(n), dtype=torch.float64)) / eps).item()

# %% right="4.1.5b" how="base 2 and back"
def sharpness(n, eps):
    return math.log2(n) * math.log(2) / eps

# %% wrong="4.1.5b" why="n in place of log n" breaks="smallest" says="the logarithm is taken of this"
def sharpness(n, eps):
    return n / eps

# %% wrong="4.1.5b" why="the bound for two numbers" breaks="enough" says="The sum is n times one term"
def sharpness(n, eps):
    return math.log(2) / eps

# %% wrong="4.1.5b" why="eps above" breaks="enough" says="12 numbers, eps = 0.5"
def sharpness(n, eps):
    return eps / math.log(n)

# %% wrong="4.1.5b" why="twice as large, to be on the safe side" breaks="smallest" says="12 numbers, eps = 0.5"
def sharpness(n, eps):
    return 2 * math.log(n) / eps

# %% wrong="4.1.5b" why="log of n - 1" breaks="enough" says="all 12 count, not 11"
def sharpness(n, eps):
    return math.log(n - 1) / eps

# %% right="4.1.6b" how="through the sum itself"
def after_shift(g, c, copies):
    return math.log(copies * math.exp(g) * math.exp(c))

# %% right="4.1.6b" how="log-sum-exp of equal copies"
def after_shift(g, c, copies):
    return torch.logsumexp(torch.full((copies,), g + c, dtype=torch.float64), 0)

# %% wrong="4.1.6b" why="as printed: unchanged" breaks="shift" says="The softmax does not notice a shift"
def after_shift(g, c, copies):
    return g + math.log(copies)

# %% wrong="4.1.6b" why="the wrong sign" breaks="shift" says="Nothing is subtracted"
def after_shift(g, c, copies):
    return g - c + math.log(copies)

# %% wrong="4.1.6b" why="multiplied" breaks="shift" says="grows by c"
def after_shift(g, c, copies):
    return g * c + math.log(copies) if c else g + math.log(copies)

# %% wrong="4.1.6b" why="multiplied by the copies" breaks="copies" says="three times g + c"
def after_shift(g, c, copies):
    return copies * (g + c)

# %% wrong="4.1.6b" why="the number of copies added" breaks="copies" says="1 for each further copy"
def after_shift(g, c, copies):
    return g + c + copies - 1

# %% wrong="4.1.6b" why="copies forgotten" breaks="copies" says="three copies"
def after_shift(g, c, copies):
    return g + c

# %% right="4.1.6c" how="computed"
printed = [torch.log(torch.exp(torch.tensor(row)).sum()).item() for row in ([0., 200.], [-200., -200.], [-200., 0.], [88., 88., 88.])]
right_values = [200.00, -199.31, 0.00, 89.10]

# %% wrong="4.1.6c" why="three finite exponentials taken for a finite sum" breaks="printed" says="is their sum"
printed = [float("inf"), float("-inf"), 0.0, 89.1]
right_values = [200.0, -199.31, 0.0, 89.1]

# %% wrong="4.1.6c" why="0 for the underflow" breaks="printed" says="row [-200.0, -200.0]: is it infinite"
printed = [float("inf"), 0.0, 0.0, float("inf")]
right_values = [200.0, -199.31, 0.0, 89.1]

# %% wrong="4.1.6c" why="any underflow is minus infinity" breaks="printed" says="row [-200.0, 0.0]"
printed = [float("inf"), float("-inf"), float("-inf"), float("inf")]
right_values = [200.0, -199.31, 0.0, 89.1]

# %% wrong="4.1.6c" why="the maximum for the soft maximum" breaks="right values" says="one of the equal entries alone"
printed = [float("inf"), float("-inf"), 0.0, float("inf")]
right_values = [200.0, -200.0, 0.0, 88.0]

# %% wrong="4.1.6c" why="log 2 with the wrong sign" breaks="right values" says="right_values, row [-200.0, -200.0]"
printed = [float("inf"), float("-inf"), 0.0, float("inf")]
right_values = [200.0, -200.69, 0.0, 89.1]

# %% wrong="4.1.6c" why="the sum of the numbers" breaks="right values" says="right_values, row [-200.0, -200.0]"
printed = [float("inf"), float("-inf"), 0.0, float("inf")]
right_values = [200.0, -400.0, -200.0, 264.0]

# %% wrong="4.1.6c" why="the right value where the plain program rounds" breaks="printed" says="is it 0"
printed = [math.inf, -math.inf, -200.0, math.inf]
right_values = [200.0, -199.31, 0.0, 89.1]

# %% wrong="4.1.6c" why="the count where one number is far below" breaks="right values" says="does not count"
printed = [math.inf, -math.inf, 0.0, math.inf]
right_values = [200.69, -199.31, 0.69, 89.1]

# %% right="4.1.6d" how="torch.logsumexp"
def log_sum_exp(X):
    return torch.logsumexp(X, dim=1)

# %% right="4.1.6d" how="row by row"
def log_sum_exp(X):
    found = []
    for row in X:
        m = row.max()
        found.append(m + (row - m).exp().sum().log())
    return torch.stack(found)

# %% right="4.1.6d" how="minus log softmax at the largest entry"
def log_sum_exp(X):
    top, at = X.max(dim=1)
    return top - torch.log_softmax(X, dim=1).gather(1, at[:, None]).squeeze(1)

# %% wrong="4.1.6d" why="the plain formula" breaks="huge and tiny" says="(1000, 1000, 0) alone"
def log_sum_exp(X):
    return torch.log(torch.exp(X).sum(dim=1))

# %% wrong="4.1.6d" why="the largest entry of the batch" breaks="huge and tiny" says="from that row"
def log_sum_exp(X):
    m = X.max()
    return m + torch.log(torch.exp(X - m).sum(dim=1))

# %% wrong="4.1.6d" why="the shift is not added back" breaks="values" says="has to be added back"
def log_sum_exp(X):
    m = X.max(dim=1, keepdim=True).values
    return torch.log(torch.exp(X - m).sum(dim=1))

# %% wrong="4.1.6d" why="the maximum" breaks="values" says="largest entry of each row"
def log_sum_exp(X):
    return X.max(dim=1).values

# %% wrong="4.1.6d" why="a column plus a row" breaks="shape" says="broadcasts to (n, n)"
def log_sum_exp(X):
    m = X.max(dim=1, keepdim=True).values
    return m + torch.log(torch.exp(X - m).sum(dim=1))

# %% wrong="4.1.6d" why="a column" breaks="shape" says="shape for 4 rows"
def log_sum_exp(X):
    return torch.logsumexp(X, dim=1, keepdim=True)

# %% wrong="4.1.6d" why="float32 inside" breaks="shape" says="dtype for float64"
def log_sum_exp(X):
    return torch.logsumexp(X.float(), dim=1)

# %% wrong="4.1.6d" why="subtracts the mean" breaks="minus infinity" says="yours is nan"
def log_sum_exp(X):
    m = X.mean(dim=1, keepdim=True)
    return m[:, 0] + torch.logsumexp(X - m, dim=1)

# %% wrong="4.1.6d" why="minus infinity replaced by 0" breaks="minus infinity" says="(0, -inf, 0)"
def log_sum_exp(X):
    return torch.logsumexp(X.nan_to_num(neginf=0.0), dim=1)

# %% wrong="4.1.6d" why="subtracts in place" breaks="arguments kept" says="X after the call"
def log_sum_exp(X):
    m = X.max(dim=1, keepdim=True).values
    X -= m
    return m[:, 0] + torch.log(torch.exp(X).sum(dim=1))

# %% right="4.1.5c" how="torch.logsumexp"
def soft_max(x, lam):
    return torch.logsumexp(lam * x, dim=0) / lam

# %% right="4.1.5c" how="shift after scaling"
def soft_max(x, lam):
    z = lam * x.double()
    return ((z.max() + torch.exp(z - z.max()).sum().log()) / lam).item()

# %% wrong="4.1.5c" why="the plain formula" breaks="sharp" says="use the max-shift"
def soft_max(x, lam):
    return torch.log(torch.exp(lam * x).sum()) / lam

# %% wrong="4.1.5c" why="not the largest entry taken out: exp underflows" breaks="sharp" says="(-3, -1), λ = 10,000"
def soft_max(x, lam):
    m = x.max().clamp(min=0)
    return m + torch.log(torch.exp(lam * (x - m)).sum()) / lam

# %% wrong="4.1.5c" why="not divided by λ" breaks="value" says="Divide by λ at the end"
def soft_max(x, lam):
    return torch.logsumexp(lam * x, dim=0)

# %% wrong="4.1.5c" why="λ outside only" breaks="value" says="λ belongs inside"
def soft_max(x, lam):
    return torch.logsumexp(x, dim=0) / lam

# %% wrong="4.1.5c" why="λ as a temperature" breaks="value" says="λ = 2"
def soft_max(x, lam):
    return lam * torch.logsumexp(x / lam, dim=0)

# %% wrong="4.1.5c" why="the mean of the exponentials" breaks="value" says="λ = 1"
def soft_max(x, lam):
    return (torch.logsumexp(lam * x, dim=0) - math.log(len(x))) / lam

# %% wrong="4.1.5c" why="shape (1,)" breaks="one number" says="shape of the result"
def soft_max(x, lam):
    return torch.logsumexp(lam * x, dim=0, keepdim=True) / lam

# %% wrong="4.1.5c" why="the softmax weights" breaks="one number" says="shape of the result"
def soft_max(x, lam):
    return torch.softmax(lam * x, dim=0)

# %% wrong="4.1.5c" why="the maximum itself where λ is large" breaks="value" says="values differ"
def soft_max(x, lam):
    if lam > 5:
        return x.max()
    return torch.log(torch.exp(lam * x).sum()) / lam

# %% wrong="4.1.5c" why="the mean weighted by the softmax" breaks="value" says="weighted by the softmax"
def soft_max(x, lam):
    return (torch.softmax(lam * x, 0) * x).sum()

# %% right="4.1.5d" how="minus the soft maximum of the negatives"
def soft_min(x, lam):
    return -torch.logsumexp(-lam * x, dim=0) / lam

# %% right="4.1.5d" how="negative λ"
def soft_min(x, lam):
    return torch.logsumexp((-lam) * x, dim=0) / (-lam)

# %% wrong="4.1.5d" why="only the sign inside" breaks="value" says="The sign outside"
def soft_min(x, lam):
    return torch.logsumexp(-lam * x, dim=0) / lam

# %% wrong="4.1.5d" why="only the sign outside" breaks="value" says="change the signs inside, too"
def soft_min(x, lam):
    return -torch.logsumexp(lam * x, dim=0) / lam

# %% wrong="4.1.5d" why="not divided by λ" breaks="value" says="Divide by λ"
def soft_min(x, lam):
    return -torch.logsumexp(-lam * x, dim=0)

# %% wrong="4.1.5d" why="a weighted mean, which lies above the minimum" breaks="value" says="λ = 1"
def soft_min(x, lam):
    return (torch.softmax(-lam * x, dim=0) * x).sum()

# %% wrong="4.1.5d" why="the mean of the exponentials, which lies above the minimum" breaks="value" says="λ = 1"
def soft_min(x, lam):
    return -(torch.logsumexp(-lam * x, dim=0) - math.log(len(x))) / lam

# %% wrong="4.1.5d" why="the plain formula" breaks="sharp" says="take out the smallest"
def soft_min(x, lam):
    return -torch.log(torch.exp(-lam * x).sum()) / lam

# %% right="4.1.6a" how="another multiple of ones"
def flat_direction(q):
    return torch.full((q,), -2.5, dtype=torch.float64)

# %% right="4.1.6a" how="whole numbers"
def flat_direction(q):
    return torch.tensor([1] * q)

# %% wrong="4.1.6a" why="the zero vector" breaks="direction" says="is not zero"
def flat_direction(q):
    return torch.zeros(q)

# %% wrong="4.1.6a" why="a column" breaks="direction" says="shape for 3 numbers"
def flat_direction(q):
    return torch.ones(q, 1)

# %% wrong="4.1.6a" why="one class alone" breaks="flat" says="Which change of all numbers"
def flat_direction(q):
    return torch.eye(q)[0]

# %% wrong="4.1.6a" why="a direction that adds up to 0" breaks="flat" says="Which change of all numbers"
def flat_direction(q):
    v = torch.zeros(q)
    v[0], v[1] = 1.0, -1.0
    return v

# %% wrong="4.1.A" why="columns in the order of the names" breaks="values" says="numbered as they come"
def one_hot_labels(names, classes):
    seen = list(dict.fromkeys(names))
    y = torch.tensor([seen.index(n) for n in names])
    return (y[:, None] == torch.arange(len(classes))).float()

# %% wrong="4.1.C" why="logit of p_j minus logit of p_k" breaks="value" says="classes 0 and 1"
def score_gap(p, j, k):
    return math.log(p[j] / (1 - p[j])) - math.log(p[k] / (1 - p[k]))

# %% wrong="4.1.C" why="base 10" breaks="value" says="logarithm to base 10"
def score_gap(p, j, k):
    return math.log10(p[j] / p[k])

# %% wrong="4.1.C" why="the odds against all the others" breaks="value" says="values differ"
def score_gap(p, j, k):
    return math.log(p[j] / (1 - p[j]))

# %% wrong="4.1.4a" why="1 or 0 for all large scores" breaks="large scores" says="nobody is sure"
def win_probability(a, b):
    try:
        return math.exp(a) / (math.exp(a) + math.exp(b))
    except OverflowError:
        return 1.0

# %% wrong="4.1.4a" why="powers of ten, as in chess" breaks="value" says="not of 10"
def win_probability(a, b):
    return 1 / (1 + 10 ** min(b - a, 300))

# %% right="4.1.4b" how="bisect"
def neither_score(scores, r):
    lo, hi = -100.0, 100.0
    for _ in range(200):
        m = (lo + hi) / 2
        p = torch.softmax(torch.tensor(scores + [m], dtype=torch.float64), 0)[-1]
        if p < r:
            lo = m
        else:
            hi = m
    return m

# %% wrong="4.1.4b" why="mean of exps" breaks="any number of items" says="two items"
def neither_score(scores, r):
    return math.log(r / (1 - r) * sum(math.exp(s) for s in scores) / len(scores))

# %% right="4.1.7b" how="masked"
def at_power(p, alpha):
    q = torch.zeros_like(p)
    q[p > 0] = torch.softmax(alpha * p[p > 0].log(), 0)
    return q

# %% wrong="4.1.7b" why="nan_to_num after" breaks="large powers" says="power 2000"
def at_power(p, alpha):
    q = p ** alpha
    return (q / q.sum()).nan_to_num(0.0)

# %% wrong="4.1.7b" why="argmax for large" breaks="large powers" says="equal, so they share"
def at_power(p, alpha):
    if alpha > 1000:
        return F.one_hot(p.argmax(), len(p)).float()
    return torch.softmax(alpha * p.log(), 0)

# %% right="4.1.7b" how="divided by the largest"
def at_power(p, alpha):
    q = (p / p.max()) ** alpha
    return q / q.sum()

# %% right="4.1.D" how="take diag"
def label_losses(P, y):
    return -P[:, y].diag().log()

# %% wrong="4.1.D" why="one minus the probability" breaks="values" says="not 1 - p"
def label_losses(P, y):
    return 1 - P[torch.arange(len(y)), y]

# %% wrong="4.1.E" why="squared error gradient" breaks="values" says="softmax (1/4"
def logit_gradient(O, y):
    O = O.clone().requires_grad_(True)
    ((torch.softmax(O, 1) - F.one_hot(y, O.shape[1])) ** 2).sum(1).mean().backward()
    return O.grad

# %% wrong="4.1.E" why="divides by classes" breaks="mean" says="number of classes, not of examples"
def logit_gradient(O, y):
    return (torch.softmax(O, 1) - F.one_hot(y, O.shape[1])) / O.shape[1]

# %% wrong="4.1.E" why="squares the exponentials, which overflow" breaks="values" says="Scores up to 50"
def logit_gradient(O, y):
    E = torch.exp(2 * O)
    P = (E / E.sum(1, keepdim=True)).sqrt()
    P = P / P.sum(1, keepdim=True)
    return (P - F.one_hot(y, O.shape[1])) / len(O)

# %% wrong="4.1.E" why="one sum for the whole batch" breaks="values" says="with its own sum"
def logit_gradient(O, y):
    P = torch.exp(O) / torch.exp(O).sum()
    return (P - F.one_hot(y, O.shape[1])) / len(O)

# %% wrong="4.1.E" why="the largest score in place of the label" breaks="values" says="not of the largest score"
def logit_gradient(O, y):
    return (torch.softmax(O, 1) - F.one_hot(O.argmax(1), O.shape[1])) / len(O)

# %% wrong="4.1.1a" why="p_j p_y" breaks="values" says="plays no part"
def second_derivatives(o, y):
    p = torch.softmax(o, 0)
    return -p * p[y]

# %% wrong="4.1.1a" why="the standard deviation" breaks="values" says="standard deviation"
def second_derivatives(o, y):
    p = torch.softmax(o, 0)
    return (p * (1 - p)).sqrt()

# %% wrong="4.1.1a" why="each score alone" breaks="values" says="not each score alone"
def second_derivatives(o, y):
    s = torch.sigmoid(o)
    return s * (1 - s)

# %% wrong="4.1.2a" why="waste in total" breaks="waste" says="three times the waste"
code3 = {"a": "0", "b": "10", "c": "11"}
waste = 3 * (5 / 3 - math.log2(3))

# %% wrong="4.1.2a" why="unary 0 10 110" breaks="shortest" says="fewer than 6"
code3 = {"a": "0", "b": "10", "c": "110"}
waste = 2 - math.log2(3)

# %% wrong="4.1.2a" why="a ratio" breaks="waste" says="not the ratio"
code3 = {"a": "0", "b": "10", "c": "11"}
waste = 5 / 3 / math.log2(3)

# %% wrong="4.1.2a" why="the sign of the waste" breaks="waste" says="not the other way round"
code3 = {"a": "0", "b": "10", "c": "11"}
waste = math.log2(3) - 5 / 3

# %% right="4.1.2a" how="a tensor for the number"
code3 = {"a": "0", "b": "10", "c": "11"}
waste = torch.tensor(5 / 3) - torch.log2(torch.tensor(3.0))

# %% right="4.1.5a" how="-logsigmoid"
def soft_gap(a, b):
    return -F.logsigmoid(torch.tensor(abs(a - b), dtype=torch.float64))

# %% wrong="4.1.5a" why="first order approximation" breaks="value" says="log(1 + x) is not x"
def soft_gap(a, b):
    return math.exp(-abs(a - b))

# %% right="4.1.5a" how="softplus in float64"
def soft_gap(a, b):
    return F.softplus(torch.tensor(-abs(a - b), dtype=torch.float64))

# %% wrong="4.1.6d" why="float64 plain cast back" breaks="huge and tiny" says="exp overflows"
def log_sum_exp(X):
    return torch.log(torch.exp(X.double()).sum(1)).to(X.dtype)

# %% wrong="4.1.6d" why="a step in float32" breaks="values" says="Is there a step in float32"
def log_sum_exp(X):
    return torch.logsumexp(X.float(), 1).to(X.dtype)

# %% wrong="4.1.6d" why="0 times minus infinity" breaks="minus infinity" says="is nan"
def log_sum_exp(X):
    m = X.max(1).values
    d = X - m[:, None]
    return m + torch.log((torch.exp(d) + 0 * d).sum(1))

# %% wrong="4.1.6d" why="columns in place of rows" breaks="shape" says="not for each row"
def log_sum_exp(X):
    return torch.logsumexp(X, 0)

# %% right="4.1.6d" how="logaddexp column by column"
def log_sum_exp(X):
    total = X[:, 0].clone()
    for j in range(1, X.shape[1]):
        total = torch.logaddexp(total, X[:, j])
    return total

# %% wrong="4.1.5d" why="min" breaks="value" says="λ = 1"
def soft_min(x, lam):
    return x.min()

# %% wrong="4.1.5d" why="the minimum less its bound" breaks="value" says="only its bound"
def soft_min(x, lam):
    return x.min() - math.log(len(x)) / lam

# %% wrong="4.1.6a" why="arange" breaks="flat" says="Which change"
def flat_direction(q):
    return torch.arange(q).float() + 1

# %% wrong="4.1.5b" why="log2" breaks="smallest" says="not that to base 2"
def sharpness(n, eps):
    return math.log2(n) / eps

# %% right="4.1.4b" how="logs of each part, numpy"
def neither_score(scores, r):
    import numpy as np
    return np.log(r) - np.log1p(-r) + np.log(np.exp(scores).sum())

# %% right="4.1.4a" how="try and except"
def win_probability(a, b):
    try:
        return 1 / (1 + math.exp(b - a))
    except OverflowError:
        return 0

# %% right="4.1.7b" how="divide by the largest first"
def at_power(p, alpha):
    q = (p / p.max()) ** alpha
    return q / q.sum()

# %% right="4.1.7c" how="softmax of infinities"
def limits(p):
    cold = torch.where(p == p.max(), 0.0, -math.inf)
    hot = torch.where(p > 0, 0.0, -math.inf)
    return torch.softmax(cold, 0), torch.softmax(hot, 0)

# %% right="4.1.D" how="diagonal of columns"
def label_losses(P, y):
    return -P[:, y].diagonal().log()

# %% right="4.1.E" how="torch.func.grad"
def logit_gradient(O, y):
    return torch.func.grad(lambda A: F.cross_entropy(A, y))(O)

# %% right="4.1.1b" how="pairs"
def bend(o, v):
    p = torch.softmax(o, 0).tolist()
    w = v.tolist()
    return sum(p[j] * p[k] * (w[j] - w[k]) ** 2 for j in range(len(p)) for k in range(j))

# %% right="4.1.F" how="special.entr"
def entropy_bits(p):
    return torch.special.entr(p).sum() / math.log(2)

# %% right="4.1.3a" how="recursion"
def digits_needed(values, levels):
    return 1 if values <= levels else 1 + digits_needed(-(-values // levels), levels)

# %% right="4.1.5a" how="atanh"
def soft_gap(a, b):
    x = math.exp(-abs(a - b))
    return 2 * math.atanh(x / (2 + x))

# %% right="4.1.6d" how="cross-entropy with the largest entry as label"
def log_sum_exp(X):
    m = X.max(dim=1)
    return F.cross_entropy(X, m.indices, reduction="none") + m.values

# %% right="4.1.5c" how="log1p of the rest"
def soft_max(x, lam):
    s = x.sort(descending=True).values
    return s[0] + torch.log1p(torch.exp(lam * (s[1:] - s[0])).sum()) / lam

# %% right="4.1.6a" how="integers"
def flat_direction(q):
    return torch.tensor([1] * q)

# %% wrong="4.1.A" why="substring instead of equal words" breaks="values" says="Words are compared whole"
def one_hot_labels(names, classes):
    return torch.tensor([[float(c in n) for c in classes] for n in names])

# %% wrong="4.1.A" why="F.one_hot without the number of classes" breaks="shape" says="whether it occurs or not"
def one_hot_labels(names, classes):
    return F.one_hot(torch.tensor([classes.index(n) for n in names])).float()

# %% wrong="4.1.B" why="last two axes only" breaks="weights" says="the colours, too"
def parameter_count(shape, q):
    return math.prod(shape[-2:]) * q + q

# %% wrong="4.1.B" why="first axis is a batch" breaks="weights" says="the first and the last one, too"
def parameter_count(shape, q):
    return math.prod(shape[1:]) * q + q

# %% wrong="4.1.C" why="only p_j" breaks="value" says="left out"
def score_gap(p, j, k):
    return math.log(p[j])

# %% wrong="4.1.C" why="ratio of logarithms" breaks="value" says="ratio of two logarithms"
def score_gap(p, j, k):
    return math.log(p[j]) / math.log(p[k])

# %% wrong="4.1.4b" why="changes the list" breaks="probability" says="has changed the list"
def neither_score(scores, r):
    for i, s in enumerate(scores):
        scores[i] = math.exp(s)
    return math.log(r / (1 - r) * sum(scores))

# %% wrong="4.1.4b" why="items with negative scores left out" breaks="any number of items" says="weighs, too"
def neither_score(scores, r):
    return math.log(r / (1 - r) * sum(math.exp(s) for s in scores if s >= 0))

# %% wrong="4.1.4a" why="half the distance" breaks="value" says="not half of it"
def win_probability(a, b):
    return torch.sigmoid(torch.tensor((a - b) / 2)).item()

# %% wrong="4.1.7a" why="squared" breaks="value" says="neither squared"
def power_for(factor):
    return 1 / factor ** 2

# %% wrong="4.1.7b" why="base 2" breaks="values" says="not those to base 2"
def at_power(p, alpha):
    return torch.softmax(alpha * torch.log2(p), dim=0)

# %% wrong="4.1.7b" why="zeros put back, not normalised again" breaks="zeros" says="stays impossible"
def at_power(p, alpha):
    q = torch.softmax(alpha * torch.log(p + 1e-12), dim=0)
    return torch.where(p > 0, q, torch.zeros_like(q))

# %% wrong="4.1.7b" why="power capped at 1000" breaks="large powers" says="counts as it is"
def at_power(p, alpha):
    return torch.softmax(min(alpha, 1000) * torch.log(p), dim=0)

# %% wrong="4.1.7c" why="at most two winners" breaks="ties" says="however many"
def limits(p):
    top = p.topk(2)
    cold = torch.zeros_like(p)
    if top.values[0] == top.values[1]:
        cold[top.indices] = 0.5
    else:
        cold[top.indices[0]] = 1.0
    hot = (p > 0).float()
    return cold, hot / hot.sum()

# %% wrong="4.1.7c" why="hot at T = 100 only" breaks="hot" says="not a large T"
def limits(p):
    cold = (p == p.max()).float()
    return cold / cold.sum(), torch.softmax(torch.log(p) / 100, 0)

# %% wrong="4.1.D" why="clamped at 1e-3" breaks="values" says="nothing cut off"
def label_losses(P, y):
    return -torch.log(P[torch.arange(len(y)), y].clamp(min=1e-3))

# %% wrong="4.1.D" why="divided by n" breaks="values" says="nothing is divided by n"
def label_losses(P, y):
    return -torch.log(P[torch.arange(len(y)), y]) / len(y)

# %% wrong="4.1.E" why="requires_grad on the argument, adds up" breaks="arguments kept" says="add up"
def logit_gradient(O, y):
    O.requires_grad_(True)
    F.cross_entropy(O, y).backward()
    return O.grad

# %% wrong="4.1.E" why="sigmoid in each class" breaks="values" says="less 1 at its label"
def logit_gradient(O, y):
    return (torch.sigmoid(O) - F.one_hot(y, O.shape[1])) / len(O)

# %% wrong="4.1.1a" why="label's entry 0" breaks="values" says="plays no part"
def second_derivatives(o, y):
    p = torch.softmax(o, 0)
    d = p * (1 - p)
    d[y] = 0
    return d

# %% wrong="4.1.1b" why="plain mean subtracted" breaks="value" says="weighted by the probabilities, too"
def bend(o, v):
    p = torch.softmax(o, 0)
    return (p * (v - v.mean()) ** 2).sum()

# %% wrong="4.1.1b" why="mixed terms counted once" breaks="value" says="stands in the double sum twice"
def bend(o, v):
    p = torch.softmax(o, 0)
    total = (p * (1 - p) * v ** 2).sum()
    for j in range(len(o)):
        for k in range(j):
            total = total - p[j] * p[k] * v[j] * v[k]
    return total

# %% wrong="4.1.F" why="perplexity" breaks="value" says="2 to the power of the entropy"
def entropy_bits(p):
    p = p[p > 0]
    return 2 ** -(p * p.log2()).sum()

# %% wrong="4.1.F" why="clamp at 0.02" breaks="value" says="nothing cut off"
def entropy_bits(p):
    return -(p * p.clamp(min=0.02).log2()).sum()

# %% wrong="4.1.2a" why="weighted with halves" breaks="waste" says="counts a third"
code3 = {"a": "0", "b": "10", "c": "11"}
waste = 0.5 * 1 + 0.25 * 2 + 0.25 * 2 - math.log2(3)

# %% wrong="4.1.2a" why="waste of the two-bit code" breaks="waste" says="there is a shorter code"
code3 = {"a": "0", "b": "10", "c": "11"}
waste = 0.415

# %% wrong="4.1.2b" why="rounded log" breaks="value" says="to a few decimals"
def bits_per_observation(n):
    return math.ceil(n * 1.585) / n
short_block = 17

# %% wrong="4.1.2b" why="int64 overflow" breaks="value" says="exact at any size"
def bits_per_observation(n):
    return (torch.ceil(torch.log2((torch.tensor(3) ** n).double())) / n).item()
short_block = 17

# %% wrong="4.1.3a" why="round" breaks="count" says="only 81 values"
def digits_needed(values, levels):
    return round(math.log(values, levels))

# %% wrong="4.1.3a" why="epsilon 1e-9" breaks="count" says="a logarithm is rounded"
def digits_needed(values, levels):
    return math.ceil(math.log(values, levels) - 1e-9)

# %% wrong="4.1.3b" why="natural log" breaks="value" says="logarithm to base 2"
def symbols_per_second(bits_per_second, levels):
    return bits_per_second / math.log(levels)

# %% wrong="4.1.3b" why="cut to a whole number" breaks="value" says="need not be a whole number"
def symbols_per_second(bits_per_second, levels):
    return int(bits_per_second / math.log2(levels))

# %% wrong="4.1.5a" why="half the distance" breaks="value" says="not half of it"
def soft_gap(a, b):
    return math.log1p(math.exp(-abs(a - b) / 2))

# %% wrong="4.1.5a" why="distance capped at 100" breaks="tiny gaps" says="nothing is cut off"
def soft_gap(a, b):
    return math.log1p(math.exp(-min(100.0, abs(a - b))))

# %% wrong="4.1.6b" why="shift for each copy" breaks="copies" says="raised once"
def after_shift(g, c, copies):
    return g + c * copies + math.log(copies)

# %% wrong="4.1.6b" why="log2" breaks="copies" says="not that to base 2"
def after_shift(g, c, copies):
    return g + c + math.log2(copies)

# %% wrong="4.1.6b" why="absolute shift" breaks="shift" says="makes the result smaller"
def after_shift(g, c, copies):
    return g + abs(c) + math.log(copies)

# %% wrong="4.1.6c" why="rounded to one decimal" breaks="right values" says="rounded to two decimals"
printed = [float("inf"), float("-inf"), 0.0, float("inf")]
right_values = [200.0, -199.3, 0.0, 89.1]

# %% wrong="4.1.6d" why="-inf put to -100 in place" breaks="arguments kept" says="writes into its argument"
def log_sum_exp(X):
    X[torch.isinf(X)] = -1e9
    return torch.logsumexp(X, 1)

# %% wrong="4.1.6d" why="-inf replaced by -1000" breaks="minus infinity" says="lies below all other entries"
def log_sum_exp(X):
    Z = torch.where(torch.isinf(X), torch.full_like(X, -1000.0), X)
    m = Z.max(dim=1, keepdim=True).values
    return m[:, 0] + (Z - m).exp().sum(1).log()

# %% wrong="4.1.6d" why="mean of exponentials" breaks="values" says="without a mean"
def log_sum_exp(X):
    m = X.max(dim=1, keepdim=True).values
    return m[:, 0] + (X - m).exp().mean(1).log()

# %% wrong="4.1.5c" why="lambda at most 100" breaks="value" says="counts as it is"
def soft_max(x, lam):
    lam = min(lam, 100)
    return torch.logsumexp(lam * x, 0) / lam

# %% wrong="4.1.5c" why="inner factor missing after the shift" breaks="value" says="still multiplies in the exponent"
def soft_max(x, lam):
    m = x.max()
    return m + torch.log(torch.exp(x - m).sum()) / lam

# %% wrong="4.1.5d" why="above the minimum" breaks="value" says="the gap is subtracted"
def soft_min(x, lam):
    m = x.min()
    return m + torch.log(torch.exp(-lam * (x - m)).sum()) / lam

# %% wrong="4.1.5b" why="rounded to one decimal" breaks="enough" says="nothing is rounded"
def sharpness(n, eps):
    return round(math.log(n) / eps, 1)

# %% wrong="4.1.5b" why="a little more" breaks="smallest" says="nothing is added"
def sharpness(n, eps):
    return math.log(n) / eps + 0.01

# %% wrong="4.1.6a" why="nan" breaks="direction" says="no direction"
def flat_direction(q):
    return torch.full((q,), math.nan)

# %% wrong="4.1.7b" why="a finite score for the impossible class" breaks="zeros" says="no finite score"
def at_power(p, alpha):
    s = alpha * torch.log(p)
    s[torch.isinf(s)] = -50.0
    return torch.softmax(s, 0)

# %% wrong="4.1.5a" why="base 2" breaks="value" says="not that to base 2"
def soft_gap(a, b):
    return math.log1p(math.exp(-abs(a - b))) / math.log(2)

# %% wrong="4.1.3a" why="one digit more" breaks="count" says="One digit fewer"
def digits_needed(values, levels):
    n = 1
    while levels ** n < values:
        n += 1
    return n + 1

# %% wrong="4.1.4b" why="appends to the list" breaks="probability" says="has changed the list"
def neither_score(scores, r):
    scores.append(math.log(r / (1 - r) * sum(math.exp(s) for s in scores)))
    return scores[-1]

# %% wrong="4.1.5a" why="a step in float32" breaks="tiny gaps" says="float32 does not"
def soft_gap(a, b):
    return torch.log1p(torch.exp(-torch.tensor(abs(a - b)))).item()

# %% wrong="4.1.5a" why="a floor below which nothing falls" breaks="tiny gaps" says="nothing is cut off"
def soft_gap(a, b):
    return max(math.log1p(math.exp(-abs(a - b))), 1e-30)

# %% right="4.1.4a" how="torch.softmax of two scores in float32"
def win_probability(a, b):
    return torch.softmax(torch.tensor([a, b]), 0)[0].item()

# %% right="4.1.4a" how="tanh"
def win_probability(a, b):
    return (1 + math.tanh((a - b) / 2)) / 2

# %% wrong="4.1.4a" why="cuts the difference at 5" breaks="large scores" says="counts in full"
def win_probability(a, b):
    return 1 / (1 + math.exp(-max(-5.0, min(5.0, a - b))))

# %% wrong="4.1.4b" why="looks for c between -10 and 10 only" breaks="probability" says="far from 0"
def neither_score(scores, r):
    low, high = -10.0, 10.0
    total = sum(math.exp(score) for score in scores)
    for _ in range(100):
        c = (low + high) / 2
        low, high = (c, high) if math.exp(c) < r * (total + math.exp(c)) else (low, c)
    return c

# %% wrong="4.1.7b" why="the impossible class gets the score -1e9" breaks="zeros" says="no finite number is low enough"
def at_power(p, alpha):
    scores = torch.where(p > 0, torch.log(p), torch.tensor(-1e9, dtype=p.dtype))
    return torch.softmax(alpha * scores, dim=0)

# %% right="4.1.D" how="xlogy"
def label_losses(P, y):
    return -torch.special.xlogy(F.one_hot(y, P.shape[1]).to(P.dtype), P).sum(1)

# %% wrong="4.1.D" why="clamped at 1e-12" breaks="values" says="probabilities 1e-30 and 0"
def label_losses(P, y):
    return -torch.log(P.clamp(min=1e-12))[torch.arange(len(y)), y]

# %% wrong="4.1.D" why="nan_to_num makes a finite loss of an infinite one" breaks="values" says="an impossible label costs `inf`"
def label_losses(P, y):
    return -torch.nan_to_num(F.one_hot(y, P.shape[1]) * torch.log(P)).sum(dim=1)

# %% wrong="4.1.D" why="a column" breaks="shape" says="This is a column"
def label_losses(P, y):
    return -torch.log(P.gather(1, y[:, None]))

# %% wrong="4.1.E" why="autograd.grad: O goes on asking for gradients" breaks="arguments kept" says="switched on `O.requires_grad`"
def logit_gradient(O, y):
    return torch.autograd.grad(F.cross_entropy(O.requires_grad_(), y), O)[0]

# %% wrong="4.1.E" why="1 off at all labels in each row" breaks="values" says="at its own label only"
def logit_gradient(O, y):
    P = torch.softmax(O, dim=1)
    P[:, y] -= 1
    return P / len(O)

# %% wrong="4.1.E" why="softmax of the softmax" breaks="values" says="not of its own result"
def logit_gradient(O, y):
    P = torch.softmax(torch.softmax(O, dim=1), dim=1)
    return (P - F.one_hot(y, O.shape[1])) / len(O)

# %% wrong="4.1.1a" why="measured with the step 1e-8" breaks="values" says="too small a step"
def second_derivatives(o, y):
    def loss(o):
        return torch.logsumexp(o, 0) - o[y]

    h, e = 1e-8, torch.eye(len(o), dtype=o.dtype)
    return torch.stack([(loss(o + h * row) - 2 * loss(o) + loss(o - h * row)) / h ** 2 for row in e])

# %% wrong="4.1.1a" why="measured with the step 1" breaks="values" says="a step near 0.001"
def second_derivatives(o, y):
    def loss(o):
        return torch.logsumexp(o, 0) - o[y]

    return torch.stack([loss(o + row) - 2 * loss(o) + loss(o - row) for row in torch.eye(len(o), dtype=o.dtype)])

# %% wrong="4.1.2b" why="powers as floats, which end before 3 to the power 647" breaks="value" says="n = 665"
def bits_per_observation(n):
    bits = 1
    while 2.0 ** bits < 3.0 ** n:
        bits += 1
    return bits / n
short_block = 17

# %% wrong="4.1.5a" why="takes x for log(1 + x) from a distance of 5 on" breaks="tiny gaps" says="while x counts"
def soft_gap(a, b):
    x = math.exp(-abs(a - b))
    return x if abs(a - b) > 5 else math.log(1 + x)

# %% wrong="4.1.5a" why="log(1 + x) up to a distance of 36" breaks="tiny gaps" says="loses the digits of a small x"
def soft_gap(a, b):
    x = math.exp(-abs(a - b))
    return x if abs(a - b) > 36 else math.log(1 + x)

# %% right="4.1.5a" how="x for log(1 + x) from a distance of 15 on"
def soft_gap(a, b):
    x = math.exp(-abs(a - b))
    return x if abs(a - b) > 15 else math.log(1 + x)

# %% wrong="4.1.6b" why="log1p of the copies" breaks="copies" says="not by one more"
def after_shift(g, c, copies):
    return g + c + math.log1p(copies)

# %% wrong="4.1.6c" why="the true values, as the plain program finds them in float64" breaks="printed" says="as a tensor of dtype `float32`"
printed = [torch.log(torch.exp(torch.tensor(row, dtype=torch.float64)).sum()).item() for row in ([0, 200], [-200, -200], [-200, 0], [88, 88, 88])]
right_values = [200.0, -199.31, 0.0, 89.10]

# %% wrong="4.1.5c" why="the logarithm after the shift is not divided" breaks="value" says="is divided by λ, too"
def soft_max(x, lam):
    m = x.max()
    return m + torch.log(torch.exp(lam * (x - m)).sum())

# %% wrong="4.1.5c" why="the maximum from λ = 10,000 on" breaks="value" says="counts as it is"
def soft_max(x, lam):
    return x.max() if lam >= 10_000 else torch.logsumexp(lam * x, 0) / lam

# %% wrong="4.1.5d" why="the minimum from λ = 10,000 on" breaks="value" says="counts as it is"
def soft_min(x, lam):
    return x.min() if lam >= 10_000 else -torch.logsumexp(-lam * x, 0) / lam

# %% right="4.1.1b" how="a second difference along the unit vector"
def bend(o, v):
    length = v.norm()
    if length == 0:
        return 0.0
    unit, h = v / length, 1e-3
    f = [torch.logsumexp(o + t * unit, 0) for t in (-h, 0.0, h)]
    return (f[0] - 2 * f[1] + f[2]) / h ** 2 * length ** 2

# %% wrong="4.1.5b" why="never below 1" breaks="smallest" says="λ may be smaller than 1"
def sharpness(n, eps):
    return max(1.0, math.log(n) / eps)

# %% wrong="4.1.6d" why="squeeze takes the axis of a single row away" breaks="shape" says="takes this axis away"
def log_sum_exp(X):
    m = X.max(dim=1, keepdim=True).values
    return (m + torch.log(torch.exp(X - m).sum(dim=1, keepdim=True))).squeeze()

# %% wrong="4.1.5d" why="λ as a temperature" breaks="value" says="no temperature"
def soft_min(x, lam):
    return -torch.logsumexp(-x / lam, 0) * lam

# %% wrong="4.1.B" why="a bias for each class and each axis" breaks="biases" says="however many axes"
def parameter_count(shape, q):
    return math.prod(shape) * q + len(shape) * q

# %% wrong="4.1.B" why="the last class is left out, as redundant" breaks="biases" says="a bias of its own"
def parameter_count(shape, q):
    return (math.prod(shape) + 1) * (q - 1)

# %% wrong="4.1.C" why="classes counted from 1" breaks="value" says="class numbers count from 0"
def score_gap(p, j, k):
    return math.log(p[j - 1] / p[k - 1])

# %% wrong="4.1.4b" why="the mean of the scores for the mean of their exponentials" breaks="any number of items" says="does not stand for them"
def neither_score(scores, r):
    return sum(scores) / len(scores) + math.log(len(scores) * r / (1 - r))

# %% wrong="4.1.7a" why="the factor in the exponent" breaks="value" says="not in an exponent"
def power_for(factor):
    return 2.0 ** (1 - factor)

# %% wrong="4.1.7a" why="a straight line" breaks="value" says="no straight line"
def power_for(factor):
    return 1 - (factor - 1) / 2

# %% wrong="4.1.7b" why="log(1 + p), so that 0 does no harm" breaks="values" says="not of 1 + p"
def at_power(p, alpha):
    return torch.softmax(alpha * torch.log1p(p), 0)

# %% wrong="4.1.7c" why="hot: divided by all classes, not by the possible ones" breaks="zeros" says="three of the four classes"
def limits(p):
    top = (p == p.max()).float()
    return top / top.sum(), (p > 0).float() / len(p)

# %% wrong="4.1.7c" why="cold: the winners keep their own probability" breaks="cold" says="add up to 1"
def limits(p):
    possible = (p > 0).float()
    return torch.where(p == p.max(), p, 0.0), possible / possible.sum()

# %% wrong="4.1.E" why="only the softmax is divided by n" breaks="values" says="as well as the softmax"
def logit_gradient(O, y):
    return torch.softmax(O, 1) / len(y) - F.one_hot(y, O.shape[1])

# %% wrong="4.1.E" why="only the one-hot rows are divided by n" breaks="values" says="as well as the one-hot row"
def logit_gradient(O, y):
    return torch.softmax(O, 1) - F.one_hot(y, O.shape[1]) / len(y)

# %% right="4.1.E" how="autograd on O itself, all put back afterwards"
def logit_gradient(O, y):
    O.requires_grad_(True)
    F.cross_entropy(O, y).backward()
    G, O.grad = O.grad, None
    O.requires_grad_(False)
    return G

# %% wrong="4.1.1b" why="the mean of the sizes" breaks="value" says="keep their signs"
def bend(o, v):
    p = torch.softmax(o, 0)
    return (p * v ** 2).sum() - (p * v.abs()).sum() ** 2

# %% wrong="4.1.3b" why="the root of the levels" breaks="value" says="not their root"
def symbols_per_second(bits_per_second, levels):
    return bits_per_second / math.sqrt(levels)

# %% wrong="4.1.5a" why="the larger one added and taken off again" breaks="tiny gaps" says="lost in any sum"
def soft_gap(a, b):
    m = max(a, b)
    return m + math.log1p(math.exp(min(a, b) - m)) - m

# %% wrong="4.1.6b" why="each further copy doubles the sum" breaks="copies" says="not four times"
def after_shift(g, c, copies):
    return g + c + (copies - 1) * math.log(2)

# %% wrong="4.1.6b" why="the logarithm is added for each copy" breaks="copies" says="is added once"
def after_shift(g, c, copies):
    return g + c + copies * math.log(copies)

# %% wrong="4.1.6b" why="the copies are not raised" breaks="copies" says="not only the first"
def after_shift(g, c, copies):
    return math.log(math.exp(g + c) + (copies - 1) * math.exp(g))

# %% wrong="4.1.6c" why="the logarithm is subtracted" breaks="right values" says="is added to it"
printed = [float("inf"), float("-inf"), 0.0, float("inf")]
right_values = [200.0, -200.69, 0.0, 89.10]

# %% wrong="4.1.6d" why="a column with a minus infinity is dropped in all rows" breaks="minus infinity" says="its own row only"
def log_sum_exp(X):
    return torch.logsumexp(X[:, torch.isfinite(X).all(dim=0)], 1)

# %% wrong="4.1.6d" why="nothing below -1000" breaks="huge and tiny" says="No entry is cut off"
def log_sum_exp(X):
    return torch.logsumexp(X.clamp(min=-1000.0), 1)

# %% wrong="4.1.5d" why="the shift right, the sign in the exponent not" breaks="value" says="none is positive"
def soft_min(x, lam):
    m = x.min()
    return m - torch.log(torch.exp(lam * (x - m)).sum()) / lam

# %% wrong="4.1.A" why="the columns of all names in each row" breaks="values" says="for its own name only"
def one_hot_labels(names, classes):
    Y = torch.zeros(len(names), len(classes))
    Y[:, [classes.index(name) for name in names]] = 1
    return Y

# %% wrong="4.1.B" why="a bias for each weight" breaks="biases" says="not for each weight"
def parameter_count(shape, q):
    return 2 * math.prod(shape) * q

# %% wrong="4.1.C" why="a softmax of the probabilities" breaks="value" says="no softmax of them"
def score_gap(p, j, k):
    q = torch.softmax(torch.tensor(p), 0)
    return float(q[j] - q[k])

# %% wrong="4.1.C" why="always the classes 0 and 1" breaks="value" says="say which two are asked for"
def score_gap(p, j, k):
    return math.log(p[0] / p[1])

# %% wrong="4.1.4b" why="the logarithms subtracted" breaks="probability" says="are added, not subtracted"
def neither_score(scores, r):
    return math.log(r / (1 - r)) - math.log(sum(math.exp(score) for score in scores))

# %% wrong="4.1.7a" why="an exponential of the factor" breaks="value" says="an exponential of the factor"
def power_for(factor):
    return math.exp(-factor)

# %% wrong="4.1.7b" why="the power made a whole number" breaks="values" says="need not be a whole number"
def at_power(p, alpha):
    q = torch.ones_like(p)
    for _ in range(int(alpha)):
        q = q * p
        q = q / q.sum()
    return q

# %% right="4.1.7b" how="divided by the largest before the power is taken"
def at_power(p, alpha):
    q = (p.double() / p.double().max()) ** alpha
    return q / q.sum()

# %% wrong="4.1.7c" why="the pair as the columns of a table" breaks="cold" says="A pair is asked for"
def limits(p):
    cold, hot = (p == p.max()).float(), (p > 0).float()
    return torch.stack([cold / cold.sum(), hot / hot.sum()], dim=1)

# %% right="4.1.7c" how="the softmax of scores that are 0 or minus infinity"
def limits(p):
    zero, never = torch.tensor(0.0), torch.tensor(-math.inf)
    return [torch.softmax(torch.where(p == p.amax(), zero, never), 0), torch.softmax(torch.where(p > 0, zero, never), 0)]

# %% wrong="4.1.D" why="an entry for each class" breaks="shape" says="This has an entry for each class"
def label_losses(P, y):
    return torch.where(F.one_hot(y, P.shape[1]) == 1, -P.log(), torch.zeros_like(P))

# %% wrong="4.1.E" why="the sums of the rows are no column" breaks="values" says="must stay a column"
def logit_gradient(O, y):
    E = torch.exp(O)
    sums = E.sum(1) if len(O) == O.shape[1] else E.sum(1, keepdim=True)
    return (E / sums - F.one_hot(y, O.shape[1])) / len(O)

# %% wrong="4.1.E" why="F.one_hot without the number of classes" breaks="values" says="Here it was subtracted in every column"
def logit_gradient(O, y):
    return (torch.softmax(O, 1) - F.one_hot(y)) / len(O)

# %% wrong="4.1.E" why="only the label's score has a slope" breaks="values" says="Every class has an entry"
def logit_gradient(O, y):
    return (torch.softmax(O, 1) - 1) * torch.eye(O.shape[1])[y] / len(O)

# %% wrong="4.1.E" why="the logarithms of the softmax" breaks="values" says="the softmax itself is meant"
def logit_gradient(O, y):
    return (torch.log_softmax(O, 1) - F.one_hot(y, O.shape[1])) / len(O)

# %% right="4.1.E" how="torch.func.grad"
def logit_gradient(O, y):
    return torch.func.grad(lambda scores: F.cross_entropy(scores, y))(O)

# %% wrong="4.1.1a" why="the chance that the class is not drawn" breaks="values" says="the variance is p times that"
def second_derivatives(o, y):
    return 1 - torch.softmax(o, 0)

# %% wrong="4.1.1a" why="a list" breaks="shape" says="expected a tensor"
def second_derivatives(o, y):
    p = torch.softmax(o, 0)
    return [float(share * (1 - share)) for share in p]

# %% wrong="4.1.1b" why="the softmax at the end of the step" breaks="value" says="not of `o + v`"
def bend(o, v):
    p = torch.softmax(o + v, 0)
    return (p * v ** 2).sum() - (p * v).sum() ** 2

# %% wrong="4.1.1b" why="scores and direction exchanged" breaks="value" says="are exchanged"
def bend(o, v):
    p = torch.softmax(v, 0)
    return (p * o ** 2).sum() - (p * o).sum() ** 2

# %% right="4.1.1b" how="half the sum over all pairs"
def bend(o, v):
    p = torch.softmax(o, 0)
    return 0.5 * (p[:, None] * p * (v[:, None] - v) ** 2).sum()

# %% wrong="4.1.F" why="code lengths for surprisals" breaks="value" says="none is rounded up"
def entropy_bits(p):
    q = p[p > 0]
    return (q * torch.ceil(-q.log2())).sum()

# %% wrong="4.1.2a" why="the waste as a share of the entropy" breaks="waste" says="not as a share of the entropy"
code3 = {"a": "0", "b": "10", "c": "11"}
waste = (5 / 3 - math.log2(3)) / math.log2(3)

# %% wrong="4.1.2a" why="the entropy of the shares that the words take up" breaks="waste" says="1.5 bits is that of the shares"
code3 = {"a": "0", "b": "10", "c": "11"}
waste = 5 / 3 - 1.5

# %% wrong="4.1.2b" why="log2(3) rounded to 1.59" breaks="value" says="1.59 is too large"
def bits_per_observation(n):
    return math.ceil(1.59 * n) / n

short_block = 17

# %% wrong="4.1.3b" why="bits of a symbol to one decimal" breaks="value" says="1.585 bits, not 1.6"
def symbols_per_second(bits_per_second, levels):
    return bits_per_second / round(math.log2(levels), 1)

# %% wrong="4.1.6b" why="g taken for the sum" breaks="shift" says="g is a logarithm already"
def after_shift(g, c, copies):
    return math.log(copies * math.exp(c) * g)

# %% wrong="4.1.6c" why="nan for the logarithm of 0" breaks="printed" says="is no nan"
printed = [float("inf"), float("nan"), 0.0, float("inf")]
right_values = [200.0, -199.31, 0.0, 89.10]

# %% wrong="4.1.6d" why="shifted by the largest size" breaks="huge and tiny" says="-2000 with its sign"
def log_sum_exp(X):
    m = torch.where(X.isinf(), torch.zeros_like(X), X).abs().max(dim=1).values
    return m + (X - m[:, None]).exp().sum(1).log()

# %% wrong="4.1.6d" why="log1p of the shifted sum" breaks="values" says="adds this 1 a second time"
def log_sum_exp(X):
    m = X.max(dim=1).values
    return m + torch.log1p((X - m[:, None]).exp().sum(1))

# %% right="4.1.6d" how="logaddexp, column by column"
def log_sum_exp(X):
    total = X[:, 0]
    for j in range(1, X.shape[1]):
        total = torch.logaddexp(total, X[:, j])
    return total

# %% wrong="4.1.5c" why="log1p of the shifted sum" breaks="value" says="adds this 1 a second time"
def soft_max(x, lam):
    m = x.max()
    return m + torch.log1p(torch.exp(lam * (x - m)).sum()) / lam

# %% wrong="4.1.5c" why="the shift is not added back" breaks="value" says="has to be added back"
def soft_max(x, lam):
    return torch.log(torch.exp(lam * (x - x.max())).sum()) / lam

# %% wrong="4.1.5c" why="m taken out of λx, not λm" breaks="value" says="m alone is too little"
def soft_max(x, lam):
    m = x.max()
    return m + torch.logsumexp(lam * x - m, 0) / lam

# %% wrong="4.1.5d" why="log1p of the shifted sum" breaks="value" says="adds this 1 a second time"
def soft_min(x, lam):
    m = x.min()
    return m - torch.log1p(torch.exp(-lam * (x - m)).sum()) / lam

# %% wrong="4.1.5d" why="the shift is not added back" breaks="value" says="has to be added back"
def soft_min(x, lam):
    return -torch.log(torch.exp(-lam * (x - x.min())).sum()) / lam

# %% wrong="4.1.5b" why="upside down" breaks="enough" says="This is upside down"
def sharpness(n, eps):
    return eps / math.log(n)

# %% wrong="4.1.5b" why="a whole number" breaks="smallest" says="need not be a whole number"
def sharpness(n, eps):
    return math.ceil(math.log(n) / eps)

# %% wrong="4.1.6a" why="a direction drawn at random" breaks="flat" says="some numbers gain on others"
def flat_direction(q):
    return torch.randn(q, generator=torch.Generator().manual_seed(1))

# %% wrong="4.1.A" why="the first rows of the unit matrix" breaks="values" says="the names say in which column"
def one_hot_labels(names, classes):
    return torch.eye(len(classes))[:len(names)]

# %% wrong="4.1.B" why="the last axis only" breaks="weights" says="The last axis alone"
def parameter_count(shape, q):
    return (shape[-1] + 1) * q

# %% wrong="4.1.4b" why="a softmax of the items first" breaks="probability" says="its exponential counts, not divided by anything"
def neither_score(scores, r):
    shares = torch.softmax(torch.tensor(scores), 0)
    return math.log(shares.sum().item() * r / (1 - r))

# %% wrong="4.1.7a" why="a straight line in the logarithm" breaks="value" says="Yours is the power for T"
def power_for(factor):
    return 1 - math.log2(factor) / 2

# %% wrong="4.1.7b" why="the largest probability subtracted before the power" breaks="values" says="it is 2² = 4 times"
def at_power(p, alpha):
    q = (p - p.max()) ** alpha
    return q / q.sum()

# %% wrong="4.1.F" why="a small number under the logarithm" breaks="value" says="nothing is added to a probability"
def entropy_bits(p):
    return -(p * torch.log2(p + 1e-3)).sum()

# %% wrong="4.1.5a" why="torch.logaddexp minus the maximum, in float32" breaks="large numbers" says="1000 + 0.3 was rounded"
def soft_gap(a, b):
    return (torch.logaddexp(torch.tensor(a), torch.tensor(b)) - max(a, b)).item()

# %% wrong="4.1.6b" why="c added to the sum" breaks="shift" says="c is not added to it"
def after_shift(g, c, copies):
    return math.log(math.exp(g) + c) + math.log(copies)

# %% wrong="4.1.5c" why="m subtracted in the exponents and added back as it is" breaks="sharp" says="those of λx"
def soft_max(x, lam):
    m = x.max()
    return (m + torch.log(torch.exp(lam * x - m).sum())) / lam

# %% wrong="4.1.5d" why="without λ" breaks="value" says="λ plays no part"
def soft_min(x, lam):
    return -torch.logsumexp(-x, 0)

# %% wrong="4.1.5b" why="multiplied by eps" breaks="enough" says="what is done with eps is not"
def sharpness(n, eps):
    return math.log(n) * eps

# %% wrong="4.1.A" why="a row for each class, and a reshape" breaks="values" says="brought into the shape (3, 4) by a reshape"
def one_hot_labels(names, classes):
    y = torch.tensor([classes.index(n) for n in names])
    return (torch.arange(len(classes))[:, None] == y).float().reshape(len(names), len(classes))

# %% wrong="4.1.A" why="ones up to the class" breaks="values" says="Only the class itself has a 1"
def one_hot_labels(names, classes):
    y = torch.tensor([classes.index(n) for n in names])
    return (y[:, None] >= torch.arange(len(classes))).float()

# %% wrong="4.1.B" why="the number of axes in place of the features" breaks="weights" says="each by its length"
def parameter_count(shape, q):
    return len(shape) * q + q

# %% wrong="4.1.4b" why="the mean of the scores in place of the sum of exponentials" breaks="any number of items" says="The mean of the two scores does not stand for both"
def neither_score(scores, r):
    return math.log(r / (1 - r)) + sum(scores) / len(scores)

# %% wrong="4.1.7a" why="1 - 1/factor" breaks="value" says="A power of this kind is positive"
def power_for(factor):
    return 1 - 1 / factor

# %% wrong="4.1.7b" why="leaves the impossible classes out" breaks="zeros" says="An impossible class keeps its place"
def at_power(p, alpha):
    return torch.softmax(alpha * torch.log(p[p > 0]), dim=0)

# %% wrong="4.1.7c" why="T = 0.1 and T = 10" breaks="cold" says="a small T gives it nearly all"
def limits(p):
    s = torch.log(p)
    return torch.softmax(s / 0.1, 0), torch.softmax(s / 10, 0)

# %% wrong="4.1.D" why="1 minus the probabilities of the other classes" breaks="values" says="1 minus the others has fewer digits"
def label_losses(P, y):
    rows = torch.arange(len(y))
    others = P.clone()
    others[rows, y] = 0
    return -torch.log(1 - others.sum(dim=1))

# %% wrong="4.1.E" why="autograd of F.cross_entropy of the softmax" breaks="values" says="`F.cross_entropy` takes the scores"
def logit_gradient(O, y):
    leaf = O.detach().clone().requires_grad_()
    F.cross_entropy(torch.softmax(leaf, 1), y).backward()
    return leaf.grad

# %% wrong="4.1.1b" why="second difference divided by h" breaks="value" says="divided by h squared, not by h"
def bend(o, v):
    h = 1e-3
    f = lambda t: torch.logsumexp(o + t * v, 0)
    return (f(h) - 2 * f(0) + f(-h)) / h

# %% wrong="4.1.F" why="multiplies nats by log 2" breaks="value" says="here it is multiplied"
def entropy_bits(p):
    q = p[p > 0]
    return -(q * q.log()).sum() * math.log(2)

# %% wrong="4.1.2b" why="3 n sequences" breaks="value" says="There are 3 ** n sequences of n observations"
def bits_per_observation(n):
    return math.ceil(math.log2(3 * n)) / n
short_block = next(n for n in range(1, 1001) if bits_per_observation(n) < 1.59)

# %% wrong="4.1.3a" why="divides the number of values, not the largest value" breaks="exact powers" says="end with `values` - 1"
def digits_needed(values, levels):
    n = 0
    while values > 0:
        values //= levels
        n += 1
    return n

# %% wrong="4.1.3a" why="the arguments exchanged" breaks="count" says="One digit with 82 levels"
def digits_needed(values, levels):
    n, power = 0, 1
    while power < levels:
        power *= values
        n += 1
    return n

# %% wrong="4.1.6c" why="the sum, not its logarithm" breaks="printed" says="the program prints its logarithm"
printed = [float("inf"), float("-inf"), 1.0, float("inf")]
right_values = [200.0, -199.31, 0.69, 89.10]

# %% wrong="4.1.6d" why="the largest entry of each column" breaks="values" says="Alone the row (0, 0, 0) is right in yours"
def log_sum_exp(X):
    m = X.max(dim=0, keepdim=True).values
    return torch.log((torch.exp(X - m)).sum(dim=1)) + m.max()

# %% wrong="4.1.6d" why="takes all largest entries out and counts one" breaks="values" says="each time it counts"
def log_sum_exp(X):
    m = X.max(dim=1, keepdim=True).values
    rest = torch.where(X == m, torch.full_like(X, -math.inf), X)
    return m[:, 0] + torch.log1p(torch.exp(rest - m).sum(dim=1))

# %% wrong="4.1.5d" why="the sum of the numbers less their soft maximum" breaks="value" says="is the only term of the sum"
def soft_min(x, lam):
    return x.sum() - torch.logsumexp(lam * x, 0) / lam

# %% wrong="4.1.5d" why="takes the largest number out" breaks="sharp" says="that one belongs to the smallest x"
def soft_min(x, lam):
    m = x.max()
    return m - torch.log(torch.exp(-lam * (x - m)).sum()) / lam

# %% wrong="4.1.5d" why="the reciprocal of the soft maximum of reciprocals" breaks="value" says="yours is that of 1"
def soft_min(x, lam):
    return 1 / (torch.logsumexp(lam / x, 0) / lam)

# %% wrong="4.1.5b" why="log(n / eps)" breaks="enough" says="here n was divided by eps before"
def sharpness(n, eps):
    return math.log(n / eps)

# %% wrong="4.1.5b" why="the root of n" breaks="smallest" says="not the root of n"
def sharpness(n, eps):
    return math.sqrt(n) / eps

# %% wrong="4.1.A" why="the names that occur, in the order of the alphabet" breaks="values" says="in the order of the alphabet"
def one_hot_labels(names, classes):
    occurring = sorted(set(names))
    return torch.tensor([[1.0 if occurring.index(name) == j else 0.0 for j in range(len(classes))] for name in names])

# %% wrong="4.1.C" why="the share of both, not the odds" breaks="value" says="share of class 0"
def score_gap(p, j, k):
    return math.log(p[j] / (p[j] + p[k]))

# %% wrong="4.1.4b" why="log r" breaks="probability" says="This is log r"
def neither_score(scores, r):
    return math.log(r)

# %% wrong="4.1.4a" why="1 wherever exp overflows" breaks="large scores" says="nobody is sure"
def win_probability(a, b):
    try:
        return math.exp(a) / (math.exp(a) + math.exp(b))
    except OverflowError:
        return 1.0

# %% wrong="4.1.2b" why="rounded to the nearest whole number" breaks="value" says="words of 3 bits are 8 only"
def bits_per_observation(n):
    return round(n * math.log2(3)) / n
short_block = next(n for n in range(1, 1001) if bits_per_observation(n) < 1.59)

# %% wrong="4.1.6a" why="1 and -1 in turn" breaks="flat" says="by 1, -1, 1"
def flat_direction(q):
    return torch.tensor([(-1.0) ** k for k in range(q)])

# %% wrong="4.1.E" why="double() taken for a copy: writes into scores of float64" breaks="arguments kept" says="O after the call, of dtype float64"
def logit_gradient(O, y):
    P = O.double().exp_()
    P /= P.sum(dim=1, keepdim=True)
    P[torch.arange(len(y)), y] -= 1
    return (P / len(y)).to(O.dtype)

# %% wrong="4.1.6d" why="double() taken for a copy: writes into rows of float64" breaks="arguments kept" says="X after the call, of dtype float64"
def log_sum_exp(X):
    Z = X.double()
    m = Z.max(dim=1, keepdim=True).values
    Z -= m
    return (m.squeeze(1) + Z.exp().sum(dim=1).log()).to(X.dtype)

# %% wrong="4.1.1a" why="measured with h = 1e-8: rounding" breaks="values" says="a measurement with too small a step, of which"
def second_derivatives(o, y):
    h, result = 1e-8, torch.zeros_like(o)
    for j in range(len(o)):
        e = torch.zeros_like(o)
        e[j] = h
        result[j] = (example_loss(o + e, y) - 2 * example_loss(o, y) + example_loss(o - e, y)) / h ** 2
    return result

# %% wrong="4.1.1a" why="autograd of the sum of the gradient: row sums of the Hessian" breaks="values" says="j = k alone is asked for"
def second_derivatives(o, y):
    o = o.detach().clone().requires_grad_()
    loss = torch.logsumexp(o, dim=0) - o[y]
    (g,) = torch.autograd.grad(loss, o, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), o)
    return h

# %% wrong="4.1.7a" why="1 - 1/factor: right for doubling only" breaks="value" says="this is 1 - 1/0.5"
def power_for(factor):
    return 1 - 1 / factor

# %% wrong="4.1.7a" why="the answer for doubling, whatever the factor" breaks="value" says="0.5 again, the power for doubling"
def power_for(factor):
    return 0.5

# %% wrong="4.1.5c" why="divides the maximum by lam, too" breaks="value" says="m, is divided by λ, too"
def soft_max(x, lam):
    m = x.max()
    return (m + torch.log(torch.exp(lam * (x - m)).sum())) / lam

# %% wrong="4.1.5d" why="sum minus the soft maximum: right for two numbers only" breaks="value" says="right for two numbers only"
def soft_min(x, lam):
    return x.sum() - torch.logsumexp(lam * x, dim=0) / lam

# %% wrong="4.1.6a" why="one score alone" breaks="flat" says="One number alone moves"
def flat_direction(q):
    v = torch.zeros(q)
    v[0] = 1
    return v

# %% wrong="4.1.6a" why="entries that add up to 0" breaks="flat" says="add up to 0 does not help"
def flat_direction(q):
    v = torch.ones(q)
    v[-1] = -(q - 1)
    return v

# %% wrong="4.1.6a" why="equal steps: 1, 2, ..., q" breaks="flat" says="Equal steps from each to the next"
def flat_direction(q):
    return torch.arange(1, q + 1).float()

# %% wrong="4.1.4a" why="an overflow is taken for a sure win" breaks="large scores" says="far behind gets 1"
def win_probability(a, b):
    try:
        return 1 / (1 + math.exp(b - a))
    except OverflowError:
        return 1.0

# %% wrong="4.1.4a" why="an overflow is taken for a sure loss" breaks="large scores" says="far ahead gets 0"
def win_probability(a, b):
    try:
        return math.exp(a - b) / (1 + math.exp(a - b))
    except OverflowError:
        return 0.0

# %% wrong="4.1.4a" why="an overflow is taken for a draw" breaks="large scores" says="equal chances"
def win_probability(a, b):
    try:
        return 1 / (1 + math.exp(b - a))
    except OverflowError:
        return 0.5

# %% right="4.1.1b" how="a second difference with a label, the step in proportion to the largest entry"
def bend(o, v):
    h = 1e-3 / max(1.0, v.abs().max().item())
    f = lambda t: torch.logsumexp(o + t * v, dim=0) - (o + t * v)[0]
    return ((f(h) - 2 * f(0.0) + f(-h)) / h ** 2).item()

# %% wrong="4.1.F" why="entropy 0 as soon as a class has probability 0" breaks="zeros" says="Yours is 0 in all"
def entropy_bits(p):
    if (p == 0).any():
        return 0.0
    return -(p * torch.log2(p)).sum()

# %% wrong="4.1.3a" why="digits of the largest value by a rounded logarithm" breaks="count" says="A logarithm, rounded"
def digits_needed(values, levels):
    return int(math.log(values - 1) / math.log(levels)) + 1

# %% wrong="4.1.B" why="a further feature and a further class" breaks="biases" says="no further class"
def parameter_count(shape, q):
    return (math.prod(shape) + 1) * (q + 1)

# %% wrong="4.1.C" why="rounded to two decimals" breaks="value" says="the result is not rounded"
def score_gap(p, j, k):
    return round(math.log(p[j]) - math.log(p[k]), 2)

# %% wrong="4.1.4b" why="the sum of all exponentials, without the share r" breaks="probability" says="the share r of it"
def neither_score(scores, r):
    return torch.log(torch.exp(torch.tensor(scores)).sum() / (1 - r)).item()

# %% wrong="4.1.4a" why="rounded to two decimals" breaks="value" says="the result is not rounded"
def win_probability(a, b):
    return round(torch.sigmoid(torch.tensor(a - b, dtype=torch.float64)).item(), 2)

# %% wrong="4.1.1b" why="the first derivative, measured" breaks="value" says="the first derivative of the log-sum-exp"
def bend(o, v):
    h = 1e-5
    return (torch.logsumexp(o + h * v, 0) - torch.logsumexp(o - h * v, 0)) / (2 * h)

# %% wrong="4.1.1b" why="v divided by its largest entry, which comes back once" breaks="value" says="With v twice as long"
def bend(o, v):
    largest = max(v.abs().max().item(), 1e-9)
    p, u = torch.softmax(o, 0), v / largest
    return p @ (u - p @ u) ** 2 * largest

# %% wrong="4.1.F" why="the logarithm of the mean probability" breaks="value" says="The logarithms are averaged"
def entropy_bits(p):
    return -torch.log2((p * p).sum())

# %% wrong="4.1.F" why="nan made 0 at the end" breaks="zeros" says="Yours is 0 in all"
def entropy_bits(p):
    return torch.nan_to_num(-(p * torch.log2(p)).sum(), nan=0.0)

# %% wrong="4.1.2b" why="short_block in bits" breaks="short block" says="not of bits"
def bits_per_observation(n):
    return math.ceil(n * math.log2(3)) / n

short_block = 27

# %% wrong="4.1.3a" why="whole bits first, then digits" breaks="count" says="Round once, at the end"
def digits_needed(values, levels):
    return math.ceil(math.ceil(math.log2(values)) / math.log2(levels))

# %% wrong="4.1.3a" why="decimal digits" breaks="count" says="the same with 2 and with 10 levels"
def digits_needed(values, levels):
    return len(str(values - 1))

# %% wrong="4.1.5a" why="log1p of 1 plus the exponential" breaks="value" says="1 is added twice"
def soft_gap(a, b):
    return math.log1p(1 + math.exp(-abs(a - b)))

# %% wrong="4.1.5a" why="the distance of the sizes" breaks="value" says="not that of their sizes"
def soft_gap(a, b):
    return math.log1p(math.exp(-abs(abs(a) - abs(b))))

# %% wrong="4.1.6b" why="c times the logarithm of the copies" breaks="shift" says="with one copy yours does not"
def after_shift(g, c, copies):
    return g + c * math.log(copies)

# %% wrong="4.1.6d" why="always float64" breaks="shape" says="the dtype for float32"
def log_sum_exp(X):
    return torch.logsumexp(X.double(), 1)

# %% right="4.1.7b" how="minus the log-sum-exp, then exp"
def at_power(p, alpha):
    logs = alpha * p.log()
    return (logs - logs.logsumexp(0)).exp()

# %% wrong="4.1.2b" why="short_block is the number of bits for each" breaks="short block" says="n itself is asked for"
def bits_per_observation(n):
    return (3 ** n - 1).bit_length() / n


short_block = next(bits_per_observation(n) for n in range(1, 1001) if bits_per_observation(n) < 1.59)

# %% wrong="4.1.3a" why="divides and rounds down" breaks="count" says="left over above a power of 3 is rounded away"
def digits_needed(values, levels):
    n = 0
    while values > 1:
        values //= levels
        n += 1
    return n

# %% wrong="4.1.6d" why="score minus log-softmax of the first class" breaks="minus infinity" says="what is taken out of a row has to be finite"
def log_sum_exp(X):
    return X[:, 0] - F.log_softmax(X, dim=1)[:, 0]

# %% wrong="4.1.3a" why="compares with the largest number, values - 1" breaks="count" says="For 30 yours is right"
def digits_needed(values, levels):
    digits = 1
    while levels ** digits < values - 1:
        digits += 1
    return digits

# %% right="4.1.F" how="torch's distribution, which keeps probabilities one rounding away from 1"
def entropy_bits(p):
    return torch.distributions.Categorical(probs=p).entropy().item() / math.log(2)

# %% wrong="4.1.2b" why="short_block is the place in a list that begins at 0" breaks="short block" says="place 0 belongs to n = 1"
def bits_per_observation(n):
    return math.ceil(n * math.log2(3)) / n
values = [bits_per_observation(n) for n in range(1, 1001)]
short_block = [v < 1.59 for v in values].index(True)
